/* ptx/flow.h - the functions of a PTX module as flow graphs with loops and static trip counts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Holds a module as sooth_ptx_read (ptx.h) returns it. Derives from the instructions of each function:
 *
 *   graph       basic blocks, edges, dominators (Cooper, Harvey, Kennedy: A simple, fast dominance algorithm,
 *               2001), natural loops and their exits
 *   trips       static trip counts: the instructions that the exit test depends on are executed; if they only
 *               add, the rest is one division
 *   addresses   the memory space that a generic address always points into
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/ptx.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n"
 *             ".entry halve() {\n.reg .b32 %i; .reg .pred %p;\nmov.u32 %i, 1000;\n"
 *             "LOOP: shr.u32 %i, %i, 1;\nsetp.ne.u32 %p, %i, 0;\n@%p bra LOOP;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%u blocks\n", ptx.function[0].blocks);           //> 3 blocks
 *         printf("the loop runs %g times\n", ptx.loop[0].trip);   //> the loop runs 10 times
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Cost: for n instructions, b blocks and e edges, graph and loops of compiler-generated code take O(n + b +
 * e). A loop with a derived trip count takes at most 128 runs of at most 24 instructions. Working memory is 4
 * bytes for each of 9 b + 3 e, and 12 bytes for each definition of a register.
 */
#if !defined(SOOTH_PTX_FLOW_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_FLOW_IMPLEMENTED))
#include "tensor.h"
#endif

#if !defined(SOOTH_PTX_FLOW_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_FLOW_H
SOOTHI_C_BEGIN

/* ---- a module ---- */

/* Flags of instructions. */
#define SOOTH_PTX_IS_PREDICATED 1u
#define SOOTH_PTX_IS_NEGATED 2u  /* @!p */
#define SOOTH_PTX_IS_INDIRECT 4u /* a call through a register */
#define SOOTH_PTX_IS_RESOLVED 8u /* a generic address that is always in the space that kind names */

/* One instruction of the text. */
typedef struct sooth_ptx_instruction {
    uint32_t at; /* offset in the text: of the @ or the opcode */
    uint32_t form;
    uint32_t target; /* bra: the block; call: the function; cp.async: bytes; NONE: none, or not known */
    uint16_t skip;   /* bytes from `at` to the opcode */
    uint8_t kind;    /* of the form, or derived from its address */
    uint8_t flags;
} sooth_ptx_instruction;

/* A basic block: instructions that run in sequence. Only the last one may branch. */
typedef struct sooth_ptx_block {
    uint32_t first, count;        /* instructions; count may be 0 */
    uint32_t edge, edges;         /* its successors, in ptx->edge[]: the branch target first */
    uint32_t idom;                /* immediate dominator; NONE: the entry, or unreachable */
    uint32_t order;               /* index within the function in reverse post-order; NONE: unreachable */
    uint32_t tree, below;         /* preorder index in the dominator tree, size of its subtree */
    uint32_t loop;                /* the innermost loop that contains it */
    uint32_t label;               /* the first label at its start */
    uint32_t line;                /* in the PTX */
    uint32_t source, source_line; /* the current .loc: number of the .file, and line; 0: none */
    uint32_t function;
} sooth_ptx_block;

/* A natural loop: a header that dominates the loop, and the edges back to the header. */
typedef struct sooth_ptx_loop {
    uint32_t header;       /* block */
    uint32_t parent;       /* the enclosing loop */
    uint32_t depth;        /* 1: outermost */
    uint32_t blocks;       /* including those of inner loops */
    uint32_t latches;      /* edges back to the header */
    uint32_t last;         /* the last block that every iteration executes; the latch if there is only one */
    uint32_t exits;        /* blocks with an edge out of the loop */
    uint32_t test;         /* the only such block, if every iteration executes it; else NONE */
    uint32_t test_is_last; /* 1: the test ends the body and runs as often; 0: it runs once more */
    double trip;           /* trip count: iterations for each entry; -1: not derivable */
} sooth_ptx_loop;

/* A named position in a function. */
typedef struct sooth_ptx_label {
    sooth_ptx_word name;
    uint32_t block; /* NONE: the name of a table of targets */
    uint32_t function;
    uint32_t scope; /* number of the enclosing braces; 0: the function's. Other scopes may repeat labels */
} sooth_ptx_label;

/* A variable or parameter. */
typedef struct sooth_ptx_variable {
    sooth_ptx_word name;
    uint32_t function; /* NONE: of the module */
    uint32_t align;
    uint64_t bytes; /* 0: given at launch or in another module */
    uint8_t space;  /* sooth_ptx_class: GLOBAL, SHARED, LOCAL, CONSTANT, TEXTURE, PARAM */
    uint8_t type;   /* sooth_ptx_type, of one element */
    uint8_t is_extern;
} sooth_ptx_variable;

/* A kernel or function. Its parts in the arrays of the module are given by first index and count. */
typedef struct sooth_ptx_function {
    sooth_ptx_word name;
    uint32_t is_entry; /* 1: a kernel; 0: a function */
    uint32_t has_body;
    uint32_t is_broken; /* it contains a syntax error; the rest of it is missing */
    uint32_t line;
    uint32_t instruction, instructions; /* first index and count, for each array */
    uint32_t block, blocks;
    uint32_t loop, loops;
    uint32_t label, labels;
    uint32_t param, params;          /* in variable[] */
    uint32_t edges;                  /* of its flow graph */
    uint32_t unreachable;            /* blocks */
    uint32_t irreducible;            /* edges back to a block that does not dominate them: into loops */
    uint32_t calls, indirect;        /* call instructions, and those with an unknown callee */
    uint32_t maxntid[3], reqntid[3]; /* launch bounds; 0: not given */
    uint32_t minnctapersm, maxnctapersm, maxnreg;
    uint32_t reqnctapercluster[3], maxclusterrank;
    uint32_t registers[SOOTH_PTX_TYPES]; /* declared (virtual ones), by type */
    uint64_t param_bytes;                /* of the parameters */
    uint64_t shared_bytes;               /* static: its own, and the module's that it names */
    uint64_t local_bytes;
    uint32_t dynamic_shared; /* names shared memory whose size is given at launch */
} sooth_ptx_function;

/* An error or a remark with its position. */
typedef struct sooth_ptx_note {
    uint32_t is_error;
    uint32_t function; /* NONE: outside */
    uint32_t line, column;
    char text[160];
} sooth_ptx_note;

/* The result of sooth_ptx_read. Read-only. */
typedef struct sooth_ptx {
    const char *text;
    size_t size;
    uint32_t version;      /* 100 x major + minor: 805 for 8.5; 0: not given */
    uint32_t sm;           /* 80 for sm_80; 0: not given */
    uint32_t address_size; /* 32 or 64 */
    sooth_ptx_word target; /* as written: "sm_90a" */
    sooth_ptx_function *function;
    size_t functions, entries;
    sooth_ptx_instruction *instruction;
    size_t instructions;
    sooth_ptx_form *form;
    size_t forms;
    sooth_ptx_block *block;
    size_t blocks;
    uint32_t *edge;
    size_t edges;
    sooth_ptx_loop *loop;
    size_t loops;
    sooth_ptx_label *label;
    size_t labels;
    sooth_ptx_variable *variable;
    size_t variables;
    sooth_ptx_note *note;
    size_t notes, errors, remarks; /* stored notes; all errors and remarks, stored or not */
    size_t unknown;                /* instructions with unknown opcodes: see the forms of that kind */
} sooth_ptx;

/* The value of a kernel parameter or of a special register ("%ntid.x"). A parameter can be named in three
   ways: by its full name ("matmul_param_3"), without the function's name ("param_3"), or by its index from 0
   ("3"). Parameters of functions that the kernel calls need the full name. No special register has a value by
   default. `sooth ptx` sets %ntid and %nctaid from the launch, along x, y and z. It counts loops whose trips
   are still unknown a second time, with %tid and %ctaid of the thread in the middle: half of %ntid and
   %nctaid. */
typedef struct sooth_ptx_value {
    const char *name;
    int64_t value;
} sooth_ptx_value;

/* Returns the index, from 0, of the kernel parameter with this name (see sooth_ptx_value), or SOOTH_NONE. */
SOOTH_API size_t sooth_ptx_param_find(const sooth_ptx *ptx, size_t function, const char *name);

/* Copies up to `capacity` operands of an instruction as written: "%r1", "[%rd2+16]", "{%f1, %f2}". Returns
   the number of operands. */
SOOTH_API size_t sooth_ptx_operands(const sooth_ptx *ptx, const sooth_ptx_instruction *instruction,
                                    sooth_ptx_word *operand, size_t capacity);

SOOTHI_C_END
#endif /* SOOTH_PTX_FLOW_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_FLOW_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_FLOW_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- memory and names ---- */

/* The source of memory. Any status but SOOTH_OK ends the work. */
typedef struct soothi_ptx_memory {
    sooth_env *env;
    sooth_status status;
} soothi_ptx_memory;

/* Enlarges the array whose pointer is stored at `where` and keeps its first `used` elements. Returns 0 if out
   of memory. */
SOOTHI_LOCAL int soothi_ptx_grow(soothi_ptx_memory *m, void *where, size_t used, size_t *capacity,
                                 size_t larger, size_t size) {
    void *old, *fresh = sooth_alloc(m->env, larger, size);
    if (!fresh) {
        m->status = sooth_no_memory(m->env, "the PTX module", soothi_product(larger, size));
        return 0;
    }
    memcpy(&old, where, sizeof old);
    if (old && used) memcpy(fresh, old, used * size);
    sooth_free(m->env, old, *capacity, size);
    memcpy(where, &fresh, sizeof fresh);
    *capacity = larger;
    return 1;
}

/* True if the array has capacity for one more element. */
#define SOOTHI_PTX_MORE(m, array, count, capacity) \
    ((count) < (capacity) ||                       \
     soothi_ptx_grow((m), &(array), (count), &(capacity), (capacity) ? (capacity)*2 : 64, sizeof *(array)))

/* An array of a module starts with capacity `first` and doubles when full, so its capacity follows from its
   count. Nvcc writes 40 to 50 bytes for an instruction and five instructions for a block. */
enum { SOOTHI_PTX_FIRST = 64 };
#define SOOTHI_PTX_FIRST_INSTRUCTIONS(ptx) ((ptx)->size / 40 + 16)
#define SOOTHI_PTX_FIRST_BLOCKS(ptx) ((ptx)->size / 200 + 16)

SOOTHI_LOCAL size_t soothi_ptx_capacity(size_t first, size_t count) {
    while (first < count) first *= 2;
    return first;
}

/* True if a module's array has capacity for one more element, which must be appended at once. */
SOOTHI_LOCAL int soothi_ptx_append(soothi_ptx_memory *m, void *where, size_t count, size_t first,
                                   size_t size) {
    size_t capacity = count ? soothi_ptx_capacity(first, count) : 0;
    return count < capacity || soothi_ptx_grow(m, where, count, &capacity, count ? count * 2 : first, size);
}
#define SOOTHI_PTX_APPEND(m, array, count, first) \
    soothi_ptx_append((m), &(array), (count), (first), sizeof *(array))

/* A hash table from names to numbers: open addressing, at most half full. A name is a range of the text in a
   scope. */
typedef struct soothi_ptx_entry {
    uint32_t hash, age;
    uint32_t at, length, scope;
    uint32_t number;
} soothi_ptx_entry;

typedef struct soothi_ptx_names {
    soothi_ptx_entry *entry;
    size_t capacity, count; /* capacity: 0 or a power of two */
    uint32_t age;           /* entries of another age are free, so clearing the table costs nothing */
} soothi_ptx_names;

SOOTHI_LOCAL void soothi_ptx_clear(soothi_ptx_names *names) {
    ++names->age;
    names->count = 0;
}

/* Returns the entry of this name, or the free entry for it. */
SOOTHI_HOT soothi_ptx_entry *soothi_ptx_slot(const soothi_ptx_names *names, const char *text,
                                             sooth_ptx_word word, uint32_t scope, uint32_t hash) {
    for (size_t k = hash & (names->capacity - 1);; k = (k + 1) & (names->capacity - 1)) {
        soothi_ptx_entry *e = &names->entry[k];
        if (e->age != names->age) return e;
        if (e->hash == hash && e->scope == scope &&
            soothi_ptx_same(soothi_ptx_word(text + e->at, e->length), word))
            return e;
    }
}

/* Returns the number of a name, or SOOTH_PTX_NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_find(const soothi_ptx_names *names, const char *text, sooth_ptx_word word,
                                      uint32_t scope) {
    if (names->count == 0) return SOOTH_PTX_NONE;
    const soothi_ptx_entry *e = soothi_ptx_slot(names, text, word, scope, soothi_ptx_hash(word, scope));
    return e->age == names->age ? e->number : SOOTH_PTX_NONE;
}

/* Returns a pointer to the number of a name: SOOTH_PTX_NONE for a new name. Returns NULL if out of memory. */
SOOTHI_LOCAL uint32_t *soothi_ptx_insert(soothi_ptx_memory *m, soothi_ptx_names *names, const char *text,
                                         sooth_ptx_word word, uint32_t scope) {
    const uint32_t hash = soothi_ptx_hash(word, scope);
    if (names->count >= names->capacity / 2) {
        soothi_ptx_names larger = *names;
        larger.capacity = names->capacity ? names->capacity * 2 : 64;
        larger.entry = (soothi_ptx_entry *)sooth_alloc(m->env, larger.capacity, sizeof *larger.entry);
        if (!larger.entry) {
            m->status =
                sooth_no_memory(m->env, "the names in the PTX", larger.capacity * sizeof *larger.entry);
            return NULL;
        }
        memset(larger.entry, 0, larger.capacity * sizeof *larger.entry);
        if (larger.age == 0) larger.age = 1;
        for (size_t i = 0; i < names->capacity; ++i) {
            if (names->entry[i].age != names->age) continue;
            size_t k = names->entry[i].hash & (larger.capacity - 1);
            while (larger.entry[k].age) k = (k + 1) & (larger.capacity - 1);
            larger.entry[k] = names->entry[i];
        }
        sooth_free(m->env, names->entry, names->capacity, sizeof *names->entry);
        *names = larger;
    }
    soothi_ptx_entry *e = soothi_ptx_slot(names, text, word, scope, hash);
    if (e->age != names->age) {
        e->hash = hash;
        e->age = names->age;
        e->at = (uint32_t)(word.text - text);
        e->length = (uint32_t)word.length;
        e->scope = scope;
        e->number = SOOTH_PTX_NONE;
        ++names->count;
    }
    return &e->number;
}

SOOTHI_LOCAL void soothi_ptx_names_free(sooth_env *env, soothi_ptx_names *names) {
    sooth_free(env, names->entry, names->capacity, sizeof *names->entry);
}

/* A definition of a register, linked to the previous definition of the same register. */
typedef struct soothi_ptx_definition {
    uint32_t instruction, block;
    uint32_t next; /* NONE: the last */
} soothi_ptx_definition;

/* The state for following values through one function. */
typedef struct soothi_ptx_flow {
    soothi_ptx_memory *memory;
    const sooth_ptx *ptx;
    const sooth_ptx_function *function;
    uint32_t kernel;              /* whose parameters have short names and indices */
    const sooth_ptx_value *value; /* given by the caller */
    size_t values;
    soothi_ptx_names names; /* of registers: the newest definition */
    soothi_ptx_definition *definition;
    size_t definitions, capacity;
} soothi_ptx_flow;

/* ---- the flow graph ---- */

SOOTHI_LOCAL const sooth_ptx_form *soothi_ptx_form(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    return &ptx->form[ins->form];
}

/* Returns the opcode of a block's last instruction; SOOTH_PTX_OPCODES if the block is empty. */
SOOTHI_LOCAL unsigned soothi_ptx_ending(const sooth_ptx *ptx, const sooth_ptx_block *b) {
    return b->count ? soothi_ptx_form(ptx, &ptx->instruction[b->first + b->count - 1])->opcode
                    : (unsigned)SOOTH_PTX_OPCODES;
}

/* The analysis of one function. Nodes are the reachable blocks, indexed in reverse post-order. */
typedef struct soothi_ptx_graph {
    soothi_ptx_memory *memory;
    sooth_ptx *ptx;
    sooth_ptx_function *f;
    uint32_t *scratch; /* storage of all arrays below */
    size_t capacity;
    uint32_t nodes;
    uint32_t *block;      /* per node */
    uint32_t *pred_start; /* nodes + 1 offsets into pred[], nodes in falling order */
    uint32_t *pred;
    uint32_t *idom, *tree, *below; /* per node: immediate dominator, preorder index, subtree size */
    uint32_t *inner;               /* per node: the innermost loop found so far */
    uint32_t *next;                /* per node: the next edge to visit */
    uint32_t *stack;               /* 2 x (blocks + edges) */
    uint32_t entered;              /* the first target of a back edge into a loop with several entries; or
                                      NONE */
} soothi_ptx_graph;

/* Returns scratch[0..count), uninitialised, or NULL if out of memory. */
SOOTHI_LOCAL uint32_t *soothi_ptx_scratch(soothi_ptx_graph *g, size_t count) {
    if (count > g->capacity && !soothi_ptx_grow(g->memory, &g->scratch, 0, &g->capacity,
                                                soothi_product(count, 2), sizeof *g->scratch))
        return NULL;
    return g->scratch;
}

/* Lays out the arrays of a graph. */
SOOTHI_LOCAL void soothi_ptx_graph_layout(soothi_carver *at, soothi_ptx_graph *g) {
    const size_t blocks = g->f->blocks, edges = g->f->edges, size = sizeof(uint32_t);
    g->block = (uint32_t *)soothi_carve(at, blocks, size);
    g->pred_start = (uint32_t *)soothi_carve(at, blocks + 1, size);
    g->pred = (uint32_t *)soothi_carve(at, edges, size);
    g->idom = (uint32_t *)soothi_carve(at, blocks, size);
    g->tree = (uint32_t *)soothi_carve(at, blocks, size);
    g->below = (uint32_t *)soothi_carve(at, blocks, size);
    g->inner = (uint32_t *)soothi_carve(at, blocks, size);
    g->next = (uint32_t *)soothi_carve(at, blocks, size);
    g->stack = (uint32_t *)soothi_carve(at, 2 * (blocks + edges), size);
}

/* Numbers the blocks in reverse post-order of a depth-first walk. */
SOOTHI_LOCAL void soothi_ptx_walk(soothi_ptx_graph *g) {
    sooth_ptx *ptx = g->ptx;
    sooth_ptx_function *f = g->f;
    uint32_t *next = g->next, top = 0, left = f->blocks, b;
    memset(next, 0, f->blocks * sizeof *next);
    ptx->block[f->block].order = 0; /* visited: any value but NONE */
    g->stack[top++] = f->block;
    while (top > 0) {
        b = g->stack[top - 1];
        if (next[b - f->block] < ptx->block[b].edges) {
            const uint32_t to = ptx->edge[ptx->block[b].edge + next[b - f->block]++];
            if (ptx->block[to].order != SOOTH_PTX_NONE) continue;
            ptx->block[to].order = 0;
            g->stack[top++] = to;
        } else {
            g->block[--left] = b;
            --top;
        }
    }
    g->nodes = f->blocks - left;
    g->block += left;
    f->unreachable = left;
    for (uint32_t node = 0; node < g->nodes; ++node) ptx->block[g->block[node]].order = node;
}

/* Lists the predecessors of all nodes. */
SOOTHI_LOCAL void soothi_ptx_predecessors(soothi_ptx_graph *g) {
    const sooth_ptx *ptx = g->ptx;
    uint32_t *next = g->next;
    memset(g->pred_start, 0, (g->f->blocks + 1) * sizeof *g->pred_start);
    for (uint32_t node = 0; node < g->nodes; ++node) {
        const sooth_ptx_block *block = &ptx->block[g->block[node]];
        for (uint32_t i = 0; i < block->edges; ++i)
            ++g->pred_start[ptx->block[ptx->edge[block->edge + i]].order + 1];
    }
    for (uint32_t node = 0; node < g->nodes; ++node) g->pred_start[node + 1] += g->pred_start[node];
    memcpy(next, g->pred_start, g->nodes * sizeof *next);
    for (uint32_t node = g->nodes; node-- > 0;) {
        const sooth_ptx_block *block = &ptx->block[g->block[node]];
        for (uint32_t i = 0; i < block->edges; ++i)
            g->pred[next[ptx->block[ptx->edge[block->edge + i]].order]++] = node;
    }
}

/* Returns the nearest node that dominates both. */
SOOTHI_LOCAL uint32_t soothi_ptx_common(const uint32_t *idom, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a > b) a = idom[a];
        while (b > a) b = idom[b];
    }
    return a;
}

/* Immediate dominators: Cooper, Harvey, Kennedy: A simple, fast dominance algorithm (2001), figure 3.
   Predecessors are visited in falling order, so a join of many branches climbs the tree only once. Then the
   tree is numbered in preorder from the sizes of its subtrees. */
SOOTHI_LOCAL void soothi_ptx_dominators(soothi_ptx_graph *g) {
    uint32_t changed = 1;
    uint32_t *taken = g->stack;
    for (uint32_t node = 0; node < g->nodes; ++node) g->idom[node] = SOOTH_PTX_NONE;
    g->idom[0] = 0;
    while (changed) {
        changed = 0;
        for (uint32_t node = 1; node < g->nodes; ++node) {
            uint32_t idom = SOOTH_PTX_NONE;
            for (uint32_t i = g->pred_start[node]; i < g->pred_start[node + 1]; ++i) {
                const uint32_t p = g->pred[i];
                if (g->idom[p] == SOOTH_PTX_NONE) continue;
                idom = idom == SOOTH_PTX_NONE ? p : soothi_ptx_common(g->idom, p, idom);
            }
            if (g->idom[node] == idom) continue;
            g->idom[node] = idom;
            changed = 1;
        }
    }
    for (uint32_t node = 0; node < g->nodes; ++node) g->below[node] = 1;
    for (uint32_t node = g->nodes; node-- > 1;) g->below[g->idom[node]] += g->below[node];
    g->tree[0] = 0;
    taken[0] = 1;
    for (uint32_t node = 1; node < g->nodes; ++node) {
        g->tree[node] = g->tree[g->idom[node]] + taken[g->idom[node]];
        taken[g->idom[node]] += g->below[node];
        taken[node] = 1;
    }
}

/* Appends the loop of this header, whose latches are on the stack up to `top`. Marks its blocks: all that
   reach a latch without passing the header. Inner loops are already found and are skipped as a unit. Their
   roots are stored in `depth` for now, with path halving. */
SOOTHI_LOCAL int soothi_ptx_collect_loop(soothi_ptx_graph *g, uint32_t header, uint32_t last, uint32_t top) {
    sooth_ptx *out = g->ptx;
    sooth_ptx_function *f = g->f;
    const uint32_t number = f->loops;
    if (!SOOTHI_PTX_APPEND(g->memory, out->loop, out->loops, SOOTHI_PTX_FIRST)) return 0;
    sooth_ptx_loop *loop = out->loop + f->loop;
    memset(&loop[number], 0, sizeof *loop);
    loop[number].header = header;
    loop[number].parent = loop[number].test = SOOTH_PTX_NONE;
    loop[number].depth = number;
    loop[number].latches = top;
    loop[number].last = last;
    loop[number].blocks = 1;
    loop[number].trip = -1.0;
    ++f->loops;
    ++out->loops;
    while (top > 0) {
        uint32_t x = g->stack[--top], root = g->inner[x];
        if (x == header) continue;
        if (root == SOOTH_PTX_NONE) {
            g->inner[x] = number;
            ++loop[number].blocks;
        } else {
            while (loop[root].depth != root) root = loop[root].depth = loop[loop[root].depth].depth;
            if (root == number) continue;
            loop[root].depth = loop[root].parent = number;
            loop[number].blocks += loop[root].blocks;
            x = loop[root].header;
        }
        for (uint32_t i = g->pred_start[x]; i < g->pred_start[x + 1]; ++i) g->stack[top++] = g->pred[i];
    }
    g->inner[header] = number;
    return 1;
}

/* Natural loops: an edge to a block that dominates its source is a back edge. Back edges to one header form
   one loop. Headers are visited in falling reverse post-order, so inner loops come first. Edges back to a
   block that does not dominate their source are counted. */
SOOTHI_LOCAL int soothi_ptx_loops(soothi_ptx_graph *g) {
    g->entered = SOOTH_PTX_NONE;
    for (uint32_t node = 0; node < g->nodes; ++node) g->inner[node] = SOOTH_PTX_NONE;
    for (uint32_t node = g->nodes; node-- > 0;) {
        uint32_t latches = 0, last = 0;
        for (uint32_t i = g->pred_start[node]; i < g->pred_start[node + 1]; ++i) {
            const uint32_t from = g->pred[i];
            if (from < node) continue;
            if (g->tree[from] - g->tree[node] < g->below[node]) {
                last = latches ? soothi_ptx_common(g->idom, last, from) : from;
                g->stack[latches++] = from;
            } else if (g->f->irreducible++ == 0) {
                g->entered = g->block[node];
            }
        }
        if (latches && !soothi_ptx_collect_loop(g, node, last, latches)) return 0;
    }
    return 1;
}

/* Reverses the order of loops, so that outer loops come first. Replaces indices within the function by
   indices within the module. */
SOOTHI_LOCAL void soothi_ptx_renumber(const soothi_ptx_graph *g) {
    sooth_ptx *out = g->ptx;
    const sooth_ptx_function *f = g->f;
    const uint32_t base = f->loop, k = f->loops;
    for (uint32_t i = 0; i < k / 2; ++i) {
        const sooth_ptx_loop t = out->loop[base + i];
        out->loop[base + i] = out->loop[base + k - 1 - i];
        out->loop[base + k - 1 - i] = t;
    }
    for (uint32_t i = base; i < base + k; ++i) {
        sooth_ptx_loop *loop = &out->loop[i];
        if (loop->parent != SOOTH_PTX_NONE) loop->parent = base + k - 1 - loop->parent;
        loop->depth = loop->parent == SOOTH_PTX_NONE ? 1 : out->loop[loop->parent].depth + 1;
        loop->header = g->block[loop->header];
        loop->last = g->block[loop->last];
    }
    for (uint32_t node = 0; node < g->nodes; ++node) {
        sooth_ptx_block *b = &out->block[g->block[node]];
        b->idom = node ? g->block[g->idom[node]] : SOOTH_PTX_NONE;
        b->tree = g->tree[node];
        b->below = g->below[node];
        b->loop = g->inner[node] == SOOTH_PTX_NONE ? SOOTH_PTX_NONE : base + k - 1 - g->inner[node];
    }
}

/* True if every path from the function's entry to block b passes through block a (or a is b). False also if
   either is unreachable or not a block. O(1). */
SOOTHI_LOCAL int soothi_ptx_dominates(const sooth_ptx *ptx, uint32_t a, uint32_t b) {
    if (a >= ptx->blocks || b >= ptx->blocks) return 0;
    const sooth_ptx_block *x = &ptx->block[a];
    const sooth_ptx_block *y = &ptx->block[b];
    return x->function == y->function && x->order != SOOTH_PTX_NONE && y->order != SOOTH_PTX_NONE &&
           y->tree - x->tree < x->below;
}

/* Returns the innermost loop that contains both loops, or NONE. Both loops are of blocks. */
SOOTHI_LOCAL uint32_t soothi_ptx_common_loop(const sooth_ptx *ptx, uint32_t a, uint32_t b) {
    while (a != b) {
        if (a == SOOTH_PTX_NONE || b == SOOTH_PTX_NONE) return SOOTH_PTX_NONE;
        if (ptx->loop[a].depth >= ptx->loop[b].depth) a = ptx->loop[a].parent;
        else b = ptx->loop[b].parent;
    }
    return a;
}

/* True if the block lies in this loop. */
SOOTHI_LOCAL int soothi_ptx_inside(const sooth_ptx *ptx, uint32_t block, uint32_t loop) {
    uint32_t l = ptx->block[block].loop;
    while (l != SOOTH_PTX_NONE && ptx->loop[l].depth > ptx->loop[loop].depth) l = ptx->loop[l].parent;
    return l == loop;
}

/* Marks block b as an exit of its loops, from the innermost outwards up to, but not including, `until`. */
SOOTHI_LOCAL void soothi_ptx_mark_exit(sooth_ptx *ptx, uint32_t b, uint32_t until) {
    for (uint32_t l = ptx->block[b].loop; l != until; l = ptx->loop[l].parent) {
        if (ptx->loop[l].test == b) continue;
        ++ptx->loop[l].exits;
        ptx->loop[l].test = b;
    }
}

/* Finds the exits of each loop, and whether every iteration executes the only exit block. */
SOOTHI_LOCAL void soothi_ptx_exits(sooth_ptx *ptx, const sooth_ptx_function *f) {
    for (uint32_t b = f->block; f->loops && b < f->block + f->blocks; ++b) {
        const sooth_ptx_block *block = &ptx->block[b];
        const unsigned ending = soothi_ptx_ending(ptx, block);
        if (block->loop == SOOTH_PTX_NONE) continue;
        for (uint32_t i = 0; i < block->edges; ++i)
            soothi_ptx_mark_exit(
                ptx, b,
                soothi_ptx_common_loop(ptx, block->loop, ptx->block[ptx->edge[block->edge + i]].loop));
        if (ending == SOOTH_PTX_OP_RET || ending == SOOTH_PTX_OP_EXIT)
            soothi_ptx_mark_exit(ptx, b, SOOTH_PTX_NONE);
    }
    for (uint32_t l = f->loop; l < f->loop + f->loops; ++l) {
        sooth_ptx_loop *loop = &ptx->loop[l];
        if (loop->exits != 1 || ptx->block[loop->test].loop != l ||
            !soothi_ptx_dominates(ptx, loop->test, loop->last)) {
            loop->test = SOOTH_PTX_NONE;
            continue;
        }
        for (uint32_t i = 0; i < ptx->block[loop->test].edges; ++i)
            if (ptx->edge[ptx->block[loop->test].edge + i] == loop->header) loop->test_is_last = 1;
    }
}

/* ---- operands and values ---- */

/* Returns the start of an instruction's operands. */
SOOTHI_LOCAL const char *soothi_ptx_operands_start(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    return soothi_ptx_skip(ptx->text + ins->at + ins->skip + soothi_ptx_form(ptx, ins)->length,
                           ptx->text + ptx->size);
}

SOOTH_API size_t sooth_ptx_operands(const sooth_ptx *ptx, const sooth_ptx_instruction *instruction,
                                    sooth_ptx_word *operand, size_t capacity) {
    const char *p = soothi_ptx_operands_start(ptx, instruction), *const end = ptx->text + ptx->size;
    const char *start = p, *stop = p; /* of the current operand */
    unsigned depth = 0;
    size_t n = 0;
    while (p < end) {
        const unsigned kind = soothi_ptx_char(*p);
        if (depth == 0 && (kind == SOOTHI_PTX_COMMA || kind == SOOTHI_PTX_END)) {
            if (stop > start) {
                if (n < capacity) operand[n] = soothi_ptx_word(start, (size_t)(stop - start));
                ++n;
            }
            if (kind == SOOTHI_PTX_END) return n;
            start = stop = p = soothi_ptx_skip(p + 1, end);
            continue;
        }
        if (kind == SOOTHI_PTX_OPEN) ++depth;
        if (kind == SOOTHI_PTX_CLOSE) --depth;
        stop = ++p;
        p = soothi_ptx_skip(p, end);
    }
    return n;
}

/* Reads an operand that is a number. */
SOOTHI_LOCAL int soothi_ptx_number_in(sooth_ptx_word word, uint64_t *value) {
    return word.length > 0 && soothi_ptx_whole(word.text, word.text + word.length, value) == word.length;
}

/* Returns the index of the operand with the bytes of a copy; SOOTH_NONE: its tensor map has them. */
SOOTHI_LOCAL size_t soothi_ptx_size_operand(const sooth_ptx_form *form) {
    if (form->flags & SOOTH_PTX_FORM_MAPPED) return SOOTH_NONE;
    return form->opcode == SOOTH_PTX_OP_ST ? 1 : 2;
}

/* Returns the newest definition of a register, or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_defined(const soothi_ptx_flow *flow, sooth_ptx_word name) {
    return soothi_ptx_find(&flow->names, flow->ptx->text, name, 0);
}

/* Records the definitions of an instruction: the names in its first operand: a, a|b, {a, b}; for a call (a,
   b). Stores and barriers define nothing. Their first operand is not a register, or is a harmless extra
   definition. Returns 0 if out of memory. */
SOOTHI_LOCAL int soothi_ptx_defines(soothi_ptx_flow *flow, uint32_t number, uint32_t block) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_instruction *ins = &ptx->instruction[number];
    const char *const end = ptx->text + ptx->size;
    int inside = 0;
    if (ins->kind == SOOTH_PTX_KIND_BRANCH || ins->kind == SOOTH_PTX_KIND_EXIT) return 1;
    for (const char *p = soothi_ptx_operands_start(ptx, ins); p < end; p = soothi_ptx_skip(p, end)) {
        if (soothi_ptx_char(*p) == SOOTHI_PTX_LETTER) {
            const sooth_ptx_word name = soothi_ptx_name(p, end);
            uint32_t *newest = soothi_ptx_insert(flow->memory, &flow->names, ptx->text, name, 0);
            if (!newest ||
                !SOOTHI_PTX_MORE(flow->memory, flow->definition, flow->definitions, flow->capacity))
                return 0;
            soothi_ptx_definition *d = &flow->definition[flow->definitions];
            d->instruction = number;
            d->block = block;
            d->next = *newest;
            *newest = (uint32_t)flow->definitions++;
            p += name.length;
        } else if (*p == '{' || *p == '(') {
            inside = 1;
            ++p;
        } else if (*p == '|' || (*p == ',' && inside)) {
            ++p;
        } else {
            return 1;
        }
    }
    return 1;
}

/* Prepares to follow values through a function. Returns 0 if out of memory. */
SOOTHI_LOCAL int soothi_ptx_follow(soothi_ptx_flow *flow, const sooth_ptx_function *f) {
    flow->function = f;
    flow->definitions = 0;
    soothi_ptx_clear(&flow->names);
    for (uint32_t b = f->block; b < f->block + f->blocks; ++b) {
        const sooth_ptx_block *block = &flow->ptx->block[b];
        for (uint32_t i = block->first; i < block->first + block->count; ++i)
            if (!soothi_ptx_defines(flow, i, b)) return 0;
    }
    return 1;
}

SOOTHI_LOCAL void soothi_ptx_flow_free(soothi_ptx_flow *flow) {
    soothi_ptx_names_free(flow->memory->env, &flow->names);
    sooth_free(flow->memory->env, flow->definition, flow->capacity, sizeof *flow->definition);
}

SOOTHI_LOCAL int soothi_ptx_is_signed(unsigned type) {
    return type >= SOOTH_PTX_TYPE_S8 && type <= SOOTH_PTX_TYPE_S64;
}

SOOTHI_LOCAL int64_t soothi_ptx_signed(uint64_t u) {
    int64_t v;
    memcpy(&v, &u, sizeof v);
    return v;
}

/* Truncates v to this many bits, with sign or without. */
SOOTHI_LOCAL int64_t soothi_ptx_truncate(int64_t v, uint32_t bits, int is_signed) {
    uint64_t u = (uint64_t)v;
    if (bits == 0 || bits >= 64) return v;
    u &= ((uint64_t)1 << bits) - 1;
    if (is_signed && (u >> (bits - 1) & 1)) u |= ~(uint64_t)0 << bits;
    return soothi_ptx_signed(u);
}

/* Returns v as a register of this type holds it. */
SOOTHI_LOCAL int64_t soothi_ptx_wrap(int64_t v, unsigned type) {
    return soothi_ptx_truncate(v, soothi_ptx_bits(type), soothi_ptx_is_signed(type));
}

/* Returns v as registers are stored here: truncated to this many bits and signed. Predicates are 0 and 1. */
SOOTHI_LOCAL int64_t soothi_ptx_keep(int64_t v, uint32_t bits) {
    return soothi_ptx_truncate(v, bits, bits > 1);
}

SOOTHI_LOCAL int soothi_ptx_is_integer(unsigned type) {
    return (type >= SOOTH_PTX_TYPE_B8 && type <= SOOTH_PTX_TYPE_S64 && type != SOOTH_PTX_TYPE_B128) ||
           type == SOOTH_PTX_TYPE_PRED;
}

/* Returns the number of sources of an instruction that soothi_ptx_apply can evaluate, else 0. */
SOOTHI_LOCAL unsigned soothi_ptx_sources(const sooth_ptx_form *form) {
    static const uint8_t known[20] = {
        /* one source */
        SOOTH_PTX_OP_MOV, SOOTH_PTX_OP_CVT, SOOTH_PTX_OP_NEG, SOOTH_PTX_OP_NOT, SOOTH_PTX_OP_ABS,
        /* from 5: two */
        SOOTH_PTX_OP_ADD, SOOTH_PTX_OP_SUB, SOOTH_PTX_OP_MUL, SOOTH_PTX_OP_DIV, SOOTH_PTX_OP_REM,
        SOOTH_PTX_OP_MIN, SOOTH_PTX_OP_MAX, SOOTH_PTX_OP_AND, SOOTH_PTX_OP_OR, SOOTH_PTX_OP_XOR,
        SOOTH_PTX_OP_SHL, SOOTH_PTX_OP_SHR, SOOTH_PTX_OP_SETP,
        /* from 18: three */
        SOOTH_PTX_OP_MAD, SOOTH_PTX_OP_SELP};
    unsigned i = 0;
    while (i < 20 && form->opcode != known[i]) ++i;
    if (i == 20 || !soothi_ptx_is_integer(form->type) || !soothi_ptx_is_integer(form->source)) return 0;
    return form->vector != 1 ? 0 : i < 5 ? 1 : i < 18 ? 2 : 3;
}

/* A comparison is the set of orders in which it holds, so its opposite is 7 minus it. */
enum { SOOTHI_PTX_LT = 1, SOOTHI_PTX_EQ, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_NE, SOOTHI_PTX_GE };

/* Returns the comparison of a plain setp such as setp.lt.s32, else 0. .lo .ls .hi .hs are unsigned. */
SOOTHI_LOCAL unsigned soothi_ptx_comparison(const sooth_ptx_form *form) {
    static const char name[10][3] = {"lt", "eq", "le", "gt", "ne", "ge", "lo", "ls", "hi", "hs"};
    static const uint8_t is[10] = {SOOTHI_PTX_LT, SOOTHI_PTX_EQ, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_NE,
                                   SOOTHI_PTX_GE, SOOTHI_PTX_LT, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_GE};
    sooth_ptx_word word[SOOTHI_PTX_MODIFIERS];
    if (form->opcode != SOOTH_PTX_OP_SETP || soothi_ptx_split(form->text, form->length, word) != 3) return 0;
    for (unsigned i = 0; i < 10; ++i)
        if (soothi_ptx_is(word[1], name[i])) return is[i];
    return 0;
}

/* Returns the order of a and b as numbers of this type: LT, EQ or GT. */
SOOTHI_LOCAL unsigned soothi_ptx_order(int64_t a, int64_t b, unsigned type) {
    a = soothi_ptx_wrap(a, type);
    b = soothi_ptx_wrap(b, type);
    if (a == b) return SOOTHI_PTX_EQ;
    return (soothi_ptx_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b) ? SOOTHI_PTX_LT : SOOTHI_PTX_GT;
}

/* Computes the result of an instruction from integer sources. Returns 0 if it cannot be evaluated. Sources
   are read as the type. Arithmetic is modulo 2^64, and the result is truncated to the type's width. */
SOOTHI_LOCAL int soothi_ptx_apply(const sooth_ptx_form *form, const int64_t from[3], int64_t *result) {
    const unsigned type = form->type, bits = soothi_ptx_bits(type);
    const unsigned order = soothi_ptx_order(from[0], from[1], type);
    const int is_signed = soothi_ptx_is_signed(type);
    const int64_t a = soothi_ptx_wrap(from[0], form->source), b = soothi_ptx_wrap(from[1], type), c = from[2];
    const uint64_t ua = (uint64_t)a, ub = (uint64_t)b, shift = (uint64_t)from[1] & UINT32_MAX;
    const uint64_t size_a = is_signed && a < 0 ? 0 - ua : ua, size_b = is_signed && b < 0 ? 0 - ub : ub;
    uint64_t u;
    unsigned comparison;
    switch (form->opcode) {
    case SOOTH_PTX_OP_MOV:
    case SOOTH_PTX_OP_CVT: u = ua; break;
    case SOOTH_PTX_OP_NEG: u = 0 - ua; break;
    case SOOTH_PTX_OP_NOT: u = ~ua; break;
    case SOOTH_PTX_OP_ABS: u = a < 0 ? 0 - ua : ua; break;
    case SOOTH_PTX_OP_ADD: u = ua + ub; break;
    case SOOTH_PTX_OP_SUB: u = ua - ub; break;
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
        u = ua * ub + (form->opcode == SOOTH_PTX_OP_MAD ? (uint64_t)c : 0);
        if (form->flags & SOOTH_PTX_FORM_WIDE) return *result = soothi_ptx_signed(u), bits <= 32;
        if (form->length > 6 && form->text[4] == 'h') return 0; /* mul.hi, mad.hi */
        break;
    case SOOTH_PTX_OP_DIV: /* toward zero */
        if (ub == 0) return 0;
        u = is_signed && (a < 0) != (b < 0) ? 0 - size_a / size_b : size_a / size_b;
        break;
    case SOOTH_PTX_OP_REM:
        if (ub == 0) return 0;
        u = is_signed && a < 0 ? 0 - size_a % size_b : size_a % size_b;
        break;
    case SOOTH_PTX_OP_MIN: u = order == SOOTHI_PTX_LT ? ua : ub; break;
    case SOOTH_PTX_OP_MAX: u = order == SOOTHI_PTX_GT ? ua : ub; break;
    case SOOTH_PTX_OP_AND: u = ua & ub; break;
    case SOOTH_PTX_OP_OR: u = ua | ub; break;
    case SOOTH_PTX_OP_XOR: u = ua ^ ub; break;
    case SOOTH_PTX_OP_SHL: u = shift < bits ? ua << shift : 0; break;
    case SOOTH_PTX_OP_SHR: /* signed: the sign is shifted in */
        u = is_signed && a < 0 ? ~(shift < bits ? ~ua >> shift : 0) : shift < bits ? ua >> shift : 0;
        break;
    case SOOTH_PTX_OP_SETP:
        comparison = soothi_ptx_comparison(form);
        *result = (comparison & order) != 0;
        return comparison != 0;
    case SOOTH_PTX_OP_SELP: u = c & 1 ? (uint64_t)from[0] : (uint64_t)from[1]; break;
    default: return 0;
    }
    *result = soothi_ptx_keep(soothi_ptx_signed(u), bits);
    return 1;
}

/* The position of an instruction that uses a value. */
typedef struct soothi_ptx_use {
    uint32_t instruction, block;
} soothi_ptx_use;

/* Returns 0 if every path from the end of a block to the start of `to` passes through `without`. The walk is
   limited to a few blocks and returns 1 beyond them. */
SOOTHI_LOCAL int soothi_ptx_may_reach(const sooth_ptx *ptx, uint32_t from, uint32_t to, uint32_t without) {
    enum { MOST = 96 };
    uint32_t seen[MOST], count = 1, k, highest = ptx->block[from].order;
    seen[0] = from;
    for (uint32_t at = 0; at < count; ++at) {
        const sooth_ptx_block *block = &ptx->block[seen[at]];
        for (uint32_t i = 0; i < block->edges; ++i) {
            const uint32_t next = ptx->edge[block->edge + i], order = ptx->block[next].order;
            if (next == without) continue;
            if (next == to) return 1;
            for (k = order > highest ? 0 : count; k > 0 && seen[k - 1] != next;) --k;
            if (k > 0) continue;
            if (count == MOST) return 1;
            seen[count++] = next;
            if (order > highest) highest = order;
        }
    }
    return 0;
}

/* True if the definition always executes before the use. */
SOOTHI_LOCAL int soothi_ptx_before(const sooth_ptx *ptx, const soothi_ptx_definition *d, soothi_ptx_use use) {
    if (d->block == use.block) return d->instruction < use.instruction;
    return soothi_ptx_dominates(ptx, d->block, use.block);
}

/* Returns the one definition of a register that certainly reaches a use, or NONE. Definitions within the loop
   `but` are ignored. It is the last definition that dominates the use, if every other definition reaches the
   use only through it. */
SOOTHI_LOCAL uint32_t soothi_ptx_reaching(const soothi_ptx_flow *flow, sooth_ptx_word name,
                                          soothi_ptx_use use, uint32_t but, uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    const uint32_t newest = soothi_ptx_defined(flow, name);
    uint32_t best = SOOTH_PTX_NONE;
    for (int pass = 0; pass < 2; ++pass) { /* the first pass finds the last; the second tests the others */
        for (uint32_t d = newest; d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
            const soothi_ptx_definition *def = &flow->definition[d];
            const int before = soothi_ptx_before(ptx, def, use);
            if (*steps == 0) return SOOTH_PTX_NONE;
            --*steps;
            if (but != SOOTH_PTX_NONE && soothi_ptx_inside(ptx, def->block, but)) continue;
            if (pass == 0 && before) {
                const soothi_ptx_use at = {def->instruction, def->block};
                if (best == SOOTH_PTX_NONE || soothi_ptx_before(ptx, &flow->definition[best], at)) best = d;
            } else if (pass == 1 && !before && ptx->block[def->block].order != SOOTH_PTX_NONE &&
                       soothi_ptx_may_reach(ptx, def->block, use.block, flow->definition[best].block)) {
                return SOOTH_PTX_NONE;
            }
        }
        if (best == SOOTH_PTX_NONE) return best;
    }
    return best;
}

SOOTHI_LOCAL int soothi_ptx_constant(const soothi_ptx_flow *flow, sooth_ptx_word word, soothi_ptx_use use,
                                     unsigned depth, uint32_t *steps, int64_t *value);

/* True if a caller may use `name` for parameter `at` (in variable[]) of function f. With `brief`, the index
   and the name without the function's name are also accepted. */
SOOTHI_LOCAL int soothi_ptx_names_param(const sooth_ptx *ptx, const sooth_ptx_function *f, uint32_t at,
                                        const char *name, int brief) {
    sooth_ptx_word word = ptx->variable[at].name;
    char number[16];
    if (soothi_ptx_is(word, name)) return 1;
    sooth_text_format(number, sizeof number, "%u", at - f->param);
    if (brief && soothi_same_text(number, name)) return 1;
    const size_t n = f->name.length;
    return brief && word.length > n && word.text[n] == '_' &&
           soothi_ptx_same(soothi_ptx_word(word.text, n), f->name) &&
           soothi_ptx_is(soothi_ptx_word(word.text + n + 1, word.length - n - 1), name);
}

SOOTH_API size_t sooth_ptx_param_find(const sooth_ptx *ptx, size_t function, const char *name) {
    const sooth_ptx_function *f = function < ptx->functions ? &ptx->function[function] : NULL;
    for (uint32_t i = 0; f && i < f->params; ++i)
        if (soothi_ptx_names_param(ptx, f, f->param + i, name, 1)) return i;
    return SOOTH_NONE;
}

/* Returns the caller's value of a parameter or special register in *value, if given. */
SOOTHI_LOCAL int soothi_ptx_known(const soothi_ptx_flow *flow, sooth_ptx_word word, int64_t *value) {
    const sooth_ptx_function *f = flow->function;
    uint32_t at = f->param;
    if (flow->values == 0) return 0;
    while (at < f->param + f->params && !soothi_ptx_same(flow->ptx->variable[at].name, word)) ++at;
    const int is_param = at < f->param + f->params, brief = f == &flow->ptx->function[flow->kernel];
    for (size_t i = 0; i < flow->values; ++i) {
        const char *name = flow->value[i].name;
        *value = flow->value[i].value;
        if (is_param ? soothi_ptx_names_param(flow->ptx, f, at, name, brief) : soothi_ptx_is(word, name))
            return 1;
    }
    return 0;
}

/* Computes the result of a definition of `name` from its sources, if they are known. */
SOOTHI_LOCAL int soothi_ptx_result(const soothi_ptx_flow *flow, sooth_ptx_word name, uint32_t definition,
                                   unsigned depth, uint32_t *steps, int64_t *value) {
    const soothi_ptx_definition *d = &flow->definition[definition];
    const sooth_ptx_instruction *ins = &flow->ptx->instruction[d->instruction];
    const sooth_ptx_form *form = soothi_ptx_form(flow->ptx, ins);
    const soothi_ptx_use use = {d->instruction, d->block};
    sooth_ptx_word operand[4];
    int64_t from[3] = {0, 0, 0};
    size_t sources = soothi_ptx_sources(form);
    if (ins->flags & SOOTH_PTX_IS_PREDICATED) return 0;
    size_t n = sooth_ptx_operands(flow->ptx, ins, operand, 4);
    if (form->opcode == SOOTH_PTX_OP_LD && ins->kind == SOOTH_PTX_KIND_PARAM_LOAD && n == 2 &&
        form->vector == 1 && operand[1].length > 2) {
        const sooth_ptx_word inside = soothi_ptx_word(operand[1].text + 1, operand[1].length - 2);
        if (!soothi_ptx_is_integer(form->type) || !soothi_ptx_known(flow, inside, value)) return 0;
        *value = soothi_ptx_keep(*value, soothi_ptx_bits(form->type));
        return 1;
    }
    if (sources == 0 || n != sources + 1 || !soothi_ptx_same(operand[0], name)) return 0;
    for (size_t i = 0; i < sources; ++i)
        if (!soothi_ptx_constant(flow, operand[i + 1], use, depth + 1, steps, &from[i])) return 0;
    return soothi_ptx_apply(form, from, value);
}

/* Computes the value of an operand at its use: a number, a value from the caller, or a register that is
   certainly defined from such values. Limited to a depth of 12 and to `steps` operands. */
SOOTHI_LOCAL int soothi_ptx_constant(const soothi_ptx_flow *flow, sooth_ptx_word word, soothi_ptx_use use,
                                     unsigned depth, uint32_t *steps, int64_t *value) {
    const uint32_t *block = flow->function->reqntid;
    const size_t sign = word.length && word.text[0] == '-' ? 1 : 0;
    uint64_t u;
    if (depth > 12 || *steps == 0) return 0;
    --*steps;
    if (word.length > sign && soothi_ptx_char(word.text[sign]) == SOOTHI_PTX_DIGIT) {
        if (soothi_ptx_whole(word.text + sign, word.text + word.length, &u) != word.length - sign) return 0;
        *value = soothi_ptx_signed(sign ? 0 - u : u);
        return 1;
    }
    if (soothi_ptx_is(word, "WARP_SZ")) return *value = 32, 1;
    if (soothi_ptx_defined(flow, word) != SOOTH_PTX_NONE) {
        const uint32_t d = soothi_ptx_reaching(flow, word, use, SOOTH_PTX_NONE, steps);
        return d != SOOTH_PTX_NONE && soothi_ptx_result(flow, word, d, depth, steps, value);
    }
    if (word.length == 0 || word.text[0] != '%') return 0;
    if (soothi_ptx_known(flow, word, value)) return 1;
    if (block[0] == 0 || word.length != 7 || !soothi_ptx_is(soothi_ptx_word(word.text, 6), "%ntid.") ||
        word.text[6] < 'x' || word.text[6] > 'z')
        return 0;
    *value = block[word.text[6] - 'x'];
    return 1;
}

/* Returns the predicate of an instruction. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_predicate(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    const char *end = ptx->text + ins->at + ins->skip, *p = soothi_ptx_skip(ptx->text + ins->at + 1, end);
    if (ins->flags & SOOTH_PTX_IS_NEGATED) p = soothi_ptx_skip(p + 1, end);
    return soothi_ptx_name(p, end);
}

/* Returns 1 or 0 if the predicated branch at the end of block b is known to be taken or not, else -1. */
SOOTHI_LOCAL int soothi_ptx_is_taken(const soothi_ptx_flow *flow, uint32_t b) {
    const sooth_ptx_block *block = &flow->ptx->block[b];
    const soothi_ptx_use use = {block->first + block->count - 1, b};
    const sooth_ptx_instruction *branch = &flow->ptx->instruction[use.instruction];
    uint32_t steps = 200;
    int64_t value;
    if (!soothi_ptx_constant(flow, soothi_ptx_predicate(flow->ptx, branch), use, 0, &steps, &value))
        return -1;
    return (value & 1) != ((branch->flags & SOOTH_PTX_IS_NEGATED) != 0);
}

/* ---- static trip counts ----
 *
 * A trip count can be derived if one test, executed in every iteration, is the only exit. Everything that the
 * test depends on must be computed once per iteration from numbers, from values known on entry, and from
 * itself. These instructions are the slice, and they are simply executed: loops that halve, shift or multiply
 * end within 128 iterations. If the slice only adds and multiplies by constants, an iteration is a linear map
 * of its registers, x' = Ax + b. If they grow by the same d in two iterations, then Ad = d. So they grow by d
 * in every iteration, until one leaves the range of its type. One division gives the remaining trips:
 * soothi_ptx_iterate has an example.
 */

enum { SOOTHI_PTX_SLICE = 24, SOOTHI_PTX_TRIED = 128 };

typedef struct soothi_ptx_register {
    sooth_ptx_word name;
    int is_known;   /* on entry, and then during the iterations */
    int is_changed; /* within the loop */
    int64_t value;
    int64_t before, step; /* its value after the last iteration, and its growth in that iteration */
    uint32_t bits;        /* width of the result of the instruction that changes it */
} soothi_ptx_register;

typedef struct soothi_ptx_step {
    const sooth_ptx_form *form;
    uint32_t instruction, order; /* order: of its block */
    uint32_t to;
    uint32_t from[3];  /* registers; NONE: a number, */
    int64_t number[3]; /* this */
} soothi_ptx_step;

typedef struct soothi_ptx_slice {
    const soothi_ptx_flow *flow;
    uint32_t loop;
    soothi_ptx_register reg[SOOTHI_PTX_SLICE];
    uint32_t regs;
    soothi_ptx_step step[SOOTHI_PTX_SLICE];
    uint32_t steps;
    uint32_t budget; /* for values on entry */
} soothi_ptx_slice;

/* Returns the index of a register in the slice, after adding a new one. Returns NONE if the slice is full. */
SOOTHI_LOCAL uint32_t soothi_ptx_register_of(soothi_ptx_slice *s, sooth_ptx_word name) {
    uint32_t k;
    for (k = 0; k < s->regs; ++k)
        if (soothi_ptx_same(s->reg[k].name, name)) return k;
    if (k == SOOTHI_PTX_SLICE) return SOOTH_PTX_NONE;
    memset(&s->reg[k], 0, sizeof s->reg[k]);
    s->reg[k].name = name;
    return s->regs++;
}

/* Finds the value of register k on entry and the instruction that changes it within the loop. The sources of
   that instruction become registers of the slice. Returns 0 if the trip count cannot be derived. */
SOOTHI_LOCAL int soothi_ptx_trace(soothi_ptx_slice *s, uint32_t k) {
    const soothi_ptx_flow *flow = s->flow;
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_loop *loop = &ptx->loop[s->loop];
    const sooth_ptx_word name = s->reg[k].name;
    const soothi_ptx_use entry = {ptx->block[loop->header].first, loop->header};
    sooth_ptx_word operand[4];
    uint32_t d, within = SOOTH_PTX_NONE;
    for (d = soothi_ptx_defined(flow, name); d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
        if (s->budget == 0) return 0;
        --s->budget;
        if (!soothi_ptx_inside(ptx, flow->definition[d].block, s->loop)) continue;
        if (within != SOOTH_PTX_NONE) return 0;
        within = d;
    }
    d = soothi_ptx_reaching(flow, name, entry, s->loop, &s->budget);
    if (d != SOOTH_PTX_NONE)
        s->reg[k].is_known = soothi_ptx_result(flow, name, d, 0, &s->budget, &s->reg[k].value);
    if (within == SOOTH_PTX_NONE) return s->reg[k].is_known;
    const soothi_ptx_definition *def = &flow->definition[within];
    const sooth_ptx_instruction *ins = &ptx->instruction[def->instruction];
    const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
    uint32_t n = soothi_ptx_sources(form);
    if (ins->kind == SOOTH_PTX_KIND_PARAM_LOAD && flow->definition[soothi_ptx_defined(flow, name)].next ==
                                                      SOOTH_PTX_NONE) /* loaded again: a constant */
        return s->reg[k].is_known = soothi_ptx_result(flow, name, within, 0, &s->budget, &s->reg[k].value);
    if (n == 0 || (ins->flags & SOOTH_PTX_IS_PREDICATED) || ptx->block[def->block].loop != s->loop ||
        !soothi_ptx_dominates(ptx, def->block, loop->last) ||
        sooth_ptx_operands(ptx, ins, operand, 4) != n + 1 || !soothi_ptx_same(operand[0], name))
        return 0;
    s->reg[k].is_changed = 1;
    s->reg[k].bits = soothi_ptx_bits(form->type) * (form->flags & SOOTH_PTX_FORM_WIDE ? 2 : 1);
    soothi_ptx_step *step = &s->step[s->steps++];
    memset(step, 0, sizeof *step);
    step->form = form;
    step->instruction = def->instruction;
    step->order = ptx->block[def->block].order;
    step->to = k;
    step->from[0] = step->from[1] = step->from[2] = SOOTH_PTX_NONE;
    for (uint32_t i = 0; i < n; ++i) {
        if (soothi_ptx_defined(flow, operand[i + 1]) == SOOTH_PTX_NONE) {
            if (!soothi_ptx_constant(flow, operand[i + 1], entry, 0, &s->budget, &step->number[i])) return 0;
        } else {
            step->from[i] = soothi_ptx_register_of(s, operand[i + 1]);
            if (step->from[i] == SOOTH_PTX_NONE) return 0;
        }
    }
    return 1;
}

/* Sorts the instructions by their order within an iteration. */
SOOTHI_LOCAL void soothi_ptx_sort_steps(soothi_ptx_slice *s) {
    uint32_t k;
    for (uint32_t i = 1; i < s->steps; ++i) {
        const soothi_ptx_step t = s->step[i];
        for (k = i; k > 0; --k) {
            const soothi_ptx_step *before = &s->step[k - 1];
            if (before->order < t.order || (before->order == t.order && before->instruction < t.instruction))
                break;
            s->step[k] = *before;
        }
        s->step[k] = t;
    }
}

/* Runs step i and stores its sources in from[]. Returns 0 if a source is unknown. */
SOOTHI_LOCAL int soothi_ptx_run(soothi_ptx_slice *s, uint32_t i, int64_t from[3]) {
    const soothi_ptx_step *step = &s->step[i];
    soothi_ptx_register *to = &s->reg[step->to];
    int64_t value;
    for (unsigned k = 0; k < 3; ++k) {
        from[k] = step->number[k];
        if (step->from[k] == SOOTH_PTX_NONE) continue;
        if (!s->reg[step->from[k]].is_known) return 0;
        from[k] = s->reg[step->from[k]].value;
    }
    if (!soothi_ptx_apply(step->form, from, &value)) return 0;
    to->value = value;
    to->is_known = 1;
    return 1;
}

/* True if r does not overflow this sign and width in `times` more steps. For 64 bits a quarter of the range
   is allowed, so that differences of two such numbers, and of their steps, fit in 64 bits. */
SOOTHI_LOCAL int soothi_ptx_in_range(const soothi_ptx_register *r, uint64_t times, uint32_t bits,
                                     int is_signed) {
    const int64_t v = r->value, step = r->step;
    const int64_t limit = (int64_t)1 << (bits > 61 ? 61 : is_signed ? bits - 1 : bits);
    const int64_t least = is_signed ? -limit : 0;
    const uint64_t pace = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    if (v >= limit || v < least) return 0;
    uint64_t left = step < 0 ? (uint64_t)v - (uint64_t)least : (uint64_t)limit - 1 - (uint64_t)v;
    return pace == 0 || times <= left / pace;
}

/* True if step i is linear in the registers for this many iterations: no register leaves its range, nor the
   range of a type in which it is widened. */
SOOTHI_LOCAL int soothi_ptx_is_linear(const soothi_ptx_slice *s, uint32_t i, uint64_t times) {
    const soothi_ptx_step *step = &s->step[i];
    const sooth_ptx_form *form = step->form;
    const soothi_ptx_register *to = &s->reg[step->to];
    unsigned changed[2];
    for (unsigned k = 0; k < 2; ++k)
        changed[k] = step->from[k] != SOOTH_PTX_NONE && s->reg[step->from[k]].is_changed;
    if (form->opcode == SOOTH_PTX_OP_SETP || form->type == SOOTH_PTX_TYPE_PRED)
        return 1; /* a predicate: the caller handles the test */
    switch (form->opcode) {
    case SOOTH_PTX_OP_MOV:
    case SOOTH_PTX_OP_ADD:
    case SOOTH_PTX_OP_SUB:
    case SOOTH_PTX_OP_NEG:
    case SOOTH_PTX_OP_CVT: break;
    case SOOTH_PTX_OP_SHL:
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
        if (changed[1] && (changed[0] || form->opcode == SOOTH_PTX_OP_SHL)) return 0;
        break;
    default: return 0;
    }
    if (form->opcode == SOOTH_PTX_OP_CVT || (form->flags & SOOTH_PTX_FORM_WIDE))
        for (unsigned k = 0; k < 2; ++k) {
            const soothi_ptx_register *from = changed[k] ? &s->reg[step->from[k]] : NULL;
            if (from && !soothi_ptx_in_range(from, times, soothi_ptx_bits(form->source),
                                             soothi_ptx_is_signed(form->source)))
                return 0;
        }
    return soothi_ptx_in_range(to, times, to->bits, 1);
}

/* Returns after how many more iterations a comparison of a and b first fails. It held so far, and its sides
   grow by da and db an iteration. Returns 0 if unknown. (If a and b stayed equal, both grew by the same
   amount.) */
SOOTHI_LOCAL uint64_t soothi_ptx_iterations_left(unsigned comparison, int64_t a, int64_t b, int64_t da,
                                                 int64_t db) {
    int64_t x = a - b, s = da - db;
    if (s == 0) return 0;
    if (comparison == SOOTHI_PTX_GT || comparison == SOOTHI_PTX_GE ||
        (comparison == SOOTHI_PTX_NE && s < 0)) {
        x = -x; /* swaps a and b */
        s = -s;
    }
    if (s < 0 || x > 0) return 0;
    uint64_t distance = (uint64_t)-x;
    uint64_t pace = (uint64_t)s;
    if (comparison == SOOTHI_PTX_NE) return distance % pace ? 0 : distance / pace;
    if (comparison == SOOTHI_PTX_LT || comparison == SOOTHI_PTX_GT)
        return distance / pace + (distance % pace != 0);
    return distance / pace + 1; /* x <= 0 */
}

/* Returns the step that defines register p, or `steps`. */
SOOTHI_LOCAL uint32_t soothi_ptx_defining_step(const soothi_ptx_slice *s, uint32_t p) {
    uint32_t i = 0;
    while (i < s->steps && s->step[i].to != p) ++i;
    return i;
}

/* True if both sides of a comparison stay within its type. */
SOOTHI_LOCAL int soothi_ptx_sides_in_range(const soothi_ptx_register side[2], uint64_t times, unsigned type) {
    const uint32_t bits = soothi_ptx_bits(type);
    const int is_signed = soothi_ptx_is_signed(type);
    return soothi_ptx_in_range(&side[0], times, bits, is_signed) &&
           soothi_ptx_in_range(&side[1], times, bits, is_signed);
}

/* Ends an iteration for a register. Returns whether it grew by the same amount as in the previous
   iteration. */
SOOTHI_LOCAL int soothi_ptx_steady(soothi_ptx_register *r) {
    const int64_t last = r->step;
    r->step = soothi_ptx_signed((uint64_t)r->value - (uint64_t)r->before);
    r->before = r->value;
    return r->step == last;
}

/* Returns the iteration, from 1, in which the test exits the loop; 0 if not found. `leaves` is the value of
   the predicate p that exits. The test ends the block with this order.

   For example, for (i = 0; i < n; i += 4) with n = 1000 is compiled to

       LOOP: ...; add.s32 %i, %i, 4; setp.lt.s32 %p, %i, 1000; @%p bra LOOP;

   The steps are add and setp. Iterations 1 to 3 are run: %i is 4, 8, 12, and the sides of the test grow by 4
   and 0 each time. From the third on this repeats, so the comparison 12 < 1000 fails after (1000 - 12) / 4 =
   247 more iterations: the loop exits in iteration 250. */
SOOTHI_LOCAL uint64_t soothi_ptx_iterate(soothi_ptx_slice *s, uint32_t p, int leaves, uint32_t order) {
    soothi_ptx_register side[2]; /* of the test, as numbers of its type */
    const soothi_ptx_step *test;
    uint32_t i, maker;
    for (;;) { /* if p = !q, test q: a step sets p after q */
        maker = soothi_ptx_defining_step(s, p);
        test = &s->step[maker];
        if (test->form->opcode != SOOTH_PTX_OP_NOT || test->order > order ||
            test->from[0] == SOOTH_PTX_NONE || soothi_ptx_defining_step(s, test->from[0]) >= maker)
            break;
        p = test->from[0];
        leaves = !leaves;
    }
    unsigned comparison = soothi_ptx_comparison(test->form); /* that holds while the loop continues */
    if (leaves && comparison) comparison = 7 - comparison;
    memset(side, 0, sizeof side);
    for (uint64_t iteration = 1; iteration <= SOOTHI_PTX_TRIED; ++iteration) {
        int steady = iteration > 2 && comparison;
        int64_t from[3];
        for (i = 0; i < s->steps && s->step[i].order <= order; ++i) {
            if (!soothi_ptx_run(s, i, from)) return 0;
            for (uint32_t k = 0; k < 2 && i == maker; ++k)
                side[k].value = soothi_ptx_wrap(from[k], test->form->type);
        }
        if (!s->reg[p].is_known) return 0;
        if ((s->reg[p].value & 1) == leaves) return iteration;
        for (; i < s->steps; ++i)
            if (!soothi_ptx_run(s, i, from)) return 0;
        for (uint32_t k = 0; k < s->regs; ++k) steady &= soothi_ptx_steady(&s->reg[k]);
        for (uint32_t k = 0; k < 2; ++k) steady &= soothi_ptx_steady(&side[k]);
        if (!steady || !soothi_ptx_sides_in_range(side, 1, test->form->type)) continue;
        const uint64_t more =
            soothi_ptx_iterations_left(comparison, side[0].value, side[1].value, side[0].step, side[1].step);
        if (more == 0 || !soothi_ptx_sides_in_range(side, more, test->form->type)) continue;
        for (i = 0; i < s->steps && soothi_ptx_is_linear(s, i, more); ++i) {}
        if (i == s->steps) return iteration + more;
    }
    return 0;
}

/* Returns the trip count of a loop, or -1. */
SOOTHI_LOCAL double soothi_ptx_derive(const soothi_ptx_flow *flow, uint32_t number) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_loop *loop = &ptx->loop[number];
    soothi_ptx_slice s;
    if (loop->test == SOOTH_PTX_NONE) return -1.0;
    const sooth_ptx_block *block = &ptx->block[loop->test];
    if (soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) return -1.0;
    /* one successor stays in the loop, the other leaves it */
    const sooth_ptx_instruction *branch = &ptx->instruction[block->first + block->count - 1];
    int leaves = !soothi_ptx_inside(ptx, branch->target, number); /* taken: leaves */
    if (branch->flags & SOOTH_PTX_IS_NEGATED) leaves = !leaves;
    s.flow = flow;
    s.loop = number;
    s.regs = s.steps = 0;
    s.budget = 1000;
    uint32_t predicate = soothi_ptx_register_of(&s, soothi_ptx_predicate(ptx, branch));
    for (uint32_t k = 0; k < s.regs; ++k)
        if (!soothi_ptx_trace(&s, k)) return -1.0;
    if (!s.reg[predicate].is_changed) return -1.0;
    soothi_ptx_sort_steps(&s);
    uint64_t iteration = soothi_ptx_iterate(&s, predicate, leaves, block->order);
    if (iteration == 0) return -1.0;
    return (double)(loop->test_is_last ? iteration : iteration - 1);
}

/* ---- generic addresses ---- */

/* Returns the memory space that a register always points into: it comes from cvta.shared, cvta.local or mapa,
   or from adding to such a pointer. Returns SOOTH_PTX_CLASSES for any space. */
SOOTHI_LOCAL unsigned soothi_ptx_pointer_space(const soothi_ptx_flow *flow, sooth_ptx_word name,
                                               unsigned depth, uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    unsigned space = SOOTH_PTX_CLASSES, one;
    for (uint32_t d = soothi_ptx_defined(flow, name); d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
        const sooth_ptx_instruction *ins = &ptx->instruction[flow->definition[d].instruction];
        const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
        sooth_ptx_word operand[4], word[SOOTHI_PTX_MODIFIERS];
        if (depth > 12 || *steps == 0) return SOOTH_PTX_CLASSES;
        --*steps;
        size_t n = sooth_ptx_operands(ptx, ins, operand, 4);
        if (n < 2 || n > 3 || !soothi_ptx_same(operand[0], name)) return SOOTH_PTX_CLASSES;
        one = SOOTH_PTX_CLASSES;
        if (form->opcode == SOOTH_PTX_OP_CVTA) { /* cvta.to yields no space here */
            if (soothi_ptx_split(form->text, form->length, word) > 1) one = soothi_ptx_find_space(word[1]);
        } else if (form->opcode == SOOTH_PTX_OP_MAPA) { /* of another block of the cluster */
            one = SOOTH_PTX_CLASS_SHARED;
        } else if (form->opcode == SOOTH_PTX_OP_ADD || form->opcode == SOOTH_PTX_OP_SUB ||
                   form->opcode == SOOTH_PTX_OP_MOV) {
            if (soothi_ptx_same(operand[1], name)) continue; /* p = p + 4 */
            for (size_t i = 1; i < n && one == SOOTH_PTX_CLASSES; ++i)
                one = soothi_ptx_pointer_space(flow, operand[i], depth + 1, steps);
        }
        if (one == SOOTH_PTX_CLASSES || (space != SOOTH_PTX_CLASSES && one != space))
            return SOOTH_PTX_CLASSES;
        space = one;
    }
    return space;
}

/* Sets the space of a function's generic accesses that their addresses determine. */
SOOTHI_LOCAL void soothi_ptx_resolve_generic(sooth_ptx *ptx, const soothi_ptx_flow *flow,
                                             const sooth_ptx_function *f) {
    for (uint32_t i = f->instruction; i < f->instruction + f->instructions; ++i) {
        sooth_ptx_instruction *ins = &ptx->instruction[i];
        const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
        sooth_ptx_word operand[2];
        uint32_t steps = 64;
        unsigned space = SOOTH_PTX_CLASSES, rule = soothi_ptx_rule(form->opcode);
        if (!(form->flags & SOOTH_PTX_FORM_GENERIC)) continue;
        if (rule == SOOTHI_PTX_RULE_WMMA)
            rule = form->kind == SOOTH_PTX_KIND_GLOBAL_LOAD ? SOOTHI_PTX_RULE_LOAD : SOOTHI_PTX_RULE_STORE;
        size_t n = sooth_ptx_operands(ptx, ins, operand, 2);
        for (size_t k = 0; k < n && k < 2; ++k) {
            const char *p = operand[k].text, *const end = p + operand[k].length;
            if (p == end || *p != '[') continue;
            space =
                soothi_ptx_pointer_space(flow, soothi_ptx_name(soothi_ptx_skip(p + 1, end), end), 0, &steps);
            break;
        }
        if (space == SOOTH_PTX_CLASSES) continue;
        ins->kind = (uint8_t)soothi_ptx_access(rule, space);
        ins->flags |= SOOTH_PTX_IS_RESOLVED;
    }
}

/* Analyses the instructions and edges of function g->f: graph, loops, trips, and generic addresses if it has
   any. Returns 0 if out of memory. */
SOOTHI_LOCAL int soothi_ptx_analyse(soothi_ptx_graph *g, soothi_ptx_flow *flow, int has_generic) {
    sooth_ptx *ptx = g->ptx;
    const sooth_ptx_function *f = g->f;
    soothi_carver at = {NULL, 0};
    soothi_ptx_graph_layout(&at, g);
    at.memory = (unsigned char *)(void *)soothi_ptx_scratch(g, at.used / sizeof(uint32_t));
    if (!at.memory) return 0;
    at.used = 0;
    soothi_ptx_graph_layout(&at, g);
    soothi_ptx_walk(g);
    soothi_ptx_predecessors(g);
    soothi_ptx_dominators(g);
    if (!soothi_ptx_loops(g)) return 0;
    soothi_ptx_renumber(g);
    soothi_ptx_exits(ptx, f);
    if (f->loops == 0 && !has_generic) return 1;
    if (!soothi_ptx_follow(flow, f)) return 0;
    for (uint32_t l = f->loop; l < f->loop + f->loops; ++l) ptx->loop[l].trip = soothi_ptx_derive(flow, l);
    if (has_generic) soothi_ptx_resolve_generic(ptx, flow, f);
    return 1;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
