/* tree.h - times regression trees: task=dt depth=0 bins=0 criterion=squared leaves=0.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: depth (0: no limit), bins (0: exact), criterion (its name), leaves (0: no limit), mf (share of the columns per split), statistics (0)
 */
#include "sooth/tree.h"

typedef struct bench_tree {
    const sooth_tree *tree;
    const sooth_table *test;
    float *out;
} bench_tree;

static double bench_tree_single(void *arg) {
    const bench_tree *b = (const bench_tree *)arg;
    float sum = 0.0f;
    size_t i;
    for (i = 0; i < b->test->rows; ++i) sum += sooth_tree_predict(b->tree, b->test->x + i * b->test->stride);
    return (double)sum;
}

static double bench_tree_batch(void *arg) {
    const bench_tree *b = (const bench_tree *)arg;
    sooth_tree_predict_many(b->tree, b->test->x, b->test->rows, b->test->stride, b->out);
    return (double)b->out[b->test->rows - 1];
}

static void bench_dt(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_tree_options options;
    sooth_tree *tree = NULL;
    bench_tree b;
    size_t d = bench_count("d", 10);
    bench_env(&env);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, &test);
    result->load_kb = bench_peak_kb();
    memset(&options, 0, sizeof options);
    options.max_depth = (uint32_t)bench_count("depth", 0);
    options.bins = (uint32_t)bench_count("bins", 0);
    options.max_leaves = (uint32_t)bench_count("leaves", 0);
    options.no_statistics = !bench_count("statistics", 0);
    if (bench_number("mf", 1.0) < 1.0) options.max_features = (uint32_t)(bench_number("mf", 1.0) * (double)d + 1e-6);
    if (sooth_option_set(&env, sooth_tree_options_list(), &options, "criterion", bench_text("criterion", "squared")) != SOOTH_OK)
        bench_stop("task dt", env.sentence);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_tree_free(&env, tree);
        if (sooth_tree_fit(&env, &train, &options, &tree) != SOOTH_OK) bench_stop("task dt", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    b.tree = tree;
    b.test = &test;
    b.out = (float *)malloc(test.rows * sizeof(float));
    if (!b.out) bench_stop("no memory", NULL);
    result->bytes = (double)tree->head.size;
    sooth_tree_predict_many(tree, test.x, test.rows, test.stride, b.out);
    result->r2 = bench_r2(test.y, b.out, test.rows);
    if (bench_count("predict", 0)) {
        result->single_ns = 1e9 * bench_time(bench_tree_single, &b) / (double)test.rows;
        result->batch_rows = (double)test.rows / bench_time(bench_tree_batch, &b);
    }
    snprintf(result->note, sizeof result->note, "%u nodes, depth %u", (unsigned)tree->nodes, (unsigned)tree->depth);
    sooth_tree_free(&env, tree);
    free(b.out);
}
