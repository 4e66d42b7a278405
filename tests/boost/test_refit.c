/* test_refit.c - leaves from newer rows: against the fit itself, a naive refit and LightGBM's.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/import.h"
#include "check.h"
#include "friedman.h"
#include "golden/boost_refit.h"

enum { N = 400, D = 6, LEVELS = 9 };

static int same_bytes(const sooth_boost *a, const sooth_boost *b) {
    return a && b && a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0;
}

/* Friedman's function with missing values, positive targets and, in the last column, a category. */
static void make(sooth_table *table, uint64_t seed, double missing) {
    make_friedman(table, N, D, seed, missing);
    for (size_t i = 0; i < N; ++i) {
        float *y = (float *)(uintptr_t)&table->y[i], *last = (float *)(uintptr_t)&table->x[i * D + D - 1];
        *y = 1.0f + (*y > 0.0f ? *y : 0.0f);
        if (*last >= 0.0f) *last = (float)(uint32_t)(*last * (float)LEVELS);
    }
}

static const signed char up[D] = {0, 0, 0, 1, 1, 0};
static const unsigned char category[D] = {0, 0, 0, 0, 0, 1};

static sooth_boost_options options_of(uint32_t loss) {
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 12;
    o.max_depth = 4;
    o.learning_rate = 0.3;
    o.subsample = 1.0;
    o.loss = loss;
    o.quantile = loss == SOOTH_BOOST_QUANTILE ? 0.8 : 0.0;
    o.lambda = 1.5;
    o.floor = 0.5;
    return o;
}

/* Medians and quantiles of the same rows are the same, so a refit to the rows of the fit changes no bit. */
static void the_rows_of_the_fit_change_nothing(void) {
    static float weight[N];
    for (size_t i = 0; i < N; ++i) weight[i] = (float)(i % 4) * 0.5f;
    for (uint32_t form = 0; form < 16; ++form) {
        static const uint32_t loss[4] = {SOOTH_BOOST_ABSOLUTE, SOOTH_BOOST_QUANTILE, SOOTH_BOOST_RELATIVE,
                                         SOOTH_BOOST_QUANTILE};
        sooth_table table;
        sooth_boost_options o = options_of(loss[form % 4]);
        sooth_boost *boost = NULL, *again = NULL;
        sooth_env env;
        sooth_env_init(&env);
        make(&table, 3 + form, 0.05);
        if (form % 4 == 3) {
            o.quantile = 0.0;
            o.quantiles[0] = 0.1, o.quantiles[1] = 0.5, o.quantiles[2] = 0.95;
        }
        if (form & 4) table.weight = weight;
        if (form & 8) o.monotone = up;
        else table.categorical = category;
        o.no_cover = form == 5;
        o.no_table = form == 6;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        CHECK_STATUS(sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_OK);
        CHECK(same_bytes(boost, again));
        sooth_boost_free(&env, again);
        if (form & 1) o.seed = 7, o.subsample = 0.5, o.patience = 3; /* no draws, no held-out rows */
        CHECK_STATUS(sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_OK);
        CHECK(same_bytes(boost, again));
        sooth_boost_free(&env, again);
        sooth_boost_free(&env, boost);
        free_friedman(&table);
    }
}

/* Trees are walked by eight rows at once, and by the last rows one by one. */
static void any_number_of_rows(void) {
    const sooth_boost_options o = options_of(SOOTH_BOOST_ABSOLUTE);
    sooth_table table;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 4, 0.05);
    table.categorical = category;
    for (size_t rows = 57; rows <= 64; ++rows) {
        sooth_boost *boost = NULL, *again = NULL;
        table.rows = rows;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        CHECK_STATUS(sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_OK);
        CHECK(boost && soothi_ensemble_start(boost)[boost->trees] > boost->trees && same_bytes(boost, again));
        sooth_boost_free(&env, again);
        sooth_boost_free(&env, boost);
    }
    free_friedman(&table);
}

/* ---- a naive refit ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Returns the (n + 1) q-th of n residuals, between its neighbours (numpy's "weibull"). */
static double weibull(double *r, size_t n, double q) {
    const double at = q * (double)(n + 1) - 1.0;
    qsort(r, n, sizeof *r, by_value);
    if (at <= 0.0) return r[0];
    if (at >= (double)(n - 1)) return r[n - 1];
    const size_t k = (size_t)at;
    return r[k] + (at - (double)k) * (r[k + 1] - r[k]);
}

/* Returns -G / (H + lambda) of the rows with in[i], at the margins m; or their quantile, without lambda. */
static double best_step(const sooth_boost_options *o, const sooth_table *t, const double *m, const int *in) {
    static double r[N];
    double g = 0.0, h = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < N; ++i) {
        const double y = (double)t->y[i], w = t->weight ? (double)t->weight[i] : 1.0, e = m[i] - y;
        if (!in[i]) continue;
        r[n++] = -e;
        switch (o->loss) {
        case SOOTH_BOOST_POISSON: g += w * (exp(m[i]) - y), h += w * exp(m[i] + 0.7); break;
        case SOOTH_BOOST_GAMMA: g += w * (1.0 - y * exp(-m[i])), h += w * y * exp(-m[i]); break;
        case SOOTH_BOOST_HUBER: g += w * (e > 1.0 ? 1.0 : e < -1.0 ? -1.0 : e), h += w; break;
        default: g += w * e, h += w;
        }
    }
    if (o->loss == SOOTH_BOOST_QUANTILE) return weibull(r, n, o->quantile);
    const double limit = o->loss == SOOTH_BOOST_POISSON ? 0.7 : o->loss == SOOTH_BOOST_GAMMA ? 4.0 : 1e9;
    const double step = -g / (h + o->lambda);
    return step > limit ? limit : step < -limit ? -limit : step;
}

/* Checks every leaf and the base of `again` against the definition. */
static void check_leaves(const sooth_boost *old, const sooth_boost *again, const sooth_table *t,
                         const sooth_boost_options *o, double decay) {
    static double m[N], sum;
    static uint32_t leaf[N];
    static int in[N];
    const uint32_t *start = soothi_ensemble_start(old);
    const double base = (double)soothi_ensemble_base(again)[0];
    double weights = 0.0, worst = 0.0, best = 0.0;
    uint32_t checked = 0, kept = 0;
    sum = 0.0;
    for (size_t i = 0; i < N; ++i) {
        const double w = t->weight ? (double)t->weight[i] : 1.0;
        m[i] = 0.0;
        in[i] = w > 0.0;
        sum += w * (double)t->y[i];
        weights += w;
    }
    if (o->loss == SOOTH_BOOST_QUANTILE) best = best_step(o, t, m, in);
    else if (o->loss == SOOTH_BOOST_SQUARED) best = sum / weights;
    else best = log(sum / weights); /* of Poisson and gamma */
    if (o->loss != SOOTH_BOOST_HUBER)
        CHECK_NEAR(base, decay * (double)soothi_ensemble_base(old)[0] + (1.0 - decay) * best, 1e-5);
    for (size_t i = 0; i < N; ++i) m[i] = base;
    for (uint32_t k = 0; k < old->trees; ++k) {
        for (size_t i = 0; i < N; ++i) {
            leaf[i] = start[k];
            while (soothi_ensemble_nodes(old)[leaf[i]].link & 1u)
                leaf[i] = soothi_ensemble_child(old, leaf[i], t->x + i * t->stride);
        }
        for (uint32_t id = start[k]; id < start[k + 1]; ++id) {
            const double was = (double)soothi_ensemble_nodes(old)[id].u.value;
            double want = was, off;
            int any = 0;
            if (soothi_ensemble_nodes(old)[id].link & 1u) continue;
            for (size_t i = 0; i < N; ++i) {
                in[i] = leaf[i] == id && (!t->weight || t->weight[i] > 0.0f);
                any |= in[i];
            }
            if (any) want = decay * was + (1.0 - decay) * o->learning_rate * best_step(o, t, m, in);
            else ++kept;
            off = fabs(want - (double)soothi_ensemble_nodes(again)[id].u.value);
            if (off > worst) worst = off;
            ++checked;
        }
        for (size_t i = 0; i < N; ++i) m[i] += (double)soothi_ensemble_nodes(again)[leaf[i]].u.value;
    }
    CHECK(checked > 50 && kept < checked);
    CHECK_NEAR(worst, 0.0, 2e-5);
}

static void leaves_are_those_of_the_definition(void) {
    static const uint32_t loss[] = {SOOTH_BOOST_SQUARED, SOOTH_BOOST_HUBER, SOOTH_BOOST_QUANTILE,
                                    SOOTH_BOOST_POISSON, SOOTH_BOOST_GAMMA};
    static float weight[N];
    uint32_t without = 0;
    for (size_t i = 0; i < N; ++i) weight[i] = (float)(i % 3);
    for (uint32_t form = 0; form < 10; ++form) {
        const double decay = form & 1 ? 0.4 : 0.0;
        sooth_boost_options o = options_of(loss[form / 2]);
        sooth_table table, newer;
        sooth_boost *boost = NULL, *again = NULL;
        sooth_env env;
        sooth_env_init(&env);
        make(&table, 1, 0.05);
        make(&newer, 2, 0.1);
        table.categorical = newer.categorical = category;
        if (o.loss != SOOTH_BOOST_QUANTILE && (form & 1)) newer.weight = weight;
        for (size_t i = 0; form & 1 && i < N; ++i) /* leaves without rows */
            if (newer.x[i * D] > 0.2f) *(float *)(uintptr_t)&newer.x[i * D] = 0.1f, ++without;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, decay, &again), SOOTH_OK);
        CHECK(again && sooth_boost_check(again, again->head.size));
        CHECK(again->head.size == boost->head.size && again->table_depth == boost->table_depth);
        check_leaves(boost, again, &newer, &o, decay);
        sooth_boost_free(&env, boost);
        sooth_boost_free(&env, again);
        free_friedman(&table);
        free_friedman(&newer);
    }
    CHECK(without > 0);
}

/* LightGBM has no base here, and leaves of 48 bits, of which a refit keeps 24. */
static void answers_are_those_of_lightgbm(void) {
    static const double *const want[3] = {boost_refit_none, boost_refit_some, boost_refit_most};
    static const double decay[3] = {0.0, 0.3, 0.9};
    const sooth_table table =
        sooth_table_of(boost_refit_x, boost_refit_y, BOOST_REFIT_ROWS, BOOST_REFIT_COLS);
    sooth_import import;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_import_read(&env, boost_refit_model, sizeof boost_refit_model - 1, NULL, &import),
                 SOOTH_OK);
    for (size_t k = 0; k < 3; ++k) {
        sooth_boost_options o;
        sooth_boost *again = NULL;
        memset(&o, 0, sizeof o);
        o.learning_rate = 0.3;
        o.lambda = 1.5;
        o.alpha = 0.25;
        o.has_base_score = 1;
        CHECK_STATUS(sooth_boost_refit(&env, import.ensemble, &table, &o, decay[k], &again), SOOTH_OK);
        for (size_t i = 0; again && i < BOOST_REFIT_ROWS; ++i)
            CHECK_NEAR(sooth_boost_predict(again, boost_refit_x + i * BOOST_REFIT_COLS), want[k][i], 2e-6);
        sooth_boost_free(&env, again);
    }
    sooth_import_free(&env, &import);
}

/* The newer targets fall where the constraint says that they rise. */
static void constraints_are_kept(void) {
    for (uint32_t form = 0; form < 4; ++form) {
        sooth_boost_options o = options_of(form & 1 ? SOOTH_BOOST_QUANTILE : SOOTH_BOOST_SQUARED);
        sooth_table table, newer;
        sooth_boost *boost = NULL, *again = NULL, *free_again = NULL;
        uint32_t falls = 0, falls_free = 0;
        sooth_env env;
        sooth_env_init(&env);
        make(&table, 5, 0.0);
        make(&newer, 6, 0.0);
        for (size_t i = 0; i < N; ++i)
            *(float *)(uintptr_t)&newer.y[i] = 20.0f - 15.0f * newer.x[i * D + 3] + newer.x[i * D];
        o.monotone = up;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, form & 2 ? 0.3 : 0.0, &again), SOOTH_OK);
        o.monotone = NULL;
        CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, form & 2 ? 0.3 : 0.0, &free_again), SOOTH_OK);
        for (size_t i = 0; i < N; ++i) {
            float row[D], before = -FLT_MAX, before_free = -FLT_MAX;
            memcpy(row, newer.x + i * D, sizeof row);
            for (uint32_t step = 0; step <= 20; ++step) {
                row[3] = (float)step / 20.0f;
                const float p = sooth_boost_predict(again, row), q = sooth_boost_predict(free_again, row);
                falls += p < before - 1e-5f;
                falls_free += q < before_free - 1e-5f;
                before = p;
                before_free = q;
            }
        }
        CHECK(falls == 0);
        CHECK(falls_free > 0);
        sooth_boost_free(&env, boost);
        sooth_boost_free(&env, again);
        sooth_boost_free(&env, free_again);
        free_friedman(&table);
        free_friedman(&newer);
    }
}

/* Each quantile of a list is refitted like a model of its own, and the answers are sorted. */
static void quantiles_are_those_of_their_own(void) {
    static float p[3 * N], q[3][N];
    static const double level[3] = {0.25, 0.5, 0.9};
    sooth_table table, newer;
    sooth_boost_options o = options_of(SOOTH_BOOST_QUANTILE);
    sooth_boost *boost = NULL, *again = NULL;
    uint32_t off = 0;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 7, 0.02);
    make(&newer, 8, 0.02);
    for (uint32_t k = 0; k < 4; ++k) {
        memset(o.quantiles, 0, sizeof o.quantiles);
        o.quantile = k < 3 ? level[k] : 0.0;
        if (k == 3) memcpy(o.quantiles, level, sizeof level);
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.2, &again), SOOTH_OK);
        sooth_boost_predict_many(again, newer.x, N, D, k < 3 ? q[k] : p);
        sooth_boost_free(&env, boost);
        sooth_boost_free(&env, again);
    }
    for (size_t i = 0; i < N; ++i) {
        double own[3] = {(double)q[0][i], (double)q[1][i], (double)q[2][i]};
        qsort(own, 3, sizeof *own, by_value);
        for (size_t k = 0; k < 3; ++k) off += own[k] < (double)p[3 * i + k] || own[k] > (double)p[3 * i + k];
    }
    CHECK(off == 0);
    free_friedman(&table);
    free_friedman(&newer);
}

static void twice(void *user, const float *y, const float *margin, size_t rows, float *gradient,
                  float *hessian) {
    (void)user;
    for (size_t i = 0; i < rows; ++i) {
        gradient[i] = 2.0f * (margin[i] - y[i]);
        hessian[i] = 2.0f;
    }
}

/* Twice the squared loss with twice the penalty is the squared loss; several targets are single ones. */
static void custom_losses_and_several_targets(void) {
    static float two[2 * N], p[2 * N], q[N];
    const sooth_boost_custom custom = {twice, NULL, NULL, 10.0};
    sooth_table table, newer, both;
    sooth_boost_options o = options_of(SOOTH_BOOST_SQUARED);
    sooth_boost *boost = NULL, *again = NULL;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 9, 0.0);
    make(&newer, 10, 0.0);
    o.base_score = 10.0;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.0, &again), SOOTH_OK);
    sooth_boost_predict_many(again, newer.x, N, D, q);
    sooth_boost_free(&env, again);
    o.custom = &custom;
    o.lambda *= 2.0;
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.0, &again), SOOTH_OK);
    sooth_boost_predict_many(again, newer.x, N, D, p);
    for (size_t i = 0; i < N; ++i) CHECK_NEAR(p[i], q[i], 1e-4);
    sooth_boost_free(&env, again);
    sooth_boost_free(&env, boost);
    o.custom = NULL;
    o.lambda *= 0.5;
    both = table;
    both.y = two;
    both.targets = 2;
    for (size_t i = 0; i < N; ++i) two[2 * i] = -table.y[i], two[2 * i + 1] = table.y[i];
    o.base_score = 0.0;
    CHECK_STATUS(sooth_boost_fit(&env, &both, &o, &boost), SOOTH_OK);
    for (size_t i = 0; i < N; ++i) two[2 * i] = -newer.y[i], two[2 * i + 1] = newer.y[i];
    both.x = newer.x;
    CHECK_STATUS(sooth_boost_refit(&env, boost, &both, &o, 0.5, &again), SOOTH_OK);
    sooth_boost_predict_many(again, newer.x, N, D, p);
    for (size_t i = 0; i < N; ++i) CHECK_NEAR(p[2 * i], -p[2 * i + 1], 1e-4);
    sooth_boost_free(&env, again);
    sooth_boost_free(&env, boost);
    free_friedman(&table);
    free_friedman(&newer);
}

static void margins_begin_where_they_are_given(void) {
    static float margin[N], p[N], q[N];
    sooth_table table, newer;
    sooth_boost_options o = options_of(SOOTH_BOOST_SQUARED);
    sooth_boost *boost = NULL, *again = NULL;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 11, 0.0);
    make(&newer, 12, 0.0);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.0, &again), SOOTH_OK);
    sooth_boost_predict_many(again, newer.x, N, D, q);
    for (size_t i = 0; i < N; ++i) margin[i] = soothi_ensemble_base(again)[0];
    sooth_boost_free(&env, again);
    o.base_margin = margin;
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.0, &again), SOOTH_OK);
    sooth_boost_predict_many(again, newer.x, N, D, p);
    CHECK(memcmp(p, q, sizeof p) == 0);
    sooth_boost_free(&env, again);
    sooth_boost_free(&env, boost);
    free_friedman(&table);
    free_friedman(&newer);
}

/* No options are the defaults, whatever the options of the fit were. */
static void no_options_are_the_defaults(void) {
    const sooth_boost_options o = options_of(SOOTH_BOOST_SQUARED);
    sooth_boost_options defaults;
    sooth_table table, newer;
    sooth_boost *boost = NULL, *again = NULL, *same = NULL, *other = NULL;
    sooth_env env;
    sooth_env_init(&env);
    memset(&defaults, 0, sizeof defaults);
    make(&table, 14, 0.0);
    make(&newer, 15, 0.0);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, NULL, 0.0, &again), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &defaults, 0.0, &same), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &newer, &o, 0.0, &other), SOOTH_OK);
    CHECK(same_bytes(again, same) && !same_bytes(again, other));
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, again);
    sooth_boost_free(&env, same);
    sooth_boost_free(&env, other);
    free_friedman(&table);
    free_friedman(&newer);
}

static void endless(void *user, const float *y, const float *margin, size_t rows, float *gradient,
                    float *hessian) {
    (void)user;
    for (size_t i = 0; i < rows; ++i) {
        gradient[i] = margin[i] - y[i];
        hessian[i] = INFINITY;
    }
}

/* A step of an infinite curvature would be 0, and one from the least float to the largest is no float. */
static void steps_that_are_no_numbers_are_refused(void) {
    static float huge[N];
    const sooth_boost_custom custom = {endless, NULL, NULL, 0.0};
    sooth_table table, far;
    sooth_boost_options o = options_of(SOOTH_BOOST_SQUARED);
    sooth_boost *boost = NULL, *again = NULL;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 16, 0.0);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    o.custom = &custom;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_NOT_CONVERGED,
                "after 0 trees a derivative of the loss is not finite");
    CHECK(again == NULL);
    o.custom = NULL;
    for (size_t i = 0; i < N; ++i) huge[i] = 3e38f;
    far = table;
    far.y = huge;
    o.has_base_score = 1;
    o.base_score = -3e38;
    o.learning_rate = 1.0;
    o.lambda = 0.0;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &far, &o, 0.0, &again), SOOTH_NOT_CONVERGED,
                "after 0 trees");
    CHECK(again == NULL);
    sooth_boost_free(&env, boost);
    free_friedman(&table);
}

static void memory_may_fail(void) {
    static const uint32_t loss[2] = {SOOTH_BOOST_SQUARED, SOOTH_BOOST_QUANTILE};
    sooth_table table;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 17, 0.05);
    table.rows = 50;
    for (int k = 0; k < 2; ++k) {
        const sooth_boost_options o = options_of(loss[k]);
        sooth_boost *boost = NULL, *again = NULL;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        sooth_env failing = env;
        CHECK_EVERY_ALLOCATION(&failing, sooth_boost_refit(&failing, boost, &table, &o, 0.5, &again),
                               sooth_boost_free(&failing, again));
        sooth_boost_free(&env, boost);
    }
    free_friedman(&table);
}

/* Of two processes the other one has no rows. */
static int nothing_elsewhere(void *user, sooth_reduction what, int64_t *value, size_t count) {
    (void)user, (void)what, (void)value, (void)count;
    return 0;
}

static int stop(void *user, const char *stage, double done) {
    (void)user, (void)stage;
    return done > 0.5;
}

static void refusals_are_sentences(void) {
    static float none[N], huge[N];
    sooth_table table, narrow;
    sooth_boost_options o = options_of(SOOTH_BOOST_SQUARED), poisson = options_of(SOOTH_BOOST_POISSON);
    sooth_boost *boost = NULL, *again = NULL, *linear = NULL, *logs = NULL;
    sooth_env env;
    sooth_env_init(&env);
    make(&table, 13, 0.0);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &poisson, &logs), SOOTH_OK);
    o.linear_leaves = 1;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &linear), SOOTH_OK);
    o.linear_leaves = 0;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &table, &o, 1.0, &again), SOOTH_BAD_ARGUMENT,
                "decay is 1, but must be at least 0");
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &table, &o, NAN, &again), SOOTH_BAD_ARGUMENT,
                "decay is");
    CHECK_FAILS(&env, sooth_boost_refit(&env, linear, &table, &o, 0.0, &again), SOOTH_BAD_ARGUMENT,
                "linear leaves");
    CHECK_FAILS(&env, sooth_boost_refit(&env, logs, &table, &o, 0.0, &again), SOOTH_BAD_ARGUMENT,
                "but with this loss it would be");
    narrow = table;
    narrow.cols = D - 1;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &narrow, &o, 0.0, &again), SOOTH_BAD_DATA,
                "takes 6 features");
    table.weight = none;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_BAD_DATA, "weight");
    table.weight = NULL;
    env.progress_fn = stop;
    CHECK_STATUS(sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_CANCELLED);
    CHECK(again == NULL);
    env.progress_fn = NULL;
    env.reduce_fn = nothing_elsewhere;
    env.ranks = 2;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &table, &o, 0.0, &again), SOOTH_BAD_ARGUMENT,
                "rows in several processes do not support refit");
    env.reduce_fn = NULL;
    env.ranks = 0;
    for (size_t i = 0; i < N; ++i) huge[i] = i & 1 ? 3e38f : -3e38f;
    narrow = table;
    narrow.y = huge;
    o.learning_rate = 1.0;
    o.lambda = 0.0;
    CHECK_FAILS(&env, sooth_boost_refit(&env, boost, &narrow, &o, 0.0, &again), SOOTH_NOT_CONVERGED,
                "a derivative of the loss is not finite; try a smaller learning_rate");
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, linear);
    sooth_boost_free(&env, logs);
    free_friedman(&table);
}

int main(void) {
    CHECK_RUN(the_rows_of_the_fit_change_nothing);
    CHECK_RUN(any_number_of_rows);
    CHECK_RUN(leaves_are_those_of_the_definition);
    CHECK_RUN(answers_are_those_of_lightgbm);
    CHECK_RUN(constraints_are_kept);
    CHECK_RUN(quantiles_are_those_of_their_own);
    CHECK_RUN(custom_losses_and_several_targets);
    CHECK_RUN(margins_begin_where_they_are_given);
    CHECK_RUN(no_options_are_the_defaults);
    CHECK_RUN(steps_that_are_no_numbers_are_refused);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(refusals_are_sentences);
    return check_end("refit");
}
