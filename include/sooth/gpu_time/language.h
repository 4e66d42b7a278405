/* gpu_time/language.h - the times of operators of language models on any GPU: a law, and small trees on it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The roofline of gpu/roofline.h says what no kernel beats. Here five GPUs (A100, H100, H200, L40S, B200)
 * show what kernels reach. Each class of operators (gemm, prefill, decode, moe, mla-prefill, mla-decode) has
 * a table of its own. A prediction has two parts:
 *
 *     ms = law(work, device) x e^(sum of trees(features)),   the trees' part within a factor of 4
 *
 * The law has nine numbers for each data type, the same on every device:
 *
 *     law  = floor + start q + sqrt((C + x X)^2 + (M g / memory)^2)
 *     gemm          C: the minimum over tiles a x b of  w' 2 a b (k + k0) SMs / (use_ab peak)
 *                   w = tiles / SMs; w' = w + quantum (ceil(w) - w) from one wave on, w^split below
 *                   q: quantisation of the activations, 3 m k bytes
 *     moe           C: as in gemm, with tiles of a rows of each expert touched
 *                   q: quantisation; and a cost of each expert touched
 *     prefill       C: products over use, times w' / w of b h s / 128 tiles (b h at least)
 *                   q: a wave of tiles
 *     decode        g: w' / w, for what is cached, of the b kv pairs of a sequence and a head, whose cache
 *                   is split below a wave; q: a wave of these pairs
 *     mla-prefill   as prefill
 *     mla-decode    as decode, with b sequences
 *     M: bytes over bandwidth. X: exponentials of attention over the rate of the special units
 *
 * Trees are boosted on log(measured / law) with the absolute error. They are symmetric: a level has one test.
 * Their features have no unit: quotients of times, sizes in waves and in L2, logarithms of a model's sizes. A
 * set of trees was learned from one kind of GPU alone (A100; H100 and H200; L40S; B200). It answers for that
 * GPU and for its twins: the same major compute capability, the same kind of memory, and peak and bandwidth
 * within a factor of 1.6. One more set, learned from all with features of the device, answers for every other
 * GPU and for data types that the twin was not measured with.
 *
 * Trust: INSIDE for a learned GPU or a twin, EDGE for another GPU of the same maker with a kind of memory
 * that was learned, OUTSIDE for the rest, for another maker, and for types whose kernels belong to a
 * generation (all but bf16, fp16 and fp8) if none of that generation was measured. Each has its width of
 * intervals, and a twin a wider one than a learned GPU. A type that the tensor cores of a generation do not
 * have is refused: compute capability 8.0 brought bf16 and tf32, 8.9 fp8, 10.0 nvfp4, 7.2 int8, 7.0 fp16. A
 * cache in fp8 needs 8.0: A100 was measured with one. Before 8.0 all is OUTSIDE.
 *
 * fp16 was not measured. It is answered as bf16, and is EDGE at best: from 8.0 on both have the same units,
 * the same peak by the makers' sheets and the same bytes. It is never INSIDE, for no row of it was seen.
 *
 * Shapes: for each set of trees the table has the range of each size (see sooth_gpu_language_sizes). An
 * operator outside of a range is EDGE at best, by more than a factor of 4 OUTSIDE. So are operations and
 * bytes. Sizes that were only measured in multiples of 16 (n, k, hidden, inter) are EDGE in between: other
 * kernels run. For attention the pairs of head_dim and window are listed: only heads of 64 have a window of
 * 128, and only heads of 128 one of 8192. Another head_dim within a factor of 2 of a learned one is EDGE, and
 * so is another window with it; the rest is OUTSIDE. Where that holds of a set alone (A100 was measured with
 * heads of 128 and no window), the pooled set answers, as EDGE at best.
 *
 * Tried with laws and trees from sizes up to an eighth of the largest (m, n, k; tokens; batch, context):
 * of rows beyond by up to a factor of 2, and of 2 to 4, the width of EDGE holds 97 to 100 and 92 to 100 % in
 * each class, of 4 to 8 81 to 100 %; the width of INSIDE 74 to 99, 46 to 99 and 30 to 98 %. Of each pair of
 * head_dim and window left out, it holds 95 to 100 % on each GPU (but prefill of 256 on L40S: 81 %); the
 * width of INSIDE 33 to 100 %.
 *
 * The law is monotone: more work is never faster; more bandwidth, more operations a second, or more SMs with
 * their share of both, is never slower. The trees are not. Of measured shapes and those with one size halved,
 * the half is said to take longer in this share of pairs (in brackets by more than a twentieth), in per cent:
 *
 *     gemm m          5.9 (0.3)    prefill tokens      1.6 (0.2)    prefill batch      2.8 (0.2)
 *     moe tokens      3.1 (0.9)    decode context     15.9 (1.7)    decode batch      11.2 (2.0)
 *                                  mla-prefill tokens  2.6 (0.1)    mla-prefill batch  0.2 (0.0)
 *                                  mla-decode tokens  17.4 (1.6)    mla-decode batch   4.9 (0.7)
 *
 * The worst factor is 0.6, of decode. A bound, the prediction at half the size, would take twice the time
 * and only halve these shares. It makes mla-decode worse by 1.5 points on a GPU left out, and the 90th
 * percentiles of decode and moe by 0.25. So there is none; in a sweep take the largest prediction so far.
 *
 * A window costs time of its own, and predictions follow: with a window of 128 the measured decode on H100
 * and H200 takes up to 1.9 times as long after 2,000 to 65,000 cached tokens as after 127 to 1,100, with the
 * same bytes and heads (a quarter of such pairs 1.5 times and more, half of them 1.1 at most); on L40S up to
 * 1.6, on B200 1.0 in the median and 1.2 at most.
 *
 * Errors, each GPU left out (median / p90 in per cent), and of a learned one (every other row left out):
 *
 *                  A100      H100     H200     L40S      B200      worst learned
 *     gemm         13/33     4/14     5/25     28/102    14/28     6/23
 *     prefill      9/20      5/13     4/11     32/163    8/21      4/16
 *     decode       19/48     9/34     8/25     33/122    19/45     8/32
 *     moe          13/36     8/23     8/22     21/116    10/33     8/25
 *     mla-prefill  19/89     3/12     3/9      45/198    10/46     5/21
 *     mla-decode   46/87     7/31     7/24     49/95     26/47     5/74
 *
 * H100 and H200 are twins, the only ones measured. L40S is the only one without stacked memory: such a GPU is
 * OUTSIDE if it is left out. Intervals hold 90 to 100 % of each class and GPU left out; their widths are the
 * 90th percentile of these very errors on the worst GPU of a bin. OUTSIDE has twice its logarithm, and a
 * factor of e^2 at least: of another maker nothing was learned.
 *
 * Data: github.com/ai-dynamo/aiconfigurator, commit 095f58a, Copyright (c) 2025-2026 NVIDIA CORPORATION &
 * AFFILIATES, Apache License 2.0; TensorRT-LLM 1.3 (A100: 1.0) in CUDA graphs, so no launch by the host is in
 * a time. examples/gpu/language.c learns the tables.
 *
 * Cost: no allocation; 40 to 200 trees of five comparisons and 30 logarithms. For a GPU without a twin these
 * are about 10,000 instructions, less than a microsecond. The tables of all classes are 250 KB; a program
 * that asks for one class links only its own.
 */
#if !defined(SOOTH_GPU_TIME_LANGUAGE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_LANGUAGE_IMPLEMENTED))
#include "../base.h"
#include "../gpu.h"
#endif

#if !defined(SOOTH_GPU_TIME_LANGUAGE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_LANGUAGE_H
SOOTHI_C_BEGIN

#define SOOTH_GPU_LANGUAGE_FEATURES 44 /* of a row, at most */
#define SOOTH_GPU_LANGUAGE_DEVICE 6 /* of these, the last ones are of the device: for the pooled set only */
#define SOOTH_GPU_LANGUAGE_SETS 5   /* of trees; set 0 is the pooled one */
#define SOOTH_GPU_LANGUAGE_GPUS 8   /* learned from, at most */
#define SOOTH_GPU_LANGUAGE_SIZES 9  /* of an operator, for trust: the last two are operations and bytes */
#define SOOTH_GPU_LANGUAGE_FORMS 8  /* of attention that a set learned, at most */

/* Parameters of the law, as above. */
enum {
    SOOTH_GPU_LANGUAGE_FLOOR = 0, /* ms; 0: the data type was not learned */
    SOOTH_GPU_LANGUAGE_START,     /* gemm, moe: of the quantising time; attention: ms a wave */
    SOOTH_GPU_LANGUAGE_USE,       /* share of the peak */
    SOOTH_GPU_LANGUAGE_MEMORY,    /* share of the bandwidth */
    SOOTH_GPU_LANGUAGE_SECOND,    /* gemm, moe: use of the second tile over USE; attention: x */
    SOOTH_GPU_LANGUAGE_THIRD,     /* gemm, moe: use of the third tile over USE */
    SOOTH_GPU_LANGUAGE_QUANTUM,
    SOOTH_GPU_LANGUAGE_SPLIT,
    SOOTH_GPU_LANGUAGE_EXTRA, /* gemm: k0; moe: ms an expert and wave of SMs */
    SOOTH_GPU_LANGUAGE_PARAMETERS
};

/* Bins of intervals. */
enum {
    SOOTH_GPU_LANGUAGE_KNOWN,    /* a learned GPU, other shapes */
    SOOTH_GPU_LANGUAGE_TWIN,     /* a twin of a learned one */
    SOOTH_GPU_LANGUAGE_STRANGER, /* the same maker and kind of memory */
    SOOTH_GPU_LANGUAGE_OUTSIDE,
    SOOTH_GPU_LANGUAGE_BINS
};

/* A GPU that was learned from. */
typedef struct sooth_gpu_language_gpu {
    char name[24]; /* in sooth_gpu_named */
    uint32_t compute, stacked;
    uint32_t types;         /* a bit for each sooth_data_type */
    uint32_t set;           /* its trees */
    double peak, bandwidth; /* 1e9 operations (half precision) and bytes per second */
} sooth_gpu_language_gpu;

/* What was learned of a class: this struct, then, without a gap,
     int16_t leaf[room x 2^depth], threshold[room x depth], uint8_t feature[room x depth]
   Tree i of a set has `depth` levels: level d of it tests whether
   row[feature[i depth + d]] > threshold[i depth + d], and sets bit d of its leaf's index. A leaf is a
   logarithm times 8192. */
typedef struct sooth_gpu_language {
    uint32_t kind; /* a sooth_operator_kind */
    uint32_t depth, gpus;
    uint32_t first[SOOTH_GPU_LANGUAGE_SETS + 1]; /* first tree of each set, and the number of all */
    float base[SOOTH_GPU_LANGUAGE_SETS];
    sooth_gpu_language_gpu gpu[SOOTH_GPU_LANGUAGE_GPUS];
    float law[SOOTH_TYPES][SOOTH_GPU_LANGUAGE_PARAMETERS];
    double spread[SOOTH_GPU_LANGUAGE_BINS]; /* 90 % lie within e^-spread to e^spread times the prediction */
    float least[SOOTH_GPU_LANGUAGE_SETS][SOOTH_GPU_LANGUAGE_SIZES]; /* learned from; see the trust above */
    float most[SOOTH_GPU_LANGUAGE_SETS][SOOTH_GPU_LANGUAGE_SIZES];  /* 0: the set has no rows */
    uint32_t step[SOOTH_GPU_LANGUAGE_SIZES]; /* sizes are multiples of it; at most 16 */
    uint32_t form[SOOTH_GPU_LANGUAGE_SETS][SOOTH_GPU_LANGUAGE_FORMS][2]; /* head_dim, window; 0, 0: no more */
    uint64_t room; /* trees that the arrays have room for */
} sooth_gpu_language;

/* The shipped table of each class, learned from the data named above. */
SOOTH_API const sooth_gpu_language *sooth_gpu_language_gemm(void);
SOOTH_API const sooth_gpu_language *sooth_gpu_language_prefill(void);
SOOTH_API const sooth_gpu_language *sooth_gpu_language_decode(void);
SOOTH_API const sooth_gpu_language *sooth_gpu_language_moe(void);
SOOTH_API const sooth_gpu_language *sooth_gpu_language_mla_prefill(void);
SOOTH_API const sooth_gpu_language *sooth_gpu_language_mla_decode(void);

/* What a prediction needs of a device; a part of sooth_gpu_timer. */
typedef struct sooth_gpu_language_device {
    char name[24];
    uint32_t compute, stacked, foreign;
    double sms, l2, watts;
    double clock;                /* per ms */
    double special;              /* exponentials per ms */
    double peak[SOOTH_COMPUTES]; /* operations per ms; 0: none */
    double bandwidth;            /* bytes per ms */
} sooth_gpu_language_device;

/* Initialises it from a device; special units that are not known count as 16. */
SOOTH_API void sooth_gpu_language_device_init(sooth_gpu_language_device *device, const sooth_gpu *gpu);

/* Writes the row of an operator: integers, 256 times logarithms and shares, the last
   SOOTH_GPU_LANGUAGE_DEVICE of the device; those that a class does not have are 0. *law is the law's ms.
   Returns SOOTH_BAD_ARGUMENT if the operator is not of the table's kind, its sizes are out of range, the data
   type was not learned, or the device has no units for it. */
SOOTH_API sooth_status sooth_gpu_language_row(sooth_env *env, const sooth_gpu_language_device *device,
                                              const sooth_gpu_language *learned, const sooth_operator *op,
                                              int16_t row[SOOTH_GPU_LANGUAGE_FEATURES], double *law);

/* Writes the sizes of an operator that trust compares with those learned from. They are, and then 0 up to the
   last two, which are operations and bytes:

       gemm                     m, n, k
       moe                      tokens, hidden, inter / tp, topk, experts, experts / ep, 1 + skew
       prefill, decode          batch, tokens or context, heads, kv_heads, heads / kv_heads
       mla-prefill, mla-decode  batch, tokens, heads

   Returns SOOTH_BAD_ARGUMENT if the operator is not of a language model, or a size is out of range. */
SOOTH_API sooth_status sooth_gpu_language_sizes(sooth_env *env, const sooth_operator *op,
                                                double size[SOOTH_GPU_LANGUAGE_SIZES]);

/* A prediction, with its place: which bin of intervals, which set of trees. */
typedef struct sooth_gpu_language_time {
    double ms, law;
    double spread;
    uint32_t bin, set;
    uint32_t bound; /* a sooth_bound: the largest part of the law */
} sooth_gpu_language_time;

/* Predicts with the table of one class; sooth_gpu_time does the same with the shipped one of its kind. */
SOOTH_API sooth_status sooth_gpu_language_predict(sooth_env *env, const sooth_gpu_language_device *device,
                                                  const sooth_gpu_language *learned, const sooth_operator *op,
                                                  sooth_gpu_language_time *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_TIME_LANGUAGE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_LANGUAGE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_LANGUAGE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the device ---- */

SOOTH_API void sooth_gpu_language_device_init(sooth_gpu_language_device *device, const sooth_gpu *gpu) {
    sooth_ceilings c;
    memset(device, 0, sizeof *device);
    sooth_roofline_ceilings(gpu, &c);
    memcpy(device->name, gpu->name, sizeof device->name);
    device->compute = gpu->compute;
    device->stacked = gpu->memory_bits >= 1024;
    device->foreign = gpu->maker != SOOTH_GPU_MAKER_NVIDIA;
    device->sms = gpu->sms;
    device->l2 = gpu->l2_bytes ? gpu->l2_bytes : 1048576.0;
    device->watts = gpu->tdp_watts;
    device->clock = 1e3 * gpu->clock_mhz;
    device->special = device->clock * device->sms * (gpu->special_units ? gpu->special_units : 16.0);
    device->bandwidth = 1e-3 * c.memory;
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) device->peak[i] = 1e-3 * c.compute[i];
}

/* ---- the law ---- */

/* An operator on a device, in the law's terms. */
typedef struct soothi_language_terms {
    soothi_language_shape shape;
    const soothi_data_type *type;
    const float *law;
    uint32_t dtype;         /* as learned */
    double peak;            /* operations per ms */
    double compute, memory; /* ms at the peak and at the bandwidth */
    double operations, bytes;
    double weights;      /* bytes of weights or of what is cached */
    double quantising;   /* ms */
    double exponentials; /* ms */
    double units;        /* tiles, or pairs of a sequence and a head */
    double hit, routed;  /* moe */
} soothi_language_terms;

SOOTHI_LOCAL double soothi_language_log(double x) {
    return (double)sooth_log((float)(x > 1e-30 ? x : 1e-30));
}
SOOTHI_LOCAL double soothi_language_exp(double x) { return (double)sooth_exp((float)x); }

/* Returns w' of w waves. */
SOOTHI_LOCAL double soothi_language_waves(const float *p, double w) {
    if (w < 1.0) return soothi_language_exp((double)p[SOOTH_GPU_LANGUAGE_SPLIT] * soothi_language_log(w));
    return w + (double)p[SOOTH_GPU_LANGUAGE_QUANTUM] * (soothi_ceil_over(w, 1.0) - w);
}

/* Returns C of products in tiles: `groups` times m x n x k. */
SOOTHI_LOCAL double soothi_language_tiles(const soothi_language_terms *t, double sms, double groups, double m,
                                          double n, double k) {
    static const double size[4][2] = {{128, 256}, {256, 128}, {128, 128}, {64, 64}};
    const float *p = t->law;
    const double use = (double)p[SOOTH_GPU_LANGUAGE_USE];
    const double k0 = t->routed > 0.0 ? 0.0 : (double)p[SOOTH_GPU_LANGUAGE_EXTRA];
    double least = 0.0;
    for (unsigned i = 0; i < 4; ++i) {
        const double of = i < 2 ? 1.0
                          : i == 2
                              ? (double)p[SOOTH_GPU_LANGUAGE_SECOND]
                              : (double)p[SOOTH_GPU_LANGUAGE_SECOND] * (double)p[SOOTH_GPU_LANGUAGE_THIRD];
        const double tiles = groups * soothi_ceil_over(m, size[i][0]) * soothi_ceil_over(n, size[i][1]);
        const double ms = soothi_language_waves(p, tiles / sms) * 2.0 * size[i][0] * size[i][1] * (k + k0) *
                          sms / (use * of * t->peak);
        if (i == 0 || ms < least) least = ms;
    }
    return least;
}

/* Returns the law's ms. *bound is set to the largest part. */
SOOTHI_LOCAL double soothi_language_law(const sooth_gpu_language_device *d, uint32_t kind,
                                        const soothi_language_terms *t, uint32_t *bound) {
    const float *p = t->law;
    const soothi_language_shape *s = &t->shape;
    const double waves = t->units / d->sms, loss = soothi_language_waves(p, waves) / waves;
    double start = (double)p[SOOTH_GPU_LANGUAGE_START], compute, memory = t->memory;
    if (kind == SOOTH_OPERATOR_GEMM) {
        compute = soothi_language_tiles(t, d->sms, 1.0, s->m, s->n, s->k);
        start *= t->quantising;
    } else if (kind == SOOTH_OPERATOR_EXPERTS) {
        compute =
            1.5 * soothi_language_tiles(t, d->sms, t->hit, t->routed / t->hit, 2.0 * s->inter, s->hidden);
        start = start * t->quantising + (double)p[SOOTH_GPU_LANGUAGE_EXTRA] * t->hit;
    } else {
        const int whole = kind == SOOTH_OPERATOR_PREFILL || kind == SOOTH_OPERATOR_MLA_PREFILL;
        compute = t->compute / (double)p[SOOTH_GPU_LANGUAGE_USE] +
                  (double)p[SOOTH_GPU_LANGUAGE_SECOND] * t->exponentials;
        if (whole) compute *= loss;
        else memory += (loss - 1.0) * t->weights / d->bandwidth;
        start *= waves;
    }
    memory /= (double)p[SOOTH_GPU_LANGUAGE_MEMORY];
    start += (double)p[SOOTH_GPU_LANGUAGE_FLOOR];
    *bound = start > compute && start > memory ? SOOTH_BOUND_LAUNCH
             : compute > memory                ? SOOTH_BOUND_COMPUTE
                                               : SOOTH_BOUND_MEMORY;
    return start + soothi_sqrt(compute * compute + memory * memory);
}

/* Fills what differs by class. */
SOOTHI_LOCAL void soothi_language_class_terms(const sooth_gpu_language_device *d, const sooth_operator *op,
                                              soothi_language_terms *t) {
    const soothi_language_shape *s = &t->shape;
    const double w = t->type->weight;
    const int quantised = t->type->units != SOOTH_COMPUTE_TENSOR && t->type->units != SOOTH_COMPUTE_SINGLE;
    const double pairs = soothi_language_pairs(op, s), rows = s->batch * s->heads;
    t->units = 1.0;
    switch ((sooth_operator_kind)op->kind) {
    case SOOTH_OPERATOR_GEMM:
        t->weights = w * s->n * s->k;
        if (quantised) t->quantising = 3.0 * s->m * s->k / d->bandwidth;
        break;
    case SOOTH_OPERATOR_EXPERTS:
        t->routed = s->tokens * s->topk / s->ep;
        t->hit = soothi_language_hit(s);
        t->weights = 3.0 * w * s->hidden * s->inter * t->hit;
        if (quantised) t->quantising = 3.0 * t->routed * s->hidden / d->bandwidth;
        break;
    case SOOTH_OPERATOR_PREFILL:
    case SOOTH_OPERATOR_MLA_PREFILL:
        t->weights = op->kind == SOOTH_OPERATOR_PREFILL
                         ? 2.0 * s->batch * s->tokens * s->kv_heads * s->head_dim * w
                         : 640.0 * rows * s->tokens;
        t->exponentials = rows * pairs / d->special;
        t->units = rows * (s->tokens > 128.0 ? s->tokens / 128.0 : 1.0);
        break;
    case SOOTH_OPERATOR_DECODE:
        t->weights = 2.0 * s->batch * s->kv_heads * s->head_dim * pairs * w;
        t->exponentials = rows * pairs / d->special;
        t->units = s->batch * s->kv_heads;
        break;
    default:
        t->weights = 576.0 * s->batch * s->tokens * w;
        t->exponentials = rows * pairs / d->special;
        t->units = s->batch;
        break;
    }
}

/* Returns the least compute capability whose tensor cores have an operator's data type. */
SOOTHI_LOCAL uint32_t soothi_language_since(const sooth_operator *op) {
    const int cached = op->kind == SOOTH_OPERATOR_DECODE || op->kind == SOOTH_OPERATOR_MLA_PREFILL ||
                       op->kind == SOOTH_OPERATOR_MLA_DECODE;
    if (cached && op->dtype == SOOTH_TYPE_FP8) return 80; /* computed in 16 bits, as A100's */
    switch ((sooth_data_type)op->dtype) {
    case SOOTH_TYPE_TF32:
    case SOOTH_TYPE_BF16: return 80;
    case SOOTH_TYPE_FP8:
    case SOOTH_TYPE_FP8_BLOCK: return 89;
    case SOOTH_TYPE_NVFP4: return 100;
    case SOOTH_TYPE_INT8: return 72;
    default: return 70;
    }
}

SOOTHI_LOCAL sooth_status soothi_language_terms_of(sooth_env *env, const sooth_gpu_language_device *d,
                                                   const sooth_gpu_language *learned,
                                                   const sooth_operator *op, soothi_language_terms *t) {
    sooth_work work;
    if (op->kind != learned->kind)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kind is %u, but the table is of %s", op->kind,
                          sooth_operator_name(learned->kind));
    if (sooth_operator_work(env, op, &work) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    memset(t, 0, sizeof *t);
    t->dtype = op->dtype == SOOTH_TYPE_FP16 ? (uint32_t)SOOTH_TYPE_BF16 : op->dtype;
    t->type = soothi_data_type_facts(t->dtype);
    t->law = learned->law[t->dtype];
    if (!(t->law[SOOTH_GPU_LANGUAGE_FLOOR] > 0.0f))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the times of %s with data type %s were not learned",
                          sooth_operator_name(op->kind), t->type->name);
    const sooth_compute units = sooth_operator_units(op);
    const int cached = op->kind == SOOTH_OPERATOR_DECODE || op->kind == SOOTH_OPERATOR_MLA_PREFILL ||
                       op->kind == SOOTH_OPERATOR_MLA_DECODE;
    const uint32_t since = soothi_language_since(op);
    if (!d->foreign && d->compute < since)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the GPU %s has no units for data type %s, which came with compute capability "
                          "%u.%u",
                          d->name, soothi_data_type_facts(op->dtype)->name, since / 10, since % 10);
    t->peak = d->peak[units];
    if (cached && !(t->peak > 0.0)) t->peak = d->peak[SOOTH_COMPUTE_TENSOR]; /* only kept in this type */
    if (!(t->peak > 0.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the GPU %s has no units for data type %s, or their rate is not known", d->name,
                          t->type->name);
    t->shape = soothi_language_shape_of(op);
    t->operations = work.operations[units];
    t->bytes = work.memory_bytes;
    t->compute = t->operations / t->peak;
    t->memory = t->bytes / d->bandwidth;
    soothi_language_class_terms(d, op, t);
    return SOOTH_OK;
}

/* ---- the row ---- */

typedef struct soothi_language_row {
    int16_t *to;
    size_t count;
} soothi_language_row;

/* Appends 256 v; v is above -70, the least logarithm. */
SOOTHI_LOCAL void soothi_language_put(soothi_language_row *row, double v) {
    const double scaled = 256.0 * v + (v < 0.0 ? -0.5 : 0.5);
    row->to[row->count++] = (int16_t)(scaled > 32766.0 ? 32766.0 : scaled);
}

SOOTHI_LOCAL void soothi_language_put_log(soothi_language_row *row, double v) {
    soothi_language_put(row, soothi_language_log(v));
}

/* Waves, and how full the last is. */
SOOTHI_LOCAL void soothi_language_put_waves(soothi_language_row *row, double units, double sms) {
    const double w = units / sms;
    soothi_language_put_log(row, w);
    soothi_language_put(row, w / soothi_ceil_over(w, 1.0));
}

SOOTHI_LOCAL void soothi_language_put_product(soothi_language_row *row, const soothi_language_terms *t,
                                              double sms) {
    static const double size[4][2] = {{64, 64}, {128, 128}, {128, 256}, {256, 128}};
    const soothi_language_shape *s = &t->shape;
    for (unsigned i = 0; i < 4; ++i)
        soothi_language_put_waves(
            row, soothi_ceil_over(s->m, size[i][0]) * soothi_ceil_over(s->n, size[i][1]), sms);
    soothi_language_put_log(row, s->m);
    soothi_language_put_log(row, s->n);
    soothi_language_put_log(row, s->k);
    soothi_language_put(row, s->m / (128.0 * soothi_ceil_over(s->m, 128.0)));
    soothi_language_put(row, (double)((uint64_t)s->m % 8));
    soothi_language_put_log(row, s->k * sms);
    soothi_language_put_log(row, t->quantising / (double)t->law[SOOTH_GPU_LANGUAGE_FLOOR]);
}

SOOTHI_LOCAL void soothi_language_put_experts(soothi_language_row *row, const soothi_language_terms *t,
                                              const sooth_operator *op, double sms) {
    const soothi_language_shape *s = &t->shape;
    const double each = t->routed / t->hit;
    for (double rows = 64.0; rows <= 128.0; rows *= 2.0)
        soothi_language_put_waves(
            row, t->hit * soothi_ceil_over(each, rows) * soothi_ceil_over(2.0 * s->inter, 128.0), sms);
    const double size[10] = {s->tokens, t->routed, t->hit, s->experts, s->hidden,
                             s->inter,  each,      s->ep,  s->topk,    op->experts};
    for (unsigned i = 0; i < 10; ++i) soothi_language_put_log(row, size[i]);
    soothi_language_put(row, s->skew);
    soothi_language_put_log(row, t->quantising / (double)t->law[SOOTH_GPU_LANGUAGE_FLOOR]);
}

SOOTHI_LOCAL void soothi_language_put_attention(soothi_language_row *row, const soothi_language_terms *t,
                                                const sooth_operator *op, double sms) {
    const soothi_language_shape *s = &t->shape;
    const double rows = s->batch * s->heads, most = t->compute > t->memory ? t->compute : t->memory;
    const int plain = op->kind == SOOTH_OPERATOR_PREFILL || op->kind == SOOTH_OPERATOR_DECODE;
    const int whole = op->kind == SOOTH_OPERATOR_PREFILL || op->kind == SOOTH_OPERATOR_MLA_PREFILL;
    const double each = whole ? s->tokens : soothi_language_pairs(op, s);
    soothi_language_put_waves(row, t->units, sms);
    soothi_language_put_waves(row, whole ? rows * soothi_ceil_over(s->tokens, 64.0) : rows, sms);
    soothi_language_put_waves(
        row, whole ? s->batch : s->batch * (plain ? s->kv_heads : 1.0) * soothi_ceil_over(each, 128.0), sms);
    soothi_language_put_log(row, s->batch);
    soothi_language_put_log(row, s->tokens);
    soothi_language_put_log(row, s->heads);
    soothi_language_put_log(row, each);
    soothi_language_put_log(row, t->exponentials / most);
    if (!plain) return;
    soothi_language_put_log(row, s->heads / s->kv_heads);
    soothi_language_put_log(row, s->head_dim);
    soothi_language_put_log(row, s->window > 0.0 ? s->window / s->tokens : 1.0);
    soothi_language_put(row, op->window > 0.0 ? 1.0 : 0.0);
}

/* Writes the features of a device. */
SOOTHI_LOCAL void soothi_language_put_device(soothi_language_row *row, const soothi_language_terms *t,
                                             const sooth_gpu_language_device *d) {
    soothi_language_put_log(row, t->peak / d->bandwidth);
    soothi_language_put_log(row, t->peak / (d->sms * d->clock));
    soothi_language_put_log(row, (d->watts > 0.0 ? d->watts : 1.0) * 1e9 / t->peak);
    soothi_language_put_log(row, d->bandwidth / d->sms);
    soothi_language_put(row, (double)d->stacked);
    soothi_language_put(row, 0.1 * d->compute);
}

SOOTHI_LOCAL void soothi_language_row_of(const sooth_gpu_language_device *d, const soothi_language_terms *t,
                                         const sooth_operator *op, int16_t to[SOOTH_GPU_LANGUAGE_FEATURES]) {
    soothi_language_row row = {to, 0};
    const double most = t->compute > t->memory ? t->compute : t->memory;
    memset(to, 0, SOOTH_GPU_LANGUAGE_FEATURES * sizeof *to);
    soothi_language_put_log(&row, t->compute / t->memory);
    soothi_language_put_log(&row, most / (double)t->law[SOOTH_GPU_LANGUAGE_FLOOR]);
    soothi_language_put_log(&row, t->bytes / d->l2);
    soothi_language_put_log(&row, t->weights / d->l2);
    for (uint32_t type = SOOTH_TYPE_BF16; type < SOOTH_TYPES; ++type)
        soothi_language_put(&row, type == t->dtype ? 1.0 : 0.0);
    if (op->kind == SOOTH_OPERATOR_GEMM) soothi_language_put_product(&row, t, d->sms);
    else if (op->kind == SOOTH_OPERATOR_EXPERTS) soothi_language_put_experts(&row, t, op, d->sms);
    else soothi_language_put_attention(&row, t, op, d->sms);
    row.count = SOOTH_GPU_LANGUAGE_FEATURES - SOOTH_GPU_LANGUAGE_DEVICE;
    soothi_language_put_device(&row, t, d);
}

SOOTH_API sooth_status sooth_gpu_language_row(sooth_env *env, const sooth_gpu_language_device *device,
                                              const sooth_gpu_language *learned, const sooth_operator *op,
                                              int16_t row[SOOTH_GPU_LANGUAGE_FEATURES], double *law) {
    soothi_language_terms t;
    uint32_t bound;
    if (soothi_language_terms_of(env, device, learned, op, &t) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    soothi_language_row_of(device, &t, op, row);
    *law = soothi_language_law(device, op->kind, &t, &bound);
    return SOOTH_OK;
}

/* ---- the choice of trees ---- */

SOOTHI_LOCAL int soothi_language_within(double a, double b, double factor) {
    return a <= factor * b && b <= factor * a;
}

/* Fills the sizes that trust compares. */
SOOTHI_LOCAL void soothi_language_sizes_of(const sooth_operator *op, const soothi_language_shape *s,
                                           double operations, double bytes,
                                           double size[SOOTH_GPU_LANGUAGE_SIZES]) {
    memset(size, 0, SOOTH_GPU_LANGUAGE_SIZES * sizeof *size);
    if (op->kind == SOOTH_OPERATOR_GEMM) {
        const double of_product[3] = {s->m, s->n, s->k};
        memcpy(size, of_product, sizeof of_product);
    } else if (op->kind == SOOTH_OPERATOR_EXPERTS) {
        const double of_experts[7] = {s->tokens,   s->hidden,  s->inter,     s->topk,
                                      op->experts, s->experts, 1.0 + s->skew};
        memcpy(size, of_experts, sizeof of_experts);
    } else {
        const int plain = op->kind == SOOTH_OPERATOR_PREFILL || op->kind == SOOTH_OPERATOR_DECODE;
        const double of_attention[5] = {s->batch, s->tokens, s->heads, s->kv_heads,
                                        plain ? s->heads / s->kv_heads : 0.0};
        memcpy(size, of_attention, (plain ? 5 : 3) * sizeof *size);
    }
    size[SOOTH_GPU_LANGUAGE_SIZES - 2] = operations;
    size[SOOTH_GPU_LANGUAGE_SIZES - 1] = bytes;
}

SOOTH_API sooth_status sooth_gpu_language_sizes(sooth_env *env, const sooth_operator *op,
                                                double size[SOOTH_GPU_LANGUAGE_SIZES]) {
    sooth_work work;
    if (sooth_operator_work(env, op, &work) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (sooth_operator_kind_form((sooth_operator_kind)op->kind) != SOOTH_OPERATOR_LANGUAGE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is not an operator of language models",
                          sooth_operator_name(op->kind));
    const soothi_language_shape s = soothi_language_shape_of(op);
    soothi_language_sizes_of(op, &s, work.operations[sooth_operator_units(op)], work.memory_bytes, size);
    return SOOTH_OK;
}

/* How far an operator is from those that a set learned: 0 among them, 1 beside, 2 far. */
enum { SOOTHI_LANGUAGE_AMONG, SOOTHI_LANGUAGE_BESIDE, SOOTHI_LANGUAGE_BEYOND };

/* Compares the width of heads and the window. */
SOOTHI_LOCAL int soothi_language_form_away(const sooth_gpu_language *learned, uint32_t set,
                                           const sooth_operator *op) {
    int away = SOOTHI_LANGUAGE_BEYOND;
    if (op->kind != SOOTH_OPERATOR_PREFILL && op->kind != SOOTH_OPERATOR_DECODE) return SOOTHI_LANGUAGE_AMONG;
    for (uint32_t i = 0; i < SOOTH_GPU_LANGUAGE_FORMS && learned->form[set][i][0]; ++i) {
        const double head_dim = learned->form[set][i][0], window = learned->form[set][i][1];
        const int windowed = window > 0.0;
        if ((op->window > 0.0) != windowed) continue;
        if (head_dim >= op->head_dim && head_dim <= op->head_dim &&
            (!windowed || soothi_language_within(window, op->window, 2.0)))
            return SOOTHI_LANGUAGE_AMONG;
        if (soothi_language_within(head_dim, op->head_dim, 2.0)) away = SOOTHI_LANGUAGE_BESIDE;
    }
    return away;
}

/* Compares the sizes with the ranges of a set. */
SOOTHI_LOCAL int soothi_language_sizes_away(const sooth_gpu_language *learned, uint32_t set,
                                            const double size[SOOTH_GPU_LANGUAGE_SIZES]) {
    const double slack = 1.0 + 1e-6; /* the ranges are single precision */
    int away = SOOTHI_LANGUAGE_AMONG;
    for (uint32_t i = 0; i < SOOTH_GPU_LANGUAGE_SIZES; ++i) {
        const double v = size[i], least = (double)learned->least[set][i] / slack;
        const double most = (double)learned->most[set][i] * slack;
        if (v < least / 4.0 || v > most * 4.0) return SOOTHI_LANGUAGE_BEYOND;
        if (v < least || v > most || (learned->step[i] > 1 && (uint64_t)v % learned->step[i]))
            away = SOOTHI_LANGUAGE_BESIDE;
    }
    return away;
}

/* Chooses the set of trees and the bin of intervals. */
SOOTHI_LOCAL void soothi_language_choose(const sooth_gpu_language_device *d,
                                         const sooth_gpu_language *learned, const soothi_language_terms *t,
                                         const sooth_operator *op, sooth_gpu_language_time *out) {
    int generation = (t->dtype == SOOTH_TYPE_BF16 || t->dtype == SOOTH_TYPE_FP8) && d->compute >= 80;
    int memory = 0;
    double closest = 1e30;
    out->set = 0;
    out->bin = SOOTH_GPU_LANGUAGE_STRANGER;
    for (uint32_t i = 0; i < learned->gpus; ++i) {
        const sooth_gpu_language_gpu *g = &learned->gpu[i];
        const int typed = (int)(g->types >> t->dtype & 1u), same = soothi_same_text(g->name, d->name);
        const double half = 1e-6 * d->peak[SOOTH_COMPUTE_TENSOR], gbs = 1e-6 * d->bandwidth;
        memory |= g->stacked == d->stacked;
        if (g->compute / 10 != d->compute / 10 || g->stacked != d->stacked || !typed) continue;
        generation = 1;
        if (!soothi_language_within(half, g->peak, 1.6) || !soothi_language_within(gbs, g->bandwidth, 1.6))
            continue;
        const double apart = same ? 0.0 : gbs > g->bandwidth ? gbs / g->bandwidth : g->bandwidth / gbs;
        if (apart >= closest) continue;
        closest = apart;
        out->set = g->set;
        out->bin = same ? SOOTH_GPU_LANGUAGE_KNOWN : SOOTH_GPU_LANGUAGE_TWIN;
    }
    if (out->set == 0 && (!memory || !generation)) out->bin = SOOTH_GPU_LANGUAGE_OUTSIDE;
    int form = soothi_language_form_away(learned, out->set, op);
    if (form > SOOTHI_LANGUAGE_BESIDE && soothi_language_form_away(learned, 0, op) < form) { /* others know */
        out->set = 0;
        form = SOOTHI_LANGUAGE_BESIDE;
    }
    double size[SOOTH_GPU_LANGUAGE_SIZES];
    soothi_language_sizes_of(op, &t->shape, t->operations, t->bytes, size);
    const int sizes = soothi_language_sizes_away(learned, out->set, size);
    const int away = form > sizes ? form : sizes;
    if (away == SOOTHI_LANGUAGE_BEYOND || d->foreign) out->bin = SOOTH_GPU_LANGUAGE_OUTSIDE;
    else if ((away == SOOTHI_LANGUAGE_BESIDE || op->dtype != t->dtype) &&
             out->bin < SOOTH_GPU_LANGUAGE_STRANGER)
        out->bin = SOOTH_GPU_LANGUAGE_STRANGER;
}

/* Appends the test of level k to the index of a leaf, the last level first: the sign of threshold - value. */
#define SOOTHI_LANGUAGE_TEST(leaf, k) (2u * (leaf) + ((uint32_t)(threshold[k] - value[feature[k]]) >> 31))

/* Returns the sum of a set's trees. All shipped ones have five levels, which are written out: a loop over
   them takes twice the instructions. */
SOOTHI_LOCAL double soothi_language_trees(const sooth_gpu_language *learned, uint32_t set,
                                          const int16_t *row) {
    const uint32_t depth = learned->depth, first = learned->first[set];
    const int16_t *leaf = (const int16_t *)(const void *)(learned + 1);
    const int16_t *threshold = leaf + ((size_t)learned->room << depth);
    const uint8_t *feature = (const uint8_t *)(threshold + (size_t)learned->room * depth);
    const int16_t *const end = leaf + ((size_t)learned->first[set + 1] << depth);
    int32_t sum = 0, value[SOOTH_GPU_LANGUAGE_FEATURES];
    for (unsigned j = 0; j < SOOTH_GPU_LANGUAGE_FEATURES; ++j) value[j] = row[j];
    leaf += (size_t)first << depth;
    threshold += (size_t)first * depth;
    feature += (size_t)first * depth;
    for (; depth == 5 && leaf < end; leaf += 32, threshold += 5, feature += 5) {
        uint32_t at = SOOTHI_LANGUAGE_TEST(0u, 4);
        at = SOOTHI_LANGUAGE_TEST(at, 3);
        at = SOOTHI_LANGUAGE_TEST(at, 2);
        at = SOOTHI_LANGUAGE_TEST(at, 1);
        sum += leaf[SOOTHI_LANGUAGE_TEST(at, 0)];
    }
    for (; leaf < end; leaf += (size_t)1 << depth, threshold += depth, feature += depth) {
        uint32_t at = 0;
        for (uint32_t k = depth; k-- > 0;) at = SOOTHI_LANGUAGE_TEST(at, k);
        sum += leaf[at];
    }
    return (double)learned->base[set] + (double)sum / 8192.0;
}

SOOTH_API sooth_status sooth_gpu_language_predict(sooth_env *env, const sooth_gpu_language_device *device,
                                                  const sooth_gpu_language *learned, const sooth_operator *op,
                                                  sooth_gpu_language_time *out) {
    soothi_language_terms t;
    int16_t row[SOOTH_GPU_LANGUAGE_FEATURES];
    if (soothi_language_terms_of(env, device, learned, op, &t) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    soothi_language_row_of(device, &t, op, row);
    soothi_language_choose(device, learned, &t, op, out);
    out->law = soothi_language_law(device, op->kind, &t, &out->bound);
    const double most = 1.3862943611198906, sum = soothi_language_trees(learned, out->set, row); /* log 4 */
    out->ms = out->law * soothi_language_exp(sum > most ? most : sum < -most ? -most : sum);
    out->spread = learned->spread[out->bin];
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
