/* gpu/roofline.h - the work of a GPU kernel against the ceilings of a device: which bound holds, by how much.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A kernel cannot end before its operations are computed, its bytes are moved, and it is launched. Each
 * resource of a device has a ceiling. Work over ceiling is a lower bound of the time of any program
 * (Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009). Each level of memory has its own roof (Ilic
 * et al., IEEE CAL 13(1), 2014):
 *
 *     compute   operations / (2 units SMs clock), for each type of unit; on tensor cores over the peak of
 *               their data type. Products of half precision with sums of half precision have a peak of their
 *               own: half of that of INT8, which is twice the other one on GeForce boards
 *     power     operations / (watts / energy of an operation): what a board can sustain within its limit
 *     L2        bytes between SMs and L2 / its bandwidth
 *     memory    bytes between L2 and memory / its bandwidth
 *     launch    number of kernels x 5 microseconds
 *
 * A launch of PTX has three more, and does not always have the whole device:
 *
 *     issue     instructions of warps x 1/4 / (dispatch_units SMs clock)
 *     shared    accesses of shared memory by warps / (SMs clock): one access a clock, without bank conflicts
 *     latency   the longest chain of dependent instructions in the loops of one warp (ptx/count.h), each link
 *               with its latency
 *
 * With b blocks and w warps in all, compute, issue and shared have min(b, SMs) of the SMs. From capability
 * 5.0 on, units and issue (not tensor cores) have min(w, schedulers min(b, SMs)) of the schedulers SMs
 * partitions, each of which runs its own warps.
 *
 * The quarter: the assembler merges instructions (shift and add, two additions, operations of logic on three
 * words) and leaves out others. Of 69 kernels, from saxpy to attention, that the assembler of CUDA 13.0
 * compiled for sm_80, sm_90, sm_100 and sm_120, the code has 0.71 to 8.5 times the instructions of PTX, and
 * an iteration of a loop of nvcc 0.57 times or more. A loop that is unrolled loses its counter: of a sum of
 * products by Triton one of four instructions is left. The majority of three words is one of four, too, and a
 * loop like MD5's has 0.49. Operations of int32 are counted by a quarter for the same reason, and only those
 * that no other unit computes: logic, right shifts, min and max. Sums, products and left shifts also run on
 * the units of single precision from 7.0 on, and tests of loops on those of values that a warp shares; issue
 * alone bounds them. One case is not covered: a loop that applies the same logic to the same three words
 * again and again, of which the assembler of CUDA 13.0 makes one instruction for 16 of PTX.
 *
 * A power limit acts over milliseconds, and others have measured 18 and 7 % more than this energy allows on
 * L4 and P4 (15.4 and 4.55 TFLOPS). So of a launch of PTX the power roof is in `each`, but not in `seconds`.
 *
 * What bounds nothing here: bank conflicts of shared memory, atomics on one address, accesses of a warp that
 * share no line, misses of L1, barriers, and the memory of local arrays and tables, which caches hold.
 *
 * The power roof: long products of single precision draw 17.7 pJ an operation on boards of 16 and 12 nm. This
 * follows from the rates that P4 with 75 W and T4 with 70 W sustain (measurements of Lee et al.). The energy
 * is assumed to shrink with the nominal size of the process. The roof bounds boards with a low power limit:
 * their maximum clock is for short kernels only. No board of 5 nm was measured. By the guaranteed clocks
 * (gpu.h), an operation takes L4 and RTX 4090 up to 6.1 pJ; the roof uses 5.5. Boards near their maximum
 * clock and voltage take more. A100 with 250 W reaches 0.98 of its peak in products of 10 ms, and 0.85 from
 * 30 ms on: 15 pJ, where the roof uses 7.7 (gpu_time.h corrects this).
 *
 * The work comes from a shape (sooth_operator_work) or from PTX (sooth_work_from_ptx). For a shape it is the
 * minimum of any kernel: each operand is read once, each result is written once. Products also have tiles.
 * Their kernels work on tiles of 128 x 128 results or smaller, and an SM on one at a time. So the last tiles
 * along an edge and the last wave over the SMs are partly empty.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const sooth_operator product = {.kind = SOOTH_OPERATOR_BMM, .b = 16, .m = 512, .n = 64, .k = 512};
 *         sooth_work work;
 *         sooth_roofline roof;
 *         sooth_gpu gpu;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_named(&env, "l4", &gpu) != SOOTH_OK ||
 *             sooth_operator_work(&env, &product, &work) != SOOTH_OK ||
 *             sooth_roofline_compute(&env, &gpu, &work, &roof) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.0f us, ", 1e6 * roof.seconds);                         //> 70 us,
 *         printf("%s ", sooth_roofline_bound_name(roof.bound));                     //> memory
 *         printf("%.1f times the next\n", roof.margin);                    //> 1.7 times the next
 *         return 0;
 *     }
 *
 * Operators of language models have a data type and the sizes of their model. Their work is the minimum of
 * the kernels that engines run: weights and caches are read once, in their type; results are written in 16
 * bits. A value takes w bytes as a weight or in a cache and a bytes as an activation: 2 of BF16 and FP16, 1
 * of FP8 and INT8, 0.5625 of NVFP4 (4 bits, and 8 for each 16 values); int8-weights and int4-weights have w =
 * 1 and 0.5, a = 2. They are launched as nodes of a graph, so there is no launch of the host in their work.
 *
 *     gemm         F = 2 m n k                  B = a m k + w n k + 2 m n
 *     prefill      P = s (s + 1) / 2, with a window W < s: W (W + 1) / 2 + (s - W) W
 *                  F = 4 b h d P                B = 4 b s h d + 2 b s kv d (2 + w)
 *     decode       L = min(context, window) + 1
 *                  F = 4 b h d L                B = 2 b kv d L w + 4 b d (h + kv)
 *     moe          T = tokens topk / ep, E = max(experts / ep, 1), I = inter / tp
 *                  hit = E (1 - exp(-T / E)) of the experts are read (at most T, and one or T at least)
 *                  F = 6 T hidden I             B = 3 w hidden I hit + T (2 a hidden + 4 hidden + 6 I) +
 *                                                   2 tokens hidden
 *     mla-prefill  F = 320 b h s (s + 1)        B = 1280 b s h
 *     mla-decode   F = 2176 b h s               B = 576 b s w + 2176 b h
 *
 * Decode and mla-decode use 8-bit units only where the cache is FP8; a device without such units computes FP8
 * on those of 16 bits.
 *
 * Cost: no allocation; a few dozen operations a call; one pass over the forms of PTX. Any number of threads.
 */
#if !defined(SOOTH_GPU_ROOFLINE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_ROOFLINE_IMPLEMENTED))
#include "../base.h"
#include "../ptx.h"
#endif

#if !defined(SOOTH_GPU_ROOFLINE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_ROOFLINE_H
SOOTHI_C_BEGIN

/* ---- the work of an operator ---- */

/* Operators: name, form, operands read of the output's size, operations for each element written (for a
   matrix product: for each of its terms), meaning. */
#define SOOTH_OPERATOR_LIST(X)                                                                    \
    X(BMM, "bmm", MATRIX, 0, 2, "b products of (m x n) by (n x k)")                               \
    X(LINEAR, "linear", MATRIX, 0, 2, "b times (m x n) by weights (n x k), plus a bias")          \
    X(CONVOLUTION, "conv", MATRIX, 0, 2, "a window over images, see sooth_operator")              \
    X(ATTENTION, "attention", FUSED, 0, 4, "b heads: m queries and k keys of n, softmax, values") \
    X(ADD, "add", VECTOR, 2, 1, "b rows of k elements, as all that follow: x + y")                \
    X(MUL, "mul", VECTOR, 2, 1, "x y")                                                            \
    X(POW, "pow", VECTOR, 2, 10, "x^y")                                                           \
    X(DIV, "div", VECTOR, 2, 4, "x / y")                                                          \
    X(ADDU, "addu", VECTOR, 1, 1, "x + a number")                                                 \
    X(MULU, "mulu", VECTOR, 1, 1, "x times a number")                                             \
    X(POWU, "powu", VECTOR, 1, 10, "x to a number")                                               \
    X(DIVU, "divu", VECTOR, 1, 4, "x over a number")                                              \
    X(RELU, "relu", VECTOR, 1, 1, "max(x, 0)")                                                    \
    X(GELU, "gelu", VECTOR, 1, 14, "x times the normal distribution's function of it")            \
    X(TANH, "tanh", VECTOR, 1, 8, "hyperbolic tangent")                                           \
    X(SOFTMAX, "softmax", ROW, 1, 5, "exp(x - max) over its sum, of a row")                       \
    X(LN, "ln", ROW, 1, 8, "layer normalisation: (x - mean) / deviation, of a row")               \
    X(REDUCE, "reduce", REDUCTION, 1, 1, "the sum (or greatest) of a row: b numbers are written") \
    X(MEM, "mem", COPY, 1, 0, "k elements read or written in all, b times")                       \
    X(GEMM, "gemm", LANGUAGE, 0, 2, "m tokens of k values by weights (k x n)")                    \
    X(PREFILL, "prefill", LANGUAGE, 0, 4, "causal attention over whole prompts")                  \
    X(DECODE, "decode", LANGUAGE, 0, 4, "attention of one new token over what is cached")         \
    X(EXPERTS, "moe", LANGUAGE, 0, 6, "a layer of experts: routing and three products")           \
    X(MLA_PREFILL, "mla-prefill", LANGUAGE, 0, 640, "latent attention over whole prompts")        \
    X(MLA_DECODE, "mla-decode", LANGUAGE, 0, 2176, "latent attention of one new token")

typedef enum sooth_operator_kind {
#define SOOTHI_ITEM(item, name, form, operands, operations, what) SOOTH_OPERATOR_##item,
    SOOTH_OPERATOR_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_OPERATORS
} sooth_operator_kind;

/* The meaning of an operator's shape. */
typedef enum sooth_operator_form {
    SOOTH_OPERATOR_MATRIX, /* b, m, n, k: the summed dimension is n */
    SOOTH_OPERATOR_FUSED,
    SOOTH_OPERATOR_VECTOR, /* b, k */
    SOOTH_OPERATOR_ROW,
    SOOTH_OPERATOR_REDUCTION,
    SOOTH_OPERATOR_COPY,
    SOOTH_OPERATOR_LANGUAGE /* of a language model: the sizes that each kind names */
} sooth_operator_form;

/* Data types of language models' operators: name, bytes of a weight or of a cached value, bytes of an
   activation, units that compute, meaning. */
#define SOOTH_DATA_TYPE_LIST(X)                                                                    \
    X(FP32, "fp32", 4, 4, SINGLE, "single precision")                                              \
    X(TF32, "tf32", 4, 4, TF32, "single precision, multiplied with 11 bits")                       \
    X(FP16, "fp16", 2, 2, TENSOR, "half precision")                                                \
    X(BF16, "bf16", 2, 2, TENSOR, "half precision with the range of single")                       \
    X(FP8, "fp8", 1, 1, FP8, "one scale for a tensor")                                             \
    X(FP8_BLOCK, "fp8-block", 1, 1, FP8, "a scale for each 128 x 128 weights")                     \
    X(NVFP4, "nvfp4", 0.5625, 0.5625, FP4, "4 bits, and an FP8 scale for each 16 values")          \
    X(INT8, "int8", 1, 1, INT8, "weights and activations of 8 bits")                               \
    X(INT8_WEIGHTS, "int8-weights", 1, 2, TENSOR, "weights of 8 bits, products of half precision") \
    X(INT4_WEIGHTS, "int4-weights", 0.5, 2, TENSOR, "weights of 4 bits, products of half precision")

typedef enum sooth_data_type {
#define SOOTHI_ITEM(item, name, weight, activation, units, what) SOOTH_TYPE_##item,
    SOOTH_DATA_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_TYPES
} sooth_data_type;

/* Returns the name of data type i ("bf16"); NULL after the last. */
SOOTH_API const char *sooth_data_type_name(size_t i);

/* Returns the index of the data type with this name; SOOTH_NONE if there is none. */
SOOTH_API size_t sooth_data_type_find(const char *name);

/* Returns the name of operator i ("bmm"); NULL after the last. */
SOOTH_API const char *sooth_operator_name(size_t i);

/* Returns the form of an operator. */
SOOTH_API sooth_operator_form sooth_operator_kind_form(sooth_operator_kind kind);

/* Returns the index of the operator with this name; SOOTH_NONE if there is none. */
SOOTH_API size_t sooth_operator_find(const char *name);

/* An operator on a shape. Sizes are integers from 1 to 2^53; sizes that the form does not have are ignored.
   Of language models, each kind has

       gemm                     m, n, k
       prefill                  batch, tokens (of each prompt), heads, kv_heads, head_dim, window
       decode                   batch, context (cached tokens of each), heads, kv_heads, head_dim, window
       moe                      tokens (before routing), hidden, inter (of an expert), topk, experts, tp,
                                ep, skew
       mla-prefill, mla-decode  batch, tokens (of each prompt; cached), heads

   and 0 of kv_heads means heads; of window: all; of tp and ep: 1. Heads are a multiple of kv_heads, and
   experts of ep. moe has the sizes of the whole model: this GPU holds experts / ep experts of inter / tp. A
   convolution is a product. With a window of height x width and g groups of channels, it has b = g, m =
   images x out_height x out_width, n = in / g x height x width, and k = out / g. Its in_elements are those of
   the images and of the weights (g n k), its out_elements are m x out. */
typedef struct sooth_operator {
    uint32_t kind;          /* a sooth_operator_kind */
    uint32_t element_bytes; /* 0 means 4 */
    uint32_t tensor;        /* 1: on tensor cores, if the device has them */
    double b, m, n, k;
    double in_elements,
        out_elements; /* read and written by a convolution or by the node of a VECTOR with broadcast operands:
                         b k (in + out) / out elements are moved; 0: as the shape implies. Ignored by other
                         operators */
    /* a sooth_data_type; in decode and mla of what is cached. 0 is FP32, the only one of other forms (in
       the batch of gpu/language.h 0 is BF16) */
    uint32_t dtype;
    double batch, tokens, context, heads; /* of language models, as all below */
    double kv_heads;                      /* 0: as many as heads */
    double head_dim, window;              /* window 0: all */
    double hidden, inter, topk, experts, tp, ep;
    double skew; /* 0: each expert gets as many tokens; else the exponent of a power law, up to 4 */
} sooth_operator;

/* The units that compute. */
typedef enum sooth_compute {
    SOOTH_COMPUTE_SINGLE,
    SOOTH_COMPUTE_DOUBLE,
    SOOTH_COMPUTE_SPECIAL, /* sine, exp2, ...: one operation each */
    SOOTH_COMPUTE_HALF,    /* half precision, not on tensor cores */
    SOOTH_COMPUTE_LOGIC,   /* integers of 32 bits: logic, right shifts, min, max */
    SOOTH_COMPUTE_TENSOR,  /* half precision, sums single */
    SOOTH_COMPUTE_TF32,
    SOOTH_COMPUTE_FP8,
    SOOTH_COMPUTE_FP4,
    SOOTH_COMPUTE_INT8,
    SOOTH_COMPUTE_INT4,
    SOOTH_COMPUTE_INT1,
    SOOTH_COMPUTE_TENSOR_DOUBLE, /* double precision on tensor cores */
    SOOTH_COMPUTE_TENSOR_HALF,   /* half precision with sums of half precision */
    SOOTH_COMPUTES
} sooth_compute;

/* Returns the name of units i: "fp32", "fp64", "special", "half", "int32 logic", "fp16" of the tensor cores,
   "tf32", "fp8", "fp4", "int8", "int4", "int1", "fp64 tensor", "fp16 sums"; NULL after the last. */
SOOTH_API const char *sooth_compute_name(size_t i);

typedef struct sooth_work {
    double operations[SOOTH_COMPUTES]; /* a fused multiply-add is two */
    double memory_bytes;               /* minimum between L2 and memory */
    double l2_bytes;                   /* between the SMs and L2 */
    double tiles;                      /* of 128 x 128 results (or blocks of a launch); 0: not known */
    double launches;
    double unsized; /* instructions with unknown work: copies and matrix products of PTX without a size in it,
                       unknown opcodes */
    double instructions;           /* of PTX, that warps issue */
    double shared;                 /* accesses of shared memory by warps */
    double chain[SOOTH_PTX_LINKS]; /* of one warp, see ptx/count.h */
    double atomics;                /* operations on one address take turns, which nothing here counts */
    double warps;                  /* of the launch; 0: not known */
    uint32_t as_issued;   /* 1: of PTX; 0: FP8 runs in half precision where a device has no peak of FP8 */
    uint32_t least, most; /* compute capabilities of the GPUs that have its instructions; 0: no limit */
} sooth_work;

/* Returns the units that compute the products of an operator of a language model; SOOTH_COMPUTE_SINGLE for
   other kinds. */
SOOTH_API sooth_compute sooth_operator_units(const sooth_operator *op);

/* Computes the minimum work of an operator. Returns SOOTH_BAD_ARGUMENT if a kind, a data type or a size is
   out
   of range. */
SOOTH_API sooth_status sooth_operator_work(sooth_env *env, const sooth_operator *op, sooth_work *work);

/* Computes the work of a launch from the work of one thread. Every byte counts once for each access, both
   between SMs and L2 and between L2 and memory. For memory this is an upper bound, reached without reuse.
   Counts with `certain` give a minimum; they alone have chains, so a program counts twice, with and without.
   A thread's loads from tables of the module and its local memory are no bytes. Packed types are two
   operations. Matrix products run on the units of their data type: f16 and bf16 on those of half precision,
   f8f6f4 and mxf8f6f4 of FP8, mxf4 and mxf4nvf4 of FP4. unsized is the number of instructions whose work PTX
   does not define. */
SOOTH_API void sooth_work_from_ptx(const sooth_ptx *ptx, const sooth_ptx_counts *counts,
                                   const sooth_gpu_launch *launch, sooth_work *work);

/* ---- the ceilings of a device ---- */

#define SOOTH_ROOFLINE_LAUNCH_SECONDS 5e-6  /* from the end of a kernel to the start of the next in a queue */
#define SOOTH_ROOFLINE_ISSUED 0.25          /* instructions issued for one of PTX, at least: see above */
#define SOOTH_ROOFLINE_PICOJOULES_16NM 17.7 /* an operation of single precision, see above */

typedef enum sooth_bound {
    SOOTH_BOUND_COMPUTE,
    SOOTH_BOUND_POWER,
    SOOTH_BOUND_L2,
    SOOTH_BOUND_MEMORY,
    SOOTH_BOUND_LAUNCH,
    SOOTH_BOUND_ISSUE,
    SOOTH_BOUND_SHARED,
    SOOTH_BOUND_LATENCY,
    SOOTH_BOUNDS
} sooth_bound;

/* Returns "compute", "power", "L2", "memory", "launch", "issue", "shared memory" or "latency"; NULL after the
   last. */
SOOTH_API const char *sooth_roofline_bound_name(size_t bound);

/* Operations and bytes per second; 0 means not known, and then no bound. */
typedef struct sooth_ceilings {
    double compute[SOOTH_COMPUTES];
    double sustained; /* operations of single precision that the power limit allows */
    double l2, memory;
    double issue;                 /* instructions of warps */
    double shared;                /* accesses of shared memory by warps */
    double link[SOOTH_PTX_LINKS]; /* seconds of a link in a chain; 0: not known */
    double sms, partitions;       /* of the device; 0 partitions: an SM is one */
} sooth_ceilings;

/* Computes the known ceilings of a device. The peak uses the maximum clock, not the sustained one. */
SOOTH_API void sooth_roofline_ceilings(const sooth_gpu *gpu, sooth_ceilings *ceilings);

typedef struct sooth_roofline {
    double seconds;            /* the minimum time: that of the bound */
    double each[SOOTH_BOUNDS]; /* of each resource alone; 0: not used, or not known */
    sooth_bound bound;
    double margin;    /* its time over that of the next bound; 0: only one */
    double intensity; /* operations for each byte of memory; 0 without bytes */
    double ridge;     /* the intensity from which compute (or power) bounds; 0: not known */
    double waves;     /* tiles over SMs; 0: not known */
    double unbounded; /* operations on units whose peak is not known here. They bound nothing */
    uint32_t units;   /* a sooth_compute: of the compute bound */
} sooth_roofline;

/* Computes the bounds of some work on a device. Returns SOOTH_BAD_ARGUMENT if the device lacks sms,
   fp32_units, clock_mhz or memory_gbs, or the instructions of the work. */
SOOTH_API sooth_status sooth_roofline_compute(sooth_env *env, const sooth_gpu *gpu, const sooth_work *work,
                                              sooth_roofline *roof);

SOOTHI_C_END
#endif /* SOOTH_GPU_ROOFLINE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_ROOFLINE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_ROOFLINE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the work of an operator ---- */

typedef struct soothi_operator {
    char name[12];
    uint16_t form, operands, operations;
} soothi_operator;

SOOTHI_LOCAL const soothi_operator *soothi_operator_facts(size_t kind) {
    static const soothi_operator known[SOOTH_OPERATORS] = {
#define SOOTHI_ITEM(item, name, form, operands, operations, what) \
    {name, SOOTH_OPERATOR_##form, operands, operations},
        SOOTH_OPERATOR_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return kind < SOOTH_OPERATORS ? &known[kind] : NULL;
}

SOOTH_API const char *sooth_operator_name(size_t i) {
    return i < SOOTH_OPERATORS ? soothi_operator_facts(i)->name : NULL;
}

SOOTH_API sooth_operator_form sooth_operator_kind_form(sooth_operator_kind kind) {
    return (sooth_operator_form)soothi_operator_facts(kind)->form;
}

SOOTH_API size_t sooth_operator_find(const char *name) {
    for (size_t i = 0; i < SOOTH_OPERATORS; ++i)
        if (soothi_same_text(soothi_operator_facts(i)->name, name)) return i;
    return SOOTH_NONE;
}

typedef struct soothi_data_type {
    char name[16];
    double weight, activation; /* bytes of a value */
    sooth_compute units;
} soothi_data_type;

SOOTHI_LOCAL const soothi_data_type *soothi_data_type_facts(size_t i) {
    static const soothi_data_type known[SOOTH_TYPES] = {
#define SOOTHI_ITEM(item, name, weight, activation, units, what) \
    {name, weight, activation, SOOTH_COMPUTE_##units},
        SOOTH_DATA_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < SOOTH_TYPES ? &known[i] : NULL;
}

SOOTH_API const char *sooth_data_type_name(size_t i) {
    return i < SOOTH_TYPES ? soothi_data_type_facts(i)->name : NULL;
}

SOOTH_API size_t sooth_data_type_find(const char *name) {
    for (size_t i = 0; i < SOOTH_TYPES; ++i)
        if (soothi_same_text(soothi_data_type_facts(i)->name, name)) return i;
    return SOOTH_NONE;
}

SOOTH_API sooth_compute sooth_operator_units(const sooth_operator *op) {
    const int typed = op->kind < SOOTH_OPERATORS && op->dtype < SOOTH_TYPES &&
                      soothi_operator_facts(op->kind)->form == SOOTH_OPERATOR_LANGUAGE;
    if (!typed) return SOOTH_COMPUTE_SINGLE;
    const int cached = op->kind == SOOTH_OPERATOR_DECODE || op->kind == SOOTH_OPERATOR_MLA_DECODE;
    const sooth_compute units = soothi_data_type_facts(op->dtype)->units;
    return cached && units != SOOTH_COMPUTE_FP8 ? SOOTH_COMPUTE_TENSOR : units;
}

/* Returns a / b rounded up. */
SOOTHI_LOCAL double soothi_ceil_over(double a, double b) {
    if (!(a / b < 9007199254740992.0)) return a / b; /* already an integer */
    const double whole = (double)(uint64_t)(a / b);
    return whole * b < a ? whole + 1.0 : whole;
}

/* Returns the elements read and written in total, each operand once. */
SOOTHI_LOCAL double soothi_operator_elements(const sooth_operator *op, const soothi_operator *known) {
    const double matrix = op->b * op->m * op->n + op->b * op->n * op->k + op->b * op->m * op->k;
    const double all = op->b * op->k, listed = op->in_elements + op->out_elements;
    switch ((sooth_operator_form)known->form) {
    case SOOTH_OPERATOR_MATRIX:
        return op->kind == SOOTH_OPERATOR_CONVOLUTION && listed > 0.0 ? listed : matrix;
    case SOOTH_OPERATOR_FUSED: return 2.0 * op->b * op->n * (op->m + op->k);
    case SOOTH_OPERATOR_VECTOR:
        return op->out_elements > 0.0 ? all * listed / op->out_elements : all * (1.0 + known->operands);
    case SOOTH_OPERATOR_ROW: return 2.0 * all;
    case SOOTH_OPERATOR_REDUCTION: return all + op->b;
    default: return all;
    }
}

SOOTHI_LOCAL sooth_status soothi_operator_check(sooth_env *env, const sooth_operator *op,
                                                const soothi_operator *known) {
    const double most = 9007199254740992.0, size[4] = {op->b, op->k, op->m, op->n};
    static const char name[4][2] = {"b", "k", "m", "n"};
    const unsigned sizes = known->form <= SOOTH_OPERATOR_FUSED ? 4 : 2;
    for (unsigned i = 0; i < sizes; ++i)
        if (!(size[i] >= 1.0 && size[i] <= most))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s of %s is %g, but must be from 1 to 2^53", name[i],
                              known->name, size[i]);
    if (!(op->in_elements >= 0.0 && op->in_elements <= most && op->out_elements >= 0.0 &&
          op->out_elements <= most))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "in_elements and out_elements are %g and %g, but must be from 0 to 2^53",
                          op->in_elements, op->out_elements);
    return SOOTH_OK;
}

/* ---- the work of an operator of a language model ---- */

/* The sizes of one, with the meaning of 0 applied. */
typedef struct soothi_language_shape {
    double m, n, k;
    double batch, tokens, heads, kv_heads, head_dim, window; /* tokens: cached ones too; window 0: all */
    double hidden, inter, topk, experts, tp, ep, skew;
} soothi_language_shape;

/* A size that an operator has: its place, and a name for sentences. */
typedef struct soothi_language_size {
    double value;
    char name[10];
    int may_be_0;
} soothi_language_size;

/* Lists the sizes of an operator. Returns their number. */
SOOTHI_LOCAL size_t soothi_language_sizes(const sooth_operator *op, soothi_language_size size[8]) {
    const int experts = op->kind == SOOTH_OPERATOR_EXPERTS, product = op->kind == SOOTH_OPERATOR_GEMM;
    const int latent = op->kind == SOOTH_OPERATOR_MLA_PREFILL || op->kind == SOOTH_OPERATOR_MLA_DECODE;
    const soothi_language_size tokens = {op->kind == SOOTH_OPERATOR_DECODE ? op->context : op->tokens, "", 0};
    const soothi_language_size of_product[3] = {{op->m, "m", 0}, {op->n, "n", 0}, {op->k, "k", 0}};
    const soothi_language_size of_experts[7] = {
        {op->tokens, "tokens", 0}, {op->hidden, "hidden", 0},   {op->inter, "inter", 0},
        {op->topk, "topk", 0},     {op->experts, "experts", 0}, {op->tp, "tp", 1},
        {op->ep, "ep", 1}};
    const soothi_language_size of_attention[6] = {
        {op->batch, "batch", 0},       tokens,
        {op->heads, "heads", 0},       {op->kv_heads, "kv_heads", 1},
        {op->head_dim, "head_dim", 0}, {op->window, "window", 1}};
    const size_t sizes = product ? 3 : experts ? 7 : latent ? 3 : 6;
    memcpy(size, product ? of_product : experts ? of_experts : of_attention, sizes * sizeof *size);
    static const char context[8] = "context", tokens_of[8] = "tokens";
    if (!product && !experts)
        memcpy(size[1].name, op->kind == SOOTH_OPERATOR_DECODE ? context : tokens_of, 8);
    return sizes;
}

SOOTHI_LOCAL sooth_status soothi_language_check(sooth_env *env, const sooth_operator *op) {
    const double most = 9007199254740992.0;
    const char *name = soothi_operator_facts(op->kind)->name;
    soothi_language_size size[8];
    const size_t sizes = soothi_language_sizes(op, size);
    for (size_t i = 0; i < sizes; ++i) {
        const double v = size[i].value;
        if (!(v >= (size[i].may_be_0 ? 0.0 : 1.0) && v <= most) || v > (double)(uint64_t)v)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "%s of %s is %g, but must be an integer from %u to 2^53", size[i].name, name, v,
                              size[i].may_be_0 ? 0u : 1u);
    }
    if (op->dtype >= SOOTH_TYPES)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "dtype of %s is %u, but must be below %u", name, op->dtype,
                          (unsigned)SOOTH_TYPES);
    const int attends = op->kind == SOOTH_OPERATOR_PREFILL || op->kind == SOOTH_OPERATOR_DECODE;
    if (attends && op->kv_heads > 0.0 &&
        (op->kv_heads > op->heads || (uint64_t)op->heads % (uint64_t)op->kv_heads))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "heads of %s is %g, but must be a multiple of kv_heads, %g", name, op->heads,
                          op->kv_heads);
    if (op->kind != SOOTH_OPERATOR_EXPERTS) return SOOTH_OK;
    if (op->topk > op->experts)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "topk of %s is %g, but must be at most experts, %g", name,
                          op->topk, op->experts);
    if (op->ep > 0.0 && (uint64_t)op->experts % (uint64_t)op->ep)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "experts of %s is %g, but must be a multiple of ep, %g",
                          name, op->experts, op->ep);
    if (op->tp > 0.0 && (uint64_t)op->inter % (uint64_t)op->tp)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "inter of %s is %g, but must be a multiple of tp, %g",
                          name, op->inter, op->tp);
    if (!(op->skew >= 0.0 && op->skew <= 4.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "skew of %s is %g, but must be from 0 to 4", name,
                          op->skew);
    return SOOTH_OK;
}

/* Returns the sizes of a checked operator. */
SOOTHI_LOCAL soothi_language_shape soothi_language_shape_of(const sooth_operator *op) {
    soothi_language_shape s;
    memset(&s, 0, sizeof s);
    s.m = op->m;
    s.n = op->n;
    s.k = op->k;
    s.batch = op->batch;
    s.tokens = op->kind == SOOTH_OPERATOR_DECODE ? op->context : op->tokens;
    s.heads = op->heads;
    s.kv_heads = op->kv_heads > 0.0 ? op->kv_heads : op->heads;
    s.head_dim = op->head_dim;
    s.window = op->window < s.tokens ? op->window : 0.0;
    s.hidden = op->hidden;
    s.tp = op->tp > 0.0 ? op->tp : 1.0;
    s.ep = op->ep > 0.0 ? op->ep : 1.0;
    s.inter = op->inter / s.tp;
    s.topk = op->topk;
    s.experts = op->experts / s.ep;
    s.skew = op->skew;
    return s;
}

/* Returns the pairs of a query and a key of one head and sequence. */
SOOTHI_LOCAL double soothi_language_pairs(const sooth_operator *op, const soothi_language_shape *s) {
    const double L = s->tokens, W = s->window;
    if (op->kind == SOOTH_OPERATOR_PREFILL)
        return W > 0.0 ? 0.5 * W * (W + 1.0) + (L - W) * W : 0.5 * L * (L + 1.0);
    if (op->kind == SOOTH_OPERATOR_DECODE) return (W > 0.0 ? W : L) + 1.0;
    return op->kind == SOOTH_OPERATOR_MLA_PREFILL ? 0.5 * L * (L + 1.0) : L;
}

/* Returns how many of this GPU's experts get a token, if each token draws them alike. */
SOOTHI_LOCAL double soothi_language_hit(const soothi_language_shape *s) {
    const double routed = s->tokens * s->topk / s->ep, ratio = routed / s->experts;
    /* 1 - exp(-x) of small x: without cancellation, and below x */
    const double share = ratio < 1e-3 ? ratio * (1.0 - 0.5 * ratio) : 1.0 - (double)sooth_exp((float)-ratio);
    const double hit = s->experts * share, least = routed < 1.0 ? routed : 1.0;
    return hit > least ? hit : least;
}

SOOTHI_LOCAL void soothi_language_work(const sooth_operator *op, sooth_work *work) {
    const soothi_data_type *type = soothi_data_type_facts(op->dtype);
    const double w = type->weight, a = type->activation;
    const soothi_language_shape s = soothi_language_shape_of(op);
    const double rows = s.batch * s.heads;
    double operations = 0.0, bytes = 0.0;
    switch ((sooth_operator_kind)op->kind) {
    case SOOTH_OPERATOR_GEMM: {
        const double down = soothi_ceil_over(s.m, 128.0), across = soothi_ceil_over(s.n, 128.0);
        operations = 2.0 * s.m * s.n * s.k;
        bytes = a * s.m * s.k + w * s.n * s.k + 2.0 * s.m * s.n;
        work->tiles = down * across;
        work->l2_bytes = a * s.m * s.k * across + w * s.n * s.k * down + 2.0 * s.m * s.n;
        break;
    }
    case SOOTH_OPERATOR_PREFILL:
        operations = 4.0 * rows * s.head_dim * soothi_language_pairs(op, &s);
        bytes = s.batch * s.tokens * s.head_dim * (4.0 * s.heads + 2.0 * s.kv_heads * (2.0 + w));
        work->tiles = rows * soothi_ceil_over(s.tokens, 128.0);
        break;
    case SOOTH_OPERATOR_DECODE:
        operations = 4.0 * rows * s.head_dim * soothi_language_pairs(op, &s);
        bytes = 2.0 * s.batch * s.kv_heads * s.head_dim * soothi_language_pairs(op, &s) * w +
                4.0 * s.batch * s.head_dim * (s.heads + s.kv_heads);
        break;
    case SOOTH_OPERATOR_EXPERTS: {
        const double routed = s.tokens * s.topk / s.ep;
        operations = 6.0 * routed * s.hidden * s.inter;
        bytes = 3.0 * w * s.hidden * s.inter * soothi_language_hit(&s) +
                routed * (2.0 * a * s.hidden + 4.0 * s.hidden + 6.0 * s.inter) + 2.0 * s.tokens * s.hidden;
        break;
    }
    case SOOTH_OPERATOR_MLA_PREFILL:
        operations = 640.0 * rows * soothi_language_pairs(op, &s);
        bytes = 1280.0 * rows * s.tokens;
        work->tiles = rows * soothi_ceil_over(s.tokens, 128.0);
        break;
    default: /* MLA_DECODE */
        operations = 2176.0 * rows * s.tokens;
        bytes = 576.0 * s.batch * s.tokens * w + 2176.0 * rows;
        break;
    }
    work->operations[sooth_operator_units(op)] = operations;
    work->memory_bytes = bytes;
    if (!(work->l2_bytes > 0.0)) work->l2_bytes = bytes;
}

SOOTH_API sooth_status sooth_operator_work(sooth_env *env, const sooth_operator *op, sooth_work *work) {
    const soothi_operator *known = soothi_operator_facts(op->kind);
    const double bytes = op->element_bytes ? (double)op->element_bytes : 4.0;
    if (!known)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kind is %u, but must be below %u", op->kind,
                          (unsigned)SOOTH_OPERATORS);
    if (known->form == SOOTH_OPERATOR_LANGUAGE) {
        if (soothi_language_check(env, op) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
        memset(work, 0, sizeof *work);
        soothi_language_work(op, work);
        return SOOTH_OK;
    }
    if (op->dtype != SOOTH_TYPE_FP32) {
        const char *dtype = sooth_data_type_name(op->dtype);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "dtype of %s is %s, but must be fp32", known->name,
                          dtype ? dtype : "not a data type");
    }
    if (soothi_operator_check(env, op, known) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    memset(work, 0, sizeof *work);
    const int matrix = known->form <= SOOTH_OPERATOR_FUSED;
    const sooth_compute type = matrix && op->tensor ? SOOTH_COMPUTE_TENSOR : SOOTH_COMPUTE_SINGLE;
    work->operations[type] = known->operations * (matrix ? op->b * op->m * op->n * op->k : op->b * op->k);
    work->memory_bytes = work->l2_bytes = bytes * soothi_operator_elements(op, known);
    work->launches = 1.0;
    if (known->form == SOOTH_OPERATOR_MATRIX) { /* a tile reads its rows and its columns */
        const double down = soothi_ceil_over(op->m, 128.0), across = soothi_ceil_over(op->k, 128.0);
        work->tiles = op->b * down * across;
        work->l2_bytes = bytes * op->b * (op->n * (op->m * across + op->k * down) + op->m * op->k);
    }
    return SOOTH_OK;
}

SOOTH_API const char *sooth_compute_name(size_t i) {
    static const char name[SOOTH_COMPUTES][12] = {"fp32", "fp64", "special",     "half",     "int32 logic",
                                                  "fp16", "tf32", "fp8",         "fp4",      "int8",
                                                  "int4", "int1", "fp64 tensor", "fp16 sums"};
    return i < SOOTH_COMPUTES ? name[i] : NULL;
}

/* Returns the units that multiply matrices of this data type. */
SOOTHI_LOCAL sooth_compute soothi_tensor_units(unsigned tensor) {
    static const uint8_t units[SOOTH_PTX_TENSORS] = {
        SOOTH_COMPUTE_TENSOR_DOUBLE, SOOTH_COMPUTE_TF32, SOOTH_COMPUTE_TENSOR, SOOTH_COMPUTE_TENSOR,
        SOOTH_COMPUTE_FP8,           SOOTH_COMPUTE_FP8,  SOOTH_COMPUTE_FP4,    SOOTH_COMPUTE_FP4,
        SOOTH_COMPUTE_INT8,          SOOTH_COMPUTE_INT4, SOOTH_COMPUTE_INT1};
    return (sooth_compute)units[tensor];
}

/* True for operations that only the units of integers compute: not sums, products and left shifts, nor those
   of predicates. */
SOOTHI_LOCAL int soothi_work_is_logic(const sooth_ptx_form *form) {
    static const uint16_t others[] = {
        SOOTH_PTX_OP_ADD,  SOOTH_PTX_OP_SUB,   SOOTH_PTX_OP_MUL,  SOOTH_PTX_OP_MAD,  SOOTH_PTX_OP_MUL24,
        SOOTH_PTX_OP_NEG,  SOOTH_PTX_OP_MAD24, SOOTH_PTX_OP_SHL,  SOOTH_PTX_OP_ADDC, SOOTH_PTX_OP_SUBC,
        SOOTH_PTX_OP_MADC, SOOTH_PTX_OP_DP2A,  SOOTH_PTX_OP_DP4A, SOOTH_PTX_OP_ABS};
    if (form->type == SOOTH_PTX_TYPE_PRED || form->opcode == SOOTH_PTX_OP_UNKNOWN) return 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (form->opcode == others[i]) return 0;
    return form->kind == SOOTH_PTX_KIND_INT || form->kind == SOOTH_PTX_KIND_LOGIC;
}

/* Returns the operations of one instruction of a thread: a fused one has two, and packed types twice as many.
   */
SOOTHI_LOCAL double soothi_form_operations(const sooth_ptx_form *form) {
    const int fused = form->opcode == SOOTH_PTX_OP_FMA || form->opcode == SOOTH_PTX_OP_MAD;
    const int packed = form->type == SOOTH_PTX_TYPE_F16X2 || form->type == SOOTH_PTX_TYPE_BF16X2 ||
                       form->type == SOOTH_PTX_TYPE_F32X2;
    return (fused ? 2.0 : 1.0) * (packed ? 2.0 : 1.0);
}

/* True for products of half precision with sums of half precision: the first type is that of the sums. */
SOOTHI_LOCAL int soothi_sums_halves(const sooth_ptx_form *form) {
    return form->kind == SOOTH_PTX_KIND_TENSOR && form->tensor == SOOTH_PTX_TENSOR_F16 &&
           form->operations > 0 && form->type == SOOTH_PTX_TYPE_F16;
}

SOOTH_API void sooth_work_from_ptx(const sooth_ptx *ptx, const sooth_ptx_counts *counts,
                                   const sooth_gpu_launch *launch, sooth_work *work) {
    const double blocks = launch->blocks, threads = blocks * (double)launch->threads;
    double sums = 0.0;
    memset(work, 0, sizeof *work);
    for (size_t i = 0; i < ptx->forms; ++i) {
        const sooth_ptx_form *form = &ptx->form[i];
        const double times = counts->form[i] * threads, operations = soothi_form_operations(form) * times;
        if (times > 0.0) soothi_ptx_narrow(&work->least, &work->most, form->least, form->most);
        switch (form->kind) {
        case SOOTH_PTX_KIND_FP16: work->operations[SOOTH_COMPUTE_HALF] += operations; break;
        case SOOTH_PTX_KIND_FP32: work->operations[SOOTH_COMPUTE_SINGLE] += operations; break;
        case SOOTH_PTX_KIND_FP64: work->operations[SOOTH_COMPUTE_DOUBLE] += operations; break;
        case SOOTH_PTX_KIND_SPECIAL: work->operations[SOOTH_COMPUTE_SPECIAL] += times; break;
        default: break;
        }
        if (soothi_work_is_logic(form)) work->operations[SOOTH_COMPUTE_LOGIC] += times;
        if (soothi_sums_halves(form)) sums += times * (double)form->operations / (double)form->threads;
    }
    work->l2_bytes = -counts->table * threads;
    for (unsigned c = 0; c < SOOTH_PTX_CLASSES; ++c)
        if (c == SOOTH_PTX_CLASS_GLOBAL || c == SOOTH_PTX_CLASS_TEXTURE)
            work->l2_bytes += (counts->loaded[c] + counts->stored[c]) * threads +
                              (counts->block_loaded[c] + counts->block_stored[c]) * blocks;
    if (work->l2_bytes < 0.0) work->l2_bytes = 0.0; /* rounding */
    for (unsigned t = 0; t < SOOTH_PTX_TENSORS; ++t)
        work->operations[soothi_tensor_units(t)] +=
            counts->tensor[t] * threads + counts->block_tensor[t] * blocks;
    if (sums > work->operations[SOOTH_COMPUTE_TENSOR]) sums = work->operations[SOOTH_COMPUTE_TENSOR];
    work->operations[SOOTH_COMPUTE_TENSOR] -= sums;
    work->operations[SOOTH_COMPUTE_TENSOR_HALF] = sums;
    work->memory_bytes = work->l2_bytes;
    work->unsized = (counts->unsized + counts->unshaped + counts->unknown) * threads +
                    (counts->block_unsized + counts->block_unshaped) * blocks;
    /* a warp that is not full issues as often as a full one; of a few threads more than 32, this is not
       counted */
    const double warps = launch->threads <= SOOTH_GPU_WARP ? blocks : threads / SOOTH_GPU_WARP;
    work->instructions = counts->total * warps;
    work->shared = counts->shared * warps;
    work->atomics =
        (counts->kind[SOOTH_PTX_KIND_GLOBAL_ATOMIC] + counts->kind[SOOTH_PTX_KIND_SHARED_ATOMIC]) * threads;
    for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) work->chain[k] = counts->chain[k];
    work->warps = blocks * (double)((launch->threads + SOOTH_GPU_WARP - 1) / SOOTH_GPU_WARP);
    work->as_issued = 1;
    work->tiles = launch->blocks;
    work->launches = 1.0;
}

/* ---- the ceilings of a device ---- */

SOOTH_API const char *sooth_roofline_bound_name(size_t bound) {
    static const char name[SOOTH_BOUNDS][16] = {"compute", "power",         "L2",     "memory", "launch",
                                                "issue",   "shared memory", "latency"};
    return bound < SOOTH_BOUNDS ? name[bound] : NULL;
}

/* Returns the results of half precision, not on tensor cores, that an SM has in a clock, and its operations
   of integers: throughput tables of arithmetic instructions, CUDA C++ Programming Guide (half: "16-bit
   floating-point add, multiply, multiply-add", the rate of packed halves; integers: the largest of logic,
   shifts and comparisons). Half precision of 8.0 is also that of A100's data sheet, 78e12 operations a
   second; of bfloat16 it has a half. From 10.0 on the largest number that a clock can issue bounds integers:
   it is not known here. 0: not known. */
SOOTHI_LOCAL double soothi_half_results(uint32_t compute) {
    return compute < 53                     ? 0.0
           : compute == 53 || compute == 62 ? 256.0
           : compute == 61                  ? 2.0
           : compute < 80                   ? 128.0
           : compute == 80 || compute == 87 ? 256.0
           : compute < 90                   ? 128.0
                                            : 256.0;
}
SOOTHI_LOCAL double soothi_logic_results(uint32_t compute) {
    return compute == 0                                                       ? 0.0
           : compute < 50                                                     ? 160.0
           : compute < 60 || compute == 61 || compute == 62 || compute >= 100 ? 128.0
                                                                              : 64.0;
}

/* Returns the seconds of a link in a chain; 0: not known. */
SOOTHI_LOCAL double soothi_link_seconds(const sooth_gpu *gpu, unsigned link) {
    const double *of = gpu->latency, whole = of[SOOTH_GPU_LATENCY_ADD], single = of[SOOTH_GPU_LATENCY_F32];
    const double step = whole > 0.0 && whole < single ? whole : single;
    const double cycles = link == SOOTH_PTX_LINK_STEP     ? step
                          : link == SOOTH_PTX_LINK_HALF   ? of[SOOTH_GPU_LATENCY_F16]
                          : link == SOOTH_PTX_LINK_SHARED ? of[SOOTH_GPU_LATENCY_SHARED_LOAD]
                                                          : of[SOOTH_GPU_LATENCY_L1];
    return gpu->clock_mhz > 0.0 ? cycles / (1e6 * gpu->clock_mhz) : 0.0;
}

SOOTH_API void sooth_roofline_ceilings(const sooth_gpu *gpu, sooth_ceilings *ceilings) {
    const double clocks = 1e6 * gpu->clock_mhz * (double)gpu->sms;
    /* 12 nm is a 16 nm process with a new name: its boards draw the same */
    const double nm = gpu->process_nm == 12 ? 16.0 : (double)gpu->process_nm;
    ceilings->compute[SOOTH_COMPUTE_SINGLE] = 2.0 * clocks * (double)gpu->fp32_units;
    ceilings->compute[SOOTH_COMPUTE_DOUBLE] = 2.0 * clocks * (double)gpu->fp64_units;
    ceilings->compute[SOOTH_COMPUTE_SPECIAL] = clocks * (double)gpu->special_units;
    ceilings->compute[SOOTH_COMPUTE_HALF] = 2.0 * clocks * soothi_half_results(gpu->compute);
    ceilings->compute[SOOTH_COMPUTE_LOGIC] =
        clocks * soothi_logic_results(gpu->compute) / SOOTH_ROOFLINE_ISSUED;
    ceilings->compute[SOOTH_COMPUTE_TENSOR] = 1e9 * gpu->tensor_gflops;
    ceilings->compute[SOOTH_COMPUTE_TF32] = 1e9 * gpu->tf32_gflops;
    ceilings->compute[SOOTH_COMPUTE_FP8] = 1e9 * gpu->fp8_gflops;
    ceilings->compute[SOOTH_COMPUTE_FP4] = 1e9 * gpu->fp4_gflops;
    ceilings->compute[SOOTH_COMPUTE_INT8] = 1e9 * gpu->int8_gops;
    ceilings->compute[SOOTH_COMPUTE_INT4] = ceilings->compute[SOOTH_COMPUTE_INT1] = 0.0;
    ceilings->compute[SOOTH_COMPUTE_TENSOR_DOUBLE] = 0.0;
    ceilings->compute[SOOTH_COMPUTE_TENSOR_HALF] =
        1e9 * (0.5 * gpu->int8_gops > gpu->tensor_gflops ? 0.5 * gpu->int8_gops : gpu->tensor_gflops);
    ceilings->sustained =
        nm > 0.0 ? gpu->tdp_watts / (1e-12 * SOOTH_ROOFLINE_PICOJOULES_16NM * nm / 16.0) : 0.0;
    ceilings->l2 = 1e9 * gpu->l2_gbs;
    ceilings->memory = 1e9 * gpu->memory_gbs;
    ceilings->issue = clocks * (double)gpu->dispatch_units / SOOTH_ROOFLINE_ISSUED;
    ceilings->shared = gpu->maker == SOOTH_GPU_MAKER_NVIDIA ? clocks : 0.0;
    for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) ceilings->link[k] = soothi_link_seconds(gpu, k);
    ceilings->sms = (double)gpu->sms;
    ceilings->partitions = gpu->compute >= 50 ? (double)gpu->schedulers : 0.0;
}

SOOTHI_LOCAL double soothi_over(double work, double ceiling) { return ceiling > 0.0 ? work / ceiling : 0.0; }

/* Checks that a device of this compute capability has the instructions of the work. */
SOOTHI_LOCAL sooth_status soothi_work_check(sooth_env *env, const sooth_work *work, uint32_t compute) {
    if (compute >= work->least && (!work->most || compute <= work->most)) return SOOTH_OK;
    if (!work->most)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the work has instructions of sm_%u or later, but the GPU is sm_%u", work->least,
                          compute);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the work has instructions that only sm_%u to sm_%u have, but the GPU is sm_%u",
                      work->least, work->most, compute);
}

/* Returns the share of the device that a launch of PTX has at most: of its SMs, or of their partitions; 1 for
   other work. */
SOOTHI_LOCAL double soothi_filled(const sooth_ceilings *c, const sooth_work *work, int partitions) {
    if (!work->as_issued || !(work->tiles > 0.0)) return 1.0;
    const double sms = work->tiles < c->sms ? work->tiles : c->sms;
    if (!partitions || !(c->partitions > 0.0) || !(work->warps > 0.0)) return sms / c->sms;
    const double most = sms * c->partitions;
    return (work->warps < most ? work->warps : most) / (c->sms * c->partitions);
}

SOOTHI_LOCAL double soothi_issue_seconds(const sooth_ceilings *c, const sooth_work *work) {
    return soothi_over(work->instructions, c->issue * soothi_filled(c, work, 1));
}

SOOTHI_LOCAL double soothi_shared_seconds(const sooth_ceilings *c, const sooth_work *work) {
    return soothi_over(work->shared, c->shared * soothi_filled(c, work, 0));
}

SOOTHI_LOCAL double soothi_chain_seconds(const sooth_ceilings *c, const sooth_work *work) {
    double seconds = 0.0;
    for (unsigned k = 0; k < SOOTH_PTX_LINKS; ++k) seconds += work->chain[k] * c->link[k];
    return seconds;
}

SOOTH_API sooth_status sooth_roofline_compute(sooth_env *env, const sooth_gpu *gpu, const sooth_work *work,
                                              sooth_roofline *roof) {
    sooth_ceilings c;
    double all = 0.0, next = 0.0;
    const char *missing = !gpu->sms                  ? "sms"
                          : !gpu->fp32_units         ? "fp32_units"
                          : !(gpu->clock_mhz > 0.0)  ? "clock_mhz"
                          : !(gpu->memory_gbs > 0.0) ? "memory_gbs"
                                                     : NULL;
    if (missing)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s of the GPU %s is not known, but a roofline needs it",
                          missing, gpu->name);
    if (soothi_work_check(env, work, gpu->compute) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    memset(roof, 0, sizeof *roof);
    sooth_roofline_ceilings(gpu, &c);
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) { /* types of units work in parallel */
        /* an operator of FP8 is computed in 16 bits where FP8 has no peak; an instruction is not */
        const int wider = i == SOOTH_COMPUTE_FP8 && !work->as_issued && !(c.compute[i] > 0.0);
        const unsigned units = wider ? (unsigned)SOOTH_COMPUTE_TENSOR : i;
        const double part = soothi_filled(&c, work, i < SOOTH_COMPUTE_TENSOR);
        const double t = soothi_over(work->operations[i], c.compute[units] * part);
        if (!(c.compute[units] > 0.0)) roof->unbounded += work->operations[i];
        if (t > roof->each[SOOTH_BOUND_COMPUTE]) {
            roof->each[SOOTH_BOUND_COMPUTE] = t;
            roof->units = units;
        }
        if (i != SOOTH_COMPUTE_LOGIC) all += work->operations[i];
    }
    roof->each[SOOTH_BOUND_POWER] = soothi_over(work->operations[SOOTH_COMPUTE_SINGLE], c.sustained);
    roof->each[SOOTH_BOUND_L2] = soothi_over(work->l2_bytes, c.l2);
    roof->each[SOOTH_BOUND_MEMORY] = soothi_over(work->memory_bytes, c.memory);
    roof->each[SOOTH_BOUND_LAUNCH] = SOOTH_ROOFLINE_LAUNCH_SECONDS * work->launches;
    roof->each[SOOTH_BOUND_ISSUE] = soothi_issue_seconds(&c, work);
    roof->each[SOOTH_BOUND_SHARED] = soothi_shared_seconds(&c, work);
    roof->each[SOOTH_BOUND_LATENCY] = soothi_chain_seconds(&c, work);
    for (unsigned i = 0; i < SOOTH_BOUNDS; ++i) {
        if (i == SOOTH_BOUND_POWER && work->as_issued) continue;
        if (roof->each[i] > roof->seconds) {
            next = roof->seconds;
            roof->seconds = roof->each[i];
            roof->bound = (sooth_bound)i;
        } else if (roof->each[i] > next) {
            next = roof->each[i];
        }
    }
    roof->margin = next > 0.0 ? roof->seconds / next : 0.0;
    roof->intensity = work->memory_bytes > 0.0 ? all / work->memory_bytes : 0.0;
    const unsigned plain = SOOTH_COMPUTE_SINGLE;
    roof->ridge = c.compute[roof->units < SOOTH_COMPUTE_TENSOR ? plain : roof->units];
    if (roof->units < SOOTH_COMPUTE_TENSOR && c.sustained > 0.0 && c.sustained < roof->ridge)
        roof->ridge = c.sustained;
    roof->ridge /= c.memory;
    roof->waves = work->tiles / (double)gpu->sms;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
