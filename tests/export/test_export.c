/* test_export.c - exported files: what is in them and what is refused. That they compile and answer alike is
 * checked by export.sh, for which `test_export DIR` writes every model below as C and for XGBoost, with
 * 10,000 rows and the library's answers; `test_export DIR NAME` those whose names begin so.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/core_cost.h"
#include "sooth/export/c.h"
#include "sooth/export/xgboost.h"
#include "sooth/import.h"
#include "sooth/import/libsvm.h"
#include "sooth/sofnn.h"
#include "sooth/train.h"
#include "check.h"
#include "recipes.h"

static sooth_env env;
static sooth_rng rng;

/* ---- sinks ---- */

typedef struct text {
    char *at;
    size_t size, room;
    size_t most; /* bytes after which it is full; 0: never */
} text;

static int to_text(void *user, const char *piece, size_t size) {
    text *t = (text *)user;
    if (t->most && t->size + size > t->most) return 1;
    if (t->size + size + 1 > t->room) {
        t->room = 2 * (t->size + size + 1);
        t->at = (char *)realloc(t->at, t->room);
    }
    memcpy(t->at + t->size, piece, size);
    t->size += size;
    t->at[t->size] = 0;
    return 0;
}

static int to_file(void *user, const char *piece, size_t size) {
    return fwrite(piece, 1, size, (FILE *)user) != size;
}

static sooth_sink sink_of(int (*write_fn)(void *, const char *, size_t), void *user) {
    sooth_sink sink;
    memset(&sink, 0, sizeof sink);
    sink.write_fn = write_fn;
    sink.user = user;
    return sink;
}

/* The text that an export gives; the caller frees at. */
static text export_c(const sooth_model *model, const sooth_export_c_options *options) {
    text t;
    sooth_sink sink;
    memset(&t, 0, sizeof t);
    sink = sink_of(to_text, &t);
    CHECK_STATUS(sooth_export_c(&env, model, options, &sink), SOOTH_OK);
    return t;
}

static text export_xgboost(const sooth_model *model, const sooth_export_xgboost_options *options) {
    text t;
    sooth_sink sink;
    memset(&t, 0, sizeof t);
    sink = sink_of(to_text, &t);
    CHECK_STATUS(sooth_export_xgboost(&env, model, options, &sink), SOOTH_OK);
    return t;
}

/* ---- random models ---- */

static float random_bits(void) { /* any finite float */
    float v;
    do v = soothi_of_bits(sooth_rng_next(&rng));
    while (!isfinite(v));
    return v;
}

static float random_threshold(void) {
    static const float special[] = {0,        -0.0f,    FLT_MIN,   1e-45f, -1e-45f,  FLT_MAX,
                                    -FLT_MAX, INFINITY, -INFINITY, 1,      16777217, 0.1f};
    switch (sooth_rng_below(&rng, 8)) {
    case 0: return special[sooth_rng_below(&rng, sizeof special / sizeof *special)];
    case 1: return random_bits();
    case 2: return (float)sooth_rng_below(&rng, 9) / 2 - 2;
    default: return 4 * sooth_rng_float(&rng) - 2;
    }
}

static float random_value(int wild) {
    static const float special[] = {0, -0.0f, FLT_MIN, 1e-45f, -3e-42f, 1e30f, -1e30f, 1, 16777215};
    if (wild && sooth_rng_below(&rng, 4) == 0)
        return special[sooth_rng_below(&rng, sizeof special / sizeof *special)];
    return (2 * sooth_rng_float(&rng) - 1) * 0.3f;
}

/* How a tree grows: any leaf splits, or the newest left or right one (a chain), or all (a full tree). */
typedef enum growth { ANY, LEFT_CHAIN, RIGHT_CHAIN, FULL } growth;

typedef struct maker {
    uint32_t kind, features, targets, flags, link, trees, leaves;
    growth how;
    int wild; /* 1: special leaves and thresholds; 2 more: odd features are categories */
} maker;

static size_t random_tree(const maker *m, soothi_ensemble_node *node) {
    static uint32_t word[64][2]; /* of sets */
    size_t count = 1, k;
    memset(node, 0, sizeof *node);
    while (count + 2 <= 2 * (size_t)m->leaves) {
        if (m->how == FULL) k = count / 2;
        else if (m->how == LEFT_CHAIN) k = count > 1 ? count - 2 : 0;
        else if (m->how == RIGHT_CHAIN) k = count - 1;
        else do
                k = sooth_rng_below(&rng, (uint32_t)count);
            while (node[k].left);
        memset(node + count, 0, 2 * sizeof *node);
        node[k].left = (uint32_t)count++;
        node[k].right = (uint32_t)count++;
        node[k].feature = sooth_rng_below(&rng, m->features);
        node[k].missing_right = sooth_rng_below(&rng, 2);
        node[k].threshold = m->wild & 1 ? random_threshold() : 4 * sooth_rng_float(&rng) - 2;
        if (!(m->wild & 2) || node[k].feature % 2 == 0 || k >= 64) continue;
        node[k].set = word[k];
        node[k].set_words = sooth_rng_below(&rng, 3);
        word[k][0] = sooth_rng_next(&rng);
        word[k][1] = sooth_rng_next(&rng);
    }
    for (k = 0; k < count; ++k) {
        node[k].cover = (float)(count - k);
        node[k].value =
            (double)random_value(m->wild & 1) * (m->flags & SOOTH_ENSEMBLE_LOW ? 1.000000012345 : 1.0);
    }
    return count;
}

static sooth_ensemble *make(const maker *m) {
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    soothi_ensemble_node *node = (soothi_ensemble_node *)malloc(2 * (size_t)m->leaves * sizeof *node);
    float *value = (float *)malloc(2 * (size_t)m->leaves * m->targets * sizeof *value);
    uint32_t k, t;
    memset(&shape, 0, sizeof shape);
    shape.kind = m->kind;
    shape.features = m->features;
    shape.targets = m->targets;
    shape.flags = m->flags;
    shape.link = m->link;
    soothi_ensemble_begin(&builder, &env, &shape);
    for (t = 0; t < m->targets; ++t)
        soothi_ensemble_set_base(&builder, t, m->flags & SOOTH_ENSEMBLE_MEAN ? 0.0 : 0.1 + t);
    for (k = 0; k < m->trees; ++k) {
        size_t count = random_tree(m, node), i;
        for (i = 0; i < count * m->targets; ++i) value[i] = random_value(m->wild & 1);
        soothi_ensemble_add_plain_tree(&builder, node, count, m->flags & SOOTH_ENSEMBLE_ROWS ? value : NULL);
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    free(node);
    free(value);
    return e;
}

static sooth_tree *fit_tree(uint32_t targets, uint32_t max_depth, uint32_t no_statistics) {
    enum { rows = 200, cols = 5 };
    static float x[rows * cols], y[rows * 3];
    sooth_tree_options options;
    sooth_table table;
    sooth_tree *tree;
    size_t i;
    for (i = 0; i < rows * cols; ++i) x[i] = sooth_rng_below(&rng, 12) ? 4 * sooth_rng_float(&rng) - 2 : NAN;
    for (i = 0; i < rows * targets; ++i) y[i] = sooth_rng_float(&rng);
    sooth_table_init(&table, x, rows, cols);
    table.y = y;
    table.targets = targets;
    memset(&options, 0, sizeof options);
    options.max_depth = max_depth;
    options.no_statistics = no_statistics;
    CHECK_STATUS(sooth_tree_fit(&env, &table, &options, &tree), SOOTH_OK);
    return tree;
}

/* A tree that asks for sets of categories, of even columns; with planes: in leaves that hold some. */
/* A predictor of ours as a model that sooth_model_free frees. */
static sooth_model *own(sooth_block *block) { return (sooth_model *)(void *)block; }

static sooth_block *tree_of_sets(uint32_t targets, uint32_t linear_leaves) {
    enum { rows = 300, cols = 5 };
    static const uint8_t categorical[cols] = {1, 0, 1, 0, 1};
    static const uint32_t levels[cols] = {70, 0, 3, 0, 33};
    static float x[rows * cols], y[rows * 3], effect[70];
    const sooth_tree_options options = {.min_samples_leaf = linear_leaves ? 25 : 4,
                                        .linear_leaves = linear_leaves,
                                        .no_statistics = targets > 1};
    sooth_tree *tree;
    for (size_t k = 0; k < 70; ++k) effect[k] = sooth_rng_float(&rng);
    for (size_t i = 0; i < rows * cols; ++i)
        x[i] = sooth_rng_below(&rng, 12) == 0 ? NAN
               : categorical[i % cols]        ? (float)sooth_rng_below(&rng, levels[i % cols])
                                              : 4 * sooth_rng_float(&rng) - 2;
    for (size_t i = 0; i < rows * targets; ++i) {
        const float *row = x + i / targets * cols;
        y[i] = 0.1f * sooth_rng_float(&rng) + (row[1] > 0 ? row[1] : 0.0f);
        if (!isnan(row[0])) y[i] += effect[(size_t)row[0]];
        if (!isnan(row[4])) y[i] += effect[69 - (size_t)row[4]];
    }
    sooth_table table = sooth_table_of(x, y, rows, cols);
    table.targets = targets;
    table.categorical = categorical;
    CHECK_STATUS(sooth_tree_fit(&env, &table, &options, &tree), SOOTH_OK);
    CHECK(tree && soothi_tree_sets(tree).first && soothi_tree_is_linear(tree) == (linear_leaves != 0));
    return &tree->head;
}

/* A tree, or without `alone` a forest or, boosted, a sum of trees, whose leaves hold planes. */
static sooth_block *planes(int alone, int boosted) {
    enum { rows = 400, cols = 4 };
    static float x[rows * cols], y[rows];
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_tree_options one = {.min_samples_leaf = 30, .linear_leaves = 1};
    sooth_forest_options many = {.n_estimators = 5, .min_samples_leaf = 30, .linear_leaves = 1};
    sooth_boost_options sum = {.n_estimators = 9, .min_samples_leaf = 30, .linear_leaves = 1};
    sooth_tree *tree;
    sooth_forest *forest;
    sooth_boost *boost;
    for (size_t i = 0; i < rows * cols; ++i)
        x[i] = sooth_rng_below(&rng, 30) ? 4 * sooth_rng_float(&rng) - 2 : NAN;
    for (size_t i = 0; i < rows; ++i) {
        const float *row = x + i * cols;
        y[i] = 0.1f * sooth_rng_float(&rng);
        for (size_t j = 0; j < cols; ++j) y[i] += isnan(row[j]) ? 1 : (float)(j + 1) * row[j] * row[0];
        if (isnan(y[i])) y[i] = 0;
    }
    if (alone) {
        CHECK_STATUS(sooth_tree_fit(&env, &table, &one, &tree), SOOTH_OK);
        CHECK(soothi_tree_is_linear(tree));
        return &tree->head;
    }
    if (boosted) {
        CHECK_STATUS(sooth_boost_fit(&env, &table, &sum, &boost), SOOTH_OK);
        CHECK(boost->linear_leaves > 0);
        return &boost->head;
    }
    CHECK_STATUS(sooth_forest_fit(&env, &table, &many, &forest), SOOTH_OK);
    CHECK(forest->linear_leaves > 0);
    return &forest->head;
}

/* The same with low parts, as an import has them. */
static sooth_ensemble *planes_exact(void) {
    static const char file[] =
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=2\nobjective=regression\n"
        "feature_names=a b c\n\nTree=0\nnum_leaves=3\nsplit_feature=0 1\nsplit_gain=2 1\n"
        "threshold=0.1 -0.3\ndecision_type=2 8\nleft_child=1 -1\nright_child=-2 -3\n"
        "leaf_value=0.1 0.2 0.3\nleaf_count=5 6 7\ninternal_count=18 12\nis_linear=1\n"
        "leaf_const=0.123456789012345 -7.1 0.3\nnum_features=2 1 0\nleaf_features=0 1  0   \n"
        "leaf_coeff=1.1 -3.3333333333333333  0.1   \nshrinkage=1\n\n\nTree=1\nnum_leaves=1\nleaf_value=0.7\n"
        "is_linear=1\nleaf_const=0.7\nnum_features=0\nleaf_features= \nleaf_coeff= \n\n\nend of trees\n";
    sooth_import import;
    CHECK_STATUS(sooth_import_read(&env, file, sizeof file - 1, NULL, &import), SOOTH_OK);
    sooth_ensemble *e = import.ensemble;
    CHECK(e && e->linear_leaves == 5);
    import.ensemble = NULL;
    sooth_import_free(&env, &import);
    return e;
}

static char ratio_to[SOOTH_TRAIN_RATIO_SIZE]; /* of fit_model */

/* A model with transforms and a card, of names that nobody should have. */
static sooth_model *fit_model(const char *name, const void *options, uint32_t input, uint32_t target,
                              int clip, size_t targets) {
    enum { rows = 120, cols = 5 };
    static const char *const names[cols] = {"clock", "end */ of /* comment", "line\nbreak\\",
                                            "d\xC3\xA9 \xE2\x80\xAE\xFF?"
                                            "?/",
                                            ""};
    static const char *const units[cols] = {"MHz", "", "%s", "\"", "$@#"};
    static const uint32_t mixed[cols] = {SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG1P, SOOTH_SCALE_LOG_MINMAX,
                                         SOOTH_SCALE_NONE, SOOTH_SCALE_LOG1P_ROBUST};
    static float x[rows * cols], y[rows * 2];
    sooth_scale_options in, out;
    sooth_train_recipe recipe;
    sooth_table table;
    sooth_model *model;
    size_t i;
    for (i = 0; i < rows * cols; ++i)
        x[i] = i % cols == 2 ? 0.01f + sooth_rng_float(&rng)
                             : 40 * sooth_rng_float(&rng) - (float)(i % cols) * 5;
    for (i = 0; i < rows * targets; ++i) y[i] = 1 + 50 * sooth_rng_float(&rng) * sooth_rng_float(&rng);
    sooth_table_init(&table, x, rows, cols);
    table.y = y;
    table.targets = targets;
    table.names = names;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    in.transform = input;
    in.clip = out.clip = (uint32_t)clip;
    if (input == SOOTH_SCALE_TRANSFORMS) {
        in.transform = 0;
        in.transforms = mixed;
    }
    out.transform = target;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = name;
    recipe_options(&recipe, options);
    recipe.feature_units = units;
    memcpy(recipe.ratio_to, ratio_to, sizeof ratio_to);
    recipe.input = in, recipe.has_input = 1;
    recipe.target = out, recipe.has_target = 1;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) printf("  %s\n", env.sentence);
    return model;
}

/* A network of random weights: layer i has outputs[i] neurons with the i-th activation from `first` on. */
static sooth_mlp *network(uint32_t features, uint32_t layers, const uint32_t *outputs, uint32_t first,
                          int no_bias) {
    uint32_t activation[4], i, inputs = features;
    size_t count = 0, k;
    float *weights;
    sooth_mlp *mlp;
    for (i = 0; i < layers; inputs = outputs[i++]) {
        activation[i] = (first + i) % SOOTH_MLP_ACTIVATIONS;
        count += (size_t)outputs[i] * (inputs + 1);
    }
    weights = (float *)malloc(count * sizeof *weights);
    for (k = 0; k < count; ++k) weights[k] = sooth_rng_below(&rng, 9) ? 2 * sooth_rng_float(&rng) - 1 : -0.0f;
    CHECK_STATUS(sooth_mlp_make(&env, features, layers, outputs, activation, no_bias, 0.1, weights, &mlp),
                 SOOTH_OK);
    free(weights);
    return mlp;
}

static sooth_model *integers(sooth_mlp *mlp, uint32_t bits) {
    const float box[14] = {-2, 2, -2, 2, -1, 0, 3, 4, -2, 2, -9, 9, 0, 0};
    sooth_mlp *small;
    CHECK_STATUS(sooth_mlp_quantise(&env, mlp, bits, box, NULL, &small), SOOTH_OK);
    sooth_mlp_free(&env, mlp);
    return own(&small->head);
}

static sooth_model *smaller(sooth_model *model, uint32_t bits) {
    sooth_model *small;
    CHECK_STATUS(sooth_export_quantise(&env, model, bits, NULL, &small), SOOTH_OK);
    sooth_model_free(&env, model);
    return small;
}

/* A linear model with products of columns that are of any size. */
static sooth_linear *products(size_t targets) {
    enum { rows = 80, cols = 6 };
    static float x[rows * cols], y[rows * 2];
    const sooth_linear_options options = {.products = 1};
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_linear *model;
    for (size_t i = 0; i < rows; ++i) {
        float *row = x + i * cols;
        for (size_t j = 0; j < cols; ++j)
            row[j] = (sooth_rng_float(&rng) - 0.3f) * powf(1000.0f, (float)j - 2.0f);
        for (size_t t = 0; t < targets; ++t)
            y[i * targets + t] = row[2] * row[3] + row[4] * row[4] * 1e-7f * (float)t + row[5] * 1e-7f;
    }
    table.targets = targets;
    CHECK_STATUS(sooth_linear_fit(&env, &table, &options, &model), SOOTH_OK);
    CHECK(model && model->products > 0);
    return model;
}

/* Support vectors of a random table, at most `most` of them; level: targets are all the same, and none is
   needed. */
static sooth_svr *vectors(uint32_t kernel, uint32_t degree, uint32_t most, int level) {
    enum { rows = 60, cols = 6 };
    static float x[rows * cols], y[rows];
    sooth_svr_options options;
    sooth_table table;
    sooth_svr *svr;
    size_t i;
    for (i = 0; i < rows * cols; ++i) x[i] = 4 * sooth_rng_float(&rng) - 2;
    for (i = 0; i < rows; ++i) y[i] = level ? 7 : x[i * cols] * x[i * cols + 1] + sooth_rng_float(&rng);
    sooth_table_init(&table, x, rows, cols);
    table.y = y;
    table.targets = 1;
    memset(&options, 0, sizeof options);
    options.kernel = kernel;
    options.degree = degree;
    options.max_vectors = most;
    options.coef0 = 0.5;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &options, &svr), SOOTH_OK);
    return svr;
}

/* A law with any coefficients: of each law one, then machines with voltages, with one frequency, and of one
   core. */
static sooth_model *law(unsigned which, char name[32]) {
    static const uint32_t more[] = {SOOTH_SCALING_POWER, SOOTH_SCALING_POWER_SPEED, SOOTH_SCALING_TIME_LOG};
    const uint32_t number = which < SOOTH_SCALING_LAWS ? which : more[which - SOOTH_SCALING_LAWS];
    sooth_scaling_prior prior;
    sooth_scaling_options options;
    sooth_table none;
    sooth_scaling *m;
    float x[6], y[6];
    size_t i, j;
    memset(&options, 0, sizeof options);
    memset(&prior, 0, sizeof prior);
    snprintf(name, 32, which < SOOTH_SCALING_LAWS ? "law_%s" : "law_more_%s", sooth_scaling_law_name(number));
    options.law = number;
    options.machine.cores = which == SOOTH_SCALING_LAWS + 2 ? 1 : 2;
    options.machine.sockets = 3;
    options.machine.levels = which == SOOTH_SCALING_LAWS + 1 ? 1 : 3 - which % 2;
    for (i = 0; i < options.machine.levels; ++i) {
        options.machine.frequency[i] = 0.4f + 0.5f * (float)i;
        if (which >= SOOTH_SCALING_LAWS && which < SOOTH_SCALING_LAWS + 2)
            options.machine.voltage[i] = 0.9f + 0.07f * (float)i;
    }
    prior.law = number;
    prior.terms = soothi_scaling_law_terms(number);
    prior.noise = 0.1;
    for (j = 0; j < prior.terms; ++j) {
        prior.mean[j] = 0.3 + 0.7 * sooth_rng_double(&rng);
        prior.covariance[9 * j] = 0.01;
    }
    sooth_table_init(&none, NULL, 0, 0);
    if (number != SOOTH_SCALING_USL_KNOWN) { /* what a prior says, without a run */
        options.prior = &prior;
        CHECK_STATUS(sooth_scaling_fit(&env, &none, &options, &m), SOOTH_OK);
        return own(&m->head);
    }
    for (i = 0; i < 6; ++i) {
        x[i] = (float)(i + 1);
        y[i] = 3.0f / x[i] + 0.2f * x[i] * sooth_rng_float(&rng);
    }
    none = sooth_table_of(x, y, 6, 1);
    CHECK_STATUS(sooth_scaling_fit(&env, &none, &options, &m), SOOTH_OK);
    return own(&m->head);
}

/* What only a file can hold: sums that overflow, a gamma with the wrong sign, a power of 0. */
static sooth_svr *file_of_vectors(const char *head) {
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "svm_type epsilon_svr\n%s\nnr_class 2\ntotal_sv 19\nrho -0.25\nSV\n", head);
    sooth_svr *svr;
    int k;
    for (k = 0; k < 19; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.9g 1:%.9g 2:%.9g 3:%.9g\n",
                              (double)random_value(0), (double)random_value(0), (double)random_value(0),
                              (double)random_value(0));
    CHECK_STATUS(sooth_libsvm_read(&env, text, n, 4, &svr), SOOTH_OK);
    return svr;
}

/* A fuzzy network that learned row by row, from rows that fill a small part of its box. */
static sooth_sofnn *rules(uint32_t features, uint32_t targets, uint32_t order) {
    sooth_sofnn_learner_options options;
    sooth_sofnn_learner *learner;
    sooth_sofnn *model;
    float low[70], high[70];
    float row[70], y[3];
    size_t size, i, j;
    void *memory;
    memset(&options, 0, sizeof options);
    options.network.order = order;
    options.network.max_rules = 5;
    options.rows_per_parameter = 1;
    options.network.margin = 1e-6;
    options.low = low;
    options.high = high;
    for (j = 0; j < features; ++j) {
        low[j] = -2;
        high[j] = 2;
    }
    size = sooth_sofnn_learner_size(&options, features, targets);
    memory = malloc(size);
    CHECK_STATUS(sooth_sofnn_learner_init(&env, &options, features, targets, memory, size, &learner),
                 SOOTH_OK);
    for (i = 0; i < 500; ++i) {
        for (j = 0; j < features; ++j) row[j] = j % 5 == 4 ? 1 : sooth_rng_float(&rng) - 0.5f;
        for (j = 0; j < targets; ++j) y[j] = row[0] * row[1] * (float)(1 + j) + row[features - 2];
        sooth_sofnn_learner_update(learner, row, y);
    }
    sooth_sofnn_learner_seal(learner);
    CHECK(learner->model->rules > 1);
    model = (sooth_sofnn *)malloc(learner->model->head.size);
    memcpy(model, learner->model, learner->model->head.size);
    free(memory);
    return model;
}

/* The model with what adapts it, learned of made programs whose rows are like those of fit_model: some
   values are missing, the last feature is constant, and a program may be 3 times what the model says. The
   others have numbers that no fit gives, but a check lets through: of WILD ones residuals overflow, of
   NARROW ones covariance matrices are singular, and FLAT ones look at no feature. */
enum { LEARNED = 0, WILD, NARROW, FLAT };
static sooth_model *adapting(sooth_model *model, uint32_t scale, uint32_t capacity, int how) {
    enum { rows = 72, cols = 5 };
    static float x[rows * cols], y[rows], predicted[rows];
    static uint32_t group[rows];
    void *scratch = malloc(sooth_model_scratch_size(model, 1) + 1);
    sooth_adapt_options options;
    sooth_model_parts parts;
    sooth_model *both = NULL;
    sooth_adapt *adapt;
    sooth_table table;
    for (size_t i = 0; i < rows; ++i) {
        float *row = x + i * cols;
        for (size_t j = 0; j < cols; ++j)
            row[j] = j == 4   ? 1.0f
                     : j == 2 ? 0.01f + sooth_rng_float(&rng)
                              : 40 * sooth_rng_float(&rng) - (float)(j % 4) * 5;
        predicted[i] = sooth_model_predict(model, row, scratch);
        if (scale == SOOTH_ADAPT_LOG && !(predicted[i] > 1)) predicted[i] = 1;
        group[i] = (uint32_t)i / 8;
        y[i] = predicted[i] * (0.5f + 0.3f * (float)group[i] + 0.1f * sooth_rng_float(&rng)) + 0.01f * row[0];
        if (scale == SOOTH_ADAPT_LOG && !(y[i] > 0)) y[i] = 1;
        if (i % 9 == 0) row[1] = NAN;
    }
    table = sooth_table_of(x, y, rows, cols);
    table.group = group;
    memset(&options, 0, sizeof options);
    options.scale = scale;
    options.capacity = capacity;
    CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, &options, &adapt), SOOTH_OK);
    if (adapt && how == NARROW) {
        adapt->offset = adapt->slope = 0;
        adapt->signal = 1e6f;
        adapt->noise = 1e-7f;
        soothi_block_seal(&adapt->head);
    }
    if (adapt && how == WILD) {
        sooth_adapt_feature *f = (sooth_adapt_feature *)(void *)(adapt + 1);
        adapt->unit = 1e-37f;
        f[0].factor = 1e38f;
        f[1].least = -3e38f;
        f[1].most = 3e38f;
        soothi_block_seal(&adapt->head);
    }
    if (adapt && how == FLAT) {
        for (uint32_t j = 0; j < cols; ++j) ((sooth_adapt_feature *)(void *)(adapt + 1))[j].factor = 0;
        soothi_block_seal(&adapt->head);
    }
    CHECK(adapt && sooth_adapt_check(adapt, adapt->head.size));
    sooth_model_open(model, &parts);
    parts.adapt = adapt;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &both), SOOTH_OK);
    sooth_adapt_free(&env, adapt);
    sooth_model_free(&env, model);
    free(scratch);
    return both;
}

/* The model, in an envelope with a map of what it says to made classes. WILD: a map that no fit gives, but a
   check lets through: steps as far apart as floats are, a slope of 0. */
static sooth_model *saying(sooth_model *model, uint32_t method, uint32_t scores, int how) {
    enum { rows = 60, most = 80 };
    static float x[rows * most], said[rows], actual[rows];
    const sooth_probability_options options = {method, scores};
    void *scratch = malloc(sooth_model_scratch_size(model, 1) + 1);
    sooth_model_parts parts;
    sooth_probability *map;
    sooth_model *both = NULL;
    CHECK(model->head.features <= most && model->head.targets == 1);
    for (size_t i = 0; i < rows * model->head.features; ++i) x[i] = 40 * sooth_rng_float(&rng) - 5;
    for (size_t i = 0; i < rows; ++i) {
        said[i] = sooth_model_predict(model, x + i * model->head.features, scratch);
        actual[i] = (float)(sooth_rng_below(&rng, 3) == 0 || said[i] > said[0]);
    }
    CHECK_STATUS(sooth_probability_fit(&env, actual, said, NULL, rows, &options, &map), SOOTH_OK);
    if (how == WILD && method == SOOTH_PROBABILITY_ISOTONIC) {
        float *point = (float *)(void *)(map + 1);
        CHECK(map->points > 2);
        point[0] = -3.4e38f;
        point[map->points - 1] = 3.4e38f;
    } else if (how == WILD) {
        map->slope = 0.0f;
    }
    soothi_block_seal(&map->head);
    CHECK(sooth_probability_check(map, map->head.size));
    sooth_model_open(model, &parts);
    parts.probability = map;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &both), SOOTH_OK);
    sooth_probability_free(&env, map);
    sooth_model_free(&env, model);
    free(scratch);
    return both;
}

/* An average of members of every kind, with transforms; with a category the median of each. */
static sooth_model *average(uint32_t geometric) {
    enum { rows = 120, cols = 3, members = 8 };
    static const char *const texts[2][members] = {
        {"tree", "extratrees n_estimators=5", "boost n_estimators=20", "linear products=1 transform=clip",
         "svr", "mlp hidden_1=6 epochs=3", "gauss no_deviation=1 starts=1 max_iter=5", "sofnn max_rules=3"},
        {"median", "median of each category", "linear transform=log,none,log-target", "mean",
         "xgboost n_estimators=9 transform=log-target", "mlp hidden_1=6 epochs=3 transform=log-target",
         "svr transform=log-target", "gauss no_deviation=1 starts=1 max_iter=5 transform=log-target"}};
    static float x[rows * cols], y[rows];
    static const uint8_t categorical[cols] = {1, 0, 0};
    static soothi_best_work w;
    soothi_best_made made;
    sooth_train_recipe recipe;
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_levels *levels = NULL;
    for (size_t i = 0; i < rows; ++i) {
        x[cols * i] = 1.0f + (float)sooth_rng_below(&rng, 4);
        x[cols * i + 1] = 0.5f + 2.0f * sooth_rng_float(&rng);
        x[cols * i + 2] = 0.5f + 2.0f * sooth_rng_float(&rng);
        y[i] = 3.0f * x[cols * i] + x[cols * i + 1] / x[cols * i + 2] + sooth_rng_float(&rng);
    }
    memset(&w, 0, sizeof w);
    memset(&made, 0, sizeof made);
    memset(&recipe, 0, sizeof recipe);
    if (geometric) table.categorical = categorical;
    if (geometric)
        CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, NULL, NULL, x, &levels), SOOTH_OK);
    recipe.levels = levels;
    w.table = &table;
    w.recipe = &recipe;
    w.o.members = w.candidates = members;
    w.error = geometric ? SOOTH_BEST_MRE : SOOTH_BEST_RMSE;
    w.geometric = geometric;
    w.low = geometric ? 5.0f : 4.0f; /* inside of the targets, so that some members are bounded */
    w.high = 12.0f;
    for (size_t c = 0; c < members; ++c) {
        sooth_text_format(w.tried[c].text, sizeof w.tried[c].text, "%s", texts[geometric][c]);
        CHECK_STATUS(soothi_best_fit_member(&env, &w, c, c ? 0.1f : 0.3f, 0, &made), SOOTH_OK);
        if (made.count != c + 1) printf("  %s: %s\n", texts[geometric][c], env.sentence);
    }
    CHECK(made.count == members);
    sooth_best *best = soothi_best_assemble(&env, &w, &made, 0);
    best->verdict = SOOTH_BEST_AVERAGE;
    soothi_block_seal(&best->head);
    CHECK(sooth_best_check(best, best->head.size));
    const sooth_model_parts parts = {NULL, &best->head, NULL, NULL, NULL, NULL, levels, NULL, NULL};
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
    for (size_t c = 0; c < made.count; ++c) sooth_model_free(&env, made.model[c]);
    sooth_best_free(&env, best);
    sooth_levels_free(&env, levels);
    return model;
}

/* Every model that is exported here, by number; NULL past the last. margin: the same trees without their
   link, where there is one. */
static sooth_model *model_at(unsigned number, char *name, sooth_model **margin) {
    static const struct {
        const char *name;
        maker m;
    } made[] = {
        {"sum", {SOOTH_KIND_BOOST, 7, 1, 0, 0, 23, 30, ANY, 1}},
        {"sum_cover", {SOOTH_KIND_BOOST, 3, 1, SOOTH_ENSEMBLE_COVER, 0, 9, 12, ANY, 0}},
        {"stumps", {SOOTH_KIND_BOOST, 1, 1, 0, 0, 5, 2, ANY, 1}},
        {"constants", {SOOTH_KIND_BOOST, 2, 1, 0, 0, 3, 1, ANY, 0}},
        {"turns", {SOOTH_KIND_BOOST, 6, 3, 0, 0, 12, 9, ANY, 1}},
        {"many", {SOOTH_KIND_BOOST, 5, 3, SOOTH_ENSEMBLE_ROWS, 0, 6, 11, ANY, 1}},
        {"exact", {SOOTH_KIND_BOOST, 5, 1, SOOTH_ENSEMBLE_EXACT, 0, 25, 20, ANY, 0}},
        {"low", {SOOTH_KIND_BOOST, 5, 1, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 25, 20, ANY, 0}},
        {"low_turns", {SOOTH_KIND_BOOST, 5, 2, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 10, 20, ANY, 0}},
        {"poisson", {SOOTH_KIND_BOOST, 5, 1, 0, SOOTH_ENSEMBLE_LINK_EXP, 31, 16, ANY, 0}},
        {"poissons", {SOOTH_KIND_BOOST, 5, 2, SOOTH_ENSEMBLE_EXACT, SOOTH_ENSEMBLE_LINK_EXP, 30, 16, ANY, 0}},
        {"wild_exp", {SOOTH_KIND_BOOST, 4, 1, 0, SOOTH_ENSEMBLE_LINK_EXP, 9, 16, ANY, 1}},
        {"logistic", {SOOTH_KIND_BOOST, 5, 1, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 31, 16, ANY, 0}},
        {"wild_logistic", {SOOTH_KIND_BOOST, 5, 2, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 8, 16, ANY, 1}},
        {"mean", {SOOTH_KIND_FOREST, 6, 1, SOOTH_ENSEMBLE_MEAN, 0, 17, 60, ANY, 0}},
        {"mean_exact",
         {SOOTH_KIND_FOREST, 6, 1, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT, 0, 33, 60, ANY, 1}},
        {"mean_low",
         {SOOTH_KIND_FOREST, 6, 1, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 33, 60,
          ANY, 0}},
        {"mean_many",
         {SOOTH_KIND_FOREST, 6, 4, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_ROWS, 0, 9, 25,
          ANY, 0}},
        {"mean_turns", {SOOTH_KIND_FOREST, 6, 2, SOOTH_ENSEMBLE_MEAN, 0, 10, 25, ANY, 0}},
        {"wide", {SOOTH_KIND_BOOST, 70, 1, 0, 0, 3, 900, ANY, 1}}, /* links of 32 bits */
        {"left_chain", {SOOTH_KIND_BOOST, 3, 1, 0, 0, 2, 600, LEFT_CHAIN, 1}},
        {"right_chain", {SOOTH_KIND_BOOST, 3, 1, 0, 0, 2, 600, RIGHT_CHAIN, 1}},
        {"hundred", {SOOTH_KIND_BOOST, 10, 1, 0, 0, 100, 64, FULL, 0}},
        {"sets", {SOOTH_KIND_BOOST, 5, 1, 0, 0, 20, 12, ANY, 3}},
        {"sets_zeros",
         {SOOTH_KIND_BOOST, 4, 1, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_ZEROS, 0, 20, 12,
          ANY, 2}},
        {"sets_turns", {SOOTH_KIND_BOOST, 6, 2, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 8, 12, ANY, 2}},
        {"sets_mean_many",
         {SOOTH_KIND_FOREST, 6, 3, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_ROWS, 0, 9, 12, ANY, 2}}};
    const unsigned count = sizeof made / sizeof *made;
    static const uint32_t few[] = {3}, many[] = {5}, mixed[] = {9, 3, 4, 2}, themis[] = {12, 12, 2},
                          wide[] = {37, 1};
    sooth_boost_options boost;
    sooth_mlp_options mlp;
    sooth_svr_options svr;
    sooth_sofnn_options sofnn;
    sooth_gauss_options gauss;
    sooth_model *model;
    *margin = NULL;
    sooth_rng_init(&rng, 7, number);
    if (number < count) {
        maker m = made[number].m;
        sooth_ensemble *e = make(&m);
        strcpy(name, made[number].name);
        if (m.link) {
            sooth_rng_init(&rng, 7, number);
            m.link = 0;
            *margin = own(&make(&m)->head);
        }
        return own(&e->head);
    }
    memset(&boost, 0, sizeof boost);
    boost.n_estimators = 12;
    boost.max_depth = 3;
    memset(&mlp, 0, sizeof mlp);
    mlp.hidden_1 = 6;
    mlp.hidden_2 = 5;
    mlp.activation = SOOTH_MLP_TANH;
    mlp.epochs = 5;
    memset(&svr, 0, sizeof svr);
    svr.epsilon = 0.5;
    memset(&sofnn, 0, sizeof sofnn);
    sofnn.max_rules = 4;
    switch (number - count) {
    case 0: strcpy(name, "tree"); return own(&fit_tree(1, 0, 0)->head);
    case 1: strcpy(name, "tree_targets"); return own(&fit_tree(3, 5, 0)->head);
    case 2: strcpy(name, "tree_plain"); return own(&fit_tree(2, 4, 1)->head);
    case 3:
        strcpy(name, "linear");
        return fit_model("linear", NULL, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE, 0, 1);
    case 4:
        strcpy(name, "linear_log");
        return fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG_STANDARD, 0, 2);
    case 5:
        strcpy(name, "linear_clip");
        return fit_model("linear", NULL, SOOTH_SCALE_LOG1P_MINMAX, SOOTH_SCALE_LOG1P, 1, 1);
    case 6:
        strcpy(name, "boost_mixed");
        return fit_model("boost", &boost, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG1P_STANDARD, 0, 1);
    case 7:
        strcpy(name, "tree_scaled");
        return fit_model("tree", NULL, SOOTH_SCALE_ROBUST, SOOTH_SCALE_MINMAX, 0, 2);
    case 8: strcpy(name, "network_few"); return own(&network(7, 1, few, SOOTH_MLP_LINEAR, 0)->head);
    case 9: strcpy(name, "network_many"); return own(&network(20, 1, many, SOOTH_MLP_TANH, 1)->head);
    case 10: strcpy(name, "network_mixed"); return own(&network(6, 4, mixed, SOOTH_MLP_RELU, 0)->head);
    case 11: strcpy(name, "network_other"); return own(&network(6, 4, mixed, SOOTH_MLP_TANH, 1)->head);
    case 12:
        strcpy(name, "network_themis");
        return own(&network(12, 3, themis, SOOTH_MLP_LEAKY_RELU, 0)->head);
    case 13: strcpy(name, "network_wide"); return own(&network(70, 2, wide, SOOTH_MLP_LINEAR, 0)->head);
    case 14: strcpy(name, "network_8"); return integers(network(6, 4, mixed, SOOTH_MLP_RELU, 0), 8);
    case 15: strcpy(name, "network_16"); return integers(network(6, 4, mixed, SOOTH_MLP_TANH, 1), 16);
    case 16:
        strcpy(name, "mlp");
        return fit_model("mlp", &mlp, SOOTH_SCALE_STANDARD, SOOTH_SCALE_STANDARD, 0, 2);
    case 17:
        strcpy(name, "mlp_mixed");
        return fit_model("mlp", &mlp, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG_STANDARD, 1, 1);
    case 18:
        strcpy(name, "mlp_8");
        return smaller(fit_model("mlp", &mlp, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG_STANDARD, 0, 2), 8);
    case 19:
        strcpy(name, "mlp_16");
        return smaller(fit_model("mlp", &mlp, SOOTH_SCALE_MINMAX, SOOTH_SCALE_LOG1P, 0, 1), 16);
    case 20: strcpy(name, "vectors"); return own(&vectors(SOOTH_SVR_RBF, 0, 0, 0)->head);
    case 21: strcpy(name, "vectors_line"); return own(&vectors(SOOTH_SVR_LINEAR, 0, 0, 0)->head);
    case 22: strcpy(name, "vectors_power"); return own(&vectors(SOOTH_SVR_POLYNOMIAL, 2, 16, 0)->head);
    case 23: strcpy(name, "vectors_tanh"); return own(&vectors(SOOTH_SVR_SIGMOID, 0, 21, 0)->head);
    case 24: strcpy(name, "vectors_none"); return own(&vectors(SOOTH_SVR_RBF, 0, 0, 1)->head);
    case 25:
        strcpy(name, "vectors_wild");
        return own(&file_of_vectors("kernel_type polynomial\ndegree 7\ngamma 1e3\ncoef0 -3e4")->head);
    case 26:
        strcpy(name, "vectors_zero");
        return own(&file_of_vectors("kernel_type polynomial\ndegree 0\ngamma 1\ncoef0 1")->head);
    case 27:
        strcpy(name, "vectors_rising");
        return own(&file_of_vectors("kernel_type rbf\ngamma -0.5")->head);
    case 28:
        strcpy(name, "svr");
        return fit_model("svr", &svr, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG_STANDARD, 1, 1);
    case 29: strcpy(name, "rules"); return own(&rules(7, 1, 0)->head);
    case 30: strcpy(name, "rules_wide"); return own(&rules(70, 2, 0)->head);
    case 31: strcpy(name, "rules_zero"); return own(&rules(5, 3, 1)->head);
    case 32:
        strcpy(name, "sofnn");
        return fit_model("sofnn", &sofnn, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG1P_STANDARD, 0, 2);
    case 33: /* each kernel of a Gaussian process, of all rows and of few */
    case 34:
    case 35:
    case 36:
        memset(&gauss, 0, sizeof gauss);
        gauss.kernel = number - count - 33;
        gauss.starts = 1;
        gauss.max_iter = 5;
        if (gauss.kernel % 2) gauss.max_points = gauss.inducing = 9;
        sprintf(name, "gauss_%u", (unsigned)gauss.kernel);
        return fit_model("gauss", &gauss, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG1P_STANDARD, 0, 1);
    case 37: strcpy(name, "tree_planes"); return own(planes(1, 0));
    case 38: strcpy(name, "forest_planes"); return own(planes(0, 0));
    case 39: strcpy(name, "boost_planes"); return own(planes(0, 1));
    case 40: strcpy(name, "planes_lightgbm"); return own(&planes_exact()->head);
    case 41:
        strcpy(name, "adapt_log_4");
        return adapting(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG_STANDARD, 0, 1),
                        SOOTH_ADAPT_LOG, 4, LEARNED);
    case 42:
        strcpy(name, "adapt_log_16");
        return adapting(fit_model("boost", &boost, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG1P_STANDARD, 0, 1),
                        SOOTH_ADAPT_LOG, 16, LEARNED);
    case 43:
        strcpy(name, "adapt_difference_4");
        return adapting(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1),
                        SOOTH_ADAPT_DIFFERENCE, 4, LEARNED);
    case 44:
        strcpy(name, "adapt_difference_16");
        return adapting(fit_model("boost", &boost, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_NONE, 0, 1),
                        SOOTH_ADAPT_DIFFERENCE, 16, LEARNED);
    case 45:
        strcpy(name, "adapt_wild");
        return adapting(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1),
                        SOOTH_ADAPT_DIFFERENCE, 8, WILD);
    case 46:
        strcpy(name, "adapt_narrow");
        return adapting(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1),
                        SOOTH_ADAPT_DIFFERENCE, 8, NARROW);
    case 47:
        strcpy(name, "adapt_flat");
        return adapting(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG_STANDARD, 0, 1),
                        SOOTH_ADAPT_LOG, 8, FLAT);
    case 48:
    case 49:
    case 50:
    case 51:
        sprintf(name, "says_%u", (unsigned)(number - count - 48));
        return saying(fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1), number % 2,
                      SOOTH_PROBABILITY_PLAIN, number - count < 50 ? LEARNED : WILD);
    case 52:
    case 53: {
        const maker logistic = {SOOTH_KIND_BOOST, 5, 1, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 31, 16, ANY, 0};
        sprintf(name, "says_odds_%u", (unsigned)(number - count - 52));
        return saying(own(&make(&logistic)->head), number % 2, SOOTH_PROBABILITY_ODDS, LEARNED);
    }
    case 54: strcpy(name, "tree_sets"); return own(tree_of_sets(1, 0));
    case 55: strcpy(name, "tree_sets_targets"); return own(tree_of_sets(3, 0));
    case 56: strcpy(name, "tree_sets_planes"); return own(tree_of_sets(1, 1));
    case 57: strcpy(name, "linear_products"); return own(&products(1)->head);
    case 58: strcpy(name, "linear_products_2"); return own(&products(2)->head);
    case 59: strcpy(name, "best"); return average(0);
    case 60: strcpy(name, "best_geometric"); return average(1);
    case 61:
    case 62:
    case 63: /* rates of 1, so that some rows cross */
        sprintf(name, "boost_quantiles_%u", (unsigned)(number - count - 61));
        memcpy(boost.quantiles, (const double[4]){0.2, 0.5, 0.6, 0.99}, 4 * sizeof(double));
        boost.learning_rate = 1.0;
        boost.linear_leaves = number - count == 62;
        return fit_model("boost", &boost, number - count == 63 ? SOOTH_SCALE_TRANSFORMS : SOOTH_SCALE_NONE,
                         number - count == 63 ? SOOTH_SCALE_LOG_STANDARD : SOOTH_SCALE_NONE, 0, 1);
    case 64 + SOOTH_SCALING_LAWS + 3:
    case 64 + SOOTH_SCALING_LAWS + 4:
        sprintf(name, "ratio_%u", (unsigned)(number - count - 64 - SOOTH_SCALING_LAWS - 3));
        strcpy(ratio_to, "0.3*clock+2.5*line\nbreak\\+0.1");
        boost.linear_leaves = 0;
        model = number - count == 64 + SOOTH_SCALING_LAWS + 3
                    ? fit_model("boost", &boost, SOOTH_SCALE_TRANSFORMS, SOOTH_SCALE_LOG, 0, 1)
                    : fit_model("linear", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG, 0, 2);
        *ratio_to = 0;
        return model;
    default: return number - count - 64 < SOOTH_SCALING_LAWS + 3u ? law(number - count - 64, name) : NULL;
    }
}

/* ---- the files for export.sh ---- */

enum { ROWS = 10000 };

/* A value next to something that the model asks about, where it can be found. */
static float near_threshold(const soothi_export_trees *trees, const sooth_model_parts *parts,
                            uint32_t *feature) {
    uint32_t tries;
    for (tries = 0; trees->node && tries < 20; ++tries) {
        const sooth_tree_node *node = trees->node + sooth_rng_below(&rng, trees->nodes);
        float v;
        if (!(node->link & 1u)) continue;
        *feature = soothi_export_feature(trees, node);
        v = node->u.threshold;
        if (isnan(v)) v = (float)sooth_rng_below(&rng, 66); /* a category */
        if (parts->input) v = sooth_scale_invert_one(parts->input, *feature, v);
        switch (sooth_rng_below(&rng, 3)) {
        case 0: return v;
        case 1: return nextafterf(v, INFINITY);
        default: return nextafterf(v, -INFINITY);
        }
    }
    return 4 * sooth_rng_float(&rng) - 2;
}

static void fill_rows(const sooth_model *model, float *x, int finite) {
    soothi_export_trees trees;
    sooth_model_parts parts;
    size_t i;
    uint32_t j, n;
    sooth_model_open(model, &parts);
    soothi_export_open(parts.predictor, &trees);
    for (i = 0; i < ROWS; ++i) {
        float *row = x + i * model->head.features;
        for (j = 0; j < model->head.features; ++j) {
            const uint32_t pick = sooth_rng_below(&rng, i % 2 ? 40 : 9);
            row[j] = pick == 0 && (trees.node || i % 16 == 0) ? NAN
                     : pick == 1                              ? random_bits()
                     : pick == 2 && !finite ? (sooth_rng_next(&rng) & 1u ? INFINITY : -INFINITY)
                     : parts.input          ? 40 * sooth_rng_float(&rng) - 10
                                            : 4 * sooth_rng_float(&rng) - 2;
        }
        for (n = 0; n < model->head.features; ++n) {
            float v;
            j = 0;
            v = near_threshold(&trees, &parts, &j);
            if (trees.node && !(finite && isinf(v))) row[j] = v;
        }
    }
}

static void write_rows(const char *folder, const char *name, const char *extension, const sooth_model *model,
                       uint32_t exact, int finite) {
    const uint32_t shape[4] = {ROWS, model->head.features, model->head.targets, exact};
    float *x = (float *)malloc(ROWS * (size_t)model->head.features * sizeof *x),
          *out = (float *)malloc(ROWS * (size_t)model->head.targets * sizeof *out);
    void *scratch = malloc(sooth_model_scratch_size(model, 1) + 1);
    char path[512];
    FILE *file;
    fill_rows(model, x, finite);
    sooth_model_predict_many(model, x, ROWS, model->head.features, out, scratch, 1);
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
    file = fopen(path, "wb");
    CHECK(file && fwrite(shape, sizeof shape, 1, file) == 1);
    CHECK(file && fwrite(x, model->head.features * sizeof *x, ROWS, file) == ROWS);
    CHECK(file && fwrite(out, model->head.targets * sizeof *out, ROWS, file) == ROWS);
    if (file) fclose(file);
    free(x);
    free(out);
    free(scratch);
}

enum { STEPS = 3000, STEP_ROWS = 24, STEP_BEGIN = 0, STEP_OBSERVE, STEP_ADAPTED };

/* What becomes of programs, one after the other: each is measured some 40 times at rows that recur, with
   spikes, wrong numbers and, at times, missing or infinite features. All kinds of answers must come. */
static void write_steps(const char *folder, const char *name, const sooth_model *model) {
    const uint32_t shape[2] = {STEPS, model->head.features};
    const uint32_t features = model->head.features;
    float row[STEP_ROWS][8], record[5];
    void *scratch;
    sooth_adapt_program *program;
    sooth_model_parts parts;
    sooth_adapted answer;
    uint32_t met[3] = {0, 0, 0}, most = 0, floors = 0;
    char path[512];
    FILE *file;
    sooth_model_open(model, &parts);
    if (!parts.adapt) return;
    scratch = malloc(sooth_model_scratch_size(model, 1) + 1);
    const size_t program_size = sooth_adapt_program_size(parts.adapt);
    program = sooth_adapt_begin(parts.adapt, malloc(program_size), program_size);
    snprintf(path, sizeof path, "%s/%s.steps", folder, name);
    file = fopen(path, "wb");
    CHECK(file && features <= 8 && fwrite(shape, sizeof shape, 1, file) == 1);
    for (uint32_t i = 0; file && i < STEPS; ++i) {
        const uint32_t at = sooth_rng_below(&rng, i % 3 ? 6 : STEP_ROWS), kind = i % 100;
        memset(record, 0, sizeof record);
        if (kind == 0) { /* a program that is new */
            for (uint32_t k = 0; k < STEP_ROWS; ++k)
                for (uint32_t j = 0; j < features; ++j)
                    row[k][j] = j == 2 ? 0.01f + sooth_rng_float(&rng) : 44 * sooth_rng_float(&rng) - 12;
            row[STEP_ROWS - 1][1] = NAN;
            row[STEP_ROWS - 2][3] = i % 200 ? INFINITY : -INFINITY;
            row[STEP_ROWS - 3][0] = random_bits();
            row[5][features - 1] = NAN;
            memcpy(row[4], row[3], sizeof *row); /* but for what adaptation does not look at */
            row[4][features - 1] += 7;
            sooth_adapt_forget(parts.adapt, program);
            record[0] = STEP_BEGIN;
        } else if (kind % 5 < 2 || kind > 90) {
            const float here = sooth_model_predict(model, row[at], scratch);
            float scale = 0.4f + 0.1f * (float)(i / 100 % 20) + 0.05f * sooth_rng_float(&rng);
            if (kind % 11 == 5) scale *= 20; /* a spike */
            record[0] = STEP_OBSERVE;
            record[1] = kind % 29 == 7              ? (i % 2 ? NAN : INFINITY)
                        : kind == 42 || isnan(here) ? (i % 2 ? -5.0f : 5.0f)
                                                    : scale * here;
            const sooth_adapt_outcome what = sooth_model_observe(model, program, row[at], record[1], scratch);
            record[2] = (float)what;
            record[3] = (float)(100 * program->points + program->doubted);
            record[4] = (float)(100 * program->observed + program->refused);
            ++met[what];
        } else {
            record[0] = STEP_ADAPTED;
            sooth_model_adapted(model, program, row[at], scratch, &answer);
            record[2] = answer.value;
            record[3] = answer.low;
            record[4] = answer.high;
            floors += answer.low <= 0.0f;
        }
        if (program->points > most) most = program->points;
        CHECK(fwrite(record, sizeof record, 1, file) == 1);
        CHECK(fwrite(row[at], sizeof **row, features, file) == features);
    }
    CHECK(met[SOOTH_ADAPT_REFUSED] > 20 && met[SOOTH_ADAPT_TAKEN] > 200 && met[SOOTH_ADAPT_DOUBTED] > 20);
    CHECK(most == parts.adapt->capacity);
    CHECK(parts.adapt->log || floors > 0);
    if (file) fclose(file);
    free(program);
    free(scratch);
}

static void write_one(const char *folder, FILE *models, const char *name, const sooth_model *model,
                      const sooth_model *margin) {
    static const char suffix[2] = {'t', 'b'};
    sooth_model_parts parts;
    soothi_export_trees trees;
    sooth_export_xgboost_options xgboost;
    uint32_t form;
    char path[512], prefix[64];
    FILE *file;
    sooth_sink sink;
    sooth_model_open(model, &parts);
    soothi_export_open(parts.predictor, &trees);
    for (form = 0; form < (trees.node ? 2u : 1u); ++form) {
        sooth_export_c_options options;
        memset(&options, 0, sizeof options);
        snprintf(prefix, sizeof prefix, "%s_%c", name, suffix[form]);
        options.name = prefix;
        options.form = form;
        snprintf(path, sizeof path, "%s/%s.c", folder, prefix);
        file = fopen(path, "w");
        CHECK(file != NULL);
        if (!file) return;
        sink = sink_of(to_file, file);
        CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
        fclose(file);
        fprintf(models, "%s %s %u %u\n", prefix, name, model->head.features, model->head.targets);
    }
    write_rows(folder, name, "rows", model, 1, 0);
    write_steps(folder, name, model);
    if (!trees.node || parts.input || parts.levels || parts.probability || trees.at || trees.sets.first ||
        trees.flags & SOOTH_ENSEMBLE_QUANTILES)
        return;
    memset(&xgboost, 0, sizeof xgboost);
    xgboost.approximate = 1;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    sink = sink_of(to_file, file);
    CHECK_STATUS(sooth_export_xgboost(&env, model, &xgboost, &sink), SOOTH_OK);
    fclose(file);
    write_rows(folder, name, "margins", margin ? margin : model,
               !(trees.flags & (SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT)), 1);
}

/* A model of two columns of levels, whose names come from files of anybody, and one of numbers. */
static sooth_model *fit_levels(const char *name) {
    enum { rows = 150 };
    static const char *const texts[] = {"ann",
                                        "*/",
                                        "line\nbreak\\",
                                        "\xE2\x80\xAE\xFF?\?/",
                                        "",
                                        "f,\"g\", %u@$",
                                        "Stra\xC3\x9F"
                                        "e 1\t"};
    static const char *const *const text[] = {texts, NULL, NULL};
    static const uint8_t categorical[] = {1, 0, 1};
    static float x[3 * rows], y[rows];
    const sooth_table table = sooth_table_of(x, y, rows, 3);
    sooth_train_recipe recipe;
    sooth_levels *levels = NULL;
    sooth_model *model = NULL;
    for (size_t i = 0; i < rows; ++i) {
        x[3 * i] = (float)sooth_rng_below(&rng, 7);
        x[3 * i + 1] = 2 * sooth_rng_float(&rng);
        x[3 * i + 2] = 0.5f * (float)sooth_rng_below(&rng, 4);
        y[i] = 3 * x[3 * i] + x[3 * i + 1] + sooth_rng_float(&rng);
    }
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, x, &levels), SOOTH_OK);
    memset(&recipe, 0, sizeof recipe);
    recipe.model = name;
    recipe.encode = SOOTH_TRAIN_ENCODE_TARGET;
    recipe.levels = levels;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_levels_free(&env, levels);
    return model;
}

/* name.names has the levels of every category, by code, each with the zero byte at its end. */
static void write_names(const char *folder, const char *name, const sooth_model *model) {
    char path[512];
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    snprintf(path, sizeof path, "%s/%s.names", folder, name);
    FILE *file = fopen(path, "wb");
    for (uint32_t j = 0; file && j < 3; ++j)
        for (uint32_t k = 0; k < sooth_levels_columns(parts.levels)[j].count; ++k) {
            const char *level = sooth_levels_name(parts.levels, j, (float)k);
            fwrite(level, 1, strlen(level) + 1, file);
        }
    if (file) fclose(file);
}

/* `models` lists the files: name of the file, of the model, its features and targets. only: what names of
   models begin with; NULL: all. */
static void write_all(const char *folder, const char *only) {
    char name[64], path[512];
    sooth_model *model, *margin;
    unsigned number;
    FILE *file;
    snprintf(path, sizeof path, "%s/models", folder);
    file = fopen(path, "w");
    for (number = 0; file && (model = model_at(number, name, &margin)) != NULL; ++number) {
        if (!only || strncmp(name, only, strlen(only)) == 0) write_one(folder, file, name, model, margin);
        sooth_model_free(&env, model);
        sooth_model_free(&env, margin);
    }
    for (number = 0; file && number < 3; ++number) {
        static const char *const kinds[] = {"linear", "boost", "mlp"};
        snprintf(name, sizeof name, "levels_%s", kinds[number]);
        model = fit_levels(kinds[number]);
        write_names(folder, name, model);
        if (!only || strncmp(name, only, strlen(only)) == 0) write_one(folder, file, name, model, NULL);
        sooth_model_free(&env, model);
    }
    if (file) fclose(file);
}

/* ---- tests ---- */

static int has(const text *t, const char *words) { return strstr(t->at, words) != NULL; }

/* Nor has what is added up as floats. */
static void xgboost_has_no_planes(void) {
    const sooth_export_c_options plain = {.sum = SOOTH_EXPORT_PLAIN};
    sooth_model *model = own(planes(0, 1));
    static text t;
    sooth_sink sink = sink_of(to_text, &t);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_BAD_ARGUMENT, "linear_leaves");
    CHECK_FAILS(&env, sooth_export_c(&env, model, &plain, &sink), SOOTH_BAD_ARGUMENT,
                "linear leaves are not sums of numbers");
    CHECK(t.at == NULL);
    sooth_model_free(&env, model);
}

/* Sorted quantiles are no sums of leaves. */
static void xgboost_sorts_no_quantiles(void) {
    const sooth_boost_options o = {.n_estimators = 3, .quantiles = {0.1, 0.9}};
    sooth_model *model = fit_model("boost", &o, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE, 0, 1);
    static text t;
    sooth_sink sink = sink_of(to_text, &t);
    CHECK(model->head.targets == 2);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "the model sorts several quantiles, which XGBoost files cannot represent");
    CHECK(t.at == NULL);
    sooth_model_free(&env, model);
}

/* Nor is a sum of columns among what its files hold. */
static void xgboost_multiplies_by_no_sum(void) {
    const sooth_boost_options o = {.n_estimators = 3};
    static text t;
    sooth_sink sink = sink_of(to_text, &t);
    strcpy(ratio_to, "0.3*clock+0.1");
    sooth_model *model = fit_model("boost", &o, SOOTH_SCALE_NONE, SOOTH_SCALE_LOG, 0, 1);
    *ratio_to = 0;
    CHECK_FAILS(&env, sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "the model multiplies by a sum of columns (ratio_to)");
    CHECK(t.at == NULL);
    sooth_model_free(&env, model);
}

static void tree_reads_like_one(void) {
    soothi_ensemble_node node[5];
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    sooth_export_c_options options;
    text t;
    memset(node, 0, sizeof node);
    node[0].left = 1, node[0].right = 2, node[0].threshold = 2.5f, node[0].feature = 1;
    node[2].left = 3, node[2].right = 4, node[2].threshold = INFINITY, node[2].missing_right = 1;
    node[1].value = 10, node[3].value = -1e-7, node[4].value = 3.4028234663852886e38;
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = 2;
    shape.targets = 1;
    soothi_ensemble_begin(&builder, &env, &shape);
    soothi_ensemble_add_plain_tree(&builder, node, 5, NULL);
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    memset(&options, 0, sizeof options);
    options.form = SOOTH_EXPORT_BRANCHES;
    options.no_selftest = 1;
    t = export_c(sooth_model_from_block(&e->head), &options);
    CHECK(has(&t, "    if (!(x[1] > 2.5f)) return 10.0f;\n    if (x[0] <= MODEL_INFINITY) return -1e-7f;\n   "
                  " return 3.4028235e38f;\n}\n"));
    CHECK(has(&t, "    out[0] += model_tree0(x);\n"));
    CHECK(has(&t, "#define MODEL_FEATURES 2\n") && has(&t, "float model_predict(const float *row);\n"));
    CHECK(has(&t, "A regression tree, written") && !has(&t, "1 boosted") &&
          has(&t, "at most 2 comparisons; the arrays take 0 bytes (5 nodes)"));
    CHECK(!has(&t, "selftest"));
    free(t.at);
    options.form = SOOTH_EXPORT_TABLE;
    options.name = "W4";
    t = export_c(sooth_model_from_block(&e->head), &options);
    CHECK(has(&t, "static const uint16_t W4_link[5]") && has(&t, "static const float W4_threshold[5]"));
    CHECK(has(&t, "at most 2 comparisons; the arrays take 32 bytes (5 nodes)"));
    free(t.at);
    sooth_ensemble_free(&env, e);
}

/* Names come from files of anybody. */
static void comments_stay_comments(void) {
    sooth_model *model = fit_model("tree", NULL, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE, 0, 1);
    text t = export_c(model, NULL);
    const char *at;
    unsigned opened = 0, closed = 0;
    CHECK(has(&t, "[0] clock [MHz], ") && has(&t, "in training"));
    CHECK(has(&t, "end *_ of /_ comment"));
    CHECK(has(&t, "line_break_"));
    CHECK(has(&t, "d\xC3\xA9 ____/"));
    for (at = t.at; *at; ++at) {
        if (at[0] == '/' && at[1] == '*') ++opened;
        if (at[0] == '*' && at[1] == '/') ++closed;
    }
    CHECK(opened == closed && opened > 2);
    CHECK(!has(&t, "\\\n"));
    free(t.at);
    sooth_model_free(&env, model);
}

/* A level stands by its statistic in C, too; other forms refuse. */
static void levels_are_looked_up(void) {
    sooth_model *linear = fit_levels("linear"), *tree = fit_levels("tree");
    static text none;
    sooth_sink sink = sink_of(to_text, &none);
    text t = export_c(linear, NULL);
    CHECK(has(&t, "    z[0] = model_level(row[0], 0, 7);\n    z[1] = row[1];\n"));
    CHECK(has(&t, "    z[2] = model_level(row[2], 7, 4);\n    model_run(z, out);\n"));
    CHECK(has(&t, "static const float model_statistic[11] MODEL_FLASH") && !has(&t, "*/,"));
    CHECK(has(&t, "the arrays take 68 bytes"));
    free(t.at);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, tree, NULL, &sink), SOOTH_BAD_ARGUMENT, "statistics");
    sooth_model_free(&env, tree);
    sooth_model_free(&env, linear);
}

static void wrong_options_are_sentences(void) {
    sooth_tree *tree = fit_tree(1, 3, 0);
    sooth_scale_options scale_options;
    sooth_export_c_options options;
    sooth_table table;
    sooth_scale *scale;
    sooth_model *linear;
    float x[5] = {1, 2, 3, 4, 5};
    text t;
    sooth_sink sink = sink_of(to_text, &t);
    static const char *const names[] = {"",
                                        "1st",
                                        "_model",
                                        "a b",
                                        "a-b",
                                        "\xC3\xA9",
                                        "a123456789012345678901234567890123456789012345678901234567890123"};
    size_t i;
    memset(&t, 0, sizeof t);
    memset(&options, 0, sizeof options);
    for (i = 0; i < sizeof names / sizeof *names; ++i) {
        options.name = names[i];
        CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink),
                    SOOTH_BAD_ARGUMENT, "must be a letter and then at most 62");
    }
    options.name = NULL;
    options.form = 2;
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "form is 2, but must be 0 (table) or 1 (branches)");
    options.form = 0;
    options.no_selftest = 2;
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "no_selftest is 2");
    options.no_selftest = 0;
    sooth_table_init(&table, x, 1, 4);
    options.test = &table;
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "columns, but the model has");
    sooth_table_init(&table, x, 10001, 5);
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "rows, but must have 1 to 10,000");
    sooth_table_init(&table, x, 0, 5);
    CHECK_STATUS(sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink), SOOTH_BAD_DATA);
    sooth_table_init(&table, x, 1, 5);
    x[1] = INFINITY;
    CHECK_STATUS(sooth_export_c(&env, sooth_model_from_block(&tree->head), &options, &sink), SOOTH_BAD_DATA);
    x[1] = NAN;
    linear = fit_model("linear", NULL, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE, 0, 1);
    CHECK_FAILS(&env, sooth_export_c(&env, linear, &options, &sink), SOOTH_BAD_ARGUMENT,
                "row 1 of the self-test has no prediction: target 1 is NaN");
    CHECK_FAILS(&env, sooth_export_xgboost(&env, linear, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "cannot be exported to XGBoost, only trees, forests and");
    sooth_model_free(&env, linear);
    linear = fit_model("tree", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG, 0, 1);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, linear, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "the model transforms its features");
    sooth_model_free(&env, linear);
    memset(&scale_options, 0, sizeof scale_options);
    x[1] = 0;
    CHECK_STATUS(sooth_scale_fit(&env, &table, &scale_options, &scale), SOOTH_OK);
    options.test = NULL;
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&scale->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "cannot be exported as C");
    sooth_scale_free(&env, scale);
    CHECK(t.size == 0);
    free(t.at);
    sooth_tree_free(&env, tree);
}

static void callers_rows_are_the_test(void) {
    sooth_tree *tree = fit_tree(1, 3, 0);
    const float x[12] = {0.125f, -0.5f, 0.25f, 1, 1, 99, NAN, 7.0625f, 1, 1, 1, 98};
    sooth_export_c_options options;
    sooth_table table;
    text t;
    sooth_table_init(&table, x, 2, 5);
    table.stride = 6;
    memset(&options, 0, sizeof options);
    options.test = &table;
    t = export_c(sooth_model_from_block(&tree->head), &options);
    CHECK(has(&t, "0.125f, -0.5f, 0.25f, 1.0f, 1.0f}") &&
          has(&t, "MODEL_MISSING, 7.0625f, 1.0f, 1.0f, 1.0f}"));
    CHECK(has(&t, "i < 2;") && !has(&t, "99.0f") && !has(&t, "98.0f"));
    free(t.at);
    sooth_tree_free(&env, tree);
}

/* The struct holds what a program's memory does but for the base of each point, and stands where a model
   adapts only. */
static void adaptation_is_in_the_file(void) {
    sooth_model *plain = fit_model("linear", NULL, SOOTH_SCALE_NONE, SOOTH_SCALE_LOG_STANDARD, 0, 1), *model;
    sooth_model_parts parts;
    char words[80];
    text t = export_c(plain, NULL);
    CHECK(!has(&t, "model_program") && !has(&t, "LAUNCHES"));
    free(t.at);
    model = adapting(plain, SOOTH_ADAPT_LOG, 6, FLAT);
    sooth_model_open(model, &parts);
    snprintf(words, sizeof words, "one program: %u bytes",
             (unsigned)(sooth_adapt_program_size(parts.adapt) - 6 * sizeof(float)));
    t = export_c(model, NULL);
    CHECK(has(&t, words) && has(&t, "#define MODEL_LAUNCHES 6 ") && has(&t, "    (void)row;\n"));
    CHECK(has(&t, "void model_begin(model_program *program);\n"));
    CHECK(has(&t, "*value = 0.0f; /* it was never below 0 in training */"));
    free(t.at);
    sooth_model_free(&env, model);
    plain = fit_model("linear", NULL, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE, 0, 1);
    model = adapting(plain, SOOTH_ADAPT_DIFFERENCE, 6, LEARNED);
    t = export_c(model, NULL);
    CHECK(has(&t, "static float model_scaled(float v) { return v / ") && has(&t, "(model_log1p(row[0])"));
    CHECK(has(&t, "    z[4] = 0.0f;\n") && !has(&t, "(void)row;") && !has(&t, "model_log("));
    CHECK(has(&t, "never below 0"));
    free(t.at);
    sooth_model_open(model, &parts);
    parts.card = NULL; /* without which nobody knows what was below 0 */
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &plain), SOOTH_OK);
    t = export_c(plain, NULL);
    CHECK(has(&t, "model_program") && !has(&t, "never below 0"));
    free(t.at);
    sooth_model_free(&env, plain);
    sooth_model_free(&env, model);
}

/* NAME_predict says the probability; where the model alone is asked for, it is refused with a sentence. */
static void probabilities_are_in_the_file(void) {
    const maker m = {SOOTH_KIND_BOOST, 5, 1, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 31, 16, ANY, 0};
    for (uint32_t method = 0; method < SOOTH_PROBABILITY_METHODS; ++method) {
        sooth_model *model = saying(own(&make(&m)->head), method, SOOTH_PROBABILITY_ODDS, LEARNED),
                    *small = NULL;
        sooth_core_cost cost;
        sooth_integers *whole = NULL;
        float least, most;
        text t = export_c(model, NULL);
        sooth_sink sink = sink_of(to_text, &t);
        CHECK(has(&t, "out[0] = model_probability(out[0]);") && has(&t, "It says the probability of a 1."));
        CHECK(has(&t, "model_map_score") == (method == SOOTH_PROBABILITY_ISOTONIC));
        CHECK(has(&t, "model_clip(v, 5.9604645e-8f, 0.99999994f)") == (method == SOOTH_PROBABILITY_SIGMOID));
        CHECK_FAILS(&env, sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_BAD_ARGUMENT,
                    "the model maps its sum to a probability, which XGBoost");
        CHECK_FAILS(&env, sooth_integers_convert(&env, model, NULL, &whole), SOOTH_BAD_ARGUMENT,
                    "the model predicts a probability, which cannot be converted");
        CHECK_FAILS(&env, sooth_core_estimate(&env, model, 0, 0, &cost), SOOTH_BAD_ARGUMENT,
                    "the cost of a probability was not measured");
        CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
        CHECK(least == 0.0f && most == 1.0f);
        free(t.at);
        sooth_model_free(&env, model);
        sooth_mlp_options mlp = {.hidden_1 = 4, .epochs = 2};
        model = saying(fit_model("mlp", &mlp, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1), method,
                       SOOTH_PROBABILITY_PLAIN, LEARNED);
        CHECK_FAILS(&env, sooth_export_quantise(&env, model, 8, NULL, &small), SOOTH_BAD_ARGUMENT,
                    "the model predicts a probability, whose error cannot be");
        sooth_model_free(&env, model);
    }
}

static void full_disk_is_a_status(void) {
    const maker m = {SOOTH_KIND_BOOST, 4, 1, 0, 0, 5, 9, ANY, 1};
    sooth_ensemble *e = make(&m);
    sooth_export_c_options options;
    text t;
    sooth_sink sink;
    memset(&options, 0, sizeof options);
    memset(&t, 0, sizeof t);
    for (t.most = 1; t.most < 4000; t.most += 97) {
        for (options.form = 0; options.form < 2; ++options.form) {
            t.size = 0;
            sink = sink_of(to_text, &t);
            CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&e->head), &options, &sink),
                        SOOTH_CANCELLED, "the export was cut short: writing failed");
        }
        t.size = 0;
        sink = sink_of(to_text, &t);
        CHECK_FAILS(&env, sooth_export_xgboost(&env, sooth_model_from_block(&e->head), NULL, &sink),
                    SOOTH_CANCELLED, "the export was cut short: writing failed");
    }
    free(t.at);
    sooth_ensemble_free(&env, e);
}

static sooth_status export_twice(sooth_env *with, const sooth_model *model) {
    sooth_export_c_options options;
    sooth_sink sink;
    sooth_status status;
    text t;
    memset(&t, 0, sizeof t);
    sink = sink_of(to_text, &t);
    memset(&options, 0, sizeof options);
    options.form = SOOTH_EXPORT_BRANCHES;
    status = sooth_export_c(with, model, &options, &sink);
    free(t.at);
    return status;
}

static void every_allocation_may_fail(void) {
    const maker m = {SOOTH_KIND_BOOST, 4, 2, 0, 0, 6, 9, ANY, 1};
    sooth_ensemble *e = make(&m);
    sooth_env failing;
    sooth_env_init(&failing);
    CHECK_EVERY_ALLOCATION(&failing, export_twice(&failing, sooth_model_from_block(&e->head)), (void)0);
    sooth_ensemble_free(&env, e);
}

/* A mean is not a sum of floats. */
static void means_need_leave_for_xgboost(void) {
    const maker m = {SOOTH_KIND_FOREST, 4, 1, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT, 0, 4, 2, ANY, 0};
    sooth_ensemble *e = make(&m);
    static const char *const names[] = {"a \"quoted\"", "b", "", "d"};
    sooth_export_xgboost_options options;
    sooth_sink sink;
    text t;
    memset(&t, 0, sizeof t);
    memset(&options, 0, sizeof options);
    sink = sink_of(to_text, &t);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, sooth_model_from_block(&e->head), NULL, &sink),
                SOOTH_BAD_ARGUMENT, "the model is a mean of trees, but XGBoost only sums them;");
    CHECK_FAILS(&env, sooth_export_xgboost(&env, sooth_model_from_block(&e->head), &options, &sink),
                SOOTH_BAD_ARGUMENT, "set approximate");
    CHECK(t.size == 0);
    options.approximate = 1;
    options.names = names;
    t = export_xgboost(sooth_model_from_block(&e->head), &options);
    CHECK(has(&t, "\"feature_names\":[\"a \\\"quoted\\\"\",\"b\",\"f2\",\"d\"]"));
    CHECK(has(&t, "\"num_trees\":\"4\"") && has(&t, "\"base_score\":\"0.0\""));
    free(t.at);
    sooth_ensemble_free(&env, e);
}

static float inner_product(void *user, const float *a, const float *b, size_t features) {
    float sum = 0;
    size_t j;
    (void)user;
    for (j = 0; j < features; ++j) sum += a[j] * b[j];
    return sum;
}

static void vectors_are_arrays(void) {
    static const float x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, 5};
    sooth_svr *power = file_of_vectors("kernel_type polynomial\ndegree 3\ngamma 1\ncoef0 1");
    sooth_svr *rbf = file_of_vectors("kernel_type rbf\ngamma 1"), *callback;
    sooth_svr_options options;
    sooth_table table;
    sooth_sink sink;
    text t = export_c(sooth_model_from_block(&rbf->head), NULL);
    CHECK(has(&t, "A support vector regression of 19 vectors"));
    CHECK(has(&t, "static const float model_vector[76] MODEL_FLASH") && has(&t, "the arrays take 380 bytes"));
    CHECK(has(&t, "-1.442695f") && !has(&t, "model_power") && has(&t, "out[0] = 0.25f + lane[0];"));
    free(t.at);
    t = export_c(sooth_model_from_block(&power->head),
                 NULL); /* a vector of zeros stands for the lanes without one */
    CHECK(has(&t, "static const float model_vector[80] MODEL_FLASH") && has(&t, "the arrays take 400 bytes"));
    CHECK(has(&t, "model_power(1.0f * sum + 1.0f, 3)") && !has(&t, "model_exp"));
    free(t.at);
    memset(&t, 0, sizeof t);
    sink = sink_of(to_text, &t);
    sooth_table_init(&table, x, 4, 1);
    table.y = y;
    table.targets = 1;
    memset(&options, 0, sizeof options);
    options.kernel = SOOTH_SVR_CALLBACK;
    options.kernel_fn = inner_product;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &options, &callback), SOOTH_OK);
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&callback->head), NULL, &sink),
                SOOTH_BAD_ARGUMENT, "the model's kernel is a callback of the host, which cannot");
    CHECK(t.size == 0);
    sooth_svr_free(&env, callback);
    sooth_svr_free(&env, power);
    sooth_svr_free(&env, rbf);
}

static void rules_are_arrays(void) {
    sooth_sofnn *first = rules(7, 1, 0), *zero = rules(7, 2, 1);
    const unsigned many[2] = {first->rules, zero->rules};
    char words[80];
    text t = export_c(sooth_model_from_block(&first->head), NULL);
    snprintf(words, sizeof words, "A fuzzy network of %u rules", many[0]);
    CHECK(has(&t, words));
    snprintf(words, sizeof words, "static const float model_rule[%u] MODEL_FLASH", many[0] * 8);
    CHECK(has(&t, words) && has(&t, "model_low[7]") && has(&t, "model_high[7]"));
    snprintf(words, sizeof words, "the arrays take %u bytes", 4 * (16 + many[0] * (14 + 8)));
    CHECK(has(&t, words));
    free(t.at);
    t = export_c(sooth_model_from_block(&zero->head), NULL);
    snprintf(words, sizeof words, "static const float model_rule[%u] MODEL_FLASH", many[1] * 2);
    CHECK(has(&t, words) && !has(&t, "model_low") && !has(&t, "model_plane"));
    free(t.at);
    sooth_sofnn_free(&env, zero);
    sooth_sofnn_free(&env, first);
}

/* No row of the training ranges is off by more than what was promised. */
static void integers_keep_their_promise(void) {
    CHECK_SLOW();
    static const uint32_t target[] = {SOOTH_SCALE_NONE, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG_STANDARD,
                                      SOOTH_SCALE_LOG1P};
    uint32_t k, bits, i, j;
    for (k = 0; k < 4; ++k) {
        sooth_model *model = fit_model("mlp", NULL, SOOTH_SCALE_TRANSFORMS, target[k], 0, 1);
        sooth_model_parts parts;
        const float *range;
        sooth_model_open(model, &parts);
        range = sooth_model_card_range(parts.card);
        for (bits = 8; bits <= 16; bits += 8) {
            float row[5], scratch[5], bound, most = 0;
            sooth_model *small;
            text t;
            CHECK_STATUS(sooth_export_quantise(&env, model, bits, &bound, &small), SOOTH_OK);
            for (i = 0; i < 5000; ++i) {
                float exact, rounded, unit;
                for (j = 0; j < 5; ++j)
                    row[j] = range[2 * j] + sooth_rng_float(&rng) * (range[2 * j + 1] - range[2 * j]);
                exact = sooth_model_predict(model, row, scratch);
                rounded = sooth_model_predict(small, row, scratch);
                unit = k == 2 ? exact : k == 3 ? 1 + exact : 1;
                most = fmaxf(most, fabsf(rounded - exact) / unit);
            }
            CHECK(most <= bound && bound > 0);
            t = export_c(small, NULL);
            CHECK(has(&t, bits == 8 ? "A neural network of 64-64-1 neurons with weights of 8 bits"
                                    : "weights of 16 bits"));
            CHECK(has(&t, bits == 8 ? "static const int8_t model_weight0[320]"
                                    : "static const int16_t model_weight0[320]"));
            free(t.at);
            sooth_model_free(&env, small);
        }
        sooth_model_free(&env, model);
    }
}

static void what_cannot_be_integers_is_a_sentence(void) {
    static const uint32_t few[] = {3};
    sooth_tree *tree = fit_tree(1, 3, 0);
    sooth_mlp *mlp = network(7, 1, few, SOOTH_MLP_LINEAR, 0);
    sooth_model *model = fit_model("mlp", NULL, SOOTH_SCALE_STANDARD, SOOTH_SCALE_NONE, 0, 1), *small;
    sooth_env failing;
    CHECK_FAILS(&env, sooth_export_quantise(&env, sooth_model_from_block(&tree->head), 8, NULL, &small),
                SOOTH_BAD_ARGUMENT, "cannot be stored as integers, only networks");
    CHECK_FAILS(&env, sooth_export_quantise(&env, sooth_model_from_block(&mlp->head), 8, NULL, &small),
                SOOTH_BAD_ARGUMENT, "no training range of its features");
    CHECK_FAILS(&env, sooth_export_quantise(&env, model, 9, NULL, &small), SOOTH_BAD_ARGUMENT, "9");
    CHECK(small == NULL);
    sooth_env_init(&failing);
    CHECK_EVERY_ALLOCATION(&failing, sooth_export_quantise(&failing, model, 8, NULL, &small),
                           sooth_model_free(&failing, small));
    sooth_tree_free(&env, tree);
    sooth_mlp_free(&env, mlp);
    sooth_model_free(&env, model);
}

/* The next float above, by the C library's. */
static void next_float_is_the_next(void) {
    uint32_t k;
    sooth_rng_init(&rng, 1, 1);
    for (k = 0; k < 100000; ++k) {
        float v = random_bits(), above = nextafterf(v, INFINITY), got = soothi_export_above(v);
        CHECK(memcmp(&got, &above, sizeof got) == 0);
    }
    CHECK(soothi_export_above(0) == 1e-45f && soothi_export_above(-0.0f) == 1e-45f &&
          soothi_export_above(-1e-45f) == 0);
    CHECK(isinf(soothi_export_above(FLT_MAX)) && isinf(soothi_export_above(INFINITY)) &&
          soothi_export_above(-INFINITY) == -FLT_MAX);
}

/* Braces nest no deeper than the logarithm of the leaves, whatever the shape: compilers give up at 256. */
static void branches_nest_shallowly(void) {
    static const growth hows[] = {ANY, LEFT_CHAIN, RIGHT_CHAIN, FULL};
    size_t i;
    for (i = 0; i < 4; ++i) {
        maker m = {SOOTH_KIND_BOOST, 3, 1, 0, 0, 1, 0, ANY, 0};
        sooth_export_c_options options;
        sooth_ensemble *e;
        text t;
        int depth = 0, deepest = 0;
        const char *at;
        m.leaves = 1024;
        m.how = hows[i];
        e = make(&m);
        memset(&options, 0, sizeof options);
        options.form = SOOTH_EXPORT_BRANCHES;
        t = export_c(sooth_model_from_block(&e->head), &options);
        for (at = strstr(t.at, "_tree0("); at && *at && strncmp(at, "\n}\n", 3) != 0; ++at) {
            depth += (*at == '{') - (*at == '}');
            if (depth > deepest) deepest = depth;
        }
        CHECK(depth == 1 && deepest <= 10);
        free(t.at);
        sooth_ensemble_free(&env, e);
    }
}

int main(int argc, char **argv) {
    sooth_env_init(&env);
    if (argc > 1) {
        write_all(argv[1], argc > 2 ? argv[2] : NULL);
        return check_failures != 0;
    }
    CHECK_RUN(tree_reads_like_one);
    CHECK_RUN(xgboost_has_no_planes);
    CHECK_RUN(xgboost_sorts_no_quantiles);
    CHECK_RUN(xgboost_multiplies_by_no_sum);
    CHECK_RUN(comments_stay_comments);
    CHECK_RUN(levels_are_looked_up);
    CHECK_RUN(wrong_options_are_sentences);
    CHECK_RUN(callers_rows_are_the_test);
    CHECK_RUN(full_disk_is_a_status);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(means_need_leave_for_xgboost);
    CHECK_RUN(vectors_are_arrays);
    CHECK_RUN(rules_are_arrays);
    CHECK_RUN(integers_keep_their_promise);
    CHECK_RUN(what_cannot_be_integers_is_a_sentence);
    CHECK_RUN(next_float_is_the_next);
    CHECK_RUN(branches_nest_shallowly);
    CHECK_RUN(adaptation_is_in_the_file);
    CHECK_RUN(probabilities_are_in_the_file);
    return check_end("export");
}
