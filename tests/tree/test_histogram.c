/* test_histogram.c - the best split of packed cells, against a loop that divides for every one.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/tree/histogram.h"

#include "check.h"

enum { BINS = 256, BITS = 20 };
static int64_t cell[BINS], sums[4];
static double mean[1], part[2 * (SOOTHI_GROWER_TABLE + 1)];
static uint32_t used[1];
static soothi_grower_record record[1];
static soothi_grower_rules rules;
static soothi_columns columns;
static soothi_grower g;
static sooth_rng rng;

/* A node of `rows` rows in the first `count` bins, of which `missing` have none; gradients of about `size`
   times 2^-scale. Returns the sum of the missing ones. */
static int64_t make_node(uint32_t rows, uint32_t count, uint32_t missing, int32_t size, int scale) {
    int64_t lost = 0;
    memset(cell, 0, sizeof cell);
    memset(sums, 0, sizeof sums);
    for (uint32_t k = 0; k < rows; ++k) {
        const uint32_t b = sooth_rng_below(&rng, count) * sooth_rng_below(&rng, count) / count;
        const int32_t lean = b > count / 3 ? size / 4 : 0; /* so that there is something to find */
        const int64_t row =
            soothi_histogram_pack((int32_t)sooth_rng_below(&rng, 2 * (uint32_t)size + 1) - size + lean, BITS);
        if (k < missing) lost += row;
        else cell[b] += row;
        sums[0] += row;
    }
    memset(&g, 0, sizeof g);
    used[0] = count;
    columns.used = used;
    columns.cells = BINS;
    columns.cols = g.cols = 1;
    g.rules = &rules;
    g.columns = &columns;
    g.record = record;
    g.mean = mean;
    g.packed.width = 1;
    g.packed.count_bits = BITS;
    g.packed.sum = sums;
    g.packed.back[0] = soothi_power_of_two(-scale - BITS);
    record[0].rows = rows;
    soothi_histogram_measure(&g, 0, sums, NULL);
    return lost;
}

/* The first cell with the greatest score above `most`, of all that leave `least` rows on both sides, from the
   first that is not empty on: before it are the missing rows alone, a split of the other side's search. */
static double best_by_hand(int64_t sum, uint32_t count, double most, uint32_t *at) {
    const int64_t mask = ((int64_t)1 << BITS) - 1, rows = sums[0] & mask;
    const double lambda = rules.second.lambda, first = (double)(sums[0] - rows) * g.packed.back[0];
    uint32_t k = 0;
    *at = SOOTHI_GROWER_NONE;
    while (k < count && cell[k] == 0) ++k;
    for (; k < count; ++k) {
        sum += cell[k];
        const int64_t n = sum & mask;
        if (n < (int64_t)rules.min_leaf || rows - n < (int64_t)rules.min_leaf) continue;
        const double gl = (double)(sum - n) * g.packed.back[0], gr = first - gl;
        const double hl = (double)n + lambda, hr = (double)rows - (double)n + lambda;
        const double score = (gl * gl * hr + gr * gr * hl) / (hl * hr);
        if (score > most) {
            most = score;
            *at = k;
        }
    }
    return most;
}

/* table: look up what the rows on the left say; known: another column has reached nearly as much. */
static void same_as_by_hand(int64_t missing, uint32_t count, uint32_t left, int table, int known) {
    soothi_histogram_column c = {0, count, cell, NULL, {missing, 0}, NULL, NULL, {0, 0, 0, 0}};
    soothi_grower_packed_search s;
    uint32_t at;
    soothi_histogram_open_search(&g, 0, &s);
    const double start = s.best.gain + s.second.parent;
    const double most = best_by_hand(left ? missing : 0, count, start, &at);
    if (table) {
        const soothi_histogram_plain p = soothi_histogram_plain_of(&g, 0);
        soothi_histogram_fill_table(&p, soothi_histogram_min_rows(&rules), part);
        c.part = part;
    }
    if (known) s.reached = most * (1.0 - 1e-14);
    soothi_histogram_scan_plain(&s, &c, left, left ? missing : 0);
    if (at == SOOTHI_GROWER_NONE) {
        CHECK(s.best.column == SOOTHI_GROWER_NONE);
        return;
    }
    CHECK(s.best.column == 0 && s.best.cut == at && s.best.missing_left == left);
    CHECK(memcmp(&s.best.score, &most, sizeof most) == 0);
}

static void a_scan_finds_what_a_division_for_each_finds(void) {
    static const double lambda[] = {0.0, 1e-9, 1.0, 1e5};
    static const int scale[] = {0, 30, 146, -107}; /* up to both ends of float */
    for (uint32_t k = 0; k < 3000; ++k) {
        const uint32_t rows = 2 + sooth_rng_below(&rng, k % 3 ? 300 : 20000);
        const uint32_t count = k % 5 ? 256 : 1 + sooth_rng_below(&rng, 20);
        const uint32_t missing = k % 4 ? 0 : sooth_rng_below(&rng, rows / 2);
        rules.second.lambda = lambda[k % 4];
        rules.min_leaf = k % 7 ? 1 : 5;
        const int64_t lost = make_node(rows, count, missing, k % 11 ? 1000000 : 1, scale[k / 4 % 4]);
        for (int way = 0; way < 8; ++way)
            if ((!(way & 1) || rows <= SOOTHI_GROWER_TABLE) && (!(way & 4) || lost))
                same_as_by_hand(lost, count, way >> 2 & 1, way & 1, way >> 1 & 1);
    }
}

/* A node whose rows pull all in the same way, but for rounding, is not worth a split. */
static void alike_rows_are_not_split(void) {
    rules.second.lambda = 0.0;
    rules.min_leaf = 1;
    for (uint32_t rows = 2; rows <= 1000; rows += 499) {
        make_node(rows, 256, 0, 1, 0);
        memset(cell, 0, sizeof cell);
        for (uint32_t k = 0; k < rows; ++k) cell[k % BINS] += soothi_histogram_pack(3333333, BITS);
        sums[0] = (int64_t)rows * soothi_histogram_pack(3333333, BITS);
        soothi_histogram_measure(&g, 0, sums, NULL);
        for (int table = 0; table < 2; ++table) same_as_by_hand(0, 256, 0, table, 0);
        soothi_grower_packed_search s;
        const soothi_histogram_column c = {0, 256, cell, NULL, {0, 0}, NULL, NULL, {0, 0, 0, 0}};
        soothi_histogram_open_search(&g, 0, &s);
        soothi_histogram_scan_plain(&s, &c, 0, 0);
        CHECK(s.best.column == SOOTHI_GROWER_NONE);
    }
}

int main(void) {
    sooth_rng_init(&rng, 11, 0);
    rules.criterion = SOOTHI_CRITERION_SECOND;
    CHECK_RUN(a_scan_finds_what_a_division_for_each_finds);
    CHECK_RUN(alike_rows_are_not_split);
    return check_end("packed");
}
