/* placement.c - see placement.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "placement.h"

#include <math.h>
#include <string.h>

uint32_t placement_pair(uint32_t a, uint32_t b) {
    const uint32_t first = a < b ? a : b, second = a < b ? b : a;
    return second * (second - 1) / 2 + first;
}

void placement_cards(const placement *p, uint32_t which, uint32_t card[2]) {
    card[0] = card[1] = 0;
    for (uint32_t b = 1; b < PLACEMENT_JOBS; ++b)
        for (uint32_t a = 0; a < b; ++a) {
            if (placement_pair(a, b) != which) continue;
            card[0] = p->card[a];
            card[1] = p->card[b];
        }
}

double placement_ms(const double pair_ms[PLACEMENT_PAIRS], const placement_pairs *pairs) {
    double sum = 0.0;
    for (uint32_t k = 0; k < PLACEMENT_JOBS; k += 2)
        sum += pair_ms[placement_pair(pairs->job[k], pairs->job[k + 1])];
    return sum;
}

double placement_measured(const placement *p, const placement_pairs *pairs) {
    double sum = 0.0;
    for (uint32_t turn = 0; turn < p->turns; ++turn) sum += placement_ms(p->measured_ms[turn], pairs);
    return sum / p->turns;
}

uint32_t placement_better(const placement *p, uint32_t which) {
    const double own = placement_measured(p, &p->list[which]);
    uint32_t better = 0;
    for (uint32_t i = 0; i < p->placements; ++i) better += placement_measured(p, &p->list[i]) < own;
    return better;
}

double placement_random(const placement *p) {
    double sum = 0.0;
    for (uint32_t i = 0; i < p->placements; ++i) sum += placement_measured(p, &p->list[i]);
    return sum / p->placements;
}

double placement_error(const placement *p) {
    double sum = 0.0;
    for (uint32_t i = 0; i < p->placements; ++i) {
        const double ms = placement_measured(p, &p->list[i]);
        sum += fabs(placement_ms(p->predicted_ms, &p->list[i]) - ms) / ms;
    }
    return 100.0 * sum / p->placements;
}

double placement_pair_ms(const placement *p, uint32_t which) {
    double sum = 0.0;
    for (uint32_t turn = 0; turn < p->turns; ++turn) sum += p->measured_ms[turn][which];
    return p->turns ? sum / p->turns : p->predicted_ms[which];
}

double placement_pair_error(const placement *p) {
    double sum = 0.0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < PLACEMENT_PAIRS; ++i) {
        const double ms = placement_pair_ms(p, i);
        if (!(ms > 0.0)) continue;
        sum += fabs(p->predicted_ms[i] - ms) / ms;
        ++n;
    }
    return n ? 100.0 * sum / n : 0.0;
}

double placement_noise(const placement *p) {
    double sum = 0.0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < PLACEMENT_PAIRS && p->turns > 1; ++i) {
        if (!(p->measured_ms[0][i] > 0.0 && p->measured_ms[1][i] > 0.0)) continue;
        sum += fabs(p->measured_ms[0][i] - p->measured_ms[1][i]) / p->measured_ms[1][i];
        ++n;
    }
    return n ? 100.0 * sum / n : (double)NAN;
}

const char *placement_title(placement_name name) {
    static const char *const title[PLACEMENT_NAMES] = {"chosen", "by length alone", "first of the list",
                                                       "worst predicted", "best, known afterwards"};
    return title[name];
}

/* All ways to deal the jobs out to pairs: the first remaining job goes with each of the others in turn. */
static uint32_t all_of(placement_pairs *list, uint32_t count, placement_pairs *part, uint32_t dealt,
                       uint32_t used) {
    uint32_t first = 0;
    if (dealt == PLACEMENT_JOBS) {
        list[count] = *part;
        return count + 1;
    }
    while (used >> first & 1) ++first;
    for (uint32_t second = first + 1; second < PLACEMENT_JOBS; ++second) {
        if (used >> second & 1) continue;
        part->job[dealt] = first;
        part->job[dealt + 1] = second;
        count = all_of(list, count, part, dealt + 2, used | 1u << first | 1u << second);
    }
    return count;
}

/* The min makespan, or (sign -1) the max; the first of equal ones. */
static uint32_t least(const placement *p, const double pair_ms[PLACEMENT_PAIRS], double sign) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->placements; ++i)
        if (sign * placement_ms(pair_ms, &p->list[i]) < sign * placement_ms(pair_ms, &p->list[best]))
            best = i;
    return best;
}

/* The largest input of a workload: its last card. */
static uint32_t largest(const study_data *data, uint32_t workload) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < data->cards; ++i)
        if (data->workload[i] == workload) found = i;
    return found;
}

static double suffers(const study_data *data, uint32_t card) {
    return data->card[card].value[SOOTH_FAIRNESS_SLOWDOWN_HIGH];
}

void placement_begin(const study_data *data, placement *p) {
    enum { MOST_WORKLOADS = 64 };
    uint32_t order[MOST_WORKLOADS], k, n = 0, each = PLACEMENT_JOBS / 2;
    placement_pairs part;
    memset(p, 0, sizeof *p);
    /* ordered by how much they suffer, the most first */
    for (uint32_t w = 0; w < data->workloads && w < MOST_WORKLOADS; ++w) {
        const uint32_t card = largest(data, w);
        for (k = w; k > 0 && suffers(data, order[k - 1]) < suffers(data, card); --k) order[k] = order[k - 1];
        order[k] = card;
    }
    for (uint32_t w = 0; w < data->workloads; ++w)
        for (k = 0; k < data->workloads; ++k)
            if (order[k] == largest(data, w) && (k < each || k + each >= data->workloads))
                p->card[n++] = order[k];
    p->placements = all_of(p->list, 0, &part, 0, 0);
}

sooth_status placement_decide(sooth_env *env, const study_data *data, const study_model *like,
                              const uint32_t *row, size_t count, placement *p) {
    study_bag bag[PLACEMENT_PAIRS];
    memset(bag, 0, sizeof bag);
    for (uint32_t i = 0; i < PLACEMENT_PAIRS; ++i) {
        bag[i].tasks = 2;
        placement_cards(p, i, bag[i].card);
        for (uint32_t k = 0; k < 2; ++k)
            bag[i].alone_ms[k] = data->card[bag[i].card[k]].value[SOOTH_FAIRNESS_ALONE_TIME];
        p->lengths_ms[i] = study_sharing_ms(bag[i].alone_ms, 2, data->cores);
    }
    sooth_status status =
        study_predict_unseen(env, data, like, row, count, bag, PLACEMENT_PAIRS, p->predicted_ms);
    p->named[PLACEMENT_CHOSEN] = least(p, p->predicted_ms, 1.0);
    p->named[PLACEMENT_LENGTHS] = least(p, p->lengths_ms, 1.0);
    p->named[PLACEMENT_LISTED] = 0;
    p->named[PLACEMENT_WORST] = least(p, p->predicted_ms, -1.0);
    return status;
}

/* The time of the pair of these two, in its turn-th occurrence among the bags. 0: there is none. */
static double time_of(const uint32_t card[2], const study_bag *bag, size_t bags, uint32_t turn) {
    for (size_t i = 0; i < bags; ++i) {
        const uint32_t *has = bag[i].card;
        if (bag[i].tasks != 2) continue;
        if (!(has[0] == card[0] && has[1] == card[1]) && !(has[0] == card[1] && has[1] == card[0])) continue;
        if (turn-- == 0) return bag[i].bag_ms;
    }
    return 0.0;
}

static void take_times(const study_bag *bag, size_t bags, placement *p) {
    uint32_t card[2];
    for (uint32_t i = 0; i < PLACEMENT_PAIRS; ++i) {
        placement_cards(p, i, card);
        for (uint32_t turn = 0; turn < PLACEMENT_TURNS; ++turn)
            p->measured_ms[turn][i] = time_of(card, bag, bags, turn);
    }
}

/* Whether all pairs of a placement were run in this turn. */
static int was_run(const placement *p, const placement_pairs *one, uint32_t turn) {
    for (uint32_t k = 0; k < PLACEMENT_JOBS; k += 2)
        if (!(p->measured_ms[turn][placement_pair(one->job[k], one->job[k + 1])] > 0.0)) return 0;
    return 1;
}

sooth_status placement_recall(sooth_env *env, const study_data *data, const study_bag *bag, size_t bags,
                              placement *p) {
    placement_pairs part;
    uint32_t n = 0;
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i < data->cards; ++i) {
        int runs = 0;
        for (size_t b = 0; b < bags; ++b)
            for (size_t k = 0; k < bag[b].tasks; ++k) runs |= bag[b].card[k] == i;
        if (!runs) continue;
        if (n < PLACEMENT_JOBS) p->card[n] = i;
        ++n;
    }
    if (n != PLACEMENT_JOBS) {
        sooth_text_format(env->sentence, sizeof env->sentence,
                          "placement.csv has %u different jobs, but must have %u", n,
                          (uint32_t)PLACEMENT_JOBS);
        return SOOTH_BAD_DATA;
    }
    take_times(bag, bags, p);
    n = all_of(p->list, 0, &part, 0, 0);
    for (uint32_t i = 0; i < n; ++i)
        if (was_run(p, &p->list[i], 0)) p->list[p->placements++] = p->list[i];
    if (p->placements >= 2) return SOOTH_OK;
    sooth_text_format(env->sentence, sizeof env->sentence,
                      "placement.csv has all pairs of %u placements, but must have those of 2 or more",
                      p->placements);
    return SOOTH_BAD_DATA;
}

sooth_status placement_check(sooth_env *env, const study_bag *bag, size_t bags, placement *p) {
    double both_ms[PLACEMENT_PAIRS];
    int all = 1;
    take_times(bag, bags, p);
    p->turns = 0;
    for (uint32_t turn = 0; turn < PLACEMENT_TURNS && all; ++turn) {
        for (uint32_t i = 0; i < p->placements; ++i) all &= was_run(p, &p->list[i], turn);
        p->turns += (uint32_t)all;
    }
    if (p->turns == 0) {
        sooth_text_format(env->sentence, sizeof env->sentence, "not every pair of the placements was run");
        return SOOTH_BAD_DATA;
    }
    for (uint32_t i = 0; i < PLACEMENT_PAIRS; ++i) both_ms[i] = placement_pair_ms(p, i);
    p->named[PLACEMENT_BEST] = least(p, both_ms, 1.0);
    return SOOTH_OK;
}
