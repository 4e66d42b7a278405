/* boost.h - times gradient boosting (task gb).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: trees (100), depth (6), lr (0.1), bins (256), lambda (1), grow (depth, leaf, symmetric), leaves
 * (31), exact (0), table (1), scorer (0): 1: many rows by scorer.h, categories (0: so many columns, the first
 * ones, hold codes)
 *
 * Floor, for 100 trees of depth 6 on n rows of 10 columns with 256 bins: histograms of the root and of the
 * smaller child of every pair, 3.5 n d additions a tree. An addition is a load, an add and a store, one store
 * a cycle: 35 million cycles for 10,000 rows, 9 ms at 4 GHz, and as much again where consecutive rows fall
 * into one bin and wait for each other (5 cycles). Looking for splits, 63 nodes x 10 columns x 256 bins with
 * a division each (4 to 5 cycles for two at once): 16 million, 9 ms. For 10^6 rows 0.9 s, and 3.5 GB of bins
 * and gradients read from memory: 0.35 s. What keeps us from it: rows of a node are scattered, so each of its
 * rows brings a cache line of which it uses 10 bytes and 4. One row: 600 comparisons, each a node, a feature,
 * a compare and an add; at 4 instructions a cycle 750 cycles, 190 ns. Many rows: 63 nodes of a tree take 6
 * instructions for 128 rows each, and a leaf's number and value 5 for each row: 8 a tree, 200 cycles, 50 ns.
 */
#include "sooth/boost.h"
#include "sooth/model.h"

BENCH_MODEL(boost)

static sooth_scorer *bench_scorer;
static void *bench_scorer_work;

static void bench_scorer_many(const void *model, const float *x, size_t rows, size_t stride, float *out) {
    (void)model;
    sooth_scorer_predict_many(bench_scorer, x, rows, stride, out, bench_scorer_work);
}

static void bench_make_scorer(sooth_env *env, const sooth_boost *boost) {
    const size_t size = sooth_scorer_size(boost);
    void *memory = malloc(size);
    if (sooth_scorer_init(env, boost, memory, size, &bench_scorer) != SOOTH_OK)
        bench_stop("scorer", env->sentence);
    bench_scorer_work = malloc(sooth_scorer_scratch_size(bench_scorer));
    if (!bench_scorer_work) bench_stop("no memory", NULL);
}

static void bench_gb(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_boost_options options;
    sooth_boost *boost = NULL;
    bench_tables(result, &env, &train, &test);
    uint8_t *categorical = (uint8_t *)calloc(train.cols, 1);
    if (!categorical) bench_stop("task gb", "no memory");
    memset(categorical, 1,
           bench_count("categories", 0) < train.cols ? bench_count("categories", 0) : train.cols);
    train.categorical = categorical;
    memset(&options, 0, sizeof options);
    options.n_estimators = (uint32_t)bench_count("trees", 100);
    options.max_depth = (uint32_t)bench_count("depth", 6);
    options.learning_rate = bench_number("lr", 0.1);
    options.subsample = bench_number("subsample", 1.0); /* as the peers by default */
    options.bins = (uint32_t)bench_count("bins", 256);
    options.lambda = bench_number("lambda", 1.0);
    options.method = (uint32_t)bench_count("exact", 0);
    options.max_leaves = (uint32_t)bench_count("leaves", 31);
    options.no_table = !bench_count("table", 1);
    if (sooth_option_set(&env, sooth_boost_options_list(), &options, "grow_policy",
                         bench_text("grow", "depthwise")) != SOOTH_OK)
        bench_stop("task gb", env.sentence);
    if (options.grow_policy == SOOTH_BOOST_LOSSGUIDE) options.max_depth = (uint32_t)bench_count("depth", 0);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_boost_free(&env, boost);
        if (sooth_boost_fit(&env, &train, &options, &boost) != SOOTH_OK) bench_stop("task gb", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    result->bytes = (double)boost->head.size;
    if (bench_count("scorer", 0)) bench_make_scorer(&env, boost);
    bench_answer(result, boost, bench_boost_one, bench_scorer ? bench_scorer_many : bench_boost_many, &test);
    snprintf(result->note, sizeof result->note, "%u nodes, depth %u, table %u", (unsigned)boost->nodes,
             (unsigned)boost->depth, (unsigned)boost->table_depth);
    sooth_boost_free(&env, boost);
    free(categorical);
}
