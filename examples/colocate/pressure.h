/* pressure.h - what programs can fight over: a small kernel for each part of a machine that they share.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The microbenchmarks Low, Medium and High of bench/micro press on the last cache and on memory. On a machine
 * with much of both they slow nothing down, and a model fitted to them learns noise. These kernels press on
 * one part each, so that a job can find the parts that matter here:
 *
 *     integers, floats      the units of a core, from registers (programs on two threads of one core share
 *                           them; others share the clock rate that the chip can sustain)
 *     middle, last cache    eight walks at once through lines that fill 0.6 of it: one such program fits into
 *                           a cache, two do not; of the last cache, of the part that is available
 *     bandwidth, latency    of memory: one pass after the other over a buffer larger than the caches, and one
 *                           walk through it in which every step waits for the one before
 *     faults, calls,        pages mapped, touched and unmapped; small reads and writes; a file made,
 *     files, pipes          written, read and removed; messages to another thread and back. These are units
 *                           of the workloads scratch, requests, journal and pipes (workloads.h)
 *
 *     pressure *p = pressure_create(cache);                 bytes of three levels, 0: unknown
 *     if (p && pressure_able(p, PRESSURE_FILES)) pressure_step(p, PRESSURE_FILES);
 *     pressure_destroy(p);
 *
 * A step takes some 3 to 300 microseconds. Costs: a buffer of twice the last cache, at least 16 and at most
 * 64 MiB.
 */
#ifndef PRESSURE_H
#define PRESSURE_H

#include <stddef.h>
#include <stdint.h>

typedef enum pressure_kind {
    PRESSURE_INTEGERS,
    PRESSURE_FLOATS,
    PRESSURE_MIDDLE,
    PRESSURE_LAST,
    PRESSURE_BANDWIDTH,
    PRESSURE_LATENCY,
    PRESSURE_FAULTS,
    PRESSURE_CALLS,
    PRESSURE_FILES,
    PRESSURE_PIPES,
    PRESSURES /* their number */
} pressure_kind;

typedef struct pressure pressure;

/* "memory bandwidth", "page faults"; and in one word, for tables and files: "bandwidth", "faults". */
const char *pressure_name(uint32_t kind);
const char *pressure_word(uint32_t kind);

/* The part that the workload presses on most in this size, by its kind of work and its memory. */
pressure_kind pressure_of(uint32_t workload, uint32_t size);

/* NULL: no memory. */
pressure *pressure_create(const size_t cache[3]);
void pressure_destroy(pressure *p); /* NULL is fine */

/* Runs a step. Returns 0 if the system refuses its resources (a file, a thread, a pipe, a device). */
int pressure_able(pressure *p, uint32_t kind);

/* The number of steps that visit everything once: to fill a cache. */
uint32_t pressure_round(const pressure *p, uint32_t kind);

/* Runs one step. Returns a word that depends on its work. */
uint32_t pressure_step(pressure *p, uint32_t kind);

#endif /* PRESSURE_H */
