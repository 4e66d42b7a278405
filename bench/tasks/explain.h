/* explain.h - times SHAP values of boosted trees (task shap).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: rounds (100), depth (6), explain (1000: rows); batch is rows a second. bench/peers/shap_peers.py
 * asks the same of others.
 *
 * Floor: 100 full trees of depth 6 have 100 x 64 leaves, whose paths meet at most 6 columns; q = 3 nodes of
 * quadrature each. Every one of the 12,700 nodes needs for each of q: a product and a quotient to enter, a
 * sum to leave and a sum per column: about 10 operations of double, 380,000 per row. In vectors of 2 doubles,
 * at one a cycle, that is 190,000 cycles: 50 us at 4 GHz, 20,000 rows a second.
 */
#include "sooth/boost.h"
#include "sooth/explain.h"

typedef struct bench_shap_run {
    sooth_env *env;
    const sooth_explain_trees *trees;
    const sooth_table *table;
    double *phi;
} bench_shap_run;

static double bench_shap_once(void *arg) {
    const bench_shap_run *b = (const bench_shap_run *)arg;
    double expected;
    if (sooth_explain_shap(b->env, b->trees, b->table, b->phi, &expected) != SOOTH_OK)
        bench_stop("shap", b->env->sentence);
    return expected + b->phi[0];
}

static void bench_shap(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_boost_options options;
    sooth_boost *boost = NULL;
    bench_shap_run b;
    const size_t d = bench_count("d", 10), most = bench_count("explain", 1000);
    bench_env(&env);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, most, &test);
    result->load_kb = bench_peak_kb();
    memset(&options, 0, sizeof options);
    options.n_estimators = (uint32_t)bench_count("rounds", 100);
    options.max_depth = (uint32_t)bench_count("depth", 6);
    options.learning_rate = 0.1;
    options.subsample = 1.0; /* as the peers */
    double start = bench_clock();
    if (sooth_boost_fit(&env, &train, &options, &boost) != SOOTH_OK) bench_stop("boost", env.sentence);
    bench_trained(result, bench_clock() - start);
    result->bytes = (double)boost->head.size;
    sooth_explain_trees trees = sooth_explain_ensemble(boost);
    b.env = &env;
    b.trees = &trees;
    b.table = &test;
    b.phi = (double *)malloc(test.rows * d * sizeof *b.phi);
    if (!b.phi) bench_stop("shap", "no memory");
    result->batch_rows = (double)test.rows / bench_time(bench_shap_once, &b);
    snprintf(result->note, sizeof result->note, "%u nodes, depth %u", (unsigned)boost->nodes,
             (unsigned)boost->depth);
    free(b.phi);
    sooth_boost_free(&env, boost);
}
