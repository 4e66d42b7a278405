/* sooth_starpu.h - StarPU's expected durations from sooth; to be copied into a program with expected.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     #define SOOTH_IMPLEMENTATION                             // in one file of the program
 *     #include "sooth_starpu.h"                                // cc -ffp-contract=off -Isooth/include ...
 *
 *     static sooth_starpu gemm = SOOTH_STARPU("gemm");         // one for each codelet
 *     static struct starpu_codelet codelet = {..., .model = &gemm.model};
 *
 *     conf.sched_policy = sooth_starpu_policy("dmda");         // before starpu_init(&conf)
 *     starpu_profiling_status_set(STARPU_PROFILING_ENABLE);    // after it: tasks then say how long they took
 *
 * That is all a program has to say. The policy (dmda, or dm, dmdar, dmdas) asks sooth_starpu_cost of each task
 * and each architecture that it may run on; its hook after a task hands what was measured to
 * sooth_starpu_learn. Where nothing is known the answer is NaN, and StarPU tries the architecture. In StarPU
 * 1.3 an architecture is all CPU workers together, or one device; 1.4 can tell workers apart.
 */
#ifndef SOOTH_STARPU_H
#define SOOTH_STARPU_H

#include "expected.h"
#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>

enum { SOOTH_STARPU_ARCHS = 8 }; /* architectures x implementations */

typedef struct sooth_starpu {
    struct starpu_perfmodel model; /* first, since StarPU hands it back */
    expected on[SOOTH_STARPU_ARCHS];
    starpu_pthread_mutex_t lock;
} sooth_starpu;

#define SOOTH_STARPU(name)                                                                           \
    {                                                                                                \
        .model = {.type = STARPU_PER_ARCH, .arch_cost_function = sooth_starpu_cost, .symbol = name}, \
        .lock = STARPU_PTHREAD_MUTEX_INITIALIZER                                                     \
    }

/* Learns where us > 0, answers otherwise. */
static double sooth_starpu_task(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl,
                                double us) {
    sooth_starpu *s = (sooth_starpu *)(void *)task->cl->model;
    const unsigned at = 2u * (unsigned)starpu_perfmodel_arch_comb_get(arch->ndevices, arch->devices) + nimpl;
    const uint32_t footprint = starpu_task_data_footprint(task);
    double bytes = 0.0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i)
        bytes += (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, i));
    if (at >= SOOTH_STARPU_ARCHS) return NAN;
    STARPU_PTHREAD_MUTEX_LOCK(&s->lock);
    if (us > 0.0) expected_observe(&s->on[at], footprint, bytes, us);
    else us = expected_us(&s->on[at], footprint, bytes);
    STARPU_PTHREAD_MUTEX_UNLOCK(&s->lock);
    return us;
}

static double sooth_starpu_cost(struct starpu_task *task, struct starpu_perfmodel_arch *arch,
                                unsigned nimpl) {
    return sooth_starpu_task(task, arch, nimpl, 0.0);
}

static void (*sooth_starpu_after)(struct starpu_task *task, unsigned context); /* the policy's own hook */

static void sooth_starpu_learn(struct starpu_task *task, unsigned context) {
    struct starpu_profiling_task_info *info = task->profiling_info;
    if (sooth_starpu_after) sooth_starpu_after(task, context);
    if (!info || !task->cl || !task->cl->model || task->cl->model->arch_cost_function != sooth_starpu_cost)
        return;
    sooth_starpu_task(task, starpu_worker_get_perf_archtype(info->workerid, context),
                      starpu_task_get_implementation(task),
                      starpu_timing_timespec_delay_us(&info->start_time, &info->end_time));
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
