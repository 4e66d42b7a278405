/* gpu/roofline.h - the work of a GPU kernel against the ceilings of a device: which bound holds, by how much.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A kernel cannot end before its operations are computed, its bytes are moved, and it is launched. Each
 * resource of a device has a ceiling. Work over ceiling is a lower bound of the time of any program
 * (Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009). Each level of memory has its own roof (Ilic
 * et al., IEEE CAL 13(1), 2014):
 *
 *     compute   operations / (2 units SMs clock), for each type of unit
 *     power     operations / (watts / energy of an operation): what a board can sustain within its limit
 *     L2        bytes between SMs and L2 / its bandwidth
 *     memory    bytes between L2 and memory / its bandwidth
 *     launch    number of kernels x 5 microseconds
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
    X(MEM, "mem", COPY, 1, 0, "k elements read or written in all, b times")

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
    SOOTH_OPERATOR_COPY
} sooth_operator_form;

/* Returns the name of operator i ("bmm"); NULL after the last. */
SOOTH_API const char *sooth_operator_name(size_t i);

/* Returns the form of an operator. */
SOOTH_API sooth_operator_form sooth_operator_kind_form(sooth_operator_kind kind);

/* Returns the index of the operator with this name; SOOTH_NONE if there is none. */
SOOTH_API size_t sooth_operator_find(const char *name);

/* An operator on a shape. Sizes are integers from 1 to 2^53; sizes that the form does not have are ignored. A
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
} sooth_operator;

/* The units that compute. */
typedef enum sooth_compute {
    SOOTH_COMPUTE_SINGLE,
    SOOTH_COMPUTE_DOUBLE,
    SOOTH_COMPUTE_SPECIAL, /* sine, exp2, ...: one operation each */
    SOOTH_COMPUTE_TENSOR,  /* half precision */
    SOOTH_COMPUTE_TF32,
    SOOTH_COMPUTE_FP8,
    SOOTH_COMPUTE_FP4,
    SOOTH_COMPUTE_INT8,
    SOOTH_COMPUTE_INT4,
    SOOTH_COMPUTE_INT1,
    SOOTH_COMPUTE_TENSOR_DOUBLE, /* double precision on tensor cores */
    SOOTH_COMPUTES
} sooth_compute;

/* Returns the name of units i: "fp32", "fp64", "special", "fp16" of the tensor cores, "tf32", "fp8", "fp4",
   "int8", "int4", "int1", "fp64 tensor"; NULL after the last. */
SOOTH_API const char *sooth_compute_name(size_t i);

typedef struct sooth_work {
    double operations[SOOTH_COMPUTES]; /* a fused multiply-add is two */
    double memory_bytes;               /* minimum between L2 and memory */
    double l2_bytes;                   /* between the SMs and L2 */
    double tiles;                      /* of 128 x 128 results (or blocks of a launch); 0: not known */
    double launches;
    double unsized; /* instructions with unknown work: copies and matrix products of PTX without a size in it,
                       unknown opcodes */
    uint32_t as_issued; /* 1: as PTX; 0: FP8 runs in half precision where a device has no peak of FP8 */
} sooth_work;

/* Computes the minimum work of an operator. Returns SOOTH_BAD_ARGUMENT if a kind or a size is out of
   range. */
SOOTH_API sooth_status sooth_operator_work(sooth_env *env, const sooth_operator *op, sooth_work *work);

/* Computes the work of a launch from the work of one thread. Every byte counts once for each access, both
   between SMs and L2 and between L2 and memory. For memory this is an upper bound, reached without reuse.
   Options are as counted. Matrix products have the peak of their data type: f16 and bf16 that of half
   precision, f8f6f4 and mxf8f6f4 of FP8, mxf4 and mxf4nvf4 of FP4. unsized is the number of instructions whose
   work PTX does not define. */
SOOTH_API void sooth_work_from_ptx(const sooth_ptx *ptx, const sooth_ptx_counts *counts,
                                   const sooth_gpu_launch *launch, sooth_work *work);

/* ---- the ceilings of a device ---- */

#define SOOTH_ROOFLINE_LAUNCH_SECONDS 5e-6  /* from the end of a kernel to the start of the next in a queue */
#define SOOTH_ROOFLINE_PICOJOULES_16NM 17.7 /* an operation of single precision, see above */

typedef enum sooth_bound {
    SOOTH_BOUND_COMPUTE,
    SOOTH_BOUND_POWER,
    SOOTH_BOUND_L2,
    SOOTH_BOUND_MEMORY,
    SOOTH_BOUND_LAUNCH,
    SOOTH_BOUNDS
} sooth_bound;

/* Returns "compute", "power", "L2", "memory" or "launch"; NULL after the last. */
SOOTH_API const char *sooth_roofline_bound_name(size_t bound);

/* Operations and bytes per second; 0 means not known, and then no bound. */
typedef struct sooth_ceilings {
    double compute[SOOTH_COMPUTES];
    double sustained; /* operations of single precision that the power limit allows */
    double l2, memory;
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
   fp32_units, clock_mhz or memory_gbs. */
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
    char name[10];
    uint8_t form, operands, operations;
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

SOOTH_API sooth_status sooth_operator_work(sooth_env *env, const sooth_operator *op, sooth_work *work) {
    const soothi_operator *known = soothi_operator_facts(op->kind);
    const double bytes = op->element_bytes ? (double)op->element_bytes : 4.0;
    if (!known)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kind is %u, but must be below %u", op->kind,
                          (unsigned)SOOTH_OPERATORS);
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
    static const char name[SOOTH_COMPUTES][12] = {"fp32", "fp64", "special", "fp16", "tf32",       "fp8",
                                                  "fp4",  "int8", "int4",    "int1", "fp64 tensor"};
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

SOOTH_API void sooth_work_from_ptx(const sooth_ptx *ptx, const sooth_ptx_counts *counts,
                                   const sooth_gpu_launch *launch, sooth_work *work) {
    const double blocks = launch->blocks, threads = blocks * (double)launch->threads;
    memset(work, 0, sizeof *work);
    for (size_t i = 0; i < ptx->forms; ++i) {
        const sooth_ptx_form *form = &ptx->form[i];
        const double times = counts->form[i] * threads;
        const int fused = form->opcode == SOOTH_PTX_OP_FMA || form->opcode == SOOTH_PTX_OP_MAD;
        switch (form->kind) {
        case SOOTH_PTX_KIND_FP16:
        case SOOTH_PTX_KIND_FP32:
            work->operations[SOOTH_COMPUTE_SINGLE] += fused ? 2.0 * times : times;
            break;
        case SOOTH_PTX_KIND_FP64:
            work->operations[SOOTH_COMPUTE_DOUBLE] += fused ? 2.0 * times : times;
            break;
        case SOOTH_PTX_KIND_SPECIAL: work->operations[SOOTH_COMPUTE_SPECIAL] += times; break;
        default: break;
        }
    }
    for (unsigned c = 0; c < SOOTH_PTX_CLASSES; ++c)
        if (c == SOOTH_PTX_CLASS_GLOBAL || c == SOOTH_PTX_CLASS_LOCAL || c == SOOTH_PTX_CLASS_TEXTURE)
            work->l2_bytes += (counts->loaded[c] + counts->stored[c]) * threads +
                              (counts->block_loaded[c] + counts->block_stored[c]) * blocks;
    for (unsigned t = 0; t < SOOTH_PTX_TENSORS; ++t)
        work->operations[soothi_tensor_units(t)] +=
            counts->tensor[t] * threads + counts->block_tensor[t] * blocks;
    work->memory_bytes = work->l2_bytes;
    work->unsized = (counts->unsized + counts->unshaped + counts->unknown) * threads +
                    (counts->block_unsized + counts->block_unshaped) * blocks;
    work->as_issued = 1;
    work->tiles = launch->blocks;
    work->launches = 1.0;
}

/* ---- the ceilings of a device ---- */

SOOTH_API const char *sooth_roofline_bound_name(size_t bound) {
    static const char name[SOOTH_BOUNDS][8] = {"compute", "power", "L2", "memory", "launch"};
    return bound < SOOTH_BOUNDS ? name[bound] : NULL;
}

SOOTH_API void sooth_roofline_ceilings(const sooth_gpu *gpu, sooth_ceilings *ceilings) {
    const double clocks = 1e6 * gpu->clock_mhz * (double)gpu->sms;
    /* 12 nm is a 16 nm process with a new name: its boards draw the same */
    const double nm = gpu->process_nm == 12 ? 16.0 : (double)gpu->process_nm;
    ceilings->compute[SOOTH_COMPUTE_SINGLE] = 2.0 * clocks * (double)gpu->fp32_units;
    ceilings->compute[SOOTH_COMPUTE_DOUBLE] = 2.0 * clocks * (double)gpu->fp64_units;
    ceilings->compute[SOOTH_COMPUTE_SPECIAL] = clocks * (double)gpu->special_units;
    ceilings->compute[SOOTH_COMPUTE_TENSOR] = 1e9 * gpu->tensor_gflops;
    for (unsigned i = SOOTH_COMPUTE_TF32; i < SOOTH_COMPUTES; ++i) ceilings->compute[i] = 0.0;
    ceilings->sustained =
        nm > 0.0 ? gpu->tdp_watts / (1e-12 * SOOTH_ROOFLINE_PICOJOULES_16NM * nm / 16.0) : 0.0;
    ceilings->l2 = 1e9 * gpu->l2_gbs;
    ceilings->memory = 1e9 * gpu->memory_gbs;
}

SOOTHI_LOCAL double soothi_over(double work, double ceiling) { return ceiling > 0.0 ? work / ceiling : 0.0; }

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
    memset(roof, 0, sizeof *roof);
    sooth_roofline_ceilings(gpu, &c);
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) { /* types of units work in parallel */
        const double t = soothi_over(work->operations[i], c.compute[i]);
        if (!(c.compute[i] > 0.0)) roof->unbounded += work->operations[i];
        if (t > roof->each[SOOTH_BOUND_COMPUTE]) {
            roof->each[SOOTH_BOUND_COMPUTE] = t;
            roof->units = i;
        }
        all += work->operations[i];
    }
    roof->each[SOOTH_BOUND_POWER] = soothi_over(work->operations[SOOTH_COMPUTE_SINGLE], c.sustained);
    roof->each[SOOTH_BOUND_L2] = soothi_over(work->l2_bytes, c.l2);
    roof->each[SOOTH_BOUND_MEMORY] = soothi_over(work->memory_bytes, c.memory);
    roof->each[SOOTH_BOUND_LAUNCH] = SOOTH_ROOFLINE_LAUNCH_SECONDS * work->launches;
    for (unsigned i = 0; i < SOOTH_BOUNDS; ++i) {
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
    roof->ridge = c.compute[roof->units < SOOTH_COMPUTE_TENSOR ? SOOTH_COMPUTE_SINGLE : roof->units];
    if (roof->units < SOOTH_COMPUTE_TENSOR && c.sustained > 0.0 && c.sustained < roof->ridge)
        roof->ridge = c.sustained;
    roof->ridge /= c.memory;
    roof->waves = work->tiles / (double)gpu->sms;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
