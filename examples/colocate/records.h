/* records.h - measurements as CSV files, so that they can be kept, read and used elsewhere.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * instances.csv has one row per task (a workload and a size):
 *     workload, size                 as in workloads.h
 *     bytes, units                   memory that it uses; units of work in a job
 *     alone_ms, alone_spread         of a job; a spread is half the distance between the quartiles
 *     low_slowdown ... high_rate_spread   for each microbenchmark: how many times as long the job takes with
 *                                    it; its rate next to the job, as a part of its rate alone; their spreads
 *     low_fairness ...               the smaller over the larger of 1 / slowdown and rate
 *     instructions, cycles, llc_misses, branches   of a job alone; empty if they could not be counted
 *     repetitions
 *
 * bags.csv has one row per bag:
 *     bag, cores, tasks              its number, its cores, the number of its tasks
 *     workload_1, size_1             the first task,
 *     alone_ms_1, shared_ms_1        its time alone and with the others, in the same repetitions,
 *     slowdown_1                     and the median of their ratios; ... up to _5, empty beyond its tasks
 *     bag_ms, bag_spread             from the common start to the last end
 *     watts                          of the processor meanwhile; empty, or no such column: not measured
 *     repetitions
 *
 * contention.csv has one row per pair of kernels (pressure.h), and may be missing:
 *     slowed, beside, cores          in one word each; the cores of the stage
 *     slowdown, lower_quartile, noise, present, repetitions     see contend.h
 *
 * scaling.csv has one row per program and number of instances, in order, and may be missing:
 *     workload, size, cores, instances
 *     ms, core_share, spread         until the last has ended; the part of the cores' time that the instances
 *                                    had until then; see scaling.h
 *     joules                         of the processor meanwhile; empty: not measured
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

/* Read such a file: the cards of all tasks (repetitions 0: an older file, without the last workloads), or
   up to `most` bags. Columns may be in any order, and others are ignored. A missing or unknown value is an
   error with file and line. */
sooth_status records_read_cards(sooth_env *env, const char *path, measure_card card[MEASURE_TASKS]);
sooth_status records_read_bags(sooth_env *env, const char *path, measure_bag *bag, size_t most, size_t *bags,
                               uint32_t *cores);

/* The number of tasks with a card, of whole workloads: MEASURE_TASKS, or fewer in an older recording. */
uint32_t records_tasks(const measure_card card[MEASURE_TASKS]);

/* Returns SOOTH_BAD_DATA and a message unless there is a card of every task in the bags. Older recordings
   lack the last four workloads. */
sooth_status records_check_bags(sooth_env *env, const char *path, const measure_card card[MEASURE_TASKS],
                                const measure_bag *bag, size_t bags);

/* ... both from a folder, as instances.csv and bags.csv. */
sooth_status records_read(sooth_env *env, const char *folder, measure_card card[MEASURE_TASKS],
                          measure_bag *bag, size_t most, size_t *bags, uint32_t *cores);

/* What programs fight over, and many instances of one. */
sooth_status records_write_contention(sooth_env *env, const char *path, const contend *c);
sooth_status records_read_contention(sooth_env *env, const char *path, contend *c);
sooth_status records_write_scaling(sooth_env *env, const char *path, const scaling_line *line, size_t lines,
                                   uint32_t cores);
sooth_status records_read_scaling(sooth_env *env, const char *path, scaling_line line[SCALING_PROGRAMS],
                                  size_t *lines, uint32_t *cores);

#endif /* RECORDS_H */
