/* svr.h - support vector regression: smooth functions from few rows, by kernels; predicts like LIBSVM.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * f(x) = b + sum_k beta_k K(v_k, x). Errors below epsilon cost nothing, so rows inside that tube are not
 * support vectors. nu-SVR chooses epsilon so that at most the fraction nu of the rows lies outside.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/svr.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0.84f, 0.91f, 0.14f, -0.76f, -0.96f, -0.28f};
 *         const float at = 1.5f;
 *         const sooth_table table = sooth_table_of(x, y, 7, 1);
 *         sooth_svr_options options = {.C = 100, .epsilon = 0.01};   // all else is the default
 *         sooth_env env;
 *         sooth_svr *model;
 *         sooth_env_init(&env);
 *         if (sooth_svr_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.2f\n", (double)sooth_svr_predict(model, &at));   //> 1.01
 *         sooth_svr_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Columns must be of order one. Scale them first (preprocess/scale.h), or let model.h do it, which stores
 *   the transform in the model. Scaling matters more than C: on GPU power data, logarithm and standard
 *   deviation raise R2 from 0.42 (min-max) to 0.78.
 * - sooth_svr_warning names a column whose range degrades the kernel.
 * - The target may have any unit: it is standardised during training, and the model predicts in its unit.
 *   LIBSVM and scikit-learn's SVR learn in the unit of the target: C = 1, epsilon = 0.1 and no_target_scale
 *   are their defaults.
 * - import/libsvm.h reads and writes model files of LIBSVM.
 *
 * Method and references
 *
 * Training minimises, over beta with sum beta = 0 and |beta_k| <= C w_k, for the standardised target y,
 *
 *     1/2 beta' K beta - y' beta + epsilon sum |beta_k|                                  (epsilon-SVR)
 *
 * nu-SVR is that of Schoelkopf et al. 2000. The solver is sequential minimal optimisation with second-order
 * working sets (Fan, Chen, Lin: Working set selection using second order information, JMLR 6, 2005),
 * shrinking, and a row cache of bounded size.
 *
 * Cost
 *
 * For n rows of d columns and V support vectors:
 *   fit      some n to 100 n steps of at most 40 n bytes each; n V kernel values of d + 8 operations; scratch
 *            sooth_svr_scratch_size and the cache (option cache_size). From 2,000 rows on workers share each
 *            step; two are 1.4 times as fast as one with 8,000 rows of 10 columns, 1.9 times with 30,000
 *   predict  V (3 d + 18) operations, no allocation, no double
 *   model    V (4 d + 12) bytes; linear kernels: one vector
 */
#if !defined(SOOTH_SVR_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SVR_IMPLEMENTED))
#include "svr/kernel.h"
#endif

#ifndef SOOTH_SVR_H
#define SOOTH_SVR_H

SOOTHI_C_BEGIN

#define SOOTH_SVR_VERSION 1
#define SOOTH_SVR_MAX_FEATURES 65536

/* The block: this struct, then as words float coef[16 groups], vector[groups][features][16], then as doubles
   offset, gamma, coef0, epsilon, coef[vectors]. Lanes beyond the last vector are 0. */
typedef struct sooth_svr {
    sooth_block head;
    uint32_t kernel; /* a sooth_svr_kernel */
    uint32_t method; /* a sooth_svr_method */
    uint32_t degree; /* of the polynomial */
    uint32_t vectors;
    uint32_t groups;     /* of 16 vectors */
    uint32_t iterations; /* training steps; 0 means read from a file */
    float offset;        /* b */
    float slope;         /* gamma; for RBF -gamma / log 2 */
    float coef0;
    uint32_t reserved[3];
} sooth_svr;

/* Returns 1 if bytes[0..size) begin with a valid model. Then no function below reads outside of it. A checked
   model may come from anyone. */
SOOTH_API int sooth_svr_check(const void *bytes, size_t size);

/* Returns the prediction for a row of head.features floats. It is NaN if the row has a NaN, and for kernel
   CALLBACK. Infinities may also give NaN, unless the kernel is RBF. */
SOOTH_API float sooth_svr_predict(const sooth_svr *model, const float *row);

/* Predicts `rows` rows whose starts are stride floats apart: out[rows]. */
SOOTH_API void sooth_svr_predict_many(const sooth_svr *model, const float *x, size_t rows, size_t stride,
                                      float *out);

/* Predicts with a user-supplied kernel, called V times. scratch holds head.features floats. */
SOOTH_API float sooth_svr_predict_with(const sooth_svr *model, const float *row,
                                       sooth_svr_kernel_fn *kernel_fn, void *kernel_user, void *scratch);

/* Returns the work of one prediction, and the bytes of the model. */
SOOTH_API sooth_cost sooth_svr_cost(const sooth_svr *model);

/* Returns element j of support vector k. */
SOOTH_API float sooth_svr_vector(const sooth_svr *model, size_t k, size_t j);

#ifndef SOOTH_PREDICT_ONLY

/* Return the coefficient beta_k of support vector k, the kernel's gamma, and half the width of the tube
   (determined by training for nu-SVR). */
SOOTH_API double sooth_svr_coefficient(const sooth_svr *model, size_t k);

/* ---- fitting ---- */

typedef enum sooth_svr_method { SOOTH_SVR_EPSILON = 0, SOOTH_SVR_NU } sooth_svr_method;

typedef enum sooth_svr_gamma_rule {
    SOOTH_SVR_SCALE = 0, /* 1 / (features x variance of all values) */
    SOOTH_SVR_AUTO       /* 1 / features */
} sooth_svr_gamma_rule;

typedef struct sooth_svr_options {
    uint32_t method;      /* a sooth_svr_method */
    uint32_t kernel;      /* a sooth_svr_kernel */
    uint32_t gamma_rule;  /* a sooth_svr_gamma_rule, used if gamma is 0 */
    uint32_t degree;      /* 0 means 3 */
    uint32_t max_iter;    /* 0 means 10,000 per row in 1 to 10 million, or 100 per row if more */
    uint32_t max_vectors; /* the model is reduced to at most this many; 0 means no limit */
    uint32_t no_shrinking;
    uint32_t has_epsilon;     /* 1: an epsilon of 0 is valid, and every error counts */
    uint32_t no_target_scale; /* 1: train on the target in its own unit, not standardised */
    double C;                 /* weight of an error; 0 means 10 */
    double epsilon;           /* in standard deviations of the target; 0 means 0.03 */
    double nu;                /* 0 means 0.5 */
    double gamma;             /* 0 means by gamma_rule */
    double coef0;
    double tolerance;  /* of the optimality conditions of the standardised target; 0 means 0.001 */
    double cache_size; /* for kernel rows, in MiB; 0 means 200; at least four rows are kept */

    sooth_svr_kernel_fn *kernel_fn; /* with kernel CALLBACK */
    void *kernel_user;
    const double *warm_start; /* initial beta, one per row, of an earlier fit; NULL means zeros */
} sooth_svr_options;

/* The result of training. */
typedef struct sooth_svr_report {
    int converged; /* 0: stopped by max_iter */
    size_t iterations;
    size_t vectors;     /* beta != 0 */
    size_t bounded;     /* beta at the limit of C w */
    size_t kernel_rows; /* kernel rows computed */
    double violation;   /* of the optimality conditions; below tolerance if converged */
    double objective;   /* of the dual, as above; relative error 1e-6 for any C, tolerance permitting */
    double gap;         /* primal - dual objective: max distance from the optimum */
    double epsilon;     /* half the width of the tube, in the unit of the target */
    double reduced_rms; /* with max_vectors: root mean square change of the predictions for training rows */
    double reduced_max; /* with max_vectors: the largest change */
} sooth_svr_report;

/* Fits the model to a table with one target. The target is standardised by the mean and the deviation of the
   training rows, unless no_target_scale is 1. The model holds the target's unit, and so do beta and
   warm_start. violation, objective and gap are those of the standardised target. Targets 2^k times as large
   get exactly 2^k times the predictions.

   Missing values are rejected. Weights multiply C. They act as row
   counts, and rows of weight 0 are ignored. SOOTH_NOT_CONVERGED: stopped by max_iter, and *model is the best
   so far. *model is NULL after every other failure. env->loss_fn is called with the objective (see above)
   about every min(rows, 1,000) steps and after the last step. */
SOOTH_API sooth_status sooth_svr_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_svr_options *options, sooth_svr **model);

/* Like sooth_svr_fit, with a report, and with beta, one element per row. Either may be NULL. beta may be the
   memory of options->warm_start. Then training continues after a stop by max_iter, and a fit with another C
   starts near its solution. */
SOOTH_API sooth_status sooth_svr_fit_report(sooth_env *env, const sooth_table *table,
                                            const sooth_svr_options *options, sooth_svr **model,
                                            sooth_svr_report *report, double *beta);

/* Frees a model returned by a fit or a reader. NULL is allowed. */
SOOTH_API void sooth_svr_free(sooth_env *env, sooth_svr *model);

/* Returns names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_svr_options_list(void);

/* Checks the options and, if table is not NULL, whether they can be used with the table. Returns
   SOOTH_BAD_ARGUMENT or SOOTH_BAD_DATA with a sentence. A fit begins with this check. */
SOOTH_API sooth_status sooth_svr_check_options(sooth_env *env, const sooth_table *table,
                                               const sooth_svr_options *options);

/* Writes one sentence to text[0..size) if the training table degrades the model's kernel or tube. Causes are
   a column out of scale, a column with crowded values, an epsilon as large as the targets, or a C that binds
   nearly every row. "" means none. */
SOOTH_API void sooth_svr_warning(const sooth_svr *model, const sooth_table *table, char *text, size_t size);

/* Return the bytes of a model with this many vectors (for example max_vectors), and the max scratch of a fit,
   cache included. */
SOOTH_API size_t sooth_svr_size(size_t vectors, size_t cols);
SOOTH_API size_t sooth_svr_scratch_size(const sooth_svr_options *options, size_t rows, size_t cols);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SVR_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SVR_IMPLEMENTED)
#define SOOTH_SVR_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the model ---- */

SOOTHI_LOCAL const float *soothi_svr_coef(const sooth_svr *m) { return (const float *)(const void *)(m + 1); }
SOOTHI_LOCAL const float *soothi_svr_vectors(const sooth_svr *m) {
    return soothi_svr_coef(m) + (size_t)m->groups * SOOTH_SVR_LANES;
}

SOOTHI_LOCAL uint64_t soothi_svr_words(uint64_t groups, uint64_t cols) {
    return sizeof(sooth_svr) + 4 * (SOOTH_SVR_LANES * groups * (cols + 1));
}

SOOTHI_LOCAL soothi_svr_kernel soothi_svr_kernel_of(const sooth_svr *m) {
    const soothi_svr_kernel k = {m->kernel, m->degree, m->slope, m->coef0, m->head.features};
    return k;
}

/* Returns 0 if the row has a NaN. */
SOOTHI_LOCAL int soothi_svr_known(const float *row, size_t cols) {
    uint32_t odd = 0;
    for (size_t j = 0; j < cols; ++j) odd |= soothi_bits(row[j]) << 1 > 0xFF000000u;
    return !odd;
}

SOOTH_API int sooth_svr_check(const void *bytes, size_t size) {
    const sooth_svr *m = (const sooth_svr *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SVR, SOOTH_SVR_VERSION) || m->head.doubles_at < sizeof *m)
        return 0;
    if (m->head.features == 0 || m->head.features > SOOTH_SVR_MAX_FEATURES || m->head.targets != 1 ||
        m->kernel >= SOOTH_SVR_KERNELS || m->method > 1u || m->vectors > 0x10000000u || m->degree > 64 ||
        m->groups != soothi_svr_groups(m->vectors))
        return 0;
    return m->head.doubles_at == ((soothi_svr_words(m->groups, m->head.features) + 15u) & ~(uint64_t)15u) &&
           m->head.bytes_at - m->head.doubles_at == soothi_round16(8 * (4 + (size_t)m->vectors)) &&
           m->head.size == m->head.bytes_at;
}

#define SOOTHI_SVR_BLOCK 4u /* groups per iteration, see soothi_svr_values */

/* Lane k adds the vectors k, k + 16, ... At the end lane k += lane k + 8, then + 4, + 2, + 1. */
SOOTH_API float sooth_svr_predict(const sooth_svr *model, const float *row) {
    const soothi_svr_kernel k = soothi_svr_kernel_of(model);
    const float *coef = soothi_svr_coef(model), *group = soothi_svr_vectors(model);
    soothi_wide sum[SOOTHI_SVR_VECTORS];
    float value[SOOTHI_SVR_BLOCK * SOOTH_SVR_LANES], lane[SOOTH_SVR_LANES];
    size_t count;
    if (k.kind == SOOTH_SVR_CALLBACK || !soothi_svr_known(row, k.cols)) return soothi_missing();
    SOOTHI_UNROLL
    for (int v = 0; v < SOOTHI_SVR_VECTORS; ++v) sum[v] = soothi_wide_splat(0.0f);
    for (size_t left = model->groups; left; left -= count, group += count * SOOTH_SVR_LANES * k.cols) {
        count = left < SOOTHI_SVR_BLOCK ? left : SOOTHI_SVR_BLOCK;
        soothi_svr_values(&k, row, group, count, value);
        for (size_t i = 0; i < count; ++i, coef += SOOTH_SVR_LANES) SOOTHI_UNROLL
        for (int v = 0; v < SOOTHI_SVR_VECTORS; ++v)
            sum[v] = sum[v] + soothi_wide_load(value + i * SOOTH_SVR_LANES + (size_t)v * SOOTHI_WIDE) *
                                  soothi_wide_load(coef + (size_t)v * SOOTHI_WIDE);
    }
    memcpy(lane, sum, sizeof lane);
    for (unsigned half = SOOTH_SVR_LANES / 2; half; half /= 2)
        for (unsigned v = 0; v < half; ++v) lane[v] += lane[v + half];
    return model->offset + lane[0];
}

SOOTH_API void sooth_svr_predict_many(const sooth_svr *model, const float *x, size_t rows, size_t stride,
                                      float *out) {
    for (size_t i = 0; i < rows; ++i) out[i] = sooth_svr_predict(model, x + i * stride);
}

SOOTH_API float sooth_svr_vector(const sooth_svr *model, size_t k, size_t j) {
    return soothi_svr_vectors(model)[soothi_svr_place(k, j, model->head.features)];
}

SOOTH_API float sooth_svr_predict_with(const sooth_svr *model, const float *row,
                                       sooth_svr_kernel_fn *kernel_fn, void *kernel_user, void *scratch) {
    float sum = model->offset, *vector = (float *)scratch;
    for (size_t i = 0; i < model->vectors; ++i) {
        for (size_t j = 0; j < model->head.features; ++j) vector[j] = sooth_svr_vector(model, i, j);
        sum += soothi_svr_coef(model)[i] * kernel_fn(kernel_user, vector, row, model->head.features);
    }
    return sum;
}

SOOTH_API sooth_cost sooth_svr_cost(const sooth_svr *model) {
    const uint32_t lanes = SOOTH_SVR_LANES * model->groups;
    const sooth_cost cost = {model->head.size, 0, lanes * (model->head.features + 1u),
                             model->kernel == SOOTH_SVR_LINEAR ? 0 : lanes};
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- reading a model ---- */

SOOTHI_LOCAL const double *soothi_svr_doubles(const sooth_svr *m) {
    return (const double *)(const void *)((const unsigned char *)m + m->head.doubles_at);
}
SOOTHI_LOCAL double soothi_svr_gamma(const sooth_svr *model) { return soothi_svr_doubles(model)[1]; }
SOOTHI_LOCAL double soothi_svr_epsilon(const sooth_svr *model) { return soothi_svr_doubles(model)[3]; }
SOOTH_API double sooth_svr_coefficient(const sooth_svr *model, size_t k) {
    return soothi_svr_doubles(model)[4 + k];
}

/* ---- making a model ---- */

SOOTH_API size_t sooth_svr_size(size_t vectors, size_t cols) {
    uint64_t words = soothi_svr_words(soothi_svr_groups(vectors), cols),
             doubles = 8 * (4 + (uint64_t)vectors);
    if (vectors > 0x10000000u || cols > SOOTH_SVR_MAX_FEATURES || words + doubles > UINT32_MAX / 2)
        return SIZE_MAX;
    return soothi_round16((size_t)words) + soothi_round16((size_t)doubles);
}

/* The parameters stored in a model. */
typedef struct soothi_svr_about {
    uint32_t kernel, method, degree, iterations;
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

/* Allocates a block for this many vectors, all zeros. */
SOOTHI_LOCAL sooth_svr *soothi_svr_new(sooth_env *env, const soothi_svr_about *about, size_t vectors,
                                       size_t cols) {
    size_t groups = soothi_svr_groups(vectors), size = sooth_svr_size(vectors, cols);
    sooth_svr *m = NULL;
    if (size < SIZE_MAX)
        m = (sooth_svr *)soothi_block_new(env, SOOTH_KIND_SVR, SOOTH_SVR_VERSION,
                                          (size_t)soothi_svr_words(groups, cols), 8 * (4 + vectors), 0);
    if (!m) {
        sooth_no_memory(env, "a support vector model", size);
        return NULL;
    }
    m->head.features = (uint32_t)cols;
    m->head.targets = 1;
    m->kernel = about->kernel;
    m->method = about->method;
    m->degree = about->degree;
    m->iterations = about->iterations;
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
    float *vectors = (float *)(void *)(m + 1) + (size_t)m->groups * SOOTH_SVR_LANES;
    vectors[soothi_svr_place(k, j, m->head.features)] = v;
}

/* Rejects points whose kernels overflow a float, and models whose predictions do. The bounds hold for all
   rows within the ranges of the table's columns. Without a table they hold for the model's vectors. Without a
   model only kernels are checked. */
SOOTHI_LOCAL sooth_status soothi_svr_bounded(sooth_env *env, const soothi_svr_kernel *k,
                                             const sooth_table *table, const sooth_svr *m) {
    double dots = 0.0, spans = 0.0, planes = 0.0, most = 0.0, kernel = 1.0, coefs = 0.0;
    size_t worst = 0;
    char buffer[32];
    const size_t points = table ? table->rows : m->vectors;
    if (k->kind == SOOTH_SVR_CALLBACK) return SOOTH_OK;
    if (k->kind != SOOTH_SVR_LINEAR && !soothi_finite((double)k->slope))
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            "the columns vary so little that gamma is above 2.3e38 and overflows a float; scale the columns");
    for (size_t j = 0; j < k->cols; ++j) {
        double low = 0.0, high = 0.0, vectors = 0.0;
        for (size_t i = 0; i < points; ++i) {
            const double v = (double)(table ? table->x[i * table->stride + j] : sooth_svr_vector(m, i, j));
            if (i == 0 || v < low) low = v;
            if (i == 0 || v > high) high = v;
        }
        const double reach = high > -low ? high : -low;
        if (reach > most) {
            most = reach;
            worst = j;
        }
        for (size_t i = 0; m && i < m->vectors; ++i)
            vectors += soothi_abs((double)soothi_svr_coef(m)[i] * (double)sooth_svr_vector(m, i, j));
        planes += vectors * (table ? reach : 1.0);
        dots += reach * reach;
        spans += (high - low) * (high - low);
    }
    for (uint32_t e = 0; k->kind == SOOTH_SVR_POLYNOMIAL && e < k->degree; ++e)
        kernel *= soothi_abs((double)k->slope) * dots + soothi_abs((double)k->coef0);
    for (size_t i = 0; m && i < m->vectors; ++i) coefs += soothi_abs((double)soothi_svr_coef(m)[i]);
    const double sums = k->kind == SOOTH_SVR_RBF ? spans : table || k->kind != SOOTH_SVR_LINEAR ? dots : 0.0;
    double answer = k->kind == SOOTH_SVR_LINEAR ? planes : coefs * kernel;
    if (m) answer += soothi_abs((double)m->offset);
    const double largest[3] = {sums, kernel, answer};
    for (size_t i = 0; i < 3; ++i)
        if (!(largest[i] < 3e38))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "%s reaches %G, so kernels or predictions reach %G and overflow a float; scale the columns",
                table ? soothi_column(table, worst, buffer) : "a vector", most, largest[i]);
    return SOOTH_OK;
}

SOOTH_API void sooth_svr_free(sooth_env *env, sooth_svr *model) {
    if (model) soothi_block_free(env, &model->head);
}

/* ---- rows of positive weight ---- */

SOOTHI_LOCAL double soothi_svr_weight(const sooth_table *table, size_t row) {
    return table->weight ? (double)table->weight[row] : 1.0;
}

/* Counts rows of positive weight. Only these become positions of the solver. */
SOOTHI_LOCAL size_t soothi_svr_rows(const sooth_table *table) {
    size_t rows = 0;
    for (size_t i = 0; i < table->rows; ++i) rows += soothi_svr_weight(table, i) > 0.0;
    return rows;
}

/* ---- the solver ---- */

/* Let F = K beta - y. beta_k can rise if it is below its cap, with slope F_k + epsilon (- epsilon if beta_k <
   0). It can fall with slope F_k - epsilon (+ epsilon if beta_k < 0). So up_k and down_k are +-epsilon, or
   infinite if beta_k cannot move in that direction. The most violating pair raises beta where F + up is
   minimal and lowers it where F + down is maximal. At the optimum the minimum is not below the maximum.
   Nu-SVR has two such systems without epsilon, one of alpha (beta = alpha - alpha*) and one of alpha*. Each
   keeps its own sum. LIBSVM uses 2 n variables for this problem; here rows, slopes and passes are n long.

   Positions 0..active are optimised. Later positions are shrunk: they cannot move at present, so their F is
   not updated. */
typedef struct soothi_svr_solver {
    sooth_env *env;
    const sooth_table *table;
    sooth_svr_options o; /* defaults filled in */
    soothi_svr_kernel k;
    size_t n, padded, active, systems, iterations, kernel_rows, slots;
    size_t told;        /* iterations at the last report to the host */
    double epsilon;     /* 0 for nu-SVR */
    double mean, scale; /* the solver's target is (y - mean) / scale; 0 and 1 with no_target_scale */
    double objective;   /* of the dual, updated by each step */
    double least[2], most[2], centre[2];
    double *slope;                             /* F */
    double *up[2], *down[2];                   /* see above */
    double *beta;                              /* of nu-SVR: alpha */
    double *other;                             /* alpha*; epsilon-SVR: zeros */
    double *cap;                               /* C w */
    float *fall[2];                            /* F + down - centre */
    float *diagonal, *x, *cache, *buffer;      /* buffer: a row of the kernel or of the table */
    uint32_t *row;                             /* of the table */
    uint32_t *slot;                            /* of the cache, by position; 0 means none, else slot + 1 */
    uint32_t *owner, *filled, *before, *after; /* by slot + 1; [0] is the ring's head, followed by the
                                                  newest */
    uint32_t *order;
    void *memory;
    size_t bytes, cache_bytes;
} soothi_svr_solver;

/* Returns the target of position k. */
SOOTHI_LOCAL double soothi_svr_target(const soothi_svr_solver *s, size_t k) {
    return ((double)s->table->y[s->row[k]] - s->mean) / s->scale;
}

/* ---- rows of the kernel ---- */

SOOTHI_LOCAL const float *soothi_svr_point(const soothi_svr_solver *s, size_t at) {
    return s->table->x + (size_t)s->row[at] * s->table->stride;
}

/* out[from..end) = K of position `at` with these positions. Both ends are multiples of 16. */
SOOTHI_LOCAL void soothi_svr_make(const soothi_svr_solver *s, size_t at, size_t from, size_t end,
                                  float *out) {
    const float *point = soothi_svr_point(s, at);
    if (s->k.kind == SOOTH_SVR_CALLBACK) {
        for (size_t i = from; i < end; ++i)
            out[i] =
                i < s->n ? s->o.kernel_fn(s->o.kernel_user, point, soothi_svr_point(s, i), s->k.cols) : 0.0f;
        return;
    }
    soothi_svr_values(&s->k, point, s->x + from * s->k.cols, (end - from) / SOOTH_SVR_LANES, out + from);
}

SOOTHI_LOCAL size_t soothi_svr_pad(size_t n) { return SOOTH_SVR_LANES * soothi_svr_groups(n); }

SOOTHI_LOCAL void soothi_svr_forget(soothi_svr_solver *s) {
    memset(s->slot, 0, s->n * sizeof *s->slot);
    for (size_t i = 0; i <= s->slots; ++i) {
        s->filled[i] = 0;
        s->owner[i] = (uint32_t)s->n;
        s->after[i] = (uint32_t)(i == s->slots ? 0 : i + 1);
        s->before[i] = (uint32_t)(i == 0 ? s->slots : i - 1);
    }
}

/* Returns the cached row of position `at`, evicting the least recently used slot. The next pass must compute
   the row from *from to the end of the active positions. */
SOOTHI_LOCAL float *soothi_svr_row(soothi_svr_solver *s, size_t at, size_t *from) {
    const size_t end = soothi_svr_pad(s->active);
    uint32_t slot = s->slot[at];
    if (!slot) {
        slot = s->before[0];
        if (s->owner[slot] < s->n) s->slot[s->owner[slot]] = 0;
        s->owner[slot] = (uint32_t)at;
        s->filled[slot] = 0;
        s->slot[at] = slot;
        ++s->kernel_rows;
    }
    if (s->after[0] != slot) {
        s->after[s->before[slot]] = s->after[slot];
        s->before[s->after[slot]] = s->before[slot];
        s->after[slot] = s->after[0];
        s->before[slot] = 0;
        s->before[s->after[0]] = slot;
        s->after[0] = slot;
    }
    *from = s->filled[slot];
    if (s->filled[slot] < end) s->filled[slot] = (uint32_t)end;
    return s->cache + (size_t)(slot - 1) * s->padded;
}

/* ---- passes over the active positions, in parts that workers share ---- */

/* Result of a part: the minimum of F + up and its position, or the max gain, its position and the largest
   fall. */
typedef struct soothi_svr_best {
    double least;
    float gain, largest;
    size_t at;
} soothi_svr_best;

#define SOOTHI_SVR_PARTS 64
#define SOOTHI_SVR_PART 1024 /* min positions of a part: some microseconds of work */

/* ki, kj: rows of the kernel. The pass first completes the row of position `at`, from `from` on. No sum
   crosses positions, so results do not depend on the parts. */
typedef struct soothi_svr_pass {
    soothi_svr_solver *s;
    const float *ki;
    float *kj;
    size_t at, from, system, count, parts;
    double t; /* of a step */
    float rise, own;
    soothi_svr_best best[SOOTHI_SVR_PARTS];
} soothi_svr_pass;

/* Positions [*first, *end) of a part. */
SOOTHI_LOCAL void soothi_svr_part(size_t count, size_t parts, size_t part, size_t *first, size_t *end) {
    const size_t strips = (count + SOOTHI_SVR_STRIP - 1) / SOOTHI_SVR_STRIP;
    *first = strips * part / parts * SOOTHI_SVR_STRIP;
    *end = strips * (part + 1) / parts * SOOTHI_SVR_STRIP;
    if (*end > count) *end = count;
}

/* Returns the number of parts for `count` positions, each worth `each` times a plain scan. */
SOOTHI_LOCAL size_t soothi_svr_parts(const soothi_svr_solver *s, size_t count, size_t each) {
    size_t parts = soothi_product(count, each) / SOOTHI_SVR_PART;
    const size_t workers = s->k.kind == SOOTH_SVR_CALLBACK ? 1 : soothi_workers(s->env),
                 strips = (count + SOOTHI_SVR_STRIP - 1) / SOOTHI_SVR_STRIP;
    if (parts > workers) parts = workers;
    if (parts > strips) parts = strips;
    return parts < 1 ? 1 : parts > SOOTHI_SVR_PARTS ? SOOTHI_SVR_PARTS : parts;
}

/* Returns the positions of a part, after computing their part of the row. */
SOOTHI_LOCAL void soothi_svr_enter(const soothi_svr_pass *p, size_t part, size_t *first, size_t *end) {
    soothi_svr_part(p->count, p->parts, part, first, end);
    const size_t from = p->from > *first ? p->from : *first;
    if (from < *end) soothi_svr_make(p->s, p->at, from, *end, p->kj);
}

SOOTHI_LOCAL void soothi_svr_descend_task(void *arg, size_t part, size_t worker) {
    soothi_svr_pass *p = (soothi_svr_pass *)arg;
    soothi_svr_solver *s = p->s;
    soothi_svr_best *best = &p->best[part];
    size_t first, end;
    (void)worker;
    soothi_svr_enter(p, part, &first, &end);
    best->least = soothi_svr_descend(s->slope + first, s->up[p->system] + first, s->down[p->system] + first,
                                     s->fall[p->system] + first, p->ki + first, p->kj + first, p->t,
                                     s->centre[p->system], end - first, &best->at);
    best->at += first;
}

SOOTHI_LOCAL void soothi_svr_partner_task(void *arg, size_t part, size_t worker) {
    soothi_svr_pass *p = (soothi_svr_pass *)arg;
    soothi_svr_solver *s = p->s;
    soothi_svr_best *best = &p->best[part];
    size_t first, end;
    (void)worker;
    soothi_svr_enter(p, part, &first, &end);
    best->gain = soothi_svr_partner(s->fall[p->system] + first, p->kj + first, s->diagonal + first, p->rise,
                                    p->own, end - first, &best->at, &best->largest);
    best->at += first;
}

SOOTHI_LOCAL void soothi_svr_share_out(soothi_svr_pass *p, sooth_task *task) {
    const soothi_svr_solver *s = p->s;
    p->count = soothi_svr_pad(s->active);
    p->parts = soothi_svr_parts(s, p->count, p->from < p->count ? 3 + s->k.cols / 4 : 1);
    soothi_parallel(s->env, p->parts, task, p);
}

/* Sets up a pass without a step: F += 0 (K - K) of any row. */
SOOTHI_LOCAL void soothi_svr_no_step(soothi_svr_pass *p) {
    p->ki = p->kj = p->s->diagonal;
    p->at = 0;
    p->from = p->s->padded;
    p->t = 0.0;
}

/* Applies the step of the last pair, then finds the first position of a system with minimal F + up. */
SOOTHI_LOCAL double soothi_svr_first(soothi_svr_pass *p, size_t system, size_t *at) {
    double least = SOOTHI_INFINITE;
    p->system = system;
    soothi_svr_share_out(p, soothi_svr_descend_task);
    p->from = p->count;
    p->t = 0.0;
    for (size_t k = 0; k < p->parts; ++k)
        if (p->best[k].least < least) {
            least = p->best[k].least;
            *at = p->best[k].at;
        }
    return least;
}

/* Finds the first position of maximal gain with position i, and the largest fall. */
SOOTHI_LOCAL float soothi_svr_second(soothi_svr_solver *s, size_t system, size_t i, size_t *at,
                                     float *largest) {
    soothi_svr_pass p;
    float gain = 0.0f;
    p.s = s;
    p.system = system;
    p.at = i;
    p.kj = soothi_svr_row(s, i, &p.from);
    p.rise = (float)(s->least[system] - s->centre[system]);
    p.own = s->diagonal[i];
    soothi_svr_share_out(&p, soothi_svr_partner_task);
    *largest = p.best[0].largest;
    for (size_t k = 0; k < p.parts; ++k) {
        if (p.best[k].largest > *largest) *largest = p.best[k].largest;
        if (p.best[k].gain > gain) {
            gain = p.best[k].gain;
            *at = p.best[k].at;
        }
    }
    return gain;
}

/* ---- bounds, shrinking ---- */

SOOTHI_LOCAL double soothi_svr_beta(const soothi_svr_solver *s, size_t k) { return s->beta[k] - s->other[k]; }

/* Sets the directions in which position k can move. */
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

/* Recomputes everything that depends on the order of the positions. */
SOOTHI_LOCAL void soothi_svr_lay_out(soothi_svr_solver *s) {
    for (size_t i = 0; i < s->padded; ++i) {
        for (size_t g = 0; g < s->systems; ++g) {
            s->up[g][i] = SOOTHI_INFINITE;
            s->down[g][i] = -SOOTHI_INFINITE;
        }
        s->diagonal[i] = 1.0f;
        for (size_t j = 0; j < s->k.cols; ++j)
            s->x[soothi_svr_place(i, j, s->k.cols)] = i < s->n ? soothi_svr_point(s, i)[j] : 0.0f;
        if (i >= s->n) continue;
        s->cap[i] = s->o.C * soothi_svr_weight(s->table, s->row[i]);
        if (s->k.kind == SOOTH_SVR_CALLBACK) {
            s->diagonal[i] =
                s->o.kernel_fn(s->o.kernel_user, soothi_svr_point(s, i), soothi_svr_point(s, i), s->k.cols);
        } else if (s->k.kind != SOOTH_SVR_RBF) {
            float sum = 0.0f;
            for (size_t j = 0; j < s->k.cols; ++j)
                sum += soothi_svr_point(s, i)[j] * soothi_svr_point(s, i)[j];
            s->diagonal[i] = soothi_svr_curve(&s->k, sum);
        }
        if (i < s->active) soothi_svr_bound(s, i);
    }
    soothi_svr_forget(s);
}

/* Permutes an array by order[0..n). */
SOOTHI_LOCAL void soothi_svr_permute(const soothi_svr_solver *s, double *v) {
    double *buffer = s->cap; /* recomputed later */
    for (size_t i = 0; i < s->n; ++i) buffer[i] = v[s->order[i]];
    memcpy(v, buffer, s->n * sizeof *v);
}

/* Recomputes F for the positions of a part, of those from p->from on. */
SOOTHI_LOCAL void soothi_svr_slopes_task(void *arg, size_t part, size_t worker) {
    const soothi_svr_pass *p = (const soothi_svr_pass *)arg;
    soothi_svr_solver *s = p->s;
    size_t first, end, from;
    (void)worker;
    soothi_svr_part(p->count, p->parts, part, &first, &end);
    first += s->padded - p->count;
    end += s->padded - p->count;
    from = p->from > first ? p->from : first;
    for (size_t k = from; k < end; ++k) s->slope[k] = k < s->n ? -soothi_svr_target(s, k) : 0.0;
    for (size_t i = 0; i < s->n; ++i) {
        const double b = soothi_svr_beta(s, i);
        if (!(b > 0.0 || b < 0.0)) continue;
        soothi_svr_make(s, i, first, end, s->buffer);
        for (size_t k = from; k < end && k < s->n; ++k) s->slope[k] += b * (double)s->buffer[k];
    }
}

/* Recomputes F for all positions from `from` on. */
SOOTHI_LOCAL void soothi_svr_slopes(soothi_svr_solver *s, size_t from) {
    soothi_svr_pass p;
    p.s = s;
    p.from = from;
    p.count = s->padded - from / SOOTH_SVR_LANES * SOOTH_SVR_LANES;
    p.parts = soothi_svr_parts(s, p.count, s->n);
    soothi_parallel(s->env, p.parts, soothi_svr_slopes_task, &p);
}

/* Makes all positions active. */
SOOTHI_LOCAL void soothi_svr_unshrink(soothi_svr_solver *s) {
    soothi_svr_slopes(s, s->active);
    for (size_t i = s->active; i < s->n; ++i) soothi_svr_bound(s, i);
    s->active = s->n;
}

/* Shrinks positions that cannot move in either direction at present, if they are enough to justify clearing
   the cache. */
SOOTHI_LOCAL int soothi_svr_shrink(soothi_svr_solver *s) {
    size_t kept = 0, dropped = 0;
    uint32_t *drop = s->order + s->n;
    for (size_t i = 0; i < s->active; ++i) {
        int stays = 0;
        for (size_t g = 0; g < s->systems; ++g)
            stays |= !(s->slope[i] + s->up[g][i] > s->most[g] && s->slope[i] + s->down[g][i] < s->least[g]);
        if (stays) s->order[kept++] = (uint32_t)i;
        else drop[dropped++] = (uint32_t)i;
    }
    if (dropped < 16 || dropped < s->active / 8) return 0;
    memcpy(s->order + kept, drop, dropped * sizeof *drop);
    for (size_t i = s->active; i < s->n; ++i) s->order[i] = (uint32_t)i;
    soothi_svr_permute(s, s->slope);
    soothi_svr_permute(s, s->beta);
    soothi_svr_permute(s, s->other);
    memcpy(drop, s->row, s->n * sizeof *drop);
    for (size_t i = 0; i < s->n; ++i) s->row[i] = drop[s->order[i]];
    s->active = kept;
    soothi_svr_lay_out(s);
    return 1;
}

/* ---- steps ---- */

/* Returns the optimal step t of raising beta_i and lowering beta_j. Along the step the objective is piecewise
   quadratic, with initial slope `gap` and curvature q. The slope grows by 2 epsilon when beta_i or beta_j
   passes 0. */
SOOTHI_LOCAL double soothi_svr_length(double bi, double bj, double gap, double q, double epsilon) {
    const double i = bi < 0.0 ? -bi : SOOTHI_INFINITE, j = bj > 0.0 ? bj : SOOTHI_INFINITE;
    const double crossing[2] = {j < i ? j : i, j < i ? i : j};
    double t = -gap / q;
    for (int c = 0; c < 2 && t > crossing[c]; ++c) {
        gap += 2.0 * epsilon;
        t = -gap / q;
        if (t < crossing[c]) return crossing[c];
    }
    return t;
}

/* Moves the pair (i, j) of a system. Returns the step. */
SOOTHI_LOCAL double soothi_svr_move(soothi_svr_solver *s, size_t g, size_t i, size_t j, double kij) {
    double *rise = g ? s->other + j : s->beta + i, *fall = g ? s->other + i : s->beta + j;
    const double q = (double)s->diagonal[i] + (double)s->diagonal[j] - 2.0 * kij;
    const double gap = (s->slope[i] + s->up[g][i]) - (s->slope[j] + s->down[g][j]);
    const double roof = s->cap[g ? j : i], floor_value = s->systems == 1 ? -s->cap[j] : 0.0;
    const double to_roof = roof - *rise, to_floor = *fall - floor_value;
    const double from_rise = *rise, from_fall = *fall;
    double t = soothi_svr_length(from_rise, from_fall, gap, q > 1e-12 ? q : 1e-12, s->epsilon);
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
    s->objective += t * (gap + 0.5 * t * q);
    if (from_rise < 0.0 && t > -from_rise) s->objective += 2.0 * s->epsilon * (t + from_rise);
    if (from_fall > 0.0 && t > from_fall) s->objective += 2.0 * s->epsilon * (t - from_fall);
    return t;
}

/* Reports the objective after the steps so far to the host. */
SOOTHI_LOCAL void soothi_svr_tell(soothi_svr_solver *s, const char *stage) {
    if (s->iterations == s->told) return;
    s->told = s->iterations;
    soothi_report_loss(s->env, stage, s->iterations, s->objective, (double)soothi_missing());
}

/* Makes steps until the conditions hold within the tolerance. *violation: the remaining violation. */
SOOTHI_LOCAL sooth_status soothi_svr_solve(soothi_svr_solver *s, double *violation) {
    static const char stage[] = "training a support vector machine";
    const size_t period = s->n < 1000 ? s->n : 1000;
    soothi_svr_pass pass;
    size_t countdown = period, i = 0, j = 0, made;
    int seen_all = 0; /* all positions were checked after shrinking, near the end */
    s->centre[0] = s->centre[1] = 0.0;
    pass.s = s;
    soothi_svr_no_step(&pass);
    for (;;) {
        size_t chosen = 0, pi = 0, pj = 0;
        float best = 0.0f, gain, largest;
        *violation = 0.0;
        for (size_t g = 0; g < s->systems; ++g) {
            s->least[g] = soothi_svr_first(&pass, g, &pi);
            s->most[g] = -SOOTHI_INFINITE;
            if (!(s->least[g] < SOOTHI_INFINITE)) continue;
            gain = soothi_svr_second(s, g, pi, &pj, &largest);
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
        soothi_svr_no_step(&pass);
        if (!(*violation > s->o.tolerance) || !(best > 0.0f)) {
            if (s->active == s->n) soothi_svr_tell(s, stage);
            if (s->active == s->n) return SOOTH_OK;
            soothi_svr_unshrink(s);
            countdown = period;
            continue;
        }
        if (s->iterations >= s->o.max_iter) {
            if (s->active == s->n) soothi_svr_tell(s, stage);
            if (s->active == s->n) return SOOTH_NOT_CONVERGED;
            soothi_svr_unshrink(s); /* the extrema of F and the violation must cover all positions */
            continue;
        }
        if (--countdown == 0) {
            sooth_status status =
                soothi_progress(s->env, stage, (double)s->iterations / (double)s->o.max_iter);
            if (status != SOOTH_OK) return status;
            soothi_svr_tell(s, stage);
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
        pass.ki = soothi_svr_row(s, i, &made); /* complete, because the search for its partner used it */
        pass.kj = soothi_svr_row(s, j, &pass.from);
        pass.at = j;
        pass.t = soothi_svr_move(s, chosen, i, j, (double)pass.ki[j]);
        ++s->iterations;
    }
}

/* ---- the solution ---- */

/* Returns the level of F at a system's free positions, or the middle of the possible range without any. */
SOOTHI_LOCAL double soothi_svr_level(const soothi_svr_solver *s, size_t g) {
    double sum = 0.0, count = 0.0;
    for (size_t k = 0; k < s->n; ++k) {
        const double up = s->up[g][k], down = s->down[g][k];
        if (!(up <= down)) continue; /* up is never below down; equality means free */
        sum += s->slope[k] + up;
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.5 * (s->least[g] + s->most[g]);
}

/* Returns the kernel of two positions in double. */
SOOTHI_LOCAL double soothi_svr_exact(const soothi_svr_solver *s, size_t i, size_t k) {
    const float *a = soothi_svr_point(s, i), *b = soothi_svr_point(s, k);
    double sum = 0.0;
    for (size_t j = 0; j < s->k.cols; ++j) {
        const double d = (double)a[j] - (double)b[j];
        sum += s->k.kind == SOOTH_SVR_RBF ? d * d : (double)a[j] * (double)b[j];
    }
    return soothi_svr_exact_curve(&s->k, s->o.gamma, s->o.coef0, sum);
}

/* Returns beta' K beta in double. O(V^2 d) */
SOOTHI_LOCAL double soothi_svr_square(const soothi_svr_solver *s) {
    double square = 0.0;
    for (size_t i = 0; i < s->n; ++i) {
        const double b = soothi_svr_beta(s, i);
        double sum = 0.0;
        if (!(b > 0.0 || b < 0.0)) continue;
        for (size_t k = 0; k < i; ++k) {
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
    const uint32_t steps = (uint32_t)s->iterations; /* at most max_iter */
    const soothi_svr_about known = {s->o.kernel, s->o.method, s->o.degree, steps, -soothi_svr_level(s, 0),
                                    s->o.gamma,  s->o.coef0,  s->epsilon};
    *about = known;
    if (s->systems == 2) {
        about->epsilon = 0.5 * (soothi_svr_level(s, 1) + about->offset);
        about->offset = 0.5 * (about->offset - soothi_svr_level(s, 1));
    }
    for (size_t k = 0; k < s->n; ++k) {
        const double b = soothi_svr_beta(s, k), y = soothi_svr_target(s, k);
        const double error = s->slope[k] + about->offset, a = soothi_abs(b);
        square += b * (s->slope[k] + y);
        noise += 7e-8 * b * b * (double)s->diagonal[k];
        linear += b * y;
        size += a;
        caps += s->cap[k];
        e = soothi_abs(error) - about->epsilon;
        if (e > 0.0) loss += s->cap[k] * e;
        r->vectors += a > 0.0;
        r->bounded += a > 0.0 && a >= s->cap[k];
    }
    r->iterations = s->iterations;
    r->kernel_rows = s->kernel_rows;
    r->objective = 0.5 * square - linear + s->epsilon * size;
    r->gap = 0.5 * square + loss + r->objective + (s->systems == 2 ? s->o.nu * caps * about->epsilon : 0.0);
    /* If the objective is a small difference of large terms, rounding of the kernel affects it. The error is
       of first order there, in the solution of second order. It was at most 7e-8 of sum beta^2 in 27
       problems, and the documented error is 1e-6 of the objective. (The gap belongs to the rounded
       kernel.) */
    if (s->k.kind != SOOTH_SVR_CALLBACK && noise > 1e-6 * soothi_abs(r->objective))
        r->objective = 0.5 * soothi_svr_square(s) - linear + s->epsilon * size;
    about->offset = about->offset * s->scale + s->mean;
    r->epsilon = about->epsilon = about->epsilon * s->scale;
}

/* Builds the model of positions at[0..count) and their coefficients. A linear kernel needs one weight vector,
   sum beta_k x_k. */
SOOTHI_LOCAL sooth_svr *soothi_svr_gather(const soothi_svr_solver *s, const soothi_svr_about *about,
                                          const uint32_t *at, const double *coef, size_t count) {
    const int linear = s->k.kind == SOOTH_SVR_LINEAR;
    sooth_svr *m = soothi_svr_new(s->env, about, linear ? 1 : count, s->k.cols);
    for (size_t k = 0; m && k < m->vectors; ++k) {
        soothi_svr_set_coef(m, k, linear ? 1.0 : coef[k]);
        for (size_t j = 0; j < s->k.cols; ++j) {
            double sum = 0.0;
            for (size_t i = 0; linear && i < count; ++i)
                sum += coef[i] * (double)soothi_svr_point(s, at[i])[j];
            soothi_svr_set_value(m, k, j, linear ? (float)sum : soothi_svr_point(s, at[k])[j]);
        }
    }
    return m;
}

SOOTHI_LOCAL void soothi_svr_swap(double *a, double *b) {
    const double t = *a;
    *a = *b;
    *b = t;
}

/* The reduction to B vectors. at[0..count) are all positions, on return the chosen ones first. Column b of
   the Cholesky factor begins at factor + b count. */
typedef struct soothi_svr_pursuit {
    const soothi_svr_solver *s;
    uint32_t *at;
    size_t count, chosen, parts; /* chosen: b so far */
    double *remains, *own, *coef, *factor;
} soothi_svr_pursuit;

#define SOOTHI_SVR_BLOCKED 128u /* positions side by side */

/* Computes column b of the factor below its diagonal for a part of the positions, several sums at a time. */
SOOTHI_LOCAL void soothi_svr_pursue_task(void *arg, size_t part, size_t worker) {
    const soothi_svr_pursuit *p = (const soothi_svr_pursuit *)arg;
    const size_t n = p->count, b = p->chosen;
    double *l = p->factor + b * n, v[SOOTHI_SVR_BLOCKED];
    size_t first, end, from, some;
    (void)worker;
    soothi_svr_part(n, p->parts, part, &first, &end);
    for (from = first > b ? first : b + 1; from < end; from += some) {
        some = end - from < SOOTHI_SVR_BLOCKED ? end - from : SOOTHI_SVR_BLOCKED;
        memset(v, 0, sizeof v);
        for (size_t i = 0; i < some; ++i) v[i] = (double)p->s->buffer[p->at[from + i]];
        for (size_t k = 0; k < b; ++k) {
            const double *SOOTH_RESTRICT column = p->factor + k * n + from, times = p->factor[k * n + b];
            if (some == SOOTHI_SVR_BLOCKED)
                for (size_t i = 0; i < SOOTHI_SVR_BLOCKED; ++i) v[i] -= column[i] * times;
            else
                for (size_t i = 0; i < some; ++i) v[i] -= column[i] * times;
        }
        for (size_t i = 0; i < some; ++i) {
            l[from + i] = v[i] / l[b];
            p->own[from + i] -= l[from + i] * l[from + i];
            p->remains[from + i] -= p->coef[b] * l[from + i];
        }
    }
}

/* Moves the position with the largest share of the residual to place b. Returns 0 if the residual is zero. */
SOOTHI_LOCAL int soothi_svr_choose(const soothi_svr_pursuit *p) {
    const size_t b = p->chosen;
    size_t best = b;
    double top = 0.0;
    for (size_t i = b; i < p->count; ++i)
        if (p->own[i] > 1e-7 * (double)p->s->diagonal[p->at[i]] &&
            p->remains[i] * p->remains[i] > top * p->own[i]) {
            top = p->remains[i] * p->remains[i] / p->own[i];
            best = i;
        }
    const uint32_t chosen = p->at[best];
    p->at[best] = p->at[b];
    p->at[b] = chosen;
    soothi_svr_swap(&p->remains[b], &p->remains[best]);
    soothi_svr_swap(&p->own[b], &p->own[best]);
    for (size_t k = 0; k < b; ++k)
        soothi_svr_swap(&p->factor[k * p->count + b], &p->factor[k * p->count + best]);
    return top > 0.0;
}

/* Projects f onto the span of B of its vectors, each chosen to reduce the residual most. This is orthogonal
   matching pursuit in the kernel's space, by a partial Cholesky factor. remains, own, coef: count elements;
   factor: count x B. O(count B^2). Returns the number of chosen vectors. */
SOOTHI_LOCAL size_t soothi_svr_pursue(soothi_svr_pursuit *p, size_t wanted) {
    const soothi_svr_solver *s = p->s;
    const size_t n = p->count;
    for (size_t i = 0; i < n; ++i) {
        p->remains[i] = s->slope[p->at[i]] + soothi_svr_target(s, p->at[i]);
        p->own[i] = (double)s->diagonal[p->at[i]];
    }
    for (p->chosen = 0; p->chosen < wanted && soothi_svr_choose(p); ++p->chosen) {
        const size_t b = p->chosen;
        const double root = soothi_sqrt(p->own[b]);
        p->factor[b * n + b] = root;
        p->coef[b] = p->remains[b] / root;
        soothi_svr_make(s, p->at[b], 0, s->padded, s->buffer);
        p->parts = soothi_svr_parts(s, n, 1 + b / 8);
        soothi_parallel(s->env, p->parts, soothi_svr_pursue_task, p);
    }
    for (size_t i = p->chosen; i-- > 0;) {
        for (size_t k = i + 1; k < p->chosen; ++k) p->coef[i] -= p->factor[i * n + k] * p->coef[k];
        p->coef[i] /= p->factor[i * n + i];
    }
    return p->chosen;
}

/* Compares the model's predictions for the training rows with those of the full solution. Shifts the offset
   so that they agree on average. */
SOOTHI_LOCAL void soothi_svr_compare(const soothi_svr_solver *s, sooth_svr *m, double offset,
                                     sooth_svr_report *r) {
    double sum = 0.0, squares = 0.0, weights = 0.0, most = 0.0;
    for (size_t pass = 0; pass < 2; ++pass) {
        for (size_t i = 0; i < s->n; ++i) {
            const float *x = soothi_svr_point(s, i);
            const float p = s->k.kind == SOOTH_SVR_CALLBACK
                                ? sooth_svr_predict_with(m, x, s->o.kernel_fn, s->o.kernel_user, s->buffer)
                                : sooth_svr_predict(m, x);
            const double w = soothi_svr_weight(s->table, s->row[i]),
                         e = (double)p - ((s->slope[i] + soothi_svr_target(s, i)) * s->scale + offset);
            if (!pass) {
                sum += w * e;
                weights += w;
                continue;
            }
            squares += w * (e * e);
            if (soothi_abs(e) > most) most = soothi_abs(e);
        }
        if (!pass) soothi_svr_set_offset(m, offset - sum / weights);
    }
    r->reduced_rms = soothi_sqrt(squares / weights);
    r->reduced_max = most;
}

SOOTHI_LOCAL sooth_status soothi_svr_build(soothi_svr_solver *s, const soothi_svr_about *about,
                                           sooth_svr_report *r, sooth_svr **model) {
    const int linear = s->k.kind == SOOTH_SVR_LINEAR;
    const size_t wanted = !linear && s->o.max_vectors < r->vectors ? s->o.max_vectors : 0;
    const size_t doubles = r->vectors * (wanted + 3);
    size_t count = 0;
    uint32_t *at = s->order;
    double *coef = s->up[0]; /* no longer needed */
    for (size_t k = 0; k < s->n; ++k) {
        const double b = soothi_svr_beta(s, k);
        if (!(b > 0.0 || b < 0.0)) continue;
        coef[count] = b;
        at[count++] = (uint32_t)k;
    }
    if (wanted) {
        double *memory = (double *)sooth_alloc(s->env, doubles, sizeof *memory);
        if (!memory)
            return sooth_no_memory(s->env, "the reduction to max_vectors",
                                   soothi_product(doubles, sizeof *memory));
        soothi_svr_pursuit pursuit = {
            s, at, count, 0, 1, memory, memory + r->vectors, coef, memory + 3 * r->vectors};
        count = soothi_svr_pursue(&pursuit, wanted);
        sooth_free(s->env, memory, doubles, sizeof *memory);
    }
    for (size_t k = 0; k < count; ++k) coef[k] *= s->scale;
    *model = soothi_svr_gather(s, about, at, coef, count);
    if (!*model) return SOOTH_NO_MEMORY;
    if (wanted) soothi_svr_compare(s, *model, about->offset, r);
    soothi_block_seal(&(*model)->head);
    return SOOTH_OK;
}

/* ---- warnings about kernel and tube ---- */

/* Returns the weighted mean of `cols` values per table row, rows `stride` floats apart. *count: the weighted
   number of values. */
SOOTHI_LOCAL double soothi_svr_mean(const sooth_table *table, const float *values, size_t stride, size_t cols,
                                    double *count) {
    double sum = 0.0;
    *count = 0.0;
    for (size_t i = 0; i < table->rows; ++i) {
        const double w = soothi_svr_weight(table, i);
        for (size_t j = 0; j < cols; ++j) sum += w * (double)values[i * stride + j];
        *count += w * (double)cols;
    }
    return sum / *count;
}

/* Returns the weighted sum of squares around the mean. */
SOOTHI_LOCAL double soothi_svr_squares(const sooth_table *table, const float *values, size_t stride,
                                       size_t cols, double *count) {
    const double mean = soothi_svr_mean(table, values, stride, cols, count);
    double square = 0.0;
    for (size_t i = 0; i < table->rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            const double e = (double)values[i * stride + j] - mean;
            square += soothi_svr_weight(table, i) * (e * e);
        }
    return square;
}

SOOTHI_LOCAL double soothi_svr_variance(const sooth_table *table, const float *values, size_t stride) {
    double count, square = soothi_svr_squares(table, values, stride, 1, &count);
    return square / count;
}

/* Finds the fullest 256th of column j's range in which values differ. Returns the fraction of the rows in it,
   and the range. Rows of weight 0 are ignored. */
SOOTHI_LOCAL double soothi_svr_crowd(const sooth_table *table, size_t j, double *range) {
    uint32_t count[256], top = 0;
    float low[256], high[256], least = FLT_MAX, most = -FLT_MAX;
    size_t b, rows = 0;
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + j];
        if (!(soothi_svr_weight(table, i) > 0.0)) continue;
        if (v < least) least = v;
        if (v > most) most = v;
        ++rows;
    }
    *range = (double)most - (double)least;
    if (!(*range > 0.0)) return 0.0;
    for (size_t i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + j];
        if (!(soothi_svr_weight(table, i) > 0.0)) continue;
        b = (size_t)(255.999 * (((double)v - (double)least) / *range));
        if (!count[b]++) low[b] = high[b] = v;
        if (v < low[b]) low[b] = v;
        if (v > high[b]) high[b] = v;
    }
    for (b = 0; b < 256; ++b)
        if (count[b] > top && low[b] < high[b]) top = count[b];
    return (double)top / (double)rows;
}

/* Returns the fraction of the rows whose coefficient is the largest, which is C without weights. */
SOOTHI_LOCAL double soothi_svr_capped(const sooth_svr *m, size_t rows, double *largest) {
    size_t capped = 0;
    *largest = 0.0;
    for (uint32_t k = 0; k < m->vectors; ++k) {
        const double size = soothi_abs(sooth_svr_coefficient(m, k));
        if (size > *largest) *largest = size;
    }
    for (uint32_t k = 0; k < m->vectors; ++k)
        capped += soothi_abs(sooth_svr_coefficient(m, k)) >= 0.999 * *largest;
    return (double)capped / (double)rows;
}

SOOTH_API void sooth_svr_warning(const sooth_svr *model, const sooth_table *table, char *text, size_t size) {
    const double deviation = soothi_sqrt(soothi_svr_variance(table, table->y, 1)),
                 gamma_value = soothi_svr_gamma(model), epsilon = soothi_svr_epsilon(model);
    double worst = 40.0, crowded = 0.5, varies = 0.0, range, largest;
    char name[32];
    size_t rows = soothi_svr_rows(table);
    if (size) text[0] = 0;
    for (size_t j = 0; j < table->cols; ++j)
        varies += soothi_svr_variance(table, table->x + j, table->stride);
    if (rows > 1 && !(varies > 0.0)) {
        sooth_text_format(text, size, "all columns are constant: every prediction is the same number");
        return;
    }
    if (model->method == SOOTH_SVR_EPSILON && deviation > 0.0 && epsilon >= deviation)
        sooth_text_format(
            text, size,
            "errors up to %G cost nothing, and the targets' standard deviation is only %G: the model is "
            "nearly a constant; lower epsilon",
            epsilon, deviation);
    if (model->method == SOOTH_SVR_EPSILON && !table->weight && rows >= 16 &&
        soothi_svr_capped(model, rows, &largest) > 0.9 && deviation > largest)
        sooth_text_format(text, size,
                          "C bounds the coefficients by %g, which holds back nearly all rows: the targets' "
                          "standard deviation is %G; raise C",
                          largest, deviation);
    if (model->kernel != SOOTH_SVR_RBF || rows < 16) return;
    for (size_t j = 0; j < table->cols; ++j) {
        const double apart = 2.0 * gamma_value * soothi_svr_variance(table, table->x + j, table->stride),
                     crowd = soothi_svr_crowd(table, j, &range);
        if (apart > worst) {
            worst = apart;
            crowded = 2.0;
            sooth_text_format(text, size,
                              "%s alone makes the RBF kernel 0 between most rows: gamma x its mean squared "
                              "difference is %G; bring it to scale (log1p_standard) or lower gamma",
                              soothi_column(table, j, name), apart);
        }
        if (crowd > crowded && gamma_value * range * range < 256.0) {
            crowded = crowd;
            sooth_text_format(text, size,
                              "%G %% of %s lie within a 256th of its range, where the RBF kernel cannot tell "
                              "them apart; take its logarithm (log1p_standard)",
                              100.0 * crowd, soothi_column(table, j, name));
        }
    }
}

/* ---- options ---- */

static const sooth_option soothi_svr_option[] = {
    SOOTHI_CHOICE(sooth_svr_options, method, "epsilon|nu",
                  "what is given: the width of the tube, or the fraction of rows outside of it"),
    SOOTHI_CHOICE(sooth_svr_options, kernel, "rbf|linear|polynomial|sigmoid|callback",
                  "similarity of two rows"),
    SOOTHI_NUMBER(sooth_svr_options, C, 1e-30, 1e30, 10, "weight of an error"),
    SOOTHI_GIVEN(sooth_svr_options, epsilon, 0, 1e30, 0.03,
                 "half width of the tube, in standard deviations of the target: smaller errors cost nothing"),
    SOOTHI_FLAG(sooth_svr_options, no_target_scale,
                "1: C and epsilon are in the unit of the target, which is not standardised"),
    SOOTHI_NUMBER(sooth_svr_options, nu, 1e-9, 1, 0.5,
                  "with method=nu: maximum fraction of rows outside of the tube"),
    SOOTHI_NUMBER(sooth_svr_options, gamma, 1e-30, 1e30, 0,
                  "factor of the squared distance in the kernel; 0 means by gamma_rule"),
    SOOTHI_CHOICE(sooth_svr_options, gamma_rule, "scale|auto",
                  "scale: 1 / (columns x variance); auto: 1 / columns"),
    SOOTHI_COUNT(sooth_svr_options, degree, 1, 64, 3, "degree of the polynomial kernel"),
    SOOTHI_NUMBER(sooth_svr_options, coef0, -1e30, 1e30, 0, "constant of the polynomial and sigmoid kernels"),
    SOOTHI_NUMBER(sooth_svr_options, tolerance, 1e-12, 1e6, 1e-3,
                  "maximum violation of the optimality conditions"),
    SOOTHI_COUNT(sooth_svr_options, max_iter, 1, 4294967295.0, 0,
                 "maximum number of steps; 0 means 10,000 per row, between 1 and 10 million"),
    SOOTHI_COUNT(sooth_svr_options, max_vectors, 1, 4294967295.0, 0,
                 "maximum number of support vectors; 0 means no limit"),
    SOOTHI_NUMBER(sooth_svr_options, cache_size, 1e-6, 1e9, 200, "memory for kernel rows, in MiB"),
    SOOTHI_FLAG(sooth_svr_options, no_shrinking, "1: consider all rows in every step"),
};

SOOTH_API sooth_option_list sooth_svr_options_list(void) { return SOOTHI_OPTIONS(soothi_svr_option); }

/* Returns the options with defaults in place of zeros. */
SOOTHI_LOCAL sooth_svr_options soothi_svr_filled(const sooth_svr_options *options) {
    sooth_svr_options o;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    soothi_option_fill(sooth_svr_options_list(), &o);
    return o;
}

/* Checks the initial beta: finite numbers with sum 0. */
SOOTHI_LOCAL sooth_status soothi_svr_check_start(sooth_env *env, const sooth_table *table,
                                                 const double *start) {
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < table->rows; ++i) {
        if (!soothi_finite(start[i]))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "warm_start[%z] is %g, but must be finite", i,
                              start[i]);
        if (!(soothi_svr_weight(table, i) > 0.0)) continue;
        sum += start[i];
        size += soothi_abs(start[i]);
    }
    if (soothi_abs(sum) <= 1e-9 * size) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "warm_start sums to %g, but must sum to 0", sum);
}

SOOTH_API sooth_status sooth_svr_check_options(sooth_env *env, const sooth_table *table,
                                               const sooth_svr_options *options) {
    const sooth_svr_options o = soothi_svr_filled(options);
    sooth_status status = sooth_option_check(env, sooth_svr_options_list(), &o);
    if (status == SOOTH_OK && o.kernel == SOOTH_SVR_CALLBACK && !o.kernel_fn)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kernel is callback, but kernel_fn is NULL");
    if (status != SOOTH_OK || !table) return status;
    status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (table->targets != 1)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z targets, but support vector regression learns one",
                          table->targets);
    if (table->cols > SOOTH_SVR_MAX_FEATURES)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z columns, but must have at most %u",
                          table->cols, (uint32_t)SOOTH_SVR_MAX_FEATURES);
    return o.warm_start ? soothi_svr_check_start(env, table, o.warm_start) : SOOTH_OK;
}

/* Returns gamma by the rule. SCALE: 1 / (columns x weighted variance of all values). */
SOOTHI_LOCAL double soothi_svr_gamma_of(const sooth_table *table, uint32_t rule) {
    double count;
    if (rule == SOOTH_SVR_AUTO) return 1.0 / (double)table->cols;
    double square = soothi_svr_squares(table, table->x, table->stride, table->cols, &count);
    return square > 0.0 ? count / ((double)table->cols * square) : 1.0;
}

/* ---- memory ---- */

/* Sets the sizes that the layout below depends on. */
SOOTHI_LOCAL void soothi_svr_shape(soothi_svr_solver *s, size_t rows, size_t cols) {
    const double slots = s->o.cache_size * 1048576.0 / (4.0 * (double)soothi_svr_pad(rows));
    s->n = rows;
    s->padded = soothi_svr_pad(rows);
    s->systems = s->o.method == SOOTH_SVR_NU ? 2 : 1;
    s->k.cols = cols;
    s->slots = slots < 4.0 ? 4 : slots < (double)rows ? (size_t)slots : rows < 4 ? 4 : rows;
    s->cache_bytes = soothi_product(soothi_product(s->slots, s->padded), sizeof(float));
}

/* Lays out the solver's arrays except the cache, which is not cleared. */
SOOTHI_LOCAL void soothi_svr_carve(soothi_carver *c, soothi_svr_solver *s) {
    const size_t m = s->padded, slots = s->slots + 1;
    s->slope = (double *)soothi_carve(c, m, sizeof(double));
    s->beta = (double *)soothi_carve(c, m, sizeof(double));
    s->other = (double *)soothi_carve(c, m, sizeof(double));
    s->cap = (double *)soothi_carve(c, m, sizeof(double));
    for (size_t g = 0; g < s->systems; ++g) {
        s->up[g] = (double *)soothi_carve(c, m, sizeof(double));
        s->down[g] = (double *)soothi_carve(c, m, sizeof(double));
        s->fall[g] = (float *)soothi_carve(c, m, sizeof(float));
    }
    s->diagonal = (float *)soothi_carve(c, m, sizeof(float));
    s->x = (float *)soothi_carve(c, soothi_product(m, s->k.cols), sizeof(float));
    s->buffer = (float *)soothi_carve(c, s->k.cols > m ? s->k.cols : m, sizeof(float));
    s->row = (uint32_t *)soothi_carve(c, m, sizeof(uint32_t));
    s->slot = (uint32_t *)soothi_carve(c, m, sizeof(uint32_t));
    s->order = (uint32_t *)soothi_carve(c, 2 * m, sizeof(uint32_t));
    s->owner = (uint32_t *)soothi_carve(c, slots, sizeof(uint32_t));
    s->filled = (uint32_t *)soothi_carve(c, slots, sizeof(uint32_t));
    s->before = (uint32_t *)soothi_carve(c, slots, sizeof(uint32_t));
    s->after = (uint32_t *)soothi_carve(c, slots, sizeof(uint32_t));
}

SOOTH_API size_t sooth_svr_scratch_size(const sooth_svr_options *options, size_t rows, size_t cols) {
    soothi_carver c = {NULL, 0};
    soothi_svr_solver s;
    memset(&s, 0, sizeof s);
    s.o = soothi_svr_filled(options);
    soothi_svr_shape(&s, rows, cols);
    soothi_svr_carve(&c, &s);
    size_t pursuit = s.o.max_vectors && s.o.max_vectors < rows
                         ? soothi_product(rows, soothi_product(s.o.max_vectors + (size_t)3, sizeof(double)))
                         : 0;
    if (c.used > SIZE_MAX / 4 || s.cache_bytes > SIZE_MAX / 4 || pursuit > SIZE_MAX / 4) return SIZE_MAX;
    return c.used + s.cache_bytes + pursuit + 48; /* three pieces, each aligned to 16 */
}

SOOTHI_LOCAL sooth_status soothi_svr_allocate(soothi_svr_solver *s) {
    soothi_carver c = {NULL, 0};
    soothi_svr_carve(&c, s);
    s->bytes = c.used;
    s->memory = sooth_alloc(s->env, s->bytes, 1);
    if (!s->memory) return sooth_no_memory(s->env, "support vector training", s->bytes);
    s->cache = (float *)sooth_alloc(s->env, s->cache_bytes, 1);
    if (!s->cache) {
        sooth_free(s->env, s->memory, s->bytes, 1);
        return sooth_no_memory(s->env, "the kernel cache (see cache_size)", s->cache_bytes);
    }
    memset(s->memory, 0, s->bytes);
    c.memory = (unsigned char *)s->memory;
    c.used = 0;
    soothi_svr_carve(&c, s);
    return SOOTH_OK;
}

/* ---- start ---- */

/* Returns the initial beta of position k. A beta at its cap stays there, whatever the division rounds. */
SOOTHI_LOCAL double soothi_svr_start(const soothi_svr_solver *s, size_t k) {
    if (!s->o.warm_start) return 0.0;
    const double b = s->o.warm_start[s->row[k]] / s->scale, cap = s->cap[k];
    return soothi_abs(soothi_abs(b) - cap) > 1e-15 * cap ? b : b < 0.0 ? -cap : cap;
}

/* Copies warm_start, scaled down so that no cap is exceeded. nu-SVR gets its required sums. */
SOOTHI_LOCAL void soothi_svr_begin(soothi_svr_solver *s) {
    double size = 0.0, factor = 1.0, caps = 0.0;
    for (size_t k = 0; k < s->n; ++k) {
        const double a = soothi_abs(soothi_svr_start(s, k));
        size += a;
        caps += s->cap[k];
        if (a * factor > s->cap[k]) factor = s->cap[k] / a;
    }
    double rest = 0.5 * s->o.nu * caps;
    if (s->systems == 2 && 0.5 * size * factor > rest) factor = rest / (0.5 * size);
    for (size_t k = 0; k < s->n; ++k) {
        const double b = soothi_svr_start(s, k) * factor;
        s->beta[k] = b < -s->cap[k] ? -s->cap[k] : b > s->cap[k] ? s->cap[k] : b;
    }
    if (s->systems == 2) {
        rest -= 0.5 * size * factor;
        for (size_t k = 0; k < s->n; ++k) {
            const double b = s->beta[k], a = soothi_abs(b),
                         share = s->cap[k] - a < rest ? s->cap[k] - a : rest;
            s->beta[k] = (b > 0.0 ? b : 0.0) + share;
            s->other[k] = (b < 0.0 ? -b : 0.0) + share;
            rest -= share;
        }
    }
    for (size_t k = 0; k < s->n; ++k) soothi_svr_bound(s, k);
    soothi_svr_slopes(s, 0);
    for (size_t k = 0; k < s->n; ++k) { /* 1/2 beta' K beta - y' beta = 1/2 beta' (F - y) */
        const double b = soothi_svr_beta(s, k), y = soothi_svr_target(s, k);
        s->objective += 0.5 * b * (s->slope[k] - y) + s->epsilon * soothi_abs(b);
    }
}

SOOTHI_LOCAL sooth_status soothi_svr_run(soothi_svr_solver *s, sooth_svr_report *r, double *beta,
                                         sooth_svr **model) {
    soothi_svr_about about;
    size_t k = 0;
    for (size_t i = 0; i < s->table->rows; ++i)
        if (soothi_svr_weight(s->table, i) > 0.0) s->row[k++] = (uint32_t)i;
    s->active = s->n;
    soothi_svr_lay_out(s);
    for (size_t i = 0; i < s->n; ++i)
        if (!soothi_finite((double)s->diagonal[i])) /* for built-in kernels it is already bounded */
            return sooth_fail(s->env, SOOTH_BAD_ARGUMENT,
                              "kernel_fn returns %g for row %z and itself, but must return finite numbers",
                              (double)s->diagonal[i], (size_t)s->row[i] + 1);
    soothi_svr_begin(s);
    sooth_status solved = soothi_svr_solve(s, &r->violation);
    if (solved != SOOTH_OK && solved != SOOTH_NOT_CONVERGED) return solved;
    r->converged = solved == SOOTH_OK;
    soothi_svr_describe(s, &about, r);
    if (beta) memset(beta, 0, s->table->rows * sizeof *beta);
    for (size_t i = 0; beta && i < s->n; ++i) beta[s->row[i]] = soothi_svr_beta(s, i) * s->scale;
    sooth_status status = soothi_svr_build(s, &about, r, model);
    if (status != SOOTH_OK || solved == SOOTH_OK) return status;
    return sooth_fail(
        s->env, SOOTH_NOT_CONVERGED,
        "after max_iter = %z steps the violation is %G, above the tolerance %G; the duality gap is %G",
        s->iterations, r->violation, s->o.tolerance, r->gap);
}

/* Default max steps for n rows: about 100 n are usual, and problems unsolved after 10,000 n stay unsolved. */
SOOTHI_LOCAL uint32_t soothi_svr_most_steps(size_t n) {
    if (n > 100000) return n > 40000000 ? UINT32_MAX : (uint32_t)(100 * n);
    return n < 100 ? 1000000u : n > 1000 ? 10000000u : (uint32_t)(10000 * n);
}

/* Sets the unit of the solver's target. A constant target has none. */
SOOTHI_LOCAL void soothi_svr_standardise(soothi_svr_solver *s) {
    const sooth_table *table = s->table;
    double count, first = 0.0;
    int seen = 0, varies = 0;
    s->mean = 0.0;
    s->scale = 1.0;
    if (s->o.no_target_scale) return;
    for (size_t i = 0; i < table->rows; ++i) {
        const double y = (double)table->y[i];
        if (!(soothi_svr_weight(table, i) > 0.0)) continue;
        if (!seen) first = y;
        varies |= y < first || y > first;
        seen = 1;
    }
    s->mean = varies ? soothi_svr_mean(table, table->y, 1, 1, &count) : first;
    if (varies) s->scale = soothi_sqrt(soothi_svr_variance(table, table->y, 1));
}

SOOTH_API sooth_status sooth_svr_fit_report(sooth_env *env, const sooth_table *table,
                                            const sooth_svr_options *options, sooth_svr **model,
                                            sooth_svr_report *report, double *beta) {
    soothi_svr_solver s;
    sooth_svr_report unread, *r = report ? report : &unread;
    sooth_status status = sooth_svr_check_options(env, table, options);
    if (status == SOOTH_OK && !table) status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    *model = NULL;
    memset(&s, 0, sizeof s);
    memset(r, 0, sizeof *r);
    if (status != SOOTH_OK) return status;
    s.env = env;
    s.table = table;
    s.o = soothi_svr_filled(options);
    soothi_svr_shape(&s, soothi_svr_rows(table), table->cols);
    s.epsilon = s.o.method == SOOTH_SVR_NU ? 0.0 : s.o.epsilon;
    soothi_svr_standardise(&s);
    if (!s.o.max_iter) s.o.max_iter = soothi_svr_most_steps(s.n);
    if (!(s.o.gamma > 0.0)) s.o.gamma = soothi_svr_gamma_of(table, s.o.gamma_rule);
    const soothi_svr_kernel k = {s.o.kernel, s.o.degree, soothi_svr_slope(s.o.kernel, s.o.gamma),
                                 (float)s.o.coef0, table->cols};
    s.k = k;
    status = soothi_svr_bounded(env, &s.k, table, NULL);
    if (status == SOOTH_OK) status = soothi_svr_allocate(&s);
    if (status != SOOTH_OK) return status;
    status = soothi_svr_run(&s, r, beta, model);
    sooth_free(env, s.cache, s.cache_bytes, 1);
    sooth_free(env, s.memory, s.bytes, 1);
    const sooth_status bounded = *model ? soothi_svr_bounded(env, &s.k, table, *model) : SOOTH_OK;
    if (bounded == SOOTH_OK) return status;
    sooth_svr_free(env, *model);
    *model = NULL;
    return bounded;
}

SOOTH_API sooth_status sooth_svr_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_svr_options *options, sooth_svr **model) {
    return sooth_svr_fit_report(env, table, options, model, NULL, NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
