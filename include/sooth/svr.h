/* svr.h - support vector regression: smooth functions from few rows, by kernels; LIBSVM's answers and files.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * f(x) = b + sum_k beta_k K(v_k, x). Training minimises, over beta with sum beta = 0 and |beta_k| <= C w_k,
 *
 *     1/2 beta' K beta - y' beta + epsilon sum |beta_k|                                  (epsilon-SVR)
 *
 * so that errors below epsilon cost nothing and rows inside that tube are no support vectors; nu-SVR chooses
 * epsilon such that at most the share nu of the rows lies outside (Schoelkopf et al. 2000). Solved by
 * sequential minimal optimisation with second-order working sets (Fan, Chen, Lin: Working set selection using
 * second order information, JMLR 6, 2005), shrinking, and a row cache of bounded size.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/svr.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0.84f, 0.91f, 0.14f, -0.76f, -0.96f, -0.28f};
 *         const float at = 1.5f;
 *         sooth_env env;
 *         sooth_table table;
 *         sooth_svr_options options;
 *         sooth_svr *model;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, x, 7, 1);
 *         table.y = y;
 *         table.targets = 1;
 *         memset(&options, 0, sizeof options);                              all defaults, but:
 *         options.C = 100;
 *         options.epsilon = 0.01;
 *         if (sooth_svr_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence);
 *         printf("%.2f\n", (double)sooth_svr_predict(model, &at));          near 1
 *         sooth_svr_free(&env, model);
 *         return 0;
 *     }
 *
 * Columns must be of order one: bring them to scale first (scale.h), or let model.h do it, which keeps the
 * transform in the model. It matters more than C: on GPU power data the logarithm and the standard deviation
 * lift R2 from 0.42 (min-max) to 0.78. sooth_svr_report.warning names a column whose range spoils the kernel.
 * epsilon is in the unit of the target: if as wide as its deviation, a constant is left (and warned of).
 *
 * Costs, for n rows of d columns and V support vectors:
 *   fit      some n to 100 n steps of at most 40 n bytes each; n V kernel values of d + 8 operations; scratch
 *            sooth_svr_work and the cache (option cache_mib). One thread; sooth_svr_search tries settings
 *   predict  V (3 d + 18) operations, no allocation, no double
 *   model    V (4 d + 12) bytes; linear kernels: one vector
 */
#include "num.h"
#include "split.h"

#ifndef SOOTH_SVR_H
#define SOOTH_SVR_H

#if defined(__AVX__)
#include <immintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SOOTH_SVR_VERSION 1
#define SOOTH_SVR_MOST_FEATURES 65536
#define SOOTH_SVR_LANES 16u /* vectors stand side by side in groups of so many */

typedef enum sooth_svr_kernel {
    SOOTH_SVR_RBF = 0,    /* exp(-gamma |v - x|^2) */
    SOOTH_SVR_LINEAR,     /* v'x; the model is one vector of weights */
    SOOTH_SVR_POLYNOMIAL, /* (gamma v'x + coef0)^degree */
    SOOTH_SVR_SIGMOID,    /* tanh(gamma v'x + coef0) */
    SOOTH_SVR_CALLBACK,   /* options.kernel_fn */
    SOOTH_SVR_KERNELS
} sooth_svr_kernel;

/* A kernel of the host's: symmetric, and the same number for the same rows at any time. */
typedef float sooth_svr_kernel_fn(void *user, const float *a, const float *b, size_t features);

/* The block: this struct; as words float coef[16 groups], vector[groups][features][16]; as doubles offset,
   gamma, coef0, epsilon, coef[vectors]. Lanes beyond the last vector are 0. */
typedef struct sooth_svr {
    sooth_block head;
    uint32_t kernel; /* a sooth_svr_kernel */
    uint32_t method; /* a sooth_svr_method */
    uint32_t degree; /* of the polynomial */
    uint32_t vectors;
    uint32_t groups; /* of 16 vectors */
    uint32_t steps;  /* that training took; 0: read from a file */
    float offset;    /* b */
    float slope;     /* gamma; for RBF -gamma / log 2 */
    float coef0;
    uint32_t zero[3];
} sooth_svr;

SOOTH_API int sooth_svr_check(const void *bytes, size_t size);

/* The prediction for a row of head.features floats. NaN where the row has one, and for kernel CALLBACK, which
   sooth_svr_predict_with answers (V calls; room: features floats). A row with an infinity may bring NaN, too,
   unless the kernel is RBF. */
SOOTH_API float sooth_svr_predict(const sooth_svr *model, const float *row);
SOOTH_API void sooth_svr_predict_many(const sooth_svr *model, const float *x, size_t rows, size_t stride,
                                      float *out);
SOOTH_API float sooth_svr_predict_with(const sooth_svr *model, sooth_svr_kernel_fn *kernel_fn, void *user,
                                       const float *row, float *room);
SOOTH_API sooth_cost sooth_svr_cost(const sooth_svr *model);

/* Support vector k: its number j, and its coefficient beta_k. */
SOOTH_API float sooth_svr_vector(const sooth_svr *model, size_t k, size_t j);

#ifndef SOOTH_PREDICT_ONLY

SOOTH_API double sooth_svr_coefficient(const sooth_svr *model, size_t k);
SOOTH_API double sooth_svr_gamma(const sooth_svr *model);
SOOTH_API double sooth_svr_epsilon(const sooth_svr *model); /* half the tube's width; nu-SVR: what it found */

/* ---- fitting ---- */

typedef enum sooth_svr_method { SOOTH_SVR_EPSILON = 0, SOOTH_SVR_NU } sooth_svr_method;

typedef enum sooth_svr_gamma_rule {
    SOOTH_SVR_SCALE = 0, /* 1 / (features x variance of all values) */
    SOOTH_SVR_AUTO       /* 1 / features */
} sooth_svr_gamma_rule;

/* What training found out. */
typedef struct sooth_svr_report {
    int converged; /* 0: the step limit came first */
    size_t steps;
    size_t vectors;   /* beta != 0 */
    size_t bounded;   /* |beta| = C w */
    size_t rows_made; /* rows of the kernel that were computed */
    double violation; /* of the optimality conditions: below tolerance when converged */
    double objective; /* the dual's, as above; within 1e-6 of itself, tolerance permitting, for any C */
    double gap;       /* primal - dual objective: how far from the best it can be at most */
    double epsilon;
    double budget_rms;  /* with a budget: root mean square change of the training rows' predictions */
    double budget_most; /* and the largest */
    char warning[SOOTH_SENTENCE]; /* "" or what spoils the kernel: the column is named; or the tube */
} sooth_svr_report;

typedef struct sooth_svr_options {
    uint32_t method;     /* a sooth_svr_method */
    uint32_t kernel;     /* a sooth_svr_kernel */
    uint32_t gamma_rule; /* a sooth_svr_gamma_rule, where gamma is 0 */
    uint32_t degree;     /* 0: 3 */
    uint32_t max_steps;  /* 0: 10 million, or 100 per row where that is more */
    uint32_t budget;     /* at most so many vectors; 0: any number */
    uint32_t no_shrinking;
    double C;       /* the price of an error; 0: 1 */
    double epsilon; /* 0: 0.1; for none at all 1e-300 */
    double nu;      /* 0: 0.5 */
    double gamma;   /* 0: gamma_rule */
    double coef0;
    double tolerance; /* 0: 0.001 */
    double cache_mib; /* 0: 200; at least four rows are kept */

    sooth_svr_kernel_fn *kernel_fn; /* with kernel CALLBACK */
    void *kernel_user;
    const double *start;      /* beta to begin with, one per row, of an earlier fit; NULL: zeros */
    double *dual;             /* receives beta, one per row; may be start. NULL: no one wants it */
    sooth_svr_report *report; /* NULL: no one wants it */
} sooth_svr_options;

/* Fits the model to a table with one target. Missing values are refused; weights multiply C.
   SOOTH_NOT_CONVERGED when max_steps came first: then *model is what was found so far, and training goes on
   where it stopped with start = dual. *model is NULL after every other failure. */
SOOTH_API sooth_status sooth_svr_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_svr_options *options, sooth_svr **model);
SOOTH_API void sooth_svr_free(sooth_env *env, sooth_svr *model);
SOOTH_API sooth_option_list sooth_svr_options_list(void);

/* Bytes of a model of so many vectors (the budget, say), and of sooth_svr_fit's scratch, cache included. */
SOOTH_API size_t sooth_svr_size(size_t vectors, size_t cols);
SOOTH_API size_t sooth_svr_work(const sooth_svr_options *options, size_t rows, size_t cols);

/* ---- choosing C, epsilon, gamma ---- */

/* Lists to try, in rising order for C (training then starts from the last C's answer). A NULL list means the
   options' value. */
typedef struct sooth_svr_grid {
    const double *C, *epsilon, *gamma;
    size_t C_count, epsilon_count, gamma_count;
    const sooth_split_options *split; /* NULL: leave one group out where the table has groups, else 5-fold */
    double *rmse;                     /* receives the score of every setting, [gamma][epsilon][C], or NULL */
} sooth_svr_grid;

typedef struct sooth_svr_choice {
    double C, epsilon, gamma;
    double rmse; /* root mean square error of all rows, each predicted without its group or fold */
    size_t fits;
    size_t steps;
    size_t capped; /* fits that met max_steps */
} sooth_svr_choice;

/* Scores every setting; the smallest rmse wins, of equal ones the first. O(fits). */
SOOTH_API sooth_status sooth_svr_search(sooth_env *env, const sooth_table *table,
                                        const sooth_svr_options *options, const sooth_svr_grid *grid,
                                        sooth_svr_choice *choice);

/* ---- LIBSVM's model files ---- */

/* Writes a model file that svm-predict reads, in any locale the same, every number so that it reads back to
   the same double. SOOTH_BAD_ARGUMENT for kernel CALLBACK. A linear model is written as one vector. */
SOOTH_API sooth_status sooth_svr_write(sooth_env *env, const sooth_svr *model, sooth_sink *sink);

/* Reads text[0..size). features: how many columns rows will have, or 0: as many as the file knows of. Values
   of vectors are rounded to float. SOOTH_BAD_TEXT names the line. Files of classifiers and precomputed
   kernels are refused. */
SOOTH_API sooth_status sooth_svr_read(sooth_env *env, const char *text, size_t size, size_t features,
                                      sooth_svr **model);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_SVR_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SVR_IMPLEMENTED)
#define SOOTH_SVR_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- vectors as wide as the machine's: every lane is a sum of its own, so the width does not show ---- */

enum { SOOTHI_SVR_LANES = 16, SOOTHI_SVR_VECTORS = 16 / (int)SOOTHI_WIDE };

/* The few vectors of a group shall be registers, which takes unrolling; gcc -O2 does that only when told. */
#if defined(__GNUC__) && !defined(__clang__)
#define SOOTHI_SVR_UNROLL _Pragma("GCC unroll 16")
#else
#define SOOTHI_SVR_UNROLL
#endif

#if SOOTHI_VECTORS
typedef uint32_t soothi_svr_bits __attribute__((vector_size(4 * SOOTHI_WIDE)));
/* p 2^n, where n stands in the last bits of whole + n */
SOOTHI_LOCAL soothi_wide soothi_svr_power(soothi_wide p, soothi_wide n) {
    return (soothi_wide)((soothi_svr_bits)p + ((soothi_svr_bits)n << 23));
}
#else
SOOTHI_LOCAL soothi_wide soothi_svr_power(soothi_wide p, soothi_wide n) {
    return soothi_of_bits(soothi_bits(p) + (soothi_bits(n) << 23));
}
#endif

/* a > b ? a : b */
SOOTHI_LOCAL soothi_wide soothi_svr_most(soothi_wide a, soothi_wide b) {
#if SOOTHI_VECTORS && defined(__AVX512F__)
    return (soothi_wide)_mm512_max_ps((__m512)a, (__m512)b);
#elif SOOTHI_VECTORS && defined(__AVX__)
    return (soothi_wide)_mm256_max_ps((__m256)a, (__m256)b);
#elif SOOTHI_VECTORS && defined(__SSE2__)
    return (soothi_wide)_mm_max_ps((__m128)a, (__m128)b);
#elif SOOTHI_VECTORS
    soothi_svr_bits above = (soothi_svr_bits)(a > b);
    return (soothi_wide)(((soothi_svr_bits)a & above) | ((soothi_svr_bits)b & ~above));
#else
    return a > b ? a : b;
#endif
}

/* 2^t for t <= 0 within 1.8e-7 of itself; 2^-125 below -125. t = n + f with |f| <= 1/2, and 2^f = 1 + f P(f),
   P a minimax polynomial of degree 4 (within 0.93e-7) in an order that waits little: f^2 first, then pairs.
   2^0 is exactly 1. */
SOOTHI_LOCAL soothi_wide soothi_svr_exp2(soothi_wide t) {
    const soothi_wide whole = soothi_wide_splat(12582912.0f);
    soothi_wide n, f, g, p;
    t = soothi_svr_most(t, soothi_wide_splat(-125.0f));
    n = t + whole;
    f = t - (n - whole);
    g = f * f;
    p = f * soothi_wide_splat(0.00132695213f) + soothi_wide_splat(0.00967129134f);
    p = p * g + (f * soothi_wide_splat(0.0555071086f) + soothi_wide_splat(0.240222469f));
    p = (p * g + f * soothi_wide_splat(0.693147004f)) + soothi_wide_splat(1.0f);
    return soothi_svr_power(p, n);
}

/* ---- kernels ---- */

typedef struct soothi_svr_kernel {
    uint32_t kind, degree;
    float slope, coef0;
    size_t cols;
} soothi_svr_kernel;

/* |v - x|^2 of a row x with the sixteen vectors v of a group. Each lane adds its columns in order. */
SOOTHI_LOCAL void soothi_svr_distances(const float *row, const float *group, size_t cols, float *out) {
    soothi_wide sum[SOOTHI_SVR_VECTORS];
    size_t j;
    int v;
    SOOTHI_SVR_UNROLL
    for (v = 0; v < SOOTHI_SVR_VECTORS; ++v) sum[v] = soothi_wide_splat(0.0f);
    for (j = 0; j < cols; ++j, group += SOOTHI_SVR_LANES) {
        const soothi_wide x = soothi_wide_splat(row[j]);
        SOOTHI_SVR_UNROLL
        for (v = 0; v < SOOTHI_SVR_VECTORS; ++v) {
            const soothi_wide e = soothi_wide_load(group + (size_t)v * SOOTHI_WIDE) - x;
            sum[v] = sum[v] + e * e;
        }
    }
    memcpy(out, sum, sizeof sum);
}

/* v'x, likewise. */
SOOTHI_LOCAL void soothi_svr_dots(const float *row, const float *group, size_t cols, float *out) {
    soothi_wide sum[SOOTHI_SVR_VECTORS];
    size_t j;
    int v;
    SOOTHI_SVR_UNROLL
    for (v = 0; v < SOOTHI_SVR_VECTORS; ++v) sum[v] = soothi_wide_splat(0.0f);
    for (j = 0; j < cols; ++j, group += SOOTHI_SVR_LANES) {
        const soothi_wide x = soothi_wide_splat(row[j]);
        SOOTHI_SVR_UNROLL
        for (v = 0; v < SOOTHI_SVR_VECTORS; ++v)
            sum[v] = sum[v] + soothi_wide_load(group + (size_t)v * SOOTHI_WIDE) * x;
    }
    memcpy(out, sum, sizeof sum);
}

SOOTHI_LOCAL float soothi_svr_curve(const soothi_svr_kernel *k, float dot) {
    float base = k->slope * dot + k->coef0, p = 1.0f;
    uint32_t e;
    if (k->kind == SOOTH_SVR_LINEAR) return dot;
    if (k->kind == SOOTH_SVR_SIGMOID) return soothi_tanh_f(base);
    for (e = k->degree; e; e >>= 1, base = base * base)
        if (e & 1u) p = p * base;
    return p;
}

/* out[16 groups]: the kernel of a row with so many groups of vectors. First all distances or products, then
   all curves: one group after the other, the exponentials would wait for themselves. */
SOOTHI_LOCAL void soothi_svr_values(const soothi_svr_kernel *k, const float *row, const float *group,
                                    size_t groups, float *out) {
    const soothi_wide slope = soothi_wide_splat(k->slope);
    const size_t count = SOOTHI_SVR_LANES * groups;
    size_t i;
    if (k->kind != SOOTH_SVR_RBF) {
        for (i = 0; i < count; i += SOOTHI_SVR_LANES)
            soothi_svr_dots(row, group + i * k->cols, k->cols, out + i);
        for (i = 0; i < count; ++i) out[i] = soothi_svr_curve(k, out[i]);
        return;
    }
    for (i = 0; i < count; i += SOOTHI_SVR_LANES)
        soothi_svr_distances(row, group + i * k->cols, k->cols, out + i);
    for (i = 0; i < count; i += SOOTHI_WIDE) {
        const soothi_wide value = soothi_svr_exp2(soothi_wide_load(out + i) * slope);
        memcpy(out + i, &value, sizeof value);
    }
}

/* ---- the model ---- */

SOOTHI_LOCAL const float *soothi_svr_coef(const sooth_svr *m) { return (const float *)(const void *)(m + 1); }
SOOTHI_LOCAL const float *soothi_svr_vectors(const sooth_svr *m) {
    return soothi_svr_coef(m) + (size_t)m->groups * SOOTHI_SVR_LANES;
}

SOOTHI_LOCAL uint64_t soothi_svr_words(uint64_t groups, uint64_t cols) {
    return sizeof(sooth_svr) + 4 * (SOOTHI_SVR_LANES * groups * (cols + 1));
}

SOOTHI_LOCAL soothi_svr_kernel soothi_svr_kernel_of(const sooth_svr *m) {
    soothi_svr_kernel k;
    k.kind = m->kernel;
    k.degree = m->degree;
    k.slope = m->slope;
    k.coef0 = m->coef0;
    k.cols = m->head.features;
    return k;
}

/* 0 where the row has a NaN */
SOOTHI_LOCAL int soothi_svr_known(const float *row, size_t cols) {
    uint32_t odd = 0;
    size_t j;
    for (j = 0; j < cols; ++j) odd |= soothi_bits(row[j]) << 1 > 0xFF000000u;
    return !odd;
}

SOOTH_API int sooth_svr_check(const void *bytes, size_t size) {
    const sooth_svr *m = (const sooth_svr *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SVR, SOOTH_SVR_VERSION) || m->head.doubles_at < sizeof *m)
        return 0;
    if (m->head.features == 0 || m->head.features > SOOTH_SVR_MOST_FEATURES || m->head.targets != 1 ||
        m->kernel >= SOOTH_SVR_KERNELS || m->method > 1 || m->vectors > 0x10000000u || m->degree > 64 ||
        m->groups != (m->vectors + 15u) / 16u)
        return 0;
    return m->head.doubles_at == ((soothi_svr_words(m->groups, m->head.features) + 15u) & ~(uint64_t)15u) &&
           m->head.bytes_at - m->head.doubles_at == soothi_round16(8 * (4 + (size_t)m->vectors)) &&
           m->head.size == m->head.bytes_at;
}

#define SOOTHI_SVR_BLOCK 4u /* groups at a time, see soothi_svr_values */

/* Lane k adds the vectors k, k + 16, ...; at the end lane k += lane k + 8, then + 4, + 2, + 1. */
SOOTH_API float sooth_svr_predict(const sooth_svr *model, const float *row) {
    const soothi_svr_kernel k = soothi_svr_kernel_of(model);
    const float *coef = soothi_svr_coef(model), *group = soothi_svr_vectors(model);
    soothi_wide sum[SOOTHI_SVR_VECTORS];
    float value[SOOTHI_SVR_BLOCK * SOOTHI_SVR_LANES], lane[SOOTHI_SVR_LANES];
    size_t left, count, i;
    int v, half;
    if (k.kind == SOOTH_SVR_CALLBACK || !soothi_svr_known(row, k.cols))
        return soothi_of_bits(SOOTHI_FLOAT_NAN);
    SOOTHI_SVR_UNROLL
    for (v = 0; v < SOOTHI_SVR_VECTORS; ++v) sum[v] = soothi_wide_splat(0.0f);
    for (left = model->groups; left; left -= count, group += count * SOOTHI_SVR_LANES * k.cols) {
        count = left < SOOTHI_SVR_BLOCK ? left : SOOTHI_SVR_BLOCK;
        soothi_svr_values(&k, row, group, count, value);
        for (i = 0; i < count; ++i, coef += SOOTHI_SVR_LANES) SOOTHI_SVR_UNROLL
        for (v = 0; v < SOOTHI_SVR_VECTORS; ++v)
            sum[v] = sum[v] + soothi_wide_load(value + i * SOOTHI_SVR_LANES + (size_t)v * SOOTHI_WIDE) *
                                  soothi_wide_load(coef + (size_t)v * SOOTHI_WIDE);
    }
    memcpy(lane, sum, sizeof lane);
    for (half = SOOTHI_SVR_LANES / 2; half; half /= 2)
        for (v = 0; v < half; ++v) lane[v] += lane[v + half];
    return model->offset + lane[0];
}

SOOTH_API void sooth_svr_predict_many(const sooth_svr *model, const float *x, size_t rows, size_t stride,
                                      float *out) {
    size_t i;
    for (i = 0; i < rows; ++i) out[i] = sooth_svr_predict(model, x + i * stride);
}

SOOTH_API float sooth_svr_vector(const sooth_svr *model, size_t k, size_t j) {
    return soothi_svr_vectors(model)[(k / 16 * model->head.features + j) * 16 + k % 16];
}

SOOTH_API float sooth_svr_predict_with(const sooth_svr *model, sooth_svr_kernel_fn *kernel_fn, void *user,
                                       const float *row, float *room) {
    float sum = model->offset;
    size_t i, j;
    for (i = 0; i < model->vectors; ++i) {
        for (j = 0; j < model->head.features; ++j) room[j] = sooth_svr_vector(model, i, j);
        sum += soothi_svr_coef(model)[i] * kernel_fn(user, room, row, model->head.features);
    }
    return sum;
}

SOOTH_API sooth_cost sooth_svr_cost(const sooth_svr *model) {
    sooth_cost cost;
    cost.bytes = model->head.size;
    cost.comparisons = 0;
    cost.multiply_adds = 16u * model->groups * (model->head.features + 1u);
    cost.functions = model->kernel == SOOTH_SVR_LINEAR ? 0 : 16u * model->groups;
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- reading a model ---- */

SOOTHI_LOCAL const double *soothi_svr_doubles(const sooth_svr *m) {
    return (const double *)(const void *)((const unsigned char *)m + m->head.doubles_at);
}
SOOTH_API double sooth_svr_gamma(const sooth_svr *model) { return soothi_svr_doubles(model)[1]; }
SOOTH_API double sooth_svr_epsilon(const sooth_svr *model) { return soothi_svr_doubles(model)[3]; }
SOOTH_API double sooth_svr_coefficient(const sooth_svr *model, size_t k) {
    return soothi_svr_doubles(model)[4 + k];
}

/* ---- making a model ---- */

SOOTH_API size_t sooth_svr_size(size_t vectors, size_t cols) {
    uint64_t words = soothi_svr_words((vectors + 15u) / 16u, cols), doubles = 8 * (4 + (uint64_t)vectors);
    if (vectors > 0x10000000u || cols > SOOTH_SVR_MOST_FEATURES || words + doubles > UINT32_MAX / 2)
        return SIZE_MAX;
    return soothi_round16((size_t)words) + soothi_round16((size_t)doubles);
}

/* What a model says of itself. */
typedef struct soothi_svr_about {
    uint32_t kernel, method, degree, steps;
    double offset, gamma_value, coef0, epsilon;
} soothi_svr_about;

SOOTHI_LOCAL float soothi_svr_slope(uint32_t kernel, double gamma_value) {
    return (float)(kernel == SOOTH_SVR_RBF ? -gamma_value * 1.4426950408889634 : gamma_value);
}

SOOTHI_LOCAL double *soothi_svr_own_doubles(sooth_svr *m) {
    return (double *)(void *)((unsigned char *)m + m->head.doubles_at);
}

SOOTHI_LOCAL void soothi_svr_set_offset(sooth_svr *m, double offset) {
    soothi_svr_own_doubles(m)[0] = offset;
    m->offset = (float)offset;
}

/* A block with room for the vectors, all zeros. */
SOOTHI_LOCAL sooth_svr *soothi_svr_new(sooth_env *env, const soothi_svr_about *about, size_t vectors,
                                       size_t cols) {
    size_t groups = (vectors + 15u) / 16u, size = sooth_svr_size(vectors, cols);
    sooth_svr *m = NULL;
    if (size < SIZE_MAX)
        m = (sooth_svr *)soothi_block_new(env, SOOTH_KIND_SVR, SOOTH_SVR_VERSION,
                                          (size_t)soothi_svr_words(groups, cols), 8 * (4 + vectors), 0);
    if (!m) {
        soothi_no_memory(env, "a support vector model", size);
        return NULL;
    }
    m->head.features = (uint32_t)cols;
    m->head.targets = 1;
    m->kernel = about->kernel;
    m->method = about->method;
    m->degree = about->degree;
    m->steps = about->steps;
    m->vectors = (uint32_t)vectors;
    m->groups = (uint32_t)groups;
    m->slope = soothi_svr_slope(about->kernel, about->gamma_value);
    m->coef0 = (float)about->coef0;
    soothi_svr_set_offset(m, about->offset);
    soothi_svr_own_doubles(m)[1] = about->gamma_value;
    soothi_svr_own_doubles(m)[2] = about->coef0;
    soothi_svr_own_doubles(m)[3] = about->epsilon;
    return m;
}

SOOTHI_LOCAL void soothi_svr_set_coef(sooth_svr *m, size_t k, double coef) {
    ((float *)(void *)(m + 1))[k] = (float)coef;
    soothi_svr_own_doubles(m)[4 + k] = coef;
}

SOOTHI_LOCAL void soothi_svr_set_value(sooth_svr *m, size_t k, size_t j, float v) {
    float *vectors = (float *)(void *)(m + 1) + (size_t)m->groups * SOOTHI_SVR_LANES;
    vectors[(k / 16 * m->head.features + j) * 16 + k % 16] = v;
}

SOOTH_API void sooth_svr_free(sooth_env *env, sooth_svr *model) {
    if (model) soothi_block_free(env, &model->head);
}

/* ---- the solver ---- */

/* In terms of F = K beta - y, beta_k can rise where it is below its cap, at the slope F_k + epsilon (-
   epsilon below 0), and fall at the slope F_k - epsilon (+ epsilon below 0): so up_k and down_k are
   +-epsilon, or infinite where the way is barred. The least optimal pair rises where F + up is least and
   falls where F + down is most; at the optimum the one is not below the other. Nu-SVR has two such systems
   without epsilon, one of alpha (beta = alpha - alpha*), one of alpha*; each keeps its own sum. LIBSVM treats
   the same as 2 n variables; here rows, slopes and passes are n long.

   Positions 0..active are worked on, those behind are shrunk: they cannot move at present, so their F is not
   kept. */
typedef struct soothi_svr_solver {
    sooth_env *env;
    const sooth_table *table;
    sooth_svr_options o; /* defaults filled in */
    soothi_svr_kernel k;
    size_t n, padded, active, systems, steps, rows_made, slots;
    double epsilon; /* 0 for nu-SVR */
    double least[2], most[2], centre[2];
    double *slope;           /* F */
    double *up[2], *down[2]; /* see above */
    double *beta;            /* of nu-SVR: alpha */
    double *other;           /* alpha*; epsilon-SVR: zeros */
    double *cap;             /* C w */
    float *fall[2];          /* F + down - centre */
    float *diagonal, *x, *cache, *room;
    uint32_t *row;                             /* of the table */
    uint32_t *slot;                            /* of the cache, by position; 0: none, else slot + 1 */
    uint32_t *owner, *filled, *before, *after; /* by slot + 1; [0] is the ring's head: after it the newest */
    uint32_t *order;
    void *memory;
    size_t bytes, cache_bytes;
} soothi_svr_solver;

#if SOOTHI_VECTORS
enum { SOOTHI_SVR_HALF = (int)SOOTHI_WIDE / 2 };
typedef double soothi_svr_double __attribute__((vector_size(4 * SOOTHI_WIDE)));
#if defined(__SSE2__) && !defined(__AVX__) /* gcc 12 converts such short vectors one by one */
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) {
    return (soothi_svr_double)_mm_cvtps_pd(_mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)p));
}
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) {
    _mm_storel_pi((__m64 *)(void *)p, _mm_cvtpd_ps((__m128d)d));
}
#else
typedef float soothi_svr_narrow __attribute__((vector_size(2 * SOOTHI_WIDE)));
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) {
    soothi_svr_narrow v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, soothi_svr_double);
}
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) {
    soothi_svr_narrow v = __builtin_convertvector(d, soothi_svr_narrow);
    memcpy(p, &v, sizeof v);
}
#endif
#else
enum { SOOTHI_SVR_HALF = 1 };
typedef double soothi_svr_double;
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) { return (double)*p; }
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) { *p = (float)d; }
#endif
SOOTHI_LOCAL soothi_svr_double soothi_svr_load(const double *p) {
    soothi_svr_double v;
    memcpy(&v, p, sizeof v);
    return v;
}
SOOTHI_LOCAL soothi_svr_double soothi_svr_splat(double v) {
    double all[SOOTHI_SVR_HALF];
    int k;
    for (k = 0; k < SOOTHI_SVR_HALF; ++k) all[k] = v;
    return soothi_svr_load(all);
}
/* a < b ? a : b */
SOOTHI_LOCAL soothi_svr_double soothi_svr_least(soothi_svr_double a, soothi_svr_double b) {
#if SOOTHI_VECTORS && defined(__AVX512F__)
    return (soothi_svr_double)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif SOOTHI_VECTORS && defined(__AVX__)
    return (soothi_svr_double)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif SOOTHI_VECTORS && defined(__SSE2__)
    return (soothi_svr_double)_mm_min_pd((__m128d)a, (__m128d)b);
#elif SOOTHI_VECTORS
    typedef int64_t bits __attribute__((vector_size(4 * SOOTHI_WIDE)));
    bits below = (bits)(a < b);
    return (soothi_svr_double)(((bits)a & below) | ((bits)b & ~below));
#else
    return a < b ? a : b;
#endif
}

enum { SOOTHI_SVR_STRIP = 128 }; /* positions between two looks at the best so far */

/* F += t (K_i - K_j), and with it fall = F + down - centre, and the first position where F + up is least. */
SOOTHI_LOCAL double soothi_svr_descend(double *SOOTHI_RESTRICT slope, const double *SOOTHI_RESTRICT up,
                                       const double *SOOTHI_RESTRICT down, float *SOOTHI_RESTRICT fall,
                                       const float *SOOTHI_RESTRICT ki, const float *SOOTHI_RESTRICT kj,
                                       double t, double centre, size_t n, size_t *at) {
    const soothi_svr_double step = soothi_svr_splat(t), middle = soothi_svr_splat(centre);
    double least = SOOTHI_INFINITE, all[SOOTHI_SVR_HALF];
    size_t from, i, end, strip = 0;
    int k;
    for (from = 0; from < n; from = end) {
        soothi_svr_double best = soothi_svr_splat(SOOTHI_INFINITE), best2 = best, f, f2;
        end = n - from < SOOTHI_SVR_STRIP ? n : from + SOOTHI_SVR_STRIP;
        for (i = from; i < end; i += 2 * SOOTHI_SVR_HALF) {
            f = soothi_svr_load(slope + i) + step * (soothi_svr_wider(ki + i) - soothi_svr_wider(kj + i));
            f2 = soothi_svr_load(slope + i + SOOTHI_SVR_HALF) +
                 step * (soothi_svr_wider(ki + i + SOOTHI_SVR_HALF) -
                         soothi_svr_wider(kj + i + SOOTHI_SVR_HALF));
            memcpy(slope + i, &f, sizeof f);
            memcpy(slope + i + SOOTHI_SVR_HALF, &f2, sizeof f);
            best = soothi_svr_least(f + soothi_svr_load(up + i), best);
            best2 = soothi_svr_least(f2 + soothi_svr_load(up + i + SOOTHI_SVR_HALF), best2);
            soothi_svr_narrower(fall + i, f + soothi_svr_load(down + i) - middle);
            soothi_svr_narrower(fall + i + SOOTHI_SVR_HALF,
                                f2 + soothi_svr_load(down + i + SOOTHI_SVR_HALF) - middle);
        }
        best = soothi_svr_least(best, best2);
        memcpy(all, &best, sizeof all);
        for (k = 0; k < SOOTHI_SVR_HALF; ++k)
            if (all[k] < least) {
                least = all[k];
                strip = from;
            }
    }
    for (i = strip; i + 1 < n && slope[i] + up[i] > least;) ++i;
    *at = i;
    return least;
}

/* The gain (F_j + down_j - F_i - up_i)^2 / (K_ii + K_jj - 2 K_ij) of moving i and j: twice what the objective
   falls by. */
SOOTHI_LOCAL soothi_wide soothi_svr_gain(soothi_wide fall, soothi_wide k, soothi_wide diagonal,
                                         soothi_wide rise, soothi_wide own) {
    const soothi_wide d = soothi_svr_most(fall - rise, soothi_wide_splat(0.0f));
    return d * d / soothi_svr_most((diagonal + own) - (k + k), soothi_wide_splat(1e-12f));
}

/* The first position j whose gain with i is most, and the largest fall. */
SOOTHI_LOCAL float soothi_svr_partner(const float *SOOTHI_RESTRICT fall, const float *SOOTHI_RESTRICT k,
                                      const float *SOOTHI_RESTRICT diagonal, float rise, float own, size_t n,
                                      size_t *at, float *largest) {
    const soothi_wide u = soothi_wide_splat(rise), o = soothi_wide_splat(own);
    soothi_wide top = soothi_wide_splat(-FLT_MAX);
    float most = 0.0f, all[SOOTHI_WIDE], gain[SOOTHI_WIDE];
    size_t from, i, end, strip = n;
    unsigned l;
    for (from = 0; from < n; from = end) {
        soothi_wide best = soothi_wide_splat(0.0f);
        end = n - from < SOOTHI_SVR_STRIP ? n : from + SOOTHI_SVR_STRIP;
        for (i = from; i < end; i += SOOTHI_WIDE) {
            const soothi_wide f = soothi_wide_load(fall + i);
            best = soothi_svr_most(
                soothi_svr_gain(f, soothi_wide_load(k + i), soothi_wide_load(diagonal + i), u, o), best);
            top = soothi_svr_most(f, top);
        }
        memcpy(all, &best, sizeof all);
        for (l = 0; l < SOOTHI_WIDE; ++l)
            if (all[l] > most) {
                most = all[l];
                strip = from;
            }
    }
    memcpy(all, &top, sizeof all);
    *largest = all[0];
    for (l = 1; l < SOOTHI_WIDE; ++l)
        if (all[l] > *largest) *largest = all[l];
    for (*at = n, i = strip; i < n && *at == n; i += SOOTHI_WIDE) {
        const soothi_wide g = soothi_svr_gain(soothi_wide_load(fall + i), soothi_wide_load(k + i),
                                              soothi_wide_load(diagonal + i), u, o);
        memcpy(gain, &g, sizeof gain);
        for (l = 0; l < SOOTHI_WIDE && *at == n; ++l)
            if (gain[l] >= most) *at = i + l;
    }
    return most;
}

/* ---- rows of the kernel ---- */

SOOTHI_LOCAL const float *soothi_svr_point(const soothi_svr_solver *s, size_t at) {
    return s->table->x + (size_t)s->row[at] * s->table->stride;
}

/* out[from..end) = K of position `at` with these; both ends are multiples of 16 */
SOOTHI_LOCAL void soothi_svr_make(const soothi_svr_solver *s, size_t at, size_t from, size_t end,
                                  float *out) {
    const float *point = soothi_svr_point(s, at);
    size_t i;
    if (s->k.kind == SOOTH_SVR_CALLBACK) {
        for (i = from; i < end; ++i)
            out[i] =
                i < s->n ? s->o.kernel_fn(s->o.kernel_user, point, soothi_svr_point(s, i), s->k.cols) : 0.0f;
        return;
    }
    soothi_svr_values(&s->k, point, s->x + from * s->k.cols, (end - from) / SOOTHI_SVR_LANES, out + from);
}

SOOTHI_LOCAL size_t soothi_svr_pad(size_t n) { return (n + 15u) & ~(size_t)15u; }

SOOTHI_LOCAL void soothi_svr_forget(soothi_svr_solver *s) {
    size_t i;
    memset(s->slot, 0, s->n * sizeof *s->slot);
    for (i = 0; i <= s->slots; ++i) {
        s->filled[i] = 0;
        s->owner[i] = (uint32_t)s->n;
        s->after[i] = (uint32_t)(i == s->slots ? 0 : i + 1);
        s->before[i] = (uint32_t)(i == 0 ? s->slots : i - 1);
    }
}

/* The row of position `at`, as far as the active positions go, from the cache; the slot unused for longest
   makes room. */
SOOTHI_LOCAL const float *soothi_svr_row(soothi_svr_solver *s, size_t at) {
    const size_t end = soothi_svr_pad(s->active);
    uint32_t slot = s->slot[at];
    float *values;
    if (!slot) {
        slot = s->before[0];
        if (s->owner[slot] < s->n) s->slot[s->owner[slot]] = 0;
        s->owner[slot] = (uint32_t)at;
        s->filled[slot] = 0;
        s->slot[at] = slot;
        ++s->rows_made;
    }
    if (s->after[0] != slot) {
        s->after[s->before[slot]] = s->after[slot];
        s->before[s->after[slot]] = s->before[slot];
        s->after[slot] = s->after[0];
        s->before[slot] = 0;
        s->before[s->after[0]] = slot;
        s->after[0] = slot;
    }
    values = s->cache + (size_t)(slot - 1) * s->padded;
    if (s->filled[slot] < end) {
        soothi_svr_make(s, at, s->filled[slot], end, values);
        s->filled[slot] = (uint32_t)end;
    }
    return values;
}

/* ---- bounds, shrinking ---- */

SOOTHI_LOCAL double soothi_svr_beta(const soothi_svr_solver *s, size_t k) { return s->beta[k] - s->other[k]; }

/* Which ways are open for position k. */
SOOTHI_LOCAL void soothi_svr_bound(soothi_svr_solver *s, size_t k) {
    const double b = s->beta[k], e = s->epsilon;
    if (s->systems == 1) {
        s->up[0][k] = b < s->cap[k] ? (b < 0.0 ? -e : e) : SOOTHI_INFINITE;
        s->down[0][k] = b > -s->cap[k] ? (b > 0.0 ? e : -e) : -SOOTHI_INFINITE;
    } else {
        s->up[0][k] = b < s->cap[k] ? 0.0 : SOOTHI_INFINITE;
        s->down[0][k] = b > 0.0 ? 0.0 : -SOOTHI_INFINITE;
        s->up[1][k] = s->other[k] > 0.0 ? 0.0 : SOOTHI_INFINITE;
        s->down[1][k] = s->other[k] < s->cap[k] ? 0.0 : -SOOTHI_INFINITE;
    }
}

/* Everything that follows from the order of the positions. */
SOOTHI_LOCAL void soothi_svr_lay_out(soothi_svr_solver *s) {
    size_t i, j, g;
    for (i = 0; i < s->padded; ++i) {
        for (g = 0; g < s->systems; ++g) {
            s->up[g][i] = SOOTHI_INFINITE;
            s->down[g][i] = -SOOTHI_INFINITE;
        }
        s->diagonal[i] = 1.0f;
        for (j = 0; j < s->k.cols; ++j)
            s->x[(i / 16 * s->k.cols + j) * 16 + i % 16] = i < s->n ? soothi_svr_point(s, i)[j] : 0.0f;
        if (i >= s->n) continue;
        s->cap[i] = s->o.C * (s->table->weight ? (double)s->table->weight[s->row[i]] : 1.0);
        if (s->k.kind == SOOTH_SVR_CALLBACK) {
            s->diagonal[i] =
                s->o.kernel_fn(s->o.kernel_user, soothi_svr_point(s, i), soothi_svr_point(s, i), s->k.cols);
        } else if (s->k.kind != SOOTH_SVR_RBF) {
            float sum = 0.0f;
            for (j = 0; j < s->k.cols; ++j) sum += soothi_svr_point(s, i)[j] * soothi_svr_point(s, i)[j];
            s->diagonal[i] = soothi_svr_curve(&s->k, sum);
        }
        if (i < s->active) soothi_svr_bound(s, i);
    }
    soothi_svr_forget(s);
}

/* Brings order[0..n) into force for an array. */
SOOTHI_LOCAL void soothi_svr_permute(const soothi_svr_solver *s, double *v) {
    double *room = s->cap; /* laid out anew afterwards */
    size_t i;
    for (i = 0; i < s->n; ++i) room[i] = v[s->order[i]];
    memcpy(v, room, s->n * sizeof *v);
}

/* F from the beginning for the positions from `from` on. */
SOOTHI_LOCAL void soothi_svr_slopes(soothi_svr_solver *s, size_t from) {
    size_t i, k, first = from & ~(size_t)15u;
    for (k = from; k < s->padded; ++k) s->slope[k] = k < s->n ? -(double)s->table->y[s->row[k]] : 0.0;
    for (i = 0; i < s->n; ++i) {
        const double b = soothi_svr_beta(s, i);
        if (!(b > 0.0 || b < 0.0)) continue;
        soothi_svr_make(s, i, first, s->padded, s->room);
        for (k = from; k < s->n; ++k) s->slope[k] += b * (double)s->room[k];
    }
}

/* All positions are active again. */
SOOTHI_LOCAL void soothi_svr_unshrink(soothi_svr_solver *s) {
    size_t i;
    soothi_svr_slopes(s, s->active);
    for (i = s->active; i < s->n; ++i) soothi_svr_bound(s, i);
    s->active = s->n;
}

/* Sets positions aside that can move neither way at present, if there are enough of them to pay for
   forgetting the cache. */
SOOTHI_LOCAL int soothi_svr_shrink(soothi_svr_solver *s) {
    size_t i, g, kept = 0, dropped = 0;
    uint32_t *drop = s->order + s->n;
    for (i = 0; i < s->active; ++i) {
        int stays = 0;
        for (g = 0; g < s->systems; ++g)
            stays |= !(s->slope[i] + s->up[g][i] > s->most[g] && s->slope[i] + s->down[g][i] < s->least[g]);
        if (stays) s->order[kept++] = (uint32_t)i;
        else drop[dropped++] = (uint32_t)i;
    }
    if (dropped < 16 || dropped < s->active / 8) return 0;
    memcpy(s->order + kept, drop, dropped * sizeof *drop);
    for (i = s->active; i < s->n; ++i) s->order[i] = (uint32_t)i;
    soothi_svr_permute(s, s->slope);
    soothi_svr_permute(s, s->beta);
    soothi_svr_permute(s, s->other);
    memcpy(drop, s->row, s->n * sizeof *drop);
    for (i = 0; i < s->n; ++i) s->row[i] = drop[s->order[i]];
    s->active = kept;
    soothi_svr_lay_out(s);
    return 1;
}

/* ---- steps ---- */

/* How far beta_i may rise while beta_j falls, best: the objective along the way is made of parabolas with the
   slope `gap` at first, curvature q, and 2 epsilon more slope where beta_i or beta_j passes 0. */
SOOTHI_LOCAL double soothi_svr_length(double bi, double bj, double gap, double q, double epsilon) {
    double crossing[2], passed = 0.0, t = -gap / q;
    int c;
    crossing[0] = bi < 0.0 ? -bi : SOOTHI_INFINITE;
    crossing[1] = bj > 0.0 ? bj : SOOTHI_INFINITE;
    if (crossing[1] < crossing[0]) {
        passed = crossing[0];
        crossing[0] = crossing[1];
        crossing[1] = passed;
    }
    for (c = 0; c < 2 && t > crossing[c]; ++c) {
        gap += 2.0 * epsilon;
        t = -gap / q;
        if (t < crossing[c]) return crossing[c];
    }
    return t;
}

/* Moves the pair (i, j) of a system and returns by how much. */
SOOTHI_LOCAL double soothi_svr_move(soothi_svr_solver *s, size_t g, size_t i, size_t j, double kij) {
    double *rise = g ? s->other + j : s->beta + i, *fall = g ? s->other + i : s->beta + j;
    const double q = (double)s->diagonal[i] + (double)s->diagonal[j] - 2.0 * kij;
    const double gap = (s->slope[i] + s->up[g][i]) - (s->slope[j] + s->down[g][j]);
    const double roof = s->cap[g ? j : i], floor_value = s->systems == 1 ? -s->cap[j] : 0.0;
    const double to_roof = roof - *rise, to_floor = *fall - floor_value;
    double t = soothi_svr_length(*rise, *fall, gap, q > 1e-12 ? q : 1e-12, s->epsilon), from_rise = *rise,
           from_fall = *fall;
    if (t >= to_roof && to_roof <= to_floor) {
        t = to_roof;
        *rise = roof;
        *fall -= t;
    } else if (t >= to_floor) {
        t = to_floor;
        *rise += t;
        *fall = floor_value;
    } else {
        *rise += t;
        *fall -= t;
        if (s->systems == 1 && from_rise < 0.0 && t <= -from_rise && t >= -from_rise) *rise = 0.0;
        if (s->systems == 1 && from_fall > 0.0 && t <= from_fall && t >= from_fall) *fall = 0.0;
    }
    soothi_svr_bound(s, i);
    soothi_svr_bound(s, j);
    return t;
}

/* Steps until the conditions hold within the tolerance. *violation: what is left. */
SOOTHI_LOCAL sooth_status soothi_svr_solve(soothi_svr_solver *s, double *violation) {
    const size_t period = s->n < 1000 ? s->n : 1000;
    const float *ki = s->diagonal, *kj = s->diagonal;
    double t = 0.0;
    size_t countdown = period, i = 0, j = 0, g;
    int seen_all = 0; /* all positions were looked at after shrinking, near the end */
    s->centre[0] = s->centre[1] = 0.0;
    for (;;) {
        const size_t m = soothi_svr_pad(s->active);
        size_t chosen = 0, pi, pj;
        float best = 0.0f, gain, largest;
        *violation = 0.0;
        for (g = 0; g < s->systems; ++g) {
            s->least[g] = soothi_svr_descend(s->slope, s->up[g], s->down[g], s->fall[g], ki, kj, t,
                                             s->centre[g], m, &pi);
            t = 0.0;
            s->most[g] = -SOOTHI_INFINITE;
            if (!(s->least[g] < SOOTHI_INFINITE)) continue;
            gain = soothi_svr_partner(s->fall[g], soothi_svr_row(s, pi), s->diagonal,
                                      (float)(s->least[g] - s->centre[g]), s->diagonal[pi], m, &pj, &largest);
            s->most[g] = s->centre[g] + (double)largest;
            s->centre[g] = s->least[g];
            if (s->most[g] - s->least[g] > *violation) *violation = s->most[g] - s->least[g];
            if (gain > best) {
                best = gain;
                chosen = g;
                i = pi;
                j = pj;
            }
        }
        ki = kj = s->diagonal;
        if (!(*violation > s->o.tolerance) || !(best > 0.0f)) {
            if (s->active == s->n) return SOOTH_OK;
            soothi_svr_unshrink(s);
            countdown = period;
            continue;
        }
        if (s->steps >= s->o.max_steps) {
            if (s->active < s->n) soothi_svr_unshrink(s);
            return SOOTH_NOT_CONVERGED;
        }
        if (--countdown == 0) {
            sooth_status status = soothi_progress(s->env, "training a support vector machine",
                                                  (double)s->steps / (double)s->o.max_steps);
            if (status != SOOTH_OK) return status;
            countdown = period;
            if (!s->o.no_shrinking) {
                if (!seen_all && *violation <= 10.0 * s->o.tolerance && s->active < s->n) {
                    seen_all = 1;
                    soothi_svr_unshrink(s);
                    countdown = 1;
                    continue;
                }
                if (soothi_svr_shrink(s)) continue;
            }
        }
        ki = soothi_svr_row(s, i);
        kj = soothi_svr_row(s, j);
        t = soothi_svr_move(s, chosen, i, j, (double)ki[j]);
        ++s->steps;
    }
}

/* ---- what the solution says ---- */

/* The level of F at which a system's free positions lie; the middle of what is possible where none is. */
SOOTHI_LOCAL double soothi_svr_level(const soothi_svr_solver *s, size_t g) {
    double sum = 0.0, count = 0.0;
    size_t k;
    for (k = 0; k < s->n; ++k) {
        const double up = s->up[g][k], down = s->down[g][k];
        if (!(up <= down && up >= down)) continue;
        sum += s->slope[k] + up;
        count += 1.0;
    }
    if (count > 0.0) return sum / count;
    if (!(s->most[g] > -SOOTHI_INFINITE)) return s->least[g];
    if (!(s->least[g] < SOOTHI_INFINITE)) return s->most[g];
    return 0.5 * (s->least[g] + s->most[g]);
}

/* The kernel of two positions in double. */
SOOTHI_LOCAL double soothi_svr_exact(const soothi_svr_solver *s, size_t i, size_t k) {
    const float *a = soothi_svr_point(s, i), *b = soothi_svr_point(s, k);
    double sum = 0.0, base, p = 1.0;
    uint32_t e;
    size_t j;
    if (s->k.kind == SOOTH_SVR_RBF) {
        for (j = 0; j < s->k.cols; ++j) {
            const double d = (double)a[j] - (double)b[j];
            sum += d * d;
        }
        return soothi_exp(-s->o.gamma * sum);
    }
    for (j = 0; j < s->k.cols; ++j) sum += (double)a[j] * (double)b[j];
    if (s->k.kind == SOOTH_SVR_LINEAR) return sum;
    base = s->o.gamma * sum + s->o.coef0;
    if (s->k.kind == SOOTH_SVR_SIGMOID) { /* tanh u = (e^2u - 1) / (e^2u + 1) */
        sum = soothi_expm1(2.0 * (base > 20.0 ? 20.0 : base < -20.0 ? -20.0 : base));
        return sum / (sum + 2.0);
    }
    for (e = s->k.degree; e; e >>= 1, base = base * base)
        if (e & 1u) p = p * base;
    return p;
}

/* beta' K beta in double. O(V^2 d) */
SOOTHI_LOCAL double soothi_svr_square(const soothi_svr_solver *s) {
    double square = 0.0;
    size_t i, k;
    for (i = 0; i < s->n; ++i) {
        const double b = soothi_svr_beta(s, i);
        double sum = 0.0;
        if (!(b > 0.0 || b < 0.0)) continue;
        for (k = 0; k < i; ++k) {
            const double c = soothi_svr_beta(s, k);
            if (c > 0.0 || c < 0.0) sum += c * soothi_svr_exact(s, i, k);
        }
        square += b * (2.0 * sum + b * soothi_svr_exact(s, i, i));
    }
    return square;
}

SOOTHI_LOCAL void soothi_svr_describe(const soothi_svr_solver *s, soothi_svr_about *about,
                                      sooth_svr_report *r) {
    double square = 0.0, linear = 0.0, size = 0.0, loss = 0.0, caps = 0.0, noise = 0.0, e;
    size_t k;
    about->kernel = s->o.kernel;
    about->method = s->o.method;
    about->degree = s->o.degree;
    about->steps = s->steps > UINT32_MAX ? UINT32_MAX : (uint32_t)s->steps;
    about->gamma_value = s->o.gamma;
    about->coef0 = s->o.coef0;
    about->offset = -soothi_svr_level(s, 0);
    about->epsilon = s->epsilon;
    if (s->systems == 2) {
        about->epsilon = 0.5 * (soothi_svr_level(s, 1) + about->offset);
        about->offset = 0.5 * (about->offset - soothi_svr_level(s, 1));
    }
    for (k = 0; k < s->n; ++k) {
        const double b = soothi_svr_beta(s, k), y = (double)s->table->y[s->row[k]];
        const double error = s->slope[k] + about->offset, a = b < 0.0 ? -b : b;
        square += b * (s->slope[k] + y);
        noise += 7e-8 * b * b * (double)s->diagonal[k];
        linear += b * y;
        size += a;
        caps += s->cap[k];
        e = (error < 0.0 ? -error : error) - about->epsilon;
        if (e > 0.0) loss += s->cap[k] * e;
        r->vectors += a > 0.0;
        r->bounded += a > 0.0 && a >= s->cap[k];
    }
    r->steps = s->steps;
    r->rows_made = s->rows_made;
    r->epsilon = about->epsilon;
    r->objective = 0.5 * square - linear + s->epsilon * size;
    r->gap = 0.5 * square + loss + r->objective + (s->systems == 2 ? s->o.nu * caps * about->epsilon : 0.0);
    /* The kernel's rounding shows in the objective where it is a small difference of large terms (there the
       error is of first order, in the solution of second): by at most 7e-8 of sum beta^2 in 27 problems, and
       1e-6 of the objective is promised. (The gap is of the kernel as it is rounded.) */
    if (s->k.kind != SOOTH_SVR_CALLBACK && noise > 1e-6 * soothi_abs(r->objective))
        r->objective = 0.5 * soothi_svr_square(s) - linear + s->epsilon * size;
}

/* One vector of weights, sum beta_k x_k. */
SOOTHI_LOCAL sooth_svr *soothi_svr_collapse(const soothi_svr_solver *s, const soothi_svr_about *about) {
    sooth_svr *m = soothi_svr_new(s->env, about, 1, s->k.cols);
    size_t j, k;
    if (!m) return NULL;
    soothi_svr_set_coef(m, 0, 1.0);
    for (j = 0; j < s->k.cols; ++j) {
        double sum = 0.0;
        for (k = 0; k < s->n; ++k) sum += soothi_svr_beta(s, k) * (double)soothi_svr_point(s, k)[j];
        soothi_svr_set_value(m, 0, j, (float)sum);
    }
    return m;
}

/* The model of the positions at[0..count) and their coefficients. */
SOOTHI_LOCAL sooth_svr *soothi_svr_gather(const soothi_svr_solver *s, const soothi_svr_about *about,
                                          const uint32_t *at, const double *coef, size_t count) {
    sooth_svr *m = soothi_svr_new(s->env, about, count, s->k.cols);
    size_t j, k;
    if (!m) return NULL;
    for (k = 0; k < count; ++k) {
        soothi_svr_set_coef(m, k, coef[k]);
        for (j = 0; j < s->k.cols; ++j) soothi_svr_set_value(m, k, j, soothi_svr_point(s, at[k])[j]);
    }
    return m;
}

/* Projects f onto the span of B of its vectors, chosen one at a time where most of what remains of f lies:
   orthogonal matching pursuit in the kernel's space, by a partial Cholesky factor. at[0..count) holds the
   vectors, of which the chosen ones come first on return; remains, own, coef: count long; factor: count x B.
   O(count B^2). Returns how many were chosen. */
SOOTHI_LOCAL size_t soothi_svr_pursue(const soothi_svr_solver *s, uint32_t *at, size_t count, size_t budget,
                                      double *remains, double *own, double *coef, double *factor) {
    size_t b, i, k, best;
    for (i = 0; i < count; ++i) {
        remains[i] = s->slope[at[i]] + (double)s->table->y[s->row[at[i]]];
        own[i] = (double)s->diagonal[at[i]];
    }
    for (b = 0; b < budget; ++b) {
        double top = 0.0, root;
        uint32_t t;
        for (best = i = b; i < count; ++i)
            if (own[i] > 1e-7 * (double)s->diagonal[at[i]] && remains[i] * remains[i] > top * own[i]) {
                top = remains[i] * remains[i] / own[i];
                best = i;
            }
        if (!(top > 0.0)) break;
        t = at[b], at[b] = at[best], at[best] = t;
        root = remains[b], remains[b] = remains[best], remains[best] = root;
        root = own[b], own[b] = own[best], own[best] = root;
        for (k = 0; k < b; ++k) {
            root = factor[b * budget + k];
            factor[b * budget + k] = factor[best * budget + k];
            factor[best * budget + k] = root;
        }
        root = soothi_sqrt(own[b]);
        factor[b * budget + b] = root;
        coef[b] = remains[b] / root;
        soothi_svr_make(s, at[b], 0, s->padded, s->room);
        for (i = b + 1; i < count; ++i) {
            double *l = factor + i * budget, v = (double)s->room[at[i]];
            for (k = 0; k < b; ++k) v -= l[k] * factor[b * budget + k];
            v /= root;
            l[b] = v;
            own[i] -= v * v;
            remains[i] -= coef[b] * v;
        }
    }
    for (i = b; i-- > 0;) {
        for (k = i + 1; k < b; ++k) coef[i] -= factor[k * budget + i] * coef[k];
        coef[i] /= factor[i * budget + i];
    }
    return b;
}

/* How far the model's answers for the training rows are from the full solution's; moves its offset so that
   they agree on average. */
SOOTHI_LOCAL void soothi_svr_compare(const soothi_svr_solver *s, sooth_svr *m, double offset,
                                     sooth_svr_report *r) {
    double sum = 0.0, squares = 0.0, most = 0.0, e;
    size_t i, pass;
    float *room = s->room;
    for (pass = 0; pass < 2; ++pass) {
        for (i = 0; i < s->n; ++i) {
            const float *x = soothi_svr_point(s, i);
            float p = s->k.kind == SOOTH_SVR_CALLBACK
                          ? sooth_svr_predict_with(m, s->o.kernel_fn, s->o.kernel_user, x, room)
                          : sooth_svr_predict(m, x);
            e = (double)p - (s->slope[i] + (double)s->table->y[s->row[i]] + offset);
            if (!pass) {
                sum += e;
                continue;
            }
            squares += e * e;
            e = e < 0.0 ? -e : e;
            if (e > most) most = e;
        }
        if (!pass) soothi_svr_set_offset(m, offset - sum / (double)s->n);
    }
    r->budget_rms = soothi_sqrt(squares / (double)s->n);
    r->budget_most = most;
}

SOOTHI_LOCAL sooth_status soothi_svr_build(soothi_svr_solver *s, const soothi_svr_about *about,
                                           sooth_svr_report *r, sooth_svr **model) {
    const size_t budget = s->o.budget && s->o.budget < r->vectors ? s->o.budget : 0;
    size_t k, count = 0, doubles = r->vectors * (budget ? budget + 3 : 0);
    uint32_t *at = s->order;
    double *coef = s->up[0]; /* no longer needed */
    if (s->k.kind == SOOTH_SVR_LINEAR) {
        *model = soothi_svr_collapse(s, about);
    } else {
        for (k = 0; k < s->n; ++k) {
            const double b = soothi_svr_beta(s, k);
            if (!(b > 0.0 || b < 0.0)) continue;
            coef[count] = b;
            at[count++] = (uint32_t)k;
        }
        if (budget) {
            double *memory = (double *)soothi_alloc(s->env, doubles, sizeof *memory);
            if (!memory)
                return soothi_no_memory(s->env, "a support vector budget",
                                        soothi_product(doubles, sizeof *memory));
            count = soothi_svr_pursue(s, at, count, budget, memory, memory + r->vectors, coef,
                                      memory + 3 * r->vectors);
            soothi_free(s->env, memory, doubles, sizeof *memory);
        }
        *model = soothi_svr_gather(s, about, at, coef, count);
        if (*model && budget) soothi_svr_compare(s, *model, about->offset, r);
    }
    if (!*model) return SOOTH_NO_MEMORY;
    soothi_block_seal(&(*model)->head);
    return SOOTH_OK;
}

/* ---- what spoils the kernel or the tube ---- */

/* The variance of values[0], values[stride], ... */
SOOTHI_LOCAL double soothi_svr_variance(const float *values, size_t rows, size_t stride) {
    double mean = 0.0, square = 0.0, n = (double)rows;
    size_t i;
    for (i = 0; i < rows; ++i) mean += (double)values[i * stride];
    mean /= n;
    for (i = 0; i < rows; ++i) {
        const double e = (double)values[i * stride] - mean;
        square += e * e;
    }
    return square / n;
}

/* The share of the rows whose values of column j lie in the fullest 256th of its range and yet differ there;
   its range. */
SOOTHI_LOCAL double soothi_svr_crowd(const sooth_table *table, size_t j, double *range) {
    uint32_t count[256], top = 0;
    float low[256], high[256], least = table->x[j], most = least;
    size_t i, b;
    memset(count, 0, sizeof count);
    for (i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + j];
        if (v < least) least = v;
        if (v > most) most = v;
    }
    *range = (double)most - (double)least;
    if (!(*range > 0.0)) return 0.0;
    for (i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + j];
        b = (size_t)(255.999 * (((double)v - (double)least) / *range));
        if (!count[b]++) low[b] = high[b] = v;
        if (v < low[b]) low[b] = v;
        if (v > high[b]) high[b] = v;
    }
    for (b = 0; b < 256; ++b)
        if (count[b] > top && low[b] < high[b]) top = count[b];
    return (double)top / (double)table->rows;
}

SOOTHI_LOCAL void soothi_svr_warn(const soothi_svr_solver *s, sooth_svr_report *r) {
    const sooth_table *t = s->table;
    const double deviation = soothi_sqrt(soothi_svr_variance(t->y, s->n, 1));
    double worst = 40.0, crowded = 0.5, varies = 0.0, range;
    char room[32];
    size_t j;
    for (j = 0; j < s->k.cols; ++j) varies += soothi_svr_variance(t->x + j, s->n, t->stride);
    if (s->n > 1 && !(varies > 0.0)) {
        sooth_text_format(r->warning, sizeof r->warning,
                          "all columns are constant: every answer is the same number");
        return;
    }
    if (deviation > 0.0 && s->epsilon >= deviation)
        sooth_text_format(r->warning, sizeof r->warning,
                          "epsilon is %g, and the targets' standard deviation only %G: most rows cost "
                          "nothing, and the model "
                          "is nearly a constant; epsilon is in the unit of the targets",
                          s->epsilon, deviation);
    if (s->k.kind != SOOTH_SVR_RBF || s->n < 16) return;
    for (j = 0; j < s->k.cols; ++j) {
        const double spread = 2.0 * s->o.gamma * soothi_svr_variance(t->x + j, s->n, t->stride);
        const double crowd = soothi_svr_crowd(t, j, &range);
        if (spread > worst) {
            worst = spread;
            crowded = 2.0;
            sooth_text_format(r->warning, sizeof r->warning,
                              "%s alone makes the RBF kernel 0 between most rows: gamma x its mean squared "
                              "difference is %G; "
                              "bring it to scale (log1p_standard) or lower gamma",
                              soothi_column(t, j, room), spread);
        }
        if (crowd > crowded && s->o.gamma * range * range < 256.0) {
            crowded = crowd;
            sooth_text_format(r->warning, sizeof r->warning,
                              "%G %% of %s lie within a 256th of its range, where the RBF kernel cannot tell "
                              "them apart; take "
                              "its logarithm (log1p_standard)",
                              100.0 * crowd, soothi_column(t, j, room));
        }
    }
}

/* ---- options ---- */

static const sooth_option soothi_svr_option[] = {
    SOOTHI_CHOICE(sooth_svr_options, method, "epsilon|nu",
                  "what is given: the width of the tube, or the share of rows outside of it"),
    SOOTHI_CHOICE(sooth_svr_options, kernel, "rbf|linear|polynomial|sigmoid|callback",
                  "how alike two rows are"),
    SOOTHI_NUMBER(sooth_svr_options, C, 1e-30, 1e30, 1, "the price of an error"),
    SOOTHI_NUMBER(sooth_svr_options, epsilon, 1e-300, 1e30, 0.1,
                  "errors below it, in the target's unit, cost nothing (1e-300: none does)"),
    SOOTHI_NUMBER(sooth_svr_options, nu, 1e-9, 1, 0.5,
                  "with method=nu: the share of rows outside of the tube"),
    SOOTHI_NUMBER(sooth_svr_options, gamma, 1e-30, 1e30, 0,
                  "how fast likeness falls with distance; 0: by gamma_rule"),
    SOOTHI_CHOICE(sooth_svr_options, gamma_rule, "scale|auto", "1 / (columns x variance), or 1 / columns"),
    SOOTHI_COUNT(sooth_svr_options, degree, 1, 64, 3, "of the polynomial kernel"),
    SOOTHI_NUMBER(sooth_svr_options, coef0, -1e30, 1e30, 0, "of the polynomial and sigmoid kernels"),
    SOOTHI_NUMBER(sooth_svr_options, tolerance, 1e-12, 1e6, 1e-3,
                  "how far the optimality conditions may be violated"),
    SOOTHI_COUNT(sooth_svr_options, max_steps, 1, 4294967295.0, 10000000,
                 "stop after so many; what was found until then is kept"),
    SOOTHI_COUNT(sooth_svr_options, budget, 1, 4294967295.0, 0, "at most so many vectors; 0: any number"),
    SOOTHI_NUMBER(sooth_svr_options, cache_mib, 1e-6, 1e9, 200, "memory for rows of the kernel, in MiB"),
    SOOTHI_FLAG(sooth_svr_options, no_shrinking, "1: look at all rows in every step"),
};

SOOTH_API sooth_option_list sooth_svr_options_list(void) {
    sooth_option_list list;
    list.option = soothi_svr_option;
    list.count = sizeof soothi_svr_option / sizeof soothi_svr_option[0];
    return list;
}

SOOTHI_LOCAL double soothi_svr_gamma_of(const sooth_table *table, uint32_t rule) {
    double mean = 0.0, square = 0.0, count = (double)table->rows * (double)table->cols;
    size_t i, j;
    if (rule == SOOTH_SVR_AUTO) return 1.0 / (double)table->cols;
    for (i = 0; i < table->rows; ++i)
        for (j = 0; j < table->cols; ++j) mean += (double)table->x[i * table->stride + j];
    mean /= count;
    for (i = 0; i < table->rows; ++i)
        for (j = 0; j < table->cols; ++j) {
            const double e = (double)table->x[i * table->stride + j] - mean;
            square += e * e;
        }
    return square > 0.0 ? count / ((double)table->cols * square) : 1.0;
}

/* Checks the options and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_svr_resolve(sooth_env *env, const sooth_svr_options *options,
                                             sooth_svr_options *o) {
    sooth_status status;
    if (options) *o = *options;
    else memset(o, 0, sizeof *o);
    status = sooth_option_check(env, sooth_svr_options_list(), o);
    if (status != SOOTH_OK) return status;
    if (o->kernel == SOOTH_SVR_CALLBACK && !o->kernel_fn)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "kernel is callback, but kernel_fn is NULL");
    if (!(o->C > 0.0)) o->C = 1.0;
    if (!(o->epsilon > 0.0)) o->epsilon = 0.1;
    if (!(o->nu > 0.0)) o->nu = 0.5;
    if (!o->degree) o->degree = 3;
    if (!(o->tolerance > 0.0)) o->tolerance = 1e-3;
    if (!(o->cache_mib > 0.0)) o->cache_mib = 200.0;
    return SOOTH_OK;
}

/* ---- memory ---- */

SOOTHI_LOCAL size_t soothi_svr_slots(const sooth_svr_options *o, size_t rows) {
    const double row_bytes = 4.0 * (double)soothi_svr_pad(rows);
    const double fit = (o->cache_mib > 0.0 ? o->cache_mib : 200.0) * 1048576.0 / row_bytes;
    return fit < 4.0 ? 4 : fit < (double)rows ? (size_t)fit : rows < 4 ? 4 : rows;
}

/* The bytes of the solver's arrays without the cache. */
SOOTHI_LOCAL size_t soothi_svr_arrays(const sooth_svr_options *o, size_t rows, size_t cols) {
    const size_t m = soothi_svr_pad(rows), systems = o->method == SOOTH_SVR_NU ? 2 : 1;
    const size_t per_row = 8 * (4 + 2 * systems) + 4 * (systems + 2 + 4);
    const size_t wide = cols > m ? cols : m; /* `room` also holds a row of the table */
    size_t bytes = soothi_product(m, per_row + 4), x = soothi_product(m, soothi_product(4, cols));
    if (bytes > SIZE_MAX / 8 || x > SIZE_MAX / 8) return SIZE_MAX;
    return bytes + x + 4 * wide + 16 * (soothi_svr_slots(o, rows) + 1) + 64;
}

SOOTH_API size_t sooth_svr_work(const sooth_svr_options *options, size_t rows, size_t cols) {
    sooth_svr_options o;
    size_t arrays, cache, pursuit;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    arrays = soothi_svr_arrays(&o, rows, cols);
    cache = soothi_product(soothi_product(soothi_svr_slots(&o, rows), soothi_svr_pad(rows)), 4);
    pursuit = o.budget && o.budget < rows ? soothi_product(rows, soothi_product(o.budget + (size_t)3, 8)) : 0;
    if (arrays > SIZE_MAX / 4 || cache > SIZE_MAX / 4 || pursuit > SIZE_MAX / 4) return SIZE_MAX;
    return arrays + cache + pursuit + 48;
}

SOOTHI_LOCAL sooth_status soothi_svr_allocate(soothi_svr_solver *s) {
    const size_t m = s->padded, wide = s->k.cols > m ? s->k.cols : m;
    double *d;
    float *f;
    uint32_t *u;
    size_t g;
    s->slots = soothi_svr_slots(&s->o, s->n);
    s->bytes = soothi_svr_arrays(&s->o, s->n, s->k.cols);
    s->cache_bytes = soothi_product(soothi_product(s->slots, m), 4);
    s->memory = soothi_alloc(s->env, s->bytes, 1);
    if (!s->memory) return soothi_no_memory(s->env, "support vector training", s->bytes);
    s->cache = (float *)soothi_alloc(s->env, s->cache_bytes, 1);
    if (!s->cache) {
        soothi_free(s->env, s->memory, s->bytes, 1);
        return soothi_no_memory(s->env, "the kernel cache (see cache_mib)", s->cache_bytes);
    }
    memset(s->memory, 0, s->bytes);
    d = (double *)s->memory;
    s->slope = d, d += m;
    s->beta = d, d += m;
    s->other = d, d += m;
    s->cap = d, d += m;
    for (g = 0; g < s->systems; ++g) {
        s->up[g] = d, d += m;
        s->down[g] = d, d += m;
    }
    f = (float *)(void *)d;
    for (g = 0; g < s->systems; ++g) s->fall[g] = f, f += m;
    s->diagonal = f, f += m;
    s->x = f, f += m * s->k.cols;
    s->room = f, f += wide;
    u = (uint32_t *)(void *)f;
    s->row = u, u += m;
    s->slot = u, u += m;
    s->order = u, u += 2 * m;
    s->owner = u, u += s->slots + 1;
    s->filled = u, u += s->slots + 1;
    s->before = u, u += s->slots + 1;
    s->after = u;
    return SOOTH_OK;
}

/* ---- the beginning ---- */

/* Takes over start, made smaller where it would pass a cap; nu-SVR gets the sums that it must keep. */
SOOTHI_LOCAL sooth_status soothi_svr_begin(soothi_svr_solver *s) {
    double sum = 0.0, size = 0.0, factor = 1.0, caps = 0.0, rest;
    size_t k;
    for (k = 0; k < s->n; ++k) {
        const double b = s->o.start ? s->o.start[k] : 0.0, a = b < 0.0 ? -b : b;
        if (!soothi_finite(b))
            return soothi_fail(s->env, SOOTH_BAD_ARGUMENT, "start[%z] is %g, but must be finite", k, b);
        sum += b;
        size += a;
        caps += s->cap[k];
        if (a * factor > s->cap[k]) factor = s->cap[k] / a;
    }
    if (!((sum < 0.0 ? -sum : sum) <= 1e-9 * size))
        return soothi_fail(s->env, SOOTH_BAD_ARGUMENT,
                           "the numbers of start sum to %g, but their sum must be 0", sum);
    rest = 0.5 * s->o.nu * caps;
    if (s->systems == 2 && 0.5 * size * factor > rest) factor = rest / (0.5 * size);
    for (k = 0; k < s->n; ++k) {
        const double b = s->o.start ? s->o.start[k] * factor : 0.0;
        s->beta[k] = b < -s->cap[k] ? -s->cap[k] : b > s->cap[k] ? s->cap[k] : b;
    }
    if (s->systems == 2) {
        rest -= 0.5 * size * factor;
        for (k = 0; k < s->n; ++k) {
            const double b = s->beta[k], a = b < 0.0 ? -b : b,
                         share = s->cap[k] - a < rest ? s->cap[k] - a : rest;
            s->beta[k] = (b > 0.0 ? b : 0.0) + share;
            s->other[k] = (b < 0.0 ? -b : 0.0) + share;
            rest -= share;
        }
    }
    for (k = 0; k < s->n; ++k) soothi_svr_bound(s, k);
    soothi_svr_slopes(s, 0);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_svr_run(soothi_svr_solver *s, sooth_svr_report *r, sooth_svr **model) {
    soothi_svr_about about;
    sooth_status status, solved;
    size_t i;
    memset(&about, 0, sizeof about);
    for (i = 0; i < s->n; ++i) s->row[i] = (uint32_t)i;
    s->active = s->n;
    soothi_svr_lay_out(s);
    status = soothi_svr_begin(s);
    if (status != SOOTH_OK) return status;
    soothi_svr_warn(s, r);
    solved = soothi_svr_solve(s, &r->violation);
    if (solved != SOOTH_OK && solved != SOOTH_NOT_CONVERGED) return solved;
    r->converged = solved == SOOTH_OK;
    soothi_svr_describe(s, &about, r);
    for (i = 0; s->o.dual && i < s->n; ++i) s->o.dual[s->row[i]] = soothi_svr_beta(s, i);
    status = soothi_svr_build(s, &about, r, model);
    if (status != SOOTH_OK || solved == SOOTH_OK) return status;
    return soothi_fail(
        s->env, SOOTH_NOT_CONVERGED,
        "after max_steps = %z steps the violation is %G, above the tolerance %G; the duality gap is %G",
        s->steps, r->violation, s->o.tolerance, r->gap);
}

SOOTH_API sooth_status sooth_svr_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_svr_options *options, sooth_svr **model) {
    soothi_svr_solver s;
    sooth_svr_report unread, *r = options && options->report ? options->report : &unread;
    sooth_status status;
    *model = NULL;
    memset(&s, 0, sizeof s);
    memset(r, 0, sizeof *r);
    status = soothi_svr_resolve(env, options, &s.o);
    if (status == SOOTH_OK) status = sooth_table_check(env, table, SOOTH_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (table->targets != 1)
        return soothi_fail(env, SOOTH_BAD_DATA, "the table has %z targets, but support vectors learn one",
                           table->targets);
    if (table->cols > SOOTH_SVR_MOST_FEATURES)
        return soothi_fail(env, SOOTH_BAD_DATA, "the table has %z columns, but at most %u are possible",
                           table->cols, (uint32_t)SOOTH_SVR_MOST_FEATURES);
    s.env = env;
    s.table = table;
    s.n = table->rows;
    s.padded = soothi_svr_pad(s.n);
    s.systems = s.o.method == SOOTH_SVR_NU ? 2 : 1;
    s.epsilon = s.o.method == SOOTH_SVR_NU ? 0.0 : s.o.epsilon;
    if (!s.o.max_steps)
        s.o.max_steps = s.n > 100000 ? (s.n > 40000000 ? UINT32_MAX : (uint32_t)(100 * s.n)) : 10000000u;
    if (!(s.o.gamma > 0.0)) s.o.gamma = soothi_svr_gamma_of(table, s.o.gamma_rule);
    s.k.kind = s.o.kernel;
    s.k.degree = s.o.degree;
    s.k.slope = soothi_svr_slope(s.o.kernel, s.o.gamma);
    s.k.coef0 = (float)s.o.coef0;
    s.k.cols = table->cols;
    status = soothi_svr_allocate(&s);
    if (status != SOOTH_OK) return status;
    status = soothi_svr_run(&s, r, model);
    soothi_free(env, s.cache, s.cache_bytes, 1);
    soothi_free(env, s.memory, s.bytes, 1);
    return status;
}

/* ---- choosing C, epsilon, gamma ---- */

typedef struct soothi_svr_search {
    sooth_env *env;
    sooth_svr_options o;
    const sooth_svr_grid *grid;
    sooth_svr_choice *choice;
    double *squares, *dual; /* of every setting; of the rows that train */
    double tests;
} soothi_svr_search;

SOOTHI_LOCAL double soothi_svr_item(const double *list, size_t at, double value) {
    return list ? list[at] : value;
}
SOOTHI_LOCAL size_t soothi_svr_items(const double *list, size_t count) { return list ? count : 1; }

SOOTHI_LOCAL sooth_status soothi_svr_search_fold(soothi_svr_search *s, const sooth_table *train,
                                                 const sooth_table *test) {
    const sooth_svr_grid *grid = s->grid;
    const size_t cs = soothi_svr_items(grid->C, grid->C_count),
                 es = soothi_svr_items(grid->epsilon, grid->epsilon_count);
    const size_t gs = soothi_svr_items(grid->gamma, grid->gamma_count);
    size_t c, e, g, i;
    double *square = s->squares;
    for (g = 0; g < gs; ++g)
        for (e = 0; e < es; ++e)
            for (c = 0; c < cs; ++c, ++square) {
                sooth_svr_options o = s->o;
                sooth_svr_report r;
                sooth_svr *m;
                sooth_status status;
                o.C = soothi_svr_item(grid->C, c, o.C);
                o.epsilon = soothi_svr_item(grid->epsilon, e, o.epsilon);
                o.gamma = soothi_svr_item(grid->gamma, g, o.gamma);
                o.start = c ? s->dual : NULL;
                o.dual = s->dual;
                o.report = &r;
                status = sooth_svr_fit(s->env, train, &o, &m);
                if (status != SOOTH_OK && status != SOOTH_NOT_CONVERGED) return status;
                ++s->choice->fits;
                s->choice->steps += r.steps;
                s->choice->capped += status != SOOTH_OK;
                for (i = 0; i < test->rows; ++i) {
                    const double error =
                        (double)sooth_svr_predict(m, test->x + i * test->stride) - (double)test->y[i];
                    *square += error * error;
                }
                sooth_svr_free(s->env, m);
            }
    s->tests += (double)test->rows;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_svr_search_folds(soothi_svr_search *s, const sooth_table *table,
                                                  const sooth_split *split) {
    sooth_status status = SOOTH_OK;
    size_t f;
    for (f = 0; f < split->folds && status == SOOTH_OK; ++f) {
        sooth_table train, test;
        status = sooth_split_take(s->env, table, &split->fold[f], &train, &test);
        if (status != SOOTH_OK) break;
        status = soothi_svr_search_fold(s, &train, &test);
        sooth_table_free(s->env, &test);
        sooth_table_free(s->env, &train);
        if (status == SOOTH_OK)
            status =
                soothi_progress(s->env, "choosing C, epsilon, gamma", (double)(f + 1) / (double)split->folds);
    }
    return status;
}

SOOTHI_LOCAL void soothi_svr_search_best(soothi_svr_search *s) {
    const sooth_svr_grid *grid = s->grid;
    const size_t cs = soothi_svr_items(grid->C, grid->C_count),
                 es = soothi_svr_items(grid->epsilon, grid->epsilon_count);
    const size_t settings = cs * es * soothi_svr_items(grid->gamma, grid->gamma_count);
    size_t i, best = 0;
    for (i = 0; i < settings; ++i) {
        if (s->squares[i] < s->squares[best]) best = i;
        if (grid->rmse) grid->rmse[i] = soothi_sqrt(s->squares[i] / s->tests);
    }
    s->choice->rmse = soothi_sqrt(s->squares[best] / s->tests);
    s->choice->C = soothi_svr_item(grid->C, best % cs, s->o.C);
    s->choice->epsilon = soothi_svr_item(grid->epsilon, best / cs % es, s->o.epsilon);
    s->choice->gamma = soothi_svr_item(grid->gamma, best / (cs * es), s->o.gamma);
}

SOOTH_API sooth_status sooth_svr_search(sooth_env *env, const sooth_table *table,
                                        const sooth_svr_options *options, const sooth_svr_grid *grid,
                                        sooth_svr_choice *choice) {
    soothi_svr_search s;
    sooth_split_options folds;
    sooth_split split;
    sooth_status status;
    size_t settings, count;
    memset(choice, 0, sizeof *choice);
    memset(&s, 0, sizeof s);
    memset(&folds, 0, sizeof folds);
    status = soothi_svr_resolve(env, options, &s.o);
    if (status == SOOTH_OK) status = sooth_table_check(env, table, SOOTH_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (s.o.kernel == SOOTH_SVR_CALLBACK)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "kernel is callback, which cannot be searched");
    settings = soothi_product(soothi_svr_items(grid->C, grid->C_count),
                              soothi_product(soothi_svr_items(grid->epsilon, grid->epsilon_count),
                                             soothi_svr_items(grid->gamma, grid->gamma_count)));
    if (settings == 0) return soothi_fail(env, SOOTH_BAD_ARGUMENT, "a list of the grid is empty");
    folds.method = table->group ? SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT : SOOTH_SPLIT_KFOLD;
    s.env = env;
    s.grid = grid;
    s.choice = choice;
    if (!grid->gamma && !(s.o.gamma > 0.0)) s.o.gamma = soothi_svr_gamma_of(table, s.o.gamma_rule);
    status = sooth_split_make(env, table, grid->split ? grid->split : &folds, &split);
    if (status != SOOTH_OK) return status;
    count = settings < SIZE_MAX / 16 ? settings + table->rows : SIZE_MAX;
    s.squares = (double *)soothi_alloc(env, count, sizeof(double));
    if (s.squares) {
        memset(s.squares, 0, settings * sizeof(double));
        s.dual = s.squares + settings;
        status = soothi_svr_search_folds(&s, table, &split);
        if (status == SOOTH_OK) soothi_svr_search_best(&s);
        soothi_free(env, s.squares, count, sizeof(double));
    } else {
        status = soothi_no_memory(env, "the scores of a grid", soothi_product(count, sizeof(double)));
    }
    sooth_split_free(env, &split);
    return status;
}

/* ---- LIBSVM's model files ---- */

SOOTHI_LOCAL const char *soothi_svr_kernel_name(uint32_t kernel) {
    switch (kernel) {
    case SOOTH_SVR_LINEAR: return "linear";
    case SOOTH_SVR_POLYNOMIAL: return "polynomial";
    case SOOTH_SVR_SIGMOID: return "sigmoid";
    default: return "rbf";
    }
}

SOOTH_API sooth_status sooth_svr_write(sooth_env *env, const sooth_svr *model, sooth_sink *sink) {
    const double *d = soothi_svr_doubles(model);
    size_t j, k;
    if (model->kernel == SOOTH_SVR_CALLBACK)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "LIBSVM's model files have no kernel of the host's");
    sooth_text_put(sink, "svm_type %s\nkernel_type %s\n",
                   model->method == SOOTH_SVR_NU ? "nu_svr" : "epsilon_svr",
                   soothi_svr_kernel_name(model->kernel));
    if (model->kernel == SOOTH_SVR_POLYNOMIAL) sooth_text_put(sink, "degree %u\n", model->degree);
    if (model->kernel != SOOTH_SVR_LINEAR) sooth_text_put(sink, "gamma %g\n", d[1]);
    if (model->kernel == SOOTH_SVR_POLYNOMIAL || model->kernel == SOOTH_SVR_SIGMOID)
        sooth_text_put(sink, "coef0 %g\n", d[2]);
    sooth_text_put(sink, "nr_class 2\ntotal_sv %u\nrho %g\nSV\n", model->vectors, -d[0]);
    for (k = 0; k < model->vectors; ++k) {
        sooth_text_put(sink, "%g ", d[4 + k]);
        for (j = 0; j < model->head.features; ++j) {
            const float v = sooth_svr_vector(model, k, j);
            if (v < 0.0f || v > 0.0f)
                sooth_text_put(sink, "%z:%g ", j + 1, (double)v); /* a double's digits: it is read as one */
        }
        sooth_text_write(sink, "\n", 1);
    }
    return SOOTH_OK;
}

typedef struct soothi_svr_reader {
    sooth_env *env;
    const char *at, *end; /* of the present line; `end` without its line feed */
    const char *stop;     /* of the text */
    size_t line;
    soothi_svr_about about;
    size_t total, features;
    int has_type, has_kernel, has_total, has_rho;
} soothi_svr_reader;

SOOTHI_LOCAL int soothi_svr_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Goes to the next line that has something on it; 0 at the end. */
SOOTHI_LOCAL int soothi_svr_next_line(soothi_svr_reader *r) {
    const char *from = r->line ? r->end + 1 : r->at;
    for (; from < r->stop; from = r->end + 1) {
        ++r->line;
        for (r->end = from; r->end < r->stop && *r->end != '\n';) ++r->end;
        for (r->at = from; r->at < r->end && soothi_svr_blank(*r->at);) ++r->at;
        if (r->at < r->end) return 1;
    }
    return 0;
}

/* The next word of the line; its length, 0 at the end. */
SOOTHI_LOCAL size_t soothi_svr_word(soothi_svr_reader *r, const char **word) {
    while (r->at < r->end && soothi_svr_blank(*r->at)) ++r->at;
    *word = r->at;
    while (r->at < r->end && !soothi_svr_blank(*r->at)) ++r->at;
    return (size_t)(r->at - *word);
}

SOOTHI_LOCAL int soothi_svr_is(const char *word, size_t length, const char *name) {
    size_t i;
    for (i = 0; i < length && name[i]; ++i)
        if (word[i] != name[i]) return 0;
    return i == length && !name[i];
}

SOOTHI_LOCAL int soothi_svr_number(const char *word, size_t length, double *value) {
    return length && sooth_text_to_double(word, length, value) == length && soothi_finite(*value);
}

/* "index:value"; the index from 1. */
SOOTHI_LOCAL int soothi_svr_pair(const char *word, size_t length, size_t *number, double *value) {
    size_t i, n = 0;
    for (i = 0; i < length && word[i] >= '0' && word[i] <= '9'; ++i) {
        n = 10 * n + (size_t)(word[i] - '0');
        if (n > SOOTH_SVR_MOST_FEATURES) return 0;
    }
    *number = n;
    return n > 0 && i < length && word[i] == ':' && soothi_svr_number(word + i + 1, length - i - 1, value);
}

SOOTHI_LOCAL sooth_status soothi_svr_bad(const soothi_svr_reader *r, const char *what) {
    return soothi_fail(r->env, SOOTH_BAD_TEXT, "line %z: %s", r->line, what);
}

/* One line before the vectors. */
SOOTHI_LOCAL sooth_status soothi_svr_read_key(soothi_svr_reader *r, const char *key, size_t length) {
    const char *word;
    size_t n = soothi_svr_word(r, &word);
    double v = 0.0;
    int numeric = soothi_svr_number(word, n, &v);
    if (soothi_svr_is(key, length, "svm_type")) {
        r->has_type = 1;
        r->about.method = soothi_svr_is(word, n, "nu_svr") ? SOOTH_SVR_NU : SOOTH_SVR_EPSILON;
        if (!r->about.method && !soothi_svr_is(word, n, "epsilon_svr"))
            return soothi_svr_bad(r, "svm_type must be epsilon_svr or nu_svr");
    } else if (soothi_svr_is(key, length, "kernel_type")) {
        r->has_kernel = 1;
        for (r->about.kernel = 0; r->about.kernel < SOOTH_SVR_CALLBACK; ++r->about.kernel)
            if (soothi_svr_is(word, n, soothi_svr_kernel_name(r->about.kernel))) break;
        if (r->about.kernel == SOOTH_SVR_CALLBACK)
            return soothi_svr_bad(r, "kernel_type must be one of linear, polynomial, rbf, sigmoid");
    } else if (soothi_svr_is(key, length, "degree")) {
        if (!numeric || v < 0.0 || v > 64.0 || (double)(uint32_t)v < v)
            return soothi_svr_bad(r, "degree must be a whole number from 0 to 64");
        r->about.degree = (uint32_t)v;
    } else if (soothi_svr_is(key, length, "gamma")) {
        if (!numeric || v < -1e30 || v > 1e30) return soothi_svr_bad(r, "gamma must be a number");
        r->about.gamma_value = v;
    } else if (soothi_svr_is(key, length, "coef0")) {
        if (!numeric || v < -1e30 || v > 1e30) return soothi_svr_bad(r, "coef0 must be a number");
        r->about.coef0 = v;
    } else if (soothi_svr_is(key, length, "total_sv")) {
        if (!numeric || v < 0.0 || v > 268435456.0 || (double)(uint32_t)v < v)
            return soothi_svr_bad(r, "total_sv must be a whole number");
        r->has_total = 1;
        r->total = (size_t)v;
    } else if (soothi_svr_is(key, length, "rho")) {
        if (!numeric || v < -1e38 || v > 1e38) return soothi_svr_bad(r, "rho must be a number");
        r->has_rho = 1;
        r->about.offset = -v;
    } else if (!soothi_svr_is(key, length, "nr_class") && !soothi_svr_is(key, length, "probA") &&
               !soothi_svr_is(key, length, "prob_density_marks")) {
        return soothi_svr_bad(r, "this is no word of a LIBSVM regression model");
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_svr_read_head(soothi_svr_reader *r) {
    sooth_status status = SOOTH_OK;
    while (status == SOOTH_OK) {
        const char *key;
        size_t length;
        if (!soothi_svr_next_line(r)) return soothi_svr_bad(r, "the text ends before the line SV");
        length = soothi_svr_word(r, &key);
        if (soothi_svr_is(key, length, "SV")) break;
        status = soothi_svr_read_key(r, key, length);
    }
    if (status == SOOTH_OK && !(r->has_type && r->has_kernel && r->has_total && r->has_rho))
        return soothi_svr_bad(r, "svm_type, kernel_type, total_sv and rho must stand before SV");
    return status;
}

/* One vector: counts its columns, and enters it as vector k of m where m is given, or adds it to weights. */
SOOTHI_LOCAL sooth_status soothi_svr_read_vector(soothi_svr_reader *r, sooth_svr *m, double *weights,
                                                 size_t k) {
    const char *word;
    size_t n = soothi_svr_word(r, &word), number, last = 0;
    double coef = 0.0, value = 0.0;
    if (!soothi_svr_number(word, n, &coef) || coef < -3e38 || coef > 3e38)
        return soothi_svr_bad(r, "a vector begins with its coefficient");
    if (m && !weights) soothi_svr_set_coef(m, k, coef);
    while ((n = soothi_svr_word(r, &word)) > 0) {
        if (!soothi_svr_pair(word, n, &number, &value) || value < -3e38 || value > 3e38)
            return soothi_svr_bad(
                r, "a vector's numbers must be like 3:0.5, columns counted from 1 to at most 65536");
        if (number <= last) return soothi_svr_bad(r, "a vector's columns must rise");
        last = number;
        if (weights) weights[number - 1] += coef * value;
        else if (m) soothi_svr_set_value(m, k, number - 1, (float)value);
    }
    if (last > r->features) r->features = last;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_svr_read_vectors(soothi_svr_reader *r, sooth_svr *m, double *weights) {
    sooth_status status = SOOTH_OK;
    size_t k = 0;
    for (; soothi_svr_next_line(r) && status == SOOTH_OK; ++k) {
        if (k == r->total) return soothi_svr_bad(r, "there are more vectors than total_sv says");
        status = soothi_svr_read_vector(r, m, weights, k);
    }
    if (status == SOOTH_OK && k < r->total)
        return soothi_svr_bad(r, "there are fewer vectors than total_sv says");
    return status;
}

SOOTH_API sooth_status sooth_svr_read(sooth_env *env, const char *text, size_t size, size_t features,
                                      sooth_svr **model) {
    soothi_svr_reader r, vectors;
    sooth_status status;
    double *weights = NULL;
    size_t j, cols;
    sooth_svr *m;
    *model = NULL;
    memset(&r, 0, sizeof r);
    r.env = env;
    r.at = r.end = text;
    r.stop = text + size;
    r.about.degree = 3;
    if (features > SOOTH_SVR_MOST_FEATURES)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "features is %z, but must be at most %u", features,
                           (uint32_t)SOOTH_SVR_MOST_FEATURES);
    status = soothi_svr_read_head(&r);
    vectors = r;
    if (status == SOOTH_OK) status = soothi_svr_read_vectors(&r, NULL, NULL);
    if (status != SOOTH_OK) return status;
    if (features && r.features > features)
        return soothi_fail(env, SOOTH_BAD_TEXT, "the vectors have %z columns, but features is %z", r.features,
                           features);
    cols = features ? features : r.features ? r.features : 1;
    if (r.about.kernel == SOOTH_SVR_LINEAR) {
        weights = (double *)soothi_alloc(env, cols, sizeof *weights);
        if (!weights) return soothi_no_memory(env, "a support vector model", cols * sizeof *weights);
        memset(weights, 0, cols * sizeof *weights);
    }
    m = soothi_svr_new(env, &r.about, weights ? 1 : r.total, cols);
    if (!m) {
        soothi_free(env, weights, cols, sizeof *weights);
        return SOOTH_NO_MEMORY;
    }
    soothi_svr_read_vectors(&vectors, m, weights);
    if (weights) {
        soothi_svr_set_coef(m, 0, 1.0);
        for (j = 0; j < cols; ++j) soothi_svr_set_value(m, 0, j, (float)weights[j]);
        soothi_free(env, weights, cols, sizeof *weights);
    }
    soothi_block_seal(&m->head);
    *model = m;
    return SOOTH_OK;
}

#endif /* SOOTH_PREDICT_ONLY */
#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
