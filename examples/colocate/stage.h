/* stage.h - processes that run workloads next to each other on a few cores, started together and timed.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A stage is a small set of cores and a handful of processes. It has two cores by default: bags of three to
 * five then contend on every machine. Each process can hold one task, and one more holds the microbenchmarks
 * of bench/micro. They sleep until a byte wakes them to read their slot of shared memory, which holds their
 * orders. Before a run all of them read through their inputs once, at the same time. So each begins with the
 * cache contents that it has next to these neighbours. Then each waits in a short loop for the common start,
 * does its job, notes the time, and sleeps again.
 *
 *     stage *s;
 *     stage_task pair[2] = {{WORKLOAD_SORT, 2}, {WORKLOAD_AXPY, 2}};
 *     uint64_t units[2] = {12, 500};
 *     stage_times t;
 *     if (stage_open(&env, 2, &s) != SOOTH_OK) ...           env.sentence has the reason
 *     stage_load(&env, s, pair, 2, 42);                      inputs are made and touched
 *     stage_run(&env, s, 1u << 0, units, NULL, &t);          the first alone: t.ms[0]
 *     stage_run(&env, s, 1u << 0 | 1u << 1, units, NULL, &t);     both: t.ms[0], t.ms[1], t.bag_ms
 *     stage_close(s);
 *
 * The processes never outlive the caller. When it ends, for any reason, the line to it is closed, and they
 * end. They ignore Ctrl-C, which the terminal sends to all, and leave it to the caller. No wait is unbounded.
 * A process that dies, or that has not answered for ten seconds, is an error with a message. After an error
 * the stage can only be closed. On Linux the tasks are confined to the cores of the stage. On other systems
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

/* Bags have up to STAGE_TASKS tasks. The stage has STAGE_PLACES slots, the max number of instances of one
   program that run at once. */
enum { STAGE_TASKS = 5, STAGE_PLACES = 16, STAGE_MICROS = 3 };

/* Low, Medium and High press on memory as in the paper (bench/micro). After stage_press_on they press on
   another part: an eighth, a half and all of the time. */
typedef enum stage_micro { MICRO_LOW, MICRO_MEDIUM, MICRO_HIGH } stage_micro;

/* One workload with one of its sizes. */
typedef struct stage_task {
    uint32_t workload, size;
} stage_task;

typedef struct stage_machine {
    uint32_t cores;    /* that this process may use */
    uint32_t stage;    /* that the tasks share */
    int confined;      /* 0: this system cannot confine them, and the stage is all cores */
    size_t cache[3];   /* bytes of three levels of cache for data, as a core uses them; 0: none, or unknown */
    int counter_error; /* see counters_reason */
    const char *energy_reason; /* whether energy is read, a sentence */
    double cap_w;              /* limit of the processor's power; 0: unknown */
} stage_machine;

typedef struct stage stage;

/* Writes the sentence (as printf would) into env, which may be NULL, and returns the status. */
sooth_status stage_fail(sooth_env *env, sooth_status status, const char *format, ...)
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Starts the processes. cores: 1 to 64, at most those of the machine; 0 means 2. */
sooth_status stage_open(sooth_env *env, uint32_t cores, stage **out);
void stage_close(stage *s); /* ends all processes; NULL is fine */
const stage_machine *stage_about(const stage *s);

/* Makes the inputs of task[0..tasks), at most STAGE_PLACES, in processes 0 .. tasks - 1. Their old inputs
   are freed. */
sooth_status stage_load(sooth_env *env, stage *s, const stage_task *task, uint32_t tasks, uint64_t seed);

/* Finds how many units make a job of process 0's task last about this long, alone. */
sooth_status stage_calibrate(sooth_env *env, stage *s, double ms, uint64_t *units);

/* Which microbenchmark runs along, and how long when no task does. */
typedef struct stage_companion {
    stage_micro micro;
    double ms; /* used when no task takes part; otherwise it runs until one of them has ended */
} stage_companion;

/* If more processes take part than the stage has cores, they are dealt out to the cores at random and may
   then be moved by the system. Times are wall-clock times from the common start. If each has its own core,
   times are its time on that core: a wait for its core then is not caused by the others on the stage, but
   by some other program. (IPC, which the paper compares, does not count such time either.) */
typedef struct stage_times {
    double ms[STAGE_PLACES]; /* of each task that took part */
    double bag_ms;           /* the longest of them */
    double watts; /* of the processor, from the common start to the last end; NaN: energy cannot be read */
    double rate;  /* of the companion: images (or steps) per millisecond on a core */
    double away_ms[STAGE_PLACES]; /* from the common start to its end, how long the task was not on a core */
    double count[STAGE_PLACES][COUNTERS]; /* of the job; NaN: not available */
} stage_times;

/* Runs units[i] of every task i whose bit is in `tasks`, all from a common start, and the companion (NULL:
   none). */
sooth_status stage_run(sooth_env *env, stage *s, uint32_t tasks, const uint64_t *units,
                       const stage_companion *companion, stage_times *out);

/* Sets the pressure of the microbenchmarks from now on: one of pressure_kind. PRESSURE_BANDWIDTH or
   PRESSURES: on memory, as in the paper. */
void stage_press_on(stage *s, uint32_t kind);

/* ---- kernels of pressure.h next to each other ---- */

/* Prepares them in the first two processes, whose tasks are freed. Finds how many steps of each last this
   long alone; 0: the system refuses its resources. The next stage_load frees their memory. */
sooth_status stage_pressure_load(sooth_env *env, stage *s, double ms, uint64_t steps[PRESSURES]);

/* Runs a kernel for this many steps, after some untimed ones that fill its cache. The neighbour runs as
   long as the first (PRESSURES: alone). out->ms[0] and [1] are their times on their cores, with those of
   threads that they start. Waits asleep do not count, but are in out->away_ms, with the waits for their
   cores. On a stage of one core the two take turns on it. */
sooth_status stage_pressure_run(sooth_env *env, stage *s, uint32_t kind, uint64_t steps, uint32_t beside,
                                stage_times *out);

#endif /* STAGE_H */
