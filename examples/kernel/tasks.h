/* tasks.h - a burst of a task, as shared by the kernel's side and user space.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A burst is the processor time of a task from its first run after a sleep to its next sleep. Preemption does
 * not end it. The policy "shortest next burst first" needs it (Silberschatz, Galvin, Gagne: Operating System
 * Concepts, section on shortest-job-first scheduling).
 */
#ifndef KERNEL_TASKS_H
#define KERNEL_TASKS_H

/* The features of a task when a burst begins. Times are logarithms, log2 of nanoseconds in steps of 1/1024
   (tasks_log2). Those before TASKS_MIDDLE are less the middle: "twice as long as usual" may also hold for
   unseen tasks. The target is the same: log2 of the burst less the middle. */
enum tasks_feature {
    TASKS_LAST,     /* its last burst and the three before, less the middle; of its first, all four */
    TASKS_MEAN = 4, /* the exponential mean: half the newest, half the mean before; less the middle */
    TASKS_EACH,     /* its run time by its voluntary switches, the burst of its whole life; less the middle */
    TASKS_SLEPT,    /* from its last burst to this one, asleep or waiting for a processor; less the middle */
    TASKS_PREEMPTED, /* number of preemptions in its last burst */
    TASKS_FAULTS,    /* its page faults in the last burst */
    TASKS_MIDDLE,    /* the median of the last four: half the sum of the two in the middle */
    TASKS_RAN,       /* its run time so far */
    TASKS_PRIORITY,  /* of the kernel: 120 with nice 0, lower is more urgent */
    TASKS_NAME,      /* 24 bits of a hash of its name, */
    TASKS_PARENT,    /* and of its parent's: numbers without an order */
    TASKS_FEATURES,
    TASKS_ANY = TASKS_MIDDLE /* the features before do not identify the task */
};

/* log2(v) in steps of 1/1024, linear between powers of two (at most 0.086 too little); 0 for 0. It has no
   branch, since the verifier follows both sides of each. The empty assembler keeps the compiler from
   adding one. */
static inline __s64 tasks_log2(__u64 v) {
    __u64 whole = 0, rest = v;
    for (int step = 32; step; step >>= 1) {
        __s64 more = (__s64)(0 - (rest >> step)); /* below 0 if and only if there is more than `step` bits */
        __asm__ volatile("" : "+r"(more));
        more >>= 63;
        whole += (__u64)more & (__u64)step;
        rest >>= (__u64)more & (__u64)step;
    }
    return (__s64)(whole << 10 | ((v << (63 - whole) & 0x7FFFFFFFFFFFFFFFull) >> 53));
}

/* The min of two, in the same way. */
static inline __s64 tasks_lesser(__s64 a, __s64 b) {
    __s64 over = a - b;
    __asm__ volatile("" : "+r"(over));
    return b + (over & over >> 63);
}

enum { TASKS_MODEL_BYTES = 1 << 18 }; /* the largest model; a power of two */

struct tasks_row {
    __s64 x[TASKS_FEATURES];
    __s64 sum;   /* of the kernel's prediction: (log2 of the burst in nanoseconds, less the middle) 2^scale */
    __u64 burst; /* measured, in nanoseconds */
    __u32 pid;
    __u32 predicted; /* 0: there was no model when the burst began */
    __u32 took;      /* the prediction, in nanoseconds */
    __s32 scale;
    char name[16];
};

/* The predicted burst of a row, in nanoseconds, linear between powers of two: at most 6.2 % too much. At
   most 2^40. */
static inline __u64 tasks_predicted(const struct tasks_row *row) {
    const __s32 scale = row->scale;
    const __s64 model =
        scale > 16 ? row->sum >> ((scale - 16) & 63) : row->sum * (1ll << ((16 - scale) & 63));
    const __s64 fixed = row->x[TASKS_MIDDLE] * 64 + model, whole = fixed >> 16; /* in steps of 2^-16 */
    if (whole < 0) return 1;
    return whole >= 40 ? 1ull << 40 : ((65536 + (__u64)(fixed & 65535)) << (whole & 63)) >> 16;
}

#endif /* KERNEL_TASKS_H */
