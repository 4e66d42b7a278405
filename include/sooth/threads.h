/* threads.h - a parallel loop over system threads, for hosts without a thread pool.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth starts no threads by itself: parallel work goes to the parallel_fn of the env. This header implements
 * that function with a few waiting threads. Results do not depend on the number of workers.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/threads.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_threads pool;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_threads_start(&env, &pool, 2) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%u workers\n", (unsigned)env.workers); //> 2 workers
 *         // ... whatever is given this env now uses both
 *         sooth_threads_stop(&pool);
 *         return 0;
 *     }
 *
 * Notes
 *
 * Uses POSIX threads (compile with -pthread; no other header needs it) or Windows threads (from Vista on).
 * Without either, everything still compiles, but only one worker is available.
 *
 * Cost
 *
 * The pool takes SOOTH_THREADS_MAX cache lines and allocates nothing. A task costs one atomic operation,
 * some tens of nanoseconds. A loop costs about a microsecond while the threads are awake. Idle threads spin
 * for some tens of microseconds and then sleep; waking them takes the system 5 to 50 microseconds.
 */
#if !defined(SOOTH_THREADS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_THREADS_IMPLEMENTED))
#include "base.h"
#endif

#if !defined(SOOTH_THREADS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_THREADS_H
#if defined(_WIN32)
#define SOOTHI_THREADS 1
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <process.h>
#include <windows.h>
typedef LONG64 sooth_threads_atomic;
typedef SRWLOCK sooth_threads_lock;
typedef CONDITION_VARIABLE sooth_threads_signal;
typedef HANDLE sooth_threads_thread;
#elif defined(__unix__) || defined(__APPLE__)
#define SOOTHI_THREADS 1
#include <pthread.h>
#include <unistd.h>
#if defined(__GNUC__)
typedef size_t sooth_threads_atomic;
#else
typedef struct sooth_threads_atomic { /* without atomic operations each number has a lock */
    pthread_mutex_t lock;
    size_t value;
} sooth_threads_atomic;
#endif
typedef pthread_mutex_t sooth_threads_lock;
typedef pthread_cond_t sooth_threads_signal;
typedef pthread_t sooth_threads_thread;
#else
#define SOOTHI_THREADS 0
#endif
SOOTHI_C_BEGIN

#define SOOTH_THREADS_MAX 512

/* Must stay in place, and alive, from start to stop. */
typedef struct sooth_threads {
    struct { /* private */
#if SOOTHI_THREADS
        sooth_threads_lock lock;   /* held to fall asleep and to wake threads */
        sooth_threads_signal work; /* signals that a task is available or that the pool stops */
        sooth_threads_signal done; /* signals that the last task of the loop ended */
        sooth_threads_thread thread[SOOTH_THREADS_MAX];
        /* atomic: */
        sooth_threads_atomic stop;
        sooth_threads_atomic named;  /* threads that have taken their index */
        sooth_threads_atomic busy;   /* 1 while a loop runs */
        sooth_threads_atomic loops;  /* loops begun so far */
        sooth_threads_atomic undone; /* unfinished tasks of the loop */
        sooth_threads_atomic asleep; /* threads that sleep or are about to */
        /* Each worker starts with its own share, every workers-th index. Later loops then find their data in
           the cache of the same processor, and the first tasks of a loop begin first. Workers that are done
           help the others. Shares are on separate cache lines. */
        struct {
            sooth_threads_atomic left; /* tasks of this share that are not yet taken */
            char reserved[64 - sizeof(sooth_threads_atomic)];
        } share[SOOTH_THREADS_MAX];
#endif
        size_t threads; /* started threads, not counting the thread that calls a loop and works too */
        int polls;      /* tests before a thread sleeps */
        /* the loop; read by a worker with a task, written only while no task is available or unfinished */
        sooth_task *task;
        void *arg;
        size_t count;
        sooth_env *env; /* NULL means not started */
    } state;
} sooth_threads;

/* Starts workers - 1 threads, so that there are `workers` together with the calling thread, and sets the env
   up to use them. workers 0 means one per processor. Several envs may use one pool: copy parallel_fn,
   parallel_user and workers. A loop that starts while another runs in the pool, nested or from another
   thread, runs in the thread that calls it. Returns SOOTH_BAD_ARGUMENT if there are too many workers, and
   SOOTH_NO_MEMORY if the system cannot start more threads. After a failure no thread is left and the env is
   unchanged. */
SOOTH_API sooth_status sooth_threads_start(sooth_env *env, sooth_threads *pool, size_t workers);

/* Ends the threads and removes them from the env that they were started for. Do not call it while a loop
   runs. It is harmless after a failed start and when called again. */
SOOTH_API void sooth_threads_stop(sooth_threads *pool);

SOOTHI_C_END
#endif /* SOOTH_THREADS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_THREADS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_THREADS_IMPLEMENTED
SOOTHI_C_BEGIN

#if SOOTHI_THREADS

/* ---- system locks, signals, threads ---- */

SOOTHI_LOCAL void soothi_threads_run(sooth_threads *pool);

#if defined(_WIN32)

SOOTHI_LOCAL int soothi_lock_init(sooth_threads_lock *lock) {
    InitializeSRWLock(lock);
    return 1;
}
SOOTHI_LOCAL void soothi_lock_end(sooth_threads_lock *lock) { (void)lock; }
SOOTHI_LOCAL void soothi_lock_take(sooth_threads_lock *lock) { AcquireSRWLockExclusive(lock); }
SOOTHI_LOCAL void soothi_lock_give(sooth_threads_lock *lock) { ReleaseSRWLockExclusive(lock); }

SOOTHI_LOCAL void soothi_signal_init(sooth_threads_signal *signal) { InitializeConditionVariable(signal); }
SOOTHI_LOCAL void soothi_signal_end(sooth_threads_signal *signal) { (void)signal; }
SOOTHI_LOCAL void soothi_signal_all(sooth_threads_signal *signal) { WakeAllConditionVariable(signal); }
SOOTHI_LOCAL void soothi_signal_wait(sooth_threads_signal *signal, sooth_threads_lock *lock) {
    SleepConditionVariableSRW(signal, lock, INFINITE, 0);
}

SOOTHI_LOCAL unsigned __stdcall soothi_thread_main(void *pool) {
    soothi_threads_run((sooth_threads *)pool);
    return 0;
}
SOOTHI_LOCAL int soothi_thread_start(sooth_threads_thread *thread, sooth_threads *pool) {
    *thread = (HANDLE)_beginthreadex(NULL, 0, soothi_thread_main, pool, 0, NULL);
    return *thread != NULL;
}
SOOTHI_LOCAL void soothi_thread_join(sooth_threads_thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

SOOTHI_LOCAL long soothi_threads_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (long)info.dwNumberOfProcessors;
}

#else

SOOTHI_LOCAL int soothi_lock_init(sooth_threads_lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
SOOTHI_LOCAL void soothi_lock_end(sooth_threads_lock *lock) { pthread_mutex_destroy(lock); }
SOOTHI_LOCAL void soothi_lock_take(sooth_threads_lock *lock) { pthread_mutex_lock(lock); }
SOOTHI_LOCAL void soothi_lock_give(sooth_threads_lock *lock) { pthread_mutex_unlock(lock); }

SOOTHI_LOCAL void soothi_signal_init(sooth_threads_signal *signal) { pthread_cond_init(signal, NULL); }
SOOTHI_LOCAL void soothi_signal_end(sooth_threads_signal *signal) { pthread_cond_destroy(signal); }
SOOTHI_LOCAL void soothi_signal_all(sooth_threads_signal *signal) { pthread_cond_broadcast(signal); }
SOOTHI_LOCAL void soothi_signal_wait(sooth_threads_signal *signal, sooth_threads_lock *lock) {
    pthread_cond_wait(signal, lock);
}

SOOTHI_LOCAL void *soothi_thread_main(void *pool) {
    soothi_threads_run((sooth_threads *)pool);
    return NULL;
}
SOOTHI_LOCAL int soothi_thread_start(sooth_threads_thread *thread, sooth_threads *pool) {
    return pthread_create(thread, NULL, soothi_thread_main, pool) == 0;
}
SOOTHI_LOCAL void soothi_thread_join(sooth_threads_thread thread) { pthread_join(thread, NULL); }

SOOTHI_LOCAL long soothi_threads_processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
    return sysconf(_SC_NPROCESSORS_ONLN);
#else
    return 1;
#endif
}

#endif

/* Returns the number of processors, at most the maximum size of a pool. */
SOOTHI_LOCAL size_t soothi_threads_here(void) {
    const long here = soothi_threads_processors();
    return here < 1 ? 1 : here > SOOTH_THREADS_MAX ? SOOTH_THREADS_MAX : (size_t)here;
}

/* ---- atomic numbers ---- */

/* These operations are atomic and sequentially consistent. */
#if defined(__GNUC__)
SOOTHI_LOCAL size_t soothi_atomic_get(const sooth_threads_atomic *at) {
    return (size_t)__atomic_load_n(at, __ATOMIC_SEQ_CST);
}
SOOTHI_LOCAL void soothi_atomic_put(sooth_threads_atomic *at, size_t value) {
    __atomic_store_n(at, (sooth_threads_atomic)value, __ATOMIC_SEQ_CST);
}
/* Adds value; returns the old value. */
SOOTHI_LOCAL size_t soothi_atomic_add(sooth_threads_atomic *at, size_t value) {
    return (size_t)__atomic_fetch_add(at, (sooth_threads_atomic)value, __ATOMIC_SEQ_CST);
}
/* Compare and swap: if the value still is `old`, stores `value` and returns 1. */
SOOTHI_LOCAL int soothi_atomic_change(sooth_threads_atomic *at, size_t old, size_t value) {
    sooth_threads_atomic was = (sooth_threads_atomic)old;
    return __atomic_compare_exchange_n(at, &was, (sooth_threads_atomic)value, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}
SOOTHI_LOCAL void soothi_atomic_init(sooth_threads_atomic *at) { (void)at; } /* already zero */
SOOTHI_LOCAL void soothi_threads_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}
#elif !defined(_WIN32)
SOOTHI_LOCAL void soothi_atomic_init(sooth_threads_atomic *at) { (void)pthread_mutex_init(&at->lock, NULL); }
SOOTHI_LOCAL size_t soothi_atomic_add(sooth_threads_atomic *at, size_t value) {
    pthread_mutex_lock(&at->lock);
    const size_t was = at->value;
    at->value = was + value;
    pthread_mutex_unlock(&at->lock);
    return was;
}
SOOTHI_LOCAL size_t soothi_atomic_get(const sooth_threads_atomic *at) {
    return soothi_atomic_add((sooth_threads_atomic *)(uintptr_t)at, 0);
}
SOOTHI_LOCAL int soothi_atomic_change(sooth_threads_atomic *at, size_t old, size_t value) {
    pthread_mutex_lock(&at->lock);
    const int same = at->value == old;
    if (same) at->value = value;
    pthread_mutex_unlock(&at->lock);
    return same;
}
SOOTHI_LOCAL void soothi_atomic_put(sooth_threads_atomic *at, size_t value) {
    soothi_atomic_add(at, value - soothi_atomic_get(at)); /* no other thread changes it meanwhile */
}
SOOTHI_LOCAL void soothi_threads_pause(void) {}
#else
SOOTHI_LOCAL void soothi_atomic_init(sooth_threads_atomic *at) { (void)at; }
SOOTHI_LOCAL size_t soothi_atomic_get(const sooth_threads_atomic *at) {
    return (size_t)InterlockedCompareExchange64((volatile sooth_threads_atomic *)(uintptr_t)at, 0, 0);
}
SOOTHI_LOCAL void soothi_atomic_put(sooth_threads_atomic *at, size_t value) {
    InterlockedExchange64(at, (sooth_threads_atomic)value);
}
SOOTHI_LOCAL size_t soothi_atomic_add(sooth_threads_atomic *at, size_t value) {
    return (size_t)InterlockedExchangeAdd64(at, (sooth_threads_atomic)value);
}
SOOTHI_LOCAL int soothi_atomic_change(sooth_threads_atomic *at, size_t old, size_t value) {
    return InterlockedCompareExchange64(at, (sooth_threads_atomic)value, (sooth_threads_atomic)old) ==
           (sooth_threads_atomic)old;
}
SOOTHI_LOCAL void soothi_threads_pause(void) { YieldProcessor(); }
#endif

/* ---- waiting ---- */

/* Waking a sleeping processor takes tens of microseconds, longer than many loops take. A thread therefore
   spins for about that long before it sleeps. It does not spin if threads share a processor, because it would
   delay the others. */
#define SOOTHI_THREADS_POLLS 2000

/* Returns true if *number equals `value` (same 1) or differs (same 0), or if the pool stops. */
SOOTHI_LOCAL int soothi_threads_over(const sooth_threads *pool, const sooth_threads_atomic *number,
                                     size_t value, int same) {
    return (soothi_atomic_get(number) == value) == same || soothi_atomic_get(&pool->state.stop);
}

/* Waits until soothi_threads_over is true. */
SOOTHI_LOCAL void soothi_threads_wait(sooth_threads *pool, const sooth_threads_atomic *number, size_t value,
                                      int same, sooth_threads_signal *until) {
    for (int i = 0; i < pool->state.polls; ++i) {
        if (soothi_threads_over(pool, number, value, same)) return;
        soothi_threads_pause();
    }
    soothi_lock_take(&pool->state.lock);
    soothi_atomic_add(&pool->state.asleep,
                      1); /* first this, then a last test, so that whoever changes the number
                                            sees it */
    while (!soothi_threads_over(pool, number, value, same)) soothi_signal_wait(until, &pool->state.lock);
    soothi_atomic_add(&pool->state.asleep, (size_t)0 - 1);
    soothi_lock_give(&pool->state.lock);
}

/* Wakes sleeping threads after a number changed. */
SOOTHI_LOCAL void soothi_threads_wake(sooth_threads *pool, sooth_threads_signal *signal) {
    if (soothi_atomic_get(&pool->state.asleep) == 0) return;
    soothi_lock_take(&pool->state.lock); /* threads about to sleep are asleep once this is taken */
    soothi_signal_all(signal);
    soothi_lock_give(&pool->state.lock);
}

/* ---- the pool ---- */

/* Returns the number of tasks in share k: k, k + workers, ... */
SOOTHI_LOCAL size_t soothi_threads_share(const sooth_threads *pool, size_t k) {
    const size_t workers = pool->state.threads + 1;
    return pool->state.count / workers + (k < pool->state.count % workers);
}

/* Runs tasks until none is left, beginning with the worker's own share. Between reading `left` and taking a
   task, the loop may end and another begin if no task is unfinished. The task then belongs to the new loop.
   Finished tasks are reported per share, with less contention than per task. */
SOOTHI_LOCAL void soothi_threads_work(sooth_threads *pool, size_t worker) {
    const size_t workers = pool->state.threads + 1;
    for (size_t j = 0; j < workers; ++j) {
        const size_t k = worker + j < workers ? worker + j : worker + j - workers;
        size_t left, done = 0;
        while ((left = soothi_atomic_get(&pool->state.share[k].left)) != 0) {
            if (!soothi_atomic_change(&pool->state.share[k].left, left, left - 1)) continue;
            pool->state.task(pool->state.arg, k + workers * (soothi_threads_share(pool, k) - left), worker);
            ++done;
        }
        if (done && soothi_atomic_add(&pool->state.undone, (size_t)0 - done) == done)
            soothi_threads_wake(pool, &pool->state.done);
    }
}

/* Main function of a pool thread. */
SOOTHI_LOCAL void soothi_threads_run(sooth_threads *pool) {
    const size_t worker = soothi_atomic_add(&pool->state.named, 1) + 1; /* the calling thread is worker 0 */
    size_t loops = 0;
    for (;;) {
        soothi_threads_wait(pool, &pool->state.loops, loops, 0, &pool->state.work);
        if (soothi_atomic_get(&pool->state.stop)) return;
        loops = soothi_atomic_get(&pool->state.loops);
        soothi_threads_work(pool, worker);
    }
}

/* Implements the env's parallel_fn. */
SOOTHI_LOCAL void soothi_threads_loop(void *user, size_t count, sooth_task *task, void *arg) {
    sooth_threads *pool = (sooth_threads *)user;
    if (!soothi_atomic_change(&pool->state.busy, 0, 1)) {
        for (size_t i = 0; i < count; ++i) task(arg, i, 0);
        return;
    }
    pool->state.task = task;
    pool->state.arg = arg;
    pool->state.count = count;
    soothi_atomic_put(&pool->state.undone, count);
    for (size_t k = 0; k <= pool->state.threads; ++k)
        soothi_atomic_put(&pool->state.share[k].left, soothi_threads_share(pool, k));
    soothi_atomic_add(&pool->state.loops, 1);
    soothi_threads_wake(pool, &pool->state.work);
    soothi_threads_work(pool, 0);
    soothi_threads_wait(pool, &pool->state.undone, 0, 1, &pool->state.done);
    soothi_atomic_put(&pool->state.busy, 0);
}

SOOTHI_LOCAL void soothi_threads_end(sooth_threads *pool) {
    soothi_atomic_put(&pool->state.stop, 1);
    soothi_threads_wake(pool, &pool->state.work);
    for (size_t i = 0; i < pool->state.threads; ++i) soothi_thread_join(pool->state.thread[i]);
    soothi_signal_end(&pool->state.done);
    soothi_signal_end(&pool->state.work);
    soothi_lock_end(&pool->state.lock);
}

SOOTH_API sooth_status sooth_threads_start(sooth_env *env, sooth_threads *pool, size_t workers) {
    memset(pool, 0, sizeof *pool);
    if (!env) return SOOTH_BAD_ARGUMENT;
    if (workers == 0) workers = soothi_threads_here();
    if (workers > SOOTH_THREADS_MAX)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "workers is %z, but must be between 1 and %d, or 0 for one per processor", workers,
                          SOOTH_THREADS_MAX);
    if (!soothi_lock_init(&pool->state.lock))
        return sooth_fail(env, SOOTH_NO_MEMORY, "the system cannot create another lock");
    soothi_signal_init(&pool->state.work);
    soothi_signal_init(&pool->state.done);
    soothi_atomic_init(&pool->state.stop);
    soothi_atomic_init(&pool->state.named);
    soothi_atomic_init(&pool->state.busy);
    soothi_atomic_init(&pool->state.loops);
    soothi_atomic_init(&pool->state.undone);
    soothi_atomic_init(&pool->state.asleep);
    for (size_t k = 0; k < workers; ++k) soothi_atomic_init(&pool->state.share[k].left);
    pool->state.polls = workers <= soothi_threads_here() ? SOOTHI_THREADS_POLLS : 0;
    for (; pool->state.threads + 1 < workers; ++pool->state.threads) {
        if (!soothi_thread_start(&pool->state.thread[pool->state.threads], pool)) {
            soothi_threads_end(pool);
            return sooth_fail(env, SOOTH_NO_MEMORY, "the system can start only %z of %z workers",
                              pool->state.threads + 1, workers);
        }
    }
    pool->state.env = env;
    env->parallel_fn = soothi_threads_loop;
    env->parallel_user = pool;
    env->workers = workers;
    return SOOTH_OK;
}

SOOTH_API void sooth_threads_stop(sooth_threads *pool) {
    if (!pool->state.env) return;
    soothi_threads_end(pool);
    if (pool->state.env->parallel_user == pool) {
        pool->state.env->parallel_fn = NULL;
        pool->state.env->parallel_user = NULL;
        pool->state.env->workers = 0;
    }
    pool->state.env = NULL;
}

#else /* no threads */

SOOTH_API sooth_status sooth_threads_start(sooth_env *env, sooth_threads *pool, size_t workers) {
    memset(pool, 0, sizeof *pool);
    if (workers <= 1) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "workers is %z, but must be 1: this system has no threads",
                      workers);
}

SOOTH_API void sooth_threads_stop(sooth_threads *pool) { (void)pool; }

#endif

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
