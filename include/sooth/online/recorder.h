/* recorder.h - what ran and how long it took: the last of each kind of task, in fixed memory, as a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every host that learns while it runs keeps the same things: a row of features and a measurement for each
 * task, the last few of each kind, and when to learn again. A kind is a key: whatever makes tasks alike for
 * the host, a kernel and its size, or a user and a job's name, with the worker and the implementation where
 * these matter. A model learns over all keys from their features; the median of a key is what is known of it
 * without one. Two decisions are easily got wrong, and are made here:
 *
 *   spikes  A measurement is a spike when it lies more than threshold x max(1.4826 MAD, min_spread x
 *           |median|) from the median of what its key has learned. The MAD is the median distance from that
 *           median (drift.h has the method and its source). A spike is counted and kept apart, and is in no
 *           table: one task of 70 ms among those of 190 us moves no mean and no model.
 *   shifts  When run_length of a key's last 2 run_length - 1 measurements are spikes, and more than half of
 *           these agree, the spikes are the rule: the machine has changed. Those agree that lie within
 *           threshold x min_spread x |median| of their own median, a quarter of it by default. The bound is
 *           no multiple of their spread, which five times from 0.4 to 23 ms have in plenty: these are a bad
 *           moment, not a level. Where all 2 run_length - 1 are spikes what the key knew is over, whether
 *           they agree or not. The key forgets it and begins anew with its last run_length spikes, but for
 *           those among them that are spikes beside the others.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/online.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[1 << 11];
 *         const sooth_recorder_options options = {.features = 1, .keys = 8, .refit_every = 200};
 *         sooth_recorder *recorder;
 *         sooth_recorder_entry gemm;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_recorder_init(&env, &options, memory, sizeof memory, &recorder) != SOOTH_OK)
 *             return puts(env.sentence);
 *         for (int i = 0; i < 400; ++i) {            // a kernel of 190 us, now and then 70 ms; then slower
 *             const float size = 4096, us = (i < 300 ? 190 : 260) + (float)(i * 37 % 11);
 *             const float measured = i % 100 == 50 ? 70000 : us;
 *             if (sooth_recorder_observe(recorder, 1, &size, measured) == SOOTH_RECORDER_SHIFT)
 *                 printf("another machine at %d\n", i);
 *             //> another machine at 304
 *             if (sooth_recorder_due(recorder)) {    // fit a model to this table, here or in another thread
 *                 const sooth_table table = sooth_recorder_table(recorder);
 *                 printf("refit at %d on %u rows\n", i, (unsigned)table.rows);
 *                 //> refit at 304 on 5 rows
 *             }
 *         }
 *         sooth_recorder_find(recorder, 1, &gemm);
 *         printf("%g us, %u spikes of %u\n", (double)gemm.median, gemm.spikes, (unsigned)recorder->observed);
 *         //> 265 us, 9 spikes of 400
 *         return 0;
 *     }
 *
 * All of it is one block without pointers: memcpy of recorder->size bytes, under the host's lock, is a copy
 * that another thread may fit a model to while the first goes on recording. It is memory of this program, not
 * a file: nothing checks its bytes. With SOOTH_PREDICT_ONLY it is not there.
 *
 * When all keys are taken, a new one takes the place of the key that was not measured for longest. What a
 * recorder holds depends on the measurements and their order alone.
 *
 * What is refused: measurements that are NaN, infinite or above 2^60 in magnitude, and rows with an infinity
 * (NaN is a missing feature). Such a measurement changes nothing but the count `refused`.
 *
 * Costs: no allocation, no libm; a recorder is used by one thread at a time. sooth_recorder_size bytes: for
 * keys K, window m, run_length k and F features about K (56 + 20 m + (m + k) (12 + 4 F)). A measurement takes
 * O(m) steps, 150 ns on a server core for m 32 (build/bench task=host), 6 ns to find a key; a shift O(m F),
 * and a new key in a full recorder O(K + m F).
 */
#if !defined(SOOTH_ONLINE_RECORDER_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_RECORDER_IMPLEMENTED))
#include "drift.h"
#endif

#if !defined(SOOTH_ONLINE_RECORDER_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_ONLINE_RECORDER_H
SOOTHI_C_BEGIN

typedef struct sooth_recorder_options {
    uint32_t features;      /* of a row, 1 to 65,536; 0: 1 */
    uint32_t keys;          /* kept at once, 1 to 2^20; 0: 64 */
    uint32_t window_size;   /* m, measurements kept of a key, 3 to 65,536; 0: 32 */
    uint32_t min_instances; /* measurements of a key before one can be a spike, 3 to m; 0: 10, or m if less */
    uint32_t run_length;    /* spikes of the last 2 run_length - 1 for a shift, 1 to 32; 0: 5, or m if less */
    uint32_t refit_every;   /* measurements learned from one refit to the next; 0: 100 */
    double threshold;       /* robust standard deviations; 0: 5 */
    double min_spread;      /* least robust standard deviation, as a share of the median; 0: 0.05. With the
                               threshold of 5 nothing within a quarter of the median is a spike */
} sooth_recorder_options;

/* What became of a measurement. */
typedef enum sooth_recorded {
    SOOTH_RECORDER_REFUSED = 0, /* no use: only counted */
    SOOTH_RECORDER_LEARNED,     /* it is in the table */
    SOOTH_RECORDER_SPIKE,       /* it is kept apart */
    SOOTH_RECORDER_SHIFT        /* the spikes of its key are the rule now, and in the table */
} sooth_recorded;

/* What it was made with, and counts since then, which stop at their greatest value. The arrays follow it. */
typedef struct sooth_recorder {
    size_t size;       /* bytes, arrays included */
    uint64_t observed; /* measurements, but for refused ones */
    uint32_t features, keys, window_size, min_instances, run_length, refit_every;
    float threshold, min_spread;
    uint32_t known;   /* keys it has now */
    uint32_t rows;    /* rows it has now, of all keys */
    uint32_t fresh;   /* measurements learned since a refit was due */
    uint32_t refused; /* measurements that were no use */
    uint32_t spikes;
    uint32_t shifts;
    uint32_t evicted; /* keys that made place for others */
    uint32_t buckets;
} sooth_recorder;

/* What is known of a key. */
typedef struct sooth_recorder_entry {
    uint64_t last;   /* the number of its last measurement, counted from 1 as `observed` */
    uint32_t count;  /* measurements in its window */
    uint32_t spikes; /* since it is known */
    uint32_t shifts;
    float median, mad; /* of the window; NaN where count is 0 */
    float spike;       /* the last one; NaN: there was none */
} sooth_recorder_entry;

/* Bytes that a recorder takes; 0 where the options are wrong. */
SOOTH_API size_t sooth_recorder_size(const sooth_recorder_options *options);

/* Makes an empty recorder at the beginning of memory[0..size), which is aligned as for double and must live
   as long. SOOTH_BAD_ARGUMENT with a sentence; SOOTH_NO_MEMORY states the size. */
SOOTH_API sooth_status sooth_recorder_init(sooth_env *env, const sooth_recorder_options *options,
                                           void *memory, size_t size, sooth_recorder **recorder);

/* A task of this key with this row of features was measured. */
SOOTH_API sooth_recorded sooth_recorder_observe(sooth_recorder *recorder, uint64_t key, const float *row,
                                                float measured);

/* 1 when refit_every measurements were learned since it was 1 last, and after a shift; then counts anew. The
   host refits where it likes: in this thread, in idle time, or from a copy in another. */
SOOTH_API int sooth_recorder_due(sooth_recorder *recorder);

/* What was learned, in place: one target, group says which rows are of one key (so that a key can be left out
   as a whole), no weights, no names. Good until the next measurement. */
SOOTH_API sooth_table sooth_recorder_table(const sooth_recorder *recorder);

/* For each row of that table the number of its measurement, by which they come into the order of time. */
SOOTH_API const uint64_t *sooth_recorder_order(const sooth_recorder *recorder);

/* 1 and what is known of a key; 0 where it is not known. O(log m). */
SOOTH_API int sooth_recorder_find(const sooth_recorder *recorder, uint64_t key, sooth_recorder_entry *entry);

/* What the options are called and may be. */
SOOTH_API sooth_option_list sooth_recorder_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_ONLINE_RECORDER_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_RECORDER_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_ONLINE_RECORDER_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the arrays ---- */

#define SOOTHI_RECORDER_NONE UINT32_MAX

typedef struct soothi_recorder_key {
    uint64_t key;
    uint64_t last;       /* its last measurement */
    uint64_t recent;     /* bit i: the i-th before the last was a spike */
    uint32_t chain;      /* the next key of its bucket */
    uint32_t count;      /* of the window */
    uint32_t next;       /* where in the window the next measurement goes */
    uint32_t next_spike; /* among its run_length places for spikes */
    uint32_t spikes;
    uint32_t shifts;
} soothi_recorder_key;

/* Rows below keys x m are learned: the first `rows` of them are taken, in no order, so they are a table as
   they stand. From keys x m on each key has run_length places for its last spikes. */
typedef struct soothi_recorder_parts {
    soothi_recorder_key *key; /* the first `known` are taken */
    uint32_t *bucket;         /* first key of each */
    float *window;            /* of each key 2 m: a sooth_location's memory */
    uint32_t *slot;           /* slot[k m + i]: the row of the measurement in place i of key k's window */
    uint32_t *owner;          /* of a row below keys x m: the place k m + i that it is of */
    uint32_t *group;          /* of such a row: k */
    uint64_t *order;
    float *x;
    float *y;
} soothi_recorder_parts;

SOOTHI_LOCAL soothi_recorder_parts soothi_recorder_lay(const sooth_recorder *r, soothi_carver *c) {
    const size_t keys = r->keys, m = r->window_size, learned = keys * m,
                 rows = learned + keys * r->run_length;
    soothi_recorder_parts p;
    soothi_carve(c, 1, sizeof *r);
    p.key = (soothi_recorder_key *)soothi_carve(c, keys, sizeof *p.key);
    p.bucket = (uint32_t *)soothi_carve(c, r->buckets, sizeof *p.bucket);
    p.window = (float *)soothi_carve(c, 2 * learned, sizeof *p.window);
    p.slot = (uint32_t *)soothi_carve(c, learned, sizeof *p.slot);
    p.owner = (uint32_t *)soothi_carve(c, learned, sizeof *p.owner);
    p.group = (uint32_t *)soothi_carve(c, learned, sizeof *p.group);
    p.order = (uint64_t *)soothi_carve(c, rows, sizeof *p.order);
    p.x = (float *)soothi_carve(c, soothi_product(rows, r->features), sizeof *p.x);
    p.y = (float *)soothi_carve(c, rows, sizeof *p.y);
    return p;
}

/* Where the arrays stand; who has a const recorder does not write to them. */
SOOTHI_LOCAL soothi_recorder_parts soothi_recorder_open(const sooth_recorder *r) {
    soothi_carver c = {(unsigned char *)(uintptr_t)r, 0};
    return soothi_recorder_lay(r, &c);
}

/* ---- keys ---- */

SOOTHI_LOCAL uint32_t *soothi_recorder_bucket(const sooth_recorder *r, const soothi_recorder_parts *p,
                                              uint64_t key) {
    /* the high bits of a product with the golden ratio */
    return &p->bucket[(uint32_t)(key * 0x9E3779B97F4A7C15u >> 40) & (r->buckets - 1)];
}

SOOTHI_LOCAL uint32_t soothi_recorder_place(const sooth_recorder *r, const soothi_recorder_parts *p,
                                            uint64_t key) {
    uint32_t k = *soothi_recorder_bucket(r, p, key);
    while (k != SOOTHI_RECORDER_NONE && p->key[k].key != key) k = p->key[k].chain;
    return k;
}

/* One measurement, of a host or of a row. */
typedef struct soothi_recorder_run {
    const float *x;
    float y;
    uint64_t order;
} soothi_recorder_run;

SOOTHI_LOCAL soothi_recorder_run soothi_recorder_run_at(const sooth_recorder *r,
                                                        const soothi_recorder_parts *p, size_t row) {
    const soothi_recorder_run run = {p->x + row * r->features, p->y[row], p->order[row]};
    return run;
}

SOOTHI_LOCAL void soothi_recorder_put(const sooth_recorder *r, const soothi_recorder_parts *p, size_t row,
                                      soothi_recorder_run run) {
    memcpy(p->x + row * r->features, run.x, r->features * sizeof *run.x);
    p->y[row] = run.y;
    p->order[row] = run.order;
}

/* Key k gives its rows back; the last rows of the table fill the gaps. */
SOOTHI_LOCAL void soothi_recorder_forget(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k) {
    for (uint32_t i = 0; i < p->key[k].count; ++i) {
        const uint32_t gap = p->slot[k * r->window_size + i], last = --r->rows;
        if (gap == last) continue;
        soothi_recorder_put(r, p, gap, soothi_recorder_run_at(r, p, last));
        p->owner[gap] = p->owner[last];
        p->group[gap] = p->group[last];
        p->slot[p->owner[gap]] = gap;
    }
    p->key[k].count = p->key[k].next = 0;
}

/* The place of the key that was not measured for longest, which is forgotten. */
SOOTHI_LOCAL uint32_t soothi_recorder_evict(sooth_recorder *r, const soothi_recorder_parts *p) {
    uint32_t oldest = 0;
    for (uint32_t k = 1; k < r->known; ++k)
        if (p->key[k].last < p->key[oldest].last) oldest = k;
    uint32_t *link = soothi_recorder_bucket(r, p, p->key[oldest].key);
    while (*link != oldest) link = &p->key[*link].chain;
    *link = p->key[oldest].chain;
    soothi_recorder_forget(r, p, oldest);
    r->evicted += r->evicted < UINT32_MAX;
    return oldest;
}

SOOTHI_LOCAL uint32_t soothi_recorder_enter(sooth_recorder *r, const soothi_recorder_parts *p, uint64_t key) {
    const uint32_t k = r->known < r->keys ? r->known++ : soothi_recorder_evict(r, p);
    uint32_t *bucket = soothi_recorder_bucket(r, p, key);
    memset(&p->key[k], 0, sizeof p->key[k]);
    p->key[k].key = key;
    p->key[k].chain = *bucket;
    *bucket = k;
    return k;
}

/* ---- measurements ---- */

/* The window of key k as drift.h knows it. */
SOOTHI_LOCAL sooth_location soothi_recorder_location(const sooth_recorder *r, const soothi_recorder_parts *p,
                                                     uint32_t k) {
    sooth_location l;
    memset(&l, 0, sizeof l);
    l.window_size = r->window_size;
    l.min_instances = r->min_instances;
    l.threshold = r->threshold;
    l.memory = p->window + 2 * (size_t)r->window_size * k;
    l.count = p->key[k].count;
    l.next = p->key[k].next;
    return l;
}

/* A measurement of key k joins the table, in place of the key's oldest when its window is full. */
SOOTHI_LOCAL void soothi_recorder_learn(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                        soothi_recorder_run run) {
    sooth_location l = soothi_recorder_location(r, p, k);
    const uint32_t place = k * r->window_size + l.next;
    if (l.count < l.window_size) {
        p->slot[place] = r->rows;
        p->owner[r->rows] = place;
        p->group[r->rows++] = k;
    }
    soothi_recorder_put(r, p, p->slot[place], run);
    soothi_location_insert(&l, run.y);
    p->key[k].count = l.count;
    p->key[k].next = l.next;
    r->fresh += r->fresh < UINT32_MAX;
}

/* ---- spikes ---- */

/* Does a value lie outside of the window, as the recorder's options have it? */
SOOTHI_LOCAL int soothi_recorder_outside(const sooth_recorder *r, sooth_location *l, float value) {
    const float median = l->count ? sooth_location_median(l) : 0.0f;
    l->min_spread = r->min_spread * (median < 0.0f ? -median : median);
    return soothi_location_side(l, value) != SOOTH_DRIFT_NONE;
}

/* The row of key k's i-th place for spikes. */
SOOTHI_LOCAL size_t soothi_recorder_apart(const sooth_recorder *r, uint32_t k, uint32_t i) {
    return (size_t)r->keys * r->window_size + (size_t)k * r->run_length + i;
}

enum { SOOTHI_RECORDER_RUN = 32 }; /* run_length at most */

/* The last run_length spikes of key k, as drift.h knows a window, in memory for 2 SOOTHI_RECORDER_RUN. */
SOOTHI_LOCAL sooth_location soothi_recorder_spikes(const sooth_recorder *r, const soothi_recorder_parts *p,
                                                   uint32_t k, float *memory) {
    sooth_location l;
    memset(&l, 0, sizeof l);
    l.window_size = SOOTHI_RECORDER_RUN;
    l.threshold = r->threshold;
    l.memory = memory;
    for (uint32_t i = 0; i < r->run_length; ++i)
        soothi_location_insert(&l, p->y[soothi_recorder_apart(r, k, i)]);
    return l;
}

/* Has key k another level now? Of its last 2 run_length - 1 measurements enough are spikes, and these agree,
   or all are. */
SOOTHI_LOCAL int soothi_recorder_shifted(const sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                         const sooth_location *l) {
    const float median = sooth_location_median(l),
                bound = r->threshold * r->min_spread * (median < 0.0f ? -median : median);
    uint32_t spikes = 0, agree = 0;
    for (uint32_t i = 0; i < 2 * r->run_length - 1; ++i) spikes += (uint32_t)(p->key[k].recent >> i) & 1u;
    for (uint32_t i = 0; i < r->run_length; ++i) {
        const float away = p->y[soothi_recorder_apart(r, k, i)] - median;
        agree += away <= bound && away >= -bound;
    }
    return spikes == 2 * r->run_length - 1 || (spikes >= r->run_length && agree > r->run_length / 2);
}

/* Key k forgets what it had. Its last spikes, the oldest first, are what it knows, but for those that lie
   outside of what they are together: one may be a true spike, amid the shift. */
SOOTHI_LOCAL void soothi_recorder_shift(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                        sooth_location *l) {
    soothi_recorder_key *key = &p->key[k];
    soothi_recorder_forget(r, p, k);
    for (uint32_t i = 0; i < r->run_length; ++i) {
        const size_t row = soothi_recorder_apart(r, k, key->next_spike);
        if (!soothi_recorder_outside(r, l, p->y[row]))
            soothi_recorder_learn(r, p, k, soothi_recorder_run_at(r, p, row));
        if (++key->next_spike == r->run_length) key->next_spike = 0;
    }
    key->recent = 0;
    key->shifts += key->shifts < UINT32_MAX;
    r->shifts += r->shifts < UINT32_MAX;
    r->fresh = UINT32_MAX; /* a refit is due */
}

/* Can this be learned from? */
SOOTHI_LOCAL int soothi_recorder_takes(sooth_recorder *r, const float *row, float measured) {
    if (!soothi_drift_takes(measured, &r->refused)) return 0;
    for (uint32_t j = 0; j < r->features; ++j)
        if (!soothi_nan((double)row[j]) && !soothi_finite((double)row[j])) {
            r->refused += r->refused < UINT32_MAX;
            return 0;
        }
    return 1;
}

SOOTH_API sooth_recorded sooth_recorder_observe(sooth_recorder *r, uint64_t key, const float *row,
                                                float measured) {
    if (!soothi_recorder_takes(r, row, measured)) return SOOTH_RECORDER_REFUSED;
    const soothi_recorder_parts p = soothi_recorder_open(r);
    uint32_t k = soothi_recorder_place(r, &p, key);
    if (k == SOOTHI_RECORDER_NONE) k = soothi_recorder_enter(r, &p, key);
    soothi_recorder_key *own = &p.key[k];
    sooth_location l = soothi_recorder_location(r, &p, k);
    measured += 0.0f; /* -0 becomes 0, which sorts like it */
    const int spike = soothi_recorder_outside(r, &l, measured);

    const soothi_recorder_run run = {row, measured, ++r->observed};
    own->last = run.order;
    own->recent = own->recent << 1 | (uint64_t)spike;
    if (!spike) {
        soothi_recorder_learn(r, &p, k, run);
        return SOOTH_RECORDER_LEARNED;
    }
    soothi_recorder_put(r, &p, soothi_recorder_apart(r, k, own->next_spike), run);
    if (++own->next_spike == r->run_length) own->next_spike = 0;
    own->spikes += own->spikes < UINT32_MAX;
    r->spikes += r->spikes < UINT32_MAX;
    float memory[2 * SOOTHI_RECORDER_RUN];
    sooth_location last = soothi_recorder_spikes(r, &p, k, memory);
    if (!soothi_recorder_shifted(r, &p, k, &last)) return SOOTH_RECORDER_SPIKE;
    soothi_recorder_shift(r, &p, k, &last);
    return SOOTH_RECORDER_SHIFT;
}

/* ---- what is known ---- */

SOOTH_API int sooth_recorder_due(sooth_recorder *r) {
    if (r->fresh < r->refit_every) return 0;
    r->fresh = 0;
    return 1;
}

SOOTH_API sooth_table sooth_recorder_table(const sooth_recorder *r) {
    const soothi_recorder_parts p = soothi_recorder_open(r);
    sooth_table table = sooth_table_of(p.x, p.y, r->rows, r->features);
    table.group = p.group;
    return table;
}

SOOTH_API const uint64_t *sooth_recorder_order(const sooth_recorder *r) {
    return soothi_recorder_open(r).order;
}

SOOTH_API int sooth_recorder_find(const sooth_recorder *r, uint64_t key, sooth_recorder_entry *entry) {
    const soothi_recorder_parts p = soothi_recorder_open(r);
    const uint32_t k = soothi_recorder_place(r, &p, key);
    if (k == SOOTHI_RECORDER_NONE) return 0;
    const soothi_recorder_key *own = &p.key[k];
    const sooth_location l = soothi_recorder_location(r, &p, k);
    const uint32_t newest = own->next_spike ? own->next_spike - 1 : r->run_length - 1;
    entry->last = own->last;
    entry->count = own->count;
    entry->spikes = own->spikes;
    entry->shifts = own->shifts;
    entry->median = sooth_location_median(&l);
    entry->mad = sooth_location_mad(&l);
    entry->spike = own->spikes ? p.y[soothi_recorder_apart(r, k, newest)] : soothi_missing();
    return 1;
}

/* ---- making one ---- */

SOOTH_API sooth_option_list sooth_recorder_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_recorder_options, features, 1, 65536, 1, "of a row"),
        SOOTHI_COUNT(sooth_recorder_options, keys, 1, 1048576, 64, "kept at once"),
        SOOTHI_COUNT(sooth_recorder_options, window_size, 3, 65536, 32, "measurements kept of a key"),
        SOOTHI_COUNT(sooth_recorder_options, min_instances, 3, 65536, 0,
                     "measurements before one can be a spike; 0: 10, or window_size if that is less"),
        SOOTHI_COUNT(sooth_recorder_options, run_length, 1, SOOTHI_RECORDER_RUN, 0,
                     "spikes of the last 2 run_length - 1 that may be a shift; 0: 5, or window_size if less"),
        SOOTHI_COUNT(sooth_recorder_options, refit_every, 1, 1073741824, 100,
                     "measurements learned from one refit to the next"),
        SOOTHI_NUMBER(sooth_recorder_options, threshold, 1e-6, 1e6, 5,
                      "robust standard deviations from the median that are a spike"),
        SOOTHI_NUMBER(sooth_recorder_options, min_spread, 1e-6, 1e6, 0.05,
                      "least robust standard deviation, as a share of the median")};
    return SOOTHI_OPTIONS(option);
}

/* An empty recorder of these options, and its size. */
SOOTHI_LOCAL sooth_status soothi_recorder_shape(sooth_env *env, const sooth_recorder_options *options,
                                                sooth_recorder *r) {
    sooth_recorder_options o;
    soothi_carver c = {NULL, 0};
    memset(&o, 0, sizeof o);
    memset(r, 0, sizeof *r);
    sooth_status status = soothi_drift_fill(env, sooth_recorder_options_list(), options, sizeof o, &o);
    if (status != SOOTH_OK) return status;
    const uint32_t m = o.window_size;
    if (o.min_instances == 0) o.min_instances = m < 10 ? m : 10;
    if (o.run_length == 0) o.run_length = m < 5 ? m : 5;
    if (o.min_instances > m || o.run_length > m)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "%s is %u, but the window of a key holds %u measurements",
                           o.run_length > m ? "run_length" : "min_instances",
                           o.run_length > m ? o.run_length : o.min_instances, m);
    if ((uint64_t)o.keys * (m + o.run_length) > UINT32_MAX / 2)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "%u keys with %u measurements and %u spikes each are more than 2^31 rows", o.keys,
                           m, o.run_length);
    r->features = o.features;
    r->keys = o.keys;
    r->window_size = m;
    r->min_instances = o.min_instances;
    r->run_length = o.run_length;
    r->refit_every = o.refit_every;
    r->threshold = (float)o.threshold;
    r->min_spread = (float)o.min_spread;
    for (r->buckets = 1; r->buckets < o.keys;) r->buckets *= 2;
    soothi_recorder_lay(r, &c);
    r->size = c.used;
    return SOOTH_OK;
}

SOOTH_API size_t sooth_recorder_size(const sooth_recorder_options *options) {
    sooth_recorder r;
    return soothi_recorder_shape(NULL, options, &r) == SOOTH_OK ? r.size : 0;
}

SOOTH_API sooth_status sooth_recorder_init(sooth_env *env, const sooth_recorder_options *options,
                                           void *memory, size_t size, sooth_recorder **recorder) {
    sooth_recorder r;
    *recorder = NULL;
    sooth_status status = soothi_recorder_shape(env, options, &r);
    if (status == SOOTH_OK) status = soothi_drift_room(env, "the recorder", memory, size, r.size);
    if (status != SOOTH_OK) return status;
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the recorder's memory is not aligned as for double");
    memset(memory, 0, r.size);
    memcpy(memory, &r, sizeof r);
    *recorder = (sooth_recorder *)memory;
    const soothi_recorder_parts p = soothi_recorder_open(*recorder);
    for (uint32_t i = 0; i < r.buckets; ++i) p.bucket[i] = SOOTHI_RECORDER_NONE;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
