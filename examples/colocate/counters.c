/* counters.c - see counters.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall */
#endif
#include "counters.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__linux__) && defined(SYS_perf_event_open)

static int open_one(uint64_t event) {
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = event;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.exclude_kernel = 1; /* users may count this by default */
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0ul);
}

void counters_open(counters *c) {
    static const uint64_t event[COUNTERS] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                             PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS};
    c->error = 0;
    for (int k = 0; k < COUNTERS; ++k) {
        c->fd[k] = open_one(event[k]);
        if (c->fd[k] < 0 && c->error == 0) c->error = errno;
    }
}

/* The count, scaled up if the counter had to be shared with others. */
static double read_one(int fd) {
    uint64_t word[3]; /* count, time enabled, time running */
    if (fd < 0 || read(fd, word, sizeof word) != (ssize_t)sizeof word || word[2] == 0) return (double)NAN;
    return (double)word[0] * ((double)word[1] / (double)word[2]);
}

void counters_read(const counters *c, double value[COUNTERS]) {
    for (int k = 0; k < COUNTERS; ++k) value[k] = read_one(c->fd[k]);
}

void counters_close(counters *c) {
    for (int k = 0; k < COUNTERS; ++k) {
        if (c->fd[k] >= 0) close(c->fd[k]);
        c->fd[k] = -1;
    }
}

#else

void counters_open(counters *c) {
    int k;
    for (k = 0; k < COUNTERS; ++k) c->fd[k] = -1;
    c->error = ENOSYS;
}

void counters_read(const counters *c, double value[COUNTERS]) {
    int k;
    (void)c;
    for (k = 0; k < COUNTERS; ++k) value[k] = (double)NAN;
}

void counters_close(counters *c) { (void)c; }

#endif

const char *counters_reason(int error) {
    switch (error) {
    case 0: return "instructions, cycles, cache misses and branches are counted";
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
        return "instructions and cache misses are not counted: the processor shows no counters here, as in "
               "most virtual "
               "machines";
    case EACCES:
    case EPERM:
        return "instructions and cache misses are not counted: the system does not permit it (a user may "
               "where "
               "/proc/sys/kernel/perf_event_paranoid is 2 or less)";
    case ENOSYS: return "instructions and cache misses are not counted: this system has no perf_event_open";
    default: return "instructions and cache misses are not counted: perf_event_open failed";
    }
}
