/* gpu_time.h - predicts how long an operator takes on a GPU that was never measured, with an interval.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Two models answer. Operators of language models (gemm, prefill, decode, moe, mla-prefill, mla-decode) have
 * a data type, from BF16 to NVFP4; gpu_time/language.h is their model, with tables learned from A100, H100,
 * H200, L40S and B200. All other operators are those of single precision, as follows.
 *
 * The roofline (gpu/roofline.h) bounds what a device can reach. Here five GPUs (P4, P100, V100, T4, A100)
 * show how much of it kernels reach. The model has a few parameters for each kind of operator, the same on
 * every device. It has one parameter for each device: its level, which is its performance relative to its
 * specification. An unmeasured device gets the level of the most similar ones.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu_time.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const sooth_operator op = {.kind = SOOTH_OPERATOR_LINEAR, .b = 1, .m = 4096, .n = 1024, .k = 4096};
 *         sooth_gpu gpu;
 *         sooth_gpu_timer timer;
 *         sooth_gpu_timing t;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_named(&env, "h100", &gpu) != SOOTH_OK ||
 *             sooth_gpu_timer_init(&env, &timer, &gpu, NULL) != SOOTH_OK ||
 *             sooth_gpu_time(&env, &timer, &op, &t) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.2f ms, %.2f to %.2f\n", t.ms, t.low, t.high);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Once a few kernels of the new device are measured, adapt.h corrects all others. A device takes the role
 *   of a program. Errors are in units of the error of each kind of operator on a GPU left out, and the
 *   correction was learned from those errors.
 * - Those of single precision are PyTorch 2.1 kernels without tensor cores. They are measured
 *   between two events around one call, so a small operator includes its launch.
 * - Predictions of single precision are monotone: a larger operator is never faster. More bandwidth,
 *   operations or watts never make a device slower. Those of language models are not: by trees on a monotone
 *   law, half the size takes longer in 0.2 to 17 % of pairs (by more than a twentieth in 2 % at most, the
 *   worst by a factor of 0.6; gpu_time/language.h lists them). In a sweep take the largest one so far.
 * - Any number of threads may read a timer.
 *
 * Method and references
 *
 * Data: Lee, Phanishayee and Mahajan: NeuSight, ASPLOS 2025; mean of the 5 fastest of 25. The parameters are
 * fitted. Their accuracy was judged by leaving each of the five GPUs out (examples/gpu/times.c). Four parts
 * cannot be estimated from five GPUs and are set by reasoning: the scaling of the power roof with the
 * process, the similarity of devices, what L2 keeps, and what an SM issues.
 *
 * Matrix products: t = launch + level sqrt(max(C, P)^2 + M^2).
 *
 * - M is the time of the operands at the memory bandwidth.
 * - P is the time of the operations at the rate that the power limit sustains. A waiting unit draws little,
 *   so P does not add to the losses of tiles.
 * - C is the time of the tiles at the peak. The shape is cut into the best of the tile sizes from 128 x 128
 *   down to 32 x 32, each with its own efficiency:
 *
 *     C  = min over tiles of  w' 2 tile (n + n0) sms / (efficiency peak)       w = tiles / sms
 *     w' = w + q (ceil(w) - w) from one wave on, w^s below (the sum is split where SMs would idle)
 *
 * For linear layers before compute capability 7.0, C is multiplied by 1 + long n^2 / (n^2 + 16384^2). Both
 * operands lie along the summed dimension. A row distance of 64 KB or more costs P100 two thirds of its rate
 * (0.73 of the peak up to n = 4096, 0.26 at 65536) and P4 a third. Later devices lose up to a fifth.
 *
 * The peak is that of the units. On Ada and Hopper an SM issues no more instructions than its units execute,
 * so every other instruction costs a slot. With 8 x 8 results for each thread, 64 of 69 instructions
 * multiply, 4 load operands, and the rest fill the next tile and count. P is that of gpu/roofline.h; for A100
 * it uses the measured 15 pJ.
 *
 * Streaming operators: t = max(launch, queue + level passes bytes / bandwidth). Normalisation reads a row
 * twice, and a softmax of more than 1024 reads it three times. Let r be the size of the rows on the SMs at
 * once, over the size of L2. The part not found in L2 comes from memory: passes = 1 + again r^2 / (r^2 +
 * r0^2), with again 1/2 and 1. Data that stays in L2 between calls is not moved. For A100 and H100 half of L2
 * counts: it has two partitions, and each keeps what its own SMs read (the maker's white papers).
 *
 * A copy moves its bytes as an element-wise operator does, each once, after a launch of 5 microseconds. It
 * has no parameters of its own: many copies that networks list are views, which run no kernel, and their
 * times are the host's. For that reason its interval is wide, a factor of 5.5.
 *
 * An operand that is broadcast over a larger one is read again each time, unless L2 holds it until then. L2
 * must hold the operand and an equal amount of the other operand and of the result. Addressing it takes an SM
 * a clock or more for each element. With much bandwidth (P100, A100), this takes longer than the bytes.
 *
 * The level of streams is that of the devices with the same kind of memory, if there are any: stacked since
 * Volta (0.9 of the bandwidth is reached on V100 and A100), stacked before (0.74 on P100), not stacked (0.76
 * on P4 and T4). By the maker, V100 delivers 1.5 times the bandwidth of P100 with 1.23 times its nominal one.
 *
 * No time is below the roof of the specification: the operations of products and of attention over the peak,
 * and the bytes beyond the size of L2 over the bandwidth. It bounds ms and low; nothing else is clamped. Of
 * 247,355 measured rows of single precision on five GPUs and 95,202 of language models on five, none is below
 * it. The nearest have 1.00 and 1.07 times the time of the compute roof, 1.08 and 1.05 times that of the
 * memory roof. Three parts have no roof:
 *
 * - compute: convolutions, for which Winograd's products have fewer operations
 * - memory: copies, many of which are views, and experts with a skew, for which fewer experts are read than
 *   the mean (0.6 % of such rows are below it, the lowest at 0.74)
 * - measurements of the device itself: a correction that puts the time below the roof is believed
 *
 * FP16 and FP8 may be summed in 16 bits, which is twice as fast on GeForce boards. Their peak is therefore
 * that of INT8 where that is higher (RTX 4090: FP16 330 TFLOPS, BF16 165). Such boards also run above the
 * clock of the sheet: others' products in BF16 and FP16 on RTX 4090 reach 165 and 168 TFLOPS.
 *
 * A kernel of known work only (sooth_work_from_ptx), whose bytes all come from memory:
 *
 *     t = launch + max(operations / rate, level sqrt(C^2 + M^2))
 *     C = operations / (efficiency rate) x (w < 1: w^(s - 1))
 *
 * with M as above and w blocks over SMs. Of PTX the rates are those of the part of the device that the launch
 * has (gpu/roofline.h), without the power of w; C is no less than the time of instructions, one issued for
 * each of PTX, and of int32 logic, shared memory and chains. Its parameters were learned from all operators
 * at once, each counted like PTX: every byte that a tile requests. Its error was judged by leaving out both a
 * GPU and a kind of operator. The errors of the worst kind are used for all.
 *
 * Cost
 *
 * No allocation. A prediction takes less than a microsecond (a dozen divisions, up to ten logarithms and
 * exponentials). A timer is a few hundred bytes.
 */
#if !defined(SOOTH_GPU_TIME_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED))
#include "gpu.h"
#include "base.h"
#include "adapt.h"
#include "gpu_time/table.h"
#include "gpu_time/language.h"
#include "gpu_time/gemm.h"
#include "gpu_time/prefill.h"
#include "gpu_time/decode.h"
#include "gpu_time/moe.h"
#include "gpu_time/mla_prefill.h"
#include "gpu_time/mla_decode.h"
#endif

#if !defined(SOOTH_GPU_TIME_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_H
SOOTHI_C_BEGIN

/* ---- the learned parameters ---- */

typedef enum sooth_gpu_law {
    SOOTH_GPU_LAW_BMM,
    SOOTH_GPU_LAW_LINEAR,
    SOOTH_GPU_LAW_VECTOR,
    SOOTH_GPU_LAW_SOFTMAX,
    SOOTH_GPU_LAW_LN,
    SOOTH_GPU_LAW_COPY,
    SOOTH_GPU_LAWS, /* of operators; and one of kernels of any kind */
    SOOTH_GPU_LAW_KERNEL = SOOTH_GPU_LAWS,
    SOOTH_GPU_ALL_LAWS
} sooth_gpu_law;

/* Returns the law for operators of a kind: LINEAR for convolutions, BMM for attention, VECTOR for
   reductions. */
SOOTH_API sooth_gpu_law sooth_gpu_law_for(sooth_operator_kind kind);

/* Parameters of a law, as above. */
enum {
    SOOTH_GPU_LAUNCH = 0, /* ms */
    SOOTH_GPU_USE,        /* share of the memory bandwidth */
    SOOTH_GPU_DEPTH,      /* matrix: n0 */
    SOOTH_GPU_QUANTUM,    /* matrix: q */
    SOOTH_GPU_SPLIT,      /* matrix, kernel: s */
    SOOTH_GPU_SMALL,      /* matrix: efficiency of 64 x 64 over 128 x 128; kernel: of the units, */
    SOOTH_GPU_TINY,       /* matrix: and of 32 x 32 */
    SOOTH_GPU_LONG,       /* linear, before compute capability 7.0: long */
    SOOTH_GPU_QUEUE = 2,  /* stream: ms */
    SOOTH_GPU_RESIDENT,   /* softmax, normalisation: r0 */
    SOOTH_GPU_PLACED = 3, /* vector: elements an SM and clock if an operand is broadcast */
    SOOTH_GPU_PARAMETERS = 8
};

#define SOOTH_GPU_MAX_LEARNED 8

typedef struct sooth_gpu_times {
    uint32_t gpus;                               /* learned from */
    char gpu[SOOTH_GPU_MAX_LEARNED][24];         /* their names in sooth_gpu_named */
    uint32_t compute[SOOTH_GPU_MAX_LEARNED];     /* capability */
    uint32_t memory_bits[SOOTH_GPU_MAX_LEARNED]; /* width of the bus */
    double picojoules[SOOTH_GPU_MAX_LEARNED];    /* of an operation of products; 0: as in gpu/roofline.h */
    double parameter[SOOTH_GPU_ALL_LAWS][SOOTH_GPU_PARAMETERS];
    double level[SOOTH_GPU_ALL_LAWS][SOOTH_GPU_MAX_LEARNED]; /* logarithms */
    /* 90 % of a learned GPU's operators, alone or in networks, lie within e^-known to e^known times the
       prediction; unseen: of the GPU with the largest errors when it is left out */
    double known[SOOTH_GPU_ALL_LAWS], unseen[SOOTH_GPU_ALL_LAWS];
    double unit[SOOTH_GPU_ALL_LAWS]; /* of errors, for adapt.h: like `unseen`, of all GPUs left out
                                        together */
    double most[SOOTH_GPU_ALL_LAWS]; /* elements of the largest operator learned from */
} sooth_gpu_times;

/* ---- one device ---- */

typedef struct sooth_gpu_timer {
    const sooth_gpu_times *times;
    double sms, threads;              /* threads that an SM holds at once */
    double clocks;                    /* of all SMs, per ms */
    double rate, tensor_rate;         /* operations per ms, at the maximum clock */
    double products;                  /* single-precision rate that a product can issue */
    double sustained;                 /* rate within the power limit */
    double bandwidth, l2;             /* bytes per ms; bytes, of the partition that an SM reads through */
    double level[SOOTH_GPU_ALL_LAWS]; /* factors */
    double spread[SOOTH_GPU_ALL_LAWS];
    uint32_t compute; /* capability */
    uint32_t learned; /* 1: this device, or one with its name, was learned from */
    uint32_t trust;   /* SOOTH_MODEL_TRUST_: distance of the device to the learned ones */
    sooth_ceilings ceilings;
    sooth_gpu_language_device language;
} sooth_gpu_timer;

/* Initialises the timer of a device. times NULL means the shipped parameters, learned from the data named
   above (MIT License, gpu_time/table.h); other ones must outlive the timer. Returns SOOTH_BAD_ARGUMENT if the
   device lacks sms, fp32_units, clock_mhz, memory_gbs or a known compute. */
SOOTH_API sooth_status sooth_gpu_timer_init(sooth_env *env, sooth_gpu_timer *timer, const sooth_gpu *gpu,
                                            const sooth_gpu_times *times);

typedef struct sooth_gpu_timing {
    double ms;        /* expected */
    double low, high; /* 90 % of measurements are between them; see trust. high 0: not known */
    uint32_t bound;   /* a sooth_bound: the largest part */
    uint32_t trust;   /* SOOTH_MODEL_TRUST_: EDGE or OUTSIDE if device, operator or shape differ from the
                         learned ones; the interval is then wider */
} sooth_gpu_timing;

/* Predicts the time of one operator. Returns SOOTH_BAD_ARGUMENT if a kind or a size is out of range, if the
   times of a data type were not learned, or the device or its generation has no units for it. Operators of
   single precision are refused on a device of another maker. */
SOOTH_API sooth_status sooth_gpu_time(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                      sooth_gpu_timing *out);

/* Predicts the time of a kernel of known work only. The expected time assumes that every byte comes from
   memory. low assumes that caches save all bytes, but is never below the roofs of units, issue, shared memory
   and latency; of PTX, it has the launch of the roof. The parameters were learned from PyTorch operators
   only, so trust is always OUTSIDE. The interval is the square of the factor that covers 90 % of the
   operators of a kind and a GPU left out (for a learned GPU: of a kind left out). high is at least the time
   of shared memory if all 32 threads of each warp conflict. It is not known if the work has unsized parts or
   atomics, or if a launch that takes longer than its launch has fewer than four warps for each scheduler.
   Returns SOOTH_BAD_ARGUMENT if operations or bytes are below 0, or all 0, or if the work has instructions
   that this device lacks, or operations on units whose peak is not known, but fp64 and special ones. */
SOOTH_API sooth_status sooth_gpu_time_work(sooth_env *env, const sooth_gpu_timer *timer,
                                           const sooth_work *work, sooth_gpu_timing *out);

/* ---- a few measured kernels ---- */

/* The model for sooth_adapt_begin, _program_size, _forget and _next of a device. A row of an operator has
   SOOTH_GPU_TIME_FEATURES numbers. sooth_gpu_time_row fills them, with 0 for operators that sooth_gpu_time
   rejects. */
#define SOOTH_GPU_TIME_FEATURES 8
SOOTH_API const sooth_adapt *sooth_gpu_time_adapt(void);
SOOTH_API void sooth_gpu_time_row(const sooth_operator *op, float row[SOOTH_GPU_TIME_FEATURES]);

/* Records a measurement of an operator on the timer's device. device comes from
   sooth_adapt_begin(sooth_gpu_time_adapt(), ...) and holds one device only. Returns SOOTH_BAD_ARGUMENT if a
   kind or a size is out of range, or ms is not above 0. */
SOOTH_API sooth_status sooth_gpu_time_observe(sooth_env *env, const sooth_gpu_timer *timer,
                                              sooth_adapt_program *device, const sooth_operator *op,
                                              double ms);

/* Like sooth_gpu_time, corrected by the observations. The interval is the narrower of adapt.h's and that of
   sooth_gpu_time. A learned GPU may have changed since, so its interval is never narrower than that of a GPU
   left out. Without observations, it equals sooth_gpu_time. */
SOOTH_API sooth_status sooth_gpu_time_adapted(sooth_env *env, const sooth_gpu_timer *timer,
                                              const sooth_adapt_program *device, const sooth_operator *op,
                                              sooth_gpu_timing *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_TIME_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns the shipped parameters, learned from the data named above (MIT License, gpu_time/table.h). */
SOOTHI_LOCAL const sooth_gpu_times *soothi_gpu_times_learned(void) {
    static const sooth_gpu_times learned = SOOTHI_GPU_TIME_TABLE;
    return &learned;
}

SOOTH_API sooth_gpu_law sooth_gpu_law_for(sooth_operator_kind kind) {
    switch (kind) {
    case SOOTH_OPERATOR_BMM:
    case SOOTH_OPERATOR_ATTENTION: return SOOTH_GPU_LAW_BMM;
    case SOOTH_OPERATOR_LINEAR:
    case SOOTH_OPERATOR_CONVOLUTION: return SOOTH_GPU_LAW_LINEAR;
    case SOOTH_OPERATOR_SOFTMAX: return SOOTH_GPU_LAW_SOFTMAX;
    case SOOTH_OPERATOR_LN: return SOOTH_GPU_LAW_LN;
    case SOOTH_OPERATOR_MEM: return SOOTH_GPU_LAW_COPY;
    default: return SOOTH_GPU_LAW_VECTOR;
    }
}

SOOTHI_LOCAL double soothi_gpu_exp(double x) { return (double)sooth_exp((float)x); }
SOOTHI_LOCAL double soothi_gpu_power(double x, double y) {
    return (double)sooth_exp((float)y * sooth_log((float)x));
}

/* ---- one device ---- */

/* Returns the weight of a learned device for another one: 1 for the same capability, a quarter at a fifth of
   a generation, and less with the square of the distance. */
SOOTHI_LOCAL double soothi_gpu_similarity(const sooth_gpu_times *t, size_t i, const sooth_gpu *gpu) {
    const double apart = 0.1 * ((double)gpu->compute - (double)t->compute[i]);
    const double close = 0.2 / (0.2 + (apart < 0.0 ? -apart : apart));
    return close * close;
}

/* Kinds of memory: stacked since Volta, stacked before, not stacked; 0: not known. */
SOOTHI_LOCAL unsigned soothi_gpu_memory(uint32_t compute, uint32_t bits) {
    if (!bits) return 0;
    return bits < 1024 ? 1 : compute < 70 ? 2 : 3;
}

/* True if learned device i counts for the streams of a device: it has the same kind of memory, or no learned
   one has. */
SOOTHI_LOCAL int soothi_gpu_same_memory(const sooth_gpu_times *t, size_t i, const sooth_gpu *gpu) {
    const unsigned kind = soothi_gpu_memory(gpu->compute, gpu->memory_bits);
    int any = 0;
    for (size_t j = 0; j < t->gpus; ++j) any |= soothi_gpu_memory(t->compute[j], t->memory_bits[j]) == kind;
    return !any || soothi_gpu_memory(t->compute[i], t->memory_bits[i]) == kind;
}

/* Sets the level and the spread of each law. Returns the weight of the nearest learned device. same: the
   index of this device among the learned ones, or their count. */
SOOTHI_LOCAL double soothi_gpu_levels(sooth_gpu_timer *timer, const sooth_gpu *gpu, size_t same) {
    const sooth_gpu_times *times = timer->times;
    double weight[2][SOOTH_GPU_MAX_LEARNED], nearest = 0.0; /* of products and kernels; of streams */
    for (size_t i = 0; i < times->gpus; ++i) {
        double w = soothi_gpu_similarity(times, i, gpu);
        if (same < times->gpus) w = i == same ? 1.0 : 0.0;
        weight[0][i] = w;
        weight[1][i] = same < times->gpus || soothi_gpu_same_memory(times, i, gpu) ? w : 0.0;
        if (w > nearest) nearest = w;
    }
    for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law) {
        const double *w = weight[law >= SOOTH_GPU_LAW_VECTOR && law != SOOTH_GPU_LAW_KERNEL];
        double sum = 0.0, all = 0.0;
        for (size_t i = 0; i < times->gpus; ++i) {
            sum += w[i] * times->level[law][i];
            all += w[i];
        }
        timer->level[law] = soothi_gpu_exp(sum / all);
        timer->spread[law] = same < times->gpus ? times->known[law] : times->unseen[law];
    }
    return nearest;
}

/* Returns the operations per ms within the power limit, by the energy of a learned device of the same
   capability. */
SOOTHI_LOCAL double soothi_gpu_sustained(const sooth_gpu_times *t, const sooth_gpu *gpu,
                                         const sooth_ceilings *c) {
    double sustained = 1e-3 * c->sustained;
    for (size_t i = 0; i < t->gpus; ++i)
        if (t->compute[i] == gpu->compute && t->picojoules[i] > 0.0)
            sustained = 1e9 * gpu->tdp_watts / t->picojoules[i];
    const double peak = 1e-3 * c->compute[SOOTH_COMPUTE_SINGLE];
    return sustained > 0.0 && sustained < peak ? sustained : peak;
}

SOOTH_API sooth_status sooth_gpu_timer_init(sooth_env *env, sooth_gpu_timer *timer, const sooth_gpu *gpu,
                                            const sooth_gpu_times *times) {
    const sooth_gpu_limits *limits = sooth_gpu_limits_for(gpu->compute);
    sooth_work none;
    sooth_roofline roof;
    memset(&none, 0, sizeof none);
    memset(timer, 0, sizeof *timer);
    if (sooth_roofline_compute(env, gpu, &none, &roof) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (!limits && gpu->maker == SOOTH_GPU_MAKER_NVIDIA)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "compute of the GPU %s is not known, but a timer needs it",
                          gpu->name);
    timer->times = times ? times : soothi_gpu_times_learned();
    sooth_roofline_ceilings(gpu, &timer->ceilings);
    sooth_gpu_language_device_init(&timer->language, gpu);
    const sooth_ceilings *c = &timer->ceilings;
    timer->sms = gpu->sms;
    timer->clocks = 1e3 * gpu->clock_mhz * timer->sms;
    timer->compute = gpu->compute;
    timer->threads = limits ? 32.0 * limits->warps : 0.0;
    timer->rate = timer->products = 1e-3 * c->compute[SOOTH_COMPUTE_SINGLE];
    if (gpu->dispatch_units && 32 * gpu->dispatch_units <= gpu->fp32_units) timer->products *= 64.0 / 69.0;
    timer->sustained = soothi_gpu_sustained(timer->times, gpu, c);
    timer->tensor_rate = 1e-3 * c->compute[SOOTH_COMPUTE_TENSOR];
    timer->bandwidth = 1e-3 * c->memory;
    timer->l2 = gpu->compute == 80 || gpu->compute == 90 ? 0.5 * gpu->l2_bytes : gpu->l2_bytes;
    size_t same = timer->times->gpus;
    for (size_t i = 0; i < timer->times->gpus; ++i)
        if (soothi_same_text(timer->times->gpu[i], gpu->name)) same = i;
    const double nearest = soothi_gpu_levels(timer, gpu, same);
    timer->learned = same < timer->times->gpus;
    timer->trust = nearest > 0.5     ? SOOTH_MODEL_TRUST_INSIDE
                   : nearest > 0.025 ? SOOTH_MODEL_TRUST_EDGE
                                     : SOOTH_MODEL_TRUST_OUTSIDE;
    return SOOTH_OK;
}

/* ---- one operator ---- */

/* Returns the time of a matrix product's tiles: the minimum over their sizes, 128 x 128 to 32 x 32. */
SOOTHI_LOCAL double soothi_gpu_tiles(const sooth_gpu_timer *t, const double *p, const sooth_operator *op,
                                     double rate) {
    const double efficiency[5] = {1.0, soothi_sqrt(p[SOOTH_GPU_SMALL]), p[SOOTH_GPU_SMALL],
                                  soothi_sqrt(p[SOOTH_GPU_SMALL] * p[SOOTH_GPU_TINY]), p[SOOTH_GPU_TINY]};
    double least = 0.0;
    for (unsigned down = 0; down < 3; ++down)
        for (unsigned across = 0; across < 3; ++across) {
            if (down + 2 == across || across + 2 == down) continue;
            const double rows = 128.0 / (1u << down), cols = 128.0 / (1u << across);
            const double tiles = op->b * soothi_ceil_over(op->m, rows) * soothi_ceil_over(op->k, cols);
            const double w = tiles / t->sms;
            const double waves = w >= 1.0 ? w + p[SOOTH_GPU_QUANTUM] * (soothi_ceil_over(tiles, t->sms) - w)
                                          : soothi_gpu_power(w, p[SOOTH_GPU_SPLIT]);
            const double time = waves * 2.0 * rows * cols * (op->n + p[SOOTH_GPU_DEPTH]) * t->sms /
                                (rate * efficiency[down + across]);
            if (!(down + across) || time < least) least = time;
        }
    return least;
}

/* Applies the matrix laws. *bound is set to the largest part. */
SOOTHI_LOCAL double soothi_gpu_matrix(const sooth_gpu_timer *t, unsigned law, const sooth_operator *op,
                                      const sooth_work *work, uint32_t *bound) {
    const double *p = t->times->parameter[law];
    const int tensor = op->tensor && t->tensor_rate > 0.0;
    double compute = soothi_gpu_tiles(t, p, op, tensor ? t->tensor_rate : t->products);
    if (op->kind == SOOTH_OPERATOR_ATTENTION) compute *= 2.0; /* two products */
    if (op->kind == SOOTH_OPERATOR_LINEAR && t->compute < 70)
        compute *= 1.0 + p[SOOTH_GPU_LONG] * op->n * op->n / (op->n * op->n + 16384.0 * 16384.0);
    const double operations = work->operations[SOOTH_COMPUTE_SINGLE] + work->operations[SOOTH_COMPUTE_TENSOR];
    const double power = tensor ? 0.0 : operations / t->sustained;
    const int powered = power > compute;
    if (powered) compute = power;
    const double memory = work->memory_bytes / (p[SOOTH_GPU_USE] * t->bandwidth);
    const double busy = t->level[law] * soothi_sqrt(compute * compute + memory * memory);
    *bound = p[SOOTH_GPU_LAUNCH] > busy ? SOOTH_BOUND_LAUNCH
             : memory > compute         ? SOOTH_BOUND_MEMORY
             : powered                  ? SOOTH_BOUND_POWER
                                        : SOOTH_BOUND_COMPUTE;
    return p[SOOTH_GPU_LAUNCH] + busy;
}

/* Returns how often the bytes of rows are moved, relative to once in and once out. */
SOOTHI_LOCAL double soothi_gpu_passes(const sooth_gpu_timer *t, unsigned law, const sooth_operator *op) {
    const double r0 = t->times->parameter[law][SOOTH_GPU_RESIDENT];
    double again = 0.5, bytes = op->k / 32.0; /* of a row, for each of a block's 128 threads */
    if (law == SOOTH_GPU_LAW_SOFTMAX) {       /* PyTorch: one thread for 8 elements, up to 512 */
        if (op->k <= 1024.0) return 1.0;
        again = 1.0;
        bytes = op->k > 4096.0 ? op->k / 128.0 : 32.0;
    }
    if (!(t->l2 > 0.0)) return 1.0 + again;
    const double r = t->sms * t->threads * bytes / t->l2;
    return 1.0 + again * r * r / (r * r + r0 * r0);
}

/* Returns the elements of an operand that is broadcast over a larger one; 0 if there is none, or it is not
   given. */
SOOTHI_LOCAL double soothi_gpu_broadcast(const sooth_operator *op) {
    const double less = op->in_elements - op->out_elements;
    const int two = soothi_operator_facts(op->kind)->operands == 2 && op->out_elements > 0.0;
    return two && less > 0.0 && less < op->out_elements ? less : 0.0;
}

/* Returns the bytes of a broadcast operand beyond its first reading. If L2 is not larger than the data
   between two readings, it is read in full each time. If L2 is twice as large, there are none. */
SOOTHI_LOCAL double soothi_gpu_read_again(const sooth_gpu_timer *t, const sooth_operator *op,
                                          const sooth_work *work, double less) {
    const double each = work->memory_bytes / (op->in_elements + op->out_elements);
    const double lost = t->l2 > 0.0 ? 6.0 * each * less / t->l2 - 1.0 : 1.0;
    return lost > 0.0 ? (lost < 1.0 ? lost : 1.0) * each * (op->out_elements - less) : 0.0;
}

/* Applies the streaming laws. */
SOOTHI_LOCAL double soothi_gpu_stream(const sooth_gpu_timer *t, unsigned law, const sooth_operator *op,
                                      const sooth_work *work, uint32_t *bound) {
    const double *p = t->times->parameter[law], less = soothi_gpu_broadcast(op);
    double bytes = work->memory_bytes, placing = 0.0;
    if (less > 0.0) {
        bytes += soothi_gpu_read_again(t, op, work, less);
        placing = op->b * op->k / (p[SOOTH_GPU_PLACED] * t->clocks);
    }
    double memory = bytes / (p[SOOTH_GPU_USE] * t->bandwidth) * t->level[law];
    if (law == SOOTH_GPU_LAW_SOFTMAX || law == SOOTH_GPU_LAW_LN) memory *= soothi_gpu_passes(t, law, op);
    if (work->memory_bytes < t->l2) { /* L2 keeps between calls nothing if filled, all if half filled */
        const double share = 2.0 * work->memory_bytes / t->l2 - 1.0;
        memory *= share > 0.25 ? share : 0.25;
    }
    const double taken = placing > memory ? placing : memory, busy = p[SOOTH_GPU_QUEUE] + taken;
    *bound = !(busy > p[SOOTH_GPU_LAUNCH] && taken > p[SOOTH_GPU_QUEUE]) ? SOOTH_BOUND_LAUNCH
             : placing > memory                                          ? SOOTH_BOUND_COMPUTE
                                                                         : SOOTH_BOUND_MEMORY;
    return busy > p[SOOTH_GPU_LAUNCH] ? busy : p[SOOTH_GPU_LAUNCH];
}

/* ---- the roof ---- */

/* Returns the least ms that the specification of a device allows (see the top); 0 if it bounds nothing.
   *bound is set to the resource. */
SOOTHI_LOCAL double soothi_gpu_least(const sooth_gpu_timer *timer, const sooth_operator *op,
                                     const sooth_work *work, uint32_t *bound) {
    const sooth_gpu_language_device *d = &timer->language;
    const sooth_operator_form form = sooth_operator_kind_form((sooth_operator_kind)op->kind);
    const int language = form == SOOTH_OPERATOR_LANGUAGE;
    const sooth_compute units = language     ? sooth_operator_units(op)
                                : op->tensor ? SOOTH_COMPUTE_TENSOR
                                             : SOOTH_COMPUTE_SINGLE;
    const double int8 = d->peak[SOOTH_COMPUTE_INT8], beyond = work->memory_bytes - d->l2;
    double peak = d->peak[units], compute = 0.0, memory = 0.0;
    if (!(peak > 0.0)) peak = d->peak[language ? SOOTH_COMPUTE_TENSOR : SOOTH_COMPUTE_SINGLE];
    else if (units == SOOTH_COMPUTE_FP8 && int8 > peak) peak = int8; /* sums in 16 bits */
    else if (units == SOOTH_COMPUTE_TENSOR && op->dtype != SOOTH_TYPE_BF16 && 0.5 * int8 > peak)
        peak = 0.5 * int8;
    if (op->kind != SOOTH_OPERATOR_CONVOLUTION && (language || form <= SOOTH_OPERATOR_FUSED))
        compute = work->operations[units] / peak;
    if (beyond > 0.0 && form != SOOTH_OPERATOR_COPY && op->kind != SOOTH_OPERATOR_CONVOLUTION &&
        !(op->kind == SOOTH_OPERATOR_EXPERTS && op->skew > 0.0))
        memory = beyond / d->bandwidth;
    *bound = compute > memory ? SOOTH_BOUND_COMPUTE : SOOTH_BOUND_MEMORY;
    return compute > memory ? compute : memory;
}

/* Raises low to the roof. Measurements that put ms below it are believed. */
SOOTHI_LOCAL void soothi_gpu_raise_low(const sooth_gpu_timer *timer, const sooth_operator *op,
                                       sooth_gpu_timing *t) {
    sooth_work work;
    uint32_t bound;
    if (sooth_operator_work(NULL, op, &work) != SOOTH_OK) return;
    const double least = soothi_gpu_least(timer, op, &work, &bound);
    if (t->ms >= least && t->low < least) t->low = least;
}

/* Raises ms to the roof and sets the interval around it. */
SOOTHI_LOCAL void soothi_gpu_bounded(const sooth_gpu_timer *timer, const sooth_operator *op,
                                     const sooth_work *work, double factor, sooth_gpu_timing *t) {
    uint32_t bound;
    const double least = soothi_gpu_least(timer, op, work, &bound);
    if (t->ms < least) {
        t->ms = least;
        t->bound = bound;
    }
    t->low = t->ms / factor > least ? t->ms / factor : least;
    t->high = t->ms * factor;
}

/* ---- an operator of a language model ---- */

/* Returns the shipped table of a kind of operators of language models; NULL for other kinds. */
SOOTHI_LOCAL const sooth_gpu_language *soothi_gpu_language_for(sooth_operator_kind kind) {
    switch (kind) {
    case SOOTH_OPERATOR_GEMM: return sooth_gpu_language_gemm();
    case SOOTH_OPERATOR_PREFILL: return sooth_gpu_language_prefill();
    case SOOTH_OPERATOR_DECODE: return sooth_gpu_language_decode();
    case SOOTH_OPERATOR_EXPERTS: return sooth_gpu_language_moe();
    case SOOTH_OPERATOR_MLA_PREFILL: return sooth_gpu_language_mla_prefill();
    case SOOTH_OPERATOR_MLA_DECODE: return sooth_gpu_language_mla_decode();
    default: return NULL;
    }
}

SOOTHI_LOCAL sooth_status soothi_gpu_language(sooth_env *env, const sooth_gpu_timer *timer,
                                              const sooth_operator *op, const sooth_work *work,
                                              sooth_gpu_timing *out) {
    sooth_gpu_language_time t;
    const sooth_gpu_language *learned = soothi_gpu_language_for((sooth_operator_kind)op->kind);
    const sooth_status status = sooth_gpu_language_predict(env, &timer->language, learned, op, &t);
    if (status != SOOTH_OK) return status;
    out->ms = t.ms;
    out->bound = t.bound;
    soothi_gpu_bounded(timer, op, work, soothi_gpu_exp(t.spread), out);
    out->trust = t.bin <= SOOTH_GPU_LANGUAGE_TWIN       ? SOOTH_MODEL_TRUST_INSIDE
                 : t.bin == SOOTH_GPU_LANGUAGE_STRANGER ? SOOTH_MODEL_TRUST_EDGE
                                                        : SOOTH_MODEL_TRUST_OUTSIDE;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_time(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                      sooth_gpu_timing *out) {
    sooth_work work;
    const sooth_status status = sooth_operator_work(env, op, &work);
    if (status != SOOTH_OK) return status;
    if (sooth_operator_kind_form((sooth_operator_kind)op->kind) == SOOTH_OPERATOR_LANGUAGE)
        return soothi_gpu_language(env, timer, op, &work, out);
    if (timer->language.foreign)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the times of %s were learned from NVIDIA's GPUs alone, but this one is of another "
                          "maker",
                          sooth_operator_name(op->kind));
    const sooth_gpu_law law = sooth_gpu_law_for((sooth_operator_kind)op->kind);
    const sooth_operator_form form = sooth_operator_kind_form((sooth_operator_kind)op->kind);
    const int matrix = form <= SOOTH_OPERATOR_FUSED;
    out->ms = matrix ? soothi_gpu_matrix(timer, law, op, &work, &out->bound)
                     : soothi_gpu_stream(timer, law, op, &work, &out->bound);
    const int plain = op->kind == SOOTH_OPERATOR_BMM || op->kind == SOOTH_OPERATOR_LINEAR ||
                      form == SOOTH_OPERATOR_VECTOR || form == SOOTH_OPERATOR_ROW ||
                      form == SOOTH_OPERATOR_COPY;
    const double elements = 0.25 * work.memory_bytes, most = timer->times->most[law];
    out->trust = timer->trust;
    if (elements > most && out->trust < SOOTH_MODEL_TRUST_EDGE) out->trust = SOOTH_MODEL_TRUST_EDGE;
    if (elements > 10.0 * most || !plain || op->tensor || (op->element_bytes && op->element_bytes != 4))
        out->trust = SOOTH_MODEL_TRUST_OUTSIDE;
    const double wider = out->trust == SOOTH_MODEL_TRUST_OUTSIDE ? 2.0
                         : out->trust == SOOTH_MODEL_TRUST_EDGE  ? 1.25
                                                                 : 1.0;
    soothi_gpu_bounded(timer, op, &work, soothi_gpu_exp(wider * timer->spread[law]), out);
    return SOOTH_OK;
}

/* ---- a kernel ---- */

/* Returns the time of a kernel's operations at the full rate of the units, which work in parallel, and of
   issue. as_counted: nothing of PTX is merged. *bound is set to the largest. */
SOOTHI_LOCAL double soothi_gpu_units(const sooth_gpu_timer *t, const sooth_work *work, int as_counted,
                                     uint32_t *bound) {
    const sooth_ceilings *c = &t->ceilings;
    const double more = as_counted ? 1.0 / SOOTH_ROOFLINE_ISSUED : 1.0;
    const double issue = 1e3 * more * soothi_issue_seconds(c, work);
    /* a power limit acts over milliseconds, so it bounds no launch from below */
    double most =
        as_counted || !work->as_issued ? work->operations[SOOTH_COMPUTE_SINGLE] / t->sustained : 0.0;
    *bound = most > 0.0 && t->rate > t->sustained ? SOOTH_BOUND_POWER : SOOTH_BOUND_COMPUTE;
    for (unsigned i = SOOTH_COMPUTE_SINGLE; i < SOOTH_COMPUTES; ++i) {
        const double part = soothi_filled(c, work, i < SOOTH_COMPUTE_TENSOR);
        const double ms = (i == SOOTH_COMPUTE_LOGIC ? more : 1.0) *
                          soothi_over(work->operations[i], 1e-3 * c->compute[i] * part);
        if (ms > most) *bound = SOOTH_BOUND_COMPUTE;
        if (ms > most) most = ms;
    }
    if (issue > most) *bound = SOOTH_BOUND_ISSUE;
    return issue > most ? issue : most;
}

/* Returns the time that no kernel of this work goes below, but for its bytes. */
SOOTHI_LOCAL double soothi_gpu_work_least(const sooth_gpu_timer *t, const sooth_work *work) {
    uint32_t bound;
    double least = soothi_gpu_units(t, work, 0, &bound);
    const double shared = 1e3 * soothi_shared_seconds(&t->ceilings, work);
    const double chain = 1e3 * soothi_chain_seconds(&t->ceilings, work);
    if (shared > least) least = shared;
    return chain > least ? chain : least;
}

/* Applies the kernel law with this many bytes of memory. */
SOOTHI_LOCAL double soothi_gpu_kernel(const sooth_gpu_timer *t, const sooth_work *work, double bytes,
                                      uint32_t *bound) {
    const double *p = t->times->parameter[SOOTH_GPU_LAW_KERNEL];
    const double other[2] = {1e3 * soothi_shared_seconds(&t->ceilings, work),
                             1e3 * soothi_chain_seconds(&t->ceilings, work)};
    uint32_t of_units;
    double least = soothi_gpu_units(t, work, 1, &of_units), compute = least / p[SOOTH_GPU_SMALL];
    if (!work->as_issued && work->tiles > 0.0 && work->tiles < t->sms) /* one or more */
        compute *=
            soothi_gpu_power((work->tiles < 1.0 ? 1.0 : work->tiles) / t->sms, p[SOOTH_GPU_SPLIT] - 1.0);
    for (uint32_t i = 0; i < 2; ++i) {
        if (other[i] > least) least = other[i];
        if (!(other[i] > compute)) continue;
        compute = other[i];
        of_units = i ? SOOTH_BOUND_LATENCY : SOOTH_BOUND_SHARED;
    }
    const double memory = bytes / (p[SOOTH_GPU_USE] * t->bandwidth);
    double busy = t->level[SOOTH_GPU_LAW_KERNEL] * soothi_sqrt(compute * compute + memory * memory);
    if (busy < least) busy = least; /* never above the peak */
    *bound = p[SOOTH_GPU_LAUNCH] > busy ? (uint32_t)SOOTH_BOUND_LAUNCH
             : memory > compute         ? (uint32_t)SOOTH_BOUND_MEMORY
                                        : of_units;
    return p[SOOTH_GPU_LAUNCH] + busy;
}

/* True if nothing here bounds the time of the work from above. With a latency of memory of half a
   microsecond, a scheduler of an A100 needs 14 warps with one load each to move the bandwidth of its share
   (Little's law), so four of them are as slow as the interval is wide. */
SOOTHI_LOCAL int soothi_gpu_is_open(const sooth_gpu_timer *t, const sooth_work *work, uint32_t bound) {
    const double schedulers = t->sms * (t->ceilings.partitions > 0.0 ? t->ceilings.partitions : 1.0);
    if (!work->as_issued) return 0;
    return work->unsized > 0.0 || work->atomics > 0.0 ||
           (bound != SOOTH_BOUND_LAUNCH && work->warps < 4.0 * schedulers);
}

/* Checks that a kernel's work can be timed on this device. */
SOOTHI_LOCAL sooth_status soothi_gpu_work_check(sooth_env *env, const sooth_gpu_timer *timer,
                                                const sooth_work *work) {
    double all = work->memory_bytes, least = all;
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) {
        all += work->operations[i];
        if (!(work->operations[i] >= least)) least = work->operations[i];
    }
    all += work->instructions;
    if (!(work->instructions >= least)) least = work->instructions;
    if (!(least >= 0.0 && all > 0.0 && all <= 1e30))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "operations and bytes sum to %g, and the smallest is %g; the sum must be above 0 "
                          "and at most 1e30, and none below 0",
                          all, least);
    for (unsigned i = SOOTH_COMPUTE_HALF; i < SOOTH_COMPUTES; ++i)
        if (work->operations[i] > 0.0 && !(timer->ceilings.compute[i] > 0.0))
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                i < SOOTH_COMPUTE_TENSOR
                    ? "the work has %g operations of %s, whose peak is not known on this GPU"
                    : "the work has %g operations of %s on tensor cores, whose peak is not known on "
                      "this GPU",
                work->operations[i], sooth_compute_name(i));
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_time_work(sooth_env *env, const sooth_gpu_timer *timer,
                                           const sooth_work *work, sooth_gpu_timing *out) {
    uint32_t bound;
    if (soothi_work_check(env, work, timer->compute) != SOOTH_OK ||
        soothi_gpu_work_check(env, timer, work) != SOOTH_OK)
        return SOOTH_BAD_ARGUMENT;
    const double factor = soothi_gpu_exp(2.0 * timer->spread[SOOTH_GPU_LAW_KERNEL]);
    const double least = soothi_gpu_work_least(timer, work);
    const double conflicts = 32e3 * soothi_shared_seconds(&timer->ceilings, work);
    out->trust = SOOTH_MODEL_TRUST_OUTSIDE;
    out->ms = soothi_gpu_kernel(timer, work, work->memory_bytes, &out->bound);
    const double launch = timer->times->parameter[SOOTH_GPU_LAW_KERNEL][SOOTH_GPU_LAUNCH];
    out->low = soothi_gpu_kernel(timer, work, 0.0, &bound) / factor;
    if (work->as_issued) /* a program may launch as fast as a queue allows */
        out->low += 1e3 * SOOTH_ROOFLINE_LAUNCH_SECONDS * work->launches - launch / factor;
    if (out->low < least) out->low = least;
    out->high = out->ms * factor > out->ms + conflicts ? out->ms * factor : out->ms + conflicts;
    if (soothi_gpu_is_open(timer, work, out->bound)) out->high = 0.0;
    return SOOTH_OK;
}

/* ---- a few measured kernels ---- */

SOOTH_API const sooth_adapt *sooth_gpu_time_adapt(void) {
    static const union {
        uint32_t word[SOOTHI_GPU_TIME_ADAPT_WORDS];
        sooth_adapt adapt;
    } learned = {SOOTHI_GPU_TIME_ADAPT};
    return &learned.adapt;
}

SOOTH_API void sooth_gpu_time_row(const sooth_operator *op, float row[SOOTH_GPU_TIME_FEATURES]) {
    sooth_work work;
    memset(row, 0, SOOTH_GPU_TIME_FEATURES * sizeof *row);
    if (sooth_operator_work(NULL, op, &work) != SOOTH_OK) return;
    row[sooth_gpu_law_for((sooth_operator_kind)op->kind)] = 1.0f;
    row[SOOTH_GPU_LAWS] =
        (float)(work.operations[SOOTH_COMPUTE_SINGLE] + work.operations[SOOTH_COMPUTE_TENSOR]);
    row[SOOTH_GPU_LAWS + 1] = (float)work.memory_bytes;
}

/* Returns the unit of errors. */
SOOTHI_LOCAL double soothi_gpu_unit(const sooth_gpu_timer *timer, const sooth_operator *op) {
    const double unit = timer->times->unit[sooth_gpu_law_for((sooth_operator_kind)op->kind)];
    return unit > 0.0 ? unit : 1.0; /* for a table without units */
}

SOOTH_API sooth_status sooth_gpu_time_observe(sooth_env *env, const sooth_gpu_timer *timer,
                                              sooth_adapt_program *device, const sooth_operator *op,
                                              double ms) {
    float row[SOOTH_GPU_TIME_FEATURES];
    sooth_gpu_timing t;
    if (sooth_gpu_time(env, timer, op, &t) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    sooth_gpu_time_row(op, row);
    const float off = (float)soothi_gpu_power(ms / t.ms, 1.0 / soothi_gpu_unit(timer, op));
    if (sooth_adapt_observe(sooth_gpu_time_adapt(), device, row, 1.0f, off) == SOOTH_ADAPT_REFUSED)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ms is %g, but must be above 0 and finite", ms);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_time_adapted(sooth_env *env, const sooth_gpu_timer *timer,
                                              const sooth_adapt_program *device, const sooth_operator *op,
                                              sooth_gpu_timing *out) {
    float row[SOOTH_GPU_TIME_FEATURES];
    sooth_adapted at;
    const sooth_status status = sooth_gpu_time(env, timer, op, out);
    if (status != SOOTH_OK || device->points == 0) return status;
    const double unit = soothi_gpu_unit(timer, op), ms = out->ms;
    const double unseen = timer->times->unseen[sooth_gpu_law_for((sooth_operator_kind)op->kind)];
    sooth_gpu_time_row(op, row);
    sooth_adapt_predict(sooth_gpu_time_adapt(), device, row, 1.0f, &at);
    const double now = soothi_gpu_power((double)at.high / (double)at.value, unit);
    const double left_out = timer->learned ? soothi_gpu_exp(unseen) : 1.0; /* it may have changed since */
    const double before = out->high / ms > left_out ? out->high / ms : left_out;
    const double factor = now < before ? now : before;
    out->ms = ms * soothi_gpu_power((double)at.value, unit);
    out->low = out->ms / factor;
    out->high = out->ms * factor;
    soothi_gpu_raise_low(timer, op, out);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif

/* What else belongs to this header. */
#if !defined(SOOTH_GPU_TIME_WATTS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_WATTS_IMPLEMENTED))
#include "gpu_time/watts.h"
#endif
#if !defined(SOOTH_GPU_TIME_MEASURED_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_MEASURED_IMPLEMENTED))
#include "gpu_time/measured.h"
#endif
