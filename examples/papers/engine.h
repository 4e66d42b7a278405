/* engine.h - the engine of section VII of Themis (Algorithm 1). Period after period, the predictions of a
 * teller for two kernels decide their multiprocessors. The results are the true ones.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PAPERS_ENGINE_H
#define PAPERS_ENGINE_H

#include "tellers.h"

enum { PERIODS = 12 };

/* The results of two kernels. */
typedef struct outcome {
    double progress[2]; /* where the engine stopped */
    double first[2];    /* their mean over the first PERIODS periods */
    int moved;          /* periods after which units changed hands */
} outcome;

static sooth_allocate machine;

/* Runs the pair under a policy until nothing changes, or for PERIODS periods. machine holds the first
   split. feedback: the true slowdown of a kernel with a target is known, since its time alone is. HP never
   moves: policy NULL. */
static inline outcome run_engine(int a, int b, teller t, const sooth_allocate_policy *policy, int feedback) {
    outcome out;
    bag both = two(a, b, (int)machine.program[0].units);
    int period, rest = policy == NULL;
    memset(&out, 0, sizeof out);
    for (period = 0; period < PERIODS; ++period) {
        sooth_allocate_result next;
        sight seen;
        look(&both, (uint64_t)period, &seen);
        for (int i = 0; i < 2; ++i) out.progress[i] = 1 / seen.sd[i];
        if (policy && t == FLUX) flux_progress(&both, seen.sd, out.progress);
        for (int i = 0; i < 2; ++i) out.first[i] += out.progress[i] / PERIODS;
        if (rest) continue;
        for (uint32_t i = 0; i < 2; ++i) {
            float part[2];
            double observed;
            told(t, &both, &seen, (int)i, (uint64_t)period, part, &observed);
            if (feedback && machine.program[i].target > 0) observed = seen.sd[i];
            must(sooth_allocate_observe(&env, &machine, i, part[0], part[1], (float)observed));
        }
        sooth_allocate_decide(&env, &machine, policy, &next); /* impossible: the nearest there is */
        rest = next.units[0] == machine.program[0].units;
        out.moved += !rest;
        sooth_allocate_take(&machine, &next);
        both = two(a, b, (int)next.units[0]);
    }
    return out;
}

/* The test kernels of pair 0 to 48. */
static inline int first_of(int pair) { return TRAIN + pair / TESTS; }
static inline int second_of(int pair) { return TRAIN + pair % TESTS; }

/* Section VII-C: the pair shares by weight, the first with `weight`, the second with the rest. thres 0:
   until nothing helps. */
static inline outcome run_fair(int pair, teller t, double weight, double thres, int distance) {
    sooth_allocate_policy policy = sooth_allocate_fair();
    sooth_allocate_result even;
    must(sooth_allocate_init(&env, &machine, SMS, 2));
    machine.program[0].weight = (float)weight;
    machine.program[1].weight = (float)(1 - weight);
    must(sooth_allocate_even(&env, &machine, &even));
    sooth_allocate_take(&machine, &even);
    policy.threshold = (float)thres;
    policy.max_distance = (uint32_t)distance;
    return run_engine(first_of(pair), second_of(pair), t, t == TELLERS ? NULL : &policy, 0);
}

/* Eq. 11 of the results. */
static inline double unfair(const double *progress, double weight) {
    const double a = weight / progress[0], b = (1 - weight) / progress[1];
    return fabs(a - b) / fmax(a, b);
}

/* Section VII-D: the first of the pair was promised `target` of its progress alone. */
static inline outcome run_qos(int pair, teller t, double target, int feedback, double guard) {
    sooth_allocate_policy policy = sooth_allocate_qos();
    must(sooth_allocate_init(&env, &machine, SMS, 2));
    machine.program[0].target = (float)target;
    policy.guard = (float)guard;
    return run_engine(first_of(pair), second_of(pair), t, &policy, feedback);
}

/* The max progress of the second kernel while the first keeps its target, on even numbers of SMs. 0: it
   never does. */
static inline double best_batch(int pair, double target) {
    double best = 0;
    for (int n = 2; n < SMS; n += 2) {
        const bag b = two(first_of(pair), second_of(pair), n);
        sight seen;
        look(&b, 0, &seen);
        if (1 / seen.sd[0] >= target) best = fmax(best, 1 / seen.sd[1]);
    }
    return best;
}

#endif
