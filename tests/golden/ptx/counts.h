/* counts.h - made by count.py: instructions of every function, and those that branch, load and store. */
static const struct {
    const char *file, *function;
    unsigned total, branches, loads, stores;
} counted[] = {
    {"async.ptx", "asyncvec", 44, 1, 6, 1},
    {"branchy.ptx", "branchy", 60, 10, 5, 5},
    {"calls.ptx", "tenfold", 13, 1, 1, 1},
    {"calls.ptx", "fib", 14, 1, 3, 3},
    {"calls.ptx", "follow", 13, 1, 3, 2},
    {"calls.ptx", "recurse", 8, 0, 3, 2},
    {"calls.ptx", "pointer", 25, 0, 6, 5},
    {"calls.ptx", "memory", 24, 0, 4, 3},
    {"histogram.ptx", "histogram", 34, 2, 5, 1},
    {"loops.ptx", "loops", 113, 25, 7, 1},
    {"loops_fast.ptx", "loops", 77, 9, 11, 1},
    {"mathfn.ptx", "_Z4polyff", 8, 0, 2, 1},
    {"mathfn.ptx", "mathfn", 38, 0, 5, 4},
    {"matmul.ptx", "matmul", 69, 3, 8, 3},
    {"nested.ptx", "nested", 40, 4, 4, 1},
    {"reduce.ptx", "reduce", 38, 4, 6, 3},
    {"saxpy.ptx", "saxpy", 25, 2, 6, 1},
    {"stencil.ptx", "stencil", 45, 1, 9, 1},
    {"switch.ptx", "dispatch", 60, 9, 5, 2},
    {"syntax.ptx", "pair", 4, 0, 1, 1},
    {"syntax.ptx", "k", 40, 4, 7, 4},
    {"vecadd.ptx", "vecadd", 22, 1, 6, 1},
};
