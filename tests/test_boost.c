/* test_boost.c - gradient boosting: against XGBoost, against itself by another way, and by what every loss
 * promises.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/threads.h"
#include "check.h"
#include "friedman.h"
#include "lies.h"
#include "golden/boost.h"
#include "golden/boost_quantile.h"
#include <time.h>

static sooth_boost *grown(sooth_env *env, const sooth_table *table, const sooth_boost_options *o) {
    sooth_boost *boost = NULL;
    sooth_env own;
    if (!env) {
        sooth_env_init(&own);
        env = &own;
    }
    CHECK_STATUS(sooth_boost_fit(env, table, o, &boost), SOOTH_OK);
    if (!boost) printf("  %s\n", env->sentence);
    else CHECK(sooth_boost_check(boost, boost->head.size));
    return boost;
}

/* Sets a list of quantiles, which 0 ends. */
static void ask(sooth_boost_options *o, double a, double b, double c) {
    memset(o->quantiles, 0, sizeof o->quantiles);
    o->quantiles[0] = a;
    o->quantiles[1] = b;
    o->quantiles[2] = c;
}

static int same_bytes(const sooth_boost *a, const sooth_boost *b) {
    return a && b && a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0;
}

/* ---- against XGBoost ---- */

static void answers_are_those_of_xgboost(void) {
    static float two_classes[BOOST_ROWS];
    static const struct {
        const char *name;
        const float *want;
        uint32_t loss;
        double lambda, alpha, gamma, min_child_weight;
        int weighted;
        double base, step; /* step: max_delta_step */
    } known[] = {
        {"squared", boost_squared, SOOTH_BOOST_SQUARED, 1.0, 0.0, 0.0, 0.0, 0, 10, 0},
        {"regularised", boost_regularised, SOOTH_BOOST_SQUARED, 2.5, 4.0, 3.0, 4.0, 0, 10, 0},
        {"weighted", boost_weighted, SOOTH_BOOST_SQUARED, 0.5, 0.0, 0.0, 0.0, 1, 10, 0},
        {"poisson", boost_poisson, SOOTH_BOOST_POISSON, 1.0, 0.0, 0.0, 0.0, 0, 10, 0},
        {"gamma", boost_gamma, SOOTH_BOOST_GAMMA, 1.0, 0.0, 0.0, 0.0, 0, 10, 0},
        {"logistic", boost_logistic, SOOTH_BOOST_LOGISTIC, 1.0, 0.0, 0.0, 0.0, 0, 0.3, 1e9},
        {"bounded", boost_bounded, SOOTH_BOOST_LOGISTIC, 0.0, 0.0, 0.0, 0.0, 0, 0.5, 0},
        {"likely", boost_likely, SOOTH_BOOST_LOGISTIC, 2.0, 0.5, 0.2, 0.0, 1, 0.6, 1e9},
    };
    size_t k, i;
    for (i = 0; i < BOOST_ROWS; ++i) two_classes[i] = boost_y[i] > 18.0f;
    for (k = 0; k < sizeof known / sizeof known[0]; ++k) {
        sooth_table table;
        sooth_boost_options o;
        sooth_boost *boost;
        unsigned off = 0;
        double most = 0;
        sooth_table_init(&table, boost_x, BOOST_ROWS, BOOST_COLS);
        table.y = known[k].loss == SOOTH_BOOST_LOGISTIC ? two_classes : boost_y;
        table.targets = 1;
        table.weight = known[k].weighted ? boost_weight : NULL;
        memset(&o, 0, sizeof o);
        o.n_estimators = 10;
        /* at first p is the same for all, so many splits gain the same: the first of them is XGBoost's */
        o.method = known[k].loss == SOOTH_BOOST_LOGISTIC ? SOOTH_BOOST_HISTOGRAM : SOOTH_BOOST_EXACT;
        o.max_depth = 4;
        o.learning_rate = 0.3;
        o.subsample = 1.0; /* as XGBoost's default */
        o.base_score = known[k].base;
        o.max_delta_step = known[k].step;
        o.loss = known[k].loss;
        o.lambda = known[k].lambda;
        o.alpha = known[k].alpha;
        o.gamma = known[k].gamma;
        o.min_child_weight = known[k].min_child_weight;
        o.has_min_child_weight = 1; /* 0 is 0 */
        boost = grown(NULL, &table, &o);
        for (i = 0; boost && i < BOOST_ROWS; ++i) {
            const double p = (double)sooth_boost_predict(boost, boost_x + i * BOOST_COLS),
                         q = (double)known[k].want[i];
            off += !(fabs(p - q) <= 1e-4 * fabs(q));
            if (fabs(p - q) > most) most = fabs(p - q);
        }
        CHECK(off == 0);
        if (off) printf("  %s: %u rows differ by up to %g\n", known[k].name, off, most);
        sooth_boost_free(NULL, boost);
    }
}

/* XGBoost 3 with its default method: the leaf's value by the (n + 1) q rule, and no split that gains less
   than gamma. Every value has a bin and every sum of gradients is exact, so the answers are the same bits. */
static void quantiles_are_those_of_xgboost(void) {
    static const struct {
        const float *want;
        double quantile, gamma, min_child_weight;
        uint32_t max_leaves;
    } known[] = {{boost_quantile_plain, 0.75, 0.0, 2.0, 0},
                 {boost_quantile_gamma, 0.75, 2.0, 2.0, 0},
                 {boost_quantile_low, 0.25, 0.5, 9.0, 0},
                 {boost_quantile_leaves, 0.75, 1.0, 2.0, 7}};
    const sooth_table table =
        sooth_table_of(boost_quantile_x, boost_quantile_y, BOOST_QUANTILE_ROWS, BOOST_QUANTILE_COLS);
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.loss = SOOTH_BOOST_QUANTILE;
        o.quantile = known[k].quantile;
        o.n_estimators = 12;
        o.max_depth = 4;
        o.learning_rate = 0.5;
        o.subsample = o.lambda = 1.0;
        o.base_score = 20.0;
        o.gamma = known[k].gamma;
        o.min_child_weight = known[k].min_child_weight;
        o.grow_policy = known[k].max_leaves ? SOOTH_BOOST_LOSSGUIDE : SOOTH_BOOST_DEPTHWISE;
        o.max_leaves = known[k].max_leaves;
        sooth_boost *boost = grown(NULL, &table, &o);
        uint32_t off = 0;
        for (size_t i = 0; boost && i < BOOST_QUANTILE_ROWS; ++i) {
            const float p = sooth_boost_predict(boost, boost_quantile_x + i * BOOST_QUANTILE_COLS);
            off += p < known[k].want[i] || p > known[k].want[i];
        }
        CHECK(boost && off == 0);
        if (off) printf("  case %u: %u rows differ\n", (unsigned)k, off);
        sooth_boost_free(NULL, boost);
    }
}

/* Selection gives the bits of sorting: ties, one value, ascending and descending keys, and both signs. */
static void selected_quantiles_are_those_of_sorted_ones(void) {
    enum { MOST = 700 };
    static const double share[] = {0.01, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.75, 0.9, 0.99};
    static uint64_t entry[MOST], scratch[MOST];
    static uint32_t key[2][MOST];
    static soothi_boost_fitting f;
    sooth_table table;
    uint32_t off = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 1);
    memset(&table, 0, sizeof table);
    table.targets = f.targets = 1;
    f.table = &table;
    for (uint32_t round = 0; round < 20000; ++round) {
        const size_t n = 1 + sooth_rng_below(&rng, round % 40 ? 30 : MOST);
        const double q = share[round / 5 % 8];
        for (size_t i = 0; i < n; ++i) {
            const float v = round % 5 == 0   ? (float)sooth_rng_below(&rng, 5) - 2.0f
                            : round % 5 == 1 ? (float)i
                            : round % 5 == 2 ? -(float)i
                            : round % 5 == 3 ? 1.5f
                                             : (float)(sooth_rng_normal(&rng) * 1e3);
            key[0][i] = key[1][i] = soothi_key(v);
            entry[i] = soothi_entry(v, i);
        }
        soothi_entry_sort(entry, scratch, n);
        for (uint32_t upper = 0; upper < 2; ++upper) {
            const double want = upper ? soothi_boost_upper_quantile(&f, entry, n, q)
                                      : soothi_boost_quantile(&f, entry, n, q, 0);
            const double v = soothi_boost_quantile_plain(key[upper], n, q, (int)upper);
            off += memcmp(&v, &want, sizeof v) != 0;
        }
    }
    CHECK(off == 0);
}

/* The quantile of sorted values with weights: every place in turn. */
static double naive_quantile(const float *value, const float *weight, size_t n, double q) {
    double all = 0.0, sum = 0.0;
    for (size_t k = 0; k < n; ++k) all += (double)weight[k];
    const double at = q * (all + all / (double)n);
    if (at <= (double)weight[0]) return (double)value[0];
    for (size_t k = 0; k + 1 < n; ++k) {
        sum += (double)weight[k];
        if (at <= sum + (double)weight[k + 1])
            return (double)value[k] +
                   (at - sum) / (double)weight[k + 1] * ((double)value[k + 1] - (double)value[k]);
    }
    return (double)value[n - 1];
}

static int compare_floats(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* One leaf of rate 1 on a base of 0 is the quantile of all targets: numpy's "weibull". With weights it is
   that of the definition; equal weights are none. */
static void a_leaf_is_the_n_plus_1_quantile(void) {
    static float y[BOOST_QUANTILE_ROWS], weight[BOOST_QUANTILE_ROWS], x[BOOST_QUANTILE_ROWS];
    const size_t shares = sizeof boost_quantile_shares / sizeof *boost_quantile_shares,
                 counts = sizeof boost_quantile_counts / sizeof *boost_quantile_counts;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t k = 0; k < counts * shares; ++k)
        for (uint32_t form = 0; form < 3; ++form) {
            const size_t n = boost_quantile_counts[k / shares];
            sooth_table table = sooth_table_of(x, y, n, 1);
            sooth_boost_options o;
            memset(&o, 0, sizeof o);
            o.loss = SOOTH_BOOST_QUANTILE;
            o.quantile = boost_quantile_shares[k % shares];
            o.n_estimators = 1;
            o.learning_rate = o.subsample = 1.0;
            o.has_base_score = 1;
            memcpy(y, boost_quantile_y, n * sizeof *y);
            if (form == 2) qsort(y, n, sizeof *y, compare_floats);
            for (size_t i = 0; i < n; ++i) weight[i] = form == 2 ? 0.1f + sooth_rng_float(&rng) : 0.75f;
            table.weight = form ? weight : NULL;
            const double want =
                form == 2 ? naive_quantile(y, weight, n, o.quantile) : boost_quantile_weibull[k];
            sooth_boost *boost = grown(NULL, &table, &o);
            if (!boost) return;
            CHECK_CLOSE((double)sooth_boost_predict(boost, x), want, 2e-7);
            if (form == 0) { /* the base is chosen by the same rule */
                sooth_boost *other;
                o.has_base_score = 0;
                other = grown(NULL, &table, &o);
                if (!other) return;
                CHECK_CLOSE((double)soothi_ensemble_base(other)[0], want, 2e-7);
                sooth_boost_free(NULL, other);
            }
            sooth_boost_free(NULL, boost);
        }
}

/* ---- against itself ---- */

/* Leaves renewed by medians and quantiles have the unit of the targets, and constraints must not change that:
   the same table in another unit has the same model in that unit. */
static void constrained_quantiles_have_the_unit_of_the_targets(void) {
    enum { N = 400, D = 5 };
    static const signed char up[D] = {1, 1, 0, 1, -1};
    static float small[N];
    sooth_table table, other;
    make_friedman(&table, N, D, 12, 0.0);
    for (size_t i = 0; i < N; ++i) small[i] = table.y[i] / 1024.0f;
    other = table;
    other.y = small;
    for (uint32_t form = 0; form < 4; ++form) {
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.loss = form & 1 ? SOOTH_BOOST_ABSOLUTE : SOOTH_BOOST_QUANTILE;
        o.quantile = 0.8;
        o.n_estimators = 40;
        o.max_depth = 4;
        o.method = form >> 1;
        o.monotone = up;
        sooth_boost *a = grown(NULL, &table, &o), *b = grown(NULL, &other, &o);
        double loss = 0, without = 0;
        o.monotone = NULL;
        sooth_boost *c = grown(NULL, &table, &o);
        for (size_t i = 0; a && b && c && i < N; ++i) {
            const float *row = table.x + i * D, y = table.y[i];
            const double p = (double)sooth_boost_predict(a, row), q = (double)sooth_boost_predict(c, row);
            CHECK(fabs(p - 1024.0 * (double)sooth_boost_predict(b, row)) <= 0.0);
            loss += soothi_boost_loss(&o, (double)y, p) / N;
            without += soothi_boost_loss(&o, (double)y, q) / N;
        }
        CHECK(loss < 2.0 * without); /* the fifth column is wrong */
        if (check_failures) printf("  form %u: %g, without constraints %g\n", form, loss, without);
        sooth_boost_free(NULL, a);
        sooth_boost_free(NULL, b);
        sooth_boost_free(NULL, c);
    }
    free_friedman(&table);
}

/* With a bin for every value histograms see what exact growth sees; only thresholds fall elsewhere between
   the same rows. */
static void histograms_of_all_values_are_exact(void) {
    enum { N = 200, D = 6 };
    static float p[N], q[N], weight[N];
    sooth_table table;
    uint32_t i, form;
    make_friedman(&table, N, D, 1, 0.1);
    for (i = 0; i < N; ++i) weight[i] = (float)(1 + i % 3);
    for (form = 0; form < 8; ++form) {
        sooth_boost_options o;
        sooth_boost *binned, *exact;
        memset(&o, 0, sizeof o);
        o.n_estimators = 20;
        o.max_depth = 4;
        o.lambda = form & 1 ? 1.0 : 0.0;
        o.alpha = form & 2 ? 2.0 : 0.0;
        o.min_samples_leaf = form & 1 ? 5 : 0;
        o.learning_rate = 0.1;
        o.subsample = form & 2 ? 0.7 : 1.0;
        o.colsample_bytree = form & 1 ? 0.7 : 0.0;
        table.weight = form & 4 ? weight : NULL;
        if (form == 7) o.grow_policy = 1, o.max_leaves = 12;
        binned = grown(NULL, &table, &o);
        o.method = 1;
        exact = grown(NULL, &table, &o);
        if (!binned || !exact) return;
        sooth_boost_predict_many(binned, table.x, N, D, p);
        sooth_boost_predict_many(exact, table.x, N, D, q);
        if (o.subsample < 1.0) /* rows that were not drawn may fall on either side of a threshold */
            for (i = 0; i < N; ++i) CHECK_NEAR(p[i], q[i], 2.0);
        else
            for (i = 0; i < N; ++i) CHECK_NEAR(p[i], q[i], 2e-4);
        CHECK(binned->nodes == exact->nodes || o.subsample < 1.0);
        if (check_failures) {
            printf("  in form %u\n", form);
            return;
        }
        sooth_boost_free(NULL, binned);
        sooth_boost_free(NULL, exact);
    }
    free_friedman(&table);
}

static void grow_with_one_and_four(const sooth_table *table, const sooth_boost_options *o) {
    sooth_boost *one = grown(NULL, table, o), *four;
    sooth_threads pool;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, 4), SOOTH_OK);
    four = grown(&env, table, o);
    sooth_threads_stop(&pool);
    CHECK(same_bytes(one, four));
    sooth_boost_free(NULL, one);
    sooth_boost_free(NULL, four);
}

static void any_number_of_workers_gives_the_same_bytes(void) {
    enum { N = 40000, D = 5 };
    sooth_table table;
    uint32_t form;
    make_friedman(&table, N, D, 2, 0.02);
    for (form = 0; form < 5; ++form) {
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.n_estimators = 4;
        o.grow_policy = form < 3 ? form : 0;
        o.loss = form == 3 ? SOOTH_BOOST_ABSOLUTE : form == 4 ? SOOTH_BOOST_POISSON : SOOTH_BOOST_SQUARED;
        if (form == 4)
            for (size_t i = 0; i < N; ++i) { /* counts */
                union {
                    const float *from;
                    float *to;
                } y;
                y.from = table.y;
                y.to[i] = (float)(int)fabsf(y.to[i]);
            }
        o.subsample = form == 1 ? 0.8 : 0.0;
        grow_with_one_and_four(&table, &o);
    }
    free_friedman(&table);
}

static void keep_loss(void *user, const char *stage, size_t step, double loss, double validation) {
    (void)stage, (void)step, (void)validation;
    *(double *)user = loss;
}

/* Rows that a tree does not draw reach their leaf by their bins. The loss of the margins is then that of the
   model's predictions, which go by values. */
static void rows_that_are_not_drawn_get_what_is_predicted(void) {
    enum { N = 5000, D = 5 };
    static float weight[N];
    sooth_table table;
    make_friedman(&table, N, D, 8, 0.2);
    for (size_t i = 0; i < N; ++i) weight[i] = (float)(i % 4) / 2.0f; /* a quarter has no bins */
    for (uint32_t form = 0; form < 12; ++form) {
        sooth_boost_options o;
        sooth_threads pool;
        sooth_env env;
        double learned = 0.0, sum = 0.0, weights = 0.0;
        memset(&o, 0, sizeof o);
        o.n_estimators = 12;
        o.grow_policy = form % 3;
        o.subsample = 0.3;
        o.learning_rate = 0.5;
        table.weight = form / 3 % 2 ? weight : NULL;
        sooth_env_init(&env);
        env.loss_fn = keep_loss;
        env.loss_user = &learned;
        CHECK_STATUS(sooth_threads_start(&env, &pool, form < 6 ? 1 : 3), SOOTH_OK);
        sooth_boost *boost = grown(&env, &table, &o);
        sooth_threads_stop(&pool);
        for (size_t i = 0; i < N && boost; ++i) {
            const double w = table.weight ? (double)weight[i] : 1.0;
            const double e = (double)sooth_boost_predict(boost, table.x + i * D) - (double)table.y[i];
            sum += 0.5 * w * e * e;
            weights += w;
        }
        CHECK_NEAR(learned, sum / weights, 1e-5 * learned);
        sooth_boost_free(NULL, boost);
    }
    free_friedman(&table);
}

/* Above SOOTHI_GROW_SUBTREE rows a node's rows are parted by all workers. */
static void workers_part_the_rows_of_large_nodes(void) {
    enum { N = 150000, D = 5 };
    sooth_table table;
    sooth_boost_options o;
    make_friedman(&table, N, D, 3, 0.02);
    memset(&o, 0, sizeof o);
    o.n_estimators = 2;
    o.max_depth = 3;
    o.bins = 16;
    grow_with_one_and_four(&table, &o);
    free_friedman(&table);
}

static void growing_later_is_growing_at_once(void) {
    enum { N = 500, D = 6 };
    sooth_table table;
    uint32_t form;
    make_friedman(&table, N, D, 3, 0.05);
    for (form = 0; form < 4; ++form) {
        sooth_boost_options o;
        sooth_boost *all, *some, *more = NULL;
        memset(&o, 0, sizeof o);
        o.n_estimators = 30;
        o.subsample = 0.8;
        o.colsample_bytree = 0.8;
        o.colsample_bynode = 0.7;
        o.method = form == 1;
        o.loss = form == 2 ? SOOTH_BOOST_RELATIVE : form == 3 ? SOOTH_BOOST_HUBER : SOOTH_BOOST_SQUARED;
        o.floor = 1.0;
        all = grown(NULL, &table, &o);
        o.n_estimators = 12;
        some = grown(NULL, &table, &o);
        o.n_estimators = 18;
        CHECK_STATUS(sooth_boost_resume(NULL, some, &table, &o, &more), SOOTH_OK);
        CHECK(same_bytes(all, more));
        { /* and a stage is the smaller model */
            static float p[N], q[N];
            sooth_ensemble_predict_first(all, table.x, N, D, 12, p);
            sooth_boost_predict_many(some, table.x, N, D, q);
            CHECK(memcmp(p, q, sizeof p) == 0);
        }
        sooth_boost_free(NULL, all);
        sooth_boost_free(NULL, some);
        sooth_boost_free(NULL, more);
    }
    free_friedman(&table);
}

static void derive_squared(void *user, const float *y, const float *margin, size_t rows, float *gradient,
                           float *hessian) {
    size_t i;
    (void)user;
    for (i = 0; i < rows; ++i) {
        gradient[i] = margin[i] - y[i];
        hessian[i] = 1.0f;
    }
}

/* Targets near the greatest float: the answers of a log link stay below infinity. */
static void a_log_link_is_never_infinite(void) {
    enum { N = 60 };
    static float x[2 * N], y[N];
    sooth_table table = sooth_table_of(x, y, N, 2);
    sooth_boost_options o;
    sooth_boost *boost;
    uint32_t i, loss;
    for (i = 0; i < N; ++i) {
        x[2 * i] = (float)(i % 7);
        x[2 * i + 1] = (float)(i % 5);
        y[i] = i % 7 == 3 ? 1e38f : 3.4e38f;
    }
    for (loss = SOOTH_BOOST_POISSON; loss <= SOOTH_BOOST_GAMMA; ++loss) {
        memset(&o, 0, sizeof o);
        o.loss = loss;
        boost = grown(NULL, &table, &o);
        for (i = 0; i < 35; ++i) {
            const float row[2] = {(float)(i % 7), (float)(i / 7)};
            CHECK(isfinite(sooth_boost_predict(boost, row)));
        }
        sooth_boost_free(NULL, boost);
    }
}

/* New trees join a model only where they mean the same: refused, never a sum of unlike things. */
static void unlike_trees_are_not_joined(void) {
    enum { N = 200, D = 2 };
    static float y[3 * N];
    sooth_env env;
    sooth_table table, three;
    sooth_boost_options o, custom_o;
    sooth_boost *model, *more = NULL;
    sooth_boost_custom custom;
    uint32_t i;
    sooth_env_init(&env);
    make_friedman(&table, N, 5, 3, 0.0);
    for (i = 0; i < N; ++i) y[3 * i] = y[3 * i + 1] = y[3 * i + 2] = table.y[i];
    three = table;
    three.y = y;
    three.targets = 3;
    memset(&o, 0, sizeof o);
    o.n_estimators = 4;
    ask(&o, 0.1, 0.5, 0.9);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &model), SOOTH_OK);
    CHECK_STATUS(sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_OK);
    sooth_boost_free(&env, more);
    ask(&o, 0.1, 0.5, 0.95);
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_ARGUMENT,
                "quantile 3 of quantiles is 0.95, but the model predicts 0.9");
    ask(&o, 0.1, 0.45, 0.9);
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_ARGUMENT,
                "quantile 2 of quantiles is 0.45, but the model predicts 0.5");
    ask(&o, 0.1, 0.5, 0.0);
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_DATA, "for 3 targets");
    ask(&o, 0.0, 0.0, 0.0);
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_DATA, "for 3 targets");
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &three, &o, &more), SOOTH_BAD_ARGUMENT,
                "the model predicts several quantiles of one target");
    CHECK(more == NULL);
    sooth_boost_free(&env, model);
    CHECK_STATUS(sooth_boost_fit(&env, &three, &o, &model), SOOTH_OK);
    ask(&o, 0.1, 0.5, 0.9);
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_ARGUMENT,
                "the model does not predict several quantiles of one target");
    sooth_boost_free(&env, model);
    ask(&o, 0.0, 0.0, 0.0);
    o.loss = SOOTH_BOOST_POISSON;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &model), SOOTH_OK);
    CHECK_STATUS(sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_OK);
    sooth_boost_free(&env, more);
    o.loss = SOOTH_BOOST_GAMMA; /* the same link */
    CHECK_STATUS(sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_OK);
    sooth_boost_free(&env, more);
    o.loss = SOOTH_BOOST_SQUARED;
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_ARGUMENT,
                "predicts e to the sum of its trees, but with this loss it would be the sum of its trees");
    custom.derive_fn = derive_squared;
    custom.user = NULL;
    custom_o = o;
    custom_o.custom = &custom; /* derives margins, whatever the link */
    CHECK_STATUS(sooth_boost_resume(&env, model, &table, &custom_o, &more), SOOTH_OK);
    CHECK(more->link == SOOTH_ENSEMBLE_LINK_EXP);
    sooth_boost_free(&env, more);
    o.loss = SOOTH_BOOST_POISSON;
    o.no_cover = 1;
    CHECK_FAILS(&env, sooth_boost_resume(&env, model, &table, &o, &more), SOOTH_BAD_ARGUMENT,
                "no_cover is 1, but was 0 when the model was made");
    sooth_boost_free(&env, model);
    free_friedman(&table);
}

static void a_custom_loss_is_as_good_as_a_built_in_one(void) {
    enum { N = 300, D = 5 };
    static float p[N], q[N];
    sooth_table table;
    sooth_boost_options o;
    sooth_boost_custom custom;
    sooth_boost *own, *builtin;
    uint32_t i;
    make_friedman(&table, N, D, 4, 0.0);
    memset(&custom, 0, sizeof custom);
    memset(&o, 0, sizeof o);
    custom.derive_fn = derive_squared;
    custom.base = 12.0;
    o.base_score = 12.0;
    o.n_estimators = 100; /* few enough that roundings change no split */
    o.subsample = 1.0;
    builtin = grown(NULL, &table, &o);
    o.custom = &custom;
    own = grown(NULL, &table, &o);
    if (!own || !builtin) return;
    sooth_boost_predict_many(own, table.x, N, D, p);
    sooth_boost_predict_many(builtin, table.x, N, D, q);
    for (i = 0; i < N; ++i) CHECK_NEAR(p[i], q[i], 1e-4);
    sooth_boost_free(NULL, own);
    sooth_boost_free(NULL, builtin);
    free_friedman(&table);
}

/* ---- what losses promise ---- */

static void derivatives_are_those_of_the_loss(void) {
    sooth_boost_options o;
    uint32_t loss, i;
    sooth_rng rng;
    memset(&o, 0, sizeof o);
    o.quantile = 0.8;
    o.huber_delta = 1.3;
    o.floor = 0.5;
    sooth_rng_init(&rng, 1, 0);
    for (loss = 0; loss <= SOOTH_BOOST_LOGISTIC; ++loss)
        for (i = 0; i < 200; ++i) {
            const double m = 4.0 * sooth_rng_double(&rng) - 1.0, e = 1e-5;
            double g, h, numeric, y = 0.1 + 4.0 * sooth_rng_double(&rng);
            o.loss = loss;
            if (loss == SOOTH_BOOST_LOGISTIC) y = i % 2;
            if (fabs(m - y) < 1e-3 || fabs(fabs(m - y) - o.huber_delta) < 1e-3) continue; /* a corner */
            soothi_boost_derive(&o, y, m, &g, &h);
            numeric = (soothi_boost_loss(&o, y, m + e) - soothi_boost_loss(&o, y, m - e)) / (2.0 * e);
            CHECK_NEAR(g, numeric, 1e-6 * (1.0 + fabs(g)));
            if (loss != SOOTH_BOOST_SQUARED && loss != SOOTH_BOOST_POISSON && loss != SOOTH_BOOST_GAMMA &&
                loss != SOOTH_BOOST_LOGISTIC)
                continue;
            numeric = (soothi_boost_loss(&o, y, m + 1e-3) - 2.0 * soothi_boost_loss(&o, y, m) +
                       soothi_boost_loss(&o, y, m - 1e-3)) /
                      1e-6;
            CHECK_NEAR(h, numeric, 1e-4 * (1.0 + h));
        }
}

/* Every loss is smaller on new rows after boosting for it than after boosting for the squares. */
static void each_loss_is_best_at_its_own(void) {
    enum { N = 1500, D = 6, TEST = 3000 };
    static float p[TEST], skewed[N], skewed_test[TEST];
    const float *own_train, *own_test;
    sooth_table train, test;
    uint32_t loss, i;
    sooth_rng rng;
    make_friedman(&train, N, D, 5, 0.0);
    make_friedman(&test, TEST, D, 6, 0.0);
    sooth_rng_init(&rng, 3, 0);
    for (i = 0; i < N + TEST; ++i) { /* positive, with heavy errors on one side: squares chase them */
        const float y = i < N ? train.y[i] : test.y[i - N];
        float e = sooth_rng_float(&rng);
        e = 0.5f + 0.1f / (0.02f + e * e);
        if (i < N) skewed[i] = (1.0f + fabsf(y)) * e;
        else skewed_test[i - N] = (1.0f + fabsf(y)) * e;
    }
    own_train = train.y;
    own_test = test.y;
    train.y = skewed;
    test.y = skewed_test;
    for (loss = SOOTH_BOOST_ABSOLUTE; loss <= SOOTH_BOOST_RELATIVE; ++loss) {
        double mean[2] = {0.0, 0.0};
        uint32_t form;
        for (form = 0; form < 2; ++form) {
            sooth_boost_options o;
            sooth_boost *boost;
            memset(&o, 0, sizeof o);
            o.n_estimators = 60;
            o.max_depth = 3;
            o.quantile = 0.9;
            o.huber_delta = 2.0;
            o.loss = form ? loss : SOOTH_BOOST_SQUARED;
            boost = grown(NULL, &train, &o);
            if (!boost) return;
            sooth_boost_predict_many(boost, test.x, TEST, D, p);
            o.loss = loss;
            for (i = 0; i < TEST; ++i) {
                double m = (double)p[i];
                if (loss == SOOTH_BOOST_POISSON || loss == SOOTH_BOOST_GAMMA) m = log(m > 0.01 ? m : 0.01);
                mean[form] += soothi_boost_loss(&o, (double)skewed_test[i], m) / TEST;
                if (form && (loss == SOOTH_BOOST_POISSON || loss == SOOTH_BOOST_GAMMA)) CHECK(p[i] > 0.0f);
            }
            if (form && loss == SOOTH_BOOST_QUANTILE) {
                uint32_t below = 0;
                for (i = 0; i < TEST; ++i) below += skewed_test[i] <= p[i];
                CHECK_NEAR((double)below / TEST, 0.9, 0.035);
            }
            sooth_boost_free(NULL, boost);
        }
        /* these ask for the mean, too */
        if (loss == SOOTH_BOOST_POISSON || loss == SOOTH_BOOST_GAMMA)
            CHECK(mean[1] < mean[0] + 0.01 * fabs(mean[0]));
        else CHECK(mean[1] < mean[0]);
        if (check_failures) printf("  loss %u: %g, by squares %g\n", loss, mean[1], mean[0]);
    }
    train.y = own_train;
    test.y = own_test;
    free_friedman(&train);
    free_friedman(&test);
}

/* Coins whose odds depend on the row: probabilities that are near the true ones in the mean of the squares,
   and a log loss that is near that of the truth; by every way to grow. Held-out rows stop it. */
static void probabilities_are_near_the_truth(void) {
    enum { N = 1200, TEST = 2000, D = 5 };
    static float y[N], test_y[TEST], truth[TEST], p[TEST];
    static const struct { uint32_t method, policy; } ways[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}};
    sooth_table train, test;
    sooth_rng rng;
    make_friedman(&train, N, D, 31, 0.0);
    make_friedman(&test, TEST, D, 32, 0.0);
    const float *own_y = train.y, *own_test = test.y;
    sooth_rng_init(&rng, 33, 0);
    for (uint32_t i = 0; i < N; ++i) y[i] = sooth_rng_float(&rng) < sooth_sigmoid(0.6f * (train.y[i] - 14));
    for (uint32_t i = 0; i < TEST; ++i) {
        truth[i] = sooth_sigmoid(0.6f * (test.y[i] - 14));
        test_y[i] = sooth_rng_float(&rng) < truth[i];
    }
    train.y = y;
    test.y = test_y;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        sooth_boost_options o;
        sooth_boost_report report;
        sooth_boost *boost = NULL;
        double squares = 0, loss = 0, of_truth = 0, rate = 0, mean = 0;
        memset(&o, 0, sizeof o);
        o.loss = SOOTH_BOOST_LOGISTIC;
        o.n_estimators = 300;
        o.method = ways[k].method;
        o.grow_policy = ways[k].policy;
        o.max_depth = 4;
        o.max_leaves = 9;
        o.min_samples_leaf = 10;
        o.validation = &test;
        CHECK_STATUS(sooth_boost_fit_report(NULL, &train, &o, &boost, &report), SOOTH_OK);
        if (!boost) return;
        CHECK(report.rounds_tried < 300 && report.rounds + 10 == report.rounds_tried);
        sooth_boost_predict_many(boost, test.x, TEST, D, p);
        for (uint32_t i = 0; i < TEST; ++i) {
            const double q = (double)p[i], t = (double)truth[i];
            CHECK(p[i] > 0.0f && p[i] < 1.0f);
            squares += (q - t) * (q - t) / TEST;
            loss -= log(test_y[i] > 0.5f ? q : 1.0 - q) / TEST;
            of_truth -= log(test_y[i] > 0.5f ? t : 1.0 - t) / TEST;
            rate += (double)test_y[i] / TEST;
            mean += q / TEST;
        }
        CHECK_NEAR(report.validation_loss, loss, 1e-6);
        CHECK(squares < 0.035 && loss < of_truth + 0.1);
        CHECK(loss < 0.75 * -(rate * log(rate) + (1 - rate) * log(1 - rate))); /* of the mean */
        CHECK_NEAR(mean, rate, 0.03);
        if (check_failures)
            printf("  way %u: %g from the truth, log loss %g beside %g\n", (unsigned)k, squares, loss,
                   of_truth);
        sooth_boost_free(NULL, boost);
    }
    train.y = own_y;
    test.y = own_test;
    free_friedman(&train);
    free_friedman(&test);
}

/* The mean log loss of fresh rows, and the smallest p. */
static double loss_of_fresh(const sooth_boost *boost, const float *x, const float *y, size_t rows,
                            size_t cols, double *least) {
    double loss = 0.0;
    *least = 1.0;
    for (size_t i = 0; i < rows; ++i) {
        const double p = (double)sooth_boost_predict(boost, x + i * cols);
        loss -= log(y[i] > 0.5f ? p : 1.0 - p) / (double)rows;
        if (p < *least) *least = p;
    }
    return loss;
}

/* Noise: P(y = 1) is between 0.1 and 0.9. Few rows must not give extreme probabilities: the log loss of fresh
   rows is below that of XGBoost's defaults, and 500 rounds without min_child_weight are far worse. */
static void defaults_of_the_logistic_loss(void) {
    enum { TRAIN = 400, FRESH = 4000, D = 3 };
    static float x[(TRAIN + FRESH) * D], y[TRAIN + FRESH];
    sooth_boost_options way[4];
    double loss[4], least[4];
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (size_t i = 0; i < TRAIN + FRESH; ++i) {
        for (size_t j = 0; j < D; ++j) x[i * D + j] = sooth_rng_float(&rng);
        const float p = 0.1f + 0.4f * x[i * D] + 0.4f * (x[i * D + 1] > 0.5f);
        y[i] = sooth_rng_float(&rng) < p;
    }
    const sooth_table table = sooth_table_of(x, y, TRAIN, D);
    memset(way, 0, sizeof way);
    sooth_boost *boost[4];
    for (size_t k = 0; k < 4; ++k) way[k].loss = SOOTH_BOOST_LOGISTIC;
    way[1].n_estimators = 200, way[1].min_child_weight = 1.0;                      /* the defaults, written */
    way[2].n_estimators = 100, way[2].learning_rate = 0.3, way[2].subsample = 1.0; /* those of XGBoost */
    way[2].lambda = way[2].min_child_weight = 1.0;
    way[3].n_estimators = 500, way[3].has_min_child_weight = 1; /* those of the other losses */
    for (size_t k = 0; k < 4; ++k) {
        boost[k] = grown(NULL, &table, &way[k]);
        if (!boost[k]) return;
        loss[k] = loss_of_fresh(boost[k], x + TRAIN * D, y + TRAIN, FRESH, D, &least[k]);
    }
    CHECK(same_bytes(boost[0], boost[1]));
    CHECK(loss[0] < 0.85 * loss[2] && loss[0] < 0.7 * loss[3]);
    CHECK(least[0] > 3e-3 && least[3] < 1e-4);
    if (check_failures)
        printf("  %g beside %g and %g, least %g, %g\n", loss[0], loss[2], loss[3], least[0], least[3]);
    for (size_t k = 0; k < 4; ++k) sooth_boost_free(NULL, boost[k]);
}

/* One class alone; a row that is wrong by all that can be; what is no class. */
static void classes_at_their_ends(void) {
    float x[40] = {0}, y[40] = {0}, weight[40];
    sooth_table table = sooth_table_of(x, y, 40, 1), valid = table;
    sooth_boost_options o;
    sooth_boost *boost = NULL;
    sooth_env env;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.loss = SOOTH_BOOST_LOGISTIC;
    for (uint32_t i = 0; i < 40; ++i) {
        x[i] = (float)i;
        y[i] = 1.0f;
        weight[i] = i < 20 ? 1.0f : 3.0f;
    }
    boost = grown(&env, &table, &o);
    CHECK(boost && sooth_boost_predict(boost, x) > 0.999999f && sooth_boost_predict(boost, x) <= 1.0f);
    sooth_boost_free(&env, boost);
    for (uint32_t i = 0; i < 20; ++i) y[i] = 0.0f;
    o.n_estimators = 1;
    table.weight = weight;
    boost = grown(&env, &table, &o); /* begins with the odds of the weighted mean, 3 to 1 */
    CHECK(boost && boost->link == SOOTH_ENSEMBLE_LINK_LOGISTIC);
    CHECK_NEAR(soothi_ensemble_base(boost)[0], log(3.0), 1e-6);
    sooth_boost_free(&env, boost);
    table.weight = NULL;
    o.n_estimators = 0;
    o.has_min_child_weight = 1; /* a row is a leaf */
    for (uint32_t i = 0; i < 40; ++i) y[i] = i != 7;
    o.learning_rate = 1.0;
    o.base_score = 0.999999;
    boost = grown(&env, &table, &o); /* p (1 - p) of the odd row is 1e-6: steps are bounded */
    CHECK(boost && sooth_boost_predict(boost, x + 7) < 0.01f && sooth_boost_predict(boost, x + 9) > 0.99f);
    sooth_boost_free(&env, boost);
    for (uint32_t at = 0; at < 2; ++at) {
        o.base_score = at ? 1.0 : 0.0;
        o.has_base_score = 1;
        CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                    at ? "base_score is 1, but must be above 0" : "base_score is 0, but must be above 0");
    }
    memset(&o, 0, sizeof o);
    o.loss = SOOTH_BOOST_LOGISTIC;
    y[5] = 0.5f;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_DATA,
                "row 6 has the target 0.5, but targets must be 0 or 1 with loss=logistic");
    table.rows = 5;
    o.validation = &valid;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_DATA,
                "row 6 of the validation table has the target 0.5");
    CHECK(boost == NULL);
}

/* Before they are sorted, the quantiles of a list are what models of their own predict, to the bit; sorted,
   the sum of the losses of a row never rises. Whatever is asked of the trees. */
static void quantiles_of_a_list_are_those_of_their_own(void) {
    enum { N = 500, D = 6, Q = 3 };
    static const signed char up[D] = {1, 0, 0, 1, 0, 0};
    static const double level[Q] = {0.3, 0.8, 0.97};
    static float weight[N], all[N * Q], own[Q][N];
    sooth_table table;
    uint32_t crossed = 0;
    make_friedman(&table, N, D, 21, 0.02);
    for (size_t i = 0; i < N; ++i) weight[i] = (float)(1 + i % 3);
    for (uint32_t form = 0; form < 9; ++form) {
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.n_estimators = 40;
        o.max_depth = 4;
        o.learning_rate = 0.3;
        o.colsample_bytree = o.colsample_bynode = form == 1 ? 0.6 : 0.0;
        o.method = form == 2;
        o.grow_policy = form == 3 ? 1u : form == 4 ? 2u : 0u;
        o.monotone = form == 5 ? up : NULL;
        o.linear_leaves = form == 6;
        o.gamma = form == 7 ? 0.3 : 0.0;
        o.no_table = form == 8;
        o.seed = form;
        table.weight = form == 7 ? weight : NULL;
        ask(&o, level[0], level[1], level[2]);
        sooth_boost *boost = grown(NULL, &table, &o);
        if (!boost) return;
        CHECK(boost->trees == Q * 40 && boost->head.targets == Q);
        sooth_boost_predict_many(boost, table.x, N, D, all);
        memset(o.quantiles, 0, sizeof o.quantiles);
        o.loss = SOOTH_BOOST_QUANTILE;
        for (size_t q = 0; q < Q; ++q) {
            o.quantile = level[q];
            sooth_boost *alone = grown(NULL, &table, &o);
            if (!alone) return;
            sooth_boost_predict_many(alone, table.x, N, D, own[q]);
            sooth_boost_free(NULL, alone);
            CHECK((double)sooth_boost_quantiles(boost)[q] == (double)(float)level[q]);
        }
        for (size_t i = 0; i < N; ++i) {
            float sorted[Q], p[Q];
            double loss[2] = {0, 0};
            for (size_t q = 0; q < Q; ++q) sorted[q] = own[q][i];
            crossed += sorted[1] < sorted[0] || sorted[2] < sorted[1];
            qsort(sorted, Q, sizeof *sorted, compare_floats);
            CHECK(memcmp(sorted, all + i * Q, sizeof sorted) == 0);
            sooth_boost_predict_many(boost, table.x + i * D, 1, D, p);
            CHECK(memcmp(sorted, p, sizeof sorted) == 0);
            CHECK((double)sooth_boost_predict(boost, table.x + i * D) == (double)sorted[0]);
            for (size_t q = 0; q < Q; ++q)
                for (int k = 0; k < 2; ++k) {
                    const double e = (double)table.y[i] - (double)(k ? own[q][i] : sorted[q]);
                    loss[k] += e > 0 ? level[q] * e : (level[q] - 1.0) * e;
                }
            CHECK(loss[0] <= loss[1] + 1e-5);
        }
        if (check_failures) printf("  form %u\n", form);
        sooth_boost_free(NULL, boost);
    }
    CHECK(crossed > 50); /* so that sorting is tested */
    free_friedman(&table);
}

static void quantiles_never_cross(void) {
    enum { N = 2000, D = 6, TEST = 4000 };
    sooth_table train, test;
    sooth_boost_options o;
    sooth_boost *boost = NULL;
    sooth_rng rng;
    uint32_t i, j, inside = 0, below = 0;
    make_friedman(&train, N, D, 7, 0.02);
    make_friedman(&test, TEST, D, 8, 0.0);
    memset(&o, 0, sizeof o);
    o.max_depth = 3;
    o.n_estimators = 100;
    o.min_samples_leaf = 20;
    ask(&o, 0.05, 0.5, 0.95);
    boost = grown(NULL, &train, &o);
    if (!boost) return;
    for (i = 0; i < TEST; ++i) {
        float p[3];
        sooth_boost_predict_many(boost, test.x + i * D, 1, D, p);
        CHECK(p[0] <= p[1] && p[1] <= p[2]);
        inside += test.y[i] >= p[0] && test.y[i] <= p[2];
        below += test.y[i] <= p[1];
    }
    CHECK_NEAR((double)inside / TEST, 0.9, 0.06);
    CHECK_NEAR((double)below / TEST, 0.5, 0.05);
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 20000; ++i) { /* rows like none in training */
        float row[D], p[3];
        for (j = 0; j < D; ++j) row[j] = sooth_rng_below(&rng, 8) ? 4.0f * sooth_rng_float(&rng) - 1.5f : NAN;
        sooth_boost_predict_many(boost, row, 1, D, p);
        CHECK(p[0] <= p[1] && p[1] <= p[2]);
    }
    sooth_boost_free(NULL, boost);
    free_friedman(&train);
    free_friedman(&test);
}

/* Tables that invite crossing: constant targets, two values, one row, huge and tiny ones, ties, missing
   values, noise alone; eight quantiles close to each other. */
static void quantiles_never_cross_on_nasty_tables(void) {
    enum { N = 90, D = 3, Q = 8 };
    static const double level[Q] = {0.001, 0.01, 0.1, 0.49, 0.5, 0.51, 0.9, 0.999};
    static float x[N * D], y[N];
    for (uint32_t form = 0; form < 64; ++form) {
        sooth_table table = sooth_table_of(x, y, form % 8 == 2 ? 1 : N, D);
        sooth_boost_options o;
        sooth_rng rng;
        sooth_rng_init(&rng, form, 0);
        for (size_t i = 0; i < N; ++i) {
            for (size_t j = 0; j < D; ++j)
                x[i * D + j] =
                    form & 8 && i % 3 == j ? NAN : (float)sooth_rng_below(&rng, 1 + 40 * (form & 1));
            y[i] = form % 8 == 0   ? 7.0f
                   : form % 8 == 1 ? (float)(i % 2)
                   : form % 8 == 3 ? 1e30f * (sooth_rng_float(&rng) - 0.5f)
                   : form % 8 == 4 ? 1e-38f * sooth_rng_float(&rng)
                   : form % 8 == 5 ? -(float)(i * i)
                   : form % 8 == 6 ? sooth_rng_float(&rng) / (1e-6f + sooth_rng_float(&rng))
                                   : (float)sooth_rng_below(&rng, 3);
        }
        memset(&o, 0, sizeof o);
        memcpy(o.quantiles, level, sizeof level);
        o.n_estimators = 20;
        o.learning_rate = form & 16 ? 1.0 : 0.0;
        o.linear_leaves = form >> 5;
        sooth_boost *boost = grown(NULL, &table, &o);
        for (size_t i = 0; boost && i < 200; ++i) {
            float row[D], p[Q];
            for (size_t j = 0; j < D; ++j) row[j] = i % 5 == j ? NAN : 60.0f * sooth_rng_float(&rng) - 10.0f;
            sooth_boost_predict_many(boost, row, 1, D, p);
            for (size_t q = 0; q < Q; ++q) CHECK(isfinite(p[q]) && (q == 0 || p[q - 1] <= p[q]));
        }
        if (check_failures) {
            printf("  form %u\n", form);
            return;
        }
        sooth_boost_free(NULL, boost);
    }
}

/* The held-out loss that stops training is that of the sorted predictions; going on is fitting at once; a
   list of one is the quantile loss; what is no list is refused. */
static void lists_of_quantiles(void) {
    enum { N = 400, D = 5 };
    sooth_table table, held;
    sooth_boost_options o;
    sooth_boost_report report;
    const sooth_boost_custom custom = {NULL, NULL, NULL, 0.0}; /* is not called */
    sooth_boost *boost = NULL, *more = NULL;
    sooth_env env;
    double loss = 0;
    static float twice[2 * N];
    sooth_env_init(&env);
    make_friedman(&table, N, D, 22, 0.0);
    make_friedman(&held, N, D, 23, 0.0);
    const sooth_table table_of_one = table;
    sooth_table wide = sooth_table_of(table.x, twice, N, D);
    memset(&o, 0, sizeof o);
    o.n_estimators = 400;
    o.learning_rate = 0.4;
    o.validation = &held;
    ask(&o, 0.4, 0.5, 0.6);
    CHECK_STATUS(sooth_boost_fit_report(&env, &table, &o, &boost, &report), SOOTH_OK);
    if (!boost) return;
    CHECK(report.rounds_tried < 400 && boost->trees == 3 * report.rounds);
    for (size_t i = 0; i < N; ++i) {
        float p[3];
        sooth_boost_predict_many(boost, held.x + i * D, 1, D, p);
        for (size_t q = 0; q < 3; ++q) {
            const double e = (double)held.y[i] - (double)p[q];
            loss += (e > 0 ? o.quantiles[q] * e : (o.quantiles[q] - 1.0) * e) / (3 * N);
        }
    }
    CHECK_NEAR(loss, report.validation_loss, 1e-6);
    sooth_boost_free(&env, boost);
    o.validation = NULL;
    o.n_estimators = 5;
    boost = grown(&env, &table, &o);
    CHECK_STATUS(sooth_boost_resume(&env, boost, &table, &o, &more), SOOTH_OK);
    sooth_boost_free(&env, boost);
    o.n_estimators = 10;
    boost = grown(&env, &table, &o);
    CHECK(same_bytes(boost, more));
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, more);
    ask(&o, 0.9, 0.0, 0.0);
    boost = grown(&env, &table, &o);
    ask(&o, 0.0, 0.0, 0.0);
    o.loss = SOOTH_BOOST_QUANTILE;
    o.quantile = 0.9;
    more = grown(&env, &table, &o);
    CHECK(same_bytes(boost, more) && more->head.targets == 1 && !sooth_boost_quantiles(more));
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, more);
    ask(&o, 0.1, 0.9, 0.0);
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "both quantile and quantiles are given");
    o.quantile = 0.0;
    o.loss = SOOTH_BOOST_ABSOLUTE;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "quantiles have the quantile loss; leave loss out");
    o.loss = SOOTH_BOOST_SQUARED;
    o.base_margin = table.y;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT, "base_margin");
    o.base_margin = NULL;
    ask(&o, 0.9, 0.5, 0.0);
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "quantile 2 of quantiles is 0.5, but must be above 0.9 and below 1");
    ask(&o, 0.5, 1.0, 0.0);
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "quantile 2 of quantiles is 1, but must be above 0.5 and below 1");
    ask(&o, 0.5, 1.0 - 1e-9, 0.0); /* 1 as a float */
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "must be above 0.5 and below 1");
    ask(&o, 0.5, 0.5 + 1e-9, 0.0); /* the same float */
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "must be above 0.5 and below 1");
    ask(&o, 0.5, 0.9, 0.0);
    o.custom = &custom;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "quantiles have the quantile loss; leave custom out");
    o.custom = NULL;
    ask(&o, -0.5, 0.9, 0.0);
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "quantiles is -0.5, but must be between 0 and 1");
    ask(&o, 0.5, 0.9, 0.0);
    table.targets = 2;
    table.rows /= 2;
    CHECK_FAILS(
        &env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
        "several quantiles need a single target (or a column with the same numbers for each), but the "
        "table has 2");
    table.rows *= 2;
    for (size_t i = 0; i < 2 * N; ++i) twice[i] = table.y[i / 2]; /* a column for each, both the same */
    more = grown(&env, &table_of_one, &o);
    wide.targets = 2;
    boost = grown(&env, &wide, &o);
    CHECK(same_bytes(boost, more));
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, more);
    table.targets = 1;
    free_friedman(&table);
    free_friedman(&held);
}

/* Whatever of the block says something else about its quantiles is refused. */
static void lies_about_quantiles_are_refused(void) {
    const uint32_t sums = (uint32_t)SOOTH_ENSEMBLE_MEAN, rows = (uint32_t)SOOTH_ENSEMBLE_ROWS;
    sooth_table table;
    sooth_boost_options o;
    make_friedman(&table, 100, 5, 24, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 4;
    ask(&o, 0.1, 0.5, 0.9);
    sooth_boost *boost = grown(NULL, &table, &o);
    if (!boost) return;
    const size_t at = 4 * (size_t)soothi_ensemble_lay_out(boost).extra;
    const lies_word lies[] = {
        {at, soothi_bits(0.0f)},
        {at, soothi_bits(-0.1f)},
        {at, soothi_bits(0.5f)},
        {at, soothi_bits(NAN)},
        {at + 4, soothi_bits(0.1f)},
        {at + 4, soothi_bits(0.95f)},
        {at + 8, soothi_bits(1.0f)},
        {at + 8, soothi_bits(INFINITY)},
        {offsetof(sooth_ensemble, flags), boost->flags ^ SOOTH_ENSEMBLE_QUANTILES},
        {offsetof(sooth_ensemble, flags), boost->flags | sums},
        {offsetof(sooth_ensemble, flags), boost->flags | rows},
        {offsetof(sooth_ensemble, flags), boost->flags | 512u},
        {offsetof(sooth_ensemble, link), SOOTH_ENSEMBLE_LINK_EXP},
        {offsetof(sooth_ensemble, extra), 2},
        {offsetof(sooth_ensemble, extra), 4},
        {offsetof(sooth_block, targets), 1},
        {offsetof(sooth_block, targets), 2},
        {offsetof(sooth_block, kind), SOOTH_KIND_BOOST + (1u << 16)},
        {offsetof(sooth_block, kind), SOOTH_KIND_BOOST + (3u << 16)},
        {offsetof(sooth_block, kind), SOOTH_KIND_FOREST + (4u << 16)},
    };
    lies_are_refused(sooth_boost_check, &boost->head, lies, sizeof lies / sizeof *lies);
    lies_about_size_are_refused(sooth_boost_check, &boost->head);
    CHECK(!soothi_ensemble_check(boost, boost->head.size, SOOTH_KIND_FOREST));
    sooth_boost_free(NULL, boost);
    free_friedman(&table);
}

/* A linear leaf has the slopes of least squares; moved, the residuals of its rows have the quantile 0. Beyond
   the rows it goes on: y = 3 x + x e / 10 has the quantile (3 + q / 10) x. */
static void linear_leaves_are_moved_to_the_quantile(void) {
    enum { N = 600 };
    static float x[N], y[N], weight[N], residual[N], of[N];
    for (uint32_t form = 0; form < 6; ++form) {
        sooth_table table = sooth_table_of(x, y, N, 1);
        sooth_boost_options o;
        sooth_rng rng;
        sooth_rng_init(&rng, form, 0);
        for (size_t i = 0; i < N; ++i) {
            x[i] = 1.0f + 9.0f * sooth_rng_float(&rng);
            y[i] = x[i] * (3.0f + 0.1f * sooth_rng_float(&rng));
            weight[i] = form & 1 ? (float)(1 + i % 4) : 1.0f;
        }
        table.weight = form & 1 ? weight : NULL;
        memset(&o, 0, sizeof o);
        o.loss = SOOTH_BOOST_QUANTILE;
        o.quantile = form < 2 ? 0.9 : form < 4 ? 0.5 : 0.2;
        o.n_estimators = 1;
        o.learning_rate = o.subsample = 1.0;
        o.max_depth = 2;
        o.min_samples_leaf = 100;
        o.linear_leaves = 1;
        sooth_boost *boost = grown(NULL, &table, &o);
        if (!boost) return;
        CHECK(boost->linear_leaves > 0);
        for (uint32_t leaf = 0; leaf < boost->nodes; ++leaf) {
            size_t n = 0;
            double scale = 0;
            if (!soothi_ensemble_linear_leaf(boost, leaf)) continue;
            for (size_t i = 0; i < N; ++i) {
                uint32_t at;
                soothi_ensemble_leaves(boost, x + i, &at);
                if (at == leaf) residual[n] = y[i] - sooth_boost_predict(boost, x + i), of[n++] = weight[i];
            }
            for (size_t i = 1; i < n; ++i) /* by residual, with their weights */
                for (size_t k = i; k > 0 && residual[k] < residual[k - 1]; --k) {
                    const float r = residual[k], w = of[k];
                    residual[k] = residual[k - 1], of[k] = of[k - 1];
                    residual[k - 1] = r, of[k - 1] = w;
                }
            scale = (double)(residual[n - 1] - residual[0]);
            CHECK(n >= 100 && fabs(naive_quantile(residual, of, n, o.quantile)) < 1e-5 * scale);
        }
        sooth_boost_free(NULL, boost);
        o.n_estimators = 200;
        o.learning_rate = 0.05;
        boost = grown(NULL, &table, &o);
        const float twenty = 20.0f;
        CHECK_NEAR((double)sooth_boost_predict(boost, &twenty), (3.0 + 0.1 * o.quantile) * 20.0, 3.0);
        sooth_boost_free(NULL, boost);
    }
}

/* ---- growth ---- */

static void symmetric_trees_ask_one_question_per_level(void) {
    enum { N = 800, D = 6 };
    sooth_table table;
    sooth_boost_options o;
    sooth_boost *boost;
    uint32_t k;
    make_friedman(&table, N, D, 9, 0.03);
    memset(&o, 0, sizeof o);
    o.grow_policy = 2;
    o.n_estimators = 20;
    o.max_depth = 5;
    boost = grown(NULL, &table, &o);
    for (k = 0; boost && k < boost->trees; ++k) {
        const uint32_t from = soothi_ensemble_start(boost)[k],
                       nodes = soothi_ensemble_start(boost)[k + 1] - from;
        uint32_t level, at = 0, i;
        CHECK(nodes == 63);
        for (level = 0; level < 5; ++level) {
            soothi_ensemble_node first, other;
            soothi_ensemble_look(boost, from + at, &first);
            for (i = 1; i < 1u << level; ++i) {
                soothi_ensemble_look(boost, from + at + i, &other);
                CHECK(other.feature == first.feature && other.threshold == first.threshold);
            }
            at += 1u << level;
        }
    }
    sooth_boost_free(NULL, boost);
    free_friedman(&table);
}

/* Where every row weighs the same, the best split of a level is found up to rounding first. A loss of one's
   own has second derivatives that nobody knows to be 1: then every split is judged exactly. */
static void symmetric_trees_lose_no_split(void) {
    enum { N = 600, D = 6 };
    static float p[N], q[N];
    sooth_boost_custom custom;
    memset(&custom, 0, sizeof custom);
    custom.derive_fn = derive_squared;
    for (uint32_t k = 0; k < 8; ++k) {
        sooth_table table;
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.grow_policy = SOOTH_BOOST_SYMMETRIC;
        o.n_estimators = 6;
        o.max_depth = 2 + k % 4 * 2;
        o.has_base_score = 1;
        o.lambda = k % 3;
        o.bins = k == 5 ? 20 : 256;
        make_friedman(&table, k < 4 ? N : 80, D, 20 + k, k % 2 ? 0.2 : 0.0);
        for (size_t i = 0; i < table.rows; ++i) {
            float *row = (float *)(uintptr_t)table.x + i * D; /* a tie of columns, one of few values */
            row[3] = row[1];
            row[4] = (float)(int)(4.0f * (row[4] > 0.0f ? row[4] : 0.0f));
        }
        if (k == 7) /* nothing to gain */
            for (size_t i = 0; i < table.rows; ++i) ((float *)(uintptr_t)table.y)[i] = 1.0f;
        sooth_boost *quick = grown(NULL, &table, &o);
        o.custom = &custom;
        sooth_boost *exact = grown(NULL, &table, &o);
        if (!quick || !exact) return;
        CHECK(quick->nodes == exact->nodes);
        sooth_boost_predict_many(quick, table.x, table.rows, D, p);
        sooth_boost_predict_many(exact, table.x, table.rows, D, q);
        for (size_t i = 0; i < table.rows; ++i) CHECK(p[i] == q[i]);
        for (uint32_t i = 0; i < quick->nodes; ++i) {
            soothi_ensemble_node a, b;
            soothi_ensemble_look(quick, i, &a);
            soothi_ensemble_look(exact, i, &b);
            CHECK(a.feature == b.feature && a.left == b.left);
        }
        sooth_boost_free(NULL, quick);
        sooth_boost_free(NULL, exact);
        free_friedman(&table);
    }
}

static void leaves_and_depth_are_kept(void) {
    enum { N = 1000, D = 5 };
    sooth_table table;
    sooth_boost_options o;
    sooth_boost *boost;
    uint32_t k;
    make_friedman(&table, N, D, 10, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 10;
    o.grow_policy = 1;
    o.max_leaves = 13;
    o.min_samples_leaf = 30;
    boost = grown(NULL, &table, &o);
    for (k = 0; boost && k < 10; ++k)
        CHECK(soothi_ensemble_start(boost)[k + 1] - soothi_ensemble_start(boost)[k] == 25);
    /* of squares: rows */
    for (k = 0; boost && k < boost->nodes; ++k) CHECK(soothi_ensemble_cover(boost)[k] >= 30.0f);
    sooth_boost_free(NULL, boost);
    o.max_depth = 2;
    boost = grown(NULL, &table, &o);
    CHECK(boost && boost->depth == 2);
    sooth_boost_free(NULL, boost);
    free_friedman(&table);
}

static void constraints_hold(void) {
    enum { N = 600, D = 5 };
    static const signed char monotone[D] = {0, 0, 0, 1, -1};
    sooth_table table;
    uint32_t form, i, j;
    make_friedman(&table, N, D, 11, 0.0);
    for (form = 0; form < 4; ++form) {
        sooth_boost_options o;
        sooth_boost *boost;
        sooth_rng rng;
        memset(&o, 0, sizeof o);
        o.n_estimators = 100;
        o.monotone = monotone;
        o.method = form == 1;
        o.grow_policy = form == 2;
        o.loss = form == 3 ? SOOTH_BOOST_ABSOLUTE : SOOTH_BOOST_SQUARED;
        boost = grown(NULL, &table, &o);
        sooth_rng_init(&rng, 5, 0);
        for (i = 0; boost && i < 3000; ++i) {
            float row[D], p, step = sooth_rng_float(&rng);
            for (j = 0; j < D; ++j) row[j] = sooth_rng_float(&rng);
            p = sooth_boost_predict(boost, row);
            const float third = row[3];
            row[3] = third + step;
            CHECK(sooth_boost_predict(boost, row) >= p - 1e-5f);
            row[3] = third;
            row[4] += step;
            CHECK(sooth_boost_predict(boost, row) <= p + 1e-5f);
        }
        sooth_boost_free(NULL, boost);
    }
    free_friedman(&table);
}

/* Targets that speak against the constraints: the means of many nodes lie outside of their bounds. */
static void constraints_hold_against_the_targets(void) {
    enum { N = 120, D = 3 };
    static const signed char monotone[D] = {1, 1, 0};
    static float x[N * D], y[N];
    for (uint32_t form = 0; form < 4 * 10; ++form) {
        sooth_table table = sooth_table_of(x, y, N, D);
        sooth_boost_options o;
        sooth_boost *boost = NULL;
        sooth_rng rng;
        sooth_rng_init(&rng, form / 4, 0);
        for (size_t i = 0; i < N; ++i) {
            for (size_t j = 0; j < D; ++j) x[i * D + j] = sooth_rng_float(&rng);
            y[i] = 10.0f * sooth_rng_float(&rng) - 5.0f * x[i * D];
            if (x[i * D + 2] > 0.5f) y[i] += 8.0f * x[i * D + 1];
        }
        memset(&o, 0, sizeof o);
        o.n_estimators = 4;
        o.learning_rate = 1.0;
        o.monotone = monotone;
        o.method = form % 2;
        if (form % 4 >= 2) ask(&o, 0.2, 0.5, 0.9);
        CHECK_STATUS(sooth_boost_fit(NULL, &table, &o, &boost), SOOTH_OK);
        for (size_t i = 0; boost && i < 500; ++i) {
            float row[2 * D], p[6];
            for (size_t j = 0; j < D; ++j) row[j] = row[D + j] = sooth_rng_float(&rng);
            row[D + i % 2] += sooth_rng_float(&rng);
            sooth_boost_predict_many(boost, row, 2, D, p);
            for (size_t t = 0; t < boost->head.targets; ++t)
                CHECK(p[t] <= p[boost->head.targets + t] + 1e-4f);
        }
        sooth_boost_free(NULL, boost);
    }
}

/* y says whether the column has a value: half of the rows lack it. */
static void missing_values_are_learned_from(void) {
    enum { N = 200 };
    static float x[N], y[N], lacking[1] = {NAN};
    sooth_table table;
    uint32_t i, form;
    for (i = 0; i < N; ++i) {
        x[i] = i % 2 ? NAN : (float)(i % 17);
        y[i] = i % 2 ? 30.0f : 5.0f + (float)(i % 17 > 8);
    }
    sooth_table_init(&table, x, N, 1);
    table.y = y;
    table.targets = 1;
    for (form = 0; form < 3; ++form) {
        sooth_boost_options o;
        sooth_boost *boost;
        float low[1] = {3.0f}, high[1] = {12.0f};
        memset(&o, 0, sizeof o);
        o.learning_rate = 0.5;
        o.n_estimators = 40;
        o.method = form == 1;
        o.grow_policy = form == 2 ? 2 : 0;
        boost = grown(NULL, &table, &o);
        if (!boost) return;
        CHECK_NEAR(sooth_boost_predict(boost, lacking), 30.0, 1e-3);
        CHECK_NEAR(sooth_boost_predict(boost, low), 5.0, 1e-3);
        CHECK_NEAR(sooth_boost_predict(boost, high), 6.0, 1e-3);
        sooth_boost_free(NULL, boost);
    }
}

/* ---- knowing when to stop ---- */

static void patience_restores_the_best_round(void) {
    enum { N = 400, D = 6 };
    sooth_table train, valid;
    sooth_boost_options o;
    sooth_boost_report report;
    sooth_boost *stopped = NULL, *plain;
    make_friedman(&train, N, D, 12, 0.0);
    make_friedman(&valid, 300, D, 13, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 500;
    o.learning_rate = 0.3;
    o.patience = 10;
    o.validation = &valid;
    CHECK_STATUS(sooth_boost_fit_report(NULL, &train, &o, &stopped, &report), SOOTH_OK);
    CHECK(report.rounds > 3 && report.rounds < 300 && report.rounds_tried == report.rounds + 10);
    o.patience = 0;
    o.validation = NULL;
    o.n_estimators = report.rounds;
    plain = grown(NULL, &train, &o);
    CHECK(same_bytes(stopped, plain));
    if (plain) { /* the loss that it speaks of */
        static float p[300];
        double loss = 0.0;
        uint32_t i;
        sooth_boost_predict_many(plain, valid.x, 300, D, p);
        for (i = 0; i < 300; ++i) loss += 0.5 * pow((double)p[i] - (double)valid.y[i], 2.0) / 300.0;
        CHECK_CLOSE(report.validation_loss, loss, 1e-5);
    }
    sooth_boost_free(NULL, stopped);
    sooth_boost_free(NULL, plain);
    free_friedman(&train);
    free_friedman(&valid);
}

/* Rows of one group are never on both sides: targets that are a number per group cannot be learned from other
   groups. */
static void held_out_groups_are_whole(void) {
    enum { N = 240, D = 5 }; /* fewer rows than bins */
    static uint32_t group[N];
    static float y[N], x[N * D];
    sooth_table table;
    sooth_boost_options o;
    sooth_boost_report report;
    sooth_boost *boost = NULL;
    sooth_rng rng;
    uint32_t i, j;
    sooth_rng_init(&rng, 8, 0);
    for (i = 0; i < N; ++i) {
        group[i] = i / 12;
        y[i] = (float)((group[i] * 7919u) % 101u);
        for (j = 0; j < D; ++j) x[i * D + j] = (float)(group[i] * 31u % 23u) + 1e-3f * sooth_rng_float(&rng);
    }
    sooth_table_init(&table, x, N, D);
    table.y = y;
    table.targets = 1;
    memset(&o, 0, sizeof o);
    o.n_estimators = 200;
    o.patience = 20;
    /* rows: every group is known, the loss vanishes */
    CHECK_STATUS(sooth_boost_fit_report(NULL, &table, &o, &boost, &report), SOOTH_OK);
    CHECK(report.validation_loss < 1.0 && report.rounds > 100);
    sooth_boost_free(NULL, boost);
    table.group = group;
    CHECK_STATUS(sooth_boost_fit_report(NULL, &table, &o, &boost, &report), SOOTH_OK);
    CHECK(report.validation_loss > 50.0 && report.rounds < 100);
    sooth_boost_free(NULL, boost);
}

/* A group for every second row of 120,000: choosing among them takes about as long as choosing rows. */
static void many_groups_are_held_out_quickly(void) {
    enum { N = 120000 };
    float *x = (float *)malloc(N * sizeof *x), *y = (float *)malloc(N * sizeof *y);
    uint32_t *group = (uint32_t *)malloc(N * sizeof *group), i, form;
    double seconds[2] = {0, 0};
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 3;
    o.patience = 3;
    o.max_depth = 3;
    for (i = 0; i < N; ++i) {
        x[i] = y[i] = (float)(i % 997);
        group[i] = (i * 7919u) % (N / 2);
    }
    for (form = 0; form < 2; ++form) {
        sooth_table table = sooth_table_of(x, y, N, 1);
        const clock_t start = clock();
        table.group = form ? group : NULL;
        sooth_boost_free(NULL, grown(NULL, &table, &o));
        seconds[form] = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    CHECK(seconds[1] < 10.0 * seconds[0] + 0.1);
    free(x);
    free(y);
    free(group);
}

/* Rows are drawn by the order in which their groups appear: numbers of groups mean nothing. */
static void groups_are_counted_as_they_appear(void) {
    enum { N = 200 };
    static float y[N], x[N];
    static uint32_t small[N], large[N];
    sooth_table table;
    sooth_boost_options o;
    sooth_boost *a, *b;
    uint32_t i;
    for (i = 0; i < N; ++i) {
        x[i] = (float)(i % 23);
        y[i] = (float)(i % 7);
        small[i] = i / 8 % 11;
        large[i] = 4000000000u - small[i] * 1000u;
    }
    table = sooth_table_of(x, y, N, 1);
    memset(&o, 0, sizeof o);
    o.n_estimators = 20;
    o.validation_fraction = 0.3;
    table.group = small;
    a = grown(NULL, &table, &o);
    table.group = large;
    b = grown(NULL, &table, &o);
    CHECK(same_bytes(a, b));
    sooth_boost_free(NULL, a);
    sooth_boost_free(NULL, b);
}

/* Targets of three decades, without a pattern in the small ones: steps without a limit end in infinity. The
   deviance stays below that of the mean. */
static void gamma_holds_targets_of_three_decades(void) {
    enum { N = 600 };
    static float x[2 * N], y[N];
    sooth_boost_options o = {.loss = SOOTH_BOOST_GAMMA};
    double mean = 0, constant = 0, off = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (uint32_t i = 0; i < N; ++i) {
        x[2 * i] = sooth_rng_float(&rng);
        x[2 * i + 1] = sooth_rng_float(&rng);
        y[i] = sooth_rng_below(&rng, 50) ? 0.5f + x[2 * i] : 0.001f;
        mean += (double)y[i] / N;
    }
    const sooth_table table = sooth_table_of(x, y, N, 2);
    sooth_boost *boost = grown(NULL, &table, &o);
    for (uint32_t i = 0; boost && i < N; ++i) {
        const double p = (double)sooth_boost_predict(boost, x + 2 * i);
        constant += (double)y[i] / mean + log(mean);
        off += (double)y[i] / p + log(p);
    }
    CHECK(off < constant);
    sooth_boost_free(NULL, boost);
}

/* With one full step of squared loss a leaf says the mean of its rows; also where splits were taken back. */
static void taken_back_splits_leave_sound_trees(void) {
    enum { N = 2000, D = 6 };
    static double sum[2 * N], count[2 * N];
    sooth_table table;
    sooth_boost_options o;
    uint32_t i, leaf, round;
    make_friedman(&table, N, D, 5, 0.1);
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    o.learning_rate = o.subsample = 1.0;
    o.max_depth = 9;
    o.has_base_score = 1;
    for (round = 0; round < 3; ++round) {
        const double gamma[] = {0.0, 20.0, 200.0};
        sooth_boost *boost;
        o.gamma = gamma[round];
        boost = grown(NULL, &table, &o);
        memset(sum, 0, sizeof sum);
        memset(count, 0, sizeof count);
        for (i = 0; i < N; ++i) {
            soothi_ensemble_leaves(boost, table.x + i * D, &leaf);
            sum[leaf] += (double)table.y[i];
            count[leaf] += 1.0;
        }
        for (i = 0; i < N; ++i) {
            soothi_ensemble_leaves(boost, table.x + i * D, &leaf);
            CHECK(fabs(soothi_ensemble_value(boost, leaf, 0) - sum[leaf] / count[leaf]) < 1e-3);
        }
        for (i = 0; i < boost->nodes; ++i) {
            soothi_ensemble_node n;
            soothi_ensemble_look(boost, i, &n);
            CHECK(n.left || fabs((double)n.cover - count[i]) < 0.5);
        }
        sooth_boost_free(NULL, boost);
    }
    free_friedman(&table);
}

/* 0 can be asked for; without has_base_score it means the mean. */
static void a_base_score_of_zero_can_be_asked_for(void) {
    const float x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8};
    sooth_table table = sooth_table_of(x, y, 4, 1);
    sooth_boost_options o;
    sooth_boost *boost;
    uint32_t given;
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    for (given = 0; given < 2; ++given) {
        if (given)
            CHECK_STATUS(sooth_option_set(NULL, sooth_boost_options_list(), &o, "base_score", "0"), SOOTH_OK);
        CHECK(o.has_base_score == given);
        boost = grown(NULL, &table, &o);
        CHECK(boost && soothi_ensemble_base(boost)[0] == (given ? 0.0f : 6.5f));
        sooth_boost_free(NULL, boost);
    }
}

/* Early stopping happens where held-out rows exist: a table is enough, and so is a share. */
static void held_out_rows_stop_training(void) {
    sooth_table table, valid;
    sooth_boost_options o;
    sooth_boost_report report;
    sooth_boost *boost = NULL;
    uint32_t form;
    make_friedman(&table, 300, 5, 21, 0.0);
    make_friedman(&valid, 300, 5, 22, 0.0);
    for (form = 0; form < 3; ++form) {
        memset(&o, 0, sizeof o);
        o.n_estimators = 400;
        o.learning_rate = 0.5;
        if (form == 1) o.validation = &valid;
        if (form == 2) o.validation_fraction = 0.3;
        CHECK_STATUS(sooth_boost_fit_report(NULL, &table, &o, &boost, &report), SOOTH_OK);
        CHECK((report.rounds_tried < 400) == (form > 0) && !isnan(report.validation_loss) == (form > 0));
        if (form) CHECK(report.rounds_tried == report.rounds + 10);
        sooth_boost_free(NULL, boost);
    }
    o.custom = NULL;
    o.max_depth = 13;
    o.grow_policy = SOOTH_BOOST_SYMMETRIC;
    CHECK_STATUS(sooth_boost_check_options(NULL, &table, &o), SOOTH_BAD_ARGUMENT);
    free_friedman(&table);
    free_friedman(&valid);
}

static void base_margins_are_where_it_starts(void) {
    enum { N = 300, D = 5 };
    static float margin[N], p[N];
    sooth_table table;
    sooth_boost_options o;
    sooth_boost *boost;
    uint32_t i;
    make_friedman(&table, N, D, 14, 0.0);
    for (i = 0; i < N; ++i) margin[i] = table.y[i] - 3.0f; /* all that is left to learn is the constant */
    memset(&o, 0, sizeof o);
    o.n_estimators = 200;
    o.base_margin = margin;
    boost = grown(NULL, &table, &o);
    if (!boost) return;
    sooth_boost_predict_many(boost, table.x, N, D, p);
    for (i = 0; i < N; ++i) CHECK_NEAR(p[i] - soothi_ensemble_base(boost)[0], 3.0, 1e-3);
    sooth_boost_free(NULL, boost);
    free_friedman(&table);
}

static void several_targets_take_turns(void) {
    enum { N = 300, D = 5 };
    static float y[2 * N], p[2 * N], q[N];
    sooth_table table, two;
    sooth_boost_options o;
    sooth_boost *both, *one;
    uint32_t i;
    make_friedman(&table, N, D, 15, 0.0);
    for (i = 0; i < N; ++i) {
        y[2 * i] = table.y[i];
        y[2 * i + 1] = 100.0f - table.y[i];
    }
    two = table;
    two.y = y;
    two.targets = 2;
    memset(&o, 0, sizeof o);
    o.n_estimators = 20;
    both = grown(NULL, &two, &o);
    one = grown(NULL, &table, &o);
    if (!both || !one) return;
    CHECK(both->trees == 40);
    sooth_boost_predict_many(both, table.x, N, D, p);
    sooth_boost_predict_many(one, table.x, N, D, q);
    for (i = 0; i < N; ++i) {
        CHECK(p[2 * i] == q[i]);
        CHECK_NEAR(p[2 * i + 1], 100.0 - (double)q[i], 1e-3);
    }
    sooth_boost_free(NULL, both);
    sooth_boost_free(NULL, one);
    free_friedman(&table);
}

/* ---- bad input ---- */

static void odd_tables_and_bad_options(void) {
    static const signed char wrong[2] = {0, 3};
    sooth_table table;
    sooth_boost_options o;
    sooth_boost *boost;
    sooth_env env;
    float x[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, y[3] = {-1.0f, 0.0f, 2.0f};
    sooth_env_init(&env);
    sooth_table_init(&table, x, 1, 2);
    table.y = y + 2;
    table.targets = 1;
    boost = grown(&env, &table, NULL); /* a single row */
    CHECK(boost && sooth_boost_predict(boost, x) == 2.0f);
    sooth_boost_free(&env, boost);
    sooth_table_init(&table, x, 3, 2);
    table.y = y;
    table.targets = 1;
#define BAD(field, value, status, words)                                         \
    memset(&o, 0, sizeof o);                                                     \
    o.field = value;                                                             \
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), status, words); \
    CHECK(boost == NULL)
    BAD(learning_rate, 2.0, SOOTH_BAD_ARGUMENT, "learning_rate is 2");
    BAD(loss, 9, SOOTH_BAD_ARGUMENT, "loss is 9");
    BAD(max_depth, 31, SOOTH_BAD_ARGUMENT, "max_depth is 31");
    BAD(monotone, wrong, SOOTH_BAD_ARGUMENT, "monotone is 3 for column 2");
    BAD(loss, SOOTH_BOOST_POISSON, SOOTH_BAD_DATA, "row 1 has the target -1");
    BAD(loss, SOOTH_BOOST_GAMMA, SOOTH_BAD_DATA, "row 1 has the target -1");
    BAD(loss, SOOTH_BOOST_RELATIVE, SOOTH_BAD_DATA, "row 2 has the target 0");
    memset(&o, 0, sizeof o);
    o.method = 1;
    o.grow_policy = 2;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "needs method=histogram");
    y[1] = INFINITY;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, NULL, &boost), SOOTH_BAD_DATA,
                "row 2 has no finite target");
    y[1] = 5.0f;
    y[0] = y[2] = 5.0f;
    boost = grown(&env, &table, NULL); /* a constant target */
    CHECK(boost && sooth_boost_predict(boost, x) == 5.0f);
    sooth_boost_free(&env, boost);
}

/* Fills what it hands out, so that memory that was never written shows. */
static void *dirty_alloc(void *user, size_t size) {
    void *p = check_alloc(user, size);
    if (p) memset(p, 0xA5, size);
    return p;
}

/* Trying every value: rows of weight 0 do not exist. */
static void rows_of_weight_0_do_not_exist(void) {
    static float x[40], y[40], weight[40];
    sooth_table all = sooth_table_of(x, y, 40, 1), half = sooth_table_of(x, y, 20, 1);
    sooth_boost *boost = NULL, *other = NULL;
    check_memory memory;
    sooth_env env;
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.method = SOOTH_BOOST_EXACT;
    o.n_estimators = 5;
    for (int i = 0; i < 40; ++i) {
        x[i] = (float)(i * 7 % 40);
        y[i] = x[i] * x[i];
        weight[i] = i < 20 ? 1.0f : 0.0f;
    }
    all.weight = weight;
    sooth_env_init(&env);
    check_memory_init(&memory, &env, -1);
    env.alloc_fn = dirty_alloc;
    CHECK_STATUS(sooth_boost_fit(&env, &all, &o, &boost), SOOTH_OK);
    CHECK_STATUS(sooth_boost_fit(&env, &half, &o, &other), SOOTH_OK);
    for (int i = 0; i < 40 && boost && other; ++i)
        CHECK_NEAR(sooth_boost_predict(boost, x + i), sooth_boost_predict(other, x + i), 1e-3);
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, other);
}

static void memory_and_cancel(void) {
    sooth_table table;
    sooth_boost *boost = NULL;
    sooth_env env;
    uint32_t form;
    make_friedman(&table, 60, 5, 16, 0.0);
    for (form = 0; form < 5; ++form) {
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        o.n_estimators = 3;
        o.method = form == 1;
        o.grow_policy = form == 2 ? 2 : form == 3 ? 1 : 0;
        o.loss = form == 4 ? SOOTH_BOOST_ABSOLUTE : SOOTH_BOOST_SQUARED;
        o.patience = form == 4 ? 2 : 0;
        sooth_env_init(&env);
        CHECK_EVERY_ALLOCATION(&env, sooth_boost_fit(&env, &table, &o, &boost),
                               sooth_boost_free(&env, boost));
        sooth_env_init(&env);
        env.progress_fn = check_stop_at_half;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_CANCELLED);
        CHECK(boost == NULL);
    }
    free_friedman(&table);
}

int main(void) {
    CHECK_RUN(answers_are_those_of_xgboost);
    CHECK_RUN(quantiles_are_those_of_xgboost);
    CHECK_RUN(a_leaf_is_the_n_plus_1_quantile);
    CHECK_RUN(selected_quantiles_are_those_of_sorted_ones);
    CHECK_RUN(constrained_quantiles_have_the_unit_of_the_targets);
    CHECK_RUN(histograms_of_all_values_are_exact);
    CHECK_RUN(any_number_of_workers_gives_the_same_bytes);
    CHECK_RUN(rows_that_are_not_drawn_get_what_is_predicted);
    CHECK_RUN(workers_part_the_rows_of_large_nodes);
    CHECK_RUN(growing_later_is_growing_at_once);
    CHECK_RUN(a_log_link_is_never_infinite);
    CHECK_RUN(unlike_trees_are_not_joined);
    CHECK_RUN(a_custom_loss_is_as_good_as_a_built_in_one);
    CHECK_RUN(derivatives_are_those_of_the_loss);
    CHECK_RUN(each_loss_is_best_at_its_own);
    CHECK_RUN(probabilities_are_near_the_truth);
    CHECK_RUN(defaults_of_the_logistic_loss);
    CHECK_RUN(classes_at_their_ends);
    CHECK_RUN(quantiles_of_a_list_are_those_of_their_own);
    CHECK_RUN(quantiles_never_cross);
    CHECK_RUN(quantiles_never_cross_on_nasty_tables);
    CHECK_RUN(lists_of_quantiles);
    CHECK_RUN(lies_about_quantiles_are_refused);
    CHECK_RUN(linear_leaves_are_moved_to_the_quantile);
    CHECK_RUN(symmetric_trees_ask_one_question_per_level);
    CHECK_RUN(symmetric_trees_lose_no_split);
    CHECK_RUN(leaves_and_depth_are_kept);
    CHECK_RUN(constraints_hold);
    CHECK_RUN(constraints_hold_against_the_targets);
    CHECK_RUN(missing_values_are_learned_from);
    CHECK_RUN(patience_restores_the_best_round);
    CHECK_RUN(held_out_groups_are_whole);
    CHECK_RUN(many_groups_are_held_out_quickly);
    CHECK_RUN(groups_are_counted_as_they_appear);
    CHECK_RUN(gamma_holds_targets_of_three_decades);
    CHECK_RUN(taken_back_splits_leave_sound_trees);
    CHECK_RUN(a_base_score_of_zero_can_be_asked_for);
    CHECK_RUN(held_out_rows_stop_training);
    CHECK_RUN(base_margins_are_where_it_starts);
    CHECK_RUN(several_targets_take_turns);
    CHECK_RUN(odd_tables_and_bad_options);
    CHECK_RUN(rows_of_weight_0_do_not_exist);
    CHECK_RUN(memory_and_cancel);
    return check_end("boost");
}
