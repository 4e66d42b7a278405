/* train/sketch.h - quantiles of very many numbers in little memory, with a proven error bound.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Bins of equal counts need the sorted values of a column. For columns larger than memory a summary is
 * enough: ascending pairs of a key (a float as an unsigned number, see base.h) and a count. The rank of x in
 * a summary is the sum of the counts of keys up to x. This header has no public functions; train/blocks.h
 * uses it.
 *
 * - add: values are collected in a buffer of K. A full buffer is sorted and becomes a summary; equal keys
 *   become one pair.
 * - merge: combines all pairs of two summaries; equal keys become one pair. Ranks add up, and so do errors.
 * - prune: reduces a summary of more than K pairs to K. Neighbours become one pair with their largest key and
 *   the sum of their counts.
 *
 * Summaries of the same number of buffers are merged like the carries of a binary counter: K numbers, 2 K, 4
 * K, ... (Munro, Paterson: Selection and sorting with limited storage, TCS 12, 1980; merging and pruning as
 * in Agarwal et al.: Mergeable summaries, PODS 2012). The algorithm is deterministic.
 *
 * Error bound. Pruning W values adds a pair to the current group while the counts of the group before it are
 * at most G = W / (K - 1). For x in a group, but below its largest key, the rank loses the group's counts up
 * to x: between 0 and G. The error of one pruning is therefore at most G, and always in one direction. A
 * finished group has more than G values, so there are at most K groups. A value passes at most one pruning
 * per doubling. The prunings of one size together process each of n values at most once, so their errors add
 * up to n / (K - 1). With L = log2(n / K) doublings:
 *
 *     0 <= true rank - rank <= L n / (K - 1)
 *
 * For a hundred million values and K = 32,768 (L = 12) this is less than 0.04 % of the values, a tenth of one
 * of 256 bins. soothi_sketch_error returns the actual bound of the prunings made. It is 0, and all ranks are
 * exact, as long as every summary had at most K distinct values.
 *
 * Cost for n values: O(n log(n / K)) time; 8 K bytes for each of log2(n / K) + 3 lists, 24 K per worker.
 */
#if !defined(SOOTH_TRAIN_SKETCH_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_SKETCH_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_TRAIN_SKETCH_H
#define SOOTH_TRAIN_SKETCH_H
#endif /* SOOTH_TRAIN_SKETCH_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_SKETCH_IMPLEMENTED)
#define SOOTH_TRAIN_SKETCH_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

enum { SOOTHI_SKETCH_LEVELS = 32 };

/* Pairs are key << 32 | count, so they sort like entries. Lists are at most 2^31 long. */
typedef struct soothi_sketch {
    size_t most;                           /* K */
    uint64_t *buffer;                      /* most: keys << 32 | 1, in order of arrival */
    size_t used;                           /* entries of buffer in use */
    uint64_t *level[SOOTHI_SKETCH_LEVELS]; /* most each: a summary of most << l values, or NULL */
    size_t pairs[SOOTHI_SKETCH_LEVELS];    /* pairs per level; 0 means an empty level */
    uint64_t error[SOOTHI_SKETCH_LEVELS];  /* maximum error of its ranks */
} soothi_sketch;

/* Combines equal keys of a sorted list into one pair; returns the number of pairs. */
SOOTHI_LOCAL size_t soothi_sketch_join(uint64_t *list, size_t n) {
    size_t out = 0;
    for (size_t k = 0; k < n; ++k) {
        if (out > 0 && (list[out - 1] ^ list[k]) >> 32 == 0) list[out - 1] += (uint32_t)list[k];
        else list[out++] = list[k];
    }
    return out;
}

/* Merges two summaries into `out`, which must hold all pairs; returns their number. */
SOOTHI_LOCAL size_t soothi_sketch_merge(const uint64_t *a, size_t na, const uint64_t *b, size_t nb,
                                        uint64_t *out) {
    size_t i = 0, j = 0, n = 0;
    while (i < na && j < nb) {
        if ((a[i] ^ b[j]) >> 32 == 0) out[n++] = a[i++] + (uint32_t)b[j++];
        else if (a[i] < b[j]) out[n++] = a[i++];
        else out[n++] = b[j++];
    }
    while (i < na) out[n++] = a[i++];
    while (j < nb) out[n++] = b[j++];
    return n;
}

/* Reduces a summary to `most` pairs, adds the maximum rank error to *error, and returns the number of
   pairs. */
SOOTHI_LOCAL size_t soothi_sketch_prune(uint64_t *list, size_t n, size_t most, uint64_t *error) {
    uint64_t all = 0, below = 0, worst = 0;
    size_t out = 0;
    if (n <= most) return n;
    for (size_t k = 0; k < n; ++k) all += (uint32_t)list[k];
    const uint64_t allowed = all / (most - 1);
    for (size_t k = 0; k < n; ++k) { /* below: count of the current group without this pair */
        const uint64_t count = (uint32_t)list[k];
        if (k > 0 && below > allowed) {
            ++out;
            below = 0;
        }
        if (below > worst) worst = below;
        below += count;
        list[out] = (list[k] >> 32 << 32) | below;
    }
    *error += worst;
    return out + 1;
}

/* Moves the buffer into the levels. scratch holds 3 x most. Levels that are needed must be allocated. */
SOOTHI_LOCAL void soothi_sketch_carry(soothi_sketch *s, uint64_t *scratch) {
    uint64_t *carry = scratch, *merged = scratch + s->most, error = 0;
    size_t l = 0;
    if (s->used == 0) return;
    soothi_entry_sort(s->buffer, scratch, s->used);
    size_t n = soothi_sketch_join(s->buffer, s->used);
    memcpy(carry, s->buffer, n * sizeof *carry);
    s->used = 0;
    for (; s->pairs[l]; ++l) {
        n = soothi_sketch_merge(s->level[l], s->pairs[l], carry, n, merged);
        error += s->error[l];
        n = soothi_sketch_prune(merged, n, s->most, &error);
        memcpy(carry, merged, n * sizeof *carry);
        s->pairs[l] = 0;
    }
    memcpy(s->level[l], carry, n * sizeof *carry);
    s->pairs[l] = n;
    s->error[l] = error;
}

/* Adds one value that is not missing. */
SOOTHI_HOT void soothi_sketch_add(soothi_sketch *s, float value, uint64_t *scratch) {
    s->buffer[s->used++] = (uint64_t)soothi_key(value) << 32 | 1;
    if (s->used == s->most) soothi_sketch_carry(s, scratch);
}

/* Returns the number of levels that `rows` values may fill. */
SOOTHI_LOCAL size_t soothi_sketch_levels(size_t most, size_t rows) {
    size_t levels = 1;
    while (rows / most >> levels) ++levels;
    return levels;
}

/* Allocates the buffer and the levels for `rows` values in total. Returns 0 if memory is missing. */
SOOTHI_LOCAL int soothi_sketch_reserve(sooth_env *env, soothi_sketch *s, size_t rows) {
    const size_t levels = soothi_sketch_levels(s->most, rows);
    if (!s->buffer) s->buffer = (uint64_t *)sooth_alloc(env, s->most, sizeof *s->buffer);
    if (!s->buffer) return 0;
    for (size_t l = 0; l < levels; ++l) {
        if (!s->level[l]) s->level[l] = (uint64_t *)sooth_alloc(env, s->most, sizeof *s->buffer);
        if (!s->level[l]) return 0;
    }
    return 1;
}

SOOTHI_LOCAL void soothi_sketch_free(sooth_env *env, soothi_sketch *s) {
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l)
        sooth_free(env, s->level[l], s->most, sizeof *s->buffer);
    sooth_free(env, s->buffer, s->most, sizeof *s->buffer);
}

/* Returns the maximum number of pairs in the result of soothi_sketch_end. */
SOOTHI_LOCAL size_t soothi_sketch_pairs(const soothi_sketch *s) {
    size_t n = s->used;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) n += s->pairs[l];
    return n;
}

/* Returns the maximum error of ranks: true rank - error <= rank <= true rank. */
SOOTHI_LOCAL uint64_t soothi_sketch_error(const soothi_sketch *s) {
    uint64_t error = 0;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) error += s->pairs[l] ? s->error[l] : 0;
    return error;
}

/* Merges all values, without pruning, in two lists of soothi_sketch_pairs elements. Returns the list with the
   summary and its number of pairs in *n. Sorts the buffer. scratch is as in soothi_sketch_carry. */
SOOTHI_LOCAL uint64_t *soothi_sketch_end(soothi_sketch *s, uint64_t *scratch, uint64_t *list, uint64_t *other,
                                         size_t *n) {
    soothi_entry_sort(s->buffer, scratch, s->used);
    s->used = *n = soothi_sketch_join(s->buffer, s->used);
    memcpy(list, s->buffer, *n * sizeof *list);
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) {
        uint64_t *from = list;
        if (s->pairs[l] == 0) continue;
        *n = soothi_sketch_merge(from, *n, s->level[l], s->pairs[l], other);
        list = other;
        other = from;
    }
    return list;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
