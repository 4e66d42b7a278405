/* bags.c - a queue of jobs that share a machine in pairs: who next to whom, learned while it runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -ffp-contract=off -Iinclude examples/hosts/bags.c -o bags -lm && ./bags
 *
 * The jobs are 26 training jobs, measured on a V100 alone and in all pairs (../papers/data/origin.txt), in
 * place of your machine. They wait in 60 queues of eight, each job of 1,000 steps. A queue runs pair after
 * pair, and each pair teaches the next queue. In your own program: take the parts marked (1) to (4).
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown.h"
#include "sooth/csv.h"
#include "../papers/gavel.h"

enum { QUEUES = 60, WAITING = 8, STEPS = 1000 };

/* Runs a bag of one or two jobs; returns its seconds, and how long each would take next to the other. */
static double machine_run(const gavel *g, const uint32_t *job, size_t jobs, double seconds[2]) {
    const double a = STEPS * g->alone[job[0]], b = STEPS * g->alone[job[jobs - 1]];
    const double slow_a = g->slow[job[0]][job[jobs - 1]], slow_b = g->slow[job[jobs - 1]][job[0]];
    if (jobs == 1) return a;
    if (!(slow_a > 0.0 && slow_b > 0.0)) return seconds[0] = seconds[1] = 0.0, a + b; /* no memory: in turn */
    seconds[0] = a * slow_a;
    seconds[1] = b * slow_b;
    return seconds[0] < seconds[1] ? seconds[0] + b - seconds[0] / slow_b
                                   : seconds[1] + a - seconds[1] / slow_a;
}

/* Runs all queues; learns if it is given neighbours, and else takes the jobs as they wait. */
static double schedule(sooth_env *env, const gavel *g, sooth_neighbours *n) {
    double total = 0.0, seconds[2];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (int queue = 0; queue < QUEUES; ++queue) {
        uint32_t job[WAITING], machine[WAITING], bag[WAITING][2], count[WAITING] = {0};
        for (uint32_t k = 0; k < WAITING; ++k) job[k] = sooth_rng_below(&rng, g->jobs), machine[k] = k / 2;
        if (n && sooth_neighbours_place(env, n, job, WAITING, 2, machine) != SOOTH_OK) /* (3) place */
            puts(env->sentence);
        for (uint32_t k = 0; k < WAITING; ++k) bag[machine[k]][count[machine[k]]++] = job[k];
        for (uint32_t b = 0; b < WAITING && count[b]; ++b) {
            total += machine_run(g, bag[b], count[b], seconds);
            if (n && count[b] == 2 && seconds[0] > 0.0)
                (void)sooth_neighbours_observe(env, n, bag[b], seconds, 2);
        } /* (4) observe */
    }
    return total;
}

int main(void) {
    static double memory[1 << 14];
    const sooth_neighbours_options options = {.jobs = GAVEL_JOBS, .observations = 1024};
    static gavel g;
    sooth_neighbours *n;
    sooth_env env;
    sooth_env_init(&env);
    const char *wrong = gavel_read("examples/papers/data/gavel.csv", "V100", &g);
    if (wrong) return puts(wrong), 1;
    if (sooth_neighbours_init(&env, &options, memory, sizeof memory, &n) != SOOTH_OK) /* (1) begin */
        return puts(env.sentence), 1;
    for (uint32_t j = 0; j < g.jobs; ++j) { /* (2) how long each takes alone */
        const double alone = STEPS * g.alone[j];
        if (sooth_neighbours_observe(&env, n, &j, &alone, 1) != SOOTH_OK) return puts(env.sentence), 1;
    }
    printf("as they wait  %6.0f s\n", schedule(&env, &g, NULL));
    printf("while learning %5.0f s\n", schedule(&env, &g, n));
    printf("once learned  %6.0f s\n", schedule(&env, &g, n));
    return 0;
}
