/* test_explain.c - explain.h against shap, scikit-learn, XGBoost, exact fractions and definitions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/explain.h"
#include "sooth/threads.h"
#include "check.h"
#include "golden/explain.h"

#define GOLDEN_HASH 0xdd91549df85eba6eull /* see same_bits_everywhere */

static sooth_env env;

/* ---- models ---- */

/* An ensemble of the given trees; values: see soothi_ensemble_add_plain_tree. */
static sooth_ensemble *build(const soothi_ensemble_node *node, const uint32_t *size, uint32_t trees,
                             uint32_t features, uint32_t targets, uint32_t flags, double base) {
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *ensemble;
    uint32_t k;
    sooth_env_init(&env);
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = features;
    shape.targets = targets;
    shape.flags = flags;
    soothi_ensemble_begin(&builder, &env, &shape);
    for (k = 0; k < targets; ++k) soothi_ensemble_set_base(&builder, k, base * (k + 1));
    for (k = 0; k < trees; ++k) {
        soothi_ensemble_add_plain_tree(&builder, node, size[k], NULL);
        node += size[k];
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &ensemble), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    CHECK(soothi_ensemble_check(ensemble, ensemble->head.size, SOOTH_KIND_BOOST));
    return ensemble;
}

#define FLAGS (SOOTH_ENSEMBLE_COVER | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { TREE = 0, FOREST, BOOST };

static sooth_ensemble *golden_model(int which) {
    if (which == TREE) return build(golden_tree, golden_tree_sizes, 1, golden_columns, 1, FLAGS, 0);
    if (which == FOREST)
        return build(golden_forest, golden_forest_sizes, COUNT(golden_forest_sizes), golden_columns, 1,
                     FLAGS | SOOTH_ENSEMBLE_MEAN, 0);
    return build(golden_boost, golden_boost_sizes, COUNT(golden_boost_sizes), golden_columns, 1, FLAGS, 0);
}

/* A random tree of at most so many nodes: repeated and missing columns, covers that are whole and
   sometimes 0. */
static uint32_t random_tree(sooth_rng *rng, uint32_t features, uint32_t nodes, uint32_t deep,
                            soothi_ensemble_node *node) {
    uint32_t count = 1, at = 0, i;
    memset(node, 0, nodes * sizeof *node);
    while (count + 2 <= nodes) {
        if (node[at].left == 0) {
            node[at].left = count;
            node[at].right = count + 1;
            node[at].feature = sooth_rng_below(rng, features);
            node[at].threshold = sooth_rng_float(rng);
            node[at].missing_right = sooth_rng_below(rng, 2);
            count += 2;
        }
        at = deep ? count - 1 - sooth_rng_below(rng, 2) : sooth_rng_below(rng, count);
    }
    for (i = count; i-- > 0;) {
        if (node[i].left) {
            node[i].cover = node[node[i].left].cover + node[node[i].right].cover;
        } else {
            node[i].cover = (float)sooth_rng_below(rng, 9);
            node[i].value = sooth_rng_float(rng) * 20 - 10;
        }
    }
    return count;
}

static void random_rows(sooth_rng *rng, float *x, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) x[i] = sooth_rng_below(rng, 6) ? sooth_rng_float(rng) : NAN;
}

/* ---- the definition ---- */

/* v(S) of one tree, by recursion. other NULL: path-dependent; else unknown columns have the values of
   that row. */
static double game(const sooth_explain_trees *v, uint32_t node, uint32_t t, const float *row,
                   const float *other, uint32_t known) {
    uint32_t column, left, at;
    double l, r;
    if (!soothi_explain_inner(v, node)) return soothi_explain_value(v, node, t);
    column = soothi_explain_feature(v, node);
    left = soothi_explain_left(v, node);
    at = soothi_explain_down(v, node, row);
    if (known >> column & 1u) return game(v, at, t, row, other, known);
    if (other) return game(v, soothi_explain_down(v, node, other), t, row, other, known);
    l = soothi_explain_cover(v, left);
    r = soothi_explain_cover(v, left + 1);
    if (!(l + r > 0)) l = r = 1;
    return (l * game(v, left, t, row, other, known) + r * game(v, left + 1, t, row, other, known)) / (l + r);
}

/* v[S] of all trees for every subset of the columns. */
static void all_subsets(const sooth_explain_trees *v, uint32_t t, const float *row,
                        const sooth_table *background, double *subset) {
    uint32_t known, k;
    size_t i;
    for (known = 0; known < 1u << v->features; ++known) {
        double sum = soothi_explain_base(v, t);
        for (k = v->turns > 1 ? t : 0; k < v->trees; k += v->turns) {
            const uint32_t root = soothi_explain_root(v, k);
            double part = 0, weight = 0;
            if (!background) sum += game(v, root, t, row, NULL, known);
            for (i = 0; background && i < background->rows; ++i) {
                const double w = background->weight ? background->weight[i] : 1;
                part += w * game(v, root, t, row, background->x + i * background->stride, known);
                weight += w;
            }
            if (background) sum += part / weight;
        }
        subset[known] = sum / v->shares;
    }
}

static double factorial(uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

static uint32_t bits(uint32_t v) {
    uint32_t n = 0;
    for (; v; v &= v - 1) ++n;
    return n;
}

static double shapley(const double *subset, uint32_t features, uint32_t j) {
    double phi = 0;
    uint32_t s;
    for (s = 0; s < 1u << features; ++s)
        if (!(s >> j & 1u))
            phi += factorial(bits(s)) * factorial(features - bits(s) - 1) / factorial(features) *
                   (subset[s | 1u << j] - subset[s]);
    return phi;
}

/* Lundberg et al. 2018, equation 5. */
static double interaction(const double *subset, uint32_t features, uint32_t j, uint32_t k) {
    double phi = 0;
    const uint32_t a = 1u << j, b = 1u << k;
    uint32_t s;
    for (s = 0; s < 1u << features; ++s)
        if (!(s & (a | b)))
            phi += factorial(bits(s)) * factorial(features - bits(s) - 2) / (2 * factorial(features - 1)) *
                   (subset[s | a | b] - subset[s | a] - subset[s | b] + subset[s]);
    return phi;
}

/* ---- SHAP ---- */

/* phi of the golden rows; checks that they add up. */
static void explain(const sooth_explain_trees *v, const float *rows, const float *background, double *phi,
                    double *expected) {
    sooth_table table, other;
    uint32_t i, j;
    sooth_table_init(&table, rows, golden_rows, golden_columns);
    sooth_table_init(&other, background, golden_background_rows, golden_columns);
    if (background)
        CHECK_STATUS(sooth_explain_shap_against(&env, v, &table, &other, phi, expected), SOOTH_OK);
    else CHECK_STATUS(sooth_explain_shap(&env, v, &table, phi, expected), SOOTH_OK);
    for (i = 0; i < golden_rows; ++i) {
        double sum = *expected, margin = sooth_explain_margin(v, rows + i * golden_columns, 0);
        for (j = 0; j < golden_columns; ++j) sum += phi[i * golden_columns + j];
        CHECK_NEAR(sum, margin, 1e-12);
    }
}

static void equals_shap(int which, const float *rows, const float *background, const double *path,
                        double path_expected, const double *against, double against_expected) {
    sooth_ensemble *ensemble = golden_model(which);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double phi[golden_rows * golden_columns], expected;
    size_t i;
    explain(&v, rows, NULL, phi, &expected);
    for (i = 0; i < COUNT(phi); ++i) CHECK_NEAR(phi[i], path[i], 1e-9);
    CHECK_NEAR(expected, path_expected, 1e-9);
    explain(&v, rows, background, phi, &expected);
    for (i = 0; i < COUNT(phi); ++i) CHECK_NEAR(phi[i], against[i], 1e-9);
    CHECK_NEAR(expected, against_expected, 1e-9);
    sooth_ensemble_free(&env, ensemble);
}

static void a_tree_equals_shap(void) {
    size_t i;
    for (i = 0; i < COUNT(golden_tree_path); ++i)
        CHECK_NEAR(golden_tree_path[i], golden_tree_official[i], 1e-9);
    equals_shap(TREE, golden_x, golden_background, golden_tree_path, golden_tree_path_expected[0],
                golden_tree_against, golden_tree_against_expected[0]);
}

static void a_forest_equals_shap(void) {
    equals_shap(FOREST, golden_x, golden_background, golden_forest_path, golden_forest_path_expected[0],
                golden_forest_against, golden_forest_against_expected[0]);
}

static void boosting_equals_shap_and_xgboost(void) {
    sooth_ensemble *ensemble = golden_model(BOOST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double phi[golden_rows * golden_columns], expected;
    size_t i, j;
    equals_shap(BOOST, golden_holes, golden_holes_background, golden_boost_path,
                golden_boost_path_expected[0], golden_boost_against, golden_boost_against_expected[0]);
    explain(&v, golden_holes, NULL, phi, &expected);
    for (i = 0; i < golden_rows; ++i)
        for (j = 0; j < golden_columns; ++j) /* XGBoost computes in float */
            CHECK_NEAR(phi[i * golden_columns + j], golden_boost_contributions[i * (golden_columns + 1) + j],
                       2e-5);
    sooth_ensemble_free(&env, ensemble);
}

static void interactions_equal_shap(void) {
    sooth_ensemble *ensemble = golden_model(TREE);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double pairs[golden_rows * golden_columns * golden_columns], phi[golden_rows * golden_columns], expected;
    sooth_table table;
    size_t i, j, k;
    sooth_table_init(&table, golden_x, golden_rows, golden_columns);
    explain(&v, golden_x, NULL, phi, &expected);
    CHECK_STATUS(sooth_explain_interactions(&env, &v, &table, pairs, NULL), SOOTH_OK);
    for (i = 0; i < golden_rows; ++i)
        for (j = 0; j < golden_columns; ++j) {
            double sum = 0;
            for (k = 0; k < golden_columns; ++k) {
                size_t at = (i * golden_columns + j) * golden_columns + k;
                CHECK_NEAR(pairs[at], golden_tree_pairs[at], 1e-9);
                sum += pairs[at];
            }
            CHECK_NEAR(sum, phi[i * golden_columns + j], 1e-12);
        }
    sooth_ensemble_free(&env, ensemble);
}

enum { MANY = 6, NODES = 61, PEOPLE = 3, OTHERS = 5 };

/* Random trees, wide and deep, with repeated columns, missing values, covers of 0, two targets in turns,
   weights. */
static void random_trees_equal_the_definition(void) {
    static soothi_ensemble_node node[4 * NODES];
    float x[PEOPLE * MANY], b[OTHERS * MANY], weight[OTHERS], answer[PEOPLE * 2];
    uint32_t size[4], trial, k, t, i, j, m;
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    for (trial = 0; trial < 120; ++trial) {
        double phi[PEOPLE * 2 * MANY], against[PEOPLE * 2 * MANY], pairs[PEOPLE * 2 * MANY * MANY],
            expected[2], mean[2];
        double subset[1 << MANY];
        uint32_t nodes = 0, flags = FLAGS | (trial % 3 == 0 ? SOOTH_ENSEMBLE_MEAN : 0),
                 targets = 1 + trial % 2;
        sooth_ensemble *ensemble;
        sooth_explain_trees v;
        sooth_table table, background;
        for (k = 0; k < 4; ++k) {
            size[k] = random_tree(&rng, MANY, 1 + sooth_rng_below(&rng, NODES), trial / 2 % 2, node + nodes);
            nodes += size[k];
        }
        for (i = 0; i < nodes && trial % 5 == 0; ++i)
            node[i].cover = ldexpf(1, (int)sooth_rng_below(&rng, 250) - 125);
        ensemble = build(node, size, 4, MANY, targets, flags, flags & SOOTH_ENSEMBLE_MEAN ? 0 : 1.5);
        v = sooth_explain_ensemble(ensemble);
        random_rows(&rng, x, PEOPLE * MANY);
        random_rows(&rng, b, OTHERS * MANY);
        for (i = 0; i < OTHERS; ++i) weight[i] = (float)(i % 4); /* the first does not count */
        sooth_table_init(&table, x, PEOPLE, MANY);
        sooth_table_init(&background, b, OTHERS, MANY);
        background.weight = weight;
        CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, expected), SOOTH_OK);
        CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &background, against, mean), SOOTH_OK);
        CHECK_STATUS(sooth_explain_interactions(&env, &v, &table, pairs, expected), SOOTH_OK);
        sooth_explain_predict(&v, x, PEOPLE, MANY, answer);
        for (i = 0; i < PEOPLE; ++i)
            for (t = 0; t < targets; ++t) {
                const size_t at = (size_t)(i * targets + t) * MANY;
                CHECK_NEAR(sooth_explain_margin(&v, x + i * MANY, t), answer[i * targets + t], 1e-5);
                all_subsets(&v, t, x + i * MANY, NULL, subset);
                CHECK_NEAR(expected[t], subset[0], 1e-12);
                for (j = 0; j < MANY; ++j) {
                    CHECK_NEAR(phi[at + j], shapley(subset, MANY, j), 1e-12);
                    for (m = 0; m < MANY; ++m)
                        if (m != j)
                            CHECK_NEAR(pairs[(at + j) * MANY + m], interaction(subset, MANY, j, m), 1e-12);
                }
                all_subsets(&v, t, x + i * MANY, &background, subset);
                CHECK_NEAR(mean[t], subset[0], 1e-12);
                for (j = 0; j < MANY; ++j) CHECK_NEAR(against[at + j], shapley(subset, MANY, j), 1e-12);
            }
        sooth_ensemble_free(&env, ensemble);
        if (check_failures) break;
    }
}

/* The chain of explain.py: 40 splits on 40 columns. */
static uint32_t chain(uint32_t length, soothi_ensemble_node *node) {
    uint32_t k;
    memset(node, 0, (2 * length + 1) * sizeof *node);
    for (k = 0; k < length; ++k) {
        node[2 * k].left = 2 * k + 1;
        node[2 * k].right = 2 * k + 2;
        node[2 * k].feature = k;
        node[2 * k].threshold = 0.5f;
        node[2 * k].cover = (float)(length + 1 - k);
        node[2 * k + 1].value = (double)(k % 7) - 3;
        node[2 * k + 1].cover = 1;
    }
    node[2 * length].value = 1000;
    node[2 * length].cover = 1;
    return 2 * length + 1;
}

static void forty_levels_equal_fractions(void) {
    static soothi_ensemble_node node[2 * golden_chain + 1];
    double phi[golden_chain * golden_chain_rows], expected;
    uint32_t count = chain(golden_chain, node), i;
    sooth_ensemble *ensemble = build(node, &count, 1, golden_chain, 1, FLAGS, 0);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    sooth_table table;
    sooth_table_init(&table, golden_chain_x, golden_chain_rows, golden_chain);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, &expected), SOOTH_OK);
    CHECK_CLOSE(expected, golden_chain_expected[0], 1e-14);
    for (i = 0; i < COUNT(phi); ++i) CHECK_CLOSE(phi[i], golden_chain_phi[i], 1e-12);
    sooth_ensemble_free(&env, ensemble);
}

/* Additivity, relative to the largest leaf, where TreeSHAP's own arithmetic gives noise. */
static void deep_trees_add_up(void) {
    enum { LEVELS = 1000 };
    static soothi_ensemble_node node[2 * LEVELS + 1];
    static float x[4 * LEVELS];
    static double phi[4 * LEVELS];
    uint32_t way, i, j, lengths[3] = {30, 100, LEVELS};
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (way = 0; way < 6; ++way) {
        const uint32_t levels = lengths[way % 3];
        uint32_t count = chain(levels, node), columns = way < 3 ? levels : levels / 2 + 1;
        sooth_ensemble *ensemble;
        sooth_explain_trees v;
        sooth_table table;
        double expected;
        for (i = 0; i < levels && way >= 3; ++i) node[2 * i].feature = sooth_rng_below(&rng, columns);
        for (i = 0; i < 4 * columns; ++i) x[i] = i < columns ? 1.0f : sooth_rng_float(&rng) * 2;
        ensemble = build(node, &count, 1, columns, 1, FLAGS, 0);
        v = sooth_explain_ensemble(ensemble);
        CHECK(v.depth == levels);
        sooth_table_init(&table, x, 4, columns);
        CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, &expected), SOOTH_OK);
        for (i = 0; i < 4; ++i) {
            double sum = expected, margin = sooth_explain_margin(&v, x + i * columns, 0);
            for (j = 0; j < columns; ++j) sum += phi[i * columns + j];
            CHECK_NEAR(sum, margin, 1000 * 1e-12);
        }
        CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &table, phi, &expected), SOOTH_OK);
        for (i = 0; i < 4; ++i) {
            double sum = expected, margin = sooth_explain_margin(&v, x + i * columns, 0);
            for (j = 0; j < columns; ++j) sum += phi[i * columns + j];
            CHECK_NEAR(sum, margin, 1000 * 1e-12);
        }
        sooth_ensemble_free(&env, ensemble);
    }
}

/* ---- what must hold for any model ---- */

/* A column without a split has exactly 0; the same tree twice gives twice the values. */
static void properties_of_shapley_values(void) {
    static soothi_ensemble_node node[2 * NODES];
    float x[4 * MANY];
    uint32_t size[2], trial, i;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (trial = 0; trial < 20; ++trial) {
        double once[4 * MANY], twice[4 * MANY], base, doubled;
        sooth_ensemble *one, *two;
        sooth_explain_trees v, w;
        sooth_table table;
        size[0] = size[1] =
            random_tree(&rng, MANY - 2, NODES, trial % 2, node); /* the last two are not used */
        memcpy(node + size[0], node, size[0] * sizeof *node);
        one = build(node, size, 1, MANY, 1, FLAGS, 0);
        two = build(node, size, 2, MANY, 1, FLAGS, 0);
        v = sooth_explain_ensemble(one);
        w = sooth_explain_ensemble(two);
        random_rows(&rng, x, 4 * MANY);
        sooth_table_init(&table, x, 4, MANY);
        CHECK_STATUS(sooth_explain_shap(&env, &v, &table, once, &base), SOOTH_OK);
        CHECK_STATUS(sooth_explain_shap(&env, &w, &table, twice, &doubled), SOOTH_OK);
        CHECK_NEAR(doubled, 2 * base, 1e-13);
        for (i = 0; i < COUNT(once); ++i) CHECK_NEAR(twice[i], 2 * once[i], 1e-13);
        for (i = 0; i < COUNT(once); ++i) CHECK(i % MANY < MANY - 2 || (once[i] <= 0 && once[i] >= 0));
        CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &table, once, &base), SOOTH_OK);
        CHECK_STATUS(sooth_explain_shap_against(&env, &w, &table, &table, twice, &doubled), SOOTH_OK);
        CHECK_NEAR(doubled, 2 * base, 1e-13);
        for (i = 0; i < COUNT(once); ++i) CHECK_NEAR(twice[i], 2 * once[i], 1e-13);
        for (i = 0; i < COUNT(once); ++i) CHECK(i % MANY < MANY - 2 || (once[i] <= 0 && once[i] >= 0));
        sooth_ensemble_free(&env, one);
        sooth_ensemble_free(&env, two);
    }
}

/* A tree that is a single leaf explains nothing, and says its value. */
static void a_leaf_explains_nothing(void) {
    soothi_ensemble_node node;
    uint32_t size = 1;
    sooth_ensemble *ensemble;
    sooth_explain_trees v;
    double phi[golden_rows * golden_columns], expected, share[golden_columns];
    size_t i;
    memset(&node, 0, sizeof node);
    node.value = 7;
    node.cover = 3;
    ensemble = build(&node, &size, 1, golden_columns, 1, FLAGS, 0.1);
    v = sooth_explain_ensemble(ensemble);
    explain(&v, golden_x, NULL, phi, &expected);
    CHECK_NEAR(expected, 7.1, 1e-14);
    for (i = 0; i < COUNT(phi); ++i) CHECK_NEAR(phi[i], 0, 0);
    CHECK_STATUS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_SHARE, share), SOOTH_OK);
    for (i = 0; i < golden_columns; ++i) CHECK_NEAR(share[i], 0, 0);
    sooth_ensemble_free(&env, ensemble);
}

/* Rows that stand apart, and any number of them, are explained alike. */
static void rows_may_stand_apart(void) {
    enum { APART = golden_columns + 3 };
    sooth_ensemble *ensemble = golden_model(FOREST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double phi[2][golden_rows * golden_columns], some[golden_rows * golden_columns], expected, again;
    float x[golden_rows * APART], b[golden_background_rows * APART];
    sooth_table table, background;
    size_t i, rows;
    for (i = 0; i < COUNT(x); ++i) x[i] = INFINITY;
    for (i = 0; i < COUNT(b); ++i) b[i] = INFINITY;
    for (i = 0; i < golden_rows; ++i)
        memcpy(x + i * APART, golden_x + i * golden_columns, golden_columns * sizeof *x);
    for (i = 0; i < golden_background_rows; ++i)
        memcpy(b + i * APART, golden_background + i * golden_columns, golden_columns * sizeof *b);
    explain(&v, golden_x, NULL, phi[0], &expected);
    explain(&v, golden_x, golden_background, phi[1], &expected);
    sooth_table_init(&background, b, golden_background_rows, golden_columns);
    background.stride = APART;
    for (rows = 1; rows <= golden_rows; ++rows) {
        const size_t size = rows * golden_columns * sizeof some[0];
        sooth_table_init(&table, x, rows, golden_columns);
        table.stride = APART;
        CHECK_STATUS(sooth_explain_shap(&env, &v, &table, some, NULL), SOOTH_OK);
        CHECK(memcmp(some, phi[0], size) == 0);
        CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &background, some, &again), SOOTH_OK);
        CHECK(memcmp(some, phi[1], size) == 0);
        CHECK_NEAR(again, expected, 0);
    }
    sooth_ensemble_free(&env, ensemble);
}

/* Two targets that share leaves are explained like two models with one each. */
static void leaves_for_several_targets(void) {
    static soothi_ensemble_node node[NODES];
    float values[2 * NODES], x[4 * MANY];
    double phi[4 * 2 * MANY], expected[2], one[4 * MANY], mean;
    uint32_t size, i, j, t;
    soothi_ensemble_shape shape;
    soothi_ensemble_builder builder;
    sooth_ensemble *both, *single;
    sooth_explain_trees v, w;
    sooth_table table;
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    size = random_tree(&rng, MANY, NODES, 0, node);
    for (i = 0; i < 2 * size; ++i) values[i] = sooth_rng_float(&rng);
    random_rows(&rng, x, 4 * MANY);
    sooth_table_init(&table, x, 4, MANY);
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_FOREST;
    shape.features = MANY;
    shape.targets = 2;
    shape.flags = SOOTH_ENSEMBLE_ROWS | SOOTH_ENSEMBLE_COVER | SOOTH_ENSEMBLE_MEAN;
    sooth_env_init(&env);
    soothi_ensemble_begin(&builder, &env, &shape);
    soothi_ensemble_add_plain_tree(&builder, node, size, values);
    soothi_ensemble_add_plain_tree(&builder, node, size, values);
    CHECK_STATUS(soothi_ensemble_end(&builder, &both), SOOTH_OK);
    v = sooth_explain_ensemble(both);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, expected), SOOTH_OK);
    for (t = 0; t < 2; ++t) {
        for (i = 0; i < size; ++i) node[i].value = values[2 * i + t];
        single = build(node, &size, 1, MANY, 1, SOOTH_ENSEMBLE_COVER, 0);
        w = sooth_explain_ensemble(single);
        CHECK_STATUS(sooth_explain_shap(&env, &w, &table, one, &mean), SOOTH_OK);
        CHECK_NEAR(expected[t], mean, 1e-14);
        for (i = 0; i < 4; ++i)
            for (j = 0; j < MANY; ++j) CHECK_NEAR(phi[(i * 2 + t) * MANY + j], one[i * MANY + j], 1e-14);
        sooth_ensemble_free(&env, single);
    }
    sooth_ensemble_free(&env, both);
}

/* ---- a tree of tree.h ---- */

enum { TRAIN = 200 };
static float train_x[TRAIN * 4], train_y[TRAIN * 2];

/* Column 2 is noise that nothing depends on; column 3 repeats column 0. */
static void make_training_rows(sooth_table *table) {
    uint32_t i;
    sooth_rng rng;
    sooth_rng_init(&rng, 21, 0);
    for (i = 0; i < TRAIN; ++i) {
        float *row = train_x + i * 4;
        row[0] = sooth_rng_float(&rng);
        row[1] = sooth_rng_float(&rng);
        row[2] = sooth_rng_float(&rng);
        row[3] = row[0];
        train_y[2 * i] = 3 * row[0] + (row[1] > 0.5f ? 2 : 1);
        train_y[2 * i + 1] = row[1];
    }
    sooth_table_init(table, train_x, TRAIN, 4);
    table->y = train_y;
    table->targets = 2;
}

static sooth_tree *fit(const sooth_table *table, uint32_t depth, uint32_t no_statistics) {
    sooth_tree_options options;
    sooth_tree *tree;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.max_depth = depth;
    options.no_statistics = no_statistics;
    CHECK_STATUS(sooth_tree_fit(&env, table, &options, &tree), SOOTH_OK);
    return tree;
}

static void a_fitted_tree_is_explained_alike(void) {
    enum { PART = 10 };
    static double phi[TRAIN * 2 * 4];
    double expected[2], subset[16], mean[2] = {0, 0}, share[4], own[4];
    sooth_table table;
    sooth_tree *tree;
    sooth_explain_trees v;
    uint32_t i, j, t;
    make_training_rows(&table);
    tree = fit(&table, 8, 0);
    v = sooth_explain_tree(tree);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, expected), SOOTH_OK);
    for (i = 0; i < TRAIN; ++i)
        for (t = 0; t < 2; ++t) {
            double sum = expected[t], margin = sooth_explain_margin(&v, train_x + 4 * i, t);
            for (j = 0; j < 4; ++j) sum += phi[(i * 2 + t) * 4 + j];
            CHECK_NEAR(sum, margin, 1e-13);
            if (t == 0) CHECK_NEAR(margin, sooth_tree_predict(tree, train_x + 4 * i), 0);
            mean[t] += train_y[2 * i + t] / TRAIN;
            if (i >= PART) continue;
            all_subsets(&v, t, train_x + 4 * i, NULL, subset);
            for (j = 0; j < 4; ++j) CHECK_NEAR(phi[(i * 2 + t) * 4 + j], shapley(subset, 4, j), 1e-13);
        }
    CHECK_NEAR(expected[0], mean[0], 1e-5); /* leaves are means, rounded to float */
    CHECK_NEAR(expected[1], mean[1], 1e-5);
    CHECK_STATUS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_SHARE, share), SOOTH_OK);
    CHECK_STATUS(soothi_tree_importance(&env, tree, own), SOOTH_OK);
    for (j = 0; j < 4; ++j) CHECK_NEAR(share[j], own[j], 1e-15);
    sooth_tree_free(&env, tree);
}

/* ---- importances and paths ---- */

static void importances_equal_others(void) {
    sooth_ensemble *ensemble = golden_model(BOOST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    static soothi_ensemble_node node[COUNT(golden_tree)];
    double out[golden_columns], sum = 0;
    size_t i, j;
#define SAME(kind, expected)                                               \
    CHECK_STATUS(sooth_explain_importance(&env, &v, kind, out), SOOTH_OK); \
    for (j = 0; j < golden_columns; ++j) CHECK_CLOSE(out[j], (expected)[j], 2e-6)
    SAME(SOOTH_EXPLAIN_WEIGHT, golden_boost_weight);
    SAME(SOOTH_EXPLAIN_TOTAL_GAIN, golden_boost_total_gain);
    SAME(SOOTH_EXPLAIN_GAIN, golden_boost_gain);
    SAME(SOOTH_EXPLAIN_TOTAL_COVER, golden_boost_total_cover);
    SAME(SOOTH_EXPLAIN_COVER, golden_boost_cover);
    CHECK_STATUS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_SHARE, out), SOOTH_OK);
    for (j = 0; j < golden_columns; ++j) sum += out[j];
    CHECK_NEAR(sum, 1, 1e-12);
    sooth_ensemble_free(&env, ensemble);
    memcpy(node, golden_tree, sizeof node);
    for (i = 0; i < COUNT(node); ++i) node[i].gain = golden_tree_gain[i];
    ensemble = build(node, golden_tree_sizes, 1, golden_columns, 1, FLAGS, 0);
    v = sooth_explain_ensemble(ensemble);
    SAME(SOOTH_EXPLAIN_SHARE, golden_tree_importance);
    sooth_ensemble_free(&env, ensemble);
}

/* Counted by hand:  x0 <= 1 ? (x1 <= 1 ? a : (x0 <= 0 ? b : c)) : d,  and a second tree that asks x2
   alone. */
static void paths_are_counted(void) {
    soothi_ensemble_node node[10];
    const uint32_t size[2] = {7, 3};
    const float x[3 * 4] = {0, 0, 0, 0, /**/ 0, 2, 5, 0, /**/ 3, 0, 0, 0};
    const float weight[3] = {1, 2, 1}, none[3] = {0, 0, 1};
    uint32_t count[4];
    sooth_explain_use use[4];
    sooth_table table;
    sooth_ensemble *ensemble;
    sooth_explain_trees v;
    memset(node, 0, sizeof node);
    node[0].left = 1, node[0].right = 2, node[0].threshold = 1;
    node[1].left = 3, node[1].right = 4, node[1].threshold = 1, node[1].feature = 1;
    node[4].left = 5, node[4].right = 6;
    node[7].left = 1, node[7].right = 2, node[7].feature = 2;
    ensemble = build(node, size, 2, 4, 1, 0, 0);
    v = sooth_explain_ensemble(ensemble);
    sooth_explain_counts(&v, x + 4, count);
    CHECK(count[0] == 2 && count[1] == 1 && count[2] == 1 && count[3] == 0);
    sooth_table_init(&table, x, 3, 4);
    CHECK_STATUS(sooth_explain_paths(&env, &v, &table, use), SOOTH_OK);
    CHECK_NEAR(use[0].rows, 1, 0);
    CHECK_NEAR(use[0].paths, 0.5, 0);
    CHECK_NEAR(use[0].per_path, 4.0 / 6, 1e-15);
    CHECK_NEAR(use[0].per_use, 4.0 / 3, 1e-15);
    CHECK(use[0].most == 2 && use[1].most == 1 && use[2].most == 1 && use[3].most == 0);
    CHECK_NEAR(use[1].rows, 2.0 / 3, 1e-15);
    CHECK_NEAR(use[1].paths, 2.0 / 6, 1e-15);
    CHECK_NEAR(use[2].rows, 1, 0);
    CHECK_NEAR(use[3].rows, 0, 0);
    CHECK_NEAR(use[3].per_use, 0, 0);
    table.weight = weight;
    CHECK_STATUS(sooth_explain_paths(&env, &v, &table, use), SOOTH_OK);
    CHECK_NEAR(use[1].rows, 0.75, 0);
    CHECK_NEAR(use[0].per_use, 6.0 / 4, 1e-15);
    table.weight = none;
    CHECK_STATUS(sooth_explain_paths(&env, &v, &table, use), SOOTH_OK);
    CHECK(use[0].most == 1 && use[1].most == 0);
    CHECK_NEAR(use[1].rows, 0, 0);
    sooth_ensemble_free(&env, ensemble);
}

/* ---- any model ---- */

/* Two answers: 2 a + b c, and a; 0 for a missing value. */
static void formula(void *user, const float *x, size_t rows, size_t stride, float *out) {
    size_t i;
    ++*(long *)user;
    for (i = 0; i < rows; ++i) {
        const float *r = x + i * stride, a = isnan(r[0]) ? 0 : r[0];
        out[2 * i] = 2 * a + r[1] * r[2];
        out[2 * i + 1] = a;
    }
}

/* The loss by hand, with the columns of group g permuted by the documented stream; group NULL: as it is. */
static double direct_loss(const sooth_table *table, uint32_t kind, const uint32_t *group, uint32_t g,
                          uint64_t stream, uint32_t seed) {
    uint32_t order[TRAIN], i, j;
    double sum[2] = {0, 0}, weight = 0;
    long calls = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, stream);
    for (i = 0; i < table->rows; ++i) order[i] = i;
    if (group) sooth_rng_shuffle(&rng, order, table->rows);
    for (i = 0; i < table->rows; ++i) {
        float row[4], out[2];
        for (j = 0; j < 4; ++j)
            row[j] = table->x[(group && group[j] == g ? order[i] : i) * table->stride + j];
        formula(&calls, row, 1, 4, out);
        for (j = 0; j < 2; ++j) {
            const double y = table->y[2 * i + j], e = fabs(out[j] - y);
            sum[j] += table->weight[i] * (kind == SOOTH_EXPLAIN_MAE    ? e
                                          : kind == SOOTH_EXPLAIN_MAPE ? e / fabs(y)
                                                                       : e * e);
        }
        weight += table->weight[i];
    }
    for (j = 0; j < 2; ++j) sum[j] = kind == SOOTH_EXPLAIN_RMSE ? sqrt(sum[j] / weight) : sum[j] / weight;
    return (sum[0] + sum[1]) / 2;
}

static void permutation_equals_recomputation(void) {
    /* a product's factors together; nothing depends on the last column */
    const uint32_t group[4] = {0, 1, 1, 2};
    const uint32_t alone[4] = {0, 1, 2, 3};
    double loss[4], spread[4], base, again[4];
    float weight[TRAIN], x[TRAIN * 5], y[TRAIN * 2];
    long calls = 0;
    uint32_t kind, g, r, i;
    sooth_table table;
    sooth_explain_options options;
    make_training_rows(&table);
    for (i = 0; i < TRAIN; ++i) {
        weight[i] = (float)(i % 3);
        memcpy(x + 5 * i, train_x + 4 * i, 4 * sizeof *x); /* rows that stand apart */
        x[5 * i + 4] = 1e30f;
        if (i % 7 == 0) x[5 * i] = NAN;
        formula(&calls, x + 5 * i, 1, 5, y + 2 * i);
        y[2 * i] += 0.01f * (float)(1 + i % 5);
        y[2 * i + 1] += 0.5f;
    }
    table.x = x;
    table.y = y;
    table.stride = 5;
    table.weight = weight;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.repeats = 7;
    options.seed = 99;
    options.groups = 3;
    options.group = group;
    for (kind = 0; kind < 4; ++kind) {
        options.loss = kind;
        calls = 0;
        CHECK_STATUS(sooth_explain_permutation(&env, &table, formula, &calls, &options, loss, spread, &base),
                     SOOTH_OK);
        CHECK(calls == 1 + 3 * 7);
        CHECK_CLOSE(base, direct_loss(&table, kind, NULL, 0, 0, 0), 1e-12);
        for (g = 0; g < 3; ++g) {
            double one[7], mean = 0, squares = 0;
            for (r = 0; r < 7; ++r) {
                one[r] = direct_loss(&table, kind, group, g, g * 7 + r, 99) - base;
                mean += one[r] / 7;
            }
            for (r = 0; r < 7; ++r) squares += (one[r] - mean) * (one[r] - mean) / 7;
            CHECK_NEAR(loss[g], mean, 1e-12);
            CHECK_NEAR(spread[g], sqrt(squares), 1e-9);
        }
        CHECK(loss[0] > 0.1 && loss[1] > 0.01 && loss[2] <= 0 && loss[2] >= 0);
    }
    CHECK_STATUS(sooth_explain_permutation(&env, &table, formula, &calls, &options, again, NULL, NULL),
                 SOOTH_OK);
    CHECK(memcmp(loss, again, 3 * sizeof *loss) == 0);
    options.seed = 100;
    CHECK_STATUS(sooth_explain_permutation(&env, &table, formula, &calls, &options, again, NULL, NULL),
                 SOOTH_OK);
    CHECK(memcmp(loss, again, 3 * sizeof *loss) != 0);
    calls = 0;
    CHECK_STATUS(sooth_explain_permutation(&env, &table, formula, &calls, NULL, loss, NULL, &base), SOOTH_OK);
    CHECK(calls == 1 + 4 * 5);
    for (g = 0; g < 4; ++g) {
        double mean = 0;
        for (r = 0; r < 5; ++r) mean += direct_loss(&table, SOOTH_EXPLAIN_MSE, alone, g, g * 5 + r, 0) / 5;
        CHECK_NEAR(loss[g], mean - base, 1e-12);
    }
}

static void dependence_equals_scikit_learn(void) {
    enum { PERSONS = 60, POINTS = 7 };
    sooth_ensemble *ensemble = golden_model(FOREST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double mean[POINTS];
    float each[PERSONS * POINTS], grid[PERSONS];
    size_t i, count;
    sooth_table table;
    sooth_table_init(&table, golden_dependence_x, PERSONS, golden_columns);
    CHECK_STATUS(sooth_explain_dependence(&env, &table, 3, golden_dependence_grid, POINTS,
                                          sooth_explain_predict, &v, 1, mean, each),
                 SOOTH_OK);
    for (i = 0; i < POINTS; ++i) CHECK_CLOSE(mean[i], golden_dependence_mean[i], 1e-6);
    for (i = 0; i < COUNT(golden_dependence_each); ++i) CHECK_CLOSE(each[i], golden_dependence_each[i], 1e-6);
    CHECK_STATUS(sooth_explain_grid(&env, &table, 3, COUNT(golden_quantiles), grid, &count), SOOTH_OK);
    CHECK(count == COUNT(golden_quantiles));
    for (i = 0; i < count; ++i) CHECK_CLOSE(grid[i], golden_quantiles[i], 1e-7);
    sooth_ensemble_free(&env, ensemble);
}

/* More rows than fit into a batch, weights, two targets, against the formula itself. */
static void dependence_equals_the_formula(void) {
    enum { PERSONS = 600 };
    static float x[PERSONS * 4], weight[PERSONS], each[PERSONS * 2 * 2];
    const float grid[2] = {-1, 3};
    double mean[4], a = 0, bc = 0, whole = 0;
    long calls = 0;
    uint32_t i, p;
    sooth_table table;
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (i = 0; i < 4 * PERSONS; ++i) x[i] = sooth_rng_float(&rng);
    for (i = 0; i < PERSONS; ++i) {
        weight[i] = (float)(i % 4);
        whole += weight[i];
        a += weight[i] * x[4 * i];
        bc += weight[i] * x[4 * i + 2];
    }
    sooth_env_init(&env);
    sooth_table_init(&table, x, PERSONS, 4);
    table.weight = weight;
    CHECK_STATUS(sooth_explain_dependence(&env, &table, 1, grid, 2, formula, &calls, 2, mean, each),
                 SOOTH_OK);
    for (p = 0; p < 2; ++p) {
        CHECK_CLOSE(mean[2 * p], (2 * a + grid[p] * bc) / whole, 1e-6);
        CHECK_CLOSE(mean[2 * p + 1], a / whole, 1e-6);
        for (i = 0; i < PERSONS; ++i) {
            CHECK_NEAR(each[(i * 2 + p) * 2], 2 * x[4 * i] + grid[p] * x[4 * i + 2], 1e-6);
            CHECK_NEAR(each[(i * 2 + p) * 2 + 1], x[4 * i], 0);
        }
    }
}

static void grids_hold_each_value_once(void) {
    const float x[8] = {3, NAN, 1, 3, 2, 3, 9, NAN}, weight[8] = {1, 1, 1, 1, 1, 1, 0, 1};
    float grid[8];
    size_t count;
    sooth_table table;
    sooth_env_init(&env);
    sooth_table_init(&table, x, 8, 1);
    table.weight = weight;
    CHECK_STATUS(sooth_explain_grid(&env, &table, 0, 5, grid, &count), SOOTH_OK);
    CHECK(count == 3);
    CHECK_NEAR(grid[0], 1, 0);
    CHECK_NEAR(grid[1], 2, 0);
    CHECK_NEAR(grid[2], 3, 0);
    CHECK_STATUS(sooth_explain_grid(&env, &table, 0, 2, grid, &count), SOOTH_OK); /* of 1 2 3 3 3: the ends */
    CHECK(count == 2 && grid[0] < 1.5f && grid[1] > 2.5f);
    CHECK_STATUS(sooth_explain_grid(&env, &table, 0, 3, grid, &count), SOOTH_OK); /* all that there are */
    CHECK(count == 3);
    sooth_table_init(&table, x, 1, 1);
    CHECK_STATUS(sooth_explain_grid(&env, &table, 0, 5, grid, &count), SOOTH_OK);
    CHECK(count == 1);
    sooth_table_init(&table, x + 1, 1, 1);
    CHECK_FAILS(&env, sooth_explain_grid(&env, &table, 0, 5, grid, &count), SOOTH_BAD_DATA,
                "column 1 has no value");
    CHECK(count == 0);
}

/* ---- the host ---- */

static int cancel(void *user, const char *stage, double done) {
    (void)user, (void)stage, (void)done;
    return 1;
}

static void threads_change_nothing(void) {
    enum { PERSONS = 700 };
    static float x[PERSONS * golden_columns];
    static double one[PERSONS * golden_columns], many[PERSONS * golden_columns];
    sooth_ensemble *ensemble = golden_model(FOREST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    sooth_table table, background;
    sooth_threads threads;
    sooth_env threaded;
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 0);
    random_rows(&rng, x, COUNT(x));
    sooth_table_init(&table, x, PERSONS, golden_columns);
    sooth_table_init(&background, golden_background, golden_background_rows, golden_columns);
    sooth_env_init(&threaded);
    CHECK_STATUS(sooth_threads_start(&threaded, &threads, 3), SOOTH_OK);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, one, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_explain_shap(&threaded, &v, &table, many, NULL), SOOTH_OK);
    CHECK(memcmp(one, many, sizeof one) == 0);
    CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &background, one, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_explain_shap_against(&threaded, &v, &table, &background, many, NULL), SOOTH_OK);
    CHECK(memcmp(one, many, sizeof one) == 0);
    sooth_threads_stop(&threads);
    env.progress_fn = cancel;
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, one, NULL), SOOTH_CANCELLED);
    sooth_env_init(&env);
    sooth_ensemble_free(&env, ensemble);
}

static void bad_input_is_a_sentence(void) {
    soothi_ensemble_node node[3];
    const uint32_t size = 3;
    const uint32_t group[4] = {0, 1, 2, 2};
    float x[3 * golden_columns], one = 1;
    double phi[3 * golden_columns * golden_columns], mean;
    long calls = 0;
    size_t count;
    sooth_ensemble *ensemble;
    sooth_explain_trees v;
    sooth_table table, other;
    sooth_tree *tree;
    sooth_explain_use use[golden_columns];
    sooth_explain_options options;
    memset(x, 0, sizeof x);
    memset(node, 0, sizeof node);
    memset(&options, 0, sizeof options);
    node[0].left = 1, node[0].right = 2;
    ensemble = build(node, &size, 1, golden_columns, 1, 0, 0);
    v = sooth_explain_ensemble(ensemble);
    sooth_table_init(&table, x, 3, golden_columns);
    other = table;
    other.cols = 4;
#define FAILS(call, status, words) CHECK_FAILS(&env, call, status, words)
    FAILS(sooth_explain_shap(&env, &v, &table, phi, NULL), SOOTH_BAD_ARGUMENT,
          "this needs the weight of the nodes");
    FAILS(sooth_explain_interactions(&env, &v, &table, phi, NULL), SOOTH_BAD_ARGUMENT,
          "this needs the weight of the nodes");
    FAILS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_COVER, phi), SOOTH_BAD_ARGUMENT,
          "this needs the weight of the nodes");
    FAILS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_SHARE, phi), SOOTH_BAD_ARGUMENT,
          "does not store the gain of its splits");
    FAILS(sooth_explain_importance(&env, &v, (sooth_explain_importance_kind)6, phi), SOOTH_BAD_ARGUMENT,
          "kind is 6, but must be between 0 and 5");
    CHECK_STATUS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_WEIGHT, phi), SOOTH_OK);
    CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &table, phi, NULL),
                 SOOTH_OK); /* needs no cover */
    FAILS(sooth_explain_shap(&env, &v, &other, phi, NULL), SOOTH_BAD_DATA,
          "the table has 4 columns, but the model was trained with 6");
    FAILS(sooth_explain_shap_against(&env, &v, &table, &other, phi, NULL), SOOTH_BAD_DATA,
          "the background has 4 columns");
    FAILS(sooth_explain_paths(&env, &v, &other, use), SOOTH_BAD_DATA, "the table has 4 columns");
    x[golden_columns + 1] = INFINITY;
    FAILS(sooth_explain_shap_against(&env, &v, &table, &table, phi, NULL), SOOTH_BAD_DATA,
          "row 2 has an infinite value");
    x[golden_columns + 1] = NAN;
    CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &table, phi, NULL), SOOTH_OK);
    table.rows = 0;
    FAILS(sooth_explain_shap(&env, &v, &table, phi, NULL), SOOTH_BAD_DATA, "the table is empty");
    sooth_ensemble_free(&env, ensemble);

    node[1].cover = -1;
    ensemble = build(node, &size, 1, golden_columns, 1, SOOTH_ENSEMBLE_COVER, 0);
    v = sooth_explain_ensemble(ensemble);
    table.rows = 3;
    FAILS(sooth_explain_shap(&env, &v, &table, phi, NULL), SOOTH_BAD_MODEL, "node 1 has the cover -1");
    sooth_ensemble_free(&env, ensemble);

    make_training_rows(&table);
    tree = fit(&table, 3, 1);
    v = sooth_explain_tree(tree);
    FAILS(sooth_explain_shap(&env, &v, &table, phi, NULL), SOOTH_BAD_ARGUMENT,
          "the tree was fitted with no_statistics");
    FAILS(sooth_explain_importance(&env, &v, SOOTH_EXPLAIN_GAIN, phi), SOOTH_BAD_ARGUMENT, "no_statistics");
    sooth_tree_free(&env, tree);

    FAILS(sooth_explain_dependence(&env, &table, 4, &one, 1, formula, &calls, 2, &mean, NULL),
          SOOTH_BAD_ARGUMENT, "column is 4, but must be below 4");
    FAILS(sooth_explain_dependence(&env, &table, 3, &one, 0, formula, &calls, 2, &mean, NULL),
          SOOTH_BAD_ARGUMENT, "points is 0, but must be at least 1");
    FAILS(sooth_explain_dependence(&env, &table, 3, &one, 1, formula, &calls, 0, &mean, NULL),
          SOOTH_BAD_ARGUMENT, "targets is 0");
    FAILS(sooth_explain_grid(&env, &table, 3, 1, &one, &count), SOOTH_BAD_ARGUMENT,
          "points is 1, but must be at least 2");
    options.group = group;
    FAILS(sooth_explain_permutation(&env, &table, formula, &calls, &options, phi, NULL, NULL),
          SOOTH_BAD_ARGUMENT, "groups is 0, but group is not NULL");
    options.groups = 2;
    FAILS(sooth_explain_permutation(&env, &table, formula, &calls, &options, phi, NULL, NULL),
          SOOTH_BAD_ARGUMENT, "group[2] is 2, but must be below groups, which is 2");
    options.groups = 0;
    options.group = NULL;
    options.loss = 4;
    FAILS(sooth_explain_permutation(&env, &table, formula, &calls, &options, phi, NULL, NULL),
          SOOTH_BAD_ARGUMENT, "loss is 4, but must be one of mse|rmse|mae|mape");
    options.loss = SOOTH_EXPLAIN_MAPE;
    memset(train_y, 0, sizeof train_y);
    FAILS(sooth_explain_permutation(&env, &table, formula, &calls, &options, phi, NULL, NULL), SOOTH_BAD_DATA,
          "target 1 is 0 in every row");
    table.targets = 0;
    FAILS(sooth_explain_permutation(&env, &table, formula, &calls, NULL, phi, NULL, NULL), SOOTH_BAD_DATA,
          "the table has no targets");
}

/* Its questions, asked by hand, lead where they say; their counts are those of sooth_explain_counts. */
static void ways_are_walked(void) {
    sooth_ensemble *ensemble = golden_model(FOREST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    sooth_explain_step step[64];
    uint32_t i, k, s, j, count[golden_columns], asked[golden_columns];
    for (i = 0; i < golden_rows; ++i) {
        const float *row = golden_x + i * golden_columns;
        memset(asked, 0, sizeof asked);
        for (k = 0; k < v.trees; ++k) {
            const size_t n = sooth_explain_path(&v, k, row, step);
            CHECK(n <= v.depth);
            for (s = 0; s < n; ++s) {
                ++asked[step[s].feature];
                CHECK(step[s].right == (row[step[s].feature] > step[s].threshold));
            }
        }
        sooth_explain_counts(&v, row, count);
        for (j = 0; j < golden_columns; ++j) CHECK(count[j] == asked[j]);
    }
    sooth_ensemble_free(&env, ensemble);
}

/* All that is written above about memory, in a buffer of exactly that size. */
static void memory_is_as_stated(void) {
    static _Alignas(16) unsigned char memory[1 << 15];
    sooth_ensemble *ensemble = golden_model(FOREST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    const size_t q = (ensemble->depth + 1) / 2;
    const size_t stated =
        ((ensemble->depth + 1) * (96 * q + 56) + 4 * golden_columns + 15) / 16 * 16 + 96 * q;
    double phi[golden_rows * golden_columns];
    sooth_table table;
    sooth_arena arena;
    sooth_env e;
    sooth_env_init(&e);
    sooth_table_init(&table, golden_x, golden_rows, golden_columns);
    sooth_arena_init(&e, &arena, memory, stated);
    CHECK_STATUS(sooth_explain_shap(&e, &v, &table, phi, NULL), SOOTH_OK);
    CHECK(arena.peak == stated);
    sooth_arena_init(&e, &arena, memory, stated - 16);
    CHECK_FAILS(&e, sooth_explain_shap(&e, &v, &table, phi, NULL), SOOTH_NO_MEMORY,
                "no memory for explaining rows");
    sooth_ensemble_free(&env, ensemble);
}

static void same_bits_everywhere(void) {
    sooth_ensemble *ensemble = golden_model(BOOST);
    sooth_explain_trees v = sooth_explain_ensemble(ensemble);
    double phi[2][golden_rows * golden_columns], expected;
    unsigned long long hash = 0, bits;
    size_t i, k;
    if (!SOOTH_SAME_BITS) CHECK_SKIP("doubles are not evaluated as declared");
    explain(&v, golden_holes, NULL, phi[0], &expected);
    explain(&v, golden_holes, golden_holes_background, phi[1], &expected);
    for (k = 0; k < 2; ++k)
        for (i = 0; i < COUNT(phi[0]); ++i) {
            memcpy(&bits, &phi[k][i], sizeof bits);
            hash = (hash ^ bits) * 1099511628211ull;
        }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
    sooth_ensemble_free(&env, ensemble);
}

/* A tree of one target, without an ensemble: SHAP values and the mean add up to what it predicts. */
static void a_lone_tree_is_explained(void) {
    enum { rows = 30, cols = 3 };
    float x[rows * cols], y[rows], out[rows], direct[rows];
    double phi[rows * cols], expected[1];
    sooth_explain_trees v;
    sooth_tree *tree;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) x[i * cols + j] = (float)(i * (7 + 4 * j) % 20);
        y[i] = x[i * cols] + x[i * cols + 1] * x[i * cols + 2];
    }
    const sooth_table table = sooth_table_of(x, y, rows, cols);
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    v = sooth_explain_tree(tree);
    sooth_explain_predict(&v, x, rows, cols, out);
    sooth_tree_predict_many(tree, x, rows, cols, direct);
    CHECK(memcmp(out, direct, sizeof out) == 0);
    CHECK_STATUS(sooth_explain_shap(&env, &v, &table, phi, expected), SOOTH_OK);
    for (int i = 0; i < rows; ++i)
        CHECK_NEAR(expected[0] + phi[cols * i] + phi[cols * i + 1] + phi[cols * i + 2], out[i], 1e-4);
    CHECK_STATUS(sooth_explain_shap_against(&env, &v, &table, &table, phi, expected), SOOTH_OK);
    for (int i = 0; i < rows; ++i)
        CHECK_NEAR(expected[0] + phi[cols * i] + phi[cols * i + 1] + phi[cols * i + 2], out[i], 1e-4);
    FAILS(sooth_explain_shap_against(&env, &v, &table, NULL, phi, expected), SOOTH_BAD_DATA,
          "the table is empty");
    sooth_tree_free(&env, tree);
}

int main(void) {
    CHECK_RUN(a_tree_equals_shap);
    CHECK_RUN(a_forest_equals_shap);
    CHECK_RUN(boosting_equals_shap_and_xgboost);
    CHECK_RUN(interactions_equal_shap);
    CHECK_RUN(random_trees_equal_the_definition);
    CHECK_RUN(forty_levels_equal_fractions);
    CHECK_RUN(deep_trees_add_up);
    CHECK_RUN(properties_of_shapley_values);
    CHECK_RUN(a_leaf_explains_nothing);
    CHECK_RUN(rows_may_stand_apart);
    CHECK_RUN(leaves_for_several_targets);
    CHECK_RUN(a_fitted_tree_is_explained_alike);
    CHECK_RUN(importances_equal_others);
    CHECK_RUN(paths_are_counted);
    CHECK_RUN(ways_are_walked);
    CHECK_RUN(permutation_equals_recomputation);
    CHECK_RUN(dependence_equals_scikit_learn);
    CHECK_RUN(dependence_equals_the_formula);
    CHECK_RUN(grids_hold_each_value_once);
    CHECK_RUN(threads_change_nothing);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(memory_is_as_stated);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(a_lone_tree_is_explained);
    return check_end("explain");
}
