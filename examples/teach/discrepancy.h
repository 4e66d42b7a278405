/* discrepancy.h - how evenly points fill the unit cube: discrepancies, and the min distance of two points.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The definitions are those of SciPy's stats.qmc, and the values are equal to its values.
 */
#ifndef TEACH_DISCREPANCY_H
#define TEACH_DISCREPANCY_H

#include "sooth/base.h"
#include <math.h>

/* L2 discrepancies of points in the unit cube, as defined by SciPy. Small values are even. */
typedef enum discrepancy_kind {
    DISCREPANCY_CENTRED = 0, /* CD^2 (Hickernell, Math. Comput. 67, 1998) */
    DISCREPANCY_WRAPAROUND,  /* WD^2 (Hickernell, as above) */
    DISCREPANCY_MIXTURE,     /* MD^2 (Zhou, Fang, Ning, J. Complexity 29, 2013) */
    DISCREPANCY_L2_STAR      /* L2*, not squared (Warnock 1972) */
} discrepancy_kind;

/* The factor of one coordinate in the sum over points. */
static inline double discrepancy_one(discrepancy_kind kind, double x) {
    double c = fabs(x - 0.5);
    switch (kind) {
    case DISCREPANCY_CENTRED: return 1.0 + 0.5 * c - 0.5 * c * c;
    case DISCREPANCY_MIXTURE: return 5.0 / 3.0 - 0.25 * c - 0.25 * c * c;
    case DISCREPANCY_L2_STAR: return 0.5 - 0.5 * x * x;
    default: return 0.0;
    }
}

/* The factor of one coordinate in the sum over pairs of points. */
static inline double discrepancy_two(discrepancy_kind kind, double x, double y) {
    double c = fabs(x - 0.5) + fabs(y - 0.5), d = fabs(x - y);
    switch (kind) {
    case DISCREPANCY_CENTRED: return 1.0 + 0.5 * c - 0.5 * d;
    case DISCREPANCY_WRAPAROUND: return 1.5 - d * (1.0 - d);
    case DISCREPANCY_MIXTURE: return 1.875 - 0.25 * c - 0.75 * d + 0.5 * d * d;
    default: return 1.0 - (x > y ? x : y);
    }
}

/* sum over k of prod_j two(a_j, x_kj), in four lanes, to overlap the latency of the products. */
static inline double discrepancy_sum(discrepancy_kind kind, const double *a, const double *x, size_t rows,
                                     size_t dims) {
    double lane[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k;
    for (k = 0; k + 4 <= rows; k += 4, x += 4 * dims) {
        double two[4] = {1.0, 1.0, 1.0, 1.0};
        for (size_t j = 0; j < dims; ++j)
            for (size_t l = 0; l < 4; ++l) two[l] *= discrepancy_two(kind, a[j], x[l * dims + j]);
        for (size_t l = 0; l < 4; ++l) lane[l] += two[l];
    }
    for (; k < rows; ++k, x += dims) {
        double two = 1.0;
        for (size_t j = 0; j < dims; ++j) two *= discrepancy_two(kind, a[j], x[j]);
        lane[0] += two;
    }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* mean^d - 2 / n sum_i prod_j one(x_ij) + 1 / n^2 sum_ik prod_j two(x_ij, x_kj), with the mean of `two` over
   both its arguments. WD has -4/3 and no sum of `one`. Only k > i is summed and counted twice, plus each
   point with itself. */
static inline double discrepancy_value(discrepancy_kind kind, const double *x, size_t rows, size_t dims) {
    static const double mean[4] = {13.0 / 12.0, 4.0 / 3.0, 19.0 / 12.0, 1.0 / 3.0};
    double constant = 1.0, ones = 0.0, pairs = 0.0, n = (double)rows;
    for (size_t j = 0; j < dims; ++j) constant *= mean[kind];
    if (kind == DISCREPANCY_WRAPAROUND) constant = -constant;
    for (size_t i = 0; i < rows; ++i, x += dims) {
        double one = 1.0;
        for (size_t j = 0; j < dims; ++j) one *= discrepancy_one(kind, x[j]);
        ones += one;
        pairs += discrepancy_sum(kind, x, x, 1, dims) +
                 2.0 * discrepancy_sum(kind, x, x + dims, rows - i - 1, dims);
    }
    return constant - 2.0 / n * ones + pairs / (n * n);
}

/* Passes constants, so that each kind gets its own loops. */
static inline double discrepancy_of(discrepancy_kind kind, const double *x, size_t rows, size_t dims) {
    switch (kind) {
    case DISCREPANCY_CENTRED: return discrepancy_value(DISCREPANCY_CENTRED, x, rows, dims);
    case DISCREPANCY_WRAPAROUND: return discrepancy_value(DISCREPANCY_WRAPAROUND, x, rows, dims);
    case DISCREPANCY_MIXTURE: return discrepancy_value(DISCREPANCY_MIXTURE, x, rows, dims);
    default: return discrepancy_value(DISCREPANCY_L2_STAR, x, rows, dims);
    }
}

/* Computes a discrepancy of rows x dims values in 0..1. O(rows^2 dims). */
static inline sooth_status discrepancy(sooth_env *env, const double *x, size_t rows, size_t dims,
                                       discrepancy_kind kind, double *out) {
    *out = 0.0;
    if (kind > DISCREPANCY_L2_STAR)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the kind of discrepancy is %u, but must be between 0 and 3", (uint32_t)kind);
    if (!x || rows == 0 || dims == 0)
        return sooth_fail(env, SOOTH_BAD_DATA, "there are no points: %z rows, %z dims", rows, dims);
    for (size_t i = 0; i < rows * dims; ++i)
        if (!(x[i] >= 0.0 && x[i] <= 1.0))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "coordinate %z of point %z is %g, but must be between 0 and 1", i % dims + 1,
                              i / dims + 1, x[i]);
    *out = discrepancy_of(kind, x, rows, dims);
    if (kind == DISCREPANCY_L2_STAR) *out = sqrt(*out > 0.0 ? *out : 0.0);
    return SOOTH_OK;
}

/* Returns the min Euclidean distance of two points, or 0 for fewer than two points. O(rows^2 dims). */
static inline double least_distance(const double *x, size_t rows, size_t dims) {
    double least = -1.0;
    for (size_t i = 1; i < rows; ++i)
        for (size_t k = 0; k < i; ++k) {
            double squares = 0.0;
            for (size_t j = 0; j < dims; ++j) {
                double d = x[i * dims + j] - x[k * dims + j];
                squares += d * d;
            }
            if (least < 0.0 || squares < least) least = squares;
        }
    return least > 0.0 ? sqrt(least) : 0.0;
}

#endif
