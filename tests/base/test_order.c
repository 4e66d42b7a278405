/* test_order.c - order statistics against sorting: selection, windows, medians, random orders.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base/order.h"
#include "check.h"

enum { MOST = 60 };

static sooth_rng rng;

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Values with and without ties, of both signs. */
static void draw(float *v, uint32_t n, int ties) {
    for (uint32_t i = 0; i < n; ++i) {
        v[i] = ties ? (float)sooth_rng_below(&rng, 6) - 3.0f : (float)(100.0 * sooth_rng_normal(&rng));
        v[i] += 0.0f; /* never -0 */
    }
}

static float middle(float *v, uint32_t n) {
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : 0.5f * (v[n / 2 - 1] + v[n / 2]);
}

/* The first value whose cumulative weight is at least the target, and the sums around it. */
static void selection_equals_sorting(void) {
    float v[MOST], sorted[MOST];
    for (uint32_t trial = 0; trial < 400; ++trial) {
        const uint32_t n = 1 + sooth_rng_below(&rng, MOST);
        draw(v, n, trial % 2);
        memcpy(sorted, v, n * sizeof *v);
        qsort(sorted, n, sizeof *v, by_value);
        for (uint32_t k = 0; k < n; k += 1 + n / 7) {
            soothi_select s = soothi_select_start(32);
            int passes = 0;
            for (; soothi_select_pass(&s); ++passes) {
                for (uint32_t i = 0; i < n; ++i) {
                    double *bin = soothi_select_bin(&s, soothi_key(v[i]));
                    if (bin) *bin += 0.5;
                }
                soothi_select_narrow(&s, 0.5 * (k + 1));
            }
            uint32_t below = 0, reached = 0;
            for (uint32_t i = 0; i < n; ++i) {
                below += sorted[i] < sorted[k];
                reached += sorted[i] <= sorted[k];
            }
            CHECK(passes == 4 && s.found == soothi_key(sorted[k]));
            CHECK_NEAR(s.below, 0.5 * below, 0);
            CHECK_NEAR(s.reached, 0.5 * reached, 0);
        }
    }
}

/* After every value, the window has the last of them, and the median and MAD that sorting finds. */
static void a_window_equals_sorting(void) {
    static float memory[2 * MOST], seen[200];
    float last[MOST];
    CHECK(!(soothi_sorted_median(memory, 0) >= 0.0f || soothi_sorted_median(memory, 0) < 0.0f)); /* NaN */
    CHECK(!(soothi_sorted_mad(memory, 0) >= 0.0f));
    for (uint32_t m = 1; m < MOST; ++m) {
        uint32_t count = 0, next = 0;
        draw(seen, 200, m % 2);
        for (uint32_t i = 0; i < 200; ++i) {
            const uint32_t n = i + 1 < m ? i + 1 : m;
            soothi_window_insert(memory, m, &count, &next, seen[i]);
            CHECK(count == n && next == (i + 1) % m);
            memcpy(last, seen + i + 1 - n, n * sizeof *last);
            const float median = middle(last, n);
            CHECK(memcmp(last, memory + m, n * sizeof *last) == 0);
            CHECK(soothi_sorted_median(memory + m, n) == median);
            CHECK(soothi_sorted_below(memory + m, n, last[0]) == 0);
            CHECK(soothi_sorted_below(memory + m, n, last[n - 1] + 1.0f) == n);
            for (uint32_t k = 0; k < n; ++k) last[k] = last[k] < median ? median - last[k] : last[k] - median;
            CHECK(soothi_sorted_mad(memory + m, n) == middle(last, n));
            if (check_failures) return;
        }
    }
}

static void medians_equal_sorting(void) {
    float v[MOST], sorted[MOST];
    double w[MOST];
    CHECK(soothi_nan(soothi_median(w, 0)) && soothi_nan((double)soothi_median_f(v, 0)));
    for (uint32_t n = 1; n < MOST; ++n) {
        draw(v, n, n % 3 == 0);
        memcpy(sorted, v, n * sizeof *v);
        for (uint32_t i = 0; i < n; ++i) w[i] = (double)v[i];
        const float median = middle(sorted, n);
        CHECK(soothi_median_f(v, n) == median && memcmp(v, sorted, n * sizeof *v) == 0);
        CHECK_CLOSE(soothi_median(w, n), (double)median, 1e-6);
    }
}

/* Every row once, another seed another order; without memory NULL. */
static void an_order_has_every_row_once(void) {
    uint32_t *a = soothi_random_order(NULL, MOST, 1), *again = soothi_random_order(NULL, MOST, 1);
    uint32_t *b = soothi_random_order(NULL, MOST, 2), times[MOST] = {0};
    CHECK(a && again && b);
    for (uint32_t i = 0; i < MOST; ++i) ++times[a[i]];
    for (uint32_t i = 0; i < MOST; ++i) CHECK(times[i] == 1);
    CHECK(memcmp(a, again, sizeof times) == 0 && memcmp(a, b, sizeof times) != 0);
    sooth_free(NULL, a, MOST, sizeof *a);
    sooth_free(NULL, again, MOST, sizeof *a);
    sooth_free(NULL, b, MOST, sizeof *a);
    CHECK(!soothi_random_order(NULL, SIZE_MAX / 2, 1));
}

/* Rows in the order of time, the first row first among those of one time; without memory NULL. */
static void an_order_of_time_is_sorted(void) {
    static const uint32_t time[6] = {7, 3, 7, 0, 3, 9}, by_hand[6] = {3, 1, 4, 0, 2, 5};
    static const float x[6] = {0};
    sooth_table table = sooth_table_of(x, x, 6, 1);
    sooth_env failing;
    sooth_env_init(&failing);
    table.time = time;
    uint32_t *order = soothi_time_order(NULL, &table);
    CHECK(order && memcmp(order, by_hand, sizeof by_hand) == 0);
    sooth_free(NULL, order, 6, sizeof *order);
    for (long at = 0; at < 2; ++at) {
        check_memory m;
        check_memory_init(&m, &failing, at);
        CHECK(!soothi_time_order(&failing, &table));
        CHECK(m.live == 0 && m.live_bytes == 0);
    }
}

/* Nine rows in parts of two after the first one: three parts, of which the last has what is left. Rows of one
   time are not parted, and a part that they empty does not count. */
static void the_last_part_is_the_longest(void) {
    enum { N = 9 };
    static const uint32_t time[2][N] = {{8, 7, 6, 5, 4, 3, 2, 1, 0}, {0, 1, 1, 1, 1, 2, 2, 3, 4}};
    static const uint32_t by_hand[2][N] = {{2, 2, 2, 2, 1, 1, 0, 0, SOOTHI_TIME_FIRST},
                                           {SOOTHI_TIME_FIRST, 0, 0, 0, 0, 1, 1, 1, 1}};
    static const float x[N] = {0};
    for (size_t k = 0; k < 2; ++k) {
        sooth_table table = sooth_table_of(x, x, N, 1);
        uint64_t entry[2 * N];
        uint32_t part[N];
        table.time = time[k];
        CHECK(soothi_time_parts(&table, entry, 1, 2, 3, part) == 3 - k);
        CHECK(memcmp(part, by_hand[k], sizeof part) == 0);
    }
}

int main(void) {
    sooth_rng_init(&rng, 2026, 0);
    CHECK_RUN(selection_equals_sorting);
    CHECK_RUN(a_window_equals_sorting);
    CHECK_RUN(medians_equal_sorting);
    CHECK_RUN(an_order_has_every_row_once);
    CHECK_RUN(an_order_of_time_is_sorted);
    CHECK_RUN(the_last_part_is_the_longest);
    return check_end("order");
}
