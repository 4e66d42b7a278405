/* stage.h - processes that run workloads beside each other on a few cores, started together and timed.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A stage is a small set of cores (two, unless told otherwise: bags of three to five then contend on every
 * machine) and a handful of processes, of which each can hold one task, and one more that holds the
 * microbenchmarks of bench/micro. They sleep until a byte tells them to look at their slot of a piece of
 * shared memory; there they find what to do. Before a run all that take part read through their inputs once,
 * side by side, so that each begins with what the caches will hold of it in this company; then each waits in
 * a short loop for the common time to start, does its job, notes the time, and sleeps again.
 *
 *     stage *s;
 *     stage_task pair[2] = {{WORKLOAD_SORT, 2}, {WORKLOAD_AXPY, 2}};
 *     uint64_t units[2] = {12, 500};
 *     stage_times t;
 *     if (stage_open(&env, 2, &s) != SOOTH_OK) ...           env.sentence tells why
 *     stage_load(&env, s, pair, 2, 42);                      inputs are made and touched
 *     stage_run(&env, s, 1u << 0, units, NULL, &t);          the first alone: t.ms[0]
 *     stage_run(&env, s, 1u << 0 | 1u << 1, units, NULL, &t);     both: t.ms[0], t.ms[1], t.bag_ms
 *     stage_close(s);
 *
 * The processes never outlive the caller: when it ends, however it ends, the line to it ends too, and so do
 * they. They ignore Ctrl-C, which the terminal sends to all, and leave it to the caller. Nothing waits for
 * ever: a process that dies, or that has not answered for ten seconds, is an error with a sentence; after an
 * error the stage can only be closed. On Linux the tasks are confined to the cores of the stage; elsewhere
 * the stage is the whole machine.
 *
 * Costs: 17 processes; 16 MB to 240 MB for the images of the microbenchmarks (twice the last-level cache),
 * plus up to 64 MiB for each task.
 */
#ifndef STAGE_H
#define STAGE_H

#include "counters.h"
#include "energy.h"
#include "pressure.h"
#include "sooth/base.h"
#include "workloads.h"

/* Bags have up to STAGE_TASKS tasks; the stage has room for STAGE_PLACES, the most instances of one program
   that are run at once. */
enum { STAGE_TASKS = 5, STAGE_PLACES = 16, STAGE_MICROS = 3 };

/* Low, Medium and High press on memory as the paper has them (bench/micro), or, where stage_press_on says
   so, on something else: an eighth, a half and all of the time. */
typedef enum stage_micro { MICRO_LOW, MICRO_MEDIUM, MICRO_HIGH } stage_micro;

/* One workload with one of its sizes. */
typedef struct stage_task {
    uint32_t workload, size;
} stage_task;

typedef struct stage_machine {
    uint32_t cores;    /* that this process may use */
    uint32_t stage;    /* that the tasks share */
    int confined;      /* 0: this system cannot confine them, and the stage is all cores */
    size_t cache[3];   /* bytes of three levels of cache for data, as a core sees them; 0: none, or unknown */
    int counter_error; /* see counters_reason */
    const char *energy_reason; /* whether energy is read, a sentence */
    double cap_w;              /* what the processor may draw; 0: unknown */
} stage_machine;

typedef struct stage stage;

/* Writes the sentence (as printf would) into env, which may be NULL, and returns the status. */
sooth_status stage_fail(sooth_env *env, sooth_status status, const char *format, ...)
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Starts the processes. cores: 1 to 64, at most those that the machine has; 0 means 2. */
sooth_status stage_open(sooth_env *env, uint32_t cores, stage **out);
void stage_close(stage *s); /* ends all processes; NULL is fine */
const stage_machine *stage_about(const stage *s);

/* Makes the inputs of task[0..tasks), at most STAGE_PLACES, in processes 0 .. tasks - 1; what they held
   before is gone. */
sooth_status stage_load(sooth_env *env, stage *s, const stage_task *task, uint32_t tasks, uint64_t seed);

/* How many units make a job of process 0's task last about so long, alone. */
sooth_status stage_calibrate(sooth_env *env, stage *s, double ms, uint64_t *units);

/* Which microbenchmark runs along, and how long when no task does. */
typedef struct stage_companion {
    stage_micro micro;
    double ms; /* used when no task takes part; otherwise it runs until one of them has ended */
} stage_companion;

/* Where more processes take part than the stage has cores, they are dealt out to the cores at random and may
   then be moved by the system; times go by the clock on the wall, from the common start. Where each has a
   core of its own, they are the time it was on it: what it waited for its core then is not the doing of the
   others on the stage but of some other program. (IPC, which the paper compares, does not count such time
   either.) */
typedef struct stage_times {
    double ms[STAGE_PLACES]; /* of each task that took part */
    double bag_ms;           /* the longest of them */
    double watts; /* of the processor, from the common start to the last end; NaN: energy cannot be read */
    double rate;  /* of the companion: images (or steps) per millisecond on a core */
    double away_ms[STAGE_PLACES]; /* from the common start to its end, how long the task was not on a core */
    double count[STAGE_PLACES][COUNTERS]; /* of the job; NaN: not to be had */
} stage_times;

/* Runs units[i] of every task i whose bit is in `tasks`, all from a common start, and the companion (NULL:
   none). */
sooth_status stage_run(sooth_env *env, stage *s, uint32_t tasks, const uint64_t *units,
                       const stage_companion *companion, stage_times *out);

/* What the microbenchmarks press on from now on: one of pressure_kind; PRESSURE_BANDWIDTH or PRESSURES: on
   memory, as the paper has them. */
void stage_press_on(stage *s, uint32_t kind);

/* ---- kernels of pressure.h beside each other ---- */

/* Makes them ready in the first two processes, whose tasks are gone then, and finds how many steps of each
   last so long alone; 0: the system refuses what it needs. The next stage_load gives their memory back. */
sooth_status stage_pressure_load(sooth_env *env, stage *s, double ms, uint64_t steps[PRESSURES]);

/* Runs a kernel for so many steps, after some that are not timed and fill its cache, beside another that goes
   on as long as the first (PRESSURES: alone). out->ms[0] and [1] are their times on their cores, those of
   threads that they start added up; what they wait for asleep does not count, but is in out->away_ms, with
   what they waited for their cores. On a stage of one core they take turns on it. */
sooth_status stage_pressure_run(sooth_env *env, stage *s, uint32_t kind, uint64_t steps, uint32_t beside,
                                stage_times *out);

#endif /* STAGE_H */
