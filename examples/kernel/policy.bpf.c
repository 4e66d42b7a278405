/* policy.bpf.c - a scheduler for Linux 6.13 and later (sched_ext): the shortest predicted burst first.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Unproven: it compiles, but was never run, since the available kernels are built without
 * CONFIG_SCHED_CLASS_EXT.
 *
 * A task that wakes goes to an idle processor. If there is none, it goes into one queue for all, ordered by
 *
 *     now + the rest of its predicted burst.
 *
 * Of tasks that come together the shortest runs first. Since now advances, a long task is overtaken only by
 * those that come within its own length after it. So none starves. Without a model the prediction is the mean
 * of the last bursts, as in textbooks. A task that runs longer than predicted has a rest of 0: it is ordered
 * by its arrival.
 *
 * One feature differs from training: the prediction is made when a task wakes, so TASKS_SLEPT does not
 * include the time that it then waits for a processor.
 */
#include "tasks.bpf.h"

typedef __s32 s32;
typedef __u64 u64;

/* The used part of the kernel's definitions. libbpf matches the members by their names. */
struct sched_ext_ops {
    s32 (*select_cpu)(struct task_struct *task, s32 previous, u64 flags);
    void (*enqueue)(struct task_struct *task, u64 flags);
    void (*dispatch)(s32 processor, struct task_struct *previous);
    void (*running)(struct task_struct *task);
    void (*stopping)(struct task_struct *task, _Bool runnable);
    s32 (*init)(void);
    char name[128];
};
s32 scx_bpf_create_dsq(u64 queue, s32 node) __ksym __weak;
s32 scx_bpf_select_cpu_dfl(struct task_struct *task, s32 previous, u64 flags, _Bool *idle) __ksym __weak;
void scx_bpf_dsq_insert(struct task_struct *task, u64 queue, u64 slice, u64 flags) __ksym __weak;
void scx_bpf_dsq_insert_vtime(struct task_struct *task, u64 queue, u64 slice, u64 time,
                              u64 flags) __ksym __weak;
_Bool scx_bpf_dsq_move_to_local(u64 queue) __ksym __weak;

#define LOCAL (1ull << 63 | 2) /* SCX_DSQ_LOCAL: the queue of the processor at hand */
#define SLICE 5000000ull       /* nanoseconds until a task is preempted */
enum { QUEUE = 1 };

SEC("struct_ops/select_cpu")
s32 BPF_PROG(soonest_select_cpu, struct task_struct *task, s32 previous, u64 flags) {
    _Bool idle = 0;
    const s32 processor = scx_bpf_select_cpu_dfl(task, previous, flags, &idle);
    if (idle) scx_bpf_dsq_insert(task, LOCAL, SLICE, 0);
    return processor;
}

SEC("struct_ops/enqueue") void BPF_PROG(soonest_enqueue, struct task_struct *task, u64 flags) {
    struct task_state *state = tasks_starts(task);
    __u64 left = 0;
    if (state) {
        const __u64 ran = task->se.sum_exec_runtime - state->began;
        const __u64 whole = state->row.predicted ? tasks_predicted(&state->row) : (__u64)state->mean;
        left = whole > ran ? whole - ran : 0;
    }
    scx_bpf_dsq_insert_vtime(task, QUEUE, SLICE, bpf_ktime_get_ns() + left, flags);
}

SEC("struct_ops/dispatch") void BPF_PROG(soonest_dispatch, s32 processor, struct task_struct *previous) {
    scx_bpf_dsq_move_to_local(QUEUE);
}

SEC("struct_ops/running") void BPF_PROG(soonest_running, struct task_struct *task) { tasks_starts(task); }

SEC("struct_ops/stopping") void BPF_PROG(soonest_stopping, struct task_struct *task, _Bool runnable) {
    const __u32 pid = (__u32)task->pid;
    struct task_state *state = bpf_map_lookup_elem(&states, &pid);
    if (state && !runnable) tasks_ends(task, state);
}

SEC("struct_ops.s/init") s32 BPF_PROG(soonest_init) { return scx_bpf_create_dsq(QUEUE, -1); }

SEC("tp_btf/sched_process_exit") int BPF_PROG(on_exit, struct task_struct *task) {
    tasks_exits(task);
    return 0;
}

SEC(".struct_ops.link")
struct sched_ext_ops soonest = {
    .select_cpu = (void *)soonest_select_cpu,
    .enqueue = (void *)soonest_enqueue,
    .dispatch = (void *)soonest_dispatch,
    .running = (void *)soonest_running,
    .stopping = (void *)soonest_stopping,
    .init = (void *)soonest_init,
    .name = "sooth_soonest",
};

char LICENSE[] SEC("license") = "GPL";
