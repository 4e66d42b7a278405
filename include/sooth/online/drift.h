/* online/drift.h - detects changes in a stream of residuals: Page-Hinkley, ADWIN, CUSUM, robust median.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The detectors and their papers are in online.h. With SOOTH_PREDICT_ONLY there are no options: fill in the
 * parameters of a struct, then call its _reset, or the _begin of those with arrays.
 *
 * Sums that grow with the stream are pairs of floats, with about 14 digits. ADWIN's buckets store a mean as
 * one float, relative to the first value. So its means equal those of doubles to within 2^-24 of the stream's
 * range per row of buckets. Its cuts are those of river except for ties within that tolerance.
 */
#if !defined(SOOTH_ONLINE_DRIFT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_DRIFT_IMPLEMENTED))
#include "../base.h"
#include "../base/order.h"
#endif

#ifndef SOOTH_ONLINE_DRIFT_H
#define SOOTH_ONLINE_DRIFT_H
SOOTHI_C_BEGIN

#define SOOTH_DRIFT_MAX_VALUE 1152921504606846976.0f /* 2^60, the maximum magnitude of a value */
#define SOOTH_ADWIN_MAX_ROWS 31                      /* maximum rows of buckets */

/* The result of an update. */
typedef enum sooth_drift {
    SOOTH_DRIFT_NONE = 0,
    SOOTH_DRIFT_UP,  /* the values have increased */
    SOOTH_DRIFT_DOWN /* smaller */
} sooth_drift;

/* ---- the detectors: parameters, then results, then private state ---- */

typedef enum sooth_page_hinkley_mode {
    SOOTH_PAGE_HINKLEY_BOTH = 0,
    SOOTH_PAGE_HINKLEY_UP, /* only increases are drift */
    SOOTH_PAGE_HINKLEY_DOWN
} sooth_page_hinkley_mode;

/* m is the mean so far and S' = alpha S + (x - m). Up: S minus delta at each step, above its minimum. Down: S
   plus delta, below its maximum. Restarts after a drift. */
typedef struct sooth_page_hinkley {
    uint32_t min_instances; /* values before any drift */
    uint32_t mode;          /* a sooth_page_hinkley_mode */
    float delta, threshold; /* in units of the values */
    float fading;           /* 1 - alpha */
    uint32_t count;         /* values since the last drift */
    uint32_t refused;       /* values refused */
    struct {
        float mean[2];          /* as two parts: the second is the rounding error of the first */
        float rise[2], fall[2]; /* S, for each side */
        float least[2], most[2];
    } state;
} sooth_page_hinkley;

/* Row r has at most max_buckets buckets, each with the mean and the variance of 2^r values. The buckets
   follow the struct. */
typedef struct sooth_adwin {
    uint32_t clock;       /* values between checks */
    uint32_t max_buckets; /* of a row, 1 to 254 */
    uint32_t rows;        /* 1 to SOOTH_ADWIN_MAX_ROWS; the longest window is max_buckets x (2^rows - 1) */
    uint32_t min_window_length; /* of both compared parts */
    uint32_t grace_period;      /* window length up to which nothing is checked */
    float delta;                /* probability of a false alarm at a check */
    uint32_t width;             /* values in the window */
    uint32_t refused;
    struct {
        uint32_t wait;                             /* values until the next check */
        float origin;                              /* means are relative to it */
        unsigned char first[SOOTH_ADWIN_MAX_ROWS]; /* index of the oldest bucket in the row */
        unsigned char used[SOOTH_ADWIN_MAX_ROWS];  /* buckets of the row */
    } state;
} sooth_adwin;

/* Bytes of a detector with its buckets. */
#define SOOTH_ADWIN_BYTES(max_buckets, rows) (sizeof(sooth_adwin) + 8u * ((max_buckets) + 1u) * (rows))

/* With z = (x - mean) / std: high' = max(0, high + z - k), low' = max(0, low - z - k). Drift if either
   exceeds h; both are then reset to 0. */
typedef struct sooth_cusum {
    float k, h;
    uint32_t grace_period; /* values to estimate mean and std from; 0 means that both are given */
    float mean, std;
    float high, low;
    uint32_t count; /* values since the last drift */
    uint32_t refused;
    struct {
        float origin, learned[2], squares; /* while estimating: the first value, the mean relative to it */
    } state;
} sooth_cusum;

/* The last window_size values in order of arrival and sorted follow the struct. */
typedef struct sooth_location {
    uint32_t window_size;
    uint32_t min_instances; /* values before any can be outside */
    uint32_t run_length;    /* consecutive values outside on one side that are drift */
    float threshold;        /* distance from the median that is outside, in robust standard deviations */
    float min_spread;       /* minimum robust standard deviation, in units of the values */
    uint32_t count;         /* values in the window */
    uint32_t run;           /* consecutive values outside, up to the last; 0 if the last was inside */
    uint32_t side;          /* side of the run: a sooth_drift */
    uint32_t outside;       /* values outside so far */
    uint32_t refused;
    struct {
        uint32_t next; /* index of the next value, in order of arrival */
    } state;
} sooth_location;

/* Bytes of a detector with its window. */
#define SOOTH_LOCATION_BYTES(window_size) (sizeof(sooth_location) + 8u * (window_size))

/* ---- updates: no env, no allocation, no double ---- */

/* Resets the state and the count `refused`; keeps the parameters. */
SOOTH_API void sooth_page_hinkley_reset(sooth_page_hinkley *detector);
SOOTH_API void sooth_adwin_reset(sooth_adwin *detector);
SOOTH_API void sooth_cusum_reset(sooth_cusum *detector);
SOOTH_API void sooth_location_reset(sooth_location *location);

/* Make a detector with these parameters, which sooth_X_init computes from options otherwise, at the start of
   memory[0..size), aligned like a float. Return NULL if size is too small. */
SOOTH_API sooth_adwin *sooth_adwin_begin(const sooth_adwin *parameters, void *memory, size_t size);
SOOTH_API sooth_location *sooth_location_begin(const sooth_location *parameters, void *memory, size_t size);

/* Adds the next value. Returns whether the stream has drifted. */
SOOTH_API sooth_drift sooth_page_hinkley_update(sooth_page_hinkley *detector, float value);

/* Like sooth_page_hinkley_update. A cut keeps the newer part of the window. O(1) on average; a check takes
   O(buckets) for each dropped bucket. */
SOOTH_API sooth_drift sooth_adwin_update(sooth_adwin *detector, float value);

/* Like sooth_page_hinkley_update. If std is not given, the first grace_period values, and this many after
   each drift, only serve to estimate. If these are all equal, any other value is drift. */
SOOTH_API sooth_drift sooth_cusum_update(sooth_cusum *detector, float value);

/* Like sooth_page_hinkley_update. A value is outside if its distance from the median of the values before it
   exceeds threshold x max(1.4826 MAD, min_spread) (Iglewicz and Hoaglin, How to Detect and Handle Outliers,
   1993). The value joins the window anyway. After a drift only the last run_length values are left. */
SOOTH_API sooth_drift sooth_location_update(sooth_location *location, float value);

/* Returns the mean of the window, O(buckets); NaN if it is empty. */
SOOTH_API float sooth_adwin_mean(const sooth_adwin *detector);

/* Statistics of the window, NaN if it is empty. The median (for an even count the mean of the middle two):
   O(1). The MAD, the median distance from it: O(log m). 1.4826 MAD is a robust standard deviation. */
SOOTH_API float sooth_location_median(const sooth_location *location);
SOOTH_API float sooth_location_mad(const sooth_location *location);

#ifndef SOOTH_PREDICT_ONLY

/* ---- initialisation ---- */

/* The names and defaults of river. */
typedef struct sooth_page_hinkley_options {
    uint32_t min_instances; /* values before any drift; 0 means 30 */
    uint32_t mode;          /* a sooth_page_hinkley_mode */
    uint32_t has_delta;     /* 1: a delta of 0 is valid */
    double delta;           /* change that is not drift, in units of the values; 0 means 0.005 */
    double threshold;       /* 0 means 50 */
    double alpha;           /* forgetting factor, up to 1 (forgets nothing); 0 means 0.9999 */
} sooth_page_hinkley_options;

typedef struct sooth_adwin_options {
    uint32_t clock;             /* values between checks; 0 means 32 */
    uint32_t max_buckets;       /* of one size, 1 to 254; 0 means 5 */
    uint32_t min_window_length; /* of a part; 0 means 5 */
    uint32_t grace_period;      /* values before the first check; 0 means 10 */
    uint32_t max_window;        /* a longer window may drop its oldest values; 0 means 2^20 */
    double delta;               /* probability of a false alarm at a check; 0 means 0.002 */
} sooth_adwin_options;

typedef struct sooth_cusum_options {
    uint32_t grace_period; /* values to estimate mean and std from if std is 0; 0 means 100 */
    uint32_t has_k;        /* 1: a k of 0 is valid */
    double k;              /* half the shift to detect, in standard deviations; 0 means 0.5 */
    double h;              /* decision interval, in standard deviations; with share, the logarithm of a
                              likelihood ratio; 0 means 5 */
    double mean, std;      /* of the stream; std 0 means that both are estimated */
    double share;          /* expected share of ones in a stream of 0 and 1, such as predictions missed: it
                              gives mean, std and k; 0 means another stream */
    double odds;           /* with share: the change of its odds to detect, as a factor; 0 means 2 */
} sooth_cusum_options;

typedef struct sooth_location_options {
    uint32_t window_size;   /* m, 3 to 2^20; 0 means 64 */
    uint32_t min_instances; /* values before any can be outside, 3 to m; 0 means min(10, m) */
    uint32_t run_length;    /* consecutive values outside, 1 to m / 2; 0 means min(5, m / 2) */
    double threshold;       /* robust standard deviations; 0 means 3.5 */
    double min_spread;      /* minimum robust standard deviation, in units of the values */
} sooth_location_options;

/* Sets the parameters and resets. NULL options mean defaults. Returns SOOTH_BAD_ARGUMENT with a reason. */
SOOTH_API sooth_status sooth_page_hinkley_init(sooth_env *env, sooth_page_hinkley *detector,
                                               const sooth_page_hinkley_options *options);
SOOTH_API sooth_status sooth_cusum_init(sooth_env *env, sooth_cusum *detector,
                                        const sooth_cusum_options *options);

/* Like sooth_page_hinkley_init, at the start of memory[0..size), aligned like a float, which must live as
   long as the detector. SOOTH_NO_MEMORY reports the size. */
SOOTH_API sooth_status sooth_adwin_init(sooth_env *env, const sooth_adwin_options *options, void *memory,
                                        size_t size, sooth_adwin **detector);
SOOTH_API sooth_status sooth_location_init(sooth_env *env, const sooth_location_options *options,
                                           void *memory, size_t size, sooth_location **location);

/* Return the bytes of that memory; 0 if the options are invalid. ADWIN: SOOTH_ADWIN_BYTES with
   log2(max_window / max_buckets + 1) rows, rounded up. Location: SOOTH_LOCATION_BYTES. */
SOOTH_API size_t sooth_adwin_size(const sooth_adwin_options *options);
SOOTH_API size_t sooth_location_size(const sooth_location_options *options);

/* Return the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_page_hinkley_options_list(void);
SOOTH_API sooth_option_list sooth_adwin_options_list(void);
SOOTH_API sooth_option_list sooth_cusum_options_list(void);
SOOTH_API sooth_option_list sooth_location_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_ONLINE_DRIFT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_DRIFT_IMPLEMENTED)
#define SOOTH_ONLINE_DRIFT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- arithmetic ---- */

/* Returns 1 if the value is valid; otherwise counts it as refused. */
SOOTHI_LOCAL int soothi_drift_accepts(float value, uint32_t *refused) {
    if (value >= -SOOTH_DRIFT_MAX_VALUE && value <= SOOTH_DRIFT_MAX_VALUE) return 1;
    *refused += *refused < UINT32_MAX;
    return 0;
}

/* a - b */
SOOTHI_LOCAL float soothi_drift_less(const float a[2], const float b[2]) {
    return (a[0] - b[0]) + (a[1] - b[1]);
}

SOOTHI_LOCAL void soothi_drift_copy(float a[2], const float b[2]) {
    a[0] = b[0];
    a[1] = b[1];
}

/* ---- Page-Hinkley ---- */

/* Resets the state of one stream; keeps the parameters and the count of refused values. */
SOOTHI_LOCAL void soothi_page_hinkley_begin(sooth_page_hinkley *d) {
    d->count = 0;
    d->state.mean[0] = d->state.mean[1] = 0.0f;
    d->state.rise[0] = d->state.rise[1] = d->state.fall[0] = d->state.fall[1] = 0.0f;
    d->state.least[0] = d->state.least[1] = d->state.most[1] = 0.0f;
    d->state.most[0] = -1.0f; /* as in river */
}

SOOTH_API void sooth_page_hinkley_reset(sooth_page_hinkley *d) {
    d->refused = 0;
    soothi_page_hinkley_begin(d);
}

/* S = alpha S + step */
SOOTHI_LOCAL void soothi_page_hinkley_step(float sum[2], float fading, float step) {
    const float faded = fading * sum[0];
    sum[1] -= fading * sum[1];
    soothi_pair_add(sum, -faded);
    soothi_pair_add(sum, step);
}

SOOTH_API sooth_drift sooth_page_hinkley_update(sooth_page_hinkley *d, float value) {
    if (!soothi_drift_accepts(value, &d->refused)) return SOOTH_DRIFT_NONE;
    d->count += d->count < UINT32_MAX;
    soothi_pair_add(d->state.mean, ((value - d->state.mean[0]) - d->state.mean[1]) / (float)d->count);
    const float beyond = (value - d->state.mean[0]) - d->state.mean[1];
    soothi_page_hinkley_step(d->state.rise, d->fading, beyond - d->delta);
    soothi_page_hinkley_step(d->state.fall, d->fading, beyond + d->delta);
    if (d->count == 1 || soothi_drift_less(d->state.rise, d->state.least) < 0.0f)
        soothi_drift_copy(d->state.least, d->state.rise);
    if (soothi_drift_less(d->state.fall, d->state.most) > 0.0f)
        soothi_drift_copy(d->state.most, d->state.fall);
    if (d->count < d->min_instances) return SOOTH_DRIFT_NONE;
    const int up =
        soothi_drift_less(d->state.rise, d->state.least) > d->threshold && d->mode != SOOTH_PAGE_HINKLEY_DOWN;
    const int down =
        soothi_drift_less(d->state.most, d->state.fall) > d->threshold && d->mode != SOOTH_PAGE_HINKLEY_UP;
    if (!up && !down) return SOOTH_DRIFT_NONE;
    soothi_page_hinkley_begin(d);
    return up ? SOOTH_DRIFT_UP : SOOTH_DRIFT_DOWN;
}

/* ---- ADWIN ---- */

/* Bucket k, from the oldest, of a row: its mean, then its variance. Each row is a ring of max_buckets + 1. */
SOOTHI_LOCAL float *soothi_adwin_bucket(const sooth_adwin *d, uint32_t row, uint32_t k) {
    uint32_t at = d->state.first[row] + k;
    if (at > d->max_buckets) at -= d->max_buckets + 1;
    return (float *)(uintptr_t)(d + 1) + 2 * ((size_t)row * (d->max_buckets + 1) + at);
}

/* Removes the `count` oldest buckets of a row. */
SOOTHI_LOCAL void soothi_adwin_drop(sooth_adwin *d, uint32_t row, uint32_t count) {
    uint32_t first = d->state.first[row] + count;
    if (first > d->max_buckets) first -= d->max_buckets + 1;
    d->state.first[row] = (unsigned char)first;
    d->state.used[row] = (unsigned char)(d->state.used[row] - count);
}

SOOTH_API void sooth_adwin_reset(sooth_adwin *d) {
    d->width = 0;
    d->state.wait = d->clock;
    d->refused = 0;
    d->state.origin = 0.0f;
    memset(d->state.first, 0, sizeof d->state.first);
    memset(d->state.used, 0, sizeof d->state.used);
}

SOOTH_API sooth_adwin *sooth_adwin_begin(const sooth_adwin *parameters, void *memory, size_t size) {
    sooth_adwin *d = (sooth_adwin *)memory;
    if (!memory || size < SOOTH_ADWIN_BYTES((size_t)parameters->max_buckets, parameters->rows)) return NULL;
    *d = *parameters;
    sooth_adwin_reset(d);
    return d;
}

/* Adds a bucket of one value to row 0. If a row is too full, its two oldest buckets are merged into one of
   the next row. The last row drops its oldest bucket instead. */
SOOTHI_LOCAL void soothi_adwin_insert(sooth_adwin *d, float value) {
    float *b = soothi_adwin_bucket(d, 0, d->state.used[0]);
    b[0] = value;
    b[1] = 0.0f;
    ++d->state.used[0];
    ++d->width;
    for (uint32_t row = 0; d->state.used[row] > d->max_buckets; ++row) {
        if (row + 1 == d->rows) {
            soothi_adwin_drop(d, row, 1);
            d->width -= (uint32_t)1 << row;
            return;
        }
        const float *old = soothi_adwin_bucket(d, row, 0), *young = soothi_adwin_bucket(d, row, 1);
        const float half = 0.5f * (young[0] - old[0]);
        b = soothi_adwin_bucket(d, row + 1, d->state.used[row + 1]);
        b[0] = 0.5f * (old[0] + young[0]);
        b[1] = 0.5f * (old[1] + young[1]) + half * half;
        ++d->state.used[row + 1];
        soothi_adwin_drop(d, row, 2);
    }
}

/* Computes the sum of all values, relative to the origin. Sizes are powers of two, so every product is exact.
   */
SOOTHI_LOCAL void soothi_adwin_total(const sooth_adwin *d, float sum[2]) {
    sum[0] = sum[1] = 0.0f;
    for (uint32_t row = d->rows; row-- > 0;)
        for (uint32_t k = 0; k < d->state.used[row]; ++k)
            soothi_pair_add(sum, soothi_adwin_bucket(d, row, k)[0] * (float)((uint32_t)1 << row));
}

/* Returns the variance of the window: within the buckets plus between them. */
SOOTHI_LOCAL float soothi_adwin_variance(const sooth_adwin *d, float mean) {
    float sum = 0.0f;
    for (uint32_t row = d->rows; row-- > 0;)
        for (uint32_t k = 0; k < d->state.used[row]; ++k) {
            const float *b = soothi_adwin_bucket(d, row, k), away = b[0] - mean;
            sum += (b[1] + away * away) * ((float)((uint32_t)1 << row) / (float)d->width);
        }
    return sum;
}

/* Searches for a cut between two parts with different means. The parts have n0 and n1 values, each at least
   l. Let m = 1 / (n0 - l + 1) + 1 / (n1 - l + 1) and D = log(2 log(width) / delta). Means differ if their
   difference exceeds sqrt(2 m variance D) + 2/3 m D (eq. 3.1 there, in the form of MOA and river). */
SOOTHI_LOCAL sooth_drift soothi_adwin_cut(const sooth_adwin *d) {
    float all[2], old[2] = {0.0f, 0.0f}, least = (float)(d->min_window_length - 1);
    const float log_term = soothi_log_f(2.0f * soothi_log_f((float)d->width) / d->delta);
    uint32_t n0 = 0, n1 = d->width;
    soothi_adwin_total(d, all);
    const float variance = soothi_adwin_variance(d, all[0] / (float)d->width);
    for (uint32_t row = d->rows; row-- > 0;)
        for (uint32_t k = 0; k < d->state.used[row]; ++k) {
            soothi_pair_add(old, soothi_adwin_bucket(d, row, k)[0] * (float)((uint32_t)1 << row));
            n0 += (uint32_t)1 << row;
            n1 -= (uint32_t)1 << row;
            if (n0 < d->min_window_length || n1 < d->min_window_length) continue;
            const float before = (old[0] + old[1]) / (float)n0, now = soothi_drift_less(all, old) / (float)n1;
            const float m = 1.0f / ((float)n0 - least) + 1.0f / ((float)n1 - least);
            const float bound = soothi_sqrt_f(2.0f * m * variance * log_term) + 2.0f / 3.0f * log_term * m;
            if (now - before > bound) return SOOTH_DRIFT_UP;
            if (before - now > bound) return SOOTH_DRIFT_DOWN;
        }
    return SOOTH_DRIFT_NONE;
}

SOOTH_API sooth_drift sooth_adwin_update(sooth_adwin *d, float value) {
    sooth_drift first = SOOTH_DRIFT_NONE, drift = SOOTH_DRIFT_NONE;
    if (!soothi_drift_accepts(value, &d->refused)) return SOOTH_DRIFT_NONE;
    if (d->width == 0) d->state.origin = value;
    soothi_adwin_insert(d, value - d->state.origin);
    if (--d->state.wait) return SOOTH_DRIFT_NONE;
    d->state.wait = d->clock;
    if (d->width <= d->grace_period) return SOOTH_DRIFT_NONE;
    while ((drift = soothi_adwin_cut(d)) != SOOTH_DRIFT_NONE) {
        uint32_t row = d->rows - 1;
        if (first == SOOTH_DRIFT_NONE) first = drift;
        while (!d->state.used[row]) --row;
        soothi_adwin_drop(d, row, 1);
        d->width -= (uint32_t)1 << row;
    }
    return first;
}

SOOTH_API float sooth_adwin_mean(const sooth_adwin *d) {
    float sum[2];
    if (d->width == 0) return soothi_missing();
    soothi_adwin_total(d, sum);
    return d->state.origin + (sum[0] + sum[1]) / (float)d->width;
}

/* ---- CUSUM ---- */

SOOTHI_LOCAL void soothi_cusum_begin(sooth_cusum *d) {
    d->count = 0;
    d->high = d->low = 0.0f;
    d->state.learned[0] = d->state.learned[1] = d->state.squares = 0.0f;
}

SOOTH_API void sooth_cusum_reset(sooth_cusum *d) {
    d->refused = 0;
    d->state.origin = 0.0f;
    soothi_cusum_begin(d);
}

/* Mean and squared deviations, relative to the first value (Welford, Technometrics 4, 1962). */
SOOTHI_LOCAL void soothi_cusum_learn(sooth_cusum *d, float value) {
    if (d->count == 1) d->state.origin = value;
    const float x = value - d->state.origin, before = (x - d->state.learned[0]) - d->state.learned[1];
    soothi_pair_add(d->state.learned, before / (float)d->count);
    d->state.squares += before * ((x - d->state.learned[0]) - d->state.learned[1]);
    if (d->count < d->grace_period) return;
    d->mean = d->state.origin + d->state.learned[0];
    d->std = soothi_sqrt_f(d->state.squares / (float)(d->count - 1));
}

SOOTH_API sooth_drift sooth_cusum_update(sooth_cusum *d, float value) {
    if (!soothi_drift_accepts(value, &d->refused)) return SOOTH_DRIFT_NONE;
    d->count += d->count < UINT32_MAX;
    if (d->count <= d->grace_period) {
        soothi_cusum_learn(d, value);
        return SOOTH_DRIFT_NONE;
    }
    const float away = value - d->mean;
    float z = away / d->std;
    if (!(d->std > 0.0f))
        z = away > 0.0f ? SOOTH_DRIFT_MAX_VALUE : away < 0.0f ? -SOOTH_DRIFT_MAX_VALUE : 0.0f;
    d->high += z - d->k;
    d->low -= z + d->k;
    if (d->high < 0.0f) d->high = 0.0f;
    if (d->low < 0.0f) d->low = 0.0f;
    const int up = d->high > d->h;
    if (!up && !(d->low > d->h)) return SOOTH_DRIFT_NONE;
    soothi_cusum_begin(d);
    return up ? SOOTH_DRIFT_UP : SOOTH_DRIFT_DOWN;
}

/* ---- location ---- */

SOOTHI_LOCAL float *soothi_location_memory(const sooth_location *l) { return (float *)(uintptr_t)(l + 1); }

SOOTHI_LOCAL const float *soothi_location_sorted(const sooth_location *l) {
    return soothi_location_memory(l) + l->window_size;
}

SOOTH_API void sooth_location_reset(sooth_location *l) {
    l->count = l->run = l->side = l->outside = l->refused = l->state.next = 0;
}

SOOTH_API sooth_location *sooth_location_begin(const sooth_location *parameters, void *memory, size_t size) {
    sooth_location *l = (sooth_location *)memory;
    if (!memory || size < SOOTH_LOCATION_BYTES((size_t)parameters->window_size)) return NULL;
    *l = *parameters;
    sooth_location_reset(l);
    return l;
}

SOOTH_API float sooth_location_median(const sooth_location *l) {
    return soothi_sorted_median(soothi_location_sorted(l), l->count);
}

SOOTH_API float sooth_location_mad(const sooth_location *l) {
    return soothi_sorted_mad(soothi_location_sorted(l), l->count);
}

SOOTHI_LOCAL void soothi_location_insert(sooth_location *l, float v) {
    soothi_window_insert(soothi_location_memory(l), l->window_size, &l->count, &l->state.next, v);
}

/* Keeps only the last run_length values, in place in the window. */
SOOTHI_LOCAL void soothi_location_keep_run(sooth_location *l) {
    l->count = l->run = 0;
    l->state.next += l->state.next < l->run_length ? l->window_size - l->run_length : 0u - l->run_length;
    for (uint32_t i = 0; i < l->run_length; ++i)
        soothi_location_insert(l, soothi_location_memory(l)[l->state.next]);
}

/* Returns the side on which a value is outside of sorted values, if any. */
SOOTHI_LOCAL sooth_drift soothi_drift_side(const float *sorted, uint32_t count, float threshold,
                                           float min_spread, float value) {
    const float away = value - soothi_sorted_median(sorted, count);
    float spread = 1.4826f * soothi_sorted_mad(sorted, count);
    if (spread < min_spread) spread = min_spread;
    if (away > threshold * spread) return SOOTH_DRIFT_UP;
    return away < -threshold * spread ? SOOTH_DRIFT_DOWN : SOOTH_DRIFT_NONE;
}

SOOTH_API sooth_drift sooth_location_update(sooth_location *l, float value) {
    sooth_drift side = SOOTH_DRIFT_NONE;
    if (!soothi_drift_accepts(value, &l->refused)) return SOOTH_DRIFT_NONE;
    value += 0.0f; /* -0 becomes 0, which sorts like it */
    if (l->count >= l->min_instances)
        side = soothi_drift_side(soothi_location_sorted(l), l->count, l->threshold, l->min_spread, value);
    soothi_location_insert(l, value);
    l->run = side == SOOTH_DRIFT_NONE ? 0 : (uint32_t)side == l->side ? l->run + 1 : 1;
    l->side = (uint32_t)side;
    l->outside += side != SOOTH_DRIFT_NONE && l->outside < UINT32_MAX;
    if (l->run < l->run_length) return SOOTH_DRIFT_NONE;
    soothi_location_keep_run(l);
    return side;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- initialisation ---- */

#define SOOTHI_DRIFT_MAX_VALUE 1152921504606846976.0

SOOTH_API sooth_option_list sooth_page_hinkley_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_page_hinkley_options, min_instances, 1, 4294967295.0, 30,
                     "values before any drift"),
        SOOTHI_CHOICE(sooth_page_hinkley_options, mode, "both|up|down", "which changes are drift"),
        SOOTHI_GIVEN(sooth_page_hinkley_options, delta, 0, SOOTHI_DRIFT_MAX_VALUE, 0.005,
                     "change that is not drift, in units of the values"),
        SOOTHI_NUMBER(sooth_page_hinkley_options, threshold, 1e-18, SOOTHI_DRIFT_MAX_VALUE, 50,
                      "maximum of the sum without drift, in units of the values"),
        SOOTHI_NUMBER(sooth_page_hinkley_options, alpha, 1e-6, 1, 0.9999,
                      "forgetting factor; 1 forgets nothing")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API sooth_option_list sooth_adwin_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_adwin_options, clock, 1, 4294967295.0, 32, "values between checks"),
        SOOTHI_COUNT(sooth_adwin_options, max_buckets, 1, 254, 5, "buckets of one size"),
        SOOTHI_COUNT(sooth_adwin_options, min_window_length, 1, 1073741824, 5,
                     "values in each part of the window that is compared"),
        SOOTHI_COUNT(sooth_adwin_options, grace_period, 1, 1073741824, 10, "values before the first check"),
        SOOTHI_COUNT(sooth_adwin_options, max_window, 1, 1073741824, 1048576,
                     "window length from which the oldest values may be dropped"),
        SOOTHI_NUMBER(sooth_adwin_options, delta, 1e-12, 0.999, 0.002,
                      "probability of a false alarm at a check")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API sooth_option_list sooth_cusum_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_cusum_options, grace_period, 2, 1073741824, 100,
                     "values to estimate mean and std from, if std is 0"),
        SOOTHI_GIVEN(sooth_cusum_options, k, 0, 1e6, 0.5, "half the shift to detect, in standard deviations"),
        SOOTHI_NUMBER(sooth_cusum_options, h, 1e-6, 1e6, 5, "decision interval, in standard deviations"),
        SOOTHI_NUMBER(sooth_cusum_options, mean, -SOOTHI_DRIFT_MAX_VALUE, SOOTHI_DRIFT_MAX_VALUE, 0,
                      "mean of the stream, if std is given"),
        SOOTHI_NUMBER(sooth_cusum_options, std, 1e-18, SOOTHI_DRIFT_MAX_VALUE, 0,
                      "standard deviation of the stream; 0 estimates it and the mean"),
        SOOTHI_NUMBER(sooth_cusum_options, share, 0.0001, 0.9999, 0,
                      "expected share of ones in a stream of 0 and 1; 0 means another stream"),
        SOOTHI_NUMBER(sooth_cusum_options, odds, 1.01, 1000, 2,
                      "with share: factor by which a change multiplies its odds")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API sooth_option_list sooth_location_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_location_options, window_size, 3, 1048576, 64, "values in the window"),
        SOOTHI_COUNT(sooth_location_options, min_instances, 3, 1048576, 0,
                     "values before any can be outside; 0 means 10, or window_size if less"),
        SOOTHI_COUNT(sooth_location_options, run_length, 1, 524288, 0,
                     "consecutive values outside that are drift; 0 means 5, or window_size / 2 if less"),
        SOOTHI_NUMBER(sooth_location_options, threshold, 1e-6, 1e6, 3.5,
                      "distance from the median that is outside, in robust standard deviations"),
        SOOTHI_NUMBER(sooth_location_options, min_spread, 1e-18, SOOTHI_DRIFT_MAX_VALUE, 0,
                      "minimum robust standard deviation, in units of the values; 0 means none")};
    return SOOTHI_OPTIONS(option);
}

SOOTHI_LOCAL sooth_status soothi_drift_memory(sooth_env *env, const char *what, const void *memory,
                                              size_t size, size_t needs) {
    if (memory && size >= needs) return SOOTH_OK;
    return sooth_fail(env, SOOTH_NO_MEMORY, "%s needs %z bytes of memory, but has %z", what, needs,
                      memory ? size : (size_t)0);
}

SOOTH_API sooth_status sooth_page_hinkley_init(sooth_env *env, sooth_page_hinkley *d,
                                               const sooth_page_hinkley_options *options) {
    sooth_page_hinkley_options o;
    memset(&o, 0, sizeof o);
    sooth_status status =
        soothi_options_resolve(env, sooth_page_hinkley_options_list(), options, sizeof o, &o);
    if (status != SOOTH_OK) return status;
    d->min_instances = o.min_instances;
    d->mode = o.mode;
    d->delta = (float)o.delta;
    d->threshold = (float)o.threshold;
    d->fading = (float)(1.0 - o.alpha);
    sooth_page_hinkley_reset(d);
    return SOOTH_OK;
}

/* Fills in the defaults, and computes the minimum number of rows for max_window values. */
SOOTHI_LOCAL sooth_status soothi_adwin_shape(sooth_env *env, const sooth_adwin_options *options,
                                             sooth_adwin_options *o, uint32_t *rows) {
    const sooth_status status =
        soothi_options_resolve(env, sooth_adwin_options_list(), options, sizeof *o, o);
    if (status != SOOTH_OK) return status;
    for (*rows = 1; (((uint64_t)1 << *rows) - 1) * o->max_buckets < o->max_window;) ++*rows;
    return SOOTH_OK;
}

SOOTH_API size_t sooth_adwin_size(const sooth_adwin_options *options) {
    sooth_adwin_options o;
    uint32_t rows;
    if (soothi_adwin_shape(NULL, options, &o, &rows) != SOOTH_OK) return 0;
    return SOOTH_ADWIN_BYTES((size_t)o.max_buckets, rows);
}

SOOTH_API sooth_status sooth_adwin_init(sooth_env *env, const sooth_adwin_options *options, void *memory,
                                        size_t size, sooth_adwin **detector) {
    sooth_adwin_options o;
    sooth_adwin d;
    *detector = NULL;
    memset(&d, 0, sizeof d);
    sooth_status status = soothi_adwin_shape(env, options, &o, &d.rows);
    if (status == SOOTH_OK)
        status =
            soothi_drift_memory(env, "ADWIN", memory, size, SOOTH_ADWIN_BYTES((size_t)o.max_buckets, d.rows));
    if (status != SOOTH_OK) return status;
    d.clock = o.clock;
    d.max_buckets = o.max_buckets;
    d.min_window_length = o.min_window_length;
    d.grace_period = o.grace_period;
    d.delta = (float)o.delta;
    *detector = sooth_adwin_begin(&d, memory, size);
    return SOOTH_OK;
}

/* Computes mean, std, k and h for a stream of 0 and 1. The logarithm of the likelihood ratio of x, for shares
   with `odds` times the odds of a, is ln(odds) x - ln(1 + a (odds - 1)) = ln(odds) std (z - k). */
SOOTHI_LOCAL void soothi_cusum_share(sooth_cusum_options *o) {
    const float a = (float)o->share, std = soothi_sqrt_f(a * (1.0f - a)),
                log_odds = sooth_log((float)o->odds);
    o->mean = (double)a;
    o->std = (double)std;
    o->k = (double)((sooth_log1p(a * ((float)o->odds - 1.0f)) / log_odds - a) / std);
    o->h /= (double)(std * log_odds);
}

SOOTH_API sooth_status sooth_cusum_init(sooth_env *env, sooth_cusum *d, const sooth_cusum_options *options) {
    sooth_cusum_options o;
    const sooth_status status =
        soothi_options_resolve(env, sooth_cusum_options_list(), options, sizeof o, &o);
    if (status != SOOTH_OK) return status;
    if (o.share > 0.0 && (o.std > 0.0 || options->has_k || options->k > 0.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "share is %g and gives %s, which must not be set", o.share,
                          o.std > 0.0 ? "std" : "k");
    if (o.share > 0.0) soothi_cusum_share(&o);
    d->k = (float)o.k;
    d->h = (float)o.h;
    d->grace_period = o.std > 0.0 ? 0 : o.grace_period;
    d->mean = (float)o.mean;
    d->std = (float)o.std;
    sooth_cusum_reset(d);
    return SOOTH_OK;
}

/* Fills in the defaults, which depend on each other. */
SOOTHI_LOCAL sooth_status soothi_location_shape(sooth_env *env, const sooth_location_options *options,
                                                sooth_location_options *o) {
    const sooth_status status =
        soothi_options_resolve(env, sooth_location_options_list(), options, sizeof *o, o);
    if (status != SOOTH_OK) return status;
    const uint32_t m = o->window_size;
    if (o->min_instances == 0) o->min_instances = m < 10 ? m : 10;
    if (o->run_length == 0) o->run_length = m < 10 ? m / 2 : 5;
    if (o->min_instances > m)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "min_instances is %u, but must be at most window_size, %u",
                          o->min_instances, m);
    if (o->run_length > m / 2)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "run_length is %u, but must be at most %u, half of window_size", o->run_length,
                          m / 2);
    return SOOTH_OK;
}

SOOTH_API size_t sooth_location_size(const sooth_location_options *options) {
    sooth_location_options o;
    if (soothi_location_shape(NULL, options, &o) != SOOTH_OK) return 0;
    return SOOTH_LOCATION_BYTES((size_t)o.window_size);
}

SOOTH_API sooth_status sooth_location_init(sooth_env *env, const sooth_location_options *options,
                                           void *memory, size_t size, sooth_location **location) {
    sooth_location_options o;
    sooth_location l;
    *location = NULL;
    memset(&l, 0, sizeof l);
    sooth_status status = soothi_location_shape(env, options, &o);
    if (status == SOOTH_OK)
        status =
            soothi_drift_memory(env, "location", memory, size, SOOTH_LOCATION_BYTES((size_t)o.window_size));
    if (status != SOOTH_OK) return status;
    l.window_size = o.window_size;
    l.min_instances = o.min_instances;
    l.run_length = o.run_length;
    l.threshold = (float)o.threshold;
    l.min_spread = (float)o.min_spread;
    *location = sooth_location_begin(&l, memory, size);
    return SOOTH_OK;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
