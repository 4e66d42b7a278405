/* placement.h - eight jobs wait for two cores: which two should run together?
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A placement deals eight jobs out to four pairs. The pairs run one after the other, and the two jobs of a
 * pair in parallel. So its makespan is the sum of the times of its pairs. There are 105 placements of 28
 * pairs, few enough to compute all. The one with the min predicted makespan is chosen. Only the card of each
 * job is known. Every pair is predicted by a model fitted to neither of its two programs.
 *
 * A run tests the choice. All 28 pairs are run, twice, in turn with each other. So every placement is
 * measured: the chosen one, those it is compared with, and the best possible one. Pairs from a recording
 * determine which jobs wait and which placements can be compared.
 *
 *     placement p;
 *     placement_begin(&data, &p);                                   which jobs wait
 *     placement_decide(&env, &data, &model, row, count, &p);        p.named[PLACEMENT_CHOSEN]
 *     run the pairs of placement_cards(&p, 0 .. PLACEMENT_PAIRS - 1), PLACEMENT_TURNS times (see measure.h)
 *     placement_check(&env, bag, PLACEMENT_RUNS, &p);               p.measured_ms, p.named[PLACEMENT_BEST]
 *     placement_ms(p.predicted_ms, &p.list[p.named[PLACEMENT_CHOSEN]]);
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include "study.h"

enum {
    PLACEMENT_JOBS = 8,
    PLACEMENT_PAIRS = PLACEMENT_JOBS * (PLACEMENT_JOBS - 1) / 2,
    PLACEMENTS = 7 * 5 * 3,
    PLACEMENT_TURNS = 2,
    PLACEMENT_RUNS = PLACEMENT_PAIRS * PLACEMENT_TURNS
};

typedef enum placement_name {
    PLACEMENT_CHOSEN,  /* min predicted makespan */
    PLACEMENT_LENGTHS, /* min makespan without contention: jobs of about equal length together */
    PLACEMENT_LISTED,  /* in waiting order: the first with the second, or the first that was run */
    PLACEMENT_WORST,   /* max predicted makespan */
    PLACEMENT_BEST,    /* min measured makespan, known only afterwards */
    PLACEMENT_NAMES
} placement_name;

/* The jobs of a placement: 0 runs with 1, 2 with 3, ... */
typedef struct placement_pairs {
    uint32_t job[PLACEMENT_JOBS];
} placement_pairs;

typedef struct placement {
    uint32_t card[PLACEMENT_JOBS];                        /* of each waiting job */
    placement_pairs list[PLACEMENTS];                     /* that are compared */
    uint32_t placements;                                  /* number of placements */
    uint32_t named[PLACEMENT_NAMES];                      /* number in list */
    double predicted_ms[PLACEMENT_PAIRS];                 /* see placement_pair */
    double lengths_ms[PLACEMENT_PAIRS];                   /* ideal processor sharing: the longer of the two */
    double measured_ms[PLACEMENT_TURNS][PLACEMENT_PAIRS]; /* 0: was not run */
    /* turns in which all compared pairs were run; 0: none */
    uint32_t turns;
} placement;

/* The number of the pair of jobs a and b, a != b. */
uint32_t placement_pair(uint32_t a, uint32_t b);

/* The makespan from these times of pairs. */
double placement_ms(const double pair_ms[PLACEMENT_PAIRS], const placement_pairs *pairs);

/* ... as measured, on average over the turns. */
double placement_measured(const placement *p, const placement_pairs *pairs);

/* The number of placements with a smaller measured makespan than number `which` of the list. */
uint32_t placement_better(const placement *p, uint32_t which);

/* The mean measured makespan of all placements, so that of one drawn at random. */
double placement_random(const placement *p);

/* The time of a pair: measured, on average over the turns (0: not run), or predicted if nothing was run. */
double placement_pair_ms(const placement *p, uint32_t which);

/* Mean absolute errors in per cent: of the makespans of all placements, of the times of pairs, and of one
   turn by the other. Predictions cannot be expected to beat the last (NaN: there was one turn only). */
double placement_error(const placement *p);
double placement_pair_error(const placement *p);
double placement_noise(const placement *p);

/* "chosen", "as they are listed", ... */
const char *placement_title(placement_name name);

/* The jobs: the largest inputs of the four workloads that suffer most next to the High microbenchmark and
   of the four that suffer least, by their cards, in the order of the workloads. At least eight workloads. */
void placement_begin(const study_data *data, placement *p);

/* The jobs, and the placements to compare, from pairs that were run. SOOTH_BAD_DATA unless these are eight
   jobs and two placements or more. */
sooth_status placement_recall(sooth_env *env, const study_data *data, const study_bag *bag, size_t bags,
                              placement *p);

/* Predicts all pairs from row[0..count) with models like this one, and chooses. */
sooth_status placement_decide(sooth_env *env, const study_data *data, const study_model *like,
                              const uint32_t *row, size_t count, placement *p);

/* The cards of pair `which` into card[2]. */
void placement_cards(const placement *p, uint32_t which, uint32_t card[2]);

/* Reads the times of the pairs. The first occurrence of a pair among the bags is the first turn.
   SOOTH_BAD_DATA if a required one is missing. */
sooth_status placement_check(sooth_env *env, const study_bag *bag, size_t bags, placement *p);

#endif /* PLACEMENT_H */
