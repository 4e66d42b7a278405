/* test_linear.c - linear regression against certified values, numpy and scipy, closed forms and simulation.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/linear.h"
#include "check.h"
#include "golden/linear.h"
#include "golden/nist.h"
#include "lies.h"

static sooth_env env;
static const sooth_linear_options through_origin = {.no_intercept = 1};

/* ---- NIST ---- */

/* Correct digits of a result: -log10 of the relative error (absolute where the certified value is 0), at most
   15. */
static double digits(double got, double certified) {
    double error = fabs(got - certified) / (certified != 0.0 ? fabs(certified) : 1.0);
    return error < 1e-15 ? 15.0 : -log10(error);
}

/* Column j of the certified values is the intercept when first is 1. */
static void check_nist(const nist_values *nist, const double *x, const double *y, size_t rows, size_t cols,
                       double least) {
    const int first = nist->terms == cols + 1;
    sooth_linear *model;
    sooth_linear_summary report;
    double coefficients = 15, errors = 15;
    size_t j;
    CHECK_STATUS(
        soothi_linear_fit_double(&env, x, y, NULL, rows, cols, 1, first ? NULL : &through_origin, &model),
        SOOTH_OK);
    if (!model) return;
    CHECK(model->rank == nist->terms);
    for (j = 0; j < nist->terms; ++j) {
        size_t column = first ? (j + cols) % (cols + 1) : j;
        double d = digits(sooth_linear_coefficient(model, 0, column), nist->coefficient[j]);
        double e = digits(sooth_linear_standard_error(model, 0, column), nist->error[j]);
        if (d < coefficients) coefficients = d;
        if (e < errors) errors = e;
    }
    sooth_linear_summarise(NULL, model, 0, &report);
    printf("  %-9s correct digits: coefficients %4.1f, their errors %4.1f, sigma %4.1f, R2 %4.1f; condition "
           "%.1e\n",
           nist->name, coefficients, errors, digits(report.sigma, nist->sigma), digits(report.r2, nist->r2),
           report.condition);
    CHECK(coefficients >= least && errors >= least);
    CHECK(digits(report.sigma, nist->sigma) >= least && digits(report.r2, nist->r2) >= least);
    sooth_linear_free(&env, model);
}

static void nist_straight_lines(void) {
    double x[40], squares[80];
    size_t i;
    static const double noint2_x[] = {4, 5, 6}, noint2_y[] = {3, 4, 4};
    double noint1_x[11], noint1_y[11];
    check_nist(&nist_norris, norris_x, norris_y, 36, 1, 9);
    for (i = 0; i < 40; ++i) {
        x[i] = 150000.0 * (double)(1 + i % 20);
        squares[2 * i] = x[i];
        squares[2 * i + 1] = x[i] * x[i];
    }
    check_nist(&nist_pontius, squares, pontius_y, 40, 2, 9);
    for (i = 0; i < 11; ++i) {
        noint1_x[i] = 60.0 + (double)i;
        noint1_y[i] = 130.0 + (double)i;
    }
    check_nist(&nist_noint1, noint1_x, noint1_y, 11, 1, 9);
    check_nist(&nist_noint2, noint2_x, noint2_y, 3, 1, 9);
}

static void nist_longley_and_filip(void) {
    double x[820];
    size_t i, k;
    check_nist(&nist_longley, longley_x, longley_y, 16, 6, 9);
    for (i = 0; i < 82; ++i)
        for (k = 0; k < 10; ++k) x[10 * i + k] = k ? x[10 * i + k - 1] * filip_x[i] : filip_x[i];
    check_nist(&nist_filip, x, filip_y, 82, 10, 7);
}

static void nist_wampler(void) {
    static const nist_values *const values[] = {&nist_wampler1, &nist_wampler2, &nist_wampler3,
                                                &nist_wampler4, &nist_wampler5};
    static const double noise[] = {0, 0, 1, 100, 10000};
    double x[105], y[21];
    size_t i, k, w;
    for (i = 0; i < 21; ++i)
        for (k = 0; k < 5; ++k) x[5 * i + k] = k ? x[5 * i + k - 1] * (double)i : (double)i;
    for (w = 0; w < 5; ++w) {
        for (i = 0; i < 21; ++i) {
            y[i] = 1.0 + noise[w] * wampler_noise[i];
            for (k = 0; k < 5; ++k) y[i] += x[5 * i + k] * values[w]->coefficient[k + 1];
        }
        check_nist(values[w], x, y, 21, 5, 9);
    }
}

/* ---- numpy and scipy ---- */

static void check_coefficients(const double *weight, const sooth_linear_options *options,
                               const double *expected, size_t count, double tolerance, const double *errors) {
    sooth_linear *model;
    size_t j;
    CHECK_STATUS(soothi_linear_fit_double(&env, golden_x, golden_y, weight, 40, 4, 1, options, &model),
                 SOOTH_OK);
    if (!model) return;
    for (j = 0; j < count; ++j)
        CHECK_NEAR(sooth_linear_coefficient(model, 0, j), expected[j], tolerance * (1 + fabs(expected[j])));
    for (j = 0; errors && j < count; ++j)
        CHECK_CLOSE(sooth_linear_standard_error(model, 0, j), errors[j], 1e-10);
    CHECK(sooth_linear_check(model, model->head.size));
    sooth_linear_free(&env, model);
}

static void least_squares_equal_numpy(void) {
    sooth_linear *model;
    sooth_linear_summary report;
    static const float row[] = {1.25f, 3.5f, 2.0f, 7.75f};
    double low, high;
    check_coefficients(NULL, NULL, golden_ols, 5, 1e-12, golden_ols_error);
    check_coefficients(golden_w, NULL, golden_weighted, 5, 1e-12, golden_weighted_error);
    check_coefficients(NULL, &through_origin, golden_origin, 4, 1e-12, NULL);
    CHECK_STATUS(soothi_linear_fit_double(&env, golden_x, golden_y, NULL, 40, 4, 1, NULL, &model), SOOTH_OK);
    sooth_linear_summarise(NULL, model, 0, &report);
    CHECK_CLOSE(report.r2, golden_ols_r2[0], 1e-12);
    CHECK_CLOSE(report.adjusted_r2, golden_ols_adjusted[0], 1e-11);
    CHECK_CLOSE(report.sigma, golden_ols_sigma[0], 1e-12);
    CHECK_CLOSE(report.f, golden_ols_f[0], 1e-11);
    CHECK_CLOSE(report.f_p, golden_ols_f_p[0], 1e-8);
    CHECK(report.freedom == 35);
    sooth_linear_interval(model, row, 0, 0.95, 0, &low, &high);
    CHECK_CLOSE(low, golden_mean_interval[0], 1e-10);
    CHECK_CLOSE(high, golden_mean_interval[1], 1e-10);
    sooth_linear_interval(model, row, 0, 0.95, 1, &low, &high);
    CHECK_CLOSE(low, golden_new_interval[0], 1e-10);
    CHECK_CLOSE(high, golden_new_interval[1], 1e-10);
    sooth_linear_free(&env, model);
    CHECK_STATUS(soothi_linear_fit_double(&env, golden_x, golden_y, NULL, 40, 4, 1, &through_origin, &model),
                 SOOTH_OK);
    sooth_linear_summarise(NULL, model, 0, &report);
    CHECK_CLOSE(report.r2, golden_origin_r2[0], 1e-12); /* around 0, not around the mean */
    sooth_linear_free(&env, model);
}

static void other_methods_equal_numpy_and_scipy(void) {
    sooth_linear_options options;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_LINEAR_RIDGE;
    options.lambda = 3.0;
    check_coefficients(NULL, &options, golden_ridge, 5, 1e-12, NULL);
    options.lambda = 0.0;
    options.method = SOOTH_LINEAR_NON_NEGATIVE;
    check_coefficients(NULL, &options, golden_nnls, 5, 1e-10, NULL);
    options.no_intercept = 1;
    check_coefficients(NULL, &options, golden_nnls_origin, 4, 1e-10, NULL);
    options.no_intercept = 0;
    options.method = SOOTH_LINEAR_HUBER;
    check_coefficients(NULL, &options, golden_huber, 5, 1e-7, NULL);
}

/* ---- behaviour ---- */

static void fill(float *x, float *y, size_t rows, size_t cols, uint64_t seed) {
    sooth_rng rng;
    size_t i, j;
    sooth_rng_init(&rng, seed, 0);
    for (i = 0; i < rows; ++i) {
        y[i] = 3.0f + (float)sooth_rng_normal(&rng);
        for (j = 0; j < cols; ++j) {
            x[i * cols + j] = sooth_rng_float(&rng);
            y[i] += (float)(j + 1) * x[i * cols + j];
        }
    }
}

static void aliased_columns_are_named(void) {
    enum { ROWS = 30 };
    static const char *const names[] = {"a", "twice a", "b", "constant", "a+b"};
    float x[5 * ROWS], y[ROWS], two[2 * ROWS];
    sooth_table table;
    sooth_linear *model, *small;
    size_t i, aliased = 0;
    fill(two, y, ROWS, 2, 3);
    for (i = 0; i < ROWS; ++i) {
        x[5 * i] = two[2 * i] = (float)(int)(two[2 * i] * 1000);
        x[5 * i + 1] = 2 * two[2 * i];
        x[5 * i + 2] = two[2 * i + 1] = (float)(int)(two[2 * i + 1] * 1000);
        x[5 * i + 3] = 7;
        x[5 * i + 4] = two[2 * i] + two[2 * i + 1];
    }
    sooth_table_init(&table, x, ROWS, 5);
    table.y = y;
    table.targets = 1;
    table.names = names;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    CHECK(model->rank == 3);
    for (i = 0; i < 5; ++i) aliased += (size_t)sooth_linear_aliased(model, i);
    CHECK(aliased == 3 && sooth_linear_aliased(model, 3));
    CHECK(isnan(sooth_linear_standard_error(model, 0, 3)) && sooth_linear_coefficient(model, 0, 3) == 0.0);
    /* the fitted values are those of the independent columns */
    sooth_table_init(&table, two, ROWS, 2);
    table.y = y;
    table.targets = 1;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &small), SOOTH_OK);
    for (i = 0; i < ROWS; ++i)
        CHECK_NEAR(sooth_linear_predict(model, x + 5 * i), sooth_linear_predict(small, two + 2 * i), 2e-4);
    sooth_linear_free(&env, model);
    sooth_linear_free(&env, small);
}

/* The solution of a w = b for a symmetric positive definite a of n x n, by elimination. */
static void eliminate(long double *a, long double *b, size_t n) {
    size_t i, j, k;
    for (k = 0; k < n; ++k)
        for (i = k + 1; i < n; ++i) {
            const long double f = a[i * n + k] / a[k * n + k];
            for (j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    for (k = n; k-- > 0;) {
        for (j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* The answer for rows and columns about their means (x, y), from the smaller of the two systems: X'X b = X'y
   or, where columns are more than rows - 1, b = X'w with X X'w = y; lambda of ridge on the diagonal. */
static void expected(const double *x, const double *y, size_t rows, size_t cols, double lambda, double *b) {
    const int wide = cols + 1 > rows;
    const size_t n = wide ? rows : cols;
    long double *a = (long double *)calloc(n * n + n, sizeof *a), *v = a + n * n;
    size_t i, j, k;
    for (i = 0; i < n; ++i) {
        for (j = 0; j < n; ++j)
            for (k = 0; k < (wide ? cols : rows); ++k)
                a[i * n + j] += wide ? (long double)x[i * cols + k] * x[j * cols + k]
                                     : (long double)x[k * cols + i] * x[k * cols + j];
        a[i * n + i] += lambda;
        if (wide) v[i] = y[i];
        for (k = 0; !wide && k < rows; ++k) v[i] += (long double)x[k * cols + i] * y[k];
    }
    if (wide) /* rows about their mean add up to 0; one direction more, in which both sides are 0 */
        for (i = 0; i < n; ++i)
            for (j = 0; j < n; ++j) a[i * n + j] += 1.0L;
    eliminate(a, v, n);
    for (j = 0; j < cols; ++j) {
        long double sum = wide ? 0 : v[j];
        for (i = 0; wide && i < rows; ++i) sum += x[i * cols + j] * v[i];
        b[j] = (double)sum;
    }
    free(a);
}

static void one_shape(size_t rows, size_t cols, double lambda) {
    double *x = (double *)malloc((rows * cols + rows + cols) * sizeof *x), *y = x + rows * cols,
           *b = y + rows;
    double mean_y = 0.0, largest = 0.0;
    sooth_linear_options o;
    sooth_linear *model;
    sooth_rng rng;
    size_t i, j;
    sooth_rng_init(&rng, rows, cols);
    for (i = 0; i < rows * cols + rows; ++i) x[i] = sooth_rng_double(&rng);
    memset(&o, 0, sizeof o);
    o.method = lambda > 0.0 ? SOOTH_LINEAR_RIDGE : SOOTH_LINEAR_LEAST_SQUARES;
    o.lambda = lambda;
    o.no_statistics = 1;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, rows, cols, 1, &o, &model), SOOTH_OK);
    if (!model) return free(x);
    CHECK(model->rank == (lambda > 0.0 || rows > cols ? cols + 1 : rows));
    for (j = 0; j < cols; ++j) {
        double mean = 0.0;
        for (i = 0; i < rows; ++i) mean += x[i * cols + j] / (double)rows;
        for (i = 0; i < rows; ++i) x[i * cols + j] -= mean;
    }
    for (i = 0; i < rows; ++i) mean_y += y[i] / (double)rows;
    for (i = 0; i < rows; ++i) y[i] -= mean_y;
    expected(x, y, rows, cols, lambda, b);
    for (j = 0; j < cols; ++j) largest = fmax(largest, fabs(b[j]));
    for (j = 0; j < cols && !check_failures; ++j)
        CHECK_NEAR(sooth_linear_coefficient(model, 0, j), b[j], 1e-7 * largest + 1e-14);
    if (check_failures) printf("  %u rows, %u columns, lambda %g\n", (unsigned)rows, (unsigned)cols, lambda);
    sooth_linear_free(&env, model);
    free(x);
}

/* Any number of rows with any number of columns: least squares of least norm, and ridge. */
static void all_shapes(void) {
    size_t rows, cols;
    const size_t step = check_is_slow() ? 1 : 7;
    for (rows = 1; rows <= 60 && !check_failures; rows += step)
        for (cols = 1; cols <= 260 && !check_failures; cols += cols < 62 ? 3 * step : 29 * step) {
            one_shape(rows, cols, 0.0);
            one_shape(rows, cols, 0.1);
        }
}

/* Two columns of the same share what both say, and neither has an error of its own. */
static void aliased_columns_share(void) {
    float x[3 * 20] = {0}, y[20] = {0};
    sooth_table table = sooth_table_of(x, y, 20, 3);
    sooth_linear *model;
    size_t i;
    fill(x, y, 20, 3, 5);
    for (i = 0; i < 20; ++i) {
        x[3 * i + 1] = x[3 * i];
        y[i] = 4.0f * x[3 * i] + 3.0f * x[3 * i + 2] + 1.0f;
    }
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 0), 2.0, 1e-5);
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 1), 2.0, 1e-5);
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 2), 3.0, 1e-5);
    CHECK(sooth_linear_aliased(model, 0) + sooth_linear_aliased(model, 1) == 1);
    CHECK(isnan(sooth_linear_standard_error(model, 0, 0)) && isnan(sooth_linear_standard_error(model, 0, 1)));
    CHECK(isfinite(sooth_linear_standard_error(model, 0, 2)) &&
          isfinite(sooth_linear_standard_error(model, 0, 3)));
    sooth_linear_free(&env, model);
}

/* What a float cannot hold is refused, and the column is named. */
static void coefficients_beyond_float(void) {
    static const char *const names[] = {"a", "tiny", "large"};
    float x[3 * 20] = {0}, y[20] = {0}, out[20];
    sooth_table table = sooth_table_of(x, y, 20, 3);
    sooth_linear *model;
    size_t i;
    table.names = names;
    fill(x, y, 20, 3, 6);
    for (i = 0; i < 20; ++i) x[3 * i + 1] = (float)(i * i % 7) * 1.4e-45f;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, NULL, &model), SOOTH_BAD_DATA,
                "tiny has the coefficient");
    CHECK(model == NULL);
    for (i = 0; i < 20; ++i) x[3 * i + 1] = (float)i, x[3 * i + 2] = i % 2 ? 3e38f : -3e38f;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, NULL, &model), SOOTH_BAD_DATA, "overflow a float");
    for (i = 0; i < 20; ++i) x[3 * i + 2] = (float)(i * i % 7) * 1e37f;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    sooth_linear_predict_many(model, x, 20, 3, out);
    for (i = 0; i < 20; ++i) CHECK(isfinite(out[i]));
    sooth_linear_free(&env, model);
}

static void odd_tables(void) {
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4] = {2, 2, 2, 2}, weight[4] = {1, 0, 0, 1};
    sooth_table table;
    sooth_linear *model;
    sooth_linear_summary report;
    sooth_linear_options options;
    sooth_table_init(&table, x, 4, 2);
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, NULL, &model), SOOTH_BAD_DATA, "no targets");
    CHECK(model == NULL);
    CHECK_FAILS(&env, sooth_linear_fit(&env, NULL, NULL, &model), SOOTH_BAD_DATA, "the table is empty");
    table.y = y;
    table.targets = 1;
    /* equal targets, columns that differ by 1 */
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    CHECK(model->rank == 2);
    CHECK_NEAR(sooth_linear_predict(model, x), 2, 1e-6);
    sooth_linear_summarise(NULL, model, 0, &report);
    CHECK(isnan(report.r2));
    sooth_linear_free(&env, model);
    table.rows = 1; /* one row: the intercept */
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    CHECK(model->rank == 1);
    CHECK_NEAR(sooth_linear_predict(model, x + 4), 2, 1e-6);
    sooth_linear_summarise(NULL, model, 0, &report);
    CHECK(isnan(report.sigma) && report.freedom == 0);
    sooth_linear_free(&env, model);
    table.rows = 4;
    table.weight = weight; /* two rows count */
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    CHECK(model->rows == 2);
    sooth_linear_free(&env, model);
    table.weight = NULL;
    x[3] = NAN;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, NULL, &model), SOOTH_BAD_DATA,
                "row 2 has a missing value in column 2");
    x[3] = 4;
    memset(&options, 0, sizeof options);
    options.lambda = -1;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "lambda is -1, but must be between 0 and");
    options.lambda = 2;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "lambda is 2, but only method=ridge uses it");
    options.lambda = 0;
    options.method = 9;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "method is 9, but must be one of least_squares|ridge");
}

static void several_targets(void) {
    enum { ROWS = 200 };
    static float x[3 * ROWS], y[ROWS], both[2 * ROWS], out[2 * ROWS];
    sooth_table table;
    sooth_linear *one, *two;
    size_t i;
    fill(x, y, ROWS, 3, 5);
    for (i = 0; i < ROWS; ++i) {
        both[2 * i] = y[i];
        both[2 * i + 1] = 10 - 2 * y[i];
    }
    sooth_table_init(&table, x, ROWS, 3);
    table.y = y;
    table.targets = 1;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &one), SOOTH_OK);
    table.y = both;
    table.targets = 2;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &two), SOOTH_OK);
    sooth_linear_predict_many(two, x, ROWS, 3, out);
    for (i = 0; i < ROWS; ++i) {
        float p = sooth_linear_predict(one, x + 3 * i);
        CHECK_NEAR(out[2 * i], p, 1e-5);
        CHECK_NEAR(out[2 * i + 1], 10 - 2 * p, 2e-5);
    }
    for (i = 0; i < 3; ++i)
        CHECK_CLOSE(sooth_linear_standard_error(two, 1, i), 2 * sooth_linear_standard_error(one, 0, i), 1e-6);
    sooth_linear_free(&env, one);
    sooth_linear_free(&env, two);
}

/* A mean far from zero: the centred form keeps what 3e6 +- 1 leaves of a float. */
static void large_means_keep_their_digits(void) {
    enum { ROWS = 64 };
    float x[ROWS], y[ROWS];
    sooth_table table;
    sooth_linear *model;
    size_t i;
    for (i = 0; i < ROWS; ++i) {
        x[i] = 3e6f + (float)i;
        y[i] = 0.25f * (float)i;
    }
    sooth_table_init(&table, x, ROWS, 1);
    table.y = y;
    table.targets = 1;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    for (i = 0; i < ROWS; ++i) CHECK_NEAR(sooth_linear_predict(model, x + i), y[i], 1e-5);
    sooth_linear_free(&env, model);
}

/* 95 % intervals of new measurements contain 95 % of them: 40,000 trials, standard error 0.11 points. */
static void intervals_cover(void) {
    enum { ROWS = 12, TRIALS = 40000 };
    float x[2 * ROWS] = {0}, y[ROWS], row[2];
    sooth_table table;
    sooth_rng rng;
    size_t k, i, inside_new = 0, inside_mean = 0;
    sooth_rng_init(&rng, 11, 0);
    sooth_table_init(&table, x, ROWS, 2);
    table.y = y;
    table.targets = 1;
    for (k = 0; k < TRIALS; ++k) {
        sooth_linear *model;
        double low, high, truth, fresh;
        for (i = 0; i < ROWS; ++i) {
            x[2 * i] = sooth_rng_float(&rng);
            x[2 * i + 1] = sooth_rng_float(&rng);
            y[i] = 1 + 2 * x[2 * i] - x[2 * i + 1] + 0.5f * (float)sooth_rng_normal(&rng);
        }
        row[0] = sooth_rng_float(&rng);
        row[1] = sooth_rng_float(&rng);
        truth = 1 + 2 * (double)row[0] - (double)row[1];
        fresh = truth + 0.5 * sooth_rng_normal(&rng);
        if (sooth_linear_fit(&env, &table, NULL, &model) != SOOTH_OK) break;
        sooth_linear_interval(model, row, 0, 0.95, 1, &low, &high);
        inside_new += fresh >= low && fresh <= high;
        sooth_linear_interval(model, row, 0, 0.95, 0, &low, &high);
        inside_mean += truth >= low && truth <= high;
        sooth_linear_free(&env, model);
    }
    CHECK_NEAR((double)inside_new / TRIALS, 0.95, 0.005);
    CHECK_NEAR((double)inside_mean / TRIALS, 0.95, 0.005);
}

static void memory_is_what_it_says(void) {
    enum { ROWS = 50 };
    static float x[4 * ROWS], y[ROWS];
    static unsigned char memory[200000];
    sooth_linear_options options;
    sooth_table table;
    sooth_arena arena;
    sooth_env own;
    sooth_linear *model;
    uint32_t method;
    fill(x, y, ROWS, 4, 9);
    sooth_table_init(&table, x, ROWS, 4);
    table.y = y;
    table.targets = 1;
    memset(&options, 0, sizeof options);
    for (method = 0; method < 4; ++method) {
        size_t need;
        options.method = method;
        options.no_statistics = method & 1;
        need = sooth_linear_size(&options, 4, 1) + sooth_linear_scratch_size(&options, ROWS, 4, 1) + 32;
        sooth_env_init(&own);
        sooth_arena_init(&own, &arena, memory, need);
        CHECK_STATUS(sooth_linear_fit(&own, &table, &options, &model), SOOTH_OK);
        if (model) CHECK(model->head.size == sooth_linear_size(&options, 4, 1));
        sooth_arena_init(&own, &arena, memory, arena.peak - 1);
        CHECK_STATUS(sooth_linear_fit(&own, &table, &options, &model), SOOTH_NO_MEMORY);
        CHECK_EVERY_ALLOCATION(&env, sooth_linear_fit(&env, &table, &options, &model),
                               sooth_linear_free(&env, model));
        sooth_env_init(&env);
    }
}

/* Any change is refused; and with the checksum made right again, what is accepted can be used. */
/* Everything that takes a model, for a checked one of one target. */
static void use(const sooth_linear *model, const float *x, size_t rows) {
    sooth_linear_summary summary;
    float out[64];
    double low, high;
    size_t j;
    sooth_linear_predict_many(model, x, rows, 3, out);
    sooth_linear_cost(model);
    sooth_linear_summarise(NULL, model, 0, &summary);
    sooth_linear_interval(model, x, 0, 0.9, 1, &low, &high);
    for (j = 0; j <= model->head.features; ++j) {
        sooth_linear_coefficient(model, 0, j);
        sooth_linear_standard_error(model, 0, j);
    }
}

static void changed_models_are_harmless(void) {
    enum { ROWS = 20 };
    float x[3 * ROWS], y[ROWS];
    sooth_table table;
    sooth_linear *model, *copy;
    sooth_rng rng;
    size_t k;
    fill(x, y, ROWS, 3, 13);
    sooth_table_init(&table, x, ROWS, 3);
    table.y = y;
    table.targets = 1;
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &model), SOOTH_OK);
    copy = (sooth_linear *)malloc(model->head.size);
    for (k = 0; k < 8 * (size_t)model->head.size; ++k) {
        memcpy(copy, model, model->head.size);
        ((unsigned char *)copy)[k / 8] ^= (unsigned char)(1u << k % 8);
        CHECK(!sooth_linear_check(copy, model->head.size));
    }
    sooth_rng_init(&rng, 17, 0);
    for (k = 0; k < 20000; ++k) {
        memcpy(copy, model, model->head.size);
        ((unsigned char *)copy)[sooth_rng_below(&rng, 64)] ^= (unsigned char)(1u << sooth_rng_below(&rng, 8));
        if (copy->head.size > model->head.size) continue;
        soothi_block_seal(&copy->head);
        if (sooth_linear_check(copy, model->head.size) && copy->head.features <= 3 && copy->head.targets == 1)
            use(copy, x, ROWS);
    }
    memcpy(copy, model, model->head.size);
    copy->rank = 5; /* there are three columns and the intercept */
    soothi_block_seal(&copy->head);
    CHECK(!sooth_linear_check(copy, model->head.size));
    for (k = 0; k < model->head.size; ++k) CHECK(!sooth_linear_check(model, k));
    free(copy);
    sooth_linear_free(&env, model);
}

/* ---- recursive ---- */

static sooth_status rls_of(sooth_rls **rls, size_t cols, double forgetting, double least, void *memory,
                           size_t size) {
    const sooth_rls_options options = {forgetting, least};
    return sooth_rls_init(&env, &options, cols, memory, size, rls);
}

static void recursive_equals_batch(void) {
    enum { ROWS = 300, COLS = 3 };
    static float x[COLS * ROWS], y[ROWS];
    static double xd[COLS * ROWS], yd[ROWS], wd[ROWS];
    double memory[64];
    sooth_rls *rls;
    sooth_linear *model;
    size_t i, j;
    fill(x, y, ROWS, COLS, 21);
    CHECK(sooth_rls_size(COLS) <= sizeof memory);
    CHECK_STATUS(rls_of(&rls, COLS, 0.99, 1e-8, memory, sizeof memory), SOOTH_OK);
    for (i = 0; i < ROWS; ++i) {
        CHECK_STATUS(sooth_rls_update(rls, x + COLS * i, y[i]), SOOTH_OK);
        for (j = 0; j < COLS; ++j) xd[COLS * i + j] = (double)x[COLS * i + j];
        yd[i] = (double)y[i];
    }
    for (i = 0; i < ROWS; ++i) wd[i] = pow(0.99, (double)(ROWS - 1 - i));
    CHECK_STATUS(soothi_linear_fit_double(&env, xd, yd, wd, ROWS, COLS, 1, NULL, &model), SOOTH_OK);
    for (j = 0; j <= COLS; ++j) CHECK_CLOSE(rls->coefficient[j], sooth_linear_coefficient(model, 0, j), 1e-9);
    sooth_linear_free(&env, model);
    CHECK_STATUS(sooth_rls_update(rls, x, NAN), SOOTH_BAD_DATA);
}

/* The same row a million times with forgetting: nothing else is excited, and nothing blows up; and then it
   learns again. */
static void recursive_does_not_wind_up(void) {
    static const float same[2] = {0.5f, 2.0f};
    float row[2];
    double memory[40];
    sooth_rls *rls;
    sooth_rng rng;
    long i;
    sooth_rng_init(&rng, 4, 0);
    CHECK_STATUS(rls_of(&rls, 2, 0.95, 0.01, memory, sizeof memory), SOOTH_OK);
    for (i = 0; i < 100; ++i) {
        row[0] = sooth_rng_float(&rng);
        row[1] = sooth_rng_float(&rng);
        sooth_rls_update(rls, row, 1 + 2 * row[0] + 3 * row[1]);
    }
    for (i = 0; i < 1000000; ++i) sooth_rls_update(rls, same, 8.0f);
    CHECK_NEAR(sooth_rls_predict(rls, same), 8.0, 1e-6);
    CHECK(fabs(rls->coefficient[0]) < 100 && fabs(rls->coefficient[1]) < 100);
    for (i = 0; i < 1000000; ++i) {
        row[0] = sooth_rng_float(&rng);
        row[1] = sooth_rng_float(&rng);
        sooth_rls_update(rls, row, 1 - row[0] + 4 * row[1]);
    }
    CHECK_NEAR(rls->coefficient[0], -1, 1e-3);
    CHECK_NEAR(rls->coefficient[1], 4, 1e-3);
    CHECK_NEAR(rls->coefficient[2], 1, 1e-3);
    CHECK_STATUS(rls_of(&rls, 2, 0.95, 0.01, memory, sizeof memory), SOOTH_OK);
    CHECK(sooth_rls_predict(rls, same) == 0.0);
    CHECK_FAILS(&env, rls_of(&rls, 2, 1.5, 0, memory, sizeof memory), SOOTH_BAD_ARGUMENT,
                "forgetting is 1.5");
    CHECK_STATUS(rls_of(&rls, 2, 1, 0, memory, sooth_rls_size(2) - 1), SOOTH_NO_MEMORY);
}

/* What two rows leave to the later of many columns: each the rounding of the one before, down to numbers
   whose squares a double does not hold even 2^500 times as large. */
static void rests_of_rests_are_numbers(void) {
    one_shape(2, 93, 0.1);
    one_shape(2, 93, 0.0);
}

/* The non-negative solution by trying every set of columns: the least error among those without a negative
   coefficient. Columns that resemble each other enter and leave again. */
static void non_negative_is_the_best_of_all_sets(void) {
    enum { ROWS = 9, COLS = 5 };
    double x[ROWS * COLS], y[ROWS];
    sooth_linear_options o;
    sooth_rng rng;
    sooth_rng_init(&rng, 77, 0);
    memset(&o, 0, sizeof o);
    o.method = SOOTH_LINEAR_NON_NEGATIVE;
    for (unsigned turn = 0; turn < 300 && !check_failures; ++turn) {
        long double best[COLS + 1] = {0}, least = INFINITY;
        sooth_linear *model;
        o.no_intercept = turn % 2;
        for (size_t i = 0; i < ROWS; ++i) {
            const double common = sooth_rng_double(&rng);
            for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = common + 0.4 * sooth_rng_normal(&rng);
            y[i] = common + 0.3 * sooth_rng_normal(&rng);
        }
        for (unsigned set = 0; set < 1u << COLS; ++set) {
            size_t column[COLS + 1], n = 0, i, j, k;
            long double a[(COLS + 1) * (COLS + 1)] = {0}, b[COLS + 1] = {0}, error = 0;
            int negative = 0;
            if (!o.no_intercept) column[n++] = COLS;
            for (j = 0; j < COLS; ++j)
                if (set >> j & 1u) column[n++] = j;
            for (i = 0; i < ROWS; ++i)
                for (j = 0; j < n; ++j) {
                    const long double v = column[j] < COLS ? x[i * COLS + column[j]] : 1;
                    b[j] += v * y[i];
                    for (k = 0; k < n; ++k)
                        a[j * n + k] += v * (column[k] < COLS ? x[i * COLS + column[k]] : 1);
                }
            eliminate(a, b, n);
            for (j = 0; j < n; ++j) negative |= column[j] < COLS && b[j] < 0;
            for (i = 0; i < ROWS; ++i) {
                long double r = y[i];
                for (j = 0; j < n; ++j) r -= b[j] * (column[j] < COLS ? x[i * COLS + column[j]] : 1);
                error += r * r;
            }
            if (negative || !(error < least)) continue;
            least = error;
            memset(best, 0, sizeof best);
            for (j = 0; j < n; ++j) best[column[j]] = b[j];
        }
        CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, ROWS, COLS, 1, &o, &model), SOOTH_OK);
        for (size_t j = 0; model && j <= COLS; ++j)
            CHECK_NEAR(sooth_linear_coefficient(model, 0, j), best[j], 1e-9);
        sooth_linear_free(&env, model);
    }
}

static void what_cannot_be_fitted_is_named(void) {
    static const double x[6] = {1, 2, 3, 4, 5, 7}, y[6] = {1, 2, 4, 3, 1, 5},
                        small[6] = {1e-42, 2e-42, 3e-42, 4e-42, 5e-42, 7e-42};
    static const struct {
        const double *x, *y, *weight;
        size_t rows, cols, targets;
        uint32_t method;
        sooth_status status;
        const char *words;
    } bad[] = {
        {x, y, NULL, 3, 2, 2, SOOTH_LINEAR_NON_NEGATIVE, SOOTH_BAD_ARGUMENT, "the table has 2 targets, but"},
        {x, y, NULL, 3, 2, 2, SOOTH_LINEAR_HUBER, SOOTH_BAD_ARGUMENT,
         "non-negative and Huber methods fit one"},
        {small, y, NULL, 6, 1, 1, 0, SOOTH_BAD_DATA, "column 1 has the coefficient"},
        {x, y, NULL, 3, 2, 1, 99, SOOTH_BAD_ARGUMENT, "method"}};
    const float one[2] = {1, 2};
    sooth_table table = sooth_table_of(one, one, 2, 1);
    sooth_linear_options o;
    sooth_linear *model;
    memset(&o, 0, sizeof o);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        o.method = bad[i].method;
        CHECK_FAILS(&env,
                    soothi_linear_fit_double(&env, bad[i].x, bad[i].y, bad[i].weight, bad[i].rows,
                                             bad[i].cols, bad[i].targets, &o, &model),
                    bad[i].status, bad[i].words);
        CHECK(model == NULL);
    }
    CHECK_FAILS(&env, sooth_linear_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT, "method");
    CHECK_STATUS(sooth_linear_check_options(&env, &table, NULL), SOOTH_OK);
    table.y = NULL;
    CHECK_FAILS(&env, sooth_linear_check_options(&env, &table, NULL), SOOTH_BAD_DATA, "no targets");
    sooth_linear_free(&env, NULL);
}

static int cancel(void *user, const char *stage, double done) {
    (void)user, (void)stage, (void)done;
    return 1;
}

/* Huber's steps: none after the first where more than half of the rows are met exactly, as many as are
   allowed, and none when the host says so. A row without weight is not there. */
static void hubers_steps(void) {
    double x[7], y[7];
    static const double weight[7] = {1, 1, 1, 1, 1, 1, 0};
    sooth_linear_options o;
    sooth_linear *model, *without;
    for (size_t i = 0; i < 7; ++i) {
        x[i] = (double)i;
        y[i] = 0;
    }
    memset(&o, 0, sizeof o);
    o.method = SOOTH_LINEAR_HUBER;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 7, 1, 1, &o, &model), SOOTH_OK);
    CHECK(model->iterations == 0 && sooth_linear_coefficient(model, 0, 0) == 0.0);
    sooth_linear_free(&env, model);
    for (size_t i = 0; i < 7; ++i) y[i] = (double)(i * i % 5) + (i == 3 ? 40.0 : 0.0);
    o.max_iter = 1;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 7, 1, 1, &o, &model), SOOTH_OK);
    CHECK(model->iterations == 1);
    sooth_linear_free(&env, model);
    o.max_iter = 0;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, weight, 7, 1, 1, &o, &model), SOOTH_OK);
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 6, 1, 1, &o, &without), SOOTH_OK);
    CHECK(model->iterations > 1 && model->rows == 6);
    for (size_t j = 0; j < 2; ++j)
        CHECK_NEAR(sooth_linear_coefficient(model, 0, j), sooth_linear_coefficient(without, 0, j), 1e-9);
    sooth_linear_free(&env, without);
    sooth_linear_free(&env, model);
    env.progress_fn = cancel;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 7, 1, 1, &o, &model), SOOTH_CANCELLED);
    CHECK(model == NULL);
    env.progress_fn = NULL;
}

/* Through the origin, two equal columns share what one would have; and a row without weight changes no bit of
   a fit that is refined. */
static void columns_through_the_origin_share(void) {
    static const double x[6] = {1, 1, 2, 2, 3, 3}, y[3] = {3, 6, 9}, weight[5] = {1, 1, 1, 1, 0};
    static const double steep[5 * 2] = {1, 1.0001, 2, 2.0003, 3, 3.0002, 4, 4.0001, 9, 1},
                                  up[5] = {1, 3, 2, 5, 7};
    sooth_linear_options o;
    sooth_linear *model, *without;
    memset(&o, 0, sizeof o);
    o.no_intercept = 1;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 3, 2, 1, &o, &model), SOOTH_OK);
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 0), 1.5, 1e-12);
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 1), 1.5, 1e-12);
    CHECK(sooth_linear_aliased(model, 0) + sooth_linear_aliased(model, 1) == 1);
    CHECK(!sooth_linear_aliased(model, 2)); /* there is no intercept to be aliased */
    sooth_linear_free(&env, model);
    CHECK_STATUS(soothi_linear_fit_double(&env, steep, up, weight, 5, 2, 1, NULL, &model), SOOTH_OK);
    CHECK_STATUS(soothi_linear_fit_double(&env, steep, up, NULL, 4, 2, 1, NULL, &without), SOOTH_OK);
    for (size_t j = 0; j < 3; ++j)
        CHECK_CLOSE(sooth_linear_coefficient(model, 0, j), sooth_linear_coefficient(without, 0, j), 1e-12);
    sooth_linear_free(&env, without);
    sooth_linear_free(&env, model);
}

/* What a model without statistics, or without rows to spare, does not know is NaN. */
static void the_unknown_is_nan(void) {
    static const double x[3] = {1, 2, 4}, y[3] = {1, 2, 5};
    const float row[1] = {3};
    double low, high;
    sooth_linear_options o;
    sooth_linear_summary s;
    sooth_linear *model;
    memset(&o, 0, sizeof o);
    o.no_statistics = 1;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 3, 1, 1, &o, &model), SOOTH_OK);
    CHECK(model->head.size == sooth_linear_size(&o, 1, 1) &&
          sooth_linear_size(NULL, 1, 1) > model->head.size);
    sooth_linear_summarise(NULL, model, 0, &s);
    CHECK(s.freedom == 1 && isnan(s.sigma) && isnan(s.r2) && isnan(s.condition) && isnan(s.f));
    CHECK(isnan(sooth_linear_standard_error(model, 0, 0)));
    sooth_linear_interval(model, row, 0, 0.9, 1, &low, &high);
    CHECK(isnan(low) && isnan(high));
    sooth_linear_free(&env, model);
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 2, 1, 1, NULL, &model), SOOTH_OK);
    sooth_linear_interval(model, row, 0, 0.9, 1, &low, &high);
    CHECK(isnan(low) && isnan(high));
    CHECK_NEAR(sooth_linear_coefficient(model, 0, 0), 1, 1e-12);
    sooth_linear_free(&env, model);
    CHECK(sooth_linear_scratch_size(NULL, 10, 2, 1) ==
          sooth_linear_scratch_size(&(sooth_linear_options){0}, 10, 2, 1));
}

static void lies_of_linear_models(void) {
    static const double x[8] = {1, 2, 3, 5, 4, 4, 9, 1}, y[4] = {1, 2, 4, 3};
    static const lies_word lies[] = {{offsetof(sooth_block, features), 0},
                                     {offsetof(sooth_block, features), 3},
                                     {offsetof(sooth_block, features), 0x10000001u},
                                     {offsetof(sooth_block, features), UINT32_MAX},
                                     {offsetof(sooth_block, targets), 0},
                                     {offsetof(sooth_block, targets), 2},
                                     {offsetof(sooth_block, targets), 0x10000001u},
                                     {offsetof(sooth_linear, statistics), 0},
                                     {offsetof(sooth_linear, statistics), 2},
                                     {offsetof(sooth_linear, intercept), 2},
                                     {offsetof(sooth_linear, rank), 4},
                                     {offsetof(sooth_linear, rank), UINT32_MAX}};
    sooth_linear *model;
    CHECK_STATUS(soothi_linear_fit_double(&env, x, y, NULL, 4, 2, 1, NULL, &model), SOOTH_OK);
    if (!model) return;
    lies_are_refused(sooth_linear_check, &model->head, lies, sizeof lies / sizeof *lies);
    lies_about_size_are_refused(sooth_linear_check, &model->head);
    sooth_linear_free(&env, model);
}

static void what_recursive_squares_refuse(void) {
    double memory[64];
    float row[2] = {1, NAN};
    static const struct {
        size_t cols, size;
        double forgetting, least;
        const char *words;
    } bad[] = {{0, 512, 1, 1, "cols is 0, but must be between 1 and 65535"},
               {65536, 512, 1, 1, "cols is 65536"},
               {2, 512, -0.5, 1, "forgetting is -0.5"},
               {2, 512, 1.5, 1, "forgetting is 1.5"},
               {2, 512, 1, -1, "min_diagonal is -1, but must be between 0 and 1e100"},
               {2, 512, 1, 1e200, "min_diagonal is"},
               {2, 8, 1, 1, "recursive least squares"}};
    sooth_rls *rls;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        CHECK_FAILS(&env, rls_of(&rls, bad[i].cols, bad[i].forgetting, bad[i].least, memory, bad[i].size),
                    bad[i].size == 8 ? SOOTH_NO_MEMORY : SOOTH_BAD_ARGUMENT, bad[i].words);
    CHECK_STATUS(rls_of(&rls, 2, 0.5, 0, NULL, 512), SOOTH_NO_MEMORY);
    CHECK_STATUS(rls_of(&rls, 2, 0, 0, memory, sizeof memory), SOOTH_OK);
    CHECK(rls->forgetting == 1.0 && rls->min_diagonal == 1e-3); /* what zeros stand for */
    CHECK(sooth_rls_update(rls, row, 1.0f) == SOOTH_BAD_DATA && rls->steps == 0);
    row[1] = 2;
    CHECK(sooth_rls_update(rls, row, INFINITY) == SOOTH_BAD_DATA && rls->steps == 0);
    CHECK(sooth_rls_update(rls, row, 1.0f) == SOOTH_OK && rls->steps == 1);
    CHECK_NEAR(sooth_rls_predict(rls, row), 1.0, 1e-5);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(nist_straight_lines);
    CHECK_RUN(nist_longley_and_filip);
    CHECK_RUN(nist_wampler);
    CHECK_RUN(least_squares_equal_numpy);
    CHECK_RUN(other_methods_equal_numpy_and_scipy);
    CHECK_RUN(aliased_columns_are_named);
    CHECK_RUN(all_shapes);
    CHECK_RUN(rests_of_rests_are_numbers);
    CHECK_RUN(aliased_columns_share);
    CHECK_RUN(coefficients_beyond_float);
    CHECK_RUN(odd_tables);
    CHECK_RUN(several_targets);
    CHECK_RUN(large_means_keep_their_digits);
    CHECK_RUN(intervals_cover);
    CHECK_RUN(memory_is_what_it_says);
    CHECK_RUN(changed_models_are_harmless);
    CHECK_RUN(recursive_equals_batch);
    CHECK_RUN(recursive_does_not_wind_up);
    CHECK_RUN(non_negative_is_the_best_of_all_sets);
    CHECK_RUN(what_cannot_be_fitted_is_named);
    CHECK_RUN(hubers_steps);
    CHECK_RUN(columns_through_the_origin_share);
    CHECK_RUN(the_unknown_is_nan);
    CHECK_RUN(lies_of_linear_models);
    CHECK_RUN(what_recursive_squares_refuse);
    return check_end("linear");
}
