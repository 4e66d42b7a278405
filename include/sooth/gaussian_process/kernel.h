/* gaussian_process/kernel.h - the covariance of a Gaussian process, and learning of its hyperparameters.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * gaussian_process.h builds models with these parameters. adapt.h uses them for the residuals of whole
 * groups. See gaussian_process.h for the equations. The search maximises the logarithm of the marginal
 * likelihood with projected L-BFGS on the logarithms of the parameters. It is bounded, begins at a few fixed
 * starts, uses doubles, and gives the same bits for any number of workers.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gaussian_process.h"
 *     #include <stdio.h>
 *
 *     int main(void) {                       // three programs, each with a level of its own
 *         static float x[60], y[60];
 *         static uint32_t program[60];
 *         sooth_table table = sooth_table_of(x, y, 60, 1);
 *         sooth_gauss_options options = {.independent = 1};
 *         sooth_gauss_parameters learned;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (uint32_t i = 0; i < 60; ++i) {
 *             program[i] = i / 20;
 *             x[i] = (float)(i % 20);
 *             y[i] = (float)program[i] - 1 + 0.1f * sooth_tanh(x[i] - 10) + (i % 2 ? 0.01f : -0.01f);
 *         }
 *         table.group = program;
 *         if (sooth_gauss_fit_parameters(&env, &table, &options, &learned) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("level %.2f, signal %.3f, noise %.5f, length %.0f\n", learned.level, learned.signal,
 *                learned.noise, learned.length[0]);
 *         //> level 0.66, signal 0.018, noise 0.00023, length 9
 *         return 0;
 *     }
 *
 * Cost, for n rows of d columns: n^3 / 2 multiply-adds per step of the search, with some 10 to 100 steps from
 * each start. Memory is 16 n d + 8 n^2 bytes and 0.5 KiB n per worker. Independent groups are small, and so
 * is n. All workers are used if n is above 128.
 */
#if !defined(SOOTH_GAUSSIAN_PROCESS_KERNEL_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GAUSSIAN_PROCESS_KERNEL_IMPLEMENTED))
#include "../base/solve.h"
#endif

#ifndef SOOTH_GAUSSIAN_PROCESS_KERNEL_H
#define SOOTH_GAUSSIAN_PROCESS_KERNEL_H

SOOTHI_C_BEGIN

#define SOOTH_GAUSS_MAX_LENGTHS 64 /* max number of columns with their own length */
#define SOOTH_GAUSS_NEW UINT32_MAX /* a group unknown to the model */
#define SOOTH_GAUSS_EACH_COLS 50   /* max number of columns with their own length by default */

typedef enum sooth_gauss_kernel {
    SOOTH_GAUSS_MATERN32 = 0, /* once differentiable: measurements */
    SOOTH_GAUSS_MATERN12,     /* continuous, rough */
    SOOTH_GAUSS_MATERN52,     /* twice differentiable */
    SOOTH_GAUSS_SQUARED,      /* smooth */
    SOOTH_GAUSS_KERNELS
} sooth_gauss_kernel;

#ifndef SOOTH_PREDICT_ONLY

/* Hyperparameters. Variances are in squared units of the targets, lengths in units of the columns. */
typedef struct sooth_gauss_parameters {
    uint32_t kernel;   /* a sooth_gauss_kernel */
    uint32_t lengths;  /* 1: length[0] is the length of every column; else one per column */
    double mean;       /* m */
    double signal;     /* variance explained by the columns */
    double level;      /* variance between groups; 0 means none */
    double noise;      /* variance of a measurement of weight 1 */
    double trend;      /* variance of the slopes of the linear part, in lengths; 0 means none */
    double likelihood; /* log marginal likelihood of the training rows */
    double length[SOOTH_GAUSS_MAX_LENGTHS];
} sooth_gauss_parameters;

typedef enum sooth_gauss_lengths {
    SOOTH_GAUSS_AUTO = 0, /* each for at most SOOTH_GAUSS_EACH_COLS columns */
    SOOTH_GAUSS_SHARED,   /* one length for all columns */
    SOOTH_GAUSS_EACH      /* one per column, shows the influence of each column */
} sooth_gauss_lengths;

typedef struct sooth_gauss_options {
    uint32_t kernel;       /* a sooth_gauss_kernel */
    uint32_t lengths;      /* a sooth_gauss_lengths */
    uint32_t independent;  /* 1: groups share only the hyperparameters; sooth_gauss_fit_parameters only */
    uint32_t no_level;     /* 1: groups have no level */
    uint32_t no_trend;     /* 1: no linear part */
    uint32_t zero_mean;    /* 1: the mean is 0, else that of the targets */
    uint32_t no_deviation; /* 1: omit the data for deviations, most of the model */
    uint32_t max_points;   /* max rows in the model; with more rows, inducing points; 0 means 2,000 */
    uint32_t inducing;     /* number of inducing points; 0 means 500, at most max_points */
    uint32_t learn_rows;   /* max rows used to learn the hyperparameters; 0 means 500, at most max_points */
    uint32_t most_rows;    /* independent groups: max rows that a group counts for; 0 means 20 */
    uint32_t starts;       /* starting points of the search, at most 8; 0 means 3 */
    uint32_t max_iter;     /* max steps from each start; 0 means 100 */
    uint32_t seed;         /* for drawing rows */
    double tolerance;      /* the search ends below this slope by the log of a parameter; 0 means 1e-4 */
    double signal;         /* given, not learned; 0 means learned, also for the next three */
    double length;         /* of every column */
    double level;
    double noise;
    const sooth_gauss_parameters *parameters; /* all given, nothing is learned; NULL means learned */
} sooth_gauss_options;

/* Learns the hyperparameters of maximal likelihood, within these bounds:
   - noise: 1e-10 to 10 times the variance of the targets, and at least the square of 2^-22 of their size;
   - signal: at most as many times the noise as floats hold (soothi_gauss_ratio, below), with a given noise
     1e3 times the variance of the targets;
   - level: 1e-6 to 1e3, trend: 1e-8 to 1e8 times the variance of the targets;
   - lengths: 1e-3 to 1e5 standard deviations of their column (shared: of all columns together).

   The trend is centred at the means of the columns. There is none with no_trend, if signal or length is
   given, for independent groups, or for more than SOOTH_GAUSS_MAX_LENGTHS columns.

   If there are more than learn_rows rows, this many are drawn. If these are more than 384, the starts are
   tried on 256 rows. Weights divide the noise, and rows of weight 0 are ignored.
   With options->independent the groups of the table are separate processes with mean 0. level is the variance
   of the constants of the groups, and the likelihood is the sum over groups. A group of more than most_rows
   rows counts for most_rows. Groups contribute at most 2 most_rows rows, drawn if they have more.
   With options->parameters, *learned is a copy of them with the likelihood for this table. Returns
   SOOTH_NOT_CONVERGED if no covariance is positive definite. env->loss_fn is called with the negative
   likelihood after every step. Steps count from 1 at each start. */
SOOTH_API sooth_status sooth_gauss_fit_parameters(sooth_env *env, const sooth_table *table,
                                                  const sooth_gauss_options *options,
                                                  sooth_gauss_parameters *theta);

/* Returns names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_gauss_options_list(void);

/* Checks the options and, if table is not NULL, whether they can be used with the table. Returns
   SOOTH_BAD_ARGUMENT or SOOTH_BAD_DATA with a sentence. A fit begins with this check. */
SOOTH_API sooth_status sooth_gauss_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_gauss_options *options);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_GAUSSIAN_PROCESS_KERNEL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GAUSSIAN_PROCESS_KERNEL_IMPLEMENTED)
#define SOOTH_GAUSSIAN_PROCESS_KERNEL_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the covariance ---- */

/* Returns c of a squared distance in lengths, clamped to 1e9, where c is 0. NaN gives NaN. */
SOOTHI_LOCAL float soothi_gauss_correlation(uint32_t kernel, float squared_distance) {
    const float u = soothi_of_bits(soothi_cut(soothi_bits(squared_distance), 0x4E6E6B28u /* 1e9 */));
    float a;
    switch (kernel) {
    case SOOTH_GAUSS_MATERN32: a = soothi_sqrt_f(3.0f * u); return (1.0f + a) * soothi_exp_f(-a);
    case SOOTH_GAUSS_MATERN12: return soothi_exp_f(-soothi_sqrt_f(u));
    case SOOTH_GAUSS_MATERN52:
        a = soothi_sqrt_f(5.0f * u);
        return (1.0f + a + a * a * 0.333333343f) * soothi_exp_f(-a);
    default: return soothi_exp_f(-0.5f * u);
    }
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

static const sooth_option soothi_gauss_option[] = {
    SOOTHI_CHOICE(sooth_gauss_options, kernel, "matern32|matern12|matern52|squared",
                  "covariance function, by smoothness"),
    SOOTHI_CHOICE(sooth_gauss_options, lengths, "auto|shared|each",
                  "one length for all columns, or one per column; auto means each up to 50 columns"),
    SOOTHI_FLAG(sooth_gauss_options, independent,
                "1: groups share only the hyperparameters (when these are learned)"),
    SOOTHI_FLAG(sooth_gauss_options, no_level, "1: groups have no levels"),
    SOOTHI_FLAG(sooth_gauss_options, no_trend, "1: no linear part, the process alone"),
    SOOTHI_FLAG(sooth_gauss_options, zero_mean, "1: the mean of the process is 0, else that of the targets"),
    SOOTHI_FLAG(sooth_gauss_options, no_deviation, "1: omit the data for deviations from the model"),
    SOOTHI_COUNT(sooth_gauss_options, max_points, 1, 8192, 2000,
                 "maximum rows in the model; more are approximated by inducing points"),
    SOOTHI_COUNT(sooth_gauss_options, inducing, 1, 8192, 500, "number of inducing points"),
    SOOTHI_COUNT(sooth_gauss_options, learn_rows, 2, 8192, 0,
                 "maximum rows used to learn the hyperparameters; 0 means 500, at most max_points"),
    SOOTHI_COUNT(sooth_gauss_options, most_rows, 1, 4096, 20,
                 "with independent=1: maximum rows that a group counts for"),
    SOOTHI_COUNT(sooth_gauss_options, starts, 1, 8, 3, "number of starting points of the search"),
    SOOTHI_COUNT(sooth_gauss_options, max_iter, 1, 100000, 100, "maximum steps from each starting point"),
    SOOTHI_COUNT(sooth_gauss_options, seed, 1, 4294967295.0, 0, "seed for drawing rows"),
    SOOTHI_NUMBER(sooth_gauss_options, tolerance, 1e-12, 1e6, 1e-4,
                  "slope of the log likelihood at which the search ends"),
    SOOTHI_NUMBER(sooth_gauss_options, signal, 1e-30, 1e30, 0,
                  "variance explained by the columns; 0 means learned"),
    SOOTHI_NUMBER(sooth_gauss_options, length, 1e-30, 1e30, 0, "length of every column; 0 means learned"),
    SOOTHI_NUMBER(sooth_gauss_options, level, 1e-30, 1e30, 0, "variance between groups; 0 means learned"),
    SOOTHI_NUMBER(sooth_gauss_options, noise, 1e-30, 1e30, 0, "variance of a measurement; 0 means learned"),
};

SOOTH_API sooth_option_list sooth_gauss_options_list(void) { return SOOTHI_OPTIONS(soothi_gauss_option); }

/* Returns the options with defaults in place of zeros. */
SOOTHI_LOCAL sooth_gauss_options soothi_gauss_filled(const sooth_gauss_options *options) {
    sooth_gauss_options o;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    soothi_option_fill(sooth_gauss_options_list(), &o);
    if (!o.learn_rows) o.learn_rows = o.max_points < 500 ? o.max_points : 500;
    return o;
}

SOOTHI_LOCAL int soothi_gauss_positive(double v) { return v > 0.0 && soothi_finite(v); }

/* Checks the parameters given in options->parameters. */
SOOTHI_LOCAL sooth_status soothi_gauss_check_parameters(sooth_env *env, const sooth_gauss_parameters *theta,
                                                        size_t cols) {
    if (theta->kernel >= SOOTH_GAUSS_KERNELS || (theta->lengths != 1 && theta->lengths != cols) ||
        theta->lengths > SOOTH_GAUSS_MAX_LENGTHS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the parameters have kernel %u and %u lengths, but the kernel must be at most %u, "
                          "with 1 length or one for each of %z columns",
                          theta->kernel, theta->lengths, (uint32_t)SOOTH_GAUSS_KERNELS - 1u, cols);
    if (!soothi_finite(theta->mean) || !soothi_gauss_positive(theta->signal) ||
        !soothi_gauss_positive(theta->noise) || !(theta->level >= 0.0) || !soothi_finite(theta->level))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the parameters have mean %g, signal %g, level %g, noise %g, but signal and noise "
                          "must be above 0 and all finite",
                          theta->mean, theta->signal, theta->level, theta->noise);
    if (!(theta->trend >= 0.0) || !soothi_finite(theta->trend) ||
        (theta->trend > 0.0 && cols > SOOTH_GAUSS_MAX_LENGTHS))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the parameters have the trend %g for %z columns, but it must be finite and at "
                          "least 0, and 0 for more than %u columns",
                          theta->trend, cols, (uint32_t)SOOTH_GAUSS_MAX_LENGTHS);
    for (size_t j = 0; j < theta->lengths; ++j)
        if (!soothi_gauss_positive(theta->length[j]))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "length %z of the parameters is %g, but must be above 0", j, theta->length[j]);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_gauss_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_gauss_options *options) {
    const sooth_gauss_options o = soothi_gauss_filled(options);
    sooth_status status = sooth_option_check(env, sooth_gauss_options_list(), &o);
    if (status != SOOTH_OK || !table) return status;
    status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (table->targets != 1)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z targets, but a Gaussian process learns one",
                          table->targets);
    if (o.lengths == SOOTH_GAUSS_EACH && table->cols > SOOTH_GAUSS_MAX_LENGTHS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "lengths is each, but the table has %z columns, more than %u; set lengths=shared",
                          table->cols, (uint32_t)SOOTH_GAUSS_MAX_LENGTHS);
    for (size_t i = 0; table->group && i < table->rows; ++i)
        if (table->group[i] == SOOTH_GAUSS_NEW)
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has the group %u, which is reserved for new groups", i + 1,
                              table->group[i]);
    if (o.independent && !table->group)
        return sooth_fail(env, SOOTH_BAD_DATA, "independent is 1, but the table has no groups");
    return o.parameters ? soothi_gauss_check_parameters(env, o.parameters, table->cols) : SOOTH_OK;
}

/* ---- the marginal likelihood and its gradient ---- */

/* Parameters of the search: logarithms of these, relative to the variance of the targets and to the spread of
   the columns. Signal is relative to the noise, if it is learned. The lengths follow. */
enum { SOOTHI_GAUSS_SIGNAL, SOOTHI_GAUSS_NOISE, SOOTHI_GAUSS_LEVEL, SOOTHI_GAUSS_TREND, SOOTHI_GAUSS_LENGTH };
#define SOOTHI_GAUSS_MOST_PARAMETERS (SOOTHI_GAUSS_LENGTH + SOOTH_GAUSS_MAX_LENGTHS)

/* Rows and their covariance. The rows of a process are contiguous. */
typedef struct soothi_gauss_job {
    sooth_env *env;
    const sooth_table *table;
    sooth_gauss_options o;
    size_t cols, lengths, parameters;
    size_t rows;   /* in use */
    size_t most;   /* max rows of one process */
    size_t stride; /* of the matrix */
    size_t processes;
    uint32_t *row;      /* rows: indices in the table */
    uint32_t *begin;    /* processes + 1: first row of each */
    uint64_t *entry;    /* 2 x rows of the table */
    uint32_t *group;    /* rows */
    double *x;          /* cols x rows: columns, divided by their spread */
    double *z;          /* cols x rows: columns, divided by their length */
    double *y, *noise;  /* rows: target, 1 / weight */
    double *matrix;     /* most x stride */
    double *work;       /* soothi_tiles_work */
    double *alpha;      /* most */
    double *spread;     /* cols */
    double *centre;     /* cols: where the trend is 0, in units of the table */
    double *middle;     /* cols: the same in lengths */
    double *part;       /* workers x (blocks + 3) x stride: rows of the inverse, and scratch */
    double *sums;       /* blocks of rows x parameters */
    size_t used;        /* rows of the table that have weight */
    double weight;      /* their mean weight */
    double mean, scale; /* of the targets: y = (target - mean) / scale */
    double theta[SOOTHI_GAUSS_MOST_PARAMETERS]; /* not logarithms */
    double least[SOOTHI_GAUSS_MOST_PARAMETERS], top[SOOTHI_GAUSS_MOST_PARAMETERS];
    size_t from, n;      /* the current process */
    sooth_status status; /* SOOTH_CANCELLED */
    void *memory;
    size_t bytes;
} soothi_gauss_job;

SOOTHI_LOCAL double soothi_gauss_weight(const sooth_table *table, size_t row) {
    return table->weight ? (double)table->weight[row] : 1.0;
}

/* Returns c, and in *slope its derivative by the squared distance u. The derivative of Matern 1/2 is infinite
   at 0, but is multiplied by 0, so *slope is 0 there. */
SOOTHI_LOCAL double soothi_gauss_curve(uint32_t kernel, double u, double *slope) {
    double a, e;
    switch (kernel) {
    case SOOTH_GAUSS_MATERN12:
        a = soothi_sqrt(u);
        e = soothi_exp(-a);
        *slope = a > 0.0 ? -0.5 * e / a : 0.0;
        return e;
    case SOOTH_GAUSS_MATERN32:
        a = soothi_sqrt(3.0 * u);
        e = soothi_exp(-a);
        *slope = -1.5 * e;
        return (1.0 + a) * e;
    case SOOTH_GAUSS_MATERN52:
        a = soothi_sqrt(5.0 * u);
        e = soothi_exp(-a);
        *slope = -5.0 / 6.0 * (1.0 + a) * e;
        return (1.0 + a + a * a / 3.0) * e;
    default:
        e = soothi_exp(-0.5 * u);
        *slope = -0.5 * e;
        return e;
    }
}

/* Computes u[0..n), the squared distances of a row from the rows of z, all in lengths. z and row hold `cols`
   columns, with strides zs and rs. */
SOOTHI_LOCAL void soothi_gauss_distances(const double *z, size_t zs, const double *row, size_t rs,
                                         size_t cols, size_t n, double *u) {
    for (size_t i = 0; i < n; ++i) u[i] = 0.0;
    for (size_t j = 0; j < cols; ++j, z += zs) {
        const double x = row[j * rs];
        for (size_t i = 0; i < n; ++i) u[i] += (z[i] - x) * (z[i] - x);
    }
}

/* Adds the covariances of the trend: trend times the product of the rows in lengths, around the centre. */
SOOTHI_LOCAL void soothi_gauss_add_trend(const soothi_gauss_job *job, size_t i, double *row) {
    const double trend = job->theta[SOOTHI_GAUSS_TREND];
    for (size_t l = 0; trend > 0.0 && l < job->cols; ++l) {
        const double *column = job->z + l * job->rows + job->from, middle = job->middle[l],
                     by = trend * (column[i] - middle);
        for (size_t j = 0; j <= i; ++j) row[j] += by * (column[j] - middle);
    }
}

/* Computes the covariances of 64 rows with all earlier rows and themselves. */
SOOTHI_LOCAL void soothi_gauss_fill(void *arg, size_t task, size_t worker) {
    const soothi_gauss_job *job = (const soothi_gauss_job *)arg;
    const double signal = job->theta[SOOTHI_GAUSS_SIGNAL], level = job->theta[SOOTHI_GAUSS_LEVEL];
    const double *z = job->z + job->from;
    const uint32_t *group = job->group + job->from;
    double unused;
    (void)worker;
    for (size_t i = task * SOOTHI_TILE; i < job->n && i < (task + 1) * SOOTHI_TILE; ++i) {
        double *row = job->matrix + i * job->stride;
        soothi_gauss_distances(z, job->rows, z + i, job->rows, job->cols, i, row);
        for (size_t j = 0; j < i; ++j)
            row[j] = signal * soothi_gauss_curve(job->o.kernel, row[j], &unused) +
                     (group[j] == group[i] ? level : 0.0);
        row[i] = signal + level + job->theta[SOOTHI_GAUSS_NOISE] * job->noise[job->from + i];
        soothi_gauss_add_trend(job, i, row);
    }
}

/* Adds the contribution of row i to the gradient by the trend and its lengths. w[0..i]: of the elements. */
SOOTHI_LOCAL void soothi_gauss_trend_slopes(const soothi_gauss_job *job, size_t i, const double *w,
                                            double *sum) {
    const double trend = job->theta[SOOTHI_GAUSS_TREND];
    for (size_t l = 0; trend > 0.0 && l < job->cols; ++l) {
        const double *column = job->z + l * job->rows + job->from, middle = job->middle[l];
        double product = 0.0;
        for (size_t j = 0; j <= i; ++j) product += w[j] * (column[j] - middle);
        product *= trend * (column[i] - middle);
        sum[SOOTHI_GAUSS_TREND] += product;
        sum[SOOTHI_GAUSS_LENGTH + (job->lengths > 1 ? l : 0)] -= 2.0 * product;
    }
}

/* Adds the contribution of 64 rows to the gradient. Computes their rows of K^-1 = L'^-1 L^-1 in scratch. */
SOOTHI_LOCAL void soothi_gauss_slopes(void *arg, size_t task, size_t worker) {
    const soothi_gauss_job *job = (const soothi_gauss_job *)arg;
    const size_t from = task * SOOTHI_TILE, stride = job->stride,
                 to = from + SOOTHI_TILE < job->n ? from + SOOTHI_TILE : job->n,
                 width = (to + 3) & ~(size_t)3;
    const double signal = job->theta[SOOTHI_GAUSS_SIGNAL], *z = job->z + job->from, *a = job->alpha;
    const uint32_t *group = job->group + job->from;
    double *inverse = job->part + worker * (SOOTHI_TILE + 2) * stride, *u = inverse + SOOTHI_TILE * stride,
           *g = u + stride, *sum = job->sums + task * job->parameters;
    memset(inverse, 0, SOOTHI_TILE * stride * sizeof *inverse);
    memset(sum, 0, job->parameters * sizeof *sum);
    soothi_gemm(soothi_has_avx2(), to - from, width, job->n - from, job->matrix + from * stride + from, 1,
                stride, job->matrix + from * stride, stride, inverse, stride);
    for (size_t i = from; i < to; ++i) {
        double *row = inverse + (i - from) * stride;
        soothi_gauss_distances(z, job->rows, z + i, job->rows, job->cols, i, u);
        for (size_t j = 0; j < i; ++j) {
            const double w = a[i] * a[j] - row[j], c = soothi_gauss_curve(job->o.kernel, u[j], &g[j]);
            g[j] *= -2.0 * w * signal;
            sum[SOOTHI_GAUSS_SIGNAL] += w * signal * c;
            if (group[i] == group[j]) sum[SOOTHI_GAUSS_LEVEL] += w * job->theta[SOOTHI_GAUSS_LEVEL];
        }
        const double w = 0.5 * (a[i] * a[i] - row[i]);
        sum[SOOTHI_GAUSS_SIGNAL] += w * signal;
        sum[SOOTHI_GAUSS_LEVEL] += w * job->theta[SOOTHI_GAUSS_LEVEL];
        sum[SOOTHI_GAUSS_NOISE] += w * job->theta[SOOTHI_GAUSS_NOISE] * job->noise[job->from + i];
        if (job->lengths == 1) sum[SOOTHI_GAUSS_LENGTH] += soothi_dot(g, u, i);
        for (size_t l = 0; job->lengths > 1 && l < job->cols; ++l) {
            const double *column = z + l * job->rows;
            for (size_t j = 0; j < i; ++j) u[j] = (column[j] - column[i]) * (column[j] - column[i]);
            sum[SOOTHI_GAUSS_LENGTH + l] += soothi_dot(g, u, i);
        }
        for (size_t j = 0; j < i; ++j) row[j] = a[i] * a[j] - row[j];
        row[i] = w;
        soothi_gauss_trend_slopes(job, i, row, sum);
    }
}

/* Computes x = L'^-1 L^-1 b for a factor with row stride `stride`. Returns |L^-1 b|^2. */
SOOTHI_LOCAL double soothi_gauss_solve(const double *l, size_t n, size_t stride, const double *b, double *x) {
    for (size_t i = 0; i < n; ++i) x[i] = (b[i] - soothi_dot(l + i * stride, x, i)) / l[i * stride + i];
    const double square = soothi_dot(x, x, n);
    for (size_t i = n; i-- > 0;) {
        x[i] /= l[i * stride + i];
        for (size_t k = 0; k < i; ++k) x[k] -= l[i * stride + k] * x[i];
    }
    return square;
}

/* Factors the covariance of process k and solves for alpha. Returns 0 if it is not positive definite. *value:
   the log marginal likelihood. */
SOOTHI_LOCAL int soothi_gauss_factorise(soothi_gauss_job *job, size_t k, double *value) {
    job->from = job->begin[k];
    job->n = job->begin[k + 1] - job->from;
    sooth_env *env = job->n > 2 * SOOTHI_TILE ? job->env : NULL;
    soothi_parallel(env, (job->n + SOOTHI_TILE - 1) / SOOTHI_TILE, soothi_gauss_fill, job);
    if (!soothi_tiles_cholesky(env, job->matrix, job->n, job->stride, job->work)) return 0;
    *value = -0.5 * soothi_gauss_solve(job->matrix, job->n, job->stride, job->y + job->from, job->alpha);
    for (size_t i = 0; i < job->n; ++i)
        *value -= soothi_log(job->matrix[i * job->stride + i]) + 0.91893853320467274178;
    return 1;
}

/* Adds `share` times the log marginal likelihood of process k to *value, and its gradient to
   slope[parameters] (may be NULL). Returns 0 if the covariance is not positive definite.
     log p = -1/2 y' K^-1 y - 1/2 log |K| - n/2 log 2 pi,
     d log p / d t = 1/2 tr((a a' - K^-1) dK/dt), a = K^-1 y
   (Rasmussen and Williams 2006, equations 2.30 and 5.9). */
SOOTHI_LOCAL int soothi_gauss_process(soothi_gauss_job *job, size_t k, double share, double *value,
                                      double *slope) {
    double log_p;
    if (!soothi_gauss_factorise(job, k, &log_p)) return 0;
    *value += share * log_p;
    if (!slope) return 1;
    sooth_env *env = job->n > 2 * SOOTHI_TILE ? job->env : NULL;
    const size_t tasks = (job->n + SOOTHI_TILE - 1) / SOOTHI_TILE;
    soothi_tiles_inverse(env, job->matrix, job->n, job->stride, job->work);
    soothi_parallel(env, tasks, soothi_gauss_slopes, job);
    for (size_t t = 0; t < tasks; ++t)
        for (size_t i = 0; i < job->parameters; ++i) slope[i] += share * job->sums[t * job->parameters + i];
    return 1;
}

/* Divides the columns by their lengths. */
SOOTHI_LOCAL void soothi_gauss_stretch(soothi_gauss_job *job) {
    for (size_t j = 0; j < job->cols; ++j) {
        const double steep = 1.0 / job->theta[SOOTHI_GAUSS_LENGTH + (job->lengths > 1 ? j : 0)];
        for (size_t i = 0; i < job->rows; ++i) job->z[j * job->rows + i] = job->x[j * job->rows + i] * steep;
        job->middle[j] = job->centre[j] / job->spread[j] * steep;
    }
}

/* Returns the weight of process k. */
SOOTHI_LOCAL double soothi_gauss_share(const soothi_gauss_job *job, size_t k) {
    const double n = (double)(job->begin[k + 1] - job->begin[k]), most = (double)job->o.most_rows;
    return job->o.independent && n > most ? most / n : 1.0;
}

/* Converts the logarithms of the search to parameters relative to the variance of the targets. */
SOOTHI_LOCAL void soothi_gauss_of_logarithms(const soothi_gauss_job *job, const double *t, double *theta) {
    for (size_t i = 0; i < job->parameters; ++i) theta[i] = soothi_exp(t[i]);
    if (!(job->o.signal > 0.0)) theta[SOOTHI_GAUSS_SIGNAL] *= theta[SOOTHI_GAUSS_NOISE];
    if (job->o.no_level) theta[SOOTHI_GAUSS_LEVEL] = 0.0;
    if (job->o.no_trend) theta[SOOTHI_GAUSS_TREND] = 0.0;
}

/* The objective to minimise: minus the log likelihood at the logarithms t of the parameters, and its gradient
   (may be NULL). Infinite or NaN if it cannot be computed. */
SOOTHI_LOCAL double soothi_gauss_objective(soothi_gauss_job *job, const double *t, double *slope) {
    double value = 0.0;
    soothi_gauss_of_logarithms(job, t, job->theta);
    soothi_gauss_stretch(job);
    for (size_t i = 0; slope && i < job->parameters; ++i) slope[i] = 0.0;
    for (size_t k = 0; k < job->processes; ++k)
        if (!soothi_gauss_process(job, k, soothi_gauss_share(job, k), &value, slope)) return SOOTHI_INFINITE;
    if (slope && !(job->o.signal > 0.0)) slope[SOOTHI_GAUSS_NOISE] += slope[SOOTHI_GAUSS_SIGNAL];
    for (size_t i = 0; slope && i < job->parameters; ++i) slope[i] = -slope[i];
    return -value;
}

/* ---- the search: projected L-BFGS ---- */

enum { SOOTHI_GAUSS_MEMORY = 8 };

typedef struct soothi_gauss_search {
    size_t n, pairs;
    double at[SOOTHI_GAUSS_MOST_PARAMETERS], slope[SOOTHI_GAUSS_MOST_PARAMETERS];
    double next[SOOTHI_GAUSS_MOST_PARAMETERS], turn[SOOTHI_GAUSS_MOST_PARAMETERS];
    double way[SOOTHI_GAUSS_MOST_PARAMETERS];
    double moved[SOOTHI_GAUSS_MEMORY][SOOTHI_GAUSS_MOST_PARAMETERS];  /* the newest first */
    double turned[SOOTHI_GAUSS_MEMORY][SOOTHI_GAUSS_MOST_PARAMETERS]; /* change of the gradient there */
    uint32_t held[SOOTHI_GAUSS_MOST_PARAMETERS]; /* 1: at a bound, and descent points beyond it */
} soothi_gauss_search;

SOOTHI_LOCAL double soothi_gauss_dot(const soothi_gauss_search *s, const double *a, const double *b) {
    double sum = 0.0;
    for (size_t i = 0; i < s->n; ++i)
        if (!s->held[i]) sum += a[i] * b[i];
    return sum;
}

/* way = -H slope among the free parameters (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.4,
   with the pairs restricted to these parameters). */
SOOTHI_LOCAL void soothi_gauss_direct(soothi_gauss_search *s) {
    double a[SOOTHI_GAUSS_MEMORY], r[SOOTHI_GAUSS_MEMORY], h = 0.0;
    for (size_t i = 0; i < s->n; ++i) s->way[i] = s->held[i] ? 0.0 : -s->slope[i];
    for (size_t k = 0; k < s->pairs; ++k) {
        const double sy = soothi_gauss_dot(s, s->moved[k], s->turned[k]),
                     yy = soothi_gauss_dot(s, s->turned[k], s->turned[k]);
        r[k] = sy > 1e-10 * yy && yy > 0.0 ? 1.0 / sy : 0.0;
        if (!(h > 0.0) && r[k] > 0.0) h = sy / yy;
        a[k] = r[k] * soothi_gauss_dot(s, s->moved[k], s->way);
        for (size_t i = 0; i < s->n; ++i)
            if (!s->held[i]) s->way[i] -= a[k] * s->turned[k][i];
    }
    for (size_t i = 0; h > 0.0 && i < s->n; ++i) s->way[i] *= h;
    for (size_t k = s->pairs; k-- > 0;) {
        const double b = r[k] * soothi_gauss_dot(s, s->turned[k], s->way);
        for (size_t i = 0; i < s->n; ++i)
            if (!s->held[i]) s->way[i] += (a[k] - b) * s->moved[k][i];
    }
}

/* Stores the step from at to next, and moves to next. */
SOOTHI_LOCAL void soothi_gauss_step(soothi_gauss_search *s) {
    if (s->pairs < SOOTHI_GAUSS_MEMORY) ++s->pairs;
    for (size_t k = s->pairs; k-- > 1;) {
        memcpy(s->moved[k], s->moved[k - 1], sizeof s->moved[k]);
        memcpy(s->turned[k], s->turned[k - 1], sizeof s->turned[k]);
    }
    for (size_t i = 0; i < s->n; ++i) {
        s->moved[0][i] = s->next[i] - s->at[i];
        s->turned[0][i] = s->turn[i] - s->slope[i];
        s->at[i] = s->next[i];
        s->slope[i] = s->turn[i];
    }
}

/* Marks the parameters held at a bound. Returns the largest slope of a free parameter. */
SOOTHI_LOCAL double soothi_gauss_hold(const soothi_gauss_job *job, soothi_gauss_search *s) {
    double most = 0.0;
    for (size_t i = 0; i < s->n; ++i) {
        s->held[i] = (s->at[i] <= job->least[i] && s->slope[i] >= 0.0) ||
                     (s->at[i] >= job->top[i] && s->slope[i] <= 0.0);
        if (!s->held[i] && soothi_abs(s->slope[i]) > most) most = soothi_abs(s->slope[i]);
    }
    return most;
}

/* Returns the log-likelihood correction of process k for targets divided by their scale. */
SOOTHI_LOCAL double soothi_gauss_unscaled(const soothi_gauss_job *job, size_t k) {
    return soothi_gauss_share(job, k) * (double)(job->begin[k + 1] - job->begin[k]) * soothi_log(job->scale);
}

/* Reports minus the log likelihood after a step to the host. */
SOOTHI_LOCAL void soothi_gauss_tell(const soothi_gauss_job *job, uint32_t step, double value) {
    if (!soothi_wants_loss(job->env)) return;
    for (size_t k = 0; k < job->processes; ++k) value += soothi_gauss_unscaled(job, k);
    soothi_report_loss(job->env, "learning a Gaussian process", step + 1, value, (double)soothi_missing());
}

/* Descends from s->at within the bounds. Each step goes along the projected direction until the Armijo
   condition holds with factor 1e-4 (Bertsekas 1982). A step changes no parameter by more than a factor e^2.
   Returns the objective at the final s->at. */
SOOTHI_LOCAL double soothi_gauss_descend(soothi_gauss_job *job, soothi_gauss_search *s) {
    double value = soothi_gauss_objective(job, s->at, s->slope);
    s->n = job->parameters;
    s->pairs = 0;
    if (!soothi_finite(value)) return value;
    for (uint32_t step = 0; step < job->o.max_iter; ++step) {
        double longest = 0.0, length = 1.0, next = SOOTHI_INFINITE, promise, down = 0.0;
        if (soothi_gauss_hold(job, s) <= job->o.tolerance) break;
        job->status =
            soothi_progress(job->env, "learning a Gaussian process", (double)step / (double)job->o.max_iter);
        if (job->status != SOOTH_OK) return value;
        soothi_gauss_direct(s);
        if (!(soothi_gauss_dot(s, s->way, s->slope) < 0.0)) {
            s->pairs = 0;
            soothi_gauss_direct(s);
        }
        for (size_t i = 0; i < s->n; ++i)
            if (soothi_abs(s->way[i]) > longest) longest = soothi_abs(s->way[i]);
        if (longest > (s->pairs ? 2.0 : 0.5)) length = (s->pairs ? 2.0 : 0.5) / longest;
        for (uint32_t trial = 0; trial < 30; ++trial) {
            down = 0.0;
            for (size_t i = 0; i < s->n; ++i) {
                double v = s->at[i] + length * s->way[i];
                v = v < job->least[i] ? job->least[i] : v > job->top[i] ? job->top[i] : v;
                s->next[i] = v;
                down += s->slope[i] * (v - s->at[i]);
            }
            next = soothi_gauss_objective(job, s->next, s->turn);
            if (next <= value + 1e-4 * down) break;
            promise = -0.5 * down / (next - value - down); /* minimum of the parabola through these values */
            length *= promise > 0.5 ? 0.5 : promise > 0.1 ? promise : 0.1;
        }
        if (!(next <= value + 1e-4 * down)) break;
        const double gain = value - next;
        soothi_gauss_step(s);
        value = next;
        soothi_gauss_tell(job, step, value);
        if (gain <= 1e-12 * soothi_abs(value)) break;
    }
    return value;
}

/* ---- learning ---- */

SOOTHI_LOCAL size_t soothi_gauss_used(const sooth_table *table) {
    size_t n = 0;
    for (size_t i = 0; i < table->rows; ++i) n += soothi_gauss_weight(table, i) > 0.0;
    return n;
}

SOOTHI_LOCAL void soothi_gauss_carve(soothi_carver *c, soothi_gauss_job *job) {
    const size_t all = job->table->rows, kept = job->rows, stride = job->stride,
                 blocks = (job->most + SOOTHI_TILE - 1) / SOOTHI_TILE;
    job->row = (uint32_t *)soothi_carve(c, all, sizeof(uint32_t));
    job->begin = (uint32_t *)soothi_carve(c, all + 1, sizeof(uint32_t));
    job->entry = (uint64_t *)soothi_carve(c, soothi_product(2, all), sizeof(uint64_t));
    job->group = (uint32_t *)soothi_carve(c, kept, sizeof(uint32_t));
    job->x = (double *)soothi_carve(c, soothi_product(kept, job->cols), sizeof(double));
    job->z = (double *)soothi_carve(c, soothi_product(kept, job->cols), sizeof(double));
    job->y = (double *)soothi_carve(c, kept, sizeof(double));
    job->noise = (double *)soothi_carve(c, kept, sizeof(double));
    job->matrix = (double *)soothi_carve(c, soothi_product(job->most, stride), sizeof(double));
    job->work = (double *)soothi_carve(c, soothi_tiles_work(stride), sizeof(double));
    job->alpha = (double *)soothi_carve(c, job->most, sizeof(double));
    job->spread = (double *)soothi_carve(c, job->cols, sizeof(double));
    job->centre = (double *)soothi_carve(c, job->cols, sizeof(double));
    job->middle = (double *)soothi_carve(c, job->cols, sizeof(double));
    job->part = (double *)soothi_carve(
        c, soothi_product(soothi_workers(job->env), soothi_product(SOOTHI_TILE + 2, stride)), sizeof(double));
    job->sums = (double *)soothi_carve(c, soothi_product(blocks, job->parameters), sizeof(double));
}

/* Shuffles row[0..n) and keeps the first `wanted`, in order. */
SOOTHI_LOCAL size_t soothi_gauss_draw(const soothi_gauss_job *job, uint32_t *row, size_t n, size_t wanted,
                                      uint64_t stream) {
    sooth_rng rng;
    if (n <= wanted) return n;
    sooth_rng_init(&rng, job->o.seed, stream);
    sooth_rng_shuffle(&rng, row, n);
    return wanted;
}

/* Chooses the training rows and assigns them to processes. */
SOOTHI_LOCAL void soothi_gauss_choose(soothi_gauss_job *job) {
    const sooth_table *table = job->table;
    size_t used = 0, kept = 0;
    for (size_t i = 0; i < table->rows; ++i)
        if (soothi_gauss_weight(table, i) > 0.0)
            job->entry[used++] = (uint64_t)(job->o.independent ? table->group[i] : 0u) << 32 | (uint32_t)i;
    soothi_entry_sort(job->entry, job->entry + table->rows, used);
    job->processes = 0;
    for (size_t i = 0, next; i < used; i = next) {
        for (next = i; next < used && job->entry[next] >> 32 == job->entry[i] >> 32; ++next)
            job->row[kept + next - i] = soothi_entry_row(job->entry[next]);
        job->begin[job->processes] = (uint32_t)kept;
        kept += soothi_gauss_draw(job, job->row + kept, next - i, job->most, job->processes++);
    }
    job->begin[job->processes] = (uint32_t)kept;
    job->rows = kept;
}

/* Returns the mean of value[0..rows) and the root mean square around it, weighted by 1 / noise. */
SOOTHI_LOCAL double soothi_gauss_spread(const soothi_gauss_job *job, const double *value, double *mean) {
    double sum = 0.0, weights = 0.0, squares = 0.0;
    for (size_t i = 0; i < job->rows; ++i) {
        sum += value[i] / job->noise[i];
        weights += 1.0 / job->noise[i];
    }
    *mean = sum / weights;
    for (size_t i = 0; i < job->rows; ++i) squares += (value[i] - *mean) * (value[i] - *mean) / job->noise[i];
    return soothi_sqrt(squares / weights);
}

/* Copies the rows, and scales columns and targets to order one. Targets that differ by less than 1e-7 of
   their mean, or 1e-30, count as equal. */
SOOTHI_LOCAL void soothi_gauss_prepare(soothi_gauss_job *job) {
    const sooth_table *table = job->table;
    double together = 0.0, vary = 0.0, mean;
    for (size_t i = 0; i < job->rows; ++i) {
        job->noise[i] = 1.0 / soothi_gauss_weight(table, job->row[i]);
        job->y[i] = (double)table->y[job->row[i]];
        job->group[i] = table->group ? table->group[job->row[i]] : 0;
    }
    job->scale = soothi_gauss_spread(job, job->y, &mean);
    if (job->o.zero_mean) job->scale = soothi_sqrt(job->scale * job->scale + mean * mean);
    else if (!(job->scale > 1e-7 * soothi_abs(mean))) job->scale = 1e-7 * soothi_abs(mean);
    if (!(job->scale > 1e-30)) job->scale = 1e-30;
    job->mean = job->o.parameters ? job->o.parameters->mean : job->o.zero_mean ? 0.0 : mean;
    for (size_t i = 0; i < job->rows; ++i) job->y[i] = (job->y[i] - job->mean) / job->scale;
    for (size_t j = 0; j < job->cols; ++j) {
        for (size_t i = 0; i < job->rows; ++i)
            job->x[j * job->rows + i] = (double)table->x[job->row[i] * table->stride + j];
        job->spread[j] = soothi_gauss_spread(job, job->x + j * job->rows, &mean);
        job->centre[j] = (double)(float)mean; /* as the model holds it */
        if (!(job->spread[j] > 1e-30)) job->spread[j] = 0.0;
        together += job->spread[j] * job->spread[j];
        vary += job->spread[j] > 0.0;
    }
    together = together > 0.0 ? soothi_sqrt(together / vary) : 1.0;
    for (size_t j = 0; j < job->cols; ++j) {
        if (job->lengths == 1 || !(job->spread[j] > 0.0)) job->spread[j] = together;
        for (size_t i = 0; i < job->rows; ++i) job->x[j * job->rows + i] /= job->spread[j];
    }
}

SOOTHI_LOCAL void soothi_gauss_bound(soothi_gauss_job *job, size_t i, double least, double most,
                                     double given) {
    job->least[i] = soothi_log(given > 0.0 ? given : least);
    job->top[i] = soothi_log(given > 0.0 ? given : most);
}

/* Returns the largest ratio of signal to noise that predictions in floats hold, for n points of this mean
   weight. A prediction adds n terms a_i c_i in 16 lanes. a_i is signal / noise times the residual, whose root
   mean square is at most the deviation of the noise. Let e = 2^-24 / sqrt 3 be the deviation of a rounding.
   A term has five roundings. The partial sums of a lane grow as their root, and add e^2 n^2 / 32 in total. So
   the rounding has the deviation

     e sqrt(n (5 + n / 32)) signal / sqrt noise,

   which may be half of the deviation of the noise. */
SOOTHI_LOCAL double soothi_gauss_ratio(double n, double weight) {
    return 0.5 * 29058990.0 /* 1 / e */ / (soothi_sqrt(n * (5.0 + n / 32.0)) * weight);
}

/* Sets the bounds. The trend and the sum with the mean round too, by a few 2^-24 of their size. */
SOOTHI_LOCAL void soothi_gauss_bounds(soothi_gauss_job *job) {
    const double variance = job->scale * job->scale, ulp = 2.384185791015625e-7,
                 size = job->mean / job->scale;
    const double points = (double)(job->used < job->o.max_points ? job->used : job->o.max_points);
    double ratio = soothi_gauss_ratio(points, job->weight), least = ulp * ulp * (1.0 + size * size);
    if (job->o.independent) ratio = 1e9; /* no model is made */
    if (job->o.noise > 0.0) ratio = 1e3 * variance / job->o.noise;
    if (!(ratio > 1.0)) ratio = 1.0;
    if (least < 1e-10) least = 1e-10;
    if (job->o.signal / variance > ratio * least) least = job->o.signal / variance / ratio;
    soothi_gauss_bound(job, SOOTHI_GAUSS_NOISE, least, least > 1e1 ? least : 1e1, job->o.noise / variance);
    soothi_gauss_bound(job, SOOTHI_GAUSS_SIGNAL, 1e-6, ratio, job->o.signal / variance);
    soothi_gauss_bound(job, SOOTHI_GAUSS_LEVEL, 1e-6, 1e3, job->o.no_level ? 1.0 : job->o.level / variance);
    soothi_gauss_bound(job, SOOTHI_GAUSS_TREND, 1e-8, 1e8, job->o.no_trend ? 1.0 : 0.0);
    for (size_t j = 0; j < job->lengths; ++j)
        soothi_gauss_bound(job, SOOTHI_GAUSS_LENGTH + j, 1e-3, 1e5, job->o.length / job->spread[j]);
}

/* Returns start `number` of the search. The first has lengths of half the diagonal of the columns'
   spreads. */
SOOTHI_LOCAL void soothi_gauss_start(const soothi_gauss_job *job, uint32_t number, double *at) {
    static const double length[8] = {0.5, 0.1, 2.0, 0.25, 1.0, 5.0, 0.05, 0.02},
                        noise[8] = {0.1, 0.01, 0.1, 0.3, 0.001, 0.01, 0.1, 0.5};
    at[SOOTHI_GAUSS_NOISE] = soothi_log(noise[number]);
    if (job->o.noise > 0.0) at[SOOTHI_GAUSS_NOISE] = job->least[SOOTHI_GAUSS_NOISE];
    at[SOOTHI_GAUSS_SIGNAL] = job->o.signal > 0.0 ? 0.0 : -at[SOOTHI_GAUSS_NOISE];
    at[SOOTHI_GAUSS_TREND] = soothi_log(0.1);
    at[SOOTHI_GAUSS_LEVEL] = soothi_log(0.3);
    for (size_t j = 0; j < job->lengths; ++j)
        at[SOOTHI_GAUSS_LENGTH + j] = soothi_log(length[number] * soothi_sqrt((double)job->cols));
}

/* Converts parameters to the logarithms used by the search, and back. */
SOOTHI_LOCAL void soothi_gauss_enter(const soothi_gauss_job *job, const sooth_gauss_parameters *theta,
                                     double *at) {
    const double variance = job->scale * job->scale;
    at[SOOTHI_GAUSS_SIGNAL] = soothi_log(theta->signal / (job->o.signal > 0.0 ? variance : theta->noise));
    at[SOOTHI_GAUSS_NOISE] = soothi_log(theta->noise / variance);
    at[SOOTHI_GAUSS_TREND] = theta->trend > 0.0 ? soothi_log(theta->trend / variance) : soothi_log(1e-8);
    at[SOOTHI_GAUSS_LEVEL] = theta->level > 0.0 ? soothi_log(theta->level / variance) : 0.0;
    for (size_t j = 0; j < job->lengths; ++j)
        at[SOOTHI_GAUSS_LENGTH + j] = soothi_log(theta->length[theta->lengths > 1 ? j : 0] / job->spread[j]);
}

SOOTHI_LOCAL void soothi_gauss_leave(const soothi_gauss_job *job, const double *at,
                                     sooth_gauss_parameters *theta) {
    const double variance = job->scale * job->scale;
    double of[SOOTHI_GAUSS_MOST_PARAMETERS];
    soothi_gauss_of_logarithms(job, at, of);
    memset(theta, 0, sizeof *theta);
    theta->kernel = job->o.kernel;
    theta->lengths = (uint32_t)job->lengths;
    theta->mean = job->mean;
    theta->signal = of[SOOTHI_GAUSS_SIGNAL] * variance;
    theta->noise = of[SOOTHI_GAUSS_NOISE] * variance;
    theta->level = of[SOOTHI_GAUSS_LEVEL] * variance;
    if (at[SOOTHI_GAUSS_TREND] > job->least[SOOTHI_GAUSS_TREND])
        theta->trend = of[SOOTHI_GAUSS_TREND] * variance;
    for (size_t j = 0; j < job->lengths; ++j) theta->length[j] = of[SOOTHI_GAUSS_LENGTH + j] * job->spread[j];
}

/* Searches from each start, or from *theta if `begun`. Stores the best parameters. */
SOOTHI_LOCAL sooth_status soothi_gauss_seek(soothi_gauss_job *job, int begun, sooth_gauss_parameters *theta) {
    soothi_gauss_search s;
    double best[SOOTHI_GAUSS_MOST_PARAMETERS], value = SOOTHI_INFINITE;
    memset(&s, 0, sizeof s);
    memset(best, 0, sizeof best);
    for (uint32_t k = 0; k < (begun ? 1 : job->o.starts); ++k) {
        if (begun) soothi_gauss_enter(job, theta, s.at);
        else soothi_gauss_start(job, k, s.at);
        for (size_t i = 0; !job->o.parameters && i < job->parameters; ++i)
            s.at[i] = s.at[i] < job->least[i] ? job->least[i] : s.at[i] > job->top[i] ? job->top[i] : s.at[i];
        const double found =
            job->o.parameters ? soothi_gauss_objective(job, s.at, NULL) : soothi_gauss_descend(job, &s);
        if (job->status != SOOTH_OK) return job->status;
        if (!(found < value)) continue;
        value = found;
        memcpy(best, s.at, sizeof best);
    }
    if (!soothi_finite(value))
        return sooth_fail(job->env, SOOTH_NOT_CONVERGED,
                          "the covariance of the rows is not positive definite; increase the noise");
    if (!job->o.parameters) soothi_gauss_leave(job, best, theta);
    theta->likelihood = -value;
    for (size_t k = 0; k < job->processes; ++k) /* for the unscaled targets */
        theta->likelihood -= soothi_gauss_unscaled(job, k);
    return SOOTH_OK;
}

/* Returns 1 if each column has a length of its own. */
SOOTHI_LOCAL int soothi_gauss_each(const sooth_gauss_options *o, size_t cols) {
    if (o->lengths != SOOTH_GAUSS_AUTO) return o->lengths == SOOTH_GAUSS_EACH;
    return !(o->length > 0.0) && cols <= SOOTH_GAUSS_EACH_COLS;
}

/* Takes at most `most` rows (of each process) of the table, and allocates the memory. */
SOOTHI_LOCAL sooth_status soothi_gauss_open(soothi_gauss_job *job, sooth_env *env, const sooth_table *table,
                                            const sooth_gauss_options *o, size_t most) {
    soothi_carver c = {NULL, 0};
    memset(job, 0, sizeof *job);
    job->env = env;
    job->table = table;
    job->o = *o;
    job->o.zero_mean |= job->o.independent;
    job->o.no_level |= !table->group;
    if (o->parameters) {
        job->o.kernel = o->parameters->kernel;
        job->o.no_level |= !(o->parameters->level > 0.0);
        job->o.no_trend = !(o->parameters->trend > 0.0);
        job->o.signal = 0.0;
    } else if (o->independent || o->signal > 0.0 || o->length > 0.0 ||
               table->cols > SOOTH_GAUSS_MAX_LENGTHS) {
        job->o.no_trend = 1;
    }
    job->cols = table->cols;
    job->used = job->rows = soothi_gauss_used(table);
    job->lengths = o->parameters ? o->parameters->lengths : soothi_gauss_each(o, job->cols) ? table->cols : 1;
    job->parameters = SOOTHI_GAUSS_LENGTH + job->lengths;
    for (size_t i = 0; i < table->rows; ++i) job->weight += soothi_gauss_weight(table, i) / (double)job->used;
    job->most = job->rows < most ? job->rows : most;
    if (!job->o.independent) job->rows = job->most;
    job->stride = (job->most + 3) & ~(size_t)3;
    soothi_gauss_carve(&c, job);
    job->bytes = c.used;
    job->memory = sooth_alloc(env, job->bytes, 1);
    if (!job->memory) return sooth_no_memory(env, "a Gaussian process", job->bytes);
    memset(job->memory, 0, job->bytes);
    c.memory = (unsigned char *)job->memory;
    c.used = 0;
    soothi_gauss_carve(&c, job);
    soothi_gauss_choose(job);
    soothi_gauss_prepare(job);
    soothi_gauss_bounds(job);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_gauss_close(soothi_gauss_job *job) {
    sooth_free(job->env, job->memory, job->bytes, 1);
}

enum { SOOTHI_GAUSS_FEW = 256, SOOTHI_GAUSS_MANY = 384 };

SOOTH_API sooth_status sooth_gauss_fit_parameters(sooth_env *env, const sooth_table *table,
                                                  const sooth_gauss_options *options,
                                                  sooth_gauss_parameters *theta) {
    soothi_gauss_job job;
    const sooth_gauss_options o = soothi_gauss_filled(options);
    sooth_status status = sooth_gauss_check_options(env, table, options);
    memset(theta, 0, sizeof *theta);
    if (status == SOOTH_OK && !table) status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    const size_t most = o.independent ? 2 * (size_t)o.most_rows : o.learn_rows;
    int begun = o.parameters != NULL;
    if (begun) *theta = *o.parameters;
    if (!begun && !o.independent && o.starts > 1 && most > SOOTHI_GAUSS_MANY &&
        soothi_gauss_used(table) > SOOTHI_GAUSS_MANY) {
        status = soothi_gauss_open(&job, env, table, &o, SOOTHI_GAUSS_FEW);
        if (status != SOOTH_OK) return status;
        status = soothi_gauss_seek(&job, 0, theta);
        soothi_gauss_close(&job);
        if (status != SOOTH_OK) return status;
        begun = 1;
    }
    status = soothi_gauss_open(&job, env, table, &o, most);
    if (status != SOOTH_OK) return status;
    status = soothi_gauss_seek(&job, begun, theta);
    soothi_gauss_close(&job);
    if (status != SOOTH_OK) memset(theta, 0, sizeof *theta);
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
