/* test_ensemble.c - many trees in one block: against plain walks in double, through check, and with every
 * kind of leaf.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include <stdint.h>
static uint64_t compared; /* comparisons with thresholds so far */
#define SOOTHI_TREE_GREATER(x, t) (++compared, (x) > (t))
#include "sooth/tree/ensemble.h"
#include "check.h"

enum { MOST = 1 << 12, COLS = 7, TARGETS = 35 };

static soothi_ensemble_node node[MOST];
static float values[MOST * 3];

static float any_float(sooth_rng *rng) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 3e38f, -3e38f, 1.0f, 1.0000001f};
    uint32_t k = sooth_rng_below(rng, 12);
    return k < 8 ? odd[k] : 4.0f * sooth_rng_float(rng) - 2.0f;
}

/* A random tree in random order of its nodes: grows leaf by leaf to at most `leaves`, not deeper than
   `depth`. */
static size_t random_tree(sooth_rng *rng, uint32_t leaves, uint32_t depth) {
    uint32_t level[MOST], n = 1, made = 1, t;
    memset(node, 0, sizeof node);
    level[0] = 0;
    while (made < leaves) {
        uint32_t k = sooth_rng_below(rng, n), tries = 0;
        while ((node[k].left || level[k] >= depth) && tries < 50) {
            k = sooth_rng_below(rng, n);
            ++tries;
        }
        if (tries == 50) break;
        node[k].left = n;
        node[k].right = n + 1;
        if (sooth_rng_below(rng, 2)) {
            node[k].left = n + 1;
            node[k].right = n;
        }
        level[n] = level[n + 1] = level[k] + 1;
        n += 2;
        ++made;
    }
    for (t = 0; t < n; ++t) {
        node[t].feature = sooth_rng_below(rng, COLS);
        node[t].threshold = sooth_rng_below(rng, 20) ? any_float(rng) : (float)INFINITY;
        node[t].missing_right = sooth_rng_below(rng, 2);
        node[t].value = sooth_rng_double(rng) * 10.0 - 5.0;
        node[t].cover = (float)t;
        node[t].gain = node[t].left ? 1.0 : 0.0;
        values[3 * t] = 1e-3f * sooth_rng_float(rng) - 1.0f;
        values[3 * t + 1] = sooth_rng_float(rng);
        values[3 * t + 2] = -sooth_rng_float(rng);
    }
    return n;
}

static size_t walk(const float *row) {
    size_t k = 0;
    while (node[k].left) {
        const float x = row[node[k].feature];
        const int right = isnan(x) ? (int)node[k].missing_right : !(x <= node[k].threshold);
        k = right ? node[k].right : node[k].left;
    }
    return k;
}

static int ascend(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts n numbers; returns 1 if they were not in order. */
static uint32_t sort(double *v, uint32_t n) {
    uint32_t crossed = 0;
    for (uint32_t t = 1; t < n; ++t) crossed |= v[t] < v[t - 1];
    qsort(v, n, sizeof *v, ascend);
    return crossed;
}

typedef struct shape {
    uint32_t targets, flags, link, leaves, depth, trees, no_table;
} shape;

/* Builds an ensemble of random trees and compares predictions for one row, many rows and the first trees with
   sums made here. */
static void compare(const shape *s, uint64_t seed) {
    enum { ROWS = 77 };
    static float x[ROWS * COLS], out[ROWS * TARGETS], one[ROWS * TARGETS];
    static double sum[ROWS][TARGETS];
    static float flat[ROWS][TARGETS];
    soothi_ensemble_shape about;
    soothi_ensemble_builder b;
    sooth_ensemble *e;
    sooth_env env;
    sooth_rng rng;
    uint32_t k, t, i, j, crossed = 0;
    double wide[TARGETS];
    sooth_env_init(&env);
    sooth_rng_init(&rng, seed, 0);
    for (i = 0; i < ROWS * COLS; ++i) x[i] = any_float(&rng);
    for (i = 0; i < ROWS; i += 9) x[i * COLS + sooth_rng_below(&rng, COLS)] = NAN;
    if (seed % 2) /* or none missing at all */
        for (i = 0; i < ROWS * COLS; ++i)
            if (isnan(x[i])) x[i] = 0.5f;
    memset(&about, 0, sizeof about);
    about.kind = SOOTH_KIND_BOOST;
    about.features = COLS;
    about.targets = s->targets;
    about.flags = s->flags;
    about.link = s->link;
    about.no_table = s->no_table;
    CHECK_STATUS(soothi_ensemble_begin(&b, &env, &about), SOOTH_OK);
    for (t = 0; t < s->targets; ++t) soothi_ensemble_set_base(&b, t, 0.1 + t);
    for (t = 0; s->flags & SOOTH_ENSEMBLE_QUANTILES && t < s->targets; ++t)
        b.level[t] = (float)(t + 1) / (float)(s->targets + 1);
    for (i = 0; i < ROWS; ++i)
        for (t = 0; t < s->targets; ++t) {
            const float base = (float)(0.1 + t);
            sum[i][t] = s->flags & SOOTH_ENSEMBLE_EXACT ? 0.1 + t : (double)base;
            flat[i][t] = base;
        }
    for (k = 0; k < s->trees; ++k) {
        size_t n = random_tree(&rng, s->leaves, s->depth);
        CHECK_STATUS(
            soothi_ensemble_add_plain_tree(&b, node, n, s->flags & SOOTH_ENSEMBLE_ROWS ? values : NULL),
            SOOTH_OK);
        for (i = 0; i < ROWS; ++i) {
            size_t leaf = walk(x + i * COLS);
            for (t = 0; t < s->targets; ++t) {
                double v = s->flags & SOOTH_ENSEMBLE_LOW ? node[leaf].value : (double)(float)node[leaf].value;
                if (s->flags & SOOTH_ENSEMBLE_ROWS && s->targets > 1)
                    v = (double)values[leaf * s->targets + t];
                if (!(s->flags & SOOTH_ENSEMBLE_ROWS) && k % s->targets != t) continue;
                sum[i][t] += v;
                flat[i][t] += (float)v;
            }
        }
    }
    for (i = 0; s->flags & SOOTH_ENSEMBLE_QUANTILES && i < ROWS; ++i) {
        crossed += sort(sum[i], s->targets);
        for (t = 0; t < s->targets; ++t) wide[t] = (double)flat[i][t];
        sort(wide, s->targets);
        for (t = 0; t < s->targets; ++t) flat[i][t] = (float)wide[t];
    }
    CHECK(!(s->flags & SOOTH_ENSEMBLE_QUANTILES) || crossed > 0);
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_OK);
    if (!e) return;
    CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK(e->trees == s->trees);
    if (s->flags & SOOTH_ENSEMBLE_LOW || s->no_table || s->depth > 8 ||
        s->targets * (s->flags & SOOTH_ENSEMBLE_ROWS) > 8)
        CHECK(e->table_depth == 0);
    if (s->leaves == 64 && !s->no_table) CHECK(e->table_depth == 6);
    sooth_ensemble_predict_many(e, x, ROWS, COLS, out);
    for (i = 0; i < ROWS; ++i) {
        sooth_ensemble_predict_many(e, x + i * COLS, 1, COLS, one + i * s->targets);
        compared = 0;
        CHECK(sooth_ensemble_predict(e, x + i * COLS) == one[i * s->targets]);
        CHECK(compared <= soothi_ensemble_cost(e).comparisons);
        for (t = 0; t < s->targets; ++t) {
            const float got = out[i * s->targets + t];
            double want = s->flags & SOOTH_ENSEMBLE_EXACT ? sum[i][t] : (double)flat[i][t];
            const double per = s->flags & SOOTH_ENSEMBLE_ROWS ? s->trees : s->trees / s->targets;
            if (s->flags & SOOTH_ENSEMBLE_MEAN) want /= per;
            CHECK(memcmp(&got, &one[i * s->targets + t], sizeof got) == 0);
            if (s->link == SOOTH_ENSEMBLE_LINK_EXP) CHECK_CLOSE(got, exp((double)(float)want), 1e-6);
            else if (s->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) CHECK_NEAR(got, 1.0 / (1.0 + exp(-want)), 1e-6);
            /* to the last bit, exact or not */
            else if (!(s->flags & SOOTH_ENSEMBLE_MEAN)) CHECK(got == (float)want);
            else CHECK_NEAR(got, want, 1e-6 * fabs(want) + 1e-30);
            if (check_failures) return;
        }
    }
    { /* the form of a stage: the first trees alone */
        const uint32_t first = (s->trees / s->targets / 2 + 1) * s->targets;
        uint32_t leaf[256];
        if (first <= s->trees && s->trees <= 256) {
            sooth_ensemble_predict_first(e, x, ROWS, COLS, s->trees, one);
            CHECK(memcmp(one, out, ROWS * s->targets * sizeof *one) == 0);
            soothi_ensemble_leaves(e, x, leaf);
            for (j = 0; j < s->trees; ++j) {
                soothi_ensemble_node look;
                soothi_ensemble_look(e, leaf[j], &look);
                CHECK(look.left == 0 && leaf[j] >= soothi_ensemble_start(e)[j] &&
                      leaf[j] < soothi_ensemble_start(e)[j + 1]);
            }
        }
    }
    { /* trees taken back: with those that are left a prediction is that of the first ones */
        const uint32_t first = (s->trees / s->targets / 2 + 1) * s->targets;
        const double gain[COLS] = {0};
        sooth_ensemble *cut = NULL;
        if (first < s->trees && !(s->flags & SOOTH_ENSEMBLE_MEAN)) {
            CHECK_STATUS(soothi_ensemble_resume(&b, &env, e), SOOTH_OK);
            soothi_ensemble_cut(&b, first, gain);
            CHECK_STATUS(soothi_ensemble_end(&b, &cut), SOOTH_OK);
            CHECK(cut && cut->trees == first && soothi_ensemble_check(cut, cut->head.size, SOOTH_KIND_BOOST));
            sooth_ensemble_predict_first(e, x, ROWS, COLS, first, one);
            if (cut) sooth_ensemble_predict_many(cut, x, ROWS, COLS, out);
            CHECK(memcmp(one, out, ROWS * s->targets * sizeof *one) == 0);
            sooth_ensemble_free(&env, cut);
        }
    }
    { /* more trees after the ones there are: the same bytes as at once */
        sooth_ensemble *again = NULL;
        CHECK_STATUS(soothi_ensemble_resume(&b, &env, e), SOOTH_OK);
        b.shape.no_table = s->no_table;
        CHECK_STATUS(soothi_ensemble_end(&b, &again), SOOTH_OK);
        CHECK(again && again->head.size == e->head.size && memcmp(again, e, e->head.size) == 0);
        sooth_ensemble_free(&env, again);
    }
    sooth_ensemble_free(&env, e);
}

static void sums_are_those_of_plain_walks(void) {
    static const shape all[] = {
        {1, 0, 0, 1, 1, 1, 0},
        {1, 0, 0, 2, 1, 5, 0},
        {1, 0, 0, 64, 6, 100, 0},
        {1, 0, 0, 64, 6, 100, 1},
        {1, 0, 0, 256, 8, 9, 0},
        {1, 0, 0, 300, 40, 20, 0},
        {3, 0, 0, 64, 6, 30, 0},
        {17, 0, 0, 8, 3, 34, 0}, /* more targets than one walk sums */
        {35, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 9, 5, 105, 0},
        {2, SOOTH_ENSEMBLE_QUANTILES, 0, 64, 6, 20, 0},
        {3, SOOTH_ENSEMBLE_QUANTILES | SOOTH_ENSEMBLE_EXACT, 0, 40, 9, 30, 0},
        {8, SOOTH_ENSEMBLE_QUANTILES | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 16, 5, 48, 0},
        {3, SOOTH_ENSEMBLE_ROWS, 0, 40, 9, 10, 0},
        {2, SOOTH_ENSEMBLE_ROWS | SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT, 0, 40, 9, 10, 0},
        {1, SOOTH_ENSEMBLE_EXACT, 0, 100, 30, 50, 0},
        {1, SOOTH_ENSEMBLE_EXACT, 0, 16, 4, 50, 0},
        {1, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, 0, 100, 30, 200, 0},
        {1, SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_COVER, 0, 16, 5, 100, 0},
        {1, SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_COVER, 0, 200, 25, 33, 0},
        {1, 0, SOOTH_ENSEMBLE_LINK_EXP, 8, 3, 4, 0},
        {1, 0, SOOTH_ENSEMBLE_LINK_LOGISTIC, 8, 3, 12, 0},
    };
    size_t k;
    for (k = 0; k < sizeof all / sizeof all[0] && !check_failures; ++k) {
        compare(&all[k], 2 * k);
        compare(&all[k], 2 * k + 1);
        if (check_failures) printf("  in case %u\n", (unsigned)k);
    }
}

static sooth_ensemble *small_one(sooth_env *env, uint32_t leaves, uint32_t depth, uint32_t flags) {
    soothi_ensemble_shape about;
    soothi_ensemble_builder b;
    sooth_ensemble *e = NULL;
    sooth_rng rng;
    uint32_t k;
    sooth_rng_init(&rng, 11, 0);
    memset(&about, 0, sizeof about);
    about.kind = SOOTH_KIND_FOREST;
    about.features = COLS;
    about.targets = 1;
    about.flags = flags;
    soothi_ensemble_begin(&b, env, &about);
    for (k = 0; k < 9; ++k) soothi_ensemble_add_plain_tree(&b, node, random_tree(&rng, leaves, depth), NULL);
    return soothi_ensemble_end(&b, &e) == SOOTH_OK ? e : NULL;
}

/* Means of numbers beyond 1e30 are rounded once, as all others; and trees that could add up to more than a
   float holds are refused. */
static void large_numbers(void) {
    static const double value[3][3] = {
        {1.00000003e36, -1.0e36, 1.23456789e33}, {3e38, 3e38, -3e38}, {1e30, 1e-8, -3e29}};
    const float row[COLS] = {0};
    sooth_env env;
    soothi_ensemble_shape about;
    soothi_ensemble_builder b;
    sooth_ensemble *e = NULL;
    uint32_t k, c;
    sooth_env_init(&env);
    memset(&about, 0, sizeof about);
    about.kind = SOOTH_KIND_FOREST;
    about.features = COLS;
    about.targets = 1;
    about.flags = SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW;
    for (c = 0; c < 3; ++c) {
        soothi_ensemble_begin(&b, &env, &about);
        memset(node, 0, sizeof *node);
        for (k = 0; k < 3; ++k) {
            node[0].value = value[c][k];
            soothi_ensemble_add_plain_tree(&b, node, 1, NULL);
        }
        if (c == 1) {
            CHECK_FAILS(&env, soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA, "more than a float holds");
            continue;
        }
        CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_OK);
        CHECK(sooth_ensemble_predict(e, row) == (float)((value[c][0] + value[c][1] + value[c][2]) / 3.0));
        sooth_ensemble_free(&env, e);
    }
}

/* A sound file may keep more bits for the columns than the builder would: growing on makes sound trees. */
static void other_bits_for_columns(void) {
    sooth_env env;
    soothi_ensemble_builder b;
    sooth_ensemble *wide, *e, *again = NULL;
    sooth_rng rng;
    float x[COLS], from, to;
    uint32_t k, i;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 3, 0);
    e = small_one(&env, 30, 9, SOOTH_ENSEMBLE_EXACT);
    wide = (sooth_ensemble *)malloc(e->head.size);
    CHECK(e && wide && e->table_depth == 0);
    memcpy(wide, e, e->head.size);
    for (k = 0; k < wide->nodes; ++k) {
        sooth_tree_node *n = (sooth_tree_node *)(void *)(wide + 1) + k;
        n->link = n->link >> wide->shift << (wide->shift + 3) | (n->link & ((1u << wide->shift) - 1u));
    }
    wide->shift += 3;
    soothi_block_seal(&wide->head);
    CHECK(soothi_ensemble_check(wide, wide->head.size, SOOTH_KIND_FOREST));
    CHECK_STATUS(soothi_ensemble_resume(&b, &env, wide), SOOTH_OK);
    soothi_ensemble_add_plain_tree(&b, node, random_tree(&rng, 30, 9), NULL);
    CHECK_STATUS(soothi_ensemble_end(&b, &again), SOOTH_OK);
    CHECK(again && soothi_ensemble_check(again, again->head.size, SOOTH_KIND_FOREST));
    for (i = 0; i < 100; ++i) {
        for (k = 0; k < COLS; ++k) x[k] = sooth_rng_float(&rng);
        sooth_ensemble_predict_first(e, x, 1, COLS, 9, &from);
        sooth_ensemble_predict_first(again, x, 1, COLS, 9, &to);
        CHECK(memcmp(&from, &to, sizeof to) == 0);
    }
    sooth_ensemble_free(&env, e);
    sooth_ensemble_free(&env, again);
    free(wide);
}

/* Every word of the block changed in every bit, and sealed anew: either check refuses it, or it predicts
   without harm (this test is run under the sanitizers, too). */
static void no_change_gets_past_the_check(void) {
    float row[COLS] = {0.1f, NAN, 0.3f, -1.0f, 1.0f, 2.0f, 0.0f};
    uint32_t form;
    for (form = 0; form < 3; ++form) {
        sooth_ensemble *e =
            small_one(NULL, form ? 30 : 8, form ? 12 : 3,
                      form == 2 ? SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_EXACT : SOOTH_ENSEMBLE_COVER);
        uint32_t *word = (uint32_t *)(void *)e, at, bit, refused = 0, tried = 0;
        CHECK(e && soothi_ensemble_check(e, e->head.size, SOOTH_KIND_FOREST) &&
              !soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
        if (!e) return;
        CHECK((e->table_depth > 0) == (form == 0));
        for (at = 4; at < e->head.size / 4; ++at)
            for (bit = 0; bit < 32; ++bit) {
                word[at] ^= 1u << bit;
                soothi_block_seal(&e->head);
                ++tried;
                if (e->head.size == (uint32_t)soothi_round16(e->head.size) &&
                    soothi_ensemble_check(e, e->head.size, SOOTH_KIND_FOREST))
                    (void)sooth_ensemble_predict(e, row);
                else ++refused;
                word[at] ^= 1u << bit;
            }
        soothi_block_seal(&e->head);
        CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_FOREST));
        CHECK(refused > tried / 4);
        sooth_ensemble_free(NULL, e);
    }
}

static void what_is_no_tree_is_a_sentence(void) {
    soothi_ensemble_shape about;
    soothi_ensemble_builder b;
    sooth_ensemble *e;
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < 7; ++k) {
        static const char *const words[] = {
            "not a tree",    "reaches only", "tests column 99", "the threshold of node",
            "is not finite", "not a tree",   "cannot predict"};
        memset(&about, 0, sizeof about);
        about.kind = SOOTH_KIND_BOOST;
        about.features = 3;
        about.targets = k == 6 ? 2 : 1;
        memset(node, 0, sizeof node);
        node[0].left = 1;
        node[0].right = 2;
        if (k == 0) node[0].right = 3;
        if (k == 2) node[0].feature = 98;
        if (k == 3) node[0].threshold = NAN;
        if (k == 4) node[2].value = INFINITY;
        if (k == 5) node[1].left = 1, node[1].right = 2; /* a circle */
        soothi_ensemble_begin(&b, &env, &about);
        if (k < 6)
            CHECK_FAILS(&env, soothi_ensemble_add_plain_tree(&b, node, k == 1 ? 4 : 3, NULL), SOOTH_BAD_DATA,
                        words[k]);
        else CHECK_STATUS(soothi_ensemble_add_plain_tree(&b, node, 3, NULL), SOOTH_OK);
        if (k < 6) CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA);
        else CHECK_FAILS(&env, soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA, words[k]);
        CHECK(e == NULL);
    }
    memset(&about, 0, sizeof about);
    CHECK_FAILS(&env, soothi_ensemble_begin(&b, &env, &about), SOOTH_BAD_ARGUMENT,
                "needs features and targets");
    CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_BAD_ARGUMENT);
}

/* 500,001 trees of depth 9,000 take more comparisons than 32 bits can say. */
static void a_cost_beyond_32_bits_is_the_largest(void) {
    sooth_ensemble e;
    memset(&e, 0, sizeof e);
    e.trees = 500001;
    e.depth = 9000;
    CHECK(soothi_ensemble_cost(&e).comparisons == UINT32_MAX);
    e.trees = 9;
    CHECK(soothi_ensemble_cost(&e).comparisons == 16 * 9000);
}

/* 2^31 targets and 2^31 - 4 leaves are 2^62 values less 2^33, and 64 bits lose their 2^64 bytes: what is left
   is a file of 112 bytes, whose hull would be 16 GiB away. */
static void sizes_that_wrap_around_are_refused(void) {
    sooth_ensemble *e = (sooth_ensemble *)soothi_block_new(NULL, SOOTH_KIND_FOREST, 1, 96, 8, 0);
    e->head.features = 1;
    e->head.targets = 0x80000000u;
    e->trees = e->nodes = 1;
    e->leaves = 0x7FFFFFFCu;
    e->shift = 9;
    e->flags = SOOTH_ENSEMBLE_ROWS;
    ((uint32_t *)(void *)e)[23] = 1; /* where a second tree would begin */
    soothi_block_seal(&e->head);
    CHECK(!soothi_ensemble_check(e, e->head.size, SOOTH_KIND_FOREST));
    sooth_ensemble_free(NULL, e);
}

int main(void) {
    CHECK_RUN(a_cost_beyond_32_bits_is_the_largest);
    CHECK_RUN(sums_are_those_of_plain_walks);
    CHECK_RUN(large_numbers);
    CHECK_RUN(other_bits_for_columns);
    CHECK_RUN(no_change_gets_past_the_check);
    CHECK_RUN(what_is_no_tree_is_a_sentence);
    CHECK_RUN(sizes_that_wrap_around_are_refused);
    return check_end("ensemble");
}
