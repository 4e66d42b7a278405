/* workload.h - tasks that compute in bursts of known patterns, so that a model can learn them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Each is a process. It sleeps some milliseconds, then computes until its clock of processor time has
 * advanced by a stated number of microseconds. Some bursts can be predicted from the last burst, some from
 * their pattern, some from the length of the sleep. One cannot be predicted: its best prediction, the median,
 * is off by a factor of 2.4 (2^(5/4): of five powers of two, each is 5/4 away from the middle one in the
 * mean).
 */
#ifndef KERNEL_WORKLOAD_H
#define KERNEL_WORKLOAD_H

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The next burst, in microseconds: number i, after this many microseconds of sleep. */
typedef struct workload {
    const char *name; /* of the task; at most 15 characters */
    double (*burst)(uint32_t i, double slept, double chance);
    double least, most; /* milliseconds of sleep, drawn evenly */
} workload;

static double steady(uint32_t i, double slept, double chance) {
    return (void)i, (void)slept, (void)chance, 1000;
}
static double brief(uint32_t i, double slept, double chance) {
    return (void)i, (void)slept, (void)chance, 100;
}
static double by_turns(uint32_t i, double slept, double chance) {
    return (void)slept, (void)chance, i % 2 ? 2500 : 250;
}
static double every_third(uint32_t i, double slept, double chance) {
    return (void)slept, (void)chance, i % 3 ? 150 : 3000;
}
static double by_sleep(uint32_t i, double slept, double chance) { return (void)i, (void)chance, slept / 5; }
static double by_chance(uint32_t i, double slept, double chance) {
    return (void)i, (void)slept, 100 * exp2(5 * chance); /* 100 to 3200, its logarithm drawn evenly */
}

static const workload workloads[] = {
    {"steady", steady, 5, 8},           {"brief", brief, 2, 4},        {"by turns", by_turns, 4, 8},
    {"every third", every_third, 4, 8}, {"by sleep", by_sleep, 2, 25}, {"by chance", by_chance, 4, 8},
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };
static pid_t workload_pid[WORKLOADS];

static double workload_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void workload_run(const workload *w, uint32_t seed) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, w->name);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (uint32_t i = 0;; ++i) {
        double drawn[2];
        for (int k = 0; k < 2; ++k)
            drawn[k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
        const double from = workload_clock(CLOCK_MONOTONIC),
                     sleep = w->least + drawn[0] * (w->most - w->least);
        const struct timespec nap = {0, (long)(sleep * 1e6)};
        nanosleep(&nap, NULL);
        const double until = workload_clock(CLOCK_THREAD_CPUTIME_ID) +
                             w->burst(i, workload_clock(CLOCK_MONOTONIC) - from, drawn[1]);
        while (workload_clock(CLOCK_THREAD_CPUTIME_ID) < until) {}
    }
}

/* Returns how many were started. */
static uint32_t workload_start(void) {
    uint32_t started = 0;
    for (uint32_t k = 0; k < WORKLOADS; ++k) {
        workload_pid[k] = fork();
        if (workload_pid[k] == 0) workload_run(&workloads[k], k + 1);
        started += workload_pid[k] > 0;
    }
    return started;
}

static void workload_end(void) {
    for (uint32_t k = 0; k < WORKLOADS; ++k) {
        if (workload_pid[k] <= 0) continue;
        kill(workload_pid[k], SIGKILL);
        waitpid(workload_pid[k], NULL, 0);
    }
}

#endif /* KERNEL_WORKLOAD_H */
