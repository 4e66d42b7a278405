/* describe.h - measurements as data of the study: cards and bags.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     static describe_room room;
 *     study_data data;
 *     describe(card, bag, bags, cores, &room, &data);      data points into room
 *     describe_bag(&bag[0], &one);                         a single bag
 *
 * The paper adds up the last-level misses of the others. Even if counters may be read, they are often not
 * those of a single task. So their effect replaces them here: the pressure of a task is how much it slows the
 * High microbenchmark.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "measure.h"
#include "study.h"

/* The memory of the described cards, bags and names. */
typedef struct describe_room {
    sooth_fairness_card card[MEASURE_TASKS];
    uint32_t workload[MEASURE_TASKS];
    study_bag bag[MEASURE_MOST_BAGS];
    const char *workload_name[WORKLOADS];
} describe_room;

/* The card of a task is number workload * WORKLOAD_SIZES + size. */
uint32_t describe_card_of(stage_task task);

void describe_bag(const measure_bag *from, study_bag *to);

/* Up to MEASURE_MOST_BAGS bags, of workloads that have cards. Cards of the last workloads may be empty. */
void describe(const measure_card card[MEASURE_TASKS], const measure_bag *bag, size_t bags, uint32_t cores,
              describe_room *room, study_data *data);

#endif /* DESCRIBE_H */
