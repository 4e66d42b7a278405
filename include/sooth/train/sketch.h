/* sketch.h - the order of very many numbers in little memory: how many are at most x, within a proven bound.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Cutting a column into bins of equal counts needs its sorted values. Where they are more than memory holds,
 * a summary will do: ascending pairs of a key (a float as an unsigned number, see base.h) and a count. What a
 * summary says of x is its rank, the sum of the counts of keys up to x. This header has no public functions;
 * blocks.h stands on it.
 *
 *   add      values gather in a buffer of K; a full one is sorted and becomes a summary, equal keys one pair
 *   merge    of two summaries: all pairs of both, equal keys one pair. Ranks add up, and so do errors
 *   prune    a summary of more than K pairs is cut down to K: neighbours become one pair, with the greatest
 *            of their keys and the sum of their counts
 *
 * Summaries of equally many buffers are merged, as a binary counter carries: K numbers, 2 K, 4 K, ... (Munro,
 * Paterson: Selection and sorting with limited storage, TCS 12, 1980; merging and pruning as in Agarwal et
 * al.: Mergeable summaries, PODS 2012). No random number is drawn.
 *
 * The bound. Pruning W values takes a pair into the present group as long as the counts of the group below
 * it stay at or under G = W / (K - 1). For x in a group, but below its greatest key, the rank loses the
 * group's counts up to x: between 0 and G. So a pruning of W values is never wrong by more than G, and
 * always to one side. A group that ends has more than G values, so that there are at most K groups. A
 * value goes through at most one pruning per doubling, and the prunings of one size together see each of n
 * values once at most: their errors add up to n / (K - 1). With L = log2(n / K) doublings
 *     0 <= true rank - rank <= L n / (K - 1),
 * for a hundred million values and K = 32,768 (L = 12) less than 0.04 % of them, a tenth of one of 256
 * bins. The sketch adds up what its prunings really cost at most: soothi_sketch_error is 0 as long as no
 * summary has had more than K distinct values. Then all ranks are exact.
 *
 * Costs, for n values: O(n log(n / K)) time; 8 K bytes for each of log2(n / K) + 3 lists, 24 K for a worker.
 *
 * There is no example: nothing here is for a host; blocks.h has one.
 */
#if !defined(SOOTH_TRAIN_SKETCH_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_SKETCH_IMPLEMENTED))
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

/* Pairs are key << 32 | count, so that they sort as entries do. No list is longer than 2^31. */
typedef struct soothi_sketch {
    size_t most;                           /* K */
    uint64_t *buffer;                      /* most: keys << 32 | 1, as they come */
    size_t used;                           /* of these */
    uint64_t *level[SOOTHI_SKETCH_LEVELS]; /* most each: a summary of most << l values, or NULL */
    size_t pairs[SOOTHI_SKETCH_LEVELS];    /* in each; 0: there is none */
    uint64_t error[SOOTHI_SKETCH_LEVELS];  /* of its ranks, at most */
} soothi_sketch;

/* One pair per key of a sorted list; returns how many. */
SOOTHI_LOCAL size_t soothi_sketch_join(uint64_t *list, size_t n) {
    size_t out = 0;
    for (size_t k = 0; k < n; ++k) {
        if (out > 0 && (list[out - 1] ^ list[k]) >> 32 == 0) list[out - 1] += (uint32_t)list[k];
        else list[out++] = list[k];
    }
    return out;
}

/* Merges two summaries into `out`, which has room for all pairs; returns how many there are. */
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

/* Cuts a summary down to `most` pairs; *error grows by what that costs. Returns how many are left. */
SOOTHI_LOCAL size_t soothi_sketch_prune(uint64_t *list, size_t n, size_t most, uint64_t *error) {
    uint64_t all = 0, below = 0, worst = 0;
    size_t out = 0;
    if (n <= most) return n;
    for (size_t k = 0; k < n; ++k) all += (uint32_t)list[k];
    const uint64_t allowed = all / (most - 1);
    for (size_t k = 0; k < n; ++k) { /* below: of the present group, without this pair */
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

/* Takes the buffer into the levels. scratch: 3 x most. A level that is needed must have memory. */
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

/* How many levels `rows` values may fill. */
SOOTHI_LOCAL size_t soothi_sketch_levels(size_t most, size_t rows) {
    size_t levels = 1;
    while (rows / most >> levels) ++levels;
    return levels;
}

/* Makes sure of memory for `rows` values in all; 0: there is none. */
SOOTHI_LOCAL int soothi_sketch_reserve(sooth_env *env, soothi_sketch *s, size_t rows) {
    const size_t levels = soothi_sketch_levels(s->most, rows);
    if (!s->buffer) s->buffer = (uint64_t *)soothi_alloc(env, s->most, sizeof *s->buffer);
    if (!s->buffer) return 0;
    for (size_t l = 0; l < levels; ++l) {
        if (!s->level[l]) s->level[l] = (uint64_t *)soothi_alloc(env, s->most, sizeof *s->buffer);
        if (!s->level[l]) return 0;
    }
    return 1;
}

SOOTHI_LOCAL void soothi_sketch_free(sooth_env *env, soothi_sketch *s) {
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l)
        soothi_free(env, s->level[l], s->most, sizeof *s->buffer);
    soothi_free(env, s->buffer, s->most, sizeof *s->buffer);
}

/* Pairs that soothi_sketch_end may give. */
SOOTHI_LOCAL size_t soothi_sketch_pairs(const soothi_sketch *s) {
    size_t n = s->used;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) n += s->pairs[l];
    return n;
}

/* By how much ranks may be wrong: true rank - error <= rank <= true rank. */
SOOTHI_LOCAL uint64_t soothi_sketch_error(const soothi_sketch *s) {
    uint64_t error = 0;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) error += s->pairs[l] ? s->error[l] : 0;
    return error;
}

/* The summary of all values, not pruned, in one of two lists of soothi_sketch_pairs places; returns which,
   and *n how many pairs. scratch: as above. The buffer is sorted by this. */
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
