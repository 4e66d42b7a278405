/* sofnn.h - times fuzzy networks: task=sofnn data=FILE test=FILE d=10 n=1000 rules=16; or what=learn.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: rules (16; learn: 32), order (first|zero), recursion (local|global), updates (1000000). what=learn
 * has no data: its rules are so wide that all of them fire and learn at every row, the worst case; train_s is
 * then the time of one update, over all updates, in memory of a size that was stated before.
 *
 * Floor, b = 1 + d, u rules of first order, M = u b, n rows, at 3 GHz:
 *   fit      for each rule added, tried k = 8 times, k (n M^2 / 2 + M^3 / 6) multiply-adds in double at 4 a
 *            cycle
 *   predict  u (2 d + b) multiply-adds at 8 a cycle and u exponentials: 16 rules of 10 inputs 496, 21 ns;
 *            2.2 KB of model from the first cache
 *   update   local, in float, 1.5 u b^2 at 8 a cycle: 32 rules of 14 inputs 10,800, 0.45 us; global, in
 *            double, 1.5 M^2 at 4 a cycle: 345,600, 29 us
 */
#include "sooth/sofnn.h"

BENCH_MODEL(sofnn)

static void bench_sofnn_options(sooth_env *env, sooth_sofnn_options *options, size_t rules) {
    memset(options, 0, sizeof *options);
    options->max_rules = (uint32_t)bench_count("rules", rules);
    if (sooth_option_set(env, sooth_sofnn_options_list(), options, "order", bench_text("order", "first")) !=
        SOOTH_OK)
        bench_stop("task sofnn", env->sentence);
}

/* A network of rules so wide that all of them fire at every row, with centres at rows of x. */
static sooth_sofnn *bench_sofnn_wide(sooth_env *env, const float *x, size_t d, size_t rules, uint32_t order) {
    const size_t size = 128 + 64 * d + rules * (128 + 96 * d);
    char *text = (char *)malloc(size);
    sooth_sofnn *model;
    size_t n, j, i;
    if (!text) bench_stop("task sofnn", "no memory");
    n = (size_t)snprintf(text, size, "fuzzy network: %u inputs, 1 outputs, %u rules of %s order\n",
                         (unsigned)d, (unsigned)rules, order == SOOTH_SOFNN_ZERO_ORDER ? "zero" : "first");
    for (i = 0; i < d; ++i) n += (size_t)snprintf(text + n, size - n, "input x%u from 0 to 1\n", (unsigned)i);
    n += (size_t)snprintf(text + n, size - n, "output y from -9 to 9\n");
    for (j = 0; j < rules; ++j) {
        const float *row = x + (1 + 31 * j % 1023) * d;
        for (i = 0; i < d; ++i)
            n += (size_t)snprintf(text + n, size - n, "%s x%u is about %.4f +- 20", i ? " AND" : "IF",
                                  (unsigned)i, (double)row[i]);
        n += (size_t)snprintf(text + n, size - n, " THEN y is 0");
        for (i = 0; i < d && order != SOOTH_SOFNN_ZERO_ORDER; ++i)
            n += (size_t)snprintf(text + n, size - n, " + 0 (x%u - %.4f)", (unsigned)i, (double)row[i]);
        n += (size_t)snprintf(text + n, size - n, "\n");
    }
    if (sooth_rules_read(env, text, n, &model) != SOOTH_OK) bench_stop("task sofnn", env->sentence);
    free(text);
    return model;
}

static void bench_sofnn_learn(bench_result *result) {
    static float x[1024 * 64], y[1024];
    const size_t d = bench_count("d", 14) < 64 ? bench_count("d", 14) : 64,
                 updates = bench_count("updates", 1000000);
    sooth_env env;
    sooth_rng rng;
    sooth_sofnn_learner_options options;
    sooth_sofnn_learner *learner;
    sooth_table test;
    size_t i;
    bench_env(&env);
    memset(&options, 0, sizeof options);
    bench_sofnn_options(&env, &options.network, 32);
    if (sooth_option_set(&env, sooth_sofnn_learner_options_list(), &options, "recursion",
                         bench_text("recursion", "local")) != SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    size_t rules = options.network.max_rules;
    options.network.error_threshold = 1e9; /* no growth */
    options.low = x;
    options.high = x + 512 * d;
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 1024 * d; ++i) x[i] = sooth_rng_float(&rng);
    for (i = 0; i < 1024; ++i) y[i] = x[i * d] * x[i * d + 1 % d] + sooth_rng_float(&rng);
    for (i = 0; i < d; ++i) {
        x[i] = 0.0f;
        x[512 * d + i] = 1.0f;
    }
    sooth_sofnn *wide = bench_sofnn_wide(&env, x, d, rules, options.network.order);
    options.warm_start = wide;
    size_t bytes = sooth_sofnn_learner_size(&options, d, 1);
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory || sooth_sofnn_learner_init(&env, &options, d, 1, memory, bytes, &learner) != SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    double start = bench_clock();
    for (i = 0; i < updates; ++i) sooth_sofnn_learner_update(learner, x + i % 1024 * d, y + i % 1024);
    bench_trained(result, (bench_clock() - start) / (double)updates);
    if (!sooth_sofnn_learner_check(learner)) bench_stop("task sofnn", "the covariance is no longer positive");
    sooth_table_init(&test, x, 1024, d);
    test.y = y;
    test.targets = 1;
    bench_answer(result, learner->model, bench_sofnn_one, bench_sofnn_many, &test);
    result->bytes = (double)bytes;
    snprintf(result->note, sizeof result->note, "%u updates, %u rules", (unsigned)updates,
             (unsigned)learner->model->rules);
    sooth_sofnn_free(&env, wide);
    free(memory);
}

static void bench_sofnn(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_sofnn_options options;
    sooth_sofnn *model = NULL;
    if (strcmp(bench_text("what", "fit"), "learn") == 0) {
        bench_sofnn_learn(result);
        return;
    }
    bench_tables(result, &env, &train, &test);
    bench_sofnn_options(&env, &options, 16);
    while (bench_more(result)) {
        const double start = bench_clock();
        sooth_sofnn_free(&env, model);
        if (sooth_sofnn_fit(&env, &train, &options, &model) != SOOTH_OK)
            bench_stop("task sofnn", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, model, bench_sofnn_one, bench_sofnn_many, &test);
    result->bytes = (double)model->head.size;
    snprintf(result->note, sizeof result->note, "%u rules", (unsigned)model->rules);
    sooth_sofnn_free(&env, model);
}
