/* replay.h - parallel loops written down as they are asked for, and how long they would take on w workers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A recording is made by a parallel_fn that runs every task in the calling thread and notes what it cost, and
 * what lay between one loop and the next: that is serial. Into how many tasks the work is cut depends on
 * env.workers, so a recording is made for each number of workers; a call that is repeated asks for the same
 * loops, and then the least cost of every piece is kept, which is the one that nothing disturbed.
 *
 * replay_time is the time on those workers by the rule of threads.h: worker k begins with the tasks k,
 * k + w, ... and then helps the next workers, one task at a time; a loop begins when the one before has
 * ended, and costs `wake` on top. That is a simulation: what workers do to each other's caches and memory is
 * not in it. What a look at the clock costs is taken off every piece, or tasks of some microseconds would
 * seem longer than they are.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdlib.h>
#include <string.h>

typedef struct replay_loop {
    sooth_task *task;
    double before;       /* serial, since the loop before */
    size_t first, count; /* its tasks */
} replay_loop;

typedef struct replay {
    /* what task i of this loop, which has run, cost; NULL: the time that `clock` tells */
    double (*cost)(sooth_task *task, const void *arg, size_t i);
    double (*clock)(void);
    replay_loop *loop;
    double *task; /* costs */
    size_t loops, tasks, loop_room, task_room;
    size_t at, at_task; /* where the present repetition is */
    size_t repetition;
    double last;  /* the end of the loop before */
    double look;  /* at the clock: the least that it took */
    double after; /* serial, behind the last loop */
    int differs;  /* a repetition asked for other loops */
} replay;

static inline void replay_least(double *kept, double seen, size_t repetition) {
    if (repetition == 0 || seen < *kept) *kept = seen;
}

/* More room where there is none; without memory the program ends. */
static inline void *replay_grow(void *memory, size_t *room, size_t wanted, size_t size) {
    if (wanted <= *room) return memory;
    *room = 2 * wanted + 1024;
    memory = realloc(memory, *room * size);
    if (!memory) abort();
    return memory;
}

static inline double replay_now(const replay *r) { return r->clock ? r->clock() : 0.0; }

/* From `began` until now. */
static inline double replay_since(const replay *r, double began) {
    const double spent = replay_now(r) - began - r->look;
    return spent > 0.0 ? spent : 0.0;
}

/* The parallel_fn; its user is the replay. */
static inline void replay_parallel(void *user, size_t count, sooth_task *task, void *arg) {
    replay *r = (replay *)user;
    const double before = replay_since(r, r->last);
    if (r->repetition == 0) {
        r->loop = (replay_loop *)replay_grow(r->loop, &r->loop_room, r->loops + 1, sizeof *r->loop);
        r->task = (double *)replay_grow(r->task, &r->task_room, r->tasks + count, sizeof *r->task);
        r->loop[r->loops].task = task;
        r->loop[r->loops].first = r->tasks;
        r->loop[r->loops].count = count;
        ++r->loops;
        r->tasks += count;
    }
    replay_loop *loop = r->loop + r->at;
    if (r->at >= r->loops || loop->task != task || loop->count != count) {
        r->differs = 1;
        for (size_t i = 0; i < count; ++i) task(arg, i, 0);
        return;
    }
    replay_least(&loop->before, before, r->repetition);
    for (size_t i = 0; i < count; ++i) {
        const double start = replay_now(r);
        task(arg, i, 0);
        replay_least(&r->task[loop->first + i], r->cost ? r->cost(task, arg, i) : replay_since(r, start),
                     r->repetition);
    }
    ++r->at;
    r->last = replay_now(r);
}

/* Around every repetition of the call. */
static inline void replay_begin(replay *r) {
    r->at = 0;
    for (size_t i = 0; r->repetition == 0 && i < 1000; ++i) {
        const double start = replay_now(r);
        replay_least(&r->look, replay_now(r) - start, i);
    }
    r->last = replay_now(r);
}
static inline void replay_end(replay *r) {
    replay_least(&r->after, replay_since(r, r->last), r->repetition);
    if (r->at != r->loops) r->differs = 1;
    ++r->repetition;
}

static inline void replay_free(replay *r) {
    free(r->loop);
    free(r->task);
    memset(r, 0, sizeof *r);
}

enum { REPLAY_MOST = 64 };

/* How long one loop takes on `workers` (at most REPLAY_MOST). */
static inline double replay_loop_time(const replay *r, const replay_loop *loop, size_t workers) {
    double busy[REPLAY_MOST] = {0.0}, longest = 0.0;
    size_t next[REPLAY_MOST], done = 0;
    for (size_t k = 0; k < workers; ++k) next[k] = k;
    while (done < loop->count) { /* the worker that is free first takes the next task */
        size_t w = 0, k;
        for (k = 1; k < workers; ++k)
            if (busy[k] < busy[w]) w = k;
        for (k = w; next[k] >= loop->count;) k = k + 1 < workers ? k + 1 : 0;
        busy[w] += r->task[loop->first + next[k]];
        next[k] += workers;
        ++done;
    }
    for (size_t k = 0; k < workers; ++k) longest = busy[k] > longest ? busy[k] : longest;
    return longest;
}

/* How long the whole recording takes on `workers`. */
static inline double replay_time(const replay *r, size_t workers, double wake) {
    double time = r->after;
    for (size_t k = 0; k < r->loops; ++k)
        time += r->loop[k].before + (workers > 1 ? wake : 0.0) + replay_loop_time(r, r->loop + k, workers);
    return time;
}

#endif /* REPLAY_H */
