/* decide.h - times slowdowns and decisions of a shared machine: task=decide programs=2 policy=fair.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: programs (2; 2 to 16), policy (fair|qos), units (60). single_ns is the time of one
 * sooth_slowdown_predict with a network of the Themis size, whose bytes are printed, and the note has the
 * times of the row before it and of one decision. Floor of a prediction: 312 multiply-adds in float, 26 ns
 * at 4 a cycle and 3 GHz, and 12 logarithms. Of a decision: nothing but the moves it makes.
 */
#include "sooth/slowdown.h"

enum { BENCH_DECIDE_ROWS = 256, BENCH_DECIDE_CALLS = 1000 };

typedef struct bench_decide_case {
    sooth_env env;
    sooth_model *model;
    sooth_allocate machine;
    sooth_allocate_policy policy;
    uint32_t programs;
    float x[BENCH_DECIDE_ROWS * SOOTH_SLOWDOWN_INPUTS], y[BENCH_DECIDE_ROWS * 2];
    float events[SOOTH_ALLOCATE_MAX_PROGRAMS * SOOTH_SLOWDOWN_EVENTS];
} bench_decide_case;

static double bench_decide_predict(void *arg) {
    const bench_decide_case *c = (const bench_decide_case *)arg;
    float part[2], sum = 0.0f;
    for (size_t i = 0; i < BENCH_DECIDE_CALLS; ++i)
        sum += sooth_slowdown_predict(c->model, c->x + i % BENCH_DECIDE_ROWS * SOOTH_SLOWDOWN_INPUTS, part);
    return (double)sum;
}

static double bench_decide_row(void *arg) {
    const bench_decide_case *c = (const bench_decide_case *)arg;
    float row[SOOTH_SLOWDOWN_INPUTS], sum = 0.0f;
    for (uint32_t i = 0; i < BENCH_DECIDE_CALLS; ++i) {
        sooth_slowdown_row(c->events, c->programs, i % c->programs, 10.0f, row);
        sum += row[9];
    }
    return (double)sum;
}

static double bench_decide_once(void *arg) {
    bench_decide_case *c = (bench_decide_case *)arg;
    sooth_allocate_result result;
    sooth_allocate_decide(&c->env, &c->machine, &c->policy, &result);
    return (double)result.unfairness + (double)result.moves;
}

/* Rows of made-up programs: what they cost does not depend on what they say. */
static void bench_decide_make(bench_decide_case *c) {
    sooth_slowdown_options options;
    sooth_table table;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < sizeof c->x / sizeof c->x[0]; ++i) c->x[i] = sooth_rng_float(&rng);
    for (size_t i = 0; i < sizeof c->events / sizeof c->events[0]; ++i) c->events[i] = sooth_rng_float(&rng);
    for (size_t i = 0; i < BENCH_DECIDE_ROWS; ++i) {
        c->x[i * SOOTH_SLOWDOWN_INPUTS] = (float)(10 + i % 5 * 10);
        c->y[2 * i] = 60.0f / c->x[i * SOOTH_SLOWDOWN_INPUTS];
        c->y[2 * i + 1] = 1.0f + c->x[i * SOOTH_SLOWDOWN_INPUTS + 11];
    }
    sooth_table_init(&table, c->x, BENCH_DECIDE_ROWS, SOOTH_SLOWDOWN_INPUTS);
    table.y = c->y;
    table.targets = 2;
    memset(&options, 0, sizeof options);
    options.epochs = 20;
    if (sooth_slowdown_fit(&c->env, &table, &options, NULL, &c->model) != SOOTH_OK)
        bench_stop("task decide", c->env.sentence);
}

static void bench_decide(bench_result *result) {
    static bench_decide_case c;
    const uint32_t units = (uint32_t)bench_count("units", 60);
    bench_env(&c.env);
    c.programs = (uint32_t)bench_count("programs", 2);
    c.policy =
        strcmp(bench_text("policy", "fair"), "qos") == 0 ? sooth_allocate_qos() : sooth_allocate_fair();
    if (sooth_allocate_init(&c.env, &c.machine, units, c.programs) != SOOTH_OK || c.programs < 2)
        bench_stop("task decide", c.env.sentence);
    if (c.policy.enough_fn) c.policy.threshold = 1e-3f; /* never content: the longest way */
    else c.machine.program[0].target = 1.0f / (float)c.programs;
    bench_decide_make(&c);
    for (uint32_t i = 0; i < c.programs; ++i)
        if (sooth_allocate_observe(&c.env, &c.machine, i, 1.1f + (float)i, 1.0f + 0.2f * (float)i, 0) !=
            SOOTH_OK)
            bench_stop("task decide", c.env.sentence);
    result->bytes = (double)c.model->head.size;
    result->single_ns = 1e9 * bench_time(bench_decide_predict, &c) / BENCH_DECIDE_CALLS;
    double row_s = bench_time(bench_decide_row, &c) / BENCH_DECIDE_CALLS;
    double decide_s = bench_time(bench_decide_once, &c);
    snprintf(result->note, sizeof result->note,
             "row %.0f ns, decision %.2f us for %u programs, machine %u bytes", 1e9 * row_s, 1e6 * decide_s,
             (unsigned)c.programs, (unsigned)sizeof c.machine);
    sooth_model_free(&c.env, c.model);
}
