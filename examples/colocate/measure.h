/* measure.h - the cost of running next to others on this machine: cards of tasks, times of bags of tasks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The experiments of Moolchandani, Kumar and Sarangi (Performance and power prediction for concurrent
 * execution on GPUs, 2022), on processor cores. The workloads are those of workloads.h in three sizes each
 * (51 tasks):
 *
 *     contention   small kernels next to each other. They show in a few seconds what this machine's programs
 *                  fight over, and so which tasks are worth running together.
 *     card         one task alone, and next to each of the microbenchmarks Low, Medium and High: how much it
 *                  is slowed and how much it slows them (their section 5.1.4). Linear in the number of tasks.
 *     bag          two to five tasks started together on two cores, each also alone: the times of all of them
 *                  and of the whole bag.
 *     scaling      1 to 16 instances of one program at once (their Figures 1 and 2).
 *
 *     measure_options options;
 *     measure *m;
 *     memset(&options, 0, sizeof options);
 *     if (measure_open(&env, &options, &m) != SOOTH_OK) ...      env.sentence has the reason
 *     static measure_card card[MEASURE_TASKS];
 *     measure_bag bag[MEASURE_MOST_BAGS];
 *     size_t bags = measure_plan(1, 50.0, NULL, bag);    which tasks to put together
 *     measure_cards(&env, m, 15.0, card);
 *     measure_bags(&env, m, 50.0, bag, bags);            bag[0].bag_ms, bag[0].member[0].slowdown, ...
 *     measure_close(m);
 *
 * How. A job is a fixed number of units. It is calibrated once to last 8 to 13 ms alone. A round of a bag
 * runs one job of every task alone, one after the other, and one of all of them together, in random order.
 * These runs are a few tens of milliseconds apart. So drift (the clock rate, other programs, other tenants of
 * a virtual machine's host) is the same for all of them and cancels in the ratios. Bags with more tasks than
 * cores run together twice, each time with a new assignment to cores. On this scale of time a system hardly
 * moves tasks, so it matters which of them share a core. The bags take turns, in another order every round.
 * Rounds continue until the time is used up, at least three. So every bag covers the whole session. Inputs
 * are made again for every round.
 *
 * Every figure is a median, with half the distance between the quartiles as its spread. If tasks share cores,
 * all repetitions count. If each task has its own core, some repetitions are left out while three others
 * remain. These are the ones in which a task waited more than 2 % of its time for its core, because other
 * programs ran. If tasks share cores, times are wall-clock times from the common start. If each has its own,
 * they are its time on that core (see stage_times). If instructions are not counted, the rate of progress
 * replaces IPC: a unit is always the same work, so the ratios are equal.
 *
 * Costs: the requested seconds (or three rounds, if they take longer: 30 s for all bags), and the cores of
 * the stage. See stage.h for memory.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "contend.h"
#include "scaling.h"
#include "stage.h"

enum {
    MEASURE_TASKS = WORKLOADS * WORKLOAD_SIZES,
    MEASURE_ALL_PAIRS = WORKLOADS * (WORKLOADS + 1) / 2, /* every workload with every other and itself: 153 */
    MEASURE_PAIRS = 91,                                  /* number of pairs that are run */
    MEASURE_LARGER = 32,                                 /* bags of three, of four and of five each */
    MEASURE_MOST_BAGS = MEASURE_PAIRS + 3 * MEASURE_LARGER
};

typedef struct measure measure;

typedef struct measure_options {
    uint32_t cores; /* of the stage; 0: 2 */
    uint64_t seed;  /* of inputs and orders */

    /* Called after every repetition (some 60 ms) with the part of the running call that is done (0 .. 1)
       and its remaining seconds. Nonzero cancels: the call returns SOOTH_CANCELLED. NULL: not called. */
    int (*progress_fn)(void *user, const char *stage, double done, double seconds_left);
    void *user;
} measure_options;

/* A median and half the distance between the quartiles. */
typedef struct measure_value {
    double value, spread;
} measure_value;

/* Starts the processes. */
sooth_status measure_open(sooth_env *env, const measure_options *options, measure **out);
void measure_close(measure *m); /* ends them; NULL is fine */

/* Cores, caches, counters; and as text: "2 of 8 cores; caches of 48 KiB, 1 MiB and 32 MiB". */
const stage_machine *measure_about(const measure *m);
const char *measure_machine(const measure *m);

/* The part of the time (0 .. 1) that jobs alone have waited for their core so far, because other programs
   were running. Below 0.02 the machine was quiet. */
double measure_disturbance(const measure *m);

/* ---- contention ---- */

/* Runs every kernel of pressure.h that this system allows alone and next to every other, in turn, for this
   many seconds. It runs at least five rounds (3 s, fewer if seconds are few): see contend.h. */
sooth_status measure_contention(sooth_env *env, measure *m, double seconds, contend *out);

/* The microbenchmarks of the cards press on this from now on: a pressure_kind, see stage_press_on. */
void measure_press_on(measure *m, uint32_t kind);

/* ---- scaling ---- */

/* Runs 1, 2, 4, 8, 16 instances of each line's task at once, as many as fit into a quarter of the memory. */
sooth_status measure_scaling(sooth_env *env, measure *m, double seconds, scaling_line *line, size_t lines);

/* ---- cards ---- */

typedef struct measure_card {
    stage_task task;
    size_t bytes;   /* that a unit may touch */
    uint64_t units; /* in a job */
    measure_value alone_ms;
    measure_value slowdown[STAGE_MICROS]; /* its time next to the microbenchmark over that alone: 1 or more */
    measure_value rate[STAGE_MICROS];     /* the microbenchmark's rate next to it over that alone: 1 or
                                             less */
    double fairness[STAGE_MICROS];        /* the smaller over the larger of 1 / slowdown and rate */
    double count[COUNTERS];               /* of a job alone, see counters.h; NaN: not available */
    uint32_t repetitions;
} measure_card;

/* Fills the cards of all tasks: card[workload * WORKLOAD_SIZES + size]. */
sooth_status measure_cards(sooth_env *env, measure *m, double seconds, measure_card card[MEASURE_TASKS]);

/* min / max of the two rates kept side by side (section 5.1.1). */
double measure_fairness(double slowdown, double rate);

/* ---- bags ---- */

typedef struct measure_member {
    stage_task task;
    double alone_ms;  /* in the repetitions of this bag */
    double shared_ms; /* next to the others */
    double slowdown;  /* median of shared over alone, repetition by repetition */
} measure_member;

typedef struct measure_bag {
    uint32_t tasks; /* 2 .. 5 */
    measure_member member[STAGE_TASKS];
    measure_value bag_ms; /* the longest shared time, repetition by repetition */
    double watts;         /* of the processor while it runs, the median; NaN: energy cannot be read */
    uint32_t repetitions; /* number of runs together */
} measure_bag;

/* Chooses the tasks of up to MEASURE_MOST_BAGS bags, as many as four or five rounds in this many seconds
   allow (all of them from 50 s on). They are pairs of workloads, and larger bags drawn at random. Large
   inputs come twice as often as the others, since they contend. `found` (NULL: unknown), by pressure_of,
   changes the draw. Half of the pairs take sizes that fight, if their workloads have such. A pair that
   fights has four times the weight of one that does not. A task that fights anything comes four times as
   often into larger bags. The others still come, so that models learn from both. Deterministic from the
   seed and `found`. Returns the number of bags. */
size_t measure_plan(uint64_t seed, double seconds, const contend_found *found,
                    measure_bag bag[MEASURE_MOST_BAGS]);

/* Counts the bags with two tasks of which one slows the other, according to `found`. */
size_t measure_fighting(const contend_found *found, const measure_bag *bag, size_t bags);

/* Runs bag[0..bags), whose tasks are given, and fills in the rest. */
sooth_status measure_bags(sooth_env *env, measure *m, double seconds, measure_bag *bag, size_t bags);

#endif /* MEASURE_H */
