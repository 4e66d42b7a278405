/* test_tune.c - the search for options, against the same search by loops over the public functions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "sooth/threads.h"

#include "check.h"
#include "recipes.h"

enum { PROGRAMS = 9, EACH = 8, ROWS = PROGRAMS * EACH, COLS = 3, MOST = 64 };
static float x[ROWS * COLS], y[ROWS], y2[2 * ROWS], weight[ROWS];
static uint32_t program[ROWS];
static sooth_env env;

/* A law of two columns, a level for each program, which the third column gives away, and noise. */
static sooth_table table_of(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        const uint32_t p = i % PROGRAMS;
        program[i] = 5 * p + 1;
        x[3 * i] = sooth_rng_float(&rng) * 4.0f;
        x[3 * i + 1] = sooth_rng_float(&rng);
        x[3 * i + 2] = (float)(p * 7 % PROGRAMS);
        y[i] = 10.0f + 3.0f * x[3 * i] + (x[3 * i + 1] > 0.4f ? 4.0f : 0.0f) + (float)(p * p % 5) +
               sooth_rng_float(&rng);
        y2[2 * i] = y[i];
        y2[2 * i + 1] = 1.0f + x[3 * i] * x[3 * i + 1];
        weight[i] = 0.5f + (float)(i % 4);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    table.group = program;
    return table;
}

static sooth_train_recipe recipe_of(const char *model) {
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = model;
    return recipe;
}

static sooth_tune_options options_of(const char *space, uint32_t method) {
    sooth_tune_options options;
    memset(&options, 0, sizeof options);
    options.space = space;
    options.method = method;
    return options;
}

/* ---- the twin ---- */

/* Rows tested, over all folds: what was measured, and what models that had not seen them say. */
typedef struct tests {
    double y[2 * ROWS], p[2 * ROWS], w[ROWS];
    size_t count, targets;
} tests;

static double figure_of(const tests *t, uint32_t metric) {
    double figure = 0.0;
    for (size_t k = 0; k < t->targets; ++k) {
        double all = 0.0, mean = 0.0, absolute = 0.0, square = 0.0, relative = 0.0, around = 0.0;
        for (size_t i = 0; i < t->count; ++i) {
            all += t->w[i];
            mean += t->w[i] * t->y[i * t->targets + k];
        }
        mean /= all;
        for (size_t i = 0; i < t->count; ++i) {
            const double v = t->y[i * t->targets + k], e = t->p[i * t->targets + k] - v;
            absolute += t->w[i] * fabs(e) / all;
            square += t->w[i] * e * e / all;
            relative += t->w[i] * fabs(e / v) / all;
            around += t->w[i] * (v - mean) * (v - mean) / all;
        }
        figure += (metric == SOOTH_TUNE_MAE    ? absolute
                   : metric == SOOTH_TUNE_MAPE ? relative
                   : metric == SOOTH_TUNE_R2   ? 1.0 - square / around
                                               : sqrt(square)) /
                  (double)t->targets;
    }
    return figure;
}

/* The options of a trial of a recipe with these options; and how many trials there are. */
static sooth_status trial_of(sooth_env *own, const char *model, const void *given,
                             const sooth_tune_options *options, uint32_t trial, void *out) {
    sooth_train_recipe recipe = recipe_of(model);
    soothi_tune_plan plan;
    sooth_train_options made;
    recipe_options(&recipe, given);
    const sooth_status status = soothi_tune_plan_make(own, &recipe, options, &plan);
    if (status != SOOTH_OK) return status;
    soothi_tune_set(&plan, trial, &made);
    memcpy(out, &made, plan.kind->options_size);
    return SOOTH_OK;
}

static sooth_status trials_of(sooth_env *own, const char *model, const sooth_tune_options *options,
                              uint32_t *trials) {
    const sooth_train_recipe recipe = recipe_of(model);
    soothi_tune_plan plan;
    const sooth_status status = soothi_tune_plan_make(own, &recipe, options, &plan);
    *trials = plan.trials;
    return status;
}

/* sooth_train_tune, with the options chosen; they are unchanged after a failure. */
static sooth_status tune(sooth_env *own, const sooth_table *table, const sooth_train_recipe *recipe,
                         const sooth_tune_options *options, void *chosen, sooth_tune_report *report) {
    const sooth_model_kind *kind;
    sooth_train_recipe tuned = *recipe;
    const sooth_status status = sooth_train_tune(own, table, recipe, options, &tuned, report);
    CHECK(status == SOOTH_OK || memcmp(&tuned, recipe, sizeof tuned) == 0);
    if (status != SOOTH_OK) return status;
    CHECK_STATUS(sooth_train_kind_named(NULL, recipe->model, &kind), SOOTH_OK);
    CHECK(tuned.model == kind->name && tuned.no_card == recipe->no_card);
    memcpy(chosen, &tuned.options, kind->options_size);
    return SOOTH_OK;
}

/* What the recipe with these options, fitted to the rows that train, says of those that test; NULL: their
   median. */
static void test_fold(const sooth_table *table, const char *model, const void *options,
                      const sooth_split_fold *fold, tests *t) {
    sooth_train_recipe recipe = recipe_of(model);
    sooth_model *made = NULL;
    sooth_table train, test;
    float row[2], scratch[COLS], sorted[ROWS];
    recipe_options(&recipe, options);
    t->targets = table->targets;
    CHECK_STATUS(sooth_split_take(NULL, table, fold, &train, &test), SOOTH_OK);
    if (options) CHECK_STATUS(sooth_train_fit(NULL, &train, &recipe, &made), SOOTH_OK);
    for (size_t i = 0; i < train.rows; ++i) sorted[i] = train.y[i * train.targets];
    qsort(sorted, train.rows, sizeof *sorted, check_ascending);
    for (size_t i = 0; i < test.rows; ++i) {
        row[0] = 0.5f * (sorted[(train.rows - 1) / 2] + sorted[train.rows / 2]);
        if (made) sooth_model_predict_many(made, test.x + i * test.stride, 1, test.stride, row, scratch, 1);
        for (size_t k = 0; k < table->targets; ++k) {
            t->y[t->count * t->targets + k] = (double)test.y[i * t->targets + k];
            t->p[t->count * t->targets + k] = (double)row[k];
        }
        t->w[t->count++] = test.weight ? (double)test.weight[i] : 1.0;
    }
    sooth_model_free(NULL, made);
    sooth_table_free(NULL, &test);
    sooth_table_free(NULL, &train);
}

static sooth_split deal(const sooth_table *table, const sooth_split_fold *outer, uint32_t folds,
                        uint32_t seed) {
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = table->group ? SOOTH_SPLIT_GROUP_KFOLD : SOOTH_SPLIT_KFOLD;
    options.folds = folds;
    options.seed = seed;
    CHECK_STATUS(sooth_split_inner(NULL, table, &options, outer, &split), SOOTH_OK);
    return split;
}

/* Tries every trial; returns the best, and all figures. */
static uint32_t search(const sooth_table *table, const char *model, const sooth_tune_options *options,
                       const sooth_split_fold *outer, uint32_t trials, double *figure) {
    sooth_split split = deal(table, outer, options->folds, options->seed);
    union {
        double align;
        unsigned char bytes[1024];
    } trial;
    uint32_t best = 0;
    for (uint32_t k = 0; k < trials; ++k) {
        tests t;
        t.count = 0;
        CHECK_STATUS(trial_of(NULL, model, NULL, options, k, &trial), SOOTH_OK);
        for (size_t f = 0; f < split.folds; ++f) test_fold(table, model, &trial, &split.fold[f], &t);
        figure[k] = figure_of(&t, options->metric);
        if (options->metric == SOOTH_TUNE_R2 ? figure[k] > figure[best] : figure[k] < figure[best]) best = k;
    }
    sooth_split_free(NULL, &split);
    return best;
}

typedef struct seen {
    uint32_t count;
    double figure[MOST];
} seen;

static void see(void *user, uint32_t trial, const sooth_train_options *options, double figure) {
    seen *s = (seen *)user;
    (void)options;
    CHECK(trial == s->count && trial < MOST);
    if (trial < MOST) s->figure[s->count++] = figure;
}

/* The search and its nested estimate equal those by hand. */
static void compare(const sooth_table *table, const char *model, sooth_tune_options options,
                    uint32_t trials) {
    sooth_train_recipe recipe = recipe_of(model);
    union {
        double align;
        unsigned char bytes[1024];
    } chosen, trial;
    sooth_tune_report r;
    const sooth_model_kind *kind;
    double figure[MOST], unused[MOST];
    tests honest[3];
    seen s;
    s.count = 0;
    options.trial_fn = see;
    options.trial_user = &s;
    CHECK_STATUS(sooth_train_kind_named(NULL, model, &kind), SOOTH_OK);
    CHECK_STATUS(tune(&env, table, &recipe, &options, &chosen, &r), SOOTH_OK);
    const uint32_t best = search(table, model, &options, NULL, trials, figure);
    CHECK(r.trials == trials && s.count == trials && r.failed == 0);
    CHECK(r.chosen == best && r.folds == options.folds && r.outer_folds == options.outer);
    CHECK(r.by_group == (table->group != NULL));
    for (uint32_t k = 0; k < s.count; ++k) CHECK_CLOSE(s.figure[k], figure[k], 1e-12);
    CHECK_CLOSE(r.inner, figure[best], 1e-12);
    CHECK_CLOSE(r.inner_given, figure[0], 1e-12);
    CHECK_STATUS(trial_of(NULL, model, NULL, &options, best, &trial), SOOTH_OK);
    CHECK(memcmp(&chosen, &trial, kind->options_size) == 0);
    if (!options.outer) return;
    sooth_split outer = deal(table, NULL, options.outer, options.seed);
    for (int k = 0; k < 3; ++k) honest[k].count = 0;
    for (size_t f = 0; f < outer.folds; ++f) {
        const uint32_t won = search(table, model, &options, &outer.fold[f], trials, unused);
        for (int k = 0; k < 2; ++k) {
            CHECK_STATUS(trial_of(NULL, model, NULL, &options, k ? 0 : won, &trial), SOOTH_OK);
            test_fold(table, model, &trial, &outer.fold[f], &honest[k]);
        }
        test_fold(table, model, NULL, &outer.fold[f], &honest[2]);
    }
    CHECK_CLOSE(r.outer, figure_of(&honest[0], options.metric), 1e-12);
    CHECK_CLOSE(r.outer_given, figure_of(&honest[1], options.metric), 1e-12);
    if (!table->weight && table->targets == 1)
        CHECK_CLOSE(r.outer_median, figure_of(&honest[2], options.metric), 1e-6);
    sooth_split_free(NULL, &outer);
}

static void random_search_equals_the_loops(void) {
    const sooth_table table = table_of();
    for (uint32_t metric = 0; metric < 4; ++metric) {
        sooth_tune_options options =
            options_of("max_depth=1:8 min_samples_leaf=1:20 criterion=squared,absolute", SOOTH_TUNE_RANDOM);
        options.trials = 7;
        options.folds = 3;
        options.outer = 4;
        options.metric = metric;
        options.seed = metric;
        compare(&table, "tree", options, 8);
    }
}

static void a_grid_equals_the_loops(void) {
    const sooth_table table = table_of();
    sooth_tune_options options = options_of("max_depth=1,3  learning_rate=0.1,0.5", SOOTH_TUNE_GRID);
    options.folds = 4;
    options.outer = 3;
    compare(&table, "moolchandani-boosting", options, 5);
}

static void rows_weights_and_targets_equal_the_loops(void) {
    sooth_table table = table_of();
    sooth_tune_options options = options_of("min_samples_leaf=2:9", SOOTH_TUNE_RANDOM);
    table.group = NULL;
    table.weight = weight;
    table.y = y2;
    table.targets = 2;
    options.trials = 4;
    options.folds = 3;
    options.outer = 2;
    options.metric = SOOTH_TUNE_R2;
    options.seed = 5;
    compare(&table, "tree", options, 5);
}

/* By its definition: half of the weight below, half above. */
static void the_median_counts_weights(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("no_intercept=0,1", SOOTH_TUNE_GRID);
    sooth_linear_options chosen;
    sooth_tune_report r;
    tests t;
    table.weight = weight;
    options.outer = 3;
    options.metric = SOOTH_TUNE_MAE;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    sooth_split outer = deal(&table, NULL, 3, 0);
    t.count = 0;
    t.targets = 1;
    for (size_t f = 0; f < outer.folds; ++f) {
        const sooth_split_fold *fold = &outer.fold[f];
        double best = INFINITY, low = 0.0, high = 0.0;
        for (size_t m = 0; m < fold->trains; ++m) { /* the rows with the least sum of distances */
            const double v = (double)y[fold->train[m]];
            double sum = 0.0;
            for (size_t i = 0; i < fold->trains; ++i)
                sum += (double)weight[fold->train[i]] * fabs((double)y[fold->train[i]] - v);
            if (sum < best - 1e-6) low = high = v;
            else if (sum < best + 1e-6) low = v < low ? v : low, high = v > high ? v : high;
            if (sum < best) best = sum;
        }
        for (size_t i = 0; i < fold->tests; ++i, ++t.count) {
            t.y[t.count] = (double)y[fold->test[i]];
            t.p[t.count] = 0.5 * (low + high);
            t.w[t.count] = (double)weight[fold->test[i]];
        }
    }
    CHECK_CLOSE(r.outer_median, figure_of(&t, SOOTH_TUNE_MAE), 1e-6);
    sooth_split_free(NULL, &outer);
}

/* ---- trials ---- */

static int rising(const void *a, const void *b) {
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The largest distance between the draws' distribution and u(v), which is uniform (Kolmogorov). */
static double distance(double *v, size_t n) {
    double worst = 0.0;
    qsort(v, n, sizeof *v, rising);
    for (size_t i = 0; i < n; ++i) {
        const double above = (double)(i + 1) / (double)n - v[i], below = v[i] - (double)i / (double)n;
        worst = above > worst ? above : worst;
        worst = below > worst ? below : worst;
    }
    return worst;
}

static void draws_are_even_or_even_in_the_logarithm(void) {
    enum { DRAWS = 2000 };
    static double rate[DRAWS], share[DRAWS];
    sooth_tune_options options =
        options_of("learning_rate=0.001:1 subsample=0.5:1 max_depth=2:5 min_samples_leaf=1:100 "
                   "loss=squared,absolute,huber",
                   SOOTH_TUNE_RANDOM);
    size_t depth[10] = {0}, loss[3] = {0}, few = 0;
    uint32_t trials;
    options.trials = DRAWS;
    CHECK_STATUS(trials_of(&env, "boost", &options, &trials), SOOTH_OK);
    CHECK(trials == DRAWS + 1);
    for (uint32_t k = 0; k < DRAWS; ++k) {
        sooth_boost_options o;
        char text[32];
        CHECK_STATUS(trial_of(&env, "boost", NULL, &options, k + 1, &o), SOOTH_OK);
        CHECK(o.learning_rate >= 0.001 && o.learning_rate <= 1.0 && o.subsample >= 0.5 && o.subsample <= 1.0);
        snprintf(text, sizeof text, "%.3g", o.learning_rate);
        CHECK(strtod(text, NULL) == o.learning_rate); /* can be typed */
        rate[k] = log(o.learning_rate / 0.001) / log(1000.0);
        share[k] = (o.subsample - 0.5) / 0.5;
        CHECK(o.max_depth >= 2 && o.max_depth <= 5 && o.min_samples_leaf >= 1 && o.min_samples_leaf <= 100);
        CHECK(o.loss < 3 && o.n_estimators == 0 && o.seed == 0);
        ++depth[o.max_depth % 10];
        ++loss[o.loss % 3];
        few += o.min_samples_leaf < 10;
    }
    CHECK(distance(rate, DRAWS) < 1.95 / sqrt((double)DRAWS)); /* exceeded once in 1,000 seeds */
    CHECK(distance(share, DRAWS) < 1.95 / sqrt((double)DRAWS) + 0.001);
    for (size_t k = 2; k <= 5; ++k) CHECK_NEAR(depth[k], DRAWS / 4.0, 70.0);
    for (size_t k = 0; k < 3; ++k) CHECK_NEAR(loss[k], DRAWS / 3.0, 75.0);
    CHECK_NEAR(few, DRAWS * log(10.0) / log(101.0), 80.0);
}

/* Three digits, but never outside the range; what is too large or too small for them is left alone. */
static void digits_stay_in_the_range(void) {
    static const struct {
        const char *space;
        double least, most;
        int typed; /* has three digits */
    } range[] = {{"min_gain=0.12345:0.1235", 0.12345, 0.12345, 0},
                 {"min_gain=0.12385:0.12395", 0.12395, 0.12395, 0},
                 {"min_gain=123000:900000", 123000, 900000, 1},
                 {"min_gain=1e19:2e19", 1e19, 2e19, 1},
                 {"min_gain=1e25:1e28", 1e25, 1e28, 0},
                 {"min_gain=1e-28:1e-25", 1e-28, 1e-25, 0}};
    for (size_t i = 0; i < sizeof range / sizeof *range; ++i) {
        const sooth_tune_options options = options_of(range[i].space, SOOTH_TUNE_RANDOM);
        double last = 0.0;
        for (uint32_t k = 1; k <= 30; ++k) {
            sooth_tree_options o;
            char text[32];
            CHECK_STATUS(trial_of(&env, "tree", NULL, &options, k, &o), SOOTH_OK);
            CHECK(o.min_gain >= range[i].least && o.min_gain <= range[i].most);
            snprintf(text, sizeof text, "%.3g", o.min_gain);
            if (range[i].typed) CHECK_CLOSE(strtod(text, NULL), o.min_gain, 1e-15);
            CHECK((o.min_gain > last || o.min_gain < last) == (k == 1 || range[i].least < range[i].most));
            last = o.min_gain;
        }
    }
    for (uint32_t k = 0; k < 60; ++k) { /* below 0 as above */
        const sooth_tune_options options =
            options_of(k % 2 ? "base_score=-0.9:-0.1" : "base_score=-900000:-123000", SOOTH_TUNE_RANDOM);
        sooth_boost_options o;
        char text[32];
        CHECK_STATUS(trial_of(&env, "boost", NULL, &options, 1 + k / 2, &o), SOOTH_OK);
        CHECK(k % 2 ? o.base_score >= -0.9 && o.base_score <= -0.1
                    : o.base_score >= -900000.0 && o.base_score <= -123000.0);
        snprintf(text, sizeof text, "%.3g", o.base_score);
        CHECK(strtod(text, NULL) == o.base_score);
    }
}

static void a_grid_counts_the_last_option_fastest(void) {
    static const double lambda[] = {0.0, 1.0, 2.5, 1.0, 2.5, 1.0, 2.5};
    static const uint32_t depth[] = {4, 3, 3, 0, 0, 7, 7};
    sooth_tune_options options =
        options_of("  max_leaves=9 max_depth=3,0,7 ccp_alpha=1,2.5 ", SOOTH_TUNE_GRID);
    sooth_tree_options given, o;
    memset(&given, 0, sizeof given);
    given.max_depth = 4;
    given.min_samples_leaf = 6;
    for (uint32_t k = 0; k < 7; ++k) {
        CHECK_STATUS(trial_of(&env, "tree", &given, &options, k, &o), SOOTH_OK);
        CHECK(o.max_depth == depth[k] && o.min_samples_leaf == 6 && o.max_leaves == (k ? 9u : 0u));
        CHECK_NEAR(o.ccp_alpha, lambda[k], 0.0);
    }
}

/* A 0 that is drawn or listed is meant, where an option can say so. */
static void zeros_are_meant(void) {
    sooth_tune_options options = options_of("epsilon=0,0.5", SOOTH_TUNE_GRID);
    sooth_svr_options o;
    CHECK_STATUS(trial_of(&env, "svr", NULL, &options, 1, &o), SOOTH_OK);
    CHECK(o.epsilon == 0.0 && o.has_epsilon == 1);
    options = options_of("epsilon=0.01:0.5", SOOTH_TUNE_RANDOM);
    CHECK_STATUS(trial_of(&env, "svr", NULL, &options, 1, &o), SOOTH_OK);
    CHECK(o.epsilon >= 0.01 && o.has_epsilon == 1);
}

static void every_kind_has_a_space_that_fits_it(void) {
    const sooth_model_kind *kind;
    for (size_t i = 0; (kind = sooth_model_kind_at(i)) != NULL; ++i) {
        uint32_t trials;
        union {
            double align;
            unsigned char bytes[1024];
        } trial;
        if (kind->kind == SOOTH_KIND_BEST) continue; /* it is a search itself */
        CHECK(sooth_tune_space(kind->name)[0] != 0);
        CHECK_STATUS(trials_of(&env, kind->name, NULL, &trials), SOOTH_OK);
        CHECK(trials == 31);
        for (uint32_t k = 0; k < 31; ++k) {
            CHECK_STATUS(trial_of(&env, kind->name, NULL, NULL, k, &trial), SOOTH_OK);
            CHECK_STATUS(sooth_option_check(&env, sooth_model_kind_options(kind), &trial), SOOTH_OK);
        }
    }
    CHECK(strcmp(sooth_tune_space("xgboost"), sooth_tune_space("boost")) == 0);
    CHECK(sooth_tune_space("nonsense")[0] == 0);
}

/* ---- what is searched for ---- */

/* Column 3 tells the program and nothing of other programs. Folds of rows choose the tree that remembers it,
   folds of programs the one that does not. */
static void folds_of_programs_do_not_reward_memory(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tune_options options = options_of("max_depth=1,12", SOOTH_TUNE_GRID);
    sooth_tree_options chosen, depth_1;
    sooth_tune_report r;
    for (uint32_t i = 0; i < ROWS; ++i) {
        x[3 * i + 2] = (float)(i % PROGRAMS);
        y[i] = 5.0f + (float)(i % PROGRAMS * 4 % 7) + 0.01f * x[3 * i];
    }
    memset(&depth_1, 0, sizeof depth_1);
    depth_1.max_depth = 1;
    recipe.options.tree = depth_1;
    options.folds = PROGRAMS;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(chosen.max_depth == 1 && r.by_group == 1 && r.folds == PROGRAMS);
    table.group = NULL;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(chosen.max_depth == 12 && r.by_group == 0);
}

/* Nothing can be learned of noise. The luckiest of many trials seems to; the nested estimate is not fooled:
   the standard deviation of the noise is 1. */
static void noise_flatters_inside_and_not_outside(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tune_options options =
        options_of("max_depth=1:12 max_features=1,2,3 seed=0:1000000", SOOTH_TUNE_RANDOM);
    sooth_tree_options chosen;
    sooth_tune_report r;
    double flattery = 0.0, outer = 0.0, median = 0.0;
    table.group = NULL;
    options.trials = 40;
    options.outer = 5;
    for (uint32_t k = 0; k < 4; ++k) {
        sooth_rng rng;
        sooth_rng_init(&rng, 100 + k, 0);
        for (size_t i = 0; i < ROWS; ++i) y[i] = (float)(sqrt(12.0) * (sooth_rng_double(&rng) - 0.5));
        options.seed = k;
        CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
        flattery += (r.outer - r.inner) / 4.0;
        outer += r.outer / 4.0;
        median += r.outer_median / 4.0;
    }
    CHECK(flattery > 0.04 && outer > 1.0 && outer > median);
}

/* A row of two programs is left out with each of them; fewer groups than folds are no mistake. */
static void groups_may_overlap_and_be_few(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tune_options options = options_of("max_depth=1,2,4", SOOTH_TUNE_GRID);
    sooth_tree_options chosen, trial;
    sooth_tune_report r;
    uint32_t offset[ROWS + 1], id[2 * ROWS];
    sooth_groups bags = {offset, id, ROWS};
    seen s;
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = 2 * i;
    for (uint32_t i = 0; i < ROWS; ++i) {
        id[2 * i] = i % 4;
        id[2 * i + 1] = i / 4 % 4;
    }
    s.count = 0;
    options.groups = &bags;
    options.folds = 20;
    options.trial_fn = see;
    options.trial_user = &s;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(r.folds == 4 && r.by_group == 1 && s.count == 4);
    for (uint32_t k = 0; k < 4 && k < s.count; ++k) { /* each program in turn, by hand */
        tests t;
        t.count = 0;
        CHECK_STATUS(trial_of(&env, "tree", NULL, &options, k, &trial), SOOTH_OK);
        for (uint32_t p = 0; p < 4; ++p) {
            uint32_t train[ROWS], test[ROWS];
            sooth_split_fold fold;
            memset(&fold, 0, sizeof fold);
            for (uint32_t i = 0; i < ROWS; ++i)
                if (id[2 * i] == p || id[2 * i + 1] == p) test[fold.tests++] = i;
                else train[fold.trains++] = i;
            fold.train = train;
            fold.test = test;
            CHECK(t.count + fold.tests <= 2 * ROWS);
            tests one;
            one.count = 0;
            test_fold(&table, "tree", &trial, &fold, &one);
            for (size_t i = 0; i < one.count; ++i, ++t.count) {
                t.y[t.count] = one.y[i];
                t.p[t.count] = one.p[i];
            }
        }
        double square = 0.0;
        for (size_t i = 0; i < t.count; ++i) square += (t.p[i] - t.y[i]) * (t.p[i] - t.y[i]);
        CHECK_CLOSE(s.figure[k], sqrt(square / (double)t.count), 1e-12);
    }
}

/* What cannot be fitted loses, and is counted; where nothing can be, its sentence stays. */
static void trials_that_fail_lose(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("method=least_squares,non_negative,ridge", SOOTH_TUNE_GRID);
    sooth_linear_options given, chosen;
    sooth_tune_report r;
    seen s;
    memset(&given, 0, sizeof given);
    given.method = SOOTH_LINEAR_RIDGE;
    given.lambda = 1000.0;
    recipe.options.linear = given;
    s.count = 0;
    options.trial_fn = see;
    options.trial_user = &s;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(r.failed == 2 && r.chosen == 0 && chosen.lambda == 1000.0);
    CHECK(s.count == 4 && isinf(s.figure[1]) && isinf(s.figure[2]) && s.figure[3] == s.figure[0]);
    recipe.options.linear.method = SOOTH_LINEAR_NON_NEGATIVE;
    options.space = "method=non_negative,huber";
    options.trial_fn = NULL;
    chosen.max_iter = 123;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_BAD_ARGUMENT,
                "lambda is 1000, but only method=ridge uses it");
    CHECK(chosen.max_iter == 123 && isnan(r.inner));
}

/* Options that the table cannot be fitted with have no error outside either; with threads as without. */
static void options_that_fail_have_no_estimate(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("method=ridge,least_squares", SOOTH_TUNE_GRID);
    sooth_linear_options given, chosen;
    sooth_tune_report r, threaded;
    sooth_threads pool;
    sooth_env many;
    memset(&given, 0, sizeof given);
    given.lambda = 3.0; /* which only ridge takes */
    recipe.options.linear = given;
    options.outer = 3;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(r.chosen == 1 && chosen.method == SOOTH_LINEAR_RIDGE && r.failed == 2);
    CHECK(isinf(r.inner_given) && isnan(r.outer_given) && r.outer > r.inner / 2.0 && r.outer_median > 0.0);
    sooth_env_init(&many);
    CHECK_STATUS(sooth_threads_start(&many, &pool, 2), SOOTH_OK);
    CHECK_STATUS(tune(&many, &table, &recipe, &options, &chosen, &threaded), SOOTH_OK);
    CHECK(chosen.method == SOOTH_LINEAR_RIDGE && threaded.failed == 2);
    CHECK(isnan(threaded.outer_given) && threaded.outer == r.outer && threaded.inner == r.inner);
    sooth_threads_stop(&pool);
}

/* A straight line from rows 1 to 3 goes beyond all floats at 10; one of slope 0 does not. */
static void predictions_beyond_the_floats_lose(void) {
    enum { N = 8 };
    static float at[N], to[N];
    static uint32_t side[N];
    sooth_table table = sooth_table_of(at, to, N, 1);
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("lambda=1e30", SOOTH_TUNE_GRID);
    sooth_linear_options given, chosen;
    sooth_tune_report r;
    memset(&given, 0, sizeof given);
    given.method = SOOTH_LINEAR_RIDGE;
    given.lambda = 1e-9;
    recipe.options.linear = given;
    table.group = side;
    for (uint32_t k = 0; k < 4; ++k) {
        options.metric = k / 2 ? SOOTH_TUNE_R2 : SOOTH_TUNE_MAE;
        for (uint32_t i = 0; i < N; ++i) {
            side[i] = i / 4;
            at[i] = i < 4 ? 1.0f + (float)i / 2.0f : 10.0f + (float)i;
            to[i] = (k % 2 ? -1e38f : 1e38f) * (i < 4 ? at[i] : 2.0f);
        }
        CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
        CHECK(r.failed == 1 && r.chosen == 1 && chosen.lambda == 1e30 && isfinite(r.inner));
        CHECK(isinf(r.inner_given) && (r.inner_given < 0.0) == (options.metric == SOOTH_TUNE_R2));
    }
}

/* A model that its iterations ended is judged by what it says. */
static void a_model_cut_short_is_a_model(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("svr");
    sooth_tune_options options = options_of("C=1,10", SOOTH_TUNE_GRID);
    sooth_svr_options given, chosen;
    sooth_tune_report r;
    sooth_model *model;
    memset(&given, 0, sizeof given);
    given.max_iter = 2;
    recipe.options.svr = given;
    CHECK_STATUS(sooth_train_fit(NULL, &table, &recipe, &model), SOOTH_NOT_CONVERGED);
    sooth_model_free(NULL, model);
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(r.failed == 0 && isfinite(r.inner) && chosen.max_iter == 2);
}

/* More than half of the weight lies on the greatest target: it is the median. */
static void a_median_of_one_heavy_row(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("no_intercept=0,1", SOOTH_TUNE_GRID);
    sooth_linear_options chosen;
    sooth_tune_report r;
    double sum = 0.0, all = 0.0;
    for (size_t i = 0; i < ROWS; ++i) {
        weight[i] = i == 4 || i == 7 ? 1000.0f : 1.0f; /* programs 4 and 7 */
        if (weight[i] > 1.0f) y[i] = 50.0f;
        sum += (double)weight[i] * fabs((double)y[i] - 50.0);
        all += (double)weight[i];
    }
    table.weight = weight;
    options.outer = PROGRAMS; /* one of the two trains always */
    options.metric = SOOTH_TUNE_MAE;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK_CLOSE(r.outer_median, sum / all, 1e-6);
}

/* Folds of rows are not more than rows. */
static void few_rows_are_left_out_one_by_one(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tune_options options = options_of("max_depth=1,2", SOOTH_TUNE_GRID);
    sooth_tree_options chosen;
    sooth_tune_report r, same;
    table.group = NULL;
    table.rows = 7;
    options.folds = 7;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    options.folds = 1000;
    CHECK_STATUS(tune(&env, &table, &recipe, &options, &chosen, &same), SOOTH_OK);
    CHECK(same.folds == 7 && same.by_group == 0 && same.inner == r.inner);
    table.rows = 1;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, &r), SOOTH_BAD_DATA,
                "tuning needs at least 2 rows, but there is 1");
    CHECK_STATUS(tune(NULL, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA);
}

/* Groups that cannot be, or leave nothing to train on or to test. */
static void groups_that_cannot_be(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tune_options options = options_of("max_depth=1,2", SOOTH_TUNE_GRID);
    sooth_tree_options chosen;
    uint32_t offset[ROWS + 1], id[2 * ROWS];
    sooth_groups bags = {offset, id, ROWS};
    options.groups = &bags;
    for (uint32_t i = 0; i < 2 * ROWS; ++i) id[i] = i % 2;
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = i % 2 ? 0 : 2 * ROWS - 2;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_ARGUMENT,
                "the offsets of the groups decrease after row 1");
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = 0;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "tuning needs at least 2 groups, but there is 0");
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = 2 * i; /* every row of both: none is left to train */
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "every row has every group, so no fold has rows to train on");
    options.outer = 2;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "every row has every group, so no fold has rows to train on");
    options.outer = 0; /* only what trains always has a weight */
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = i < 9 ? i : 9;
    for (uint32_t i = 0; i < ROWS; ++i) weight[i] = i < 9 ? 0.0f : 1.0f;
    table.weight = weight;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "no trial has a finite error");
    bags.id = NULL;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "the table has no groups");
}

/* ---- the host ---- */

static void threads_find_the_same(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("forest");
    sooth_tune_options options =
        options_of("max_depth=1:9 n_estimators=2:9 no_bootstrap=1,0", SOOTH_TUNE_RANDOM);
    sooth_forest_options alone, together;
    sooth_tune_report a, b;
    sooth_threads pool;
    sooth_env many;
    options.trials = 9;
    options.outer = 3;
    options.folds = 3;
    CHECK_STATUS(tune(NULL, &table, &recipe, &options, &alone, &a), SOOTH_OK);
    sooth_env_init(&many);
    CHECK_STATUS(sooth_threads_start(&many, &pool, 3), SOOTH_OK);
    CHECK_STATUS(tune(&many, &table, &recipe, &options, &together, &b), SOOTH_OK);
    CHECK(memcmp(&alone, &together, sizeof alone) == 0 && memcmp(&a, &b, sizeof a) == 0);
    check_memory memory;
    check_memory_init(&memory, &many, -1); /* fits one by one, each with the threads */
    CHECK_STATUS(tune(&many, &table, &recipe, &options, &together, &b), SOOTH_OK);
    CHECK(memcmp(&alone, &together, sizeof alone) == 0 && memcmp(&a, &b, sizeof a) == 0);
    CHECK(memory.live == 0 && memory.live_bytes == 0);
    sooth_threads_stop(&pool);
}

typedef struct watch {
    double last;
    size_t calls, losses, until;
} watch;

static int on_progress(void *user, const char *stage, double done) {
    watch *w = (watch *)user;
    CHECK(strcmp(stage, "tuning") == 0 && done >= w->last && done <= 1.0);
    w->last = done;
    return ++w->calls == w->until;
}

static void on_loss(void *user, const char *stage, size_t step, double loss, double validation) {
    (void)stage;
    (void)step;
    (void)loss;
    (void)validation;
    ++((watch *)user)->losses;
}

static void progress_is_one_whole_and_may_end_it(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("boost");
    sooth_tune_options options = options_of("max_depth=1,2 n_estimators=5", SOOTH_TUNE_GRID);
    sooth_boost_options chosen;
    sooth_tune_report r;
    sooth_env own;
    watch w;
    size_t until = 0, calls = 0;
    options.outer = 3;
    for (uint32_t k = 0; k < 8; ++k, until = k == 7 ? calls : until ? until * 3 : 1) {
        sooth_env_init(&own);
        memset(&w, 0, sizeof w);
        w.until = until;
        own.progress_fn = on_progress;
        own.progress_user = own.loss_user = &w;
        own.loss_fn = on_loss;
        if (until == 0) CHECK_STATUS(tune(&own, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
        else
            CHECK_FAILS(&own, tune(&own, &table, &recipe, &options, &chosen, &r), SOOTH_CANCELLED,
                        "was cancelled");
        CHECK(w.losses == 0 && own.progress_fn == on_progress);
        if (until == 0) calls = w.calls;
        if (until == 0) CHECK(w.calls > 400 && w.last > 0.9);
        else CHECK(w.calls == until);
    }
    options.outer = 0; /* then the last that is heard is the whole */
    memset(&w, 0, sizeof w);
    CHECK_STATUS(tune(&own, &table, &recipe, &options, &chosen, &r), SOOTH_OK);
    CHECK(w.last == 1.0);
}

static void every_allocation_may_fail(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("linear");
    sooth_tune_options options = options_of("no_intercept=0,1", SOOTH_TUNE_GRID);
    sooth_linear_options chosen;
    options.folds = 2;
    options.outer = 2;
    sooth_env_init(&env);
    CHECK_EVERY_ALLOCATION(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), (void)0);
    sooth_env_init(&env);
}

static void mistakes_are_sentences(void) {
    static const struct {
        const char *space, *words;
        uint32_t method;
    } wrong[] = {
        {"", "the space is empty: tree needs options to search", 0},
        {"max_depth", "must be NAME=VALUES NAME=VALUES, as max_depth=2:20, but has max_depth", 0},
        {"=3", "must be NAME=VALUES", 0},
        {"max_dept=3,4", "the space has max_dept, which is not an option of tree", 0},
        {"max_depth=3,4 bins=8 max_depth=5", "the space has max_depth twice", 0},
        {"max_depth=3,x", "max_depth is \"x\", but must be a number", 0},
        {"max_depth=", "max_depth is \"\", but must be a number", 0},
        {"max_depth=3,", "max_depth is \"\", but must be a number", 0},
        {"max_depth=2.5,3", "max_depth is 2.5, but must be an integer", 0},
        {"max_depth=0:3", "max_depth is 0 to 3 in the space, but must be 1 to 1000000", 0},
        {"max_depth=1.5:3", "max_depth is 1.5 to 3 in the space, but must be integers", 0},
        {"max_depth=5:3", "the range of max_depth in the space must be two numbers, the smaller first", 0},
        {"max_depth=5:", "must be two numbers", 0},
        {"max_depth=:5", "must be two numbers", 0},
        {"max_depth=x:5", "must be two numbers", 0},
        {"max_depth=2:3333333333333333333333333333333333333333333333333333333333333333",
         "must be two numbers", 0},
        {"max_depth=2222222222222222222222222222222222222222222222222222222222222222:3",
         "must be two numbers", 0},
        {"max_depth=1:2000000", "max_depth is 1 to 2000000 in the space, but must be 1 to 1000000", 0},
        {"max_depth=1:2.5", "max_depth is 1 to 2.5 in the space, but must be integers", 0},
        {"max_depth=1:2:3", "must be two numbers", 0},
        {"min_gain=0:inf", "must be two numbers", 0},
        {"min_gain=-1e308:1e308", "must be two numbers", 0},
        {"criterion=squared:absolute", "must be two numbers", 0},
        {"criterion=1:2", "criterion has no range; list its choices: squared|absolute", 0},
        {"criterion=square", "criterion is square, but must be one of squared|absolute", 0},
        {"min_samples_leaf=0,3", "min_samples_leaf is 0 in the space, but must be above 0 (default 1)", 0},
        {"max_depth=2:20", "a grid needs lists, as max_depth=A,B,C, but the space has a range", 1},
        {NULL, "a grid needs lists", 1},
    };
    sooth_table table = table_of();
    sooth_train_recipe recipe = recipe_of("tree");
    sooth_tree_options chosen;
    sooth_groups bags = {NULL, program, ROWS - 1};
    char many[4000] = "";
    uint32_t trials;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        sooth_tune_options options = options_of(wrong[i].space, wrong[i].method);
        CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_ARGUMENT,
                    wrong[i].words);
    }
    sooth_tune_options options = options_of(many, SOOTH_TUNE_GRID);
    for (size_t k = 0; k < 3; ++k) {
        static const char *const name[] = {"max_depth=1", " max_leaves=3", " seed=1"};
        strcat(many, name[k]);
        for (size_t i = 1; i < 101; ++i) strcat(many, ",3");
    }
    CHECK_FAILS(&env, trials_of(&env, "tree", &options, &trials), SOOTH_BAD_ARGUMENT,
                "the grid has 1030301 points, but the maximum is 1000000");
    CHECK(trials == 0);
    memset(many, 0, sizeof many);
    memcpy(many, "max_depth=", 10);
    memset(many + 10, '1', 100);
    CHECK_FAILS(&env, trials_of(&env, "tree", &options, &trials), SOOTH_BAD_ARGUMENT,
                "a value of max_depth in the space has more than 63 characters");
    memset(many, 'm', 100);
    CHECK_FAILS(&env, trials_of(&env, "tree", &options, &trials), SOOTH_BAD_ARGUMENT,
                "a word of 64 characters");
    CHECK_FAILS(&env, trial_of(&env, "tree", NULL, &options, 0, &chosen), SOOTH_BAD_ARGUMENT,
                "a word of 64 characters");
    const sooth_model_kind *mlp;
    CHECK_STATUS(sooth_train_kind_named(&env, "mlp", &mlp), SOOTH_OK);
    CHECK(sooth_model_kind_options(mlp).count > SOOTH_TUNE_MAX_KNOBS);
    memset(many, 0, sizeof many);
    for (size_t k = 0; k <= SOOTH_TUNE_MAX_KNOBS; ++k) {
        const sooth_option *o = &sooth_model_kind_options(mlp).option[k];
        char text[100];
        snprintf(text, sizeof text, "%s=%.17g ", o->name, o->most);
        if (o->type == SOOTH_OPTION_CHOICE)
            snprintf(text, sizeof text, "%s=%.*s ", o->name, (int)strcspn(o->choices, "|"), o->choices);
        if (k == SOOTH_TUNE_MAX_KNOBS) CHECK_STATUS(trials_of(&env, "mlp", &options, &trials), SOOTH_OK);
        strcat(many, text);
    }
    CHECK_FAILS(&env, trials_of(&env, "mlp", &options, &trials), SOOTH_BAD_ARGUMENT,
                "the space has more than 32 options");
    options = options_of(NULL, 0);
    CHECK_FAILS(&env, trials_of(&env, "tee", &options, &trials), SOOTH_BAD_ARGUMENT,
                "the models are linear, tree");
    options.metric = 4;
    CHECK_FAILS(&env, trials_of(&env, "tree", &options, &trials), SOOTH_BAD_ARGUMENT,
                "metric is 4, but must be one of rmse|mae|mape|r2");
    options = options_of("max_depth=1,2", SOOTH_TUNE_GRID);
    options.groups = &bags;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_ARGUMENT,
                "the groups describe 71 rows, but the table has 72");
    options.groups = NULL;
    for (size_t i = 0; i < ROWS; ++i) program[i] = i < 9;
    options.outer = 3;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "tuning needs at least 2 groups outside each outer fold, but there is 1");
    for (size_t i = 0; i < ROWS; ++i) program[i] = 4;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "tuning needs at least 2 groups, but there is 1");
    table.group = NULL;
    memset(y, 0, sizeof y);
    options.metric = SOOTH_TUNE_MAPE;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA,
                "no trial has a finite error");
    y[3] = NAN;
    CHECK_FAILS(&env, tune(&env, &table, &recipe, &options, &chosen, NULL), SOOTH_BAD_DATA, "row 4");
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(random_search_equals_the_loops);
    CHECK_RUN(a_grid_equals_the_loops);
    CHECK_RUN(rows_weights_and_targets_equal_the_loops);
    CHECK_RUN(the_median_counts_weights);
    CHECK_RUN(draws_are_even_or_even_in_the_logarithm);
    CHECK_RUN(digits_stay_in_the_range);
    CHECK_RUN(a_grid_counts_the_last_option_fastest);
    CHECK_RUN(zeros_are_meant);
    CHECK_RUN(every_kind_has_a_space_that_fits_it);
    CHECK_RUN(folds_of_programs_do_not_reward_memory);
    CHECK_RUN(noise_flatters_inside_and_not_outside);
    CHECK_RUN(groups_may_overlap_and_be_few);
    CHECK_RUN(trials_that_fail_lose);
    CHECK_RUN(options_that_fail_have_no_estimate);
    CHECK_RUN(predictions_beyond_the_floats_lose);
    CHECK_RUN(a_model_cut_short_is_a_model);
    CHECK_RUN(a_median_of_one_heavy_row);
    CHECK_RUN(few_rows_are_left_out_one_by_one);
    CHECK_RUN(groups_that_cannot_be);
    CHECK_RUN(threads_find_the_same);
    CHECK_RUN(progress_is_one_whole_and_may_end_it);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(mistakes_are_sentences);
    return check_end("tune");
}
