/* gpu_time/measured.h - times of language models' operators on one GPU, corrected by a few measured ones.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   sooth_gpu_measured_observe  records the measured time of an operator
 *   sooth_gpu_measured_time     predicts the time of any operator: sooth_gpu_time, corrected by those
 *   sooth_gpu_measured_next     says which of some operators to measure next
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu_time.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[1000]; // 8,000 bytes, of at least sooth_gpu_measured_size(100)
 *         sooth_operator op = {
 *             .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 512, .n = 4096, .k = 4096};
 *         sooth_gpu_measured *measured = sooth_gpu_measured_begin(memory, sizeof memory);
 *         sooth_gpu gpu;
 *         sooth_gpu_timer timer;
 *         sooth_gpu_timing before, after;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_named(&env, "rtx-pro-6000", &gpu) != SOOTH_OK ||
 *             sooth_gpu_timer_init(&env, &timer, &gpu, NULL) != SOOTH_OK ||
 *             sooth_gpu_time(&env, &timer, &op, &before) != SOOTH_OK ||
 *             sooth_gpu_measured_observe(&env, &timer, measured, &op, 1.3 * before.ms) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         op.m = 1024; // twice as large: nearly as much slower than predicted
 *         if (sooth_gpu_time(&env, &timer, &op, &before) != SOOTH_OK ||
 *             sooth_gpu_measured_time(&env, &timer, measured, &op, &after) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         puts(after.ms > 1.15 * before.ms ? "slower than predicted" : "as predicted");
 *         //> slower than predicted
 *         return 0;
 *     }
 *
 * Notes
 *
 * - One block is of one GPU, and of one timer. Classes (gemm, prefill, ...) do not inform each other.
 * - Without a measurement of its class, an operator's time is that of sooth_gpu_time.
 * - Where BF16 of the same shape was measured, it is the nearest neighbour of any other type: most of what is
 *   known of an FP8 product then comes from it. Types that run other kernels learn little from BF16.
 * - The block holds any number of measurements. A prediction uses the 64 that say most about the operator.
 *
 * Method and references
 *
 * For an operator let p be the predicted time, s the logarithm of the upper end of its interval over p,
 * divided by 1.645, and r = log(measured / p) / s. Within a class, r is a Gaussian process (Rasmussen and
 * Williams 2006, equations 2.25 and 2.26) over the logarithms z of the shape, of p, and of the operations'
 * time over the bytes' time:
 *
 *     cov(r, r') = like (common + smooth m(|z - z'| / 6.5) + rough m(|z - z'| / 0.6)) + noise if both are one
 *     m(d) = (1 + sqrt(3) d) e^(-sqrt(3) d)                                                    (Matern 3/2)
 *
 * like is 1 for two operators of one data type. Else it is the product of how alike each type is to BF16.
 * Because s may be wrong for a GPU, the variance has a prior of its own, and the process is one of Student's
 * t with v = 4 (Shah, Wilson and Ghahramani 2014). After n measurements with covariance K,
 *
 *     mean = c' K^-1 r       variance = (v + r' K^-1 r) / (v + n) (cov(r, r) + noise - c' K^-1 c)
 *     ms = p e^(s mean)      low, high = ms e^(-+ s wide t sqrt(variance))
 *
 * with t the 95th percentile of Student's t with v + n degrees of freedom. wide makes intervals hold 90 % of
 * the operators of GPUs left out. As in adapt.h, the effect of a wrong measurement is bounded. If one lies
 * more than 2.5 deviations from what the others say of it, its noise is raised, and it is tested again.
 *
 * The numbers are the same for all classes. They maximise the likelihood of the errors on five GPUs, each
 * left out of a model, and are rounded. The noise is ten times larger than that: then intervals also hold on
 * a GPU like a learned one, the errors of which have no pattern. Measuring one operator removes cov^2 /
 * variance from the variance of another; sooth_gpu_measured_next maximises the sum over the candidates.
 *
 * Cost: no allocation but for sooth_gpu_measured_next, which takes at most 100 KB from the env. 48 bytes a
 * measurement. With k measurements of a class (at most 64), a prediction takes k^2 exponentials and k^3 / 6
 * multiply-adds, about 0.1 ms for 64, and 20 KB of stack. Observing takes up to nine times k^3. Any number of
 * threads may predict; one may observe.
 */
#if !defined(SOOTH_PREDICT_ONLY) && \
    (!defined(SOOTH_GPU_TIME_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED)))
#include "../gpu_time.h"
#endif
#include "../base/solve.h"

#if !defined(SOOTH_GPU_TIME_MEASURED_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_MEASURED_H
SOOTHI_C_BEGIN

#define SOOTH_GPU_MEASURED_USED 64u /* measurements that a prediction uses */

/* The measurements of one GPU, in the caller's memory; they follow the struct. It may be copied with
   memcpy. */
typedef struct sooth_gpu_measured {
    uint32_t capacity; /* measurements that the memory holds */
    uint32_t rows;     /* measurements stored */
    uint32_t doubted;  /* of them, those that the others contradict */
    uint32_t reserved;
} sooth_gpu_measured;

/* Returns the bytes for a number of measurements, or 0 if there are too many; the memory must be aligned like
   a float. */
SOOTH_API size_t sooth_gpu_measured_size(size_t rows);

/* Begins a GPU without measurements in memory[0..size), which then holds as many as fit. Returns NULL if not
   one fits. */
SOOTH_API sooth_gpu_measured *sooth_gpu_measured_begin(void *memory, size_t size);

/* Records a measured time of an operator of a language model on the timer's device. Returns
   SOOTH_BAD_ARGUMENT if sooth_gpu_time refuses the operator, if its kind is not of language models, if ms is
   not above 0 and finite, or if the memory is full. Nothing is then changed. Up to 64 measurements of a class
   may come in any order. */
SOOTH_API sooth_status sooth_gpu_measured_observe(sooth_env *env, const sooth_gpu_timer *timer,
                                                  sooth_gpu_measured *measured, const sooth_operator *op,
                                                  double ms);

/* Like sooth_gpu_time, corrected by the measurements. trust is that of sooth_gpu_time, but EDGE instead of
   OUTSIDE if eight measurements or more of the class and type are used. Other kinds of operators have the
   result of sooth_gpu_time. */
SOOTH_API sooth_status sooth_gpu_measured_time(sooth_env *env, const sooth_gpu_timer *timer,
                                               const sooth_gpu_measured *measured, const sooth_operator *op,
                                               sooth_gpu_timing *out);

/* Sets *chosen to the candidate whose measurement would remove most of the summed variance of all candidates'
   logarithms; to `count` if all were measured. The first of equals is chosen. To choose several at once,
   copy the block, observe the predicted time of the chosen one in the copy, and call again. Returns
   SOOTH_BAD_ARGUMENT if an operator is refused as by observe, and SOOTH_NO_MEMORY. */
SOOTH_API sooth_status sooth_gpu_measured_next(sooth_env *env, const sooth_gpu_timer *timer,
                                               const sooth_gpu_measured *measured,
                                               const sooth_operator *candidates, size_t count,
                                               size_t *chosen);

SOOTHI_C_END
#endif /* SOOTH_GPU_TIME_MEASURED_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_MEASURED_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_MEASURED_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_MEASURED_USED SOOTH_GPU_MEASURED_USED
#define SOOTHI_MEASURED_REFERENCES 128u /* candidates of a class in the sum of variances */
#define SOOTHI_MEASURED_COMMON 0.005
#define SOOTHI_MEASURED_SMOOTH 0.2
#define SOOTHI_MEASURED_ROUGH 0.016
#define SOOTHI_MEASURED_NOISE 0.04
#define SOOTHI_MEASURED_PRIOR 4.0 /* v */
#define SOOTHI_MEASURED_DOUBT 2.5
#define SOOTHI_MEASURED_WIDE 1.5

/* A measurement, or an operator to predict. */
typedef struct soothi_gpu_measurement {
    float z[7];
    float off;   /* r */
    float doubt; /* noise added, of s^2 */
    float s;
    uint32_t kind, dtype;
} soothi_gpu_measurement;

SOOTHI_LOCAL soothi_gpu_measurement *soothi_gpu_measured_rows(const sooth_gpu_measured *m) {
    return (soothi_gpu_measurement *)(uintptr_t)(m + 1);
}

SOOTH_API size_t sooth_gpu_measured_size(size_t rows) {
    if (rows > UINT32_MAX / sizeof(soothi_gpu_measurement) - 1u) return 0;
    return sizeof(sooth_gpu_measured) + rows * sizeof(soothi_gpu_measurement);
}

SOOTH_API sooth_gpu_measured *sooth_gpu_measured_begin(void *memory, size_t size) {
    sooth_gpu_measured *m = (sooth_gpu_measured *)memory;
    if (!memory || size < sooth_gpu_measured_size(1)) return NULL;
    const size_t rows = (size - sizeof *m) / sizeof(soothi_gpu_measurement);
    memset(m, 0, sizeof *m);
    m->capacity = rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
    return m;
}

/* ---- the process ---- */

/* Returns how alike the errors of a type are to those of BF16 of one shape: their correlation on GPUs left
   out, less for latent attention; 0 for types that were not learned. */
SOOTHI_LOCAL double soothi_gpu_measured_like(uint32_t kind, uint32_t dtype) {
    const int fp8 = dtype == SOOTH_TYPE_FP8;
    if (dtype == SOOTH_TYPE_BF16 || dtype == SOOTH_TYPE_FP16) return 1.0;
    switch ((sooth_operator_kind)kind) {
    case SOOTH_OPERATOR_GEMM:
        return fp8                                                    ? 0.6
               : dtype == SOOTH_TYPE_NVFP4                            ? 0.15
               : dtype >= SOOTH_TYPE_FP8_BLOCK && dtype < SOOTH_TYPES ? 0.35
                                                                      : 0.0;
    case SOOTH_OPERATOR_EXPERTS: return fp8 ? 0.6 : dtype == SOOTH_TYPE_NVFP4 ? 0.2 : 0.0;
    case SOOTH_OPERATOR_PREFILL: return fp8 ? 0.65 : 0.0;
    case SOOTH_OPERATOR_MLA_PREFILL: return fp8 ? 0.2 : 0.0;
    case SOOTH_OPERATOR_MLA_DECODE: return fp8 ? 0.8 : 0.0;
    default: return 0.0;
    }
}

SOOTHI_LOCAL double soothi_gpu_measured_matern(double d) {
    const double x = 1.7320508075688772 * d;
    return (1.0 + x) * soothi_exp(-x);
}

/* Returns the covariance of the errors of two operators of a class, without noise. */
SOOTHI_LOCAL double soothi_gpu_measured_cov(const soothi_gpu_measurement *a,
                                            const soothi_gpu_measurement *b) {
    double sum = 0.0, like = 1.0;
    if (a->dtype != b->dtype)
        like = soothi_gpu_measured_like(a->kind, a->dtype) * soothi_gpu_measured_like(b->kind, b->dtype);
    if (!(like > 0.0)) return 0.0;
    for (unsigned j = 0; j < 7; ++j) {
        const double apart = (double)a->z[j] - (double)b->z[j];
        sum += apart * apart;
    }
    const double d = soothi_sqrt(sum);
    return like * (SOOTHI_MEASURED_COMMON + SOOTHI_MEASURED_SMOOTH * soothi_gpu_measured_matern(d / 6.5) +
                   SOOTHI_MEASURED_ROUGH * soothi_gpu_measured_matern(d / 0.6));
}

#define SOOTHI_MEASURED_SELF \
    (SOOTHI_MEASURED_COMMON + SOOTHI_MEASURED_SMOOTH + SOOTHI_MEASURED_ROUGH + SOOTHI_MEASURED_NOISE)

/* The measurements that a prediction uses, and the solution of their equations. */
typedef struct soothi_gpu_posterior {
    size_t n;
    uint32_t at[SOOTHI_MEASURED_USED];
    double root[SOOTHI_MEASURED_USED * (SOOTHI_MEASURED_USED + 1) / 2]; /* L, packed: K = L L' */
    double alpha[SOOTHI_MEASURED_USED];                                 /* K^-1 r */
    double scale;                                                       /* of the variance */
} soothi_gpu_posterior;

/* Chooses the measurements of x's class with the largest covariance to x; without x, the last of `kind`. */
SOOTHI_LOCAL void soothi_gpu_posterior_choose(const sooth_gpu_measured *m, uint32_t kind,
                                              const soothi_gpu_measurement *x, soothi_gpu_posterior *p) {
    const soothi_gpu_measurement *row = soothi_gpu_measured_rows(m);
    double cov[SOOTHI_MEASURED_USED];
    p->n = 0;
    for (uint32_t i = m->rows; i-- > 0;) {
        if (row[i].kind != kind) continue;
        const double c = x ? soothi_gpu_measured_cov(&row[i], x) : 0.0;
        size_t k = p->n;
        if (x && !(c > 0.0)) continue;
        if (k == SOOTHI_MEASURED_USED) {
            if (!(c > cov[k - 1])) continue;
            --k;
        } else {
            ++p->n;
        }
        for (; k > 0 && c > cov[k - 1]; --k) {
            cov[k] = cov[k - 1];
            p->at[k] = p->at[k - 1];
        }
        cov[k] = c;
        p->at[k] = i;
    }
}

/* Solves the equations of the chosen measurements. The noise keeps K definite to working precision. */
SOOTHI_LOCAL void soothi_gpu_posterior_solve(const sooth_gpu_measured *m, soothi_gpu_posterior *p) {
    const soothi_gpu_measurement *row = soothi_gpu_measured_rows(m);
    double line[SOOTHI_MEASURED_USED], sum = 0.0;
    for (size_t i = 0; i < p->n; ++i) {
        const soothi_gpu_measurement *a = &row[p->at[i]];
        for (size_t j = 0; j < i; ++j) line[j] = soothi_gpu_measured_cov(a, &row[p->at[j]]);
        (void)soothi_cholesky_add(p->root, i, line, SOOTHI_MEASURED_SELF + (double)a->doubt);
    }
    for (size_t i = 0; i < p->n; ++i) line[i] = (double)row[p->at[i]].off;
    soothi_cholesky_forward(p->root, p->n, line, p->alpha);
    for (size_t i = 0; i < p->n; ++i) sum += p->alpha[i] * p->alpha[i];
    soothi_cholesky_back(p->root, p->n, p->alpha, p->alpha);
    p->scale = (SOOTHI_MEASURED_PRIOR + sum) / (SOOTHI_MEASURED_PRIOR + (double)p->n);
}

/* Sets w = L^-1 c for an operator, and *mean if it is not NULL. Returns cov(r, r) + noise - c' K^-1 c. */
SOOTHI_LOCAL double soothi_gpu_posterior_at(const sooth_gpu_measured *m, const soothi_gpu_posterior *p,
                                            const soothi_gpu_measurement *x, double *w, double *mean) {
    const soothi_gpu_measurement *row = soothi_gpu_measured_rows(m);
    double sum = 0.0, rest = SOOTHI_MEASURED_SELF;
    for (size_t i = 0; i < p->n; ++i) {
        w[i] = soothi_gpu_measured_cov(x, &row[p->at[i]]);
        sum += w[i] * p->alpha[i];
    }
    soothi_cholesky_forward(p->root, p->n, w, w);
    for (size_t i = 0; i < p->n; ++i) rest -= w[i] * w[i];
    if (mean) *mean = sum;
    return rest; /* at least the noise */
}

/* Finds the measurement farthest from what the others say of it, in deviations. *others is the variance of
   that difference. */
SOOTHI_LOCAL double soothi_gpu_posterior_worst(const soothi_gpu_posterior *p, size_t *worst, double *others) {
    double unit[SOOTHI_MEASURED_USED], most = 0.0;
    for (size_t i = 0; i < p->n; ++i) {
        double inverse = 0.0; /* (K^-1)_ii = |L^-1 e_i|^2 */
        memset(unit, 0, sizeof unit);
        unit[i] = 1.0;
        soothi_cholesky_forward(p->root, p->n, unit, unit);
        for (size_t j = i; j < p->n; ++j) inverse += unit[j] * unit[j];
        const double off = p->alpha[i] < 0.0 ? -p->alpha[i] : p->alpha[i];
        const double z = off / soothi_sqrt(inverse * p->scale);
        if (z > most) {
            most = z;
            *worst = i;
            *others = 1.0 / inverse;
        }
    }
    return most;
}

/* Doubts anew the measurements near the last one. */
SOOTHI_LOCAL void soothi_gpu_measured_doubt(sooth_gpu_measured *m, soothi_gpu_posterior *p) {
    soothi_gpu_measurement *row = soothi_gpu_measured_rows(m);
    size_t worst = 0;
    double others = 0.0;
    soothi_gpu_posterior_choose(m, row[m->rows - 1].kind, &row[m->rows - 1], p);
    for (size_t i = 0; i < p->n; ++i) row[p->at[i]].doubt = 0.0f;
    for (unsigned turn = 0; turn < 8 && p->n > 2; ++turn) {
        soothi_gpu_posterior_solve(m, p);
        const double z = soothi_gpu_posterior_worst(p, &worst, &others) / SOOTHI_MEASURED_DOUBT;
        if (!(z > 1.0)) break;
        row[p->at[worst]].doubt += (float)(others * (z * z - 1.0));
    }
    m->doubted = 0;
    for (uint32_t i = 0; i < m->rows; ++i) m->doubted += row[i].doubt > 0.0f;
}

/* ---- operators ---- */

/* Sets the coordinates of an operator that was predicted. */
SOOTHI_LOCAL void soothi_gpu_measured_place(const sooth_gpu_timer *timer, const sooth_operator *op,
                                            const sooth_gpu_timing *t, soothi_gpu_measurement *x) {
    const soothi_language_shape s = soothi_language_shape_of(op);
    const sooth_compute units = sooth_operator_units(op);
    double rate = 1e-3 * timer->ceilings.compute[units], v[7] = {1, 1, 1, 1, 1, 1, 1};
    sooth_work work;
    (void)sooth_operator_work(NULL, op, &work);   /* sooth_gpu_time took it */
    if (!(rate > 0.0)) rate = timer->tensor_rate; /* a cache in FP8, without units for it */
    switch ((sooth_operator_kind)op->kind) {
    case SOOTH_OPERATOR_GEMM:
        v[0] = s.m;
        v[1] = s.n;
        v[2] = s.k;
        break;
    case SOOTH_OPERATOR_EXPERTS:
        v[0] = s.tokens;
        v[1] = s.tokens * s.topk / s.ep / s.experts;
        v[2] = s.experts;
        v[3] = s.inter;
        v[4] = s.hidden;
        break;
    case SOOTH_OPERATOR_PREFILL:
    case SOOTH_OPERATOR_DECODE:
        v[0] = s.batch * (op->kind == SOOTH_OPERATOR_PREFILL ? s.heads : s.kv_heads);
        v[1] = s.tokens;
        v[2] = s.heads / s.kv_heads;
        v[3] = s.head_dim;
        v[4] = soothi_sqrt(1.0 + s.window);
        break;
    default: /* latent */
        v[0] = s.heads;
        v[1] = s.batch;
        v[2] = s.tokens;
        break;
    }
    v[5] = work.operations[units] / rate * timer->bandwidth / work.memory_bytes;
    v[6] = t->ms;
    for (unsigned j = 0; j < 7; ++j) x->z[j] = sooth_log((float)v[j]);
    const double s_of = soothi_log(t->high / t->ms) / 1.645;
    x->s = (float)(s_of > 0.02 ? s_of : 0.02);
    x->off = x->doubt = 0.0f;
    x->kind = op->kind;
    x->dtype = op->dtype;
}

/* Predicts an operator and sets its coordinates; refuses kinds that are not of language models. */
SOOTHI_LOCAL sooth_status soothi_gpu_measured_read(sooth_env *env, const sooth_gpu_timer *timer,
                                                   const sooth_operator *op, sooth_gpu_timing *t,
                                                   soothi_gpu_measurement *x) {
    const sooth_status status = sooth_gpu_time(env, timer, op, t);
    if (status != SOOTH_OK) return status;
    if (sooth_operator_kind_form((sooth_operator_kind)op->kind) != SOOTH_OPERATOR_LANGUAGE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "%s is not an operator of language models; sooth_gpu_time_observe takes it",
                          sooth_operator_name(op->kind));
    soothi_gpu_measured_place(timer, op, t, x);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_measured_observe(sooth_env *env, const sooth_gpu_timer *timer,
                                                  sooth_gpu_measured *measured, const sooth_operator *op,
                                                  double ms) {
    soothi_gpu_measurement x;
    soothi_gpu_posterior posterior;
    sooth_gpu_timing t;
    if (soothi_gpu_measured_read(env, timer, op, &t, &x) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (!(ms > 0.0 && ms <= DBL_MAX))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ms is %g, but must be above 0 and finite", ms);
    if (measured->rows == measured->capacity)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the memory of measurements is full: it holds %u",
                          measured->capacity);
    x.off = (float)(soothi_log(ms / t.ms) / (double)x.s);
    soothi_gpu_measured_rows(measured)[measured->rows++] = x;
    soothi_gpu_measured_doubt(measured, &posterior);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gpu_measured_time(sooth_env *env, const sooth_gpu_timer *timer,
                                               const sooth_gpu_measured *measured, const sooth_operator *op,
                                               sooth_gpu_timing *out) {
    const soothi_gpu_measurement *row = soothi_gpu_measured_rows(measured);
    soothi_gpu_measurement x;
    soothi_gpu_posterior p;
    double w[SOOTHI_MEASURED_USED], mean;
    size_t same = 0;
    const sooth_status status = sooth_gpu_time(env, timer, op, out);
    if (status != SOOTH_OK) return status;
    if (sooth_operator_kind_form((sooth_operator_kind)op->kind) != SOOTH_OPERATOR_LANGUAGE) return SOOTH_OK;
    soothi_gpu_measured_place(timer, op, out, &x);
    soothi_gpu_posterior_choose(measured, op->kind, &x, &p);
    if (!p.n) return SOOTH_OK;
    soothi_gpu_posterior_solve(measured, &p);
    const double variance = p.scale * soothi_gpu_posterior_at(measured, &p, &x, w, &mean);
    const double t = sooth_t_quantile(0.95, SOOTHI_MEASURED_PRIOR + (double)p.n), s = (double)x.s;
    const double factor = soothi_exp(s * SOOTHI_MEASURED_WIDE * t * soothi_sqrt(variance));
    out->ms *= soothi_exp(s * mean);
    out->low = out->ms / factor;
    out->high = out->ms * factor;
    soothi_gpu_raise_low(timer, op, out);
    for (size_t i = 0; i < p.n; ++i) same += row[p.at[i]].dtype == op->dtype;
    if (same >= 8 && out->trust > SOOTH_MODEL_TRUST_EDGE) out->trust = SOOTH_MODEL_TRUST_EDGE;
    return SOOTH_OK;
}

/* ---- what to measure next ---- */

/* An operator of the sum of variances. */
typedef struct soothi_gpu_reference {
    soothi_gpu_measurement x;
    double w[SOOTHI_MEASURED_USED];
} soothi_gpu_reference;

/* Returns whether an operator was measured. */
SOOTHI_LOCAL int soothi_gpu_measured_has(const sooth_gpu_measured *m, const soothi_gpu_measurement *x) {
    const soothi_gpu_measurement *row = soothi_gpu_measured_rows(m);
    for (uint32_t i = 0; i < m->rows; ++i)
        if (row[i].kind == x->kind && row[i].dtype == x->dtype &&
            soothi_same_chars((const char *)row[i].z, (const char *)x->z, sizeof x->z))
            return 1;
    return 0;
}

/* The state of a choice: references of one kind, of `all` candidates. */
typedef struct soothi_gpu_choice {
    sooth_env *env;
    const sooth_gpu_timer *timer;
    const sooth_gpu_measured *measured;
    soothi_gpu_posterior posterior;
    soothi_gpu_reference *reference;
    size_t references, all;
} soothi_gpu_choice;

/* Collects references of a kind at even distances. */
SOOTHI_LOCAL sooth_status soothi_gpu_choice_begin(soothi_gpu_choice *c, uint32_t kind,
                                                  const sooth_operator *candidates, size_t count) {
    const size_t room = SOOTHI_MEASURED_REFERENCES;
    size_t seen = 0;
    sooth_gpu_timing t;
    soothi_gpu_posterior_choose(c->measured, kind, NULL, &c->posterior);
    soothi_gpu_posterior_solve(c->measured, &c->posterior);
    c->references = c->all = 0;
    for (size_t i = 0; i < count; ++i) c->all += candidates[i].kind == kind;
    for (size_t i = 0; i < count && c->references < room; ++i) {
        if (candidates[i].kind != kind) continue;
        const size_t at = seen++;
        if (c->all > room && at < c->references * c->all / room) continue;
        soothi_gpu_reference *r = &c->reference[c->references];
        if (soothi_gpu_measured_read(c->env, c->timer, &candidates[i], &t, &r->x) != SOOTH_OK)
            return SOOTH_BAD_ARGUMENT;
        (void)soothi_gpu_posterior_at(c->measured, &c->posterior, &r->x, r->w, NULL);
        ++c->references;
    }
    return SOOTH_OK;
}

/* Returns what measuring x removes from the variances of all candidates of its kind. */
SOOTHI_LOCAL double soothi_gpu_choice_gain(const soothi_gpu_choice *c, const soothi_gpu_measurement *x) {
    double w[SOOTHI_MEASURED_USED], sum = 0.0;
    const double variance = soothi_gpu_posterior_at(c->measured, &c->posterior, x, w, NULL);
    for (size_t i = 0; i < c->references; ++i) {
        const soothi_gpu_reference *r = &c->reference[i];
        double cov = soothi_gpu_measured_cov(x, &r->x);
        for (size_t k = 0; k < c->posterior.n; ++k) cov -= w[k] * r->w[k];
        cov *= (double)r->x.s;
        sum += cov * cov;
    }
    return sum * c->posterior.scale / variance * (double)c->all / (double)c->references;
}

SOOTH_API sooth_status sooth_gpu_measured_next(sooth_env *env, const sooth_gpu_timer *timer,
                                               const sooth_gpu_measured *measured,
                                               const sooth_operator *candidates, size_t count,
                                               size_t *chosen) {
    soothi_gpu_measurement x;
    soothi_gpu_choice c;
    sooth_gpu_timing t;
    double most = 0.0;
    sooth_status status = SOOTH_OK;
    *chosen = count;
    for (size_t i = 0; i < count; ++i)
        if (candidates[i].kind >= SOOTH_OPERATORS) return sooth_gpu_time(env, timer, &candidates[i], &t);
    c.env = env;
    c.timer = timer;
    c.measured = measured;
    c.reference = (soothi_gpu_reference *)sooth_alloc(env, SOOTHI_MEASURED_REFERENCES, sizeof *c.reference);
    if (!c.reference)
        return sooth_no_memory(env, "references", SOOTHI_MEASURED_REFERENCES * sizeof *c.reference);
    for (uint32_t kind = 0; kind < SOOTH_OPERATORS && status == SOOTH_OK; ++kind) {
        status = soothi_gpu_choice_begin(&c, kind, candidates, count);
        for (size_t i = 0; i < count && c.references && status == SOOTH_OK; ++i) {
            if (candidates[i].kind != kind) continue;
            status = soothi_gpu_measured_read(env, timer, &candidates[i], &t, &x);
            if (status != SOOTH_OK || soothi_gpu_measured_has(measured, &x)) continue;
            const double gain = soothi_gpu_choice_gain(&c, &x);
            if (gain > most || (!(gain < most) && i < *chosen)) {
                most = gain;
                *chosen = i;
            }
        }
    }
    sooth_free(env, c.reference, SOOTHI_MEASURED_REFERENCES, sizeof *c.reference);
    if (status != SOOTH_OK) *chosen = count;
    return status;
}

SOOTHI_C_END
#endif
