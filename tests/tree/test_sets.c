/* test_sets.c - nodes that ask whether a category is in a set, against a walk written anew.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/core_cost.h"
#include "sooth/explain.h"
#include "sooth/export/c.h"
#include "sooth/export/integers_convert.h"
#include "sooth/export/xgboost.h"
#include "check.h"

static sooth_env env;
static sooth_rng rng;

enum { FEATURES = 4, TREES = 11, MOST = 41, WORDS = 3, ROWS = 600, MOST_TARGETS = 2 };

/* ---- trees as they are given to the builder, and what they say ---- */

typedef struct plain_tree {
    soothi_ensemble_node node[MOST];
    uint32_t word[MOST][WORDS];
    float value[MOST * MOST_TARGETS];
    size_t count;
} plain_tree;

static plain_tree tree[TREES];

/* Features 0 and 1 are numbers, 2 is a category, 3 is both. Sets may be empty, or have no words at all. */
static void grow(plain_tree *t, size_t nodes, int sets) {
    memset(t, 0, sizeof *t);
    for (t->count = 1; t->count + 2 <= nodes; t->count += 2) {
        size_t k;
        do k = sooth_rng_below(&rng, (uint32_t)t->count);
        while (t->node[k].left);
        soothi_ensemble_node *node = &t->node[k];
        node->left = (uint32_t)t->count;
        node->right = node->left + 1;
        node->feature = sooth_rng_below(&rng, FEATURES);
        node->missing_right = sooth_rng_below(&rng, 2);
        node->threshold = (float)sooth_rng_below(&rng, 9) / 2 - 2;
        node->gain = 1.0;
        if (!sets || node->feature < 2 || (node->feature == 3 && sooth_rng_below(&rng, 2))) continue;
        node->set = t->word[k];
        node->set_words = sooth_rng_below(&rng, WORDS + 1);
        for (uint32_t w = 0; w < node->set_words; ++w) t->word[k][w] = sooth_rng_next(&rng);
    }
    for (size_t k = 0; k < t->count; ++k) {
        t->node[k].value = 2.0 * sooth_rng_double(&rng) - 1.0;
        for (size_t i = 0; i < MOST_TARGETS; ++i)
            t->value[k * MOST_TARGETS + i] = sooth_rng_float(&rng) - 0.5f;
    }
    for (size_t k = t->count; k-- > 0;) /* covers that add up */
        t->node[k].cover = t->node[k].left ? t->node[t->node[k].left].cover + t->node[t->node[k].right].cover
                                           : (float)(1 + sooth_rng_below(&rng, 9));
}

/* Which way number v goes: by sets of whole numbers, as a list of them would say it. */
static int goes_left(const soothi_ensemble_node *node, float v, int zeros) {
    if (isnan(v)) return !node->missing_right;
    if (!node->set) return v <= node->threshold;
    const float whole = truncf(v);
    if (v < 0 && (!zeros || v <= -1)) return 0;
    for (uint32_t c = 0; c < 32 * node->set_words; ++c)
        if (whole >= (float)c && whole <= (float)c) return (int)(node->set[c / 32] >> (c % 32) & 1u);
    return 0;
}

static uint32_t leaf_of(const plain_tree *t, const float *row, int zeros) {
    uint32_t at = 0;
    while (t->node[at].left)
        at = goes_left(&t->node[at], row[t->node[at].feature], zeros) ? t->node[at].left : t->node[at].right;
    return at;
}

static float random_number(void) {
    static const float special[] = {-0.0f,      0,     -0.5f,    -0.99999994f, -1.0f,         95,      96,
                                    4.2e9f,     3e38f, -3e38f,   1e30f,        4294967296.0f, -1e-45f, 31,
                                    31.999998f, 32,    0.99999f, -2.0f,        2147483648.0f};
    const uint32_t odd = sooth_rng_below(&rng, 30);
    if (odd < 3) return odd == 0 ? NAN : odd == 1 ? INFINITY : -INFINITY;
    switch (sooth_rng_below(&rng, 4)) {
    case 0: return special[sooth_rng_below(&rng, sizeof special / sizeof *special)];
    case 1: return 4 * sooth_rng_float(&rng) - 2;
    default: return (float)sooth_rng_below(&rng, 32 * WORDS + 2);
    }
}

static sooth_ensemble *build(uint32_t kind, uint32_t targets, uint32_t flags, size_t trees) {
    soothi_ensemble_shape shape;
    soothi_ensemble_builder b;
    sooth_ensemble *e;
    memset(&shape, 0, sizeof shape);
    shape.kind = kind;
    shape.features = FEATURES;
    shape.targets = targets;
    shape.flags = flags;
    soothi_ensemble_begin(&b, &env, &shape);
    for (size_t k = 0; k < trees; ++k)
        soothi_ensemble_add_plain_tree(&b, tree[k].node, tree[k].count,
                                       flags & SOOTH_ENSEMBLE_ROWS ? tree[k].value : NULL);
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_OK);
    return e;
}

static void grow_all(size_t nodes) {
    for (size_t k = 0; k < TREES; ++k) grow(&tree[k], k == 3 ? 1 : nodes, 1);
}

/* ---- predictions ---- */

/* Breadth-first numbers of the nodes of a tree: those that the block has. */
static uint32_t place_of(const plain_tree *t, uint32_t wanted) {
    uint32_t order[MOST], end = 1;
    order[0] = 0;
    for (uint32_t k = 0; k < end; ++k) {
        if (order[k] == wanted) return k;
        if (t->node[order[k]].left) {
            order[end++] = t->node[order[k]].left;
            order[end++] = t->node[order[k]].right;
        }
    }
    return UINT32_MAX;
}

static void rows_go_where_they_must(void) {
    static const uint32_t shapes[][3] = {
        {SOOTH_KIND_BOOST, 1, 0},
        {SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_ZEROS | SOOTH_ENSEMBLE_COVER},
        {SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_ZEROS},
        {SOOTH_KIND_FOREST, 1, SOOTH_ENSEMBLE_MEAN},
        {SOOTH_KIND_BOOST, 2, SOOTH_ENSEMBLE_ROWS | SOOTH_ENSEMBLE_COVER},
    };
    static float x[ROWS * FEATURES], many[ROWS * MOST_TARGETS], first[ROWS * MOST_TARGETS];
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        const uint32_t targets = shapes[s][1], flags = shapes[s][2];
        const int zeros = (flags & SOOTH_ENSEMBLE_ZEROS) != 0, wide = (flags & SOOTH_ENSEMBLE_ROWS) != 0;
        sooth_rng_init(&rng, 1, s);
        grow_all(MOST);
        sooth_ensemble *e = build(shapes[s][0], targets, flags, TREES);
        CHECK(soothi_ensemble_check(e, e->head.size, shapes[s][0]) && e->head.kind >> 16 == 3);
        CHECK(e->sets > 20 && e->table_depth == 0 && (e->flags & SOOTH_ENSEMBLE_SETS));
        for (size_t i = 0; i < ROWS * FEATURES; ++i) x[i] = random_number();
        sooth_ensemble_predict_many(e, x, ROWS, FEATURES, many);
        sooth_ensemble_predict_first(e, x, ROWS, FEATURES, 5, first);
        for (size_t i = 0; i < ROWS; ++i) {
            const float *row = x + i * FEATURES;
            uint32_t leaf[TREES];
            double sum[MOST_TARGETS] = {0, 0}, five[MOST_TARGETS] = {0, 0};
            soothi_ensemble_leaves(e, row, leaf);
            for (uint32_t k = 0; k < TREES; ++k) {
                const uint32_t at = leaf_of(&tree[k], row, zeros);
                CHECK(leaf[k] == soothi_ensemble_start(e)[k] + place_of(&tree[k], at));
                for (uint32_t t = 0; t < targets; ++t) {
                    const double v =
                        wide ? (double)tree[k].value[at * MOST_TARGETS + t] : tree[k].node[at].value;
                    sum[t] += v;
                    if (k < 5) five[t] += v;
                }
            }
            for (uint32_t t = 0; t < targets; ++t) {
                const int mean = (flags & SOOTH_ENSEMBLE_MEAN) != 0;
                CHECK_NEAR(many[i * targets + t], mean ? sum[t] / TREES : sum[t], 3e-6);
                CHECK_NEAR(first[i * targets + t], mean ? five[t] / 5 : five[t], 3e-6);
            }
            const float one = sooth_ensemble_predict(e, row);
            CHECK(soothi_bits(one) == soothi_bits(many[i * targets]));
            if (check_failures) return;
        }
        sooth_ensemble_free(&env, e);
    }
}

/* ---- what is inside ---- */

static void nodes_are_seen(void) {
    uint32_t sets = 0;
    sooth_rng_init(&rng, 2, 0);
    grow_all(MOST);
    sooth_ensemble *e = build(SOOTH_KIND_BOOST, 1, 0, TREES);
    for (uint32_t k = 0; k < TREES; ++k)
        for (uint32_t i = 0; i < tree[k].count; ++i) {
            const soothi_ensemble_node *from = &tree[k].node[i];
            const uint32_t at = soothi_ensemble_start(e)[k] + place_of(&tree[k], i);
            soothi_ensemble_node seen;
            uint32_t words = 7;
            soothi_ensemble_look(e, at, &seen);
            CHECK((seen.set != NULL) == (from->set != NULL) && seen.set_words == from->set_words);
            CHECK(soothi_ensemble_set(e, at, &words) == seen.set && words == seen.set_words);
            if (from->set_words) CHECK(memcmp(seen.set, from->set, 4 * (size_t)from->set_words) == 0);
            if (from->left && !from->set) CHECK_NEAR(seen.threshold, from->threshold, 0);
            CHECK(isnan(seen.threshold) == (seen.set != NULL));
            sets += seen.set != NULL;
        }
    CHECK(sets == e->sets && sets > 20);
    CHECK(soothi_ensemble_cost(e).bytes == e->head.size &&
          soothi_ensemble_cost(e).comparisons >= 16 * e->depth);
    sooth_ensemble_free(&env, e);
}

/* An ensemble without sets is what it was, whatever its flags were to begin with. */
static void without_sets_nothing_changes(void) {
    sooth_rng_init(&rng, 3, 0);
    for (size_t k = 0; k < TREES; ++k) grow(&tree[k], 3, 0);
    sooth_ensemble *plain = build(SOOTH_KIND_BOOST, 1, 0, TREES);
    sooth_ensemble *zeros = build(SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_ZEROS, TREES);
    CHECK(plain->head.kind >> 16 == 1 && plain->flags == 0 && plain->sets == 0 && plain->table_depth > 0);
    CHECK(plain->head.size == zeros->head.size && memcmp(plain, zeros, plain->head.size) == 0);
    CHECK(sizeof *plain == 80);
    sooth_ensemble_free(&env, plain);
    sooth_ensemble_free(&env, zeros);
}

/* All arrays but the doubles, of which some end where 16 bytes do. */
static void every_word_is_one_of_an_array(void) {
    uint32_t full = 0;
    sooth_rng_init(&rng, 8, 0);
    for (size_t k = 0; k < 4 * TREES; ++k) {
        if (k % TREES == 0) grow_all(MOST - k / 2);
        sooth_ensemble *e = build(SOOTH_KIND_BOOST, 1, 0, 1 + k % TREES);
        const uint32_t words = 20 + 2 * e->nodes + (e->trees + 1) + 2 + 2 + (e->sets + 1 + e->set_words);
        CHECK(e->sets > 0 && e->head.doubles_at == (4 * words + 15) / 16 * 16);
        full += words % 4 == 0;
        sooth_ensemble_free(&env, e);
    }
    CHECK(full > 0);
}

/* Trees that are added later, and trees that are taken back, leave the same bytes as those made at once. */
static void more_and_fewer_trees(void) {
    soothi_ensemble_builder b;
    sooth_ensemble *again;
    double gain[FEATURES];
    sooth_rng_init(&rng, 4, 0);
    grow_all(MOST);
    sooth_ensemble *some = build(SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_COVER, 6),
                   *all = build(SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_COVER, TREES);
    soothi_ensemble_resume(&b, &env, some);
    for (size_t k = 6; k < TREES; ++k) soothi_ensemble_add_plain_tree(&b, tree[k].node, tree[k].count, NULL);
    CHECK_STATUS(soothi_ensemble_end(&b, &again), SOOTH_OK);
    CHECK(again->head.size == all->head.size && memcmp(again, all, all->head.size) == 0);
    sooth_ensemble_free(&env, again);
    soothi_ensemble_gain(some, gain);
    soothi_ensemble_resume(&b, &env, all);
    soothi_ensemble_cut(&b, 6, gain);
    CHECK_STATUS(soothi_ensemble_end(&b, &again), SOOTH_OK);
    CHECK(again->head.size == some->head.size && again->sets == some->sets);
    CHECK(memcmp(again + 1, some + 1,
                 some->sets && again->sets == some->sets
                     ? soothi_ensemble_start(some) - (const uint32_t *)(some + 1)
                     : 1) == 0);
    CHECK(soothi_ensemble_lay_out(again).extra == soothi_ensemble_lay_out(some).extra);
    CHECK(memcmp((const uint32_t *)(const void *)again + soothi_ensemble_lay_out(again).set,
                 (const uint32_t *)(const void *)some + soothi_ensemble_lay_out(some).set,
                 4 * (size_t)(some->sets + 1 + some->set_words)) == 0);
    sooth_ensemble_free(&env, again);
    soothi_ensemble_resume(&b, &env, all);
    soothi_ensemble_cut(&b, TREES, gain); /* none */
    CHECK_STATUS(soothi_ensemble_end(&b, &again), SOOTH_OK);
    CHECK(memcmp(again, all, all->head.size) == 0);
    sooth_ensemble_free(&env, again);
    sooth_ensemble_free(&env, some);
    sooth_ensemble_free(&env, all);
}

static sooth_status two_trees(sooth_env *own, sooth_ensemble **e) {
    const soothi_ensemble_shape shape = {SOOTH_KIND_BOOST, FEATURES, 1, 0, 0, 0};
    soothi_ensemble_builder b;
    sooth_ensemble *first = NULL;
    sooth_status status;
    *e = NULL;
    soothi_ensemble_begin(&b, own, &shape);
    soothi_ensemble_add_plain_tree(&b, tree[0].node, tree[0].count, NULL);
    status = soothi_ensemble_end(&b, &first);
    if (status != SOOTH_OK) return status;
    soothi_ensemble_resume(&b, own, first);
    sooth_ensemble_free(own, first);
    soothi_ensemble_add_plain_tree(&b, tree[1].node, tree[1].count, NULL);
    return soothi_ensemble_end(&b, e);
}

static void memory_may_fail(void) {
    sooth_ensemble *e;
    sooth_env own;
    sooth_env_init(&own);
    sooth_rng_init(&rng, 5, 0);
    grow_all(MOST);
    CHECK_EVERY_ALLOCATION(&own, two_trees(&own, &e), sooth_ensemble_free(&own, e));
}

/* Neighbours that were given the same words share one set, in one tree; those of another tree do not. */
static void neighbours_share_a_set(void) {
    static const uint32_t shared[2] = {5, 8}, other[2] = {5, 8};
    sooth_ensemble *e;
    uint32_t words;
    grow(&tree[0], 1, 0);
    memset(tree[0].node, 0, sizeof tree[0].node);
    tree[0].count = 7;
    for (uint32_t k = 0; k < 3; ++k) {
        tree[0].node[k].left = 2 * k + 1;
        tree[0].node[k].right = 2 * k + 2;
        tree[0].node[k].set = k ? shared : NULL;
        tree[0].node[k].set_words = k ? 2 : 0;
    }
    tree[1] = tree[0];
    e = build(SOOTH_KIND_BOOST, 1, 0, 2);
    CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST) && e->sets == 2 && e->set_words == 4);
    CHECK(soothi_ensemble_set(e, 1, &words) == soothi_ensemble_set(e, 2, &words) && words == 2);
    CHECK(soothi_ensemble_set(e, 8, &words) == soothi_ensemble_set(e, 9, &words) && words == 2);
    CHECK(soothi_ensemble_set(e, 1, &words) != soothi_ensemble_set(e, 8, &words));
    CHECK(memcmp(soothi_ensemble_set(e, 9, &words), shared, sizeof shared) == 0);
    sooth_ensemble_free(&env, e);
    tree[0].node[2].set = other;
    e = build(SOOTH_KIND_BOOST, 1, 0, 1);
    CHECK(e->sets == 2 && soothi_ensemble_set(e, 1, &words) != soothi_ensemble_set(e, 2, &words));
    sooth_ensemble_free(&env, e);
}

static void too_much_is_refused(void) {
    const soothi_ensemble_shape shape = {SOOTH_KIND_BOOST, 1, 1, 0, 0, 0};
    soothi_ensemble_node node[3];
    soothi_ensemble_builder b;
    sooth_ensemble *e;
    const uint32_t word = 1;
    memset(node, 0, sizeof node);
    node[0].left = 1;
    node[0].right = 2;
    node[0].set = &word;
    node[0].set_words = UINT32_MAX;
    soothi_ensemble_begin(&b, &env, &shape);
    CHECK_FAILS(&env, soothi_ensemble_add_plain_tree(&b, node, 3, NULL), SOOTH_BAD_DATA,
                "set 1 of categories");
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA);
    node[0].set_words = 0; /* 2^22 sets */
    soothi_ensemble_begin(&b, &env, &shape);
    soothi_ensemble_add_plain_tree(&b, node, 3, NULL);
    b.first.used = 0x400000;
    CHECK_FAILS(&env, soothi_ensemble_add_plain_tree(&b, node, 3, NULL), SOOTH_BAD_DATA,
                "more than a model holds");
    b.first.used = 1;
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA);
}

/* A leaf may be any bits in a file; those of a set are none. */
static void leaves_are_no_sets(void) {
    const float row[FEATURES] = {1, 2, 3, 4};
    uint32_t leaf[TREES], words;
    sooth_rng_init(&rng, 6, 0);
    grow_all(3);
    for (size_t k = 0; k < TREES; ++k) tree[k].node[0].set = tree[k].word[0];
    sooth_ensemble *e = build(SOOTH_KIND_BOOST, 1, 0, TREES);
    for (uint32_t i = 0; i < e->nodes; ++i) {
        sooth_tree_node *node = (sooth_tree_node *)(void *)(e + 1) + i;
        if (!(node->link & 1u)) node->u.at = 0x7FFFFFFFu;
        if (!(node->link & 1u)) CHECK(!soothi_ensemble_set(e, i, &words) && words == 0);
    }
    soothi_block_seal(&e->head);
    CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK(isnan(sooth_ensemble_predict(e, row)));
    soothi_ensemble_leaves(e, row, leaf);
    for (uint32_t k = 0; k < TREES; ++k) CHECK(leaf[k] < e->nodes);
    sooth_ensemble_free(&env, e);
}

/* ---- explanations ---- */

/* The mean of a tree below node `at` where only the features in `known` are known: by cover (Lundberg et al.
   2018, algorithm 1). */
static double expect(const plain_tree *t, uint32_t at, const float *row, uint32_t known) {
    const soothi_ensemble_node *node = &t->node[at];
    if (!node->left) return node->value;
    if (known >> node->feature & 1u)
        return expect(t, goes_left(node, row[node->feature], 0) ? node->left : node->right, row, known);
    return ((double)t->node[node->left].cover * expect(t, node->left, row, known) +
            (double)t->node[node->right].cover * expect(t, node->right, row, known)) /
           (double)node->cover;
}

static void explanations_treat_sets_as_splits(void) {
    static const double weight[FEATURES] = {1.0 / 4, 1.0 / 12, 1.0 / 12, 1.0 / 4}; /* s! (3 - s)! / 4! */
    enum { few = 20 };
    float x[few * FEATURES];
    double phi[few * FEATURES], expected, importance[FEATURES];
    uint32_t splits[FEATURES] = {0, 0, 0, 0}, asked = 0, count[FEATURES];
    sooth_explain_step step[MOST];
    sooth_table table;
    sooth_rng_init(&rng, 7, 0);
    grow_all(21);
    sooth_ensemble *e = build(SOOTH_KIND_BOOST, 1, SOOTH_ENSEMBLE_COVER, TREES);
    const sooth_explain_trees v = sooth_explain_ensemble(e);
    for (size_t i = 0; i < few * FEATURES; ++i) do
            x[i] = random_number();
        while (isinf(x[i]));
    sooth_table_init(&table, x, few, FEATURES);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, &expected), SOOTH_OK);
    for (size_t i = 0; i < few; ++i) {
        const float *row = x + i * FEATURES;
        double sum = 0, whole = expected;
        uint32_t seen[FEATURES] = {0, 0, 0, 0};
        for (uint32_t k = 0; k < TREES; ++k) {
            const size_t steps = sooth_explain_path(&v, k, row, step);
            uint32_t at = 0, n = 0;
            sum += tree[k].node[leaf_of(&tree[k], row, 0)].value;
            for (; tree[k].node[at].left; ++n) {
                const soothi_ensemble_node *node = &tree[k].node[at];
                const int left = goes_left(node, row[node->feature], 0);
                CHECK(n < steps && step[n].feature == node->feature && step[n].right == (uint32_t)!left);
                CHECK(n < steps && isnan(step[n].threshold) == (node->set != NULL));
                asked += node->set != NULL;
                ++seen[node->feature];
                at = left ? node->left : node->right;
            }
            CHECK(n == steps);
        }
        sooth_explain_counts(&v, row, count);
        CHECK(memcmp(count, seen, sizeof count) == 0);
        CHECK_NEAR(sooth_explain_margin(&v, row, 0), sum, 1e-5);
        for (uint32_t j = 0; j < FEATURES; ++j) {
            double naive = 0;
            for (uint32_t k = 0; k < TREES; ++k)
                for (uint32_t s = 0; s < 1u << FEATURES; ++s) {
                    uint32_t size = 0;
                    for (uint32_t i2 = 0; i2 < FEATURES; ++i2) size += s >> i2 & 1u;
                    if (s >> j & 1u) continue;
                    naive +=
                        weight[size] * (expect(&tree[k], 0, row, s | 1u << j) - expect(&tree[k], 0, row, s));
                }
            CHECK_NEAR(phi[i * FEATURES + j], naive, 1e-5);
            whole += phi[i * FEATURES + j];
        }
        CHECK_NEAR(whole, sum, 1e-5);
    }
    CHECK(asked > 100);
    for (uint32_t k = 0; k < TREES; ++k)
        for (uint32_t i = 0; i < tree[k].count; ++i)
            if (tree[k].node[i].left) ++splits[tree[k].node[i].feature];
    CHECK_STATUS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_WEIGHT, importance), SOOTH_OK);
    for (uint32_t j = 0; j < FEATURES; ++j) CHECK_NEAR(importance[j], splits[j], 0);
    sooth_ensemble_free(&env, e);
}

/* ---- what cannot say them yet ---- */

static int nothing(void *user, const char *bytes, size_t size) {
    *(size_t *)user += size;
    (void)bytes;
    return 0;
}

static void others_refuse_them(void) {
    static const sooth_export_c_options branches = {.form = SOOTH_EXPORT_BRANCHES},
                                        plain = {.form = SOOTH_EXPORT_BRANCHES, .sum = SOOTH_EXPORT_PLAIN};
    size_t bytes = 0;
    sooth_sink sink = {&bytes, nothing, 0};
    sooth_integers_options options;
    sooth_integers *small = NULL;
    sooth_core_cost price;
    memset(&options, 0, sizeof options);
    sooth_rng_init(&rng, 8, 0);
    grow_all(21);
    sooth_ensemble *e = build(SOOTH_KIND_BOOST, 1, 0, TREES);
    CHECK(sooth_model_check(e, e->head.size));
    CHECK_FAILS(&env, sooth_export_xgboost(&env, sooth_model_from_block(&e->head), NULL, &sink),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    options.bits = 16;
    CHECK_FAILS(&env, sooth_integers_convert(&env, sooth_model_from_block(&e->head), &options, &small),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    CHECK_FAILS(&env,
                sooth_core_estimate(&env, sooth_model_from_block(&e->head), SOOTH_CORE_CORTEX_M0,
                                    SOOTH_CORE_FORM_C_IF, &price),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    CHECK_FAILS(&env, sooth_export_c(&env, sooth_model_from_block(&e->head), NULL, &sink), SOOTH_BAD_ARGUMENT,
                "feature 4 is numeric in one node and categorical in another");
    CHECK(bytes == 0);
    CHECK_STATUS(sooth_export_c(&env, sooth_model_from_block(&e->head), &branches, &sink), SOOTH_OK);
    CHECK_STATUS(sooth_export_c(&env, sooth_model_from_block(&e->head), &plain, &sink), SOOTH_OK);
    for (size_t k = 0; k < TREES; ++k)
        for (size_t i = 0; i < tree[k].count; ++i)
            if (tree[k].node[i].feature == 3) tree[k].node[i].feature = tree[k].node[i].set ? 2 : 1;
    sooth_ensemble *clean = build(SOOTH_KIND_BOOST, 1, 0, TREES);
    {
        sooth_env own;
        sooth_env_init(&own);
        CHECK_EVERY_ALLOCATION(&own, sooth_export_c(&own, sooth_model_from_block(&clean->head), NULL, &sink),
                               (void)0);
    }
    sooth_ensemble_free(&env, clean);
    sooth_ensemble_free(&env, e);
    /* of a single tree, too */
    static const uint8_t categorical[1] = {1};
    float code[] = {0, 1, 2, 3}, y[] = {1, 5, 2, 6};
    sooth_table table = sooth_table_of(code, y, 4, 1);
    sooth_tree *alone;
    table.categorical = categorical;
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &alone), SOOTH_OK);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, sooth_model_from_block(&alone->head), NULL, &sink),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    CHECK_FAILS(&env, sooth_integers_convert(&env, sooth_model_from_block(&alone->head), &options, &small),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    CHECK_FAILS(&env,
                sooth_core_estimate(&env, sooth_model_from_block(&alone->head), SOOTH_CORE_CORTEX_M0,
                                    SOOTH_CORE_FORM_C_IF, &price),
                SOOTH_BAD_ARGUMENT, "sets of categories");
    sooth_tree_free(&env, alone);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(rows_go_where_they_must);
    CHECK_RUN(nodes_are_seen);
    CHECK_RUN(without_sets_nothing_changes);
    CHECK_RUN(every_word_is_one_of_an_array);
    CHECK_RUN(more_and_fewer_trees);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(neighbours_share_a_set);
    CHECK_RUN(too_much_is_refused);
    CHECK_RUN(leaves_are_no_sets);
    CHECK_RUN(explanations_treat_sets_as_splits);
    CHECK_RUN(others_refuse_them);
    return check_end("sets");
}
