/* record.h - the measurements of one machine, kept as two CSV files.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   instances.csv  one row per task (a workload with one of its inputs): time alone with its spread, how much each microbenchmark slows it
 *                  and it slows them, fairness, and what was counted (empty where the machine does not let us count)
 *   bags.csv       one row per bag: its tasks, for each the time alone in the same series, beside the others, and their
 *                  ratio; the time of the whole bag with its spread; held_out 1 for the bags that were measured after the
 *                  model had been trained
 *
 * The first line of both names the columns. Times are milliseconds, spreads half the distance between the quartiles.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdio.h>

#include "measure.h"

typedef struct record {
    measure_card card[MEASURE_TASKS];
    size_t cards;
    measure_bag bag[MEASURE_MOST_BAGS];
    size_t bags;
    size_t held_out; /* the last so many of them */
    uint32_t cores;  /* that they ran on */
} record;

/* Writes instances.csv and bags.csv into the folder, each under its final name only when it is complete. */
sooth_status record_write(sooth_env *env, const char *folder, const record *from);

/* Reads them back. */
sooth_status record_read(sooth_env *env, const char *folder, record *to);

/* Opens folder/name for writing under a temporary name; record_close gives it its own. NULL, and a sentence, when that cannot be done. */
FILE *record_open(sooth_env *env, const char *folder, const char *name);
sooth_status record_close(sooth_env *env, FILE *file, const char *folder, const char *name);

#endif /* RECORD_H */
