/* forest.h - times random forests and extra-trees (tasks rf and et).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: trees (100), depth (0: no limit), mf (share of the columns per split), bins (0: exact), cover (1)
 *
 * Floor, for 100 full trees of 10,000 rows and 10 columns (6,300 of them in each bootstrap, mean depth 15):
 * with a third of the columns per split 32 million values are looked at, at the 5 cycles of
 * bench/tasks/tree.h, and 95 million list entries moved on, at 2: 350 million cycles, 90 ms at 4 GHz. Nodes
 * of a few rows cost more than their values (see there) and are nine tenths of all nodes. With all columns 95
 * million are looked at: 170 ms. Extra-trees keep no lists: for each of 15 levels and 10 columns they read
 * 10,000 values from anywhere in the column (40 KB, the second cache: 14 cycles, 4 at a time): 150 million
 * values, 130 ms. One row: 100 trees x 16 levels, each a load of 8 bytes from 13 MB that no near cache holds.
 * 8 trees walk at once, so 200 loads of about 40 ns (third cache) one after the other: 8 us. Many rows: 2,048
 * rows share a tree, which is called for in order: 150 KB at 10 GB/s are 15 us, 7 ns a row; with eight walks
 * at once (12 ns, see bench/tasks/tree.h) 1.9 us for 100 trees.
 */
#include "sooth/forest.h"

BENCH_MODEL(forest)

static sooth_forest_options bench_forest_options(uint32_t splitter) {
    sooth_forest_options options;
    memset(&options, 0, sizeof options);
    options.n_estimators = (uint32_t)bench_count("trees", 100);
    options.max_depth = (uint32_t)bench_count("depth", 0);
    options.bins = (uint32_t)bench_count("bins", 0);
    options.no_cover = !bench_count("cover", 1);
    options.splitter = options.no_bootstrap = splitter;
    if (bench_number("mf", 1.0) < 1.0) options.max_features = bench_number("mf", 1.0);
    return options;
}

static void bench_forest(bench_result *result, uint32_t splitter) {
    const sooth_forest_options options = bench_forest_options(splitter);
    sooth_env env;
    sooth_table train, test;
    sooth_forest *forest = NULL;
    bench_tables(result, &env, &train, &test);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_forest_free(&env, forest);
        if (sooth_forest_fit(&env, &train, &options, &forest) != SOOTH_OK) bench_stop("forest", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    result->bytes = (double)forest->head.size;
    bench_answer(result, forest, bench_forest_one, bench_forest_many, &test);
    snprintf(result->note, sizeof result->note, "%u nodes, depth %u", (unsigned)forest->nodes,
             (unsigned)forest->depth);
    sooth_forest_free(&env, forest);
}

static void bench_rf(bench_result *result) { bench_forest(result, 0); }
static void bench_et(bench_result *result) { bench_forest(result, 1); }
