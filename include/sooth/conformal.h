/* conformal.h - prediction intervals with guaranteed coverage: of rows, of groups, under drift.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model predicts 120 W: how large can the error be? Conformal prediction uses the errors on rows that the
 * model has not seen. Row i gets a score that measures its error. The interval of a new row holds all values
 * whose score is at most a quantile of the scores, the new row's included. If the new row is drawn like those
 * rows, the interval holds its value with a probability of at least `level`, for any model and noise (Vovk,
 * Gammerman, Shafer 2005; Lei et al., JASA 113, 2018).
 *
 * "Drawn like those rows" is essential. On published GPU power data, 90 % intervals calibrated on shuffled
 * rows hold 26 to 47 % of the launches of an unseen program. So each interval states what it covers:
 *
 *   SOOTH_CONFORMAL_OF_ROWS    one more row, drawn like the rows: another launch of these programs
 *   SOOTH_CONFORMAL_OF_GROUPS  a row of one more group, drawn like the groups: a launch of a new program
 *   SOOTH_CONFORMAL_OF_WHOLE   one more group, with the fraction `level` of its rows held at once
 *   SOOTH_CONFORMAL_NONE       nothing: too few rows or groups for this level, so the interval is unbounded
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/conformal.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         // watts of ten launches, and the predictions of a model that has not seen the launch's program
 *         const float actual[] = {50, 80, 100, 100, 110, 90, 60, 70, 120, 150};
 *         const float predicted[] = {55, 88, 90, 104, 100, 99, 63, 63, 100, 120};
 *         const uint32_t program[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 9};
 *         sooth_conformal_options options = {.scale = SOOTH_CONFORMAL_LOG};
 *         sooth_conformal *conformal;
 *         sooth_env env;
 *         float low, high;
 *         sooth_env_init(&env);
 *         if (sooth_conformal_fit(&env, actual, predicted, program, NULL, 10, &options, &conformal) !=
 *             SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         if (!conformal->claim.promise) puts(env.sentence);   // too few programs for this level
 *         sooth_conformal_interval(conformal, 80, 1, &low, &high);
 *         printf("%.0f to %.0f W\n", low, high);               //> 64 to 100 W
 *         printf("of %u programs\n", conformal->claim.groups);  //> of 9 programs
 *         sooth_conformal_free(&env, conformal);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Calibrate on rows that the model has not seen. For intervals of groups, leave out whole groups.
 * - Too few rows or groups are not an error: the interval goes from -infinity, or 0 on the log scale, to
 *   infinity. Test claim.promise. If it is SOOTH_CONFORMAL_NONE, the sentence of the env names the number of
 *   rows or groups that the level needs, and the level that they suffice for.
 * - SPLIT: one model and held-out rows. The level is proven.
 * - CROSS: each row is predicted by the model of the folds without it, and new rows by a model of all rows.
 *   The level is usually right and no row is wasted, but no theorem covers every model; claim.proven is 0.
 * - FORWARD: each row is predicted by a model of the rows that were measured before it, and new rows by a
 *   model of all rows. It covers later rows if their errors are like those of the calibration; no theorem
 *   covers every drift, and claim.proven is 0 (Oliveira, Orenstein, Ramos, Romano, JMLR 25, 2024).
 * - CV+ and the jackknife+ (sooth_conformal_cross) prove 1 - 2 a. Every fold's model predicts the new row.
 * - Any number of threads may use a block, but each online object belongs to one.
 *
 * Method and references
 *
 * For n rows with weights w_1 .. w_n, K groups of n_k rows, and a level 1 - a, the offset is the minimum q
 * with
 *
 *   rows     sum of w_i over scores <= q      >=  level (w_1 + .. + w_n + w)      w: the maximum of the w_i
 *            (Barber, Candes, Ramdas, Tibshirani, Ann. Stat. 51, 2023, where w is 1 and the others are at
 *            most 1; with equal weights it is the ceil((n + 1) level)-th smallest score)
 *   groups   sum of 1 / n_k over scores <= q  >=  level (K + 1)
 *            (Lee, Barber, Willett 2023, "Distribution-free inference with hierarchical data": each group
 *            has weight 1, shared by its rows, and so does the future group. Valid for every K. The pooled
 *            distribution of Dunn, Wasserman, Ramdas, JASA 118, 2023, without the + 1, needs a large K.
 *            Their method of one row drawn per group is valid too, but discards the other rows)
 *   whole    the ceil((K + 1) level)-th smallest of the groups' own quantiles q_k, the minimum with
 *            sum of 1 / n_k over scores of k <= q_k  >=  level
 *            (split conformal with groups instead of rows: exact, and wider. For users to whom one program
 *            with large errors is worse than ten programs with small errors)
 *
 * The weights of rows divide the weight of their group. If ceil((n + 1) level) > n, even the largest q is
 * too small and the interval is unbounded: 0.9 needs 9 rows or 9 groups, 0.95 needs 19. Tails EACH need 19
 * for 0.9.
 *
 * Scores of a measurement y and a prediction p, on the plain scale or on that of logarithms (the interval
 * then multiplies and never goes below 0):
 *
 *   residual    |y - p|, or |log y - log p|                                     Lei et al. 2018
 *   scaled      the residual divided by a spread predicted for each row         Lei et al. 2018, section 5.2
 *   quantiles   max(low - y, y - high) with predicted quantiles low, high       Romano, Patterson, Candes,
 *                                                                               NeurIPS 2019, eq. 6
 *
 * Tails EACH uses one offset below and one above, each for half of a, for errors with a skewed distribution
 * (their Theorem 2). Tails UPPER uses only an upper offset, for all of a: y - p counts with its sign, and the
 * interval is unbounded below. This suits reservations of time that kill a job if it takes longer: take a
 * model of the quantile (boosting with loss=quantile), and move its prediction until it has the coverage.
 *
 * Rows that arrive one at a time and drift (sooth_conformal_online): adaptive conformal inference (Gibbs and
 * Candes, NeurIPS 2021) in fixed memory. The interval comes from the last scores at a working level 1 - a_t,
 *
 *     a_(t+1) = a_t + rate (a - missed_t)                                                          (eq. 2)
 *
 * For any sequence of T rows, even an adversary's, the fraction missed is at most
 *
 *     a + (max(a, 1 - a) + rate) / (rate T)                                               (Proposition 4.1)
 *
 * A stream of upper ends only has the same bound.
 *
 * This takes the actual value of a row as known before the next row is predicted. If values come later than
 * that, use sooth_conformal_delayed (conformal/delayed.h): its predictions have tickets.
 *
 * Cost
 *
 * One block of 80 bytes. An interval takes 2 multiply-adds, and 2 exponentials on the log scale. Fitting
 * sorts: O(n) time, 40 bytes per row of scratch. CV+ for m new rows: O(n + m F log n) time for F folds, 60
 * bytes per row of scratch. Online: 8 bytes per stored score and 40, in the caller's memory; O(1) per
 * interval and O(stored) per update.
 */
#if !defined(SOOTH_CONFORMAL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFORMAL_IMPLEMENTED))
#include "base.h"
#endif

#ifndef SOOTH_CONFORMAL_H
#define SOOTH_CONFORMAL_H

SOOTHI_C_BEGIN

#define SOOTH_CONFORMAL_VERSION 1

/* What an interval covers; see above. */
typedef enum sooth_conformal_promise {
    SOOTH_CONFORMAL_NONE = 0,
    SOOTH_CONFORMAL_OF_ROWS,
    SOOTH_CONFORMAL_OF_GROUPS,
    SOOTH_CONFORMAL_OF_WHOLE,
    SOOTH_CONFORMAL_PROMISES
} sooth_conformal_promise;

/* The origin of the predictions for calibration. */
typedef enum sooth_conformal_method {
    SOOTH_CONFORMAL_SPLIT = 0, /* held-out rows, predicted by the final model */
    SOOTH_CONFORMAL_CROSS,     /* out of fold */
    SOOTH_CONFORMAL_FORWARD,   /* each by a model of earlier rows */
    SOOTH_CONFORMAL_METHODS
} sooth_conformal_method;

typedef enum sooth_conformal_scale {
    SOOTH_CONFORMAL_PLAIN = 0,
    SOOTH_CONFORMAL_LOG, /* for values above 0: the interval multiplies */
    SOOTH_CONFORMAL_SCALES
} sooth_conformal_scale;

typedef enum sooth_conformal_score {
    SOOTH_CONFORMAL_RESIDUAL = 0,
    SOOTH_CONFORMAL_SCALED,   /* the interval needs the row's spread */
    SOOTH_CONFORMAL_QUANTILE, /* the interval needs two predicted quantiles */
    SOOTH_CONFORMAL_SCORES
} sooth_conformal_score;

/* What an interval guarantees, and on what basis. */
typedef struct sooth_conformal_claim {
    uint32_t promise; /* a sooth_conformal_promise */
    uint32_t rows;    /* calibration rows, with weights above 0 */
    uint32_t groups;  /* their groups; 0 means that no groups were given */
    float level;      /* the requested level */
    float proven;     /* level that a theorem guarantees for every model; 0 means none */
} sooth_conformal_claim;

/* The block consists of this struct only. */
typedef struct sooth_conformal {
    sooth_block head; /* features 0, targets 1 */
    sooth_conformal_claim claim;
    uint32_t method; /* a sooth_conformal_method */
    uint32_t scale;  /* a sooth_conformal_scale */
    uint32_t score;  /* a sooth_conformal_score */
    float below;     /* lower offset from the prediction, in units of the scale (and spread) */
    float above;     /* upper offset. Both are infinite if nothing is promised */
} sooth_conformal;

/* Returns 1 if bytes[0..size) begin with a valid block. Then no function below reads out of bounds, and
   low <= high for any prediction. A checked one may come from anyone. */
SOOTH_API int sooth_conformal_check(const void *bytes, size_t size);

/* Computes the interval of a prediction. spread: this row's predicted spread, in the unit of the spreads of
   the fit; only used by a block that was fitted with spreads. The interval is unbounded (-infinity, or 0 on
   the log scale, to infinity) if nothing is promised; on the log scale also if the prediction is not above 0.
   Both ends are NaN if the prediction is NaN, or the spread is NaN or below 0. For a block of quantiles, both
   quantiles are the prediction. */
SOOTH_API void sooth_conformal_interval(const sooth_conformal *conformal, float predicted, float spread,
                                        float *low, float *high);

/* Like sooth_conformal_interval, from two predicted quantiles, for a block of sooth_conformal_fit_quantiles.
   Both are moved outwards, or inwards if they were too wide. If they cross, both become their mean. */
SOOTH_API void sooth_conformal_interval_quantiles(const sooth_conformal *conformal, float predicted_low,
                                                  float predicted_high, float *low, float *high);

/* Returns the cost of an interval. */
SOOTH_API sooth_cost sooth_conformal_cost(const sooth_conformal *conformal);

/* ---- online ---- */

typedef struct sooth_conformal_online_options {
    uint32_t capacity; /* maximum number of stored scores, up to 2^24; 0 means 500. Should be at least
                          1 / (1 - level), or most intervals are unbounded */
    float level;       /* required coverage, 0.001 to 0.999; 0 means 0.9 */
    float rate;     /* speed of the working level, 0.0001 to 0.5; 0 means 0.02. A higher rate reacts to drift
                          sooner, but the intervals vary more */
    uint32_t scale; /* a sooth_conformal_scale */
    uint32_t upper; /* 1: upper ends only. The interval begins at -infinity, or at 0 on the log scale. It
                          ends at the prediction (of the mean, a quantile, ...) moved by a quantile of the
                          errors */
} sooth_conformal_online_options;

/* Adaptive intervals of a stream, in fixed memory. After this struct: float score[capacity], in order of
   arrival, then the same scores sorted. It may be copied with memcpy and saved. */
typedef struct sooth_conformal_online {
    uint32_t capacity; /* maximum number of scores */
    uint32_t count;    /* stored scores */
    uint32_t oldest;   /* index of the score to replace next, once all are in use */
    uint32_t scale;    /* a sooth_conformal_scale */
    int32_t working;   /* a_t in units of 2^-30, so that sums are exact; within -rate .. 1 + rate */
    int32_t up;        /* rate x a, added after a held row */
    int32_t down;      /* rate x (1 - a), subtracted after a missed row */
    uint32_t seen;     /* rows so far, and missed ones; both halved before seen exceeds 2^32 */
    uint32_t missed;
    uint32_t upper; /* 1: signed scores, without a lower end */
} sooth_conformal_online;

/* What an update found. */
typedef enum sooth_conformal_outcome {
    SOOTH_CONFORMAL_REFUSED = 0, /* the row was not used: see sooth_conformal_online_update */
    SOOTH_CONFORMAL_MISSED,      /* the actual value was outside the interval */
    SOOTH_CONFORMAL_HELD
} sooth_conformal_outcome;

/* Returns the bytes of a stream; NULL options mean defaults. */
SOOTH_API size_t sooth_conformal_online_size(const sooth_conformal_online_options *options);

/* Begins a stream in memory[0..size), aligned like a float; it has the address of memory. Returns NULL if the
   size is too small or an option is out of range. */
SOOTH_API sooth_conformal_online *sooth_conformal_online_begin(const sooth_conformal_online_options *options,
                                                               void *memory, size_t size);

/* Computes the interval of the next row. It is unbounded while scores are too few for the working level. If
   the working level is below 0, it is a single point; an upper end then uses the minimum score. */
SOOTH_API void sooth_conformal_online_interval(const sooth_conformal_online *online, float predicted,
                                               float *low, float *high);

/* Adds the actual value of a predicted row. It is refused and changes nothing if a value is NaN or the
   prediction is infinite; on the log scale also if the prediction is not above 0 or the actual value is below
   0. An infinite actual value (of an endless run) has the largest score. */
SOOTH_API sooth_conformal_outcome sooth_conformal_online_update(sooth_conformal_online *online,
                                                                float predicted, float actual);

#ifndef SOOTH_PREDICT_ONLY

/* ---- calibrating ---- */

typedef enum sooth_conformal_tails {
    SOOTH_CONFORMAL_BOTH = 0, /* one offset for both sides */
    SOOTH_CONFORMAL_EACH,     /* one for each side; needs twice the rows or groups */
    SOOTH_CONFORMAL_UPPER     /* one above; unbounded below */
} sooth_conformal_tails;

typedef enum sooth_conformal_coverage {
    SOOTH_CONFORMAL_EQUAL = 0, /* covers a row of a new group */
    SOOTH_CONFORMAL_WHOLE      /* covers new groups as a whole */
} sooth_conformal_coverage;

typedef struct sooth_conformal_options {
    double level;        /* required coverage; 0 means 0.9 */
    uint32_t scale;      /* a sooth_conformal_scale */
    uint32_t method;     /* a sooth_conformal_method */
    uint32_t tails;      /* a sooth_conformal_tails */
    uint32_t groups;     /* a sooth_conformal_coverage, if groups are given */
    uint32_t minmax;     /* 1: jackknife-minmax instead of CV+: wider, and proves the level itself */
    const float *spread; /* predicted spread of each row, >= 0; NULL means none */
} sooth_conformal_options;

/* Calibrates on `rows` measurements, with predictions of a model that has not seen the row. (With groups, it
   has seen none of the group's rows.) group, weight and options may be NULL; without groups the interval
   covers rows. Rows of weight 0 are ignored. SOOTH_BAD_DATA names the row if a value is not finite, or is not
   above 0 on the log scale, or a spread is below 0. A spread of 0 makes the score infinite if there is an
   error, else 0. *conformal is NULL after a failure. If claim.promise is SOOTH_CONFORMAL_NONE, the env's
   sentence states why, although the status is SOOTH_OK. */
SOOTH_API sooth_status sooth_conformal_fit(sooth_env *env, const float *actual, const float *predicted,
                                           const uint32_t *group, const float *weight, size_t rows,
                                           const sooth_conformal_options *options,
                                           sooth_conformal **conformal);

/* Like sooth_conformal_fit, with two predicted quantiles, such as 5 and 95 %, and without spreads. With tails
   UPPER the lower one is not used and may be predicted_high again. */
SOOTH_API sooth_status sooth_conformal_fit_quantiles(sooth_env *env, const float *actual,
                                                     const float *predicted_low, const float *predicted_high,
                                                     const uint32_t *group, const float *weight, size_t rows,
                                                     const sooth_conformal_options *options,
                                                     sooth_conformal **conformal);

/* Frees a block made by these functions. NULL is allowed. */
SOOTH_API void sooth_conformal_free(sooth_env *env, sooth_conformal *conformal);

/* Rows, each left out of one of `folds` models. */
typedef struct sooth_conformal_left_out {
    const float *actual;
    const float *predicted; /* by the model of the row's fold */
    const uint32_t *fold;   /* below folds */
    const uint32_t *group;  /* NULL means none */
    const float *weight;    /* NULL means 1 for each row */
    size_t rows;
    size_t folds;
} sooth_conformal_left_out;

/* Computes the intervals of `count` new rows by CV+, or by the jackknife+ if each row is a fold (Barber,
   Candes, Ramdas, Tibshirani, Ann. Stat. 49, 2021). Let p_f(i) be the prediction of the new row by the model
   without row i. The interval goes from the lower quantile of p_f(i) - score_i to the upper quantile of
   p_f(i) + score_i. predicted: count x folds, with all predictions of a row next to each other. Spreads are
   not supported.

   Proven levels: 1 - 2 a for the jackknife+ (their Theorem 1). For CV+ with K folds of m = n / K rows,
   1 - 2 a - min(2 (1 - 1/K) / (m + 1), (1 - K/n) / (K + 1)) (Theorem 4). For jackknife-minmax with each row a
   fold, the level itself (Theorem 3). With one group left out, 1 - 2 a of groups (Lee, Barber, Willett 2023).
   Otherwise claim->proven is 0.

   A row's interval is NaN if a model's prediction of it is not finite. On the log scale it is unbounded if a
   prediction is not above 0. The env's sentence is that of sooth_conformal_fit. Returns SOOTH_BAD_DATA as
   above, and if a group is in two folds. */
SOOTH_API sooth_status sooth_conformal_cross(sooth_env *env, const sooth_conformal_left_out *rows,
                                             const float *predicted, size_t count,
                                             const sooth_conformal_options *options, float *low, float *high,
                                             sooth_conformal_claim *claim);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_conformal_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_CONFORMAL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFORMAL_IMPLEMENTED)
#define SOOTH_CONFORMAL_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the interval ---- */

SOOTHI_LOCAL float soothi_conformal_infinite(void) { return soothi_of_bits(SOOTHI_INFINITE_BITS); }

/* Whether v is a valid offset: finite or +infinite. */
SOOTHI_LOCAL int soothi_conformal_offset(float v) { return v >= -FLT_MAX; }

SOOTH_API int sooth_conformal_check(const void *bytes, size_t size) {
    const sooth_conformal *c = (const sooth_conformal *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_CONFORMAL, SOOTH_CONFORMAL_VERSION) ||
        c->head.doubles_at != soothi_round16(sizeof *c) || c->head.size != c->head.doubles_at ||
        c->head.features != 0 || c->head.targets != 1 || c->claim.promise >= SOOTH_CONFORMAL_PROMISES ||
        c->method >= SOOTH_CONFORMAL_METHODS || c->scale >= SOOTH_CONFORMAL_SCALES ||
        c->score >= SOOTH_CONFORMAL_SCORES)
        return 0;
    if (!(c->claim.level > 0.0f && c->claim.level < 1.0f) ||
        !(c->claim.proven >= 0.0f && c->claim.proven <= 1.0f) || c->claim.groups > c->claim.rows ||
        (c->claim.promise >= SOOTH_CONFORMAL_OF_GROUPS && c->claim.groups == 0))
        return 0;
    if (!soothi_conformal_offset(c->below) || !soothi_conformal_offset(c->above)) return 0;
    if (!c->claim.promise) return c->below > FLT_MAX && c->above > FLT_MAX;
    return c->score == SOOTH_CONFORMAL_QUANTILE || c->below >= -c->above;
}

/* Slightly more than m, for rounding of a product, a logarithm and an exponential: edges stay inside. */
SOOTHI_LOCAL float soothi_conformal_widened(float m, uint32_t scale) {
    const float share = 1.0f / 4194304.0f; /* 2^-22 */
    m += (m < 0.0f ? -m : m) * share;
    return scale == SOOTH_CONFORMAL_LOG ? m + share : m;
}

/* How far a side is moved outwards. Without a spread and a logarithm only the end is rounded. */
SOOTHI_LOCAL float soothi_conformal_move(const sooth_conformal *c, float offset, float spread) {
    if (c->score == SOOTH_CONFORMAL_SCALED) offset *= spread; /* NaN: 0 times infinity */
    else if (c->scale == SOOTH_CONFORMAL_PLAIN) return offset;
    return soothi_is_missing(offset) ? soothi_conformal_infinite()
                                     : soothi_conformal_widened(offset, c->scale);
}

/* Computes the ends from the moves below and above; predictions are not NaN. */
SOOTHI_LOCAL void soothi_conformal_ends(uint32_t scale, float from, float below, float to, float above,
                                        float *low, float *high) {
    const float endless = soothi_conformal_infinite();
    if (scale == SOOTH_CONFORMAL_LOG) {
        *low = from > 0.0f ? from * sooth_exp(-below) : 0.0f;
        *high = to > 0.0f ? to * sooth_exp(above) : endless;
        if (soothi_is_missing(*low)) *low = 0.0f; /* infinity times 0 */
        if (soothi_is_missing(*high)) *high = endless;
    } else {
        *low = below <= FLT_MAX ? from - below : -endless;
        *high = above <= FLT_MAX ? to + above : endless;
    }
    if (*low > FLT_MAX) *low = FLT_MAX;
    if (*high < -FLT_MAX) *high = -FLT_MAX;
    if (*low > *high) *low = *high = 0.5f * *low + 0.5f * *high;
}

SOOTH_API void sooth_conformal_interval(const sooth_conformal *conformal, float predicted, float spread,
                                        float *low, float *high) {
    if (soothi_is_missing(predicted) || (conformal->score == SOOTH_CONFORMAL_SCALED && !(spread >= 0.0f)))
        *low = *high = soothi_missing();
    else
        soothi_conformal_ends(conformal->scale, predicted,
                              soothi_conformal_move(conformal, conformal->below, spread), predicted,
                              soothi_conformal_move(conformal, conformal->above, spread), low, high);
}

SOOTH_API void sooth_conformal_interval_quantiles(const sooth_conformal *conformal, float predicted_low,
                                                  float predicted_high, float *low, float *high) {
    if (soothi_is_missing(predicted_low) || soothi_is_missing(predicted_high))
        *low = *high = soothi_missing();
    else
        soothi_conformal_ends(conformal->scale, predicted_low,
                              soothi_conformal_move(conformal, conformal->below, 1.0f), predicted_high,
                              soothi_conformal_move(conformal, conformal->above, 1.0f), low, high);
}

SOOTH_API sooth_cost sooth_conformal_cost(const sooth_conformal *conformal) {
    sooth_cost cost;
    cost.bytes = conformal->head.size;
    cost.comparisons = 8;
    cost.multiply_adds = 8;
    cost.functions = conformal->scale == SOOTH_CONFORMAL_LOG ? 2 : 0;
    return cost;
}

/* ---- online ---- */

#define SOOTHI_CONFORMAL_UNIT 1073741824 /* 2^30: a working level of 1 */

SOOTHI_LOCAL uint32_t soothi_conformal_online_capacity(const sooth_conformal_online_options *options) {
    return options && options->capacity ? options->capacity : 500u;
}

SOOTH_API size_t sooth_conformal_online_size(const sooth_conformal_online_options *options) {
    return sizeof(sooth_conformal_online) +
           (size_t)soothi_conformal_online_capacity(options) * 2u * sizeof(float);
}

SOOTH_API sooth_conformal_online *sooth_conformal_online_begin(const sooth_conformal_online_options *options,
                                                               void *memory, size_t size) {
    const float unit = (float)SOOTHI_CONFORMAL_UNIT;
    sooth_conformal_online_options o;
    sooth_conformal_online *online = (sooth_conformal_online *)memory;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    if (o.level >= 0.0f && o.level <= 0.0f) o.level = 0.9f;
    if (o.rate >= 0.0f && o.rate <= 0.0f) o.rate = 0.02f;
    o.capacity = soothi_conformal_online_capacity(&o);
    if (o.capacity > 16777216u || !(o.level >= 0.001f && o.level <= 0.999f) ||
        !(o.rate >= 0.0001f && o.rate <= 0.5f) || o.scale >= SOOTH_CONFORMAL_SCALES || o.upper > 1 ||
        size < sooth_conformal_online_size(&o))
        return NULL;
    memset(online, 0, sizeof *online);
    online->capacity = o.capacity;
    online->scale = o.scale;
    online->upper = o.upper;
    online->working = (int32_t)((1.0f - o.level) * unit);
    online->up = (int32_t)(o.rate * (1.0f - o.level) * unit);
    online->down = (int32_t)(o.rate * o.level * unit);
    return online;
}

/* The scores in order of arrival. */
SOOTHI_LOCAL float *soothi_conformal_online_scores(const sooth_conformal_online *online) {
    return (float *)(uintptr_t)(online + 1);
}

/* The sorted scores. */
SOOTHI_LOCAL float *soothi_conformal_online_sorted(const sooth_conformal_online *online) {
    return soothi_conformal_online_scores(online) + online->capacity;
}

/* Rank of the sorted score that is the end, from 1: ceil((count + 1)(1 - a_t)). At 0 or less, the interval is
   empty. */
SOOTHI_LOCAL int64_t soothi_conformal_online_rank(const sooth_conformal_online *o) {
    const int64_t unit = SOOTHI_CONFORMAL_UNIT, t = ((int64_t)o->count + 1) * (unit - o->working);
    return t > 0 ? (t + unit - 1) >> 30 : 0; /* avoids a division, which is a call on small machines */
}

SOOTH_API void sooth_conformal_online_interval(const sooth_conformal_online *online, float predicted,
                                               float *low, float *high) {
    const int64_t rank = soothi_conformal_online_rank(online);
    float move = 0.0f;
    if (soothi_is_missing(predicted)) {
        *low = *high = predicted;
        return;
    }
    if (rank > (int64_t)online->count) move = soothi_conformal_infinite();
    else if (rank > 0 || online->upper) /* there is a score: with count 0 the rank is above 0 */
        move = soothi_conformal_online_sorted(online)[rank > 0 ? (uint32_t)rank - 1 : 0];
    if ((rank > 0 || online->upper) && move <= FLT_MAX) move = soothi_conformal_widened(move, online->scale);
    soothi_conformal_ends(online->scale, predicted, online->upper ? soothi_conformal_infinite() : move,
                          predicted, move, low, high);
}

/* |y - p| or |log(y / p)|, signed if only upper ends count; NaN if undefined. */
SOOTHI_LOCAL float soothi_conformal_online_score(const sooth_conformal_online *o, float predicted,
                                                 float actual) {
    const int logs = o->scale == SOOTH_CONFORMAL_LOG;
    if (!(predicted - predicted <= 0.0f) || (logs && !(predicted > 0.0f))) return soothi_missing();
    const float score = logs ? sooth_log(actual / predicted) : actual - predicted;
    if (o->upper) return score < -FLT_MAX ? -FLT_MAX : score;
    return score < 0.0f ? -score : score;
}

/* Number of sorted scores below a value. */
SOOTHI_LOCAL uint32_t soothi_conformal_online_place(const float *sorted, uint32_t count, float value) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sorted[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Replaces the oldest score. Its gap among the sorted scores moves to the position of the new one. */
SOOTHI_LOCAL void soothi_conformal_online_keep(sooth_conformal_online *o, float score) {
    float *scores = soothi_conformal_online_scores(o), *sorted = soothi_conformal_online_sorted(o);
    uint32_t at = o->count;
    if (o->count == o->capacity) {
        at = soothi_conformal_online_place(sorted, o->count, scores[o->oldest]);
        scores[o->oldest] = score;
        o->oldest = o->oldest + 1 < o->capacity ? o->oldest + 1 : 0;
    } else {
        scores[o->count++] = score;
    }
    for (; at > 0 && sorted[at - 1] > score; --at) sorted[at] = sorted[at - 1];
    for (; at + 1 < o->count && sorted[at + 1] < score; ++at) sorted[at] = sorted[at + 1];
    sorted[at] = score;
}

SOOTH_API sooth_conformal_outcome sooth_conformal_online_update(sooth_conformal_online *online,
                                                                float predicted, float actual) {
    const float score = soothi_conformal_online_score(online, predicted, actual);
    float low, high;
    if (soothi_is_missing(score)) return SOOTH_CONFORMAL_REFUSED;
    sooth_conformal_online_interval(online, predicted, &low, &high);
    const int held = low <= actual && actual <= high;
    /* an empty interval counts as missed, or a perfect model would make the working level diverge */
    if (held && soothi_conformal_online_rank(online) > 0) online->working += online->up;
    else online->working -= online->down;
    soothi_conformal_online_keep(online, score);
    if (online->seen == UINT32_MAX) {
        online->seen /= 2;
        online->missed /= 2;
    }
    ++online->seen;
    online->missed += !held;
    return held ? SOOTH_CONFORMAL_HELD : SOOTH_CONFORMAL_MISSED;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- calibrating ---- */

SOOTH_API sooth_option_list sooth_conformal_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_NUMBER(sooth_conformal_options, level, 0.001, 0.999999, 0.9,
                      "required coverage of rows or groups"),
        SOOTHI_CHOICE(sooth_conformal_options, scale, "plain|log",
                      "log: intervals multiply and are never below 0"),
        SOOTHI_CHOICE(sooth_conformal_options, method, "split|cross|forward",
                      "origin of the predictions: held out, out of fold, or by earlier rows"),
        SOOTHI_CHOICE(sooth_conformal_options, tails, "both|each|upper",
                      "one offset for both sides, one for each side, or only above"),
        SOOTHI_CHOICE(sooth_conformal_options, groups, "equal|whole",
                      "coverage of groups: a row of a new group, or new groups as a whole"),
        SOOTHI_FLAG(sooth_conformal_options, minmax, "1: jackknife-minmax instead of CV+")};
    return SOOTHI_OPTIONS(option);
}

/* Relative tolerance of summed weights, so that rounding does not decide between two scores. */
#define SOOTHI_CONFORMAL_SLACK 1e-9

/* The calibration rows. */
typedef struct soothi_conformal_rows {
    const float *actual, *low, *high; /* low = high = the prediction, without quantiles */
    const uint32_t *group;
    const float *weight;
    size_t rows;
    sooth_conformal_options o; /* with defaults filled in */
    /* set by _prepare */
    void *memory;
    size_t bytes;
    double *share;    /* weight of each counted row; 1 in total for a group */
    double *reached;  /* scratch per group */
    uint32_t *member; /* group of each row, from 0 */
    uint64_t *list, *scratch;
    double total, fresh; /* of all shares, and the weight of the new row */
    uint32_t counted, groups;
} soothi_conformal_rows;

SOOTHI_LOCAL uint32_t soothi_conformal_counts(const soothi_conformal_rows *r, size_t i) {
    return !r->weight || r->weight[i] > 0.0f;
}

SOOTHI_LOCAL sooth_status soothi_conformal_check_value(sooth_env *env, const soothi_conformal_rows *r,
                                                       size_t i, const char *what, float value) {
    if (!soothi_finite((double)value))
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has the %s %g, but it must be finite", i + 1, what,
                          (double)value);
    if (r->o.scale == SOOTH_CONFORMAL_LOG && !(value > 0.0f))
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has the %s %g, but a logarithm needs values above 0",
                          i + 1, what, (double)value);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_conformal_check_rows(sooth_env *env, const soothi_conformal_rows *r) {
    if (r->rows == 0 || r->rows > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "there are %z rows to calibrate on, but there must be 1 to 2^31", r->rows);
    sooth_status status = soothi_weights_check(env, r->weight, r->rows);
    for (size_t i = 0; i < r->rows && status == SOOTH_OK; ++i) {
        if (!soothi_conformal_counts(r, i)) continue;
        status = soothi_conformal_check_value(env, r, i, "actual value", r->actual[i]);
        if (status == SOOTH_OK) status = soothi_conformal_check_value(env, r, i, "prediction", r->low[i]);
        if (status == SOOTH_OK) status = soothi_conformal_check_value(env, r, i, "prediction", r->high[i]);
        if (status == SOOTH_OK && r->o.spread &&
            !(soothi_finite((double)r->o.spread[i]) && r->o.spread[i] >= 0.0f))
            status = sooth_fail(env, SOOTH_BAD_DATA,
                                "row %z has the spread %g, but it must be finite and not negative", i + 1,
                                (double)r->o.spread[i]);
    }
    return status;
}

/* Shares without groups: the weights. */
SOOTHI_LOCAL void soothi_conformal_share_rows(soothi_conformal_rows *r) {
    for (size_t i = 0; i < r->rows; ++i) {
        r->share[i] = r->weight ? (double)r->weight[i] : 1.0;
        r->total += r->share[i];
        if (r->share[i] > r->fresh) r->fresh = r->share[i];
        r->counted += soothi_conformal_counts(r, i);
    }
}

/* Shares with groups: 1 per group. */
SOOTHI_LOCAL void soothi_conformal_share_groups(soothi_conformal_rows *r) {
    for (size_t i = 0; i < r->rows; ++i)
        if (soothi_conformal_counts(r, i)) r->list[r->counted++] = (uint64_t)r->group[i] << 32 | i;
    soothi_entry_sort(r->list, r->scratch, r->counted);
    for (uint32_t begin = 0, end; begin < r->counted; begin = end, ++r->groups) {
        double sum = 0.0;
        for (end = begin; end < r->counted && r->list[end] >> 32 == r->list[begin] >> 32; ++end) {
            const uint32_t row = soothi_entry_row(r->list[end]);
            sum += r->weight ? (double)r->weight[row] : 1.0;
        }
        for (uint32_t k = begin; k < end; ++k) {
            const uint32_t row = soothi_entry_row(r->list[k]);
            r->share[row] = (r->weight ? (double)r->weight[row] : 1.0) / sum;
            r->member[row] = r->groups;
        }
    }
    r->total = (double)r->groups;
    r->fresh = 1.0;
}

SOOTHI_LOCAL void soothi_conformal_layout(soothi_carver *c, soothi_conformal_rows *r) {
    r->share = (double *)soothi_carve(c, r->rows, sizeof(double));
    r->list = (uint64_t *)soothi_carve(c, r->rows, sizeof(uint64_t));
    r->scratch = (uint64_t *)soothi_carve(c, r->rows, sizeof(uint64_t));
    r->member = (uint32_t *)soothi_carve(c, r->group ? r->rows : 0, sizeof(uint32_t));
    r->reached = (double *)soothi_carve(c, r->group ? r->rows : 0, sizeof(double));
}

/* Checks the options and rows, and allocates the scratch; free it with soothi_conformal_done. */
SOOTHI_LOCAL sooth_status soothi_conformal_prepare(sooth_env *env, const sooth_conformal_options *options,
                                                   soothi_conformal_rows *r) {
    soothi_carver carver = {NULL, 0};
    sooth_status status =
        soothi_options_resolve(env, sooth_conformal_options_list(), options, sizeof r->o, &r->o);
    if (status == SOOTH_OK) status = soothi_conformal_check_rows(env, r);
    if (status != SOOTH_OK) return status;
    soothi_conformal_layout(&carver, r);
    r->bytes = carver.used;
    r->memory = carver.memory = (unsigned char *)sooth_alloc(env, r->bytes, 1);
    if (!r->memory) return sooth_no_memory(env, "calibrating", r->bytes);
    carver.used = 0;
    soothi_conformal_layout(&carver, r);
    if (r->group) soothi_conformal_share_groups(r);
    else soothi_conformal_share_rows(r);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_conformal_done(sooth_env *env, soothi_conformal_rows *r) {
    sooth_free(env, r->memory, r->bytes, 1);
}

/* The smallest float that is not below v. */
SOOTHI_LOCAL float soothi_conformal_up(double v) {
    const float f = (float)v;
    return (double)f < v ? soothi_key_value(soothi_key(f) + 1) : f;
}

enum { SOOTHI_CONFORMAL_BELOW = 1, SOOTHI_CONFORMAL_ABOVE = 2 }; /* sides; with both, the larger score */

/* The score of row i. */
SOOTHI_LOCAL float soothi_conformal_score_of(const soothi_conformal_rows *r, size_t i, int sides) {
    const double y = (double)r->actual[i], low = (double)r->low[i], high = (double)r->high[i];
    const int logs = r->o.scale == SOOTH_CONFORMAL_LOG;
    const double above = logs ? soothi_log(y / high) : y - high;
    double below = -above;
    if (r->low != r->high) below = logs ? soothi_log(low / y) : low - y;
    double score = sides == SOOTHI_CONFORMAL_BELOW ? below : above;
    if (sides == (SOOTHI_CONFORMAL_BELOW | SOOTHI_CONFORMAL_ABOVE)) score = below > above ? below : above;
    if (r->o.spread) {
        const double spread = (double)r->o.spread[i];
        if (spread > 0.0) score /= spread;
        else if (score > 0.0) score = (double)soothi_conformal_infinite();
        else if (score < 0.0) score = -(double)soothi_conformal_infinite();
    }
    return soothi_conformal_up(score);
}

SOOTHI_LOCAL void soothi_conformal_sort(soothi_conformal_rows *r, int sides) {
    size_t n = 0;
    for (size_t i = 0; i < r->rows; ++i)
        if (soothi_conformal_counts(r, i))
            r->list[n++] = soothi_entry(soothi_conformal_score_of(r, i, sides), i);
    soothi_entry_sort(r->list, r->scratch, n);
}

/* The minimum score that covers this level of the weight, the new row's included. If the rows' own weight is
   too small, it is infinite and *enough becomes 0. */
SOOTHI_LOCAL float soothi_conformal_pooled(const soothi_conformal_rows *r, double level, int *enough) {
    const double need = level * (r->total + r->fresh) * (1.0 - SOOTHI_CONFORMAL_SLACK);
    double sum = 0.0;
    for (uint32_t k = 0; k < r->counted; ++k) {
        sum += r->share[soothi_entry_row(r->list[k])];
        if (sum >= need) return soothi_key_value(soothi_entry_key(r->list[k]));
    }
    *enough = 0;
    return soothi_conformal_infinite();
}

/* Like soothi_conformal_pooled, for the groups' own quantiles. Scores come in order, so the k-th group to
   reach its level has the k-th smallest quantile. */
SOOTHI_LOCAL float soothi_conformal_whole(const soothi_conformal_rows *r, double level, int *enough) {
    const double need = level * ((double)r->groups + 1.0) * (1.0 - SOOTHI_CONFORMAL_SLACK);
    const double own = level * (1.0 - SOOTHI_CONFORMAL_SLACK);
    double done = 0.0;
    for (uint32_t g = 0; g < r->groups; ++g) r->reached[g] = 0.0;
    for (uint32_t k = 0; k < r->counted; ++k) {
        const uint32_t row = soothi_entry_row(r->list[k]);
        double *reached = &r->reached[r->member[row]];
        const double before = *reached;
        *reached += r->share[row];
        if (before >= own || *reached < own) continue;
        done += 1.0;
        if (done >= need) return soothi_key_value(soothi_entry_key(r->list[k]));
    }
    *enough = 0;
    return soothi_conformal_infinite();
}

/* The offset of the sides at their required level. */
SOOTHI_LOCAL float soothi_conformal_offset_of(soothi_conformal_rows *r, int sides, double level,
                                              int *enough) {
    soothi_conformal_sort(r, sides);
    if (r->group && r->o.groups == SOOTH_CONFORMAL_WHOLE) return soothi_conformal_whole(r, level, enough);
    return soothi_conformal_pooled(r, level, enough);
}

/* Each tail may miss half of the total. */
SOOTHI_LOCAL double soothi_conformal_level(const soothi_conformal_rows *r) {
    return r->o.tails == SOOTH_CONFORMAL_EACH ? 0.5 + 0.5 * r->o.level : r->o.level;
}

/* The sides that a single offset counts. */
SOOTHI_LOCAL int soothi_conformal_sides(const soothi_conformal_rows *r) {
    return r->o.tails == SOOTH_CONFORMAL_UPPER ? SOOTHI_CONFORMAL_ABOVE
                                               : SOOTHI_CONFORMAL_BELOW | SOOTHI_CONFORMAL_ABOVE;
}

/* Stores the reason of an unbounded interval as the env's sentence. `have` rows or groups suffice for a
   level of have / (have + 1), on each tail. */
SOOTHI_LOCAL void soothi_conformal_say_too_few(sooth_env *env, const soothi_conformal_rows *r) {
    const double level = soothi_conformal_level(r) * (1.0 - SOOTHI_CONFORMAL_SLACK);
    const double have = r->total / r->fresh, need = level / (1.0 - level);
    const double tail = have / (have + 1.0) * (1.0 + SOOTHI_CONFORMAL_SLACK);
    const double most = r->o.tails == SOOTH_CONFORMAL_EACH ? 2.0 * tail - 1.0 : tail;
    const uint32_t whole = (uint32_t)need, count = r->group ? r->groups : r->counted;
    char weigh[64] = "", enough[32] = "";
    if (have < (double)count * (1.0 - SOOTHI_CONFORMAL_SLACK))
        sooth_text_format(weigh, sizeof weigh, ", which weigh as much as %g of the heaviest",
                          (double)(uint64_t)(100.0 * have) / 100.0);
    if (most > 0.001)
        sooth_text_format(enough, sizeof enough, " (enough for %g)",
                          (double)(uint32_t)(1000.0 * most) / 1000.0);
    (void)sooth_fail(env, SOOTH_BAD_DATA, /* not an error */
                     "the interval is unbounded: a level of %g needs %u %s, but there %s %u%s%s", r->o.level,
                     whole + ((double)whole < need), r->group ? "groups" : "rows", count == 1 ? "is" : "are",
                     count, weigh, enough);
}

SOOTHI_LOCAL sooth_conformal_claim soothi_conformal_claims(sooth_env *env, const soothi_conformal_rows *r,
                                                           int enough, double proven) {
    sooth_conformal_claim claim;
    claim.promise = r->group ? (uint32_t)SOOTH_CONFORMAL_OF_GROUPS : (uint32_t)SOOTH_CONFORMAL_OF_ROWS;
    if (r->group && r->o.groups == SOOTH_CONFORMAL_WHOLE) claim.promise = SOOTH_CONFORMAL_OF_WHOLE;
    if (!enough) claim.promise = SOOTH_CONFORMAL_NONE;
    claim.rows = r->counted;
    claim.groups = r->groups;
    claim.level = (float)r->o.level;
    claim.proven = enough ? (float)proven : 1.0f;
    if (!enough) soothi_conformal_say_too_few(env, r);
    return claim;
}

SOOTHI_LOCAL sooth_status soothi_conformal_make(sooth_env *env, soothi_conformal_rows *r, uint32_t score,
                                                const sooth_conformal_options *options,
                                                sooth_conformal **conformal) {
    int enough = 1;
    *conformal = NULL;
    sooth_status status = soothi_conformal_prepare(env, options, r);
    if (status != SOOTH_OK) return status;
    sooth_conformal *made = (sooth_conformal *)soothi_block_new(
        env, SOOTH_KIND_CONFORMAL, SOOTH_CONFORMAL_VERSION, sizeof(sooth_conformal), 0, 0);
    if (!made) {
        soothi_conformal_done(env, r);
        return sooth_no_memory(env, "a calibration", soothi_round16(sizeof(sooth_conformal)));
    }
    made->head.targets = 1;
    made->method = r->o.method;
    made->scale = r->o.scale;
    made->score = score;
    if (r->o.tails == SOOTH_CONFORMAL_EACH) {
        made->below =
            soothi_conformal_offset_of(r, SOOTHI_CONFORMAL_BELOW, soothi_conformal_level(r), &enough);
        made->above =
            soothi_conformal_offset_of(r, SOOTHI_CONFORMAL_ABOVE, soothi_conformal_level(r), &enough);
    } else {
        made->above =
            soothi_conformal_offset_of(r, soothi_conformal_sides(r), soothi_conformal_level(r), &enough);
        made->below = r->o.tails == SOOTH_CONFORMAL_UPPER ? soothi_conformal_infinite() : made->above;
    }
    made->claim =
        soothi_conformal_claims(env, r, enough, r->o.method == SOOTH_CONFORMAL_SPLIT ? r->o.level : 0.0);
    soothi_block_seal(&made->head);
    *conformal = made;
    soothi_conformal_done(env, r);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_conformal_fit(sooth_env *env, const float *actual, const float *predicted,
                                           const uint32_t *group, const float *weight, size_t rows,
                                           const sooth_conformal_options *options,
                                           sooth_conformal **conformal) {
    soothi_conformal_rows r;
    memset(&r, 0, sizeof r);
    r.actual = actual;
    r.low = r.high = predicted;
    r.group = group;
    r.weight = weight;
    r.rows = rows;
    return soothi_conformal_make(env, &r,
                                 options && options->spread ? (uint32_t)SOOTH_CONFORMAL_SCALED
                                                            : (uint32_t)SOOTH_CONFORMAL_RESIDUAL,
                                 options, conformal);
}

/* Spreads are not supported with quantiles or folds. */
SOOTHI_LOCAL sooth_status soothi_conformal_no_spread(sooth_env *env, const sooth_conformal_options *options,
                                                     const char *where) {
    return options && options->spread
               ? sooth_fail(env, SOOTH_BAD_ARGUMENT, "spread is given, but %s does not support it", where)
               : SOOTH_OK;
}

SOOTH_API sooth_status sooth_conformal_fit_quantiles(sooth_env *env, const float *actual,
                                                     const float *predicted_low, const float *predicted_high,
                                                     const uint32_t *group, const float *weight, size_t rows,
                                                     const sooth_conformal_options *options,
                                                     sooth_conformal **conformal) {
    soothi_conformal_rows r;
    memset(&r, 0, sizeof r);
    r.actual = actual;
    r.low = predicted_low;
    r.high = predicted_high;
    r.group = group;
    r.weight = weight;
    r.rows = rows;
    *conformal = NULL;
    sooth_status status = soothi_conformal_no_spread(env, options, "an interval of quantiles");
    return status == SOOTH_OK ? soothi_conformal_make(env, &r, SOOTH_CONFORMAL_QUANTILE, options, conformal)
                              : status;
}

SOOTH_API void sooth_conformal_free(sooth_env *env, sooth_conformal *conformal) {
    soothi_block_free(env, conformal ? &conformal->head : NULL);
}

/* ---- CV+ and the jackknife+ ---- */

/* One side's scores, by fold, sorted within each fold; and cumulative weights. */
typedef struct soothi_conformal_side {
    float *score;
    double *weight;
    float offset; /* the quantile of all scores */
} soothi_conformal_side;

typedef struct soothi_conformal_folds {
    soothi_conformal_rows r;
    const sooth_conformal_left_out *in;
    uint32_t *begin; /* of each fold; folds + 1 */
    soothi_conformal_side side[2];
    float *model; /* per fold: its prediction on the scale, negated for one side */
    void *memory;
    size_t bytes;
    double need;
} soothi_conformal_folds;

SOOTHI_LOCAL void soothi_conformal_folds_layout(soothi_carver *c, soothi_conformal_folds *f) {
    const size_t folds = f->in->folds;
    f->begin = (uint32_t *)soothi_carve(c, folds + 1, sizeof(uint32_t));
    f->model = (float *)soothi_carve(c, folds, sizeof(float));
    for (int s = 0; s < 2; ++s) {
        const int own = s == 0 || f->r.o.tails == SOOTH_CONFORMAL_EACH;
        f->side[s].score = own ? (float *)soothi_carve(c, f->r.counted, sizeof(float)) : f->side[0].score;
        f->side[s].weight = own ? (double *)soothi_carve(c, f->r.counted, sizeof(double)) : f->side[0].weight;
    }
}

/* Checks that folds are below their number, and that no group is in two folds. */
SOOTHI_LOCAL sooth_status soothi_conformal_folds_check(sooth_env *env, const soothi_conformal_folds *f) {
    const soothi_conformal_rows *r = &f->r;
    for (size_t i = 0; i < r->rows; ++i)
        if (soothi_conformal_counts(r, i) && f->in->fold[i] >= f->in->folds)
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z is in fold %u, but there are %z folds", i + 1,
                              f->in->fold[i], f->in->folds);
    for (uint32_t k = 1; r->group && k < r->counted; ++k) { /* the list is sorted by group */
        const uint32_t a = soothi_entry_row(r->list[k - 1]), b = soothi_entry_row(r->list[k]);
        if (r->group[a] == r->group[b] && f->in->fold[a] != f->in->fold[b])
            return sooth_fail(env, SOOTH_BAD_DATA, "group %u is in folds %u and %u, so its rows were seen",
                              r->group[a], f->in->fold[a], f->in->fold[b]);
    }
    return SOOTH_OK;
}

/* Distributes the rows, in the order of their scores, to the folds. */
SOOTHI_LOCAL void soothi_conformal_folds_deal(soothi_conformal_folds *f, soothi_conformal_side *side,
                                              int sides, int *enough) {
    soothi_conformal_rows *r = &f->r;
    side->offset = soothi_conformal_offset_of(r, sides, soothi_conformal_level(r), enough);
    memset(f->begin, 0, (f->in->folds + 1) * sizeof *f->begin);
    for (uint32_t k = 0; k < r->counted; ++k) ++f->begin[f->in->fold[soothi_entry_row(r->list[k])]];
    soothi_running_sum(f->begin, f->in->folds + 1);
    for (uint32_t k = 0; k < r->counted; ++k) {
        const uint32_t row = soothi_entry_row(r->list[k]), at = f->begin[f->in->fold[row]]++;
        side->score[at] = soothi_key_value(soothi_entry_key(r->list[k]));
        side->weight[at] = r->share[row];
    }
    for (size_t k = f->in->folds; k > 0; --k) f->begin[k] = f->begin[k - 1];
    f->begin[0] = 0;
    for (size_t k = 0; k < f->in->folds; ++k)
        for (uint32_t i = f->begin[k] + 1; i < f->begin[k + 1]; ++i) side->weight[i] += side->weight[i - 1];
}

/* The weight of all model[k] + score <= t. */
SOOTHI_LOCAL double soothi_conformal_folds_weight(const soothi_conformal_folds *f,
                                                  const soothi_conformal_side *side, float t) {
    double sum = 0.0;
    for (size_t k = 0; k < f->in->folds; ++k) {
        uint32_t low = f->begin[k], high = f->begin[k + 1];
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (f->model[k] + side->score[middle] <= t) low = middle + 1;
            else high = middle;
        }
        if (low > f->begin[k]) sum += side->weight[low - 1];
    }
    return sum;
}

/* The quantile of model[k] + score. It lies between those of the min and the max model, and is found by
   bisection in the order of floats. */
SOOTHI_LOCAL float soothi_conformal_folds_quantile(const soothi_conformal_folds *f,
                                                   const soothi_conformal_side *side) {
    float least = f->model[0], most = f->model[0];
    for (size_t k = 1; k < f->in->folds; ++k) {
        if (f->model[k] < least) least = f->model[k];
        if (f->model[k] > most) most = f->model[k];
    }
    if (f->r.o.minmax) return most + side->offset;
    uint32_t low = soothi_key(least + side->offset), high = soothi_key(most + side->offset);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (soothi_conformal_folds_weight(f, side, soothi_key_value(middle)) >= f->need) high = middle;
        else low = middle + 1;
    }
    return soothi_key_value(low);
}

/* Computes the interval of one new row from the predictions of all folds. */
SOOTHI_LOCAL void soothi_conformal_folds_row(soothi_conformal_folds *f, const float *predicted, int enough,
                                             float *low, float *high) {
    const uint32_t scale = f->r.o.scale;
    int endless = !enough;
    for (size_t k = 0; k < f->in->folds; ++k) {
        if (!soothi_finite((double)predicted[k])) {
            *low = *high = soothi_missing();
            return;
        }
        endless |= scale == SOOTH_CONFORMAL_LOG && !(predicted[k] > 0.0f);
    }
    if (endless) {
        const float all = soothi_conformal_infinite();
        soothi_conformal_ends(scale, 0.0f, all, 0.0f, all, low, high);
        return;
    }
    float end[2];
    for (int s = 0; s < 2; ++s) {
        for (size_t k = 0; k < f->in->folds; ++k) {
            const float p = scale == SOOTH_CONFORMAL_LOG ? sooth_log(predicted[k]) : predicted[k];
            f->model[k] = s == 0 ? -p : p;
        }
        end[s] = soothi_conformal_folds_quantile(f, &f->side[s]);
    }
    if (f->r.o.tails == SOOTH_CONFORMAL_UPPER) end[0] = soothi_conformal_infinite();
    if (scale == SOOTH_CONFORMAL_LOG) {
        for (int s = 0; s < 2; ++s)
            if (end[s] <= FLT_MAX) end[s] = soothi_conformal_widened(end[s], scale);
        soothi_conformal_ends(scale, 1.0f, end[0], 1.0f, end[1], low, high);
    } else {
        soothi_conformal_ends(scale, 0.0f, end[0], 0.0f, end[1], low, high);
    }
}

/* The level proven by folds for new rows; see sooth_conformal_cross. */
SOOTHI_LOCAL double soothi_conformal_folds_proven(const soothi_conformal_folds *f) {
    const double miss = 1.0 - f->r.o.level, n = (double)f->r.counted, folds = (double)f->in->folds;
    const int singles = f->in->folds == f->r.counted, of_groups = f->r.group != NULL;
    double proven = 1.0 - 2.0 * miss;
    if (f->r.o.minmax) return singles && !of_groups ? f->r.o.level : 0.0;
    if (of_groups && f->in->folds != f->r.groups) return 0.0;
    if (!of_groups && !singles) {
        const double few = 2.0 * (1.0 - 1.0 / folds) / (n / folds + 1.0);
        const double many = (1.0 - folds / n) / (folds + 1.0);
        proven -= few < many ? few : many;
    }
    return proven > 0.0 ? proven : 0.0;
}

SOOTHI_LOCAL sooth_status soothi_conformal_folds_fill(sooth_env *env, soothi_conformal_folds *f,
                                                      int *enough) {
    soothi_carver carver = {NULL, 0};
    const int each = f->r.o.tails == SOOTH_CONFORMAL_EACH;
    sooth_status status = soothi_conformal_folds_check(env, f);
    if (status != SOOTH_OK) return status;
    soothi_conformal_folds_layout(&carver, f);
    f->bytes = carver.used;
    f->memory = carver.memory = (unsigned char *)sooth_alloc(env, f->bytes, 1);
    if (!f->memory) return sooth_no_memory(env, "the scores of folds", f->bytes);
    carver.used = 0;
    soothi_conformal_folds_layout(&carver, f);
    f->need = soothi_conformal_level(&f->r) * (f->r.total + f->r.fresh) * (1.0 - SOOTHI_CONFORMAL_SLACK);
    soothi_conformal_folds_deal(f, &f->side[0], each ? SOOTHI_CONFORMAL_BELOW : soothi_conformal_sides(&f->r),
                                enough);
    f->side[1].offset = f->side[0].offset;
    if (each) soothi_conformal_folds_deal(f, &f->side[1], SOOTHI_CONFORMAL_ABOVE, enough);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_conformal_folds_options(sooth_env *env, const sooth_conformal_left_out *rows,
                                                         const sooth_conformal_options *options) {
    if (rows->folds == 0 || rows->folds > rows->rows)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there are %z folds of %z rows", rows->folds, rows->rows);
    if (options && options->groups == SOOTH_CONFORMAL_WHOLE && rows->group && !options->minmax)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "CV+ does not cover whole groups: set minmax, or groups=equal");
    return soothi_conformal_no_spread(env, options, "CV+");
}

SOOTH_API sooth_status sooth_conformal_cross(sooth_env *env, const sooth_conformal_left_out *rows,
                                             const float *predicted, size_t count,
                                             const sooth_conformal_options *options, float *low, float *high,
                                             sooth_conformal_claim *claim) {
    soothi_conformal_folds f;
    int enough = 1;
    memset(claim, 0, sizeof *claim);
    memset(&f, 0, sizeof f);
    f.in = rows;
    f.r.actual = rows->actual;
    f.r.low = f.r.high = rows->predicted;
    f.r.group = rows->group;
    f.r.weight = rows->weight;
    f.r.rows = rows->rows;
    sooth_status status = soothi_conformal_folds_options(env, rows, options);
    if (status != SOOTH_OK) return status;
    status = soothi_conformal_prepare(env, options, &f.r);
    if (status == SOOTH_OK) status = soothi_conformal_folds_fill(env, &f, &enough);
    if (status == SOOTH_OK) {
        *claim = soothi_conformal_claims(env, &f.r, enough, soothi_conformal_folds_proven(&f));
        for (size_t i = 0; i < count; ++i)
            soothi_conformal_folds_row(&f, predicted + i * rows->folds, enough, &low[i], &high[i]);
    }
    sooth_free(env, f.memory, f.bytes, 1);
    soothi_conformal_done(env, &f.r);
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#ifndef SOOTH_PREDICT_ONLY
#include "conformal/delayed.h"
#endif
