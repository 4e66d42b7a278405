/* ranks.h - several processes in one: threads that meet where processes would exchange messages.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Each thread has an env of its own whose reduce_fn waits for all the others. When one has returned, or two
 * come with different questions, nobody waits any longer: every reduction fails, as when a process died. They
 * have 1, 2 and 3 workers by turns, who are one thread here: what is asked must not depend on how many.
 */
#ifndef SOOTH_TESTS_RANKS_H
#define SOOTH_TESTS_RANKS_H
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "sooth/base.h"

enum { RANKS_MOST = 8 };

typedef struct ranks_meeting {
    pthread_mutex_t lock;
    pthread_cond_t met;
    size_t ranks, arrived, count, most;
    unsigned round;
    int broken;
    sooth_reduction what;
    int64_t *sum[2];        /* of this round and of the one before, which some may still be copying */
    uint64_t rounds, bytes; /* exchanged so far */
    uint64_t limit;         /* the network breaks after so many; 0: it does not */
} ranks_meeting;

typedef struct ranks_member {
    ranks_meeting *meeting;
    void (*task)(sooth_env *env, void *arg);
    void *arg;
    sooth_env env;
    pthread_t thread;
} ranks_member;

static void ranks_join(ranks_meeting *m, sooth_reduction what, const int64_t *value, size_t count) {
    int64_t *sum = m->sum[m->round & 1];
    if (m->arrived == 0) {
        if (count > m->most) {
            for (int k = 0; k < 2; ++k) m->sum[k] = realloc(m->sum[k], count * sizeof *sum);
            m->most = count;
            sum = m->sum[m->round & 1];
        }
        m->count = count;
        m->what = what;
        memcpy(sum, value, count * sizeof *sum);
    } else if (m->count != count || m->what != what) {
        m->broken = 1;
    } else {
        for (size_t k = 0; k < count; ++k) {
            if (what == SOOTH_REDUCE_SUM) sum[k] = (int64_t)((uint64_t)sum[k] + (uint64_t)value[k]);
            else if (value[k] > sum[k]) sum[k] = value[k];
        }
    }
}

static int ranks_reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
    ranks_meeting *m = user;
    pthread_mutex_lock(&m->lock);
    const unsigned round = m->round;
    if (m->limit && m->rounds >= m->limit) m->broken = 1;
    if (!m->broken) ranks_join(m, what, value, count);
    if (!m->broken && ++m->arrived == m->ranks) {
        m->arrived = 0;
        m->rounds += 1;
        m->bytes += count * sizeof *value;
        ++m->round;
    }
    if (m->broken || m->round != round) pthread_cond_broadcast(&m->met);
    while (!m->broken && m->round == round) pthread_cond_wait(&m->met, &m->lock);
    const int failed = m->round == round; /* nobody can be two rounds ahead */
    if (!failed) memcpy(value, m->sum[round & 1], count * sizeof *value);
    pthread_mutex_unlock(&m->lock);
    return failed;
}

static void *ranks_run_one(void *arg) {
    ranks_member *one = arg;
    one->task(&one->env, one->arg);
    pthread_mutex_lock(&one->meeting->lock);
    one->meeting->broken = 1; /* whoever asks from now on would wait for ever */
    pthread_cond_broadcast(&one->meeting->met);
    pthread_mutex_unlock(&one->meeting->lock);
    return NULL;
}

/* Tasks by workers by turns, the last one first. */
static void ranks_parallel(void *user, size_t count, sooth_task *task, void *arg) {
    const size_t workers = *(const size_t *)user;
    while (count-- > 0) task(arg, count, count % workers);
}

/* Runs task(env of rank r, arg + r * size) in `ranks` threads, until `limit` reductions have been (0: no
   limit). */
static void ranks_run(size_t ranks, void (*task)(sooth_env *env, void *arg), void *arg, size_t size,
                      uint64_t limit) {
    ranks_meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .met = PTHREAD_COND_INITIALIZER};
    ranks_member member[RANKS_MOST];
    meeting.limit = limit;
    meeting.ranks = ranks;
    for (size_t r = 0; r < ranks; ++r) {
        ranks_member *one = &member[r];
        one->meeting = &meeting;
        one->task = task;
        one->arg = (unsigned char *)arg + r * size;
        sooth_env_init(&one->env);
        one->env.reduce_fn = ranks_reduce;
        one->env.reduce_user = &meeting;
        one->env.rank = r;
        one->env.ranks = ranks;
        one->env.workers = 1 + r % 3;
        one->env.parallel_fn = ranks_parallel;
        one->env.parallel_user = &one->env.workers;
        pthread_create(&one->thread, NULL, ranks_run_one, one);
    }
    for (size_t r = 0; r < ranks; ++r) pthread_join(member[r].thread, NULL);
    for (int k = 0; k < 2; ++k) free(meeting.sum[k]);
}

#endif
