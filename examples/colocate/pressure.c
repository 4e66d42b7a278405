/* pressure.c - see pressure.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pressure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "sooth/base.h"
#include "workloads.h"

enum {
    LARGE_PAGE = 2 << 20,
    WALKS = 8,          /* at once through a cache */
    CYCLES = 3,         /* through the lines: the middle cache's, the last one's, all of them */
    WALK_STEPS = 512,   /* of each walk in a step */
    SWEEP_LINES = 4096, /* 256 KiB of the buffer in a step */
    SUMS = 2048,        /* of arithmetic in a step */
    LANES = 32,         /* numbers that are worked on at once */
    SYSTEM_KINDS = 4    /* that are units of a workload */
};

/* A line of the cache: the next line of each cycle, and a word that sweeps change. */
typedef struct cache_line {
    uint32_t next[CYCLES];
    uint32_t word;
    uint32_t rest[16 - CYCLES - 1];
} cache_line;

struct pressure {
    cache_line *lines;
    uint32_t count, sweep;      /* lines, and the start of the next sweep */
    uint32_t at[CYCLES][WALKS]; /* positions of the walks */
    uint32_t length[CYCLES];    /* of each cycle */
    uint64_t integer[4];
    float number[LANES];
    void *unit[SYSTEM_KINDS]; /* states of workloads */
};

static const workload_kind system_kind[SYSTEM_KINDS] = {WORKLOAD_SCRATCH, WORKLOAD_REQUESTS, WORKLOAD_JOURNAL,
                                                        WORKLOAD_PIPES};
static const uint32_t system_size[SYSTEM_KINDS] = {1, 0, 0, 0};

const char *pressure_name(uint32_t kind) {
    static const char *const name[PRESSURES] = {
        "integer arithmetic", "floating point", "the middle cache", "the last cache", "memory bandwidth",
        "memory latency",     "page faults",    "system calls",     "files",          "pipes"};
    return kind < PRESSURES ? name[kind] : "";
}

const char *pressure_word(uint32_t kind) {
    static const char *const word[PRESSURES] = {"integers", "floats", "middle", "last",  "bandwidth",
                                                "latency",  "faults", "calls",  "files", "pipes"};
    return kind < PRESSURES ? word[kind] : "";
}

pressure_kind pressure_of(uint32_t workload, uint32_t size) {
    static const pressure_kind most[WORKLOADS][WORKLOAD_SIZES] = {
        {PRESSURE_INTEGERS, PRESSURE_INTEGERS, PRESSURE_INTEGERS}, /* corners */
        {PRESSURE_FLOATS, PRESSURE_FLOATS, PRESSURE_FLOATS},       /* gradients */
        {PRESSURE_INTEGERS, PRESSURE_MIDDLE, PRESSURE_LAST},       /* blur */
        {PRESSURE_INTEGERS, PRESSURE_MIDDLE, PRESSURE_LAST},       /* faces */
        {PRESSURE_FLOATS, PRESSURE_MIDDLE, PRESSURE_BANDWIDTH},    /* neighbours */
        {PRESSURE_FLOATS, PRESSURE_FLOATS, PRESSURE_FLOATS},       /* vectors */
        {PRESSURE_FLOATS, PRESSURE_FLOATS, PRESSURE_FLOATS},       /* matrix */
        {PRESSURE_INTEGERS, PRESSURE_MIDDLE, PRESSURE_LAST},       /* sort */
        {PRESSURE_INTEGERS, PRESSURE_MIDDLE, PRESSURE_LAST},       /* hash */
        {PRESSURE_INTEGERS, PRESSURE_MIDDLE, PRESSURE_LATENCY},    /* tree */
        {PRESSURE_FLOATS, PRESSURE_MIDDLE, PRESSURE_BANDWIDTH},    /* stencil */
        {PRESSURE_FLOATS, PRESSURE_MIDDLE, PRESSURE_LATENCY},      /* sparse */
        {PRESSURE_FLOATS, PRESSURE_MIDDLE, PRESSURE_BANDWIDTH},    /* axpy */
        {PRESSURE_FAULTS, PRESSURE_FAULTS, PRESSURE_FAULTS},       /* scratch */
        {PRESSURE_CALLS, PRESSURE_CALLS, PRESSURE_CALLS},          /* requests */
        {PRESSURE_FILES, PRESSURE_FILES, PRESSURE_FILES},          /* journal */
        {PRESSURE_PIPES, PRESSURE_PIPES, PRESSURE_PIPES},          /* pipes */
    };
    return workload < WORKLOADS && size < WORKLOAD_SIZES ? most[workload][size] : PRESSURES;
}

/* One cycle through the first n lines in random order, so that prefetchers cannot guess the next (Sattolo
   1986). If there are several walks, they are spread evenly along it. */
static void make_cycle(pressure *p, uint32_t which, uint32_t n) {
    sooth_rng rng;
    sooth_rng_init(&rng, 1, which);
    for (uint32_t i = 0; i < n; ++i) p->lines[i].next[which] = i;
    for (uint32_t i = n - 1; i > 0; --i) {
        uint32_t j = sooth_rng_below(&rng, i), kept = p->lines[i].next[which];
        p->lines[i].next[which] = p->lines[j].next[which];
        p->lines[j].next[which] = kept;
    }
    p->length[which] = n;
    if (which == CYCLES - 1) return;
    for (uint32_t i = 0, at = 0; i < n; ++i, at = p->lines[at].next[which])
        if (i % ((n + WALKS - 1) / WALKS) == 0) p->at[which][i / ((n + WALKS - 1) / WALKS)] = at;
}

static uint32_t press_cache(pressure *p, uint32_t which) {
    uint32_t *at = p->at[which], sum = 0;
    const cache_line *lines = p->lines;
    for (int i = 0; i < WALK_STEPS; ++i)
        for (int w = 0; w < WALKS; ++w) at[w] = lines[at[w]].next[which];
    for (int w = 0; w < WALKS; ++w) sum += at[w];
    return sum;
}

/* 0.6 of a cache, in lines. */
static uint32_t part_of_cache(const pressure *p, size_t bytes) {
    const size_t lines = bytes / sizeof(cache_line) * 6 / 10;
    return (uint32_t)(lines < p->count ? lines : p->count);
}

/* The shortest of some steps through a cache, in ns, after two rounds of it. */
static double cache_step_ns(pressure *p, uint32_t which) {
    const uint32_t round = p->length[which] / (WALKS * WALK_STEPS) + 1;
    double best = INFINITY;
    for (uint32_t i = 0; i < 2 * round + 16; ++i) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        press_cache(p, which);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        if (i < round) continue;
        best = fmin(best, 1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec));
    }
    return best;
}

/* The reported size of the last cache may be more than a program gets. Others use it, and virtual machines
   are given a part. From 0.6 of the reported size the lines are halved until a step takes less than eight
   times one through the middle cache. Memory takes fifteen or more, a cache two to five. */
static void fit_last(pressure *p, uint32_t few, uint32_t all) {
    const double middle = cache_step_ns(p, 0);
    for (make_cycle(p, 1, all); all > few && cache_step_ns(p, 1) > 8.0 * middle; make_cycle(p, 1, all))
        all = all / 2 > few ? all / 2 : few;
}

pressure *pressure_create(const size_t cache[3]) {
    const size_t least = (size_t)16 << 20, most = (size_t)64 << 20;
    size_t last = cache[2] ? cache[2] : cache[1] ? cache[1] : (size_t)8 << 20, bytes = 2 * last;
    size_t middle = cache[2] && cache[1] ? cache[1] : cache[0] ? cache[0] : (size_t)512 << 10;
    pressure *p = (pressure *)calloc(1, sizeof *p);
    void *memory = NULL;
    if (!p) return NULL;
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    if (posix_memalign(&memory, LARGE_PAGE, bytes) != 0) {
        free(p);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); /* it is about caches, not about the tables of pages */
#endif
    memset(memory, 0, bytes);
    p->lines = (cache_line *)memory;
    p->count = (uint32_t)(bytes / sizeof(cache_line));
    make_cycle(p, 0, part_of_cache(p, middle));
    fit_last(p, part_of_cache(p, 4 * middle), part_of_cache(p, last));
    make_cycle(p, 2, p->count);
    for (int k = 0; k < LANES; ++k) p->number[k] = 1.0f + (float)k / LANES;
    for (int k = 0; k < SYSTEM_KINDS; ++k) {
        p->unit[k] = workload_create(system_kind[k], system_size[k], 1);
        if (p->unit[k]) continue;
        pressure_destroy(p);
        return NULL;
    }
    return p;
}

void pressure_destroy(pressure *p) {
    if (!p) return;
    for (int k = 0; k < SYSTEM_KINDS; ++k) workload_destroy(p->unit[k]);
    free(p->lines);
    free(p);
}

/* Four chains of multiplications, shifts and additions that do not wait for each other. */
static uint32_t press_integers(pressure *p) {
    uint64_t a = p->integer[0], b = p->integer[1], c = p->integer[2], d = p->integer[3];
    for (int i = 0; i < SUMS; ++i) {
        a = (a ^ a >> 29) * 0xBF58476D1CE4E5B9ull + 1;
        b = (b ^ b >> 31) * 0x94D049BB133111EBull + 3;
        c = (c ^ c >> 27) * 0x9E3779B97F4A7C15ull + 5;
        d = (d ^ d >> 30) * 0xD6E8FEB86659FD93ull + 7;
    }
    p->integer[0] = a;
    p->integer[1] = b;
    p->integer[2] = c;
    p->integer[3] = d;
    return (uint32_t)(a ^ b ^ c ^ d);
}

/* Lanes that compilers put into vector registers. The values stay near 1.5. */
static uint32_t press_floats(pressure *p) {
    float x[LANES];
    uint32_t bits;
    memcpy(x, p->number, sizeof x);
    for (int i = 0; i < SUMS / 2; ++i)
        for (int k = 0; k < LANES; ++k) x[k] = x[k] * 0.75f + 0.375f;
    memcpy(p->number, x, sizeof x);
    memcpy(&bits, &x[LANES - 1], sizeof bits);
    return bits;
}

static uint32_t press_latency(pressure *p) {
    uint32_t at = p->at[CYCLES - 1][0];
    for (int i = 0; i < WALK_STEPS; ++i) at = p->lines[at].next[CYCLES - 1];
    return p->at[CYCLES - 1][0] = at;
}

/* Changes a word of one line after the other, so that all of them are read and written back. */
static uint32_t press_bandwidth(pressure *p) {
    uint32_t from = p->sweep, sum = 0;
    for (uint32_t i = from; i < from + SWEEP_LINES; ++i) sum += ++p->lines[i].word;
    p->sweep = from + 2 * SWEEP_LINES <= p->count ? from + SWEEP_LINES : 0;
    return sum;
}

static uint32_t press_system(pressure *p, int which) {
    return workload_run((uint32_t)system_kind[which], p->unit[which]);
}

uint32_t pressure_step(pressure *p, uint32_t kind) {
    switch ((pressure_kind)kind) {
    case PRESSURE_INTEGERS: return press_integers(p);
    case PRESSURE_FLOATS: return press_floats(p);
    case PRESSURE_MIDDLE: return press_cache(p, 0);
    case PRESSURE_LAST: return press_cache(p, 1);
    case PRESSURE_BANDWIDTH: return press_bandwidth(p);
    case PRESSURE_LATENCY: return press_latency(p);
    case PRESSURE_FAULTS: return press_system(p, 0);
    case PRESSURE_CALLS: return press_system(p, 1);
    case PRESSURE_FILES: return press_system(p, 2);
    case PRESSURE_PIPES: return press_system(p, 3);
    case PRESSURES: break;
    }
    return 0;
}

uint32_t pressure_round(const pressure *p, uint32_t kind) {
    const uint32_t lines = kind == PRESSURE_MIDDLE ? p->length[0] : kind == PRESSURE_LAST ? p->length[1] : 1;
    return (lines + WALKS * WALK_STEPS - 1) / (WALKS * WALK_STEPS);
}

int pressure_able(pressure *p, uint32_t kind) {
    pressure_step(p, kind);
    return kind < PRESSURE_FAULTS ||
           (kind < PRESSURES && workload_refused(p->unit[kind - PRESSURE_FAULTS]) == 0);
}
