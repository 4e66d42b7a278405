/* runs.c - runs of the simulated graphics processor as a table for `sooth slowdown`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/runs learn [device]   15 kernels, each next to the producers of pressure, on 10 to 50 of 60 SMs
 *     build/runs pairs [device]   7 other kernels next to each other
 *     build/runs three [device]   the same, three at a time on 20 SMs each
 *     build/runs validate         the simulated device, next to values from elsewhere
 *     build/runs record           the runs of data/device.csv: alone, learn, pairs and a sample of three
 *
 * A row is a program of a run: its events, and its slowdowns by its multiprocessors and by the others.
 * Producers have events only. By default the equations of colocation.h give the values, with 1 % of noise on
 * every count and time. With `device` the simulator in device.h gives them, without added noise (15 ms a
 * run).
 */
#include "sooth.h"

#include <math.h>
#include <stdio.h>

#include "colocation.h"
#include "device.h"
#include "validate.h"

enum { TESTS = SIMULATOR_KERNELS - SIMULATOR_TRAIN };

static sooth_rng rng;
static int on_device, failed;
static int done, all; /* runs, of this table */
static double solo[VALIDATE_ALL][SIMULATOR_SMS + 1];

static double noise(void) { return on_device ? 1 : exp(0.01 * sooth_rng_normal(&rng)); }

/* Kernels are numbered as in device.h. */
static void run(const int *kernel, const int *sms, int count, simulator_result *out) {
    simulator_kernel made[SIMULATOR_MOST];
    const simulator_kernel *k[SIMULATOR_MOST];
    if (on_device) {
        failed |= device_run(kernel, sms, count, 0, out) != 0;
        return;
    }
    for (int i = 0; i < count; ++i) {
        const int producer = kernel[i] - SIMULATOR_KERNELS;
        if (producer >= 0)
            made[i] = simulator_producer(producer / SIMULATOR_LEVELS, producer % SIMULATOR_LEVELS);
        k[i] = producer >= 0 ? &made[i] : &simulator_kernels[kernel[i]];
    }
    simulator_run(k, sms, count, out);
}

static double alone(int kernel, int sms) {
    double *t = &solo[kernel][sms];
    simulator_result r = {0};
    if (!(*t > 0)) run(&kernel, &sms, 1, &r), *t = r.time;
    return *t;
}

static void progress(void) {
    if (on_device && ++done % 50 == 0)
        fprintf(stderr, "\r%d of %d runs%s", done, all, done < all - 49 ? "" : "\n");
}

static void print_run(int number, const int *kernel, const int *sms, int count) {
    simulator_result result[SIMULATOR_MOST] = {{0}};
    run(kernel, sms, count, result);
    for (int i = 0; i < count; ++i) {
        const int producer = kernel[i] - SIMULATOR_KERNELS;
        const double by_itself = alone(kernel[i], sms[i]);
        printf("%d,%s,%d", number,
               producer < 0 ? simulator_kernels[kernel[i]].name : device_number(kernel[i]).name, sms[i]);
        for (int e = 0; e < 8; ++e) printf(",%.9g", (double)(float)(result[i].event[e] * noise()));
        const double scal = producer < 0 ? by_itself / alone(kernel[i], SIMULATOR_SMS) * noise() : noise();
        const double inter = result[i].time / by_itself * noise();
        if (producer >= 0) printf(",,\n");
        else printf(",%.9g,%.9g\n", (double)(float)scal, (double)(float)inter);
    }
    progress();
}

/* A row of a record: the kernels of the run, their SMs, the index of this kernel, and its results. */
static void record_run(int number, const int *kernel, const int *sms, int count) {
    simulator_result result[SIMULATOR_MOST] = {{0}};
    (void)number;
    run(kernel, sms, count, result);
    for (int of = 0; of < count; ++of) {
        for (int i = 0; i < count; ++i) printf("%s%d", i ? "+" : "", kernel[i]);
        for (int i = 0; i < count; ++i) printf("%s%d", i ? "+" : ",", sms[i]);
        printf(",%d,%.4g", of, result[of].time);
        for (int e = 0; e < 8; ++e) printf(",%.4g", result[of].event[e]);
        printf("\n");
    }
    progress();
}

typedef void printer(int number, const int *kernel, const int *sms, int count);

static void learn(printer *print) {
    int number = 0;
    for (int a = 0; a < SIMULATOR_TRAIN; ++a)
        for (int producer = SIMULATOR_KERNELS; producer < VALIDATE_ALL; ++producer)
            for (int split = 10; split <= 50; split += 10) {
                const int kernel[2] = {a, producer}, sms[2] = {split, SIMULATOR_SMS - split};
                print(++number, kernel, sms, 2);
            }
}

/* Every ordered choice of `count` test kernels, or each step-th. */
static void beside_each_other(printer *print, int count, int step) {
    for (int bag = 0; bag < (count == 2 ? TESTS * TESTS * 3 : TESTS * TESTS * TESTS); bag += step) {
        int kernel[3], sms[3] = {20, 20, 20}, code = count == 2 ? bag / 3 : bag;
        for (int i = 0; i < count; ++i, code /= TESTS) kernel[i] = SIMULATOR_TRAIN + code % TESTS;
        if (count == 2) sms[0] = 10 + 10 * (bag % 3);
        if (count == 2) sms[1] = SIMULATOR_SMS - sms[0];
        print(bag + 1, kernel, sms, count);
    }
}

static void record(void) {
    on_device = 1;
    all = 22 * 8 + 1800 + 147 + 49;
    printf("kernels,sms,of,time,ipc,l1d_access,l1d_miss,l1c_access,l1c_miss,l2_access,l2_miss,bandwidth\n");
    for (int k = 0; k < SIMULATOR_KERNELS; ++k)
        for (int i = 0; i < 8; ++i) {
            static const int count[8] = {10, 15, 20, 30, 40, 45, 50, 60};
            record_run(0, &k, &count[i], 1);
        }
    learn(record_run);
    beside_each_other(record_run, 2, 1);
    beside_each_other(record_run, 3, 7);
}

int main(int count, char **words) {
    const char *what = count >= 2 ? words[1] : "";
    const int learning = strcmp(what, "learn") == 0, three = strcmp(what, "three") == 0;
    on_device = count == 3 && strcmp(words[2], "device") == 0;
    if (count == 2 && strcmp(what, "validate") == 0) return validate_all() != 0 || fflush(stdout) != 0;
    if (count == 2 && strcmp(what, "record") == 0) {
        record();
        return failed || ferror(stdout) || fflush(stdout) != 0;
    }
    if ((!learning && !three && strcmp(what, "pairs") != 0) || count > 2 + on_device)
        return fputs("usage: runs learn|pairs|three [device] | runs validate|record\n", stderr), 2;
    all = learning ? 1800 : three ? 343 : 147;
    sooth_rng_init(&rng, learning ? 7 : 8, 0);
    printf("run,program,sms,ipc,l1d_access,l1d_miss,l1c_access,l1c_miss,l2_access,l2_miss,bandwidth,sd_scal,"
           "sd_inter\n");
    if (learning) learn(print_run);
    else beside_each_other(print_run, three ? 3 : 2, 1);
    if (failed) fputs("runs: out of memory\n", stderr);
    return failed || ferror(stdout) || fflush(stdout) != 0;
}
