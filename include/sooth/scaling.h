/* scaling.h - predicts time and power for threads and frequency, from a handful of measurements.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A scaling law has few coefficients, so few runs determine it. The model and its prior need no allocation.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/scaling.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float threads[] = {1, 2, 4, 8}, seconds[] = {100, 53.1f, 30.2f, 19.7f}, sixteen = 16;
 *         sooth_table table = sooth_table_of(threads, seconds, 4, 1);
 *         sooth_scaling model;  // the whole model: no allocation, nothing to free
 *         double low, high;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_scaling_fit_into(&env, &table, NULL, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_scaling_interval(&model, &sixteen, 0.95, 1, &low, &high);
 *         printf("%.1f seconds\n", sooth_scaling_predict(&model, &sixteen));  //> 13.8 seconds
 *         printf("between %.1f and %.1f\n", low, high);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Rows are {t}, {t, f} or {t, f, s}. y is a time or a power, above 0. f has any unit, the same as the
 *   machine's. s has any unit in which its mean over the configurations of the machine is 1.
 * - A prior allows fewer runs than coefficients. It is learned from other programs on the machine
 *   (sooth_scaling_fit_prior), or taken from sooth_scaling_prior_usual.
 * - Any number of threads can use a model at once.
 *
 * Method and references
 *
 * t threads, frequency f, lowest frequency f0, g = f / f0, c cores per socket, k = ceil(t / c) active sockets
 * of K, V the voltage at f:
 *
 *     SOOTH_SCALING_AMDAHL         T = b0 + b1 / t                                         Amdahl 1967
 *     SOOTH_SCALING_GUSTAFSON      1 / T = b0 + b1 t   (time per unit of work)             Gustafson 1988
 *     SOOTH_SCALING_USL            T = b0 / t + b1 (1 - 1/t) + b2 (t - 1)                  Gunther 1993
 *     SOOTH_SCALING_USL_KNOWN      USL with b0 = T(1) given: two coefficients
 *     SOOTH_SCALING_POWER_LAW      T = exp(b0) t^b1
 *     SOOTH_SCALING_TIME           T = b0 / g + b1 / (g t)                                 De Sensi, eq. 3
 *     SOOTH_SCALING_TIME_LOG       ln T = b0 + b1 ln t + b2 ln g + b3 (ln t)^2
 *                                       + b4 (k-1) + b5 (k-1)(ck - t)/(c - 1)
 *     SOOTH_SCALING_POWER          P = b0 k V + b1 (K-k) V + b2 V^2 f t                    eq. 7, see below
 *     SOOTH_SCALING_POWER_PRINTED  P = b0 k V + b1 (K-k) V + b2 k V^2 f t                  eq. 7 as printed
 *     SOOTH_SCALING_POWER_SPEED    P = b0 + b1 k + b2 g + b3 k g + b4 V^2 f t + b5 V^2 s   s: work per second
 *
 * Gunther's contention is sigma = b1 / b0, his coherency kappa = b2 / b0.
 *
 * (D. De Sensi: Predicting performance and power consumption of parallel applications, PDP 2016.) Eq. 7 as
 * printed counts each core twice: once in t, which already covers all sockets, and once in k.
 * SOOTH_SCALING_POWER omits the second count. On the author's published measurements its accuracy is 98.1 %
 * instead of 94.5 % from the same 4 runs, and 98.4 instead of 96.3 % fitted to all 312 configurations.
 *
 * Two sockets rarely share work evenly, and a waiting core draws less power than a working one. TIME_LOG's
 * last two terms and POWER_SPEED's last term model this. They need two more coefficients than 4 runs
 * determine, which a prior supplies. Without a table of voltages V = g^(1/5), which is as good as the table
 * on that machine.
 *
 * Cost
 *
 * A model is sizeof(sooth_scaling) bytes and a prior sizeof(sooth_scaling_prior), in the caller's memory.
 * Only sooth_scaling_fit allocates. Fitting n runs with p <= 6 coefficients takes about 2 n p^2 + 4 p^3
 * multiply-adds, around a microsecond. A prediction takes p multiply-adds, one or two logarithms and an
 * exponential, in float.
 */
#if !defined(SOOTH_SCALING_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SCALING_IMPLEMENTED))
#include "base/solve.h"
#endif

#ifndef SOOTH_SCALING_H
#define SOOTH_SCALING_H

SOOTHI_C_BEGIN

#define SOOTH_SCALING_VERSION 1

/* ---- machine and model ---- */

typedef enum sooth_scaling_law {
    SOOTH_SCALING_AMDAHL = 0,
    SOOTH_SCALING_GUSTAFSON,
    SOOTH_SCALING_USL,
    SOOTH_SCALING_USL_KNOWN,
    SOOTH_SCALING_POWER_LAW,
    SOOTH_SCALING_TIME,
    SOOTH_SCALING_TIME_LOG,
    SOOTH_SCALING_POWER,
    SOOTH_SCALING_POWER_PRINTED,
    SOOTH_SCALING_POWER_SPEED,
    SOOTH_SCALING_LAWS
} sooth_scaling_law;

#define SOOTH_SCALING_MAX_TERMS 6u   /* max coefficients of a law */
#define SOOTH_SCALING_MAX_LEVELS 32u /* max frequencies of a machine */

/* All zero means one socket, as many cores as the table has threads, and the frequencies of the table. */
typedef struct sooth_scaling_machine {
    uint32_t cores;   /* per socket */
    uint32_t sockets; /* 0 means 1 */
    uint32_t levels;  /* number of frequencies */
    uint32_t reserved;
    float frequency[SOOTH_SCALING_MAX_LEVELS]; /* ascending */
    float voltage[SOOTH_SCALING_MAX_LEVELS];   /* at each frequency, interpolated between them; all 0 means
                                              unknown */
} sooth_scaling_machine;

/* The block: words, then doubles. */
typedef struct sooth_scaling {
    sooth_block head; /* features: 1, 2 or 3; targets: 1 */
    uint32_t law;     /* a sooth_scaling_law */
    uint32_t terms;   /* coefficients; those from `first` on are fitted */
    uint32_t first;   /* 1 for USL_KNOWN, else 0 */
    uint32_t rows;    /* runs with a weight above 0 */
    /* rows - fitted coefficients not held at 0; 0 with a prior */
    uint32_t freedom;
    /* bit j: coefficient j is held at 0, since it would be negative */
    uint32_t held;
    uint32_t prior;    /* 1: sigma comes from a prior */
    uint32_t relative; /* 1: sigma is relative to the value */
    sooth_scaling_machine machine;
    float b[8]; /* the coefficients, for prediction */
    /* each term is divided by its mean over the machine's configurations */
    float unit[8];
    double coefficient[8];
    double root[8 * 8]; /* covariance = root root', upper triangle, row-major */
    /* standard deviation of a run (relative, of ln y, of y); NaN means unknown */
    double sigma;
    double ends[2]; /* min and max measured thread count */
    /* of the program, the unit of the prior's coefficients; 1 without a prior */
    double level;
} sooth_scaling;

/* Returns 1 if the model is valid. Then no function below reads outside of it. A checked model may come from
   anyone. */
SOOTH_API int sooth_scaling_check(const void *bytes, size_t size);

/* Predict time or power for rows {t}, {t, f} or {t, f, s}, with t >= 1 and f > 0. Thread counts outside of
   the measured ones are extrapolated. */
SOOTH_API float sooth_scaling_predict(const sooth_scaling *model, const float *row);
SOOTH_API void sooth_scaling_predict_many(const sooth_scaling *model, const float *x, size_t rows,
                                          size_t stride, float *out);

/* Returns the cost of a prediction. Comparisons search a voltage, functions are logarithms and exponentials
   (0 to 3 by the law). */
SOOTH_API sooth_cost sooth_scaling_cost(const sooth_scaling *model);

/* ---- fitting ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef enum sooth_scaling_loss {
    SOOTH_SCALING_RELATIVE = 0, /* sum ((y - p) / y)^2: fast and slow runs have equal weight */
    SOOTH_SCALING_ABSOLUTE,     /* sum (y - p)^2: as in De Sensi */
    /* sum (ln y - ln p)^2, by Gauss-Newton; coefficients are then held at 0 or above */
    SOOTH_SCALING_LOG
} sooth_scaling_loss;

/* Prior knowledge about programs: coefficients ~ N(mean, covariance), in units of the program. For linear
   laws the unit is the program's level, which the runs determine. For laws of ln T the first coefficient is
   always unknown. */
typedef struct sooth_scaling_prior {
    uint32_t law;
    uint32_t terms;
    uint32_t programs; /* number of programs it was learned from */
    uint32_t reserved;
    double mean[8];
    double covariance[8 * 8]; /* row-major, 8 per row */
    double noise;             /* standard deviation of a run around the law: of ln y, or relative */
} sooth_scaling_prior;

typedef struct sooth_scaling_options {
    uint32_t law;          /* a sooth_scaling_law */
    uint32_t loss;         /* a sooth_scaling_loss; laws of ln T are always LOG */
    uint32_t non_negative; /* 1: no coefficient below 0 (linear laws) */
    double single;         /* USL_KNOWN: T(1); 0 means the mean of the runs with one thread */
    sooth_scaling_machine machine;
    const sooth_scaling_prior *prior; /* NULL means none */
} sooth_scaling_options;

/* Fits a law to a table: rows of 1, 2 or 3 columns as the law requires, one target above 0, optional weights.
   With a prior, fewer runs than coefficients are enough, and errors are known from the first run on. With
   rows = 0 the result is the prior's mean at level 1. The model is zeroed after a failure. Returns
   SOOTH_BAD_DATA for:
   - fewer runs than coefficients, or runs that do not determine all coefficients;
   - a time of 0 or less, or more threads than the machine has;
   - a law that overflows a float (or, GUSTAFSON, becomes infinite) within the range of the runs. */
SOOTH_API sooth_status sooth_scaling_fit_into(sooth_env *env, const sooth_table *table,
                                              const sooth_scaling_options *options, sooth_scaling *model);

/* Like sooth_scaling_fit_into, in memory of the env. model.h uses this one. */
SOOTH_API sooth_status sooth_scaling_fit(sooth_env *env, const sooth_table *table,
                                         const sooth_scaling_options *options, sooth_scaling **model);
SOOTH_API void sooth_scaling_free(sooth_env *env, sooth_scaling *model);

/* Makes all checks of a fit before it solves for coefficients. */
SOOTH_API sooth_status sooth_scaling_check_options(sooth_env *env, const sooth_table *table,
                                                   const sooth_scaling_options *options);

/* Returns names, ranges and defaults of the options. The machine's frequencies and voltages, and priors, have
   no names. */
SOOTH_API sooth_option_list sooth_scaling_options_list(void);

/* Returns the name of a law ("usl"), as in the options. */
SOOTH_API const char *sooth_scaling_law_name(sooth_scaling_law law);

/* Returns the standard error of a coefficient: NaN if unknown, 0 if the coefficient is held or given. */
SOOTH_API double sooth_scaling_standard_error(const sooth_scaling *model, size_t term);

/* Returns the coefficient as defined in the papers, without the division by the term's mean. */
SOOTH_API double sooth_scaling_coefficient(const sooth_scaling *model, size_t term);

/* Computes the interval of the mean at this row, or with new_run = 1 of a new run there, 0 < level < 1.
   It uses Student's t with the model's degrees of freedom, or the normal distribution with a prior. It is
   symmetric on the scale of the law: around P or around ln T. NaN means unknown. */
SOOTH_API void sooth_scaling_interval(const sooth_scaling *model, const float *row, double level, int new_run,
                                      double *low, double *high);

/* The parameters of Amdahl's law and the universal scalability law. */
typedef struct sooth_scaling_summary {
    double single;      /* T(1) */
    double sigma;       /* contention: the serial fraction (B of eq. 2); negative: superlinear */
    double kappa;       /* coherency; 0 for Amdahl */
    double sigma_error; /* standard errors, by the delta method */
    double kappa_error;
    /* speed-up of infinitely many threads without coherency cost, 1 / sigma; infinite if sigma <= 0 */
    double limit;
    /* threads of minimal time: sqrt((1 - sigma) / kappa); infinite if kappa <= 0 */
    double peak;
    double peak_speedup; /* T(1) / T(peak), or the limit */
    int extrapolated;    /* 1: peak lies outside of the measured thread counts and is less reliable */
} sooth_scaling_summary;

/* For AMDAHL, USL, USL_KNOWN and TIME. Returns SOOTH_BAD_ARGUMENT for other laws. */
SOOTH_API sooth_status sooth_scaling_summarise(sooth_env *env, const sooth_scaling *model,
                                               sooth_scaling_summary *summary);

/* ---- priors ---- */

/* Sets a wide prior for TIME_LOG and POWER_SPEED, for a machine without measured programs. Times fall like
   t^-0.9 and f^-0.95, with deviations 0.25 and 0.2. Power is a quarter each for being on and for each socket,
   and a fifth each for cores and for work, with deviations as large as the values. (From a study of eleven
   programs on two sockets of twelve cores.) Returns SOOTH_BAD_ARGUMENT for other laws. */
SOOTH_API sooth_status sooth_scaling_prior_usual(sooth_env *env, sooth_scaling_law law,
                                                 sooth_scaling_prior *prior);

typedef struct sooth_scaling_prior_options {
    uint32_t max_iter; /* rounds of expectation maximisation; 0 means 20 */
    double strength;   /* weight of the starting prior, in programs; 0 means 2 */
    /* starting prior; NULL means sooth_scaling_prior_usual; required for laws without a usual prior */
    const sooth_scaling_prior *warm_start;
} sooth_scaling_prior_options;

/* Learns what programs have in common. The table is as for sooth_scaling_fit, with group = the program of
   each row, 2 programs or more. The model is hierarchical: program a has coefficients b_a ~ N(mean,
   covariance) and runs y = X b_a + noise. Mean, covariance and noise are found by expectation maximisation
   (Dempster, Laird and Rubin 1977), and shrunk towards the start by `strength` programs. A program may have
   fewer runs than coefficients. O(max_iter x (rows x terms^2 + programs x rows)). */
SOOTH_API sooth_status sooth_scaling_fit_prior(sooth_env *env, const sooth_table *table,
                                               const sooth_scaling_options *options,
                                               const sooth_scaling_prior_options *learn,
                                               sooth_scaling_prior *prior);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SCALING_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SCALING_IMPLEMENTED)
#define SOOTH_SCALING_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the laws ---- */

/* The quantity that a law is linear in: y, ln y, or 1 / y. */
typedef enum soothi_scaling_link {
    SOOTHI_SCALING_IDENTITY,
    SOOTHI_SCALING_LN,
    SOOTHI_SCALING_INVERSE
} soothi_scaling_link;

typedef struct soothi_scaling_shape {
    uint8_t terms, features, link, first;
} soothi_scaling_shape;

SOOTHI_LOCAL soothi_scaling_shape soothi_scaling_of(uint32_t law) {
    static const soothi_scaling_shape shape[SOOTH_SCALING_LAWS] = {
        {2, 1, SOOTHI_SCALING_IDENTITY, 0}, {2, 1, SOOTHI_SCALING_INVERSE, 0},
        {3, 1, SOOTHI_SCALING_IDENTITY, 0}, {3, 1, SOOTHI_SCALING_IDENTITY, 1},
        {2, 1, SOOTHI_SCALING_LN, 0},       {2, 2, SOOTHI_SCALING_IDENTITY, 0},
        {6, 2, SOOTHI_SCALING_LN, 0},       {3, 2, SOOTHI_SCALING_IDENTITY, 0},
        {3, 2, SOOTHI_SCALING_IDENTITY, 0}, {6, 3, SOOTHI_SCALING_IDENTITY, 0}};
    return shape[law];
}

/* Returns ceil(t / c), or 1 if that is not a plausible number. */
SOOTHI_LOCAL uint32_t soothi_scaling_sockets(float t, uint32_t cores) {
    if (!(t > 1.0f) || !(t < 1e9f)) return 1;
    uint32_t k = (uint32_t)(t / (float)cores);
    return (float)k * (float)cores < t ? k + 1u : k;
}

/* Finds f among the levels: between level and level + 1, at fraction `part` of the way. */
SOOTHI_LOCAL float soothi_scaling_level(const sooth_scaling_machine *machine, float f, uint32_t *level) {
    const float *at = machine->frequency;
    uint32_t i = 0;
    *level = 0;
    if (machine->levels < 2 || !(f > at[0])) return 0.0f;
    while (i + 2 < machine->levels && f >= at[i + 1]) ++i;
    *level = i;
    return f < at[i + 1] ? (f - at[i]) / (at[i + 1] - at[i]) : 1.0f;
}

/* Two functions for the type `real`, its exp and its log. The float versions predict, the double versions
   fit. voltage_of: the voltage at frequency f = g f0, from the machine's table or g^(1/5). terms_of: the
   terms of a law at a row, each divided by its unit. The letters are those of the table at the top of this
   file. */
#define SOOTHI_SCALING_TERMS_OF(real, voltage_of, terms_of, exp_of, log_of)                     \
    SOOTHI_LOCAL real voltage_of(const sooth_scaling_machine *m, float f, real g) {             \
        uint32_t at;                                                                            \
        const real part = (real)soothi_scaling_level(m, f, &at);                                \
        if (!(m->voltage[0] > 0.0f)) return exp_of((real)0.2f * log_of(g));                     \
        if (m->levels < 2) return (real)m->voltage[0];                                          \
        return (real)m->voltage[at] + part * ((real)m->voltage[at + 1] - (real)m->voltage[at]); \
    }                                                                                           \
    SOOTHI_LOCAL void terms_of(uint32_t law, const sooth_scaling_machine *m, const float *row,  \
                               const real *unit, real *x) {                                     \
        const int power = law >= SOOTH_SCALING_POWER;                                           \
        const real t = (real)row[0], c = (real)m->cores, one = (real)1;                         \
        real f = one, g = one, k = one, v = one;                                                \
        if (law >= SOOTH_SCALING_TIME) {                                                        \
            f = (real)row[1];                                                                   \
            g = f / (real)m->frequency[0];                                                      \
            k = (real)soothi_scaling_sockets(row[0], m->cores);                                 \
        }                                                                                       \
        if (power) v = voltage_of(m, row[1], g);                                                \
        x[0] = one;                                                                             \
        switch (law) {                                                                          \
        case SOOTH_SCALING_AMDAHL:                                                              \
        case SOOTH_SCALING_TIME:                                                                \
            x[0] = one / g;                                                                     \
            x[1] = one / (g * t);                                                               \
            break;                                                                              \
        case SOOTH_SCALING_GUSTAFSON: x[1] = t; break;                                          \
        case SOOTH_SCALING_USL:                                                                 \
        case SOOTH_SCALING_USL_KNOWN:                                                           \
            x[0] = one / t;                                                                     \
            x[1] = (t - one) / t;                                                               \
            x[2] = t - one;                                                                     \
            break;                                                                              \
        case SOOTH_SCALING_POWER_LAW: x[1] = log_of(t); break;                                  \
        case SOOTH_SCALING_TIME_LOG:                                                            \
            x[1] = log_of(t);                                                                   \
            x[2] = log_of(g);                                                                   \
            x[3] = x[1] * x[1];                                                                 \
            x[4] = k - one;                                                                     \
            x[5] = m->cores > 1 ? (k - one) * (c * k - t) / (c - one) : (real)0;                \
            break;                                                                              \
        case SOOTH_SCALING_POWER_SPEED:                                                         \
            x[1] = k;                                                                           \
            x[2] = g;                                                                           \
            x[3] = k * g;                                                                       \
            x[4] = v * v * f * t;                                                               \
            x[5] = v * v * (real)row[2];                                                        \
            break;                                                                              \
        default: /* POWER, POWER_PRINTED */                                                     \
            x[0] = k * v;                                                                       \
            x[1] = ((real)m->sockets - k) * v;                                                  \
            x[2] = (law == SOOTH_SCALING_POWER ? one : k) * v * v * f * t;                      \
            break;                                                                              \
        }                                                                                       \
        for (uint32_t j = 0; power && j < soothi_scaling_of(law).terms; ++j) x[j] /= unit[j];   \
    }
SOOTHI_SCALING_TERMS_OF(float, soothi_scaling_voltage_f, soothi_scaling_terms_f, soothi_exp_f, soothi_log_f)

SOOTH_API float sooth_scaling_predict(const sooth_scaling *model, const float *row) {
    float x[SOOTH_SCALING_MAX_TERMS], sum = 0.0f;
    soothi_scaling_terms_f(model->law, &model->machine, row, model->unit, x);
    for (uint32_t j = 0; j < model->terms; ++j) sum += model->b[j] * x[j];
    switch (soothi_scaling_of(model->law).link) {
    case SOOTHI_SCALING_LN: return soothi_exp_f(sum);
    case SOOTHI_SCALING_INVERSE: return 1.0f / sum;
    default: return sum;
    }
}

SOOTH_API void sooth_scaling_predict_many(const sooth_scaling *model, const float *x, size_t rows,
                                          size_t stride, float *out) {
    for (size_t i = 0; i < rows; ++i) out[i] = sooth_scaling_predict(model, x + i * stride);
}

SOOTH_API sooth_cost sooth_scaling_cost(const sooth_scaling *model) {
    const int power = model->law >= SOOTH_SCALING_POWER, known = model->machine.voltage[0] > 0.0f;
    sooth_cost cost;
    cost.bytes = sizeof *model;
    cost.comparisons = power && known ? model->machine.levels : 0;
    cost.multiply_adds = 4 * model->terms;
    cost.functions = model->law == SOOTH_SCALING_TIME_LOG    ? 3
                     : model->law == SOOTH_SCALING_POWER_LAW ? 2
                     : power && !known                       ? 2
                                                             : 0;
    return cost;
}

SOOTHI_LOCAL int soothi_scaling_positive(float v) { return v > 0.0f && v - v <= 0.0f; }

/* Returns NULL, or the error in a machine for a law with this many features. */
SOOTHI_LOCAL const char *soothi_scaling_machine_wrong(const sooth_scaling_machine *m, uint32_t features) {
    if (m->levels > SOOTH_SCALING_MAX_LEVELS) return "more than 32 frequencies";
    if (m->cores > 1u << 20 || m->sockets > 1u << 20) return "more than a million cores or sockets";
    if (features > 1 && (m->cores == 0 || m->levels == 0)) return "no cores or no frequencies";
    for (uint32_t i = 0; i < m->levels; ++i) {
        if (!soothi_scaling_positive(m->frequency[i]) || (i && !(m->frequency[i] > m->frequency[i - 1])))
            return "frequencies that are not above 0 and ascending";
        if (m->voltage[0] > 0.0f ? !soothi_scaling_positive(m->voltage[i])
                                 : m->voltage[i] > 0.0f || m->voltage[i] < 0.0f)
            return "voltages that are not above 0";
    }
    return NULL;
}

SOOTH_API int sooth_scaling_check(const void *bytes, size_t size) {
    const sooth_scaling *m = (const sooth_scaling *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SCALING, SOOTH_SCALING_VERSION) ||
        m->head.size != sizeof *m || m->head.bytes_at != sizeof *m || m->law >= SOOTH_SCALING_LAWS)
        return 0;
    soothi_scaling_shape shape = soothi_scaling_of(m->law);
    if (m->terms != shape.terms || m->first != shape.first || m->head.features != shape.features ||
        m->head.targets != 1 || m->head.doubles_at != offsetof(sooth_scaling, coefficient) ||
        soothi_scaling_machine_wrong(&m->machine, shape.features))
        return 0;
    for (uint32_t j = 0; j < m->terms; ++j)
        if (!soothi_scaling_positive(m->unit[j])) return 0;
    return soothi_all_finite(m->b, m->terms);
}

#ifndef SOOTH_PREDICT_ONLY

/* True if the law is linear in ln y. */
SOOTHI_LOCAL int soothi_scaling_in_ln(uint32_t law) {
    return soothi_scaling_of(law).link == SOOTHI_SCALING_LN;
}

SOOTHI_SCALING_TERMS_OF(double, soothi_scaling_voltage, soothi_scaling_terms, soothi_exp, soothi_log)

SOOTH_API const char *sooth_scaling_law_name(sooth_scaling_law law) {
    static const char name[SOOTH_SCALING_LAWS + 1][16] = {
        "amdahl",   "gustafson", "usl",           "usl_known",   "power_law", "time",
        "time_log", "power",     "power_printed", "power_speed", "(no law)"};
    return name[(uint32_t)law < SOOTH_SCALING_LAWS ? (uint32_t)law : (uint32_t)SOOTH_SCALING_LAWS];
}

SOOTHI_LOCAL uint32_t soothi_scaling_law_terms(uint32_t law) {
    return law < SOOTH_SCALING_LAWS ? soothi_scaling_of(law).terms : 0;
}

SOOTHI_LOCAL uint32_t soothi_scaling_law_features(uint32_t law) {
    return law < SOOTH_SCALING_LAWS ? soothi_scaling_of(law).features : 0;
}

SOOTH_API sooth_option_list sooth_scaling_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(
            sooth_scaling_options, law,
            "amdahl|gustafson|usl|usl_known|power_law|time|time_log|power|power_printed|power_speed",
            "law of time or power by threads and frequency"),
        SOOTHI_CHOICE(sooth_scaling_options, loss, "relative|absolute|log", "which errors are squared"),
        SOOTHI_FLAG(sooth_scaling_options, non_negative, "1: no coefficient below 0"),
        SOOTHI_NUMBER(sooth_scaling_options, single, 1e-300, 1e300, 0,
                      "usl_known: time of one thread; 0 means from the runs"),
        {"cores", SOOTH_OPTION_COUNT, offsetof(sooth_scaling_options, machine.cores), 1, 1u << 20, 0, "",
         "cores per socket; 0 means the maximum threads in the table", 0},
        {"sockets", SOOTH_OPTION_COUNT, offsetof(sooth_scaling_options, machine.sockets), 1, 1u << 20, 1, "",
         "number of sockets, filled one after the other", 0}};
    return SOOTHI_OPTIONS(option);
}

SOOTHI_LOCAL size_t soothi_scaling_grid(const sooth_scaling_machine *machine, float *rows, size_t capacity) {
    size_t sockets = machine->sockets ? machine->sockets : 1,
           threads = soothi_product(machine->cores, sockets);
    size_t n = soothi_product(threads, machine->levels);
    for (size_t i = 0; i < n && i < capacity; ++i) {
        rows[2 * i] = (float)(i / machine->levels + 1);
        rows[2 * i + 1] = machine->frequency[i % machine->levels];
    }
    return n;
}

/* Computes the mean of every term over the configurations (s: 1). Each term is a function of t times one of
   f. */
SOOTHI_LOCAL void soothi_scaling_units(uint32_t law, const sooth_scaling_machine *m, double *unit) {
    double c = (double)m->cores, sockets = (double)m->sockets, k = (sockets + 1.0) / 2.0;
    double t = (c * sockets + 1.0) / 2.0, g = 0.0, v = 0.0, vv = 0.0, vvf = 0.0, n = (double)m->levels;
    for (uint32_t j = 0; j < 8; ++j) unit[j] = 1.0;
    if (law < SOOTH_SCALING_POWER) return;
    /* sum over k of k ((k - 1) c + (c + 1) / 2), over K */
    double kt = c * (sockets + 1.0) * (2.0 * sockets + 1.0) / 6.0 - (c - 1.0) / 2.0 * k;
    for (uint32_t j = 0; j < m->levels; ++j) {
        double f = (double)m->frequency[j],
               at = soothi_scaling_voltage(m, m->frequency[j], f / (double)m->frequency[0]);
        g += f / (double)m->frequency[0] / n;
        v += at / n;
        vv += at * at / n;
        vvf += at * at * f / n;
    }
    if (law == SOOTH_SCALING_POWER_SPEED) {
        unit[1] = k;
        unit[2] = g;
        unit[3] = k * g;
        unit[4] = vvf * t;
        unit[5] = vv;
    } else {
        unit[0] = k * v;
        if (m->sockets > 1) unit[1] = (sockets - k) * v;
        unit[2] = vvf * (law == SOOTH_SCALING_POWER ? t : kt);
    }
}

/* ---- least squares of a few coefficients ---- */

/* (ten: laws of scaling/space.h have nine coefficients) */
enum { SOOTHI_SCALING_WIDTH = 10, SOOTHI_SCALING_BLOCK = 8 };

/* The problem min |A b - z|^2 as a triangle, to which rows are added. */
typedef struct soothi_scaling_problem {
    size_t n;      /* columns of A */
    size_t filled; /* rows waiting in the block */
    double triangle[SOOTHI_SCALING_WIDTH * (SOOTHI_SCALING_WIDTH + 1) / 2];
    double block[SOOTHI_SCALING_WIDTH * SOOTHI_SCALING_BLOCK];
} soothi_scaling_problem;

SOOTHI_LOCAL void soothi_scaling_flush(soothi_scaling_problem *p) {
    if (p->filled)
        soothi_triangle_add(p->triangle, p->n + 1, p->block, SOOTHI_SCALING_BLOCK,
                            (p->filled + 3u) & ~(size_t)3u);
    memset(p->block, 0, sizeof p->block);
    p->filled = 0;
}

/* Adds the row w (x, z). */
SOOTHI_LOCAL void soothi_scaling_row(soothi_scaling_problem *p, const double *x, double z, double w) {
    for (size_t j = 0; j < p->n; ++j) p->block[j * SOOTHI_SCALING_BLOCK + p->filled] = x[j] * w;
    p->block[p->n * SOOTHI_SCALING_BLOCK + p->filled] = z * w;
    if (++p->filled == SOOTHI_SCALING_BLOCK) soothi_scaling_flush(p);
}

/* Element i, j of the triangle, i <= j. */
SOOTHI_LOCAL double soothi_scaling_at(const soothi_scaling_problem *p, size_t i, size_t j) {
    return p->triangle[i * (2 * p->n + 3 - i) / 2 + (j - i)];
}

/* Solves the least-squares problem with the coefficients in `held` (one bit each) at 0. Returns the rank.
   *sse is the remaining sum of squares. If root (n x n, `stride` doubles per row) is given, also computes
   (A'A)^-1 = root root', with zeros for held coefficients. */
SOOTHI_LOCAL size_t soothi_scaling_solve(const soothi_scaling_problem *p, uint32_t held, double *b,
                                         double *sse, double *root, size_t stride) {
    double a[SOOTHI_SCALING_WIDTH * SOOTHI_SCALING_WIDTH], length[SOOTHI_SCALING_WIDTH],
        s[SOOTHI_SCALING_WIDTH];
    uint32_t order[SOOTHI_SCALING_WIDTH];
    size_t column[SOOTHI_SCALING_WIDTH], n = p->n, free_terms = 0;
    for (size_t j = 0; j < n; ++j) {
        double squares = 0.0;
        double *to = a + free_terms * n;
        b[j] = 0.0;
        if (held >> j & 1u) continue;
        for (size_t i = 0; i < n; ++i) {
            to[i] = i <= j ? soothi_scaling_at(p, i, j) : 0.0;
            squares += to[i] * to[i];
        }
        length[free_terms] = squares > 0.0 ? soothi_sqrt(squares) : 1.0;
        for (size_t i = 0; i < n; ++i) to[i] /= length[free_terms];
        column[free_terms++] = j;
    }
    if (n == 0) return 0; /* (laws have terms, but the compiler does not know) */
    for (size_t i = 0; i < n; ++i) a[free_terms * n + i] = soothi_scaling_at(p, i, n);
    size_t rank = soothi_pivoted_qr(a, n, free_terms, 1, 0, 1e-6, order);
    *sse = soothi_scaling_at(p, n, n) * soothi_scaling_at(p, n, n);
    for (size_t i = rank; i < n; ++i) *sse += a[free_terms * n + i] * a[free_terms * n + i];
    soothi_back(a, n, rank, a + free_terms * n, s);
    for (size_t j = 0; j < rank; ++j) b[column[order[j]]] = s[j] / length[order[j]];
    if (!root) return rank;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) root[i * stride + j] = 0.0;
    for (size_t k = 0; k < rank; ++k) { /* column k of R^-1 */
        for (size_t i = 0; i < rank; ++i) s[i] = i == k ? 1.0 : 0.0;
        soothi_back(a, n, rank, s, s);
        for (size_t i = 0; i <= k; ++i) root[column[order[i]] * stride + k] = s[i] / length[order[i]];
    }
    return rank;
}

/* Solves with b >= 0, except for the last `either` coefficients. The solution has some coefficients at 0 and
   is the unconstrained solution for the others. So all 2^n <= 512 sets are tried in order, and the first
   usually succeeds. Returns the held ones. */
SOOTHI_LOCAL uint32_t soothi_scaling_non_negative(const soothi_scaling_problem *p, uint32_t held,
                                                  uint32_t either) {
    const size_t n = p->n - either;
    double b[SOOTHI_SCALING_WIDTH], sse, best = 0.0;
    uint32_t found = (1u << n) - 1u;
    int any = 0;
    for (uint32_t mask = held; mask < 1u << n; mask = (mask + 1u) | held) {
        size_t free_terms = either;
        int admissible = 1;
        for (size_t j = 0; j < n; ++j) free_terms += !(mask >> j & 1u);
        if (soothi_scaling_solve(p, mask, b, &sse, NULL, 0) < free_terms) continue;
        for (size_t j = 0; j < n; ++j) admissible &= b[j] >= 0.0;
        if (!admissible || (any && !(sse < best))) continue;
        if (mask == held) return mask;
        any = 1;
        best = sse;
        found = mask;
    }
    return found;
}

/* ---- fitting ---- */

/* Adds a prior as the first rows of a problem: noise W (b - mean) with W'W = covariance^-1. W = U^-1 for
   covariance = U U', U upper. Returns 0 if the covariance is not positive definite. */
SOOTHI_LOCAL int soothi_scaling_begin_prior(soothi_scaling_problem *p, const sooth_scaling_prior *prior) {
    double u[8 * 8], w[8];
    size_t n = prior->terms;
    if (!soothi_upper_root(prior->covariance, u, n, 8, 1e-14)) return 0;
    memset(p, 0, sizeof *p);
    p->n = n;
    for (size_t i = 0; i < n; ++i) { /* row i of U^-1: w U = e_i */
        double *to = p->triangle + i * (2 * n + 3 - i) / 2, z = 0.0;
        for (size_t j = i; j < n; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (size_t k = i; k < j; ++k) sum -= w[k] * u[k * 8 + j];
            w[j] = sum / u[j * 8 + j];
            to[j - i] = w[j] * prior->noise;
            z += w[j] * prior->mean[j];
        }
        to[n - i] = z * prior->noise;
    }
    return 1;
}

/* State of a fit. */
typedef struct soothi_scaling_job {
    const sooth_table *table;
    const sooth_scaling_options *options;
    sooth_scaling *model;
    soothi_scaling_problem prior; /* the problem before the runs are added */
    double unit[8], level;        /* of the terms; of the program */
    const uint32_t *program;      /* the group of the used runs; NULL means all */
    uint32_t loss;                /* current sooth_scaling_loss */
    uint32_t zero;                /* bits of the coefficients that are always 0 */
} soothi_scaling_job;

/* A run as used by the fit. */
typedef struct soothi_scaling_run {
    double x[SOOTH_SCALING_MAX_TERMS];
    double z;      /* link(y) minus the given part */
    double weight; /* square root of the table's */
} soothi_scaling_run;

/* Reads row i. Returns 0 if it is not used. */
SOOTHI_LOCAL int soothi_scaling_read(const soothi_scaling_job *job, size_t i, soothi_scaling_run *run) {
    const sooth_scaling *model = job->model;
    const sooth_table *table = job->table;
    if (job->program && table->group[i] != *job->program) return 0;
    const double w = table->weight ? (double)table->weight[i] : 1.0, y = (double)table->y[i * table->targets];
    const uint32_t link = soothi_scaling_of(model->law).link;
    soothi_scaling_terms(model->law, &model->machine, table->x + i * table->stride, job->unit, run->x);
    run->z = link == SOOTHI_SCALING_LN ? soothi_log(y) : link == SOOTHI_SCALING_INVERSE ? 1.0 / y : y;
    run->weight = soothi_sqrt(w);
    return w > 0.0;
}

SOOTHI_LOCAL double soothi_scaling_sum(const double *b, const double *x, uint32_t terms) {
    double sum = 0.0;
    for (uint32_t j = 0; j < terms; ++j) sum += b[j] * x[j];
    return sum;
}

/* Inserts f into the ascending frequencies of a machine. Returns 0 if they are full. */
SOOTHI_LOCAL int soothi_scaling_enter_level(sooth_scaling_machine *machine, float f) {
    float *at = machine->frequency;
    uint32_t i = 0;
    while (i < machine->levels && at[i] < f) ++i;
    if (i < machine->levels && at[i] <= f) return 1;
    if (machine->levels == SOOTH_SCALING_MAX_LEVELS) return 0;
    for (uint32_t k = machine->levels++; k > i; --k) at[k] = at[k - 1];
    at[i] = f;
    return 1;
}

/* Returns the machine of the options. Cores and frequencies that the law needs and the options omit come from
   the table. */
SOOTHI_LOCAL sooth_status soothi_scaling_find_machine(sooth_env *env, const sooth_scaling_options *options,
                                                      const sooth_table *table,
                                                      sooth_scaling_machine *machine) {
    const soothi_scaling_shape shape = soothi_scaling_of(options->law);
    const int open = shape.features > 1 && !options->machine.levels;
    double most = 0.0;
    *machine = options->machine;
    if (!machine->sockets) machine->sockets = 1;
    for (size_t i = 0; i < table->rows; ++i) {
        const float *row = table->x + i * table->stride;
        if ((double)row[0] > most) most = (double)row[0];
        if (open && row[1] > 0.0f && !soothi_scaling_enter_level(machine, row[1]))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "the table has more than %u frequencies; set those of the machine in the options",
                SOOTH_SCALING_MAX_LEVELS);
    }
    if (shape.features > 1 && !machine->cores && most < 1e6) {
        machine->cores = (uint32_t)(most / (double)machine->sockets);
        if ((double)machine->cores * (double)machine->sockets < most) ++machine->cores;
    }
    const char *wrong = soothi_scaling_machine_wrong(machine, shape.features);
    return wrong ? sooth_fail(env, SOOTH_BAD_ARGUMENT, "the machine has %s", wrong) : SOOTH_OK;
}

/* Checks the numbers of row i. */
SOOTHI_LOCAL sooth_status soothi_scaling_check_row(sooth_env *env, const sooth_scaling_options *options,
                                                   const sooth_table *table, size_t i, double most) {
    static const char name[3][12] = {"", "frequency", "speed"};
    const float *row = table->x + i * table->stride;
    const double y = (double)table->y[i * table->targets];
    if (!(row[0] >= 1.0f))
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has %f threads, but there must be 1 or more", i + 1,
                          (double)row[0]);
    if (most > 0.0 && (double)row[0] > most)
        return sooth_fail(env, SOOTH_BAD_DATA, "row %z has %f threads, but the machine has %g cores", i + 1,
                          (double)row[0], most);
    for (uint32_t j = 1; j < soothi_scaling_of(options->law).features; ++j)
        if (!(row[j] > 0.0f))
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z has the %s %f, but it must be above 0", i + 1,
                              name[j], (double)row[j]);
    if (y > 0.0) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA, "row %z has a %s of %f, but it must be above 0", i + 1,
                      options->law >= SOOTH_SCALING_POWER ? "power" : "time", y);
}

/* Checks options and table, and sets law and machine of a model. */
SOOTHI_LOCAL sooth_status soothi_scaling_begin_model(sooth_env *env, const sooth_table *table,
                                                     const sooth_scaling_options *options,
                                                     sooth_scaling *model) {
    const sooth_scaling_prior *prior = options->prior;
    sooth_status status = sooth_option_check(env, sooth_scaling_options_list(), options);
    memset(model, 0, sizeof *model);
    if (status != SOOTH_OK) return status;
    soothi_scaling_shape shape = soothi_scaling_of(options->law);
    if (prior && (prior->law != options->law || prior->terms != shape.terms))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the prior is for %s, but the law is %s",
                          sooth_scaling_law_name((sooth_scaling_law)prior->law),
                          sooth_scaling_law_name((sooth_scaling_law)options->law));
    if (prior && shape.first)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a prior cannot be used with usl_known");
    if (!prior || table->rows > 0) {
        status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
        if (status != SOOTH_OK) return status;
        if (table->targets != 1)
            return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z targets, but a law has one",
                              table->targets);
        if (table->cols != shape.features)
            return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z columns, but %s takes %u: threads%s%s",
                              table->cols, sooth_scaling_law_name((sooth_scaling_law)options->law),
                              (uint32_t)shape.features, shape.features > 1 ? ", frequency" : "",
                              shape.features > 2 ? ", speed" : "");
    }
    status = soothi_scaling_find_machine(env, options, table, &model->machine);
    double most = (double)model->machine.cores * (double)model->machine.sockets;
    for (size_t i = 0; i < table->rows && status == SOOTH_OK; ++i)
        status = soothi_scaling_check_row(env, options, table, i, most);
    model->law = options->law;
    model->terms = shape.terms;
    model->first = shape.first;
    return status;
}

SOOTH_API sooth_status sooth_scaling_check_options(sooth_env *env, const sooth_table *table,
                                                   const sooth_scaling_options *options) {
    sooth_scaling_options defaults;
    sooth_scaling model;
    memset(&defaults, 0, sizeof defaults);
    return soothi_scaling_begin_model(env, table, options ? options : &defaults, &model);
}

/* Returns T(1) for USL_KNOWN, or 0 if unknown. */
SOOTHI_LOCAL double soothi_scaling_single(const sooth_table *table, const sooth_scaling_options *options) {
    double sum = 0.0, weight = 0.0;
    if (options->single > 0.0) return options->single;
    for (size_t i = 0; i < table->rows; ++i) {
        double w = table->weight ? (double)table->weight[i] : 1.0;
        if (table->x[i * table->stride] > 1.0f) continue;
        sum += w * (double)table->y[i * table->targets];
        weight += w;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

/* Returns the level of a program under a linear prior: the mean of its runs divided by the prior's mean
   prediction. 1 for laws of ln y. */
SOOTHI_LOCAL double soothi_scaling_program_level(const soothi_scaling_job *job,
                                                 const sooth_scaling_prior *prior) {
    soothi_scaling_run run;
    double sum = 0.0, weight = 0.0;
    if (soothi_scaling_in_ln(job->model->law)) return 1.0;
    for (size_t i = 0; i < job->table->rows; ++i) {
        if (!soothi_scaling_read(job, i, &run)) continue;
        double said = soothi_scaling_sum(prior->mean, run.x, job->model->terms);
        if (!(said > 0.0)) continue;
        sum += run.weight * run.weight * run.z / said;
        weight += run.weight * run.weight;
    }
    return weight > 0.0 ? sum / weight : 1.0;
}

/* Adds the runs. previous: coefficients at which ln p is linearised (LOG of a linear law), or NULL. Rows are
   weighted so that sigma has its documented meaning: relative, of ln y, or of y. */
SOOTHI_LOCAL void soothi_scaling_add_runs(soothi_scaling_problem *p, const soothi_scaling_job *job,
                                          const double *previous) {
    const sooth_scaling *model = job->model;
    const int ln = soothi_scaling_in_ln(model->law);
    soothi_scaling_run run;
    for (size_t i = 0; i < job->table->rows; ++i) {
        if (!soothi_scaling_read(job, i, &run)) continue;
        double w = run.weight, z = run.z;
        if (previous) {
            double said = soothi_scaling_sum(previous, run.x, model->terms);
            if (!(said > 0.0)) said = z;
            w /= said;
            z = said * (1.0 + soothi_log(z / said)); /* ln z = ln p + (x b - p) / p */
        } else if (!ln) {
            if (job->loss != SOOTH_SCALING_ABSOLUTE) w *= job->level / z;
            z /= job->level;
        }
        if (model->first) z -= model->coefficient[0] * run.x[0];
        soothi_scaling_row(p, run.x + model->first, z, w);
    }
    soothi_scaling_flush(p);
}

SOOTHI_LOCAL sooth_status soothi_scaling_too_few(sooth_env *env, const sooth_scaling *model,
                                                 const sooth_table *table, size_t rank, size_t wanted) {
    const char *law = sooth_scaling_law_name((sooth_scaling_law)model->law);
    size_t same = 1;
    for (size_t i = 1; i < table->rows; ++i) {
        const float *row = table->x + i * table->stride;
        for (size_t j = 0; j < table->cols; ++j) same &= row[j] >= table->x[j] && row[j] <= table->x[j];
    }
    if (table->rows < wanted)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "there are %z runs, but %s has %z coefficients; measure more, or give a prior",
                          table->rows, law, wanted);
    if (same)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "all %z runs are of the same configuration, but %s has %z coefficients",
                          table->rows, law, wanted);
    return sooth_fail(
        env, SOOTH_BAD_DATA,
        "the runs determine only %z of the %z coefficients of %s; vary threads and frequency more", rank,
        wanted, law);
}

/* Sums (y - p)^2 in the units of sigma at the final coefficients, and records the range of threads. */
SOOTHI_LOCAL double soothi_scaling_residual(const soothi_scaling_job *job) {
    sooth_scaling *model = job->model;
    const int ln = soothi_scaling_in_ln(model->law);
    soothi_scaling_run run;
    double sum = 0.0;
    for (size_t i = 0; i < job->table->rows; ++i) {
        double t = (double)job->table->x[i * job->table->stride];
        if (!soothi_scaling_read(job, i, &run)) continue;
        double error = run.z - soothi_scaling_sum(model->coefficient, run.x, model->terms);
        if (job->loss == SOOTH_SCALING_LOG && !ln && run.z > error)
            error = soothi_log(run.z / (run.z - error));
        if (job->loss == SOOTH_SCALING_RELATIVE) error /= run.z; /* (laws of ln T are LOG) */
        sum += run.weight * run.weight * error * error;
        if (model->rows++ == 0) model->ends[0] = model->ends[1] = t;
        if (t < model->ends[0]) model->ends[0] = t;
        if (t > model->ends[1]) model->ends[1] = t;
    }
    return sum;
}

/* Fits the coefficients in units of the program's level. LOG of a linear law uses Gauss-Newton, up to 50
   steps. All other cases need one step. */
SOOTHI_LOCAL sooth_status soothi_scaling_solve_runs(sooth_env *env, const soothi_scaling_job *job) {
    sooth_scaling *model = job->model;
    soothi_scaling_problem problem;
    const int linear = !soothi_scaling_in_ln(model->law);
    const int bent = linear && job->loss == SOOTH_SCALING_LOG;
    const size_t wanted = job->prior.n - (job->zero ? 1u : 0u);
    double *b = model->coefficient, sse;
    for (uint32_t round = 0; round < 50; ++round) {
        double before[SOOTH_SCALING_MAX_TERMS], change = 0.0, size = 0.0;
        memcpy(before, b, sizeof before);
        problem = job->prior;
        soothi_scaling_add_runs(&problem, job, bent && round ? before : NULL);
        if (round == 0 && !job->options->prior) {
            const size_t rank = soothi_scaling_solve(&problem, job->zero, b + model->first, &sse, NULL, 0);
            if (rank < wanted || job->table->rows < wanted)
                return soothi_scaling_too_few(env, model, job->table, rank, wanted);
        }
        model->held = job->zero;
        if (bent || (linear && job->options->non_negative))
            model->held = soothi_scaling_non_negative(&problem, job->zero, 0);
        soothi_scaling_solve(&problem, model->held, b + model->first, &sse, model->root + 9 * model->first,
                             8);
        for (uint32_t j = 0; j < model->terms; ++j) {
            change += soothi_abs(b[j] - before[j]);
            size += soothi_abs(b[j]);
        }
        if (!bent || !(change > 1e-13 * size)) break;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_scaling_no_float(sooth_env *env, const sooth_scaling *model) {
    uint32_t j = 0;
    while (j + 1 < model->terms && soothi_finite((double)model->b[j])) ++j;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "the runs give coefficient %u the value %G, which overflows a float", j + 1,
                      model->coefficient[j]);
}

/* Rejects a law that overflows a float or is infinite within the ranges of the columns. Tests five values of
   each column. */
SOOTHI_LOCAL sooth_status soothi_scaling_bounded(sooth_env *env, const sooth_table *table,
                                                 const sooth_scaling *model) {
    const size_t cols = model->head.features;
    float least[3] = {0, 0, 0}, most[3] = {0, 0, 0}, row[3], below = 0.0f, above = 0.0f;
    size_t rows = 0, points = 1;
    for (size_t i = 0; table && i < table->rows; ++i) {
        if (table->weight && !(table->weight[i] > 0.0f)) continue;
        for (size_t j = 0; j < cols; ++j) {
            const float v = table->x[i * table->stride + j];
            if (rows == 0 || v < least[j]) least[j] = v;
            if (rows == 0 || v > most[j]) most[j] = v;
        }
        ++rows;
    }
    for (size_t j = 0; j < cols; ++j) points *= 5;
    for (size_t k = 0; rows && k < points; ++k) {
        for (size_t j = 0, rest = k; j < cols; ++j, rest /= 5) {
            const double part = 0.25 * (double)(rest % 5);
            row[j] = (float)((1.0 - part) * (double)least[j] + part * (double)most[j]);
        }
        const float v = sooth_scaling_predict(model, row);
        if (v < 0.0f) below = v;
        else above = v;
        if (soothi_abs((double)v) < 1e38) continue;
        return sooth_fail(env, SOOTH_BAD_DATA, "the law predicts %G for %G threads%s", (double)v,
                          (double)row[0], cols > 1 ? " at one of the frequencies" : "");
    }
    if (below < 0.0f && above > 0.0f && soothi_scaling_of(model->law).link == SOOTHI_SCALING_INVERSE)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the law becomes infinite between %G and %G threads: it predicts from %G to %G",
                          (double)least[0], (double)most[0], (double)above, (double)below);
    return SOOTH_OK;
}

/* Completes the model from coefficients in units of the level: the deviation of a run, the block. */
SOOTHI_LOCAL sooth_status soothi_scaling_finish(sooth_env *env, const soothi_scaling_job *job) {
    sooth_scaling *model = job->model;
    uint32_t fitted = 0;
    model->level = job->level;
    for (uint32_t j = model->first; j < model->terms; ++j) model->coefficient[j] *= job->level;
    for (uint32_t j = 0; j < 8 * 8; ++j) model->root[j] *= job->level;
    model->relative = job->loss != SOOTH_SCALING_ABSOLUTE;
    double sse = soothi_scaling_residual(job);
    for (uint32_t j = 0; j < job->prior.n; ++j) fitted += !(model->held >> j & 1u);
    model->held <<= model->first;
    if (job->options->prior) {
        model->prior = 1;
        model->sigma = job->options->prior->noise;
    } else {
        model->freedom = model->rows > fitted ? model->rows - fitted : 0;
        model->sigma = model->freedom ? soothi_sqrt(sse / (double)model->freedom) : SOOTHI_NAN;
    }
    for (uint32_t j = 0; j < 8; ++j) model->unit[j] = (float)job->unit[j];
    for (uint32_t j = 0; j < model->terms; ++j) model->b[j] = (float)model->coefficient[j];
    if (!soothi_all_finite(model->b, model->terms)) return soothi_scaling_no_float(env, model);
    model->head.magic = SOOTH_BLOCK_MAGIC;
    model->head.kind = SOOTH_KIND_SCALING | SOOTH_SCALING_VERSION << 16;
    model->head.size = model->head.bytes_at = (uint32_t)sizeof *model;
    model->head.doubles_at = (uint32_t)offsetof(sooth_scaling, coefficient);
    model->head.features = soothi_scaling_of(model->law).features;
    model->head.targets = 1;
    soothi_block_seal(&model->head);
    return soothi_scaling_bounded(env, job->table, model);
}

SOOTHI_LOCAL sooth_status soothi_scaling_fit(sooth_env *env, const sooth_table *table,
                                             const sooth_scaling_options *options, sooth_scaling *model) {
    soothi_scaling_job job;
    sooth_status status = soothi_scaling_begin_model(env, table, options, model);
    if (status != SOOTH_OK) return status;
    memset(&job, 0, sizeof job);
    job.table = table;
    job.options = options;
    job.model = model;
    job.level = 1.0;
    job.loss = options->loss;
    if (soothi_scaling_in_ln(model->law)) job.loss = SOOTH_SCALING_LOG;
    else if (options->prior) job.loss = SOOTH_SCALING_RELATIVE;
    soothi_scaling_units(model->law, &model->machine, job.unit);
    if (model->first) {
        model->coefficient[0] = soothi_scaling_single(table, options);
        if (!(model->coefficient[0] > 0.0))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "there is no run with one thread, and the option single is 0");
    }
    /* one socket: no idle socket */
    if ((model->law == SOOTH_SCALING_POWER || model->law == SOOTH_SCALING_POWER_PRINTED) &&
        model->machine.sockets == 1)
        job.zero = 2;
    job.prior.n = model->terms - model->first;
    if (options->prior) {
        if (!soothi_scaling_begin_prior(&job.prior, options->prior))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the covariance of the prior is not positive definite");
        job.level = soothi_scaling_program_level(&job, options->prior);
    }
    status = soothi_scaling_solve_runs(env, &job);
    return status == SOOTH_OK ? soothi_scaling_finish(env, &job) : status;
}

SOOTH_API sooth_status sooth_scaling_fit_into(sooth_env *env, const sooth_table *table,
                                              const sooth_scaling_options *options, sooth_scaling *model) {
    sooth_scaling_options defaults;
    memset(&defaults, 0, sizeof defaults);
    sooth_status status = soothi_scaling_fit(env, table, options ? options : &defaults, model);
    if (status != SOOTH_OK) memset(model, 0, sizeof *model);
    return status;
}

SOOTH_API sooth_status sooth_scaling_fit(sooth_env *env, const sooth_table *table,
                                         const sooth_scaling_options *options, sooth_scaling **model) {
    sooth_scaling made;
    sooth_status status = sooth_scaling_fit_into(env, table, options, &made);
    *model = status == SOOTH_OK ? (sooth_scaling *)sooth_alloc(env, 1, sizeof made) : NULL;
    if (*model) memcpy(*model, &made, sizeof made);
    return status != SOOTH_OK || *model ? status : sooth_no_memory(env, "a law", sizeof made);
}

SOOTH_API void sooth_scaling_free(sooth_env *env, sooth_scaling *model) {
    soothi_block_free(env, model ? &model->head : NULL);
}

SOOTHI_LOCAL void soothi_scaling_terms_at(const sooth_scaling *model, const float *row, double *term) {
    double unit[8];
    soothi_scaling_units(model->law, &model->machine, unit);
    soothi_scaling_terms(model->law, &model->machine, row, unit, term);
}

SOOTH_API double sooth_scaling_coefficient(const sooth_scaling *model, size_t term) {
    double unit[8];
    soothi_scaling_units(model->law, &model->machine, unit);
    return term < model->terms ? model->coefficient[term] / unit[term] : 0.0;
}

SOOTH_API double sooth_scaling_standard_error(const sooth_scaling *model, size_t term) {
    double unit[8], squares = 0.0;
    if (term >= model->terms || term < model->first) return 0.0;
    soothi_scaling_units(model->law, &model->machine, unit);
    for (uint32_t k = 0; k < 8; ++k) squares += model->root[term * 8 + k] * model->root[term * 8 + k];
    return squares > 0.0 ? model->sigma * soothi_sqrt(squares) / unit[term] : 0.0;
}

/* Returns |root' x|^2, the variance of the linear predictor at x over sigma^2. */
SOOTHI_LOCAL double soothi_scaling_leverage(const sooth_scaling *model, const double *x) {
    double squares = 0.0;
    for (uint32_t k = 0; k < 8; ++k) {
        double sum = 0.0;
        for (uint32_t j = 0; j < model->terms; ++j) sum += x[j] * model->root[j * 8 + k];
        squares += sum * sum;
    }
    return squares;
}

/* Returns the linear predictor at a row, and its standard deviation. */
SOOTHI_LOCAL double soothi_scaling_line(const sooth_scaling *model, const float *row, int new_run,
                                        double *deviation) {
    double x[SOOTH_SCALING_MAX_TERMS], own = 1.0;
    soothi_scaling_terms_at(model, row, x);
    double line = soothi_scaling_sum(model->coefficient, x, model->terms);
    double squares = soothi_scaling_leverage(model, x);
    if (model->relative && !soothi_scaling_in_ln(model->law)) own = line * line;
    *deviation = model->sigma * soothi_sqrt(squares + (new_run ? own : 0.0));
    return line;
}

SOOTHI_LOCAL double soothi_scaling_predict_error(const sooth_scaling *model, const float *row, int new_run) {
    double deviation, line = soothi_scaling_line(model, row, new_run, &deviation);
    return soothi_scaling_in_ln(model->law) ? deviation : deviation / soothi_abs(line);
}

SOOTH_API void sooth_scaling_interval(const sooth_scaling *model, const float *row, double level, int new_run,
                                      double *low, double *high) {
    double deviation, line = soothi_scaling_line(model, row, new_run, &deviation);
    double q = model->prior         ? sooth_normal_quantile(0.5 + level / 2.0)
               : model->freedom > 0 ? sooth_t_quantile(0.5 + level / 2.0, (double)model->freedom)
                                    : SOOTHI_NAN;
    double a = line - q * deviation, b = line + q * deviation;
    switch (soothi_scaling_of(model->law).link) {
    case SOOTHI_SCALING_LN:
        *low = soothi_exp(a);
        *high = soothi_exp(b);
        break;
    case SOOTHI_SCALING_INVERSE:
        *low = 1.0 / b;
        *high = a > 0.0 ? 1.0 / a : a <= 0.0 ? SOOTHI_INFINITE : a;
        break;
    default:
        *low = a;
        *high = b;
        break;
    }
}

SOOTH_API sooth_status sooth_scaling_summarise(sooth_env *env, const sooth_scaling *model,
                                               sooth_scaling_summary *summary) {
    const double *b = model->coefficient, *r = model->root;
    int usl = model->law == SOOTH_SCALING_USL || model->law == SOOTH_SCALING_USL_KNOWN;
    memset(summary, 0, sizeof *summary);
    if (!usl && model->law != SOOTH_SCALING_AMDAHL && model->law != SOOTH_SCALING_TIME)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the law is %s, but must be amdahl, usl, usl_known or time",
                          sooth_scaling_law_name((sooth_scaling_law)model->law));
    const double single = summary->single = usl ? b[0] : b[0] + b[1];
    summary->sigma = (usl ? b[1] : b[0]) / single;
    summary->kappa = usl ? b[2] / single : 0.0;
    /* the variance of a ratio u / v: |root' (e_u - ratio e_v)|^2 sigma^2 / v^2; v = b0 (USL), b0 + b1
       (Amdahl) */
    for (uint32_t k = 0; k < 8; ++k) {
        double over = usl ? r[k] : r[k] + r[8 + k], top = usl ? r[8 + k] : r[k];
        double s = top - summary->sigma * over, c = usl ? r[16 + k] - summary->kappa * over : 0.0;
        summary->sigma_error += s * s;
        summary->kappa_error += c * c;
    }
    summary->sigma_error = model->sigma * soothi_sqrt(summary->sigma_error) / single;
    summary->kappa_error = usl ? model->sigma * soothi_sqrt(summary->kappa_error) / single : 0.0;
    summary->limit = summary->sigma > 0.0 ? 1.0 / summary->sigma : SOOTHI_INFINITE;
    summary->peak = SOOTHI_INFINITE;
    summary->peak_speedup = summary->limit;
    if (summary->kappa > 0.0) {
        double t = summary->sigma < 1.0 ? soothi_sqrt((1.0 - summary->sigma) / summary->kappa) : 1.0;
        if (t < 1.0) t = 1.0;
        summary->peak = t;
        summary->peak_speedup = t / (1.0 + summary->sigma * (t - 1.0) + summary->kappa * t * (t - 1.0));
    }
    summary->extrapolated = !(summary->peak <= model->ends[1] && summary->peak >= model->ends[0]);
    return SOOTH_OK;
}

/* ---- priors ---- */

SOOTH_API sooth_status sooth_scaling_prior_usual(sooth_env *env, sooth_scaling_law law,
                                                 sooth_scaling_prior *prior) {
    static const double time_mean[6] = {0, -0.9, -0.95, 0, 0, 0},
                        time_sd[6] = {100, 0.25, 0.2, 0.06, 0.15, 0.2};
    static const double power_mean[6] = {0.25, 0.25, 0.05, 0.05, 0.2, 0.2};
    int time = law == SOOTH_SCALING_TIME_LOG;
    memset(prior, 0, sizeof *prior);
    if (!time && law != SOOTH_SCALING_POWER_SPEED)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the law is %s, but the usual prior is for time_log and power_speed",
                          sooth_scaling_law_name(law));
    prior->law = (uint32_t)law;
    prior->terms = 6;
    prior->noise = time ? 0.03 : 0.01;
    for (uint32_t j = 0; j < 6; ++j) {
        double sd = time ? time_sd[j] : power_mean[j];
        prior->mean[j] = time ? time_mean[j] : power_mean[j];
        prior->covariance[j * 9] = sd * sd;
    }
    return SOOTH_OK;
}

/* Makes one round of expectation maximisation. */
SOOTHI_LOCAL sooth_status soothi_scaling_learn_round(sooth_env *env, soothi_scaling_job *job, double strength,
                                                     const sooth_scaling_prior *start,
                                                     sooth_scaling_prior *prior) {
    const sooth_table *table = job->table;
    const sooth_scaling *model = job->model;
    double mean[8] = {0.0}, second[8 * 8] = {0.0}, errors = 0.0, runs = 0.0;
    uint32_t n = model->terms, programs = 0;
    size_t h;
    for (size_t i = 0; i < table->rows; ++i) {
        soothi_scaling_problem problem;
        sooth_scaling program = *model;
        double b[8], sse;
        for (h = i; h > 0 && table->group[h - 1] != table->group[i]; --h) {}
        if (h > 0) continue; /* handled before */
        if (!soothi_scaling_begin_prior(&problem, prior))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "the programs are too similar: the covariance of their coefficients is singular");
        job->program = &table->group[i];
        job->level = soothi_scaling_program_level(job, prior);
        soothi_scaling_add_runs(&problem, job, NULL);
        soothi_scaling_solve(&problem, 0, b, &sse, program.root, 8);
        for (uint32_t j = 0; j < n; ++j) {
            mean[j] += b[j];
            for (uint32_t k = 0; k < n; ++k) {
                double sum = b[j] * b[k];
                for (uint32_t l = 0; l < n; ++l)
                    sum += prior->noise * prior->noise * program.root[j * 8 + l] * program.root[k * 8 + l];
                second[j * 8 + k] += sum;
            }
        }
        for (h = i; h < table->rows; ++h) { /* E (z - x b)^2 */
            soothi_scaling_run run;
            double w = 1.0;
            if (!soothi_scaling_read(job, h, &run)) continue;
            if (!soothi_scaling_in_ln(model->law)) w = job->level / run.z;
            double error = w * (run.z / job->level - soothi_scaling_sum(b, run.x, n));
            w *= run.weight;
            errors += run.weight * run.weight * error * error +
                      w * w * prior->noise * prior->noise * soothi_scaling_leverage(&program, run.x);
            runs += 1.0;
        }
        ++programs;
    }
    double total = (double)programs + strength;
    for (uint32_t j = 0; j < n; ++j) prior->mean[j] = (mean[j] + strength * start->mean[j]) / total;
    /* sum (b - mean)(b - mean)', with the start as `strength` additional programs */
    for (uint32_t j = 0; j < n; ++j)
        for (uint32_t k = 0; k < n; ++k)
            prior->covariance[j * 8 + k] =
                (second[j * 8 + k] +
                 strength * (start->covariance[j * 8 + k] + start->mean[j] * start->mean[k])) /
                    total -
                prior->mean[j] * prior->mean[k];
    /* the unit of time is not shared between programs */
    if (soothi_scaling_in_ln(model->law)) {
        prior->mean[0] = 0.0;
        for (uint32_t j = 0; j < n; ++j) prior->covariance[j] = prior->covariance[j * 8] = 0.0;
        prior->covariance[0] = start->covariance[0];
    }
    prior->noise = runs > 0.0 ? soothi_sqrt(errors / runs) : prior->noise;
    if (!(prior->noise > 1e-4)) prior->noise = 1e-4;
    prior->programs = programs;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_scaling_fit_prior(sooth_env *env, const sooth_table *table,
                                               const sooth_scaling_options *options,
                                               const sooth_scaling_prior_options *learn,
                                               sooth_scaling_prior *prior) {
    sooth_scaling_prior start;
    sooth_scaling_options plain = *options;
    sooth_scaling model;
    soothi_scaling_job job;
    double strength = learn && learn->strength > 0.0 ? learn->strength : 2.0;
    uint32_t rounds = learn && learn->max_iter ? learn->max_iter : 20;
    sooth_status status = SOOTH_OK;
    memset(prior, 0, sizeof *prior);
    if (learn && learn->warm_start) start = *learn->warm_start;
    else status = sooth_scaling_prior_usual(env, (sooth_scaling_law)options->law, &start);
    if (status != SOOTH_OK) return status;
    if (!table->group)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has no groups, which name the programs");
    plain.prior = &start;
    status = soothi_scaling_begin_model(env, table, &plain, &model);
    if (status == SOOTH_OK && table->rows == 0)
        status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    memset(&job, 0, sizeof job);
    job.table = table;
    job.model = &model;
    job.loss = SOOTH_SCALING_RELATIVE;
    soothi_scaling_units(model.law, &model.machine, job.unit);
    *prior = start;
    for (; rounds && status == SOOTH_OK; --rounds)
        status = soothi_scaling_learn_round(env, &job, strength, &start, prior);
    if (status == SOOTH_OK && prior->programs < 2)
        status = sooth_fail(env, SOOTH_BAD_DATA,
                            "the table has one program, but a prior is learned from two or more");
    /* uncertainty of the mean, from a finite number of programs */
    for (uint32_t j = 0; j < 8 * 8; ++j)
        prior->covariance[j] *= 1.0 + 1.0 / ((double)prior->programs + strength);
    if (status != SOOTH_OK) memset(prior, 0, sizeof *prior);
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_SCALING_SPACE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SCALING_SPACE_IMPLEMENTED))
#include "scaling/curve.h"
#include "scaling/space.h"
#endif
