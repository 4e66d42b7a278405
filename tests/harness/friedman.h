/* friedman.h - tables for tests: Friedman #1 with noise columns, missing values, weights.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + e (Multivariate adaptive regression splines, 1991),
 * e standard normal.
 */
#ifndef SOOTH_FRIEDMAN_H
#define SOOTH_FRIEDMAN_H

#include "sooth/base.h"

#include <math.h>
#include <stdlib.h>

/* Memory of its own for x, y and weights (all 1); free x and y with free_friedman. missing: share of the
   values of x. */
static inline void make_friedman(sooth_table *table, size_t rows, size_t cols, uint64_t seed,
                                 double missing) {
    float *x = (float *)malloc(rows * cols * sizeof *x), *y = (float *)malloc(rows * sizeof *y);
    sooth_rng rng;
    size_t i, j;
    if (!x || !y) abort();
    sooth_rng_init(&rng, seed, 99);
    for (i = 0; i < rows; ++i) {
        float *row = x + i * cols;
        for (j = 0; j < cols; ++j) row[j] = sooth_rng_float(&rng);
        y[i] = (float)(10.0 * sin(3.14159265358979 * (double)row[0] * (double)row[1]) +
                       20.0 * ((double)row[2] - 0.5) * ((double)row[2] - 0.5) + 10.0 * (double)row[3] +
                       5.0 * (double)row[4] + sooth_rng_normal(&rng));
        for (j = 0; j < cols; ++j)
            if (missing > 0.0 && sooth_rng_double(&rng) < missing) row[j] = NAN;
    }
    sooth_table_init(table, x, rows, cols);
    table->y = y;
    table->targets = 1;
}

static inline void free_friedman(sooth_table *table) {
    union {
        const float *from;
        void *to;
    } x, y;
    x.from = table->x;
    y.from = table->y;
    free(x.to);
    free(y.to);
}

/* 1 - sum of squared errors / that of the mean. */
static inline double r2_of(const float *y, const float *p, size_t rows) {
    double mean = 0.0, error = 0.0, spread = 0.0;
    size_t i;
    for (i = 0; i < rows; ++i) mean += (double)y[i] / (double)rows;
    for (i = 0; i < rows; ++i) {
        error += ((double)p[i] - (double)y[i]) * ((double)p[i] - (double)y[i]);
        spread += ((double)y[i] - mean) * ((double)y[i] - mean);
    }
    return 1.0 - error / spread;
}

#endif /* SOOTH_FRIEDMAN_H */
