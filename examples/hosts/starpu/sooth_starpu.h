/* sooth_starpu.h - StarPU's expected durations from sooth; to be copied into a program with expected.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     #define SOOTH_IMPLEMENTATION                             // in one file of the program
 *     #include "sooth_starpu.h"                                // cc -ffp-contract=off -Isooth/include ...
 *
 *     static sooth_starpu gemm = {                             // one for each codelet
 *         .model = {.type = STARPU_PER_ARCH, .arch_cost_function = sooth_starpu_cost, .symbol = "gemm"}};
 *     static struct starpu_codelet codelet = {..., .model = &gemm.model};
 *
 *     conf.sched_policy = sooth_starpu_policy("dmda");         // before starpu_init(&conf)
 *     starpu_profiling_status_set(STARPU_PROFILING_ENABLE);    // after it: tasks then report their times
 *
 * A program needs no more. The policy (dmda, or dm, dmdar, dmdas) calls sooth_starpu_cost for each task and
 * each architecture that it may run on. Its hook after a task passes the measured time to sooth_starpu_learn.
 * An unknown time is NaN, and StarPU tries the architecture. In StarPU 1.3 an architecture is all CPU workers
 * together, or one device. StarPU 1.4 can separate workers.
 */
#ifndef SOOTH_STARPU_H
#define SOOTH_STARPU_H

#include "expected.h"
#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>

typedef struct sooth_starpu {
    struct starpu_perfmodel model; /* first, since StarPU hands it back */
    expected on[24];               /* at SOOTH_STARPU_AT: CPUs, CUDA and OpenCL devices 0 to 3 */
} sooth_starpu;
#define SOOTH_STARPU_AT(arch, n) (2 * ((int)(arch)->devices->type + 3 * (arch)->devices->devid) + (n))

static starpu_pthread_mutex_t sooth_starpu_lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static void (*sooth_starpu_after)(struct starpu_task *task, unsigned context); /* the policy's own hook */

/* Learns if us > 0, otherwise predicts. */
static double sooth_starpu_do(struct starpu_task *task, struct starpu_perfmodel_arch *a, int n, double us) {
    const int at = SOOTH_STARPU_AT(a, n);
    expected *e = &((sooth_starpu *)(void *)task->cl->model)->on[at % 24];
    double bytes = 0.0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i)
        bytes += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i));
    if (at >= 24 || n > 1 || a->ndevices > 1) return NAN;
    STARPU_PTHREAD_MUTEX_LOCK(&sooth_starpu_lock);
    if (us > 0.0) expected_observe(e, starpu_task_data_footprint(task), bytes, us);
    else us = expected_us(e, starpu_task_data_footprint(task), bytes);
    STARPU_PTHREAD_MUTEX_UNLOCK(&sooth_starpu_lock);
    return us;
}

static double sooth_starpu_cost(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned n) {
    return sooth_starpu_do(task, arch, (int)n, 0.0);
}

static void sooth_starpu_learn(struct starpu_task *task, unsigned context) {
    struct starpu_profiling_task_info *t = task->profiling_info;
    if (sooth_starpu_after) sooth_starpu_after(task, context);
    if (!t || !task->cl->model || task->cl->model->arch_cost_function != sooth_starpu_cost) return;
    sooth_starpu_do(task, starpu_worker_get_perf_archtype(t->workerid, context),
                    (int)starpu_task_get_implementation(task),
                    starpu_timing_timespec_delay_us(&t->start_time, &t->end_time));
}

static struct starpu_sched_policy *sooth_starpu_policy(const char *name) {
    static struct starpu_sched_policy policy;
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; ++p)
        if (strcmp((*p)->policy_name, name) == 0) policy = **p;
    sooth_starpu_after = policy.post_exec_hook;
    policy.post_exec_hook = sooth_starpu_learn;
    return &policy;
}

#endif /* SOOTH_STARPU_H */
