/* seen.h - whether rows are among those that a model learned from, told by a few hundred bytes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * What a model says of rows that it learned from tells nothing of others. So that somebody who asks it can be
 * warned, it remembers some of them: not the rows, a number of each.
 *
 * Every row has a hash of 63 bits, made of its features and targets. Kept are the hashes that begin with z
 * zero bits, for the least z that leaves no more than 64 of them (adaptive sampling by Wegman; Flajolet,
 * Computing 43, 1990): of many rows some 32 to 64, in whichever order they come. Of another row whose hash
 * begins with z zeros it can be told whether the model has seen it; of other rows nothing. Which rows these
 * are has nothing to do with what is in them, so that the share among them is that among all, as far as a
 * sample goes: with t rows that can be told, a share p of them seen, the standard error of p is
 * sqrt(p (1 - p) / t). Up to 64 different rows all are kept, and the answer is exact. A row is taken for
 * another by chance once in 2^26 or less.
 *
 * Rows are the same when all of their numbers are: a missing one is like any other missing one, -0 like 0.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_seen seen;  // of 1,000 rows, each with one feature and one target
 *         int told = 0, known = 0;
 *         for (int i = 0; i < 1000; ++i) {
 *             const float x = (float)i, y = 2 * x;
 *             sooth_seen_add(&seen, sooth_seen_hash(&x, 1, &y, 1));
 *         }
 *         for (int i = 900; i < 1100; ++i) {
 *             const float x = (float)i, y = 2 * x;
 *             const int answer = sooth_seen_find(&seen, sooth_seen_hash(&x, 1, &y, 1));
 *             told += answer >= 0;
 *             known += answer > 0;
 *         }
 *         printf("%d of 200 rows can be told; %d of them were seen\n", told, known);
 *         //> 10 of 200 rows can be told; 4 of them were seen
 *         return 0;
 *     }
 *
 * Costs: a hash takes two multiplications for each number. 520 bytes while rows are added, 4 bytes for each
 * hash and 4 more on a model's card (model.h). No allocation.
 *
 * Who has the model can ask of any row whether it was among those that were kept. Where that may not be
 * known, leave them off the card.
 */
#if !defined(SOOTH_MODEL_SEEN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_SEEN_IMPLEMENTED))
#include "../base.h"
#include "../base/reduce.h"
#endif

#ifndef SOOTH_MODEL_SEEN_H
#define SOOTH_MODEL_SEEN_H
#define SOOTHI_SEEN_MOST 64u
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Zero bytes: no rows yet. */
typedef struct sooth_seen {
    uint32_t zeros, count;           /* every hash begins with so many zero bits; how many there are */
    uint64_t hash[SOOTHI_SEEN_MOST]; /* from the least on, each once */
} sooth_seen;

/* The hash of a row of cols features and its targets. */
SOOTH_API uint64_t sooth_seen_hash(const float *x, size_t cols, const float *y, size_t targets);

/* One row more; one that is there already changes nothing. */
SOOTH_API void sooth_seen_add(sooth_seen *seen, uint64_t hash);

/* All rows of a table that count (with a weight above 0). */
SOOTH_API void sooth_seen_table(sooth_seen *seen, const sooth_table *table);

/* 1: the row is among those that were added; 0: it is not; -1: that cannot be told. */
SOOTH_API int sooth_seen_find(const sooth_seen *seen, uint64_t hash);

SOOTHI_C_END
#endif
#endif /* SOOTH_MODEL_SEEN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_SEEN_IMPLEMENTED)
#define SOOTH_MODEL_SEEN_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Goes on from a hash by some numbers: multiplication carries every bit up, the shift brings it down. */
SOOTHI_LOCAL uint64_t soothi_seen_mix(uint64_t hash, const float *value, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const float v = value[i] + 0.0f; /* -0 is 0 */
        hash = (hash ^ (soothi_nan((double)v) ? SOOTHI_MISSING_BITS : soothi_bits(v))) * 0xD6E8FEB86659FD93u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

SOOTH_API uint64_t sooth_seen_hash(const float *x, size_t cols, const float *y, size_t targets) {
    return soothi_seen_mix(soothi_seen_mix(0x9E3779B97F4A7C15u, x, cols), y, targets) & ~(uint64_t)1;
}

/* Whether it begins with so many zeros. */
SOOTHI_LOCAL int soothi_seen_begins(uint64_t hash, uint32_t zeros) {
    return zeros == 0 || hash >> (64u - zeros) == 0;
}

SOOTH_API void sooth_seen_add(sooth_seen *seen, uint64_t hash) {
    uint32_t at = 0;
    while (at < seen->count && seen->hash[at] < hash) ++at;
    if (!soothi_seen_begins(hash, seen->zeros) || (at < seen->count && seen->hash[at] == hash)) return;
    while (seen->count == SOOTHI_SEEN_MOST) { /* no room: those with one zero more stay */
        ++seen->zeros;
        while (seen->count > 0 && !soothi_seen_begins(seen->hash[seen->count - 1], seen->zeros))
            --seen->count;
        if (!soothi_seen_begins(hash, seen->zeros)) return;
    }
    for (uint32_t k = seen->count++; k > at; --k) seen->hash[k] = seen->hash[k - 1];
    seen->hash[at] = hash;
}

SOOTH_API void sooth_seen_table(sooth_seen *seen, const sooth_table *table) {
    for (size_t i = 0; i < table->rows; ++i)
        if (!table->weight || table->weight[i] > 0.0f)
            sooth_seen_add(seen, sooth_seen_hash(table->x + i * table->stride, table->cols,
                                                 table->y + i * table->targets, table->targets));
}

/* Those of the rows of all processes, in each of them: the least hash of all, then the next, while there is
   room. */
SOOTHI_LOCAL sooth_status soothi_seen_reduce(sooth_env *env, sooth_seen *seen) {
    sooth_seen all = {0, 0, {0}};
    sooth_status status = SOOTH_OK;
    for (uint32_t k = 0; soothi_ranks(env) > 1;) {
        int64_t least = k < seen->count ? -(int64_t)(seen->hash[k] >> 1) : INT64_MIN; /* the last bit is 0 */
        status = soothi_reduce(env, SOOTH_REDUCE_MAX, &least, 1);
        const uint64_t hash = least == INT64_MIN ? UINT64_MAX : (uint64_t)-least << 1;
        if (status != SOOTH_OK || least == INT64_MIN || !soothi_seen_begins(hash, all.zeros)) break;
        sooth_seen_add(&all, hash);
        if (k < seen->count && seen->hash[k] == hash) ++k;
    }
    if (soothi_ranks(env) > 1) *seen = all;
    return status;
}

SOOTH_API int sooth_seen_find(const sooth_seen *seen, uint64_t hash) {
    uint32_t at = 0;
    if (seen->count == 0 || !soothi_seen_begins(hash, seen->zeros)) return -1;
    hash = hash << seen->zeros >> 32; /* a card has these bits alone */
    while (at < seen->count && seen->hash[at] << seen->zeros >> 32 < hash) ++at;
    return at < seen->count && seen->hash[at] << seen->zeros >> 32 == hash;
}

/* ---- on a card: the number of zeros and 32 bits behind them of each hash, the least byte first ---- */

/* Bytes of it; 0: nothing was seen. */
SOOTHI_LOCAL uint32_t soothi_seen_size(const sooth_seen *seen) {
    return seen && seen->count ? 4u * (seen->count + 1u) : 0;
}

SOOTHI_LOCAL void soothi_seen_put(const sooth_seen *seen, unsigned char *bytes) {
    for (uint32_t k = 0; k < soothi_seen_size(seen); ++k) {
        const uint32_t word = k < 4 ? seen->zeros : (uint32_t)(seen->hash[k / 4 - 1] << seen->zeros >> 32);
        bytes[k] = (unsigned char)(word >> 8 * (k % 4));
    }
}

/* From any bytes, of which it reads `size`: a multiple of 4, at most 4 more than 4 for each hash. */
SOOTHI_LOCAL void soothi_seen_take(const unsigned char *bytes, uint32_t size, sooth_seen *seen) {
    memset(seen, 0, sizeof *seen);
    for (uint32_t k = 0; k < size; k += 4) {
        uint32_t word = 0;
        for (uint32_t b = 0; b < 4; ++b) word |= (uint32_t)bytes[k + b] << 8 * b;
        if (k) seen->hash[seen->count++] = (uint64_t)word << 32 >> seen->zeros;
        else seen->zeros = word & 63u;
    }
}

/* ---- and the ranges of its columns ---- */

/* Widens the ranges of `cols` columns, least and most, by the rows that count. */
SOOTHI_LOCAL void soothi_seen_widen(const sooth_table *table, const float *x, size_t cols, size_t stride,
                                    float *range) {
    for (size_t i = 0; i < table->rows; ++i) {
        if (table->weight && !(table->weight[i] > 0.0f)) continue;
        for (size_t j = 0; j < cols; ++j) {
            float v = x[i * stride + j];
            if (soothi_nan((double)v)) continue;
            if (!(v >= range[2 * j])) range[2 * j] = v + 0.0f; /* -0 is 0 */
            if (!(v <= range[2 * j + 1])) range[2 * j + 1] = v + 0.0f;
        }
    }
}

/* The ranges of features and targets over the rows of a table; of the first, NaN where there is no value. */
SOOTHI_LOCAL void soothi_seen_ranges(const sooth_table *table, int first, float *range) {
    const size_t cols = table->cols, targets = table->targets;
    for (size_t k = 0; k < 2 * (cols + targets) && first; ++k) range[k] = soothi_missing();
    soothi_seen_widen(table, table->x, cols, table->stride, range);
    soothi_seen_widen(table, table->y, targets, targets, range + 2 * cols);
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
