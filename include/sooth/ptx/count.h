/* ptx/count.h - how often everything in a GPU kernel is expected to run: instructions, bytes, calls.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Counts the work of one thread of a kernel, from its PTX (ptx.h): per class, kind, opcode and block, bytes
 * by memory, called functions included. The trip count of a loop is given by the caller, derived from the
 * code, or assumed; the result states which. If the caller's values decide a branch, only that side runs.
 * Otherwise both sides run, unless the caller gives a probability.
 *
 * A warp executes mma and wmma together, a warpgroup wgmma: a thread has its share of their operations
 * (ptx/tensor.h). What one thread issues for its block is counted apart, because the share of a thread needs
 * the size of the block: tcgen05.mma, and bulk copies that run only if elect.sync elects the thread or if
 * %tid equals a number. A bulk copy without such a test is issued by each thread that reaches it.
 *
 * What runs for certain can be counted alone (`certain`): nothing on one side of a branch that is undecided,
 * and no instruction with a predicate. A block on every path has the same weight if each side of every
 * undecided branch has half of it, as if both have all of it; other blocks have less. What one thread issues
 * for its block runs, whichever thread is elected.
 *
 * A warp issues in order and waits for operands. So a loop takes no less than its longest chain of dependent
 * instructions from one iteration to the next: the growth of a simulation in which each register is ready a
 * latency after its sources. The assembler merges instructions, so only these are links: fma, add, and mul
 * with a rounding modifier (PTX ISA: without one, mul and add may be fused) are one; logic, shifts, integer
 * products, min and max are a half; other integers, moves, conversions and comparisons are none. Loads are
 * links of their own kind. Logic that a loop applies to the same three words again and again may be merged
 * further (gpu/roofline.h).
 *
 * The size of a copy by a tensor map is not in PTX. But a barrier awaits exactly the bytes that its copies
 * bring (mbarrier.expect_tx). So the bytes that are expected and that no other copy brings are those of the
 * loads by tensor maps, unless other blocks of the cluster send some.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/ptx.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n.address_size 64\n"
 *             ".entry sum() {\n.reg .b32 %i; .reg .f32 %f<3>; .reg .b64 %a; .reg .pred %p;\n"
 *             "mov.u32 %i, 0;\n"
 *             "LOOP: ld.global.f32 %f1, [%a];\n"
 *             "add.f32 %f2, %f2, %f1;\nadd.s64 %a, %a, 4;\nadd.s32 %i, %i, 1;\n"
 *             "setp.lt.u32 %p, %i, 100;\n@%p bra LOOP;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_counts counts;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_ptx_count(&env, &ptx, 0, NULL, &counts) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g instructions, ", counts.total);                          //> 602 instructions,
 *         printf("%g loads of ", counts.kind[SOOTH_PTX_KIND_GLOBAL_LOAD]);    //> 100 loads of
 *         printf("%g bytes\n", counts.loaded[SOOTH_PTX_CLASS_GLOBAL]);        //> 400 bytes
 *         sooth_ptx_counts_free(&env, &ptx, &counts);
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Cost: one pass over the functions that the kernel uses, and with values one more over those with loops. The
 * counts take 8 bytes for each form, block and loop of the module. Working memory is about 20 bytes for each
 * block.
 */
#if !defined(SOOTH_PTX_COUNT_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_COUNT_H
SOOTHI_C_BEGIN

/* ---- counting ---- */

/* The caller's value for a loop or a branch. A loop is named by the label of its header, or by a line of the
   PTX inside it (of its innermost loop). A branch is named by its target label or by its own line. */
typedef struct sooth_ptx_given {
    const char *label; /* or NULL */
    uint32_t line;     /* if label is NULL */
    double value;      /* trips per entry, >= 0; or the probability that the branch is taken, 0 to 1 */
} sooth_ptx_given;

/* The caller's knowledge. Zero bytes mean that loops without a derived trip count run once, and that calls
   are followed. Both sides of every branch run, as in a warp whose threads diverge. */
typedef struct sooth_ptx_count_options {
    const sooth_ptx_given *loop;
    size_t loops;
    const sooth_ptx_given *branch; /* forward ones; those that end or repeat a loop use its trips */
    size_t branches;
    const sooth_ptx_value *value; /* with them, more trip counts and branches are derived */
    size_t values;
    double default_trip;        /* of loops with unknown trips; 0 means 1 */
    double default_probability; /* of branches not given; 0: both sides run */
    uint32_t each_once;         /* 1: every instruction counts once, calls are not followed */
    uint32_t as_published; /* 1: algorithm 2 of the paper: blocks with a back edge count default_trip times */
    uint32_t certain;      /* 1: only what runs for certain */
} sooth_ptx_count_options;

/* The kinds of links in a chain of dependent instructions: name, nominal cycles to choose the longest by. */
#define SOOTH_PTX_LINK_LIST(X)                                         \
    X(STEP, 4)    /* arithmetic of 32 or 64 bits, special functions */ \
    X(HALF, 3)    /* arithmetic of half precision */                   \
    X(SHARED, 20) /* a load of shared memory */                        \
    X(LOAD, 30)   /* a load of global or local memory */

typedef enum sooth_ptx_link {
#define SOOTHI_ITEM(name, cycles) SOOTH_PTX_LINK_##name,
    SOOTH_PTX_LINK_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_LINKS
} sooth_ptx_link;

/* The source of a trip count. */
typedef enum sooth_ptx_origin {
    SOOTH_PTX_TRIP_NOT_REACHED = 0, /* the kernel never reaches the loop */
    SOOTH_PTX_TRIP_GIVEN,           /* given by the caller */
    SOOTH_PTX_TRIP_DERIVED,         /* derived from the code (with the caller's values) */
    SOOTH_PTX_TRIP_ASSUMED          /* the default */
} sooth_ptx_origin;

/* The work of one thread, and what one thread issues for its block. */
typedef struct sooth_ptx_counts {
    double total;                    /* instructions of one thread */
    double group[SOOTH_PTX_CLASSES]; /* by class */
    double kind[SOOTH_PTX_KINDS];
    double opcode[SOOTH_PTX_OPCODES];
    double loaded[SOOTH_PTX_CLASSES];       /* bytes by class of memory; */
    double stored[SOOTH_PTX_CLASSES];       /* includes atomics */
    double tensor[SOOTH_PTX_TENSORS];       /* operations of matrix products: a thread's share */
    double block_tensor[SOOTH_PTX_TENSORS]; /* of a block: those of tcgen05.mma; */
    double block_loaded[SOOTH_PTX_CLASSES]; /* bytes of its bulk copies that one thread issues */
    double block_stored[SOOTH_PTX_CLASSES];
    double *form;    /* per form of the module */
    double *block;   /* per block of the module: how often it runs */
    double *trip;    /* per loop of the module: trips per entry; */
    uint8_t *origin; /* and their source, sooth_ptx_origin */
    uint8_t *both;   /* per block of the module: 1: its branch is undecided */
    /* Copies whose bytes are not counted, because a tensor map has them, or a register without a derived
       value: those of a thread, and those that one thread issues for its block. */
    double unsized, block_unsized;
    double awaited; /* loads by tensor maps whose bytes are counted, because a barrier awaits them */
    /* Matrix products without counted operations: of a newer ISA, and tcgen05.mma of a block whose descriptor
       has no derived value. */
    double unshaped, block_unshaped;
    double unknown; /* instructions with unknown opcodes */
    /* Accesses of shared memory by a thread, at least: those of a block with one base register may be merged
       to 16 bytes each. */
    double shared;
    double table;                  /* bytes of global loads from variables of the module */
    double chain[SOOTH_PTX_LINKS]; /* of the kernel's own loops, with `certain` alone */
    double indirect;               /* calls with an unknown callee, */
    double bodiless;               /* or not in this file: they count as one instruction */
    uint32_t assumed;              /* loops with the default trip count */
    uint32_t undecided;            /* branches of which both sides count (with `certain`: neither) */
    uint32_t recursive;            /* calls back to their own function, which are not followed */
    uint32_t irreducible;          /* see sooth_ptx_function; of all functions reached */
    uint64_t shared_bytes;         /* static, of all functions reached */
    uint64_t local_bytes;          /* the maximum over these functions; without the stack of calls */
} sooth_ptx_counts;

/* Counts what one thread of a kernel (or function) is expected to execute. trips NULL means zero bytes.
   Returns SOOTH_BAD_ARGUMENT if the function has no body, or if a given loop, branch or value does not exist.
   Returns SOOTH_BAD_TEXT if a required function has a syntax error. out->assumed is the number of loops with
   assumed trips. */
SOOTH_API sooth_status sooth_ptx_count(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                       const sooth_ptx_count_options *trips, sooth_ptx_counts *out);

/* Frees what sooth_ptx_count allocated and clears *counts. */
SOOTH_API void sooth_ptx_counts_free(sooth_env *env, const sooth_ptx *ptx, sooth_ptx_counts *counts);

/* ---- listing ---- */

/* Writes the blocks and loops of a function, with the counts unless they are NULL. Returns SOOTH_BAD_ARGUMENT
   if the function does not exist, and SOOTH_CANCELLED if the sink failed. */
SOOTH_API sooth_status sooth_ptx_write_function(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                                const sooth_ptx_counts *counts, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_PTX_COUNT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_COUNT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_COUNT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- counting ---- */

/* The state of one count; arrays over the whole module. */
typedef struct soothi_ptx_counting {
    soothi_ptx_memory memory;
    const sooth_ptx *ptx;
    const sooth_ptx_count_options *trips;
    sooth_ptx_counts *out;
    double *probability; /* per block: of taking its branch; -1: not given */
    double *reach;       /* per block: runs for one entry of its innermost loop */
    double *half, *once; /* per block, with `certain`: see soothi_ptx_reach; and for what is elected */
    double *times;       /* per function: number of calls */
    uint32_t *place;     /* per function: index in `order`, from the end; NONE: not reached */
    uint32_t *order;     /* functions, callees before callers */
    /* per function and one more, twice: functions, and the position in their instructions */
    uint32_t *stack;
    uint32_t *sorted; /* per block: those of the current function in reverse post-order */
    uint32_t reached;
    uint32_t root;  /* the function that is counted */
    int has_sized;  /* some work in the module is given by operands */
    int has_tables; /* the module has variables in global memory */
    soothi_ptx_flow flow;
    /* of a thread, and of a block: bytes that barriers await, and that copies of known size bring; loads by
       tensor maps */
    double awaited[2], brought[2], mapped[2];
    int is_awaited_unknown; /* some of these bytes are not known, or come from another block */
} soothi_ptx_counting;

/* Lays out the arrays of a count. */
SOOTHI_LOCAL void soothi_ptx_counting_layout(soothi_carver *at, soothi_ptx_counting *c) {
    const size_t functions = c->ptx->functions, blocks = c->ptx->blocks;
    c->probability = (double *)soothi_carve(at, blocks, sizeof(double));
    c->reach = (double *)soothi_carve(at, blocks, sizeof(double));
    c->half = (double *)soothi_carve(at, c->trips->certain ? blocks : 0, sizeof(double));
    c->once = (double *)soothi_carve(at, c->trips->certain ? blocks : 0, sizeof(double));
    c->times = (double *)soothi_carve(at, functions, sizeof(double));
    c->place = (uint32_t *)soothi_carve(at, functions, sizeof(uint32_t));
    c->order = (uint32_t *)soothi_carve(at, functions, sizeof(uint32_t));
    c->sorted = (uint32_t *)soothi_carve(at, blocks, sizeof(uint32_t));
    c->stack = (uint32_t *)soothi_carve(at, 2 * functions + 2, sizeof(uint32_t));
}

/* Lays out the arrays of its result. */
SOOTHI_LOCAL void soothi_ptx_counts_layout(soothi_carver *at, const sooth_ptx *ptx, sooth_ptx_counts *out) {
    out->form = (double *)soothi_carve(at, ptx->forms, sizeof(double));
    out->block = (double *)soothi_carve(at, ptx->blocks, sizeof(double));
    out->trip = (double *)soothi_carve(at, ptx->loops, sizeof(double));
    out->origin = (uint8_t *)soothi_carve(at, ptx->loops, 1);
    out->both = (uint8_t *)soothi_carve(at, ptx->blocks, 1);
}

SOOTH_API void sooth_ptx_counts_free(sooth_env *env, const sooth_ptx *ptx, sooth_ptx_counts *counts) {
    soothi_carver at = {NULL, 0};
    void *memory = counts->form;
    soothi_ptx_counts_layout(&at, ptx, counts);
    sooth_free(env, memory, at.used, 1);
    memset(counts, 0, sizeof *counts);
}

/* True if the count reaches the function. */
SOOTHI_LOCAL int soothi_ptx_is_reached(const soothi_ptx_counting *c, uint32_t function) {
    return function != SOOTH_PTX_NONE && c->place[function] != SOOTH_PTX_NONE;
}

/* Lists the functions that the root calls, directly or not, in order[], callees before callers. The walk is
   depth first. A call of a function still in progress is recursion. */
SOOTHI_LOCAL void soothi_ptx_callees(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    uint32_t *at = c->stack + ptx->functions + 1;
    uint32_t top = 1;
    enum { FRESH, OPEN, DONE };
    for (uint32_t i = 0; i < ptx->functions; ++i) c->place[i] = FRESH;
    c->stack[0] = c->root;
    at[0] = 0;
    c->place[c->root] = OPEN;
    while (top > 0) {
        const uint32_t number = c->stack[top - 1];
        const sooth_ptx_function *f = &ptx->function[number];
        uint32_t callee = SOOTH_PTX_NONE;
        if (f->calls == f->indirect || c->trips->each_once) at[top - 1] = f->instructions;
        while (at[top - 1] < f->instructions && callee == SOOTH_PTX_NONE) {
            const sooth_ptx_instruction *ins = &ptx->instruction[f->instruction + at[top - 1]++];
            if (ins->kind == SOOTH_PTX_KIND_CALL && ins->target != SOOTH_PTX_NONE &&
                ptx->function[ins->target].has_body)
                callee = ins->target;
        }
        if (callee == SOOTH_PTX_NONE) {
            c->place[number] = DONE;
            c->order[c->reached++] = number;
            --top;
        } else if (c->place[callee] == OPEN) {
            ++c->out->recursive;
        } else if (c->place[callee] == FRESH) {
            c->place[callee] = OPEN;
            c->stack[top] = callee;
            at[top++] = 0;
        }
    }
    for (uint32_t i = 0; i < ptx->functions; ++i) c->place[i] = SOOTH_PTX_NONE;
    for (uint32_t i = 0; i < c->reached; ++i) c->place[c->order[i]] = i;
}

/* Returns the innermost loop at a line of a reached function, or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_loop_at(const soothi_ptx_counting *c, uint32_t line) {
    const sooth_ptx *ptx = c->ptx;
    size_t b = 0; /* blocks are in the order of the text */
    while (b < ptx->blocks && ptx->block[b].line <= line) ++b;
    return b && soothi_ptx_is_reached(c, ptx->block[b - 1].function) ? ptx->block[b - 1].loop
                                                                     : SOOTH_PTX_NONE;
}

/* True if a label of block b has this name. */
SOOTHI_LOCAL int soothi_ptx_has_label(const sooth_ptx *ptx, uint32_t b, const char *name) {
    const sooth_ptx_function *f = &ptx->function[ptx->block[b].function];
    for (uint32_t l = f->label; l < f->label + f->labels; ++l)
        if (ptx->label[l].block == b && soothi_ptx_is(ptx->label[l].name, name)) return 1;
    return 0;
}

/* True if the block's branch is a choice within one iteration: it is predicated, has two targets, and neither
   leaves or repeats a loop. */
SOOTHI_LOCAL int soothi_ptx_is_choice(const sooth_ptx *ptx, uint32_t b) {
    const sooth_ptx_block *block = &ptx->block[b];
    if (block->edges != 2 || soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) return 0;
    for (uint32_t i = 0; i < 2; ++i) {
        const sooth_ptx_block *to = &ptx->block[ptx->edge[block->edge + i]];
        if (to->order <= block->order || soothi_ptx_common_loop(ptx, block->loop, to->loop) != block->loop)
            return 0;
    }
    return 1;
}

/* Reports a loop that does not exist, and lists the existing ones. */
SOOTHI_LOCAL sooth_status soothi_ptx_no_loop(const soothi_ptx_counting *c, const sooth_ptx_given *given) {
    const sooth_ptx *ptx = c->ptx;
    char names[160], brief[52], what[80];
    size_t n = 0;
    names[0] = 0;
    for (size_t k = 0; k < ptx->loops && n < 100; ++k) {
        const sooth_ptx_block *header = &ptx->block[ptx->loop[k].header];
        if (!soothi_ptx_is_reached(c, header->function)) continue;
        soothi_ptx_brief(brief, ptx->label[header->label].name); /* a branch target has a label */
        n += sooth_text_format(names + n, sizeof names - n, n ? ", %s (line %u)" : "%s (line %u)", brief,
                               header->line);
    }
    if (given->label) sooth_text_format(what, sizeof what, "%s here", given->label);
    else sooth_text_format(what, sizeof what, "around line %u", given->line);
    return sooth_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                      n ? "there is no loop %s; there are %s" : "there is no loop %s; the kernel has none%s",
                      what, names);
}

/* Sets the caller's loops: all with the label, or the one at the line. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_loops(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    for (size_t i = 0; i < c->trips->loops; ++i) {
        const sooth_ptx_given *given = &c->trips->loop[i];
        const uint32_t around = given->label ? SOOTH_PTX_NONE : soothi_ptx_loop_at(c, given->line);
        int found = 0;
        if (!(given->value >= 0.0) || !soothi_finite(given->value))
            return sooth_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                              "the trips of loop %s are %g, but must be at least 0",
                              given->label ? given->label : "", given->value);
        for (size_t l = 0; l < ptx->loops; ++l) {
            const uint32_t header = ptx->loop[l].header;
            if (!soothi_ptx_is_reached(c, ptx->block[header].function) ||
                !(given->label ? soothi_ptx_has_label(ptx, header, given->label) : l == around))
                continue;
            c->out->trip[l] = given->value;
            c->out->origin[l] = SOOTH_PTX_TRIP_GIVEN;
            found = 1;
        }
        if (!found) return soothi_ptx_no_loop(c, given);
    }
    return SOOTH_OK;
}

/* True if the predicated branch at the end of block b is the given one, by its target label or its line. */
SOOTHI_LOCAL int soothi_ptx_is_branch(const sooth_ptx *ptx, size_t b, const sooth_ptx_given *given) {
    const sooth_ptx_block *block = &ptx->block[b];
    if (block->edges != 2 || soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) return 0;
    const sooth_ptx_instruction *branch = &ptx->instruction[block->first + block->count - 1];
    if (given->label) return soothi_ptx_has_label(ptx, branch->target, given->label);
    if (block->line > given->line || (b + 1 < ptx->blocks && ptx->block[b + 1].line < given->line)) return 0;
    return 1 + soothi_ptx_lines(ptx->text, branch->at) == given->line;
}

/* Sets the caller's probabilities. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_branches(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    char what[80];
    for (size_t b = 0; b < ptx->blocks; ++b) c->probability[b] = -1.0;
    for (size_t i = 0; i < c->trips->branches; ++i) {
        const sooth_ptx_given *given = &c->trips->branch[i];
        int found = 0, of_loop = 0;
        if (given->label) sooth_text_format(what, sizeof what, "to %s", given->label);
        else sooth_text_format(what, sizeof what, "in line %u", given->line);
        if (!(given->value >= 0.0 && given->value <= 1.0))
            return sooth_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                              "the probability of the branch %s is %g, but must be from 0 to 1", what,
                              given->value);
        for (size_t b = 0; b < ptx->blocks; ++b) {
            if (!soothi_ptx_is_reached(c, ptx->block[b].function) || !soothi_ptx_is_branch(ptx, b, given))
                continue;
            const int is_choice = soothi_ptx_is_choice(ptx, (uint32_t)b);
            if (is_choice) c->probability[b] = given->value;
            found |= is_choice;
            of_loop |= !is_choice;
        }
        if (found) continue;
        return sooth_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                          of_loop ? "the branch %s ends or repeats a loop: give that loop's trips instead"
                                  : "there is no predicated branch %s here",
                          what);
    }
    return SOOTH_OK;
}

/* True if the kernel, or a function that it uses, has a parameter with this name. */
SOOTHI_LOCAL int soothi_ptx_has_param(const soothi_ptx_counting *c, const char *name) {
    const sooth_ptx *ptx = c->ptx;
    if (sooth_ptx_param_find(ptx, c->root, name) != SOOTH_NONE) return 1;
    for (size_t k = 0; k < ptx->variables; ++k)
        if (ptx->variable[k].space == SOOTH_PTX_CLASS_PARAM && soothi_ptx_is(ptx->variable[k].name, name) &&
            soothi_ptx_is_reached(c, ptx->variable[k].function))
            return 1;
    return 0;
}

/* Checks that every name with a value from the caller is a parameter or a special register. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_values(soothi_ptx_counting *c) {
    const sooth_ptx_function *f = &c->ptx->function[c->root];
    char names[160], brief[52];
    size_t n = 0;
    uint32_t k;
    for (size_t i = 0; i < c->trips->values; ++i) {
        const char *name = c->trips->value[i].name;
        if (name[0] == '%' || soothi_ptx_has_param(c, name)) continue;
        names[0] = 0;
        for (k = 0; k < f->params && n < 80; ++k)
            n += sooth_text_format(names + n, sizeof names - n, "%s%u: %s", k ? ", " : "; it has ", k,
                                   soothi_ptx_brief(brief, c->ptx->variable[f->param + k].name));
        return sooth_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                          "the kernel has no parameter %s%s%s; special registers begin with %%", name, names,
                          k < f->params ? ", ..." : "");
    }
    return SOOTH_OK;
}

/* Returns the trips of loops with unknown trips. */
SOOTHI_LOCAL double soothi_ptx_assumed(const soothi_ptx_counting *c) {
    return c->trips->default_trip > 0.0 ? c->trips->default_trip : 1.0;
}

/* The ways to pass an undecided branch: both sides run in full; each has half; each has half, but both run in
   full if the branch elects a thread. */
enum { SOOTHI_PTX_BOTH, SOOTHI_PTX_HALVES, SOOTHI_PTX_ELECTED };

SOOTHI_LOCAL int soothi_ptx_elects(const soothi_ptx_flow *flow, sooth_ptx_word name, soothi_ptx_use use,
                                   unsigned depth, uint32_t *steps);

/* Returns the share of a block's runs that passes along each of its edges: of a choice the first or the
   second, -1: both sides run. */
SOOTHI_LOCAL double soothi_ptx_share(const soothi_ptx_counting *c, uint32_t b, int way) {
    const sooth_ptx_block *block = &c->ptx->block[b];
    const soothi_ptx_use end = {block->first + block->count - 1, b};
    uint32_t steps = 400;
    if (!soothi_ptx_is_choice(c->ptx, b)) return -1.0;
    if (c->probability[b] >= 0.0) return c->probability[b];
    if (c->trips->default_probability > 0.0) return c->trips->default_probability;
    if (way == SOOTHI_PTX_BOTH ||
        (way == SOOTHI_PTX_ELECTED &&
         soothi_ptx_elects(&c->flow, soothi_ptx_predicate(c->ptx, &c->ptx->instruction[end.instruction]), end,
                           0, &steps)))
        return -1.0;
    return 0.5;
}

/* Computes reach[] of a function's blocks in reverse post-order: the sum over incoming edges, but never more
   than that of the immediate dominator. The limit is needed because both sides of an unknown branch run in
   full, so that their sum is too large where they meet. An edge out of loops carries the entries of the
   outermost of the loops; in halves, its exits share them. */
SOOTHI_LOCAL void soothi_ptx_reach(const soothi_ptx_counting *c, const sooth_ptx_function *f, double *reach,
                                   int way) {
    const sooth_ptx *ptx = c->ptx;
    const uint32_t nodes = f->blocks - f->unreachable;
    for (uint32_t b = f->block; b < f->block + f->blocks; ++b) {
        reach[b] = 0.0;
        if (ptx->block[b].order != SOOTH_PTX_NONE) c->sorted[ptx->block[b].order] = b;
    }
    for (uint32_t node = 0; node < nodes; ++node) {
        const uint32_t b = c->sorted[node];
        const sooth_ptx_block *block = &ptx->block[b];
        const double most = node ? reach[block->idom] : 1.0;
        if (node == 0 || reach[b] > most) reach[b] = most;
        const double taken = soothi_ptx_share(c, b, way);
        for (uint32_t i = 0; i < block->edges; ++i) {
            const uint32_t to = ptx->edge[block->edge + i];
            const uint32_t both = soothi_ptx_common_loop(ptx, block->loop, ptx->block[to].loop);
            double brings = reach[b];
            if (ptx->block[to].order <= block->order) continue;
            if (taken >= 0.0) brings *= i == 0 ? taken : 1.0 - taken;
            for (uint32_t k = block->loop; k != both; k = ptx->loop[k].parent)
                if (ptx->loop[k].parent == both)
                    brings = reach[ptx->loop[k].header] /
                             (way == SOOTHI_PTX_BOTH ? 1.0 : (double)ptx->loop[k].exits);
            reach[to] += brings;
        }
    }
}

/* True if a block with these runs, and these in halves, runs for certain. */
SOOTHI_LOCAL int soothi_ptx_is_certain(double reach, double half) { return half >= reach * (1.0 - 1e-12); }

/* Computes reach[] of all blocks, and trip[] and origin[] of all loops, of the reached functions. */
SOOTHI_LOCAL sooth_status soothi_ptx_set_trips(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    soothi_ptx_flow *flow = &c->flow;
    for (uint32_t i = 0; i < c->reached; ++i) {
        const sooth_ptx_function *f = &ptx->function[c->order[i]];
        if ((flow->values || c->trips->certain) && !soothi_ptx_follow(flow, f)) break;
        /* the values decide branches that are not given: only one side runs */
        for (uint32_t b = f->block; flow->values && !c->trips->as_published && b < f->block + f->blocks; ++b)
            if (c->probability[b] < 0.0 && ptx->block[b].order != SOOTH_PTX_NONE &&
                soothi_ptx_is_choice(ptx, b))
                c->probability[b] = (double)soothi_ptx_is_taken(flow, b);
        soothi_ptx_reach(c, f, c->reach, SOOTHI_PTX_BOTH);
        if (c->trips->certain) {
            soothi_ptx_reach(c, f, c->half, SOOTHI_PTX_HALVES);
            soothi_ptx_reach(c, f, c->once, SOOTHI_PTX_ELECTED);
        }
        for (uint32_t b = f->block; !c->trips->as_published && b < f->block + f->blocks; ++b) {
            c->out->both[b] = c->reach[b] > 0.0 && soothi_ptx_share(c, b, SOOTHI_PTX_BOTH) < 0.0 &&
                              soothi_ptx_is_choice(ptx, b);
            c->out->undecided += c->out->both[b];
        }
        for (uint32_t l = f->loop; l < f->loop + f->loops; ++l) {
            double trip = ptx->loop[l].trip;
            if (c->out->origin[l] == SOOTH_PTX_TRIP_GIVEN || !(c->reach[ptx->loop[l].header] > 0.0)) continue;
            if (flow->values && !(trip >= 0.0)) trip = soothi_ptx_derive(flow, l);
            c->out->origin[l] = trip >= 0.0 ? SOOTH_PTX_TRIP_DERIVED : SOOTH_PTX_TRIP_ASSUMED;
            c->out->assumed += !(trip >= 0.0);
            c->out->trip[l] = trip >= 0.0 ? trip : soothi_ptx_assumed(c);
        }
    }
    return c->memory.status;
}

/* Returns how often a block runs for one entry of its function, from reach[] and the trips of its loops. The
   body runs T times. If the test precedes the rest of the body, it and the blocks before it run once more. */
SOOTHI_LOCAL double soothi_ptx_weight(const soothi_ptx_counting *c, uint32_t b) {
    const sooth_ptx *ptx = c->ptx;
    const sooth_ptx_block *block = &ptx->block[b];
    double weight = c->reach[b];
    if (c->trips->as_published) {
        for (uint32_t i = 0; i < block->edges; ++i)
            if (ptx->block[ptx->edge[block->edge + i]].order <= block->order)
                return weight * soothi_ptx_assumed(c);
        return weight;
    }
    for (uint32_t l = block->loop; l != SOOTH_PTX_NONE; l = ptx->loop[l].parent) {
        const uint32_t test = ptx->loop[l].test;
        const int once_more = test != SOOTH_PTX_NONE && !ptx->loop[l].test_is_last &&
                              (b == test || !soothi_ptx_dominates(ptx, test, b));
        weight *= c->out->trip[l] + (once_more ? 1.0 : 0.0);
    }
    return weight;
}

/* True if a register certainly holds %tid, copied or joined with its other dimensions. */
SOOTHI_LOCAL int soothi_ptx_is_thread(const soothi_ptx_flow *flow, sooth_ptx_word name, soothi_ptx_use use,
                                      unsigned depth, uint32_t *steps) {
    sooth_ptx_word operand[4];
    if (name.length == 6 && soothi_ptx_is(soothi_ptx_word(name.text, 5), "%tid.")) return 1;
    if (depth > 6 || soothi_ptx_defined(flow, name) == SOOTH_PTX_NONE) return 0;
    const uint32_t d = soothi_ptx_reaching(flow, name, use, SOOTH_PTX_NONE, steps);
    if (d == SOOTH_PTX_NONE) return 0;
    const soothi_ptx_use at = {flow->definition[d].instruction, flow->definition[d].block};
    const sooth_ptx_instruction *ins = &flow->ptx->instruction[at.instruction];
    const unsigned opcode = soothi_ptx_form(flow->ptx, ins)->opcode;
    const size_t n = sooth_ptx_operands(flow->ptx, ins, operand, 4);
    if (opcode != SOOTH_PTX_OP_MOV && opcode != SOOTH_PTX_OP_CVT && opcode != SOOTH_PTX_OP_OR) return 0;
    for (size_t i = 1; i < n && i < 4; ++i)
        if (!soothi_ptx_is_thread(flow, operand[i], at, depth + 1, steps)) return 0;
    return n > 1;
}

/* True if a register, mostly a predicate, depends on elect.sync, or on %tid being equal to something. */
SOOTHI_LOCAL int soothi_ptx_elects(const soothi_ptx_flow *flow, sooth_ptx_word name, soothi_ptx_use use,
                                   unsigned depth, uint32_t *steps) {
    sooth_ptx_word operand[4];
    if (depth > 6 || soothi_ptx_defined(flow, name) == SOOTH_PTX_NONE) return 0;
    const uint32_t d = soothi_ptx_reaching(flow, name, use, SOOTH_PTX_NONE, steps);
    if (d == SOOTH_PTX_NONE) return 0;
    const soothi_ptx_use at = {flow->definition[d].instruction, flow->definition[d].block};
    const sooth_ptx_instruction *ins = &flow->ptx->instruction[at.instruction];
    const sooth_ptx_form *form = soothi_ptx_form(flow->ptx, ins);
    const size_t n = sooth_ptx_operands(flow->ptx, ins, operand, 4);
    const unsigned comparison = soothi_ptx_comparison(form);
    if (form->opcode == SOOTH_PTX_OP_ELECT) return 1;
    if ((ins->flags & SOOTH_PTX_IS_PREDICATED) &&
        soothi_ptx_elects(flow, soothi_ptx_predicate(flow->ptx, ins), at, depth + 1, steps))
        return 1;
    if ((comparison == SOOTHI_PTX_EQ || comparison == SOOTHI_PTX_NE) && n > 1 &&
        soothi_ptx_is_thread(flow, operand[1], at, depth + 1, steps))
        return 1;
    if (soothi_ptx_sources(form) == 0) return 0;
    for (size_t i = 1; i < n && i < 4; ++i)
        if (soothi_ptx_elects(flow, operand[i], at, depth + 1, steps)) return 1;
    return 0;
}

/* True if one thread of the block runs instruction number `at` of block b: its predicate, or a branch that
   every path to it takes in one direction, elects the thread. */
SOOTHI_LOCAL int soothi_ptx_is_elected(const soothi_ptx_flow *flow, uint32_t at, uint32_t b) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_instruction *ins = &ptx->instruction[at];
    const soothi_ptx_use use = {at, b};
    uint32_t steps = 400, turns = 64;
    if ((ins->flags & SOOTH_PTX_IS_PREDICATED) &&
        soothi_ptx_elects(flow, soothi_ptx_predicate(ptx, ins), use, 0, &steps))
        return 1;
    for (uint32_t d = ptx->block[b].idom; d != SOOTH_PTX_NONE && turns > 0; d = ptx->block[d].idom, --turns) {
        const sooth_ptx_block *block = &ptx->block[d];
        const soothi_ptx_use end = {block->first + block->count - 1, d};
        if (block->edges != 2 || soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) continue;
        for (uint32_t i = 0; i < 2; ++i) {
            const uint32_t to = ptx->edge[block->edge + i], other = ptx->edge[block->edge + 1 - i];
            if (soothi_ptx_dominates(ptx, to, b) && !soothi_ptx_may_reach(ptx, other, to, d) &&
                soothi_ptx_elects(flow, soothi_ptx_predicate(ptx, &ptx->instruction[end.instruction]), end, 0,
                                  &steps))
                return 1;
        }
    }
    return 0;
}

/* Derives the operand of instruction number `at` in block b that has its size, as an unsigned number below
   2^32 - 1. */
SOOTHI_LOCAL int soothi_ptx_operand_value(const soothi_ptx_flow *flow, uint32_t at, uint32_t b, size_t which,
                                          uint32_t *value) {
    const soothi_ptx_use use = {at, b};
    sooth_ptx_word operand[6];
    const size_t n = sooth_ptx_operands(flow->ptx, &flow->ptx->instruction[at], operand, 6);
    uint32_t steps = 200;
    int64_t v;
    if (which >= n || which >= 6 || !soothi_ptx_constant(flow, operand[which], use, 0, &steps, &v)) return 0;
    *value = (uint32_t)((uint64_t)v & UINT32_MAX);
    return *value != SOOTH_PTX_NONE;
}

/* Adds a matrix product that runs this many times. The descriptor of tcgen05.mma is its fourth operand, after
   the metadata of a sparse one the fifth. */
SOOTHI_LOCAL void soothi_ptx_add_product(const soothi_ptx_counting *c, uint32_t at, uint32_t b,
                                         double times) {
    const sooth_ptx_form *form = soothi_ptx_form(c->ptx, &c->ptx->instruction[at]);
    soothi_ptx_parts parts;
    uint32_t descriptor, operations = 0;
    if (form->opcode != SOOTH_PTX_OP_TCGEN05) {
        if (form->operations > 0)
            c->out->tensor[form->tensor] += times * (double)form->operations / (double)form->threads;
        else c->out->unshaped += times;
        return;
    }
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    if (form->ctas > 0 &&
        soothi_ptx_operand_value(&c->flow, at, b, soothi_ptx_is_sparse(&parts) ? 4 : 3, &descriptor))
        operations = soothi_ptx_tensor_described(form, descriptor);
    if (operations > 0) c->out->block_tensor[form->tensor] += times * (double)operations / (double)form->ctas;
    else c->out->block_unshaped += times;
}

/* Adds what instruction number `at` of block b does to the bytes that barriers await: expect_tx, or a copy
   that a barrier awaits, of this many bytes (0: not known). */
SOOTHI_LOCAL void soothi_ptx_add_awaited(soothi_ptx_counting *c, uint32_t at, uint32_t b, double times,
                                         double once, int for_block, uint32_t bytes) {
    const sooth_ptx_form *form = soothi_ptx_form(c->ptx, &c->ptx->instruction[at]);
    soothi_ptx_parts parts;
    sooth_ptx_word operand[4];
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    if (form->opcode == SOOTH_PTX_OP_MBARRIER) {
        const size_t n = sooth_ptx_operands(c->ptx, &c->ptx->instruction[at], operand, 4);
        if (!soothi_ptx_has(&parts, "expect_tx")) return;
        if (n < 2 || !soothi_ptx_operand_value(&c->flow, at, b, n - 1, &bytes)) c->is_awaited_unknown = 1;
        else if (soothi_ptx_is_elected(&c->flow, at, b)) c->awaited[1] += once * (double)bytes;
        else c->awaited[0] += times * (double)bytes;
    } else if (soothi_ptx_has(&parts, "mbarrier::complete_tx::bytes")) {
        const int mapped = (form->flags & SOOTH_PTX_FORM_MAPPED) != 0;
        if (form->kind != SOOTH_PTX_KIND_GLOBAL_LOAD || soothi_ptx_has(&parts, "multicast::cluster") ||
            (bytes == 0 && !mapped))
            c->is_awaited_unknown = 1;
        else if (!mapped) c->brought[for_block] += times * (double)bytes;
    }
}

/* Adds the bytes of the loads by tensor maps if barriers await them and all else is known. Otherwise the
   loads have no size. */
SOOTHI_LOCAL void soothi_ptx_settle(const soothi_ptx_counting *c) {
    sooth_ptx_counts *out = c->out;
    const int of = c->mapped[1] > 0.0; /* a block, else a thread */
    const double bytes = c->awaited[of] - c->brought[of];
    if (c->is_awaited_unknown || c->mapped[1 - of] > 0.0 || c->awaited[1 - of] > 0.0 ||
        c->brought[1 - of] > 0.0 || !(bytes > 1e-9 * c->awaited[of])) {
        out->unsized += c->mapped[0];
        out->block_unsized += c->mapped[1];
    } else if (c->mapped[of] > 0.0) {
        (of ? out->block_loaded : out->loaded)[SOOTH_PTX_CLASS_GLOBAL] += bytes;
        out->awaited = c->mapped[of];
    }
}

/* Returns the name that an address in memory begins with, a register or a variable. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_base(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    sooth_ptx_word operand[2];
    const size_t n = sooth_ptx_operands(ptx, ins, operand, 2);
    for (size_t k = 0; k < n && k < 2; ++k) {
        const char *p = operand[k].text, *const end = p + operand[k].length;
        if (p < end && *p == '[') return soothi_ptx_name(soothi_ptx_skip(p + 1, end), end);
    }
    return soothi_ptx_word("", 0);
}

/* True if a name is, or points into, a variable of the module in global memory. */
SOOTHI_LOCAL int soothi_ptx_is_table(const soothi_ptx_flow *flow, sooth_ptx_word name, unsigned depth,
                                     uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    sooth_ptx_word operand[3];
    uint32_t d = soothi_ptx_defined(flow, name);
    int found = 0;
    if (d == SOOTH_PTX_NONE)
        for (size_t k = 0; k < ptx->variables; ++k)
            if (ptx->variable[k].function == SOOTH_PTX_NONE && ptx->variable[k].bytes > 0 &&
                ptx->variable[k].space == SOOTH_PTX_CLASS_GLOBAL &&
                soothi_ptx_same(ptx->variable[k].name, name))
                return 1;
    for (; d != SOOTH_PTX_NONE; d = flow->definition[d].next) { /* each definition must lead to a table */
        const sooth_ptx_instruction *ins = &ptx->instruction[flow->definition[d].instruction];
        const unsigned opcode = soothi_ptx_form(ptx, ins)->opcode;
        const size_t n = sooth_ptx_operands(ptx, ins, operand, 3);
        int one = 0;
        if (depth > 6 || *steps == 0 || n < 2 || n > 3) return 0;
        --*steps;
        if (opcode != SOOTH_PTX_OP_MOV && opcode != SOOTH_PTX_OP_ADD && opcode != SOOTH_PTX_OP_CVTA) return 0;
        if (soothi_ptx_same(operand[1], name)) continue; /* p = p + 4 */
        for (size_t i = 1; i < n && !one; ++i) one = soothi_ptx_is_table(flow, operand[i], depth + 1, steps);
        if (!one) return 0;
        found = 1;
    }
    return found;
}

/* True if an address may follow the one of the last iteration of loop l, so that the assembler may unroll the
   loop and merge accesses: it is a sum or product of a register that the loop adds to. The step of a register
   that is the address itself is known; accesses further apart than 16 bytes are not merged. */
SOOTHI_LOCAL int soothi_ptx_strides(const soothi_ptx_flow *flow, sooth_ptx_word name, uint32_t l,
                                    unsigned depth, uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    sooth_ptx_word operand[4];
    uint64_t step;
    for (uint32_t d = soothi_ptx_defined(flow, name); d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
        const sooth_ptx_instruction *ins = &ptx->instruction[flow->definition[d].instruction];
        const unsigned opcode = soothi_ptx_form(ptx, ins)->opcode;
        const size_t n = sooth_ptx_operands(ptx, ins, operand, 4);
        if (!soothi_ptx_inside(ptx, flow->definition[d].block, l)) continue;
        if (depth > 6 || *steps == 0) return 1;
        --*steps;
        const int is_sum = opcode == SOOTH_PTX_OP_ADD || opcode == SOOTH_PTX_OP_SUB;
        if (is_sum && n == 3 && soothi_ptx_same(operand[1], name))
            return depth > 0 || !soothi_ptx_number_in(operand[2], &step) || step <= 16;
        if (!is_sum && opcode != SOOTH_PTX_OP_SHL && opcode != SOOTH_PTX_OP_MUL &&
            opcode != SOOTH_PTX_OP_MAD && opcode != SOOTH_PTX_OP_MOV && opcode != SOOTH_PTX_OP_CVT)
            continue;
        for (size_t i = 1; i < n && i < 4; ++i)
            if (soothi_ptx_strides(flow, operand[i], l, depth + 1, steps)) return 1;
    }
    return 0;
}

/* Accesses of shared memory by one base in a block. */
typedef struct soothi_ptx_accesses {
    sooth_ptx_word base;
    uint32_t kind;
    double bytes, least;
} soothi_ptx_accesses;

/* Returns the accesses of shared memory that block b makes at least. After 32 bases, those of others may be
   merged with what is forgotten. */
SOOTHI_LOCAL double soothi_ptx_shared_accesses(const soothi_ptx_counting *c, uint32_t b) {
    enum { KEPT = 32 };
    const sooth_ptx *ptx = c->ptx;
    const sooth_ptx_block *block = &ptx->block[b];
    soothi_ptx_accesses kept[KEPT];
    double all = 0.0;
    uint32_t n = 0, k;
    for (uint32_t i = block->first; i < block->first + block->count; ++i) {
        const sooth_ptx_instruction *ins = &ptx->instruction[i];
        const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
        uint32_t steps = 64;
        if (sooth_ptx_kind_class((sooth_ptx_kind)ins->kind) != SOOTH_PTX_CLASS_SHARED || form->bytes == 0 ||
            (form->flags & SOOTH_PTX_FORM_BULK) ||
            (c->trips->certain && (ins->flags & SOOTH_PTX_IS_PREDICATED)))
            continue;
        const sooth_ptx_word base = soothi_ptx_base(ptx, ins);
        for (k = 0; k < n && (kept[k].kind != ins->kind || !soothi_ptx_same(kept[k].base, base));) ++k;
        if (k == KEPT) {
            all += (double)form->bytes / 16.0;
            continue;
        }
        if (k == n) {
            const int merges = c->trips->certain && block->loop != SOOTH_PTX_NONE &&
                               soothi_ptx_strides(&c->flow, base, block->loop, 0, &steps);
            kept[n].base = base;
            kept[n].kind = ins->kind;
            kept[n].bytes = 0.0;
            kept[n++].least = merges ? 0.0 : 1.0;
        }
        kept[k].bytes += (double)form->bytes;
    }
    for (k = 0; k < n; ++k)
        all += kept[k].bytes / 16.0 > kept[k].least ? kept[k].bytes / 16.0 : kept[k].least;
    return all;
}

/* Adds instruction number `at` of block b, which runs this many times; `once`: if one thread of the block is
   elected for it. */
SOOTHI_LOCAL void soothi_ptx_add(soothi_ptx_counting *c, uint32_t at, uint32_t b, double times, double once) {
    const sooth_ptx *ptx = c->ptx;
    sooth_ptx_counts *out = c->out;
    const sooth_ptx_instruction *ins = &ptx->instruction[at];
    const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
    const int is_copy = (form->flags & SOOTH_PTX_FORM_ASYNCHRONOUS) != 0;
    const int for_block = (form->flags & SOOTH_PTX_FORM_BULK) && soothi_ptx_is_elected(&c->flow, at, b);
    uint32_t bytes = is_copy ? ins->target : form->bytes, steps = 64;
    if (c->trips->certain) {
        if ((ins->flags & SOOTH_PTX_IS_PREDICATED) && ins->kind != SOOTH_PTX_KIND_BRANCH) times = 0.0;
        if (for_block || (ins->kind == SOOTH_PTX_KIND_TENSOR && form->opcode == SOOTH_PTX_OP_TCGEN05))
            times = once;
    }
    if (c->has_tables && form->kind == SOOTH_PTX_KIND_GLOBAL_LOAD && !is_copy &&
        soothi_ptx_is_table(&c->flow, soothi_ptx_base(ptx, ins), 0, &steps))
        out->table += times * (double)bytes;
    out->form[ins->form] += times;
    out->kind[ins->kind] += times;
    if (ins->kind == SOOTH_PTX_KIND_TENSOR) soothi_ptx_add_product(c, at, b, times);
    if (bytes == SOOTH_PTX_NONE &&
        !soothi_ptx_operand_value(&c->flow, at, b, soothi_ptx_size_operand(form), &bytes)) {
        bytes = 0;
        if ((form->flags & SOOTH_PTX_FORM_MAPPED) && form->kind == SOOTH_PTX_KIND_GLOBAL_LOAD)
            c->mapped[for_block] += times;
        else *(for_block ? &out->block_unsized : &out->unsized) += times;
    }
    if (c->has_sized && (times > 0.0 || once > 0.0) &&
        (is_copy || form->opcode == SOOTH_PTX_OP_MBARRIER || form->kind == SOOTH_PTX_KIND_SHARED_STORE ||
         form->kind == SOOTH_PTX_KIND_SHARED_ATOMIC))
        soothi_ptx_add_awaited(c, at, b, times, once, for_block, bytes);
    if (ins->kind == SOOTH_PTX_KIND_CALL) {
        if (ins->target == SOOTH_PTX_NONE) out->indirect += times;
        else if (!ptx->function[ins->target].has_body) out->bodiless += times;
    } else if (soothi_ptx_is_memory(ins->kind)) {
        double *moved = soothi_ptx_is_load(ins->kind) ? (for_block ? out->block_loaded : out->loaded)
                                                      : (for_block ? out->block_stored : out->stored);
        moved[sooth_ptx_kind_class((sooth_ptx_kind)ins->kind)] += times * (double)bytes;
    }
}

/* ---- chains of dependent instructions ---- */

/* When a register is ready: the links of the longest chain to it, and their nominal cycles. */
typedef struct soothi_ptx_ready {
    double cycles;
    double links[SOOTH_PTX_LINKS];
} soothi_ptx_ready;

/* One instruction of a loop: the registers it reads and writes, by number (NONE: no more), and its link. */
typedef struct soothi_ptx_node {
    uint32_t from[12], to[8];
    uint32_t link;
    double weight; /* of the link; -1: the result does not depend on the sources for certain */
} soothi_ptx_node;

enum { SOOTHI_PTX_CHAIN_NODES = 1024, SOOTHI_PTX_CHAIN_ROUNDS = 16 };

/* Sets the link of an instruction. */
SOOTHI_LOCAL void soothi_ptx_link_of(const sooth_ptx *ptx, const sooth_ptx_instruction *ins,
                                     soothi_ptx_node *node) {
    const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
    const int is_flag = form->type == SOOTH_PTX_TYPE_PRED;
    soothi_ptx_parts parts;
    memset(&parts, 0, sizeof parts);
    node->link = ins->kind == SOOTH_PTX_KIND_FP16 ? SOOTH_PTX_LINK_HALF : SOOTH_PTX_LINK_STEP;
    node->weight = 0.0;
    switch (ins->kind) {
    case SOOTH_PTX_KIND_FP16:
    case SOOTH_PTX_KIND_FP32:
    case SOOTH_PTX_KIND_FP64:
        parts.words = soothi_ptx_split(form->text, form->length, parts.word);
        node->weight = form->opcode == SOOTH_PTX_OP_MIN || form->opcode == SOOTH_PTX_OP_MAX   ? 0.5
                       : form->opcode == SOOTH_PTX_OP_NEG || form->opcode == SOOTH_PTX_OP_ABS ? 0.0
                       : form->opcode != SOOTH_PTX_OP_MUL || soothi_ptx_part(&parts, 1, "rn") ? 1.0
                                                                                              : 0.0;
        break;
    case SOOTH_PTX_KIND_SPECIAL:
    case SOOTH_PTX_KIND_TENSOR: node->weight = 1.0; break;
    case SOOTH_PTX_KIND_LOGIC: node->weight = is_flag ? 0.0 : 0.5; break;
    case SOOTH_PTX_KIND_INT:
        node->weight = form->opcode == SOOTH_PTX_OP_MUL || form->opcode == SOOTH_PTX_OP_MAD ||
                               form->opcode == SOOTH_PTX_OP_MIN || form->opcode == SOOTH_PTX_OP_MAX
                           ? 0.5
                           : 0.0;
        break;
    case SOOTH_PTX_KIND_SHARED_LOAD:
    case SOOTH_PTX_KIND_GLOBAL_LOAD:
    case SOOTH_PTX_KIND_LOCAL_LOAD:
        node->link = ins->kind == SOOTH_PTX_KIND_SHARED_LOAD ? SOOTH_PTX_LINK_SHARED : SOOTH_PTX_LINK_LOAD;
        node->weight = (form->flags & SOOTH_PTX_FORM_ASYNCHRONOUS) ? 0.0 : 1.0;
        break;
    case SOOTH_PTX_KIND_CALL:
    case SOOTH_PTX_KIND_UNKNOWN:
    case SOOTH_PTX_KIND_WARP: node->weight = -1.0; break; /* a shuffle may read another thread's register */
    default: break;
    }
    if (ins->flags & SOOTH_PTX_IS_PREDICATED) node->weight = -1.0;
}

/* Lists up to `most` registers that are named between p and end, by number. A register's number is that of
   its newest definition in the function. */
SOOTHI_LOCAL size_t soothi_ptx_registers_in(const soothi_ptx_flow *flow, const char *p, const char *end,
                                            uint32_t *out, size_t most, size_t n) {
    while (p < end) {
        const sooth_ptx_word name = soothi_ptx_name(p, end);
        if (name.length == 0) {
            ++p;
            continue;
        }
        const uint32_t d = soothi_ptx_defined(flow, name);
        if (d != SOOTH_PTX_NONE && n < most) out[n++] = d;
        p += name.length;
        while (p < end && soothi_ptx_in_word(*p)) ++p;
    }
    return n;
}

/* Reads instruction number `at` of block b in a loop. Its result is certain if every iteration runs it. */
SOOTHI_LOCAL void soothi_ptx_node_of(const soothi_ptx_flow *flow, uint32_t at, int is_certain,
                                     soothi_ptx_node *node) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_instruction *ins = &ptx->instruction[at];
    sooth_ptx_word operand[8];
    size_t n = sooth_ptx_operands(ptx, ins, operand, 8), from = 0;
    memset(node->from, 0xff, sizeof node->from);
    memset(node->to, 0xff, sizeof node->to);
    soothi_ptx_link_of(ptx, ins, node);
    if (!is_certain) node->weight = -1.0;
    for (size_t i = 0; i < n && i < 8; ++i) {
        const char *p = operand[i].text, *const end = p + operand[i].length;
        if (i == 0 && *p != '[') soothi_ptx_registers_in(flow, p, end, node->to, 8, 0);
        else from = soothi_ptx_registers_in(flow, p, end, node->from, 12, from);
    }
}

/* Runs the nodes of an iteration. */
SOOTHI_LOCAL void soothi_ptx_run_nodes(const soothi_ptx_node *node, uint32_t nodes, soothi_ptx_ready *ready) {
    static const double cycles[SOOTH_PTX_LINKS] = {
#define SOOTHI_ITEM(name, nominal) nominal,
        SOOTH_PTX_LINK_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    for (uint32_t i = 0; i < nodes; ++i) {
        soothi_ptx_ready at;
        memset(&at, 0, sizeof at);
        for (uint32_t k = 0; k < 12 && node[i].from[k] != SOOTH_PTX_NONE && node[i].weight >= 0.0; ++k)
            if (ready[node[i].from[k]].cycles > at.cycles) at = ready[node[i].from[k]];
        if (node[i].weight > 0.0) {
            at.cycles += node[i].weight * cycles[node[i].link];
            at.links[node[i].link] += node[i].weight;
        }
        for (uint32_t k = 0; k < 8 && node[i].to[k] != SOOTH_PTX_NONE; ++k) ready[node[i].to[k]] = at;
    }
}

/* Computes the links that an iteration of loop l adds to its longest chain. Inner loops break chains. */
SOOTHI_LOCAL void soothi_ptx_loop_chain(const soothi_ptx_counting *c, uint32_t l, soothi_ptx_node *node,
                                        soothi_ptx_ready *ready, soothi_ptx_ready *grows) {
    const sooth_ptx *ptx = c->ptx;
    const sooth_ptx_loop *loop = &ptx->loop[l];
    const sooth_ptx_function *f = c->flow.function;
    uint32_t nodes = 0;
    memset(grows, 0, sizeof *grows);
    for (uint32_t turn = 0; turn < f->blocks - f->unreachable; ++turn) { /* in the order of execution */
        const uint32_t b = c->sorted[turn];
        if (!soothi_ptx_inside(ptx, b, l)) continue;
        const int is_certain = ptx->block[b].loop == l && soothi_ptx_dominates(ptx, b, loop->last);
        for (uint32_t i = ptx->block[b].first; i < ptx->block[b].first + ptx->block[b].count; ++i) {
            if (nodes == SOOTHI_PTX_CHAIN_NODES) return;
            soothi_ptx_node_of(&c->flow, i, is_certain, &node[nodes++]);
        }
    }
    memset(ready, 0, c->flow.definitions * sizeof *ready);
    for (unsigned turn = 0; turn < SOOTHI_PTX_CHAIN_ROUNDS; ++turn) soothi_ptx_run_nodes(node, nodes, ready);
    soothi_ptx_ready *before = ready + c->flow.definitions;
    memcpy(before, ready, c->flow.definitions * sizeof *ready);
    for (unsigned turn = 0; turn < SOOTHI_PTX_CHAIN_ROUNDS; ++turn) soothi_ptx_run_nodes(node, nodes, ready);
    for (size_t d = 0; d < c->flow.definitions; ++d)
        if (ready[d].cycles - before[d].cycles > grows->cycles) {
            grows->cycles = ready[d].cycles - before[d].cycles;
            for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k)
                grows->links[k] = ready[d].links[k] - before[d].links[k];
        }
    grows->cycles /= (double)SOOTHI_PTX_CHAIN_ROUNDS;
    for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) grows->links[k] /= (double)SOOTHI_PTX_CHAIN_ROUNDS;
}

/* Computes the chain of a function's loops, inner ones first. A loop of T iterations takes T - 1 times its
   own chain, or that of the loops in it. Loops run one after the other. Returns 0 if out of memory. */
SOOTHI_LOCAL int soothi_ptx_chain(soothi_ptx_counting *c, const sooth_ptx_function *f) {
    const sooth_ptx *ptx = c->ptx;
    const size_t states = 2 * c->flow.definitions + f->loops + 1;
    soothi_carver at = {NULL, 0};
    if (f->loops == 0) return 1;
    for (uint32_t b = f->block; b < f->block + f->blocks; ++b)
        if (ptx->block[b].order != SOOTH_PTX_NONE) c->sorted[ptx->block[b].order] = b;
    soothi_carve(&at, states, sizeof(soothi_ptx_ready));
    soothi_carve(&at, SOOTHI_PTX_CHAIN_NODES, sizeof(soothi_ptx_node));
    const size_t size = at.used;
    at.memory = (unsigned char *)sooth_alloc(c->memory.env, size, 1);
    if (!at.memory) {
        c->memory.status = sooth_no_memory(c->memory.env, "the chains of a kernel", size);
        return 0;
    }
    at.used = 0;
    soothi_ptx_ready *ready = (soothi_ptx_ready *)soothi_carve(&at, states, sizeof(soothi_ptx_ready));
    soothi_ptx_node *node =
        (soothi_ptx_node *)soothi_carve(&at, SOOTHI_PTX_CHAIN_NODES, sizeof(soothi_ptx_node));
    soothi_ptx_ready *inner = ready + 2 * c->flow.definitions; /* per loop, and of the function */
    memset(inner, 0, (f->loops + 1) * sizeof *inner);
    for (uint32_t l = f->loop + f->loops; l-- > f->loop;) {
        const sooth_ptx_loop *loop = &ptx->loop[l];
        soothi_ptx_ready one, *of = &inner[l - f->loop];
        soothi_ptx_ready *to = &inner[loop->parent == SOOTH_PTX_NONE ? f->loops : loop->parent - f->loop];
        const double more = c->out->trip[l] - 1.0;
        if (!(more > 0.0) || !soothi_ptx_is_certain(c->reach[loop->header], c->half[loop->header])) continue;
        soothi_ptx_loop_chain(c, l, node, ready, &one);
        if (of->cycles > one.cycles) one = *of;
        to->cycles += more * c->reach[loop->header] * one.cycles;
        for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k)
            to->links[k] += more * c->reach[loop->header] * one.links[k];
    }
    for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) c->out->chain[k] = inner[f->loops].links[k];
    sooth_free(c->memory.env, at.memory, size, 1);
    return 1;
}

/* Counts functions from callers to callees, so the calls of each are known before its turn. */
SOOTHI_LOCAL sooth_status soothi_ptx_sum(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    sooth_ptx_counts *out = c->out;
    for (uint32_t i = 0; i < ptx->functions; ++i) c->times[i] = 0.0;
    c->times[c->root] = 1.0;
    for (uint32_t turn = c->reached; turn-- > 0;) {
        const sooth_ptx_function *f = &ptx->function[c->order[turn]];
        const double times = c->times[c->order[turn]];
        if ((c->has_sized || c->has_tables || c->trips->certain) && !soothi_ptx_follow(&c->flow, f))
            return c->memory.status;
        for (uint32_t b = f->block; b < f->block + f->blocks; ++b) {
            double weight = c->trips->each_once ? 1.0 : times * soothi_ptx_weight(c, b), once = weight;
            if (c->trips->certain && !c->trips->each_once) {
                if (!soothi_ptx_is_certain(c->reach[b], c->once[b])) once = 0.0;
                if (!soothi_ptx_is_certain(c->reach[b], c->half[b])) weight = 0.0;
            }
            if (weight > 0.0) out->shared += weight * soothi_ptx_shared_accesses(c, b);
            out->block[b] = weight;
            for (uint32_t i = ptx->block[b].first; i < ptx->block[b].first + ptx->block[b].count; ++i) {
                const sooth_ptx_instruction *ins = &ptx->instruction[i];
                soothi_ptx_add(c, i, b, weight, once);
                if (ins->kind == SOOTH_PTX_KIND_CALL && ins->target != SOOTH_PTX_NONE &&
                    c->place[ins->target] < turn)
                    c->times[ins->target] += weight;
            }
        }
        if (c->trips->certain && c->order[turn] == c->root && !soothi_ptx_chain(c, f))
            return c->memory.status;
        out->irreducible += f->irreducible;
        out->shared_bytes += f->shared_bytes;
        if (f->local_bytes > out->local_bytes) out->local_bytes = f->local_bytes;
    }
    soothi_ptx_settle(c);
    for (uint32_t i = 0; i < ptx->forms; ++i) {
        out->opcode[ptx->form[i].opcode] += out->form[i];
        out->total += out->form[i];
    }
    for (uint32_t i = 0; i < SOOTH_PTX_KINDS; ++i)
        out->group[sooth_ptx_kind_class((sooth_ptx_kind)i)] += out->kind[i];
    out->unknown = out->kind[SOOTH_PTX_KIND_UNKNOWN];
    return SOOTH_OK;
}

/* Checks that no reached function has a syntax error. */
SOOTHI_LOCAL sooth_status soothi_ptx_none_broken(const soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    char brief[52];
    for (uint32_t i = 0; i < c->reached; ++i) {
        const sooth_ptx_function *f = &ptx->function[c->order[i]];
        if (!f->is_broken) continue;
        soothi_ptx_brief(brief, f->name);
        for (size_t k = 0; k < ptx->notes; ++k)
            if (ptx->note[k].is_error && ptx->note[k].function == c->order[i])
                return sooth_fail(c->memory.env, SOOTH_BAD_TEXT,
                                  "%s cannot be counted: line %u, column %u: %s", brief, ptx->note[k].line,
                                  ptx->note[k].column, ptx->note[k].text);
        return sooth_fail(c->memory.env, SOOTH_BAD_TEXT,
                          "%s cannot be counted: there is a syntax error in it", brief);
    }
    return SOOTH_OK;
}

/* Checks the function index and the ranges of the options. */
SOOTHI_LOCAL sooth_status soothi_ptx_count_check(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                                 const sooth_ptx_count_options *trips) {
    char brief[52];
    if (function >= ptx->functions)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "function is %z, but must be below %z", function,
                          ptx->functions);
    if (!ptx->function[function].has_body)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s has no body in this PTX; it is only declared",
                          soothi_ptx_brief(brief, ptx->function[function].name));
    if (!(trips->default_trip >= 0.0) || !soothi_finite(trips->default_trip))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "default_trip is %g, but must be at least 0",
                          trips->default_trip);
    if (!(trips->default_probability >= 0.0 && trips->default_probability <= 1.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "default_probability is %g, but must be from 0 to 1",
                          trips->default_probability);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_ptx_count(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                       const sooth_ptx_count_options *trips, sooth_ptx_counts *out) {
    soothi_ptx_counting c;
    soothi_carver work = {NULL, 0}, result = {NULL, 0};
    sooth_ptx_count_options none;
    memset(out, 0, sizeof *out);
    memset(&none, 0, sizeof none);
    memset(&c, 0, sizeof c);
    c.memory.env = env;
    c.ptx = ptx;
    c.trips = trips ? trips : &none;
    c.out = out;
    c.root = (uint32_t)function;
    c.flow.memory = &c.memory;
    c.flow.ptx = ptx;
    c.flow.kernel = c.root;
    c.flow.value = c.trips->value;
    c.flow.values = c.trips->values;
    for (size_t i = 0; i < ptx->forms; ++i)
        c.has_sized |= (ptx->form[i].flags & SOOTH_PTX_FORM_ASYNCHRONOUS) != 0 ||
                       (ptx->form[i].opcode == SOOTH_PTX_OP_TCGEN05 && ptx->form[i].ctas > 0);
    for (size_t i = 0; i < ptx->variables; ++i)
        c.has_tables |= ptx->variable[i].function == SOOTH_PTX_NONE && ptx->variable[i].bytes > 0 &&
                        ptx->variable[i].space == SOOTH_PTX_CLASS_GLOBAL;
    if (soothi_ptx_count_check(env, ptx, function, c.trips) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    soothi_ptx_counting_layout(&work, &c);
    soothi_ptx_counts_layout(&result, ptx, out);
    work.memory = (unsigned char *)sooth_alloc(env, work.used, 1);
    result.memory = work.memory ? (unsigned char *)sooth_alloc(env, result.used, 1) : NULL;
    if (!result.memory) {
        sooth_free(env, work.memory, work.used, 1);
        return sooth_no_memory(env, "the counts of a kernel", work.used + result.used);
    }
    memset(result.memory, 0, result.used); /* all bits zero: 0.0 */
    work.used = result.used = 0;
    soothi_ptx_counting_layout(&work, &c);
    soothi_ptx_counts_layout(&result, ptx, out);
    soothi_ptx_callees(&c);
    sooth_status status = soothi_ptx_none_broken(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_loops(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_branches(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_values(&c);
    if (status == SOOTH_OK && !c.trips->each_once) status = soothi_ptx_set_trips(&c);
    if (status == SOOTH_OK) status = soothi_ptx_sum(&c);
    soothi_ptx_flow_free(&c.flow);
    sooth_free(env, work.memory, work.used, 1);
    if (status != SOOTH_OK) sooth_ptx_counts_free(env, ptx, out);
    return status;
}

/* ---- listing ---- */

SOOTHI_LOCAL void soothi_ptx_put_label(sooth_sink *sink, const sooth_ptx *ptx, uint32_t block) {
    const uint32_t label = ptx->block[block].label;
    if (label == SOOTH_PTX_NONE)
        sooth_text_put(sink, "#%u", block - ptx->function[ptx->block[block].function].block);
    else sooth_text_write(sink, ptx->label[label].name.text, ptx->label[label].name.length);
}

SOOTHI_LOCAL void soothi_ptx_put_block(sooth_sink *sink, const sooth_ptx *ptx, uint32_t b,
                                       const sooth_ptx_counts *counts) {
    const sooth_ptx_block *block = &ptx->block[b];
    sooth_text_put(sink, "  block ");
    soothi_ptx_put_label(sink, ptx, b);
    sooth_text_put(sink, " line %u: %u instructions", block->line, block->count);
    if (counts) sooth_text_put(sink, ", runs %G times", counts->block[b]);
    if (block->loop != SOOTH_PTX_NONE) {
        sooth_text_put(sink, ", in loop ");
        soothi_ptx_put_label(sink, ptx, ptx->loop[block->loop].header);
    }
    for (uint32_t i = 0; i < block->edges; ++i) {
        sooth_text_put(sink, i ? ", " : " -> ");
        soothi_ptx_put_label(sink, ptx, ptx->edge[block->edge + i]);
    }
    sooth_text_put(sink, block->order == SOOTH_PTX_NONE ? " (unreachable)\n" : "\n");
}

SOOTHI_LOCAL void soothi_ptx_put_loop(sooth_sink *sink, const sooth_ptx *ptx, uint32_t l,
                                      const sooth_ptx_counts *counts) {
    static const char origin[4][12] = {"not reached", "given", "derived", "assumed"};
    const sooth_ptx_loop *loop = &ptx->loop[l];
    sooth_text_put(sink, "  loop ");
    soothi_ptx_put_label(sink, ptx, loop->header);
    sooth_text_put(sink, " line %u: depth %u, %u blocks", ptx->block[loop->header].line, loop->depth,
                   loop->blocks);
    if (counts) sooth_text_put(sink, ", %G trips (%s)\n", counts->trip[l], origin[counts->origin[l] & 3]);
    else if (loop->trip >= 0.0) sooth_text_put(sink, ", %G trips\n", loop->trip);
    else sooth_text_put(sink, ", trips not known\n");
}

SOOTH_API sooth_status sooth_ptx_write_function(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                                const sooth_ptx_counts *counts, sooth_sink *sink) {
    if (function >= ptx->functions)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "function is %z, but must be below %z", function,
                          ptx->functions);
    const sooth_ptx_function *f = &ptx->function[function];
    sooth_text_put(sink, f->is_entry ? "kernel " : "function ");
    sooth_text_write(sink, f->name.text, f->name.length);
    sooth_text_put(sink, " (line %u): %u instructions, %u blocks, %u edges, %u loops\n", f->line,
                   f->instructions, f->blocks, f->edges, f->loops);
    for (uint32_t b = f->block; b < f->block + f->blocks; ++b) soothi_ptx_put_block(sink, ptx, b, counts);
    for (uint32_t l = f->loop; l < f->loop + f->loops; ++l) soothi_ptx_put_loop(sink, ptx, l, counts);
    return sink->failed ? sooth_fail(env, SOOTH_CANCELLED, "the text could not be written") : SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
