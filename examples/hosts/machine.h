/* machine.h - the machine of loop.c and loop.cpp, hidden from the scheduler: tasks on three workers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A task has a size and two implementations: one takes 2 us for each unit, the other 300 us and 0.3 us more.
 * Worker 1 is 1.6 times slower, and from the middle on worker 0 is throttled to a third. Measurements vary by
 * 5 %, and one task in 200 takes a hundred times as long.
 */
#ifndef HOSTS_MACHINE_H
#define HOSTS_MACHINE_H

#include "sooth/base.h"

#include <stdio.h>

enum { WORKERS = 3, CODES = 2, CHOICES = WORKERS * CODES, TASKS = 6000 };

typedef struct machine {
    uint32_t seed;
    double busy[WORKERS]; /* until when, in microseconds */
    int task;
} machine;

static void machine_init(machine *m) {
    memset(m, 0, sizeof *m);
    m->seed = 1;
}

/* 24 random bits. */
static uint32_t machine_random(machine *m) {
    m->seed = m->seed * 1664525u + 1013904223u;
    return m->seed >> 8;
}

/* The size of the next task. */
static float machine_next(machine *m) {
    ++m->task;
    return (float)(50u << machine_random(m) % 6);
}

/* Microseconds that the task would take, but for noise. */
static float machine_truth(const machine *m, float size, int choice) {
    const int worker = choice / CODES;
    const float slow = worker == 0 && m->task > TASKS / 2 ? 3.0f : worker == 1 ? 1.6f : 1.0f;
    return slow * (choice % CODES ? 300.0f + 0.3f * size : 2.0f * size);
}

/* Runs the task and returns its time. */
static float machine_run(machine *m, float size, int choice) {
    const float noise = 0.95f + 0.1f * (float)machine_random(m) / 16777216.0f;
    const float us = noise * machine_truth(m, size, choice) * (machine_random(m) % 200 ? 1.0f : 100.0f);
    m->busy[choice / CODES] += (double)us;
    return us;
}

/* Of choices with the times us[], the one that ends first. */
static int machine_first(const machine *m, const float *us) {
    int best = 0;
    for (int c = 1; c < CHOICES; ++c)
        if (m->busy[c / CODES] + (double)us[c] < m->busy[best / CODES] + (double)us[best]) best = c;
    return best;
}

/* Milliseconds until all is done. */
static double machine_end(const machine *m) {
    double end = 0.0;
    for (int w = 0; w < WORKERS; ++w)
        if (m->busy[w] > end) end = m->busy[w];
    return end / 1000.0;
}

/* The same loop with the true times. A learner cannot be expected to do better. */
static inline double machine_known(void) {
    machine m;
    machine_init(&m);
    while (m.task < TASKS) {
        const float size = machine_next(&m);
        float us[CHOICES];
        for (int c = 0; c < CHOICES; ++c) us[c] = machine_truth(&m, size, c);
        machine_run(&m, size, machine_first(&m, us));
    }
    return machine_end(&m);
}

/* Keeps a model as the file that loop.cpp reads. */
static inline void machine_keep(const sooth_model *model, const char *path) {
    FILE *file = path ? fopen(path, "wb") : NULL;
    const size_t size = model ? model->head.size : 0;
    if (file && (fwrite(model, 1, size, file) != size || fclose(file) != 0)) perror(path);
}

#endif
