/* validate.h - the simulated device, next to values from elsewhere for such devices.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The values come from the arithmetic of the configuration, and from a measurement of the card it resembles
 * (clpeak's recorded result for the GTX 980, krrishnarraj/clpeak on GitHub). Others are numbers in the text
 * of Themis (Zhao et al., IPDPS 2019), and the equations of colocation.h. The kernels' own numbers were
 * chosen to fit their classes. Nothing here was measured on those programs.
 */
#ifndef SIMULATOR_VALIDATE_H
#define SIMULATOR_VALIDATE_H

#include <stdio.h>

#include "device.h"
#include "sooth/slowdown.h"
#include "sooth/stats.h"

enum { VALIDATE_TESTS = SIMULATOR_KERNELS - SIMULATOR_TRAIN, VALIDATE_ALL = SIMULATOR_KERNELS + 24 };

typedef struct validate_solo {
    double time[VALIDATE_ALL][SIMULATOR_SMS + 1]; /* 0: not yet run */
} validate_solo;

static inline double validate_alone(validate_solo *s, int kernel, int sms) {
    double *t = &s->time[kernel][sms];
    simulator_result r;
    if (!(*t > 0)) *t = device_run(&kernel, &sms, 1, 0, &r) == 0 ? r.time : 0;
    return *t;
}

/* Kernels a and b on n and 60 - n SMs: their results, and their slowdowns against runs alone on as many.
   Returns 0, or -1. */
static inline int validate_pair(validate_solo *s, int a, int b, int n, simulator_result *r, double *inter) {
    const int kernel[2] = {a, b}, sms[2] = {n, SIMULATOR_SMS - n};
    int i;
    if (device_run(kernel, sms, 2, 0, r) != 0) return -1;
    for (i = 0; i < 2; ++i) {
        const double alone = validate_alone(s, kernel[i], sms[i]);
        if (!(alone > 0)) return -1;
        inter[i] = r[i].time / alone;
    }
    return 0;
}

static inline double validate_rank(const double *a, const double *b, int n) {
    float x[512], y[512];
    sooth_correlation c;
    int i;
    for (i = 0; i < n; ++i) x[i] = (float)a[i], y[i] = (float)b[i];
    if (sooth_correlate_pair(NULL, x, 1, y, 1, (size_t)n, SOOTH_CORRELATE_SPEARMAN, &c) != SOOTH_OK) return 0;
    return c.r;
}

static inline int validate_less(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double validate_median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, validate_less);
    return n % 2 ? x[n / 2] : .5 * (x[n / 2 - 1] + x[n / 2]);
}

/* A kernel of one kind of load, for trials of the device: `warps` on each SM, one line a load. */
static inline device_kernel validate_trial(int warps, int pattern, int set, int stores) {
    device_kernel k;
    memset(&k, 0, sizeof k);
    k.name = "trial";
    k.instructions = 1;
    k.cost = k.delay = DEVICE_CYCLE;
    k.warps = warps;
    k.blocks = 1;
    k.l1_miss = 1000;
    k.phase[0].loads = k.phase[0].gap = k.phase[0].lines = 1;
    k.phase[0].stores = stores;
    k.phase[0].pattern = pattern;
    k.phase[0].set = set;
    return k;
}

/* window 0: the device's own. cycles: see device_measure. */
static inline int validate_try(device_kernel k, int sms, int window, double cycles, simulator_result *r,
                               device_stats *s) {
    device *d = device_new(&k, &sms, 1, 1);
    int rc;
    if (!d) return -1;
    if (window) d->window = window;
    rc = device_measure(d, cycles, r, s);
    device_free(d);
    return rc;
}

static inline void validate_device(void) {
    const double gbs = 1.125 * 128; /* GB/s of a line per cycle */
    simulator_result r;
    device_stats s, in_order;
    printf("The device: trials of one kind of load, next to the configuration's arithmetic and cards like "
           "it\n\n");
    if (validate_try(validate_trial(1, DEVICE_RANDOM, 64, 0), 1, 0, 4e5, &r, &s) != 0) return;
    printf("  latency of the L2, unloaded        %6.1f cycles   60 + 120 + 30 + 4 = 214\n", r.latency);
    if (validate_try(validate_trial(1, DEVICE_RANDOM, 1 << 19, 0), 1, 0, 4e5, &r, &s) != 0) return;
    printf(
        "  latency of the memory, unloaded    %6.1f cycles   214 + 100 + (RP + RCD + CL + burst) 77 clocks = "
        "363.5\n",
        r.latency);
    if (validate_try(validate_trial(32, DEVICE_RANDOM, 1024, 0), 60, 0, 0, &r, &s) != 0) return;
    printf("  bandwidth of the L2                %6.1f GB/s     8 x 64 bytes a cycle = 576\n",
           r.event[5] * gbs);
    if (validate_try(validate_trial(32, DEVICE_STREAM, 0, 0), 60, 0, 0, &r, &s) != 0) return;
    printf("  a stream read                      %6.1f GB/s     at most 224; a GTX 980 measured by clpeak: "
           "158 to "
           "175\n",
           r.event[7] * 224);
    printf("    rows hit %.3f (at most 15 of 16: %.3f); requests in flight %.1f = %.4f a cycle x %.1f cycles "
           "(Little: %.1f)\n",
           s.row_hits, 15. / 16, s.outstanding, s.throughput, s.latency, s.throughput * s.latency);
    if (validate_try(validate_trial(32, DEVICE_STREAM, 0, 16), 60, 0, 0, &r, &s) != 0) return;
    printf("  as many lines written as read      %6.1f GB/s     the bus turns round\n", r.event[7] * 224);
    if (validate_try(validate_trial(32, DEVICE_RANDOM, 1 << 19, 0), 60, 0, 0, &r, &s) != 0) return;
    if (validate_try(validate_trial(32, DEVICE_RANDOM, 1 << 19, 0), 60, 1, 0, &r, &in_order) != 0) return;
    printf("  random lines                       %6.1f GB/s     a row each RRD: at most 8 of 12 clocks, "
           "%.1f; rows "
           "hit %.3f\n",
           s.bus * 224, 224. * 8 / 12, s.row_hits);
    printf(
        "    in order of arrival              %6.1f GB/s     a row cycle each (RAS + RP %d clocks) at least "
        "%.1f\n",
        in_order.bus * 224, 76, 224. * 8 / 76);
}

static inline void validate_kernels(validate_solo *solo) {
    int k, e;
    printf("\nThe kernels alone: slowdown with 15, 30 and 45 of 60 SMs (the form of Figure 2a), events per "
           "cycle on "
           "60,\nand how mrig slows them 30:30 (Figure 2b)\n\n  kernel class  15    30    45    IPC    "
           "L1dAcc L1dMiss "
           "L1cAcc L1cMiss L2Acc  L2Miss MemBW  mrig\n");
    for (k = 0; k < SIMULATOR_KERNELS; ++k) {
        const int sms = SIMULATOR_SMS;
        const double t = validate_alone(solo, k, sms);
        simulator_result r[2], alone;
        double inter[2];
        if (device_run(&k, &sms, 1, 0, &alone) != 0 || validate_pair(solo, k, 19, 30, r, inter) != 0) return;
        printf("  %-5s  %c     %5.2f %5.2f %5.2f ", device_kernels[k].name, device_kernels[k].kind,
               validate_alone(solo, k, 15) / t, validate_alone(solo, k, 30) / t,
               validate_alone(solo, k, 45) / t);
        for (e = 0; e < 8; ++e) printf(" %6.3g", alone.event[e]);
        printf(" %6.2f\n", inter[0]);
    }
}

/* Table I: the correlation of events with slowdowns next to the two strongest producers, and with theirs. */
static inline void validate_events(validate_solo *solo) {
    static const char *const name[8] = {"IPC",     "L1dAcc", "L1dMiss", "L1cAcc",
                                        "L1cMiss", "L2Acc",  "L2Miss",  "MemBW"};
    static const double paper[8][4] = {{.81, .71, .43, .36}, {.56, .44, .24, .21}, {.63, .47, .48, .52},
                                       {.66, .67, .39, .19}, {.76, .70, .41, .33}, {.63, .51, .42, .66},
                                       {.69, .58, .78, .36}, {.76, .67, .73, .31}};
    double rho[8][4][5];
    int e, kind, k, split, c;
    for (split = 0; split < 5; ++split) {
        double event[8][2 * SIMULATOR_KERNELS], scal[2 * SIMULATOR_KERNELS], inter[2 * SIMULATOR_KERNELS],
            pressure[2 * SIMULATOR_KERNELS];
        for (kind = 0; kind < 2; ++kind)
            for (k = 0; k < SIMULATOR_KERNELS; ++k) {
                const int i = kind * SIMULATOR_KERNELS + k, n = 10 + 10 * split;
                simulator_result r[2];
                double slower[2];
                if (validate_pair(solo, k, SIMULATOR_KERNELS + SIMULATOR_LEVELS * kind, n, r, slower) != 0)
                    return;
                for (e = 0; e < 8; ++e) event[e][i] = r[0].event[e];
                scal[i] = validate_alone(solo, k, n) / validate_alone(solo, k, SIMULATOR_SMS);
                inter[i] = slower[0];
                pressure[i] = slower[1];
            }
        for (e = 0; e < 8; ++e) {
            rho[e][0][split] = fabs(validate_rank(event[e], scal, 2 * SIMULATOR_KERNELS));
            rho[e][1][split] = fabs(validate_rank(event[e], inter, 2 * SIMULATOR_KERNELS));
            rho[e][2][split] = fabs(
                validate_rank(event[e] + SIMULATOR_KERNELS, pressure + SIMULATOR_KERNELS, SIMULATOR_KERNELS));
            rho[e][3][split] = fabs(validate_rank(event[e], pressure, SIMULATOR_KERNELS));
        }
    }
    printf(
        "\nTable I: |Spearman| of events with slowdowns next to the pressure meters and with the meters', "
        "median of "
        "five\nsplits; the paper's in brackets\n\n  event    scalability  interference bandwidth    cache\n");
    for (e = 0; e < 8; ++e) {
        printf("  %-8s", name[e]);
        for (c = 0; c < 4; ++c) printf(" %.2f (%.2f) ", validate_median(rho[e][c], 5), paper[e][c]);
        printf("\n");
    }
}

/* The 49 pairs of the 7 test kernels. */
static inline void validate_pairs(validate_solo *solo) {
    enum { PAIRS = VALIDATE_TESTS * VALIDATE_TESTS };
    double mine[PAIRS * 6], page[PAIRS * 6], both[PAIRS * 6], aggregate = 0, unfair = 0, asm_error = 0,
                                                              asm_most = 0, faster = 1;
    const float half[2] = {.5f, .5f};
    int a, b, split, i, n = 0;
    for (a = SIMULATOR_TRAIN; a < SIMULATOR_KERNELS; ++a)
        for (b = SIMULATOR_TRAIN; b < SIMULATOR_KERNELS; ++b)
            for (split = 10; split <= 30; split += 10) {
                const simulator_kernel *const k[2] = {&simulator_kernels[a], &simulator_kernels[b]};
                const int number[2] = {a, b}, sms[2] = {split, SIMULATOR_SMS - split};
                simulator_result r[2], q[2];
                double inter[2], progress = 0;
                float slow[2];
                if (validate_pair(solo, a, b, split, r, inter) != 0) return;
                simulator_run(k, sms, 2, q);
                for (i = 0; i < 2; ++i) {
                    const double scal = validate_alone(solo, number[i], sms[i]) /
                                        validate_alone(solo, number[i], SIMULATOR_SMS);
                    mine[n] = inter[i];
                    both[n] = inter[i] * scal;
                    page[n++] = q[i].time / simulator_alone(k[i], SIMULATOR_SMS);
                    progress += 1 / (inter[i] * scal);
                    slow[i] = (float)(inter[i] * scal);
                    if (inter[i] < faster) faster = inter[i];
                    if (split == 30) {
                        const double error = fabs(1 - 1 / scal);
                        asm_error += error / (2 * PAIRS);
                        if (error > asm_most) asm_most = error;
                    }
                }
                if (split == 30) {
                    aggregate += progress / PAIRS;
                    unfair += (double)sooth_allocate_unfairness(slow, half, 2) / PAIRS;
                }
            }
    printf("\nThe 49 pairs of test kernels, 30:30; the paper's in brackets\n\n");
    printf("  aggregate progress                             %.2f (1.22)\n", aggregate);
    printf("  unfairness, weights .5 .5                      %.2f (above .28: Themis' .15 is more than 47 %% "
           "less)\n",
           unfair);
    printf("  error of knowing the interference alone        %.0f %%, at most %.0f %% (ASM, which estimates "
           "it: 45 %%, "
           "105 %%)\n",
           100 * asm_error, 100 * asm_most);
    printf(
        "\nThe same with 10:50 and 20:40, both programs\n\n  rank correlation of slowdowns with the page of "
        "equations %.2f\n",
        validate_rank(both, page, n));
    validate_median(mine, n);
    printf("  interference, quantiles .05 .25 .5 .75 .95, most: %.2f %.2f %.2f %.2f %.2f, %.2f; least %.3f\n",
           mine[n / 20], mine[n / 4], mine[n / 2], mine[n * 3 / 4], mine[n * 19 / 20], mine[n - 1], faster);
}

/* Returns 0, or -1 if out of memory. */
static inline int validate_all(void) {
    validate_solo *solo = (validate_solo *)calloc(1, sizeof *solo);
    if (!solo) return -1;
    validate_device();
    validate_kernels(solo);
    validate_events(solo);
    validate_pairs(solo);
    free(solo);
    return 0;
}

#endif /* SIMULATOR_VALIDATE_H */
