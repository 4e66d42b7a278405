/* workloads.h - seventeen small programs that do real work, to be run next to each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Four process images, three classify or multiply, three sort and look up, three compute on grids and
 * vectors. The benchmarks of Moolchandani, Kumar and Sarangi (2022, table 2) and their neighbours in a data
 * centre spend their time on such work. Four more mainly call the system: fresh memory, small calls, files,
 * pipes. Each has three sizes, from one that fits the first two levels of cache to one beyond them (for
 * images: 640x480 in the middle, as in the paper).
 *
 *     void *state = workload_create(WORKLOAD_SORT, 1, 42);      65,536 keys, made from seed 42
 *     if (state) {
 *         uint32_t checksum = workload_run(WORKLOAD_SORT, state);      one unit of work
 *         workload_destroy(state);
 *     }
 *
 * A unit takes some 10 microseconds to a few milliseconds and always does the same work: a whole sort, a
 * sweep over a grid, or one band of an image after the other. The checksum depends on all of its results.
 *
 * Costs: workload_bytes of memory in one allocation (1 KiB to 64 MiB). Units allocate nothing and leave
 * nothing open: the last four also close, unmap and end what they open, map or start.
 */
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

enum { WORKLOAD_SIZES = 3 };

typedef enum workload_kind {
    WORKLOAD_CORNERS,
    WORKLOAD_GRADIENTS,
    WORKLOAD_BLUR,
    WORKLOAD_FACES,
    WORKLOAD_NEIGHBOURS,
    WORKLOAD_VECTORS,
    WORKLOAD_MATRIX,
    WORKLOAD_SORT,
    WORKLOAD_HASH,
    WORKLOAD_TREE,
    WORKLOAD_STENCIL,
    WORKLOAD_SPARSE,
    WORKLOAD_AXPY,
    WORKLOAD_SCRATCH,
    WORKLOAD_REQUESTS,
    WORKLOAD_JOURNAL,
    WORKLOAD_PIPES,
    WORKLOADS /* their number */
} workload_kind;

/* Memory is handed out by it: see workload_create. */
typedef struct workload_room workload_room;

typedef struct workload_size {
    const char *label; /* "640x480" */
    uint32_t n;        /* width of the image, number of keys, ... */
} workload_size;

typedef struct workload {
    const char *name; /* one word */
    const char *what; /* one line: its work, and the meaning of the size */
    workload_size size[WORKLOAD_SIZES];
    void (*lay)(void *state, workload_room *room); /* takes the arrays from the memory */
    void (*fill)(void *state,
                 uint64_t seed);  /* makes the input, the same for the same seed on every machine */
    uint32_t (*run)(void *state); /* one unit of work; returns its checksum */
} workload;

extern const workload workloads[WORKLOADS];

/* The memory that units of this size read and write, in bytes. */
size_t workload_bytes(uint32_t kind, uint32_t size);

/* The input in memory of its own, ready to run. NULL: no memory (or no such workload or size). */
void *workload_create(uint32_t kind, uint32_t size, uint64_t seed);

/* The same in memory of the caller's: workload_bytes of it, aligned to WORKLOAD_ALIGN. */
enum { WORKLOAD_ALIGN = 4096 };
void workload_make(uint32_t kind, uint32_t size, uint64_t seed, void *memory);

uint32_t workload_run(uint32_t kind, void *state);

/* The number of units so far for which the system refused a resource (a file, a thread, ...). They were
   done without it, with the same checksum. */
uint32_t workload_refused(const void *state);

/* Reads its memory (or the first 8 MiB) and runs a unit, so that the caches hold as much of it as they
   can. */
uint32_t workload_warm(uint32_t kind, uint32_t size, void *state);
void workload_destroy(void *state); /* NULL is fine */

#endif /* WORKLOADS_H */
