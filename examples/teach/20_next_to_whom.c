/* 20_next_to_whom.c - a queue on a machine for two: slowdowns learned from the runs themselves: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/20_next_to_whom.svg
 *
 * Lesson 15 fitted the slowdowns of 26 jobs once. A scheduler never has all its measurements: each run that
 * ends is one more. slowdown.h keeps the numbers of lesson 15, and adds one for each pair:
 *
 *     log slowdown of i next to j = m + sensitive_i + pressing_j + pair_ij
 *
 * Before any two jobs have met, three microbenchmarks, Low, Medium and High, give a job its first two
 * numbers: they are neighbours like any other. A ridge keeps numbers small that few runs support. So
 * pair_ij is
 *
 *     the sum of what r runs of the pair leave over / (r + ridge)
 *
 * Each prediction has a basis. It is measured if the pairs ran, learned if their jobs met others, and else
 * outside. The jobs are those of lesson 15 on a V100, where they press harder.
 *
 * Exercises, with answers in answers.md:
 *   1. How many runs of pairs are the cards worth?
 *   2. What does a ridge of 5, in place of 0.2, do to pairs that ran once, and to those that have not met?
 *   3. When does a bag of two end before both jobs would have ended in turn? Do their lengths matter?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/slowdown.h"
#include "../papers/gavel.h"

enum { AS_THEY_WAIT, PLACED, PREDICTED, BEST }; /* how a queue is run */
enum { QUEUES = 60, WAITING = 8, SCALE = 1000, ORDERS = 10, EVERY = 20, STAGES = 13, KNOWN_RUNS = 512 };

/* ---- 1. By hand. Two jobs start together. When the first one ends, the other goes on alone. ---- */

static double pair_ends(const double alone[2], const double slowdown[2]) {
    const int first = alone[0] * slowdown[0] < alone[1] * slowdown[1] ? 0 : 1, last = 1 - first;
    const double together = alone[first] * slowdown[first];
    return together + alone[last] - together / slowdown[last];
}

/* The time of a bag, true or by n. A pair that needs too much memory runs one after the other. */
static double takes(const gavel *g, const sooth_neighbours *n, const uint32_t *bag, uint32_t jobs) {
    const double alone[2] = {g->alone[bag[0]], g->alone[bag[jobs - 1]]};
    double slowdown[2] = {g->slow[bag[0]][bag[jobs - 1]], g->slow[bag[jobs - 1]][bag[0]]};
    if (jobs == 1) return alone[0];
    if (n) sooth_neighbours_slowdowns(n, bag, 2, slowdown);
    return slowdown[0] > 0 && slowdown[1] > 0 ? pair_ends(alone, slowdown) : alone[0] + alone[1];
}

/* The best of all ways to pair the waiting jobs, or to leave them alone. */
static double best_way(const gavel *g, const sooth_neighbours *n, const uint32_t *job, uint32_t left) {
    double best = left ? 1e300 : 0;
    uint32_t first = 0;
    while (left && !(left >> first & 1)) ++first;
    for (uint32_t other = first; left >> other; ++other) {
        const uint32_t bag[2] = {job[first], job[other]}, rest = left & ~(1u << first) & ~(1u << other);
        if (left >> other & 1)
            best = fmin(best, takes(g, n, bag, other == first ? 1 : 2) + best_way(g, n, job, rest));
    }
    return best;
}

/* ---- 2. The same with slowdown.h, while it learns. ---- */

static sooth_env host;

static sooth_neighbours *begin(const gavel *g, int cards, double ridge) {
    static double memory[1 << 14];
    static sooth_fairness_card card[GAVEL_JOBS];
    const sooth_neighbours_options options = {GAVEL_JOBS, 1024, ridge};
    sooth_neighbours *n;
    uint32_t microbenchmark[3]; /* jobs in their place */
    gavel_references(g, microbenchmark);
    gavel_cards(g, microbenchmark, card);
    need(&host, sooth_neighbours_init(&host, &options, memory, sizeof memory, &n));
    for (uint32_t j = 0; j < g->jobs; ++j)
        need(&host, cards ? sooth_neighbours_card(&host, n, j, &card[j])
                          : sooth_neighbours_observe(&host, n, &j, &g->alone[j], 1));
    return n;
}

static void run_pair(const gavel *g, sooth_neighbours *n, const uint32_t bag[2]) {
    double seconds[2];
    for (int k = 0; k < 2; ++k) seconds[k] = g->alone[bag[k]] * g->slow[bag[k]][bag[1 - k]];
    need(&host, sooth_neighbours_observe(&host, n, bag, seconds, 2));
}

/* All pairs that fit into memory, in a random order. */
static size_t pairs_shuffled(const gavel *g, uint64_t seed, uint32_t pair[KNOWN_RUNS][2]) {
    size_t count = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    for (uint32_t a = 0; a < g->jobs; ++a)
        for (uint32_t b = a + 1; b < g->jobs; ++b) {
            if (!(g->slow[a][b] > 0 && g->slow[b][a] > 0)) continue;
            const uint32_t at = sooth_rng_below(&rng, (uint32_t)count + 1);
            memmove(pair[count++], pair[at], sizeof pair[at]);
            pair[at][0] = a, pair[at][1] = b;
        }
    return count;
}

/* The mean error on pairs after `ran`, of slowdown.h, or of the mean of the job's pairs that ran. */
static double errors(const gavel *g, const sooth_neighbours *n, uint32_t pair[][2], size_t ran, size_t all) {
    double sum = 0, mean[GAVEL_JOBS] = {0}, met[GAVEL_JOBS] = {0}, slowdown[2];
    for (size_t p = 0; p < all; ++p)
        for (int k = 0; k < 2; ++k) {
            const uint32_t own = pair[p][k];
            const double s = g->slow[own][pair[p][1 - k]];
            slowdown[k] = exp(met[own] > 0 ? mean[own] / met[own] : 0);
            if (n) sooth_neighbours_slowdowns(n, pair[p], 2, slowdown);
            if (p < ran) mean[own] += log(s), met[own] += 1;
            else sum += fabs(slowdown[k] / s - 1) / 2 / (double)(all - ran);
        }
    return 100 * sum;
}

/* The hours of 60 queues: as they wait, placed by n, as n predicts these, or the best, true or by n. */
static double queues_take(const gavel *g, const sooth_neighbours *n, int how) {
    double total = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (int queue = 0; queue < QUEUES; ++queue) {
        uint32_t job[WAITING], machine[WAITING], bag[WAITING][2], count[WAITING] = {0};
        for (uint32_t k = 0; k < WAITING; ++k) job[k] = sooth_rng_below(&rng, g->jobs), machine[k] = k / 2;
        total += how == BEST ? best_way(g, n, job, (1u << WAITING) - 1) : 0;
        if (n && how != BEST) need(&host, sooth_neighbours_place(&host, n, job, WAITING, 2, machine));
        for (uint32_t k = 0; k < WAITING; ++k) bag[machine[k]][count[machine[k]]++] = job[k];
        for (uint32_t b = 0; b < WAITING && count[b] && how != BEST; ++b)
            total += takes(g, how == PREDICTED ? n : NULL, bag[b], count[b]);
    }
    return total * SCALE / 3600;
}

int main(void) {
    static gavel g;
    static uint32_t pair[KNOWN_RUNS][2];
    static const char *const names[] = {"slowdown.h, begun with cards", "slowdown.h", "the job's own mean"};
    double x[STAGES] = {0}, y[3][STAGES] = {{0}}, h[STAGES] = {0}, above = 0;
    if (gavel_read(EXAMPLES "papers/data/gavel.csv", "V100", &g)) return puts("gavel.csv cannot be read"), 1;
    for (int order = 0; order < ORDERS; ++order)
        for (int way = 0; way < 2; ++way) {
            const size_t pairs = pairs_shuffled(&g, (uint64_t)order, pair);
            sooth_neighbours *n = begin(&g, !way, 0);
            for (size_t run = 0, at = 0; at < STAGES; run_pair(&g, n, pair[run++])) {
                if (run % EVERY) continue;
                y[way][at] += errors(&g, n, pair, run, pairs) / ORDERS;
                y[2][at] += errors(&g, NULL, pair, run, pairs) / ORDERS / 2;
                h[at] += way ? 0 : queues_take(&g, n, PLACED) / ORDERS;
                above = fmax(above, queues_take(&g, n, PREDICTED) / queues_take(&g, n, BEST) - 1);
                x[at++] = (double)run;
            }
        }
    printf("%d queues of %d jobs take %.2f hours in the order in which they wait, and %.2f at best.\n\n"
           "pairs that ran   error on others, begun with cards   without   own mean   placed, hours\n",
           QUEUES, WAITING, queues_take(&g, NULL, AS_THEY_WAIT), queues_take(&g, NULL, BEST));
    for (int at = 0; at < STAGES; at += 2)
        printf("%14.0f   %31.1f %% %7.1f %% %8.1f %% %15.2f\n", x[at], y[0][at], y[1][at], y[2][at], h[at]);
    printf("\nPlacements are at most %.2f %% above the best of all ways by the same numbers.\n", 100 * above);
    draw_lines("20_next_to_whom.svg", "Pairs not met", "pairs that ran", "error, %", x, y[0], STAGES, names,
               3);
    return 0;
}
