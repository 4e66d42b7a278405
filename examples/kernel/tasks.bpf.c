/* tasks.bpf.c - watches every switch of tasks: gathers bursts, and predicts them once there is a model.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "tasks.bpf.h"

/* A task that goes to sleep has its voluntary switches counted right before. A preempted one does not. So
   the state is not read, which has different names in different kernels. */
SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next) {
    const __u32 pid = (__u32)prev->pid;
    struct task_state *state = bpf_map_lookup_elem(&states, &pid);
    if (state && prev->nvcsw != state->voluntary) tasks_ends(prev, state);
    tasks_starts(next);
    return 0;
}

SEC("tp_btf/sched_process_exit") int BPF_PROG(on_exit, struct task_struct *task) {
    tasks_exits(task);
    return 0;
}

char LICENSE[] SEC("license") = "GPL";
