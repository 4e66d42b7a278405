/* linear.h - linear regression with rank, errors, intervals; ridge, products, non-negative, Huber, recursive.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * y = b0 + b1 x1 + ... + bp xp, with the b that minimise the sum of squared errors. The fit detects columns
 * that other columns already explain, and reports these aliased columns. With `products` there are also terms
 * b_jk x_j x_k, fitted by ridge (linear/products.h).
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/linear.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4, 5}, y[] = {2.1f, 3.9f, 6.2f, 7.8f, 10.1f};  // threads, watts
 *         sooth_table table = sooth_table_of(x, y, 5, 1);
 *         sooth_linear *model;
 *         double low, high;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_linear_fit(&env, &table, NULL, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_linear_interval(model, x, 0, 0.95, 1, &low, &high);
 *         printf("%.2f W\n", sooth_linear_predict(model, x));            //> 2.04 W
 *         printf("next time %.2f to %.2f W\n", low, high);  //> next time 1.28 to 2.80 W
 *         sooth_linear_free(&env, model);
 *         return 0;
 *     }
 *
 * Method and references
 *
 * The rows are reflected into a triangle as they arrive (base/solve.h), so any number of rows takes O(p^2)
 * memory and one pass. The triangle is then factored with column pivoting, which finds aliased columns. Of
 * all coefficients that fit equally well, the fit returns those of minimal norm, like LAPACK's gelsd. This
 * includes tables with fewer rows than columns.
 *
 * Cost
 *
 * For n rows, p columns, T targets (q = p + 1, w = q + T):
 *   fit      2 n w^2 multiply-adds, and up to four passes of 40 n q more if the columns are nearly
 *            dependent (condition above 1,000), to keep the digits; scratch about
 *            8 (w^2 / 2 + 128 w + q (3 q + 3 T)) bytes, Huber 24 n more
 *   predict  p multiply-adds, no allocation, no double; p and two more per product
 *   model    16 bytes per coefficient, and 8 q^2 for the intervals unless no_statistics is set; 8 per product
 */
#if !defined(SOOTH_LINEAR_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_LINEAR_IMPLEMENTED))
#include "base/reduce.h"
#include "base/solve.h"
#include "base.h"
#endif

#ifndef SOOTH_LINEAR_H
#define SOOTH_LINEAR_H

SOOTHI_C_BEGIN

#define SOOTH_LINEAR_VERSION 2 /* with products; 1 otherwise */
#define SOOTH_LINEAR_MAX_PRODUCT_COLUMNS 64

/* The block: this struct, then as words float offset[targets], mean[features], slope[targets x features],
   uint32_t rank_of[features + 1], then as doubles intercept[targets], coefficient[targets x features]. With
   statistics and q = features + 1: sigma[targets], r2[targets], root[q x q] with covariance = sigma^2 root
   root', row j for column j. rank_of is the rank of the column among the independent ones, counted from 1,
   plus 2^31 if aliased columns depend on it. 0 means aliased. The last element belongs to the intercept.

   Version 2 has products. After rank_of follow the words float scale[features], uint32_t pair[products],
   float product[targets x products]. Statistics are 0. A pair is 65536 j + k with j <= k. */
typedef struct sooth_linear {
    sooth_block head;
    uint32_t method;     /* a sooth_linear_method */
    uint32_t rank;       /* independent columns, the intercept included */
    uint32_t rows;       /* with weights above 0 */
    uint32_t intercept;  /* 1 or 0 */
    uint32_t statistics; /* 1 or 0 */
    uint32_t iterations; /* of the Huber or non-negative method */
    uint32_t products;   /* number of products of two columns */
    uint32_t reserved;
} sooth_linear;

/* Returns 1 if bytes[0..size) are a valid model. Then no function below reads outside of it. A checked model
   may come from anyone. */
SOOTH_API int sooth_linear_check(const void *bytes, size_t size);

/* Returns the first target's prediction for a row of head.features floats: offset + sum slope_j (x_j -
   mean_j) + sum product_jk z_j z_k with z_j = (x_j - mean_j) scale_j. This form keeps digits that large means
   would cost. predict_many computes all targets, out[i *
   targets + t], for rows `stride` floats after each other. */
SOOTH_API float sooth_linear_predict(const sooth_linear *model, const float *row);
SOOTH_API void sooth_linear_predict_many(const sooth_linear *model, const float *x, size_t rows,
                                         size_t stride, float *out);

/* Returns the cost of a prediction: features x targets multiply-adds; with products, features and 2 products
   x targets more. */
SOOTH_API sooth_cost sooth_linear_cost(const sooth_linear *model);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_linear_method {
    SOOTH_LINEAR_LEAST_SQUARES = 0,
    SOOTH_LINEAR_RIDGE,        /* + lambda sum b_j^2, without the intercept */
    SOOTH_LINEAR_NON_NEGATIVE, /* all b_j >= 0, except the intercept (Lawson and Hanson 1974, chapter 23) */
    /* errors beyond huber_delta sigma count linearly; sigma from the median absolute error (as in R's
       MASS::rlm) */
    SOOTH_LINEAR_HUBER
} sooth_linear_method;

typedef struct sooth_linear_options {
    uint32_t method;        /* a sooth_linear_method */
    uint32_t no_intercept;  /* 1: the plane goes through the origin */
    uint32_t no_statistics; /* 1: keep coefficients only */
    uint32_t max_iter;      /* of the Huber method; 0 means 100 */
    uint32_t products;      /* 1: also squares and products of two columns, with ridge (linear/products.h) */
    double lambda;          /* of ridge */
    double huber_delta;     /* 0 means 1.345, which costs 5 % efficiency for normal errors */
    /* a column is aliased if its independent part is below this fraction of its length; 0 means 1e-13 */
    double tolerance;
} sooth_linear_options;

/* Fits the model to a table with targets. There may be fewer rows than columns; the rank shows how much was
   determined. Missing values are rejected. The ridge, non-negative and Huber methods compute only sigma and
   r2. Their intervals treat the chosen columns or weights as given. env->loss_fn is called after every step
   of the Huber method, with its mean loss over the rows.
   With env->reduce_fn the table holds the rows of this process, at least one. Every process gets the model
   that one process with all rows gets. The Huber method is then rejected, because it needs medians. So are
   products. */
SOOTH_API sooth_status sooth_linear_fit(sooth_env *env, const sooth_table *table,
                                        const sooth_linear_options *options, sooth_linear **model);

/* Like sooth_linear_fit, from rows that arrive in blocks. The model has the same bits as for the table in
   memory, in O(p^2) memory. It takes one pass through the source. Nearly dependent columns need up to four
   more passes per target. Weights or large values need one more, to rule out overflow. The Huber method and
   products, which need all rows at once, and env->reduce_fn are rejected. */
SOOTH_API sooth_status sooth_linear_fit_source(sooth_env *env, const sooth_source *source,
                                               const sooth_linear_options *options, sooth_linear **model);

/* Frees a model returned by a fit. NULL is allowed. */
SOOTH_API void sooth_linear_free(sooth_env *env, sooth_linear *model);

/* Returns names, ranges and defaults of the options. The second function checks options for a table. */
SOOTH_API sooth_option_list sooth_linear_options_list(void);
SOOTH_API sooth_status sooth_linear_check_options(sooth_env *env, const sooth_table *table,
                                                  const sooth_linear_options *options);

/* Return the bytes of the model, and of the scratch that fitting allocates in one piece before it, for tables
   of this shape. An arena of their sum plus 32 is enough. rows matters for Huber and products only. With
   products both are bounds, of a model that keeps all products. */
SOOTH_API size_t sooth_linear_size(const sooth_linear_options *options, size_t cols, size_t targets);
SOOTH_API size_t sooth_linear_scratch_size(const sooth_linear_options *options, size_t rows, size_t cols,
                                           size_t targets);

/* ---- statistics of the fit ---- */

/* Returns a coefficient. Column head.features is the intercept. With products the plane is meant that the
   model has where all columns are at their mean. */
SOOTH_API double sooth_linear_coefficient(const sooth_linear *model, size_t target, size_t column);

/* Returns 1 if other columns determine this one. Its coefficient is then a part of their joint effect, which
   the rows cannot separate. */
SOOTH_API int sooth_linear_aliased(const sooth_linear *model, size_t column);

/* The statistics of one target. */
typedef struct sooth_linear_summary {
    double sigma;       /* residual standard error */
    double r2;          /* 1 - SSE / SST; SST around the mean with an intercept, around 0 without */
    double adjusted_r2; /* 1 - (SSE / freedom) / (SST / (rows - intercept)) */
    double f;           /* F statistic against the intercept alone (or nothing), and its p-value */
    double f_p;
    double condition; /* of the independent columns, each scaled to length 1 */
    size_t freedom;   /* rows - rank */
} sooth_linear_summary;

/* Fills the summary of a target (from 0). Values are NaN without statistics or degrees of freedom.
   With products there are no statistics. Returns SOOTH_BAD_ARGUMENT if the model has no such target. */
SOOTH_API sooth_status sooth_linear_summarise(sooth_env *env, const sooth_linear *model, size_t target,
                                              sooth_linear_summary *summary);

/* Returns the standard error of a coefficient. It is NaN if the column is aliased, has aliased columns
   depending on it, or is unknown. t = coefficient / error; p = 2 sooth_t_cdf(-|t|, freedom). */
SOOTH_API double sooth_linear_standard_error(const sooth_linear *model, size_t target, size_t column);

/* Computes the interval of the mean at this row, or with new_run = 1 of a new measurement there, 0 <
   level < 1. NaN without statistics. */
SOOTH_API void sooth_linear_interval(const sooth_linear *model, const float *row, size_t target, double level,
                                     int new_run, double *low, double *high);

/* ---- recursive least squares ---- */

/* Learns one row at a time in fixed memory. Stores the triangle of all rows so far, whose weights fall by the
   factor `forgetting` per step (exponentially weighted least squares). This is the square-root form. It uses
   only orthogonal rotations, so the triangle stays definite, unlike with the usual covariance update.
   Forgetting makes the uncertainty grow without bound in directions without new data (wind-up). If a diagonal
   element falls below min_diagonal, an extra row restores it and confirms the current coefficient. */
typedef struct sooth_rls {
    uint32_t cols;     /* features, without the intercept */
    uint32_t steps;    /* rows learned, at most 2^32 - 1 */
    double forgetting; /* root of the factor */
    double min_diagonal;
    double *triangle;    /* of width cols + 2, by rows */
    double *row;         /* scratch of that width */
    double *coefficient; /* cols + 1, the intercept last */
} sooth_rls;

typedef struct sooth_rls_options {
    double forgetting; /* in (0, 1]; 1 means none, and 0 means 1 */
    /* min diagonal element; 0 means 1e-3. It acts as a prior that every coefficient is 0 with standard
       deviation sigma / min_diagonal */
    double min_diagonal;
} sooth_rls_options;

/* Returns the bytes of a learner of `cols` features. */
SOOTH_API size_t sooth_rls_size(size_t cols);

/* Makes a learner at the start of memory, which is 16-byte aligned like malloc's. options NULL means the
   defaults. Returns SOOTH_NO_MEMORY if size is below sooth_rls_size. */
SOOTH_API sooth_status sooth_rls_init(sooth_env *env, const sooth_rls_options *options, size_t cols,
                                      void *memory, size_t size, sooth_rls **rls);

/* Learns from one row. Ignores it and returns SOOTH_BAD_DATA if a value is not finite. O(cols^2). */
SOOTH_API sooth_status sooth_rls_update(sooth_rls *rls, const float *row, float y);
SOOTH_API double sooth_rls_predict(const sooth_rls *rls, const float *row);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_LINEAR_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_LINEAR_IMPLEMENTED)
#define SOOTH_LINEAR_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- layout ---- */

SOOTHI_LOCAL const float *soothi_linear_offset(const sooth_linear *m) {
    return (const float *)(const void *)(m + 1);
}
SOOTHI_LOCAL const float *soothi_linear_mean(const sooth_linear *m) {
    return soothi_linear_offset(m) + m->head.targets;
}
SOOTHI_LOCAL const float *soothi_linear_slope(const sooth_linear *m) {
    return soothi_linear_mean(m) + m->head.features;
}

SOOTHI_LOCAL const uint32_t *soothi_linear_rank_of(const sooth_linear *m) {
    return (const uint32_t *)(const void *)(soothi_linear_slope(m) +
                                            (size_t)m->head.targets * m->head.features);
}
SOOTHI_LOCAL const float *soothi_linear_scale(const sooth_linear *m) {
    return (const float *)(const void *)(soothi_linear_rank_of(m) + m->head.features + 1);
}
SOOTHI_LOCAL const uint32_t *soothi_linear_pair(const sooth_linear *m) {
    return (const uint32_t *)(const void *)(soothi_linear_scale(m) + m->head.features);
}
SOOTHI_LOCAL const float *soothi_linear_product(const sooth_linear *m) {
    return (const float *)(const void *)(soothi_linear_pair(m) + m->products);
}

/* Computes the bytes of the regions of words and doubles. */
SOOTHI_LOCAL void soothi_linear_regions(uint64_t cols, uint64_t targets, uint64_t products, int statistics,
                                        uint64_t *words, uint64_t *doubles) {
    *words = sizeof(sooth_linear) + 4 * (targets + cols + targets * cols + cols + 1);
    *doubles = 8 * (targets + targets * cols + (statistics ? 2 * targets + (cols + 1) * (cols + 1) + 1 : 0));
    if (products) *words += 4 * (cols + products + targets * products);
}

/* Returns 1 if the pairs name columns, in a version that may have them. */
SOOTHI_LOCAL int soothi_linear_pairs_check(const sooth_linear *m) {
    const uint32_t *pair = soothi_linear_pair(m);
    for (uint32_t k = 0; k < m->products; ++k)
        if (pair[k] >> 16 > (pair[k] & 0xFFFFu) || (pair[k] & 0xFFFFu) >= m->head.features) return 0;
    return 1;
}

SOOTH_API int sooth_linear_check(const void *bytes, size_t size) {
    const sooth_linear *m = (const sooth_linear *)bytes;
    uint64_t words, doubles;
    const int second = sooth_block_check(bytes, size, SOOTH_KIND_LINEAR, SOOTH_LINEAR_VERSION);
    if ((!second && !sooth_block_check(bytes, size, SOOTH_KIND_LINEAR, 1)) || m->head.size < sizeof *m)
        return 0;
    if (second != (m->products > 0)) return 0;
    if (second &&
        (m->head.features > SOOTH_LINEAR_MAX_PRODUCT_COLUMNS || m->statistics ||
         m->products > SOOTH_LINEAR_MAX_PRODUCT_COLUMNS * (SOOTH_LINEAR_MAX_PRODUCT_COLUMNS + 1) / 2))
        return 0;
    if (m->head.features == 0 || m->head.targets == 0 || m->statistics > 1 || m->intercept > 1 ||
        m->head.features > 0x10000000u || m->head.targets > 0x10000000u || m->rank > m->head.features + 1u)
        return 0;
    soothi_linear_regions(m->head.features, m->head.targets, m->products, (int)m->statistics, &words,
                          &doubles);
    return m->head.doubles_at == ((words + 15u) & ~(uint64_t)15u) &&
           m->head.bytes_at - m->head.doubles_at == ((doubles + 15u) & ~(uint64_t)15u) &&
           m->head.size == m->head.bytes_at && soothi_linear_pairs_check(m);
}

/* ---- predicting ---- */

/* Four lanes, combined in pairs: the same bits with and without vectors. */
SOOTHI_HOT float soothi_linear_one(const float *slope, const float *mean, const float *row, size_t cols) {
#if SOOTHI_VECTORS /* explicit: gcc widens plain loops with -march=native, at half the speed */
    soothi_4f sum = soothi_4f_splat(0.0f);
    for (; cols >= 4; cols -= 4, slope += 4, row += 4, mean += 4)
        sum = soothi_4f_add(sum, soothi_4f_mul(soothi_4f_load(slope),
                                               soothi_4f_sub(soothi_4f_load(row), soothi_4f_load(mean))));
    if (cols)
        sum = soothi_4f_add(
            sum, soothi_4f_mul(soothi_4f_part(slope, cols),
                               soothi_4f_sub(soothi_4f_part(row, cols), soothi_4f_part(mean, cols))));
    return soothi_4f_sum(sum);
#else
    float lane[4] = {0, 0, 0, 0};
    for (size_t j = 0; j < cols; ++j) lane[j & 3] += slope[j] * (row[j] - mean[j]);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
#endif
}

/* z[j] = (x_j - mean_j) scale_j */
SOOTHI_LOCAL void soothi_linear_standardise(const sooth_linear *m, const float *row, float *z) {
    const float *mean = soothi_linear_mean(m), *scale = soothi_linear_scale(m);
    for (uint32_t j = 0; j < m->head.features; ++j) z[j] = (row[j] - mean[j]) * scale[j];
}

/* Four lanes, as above. */
SOOTHI_HOT float soothi_linear_add_products(const sooth_linear *m, size_t t, const float *z) {
    const float *product = soothi_linear_product(m) + t * m->products;
    const uint32_t *pair = soothi_linear_pair(m);
    float lane[4] = {0, 0, 0, 0};
    for (uint32_t k = 0; k < m->products; ++k)
        lane[k & 3] += product[k] * (z[pair[k] >> 16] * z[pair[k] & 0xFFFFu]);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

SOOTH_API float sooth_linear_predict(const sooth_linear *model, const float *row) {
    float z[SOOTH_LINEAR_MAX_PRODUCT_COLUMNS];
    const float plane =
        soothi_linear_offset(model)[0] +
        soothi_linear_one(soothi_linear_slope(model), soothi_linear_mean(model), row, model->head.features);
    if (!model->products) return plane;
    soothi_linear_standardise(model, row, z);
    return plane + soothi_linear_add_products(model, 0, z);
}

SOOTH_API void sooth_linear_predict_many(const sooth_linear *model, const float *x, size_t rows,
                                         size_t stride, float *out) {
    const size_t cols = model->head.features, targets = model->head.targets;
    float z[SOOTH_LINEAR_MAX_PRODUCT_COLUMNS];
    for (size_t i = 0; i < rows; ++i) {
        if (model->products) soothi_linear_standardise(model, x + i * stride, z);
        for (size_t t = 0; t < targets; ++t) {
            float *y = out + i * targets + t;
            *y = soothi_linear_offset(model)[t] + soothi_linear_one(soothi_linear_slope(model) + t * cols,
                                                                    soothi_linear_mean(model), x + i * stride,
                                                                    cols);
            if (model->products) *y += soothi_linear_add_products(model, t, z);
        }
    }
}

SOOTH_API sooth_cost sooth_linear_cost(const sooth_linear *model) {
    const uint32_t more =
        model->products ? model->head.features + 2 * model->products * model->head.targets : 0;
    const sooth_cost cost = {model->head.size, 0, model->head.features * model->head.targets + more, 0};
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- layout of the doubles ---- */

SOOTHI_LOCAL const double *soothi_linear_intercept(const sooth_linear *m) {
    return (const double *)(const void *)((const unsigned char *)m + m->head.doubles_at);
}
SOOTHI_LOCAL const double *soothi_linear_coefficients(const sooth_linear *m) {
    return soothi_linear_intercept(m) + m->head.targets;
}
SOOTHI_LOCAL const double *soothi_linear_sigma(const sooth_linear *m) {
    return soothi_linear_coefficients(m) + (size_t)m->head.targets * m->head.features;
}
SOOTHI_LOCAL const double *soothi_linear_r2(const sooth_linear *m) {
    return soothi_linear_sigma(m) + m->head.targets;
}
SOOTHI_LOCAL const double *soothi_linear_root(const sooth_linear *m) {
    return soothi_linear_r2(m) + m->head.targets;
}

/* ---- fitting ---- */

#define SOOTHI_LINEAR_SHARED 0x80000000u /* of rank_of */

enum { SOOTHI_LINEAR_ROWS = 128 }; /* reflected at a time; with a dozen columns they fit in L1 */

/* State of a fit. Internal columns: the intercept first if there is one, then the features, then the
   targets. */
typedef struct soothi_linear_job {
    sooth_env *env;
    sooth_linear_options options; /* resolved */
    const sooth_table *table;     /* the rows, or the current block of rows; or NULL and */
    const double *x, *y, *weight; /* these; weight NULL: every row counts once */
    soothi_source_pass *pass;     /* pass through the source of the blocks; NULL: all rows are in memory */
    size_t rows, cols, targets;
    size_t constant;          /* 1 with an intercept */
    size_t q, width;          /* constant + cols; q + targets */
    uint64_t used;            /* rows with a weight above 0, in all processes */
    double *block, *triangle; /* the state of a pass over the rows: see soothi_linear_stream */
    double *rows_of;          /* buffer of rows for a triangle; NULL: there is one block of rows */
    double *a, *copy;         /* q x (q + targets) each, by columns */
    double *length;           /* of each column */
    double *solution;         /* q x targets */
    double *condition_work;
    double *residual, *robust, *sorted; /* Huber: per row */
    double *columns, *wanted;           /* non-negative: q x q by columns, q */
    uint32_t *order, *passive;          /* q each; passive: for non-negative */
    size_t rank;
    double condition; /* of R */
    uint32_t iterations;
} soothi_linear_job;

/* Assigns memory to the arrays, or only counts the bytes if it is NULL. */
SOOTHI_LOCAL size_t soothi_linear_lay_out(soothi_linear_job *job, void *memory) {
    const uint32_t method = job->options.method;
    const size_t constant = !job->options.no_intercept, q = job->cols + constant, w = q + job->targets,
                 square = soothi_product(q, q), all = soothi_product(q, w), word = sizeof(double);
    soothi_carver c = {(unsigned char *)memory, 0};
    job->constant = constant;
    job->q = q;
    job->width = w;
    const int several = job->pass || job->rows > SOOTHI_FOLD_ROWS || soothi_ranks(job->env) > 1;
    const size_t state = soothi_product(w, SOOTHI_LINEAR_ROWS) + soothi_product(w, w + 1) / 2 + 1;
    job->block = (double *)soothi_carve(&c, soothi_product(several ? 2 : 1, state), word);
    job->triangle = job->block ? job->block + w * SOOTHI_LINEAR_ROWS : NULL;
    job->rows_of = several ? (double *)soothi_carve(&c, soothi_product(w, SOOTHI_LINEAR_ROWS), word) : NULL;
    job->a = (double *)soothi_carve(&c, all, word);
    job->copy = (double *)soothi_carve(&c, all, word);
    job->condition_work = (double *)soothi_carve(&c, soothi_condition_work(q), word);
    job->length = (double *)soothi_carve(&c, q, word);
    job->solution = (double *)soothi_carve(&c, soothi_product(q, job->targets), word);
    job->order = (uint32_t *)soothi_carve(&c, q, sizeof(uint32_t));
    if (method == SOOTH_LINEAR_HUBER) {
        job->residual = (double *)soothi_carve(&c, job->rows, word);
        job->robust = (double *)soothi_carve(&c, job->rows, word);
        job->sorted = (double *)soothi_carve(&c, job->rows, word);
    }
    if (method == SOOTH_LINEAR_NON_NEGATIVE) {
        job->columns = (double *)soothi_carve(&c, square, word);
        job->wanted = (double *)soothi_carve(&c, q, word);
        job->passive = (uint32_t *)soothi_carve(&c, q, sizeof(uint32_t));
    }
    return c.used;
}

/* With products=1: see linear/products.h. */
SOOTHI_LOCAL size_t soothi_products_scratch(size_t rows, size_t cols, size_t targets);
SOOTHI_LOCAL sooth_status soothi_products_fit(soothi_linear_job *job, sooth_linear **model);

SOOTH_API size_t sooth_linear_scratch_size(const sooth_linear_options *options, size_t rows, size_t cols,
                                           size_t targets) {
    soothi_linear_job job;
    memset(&job, 0, sizeof job);
    if (options) job.options = *options;
    job.rows = rows;
    job.cols = cols;
    job.targets = targets;
    return job.options.products ? soothi_products_scratch(rows, cols, targets)
                                : soothi_linear_lay_out(&job, NULL);
}

SOOTH_API size_t sooth_linear_size(const sooth_linear_options *options, size_t cols, size_t targets) {
    uint64_t words, doubles;
    const int products = options && options->products;
    soothi_linear_regions(cols, targets, products ? (uint64_t)cols * (cols + 1) / 2 : 0,
                          !products && !(options && options->no_statistics), &words, &doubles);
    return soothi_round16((size_t)words) + soothi_round16((size_t)doubles);
}

SOOTHI_LOCAL double soothi_linear_weight(const soothi_linear_job *job, size_t i) {
    if (job->table) return job->table->weight ? (double)job->table->weight[i] : 1.0;
    return job->weight ? job->weight[i] : 1.0;
}

/* A pass over the rows. Its state is the block (SOOTHI_LINEAR_ROWS rows by columns), the triangle, and the
   number of rows in the block. */
typedef struct soothi_linear_pass {
    soothi_linear_job *job;
    const double *robust; /* additional weights, or NULL */
    const double *b;      /* refining: the solution, */
    size_t t;             /* and its target */
} soothi_linear_pass;

/* Reflects the rows of the block into the triangle. */
SOOTHI_LOCAL void soothi_linear_flush(const soothi_linear_job *job, double *block) {
    const size_t w = job->width, S = SOOTHI_LINEAR_ROWS;
    double *triangle = block + w * S, *count = triangle + w * (w + 1) / 2;
    size_t n = (size_t)*count;
    for (; n % 4; ++n)
        for (size_t j = 0; j < w; ++j) block[j * S + n] = 0.0;
    soothi_triangle_add(triangle, w, block, S, n);
    *count = 0.0;
}

/* Copies `some` rows from row i to the block at `to`, column by column, where a column is contiguous. */
SOOTHI_LOCAL void soothi_linear_copy_rows(const soothi_linear_job *job, size_t i, size_t some, double *to) {
    const size_t S = SOOTHI_LINEAR_ROWS, T = job->targets,
                 stride = job->table ? job->table->stride : job->cols;
    if (job->constant) {
        for (size_t k = 0; k < some; ++k) to[k] = 1.0;
        to += S;
    }
    if (job->table) {
        const float *x = job->table->x + i * stride, *y = job->table->y + i * T;
        for (size_t j = 0; j < job->cols; ++j, to += S)
            for (size_t k = 0; k < some; ++k) to[k] = (double)x[k * stride + j];
        for (size_t t = 0; t < T; ++t, to += S)
            for (size_t k = 0; k < some; ++k) to[k] = (double)y[k * T + t];
    } else {
        const double *x = job->x + i * stride, *y = job->y + i * T;
        for (size_t j = 0; j < job->cols; ++j, to += S)
            for (size_t k = 0; k < some; ++k) to[k] = x[k * stride + j];
        for (size_t t = 0; t < T; ++t, to += S)
            for (size_t k = 0; k < some; ++k) to[k] = y[k * T + t];
    }
}

/* Adds rows times the root of their weight, and times the root of their robust weight if given. */
static void soothi_linear_add_rows(void *arg, double *block, size_t first, size_t count) {
    const soothi_linear_pass *pass = (const soothi_linear_pass *)arg;
    const soothi_linear_job *job = pass->job;
    const double *robust = pass->robust;
    const size_t S = SOOTHI_LINEAR_ROWS, end = first + count;
    double *filled = block + job->width * S + job->width * (job->width + 1) / 2;
    const int weighted = robust || job->weight || (job->table && job->table->weight);
    size_t n = (size_t)*filled;
    for (size_t i = first, some; i < end; i += some) {
        some = weighted ? 1 : end - i < S - n ? end - i : S - n;
        soothi_linear_copy_rows(job, i, some, block + n);
        if (weighted) {
            double w = soothi_linear_weight(job, i) * (robust ? robust[i] : 1.0);
            if (!(w > 0.0)) continue;
            w = soothi_sqrt(w);
            for (size_t j = 0; j < job->width; ++j) block[j * S + n] *= w;
        }
        if (job->pass) pass->job->used += some;
        n += some;
        if (n == S) {
            *filled = (double)n;
            soothi_linear_flush(job, block);
            n = 0;
        }
    }
    *filled = (double)n;
}

/* Adds a triangle and the rows of its block to another triangle. */
static void soothi_linear_join_rows(void *arg, double *total, const double *block) {
    const soothi_linear_job *job = ((const soothi_linear_pass *)arg)->job;
    const size_t w = job->width, S = SOOTHI_LINEAR_ROWS;
    const double *triangle = block + w * S;
    double *rows = job->rows_of, *into = total + w * S;
    const size_t n = (size_t)triangle[w * (w + 1) / 2];
    soothi_linear_flush(job, total);
    for (size_t from = 0; from < w; from += S) {
        const size_t some = w - from < S ? w - from : S;
        memset(rows, 0, w * S * sizeof *rows);
        for (size_t i = from; i < from + some; ++i)
            for (size_t j = i; j < w; ++j) rows[j * S + i - from] = triangle[i * w - i * (i + 1) / 2 + j];
        soothi_triangle_add(into, w, rows, S, (some + 3) & ~(size_t)3);
    }
    memset(rows, 0, w * S * sizeof *rows);
    for (size_t j = 0; j < w; ++j) memcpy(rows + j * S, block + j * S, n * sizeof *rows);
    soothi_triangle_add(into, w, rows, S, (n + 3) & ~(size_t)3);
}

/* Folds over all rows of the table or of a source, from the first. */
SOOTHI_LOCAL sooth_status soothi_linear_fold(soothi_linear_job *job, const soothi_fold *f, double *total) {
    soothi_source_pass *p = job->pass;
    if (!p) return soothi_fold_rows(job->env, f, job->rows, SOOTH_OK, total);
    sooth_status status = job->rows ? soothi_source_again(p) : SOOTH_OK;
    while (status == SOOTH_OK) {
        status = soothi_source_next(p, SOOTH_TABLE_NEED_TARGETS, 0.0, 1.0);
        if (status != SOOTH_OK || p->block.rows == 0) break;
        soothi_fold_feed(f, total, p->rows, p->block.rows);
        p->rows += p->block.rows;
    }
    if (status != SOOTH_OK) return status;
    if (p->rows == 0) return sooth_fail(job->env, SOOTH_BAD_DATA, "the source has no rows");
    if (job->rows && job->rows != p->rows)
        return sooth_fail(job->env, SOOTH_BAD_DATA, "the source had %z rows, but now it has %z", job->rows,
                          p->rows);
    job->rows = p->rows;
    soothi_fold_finish(f, total, p->rows);
    return SOOTH_OK;
}

/* Streams all rows into the triangle. */
SOOTHI_LOCAL sooth_status soothi_linear_stream(soothi_linear_job *job, const double *robust) {
    soothi_linear_pass pass = {job, robust, NULL, 0};
    const size_t w = job->width, size = w * SOOTHI_LINEAR_ROWS + w * (w + 1) / 2 + 1;
    const soothi_fold rows = {size, &pass, NULL, soothi_linear_add_rows, soothi_linear_join_rows};
    const sooth_status status = soothi_linear_fold(job, &rows, job->block);
    if (status == SOOTH_OK) soothi_linear_flush(job, job->block);
    return status;
}

/* Adds lambda sum b_j^2 as p rows with the root of lambda in one column and target 0. */
SOOTHI_LOCAL void soothi_linear_penalise(soothi_linear_job *job) {
    double root = soothi_sqrt(job->options.lambda);
    size_t S = SOOTHI_LINEAR_ROWS;
    for (size_t j = job->constant; j < job->q; ++j) {
        for (size_t k = 0; k < job->width; ++k) memset(job->block + k * S, 0, 4 * sizeof(double));
        job->block[j * S] = root;
        soothi_triangle_add(job->triangle, job->width, job->block, S, 4);
    }
}

/* Element (i, j) of the triangle, i <= j. */
SOOTHI_LOCAL double soothi_linear_at(const soothi_linear_job *job, size_t i, size_t j) {
    return job->triangle[i * job->width - i * (i + 1) / 2 + j];
}

/* Fills a with the first q rows of the triangle, every feature column scaled to length 1 (0 if its length is
   0). */
SOOTHI_LOCAL void soothi_linear_unfold(soothi_linear_job *job) {
    size_t q = job->q;
    memset(job->a, 0, q * job->width * sizeof(double));
    for (size_t j = 0; j < job->width; ++j)
        for (size_t i = 0; i < q && i <= j; ++i) job->a[j * q + i] = soothi_linear_at(job, i, j);
    for (size_t j = 0; j < q; ++j) {
        double squares = 0.0;
        for (size_t i = 0; i <= j; ++i) squares += job->a[j * q + i] * job->a[j * q + i];
        job->length[j] = squares > 0.0 ? soothi_sqrt(squares) : 1.0;
        for (size_t i = 0; i <= j; ++i) job->a[j * q + i] /= job->length[j];
    }
}

/* Returns element (i, k) of R for unscaled columns. */
SOOTHI_LOCAL double soothi_linear_unscaled(const soothi_linear_job *job, size_t i, size_t k) {
    return job->a[k * job->q + i] * job->length[job->order[k]];
}

/* With aliased columns many coefficients fit equally well. This computes those of minimal norm, the intercept
   excluded. The rows of R below the intercept's are A, with more columns than rows, and b must satisfy A b =
   z. With A' = Q S, b = A' S^-1 S'^-1 z, as accurate as with Q itself (Paige 1973). */
SOOTHI_LOCAL void soothi_linear_least_norm(soothi_linear_job *job) {
    const size_t q = job->q, first = job->constant, n = q - first, rows = job->rank - first;
    double *s = job->condition_work, *u = job->copy;
    uint32_t *order = (uint32_t *)(void *)(job->copy + q);
    for (size_t i = 0; i < rows; ++i)
        for (size_t k = 0; k < n; ++k) s[i * n + k] = soothi_linear_unscaled(job, first + i, first + k);
    soothi_pivoted_qr(s, n, rows, 0, rows, 0.0, order);
    for (size_t t = 0; t < job->targets; ++t) {
        const double *z = job->a + (q + t) * q;
        double *b = job->solution + t * q;
        for (size_t i = 0; i < rows; ++i) {
            double sum = z[first + i];
            for (size_t k = 0; k < i; ++k) sum -= s[i * n + k] * u[k];
            u[i] = sum / s[i * n + i];
        }
        soothi_back(s, n, rows, u, u);
        for (size_t k = first; k < q; ++k) {
            double sum = 0.0;
            for (size_t i = 0; i < rows; ++i) sum += soothi_linear_unscaled(job, first + i, k) * u[i];
            b[job->order[k]] = sum;
        }
        if (!first) continue;
        b[0] = z[0];
        for (size_t k = first; k < q; ++k) b[0] -= soothi_linear_unscaled(job, 0, k) * b[job->order[k]];
        b[0] /= soothi_linear_unscaled(job, 0, 0);
    }
}

/* Solves the system in a: rank, order of the columns, coefficients. a becomes R and Q'y. */
SOOTHI_LOCAL void soothi_linear_solve(soothi_linear_job *job) {
    size_t q = job->q;
    job->rank =
        soothi_pivoted_qr(job->a, q, q, job->targets, job->constant, job->options.tolerance, job->order);
    for (size_t t = 0; t < job->targets; ++t) {
        double *b = job->solution + t * q, *z = job->copy;
        soothi_back(job->a, q, job->rank, job->a + (q + t) * q, z);
        memset(b, 0, q * sizeof *b);
        for (size_t k = 0; k < job->rank; ++k) b[job->order[k]] = z[k] / job->length[job->order[k]];
    }
    if (job->rank < q && job->options.method != SOOTH_LINEAR_NON_NEGATIVE) soothi_linear_least_norm(job);
}

/* Solves least squares within the passive set: wanted[j], 0 outside. Returns 0 if the set is empty. */
SOOTHI_LOCAL int soothi_linear_within(soothi_linear_job *job) {
    const size_t q = job->q;
    double *work = job->copy, *b = job->block, *in_set = b + q;
    size_t n = 0;
    for (size_t j = 0; j < q; ++j)
        if (job->passive[j]) memcpy(work + n++ * q, job->columns + j * q, q * sizeof *work);
    if (n == 0) return 0;
    memcpy(work + n * q, job->a + q * q, q * sizeof *work);
    size_t rank = soothi_pivoted_qr(work, q, n, 1, job->constant, job->options.tolerance, job->order);
    soothi_back(work, q, rank, work + n * q, b);
    memset(in_set, 0, n * sizeof *in_set);
    for (size_t k = 0; k < rank; ++k) in_set[job->order[k]] = b[k];
    for (size_t j = 0; j < q; ++j) job->wanted[j] = job->passive[j] ? *in_set++ : 0.0;
    return 1;
}

/* Moves the solution towards wanted, until the first coefficient would become negative. Returns 1 if it
   stopped there and removed the coefficients at 0 from the set. */
SOOTHI_LOCAL int soothi_linear_step(soothi_linear_job *job) {
    const size_t q = job->q;
    double *x = job->solution, step = 1.0;
    for (size_t j = job->constant; j < q; ++j)
        if (job->passive[j] && !(job->wanted[j] > 0.0)) {
            const double way = x[j] - job->wanted[j], share = way > 0.0 ? x[j] / way : 0.0;
            if (share < step) step = share;
        }
    for (size_t j = 0; j < q; ++j)
        if (job->passive[j]) x[j] += step * (job->wanted[j] - x[j]);
    if (!(step < 1.0)) return 0;
    for (size_t j = job->constant; j < q; ++j)
        if (job->passive[j] && !(x[j] > 1e-14)) {
            job->passive[j] = 0;
            x[j] = 0.0;
        }
    return 1;
}

/* Returns the column outside the set that lowers the error most, or q if none does. */
SOOTHI_LOCAL size_t soothi_linear_enters(soothi_linear_job *job) {
    const size_t q = job->q;
    const double *y = job->a + q * q;
    double *residual = job->block, length = 0.0;
    size_t enters = q;
    for (size_t i = 0; i < q; ++i) {
        residual[i] = y[i];
        for (size_t j = 0; j < q; ++j) residual[i] -= job->columns[j * q + i] * job->solution[j];
        length += y[i] * y[i];
    }
    double best = 1e-12 * soothi_sqrt(length);
    for (size_t j = job->constant; j < q; ++j) {
        double gradient = 0.0;
        if (job->passive[j]) continue;
        for (size_t i = 0; i < q; ++i) gradient += job->columns[j * q + i] * residual[i];
        if (gradient > best) {
            best = gradient;
            enters = j;
        }
    }
    return enters;
}

/* Lawson and Hanson: columns enter the passive set while raising their coefficient lowers the error. They
   leave it if the least-squares solution would make their coefficient negative. At the end the columns
   outside the set are 0 in a, so that solving ignores them. One target. */
SOOTHI_LOCAL sooth_status soothi_linear_non_negative(soothi_linear_job *job) {
    const size_t q = job->q;
    size_t j, turns = 0;
    memcpy(job->columns, job->a, q * q * sizeof *job->columns);
    memset(job->solution, 0, q * sizeof *job->solution);
    memset(job->passive, 0, q * sizeof *job->passive);
    if (job->constant) job->passive[0] = 1;
    for (;; ++job->iterations) {
        do {
            if (++turns > 10 * q + 100)
                return sooth_fail(job->env, SOOTH_NOT_CONVERGED,
                                  "the non-negative fit did not converge in %z steps", turns);
        } while (soothi_linear_within(job) && soothi_linear_step(job));
        j = soothi_linear_enters(job);
        if (j == q) break;
        job->passive[j] = 1;
    }
    for (j = 0; j < q; ++j)
        if (!job->passive[j]) memset(job->a + j * q, 0, q * sizeof(double));
    return SOOTH_OK;
}

/* ---- refinement ---- */

/* *sum = a + b. Returns the rounding error, exactly (Knuth). */
SOOTHI_LOCAL double soothi_two_sum(double a, double b, double *sum) {
    double s = a + b, c = s - a;
    *sum = s;
    return (a - (s - c)) + (b - c);
}

/* (high, low) += a b. The rounding error of the product is also exact (Dekker, by halves of 26 bits). */
SOOTHI_LOCAL void soothi_add_product(double *high, double *low, double a, double b) {
    double p = a * b, ca = 134217729.0 * a, cb = 134217729.0 * b, ah = ca - (ca - a), bh = cb - (cb - b),
           al = a - ah, bl = b - bh, lost = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    *low += lost + soothi_two_sum(*high, p, high);
}

/* Returns an internal column of row i: 1 for the intercept, a feature or a target. */
SOOTHI_LOCAL double soothi_linear_value(const soothi_linear_job *job, size_t i, size_t internal) {
    size_t j = internal - job->constant;
    if (internal < job->constant) return 1.0;
    if (internal >= job->q) {
        j = i * job->targets + internal - job->q;
        return job->table ? (double)job->table->y[j] : job->y[j];
    }
    return job->table ? (double)job->table->x[i * job->table->stride + j] : job->x[i * job->cols + j];
}

/* Adds the gradient of some rows, in two parts: q high values, then q low ones. */
static void soothi_linear_add_gradient(void *arg, double *high, size_t first, size_t count) {
    const soothi_linear_pass *pass = (const soothi_linear_pass *)arg;
    const soothi_linear_job *job = pass->job;
    const size_t q = job->q;
    double *low = high + q;
    for (size_t i = first; i < first + count; ++i) {
        double w = soothi_linear_weight(job, i), r = soothi_linear_value(job, i, q + pass->t), rest = 0.0;
        if (!(w > 0.0)) continue;
        for (size_t j = 0; j < q; ++j)
            soothi_add_product(&r, &rest, -pass->b[j], soothi_linear_value(job, i, j));
        rest = soothi_two_sum(r, rest, &r);
        for (size_t j = 0; j < q; ++j) {
            double x = soothi_linear_value(job, i, j);
            soothi_add_product(high + j, low + j, w * x, r);
            low[j] += w * x * rest;
        }
    }
}

static void soothi_linear_join_gradient(void *arg, double *total, const double *more) {
    const size_t q = ((const soothi_linear_pass *)arg)->job->q;
    for (size_t j = 0; j < q; ++j) total[q + j] += more[q + j] + soothi_two_sum(total[j], more[j], total + j);
}

/* Rounding in the triangle costs condition^2 x 1e-16 of the solution. If that is significant, the gradient
   X'W(y - X b), which is 0 at the solution, is computed from the rows in doubled precision. Then b moves by
   (R'R)^-1 times the gradient, a Newton step. This repeats while the steps shrink. */
SOOTHI_LOCAL sooth_status soothi_linear_refine(soothi_linear_job *job, size_t t) {
    const size_t q = job->q;
    double *b = job->solution + t * q, *high = job->block, *low = high + q, *step = low + 3 * q, last = 0.0;
    soothi_linear_pass pass = {job, NULL, b, t};
    const soothi_fold gradient = {2 * q, &pass, NULL, soothi_linear_add_gradient,
                                  soothi_linear_join_gradient};
    for (unsigned turn = 0; turn < 4; ++turn) {
        double size = 0.0;
        const sooth_status status = soothi_linear_fold(job, &gradient, high);
        if (status != SOOTH_OK) return status;
        for (size_t k = 0; k < job->rank; ++k) { /* R' u = g, from the top, then R d = u */
            double sum = (high[job->order[k]] + low[job->order[k]]) / job->length[job->order[k]];
            for (size_t i = 0; i < k; ++i) sum -= job->a[k * q + i] * step[i];
            step[k] = sum / job->a[k * q + k];
        }
        soothi_back(job->a, q, job->rank, step, step);
        for (size_t k = 0; k < job->rank; ++k) size += step[k] * step[k];
        if (!soothi_finite(size) || (turn > 0 && !(size < 0.25 * last))) break;
        last = size;
        for (size_t k = 0; k < job->rank; ++k) b[job->order[k]] += step[k] / job->length[job->order[k]];
    }
    return SOOTH_OK;
}

/* ---- robust regression ---- */

SOOTHI_LOCAL double soothi_linear_residual(const soothi_linear_job *job, size_t i) {
    double r = soothi_linear_value(job, i, job->q);
    for (size_t j = 0; j < job->q; ++j) r -= job->solution[j] * soothi_linear_value(job, i, j);
    return r;
}

/* Returns the k-th smallest (from 0) of value[0..n), and reorders value (Hoare 1961). */
SOOTHI_LOCAL double soothi_linear_select(double *value, size_t n, size_t k) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = value[low + (high - low) / 2];
        size_t i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot) ++i;
            while (pivot < value[j]) --j;
            if (i > j) break;
            double t = value[i];
            value[i++] = value[j];
            value[j] = t;
            if (j == 0) break;
            --j;
        }
        if (k <= j) high = j;
        else if (k >= i) low = i;
        else break;
    }
    return value[k];
}

/* Reports the mean Huber loss over the rows: r^2 / 2 up to the width, width (|r| - width / 2) beyond. */
SOOTHI_LOCAL void soothi_linear_report_loss(const soothi_linear_job *job, double width) {
    double sum = 0.0, all = 0.0;
    for (size_t i = 0; i < job->rows; ++i) {
        const double r = soothi_abs(job->residual[i]), w = soothi_linear_weight(job, i);
        sum += w * (r <= width ? 0.5 * r * r : width * (r - 0.5 * width));
        all += w;
    }
    soothi_report_loss(job->env, "robust regression", job->iterations + 1, sum / all,
                       (double)soothi_missing());
}

/* Huber's M-estimate by reweighting: weight 1 within delta sigma, delta sigma / |r| beyond. sigma = median
   |r| / 0.6745, updated each time. One target. */
SOOTHI_LOCAL sooth_status soothi_linear_huber(soothi_linear_job *job) {
    size_t i, n = 0;
    double before = -1.0;
    for (i = 0; i < job->rows; ++i) job->robust[i] = 1.0;
    for (job->iterations = 0; job->iterations < job->options.max_iter; ++job->iterations) {
        double change = 0.0, all = 0.0;
        sooth_status status =
            soothi_progress(job->env, "robust regression", (double)job->iterations / job->options.max_iter);
        if (status != SOOTH_OK) return status;
        status = soothi_linear_stream(job, job->robust);
        if (status != SOOTH_OK) return status;
        soothi_linear_unfold(job);
        soothi_linear_solve(job);
        for (i = 0, n = 0; i < job->rows; ++i) {
            double r = soothi_linear_residual(job, i), d = r - job->residual[i];
            if (before >= 0.0) change += d * d;
            all += r * r;
            job->residual[i] = r;
            if (soothi_linear_weight(job, i) > 0.0) job->sorted[n++] = soothi_abs(r);
        }
        double sigma = soothi_linear_select(job->sorted, n, n / 2);
        if (n % 2 == 0) sigma = 0.5 * (sigma + soothi_linear_select(job->sorted, n, n / 2 - 1));
        sigma /= 0.6744897501960817;
        if (soothi_wants_loss(job->env)) soothi_linear_report_loss(job, job->options.huber_delta * sigma);
        if (before >= 0.0 && change <= 1e-20 * all) return SOOTH_OK;
        before = all;
        if (!(sigma > 0.0)) return SOOTH_OK; /* more than half of the rows fit exactly */
        for (i = 0; i < job->rows; ++i) {
            double r = soothi_abs(job->residual[i]);
            job->robust[i] =
                r > job->options.huber_delta * sigma ? job->options.huber_delta * sigma / r : 1.0;
        }
    }
    return SOOTH_OK; /* the best so far; see iterations */
}

/* Computes the sum of squared errors of a target after solving, and around its mean (or 0 without
   intercept). */
SOOTHI_LOCAL void soothi_linear_squares(const soothi_linear_job *job, size_t t, double *error,
                                        double *around) {
    size_t q = job->q;
    double beyond = 0.0; /* the part of the target outside the span of all columns */
    *error = *around = 0.0;
    for (size_t i = q; i <= q + t; ++i)
        beyond += soothi_linear_at(job, i, q + t) * soothi_linear_at(job, i, q + t);
    for (size_t i = job->rank; i < q; ++i) *error += job->a[(q + t) * q + i] * job->a[(q + t) * q + i];
    for (size_t i = job->constant; i < q; ++i)
        *around += soothi_linear_at(job, i, q + t) * soothi_linear_at(job, i, q + t);
    *error += beyond;
    *around += beyond;
    if (job->options.method == SOOTH_LINEAR_RIDGE) {
        for (size_t i = job->constant; i < q; ++i)
            *error -= job->options.lambda * job->solution[t * q + i] * job->solution[t * q + i];
        if (*error < 0.0) *error = 0.0;
    }
}

/* Returns the model's column number of an internal column: the intercept is last. */
SOOTHI_LOCAL size_t soothi_linear_column(const soothi_linear_job *job, size_t internal) {
    return internal < job->constant ? job->cols : internal - job->constant;
}

SOOTHI_LOCAL void soothi_linear_fill(soothi_linear_job *job, sooth_linear *m) {
    size_t q = job->q, cols = job->cols, targets = job->targets, stride = cols + 1;
    float *offset = (float *)(void *)(m + 1), *mean = offset + targets, *slope = mean + cols;
    uint32_t *rank_of = (uint32_t *)(void *)(slope + targets * cols);
    double *intercept = (double *)(void *)((unsigned char *)m + m->head.doubles_at),
           *coefficient = intercept + targets;
    double *sigma = coefficient + targets * cols, *r2 = sigma + targets, *root = r2 + targets;
    double freedom = (double)job->used - (double)job->rank;
    m->head.features = (uint32_t)cols;
    m->head.targets = (uint32_t)targets;
    m->method = job->options.method;
    m->rank = (uint32_t)job->rank;
    m->rows = (uint32_t)job->used;
    m->intercept = (uint32_t)job->constant;
    m->statistics = !job->options.no_statistics;
    m->iterations = job->iterations;
    for (size_t k = 0; k < job->rank; ++k)
        rank_of[soothi_linear_column(job, job->order[k])] = (uint32_t)k + 1;
    for (size_t c = job->rank; c < q; ++c) { /* mark the independent columns that an aliased one depends on */
        soothi_back(job->a, q, job->rank, job->a + c * q, job->copy);
        for (size_t k = job->constant; k < job->rank; ++k)
            if (soothi_abs(job->copy[k]) > 1e-9)
                rank_of[soothi_linear_column(job, job->order[k])] |= SOOTHI_LINEAR_SHARED;
    }
    /* the first row of the triangle belongs to the intercept: root of the weight sum, and that times each
       mean */
    for (size_t j = 0; j < cols && job->constant; ++j)
        mean[j] = (float)(soothi_linear_at(job, 0, 1 + j) / soothi_linear_at(job, 0, 0));
    for (size_t t = 0; t < targets; ++t) {
        const double *b = job->solution + t * q;
        double at_mean = job->constant ? b[0] : 0.0;
        intercept[t] = at_mean;
        for (size_t j = 0; j < cols; ++j) {
            coefficient[t * cols + j] = b[job->constant + j];
            slope[t * cols + j] = (float)b[job->constant + j];
            at_mean += b[job->constant + j] * (double)mean[j];
        }
        offset[t] = (float)at_mean;
    }
    if (!m->statistics) return;
    for (size_t t = 0; t < targets; ++t) {
        double error, around;
        soothi_linear_squares(job, t, &error, &around);
        sigma[t] = freedom > 0.0 ? soothi_sqrt(error / freedom) : (double)soothi_missing();
        r2[t] = around > 0.0 ? 1.0 - error / around : (double)soothi_missing();
    }
    for (size_t k = 0; k < job->rank; ++k) { /* column k of R^-1 */
        double *e = job->copy;
        memset(e, 0, q * sizeof *e);
        e[k] = 1.0;
        soothi_back(job->a, q, job->rank, e, e);
        for (size_t j = 0; j <= k; ++j)
            root[soothi_linear_column(job, job->order[j]) * stride + k] = e[j] / job->length[job->order[j]];
    }
    root[stride * stride] = job->condition;
}

/* Returns the max |prediction| if column j is within reach[j] of its mean. *column: the column that
   contributes most. */
SOOTHI_LOCAL double soothi_linear_most(const sooth_linear *m, const double *reach, size_t *column) {
    const size_t cols = m->head.features;
    double most = 0.0, greatest = 0.0;
    for (size_t t = 0; t < m->head.targets; ++t) {
        double sum = soothi_abs((double)soothi_linear_offset(m)[t]);
        for (size_t j = 0; j < cols; ++j) {
            const double part = soothi_abs((double)soothi_linear_slope(m)[t * cols + j]) * reach[j];
            if (!(part <= greatest)) {
                greatest = part;
                *column = j;
            }
            sum += part > reach[j] ? part : reach[j];
        }
        if (!(sum <= most)) most = sum;
    }
    return most;
}

/* The max distances of some rows from the model's means. */
typedef struct soothi_linear_reach {
    const soothi_linear_job *job;
    const float *mean;
} soothi_linear_reach;

static void soothi_linear_add_reach(void *arg, double *reach, size_t first, size_t count) {
    const soothi_linear_reach *r = (const soothi_linear_reach *)arg;
    const soothi_linear_job *job = r->job;
    for (size_t i = first; i < first + count; ++i) {
        if (!(soothi_linear_weight(job, i) > 0.0)) continue;
        for (size_t j = 0; j < job->cols; ++j) {
            const double v = soothi_linear_value(job, i, job->constant + j) - (double)r->mean[j];
            if (soothi_abs(v) > reach[j]) reach[j] = soothi_abs(v);
        }
    }
}

static void soothi_linear_join_reach(void *arg, double *total, const double *more) {
    const size_t cols = ((const soothi_linear_reach *)arg)->job->cols;
    for (size_t j = 0; j < cols; ++j)
        if (more[j] > total[j]) total[j] = more[j];
}

/* Rejects a model if its prediction could overflow a float for a row within the ranges of the columns. A
   column's length is a cheap bound of its reach. */
SOOTHI_LOCAL sooth_status soothi_linear_bounded(soothi_linear_job *job, const sooth_linear *m) {
    soothi_linear_reach rows = {job, soothi_linear_mean(m)};
    const soothi_fold fold = {job->cols, &rows, NULL, soothi_linear_add_reach, soothi_linear_join_reach};
    const int weighted =
        job->weight || job->robust || (job->pass ? job->pass->weights > 0 : job->table && job->table->weight);
    double *reach = job->copy;
    size_t column = 0;
    char buffer[32];
    for (size_t j = 0; j < job->cols; ++j) {
        double squares = 0.0;
        for (size_t i = job->constant; i <= job->constant + j; ++i) {
            const double r = soothi_linear_at(job, i, job->constant + j);
            squares += r * r;
        }
        reach[j] = soothi_sqrt(squares);
    }
    if (!weighted && soothi_linear_most(m, reach, &column) < 1e38) return SOOTH_OK;
    const sooth_status status = soothi_linear_fold(job, &fold, reach);
    if (status != SOOTH_OK) return status;
    const double most = soothi_linear_most(m, reach, &column);
    if (most < 3e38) return SOOTH_OK;
    sooth_text_format(buffer, sizeof buffer, "column %z", column + 1);
    return sooth_fail(job->env, SOOTH_BAD_DATA,
                      "%s has the coefficient %G and values up to %G from their mean, so predictions of %G "
                      "overflow a float",
                      job->table ? soothi_column(job->table, column, buffer) : buffer,
                      soothi_linear_coefficients(m)[column], reach[column], most);
}

/* Counts the used rows in all processes. Rows of a source are counted as they arrive. */
SOOTHI_LOCAL sooth_status soothi_linear_count(soothi_linear_job *job) {
    uint64_t before;
    size_t used = 0;
    for (size_t i = 0; i < job->rows; ++i) used += soothi_linear_weight(job, i) > 0.0;
    return soothi_reduce_rows(job->env, used, &before, &job->used, NULL);
}

/* Makes the block from the results. */
SOOTHI_LOCAL sooth_status soothi_linear_deliver(soothi_linear_job *job, sooth_linear **model) {
    uint64_t words, doubles;
    soothi_linear_regions(job->cols, job->targets, 0, !job->options.no_statistics, &words, &doubles);
    sooth_linear *made =
        (sooth_linear *)soothi_block_new(job->env, SOOTH_KIND_LINEAR, 1, (size_t)words, (size_t)doubles, 0);
    sooth_status status =
        made ? SOOTH_OK : sooth_no_memory(job->env, "a linear model", (size_t)(words + doubles));
    status = soothi_agree(job->env, status);
    if (made && status == SOOTH_OK) {
        soothi_linear_fill(job, made);
        soothi_block_seal(&made->head);
        status = soothi_linear_bounded(job, made);
    }
    if (status == SOOTH_OK) *model = made;
    else sooth_linear_free(job->env, made);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_linear_run(soothi_linear_job *job, sooth_linear **model) {
    const sooth_linear_options *o = &job->options;
    const size_t size = soothi_linear_lay_out(job, NULL);
    sooth_status status;
    void *memory = sooth_alloc(job->env, size, 1);
    status = soothi_agree(job->env, memory ? SOOTH_OK : sooth_no_memory(job->env, "least squares", size));
    if (status == SOOTH_OK) {
        soothi_linear_lay_out(job, memory);
        status = soothi_linear_count(job);
    }
    if (status != SOOTH_OK) {
        sooth_free(job->env, memory, size, 1);
        return status;
    }
    if (o->method == SOOTH_LINEAR_HUBER) {
        status = soothi_linear_huber(job);
    } else {
        status = soothi_linear_stream(job, NULL);
        if (status == SOOTH_OK && o->method == SOOTH_LINEAR_RIDGE) soothi_linear_penalise(job);
        if (status == SOOTH_OK) soothi_linear_unfold(job);
        if (status == SOOTH_OK && o->method == SOOTH_LINEAR_NON_NEGATIVE)
            status = soothi_linear_non_negative(job);
        if (status == SOOTH_OK) soothi_linear_solve(job);
    }
    if (status == SOOTH_OK && job->pass && job->used == 0)
        status = sooth_fail(job->env, SOOTH_BAD_DATA, "no row of the source has a weight above 0");
    if (status == SOOTH_OK) job->condition = soothi_condition(job->a, job->q, job->rank, job->condition_work);
    if (status == SOOTH_OK && o->method == SOOTH_LINEAR_LEAST_SQUARES && job->condition > 1000.0)
        for (size_t t = 0; t < job->targets && status == SOOTH_OK; ++t) status = soothi_linear_refine(job, t);
    if (status == SOOTH_OK) status = soothi_linear_deliver(job, model);
    sooth_free(job->env, memory, size, 1);
    return status;
}

SOOTH_API sooth_option_list sooth_linear_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_linear_options, method, "least_squares|ridge|non_negative|huber",
                      "loss that the fit minimises"),
        SOOTHI_FLAG(sooth_linear_options, no_intercept, "1: no intercept"),
        SOOTHI_FLAG(sooth_linear_options, no_statistics,
                    "1: keep coefficients only, for models that are smaller by 8 bytes times the square of "
                    "the columns"),
        SOOTHI_COUNT(sooth_linear_options, max_iter, 1, 1e6, 100,
                     "maximum number of steps of the Huber method"),
        SOOTHI_FLAG(sooth_linear_options, products,
                    "1: also squares and products of two columns, with ridge penalties by leave-one-out"),
        SOOTHI_NUMBER(sooth_linear_options, lambda, 0, 1e300, 0, "L2 penalty of the ridge method"),
        SOOTHI_NUMBER(sooth_linear_options, huber_delta, 1e-3, 1e6, 1.345,
                      "huber: errors beyond this many sigma count linearly"),
        SOOTHI_NUMBER(sooth_linear_options, tolerance, 1e-16, 0.1, 1e-13,
                      "a column is aliased if its independent fraction is below this"),
    };
    return SOOTHI_OPTIONS(option);
}

/* Checks the options for this many targets, and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_linear_resolve(sooth_env *env, const sooth_linear_options *options,
                                                size_t targets, soothi_linear_job *job) {
    sooth_linear_options *o = &job->options;
    memset(job, 0, sizeof *job);
    job->env = env;
    job->targets = targets;
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_linear_options_list(), o);
    if (status != SOOTH_OK) return status;
    if (o->lambda > 0.0 && o->method != SOOTH_LINEAR_RIDGE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "lambda is %g, but only method=ridge uses it", o->lambda);
    if (o->products && (o->lambda > 0.0 || o->no_intercept || o->method > SOOTH_LINEAR_RIDGE))
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "products=1 chooses its ridge penalties and needs an intercept; lambda, no_intercept "
            "and the methods non_negative and huber do not go with it");
    if (targets > 1 && (o->method == SOOTH_LINEAR_NON_NEGATIVE || o->method == SOOTH_LINEAR_HUBER))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the table has %z targets, but the non-negative and Huber methods fit one",
                          targets);
    soothi_option_fill(sooth_linear_options_list(), o);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_linear_check_options(sooth_env *env, const sooth_table *table,
                                                  const sooth_linear_options *options) {
    soothi_linear_job job;
    const sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    return status == SOOTH_OK ? soothi_linear_resolve(env, options, table->targets, &job) : status;
}

/* Checks that several processes can work together and have equal options. */
SOOTHI_LOCAL sooth_status soothi_linear_agree(sooth_env *env, sooth_status status, const sooth_table *table,
                                              const sooth_linear_options *o) {
    status = soothi_agree(env, status);
    if (status != SOOTH_OK) return status;
    if (o->method == SOOTH_LINEAR_HUBER || o->products)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s needs all rows in one process",
                          o->products ? "products=1" : "method=huber, which computes medians,");
    return soothi_reduce_same_fit(env, table, soothi_reduce_digest(sooth_linear_options_list(), o));
}

SOOTH_API sooth_status sooth_linear_fit(sooth_env *env, const sooth_table *table,
                                        const sooth_linear_options *options, sooth_linear **model) {
    soothi_linear_job job;
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    *model = NULL;
    if (status == SOOTH_OK) status = soothi_linear_resolve(env, options, table->targets, &job);
    if (soothi_ranks(env) > 1) status = soothi_linear_agree(env, status, table, &job.options);
    if (status != SOOTH_OK) return status;
    job.table = table;
    job.rows = table->rows;
    job.cols = table->cols;
    return job.options.products ? soothi_products_fit(&job, model) : soothi_linear_run(&job, model);
}

SOOTH_API sooth_status sooth_linear_fit_source(sooth_env *env, const sooth_source *source,
                                               const sooth_linear_options *options, sooth_linear **model) {
    soothi_source_pass pass = soothi_source_open(env, source);
    soothi_linear_job job;
    sooth_status status = soothi_source_check(env, source);
    *model = NULL;
    if (status == SOOTH_OK) status = soothi_linear_resolve(env, options, source->targets, &job);
    if (status != SOOTH_OK) return status;
    if (soothi_ranks(env) > 1 || job.options.method == SOOTH_LINEAR_HUBER || job.options.products)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rows that arrive in blocks cannot be fitted with %s",
                          soothi_ranks(env) > 1  ? "several processes"
                          : job.options.products ? "products=1, which reads them several times"
                                                 : "method=huber, which computes medians");
    job.pass = &pass;
    job.table = &pass.block;
    job.cols = source->cols;
    return soothi_linear_run(&job, model);
}

/* Like sooth_linear_fit, from valid doubles: the digits of NIST's certified values do not fit into floats. */
SOOTHI_LOCAL sooth_status soothi_linear_fit_double(sooth_env *env, const double *x, const double *y,
                                                   const double *weight, size_t rows, size_t cols,
                                                   size_t targets, const sooth_linear_options *options,
                                                   sooth_linear **model) {
    soothi_linear_job job;
    sooth_status status = soothi_linear_resolve(env, options, targets, &job);
    *model = NULL;
    if (status != SOOTH_OK) return status;
    job.x = x;
    job.y = y;
    job.weight = weight;
    job.rows = rows;
    job.cols = cols;
    return soothi_linear_run(&job, model);
}

SOOTH_API void sooth_linear_free(sooth_env *env, sooth_linear *model) {
    if (model) soothi_block_free(env, &model->head);
}

/* ---- reading a model ---- */

SOOTH_API double sooth_linear_coefficient(const sooth_linear *model, size_t target, size_t column) {
    if (column == model->head.features) return soothi_linear_intercept(model)[target];
    return soothi_linear_coefficients(model)[target * model->head.features + column];
}

SOOTH_API int sooth_linear_aliased(const sooth_linear *model, size_t column) {
    return soothi_linear_rank_of(model)[column] == 0 && (column < model->head.features || model->intercept);
}

SOOTH_API sooth_status sooth_linear_summarise(sooth_env *env, const sooth_linear *model, size_t target,
                                              sooth_linear_summary *summary) {
    double n = (double)model->rows, rank = (double)model->rank, constant = (double)model->intercept, r2;
    const size_t q = (size_t)model->head.features + 1;
    memset(summary, 0, sizeof *summary);
    if (target >= model->head.targets)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "target is %z, but must be below %u, the targets of the model", target,
                          model->head.targets);
    summary->freedom = model->rows > model->rank ? model->rows - model->rank : 0;
    summary->sigma = summary->r2 = summary->adjusted_r2 = summary->f = summary->f_p = summary->condition =
        (double)soothi_missing();
    if (!model->statistics) return SOOTH_OK;
    summary->sigma = soothi_linear_sigma(model)[target];
    summary->r2 = r2 = soothi_linear_r2(model)[target];
    summary->condition = soothi_linear_root(model)[q * q];
    if (summary->freedom == 0) return SOOTH_OK;
    summary->adjusted_r2 = 1.0 - (1.0 - r2) * (n - constant) / (double)summary->freedom;
    if (rank > constant && r2 < 1.0) {
        summary->f = (r2 / (rank - constant)) / ((1.0 - r2) / (double)summary->freedom);
        summary->f_p = 1.0 - soothi_f_cdf(summary->f, rank - constant, (double)summary->freedom);
    }
    return SOOTH_OK;
}

SOOTH_API double sooth_linear_standard_error(const sooth_linear *model, size_t target, size_t column) {
    size_t q = (size_t)model->head.features + 1;
    double sum = 0.0;
    const uint32_t rank = soothi_linear_rank_of(model)[column];
    if (!model->statistics || rank == 0 || rank & SOOTHI_LINEAR_SHARED) return SOOTHI_NAN;
    const double *row = soothi_linear_root(model) + column * q;
    for (size_t k = 0; k < model->rank; ++k) sum += row[k] * row[k];
    return soothi_linear_sigma(model)[target] * soothi_sqrt(sum);
}

/* Returns the standard error of a prediction: sigma times the length of root' z for z = (row, 1), one
   component at a time. */
SOOTHI_LOCAL double soothi_linear_predict_error(const sooth_linear *model, const float *row, size_t target,
                                                int new_run) {
    size_t cols = model->head.features, q = cols + 1;
    const double *root = soothi_linear_root(model);
    double sum = new_run ? 1.0 : 0.0;
    if (!model->statistics) return (double)soothi_missing();
    for (size_t k = 0; k < model->rank; ++k) {
        double c = root[cols * q + k];
        for (size_t j = 0; j < cols; ++j) c += root[j * q + k] * (double)row[j];
        sum += c * c;
    }
    return soothi_linear_sigma(model)[target] * soothi_sqrt(sum);
}

SOOTH_API void sooth_linear_interval(const sooth_linear *model, const float *row, size_t target, double level,
                                     int new_run, double *low, double *high) {
    double centre = soothi_linear_intercept(model)[target], half = (double)soothi_missing();
    for (size_t j = 0; j < model->head.features; ++j)
        centre += soothi_linear_coefficients(model)[target * model->head.features + j] * (double)row[j];
    if (model->statistics && model->rows > model->rank)
        half = soothi_linear_predict_error(model, row, target, new_run) *
               sooth_t_quantile(0.5 + 0.5 * level, (double)(model->rows - model->rank));
    *low = centre - half;
    *high = centre + half;
}

/* ---- recursive least squares ---- */

/* Returns row i of the triangle, from its diagonal. */
SOOTHI_LOCAL double *soothi_rls_row(const sooth_rls *rls, size_t i) {
    return rls->triangle + i * (2 * (size_t)rls->cols + 5 - i) / 2;
}

SOOTHI_LOCAL size_t soothi_rls_doubles(size_t cols) {
    size_t w = cols + 2;
    return w * (w + 1) / 2 + w + cols + 1;
}

SOOTH_API size_t sooth_rls_size(size_t cols) {
    return soothi_round16(sizeof(sooth_rls)) + soothi_rls_doubles(cols) * sizeof(double);
}

SOOTH_API sooth_status sooth_rls_init(sooth_env *env, const sooth_rls_options *options, size_t cols,
                                      void *memory, size_t size, sooth_rls **made) {
    const double forgetting = options ? options->forgetting : 0.0,
                 least = options ? options->min_diagonal : 0.0;
    sooth_rls *rls = (sooth_rls *)memory;
    *made = NULL;
    if (cols == 0 || cols > 65535)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "cols is %z, but must be between 1 and 65535", cols);
    if (!(forgetting >= 0.0 && forgetting <= 1.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "forgetting is %g, but must be above 0 and at most 1",
                          forgetting);
    if (!(least >= 0.0 && least < 1e100))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "min_diagonal is %g, but must be between 0 and 1e100",
                          least);
    if (!memory || size < sooth_rls_size(cols))
        return sooth_no_memory(env, "recursive least squares", sooth_rls_size(cols));
    memset(memory, 0, sooth_rls_size(cols));
    rls->cols = (uint32_t)cols;
    rls->forgetting = soothi_sqrt(forgetting > 0.0 ? forgetting : 1.0);
    rls->min_diagonal = least > 0.0 ? least : 1e-3;
    rls->triangle = (double *)(void *)((char *)memory + soothi_round16(sizeof *rls));
    rls->row = rls->triangle + (cols + 2) * (cols + 3) / 2;
    rls->coefficient = rls->row + cols + 2;
    for (size_t j = 0; j <= cols; ++j) *soothi_rls_row(rls, j) = rls->min_diagonal;
    *made = rls;
    return SOOTH_OK;
}

/* Rotates the scratch row into the triangle, from column `from` (Givens). */
SOOTHI_LOCAL void soothi_rls_rotate(sooth_rls *rls, size_t from) {
    size_t w = (size_t)rls->cols + 2;
    double *v = rls->row;
    for (size_t j = from; j < w; ++j) {
        double *r = soothi_rls_row(rls, j);
        if (!(v[j] > 0.0 || v[j] < 0.0)) continue;
        double length = soothi_sqrt(r[0] * r[0] + v[j] * v[j]);
        double c = r[0] / length;
        double s = v[j] / length;
        r[0] = length;
        for (size_t k = j + 1; k < w; ++k) {
            double a = r[k - j], b = v[k];
            r[k - j] = c * a + s * b;
            v[k] = c * b - s * a;
        }
    }
}

/* coefficient = R^-1 z, z the last column. */
SOOTHI_LOCAL void soothi_rls_solve(sooth_rls *rls) {
    size_t n = (size_t)rls->cols + 1;
    for (size_t i = n; i-- > 0;) {
        const double *r = soothi_rls_row(rls, i);
        double sum = r[n - i];
        for (size_t k = i + 1; k < n; ++k) sum -= r[k - i] * rls->coefficient[k];
        rls->coefficient[i] = sum / r[0];
    }
}

SOOTH_API sooth_status sooth_rls_update(sooth_rls *rls, const float *row, float y) {
    size_t w = (size_t)rls->cols + 2, count = w * (w + 1) / 2;
    if (!soothi_finite((double)y)) return SOOTH_BAD_DATA;
    for (size_t i = 0; i < rls->cols; ++i)
        if (!soothi_finite((double)row[i])) return SOOTH_BAD_DATA;
    if (rls->forgetting < 1.0) {
        for (size_t i = 0; i < count; ++i) rls->triangle[i] *= rls->forgetting;
        for (size_t i = 0; i + 1 < w; ++i) {
            if (*soothi_rls_row(rls, i) >= rls->min_diagonal) continue;
            memset(rls->row, 0, w * sizeof *rls->row); /* confirms the current coefficient */
            rls->row[i] = rls->min_diagonal;
            rls->row[w - 1] = rls->min_diagonal * rls->coefficient[i];
            soothi_rls_rotate(rls, i);
        }
    }
    for (size_t i = 0; i < rls->cols; ++i) rls->row[i] = (double)row[i];
    rls->row[w - 2] = 1.0;
    rls->row[w - 1] = (double)y;
    soothi_rls_rotate(rls, 0);
    soothi_rls_solve(rls);
    if (rls->steps < UINT32_MAX) ++rls->steps;
    return SOOTH_OK;
}

SOOTH_API double sooth_rls_predict(const sooth_rls *rls, const float *row) {
    double sum = rls->coefficient[rls->cols];
    for (size_t j = 0; j < rls->cols; ++j) sum += rls->coefficient[j] * (double)row[j];
    return sum;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_LINEAR_PRODUCTS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_LINEAR_PRODUCTS_IMPLEMENTED))
#include "linear/products.h"
#endif
