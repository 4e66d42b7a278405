/* test_cluster.c - k-means and silhouettes against scikit-learn's and brute force.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/stats/cluster.h"
#include "sooth/threads.h"
#include "check.h"
#include "golden/cluster.h"

#define GOLDEN_HASH 0x75d54a8de613f833ull /* see same_bits_everywhere */

enum { golden_sets = sizeof golden_set / sizeof golden_set[0] };

static sooth_env env;

static sooth_cluster_options options_of(uint32_t clusters) {
    sooth_cluster_options options;
    memset(&options, 0, sizeof options);
    options.n_clusters = clusters;
    return options;
}

static sooth_table table_of(const float *x, size_t rows, size_t cols) {
    sooth_table table;
    sooth_table_init(&table, x, rows, cols);
    return table;
}

static double fit(const float *x, size_t rows, size_t cols, uint32_t clusters, double *centre,
                  uint32_t *label) {
    sooth_table table = table_of(x, rows, cols);
    sooth_cluster_options options = options_of(clusters);
    double inertia = -1;
    options.n_init = 300;
    CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, label, &inertia), SOOTH_OK);
    return inertia;
}

/* ---- what others say ---- */

/* The least inertia of 300 of their starts, and everything that goes with it. */
static void equals_scikit_learn(void) {
    double centre[64];
    uint32_t label[128];
    double distance;
    size_t s, i;
    for (s = 0; s < golden_sets; ++s) {
        int before = check_failures;
        size_t cells = golden_set[s].clusters * golden_set[s].cols;
        double inertia = fit(golden_set[s].x, golden_set[s].rows, golden_set[s].cols, golden_set[s].clusters,
                             centre, label);
        CHECK_CLOSE(inertia, golden_set[s].inertia, 1e-12);
        CHECK(memcmp(label, golden_set[s].label, golden_set[s].rows * sizeof *label) == 0);
        for (i = 0; i < cells; ++i) CHECK_CLOSE(centre[i], golden_set[s].centre[i], 1e-13);
        for (i = 0; i < golden_set[s].rows; ++i)
            CHECK(soothi_cluster_nearest(centre, golden_set[s].clusters, golden_set[s].cols,
                                         golden_set[s].x + i * golden_set[s].cols, &distance) == label[i]);
        if (check_failures > before) printf("  in %s\n", golden_set[s].name);
    }
}

static void silhouettes_equal_scikit_learn(void) {
    double each[128], mean, again[128], mean4;
    size_t s, i;
    for (s = 0; s < golden_sets; ++s) {
        sooth_table table = table_of(golden_set[s].x, golden_set[s].rows, golden_set[s].cols);
        sooth_threads threads;
        sooth_env parallel;
        CHECK_STATUS(
            sooth_cluster_silhouette(&env, &table, golden_set[s].label, golden_set[s].clusters, each, &mean),
            SOOTH_OK);
        CHECK_NEAR(mean, golden_set[s].mean, 1e-12);
        for (i = 0; i < golden_set[s].rows; ++i) CHECK_NEAR(each[i], golden_set[s].silhouette[i], 1e-12);
        sooth_env_init(&parallel);
        CHECK_STATUS(sooth_threads_start(&parallel, &threads, 4), SOOTH_OK);
        CHECK_STATUS(sooth_cluster_silhouette(&parallel, &table, golden_set[s].label, golden_set[s].clusters,
                                              again, &mean4),
                     SOOTH_OK);
        sooth_threads_stop(&threads);
        CHECK(memcmp(each, again, golden_set[s].rows * sizeof *each) == 0 && memcmp(&mean, &mean4, 8) == 0);
        CHECK_STATUS(
            sooth_cluster_silhouette(&env, &table, golden_set[s].label, golden_set[s].clusters, NULL, NULL),
            SOOTH_OK);
    }
}

/* ---- one column ---- */

/* The least inertia of sorted x in k clusters, by trying every place for every cut; means and squares by the
   definition. */
static double brute_force(const float *x, size_t n, size_t k) {
    double least = 0, mean = 0;
    size_t i, cut;
    if (k == 1) {
        for (i = 0; i < n; ++i) mean += ((double)x[i] - (double)x[0]) / (double)n;
        for (i = 0; i < n; ++i) {
            double t = (double)x[i] - (double)x[0] - mean;
            least += t * t;
        }
        return least;
    }
    least = INFINITY;
    for (cut = k - 1; cut < n; ++cut) {
        double all = brute_force(x, cut, k - 1) + brute_force(x + cut, n - cut, 1);
        if (all < least) least = all;
    }
    return least;
}

static void one_column_is_optimal(void) {
    float x[24], sorted[24];
    double centre[5], inertia, least, distance;
    uint32_t label[24];
    size_t trial, i;
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    for (trial = 0; trial < 200; ++trial) {
        size_t n = 6 + sooth_rng_below(&rng, 19);
        uint32_t k = 1 + sooth_rng_below(&rng, 4);
        for (i = 0; i < n; ++i) {
            x[i] = sooth_rng_float(&rng);
            if (trial % 4 == 1) x[i] = (float)sooth_rng_below(&rng, 12) - 6;
            if (trial % 4 == 2) x[i] = 1e6f + 0.0625f * (float)sooth_rng_below(&rng, 50);
            if (trial % 4 == 3) x[i] = ldexpf(x[i] - 0.5f, (int)sooth_rng_below(&rng, 20));
        }
        for (i = 0; i < 5; ++i) x[i] = (float)i; /* enough different values */
        memcpy(sorted, x, sizeof x);
        qsort(sorted, n, sizeof(float), check_ascending);
        least = brute_force(sorted, n, k);
        inertia = fit(x, n, 1, k, centre, label);
        CHECK_NEAR(inertia, least, 1e-12 * least);
        for (i = 0; i < n; ++i)
            CHECK(label[i] < k && soothi_cluster_nearest(centre, k, 1, &x[i], &distance) == label[i]);
    }
}

/* Squares of 1e7 have no digit left for a spread of 1; all the same the clusters are found. */
static void tight_clusters_far_from_zero(void) {
    static const float x[] = {1e7f,      1e7f + 1, 1e7f + 2,  1e7f + 10, 1e7f + 11,
                              1e7f + 12, -1e7f,    -1e7f + 1, -3e38f,    3e38f};
    double centre[5];
    uint32_t label[10];
    CHECK_NEAR(fit(x, 8, 1, 3, centre, label), 4.5, 0);
    CHECK(centre[0] == -1e7 + 0.5 && centre[1] == 1e7 + 1 && centre[2] == 1e7 + 11);
    CHECK(label[0] == 1 && label[3] == 2 && label[6] == 0);
    CHECK_NEAR(fit(x, 10, 1, 5, centre, label), 4.5, 0);
}

static void thresholds_lie_between(void) {
    static const double centre[] = {-3, 1, 2, 10};
    double threshold[3];
    sooth_cluster_thresholds(centre, 4, threshold);
    CHECK(threshold[0] == -1 && threshold[1] == 1.5 && threshold[2] == 6);
    sooth_cluster_thresholds(centre, 1, NULL); /* none */
}

/* ---- several columns ---- */

/* Different seeds and one of many equal columns more: the same clusters in the same order. */
static void seeds_do_not_matter_where_clusters_part(void) {
    double centre[32], first[32];
    uint32_t label[128], seed;
    size_t s;
    for (s = 0; s < 2; ++s)
        for (seed = 0; seed < 10; ++seed) {
            sooth_table table = table_of(golden_set[s].x, golden_set[s].rows, golden_set[s].cols);
            sooth_cluster_options options = options_of(golden_set[s].clusters);
            options.seed = seed;
            CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, label, NULL), SOOTH_OK);
            if (seed == 0) memcpy(first, centre, sizeof first);
            CHECK(memcmp(first, centre, golden_set[s].clusters * golden_set[s].cols * sizeof *centre) == 0);
            CHECK(memcmp(label, golden_set[s].label, golden_set[s].rows * sizeof *label) == 0);
        }
}

/* A column repeated is the same problem twice, so Lloyd must find what dynamic programming proves. */
static void several_columns_reach_the_optimum_of_one(void) {
    float x[60], twice[120];
    double centre[8], both[16];
    size_t trial, i;
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (trial = 0; trial < 20; ++trial) {
        for (i = 0; i < 60; ++i)
            x[i] = twice[2 * i] = twice[2 * i + 1] =
                (float)sooth_rng_below(&rng, 4) + 0.2f * sooth_rng_float(&rng);
        CHECK_CLOSE(fit(twice, 60, 2, 4, both, NULL), 2 * fit(x, 60, 1, 4, centre, NULL), 1e-12);
        for (i = 0; i < 4; ++i) CHECK_NEAR(both[2 * i], centre[i], 1e-12);
    }
}

/* As many clusters as distinct rows, most of them seen often: no cluster stays empty. */
static void every_different_row_its_cluster(void) {
    float x[2 * 40];
    double centre[2 * 8];
    uint32_t label[40], clusters, seed;
    size_t i, k;
    for (seed = 0; seed < 30; ++seed) {
        sooth_table table;
        sooth_cluster_options options;
        double inertia;
        for (i = 0; i < 40; ++i) {
            size_t which = i < 33 ? 0 : i - 32;
            x[2 * i] = (float)(which % 3);
            x[2 * i + 1] = (float)(which / 3) * 100;
        }
        for (clusters = 1; clusters <= 8; ++clusters) {
            uint32_t seen[8] = {0};
            table = table_of(x, 40, 2);
            options = options_of(clusters);
            options.seed = seed;
            options.n_init = 1;
            CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, label, &inertia), SOOTH_OK);
            for (i = 0; i < 40; ++i) ++seen[label[i]];
            for (k = 0; k < clusters; ++k) CHECK(seen[k] > 0);
            if (clusters == 8) CHECK(inertia == 0.0);
        }
    }
}

/* Lloyd from bad centres, where clusters do become empty; by hand, since k-means++ avoids it. */
static void empty_clusters_are_filled(void) {
    static const float x[] = {0, 0, 1, 0, 10, 0, 11, 0};
    double memory[4 + 6], inertia;
    uint32_t words[4 + 3];
    soothi_cluster_run run;
    memset(&run, 0, sizeof run);
    run.x = x;
    run.rows = 4;
    run.cols = run.stride = 2;
    run.clusters = 3;
    run.distance = memory;
    run.centre = memory + 4;
    run.label = words;
    run.size = words + 4;
    run.centre[0] = 5;
    run.centre[1] = 0;
    run.centre[2] = run.centre[4] = 1000; /* nobody's */
    run.centre[3] = run.centre[5] = 1000;
    inertia = soothi_cluster_lloyd(&run, 100);
    CHECK_NEAR(inertia, 0.5, 0);
    CHECK(run.size[0] && run.size[1] && run.size[2]);
}

static void iterations_are_limited(void) {
    sooth_table table = table_of(golden_set[2].x, golden_set[2].rows, golden_set[2].cols);
    sooth_cluster_options options = options_of(4);
    double centre[8], once, settled;
    options.n_init = options.max_iter = 1;
    CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, NULL, &once), SOOTH_OK);
    options.max_iter = 0;
    CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, NULL, &settled), SOOTH_OK);
    CHECK(once > settled && settled > 0);
}

/* ---- how many ---- */

/* The mean silhouette is largest at scikit-learn's number of clusters. */
static void silhouettes_choose_the_number_of_clusters(void) {
    double centre[64], score[9];
    uint32_t label[128], k, best;
    for (size_t s = 0; s < golden_sets; ++s) {
        const sooth_table table = table_of(golden_set[s].x, golden_set[s].rows, golden_set[s].cols);
        if (s == 2) continue; /* has no clusters */
        for (k = best = 2; k <= 8; ++k) {
            const sooth_cluster_options options = {.n_clusters = k};
            CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, label, NULL), SOOTH_OK);
            CHECK_STATUS(sooth_cluster_silhouette(&env, &table, label, k, NULL, &score[k]), SOOTH_OK);
            if (score[k] > score[best]) best = k;
        }
        CHECK(best == golden_set[s].best);
        CHECK_NEAR(score[best], golden_set[s].best_mean, 1e-12);
        CHECK_NEAR(score[golden_set[s].clusters], golden_set[s].mean, 1e-12);
    }
}

static void fewer_rows_than_clusters(void) {
    static const float x[] = {1, 1, 2, 2, 5, 5}, plane[] = {1, 0, 1, 0, 2, 0, 2, 0, 5, 0, 5, 0};
    sooth_cluster_options options = {.n_clusters = 3};
    double centre[8], mean;
    uint32_t label[6];
    for (uint32_t cols = 1; cols <= 2; ++cols) {
        sooth_table table = table_of(cols == 1 ? x : plane, 6, cols);
        options.n_clusters = 3;
        CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, label, NULL), SOOTH_OK);
        CHECK_STATUS(sooth_cluster_silhouette(&env, &table, label, 3, NULL, &mean), SOOTH_OK);
        CHECK_NEAR(mean, 1, 0);
        options.n_clusters = 4;
        CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, &options, centre, label, NULL), SOOTH_BAD_DATA,
                    "n_clusters is 4, but the table has only 3 distinct rows");
        table.rows = options.n_clusters = 2;
        CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, &options, centre, label, NULL), SOOTH_BAD_DATA,
                    "clusters is 2, but the table has only 1 distinct row");
    }
}

/* Rows come by their squared distances, none that is a centre; the last of them for a mark beyond the sum. */
static void draws_follow_the_distances(void) {
    double distance[] = {0, 1, 0, 3, 0};
    soothi_cluster_run run;
    size_t times[5] = {0}, k;
    sooth_rng rng;
    memset(&run, 0, sizeof run);
    run.rows = 5;
    run.distance = distance;
    sooth_rng_init(&rng, 4, 0);
    for (k = 0; k < 4000; ++k) ++times[soothi_cluster_draw(&run, 4.0, &rng)];
    CHECK(times[0] + times[2] + times[4] == 0);
    CHECK_NEAR((double)times[1], 1000.0, 110.0); /* four times the deviation of a binomial one, 27.4 */
    for (k = 0; k < 100; ++k) CHECK(soothi_cluster_draw(&run, 1e9, &rng) == 3);
}

/* Singles have 0; an empty cluster is nobody's neighbour; rows that are all the same have 0. */
static void silhouettes_of_odd_labels(void) {
    static const float x[] = {0, 1, 10, 11}, same[] = {5, 5, 5, 5};
    static const uint32_t label[] = {0, 0, 2, 3}, halves[] = {0, 1, 0, 1};
    sooth_table table = table_of(x, 4, 1);
    double each[4], mean;
    CHECK_STATUS(sooth_cluster_silhouette(&env, &table, label, 4, each, &mean), SOOTH_OK);
    CHECK_NEAR(each[0], 0.9, 1e-15);
    CHECK_NEAR(each[1], 8.0 / 9.0, 1e-15);
    CHECK(each[2] == 0 && each[3] == 0);
    table = table_of(same, 4, 1);
    CHECK_STATUS(sooth_cluster_silhouette(&env, &table, halves, 2, each, &mean), SOOTH_OK);
    CHECK(mean == 0);
}

/* ---- bad input ---- */

static void bad_input(void) {
    static const float x[] = {1, 2, 3, NAN, 5, 6}, good[] = {1, 1, 1, 1, 2, 2};
    static const uint32_t label[] = {0, 1, 2}, one[] = {1, 1, 1};
    double centre[64], each[3];
    sooth_cluster_options options = options_of(3);
    sooth_table table = table_of(x, 3, 2);
    CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, NULL, centre, NULL, NULL), SOOTH_BAD_DATA,
                "row 2 has a missing value in column 2");
    table = table_of(good, 3, 2);
    CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, NULL, centre, NULL, NULL), SOOTH_BAD_DATA,
                "clusters is 3, but the table has only 2 distinct rows");
    options.n_clusters = 70000;
    CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, &options, centre, NULL, NULL), SOOTH_BAD_ARGUMENT,
                "clusters is 70000, but must be between 1 and 65536");
    options.n_clusters = 1;
    table.rows = 1;
    CHECK_STATUS(sooth_cluster_fit(&env, &table, &options, centre, NULL, NULL), SOOTH_OK); /* one row */
    CHECK(centre[0] == 1 && centre[1] == 1);
    table.rows = 0;
    CHECK_FAILS(&env, sooth_cluster_fit(&env, &table, &options, centre, NULL, NULL), SOOTH_BAD_DATA, "empty");
    table.rows = 3;
    CHECK_FAILS(&env, sooth_cluster_silhouette(&env, &table, label, 2, each, NULL), SOOTH_BAD_ARGUMENT,
                "label[2] is 2, but must be below 2");
    CHECK_FAILS(&env, sooth_cluster_silhouette(&env, &table, one, 2, each, NULL), SOOTH_BAD_DATA,
                "all rows are in one");
    CHECK_FAILS(&env, sooth_cluster_silhouette(&env, &table, one, 1, each, NULL), SOOTH_BAD_ARGUMENT,
                "clusters is 1, but must be between 2 and the 3 rows");
    CHECK_FAILS(&env, sooth_cluster_silhouette(&env, &table, one, 4, each, NULL), SOOTH_BAD_ARGUMENT,
                "clusters is 4");
    table.cols = 0;
    CHECK_FAILS(&env, sooth_cluster_silhouette(&env, &table, label, 3, each, NULL), SOOTH_BAD_DATA, "empty");
}

static void in_a_row(void *user, size_t count, sooth_task *task, void *arg) {
    (void)user;
    for (size_t i = 0; i < count; ++i) task(arg, i, 0);
}

/* The sums of so many workers have no size any more: that is no memory, not a small number of bytes. */
static void more_workers_than_memory(void) {
    static const float x[] = {1, 2, 3, 4};
    static const uint32_t label[] = {0, 1, 0, 1};
    double mean;
    sooth_table table = table_of(x, 4, 1);
    sooth_env mine;
    sooth_env_init(&mine);
    mine.parallel_fn = in_a_row;
    mine.workers = 3;
    CHECK_STATUS(sooth_cluster_silhouette(&mine, &table, label, 2, NULL, &mean), SOOTH_OK);
    mine.workers = SIZE_MAX / 2;
    CHECK_FAILS(&mine, sooth_cluster_silhouette(&mine, &table, label, 2, NULL, &mean), SOOTH_NO_MEMORY,
                "no memory for a silhouette");
}

/* ---- the same bits ---- */

/* FNV-1a over the bits of doubles, the same on big-endian machines. */
static void same_bits_everywhere(void) {
    enum { rows = 60 };
    float x[rows * 3];
    double centre[4 * 3], inertia, each[rows];
    uint32_t label[rows];
    unsigned long long hash = 14695981039346656037ull;
    size_t i, cols;
    sooth_rng rng;
    if (!SOOTH_SAME_BITS) CHECK_SKIP("this machine does not evaluate doubles as such");
    sooth_rng_init(&rng, 22, 0);
    for (i = 0; i < rows * 3; ++i) x[i] = sooth_rng_float(&rng) + (float)sooth_rng_below(&rng, 2);
    for (cols = 1; cols <= 3; ++cols) {
        sooth_table table = table_of(x, rows, cols);
        inertia = fit(x, rows, cols, 4, centre, label);
        CHECK_STATUS(sooth_cluster_silhouette(&env, &table, label, 4, each, NULL), SOOTH_OK);
        hash = check_hash_doubles(check_hash_doubles(check_hash_doubles(hash, &inertia, 1), centre, 4 * cols),
                                  each, rows);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
}

/* ---- memory ---- */

static int stop(void *user, const char *stage, double done) {
    (void)stage;
    (void)done;
    return ++*(int *)user == 2;
}

/* What the header says that it costs is what it takes, each array of it in whole 64 bytes. */
static size_t whole(size_t bytes) { return (bytes + 15) / 16 * 16; }

static void fits_in_an_arena(void) {
    static double memory[2000];
    size_t s;
    for (s = 0; s < golden_sets; ++s) {
        sooth_table table = table_of(golden_set[s].x, golden_set[s].rows, golden_set[s].cols);
        sooth_cluster_options options = options_of(4);
        size_t n = table.rows, d = table.cols;
        size_t exact = d == 1 ? 3 * whole(16 * (n + 1)) + 3 * whole(8 * (n + 1))
                              : whole(8 * n) + whole(8 * 4 * d) + whole(4 * n) + whole(4 * 4);
        unsigned char *aligned = (unsigned char *)memory;
        sooth_arena arena;
        double centre[64];
        sooth_env mine;
        aligned += (16 - (size_t)((uintptr_t)aligned % 16)) % 16;
        CHECK(exact <= sizeof memory - 16);
        sooth_env_init(&mine);
        sooth_arena_init(&mine, &arena, aligned, exact);
        CHECK_STATUS(sooth_cluster_fit(&mine, &table, &options, centre, NULL, NULL), SOOTH_OK);
        CHECK(arena.peak == exact && arena.used == 0);
        sooth_arena_init(&mine, &arena, aligned, exact - 1);
        CHECK_FAILS(&mine, sooth_cluster_fit(&mine, &table, &options, centre, NULL, NULL), SOOTH_NO_MEMORY,
                    "no memory for");
    }
}

static void cancelled(void) {
    sooth_table table = table_of(golden_set[0].x, golden_set[0].rows, golden_set[0].cols);
    double centre[64];
    sooth_env mine;
    int calls = 0;
    sooth_env_init(&mine);
    mine.progress_fn = stop;
    mine.progress_user = &calls;
    CHECK_FAILS(&mine, sooth_cluster_fit(&mine, &table, NULL, centre, NULL, NULL), SOOTH_CANCELLED,
                "clustering was cancelled");
    CHECK(calls == 2);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_scikit_learn);
    CHECK_RUN(silhouettes_equal_scikit_learn);
    CHECK_RUN(one_column_is_optimal);
    CHECK_RUN(tight_clusters_far_from_zero);
    CHECK_RUN(thresholds_lie_between);
    CHECK_RUN(seeds_do_not_matter_where_clusters_part);
    CHECK_RUN(several_columns_reach_the_optimum_of_one);
    CHECK_RUN(every_different_row_its_cluster);
    CHECK_RUN(empty_clusters_are_filled);
    CHECK_RUN(iterations_are_limited);
    CHECK_RUN(silhouettes_choose_the_number_of_clusters);
    CHECK_RUN(fewer_rows_than_clusters);
    CHECK_RUN(draws_follow_the_distances);
    CHECK_RUN(silhouettes_of_odd_labels);
    CHECK_RUN(bad_input);
    CHECK_RUN(more_workers_than_memory);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(fits_in_an_arena);
    CHECK_RUN(cancelled);
    return check_end("cluster");
}
