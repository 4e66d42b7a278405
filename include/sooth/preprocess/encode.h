/* preprocess/encode.h - categories as numbers: thousands of users, job names, codelets, and their history.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A level is a 64-bit number; names are hashed. Each level becomes a few features:
 *
 *     0     statistic   (sum + a p) / (count + a) of the targets of this level so far (see preprocess.h). A
 *                       new level is p
 *     1     count       of these targets
 *     2     age         time since the last of them; NaN if there was none
 *     3...  last        the last values, newest first; NaN if there are fewer
 *
 * The memory is a block of at most max_bytes that never grows. It can be saved, sent, mapped and checked like
 * a model, and learning continues from the saved state. A hash assigns levels to sets of eight. If all eight
 * places are taken, the level with the oldest update is replaced. The choice is the same on every machine.
 */
#if !defined(SOOTH_PREPROCESS_ENCODE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_ENCODE_IMPLEMENTED))
#include "../base.h"
#include "../base/order.h"
#endif

#ifndef SOOTH_PREPROCESS_ENCODE_H
#define SOOTH_PREPROCESS_ENCODE_H
SOOTHI_C_BEGIN

#define SOOTH_ENCODE_VERSION 1
#define SOOTH_ENCODE_WAYS 8                            /* levels per set */
#define SOOTH_ENCODE_MAX_LAST 8                        /* max number of last values per level */
#define SOOTH_ENCODE_MAX_COLUMNS 1024                  /* max number of columns */
#define SOOTH_ENCODE_MAX_TARGET 1152921504606846976.0f /* 2^60, max magnitude of a target */

/* The block: this struct, then one record per level of capacity. */
typedef struct sooth_encode {
    sooth_block head;   /* features: columns; targets: floats of an encoded row, (3 + last) per column */
    uint32_t last;      /* values kept per level */
    uint32_t sets;      /* of SOOTH_ENCODE_WAYS levels; a power of two */
    uint32_t updates;   /* so far */
    uint32_t levels;    /* currently stored */
    uint32_t forgotten; /* levels replaced by others */
    uint32_t refused;   /* invalid targets */
    uint32_t given;     /* 1 if the prior is `prior`, 0 if it is the mean of all targets so far */
    float prior;        /* p */
    float weight;       /* a */
    float sum[2];       /* double-float sum of all targets */
} sooth_encode;

/* Record of a level. count is 0 in unused records. */
typedef struct sooth_encode_level {
    uint32_t key[2]; /* hash of column and level */
    uint32_t count;
    uint32_t turn; /* index of its last update */
    uint32_t time; /* time of its last update */
    float sum[2];  /* double-float sum of its targets */
    /* followed by `last` floats: its last targets, newest first */
} sooth_encode_level;

/* ---- levels ---- */

/* Returns the level of a text. Different texts have different levels, except with a probability of 2^-64. */
SOOTH_API uint64_t sooth_encode_text(const char *text, size_t size);

/* Returns the level of a pair such as (user, processors); join twice for three. The order matters. */
SOOTH_API uint64_t sooth_encode_join(uint64_t a, uint64_t b);

/* ---- using and learning: no allocation, no double ---- */

/* Returns true if bytes[0..size) begin with a valid block of this kind. The functions below then never read
   or write outside it. A checked one may come from anyone. */
SOOTH_API int sooth_encode_check(const void *bytes, size_t size);

/* Encodes a row: level[0..head.features) to out[0..head.targets). `time` may have any unit, such as seconds
   or rows, and wraps at 2^32. */
SOOTH_API void sooth_encode_row(const sooth_encode *encode, const uint64_t *level, uint32_t time, float *out);

/* Learns the target of a row. Returns SOOTH_BAD_DATA and only increments `refused` if the target is not
   finite or beyond SOOTH_ENCODE_MAX_TARGET. Encode first, then update, or the row contains its own target. */
SOOTH_API sooth_status sooth_encode_update(sooth_encode *encode, const uint64_t *level, float target,
                                           uint32_t time);

/* Returns the cost of one row. */
SOOTH_API sooth_cost sooth_encode_cost(const sooth_encode *encode);

/* ---- making one ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_encode_options {
    uint32_t columns;   /* of levels, 1 to 1024; 0 means 1 */
    uint32_t last;      /* values kept per level, 1 to 8; 0 means 2 */
    uint32_t no_last;   /* 1 keeps none */
    uint32_t max_bytes; /* budget of the block; sets (a power of two) fill it; 0 means
                           65536 */
    uint32_t has_prior; /* 1 if p is `prior`, even if that is 0 */
    double prior;       /* p; if not given, the mean of all earlier targets */
    double weight;      /* a; 0 means 1, as in CatBoost */
    uint32_t in_time;   /* for sooth_encode_fit: 1 if rows are in order of time, 0 for a random order */
    uint32_t seed;      /* of the random order */
} sooth_encode_options;

/* Makes an empty block in memory[0..size), which must be aligned like malloc's and outlive the block. _free
   is not needed. The number of sets is the largest power of two that fits both size and max_bytes. Returns
   SOOTH_BAD_ARGUMENT if max_bytes cannot hold one set, and SOOTH_NO_MEMORY if size cannot; the message gives
   the bytes needed. */
SOOTH_API sooth_status sooth_encode_init(sooth_env *env, const sooth_encode_options *options, void *memory,
                                         size_t size, sooth_encode **encode);

/* Returns the size in bytes of the block with these options; 0 if they are invalid. */
SOOTH_API size_t sooth_encode_size(const sooth_encode_options *options);

/* Learns rows x columns levels and one target per row. out, rows x (columns x width) or NULL, receives each
   row encoded with the rows before it. time has one entry per row; NULL means the number of rows before. The
   resulting block has learned all rows. Returns SOOTH_BAD_DATA and the row of an invalid target. */
SOOTH_API sooth_status sooth_encode_fit(sooth_env *env, const uint64_t *level, const float *target,
                                        const uint32_t *time, size_t rows,
                                        const sooth_encode_options *options, float *out,
                                        sooth_encode **encode);

/* Frees the result of sooth_encode_fit. NULL is valid. */
SOOTH_API void sooth_encode_free(sooth_env *env, sooth_encode *encode);

/* Stores the checksum, so that head.size bytes can be saved or checked. Every update invalidates it. */
SOOTH_API const sooth_encode *sooth_encode_seal(sooth_encode *encode);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_encode_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_PREPROCESS_ENCODE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_ENCODE_IMPLEMENTED)
#define SOOTH_PREPROCESS_ENCODE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- hashing ---- */

/* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection of 64 bits. */
SOOTHI_LOCAL uint64_t soothi_encode_mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* FNV-1a, mixed. */
SOOTH_API uint64_t sooth_encode_text(const char *text, size_t size) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    return soothi_encode_mix(hash);
}

SOOTH_API uint64_t sooth_encode_join(uint64_t a, uint64_t b) {
    return soothi_encode_mix(soothi_encode_mix(a + 0x9E3779B97F4A7C15u) ^ b);
}

/* ---- levels in sets ---- */

/* Returns the size in bytes of a level's record. */
SOOTHI_LOCAL size_t soothi_encode_stride(uint32_t last) {
    return sizeof(sooth_encode_level) + last * sizeof(float);
}

/* Returns the size in bytes of a block with `sets` sets. */
SOOTHI_LOCAL uint64_t soothi_encode_bytes(uint32_t last, uint32_t sets) {
    const uint64_t levels = (uint64_t)sets * SOOTH_ENCODE_WAYS;
    return (sizeof(sooth_encode) + levels * soothi_encode_stride(last) + 15u) & ~(uint64_t)15u;
}

SOOTHI_LOCAL const sooth_encode_level *soothi_encode_at(const sooth_encode *e, uint32_t i) {
    return (const sooth_encode_level *)(const void *)((const unsigned char *)(e + 1) +
                                                      i * soothi_encode_stride(e->last));
}

SOOTHI_LOCAL sooth_encode_level *soothi_encode_mutable(sooth_encode *e, uint32_t i) {
    return (sooth_encode_level *)(void *)((unsigned char *)(e + 1) + i * soothi_encode_stride(e->last));
}

SOOTHI_LOCAL uint64_t soothi_encode_key(uint32_t column, uint64_t level) {
    return sooth_encode_join(column, level);
}

/* Returns the place of a level. If it is not stored, sets *known to 0 and returns an unused place, or the
   place with the oldest update. */
SOOTHI_LOCAL uint32_t soothi_encode_find(const sooth_encode *e, uint64_t key, int *known) {
    const uint32_t first = ((uint32_t)(key >> 40) & (e->sets - 1u)) * SOOTH_ENCODE_WAYS;
    uint32_t best = first, oldest = UINT32_MAX;
    *known = 1;
    for (uint32_t i = first; i < first + SOOTH_ENCODE_WAYS; ++i) {
        const sooth_encode_level *l = soothi_encode_at(e, i);
        if (l->count && (l->key[0] | (uint64_t)l->key[1] << 32) == key) return i;
        const uint32_t turn = l->count ? l->turn : 0;
        if (turn < oldest) {
            best = i;
            oldest = turn;
        }
    }
    *known = 0;
    return best;
}

/* ---- using ---- */

SOOTHI_LOCAL uint32_t soothi_encode_width(const sooth_encode *e) { return 3u + e->last; }

SOOTHI_LOCAL float soothi_encode_prior(const sooth_encode *e) {
    if (e->given) return e->prior;
    return e->updates ? soothi_rounded_f(e->sum[0] + e->sum[1]) / (float)e->updates : 0.0f;
}

SOOTHI_LOCAL void soothi_encode_one(const sooth_encode *e, uint32_t column, uint64_t level, uint32_t time,
                                    float *out) {
    int known;
    const uint32_t at = soothi_encode_find(e, soothi_encode_key(column, level), &known);
    const sooth_encode_level *l = soothi_encode_at(e, at);
    const float *last = (const float *)(const void *)(l + 1), prior = soothi_encode_prior(e);
    const uint32_t count = known ? l->count : 0;
    const float sum = known ? soothi_rounded_f(l->sum[0] + l->sum[1]) : 0.0f;
    const float drawn = soothi_rounded_f(sum + soothi_rounded_f(e->weight * prior));
    out[0] = drawn / soothi_rounded_f((float)count + e->weight);
    out[1] = (float)count;
    out[2] = known ? (float)(time - l->time) : soothi_missing();
    for (uint32_t k = 0; k < e->last; ++k) out[3 + k] = k < count ? last[k] : soothi_missing();
}

SOOTH_API void sooth_encode_row(const sooth_encode *e, const uint64_t *level, uint32_t time, float *out) {
    for (uint32_t j = 0; j < e->head.features; ++j)
        soothi_encode_one(e, j, level[j], time, out + j * soothi_encode_width(e));
}

SOOTH_API sooth_cost sooth_encode_cost(const sooth_encode *e) {
    sooth_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.bytes = e->head.size;
    cost.comparisons = 2u * SOOTH_ENCODE_WAYS * e->head.features;
    cost.multiply_adds = 12u * e->head.features;
    return cost;
}

/* ---- learning ---- */

SOOTHI_LOCAL void soothi_encode_learn(sooth_encode *e, uint32_t column, uint64_t level, float target,
                                      uint32_t time) {
    const uint64_t key = soothi_encode_key(column, level);
    int known;
    sooth_encode_level *l = soothi_encode_mutable(e, soothi_encode_find(e, key, &known));
    float *last = (float *)(void *)(l + 1);
    if (!known) {
        if (l->count) e->forgotten += e->forgotten < UINT32_MAX;
        else ++e->levels;
        memset(l, 0, soothi_encode_stride(e->last));
        l->key[0] = (uint32_t)key;
        l->key[1] = (uint32_t)(key >> 32);
    }
    for (uint32_t k = e->last; k-- > 1;) last[k] = last[k - 1];
    if (e->last) last[0] = target;
    l->count += l->count < UINT32_MAX;
    l->turn = e->updates;
    l->time = time;
    soothi_pair_add(l->sum, target);
}

SOOTH_API sooth_status sooth_encode_update(sooth_encode *e, const uint64_t *level, float target,
                                           uint32_t time) {
    if (!(target >= -SOOTH_ENCODE_MAX_TARGET && target <= SOOTH_ENCODE_MAX_TARGET)) {
        e->refused += e->refused < UINT32_MAX;
        return SOOTH_BAD_DATA;
    }
    e->updates += e->updates < UINT32_MAX;
    soothi_pair_add(e->sum, target);
    for (uint32_t j = 0; j < e->head.features; ++j) soothi_encode_learn(e, j, level[j], target, time);
    return SOOTH_OK;
}

/* ---- check ---- */

SOOTH_API int sooth_encode_check(const void *bytes, size_t size) {
    const sooth_encode *e = (const sooth_encode *)bytes;
    uint32_t levels = 0;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_ENCODE, SOOTH_ENCODE_VERSION) || e->head.size < sizeof *e)
        return 0;
    if (e->head.features == 0 || e->head.features > SOOTH_ENCODE_MAX_COLUMNS ||
        e->last > SOOTH_ENCODE_MAX_LAST || e->head.targets != e->head.features * soothi_encode_width(e) ||
        e->sets == 0 || (e->sets & (e->sets - 1u)) != 0 ||
        soothi_encode_bytes(e->last, e->sets) != e->head.size || e->head.doubles_at != e->head.size ||
        e->given > 1 || !(e->weight > 0.0f))
        return 0;
    for (uint32_t i = 0; i < e->sets * SOOTH_ENCODE_WAYS; ++i) levels += soothi_encode_at(e, i)->count != 0;
    return levels == e->levels;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- making one ---- */

SOOTH_API sooth_option_list sooth_encode_options_list(void) {
    typedef sooth_encode_options T;
    static const sooth_option options[] = {
        SOOTHI_COUNT(T, columns, 1, SOOTH_ENCODE_MAX_COLUMNS, 1, "number of columns"),
        SOOTHI_COUNT(T, last, 1, SOOTH_ENCODE_MAX_LAST, 2, "last values stored per level"),
        SOOTHI_FLAG(T, no_last, "1 stores no last values"),
        SOOTHI_COUNT(T, max_bytes, 1, UINT32_MAX, 65536, "maximum size of the block in bytes"),
        SOOTHI_GIVEN(T, prior, -1e18, 1e18, 0,
                     "statistic of a new level; if not given, the mean of all targets so far"),
        SOOTHI_NUMBER(T, weight, 1e-6, 1e9, 1, "weight of the prior, in values"),
        SOOTHI_FLAG(T, in_time, "1 if rows are in order of time, 0 for a random order"),
        SOOTHI_COUNT(T, seed, 0, UINT32_MAX, 0, "seed of the random order"),
    };
    return SOOTHI_OPTIONS(options);
}

/* Fills in the defaults of the options and computes the number of sets that fit into `size` bytes. */
SOOTHI_LOCAL sooth_status soothi_encode_shape(sooth_env *env, const sooth_encode_options *options,
                                              sooth_encode_options *o, size_t size, uint32_t *sets) {
    const sooth_status status =
        soothi_options_resolve(env, sooth_encode_options_list(), options, sizeof *o, o);
    if (status != SOOTH_OK) return status;
    if (o->no_last) o->last = 0;
    const uint64_t one = soothi_encode_bytes(o->last, 1), room = size < o->max_bytes ? size : o->max_bytes;
    if (o->max_bytes < one)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "max_bytes is %u, but %u levels need %z bytes",
                          o->max_bytes, SOOTH_ENCODE_WAYS, (size_t)one);
    if (size < one)
        return sooth_fail(env, SOOTH_NO_MEMORY, "an encoder needs at least %z bytes of memory, but has %z",
                          (size_t)one, size);
    for (*sets = 1; *sets < 1u << 24 && soothi_encode_bytes(o->last, 2 * *sets) <= room;) *sets *= 2;
    return SOOTH_OK;
}

SOOTH_API size_t sooth_encode_size(const sooth_encode_options *options) {
    sooth_encode_options o;
    uint32_t sets = 0;
    if (soothi_encode_shape(NULL, options, &o, SIZE_MAX, &sets) != SOOTH_OK) return 0;
    return (size_t)soothi_encode_bytes(o.last, sets);
}

SOOTH_API sooth_status sooth_encode_init(sooth_env *env, const sooth_encode_options *options, void *memory,
                                         size_t size, sooth_encode **encode) {
    sooth_encode_options o;
    uint32_t sets = 0;
    *encode = NULL;
    const sooth_status status = soothi_encode_shape(env, options, &o, memory ? size : 0, &sets);
    if (status != SOOTH_OK) return status;
    sooth_encode *e = (sooth_encode *)memory;
    const uint32_t bytes = (uint32_t)soothi_encode_bytes(o.last, sets);
    memset(e, 0, bytes);
    e->head.magic = SOOTH_BLOCK_MAGIC;
    e->head.kind = SOOTH_KIND_ENCODE | SOOTH_ENCODE_VERSION << 16;
    e->head.size = e->head.doubles_at = e->head.bytes_at = bytes;
    e->head.features = o.columns;
    e->last = o.last;
    e->head.targets = o.columns * soothi_encode_width(e);
    e->sets = sets;
    e->given = o.has_prior || o.prior > 0.0 || o.prior < 0.0;
    e->prior = (float)o.prior;
    e->weight = (float)o.weight;
    soothi_block_seal(&e->head);
    *encode = e;
    return SOOTH_OK;
}

SOOTH_API const sooth_encode *sooth_encode_seal(sooth_encode *encode) {
    soothi_block_seal(&encode->head);
    return encode;
}

SOOTH_API void sooth_encode_free(sooth_env *env, sooth_encode *encode) {
    if (encode) soothi_block_free(env, &encode->head);
}

/* Encodes and learns the rows in the given order (NULL means table order). */
SOOTHI_LOCAL sooth_status soothi_encode_rows(sooth_env *env, sooth_encode *e, const uint64_t *level,
                                             const float *target, const uint32_t *time, size_t rows,
                                             const uint32_t *order, float *out) {
    for (size_t k = 0; k < rows; ++k) {
        const size_t i = order ? order[k] : k;
        const uint32_t now = time ? time[i] : (uint32_t)k;
        if (out) sooth_encode_row(e, level + i * e->head.features, now, out + i * e->head.targets);
        if (sooth_encode_update(e, level + i * e->head.features, target[i], now) != SOOTH_OK)
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has the target %g, but its magnitude must be at most 2^60", i + 1,
                              (double)target[i]);
    }
    soothi_block_seal(&e->head);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_encode_fit(sooth_env *env, const uint64_t *level, const float *target,
                                        const uint32_t *time, size_t rows,
                                        const sooth_encode_options *options, float *out,
                                        sooth_encode **encode) {
    sooth_encode_options o;
    uint32_t sets = 0, *order = NULL;
    *encode = NULL;
    sooth_status status = soothi_encode_shape(env, options, &o, SIZE_MAX, &sets);
    if (status != SOOTH_OK) return status;
    if (rows == 0 || rows > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z rows, but must have 1 to 2^31 - 1", rows);
    const size_t size = (size_t)soothi_encode_bytes(o.last, sets);
    void *memory = sooth_alloc(env, size, 1);
    if (!memory) return sooth_no_memory(env, "the levels", size);
    if (!o.in_time) {
        order = soothi_random_order(env, rows, o.seed);
        if (!order) {
            sooth_free(env, memory, size, 1);
            return sooth_no_memory(env, "the order of the rows", rows * sizeof *order);
        }
    }
    status = sooth_encode_init(env, options, memory, size, encode);
    if (status == SOOTH_OK) status = soothi_encode_rows(env, *encode, level, target, time, rows, order, out);
    sooth_free(env, order, rows, sizeof *order);
    if (status != SOOTH_OK) {
        sooth_free(env, memory, size, 1);
        *encode = NULL;
    }
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
