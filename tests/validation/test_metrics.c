/* test_metrics.c - the figures of metrics.h against scikit-learn's, the papers' and plain arithmetic.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/validation/metrics.h"
#include "check.h"
#include "golden/metrics.h"

static sooth_metrics_options zero_options(void) {
    sooth_metrics_options options;
    memset(&options, 0, sizeof options);
    return options;
}

static sooth_metrics compute(const float *y, const float *p, const float *w, size_t count,
                             const sooth_metrics_options *options) {
    sooth_env env;
    sooth_metrics out;
    sooth_env_init(&env);
    memset(&out, 0, sizeof out);
    CHECK_STATUS(sooth_metrics_compute(&env, y, p, w, count, options, &out), SOOTH_OK);
    return out;
}

/* Equal to 1e-12, relative to `scale` or to the value if that is larger; NaN equals NaN. */
static void same(const char *name, const char *figure, double got, double expected, double scale) {
    if (isnan(got) && isnan(expected)) return;
    if (fabs(got - expected) <= 1e-12 * fmax(fabs(expected), scale)) return;
    printf("  %s: %s is %.17g, expected %.17g\n", name, figure, got, expected);
    ++check_failures;
}
#define SAME(figure, expected, scale) same(name, #figure, m.figure, expected, scale)

static void compare(const char *name, const float *y, const float *p, const float *w, size_t count,
                    const golden_figures *g) {
    sooth_metrics_options options = zero_options();
    sooth_metrics m;
    options.floor = 0x1p-52; /* scikit-learn's */
    m = compute(y, p, w, count, &options);
    SAME(mae, g->mae, 0);
    SAME(mse, g->mse, 0);
    SAME(rmse, g->rmse, 0);
    SAME(median_error, g->median_error, 0);
    SAME(max_error, g->max_error, 0);
    SAME(bias, g->bias, g->mae);
    SAME(r2, g->r2, 1);
    SAME(explained_variance, g->explained_variance, 1);
    SAME(mape, g->mape_actual, 0);
    SAME(pinball, g->pinball_50, 0);
    options.denominator = SOOTH_METRICS_PREDICTED;
    options.quantile = 0.9;
    m = compute(y, p, w, count, &options);
    SAME(mape, g->mape_predicted, 0);
    SAME(pinball, g->pinball_90, 0);
    options = zero_options();
    options.denominator = SOOTH_METRICS_SYMMETRIC;
    m = compute(y, p, w, count, &options);
    SAME(mape, g->mape_symmetric, 0);
}

static void equals_scikit_learn(void) {
    size_t k;
    for (k = 0; k < sizeof golden_cases / sizeof golden_cases[0]; ++k) {
        const golden_case *c = &golden_cases[k];
        compare(c->name, c->actual, c->predicted, c->weight, c->count, &c->expected);
    }
}

static void equals_scikit_learn_on_many_rows(void) {
    float *y = (float *)malloc(2 * golden_large_count * sizeof(float)), *p = y + golden_large_count;
    long i;
    for (i = 0; i < golden_large_count; ++i) {
        y[i] = (float)(i * 7919 % 1009 + 16) / 8;
        p[i] = (float)(i * 7919 % 1009 + 16 + i * 31 % 17 - 8) / 8;
    }
    compare("large", y, p, NULL, golden_large_count, &golden_large);
    free(y);
}

/* Four runs, four kinds of "MAPE". */
static void percentages_of_the_papers(void) {
    const float y[] = {0.5f, 0.8f, 1.0f, 1.3f}, p[] = {0.55f, 0.7f, 1.2f, 1.0f};
    sooth_metrics_options options = zero_options();
    sooth_metrics m = compute(y, p, NULL, 4, NULL);
    CHECK_NEAR(100 * m.mape, 16.4, 0.05);          /* Moolchandani et al., with the absolute value */
    CHECK_NEAR(100 * m.relative_bias, -1.4, 0.05); /* ... as printed, with the sign turned */
    options.denominator = SOOTH_METRICS_PREDICTED;
    m = compute(y, p, NULL, 4, &options);
    CHECK_NEAR(100 * m.mape, 17.5, 0.05); /* De Sensi; Yao et al. */
    CHECK_NEAR(100 * m.relative_bias, -0.25 * (100 / 11.0 * -1 + 100 / 7.0 - 100 / 6.0 + 30), 1e-4);
    options.denominator = SOOTH_METRICS_ACTUAL;
    options.floor = 1;
    m = compute(y, p, NULL, 4, &options);
    CHECK_NEAR(100 * m.mape, 14.5, 0.05); /* LightGBM, CatBoost */
    CHECK(m.floored == 2 && m.zeros == 0);
}

static void zeros_are_left_out_and_counted(void) {
    const float y[] = {0, 4, 0, -2}, p[] = {1, 5, 0, -1};
    sooth_metrics_options options = zero_options();
    sooth_metrics m = compute(y, p, NULL, 4, NULL);
    CHECK_NEAR(m.mape, (0.25 + 0.5) / 2, 1e-15);
    CHECK_NEAR(m.relative_bias, (0.25 + 0.5) / 2, 1e-15);
    CHECK(m.zeros == 2 && m.floored == 0);
    options.floor = 0.5;
    m = compute(y, p, NULL, 4, &options);
    CHECK_NEAR(m.mape, (2 + 0.25 + 0 + 0.5) / 4, 1e-15);
    CHECK(m.zeros == 2 && m.floored == 2);
    options = zero_options();
    options.denominator = SOOTH_METRICS_SYMMETRIC;
    m = compute(y, p, NULL, 4, &options);
    CHECK_NEAR(m.mape, (2 + 1 / 4.5 + 1 / 1.5) / 3, 1e-15); /* only 0 and 0 have no percentage */
    CHECK(m.zeros == 1);
    m = compute(y, p, NULL, 1, NULL);
    CHECK(isnan(m.mape) && isnan(m.relative_bias) && m.zeros == 1);
    CHECK_NEAR(m.mae, 1, 0);
}

/* A row of weight k counts like k rows of weight 1; one of weight 0 not at all. */
static void weights_repeat_rows(void) {
    float y[40], p[40], w[40], ys[200], ps[200];
    size_t i, k, n = 0;
    sooth_rng rng;
    sooth_metrics a, b;
    sooth_metrics_options options = zero_options();
    options.floor = 2;
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 40; ++i) {
        y[i] = (float)sooth_rng_below(&rng, 9);
        p[i] = y[i] + (float)sooth_rng_below(&rng, 7) - 3;
        w[i] = (float)sooth_rng_below(&rng, 5);
        for (k = 0; k < (size_t)w[i]; ++k, ++n) {
            ys[n] = y[i];
            ps[n] = p[i];
        }
    }
    a = compute(y, p, w, 40, &options);
    b = compute(ys, ps, NULL, n, &options);
    CHECK_NEAR(a.weight, n, 0);
    CHECK_CLOSE(a.mae, b.mae, 1e-14);
    CHECK_CLOSE(a.rmse, b.rmse, 1e-14);
    CHECK_NEAR(a.median_error, b.median_error, 0);
    CHECK_NEAR(a.max_error, b.max_error, 0);
    CHECK_NEAR(a.bias, b.bias, 1e-14);
    CHECK_CLOSE(a.r2, b.r2, 1e-13);
    CHECK_CLOSE(a.explained_variance, b.explained_variance, 1e-13);
    CHECK_CLOSE(a.mape, b.mape, 1e-14);
    CHECK_CLOSE(a.pinball, b.pinball, 1e-14);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median without sorting against sorting: all sizes, many ties, errors from 1e-38 to 1e38, and -0. */
static void median_equals_sorting(void) {
    float y[64], p[64];
    double e[64];
    size_t n, i;
    int kind;
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (kind = 0; kind < 4; ++kind)
        for (n = 1; n <= 64; ++n) {
            for (i = 0; i < n; ++i) {
                uint32_t r = sooth_rng_below(&rng, 7);
                y[i] = kind == 3 ? 0.0f : sooth_rng_float(&rng);
                if (kind == 0) p[i] = sooth_rng_float(&rng);
                if (kind == 1) p[i] = y[i] + (float)r;
                if (kind == 2) p[i] = ldexpf(y[i], (int)sooth_rng_below(&rng, 250) - 125);
                if (kind == 3) p[i] = r == 6 ? 1.0f : -0.0f;
                e[i] = fabs((double)p[i] - (double)y[i]);
            }
            qsort(e, n, sizeof e[0], ascending);
            CHECK_NEAR(compute(y, p, NULL, n, NULL).median_error, 0.5 * (e[(n - 1) / 2] + e[n / 2]), 0);
        }
}

static void intervals(void) {
    const float y[] = {1, 2, 3, 4, 5}, p[] = {1, 2, 3, 4, 5}, w[] = {1, 1, 1, 1, 4};
    const float lower[] = {1, 2.5f, 2, 0, -INFINITY}, upper[] = {2, 3, 2.5f, 4, 4};
    sooth_metrics_options options = zero_options();
    sooth_metrics m = compute(y, p, NULL, 5, NULL);
    CHECK(isnan(m.coverage) && isnan(m.below) && isnan(m.above) && isnan(m.mean_width));
    options.lower = lower;
    options.upper = upper;
    m = compute(y, p, NULL, 5, &options);
    CHECK_NEAR(m.coverage, 0.4, 0); /* an end belongs to the interval */
    CHECK_NEAR(m.below, 0.2, 0);
    CHECK_NEAR(m.above, 0.4, 0);
    CHECK(isinf(m.mean_width));
    m = compute(y, p, w, 5, &options);
    CHECK_NEAR(m.above, 5.0 / 8, 0);
    m = compute(y, p, NULL, 4, &options);
    CHECK_NEAR(m.mean_width, (1 + 0.5 + 0.5 + 4) / 4, 0);
}

/* Two targets side by side: each compared where it stands. */
static void stride_picks_a_target(void) {
    const float y[] = {1, 100, 2, 200, 3, 300}, p[] = {1, 110, 2, 210, 3, 330};
    sooth_metrics_options options = zero_options();
    options.stride = 2;
    CHECK_NEAR(compute(y, p, NULL, 3, &options).mae, 0, 0);
    CHECK_NEAR(compute(y + 1, p + 1, NULL, 3, &options).mae, 50.0 / 3, 1e-14);
}

static void skill(void) {
    CHECK_NEAR(sooth_metrics_skill(1, 4), 0.75, 0);
    CHECK_NEAR(sooth_metrics_skill(8, 4), -1, 0);
    CHECK_NEAR(sooth_metrics_skill(0, 4), 1, 0);
    CHECK_NEAR(sooth_metrics_skill(0, 0), 1, 0);
    CHECK_NEAR(sooth_metrics_skill(4, 0), 0, 0);
    CHECK(isnan(sooth_metrics_skill(NAN, 1)) && isnan(sooth_metrics_skill(1, NAN)));
}

static void bad_input_is_a_sentence(void) {
    float y[] = {1, 2, 3}, p[] = {1, 2, 3}, w[] = {1, 0, 1}, lower[] = {0, 1, 2}, upper[] = {1, 0.5f, 4};
    sooth_env env;
    sooth_metrics m;
    sooth_metrics_options options = zero_options();
    sooth_env_init(&env);
    memset(&m, 7, sizeof m);
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 0, NULL, &m), SOOTH_BAD_DATA,
                "there are no rows to compare");
    y[1] = NAN;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, NULL, &m), SOOTH_BAD_DATA,
                "row 2 has the actual value nan");
    CHECK_STATUS(sooth_metrics_compute(&env, y, p, w, 3, NULL, &m), SOOTH_BAD_DATA); /* of weight 0 */
    y[1] = 2;
    p[2] = INFINITY;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, NULL, &m), SOOTH_BAD_DATA,
                "row 3 has the prediction inf");
    CHECK_STATUS(sooth_metrics_compute(NULL, y, p, NULL, 3, NULL, &m), SOOTH_BAD_DATA);
    p[2] = 3;
    w[0] = -1;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, w, 3, NULL, &m), SOOTH_BAD_DATA,
                "row 1 has the weight -1");
    w[0] = w[2] = 0;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, w, 3, NULL, &m), SOOTH_BAD_DATA,
                "all weights are zero");
    options.lower = lower;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_ARGUMENT,
                "upper is missing");
    options.upper = upper;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_DATA,
                "row 2 has an interval from 1 to 0.5");
    upper[1] = NAN;
    CHECK_STATUS(sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_DATA);
    options = zero_options();
    options.denominator = 3;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_ARGUMENT,
                "actual|predicted|symmetric");
    options.denominator = 0;
    options.quantile = 1.5;
    CHECK_FAILS(&env, sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_ARGUMENT,
                "between 0 and 1");
    options.quantile = 0;
    options.floor = -1;
    CHECK_STATUS(sooth_metrics_compute(&env, y, p, NULL, 3, &options, &m), SOOTH_BAD_ARGUMENT);
    CHECK(m.rows == 0x0707070707070707u || sizeof m.rows < 8); /* a failure leaves the struct alone */
}

/* ---- two classes ---- */

static sooth_metrics_binary compute_binary(const float *y, const float *p, const float *w, size_t count) {
    sooth_env env;
    sooth_metrics_binary out;
    sooth_env_init(&env);
    memset(&out, 0, sizeof out);
    CHECK_STATUS(sooth_metrics_compute_binary(&env, y, p, w, count, &out), SOOTH_OK);
    return out;
}

static void binary_equals_scikit_learn(void) {
    for (size_t k = 0; k < sizeof golden_binaries / sizeof golden_binaries[0]; ++k) {
        const golden_binary_case *c = &golden_binaries[k];
        const char *name = c->name;
        const sooth_metrics_binary m = compute_binary(c->actual, c->predicted, c->weight, c->count);
        SAME(rate, c->rate, 0);
        SAME(mean_p, c->mean_p, 0);
        SAME(brier, c->brier, 0);
        SAME(log_loss, c->log_loss, 1e-3); /* one class: 2e-16 */
        SAME(auc, c->auc, 0);
        SAME(brier_rate, c->brier_rate, 0);
        SAME(log_loss_rate, c->log_loss_rate, 1e-3);
        CHECK(isnan(m.auc) == isnan(c->auc));
    }
}

/* Every pair of a 1 and a 0, with ties, weights, and both zeros. */
static void auc_equals_counting_pairs(void) {
    float y[50], p[50], w[50];
    double ahead = 0, pairs = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < 50; ++i) {
        const uint32_t r = sooth_rng_below(&rng, 8);
        y[i] = (float)sooth_rng_below(&rng, 2);
        p[i] = r ? (float)r / 8 : i % 2 ? -0.0f : 0.0f;
        w[i] = (float)sooth_rng_below(&rng, 4);
    }
    for (size_t i = 0; i < 50; ++i)
        for (size_t j = 0; j < 50; ++j)
            if (y[i] > 0.5f && y[j] < 0.5f) {
                pairs += (double)(w[i] * w[j]);
                ahead += (double)(w[i] * w[j]) * (p[i] > p[j] ? 1 : p[i] < p[j] ? 0 : 0.5);
            }
    CHECK_NEAR(compute_binary(y, p, w, 50).auc, ahead / pairs, 1e-15);
}

static void bad_classes_are_sentences(void) {
    float y[] = {0, 1, 1}, p[] = {0.5f, 0.25f, 1}, w[] = {1, 0, 1};
    sooth_env env;
    sooth_metrics_binary m;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_metrics_compute_binary(&env, y, p, NULL, 0, &m), SOOTH_BAD_DATA,
                "there are 0 rows to compare");
    y[1] = 0.5f;
    CHECK_FAILS(&env, sooth_metrics_compute_binary(&env, y, p, w, 3, &m), SOOTH_BAD_DATA,
                "row 2 has the actual value 0.5, but it must be 0 or 1");
    y[1] = NAN;
    CHECK_STATUS(sooth_metrics_compute_binary(&env, y, p, w, 3, &m), SOOTH_BAD_DATA);
    y[1] = 2;
    CHECK_STATUS(sooth_metrics_compute_binary(NULL, y, p, w, 3, &m), SOOTH_BAD_DATA);
    y[1] = 1;
    p[2] = 1.5f;
    CHECK_FAILS(&env, sooth_metrics_compute_binary(&env, y, p, NULL, 3, &m), SOOTH_BAD_DATA,
                "row 3 has the prediction 1.5, but it must be a probability between 0 and 1");
    p[2] = NAN;
    CHECK_STATUS(sooth_metrics_compute_binary(&env, y, p, NULL, 3, &m), SOOTH_BAD_DATA);
    p[2] = -0.5f;
    CHECK_STATUS(sooth_metrics_compute_binary(&env, y, p, NULL, 3, &m), SOOTH_BAD_DATA);
    p[2] = 1;
    w[0] = w[2] = 0;
    CHECK_FAILS(&env, sooth_metrics_compute_binary(&env, y, p, w, 3, &m), SOOTH_BAD_DATA,
                "all weights are zero");
    CHECK_EVERY_ALLOCATION(&env, sooth_metrics_compute_binary(&env, y, p, NULL, 3, &m), (void)0);
}

int main(void) {
    CHECK_RUN(equals_scikit_learn);
    CHECK_RUN(equals_scikit_learn_on_many_rows);
    CHECK_RUN(percentages_of_the_papers);
    CHECK_RUN(zeros_are_left_out_and_counted);
    CHECK_RUN(weights_repeat_rows);
    CHECK_RUN(median_equals_sorting);
    CHECK_RUN(intervals);
    CHECK_RUN(stride_picks_a_target);
    CHECK_RUN(skill);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(binary_equals_scikit_learn);
    CHECK_RUN(auc_equals_counting_pairs);
    CHECK_RUN(bad_classes_are_sentences);
    return check_end("metrics");
}
