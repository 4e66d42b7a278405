/* test_categories.c - trees, forests and boosting on columns of categories, against every subset, XGBoost,
 * LightGBM and twins that do all of it naively.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/explain.h"
#include "sooth/train.h"
#include "check.h"
#include "golden/categories.h"

static sooth_env env;
static sooth_rng rng;

enum { MOST_ROWS = 2000, COLS = 3 };
static float x[MOST_ROWS * COLS], y[2 * MOST_ROWS], weight[MOST_ROWS];
static const uint8_t first_and_last[COLS] = {1, 0, 1};

/* Rows of a category with so many levels, a number, and a category of three levels. */
static sooth_table table_of(size_t rows, uint32_t levels, double missing) {
    static float effect[70000];
    sooth_table table = sooth_table_of(x, y, rows, COLS);
    sooth_rng_init(&rng, 17, levels);
    for (uint32_t k = 0; k < levels; ++k) effect[k] = 5.0f * sooth_rng_float(&rng);
    for (size_t i = 0; i < rows; ++i) {
        float *row = x + i * COLS;
        const uint32_t level = sooth_rng_below(&rng, levels);
        row[0] = (float)level;
        row[1] = (float)sooth_rng_below(&rng, 1000) / 100;
        row[2] = (float)sooth_rng_below(&rng, 3);
        y[i] = effect[level] + (row[2] > 0 && row[2] < 2 ? row[1] : 0.0f) + 0.2f * sooth_rng_float(&rng);
        weight[i] = 0.25f * (float)sooth_rng_below(&rng, 5);
        if (sooth_rng_double(&rng) < missing) row[0] = NAN;
    }
    table.categorical = first_and_last;
    return table;
}

static sooth_boost_options rounds(uint32_t n, uint32_t method) {
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = n;
    o.method = method;
    o.learning_rate = 0.3;
    o.subsample = 1.0;
    return o;
}

/* One tree from all rows: what a single tree is. */
static sooth_forest_options one_tree(uint32_t criterion, uint32_t bins) {
    sooth_forest_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    o.no_bootstrap = 1;
    o.criterion = criterion;
    o.bins = bins;
    return o;
}

/* ---- XGBoost and LightGBM ---- */

static void answers_are(const float *rows, const sooth_boost_options *o, const float *expected) {
    sooth_table table = sooth_table_of(rows, categories_y, CATEGORIES_ROWS, COLS);
    sooth_boost *boost;
    table.categorical = first_and_last;
    CHECK_STATUS(sooth_boost_fit(&env, &table, o, &boost), SOOTH_OK);
    if (!boost) return;
    CHECK(sooth_boost_check(boost, boost->head.size) && boost->sets > 0);
    for (size_t i = 0; i < CATEGORIES_ROWS; ++i)
        CHECK_NEAR(sooth_boost_predict(boost, rows + i * COLS), expected[i], 2e-6);
    sooth_boost_free(&env, boost);
}

static void the_answers_of_xgboost_and_lightgbm(void) {
    for (uint32_t method = 0; method < 2; ++method) {
        sooth_boost_options o = rounds(10, method);
        o.max_depth = 4;
        o.lambda = 2;
        o.base_score = 1;
        o.max_cat_to_onehot = 1;
        o.cat_smooth = 2; /* XGBoost sorts by -G / (H + lambda) */
        o.has_cat_l2 = 1;
        answers_are(categories_x, &o, categories_xgboost);
        answers_are(categories_holes, &o, categories_xgboost_missing);
        o.max_cat_to_onehot = 20;
        answers_are(categories_x, &o, categories_xgboost_single);
        o = rounds(10, method);
        o.grow_policy = SOOTH_BOOST_LOSSGUIDE;
        o.max_leaves = 9;
        o.lambda = 0.5;
        o.max_cat_to_onehot = 1;
        o.cat_smooth = 1;
        o.has_cat_l2 = 1;
        answers_are(categories_x, &o, categories_lightgbm);
        o.max_cat_threshold = 2;
        answers_are(categories_x, &o, categories_lightgbm_few);
        o.max_cat_to_onehot = 20;
        answers_are(categories_x, &o, categories_lightgbm_single);
    }
}

/* ---- every subset ---- */

/* What is left of the error when the rows whose level is in `set` and the others each say their mean. */
static double rest(const float *level, size_t n, uint32_t set, int deviance, int weights) {
    double sum[2] = {0, 0}, all[2] = {0, 0}, left = 0;
    for (size_t i = 0; i < n; ++i) {
        const uint32_t side = set >> (uint32_t)level[i] & 1u;
        const double w = weights ? (double)weight[i] : 1.0;
        sum[side] += w * (double)y[i];
        all[side] += w;
    }
    for (size_t i = 0; i < n; ++i) {
        const uint32_t side = set >> (uint32_t)level[i] & 1u;
        const double m = sum[side] / all[side], v = (double)y[i], w = weights ? (double)weight[i] : 1.0;
        if (w > 0) left += w * (deviance ? (v > 0 ? v * log(v / m) : 0) - (v - m) : (v - m) * (v - m));
    }
    return left;
}

/* No subset of the levels is better than the one that is found in their order. */
static void no_subset_is_better(void) {
    static const uint8_t categorical[1] = {1};
    static float level[40];
    sooth_rng_init(&rng, 3, 3);
    for (uint32_t turn = 0; turn < 120; ++turn) {
        const uint32_t k = 2 + turn % 9, deviance = turn / 9 % 2, weights = turn / 18 % 2;
        const size_t n = 40;
        double best = 1e300;
        sooth_forest_options o =
            one_tree(deviance ? SOOTH_TREE_POISSON : SOOTH_TREE_SQUARED, turn % 3 ? 0 : 16);
        sooth_forest *forest;
        o.max_depth = 1;
        for (size_t i = 0; i < n; ++i) {
            level[i] = (float)(i < k ? i : sooth_rng_below(&rng, k));
            y[i] = (float)sooth_rng_below(&rng, 50) / 5 + 0.1f;
            weight[i] = (float)(1 + sooth_rng_below(&rng, 3));
        }
        sooth_table table = sooth_table_of(level, y, n, 1);
        table.categorical = categorical;
        if (weights) table.weight = weight;
        CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
        if (!forest) return;
        uint32_t words;
        const uint32_t *set = soothi_ensemble_set(forest, 0, &words);
        CHECK(forest->nodes == 3 && words == 1);
        for (uint32_t s = 1; s < 1u << (k - 1); ++s) {
            const double left = rest(level, n, s, (int)deviance, (int)weights);
            if (left < best) best = left;
        }
        if (words == 1) CHECK_CLOSE(rest(level, n, set[0], (int)deviance, (int)weights), best, 1e-9);
        sooth_forest_free(&env, forest);
    }
}

/* ---- a naive twin of boosting ---- */

typedef struct twin_node {
    size_t left, right; /* left 0: a leaf */
    uint32_t feature, set;
    float threshold;
    int missing_left;
    double value;
} twin_node;

enum { TWIN_NODES = 64, TWIN_ROWS = 160 };
static twin_node twin[TWIN_NODES];
static size_t twins;
static double g[TWIN_ROWS];
static const sooth_boost_options *twin_options;

static int twin_left(const twin_node *t, const float *row) {
    const float v = row[t->feature];
    if (isnan(v)) return t->missing_left;
    return t->feature == 1 ? v <= t->threshold : v < 32 && (t->set >> (uint32_t)v & 1u);
}

static double twin_score(double sum, double rows, double more) {
    return sum * sum / (rows + twin_options->lambda + more);
}

/* Tries one question; returns its gain, or 0. */
static double twin_try(const twin_node *t, const size_t *row, size_t n, double more) {
    double sum[2] = {0, 0}, rows[2] = {0, 0};
    for (size_t i = 0; i < n; ++i) {
        const int side = twin_left(t, x + row[i] * COLS);
        sum[side] += g[row[i]];
        ++rows[side];
    }
    if (rows[0] < 3 || rows[1] < 3) return 0;
    return twin_score(sum[0], rows[0], more) + twin_score(sum[1], rows[1], more) -
           twin_score(sum[0] + sum[1], rows[0] + rows[1], 0);
}

static void twin_better(twin_node *best, double *gain, twin_node t, const size_t *row, size_t n,
                        double more) {
    for (t.missing_left = 0; t.missing_left < 2; ++t.missing_left) {
        const double gained = twin_try(&t, row, n, more);
        if (gained > *gain + 1e-9) *gain = gained, *best = t;
    }
}

/* Levels one by one, or in the order of their statistic, up to max_cat_threshold on one side. */
static void twin_categories(twin_node *best, double *gain, uint32_t feature, const size_t *row, size_t n) {
    double sum[16] = {0}, rows[16] = {0};
    uint32_t order[16], k = 0;
    twin_node t;
    memset(&t, 0, sizeof t);
    t.feature = feature;
    for (size_t i = 0; i < n; ++i) {
        const float v = x[row[i] * COLS + feature];
        if (isnan(v)) continue;
        sum[(uint32_t)v] += g[row[i]];
        ++rows[(uint32_t)v];
    }
    for (uint32_t c = 0; c < 16; ++c) {
        uint32_t at = k;
        if (!(rows[c] > 0)) continue;
        const double s = sum[c] / (rows[c] + twin_options->cat_smooth);
        for (; at > 0 && sum[order[at - 1]] / (rows[order[at - 1]] + twin_options->cat_smooth) > s; --at)
            order[at] = order[at - 1];
        order[at] = c;
        ++k;
    }
    for (uint32_t i = 0; i < k; ++i) {
        if (feature == 2) {
            t.set = 1u << order[i];
            twin_better(best, gain, t, row, n, 0);
        } else {
            t.set |= 1u << order[i];
            if (i + 1 <= twin_options->max_cat_threshold || k - i - 1 <= twin_options->max_cat_threshold)
                twin_better(best, gain, t, row, n, twin_options->cat_l2);
        }
    }
}

static size_t twin_grow(size_t *row, size_t n, uint32_t depth) {
    const size_t id = twins++;
    twin_node best;
    double gain = 0, sum = 0;
    memset(&best, 0, sizeof best);
    for (size_t i = 0; i < n; ++i) sum += g[row[i]];
    if (depth > 0) {
        twin_categories(&best, &gain, 0, row, n);
        twin_categories(&best, &gain, 2, row, n);
        for (size_t i = 0; i < n; ++i) {
            twin_node t;
            float next = INFINITY;
            memset(&t, 0, sizeof t);
            t.feature = 1;
            for (size_t k = 0; k < n; ++k) {
                const float v = x[row[k] * COLS + 1];
                if (v > x[row[i] * COLS + 1] && v < next) next = v;
            }
            t.threshold = 0.5f * x[row[i] * COLS + 1] + 0.5f * next;
            if (isfinite(next)) twin_better(&best, &gain, t, row, n, 0);
        }
    }
    if (gain > 0) {
        size_t left = 0, *sorted = (size_t *)malloc(n * sizeof *sorted), end = n;
        uint32_t here = 0;
        int some = 0;
        for (size_t i = 0; i < n; ++i) {
            const float v = x[row[i] * COLS + best.feature];
            if (twin_left(&best, x + row[i] * COLS)) sorted[left++] = row[i];
            else sorted[--end] = row[i];
            if (isnan(v)) some = 1;
            else if (best.feature != 1) here |= 1u << (uint32_t)v;
        }
        memcpy(row, sorted, n * sizeof *row);
        free(sorted);
        if (best.feature != 1 && 2 * left > n && (here & ~best.set)) { /* the smaller side is the set */
            best.set = here & ~best.set;
            best.missing_left = some && !best.missing_left;
            best.left = twin_grow(row + left, n - left, depth - 1);
            best.right = twin_grow(row, left, depth - 1);
        } else {
            best.left = twin_grow(row, left, depth - 1);
            best.right = twin_grow(row + left, n - left, depth - 1);
        }
        if (best.feature == 1) best.missing_left = 2 * left >= n;
    }
    best.value = -sum / ((double)n + twin_options->lambda);
    twin[id] = best;
    return id;
}

static void the_twin_says_the_same(void) {
    enum { TURNS = 5, MORE = 40 };
    for (uint32_t turn = 0; turn < 16; ++turn) {
        const sooth_table table = table_of(TWIN_ROWS, 13, turn & 1 ? 0.1 : 0);
        sooth_boost_options o = rounds(TURNS, turn >> 1 & 1);
        double say[TWIN_ROWS + MORE] = {0};
        sooth_boost *boost;
        o.max_depth = 3;
        o.lambda = turn & 4 ? 1 : 0;
        o.min_samples_leaf = 3;
        o.has_base_score = 1;
        o.cat_smooth = turn & 8 ? 5 : 0;
        o.has_cat_smooth = o.has_cat_l2 = 1;
        o.cat_l2 = turn & 8 ? 3 : 0;
        o.max_cat_threshold = turn & 8 ? 3 : 13;
        twin_options = &o;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        if (!boost) return;
        for (size_t i = TWIN_ROWS; i < TWIN_ROWS + MORE; ++i) { /* never seen, or missing where none was */
            float *row = x + i * COLS;
            row[0] = i % 4 ? (float)(i % 17) : NAN;
            row[1] = (float)(i % 10);
            row[2] = i % 5 ? (float)(i % 7) : i % 3 ? 65535.0f : NAN;
        }
        for (size_t k = 0; k < TURNS; ++k) {
            size_t row[TWIN_ROWS];
            for (size_t i = 0; i < TWIN_ROWS; ++i) g[i] = say[i] - (double)y[i], row[i] = i;
            twins = 0;
            twin_grow(row, TWIN_ROWS, o.max_depth);
            for (size_t i = 0; i < TWIN_ROWS + MORE; ++i) {
                size_t at = 0;
                while (twin[at].left)
                    at = twin_left(&twin[at], x + i * COLS) ? twin[at].left : twin[at].right;
                say[i] += o.learning_rate * twin[at].value;
            }
        }
        for (size_t i = 0; i < TWIN_ROWS + MORE; ++i)
            CHECK_NEAR(sooth_boost_predict(boost, x + i * COLS), say[i], 2e-5);
        sooth_boost_free(&env, boost);
    }
}

/* ---- many levels, random sets, medians, several targets ---- */

/* The 255 most frequent levels have classes of their own; the others are one. */
static void levels_that_share(void) {
    const size_t rows = 1920;
    static const uint8_t categorical[1] = {1};
    float level[1920];
    const sooth_table table = {
        .x = level, .y = y, .rows = rows, .cols = 1, .stride = 1, .targets = 1, .categorical = categorical};
    for (size_t i = 0; i < rows; ++i) { /* levels from 8000 on thrice, the last of them often; 1020 once */
        level[i] = (float)(i < 900 ? 8000 + i % 300 : 7 * (i - 900));
        if (i >= 900 && i < 930) level[i] = 8299;
        y[i] = (float)((int)level[i] * 37 % 101);
    }
    /* with a missing value, which needs a place of its own, too */
    for (uint32_t turn = 0; turn < 4; ++turn) {
        sooth_forest_options o = one_tree(SOOTH_TREE_SQUARED, turn & 1 ? 256 : 0);
        const float own = turn & 2 ? 8253 : 8254; /* of equal ones the lower codes, beside the last */
        sooth_forest *forest;
        if (turn & 2) level[rows - 1] = NAN;
        CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
        if (!forest) return;
        const float shared = sooth_forest_predict(forest, &level[1000]);
        for (size_t i = 0; i + 1 < rows; ++i)
            CHECK_NEAR(sooth_forest_predict(forest, &level[i]),
                       (level[i] >= 8000 && level[i] < own) || level[i] > 8298 ? y[i] : shared, 1e-4);
        sooth_forest_free(&env, forest);
    }
}

/* Fully grown trees know every row, whatever the way. */
static void every_row_is_learnt(void) {
    for (uint32_t turn = 0; turn < 16; ++turn) {
        sooth_table table = table_of(400, 40, turn & 1 ? 0.05 : 0);
        sooth_forest_options o = one_tree(turn & 2 ? SOOTH_TREE_ABSOLUTE : SOOTH_TREE_SQUARED, 0);
        sooth_forest *forest;
        float out[2];
        o.n_estimators = 3;
        if (turn & 4) o.splitter = SOOTH_FOREST_RANDOM;
        else if (turn & 8) o.bins = 256, o.max_leaves = 399;
        if (turn & 8) table.targets = 2;
        for (size_t i = 0; i < 400; ++i) x[i * COLS + 1] = (float)((i * 7) % 400); /* no two rows are equal */
        if (turn & 8)
            for (size_t i = 0; i < 800; ++i) y[i] = (float)(i * 13 % 101);
        CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
        if (!forest) return;
        CHECK(sooth_forest_check(forest, forest->head.size) && forest->sets > 3);
        double error = 0;
        for (size_t i = 0; i < 400; ++i) {
            sooth_forest_predict_many(forest, x + i * COLS, 1, COLS, out);
            for (size_t t = 0; t < table.targets; ++t)
                error += fabs((double)out[t] - (double)y[i * table.targets + t]);
        }
        CHECK(error < (turn & 8 && !(turn & 4) ? 3500.0 : 0.1)); /* 256 bins do not tell 400 numbers apart */
        sooth_forest_free(&env, forest);
    }
}

/* By medians the levels of two kinds are told apart at once. */
static void medians_part_two_kinds(void) {
    sooth_forest_options o = one_tree(SOOTH_TREE_ABSOLUTE, 0);
    sooth_table table = table_of(300, 20, 0);
    sooth_forest *forest;
    o.max_depth = 1;
    table.weight = weight;
    for (size_t i = 0; i < 300; ++i) {
        y[i] = (int)x[i * COLS] % 3 ? 1.0f : 9.0f;
        if (i % 29 == 0) y[i] = 1e6f; /* far out, which does not bend a median */
    }
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
    if (!forest) return;
    for (int level = 0; level < 20; ++level) {
        const float row[COLS] = {(float)level, 0, 0};
        CHECK_NEAR(sooth_forest_predict(forest, row), level % 3 ? 1 : 9, 0);
    }
    sooth_forest_free(&env, forest);
}

/* ---- the same as always ---- */

static int same_bytes(const sooth_block *a, const sooth_block *b) {
    return a && b && a->size == b->size && memcmp(a, b, a->size) == 0;
}

/* No column marked is no column at all; and rounds in two calls are rounds in one. */
static void bytes_are_the_same(void) {
    static const uint8_t none[COLS] = {0, 0, 0};
    sooth_table table = table_of(500, 30, 0.05);
    sooth_boost_options o = rounds(8, 0), half = rounds(4, 0);
    sooth_boost *a = NULL, *b = NULL, *c = NULL;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &a), SOOTH_OK);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &half, &b), SOOTH_OK);
    if (b) CHECK_STATUS(sooth_boost_resume(&env, b, &table, &half, &c), SOOTH_OK);
    if (a && c) /* but for the margins, which start from rounded sums */
        for (size_t i = 0; i < 500; ++i)
            CHECK_NEAR(sooth_boost_predict(a, x + i * COLS), sooth_boost_predict(c, x + i * COLS), 1e-5);
    sooth_boost_free(&env, a);
    sooth_boost_free(&env, b);
    sooth_boost_free(&env, c);
    table.categorical = none;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &a), SOOTH_OK);
    table.categorical = NULL;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &b), SOOTH_OK);
    CHECK(same_bytes(&a->head, &b->head) && a->sets == 0);
    sooth_boost_free(&env, a);
    sooth_boost_free(&env, b);
}

/* All that goes with trees goes with sets: rows drawn, splits taken back, held-out rows with levels that were
   never trained on, planes, rows kept, out of the bag. */
static void with_everything(void) {
    const sooth_table table = table_of(900, 60, 0.05);
    sooth_boost_options o = rounds(30, 0);
    sooth_forest_options f;
    sooth_boost_report report;
    sooth_boost *boost;
    sooth_forest *forest;
    sooth_metrics score;
    sooth_table train = table, held = table;
    train.rows = 600;
    held.rows = 300;
    held.x += 600 * COLS;
    held.y += 600;
    for (size_t i = 600; i < 900; i += 10) x[i * COLS] = 1000;
    o.subsample = o.colsample_bytree = o.colsample_bynode = 0.7;
    o.gamma = 0.5;
    for (uint32_t turn = 0; turn < 8; ++turn) {
        o.method = turn & 1;
        o.bins = turn & 2 ? 16 : 0;
        o.linear_leaves = turn >> 1 & 1;
        o.loss = turn == 4 ? (uint32_t)SOOTH_BOOST_QUANTILE : 0;
        o.validation = turn & 4 ? NULL : &held;
        o.patience = 5;
        CHECK_STATUS(sooth_boost_fit_report(&env, &train, &o, &boost, &report), SOOTH_OK);
        if (!boost) return;
        CHECK(sooth_boost_check(boost, boost->head.size) && boost->sets > 0);
        CHECK(report.validation_loss < 3.0);
        for (uint32_t node = 0; node < boost->nodes && o.linear_leaves; ++node) {
            const soothi_linear_leaf *plane = soothi_ensemble_linear_leaf(boost, node);
            for (uint32_t k = 0; plane && k < plane->terms; ++k) /* a code has no slope */
                CHECK(((const soothi_linear_leaf_term *)(const void *)(plane + 1))[k].feature == 1);
        }
        if (!(turn & 4)) { /* what it was judged by is what it says */
            double loss = 0;
            for (size_t i = 0; i < 300; ++i) {
                const double e = (double)sooth_boost_predict(boost, held.x + i * COLS) - (double)held.y[i];
                loss += 0.5 * e * e / 300;
            }
            CHECK_CLOSE(loss, report.validation_loss, 1e-4);
        }
        sooth_boost_free(&env, boost);
    }
    memset(&f, 0, sizeof f);
    f.n_estimators = 12;
    f.keep_rows = f.linear_leaves = 1;
    f.min_samples_leaf = 5;
    CHECK_STATUS(sooth_forest_fit(&env, &train, &f, &forest), SOOTH_OK);
    static float prediction[600];
    CHECK_STATUS(sooth_forest_out_of_bag(&env, forest, &train, &f, prediction, &score), SOOTH_OK);
    CHECK(score.r2 > 0.5);
    sooth_forest_free(&env, forest);
}

/* An envelope around it, and what is refused there. */
static void behind_one_handle(void) {
    const sooth_table table = table_of(300, 9, 0.1);
    sooth_train_recipe recipe;
    sooth_scale_options scaled;
    sooth_model *model;
    memset(&recipe, 0, sizeof recipe);
    memset(&scaled, 0, sizeof scaled);
    recipe.model = "boost";
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    double error = 0;
    for (size_t i = 0; i < 300 && model; ++i) {
        const float out = sooth_model_predict(model, x + i * COLS, NULL);
        error += fabs((double)(out - y[i])) / 300;
    }
    CHECK(error < 0.1);
    sooth_model_free(&env, model);
    scaled.transform = SOOTH_SCALE_STANDARD;
    recipe.input = scaled, recipe.has_input = 1;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "boost splits categories by sets of levels, which a transform of the features excludes");
    recipe.has_input = 0;
    recipe.model = "mlp";
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "encode=native is not supported by mlp");
}

static void refusals(void) {
    static const signed char rising[COLS] = {1, 1, 0};
    sooth_table table = table_of(50, 5, 0), taken;
    const uint32_t some[2] = {3, 4};
    sooth_boost_options o = rounds(2, 0);
    sooth_tree *tree;
    sooth_boost *boost;
    sooth_linear *linear;
    const sooth_tree_options bound = {.monotone = rising};
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, NULL, &linear), SOOTH_BAD_DATA,
                "column 1 is categorical, which only trees, forests and boosting support");
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &bound, &tree), SOOTH_BAD_ARGUMENT,
                "monotone is 1 for column 1, but must be 0 for a categorical column");
    o.monotone = rising;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT,
                "monotone is 1 for column 1, but must be 0 for a categorical column");
    o.monotone = NULL;
    o.grow_policy = SOOTH_BOOST_SYMMETRIC;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT, "grow_policy=symmetric");
    o.grow_policy = 0;
    static const float wrong[] = {1.5f, -1.0f, 65536.0f, 1e30f};
    for (size_t k = 0; k < 4; ++k) {
        x[7 * COLS] = wrong[k];
        CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_DATA,
                    "but categories must be integers from 0 to 65535");
    }
    x[7 * COLS] = 65535;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    sooth_boost_free(&env, boost);
    o.cat_smooth = -1;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o, &boost), SOOTH_BAD_ARGUMENT, "cat_smooth");
    CHECK_STATUS(sooth_table_take(&env, &table, some, 2, &taken), SOOTH_OK);
    CHECK(taken.categorical == first_and_last);
    sooth_table_free(&env, &taken);
}

/* A column without any value, or with one level alone, asks nothing. */
static void columns_that_say_nothing(void) {
    sooth_table table = table_of(60, 1, 0);
    for (uint32_t turn = 0; turn < 2; ++turn) {
        sooth_boost_options o = rounds(3, turn);
        sooth_boost *boost;
        double gain[COLS];
        for (size_t i = 0; i < 60; ++i) x[i * COLS + 2] = NAN;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        soothi_ensemble_gain(boost, gain);
        CHECK(boost->sets == 0 && gain[0] <= 0.0 && gain[2] <= 0.0);
        sooth_boost_free(&env, boost);
        for (size_t i = 0; i < 60; ++i) x[i * COLS] = i % 3 ? 4 : NAN, y[i] = i % 3 ? 1 : 2;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK); /* with a value, or without */
        CHECK(boost->sets > 0 && boost->nodes > 3);
        CHECK(sooth_boost_predict(boost, x) > 1.5f && sooth_boost_predict(boost, x + COLS) < 1.5f);
        sooth_boost_free(&env, boost);
        for (size_t i = 0; i < 60; ++i) x[i * COLS] = 0;
    }
}

/* ---- a single tree ---- */

static sooth_tree *tree_of(const sooth_table *table, const sooth_tree_options *o) {
    sooth_tree *tree;
    CHECK_STATUS(sooth_tree_fit(&env, table, o, &tree), SOOTH_OK);
    CHECK(tree && sooth_tree_check(tree, tree->head.size));
    return tree;
}

/* The predictions of two single trees are the same bits: for rows of the table, and for levels that training
   never saw, and values it never missed. */
static void the_same_bits(const sooth_tree *tree, const sooth_forest *forest, const sooth_table *table) {
    static float seen[MOST_ROWS * COLS], a[2 * MOST_ROWS], b[2 * MOST_ROWS];
    const size_t n = table->rows, t = table->targets;
    memcpy(seen, table->x, n * COLS * sizeof *seen);
    for (size_t i = 0; i < n; ++i) {
        float *row = seen + i * COLS;
        if (i % 5 == 3) row[0] = i % 2 ? 70000.5f : -0.25f;
        if (i % 7 == 3) row[2] = i % 3 ? 3e30f : NAN;
        if (i % 7 == 4) row[0] = NAN;
        row[0] += i % 3 == 1 ? 0.5f : 0.0f; /* what follows the point says nothing */
    }
    sooth_tree_predict_many(tree, seen, n, COLS, a);
    sooth_forest_predict_many(forest, seen, n, COLS, b);
    CHECK(memcmp(a, b, n * t * sizeof *a) == 0);
    for (size_t i = 0; i < n; ++i)
        CHECK(soothi_bits(sooth_tree_predict(tree, seen + i * COLS)) == soothi_bits(a[i * t]));
}

/* A tree is the forest of one tree that draws nothing: node for node, set for set. */
static void a_tree_is_a_forest_of_one(void) {
    static const uint32_t bins[] = {0, 256, 12};
    for (uint32_t turn = 0; turn < 60; ++turn) {
        sooth_table table = table_of(240, turn % 2 ? 40 : 300, turn % 4 < 2 ? 0 : 0.1);
        const uint32_t criterion = turn % 5;
        sooth_forest_options f = one_tree(criterion, bins[turn / 5 % 3]);
        const sooth_tree_options o = {.criterion = criterion,
                                      .bins = f.bins,
                                      .ties = SOOTH_TREE_TIES_RANDOM,
                                      .seed = turn,
                                      .min_samples_leaf = 1 + turn % 3,
                                      .max_leaves = turn % 7 ? 0 : 20,
                                      .max_features = turn % 6 ? 0 : 2,
                                      .no_statistics = turn / 15 % 2};
        sooth_forest *forest;
        f.seed = o.seed;
        f.min_samples_leaf = o.min_samples_leaf;
        f.max_leaves = o.max_leaves;
        f.max_features = o.max_features;
        if (turn >= 30) table.targets = 2, table.rows = 120;
        if (turn % 3 == 2) table.weight = weight;
        for (size_t i = 0; i < 240; ++i) y[i] += 1.0f; /* no target is 0 */
        sooth_tree *tree = tree_of(&table, &o);
        CHECK_STATUS(sooth_forest_fit(&env, &table, &f, &forest), SOOTH_OK);
        if (!tree || !forest) return;
        const soothi_sets sets = soothi_tree_sets(tree);
        CHECK(tree->head.kind >> 16 == 3 && sets.first[-1] == forest->sets && tree->nodes == forest->nodes);
        CHECK(tree->depth == forest->depth && sets.first[forest->sets] == forest->set_words);
        for (uint32_t k = 0; k < tree->nodes; ++k) {
            sooth_tree_step step;
            soothi_ensemble_node node;
            uint32_t words;
            sooth_tree_look(tree, k, &step);
            soothi_ensemble_look(forest, k, &node);
            CHECK(step.left == node.left && step.feature == node.feature && step.set_words == node.set_words);
            CHECK((step.set == NULL) == (node.set == NULL) && step.set == soothi_tree_set(tree, k, &words));
            if (step.set) CHECK(memcmp(step.set, node.set, 4 * (size_t)step.set_words) == 0);
            if (step.left) CHECK((uint32_t)step.missing_right == node.missing_right);
        }
        the_same_bits(tree, forest, &table);
        sooth_tree_free(&env, tree);
        sooth_forest_free(&env, forest);
    }
}

/* ---- every subset, all the way down ---- */

static double subset_say[MOST_ROWS];

/* The squared error of rows around their mean. */
static double around(const size_t *row, size_t n, double *mean) {
    double sum = 0, left = 0;
    for (size_t i = 0; i < n; ++i) sum += (double)y[row[i]];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; ++i) left += ((double)y[row[i]] - *mean) * ((double)y[row[i]] - *mean);
    return left;
}

/* Grows by trying every threshold and every subset of levels, with the rows that miss the value on either
   side; what each row is answered with goes into subset_say. */
static void subset_grow(const size_t *row, size_t n, uint32_t depth) {
    size_t side[2][64], best[2][64], count[2], most = 0;
    double mean, least = around(row, n, &mean) - 1e-9;
    for (size_t i = 0; i < n; ++i) subset_say[row[i]] = mean;
    for (uint32_t j = 0; j < COLS && depth > 0; ++j)
        for (uint32_t s = 0; s < (j == 1 ? (uint32_t)n : 1u << 5); ++s)
            for (int missing = 0; missing < 2; ++missing) {
                double unused;
                count[0] = count[1] = 0;
                for (size_t i = 0; i < n; ++i) {
                    const float v = x[row[i] * COLS + j];
                    const int right = isnan(v) ? missing
                                      : j == 1 ? v > x[row[s] * COLS + 1]
                                               : !(s >> (uint32_t)v & 1u);
                    side[right][count[right]++] = row[i];
                }
                if (!count[0] || !count[1]) continue;
                const double left = around(side[0], count[0], &unused) + around(side[1], count[1], &unused);
                if (left >= least) continue;
                least = left - 1e-9;
                most = count[0];
                memcpy(best, side, sizeof best);
            }
    if (!most) return;
    subset_grow(best[0], most, depth - 1);
    subset_grow(best[1], n - most, depth - 1);
}

static void no_subset_is_better_anywhere(void) {
    for (uint32_t turn = 0; turn < 24; ++turn) {
        const size_t n = 12 + turn;
        const sooth_table table = table_of(n, 5, turn & 1 ? 0.15 : 0);
        const sooth_tree_options o = {.max_depth = 1 + turn % 5};
        size_t row[64];
        for (size_t i = 0; i < n; ++i) {
            y[i] = 10.0f * sooth_rng_float(&rng);
            if (turn % 3 == 0 && i % 6 == 5) x[i * COLS + 1] = x[i * COLS + 2] = NAN;
            row[i] = i;
        }
        sooth_tree *tree = tree_of(&table, &o);
        if (!tree) return;
        subset_grow(row, n, o.max_depth);
        for (size_t i = 0; i < n; ++i)
            CHECK_NEAR(sooth_tree_predict(tree, x + i * COLS), subset_say[i], 1e-5);
        sooth_tree_free(&env, tree);
    }
}

/* ---- what is done with a tree ---- */

/* A tree that is cut back answers with a node on the way that the whole tree takes; fitted with the penalty
   it is the same bytes; and without any set left it is of the first version. */
static void trees_are_pruned(void) {
    sooth_table table = table_of(300, 30, 0.05);
    sooth_tree_options o = {.min_samples_leaf = 3};
    static double alpha[800], rest_of[800];
    sooth_tree *whole = tree_of(&table, &o), *cut, *fitted;
    size_t count = 0;
    uint32_t before = UINT32_MAX;
    if (!whole) return;
    CHECK_STATUS(sooth_tree_pruning_path(&env, whole, alpha, rest_of, 800, &count), SOOTH_OK);
    CHECK(count > 9 && count < 800);
    for (size_t k = 0; k < count; k += k + 8 < count ? 8 : 1) {
        CHECK_STATUS(sooth_tree_prune(&env, whole, alpha[k], &cut), SOOTH_OK);
        if (!cut) return;
        const soothi_sets sets = soothi_tree_sets(cut);
        CHECK(sooth_tree_check(cut, cut->head.size) && (!sets.first || sets.first[-1] <= before));
        before = sets.first ? sets.first[-1] : 0;
        for (size_t i = 0; i < table.rows; ++i) {
            sooth_tree_step step[64];
            const float said = sooth_tree_predict(cut, x + i * COLS);
            const size_t steps = sooth_tree_path(whole, x + i * COLS, step, 64);
            uint32_t at = 0;
            CHECK(steps <= 64 && step[steps - 1].node == soothi_tree_leaf(whole, x + i * COLS));
            while (at < steps && soothi_bits(step[at].value) != soothi_bits(said)) ++at;
            CHECK(at < steps);
        }
        o.ccp_alpha = alpha[k];
        fitted = tree_of(&table, &o);
        CHECK(k == 0 || same_bytes(&fitted->head, &cut->head));
        sooth_tree_free(&env, fitted);
        if (k + 1 == count) CHECK(cut->nodes == 1 && cut->head.kind >> 16 == 1);
        sooth_tree_free(&env, cut);
    }
    sooth_tree_free(&env, whole);
}

/* Planes behind sets, which no code has a slope in; and no file of today's changes without a column that is
   marked. */
static void trees_hold_planes(void) {
    static const uint8_t none[COLS] = {0, 0, 0};
    sooth_table table = table_of(400, 12, 0.02);
    for (uint32_t bare = 0; bare < 2; ++bare) {
        const sooth_tree_options o = {.linear_leaves = 1,
                                      .min_samples_leaf = 12,
                                      .ties = SOOTH_TREE_TIES_RANDOM,
                                      .no_statistics = bare};
        sooth_forest_options f = one_tree(0, 0);
        sooth_forest *forest;
        uint32_t planes = 0;
        f.linear_leaves = 1;
        f.min_samples_leaf = 12;
        sooth_tree *tree = tree_of(&table, &o);
        CHECK_STATUS(sooth_forest_fit(&env, &table, &f, &forest), SOOTH_OK);
        if (!tree || !forest) return;
        CHECK(tree->head.kind >> 16 == 3 && soothi_tree_is_linear(tree));
        for (uint32_t k = 0; k < tree->nodes; ++k) {
            const soothi_linear_leaf *plane = soothi_tree_linear_leaf(tree, k);
            for (uint32_t i = 0; plane && i < plane->terms; ++i)
                CHECK(((const soothi_linear_leaf_term *)(const void *)(plane + 1))[i].feature == 1);
            planes += plane != NULL;
        }
        CHECK(planes > 2 && sooth_tree_cost(tree).multiply_adds == 1);
        the_same_bits(tree, forest, &table);
        sooth_tree_free(&env, tree);
        sooth_forest_free(&env, forest);
    }
    table.categorical = none;
    sooth_tree *a = tree_of(&table, NULL);
    table.categorical = NULL;
    sooth_tree *b = tree_of(&table, NULL);
    CHECK(same_bytes(&a->head, &b->head) && a->head.kind >> 16 == 1);
    sooth_tree_free(&env, a);
    sooth_tree_free(&env, b);
}

/* Shapley values add up to the prediction, and are those of the forest of one tree; importances too. */
static void trees_are_explained(void) {
    const sooth_table table = table_of(150, 9, 0.1);
    const sooth_tree_options o = {.max_depth = 5, .ties = SOOTH_TREE_TIES_RANDOM};
    sooth_forest_options f = one_tree(0, 0);
    static double phi[2][150 * COLS], expected[2], share[2][COLS];
    sooth_forest *forest;
    f.max_depth = 5;
    sooth_tree *tree = tree_of(&table, &o);
    CHECK_STATUS(sooth_forest_fit(&env, &table, &f, &forest), SOOTH_OK);
    if (!tree || !forest) return;
    const sooth_explain_trees view[2] = {sooth_explain_tree(tree), sooth_explain_ensemble(forest)};
    for (size_t k = 0; k < 2; ++k) {
        CHECK_STATUS(sooth_explain_shap(&env, &view[k], &table, phi[k], &expected[k]), SOOTH_OK);
        CHECK_STATUS(sooth_explain_importance(&env, &view[k], SOOTH_EXPLAIN_SHARE, share[k]), SOOTH_OK);
    }
    for (size_t i = 0; i < table.rows; ++i) {
        double sum = expected[0];
        for (size_t j = 0; j < COLS; ++j) {
            sum += phi[0][i * COLS + j];
            CHECK_NEAR(phi[0][i * COLS + j], phi[1][i * COLS + j], 1e-9);
        }
        CHECK_NEAR(sum, sooth_tree_predict(tree, x + i * COLS), 1e-5);
        sooth_explain_step step[9];
        const size_t steps = sooth_explain_path(&view[0], 0, x + i * COLS, step);
        sooth_tree_step way[9];
        CHECK(sooth_tree_path(tree, x + i * COLS, way, 9) == steps + 1);
        for (uint32_t k = 0; k < steps; ++k)
            CHECK((way[k].set != NULL) == (isnan(step[k].threshold) != 0) &&
                  (int)step[k].right == way[k].went_right);
    }
    for (size_t j = 0; j < COLS; ++j) CHECK_NEAR(share[0][j], share[1][j], 1e-6);
    CHECK(share[0][0] > 0.1 && share[0][2] > 0.01);
    sooth_tree_free(&env, tree);
    sooth_forest_free(&env, forest);
}

typedef struct page {
    char text[600];
    size_t size;
} page;

static int page_write(void *user, const char *text, size_t size) {
    page *p = (page *)user;
    if (p->size + size >= sizeof p->text) return 1;
    memcpy(p->text + p->size, text, size);
    p->size += size;
    p->text[p->size] = 0;
    return 0;
}

static void trees_are_written(void) {
    static const uint8_t categorical[2] = {1, 0};
    static const char *const names[] = {"queue", "cores"};
    float rows[] = {0, 1, 7, 1, 33, 1, 2, 1, 0, 2, 7, 2, 33, 2, 2, 2, NAN, 1, 5, 1, 5, 2, 2, 1, 31, 1, 31, 2},
          seconds[] = {4, 8, 4, 8, 4, 9, 4, 9, 4, 8, 9, 8, 4, 4};
    sooth_table table = sooth_table_of(rows, seconds, 14, 2);
    page p = {"", 0};
    sooth_sink sink = {&p, page_write, 0};
    table.categorical = categorical;
    sooth_tree *tree = tree_of(&table, NULL);
    if (!tree) return;
    CHECK_STATUS(sooth_tree_write(&env, tree, names, &sink), SOOTH_OK);
    CHECK(strcmp(p.text, "queue is one of 0, 31, 33, or missing\n"
                         "|   4 (7 rows)\n"
                         "queue is none of 0, 31, 33\n"
                         "|   cores <= 1.5, or missing\n"
                         "|   |   8 (4 rows)\n"
                         "|   cores > 1.5\n"
                         "|   |   9 (3 rows)\n") == 0);
    if (check_failures) printf("%s", p.text);
    sooth_tree_free(&env, tree);
    /* what stands behind a set belongs to the next */
    const uint32_t words[] = {1u << 31, 2, 1};
    sooth_tree_step step;
    memset(&step, 0, sizeof step);
    step.set = words;
    step.set_words = 2;
    p.size = 0;
    soothi_tree_write_set(&step, 0, &sink);
    CHECK(strcmp(p.text, " is one of 31, 33") == 0);
}

/* ---- a log of jobs ---- */

enum { JOBS = 28481, USERS = 215 };

/* Hour, weekday, processors, requested seconds and user of each job; the logarithm of its seconds. */
static size_t read_jobs(float *job, float *seconds) {
    FILE *file = fopen("../shared/data/queues/KTH-SP2.swf", "r");
    char line[400];
    size_t n = 0;
    while (file && fgets(line, sizeof line, file) && n < JOBS) {
        double f[12];
        char *at = line;
        for (size_t k = 0; k < 12; ++k) f[k] = strtod(at, &at);
        if (line[0] == ';' || !(f[3] > 0)) continue;
        const double numbers[5] = {fmod(f[1], 86400) / 3600, fmod(floor(f[1] / 86400), 7),
                                   f[7] > 0 ? f[7] : f[4], f[8], f[11]};
        for (size_t k = 0; k < 5; ++k) job[5 * n + k] = (float)numbers[k];
        seconds[n++] = (float)log(f[3]);
    }
    if (file) fclose(file);
    return n;
}

static void jobs_error(const sooth_table *table, double error[2]) {
    const size_t train = table->rows * 7 / 10, held = table->rows - train;
    sooth_boost_options o = rounds(100, 0);
    sooth_table known = *table;
    sooth_boost *boost;
    known.rows = train;
    o.learning_rate = 0.1;
    o.grow_policy = SOOTH_BOOST_LOSSGUIDE;
    o.min_samples_leaf = 20;
    error[0] = error[1] = 0;
    CHECK_STATUS(sooth_boost_fit(&env, &known, &o, &boost), SOOTH_OK);
    for (size_t i = train; i < table->rows && boost; ++i) {
        const double e =
            (double)sooth_boost_predict(boost, table->x + i * table->stride) - (double)table->y[i];
        error[0] += e * e / (double)held;
        error[1] += fabs(e) / (double)held;
    }
    error[0] = sqrt(error[0]);
    sooth_boost_free(&env, boost);
}

/* As good on real jobs as LightGBM is, with users as categories and as a column of 0 and 1 for each. */
static void users_of_a_queue(void) {
    static const uint8_t categorical[5] = {0, 0, 0, 0, 1};
    enum { WIDE = 4 + USERS };
    double error[2];
    CHECK_SLOW();
    float *job = (float *)malloc(JOBS * 5 * sizeof *job), *seconds = (float *)malloc(JOBS * sizeof *seconds);
    float *single = (float *)calloc((size_t)JOBS * WIDE, sizeof *single);
    const size_t n = job && seconds && single ? read_jobs(job, seconds) : 0;
    if (n == JOBS) {
        sooth_table table = sooth_table_of(job, seconds, n, 5);
        table.categorical = categorical;
        jobs_error(&table, error);
        for (size_t k = 0; k < 2; ++k) CHECK(error[k] < 1.02 * queue_native[k]);
        printf("  users as categories: %.4f %.4f, LightGBM %.4f %.4f\n", error[0], error[1], queue_native[0],
               queue_native[1]);
        for (size_t i = 0; i < n; ++i) {
            memcpy(single + i * WIDE, job + 5 * i, 4 * sizeof *single);
            single[i * WIDE + 4 + (size_t)job[5 * i + 4]] = 1;
        }
        table = sooth_table_of(single, seconds, n, WIDE);
        jobs_error(&table, error);
        for (size_t k = 0; k < 2; ++k) CHECK(error[k] < 1.02 * queue_single[k]);
        printf("  users as 0 and 1: %.4f %.4f, LightGBM %.4f %.4f\n", error[0], error[1], queue_single[0],
               queue_single[1]);
    }
    free(job);
    free(seconds);
    free(single);
    if (n != JOBS) CHECK_SKIP("../shared/data/queues/KTH-SP2.swf is not there");
}

static void no_memory(void) {
    const sooth_table table = table_of(80, 300, 0.1);
    sooth_forest_options f;
    sooth_boost *boost;
    sooth_forest *forest;
    sooth_tree *tree;
    memset(&f, 0, sizeof f);
    f.n_estimators = 3;
    for (uint32_t turn = 0; turn < 2; ++turn) {
        const sooth_boost_options o = rounds(3, turn);
        f.criterion = turn ? (uint32_t)SOOTH_TREE_ABSOLUTE : 0;
        CHECK_EVERY_ALLOCATION(&env, sooth_boost_fit(&env, &table, &o, &boost),
                               sooth_boost_free(&env, boost));
        CHECK_EVERY_ALLOCATION(&env, sooth_forest_fit(&env, &table, &f, &forest),
                               sooth_forest_free(&env, forest));
        const sooth_tree_options t = {
            .criterion = f.criterion, .ccp_alpha = 0.01, .linear_leaves = !turn, .bins = 16 * turn};
        CHECK_EVERY_ALLOCATION(&env, sooth_tree_fit(&env, &table, &t, &tree), sooth_tree_free(&env, tree));
    }
    sooth_env_init(&env);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(the_answers_of_xgboost_and_lightgbm);
    CHECK_RUN(no_subset_is_better);
    CHECK_RUN(the_twin_says_the_same);
    CHECK_RUN(levels_that_share);
    CHECK_RUN(every_row_is_learnt);
    CHECK_RUN(medians_part_two_kinds);
    CHECK_RUN(bytes_are_the_same);
    CHECK_RUN(with_everything);
    CHECK_RUN(behind_one_handle);
    CHECK_RUN(refusals);
    CHECK_RUN(columns_that_say_nothing);
    CHECK_RUN(a_tree_is_a_forest_of_one);
    CHECK_RUN(no_subset_is_better_anywhere);
    CHECK_RUN(trees_are_pruned);
    CHECK_RUN(trees_hold_planes);
    CHECK_RUN(trees_are_explained);
    CHECK_RUN(trees_are_written);
    CHECK_RUN(users_of_a_queue);
    CHECK_RUN(no_memory);
    return check_end("categories");
}
