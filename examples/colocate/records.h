/* records.h - measurements as CSV files, so that they can be kept, looked at and learned from elsewhere.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * instances.csv has one row per task (a workload and a size):
 *     workload, size                 as in workloads.h
 *     bytes, units                   memory that it uses; units of work in a job
 *     alone_ms, alone_spread         of a job; a spread is half the distance between the quartiles
 *     low_slowdown ... high_rate_spread   for each microbenchmark: how many times as long the job takes with
 *                                    it; its rate beside the job, as a part of its rate alone; their spreads
 *     low_fairness ...               the smaller over the larger of 1 / slowdown and rate
 *     instructions, cycles, llc_misses, branches   of a job alone; empty where they could not be counted
 *     repetitions
 *
 * bags.csv has one row per bag:
 *     bag, cores, tasks              its number, the cores it ran on, how many tasks it has
 *     workload_1, size_1             the first task,
 *     alone_ms_1, shared_ms_1        its time alone and with the others, in the same repetitions,
 *     slowdown_1                     and the median of their ratios; ... up to _5, empty beyond its tasks
 *     bag_ms, bag_spread             from the common start to the last end
 *     watts                          of the processor meanwhile; empty, or no such column: not measured
 *     repetitions
 *
 * Costs: reading and writing whole files, through malloc.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "measure.h"

/* Write a new file, or SOOTH_BAD_ARGUMENT and a sentence with the reason. */
sooth_status records_write_cards(sooth_env *env, const char *path, const measure_card card[MEASURE_TASKS]);
sooth_status records_write_bags(sooth_env *env, const char *path, uint32_t cores, const measure_bag *bag,
                                size_t bags);

/* Read such a file: the cards of all tasks; up to `most` bags. Columns may stand in any order, others are
   ignored. What is missing or unknown is a sentence with file and line. */
sooth_status records_read_cards(sooth_env *env, const char *path, measure_card card[MEASURE_TASKS]);
sooth_status records_read_bags(sooth_env *env, const char *path, measure_bag *bag, size_t most, size_t *bags,
                               uint32_t *cores);

/* ... both from a folder, where they are instances.csv and bags.csv. */
sooth_status records_read(sooth_env *env, const char *folder, measure_card card[MEASURE_TASKS],
                          measure_bag *bag, size_t most, size_t *bags, uint32_t *cores);

#endif /* RECORDS_H */
