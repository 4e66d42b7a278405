/* test_ensemble_ends.c - every condition of the checks of tree ensembles, and predictions at their ends.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/forest.h"
#include "check.h"

enum { ROWS = 40, COLS = 3 };
static sooth_env env;
static float x[ROWS * COLS], y[ROWS];
static sooth_table table;

static void fill(void) {
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = (float)((i * (7 + 4 * j)) % 23);
        y[i] = 3 * x[i * COLS] + x[i * COLS + 1];
    }
    table = sooth_table_of(x, y, ROWS, COLS);
}

/* `trees` stumps on column 0 at 1: leaves of -value and value for every target, or value and 3 value where
   `exact` gives them low parts. */
static sooth_ensemble *stumps(uint32_t kind, uint32_t trees, uint32_t targets, uint32_t flags, double value) {
    soothi_ensemble_shape shape;
    soothi_ensemble_builder b;
    soothi_ensemble_node node[3];
    sooth_ensemble *e;
    float *values = (float *)calloc(3 * (size_t)targets, sizeof *values);
    memset(&shape, 0, sizeof shape);
    shape.kind = kind;
    shape.features = COLS;
    shape.targets = targets;
    shape.flags = flags;
    soothi_ensemble_begin(&b, &env, &shape);
    memset(node, 0, sizeof node);
    node[0].left = 1;
    node[0].right = 2;
    node[0].threshold = 1;
    node[1].value = -value;
    node[2].value = value;
    for (size_t t = 0; t < targets; ++t) {
        values[targets + t] = (float)-value - (float)t;
        values[2 * targets + t] = (float)value + (float)t;
    }
    for (uint32_t k = 0; k < trees; ++k)
        soothi_ensemble_add_plain_tree(&b, node, 3, flags & SOOTH_ENSEMBLE_ROWS ? values : NULL);
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_OK);
    free(values);
    return e;
}

/* A copy with `more` bytes behind; free() it. */
static sooth_ensemble *copy_of(const sooth_ensemble *e, size_t more) {
    sooth_ensemble *copy = (sooth_ensemble *)calloc(1, e->head.size + more);
    memcpy(copy, e, e->head.size);
    return copy;
}

static int sound(sooth_ensemble *copy, uint32_t kind) {
    soothi_block_seal(&copy->head);
    return soothi_ensemble_check(copy, copy->head.size, kind);
}

/* Each head is wrong in one way, and the sum of the words that it claims is as it was. */
static void heads_are_refused(void) {
    sooth_ensemble *e = stumps(SOOTH_KIND_FOREST, 4, 2, 0, 1);
    static const struct {
        uint32_t features, targets, trees, nodes, shift, flags, link, table_depth;
    } bad[] = {
        {0, 2, 4, 12, 4, 0, 0, 0},
        {3, 0, 4, 12, 4, 0, 0, 0},
        {3, 2, 0, 12, 4, 0, 0, 0},
        {3, 2, 4, 3, 4, 0, 0, 0},
        {3, 2, 0x1000000, 0x1000000, 4, 0, 0, 0},
        {3, 2, 4, 12, 1, 0, 0, 0},
        {3, 2, 4, 12, 32, 0, 0, 0},
        {3, 2, 4, 12, 4, 32, 0, 0},
        {3, 2, 4, 12, 4, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC + 1, 0},
        {3, 2, 4, 12, 4, 0, 0, 9},
        {3, 2, 4, 12, 4, SOOTH_ENSEMBLE_LOW, 0, 0},
        {3, 2, 4, 12, 4, SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_ROWS, 0, 0},
        {3, 2, 4, 12, 4, SOOTH_ENSEMBLE_ROWS, 0, 1},
        {3, 2, 4, 12, 4, SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_EXACT, 0, 1},
        {3, 2, 3, 12, 4, 0, 0, 0},
    };
    CHECK(sound(e, SOOTH_KIND_FOREST) && e->shift == 4 && e->nodes == 12);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        sooth_ensemble *copy = copy_of(e, 0);
        copy->head.features = bad[k].features;
        copy->head.targets = bad[k].targets;
        copy->trees = bad[k].trees;
        copy->nodes = bad[k].nodes;
        copy->shift = bad[k].shift;
        copy->flags = bad[k].flags;
        copy->link = bad[k].link;
        copy->table_depth = bad[k].table_depth;
        CHECK(!sound(copy, SOOTH_KIND_FOREST));
        free(copy);
    }
    sooth_ensemble_free(&env, e);
}

/* A block that is sound as a block, but shorter or longer than the ensemble in it says. */
static void sizes_are_refused(void) {
    sooth_ensemble *e = stumps(SOOTH_KIND_FOREST, 4, 1, 0, 1), *copy = copy_of(e, 16);
    copy->head.size += 16;
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    copy->head.size = copy->head.bytes_at = copy->head.doubles_at = 48;
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    free(copy);
    copy = copy_of(e, 0); /* the numbers by feature begin elsewhere, or are of another number */
    copy->head.doubles_at -= 16;
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    copy->head.doubles_at += 16;
    copy->head.features = 5;
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    free(copy);
    sooth_ensemble_free(&env, e);
}

/* A sum of one tree for each target, with room for levels that ascend from 0.1, as format 4. */
static sooth_ensemble *leveled(uint32_t kind, uint32_t targets) {
    sooth_ensemble *e =
        soothi_ensemble_extend(&env, stumps(kind, targets, targets, SOOTH_ENSEMBLE_EXACT, 1), targets);
    float *level = (float *)(void *)e + soothi_ensemble_lay_out(e).extra;
    for (uint32_t t = 0; t < targets; ++t) level[t] = 0.1f * (float)(t + 1);
    e->flags |= SOOTH_ENSEMBLE_QUANTILES;
    e->head.kind = kind + (4u << 16);
    return e;
}

/* Two to eight quantiles, of boosting. All else of these blocks is sound. */
static void numbers_of_quantiles_are_refused(void) {
    for (uint32_t targets = 1; targets < 10; ++targets) {
        sooth_ensemble *e = leveled(SOOTH_KIND_BOOST, targets), *f = leveled(SOOTH_KIND_FOREST, targets);
        CHECK(sound(e, SOOTH_KIND_BOOST) == (targets >= 2 && targets <= 8));
        CHECK(!sound(f, SOOTH_KIND_FOREST));
        e->flags ^= SOOTH_ENSEMBLE_QUANTILES;
        f->flags ^= SOOTH_ENSEMBLE_QUANTILES;
        e->head.kind = SOOTH_KIND_BOOST + (1u << 16);
        f->head.kind = SOOTH_KIND_FOREST + (1u << 16);
        CHECK(sound(e, SOOTH_KIND_BOOST) && sound(f, SOOTH_KIND_FOREST));
        sooth_ensemble_free(&env, e);
        sooth_ensemble_free(&env, f);
    }
}

/* Levels lie between 0 and 1 and ascend, wherever in the list one does not. */
static void levels_are_refused(void) {
    const float wrong[] = {0.0f, -0.1f, 1.0f, NAN, INFINITY, -INFINITY};
    sooth_ensemble *e = leveled(SOOTH_KIND_BOOST, 8);
    float *level = (float *)(void *)e + soothi_ensemble_lay_out(e).extra;
    CHECK(sound(e, SOOTH_KIND_BOOST));
    for (size_t t = 0; t < 8; ++t) {
        const float was = level[t];
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
            level[t] = wrong[k];
            CHECK(!sound(e, SOOTH_KIND_BOOST));
        }
        level[t] = t ? level[t - 1] : level[1];
        CHECK(!sound(e, SOOTH_KIND_BOOST));
        level[t] = nextafterf(level[t], t ? 1.0f : 0.0f); /* just above, or just below */
        CHECK(sound(e, SOOTH_KIND_BOOST));
        level[t] = was;
    }
    sooth_ensemble_free(&env, e);
}

/* The second form must be as deep as the deepest tree, and say what the trees say. */
static void second_forms_are_refused(void) {
    sooth_forest_options options;
    sooth_ensemble *e, *copy;
    memset(&options, 0, sizeof options);
    options.n_estimators = 8;
    options.max_depth = 3;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &options, &e), SOOTH_OK);
    CHECK(e->table_depth == 3 && e->depth == 3);
    copy = copy_of(e, 0);
    copy->table_depth = 2;
    copy->extra = (24u << 3) - (24u << 2);
    CHECK(soothi_ensemble_lay_out(copy).end == soothi_ensemble_lay_out(e).end);
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    free(copy);
    copy = copy_of(e, 0);
    ((uint32_t *)(void *)copy)[soothi_ensemble_lay_out(copy).table + 20] ^= 1;
    CHECK(!sound(copy, SOOTH_KIND_FOREST));
    free(copy);
    sooth_ensemble_free(&env, e);
}

static void rounds_keep_no_rows(void) {
    int roomy = 0;
    for (uint32_t trees = 1; trees < 4; ++trees) {
        sooth_ensemble *e = stumps(SOOTH_KIND_BOOST, trees, 1, SOOTH_ENSEMBLE_EXACT, 1),
                       *copy = copy_of(e, 0);
        sooth_ensemble *other = stumps(SOOTH_KIND_FOREST, trees, 1, 0, 1);
        CHECK(sooth_boost_check(e, e->head.size) && !sooth_boost_check(other, other->head.size));
        CHECK(sooth_forest_check(other, other->head.size) && !sooth_forest_check(e, e->head.size));
        if (soothi_ensemble_lay_out(e).end % 4 != 0) { /* there is room for a word */
            copy->extra = 1;
            CHECK(sound(copy, SOOTH_KIND_BOOST) && !sooth_boost_check(copy, copy->head.size));
            roomy = 1;
        }
        free(copy);
        sooth_ensemble_free(&env, e);
        sooth_ensemble_free(&env, other);
    }
    CHECK(roomy);
}

/* Kept rows: their targets rise, the nodes' ranges follow each other, only leaves have some, ranks exist. */
static void kept_rows_are_refused(void) {
    sooth_forest_options options;
    sooth_forest *forest;
    uint32_t inner = 0, wrong;
    memset(&options, 0, sizeof options);
    options.n_estimators = 3;
    options.max_depth = 3;
    options.keep_rows = 1;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &options, &forest), SOOTH_OK);
    CHECK(sooth_forest_check(forest, forest->head.size) && sooth_forest_has_quantiles(forest));
    for (wrong = 0; wrong < 11; ++wrong) {
        sooth_forest *copy = copy_of(forest, 0);
        uint32_t *word = (uint32_t *)(void *)copy + soothi_ensemble_lay_out(copy).extra;
        const uint32_t rows = word[0], nodes = copy->nodes;
        float *target = (float *)(void *)(word + 1);
        uint32_t *first = word + 1 + rows, *rank = first + nodes + 1;
        CHECK(rows > 4 && first[nodes] > 4);
        switch (wrong) {
        case 0: word[0] = 0; break;
        case 1: word[0] = copy->extra; break;
        case 2: word[0] = copy->extra - nodes - 1; break; /* one word too many */
        case 3: first[0] = 1; break;
        case 4: ++first[nodes]; break;
        case 5: target[1] = target[rows - 1] + 1; break;
        case 6: target[rows - 1] = NAN; break;
        case 7: /* after the first leaf, less than before it */
            for (inner = 0; !first[inner + 1];) ++inner;
            first[inner + 2] = 0;
            break;
        case 8: /* an inner node before a leaf takes a row of its */
            for (inner = 0;
                 !(soothi_ensemble_nodes(copy)[inner].link & 1u) || first[inner + 2] == first[inner + 1];)
                ++inner;
            ++first[inner + 1];
            break;
        case 9: rank[0] = rows; break;
        default: copy->nodes = 1; break; /* no ensemble */
        }
        soothi_block_seal(&copy->head);
        CHECK(!sooth_forest_check(copy, copy->head.size));
        free(copy);
    }
    sooth_forest_free(&env, forest);
}

/* A file may have leaves that no row reached: they have no vote, and the answer is a target all the same. */
static void empty_leaves_have_no_vote(void) {
    sooth_forest_options options;
    sooth_forest *forest;
    const float half = 0.5f;
    float out, least = y[0], most = y[0];
    uint32_t leaf[1];
    memset(&options, 0, sizeof options);
    options.n_estimators = 1;
    options.max_depth = 1;
    options.keep_rows = 1;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &options, &forest), SOOTH_OK);
    uint32_t *word = (uint32_t *)(void *)forest + soothi_ensemble_lay_out(forest).extra;
    uint32_t *first = word + 1 + word[0];
    CHECK(forest->nodes == 3);
    first[2] = 0;
    soothi_block_seal(&forest->head);
    CHECK(sooth_forest_check(forest, forest->head.size));
    for (size_t i = 0; i < ROWS; ++i) {
        least = fminf(least, y[i]);
        most = fmaxf(most, y[i]);
    }
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_forest_quantiles(forest, x + i * COLS, &half, 1, leaf, &out);
        CHECK(out >= least && out <= most && (leaf[0] == 2 || out >= ((const float *)word)[word[0]]));
    }
    sooth_forest_free(&env, forest);
}

/* Means of great numbers are exact; of a file whose sum no float holds, they stay between the bounds that it
   states. */
static void means_stay_between_their_numbers(void) {
    static const double value[] = {1e30, 3e30, 1e38};
    const float low[COLS] = {0, 0, 0}, high[COLS] = {2, 0, 0};
    for (size_t k = 0; k < 3; ++k) {
        sooth_ensemble *e = stumps(SOOTH_KIND_FOREST, 3, 1, SOOTH_ENSEMBLE_MEAN, value[k]),
                       *copy = copy_of(e, 0);
        CHECK_NEAR(sooth_ensemble_predict(e, low), -(float)value[k], 0);
        CHECK_NEAR(sooth_ensemble_predict(e, high), (float)value[k], 0);
        copy->table_depth = 0;
        for (uint32_t i = 0; i < 9; ++i) {
            sooth_tree_node *node = (sooth_tree_node *)(void *)(copy + 1) + i;
            if (i % 3) node->u.value = i % 3 == 1 ? -3e38f : 3e38f;
        }
        CHECK_NEAR(sooth_ensemble_predict(copy, low), -(float)value[k], 0);
        CHECK_NEAR(sooth_ensemble_predict(copy, high), (float)value[k], 0);
        free(copy);
        sooth_ensemble_free(&env, e);
    }
}

/* Seventeen targets are one more than a walk takes at once; more trees than there are mean all. */
static void many_targets_take_several_walks(void) {
    const uint32_t targets = 17, trees = 5;
    sooth_ensemble *e = stumps(SOOTH_KIND_FOREST, trees, targets, SOOTH_ENSEMBLE_ROWS, 2);
    const float rows[2 * COLS] = {0, 0, 0, 2, 0, 0};
    float out[34], first[34];
    sooth_ensemble_predict_many(e, rows, 2, COLS, out);
    sooth_ensemble_predict_first(e, rows, 2, COLS, trees + 1, first);
    CHECK(memcmp(out, first, sizeof out) == 0);
    for (uint32_t t = 0; t < targets; ++t) {
        CHECK_NEAR(out[t], -5.0 * (2 + t), 1e-5);
        CHECK_NEAR(out[targets + t], 5.0 * (2 + t), 1e-5);
    }
    sooth_ensemble_predict_first(e, rows, 2, COLS, 1, first);
    CHECK_NEAR(first[16], -18, 1e-6);
    sooth_ensemble_free(&env, e);
}

/* What 32 bits do not hold is said as their greatest number. */
static void costs_saturate(void) {
    sooth_ensemble *e = stumps(SOOTH_KIND_FOREST, 2, 2, SOOTH_ENSEMBLE_ROWS, 1);
    CHECK(soothi_ensemble_cost(e).multiply_adds == 4 && soothi_ensemble_cost(e).comparisons == 8);
    e->trees = 0xFFFFFF;
    e->head.targets = 1000;
    e->depth = 1000;
    CHECK(soothi_ensemble_cost(e).multiply_adds == UINT32_MAX &&
          soothi_ensemble_cost(e).comparisons == UINT32_MAX);
    e->trees = 2;
    e->head.targets = 2;
    sooth_ensemble_free(&env, e);
}

int main(void) {
    sooth_env_init(&env);
    fill();
    CHECK_RUN(heads_are_refused);
    CHECK_RUN(sizes_are_refused);
    CHECK_RUN(numbers_of_quantiles_are_refused);
    CHECK_RUN(levels_are_refused);
    CHECK_RUN(second_forms_are_refused);
    CHECK_RUN(rounds_keep_no_rows);
    CHECK_RUN(kept_rows_are_refused);
    CHECK_RUN(empty_leaves_have_no_vote);
    CHECK_RUN(means_stay_between_their_numbers);
    CHECK_RUN(many_targets_take_several_walks);
    CHECK_RUN(costs_saturate);
    return check_end("ensemble_ends");
}
