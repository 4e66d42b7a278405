/* test_threads.c - every task runs once, no two at a time with one number, whatever calls what.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Built with -fsanitize=thread this is also the proof that the pool has no data race.
 */
#include <pthread.h>

/* From here on the header's pthread_create (on Windows _beginthreadex) is ours, which can fail when told, and
   so is pthread_mutex_init. */
static int creations_left = -1; /* below 0: no limit */
#ifdef _WIN32
#include <process.h>
static uintptr_t limited_begin(void *security, unsigned stack, unsigned(__stdcall *main_fn)(void *),
                               void *arg, unsigned flags, unsigned *number) {
    if (creations_left == 0) return 0;
    if (creations_left > 0) --creations_left;
    return _beginthreadex(security, stack, main_fn, arg, flags, number);
}
#define _beginthreadex limited_begin
#else
static int limited_create(pthread_t *thread, const pthread_attr_t *how, void *(*main_fn)(void *), void *arg) {
    if (creations_left == 0) return 11; /* EAGAIN */
    if (creations_left > 0) --creations_left;
    return pthread_create(thread, how, main_fn, arg);
}
#define pthread_create limited_create

static int no_locks;
static int limited_mutex(pthread_mutex_t *mutex, const pthread_mutexattr_t *how) {
    return no_locks ? 11 : pthread_mutex_init(mutex, how);
}
#define pthread_mutex_init limited_mutex
#endif

#define SOOTH_IMPLEMENTATION
#include "sooth/threads.h"
#include "check.h"

enum { MOST_WORKERS = 8, MOST_TASKS = 1000 };

static sooth_threads pool;
static sooth_env env;

static void start(size_t workers) {
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, workers), SOOTH_OK);
}

/* What the tasks note down. Each has entries of its own: no lock is needed, a race is a fault of the pool. */
typedef struct notes {
    size_t workers;
    int times[MOST_TASKS];    /* that task i ran */
    int inside[MOST_WORKERS]; /* a task of this worker is running */
    int wrong;
} notes;

static void note(void *arg, size_t i, size_t worker) {
    notes *n = (notes *)arg;
    if (worker >= n->workers || n->inside[worker]++) n->wrong = 1;
    ++n->times[i];
    --n->inside[worker];
}

static void every_task_runs_once(void) {
    static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 100, MOST_TASKS};
    size_t workers, c, i;
    for (workers = 1; workers <= MOST_WORKERS; ++workers) {
        start(workers);
        CHECK(env.workers == workers && soothi_workers(&env) == workers);
        for (c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
            static notes n;
            memset(&n, 0, sizeof n);
            n.workers = workers;
            env.parallel_fn(env.parallel_user, counts[c], note, &n);
            CHECK(!n.wrong);
            for (i = 0; i < MOST_TASKS; ++i) CHECK(n.times[i] == (i < counts[c]));
        }
        sooth_threads_stop(&pool);
    }
}

/* Two tasks that wait for each other: they can only end when two threads run them. */
typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t arrival;
    int here;
    size_t worker[2];
} meeting;

static void meet(void *arg, size_t i, size_t worker) {
    meeting *m = (meeting *)arg;
    pthread_mutex_lock(&m->mutex);
    m->worker[i] = worker;
    ++m->here;
    pthread_cond_broadcast(&m->arrival);
    while (m->here < 2) pthread_cond_wait(&m->arrival, &m->mutex);
    pthread_mutex_unlock(&m->mutex);
}

static void tasks_run_at_the_same_time(void) {
    static meeting m;
    int round;
    start(2);
    pthread_mutex_init(&m.mutex, NULL);
    pthread_cond_init(&m.arrival, NULL);
    for (round = 0; round < 100; ++round) {
        m.here = 0;
        soothi_parallel(&env, 2, meet, &m);
        CHECK(m.here == 2 && m.worker[0] + m.worker[1] == 1);
    }
    sooth_threads_stop(&pool);
}

/* Each outer task runs a loop of its own through the same env. */
enum { OUTER = 6, INNER = 50 };

typedef struct nest {
    sooth_env *env;
    notes inner[OUTER];
} nest;

static void outer_task(void *arg, size_t i, size_t worker) {
    nest *n = (nest *)arg;
    (void)worker;
    n->inner[i].workers = 1; /* inner loops run in one thread */
    soothi_parallel(n->env, INNER, note, &n->inner[i]);
}

static void inner_loops_run_in_their_thread(void) {
    static nest n;
    size_t i, j;
    start(4);
    n.env = &env;
    soothi_parallel(&env, OUTER, outer_task, &n);
    for (i = 0; i < OUTER; ++i) {
        CHECK(!n.inner[i].wrong);
        for (j = 0; j < INNER; ++j) CHECK(n.inner[i].times[j] == 1);
    }
    sooth_threads_stop(&pool);
}

/* Two threads of the host, each with an env of its own, share the pool. */
typedef struct guest {
    sooth_env env;
    notes n;
} guest;

static void *visit(void *arg) {
    guest *g = (guest *)arg;
    int round;
    g->n.workers = env.workers;
    for (round = 0; round < 50; ++round) soothi_parallel(&g->env, 20, note, &g->n);
    return NULL;
}

static void two_threads_may_share_the_pool(void) {
    static guest guests[2];
    pthread_t other;
    size_t g, i;
    start(3);
    for (g = 0; g < 2; ++g) guests[g].env = env;
    CHECK(pthread_create(&other, NULL, visit, &guests[1]) == 0);
    visit(&guests[0]);
    pthread_join(other, NULL);
    for (g = 0; g < 2; ++g) {
        CHECK(!guests[g].n.wrong);
        for (i = 0; i < 20; ++i) CHECK(guests[g].n.times[i] == 50);
    }
    sooth_threads_stop(&pool);
}

static void starting_and_stopping(void) {
    int round;
    for (round = 0; round < 30; ++round) {
        start(1 + (size_t)round % 5);
        sooth_threads_stop(&pool);
        CHECK(env.parallel_fn == NULL && env.parallel_user == NULL && soothi_workers(&env) == 1);
    }
    sooth_threads_stop(&pool); /* again: nothing happens */
    start(0);
    CHECK(env.workers >= 1 && env.workers <= SOOTH_THREADS_MAX);
    sooth_threads_stop(&pool);
    start(2); /* an env that has found another pool keeps it */
    env.parallel_user = NULL;
    sooth_threads_stop(&pool);
    CHECK(env.parallel_fn != NULL);
}

static void a_failed_start_leaves_nothing(void) {
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_threads_start(&env, &pool, 513), SOOTH_BAD_ARGUMENT,
                "workers is 513, but must be between 1 and 512, or 0 for one per processor");
    CHECK(env.parallel_fn == NULL && env.workers == 0);
    creations_left = 2;
    CHECK_FAILS(&env, sooth_threads_start(&env, &pool, 5), SOOTH_NO_MEMORY,
                "the system can start only 3 of 5 workers");
    CHECK(env.parallel_fn == NULL && env.workers == 0);
    sooth_threads_stop(&pool);
    creations_left = 0;
    CHECK_FAILS(&env, sooth_threads_start(&env, &pool, 2), SOOTH_NO_MEMORY,
                "the system can start only 1 of 2 workers");
    creations_left = -1;
#ifndef _WIN32 /* there a lock is a number */
    no_locks = 1;
    CHECK_FAILS(&env, sooth_threads_start(&env, &pool, 2), SOOTH_NO_MEMORY,
                "the system cannot create another lock");
    CHECK(env.parallel_fn == NULL && env.workers == 0);
    sooth_threads_stop(&pool);
    no_locks = 0;
#endif
    CHECK_STATUS(sooth_threads_start(NULL, &pool, 2), SOOTH_BAD_ARGUMENT);
    start(5); /* and the next attempt can succeed */
    sooth_threads_stop(&pool);
}

int main(void) {
    CHECK_RUN(every_task_runs_once);
    CHECK_RUN(tasks_run_at_the_same_time);
    CHECK_RUN(inner_loops_run_in_their_thread);
    CHECK_RUN(two_threads_may_share_the_pool);
    CHECK_RUN(starting_and_stopping);
    CHECK_RUN(a_failed_start_leaves_nothing);
    return check_end("threads");
}
