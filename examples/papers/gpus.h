/* gpus.h - Gavel's pairs of jobs on a GPU (data/origin.txt) as a subject of table7.c.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A bag is two jobs on one GPU. Its time is the longer of their seconds a step next to each other, while both
 * run. Another GPU replaces the paper's processor. The least, the median and the most aggressive job replace
 * the microbenchmarks, so bags with one of these are left out. Pairs that ran out of memory on a GPU are left
 * out too, and jobs that did next to one of the three. Everything is static.
 */
#ifndef GPUS_H
#define GPUS_H

#include "gavel.h"
#include "subjects.h"

/* The seconds until a step of each has ended; 0: not measured. */
static double gpu_pair(const gavel *g, uint32_t a, uint32_t b) {
    const double of_a = g->alone[a] * g->slow[a][b], of_b = g->alone[b] * g->slow[b][a];
    return of_a > 0.0 && of_b > 0.0 ? fmax(of_a, of_b) : 0.0;
}

static void gpu_card(const gavel *own, const gavel *other, uint32_t job, sooth_fairness_card *card) {
    double *value = card->value;
    card->own = sooth_fairness_paper_fields();
    value[SOOTH_FAIRNESS_PRESSURE] = value[SOOTH_FAIRNESS_CAUSED_HIGH] - 1.0;
    value[SOOTH_FAIRNESS_LLC_MISS] = value[SOOTH_FAIRNESS_PRESSURE];
    value[SOOTH_FAIRNESS_ALONE_POWER] = own->alone[job];
    value[SOOTH_FAIRNESS_CPU_POWER] = value[SOOTH_FAIRNESS_CPU_TIME] = other->alone[job];
}

static void gpu_bag(const gavel *own, const gavel *other, uint32_t a, uint32_t b, const uint32_t *card,
                    subject_bag *bag) {
    memset(bag, 0, sizeof *bag);
    bag->tasks = 2;
    bag->card[0] = card[a];
    bag->card[1] = card[b];
    bag->alone[0] = own->alone[a];
    bag->alone[1] = own->alone[b];
    bag->truth = gpu_pair(own, a, b);
    sooth_fairness_card_init(&bag->whole, sooth_fairness_paper_fields());
    bag->whole.value[SOOTH_FAIRNESS_CPU_POWER] = gpu_pair(other, a, b);
    bag->whole.value[SOOTH_FAIRNESS_IPC] = 0.5 / other->slow[a][b] + 0.5 / other->slow[b][a];
}

static int all_ran(const gavel gpu[GAVEL_GPUS], uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < GAVEL_GPUS; ++k)
        if (!(gpu_pair(&gpu[k], a, b) > 0.0)) return 0;
    return 1;
}

static double most_slowed(const gavel *g) {
    double most = 0.0;
    for (uint32_t a = 0; a < g->jobs; ++a)
        for (uint32_t b = 0; b < g->jobs; ++b) most = fmax(most, g->slow[a][b]);
    return most;
}

/* One of the three GPUs, with the next as the other machine. */
static void subject_of_gpu(const gavel gpu[GAVEL_GPUS], uint32_t which, subject *s) {
    const uint32_t next = (which + 1) % GAVEL_GPUS;
    const gavel *own = &gpu[which], *other = &gpu[next];
    sooth_fairness_card all[GAVEL_JOBS];
    uint32_t ref[3], card[GAVEL_JOBS];
    memset(s, 0, sizeof *s);
    gavel_references(own, ref);
    gavel_cards(own, ref, all);
    for (uint32_t i = 0; i < own->jobs; ++i) {
        const double known = sooth_fairness_alongside(&all[i], SOOTH_FAIRNESS_LOW) +
                             sooth_fairness_alongside(&all[i], SOOTH_FAIRNESS_MEDIUM) +
                             sooth_fairness_alongside(&all[i], SOOTH_FAIRNESS_HIGH);
        card[i] = MOST_CARDS;
        if (i == ref[0] || i == ref[1] || i == ref[2] || isnan(known)) continue;
        card[i] = (uint32_t)s->cards;
        s->card[s->cards] = all[i];
        gpu_card(own, other, i, &s->card[s->cards]);
        s->program[s->cards++] = own->family[i];
    }
    for (uint32_t a = 0; a < own->jobs; ++a)
        for (uint32_t b = a; b < own->jobs; ++b)
            if (card[a] < MOST_CARDS && card[b] < MOST_CARDS && all_ran(gpu, a, b))
                gpu_bag(own, other, a, b, card, &s->bag[s->bags++]);
    s->programs = own->families;
    for (uint32_t p = 0; p < s->programs; ++p)
        snprintf(s->program_name[p], sizeof s->program_name[p], "%s", own->family_name[p]);
    snprintf(s->name, sizeof s->name, "%s", gavel_gpu[which]);
    snprintf(s->other, sizeof s->other, "%s", gavel_gpu[next]);
    snprintf(
        s->origin, sizeof s->origin,
        "Pairs of deep-learning jobs on a GPU, measured for Gavel (OSDI 2020), slowed up to %.1f times. Low, "
        "Medium and High are played by %s, %s and %s.",
        most_slowed(own), own->name[ref[0]], own->name[ref[1]], own->name[ref[2]]);
    put_stands(s, 0);
    s->predicted = "the seconds until a step of both is done, both running all the while; watts are not "
                   "published";
    s->stands[0][CPU_POWER] = "the seconds a step alone on the other GPU";
    s->stands[0][GPU_POWER] = "the seconds a step alone on this GPU";
    s->stands[1][CPU_POWER] = "the seconds until a step of both is done on the other GPU";
    s->unit = "s";
    s->has_cpu_time = 1;
}

#endif
