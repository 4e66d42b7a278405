/* expected.h - predicts the time of a kernel on a device: the median of its size, or a law of other sizes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     static expected gemm_on_cpu;                      // zero bytes: no measurements
 *     expected_observe(&gemm_on_cpu, footprint, bytes, us);
 *     us = expected_us(&gemm_on_cpu, footprint, bytes); // NaN: unknown
 *
 * A size that was run KNOWN times takes its median, without spikes (recorder.h). Another size takes
 *
 *     c0 + c1 s + c2 s^(3/2), c >= 0        s: KiB of its data. A call, moving, n^3 operations on n^2 numbers
 *
 * with the min sum of squared relative errors over the runs (linear.h), once there are SIZES sizes. If a
 * device is expected to be slow, nothing runs there any more. After one bad hour it would stay slow for ever.
 * So a kernel becomes unknown again after PATIENCE requests on a device without a run there, then after twice
 * as many, and so on. A run in less than half of the expected time ends this.
 *
 * Independent of StarPU. One thread at a time.
 */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "sooth/linear.h"
#include "sooth/online.h"
#include <math.h>

enum {
    EXPECTED_KEYS = 16,
    EXPECTED_LAST = 32,
    EXPECTED_KNOWN = 5,
    EXPECTED_SIZES = 3,
    EXPECTED_PATIENCE = 32
};

typedef struct expected {
    sooth_recorder *recorder;
    sooth_linear *law; /* NULL: too few sizes; sooth_linear_free(NULL, law) at the end */
    uint32_t asked;    /* since it was last run */
    uint32_t doublings;
    double memory[4096];
} expected;

static inline void expected_row(float row[3], double bytes) {
    const float s = (float)(bytes / 1024.0);
    row[0] = 1.0f;
    row[1] = s;
    row[2] = s * sqrtf(s);
}

/* The known time, for any caller. */
static inline double expected_known(const expected *e, uint64_t footprint, double bytes) {
    sooth_recorder_entry entry;
    float row[3];
    expected_row(row, bytes);
    if (e->recorder && sooth_recorder_find(e->recorder, footprint, &entry) != SOOTH_NONE &&
        entry.count >= EXPECTED_KNOWN)
        return (double)entry.median;
    return e->law ? (double)sooth_linear_predict(e->law, row) : (double)NAN;
}

static inline double expected_us(expected *e, uint64_t footprint, double bytes) {
    if (++e->asked <= (uint32_t)EXPECTED_PATIENCE << e->doublings) return expected_known(e, footprint, bytes);
    e->asked = 0;
    e->doublings += e->doublings < 20;
    return (double)NAN;
}

static inline void expected_fit(expected *e) {
    const sooth_linear_options positive = {.method = SOOTH_LINEAR_NON_NEGATIVE, .no_intercept = 1};
    sooth_table table = sooth_recorder_table(e->recorder);
    float weight[EXPECTED_KEYS * EXPECTED_LAST];
    sooth_linear *law;
    for (size_t i = 0; i < table.rows; ++i) weight[i] = 1.0f / (table.y[i] * table.y[i]);
    table.weight = weight;
    if (sooth_linear_fit(NULL, &table, &positive, &law) != SOOTH_OK) return;
    sooth_linear_free(NULL, e->law);
    e->law = law;
}

static inline void expected_observe(expected *e, uint64_t footprint, double bytes, double us) {
    const sooth_recorder_options options = {
        .features = 3, .keys = EXPECTED_KEYS, .window_size = EXPECTED_LAST, .refit_every = 8};
    float row[3];
    expected_row(row, bytes);
    if (!e->recorder && sooth_recorder_init(NULL, &options, e->memory, sizeof e->memory, &e->recorder))
        return;
    e->asked = 0;
    if (us < 0.5 * expected_known(e, footprint, bytes)) e->doublings = 0;
    if (us > 0.0) sooth_recorder_observe(e->recorder, footprint, row, (float)us);
    if (e->recorder->known >= EXPECTED_SIZES && sooth_recorder_due(e->recorder)) expected_fit(e);
}

#endif /* EXPECTED_H */
