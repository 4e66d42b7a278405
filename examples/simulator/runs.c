/* runs.c - runs of the simulated graphics processor as a table for `sooth slowdown`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   build/runs learn   15 kernels, each beside the producers of pressure, on 10 to 50 of 60 multiprocessors
 *   build/runs pairs   7 other kernels beside each other
 *   build/runs three   the same, three at a time on 20 multiprocessors each
 *
 * A row is a program of a run: its events, and how much slower it is by its multiprocessors and by the
 * others. Of producers only the events are told. Everything counted or timed has 1 % of noise.
 */
#include "sooth.h"

#include <math.h>
#include <stdio.h>

#include "colocation.h"

enum { TESTS = SIMULATOR_KERNELS - SIMULATOR_TRAIN };

static sooth_rng rng;

static double noise(void) { return exp(0.01 * sooth_rng_normal(&rng)); }

static void print_run(int number, const simulator_kernel *const *k, const int *sms, int count) {
    simulator_result result[SIMULATOR_MOST];
    simulator_run(k, sms, count, result);
    for (int i = 0; i < count; ++i) {
        const double alone = simulator_alone(k[i], sms[i]);
        printf("%d,%s,%d", number, k[i]->name, sms[i]);
        for (int e = 0; e < 8; ++e) printf(",%.9g", (double)(float)(result[i].event[e] * noise()));
        const double scal = alone / simulator_alone(k[i], SIMULATOR_SMS) * noise();
        const double inter = result[i].time / alone * noise();
        if (k[i]->kind == 'p') printf(",,\n");
        else printf(",%.9g,%.9g\n", (double)(float)scal, (double)(float)inter);
    }
}

static void learn(void) {
    int number = 0;
    for (int a = 0; a < SIMULATOR_TRAIN; ++a)
        for (int kind = 0; kind < 2; ++kind)
            for (int level = 0; level < SIMULATOR_LEVELS; ++level)
                for (int split = 10; split <= 50; split += 10) {
                    const simulator_kernel producer = simulator_producer(kind, level);
                    const simulator_kernel *const k[2] = {&simulator_kernels[a], &producer};
                    const int sms[2] = {split, SIMULATOR_SMS - split};
                    print_run(++number, k, sms, 2);
                }
}

/* Every ordered choice of `count` kernels that nothing was learned from. */
static void beside_each_other(int count) {
    for (int bag = 0; bag < (count == 2 ? TESTS * TESTS * 3 : TESTS * TESTS * TESTS); ++bag) {
        const simulator_kernel *k[3];
        int sms[3] = {20, 20, 20}, code = count == 2 ? bag / 3 : bag;
        for (int i = 0; i < count; ++i, code /= TESTS)
            k[i] = &simulator_kernels[SIMULATOR_TRAIN + code % TESTS];
        if (count == 2) sms[0] = 10 + 10 * (bag % 3);
        if (count == 2) sms[1] = SIMULATOR_SMS - sms[0];
        print_run(bag + 1, k, sms, count);
    }
}

int main(int count, char **words) {
    const char *what = count == 2 ? words[1] : "";
    const int learning = strcmp(what, "learn") == 0, three = strcmp(what, "three") == 0;
    if (!learning && !three && strcmp(what, "pairs") != 0)
        return fputs("usage: runs learn|pairs|three\n", stderr), 2;
    sooth_rng_init(&rng, learning ? 7 : 8, 0);
    printf("run,program,sms,ipc,l1d_access,l1d_miss,l1c_access,l1c_miss,l2_access,l2_miss,bandwidth,sd_scal,"
           "sd_inter\n");
    if (learning) learn();
    else beside_each_other(three ? 3 : 2);
    return ferror(stdout) || fflush(stdout) != 0;
}
