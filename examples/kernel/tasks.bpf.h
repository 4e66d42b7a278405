/* tasks.bpf.h - the kernel's state of every task: gathers, and predicts the next burst.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * tasks.bpf.c calls it from sched_switch, policy.bpf.c from a scheduler of its own. Both hold the lock of the
 * task's queue, so that no two processors change its state at a time.
 */
#ifndef KERNEL_TASKS_BPF_H
#define KERNEL_TASKS_BPF_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "tasks.h"

#define SOOTH_MODEL_BYTES TASKS_MODEL_BYTES
#define SOOTH_MOST_KEYS 16
#include "sooth.bpf.h"

/* The used part of the kernel's own structs. The BTF of the running kernel gives the offsets of the fields
   when the program is loaded, so kernel headers are not needed. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct sched_entity {
    __u64 sum_exec_runtime;
};
struct task_struct {
    int pid, prio;
    unsigned int flags;
    unsigned long nvcsw, nivcsw, min_flt, maj_flt;
    struct sched_entity se;
    struct task_struct *real_parent;
    char comm[16];
};
#pragma clang attribute pop

enum { TASK_EXITING = 4 }; /* PF_EXITING of task_struct.flags */

struct task_state {
    struct tasks_row row; /* of its present burst */
    __s64 last[4], mean;
    __u64 began, slept_at;                /* run time at the start of the burst; the clock at its end */
    __u64 voluntary, involuntary, faults; /* counters at the start of the burst */
    __s64 preempted, faulted;             /* in the last burst */
    __u32 seen;                           /* bursts; the first may have begun before us and does not count */
    __u32 within;                         /* a burst */
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH); /* preallocated: a scheduler must not allocate */
    __uint(max_entries, 16384);
    __type(key, __u32);
    __type(value, struct task_state);
} states SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1 << 23);
} rows SEC(".maps");

/* The model is in a map inside a map. To publish one, user space fills a new map and puts it into
   `models`, which is one update. Programs read the old model or the new one, never half of each. The
   update returns when none walks the old one any more. */
struct model_map {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct sooth_block);
} no_model SEC(".maps");
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
    __uint(max_entries, 1);
    __type(key, __u32);
    __array(values, struct model_map);
} models SEC(".maps") = {.values = {&no_model}};

/* Read by user space: lost rows and lost tasks, because a buffer was full. */
__u64 tasks_lost[2];
static const struct task_state tasks_fresh;

/* 24 bits of a name, which a float holds as well. */
static __attribute__((always_inline)) __s64 tasks_hash(const char *comm, char *name) {
    __u64 half[2] = {0, 0};
    bpf_probe_read_kernel_str(half, sizeof half, comm); /* zero after the end */
    if (name) __builtin_memcpy(name, half, sizeof half);
    return (__s64)((half[0] * 0x9E3779B97F4A7C15ull ^ half[1] * 0xC2B2AE3D27D4EB4Full) >> 40);
}

/* The prediction of a row, if there is a model. A model of fewer features ignores the last ones. */
static __attribute__((always_inline)) void tasks_predict(struct tasks_row *row) {
    const __u32 zero = 0;
    struct sooth_keys keys = {};
    const __u64 from = bpf_ktime_get_ns();
    void *map = bpf_map_lookup_elem(&models, &zero);
    row->predicted = 0;
    if (!map) return;
    const struct sooth_block *model = bpf_map_lookup_elem(map, &zero);
    if (!model || !sooth_ready(model)) return;
#pragma unroll
    for (int j = 0; j < TASKS_FEATURES; ++j) sooth_key(model, &keys, (__u32)j, row->x[j]);
    row->sum = sooth_sum(model, &keys);
    row->scale = sooth_scale(model);
    row->predicted = 1;
    row->took = (__u32)(bpf_ktime_get_ns() - from);
}

/* The state of a task; made if there is none yet. */
static __attribute__((always_inline)) struct task_state *tasks_of(struct task_struct *task) {
    const __u32 pid = (__u32)task->pid;
    struct task_state *state = bpf_map_lookup_elem(&states, &pid);
    if (state || !pid || task->flags & TASK_EXITING) return state; /* pid 0: an idle processor */
    bpf_map_update_elem(&states, &pid, &tasks_fresh, BPF_NOEXIST);
    state = bpf_map_lookup_elem(&states, &pid);
    if (!state) __sync_fetch_and_add(&tasks_lost[1], 1);
    return state;
}

/* The task begins to run. If that begins a burst: its features and a prediction. */
static __attribute__((always_inline)) struct task_state *tasks_starts(struct task_struct *task) {
    struct task_state *state = tasks_of(task);
    if (!state || state->within) return state;
    struct tasks_row *row = &state->row;
    state->within = 1;
    state->began = task->se.sum_exec_runtime;
    state->voluntary = task->nvcsw;
    state->involuntary = task->nivcsw;
    state->faults = task->min_flt + task->maj_flt;
    const __s64 mean = tasks_log2((__u64)state->mean);
    __s64 four[4], middle = 0, least = 1 << 20, most = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        four[k] = tasks_log2((__u64)state->last[k]);
        middle += four[k];
        least = tasks_lesser(least, four[k]);
        most = -tasks_lesser(-most, -four[k]);
    }
    middle = (middle - least - most) >> 1;
#pragma unroll
    for (int k = 0; k < 4; ++k) row->x[TASKS_LAST + k] = four[k] - middle;
    row->x[TASKS_MEAN] = mean - middle;
    row->x[TASKS_EACH] = tasks_log2(state->began / (state->voluntary + 1)) - middle;
    row->x[TASKS_SLEPT] = state->slept_at ? tasks_log2(bpf_ktime_get_ns() - state->slept_at) - middle : 0;
    row->x[TASKS_MIDDLE] = middle;
    row->x[TASKS_RAN] = tasks_log2(state->began);
    row->x[TASKS_PREEMPTED] = state->preempted;
    row->x[TASKS_FAULTS] = state->faulted;
    row->x[TASKS_PRIORITY] = task->prio;
    row->x[TASKS_NAME] = tasks_hash(task->comm, row->name);
    row->x[TASKS_PARENT] = tasks_hash(task->real_parent->comm, 0);
    row->pid = (__u32)task->pid;
    tasks_predict(row);
    return state;
}

/* The task goes to sleep, which ends a burst: the row goes to user space. */
static __attribute__((always_inline)) void tasks_ends(struct task_struct *task, struct task_state *state) {
    const __u64 burst = task->se.sum_exec_runtime - state->began;
    if (!state->within) return;
    state->within = 0;
    state->slept_at = bpf_ktime_get_ns();
    state->preempted = (__s64)(task->nivcsw - state->involuntary);
    state->faulted = (__s64)(task->min_flt + task->maj_flt - state->faults);
    if (state->seen++ == 0) return;
    if (state->seen > 2) { /* there is a burst before to know it by */
        state->row.burst = burst;
        if (bpf_ringbuf_output(&rows, &state->row, sizeof state->row, BPF_RB_NO_WAKEUP) != 0)
            __sync_fetch_and_add(&tasks_lost[0], 1);
    }
    state->mean = state->seen > 2 ? (state->mean + (__s64)burst) >> 1 : (__s64)burst;
    const __u32 first = state->seen == 2;
    state->last[3] = first ? (__s64)burst : state->last[2];
    state->last[2] = first ? (__s64)burst : state->last[1];
    state->last[1] = first ? (__s64)burst : state->last[0];
    state->last[0] = (__s64)burst;
}

static __attribute__((always_inline)) void tasks_exits(struct task_struct *task) {
    const __u32 pid = (__u32)task->pid;
    bpf_map_delete_elem(&states, &pid);
}

#endif /* KERNEL_TASKS_BPF_H */
