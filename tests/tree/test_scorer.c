/* test_scorer.c - a scorer says what its ensemble says, to the bit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/tree/scorer.h"
#include "sooth/boost.h"
#include "check.h"

enum { COLS = 7, ROWS = 700, NODES = 511 };

static float x[ROWS * COLS], said[ROWS * 3], expected[ROWS * 3];
static soothi_ensemble_node node[NODES];

/* Numbers that fall on thresholds, lie far out, or are spread over a hundred orders of magnitude. */
static float any_float(sooth_rng *rng) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 3e38f, -3e38f, 1.0f, 1.0000001f};
    const uint32_t k = sooth_rng_below(rng, 40);
    if (k < 8) return odd[k];
    if (k < 20) return (float)sooth_rng_below(rng, 50);
    if (k < 30) return (float)exp(40.0 * (sooth_rng_double(rng) - 0.5));
    return 4.0f * sooth_rng_float(rng) - 2.0f;
}

/* Node k of a tree, and those below it. Columns 0 to 5 are asked; those from 3 on miss to the left alone. */
static uint32_t any_tree(sooth_rng *rng, uint32_t k, uint32_t next, uint32_t depth,
                         const soothi_ensemble_node *level) {
    memset(&node[k], 0, sizeof node[k]);
    node[k].value = sooth_rng_double(rng) * 10.0 - 5.0;
    if (depth == 0 || sooth_rng_below(rng, 8) == 0) return next;
    node[k].feature = sooth_rng_below(rng, COLS - 1);
    node[k].threshold =
        sooth_rng_below(rng, 20) ? any_float(rng) : (float)(sooth_rng_below(rng, 2) ? INFINITY : -INFINITY);
    node[k].missing_right = node[k].feature < 3 && sooth_rng_below(rng, 2);
    if (level) {
        node[k].feature = level[depth].feature;
        node[k].threshold = level[depth].threshold;
        node[k].missing_right = level[depth].missing_right;
    }
    node[k].left = next;
    node[k].right = next + 1;
    next = any_tree(rng, node[k].left, next + 2, depth - 1, level);
    return any_tree(rng, node[k].right, next, depth - 1, level);
}

static sooth_ensemble *any_ensemble(sooth_env *env, sooth_rng *rng, uint32_t trees, uint32_t depth) {
    static const uint32_t flags[] = {0, SOOTH_ENSEMBLE_EXACT, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT,
                                     SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW};
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = COLS;
    shape.targets = 1 + sooth_rng_below(rng, 3);
    shape.flags = flags[sooth_rng_below(rng, 4)];
    shape.link = shape.flags & SOOTH_ENSEMBLE_MEAN ? SOOTH_ENSEMBLE_LINK_IDENTITY : sooth_rng_below(rng, 3);
    shape.no_table = sooth_rng_below(rng, 2);
    CHECK_STATUS(soothi_ensemble_begin(&builder, env, &shape), SOOTH_OK);
    for (uint32_t t = 0; t < shape.targets; ++t) soothi_ensemble_set_base(&builder, t, 0.1 + t);
    for (uint32_t k = 0; k < trees * shape.targets; ++k) {
        soothi_ensemble_node level[9];
        memset(level, 0, sizeof level);
        for (uint32_t l = 0; l < 9; ++l) {
            level[l].feature = sooth_rng_below(rng, COLS - 1);
            level[l].threshold = any_float(rng);
            level[l].missing_right = sooth_rng_below(rng, 2);
        }
        const uint32_t n = any_tree(rng, 0, 1, sooth_rng_below(rng, depth + 1), k % 3 ? NULL : level);
        CHECK_STATUS(soothi_ensemble_add_plain_tree(&builder, node, n, NULL), SOOTH_OK);
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    return e;
}

/* Is every answer that of the ensemble, bit by bit, and nothing else written? */
static void compare(const sooth_ensemble *e, size_t rows, size_t stride) {
    const size_t size = sooth_scorer_size(e), numbers = rows * e->head.targets;
    sooth_scorer *scorer;
    sooth_env env;
    sooth_env_init(&env);
    void *memory = malloc(size);
    CHECK(size > 0);
    if (!memory) return;
    CHECK_STATUS(sooth_scorer_init(&env, e, memory, size, &scorer), SOOTH_OK);
    void *work = malloc(sooth_scorer_scratch_size(scorer));
    for (int turn = 0; turn < 2 && work; ++turn) { /* at last without the vectors of some processors */
        if (turn) scorer->avx2 = 0;
        memset(work, 0xA5, sooth_scorer_scratch_size(scorer));
        memset(said, 0xA5, sizeof said);
        memcpy(expected, said, sizeof said);
        sooth_ensemble_predict_many(e, x, rows, stride, expected);
        sooth_scorer_predict_many(scorer, x, rows, stride, said, work);
        CHECK(memcmp(said, expected, numbers * sizeof *said) == 0);
        CHECK(memcmp(said, expected, sizeof said) == 0);
    }
    free(work);
    free(memory);
}

static void any_rows(sooth_rng *rng, int missing) {
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = any_float(rng);
    for (size_t i = 0; missing && i < ROWS; i += 9) {
        x[i * COLS + sooth_rng_below(rng, COLS)] = NAN;
        x[i * COLS + sooth_rng_below(rng, COLS)] = (float)(i % 2 ? INFINITY : -INFINITY);
    }
}

static void what_the_ensemble_says(void) {
    static const size_t rows[] = {ROWS, 1, 63, 64, 65, 255, 256, 257, 320, 600};
    sooth_env env;
    sooth_rng rng;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 7, 0);
    for (uint32_t seed = 0; seed < 60; ++seed) {
        any_rows(&rng, seed % 2);
        sooth_ensemble *e = any_ensemble(&env, &rng, 1 + sooth_rng_below(&rng, 12), seed % 9);
        if (!e) return;
        compare(e, rows[seed % (sizeof rows / sizeof *rows)], COLS);
        sooth_ensemble_free(&env, e);
    }
}

/* Trees that boosting grows, by level and symmetric; rows that stand apart. */
static void what_boosting_says(void) {
    sooth_env env;
    sooth_rng rng;
    sooth_boost_options options;
    static float y[ROWS];
    sooth_env_init(&env);
    sooth_rng_init(&rng, 8, 0);
    for (uint32_t k = 0; k < 8; ++k) {
        sooth_boost *boost;
        for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = k & 1u && i % 5 == 0 ? NAN : sooth_rng_float(&rng);
        for (size_t i = 0; i < ROWS; ++i) y[i] = (x[i * COLS] > 0.3f ? 5.0f : 1.0f) + (float)(i % 7);
        const sooth_table table = sooth_table_of(x, y, ROWS, COLS);
        memset(&options, 0, sizeof options);
        options.n_estimators = 20;
        options.max_depth = 5;
        options.grow_policy = k & 2u ? SOOTH_BOOST_SYMMETRIC : SOOTH_BOOST_DEPTHWISE;
        if (k & 4u) { /* leaves that cross: both sort them */
            const double level[] = {0.3, 0.5, 0.6};
            memcpy(options.quantiles, level, sizeof level);
            options.learning_rate = 1.0;
        }
        CHECK_STATUS(sooth_boost_fit(&env, &table, &options, &boost), SOOTH_OK);
        if (!boost) return;
        compare(boost, ROWS, COLS);
        compare(boost, ROWS / 2, 2 * COLS);
        sooth_boost_free(&env, boost);
    }
}

static void what_is_refused(void) {
    sooth_env env;
    sooth_rng rng;
    sooth_scorer *scorer;
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    static double room[1 << 14];
    sooth_env_init(&env);
    sooth_rng_init(&rng, 9, 0);
    e = any_ensemble(&env, &rng, 3, 3);
    if (!e) return;
    const size_t size = sooth_scorer_size(e);
    CHECK(size > 0 && size < sizeof room);
    CHECK_FAILS(&env, sooth_scorer_init(&env, e, room, size - 1, &scorer), SOOTH_NO_MEMORY, "needs");
    CHECK(scorer == NULL);
    CHECK_FAILS(&env, sooth_scorer_init(&env, e, NULL, size, &scorer), SOOTH_NO_MEMORY, "given 0");
    CHECK_FAILS(&env, sooth_scorer_init(&env, e, (char *)room + 1, sizeof room - 8, &scorer),
                SOOTH_BAD_ARGUMENT, "aligned");
    CHECK_STATUS(sooth_scorer_init(NULL, e, room, size, &scorer), SOOTH_OK);
    sooth_ensemble_free(&env, e);
    /* a chain of nine questions */
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = shape.targets = 1;
    memset(node, 0, sizeof node);
    for (uint32_t k = 0; k < 18; k += 2) {
        node[k].left = k + 1;
        node[k].right = k + 2;
        node[k].threshold = (float)k;
    }
    CHECK_STATUS(soothi_ensemble_begin(&builder, &env, &shape), SOOTH_OK);
    soothi_ensemble_add_plain_tree(&builder, node, 19, NULL);
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    if (!e) return;
    CHECK(sooth_scorer_size(e) == 0);
    CHECK_FAILS(&env, sooth_scorer_init(&env, e, room, sizeof room, &scorer), SOOTH_BAD_ARGUMENT, "8 levels");
    sooth_ensemble_free(&env, e);
}

int main(void) {
    CHECK_RUN(what_the_ensemble_says);
    CHECK_RUN(what_boosting_says);
    CHECK_RUN(what_is_refused);
    return check_end("scorer");
}
