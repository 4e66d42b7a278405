/* truth.h - results of kernels that share the processor: simulated once, stored, and read with noise.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A kernel is a number. 0 to 21 are simulator_kernels[] (15 for training, 7 for tests). 22 + 12 kind + level
 * are the producers of pressure on the cache (kind 0) and the bandwidth (1). Level 0 presses most and is the
 * meter of Table I.
 */
#ifndef PAPERS_TRUTH_H
#define PAPERS_TRUTH_H

#include "sooth.h"

#include "../simulator/device.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    SMS = SIMULATOR_SMS,
    TRAIN = SIMULATOR_TRAIN,
    KERNELS = SIMULATOR_KERNELS,
    TESTS = KERNELS - TRAIN,
    LEVELS = SIMULATOR_LEVELS,
    INPUTS = SOOTH_SLOWDOWN_INPUTS,
    EVENTS = SOOTH_SLOWDOWN_EVENTS,
    BAG = 4 /* max number of kernels next to each other */
};

typedef struct bag {
    int kernel[BAG], sms[BAG], count;
} bag;

static sooth_env env;

static inline void die(const char *sentence) {
    fflush(stdout);
    fprintf(stderr, "themis: %s\n", sentence);
    exit(1);
}

static inline void must(sooth_status status) {
    if (status != SOOTH_OK) die(env.sentence);
}

/* Out of memory ends the program here. */
static inline void *room(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) die("there is not enough memory");
    return p;
}

/* The whole file, followed by a 0. The caller frees it. */
static inline char *file_read(const char *path, size_t *size) {
    static char sentence[400];
    size_t most = 1 << 16;
    char *bytes = (char *)room(most, 1);
    FILE *file = fopen(path, "rb");
    snprintf(sentence, sizeof sentence, "%s cannot be read", path);
    if (!file) die(sentence);
    for (*size = 0; (*size += fread(bytes + *size, 1, most - *size - 1, file)) == most - 1;) {
        char *more = (char *)realloc(bytes, most *= 2);
        if (!more) die("there is not enough memory");
        bytes = more;
    }
    if (ferror(file)) die(sentence);
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}

/* ---- sums ---- */

typedef struct spread {
    double mean, median, worst;
} spread;

static inline int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n >= 1 values. */
static inline spread spread_of(const double *value, size_t n) {
    double *sorted = (double *)room(n, sizeof *sorted);
    spread s = {0, 0, 0};
    memcpy(sorted, value, n * sizeof *value);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 0; i < n; ++i) s.mean += sorted[i] / (double)n;
    s.median = .5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    s.worst = sorted[n - 1];
    free(sorted);
    return s;
}

/* ---- Table I, as it is printed: |rho| of each event with SD_scal, SD_inter, P_bw, P_cache ---- */

static const char *const event_names[EVENTS] = {"IPC",     "L1dAcc", "L1dMiss", "L1cAcc",
                                                "L1cMiss", "L2Acc",  "L2Miss",  "MemBW"};
static const double table_1_printed[EVENTS][4] = {
    {.81, .71, .43, .36}, {.56, .44, .24, .21}, {.63, .47, .48, .52}, {.66, .67, .39, .19},
    {.76, .70, .41, .33}, {.63, .51, .42, .66}, {.69, .58, .78, .36}, {.76, .67, .73, .31}};

/* ---- the simulator ---- */

/* run: nonzero on failure; cycles: the length of the sample */
typedef struct simulator {
    const char *name, *what;
    int (*run)(const int *kernel, const int *sms, int count, double cycles, simulator_result *out);
    double noise;  /* standard deviation of the noise on the logarithm of all counts and times */
    int phases;    /* 1: kernels have phases, so that it matters for how long one looks */
    int equations; /* 1: the extra inputs of ASM can be computed */
} simulator;

static inline const simulator_kernel *kernel_of(int k, simulator_kernel *producer) {
    if (k < KERNELS) return &simulator_kernels[k];
    *producer = simulator_producer((k - KERNELS) / LEVELS, (k - KERNELS) % LEVELS);
    return producer;
}

static inline int equations_run(const int *kernel, const int *sms, int count, double cycles,
                                simulator_result *out) {
    simulator_kernel producer[BAG];
    const simulator_kernel *k[BAG];
    (void)cycles;
    for (int i = 0; i < count; ++i) k[i] = kernel_of(kernel[i], &producer[i]);
    simulator_run(k, sms, count, out);
    return 0;
}

static const simulator equations = {
    "equations", "a page of equations (examples/simulator/colocation.h)", equations_run, 0.01, 0, 1};

/* Samples longer if a launch is longer than the window. */
static inline int device_whole(const int *kernel, const int *sms, int count, double cycles,
                               simulator_result *out) {
    for (int tries = 0; tries < 4; ++tries, cycles *= 4) {
        int ended = 1;
        if (device_run(kernel, sms, count, cycles, out) != 0) return -1;
        for (int i = 0; i < count; ++i) ended &= out[i].time > 0;
        if (ended) return 0;
    }
    return -1;
}

static const simulator device_events = {
    "device", "a device played out request by request (examples/simulator/device.h)", device_whole, 0, 1, 0};
static const simulator *here = &device_events;

/* ---- remembered ---- */

enum { REMEMBERED = 1 << 14, WINDOWS = 5 };

/* Lengths of a device's sample in cycles. The first is its default. */
static const double window_cycles[WINDOWS] = {DEVICE_SAMPLE, 3000, 6000, 12000, 48000};

static struct {
    uint64_t key; /* 0: free */
    simulator_result out[BAG];
} memory[REMEMBERED];

/* A bag in any order of its kernels, 12 bits for each, and the window above. at[i]: the place of its
   kernel i in that order. */
static inline uint64_t bag_key(const bag *b, int window, int *at) {
    uint64_t key = (uint64_t)window;
    int word[BAG], order[BAG];
    for (int i = 0; i < b->count; ++i) {
        int j = i;
        word[i] = b->kernel[i] << 6 | b->sms[i];
        for (; j > 0 && word[order[j - 1]] > word[i]; --j) order[j] = order[j - 1];
        order[j] = i;
    }
    for (int j = 0; j < BAG; ++j) {
        const int k = j - (BAG - b->count); /* with few kernels the first words are 0 */
        key = key << 12 | (k < 0 ? 0 : (uint64_t)word[order[k]]);
        if (k >= 0) at[order[k]] = k;
    }
    return key;
}

static inline bag bag_of_key(uint64_t key, int *window) {
    bag b = {{0}, {0}, 0};
    *window = (int)(key >> 12 * BAG);
    for (int j = BAG - 1; j >= 0; --j) {
        const int word = (int)(key >> 12 * j & 0xFFF);
        if (word == 0) continue;
        b.kernel[b.count] = word >> 6;
        b.sms[b.count++] = word & 63;
    }
    return b;
}

static inline void truth_for(const bag *b, int window, simulator_result *out) {
    int at[BAG], same;
    const uint64_t key = bag_key(b, window, at);
    size_t slot = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 50), tries = 0;
    for (; memory[slot].key != 0 && memory[slot].key != key; slot = (slot + 1) % REMEMBERED)
        if (++tries == REMEMBERED) die("more runs than can be remembered");
    if (memory[slot].key == 0) {
        const bag sorted = bag_of_key(key, &same);
        if (here->run(sorted.kernel, sorted.sms, b->count, window_cycles[window], memory[slot].out) != 0)
            die("the simulator cannot run these kernels");
        memory[slot].key = key;
    }
    for (int i = 0; i < b->count; ++i) out[i] = memory[slot].out[at[i]];
}

static inline void truth_of(const bag *b, simulator_result *out) { truth_for(b, 0, out); }

static inline bag alone(int kernel, int sms) {
    const bag b = {{kernel}, {sms}, 1};
    return b;
}

static inline bag two(int a, int b, int sms) {
    const bag both = {{a, b}, {sms, SMS - sms}, 2};
    return both;
}

static inline simulator_result truth_alone(int kernel, int sms) {
    const bag b = alone(kernel, sms);
    simulator_result r;
    truth_of(&b, &r);
    return r;
}

/* T_n / T_N, eq. 4. */
static inline double true_scal(int kernel, int sms) {
    return truth_alone(kernel, sms).time / truth_alone(kernel, SMS).time;
}

/* ---- measured ---- */

/* The measurement of a bag: each kernel's row (eq. 7), its measured slowdowns, and the true one. */
typedef struct sight {
    float row[BAG * INPUTS], part[BAG * 2];
    double sd[BAG];
} sight;

static inline double noisy(double v, sooth_rng *rng) { return v * exp(here->noise * sooth_rng_normal(rng)); }

/* when: another number, another draw of the noise. */
static inline void look(const bag *b, uint64_t when, sight *s) {
    simulator_result r[BAG];
    float events[BAG * EVENTS];
    sooth_rng rng;
    int at[BAG];
    sooth_rng_init(&rng, bag_key(b, 0, at), 1 + when);
    truth_of(b, r);
    for (int i = 0; i < b->count; ++i) {
        const double scal = true_scal(b->kernel[i], b->sms[i]),
                     inter = r[i].time / truth_alone(b->kernel[i], b->sms[i]).time;
        for (int e = 0; e < EVENTS; ++e) events[EVENTS * i + e] = (float)noisy(r[i].event[e], &rng);
        s->part[2 * i] = (float)noisy(scal, &rng);
        s->part[2 * i + 1] = (float)noisy(inter, &rng);
        s->sd[i] = scal * inter;
    }
    for (int i = 0; i < b->count; ++i)
        sooth_slowdown_row(events, (uint32_t)b->count, (uint32_t)i, (float)b->sms[i], s->row + INPUTS * i);
}

#endif
