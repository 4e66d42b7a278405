/* online/slot.h - the current model, shared: one thread publishes a new one while others predict.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host predicts in many threads and learns in one. A predicting thread enters the slot, uses the returned
 * model as often as it likes, and leaves. No lock is taken and no thread waits. The learning thread publishes
 * a new model: threads that enter later get it. The old model may be freed once all threads have left that
 * may still use it. The publisher waits for that, or checks again later and frees it then.
 *
 * The method is that of epochs (Fraser, Practical lock-freedom, 2004, section 5.2.3). The slot has an epoch
 * that increases with each publication. A reader first stores the current epoch in its own cell, then loads
 * the model; leaving clears the cell. A publication stores the model, then increases the epoch. All loads and
 * stores are sequentially consistent. So of a reader that stores and loads, and a publisher that stores and
 * loads, at least one sees the other. The cell of a reader with an old model has an epoch before the
 * publication's, and the publisher finds it.
 *
 * The host may define three macros before it includes this header, the same ones in every file. The first two
 * must be sequentially consistent, on an aligned uintptr_t:
 *
 *   SOOTH_SLOT_LOAD(from)       the value of *from
 *   SOOTH_SLOT_STORE(to, value) *to = value
 *   SOOTH_SLOT_PAUSE()          called by sooth_slot_wait between checks; does nothing by default. If the
 *                               publisher and a reader may share a processor, define it as sched_yield()
 *
 * The defaults are __atomic_load_n and __atomic_store_n of gcc and clang, if these need no library, and the
 * Interlocked functions of Windows compilers. In C11, use atomic_load and atomic_store on
 * (_Atomic uintptr_t *)(to). Without any of them (tcc, 8-bit cores), the header declares nothing.
 *
 * 64 bytes for each reader and 4 words for the slot. Entering and leaving are two stores that other threads
 * must see: together about 9 ns on a server core without a publication (build/bench task=host). No
 * allocation, no double; works with SOOTH_PREDICT_ONLY.
 */
#if !defined(SOOTH_ONLINE_SLOT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_SLOT_IMPLEMENTED))
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

/* A thread's cell; no two cells are in one cache line. */
typedef struct sooth_slot_reader {
    uintptr_t epoch; /* of its entry; 0 means that the thread is not in */
    unsigned char reserved[64 - sizeof(uintptr_t)];
} sooth_slot_reader;

/* Must not be moved while in use. */
typedef struct sooth_slot {
    struct { /* private */
        uintptr_t model;
        uintptr_t epoch; /* odd */
        sooth_slot_reader *reader;
        size_t readers;
    } state;
} sooth_slot;

/* Call this before any thread uses the slot. reader[0..readers) is the host's memory, one cell per thread.
   model (may be NULL) is a model of any kind, or a host's struct with one. */
SOOTH_API void sooth_slot_init(sooth_slot *slot, sooth_slot_reader *reader, size_t readers, void *model);

/* Returns the current model, valid until sooth_slot_leave; NULL if none was published (leave then too).
   reader: the thread's number, below readers. Two threads must not share it at a time. Do not enter twice
   without leaving. */
SOOTH_API const void *sooth_slot_enter(sooth_slot *slot, size_t reader);
SOOTH_API void sooth_slot_leave(sooth_slot *slot, size_t reader);

/* Makes model (may be NULL) current, and returns the previous one, which other threads may still use. One
   thread publishes at a time. */
SOOTH_API void *sooth_slot_publish(sooth_slot *slot, void *model);

/* Returns 1 if no reader has a model from before the last publication: all those may be freed. Call it in the
   publishing thread. It does not wait. */
SOOTH_API int sooth_slot_is_quiet(const sooth_slot *slot);

/* Waits for sooth_slot_is_quiet, at most the longest stay of a reader. A thread that is in must not call it.
   */
SOOTH_API void sooth_slot_wait(const sooth_slot *slot);

#endif

SOOTHI_C_END
#endif /* SOOTH_ONLINE_SLOT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_SLOT_IMPLEMENTED)
#define SOOTH_ONLINE_SLOT_IMPLEMENTED
SOOTHI_C_BEGIN
#if SOOTHI_SLOT

SOOTH_API void sooth_slot_init(sooth_slot *slot, sooth_slot_reader *reader, size_t readers, void *model) {
    memset(reader, 0, readers * sizeof *reader);
    slot->state.reader = reader;
    slot->state.readers = readers;
    SOOTH_SLOT_STORE(&slot->state.epoch, (uintptr_t)1);
    SOOTH_SLOT_STORE(&slot->state.model, (uintptr_t)model);
}

SOOTH_API const void *sooth_slot_enter(sooth_slot *slot, size_t reader) {
    SOOTH_SLOT_STORE(&slot->state.reader[reader].epoch, SOOTH_SLOT_LOAD(&slot->state.epoch));
    return (const void *)SOOTH_SLOT_LOAD(&slot->state.model);
}

SOOTH_API void sooth_slot_leave(sooth_slot *slot, size_t reader) {
    SOOTH_SLOT_STORE(&slot->state.reader[reader].epoch, (uintptr_t)0);
}

/* Epochs are odd, so they are not 0 even after overflow. */
SOOTH_API void *sooth_slot_publish(sooth_slot *slot, void *model) {
    void *before = (void *)SOOTH_SLOT_LOAD(&slot->state.model);
    SOOTH_SLOT_STORE(&slot->state.model, (uintptr_t)model);
    SOOTH_SLOT_STORE(&slot->state.epoch, SOOTH_SLOT_LOAD(&slot->state.epoch) + 2);
    return before;
}

SOOTH_API int sooth_slot_is_quiet(const sooth_slot *slot) {
    const uintptr_t epoch = SOOTH_SLOT_LOAD(&slot->state.epoch);
    for (size_t i = 0; i < slot->state.readers; ++i) {
        const uintptr_t entered = SOOTH_SLOT_LOAD(&slot->state.reader[i].epoch);
        if (entered != 0 && entered != epoch) return 0;
    }
    return 1;
}

SOOTH_API void sooth_slot_wait(const sooth_slot *slot) {
    while (!sooth_slot_is_quiet(slot)) SOOTH_SLOT_PAUSE();
}

#endif
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
