/* slot.h - a place for the present model: one thread publishes a new one while others predict with the old.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host predicts in many threads and learns in one. Whoever predicts enters the slot, uses the model that it
 * gets as often as it likes, and leaves; no lock is taken and nobody waits. Whoever has a new model publishes
 * it: who enters from then on gets it. The old one may be freed once all have left who may still have it; the
 * publisher waits for that, or looks again later and retires it then.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include "sooth/online.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_slot_reader readers[2]; // as many as threads that predict
 *         static sooth_slot slot;
 *         const float x[] = {1, 2, 3, 4}, before[] = {10, 20, 30, 40}, after[] = {5, 10, 15, 20};
 *         const sooth_table then = sooth_table_of(x, before, 4, 1), now = sooth_table_of(x, after, 4, 1);
 *         sooth_tree *tree, *better;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &then, NULL, &tree) != SOOTH_OK) return puts(env.sentence);
 *         sooth_slot_init(&slot, readers, 2, tree);
 *
 *         const sooth_tree *model = sooth_slot_enter(&slot, 0);         // in thread 0 of 2
 *         printf("%g us\n", (double)sooth_tree_predict(model, &x[2])); //> 30 us
 *         sooth_slot_leave(&slot, 0);
 *
 *         if (sooth_tree_fit(&env, &now, NULL, &better) != SOOTH_OK) return puts(env.sentence);
 *         sooth_tree *old = sooth_slot_publish(&slot, better);          // in the thread that learns
 *         sooth_slot_wait(&slot);
 *         sooth_tree_free(&env, old);                                   // nobody has it any more
 *
 *         model = sooth_slot_enter(&slot, 1);
 *         printf("%g us\n", (double)sooth_tree_predict(model, &x[2])); //> 15 us
 *         sooth_slot_leave(&slot, 1);
 *         sooth_tree_free(&env, better);
 *         return 0;
 *     }
 *
 * The slot frees nothing and copies nothing. It hands a pointer on, to a model or to what the host keeps with
 * one, like the bytes of its file and its names. A reader that stays in for long delays the freeing alone.
 *
 * How: the method of epochs (Fraser, Practical lock-freedom, 2004, section 5.2.3). The slot has an epoch that
 * rises with each publication. Entering notes the present epoch in the reader's own cell and then takes the
 * model; leaving empties the cell. A publication stores the model and then raises the epoch. All loads and
 * stores are sequentially consistent, so of a reader that notes and looks, and a publisher that stores and
 * looks, at least one sees the other: a reader with an old model has its cell filled with an epoch before the
 * publication's, and the publisher finds that out.
 *
 * The host's operations: three macros, each of which may be defined before this header is read, in every file
 * alike. The first two must be sequentially consistent, on an aligned uintptr_t:
 *
 *   SOOTH_SLOT_LOAD(from)       the value of *from
 *   SOOTH_SLOT_STORE(to, value) *to = value
 *   SOOTH_SLOT_PAUSE()          what sooth_slot_wait does between two looks; nothing where it is not defined.
 *                               A host that may wait on a reader's own processor says sched_yield() here
 *
 * Without them it is __atomic_load_n and __atomic_store_n of gcc and clang, where these need no library, and
 * the Interlocked functions of Windows' compilers. In C11 the host's would be atomic_load and atomic_store on
 * (_Atomic uintptr_t *)(to). Where there are neither (tcc, 8-bit cores) the header declares nothing.
 *
 * Costs: 64 bytes for each reader and 4 words for the slot. Entering and leaving are two stores, which the
 * others must see: together about 9 ns on a server core where nobody publishes (build/bench task=host). No
 * allocation, no double; works with SOOTH_PREDICT_ONLY.
 */
#if !defined(SOOTH_ONLINE_SLOT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_SLOT_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_ONLINE_SLOT_H
#define SOOTH_ONLINE_SLOT_H

#if !defined(SOOTH_SLOT_LOAD) && !defined(__GCC_ATOMIC_POINTER_LOCK_FREE) && defined(_MSC_VER)
#include <intrin.h>
#endif

SOOTHI_C_BEGIN

#if defined(SOOTH_SLOT_LOAD) && defined(SOOTH_SLOT_STORE)
#define SOOTHI_SLOT 1
#elif defined(__GCC_ATOMIC_POINTER_LOCK_FREE) && __GCC_ATOMIC_POINTER_LOCK_FREE == 2
#define SOOTHI_SLOT 1
#define SOOTH_SLOT_LOAD(from) __atomic_load_n(from, __ATOMIC_SEQ_CST)
#define SOOTH_SLOT_STORE(to, value) __atomic_store_n(to, value, __ATOMIC_SEQ_CST)
#elif defined(_MSC_VER) && defined(_WIN64)
#define SOOTHI_SLOT 1
#define SOOTH_SLOT_LOAD(from) \
    ((uintptr_t)_InterlockedCompareExchange64((volatile __int64 *)(uintptr_t)(from), 0, 0))
#define SOOTH_SLOT_STORE(to, value) ((void)_InterlockedExchange64((volatile __int64 *)(to), (__int64)(value)))
#elif defined(_MSC_VER)
#define SOOTHI_SLOT 1
#define SOOTH_SLOT_LOAD(from) \
    ((uintptr_t)_InterlockedCompareExchange((volatile long *)(uintptr_t)(from), 0, 0))
#define SOOTH_SLOT_STORE(to, value) ((void)_InterlockedExchange((volatile long *)(to), (long)(value)))
#else
#define SOOTHI_SLOT 0
#endif
#ifndef SOOTH_SLOT_PAUSE
#define SOOTH_SLOT_PAUSE() ((void)0)
#endif

#if SOOTHI_SLOT

/* A thread's cell; two are never in one line of a cache. */
typedef struct sooth_slot_reader {
    uintptr_t epoch; /* of its entry; 0: it is not in */
    unsigned char apart[64 - sizeof(uintptr_t)];
} sooth_slot_reader;

/* Must stay where it is while it is used. */
typedef struct sooth_slot {
    uintptr_t model;
    uintptr_t epoch; /* odd */
    sooth_slot_reader *reader;
    uint32_t readers;
} sooth_slot;

/* Before any thread uses the slot: reader[0..readers) is the host's memory for as many threads, model (NULL:
   none yet) is what they get: a model of any kind, or what the host keeps with one. The slot only hands the
   pointer on. */
SOOTH_API void sooth_slot_init(sooth_slot *slot, sooth_slot_reader *reader, uint32_t readers, void *model);

/* The present model, good until sooth_slot_leave; NULL where none was published, and then leave, too. reader:
   the thread's number, below readers; no two threads have one at a time. Not twice without leaving. */
SOOTH_API const void *sooth_slot_enter(sooth_slot *slot, uint32_t reader);
SOOTH_API void sooth_slot_leave(sooth_slot *slot, uint32_t reader);

/* Makes model (NULL: none) the one that whoever enters gets, and returns the one before, which others may
   still have. One thread publishes at a time. */
SOOTH_API void *sooth_slot_publish(sooth_slot *slot, void *model);

/* 1 when no reader has a model from before the last publication: all of those may be freed. For the thread
   that publishes; it waits for nobody. */
SOOTH_API int sooth_slot_quiet(const sooth_slot *slot);

/* Waits until that is so: as long as the longest stay of a reader. Not by a thread that is itself in. */
SOOTH_API void sooth_slot_wait(const sooth_slot *slot);

#endif

SOOTHI_C_END
#endif /* SOOTH_ONLINE_SLOT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_SLOT_IMPLEMENTED)
#define SOOTH_ONLINE_SLOT_IMPLEMENTED
SOOTHI_C_BEGIN
#if SOOTHI_SLOT

SOOTH_API void sooth_slot_init(sooth_slot *slot, sooth_slot_reader *reader, uint32_t readers, void *model) {
    memset(reader, 0, readers * sizeof *reader);
    slot->reader = reader;
    slot->readers = readers;
    SOOTH_SLOT_STORE(&slot->epoch, (uintptr_t)1);
    SOOTH_SLOT_STORE(&slot->model, (uintptr_t)model);
}

SOOTH_API const void *sooth_slot_enter(sooth_slot *slot, uint32_t reader) {
    SOOTH_SLOT_STORE(&slot->reader[reader].epoch, SOOTH_SLOT_LOAD(&slot->epoch));
    return (const void *)SOOTH_SLOT_LOAD(&slot->model);
}

SOOTH_API void sooth_slot_leave(sooth_slot *slot, uint32_t reader) {
    SOOTH_SLOT_STORE(&slot->reader[reader].epoch, (uintptr_t)0);
}

/* Epochs are odd, so that they may wrap and still are not 0. */
SOOTH_API void *sooth_slot_publish(sooth_slot *slot, void *model) {
    void *before = (void *)SOOTH_SLOT_LOAD(&slot->model);
    SOOTH_SLOT_STORE(&slot->model, (uintptr_t)model);
    SOOTH_SLOT_STORE(&slot->epoch, SOOTH_SLOT_LOAD(&slot->epoch) + 2);
    return before;
}

SOOTH_API int sooth_slot_quiet(const sooth_slot *slot) {
    const uintptr_t epoch = SOOTH_SLOT_LOAD(&slot->epoch);
    for (uint32_t i = 0; i < slot->readers; ++i) {
        const uintptr_t entered = SOOTH_SLOT_LOAD(&slot->reader[i].epoch);
        if (entered != 0 && entered != epoch) return 0;
    }
    return 1;
}

SOOTH_API void sooth_slot_wait(const sooth_slot *slot) {
    while (!sooth_slot_quiet(slot)) SOOTH_SLOT_PAUSE();
}

#endif
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
