/* gpu_time.h - how long an operator takes on a GPU that nobody has measured, with an honest interval.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A roofline (roofline.h) is what a device could do. What kernels reach of it is learned here from five GPUs
 * (P4, P100, V100, T4, A100), as a few numbers for each kind of operator that mean the same on every device,
 * and one number for each device: its level, how much better or worse than its specification says. A device
 * that was not among them gets the level of those most like it. The times are those of PyTorch 2.1 kernels in
 * single precision without tensor cores, between two events around one call (Lee, Phanishayee and Mahajan:
 * NeuSight, ASPLOS 2025; mean of the 5 fastest of 25), so a small operator shows its launch.
 *
 * Matrix products: t = launch + level sqrt(max(C, P)^2 + M^2), with M the time of the operands at the
 * memory's bandwidth, P that of the operations at what the power limit sustains (a unit that waits draws
 * little, so P does not add to what tiles lose) and C that of the tiles at the peak, the shape being cut as
 * suits it best into tiles of 128 x 128 down to 32 x 32, each size at an efficiency of its own:
 *
 *     C  = min over tiles of  w' 2 tile (n + n0) sms / (efficiency peak)       w = tiles / sms
 *     w' = w + q (ceil(w) - w) from one wave on, w^s below (the sum is split where SMs would idle)
 *
 * and, of linear layers before compute capability 7.0, times 1 + long n^2 / (n^2 + 16384^2): both operands
 * lie along the summed dimension, and rows of 64 KB and more apart cost P100 two thirds of its rate (0.73 of
 * the peak up to n = 4096, 0.26 at 65536) and P4 a third; later devices lose a fifth at most.
 *
 * The peak is that of the units, but where an SM issues no more than its units take (Ada, Hopper) each other
 * instruction costs one of theirs: 64 of 69 multiply where a thread has 8 x 8 results (4 load operands, the
 * rest fill the next tile and count). P is that of roofline.h, of A100 that of the 15 pJ measured.
 *
 * What streams through memory: t = max(launch, queue + level passes bytes / bandwidth). Normalisation reads a
 * row twice and a softmax of more than 1024 three times; the part that the rows on the SMs at once (r of L2's
 * size) do not find in L2 comes from memory: passes = 1 + again r^2 / (r^2 + r0^2), again being 1/2 and 1.
 * What fits L2 from one call to the next does not travel. Of A100 and H100 half of L2 counts: it has two
 * partitions, each of which keeps what its own SMs read (the maker's white papers). An operand that is
 * broadcast over a larger one is read again each time, unless L2 holds it until then: itself, and as much of
 * the other operand and of the result; and to find its place takes an SM a clock and more for each element,
 * which is longer than the bytes take where there is much bandwidth (P100, A100).
 *
 * A kernel of which only the work is known (sooth_work_of_ptx), all of whose bytes come from memory:
 *
 *     t = launch + max(operations / rate, level sqrt(C^2 + M^2))
 *     C = operations / (efficiency rate) x (w < 1: w^(s - 1))
 *
 * with M as above and w blocks over SMs. Its numbers were learned from all operators at once, each counted as
 * PTX is: every byte that a tile asks for. How far it errs was judged by leaving out both a GPU and a kind of
 * operator; that of the kind with the widest errors holds for all.
 *
 * The level of what streams is that of the devices with the same kind of memory, where there are any: stacked
 * since Volta (0.9 of the bandwidth arrive on V100 and A100), stacked before (0.74 on P100; of V100 the maker
 * says 1.5 times delivered, of 1.23 times the bandwidth), not stacked (0.76 on P4 and T4).
 *
 * All are monotone: no operator gets faster by being larger, no device slower by more bandwidth, operations
 * or watts. The numbers are fitted; what they reach was judged by leaving each of the five out
 * (examples/gpu/times.c). Four things five GPUs cannot tell, and are reasoned: the power roof's scaling with
 * the process, who is like whom, what L2 keeps, what an SM issues.
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
 *         if (sooth_gpu_find(&env, "h100", &gpu) != SOOTH_OK ||
 *             sooth_gpu_timer_init(&env, NULL, &gpu, &timer) != SOOTH_OK ||
 *             sooth_gpu_time(&env, &timer, &op, &t) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.2f ms, %.2f to %.2f\n", t.ms, t.low, t.high);
 *         return 0;
 *     }
 *
 * After a few kernels of the new device were measured, adapt.h corrects all others: a device is to it what a
 * program is. It works on errors in units of what the kind of operator errs by on a GPU left out, and was
 * learned from those.
 *
 * Costs: no allocation; below a microsecond (a dozen divisions and at most ten logarithms and exponentials).
 * A timer is a few hundred bytes, read by any number of threads.
 */
#if !defined(SOOTH_GPU_TIME_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED))
#include "gpu.h"
#include "base.h"
#include "adapt.h"
#include "gpu_time/table.h"
#endif

#if !defined(SOOTH_GPU_TIME_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_H
SOOTHI_C_BEGIN

/* ---- what was learned ---- */

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

/* The law that times operators of a kind: LINEAR for convolutions, BMM for attention, VECTOR for
   reductions. */
SOOTH_API sooth_gpu_law sooth_gpu_law_of(size_t kind);

/* Parameters of a law, as above. */
enum {
    SOOTH_GPU_LAUNCH = 0, /* ms */
    SOOTH_GPU_USE,        /* of the memory's bandwidth */
    SOOTH_GPU_DEPTH,      /* matrix: n0 */
    SOOTH_GPU_QUANTUM,    /* matrix: q */
    SOOTH_GPU_SPLIT,      /* matrix, kernel: s */
    SOOTH_GPU_SMALL,      /* matrix: efficiency of 64 x 64 over 128 x 128; kernel: of the units, */
    SOOTH_GPU_TINY,       /* matrix: and of 32 x 32 */
    SOOTH_GPU_LONG,       /* linear, before compute capability 7.0: long */
    SOOTH_GPU_QUEUE = 2,  /* stream: ms */
    SOOTH_GPU_RESIDENT,   /* softmax, normalisation: r0 */
    SOOTH_GPU_PLACED = 3, /* vector: elements an SM and clock where an operand is broadcast */
    SOOTH_GPU_PARAMETERS = 8
};

#define SOOTH_GPU_MOST_LEARNED 8

typedef struct sooth_gpu_times {
    uint32_t gpus;                                /* learned from */
    char gpu[SOOTH_GPU_MOST_LEARNED][24];         /* their names, as sooth_gpu_find knows them */
    uint32_t compute[SOOTH_GPU_MOST_LEARNED];     /* capability */
    uint32_t memory_bits[SOOTH_GPU_MOST_LEARNED]; /* width of the bus */
    double picojoules[SOOTH_GPU_MOST_LEARNED];    /* of an operation of products; 0: as roofline.h has it */
    double parameter[SOOTH_GPU_ALL_LAWS][SOOTH_GPU_PARAMETERS];
    double level[SOOTH_GPU_ALL_LAWS][SOOTH_GPU_MOST_LEARNED]; /* logarithms */
    /* 90 % of a learned GPU's operators, alone or in networks, lie within e^-this to e^this times; the same
       of the GPU that errs the most when it is left out */
    double known[SOOTH_GPU_ALL_LAWS], unseen[SOOTH_GPU_ALL_LAWS];
    double unit[SOOTH_GPU_ALL_LAWS]; /* of errors, for adapt.h: the same of all GPUs left out together */
    double most[SOOTH_GPU_ALL_LAWS]; /* elements of the largest operator learned from */
} sooth_gpu_times;

/* What is shipped: learned from the data named above (MIT License, gpu_time_table.h). */
SOOTH_API const sooth_gpu_times *sooth_gpu_times_learned(void);

/* ---- one device ---- */

typedef struct sooth_gpu_timer {
    const sooth_gpu_times *times;
    double sms, threads;              /* threads that an SM holds at once */
    double clocks;                    /* of all SMs, a ms */
    double rate, tensor_rate;         /* operations a ms, at the highest clock */
    double products;                  /* the same of single precision that a product can issue */
    double sustained;                 /* and within the power limit */
    double bandwidth, l2;             /* bytes a ms; bytes, of the partition that an SM reads through */
    double level[SOOTH_GPU_ALL_LAWS]; /* factors */
    double spread[SOOTH_GPU_ALL_LAWS];
    uint32_t compute; /* capability */
    uint32_t learned; /* 1: this device, or one with its name, was among the learned */
    uint32_t trust;   /* SOOTH_TRUST_: how far the device lies from the learned ones */
    sooth_ceilings ceilings;
} sooth_gpu_timer;

/* Prepares a device. times NULL: what is shipped; else yours, which must outlive the timer.
   SOOTH_BAD_ARGUMENT: the device lacks sms, fp32_units, clock_mhz, memory_gbs or a known compute. */
SOOTH_API sooth_status sooth_gpu_timer_init(sooth_env *env, const sooth_gpu_times *times,
                                            const sooth_gpu *gpu, sooth_gpu_timer *timer);

typedef struct sooth_gpu_timing {
    double ms;        /* expected */
    double low, high; /* 90 % of measurements lie between; see trust */
    uint32_t bound;   /* a sooth_bound: what takes the most of it */
    uint32_t trust;   /* SOOTH_TRUST_: EDGE or OUTSIDE where device, operator or shape are not like what was
                         learned; the interval is wider then */
} sooth_gpu_timing;

/* The time of one operator. SOOTH_BAD_ARGUMENT: a kind or a size out of range. */
SOOTH_API sooth_status sooth_gpu_time(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                      sooth_gpu_timing *out);

/* The time of a kernel of which only the work is known: expected where every byte of the work comes from
   memory; low is for when caches save all of them, and never below what the units take. What kernels reach
   was learned from operators of PyTorch, nobody else's, so trust is OUTSIDE always: the interval is the
   square of what 90 % of the operators of a kind and a GPU left out lie within (of a GPU that was learned: of
   a kind). SOOTH_BAD_ARGUMENT: operations or bytes that are below 0, or all 0. */
SOOTH_API sooth_status sooth_gpu_time_work(sooth_env *env, const sooth_gpu_timer *timer,
                                           const sooth_work *work, sooth_gpu_timing *out);

/* ---- a few measured kernels ---- */

/* What sooth_adapt_begin, _program_size, _forget and _next want for a device: its row of an operator has
   SOOTH_GPU_TIME_FEATURES numbers, which sooth_gpu_time_row fills (0 of what sooth_gpu_time refuses). */
#define SOOTH_GPU_TIME_FEATURES 8
SOOTH_API const sooth_adapt *sooth_gpu_time_adapt(void);
SOOTH_API void sooth_gpu_time_row(const sooth_operator *op, float row[SOOTH_GPU_TIME_FEATURES]);

/* An operator was measured on the timer's device. device: what sooth_adapt_begin(sooth_gpu_time_adapt(), ...)
   made, of one device only. SOOTH_BAD_ARGUMENT: a kind or a size out of range, or ms is not above 0. */
SOOTH_API sooth_status sooth_gpu_time_observe(sooth_env *env, const sooth_gpu_timer *timer,
                                              sooth_adapt_program *device, const sooth_operator *op,
                                              double ms);

/* As sooth_gpu_time, corrected by what was observed; the interval is adapt.h's where that is the narrower,
   else as before (of a GPU that was learned: at least that of one left out, for it may have changed since).
   Of a device of which nothing was observed: as sooth_gpu_time. */
SOOTH_API sooth_status sooth_gpu_time_adapted(sooth_env *env, const sooth_gpu_timer *timer,
                                              const sooth_adapt_program *device, const sooth_operator *op,
                                              sooth_gpu_timing *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_TIME_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API const sooth_gpu_times *sooth_gpu_times_learned(void) {
    static const sooth_gpu_times learned = SOOTHI_GPU_TIME_TABLE;
    return &learned;
}

SOOTH_API sooth_gpu_law sooth_gpu_law_of(size_t kind) {
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

/* How much a learned device tells of another: 1 with the same capability, a quarter a fifth of a generation
   apart, less with the square of the distance. */
SOOTHI_LOCAL double soothi_gpu_likeness(const sooth_gpu_times *t, size_t i, const sooth_gpu *gpu) {
    const double apart = 0.1 * ((double)gpu->compute - (double)t->compute[i]);
    const double close = 0.2 / (0.2 + (apart < 0.0 ? -apart : apart));
    return close * close;
}

/* Kinds of memory: stacked since Volta, stacked before, not stacked; 0: not known. */
SOOTHI_LOCAL unsigned soothi_gpu_memory(uint32_t compute, uint32_t bits) {
    if (!bits) return 0;
    return bits < 1024 ? 1 : compute < 70 ? 2 : 3;
}

/* Whether learned device i tells of a device's streams: the memory is of its kind, or of no learned one's. */
SOOTHI_LOCAL int soothi_gpu_streams_alike(const sooth_gpu_times *t, size_t i, const sooth_gpu *gpu) {
    const unsigned kind = soothi_gpu_memory(gpu->compute, gpu->memory_bits);
    int any = 0;
    for (size_t j = 0; j < t->gpus; ++j) any |= soothi_gpu_memory(t->compute[j], t->memory_bits[j]) == kind;
    return !any || soothi_gpu_memory(t->compute[i], t->memory_bits[i]) == kind;
}

/* The level and the spread of each law; returns how near the nearest learned device is. same: the learned
   device that this is, or none. */
SOOTHI_LOCAL double soothi_gpu_levels(sooth_gpu_timer *timer, const sooth_gpu *gpu, size_t same) {
    const sooth_gpu_times *times = timer->times;
    double weight[2][SOOTH_GPU_MOST_LEARNED], nearest = 0.0; /* of products and kernels; of streams */
    for (size_t i = 0; i < times->gpus; ++i) {
        double w = soothi_gpu_likeness(times, i, gpu);
        if (same < times->gpus) w = i == same ? 1.0 : 0.0;
        weight[0][i] = w;
        weight[1][i] = same < times->gpus || soothi_gpu_streams_alike(times, i, gpu) ? w : 0.0;
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

/* Operations a ms within the power limit, by what a learned device of the same capability draws. */
SOOTHI_LOCAL double soothi_gpu_sustained(const sooth_gpu_times *t, const sooth_gpu *gpu,
                                         const sooth_ceilings *c) {
    double sustained = 1e-3 * c->sustained;
    for (size_t i = 0; i < t->gpus; ++i)
        if (t->compute[i] == gpu->compute && t->picojoules[i] > 0.0)
            sustained = 1e9 * gpu->tdp_watts / t->picojoules[i];
    const double peak = 1e-3 * c->compute[SOOTH_COMPUTE_SINGLE];
    return sustained > 0.0 && sustained < peak ? sustained : peak;
}

SOOTH_API sooth_status sooth_gpu_timer_init(sooth_env *env, const sooth_gpu_times *times,
                                            const sooth_gpu *gpu, sooth_gpu_timer *timer) {
    const sooth_gpu_limits *limits = sooth_gpu_limits_of(gpu->compute);
    sooth_work none;
    sooth_roofline roof;
    memset(&none, 0, sizeof none);
    memset(timer, 0, sizeof *timer);
    if (sooth_roofline_of(env, gpu, &none, &roof) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (!limits)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "compute of %s is not known; a timer needs it",
                           gpu->name);
    timer->times = times ? times : sooth_gpu_times_learned();
    sooth_ceilings_of(gpu, &timer->ceilings);
    const sooth_ceilings *c = &timer->ceilings;
    timer->sms = gpu->sms;
    timer->clocks = 1e3 * gpu->clock_mhz * timer->sms;
    timer->compute = gpu->compute;
    timer->threads = 32.0 * limits->warps;
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
    timer->trust = nearest > 0.5     ? SOOTH_TRUST_INSIDE
                   : nearest > 0.025 ? SOOTH_TRUST_EDGE
                                     : SOOTH_TRUST_OUTSIDE;
    return SOOTH_OK;
}

/* ---- one operator ---- */

/* The time of a matrix product's tiles: the least over their sizes, 128 x 128 to 32 x 32. */
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

/* The matrix laws; *bound gets what takes the most. */
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

/* How often the bytes of rows travel, over once in and once out. */
SOOTHI_LOCAL double soothi_gpu_passes(const sooth_gpu_timer *t, unsigned law, const sooth_operator *op) {
    const double r0 = t->times->parameter[law][SOOTH_GPU_RESIDENT];
    double again = 0.5, bytes = op->k / 32.0; /* of a row, for each of a block's 128 threads */
    if (law == SOOTH_GPU_LAW_SOFTMAX) {       /* in PyTorch a thread for 8 elements, 512 at most */
        if (op->k <= 1024.0) return 1.0;
        again = 1.0;
        bytes = op->k > 4096.0 ? op->k / 128.0 : 32.0;
    }
    if (!(t->l2 > 0.0)) return 1.0 + again;
    const double r = t->sms * t->threads * bytes / t->l2;
    return 1.0 + again * r * r / (r * r + r0 * r0);
}

/* Elements of an operand that is broadcast over a larger one; 0: there is none, or none that is told. */
SOOTHI_LOCAL double soothi_gpu_broadcast(const sooth_operator *op) {
    const double less = op->in_elements - op->out_elements;
    const int two = soothi_operator_of(op->kind)->operands == 2 && op->out_elements > 0.0;
    return two && less > 0.0 && less < op->out_elements ? less : 0.0;
}

/* The bytes of it that travel beyond its first reading: all that it would have at the size of the result
   where L2 is no larger than what passes between two readings, none where it is twice that. */
SOOTHI_LOCAL double soothi_gpu_read_again(const sooth_gpu_timer *t, const sooth_operator *op,
                                          const sooth_work *work, double less) {
    const double each = work->memory_bytes / (op->in_elements + op->out_elements);
    const double lost = t->l2 > 0.0 ? 6.0 * each * less / t->l2 - 1.0 : 1.0;
    return lost > 0.0 ? (lost < 1.0 ? lost : 1.0) * each * (op->out_elements - less) : 0.0;
}

/* The laws of what streams. */
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
    if (work->memory_bytes < t->l2) { /* what L2 keeps from call to call: nothing when full, all of a half */
        const double share = 2.0 * work->memory_bytes / t->l2 - 1.0;
        memory *= share > 0.25 ? share : 0.25;
    }
    const double taken = placing > memory ? placing : memory, busy = p[SOOTH_GPU_QUEUE] + taken;
    *bound = !(busy > p[SOOTH_GPU_LAUNCH] && taken > p[SOOTH_GPU_QUEUE]) ? SOOTH_BOUND_LAUNCH
             : placing > memory                                          ? SOOTH_BOUND_COMPUTE
                                                                         : SOOTH_BOUND_MEMORY;
    return busy > p[SOOTH_GPU_LAUNCH] ? busy : p[SOOTH_GPU_LAUNCH];
}

SOOTH_API sooth_status sooth_gpu_time(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                      sooth_gpu_timing *out) {
    sooth_work work;
    const sooth_status status = sooth_operator_work(env, op, &work);
    if (status != SOOTH_OK) return status;
    const sooth_gpu_law law = sooth_gpu_law_of(op->kind);
    const sooth_operator_form form = sooth_operator_form_of(op->kind);
    const int matrix = form <= SOOTH_OPERATOR_FUSED;
    out->ms = matrix ? soothi_gpu_matrix(timer, law, op, &work, &out->bound)
                     : soothi_gpu_stream(timer, law, op, &work, &out->bound);
    const int plain = op->kind == SOOTH_OPERATOR_BMM || op->kind == SOOTH_OPERATOR_LINEAR ||
                      form == SOOTH_OPERATOR_VECTOR || form == SOOTH_OPERATOR_ROW ||
                      form == SOOTH_OPERATOR_COPY;
    const double elements = 0.25 * work.memory_bytes, most = timer->times->most[law];
    out->trust = timer->trust;
    if (elements > most && out->trust < SOOTH_TRUST_EDGE) out->trust = SOOTH_TRUST_EDGE;
    if (elements > 10.0 * most || !plain || op->tensor || (op->element_bytes && op->element_bytes != 4))
        out->trust = SOOTH_TRUST_OUTSIDE;
    const double wider = out->trust == SOOTH_TRUST_OUTSIDE ? 2.0
                         : out->trust == SOOTH_TRUST_EDGE  ? 1.25
                                                           : 1.0;
    const double factor = soothi_gpu_exp(wider * timer->spread[law]);
    out->low = out->ms / factor;
    out->high = out->ms * factor;
    return SOOTH_OK;
}

/* ---- a kernel ---- */

/* What the units take for the operations of a kernel at full rate; they work side by side. */
SOOTHI_LOCAL double soothi_gpu_units(const sooth_gpu_timer *t, const sooth_work *work) {
    double most = work->operations[SOOTH_COMPUTE_SINGLE] / t->sustained;
    for (unsigned i = SOOTH_COMPUTE_SINGLE + 1; i < SOOTH_COMPUTES; ++i) {
        const double ms = soothi_over(work->operations[i], 1e-3 * t->ceilings.compute[i]);
        if (ms > most) most = ms;
    }
    return most;
}

/* The kernel law with that many bytes of memory. */
SOOTHI_LOCAL double soothi_gpu_kernel(const sooth_gpu_timer *t, const sooth_work *work, double bytes,
                                      uint32_t *bound) {
    const double *p = t->times->parameter[SOOTH_GPU_LAW_KERNEL];
    const double units = soothi_gpu_units(t, work);
    const int powered =
        units * t->sustained <= work->operations[SOOTH_COMPUTE_SINGLE] && t->rate > t->sustained;
    double compute = units / p[SOOTH_GPU_SMALL];
    if (work->tiles > 0.0 && work->tiles < t->sms) /* there is one at least */
        compute *=
            soothi_gpu_power((work->tiles < 1.0 ? 1.0 : work->tiles) / t->sms, p[SOOTH_GPU_SPLIT] - 1.0);
    const double memory = bytes / (p[SOOTH_GPU_USE] * t->bandwidth);
    double busy = t->level[SOOTH_GPU_LAW_KERNEL] * soothi_sqrt(compute * compute + memory * memory);
    if (busy < units) busy = units; /* no level is above the peak */
    *bound = p[SOOTH_GPU_LAUNCH] > busy ? SOOTH_BOUND_LAUNCH
             : memory > compute         ? SOOTH_BOUND_MEMORY
             : powered                  ? SOOTH_BOUND_POWER
                                        : SOOTH_BOUND_COMPUTE;
    return p[SOOTH_GPU_LAUNCH] + busy;
}

SOOTH_API sooth_status sooth_gpu_time_work(sooth_env *env, const sooth_gpu_timer *timer,
                                           const sooth_work *work, sooth_gpu_timing *out) {
    double all = work->memory_bytes, least = all;
    uint32_t bound;
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) {
        all += work->operations[i];
        if (!(work->operations[i] >= least)) least = work->operations[i];
    }
    if (!(least >= 0.0 && all > 0.0 && all <= 1e30))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the work is %g operations and bytes in all, the least of them %g; but must be "
                           "from 0 to 1e30, and one above 0",
                           all, least);
    const double factor = soothi_gpu_exp(2.0 * timer->spread[SOOTH_GPU_LAW_KERNEL]);
    out->trust = SOOTH_TRUST_OUTSIDE;
    out->ms = soothi_gpu_kernel(timer, work, work->memory_bytes, &out->bound);
    out->low = soothi_gpu_kernel(timer, work, 0.0, &bound) / factor;
    if (out->low < soothi_gpu_units(timer, work)) out->low = soothi_gpu_units(timer, work);
    out->high = out->ms * factor;
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
    row[sooth_gpu_law_of(op->kind)] = 1.0f;
    row[SOOTH_GPU_LAWS] =
        (float)(work.operations[SOOTH_COMPUTE_SINGLE] + work.operations[SOOTH_COMPUTE_TENSOR]);
    row[SOOTH_GPU_LAWS + 1] = (float)work.memory_bytes;
}

/* The unit of errors. */
SOOTHI_LOCAL double soothi_gpu_unit(const sooth_gpu_timer *timer, const sooth_operator *op) {
    const double unit = timer->times->unit[sooth_gpu_law_of(op->kind)];
    return unit > 0.0 ? unit : 1.0; /* of a table that does not say */
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
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "ms is %g, but must be a number above 0", ms);
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
    const double unseen = timer->times->unseen[sooth_gpu_law_of(op->kind)];
    sooth_gpu_time_row(op, row);
    sooth_adapt_predict(sooth_gpu_time_adapt(), device, row, 1.0f, &at);
    const double now = soothi_gpu_power((double)at.high / (double)at.value, unit);
    const double left_out = timer->learned ? soothi_gpu_exp(unseen) : 1.0; /* it may have changed since */
    const double before = out->high / ms > left_out ? out->high / ms : left_out;
    const double factor = now < before ? now : before;
    out->ms = ms * soothi_gpu_power((double)at.value, unit);
    out->low = out->ms / factor;
    out->high = out->ms * factor;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
