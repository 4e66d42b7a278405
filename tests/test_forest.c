/* test_forest.c - random forests and extra-trees: against single trees, scikit-learn's accuracy, and
 * quantiles by their definition.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/forest.h"
#include "sooth/threads.h"
#include "check.h"
#include "friedman.h"

enum { ROWS = 600, COLS = 8 };

static sooth_forest *grown(sooth_env *env, const sooth_table *table, const sooth_forest_options *o) {
    sooth_forest *forest = NULL;
    sooth_env own;
    if (!env) {
        sooth_env_init(&own);
        env = &own;
    }
    CHECK_STATUS(sooth_forest_fit(env, table, o, &forest), SOOTH_OK);
    if (!forest) printf("  %s\n", env->sentence);
    else CHECK(sooth_forest_check(forest, forest->head.size));
    return forest;
}

/* A forest of one tree that takes all rows and columns is that tree, for every criterion, with weights and
   missing values. Equal gains are drawn for, so the trees may differ where they cannot be told apart; not in
   what they say about the training rows. */
static void a_forest_of_one_is_a_tree(void) {
    static float weight[ROWS], p[ROWS], q[ROWS];
    sooth_table table;
    sooth_forest_options o;
    sooth_tree_options single;
    uint32_t criterion, i, form;
    make_friedman(&table, ROWS, COLS, 1, 0.05);
    for (i = 0; i < ROWS; ++i) weight[i] = (float)(i % 4);
    for (form = 0; form < 2; ++form) {
        table.weight = form ? weight : NULL;
        for (criterion = 0; criterion <= SOOTH_TREE_RELATIVE; ++criterion) {
            sooth_forest *forest;
            sooth_tree *tree = NULL;
            memset(&o, 0, sizeof o);
            memset(&single, 0, sizeof single);
            o.n_estimators = o.no_bootstrap = 1;
            o.criterion = single.criterion = criterion;
            o.min_samples_leaf = single.min_samples_leaf = 20; /* few splits are equal then */
            o.floor = single.floor = 0.5;
            if (criterion == SOOTH_TREE_POISSON)
                for (i = 0; i < ROWS; ++i) { /* y is const in the table, but ours */
                    union {
                        const float *from;
                        float *to;
                    } y;
                    y.from = table.y;
                    if (y.to[i] < 0.0f) y.to[i] = 0.0f;
                }
            forest = grown(NULL, &table, &o);
            CHECK_STATUS(sooth_tree_fit(NULL, &table, &single, &tree), SOOTH_OK);
            if (!forest || !tree) return;
            sooth_forest_predict_many(forest, table.x, ROWS, COLS, p);
            sooth_tree_predict_many(tree, table.x, ROWS, COLS, q);
            CHECK(memcmp(p, q, sizeof p) == 0);
            CHECK(forest->nodes == tree->nodes && forest->depth == tree->depth);
            sooth_forest_free(NULL, forest);
            sooth_tree_free(NULL, tree);
        }
    }
    free_friedman(&table);
}

/* Full trees of more nodes than 64 for each of a few rows, which are walked as they lie, and of many rows,
   for which a tree is called for first: what one row at a time gets. */
static void few_and_many_rows_get_what_one_gets(void) {
    enum { N = 2000, D = 5 };
    static const size_t few[] = {8, 9, 16, N};
    static float p[N];
    sooth_table table;
    sooth_forest_options o;
    make_friedman(&table, N, D, 3, 0.1);
    memset(&o, 0, sizeof o);
    o.n_estimators = 3;
    o.no_bootstrap = 1;
    sooth_forest *forest = grown(NULL, &table, &o);
    if (!forest) return;
    CHECK(forest->nodes > 3 * 64 * 9);
    for (size_t k = 0; k < sizeof few / sizeof few[0]; ++k) {
        sooth_forest_predict_many(forest, table.x, few[k], D, p);
        for (size_t i = 0; i < few[k]; ++i) CHECK(sooth_forest_predict(forest, table.x + i * D) == p[i]);
    }
    sooth_forest_free(NULL, forest);
    free_friedman(&table);
}

static void any_number_of_workers_gives_the_same_bytes(void) {
    sooth_table table;
    sooth_env env;
    sooth_threads pool;
    sooth_forest_options o;
    uint32_t k;
    make_friedman(&table, ROWS, COLS, 2, 0.02);
    for (k = 0; k < 4; ++k) {
        sooth_forest *one, *four;
        memset(&o, 0, sizeof o);
        o.n_estimators = 21;
        o.max_features = 0.5;
        o.splitter = o.no_bootstrap = k & 1;
        o.bins = k == 2 ? 32 : 0;
        o.keep_rows = 1;
        one = grown(NULL, &table, &o);
        sooth_env_init(&env);
        CHECK_STATUS(sooth_threads_start(&env, &pool, 4), SOOTH_OK);
        four = grown(&env, &table, &o);
        sooth_threads_stop(&pool);
        sooth_env_init(&env);
        CHECK(one && four && one->head.size == four->head.size && memcmp(one, four, one->head.size) == 0);
        sooth_forest_free(NULL, one);
        sooth_forest_free(NULL, four);
    }
    free_friedman(&table);
}

static void growing_later_is_growing_at_once(void) {
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *all, *some, *more = NULL;
    make_friedman(&table, ROWS, COLS, 3, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 30;
    o.max_features = 3;
    all = grown(NULL, &table, &o);
    o.n_estimators = 11;
    some = grown(NULL, &table, &o);
    o.n_estimators = 19;
    CHECK_STATUS(sooth_forest_resume(NULL, some, &table, &o, &more), SOOTH_OK);
    CHECK(all && more && all->head.size == more->head.size && memcmp(all, more, all->head.size) == 0);
    sooth_forest_free(NULL, all);
    sooth_forest_free(NULL, some);
    sooth_forest_free(NULL, more);
    free_friedman(&table);
}

/* scikit-learn 1.2.1 with 100 trees on tables of this kind (make_friedman1: 1,000 rows, 10 columns, 10,000
   held-out rows; mean and standard deviation over 12 tables): R2 0.8415 +- 0.0064 with all columns, 0.8308 +-
   0.0059 with three, extra-trees 0.8581 +- 0.0038. Here: at most three standard deviations below. */
static void as_accurate_as_scikit_learn(void) {
    enum { N = 1000, D = 10, TEST = 10000 };
    static float p[TEST];
    static const struct {
        double max_features, least, most;
        uint32_t extra;
    } form[] = {{0.0, 0.8223, 0.90, 0}, {3.0, 0.8131, 0.90, 0}, {0.0, 0.8467, 0.90, 1}};
    sooth_table train, test;
    sooth_forest_options o;
    size_t k;
    make_friedman(&train, N, D, 4, 0.0);
    make_friedman(&test, TEST, D, 5, 0.0);
    for (k = 0; k < 3; ++k) {
        sooth_forest *forest;
        sooth_metrics oob;
        double r2;
        memset(&o, 0, sizeof o);
        o.max_features = form[k].max_features;
        o.splitter = o.no_bootstrap = form[k].extra;
        forest = grown(NULL, &train, &o);
        if (!forest) return;
        sooth_forest_predict_many(forest, test.x, TEST, D, p);
        r2 = r2_of(test.y, p, TEST);
        CHECK(r2 > form[k].least && r2 < form[k].most);
        if (!form[k].extra) { /* what is out of the bag tells the same, within its sampling error */
            CHECK_STATUS(sooth_forest_out_of_bag(NULL, forest, &train, &o, p, &oob), SOOTH_OK);
            CHECK_NEAR(oob.r2, r2, 0.04);
            CHECK(oob.rows == N);
        }
        sooth_forest_free(NULL, forest);
    }
    free_friedman(&train);
    free_friedman(&test);
}

/* A row is out of the bag of the trees whose answer changes when its target does not: here by growing again
   without it being drawn. By definition instead: a forest of single trees grown one at a time, each
   predicting the rows it did not draw. */
static void out_of_bag_is_what_was_not_drawn(void) {
    enum { N = 80, TREES = 7 };
    static float prediction[N];
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest;
    double sum[N];
    uint32_t seen[N], k, i, order[N];
    float weight[N];
    make_friedman(&table, N, 5, 6, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = TREES;
    o.seed = 3;
    forest = grown(NULL, &table, &o);
    if (!forest) return;
    CHECK_STATUS(sooth_forest_out_of_bag(NULL, forest, &table, &o, prediction, NULL), SOOTH_OK);
    memset(sum, 0, sizeof sum);
    memset(seen, 0, sizeof seen);
    for (k = 0; k < TREES; ++k) { /* the tree of these weights, grown by tree.h: unseen rows by it */
        sooth_table drawn = table;
        sooth_tree *tree = NULL;
        size_t distinct = soothi_forest_draw(&o, &table, k, order, weight), draws = 0, some = 0;
        drawn.weight = weight;
        for (i = 0; i < N; ++i) {
            draws += (size_t)weight[i];
            some += weight[i] > 0.0f;
        }
        CHECK(draws == N && distinct == some && some > N / 2 && some < 3 * N / 4);
        CHECK_STATUS(sooth_tree_fit(NULL, &drawn, NULL, &tree), SOOTH_OK);
        for (i = 0; i < N && tree; ++i) {
            if (weight[i] > 0.0f) continue;
            sum[i] += (double)sooth_tree_predict(tree, table.x + i * 5);
            ++seen[i];
        }
        sooth_tree_free(NULL, tree);
    }
    for (i = 0; i < N; ++i) {
        if (!seen[i]) CHECK(isnan(prediction[i]));
        /* ties are broken otherwise, so close, not equal */
        else CHECK_NEAR(prediction[i], sum[i] / seen[i], 3.0);
    }
    o.no_bootstrap = 1;
    {
        sooth_env env;
        sooth_env_init(&env);
        CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &table, &o, prediction, NULL),
                    SOOTH_BAD_ARGUMENT, "every tree takes all");
    }
    sooth_forest_free(NULL, forest);
    free_friedman(&table);
}

/* Quantiles by their definition: row i weighs the mean over trees of 1 / (rows in the leaf) where it shares
   the leaf. */
static void quantiles_are_those_of_the_leaves(void) {
    enum { N = 150, D = 5, TREES = 9 };
    static const float q[] = {0.0f, 0.05f, 0.25f, 0.5f, 0.75f, 0.95f, 1.0f};
    sooth_table table, test;
    sooth_forest_options o;
    sooth_forest *forest;
    uint32_t leaf[TREES], other[TREES], scratch[TREES], i, j, k, n;
    make_friedman(&table, N, D, 7, 0.03);
    make_friedman(&test, 20, D, 8, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = TREES;
    o.min_samples_leaf = 7;
    o.keep_rows = 1;
    forest = grown(NULL, &table, &o);
    if (!forest) return;
    CHECK(sooth_forest_has_quantiles(forest));
    for (i = 0; i < test.rows; ++i) {
        double weight[N];
        float out[7];
        soothi_ensemble_leaves(forest, test.x + i * D, leaf);
        memset(weight, 0, sizeof weight);
        for (k = 0; k < TREES; ++k) {
            uint32_t member[N];
            for (j = n = 0; j < N; ++j) {
                soothi_ensemble_leaves(forest, table.x + j * D, other);
                if (other[k] == leaf[k]) member[n++] = j;
            }
            for (j = 0; j < n; ++j) weight[member[j]] += 1.0 / (double)n / TREES;
        }
        sooth_forest_quantiles(forest, test.x + i * D, q, 7, scratch, out);
        for (k = 0; k < 7; ++k) {
            double below = 0.0, upto = 0.0;
            for (j = 0; j < N; ++j) {
                if (table.y[j] < out[k]) below += weight[j];
                if (table.y[j] <= out[k]) upto += weight[j];
            }
            CHECK(upto >= (double)q[k] - 1e-5 && (below < (double)q[k] + 1e-5 || below <= 0.0));
            if (k) CHECK(out[k] >= out[k - 1]);
        }
    }
    sooth_forest_free(NULL, forest);
    o.keep_rows = 0;
    forest = grown(NULL, &table, &o);
    if (forest) {
        float out = 0.0f;
        sooth_forest_quantiles(forest, test.x, q, 1, scratch, &out);
        CHECK(isnan(out));
    }
    sooth_forest_free(NULL, forest);
    free_friedman(&table);
    free_friedman(&test);
}

/* 90 % intervals hold about 90 % of rows that the forest has not seen. */
static void intervals_cover(void) {
    enum { N = 2000, D = 6, TEST = 2000 };
    static const float q[] = {0.05f, 0.95f};
    sooth_table train, test;
    sooth_forest_options o;
    sooth_forest *forest;
    uint32_t scratch[60], i, inside = 0;
    make_friedman(&train, N, D, 9, 0.0);
    make_friedman(&test, TEST, D, 10, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 60;
    o.keep_rows = 1;
    o.min_samples_leaf = 5;
    forest = grown(NULL, &train, &o);
    for (i = 0; forest && i < TEST; ++i) {
        float out[2];
        sooth_forest_quantiles(forest, test.x + i * D, q, 2, scratch, out);
        inside += test.y[i] >= out[0] && test.y[i] <= out[1];
    }
    CHECK(inside > 0.87 * TEST && inside < 0.995 * TEST);
    sooth_forest_free(NULL, forest);
    free_friedman(&train);
    free_friedman(&test);
}

/* However far a row is from the training data, in whatever direction. */
static void answers_stay_among_the_targets(void) {
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest;
    float least = 1e9f, most = -1e9f;
    sooth_rng rng;
    uint32_t i, j;
    make_friedman(&table, 100, 5, 11, 0.0);
    for (i = 0; i < 100; ++i) {
        if (table.y[i] < least) least = table.y[i];
        if (table.y[i] > most) most = table.y[i];
    }
    memset(&o, 0, sizeof o);
    o.splitter = o.no_bootstrap = 1;
    o.n_estimators = 33;
    forest = grown(NULL, &table, &o);
    sooth_rng_init(&rng, 1, 1);
    for (i = 0; forest && i < 5000; ++i) {
        float row[5], p;
        for (j = 0; j < 5; ++j)
            row[j] = sooth_rng_below(&rng, 9) ? 100.0f * (sooth_rng_float(&rng) - 0.5f) : NAN;
        p = sooth_forest_predict(forest, row);
        CHECK(p >= least && p <= most);
    }
    sooth_forest_free(NULL, forest);
    free_friedman(&table);
}

/* Thresholds of extra-trees are random between the values of their node: hardly any is a midpoint, and two
   seeds share none. */
static void extra_trees_draw_thresholds(void) {
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest[2];
    uint32_t i, k, same = 0;
    make_friedman(&table, 200, 5, 12, 0.0);
    memset(&o, 0, sizeof o);
    o.splitter = o.no_bootstrap = o.n_estimators = 1;
    for (k = 0; k < 2; ++k) {
        o.seed = k;
        forest[k] = grown(NULL, &table, &o);
    }
    if (!forest[0] || !forest[1]) return;
    CHECK(forest[0]->leaves == 200); /* grown to the end: every row its own leaf */
    for (i = 0; i < 20; ++i) {
        soothi_ensemble_node a, b;
        soothi_ensemble_look(forest[0], i, &a);
        soothi_ensemble_look(forest[1], i, &b);
        if (!a.left || !b.left) continue;
        same += a.threshold == b.threshold;
        CHECK(a.threshold > 0.0f && a.threshold < 1.0f);
    }
    CHECK(same == 0);
    for (k = 0; k < 200; ++k) CHECK(sooth_forest_predict(forest[0], table.x + k * 5) == table.y[k]);
    sooth_forest_free(NULL, forest[0]);
    sooth_forest_free(NULL, forest[1]);
    free_friedman(&table);
}

static void several_targets_share_their_trees(void) {
    enum { N = 300, D = 5 };
    static float y[N * 2], p[N * 2];
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest;
    uint32_t i, form;
    make_friedman(&table, N, D, 13, 0.0);
    for (i = 0; i < N; ++i) {
        y[2 * i] = table.y[i];
        y[2 * i + 1] = -2.0f * table.y[i];
    }
    for (form = 0; form < 3; ++form) {
        sooth_table two = table;
        two.y = y;
        two.targets = 2;
        memset(&o, 0, sizeof o);
        o.n_estimators = 20;
        o.splitter = o.no_bootstrap = form == 1;
        o.criterion = form == 2 ? SOOTH_TREE_ABSOLUTE : SOOTH_TREE_SQUARED;
        forest = grown(NULL, &two, &o);
        if (!forest) return;
        sooth_forest_predict_many(forest, table.x, N, D, p);
        for (i = 0; i < N; ++i) {
            CHECK_NEAR(p[2 * i + 1], -2.0 * (double)p[2 * i], 2e-5);
            CHECK(sooth_forest_predict(forest, table.x + i * D) == p[2 * i]);
        }
        sooth_forest_free(NULL, forest);
    }
    free_friedman(&table);
}

static void importances_find_the_columns_that_matter(void) {
    sooth_table table;
    sooth_forest *forest;
    double gain[10];
    uint32_t j;
    make_friedman(&table, 1000, 10, 14, 0.0);
    forest = grown(NULL, &table, NULL);
    if (!forest) return;
    soothi_ensemble_gain(forest, gain);
    for (j = 5; j < 10; ++j) CHECK(gain[j] < 0.5 * gain[4] && gain[j] > 0.0);
    CHECK_NEAR(gain[0] + gain[1] + gain[2] + gain[3] + gain[4] + gain[5] + gain[6] + gain[7] + gain[8] +
                   gain[9],
               100.0, 1e-9);
    CHECK(gain[3] > gain[4]);
    sooth_forest_free(NULL, forest);
    free_friedman(&table);
}

static void constraints_hold(void) {
    static const signed char monotone[5] = {0, 0, 0, 1, -1};
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest;
    sooth_rng rng;
    uint32_t i, j, form;
    make_friedman(&table, 400, 5, 15, 0.0);
    for (form = 0; form < 2; ++form) {
        memset(&o, 0, sizeof o);
        o.n_estimators = 20;
        o.monotone = monotone;
        o.splitter = o.no_bootstrap = form;
        forest = grown(NULL, &table, &o);
        sooth_rng_init(&rng, 2, 0);
        for (i = 0; forest && i < 2000; ++i) {
            float row[5], p, step = sooth_rng_float(&rng);
            for (j = 0; j < 5; ++j) row[j] = sooth_rng_float(&rng);
            p = sooth_forest_predict(forest, row);
            row[3] += step;
            CHECK(sooth_forest_predict(forest, row) >= p);
            row[3] -= step;
            p = sooth_forest_predict(forest, row);
            row[4] += step;
            CHECK(sooth_forest_predict(forest, row) <= p);
        }
        sooth_forest_free(NULL, forest);
    }
    free_friedman(&table);
}

static void odd_tables_and_bad_options(void) {
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest;
    sooth_env env;
    float one[2] = {1.0f, 2.0f}, y[2] = {5.0f, 5.0f};
    sooth_env_init(&env);
    sooth_table_init(&table, one, 1, 2);
    table.y = y;
    table.targets = 1;
    forest = grown(&env, &table, NULL); /* a single row: its target */
    CHECK(forest && sooth_forest_predict(forest, one) == 5.0f);
    sooth_forest_free(&env, forest);
    sooth_table_init(&table, one, 2, 1);
    table.y = y;
    table.targets = 1;
    forest = grown(&env, &table, NULL); /* a constant target */
    CHECK(forest && forest->nodes == 100 && sooth_forest_predict(forest, one) == 5.0f);
    sooth_forest_free(&env, forest);
#define BAD(field, value, words)                                                               \
    memset(&o, 0, sizeof o);                                                                   \
    o.field = value;                                                                           \
    CHECK_FAILS(&env, sooth_forest_fit(&env, &table, &o, &forest), SOOTH_BAD_ARGUMENT, words); \
    CHECK(forest == NULL)
    BAD(max_features, 1.5, "a share below 1 or an integer");
    BAD(max_samples, 1.5, "max_samples is 1.5");
    BAD(criterion, 7, "criterion");
    BAD(bins, 1, "bins is 1");
    memset(&o, 0, sizeof o);
    o.splitter = 1;
    o.bins = 16;
    CHECK_FAILS(&env, sooth_forest_fit(&env, &table, &o, &forest), SOOTH_BAD_ARGUMENT,
                "must be 0 with splitter=random");
    table.y = NULL;
    CHECK_FAILS(&env, sooth_forest_fit(&env, &table, NULL, &forest), SOOTH_BAD_DATA, "no targets");
    table.rows = 0;
    CHECK_FAILS(&env, sooth_forest_fit(&env, &table, NULL, &forest), SOOTH_BAD_DATA, "empty");
}

static void memory_and_cancel(void) {
    sooth_table table;
    sooth_forest_options o;
    sooth_forest *forest = NULL;
    sooth_env env;
    make_friedman(&table, 60, 5, 16, 0.0);
    memset(&o, 0, sizeof o);
    o.n_estimators = 5;
    o.keep_rows = 1;
    sooth_env_init(&env);
    CHECK_EVERY_ALLOCATION(&env, sooth_forest_fit(&env, &table, &o, &forest),
                           sooth_forest_free(&env, forest));
    sooth_env_init(&env);
    env.progress_fn = check_stop_at_half;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_CANCELLED);
    CHECK(forest == NULL);
    free_friedman(&table);
}

int main(void) {
    CHECK_RUN(a_forest_of_one_is_a_tree);
    CHECK_RUN(few_and_many_rows_get_what_one_gets);
    CHECK_RUN(any_number_of_workers_gives_the_same_bytes);
    CHECK_RUN(growing_later_is_growing_at_once);
    CHECK_RUN(as_accurate_as_scikit_learn);
    CHECK_RUN(out_of_bag_is_what_was_not_drawn);
    CHECK_RUN(quantiles_are_those_of_the_leaves);
    CHECK_RUN(intervals_cover);
    CHECK_RUN(answers_stay_among_the_targets);
    CHECK_RUN(extra_trees_draw_thresholds);
    CHECK_RUN(several_targets_share_their_trees);
    CHECK_RUN(importances_find_the_columns_that_matter);
    CHECK_RUN(constraints_hold);
    CHECK_RUN(odd_tables_and_bad_options);
    CHECK_RUN(memory_and_cancel);
    return check_end("forest");
}
