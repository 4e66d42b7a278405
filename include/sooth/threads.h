/* threads.h - the parallel loop over the system's threads, for hosts that have no thread pool of their own.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth starts no threads by itself: what it could do at once it hands to the parallel_fn of the env. This
 * header makes such a function from a few threads that wait for work. The result of every call is the same
 * with any number of workers.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/threads.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_threads pool;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_threads_start(&pool, 2, &env) != SOOTH_OK) return puts(env.sentence);
 *         printf("%u workers\n", (unsigned)env.workers); //> 2 workers
 *         // ... whatever is given this env now uses both
 *         sooth_threads_stop(&pool);
 *         return 0;
 *     }
 *
 * POSIX threads (compile with -pthread; no other header needs it) or those of Windows (from Vista on). Where
 * there are neither, everything still compiles, and only one worker can be had.
 *
 * Costs: SOOTH_THREADS_MOST words for the pool, no allocation; a task costs two turns of a lock, about 0.1
 * microseconds, and a loop some microseconds to wake the threads. Idle threads look around for some tens of
 * microseconds, then sleep.
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
typedef SRWLOCK soothi_lock;
typedef CONDITION_VARIABLE soothi_signal;
typedef HANDLE soothi_thread;
#elif defined(__unix__) || defined(__APPLE__)
#define SOOTHI_THREADS 1
#include <pthread.h>
#include <unistd.h>
typedef pthread_mutex_t soothi_lock;
typedef pthread_cond_t soothi_signal;
typedef pthread_t soothi_thread;
#else
#define SOOTHI_THREADS 0
#endif
SOOTHI_C_BEGIN

#define SOOTH_THREADS_MOST 512

/* Must stay where it is, and alive, from start to stop. */
typedef struct sooth_threads {
#if SOOTHI_THREADS
    soothi_lock lock;   /* guards all that follows */
    soothi_signal work; /* there is a task to take, or the pool stops */
    soothi_signal done; /* the last task of the loop has ended */
    soothi_thread thread[SOOTH_THREADS_MOST];
#endif
    size_t threads; /* started; the thread that calls a loop works too */
    size_t named;   /* threads that have taken their number */
    int stop;
    int busy; /* a loop is running: */
    sooth_task *task;
    void *arg;
    size_t next, count; /* the next index to hand out, and their number */
    size_t running;     /* tasks begun and not ended */
    size_t turns;       /* changes whenever a waiting thread should look again */
    sooth_env *env;     /* NULL: not started */
} sooth_threads;

/* Starts workers - 1 threads, so that with the calling thread there are `workers` (0: one per processor), and
   makes them the env's. Several envs may use one pool: copy parallel_fn, parallel_user and workers. A loop
   that is called while another runs in the pool, by one of its tasks or by another thread, runs in the thread
   that calls it. SOOTH_BAD_ARGUMENT when there are too many workers, SOOTH_NO_MEMORY when the system gives no
   more threads; then none is left behind and the env is as before. */
SOOTH_API sooth_status sooth_threads_start(sooth_threads *pool, size_t workers, sooth_env *env);

/* Ends the threads and takes them from the env that they were started for. Not while a loop runs. Harmless
   after a failed start, and when called again. */
SOOTH_API void sooth_threads_stop(sooth_threads *pool);

SOOTHI_C_END
#endif /* SOOTH_THREADS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_THREADS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_THREADS_IMPLEMENTED
SOOTHI_C_BEGIN

#if SOOTHI_THREADS

/* ---- the system's: locks, signals, threads ---- */

SOOTHI_LOCAL void soothi_threads_run(sooth_threads *pool);

#if defined(_WIN32)

SOOTHI_LOCAL int soothi_lock_init(soothi_lock *lock) {
    InitializeSRWLock(lock);
    return 1;
}
SOOTHI_LOCAL void soothi_lock_end(soothi_lock *lock) { (void)lock; }
SOOTHI_LOCAL void soothi_lock_take(soothi_lock *lock) { AcquireSRWLockExclusive(lock); }
SOOTHI_LOCAL void soothi_lock_give(soothi_lock *lock) { ReleaseSRWLockExclusive(lock); }

SOOTHI_LOCAL void soothi_signal_init(soothi_signal *signal) { InitializeConditionVariable(signal); }
SOOTHI_LOCAL void soothi_signal_end(soothi_signal *signal) { (void)signal; }
SOOTHI_LOCAL void soothi_signal_all(soothi_signal *signal) { WakeAllConditionVariable(signal); }
SOOTHI_LOCAL void soothi_signal_wait(soothi_signal *signal, soothi_lock *lock) {
    SleepConditionVariableSRW(signal, lock, INFINITE, 0);
}

SOOTHI_LOCAL unsigned __stdcall soothi_thread_main(void *pool) {
    soothi_threads_run((sooth_threads *)pool);
    return 0;
}
SOOTHI_LOCAL int soothi_thread_start(soothi_thread *thread, sooth_threads *pool) {
    *thread = (HANDLE)_beginthreadex(NULL, 0, soothi_thread_main, pool, 0, NULL);
    return *thread != NULL;
}
SOOTHI_LOCAL void soothi_thread_join(soothi_thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

SOOTHI_LOCAL long soothi_threads_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (long)info.dwNumberOfProcessors;
}

#else

SOOTHI_LOCAL int soothi_lock_init(soothi_lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
SOOTHI_LOCAL void soothi_lock_end(soothi_lock *lock) { pthread_mutex_destroy(lock); }
SOOTHI_LOCAL void soothi_lock_take(soothi_lock *lock) { pthread_mutex_lock(lock); }
SOOTHI_LOCAL void soothi_lock_give(soothi_lock *lock) { pthread_mutex_unlock(lock); }

SOOTHI_LOCAL void soothi_signal_init(soothi_signal *signal) { pthread_cond_init(signal, NULL); }
SOOTHI_LOCAL void soothi_signal_end(soothi_signal *signal) { pthread_cond_destroy(signal); }
SOOTHI_LOCAL void soothi_signal_all(soothi_signal *signal) { pthread_cond_broadcast(signal); }
SOOTHI_LOCAL void soothi_signal_wait(soothi_signal *signal, soothi_lock *lock) {
    pthread_cond_wait(signal, lock);
}

SOOTHI_LOCAL void *soothi_thread_main(void *pool) {
    soothi_threads_run((sooth_threads *)pool);
    return NULL;
}
SOOTHI_LOCAL int soothi_thread_start(soothi_thread *thread, sooth_threads *pool) {
    return pthread_create(thread, NULL, soothi_thread_main, pool) == 0;
}
SOOTHI_LOCAL void soothi_thread_join(soothi_thread thread) { pthread_join(thread, NULL); }

SOOTHI_LOCAL long soothi_threads_processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
    return sysconf(_SC_NPROCESSORS_ONLN);
#else
    return 1;
#endif
}

#endif

/* As many workers as there are processors, if a pool may have so many. */
SOOTHI_LOCAL size_t soothi_threads_here(void) {
    const long here = soothi_threads_processors();
    return here < 1 ? 1 : here > SOOTH_THREADS_MOST ? SOOTH_THREADS_MOST : (size_t)here;
}

/* ---- waiting ---- */

/* A processor that sleeps takes tens of microseconds to wake, as long as many a loop. So before a thread
   sleeps, it looks around for about that long. Whoever has changed something takes a turn. The lock is held,
   but not while looking. */
#if defined(__GNUC__)
#define SOOTHI_THREADS_LOOKS 1000
SOOTHI_LOCAL size_t soothi_threads_turns(const sooth_threads *pool) {
    return __atomic_load_n(&pool->turns, __ATOMIC_ACQUIRE);
}
SOOTHI_LOCAL void soothi_threads_turn(sooth_threads *pool) {
    __atomic_fetch_add(&pool->turns, 1, __ATOMIC_RELEASE);
}
SOOTHI_LOCAL void soothi_threads_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}
#else
#define SOOTHI_THREADS_LOOKS 0
SOOTHI_LOCAL size_t soothi_threads_turns(const sooth_threads *pool) { return pool->turns; }
SOOTHI_LOCAL void soothi_threads_turn(sooth_threads *pool) { ++pool->turns; }
SOOTHI_LOCAL void soothi_threads_pause(void) {}
#endif

SOOTHI_LOCAL void soothi_threads_wait(sooth_threads *pool, soothi_signal *until) {
    const size_t turns = soothi_threads_turns(pool);
    soothi_lock_give(&pool->lock);
    for (int i = 0; i < SOOTHI_THREADS_LOOKS && soothi_threads_turns(pool) == turns; ++i)
        soothi_threads_pause();
    soothi_lock_take(&pool->lock);
    if (soothi_threads_turns(pool) == turns) soothi_signal_wait(until, &pool->lock);
}

/* ---- the pool ---- */

/* Takes tasks until none is left. The lock is held, but not during the tasks. */
SOOTHI_LOCAL void soothi_threads_work(sooth_threads *pool, size_t worker) {
    while (pool->next < pool->count) {
        sooth_task *task = pool->task;
        void *arg = pool->arg;
        size_t i = pool->next++;
        ++pool->running;
        soothi_lock_give(&pool->lock);
        task(arg, i, worker);
        soothi_lock_take(&pool->lock);
        --pool->running;
    }
}

/* What a thread of the pool does from start to stop. */
SOOTHI_LOCAL void soothi_threads_run(sooth_threads *pool) {
    soothi_lock_take(&pool->lock);
    size_t worker = ++pool->named; /* the calling thread is worker 0 */
    while (!pool->stop) {
        if (pool->next == pool->count) {
            soothi_threads_wait(pool, &pool->work);
            continue;
        }
        soothi_threads_work(pool, worker);
        if (pool->running == 0) {
            soothi_threads_turn(pool);
            soothi_signal_all(&pool->done);
        }
    }
    soothi_lock_give(&pool->lock);
}

/* The env's parallel_fn. */
SOOTHI_LOCAL void soothi_threads_loop(void *user, size_t count, sooth_task *task, void *arg) {
    sooth_threads *pool = (sooth_threads *)user;
    soothi_lock_take(&pool->lock);
    if (pool->busy) {
        soothi_lock_give(&pool->lock);
        for (size_t i = 0; i < count; ++i) task(arg, i, 0);
        return;
    }
    pool->busy = 1;
    pool->task = task;
    pool->arg = arg;
    pool->next = 0;
    pool->count = count;
    soothi_threads_turn(pool);
    soothi_signal_all(&pool->work);
    soothi_threads_work(pool, 0);
    while (pool->running) soothi_threads_wait(pool, &pool->done);
    pool->busy = 0;
    soothi_lock_give(&pool->lock);
}

SOOTHI_LOCAL void soothi_threads_end(sooth_threads *pool) {
    soothi_lock_take(&pool->lock);
    pool->stop = 1;
    soothi_threads_turn(pool);
    soothi_signal_all(&pool->work);
    soothi_lock_give(&pool->lock);
    for (size_t i = 0; i < pool->threads; ++i) soothi_thread_join(pool->thread[i]);
    soothi_signal_end(&pool->done);
    soothi_signal_end(&pool->work);
    soothi_lock_end(&pool->lock);
}

SOOTH_API sooth_status sooth_threads_start(sooth_threads *pool, size_t workers, sooth_env *env) {
    memset(pool, 0, sizeof *pool);
    if (!env) return SOOTH_BAD_ARGUMENT;
    if (workers == 0) workers = soothi_threads_here();
    if (workers > SOOTH_THREADS_MOST)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "workers is %z, but must be between 1 and %d (0: one per processor)", workers,
                           SOOTH_THREADS_MOST);
    if (!soothi_lock_init(&pool->lock))
        return soothi_fail(env, SOOTH_NO_MEMORY, "the system has no lock left");
    soothi_signal_init(&pool->work);
    soothi_signal_init(&pool->done);
    for (; pool->threads + 1 < workers; ++pool->threads) {
        if (!soothi_thread_start(&pool->thread[pool->threads], pool)) {
            soothi_threads_end(pool);
            return soothi_fail(env, SOOTH_NO_MEMORY, "the system gives %z workers, but not %z",
                               pool->threads + 1, workers);
        }
    }
    pool->env = env;
    env->parallel_fn = soothi_threads_loop;
    env->parallel_user = pool;
    env->workers = workers;
    return SOOTH_OK;
}

SOOTH_API void sooth_threads_stop(sooth_threads *pool) {
    if (!pool->env) return;
    soothi_threads_end(pool);
    if (pool->env->parallel_user == pool) {
        pool->env->parallel_fn = NULL;
        pool->env->parallel_user = NULL;
        pool->env->workers = 0;
    }
    pool->env = NULL;
}

#else /* no threads */

SOOTH_API sooth_status sooth_threads_start(sooth_threads *pool, size_t workers, sooth_env *env) {
    memset(pool, 0, sizeof *pool);
    if (workers <= 1) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "workers is %z, but must be 1: this system has no threads",
                       workers);
}

SOOTH_API void sooth_threads_stop(sooth_threads *pool) { (void)pool; }

#endif

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
