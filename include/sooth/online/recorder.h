/* online/recorder.h - the last measurements of each kind of task, in fixed memory, as a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * What is a spike and what is a shift is in online.h. The rows of all keys form one table at any time. The
 * windows of keys are those of base/order.h. Content depends only on the measurements and their order.
 */
#if !defined(SOOTH_ONLINE_RECORDER_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_RECORDER_IMPLEMENTED))
#include "drift.h"
#endif

#if !defined(SOOTH_ONLINE_RECORDER_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_ONLINE_RECORDER_H
SOOTHI_C_BEGIN

typedef struct sooth_recorder_options {
    uint32_t features;      /* of a row, 1 to 65,536; 0 means 1 */
    uint32_t keys;          /* maximum number of keys, 1 to 2^20; 0 means 64 */
    uint32_t window_size;   /* m, measurements stored per key, 3 to 65,536; 0 means 32 */
    uint32_t min_instances; /* measurements of a key before any can be a spike, 3 to m; 0 means min(10, m) */
    uint32_t run_length;    /* spikes of the last 2 run_length - 1 for a shift, 1 to 32; 0 means min(5, m) */
    uint32_t refit_every;   /* measurements learned between refits; 0 means 100 */
    double threshold;       /* robust standard deviations; 0 means 5 */
    double min_spread;      /* minimum robust standard deviation, as a fraction of the median; 0 means 0.05.
                               With a threshold of 5, nothing within a quarter of the median is a spike */
    uint32_t keep_spikes;   /* 1: the table has the spikes too, for models of upper quantiles. They are still
                               counted, and a shift still restarts the key */
    uint32_t equal_weight;  /* 1: the table has weights. The rows of each key have the same total, m, so that
                               a common kind of task does not outweigh a rare one */
} sooth_recorder_options;

/* The result of an observation. */
typedef enum sooth_recorded {
    SOOTH_RECORDER_REFUSED = 0, /* invalid: only counted */
    SOOTH_RECORDER_LEARNED,     /* stored in the table */
    SOOTH_RECORDER_SPIKE,       /* stored separately, with keep_spikes in the table too */
    SOOTH_RECORDER_SHIFT        /* the key's spikes are its new level, and are now in the table */
} sooth_recorded;

/* The options, and counts since initialisation that stop at their maximum. The arrays follow. */
typedef struct sooth_recorder {
    size_t size;       /* bytes, arrays included */
    uint64_t observed; /* measurements, without refused ones */
    uint32_t features, keys, window_size, min_instances, run_length, refit_every;
    float threshold, min_spread;
    uint32_t keep_spikes, equal_weight;
    uint32_t known;   /* current keys */
    uint32_t rows;    /* current rows, of all keys */
    uint32_t fresh;   /* measurements learned since the last refit was due */
    uint32_t refused; /* invalid measurements */
    uint32_t spikes;
    uint32_t shifts;
    uint32_t evicted; /* keys replaced by others */
    uint32_t buckets; /* of the hash table that finds keys */
} sooth_recorder;

/* The state of a key. */
typedef struct sooth_recorder_entry {
    uint64_t last;   /* number of its last measurement, from 1 as in `observed` */
    uint32_t count;  /* measurements in its window */
    uint32_t spikes; /* since the key was added */
    uint32_t shifts;
    float median, mad; /* of the window; NaN if count is 0 */
    float spike;       /* the last spike; NaN if there was none */
} sooth_recorder_entry;

/* Returns the bytes of a recorder; 0 if the options are invalid. */
SOOTH_API size_t sooth_recorder_size(const sooth_recorder_options *options);

/* Makes an empty recorder at the start of memory[0..size), which is aligned like a double and must live as
   long. Returns SOOTH_BAD_ARGUMENT with a reason; SOOTH_NO_MEMORY reports the size. */
SOOTH_API sooth_status sooth_recorder_init(sooth_env *env, const sooth_recorder_options *options,
                                           void *memory, size_t size, sooth_recorder **recorder);

/* Adds a measured task with this key and this row of features. */
SOOTH_API sooth_recorded sooth_recorder_observe(sooth_recorder *recorder, uint64_t key, const float *row,
                                                float measured);

/* Returns 1 if refit_every measurements were learned since it last returned 1, or after a shift; then
   restarts the count. The host may refit in this thread, in idle time, or from a copy in another thread. */
SOOTH_API int sooth_recorder_due(sooth_recorder *recorder);

/* Returns the learned rows, in place: one target, no names, and weights with equal_weight only. `group`
   numbers the keys, so that a key can be left out as a whole. An interval that is calibrated on it then
   covers tasks of a new key, and is unbounded for few keys: a level of 0.9 needs 9 (train/calibrate.h). Set
   group to NULL for an interval of more tasks of these keys. Valid until the next measurement. */
SOOTH_API sooth_table sooth_recorder_table(const sooth_recorder *recorder);

/* Gets the state of a key. Returns its number, which is the `group` of its rows, or SOOTH_NONE if there is no
   such key. entry may be NULL. O(log m). */
SOOTH_API size_t sooth_recorder_find(const sooth_recorder *recorder, uint64_t key,
                                     sooth_recorder_entry *entry);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_recorder_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_ONLINE_RECORDER_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_RECORDER_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_ONLINE_RECORDER_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the arrays ---- */

#define SOOTHI_RECORDER_NONE UINT32_MAX

typedef struct soothi_recorder_key {
    uint64_t key;
    uint64_t last;       /* number of its last measurement */
    uint64_t recent;     /* bit i: the i-th measurement before the last was a spike */
    uint32_t chain;      /* the next key of its bucket */
    uint32_t count;      /* in the window */
    uint32_t next;       /* index of the next measurement in the window */
    uint32_t next_spike; /* index of the next spike, below run_length */
    uint32_t spikes;
    uint32_t shifts;
} soothi_recorder_key;

/* Rows below keys x m are learned: the first `rows` are in use, in any order, so they form a table as they
   are. From keys x m on each key has run_length rows for its last spikes. */
typedef struct soothi_recorder_parts {
    soothi_recorder_key *key; /* the first `known` are in use */
    uint32_t *bucket;         /* first key of each bucket */
    float *window;            /* 2 m floats per key, see base/order.h */
    uint32_t *slot;           /* slot[k m + i]: the row of measurement i in key k's window */
    uint32_t *owner;          /* of a row below keys x m: its index k m + i */
    uint32_t *group;          /* of a row below keys x m: k */
    float *weight;            /* of a row below keys x m, with equal_weight */
    float *x;
    float *y;
} soothi_recorder_parts;

SOOTHI_LOCAL soothi_recorder_parts soothi_recorder_layout(const sooth_recorder *r, soothi_carver *c) {
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
    p.weight = (float *)soothi_carve(c, r->equal_weight ? learned : 0, sizeof *p.weight);
    p.x = (float *)soothi_carve(c, soothi_product(rows, r->features), sizeof *p.x);
    p.y = (float *)soothi_carve(c, rows, sizeof *p.y);
    return p;
}

/* Computes the addresses of the arrays. Callers with a const recorder must not write to them. */
SOOTHI_LOCAL soothi_recorder_parts soothi_recorder_open(const sooth_recorder *r) {
    soothi_carver c = {(unsigned char *)(uintptr_t)r, 0};
    return soothi_recorder_layout(r, &c);
}

/* ---- keys ---- */

SOOTHI_LOCAL uint32_t *soothi_recorder_bucket(const sooth_recorder *r, const soothi_recorder_parts *p,
                                              uint64_t key) {
    /* the high bits of a product with the golden ratio */
    return &p->bucket[(uint32_t)(key * 0x9E3779B97F4A7C15u >> 40) & (r->buckets - 1)];
}

SOOTHI_LOCAL uint32_t soothi_recorder_lookup(const sooth_recorder *r, const soothi_recorder_parts *p,
                                             uint64_t key) {
    uint32_t k = *soothi_recorder_bucket(r, p, key);
    while (k != SOOTHI_RECORDER_NONE && p->key[k].key != key) k = p->key[k].chain;
    return k;
}

/* One measurement, of the host or of a row. */
typedef struct soothi_recorder_run {
    const float *x;
    float y;
} soothi_recorder_run;

SOOTHI_LOCAL soothi_recorder_run soothi_recorder_run_at(const sooth_recorder *r,
                                                        const soothi_recorder_parts *p, size_t row) {
    const soothi_recorder_run run = {p->x + row * r->features, p->y[row]};
    return run;
}

SOOTHI_LOCAL void soothi_recorder_put(const sooth_recorder *r, const soothi_recorder_parts *p, size_t row,
                                      soothi_recorder_run run) {
    memcpy(p->x + row * r->features, run.x, r->features * sizeof *run.x);
    p->y[row] = run.y;
}

/* Frees the rows of key k; the last rows of the table fill the gaps. */
SOOTHI_LOCAL void soothi_recorder_forget(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k) {
    for (uint32_t i = 0; i < p->key[k].count; ++i) {
        const uint32_t gap = p->slot[k * r->window_size + i], last = --r->rows;
        if (gap == last) continue;
        soothi_recorder_put(r, p, gap, soothi_recorder_run_at(r, p, last));
        p->owner[gap] = p->owner[last];
        p->group[gap] = p->group[last];
        if (r->equal_weight) p->weight[gap] = p->weight[last];
        p->slot[p->owner[gap]] = gap;
    }
    p->key[k].count = p->key[k].next = 0;
}

/* Removes the least recently used key and returns its index. */
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

SOOTHI_LOCAL uint32_t soothi_recorder_add_key(sooth_recorder *r, const soothi_recorder_parts *p,
                                              uint64_t key) {
    const uint32_t k = r->known < r->keys ? r->known++ : soothi_recorder_evict(r, p);
    uint32_t *bucket = soothi_recorder_bucket(r, p, key);
    memset(&p->key[k], 0, sizeof p->key[k]);
    p->key[k].key = key;
    p->key[k].chain = *bucket;
    *bucket = k;
    return k;
}

/* ---- measurements ---- */

/* Returns the window of key k (see base/order.h). */
SOOTHI_LOCAL float *soothi_recorder_window(const sooth_recorder *r, const soothi_recorder_parts *p,
                                           uint32_t k) {
    return p->window + 2 * (size_t)r->window_size * k;
}

/* Adds a measurement of key k to the table. It replaces the key's oldest one if its window is full. */
SOOTHI_LOCAL void soothi_recorder_learn(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                        soothi_recorder_run run) {
    soothi_recorder_key *key = &p->key[k];
    const uint32_t place = k * r->window_size + key->next;
    if (key->count < r->window_size) {
        p->slot[place] = r->rows;
        p->owner[r->rows] = place;
        p->group[r->rows++] = k;
    }
    soothi_recorder_put(r, p, p->slot[place], run);
    const uint32_t before = key->count;
    soothi_window_insert(soothi_recorder_window(r, p, k), r->window_size, &key->count, &key->next, run.y);
    if (r->equal_weight && key->count != before)
        for (uint32_t i = 0; i < key->count; ++i)
            p->weight[p->slot[k * r->window_size + i]] = (float)r->window_size / (float)key->count;
    r->fresh += r->fresh < UINT32_MAX;
}

/* ---- spikes ---- */

/* Returns true if a value is outside of sorted values, by the recorder's options. */
SOOTHI_LOCAL int soothi_recorder_outside(const sooth_recorder *r, const float *sorted, uint32_t count,
                                         float value) {
    const float median = soothi_sorted_median(sorted, count);
    return soothi_drift_side(sorted, count, r->threshold, r->min_spread * (median < 0.0f ? -median : median),
                             value) != SOOTH_DRIFT_NONE;
}

/* Returns the row of key k's i-th spike. */
SOOTHI_LOCAL size_t soothi_recorder_spike_row(const sooth_recorder *r, uint32_t k, uint32_t i) {
    return (size_t)r->keys * r->window_size + (size_t)k * r->run_length + i;
}

enum { SOOTHI_RECORDER_RUN = 32 }; /* maximum run_length */

/* Stores the last run_length spikes of key k in memory, sorted from memory + SOOTHI_RECORDER_RUN on. */
SOOTHI_LOCAL void soothi_recorder_spikes(const sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                         float memory[2 * SOOTHI_RECORDER_RUN]) {
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < r->run_length; ++i)
        soothi_window_insert(memory, SOOTHI_RECORDER_RUN, &count, &next,
                             p->y[soothi_recorder_spike_row(r, k, i)]);
}

/* Returns true if enough of key k's last 2 run_length - 1 measurements are spikes that agree, or if all are.
   */
SOOTHI_LOCAL int soothi_recorder_shifted(const sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                         const float *sorted) {
    const float median = soothi_sorted_median(sorted, r->run_length),
                bound = r->threshold * r->min_spread * (median < 0.0f ? -median : median);
    uint32_t spikes = 0, agree = 0;
    for (uint32_t i = 0; i < 2 * r->run_length - 1; ++i) spikes += (uint32_t)(p->key[k].recent >> i) & 1u;
    for (uint32_t i = 0; i < r->run_length; ++i) {
        const float away = p->y[soothi_recorder_spike_row(r, k, i)] - median;
        agree += away <= bound && away >= -bound;
    }
    return spikes == 2 * r->run_length - 1 || (spikes >= r->run_length && agree > r->run_length / 2);
}

/* Clears key k, then adds its last spikes, the oldest first. Spikes outside of their common window are left
   out, without keep_spikes: a true spike may occur during the shift. */
SOOTHI_LOCAL void soothi_recorder_shift(sooth_recorder *r, const soothi_recorder_parts *p, uint32_t k,
                                        const float *sorted) {
    soothi_recorder_key *key = &p->key[k];
    soothi_recorder_forget(r, p, k);
    for (uint32_t i = 0; i < r->run_length; ++i) {
        const size_t row = soothi_recorder_spike_row(r, k, key->next_spike);
        if (r->keep_spikes || !soothi_recorder_outside(r, sorted, r->run_length, p->y[row]))
            soothi_recorder_learn(r, p, k, soothi_recorder_run_at(r, p, row));
        if (++key->next_spike == r->run_length) key->next_spike = 0;
    }
    key->recent = 0;
    key->shifts += key->shifts < UINT32_MAX;
    r->shifts += r->shifts < UINT32_MAX;
    r->fresh = UINT32_MAX; /* a refit is due */
}

/* Returns true if this measurement is valid. */
SOOTHI_LOCAL int soothi_recorder_accepts(sooth_recorder *r, const float *row, float measured) {
    if (!soothi_drift_accepts(measured, &r->refused)) return 0;
    for (uint32_t j = 0; j < r->features; ++j)
        if (!soothi_nan((double)row[j]) && !soothi_finite((double)row[j])) {
            r->refused += r->refused < UINT32_MAX;
            return 0;
        }
    return 1;
}

SOOTH_API sooth_recorded sooth_recorder_observe(sooth_recorder *r, uint64_t key, const float *row,
                                                float measured) {
    if (!soothi_recorder_accepts(r, row, measured)) return SOOTH_RECORDER_REFUSED;
    const soothi_recorder_parts p = soothi_recorder_open(r);
    uint32_t k = soothi_recorder_lookup(r, &p, key);
    if (k == SOOTHI_RECORDER_NONE) k = soothi_recorder_add_key(r, &p, key);
    soothi_recorder_key *own = &p.key[k];
    measured += 0.0f; /* -0 becomes 0, which sorts like it */
    const int spike =
        own->count >= r->min_instances &&
        soothi_recorder_outside(r, soothi_recorder_window(r, &p, k) + r->window_size, own->count, measured);
    const soothi_recorder_run run = {row, measured};
    own->last = ++r->observed;
    own->recent = own->recent << 1 | (uint64_t)spike;
    if (!spike) {
        soothi_recorder_learn(r, &p, k, run);
        return SOOTH_RECORDER_LEARNED;
    }
    soothi_recorder_put(r, &p, soothi_recorder_spike_row(r, k, own->next_spike), run);
    if (++own->next_spike == r->run_length) own->next_spike = 0;
    own->spikes += own->spikes < UINT32_MAX;
    r->spikes += r->spikes < UINT32_MAX;
    float memory[2 * SOOTHI_RECORDER_RUN];
    soothi_recorder_spikes(r, &p, k, memory);
    if (!soothi_recorder_shifted(r, &p, k, memory + SOOTHI_RECORDER_RUN)) {
        if (r->keep_spikes) soothi_recorder_learn(r, &p, k, run);
        return SOOTH_RECORDER_SPIKE;
    }
    soothi_recorder_shift(r, &p, k, memory + SOOTHI_RECORDER_RUN);
    return SOOTH_RECORDER_SHIFT;
}

/* ---- state of a key ---- */

SOOTH_API int sooth_recorder_due(sooth_recorder *r) {
    if (r->fresh < r->refit_every) return 0;
    r->fresh = 0;
    return 1;
}

SOOTH_API sooth_table sooth_recorder_table(const sooth_recorder *r) {
    const soothi_recorder_parts p = soothi_recorder_open(r);
    sooth_table table = sooth_table_of(p.x, p.y, r->rows, r->features);
    table.group = p.group;
    if (r->equal_weight) table.weight = p.weight;
    return table;
}

SOOTH_API size_t sooth_recorder_find(const sooth_recorder *r, uint64_t key, sooth_recorder_entry *entry) {
    const soothi_recorder_parts p = soothi_recorder_open(r);
    const uint32_t k = soothi_recorder_lookup(r, &p, key);
    if (k == SOOTHI_RECORDER_NONE) return SOOTH_NONE;
    if (!entry) return k;
    const soothi_recorder_key *own = &p.key[k];
    const float *sorted = soothi_recorder_window(r, &p, k) + r->window_size;
    const uint32_t newest = own->next_spike ? own->next_spike - 1 : r->run_length - 1;
    entry->last = own->last;
    entry->count = own->count;
    entry->spikes = own->spikes;
    entry->shifts = own->shifts;
    entry->median = soothi_sorted_median(sorted, own->count);
    entry->mad = soothi_sorted_mad(sorted, own->count);
    entry->spike = own->spikes ? p.y[soothi_recorder_spike_row(r, k, newest)] : soothi_missing();
    return k;
}

/* ---- initialisation ---- */

SOOTH_API sooth_option_list sooth_recorder_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_recorder_options, features, 1, 65536, 1, "features of a row"),
        SOOTHI_COUNT(sooth_recorder_options, keys, 1, 1048576, 64, "maximum number of keys"),
        SOOTHI_COUNT(sooth_recorder_options, window_size, 3, 65536, 32, "measurements stored per key"),
        SOOTHI_COUNT(sooth_recorder_options, min_instances, 3, 65536, 0,
                     "measurements before any can be a spike; 0 means 10, or window_size if less"),
        SOOTHI_COUNT(sooth_recorder_options, run_length, 1, SOOTHI_RECORDER_RUN, 0,
                     "spikes of the last 2 run_length - 1 for a shift; 0 means 5, or window_size if less"),
        SOOTHI_COUNT(sooth_recorder_options, refit_every, 1, 1073741824, 100,
                     "measurements learned between refits"),
        SOOTHI_NUMBER(sooth_recorder_options, threshold, 1e-6, 1e6, 5,
                      "distance from the median of a spike, in robust standard deviations"),
        SOOTHI_NUMBER(sooth_recorder_options, min_spread, 1e-6, 1e6, 0.05,
                      "minimum robust standard deviation, as a fraction of the median"),
        SOOTHI_FLAG(sooth_recorder_options, keep_spikes, "1: spikes are in the table too"),
        SOOTHI_FLAG(sooth_recorder_options, equal_weight, "1: each key has the same total weight")};
    return SOOTHI_OPTIONS(option);
}

/* An empty recorder with these options, and its size. */
SOOTHI_LOCAL sooth_status soothi_recorder_shape(sooth_env *env, const sooth_recorder_options *options,
                                                sooth_recorder *r) {
    sooth_recorder_options o;
    soothi_carver c = {NULL, 0};
    memset(r, 0, sizeof *r);
    const sooth_status status =
        soothi_options_resolve(env, sooth_recorder_options_list(), options, sizeof o, &o);
    if (status != SOOTH_OK) return status;
    const uint32_t m = o.window_size;
    if (o.min_instances == 0) o.min_instances = m < 10 ? m : 10;
    if (o.run_length == 0) o.run_length = m < 5 ? m : 5;
    if (o.min_instances > m || o.run_length > m)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %u, but must be at most window_size, %u",
                          o.run_length > m ? "run_length" : "min_instances",
                          o.run_length > m ? o.run_length : o.min_instances, m);
    if ((uint64_t)o.keys * (m + o.run_length) > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "keys x (window_size + run_length) is %u x (%u + %u), but must be below 2^31",
                          o.keys, m, o.run_length);
    r->features = o.features;
    r->keys = o.keys;
    r->window_size = m;
    r->min_instances = o.min_instances;
    r->run_length = o.run_length;
    r->refit_every = o.refit_every;
    r->threshold = (float)o.threshold;
    r->min_spread = (float)o.min_spread;
    r->keep_spikes = o.keep_spikes;
    r->equal_weight = o.equal_weight;
    for (r->buckets = 1; r->buckets < o.keys;) r->buckets *= 2;
    soothi_recorder_layout(r, &c);
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
    if (status == SOOTH_OK) status = soothi_drift_memory(env, "the recorder", memory, size, r.size);
    if (status != SOOTH_OK) return status;
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the memory of the recorder must be aligned like a double");
    memset(memory, 0, r.size);
    memcpy(memory, &r, sizeof r);
    *recorder = (sooth_recorder *)memory;
    const soothi_recorder_parts p = soothi_recorder_open(*recorder);
    for (uint32_t i = 0; i < r.buckets; ++i) p.bucket[i] = SOOTHI_RECORDER_NONE;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
