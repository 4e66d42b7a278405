/* workers.h - what more workers bring to boosting, measured and simulated (task threads).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: trees (100), depth (6), bins (256), wake (1: microseconds that a loop takes to begin), reps (5)
 *
 * measured: fits with one worker and with two by turns, the median of the ratios of their wall times; of
 * little worth on a machine that others use. simulated: the loops of a fit that is cut for w workers, run by
 * one, with the least time of several fits for every task and for what lies between the loops, shared out
 * again among w by the rule of the pool (tests/replay.h); against the CPU time of a fit with one worker or
 * all that is in the recording of two, whichever is less. In it is all that w workers do more than one; not
 * in it is what they do to each other's memory.
 *
 * Floor: what lies between the loops is serial, 24 us of the 280 that 16 workers take for a tree on 100,000
 * rows of 10 columns; and 13 loops a tree begin. So 16 workers cannot be more than 13.3 times as fast there.
 */
#include "../tests/replay.h"

static double bench_microseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double bench_wall(void) { return bench_microseconds(CLOCK_MONOTONIC); }

static sooth_boost_options bench_workers_options(void) {
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = (uint32_t)bench_count("trees", 100);
    o.max_depth = (uint32_t)bench_count("depth", 6);
    o.bins = (uint32_t)bench_count("bins", 256);
    o.lambda = 1.0;
    return o;
}

/* Microseconds of one fit by the wall; *cpu: of the processors, the least that was seen. */
static double bench_workers_fit(sooth_env *env, const sooth_table *table, double *cpu) {
    const sooth_boost_options o = bench_workers_options();
    sooth_boost *boost = NULL;
    const double start = bench_wall(), began = bench_microseconds(CLOCK_PROCESS_CPUTIME_ID);
    if (sooth_boost_fit(env, table, &o, &boost) != SOOTH_OK) bench_stop("task threads", env->sentence);
    const double spent = bench_wall() - start, took = bench_microseconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    if (cpu && took < *cpu) *cpu = took;
    sooth_boost_free(env, boost);
    return spent;
}

/* Of a fit on so many workers; *alone: all of it by one, if that is less. */
static double bench_workers_simulated(const sooth_table *table, size_t workers, double *alone) {
    replay r;
    sooth_env env;
    memset(&r, 0, sizeof r);
    r.clock = bench_wall;
    sooth_env_init(&env);
    env.parallel_fn = replay_parallel;
    env.parallel_user = &r;
    env.workers = workers;
    for (size_t i = 0; i < bench_count("reps", 5); ++i) {
        replay_begin(&r);
        bench_workers_fit(&env, table, NULL);
        replay_end(&r);
    }
    if (r.differs) bench_stop("task threads", "a fit asked for other loops than the one before");
    const double time = replay_time(&r, workers, bench_number("wake", 1.0)), all = replay_time(&r, 1, 0.0);
    if (all < *alone) *alone = all;
    replay_free(&r);
    return time;
}

static void bench_workers(bench_result *result) {
    static const size_t workers[] = {2, 4, 8, 16};
    static sooth_threads pool;
    sooth_table train;
    sooth_env one, two;
    double ratio[BENCH_MOST_REPEATS], alone = INFINITY;
    size_t reps = bench_count("reps", 5), at = 0;
    if (reps > BENCH_MOST_REPEATS) reps = BENCH_MOST_REPEATS;
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &train);
    sooth_env_init(&one);
    sooth_env_init(&two);
    if (sooth_threads_start(&pool, 2, &two) != SOOTH_OK) bench_stop("cannot start threads", two.sentence);
    for (size_t i = 0; i < reps; ++i) {
        const double a = bench_workers_fit(&one, &train, &alone), b = bench_workers_fit(&two, &train, NULL);
        ratio[i] = a / b;
        bench_trained(result, 1e-6 * b);
    }
    sooth_threads_stop(&pool);
    at += (size_t)snprintf(result->note, sizeof result->note,
                           "2 workers measured %.2f times as fast; simulated", bench_median(ratio, reps));
    for (size_t k = 0; k < sizeof workers / sizeof workers[0]; ++k) { /* `alone` is settled by the first */
        const double time = bench_workers_simulated(&train, workers[k], &alone);
        at += (size_t)snprintf(result->note + at, sizeof result->note - at, " %u: %.2f", (unsigned)workers[k],
                               alone / time);
    }
}
