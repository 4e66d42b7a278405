/* sofnn.h - a self-organising fuzzy neural network: readable rules that grow from data.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Each rule has a centre and a width per input and predicts a plane or a constant near its centre. The
 * network predicts the mean of the rules, weighted by how strongly each rule fires. The number of rules grows
 * with the data, and the rules can be read as text.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/sofnn.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float x[100], y[100];   // loads, and how long a job takes: longer from 60 on
 *         const float at = 80;
 *         sooth_table table = sooth_table_of(x, y, 100, 1);
 *         sooth_env env;
 *         sooth_sofnn *model;
 *         sooth_env_init(&env);
 *         for (int i = 0; i < 100; ++i) {
 *             x[i] = (float)i;
 *             y[i] = i < 60 ? 5 : 5 + 0.5f * (x[i] - 60);
 *         }
 *         if (sooth_sofnn_fit(&env, &table, NULL, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%u rules, %.1f ms\n", model->rules, (double)sooth_sofnn_predict(model, &at));
 *         //> 5 rules, 15.0 ms
 *         sooth_sofnn_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - sofnn/online.h learns one row at a time. sofnn/rules.h writes and reads rules as text.
 * - Predictions are robust to heavy tails (see below). Rows count there by weight. If weights are not counts,
 *   extrapolate=1 may be better.
 *
 * Method and references
 *
 * Rule j (an ellipsoidal basis neuron) has a centre c and a width s per input, and fires by phi_j. Its
 * consequent w_jk predicts output k:
 *
 *     phi_j = exp(-1/2 sum_i ((x_i - c_ij) / s_ij)^2)
 *     w_jk = a_jk0 + sum_i a_jki (x_i - c_ij)   (first order; zero order: a_jk0)
 *     y_k = sum_j phi_j w_jk / sum_j phi_j
 *
 * With order=zero these are equations 1 to 3 of Yao et al. 2021, who do not define how rules grow. Growth
 * follows Leng, McGinnity and Prasad (Fuzzy Sets and Systems 150, 2005). Rules are added where the error is
 * large or no rule covers the row, and widened where coverage alone is insufficient. They are pruned if they
 * hardly matter and merged if they coincide. Differences from both papers:
 *
 *   first order     is the default: a plane per rule instead of a constant
 *   growth=batch    is the default: it uses all rows, in any order; their method uses each row once
 *   log phi_j       is kept instead of phi_j, so dozens of inputs do not underflow; far from all rules the
 *                   closest one (in its own widths) predicts alone, and the coverage shows it
 *   heavy tails     planes are fitted and evaluated in a box: the training range, at most four mean absolute
 *                   deviations from the mean; leave-one-out errors choose how much slopes are shrunk;
 *                   predictions stay within the targets' range and a margin
 *
 * Cost
 *
 * For n inputs, u rules, m outputs, b = 1 + n (zero order: 1), M = u b, N rows:
 *   fit      about 12 (N M^2 / 2 + 40 N M + M^3 / 6) multiply-adds per added rule, fewer on large tables;
 *            growth=one_pass: the effect of a row is tried on all rows so far, about 5 N M (M + n); after 3e8
 *            in total, tries and solutions are limited to 1e5 per row on average. Scratch:
 *            sooth_sofnn_scratch_size
 *   predict  u (2 n + m b) multiply-adds and u exponentials; no allocation, no double; 1 KiB of stack
 *   model    4 u (2 n + m b) + 8 (n + m) + 64 bytes
 */
#if !defined(SOOTH_SOFNN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_IMPLEMENTED))
#include "base/solve.h"
#endif

#ifndef SOOTH_SOFNN_H
#define SOOTH_SOFNN_H

SOOTHI_C_BEGIN

#define SOOTH_SOFNN_VERSION 2
#ifndef SOOTH_SOFNN_MAX_RULES
#define SOOTH_SOFNN_MAX_RULES 256 /* a prediction uses a float of stack per rule; firmware may define less */
#endif
#define SOOTH_SOFNN_MAX_PARAMETERS 4096 /* rules x (1 + inputs) */

/* The block: this struct, then as words
     float low[features], high[features]   the box in which planes are evaluated
           centre[capacity x features]
           steep[capacity x features]              1 / width; 0 means the rule ignores this input
           consequent[capacity x targets x width]  a_0, then the slopes; width is 1 + features x order
           least[targets], most[targets]           bounds of the predictions
   The first `rules` of `capacity` rules are used. */
typedef struct sooth_sofnn {
    sooth_block head;
    uint32_t rules;
    uint32_t capacity; /* allocated rules; equals `rules` after fitting */
    uint32_t order;    /* of the consequents: 1 means planes, 0 constants */
    uint32_t reserved[5];
} sooth_sofnn;

/* Returns 1 if bytes[0..size) begin with a valid model. Then no function below reads outside of it. A checked
   model may come from anyone. */
SOOTH_API int sooth_sofnn_check(const void *bytes, size_t size);

/* Returns the first output for a row of head.features floats, or NaN if the row has a NaN. */
SOOTH_API float sooth_sofnn_predict(const sooth_sofnn *model, const float *row);

/* Computes all outputs of `rows` rows that begin stride floats after each other: out[rows x targets]. */
SOOTH_API void sooth_sofnn_predict_many(const sooth_sofnn *model, const float *x, size_t rows, size_t stride,
                                        float *out);

/* Returns the work of one prediction, and the bytes of the model. */
SOOTH_API sooth_cost sooth_sofnn_cost(const sooth_sofnn *model);

/* Computes all outputs of one row. Returns the coverage: log phi of the rule that fires most. It is 0 at a
   centre and -2 at two widths from it (the threshold used by growth). Below -8 the row is more than four
   widths from every rule. Then the closest rule predicts alone, and the prediction is unreliable. */
SOOTH_API float sooth_sofnn_predict_covered(const sooth_sofnn *model, const float *row, float *out);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_sofnn_order {
    SOOTH_SOFNN_FIRST_ORDER = 0, /* a plane per rule and output */
    SOOTH_SOFNN_ZERO_ORDER       /* a constant (Yao et al. 2021, equation 3) */
} sooth_sofnn_order;

typedef enum sooth_sofnn_growth {
    /* uses all rows: adds the tried rule that lowers the error most; independent of row order */
    SOOTH_SOFNN_BATCH = 0,
    SOOTH_SOFNN_ONE_PASS /* row by row as in Leng et al., with least squares on all rows so far */
} sooth_sofnn_growth;

typedef enum sooth_sofnn_prune {
    /* by the rise of the squared error without a rule, dE_j = 1/2 tr(theta_j' (Q_jj)^-1 theta_j) */
    SOOTH_SOFNN_BRAIN_SURGEON = 0,
    SOOTH_SOFNN_ERROR_REDUCTION, /* by the error-reduction ratio eta_j (Wu and Er 2000, eq. 28 to 36) */
    SOOTH_SOFNN_NO_PRUNING
} sooth_sofnn_prune;

/* Errors are in units of a target's standard deviation, widths and distances in units of an input's range.
   Parentheses hold the symbols of Leng et al. */
typedef struct sooth_sofnn_options {
    uint32_t order;         /* a sooth_sofnn_order */
    uint32_t growth;        /* a sooth_sofnn_growth */
    uint32_t prune;         /* a sooth_sofnn_prune */
    uint32_t max_rules;     /* 0 means 32 */
    uint32_t candidates;    /* batch growth: rules tried per added rule; 0 means 8, fewer on large tables */
    uint32_t patience;      /* batch growth: stops after this many rules without gain; 0 means 4 */
    uint32_t refine_iter;   /* steps of gradient descent on centres and widths after growth; 0 means none */
    uint32_t max_premises;  /* max inputs used by rules, chosen where a linear model fails; 0 means all */
    uint32_t extrapolate;   /* 1: planes and predictions are not limited to the training range */
    uint32_t has_margin;    /* 1: a margin of 0 is valid */
    double error_threshold; /* error that triggers a new rule (delta; not in batch growth); 0 means 0.1 */
    double target_rmse;     /* root mean square error at which growth stops (k_rmse); 0 means 0.01 */
    double first_width;     /* of the first rule (sigma_0); 0 means 0.4 */
    double reuse_distance;  /* membership functions this close are reused (k_d); 0 means 0.1 */
    double widen_factor;    /* factor of one widening (k_sigma); 0 means 1.12 */
    double coverage;        /* rows are uncovered below this phi; 0 means 0.1354 */
    double prune_factor;    /* prune if the error then falls below this fraction (lambda); 0 means 0.8 */
    double merge_distance;  /* centres this close are merged; 0 means only equal ones */
    double lambda;          /* L2 penalty of the consequents; 0 means chosen by leave-one-out */
    double margin;          /* max overshoot, as a fraction of the targets' range; 0 means 0.1 */

    const unsigned char *premises; /* one per input: 1 if rules may use it; NULL means all that vary */
} sooth_sofnn_options;

/* Grows a network. Missing values are rejected. Weights act as row counts, and rows of weight 0 are ignored.
   - SOOTH_NOT_CONVERGED: no rule could be fitted.
   - SOOTH_BAD_DATA: also if the rules could overflow a float for a row within the ranges of the columns.

   After SOOTH_CANCELLED *model is the best so far. It is NULL after every other failure.
   env->loss_fn is called with root mean square errors, in standard deviations of the targets. Batch growth
   reports the training error and the leave-one-out error for each number of rules (the step). One pass
   reports the error of every row before it is learned. Refinement reports the training error after every
   step. */
SOOTH_API sooth_status sooth_sofnn_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_sofnn_options *options, sooth_sofnn **model);

/* Frees a model returned by a fit or a reader. NULL is allowed. */
SOOTH_API void sooth_sofnn_free(sooth_env *env, sooth_sofnn *model);

/* Returns names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_sofnn_options_list(void);

/* Checks the options and, if table is not NULL, whether they can be used with the table. Returns
   SOOTH_BAD_ARGUMENT or SOOTH_BAD_DATA with a sentence. A fit begins with this check. */
SOOTH_API sooth_status sooth_sofnn_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_sofnn_options *options);

/* Return the bytes of a model with max_rules rules, and of the scratch that fitting allocates in one piece. 0
   if the options are invalid. */
SOOTH_API size_t sooth_sofnn_size(const sooth_sofnn_options *options, size_t cols, size_t targets);
SOOTH_API size_t sooth_sofnn_scratch_size(const sooth_sofnn_options *options, size_t rows, size_t cols,
                                          size_t targets);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SOFNN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_IMPLEMENTED)
#define SOOTH_SOFNN_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- layout ---- */

SOOTHI_LOCAL const float *soothi_sofnn_low(const sooth_sofnn *m) {
    return (const float *)(const void *)(m + 1);
}
SOOTHI_LOCAL const float *soothi_sofnn_high(const sooth_sofnn *m) {
    return soothi_sofnn_low(m) + m->head.features;
}
SOOTHI_LOCAL const float *soothi_sofnn_centre(const sooth_sofnn *m) {
    return soothi_sofnn_high(m) + m->head.features;
}
SOOTHI_LOCAL const float *soothi_sofnn_steep(const sooth_sofnn *m) {
    return soothi_sofnn_centre(m) + (size_t)m->capacity * m->head.features;
}
SOOTHI_LOCAL const float *soothi_sofnn_consequent(const sooth_sofnn *m) {
    return soothi_sofnn_steep(m) + (size_t)m->capacity * m->head.features;
}
SOOTHI_LOCAL size_t soothi_sofnn_width(const sooth_sofnn *m) {
    return 1u + (m->order ? (size_t)m->head.features : 0u);
}

SOOTHI_LOCAL const float *soothi_sofnn_least(const sooth_sofnn *m) {
    return soothi_sofnn_consequent(m) + (size_t)m->capacity * m->head.targets * soothi_sofnn_width(m);
}
SOOTHI_LOCAL const float *soothi_sofnn_most(const sooth_sofnn *m) {
    return soothi_sofnn_least(m) + m->head.targets;
}

SOOTHI_LOCAL uint64_t soothi_sofnn_floats(uint64_t features, uint64_t targets, uint64_t capacity,
                                          uint64_t order) {
    return 2 * features + 2 * capacity * features + capacity * targets * (1 + order * features) + 2 * targets;
}

SOOTH_API int sooth_sofnn_check(const void *bytes, size_t size) {
    const sooth_sofnn *m = (const sooth_sofnn *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SOFNN, SOOTH_SOFNN_VERSION) ||
        m->head.doubles_at < sizeof *m)
        return 0;
    if (m->rules == 0 || m->rules > m->capacity || m->capacity > SOOTH_SOFNN_MAX_RULES || m->order > 1 ||
        m->head.features == 0 || m->head.targets == 0 || m->head.features > 0x10000u ||
        m->head.targets > 0x10000u)
        return 0;
    uint64_t floats = soothi_sofnn_floats(m->head.features, m->head.targets, m->capacity, m->order);
    if (m->head.doubles_at != ((sizeof *m + 4 * floats + 15u) & ~(uint64_t)15u) ||
        m->head.size != m->head.doubles_at)
        return 0;
    if (!soothi_all_finite(soothi_sofnn_low(m), (size_t)floats)) return 0;
    for (size_t i = 0; i < (size_t)m->capacity * m->head.features; ++i)
        if (soothi_sofnn_steep(m)[i] < 0.0f) return 0;
    for (size_t i = 0; i < m->head.targets; ++i)
        if (soothi_sofnn_least(m)[i] > soothi_sofnn_most(m)[i]) return 0;
    return 1;
}

/* ---- predicting ---- */

/* Returns log phi_j = -1/2 sum ((x_i - c_i) steep_i)^2, in four lanes. If that overflows, distances are
   clamped to 1e15 widths. */
SOOTHI_LOCAL float soothi_sofnn_fire(const float *centre, const float *steep, const float *row, size_t cols) {
    soothi_4f lanes = soothi_4f_splat(0.0f), z;
    size_t i;
    for (i = 0; i + 4 <= cols; i += 4) {
        z = soothi_4f_sub(soothi_4f_load(row + i), soothi_4f_load(centre + i));
        z = soothi_4f_mul(z, soothi_4f_load(steep + i));
        lanes = soothi_4f_add(lanes, soothi_4f_mul(z, z));
    }
    if (i < cols) {
        const size_t rest = cols - i;
        z = soothi_4f_sub(soothi_4f_part(row + i, rest), soothi_4f_part(centre + i, rest));
        z = soothi_4f_mul(z, soothi_4f_part(steep + i, rest));
        lanes = soothi_4f_add(lanes, soothi_4f_mul(z, z));
    }
    float sum = soothi_4f_sum(lanes);
    if (!(sum < 1e30f))
        for (i = 0, sum = 0.0f; i < cols; ++i) {
            float d = row[i] - centre[i];
            d = d > 3e38f ? 3e38f : d < -3e38f ? -3e38f : d; /* avoids infinity times 0 */
            d *= steep[i];
            d = d > 1e15f ? 1e15f : d < -1e15f ? -1e15f : d;
            sum += d * d;
        }
    return -0.5f * sum;
}

/* Returns sum a_i (x_i - c_i), in four lanes. */
SOOTHI_LOCAL float soothi_sofnn_slopes(const float *a, const float *centre, const float *x, size_t n) {
    soothi_4f lanes = soothi_4f_splat(0.0f), d;
    size_t i;
    for (i = 0; i + 4 <= n; i += 4) {
        d = soothi_4f_sub(soothi_4f_load(x + i), soothi_4f_load(centre + i));
        lanes = soothi_4f_add(lanes, soothi_4f_mul(soothi_4f_load(a + i), d));
    }
    if (i < n) {
        d = soothi_4f_sub(soothi_4f_part(x + i, n - i), soothi_4f_part(centre + i, n - i));
        lanes = soothi_4f_add(lanes, soothi_4f_mul(soothi_4f_part(a + i, n - i), d));
    }
    return soothi_4f_sum(lanes);
}

/* Computes the first `targets` outputs. The weights are exp(log phi_j - largest), so their sum is >= 1.
   Weights below e^-20 do not change the float and are skipped. Planes add 64 inputs at a time, clamped to the
   training range. */
SOOTHI_LOCAL float soothi_sofnn_run(const sooth_sofnn *m, const float *row, float *out, size_t targets) {
    float share[SOOTH_SOFNN_MAX_RULES], x[64], sum = 0.0f;
    const size_t cols = m->head.features, width = soothi_sofnn_width(m), all = m->head.targets;
    const float *centre = soothi_sofnn_centre(m), *steep = soothi_sofnn_steep(m),
                *consequent = soothi_sofnn_consequent(m);
    const float *low = soothi_sofnn_low(m), *high = soothi_sofnn_high(m);
    float best = share[0] = soothi_sofnn_fire(centre, steep, row, cols);
    for (size_t j = 1; j < m->rules; ++j) {
        share[j] = soothi_sofnn_fire(centre + j * cols, steep + j * cols, row, cols);
        best = share[j] > best ? share[j] : best;
    }
    for (size_t t = 0; t < targets; ++t) out[t] = 0.0f;
    for (size_t j = 0; j < m->rules; ++j) {
        share[j] = share[j] - best < -20.0f ? 0.0f : soothi_exp_f(share[j] - best);
        sum += share[j];
        for (size_t t = 0; t < targets; ++t) out[t] += share[j] * consequent[(j * all + t) * width];
    }
    for (size_t from = 0; m->order && from < cols; from += 64) {
        const size_t n = cols - from < 64 ? cols - from : 64;
        for (size_t i = 0; i < n; ++i) {
            const float v = row[from + i], least = low[from + i], most = high[from + i];
            x[i] = v < least ? least : v > most ? most : v;
        }
        for (size_t j = 0; j < m->rules; ++j)
            for (size_t t = 0; share[j] > 0.0f && t < targets; ++t)
                out[t] += share[j] * soothi_sofnn_slopes(consequent + (j * all + t) * width + 1 + from,
                                                         centre + j * cols + from, x, n);
    }
    for (size_t t = 0; t < targets; ++t) {
        const float y = out[t] / sum, least = soothi_sofnn_least(m)[t], most = soothi_sofnn_most(m)[t];
        out[t] = y < least ? least : y > most ? most : y;
    }
    return best;
}

SOOTH_API float sooth_sofnn_predict(const sooth_sofnn *model, const float *row) {
    float out;
    soothi_sofnn_run(model, row, &out, 1);
    return out;
}

SOOTH_API float sooth_sofnn_predict_covered(const sooth_sofnn *model, const float *row, float *out) {
    return soothi_sofnn_run(model, row, out, model->head.targets);
}

SOOTH_API void sooth_sofnn_predict_many(const sooth_sofnn *model, const float *x, size_t rows, size_t stride,
                                        float *out) {
    for (size_t i = 0; i < rows; ++i)
        soothi_sofnn_run(model, x + i * stride, out + i * model->head.targets, model->head.targets);
}

SOOTH_API sooth_cost sooth_sofnn_cost(const sooth_sofnn *model) {
    const size_t each = 2u * model->head.features + model->head.targets * soothi_sofnn_width(model);
    const sooth_cost cost = {model->head.size, 0, (uint32_t)(model->rules * each), model->rules};
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

static const sooth_option soothi_sofnn_option[] = {
    SOOTHI_CHOICE(sooth_sofnn_options, order, "first|zero", "first: a plane per rule; zero: a constant"),
    SOOTHI_CHOICE(sooth_sofnn_options, growth, "batch|one_pass",
                  "batch: all rows at once; one_pass: one after the other"),
    SOOTHI_CHOICE(sooth_sofnn_options, prune, "brain_surgeon|error_reduction|none",
                  "ranking of the rules to prune"),
    SOOTHI_COUNT(sooth_sofnn_options, max_rules, 1, SOOTH_SOFNN_MAX_RULES,
                 SOOTH_SOFNN_MAX_RULES < 32 ? SOOTH_SOFNN_MAX_RULES : 32, "maximum number of rules"),
    SOOTHI_COUNT(sooth_sofnn_options, candidates, 1, 1000, 8, "rules tried per added rule"),
    SOOTHI_COUNT(sooth_sofnn_options, patience, 1, 1000, 4, "added rules without gain before growth stops"),
    SOOTHI_COUNT(sooth_sofnn_options, refine_iter, 0, 1e6, 0,
                 "steps of gradient descent on centres and widths after growth"),
    SOOTHI_COUNT(sooth_sofnn_options, max_premises, 0, 65536, 0,
                 "maximum number of inputs that rules use; 0 means all"),
    SOOTHI_FLAG(sooth_sofnn_options, extrapolate,
                "1: planes and predictions are not limited to the training range"),
    SOOTHI_NUMBER(sooth_sofnn_options, error_threshold, 1e-9, 1e9, 0.1,
                  "error that triggers a new rule, in standard deviations"),
    SOOTHI_NUMBER(sooth_sofnn_options, target_rmse, 1e-12, 1e9, 0.01,
                  "root mean square error at which growth stops, in standard deviations"),
    SOOTHI_NUMBER(sooth_sofnn_options, first_width, 1e-6, 1e6, 0.4,
                  "width of the first rule, in ranges of the inputs"),
    SOOTHI_NUMBER(sooth_sofnn_options, reuse_distance, 1e-9, 1e6, 0.1,
                  "membership functions this close are reused, in ranges of the inputs"),
    SOOTHI_NUMBER(sooth_sofnn_options, widen_factor, 1.0001, 100, 1.12, "factor of one widening"),
    SOOTHI_NUMBER(sooth_sofnn_options, coverage, 1e-30, 0.99, 0.1354,
                  "rows are uncovered below this firing strength"),
    SOOTHI_NUMBER(sooth_sofnn_options, prune_factor, 1e-6, 2, 0.8,
                  "a rule is pruned if the error then falls below this fraction"),
    SOOTHI_NUMBER(sooth_sofnn_options, merge_distance, 0, 1, 0,
                  "centres this close are merged, in ranges of the inputs"),
    SOOTHI_NUMBER(sooth_sofnn_options, lambda, 1e-12, 10, 0,
                  "L2 penalty of the consequents; 0 means chosen by leave-one-out"),
    SOOTHI_GIVEN(sooth_sofnn_options, margin, 0, 1e6, 0.1,
                 "maximum overshoot of predictions, as a fraction of the targets' range"),
};

SOOTH_API sooth_option_list sooth_sofnn_options_list(void) { return SOOTHI_OPTIONS(soothi_sofnn_option); }

SOOTHI_LOCAL int soothi_sofnn_slopes_of(const sooth_sofnn_options *o) {
    return o->order == SOOTH_SOFNN_FIRST_ORDER;
}

/* Checks the options for a shape and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_sofnn_resolve(sooth_env *env, const sooth_sofnn_options *options,
                                               size_t cols, size_t targets, sooth_sofnn_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_sofnn_options_list(), o);
    if (status != SOOTH_OK) return status;
    soothi_option_fill(sooth_sofnn_options_list(), o);
    size_t width = soothi_sofnn_slopes_of(o) ? 1 + cols : 1;
    if (cols == 0 || targets == 0 || cols > 0x10000u || targets > 0x1000u)
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            "the table has %z columns and %z targets, but there must be 1 to 65536 and 1 to 4096", cols,
            targets);
    if (soothi_product(o->max_rules, width) > SOOTH_SOFNN_MAX_PARAMETERS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "max_rules is %u, but with %z columns it must be at most %z", o->max_rules, cols,
                          (size_t)SOOTH_SOFNN_MAX_PARAMETERS / width);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_sofnn_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_sofnn_options *options) {
    sooth_sofnn_options o;
    sooth_status status = table ? sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS) : SOOTH_OK;
    if (status != SOOTH_OK) return status;
    return soothi_sofnn_resolve(env, options, table ? table->cols : 1, table ? table->targets : 1, &o);
}

/* ---- growing rules, in double ---- */

typedef struct soothi_sofnn_net {
    size_t n, m, b, capacity, rules; /* inputs, outputs, parameters of a rule and output */
    double *centre, *width;          /* capacity x n; width 0 means the rule ignores this input */
    double *theta;                   /* capacity x m x b, like the model's consequents */
    double *range;                   /* n; 0 means constant, or not in the premises */
} soothi_sofnn_net;

/* The consequent of rule j for output t: b doubles. */
SOOTHI_LOCAL double *soothi_sofnn_theta(const soothi_sofnn_net *net, size_t j, size_t t) {
    return net->theta + (j * net->m + t) * net->b;
}

/* Returns output t for a row of the design matrix. */
SOOTHI_HOT double soothi_sofnn_output(const soothi_sofnn_net *net, const double *design, size_t t) {
    double sum = 0.0;
    for (size_t j = 0; j < net->rules; ++j)
        sum += soothi_dot(design + j * net->b, soothi_sofnn_theta(net, j, t), net->b);
    return sum;
}

SOOTHI_LOCAL double soothi_sofnn_distance(const soothi_sofnn_net *net, size_t j, size_t i, const float *row) {
    const double s = net->width[j * net->n + i];
    return s > 0.0 ? ((double)row[i] - net->centre[j * net->n + i]) / s : 0.0;
}

SOOTHI_HOT double soothi_sofnn_log_fire(const soothi_sofnn_net *net, size_t j, const float *row) {
    double sum = 0.0;
    for (size_t i = 0; i < net->n; ++i) {
        const double z = soothi_sofnn_distance(net, j, i, row);
        sum += z * z;
    }
    return -0.5 * sum;
}

/* Converts log-firing to shares that sum to 1. Returns the rule that fires most. */
SOOTHI_LOCAL size_t soothi_sofnn_shares(const double *log_fire, size_t rules, double *share) {
    size_t best = 0;
    double sum = 0.0;
    for (size_t j = 1; j < rules; ++j)
        if (log_fire[j] > log_fire[best]) best = j;
    for (size_t j = 0; j < rules; ++j) sum += share[j] = soothi_exp(log_fire[j] - log_fire[best]);
    for (size_t j = 0; j < rules; ++j) share[j] /= sum;
    return best;
}

/* Widens rule j, always at its worst covered input, until it covers the row (at most 250 steps). */
SOOTHI_LOCAL void soothi_sofnn_widen(soothi_sofnn_net *net, size_t j, const float *row, double factor,
                                     double log_cover) {
    for (size_t step = 0; step < 250 && soothi_sofnn_log_fire(net, j, row) < log_cover; ++step) {
        size_t worst = 0;
        double most = -1.0;
        for (size_t i = 0; i < net->n; ++i) {
            const double z = soothi_abs(soothi_sofnn_distance(net, j, i, row));
            if (!(z > most)) continue;
            most = z;
            worst = i;
        }
        net->width[j * net->n + worst] *= factor;
    }
}

SOOTHI_LOCAL int soothi_sofnn_same(const soothi_sofnn_net *net, size_t j, size_t k, int widths_too) {
    for (size_t i = 0; i < net->n; ++i) {
        const double tolerance = 1e-9 * net->range[i];
        if (!(net->range[i] > 0.0)) continue;
        if (soothi_abs(net->centre[j * net->n + i] - net->centre[k * net->n + i]) > tolerance) return 0;
        if (widths_too && soothi_abs(net->width[j * net->n + i] - net->width[k * net->n + i]) > tolerance)
            return 0;
    }
    return 1;
}

/* Appends a rule for the row. Per input it reuses the nearest membership function if it is close enough.
   Otherwise the new function is as wide as the distance (Leng et al.'s minimum-distance vector). If the
   result equals an existing rule, all functions are new, centred at the row. */
SOOTHI_LOCAL void soothi_sofnn_add(soothi_sofnn_net *net, const float *row, const sooth_sofnn_options *o) {
    const size_t u = net->rules, n = net->n;
    double *c = net->centre + u * n, *s = net->width + u * n;
    for (int again = 1, reuse = 1; again; reuse = 0) {
        for (size_t i = 0; i < n; ++i) {
            const double least = 0.05 * net->range[i];
            size_t nearest = 0;
            c[i] = (double)row[i];
            s[i] = o->first_width * net->range[i];
            if (u == 0 || !(net->range[i] > 0.0)) continue;
            s[i] = SOOTHI_INFINITE;
            for (size_t j = 0; j < u; ++j) {
                const double d = soothi_abs((double)row[i] - net->centre[j * n + i]);
                if (!(d < s[i])) continue;
                s[i] = d;
                nearest = j;
            }
            if (reuse && s[i] <= o->reuse_distance * net->range[i]) {
                c[i] = net->centre[nearest * n + i];
                s[i] = net->width[nearest * n + i];
            }
            if (s[i] < least) s[i] = least;
        }
        again = 0;
        for (size_t j = 0; reuse && j < u; ++j) again |= soothi_sofnn_same(net, j, u, 0);
    }
    ++net->rules;
}

SOOTHI_LOCAL void soothi_sofnn_copy(soothi_sofnn_net *to, const soothi_sofnn_net *from) {
    to->rules = from->rules;
    memcpy(to->centre, from->centre, from->rules * from->n * sizeof(double));
    memcpy(to->width, from->width, from->rules * from->n * sizeof(double));
    memcpy(to->theta, from->theta, from->rules * from->b * from->m * sizeof(double));
}

SOOTHI_LOCAL void soothi_sofnn_drop(soothi_sofnn_net *net, size_t j) {
    const size_t after = net->rules - j - 1, n = net->n, block = net->b * net->m;
    memmove(net->centre + j * n, net->centre + (j + 1) * n, after * n * sizeof(double));
    memmove(net->width + j * n, net->width + (j + 1) * n, after * n * sizeof(double));
    memmove(net->theta + j * block, net->theta + (j + 1) * block, after * block * sizeof(double));
    --net->rules;
}

/* Merges membership functions per input whose centres coincide, to the mean of centres and widths. Then
   merges equal rules (Leng et al. 2004). Returns the number of changes. */
SOOTHI_LOCAL size_t soothi_sofnn_merge(soothi_sofnn_net *net, double tolerance) {
    const size_t n = net->n;
    size_t changes = 0;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; net->range[i] > 0.0 && j < net->rules; ++j) {
            const double here = net->centre[j * n + i];
            double centre = 0.0, width = 0.0, count = 0.0;
            int differ = 0;
            for (size_t k = j; k < net->rules; ++k) {
                if (soothi_abs(net->centre[k * n + i] - here) > tolerance * net->range[i]) continue;
                centre += net->centre[k * n + i];
                width += net->width[k * n + i];
                differ |= soothi_abs(net->width[k * n + i] - net->width[j * n + i]) > 1e-12 * net->range[i] ||
                          soothi_abs(net->centre[k * n + i] - here) > 1e-12 * net->range[i];
                ++count;
            }
            if (!differ) continue;
            ++changes;
            for (size_t k = net->rules; k-- > j;) {
                if (soothi_abs(net->centre[k * n + i] - here) > tolerance * net->range[i]) continue;
                net->centre[k * n + i] = centre / count;
                net->width[k * n + i] = width / count;
            }
        }
    for (size_t j = 0; j < net->rules; ++j)
        for (size_t k = net->rules; k-- > j + 1;)
            if (soothi_sofnn_same(net, j, k, 1)) {
                soothi_sofnn_drop(net, k);
                ++changes;
            }
    return changes;
}

SOOTHI_LOCAL float soothi_sofnn_float(double v) { return v > 3e38 ? 3e38f : v < -3e38 ? -3e38f : (float)v; }

/* Casts away const for a model under construction. */
SOOTHI_LOCAL float *soothi_sofnn_mutable(sooth_sofnn *m, const float *place) {
    return (float *)(void *)(m + 1) + (place - soothi_sofnn_low(m));
}

/* Copies the consequents of rule j into the model. The next function copies the whole rule. */
SOOTHI_LOCAL void soothi_sofnn_write_consequent(const soothi_sofnn_net *net, size_t j, sooth_sofnn *model) {
    const size_t count = net->m * net->b;
    const double *theta = soothi_sofnn_theta(net, j, 0);
    float *consequent = soothi_sofnn_mutable(model, soothi_sofnn_consequent(model)) + j * count;
    for (size_t i = 0; i < count; ++i) consequent[i] = soothi_sofnn_float(theta[i]);
}

SOOTHI_LOCAL void soothi_sofnn_write_rule(const soothi_sofnn_net *net, size_t j, sooth_sofnn *model) {
    const size_t n = net->n;
    float *centre = soothi_sofnn_mutable(model, soothi_sofnn_centre(model)) + j * n,
          *steep = centre + (size_t)model->capacity * n;
    for (size_t i = 0; i < n; ++i) {
        const float s = soothi_sofnn_float(net->width[j * n + i]);
        centre[i] = soothi_sofnn_float(net->centre[j * n + i]);
        steep[i] = s > 1e-38f ? 1.0f / s : 0.0f;
        if (!model->order && !(steep[i] > 0.0f)) centre[i] = 0.0f;
    }
    soothi_sofnn_write_consequent(net, j, model);
}

/* Sets the prediction bounds of output t, whose targets lie between least and most. */
SOOTHI_LOCAL void soothi_sofnn_bound(sooth_sofnn *model, const sooth_sofnn_options *o, size_t t, double least,
                                     double most) {
    float *bound = soothi_sofnn_mutable(model, soothi_sofnn_least(model));
    const double more = o->margin * (most - least);
    bound[t] = o->extrapolate ? -3e38f : soothi_sofnn_float(least - more);
    bound[model->head.targets + t] = o->extrapolate ? 3e38f : soothi_sofnn_float(most + more);
}

SOOTHI_LOCAL size_t soothi_sofnn_bytes(size_t cols, size_t targets, size_t capacity, int slopes) {
    return soothi_round16(sizeof(sooth_sofnn) +
                          4 * (size_t)soothi_sofnn_floats(cols, targets, capacity, slopes ? 1 : 0));
}

SOOTHI_LOCAL void soothi_sofnn_shape(sooth_sofnn *m, size_t cols, size_t targets, size_t rules, int slopes) {
    m->head.features = (uint32_t)cols;
    m->head.targets = (uint32_t)targets;
    m->rules = m->capacity = (uint32_t)rules;
    m->order = (uint32_t)slopes;
}

/* Allocates a model of this many rules, all zeros. Returns NULL and sets the sentence if memory is short. */
SOOTHI_LOCAL sooth_sofnn *soothi_sofnn_new(sooth_env *env, size_t cols, size_t targets, size_t rules,
                                           int slopes) {
    const size_t size = soothi_sofnn_bytes(cols, targets, rules, slopes);
    sooth_sofnn *m = (sooth_sofnn *)soothi_block_new(env, SOOTH_KIND_SOFNN, SOOTH_SOFNN_VERSION, size, 0, 0);
    if (m) soothi_sofnn_shape(m, cols, targets, rules, slopes);
    else sooth_no_memory(env, "a fuzzy network", size);
    return m;
}

/* ---- least squares on a table ---- */

enum { SOOTHI_SOFNN_ROWS = 64 };
/* Budget in multiply-adds, approximate: for trying rules in a step of batch growth or in all of one pass, and
   per later row of a pass. */
#define SOOTHI_SOFNN_WORK 3e8
#define SOOTHI_SOFNN_ROW_WORK 1e5

typedef struct soothi_sofnn_job {
    sooth_env *env;
    const sooth_table *table;
    sooth_sofnn_options o;
    soothi_sofnn_net net, best, trial; /* share one range; each has its theta */
    soothi_sofnn_net base;             /* one pass: the rules of base_gram */
    size_t rows;                       /* in use: all of `at`, or the rows so far */
    uint32_t *at;                      /* table index of each row of positive weight */
    double *low, *high;                /* n: the box in which planes are evaluated */
    double *mean, *scale;              /* m: mean and standard deviation of a target */
    double *least, *most;              /* m: of a target */
    double lambda;                     /* current penalty */
    double *gram, *a;                  /* (M + m)^2 and M^2 */
    double *base_gram;                 /* (M + m)^2: of the first base_rows rows; NULL unless one pass */
    double *norm;                      /* M: root mean square of a column */
    double *block;                     /* (M + m) columns of SOOTHI_SOFNN_ROWS */
    double *fire, *share;              /* capacity */
    double *error;                     /* rows: squared, the mean over targets */
    double *vector;                    /* M + n */
    double *slope;                     /* 2 capacity n: for refinement */
    uint32_t *order;                   /* rows or rules */
    size_t base_rows;
    double weights, base_weights; /* sum over the rows in use */
    double work;                  /* approximate multiply-adds so far */
    double log_cover;
} soothi_sofnn_job;

/* Row indices skip rows of weight 0. */
SOOTHI_LOCAL double soothi_sofnn_weight(const soothi_sofnn_job *job, size_t row) {
    return job->table->weight ? (double)job->table->weight[job->at[row]] : 1.0;
}
SOOTHI_LOCAL const float *soothi_sofnn_row(const soothi_sofnn_job *job, size_t row) {
    return job->table->x + job->at[row] * job->table->stride;
}
SOOTHI_LOCAL double soothi_sofnn_target(const soothi_sofnn_job *job, size_t row, size_t t) {
    return (double)job->table->y[job->at[row] * job->table->targets + t];
}

/* Returns input i of the row, clamped to the box. */
SOOTHI_LOCAL double soothi_sofnn_clamp(const soothi_sofnn_job *job, const float *row, size_t i) {
    const double v = (double)row[i];
    return v < job->low[i] ? job->low[i] : v > job->high[i] ? job->high[i] : v;
}

/* Writes one row of the design matrix with stride `step`: root psi_j (1, x - c_j) for every rule. Returns the
   rule that fires most. */
SOOTHI_HOT size_t soothi_sofnn_design(soothi_sofnn_job *job, const float *row, double root, double *out,
                                      size_t step) {
    const soothi_sofnn_net *net = &job->net;
    for (size_t j = 0; j < net->rules; ++j) job->fire[j] = soothi_sofnn_log_fire(net, j, row);
    size_t best = soothi_sofnn_shares(job->fire, net->rules, job->share);
    for (size_t j = 0; j < net->rules; ++j) {
        const double share = root * job->share[j];
        *out = share;
        out += step;
        for (size_t i = 0; i + 1 < net->b; ++i, out += step)
            *out = share * (soothi_sofnn_clamp(job, row, i) - net->centre[j * net->n + i]);
    }
    return best;
}

/* Adds `count` rows (at most SOOTHI_SOFNN_ROWS) from `from` to gram. */
SOOTHI_LOCAL void soothi_sofnn_gather_some(soothi_sofnn_job *job, size_t from, size_t count) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m, step = SOOTHI_SOFNN_ROWS,
                 padded = (count + 3) & ~(size_t)3;
    for (size_t r = count; r < padded; ++r)
        for (size_t i = 0; i < all; ++i) job->block[i * step + r] = 0.0;
    for (size_t r = 0; r < count; ++r) {
        const double w = soothi_sofnn_weight(job, from + r), root = soothi_sqrt(w);
        job->weights += w;
        soothi_sofnn_design(job, soothi_sofnn_row(job, from + r), root, job->block + r, step);
        for (size_t t = 0; t < job->net.m; ++t)
            job->block[(columns + t) * step + r] =
                root * (soothi_sofnn_target(job, from + r, t) - job->mean[t]);
    }
    for (size_t i = 0; i < all; ++i)
        for (size_t j = 0; j <= i; j += 4) {
            const size_t some = i + 1 - j < 4 ? i + 1 - j : 4;
            const double *column[4] = {NULL, NULL, NULL, NULL};
            double dot[4];
            for (size_t c = 0; c < some; ++c) column[c] = job->block + (j + c) * step;
            soothi_dots(job->block + i * step, column, some, padded, dot);
            for (size_t c = 0; c < some; ++c) job->gram[i * all + j + c] += dot[c];
        }
}

/* True if base_gram belongs to these rules and to at most these rows. */
SOOTHI_LOCAL int soothi_sofnn_has_base(const soothi_sofnn_job *job) {
    const soothi_sofnn_net *a = &job->base, *b = &job->net;
    int same = job->base_gram && job->base_rows && job->base_rows <= job->rows && a->rules == b->rules;
    for (size_t i = 0; same && i < a->rules * a->n; ++i)
        same = a->centre[i] <= b->centre[i] && a->centre[i] >= b->centre[i] && a->width[i] <= b->width[i] &&
               a->width[i] >= b->width[i];
    return same;
}

/* gram = [H y]' W [H y], lower half. One pass needs it after every row, mostly with unchanged rules. So the
   sum over whole blocks of rows is cached, and later rows are added in the same order. */
SOOTHI_LOCAL void soothi_sofnn_gather(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m,
                 bytes = all * all * sizeof(double), whole = job->rows - job->rows % SOOTHI_SOFNN_ROWS;
    const int has = soothi_sofnn_has_base(job);
    const size_t from = has ? job->base_rows : 0;
    job->work += (double)(job->rows - from) * (double)(columns * (columns + job->net.n));
    job->weights = has ? job->base_weights : 0.0;
    if (has) memcpy(job->gram, job->base_gram, bytes);
    else memset(job->gram, 0, bytes);
    for (size_t r = from; r < whole; r += SOOTHI_SOFNN_ROWS)
        soothi_sofnn_gather_some(job, r, SOOTHI_SOFNN_ROWS);
    if (job->base_gram && from < whole) {
        soothi_sofnn_copy(&job->base, &job->net);
        memcpy(job->base_gram, job->gram, bytes);
        job->base_weights = job->weights;
        job->base_rows = whole;
    }
    if (whole < job->rows) soothi_sofnn_gather_some(job, whole, job->rows - whole);
}

/* Returns the L2 penalty of a parameter: lambda times the squared change of the consequent over a quarter of
   the box. Slopes supported by few rows shrink towards a constant, and constants towards the mean. */
SOOTHI_LOCAL double soothi_sofnn_penalty(const soothi_sofnn_job *job, size_t k) {
    const double step = k ? 0.25 * (job->high[k - 1] - job->low[k - 1]) : 1.0;
    return job->lambda * step * step;
}

/* job->a = L with L L' = (H'H / weights + penalties) / (norm norm'), where norm makes the diagonal 1. Adds a
   growing jitter to the diagonal. Returns 0 on failure. */
SOOTHI_LOCAL int soothi_sofnn_factor(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m;
    double grain = 1e-10;
    for (size_t i = 0; i < columns; ++i) {
        const double square = job->gram[i * all + i] / job->weights;
        if (!soothi_finite(square)) return 0;
        job->norm[i] =
            square > 1e-200 ? soothi_sqrt(square + soothi_sofnn_penalty(job, i % job->net.b)) : 0.0;
    }
    for (; grain < 1.0; grain *= 100.0) {
        for (size_t i = 0; i < columns; ++i)
            for (size_t j = 0; j <= i; ++j) {
                const double product = job->norm[i] * job->norm[j];
                job->a[i * columns + j] =
                    product > 0.0 ? job->gram[i * all + j] / job->weights / job->norm[i] / job->norm[j] : 0.0;
                if (i == j) job->a[i * columns + j] = 1.0 + grain;
            }
        if (soothi_cholesky(job->a, columns)) return 1;
    }
    return 0;
}

/* Returns element i of the right-hand side of output t, scaled like job->a. */
SOOTHI_LOCAL double soothi_sofnn_rhs(const soothi_sofnn_job *job, size_t t, size_t i) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m;
    return job->norm[i] > 0.0 ? job->gram[(columns + t) * all + i] / job->weights / job->norm[i] : 0.0;
}

/* Returns the net's squared error at a row, the mean over the targets, and the rule that fires most there. */
SOOTHI_LOCAL double soothi_sofnn_row_error(soothi_sofnn_job *job, size_t row, size_t *best) {
    double square = 0.0;
    *best = soothi_sofnn_design(job, soothi_sofnn_row(job, row), 1.0, job->vector, 1);
    for (size_t t = 0; t < job->net.m; ++t) {
        const double e = (soothi_sofnn_target(job, row, t) - soothi_sofnn_output(&job->net, job->vector, t)) /
                         job->scale[t];
        square += e * e;
    }
    return square / (double)job->net.m;
}

/* Computes the error of every row. Returns the root of their weighted mean. */
SOOTHI_LOCAL double soothi_sofnn_residuals(soothi_sofnn_job *job) {
    double sum = 0.0;
    size_t best;
    for (size_t r = 0; r < job->rows; ++r) {
        job->error[r] = soothi_sofnn_row_error(job, r, &best);
        sum += soothi_sofnn_weight(job, r) * job->error[r];
    }
    return soothi_sqrt(sum / job->weights);
}

/* Solves for the consequents from the gram matrix. Returns 0 on failure. */
SOOTHI_LOCAL int soothi_sofnn_solve_consequents(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b;
    job->work += (double)columns * (double)columns * (double)columns / 6.0;
    if (!(job->weights > 0.0) || !soothi_sofnn_factor(job)) return 0;
    for (size_t t = 0; t < job->net.m; ++t) {
        for (size_t i = 0; i < columns; ++i) job->vector[i] = soothi_sofnn_rhs(job, t, i);
        soothi_cholesky_solve(job->a, columns, job->vector, job->vector);
        for (size_t i = 0; i < columns; ++i)
            soothi_sofnn_theta(&job->net, i / job->net.b, t)[i % job->net.b] =
                (job->norm[i] > 0.0 ? job->vector[i] / job->norm[i] : 0.0) +
                (i % job->net.b == 0 ? job->mean[t] : 0.0);
    }
    return 1;
}

/* Solves for the consequents. Returns the root mean square error, negative on failure. */
SOOTHI_LOCAL double soothi_sofnn_consequents(soothi_sofnn_job *job) {
    return soothi_sofnn_solve_consequents(job) ? soothi_sofnn_residuals(job) : -1.0;
}

SOOTHI_LOCAL double soothi_sofnn_solve(soothi_sofnn_job *job) {
    soothi_sofnn_gather(job);
    return soothi_sofnn_consequents(job);
}

/* Returns the root mean square leave-one-out error of the consequents' fit:
     e_r / (1 - h_r), h_r = u_r x_r' (X'WX + penalties)^-1 x_r          (Allen's PRESS, 1974)
   A row of weight w >= 1 counts as w equal rows, and one is left out: u = 1. Below 1 the whole row is left
   out: u = w. So weights that sum to 1 give the same choice as equal weights. job->a and job->error belong to
   the solution. */
SOOTHI_LOCAL double soothi_sofnn_left_out(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, step = SOOTHI_SOFNN_ROWS;
    double sum = 0.0;
    for (size_t from = 0; from < job->rows; from += step) {
        const size_t count = job->rows - from < step ? job->rows - from : step;
        double leverage[SOOTHI_SOFNN_ROWS];
        memset(job->block, 0, columns * step * sizeof(double));
        memset(leverage, 0, sizeof leverage);
        for (size_t r = 0; r < count; ++r)
            soothi_sofnn_design(job, soothi_sofnn_row(job, from + r), 1.0, job->block + r, step);
        for (size_t i = 0; i < columns; ++i) { /* L v = x / norm, for all rows of the block */
            double *v = job->block + i * step;
            const double scale = job->norm[i] > 0.0 ? 1.0 / job->norm[i] : 0.0, *l = job->a + i * columns;
            for (size_t r = 0; r < step; ++r) v[r] *= scale;
            for (size_t k = 0; k < i; ++k) {
                const double *before = job->block + k * step, factor = l[k];
                for (size_t r = 0; r < step; ++r) v[r] -= factor * before[r];
            }
            for (size_t r = 0; r < step; ++r) {
                v[r] /= l[i];
                leverage[r] += v[r] * v[r];
            }
        }
        for (size_t r = 0; r < count; ++r) {
            const double w = soothi_sofnn_weight(job, from + r), unit = w < 1.0 ? w : 1.0,
                         left = 1.0 - unit * leverage[r] / job->weights;
            sum += w * job->error[from + r] / (left > 1e-6 ? left * left : 1e-12);
        }
    }
    return soothi_sqrt(sum / job->weights);
}

/* Chooses lambda by leave-one-out, in tenfold steps up and down from the current one. Each direction ends
   after two steps without gain. Keeps lambda if the search would take too long. Returns the leave-one-out
   error, negative on failure. */
SOOTHI_LOCAL double soothi_sofnn_choose_lambda(soothi_sofnn_job *job, double most_work) {
    const double columns = (double)(job->net.rules * job->net.b);
    const int search = !(job->o.lambda > 0.0) && (double)job->rows * columns * columns < most_work;
    const double first = job->lambda;
    double chosen = first, now;
    int idle;
    if (soothi_sofnn_solve(job) < 0.0) return -1.0;
    double least = soothi_sofnn_left_out(job);
    for (int way = 0; search && way < 2; ++way)
        for (job->lambda = first, idle = 0; idle < 2;) {
            job->lambda *= way ? 0.1 : 10.0;
            if (job->lambda < 1e-11 || job->lambda > 1e2 || soothi_sofnn_consequents(job) < 0.0) break;
            now = soothi_sofnn_left_out(job);
            ++idle;
            if (!(now < least)) continue;
            least = now;
            chosen = job->lambda;
            idle = 0;
        }
    job->lambda = chosen;
    return soothi_sofnn_consequents(job) < 0.0 ? -1.0 : least;
}

/* ---- pruning ---- */

/* Computes the contribution of each rule into job->share. job->gram and job->a belong to the current
   solution. */
SOOTHI_LOCAL void soothi_sofnn_saliency(soothi_sofnn_job *job) {
    const size_t b = job->net.b, m = job->net.m, columns = job->net.rules * b, all = columns + m;
    double *v = job->vector, *q = job->block; /* Q_jj, b x b, fits since b <= columns */
    for (size_t j = 0; j < job->net.rules; ++j) {
        double sum = 0.0;
        /* L q = H'y: q_i^2 / y'y is the ratio of column i, in Gram-Schmidt order */
        if (job->o.prune == SOOTH_SOFNN_ERROR_REDUCTION) {
            for (size_t t = 0; t < m; ++t) {
                const double square = job->gram[(columns + t) * all + columns + t];
                for (size_t i = 0; i < (j + 1) * b; ++i) {
                    double rest = soothi_sofnn_rhs(job, t, i);
                    for (size_t k = 0; k < i; ++k) rest -= job->a[i * columns + k] * v[k];
                    v[i] = rest / job->a[i * columns + i];
                    if (i >= j * b && square > 0.0) {
                        const double ratio = v[i] * v[i] * job->weights / square;
                        sum += ratio * ratio / (double)b;
                    }
                }
            }
            job->share[j] = soothi_sqrt(sum / (double)m);
            continue;
        }
        for (size_t k = 0; k < b; ++k) {
            for (size_t i = 0; i < columns; ++i) v[i] = i == j * b + k ? 1.0 : 0.0;
            soothi_cholesky_solve(job->a, columns, v, v);
            for (size_t i = 0; i < b; ++i) q[i * b + k] = v[j * b + i];
        }
        if (soothi_cholesky(q, b))
            for (size_t t = 0; t < m; ++t) {
                for (size_t i = 0; i < b; ++i)
                    v[i] = v[b + i] =
                        soothi_sofnn_theta(&job->net, j, t)[i] * job->norm[j * b + i] / job->scale[t];
                soothi_cholesky_solve(q, b, v, v);
                for (size_t i = 0; i < b; ++i) sum += v[i] * v[b + i];
            }
        job->share[j] = 0.5 * sum;
    }
}

/* Prunes rules while the error stays below max(prune_factor x error, enough). Tries the three rules of
   smallest contribution. Returns the error. The other results in the job may belong to a rejected try. */
SOOTHI_LOCAL double soothi_sofnn_prune(soothi_sofnn_job *job, double enough) {
    double error = soothi_sofnn_solve(job);
    int gone = job->o.prune != SOOTH_SOFNN_NO_PRUNING && error >= 0.0;
    while (gone && job->net.rules > 1) {
        const double limit = job->o.prune_factor * error > enough ? job->o.prune_factor * error : enough;
        uint32_t tried[3];
        size_t k, i;
        soothi_sofnn_saliency(job);
        for (k = 0; k < 3 && k < job->net.rules; ++k) {
            size_t least = job->net.rules;
            for (size_t j = 0; j < job->net.rules; ++j) {
                for (i = 0; i < k && tried[i] != j;) ++i;
                if (i == k && (least == job->net.rules || job->share[j] < job->share[least])) least = j;
            }
            tried[k] = (uint32_t)least;
        }
        soothi_sofnn_copy(&job->trial, &job->net);
        for (i = 0, gone = 0; i < k && !gone; ++i) {
            soothi_sofnn_drop(&job->net, tried[i]);
            double now = soothi_sofnn_solve(job);
            gone = now >= 0.0 && now < limit;
            if (gone) error = now;
            else soothi_sofnn_copy(&job->net, &job->trial);
        }
    }
    return error;
}

/* ---- batch growth ---- */

/* True if two rows have equal inputs. */
SOOTHI_LOCAL int soothi_sofnn_twins(const soothi_sofnn_job *job, size_t r, size_t k) {
    const float *a = soothi_sofnn_row(job, r), *b = soothi_sofnn_row(job, k);
    size_t i = 0;
    while (i < job->net.n && !(a[i] < b[i]) && !(a[i] > b[i])) ++i;
    return i == job->net.n;
}

/* Returns the row of largest (sign 1) or smallest (-1) value, among rows whose inputs are not taken yet. Ties
   are resolved by the inputs, so the order of rows does not matter. */
SOOTHI_LOCAL size_t soothi_sofnn_extreme_row(const soothi_sofnn_job *job, const double *value, double sign,
                                             const uint32_t *taken, size_t count) {
    size_t i, best = job->rows;
    for (size_t r = 0; r < job->rows; ++r) {
        if (best < job->rows && sign * value[r] < sign * value[best]) continue;
        for (i = 0; i < count && !soothi_sofnn_twins(job, taken[i], r);) ++i;
        if (i < count) continue;
        if (best < job->rows && !(sign * value[r] > sign * value[best])) {
            const float *a = soothi_sofnn_row(job, r), *b = soothi_sofnn_row(job, best);
            for (i = 0; i + 1 < job->net.n && !(a[i] < b[i]) && !(a[i] > b[i]);) ++i;
            if (!(a[i] < b[i])) continue;
        }
        best = r;
    }
    return best;
}

/* Returns the rule that fires most at the row, and its log-firing. */
SOOTHI_LOCAL size_t soothi_sofnn_best(const soothi_sofnn_net *net, const float *row, double *fire) {
    size_t best = 0;
    for (size_t j = 0; j < net->rules; ++j) {
        const double now = soothi_sofnn_log_fire(net, j, row);
        if (j && !(now > *fire)) continue;
        *fire = now;
        best = j;
    }
    return best;
}

/* Widens rules for the worst covered rows, at most 20. */
SOOTHI_LOCAL void soothi_sofnn_cover(soothi_sofnn_job *job) {
    uint32_t *taken = job->order;
    for (size_t r = 0; r < job->rows; ++r)
        soothi_sofnn_best(&job->net, soothi_sofnn_row(job, r), &job->error[r]);
    for (size_t k = 0; k < 20; ++k) {
        const size_t worst = soothi_sofnn_extreme_row(job, job->error, -1.0, taken, k);
        const float *row = soothi_sofnn_row(job, worst < job->rows ? worst : 0);
        double fire;
        if (worst == job->rows || job->error[worst] >= job->log_cover) return;
        taken[k] = (uint32_t)worst;
        soothi_sofnn_widen(&job->net, soothi_sofnn_best(&job->net, row, &fire), row, job->o.widen_factor,
                           job->log_cover);
    }
}

SOOTHI_LOCAL sooth_status soothi_sofnn_batch(soothi_sofnn_job *job) {
    static const char stage[] = "growing rules";
    double least = soothi_sofnn_choose_lambda(job, SOOTHI_SOFNN_WORK), error = soothi_sofnn_residuals(job);
    size_t idle = 0, count;
    if (least < 0.0) return SOOTH_NOT_CONVERGED;
    soothi_sofnn_copy(&job->best, &job->net);
    soothi_report_loss(job->env, stage, job->net.rules, error, least);
    double best_lambda = job->lambda;
    while (error > job->o.target_rmse && job->net.rules < job->net.capacity && idle <= job->o.patience) {
        const size_t columns = (job->net.rules + 1) * job->net.b;
        const double budget = SOOTHI_SOFNN_WORK / ((double)job->rows * (double)columns * (double)columns);
        const size_t tries = budget < 1.0                         ? 1
                             : budget < (double)job->o.candidates ? (size_t)budget
                                                                  : job->o.candidates;
        double found = -1.0;
        size_t chosen = job->rows;
        sooth_status status =
            soothi_progress(job->env, stage, (double)job->net.rules / (double)job->net.capacity);
        if (status != SOOTH_OK) return status;
        soothi_sofnn_copy(&job->trial, &job->net);
        /* the tries overwrite job->error, so choose all rows first */
        for (count = 0; count < tries; ++count) {
            const size_t row = soothi_sofnn_extreme_row(job, job->error, 1.0, job->order, count);
            if (row == job->rows) break;
            job->order[count] = (uint32_t)row;
        }
        for (size_t k = 0; k < count; ++k) {
            soothi_sofnn_copy(&job->net, &job->trial);
            soothi_sofnn_add(&job->net, soothi_sofnn_row(job, job->order[k]), &job->o);
            double now = soothi_sofnn_solve(job);
            if (now < 0.0 || (found >= 0.0 && now >= found)) continue;
            found = now;
            chosen = job->order[k];
        }
        soothi_sofnn_copy(&job->net, &job->trial);
        if (found < 0.0) break;
        soothi_sofnn_add(&job->net, soothi_sofnn_row(job, chosen), &job->o);
        soothi_sofnn_cover(job);
        double score = soothi_sofnn_choose_lambda(job, SOOTHI_SOFNN_WORK);
        if (score < 0.0) break;
        error = soothi_sofnn_residuals(job);
        soothi_report_loss(job->env, stage, job->net.rules, error, score);
        if (score < 0.999 * least) {
            least = score;
            best_lambda = job->lambda;
            soothi_sofnn_copy(&job->best, &job->net);
            idle = 0;
        } else {
            ++idle;
        }
    }
    soothi_sofnn_copy(&job->net, &job->best);
    job->lambda = best_lambda;
    if (job->net.rules == 1) soothi_sofnn_cover(job); /* its consequent is independent of its widths */
    return SOOTH_OK;
}

/* ---- one pass ---- */

/* The four cases of Leng et al.: error small or large, row covered or not. Each change is tried by least
   squares on all rows so far. Then rules are pruned and merged. */
SOOTHI_LOCAL void soothi_sofnn_take_in(soothi_sofnn_job *job, size_t r, size_t best, int covered, int add) {
    if (!covered) {
        soothi_sofnn_copy(&job->trial, &job->net);
        soothi_sofnn_widen(&job->net, best, soothi_sofnn_row(job, r), job->o.widen_factor, job->log_cover);
        if (add) {
            add = soothi_sofnn_solve(job) < 0.0 ||
                  soothi_sqrt(soothi_sofnn_row_error(job, r, &best)) > job->o.error_threshold;
            if (add) soothi_sofnn_copy(&job->net, &job->trial);
        }
    }
    if (add && job->net.rules < job->net.capacity)
        soothi_sofnn_add(&job->net, soothi_sofnn_row(job, r), &job->o);
    soothi_sofnn_prune(job, job->o.target_rmse);
    if (soothi_sofnn_merge(&job->net, job->o.merge_distance)) soothi_sofnn_solve(job);
}

/* A row that needs no change only updates the consequents. Trying takes longer as rows accumulate. After
   SOOTHI_SOFNN_WORK, the k rows after each try update consequents only, with k chosen so that the cost stays
   within SOOTHI_SOFNN_ROW_WORK per row. If solving alone costs more, rows are skipped in the same way. */
SOOTHI_LOCAL sooth_status soothi_sofnn_one_pass(soothi_sofnn_job *job) {
    const size_t all = job->rows;
    size_t best, try_from = 0, follow_from = 0;
    sooth_status status = SOOTH_OK;
    job->rows = 1;
    if (soothi_sofnn_solve(job) < 0.0) return SOOTH_NOT_CONVERGED;
    for (size_t r = 1; r < all && status == SOOTH_OK; ++r) {
        const double error = soothi_sqrt(soothi_sofnn_row_error(job, r, &best)), before = job->work;
        const int covered = job->fire[best] >= job->log_cover, add = error > job->o.error_threshold,
                  tries = (add || !covered) && r >= try_from;
        size_t *from = tries ? &try_from : &follow_from;
        status = soothi_progress(job->env, "growing rules", (double)r / (double)all);
        soothi_report_loss(job->env, "growing rules", r, error, (double)soothi_missing());
        job->rows = r + 1;
        if (!tries && r < follow_from) continue;
        if (tries) {
            soothi_sofnn_take_in(job, r, best, covered, add);
        } else {
            soothi_sofnn_gather(job);
            if (!soothi_sofnn_solve_consequents(job)) return SOOTH_NOT_CONVERGED;
        }
        if (job->work > SOOTHI_SOFNN_WORK)
            *from = r + 1 + (size_t)((job->work - before) / SOOTHI_SOFNN_ROW_WORK);
        soothi_sofnn_copy(&job->best, &job->net);
    }
    job->rows = all;
    job->base_rows = 0;
    return status;
}

/* ---- refinement ---- */

/* Computes the gradient of half the mean squared error by centres and log widths. The consequents are fixed
   at their optimum, so it is also the gradient of the error after solving (variable projection, Golub and
   Pereyra 1973). d log phi_j / d c_i = z_i / s_i, d log phi_j / d log s_i = z_i^2, d y / d log phi_j = psi_j
   (w_j - y). A centre also moves its plane: d w_j / d c_i = -a_i. */
SOOTHI_LOCAL void soothi_sofnn_slope(soothi_sofnn_job *job) {
    const soothi_sofnn_net *net = &job->net;
    const size_t n = net->n, m = net->m, b = net->b;
    memset(job->slope, 0, 2 * net->rules * n * sizeof(double));
    for (size_t r = 0; r < job->rows; ++r) {
        const float *row = soothi_sofnn_row(job, r);
        const double w = soothi_sofnn_weight(job, r) / job->weights / (double)m;
        soothi_sofnn_design(job, row, 1.0, job->vector, 1);
        for (size_t t = 0; t < m; ++t) {
            const double y = soothi_sofnn_output(net, job->vector, t);
            const double e = w * (y - soothi_sofnn_target(job, r, t)) / (job->scale[t] * job->scale[t]);
            for (size_t j = 0; j < net->rules; ++j) {
                const double share = job->share[j];
                const double *theta = soothi_sofnn_theta(net, j, t);
                double says = theta[0];
                if (!(share > 1e-12)) continue;
                for (size_t i = 0; i + 1 < b; ++i)
                    says += theta[1 + i] * (soothi_sofnn_clamp(job, row, i) - net->centre[j * n + i]);
                double turn = e * share * (says - y);
                for (size_t i = 0; i < n; ++i) {
                    const double z = soothi_sofnn_distance(net, j, i, row), s = net->width[j * n + i];
                    if (!(s > 0.0)) continue;
                    job->slope[2 * (j * n + i)] += turn * z / s * net->range[i];
                    job->slope[2 * (j * n + i) + 1] += turn * z * z;
                    if (b > 1) job->slope[2 * (j * n + i)] -= e * share * theta[1 + i] * net->range[i];
                }
            }
        }
    }
}

/* Descends the gradient, centres in ranges and widths in logarithms, with least squares after each step.
   Steps without gain are undone and halved. */
SOOTHI_LOCAL void soothi_sofnn_refine(soothi_sofnn_job *job) {
    double error = soothi_sofnn_solve(job), step = 0.05;
    int fresh = 0;
    for (size_t k = 0; k < job->o.refine_iter && error > 0.0 && step > 1e-9; ++k) {
        const size_t count = job->net.rules * job->net.n;
        double length = 0.0;
        if (k % 32 == 31) {
            soothi_sofnn_choose_lambda(job, SOOTHI_SOFNN_WORK);
            error = soothi_sofnn_residuals(job);
            fresh = 0;
        }
        if (!fresh) soothi_sofnn_slope(job);
        for (size_t i = 0; i < 2 * count; ++i) length += job->slope[i] * job->slope[i];
        if (!(length > 0.0)) return;
        length = soothi_sqrt(length);
        soothi_sofnn_copy(&job->trial, &job->net);
        for (size_t i = 0; i < count; ++i) {
            const double range = job->net.range[i % job->net.n];
            if (!(job->net.width[i] > 0.0)) continue;
            job->net.centre[i] -= step * job->slope[2 * i] / length * range;
            job->net.width[i] *= soothi_exp(-step * job->slope[2 * i + 1] / length);
            if (job->net.width[i] < 1e-3 * range) job->net.width[i] = 1e-3 * range;
        }
        double now = soothi_sofnn_solve(job);
        fresh = !(now >= 0.0 && now < error);
        if (fresh) soothi_sofnn_copy(&job->net, &job->trial);
        else error = now;
        soothi_report_loss(job->env, "refining rules", k + 1, error, (double)soothi_missing());
        step *= fresh ? 0.5 : 1.3;
    }
    soothi_sofnn_choose_lambda(job, 1e300);
}

/* ---- fitting ---- */

SOOTHI_LOCAL double *soothi_sofnn_doubles(soothi_carver *c, size_t count) {
    return (double *)soothi_carve(c, count, sizeof(double));
}

SOOTHI_LOCAL void soothi_sofnn_carve_net(soothi_carver *c, soothi_sofnn_net *net) {
    net->centre = soothi_sofnn_doubles(c, net->capacity * net->n);
    net->width = soothi_sofnn_doubles(c, net->capacity * net->n);
    net->theta = soothi_sofnn_doubles(c, net->capacity * net->b * net->m);
}

/* Lays out the scratch. */
SOOTHI_LOCAL void soothi_sofnn_carve(soothi_carver *c, soothi_sofnn_job *job, size_t rows, size_t cols,
                                     size_t targets) {
    soothi_sofnn_net *net = &job->net;
    net->n = cols;
    net->m = targets;
    net->b = soothi_sofnn_slopes_of(&job->o) ? 1 + cols : 1;
    net->capacity = rows / net->b < job->o.max_rules ? rows / net->b : job->o.max_rules;
    if (net->capacity == 0) net->capacity = 1;
    const size_t columns = net->capacity * net->b;
    net->range = soothi_sofnn_doubles(c, cols);
    job->best = job->trial = job->base = *net;
    soothi_sofnn_carve_net(c, net);
    soothi_sofnn_carve_net(c, &job->best);
    soothi_sofnn_carve_net(c, &job->trial);
    job->low = soothi_sofnn_doubles(c, cols);
    job->high = soothi_sofnn_doubles(c, cols);
    job->mean = soothi_sofnn_doubles(c, targets);
    job->scale = soothi_sofnn_doubles(c, targets);
    job->least = soothi_sofnn_doubles(c, targets);
    job->most = soothi_sofnn_doubles(c, targets);
    job->gram = soothi_sofnn_doubles(c, (columns + targets) * (columns + targets));
    if (job->o.growth == SOOTH_SOFNN_ONE_PASS) {
        job->base_gram = soothi_sofnn_doubles(c, (columns + targets) * (columns + targets));
        soothi_sofnn_carve_net(c, &job->base);
    }
    job->a = soothi_sofnn_doubles(c, columns * columns);
    job->norm = soothi_sofnn_doubles(c, columns);
    job->block = soothi_sofnn_doubles(c, (columns + targets) * (SOOTHI_SOFNN_ROWS + net->b));
    job->fire = soothi_sofnn_doubles(c, net->capacity);
    job->share = soothi_sofnn_doubles(c, net->capacity);
    job->error = soothi_sofnn_doubles(c, rows);
    job->vector = soothi_sofnn_doubles(c, columns + net->b + cols + 1);
    job->slope = soothi_sofnn_doubles(c, 2 * net->capacity * cols);
    job->at = (uint32_t *)soothi_carve(c, rows, sizeof(uint32_t));
    job->order = (uint32_t *)soothi_carve(c, 1024, sizeof(uint32_t)); /* at most 1000 candidates */
}

/* Returns the max number of rules that rows of distinct inputs determine. Repeated rows do not add any. */
SOOTHI_LOCAL size_t soothi_sofnn_room(soothi_sofnn_job *job) {
    const size_t enough = job->net.capacity * job->net.b; /* the capacity of job->vector */
    size_t found = 0, k;
    for (size_t r = 0; r < job->rows && found < enough; ++r) {
        for (k = 0; k < found && !soothi_sofnn_twins(job, r, (size_t)job->vector[k]);) ++k;
        if (k == found) job->vector[found++] = (double)r;
    }
    return found < job->net.b ? 1 : found / job->net.b;
}

/* Computes boxes and ranges of inputs and scales of targets, and the first rule at the row nearest to the
   mean. A box ends at four mean deviations. Rows count by weight, so inputs of light rows alone may lie
   outside. */
SOOTHI_LOCAL void soothi_sofnn_start(soothi_sofnn_job *job) {
    soothi_sofnn_net *net = &job->net;
    const size_t n = net->n, m = net->m, rows = job->rows;
    double weights = 0.0;
    for (size_t r = 0; r < rows; ++r) weights += soothi_sofnn_weight(job, r);
    for (size_t i = 0; i < n; ++i) {
        double low = (double)soothi_sofnn_row(job, 0)[i], high = low, mean = 0.0, centre = 0.0, apart = 0.0;
        for (size_t r = 0; r < rows; ++r) {
            const double v = (double)soothi_sofnn_row(job, r)[i];
            low = v < low ? v : low;
            high = v > high ? v : high;
            mean += soothi_sofnn_weight(job, r) * v;
            centre += soothi_sofnn_weight(job, r) * v / weights;
        }
        for (size_t r = 0; r < rows; ++r)
            apart += soothi_sofnn_weight(job, r) * soothi_abs((double)soothi_sofnn_row(job, r)[i] - centre);
        apart *= 4.0 / weights;
        if (!job->o.extrapolate && low < centre - apart) low = centre - apart;
        if (!job->o.extrapolate && high > centre + apart) high = centre + apart;
        job->low[i] = (double)(float)low;
        job->high[i] = (double)(float)high;
        net->range[i] = job->o.premises && !job->o.premises[i] ? 0.0 : high - low;
        job->vector[i] = mean / weights;
    }
    for (size_t t = 0; t < m; ++t) {
        double mean = 0.0, square = 0.0;
        job->least[t] = job->most[t] = soothi_sofnn_target(job, 0, t);
        for (size_t r = 0; r < rows; ++r) {
            const double y = soothi_sofnn_target(job, r, t);
            job->least[t] = y < job->least[t] ? y : job->least[t];
            job->most[t] = y > job->most[t] ? y : job->most[t];
            mean += soothi_sofnn_weight(job, r) * y;
        }
        mean /= weights;
        job->mean[t] = mean;
        for (size_t r = 0; r < rows; ++r) {
            const double d = soothi_sofnn_target(job, r, t) - mean;
            square += soothi_sofnn_weight(job, r) * d * d;
        }
        job->scale[t] = square > 0.0 ? soothi_sqrt(square / weights) : 1.0;
    }
    for (size_t r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (size_t i = 0; i < n; ++i) {
            const double z = net->range[i] > 0.0
                                 ? ((double)soothi_sofnn_row(job, r)[i] - job->vector[i]) / net->range[i]
                                 : 0.0;
            sum += z * z;
        }
        job->error[r] = sum;
    }
    const size_t middle =
        job->o.growth == SOOTH_SOFNN_ONE_PASS ? 0 : soothi_sofnn_extreme_row(job, job->error, -1.0, NULL, 0);
    soothi_sofnn_add(net, soothi_sofnn_row(job, middle), &job->o);
}

/* Keeps the max_premises inputs along which the error of one rule (first order: a linear model) varies most.
   Measured is the variance between eight equal parts of the range. Other inputs get no membership
   functions. */
SOOTHI_LOCAL void soothi_sofnn_choose(soothi_sofnn_job *job) {
    soothi_sofnn_net *net = &job->net;
    size_t part;
    if (job->o.max_premises == 0 || job->o.max_premises >= net->n || soothi_sofnn_solve(job) < 0.0) return;
    memset(job->slope, 0, net->n * sizeof(double));
    for (size_t t = 0; t < net->m; ++t)
        for (size_t i = 0; i < net->n; ++i) {
            double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}, weight[8] = {0, 0, 0, 0, 0, 0, 0, 0};
            if (!(net->range[i] > 0.0)) continue;
            for (size_t r = 0; r < job->rows; ++r) {
                const float *row = soothi_sofnn_row(job, r);
                soothi_sofnn_design(job, row, 1.0, job->vector, 1);
                const double e = soothi_sofnn_target(job, r, t) - soothi_sofnn_output(net, job->vector, t);
                part = (size_t)(7.999 * (soothi_sofnn_clamp(job, row, i) - job->low[i]) / net->range[i]);
                sum[part] += soothi_sofnn_weight(job, r) * e / job->scale[t];
                weight[part] += soothi_sofnn_weight(job, r);
            }
            for (part = 0; part < 8; ++part)
                if (weight[part] > 0.0) job->slope[i] += sum[part] * sum[part] / weight[part];
        }
    for (size_t k = 0; k < job->o.max_premises; ++k) {
        size_t most = net->n;
        for (size_t i = 0; i < net->n; ++i)
            if (net->range[i] > 0.0 && job->slope[i] >= 0.0 &&
                (most == net->n || job->slope[i] > job->slope[most]))
                most = i;
        if (most < net->n) job->slope[most] = -1.0;
    }
    for (size_t i = 0; i < net->n; ++i)
        if (!(job->slope[i] < 0.0)) net->range[i] = net->width[i] = 0.0;
}

/* Rejects a network whose rules could overflow a float for a row within the ranges of the columns. */
SOOTHI_LOCAL sooth_status soothi_sofnn_bounded(const soothi_sofnn_job *job, const sooth_sofnn *m) {
    const size_t n = m->head.features, width = soothi_sofnn_width(m);
    char buffer[32];
    for (size_t t = 0; t < m->head.targets; ++t) {
        double sum = 0.0, most = -1.0, farthest = 0.0;
        size_t column = 0;
        for (size_t j = 0; j < m->rules; ++j) {
            const float *a = soothi_sofnn_consequent(m) + (j * m->head.targets + t) * width;
            sum += soothi_abs((double)a[0]);
            for (size_t i = 0; m->order && i < n; ++i) {
                const double c = (double)soothi_sofnn_centre(m)[j * n + i];
                const double below = c - job->low[i], above = job->high[i] - c;
                const double distance = above > below ? above : below;
                /* the distance is also a float */
                const double part = distance < 3e38 ? soothi_abs((double)a[1 + i]) * distance : distance;
                sum += part;
                if (!(part > most)) continue;
                most = part;
                farthest = distance;
                column = i;
            }
        }
        if (!(sum < 3e38))
            return sooth_fail(job->env, SOOTH_BAD_DATA,
                              "the rules can reach %G for target %z, which overflows a float; values of %s "
                              "lie up to %G from the centre of a rule",
                              sum, t + 1, soothi_column(job->table, column, buffer), farthest);
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_sofnn_make(soothi_sofnn_job *job, sooth_sofnn **model) {
    const soothi_sofnn_net *net = &job->net;
    const int slopes = soothi_sofnn_slopes_of(&job->o);
    sooth_sofnn *m = soothi_sofnn_new(job->env, net->n, net->m, net->rules, slopes);
    if (!m) return SOOTH_NO_MEMORY;
    float *low = soothi_sofnn_mutable(m, soothi_sofnn_low(m));
    for (size_t i = 0; i < net->n; ++i) {
        low[i] = job->o.extrapolate ? -3e38f : (float)job->low[i];
        low[net->n + i] = job->o.extrapolate ? 3e38f : (float)job->high[i];
    }
    for (size_t i = 0; i < net->rules; ++i) soothi_sofnn_write_rule(net, i, m);
    for (size_t i = 0; i < net->m; ++i) soothi_sofnn_bound(m, &job->o, i, job->least[i], job->most[i]);
    const sooth_status status = soothi_sofnn_bounded(job, m);
    if (status != SOOTH_OK) {
        sooth_sofnn_free(job->env, m);
        return status;
    }
    soothi_block_seal(&m->head);
    *model = m;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_sofnn_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_sofnn_options *options, sooth_sofnn **model) {
    soothi_carver c = {NULL, 0};
    soothi_sofnn_job job;
    size_t rows = 0;
    *model = NULL;
    memset(&job, 0, sizeof job);
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status == SOOTH_OK) status = soothi_sofnn_resolve(env, options, table->cols, table->targets, &job.o);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < table->rows; ++i) rows += !table->weight || table->weight[i] > 0.0f;
    soothi_sofnn_carve(&c, &job, rows, table->cols, table->targets);
    size_t bytes = c.used;
    c.used = 0;
    c.memory = (unsigned char *)sooth_alloc(env, bytes, 1);
    if (!c.memory) return sooth_no_memory(env, "growing a fuzzy network", bytes);
    memset(c.memory, 0, bytes);
    soothi_sofnn_carve(&c, &job, rows, table->cols, table->targets);
    for (size_t i = 0; i < table->rows; ++i)
        if (!table->weight || table->weight[i] > 0.0f) job.at[job.rows++] = (uint32_t)i;
    job.env = env;
    job.table = table;
    job.log_cover = soothi_log(job.o.coverage);
    job.lambda = job.o.lambda > 0.0 ? job.o.lambda : 1e-9;
    job.net.capacity = soothi_sofnn_room(&job);
    soothi_sofnn_start(&job);
    soothi_sofnn_choose(&job);
    status = job.o.growth == SOOTH_SOFNN_ONE_PASS ? soothi_sofnn_one_pass(&job) : soothi_sofnn_batch(&job);
    if (status == SOOTH_OK) {
        soothi_sofnn_merge(&job.net, job.o.merge_distance);
        if (soothi_sofnn_choose_lambda(&job, 1e300) < 0.0) status = SOOTH_NOT_CONVERGED;
        double error = soothi_sofnn_residuals(&job);
        soothi_sofnn_prune(&job, 1.05 * error > job.o.target_rmse && job.o.growth == SOOTH_SOFNN_BATCH
                                     ? 1.05 * error
                                     : job.o.target_rmse);
        if (job.o.refine_iter) soothi_sofnn_refine(&job);
        else if (soothi_sofnn_solve(&job) < 0.0) status = SOOTH_NOT_CONVERGED;
    } else if (status == SOOTH_CANCELLED) { /* the first rule is fitted before the first check for
                                               cancellation */
        soothi_sofnn_copy(&job.net, &job.best);
    }
    if (status == SOOTH_NOT_CONVERGED)
        sooth_fail(env, status,
                   "the consequents of %z rules could not be solved; the targets or inputs may be too large",
                   job.net.rules);
    if (status == SOOTH_OK || status == SOOTH_CANCELLED) {
        const sooth_status made = soothi_sofnn_make(&job, model);
        if (made != SOOTH_OK) status = made;
    }
    sooth_free(env, c.memory, bytes, 1);
    return status;
}

SOOTH_API void sooth_sofnn_free(sooth_env *env, sooth_sofnn *model) {
    if (model) soothi_block_free(env, &model->head);
}

SOOTH_API size_t sooth_sofnn_size(const sooth_sofnn_options *options, size_t cols, size_t targets) {
    sooth_sofnn_options o;
    if (soothi_sofnn_resolve(NULL, options, cols, targets, &o) != SOOTH_OK) return 0;
    return soothi_sofnn_bytes(cols, targets, o.max_rules, soothi_sofnn_slopes_of(&o));
}

SOOTH_API size_t sooth_sofnn_scratch_size(const sooth_sofnn_options *options, size_t rows, size_t cols,
                                          size_t targets) {
    soothi_carver c = {NULL, 0};
    soothi_sofnn_job job;
    memset(&job, 0, sizeof job);
    if (soothi_sofnn_resolve(NULL, options, cols, targets, &job.o) != SOOTH_OK) return 0;
    soothi_sofnn_carve(&c, &job, rows, cols, targets);
    return c.used;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_SOFNN_RULES_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_RULES_IMPLEMENTED))
#include "sofnn/online.h"
#include "sofnn/rules.h"
#endif
