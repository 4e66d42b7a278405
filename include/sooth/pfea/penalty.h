/* penalty.h - the cycles that a GPU kernel waits: issue cycles and cache, global and shared memory penalties.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Equations 1 to 4 of Alavani et al., Program Analysis and Machine Learning-based Approach to Predict Power
 * Consumption of CUDA Kernel (TOMPECS 2023), in two forms: as printed, and corrected so that both sides have
 * the same unit.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/pfea.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const sooth_penalty_work work = {
 *             .blocks = 130, .threads = 256, .waves = 2, .inst = 40, .glob_inst = 3, .glob_latency = 331};
 *         sooth_gpu gpu;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_find(&env, "k20", &gpu) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g cycles to issue\n", sooth_penalty_issue(&gpu, &work));       //> 400 cycles to issue
 *         printf("%g for memory\n", sooth_penalty_global(&gpu, &work));           //> 1355.52 for memory
 *         return 0;
 *     }
 *
 * The corrected equations use T threads in W warps, each with I instructions. G and S of the I access global
 * and shared memory:
 *
 *   (1)  printed    T / (nWS 32) x I waves / nDU
 *        The waves count twice, because T includes all threads. Schedulers and dispatch units are one limit,
 *        not a product. Both are those of one SM, but T is of the device.
 *        corrected  warps of the busiest SM x I / nDU                                          [cycles]
 *   (2)  printed    T G waves / (waves L2 / 128) x L(gm)
 *        A line of 128 bytes serves a warp, not a thread.
 *        corrected  W G / (L2 / 128) x L(gm)                                                   [cycles]
 *   (3)  printed    T / R[LSU] x 128 / TP(gm) x G waves
 *        The waves count twice again. R[LSU] threads of one SM are served at a time, but TP(gm) is of the
 *        device, and 128 bytes are of a warp.
 *        corrected  W x 128 / TP(gm) x G                                                       [cycles]
 *   (4)  printed    T / (R[LSU] nSM) x 4 / TP(sm) x S waves
 *        As in (3). TP(sm) is the throughput of the load-store units.
 *        corrected  threads of the busiest SM, whole warps x 4 / TP(sm) x S                    [cycles]
 *
 * TP(gm) and TP(sm) are bytes per cycle: of the device, from its bandwidth and clock, and of one SM. The
 * paper fitted both to measurements that it does not print. Set work.global_bytes and work.shared_bytes to
 * use your own.
 *
 * Cost: no allocation, about ten operations a call. Any number of threads.
 */
#if !defined(SOOTH_PFEA_PENALTY_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PFEA_PENALTY_IMPLEMENTED))
#include "../base.h"
#include "../gpu.h"
#endif

#if !defined(SOOTH_PFEA_PENALTY_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PFEA_PENALTY_H
SOOTHI_C_BEGIN

#define SOOTH_PENALTY_LINE 128.0 /* bytes: access_sz of the paper for global memory, */
#define SOOTH_PENALTY_WORD 4.0   /* and for shared memory */

/* The work of a launch. */
typedef struct sooth_penalty_work {
    uint32_t as_printed; /* 1: the paper's equations; 0: corrected */
    uint32_t blocks;     /* of the grid, nB */
    uint32_t threads;    /* of a block, nT */
    uint64_t waves;      /* used by the printed equations only */
    double inst;         /* instructions that one thread executes, all types */
    double glob_inst;    /* part of inst to global memory (the paper's glob_inst_sm is this x waves) */
    double shar_inst;
    double glob_latency; /* L(gm): mean cycles of a global memory instruction */
    double global_bytes; /* TP(gm), bytes per cycle of the device; 0 means its bandwidth over its clock */
    double shared_bytes; /* TP(sm), bytes per cycle of an SM; 0 means the device's */
} sooth_penalty_work;

/* Returns SOOTH_OK if all divisors of the equations are known, else SOOTH_BAD_ARGUMENT and the missing field.
   Without them, the equations below return an infinity or a NaN, never 0. */
SOOTH_API sooth_status sooth_penalty_check(sooth_env *env, const sooth_gpu *gpu,
                                           const sooth_penalty_work *work);

/* Return equations 1 to 4, in cycles. */
SOOTH_API double sooth_penalty_issue(const sooth_gpu *gpu, const sooth_penalty_work *work);  /* (1) */
SOOTH_API double sooth_penalty_cache(const sooth_gpu *gpu, const sooth_penalty_work *work);  /* (2) */
SOOTH_API double sooth_penalty_global(const sooth_gpu *gpu, const sooth_penalty_work *work); /* (3) */
SOOTH_API double sooth_penalty_shared(const sooth_gpu *gpu, const sooth_penalty_work *work); /* (4) */

SOOTHI_C_END
#endif /* SOOTH_PFEA_PENALTY_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PFEA_PENALTY_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PFEA_PENALTY_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns T as a double, so that the product of two launch sizes does not overflow. */
SOOTHI_LOCAL double soothi_penalty_threads(const sooth_penalty_work *work) {
    return (double)work->blocks * (double)work->threads;
}

/* Returns the blocks of the SM with the most blocks. */
SOOTHI_LOCAL double soothi_penalty_busiest(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    uint32_t sms = gpu->sms ? gpu->sms : 1;
    return (double)(work->blocks / sms + (work->blocks % sms != 0));
}

/* Return TP(gm) and TP(sm); 0 means not known. */
SOOTHI_LOCAL double soothi_penalty_tp_global(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    if (work->global_bytes > 0.0) return work->global_bytes;
    return gpu->clock_mhz > 0.0 ? gpu->memory_gbs * 1000.0 / gpu->clock_mhz : 0.0;
}

SOOTHI_LOCAL double soothi_penalty_tp_shared(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    return work->shared_bytes > 0.0 ? work->shared_bytes : gpu->shared_bytes;
}

SOOTH_API sooth_status sooth_penalty_check(sooth_env *env, const sooth_gpu *gpu,
                                           const sooth_penalty_work *work) {
    const char *missing = !gpu->sms                                      ? "sms"
                          : !gpu->dispatch_units                         ? "dispatch_units"
                          : work->as_printed && !gpu->schedulers         ? "schedulers"
                          : work->as_printed && !gpu->load_store_units   ? "load_store_units"
                          : !gpu->l2_bytes                               ? "l2_bytes"
                          : !(soothi_penalty_tp_global(gpu, work) > 0.0) ? "memory_gbs and clock_mhz"
                          : !(soothi_penalty_tp_shared(gpu, work) > 0.0) ? "shared_bytes"
                                                                         : NULL;
    if (!missing) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the GPU %s does not tell its %s, which the penalties need; add the line to its "
                      "description",
                      gpu->name, missing);
}

SOOTH_API double sooth_penalty_issue(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    if (work->as_printed)
        return soothi_penalty_threads(work) / (gpu->schedulers * 32.0) * (work->inst * (double)work->waves) /
               (double)gpu->dispatch_units;
    return soothi_penalty_busiest(gpu, work) * soothi_gpu_warps(work->threads) * work->inst /
           (double)gpu->dispatch_units;
}

SOOTH_API double sooth_penalty_cache(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    double lines = (double)gpu->l2_bytes / SOOTH_PENALTY_LINE;
    if (work->as_printed)
        return soothi_penalty_threads(work) * (work->glob_inst * (double)work->waves) /
               ((double)work->waves * lines) * work->glob_latency;
    return (double)work->blocks * soothi_gpu_warps(work->threads) * work->glob_inst / lines *
           work->glob_latency;
}

SOOTH_API double sooth_penalty_global(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    double each = SOOTH_PENALTY_LINE / soothi_penalty_tp_global(gpu, work);
    if (work->as_printed)
        return soothi_penalty_threads(work) / (double)gpu->load_store_units * each *
               (work->glob_inst * (double)work->waves);
    return (double)work->blocks * soothi_gpu_warps(work->threads) * each * work->glob_inst;
}

SOOTH_API double sooth_penalty_shared(const sooth_gpu *gpu, const sooth_penalty_work *work) {
    double each = SOOTH_PENALTY_WORD / soothi_penalty_tp_shared(gpu, work);
    if (work->as_printed)
        return soothi_penalty_threads(work) / ((double)gpu->load_store_units * (double)gpu->sms) * each *
               (work->shar_inst * (double)work->waves);
    return soothi_penalty_busiest(gpu, work) * soothi_gpu_warps(work->threads) * 32.0 * each *
           work->shar_inst;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
