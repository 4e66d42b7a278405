/* counters.h - the processor's counts while the calling process runs, if the system permits them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     counters c;
 *     double before[COUNTERS], after[COUNTERS];
 *     counters_open(&c);
 *     counters_read(&c, before);
 *     ... work ...
 *     counters_read(&c, after);      after - before; NaN for what cannot be counted here
 *     counters_close(&c);
 *
 * Linux has perf_event_open. Virtual machines often hide the counters from it, and
 * /proc/sys/kernel/perf_event_paranoid above 2 forbids them. On other systems nothing is counted. Costs four
 * system calls per reading.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>

enum { COUNTER_INSTRUCTIONS, COUNTER_CYCLES, COUNTER_LLC_MISSES, COUNTER_BRANCHES, COUNTERS };

typedef struct counters {
    int fd[COUNTERS]; /* below 0: not to be had */
    int error;        /* errno of the first that failed, or 0 */
} counters;

void counters_open(counters *c); /* of the calling process alone, from now on */
void counters_read(const counters *c, double value[COUNTERS]);
void counters_close(counters *c);

/* A sentence for such an error: "instructions and cache misses are not counted: ...", or that they are, for
   0. */
const char *counters_reason(int error);

#endif /* COUNTERS_H */
