/* test_blocks.c - tables that come in blocks: the models of the table in memory; ranks within their bound.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train/blocks.h"
#include "sooth/boost.h"
#include "sooth/forest.h"
#include "sooth/linear.h"
#include "sooth/tree.h"

#include "check.h"

enum { ROWS = 3000, COLS = 4 };
static float x[ROWS * COLS], y[ROWS * 2], y1[ROWS], weight[ROWS];
static uint32_t group[ROWS];
static sooth_env env;

/* Values of all kinds: continuous, few, with holes, of very different size. */
static void make_table(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        row[0] = sooth_rng_float(&rng) - 0.5f;
        row[1] = (float)sooth_rng_below(&rng, 20);
        row[2] = sooth_rng_below(&rng, 10) ? sooth_rng_float(&rng) * sooth_rng_float(&rng) : NAN;
        row[3] = sooth_rng_below(&rng, 2) ? 0.0f : -1e6f * sooth_rng_float(&rng);
        y1[i] = 3.0f * row[0] + (row[1] > 7.0f) + 0.1f * sooth_rng_float(&rng) + (row[3] < -5e5f);
        y[2 * i] = y1[i];
        y[2 * i + 1] = row[0] * row[0];
        weight[i] = (float)sooth_rng_below(&rng, 3);
        group[i] = sooth_rng_below(&rng, 40);
    }
}

/* ---- a source of the rows of a table, so many at a time ---- */

typedef struct giver {
    sooth_table table;
    size_t at, step, times; /* times: how often it was gone through */
    size_t fails_at;        /* a row that cannot be read the second time; 0: none */
    size_t more;            /* rows that there are the second time only */
    size_t from, until;     /* blocks that begin in these rows have the weights or groups; 0, 0: all have */
} giver;

static sooth_status give(void *user, sooth_env *e, sooth_table *block) {
    giver *g = (giver *)user;
    const size_t rows = g->table.rows + (g->times ? g->more : 0);
    const size_t n = rows - g->at < g->step ? rows - g->at : g->step;
    if (g->times && g->fails_at && g->at + n > g->fails_at)
        return sooth_fail(e, SOOTH_BAD_TEXT, "rows.bin cannot be read");
    *block = g->table;
    block->rows = n;
    block->x += g->at * g->table.stride;
    block->y += g->at * g->table.targets;
    if (g->until && (g->at < g->from || g->at >= g->until)) {
        block->weight = NULL;
        block->group = NULL;
    }
    if (block->weight) block->weight += g->at;
    if (block->group) block->group += g->at;
    g->at += n;
    return SOOTH_OK;
}

static sooth_status again(void *user, sooth_env *e) {
    giver *g = (giver *)user;
    (void)e;
    g->at = 0;
    ++g->times;
    return SOOTH_OK;
}

static sooth_status never_again(void *user, sooth_env *e) {
    (void)user;
    return sooth_fail(e, SOOTH_BAD_TEXT, "the rows come from a pipe");
}

static double share(void *user) {
    const giver *g = (const giver *)user;
    return (double)g->at / (double)g->table.rows;
}

static giver giver_of(const sooth_table *table, size_t step) {
    const giver g = {*table, 0, step, 0, 0, 0, 0, 0};
    return g;
}

static sooth_source source_of(giver *g) {
    const sooth_source s = {g, g->table.cols, g->table.targets, give, again, share, NULL};
    return s;
}

/* ---- models ---- */

typedef sooth_status fit_function(const sooth_table *table, const void *options, sooth_block **model);

/* The model from blocks is that of the table, whatever the blocks. */
static int same_model(fit_function *fit, const void *options, const sooth_table *table, uint32_t bins) {
    static const size_t step[] = {7, 1000, ROWS + 1};
    sooth_block *whole = NULL, *model = NULL;
    int same = 1;
    CHECK_STATUS(fit(table, options, &whole), SOOTH_OK);
    for (size_t k = 0; k < 3 && whole; ++k) {
        const sooth_blocks_options o = {bins, 0};
        giver g = giver_of(table, step[k]);
        const sooth_source source = source_of(&g);
        sooth_blocks blocks;
        CHECK_STATUS(sooth_blocks_read(&env, &source, &o, &blocks), SOOTH_OK);
        CHECK(blocks.error <= 0.0 && blocks.table.rows == table->rows);
        CHECK_STATUS(fit(&blocks.table, options, &model), SOOTH_OK);
        same &= model && model->size == whole->size && memcmp(model, whole, whole->size) == 0;
        soothi_block_free(&env, model);
        sooth_blocks_free(&env, &blocks);
    }
    soothi_block_free(&env, whole);
    return same;
}

static sooth_status fit_boost(const sooth_table *table, const void *options, sooth_block **model) {
    sooth_boost *boost = NULL;
    const sooth_status s = sooth_boost_fit(&env, table, (const sooth_boost_options *)options, &boost);
    *model = (sooth_block *)boost;
    return s;
}

static sooth_status fit_three(const sooth_table *table, const void *options, sooth_block **model) {
    sooth_boost_options three = *(const sooth_boost_options *)options;
    sooth_boost *boost = NULL;
    three.loss = SOOTH_BOOST_QUANTILE;
    three.quantiles[0] = 0.1, three.quantiles[1] = 0.5, three.quantiles[2] = 0.9;
    const sooth_status s = sooth_boost_fit(&env, table, &three, &boost);
    *model = (sooth_block *)boost;
    return s;
}

static sooth_status fit_forest(const sooth_table *table, const void *options, sooth_block **model) {
    sooth_forest *forest = NULL;
    const sooth_status s = sooth_forest_fit(&env, table, (const sooth_forest_options *)options, &forest);
    *model = (sooth_block *)forest;
    return s;
}

static sooth_status fit_tree(const sooth_table *table, const void *options, sooth_block **model) {
    sooth_tree *tree = NULL;
    const sooth_status s = sooth_tree_fit(&env, table, (const sooth_tree_options *)options, &tree);
    *model = (sooth_block *)tree;
    return s;
}

static sooth_table table_of(size_t rows) { return sooth_table_of(x, y1, rows, COLS); }

static void boosting_is_that_of_the_table(void) {
    sooth_table table = table_of(ROWS);
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 12;
    CHECK(same_model(fit_boost, &o, &table, 0));
    for (uint32_t policy = 0; policy < 3; ++policy) {
        o.grow_policy = policy;
        o.subsample = 0.6; /* rows that were not drawn walk through the tree */
        o.gamma = 0.05;    /* and so do those whose leaf is taken back */
        CHECK(same_model(fit_boost, &o, &table, 0));
    }
    o.grow_policy = 0;
    table.weight = weight;
    table.group = group;
    o.patience = 3;
    o.loss = SOOTH_BOOST_ABSOLUTE;
    CHECK(same_model(fit_boost, &o, &table, 0));
    o.bins = 16;
    o.loss = SOOTH_BOOST_HUBER;
    CHECK(same_model(fit_boost, &o, &table, 16));
    CHECK(same_model(fit_three, &o, &table, 16));
    table.y = y;
    table.targets = 2;
    table.weight = NULL;
    CHECK(same_model(fit_boost, &o, &table, 16));
}

/* Trees that grow in passes, without lists of rows, are those that grow with them. */
static void passes_are_lists(void) {
    static const uint32_t losses[] = {SOOTH_BOOST_SQUARED, SOOTH_BOOST_POISSON, SOOTH_BOOST_GAMMA,
                                      SOOTH_BOOST_LOGISTIC};
    static const signed char rising[COLS] = {1, 0, -1, 0};
    static float positive[ROWS];
    for (size_t k = 0; k < 4; ++k) {
        sooth_table table = table_of(ROWS);
        sooth_boost_options o;
        memset(&o, 0, sizeof o);
        for (size_t i = 0; i < ROWS; ++i)
            positive[i] = k == 3 ? (float)(y1[i] > 1.0f) : k ? 0.1f + y1[i] * y1[i] : y1[i];
        table.y = positive;
        o.loss = losses[k];
        o.n_estimators = 4;
        CHECK(same_model(fit_boost, &o, &table, 0)); /* of rows drawn for every tree */
        o.subsample = 1.0;
        CHECK(same_model(fit_boost, &o, &table, 0));
        o.max_depth = 9; /* more nodes than rows of a level are worth a histogram */
        o.min_child_weight = 2.0;
        o.colsample_bytree = 0.7;
        o.colsample_bylevel = 0.7;
        o.monotone = rising;
        CHECK(same_model(fit_boost, &o, &table, 0));
        o.colsample_bynode = 0.5; /* these go with lists after all */
        CHECK(same_model(fit_boost, &o, &table, 0));
        o.colsample_bynode = 0.0;
        if (k) continue;
        table.y = y;
        table.targets = 2;
        CHECK(same_model(fit_boost, &o, &table, 0));
    }
}

/* Least squares from rows that come in blocks, also where the passes are several: nearly dependent columns,
   weights, more rows than one block of the sums. */
static void least_squares_are_those_of_the_table(void) {
    enum { MANY = 70001 };
    float *v = (float *)malloc(3 * MANY * sizeof *v), *target = (float *)malloc(MANY * sizeof *v);
    float *w = (float *)malloc(MANY * sizeof *w);
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    for (size_t i = 0; i < MANY; ++i) {
        v[3 * i] = 1000.0f + sooth_rng_float(&rng);
        v[3 * i + 1] = sooth_rng_float(&rng);
        v[3 * i + 2] = v[3 * i] + v[3 * i + 1] * 1e-3f;
        target[i] = v[3 * i] - 2.0f * v[3 * i + 1] + sooth_rng_float(&rng);
        w[i] = (float)sooth_rng_below(&rng, 3);
    }
    for (uint32_t k = 0; k < 6; ++k) {
        sooth_table table = sooth_table_of(v, target, k & 1 ? MANY : 300, 3);
        const sooth_linear_options o = {.method = k / 2, .lambda = k / 2 == 1 ? 0.5 : 0.0};
        giver g = giver_of(&table, 4999);
        sooth_linear *whole, *model;
        if (k & 1) g.table.weight = table.weight = w;
        const sooth_source source = source_of(&g);
        CHECK_STATUS(sooth_linear_fit(&env, &table, &o, &whole), SOOTH_OK);
        CHECK_STATUS(sooth_linear_fit_source(&env, &source, &o, &model), SOOTH_OK);
        CHECK(model && whole && memcmp(model, whole, whole->head.size) == 0);
        CHECK(k / 2 > 0 || g.times > 0); /* it was gone through again */
        sooth_linear_free(&env, model);
        sooth_linear_free(&env, whole);
    }
    const sooth_linear_options huber = {.method = SOOTH_LINEAR_HUBER};
    sooth_table table = sooth_table_of(v, target, 300, 3);
    giver g = giver_of(&table, 70);
    const sooth_source source = source_of(&g);
    sooth_linear *model;
    CHECK_FAILS(&env, sooth_linear_fit_source(&env, &source, &huber, &model), SOOTH_BAD_ARGUMENT,
                "rows that arrive in blocks cannot be fitted with method=huber, which computes medians");
    g.more = 5;
    CHECK_FAILS(&env, sooth_linear_fit_source(&env, &source, NULL, &model), SOOTH_BAD_DATA,
                "the source had 300 rows, but now it has 305");
    free(v);
    free(target);
    free(w);
}

static void trees_and_forests_are_those_of_the_table(void) {
    sooth_table table = table_of(ROWS);
    sooth_forest_options f;
    sooth_tree_options t;
    memset(&f, 0, sizeof f);
    memset(&t, 0, sizeof t);
    f.n_estimators = 3;
    f.bins = t.bins = 64;
    CHECK(same_model(fit_forest, &f, &table, 64));
    CHECK(same_model(fit_tree, &t, &table, 64));
    table.weight = weight;
    t.max_leaves = 20;
    CHECK(same_model(fit_tree, &t, &table, 64));
    f.bins = t.bins = 256;
    CHECK(same_model(fit_forest, &f, &table, 256));
    table.weight = NULL;
    t.criterion = SOOTH_TREE_ABSOLUTE;
    t.max_depth = 4;
    CHECK(same_model(fit_tree, &t, &table, 0));
}

/* ---- categories ---- */

static float codes[ROWS * COLS];
static const uint8_t marks[COLS] = {0, 1, 0, 1};

/* Column 1 has 9 levels and missing values, column 3 has 600, most of them rare; a code has only rows of
   weight 0, and codes in between have none. */
static sooth_table table_of_codes(void) {
    static const float effect[9] = {3.0f, -1.0f, 0.5f, 3.1f, -1.2f, 0.0f, 7.0f, 0.4f, 2.9f};
    sooth_table table = sooth_table_of(codes, y1, ROWS, COLS);
    sooth_rng rng;
    sooth_rng_init(&rng, 12, 0);
    memcpy(codes, x, sizeof codes);
    for (size_t i = 0; i < ROWS; ++i) {
        const uint32_t level = sooth_rng_below(&rng, 9), many = sooth_rng_below(&rng, 600);
        const uint32_t rare = sooth_rng_below(&rng, 3) ? many % 40 : many;
        codes[i * COLS + 1] = sooth_rng_below(&rng, 12) ? (float)level : NAN;
        codes[i * COLS + 3] = 2.0f * (float)rare + 5.0f;
        y1[i] = codes[i * COLS] + effect[level] + 0.3f * (float)(rare % 7) + 0.1f * sooth_rng_float(&rng);
        y[2 * i] = y1[i];
        y[2 * i + 1] = effect[8 - level];
        weight[i] = (float)sooth_rng_below(&rng, 3);
        if (weight[i] <= 0.0f && rare % 5 == 0) codes[i * COLS + 3] = 4000.0f;
    }
    table.categorical = marks;
    return table;
}

static void boosting_splits_categories_as_in_memory(void) {
    static const uint32_t losses[] = {SOOTH_BOOST_SQUARED, SOOTH_BOOST_LOGISTIC, SOOTH_BOOST_ABSOLUTE};
    sooth_table table = table_of_codes();
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 8;
    CHECK(same_model(fit_boost, &o, &table, 0)); /* in passes, of rows drawn */
    o.subsample = 1.0;
    o.max_depth = 9;
    o.max_cat_to_onehot = 12;
    CHECK(same_model(fit_boost, &o, &table, 0));
    o.colsample_bynode = 0.5; /* these go with lists */
    CHECK(same_model(fit_boost, &o, &table, 0));
    o.colsample_bynode = 0.0;
    o.subsample = 0.6; /* rows that were not drawn walk through the tree */
    o.gamma = 0.05;
    o.grow_policy = SOOTH_BOOST_LOSSGUIDE;
    CHECK(same_model(fit_boost, &o, &table, 0));
    o.grow_policy = 0;
    o.bins = 16; /* levels share a class */
    CHECK(same_model(fit_boost, &o, &table, 16));
    table.weight = weight;
    o.patience = 3;
    for (size_t k = 0; k < 3; ++k) {
        static float target[ROWS];
        for (size_t i = 0; i < ROWS; ++i) target[i] = k == 1 ? (float)(y1[i] > 2.0f) : y1[i];
        table.y = target;
        o.loss = losses[k];
        CHECK(same_model(fit_boost, &o, &table, 16));
    }
    CHECK(same_model(fit_three, &o, &table, 16));
    table.weight = NULL;
    table.y = y;
    table.targets = 2;
    o.loss = 0;
    CHECK(same_model(fit_boost, &o, &table, 16));
}

static void trees_split_categories_as_in_memory(void) {
    sooth_table table = table_of_codes();
    sooth_forest_options f;
    sooth_tree_options t;
    memset(&f, 0, sizeof f);
    memset(&t, 0, sizeof t);
    f.n_estimators = 3;
    for (uint32_t bins = 32; bins <= 256; bins *= 8) {
        f.bins = t.bins = bins;
        CHECK(same_model(fit_forest, &f, &table, bins));
        CHECK(same_model(fit_tree, &t, &table, bins));
        table.weight = weight;
    }
    t.max_leaves = 20;
    CHECK(same_model(fit_tree, &t, &table, 256));
    table.weight = NULL;
    t.criterion = SOOTH_TREE_ABSOLUTE;
    t.max_depth = 4;
    CHECK(same_model(fit_tree, &t, &table, 0));
    table.categorical = NULL; /* other models: the marks have an effect */
    sooth_block *plain, *sets;
    CHECK_STATUS(fit_tree(&table, &t, &plain), SOOTH_OK);
    table.categorical = marks;
    CHECK_STATUS(fit_tree(&table, &t, &sets), SOOTH_OK);
    CHECK(plain->size != sets->size);
    sooth_free(&env, plain, plain->size, 1);
    sooth_free(&env, sets, sets->size, 1);
}

/* The bins of a categorical column are its most frequent levels, of equal ones the lower codes, in the order
   of the codes, and one bin of all others. */
static void classes_are_the_frequent_levels(void) {
    static const float code[] = {7, 7, 7, 2, 2, 9, 9, 4, 0, 0, 0, 0, NAN, 3};
    static const uint32_t with_four[] = {0, 1, 3, 2, 3, 3}; /* the bins of 0, 2, 4, 7, 9, 3 */
    static const uint8_t all[] = {1};
    const sooth_blocks_options o = {4, 0};
    sooth_table table = sooth_table_of(code, y1, 14, 1);
    sooth_blocks blocks;
    table.categorical = all;
    giver g = giver_of(&table, 3);
    const sooth_source source = source_of(&g);
    CHECK_STATUS(sooth_blocks_read(&env, &source, &o, &blocks), SOOTH_OK);
    const float level[] = {0, 2, 4, 7, 9, 3};
    for (size_t i = 0; i < 14; ++i)
        for (size_t k = 0; k < 6; ++k)
            if (code[i] >= level[k] && code[i] <= level[k]) CHECK(blocks.bins.bin[i] == with_four[k]);
    CHECK(blocks.bins.used[0] == 4 && blocks.bins.bin[12] == 4);
    CHECK(blocks.bins.first[0] == 0 && blocks.bins.first[1] == 10 && blocks.error <= 0.0);
    for (size_t k = 0; k < 6; ++k) CHECK(blocks.bins.classes[(size_t)level[k]] == with_four[k]);
    CHECK(blocks.bins.classes[1] == 0xFFFF && blocks.bins.classes[8] == 0xFFFF);
    sooth_blocks_free(&env, &blocks);
}

/* A source whose marks change, or whose codes are none. */
typedef struct marker {
    giver g;
    const uint8_t *first, *later;
} marker;

static sooth_status give_marks(void *user, sooth_env *e, sooth_table *block) {
    marker *m = (marker *)user;
    const uint8_t *categorical = m->g.at || m->g.times ? m->later : m->first;
    const sooth_status status = give(&m->g, e, block);
    block->categorical = categorical;
    return status;
}

static sooth_status marks_again(void *user, sooth_env *e) { return again(&((marker *)user)->g, e); }

/* Changes a code, which no row had the first time. */
static sooth_status another_code(void *user, sooth_env *e) {
    codes[7 * COLS + 3] = 60000.0f;
    return again((giver *)user, e);
}

static void marks_are_those_of_all_blocks(void) {
    static const uint8_t other[COLS] = {0, 1, 0, 0}, none[COLS] = {0};
    sooth_table table = table_of_codes();
    sooth_blocks blocks;
    sooth_linear *linear;
    table.rows = 100;
    for (int k = 0; k < 4; ++k) {
        marker m = {giver_of(&table, k == 3 ? 200 : 60), k == 1 ? NULL : marks, k ? marks : other};
        if (k >= 2) m.later = k == 2 ? none : other; /* 3: differs in the second pass */
        const sooth_source source = {&m, COLS, 1, give_marks, marks_again, NULL, NULL};
        CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                    k == 3 ? "the block from row 1 and the blocks before it do not have the same categorical"
                           : "the block from row 61 and the blocks before it do not have the same "
                             "categorical columns");
        CHECK(!blocks.memory);
    }
    for (size_t k = 0; k < 100 * COLS; ++k)
        if (isnan(codes[k])) codes[k] = 0.0f;
    giver g = giver_of(&table, 60);
    const sooth_source source = source_of(&g);
    CHECK_FAILS(&env, sooth_linear_fit_source(&env, &source, NULL, &linear), SOOTH_BAD_DATA,
                "in the block from row 1: column 2 is categorical, which only trees, forests and boosting");
    g = giver_of(&table, 60);
    codes[70 * COLS + 3] = 65536.0f;
    CHECK_FAILS(
        &env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
        "in the block from row 61: row 11 has 65536 in column 4, but categories must be integers from "
        "0 to 65535");
    /* rows that differ the second time, against the rule, are in some bin that there is */
    codes[70 * COLS + 3] = 5.0f;
    g = giver_of(&table, 60);
    sooth_source changed = source_of(&g);
    changed.rewind_fn = another_code;
    CHECK_STATUS(sooth_blocks_read(&env, &changed, NULL, &blocks), SOOTH_OK);
    CHECK(blocks.bins.bin[3 * 100 + 7] < blocks.bins.used[3]);
    sooth_blocks_free(&env, &blocks);
    /* bins of a host that has marked a column, but has no classes of it */
    g = giver_of(&table, 60);
    CHECK_STATUS(sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_OK);
    blocks.bins.first = NULL;
    sooth_boost *boost;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &blocks.table, NULL, &boost), SOOTH_BAD_DATA,
                "column 2 is categorical, but its bins are not those of classes");
    sooth_blocks_free(&env, &blocks);
}

/* ---- what cannot be ---- */

static void what_is_refused(void) {
    sooth_table table = table_of(50);
    giver g = giver_of(&table, 20);
    sooth_source source = source_of(&g);
    sooth_blocks_options o = {1, 0};
    sooth_blocks blocks;
    sooth_boost_options b;
    sooth_forest_options f;
    sooth_tree_options t;
    sooth_block *model;
    sooth_boost *boost, *larger;
    sooth_forest *forest;
    sooth_linear *linear;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, &o, &blocks), SOOTH_BAD_ARGUMENT,
                "bins is 1, but must be between 2 and 256");
    source.targets = 0;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source has 4 columns and 0 targets");
    source.targets = 2;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the block from row 1 has 4 columns and 1 targets, but the source has 4 and 2");
    source.targets = 1;
    source.cols = 0;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source has 0 columns and 1 targets");
    source.cols = 3;
    g = giver_of(&table, 20);
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the block from row 1 has 4 columns and 1 targets, but the source has 3 and 1");
    source.cols = COLS;
    g = giver_of(&table, 20);
    g.table.rows = g.step = (size_t)UINT32_MAX / 2 + 1; /* none of which is looked at */
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source has more than 2^31 rows");
    g = giver_of(&table, 20);
    source.rewind_fn = never_again;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_TEXT,
                "the rows come from a pipe");
    source.rewind_fn = again;
    g = giver_of(&table, 20);
    g.fails_at = 30;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_TEXT,
                "rows.bin cannot be read");
    g = giver_of(&table, 20);
    g.more = 5;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source had 50 rows, but the second time it has more");
    g = giver_of(&table, 20);
    g.more = (size_t)0 - 5;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source had 50 rows, but the second time it has fewer");
    g = giver_of(&table, 20);
    g.table.rows = 0;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "the source has no rows");
    g = giver_of(&table, 20);
    x[41 * COLS + 1] = INFINITY;
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "in the block from row 41: row 2 has an infinite value in column 2");
    x[41 * COLS + 1] = 3.0f;
    g = giver_of(&table, 20);
    CHECK_STATUS(sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_OK);
    memset(&b, 0, sizeof b);
    memset(&f, 0, sizeof f);
    memset(&t, 0, sizeof t);
    b.bins = 255;
    CHECK_FAILS(&env, fit_boost(&blocks.table, &b, &model), SOOTH_BAD_ARGUMENT,
                "bins is 255, but must be 256, the number of bins of the table");
    b.bins = 0;
    b.method = SOOTH_BOOST_EXACT;
    CHECK_FAILS(&env, fit_boost(&blocks.table, &b, &model), SOOTH_BAD_ARGUMENT,
                "method=exact needs values, but the table has bins");
    b.method = 0;
    b.linear_leaves = 1;
    CHECK_FAILS(&env, fit_boost(&blocks.table, &b, &model), SOOTH_BAD_ARGUMENT,
                "linear_leaves needs values, but the table has bins");
    CHECK_FAILS(&env, fit_tree(&blocks.table, &t, &model), SOOTH_BAD_ARGUMENT,
                "bins is 0, but must be 256, the number of bins of the table");
    t.bins = f.bins = 256;
    t.linear_leaves = 1;
    CHECK_FAILS(&env, fit_tree(&blocks.table, &t, &model), SOOTH_BAD_ARGUMENT,
                "linear_leaves needs values, but the table has bins");
    f.keep_rows = 1;
    CHECK_FAILS(&env, fit_forest(&blocks.table, &f, &model), SOOTH_BAD_ARGUMENT,
                "keep_rows needs values, but the table has bins");
    CHECK_FAILS(&env, sooth_linear_fit(&env, &blocks.table, NULL, &linear), SOOTH_BAD_DATA,
                "the table has bins instead of values, which only trees grown from histograms support");
    f.keep_rows = 0;
    CHECK_STATUS(sooth_forest_fit(&env, &blocks.table, &f, &forest), SOOTH_OK);
    CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &blocks.table, &f, x, NULL), SOOTH_BAD_DATA,
                "predictions need values, but the table has bins");
    sooth_forest_free(&env, forest);
    CHECK_STATUS(sooth_boost_fit(&env, &blocks.table, NULL, &boost), SOOTH_OK);
    CHECK_FAILS(&env, sooth_boost_resume(&env, boost, &blocks.table, NULL, &larger), SOOTH_BAD_DATA,
                "resuming a model needs values, but the table has bins");
    sooth_boost_free(&env, boost);
    sooth_blocks_free(&env, &blocks);
}

static void weights_may_come_and_go_in_no_source(void) {
    sooth_table table = table_of(50);
    giver g;
    sooth_source source;
    sooth_blocks blocks;
    float w[50] = {0};
    w[45] = 1.0f; /* a block of rows that do not count is none that cannot be */
    table.weight = w;
    g = giver_of(&table, 20);
    source = source_of(&g);
    CHECK_STATUS(sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_OK);
    CHECK(blocks.bins.used[0] == 1 && blocks.table.weight[45] > 0.0f);
    sooth_blocks_free(&env, &blocks);
    w[30] = -1.0f;
    g = giver_of(&table, 20);
    CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                "in the block from row 21: row 11 has the weight -1, but weights must be finite and not "
                "negative");
}

/* Some blocks have weights or groups, others none: the row says from which on. */
static void blocks_agree_on_what_they_have(void) {
    for (uint32_t k = 0; k < 4; ++k) { /* weights, groups; at first only, or later only */
        sooth_table table = table_of(50);
        giver g = giver_of(&table, 20);
        sooth_source source = source_of(&g);
        sooth_blocks blocks;
        if (k < 2) g.table.weight = weight;
        else g.table.group = group;
        g.from = k & 1 ? 0 : 30;
        g.until = k & 1 ? 30 : 50;
        CHECK_FAILS(&env, sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_BAD_DATA,
                    "the block from row 41 and the blocks before it do not all have weights, or groups");
        CHECK(!blocks.memory);
    }
}

/* A column of nothing but missing values is cut into no bins: the model is that of the table. */
static void a_column_may_be_empty(void) {
    static float holes[ROWS * COLS];
    sooth_table table = sooth_table_of(holes, y1, ROWS, COLS);
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = 5;
    memcpy(holes, x, sizeof holes);
    for (size_t i = 0; i < ROWS; ++i) holes[i * COLS + 1] = NAN;
    CHECK(same_model(fit_boost, &o, &table, 0));
    giver g = giver_of(&table, 100);
    const sooth_source source = source_of(&g);
    sooth_blocks blocks;
    CHECK_STATUS(sooth_blocks_read(&env, &source, NULL, &blocks), SOOTH_OK);
    CHECK(blocks.bins.used[1] == 0 && blocks.bins.used[0] > 0);
    sooth_blocks_free(&env, &blocks);
}

/* In memory nodes of few rows are searched another way: where a split between the missing rows and the others
   is the best, its two forms must not differ by their rounding. */
static void missing_values_split_as_in_memory(void) {
    enum { FEW = 400, TABLES = 12 };
    static float few[FEW * 2], of[FEW];
    const sooth_table table = sooth_table_of(few, of, FEW, 2);
    sooth_boost_options o;
    sooth_rng rng;
    int same = 0;
    memset(&o, 0, sizeof o);
    o.n_estimators = 200;
    o.subsample = 0.7;
    sooth_rng_init(&rng, 3, 0);
    for (int k = 0; k < TABLES; ++k) {
        for (int i = 0; i < FEW; ++i) {
            few[2 * i] = sooth_rng_below(&rng, 10) ? (float)sooth_rng_below(&rng, 500) / 10.0f : NAN;
            few[2 * i + 1] = (float)(1u << sooth_rng_below(&rng, 4));
            of[i] = (float)sooth_rng_below(&rng, 4096) / 100.0f;
        }
        same += same_model(fit_boost, &o, &table, 0);
    }
    CHECK(same == TABLES);
}

static sooth_status read_some(void) {
    sooth_table table = table_of(300);
    const sooth_blocks_options o = {8, 16};
    giver g;
    sooth_source source;
    sooth_blocks blocks;
    table.weight = weight;
    table.group = group;
    g = giver_of(&table, 70);
    source = source_of(&g);
    const sooth_status status = sooth_blocks_read(&env, &source, &o, &blocks);
    if (status == SOOTH_OK) sooth_blocks_free(&env, &blocks);
    return status;
}

static sooth_status read_codes(void) {
    sooth_table table = table_of_codes();
    const sooth_blocks_options o = {8, 16};
    table.rows = 300;
    giver g = giver_of(&table, 70);
    const sooth_source source = source_of(&g);
    sooth_blocks blocks;
    const sooth_status status = sooth_blocks_read(&env, &source, &o, &blocks);
    if (status == SOOTH_OK) sooth_blocks_free(&env, &blocks);
    return status;
}

static void every_allocation_may_fail(void) {
    CHECK_EVERY_ALLOCATION(&env, read_some(), (void)0);
    CHECK_EVERY_ALLOCATION(&env, read_codes(), (void)0);
    sooth_env_init(&env);
}

static int stop_at(void *user, const char *stage, double done) {
    return strcmp(stage, "reading") == 0 && done >= *(const double *)user;
}

static void reading_can_be_cancelled(void) {
    double at[] = {0.0, 0.2, 0.5, 0.7, 1.0};
    for (size_t k = 0; k < 5; ++k) {
        env.progress_fn = stop_at;
        env.progress_user = &at[k];
        CHECK_FAILS(&env, read_some(), SOOTH_CANCELLED, "reading was cancelled");
    }
    sooth_env_init(&env);
}

/* ---- the sketch ---- */

static int by_key(const void *a, const void *b) {
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* All ranks of n values against their sorted keys; returns the worst error, which the sketch must have known,
   and the bound that the header proves. */
static void ranks_hold(const float *value, size_t n, size_t most) {
    soothi_sketch s;
    uint64_t *scratch = (uint64_t *)malloc(3 * most * sizeof *scratch), *list;
    uint32_t *key = (uint32_t *)malloc(n * sizeof *key);
    size_t pairs, levels = 0;
    memset(&s, 0, sizeof s);
    s.most = most;
    for (size_t i = 0; i < n; ++i) key[i] = soothi_key(value[i]);
    for (size_t i = 0; i < n; ++i) {
        if (i % 100 == 0) CHECK(soothi_sketch_reserve(&env, &s, i + 100));
        soothi_sketch_add(&s, value[i], scratch);
    }
    qsort(key, n, sizeof *key, by_key);
    pairs = soothi_sketch_pairs(&s);
    const uint64_t error = soothi_sketch_error(&s);
    list = (uint64_t *)malloc(2 * pairs * sizeof *list);
    const uint64_t *pair = soothi_sketch_end(&s, scratch, list, list + pairs, &pairs);
    uint64_t rank = 0, worst = 0;
    size_t below = 0, bad = 0;
    for (size_t k = 0; k < pairs; ++k) {
        const uint32_t next = soothi_entry_key(pair[k]);
        /* before this pair's key the rank is that of the pair before */
        while (below < n && key[below] < next) ++below;
        bad += below < rank;
        if (below - rank > worst) worst = below - rank;
        rank += (uint32_t)pair[k];
        while (below < n && key[below] == next) ++below;
        bad += below < rank || (k > 0 && soothi_entry_key(pair[k - 1]) >= next);
        if (below - rank > worst) worst = below - rank;
    }
    while (n / most >> levels) ++levels;
    CHECK(bad == 0 && rank == n && worst <= error);
    CHECK((double)error <= (double)levels * (double)n / (double)(most - 1));
    soothi_sketch_free(&env, &s);
    free(list);
    free(key);
    free(scratch);
}

static void ranks_are_within_their_bound(void) {
    enum { MANY = 20000 };
    float *v = (float *)malloc(MANY * sizeof *v);
    static const size_t most[] = {4, 5, 16, 100, 1000};
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    for (unsigned form = 0; form < 7; ++form) {
        for (size_t i = 0; i < MANY; ++i) {
            const float u = sooth_rng_float(&rng);
            v[i] = form == 0   ? u
                   : form == 1 ? (float)i
                   : form == 2 ? -(float)i
                   : form == 3 ? (float)sooth_rng_below(&rng, 90)
                   : form == 4 ? 1.0f
                   : form == 5 ? (sooth_rng_below(&rng, 2) ? 0.0f : u - 0.5f) /* half of them one value */
                               : (float)((i & 1) ? i : MANY - i);
        }
        for (size_t k = 0; k < sizeof most / sizeof most[0]; ++k) {
            ranks_hold(v, MANY, most[k]);
            ranks_hold(v, most[k] - 1, most[k]);
            ranks_hold(v, 3 * most[k] + 1, most[k]);
        }
    }
    free(v);
}

/* Bins from a sketch that is not exact have equal counts but for its error. */
static void bins_are_of_equal_counts_but_for_the_error(void) {
    enum { MANY = 60000, BINS = 16 };
    float *v = (float *)malloc(MANY * sizeof *v), *target = (float *)calloc(MANY, sizeof *v);
    size_t count[BINS] = {0};
    const sooth_blocks_options o = {BINS, 256};
    sooth_rng rng;
    sooth_blocks blocks;
    sooth_rng_init(&rng, 10, 0);
    for (size_t i = 0; i < MANY; ++i) v[i] = sooth_rng_float(&rng) * sooth_rng_float(&rng);
    const sooth_table table = sooth_table_of(v, target, MANY, 1);
    giver g = giver_of(&table, 999);
    const sooth_source source = source_of(&g);
    CHECK_STATUS(sooth_blocks_read(&env, &source, &o, &blocks), SOOTH_OK);
    CHECK(blocks.error > 0.0 && blocks.error < 8.0 / 255.0 && blocks.bins.used[0] == BINS);
    for (size_t i = 0; i < MANY; ++i) {
        const size_t b = blocks.bins.bin[i];
        CHECK(v[i] <= blocks.bins.edge[b] && (b == 0 || v[i] > blocks.bins.edge[b - 1]));
        ++count[b];
    }
    for (size_t b = 0; b < BINS; ++b)
        CHECK(fabs((double)count[b] / MANY - 1.0 / BINS) <= 2.0 * blocks.error + 1.0 / 255.0);
    sooth_blocks_free(&env, &blocks);
    free(v);
    free(target);
}

int main(void) {
    sooth_env_init(&env);
    make_table();
    CHECK_RUN(boosting_is_that_of_the_table);
    CHECK_RUN(passes_are_lists);
    CHECK_RUN(least_squares_are_those_of_the_table);
    CHECK_RUN(trees_and_forests_are_those_of_the_table);
    CHECK_RUN(what_is_refused);
    CHECK_RUN(weights_may_come_and_go_in_no_source);
    CHECK_RUN(blocks_agree_on_what_they_have);
    CHECK_RUN(a_column_may_be_empty);
    CHECK_RUN(missing_values_split_as_in_memory);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(reading_can_be_cancelled);
    CHECK_RUN(ranks_are_within_their_bound);
    CHECK_RUN(bins_are_of_equal_counts_but_for_the_error);
    CHECK_RUN(boosting_splits_categories_as_in_memory);
    CHECK_RUN(trees_split_categories_as_in_memory);
    CHECK_RUN(classes_are_the_frequent_levels);
    CHECK_RUN(marks_are_those_of_all_blocks);
    return check_end("blocks");
}
