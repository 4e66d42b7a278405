/* test_correlate.c - correlations against SciPy's and brute force, and the filter of correlated features.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/stats/correlate.h"
#include "sooth/csv.h"
#include "sooth/threads.h"
#include "check.h"
#include "golden/correlate.h"

#define GOLDEN_HASH 0xa67b8746140ce876ull /* see same_bits_everywhere */

static sooth_env env;

static const sooth_correlate_kind kinds[] = {SOOTH_CORRELATE_PEARSON, SOOTH_CORRELATE_SPEARMAN,
                                             SOOTH_CORRELATE_KENDALL};

static sooth_correlation pair(sooth_correlate_kind kind, const float *x, const float *y, size_t count) {
    sooth_correlation c;
    CHECK_STATUS(sooth_correlate_pair(&env, x, 1, y, 1, count, kind, &c), SOOTH_OK);
    return c;
}

/* ---- what others say ---- */

static void near_scipy(double got_r, double got_p, double r, double p) {
    CHECK(isnan(got_r) == isnan(r) && isnan(got_p) == isnan(p));
    if (isnan(r)) return;
    CHECK_NEAR(got_r, r, 1e-12);
    /* p moves by dr n / (1 - r^2) relative to itself when r moves by its rounding */
    CHECK_NEAR(got_p, p, 1e-12 * p + 1e-13 * p / (1 - r * r + 1e-16) + 1e-300);
}

static void equals_scipy(void) {
    size_t k, kind;
    for (k = 0; k < sizeof golden_pair / sizeof golden_pair[0]; ++k)
        for (kind = 0; kind < 3; ++kind) {
            int before = check_failures;
            const double *expected = golden_pair[k].expected + 2 * kind;
            sooth_correlation c = pair(kinds[kind], golden_pair[k].x, golden_pair[k].y, golden_pair[k].rows);
            near_scipy(c.r, c.p, expected[0], expected[1]);
            CHECK(c.rows == golden_pair[k].rows);
            if (check_failures > before) printf("  in %s, kind %zu\n", golden_pair[k].name, kind);
        }
}

static sooth_table golden_table(void) {
    sooth_table table;
    sooth_table_init(&table, golden_x, golden_rows, golden_cols);
    return table;
}

/* Gaps and a constant column inside; one thread and several give the same bits. */
static void matrices_equal_scipy(void) {
    enum { cells = golden_cols * golden_cols };
    sooth_table table = golden_table();
    double r[cells], p[cells], r4[cells], p4[cells];
    size_t kind, i;
    for (kind = 0; kind < 3; ++kind) {
        sooth_threads threads;
        sooth_env parallel;
        CHECK_STATUS(sooth_correlate_matrix(&env, &table, kinds[kind], r, p), SOOTH_OK);
        for (i = 0; i < cells; ++i)
            near_scipy(r[i], p[i], golden_matrix[2 * kind][i], golden_matrix[2 * kind + 1][i]);
        sooth_env_init(&parallel);
        CHECK_STATUS(sooth_threads_start(&parallel, &threads, 4), SOOTH_OK);
        CHECK_STATUS(sooth_correlate_matrix(&parallel, &table, kinds[kind], r4, p4), SOOTH_OK);
        sooth_threads_stop(&threads);
        CHECK(memcmp(r, r4, sizeof r) == 0 && memcmp(p, p4, sizeof p) == 0);
        CHECK_STATUS(sooth_correlate_matrix(&env, &table, kinds[kind], r4, NULL), SOOTH_OK);
        CHECK(memcmp(r, r4, sizeof r) == 0);
    }
}

/* ---- by definition ---- */

/* tau-b from all pairs of rows, the definition. */
static void kendall_equals_all_pairs(void) {
    enum { most = 300 };
    float x[most], y[most];
    size_t trial, i, j;
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    for (trial = 0; trial < 200; ++trial) {
        size_t n = 2 + sooth_rng_below(&rng, most - 1);
        uint32_t values = 1 + sooth_rng_below(&rng, 40);
        long same = 0, free_x = 0, free_y = 0;
        for (i = 0; i < n; ++i) {
            x[i] = (float)sooth_rng_below(&rng, values) - 3;
            y[i] = trial % 3 ? (float)sooth_rng_below(&rng, values) : sooth_rng_float(&rng) - x[i];
        }
        for (i = 0; i < n; ++i)
            for (j = 0; j < i; ++j) {
                int a = (x[i] > x[j]) - (x[i] < x[j]), b = (y[i] > y[j]) - (y[i] < y[j]);
                same += a * b;
                free_x += a * a;
                free_y += b * b;
            }
        if (free_x == 0 || free_y == 0) CHECK(isnan(pair(SOOTH_CORRELATE_KENDALL, x, y, n).r));
        else
            CHECK_NEAR(pair(SOOTH_CORRELATE_KENDALL, x, y, n).r,
                       (double)same / sqrt((double)free_x) / sqrt((double)free_y), 1e-15);
    }
}

/* The exact p of Kendall: every permutation of 7 rows. */
static void kendall_p_counts_permutations(void) {
    enum { n = 7, count = 5040 };
    static double tau[count];
    float x[n], y[n];
    size_t k, i, j;
    for (k = 0; k < count; ++k) {
        float left[n];
        size_t rest = k;
        for (i = 0; i < n; ++i) left[i] = (float)i;
        for (i = 0; i < n; ++i) {
            size_t at = rest % (n - i);
            rest /= n - i;
            x[i] = (float)i;
            y[i] = left[at];
            for (j = at; j + 1 < n - i; ++j) left[j] = left[j + 1];
        }
        tau[k] = pair(SOOTH_CORRELATE_KENDALL, x, y, n).r;
    }
    for (i = 0; i < n; ++i) y[i] = (float)i;
    for (k = 0; k + 1 < n; ++k) { /* adjacent exchanges, one after the other: 0, 1, 2, ... opposite pairs */
        size_t beyond = 0;
        sooth_correlation c;
        float t = y[k];
        y[k] = y[k + 1];
        y[k + 1] = t;
        c = pair(SOOTH_CORRELATE_KENDALL, x, y, n);
        for (i = 0; i < count; ++i) beyond += fabs(tau[i]) > fabs(c.r) - 1e-9;
        CHECK_NEAR(c.p, (double)beyond / count, 1e-14);
    }
}

/* What must not change a correlation does not. */
static void invariants(void) {
    enum { n = 50 };
    float x[n], y[n], u[n], v[n], table[2 * n];
    size_t i, kind;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (i = 0; i < n; ++i) {
        x[i] = (float)sooth_rng_below(&rng, 30);
        y[i] = x[i] + (float)sooth_rng_below(&rng, 30);
        u[i] = 4 * x[i] - 1000; /* exact */
        v[i] = x[i] * x[i] * x[i];
        table[2 * i] = x[i];
        table[2 * i + 1] = y[i];
    }
    for (kind = 0; kind < 3; ++kind) {
        sooth_correlation c = pair(kinds[kind], x, y, n), d = pair(kinds[kind], y, x, n);
        sooth_correlation e = pair(kinds[kind], u, y, n), f = pair(kinds[kind], v, y, n);
        CHECK_NEAR(c.r, d.r, 0);
        CHECK_NEAR(c.p, d.p, 0);
        CHECK_NEAR(c.r, e.r, 1e-15);
        if (kind) CHECK_NEAR(c.r, f.r, 0); /* ranks know nothing of cubes */
        CHECK_STATUS(sooth_correlate_pair(&env, table, 2, table + 1, 2, n, kinds[kind], &d), SOOTH_OK);
        CHECK(c.r == d.r && c.p == d.p);
        for (i = 0; i < n; ++i) v[i] = -y[i];
        CHECK_NEAR(pair(kinds[kind], x, v, n).r, -c.r, 0);
        CHECK_NEAR(pair(kinds[kind], x, v, n).p, c.p, 0);
        for (i = 0; i < n; ++i) v[i] = x[i] * x[i] * x[i];
    }
}

static void two_rows(void) {
    static const float up[] = {1, 2}, down[] = {5, 3}, flat[] = {4, 4};
    size_t kind;
    for (kind = 0; kind < 3; ++kind) {
        CHECK_NEAR(pair(kinds[kind], up, up, 2).r, 1, 1e-15);
        CHECK_NEAR(pair(kinds[kind], up, down, 2).r, -1, 1e-15);
        CHECK_NEAR(pair(kinds[kind], up, down, 2).p, 1, 0);
        CHECK(isnan(pair(kinds[kind], up, flat, 2).r) && isnan(pair(kinds[kind], flat, up, 2).p));
    }
}

/* 0.1 is no float and its mean over 49 rows no double: constant all the same. */
static void constant_columns(void) {
    float x[49], y[49];
    size_t i, kind;
    for (i = 0; i < 49; ++i) {
        x[i] = 0.1f;
        y[i] = (float)i;
    }
    for (kind = 0; kind < 3; ++kind) CHECK(isnan(pair(kinds[kind], x, y, 49).r));
}

/* The largest floats there are. */
static void large_values(void) {
    static const float x[] = {3e38f, -3e38f, 1e38f, 0}, y[] = {1, -1, 0.3f, 0};
    CHECK(pair(SOOTH_CORRELATE_PEARSON, x, y, 4).r > 0.99);
    CHECK_NEAR(pair(SOOTH_CORRELATE_KENDALL, x, y, 4).r, 1, 0);
}

/* ---- ranking ---- */

static void features_are_ranked(void) {
    sooth_table table = golden_table();
    sooth_correlation rank[golden_cols];
    float y[golden_rows * 2];
    size_t i, kind;
    for (i = 0; i < golden_rows; ++i) {
        y[2 * i] = 0;
        y[2 * i + 1] = golden_x[i * golden_cols + 3];
    }
    table.y = y;
    table.targets = 2;
    for (kind = 0; kind < 3; ++kind) {
        const double *r = golden_matrix[2 * kind] + 3 * golden_cols;
        CHECK_STATUS(sooth_correlate_rank(&env, &table, 1, kinds[kind], rank), SOOTH_OK);
        CHECK(rank[0].column == 3 && rank[golden_cols - 1].column == 5 && isnan(rank[golden_cols - 1].r));
        for (i = 0; i + 1 < golden_cols; ++i) {
            CHECK_NEAR(rank[i].r, r[rank[i].column], 1e-12);
            CHECK(rank[i].rows == (rank[i].column == 4 ? rank[i].rows : golden_rows));
            if (i) CHECK(fabs(rank[i].r) <= fabs(rank[i - 1].r));
        }
        CHECK_STATUS(sooth_correlate_rank(&env, &table, 0, kinds[kind], rank), SOOTH_OK);
        for (i = 0; i < golden_cols; ++i)
            CHECK(rank[i].column == i && isnan(rank[i].r)); /* a constant target */
    }
    CHECK_FAILS(&env, sooth_correlate_rank(&env, &table, 2, SOOTH_CORRELATE_PEARSON, rank),
                SOOTH_BAD_ARGUMENT, "target is 2, but must be below 2");
    table.y = NULL;
    CHECK_FAILS(&env, sooth_correlate_rank(&env, &table, 0, SOOTH_CORRELATE_PEARSON, rank), SOOTH_BAD_DATA,
                "no targets");
}

/* ---- dropping ---- */

static void set(double *r, size_t cols, size_t i, size_t j, double value) {
    r[i * cols + j] = r[j * cols + i] = value;
}

/* A ranking from the strengths of the features. */
static void ranking(const double *strength, size_t cols, sooth_correlation *rank) {
    size_t i;
    memset(rank, 0, cols * sizeof *rank);
    for (i = 0; i < cols; ++i) {
        rank[i].column = (uint32_t)i;
        rank[i].r = strength[i];
    }
    soothi_correlate_order(rank, cols);
}

/* Section 4 of the paper: of 24 features six go by Pearson and two more by Kendall, with the correlations
   that it prints ("0.85" is what was still dropped) and with the power as its measurements have them. */
static void drops_what_the_paper_drops(void) {
    enum {
        block_size,
        sm_active,
        glb_penalty,
        n_warps,
        waves,
        grid_size,
        total_threads,
        inst_issue_cycles,
        shar_inst_kernel,
        sh_penalty,
        avg_shar_lat,
        cols = 24
    };
    static const double tau[cols] = {0.214, 0.214, 0.509,   0.405,  0.407,  0.405,
                                     0.470, 0.516, -0.1052, -0.075, -0.1057};
    static double r[cols * cols];
    sooth_correlation rank[cols];
    unsigned char keep[cols];
    size_t j, k, kept = 0;
    for (j = 0; j < cols; ++j) r[j * cols + j] = 1;
    memset(keep, 1, sizeof keep);
    ranking(tau, cols, rank);
    for (j = glb_penalty; j <= inst_issue_cycles; ++j)
        for (k = glb_penalty; k < j; ++k) set(r, cols, j, k, 0.8501); /* all of them with each other */
    set(r, cols, block_size, sm_active, 1.0);
    set(r, cols, inst_issue_cycles, glb_penalty, 0.914);
    set(r, cols, inst_issue_cycles, total_threads, 0.92);
    CHECK_STATUS(sooth_correlate_filter(&env, r, cols, rank, 0.85, keep), SOOTH_OK);
    for (j = 0; j < cols; ++j) kept += keep[j];
    CHECK(kept == 18 && keep[block_size] && keep[inst_issue_cycles]);
    set(r, cols, avg_shar_lat, shar_inst_kernel, 0.89);
    set(r, cols, avg_shar_lat, sh_penalty, 0.94);
    CHECK_STATUS(sooth_correlate_filter(&env, r, cols, rank, 0.85, keep), SOOTH_OK);
    for (kept = j = 0; j < cols; ++j) kept += keep[j];
    CHECK(kept == 16 && keep[avg_shar_lat] && !keep[sm_active]);
}

/* The same from the published measurements of the paper themselves, where they are at hand. */
static void drops_what_the_paper_drops_from_its_data(void) {
    static const char *const features[] = {
        "grid_size",        "block_size",        "Total Threads",    "reg_thread",   "shmem_block",
        "comp_inst_kernel", "avg_comp_lat",      "glob_inst_kernel", "avg_glob_lat", "shar_inst_kernel",
        "avg_shar_lat",     "misc_inst_kernel",  "avg_misc_lat",     "branch",       "glob_load_sim",
        "glob_store_sim",   "inst_issue_cycles", "sm_active",        "waves",        "occupancy",
        "cache_penalty",    "sh_penalty",        "n_warps",          "glb_penalty"};
    static const char *const dropped[2][7] = {
        {"sm_active", "glb_penalty", "n_warps", "waves", "grid_size", "Total Threads", NULL},
        {"shar_inst_kernel", "sh_penalty", NULL}};
    enum { cols = sizeof features / sizeof features[0] };
    static const sooth_correlate_kind kind[2] = {SOOTH_CORRELATE_PEARSON, SOOTH_CORRELATE_KENDALL};
    FILE *file = fopen("../shared/data/power/k20_smaller_raw.csv", "rb");
    static char text[1000000];
    static double r[cols * cols];
    sooth_correlation rank[cols];
    unsigned char keep[cols], expected[cols];
    sooth_csv csv;
    sooth_csv_data data;
    sooth_csv_table_options choice;
    size_t size, pass, i, k;
    if (!file) CHECK_SKIP("the published power data are not here");
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, text, size, NULL, &csv), SOOTH_OK);
    memset(&choice, 0, sizeof choice);
    choice.features = features;
    choice.feature_count = cols;
    choice.target = "Power";
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.rows == 994 && data.table.cols == cols);
    CHECK_STATUS(sooth_correlate_rank(&env, &data.table, 0, SOOTH_CORRELATE_KENDALL, rank), SOOTH_OK);
    memset(keep, 1, sizeof keep);
    memset(expected, 1, sizeof expected);
    for (pass = 0; pass < 2; ++pass) {
        CHECK_STATUS(sooth_correlate_matrix(&env, &data.table, kind[pass], r, NULL), SOOTH_OK);
        CHECK_STATUS(sooth_correlate_filter(&env, r, cols, rank, 0.85, keep), SOOTH_OK);
        for (i = 0; i < cols; ++i)
            for (k = 0; dropped[pass][k]; ++k)
                if (strcmp(features[i], dropped[pass][k]) == 0) expected[i] = 0;
        CHECK(memcmp(keep, expected, cols) == 0);
    }
    sooth_csv_data_free(&env, &data);
    sooth_csv_free(&env, &csv);
}

static void the_first_is_kept(void) {
    double r[9] = {1, 0.9, 0.9, 0.9, 1, 0.1, 0.9, 0.1, 1}, strength[3] = {0.5, -0.7, 0.2};
    sooth_correlation rank[3];
    unsigned char keep[3] = {1, 1, 1};
    CHECK_STATUS(sooth_correlate_filter(&env, r, 3, NULL, 0.85, keep), SOOTH_OK);
    CHECK(keep[0] && !keep[1] && !keep[2]); /* 0 stands for two */
    memset(keep, 1, 3);
    ranking(strength, 3, rank);
    CHECK_STATUS(sooth_correlate_filter(&env, r, 3, rank, 0.85, keep), SOOTH_OK);
    CHECK(!keep[0] && keep[1] && keep[2]); /* 1 is strongest */
    memset(keep, 1, 3);
    strength[1] = NAN; /* ranks last */
    ranking(strength, 3, rank);
    CHECK_STATUS(sooth_correlate_filter(&env, r, 3, rank, 0.85, keep), SOOTH_OK);
    CHECK(keep[0] && !keep[1] && !keep[2]);
    memset(keep, 1, 3);
    r[1] = r[3] = NAN;
    CHECK_STATUS(sooth_correlate_filter(&env, r, 3, rank, 0.85, keep), SOOTH_OK);
    CHECK(keep[0] && keep[1] && !keep[2]);
    memset(keep, 1, 3);
    CHECK_STATUS(sooth_correlate_filter(&env, r, 3, rank, 0.9, keep), SOOTH_OK);
    CHECK(keep[0] && keep[1] && keep[2]); /* above the limit, not at it */
    CHECK_FAILS(&env, sooth_correlate_filter(&env, r, 3, NULL, 1.5, keep), SOOTH_BAD_ARGUMENT,
                "limit is 1.5, but must be between 0 and 1");
    CHECK_FAILS(&env, sooth_correlate_filter(&env, r, 3, NULL, NAN, keep), SOOTH_BAD_ARGUMENT,
                "limit is nan");
    rank[1].column = 3;
    CHECK_FAILS(&env, sooth_correlate_filter(&env, r, 3, rank, 0.5, keep), SOOTH_BAD_ARGUMENT,
                "rank[1].column is 3, but must be below 3");
}

/* Whatever the matrix: no two kept are too close, and whoever was dropped is too close to one kept. */
static void filters_are_complete(void) {
    enum { cols = 20 };
    double r[cols * cols], strength[cols];
    sooth_correlation rank[cols];
    unsigned char keep[cols];
    size_t trial, i, j;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (trial = 0; trial < 300; ++trial) {
        for (i = 0; i < cols; ++i) {
            strength[i] = sooth_rng_double(&rng);
            for (j = 0; j <= i; ++j) set(r, cols, i, j, 2 * sooth_rng_double(&rng) - 1);
        }
        memset(keep, 1, sizeof keep);
        ranking(strength, cols, rank);
        keep[7] = 0;
        CHECK_STATUS(sooth_correlate_filter(&env, r, cols, trial % 2 ? rank : NULL, 0.8, keep), SOOTH_OK);
        CHECK(!keep[7]);
        for (i = 0; i < cols; ++i) {
            size_t close = 0;
            for (j = 0; j < cols; ++j) close += j != i && keep[j] && fabs(r[i * cols + j]) > 0.8;
            CHECK(i == 7 || (keep[i] ? close == 0 : close > 0));
        }
    }
}

/* ---- bad input ---- */

static void bad_input(void) {
    static const float x[] = {1, 2, INFINITY, 4}, y[] = {NAN, 1, 2, 3}, z[] = {1, NAN, NAN, NAN};
    double r[16];
    sooth_correlation c;
    sooth_table table;
    size_t kind;
    for (kind = 0; kind < 3; ++kind) {
        CHECK_FAILS(&env, sooth_correlate_pair(&env, x, 1, y, 1, 4, kinds[kind], &c), SOOTH_BAD_DATA,
                    "row 3 has an infinite value");
        CHECK_FAILS(&env, sooth_correlate_pair(&env, y, 1, x, 1, 4, kinds[kind], &c), SOOTH_BAD_DATA,
                    "row 3 has an infinite value");
        CHECK_FAILS(&env, sooth_correlate_pair(&env, y, 1, z, 1, 4, kinds[kind], &c), SOOTH_BAD_DATA,
                    "needs 2 rows with both values, but there are 0");
        CHECK_FAILS(&env, sooth_correlate_pair(&env, z, 1, z, 1, 4, kinds[kind], &c), SOOTH_BAD_DATA,
                    "needs 2 rows with both values, but there is 1");
        CHECK_FAILS(&env, sooth_correlate_pair(&env, x, 1, y, 1, 1, kinds[kind], &c), SOOTH_BAD_DATA,
                    "needs 2 to 2^31 - 1 rows, but there is 1");
        CHECK_FAILS(&env, sooth_correlate_pair(&env, x, 1, y, 1, 0, kinds[kind], &c), SOOTH_BAD_DATA,
                    "but there are 0");
        sooth_table_init(&table, x, 1, 4);
        CHECK_FAILS(&env, sooth_correlate_matrix(&env, &table, kinds[kind], r, NULL), SOOTH_BAD_DATA,
                    "row 1 has an infinite value in column 3");
        sooth_table_init(&table, y, 1, 4);
        CHECK_FAILS(&env, sooth_correlate_matrix(&env, &table, kinds[kind], r, NULL), SOOTH_BAD_DATA,
                    "but there is 1");
        table.rows = 0;
        CHECK_FAILS(&env, sooth_correlate_matrix(&env, &table, kinds[kind], r, NULL), SOOTH_BAD_DATA,
                    "empty");
    }
    CHECK_FAILS(&env, sooth_correlate_pair(&env, x, 1, y, 1, 2, (sooth_correlate_kind)3, &c),
                SOOTH_BAD_ARGUMENT, "kind is 3, but must be below 3");
    CHECK_STATUS(sooth_correlate_pair(NULL, x, 1, y, 1, 2, (sooth_correlate_kind)3, &c), SOOTH_BAD_ARGUMENT);
}

/* ---- the same bits ---- */

/* FNV-1a over the bits of doubles, the same on big-endian machines. */
static void same_bits_everywhere(void) {
    enum { rows = 30, cols = 5 };
    float x[rows * cols];
    double r[cols * cols], p[cols * cols];
    unsigned long long hash = 14695981039346656037ull;
    size_t i, kind;
    sooth_table table;
    sooth_rng rng;
    if (!SOOTH_SAME_BITS) CHECK_SKIP("this machine does not evaluate doubles as such");
    sooth_rng_init(&rng, 21, 0);
    for (i = 0; i < rows * cols; ++i)
        x[i] = i % cols == 1 ? (float)sooth_rng_below(&rng, 5)
                             : sooth_rng_float(&rng) + (i % cols ? x[i - 1] : 0);
    sooth_table_init(&table, x, rows, cols);
    for (kind = 0; kind < 3; ++kind) {
        CHECK_STATUS(sooth_correlate_matrix(&env, &table, kinds[kind], r, p), SOOTH_OK);
        hash = check_hash_doubles(check_hash_doubles(hash, r, cols * cols), p, cols * cols);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
}

/* ---- memory ---- */

/* What the header says that it costs is what it takes. */
static void fits_in_an_arena(void) {
    static unsigned char memory[4 * golden_rows * 8 + 15];
    const size_t exact = 4 * golden_rows * sizeof(double);
    sooth_arena arena;
    sooth_correlation c;
    sooth_env mine;
    unsigned char *aligned = memory + (16 - (size_t)((uintptr_t)memory % 16)) % 16;
    sooth_env_init(&mine);
    sooth_arena_init(&mine, &arena, aligned, exact);
    CHECK_STATUS(sooth_correlate_pair(&mine, golden_x, golden_cols, golden_x + 1, golden_cols, golden_rows,
                                      SOOTH_CORRELATE_KENDALL, &c),
                 SOOTH_OK);
    CHECK(arena.peak == exact && arena.used == 0);
    sooth_arena_init(&mine, &arena, aligned, exact - 1);
    CHECK_FAILS(&mine,
                sooth_correlate_pair(&mine, golden_x, golden_cols, golden_x + 1, golden_cols, golden_rows,
                                     SOOTH_CORRELATE_KENDALL, &c),
                SOOTH_NO_MEMORY, "no memory for a correlation (1280 bytes)");
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_scipy);
    CHECK_RUN(matrices_equal_scipy);
    CHECK_RUN(kendall_equals_all_pairs);
    CHECK_RUN(kendall_p_counts_permutations);
    CHECK_RUN(invariants);
    CHECK_RUN(two_rows);
    CHECK_RUN(constant_columns);
    CHECK_RUN(large_values);
    CHECK_RUN(features_are_ranked);
    CHECK_RUN(drops_what_the_paper_drops);
    CHECK_RUN(drops_what_the_paper_drops_from_its_data);
    CHECK_RUN(the_first_is_kept);
    CHECK_RUN(filters_are_complete);
    CHECK_RUN(bad_input);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(fits_in_an_arena);
    return check_end("correlate");
}
