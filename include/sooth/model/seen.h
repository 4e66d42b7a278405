/* model/seen.h - training-row sketch: tests in a few hundred bytes if rows were among the training rows.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Accuracy on training rows predicts nothing about new rows. To warn its users, a model stores hashes of some
 * of its training rows, but not the rows.
 *
 * Every row has a hash of 63 bits over its features and targets. The sketch keeps hashes that begin with z
 * zero bits, for the smallest z that leaves at most 64 (adaptive sampling by Wegman; Flajolet, Computing 43,
 * 1990). For large tables 32 to 64 hashes remain, independent of the order of rows. A row whose hash begins
 * with z zeros can be tested; other rows cannot. This choice does not depend on the content of rows, so the
 * testable rows are a random sample. If t rows can be tested and a fraction p were training rows, the
 * standard error of p is sqrt(p (1 - p) / t). Up to 64 different rows are all kept, and the answer is exact.
 * A row is mistaken for another with a probability of 2^-26 or less.
 *
 * Rows are equal if all of their numbers are equal. Missing values equal each other, and -0 equals 0.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float x[1100], y[1100];
 *         static sooth_model_seen_rows seen;
 *         int tested = 0, known = 0;
 *         for (int i = 0; i < 1100; ++i) y[i] = 2 * (x[i] = (float)i);
 *         const sooth_table table = sooth_table_of(x, y, 1000, 1);
 *         sooth_model_seen_add(&seen, &table);
 *         for (int i = 900; i < 1100; ++i) {
 *             const sooth_model_seen_answer answer = sooth_model_seen_test(&seen, x + i, 1, y + i, 1);
 *             tested += answer != SOOTH_MODEL_SEEN_UNKNOWN;
 *             known += answer == SOOTH_MODEL_SEEN_YES;
 *         }
 *         printf("%d of 200 rows can be tested; %d of them were seen\n", tested, known);
 *         //> 10 of 200 rows can be tested; 4 of them were seen
 *         return 0;
 *     }
 *
 * A hash takes two multiplications per number. The sketch takes 520 bytes, and 4 bytes per hash plus 4 on a
 * model's card (model.h). Nothing is allocated.
 *
 * Anyone with the model can test any row against the stored hashes. If membership is confidential, leave the
 * sketch off the card.
 */
#if !defined(SOOTH_MODEL_SEEN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_SEEN_IMPLEMENTED))
#include "../base.h"
#include "../base/reduce.h"
#endif

#ifndef SOOTH_MODEL_SEEN_H
#define SOOTH_MODEL_SEEN_H
#define SOOTH_MODEL_SEEN_MAX 64u
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Zero bytes are an empty sketch. */
typedef struct sooth_model_seen_rows {
    uint32_t zeros, count;               /* zero bits that every hash begins with; number of hashes */
    uint64_t hash[SOOTH_MODEL_SEEN_MAX]; /* ascending, each once */
} sooth_model_seen_rows;

typedef enum sooth_model_seen_answer {
    SOOTH_MODEL_SEEN_UNKNOWN = 0, /* the row cannot be tested */
    SOOTH_MODEL_SEEN_NO,
    SOOTH_MODEL_SEEN_YES
} sooth_model_seen_answer;

/* Adds all rows of a table that have a weight above 0. A row that is already stored changes nothing. */
SOOTH_API void sooth_model_seen_add(sooth_model_seen_rows *seen, const sooth_table *table);

/* Returns whether a row of cols features and its targets was added. */
SOOTH_API sooth_model_seen_answer sooth_model_seen_test(const sooth_model_seen_rows *seen, const float *x,
                                                        size_t cols, const float *y, size_t targets);

SOOTHI_C_END
#endif
#endif /* SOOTH_MODEL_SEEN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_SEEN_IMPLEMENTED)
#define SOOTH_MODEL_SEEN_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Continues a hash with more numbers. Multiplication propagates bits upwards, the shift moves them down. */
SOOTHI_LOCAL uint64_t soothi_seen_mix(uint64_t hash, const float *value, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const float v = value[i] + 0.0f; /* -0 is 0 */
        hash = (hash ^ (soothi_nan((double)v) ? SOOTHI_MISSING_BITS : soothi_bits(v))) * 0xD6E8FEB86659FD93u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The hash of a row of cols features and its targets. */
SOOTHI_LOCAL uint64_t soothi_seen_hash(const float *x, size_t cols, const float *y, size_t targets) {
    return soothi_seen_mix(soothi_seen_mix(0x9E3779B97F4A7C15u, x, cols), y, targets) & ~(uint64_t)1;
}

/* Returns true if the hash begins with this many zero bits. */
SOOTHI_LOCAL int soothi_seen_begins(uint64_t hash, uint32_t zeros) {
    return zeros == 0 || hash >> (64u - zeros) == 0;
}

/* Adds one row; a hash that is already stored changes nothing. */
SOOTHI_LOCAL void soothi_seen_add(sooth_model_seen_rows *seen, uint64_t hash) {
    uint32_t at = 0;
    while (at < seen->count && seen->hash[at] < hash) ++at;
    if (!soothi_seen_begins(hash, seen->zeros) || (at < seen->count && seen->hash[at] == hash)) return;
    while (seen->count == SOOTH_MODEL_SEEN_MAX) { /* full: keep only hashes with one more zero */
        ++seen->zeros;
        while (seen->count > 0 && !soothi_seen_begins(seen->hash[seen->count - 1], seen->zeros))
            --seen->count;
        if (!soothi_seen_begins(hash, seen->zeros)) return;
    }
    for (uint32_t k = seen->count++; k > at; --k) seen->hash[k] = seen->hash[k - 1];
    seen->hash[at] = hash;
}

SOOTH_API void sooth_model_seen_add(sooth_model_seen_rows *seen, const sooth_table *table) {
    for (size_t i = 0; i < table->rows; ++i)
        if (!table->weight || table->weight[i] > 0.0f)
            soothi_seen_add(seen, soothi_seen_hash(table->x + i * table->stride, table->cols,
                                                   table->y + i * table->targets, table->targets));
}

/* Merges the hashes of all processes into every process: the smallest first, then the next, until the sketch
   is full. Where a process keeps only hashes with more zeros than another, those with fewer zeros are not
   complete; so all begin with the most zeros of any process. */
SOOTHI_LOCAL sooth_status soothi_seen_reduce(sooth_env *env, sooth_model_seen_rows *seen) {
    sooth_model_seen_rows all = {0, 0, {0}};
    int64_t zeros = seen->zeros;
    if (soothi_ranks(env) < 2) return SOOTH_OK;
    sooth_status status = soothi_reduce(env, SOOTH_REDUCE_MAX, &zeros, 1);
    all.zeros = (uint32_t)zeros;
    for (uint32_t k = 0; status == SOOTH_OK;) {
        int64_t least = k < seen->count ? -(int64_t)(seen->hash[k] >> 1) : INT64_MIN; /* the last bit is 0 */
        status = soothi_reduce(env, SOOTH_REDUCE_MAX, &least, 1);
        const uint64_t hash = least == INT64_MIN ? UINT64_MAX : (uint64_t)-least << 1;
        if (status != SOOTH_OK || least == INT64_MIN || !soothi_seen_begins(hash, all.zeros)) break;
        soothi_seen_add(&all, hash);
        if (k < seen->count && seen->hash[k] == hash) ++k;
    }
    *seen = all;
    return status;
}

SOOTHI_LOCAL sooth_model_seen_answer soothi_seen_find(const sooth_model_seen_rows *seen, uint64_t hash) {
    uint32_t at = 0;
    if (seen->count == 0 || !soothi_seen_begins(hash, seen->zeros)) return SOOTH_MODEL_SEEN_UNKNOWN;
    hash = hash << seen->zeros >> 32; /* cards store only these bits */
    while (at < seen->count && seen->hash[at] << seen->zeros >> 32 < hash) ++at;
    return at < seen->count && seen->hash[at] << seen->zeros >> 32 == hash ? SOOTH_MODEL_SEEN_YES
                                                                           : SOOTH_MODEL_SEEN_NO;
}

SOOTH_API sooth_model_seen_answer sooth_model_seen_test(const sooth_model_seen_rows *seen, const float *x,
                                                        size_t cols, const float *y, size_t targets) {
    return soothi_seen_find(seen, soothi_seen_hash(x, cols, y, targets));
}

/* ---- on a card: the number of zeros and the next 32 bits of each hash, little-endian ---- */

/* Returns the size in bytes; 0 means an empty sketch. */
SOOTHI_LOCAL uint32_t soothi_seen_size(const sooth_model_seen_rows *seen) {
    return seen && seen->count ? 4u * (seen->count + 1u) : 0;
}

SOOTHI_LOCAL void soothi_seen_put(const sooth_model_seen_rows *seen, unsigned char *bytes) {
    for (uint32_t k = 0; k < soothi_seen_size(seen); ++k) {
        const uint32_t word = k < 4 ? seen->zeros : (uint32_t)(seen->hash[k / 4 - 1] << seen->zeros >> 32);
        bytes[k] = (unsigned char)(word >> 8 * (k % 4));
    }
}

/* Reads untrusted bytes; `size` is a multiple of 4, at most 4 more than 4 per hash. */
SOOTHI_LOCAL void soothi_seen_take(const unsigned char *bytes, uint32_t size, sooth_model_seen_rows *seen) {
    memset(seen, 0, sizeof *seen);
    for (uint32_t k = 0; k < size; k += 4) {
        uint32_t word = 0;
        for (uint32_t b = 0; b < 4; ++b) word |= (uint32_t)bytes[k + b] << 8 * b;
        if (k) seen->hash[seen->count++] = (uint64_t)word << 32 >> seen->zeros;
        else seen->zeros = word & 63u;
    }
}

/* ---- ranges of the columns ---- */

/* Extends the ranges (min, max) of `cols` columns by the rows of nonzero weight. */
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

/* Extends the ranges of features and targets by the rows of a table. `first` resets them to NaN, which means
   no values. */
SOOTHI_LOCAL void soothi_seen_ranges(const sooth_table *table, int first, float *range) {
    const size_t cols = table->cols, targets = table->targets;
    for (size_t k = 0; k < 2 * (cols + targets) && first; ++k) range[k] = soothi_missing();
    soothi_seen_widen(table, table->x, cols, table->stride, range);
    soothi_seen_widen(table, table->y, targets, targets, range + 2 * cols);
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
