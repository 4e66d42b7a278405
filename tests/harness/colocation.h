/* colocation.h - rows for slowdown.h from examples/simulator: producers to learn from, unseen kernels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_TESTS_COLOCATION_H
#define SOOTH_TESTS_COLOCATION_H

#include "../../examples/simulator/colocation.h"

#define COLOCATION_NOISE 0.01 /* of every event and every slowdown, as a study of the paper has it */
#define COLOCATION_ROWS (SIMULATOR_TRAIN * 2 * SIMULATOR_LEVELS * 5)

static double colocation_solo[SIMULATOR_KERNELS][SIMULATOR_SMS + 1];

/* Time alone of a kernel of the table, remembered. */
static inline double colocation_alone(const simulator_kernel *k, int sms) {
    double *t;
    if (k < simulator_kernels || k >= simulator_kernels + SIMULATOR_KERNELS) return simulator_alone(k, sms);
    t = &colocation_solo[k - simulator_kernels][sms];
    if (!(*t > 0)) *t = simulator_alone(k, sms);
    return *t;
}

/* Runs a bag and writes for each program its row of 12 and its two slowdowns. rng NULL: no noise. */
static inline void colocation_run(const simulator_kernel *const *k, const int *sms, int count, sooth_rng *rng,
                                  float *row, float *sd) {
    simulator_result result[SIMULATOR_MOST];
    float events[SIMULATOR_MOST * 8];
    int i, e;
    simulator_run(k, sms, count, result);
    for (i = 0; i < count; ++i) {
        double alone = colocation_alone(k[i], sms[i]);
        for (e = 0; e < 8; ++e)
            events[8 * i + e] =
                (float)(result[i].event[e] * (rng ? exp(COLOCATION_NOISE * sooth_rng_normal(rng)) : 1));
        sd[2 * i] = (float)(alone / colocation_alone(k[i], SIMULATOR_SMS) *
                            (rng ? exp(COLOCATION_NOISE * sooth_rng_normal(rng)) : 1));
        sd[2 * i + 1] =
            (float)(result[i].time / alone * (rng ? exp(COLOCATION_NOISE * sooth_rng_normal(rng)) : 1));
    }
    for (i = 0; i < count; ++i)
        sooth_slowdown_row(events, (uint32_t)count, (uint32_t)i, (float)sms[i],
                           row + SOOTH_SLOWDOWN_INPUTS * i);
}

/* 15 kernels x 2 producers x 12 levels x 5 splits: rows of the kernels alone. group: the kernel. */
static inline void colocation_train(float *x, float *y, uint32_t *group) {
    float row[2 * SOOTH_SLOWDOWN_INPUTS], sd[4];
    sooth_rng rng;
    int a, kind, level, split, n = 0;
    sooth_rng_init(&rng, 7, 0);
    for (a = 0; a < SIMULATOR_TRAIN; ++a)
        for (kind = 0; kind < 2; ++kind)
            for (level = 0; level < SIMULATOR_LEVELS; ++level)
                for (split = 10; split <= 50; split += 10, ++n) {
                    simulator_kernel producer = simulator_producer(kind, level);
                    const simulator_kernel *k[2];
                    int sms[2];
                    k[0] = &simulator_kernels[a];
                    k[1] = &producer;
                    sms[0] = split;
                    sms[1] = SIMULATOR_SMS - split;
                    colocation_run(k, sms, 2, &rng, row, sd);
                    memcpy(x + n * SOOTH_SLOWDOWN_INPUTS, row, SOOTH_SLOWDOWN_INPUTS * sizeof *x);
                    memcpy(y + 2 * n, sd, 2 * sizeof *y);
                    if (group) group[n] = (uint32_t)a;
                }
}

#endif /* SOOTH_TESTS_COLOCATION_H */
