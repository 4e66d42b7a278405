/* scaling.h - times fitting time and power to a few runs and choosing among 312 configurations: task=scaling
 * runs=4.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: runs (measurements, 1 to 64), law (ours: time_log and power_speed with their usual priors; paper: De
 * Sensi's, time and power without a prior, from 4 runs on)
 *
 * train_s is sooth_configure_fit and sooth_configure_choose together, as a scheduler runs them in its tick;
 * the note has the parts and sooth_configure_next.
 *
 * Floor: 312 configurations x 2 laws x (21 + 6 + 6 multiply-adds of the variance and the value, in float) and
 * three exponentials of some 20 operations each: 40,000 operations, with 4 in a vector and two vectors per
 * cycle 5,000 cycles or 1.5 microseconds.
 */
#include "sooth/configure.h"

typedef struct bench_scaling_state {
    sooth_configure *machine;
    sooth_configure_goal goal;
    sooth_configure_run run[64];
    size_t runs;
    int part; /* 0: fit and choose, 1: fit, 2: choose, 3: next */
} bench_scaling_state;

/* A thousand times, since the clock is coarse. */
static double bench_scaling_pass(void *arg) {
    bench_scaling_state *b = (bench_scaling_state *)arg;
    sooth_configure_choice choice;
    sooth_configure_experiment next;
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i) {
        if (b->part < 2) sooth_configure_fit(NULL, b->machine, b->run, b->runs);
        if (b->part == 1) sum += (double)b->machine->power[i % 312];
        if (b->part % 2 == 0) {
            sooth_configure_choose(NULL, b->machine, &b->goal, &choice);
            sum += choice.time;
        }
        if (b->part == 3) {
            sooth_configure_next(NULL, b->machine, SOOTH_CONFIGURE_I, &next);
            sum += next.time_after;
        }
        b->run[0].time *= i % 2 ? 1.001f : 1.0f / 1.001f;
    }
    return sum;
}

static void bench_scaling(bench_result *result) {
    static bench_scaling_state b;
    static double memory[29144 / 8];
    /* De Sensi's Halton points: 13 threads at 1.6 GHz, ... */
    static const uint32_t four[4] = {160, 82, 235, 44};
    const char *law = bench_text("law", "ours");
    sooth_configure_options options;
    sooth_env env;
    double microseconds[4];
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.machine.cores = 12;
    options.machine.sockets = 2;
    options.machine.levels = 13;
    for (size_t i = 0; i < 13; ++i) options.machine.frequency[i] = 1.2f + 0.1f * (float)i;
    if (strcmp(law, "paper") == 0) {
        options.time_law = SOOTH_SCALING_TIME;
        options.power_law = SOOTH_SCALING_POWER;
    } else if (strcmp(law, "ours") != 0) {
        bench_stop("law must be ours or paper", law);
    }
    if (sooth_configure_init(&env, &options, NULL, 0, 2, memory, sizeof memory, &b.machine) != SOOTH_OK)
        bench_stop("task scaling", env.sentence);
    b.runs = bench_count("runs", 4);
    if (b.runs < 1 || b.runs > 64) bench_stop("runs must be between 1 and 64", NULL);
    for (size_t i = 0; i < b.runs; ++i) {
        b.run[i].which = i < 4 ? four[i] : (uint32_t)(i * 37 % 312);
        double t = (double)(b.run[i].which / 13 + 1);
        double g = 1.0 + (double)(b.run[i].which % 13) / 12.0;
        b.run[i].time = (float)((20.0 + 180.0 / t) / g);
        b.run[i].power = (float)(35.0 + (t > 12.0 ? 10.0 : 0.0) + 1.5 * t * g);
    }
    b.goal.most_time = 30.0;
    if (sooth_configure_fit(&env, b.machine, b.run, b.runs) != SOOTH_OK)
        bench_stop("task scaling", env.sentence);
    for (b.part = 0; b.part < 4; ++b.part) microseconds[b.part] = 1e3 * bench_time(bench_scaling_pass, &b);
    bench_trained(result, 1e-6 * microseconds[0]);
    result->bytes = (double)(sizeof b.machine + sizeof memory);
    snprintf(result->note, sizeof result->note, "fit %.2f us, choose %.2f us, next %.2f us", microseconds[1],
             microseconds[2], microseconds[3]);
}
