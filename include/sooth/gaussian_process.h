/* gaussian_process.h - Gaussian process regression: smooth functions from few rows, with deviations.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The targets are y = m + s'x + f(x) + b_g + e. s are the slopes of a linear trend, f is a Gaussian process,
 * b_g the level of the row's group (a random effect), and e noise. Variances and lengths are learned from the
 * targets.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gaussian_process.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {0, 1, 2, 3, 5, 6, 7}, y[] = {0, 0.84f, 0.91f, 0.14f, -0.96f, -0.28f, 0.66f};
 *         const float at[] = {1.5f, 4, 9};
 *         const sooth_table table = sooth_table_of(x, y, 7, 1);
 *         sooth_gauss_options options = {.kernel = SOOTH_GAUSS_SQUARED};   // all else is the default
 *         sooth_env env;
 *         sooth_gauss *model;
 *         float work[7];
 *         sooth_env_init(&env);
 *         if (sooth_gauss_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         for (int i = 0; i < 3; ++i)
 *             printf("%.1f: %.2f +- %.3f\n", (double)at[i], (double)sooth_gauss_predict(model, at + i),
 *                    (double)sooth_gauss_deviation(model, at + i, SOOTH_GAUSS_NEW, 0, work));
 *         //> 1.5: 1.00 +- 0.002
 *         //> 4.0: -0.77 +- 0.008
 *         //> 9.0: 1.10 +- 0.454
 *         sooth_gauss_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Each of up to 50 columns has a length of its own. Columns must be of one order if they share a length:
 *   scale them first (preprocess/scale.h), or let model.h do it.
 * - Hyperparameters are learned from at most 500 rows. Tables of more than max_points rows are approximated
 *   by inducing points, see sooth_gauss_fit.
 * - Predictions are floats, and rounding must stay below the noise. The search therefore bounds the ratio of
 *   signal to noise: 3e5 for 200 rows, 4e4 for 2,000. The trend is not in this ratio, so lines are learned to
 *   their noise. Every fit compares its floats with doubles on the training rows.
 *
 * - A length for each column has the lower error on 19 of 20 tables next to a shared length (0.46 of it on
 *   configurable software), and 0.83 of that of scikit-learn there: bench/README.md.
 *
 * Method and references
 *
 * Rows a and b with the squared distance u = sum_j ((a_j - b_j) / length_j)^2 have the covariance
 *
 *     K_ab = signal c(u) + trend sum_j (a_j - x_j) (b_j - x_j) / length_j^2 + level [same group]
 *            + noise / weight [same row],     x_j: mean of column j,
 *     c(u) = exp(-sqrt u)                                     Matern 1/2
 *            (1 + sqrt(3 u)) exp(-sqrt(3 u))                  Matern 3/2
 *            (1 + sqrt(5 u) + 5/3 u) exp(-sqrt(5 u))          Matern 5/2
 *            exp(-u / 2)                                      squared exponential
 *
 * Let k be the covariances of a new row with the training rows. The prediction is m + k' K^-1 (y - m), with
 * variance k(x, x) + level - k' K^-1 k (Rasmussen and Williams, Gaussian Processes for Machine Learning,
 * 2006, algorithm 2.1). Variances and lengths maximise the marginal likelihood within bounds.
 *
 * Cost
 *
 * For n rows of d columns:
 *   fit      n^3 / 2 multiply-adds for each step of the search, 10 to 100 steps; n^3 / 6 at the end; each
 *            time n^2 (40 + d / 2) steps for the kernel, which dominate below 1,000 rows.
 *            Scratch: 16 n d + 8 n^2 bytes and 1 KiB n per worker. Uses all workers.
 *            m inducing points for n rows: n m^2 more at the end
 *            Default options, one core: 200 rows of 2 columns 0.2 s, 300 of 8 1.4 s, 1,900 of 8 3.3 s
 *   predict  n (3 d + 25) operations, and 7 d for the trend; no allocation, no double
 *   deviation   n^2 / 2 multiply-adds more
 *   model    n (4 d + 8) bytes, and 2 n^2 for the deviation
 */
#if !defined(SOOTH_GAUSSIAN_PROCESS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GAUSSIAN_PROCESS_IMPLEMENTED))
#include "gaussian_process/kernel.h"
#endif

#ifndef SOOTH_GAUSSIAN_PROCESS_H
#define SOOTH_GAUSSIAN_PROCESS_H

SOOTHI_C_BEGIN

#define SOOTH_GAUSS_VERSION 1
#define SOOTH_GAUSS_MAX_POINTS 8192
#define SOOTH_GAUSS_MAX_FEATURES 65536
#define SOOTH_GAUSS_LANES 16u /* points per pack, stored side by side */

/* The block: this struct, then as words
     float steep[features]                     1 / length
           centre[features], slope[features]   of the trend, a length; absent without it
           alpha[16 packs]                     per point: signal times its element of K^-1 (y - m)
           point[packs][features][16]
     uint32_t group[levels]                    group numbers, ascending
     float level[levels]                       b_g
     uint32_t member[points]                   index of its group; absent with inducing points or no levels
     float factor[factors][order x (order + 1) / 2]    packed, of K / scale^2 (two with inducing points)
   and as doubles mean, signal, level, noise, likelihood, length[lengths], and trend if sloped. Lanes beyond
   the last point are 0. */
typedef struct sooth_gauss {
    sooth_block head;
    uint32_t kernel; /* a sooth_gauss_kernel */
    uint32_t points;
    uint32_t packs; /* of 16 points */
    uint32_t levels;
    uint32_t inducing; /* 1: points are inducing points */
    uint32_t factors;  /* 0 means no deviations */
    uint32_t order;    /* of the factors: points, plus levels and slopes with inducing points */
    uint32_t lengths;  /* 1: shared */
    float mean;
    float scale;                  /* the root of signal + level + noise */
    float signal, between, noise; /* variances over scale^2; between: of the levels */
    uint32_t sloped;              /* 1: there is a trend */
    float trend;                  /* variance of a slope over scale^2 */
    uint32_t reserved;
} sooth_gauss;

/* Returns 1 if bytes[0..size) begin with a valid model. Then no function below reads outside of it. A checked
   model may come from anyone. */
SOOTH_API int sooth_gauss_check(const void *bytes, size_t size);

/* Returns the prediction for a row of head.features floats and a new group, or NaN if the row has a NaN. */
SOOTH_API float sooth_gauss_predict(const sooth_gauss *model, const float *row);

/* Predicts `rows` rows that begin stride floats apart: out[rows]. */
SOOTH_API void sooth_gauss_predict_many(const sooth_gauss *model, const float *x, size_t rows, size_t stride,
                                        float *out);

/* Returns the amount to add to predictions for this group. The group number is that of table->group. 0 for
   new groups. */
SOOTH_API float sooth_gauss_level(const sooth_gauss *model, uint32_t group);

/* Returns the standard deviation of the prediction for a row of this group. SOOTH_GAUSS_NEW means a new
   group, whose level is unknown. It is the deviation of the function, or of a new measurement if with_noise
   is 1. scratch holds sooth_gauss_scratch_size bytes, aligned for float. Returns NaN if the row has a NaN, or
   if the model holds no factors. */
SOOTH_API float sooth_gauss_deviation(const sooth_gauss *model, const float *row, uint32_t group,
                                      int with_noise, void *scratch);
SOOTH_API size_t sooth_gauss_scratch_size(const sooth_gauss *model);

/* Returns the work of one prediction, and the bytes of the model. */
SOOTH_API sooth_cost sooth_gauss_cost(const sooth_gauss *model);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

/* Learns the hyperparameters (options: gaussian_process/kernel.h) and makes a model. Groups of the table have
   levels (but see no_level). A table of more than max_points rows is represented by inducing points u and by
   the levels of its groups. The points are chosen one by one, at the largest remaining variance, among at
   most 4,096 drawn rows. f is predicted from u, plus an independent remainder (FITC: Snelson and Ghahramani
   2006; Quinonero-Candela and Rasmussen, A unifying view of sparse approximate Gaussian process regression,
   JMLR 6, 2005, equation 24):
     L L' = K_uu, V = L^-1 K_uf, D = diag(K_ff - V' V) + noise / weight, F F' = 1 + V D^-1 V',
     alpha = L'^-1 F'^-1 F^-1 V D^-1 (y - m), variance = signal + level - |L^-1 k|^2 + |F^-1 L^-1 k|^2.
   A learned noise grows until rounding moves predictions at the training rows by at most its deviation.
   Returns SOOTH_NOT_CONVERGED if the covariance is not positive definite, or if a given noise is too small
   for predictions in floats.
   Returns SOOTH_BAD_DATA if targets are so large that a prediction could overflow a float. */
SOOTH_API sooth_status sooth_gauss_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_gauss_options *options, sooth_gauss **model);

/* Frees a model returned by a fit. NULL is allowed. */
SOOTH_API void sooth_gauss_free(sooth_env *env, sooth_gauss *model);

/* Returns the hyperparameters of a model. */
SOOTH_API sooth_gauss_parameters sooth_gauss_kernel_parameters(const sooth_gauss *model);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_GAUSSIAN_PROCESS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GAUSSIAN_PROCESS_IMPLEMENTED)
#define SOOTH_GAUSSIAN_PROCESS_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- layout ---- */

SOOTHI_LOCAL const float *soothi_gauss_steep(const sooth_gauss *m) {
    return (const float *)(const void *)(m + 1);
}
SOOTHI_LOCAL const float *soothi_gauss_centre(const sooth_gauss *m) {
    return soothi_gauss_steep(m) + m->head.features;
}
SOOTHI_LOCAL const float *soothi_gauss_slope(const sooth_gauss *m) {
    return soothi_gauss_centre(m) + m->head.features;
}
SOOTHI_LOCAL const float *soothi_gauss_alpha(const sooth_gauss *m) {
    return soothi_gauss_steep(m) + (size_t)m->head.features * (m->sloped ? 3u : 1u);
}
SOOTHI_LOCAL const float *soothi_gauss_points(const sooth_gauss *m) {
    return soothi_gauss_alpha(m) + (size_t)SOOTH_GAUSS_LANES * m->packs;
}
SOOTHI_LOCAL const uint32_t *soothi_gauss_group(const sooth_gauss *m) {
    return (const uint32_t *)(const void *)(soothi_gauss_points(m) +
                                            (size_t)SOOTH_GAUSS_LANES * m->packs * m->head.features);
}
SOOTHI_LOCAL const float *soothi_gauss_levels(const sooth_gauss *m) {
    return (const float *)(const void *)(soothi_gauss_group(m) + m->levels);
}
SOOTHI_LOCAL const uint32_t *soothi_gauss_member(const sooth_gauss *m) {
    return (const uint32_t *)(const void *)(soothi_gauss_levels(m) + m->levels);
}
SOOTHI_LOCAL const float *soothi_gauss_factor(const sooth_gauss *m) {
    return (const float *)(const void *)(soothi_gauss_member(m) +
                                         (m->inducing || !m->levels ? 0 : m->points));
}

/* Returns the number of elements of a packed factor. */
SOOTHI_LOCAL uint64_t soothi_gauss_packed(uint64_t order) { return order * (order + 1) / 2; }

/* Returns the bytes of the words of a model of this shape. */
SOOTHI_LOCAL uint64_t soothi_gauss_words(const sooth_gauss *m) {
    const uint64_t lanes = SOOTH_GAUSS_LANES * (uint64_t)m->packs, cols = m->head.features;
    return sizeof *m +
           4 * (cols * (m->sloped ? 3u : 1u) + lanes * (cols + 1) + 2 * (uint64_t)m->levels +
                (m->inducing || !m->levels ? 0 : m->points) + m->factors * soothi_gauss_packed(m->order));
}

SOOTHI_LOCAL size_t soothi_gauss_packs(size_t n) { return (n + SOOTH_GAUSS_LANES - 1) / SOOTH_GAUSS_LANES; }

SOOTH_API int sooth_gauss_check(const void *bytes, size_t size) {
    const sooth_gauss *m = (const sooth_gauss *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_GAUSS, SOOTH_GAUSS_VERSION) ||
        m->head.doubles_at < sizeof *m)
        return 0;
    if (m->head.features == 0 || m->head.features > SOOTH_GAUSS_MAX_FEATURES || m->head.targets != 1 ||
        m->kernel >= SOOTH_GAUSS_KERNELS || m->points == 0 || m->points > SOOTH_GAUSS_MAX_POINTS ||
        m->levels > SOOTH_GAUSS_MAX_POINTS || m->packs != soothi_gauss_packs(m->points) || m->inducing > 1 ||
        (m->factors && m->factors != 1 + m->inducing) || m->sloped > 1 ||
        (m->sloped && m->head.features > SOOTH_GAUSS_MAX_LENGTHS) ||
        m->order != m->points + (m->inducing ? m->levels + m->sloped * m->head.features : 0) ||
        (m->lengths != 1 && m->lengths != m->head.features) || m->lengths > SOOTH_GAUSS_MAX_LENGTHS)
        return 0;
    if (m->head.doubles_at != ((soothi_gauss_words(m) + 15u) & ~(uint64_t)15u) ||
        m->head.bytes_at - m->head.doubles_at != soothi_round16(8 * (5 + (size_t)m->lengths + m->sloped)) ||
        m->head.size != m->head.bytes_at)
        return 0;
    for (size_t i = 1; i < m->levels; ++i)
        if (soothi_gauss_group(m)[i - 1] >= soothi_gauss_group(m)[i]) return 0;
    for (size_t i = 0; i < m->points && m->levels && !m->inducing; ++i)
        if (soothi_gauss_member(m)[i] >= m->levels) return 0;
    return 1;
}

/* ---- predicting ---- */

/* Four square roots. */
SOOTHI_LOCAL void soothi_gauss_roots(float v[4]) {
#if defined(__SSE2__) || defined(_M_X64)
    _mm_storeu_ps(v, _mm_sqrt_ps(_mm_loadu_ps(v)));
#else
    for (unsigned k = 0; k < 4; ++k) v[k] = soothi_sqrt_f(v[k]);
#endif
}

/* Replaces v[0..16) by the correlations c. */
SOOTHI_LOCAL void soothi_gauss_correlations(uint32_t kernel, float v[SOOTH_GAUSS_LANES]) {
    const float by = kernel == SOOTH_GAUSS_MATERN32   ? 3.0f
                     : kernel == SOOTH_GAUSS_MATERN52 ? 5.0f
                     : kernel == SOOTH_GAUSS_MATERN12 ? 1.0f
                                                      : 0.5f;
    float a[SOOTH_GAUSS_LANES], e[SOOTH_GAUSS_LANES];
    for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k)
        a[k] = by * soothi_of_bits(soothi_cut(soothi_bits(v[k]), 0x4E6E6B28u));
    if (kernel != SOOTH_GAUSS_SQUARED)
        for (unsigned k = 0; k < SOOTH_GAUSS_LANES; k += 4) soothi_gauss_roots(a + k);
    for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k) e[k] = soothi_exp_f(-a[k]);
    switch (kernel) {
    case SOOTH_GAUSS_MATERN32:
        for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k) v[k] = (1.0f + a[k]) * e[k];
        return;
    case SOOTH_GAUSS_MATERN52:
        for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k)
            v[k] = (1.0f + a[k] + a[k] * a[k] * 0.333333343f) * e[k];
        return;
    default: memcpy(v, e, sizeof e);
    }
}

/* out[16] = c of a row with the points of a pack. Each lane adds its columns in order. */
SOOTHI_LOCAL void soothi_gauss_near(const sooth_gauss *m, const float *row, const float *pack,
                                    float out[SOOTH_GAUSS_LANES]) {
    const float *steep = soothi_gauss_steep(m);
    soothi_wide sum[SOOTH_GAUSS_LANES / SOOTHI_WIDE];
    SOOTHI_UNROLL
    for (unsigned k = 0; k < SOOTH_GAUSS_LANES / SOOTHI_WIDE; ++k) sum[k] = soothi_wide_splat(0.0f);
    for (size_t j = 0; j < m->head.features; ++j, pack += SOOTH_GAUSS_LANES) {
        const soothi_wide x = soothi_wide_splat(row[j]), s = soothi_wide_splat(steep[j]);
        SOOTHI_UNROLL
        for (unsigned k = 0; k < SOOTH_GAUSS_LANES / SOOTHI_WIDE; ++k) {
            const soothi_wide d = (soothi_wide_load(pack + k * SOOTHI_WIDE) - x) * s;
            sum[k] = sum[k] + d * d;
        }
    }
    memcpy(out, sum, sizeof sum);
    soothi_gauss_correlations(m->kernel, out);
}

/* Returns 0 if the row has a NaN. */
SOOTHI_LOCAL int soothi_gauss_known(const sooth_gauss *m, const float *row) {
    uint32_t odd = 0;
    for (size_t j = 0; j < m->head.features; ++j) odd |= soothi_bits(row[j]) << 1 > 0xFF000000u;
    return !odd;
}

/* Returns a column of the row in lengths, around the centre of the trend, at most 1e15. */
SOOTHI_LOCAL float soothi_gauss_tilt(const sooth_gauss *m, const float *row, size_t j) {
    const float z = (row[j] - soothi_gauss_centre(m)[j]) * soothi_gauss_steep(m)[j];
    return z > 1e15f ? 1e15f : z < -1e15f ? -1e15f : z;
}

/* Returns the mean and the trend. A slope moves it by at most 1e36, so that rows from anywhere do not
   overflow. */
SOOTHI_LOCAL float soothi_gauss_base(const sooth_gauss *m, const float *row) {
    float sum = m->mean;
    for (size_t j = 0; m->sloped && j < m->head.features; ++j) {
        const float t = soothi_gauss_slope(m)[j] * soothi_gauss_tilt(m, row, j);
        sum += t > 1e36f ? 1e36f : t < -1e36f ? -1e36f : t;
    }
    return sum;
}

/* Lane k adds the points k, k + 16, ... At the end lane k += lane k + 8, then + 4, + 2, + 1. */
SOOTH_API float sooth_gauss_predict(const sooth_gauss *model, const float *row) {
    const float *alpha = soothi_gauss_alpha(model), *pack = soothi_gauss_points(model);
    float lane[SOOTH_GAUSS_LANES], c[SOOTH_GAUSS_LANES];
    if (!soothi_gauss_known(model, row)) return soothi_missing();
    for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k) lane[k] = 0.0f;
    for (size_t i = 0; i < model->packs; ++i, alpha += SOOTH_GAUSS_LANES) {
        soothi_gauss_near(model, row, pack + i * SOOTH_GAUSS_LANES * model->head.features, c);
        for (unsigned k = 0; k < SOOTH_GAUSS_LANES; ++k) lane[k] += alpha[k] * c[k];
    }
    for (unsigned half = SOOTH_GAUSS_LANES / 2; half; half /= 2)
        for (unsigned k = 0; k < half; ++k) lane[k] += lane[k + half];
    return soothi_gauss_base(model, row) + lane[0];
}

SOOTH_API void sooth_gauss_predict_many(const sooth_gauss *model, const float *x, size_t rows, size_t stride,
                                        float *out) {
    for (size_t i = 0; i < rows; ++i) out[i] = sooth_gauss_predict(model, x + i * stride);
}

/* Returns the index of a group among the levels, or the number of levels if it has none. */
SOOTHI_LOCAL size_t soothi_gauss_find(const sooth_gauss *m, uint32_t group) {
    const uint32_t *list = soothi_gauss_group(m);
    size_t low = 0, high = m->levels;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle] < group) low = middle + 1;
        else high = middle;
    }
    return low < m->levels && list[low] == group ? low : m->levels;
}

SOOTH_API float sooth_gauss_level(const sooth_gauss *model, uint32_t group) {
    const size_t at = soothi_gauss_find(model, group);
    return at < model->levels ? soothi_gauss_levels(model)[at] : 0.0f;
}

SOOTHI_LOCAL float soothi_gauss_point(const sooth_gauss *model, size_t k, size_t j) {
    return soothi_gauss_points(model)[(k / SOOTH_GAUSS_LANES * model->head.features + j) * SOOTH_GAUSS_LANES +
                                      k % SOOTH_GAUSS_LANES];
}

SOOTH_API size_t sooth_gauss_scratch_size(const sooth_gauss *model) { return model->order * sizeof(float); }

SOOTH_API float sooth_gauss_deviation(const sooth_gauss *model, const float *row, uint32_t group,
                                      int with_noise, void *scratch) {
    const size_t order = model->order, at = soothi_gauss_find(model, group);
    float *work = (float *)scratch;
    const float *factor = soothi_gauss_factor(model), *pack = soothi_gauss_points(model);
    float c[SOOTH_GAUSS_LANES], variance = model->signal + model->between;
    if (!model->factors || !soothi_gauss_known(model, row)) return soothi_missing();
    for (size_t i = 0; i < model->points; i += SOOTH_GAUSS_LANES) {
        soothi_gauss_near(model, row, pack + i * model->head.features, c);
        for (size_t k = 0; k < SOOTH_GAUSS_LANES && i + k < model->points; ++k)
            work[i + k] = model->signal * c[k];
    }
    for (size_t i = model->points; i < order; ++i) work[i] = i - model->points == at ? model->between : 0.0f;
    for (size_t j = 0; model->sloped && j < model->head.features; ++j) {
        const float z = soothi_gauss_tilt(model, row, j), by = model->trend * z;
        variance += by * z;
        for (size_t i = 0; !model->inducing && i < model->points; ++i)
            work[i] += by * ((soothi_gauss_point(model, i, j) - soothi_gauss_centre(model)[j]) *
                             soothi_gauss_steep(model)[j]);
        if (model->inducing) work[model->points + model->levels + j] = by;
    }
    if (at < model->levels && !model->inducing)
        for (size_t i = 0; i < model->points; ++i)
            if (soothi_gauss_member(model)[i] == at) work[i] += model->between;
    soothi_cholesky_forward_f(factor, order, work, work);
    variance -= soothi_dot_f(work, work, order);
    if (model->inducing) {
        soothi_cholesky_forward_f(factor + (size_t)soothi_gauss_packed(order), order, work, work);
        variance += soothi_dot_f(work, work, order);
    }
    if (!(variance > 0.0f)) variance = 0.0f;
    return model->scale * soothi_sqrt_f(with_noise ? variance + model->noise : variance);
}

SOOTH_API sooth_cost sooth_gauss_cost(const sooth_gauss *model) {
    const uint32_t lanes = SOOTH_GAUSS_LANES * model->packs, trend = 2 * model->sloped * model->head.features;
    const sooth_cost cost = {model->head.size, 0, lanes * (2 * model->head.features + 3u) + trend, lanes};
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- making a model ---- */

/* The parts of a model: its points, the elements of K^-1 (y - m), and the factors, in units of scale. Row i
   of a factor begins at factor + i stride, or is packed if stride is 0. */
typedef struct soothi_gauss_parts {
    const sooth_gauss_parameters *theta;
    const float *x;
    size_t x_stride, points, cols, levels, order;
    const uint32_t *row;                   /* indices of rows of x; NULL means all, in order */
    const uint32_t *group;                 /* of each level, ascending */
    const double *level;                   /* of each group, in units of scale */
    double slope[SOOTH_GAUSS_MAX_LENGTHS]; /* of the trend, a length, in units of scale */
    double centre[SOOTH_GAUSS_MAX_LENGTHS];
    const uint32_t *member;
    const double *alpha;
    const double *factor[2];
    size_t stride;
    uint32_t inducing, factors;
    double scale;
} soothi_gauss_parts;

/* Returns the root of the total variance, the unit of the numbers in a model. */
SOOTHI_LOCAL double soothi_gauss_unit(const sooth_gauss_parameters *theta) {
    return soothi_sqrt(theta->signal + theta->level + theta->noise);
}

/* Returns the largest distance of a point from the centre of the trend in column j, in lengths. */
SOOTHI_LOCAL double soothi_gauss_widest(const soothi_gauss_parts *p, size_t j) {
    double most = 0.0;
    for (size_t i = 0; i < p->points; ++i) {
        const double d = soothi_abs((double)p->x[(p->row ? p->row[i] : i) * p->x_stride + j] - p->centre[j]);
        if (d > most) most = d;
    }
    return most / p->theta->length[p->theta->lengths > 1 ? j : 0];
}

/* Checks that predictions cannot overflow a float. c is at most 1. A slope may move a prediction by at most
   1e36, see soothi_gauss_base. */
SOOTHI_LOCAL sooth_status soothi_gauss_bounded(sooth_env *env, const soothi_gauss_parts *p) {
    const double signal = p->theta->signal / p->scale;
    double most = 0.0, sum = soothi_abs(p->theta->mean) + 2.0 * p->scale;
    for (size_t i = 0; i < p->levels; ++i)
        if (soothi_abs(p->level[i]) > most) most = soothi_abs(p->level[i]);
    sum += p->scale * most;
    for (size_t i = 0; i < p->points; ++i) sum += signal * soothi_abs(p->alpha[i]);
    for (size_t j = 0; p->theta->trend > 0.0 && j < p->cols; ++j)
        sum += 1e2 * p->scale * soothi_abs(p->slope[j]) * soothi_gauss_widest(p, j);
    if (sum < 1e38) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "the targets are so large that predictions can reach %G, which overflows a float", sum);
}

SOOTHI_LOCAL void soothi_gauss_put(const soothi_gauss_parts *p, sooth_gauss *m) {
    const sooth_gauss_parameters *theta = p->theta;
    float *to = (float *)(void *)(m + 1);
    double *doubles = (double *)(void *)((unsigned char *)m + m->head.doubles_at);
    for (size_t j = 0; j < p->cols; ++j) {
        const double steep = 1.0 / theta->length[theta->lengths > 1 ? j : 0];
        *to++ = (float)(steep > 3e38 ? 3e38 : steep < 1e-44 ? 1e-44 : steep);
    }
    for (size_t j = 0; m->sloped && j < p->cols; ++j) *to++ = (float)p->centre[j];
    for (size_t j = 0; m->sloped && j < p->cols; ++j) *to++ = (float)(p->scale * p->slope[j]);
    for (size_t i = 0; i < p->points; ++i) {
        const float *row = p->x + (p->row ? p->row[i] : i) * p->x_stride;
        float *pack = to + (size_t)SOOTH_GAUSS_LANES * m->packs +
                      i / SOOTH_GAUSS_LANES * SOOTH_GAUSS_LANES * p->cols + i % SOOTH_GAUSS_LANES;
        to[i] = (float)(theta->signal / p->scale * p->alpha[i]);
        for (size_t j = 0; j < p->cols; ++j) pack[j * SOOTH_GAUSS_LANES] = row[j];
    }
    to += (size_t)SOOTH_GAUSS_LANES * m->packs * (1 + p->cols);
    for (size_t i = 0; i < p->levels; ++i, ++to) memcpy(to, p->group + i, sizeof *to);
    for (size_t i = 0; i < p->levels; ++i) *to++ = (float)(p->scale * p->level[i]);
    for (size_t i = 0; p->levels && !p->inducing && i < p->points; ++i, ++to)
        memcpy(to, p->member + i, sizeof *to);
    for (size_t f = 0; f < p->factors; ++f)
        for (size_t i = 0; i < p->order; ++i) {
            const double *row = p->factor[f] + (p->stride ? i * p->stride : (size_t)soothi_gauss_packed(i));
            for (size_t j = 0; j <= i; ++j) *to++ = (float)row[j];
        }
    doubles[0] = theta->mean;
    doubles[1] = theta->signal;
    doubles[2] = theta->level;
    doubles[3] = theta->noise;
    doubles[4] = theta->likelihood;
    memcpy(doubles + 5, theta->length, theta->lengths * sizeof *doubles);
    if (m->sloped) doubles[5 + theta->lengths] = theta->trend;
}

SOOTHI_LOCAL sooth_status soothi_gauss_make(sooth_env *env, const soothi_gauss_parts *p,
                                            sooth_gauss **model) {
    sooth_gauss shape, *m;
    const double unit = p->scale * p->scale;
    sooth_status status = soothi_gauss_bounded(env, p);
    if (status != SOOTH_OK) return status;
    memset(&shape, 0, sizeof shape);
    shape.head.features = (uint32_t)p->cols;
    shape.kernel = p->theta->kernel;
    shape.points = (uint32_t)p->points;
    shape.packs = (uint32_t)soothi_gauss_packs(p->points);
    shape.levels = (uint32_t)p->levels;
    shape.inducing = p->inducing;
    shape.factors = p->factors;
    shape.order = (uint32_t)p->order;
    shape.sloped = p->theta->trend > 0.0;
    const uint64_t words = soothi_gauss_words(&shape);
    m = words > UINT32_MAX / 2
            ? NULL
            : (sooth_gauss *)soothi_block_new(env, SOOTH_KIND_GAUSS, SOOTH_GAUSS_VERSION, (size_t)words,
                                              8 * (5 + (size_t)p->theta->lengths + shape.sloped), 0);
    if (!m) return sooth_no_memory(env, "a Gaussian process", (size_t)words);
    shape.head = m->head;
    shape.head.features = (uint32_t)p->cols;
    shape.head.targets = 1;
    shape.lengths = p->theta->lengths;
    shape.mean = (float)p->theta->mean;
    shape.scale = (float)p->scale;
    shape.signal = (float)(p->theta->signal / unit);
    shape.between = (float)(p->theta->level / unit);
    shape.noise = (float)(p->theta->noise / unit);
    shape.trend = (float)(p->theta->trend / unit);
    *m = shape;
    soothi_gauss_put(p, m);
    soothi_block_seal(&m->head);
    *model = m;
    return SOOTH_OK;
}

SOOTH_API void sooth_gauss_free(sooth_env *env, sooth_gauss *model) {
    soothi_block_free(env, model ? &model->head : NULL);
}

SOOTH_API sooth_gauss_parameters sooth_gauss_kernel_parameters(const sooth_gauss *model) {
    const double *doubles =
        (const double *)(const void *)((const unsigned char *)model + model->head.doubles_at);
    sooth_gauss_parameters theta;
    memset(&theta, 0, sizeof theta);
    theta.kernel = model->kernel;
    theta.lengths = model->lengths;
    theta.mean = doubles[0];
    theta.signal = doubles[1];
    theta.level = doubles[2];
    theta.noise = doubles[3];
    theta.likelihood = doubles[4];
    memcpy(theta.length, doubles + 5, theta.lengths * sizeof *doubles);
    if (model->sloped) theta.trend = doubles[5 + theta.lengths];
    return theta;
}

/* Lists the distinct groups of n rows in ascending order, and the index of each row's group in member.
   Returns the number of groups. entry has 2 n elements. */
SOOTHI_LOCAL size_t soothi_gauss_groups(const uint32_t *group, size_t n, uint64_t *entry, uint32_t *list,
                                        uint32_t *member) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) entry[i] = (uint64_t)group[i] << 32 | (uint32_t)i;
    soothi_entry_sort(entry, entry + n, n);
    for (size_t i = 0; i < n; ++i) {
        if (i == 0 || entry[i] >> 32 != entry[i - 1] >> 32) list[count++] = (uint32_t)(entry[i] >> 32);
        member[soothi_entry_row(entry[i])] = (uint32_t)(count - 1);
    }
    return count;
}

/* Memory for the levels of n rows, and the results. */
typedef struct soothi_gauss_levelling {
    uint64_t *entry;
    uint32_t *list, *member;
    double *level;
    size_t n, count;
    void *memory;
    size_t bytes;
} soothi_gauss_levelling;

SOOTHI_LOCAL void soothi_gauss_carve_levels(soothi_carver *c, soothi_gauss_levelling *s) {
    s->entry = (uint64_t *)soothi_carve(c, soothi_product(2, s->n), sizeof(uint64_t));
    s->list = (uint32_t *)soothi_carve(c, s->n, sizeof(uint32_t));
    s->member = (uint32_t *)soothi_carve(c, s->n, sizeof(uint32_t));
    s->level = (double *)soothi_carve(c, s->n, sizeof(double));
}

/* Finds the groups of n rows, or none if the hyperparameters have no level. */
SOOTHI_LOCAL sooth_status soothi_gauss_level_rows(sooth_env *env, soothi_gauss_levelling *s,
                                                  const sooth_gauss_parameters *theta, const uint32_t *group,
                                                  size_t n) {
    soothi_carver c = {NULL, 0};
    memset(s, 0, sizeof *s);
    s->n = n;
    soothi_gauss_carve_levels(&c, s);
    s->bytes = c.used;
    s->memory = sooth_alloc(env, s->bytes, 1);
    if (!s->memory) return sooth_no_memory(env, "the groups of a Gaussian process", s->bytes);
    c.memory = (unsigned char *)s->memory;
    c.used = 0;
    soothi_gauss_carve_levels(&c, s);
    if (theta->level > 0.0) s->count = soothi_gauss_groups(group, n, s->entry, s->list, s->member);
    return SOOTH_OK;
}

/* Returns the parts of a model whose points are the rows with covariance L L'. */
SOOTHI_LOCAL soothi_gauss_parts soothi_gauss_exact_parts(const sooth_gauss_parameters *theta, double scale,
                                                         const double *alpha, const double *factor,
                                                         size_t stride, int no_deviation,
                                                         soothi_gauss_levelling *s) {
    soothi_gauss_parts p;
    memset(&p, 0, sizeof p);
    for (size_t i = 0; i < s->count; ++i) s->level[i] = 0.0;
    for (size_t i = 0; s->count && i < s->n; ++i)
        s->level[s->member[i]] += theta->level / (scale * scale) * alpha[i];
    p.theta = theta;
    p.points = p.order = s->n;
    p.levels = s->count;
    p.group = s->list;
    p.level = s->level;
    p.member = s->member;
    p.alpha = alpha;
    p.factor[0] = factor;
    p.stride = stride;
    p.factors = no_deviation ? 0 : 1;
    p.scale = scale;
    return p;
}

/* Converts hyperparameters to units of scale, for rows prepared with another scale. */
SOOTHI_LOCAL void soothi_gauss_settle(soothi_gauss_job *job, const sooth_gauss_parameters *theta,
                                      double scale) {
    const double unit = scale * scale;
    for (size_t i = 0; i < job->rows; ++i) job->y[i] *= job->scale / scale;
    job->scale = scale;
    job->theta[SOOTHI_GAUSS_SIGNAL] = theta->signal / unit;
    job->theta[SOOTHI_GAUSS_NOISE] = theta->noise / unit;
    job->theta[SOOTHI_GAUSS_LEVEL] = theta->level / unit;
    job->theta[SOOTHI_GAUSS_TREND] = theta->trend / unit;
    for (size_t j = 0; j < job->lengths; ++j)
        job->theta[SOOTHI_GAUSS_LENGTH + j] = theta->length[j] / job->spread[j];
    soothi_gauss_stretch(job);
}

/* Computes the slopes of the trend: trend times the products of alpha with the columns. */
SOOTHI_LOCAL void soothi_gauss_exact_trend(const soothi_gauss_job *job, soothi_gauss_parts *p) {
    for (size_t j = 0; p->theta->trend > 0.0 && j < job->cols; ++j) {
        p->centre[j] = job->centre[j];
        for (size_t i = 0; i < job->rows; ++i)
            p->slope[j] +=
                job->theta[SOOTHI_GAUSS_TREND] * job->alpha[i] * (job->z[j * job->rows + i] - job->middle[j]);
    }
}

/* Returns the variance that a prediction in floats may be off by: that of the row's noise, but at least the
   square of 2^-20 of the size of the predictions, which is the precision of a float with 4 bits to spare. */
SOOTHI_LOCAL double soothi_gauss_allowed(const sooth_gauss_parameters *theta, double scale, double weight) {
    const double ulp = 9.5367431640625e-7 / scale; /* 2^-20 */
    return theta->noise / (scale * scale) / weight +
           ulp * ulp * (theta->mean * theta->mean + theta->signal + theta->level + theta->noise);
}

/* Returns how far the floats of the model are from the predictions in doubles at the rows of the job, in
   deviations of their noise: the root mean square. A prediction in doubles is y - noise alpha. */
SOOTHI_LOCAL double soothi_gauss_exact_off(const soothi_gauss_job *job, const sooth_gauss_parameters *theta,
                                           const sooth_gauss *model) {
    const double noise = job->theta[SOOTHI_GAUSS_NOISE];
    double squares = 0.0;
    for (size_t i = 0; i < job->rows; ++i) {
        const float *row = job->table->x + job->row[i] * job->table->stride;
        const double said =
            (double)(sooth_gauss_predict(model, row) + sooth_gauss_level(model, job->group[i]));
        const double off =
            (said - job->mean) / job->scale - (job->y[i] - noise * job->noise[i] * job->alpha[i]);
        squares += off * off / soothi_gauss_allowed(theta, job->scale, 1.0 / job->noise[i]);
    }
    return soothi_sqrt(squares / (double)job->rows);
}

/* Makes a model whose points are the rows. *off: how much its floats are off, see soothi_gauss_exact_off. */
SOOTHI_LOCAL sooth_status soothi_gauss_exact(sooth_env *env, const sooth_table *table,
                                             const sooth_gauss_options *o, sooth_gauss_parameters *theta,
                                             double *off, sooth_gauss **model) {
    soothi_gauss_job job;
    soothi_gauss_levelling levels;
    double value;
    sooth_status status = soothi_gauss_open(&job, env, table, o, o->max_points);
    if (status != SOOTH_OK) return status;
    status = soothi_gauss_level_rows(env, &levels, theta, job.group, job.rows);
    if (status == SOOTH_OK) {
        soothi_gauss_settle(&job, theta, soothi_gauss_unit(theta));
        if (soothi_gauss_factorise(&job, 0, &value)) {
            soothi_gauss_parts p = soothi_gauss_exact_parts(theta, job.scale, job.alpha, job.matrix,
                                                            job.stride, o->no_deviation != 0, &levels);
            theta->likelihood = value - (double)job.rows * soothi_log(job.scale);
            p.x = table->x;
            p.x_stride = table->stride;
            p.cols = table->cols;
            p.row = job.row;
            soothi_gauss_exact_trend(&job, &p);
            status = soothi_gauss_make(env, &p, model);
            if (status == SOOTH_OK) *off = soothi_gauss_exact_off(&job, theta, *model);
        } else {
            status = sooth_fail(
                env, SOOTH_NOT_CONVERGED,
                "the covariance of the rows is not positive definite; increase the noise, which is %G",
                theta->noise);
        }
        sooth_free(env, levels.memory, levels.bytes, 1);
    }
    soothi_gauss_close(&job);
    return status;
}

/* ---- inducing points ---- */

enum { SOOTHI_GAUSS_CHUNK = 256, SOOTHI_GAUSS_CANDIDATES = 4096 };

typedef struct soothi_gauss_sparse {
    sooth_env *env;
    const sooth_table *table;
    const sooth_gauss_parameters *theta;
    double scale, signal, noise, level, trend;
    size_t cols, candidates, wanted, points, levels, slopes, order, stride;
    double centre[SOOTH_GAUSS_MAX_LENGTHS]; /* of the trend */
    size_t used;                            /* rows of the table that have weight */
    const uint32_t *list;                   /* group numbers */
    uint32_t *row;                          /* used: indices in the table */
    uint32_t *candidate;                    /* used: a shuffled copy of row */
    uint32_t *chosen;                       /* wanted: indices in the table */
    double *steep;                          /* cols */
    double *z;                              /* cols x candidates, then cols x points */
    double *columns, *left; /* wanted x candidates: the factor for the choice; the remaining variance */
    double *lower, *gram;   /* order x stride: L and F */
    double *right, *alpha;  /* order */
    double *v, *w;          /* order x chunk: -V; chunk x stride: -V' / D */
    double *d, *target;     /* chunk */
    double *u;              /* chunk x stride */
    double *work;
    size_t from, count; /* the current chunk of rows */
} soothi_gauss_sparse;

SOOTHI_LOCAL void soothi_gauss_carve_sparse(soothi_carver *c, soothi_gauss_sparse *s) {
    const size_t cells = soothi_product(s->order, s->stride), d = sizeof(double);
    s->row = (uint32_t *)soothi_carve(c, s->used, sizeof(uint32_t));
    s->candidate = (uint32_t *)soothi_carve(c, s->used, sizeof(uint32_t));
    s->chosen = (uint32_t *)soothi_carve(c, s->wanted, sizeof(uint32_t));
    s->steep = (double *)soothi_carve(c, s->cols, d);
    s->z = (double *)soothi_carve(c, soothi_product(s->cols, s->candidates), d);
    s->columns = (double *)soothi_carve(c, soothi_product(s->wanted, s->candidates), d);
    s->left = (double *)soothi_carve(c, s->candidates, d);
    s->lower = (double *)soothi_carve(c, cells, d);
    s->gram = (double *)soothi_carve(c, cells, d);
    s->right = (double *)soothi_carve(c, s->order, d);
    s->alpha = (double *)soothi_carve(c, s->order, d);
    s->v = (double *)soothi_carve(c, soothi_product(SOOTHI_GAUSS_CHUNK, s->stride), d);
    s->w = (double *)soothi_carve(c, soothi_product(SOOTHI_GAUSS_CHUNK, s->stride), d);
    s->u = (double *)soothi_carve(c, soothi_product(SOOTHI_GAUSS_CHUNK, s->stride), d);
    s->d = (double *)soothi_carve(c, SOOTHI_GAUSS_CHUNK, d);
    s->target = (double *)soothi_carve(c, SOOTHI_GAUSS_CHUNK, d);
    s->work = (double *)soothi_carve(c, soothi_tiles_work(s->stride), d);
}

/* z[column x n + i] = rows list[0..n) of the table, in lengths. */
SOOTHI_LOCAL void soothi_gauss_in_lengths(const soothi_gauss_sparse *s, const uint32_t *list, size_t n) {
    for (size_t j = 0; j < s->cols; ++j)
        for (size_t i = 0; i < n; ++i)
            s->z[j * n + i] = (double)s->table->x[list[i] * s->table->stride + j] * s->steep[j];
}

/* Repeatedly takes the candidate with the largest unexplained variance: Cholesky with pivoting (Fine and
   Scheinberg, JMLR 2, 2001). Stops when less than a millionth of signal remains. */
SOOTHI_LOCAL void soothi_gauss_pick(soothi_gauss_sparse *s) {
    const size_t n = s->candidates;
    double slope;
    soothi_gauss_in_lengths(s, s->candidate, n);
    for (size_t i = 0; i < n; ++i) s->left[i] = s->signal;
    for (s->points = 0; s->points < s->wanted; ++s->points) {
        double *column = s->columns + s->points * n;
        size_t best = 0;
        for (size_t i = 1; i < n; ++i)
            if (s->left[i] > s->left[best]) best = i;
        if (!(s->left[best] > 1e-6 * s->signal)) break;
        const double root = soothi_sqrt(s->left[best]);
        s->chosen[s->points] = s->candidate[best];
        soothi_gauss_distances(s->z, n, s->z + best, n, s->cols, n, column);
        for (size_t i = 0; i < n; ++i)
            column[i] = s->signal * soothi_gauss_curve(s->theta->kernel, column[i], &slope);
        for (size_t k = 0; k < s->points; ++k) {
            const double *before = s->columns + k * n, factor = before[best];
            for (size_t i = 0; i < n; ++i) column[i] -= factor * before[i];
        }
        for (size_t i = 0; i < n; ++i) {
            column[i] /= root;
            s->left[i] -= column[i] * column[i];
        }
        s->left[best] = 0.0;
    }
    s->order = s->points + s->levels + s->slopes;
    soothi_gauss_in_lengths(s, s->chosen, s->points);
}

/* Computes K_uu and factors it. */
SOOTHI_LOCAL int soothi_gauss_between(soothi_gauss_sparse *s) {
    double slope;
    memset(s->lower, 0, s->order * s->stride * sizeof *s->lower);
    for (size_t i = 0; i < s->points; ++i) {
        double *row = s->lower + i * s->stride;
        soothi_gauss_distances(s->z, s->points, s->z + i, s->points, s->cols, i, row);
        for (size_t j = 0; j < i; ++j)
            row[j] = s->signal * soothi_gauss_curve(s->theta->kernel, row[j], &slope);
        row[i] = s->signal;
    }
    for (size_t i = s->points; i < s->order; ++i)
        s->lower[i * s->stride + i] = i < s->points + s->levels ? s->level : s->trend;
    return soothi_tiles_cholesky(s->env, s->lower, s->order, s->stride, s->work);
}

/* Returns column j of a row of the table in lengths, around the centre of the trend. */
SOOTHI_LOCAL double soothi_gauss_tilted(const soothi_gauss_sparse *s, size_t row, size_t j) {
    return ((double)s->table->x[row * s->table->stride + j] - s->centre[j]) * s->steep[j];
}

/* Computes the columns -L^-1 K_uf of 64 rows of the chunk, their D, and -V' / D in w. Rows beyond the table
   are zeros. */
SOOTHI_LOCAL void soothi_gauss_columns(void *arg, size_t task, size_t worker) {
    const soothi_gauss_sparse *s = (const soothi_gauss_sparse *)arg;
    const size_t chunk = SOOTHI_GAUSS_CHUNK, first = task * SOOTHI_TILE, cols = s->cols;
    double slope, *v = s->v + first;
    (void)worker;
    for (size_t r = 0; r < SOOTHI_TILE; ++r) {
        double *u = s->u + (first + r) * s->stride;
        s->target[first + r] = 0.0;
        s->d[first + r] = 1.0;
        for (size_t i = 0; i < s->order; ++i) v[i * chunk + r] = 0.0;
        if (first + r >= s->count) continue;
        const uint32_t row = s->row[s->from + first + r];
        for (size_t i = 0; i < s->points; ++i) u[i] = 0.0;
        for (size_t j = 0; j < cols; ++j) {
            const double x = (double)s->table->x[row * s->table->stride + j] * s->steep[j];
            for (size_t i = 0; i < s->points; ++i)
                u[i] += (s->z[j * s->points + i] - x) * (s->z[j * s->points + i] - x);
        }
        for (size_t i = 0; i < s->points; ++i)
            v[i * chunk + r] = s->signal * soothi_gauss_curve(s->theta->kernel, u[i], &slope);
        for (size_t i = 0; i < s->levels; ++i)
            if (s->list[i] == s->table->group[row]) v[(s->points + i) * chunk + r] = s->level;
        s->target[first + r] = ((double)s->table->y[row] - s->theta->mean) / s->scale;
        s->d[first + r] = s->signal + s->level + s->noise / soothi_gauss_weight(s->table, row);
        for (size_t j = 0; j < s->slopes; ++j) {
            const double t = soothi_gauss_tilted(s, row, j);
            v[(s->points + s->levels + j) * chunk + r] = s->trend * t;
            s->d[first + r] += s->trend * t * t;
        }
    }
    for (size_t at = 0; at < s->order; at += SOOTHI_TILE) {
        const size_t to = at + SOOTHI_TILE < s->order ? at + SOOTHI_TILE : s->order;
        soothi_gemm(soothi_has_avx2(), to - at, SOOTHI_TILE, at, s->lower + at * s->stride, s->stride, 1, v,
                    chunk, v + at * chunk, chunk);
        for (size_t i = at; i < to; ++i) {
            const double *l = s->lower + i * s->stride;
            for (size_t k = at; k < i; ++k)
                for (size_t r = 0; r < SOOTHI_TILE; ++r) v[i * chunk + r] += l[k] * v[k * chunk + r];
            for (size_t r = 0; r < SOOTHI_TILE; ++r) {
                v[i * chunk + r] /= -l[i];
                s->d[first + r] -= v[i * chunk + r] * v[i * chunk + r];
            }
        }
    }
    for (size_t r = 0; r < SOOTHI_TILE; ++r) {
        double *w = s->w + (first + r) * s->stride, *d = s->d + first + r;
        if (first + r < s->count) {
            const double least = s->noise / soothi_gauss_weight(s->table, s->row[s->from + first + r]);
            if (!(*d > least)) *d = least; /* the remaining variance is rounding error */
        }
        for (size_t i = 0; i < s->order; ++i) w[i] = v[i * chunk + r] / *d;
        s->target[first + r] /= *d;
    }
}

/* Adds the chunk to 64 rows of V D^-1 V' and of -V D^-1 y. */
SOOTHI_LOCAL void soothi_gauss_add_chunk(void *arg, size_t task, size_t worker) {
    const soothi_gauss_sparse *s = (const soothi_gauss_sparse *)arg;
    const size_t from = task * SOOTHI_TILE,
                 to = from + SOOTHI_TILE < s->order ? from + SOOTHI_TILE : s->order;
    (void)worker;
    soothi_gemm(soothi_has_avx2(), to - from, (to + 3) & ~(size_t)3, SOOTHI_GAUSS_CHUNK,
                s->v + from * SOOTHI_GAUSS_CHUNK, SOOTHI_GAUSS_CHUNK, 1, s->w, s->stride,
                s->gram + from * s->stride, s->stride);
    for (size_t i = from; i < to; ++i)
        s->right[i] += soothi_dot(s->v + i * SOOTHI_GAUSS_CHUNK, s->target, s->count);
}

/* Computes F and alpha. */
SOOTHI_LOCAL sooth_status soothi_gauss_gather(soothi_gauss_sparse *s) {
    const char *what = "the inducing points of a Gaussian process";
    int definite = soothi_gauss_between(s);
    memset(s->gram, 0, s->order * s->stride * sizeof *s->gram);
    memset(s->w, 0, SOOTHI_GAUSS_CHUNK * s->stride * sizeof *s->w);
    for (size_t i = 0; i < s->order; ++i) {
        s->gram[i * s->stride + i] = 1.0;
        s->right[i] = 0.0;
    }
    for (s->from = 0; definite && s->from < s->used; s->from += SOOTHI_GAUSS_CHUNK) {
        sooth_status status = soothi_progress(s->env, what, (double)s->from / (double)s->used);
        if (status != SOOTH_OK) return status;
        s->count = s->used - s->from < SOOTHI_GAUSS_CHUNK ? s->used - s->from : (size_t)SOOTHI_GAUSS_CHUNK;
        soothi_parallel(s->env, (size_t)SOOTHI_GAUSS_CHUNK / SOOTHI_TILE, soothi_gauss_columns, s);
        soothi_parallel(s->env, (s->order + SOOTHI_TILE - 1) / SOOTHI_TILE, soothi_gauss_add_chunk, s);
    }
    definite = definite && soothi_tiles_cholesky(s->env, s->gram, s->order, s->stride, s->work);
    if (!definite)
        return sooth_fail(
            s->env, SOOTH_NOT_CONVERGED,
            "the covariance of %z inducing points is not positive definite; increase the noise, which is %G",
            s->points, s->theta->noise);
    soothi_gauss_solve(s->gram, s->order, s->stride, s->right, s->alpha);
    for (size_t i = s->order; i-- > 0;) {
        const double *l = s->lower + i * s->stride;
        s->alpha[i] /= l[i];
        for (size_t k = 0; k < i; ++k) s->alpha[k] -= l[k] * s->alpha[i];
    }
    for (size_t i = 0; i < s->order; ++i) s->alpha[i] = -s->alpha[i];
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_gauss_finish(soothi_gauss_sparse *s, const sooth_gauss_options *o,
                                              sooth_gauss **model) {
    soothi_gauss_parts p;
    memset(&p, 0, sizeof p);
    p.theta = s->theta;
    p.x = s->table->x;
    p.x_stride = s->table->stride;
    p.points = s->points;
    p.cols = s->cols;
    p.levels = s->levels;
    p.order = s->order;
    p.row = s->chosen;
    p.group = s->list;
    p.alpha = s->alpha;
    for (size_t i = 0; i < s->levels; ++i) s->alpha[s->points + i] *= s->level;
    p.level = s->alpha + s->points;
    memcpy(p.centre, s->centre, sizeof p.centre);
    for (size_t j = 0; j < s->slopes; ++j) p.slope[j] = s->trend * s->alpha[s->points + s->levels + j];
    p.factor[0] = s->lower;
    p.factor[1] = s->gram;
    p.stride = s->stride;
    p.inducing = 1;
    p.factors = o->no_deviation ? 0 : 2;
    p.scale = s->scale;
    return soothi_gauss_make(s->env, &p, model);
}

/* Like soothi_gauss_exact_off, at most 512 of the candidates. */
SOOTHI_LOCAL double soothi_gauss_sparse_off(const soothi_gauss_sparse *s, const sooth_gauss *model) {
    const size_t n = s->candidates < 512 ? s->candidates : 512;
    double squares = 0.0, slope;
    for (size_t i = 0; i < n; ++i) {
        const size_t row = s->candidate[i];
        double sum = s->theta->mean / s->scale;
        for (size_t k = 0; k < s->points; ++k) {
            double u = 0.0;
            for (size_t j = 0; j < s->cols; ++j) {
                const double d =
                    s->z[j * s->points + k] - (double)s->table->x[row * s->table->stride + j] * s->steep[j];
                u += d * d;
            }
            sum += s->alpha[k] * s->signal * soothi_gauss_curve(s->theta->kernel, u, &slope);
        }
        for (size_t j = 0; j < s->slopes; ++j)
            sum += s->trend * s->alpha[s->points + s->levels + j] * soothi_gauss_tilted(s, row, j);
        sum -= (double)sooth_gauss_predict(model, s->table->x + row * s->table->stride) / s->scale;
        squares += sum * sum / soothi_gauss_allowed(s->theta, s->scale, soothi_gauss_weight(s->table, row));
    }
    return soothi_sqrt(squares / (double)n);
}

/* Computes the centre of the trend: the weighted means of the columns, as the model holds them. */
SOOTHI_LOCAL void soothi_gauss_centre_columns(soothi_gauss_sparse *s) {
    for (size_t j = 0; j < s->slopes; ++j) {
        double sum = 0.0, weights = 0.0;
        for (size_t i = 0; i < s->used; ++i) {
            const double weight = soothi_gauss_weight(s->table, s->row[i]);
            sum += weight * (double)s->table->x[s->row[i] * s->table->stride + j];
            weights += weight;
        }
        s->centre[j] = (double)(float)(sum / weights);
    }
}

SOOTHI_LOCAL sooth_status soothi_gauss_sparse_fit(soothi_gauss_sparse *s, const sooth_gauss_options *o,
                                                  double *off, sooth_gauss **model) {
    sooth_rng rng;
    size_t n = 0;
    sooth_status status;
    for (size_t j = 0; j < s->cols; ++j) s->steep[j] = 1.0 / s->theta->length[s->theta->lengths > 1 ? j : 0];
    for (size_t i = 0; i < s->table->rows; ++i)
        if (soothi_gauss_weight(s->table, i) > 0.0) s->row[n++] = (uint32_t)i;
    soothi_gauss_centre_columns(s);
    memcpy(s->candidate, s->row, n * sizeof *s->row);
    sooth_rng_init(&rng, o->seed, 1);
    sooth_rng_shuffle(&rng, s->candidate, n);
    soothi_gauss_pick(s);
    status = soothi_gauss_gather(s);
    if (status == SOOTH_OK) status = soothi_gauss_finish(s, o, model);
    if (status == SOOTH_OK) *off = soothi_gauss_sparse_off(s, *model);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_gauss_inducing(sooth_env *env, const sooth_table *table,
                                                const sooth_gauss_options *o,
                                                const sooth_gauss_parameters *theta, double *off,
                                                sooth_gauss **model) {
    soothi_gauss_sparse s;
    soothi_gauss_levelling levels;
    soothi_carver c = {NULL, 0};
    void *memory;
    sooth_status status = soothi_gauss_level_rows(env, &levels, theta, table->group, table->rows);
    if (status != SOOTH_OK) return status;
    memset(&s, 0, sizeof s);
    s.env = env;
    s.table = table;
    s.theta = theta;
    s.scale = soothi_gauss_unit(theta);
    s.signal = theta->signal / (s.scale * s.scale);
    s.noise = theta->noise / (s.scale * s.scale);
    s.level = theta->level / (s.scale * s.scale);
    s.trend = theta->trend / (s.scale * s.scale);
    s.slopes = theta->trend > 0.0 ? table->cols : 0;
    s.cols = table->cols;
    s.used = soothi_gauss_used(table);
    s.wanted = o->inducing < o->max_points ? o->inducing : o->max_points;
    s.candidates = 2 * s.wanted > SOOTHI_GAUSS_CANDIDATES ? 2 * s.wanted : (size_t)SOOTHI_GAUSS_CANDIDATES;
    if (s.candidates > s.used) s.candidates = s.used;
    s.levels = levels.count;
    s.list = levels.list;
    s.order = s.wanted + s.levels + s.slopes;
    s.stride = (s.order + 3) & ~(size_t)3;
    if (s.levels > SOOTH_GAUSS_MAX_POINTS) {
        status = sooth_fail(env, SOOTH_BAD_DATA,
                            "the table has %z groups and more than max_points rows, where at most %u groups "
                            "can have levels; set no_level=1",
                            s.levels, (uint32_t)SOOTH_GAUSS_MAX_POINTS);
    } else {
        soothi_gauss_carve_sparse(&c, &s);
        const size_t bytes = c.used;
        memory = sooth_alloc(env, bytes, 1);
        c.memory = (unsigned char *)memory;
        c.used = 0;
        if (memory) soothi_gauss_carve_sparse(&c, &s);
        status = memory ? soothi_gauss_sparse_fit(&s, o, off, model)
                        : sooth_no_memory(env, "the inducing points of a Gaussian process", bytes);
        sooth_free(env, memory, bytes, 1);
    }
    sooth_free(env, levels.memory, levels.bytes, 1);
    return status;
}

SOOTH_API sooth_status sooth_gauss_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_gauss_options *options, sooth_gauss **model) {
    sooth_gauss_parameters theta;
    sooth_gauss_options o = soothi_gauss_filled(options);
    const int given = o.parameters != NULL || o.noise > 0.0;
    sooth_status status = sooth_gauss_check_options(env, table, options);
    *model = NULL;
    if (status == SOOTH_OK && !table) status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (o.independent)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "independent is 1, but a model holds one process; sooth_gauss_fit_parameters accepts several");
    if (o.parameters) theta = *o.parameters;
    else status = sooth_gauss_fit_parameters(env, table, options, &theta);
    if (status != SOOTH_OK) return status;
    if (!table->group) theta.level = 0.0;
    o.parameters = &theta;
    for (;;) {
        double off = 0.0;
        status = soothi_gauss_used(table) > o.max_points
                     ? soothi_gauss_inducing(env, table, &o, &theta, &off, model)
                     : soothi_gauss_exact(env, table, &o, &theta, &off, model);
        if (status != SOOTH_OK || off <= 1.0) return status;
        sooth_gauss_free(env, *model);
        *model = NULL;
        if (given || !(theta.noise < 10.0 * theta.signal))
            return sooth_fail(env, SOOTH_NOT_CONVERGED,
                              "predictions in floats are off by %g deviations of the noise, whose variance "
                              "is %G with a signal of %G; increase the noise",
                              off, theta.noise, theta.signal);
        theta.noise *= 4.0;
    }
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
