/* gpu/pfea.h - the features of a CUDA kernel for predicting its power and time without running it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The Program Feature Extraction Algorithm of Alavani et al. (algorithms 1 and 2, table 1, equations 1 to 4),
 * as intended (the default) or as published (options.as_published). The output of the authors' own program
 * differs from both: examples/gpu/pfea_tool.h reproduces it.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n.address_size 64\n.entry copy(.param .u64 p) {\n"
 *             ".reg .f32 %f; .reg .b64 %a;\nld.param.u64 %a, [p];\nld.global.f32 %f, [%a];\n"
 *             "add.f32 %f, %f, %f;\nst.global.f32 [%a], %f;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_counts counts;
 *         sooth_gpu gpu;
 *         const sooth_gpu_launch launch = {.blocks = 78, .threads = 1024, .registers = 12};
 *         sooth_pfea features;
 *         size_t i;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_ptx_count(&env, &ptx, 0, NULL, &counts) != SOOTH_OK ||
 *             sooth_gpu_named(&env, "k20", &gpu) != SOOTH_OK ||
 *             sooth_pfea_extract(&env, &ptx, 0, &counts, &gpu, &launch, NULL, &features) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (i = 0; i < SOOTH_PFEA_FEATURES; ++i)
 *             printf("%s %g\n", sooth_pfea_name(i), features.value[i]);   //> glob_inst_kernel 2
 *         sooth_ptx_counts_free(&env, &ptx, &counts);
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Notes
 *
 * A model learned from one form is invalid for features of another form. Any number of threads may call these
 * functions.
 *
 * Method and references
 *
 * Alavani et al., Program Analysis and Machine Learning-based Approach to Predict Power Consumption of CUDA
 * Kernel (TOMPECS 2023).
 *
 * Instruction types: compute C, global memory GM (with local and texture: all go to the second level cache),
 * shared memory SM, miscellaneous M (control, waiting, and unknown ones). Parameters and constants are
 * excluded, as in the paper.
 *
 * Differences between the default and the published form:
 *
 *   waves    published  floor(nB/nSM nT) threads, nTh_m at a time, counted while threads are left (with the
 *                       printed >= 0 the loop would not end); 1 or more
 *            default    an SM holds at once the blocks that its occupancy allows; the SM with the most blocks
 *                       decides
 *   n_warps  published  ceil(nT/32) max(1, floor(nB/nSM)), more than an SM can hold
 *            default    warps on the SM at once
 *   loops    published  blocks with a back edge count nLoop times: count with as_published of
 *                       sooth_ptx_count_options
 *            default    every natural loop by its own trips, nested ones multiplied, with all blocks of its
 *                       body: count without
 *
 * Equations 1 to 4 are the cycles that a kernel waits, with T threads in W warps, each with I instructions. G
 * and S of the I access global and shared memory:
 *
 *   (1)  published  T / (nWS 32) x I waves / nDU
 *        The waves count twice, because T includes all threads. Schedulers and dispatch units are one limit,
 *        not a product. Both are those of one SM, but T is of the device.
 *        default    warps of the busiest SM x I / nDU                                          [cycles]
 *   (2)  published  T G waves / (waves L2 / 128) x L(gm)
 *        A line of 128 bytes serves a warp, not a thread.
 *        default    W G / (L2 / 128) x L(gm)                                                   [cycles]
 *   (3)  published  T / R[LSU] x 128 / TP(gm) x G waves
 *        The waves count twice again. R[LSU] threads of one SM are served at a time, but TP(gm) is of the
 *        device, and 128 bytes are of a warp.
 *        default    W x 128 / TP(gm) x G                                                       [cycles]
 *   (4)  published  T / (R[LSU] nSM) x 4 / TP(sm) x S waves
 *        As in (3). TP(sm) is the throughput of the load-store units.
 *        default    threads of the busiest SM, whole warps x 4 / TP(sm) x S                    [cycles]
 *
 * TP(gm) and TP(sm) are bytes per cycle: of the device, from its bandwidth and clock, and of one SM. The
 * paper fitted both to measurements that it does not print. Set options.global_bytes and shared_bytes to use
 * your own.
 *
 * Cost
 *
 * No allocation. One pass over the blocks of the functions that the kernel uses.
 */
#if !defined(SOOTH_PREDICT_ONLY) && \
    (!defined(SOOTH_GPU_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_IMPLEMENTED)))
#include "../gpu.h"
#endif

#if !defined(SOOTH_GPU_PFEA_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_PFEA_H
SOOTHI_C_BEGIN

/* Table 1 in its order, then total_inst and shar_inst_kernel, which the equations and section 4 use: name,
   unit, meaning. Values of one thread end in _kernel; those in _sm are summed over the waves. */
#define SOOTH_PFEA_LIST(X)                                                                                 \
    X(AVG_COMP_LAT, "avg_comp_lat", "cycles", "mean latency of a computing instruction; 0: there is none") \
    X(AVG_GLOB_LAT, "avg_glob_lat", "cycles", "mean latency of a global memory instruction; 0: none")      \
    X(AVG_MISC_LAT, "avg_misc_lat", "cycles", "mean latency of a miscellaneous instruction; 0: none")      \
    X(AVG_SHAR_LAT, "avg_shar_lat", "cycles", "mean latency of a shared memory instruction; 0: none")      \
    X(BRANCH, "branch", "instructions", "branches, x waves")                                               \
    X(COMP_INST_KERNEL, "comp_inst_kernel", "instructions", "computing, of a thread")                      \
    X(COMP_INST_SM, "comp_inst_sm", "instructions", "computing, x waves")                                  \
    X(COMP_LAT_SM, "comp_lat_sm", "cycles", "computing, x waves")                                          \
    X(GLOB_INST_KERNEL, "glob_inst_kernel", "instructions", "global memory, of a thread")                  \
    X(GLOB_INST_SM, "glob_inst_sm", "instructions", "global memory, x waves")                              \
    X(GLOB_LAT_SM, "glob_lat_sm", "cycles", "global memory, x waves")                                      \
    X(GLOB_LOAD_SM, "glob_load_sm", "instructions", "global loads, x waves")                               \
    X(GLOB_STORE_SM, "glob_store_sm", "instructions", "global stores and atomics, x waves")                \
    X(MISC_INST_KERNEL, "misc_inst_kernel", "instructions", "miscellaneous, of a thread")                  \
    X(MISC_INST_SM, "misc_inst_sm", "instructions", "miscellaneous, x waves")                              \
    X(MISC_LAT_SM, "misc_lat_sm", "cycles", "miscellaneous, x waves")                                      \
    X(SHAR_INST_SM, "shar_inst_sm", "instructions", "shared memory, x waves")                              \
    X(SHAR_LAT_SM, "shar_lat_sm", "cycles", "shared memory, x waves")                                      \
    X(SM_ACTIVE, "sm_active", "SMs", "that get a block")                                                   \
    X(N_WARPS, "n_warps", "warps", "of an SM")                                                             \
    X(WAVES, "waves", "waves", "one after the other")                                                      \
    X(TOTAL_THREADS, "total_threads", "threads", "grid_size x block_size")                                 \
    X(INST_ISSUE_CYCLES, "inst_issue_cycles", "cycles", "equation 1")                                      \
    X(CACHE_PENALTY, "cache_penalty", "cycles", "equation 2")                                              \
    X(GLB_PENALTY, "glb_penalty", "cycles", "equation 3")                                                  \
    X(SH_PENALTY, "sh_penalty", "cycles", "equation 4")                                                    \
    X(OCCUPANCY, "occupancy", "", "warps on an SM at once over the most it can hold")                      \
    X(REG_THREAD, "reg_thread", "registers", "of a thread; NaN: not given")                                \
    X(SHMEM_BLOCK, "shmem_block", "bytes", "shared memory of a block")                                     \
    X(BLOCK_SIZE, "block_size", "threads", "of a block")                                                   \
    X(GRID_SIZE, "grid_size", "blocks", "of the grid")                                                     \
    X(SHAR_INST_KERNEL, "shar_inst_kernel", "instructions", "shared memory, of a thread")                  \
    X(TOTAL_INST, "total_inst", "instructions", "all types, x waves (algorithm 2, line 22)")

typedef enum sooth_pfea_feature {
#define SOOTHI_ITEM(id, name, unit, what) SOOTH_PFEA_##id,
    SOOTH_PFEA_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PFEA_FEATURES
} sooth_pfea_feature;

/* Return the name "avg_comp_lat" or the unit "cycles" of feature i; NULL after the last. */
SOOTH_API const char *sooth_pfea_name(size_t feature);
SOOTH_API const char *sooth_pfea_unit(size_t feature);

/* The features by sooth_pfea_feature; NaN means not known. */
typedef struct sooth_pfea {
    double value[SOOTH_PFEA_FEATURES];
} sooth_pfea;

/* Options of the extraction. */
typedef struct sooth_pfea_options {
    uint32_t as_published; /* 1: the paper's form; 0: corrected */
    double global_bytes;   /* TP(gm), bytes per cycle of the device; 0 means its bandwidth over its clock */
    double shared_bytes;   /* TP(sm), bytes per cycle of an SM; 0 means the device's */
    uint32_t partial;      /* 1: without a value of the device, the features that need it are NaN */
} sooth_pfea_options;

/* Extracts the features of a kernel that sooth_ptx_count has counted. launch->shared is the whole shared
   memory of a block, including the static counts->shared_bytes. If launch->registers is 0 (not known),
   occupancy is an upper bound. If options is NULL, they are zero bytes. Returns SOOTH_BAD_ARGUMENT for two
   errors: the device cannot run the launch even if the kernel is compiled again for it
   (sooth_gpu_launch_check), or its description lacks a required value. */
SOOTH_API sooth_status sooth_pfea_extract(sooth_env *env, const sooth_ptx *ptx, size_t kernel,
                                          const sooth_ptx_counts *counts, const sooth_gpu *gpu,
                                          const sooth_gpu_launch *launch, const sooth_pfea_options *options,
                                          sooth_pfea *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_PFEA_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_PFEA_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_PFEA_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTHI_LOCAL const char *soothi_pfea_text(size_t feature, unsigned column) {
    static const char text[SOOTH_PFEA_FEATURES][2][20] = {
#define SOOTHI_ITEM(id, name, unit, what) {name, unit},
        SOOTH_PFEA_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return feature < SOOTH_PFEA_FEATURES ? text[feature][column] : NULL;
}

SOOTH_API const char *sooth_pfea_name(size_t feature) { return soothi_pfea_text(feature, 0); }
SOOTH_API const char *sooth_pfea_unit(size_t feature) { return soothi_pfea_text(feature, 1); }

/* ---- latencies ---- */

/* Returns the latency of a device that applies to an instruction: by its kind, for some by its opcode. */
SOOTHI_LOCAL unsigned soothi_pfea_latency_of(const sooth_ptx_form *form, unsigned kind) {
    static const uint8_t of_kind[SOOTH_PTX_KINDS] = {
        SOOTH_GPU_LATENCY_ADD,          SOOTH_GPU_LATENCY_ADD,
        SOOTH_GPU_LATENCY_F16,          SOOTH_GPU_LATENCY_F32,
        SOOTH_GPU_LATENCY_F64,          SOOTH_GPU_LATENCY_RSQRT,
        SOOTH_GPU_LATENCY_CONVERT,      SOOTH_GPU_LATENCY_MOVE,
        SOOTH_GPU_LATENCY_COMPARE,      SOOTH_GPU_LATENCY_MOVE,
        SOOTH_GPU_LATENCY_F32, /* to tensor */
        SOOTH_GPU_LATENCY_GLOBAL_LOAD,  SOOTH_GPU_LATENCY_GLOBAL_STORE,
        SOOTH_GPU_LATENCY_GLOBAL_LOAD,  SOOTH_GPU_LATENCY_SHARED_LOAD,
        SOOTH_GPU_LATENCY_SHARED_STORE, SOOTH_GPU_LATENCY_SHARED_LOAD,
        SOOTH_GPU_LATENCY_L1,           SOOTH_GPU_LATENCY_L1,
        SOOTH_GPU_LATENCY_CONSTANT,     SOOTH_GPU_LATENCY_TEXTURE,
        SOOTH_GPU_LATENCY_TEXTURE,      SOOTH_GPU_LATENCY_CONSTANT,
        SOOTH_GPU_LATENCY_CONSTANT,     SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER, /* branch ... */
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER};
    const unsigned own = kind < SOOTH_PTX_KINDS ? of_kind[kind] : (unsigned)SOOTH_GPU_LATENCY_OTHER;
    const int is_approx = (form->flags & SOOTH_PTX_FORM_APPROX) != 0;
    switch (form->opcode) {
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
    case SOOTH_PTX_OP_MADC:
    case SOOTH_PTX_OP_MUL24:
    case SOOTH_PTX_OP_MAD24: return kind == SOOTH_PTX_KIND_INT ? (unsigned)SOOTH_GPU_LATENCY_MULTIPLY : own;
    case SOOTH_PTX_OP_DIV:
    case SOOTH_PTX_OP_REM:
        return kind == SOOTH_PTX_KIND_INT    ? SOOTH_GPU_LATENCY_DIVIDE
               : kind == SOOTH_PTX_KIND_FP64 ? SOOTH_GPU_LATENCY_F64_DIVIDE
               : is_approx                   ? SOOTH_GPU_LATENCY_RSQRT
                                             : SOOTH_GPU_LATENCY_F32_DIVIDE;
    case SOOTH_PTX_OP_SQRT: return is_approx ? SOOTH_GPU_LATENCY_RSQRT : SOOTH_GPU_LATENCY_F32_SQRT;
    case SOOTH_PTX_OP_RCP: return is_approx ? SOOTH_GPU_LATENCY_RSQRT : SOOTH_GPU_LATENCY_F32_RCP;
    case SOOTH_PTX_OP_SIN:
    case SOOTH_PTX_OP_COS: return SOOTH_GPU_LATENCY_SINE;
    case SOOTH_PTX_OP_LG2: return SOOTH_GPU_LATENCY_LOG2;
    case SOOTH_PTX_OP_EX2:
    case SOOTH_PTX_OP_TANH: return SOOTH_GPU_LATENCY_EXP2;
    case SOOTH_PTX_OP_SELP: return SOOTH_GPU_LATENCY_MOVE;
    default: return own;
    }
}

/* Returns the latency of an instruction of this kind (or of its form) in cycles; 0 means not known. */
SOOTHI_LOCAL double soothi_pfea_latency(const sooth_gpu *gpu, const sooth_ptx_form *form,
                                        sooth_ptx_kind kind) {
    /* the substitute for a latency that the device lacks; itself: none */
    static const uint8_t instead[SOOTH_GPU_LATENCIES] = {
#define SOOTHI_ITEM(item, name, what, other) SOOTH_GPU_LATENCY_##other,
        SOOTH_GPU_LATENCY_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    unsigned latency = soothi_pfea_latency_of(form, (unsigned)kind);
    while (!(gpu->latency[latency] > 0.0) && instead[latency] != latency) latency = instead[latency];
    return gpu->latency[latency];
}

/* ---- equations 1 to 4 ---- */

#define SOOTHI_PENALTY_LINE 128.0 /* bytes: access_sz of the paper for global memory, */
#define SOOTHI_PENALTY_WORD 4.0   /* and for shared memory */

/* The work of a launch. */
typedef struct soothi_penalty {
    uint32_t as_published; /* 1: the paper's equations; 0: corrected */
    uint32_t blocks;       /* of the grid, nB */
    uint32_t threads;      /* of a block, nT */
    uint64_t waves;        /* used by the printed equations only */
    double inst;           /* instructions that one thread executes, all types */
    double glob_inst;      /* part of inst to global memory (the paper's glob_inst_sm is this x waves) */
    double shar_inst;
    double glob_latency; /* L(gm): mean cycles of a global memory instruction */
    double global_bytes; /* TP(gm), bytes per cycle of the device; 0 means its bandwidth over its clock */
    double shared_bytes; /* TP(sm), bytes per cycle of an SM; 0 means the device's */
} soothi_penalty;

/* Returns T as a double, so that the product of two launch sizes does not overflow. */
SOOTHI_LOCAL double soothi_penalty_threads(const soothi_penalty *work) {
    return (double)work->blocks * (double)work->threads;
}

/* Returns the blocks of the SM with the most blocks. */
SOOTHI_LOCAL double soothi_penalty_busiest(const sooth_gpu *gpu, const soothi_penalty *work) {
    uint32_t sms = gpu->sms ? gpu->sms : 1;
    return (double)(work->blocks / sms + (work->blocks % sms != 0));
}

/* Return TP(gm) and TP(sm); 0 means not known. */
SOOTHI_LOCAL double soothi_penalty_tp_global(const sooth_gpu *gpu, const soothi_penalty *work) {
    if (work->global_bytes > 0.0) return work->global_bytes;
    return gpu->clock_mhz > 0.0 ? gpu->memory_gbs * 1000.0 / gpu->clock_mhz : 0.0;
}

SOOTHI_LOCAL double soothi_penalty_tp_shared(const sooth_gpu *gpu, const soothi_penalty *work) {
    return work->shared_bytes > 0.0 ? work->shared_bytes : gpu->shared_bytes;
}

/* Returns SOOTH_OK if all divisors of the equations are known, else SOOTH_BAD_ARGUMENT and the missing field.
   Without them, the equations below return an infinity or a NaN, never 0. */
SOOTHI_LOCAL sooth_status soothi_penalty_check(sooth_env *env, const sooth_gpu *gpu,
                                               const soothi_penalty *work) {
    const char *missing = !gpu->sms                                      ? "sms"
                          : !gpu->dispatch_units                         ? "dispatch_units"
                          : work->as_published && !gpu->schedulers       ? "schedulers"
                          : work->as_published && !gpu->load_store_units ? "load_store_units"
                          : !gpu->l2_bytes                               ? "l2_bytes"
                          : !(soothi_penalty_tp_global(gpu, work) > 0.0) ? "memory_gbs and clock_mhz"
                          : !(soothi_penalty_tp_shared(gpu, work) > 0.0) ? "shared_bytes"
                                                                         : NULL;
    if (!missing) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "%s of the GPU %s is not known, but the penalties need it; add the line to its "
                      "description",
                      missing, gpu->name);
}

/* Returns equation 1 in cycles. */
SOOTHI_LOCAL double soothi_penalty_issue(const sooth_gpu *gpu, const soothi_penalty *work) {
    if (work->as_published)
        return soothi_penalty_threads(work) / (gpu->schedulers * 32.0) * (work->inst * (double)work->waves) /
               (double)gpu->dispatch_units;
    return soothi_penalty_busiest(gpu, work) * soothi_gpu_warps(work->threads) * work->inst /
           (double)gpu->dispatch_units;
}

/* Returns equation 2 in cycles. */
SOOTHI_LOCAL double soothi_penalty_cache(const sooth_gpu *gpu, const soothi_penalty *work) {
    double lines = (double)gpu->l2_bytes / SOOTHI_PENALTY_LINE;
    if (work->as_published)
        return soothi_penalty_threads(work) * (work->glob_inst * (double)work->waves) /
               ((double)work->waves * lines) * work->glob_latency;
    return (double)work->blocks * soothi_gpu_warps(work->threads) * work->glob_inst / lines *
           work->glob_latency;
}

/* Returns equation 3 in cycles. */
SOOTHI_LOCAL double soothi_penalty_global(const sooth_gpu *gpu, const soothi_penalty *work) {
    double each = SOOTHI_PENALTY_LINE / soothi_penalty_tp_global(gpu, work);
    if (work->as_published)
        return soothi_penalty_threads(work) / (double)gpu->load_store_units * each *
               (work->glob_inst * (double)work->waves);
    return (double)work->blocks * soothi_gpu_warps(work->threads) * each * work->glob_inst;
}

/* Returns equation 4 in cycles. */
SOOTHI_LOCAL double soothi_penalty_shared(const sooth_gpu *gpu, const soothi_penalty *work) {
    double each = SOOTHI_PENALTY_WORD / soothi_penalty_tp_shared(gpu, work);
    if (work->as_published)
        return soothi_penalty_threads(work) / ((double)gpu->load_store_units * (double)gpu->sms) * each *
               (work->shar_inst * (double)work->waves);
    return soothi_penalty_busiest(gpu, work) * soothi_gpu_warps(work->threads) * 32.0 * each *
           work->shar_inst;
}

/* ---- algorithms 1 and 2 ---- */

/* The instruction types of the paper, in the order of their mean latencies. */
enum { SOOTHI_PFEA_C, SOOTHI_PFEA_GM, SOOTHI_PFEA_M, SOOTHI_PFEA_SM, SOOTHI_PFEA_TYPES };

/* Returns the type of instructions of a kind; SOOTHI_PFEA_TYPES for parameters and constants. */
SOOTHI_LOCAL unsigned soothi_pfea_type(unsigned kind) {
    static const uint8_t of_class[SOOTH_PTX_CLASSES] = {SOOTHI_PFEA_C,     SOOTHI_PFEA_GM,    SOOTHI_PFEA_SM,
                                                        SOOTHI_PFEA_GM,    SOOTHI_PFEA_TYPES, SOOTHI_PFEA_GM,
                                                        SOOTHI_PFEA_TYPES, SOOTHI_PFEA_M,     SOOTHI_PFEA_M};
    return of_class[sooth_ptx_kind_class((sooth_ptx_kind)kind)];
}

/* c_bb of the paper: the sums of a block, or with weights those of a thread in the kernel. */
typedef struct soothi_pfea_sums {
    double count[SOOTHI_PFEA_TYPES], cycles[SOOTHI_PFEA_TYPES]; /* I(T) and L(T) */
    double branch, load, store;
    int partial; /* 1: latencies that are not known are NaN */
} soothi_pfea_sums;

/* Returns the instructions of all types. */
SOOTHI_LOCAL double soothi_pfea_all(const soothi_pfea_sums *s) {
    const double *I = s->count;
    return I[SOOTHI_PFEA_C] + I[SOOTHI_PFEA_GM] + I[SOOTHI_PFEA_SM] + I[SOOTHI_PFEA_M];
}

/* Algorithm 1: adds the instructions of a block, each this many times. */
SOOTHI_LOCAL sooth_status soothi_pfea_block(sooth_env *env, const sooth_ptx *ptx,
                                            const sooth_ptx_block *block, double times, const sooth_gpu *gpu,
                                            soothi_pfea_sums *sums) {
    for (uint32_t i = block->first; i < block->first + block->count; ++i) {
        const sooth_ptx_instruction *ins = &ptx->instruction[i];
        const unsigned type = soothi_pfea_type(ins->kind);
        if (type == SOOTHI_PFEA_TYPES) continue;
        double cycles = soothi_pfea_latency(gpu, &ptx->form[ins->form], (sooth_ptx_kind)ins->kind);
        if (!(cycles > 0.0) && sums->partial) cycles = (double)soothi_missing();
        else if (!(cycles > 0.0))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the latency of %s instructions of the GPU %s is not known, but the kernel has "
                              "one; add the latency lines to its description",
                              sooth_ptx_kind_name(ins->kind), gpu->name);
        sums->count[type] += times;
        sums->cycles[type] += times * cycles;
        if (ins->kind == SOOTH_PTX_KIND_BRANCH) sums->branch += times;
        if (ins->kind == SOOTH_PTX_KIND_GLOBAL_LOAD) sums->load += times;
        if (ins->kind == SOOTH_PTX_KIND_GLOBAL_STORE || ins->kind == SOOTH_PTX_KIND_GLOBAL_ATOMIC)
            sums->store += times;
    }
    return SOOTH_OK;
}

/* Sets the features that follow from sums, waves and launch alone. */
SOOTHI_LOCAL void soothi_pfea_fill(const soothi_pfea_sums *s, double waves, const sooth_gpu_launch *launch,
                                   double *v) {
    static const uint8_t kernel[SOOTHI_PFEA_TYPES] = {
        SOOTH_PFEA_COMP_INST_KERNEL, SOOTH_PFEA_GLOB_INST_KERNEL, SOOTH_PFEA_MISC_INST_KERNEL,
        SOOTH_PFEA_SHAR_INST_KERNEL};
    static const uint8_t inst_sm[SOOTHI_PFEA_TYPES] = {SOOTH_PFEA_COMP_INST_SM, SOOTH_PFEA_GLOB_INST_SM,
                                                       SOOTH_PFEA_MISC_INST_SM, SOOTH_PFEA_SHAR_INST_SM};
    for (unsigned t = 0; t < SOOTHI_PFEA_TYPES; ++t) {
        v[SOOTH_PFEA_AVG_COMP_LAT + t] = s->count[t] > 0.0 ? s->cycles[t] / s->count[t] : 0.0;
        v[kernel[t]] = s->count[t];
        v[inst_sm[t]] = s->count[t] * waves;
        v[inst_sm[t] + 1] = s->cycles[t] * waves; /* ..._LAT_SM follows ..._INST_SM */
    }
    v[SOOTH_PFEA_BRANCH] = s->branch * waves;
    v[SOOTH_PFEA_GLOB_LOAD_SM] = s->load * waves;
    v[SOOTH_PFEA_GLOB_STORE_SM] = s->store * waves;
    v[SOOTH_PFEA_TOTAL_INST] = soothi_pfea_all(s) * waves;
    v[SOOTH_PFEA_WAVES] = waves;
    v[SOOTH_PFEA_TOTAL_THREADS] = (double)launch->blocks * (double)launch->threads;
    v[SOOTH_PFEA_REG_THREAD] = launch->registers ? (double)launch->registers : (double)soothi_missing();
    v[SOOTH_PFEA_SHMEM_BLOCK] = (double)launch->shared;
    v[SOOTH_PFEA_BLOCK_SIZE] = (double)launch->threads;
    v[SOOTH_PFEA_GRID_SIZE] = (double)launch->blocks;
}

SOOTH_API sooth_status sooth_pfea_extract(sooth_env *env, const sooth_ptx *ptx, size_t kernel,
                                          const sooth_ptx_counts *counts, const sooth_gpu *gpu,
                                          const sooth_gpu_launch *launch, const sooth_pfea_options *options,
                                          sooth_pfea *out) {
    soothi_pfea_sums sums;
    soothi_penalty work;
    sooth_gpu_fit fit;
    memset(out, 0, sizeof *out);
    memset(&sums, 0, sizeof sums);
    memset(&work, 0, sizeof work);
    sooth_gpu_launch again = *launch;
    again.recompiled = 1;
    sooth_status status = sooth_gpu_launch_check(env, gpu, ptx, kernel, &again, &fit);
    if (options) {
        work.as_published = options->as_published;
        work.global_bytes = options->global_bytes;
        work.shared_bytes = options->shared_bytes;
    }
    sums.partial = options && options->partial;
    if (status == SOOTH_OK && !sums.partial) status = soothi_penalty_check(env, gpu, &work);
    for (size_t b = 0; b < ptx->blocks && status == SOOTH_OK; ++b)
        if (counts->block[b] > 0.0)
            status = soothi_pfea_block(env, ptx, &ptx->block[b], counts->block[b], gpu, &sums);
    if (status != SOOTH_OK) return status;

    const uint64_t busiest = ((uint64_t)launch->blocks + gpu->sms - 1) / gpu->sms; /* blocks of an SM */
    uint64_t at_once = busiest < fit.blocks ? busiest : fit.blocks;
    work.blocks = launch->blocks;
    work.threads = launch->threads;
    work.waves = (busiest + fit.blocks - 1) / fit.blocks;
    if (work.as_published) { /* lines 3 to 6 and 19 of algorithm 2; the loop ends when no thread remains */
        const uint64_t most = SOOTH_GPU_WARP * sooth_gpu_limits_for(gpu->compute)->warps;
        const uint64_t left = (uint64_t)launch->blocks * launch->threads / gpu->sms; /* nTh_schd */
        work.waves = left > most ? (left - 1) / most + 1 : 1;
        at_once = launch->blocks / gpu->sms ? launch->blocks / gpu->sms : 1;
    }
    soothi_pfea_fill(&sums, (double)work.waves, launch, out->value);
    work.inst = soothi_pfea_all(&sums);
    work.glob_inst = sums.count[SOOTHI_PFEA_GM];
    work.shar_inst = sums.count[SOOTHI_PFEA_SM];
    work.glob_latency = out->value[SOOTH_PFEA_AVG_GLOB_LAT];
    out->value[SOOTH_PFEA_INST_ISSUE_CYCLES] = soothi_penalty_issue(gpu, &work);
    out->value[SOOTH_PFEA_CACHE_PENALTY] = soothi_penalty_cache(gpu, &work);
    out->value[SOOTH_PFEA_GLB_PENALTY] = soothi_penalty_global(gpu, &work);
    out->value[SOOTH_PFEA_SH_PENALTY] = soothi_penalty_shared(gpu, &work);
    out->value[SOOTH_PFEA_OCCUPANCY] = fit.occupancy;
    out->value[SOOTH_PFEA_SM_ACTIVE] = (double)(launch->blocks < gpu->sms ? launch->blocks : gpu->sms);
    out->value[SOOTH_PFEA_N_WARPS] = (double)(soothi_gpu_warps(launch->threads) * at_once);
    for (size_t i = 0; i < SOOTH_PFEA_FEATURES && sums.partial; ++i) /* divided by what is not known */
        if (!(out->value[i] - out->value[i] <= 0.0)) out->value[i] = (double)soothi_missing();
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
