/* baseline.h - the power of a launch: the power of an idle device, and terms that saturate with the work.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     P = c + sum over quantities q and knots s of  a(q, s) q / (q + s),    c, a >= 0
 *
 * Each term rises from 0 (q far below s) to its full a watts (q far above): a device fills up. The quantities
 * are those of a launch: threads, instructions, global accesses, issue cycles (eq. 1 of the paper) and the
 * size of a block. The knots are powers of ten, so that the scale is not learned. Power rises with each of
 * them and is never below c. This model has some fifty coefficients. It cannot fall below idle or run away.
 * So on unseen kernels it predicts better than forests, which remember their training kernels.
 *
 * It minimises the mean relative error |f - y| / y, the score, by reweighted least squares with a small
 * ridge. Each round is non-negative least squares by coordinate descent on the normal equations.
 */
#ifndef GPU_BASELINE_H
#define GPU_BASELINE_H
#include "launches.h"

enum { QUANTITIES = 5, KNOTS = 13, TERMS = QUANTITIES * KNOTS + 1 };

typedef struct baseline {
    double a[TERMS]; /* the last one is c */
} baseline;

static const char *const quantity_names[QUANTITIES] = {"threads", "instructions", "global accesses",
                                                       "issue cycles", "block size"};

/* The work of a launch. A quantity of 0 adds no power. If the file has no grid, the loads and stores of an
   SM replace the threads. */
static void quantities_of(const launches *l, size_t row, double q[QUANTITIES]) {
    const double block = (double)value_of(l, row, "block_size"), grid = (double)value_of(l, row, "grid_size");
    const double compute = (double)value_of(l, row, "comp_inst_kernel");
    const double global = (double)value_of(l, row, "glob_inst_kernel");
    const double misc = (double)value_of(l, row, "misc_inst_kernel");
    const double shared = (double)value_of(l, row, "shar_inst_kernel");
    const double traffic = (double)(value_of(l, row, "glob_load_sm") + value_of(l, row, "glob_store_sm"));
    const double threads = isnan(grid) ? 0.0 : grid * block;
    q[0] = isnan(grid) ? traffic : threads;
    q[1] = threads * (compute + global + misc + (isnan(shared) ? 0.0 : shared));
    q[2] = isnan(grid) ? traffic * global : threads * global;
    q[3] = (double)value_of(l, row, "inst_issue_cycles");
    q[4] = block;
    for (size_t k = 0; k < QUANTITIES; ++k) {
        if (!(q[k] > 0.0)) q[k] = 0.0;
    }
}

/* All terms of all rows: rows x TERMS. */
static double *terms_of(const launches *l) {
    double *x = (double *)allocate(l->rows * TERMS, sizeof *x), q[QUANTITIES], knot;
    size_t e;
    for (size_t i = 0; i < l->rows; ++i) {
        double *term = x + i * TERMS;
        quantities_of(l, i, q);
        for (size_t k = 0; k < QUANTITIES; ++k) {
            for (e = 0, knot = 1.0; e < KNOTS; ++e, knot *= 10.0) *term++ = q[k] / (q[k] + knot);
        }
        *term = 1.0;
    }
    return x;
}

/* Minimises a'Ga / 2 - b'a over a >= 0 (n of them), starting at a. slope is a buffer for n numbers. */
static void descend(const double *G, const double *b, size_t n, double *a, double *slope) {
    size_t k;
    for (size_t j = 0; j < n; ++j) {
        for (slope[j] = -b[j], k = 0; k < n; ++k) slope[j] += G[j * n + k] * a[k];
    }
    for (size_t sweep = 0; sweep < 2000; ++sweep) {
        double most = 0.0;
        for (size_t j = 0; j < n; ++j) {
            const double to = a[j] - slope[j] / G[j * n + j], step = (to > 0.0 ? to : 0.0) - a[j];
            if (!(step < 0.0 || step > 0.0)) continue;
            for (k = 0; k < n; ++k) slope[k] += step * G[j * n + k];
            a[j] += step;
            most = step > most ? step : -step > most ? -step : most;
        }
        if (most < 1e-9) break;
    }
}

/* Per row n^-1/2 for a benchmark of n rows, between counting rows and counting benchmarks. */
static double *row_weights(const launches *l) {
    double *weight = (double *)allocate(l->rows, sizeof *weight);
    float *count = (float *)allocate(l->groups, sizeof *count);
    for (size_t i = 0; i < l->rows; ++i) count[l->group[i]] += 1.0f;
    for (size_t i = 0; i < l->rows; ++i) weight[i] = (double)sooth_exp(-0.5f * sooth_log(count[l->group[i]]));
    free(count);
    return weight;
}

static double baseline_watts(const baseline *model, const double *term) {
    double sum = 0.0;
    for (size_t k = 0; k < TERMS; ++k) sum += model->a[k] * term[k];
    return sum;
}

/* live[0..returned): the terms that change over these rows, and c. Others would only compete with c. */
static size_t find_live(const double *terms, const uint32_t *row, size_t count, size_t live[TERMS]) {
    size_t n = 0;
    for (size_t j = 0; j < TERMS; ++j) {
        double low = 1.0, high = 0.0;
        for (size_t i = 0; i < count; ++i) {
            const double x = terms[row[i] * TERMS + j];
            if (x < low) low = x;
            if (x > high) high = x;
        }
        if (high - low > 0.05 || j + 1 == TERMS) live[n++] = j;
    }
    return n;
}

/* Fits watts[i] (one per row of the file) on the rows row[0..count). weight: one per row of the file. */
static void baseline_fit(const double *terms, const double *watts, const double *weight, const uint32_t *row,
                         size_t count, baseline *model) {
    static const double ridge = 0.05, least = 0.03; /* least: the error below which weights stop rising */
    double *G = (double *)allocate(TERMS * TERMS, sizeof *G), a[TERMS] = {0}, b[TERMS], x[TERMS],
           slope[TERMS];
    size_t live[TERMS];
    const size_t n = find_live(terms, row, count, live);
    for (size_t round = 0; round < 7; ++round) {
        double weights = 0.0;
        memset(G, 0, n * n * sizeof *G);
        memset(b, 0, sizeof b);
        for (size_t i = 0; i < count; ++i) {
            const double y = watts[row[i]];
            double w = weight[row[i]] / (y * y), f = 0.0;
            for (size_t j = 0; j < n; ++j) {
                x[j] = terms[row[i] * TERMS + live[j]];
                f += a[j] * x[j];
            }
            if (round) { /* |e| is e^2 / |e|: the weight that the last round's error gives */
                const double e = f / y - 1.0, size = e < 0.0 ? -e : e;
                w /= size > least ? size : least;
            }
            weights += w;
            for (size_t j = 0; j < n; ++j) {
                const double wx = w * x[j];
                b[j] += wx * y;
                for (size_t k = j; k < n; ++k) G[j * n + k] += wx * x[k];
            }
        }
        for (size_t j = 0; j < n; ++j) {
            for (size_t k = 0; k < j; ++k) G[j * n + k] = G[k * n + j];
            G[j * n + j] += (j + 1 < n ? ridge * ridge : 1e-12) * weights;
        }
        descend(G, b, n, a, slope);
    }
    memset(model, 0, sizeof *model);
    for (size_t j = 0; j < n; ++j) model->a[live[j]] = a[j];
    free(G);
}

#endif
