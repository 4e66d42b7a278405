/* 11_threads_and_frequency.c - four runs predict the other 308, and which of them to choose: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/11_time.svg and 11_choice.svg
 *
 * A machine has two sockets of 12 cores and 13 clocks. So a program has 24 x 13 = 312 configurations. Which
 * of them takes the least power and is still in time? Measuring all takes a day. De Sensi (PDP 2016) measures
 * four, spread evenly (lesson 10), and fits laws. A share of the work is serial. The rest is divided among t
 * threads. All of it scales with the clock g:
 *
 *     T = b0 / g + b1 / (g t)
 *
 * A second law predicts power. The search prefers configurations that are predicted too well. This is the
 * winner's curse: the best configuration lies on the bound, so it needs a margin.
 *
 * Exercises, with answers in answers.md:
 *   1. Choose without a margin (goal.risk = 0.5). How often is the choice too slow in truth, for ten bounds?
 *   2. Measure four configurations at random instead. Is the error of the times larger?
 *   3. How many watts more than the best one does the choice take, for a bound of 15 s?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/configure.h"
#include "sooth/halton.h"

enum { ALL_THREADS = 24, ALL_CLOCKS = 13, ALL = ALL_THREADS * ALL_CLOCKS, FEW = 4 };

/* The truth, which only the judge may read: seconds (100 for one thread at 1.2 GHz) and watts. */
typedef struct truth {
    float seconds[ALL], watts[ALL];
} truth;

static void read_truth(const char *program, truth *t) {
    static const char *const column[] = {"threads", "freq_mhz", "power_w"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 3, "throughput", "app");
    sooth_table rows = rows_of(&m, program, 1); /* ordered by threads, then by clock */
    for (size_t i = 0; i < ALL; ++i) {
        t->seconds[i] = 100 * rows.y[0] / rows.y[i];
        t->watts[i] = rows.x[i * rows.stride + 2];
    }
}

/* ---- 1. By hand: b0 and b1 that minimise the sum of ((law - T) / T)^2, from two equations. ---- */

static double clock_of(uint32_t which) { return 1 + which % ALL_CLOCKS / 12.0; } /* 1.2 GHz: 1 */

static void fit_times(const sooth_configure_run *run, size_t runs, double b[2]) {
    double aa = 0, ab = 0, bb = 0, a = 0, c = 0;
    for (size_t i = 0; i < runs; ++i) {
        const double g = clock_of(run[i].which), t = run[i].which / ALL_CLOCKS + 1, T = (double)run[i].time;
        const double x = 1 / (g * T), y = 1 / (g * t * T);
        aa += x * x, ab += x * y, bb += y * y, a += x, c += y;
    }
    b[0] = (a * bb - c * ab) / (aa * bb - ab * ab);
    b[1] = (c * aa - a * ab) / (aa * bb - ab * ab);
}

static double time_by_hand(const double b[2], uint32_t which) {
    return (b[0] + b[1] / (which / ALL_CLOCKS + 1)) / clock_of(which);
}

/* ---- 2. Four configurations, spread by Halton's points over threads and clocks. ---- */

static void measure_few(const truth *t, sooth_configure_run run[FEW]) {
    for (uint64_t i = 0; i < FEW; ++i) {
        const uint32_t threads = (uint32_t)(ALL_THREADS * sooth_halton_radical_inverse(i + 1, 2));
        const uint32_t clock = (uint32_t)(ALL_CLOCKS * sooth_halton_radical_inverse(i + 1, 3));
        run[i].which = threads * ALL_CLOCKS + clock;
        run[i].program = 0;
        run[i].time = t->seconds[run[i].which];
        run[i].power = t->watts[run[i].which];
    }
}

/* ---- 3. The machine: the laws of configure.h are fitted to the runs, and a configuration is chosen. ---- */

static sooth_configure *learn_machine(const sooth_configure_run run[FEW]) {
    static double memory[29144 / 8]; /* sooth_configure_size(312, 2) bytes */
    sooth_configure *machine;
    sooth_configure_options options = {.machine = {.cores = 12, .sockets = 2, .levels = ALL_CLOCKS}};
    sooth_env env;
    sooth_env_init(&env);
    for (int f = 0; f < ALL_CLOCKS; ++f) options.machine.frequency[f] = 1.2f + 0.1f * (float)f;
    need(&env, sooth_configure_init(&env, &options, NULL, 0, 2, memory, sizeof memory, &machine));
    need(&env, sooth_configure_fit(&env, machine, run, FEW));
    return machine;
}

static sooth_configure_choice choose_within(const sooth_configure *machine, double seconds, double risk) {
    const sooth_configure_goal goal = {.most_time = seconds, .risk = risk};
    sooth_configure_choice choice;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_configure_choose(&env, machine, &goal, &choice));
    return choice;
}

int main(void) {
    static const char *const names[] = {"measured", "law by hand", "configure.h"};
    static double axis[ALL_THREADS], lines[3 * ALL_THREADS], xy[2 * ALL];
    static truth t;
    sooth_configure_run run[FEW];
    sooth_configure *machine;
    double b[2], off[2] = {0, 0};
    read_truth("blackscholes", &t);
    measure_few(&t, run);
    for (int i = 0; i < FEW; ++i)
        printf("measured: %2u threads at %.1f GHz, %5.2f s, %5.1f W\n", run[i].which / ALL_CLOCKS + 1,
               1.2 * clock_of(run[i].which), (double)run[i].time, (double)run[i].power);
    fit_times(run, FEW, b);
    machine = learn_machine(run);
    for (uint32_t i = 0; i < ALL; ++i) {
        off[0] += 100.0 / ALL * fabs(time_by_hand(b, i) / (double)t.seconds[i] - 1);
        off[1] += 100.0 / ALL * fabs((double)(machine->time[i] / t.seconds[i]) - 1);
        xy[i] = (double)t.seconds[i];
        xy[ALL + i] = (double)machine->time[i];
        if (i % ALL_CLOCKS != 6) continue; /* 1.8 GHz */
        axis[i / ALL_CLOCKS] = i / ALL_CLOCKS + 1;
        lines[i / ALL_CLOCKS] = (double)(100 / t.seconds[i]);
        lines[ALL_THREADS + i / ALL_CLOCKS] = 100 / time_by_hand(b, i);
        lines[2 * ALL_THREADS + i / ALL_CLOCKS] = (double)(100 / machine->time[i]);
    }
    printf("All 312 times: the law by hand is off by %.1f %%, configure.h, with sockets, by %.1f %%.\n",
           off[0], off[1]);
    for (double bound = 5; bound <= 40; bound *= 2) {
        const sooth_configure_choice c = choose_within(machine, bound, 0);
        printf("within %2.0f s: %2u threads at %.1f GHz, in truth %5.2f s, %5.1f W\n", bound,
               c.which / ALL_CLOCKS + 1, 1.2 * clock_of(c.which), (double)t.seconds[c.which],
               (double)t.watts[c.which]);
    }
    draw_lines("11_time.svg", "The speed of blackscholes at 1.8 GHz, predicted from four runs", "threads",
               "speed, 1: one thread at 1.2 GHz", axis, lines, ALL_THREADS, names, 3);
    draw_points("11_choice.svg", "312 times from four runs", "s", xy, xy + ALL, ALL, NULL, NULL, 0);
    return 0;
}
