/* sofnn.h - times a fuzzy network that learns row by row: task=sofnn rules=32 d=14 recursion=local.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: rules (32), recursion (local|global), order (first|zero). The rules are made so wide that all of
 * them fire and learn at every row: the worst case. train_s is the time of one pass over the rows. Floor of
 * an update, b = 1 + d: 1.5 rules b^2 multiply-adds: local, in float, 10,800 for 32 rules of 14 inputs, 0.45
 * us at 8 a cycle and 3 GHz; global, in double, 1.5 (rules b)^2 = 345,600, 29 us at 4 a cycle.
 */
#include "sooth/sofnn.h"

static double bench_sofnn_predict(void *arg) {
    const sooth_sofnn_learner *learner = (const sooth_sofnn_learner *)arg;
    static float row[64];
    float sum = 0.0f;
    size_t i;
    for (i = 0; i < 1000; ++i) {
        row[i % learner->model->head.features] += 0.001f;
        sum += sooth_sofnn_predict(learner->model, row);
    }
    return (double)sum;
}

static void bench_sofnn(bench_result *result) {
    static float x[1024 * 64], y[1024];
    const size_t d = bench_count("d", 14) < 64 ? bench_count("d", 14) : 64, rules = bench_count("rules", 32);
    sooth_env env;
    sooth_rng rng;
    sooth_sofnn_options options;
    sooth_sofnn_learner learner;
    void *memory;
    size_t bytes, i, j;
    bench_env(&env);
    memset(&options, 0, sizeof options);
    options.max_rules = (uint32_t)rules;
    options.delta = 1e9; /* no growth but ours */
    options.low = x;
    options.high = x + 512 * d;
    if (sooth_option_set(&env, sooth_sofnn_options_list(), &options, "recursion",
                         bench_text("recursion", "local")) != SOOTH_OK ||
        sooth_option_set(&env, sooth_sofnn_options_list(), &options, "order", bench_text("order", "first")) !=
            SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    sooth_rng_init(&rng, 1, 0);
    for (i = 0; i < 1024 * d; ++i) x[i] = sooth_rng_float(&rng);
    for (i = 0; i < 1024; ++i) y[i] = x[i * d] * x[i * d + 1 % d] + sooth_rng_float(&rng);
    for (i = 0; i < d; ++i) {
        x[i] = 0.0f;
        x[512 * d + i] = 1.0f;
    }
    bytes = sooth_sofnn_learner_size(&options, d, 1);
    memory = malloc(bytes ? bytes : 1);
    if (!memory || sooth_sofnn_learner_init(&env, &learner, &options, d, 1, memory, bytes) != SOOTH_OK)
        bench_stop("task sofnn", env.sentence);
    sooth_sofnn_learn(&learner, x + d, y + 1);
    while (learner.state->net.rules < rules) {
        i = learner.state->net.rules;
        soothi_sofnn_weigh_up(&learner, x + 31 * i * d, y, &j);
        soothi_sofnn_grow_one(&learner, x + 31 * i * d, y + 31 * i);
    }
    for (i = 0; i < rules * d; ++i) learner.state->net.width[i] = 20.0;
    for (i = 0; i < rules; ++i) soothi_sofnn_put(&learner.state->net, i, learner.model);
    learner.model->rules = (uint32_t)rules;
    while (bench_more(result)) {
        const double start = bench_clock();
        for (i = 0; i < 1024; ++i) sooth_sofnn_learn(&learner, x + i * d, y + i);
        bench_trained(result, bench_clock() - start);
    }
    result->bytes = (double)learner.model->head.size;
    result->single_ns = 1e9 * bench_time(bench_sofnn_predict, &learner) / 1000.0;
    snprintf(result->note, sizeof result->note, "train_s is 1024 updates; %u rules, %u bytes of learner",
             (unsigned)learner.model->rules, (unsigned)bytes);
    free(memory);
}
