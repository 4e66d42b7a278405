/* adapt.h - predictions for a new program: a model, a few measured launches, and a calibrated interval.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model learned from many programs has errors on a new program that are mostly specific to that program.
 * Its predictions are all too high or too low, their slope is too large, or one region of the launches is
 * off. sooth_adapt_fit learns once how large and how smooth such errors are. It uses a training table whose
 * programs were each predicted by a model without that program. A few measured launches of a new program then
 * correct the model for all launches of the program, with an interval.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/adapt.h"
 *     #include <stdio.h>
 *
 *     int main(void) {              // 8 programs of 6 launches; a model predicts 10 watts a thread
 *         static float x[48], y[48], predicted[48];
 *         static uint32_t program[48];
 *         sooth_table table;
 *         sooth_adapt *adapt;
 *         sooth_adapted at;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (uint32_t i = 0; i < 48; ++i) {
 *             program[i] = i / 6;
 *             x[i] = (float)(1 << i % 6);  // threads
 *             predicted[i] = 10.0f * x[i];
 *             y[i] = predicted[i] * (0.6f + 0.1f * (float)program[i]);  // programs use 0.6 to 1.3 of that
 *         }
 *         table = sooth_table_of(x, y, 48, 1);
 *         table.group = program;
 *         if (sooth_adapt_fit(&env, &table, predicted, NULL, &adapt) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         float memory[1024], four = 4.0f, thirty = 30.0f;  // of at least sooth_adapt_program_size(adapt)
 *         sooth_adapt_program *fresh = sooth_adapt_begin(adapt, memory, sizeof memory);
 *         sooth_adapt_observe(adapt, fresh, &four, 40.0f, 30.0f);  // predicted 40 W, measured 30 W
 *         sooth_adapt_predict(adapt, fresh, &thirty, 300.0f, &at);
 *         printf("%.0f W\n", (double)at.value);                     //> 225 W
 *         printf("%s\n", at.trust ? "unlike any" : "like those");  //> like those
 *         sooth_adapt_free(&env, adapt);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - The intervals cover about the fraction `level` of a new program's launches at every k, whether or not
 *   errors are Gaussian. The new program must relate to those of the table as they relate to each other.
 * - That holds for launches like the revealed ones. `known` is the fraction of the variance that they removed
 *   at a launch. If it falls, the variance rises, and a factor[k] < factor[0] returns towards that of an
 *   unknown program: factor[k] + (factor[0] - factor[k]) (1 - known).
 * - `trust` reports how far the launch lies outside the training data.
 *
 * Method and references
 *
 * For a launch with features x and prediction p, the residual is r = log(actual / p). If not all targets
 * are positive, it is the difference in units of the residuals' spread. Within a program, residuals are a
 * Gaussian process (Rasmussen and Williams 2006, equations 2.25 and 2.26). Each program has its own offset
 * and slope (mixed models; Laird and Ware 1982):
 *
 *     cov(r, r') = offset + slope f f' + signal m(|z - z'|) + noise if both are one launch
 *     m(d) = (1 + sqrt(3) d) e^(-sqrt(3) d)                    (Matern 3/2; gaussian_process/kernel.h)
 *
 * z are the features on a log scale (if none is negative), standardised and divided by the length. f is the
 * standardised logarithm of the prediction. The four variances and the length maximise the likelihood summed
 * over the programs. Each program counts for at most max_rows rows. (sooth_gauss_fit_parameters fits such a
 * process without the slope. The slope lets one launch inform predictions for both small and large ones.)
 * Given measured launches with covariance K (noise included), and a launch with covariances c to them,
 *
 *     mean = c' K^-1 r      variance = offset + slope f^2 + signal + noise - c' K^-1 c
 *     value = p e^mean      low, high = p e^(mean -+ factor[k] sqrt(variance))
 *
 * factor[k] is estimated from the programs of the table, not from the process. Each program is treated as
 * new: k of its launches are revealed, at random and as chosen by sooth_adapt_next, and the rest are
 * predicted. The factor is the `level` quantile of |r - mean| / sqrt(variance). Programs have equal weights,
 * or weights by rows below 8 rows. Half a future program is added above all scores. The plain quantile covers
 * slightly less than the level for few programs. Conformal prediction by groups (Lee, Barber and Willett
 * 2023) adds a whole program and covers more.
 *
 * A model that knows little of new programs is worse than the median of the training targets, the rule m. The
 * residuals of all launches, measured or not, therefore refer to p^w m^(1 - w), or w p + (1 - w) m if they
 * are differences. The share w of the model is the quarter from 0 to 1 with the least squared error of
 * programs left out. Each is compared with the median of the others, and programs count equally. The share is
 * 0 if that gains less than a standard error over the median alone. With a share of 1 the block has version
 * 1, and nothing is drawn. Eighths were tried: they lost 4 % where the model is much better.
 *
 * Measured without any launch (power of a K80, each of 14 programs left out): boosting 24.4 % and the median
 * 21.1 %; drawn to the median 21.2 %. Trees on a K20: 21.4, 23.5 and 20.7 %; on a larger set 19.5, 20.0 and
 * 17.8 %.
 *
 * The influence of wrong measurements is bounded. A launch measured again is one point. Its value is the
 * median of its last five measurements. Its noise is max(noise, s^2) / n, with n at most 5. s is the second
 * largest deviation from the median. Each point is then tested against all others. Let e be the residual
 * minus its prediction from the others, and v the variance of e. A point is doubted if z = |e| / sqrt(v)
 * exceeds c = 3. Its noise is raised so that v becomes v (z / c)^2, which makes its effect fall as 1 / z. The
 * worst point is doubted first, then all are tested again, until half are doubted or all pass. Two launches
 * that agree are trusted again. So is a launch measured three times, because its median leaves out what does
 * not repeat. While the parameters are learned, residuals in the table are clipped to six spreads from their
 * median.
 *
 * Measured (bench task=adapt; published power of GPU kernels, each program left out, 980, 1,797 and 766
 * launches): error in % after 0, 1, 2, 3, 5 chosen launches 16.6 9.8 8.6 8.1 7.7, 16.7 9.6 8.2 7.4 6.2 and
 * 14.5 11.7 9.8 9.3 8.4. An offset alone stays at 11 to 13. Intervals of 90 % cover 90 to 96 %.
 *
 * Cost
 *
 * A block is 100 + 24 bytes per feature + 4 per point of capacity. A program's memory is 16 + 4 capacity
 * (features + capacity + 13) bytes: 2.9 KB for 16 features and 16 points. Predicting with k points takes
 * `features` logarithms, k (features + k / 2) multiply-adds and k exponentials: below a microsecond for 16
 * features and 5 points (bench task=adapt). Observing takes as much, and k^3 / 3 multiply-adds once and for
 * each doubted point. Fitting takes about 200 evaluations of the likelihood, each at most programs x (2
 * max_rows)^3 / 6 multiply-adds, for at most 512 programs. It also takes programs x draws x capacity x 32
 * predictions, for at most 256 programs. More programs would add little.
 */
#if !defined(SOOTH_ADAPT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ADAPT_IMPLEMENTED))
#include "base/order.h"
#include "gaussian_process/kernel.h"
#endif

#ifndef SOOTH_ADAPT_H
#define SOOTH_ADAPT_H

SOOTHI_C_BEGIN

#define SOOTH_ADAPT_VERSION 2      /* 2 if predictions are drawn to a rule, else 1 */
#define SOOTH_ADAPT_MAX_POINTS 32u /* points that a program may remember */
#define SOOTH_ADAPT_REPEATS 5u     /* measurements kept of one launch */

/* ---- the block: how residuals of programs behave ---- */

typedef struct sooth_adapt_feature {
    uint32_t log;      /* 1: log(1 + x), and -log(1 - x) below 0; 0: unchanged */
    float centre;      /* mean of the transformed values */
    float factor;      /* 1 / (standard deviation x length); 0 means constant in training, ignored */
    float least, most; /* in training, transformed */
    float reserved;
} sooth_adapt_feature;

/* The block: this struct, a sooth_adapt_feature for each feature, and factors on the standard deviation after
   0 to capacity launches. Version 2 ends with two more floats: 1 minus the share of the model, and the rule
   on the scale of the residuals. Variances refer to residuals. */
typedef struct sooth_adapt {
    sooth_block head;  /* features: of a row; targets: 1 */
    uint32_t capacity; /* launches that a program's memory holds, 1 to SOOTH_ADAPT_MAX_POINTS */
    uint32_t log;      /* 1: residuals are log(actual / predicted); 0: (actual - predicted) / unit */
    uint32_t programs; /* training programs */
    uint32_t rows;
    uint32_t simulated; /* maximum launches revealed in the simulation; later factors repeat the last */
    float level;        /* fraction of a new program's launches that an interval should cover */
    float unit;         /* of residuals; 1 on the log scale */
    float offset, slope, signal, noise; /* variances */
    float length;                       /* in standard deviations of the features */
    float centre, factor;               /* f = (log predicted - centre) x factor, at most 8 in size */
    float doubt;                        /* c: the residual above which a launch is doubted */
} sooth_adapt;

/* Returns 1 if bytes[0..size) begin with a valid block. Then no function below reads out of bounds. A checked
   one may come from anyone. */
SOOTH_API int sooth_adapt_check(const void *bytes, size_t size);

/* Returns the share of the model in a prediction without any launch, 0 to 1. The rest is the median of the
   training targets, *rule (NULL: not wanted). On the log scale the mean of both is geometric. */
SOOTH_API float sooth_adapt_share(const sooth_adapt *adapt, float *rule);

/* ---- one program ---- */

/* The state of one program, in the caller's memory; arrays follow. It may be copied with memcpy and saved
   with its block. It is not valid for another block. */
typedef struct sooth_adapt_program {
    uint32_t points;   /* launches stored */
    uint32_t doubted;  /* stored launches that contradict the others */
    uint32_t observed; /* measurements in total, up to 2^32 - 1 */
    uint32_t refused;  /* measurements that were not finite, or not positive on the log scale */
} sooth_adapt_program;

/* How far a row lies from the features of the training table. */
typedef enum sooth_model_trust_level {
    SOOTH_MODEL_TRUST_INSIDE = 0, /* inside the range of each feature */
    SOOTH_MODEL_TRUST_EDGE,       /* outside by at most a tenth of a feature's range (of logarithms) */
    SOOTH_MODEL_TRUST_OUTSIDE     /* farther, or missing, or different from a constant feature */
} sooth_model_trust_level;

typedef struct sooth_adapted {
    float value;      /* the answer; equals the prediction if that is NaN, or not positive on the log scale */
    float low, high;  /* NaN in that case */
    uint32_t trust;   /* a sooth_model_trust_level */
    uint32_t feature; /* the feature farthest out, or UINT32_MAX */
    float known;      /* 0 to 1: the fraction of the variance that the revealed launches removed here. Below a
                         half after several launches, this launch is unlike the revealed ones */
} sooth_adapted;

/* The result of an observation. */
typedef enum sooth_adapt_outcome {
    SOOTH_ADAPT_REFUSED = 0, /* nothing changed, except the number of refused measurements */
    SOOTH_ADAPT_TAKEN,
    SOOTH_ADAPT_DOUBTED /* taken, but the program's other launches contradict it, so its weight is small */
} sooth_adapt_outcome;

/* Returns the bytes of a program's memory, which must be aligned like a float. */
SOOTH_API size_t sooth_adapt_program_size(const sooth_adapt *adapt);

/* Begins an unknown program in memory[0..size). The program has the address of memory. Returns NULL if the
   size is too small. */
SOOTH_API sooth_adapt_program *sooth_adapt_begin(const sooth_adapt *adapt, void *memory, size_t size);

/* Adds a measured launch: its row of features, the model's prediction (unadapted), and the actual value. NaN,
   infinities and, on the log scale, values that are not positive are refused. A missing feature counts as the
   training mean, an infinite one as ten ranges away. A launch measured before becomes more certain. A new
   launch beyond the capacity replaces the point that the others predict best. The order of observations has
   no effect beyond rounding, as long as points and repeats fit. */
SOOTH_API sooth_adapt_outcome sooth_adapt_observe(const sooth_adapt *adapt, sooth_adapt_program *program,
                                                  const float *row, float predicted, float actual);

/* Predicts a launch with its interval, adapted to the observations. */
SOOTH_API void sooth_adapt_predict(const sooth_adapt *adapt, const sooth_adapt_program *program,
                                   const float *row, float predicted, sooth_adapted *out);

/* Resets the program to the state after sooth_adapt_begin. */
SOOTH_API void sooth_adapt_forget(const sooth_adapt *adapt, sooth_adapt_program *program);

/* ---- what to measure next ---- */

/* The goal of a measurement. */
typedef enum sooth_adapt_goal {
    SOOTH_ADAPT_VARIANCE = 0, /* to learn about all candidates: sum of the variances removed */
    SOOTH_ADAPT_INFORMATION,  /* like VARIANCE, in logarithms: half the sum of log(variance before / after) */
    SOOTH_ADAPT_IMPROVEMENT   /* to find the minimum: expected improvement on the best known value (Jones,
                                 Schonlau and Welch 1998), on the residuals' scale */
} sooth_adapt_goal;

/* Maximum number of candidates in the first two sums; of more, this many at even distances. */
#define SOOTH_ADAPT_REFERENCES 128u

/* Returns the bytes of scratch for sooth_adapt_next, for any number of candidates; aligned like a float. */
SOOTH_API size_t sooth_adapt_next_scratch_size(const sooth_adapt *adapt);

/* Returns which of the candidates x (rows of `stride` floats), with the model's predictions, to measure next.
   Returns `rows` if all were measured or all predictions are invalid. price holds a number above 0 for each
   row, and divides the gain; NULL means equal prices. A row whose price is not above 0 is left out. The first
   of equals is returned. With VARIANCE and INFORMATION the result depends on where was measured, not on the
   values. To choose several at once, copy the program, observe the adapted value at the first, and call
   again. This takes rows x min(rows, 128) x (features + points) multiply-adds, and as many exponentials by
   rows. IMPROVEMENT takes `rows` predictions. */
SOOTH_API size_t sooth_adapt_next(const sooth_adapt *adapt, const sooth_adapt_program *program,
                                  const float *x, size_t rows, size_t stride, const float *predicted,
                                  const float *price, sooth_adapt_goal goal, void *scratch);

/* Returns the cost of one prediction with a full memory. */
SOOTH_API sooth_cost sooth_adapt_cost(const sooth_adapt *adapt);

/* ---- fitting ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_adapt_options {
    double level;      /* fraction of a new program's launches that intervals cover; 0 means 0.9 */
    double doubt;      /* residual, in standard deviations, above which a launch is doubted; 0 means 3 */
    uint32_t capacity; /* launches that a program's memory holds; 0 means 16 */
    uint32_t scale;    /* of the residuals: a sooth_adapt_scale */
    uint32_t max_rows; /* of a program in the likelihood; 0 means 20 */
    uint32_t draws;    /* random orders in which each program is revealed; 0 means 6 */
    uint32_t seed;     /* of all random draws; nothing else depends on it */
} sooth_adapt_options;

typedef enum sooth_adapt_scale {
    SOOTH_ADAPT_AUTO = 0, /* LOG if all values are positive */
    SOOTH_ADAPT_LOG,
    SOOTH_ADAPT_DIFFERENCE
} sooth_adapt_scale;

/* Learns the distribution of the residuals of programs. The table has one target, and groups that number the
   programs. predicted holds one prediction per row, from a model without the row's program. Rows of weight 0
   are ignored; other weights have no effect. Features may be missing. Returns SOOTH_BAD_DATA if fewer than
   SOOTH_ADAPT_MIN_PROGRAMS programs have two rows or more, if a prediction or target is not finite, or if the
   log scale is required and a value is not positive. *adapt is NULL after a failure. */
SOOTH_API sooth_status sooth_adapt_fit(sooth_env *env, const sooth_table *table, const float *predicted,
                                       const sooth_adapt_options *options, sooth_adapt **adapt);

#define SOOTH_ADAPT_MIN_PROGRAMS 5u

/* Frees a block made by sooth_adapt_fit. NULL is allowed. */
SOOTH_API void sooth_adapt_free(sooth_env *env, sooth_adapt *adapt);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_adapt_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_ADAPT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ADAPT_IMPLEMENTED)
#define SOOTH_ADAPT_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTHI_LOCAL const sooth_adapt_feature *soothi_adapt_features(const sooth_adapt *adapt) {
    return (const sooth_adapt_feature *)(const void *)(adapt + 1);
}

/* The factors on the standard deviation after 0 to capacity launches. */
SOOTHI_LOCAL const float *soothi_adapt_factors(const sooth_adapt *adapt) {
    return (const float *)(const void *)(soothi_adapt_features(adapt) + adapt->head.features);
}

/* ---- checking ---- */

SOOTHI_LOCAL int soothi_adapt_finite(float v) { return v - v <= 0.0f; }

/* Whether least <= v <= most; 0 for NaN. */
SOOTHI_LOCAL int soothi_adapt_within(float v, float least, float most) { return v >= least && v <= most; }

#define SOOTHI_ADAPT_LARGE 1e6f    /* maximum of variances and factors */
#define SOOTHI_ADAPT_TINY 1e-7f    /* noise is larger */
#define SOOTHI_ADAPT_LEAST 2.5e-5f /* minimum of offset: a program may always be off by half a percent */
#define SOOTHI_ADAPT_BELIEVED 3.0f /* measurements from which a launch is not doubted */

SOOTHI_LOCAL int soothi_adapt_law_check(const sooth_adapt *a) {
    return soothi_adapt_within(a->level, 0.01f, 0.9999f) && soothi_adapt_within(a->unit, FLT_MIN, FLT_MAX) &&
           soothi_adapt_within(a->offset, 0.0f, SOOTHI_ADAPT_LARGE) &&
           soothi_adapt_within(a->slope, 0.0f, SOOTHI_ADAPT_LARGE) &&
           soothi_adapt_within(a->signal, 0.0f, SOOTHI_ADAPT_LARGE) &&
           soothi_adapt_within(a->noise, SOOTHI_ADAPT_TINY, SOOTHI_ADAPT_LARGE) &&
           soothi_adapt_within(a->length, 1e-6f, SOOTHI_ADAPT_LARGE) && soothi_adapt_finite(a->centre) &&
           soothi_adapt_within(a->factor, 0.0f, FLT_MAX) &&
           soothi_adapt_within(a->doubt, 1.0f, SOOTHI_ADAPT_LARGE);
}

/* Whether predictions are drawn to a rule: then this many floats follow the factors. */
SOOTHI_LOCAL size_t soothi_adapt_draws(const sooth_adapt *a) { return a->head.kind >> 16 == 2 ? 2 : 0; }

/* The difference that the rule makes to a scaled prediction; exactly 0 without a rule. */
SOOTHI_LOCAL float soothi_adapt_drawn(const sooth_adapt *a, float scaled) {
    const float *rule = soothi_adapt_factors(a) + a->capacity + 1;
    return soothi_adapt_draws(a) ? rule[0] * (rule[1] - scaled) : 0.0f;
}

SOOTHI_LOCAL size_t soothi_adapt_words(size_t features, size_t capacity) {
    return soothi_round16(sizeof(sooth_adapt) + features * sizeof(sooth_adapt_feature) +
                          (capacity + 1u) * sizeof(float));
}

SOOTH_API int sooth_adapt_check(const void *bytes, size_t size) {
    const sooth_adapt *a = (const sooth_adapt *)bytes;
    const sooth_adapt_feature *f;
    const float *factor;
    if ((!sooth_block_check(bytes, size, SOOTH_KIND_ADAPT, 1) &&
         !sooth_block_check(bytes, size, SOOTH_KIND_ADAPT, SOOTH_ADAPT_VERSION)) ||
        a->head.doubles_at < sizeof *a || a->head.features == 0 || a->head.targets != 1 || a->log > 1 ||
        a->capacity == 0 || a->capacity > SOOTH_ADAPT_MAX_POINTS || a->simulated > a->capacity ||
        a->head.features > a->head.doubles_at / sizeof *f ||
        a->head.doubles_at != soothi_adapt_words(a->head.features, a->capacity + soothi_adapt_draws(a)) ||
        a->head.size != a->head.doubles_at || !soothi_adapt_law_check(a))
        return 0;
    f = soothi_adapt_features(a);
    for (size_t j = 0; j < a->head.features; ++j)
        if (f[j].log > 1 || !soothi_adapt_finite(f[j].centre) ||
            !soothi_adapt_within(f[j].factor, 0.0f, FLT_MAX) || !soothi_adapt_finite(f[j].least) ||
            !soothi_adapt_finite(f[j].most) || f[j].least > f[j].most)
            return 0;
    factor = soothi_adapt_factors(a);
    for (size_t k = 0; k <= a->capacity; ++k)
        if (!soothi_adapt_within(factor[k], 0.0f, SOOTHI_ADAPT_LARGE)) return 0;
    factor += a->capacity + 1;
    return !soothi_adapt_draws(a) ||
           (soothi_adapt_within(factor[0], 0.0f, 1.0f) && soothi_adapt_finite(factor[1]));
}

SOOTH_API float sooth_adapt_share(const sooth_adapt *adapt, float *rule) {
    const float *at = soothi_adapt_factors(adapt) + adapt->capacity + 1;
    const int draws = soothi_adapt_draws(adapt) > 0;
    if (rule) *rule = !draws ? soothi_missing() : adapt->log ? sooth_exp(at[1]) : at[1] * adapt->unit;
    return draws ? 1.0f - at[0] : 1.0f;
}

/* ---- a program's memory ---- */

/* The arrays of a program: floats after the struct. Features are stored one after the other, each with one
   value per point: z[j * capacity + i]. */
typedef struct soothi_adapt_memory {
    float *z;      /* features x capacity: (transformed - centre) x factor */
    float *f;      /* per point: the standardised prediction */
    float *value;  /* per point: median residual */
    float *base;   /* per point: the prediction, on the residuals' scale */
    float *spare;  /* per point: its noise */
    float *raised; /* per point: noise added if doubted */
    float *count;  /* per point: measurements, at most SOOTH_ADAPT_REPEATS */
    float *turn;   /* per point: index of the next measurement */
    float *last;   /* per point: the last measurements */
    float *alpha;  /* K^-1 r */
    float *root;   /* L by rows of `capacity` floats; its diagonal holds 1 / L_ii */
} soothi_adapt_memory;

SOOTHI_LOCAL soothi_adapt_memory soothi_adapt_arrays(const sooth_adapt *a, const sooth_adapt_program *p) {
    const size_t n = a->capacity;
    soothi_adapt_memory m;
    float *at = (float *)(uintptr_t)(p + 1);
    m.z = at;
    m.f = m.z + a->head.features * n;
    m.value = m.f + n;
    m.base = m.value + n;
    m.spare = m.base + n;
    m.raised = m.spare + n;
    m.count = m.raised + n;
    m.turn = m.count + n;
    m.alpha = m.turn + n;
    m.last = m.alpha + n;
    m.root = m.last + n * SOOTH_ADAPT_REPEATS;
    return m;
}

SOOTH_API size_t sooth_adapt_program_size(const sooth_adapt *adapt) {
    const size_t n = adapt->capacity;
    return sizeof(sooth_adapt_program) +
           n * (adapt->head.features + 8u + SOOTH_ADAPT_REPEATS + n) * sizeof(float);
}

SOOTH_API sooth_adapt_program *sooth_adapt_begin(const sooth_adapt *adapt, void *memory, size_t size) {
    if (size < sooth_adapt_program_size(adapt)) return NULL;
    memset(memory, 0, sooth_adapt_program_size(adapt));
    return (sooth_adapt_program *)memory;
}

SOOTH_API void sooth_adapt_forget(const sooth_adapt *adapt, sooth_adapt_program *program) {
    sooth_adapt_begin(adapt, program, sooth_adapt_program_size(adapt));
}

/* ---- the position of a launch ---- */

/* Whether residuals can be computed from this value. */
SOOTHI_LOCAL int soothi_adapt_usable(const sooth_adapt *a, float v) {
    return soothi_adapt_finite(v) && (!a->log || v > 0.0f);
}

/* A prediction or a measurement, on the scale on which residuals are differences. */
SOOTHI_LOCAL float soothi_adapt_scaled(const sooth_adapt *a, float v) {
    return a->log ? sooth_log(v) : v / a->unit;
}

SOOTHI_LOCAL float soothi_adapt_curve(const sooth_adapt_feature *f, float x) {
    if (!f->log) return x;
    return x < 0.0f ? -sooth_log1p(-x) : sooth_log1p(x);
}

/* The transformed value, standardised and divided by the length, clipped to ten ranges beyond training. */
SOOTHI_LOCAL float soothi_adapt_z(const sooth_adapt_feature *f, float t) {
    const float beyond = 10.0f * (f->most - f->least);
    if (!(f->factor > 0.0f) || !(t <= t)) return 0.0f;
    if (t < f->least - beyond) t = f->least - beyond;
    if (t > f->most + beyond) t = f->most + beyond;
    return (t - f->centre) * f->factor;
}

SOOTHI_LOCAL float soothi_adapt_value(const sooth_adapt_feature *f, float x) {
    return soothi_adapt_z(f, soothi_adapt_curve(f, x));
}

/* The standardised prediction on the residuals' scale. */
SOOTHI_LOCAL float soothi_adapt_f(const sooth_adapt *a, float scaled) {
    const float f = (scaled - a->centre) * a->factor;
    return f > 8.0f ? 8.0f : f < -8.0f ? -8.0f : f;
}

SOOTHI_LOCAL float soothi_adapt_covariance(const sooth_adapt *a, float f, float g, float squared) {
    return a->offset + a->slope * (f * g) +
           a->signal * soothi_gauss_correlation(SOOTH_GAUSS_MATERN32, squared);
}

/* The prior variance of a launch, without noise. */
SOOTHI_LOCAL float soothi_adapt_prior(const sooth_adapt *a, float f) {
    return a->offset + a->slope * (f * f) + a->signal;
}

/* The distance of a transformed value from the training range, in ranges; 0 if inside. */
SOOTHI_LOCAL float soothi_adapt_out(const sooth_adapt_feature *f, float t) {
    const float range = f->most - f->least;
    float out = t < f->least ? f->least - t : t - f->most;
    if (!(t <= t)) return FLT_MAX;
    if (!(out > 0.0f)) return 0.0f;
    out = range > 0.0f ? out / range : FLT_MAX;
    return out < FLT_MAX ? out : FLT_MAX;
}

/* Computes squared distances to the stored points: squared[0..points). z, if not NULL, gets the row's
   features. Returns the distance of the feature farthest out, and its index. */
SOOTHI_LOCAL float soothi_adapt_distances(const sooth_adapt *a, const sooth_adapt_program *p,
                                          const float *row, float *z, float squared[SOOTH_ADAPT_MAX_POINTS],
                                          uint32_t *farthest) {
    const sooth_adapt_feature *feature = soothi_adapt_features(a);
    const float *of = soothi_adapt_arrays(a, p).z;
    float most = 0.0f;
    *farthest = UINT32_MAX;
    for (uint32_t i = 0; i < p->points; ++i) squared[i] = 0.0f;
    for (uint32_t j = 0; j < a->head.features; ++j, of += a->capacity) {
        const float curved = soothi_adapt_curve(&feature[j], row[j]);
        const float t = soothi_adapt_z(&feature[j], curved), out = soothi_adapt_out(&feature[j], curved);
        if (out > most) {
            most = out;
            *farthest = j;
        }
        if (z) z[j] = t;
        for (uint32_t i = 0; i < p->points; ++i) squared[i] += (t - of[i]) * (t - of[i]);
    }
    return most;
}

/* A launch given the points: u = L^-1 c, the mean of its residual, and its variance without noise. */
typedef struct soothi_adapt_seen {
    float f, mean, latent, prior;
    float out;        /* see soothi_adapt_out: of the feature farthest out */
    uint32_t feature; /* the index of that feature */
    uint32_t point;   /* the point of this launch, or UINT32_MAX */
} soothi_adapt_seen;

SOOTHI_LOCAL soothi_adapt_seen soothi_adapt_look(const sooth_adapt *a, const sooth_adapt_program *p,
                                                 const float *row, float scaled, float *z,
                                                 float u[SOOTH_ADAPT_MAX_POINTS]) {
    const soothi_adapt_memory m = soothi_adapt_arrays(a, p);
    soothi_adapt_seen s;
    s.f = soothi_adapt_f(a, scaled);
    s.mean = 0.0f;
    s.latent = s.prior = soothi_adapt_prior(a, s.f);
    s.point = UINT32_MAX;
    s.out = soothi_adapt_distances(a, p, row, z, u, &s.feature);
    for (uint32_t i = 0; i < p->points; ++i) {
        const float *l = m.root + i * a->capacity;
        float c = soothi_adapt_covariance(a, s.f, m.f[i], u[i]);
        if (!(u[i] > 0.0f) && soothi_bits(s.f) == soothi_bits(m.f[i])) s.point = i;
        s.mean += c * m.alpha[i];
        for (uint32_t k = 0; k < i; ++k) c -= l[k] * u[k];
        u[i] = c * l[i];
        s.latent -= u[i] * u[i];
    }
    if (!(s.latent > 0.0f)) s.latent = 0.0f;
    return s;
}

/* ---- the factorisation ---- */

/* Stores the covariances of point i with all others in the upper half of the root. */
SOOTHI_LOCAL void soothi_adapt_relate(const sooth_adapt *a, const sooth_adapt_program *p,
                                      const soothi_adapt_memory *m, uint32_t i) {
    const size_t n = a->capacity;
    for (uint32_t k = 0; k < p->points; ++k) {
        float squared = 0.0f;
        if (k == i) continue;
        for (size_t j = 0; j < a->head.features; ++j) {
            const float apart = m->z[j * n + i] - m->z[j * n + k];
            squared += apart * apart;
        }
        m->root[(k < i ? k * n + i : i * n + k)] = soothi_adapt_covariance(a, m->f[i], m->f[k], squared);
    }
}

/* Computes L with L L' = K, and alpha. raised is added to the noise. If rounding leaves nothing of a point's
   own variance, the whole variance is used. Dividing by less would let errors grow. */
SOOTHI_LOCAL void soothi_adapt_factorise(const sooth_adapt *a, const sooth_adapt_program *p,
                                         const soothi_adapt_memory *m,
                                         const float raised[SOOTH_ADAPT_MAX_POINTS]) {
    const size_t n = a->capacity, points = p->points;
    for (size_t i = 0; i < points; ++i) {
        const float whole = soothi_adapt_prior(a, m->f[i]) + (m->spare[i] + raised[i]);
        float *row = m->root + i * n, rest = whole, r = m->value[i];
        for (size_t k = 0; k < i; ++k) {
            const float *of = m->root + k * n;
            float sum = of[i];
            for (size_t j = 0; j < k; ++j) sum -= row[j] * of[j];
            row[k] = sum * of[k];
            rest -= row[k] * row[k];
            r -= row[k] * m->alpha[k];
        }
        if (!(rest > 1e-6f * whole)) rest = whole;
        row[i] = 1.0f / soothi_sqrt_f(rest);
        m->alpha[i] = r * row[i];
    }
    for (size_t i = points; i-- > 0;) {
        float sum = m->alpha[i];
        for (size_t k = i + 1; k < points; ++k) sum -= m->root[k * n + i] * m->alpha[k];
        m->alpha[i] = sum * m->root[i * n + i];
    }
}

/* The variance of point i, noise included, given all others: 1 / (K^-1)_ii. */
SOOTHI_LOCAL float soothi_adapt_left_out(const sooth_adapt *a, const sooth_adapt_program *p,
                                         const soothi_adapt_memory *m, uint32_t i) {
    float w[SOOTH_ADAPT_MAX_POINTS], sum = 0.0f;
    for (uint32_t k = i; k < p->points; ++k) {
        const float *l = m->root + k * a->capacity;
        float c = k == i ? 1.0f : 0.0f;
        for (uint32_t j = i; j < k; ++j) c -= l[j] * w[j];
        w[k] = c * l[k];
        sum += w[k] * w[k];
    }
    return 1.0f / sum;
}

/* Factorises K. Raises the noise of points that the others contradict, the worst first. */
SOOTHI_LOCAL void soothi_adapt_weigh(const sooth_adapt *a, sooth_adapt_program *p,
                                     const soothi_adapt_memory *m, float raised[SOOTH_ADAPT_MAX_POINTS]) {
    const float bound = a->doubt * a->doubt;
    for (uint32_t i = 0; i < p->points; ++i) raised[i] = 0.0f;
    p->doubted = 0;
    for (;;) {
        float most = bound, of = 0.0f;
        uint32_t worst = UINT32_MAX;
        soothi_adapt_factorise(a, p, m, raised);
        if (2 * p->doubted >= p->points) break;
        for (uint32_t i = 0; i < p->points; ++i) {
            const float v = soothi_adapt_left_out(a, p, m, i), z2 = m->alpha[i] * m->alpha[i] * v;
            if (raised[i] > 0.0f || m->count[i] >= SOOTHI_ADAPT_BELIEVED || !(z2 > most)) continue;
            most = z2;
            of = v;
            worst = i;
        }
        if (worst == UINT32_MAX) break;
        raised[worst] = of * (most / bound - 1.0f);
        ++p->doubted;
    }
    for (uint32_t i = 0; i < p->points; ++i) m->raised[i] = raised[i];
}

/* ---- observing ---- */

/* Adds a measurement to a point and updates its value and noise. */
SOOTHI_LOCAL void soothi_adapt_measure(const sooth_adapt *a, const soothi_adapt_memory *m, uint32_t i,
                                       float residual) {
    float *last = m->last + i * SOOTH_ADAPT_REPEATS, sorted[SOOTH_ADAPT_REPEATS];
    uint32_t n = (uint32_t)m->count[i], turn = (uint32_t)m->turn[i];
    last[turn] = residual;
    m->turn[i] = (float)((turn + 1u) % SOOTH_ADAPT_REPEATS);
    n += n < SOOTH_ADAPT_REPEATS;
    m->count[i] = (float)n;
    memcpy(sorted, last, sizeof sorted);
    m->value[i] = soothi_median_f(sorted, n);
    for (uint32_t k = 0; k < n; ++k) {
        const float apart = last[k] - m->value[i];
        sorted[k] = apart < 0.0f ? -apart : apart;
    }
    soothi_median_f(sorted, n);
    const float s = sorted[n > 1 ? n - 2 : 0], s2 = s * s;
    m->spare[i] = (s2 > a->noise ? s2 : a->noise) / (float)n;
}

/* The point to replace: the one that the others predict best. */
SOOTHI_LOCAL uint32_t soothi_adapt_dispensable(const sooth_adapt *a, const sooth_adapt_program *p,
                                               const soothi_adapt_memory *m) {
    float least = FLT_MAX;
    uint32_t which = 0;
    for (uint32_t i = 0; i < p->points; ++i) {
        const float noise = m->spare[i] + m->raised[i];
        const float tells = soothi_adapt_left_out(a, p, m, i) / noise;
        if (!(tells < least)) continue;
        least = tells;
        which = i;
    }
    return which;
}

SOOTH_API sooth_adapt_outcome sooth_adapt_observe(const sooth_adapt *adapt, sooth_adapt_program *program,
                                                  const float *row, float predicted, float actual) {
    const soothi_adapt_memory m = soothi_adapt_arrays(adapt, program);
    const sooth_adapt_feature *feature = soothi_adapt_features(adapt);
    float work[SOOTH_ADAPT_MAX_POINTS];
    if (!soothi_adapt_usable(adapt, predicted) || !soothi_adapt_usable(adapt, actual)) {
        program->refused += program->refused < UINT32_MAX;
        return SOOTH_ADAPT_REFUSED;
    }
    const float base = soothi_adapt_scaled(adapt, predicted), drawn = soothi_adapt_drawn(adapt, base);
    uint32_t i = soothi_adapt_look(adapt, program, row, base, NULL, work).point;
    program->observed += program->observed < UINT32_MAX;
    if (i == UINT32_MAX) {
        i = program->points < adapt->capacity ? program->points++
                                              : soothi_adapt_dispensable(adapt, program, &m);
        for (size_t j = 0; j < adapt->head.features; ++j)
            m.z[j * adapt->capacity + i] = soothi_adapt_value(&feature[j], row[j]);
        m.f[i] = soothi_adapt_f(adapt, base);
        m.base[i] = base + drawn;
        m.count[i] = m.turn[i] = 0.0f;
        soothi_adapt_relate(adapt, program, &m, i);
    }
    soothi_adapt_measure(adapt, &m, i, soothi_adapt_scaled(adapt, actual) - (base + drawn));
    soothi_adapt_weigh(adapt, program, &m, work);
    return work[i] > 0.0f ? SOOTH_ADAPT_DOUBTED : SOOTH_ADAPT_TAKEN;
}

/* ---- predicting ---- */

/* Converts from the residuals' scale, limited to finite floats. */
SOOTHI_LOCAL float soothi_adapt_moved(const sooth_adapt *a, float predicted, float by) {
    const float v = a->log ? predicted * sooth_exp(by) : predicted + a->unit * by;
    return v > FLT_MAX ? FLT_MAX : v < -FLT_MAX ? -FLT_MAX : v;
}

SOOTH_API void sooth_adapt_predict(const sooth_adapt *adapt, const sooth_adapt_program *program,
                                   const float *row, float predicted, sooth_adapted *out) {
    const int usable = soothi_adapt_usable(adapt, predicted);
    float u[SOOTH_ADAPT_MAX_POINTS];
    const float base = usable ? soothi_adapt_scaled(adapt, predicted) : adapt->centre;
    const soothi_adapt_seen s = soothi_adapt_look(adapt, program, row, base, NULL, u);
    const float mean = s.mean + soothi_adapt_drawn(adapt, base);
    const float known = s.prior > 0.0f ? 1.0f - s.latent / s.prior : 0.0f;
    const float *factors = soothi_adapt_factors(adapt), wider = factors[0] - factors[program->points];
    const float factor = factors[program->points] + (wider > 0.0f ? wider * (1.0f - known) : 0.0f);
    const float half = factor * soothi_sqrt_f(s.latent + adapt->noise);
    out->feature = s.feature;
    out->trust = !usable || s.out > 0.1f ? (uint32_t)SOOTH_MODEL_TRUST_OUTSIDE
                 : s.out > 0.0f          ? (uint32_t)SOOTH_MODEL_TRUST_EDGE
                                         : (uint32_t)SOOTH_MODEL_TRUST_INSIDE;
    out->known = known;
    out->value = usable ? soothi_adapt_moved(adapt, predicted, mean) : predicted;
    out->low = usable ? soothi_adapt_moved(adapt, predicted, mean - half) : soothi_missing();
    out->high = usable ? soothi_adapt_moved(adapt, predicted, mean + half) : soothi_missing();
}

SOOTH_API sooth_cost sooth_adapt_cost(const sooth_adapt *adapt) {
    const uint32_t n = adapt->capacity;
    sooth_cost cost;
    cost.bytes = adapt->head.size;
    cost.comparisons = 2u * adapt->head.features;
    cost.multiply_adds = n * (adapt->head.features + n / 2u + 6u);
    cost.functions = 2u * adapt->head.features + n + 4u;
    return cost;
}

/* ---- what to measure next ---- */

/* Floats of one reference: features, u, f and the latent variance. */
SOOTHI_LOCAL size_t soothi_adapt_reference(const sooth_adapt *a) {
    return a->head.features + a->capacity + 2u;
}

SOOTH_API size_t sooth_adapt_next_scratch_size(const sooth_adapt *adapt) {
    return (SOOTH_ADAPT_REFERENCES + 1u) * soothi_adapt_reference(adapt) * sizeof(float);
}

/* Computes the reference of a row; returns 0 if its prediction is invalid. */
SOOTHI_LOCAL int soothi_adapt_place(const sooth_adapt *a, const sooth_adapt_program *p, const float *row,
                                    float predicted, float *at, soothi_adapt_seen *s) {
    float u[SOOTH_ADAPT_MAX_POINTS];
    const size_t d = a->head.features;
    if (!soothi_adapt_usable(a, predicted)) return 0;
    *s = soothi_adapt_look(a, p, row, soothi_adapt_scaled(a, predicted), at, u);
    memcpy(at + d, u, p->points * sizeof *u);
    at[d + a->capacity] = s->f;
    at[d + a->capacity + 1] = s->latent;
    return 1;
}

/* The covariance of two references, given the points. */
SOOTHI_LOCAL float soothi_adapt_between(const sooth_adapt *a, const sooth_adapt_program *p, const float *v,
                                        const float *w) {
    const size_t d = a->head.features;
    float squared = 0.0f, taken = 0.0f;
    for (size_t j = 0; j < d; ++j) squared += (v[j] - w[j]) * (v[j] - w[j]);
    for (size_t i = d; i < d + p->points; ++i) taken += v[i] * w[i];
    return soothi_adapt_covariance(a, v[d + a->capacity], w[d + a->capacity], squared) - taken;
}

/* The gain of measuring a candidate, over the references. */
SOOTHI_LOCAL float soothi_adapt_gain(const sooth_adapt *a, const sooth_adapt_program *p, const float *at,
                                     const float *reference, size_t references, sooth_adapt_goal goal) {
    const size_t words = soothi_adapt_reference(a);
    const float total = at[words - 1] + a->noise;
    float gain = 0.0f;
    for (size_t i = 0; i < references; ++i) {
        const float *of = reference + i * words, c = soothi_adapt_between(a, p, at, of);
        const float removed = c * c / total, before = of[words - 1] + a->noise;
        float left = 1.0f - removed / before;
        if (left < 1e-6f) left = 1e-6f;
        gain += goal == SOOTH_ADAPT_VARIANCE ? removed : -0.5f * sooth_log(left);
    }
    return gain;
}

/* Phi(-t), t >= 0, as a multiple of the density: Abramowitz and Stegun 26.2.17, absolute error 7.5e-8. If
   little of Phi is left, Laplace's continued fraction 1 / (t + 1 / (t + 2 / (t + 3 / ...))). */
SOOTHI_LOCAL float soothi_adapt_mills(float t) {
    const float k = 1.0f / (1.0f + 0.2316419f * t);
    float rest = t;
    if (t < 1.5f)
        return k * (0.319381530f +
                    k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    for (int term = 16; term > 0; --term) rest = t + (float)term / rest;
    return 1.0f / rest;
}

/* E max(0, best - Y) for a normal Y: s (t Phi(t) + phi(t)), t = (best - mean) / s. */
SOOTHI_LOCAL float soothi_adapt_improvement(float best, float mean, float variance) {
    const float s = soothi_sqrt_f(variance);
    if (!(s > 0.0f)) return best > mean ? best - mean : 0.0f;
    const float t = (best - mean) / s, size = t < 0.0f ? -t : t;
    const float density = 0.398942280f * sooth_exp(-0.5f * t * t);
    const float below = s * density * (1.0f - size * soothi_adapt_mills(size));
    return t > 0.0f ? best - mean + below : below;
}

/* The minimum known value on the residuals' scale: at the points, or predicted if nothing is measured. */
SOOTHI_LOCAL float soothi_adapt_best(const sooth_adapt *a, const sooth_adapt_program *p,
                                     const float *predicted, size_t rows) {
    const soothi_adapt_memory m = soothi_adapt_arrays(a, p);
    float best = FLT_MAX;
    for (uint32_t i = 0; i < p->points; ++i) {
        const float here = m.base[i] + m.value[i] - (m.spare[i] + m.raised[i]) * m.alpha[i];
        if (here < best) best = here;
    }
    for (size_t i = 0; i < rows && p->points == 0; ++i) {
        if (!soothi_adapt_usable(a, predicted[i])) continue;
        const float scaled = soothi_adapt_scaled(a, predicted[i]),
                    value = scaled + soothi_adapt_drawn(a, scaled);
        if (value < best) best = value;
    }
    return best;
}

SOOTH_API size_t sooth_adapt_next(const sooth_adapt *adapt, const sooth_adapt_program *program,
                                  const float *x, size_t rows, size_t stride, const float *predicted,
                                  const float *price, sooth_adapt_goal goal, void *scratch) {
    const size_t words = soothi_adapt_reference(adapt), some = SOOTH_ADAPT_REFERENCES;
    const int least = goal == SOOTH_ADAPT_IMPROVEMENT;
    const float best = least ? soothi_adapt_best(adapt, program, predicted, rows) : 0.0f;
    float *const place = (float *)scratch, *const reference = place + words;
    float most = -1.0f;
    soothi_adapt_seen s;
    size_t references = 0, which = rows;
    for (size_t i = 0; i < (rows < some ? rows : some) && !least; ++i) {
        const size_t row = rows <= some ? i : i * (rows / some) + i * (rows % some) / some;
        references += (size_t)soothi_adapt_place(adapt, program, x + row * stride, predicted[row],
                                                 reference + references * words, &s);
    }
    for (size_t i = 0; i < rows; ++i) {
        float gain;
        if (price && !(price[i] > 0.0f)) continue;
        if (!soothi_adapt_place(adapt, program, x + i * stride, predicted[i], place, &s) ||
            s.point != UINT32_MAX)
            continue;
        if (least) {
            const float base = soothi_adapt_scaled(adapt, predicted[i]);
            gain =
                soothi_adapt_improvement(best, base + (s.mean + soothi_adapt_drawn(adapt, base)), s.latent);
        } else gain = soothi_adapt_gain(adapt, program, place, reference, references, goal);
        if (price) gain /= price[i];
        if (!(gain > most)) continue;
        most = gain;
        which = i;
    }
    return which;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options, memory ---- */

SOOTH_API sooth_option_list sooth_adapt_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_NUMBER(sooth_adapt_options, level, 0.5, 0.99, 0.9,
                      "fraction of a new program's launches that intervals cover"),
        SOOTHI_NUMBER(sooth_adapt_options, doubt, 1.5, 1e6, 3.0,
                      "residual, in standard deviations, above which a measurement is doubted"),
        SOOTHI_COUNT(sooth_adapt_options, capacity, 1, SOOTH_ADAPT_MAX_POINTS, 16,
                     "launches that a program's memory holds"),
        SOOTHI_CHOICE(sooth_adapt_options, scale, "auto|log|difference", "of the residuals"),
        SOOTHI_COUNT(sooth_adapt_options, max_rows, 2, 64, 20, "maximum rows of a program in the likelihood"),
        SOOTHI_COUNT(sooth_adapt_options, draws, 1, 100, 6,
                     "random orders in which each program is revealed"),
        SOOTHI_COUNT(sooth_adapt_options, seed, 0, 4294967295.0, 0, "of all random draws")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API void sooth_adapt_free(sooth_env *env, sooth_adapt *adapt) {
    soothi_block_free(env, adapt ? &adapt->head : NULL);
}

/* ---- fitting ---- */

enum {
    SOOTHI_ADAPT_LAW = 5,         /* offset, slope, signal, noise, length */
    SOOTHI_ADAPT_LIKELY = 512,    /* maximum number of programs in the likelihood */
    SOOTHI_ADAPT_REVEALED = 64,   /* maximum rows of a program in the simulation */
    SOOTHI_ADAPT_ASKED = 32,      /* maximum rows predicted after each reveal */
    SOOTHI_ADAPT_SIMULATED = 256, /* programs in the simulation */
    SOOTHI_ADAPT_SHARES = 4,      /* steps of the share of the model */
    SOOTHI_ADAPT_SPAN = 17        /* maximum numbers of revealed rows that a factor is estimated from */
};

typedef struct soothi_adapt_fit {
    sooth_env *env;
    const sooth_table *table;
    const float *predicted;
    sooth_adapt_options o;
    sooth_adapt *made;
    sooth_adapt_feature *feature;
    size_t rows, programs; /* with weights above 0 */
    size_t step;           /* the likelihood uses every step-th program */
    uint64_t *entry, *spare;
    uint32_t *row;   /* by program, in a random order within each */
    uint32_t *begin; /* programs + 1 */
    float *residual; /* per row of the table */
    float *f;        /* per row of the table: standardised predictions */
    /* of the likelihood */
    float *squared; /* squared distances of each program's pairs of counted rows */
    double *matrix, *r;
    double start[SOOTHI_ADAPT_LAW];
    /* of the simulation: scores for each number of revealed launches */
    uint64_t *score; /* (capacity + 1) x room */
    uint32_t *scores, *count;
    size_t room;
    uint32_t *rows_of; /* per simulated program */
    uint64_t *merged;
    float *x, *p, *scratch;
    void *memory;
} soothi_adapt_fit;

SOOTHI_LOCAL size_t soothi_adapt_rows_of(const soothi_adapt_fit *fit, size_t program) {
    return fit->begin[program + 1] - fit->begin[program];
}

/* The median of the residuals' distances from `from`, or of the residuals. */
SOOTHI_LOCAL float soothi_adapt_middle(const soothi_adapt_fit *fit, int apart, float from) {
    for (size_t i = 0; i < fit->rows; ++i) {
        const float r = fit->residual[fit->row[i]] - from;
        fit->entry[i] = soothi_entry(apart && r < 0.0f ? -r : r, i);
    }
    soothi_entry_sort(fit->entry, fit->spare, fit->rows);
    return soothi_key_value(soothi_entry_key(fit->entry[fit->rows / 2]));
}

SOOTHI_LOCAL size_t soothi_adapt_lay(soothi_adapt_fit *fit, void *memory) {
    const size_t n = fit->table->rows, most = fit->o.max_rows, k = fit->o.capacity + 1u;
    const size_t d = fit->table->cols;
    soothi_carver c = {(unsigned char *)memory, 0};
    fit->entry = (uint64_t *)soothi_carve(&c, n, sizeof *fit->entry);
    fit->spare = (uint64_t *)soothi_carve(&c, n, sizeof *fit->spare);
    fit->row = (uint32_t *)soothi_carve(&c, n, sizeof *fit->row);
    fit->begin = (uint32_t *)soothi_carve(&c, n + 1, sizeof *fit->begin);
    fit->residual = (float *)soothi_carve(&c, n, sizeof *fit->residual);
    fit->f = (float *)soothi_carve(&c, n, sizeof *fit->f);
    fit->squared = (float *)soothi_carve(&c, soothi_product(n, most), sizeof *fit->squared);
    fit->matrix = (double *)soothi_carve(&c, 4 * most * most, sizeof *fit->matrix);
    fit->r = (double *)soothi_carve(&c, 2 * most, sizeof *fit->r);
    fit->score = (uint64_t *)soothi_carve(&c, soothi_product(fit->room, k), sizeof *fit->score);
    fit->merged =
        (uint64_t *)soothi_carve(&c, soothi_product(fit->room, 2 * SOOTHI_ADAPT_SPAN), sizeof *fit->merged);
    fit->rows_of = (uint32_t *)soothi_carve(&c, SOOTHI_ADAPT_SIMULATED, sizeof *fit->rows_of);
    fit->scores = (uint32_t *)soothi_carve(&c, k, sizeof *fit->scores);
    fit->count = (uint32_t *)soothi_carve(&c, SOOTHI_ADAPT_SIMULATED * 2u, sizeof *fit->count);
    fit->x = (float *)soothi_carve(&c, soothi_product(d, SOOTHI_ADAPT_REVEALED), sizeof *fit->x);
    fit->p = (float *)soothi_carve(&c, SOOTHI_ADAPT_REVEALED * 2u, sizeof *fit->p);
    fit->scratch = (float *)soothi_carve(&c, sooth_adapt_next_scratch_size(fit->made), 1);
    fit->memory = soothi_carve(&c, sooth_adapt_program_size(fit->made), 1);
    return c.used;
}

/* Collects the rows of weight above 0 by program, in random order within each. */
SOOTHI_LOCAL sooth_status soothi_adapt_groups(soothi_adapt_fit *fit) {
    const sooth_table *t = fit->table;
    size_t of_two = 0;
    for (size_t i = 0; i < t->rows; ++i)
        if (!t->weight || t->weight[i] > 0.0f) fit->entry[fit->rows++] = (uint64_t)t->group[i] << 32 | i;
    soothi_entry_sort(fit->entry, fit->spare, fit->rows);
    for (size_t i = 0; i < fit->rows; ++i) {
        if (i == 0 || soothi_entry_key(fit->entry[i]) != soothi_entry_key(fit->entry[i - 1]))
            fit->begin[fit->programs++] = (uint32_t)i;
        fit->row[i] = soothi_entry_row(fit->entry[i]);
    }
    fit->begin[fit->programs] = (uint32_t)fit->rows;
    for (size_t g = 0; g < fit->programs; ++g) {
        sooth_rng rng;
        sooth_rng_init(&rng, fit->o.seed, g);
        of_two += soothi_adapt_rows_of(fit, g) > 1;
        sooth_rng_shuffle(&rng, fit->row + fit->begin[g], soothi_adapt_rows_of(fit, g));
    }
    if (of_two >= SOOTH_ADAPT_MIN_PROGRAMS) return SOOTH_OK;
    return sooth_fail(fit->env, SOOTH_BAD_DATA,
                      "%z program%s two rows or more, but adaptation is learned from at least %u", of_two,
                      of_two == 1 ? " has" : "s have", SOOTH_ADAPT_MIN_PROGRAMS);
}

/* Computes the transform, mean, deviation and range of a column. */
SOOTHI_LOCAL void soothi_adapt_fit_feature(const soothi_adapt_fit *fit, size_t j) {
    const sooth_table *t = fit->table;
    sooth_adapt_feature *f = &fit->feature[j];
    double sum = 0.0, squares = 0.0, n = 0.0;
    f->log = 1;
    for (size_t i = 0; i < fit->rows; ++i)
        if (t->x[fit->row[i] * t->stride + j] < 0.0f) f->log = 0;
    for (size_t i = 0; i < fit->rows; ++i) {
        const float v = soothi_adapt_curve(f, t->x[fit->row[i] * t->stride + j]);
        if (!(v <= v)) continue;
        if (!(n > 0.0) || v < f->least) f->least = v;
        if (!(n > 0.0) || v > f->most) f->most = v;
        n += 1.0;
        sum += (double)v;
    }
    if (!(n > 0.0)) return;
    f->centre = (float)(sum / n);
    for (size_t i = 0; i < fit->rows; ++i) {
        const double v = (double)soothi_adapt_curve(f, t->x[fit->row[i] * t->stride + j]) - sum / n;
        if (v <= v) squares += v * v;
    }
    const double deviation = soothi_sqrt(squares / n);
    if (f->most > f->least && deviation > 1e-30) f->factor = (float)(1.0 / deviation);
}

SOOTHI_LOCAL sooth_status soothi_adapt_residuals(soothi_adapt_fit *fit) {
    const sooth_table *t = fit->table;
    sooth_adapt *a = fit->made;
    double sum = 0.0, squares = 0.0;
    const double n = (double)fit->rows;
    size_t odd = SIZE_MAX;
    for (size_t i = fit->rows; i-- > 0;)
        if (!(t->y[fit->row[i]] > 0.0f) || !(fit->predicted[fit->row[i]] > 0.0f)) odd = fit->row[i];
    a->log = fit->o.scale == SOOTH_ADAPT_LOG || (fit->o.scale == SOOTH_ADAPT_AUTO && odd == SIZE_MAX);
    if (a->log && odd != SIZE_MAX)
        return sooth_fail(
            fit->env, SOOTH_BAD_DATA,
            "row %z has the target %g and the prediction %g, but a logarithm needs both above 0", odd + 1,
            (double)t->y[odd], (double)fit->predicted[odd]);
    a->unit = 1.0f;
    for (size_t i = 0; i < fit->rows; ++i) {
        const uint32_t row = fit->row[i];
        fit->residual[row] = a->log ? sooth_log(t->y[row]) - sooth_log(fit->predicted[row])
                                    : 0.0625f * t->y[row] - 0.0625f * fit->predicted[row];
    }
    const float middle = soothi_adapt_middle(fit, 0, 0.0f),
                spread = 1.4826f * soothi_adapt_middle(fit, 1, middle);
    for (size_t i = 0; i < fit->rows; ++i) {
        const double r = (double)fit->residual[fit->row[i]];
        squares += r * r;
    }
    /* at least a twentieth of their size, because half of them may be equal */
    const double least = 0.05 * soothi_sqrt(squares / n);
    double unit = (double)spread > least ? (double)spread : least;
    if (unit > 0.0625 * (double)FLT_MAX) unit = 0.0625 * (double)FLT_MAX;
    if (unit < (double)FLT_MIN) unit = 0.0625;
    if (a->log) unit = 1.0;
    squares = 0.0;
    a->unit = a->log ? 1.0f : (float)(16.0 * unit);
    for (size_t i = 0; i < fit->rows; ++i) {
        const uint32_t row = fit->row[i];
        const float bound = 6.0f * spread, apart = fit->residual[row] - middle;
        float r = fit->residual[row];
        if (spread > 0.0f && apart > bound) r = middle + bound;
        if (spread > 0.0f && apart < -bound) r = middle - bound;
        fit->residual[row] = (float)((double)r / unit);
        fit->f[row] = soothi_adapt_scaled(a, fit->predicted[row]);
        sum += (double)fit->f[row];
    }
    a->centre = (float)(sum / n);
    for (size_t i = 0; i < fit->rows; ++i) {
        const double v = (double)fit->f[fit->row[i]] - sum / n;
        squares += v * v;
    }
    a->factor = squares > 1e-12 * n ? (float)(1.0 / soothi_sqrt(squares / n)) : 0.0f;
    for (size_t i = 0; i < fit->rows; ++i) fit->f[fit->row[i]] = soothi_adapt_f(a, fit->f[fit->row[i]]);
    return SOOTH_OK;
}

/* ---- the share of the model ---- */

/* The median of the scaled targets of the rows of other programs. entry: all rows, sorted by the target. */
SOOTHI_LOCAL double soothi_adapt_rule(const soothi_adapt_fit *fit, size_t without) {
    const sooth_table *t = fit->table;
    size_t n = fit->rows, seen = 0;
    double low = 0.0;
    if (without < fit->programs) n -= soothi_adapt_rows_of(fit, without);
    for (size_t i = 0; i < fit->rows; ++i) {
        const uint32_t row = soothi_entry_row(fit->entry[i]);
        if (without < fit->programs && t->group[row] == t->group[fit->row[fit->begin[without]]]) continue;
        const double y = (double)soothi_adapt_scaled(fit->made, t->y[row]);
        if (seen == (n - 1) / 2) low = y;
        if (seen++ == n / 2) return 0.5 * low + 0.5 * y;
    }
    return low;
}

/* Chooses the share of the model by programs left out, and takes residuals from the mixture. The squared
   error of a program with share w is a + 2 w b + w^2 c, so the gain over the rule is -2 w b - w^2 c. */
SOOTHI_LOCAL void soothi_adapt_shrink(soothi_adapt_fit *fit) {
    const sooth_table *t = fit->table;
    sooth_adapt *a = fit->made;
    float *rule = (float *)(void *)(fit->feature + t->cols) + a->capacity + 1;
    double gain[SOOTHI_ADAPT_SHARES + 1] = {0.0}, squares[SOOTHI_ADAPT_SHARES + 1] = {0.0}, n = 0.0;
    size_t best = 0;
    for (size_t i = 0; i < fit->rows; ++i) fit->entry[i] = soothi_entry(t->y[fit->row[i]], fit->row[i]);
    soothi_entry_sort(fit->entry, fit->spare, fit->rows);
    for (size_t g = 0; g < fit->programs; g += fit->step, n += 1.0) {
        const double r = soothi_adapt_rule(fit, g), rows = (double)soothi_adapt_rows_of(fit, g);
        double b = 0.0, c = 0.0;
        for (size_t i = fit->begin[g]; i < fit->begin[g + 1]; ++i) {
            const uint32_t row = fit->row[i];
            const double s = (double)soothi_adapt_scaled(a, fit->predicted[row]);
            const double y = s + (double)fit->residual[row]; /* clipped */
            b += (r - y) * (s - r) / rows;
            c += (s - r) * (s - r) / rows;
        }
        for (size_t k = 1; k <= SOOTHI_ADAPT_SHARES; ++k) {
            const double w = (double)k / (double)SOOTHI_ADAPT_SHARES, gained = -w * (2.0 * b + w * c);
            gain[k] += gained;
            squares[k] += gained * gained;
        }
    }
    for (size_t k = 1; k <= SOOTHI_ADAPT_SHARES; ++k)
        if (gain[k] >= gain[best]) best = k; /* of equals the share that is nearest to the model */
    const double spread =
        squares[best] - gain[best] * gain[best] / n; /* gain / n > sqrt(spread / (n - 1) / n) */
    if (gain[best] * gain[best] * (n - 1.0) < spread * n) best = 0;
    a->head.kind = (uint32_t)SOOTH_KIND_ADAPT | (best == SOOTHI_ADAPT_SHARES ? 1u : 2u) << 16;
    if (best == SOOTHI_ADAPT_SHARES) return;
    rule[0] = 1.0f - (float)best / (float)SOOTHI_ADAPT_SHARES;
    rule[1] = (float)soothi_adapt_rule(fit, fit->programs);
    for (size_t i = 0; i < fit->rows; ++i) {
        const uint32_t row = fit->row[i];
        fit->residual[row] -= soothi_adapt_drawn(a, soothi_adapt_scaled(a, fit->predicted[row]));
    }
}

/* ---- maximum likelihood of the five parameters ---- */

/* Rows of a program that enter the likelihood, with the total weight of at most max_rows. */
SOOTHI_LOCAL size_t soothi_adapt_counted(const soothi_adapt_fit *fit, size_t program) {
    const size_t n = soothi_adapt_rows_of(fit, program), most = 2u * fit->o.max_rows;
    return n < most ? n : most;
}

/* Computes the squared distances of all pairs in the likelihood once; they do not change. */
SOOTHI_LOCAL void soothi_adapt_pairs(const soothi_adapt_fit *fit) {
    const sooth_table *t = fit->table;
    float *to = fit->squared;
    for (size_t g = 0; g < fit->programs; g += fit->step) {
        const uint32_t *row = fit->row + fit->begin[g];
        for (size_t i = 0; i < soothi_adapt_counted(fit, g); ++i)
            for (size_t k = 0; k < i; ++k, ++to) {
                float sum = 0.0f;
                for (size_t j = 0; j < t->cols; ++j) {
                    const float apart = soothi_adapt_value(&fit->feature[j], t->x[row[i] * t->stride + j]) -
                                        soothi_adapt_value(&fit->feature[j], t->x[row[k] * t->stride + j]);
                    sum += apart * apart;
                }
                *to = sum;
            }
    }
}

/* The negative log likelihood of log parameters q, plus a weak penalty on the distance from the start. */
SOOTHI_LOCAL double soothi_adapt_unlikely(const soothi_adapt_fit *fit, const double q[SOOTHI_ADAPT_LAW]) {
    const double offset = soothi_exp(q[0]), slope = soothi_exp(q[1]), signal = soothi_exp(q[2]);
    const double noise = soothi_exp(q[3]);
    const float shorter = (float)soothi_exp(-2.0 * q[4]);
    const float *squared = fit->squared;
    double sum = 0.0;
    for (size_t g = 0; g < fit->programs; g += fit->step) {
        const size_t n = soothi_adapt_counted(fit, g);
        const uint32_t *row = fit->row + fit->begin[g];
        const double weight = n > fit->o.max_rows ? (double)fit->o.max_rows / (double)n : 1.0;
        double *a = fit->matrix;
        for (size_t i = 0; i < n; ++i) {
            const double f = (double)fit->f[row[i]];
            for (size_t k = 0; k < i; ++k, ++squared)
                a[i * n + k] =
                    offset + slope * f * (double)fit->f[row[k]] +
                    signal * (double)soothi_gauss_correlation(SOOTH_GAUSS_MATERN32, *squared * shorter);
            a[i * n + i] = offset + slope * f * f + signal + noise;
        }
        if (!soothi_cholesky(a, n)) return 1e300;
        for (size_t i = 0; i < n; ++i) {
            double r = (double)fit->residual[row[i]];
            for (size_t k = 0; k < i; ++k) r -= a[i * n + k] * fit->r[k];
            fit->r[i] = r / a[i * n + i];
            sum += weight * (0.5 * fit->r[i] * fit->r[i] + soothi_log(a[i * n + i]));
        }
    }
    for (size_t i = 0; i < SOOTHI_ADAPT_LAW; ++i)
        sum += 0.02 * (q[i] - fit->start[i]) * (q[i] - fit->start[i]);
    return sum;
}

/* Pattern search (Hooke and Jeeves 1961) by coordinates, with steps of 2, 1, 1/2, 1/4, 1/8 in logarithms. */
SOOTHI_LOCAL void soothi_adapt_law(soothi_adapt_fit *fit) {
    double squares = 0.0, active = 0.0, q[SOOTHI_ADAPT_LAW], best;
    sooth_adapt *a = fit->made;
    for (size_t i = 0; i < fit->rows; ++i) {
        const double r = (double)fit->residual[fit->row[i]];
        squares += r * r;
    }
    for (size_t j = 0; j < fit->table->cols; ++j) active += fit->feature[j].factor > 0.0f ? 1.0 : 0.0;
    const double v = squares / (double)fit->rows > 1e-6 ? squares / (double)fit->rows : 1e-6;
    const double share[4] = {0.35, 0.2, 0.5, 0.05};
    for (size_t i = 0; i < 4; ++i) q[i] = fit->start[i] = soothi_log(share[i] * v);
    q[4] = fit->start[4] = soothi_log(0.5 * soothi_sqrt(active > 1.0 ? active : 1.0));
    best = soothi_adapt_unlikely(fit, q);
    for (double step = 2.0; step > 0.1; step *= 0.5) {
        int better = 1;
        for (size_t sweep = 0; sweep < 8 && better; ++sweep) {
            better = 0;
            for (size_t i = 0; i < 2 * SOOTHI_ADAPT_LAW; ++i) {
                const double was = q[i / 2], to = was + (i % 2 ? step : -step),
                             apart = to - fit->start[i / 2];
                if (soothi_abs(apart) > 5.0 || (i / 2 == 3 && apart < -4.0)) continue;
                q[i / 2] = to;
                const double now = soothi_adapt_unlikely(fit, q);
                if (now < best - 1e-9 * soothi_abs(best)) {
                    best = now;
                    better = 1;
                } else q[i / 2] = was;
            }
        }
    }
    a->offset = (float)soothi_exp(q[0]);
    a->slope = (float)soothi_exp(q[1]);
    a->signal = (float)soothi_exp(q[2]);
    a->noise = (float)soothi_exp(q[3]);
    a->length = (float)soothi_exp(q[4]);
    if (a->offset < SOOTHI_ADAPT_LEAST) a->offset = SOOTHI_ADAPT_LEAST;
    if (a->noise < 2.0f * SOOTHI_ADAPT_TINY) a->noise = 2.0f * SOOTHI_ADAPT_TINY;
    for (size_t j = 0; j < fit->table->cols; ++j) fit->feature[j].factor /= a->length;
}

/* ---- the factors: each program of the table treated as new ---- */

/* Reveals one program, with its rows in the order of x, p, y, or if `chosen` in that of sooth_adapt_next.
   Adds scores for each number of rows revealed. */
SOOTHI_LOCAL void soothi_adapt_reveal(soothi_adapt_fit *fit, uint32_t which, size_t n, int chosen) {
    const sooth_adapt *a = fit->made;
    const size_t d = fit->table->cols;
    float *x = fit->x, *p = fit->p, *y = fit->p + SOOTHI_ADAPT_REVEALED, u[SOOTH_ADAPT_MAX_POINTS];
    sooth_adapt_program *program = sooth_adapt_begin(a, fit->memory, sooth_adapt_program_size(a));
    for (size_t k = 0; k <= a->capacity && k < n; ++k) {
        size_t last = n < k + SOOTHI_ADAPT_ASKED ? n : k + SOOTHI_ADAPT_ASKED;
        for (size_t i = k; i < last; ++i) {
            const float base = soothi_adapt_scaled(a, p[i]);
            const soothi_adapt_seen s = soothi_adapt_look(a, program, x + i * d, base, NULL, u);
            const float r = soothi_adapt_scaled(a, y[i]) - base - (s.mean + soothi_adapt_drawn(a, base));
            const float score = (r < 0.0f ? -r : r) / soothi_sqrt_f(s.latent + a->noise);
            fit->score[k * fit->room + fit->scores[k]++] = soothi_entry(score, 2 * which + (chosen != 0));
        }
        if (k == a->capacity || k + 1 == n) break;
        if (chosen) {
            size_t next = sooth_adapt_next(a, program, x + k * d, n - k, d, p + k, NULL, SOOTH_ADAPT_VARIANCE,
                                           fit->scratch);
            next = next < n - k ? k + next : k;
            for (size_t j = 0; j < d; ++j) {
                const float t = x[k * d + j];
                x[k * d + j] = x[next * d + j];
                x[next * d + j] = t;
            }
            const float tp = p[k], ty = y[k];
            p[k] = p[next];
            p[next] = tp;
            y[k] = y[next];
            y[next] = ty;
        }
        sooth_adapt_observe(a, program, x + k * d, p[k], y[k]);
    }
}

/* The weight of a program: an eighth per row, at most 1. */
SOOTHI_LOCAL double soothi_adapt_weight(const soothi_adapt_fit *fit, size_t which) {
    const double rows = (double)fit->rows_of[which];
    return rows < 8.0 ? 0.125 * rows : 1.0;
}

/* Computes the `level` quantile of the scores after k rows, together with those after k - 1 and k + 1 (k / 4
   to either side from 8 on), which differ only by chance. Random and chosen orders have half of a program's
   weight each, and half a future program is added above all. Returns 0 if programs are too few. */
SOOTHI_LOCAL int soothi_adapt_quantile(soothi_adapt_fit *fit, size_t k, float *out) {
    const size_t span = k == 0 ? 0 : k < 8 ? 1 : k / 4, least = k - span;
    const size_t most = k + span < fit->o.capacity ? k + span : fit->o.capacity;
    uint64_t *score = fit->merged, *scratch = fit->merged + SOOTHI_ADAPT_SPAN * fit->room;
    double sum = 0.0, programs = 0.0;
    size_t n = 0, i;
    memset(fit->count, 0, SOOTHI_ADAPT_SIMULATED * 2 * sizeof *fit->count);
    for (size_t at = least > 0 || k == 0 ? least : 1; at <= most; ++at) {
        memcpy(score + n, fit->score + at * fit->room, fit->scores[at] * sizeof *score);
        n += fit->scores[at];
    }
    for (i = 0; i < n; ++i) ++fit->count[soothi_entry_row(score[i])];
    for (i = 0; i < 2 * SOOTHI_ADAPT_SIMULATED; ++i)
        programs += fit->count[i] ? 0.5 * soothi_adapt_weight(fit, i / 2) : 0.0;
    if (programs < 0.25 * (double)SOOTH_ADAPT_MIN_PROGRAMS && k > 0) return 0;
    soothi_entry_sort(score, scratch, n);
    for (i = 0; i + 1 < n; ++i) {
        const uint32_t of = soothi_entry_row(score[i]);
        sum += 0.5 * soothi_adapt_weight(fit, of / 2) / (double)fit->count[of];
        if (sum >= (double)fit->made->level * (programs + 0.5)) break;
    }
    *out = soothi_key_value(soothi_entry_key(score[i]));
    if (*out > SOOTHI_ADAPT_LARGE) *out = SOOTHI_ADAPT_LARGE;
    return 1;
}

SOOTHI_LOCAL sooth_status soothi_adapt_simulate(soothi_adapt_fit *fit) {
    const sooth_table *t = fit->table;
    float *factor = (float *)(void *)(fit->feature + t->cols);
    sooth_rng rng;
    sooth_rng_init(&rng, fit->o.seed, UINT64_MAX);
    for (size_t g = 0, which = 0; g < fit->programs && which < SOOTHI_ADAPT_SIMULATED; ++g) {
        const size_t rows = soothi_adapt_rows_of(fit, g);
        const size_t n = rows < SOOTHI_ADAPT_REVEALED ? rows : (size_t)SOOTHI_ADAPT_REVEALED;
        if (rows < 2) continue;
        fit->rows_of[which] = (uint32_t)rows;
        for (uint32_t draw = 0; draw <= fit->o.draws; ++draw) {
            sooth_rng_shuffle(&rng, fit->row + fit->begin[g], rows);
            for (size_t i = 0; i < n; ++i) {
                const uint32_t row = fit->row[fit->begin[g] + i];
                memcpy(fit->x + i * t->cols, t->x + row * t->stride, t->cols * sizeof(float));
                fit->p[i] = fit->predicted[row];
                fit->p[SOOTHI_ADAPT_REVEALED + i] = t->y[row];
            }
            soothi_adapt_reveal(fit, (uint32_t)which, n, draw == fit->o.draws);
        }
        ++which;
        const sooth_status status = soothi_progress(fit->env, "adapting to programs left out",
                                                    (double)(g + 1) / (double)fit->programs);
        if (status != SOOTH_OK) return status;
    }
    for (size_t k = 0; k <= fit->o.capacity; ++k) {
        if (soothi_adapt_quantile(fit, k, &factor[k])) fit->made->simulated = (uint32_t)k;
        else factor[k] = factor[k - 1];
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_adapt_accept(sooth_env *env, const sooth_table *table,
                                              const float *predicted) {
    const sooth_status status =
        sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING);
    if (status != SOOTH_OK) return status;
    if (table->targets != 1)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z targets, but adaptation supports one",
                          table->targets);
    if (!table->group)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has no groups, but adaptation needs the program of each row");
    for (size_t i = 0; i < table->rows; ++i)
        if (!soothi_finite((double)predicted[i]))
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z has no finite prediction", i + 1);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_adapt_learn(soothi_adapt_fit *fit) {
    sooth_status status = soothi_adapt_groups(fit);
    if (status == SOOTH_OK) status = soothi_adapt_residuals(fit);
    if (status != SOOTH_OK) return status;
    for (size_t j = 0; j < fit->table->cols; ++j) soothi_adapt_fit_feature(fit, j);
    fit->step = (fit->programs + SOOTHI_ADAPT_LIKELY - 1) / SOOTHI_ADAPT_LIKELY;
    soothi_adapt_shrink(fit);
    soothi_adapt_pairs(fit);
    soothi_adapt_law(fit);
    fit->made->programs = (uint32_t)fit->programs;
    fit->made->rows = (uint32_t)fit->rows;
    memset(fit->scores, 0, (fit->o.capacity + 1u) * sizeof *fit->scores);
    return soothi_adapt_simulate(fit);
}

/* Makes a block of version 1, which has no room for a rule. */
SOOTHI_LOCAL sooth_status soothi_adapt_trim(sooth_env *env, sooth_adapt **made) {
    sooth_adapt *was = *made;
    const size_t size = soothi_adapt_words(was->head.features, was->capacity);
    sooth_adapt *is = (sooth_adapt *)soothi_block_new(env, SOOTH_KIND_ADAPT, 1, size, 0, 0);
    if (!is) return sooth_no_memory(env, "the adaptation to programs", size);
    memcpy((unsigned char *)is + sizeof is->head, (unsigned char *)was + sizeof was->head,
           size - sizeof is->head);
    is->head.features = was->head.features;
    is->head.targets = was->head.targets;
    sooth_adapt_free(env, was);
    *made = is;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_adapt_fit(sooth_env *env, const sooth_table *table, const float *predicted,
                                       const sooth_adapt_options *options, sooth_adapt **adapt) {
    sooth_adapt_options o;
    soothi_adapt_fit fit;
    *adapt = NULL;
    sooth_status status = soothi_options_resolve(env, sooth_adapt_options_list(), options, sizeof o, &o);
    if (status == SOOTH_OK) status = soothi_adapt_accept(env, table, predicted);
    if (status != SOOTH_OK) return status;
    const size_t size =
        table->cols <= UINT32_MAX / 64 ? soothi_adapt_words(table->cols, o.capacity + 2u) : SIZE_MAX;
    sooth_adapt *made =
        (sooth_adapt *)soothi_block_new(env, SOOTH_KIND_ADAPT, SOOTH_ADAPT_VERSION, size, 0, 0);
    if (!made) return sooth_no_memory(env, "the adaptation to programs", size);
    made->head.features = (uint32_t)table->cols;
    made->head.targets = 1;
    made->capacity = o.capacity;
    made->level = (float)o.level;
    made->doubt = (float)o.doubt;
    memset(&fit, 0, sizeof fit);
    fit.env = env;
    fit.table = table;
    fit.predicted = predicted;
    fit.o = o;
    fit.made = made;
    fit.feature = (sooth_adapt_feature *)(void *)(made + 1);
    fit.room = SOOTHI_ADAPT_ASKED * (o.draws + 1u);
    fit.room *= table->rows < (size_t)SOOTHI_ADAPT_SIMULATED ? table->rows : (size_t)SOOTHI_ADAPT_SIMULATED;
    const size_t bytes = soothi_adapt_lay(&fit, NULL);
    void *memory = sooth_alloc(env, bytes, 1);
    if (!memory) {
        sooth_adapt_free(env, made);
        return sooth_no_memory(env, "fitting the adaptation", bytes);
    }
    soothi_adapt_lay(&fit, memory);
    status = soothi_adapt_learn(&fit);
    sooth_free(env, memory, bytes, 1);
    if (status == SOOTH_OK && !soothi_adapt_draws(made)) status = soothi_adapt_trim(env, &made);
    if (status == SOOTH_OK) {
        soothi_block_seal(&made->head);
        *adapt = made;
    } else {
        sooth_adapt_free(env, made);
    }
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
