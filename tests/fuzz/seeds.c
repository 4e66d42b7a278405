/* seeds.c - writes small models of every kind and form, and odd texts: what fuzzing begins with.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     seeds FOLDER      writes FOLDER/TARGET/NAME; the folders of all targets must exist
 */
#include "sooth.h"
#include "../harness/recipes.h"
#include "golden/svr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLS = 3 };

static const char *folder;
static sooth_env env;
static float x[ROWS * COLS], y[ROWS * 2];

static FILE *file;

static void open_file(const char *target, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    file = fopen(path, "wb");
    if (!file) printf("%s cannot be written\n", path), exit(1);
}

static int put(void *user, const char *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, file) != size;
}

static void close_file(void) {
    if (fclose(file) != 0) puts("a seed cannot be written"), exit(1);
}

static void write_text(const char *target, const char *name, const char *text) {
    open_file(target, name);
    fputs(text, file);
    close_file();
}

static void write_block(const char *target, const char *name, const sooth_block *block) {
    sooth_sink sink = {NULL, put, 0};
    const uint32_t kind = block->kind & 0xFFFFu;
    char *bytes = (char *)malloc(block->size);
    if (!bytes || !(sooth_model_check(block, block->size) || sooth_scale_check(block, block->size) ||
                    sooth_conformal_check(block, block->size) ||
                    sooth_probability_check(block, block->size) || sooth_adapt_check(block, block->size) ||
                    sooth_integers_check(block, block->size) || sooth_encode_check(block, block->size) ||
                    sooth_levels_check(block, block->size) || sooth_origin_check(block, block->size)))
        printf("%s is not sound\n", name), exit(1);
    sooth_model_save(sooth_model_from_block(block), bytes);
    open_file(target, name);
    put(NULL, bytes, block->size);
    close_file();
    free(bytes);
    if (kind == SOOTH_KIND_SOFNN) {
        open_file("rules", name);
        sooth_rules_write(&env, (const sooth_sofnn *)(const void *)block, NULL, NULL, &sink);
        close_file();
    } else if (kind == SOOTH_KIND_SVR) {
        open_file("libsvm", name);
        sooth_libsvm_write(&env, (const sooth_svr *)(const void *)block, &sink);
        close_file();
    }
}

static void need(sooth_status status, const char *what) {
    if (status == SOOTH_OK || status == SOOTH_NOT_CONVERGED) return;
    printf("%s: %s\n", what, env.sentence);
    exit(1);
}

static const struct seed {
    const char *target, *model, *options; /* values of the options' fields, which have names */
    uint32_t targets, holes;              /* 1: x has missing values */
} seeds[] = {
    {"trees", "tree", "", 1, 1},
    {"trees", "tree", "max_depth=3", 2, 0},
    {"trees", "tree", "max_depth=4 no_statistics=1", 1, 0},
    {"trees", "tree", "max_depth=4 no_statistics=1", 2, 1},
    {"trees", "tree", "ccp_alpha=0.5", 1, 0},
    {"trees", "tree", "criterion=absolute max_leaves=5", 1, 0},
    {"trees", "tree", "criterion=poisson max_depth=2 bins=8", 1, 0},
    {"trees", "tree", "min_samples_split=100", 2, 0},
    {"trees", "tree", "linear_leaves=1 min_samples_leaf=4", 1, 0},
    {"trees", "tree", "linear_leaves=1 min_samples_leaf=6 no_statistics=1", 1, 0},
    {"trees", "forest", "linear_leaves=1 min_samples_leaf=4 n_estimators=3", 1, 0},
    {"trees", "boost", "linear_leaves=1 min_samples_leaf=4 n_estimators=3 max_depth=2", 2, 0},
    {"trees", "forest", "n_estimators=3 max_depth=3", 1, 1},
    {"trees", "forest", "n_estimators=3 max_depth=3 keep_rows=1", 1, 0},
    {"trees", "forest", "n_estimators=1 max_depth=2 keep_rows=1 no_cover=1", 1, 0},
    {"trees", "forest", "n_estimators=3 max_depth=3", 2, 0},
    {"trees", "forest", "n_estimators=3 max_depth=3 no_cover=1", 1, 0},
    {"trees", "forest", "n_estimators=9 max_depth=2 splitter=random no_bootstrap=1", 1, 0},
    {"trees", "forest", "n_estimators=2 max_leaves=4 criterion=absolute", 2, 1},
    {"trees", "boost", "n_estimators=9 max_depth=2", 1, 1},
    {"trees", "boost", "n_estimators=9 max_depth=3 loss=absolute no_table=1", 1, 0},
    {"trees", "boost", "n_estimators=4 max_depth=2 loss=huber grow_policy=lossguide max_leaves=5", 1, 0},
    {"trees", "boost", "n_estimators=4 max_depth=2 loss=quantile quantile=0.9 no_cover=1", 1, 0},
    {"trees", "boost", "n_estimators=9 max_depth=2 loss=poisson grow_policy=symmetric", 1, 0},
    {"trees", "boost", "n_estimators=5 max_depth=3 loss=gamma no_table=1", 1, 1},
    {"trees", "boost", "n_estimators=8 max_depth=2 loss=relative method=exact", 1, 0},
    {"trees", "boost", "n_estimators=4 max_depth=2", 2, 0},
    {"nets", "mlp", "hidden_1=5 epochs=2", 1, 0},
    {"nets", "mlp", "hidden_1=5 hidden_2=3 activation=leaky_relu output=positive epochs=2", 1, 0},
    {"nets", "mlp", "hidden_1=5 activation=sigmoid output=zero_to_one epochs=2", 2, 0},
    {"nets", "mlp", "hidden_1=4 activation=tanh no_bias=1 epochs=2", 1, 0},
    {"nets", "mlp", "hidden_1=8 hidden_2=4 activation=softplus output=at_least_one epochs=2", 2, 0},
    {"nets", "mlp", "hidden_1=3 activation=linear output=leaky_relu epochs=2 optimiser=rprop", 1, 0},
    {"nets", "svr", "", 1, 0},
    {"nets", "svr", "method=nu gamma=0.01 max_vectors=10", 1, 0},
    {"nets", "svr", "kernel=linear", 1, 0},
    {"nets", "svr", "kernel=linear method=nu", 1, 0},
    {"nets", "svr", "kernel=polynomial degree=2 coef0=1 gamma=0.01 max_vectors=17", 1, 0},
    {"nets", "svr", "kernel=polynomial method=nu gamma=0.01", 1, 0},
    {"nets", "svr", "kernel=sigmoid gamma=0.01", 1, 0},
    {"nets", "svr", "kernel=sigmoid method=nu gamma=0.01 max_vectors=5", 1, 0},
    {"nets", "gauss", "starts=1 max_iter=3", 1, 0},
    {"nets", "gauss", "kernel=matern12 no_deviation=1 starts=1 max_iter=3", 1, 0},
    {"nets", "gauss", "kernel=matern52 lengths=each max_points=20 inducing=9 starts=1 max_iter=3", 1, 0},
    {"nets", "gauss", "kernel=squared max_points=20 inducing=17 starts=1 max_iter=3", 1, 0},
    {"nets", "sofnn", "max_rules=4", 1, 0},
    {"nets", "sofnn", "max_rules=4 order=zero", 2, 0},
    {"nets", "sofnn", "max_rules=6 growth=one_pass extrapolate=1", 1, 0},
    {"nets", "sofnn", "max_rules=6 growth=one_pass order=zero prune=none", 2, 0},
    {"laws", "linear", "", 1, 0},
    {"laws", "linear", "", 2, 0},
    {"laws", "linear", "no_statistics=1", 2, 0},
    {"laws", "linear", "no_intercept=1", 1, 0},
    {"laws", "linear", "method=ridge lambda=1", 1, 0},
    {"laws", "linear", "method=non_negative", 1, 0},
    {"laws", "linear", "method=huber", 1, 0},
    {"laws", "linear", "products=1", 1, 0},
    {"laws", "linear", "products=1", 2, 0},
    {"laws", "scaling", "law=amdahl", 1, 0},
    {"laws", "scaling", "law=gustafson", 1, 0},
    {"laws", "scaling", "law=usl", 1, 0},
    {"laws", "scaling", "law=usl_known single=100", 1, 0},
    {"laws", "scaling", "law=power_law", 1, 0},
    {"laws", "scaling", "law=time cores=4 sockets=2", 1, 0},
    {"laws", "scaling", "law=time_log cores=4 sockets=2", 1, 0},
    {"laws", "scaling", "law=power cores=4 sockets=2", 1, 0},
    {"laws", "scaling", "law=power_printed cores=4 sockets=2", 1, 0},
    {"laws", "scaling", "law=power_speed cores=4 sockets=2", 1, 0},
    {"envelopes", "linear", "", 1, 0},
    {"envelopes", "tree", "max_depth=3", 2, 0},
    {"envelopes", "forest", "n_estimators=2 max_depth=2 keep_rows=1", 1, 0},
    {"envelopes", "boost", "n_estimators=3 max_depth=2 loss=poisson", 1, 0},
    {"envelopes", "mlp", "hidden_1=4 epochs=2", 2, 0},
    {"envelopes", "svr", "max_vectors=9", 1, 0},
    {"envelopes", "gauss", "max_points=20 inducing=5 starts=1 max_iter=3", 1, 0},
    {"envelopes", "sofnn", "max_rules=4", 1, 0},
    {"envelopes", "scaling", "law=time_log cores=4 sockets=2", 1, 0},
    {"envelopes", "best", "effort=low members=3", 1, 0},
    {"envelopes", "best", "effort=low error=rmse", 1, 0},
    {"trees", "boost", "n_estimators=5 max_depth=3 loss=logistic", 1, 1},
};

/* Numbers that suit every kind, laws of threads and frequency too. */
static void fill(const struct seed *s, const char *options_text, sooth_table *table) {
    static const char *const names[COLS] = {"threads", "MHz", "c"};
    const int law = strstr(options_text, "law=") != NULL;
    const uint32_t missing_bits = 0x7FC00000u;
    float missing;
    sooth_rng rng;
    memcpy(&missing, &missing_bits, sizeof missing);
    sooth_rng_init(&rng, 5, 1);
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + COLS * i;
        for (size_t j = 0; j < COLS; ++j) row[j] = (float)(1 + sooth_rng_below(&rng, 20));
        if (law) {
            row[0] = (float)(1 + i % 8);
            row[1] = 1.0f + (float)(i % 3) / 2.0f;
            row[2] = 1.0f + sooth_rng_float(&rng);
        }
        for (size_t t = 0; t < s->targets; ++t)
            y[s->targets * i + t] = law ? 10.0f + 100.0f / (row[0] * row[1]) + sooth_rng_float(&rng)
                                        : 1.0f + 2.0f * row[t] + row[1];
    }
    if (strstr(options_text, "effort=")) /* a line, a step and noise: several members */
        for (size_t i = 0; i < ROWS; ++i)
            y[i] += (x[COLS * i] > 10.0f ? 15.0f : 0.0f) + 3.0f * sooth_rng_float(&rng);
    if (strstr(options_text, "zero_to_one"))
        for (size_t i = 0; i < ROWS * s->targets; ++i) y[i] /= 100.0f;
    if (strstr(options_text, "logistic"))
        for (size_t i = 0; i < ROWS * s->targets; ++i) y[i] = y[i] > 30.0f;
    for (size_t i = 0; i < ROWS && s->holes; i += 5) x[COLS * i + i % COLS] = missing;
    sooth_table_init(table, x, ROWS, COLS);
    table->y = y;
    table->targets = s->targets;
    table->names = names;
}

/* A network of integers too, of 8 and 16 bits. */
static void write_small(const char *target, const char *name, const sooth_model *model) {
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        sooth_model *small = NULL;
        sooth_model_parts parts;
        char small_name[64];
        need(sooth_export_quantise(&env, model, bits, NULL, &small), name);
        sooth_model_open(small, &parts);
        snprintf(small_name, sizeof small_name, "%s_%u", name, (unsigned)bits);
        write_block(target, small_name, parts.card && parts.input ? &small->head : parts.predictor);
        sooth_model_free(&env, small);
    }
}

/* Trees in whole numbers, by both kinds of keys; not where leaves hold planes. */
static void write_integers(const char *target, const char *name, const sooth_model *model) {
    for (uint32_t rule = 0; rule < SOOTH_INTEGERS_KEYS_RULES; ++rule) {
        const sooth_integers_options o = {.bits = rule ? 32 : 8, .rule = rule};
        sooth_integers *m = NULL;
        char integers_name[80];
        if (sooth_integers_convert(&env, model, &o, &m) != SOOTH_OK) return;
        snprintf(integers_name, sizeof integers_name, "%s_integers_%u", name, (unsigned)rule);
        write_block(target, integers_name, &m->head);
        sooth_integers_free(&env, m);
    }
}

/* Trees that ask for sets of categories. */
static void write_sets(void) {
    static const char file_text[] =
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=2\nobjective=poisson\n"
        "feature_names=a b c\n\nTree=0\nnum_leaves=4\nnum_cat=2\nsplit_feature=0 1 2\nsplit_gain=9 5 3\n"
        "threshold=0 2.5 1\ndecision_type=1 10 1\nleft_child=1 -1 -2\nright_child=2 -3 -4\n"
        "leaf_value=0.125 0.37 1.0078125 0.7000000001\nleaf_count=5 6 7 8\ninternal_count=26 12 14\n"
        "cat_boundaries=0 1 3\ncat_threshold=10 12 4026531841\nis_linear=0\nshrinkage=1\n\n\n"
        "Tree=1\nnum_leaves=2\nnum_cat=1\nsplit_feature=2\nsplit_gain=1\nthreshold=0\ndecision_type=1\n"
        "left_child=-1\nright_child=-2\nleaf_value=-0.05 0.3\nleaf_count=13 13\ninternal_count=26\n"
        "cat_boundaries=0 1\ncat_threshold=6\nis_linear=0\nshrinkage=1\n\n\nend of trees\n";
    sooth_import import;
    need(sooth_import_read(&env, file_text, sizeof file_text - 1, NULL, &import), "sets");
    write_block("trees", "boost_sets", &import.ensemble->head);
    sooth_import_free(&env, &import);
}

/* Of the classes above and below 30: a model that says a probability, and one of upper ends. */
static void write_calibrated(const char *name, const sooth_table *table, const sooth_train_recipe *recipe) {
    static const sooth_calibrate_options how[] = {{.folds = 3, .probability = 1},
                                                  {.folds = 3, .probability = 2},
                                                  {.folds = 3, .tails = SOOTH_CONFORMAL_UPPER}};
    static float classes[ROWS];
    sooth_table own = *table;
    own.y = classes;
    for (size_t i = 0; i < ROWS; ++i) classes[i] = table->y[i] > 30.0f;
    for (size_t i = 0; i < sizeof how / sizeof *how; ++i) {
        sooth_model *model = NULL;
        char own_name[80];
        need(fit_calibrated(&env, &own, recipe, &how[i], &model), name);
        snprintf(own_name, sizeof own_name, "%s_calibrated_%u", name, (unsigned)i);
        write_block("envelopes", own_name, &model->head);
        sooth_model_free(&env, model);
    }
}

/* Of targets above 0: multiples of a sum of columns, with an interval. */
static void write_ratio(const char *name, const sooth_table *table, const sooth_train_recipe *recipe) {
    static float above[ROWS];
    const sooth_calibrate_options how = {.folds = 3};
    sooth_train_recipe of_ratio = *recipe;
    sooth_table own = *table;
    sooth_model *model = NULL;
    char own_name[80];
    own.y = above;
    own.names = NULL;
    for (size_t i = 0; i < ROWS; ++i) above[i] = 1.0f + (float)(i % 7);
    strcpy(of_ratio.ratio_to, "column 1+0.5*column 2+1e4");
    of_ratio.has_target = 0;
    need(fit_calibrated(&env, &own, &of_ratio, &how, &model), name);
    snprintf(own_name, sizeof own_name, "%s_ratio", name);
    write_block("envelopes", own_name, &model->head);
    sooth_model_free(&env, model);
}

/* The same from columns of categories, where they are learnt from. */
static void write_learnt_sets(void) {
    static const uint8_t categorical[2] = {1, 0};
    const sooth_boost_options rounds = {.n_estimators = 3, .max_depth = 3};
    const sooth_forest_options trees = {.n_estimators = 2, .max_depth = 4, .keep_rows = 1};
    float x[120], y[60];
    sooth_table table = sooth_table_of(x, y, 60, 2);
    sooth_boost *boost = NULL;
    sooth_forest *forest = NULL;
    sooth_tree *tree = NULL;
    for (size_t i = 0; i < 60; ++i) {
        x[2 * i] = (float)(i * 7 % 41);
        x[2 * i + 1] = (float)i;
        y[i] = (float)(i * 7 % 41 % 5) + 0.01f * (float)i;
    }
    table.categorical = categorical;
    need(sooth_boost_fit(&env, &table, &rounds, &boost), "learnt sets");
    write_block("trees", "boost_learnt_sets", &boost->head);
    sooth_boost_free(&env, boost);
    need(sooth_forest_fit(&env, &table, &trees, &forest), "learnt sets");
    write_block("trees", "forest_learnt_sets", &forest->head);
    sooth_forest_free(&env, forest);
    for (uint32_t linear = 0; linear < 2; ++linear) {
        const sooth_tree_options one = {
            .max_depth = 5, .min_samples_leaf = 1 + 4 * linear, .linear_leaves = linear};
        need(sooth_tree_fit(&env, &table, &one, &tree), "learnt sets");
        write_block("trees", linear ? "tree_learnt_sets_planes" : "tree_learnt_sets", &tree->head);
        sooth_tree_free(&env, tree);
    }
}

static void write_seed(size_t k, const struct seed *s) {
    static const char *const units[COLS] = {"", "MHz", "s"}, *const y_names[2] = {"t", "p"};
    static const sooth_score score = {"R2", 0.5};
    const int whole = strcmp(s->target, "envelopes") == 0;
    char option[64], value[64], name[64];
    const char *text = s->options;
    int length;
    sooth_table table;
    const sooth_model_kind *kind;
    sooth_train_recipe recipe;
    sooth_model_parts parts;
    sooth_model *model = NULL;
    memset(&recipe, 0, sizeof recipe);
    snprintf(name, sizeof name, "%s_%02u", s->model, (unsigned)k);
    fill(s, s->options, &table);
    need(sooth_train_kind_named(&env, s->model, &kind), name);
    for (; sscanf(text, " %63[^=]=%63[^ ]%n", option, value, &length) == 2; text += length)
        need(sooth_option_set(&env, sooth_model_kind_options(kind), &recipe.options, option, value),
             s->options);
    if (kind->kind == SOOTH_KIND_SCALING) { /* threads, frequency, speed */
        const uint32_t law = recipe.options.scaling.law;
        table.cols = law < SOOTH_SCALING_TIME ? 1 : law < SOOTH_SCALING_POWER_SPEED ? 2 : 3;
    }
    recipe.model = s->model;
    recipe.has_input = 1;
    recipe.input.transform = SOOTH_SCALE_NONE;
    if (whole && kind->kind != SOOTH_KIND_SCALING && kind->kind != SOOTH_KIND_BEST) {
        recipe.input.transform = k % 2 ? SOOTH_SCALE_LOG1P_ROBUST : SOOTH_SCALE_STANDARD;
        recipe.input.clip = k % 3 == 0;
        recipe.has_target = 1;
        recipe.target.transform = k % 2 ? SOOTH_SCALE_LOG_MINMAX : SOOTH_SCALE_LOG1P_STANDARD;
    }
    recipe.feature_units = units;
    recipe.target_names = y_names;
    recipe.score = &score;
    recipe.scores = 1;
    recipe.note = "a note";
    need(sooth_train_fit(&env, &table, &recipe, &model), s->options);
    sooth_model_open(model, &parts);
    write_block(s->target, name, whole ? &model->head : parts.predictor);
    if (whole) { /* and with intervals, and adaptation where there is one target */
        static uint32_t group[ROWS];
        const sooth_calibrate_options few = {.folds = 3, .level = 0.5};
        sooth_model *more = NULL;
        char more_name[80];
        static double value[COLS + 2] = {1.7e9, 0.0, -20260131.0, 0.5, 1e12};
        sooth_origin *origin = NULL;
        need(sooth_origin_make(&env, model, value, &origin), name);
        snprintf(more_name, sizeof more_name, "%s_origin", name);
        write_block("envelopes", more_name, &origin->head);
        sooth_origin_free(&env, origin);
        for (uint32_t i = 0; i < ROWS; ++i) group[i] = i % 6;
        table.group = group;
        need(fit_calibrated(&env, &table, &recipe, &few, &more), s->options);
        snprintf(more_name, sizeof more_name, "%s_intervals", name);
        write_block(s->target, more_name, &more->head);
        sooth_model_free(&env, more);
        recipe.has_target = 0;
        if (strcmp(s->model, "linear") == 0) write_calibrated(name, &table, &recipe);
        if (strcmp(s->model, "linear") == 0) write_ratio(name, &table, &recipe);
    }
    if (kind->kind == SOOTH_KIND_MLP) write_small(s->target, name, model);
    if (strcmp(s->target, "trees") == 0) write_integers(s->target, name, model);
    sooth_model_free(&env, model);
}

static void write_others(void) {
    const struct seed one = {"", "", "", 1, 0};
    sooth_boost_options options = {.n_estimators = 4, .max_depth = 2};
    sooth_table table;
    sooth_boost *boost = NULL;
    float p[ROWS];
    uint32_t rows_of[ROWS];
    fill(&one, "", &table);
    for (uint32_t i = 0; i < ROWS; ++i) {
        p[i] = 1.0f + (float)(i * 7 % 13);
        rows_of[i] = i % 12;
    }
    options.quantiles[0] = 0.1, options.quantiles[1] = 0.5, options.quantiles[2] = 0.9;
    need(sooth_boost_fit(&env, &table, &options, &boost), "quantiles");
    write_block("trees", "boost_quantiles", &boost->head);
    sooth_boost_free(&env, boost);
    for (uint32_t k = 0; k < SOOTH_SCALE_TRANSFORMS; ++k) {
        const sooth_scale_options scaling = {.transform = k, .clip = k % 2};
        sooth_scale *scale = NULL;
        char name[64];
        need(sooth_scale_fit(&env, &table, &scaling, &scale), "scale");
        snprintf(name, sizeof name, "scale_%02u", (unsigned)k);
        write_block("laws", name, &scale->head);
        sooth_scale_free(&env, scale);
    }
    for (uint32_t k = 0; k < 4; ++k) {
        const sooth_encode_options how = {
            .columns = 1 + k, .last = k, .no_last = k == 0, .max_bytes = 400u << k, .has_prior = k % 2};
        const uint64_t level[] = {1, 2, 1, 3, 2, 1, 1, 5, 4, 3, 2, 1};
        sooth_encode *made = NULL;
        char name[64];
        need(sooth_encode_fit(&env, level, p, NULL, 12 / (1 + k), &how, NULL, &made), "levels");
        snprintf(name, sizeof name, "encode_%02u", (unsigned)k);
        write_block("laws", name, &made->head);
        sooth_encode_free(&env, made);
    }
    for (uint32_t k = 0; k < 3; ++k) { /* a dictionary, with statistics, and within a model */
        const float rows[] = {0, 5, 1, 6, 1, 5, 2, 7, 0, 5, 1, 6};
        const uint8_t both[] = {1, k > 0};
        const char *const users[] = {"ann", "bob", "cy"}, *const * text[] = {users, NULL};
        sooth_table levelled = sooth_table_of(rows, p, 6, 2);
        sooth_train_recipe recipe;
        sooth_levels *made = NULL, *learned = NULL;
        sooth_model *model = NULL;
        float codes[12];
        char name[64];
        need(sooth_levels_fit(&env, &levelled, both, text, NULL, codes, &made), "a dictionary");
        snprintf(name, sizeof name, "levels_%02u", (unsigned)k);
        write_block("laws", name, &made->head);
        levelled.x = codes;
        need(sooth_levels_fit_statistics(&env, made, &levelled, NULL, NULL, &learned), "statistics");
        snprintf(name, sizeof name, "levels_learned_%02u", (unsigned)k);
        write_block("laws", name, &learned->head);
        memset(&recipe, 0, sizeof recipe);
        recipe.model = k == 2 ? "linear" : "tree";
        recipe.levels = made;
        recipe.encode = k == 1 ? SOOTH_TRAIN_ENCODE_ORDINAL : SOOTH_TRAIN_ENCODE_TARGET;
        need(sooth_train_fit(&env, &levelled, &recipe, &model), "a model of levels");
        snprintf(name, sizeof name, "levels_model_%02u", (unsigned)k);
        write_block("envelopes", name, &model->head);
        sooth_model_free(&env, model);
        sooth_levels_free(&env, learned);
        sooth_levels_free(&env, made);
    }
    for (uint32_t k = 0; k < 16; ++k) {
        const sooth_conformal_options how = {.level = k == 15 ? 0.999 : 0.8,
                                             .scale = k % 2,
                                             .tails = k / 2 % 2,
                                             .spread = k / 4 == 1 ? x : NULL};
        const uint32_t *group = k >= 8 ? rows_of : NULL;
        sooth_conformal *made = NULL;
        char name[64];
        if (k / 4 == 2)
            need(sooth_conformal_fit_quantiles(&env, p, p + 1, p + 3, group, NULL, 30, &how, &made),
                 "quantiles");
        else need(sooth_conformal_fit(&env, p, p + 1, group, NULL, 30, &how, &made), "interval");
        snprintf(name, sizeof name, "conformal_%02u", (unsigned)k);
        write_block("laws", name, &made->head);
        sooth_conformal_free(&env, made);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        const sooth_probability_options how = {.method = k / 2, .scores = k % 2};
        float classes[30], score[30];
        sooth_probability *map = NULL;
        char name[64];
        for (uint32_t i = 0; i < 30; ++i) {
            classes[i] = (float)(i * 7 % 30 > 12);
            score[i] = (float)i / 30.0f;
        }
        need(sooth_probability_fit(&env, classes, score, NULL, 30, &how, &map), "probabilities");
        snprintf(name, sizeof name, "probability_%02u", (unsigned)k);
        write_block("laws", name, &map->head);
        sooth_probability_free(&env, map);
    }
}

/* What is known of programs: residuals as logarithms, and as differences. */
static void write_adapts(void) {
    const struct seed one = {"", "", "", 1, 0};
    sooth_table table;
    fill(&one, "", &table);
    uint32_t *group = (uint32_t *)calloc(table.rows, sizeof *group);
    float *predicted = (float *)calloc(table.rows, sizeof *predicted);
    if (!group || !predicted) exit(1);
    for (uint32_t k = 0; k < 2; ++k) {
        const sooth_adapt_options options = {
            .scale = SOOTH_ADAPT_DIFFERENCE, .capacity = 2 + 6 * k, .draws = 1};
        sooth_adapt *adapt = NULL;
        table.group = group;
        for (size_t i = 0; i < table.rows; ++i) {
            group[i] = (uint32_t)(i % 6);
            predicted[i] = table.y[i] + (float)(i % 6) + (float)(i % 5) * 0.1f;
        }
        need(sooth_adapt_fit(&env, &table, predicted, &options, &adapt), "adapt");
        write_block("laws", k ? "adapt_8" : "adapt_2", &adapt->head);
        sooth_adapt_free(&env, adapt);
    }
    free(group);
    free(predicted);
}

static const char *const csv[] = {
    "a,b,y\n1,x,3\n4,\"q\"\"\n\",6\n",
    "\xEF\xBB\xBFg;p [W];y (s)\r\n1,5;#DIV/0!;2\r\n;;\r\n3;4;5",
    "x\tx\ty\n1\t2\t3\n",
    "x,x.2,x,x\r\" \",-,NA,\" b \"\r1e-40,-0,inf,c\r",
    "sep=;\na;b\n1.234,5;2\n",
    "1,2,3\n4,5,6\n",
    "n/a,NaN,null\n,,\n1e400,-1e400,0x10\n",
    "a|b\n\"|\"|1\n\n\n2|3\n",
    "\"unfinished\n1,2",
    "a,b\n1\n1,2,3\n",
    "t (s),\xCE\xB1\xCE\xB2,\xFF\xFE\n1 000,2,3\n",
    "a,a,a,a.2\n1,2,3,4\n1,2,3,4\n",
};
static const char *const ptx[] = {
    ".version 8.0\n.target sm_80\n.entry k(.param .u64 a, .param .u32 k_param_1)\n{\n"
    ".reg .b32 %r<9>;\nld.param.u32 %r1, [k_param_1];\n"
    "mov.u32 %r2, 0;\n$L1:\nadd.s32 %r2, %r2, 2;\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+16];\n"
    "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L1;\nret;\n}\n",
    ".version 8.5\n.func (.param .b32 r) f(.param .b32 x);\n.shared .align 8 .b8 s[64];\n"
    ".entry k() .maxntid 128, 1, 1 {\n{ W: @!P bra D;\nbra W; D: }\n"
    "{\n.param .b32 a0;\ncall.uni (r), f, (a0);\n}\nT: .branchtargets A, B;\nbrx.idx r, T;\n"
    "A: mov.u32 x, s; atom.shared::cta.add.u32 r, [x], 1;\nB: @p exit; bra A;\n}\n"
    ".func (.param .b32 r) f(.param .b32 x) { call (r), f, (x); cvta.local.u64 q, w; "
    "ld.b32 x, [q+4]; ret; }\n",
    ".version 7.0\n.target sm_70\n.file 1 \"a.cu\"\n.section .debug_str { .b8 1 }\n"
    ".visible .entry k()\n{\n.loc 1 2 3\nmov.s64 i, 64;\nO: mov.u32 j, %ntid.x;\n"
    "I: shr.u32 j, j, 1;\nsetp.ne.u32 p, j, 0;\n@p bra I;\nsub.s64 i, i, 3;\nsetp.gt.s64 q, i, -10;\n"
    "not.pred n, q;\n@!n bra O;\ncp.async.ca.shared.global [s], [g], 16;\nret;\n}\n",
};

static const char *const cards[] = {
    "# a device\nname = box\nlike = v100\ncompute = 7.0\nsms = 80\nclock_mhz = 1530\nlatency_add = 4\n",
    "name = lud # a task\nmachine = box\nalone_time = 1.5\nalone_power = 100\npressure = -2e6\n"
    "slowdown_low = 1.1\nslowdown_high = 2\ncaused_high = 3\nipc = 1.25\n",
    "1e-40",
    "-0.1234567890123456789e308",
    "nan",
};

static void write_texts(const char *target, const char *const *text, size_t count) {
    for (size_t k = 0; k < count; ++k) {
        char name[64];
        snprintf(name, sizeof name, "text_%02u", (unsigned)k);
        write_text(target, name, text[k]);
    }
}

int main(int count, char **word) {
    if (count != 2) return puts("seeds FOLDER"), 2;
    folder = word[1];
    sooth_env_init(&env);
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; ++k) write_seed(k, &seeds[k]);
    write_sets();
    write_learnt_sets();
    write_others();
    write_adapts();
    write_texts("csv", csv, sizeof csv / sizeof *csv);
    write_texts("ptx", ptx, sizeof ptx / sizeof *ptx);
    write_texts("cards", cards, sizeof cards / sizeof *cards);
    write_texts("libsvm", golden_file, GOLDEN_FILES);
    return 0;
}
