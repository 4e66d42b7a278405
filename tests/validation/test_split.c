/* test_split.c - the folds of split.h against scikit-learn's, and against their definitions by brute force.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/validation/split.h"
#include "check.h"
#include "golden/split.h"

#define ROWS 400                          /* most rows of a table here */
#define GOLDEN_HASH 0x7db73f51246dacc5ull /* of the test rows of a split; see the_seed_decides */

static sooth_env env;
static float zeros[ROWS]; /* features that nobody looks at */

static sooth_table table_of(size_t rows) {
    sooth_table table;
    sooth_table_init(&table, zeros, rows, 1);
    return table;
}

static sooth_split_options options_of(uint32_t method) {
    sooth_split_options options;
    memset(&options, 0, sizeof options);
    options.method = method;
    return options;
}

static sooth_split make(const sooth_table *table, const sooth_split_options *options) {
    sooth_split split;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_split_make(&env, table, options, &split), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    return split;
}

static int holds(const uint32_t *row, size_t count, uint32_t wanted) {
    size_t i;
    for (i = 0; i < count; ++i)
        if (row[i] == wanted) return 1;
    return 0;
}

static int ascends(const uint32_t *row, size_t count) {
    size_t i;
    for (i = 1; i < count; ++i)
        if (row[i - 1] >= row[i]) return 0;
    return 1;
}

/* Train and test together are every row once. */
static int divides(const sooth_split_fold *fold, size_t rows) {
    uint32_t i;
    if (fold->trains + fold->tests != rows || !ascends(fold->train, fold->trains) ||
        !ascends(fold->test, fold->tests))
        return 0;
    for (i = 0; i < rows; ++i)
        if (holds(fold->train, fold->trains, i) == holds(fold->test, fold->tests, i)) return 0;
    return 1;
}

static int same_fold(const sooth_split_fold *a, const sooth_split_fold *b) {
    return a->trains == b->trains && a->tests == b->tests && a->group == b->group &&
           memcmp(a->train, b->train, a->trains * sizeof(uint32_t)) == 0 &&
           memcmp(a->test, b->test, a->tests * sizeof(uint32_t)) == 0;
}

/* ---- random splits ---- */

static void kfold_tests_every_row_once(void) {
    size_t rows, folds, f, r;
    uint32_t i;
    for (rows = 2; rows <= 23; ++rows)
        for (folds = 2; folds <= rows; folds += 1 + folds / 4) {
            sooth_table table = table_of(rows);
            sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
            sooth_split split;
            options.folds = (uint32_t)folds;
            options.repeats = 3;
            options.seed = (uint32_t)rows;
            split = make(&table, &options);
            CHECK(split.folds == 3 * folds && split.skipped == 0);
            for (r = 0; r < 3; ++r) {
                uint32_t tested[ROWS] = {0};
                for (f = 0; f < folds; ++f) {
                    const sooth_split_fold *fold = &split.fold[r * folds + f];
                    CHECK(divides(fold, rows));
                    CHECK(fold->tests == rows / folds || fold->tests == rows / folds + 1);
                    for (i = 0; i < fold->tests; ++i) ++tested[fold->test[i]];
                }
                for (i = 0; i < rows; ++i) CHECK(tested[i] == 1);
            }
            if (rows > 8 && folds < rows) CHECK(!same_fold(&split.fold[0], &split.fold[folds]));
            sooth_split_free(&env, &split);
        }
}

static void sizes_equal_scikit_learn(void) {
    static const double share[2] = {0, 0.33}; /* 0: the default of 0.2 */
    size_t k, f;
    for (k = 0; k < sizeof golden_kfold / sizeof golden_kfold[0]; ++k) {
        sooth_table table = table_of(golden_kfold[k][0]);
        sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
        sooth_split split;
        options.folds = (uint32_t)golden_kfold[k][1];
        split = make(&table, &options);
        for (f = 0; f < split.folds; ++f) CHECK(split.fold[f].tests == golden_kfold[k][2 + f]);
        sooth_split_free(&env, &split);
    }
    for (k = 0; k < sizeof golden_holdout / sizeof golden_holdout[0]; ++k)
        for (f = 0; f < 2; ++f) {
            sooth_table table;
            sooth_split_options options = options_of(SOOTH_SPLIT_HOLDOUT);
            sooth_split split;
            sooth_table_init(&table, NULL, golden_holdout[k][0], 1); /* x is not looked at */
            options.test_fraction = share[f];
            options.repeats = 2;
            split = make(&table, &options);
            CHECK(split.folds == 2 && split.fold[0].tests == golden_holdout[k][1 + f]);
            CHECK(divides(&split.fold[0], table.rows) && divides(&split.fold[1], table.rows));
            if (table.rows > 3) CHECK(!same_fold(&split.fold[0], &split.fold[1]));
            sooth_split_free(&env, &split);
        }
}

/* Over many seeds every row, and every pair of rows, is tested as often as chance has it. */
static void draws_are_fair(void) {
    enum { DRAWS = 4000, COUNT = 10 };
    static const uint32_t group[COUNT] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    uint32_t seed, i, j, stratify;
    for (stratify = 0; stratify < 3; stratify += 2) {
        double tested[COUNT][COUNT] = {{0}};
        for (seed = 0; seed < DRAWS; ++seed) {
            sooth_table table = table_of(COUNT);
            sooth_split_options options = options_of(SOOTH_SPLIT_HOLDOUT);
            sooth_split split;
            table.group = group;
            options.test_fraction = 0.4;
            options.stratify = stratify;
            options.seed = seed;
            split = make(&table, &options);
            for (i = 0; i < split.fold[0].tests; ++i)
                for (j = 0; j < split.fold[0].tests; ++j)
                    ++tested[split.fold[0].test[i]][split.fold[0].test[j]];
            sooth_split_free(&env, &split);
        }
        for (i = 0; i < COUNT; ++i)
            for (j = 0; j < COUNT; ++j) {
                /* of 10 rows 4: P(i) = 4/10, P(i and j) = 4/10 3/9; of 5 and 5 rows 2 each:
                   P(i and j) = 2/5 1/4 in one group, else 2/5 2/5 */
                double p = i == j ? 0.4 : stratify == 0 ? 0.4 / 3 : group[i] == group[j] ? 0.1 : 0.16;
                CHECK_NEAR(tested[i][j] / DRAWS, p, 5 * sqrt(p * (1 - p) / DRAWS));
            }
    }
}

/* Every class of the target, found by sorting, has its share in every fold. */
static void strata_are_shared_out(void) {
    enum { COUNT = 97 };
    float y[2 * COUNT], sorted[COUNT];
    sooth_rng rng;
    uint32_t i, s, f, strata, method;
    sooth_rng_init(&rng, 3, 0);
    for (i = 0; i < COUNT; ++i) {
        sorted[i] = y[2 * i] = (sooth_rng_float(&rng) - 0.3f) * 100;
        y[2 * i + 1] = NAN; /* the second target is not looked at */
    }
    qsort(sorted, COUNT, sizeof(float), check_ascending);
    for (method = SOOTH_SPLIT_KFOLD; method <= SOOTH_SPLIT_HOLDOUT; ++method)
        for (strata = 2; strata <= 120; strata += 13) {
            sooth_table table = table_of(COUNT);
            sooth_split_options options = options_of(method);
            sooth_split split;
            table.y = y;
            table.targets = 2;
            options.stratify = SOOTH_SPLIT_TARGET;
            options.strata = strata;
            split = make(&table, &options);
            for (f = 0; f < split.folds; ++f) {
                double tested[120] = {0}, rows[120] = {0};
                CHECK(divides(&split.fold[f], COUNT));
                for (i = 0; i < COUNT; ++i) {
                    uint32_t rank = 0;
                    while (sorted[rank] < y[2 * i]) ++rank;
                    ++rows[rank * strata / COUNT];
                    tested[rank * strata / COUNT] += holds(split.fold[f].test, split.fold[f].tests, i);
                }
                for (s = 0; s < strata; ++s)
                    CHECK(fabs(tested[s] - rows[s] * (double)split.fold[f].tests / COUNT) < 1);
            }
            sooth_split_free(&env, &split);
        }
}

static void groups_can_be_strata(void) {
    sooth_table table = table_of(golden_rows);
    sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
    sooth_split split;
    uint32_t f, i, j;
    table.group = golden_group;
    options.stratify = SOOTH_SPLIT_GROUP;
    options.folds = 4;
    options.repeats = 2;
    split = make(&table, &options);
    CHECK(split.folds == 8);
    for (f = 0; f < 8; ++f)
        for (i = 0; i < golden_rows; ++i) {
            double rows = 0, tested = 0;
            for (j = 0; j < golden_rows; ++j) {
                if (golden_group[j] != golden_group[i]) continue;
                ++rows;
                tested += holds(split.fold[f].test, split.fold[f].tests, j);
            }
            CHECK(fabs(tested - rows / 4) < 1);
        }
    sooth_split_free(&env, &split);
}

/* ---- groups ---- */

static void groups_equal_scikit_learn(void) {
    sooth_table table = table_of(golden_rows);
    sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_split split;
    uint32_t f, i;
    table.group = golden_group;
    split = make(&table, &options);
    CHECK(split.folds == 9);
    for (f = 0; f < split.folds; ++f) {
        CHECK(divides(&split.fold[f], golden_rows));
        for (i = 0; i < golden_rows; ++i) {
            CHECK(holds(split.fold[f].test, split.fold[f].tests, i) == (golden_one_out[i] == f));
            if (golden_one_out[i] == f) CHECK(split.fold[f].group == golden_group[i]);
        }
    }
    sooth_split_free(&env, &split);
    options.method = SOOTH_SPLIT_GROUP_KFOLD;
    options.folds = golden_group_folds;
    split = make(&table, &options);
    CHECK(split.folds == golden_group_folds);
    for (f = 0; f < split.folds; ++f) {
        CHECK(divides(&split.fold[f], golden_rows));
        for (i = 0; i < golden_rows; ++i)
            CHECK(holds(split.fold[f].test, split.fold[f].tests, i) == (golden_group_fold[i] == f));
    }
    sooth_split_free(&env, &split);
}

/* Moolchandani et al. 2022, section 5.2: 81 bags of two, made of 9 benchmarks: each twice with 5 inputs, and
   every pair. Leaving one out (7.2) tests its 5 + 8 bags. */
static void a_bag_is_left_out_with_each_of_its_programs(void) {
    uint32_t offset[82], id[162], a, b, n = 0, f, i;
    sooth_groups groups;
    sooth_table table = table_of(81);
    sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_split split;
    for (a = 0; a < 9; ++a)
        for (b = a; b < 9; ++b)
            for (i = 0; i < (a == b ? 5u : 1u); ++i) {
                id[2 * n] = a;
                id[2 * n + 1] = b;
                ++n;
            }
    CHECK(n == 81);
    for (i = 0; i <= 81; ++i) offset[i] = 2 * i;
    groups.offset = offset;
    groups.id = id;
    groups.rows = 81;
    options.groups = &groups;
    split = make(&table, &options);
    CHECK(split.folds == 9 && split.skipped == 0);
    for (f = 0; f < 9; ++f) {
        CHECK(divides(&split.fold[f], 81) && split.fold[f].tests == 13 && split.fold[f].group == f);
        for (i = 0; i < split.fold[f].trains; ++i)
            CHECK(id[2 * split.fold[f].train[i]] != f && id[2 * split.fold[f].train[i] + 1] != f);
    }
    sooth_split_free(&env, &split);
}

/* Random memberships, from none to four a row; against the definition. */
static void memberships_by_brute_force(void) {
    enum { COUNT = 30, GROUPS = 6 };
    sooth_rng rng;
    uint32_t trial, i, f, g, m;
    sooth_rng_init(&rng, 5, 0);
    for (trial = 0; trial < 300; ++trial) {
        uint32_t offset[COUNT + 1], id[4 * COUNT], n = 0, in[COUNT], seen = 0, everywhere = 0, present = 0;
        sooth_groups groups;
        sooth_table table = table_of(COUNT);
        sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
        sooth_split split;
        for (i = 0; i < COUNT; ++i) {
            offset[i] = n;
            in[i] = 0;
            for (m = sooth_rng_below(&rng, 5); m > 0; --m) {
                g = sooth_rng_below(&rng, GROUPS);
                id[n++] = 1000u * g;
                in[i] |= 1u << g;
            }
            if (trial % 3 == 0) { /* group 2 stands in every row */
                id[n - (n > offset[i])] = 2000;
                if (n == offset[i]) ++n;
                for (in[i] = 0, m = offset[i]; m < n; ++m) in[i] |= 1u << id[m] / 1000;
            }
        }
        offset[COUNT] = n;
        for (g = 0; g < GROUPS; ++g) {
            uint32_t members = 0;
            for (i = 0; i < COUNT; ++i) members += in[i] >> g & 1;
            present += members > 0;
            everywhere += members == COUNT;
        }
        groups.offset = offset;
        groups.id = id;
        groups.rows = COUNT;
        options.groups = &groups;
        split = make(&table, &options);
        CHECK(split.folds == present - everywhere && split.skipped == everywhere);
        for (f = 0; f < split.folds; ++f) {
            CHECK(divides(&split.fold[f], COUNT));
            CHECK(split.fold[f].group % 1000 == 0 &&
                  (f == 0 || split.fold[f].group > split.fold[f - 1].group));
            g = split.fold[f].group / 1000;
            for (i = 0; i < split.fold[f].tests; ++i) CHECK(in[split.fold[f].test[i]] >> g & 1);
            for (i = 0; i < split.fold[f].trains; ++i) CHECK(!(in[split.fold[f].train[i]] >> g & 1));
        }
        sooth_split_free(&env, &split);

        options.method = SOOTH_SPLIT_GROUP_KFOLD;
        options.folds = 3;
        if (sooth_split_make(&env, &table, &options, &split) != SOOTH_OK)
            continue; /* every fold covers all */
        CHECK(split.folds + split.skipped == 3);
        for (f = 0; f < split.folds; ++f) {
            uint32_t left_out = (1u << GROUPS) - 1; /* no training row has these */
            CHECK(divides(&split.fold[f], COUNT));
            for (i = 0; i < split.fold[f].trains; ++i) left_out &= ~in[split.fold[f].train[i]];
            for (i = 0; i < split.fold[f].tests; ++i) CHECK(in[split.fold[f].test[i]] & left_out);
            seen |= left_out;
        }
        if (split.skipped == 0) CHECK(seen == (1u << GROUPS) - 1);
        sooth_split_free(&env, &split);
    }
}

/* The most loaded of three folds against the best that any assignment of the groups reaches. */
static void group_kfold_is_balanced(void) {
    sooth_rng rng;
    uint32_t trial, g, i, code, groups = 8;
    sooth_rng_init(&rng, 6, 0);
    for (trial = 0; trial < 60; ++trial) {
        uint32_t size[8], group[ROWS], rows = 0, best = ROWS, worst = 0;
        sooth_table table;
        sooth_split_options options = options_of(SOOTH_SPLIT_GROUP_KFOLD);
        sooth_split split;
        for (g = 0; g < groups; ++g) {
            size[g] = 1 + sooth_rng_below(&rng, 20);
            for (i = 0; i < size[g]; ++i) group[rows++] = 77u - g;
        }
        for (code = 0; code < 6561; ++code) { /* 3^8 */
            uint32_t load[3] = {0, 0, 0}, rest = code;
            for (g = 0; g < groups; ++g, rest /= 3) load[rest % 3] += size[g];
            if (load[1] > load[0]) load[0] = load[1];
            if (load[2] > load[0]) load[0] = load[2];
            if (load[0] < best) best = load[0];
        }
        table = table_of(rows);
        table.group = group;
        options.folds = 3;
        split = make(&table, &options);
        CHECK(split.folds == 3);
        for (g = 0; g < 3; ++g)
            if (split.fold[g].tests > worst) worst = (uint32_t)split.fold[g].tests;
        CHECK(worst * 9 <= best * 11); /* Graham 1969: 4/3 - 1/(3 parts) */
        sooth_split_free(&env, &split);
    }
}

/* Of groups of one size, the lowest number is dealt first, wherever it stands. */
static void ties_go_to_the_lowest_number(void) {
    static const uint32_t group[] = {9, 9, 4, 4, 6, 6, 5, 5};
    static const uint32_t fold_of[] = {1, 1, 0, 0, 0, 0, 1, 1}; /* 4 -> 0, 5 -> 1, 6 -> 0, 9 -> 1 */
    sooth_table table = table_of(8);
    sooth_split_options options = options_of(SOOTH_SPLIT_GROUP_KFOLD);
    sooth_split split;
    uint32_t i;
    table.group = group;
    options.folds = 2;
    split = make(&table, &options);
    for (i = 0; i < 8; ++i) CHECK(holds(split.fold[fold_of[i]].test, split.fold[fold_of[i]].tests, i));
    sooth_split_free(&env, &split);
}

/* ---- time, nesting, tables ---- */

static void time_equals_scikit_learn(void) {
    size_t k, f, i;
    for (k = 0; k < sizeof golden_time / sizeof golden_time[0]; ++k) {
        sooth_table table = table_of(golden_time[k][0]);
        sooth_split_options options = options_of(SOOTH_SPLIT_TIME);
        sooth_split split;
        options.folds = (uint32_t)golden_time[k][1];
        split = make(&table, &options);
        CHECK(split.folds == options.folds);
        for (f = 0; f < split.folds; ++f) {
            CHECK(split.fold[f].trains == golden_time[k][2 + 2 * f] &&
                  split.fold[f].tests == golden_time[k][3 + 2 * f]);
            for (i = 0; i < split.fold[f].trains; ++i) CHECK(split.fold[f].train[i] == i);
            for (i = 0; i < split.fold[f].tests; ++i)
                CHECK(split.fold[f].test[i] == split.fold[f].trains + i);
        }
        sooth_split_free(&env, &split);
    }
}

/* By the definition, a loop over pairs: a row is tested in the block of the first row of its time. */
static void rows_of_one_time_stay_together(void) {
    enum { N = 41, FOLDS = 4, STEP = N / (FOLDS + 1), FIRST = N - FOLDS * STEP };
    static uint32_t time[N];
    sooth_table table = table_of(N);
    sooth_split_options options = options_of(SOOTH_SPLIT_TIME);
    options.folds = FOLDS;
    table.time = time;
    for (uint32_t span = 1; span <= N; span += 4) {
        sooth_split split;
        uint32_t tested = 0, alone = 0;
        for (uint32_t i = 0; i < N; ++i) time[i] = i * 17 % N / span; /* in no order, up to span of each */
        if (span == N) {
            CHECK_FAILS(&env, sooth_split_make(&env, &table, &options, &split), SOOTH_BAD_DATA,
                        "all rows have the same time");
            continue;
        }
        split = make(&table, &options);
        for (size_t f = 0; f < split.folds; ++f) {
            const sooth_split_fold *fold = &split.fold[f];
            for (size_t i = 0; i < fold->trains; ++i)
                for (size_t k = 0; k < fold->tests; ++k) CHECK(time[fold->train[i]] < time[fold->test[k]]);
            tested += (uint32_t)fold->tests;
        }
        for (uint32_t i = 0; i < N; ++i) {
            uint32_t before = 0;
            for (uint32_t k = 0; k < N; ++k) before += time[k] < time[i];
            alone += before < FIRST; /* the first of its time stands in the first block */
        }
        CHECK(tested + alone == N);
        sooth_split_free(&env, &split);
    }
}

/* Inner folds divide the outer training rows; no outer test row, and no group left out, is ever among them.
   */
static void nested_splits_stay_inside(void) {
    uint32_t method, f, h, i;
    sooth_table table = table_of(golden_rows);
    sooth_split_options outer_options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_split outer;
    table.group = golden_group;
    outer = make(&table, &outer_options);
    for (f = 0; f < outer.folds; ++f)
        for (method = SOOTH_SPLIT_KFOLD; method <= SOOTH_SPLIT_TIME; ++method) {
            const sooth_split_fold *out = &outer.fold[f];
            sooth_split_options options = options_of(method);
            sooth_split inner;
            CHECK_STATUS(sooth_split_inner(&env, &table, &options, out, &inner), SOOTH_OK);
            if (method == SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT) CHECK(inner.folds == outer.folds - 1);
            for (h = 0; h < inner.folds; ++h) {
                const sooth_split_fold *in = &inner.fold[h];
                CHECK(method == SOOTH_SPLIT_TIME || in->trains + in->tests == out->trains);
                CHECK(ascends(in->train, in->trains) && ascends(in->test, in->tests));
                for (i = 0; i < in->trains; ++i) {
                    CHECK(holds(out->train, out->trains, in->train[i]) &&
                          !holds(in->test, in->tests, in->train[i]));
                    CHECK(golden_group[in->train[i]] != out->group);
                }
                for (i = 0; i < in->tests; ++i) CHECK(holds(out->train, out->trains, in->test[i]));
            }
            sooth_split_free(&env, &inner);
        }
    sooth_split_free(&env, &outer);
}

static void take_gives_both_sides(void) {
    float x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y[] = {0, 10, 20, 30, 40};
    uint32_t group[] = {1, 1, 2, 2, 3};
    sooth_table table, train, test;
    sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_split split;
    sooth_table_init(&table, x, 5, 2);
    table.y = y;
    table.targets = 1;
    table.group = group;
    split = make(&table, &options);
    CHECK_STATUS(sooth_split_take(&env, &table, &split.fold[1], &train, &test), SOOTH_OK);
    CHECK(train.rows == 3 && train.y[2] == 40 && train.x[5] == 9 && train.group[2] == 3);
    CHECK(test.rows == 2 && test.y[0] == 20 && test.x[0] == 4 && test.group[1] == 2);
    sooth_table_free(&env, &test);
    sooth_table_free(&env, &train);
    CHECK_EVERY_ALLOCATION(&env, sooth_split_take(&env, &table, &split.fold[1], &train, &test),
                           (sooth_table_free(&env, &test), sooth_table_free(&env, &train)));
    env.alloc_fn = NULL;
    sooth_split_free(&env, &split);
}

/* ---- the promises ---- */

static void the_seed_decides(void) {
    sooth_table table = table_of(100);
    sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
    sooth_split a, b;
    size_t f;
    unsigned long long hash = 14695981039346656037ull;
    options.repeats = 2;
    options.seed = 11;
    a = make(&table, &options);
    b = make(&table, &options);
    for (f = 0; f < a.folds; ++f) {
        CHECK(same_fold(&a.fold[f], &b.fold[f]));
        hash = check_hash_words(hash, a.fold[f].test, a.fold[f].tests);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
    sooth_split_free(&env, &b);
    options.seed = 12;
    b = make(&table, &options);
    CHECK(!same_fold(&a.fold[0], &b.fold[0]));
    sooth_split_free(&env, &a);
    sooth_split_free(&env, &b);
}

static void bad_input_is_a_sentence(void) {
    static const uint32_t one[] = {7, 7, 7, 7}, offset[] = {0, 2, 1, 3, 4}, bags[] = {0, 1, 2, 2, 3},
                          id[] = {1, 2, 1};
    static const float y[] = {1, 2, NAN, 4};
    static const uint32_t beyond[] = {0, 9}, huge[] = {0, 1u << 30, 1u << 30, 1u << 31, 1u << 31};
    sooth_table table = table_of(4);
    sooth_groups groups;
    sooth_split_fold outer;
    sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
    sooth_split split;
    sooth_env_init(&env);
#define REFUSED(status, words)                                                          \
    CHECK_FAILS(&env, sooth_split_make(&env, &table, &options, &split), status, words); \
    CHECK(split.fold == NULL && split.folds == 0)
    REFUSED(SOOTH_BAD_ARGUMENT, "folds is 5, but there are only 4 rows");
    options.folds = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "folds is 1, but must be between 2");
    options.folds = 2;
    table.rows = 0;
    REFUSED(SOOTH_BAD_DATA, "there are 0 rows to split");
    table.rows = 4;
    options.stratify = SOOTH_SPLIT_TARGET;
    REFUSED(SOOTH_BAD_DATA, "the table has no targets");
    table.y = y;
    table.targets = 1;
    REFUSED(SOOTH_BAD_DATA, "row 3 has no finite target");
    options.stratify = SOOTH_SPLIT_GROUP;
    REFUSED(SOOTH_BAD_DATA, "the table has no groups");
    options.method = SOOTH_SPLIT_TIME;
    REFUSED(SOOTH_BAD_ARGUMENT, "repeats and stratify apply only to kfold and holdout");
    options.stratify = SOOTH_SPLIT_NOTHING;
    options.repeats = 2;
    REFUSED(SOOTH_BAD_ARGUMENT, "repeats and stratify apply only to kfold and holdout");
    options.repeats = 0;
    options.folds = 4;
    REFUSED(SOOTH_BAD_ARGUMENT, "needs 5 rows in time order, but there are 4");
    options.method = SOOTH_SPLIT_HOLDOUT;
    options.test_fraction = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "test_fraction is 1, which leaves none of the 4 rows for training");
    options.test_fraction = NAN;
    REFUSED(SOOTH_BAD_ARGUMENT, "test_fraction is nan");
    options.test_fraction = 0;
    options.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
    REFUSED(SOOTH_BAD_DATA, "the table has no groups");
    table.group = one;
    REFUSED(SOOTH_BAD_DATA, "leaving groups out needs at least 2 groups, but the rows have 1");
    groups.offset = offset;
    groups.id = id;
    groups.rows = 3;
    options.groups = &groups;
    REFUSED(SOOTH_BAD_ARGUMENT, "the groups describe 3 rows, but the table has 4");
    groups.rows = 4;
    REFUSED(SOOTH_BAD_ARGUMENT, "the offsets of the groups decrease after row 2");
    groups.offset = huge; /* nothing of id is read */
    REFUSED(SOOTH_BAD_ARGUMENT, "the groups have 2^31 members or more");
    groups.offset = bags; /* row 3 is in no group */
    options.method = SOOTH_SPLIT_GROUP_KFOLD;
    options.folds = 3;
    REFUSED(SOOTH_BAD_ARGUMENT, "folds is 3, but there are only 2 groups");
    options.method = SOOTH_SPLIT_KFOLD;
    options.stratify = SOOTH_SPLIT_GROUP;
    REFUSED(SOOTH_BAD_DATA, "row 3 has 0 groups, but stratify=group needs exactly one per row");
    options.method = 5;
    REFUSED(SOOTH_BAD_ARGUMENT, "leave_one_group_out");
    options = options_of(SOOTH_SPLIT_KFOLD);
    memset(&outer, 0, sizeof outer);
    CHECK_FAILS(&env, sooth_split_inner(&env, &table, &options, &outer, &split), SOOTH_BAD_DATA,
                "there are 0 rows to split");
    outer.train = beyond;
    outer.trains = 2;
    CHECK_FAILS(&env, sooth_split_inner(&env, &table, &options, &outer, &split), SOOTH_BAD_ARGUMENT,
                "has row 10");
    CHECK_STATUS(sooth_split_make(NULL, &table, &options, &split), SOOTH_BAD_ARGUMENT);
}

/* Two programs, and every bag holds both: whichever is left out, nothing trains. */
static void groups_everywhere_are_refused(void) {
    static const uint32_t offset[] = {0, 2, 4}, id[] = {1, 2, 2, 1};
    sooth_table table = table_of(2);
    sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_groups groups;
    sooth_split split;
    groups.offset = offset;
    groups.id = id;
    groups.rows = 2;
    options.groups = &groups;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_split_make(&env, &table, &options, &split), SOOTH_BAD_DATA,
                "every row has every group");
    CHECK(split.fold == NULL);
}

static void memory_may_fail_anywhere(void) {
    uint32_t method;
    sooth_table table = table_of(golden_rows);
    table.group = golden_group;
    for (method = SOOTH_SPLIT_KFOLD; method <= SOOTH_SPLIT_TIME; ++method) {
        sooth_split_options options = options_of(method);
        sooth_split split;
        sooth_env_init(&env);
        CHECK_EVERY_ALLOCATION(&env, sooth_split_make(&env, &table, &options, &split),
                               sooth_split_free(&env, &split));
    }
    { /* both tables are empty after a failure, whichever it was */
        sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
        sooth_split split;
        size_t n;
        sooth_env_init(&env);
        CHECK_STATUS(sooth_split_make(&env, &table, &options, &split), SOOTH_OK);
        for (n = 0; n < 2; ++n) {
            sooth_table train, test;
            sooth_env other;
            check_memory memory;
            sooth_env_init(&other);
            check_memory_init(&memory, &other, (long)n);
            memset(&train, 0x55, sizeof train);
            memset(&test, 0x55, sizeof test);
            CHECK_STATUS(sooth_split_take(&other, &table, &split.fold[0], &train, &test), SOOTH_NO_MEMORY);
            CHECK(train.x == NULL && test.x == NULL);
            sooth_table_free(&other, &train);
            sooth_table_free(&other, &test);
        }
        sooth_split_free(&env, &split);
    }
    table.rows = UINT32_MAX / 2; /* 16 GiB of row numbers and more */
    {
        sooth_split_options options = options_of(SOOTH_SPLIT_KFOLD);
        sooth_split split;
        check_memory memory;
        sooth_env_init(&env);
        check_memory_init(&memory, &env, 0);
        CHECK_FAILS(&env, sooth_split_make(&env, &table, &options, &split), SOOTH_NO_MEMORY,
                    "no memory for the folds");
    }
}

/* An arena of exactly the stated size is enough, and a loop of nested splits does not fill it. */
static void an_arena_gets_its_memory_back(void) {
    static _Alignas(16) unsigned char memory[1 << 16];
    sooth_arena arena;
    sooth_table table = table_of(golden_rows);
    sooth_split_options options = options_of(SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT);
    sooth_split outer, inner;
    size_t f, used, size;
    table.group = golden_group;
    sooth_env_init(&env);
    sooth_arena_init(&env, &arena, memory, sizeof memory);
    CHECK_STATUS(sooth_split_make(&env, &table, &options, &outer), SOOTH_OK);
    CHECK(arena.used <= outer.bytes + 15); /* what alignment took */
    used = arena.used;
    for (f = 0; f < outer.folds; ++f) {
        CHECK_STATUS(sooth_split_inner(&env, &table, &options, &outer.fold[f], &inner), SOOTH_OK);
        sooth_split_free(&env, &inner);
        CHECK(arena.used <= used + 15);
    }
    sooth_split_free(&env, &outer);
    sooth_arena_init(&env, &arena, memory, sizeof memory);
    CHECK_STATUS(sooth_split_make(&env, &table, &options, &outer), SOOTH_OK);
    size = arena.peak;
    CHECK(size <= 9 * (4 * golden_rows + sizeof(sooth_split_fold)) + 28 * golden_rows + 15);
    sooth_arena_init(&env, &arena, memory, size);
    CHECK_STATUS(sooth_split_make(&env, &table, &options, &outer), SOOTH_OK);
    sooth_arena_init(&env, &arena, memory, size - 1);
    CHECK_STATUS(sooth_split_make(&env, &table, &options, &outer), SOOTH_NO_MEMORY);
}

int main(void) {
    CHECK_RUN(kfold_tests_every_row_once);
    CHECK_RUN(sizes_equal_scikit_learn);
    CHECK_RUN(draws_are_fair);
    CHECK_RUN(strata_are_shared_out);
    CHECK_RUN(groups_can_be_strata);
    CHECK_RUN(groups_equal_scikit_learn);
    CHECK_RUN(a_bag_is_left_out_with_each_of_its_programs);
    CHECK_RUN(memberships_by_brute_force);
    CHECK_RUN(group_kfold_is_balanced);
    CHECK_RUN(ties_go_to_the_lowest_number);
    CHECK_RUN(time_equals_scikit_learn);
    CHECK_RUN(rows_of_one_time_stay_together);
    CHECK_RUN(nested_splits_stay_inside);
    CHECK_RUN(take_gives_both_sides);
    CHECK_RUN(the_seed_decides);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(groups_everywhere_are_refused);
    CHECK_RUN(memory_may_fail_anywhere);
    CHECK_RUN(an_arena_gets_its_memory_back);
    return check_end("split");
}
