/* base/order.h - order statistics: selection without memory, windows of sorted values, random orders of rows.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Radix selection finds a quantile of unsorted values without memory. Values are mapped to unsigned integers
 * of the same order, their keys. The key of the quantile is found 8 bits at a time from the top: a pass over
 * the values adds their weights for each of the 256 continuations of the bits found so far.
 *
 *     soothi_select s = soothi_select_start(32);      // bits of a key
 *     while (soothi_select_pass(&s)) {
 *         for (size_t i = 0; i < n; ++i) {
 *             double *bin = soothi_select_bin(&s, soothi_key(value[i]));
 *             if (bin) *bin += 1;
 *         }
 *         soothi_select_narrow(&s, 0.5 * n);          // the first key with this cumulative weight
 *     }
 *
 * A window holds the last values of a stream twice: in order of arrival and sorted. Its median takes O(1)
 * time, its MAD (the median distance from the median) O(log m), a new value O(m). Windows use floats only, so
 * that programs that only predict may have them.
 */
#ifndef SOOTH_BASE_ORDER_IMPLEMENTED
#include "../base.h"
#endif

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_ORDER_IMPLEMENTED)
#define SOOTH_BASE_ORDER_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- windows ---- */

/* Returns the number of sorted values below v. */
SOOTHI_LOCAL uint32_t soothi_sorted_below(const float *sorted, uint32_t count, float v) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] < v) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Returns the median of sorted values, for an even count the mean of the middle two; NaN without values. */
SOOTHI_LOCAL float soothi_sorted_median(const float *sorted, uint32_t count) {
    const uint32_t half = count / 2;
    if (count == 0) return soothi_missing();
    return count % 2 ? sorted[half] : 0.5f * (sorted[half - 1] + sorted[half]);
}

/* Returns the median distance from the median. Distances grow from the middle to both ends: two sorted lists,
   left and right. Of the (n - 1) / 2 smallest, i come from the left, found by bisection. The next, or the
   mean of the next two, is the result. */
SOOTHI_LOCAL float soothi_sorted_mad(const float *sorted, uint32_t n) {
    const float median = soothi_sorted_median(sorted, n);
    const uint32_t left = n / 2, k = n ? (n - 1) / 2 : 0;
    uint32_t low = 0, high = k < left ? k : left;
    float next[2] = {0.0f, 0.0f};
    if (n == 0) return soothi_missing();
    while (low < high) {
        const uint32_t i = low + (high - low) / 2;
        if (median - sorted[left - 1 - i] < sorted[left + k - i - 1] - median) low = i + 1;
        else high = i;
    }
    uint32_t i = low, j = k - low;
    for (uint32_t step = 0; step < 2 - n % 2; ++step) {
        const int by_left =
            i < left && !(left + j < n && sorted[left + j] - median < median - sorted[left - 1 - i]);
        next[step] = by_left ? median - sorted[left - 1 - i] : sorted[left + j] - median;
        i += by_left != 0;
        j += by_left == 0;
    }
    return n % 2 ? next[0] : 0.5f * (next[0] + next[1]);
}

/* Adds v to a window of `capacity` values: memory[0..capacity) in order of arrival, then the sorted ones. If
   the window is full, v replaces the oldest value, at *next. The sorted values between the two move by one.
   */
SOOTHI_LOCAL void soothi_window_insert(float *memory, uint32_t capacity, uint32_t *count, uint32_t *next,
                                       float v) {
    float *sorted = memory + capacity;
    uint32_t at = *count;
    if (at == capacity) at = soothi_sorted_below(sorted, capacity, memory[*next]);
    else ++*count;
    for (; at + 1 < *count && sorted[at + 1] < v; ++at) sorted[at] = sorted[at + 1];
    for (; at > 0 && sorted[at - 1] > v; --at) sorted[at] = sorted[at - 1];
    sorted[at] = v;
    memory[*next] = v;
    if (++*next == capacity) *next = 0;
}

/* ---- medians of a few values ---- */

/* Sort v[0..n) by insertion and return the median; NaN if n is 0. */
#define SOOTHI_MEDIAN(name, number, missing)                                    \
    SOOTHI_LOCAL number name(number *v, size_t n) {                             \
        for (size_t i = 1; i < n; ++i) {                                        \
            const number x = v[i];                                              \
            size_t j = i;                                                       \
            for (; j > 0 && v[j - 1] > x; --j) v[j] = v[j - 1];                 \
            v[j] = x;                                                           \
        }                                                                       \
        return n ? (number)0.5 * (v[(n - 1) / 2] + v[n / 2]) : (number)missing; \
    }
SOOTHI_MEDIAN(soothi_median_f, float, soothi_missing())

#ifndef SOOTH_PREDICT_ONLY

SOOTHI_MEDIAN(soothi_median, double, SOOTHI_NAN)

/* ---- selection ---- */

typedef struct soothi_select {
    uint64_t found;     /* leading bits of the key; the key itself after the last pass */
    int shift;          /* bits not yet found */
    double below;       /* weight of the smaller keys, */
    double reached;     /* and with that of this key */
    double weight[256]; /* of each continuation */
} soothi_select;

/* Begins a selection among keys of this many bits, a multiple of 8. */
SOOTHI_LOCAL soothi_select soothi_select_start(int bits) {
    soothi_select s;
    s.found = 0;
    s.shift = bits;
    s.below = s.reached = 0.0;
    return s;
}

/* Begins the next pass over the values; returns 0 if none is needed. */
SOOTHI_LOCAL int soothi_select_pass(soothi_select *s) {
    if (s->shift == 0) return 0;
    s->shift -= 8;
    memset(s->weight, 0, sizeof s->weight);
    return 1;
}

/* Returns the place that the weight of this key is added to; NULL if the key cannot be the quantile. */
SOOTHI_HOT double *soothi_select_bin(soothi_select *s, uint64_t key) {
    return key >> s->shift >> 8 == s->found ? &s->weight[key >> s->shift & 255u] : NULL;
}

/* Finds the next bits of the first key whose cumulative weight is at least `target`. */
SOOTHI_LOCAL void soothi_select_narrow(soothi_select *s, double target) {
    unsigned last = 0;
    s->reached = s->below;
    for (unsigned b = 0; b < 256 && s->reached < target; ++b) {
        if (!(s->weight[b] > 0.0)) continue;
        last = b;
        s->below = s->reached;
        s->reached += s->weight[b];
    }
    s->found = s->found << 8 | last;
}

/* ---- orders ---- */

/* Returns a random order of the rows, or NULL without memory. Free it with sooth_free(env, order, rows, 4).
   */
SOOTHI_LOCAL uint32_t *soothi_random_order(sooth_env *env, size_t rows, uint64_t seed) {
    uint32_t *order = (uint32_t *)sooth_alloc(env, rows, sizeof *order);
    sooth_rng rng;
    if (!order) return NULL;
    for (size_t i = 0; i < rows; ++i) order[i] = (uint32_t)i;
    sooth_rng_init(&rng, seed, 0);
    sooth_rng_shuffle(&rng, order, rows);
    return order;
}

/* Sorts the rows by time, the first row first among those of one time; entry has room for 2 x rows. */
SOOTHI_LOCAL void soothi_time_sort(const sooth_table *table, uint64_t *entry) {
    for (size_t i = 0; i < table->rows; ++i)
        entry[i] = (uint64_t)(table->time ? table->time[i] : (uint32_t)i) << 32 | i;
    soothi_entry_sort(entry, entry + table->rows, table->rows);
}

/* Returns the rows in the order of time, or NULL without memory. Free it like soothi_random_order. */
SOOTHI_LOCAL uint32_t *soothi_time_order(sooth_env *env, const sooth_table *table) {
    const size_t n = table->rows;
    uint32_t *order = (uint32_t *)sooth_alloc(env, n, sizeof *order);
    uint64_t *entry = (uint64_t *)sooth_alloc(env, n, 2 * sizeof *entry);
    if (order && entry) {
        soothi_time_sort(table, entry);
        for (size_t i = 0; i < n; ++i) order[i] = soothi_entry_row(entry[i]);
    } else {
        sooth_free(env, order, n, sizeof *order);
        order = NULL;
    }
    sooth_free(env, entry, n, 2 * sizeof *entry);
    return order;
}

#define SOOTHI_TIME_FIRST 0xFFFFFFFFu /* the part of the first rows, which are not predicted */

/* Cuts the rows, from place `first` in the order of time on, into parts of `step` rows, the last of them
   longer: part[row]. Rows of one time are in the part of the first of them. Returns the number of parts that
   have rows, at most `most`. */
SOOTHI_LOCAL size_t soothi_time_parts(const sooth_table *table, uint64_t *entry, size_t first, size_t step,
                                      size_t most, uint32_t *part) {
    size_t parts = 0, before = SIZE_MAX, at;
    soothi_time_sort(table, entry);
    for (size_t i = 0; i < table->rows; ++i, before = at) {
        const int same = i > 0 && soothi_entry_key(entry[i]) == soothi_entry_key(entry[i - 1]);
        at = same ? before : i < first ? SIZE_MAX : (i - first) / step;
        if (at != SIZE_MAX && at >= most) at = most - 1;
        parts += at != before;
        part[soothi_entry_row(entry[i])] = at == SIZE_MAX ? SOOTHI_TIME_FIRST : (uint32_t)parts - 1u;
    }
    return parts;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
