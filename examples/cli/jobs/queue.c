/* queue.c - EASY backfilling by predicted run times; see queue.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Waiting jobs are kept in one treap (Aragon and Seidel 1989), running ones in another: search trees whose
 * shape depends only on a hash of the number of the job. Each node also stores the fewest processors, the
 * shortest prediction and the sum of processors of its subtree. So two queries take one path down: when
 * enough processors are free, and which job is the first that fits.
 */
#include "queue.h"

#include <stdlib.h>

typedef struct node {
    int64_t key; /* running: its predicted end; waiting: its prediction, or 0 */
    int64_t least_time;
    int64_t sum;
    uint32_t least, left, right;
    uint32_t turn; /* jobs started before */
} node;

/* An event: a prediction has passed, or a job ends. */
typedef struct event {
    int64_t time;
    uint32_t ends; /* 0: a prediction has passed; 1: the job ends. At equal times 0 comes first, */
    uint32_t turn; /* then the job that started first */
    uint32_t job;
} event;

#define NONE UINT32_MAX    /* no job */
#define RELEASED INT64_MAX /* key of a job that has returned its processors and ends this second */

typedef struct queue {
    queue_job *job;
    node *at;
    event *heap;
    size_t events;
    uint32_t count, arrived, started;
    uint32_t waiting, running; /* roots */
    uint32_t head;             /* the first waiting job */
    int64_t free;              /* processors */
    const queue_rules *rules;
} queue;

/* ---- treaps ---- */

static uint32_t priority(uint32_t i) {
    uint32_t h = (i + 1u) * 0x9E3779B1u;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

static int before(const queue *q, int64_t key, uint32_t i, uint32_t t) {
    return key < q->at[t].key || (key == q->at[t].key && i < t);
}

/* Updates the values that t stores about its subtree. */
static void update_subtree(queue *q, uint32_t t) {
    node *n = &q->at[t];
    n->sum = n->least = q->job[t].processors;
    n->least_time = q->job[t].predicted;
    for (int side = 0; side < 2; ++side) {
        const uint32_t child = side ? n->right : n->left;
        if (child == NONE) continue;
        const node *c = &q->at[child];
        n->sum += c->sum;
        if (c->least < n->least) n->least = c->least;
        if (c->least_time < n->least_time) n->least_time = c->least_time;
    }
}

/* Splits t into the part before (key, i), and the rest. */
static void split(queue *q, uint32_t t, int64_t key, uint32_t i, uint32_t *low, uint32_t *high) {
    if (t == NONE) {
        *low = *high = NONE;
    } else if (before(q, key, i, t) || t == i) {
        split(q, q->at[t].left, key, i, low, &q->at[t].left);
        update_subtree(q, *high = t);
    } else {
        split(q, q->at[t].right, key, i, &q->at[t].right, high);
        update_subtree(q, *low = t);
    }
}

static uint32_t merge(queue *q, uint32_t low, uint32_t high) {
    if (low == NONE) return high;
    if (high == NONE) return low;
    if (priority(low) < priority(high)) {
        q->at[low].right = merge(q, q->at[low].right, high);
        update_subtree(q, low);
        return low;
    }
    q->at[high].left = merge(q, low, q->at[high].left);
    update_subtree(q, high);
    return high;
}

static void insert(queue *q, uint32_t *root, uint32_t i, int64_t key) {
    uint32_t low, high;
    q->at[i].key = key;
    q->at[i].left = q->at[i].right = NONE;
    update_subtree(q, i);
    split(q, *root, key, i, &low, &high);
    *root = merge(q, merge(q, low, i), high);
}

static void take_out(queue *q, uint32_t *t, uint32_t i) {
    if (*t == i) {
        *t = merge(q, q->at[i].left, q->at[i].right);
    } else {
        const int left = before(q, q->at[i].key, i, *t);
        take_out(q, left ? &q->at[*t].left : &q->at[*t].right, i);
        update_subtree(q, *t);
    }
}

/* Returns the first waiting job of at most `fits` processors that ends within `time` or has at most
   `spare`. */
static uint32_t first_that_fits(const queue *q, uint32_t t, int64_t fits, int64_t time, int64_t spare) {
    if (t == NONE || q->at[t].least > fits) return NONE;
    if (q->at[t].least > spare && q->at[t].least_time > time) return NONE;
    const uint32_t left = first_that_fits(q, q->at[t].left, fits, time, spare);
    const queue_job *job = &q->job[t];
    if (left != NONE) return left;
    if (job->processors <= fits && (job->predicted <= time || job->processors <= spare)) return t;
    return first_that_fits(q, q->at[t].right, fits, time, spare);
}

static int64_t sum_of(const queue *q, uint32_t t) { return t == NONE ? 0 : q->at[t].sum; }

/* Returns when running jobs are predicted to have returned `needed` processors; *given is the number returned
   by then. */
static int64_t given_back(const queue *q, int64_t needed, int64_t *given) {
    int64_t sum = 0, when = 0;
    for (uint32_t t = q->running; t != NONE;) { /* the time */
        const node *n = &q->at[t];
        const int64_t upto = sum + sum_of(q, n->left) + q->job[t].processors;
        if (upto >= needed) when = n->key;
        else sum = upto;
        t = upto >= needed ? n->left : n->right;
    }
    *given = 0;
    for (uint32_t t = q->running; t != NONE;) { /* all that end by then */
        const node *n = &q->at[t];
        const int below = n->key <= when;
        if (below) *given += sum_of(q, n->left) + q->job[t].processors;
        t = below ? n->right : n->left;
    }
    return when;
}

/* ---- events ---- */

static int sooner(const event *a, const event *b) {
    if (a->time != b->time) return a->time < b->time;
    return a->ends != b->ends ? a->ends < b->ends : a->turn < b->turn;
}

/* Schedules the next event of a running job. */
static void expect(queue *q, uint32_t i) {
    const queue_job *job = &q->job[i];
    const uint32_t ends = job->predicted >= job->run;
    const event e = {job->start + (ends ? job->run : job->predicted), ends, q->at[i].turn, i};
    size_t at = q->events++;
    for (; at && sooner(&e, &q->heap[(at - 1) / 2]); at = (at - 1) / 2) q->heap[at] = q->heap[(at - 1) / 2];
    q->heap[at] = e;
}

static event event_take(queue *q) {
    const event first = q->heap[0], last = q->heap[--q->events];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < q->events) {
        child += child + 1 < q->events && sooner(&q->heap[child + 1], &q->heap[child]);
        if (!sooner(&q->heap[child], &last)) break;
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = last;
    return first;
}

/* ---- the schedule ---- */

static void start(queue *q, uint32_t i, int64_t now) {
    take_out(q, &q->waiting, i);
    q->job[i].start = now;
    q->at[i].turn = q->started++;
    q->free -= q->job[i].processors;
    insert(q, &q->running, i, now + q->job[i].predicted);
    expect(q, i);
}

/* Frees the processors of jobs that end at this second. */
static void release(queue *q, int64_t now) {
    for (;;) {
        uint32_t t = q->running;
        while (t != NONE && q->at[t].left != NONE) t = q->at[t].left;
        if (t == NONE || q->at[t].key > now) return;
        take_out(q, &q->running, t);
        q->at[t].key = RELEASED;
        q->free += q->job[t].processors;
    }
}

/* Starts every job that may start now. */
static void schedule(queue *q, int64_t now) {
    int64_t given, spare;
    uint32_t i;
    release(q, now);
    for (; q->head < q->arrived; ++q->head) {
        if (q->job[q->head].start >= 0) continue;
        if (q->job[q->head].processors > q->free) break;
        start(q, q->head, now);
    }
    if (q->waiting == NONE) return;
    const int64_t wanted = q->job[q->head].processors, time = given_back(q, wanted - q->free, &given) - now;
    spare = q->free + given - wanted;
    while ((i = first_that_fits(q, q->waiting, q->free, time, spare)) != NONE) {
        if (q->job[i].predicted > time) spare -= q->job[i].processors;
        start(q, i, now);
    }
}

static int64_t within(int64_t predicted, const queue_job *job) {
    if (predicted > job->requested) predicted = job->requested;
    return predicted < 1 ? 1 : predicted;
}

static void submit(queue *q, const queue_predictor *p) {
    const uint32_t i = q->arrived++;
    queue_job *job = &q->job[i];
    job->start = -1;
    job->corrections = 0;
    job->first = job->predicted = within(p->predict(p->self, job), job);
    insert(q, &q->waiting, i, q->rules->order == QUEUE_SHORTEST ? job->predicted : 0);
}

/* Handles a prediction that has passed. */
static void correct(queue *q, uint32_t i) {
    static const int64_t minutes[] = {1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000};
    queue_job *job = &q->job[i];
    const uint32_t step = job->corrections++;
    take_out(q, &q->running, i);
    job->predicted = job->requested;
    if (q->rules->correction == QUEUE_STEPS && step < sizeof minutes / sizeof minutes[0])
        job->predicted = within(job->first + 60 * minutes[step], job);
    insert(q, &q->running, i, job->start + job->predicted);
    expect(q, i);
}

static void end(queue *q, uint32_t i, const queue_predictor *p) {
    if (q->at[i].key != RELEASED) {
        take_out(q, &q->running, i);
        q->free += q->job[i].processors;
    }
    if (p->finish) p->finish(p->self, &q->job[i]);
}

/* Handles one event after the other. */
static int go_on(queue *q, const queue_predictor *p) {
    while (q->arrived < q->count || q->events) {
        const event *next = q->events ? q->heap : NULL;
        const int64_t comes = q->arrived < q->count ? q->job[q->arrived].submit : INT64_MAX;
        if (!next || comes < next->time || (comes == next->time && next->ends)) {
            if (q->arrived % 1024 == 0 && p->progress && p->progress((double)q->arrived / (double)q->count))
                return 2;
            submit(q, p);
            schedule(q, comes);
        } else {
            const event e = event_take(q);
            if (e.ends) {
                end(q, e.job, p);
                schedule(q, e.time);
            } else {
                correct(q, e.job);
            }
        }
    }
    return 0;
}

int queue_replay(queue_job *job, size_t count, const queue_rules *rules, const queue_predictor *p) {
    queue q = {0};
    int result = 1;
    q.job = job;
    q.count = (uint32_t)count;
    q.rules = rules;
    q.free = rules->processors;
    q.waiting = q.running = NONE;
    q.at = (node *)malloc((count + 1) * sizeof *q.at);
    q.heap = (event *)malloc((count + 1) * sizeof *q.heap);
    if (q.at && q.heap) result = go_on(&q, p);
    free(q.at);
    free(q.heap);
    return result;
}

double queue_slowdown(const queue_job *job) {
    const double run = (double)job->run, wait = (double)(job->start - job->submit);
    const double slowdown = (wait + run) / (run > 10.0 ? run : 10.0);
    return slowdown > 1.0 ? slowdown : 1.0;
}
