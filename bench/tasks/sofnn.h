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

static void bench_sofnn_learn(bench_result *result) {
    static float x[1024 * 64], y[1024];
    const size_t d = bench_count("d", 14) < 64 ? bench_count("d", 14) : 64,
                 updates = bench_count("updates", 1000000);
    sooth_env env;
    sooth_rng rng;
    sooth_sofnn_learner_options options;
    sooth_sofnn_learner learner;
    sooth_table test;
    size_t i, j;
    bench_env(&env);
    memset(&options, 0, sizeof options);
    bench_sofnn_options(&env, &options.network, 32);
    if (sooth_option_set(&env, sooth_sofnn_learner_options_list(), &options, "recursion",
                         bench_text("recursion", "local")) != SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    size_t rules = options.network.max_rules;
    options.network.error_threshold = 1e9; /* no growth but ours */
    options.low = x;
    options.high = x + 512 * d;
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 1024 * d; ++i) x[i] = sooth_rng_float(&rng);
    for (i = 0; i < 1024; ++i) y[i] = x[i * d] * x[i * d + 1 % d] + sooth_rng_float(&rng);
    for (i = 0; i < d; ++i) {
        x[i] = 0.0f;
        x[512 * d + i] = 1.0f;
    }
    size_t bytes = sooth_sofnn_learner_size(&options, d, 1);
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory || sooth_sofnn_learner_init(&env, &learner, &options, d, 1, memory, bytes) != SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    sooth_sofnn_learn(&learner, x + d, y + 1);
    while (learner.state->net.rules < rules) {
        i = learner.state->net.rules;
        soothi_sofnn_weigh_up(&learner, x + 31 * i % 1024 * d, y, &j);
        soothi_sofnn_grow_one(&learner, x + 31 * i % 1024 * d, y + 31 * i % 1024);
    }
    for (i = 0; i < rules * d; ++i) learner.state->net.width[i] = 20.0;
    for (i = 0; i < rules; ++i) soothi_sofnn_put(&learner.state->net, i, learner.model);
    learner.model->rules = (uint32_t)rules;
    double start = bench_clock();
    for (i = 0; i < updates; ++i) sooth_sofnn_learn(&learner, x + i % 1024 * d, y + i % 1024);
    bench_trained(result, (bench_clock() - start) / (double)updates);
    if (!sooth_sofnn_sound(&learner)) bench_stop("task sofnn", "the covariance is no longer sound");
    sooth_table_init(&test, x, 1024, d);
    test.y = y;
    test.targets = 1;
    bench_answer(result, learner.model, bench_sofnn_one, bench_sofnn_many, &test);
    result->bytes = (double)bytes;
    snprintf(result->note, sizeof result->note, "%u updates, %u rules", (unsigned)updates,
             (unsigned)learner.model->rules);
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
