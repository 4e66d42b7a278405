/* sofnn.h - a self-organising fuzzy neural network: readable rules that grow from data, row by row too.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Rule j has a centre c and a width s per input (an ellipsoidal basis neuron). It fires by phi_j and answers
 * w_jk for output k; the network answers their mean:
 *
 *     phi_j = exp(-1/2 sum_i ((x_i - c_ij) / s_ij)^2)
 *     w_jk = a_jk0 + sum_i a_jki (x_i - c_ij)   (first order; zero order: a_jk0, Yao et al. 2022, eq. 3)
 *     y_k = sum_j phi_j w_jk / sum_j phi_j
 *
 * Firing is kept as a logarithm, so dozens of inputs do not underflow; far from all rules the closest one
 * (in its own widths) answers alone, and the coverage says so. Rules are added where the error is large or
 * no rule covers the row, widened where only the coverage lacks, pruned where they hardly matter, merged
 * where they coincide (Leng, McGinnity and Prasad, Fuzzy Sets and Systems 150, 2005).
 *
 * Inputs with heavy tails do no harm: planes are fitted and evaluated in a box, the training range, but no
 * further from the mean than four mean absolute deviations; their slopes are shrunk as far as rows left out
 * of the fit say; and answers lie within the targets' range and a margin.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/sofnn.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {5, 4, 3, 2, 2, 3, 4, 5};
 *         sooth_env env;
 *         sooth_table table;
 *         sooth_sofnn *model;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, x, 8, 1);
 *         table.y = y;
 *         table.targets = 1;
 *         if (sooth_sofnn_fit(&env, &table, NULL, &model) != SOOTH_OK) return puts(env.sentence);
 *         printf("%u rules, %g ms\n", model->rules, (double)sooth_sofnn_predict(model, x + 2));
 *         sooth_sofnn_free(&env, model);
 *         return 0;
 *     }
 *
 * Costs, for n inputs, u rules, m outputs, b = 1 + n (zero order: 1), M = u b, N rows:
 *   fit      batch: about 12 (N M^2 / 2 + M^3 / 6) multiply-adds for each rule that is added, fewer on large
 *            tables; scratch: sooth_sofnn_work
 *   learn    one row: 1.5 b^2 multiply-adds in float for each rule that fires (recursion=local; 2.5 us for 32
 *            rules of 14 inputs, all firing), 1.5 M^2 in double (global: 60 us); no allocation;
 *            memory: sooth_sofnn_learner_size
 *   predict  u (2 n + m b) multiply-adds and u exponentials; no allocation, no double; 1 KiB of stack
 *   model    4 u (2 n + m b) + 8 (n + m) + 64 bytes
 */
#include "solve.h"

#ifndef SOOTH_SOFNN_H
#define SOOTH_SOFNN_H

#ifdef __cplusplus
extern "C" {
#endif

#define SOOTH_SOFNN_VERSION 2
#define SOOTH_SOFNN_MOST_RULES 256
#define SOOTH_SOFNN_MOST_PARAMETERS 4096 /* rules x (1 + inputs) */

/* The block: this struct; then as words
     float low[features], high[features]   the box that planes are evaluated in
           centre[room x features]
           steep[room x features]          1 / width; 0: the rule does not look at this input
           answer[room x targets x width]  a_0, then the slopes; width is 1 + features x order
           least[targets], most[targets]   answers are kept between them
   The first `rules` of `room` rules are in force. */
typedef struct sooth_sofnn {
    sooth_block head;
    uint32_t rules;
    uint32_t room;  /* rules that there is room for; as many as there are after fitting */
    uint32_t order; /* 1: slopes, 0: constants */
    uint32_t zero[5];
} sooth_sofnn;

SOOTH_API int sooth_sofnn_check(const void *bytes, size_t size);

/* The first output for a row of head.features floats; all outputs of many rows. A NaN in the row makes the
 * answer NaN. */
SOOTH_API float sooth_sofnn_predict(const sooth_sofnn *model, const float *row);
SOOTH_API void sooth_sofnn_predict_many(const sooth_sofnn *model, const float *x, size_t rows, size_t stride,
                                        float *out);
SOOTH_API sooth_cost sooth_sofnn_cost(const sooth_sofnn *model);

/* All outputs of one row, and as result the coverage: log phi of the rule that fires most. 0 at a centre, -2
   at two widths from it (where growing calls a row covered), below -8 more than four widths from every rule:
   then the answer is the closest rule's and should be distrusted. */
SOOTH_API float sooth_sofnn_predict_covered(const sooth_sofnn *model, const float *row, float *out);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_sofnn_grow {
    /* all rows at once: the rule, of several tried, that lowers the error most; the order of rows does not
       matter */
    SOOTH_SOFNN_BATCH = 0,
    SOOTH_SOFNN_ONE_PASS /* row by row as Leng et al. do, with least squares on all rows so far */
} sooth_sofnn_grow;

typedef enum sooth_sofnn_prune {
    /* ranks rules by the rise of the squared error without them, dE_j = 1/2 tr(theta_j' (Q_jj)^-1 theta_j) */
    SOOTH_SOFNN_BRAIN_SURGEON = 0,
    SOOTH_SOFNN_ERROR_REDUCTION, /* by their error-reduction ratio eta_j (Wu and Er 2000, eq. 28 to 36) */
    SOOTH_SOFNN_NO_PRUNING
} sooth_sofnn_prune;

typedef enum sooth_sofnn_recursion {
    /* every rule learns by itself, weighted by its share: cheap, and rules that do not fire keep what they
       know */
    SOOTH_SOFNN_LOCAL = 0,
    SOOTH_SOFNN_GLOBAL /* one least-squares problem of all rules: exact, O((rules x inputs)^2) */
} sooth_sofnn_recursion;

/* Errors are in units of a target's standard deviation, widths and distances in units of an input's range. */
typedef struct sooth_sofnn_options {
    uint32_t order;       /* 0: first order; 1: zero order */
    uint32_t grow;        /* a sooth_sofnn_grow */
    uint32_t prune;       /* a sooth_sofnn_prune */
    uint32_t recursion;   /* of a learner: a sooth_sofnn_recursion */
    uint32_t max_rules;   /* 0: 32 */
    uint32_t candidates;  /* rules tried for each that is added (batch); 0: 8, fewer on large tables */
    uint32_t patience;    /* rules added without gain before batch growth stops; 0: 4 */
    uint32_t polish;      /* steps of gradient descent on centres and widths after growth; 0: none */
    uint32_t premises;    /* inputs that rules look at, chosen by where a linear model fails; 0: all */
    uint32_t extrapolate; /* 1: neither planes nor answers are kept within what the training rows show */
    uint32_t settle;      /* rows per parameter of a rule that a learner waits before the next rule; 0: 2 */
    double delta;         /* the error that calls for a rule (one pass, learner); 0: 0.1 */
    double wanted;        /* the root mean square error that is good enough (k_rmse); 0: 0.01 */
    double first_width;   /* sigma_0; 0: 0.4 */
    double reach;         /* k_d: a membership function this close is used again; 0: 0.1 */
    double widen;         /* k_sigma, the factor of one widening; 0: 1.12 */
    double coverage;      /* phi below which a row is not covered; 0: 0.1354 */
    double lambda;        /* a rule goes when the error falls below lambda times what it was; 0: 0.8 */
    double merge;         /* centres this close become one; 0: only equal ones */
    double ridge;         /* 0: chosen by leaving rows out; of one pass while it grows: 1e-9 */
    double margin;        /* answers lie at most this share of the targets' range beyond it; 0: 0.1 */
    double forgetting;    /* of a learner, per row; 0: 1, none */
    double spread;        /* first variance of every parameter of a learner; 0: 1e4 */

    /* premise: per input, 1 when rules may look at it; NULL: all (constant inputs never). Of a learner: low
       and high, the range of each input (NULL: as seen so far); from, rules of this shape to begin with. */
    const unsigned char *premise;
    const float *low, *high;
    const struct sooth_sofnn *from;
} sooth_sofnn_options;

/* Grows a network. SOOTH_NOT_CONVERGED when not even one rule could be solved for. After SOOTH_CANCELLED
   *model is the best so far, if there is one; NULL after every other failure. */
SOOTH_API sooth_status sooth_sofnn_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_sofnn_options *options, sooth_sofnn **model);
SOOTH_API void sooth_sofnn_free(sooth_env *env, sooth_sofnn *model);
SOOTH_API sooth_option_list sooth_sofnn_options_list(void);

/* Bytes of a model with max_rules rules, and of the scratch that fitting takes on top of it in one piece; 0
 * where the options are wrong. */
SOOTH_API size_t sooth_sofnn_size(const sooth_sofnn_options *options, size_t cols, size_t targets);
SOOTH_API size_t sooth_sofnn_work(const sooth_sofnn_options *options, size_t rows, size_t cols,
                                  size_t targets);

/* ---- learning one row at a time ---- */

/* Everything lies in the memory given to sooth_sofnn_learner_init. `model` may be used for prediction between
 * two rows. */
typedef struct sooth_sofnn_learner {
    sooth_sofnn *model;
    sooth_sofnn_options options; /* the defaults filled in */
    struct soothi_sofnn_state *state;
} sooth_sofnn_learner;

SOOTH_API size_t sooth_sofnn_learner_size(const sooth_sofnn_options *options, size_t cols, size_t targets);

/* memory: aligned like malloc's; SOOTH_NO_MEMORY when size is below sooth_sofnn_learner_size. */
SOOTH_API sooth_status sooth_sofnn_learner_init(sooth_env *env, sooth_sofnn_learner *learner,
                                                const sooth_sofnn_options *options, size_t cols,
                                                size_t targets, void *memory, size_t size);

/* Learns from one row (features) and its targets. Ignores it and returns 0 when a number is not finite. */
SOOTH_API int sooth_sofnn_learn(sooth_sofnn_learner *learner, const float *row, const float *target);

/* Enters the checksum, so that learner->model's head.size bytes can be saved. */
SOOTH_API const sooth_sofnn *sooth_sofnn_seal(sooth_sofnn_learner *learner);

/* 1 while the covariance is sound: positive, finite, at most the first spread. */
SOOTH_API int sooth_sofnn_sound(const sooth_sofnn_learner *learner);

/* ---- rules as text ---- */

/* One rule a line: "IF l2_read is about 3.1e6 +- 2e5 AND N is about 4 +- 1 THEN time is 12 + 2 (l2_read
   - 3.1e6) + ...", after a head with the ranges. Numbers are such that reading gives the same model again.
   names: one per input, outputs: one per target; NULL: "input 1", "output 1". */
SOOTH_API void sooth_sofnn_write(const sooth_sofnn *model, const char *const *names,
                                 const char *const *outputs, sooth_sink *sink);

/* SOOTH_BAD_TEXT with the line in the sentence. */
SOOTH_API sooth_status sooth_sofnn_read(sooth_env *env, const char *text, size_t size, sooth_sofnn **model);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_SOFNN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_IMPLEMENTED)
#define SOOTH_SOFNN_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- where things are ---- */

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
    return soothi_sofnn_centre(m) + (size_t)m->room * m->head.features;
}
SOOTHI_LOCAL const float *soothi_sofnn_answer(const sooth_sofnn *m) {
    return soothi_sofnn_steep(m) + (size_t)m->room * m->head.features;
}
SOOTHI_LOCAL size_t soothi_sofnn_width(const sooth_sofnn *m) {
    return 1u + (m->order ? (size_t)m->head.features : 0u);
}

SOOTHI_LOCAL const float *soothi_sofnn_least(const sooth_sofnn *m) {
    return soothi_sofnn_answer(m) + (size_t)m->room * m->head.targets * soothi_sofnn_width(m);
}
SOOTHI_LOCAL const float *soothi_sofnn_most(const sooth_sofnn *m) {
    return soothi_sofnn_least(m) + m->head.targets;
}

SOOTHI_LOCAL uint64_t soothi_sofnn_floats(uint64_t features, uint64_t targets, uint64_t room,
                                          uint64_t order) {
    return 2 * features + 2 * room * features + room * targets * (1 + order * features) + 2 * targets;
}

SOOTH_API int sooth_sofnn_check(const void *bytes, size_t size) {
    const sooth_sofnn *m = (const sooth_sofnn *)bytes;
    const float *value;
    uint64_t floats;
    size_t i;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SOFNN, SOOTH_SOFNN_VERSION) ||
        m->head.doubles_at < sizeof *m)
        return 0;
    if (m->rules == 0 || m->rules > m->room || m->room > SOOTH_SOFNN_MOST_RULES || m->order > 1 ||
        m->head.features == 0 || m->head.targets == 0 || m->head.features > 0x10000u ||
        m->head.targets > 0x10000u)
        return 0;
    floats = soothi_sofnn_floats(m->head.features, m->head.targets, m->room, m->order);
    if (m->head.doubles_at != ((sizeof *m + 4 * floats + 15u) & ~(uint64_t)15u) ||
        m->head.size != m->head.doubles_at)
        return 0;
    value = soothi_sofnn_low(m);
    for (i = 0; i < floats; ++i)
        if (soothi_bits(value[i]) << 1 >= 0xFF000000u) return 0;
    for (i = 0; i < (size_t)m->room * m->head.features; ++i)
        if (soothi_sofnn_steep(m)[i] < 0.0f) return 0;
    for (i = 0; i < m->head.targets; ++i)
        if (soothi_sofnn_least(m)[i] > soothi_sofnn_most(m)[i]) return 0;
    return 1;
}

/* ---- predicting ---- */

/* log phi_j = -1/2 sum ((x_i - c_i) steep_i)^2 in four lanes. Where that overflows, a distance beyond 1e15
   widths counts as that much. */
SOOTHI_LOCAL float soothi_sofnn_fire(const float *centre, const float *steep, const float *row, size_t cols) {
    float lane[4] = {0, 0, 0, 0}, sum;
    size_t i, k;
    for (i = 0; i + 4 <= cols; i += 4)
        for (k = 0; k < 4; ++k) {
            const float z = (row[i + k] - centre[i + k]) * steep[i + k];
            lane[k] += z * z;
        }
    for (k = 0; i < cols; ++i, ++k) {
        const float z = (row[i] - centre[i]) * steep[i];
        lane[k] += z * z;
    }
    sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    if (!(sum < 1e30f))
        for (i = 0, sum = 0.0f; i < cols; ++i) {
            float d = row[i] - centre[i], z;
            d = d > 3e38f ? 3e38f : d < -3e38f ? -3e38f : d; /* infinity times 0 is no number */
            z = d * steep[i];
            z = z > 1e15f ? 1e15f : z < -1e15f ? -1e15f : z;
            sum += z * z;
        }
    return -0.5f * sum;
}

/* sum a_i (x_i - c_i) in four lanes */
SOOTHI_LOCAL float soothi_sofnn_slopes(const float *a, const float *centre, const float *x, size_t n) {
    float lane[4] = {0, 0, 0, 0};
    size_t i, k;
    for (i = 0; i + 4 <= n; i += 4)
        for (k = 0; k < 4; ++k) lane[k] += a[i + k] * (x[i + k] - centre[i + k]);
    for (k = 0; i < n; ++i, ++k) lane[k] += a[i] * (x[i] - centre[i]);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* The first `targets` outputs. The weights are exp(log phi_j - largest): their sum is at least 1. Those below
   e^-20 of the largest change no digit of a float and are left out. Planes are added up over 64 inputs at a
   time, which are kept within the training range. */
SOOTHI_LOCAL float soothi_sofnn_run(const sooth_sofnn *m, const float *row, float *out, size_t targets) {
    float share[SOOTH_SOFNN_MOST_RULES], x[64], best, sum = 0.0f;
    const size_t cols = m->head.features, width = soothi_sofnn_width(m), all = m->head.targets;
    const float *centre = soothi_sofnn_centre(m), *steep = soothi_sofnn_steep(m),
                *answer = soothi_sofnn_answer(m);
    const float *low = soothi_sofnn_low(m), *high = soothi_sofnn_high(m);
    size_t i, j, t, from;
    best = share[0] = soothi_sofnn_fire(centre, steep, row, cols);
    for (j = 1; j < m->rules; ++j) {
        share[j] = soothi_sofnn_fire(centre + j * cols, steep + j * cols, row, cols);
        best = share[j] > best ? share[j] : best;
    }
    for (t = 0; t < targets; ++t) out[t] = 0.0f;
    for (j = 0; j < m->rules; ++j) {
        share[j] = share[j] - best < -20.0f ? 0.0f : soothi_exp_f(share[j] - best);
        sum += share[j];
        for (t = 0; t < targets; ++t) out[t] += share[j] * answer[(j * all + t) * width];
    }
    for (from = 0; m->order && from < cols; from += 64) {
        const size_t n = cols - from < 64 ? cols - from : 64;
        for (i = 0; i < n; ++i) {
            const float v = row[from + i], least = low[from + i], most = high[from + i];
            x[i] = v < least ? least : v > most ? most : v;
        }
        for (j = 0; j < m->rules; ++j)
            for (t = 0; share[j] > 0.0f && t < targets; ++t)
                out[t] += share[j] * soothi_sofnn_slopes(answer + (j * all + t) * width + 1 + from,
                                                         centre + j * cols + from, x, n);
    }
    for (t = 0; t < targets; ++t) {
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
    size_t i;
    for (i = 0; i < rows; ++i)
        soothi_sofnn_run(model, x + i * stride, out + i * model->head.targets, model->head.targets);
}

SOOTH_API sooth_cost sooth_sofnn_cost(const sooth_sofnn *model) {
    sooth_cost cost;
    cost.bytes = model->head.size;
    cost.comparisons = 0;
    cost.functions = model->rules;
    cost.multiply_adds = (uint32_t)(model->rules * (2u * model->head.features +
                                                    model->head.targets * soothi_sofnn_width(model)));
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

static const sooth_option soothi_sofnn_option[] = {
    SOOTHI_CHOICE(sooth_sofnn_options, order, "first|zero", "first: a plane per rule; zero: a constant"),
    SOOTHI_CHOICE(sooth_sofnn_options, grow, "batch|one_pass", "all rows at once, or one after the other"),
    SOOTHI_CHOICE(sooth_sofnn_options, prune, "brain_surgeon|error_reduction|none",
                  "what ranks the rules that may go"),
    SOOTHI_CHOICE(sooth_sofnn_options, recursion, "local|global", "of a learner"),
    SOOTHI_COUNT(sooth_sofnn_options, max_rules, 1, SOOTH_SOFNN_MOST_RULES, 32, "never more rules than this"),
    SOOTHI_COUNT(sooth_sofnn_options, candidates, 1, 1000, 8, "rules tried for each that is added"),
    SOOTHI_COUNT(sooth_sofnn_options, patience, 1, 1000, 4, "rules without gain before growth stops"),
    SOOTHI_COUNT(sooth_sofnn_options, polish, 0, 1e6, 0, "gradient steps on centres and widths"),
    SOOTHI_COUNT(sooth_sofnn_options, premises, 0, 65536, 0, "inputs that rules look at; 0: all"),
    SOOTHI_FLAG(sooth_sofnn_options, extrapolate,
                "1: planes and answers are not bounded by the training rows"),
    SOOTHI_COUNT(sooth_sofnn_options, settle, 1, 1e6, 2, "rows per parameter before a learner's next rule"),
    SOOTHI_NUMBER(sooth_sofnn_options, delta, 1e-9, 1e9, 0.1,
                  "error that calls for a rule, in standard deviations"),
    SOOTHI_NUMBER(sooth_sofnn_options, wanted, 1e-12, 1e9, 0.01,
                  "root mean square error that is good enough"),
    SOOTHI_NUMBER(sooth_sofnn_options, first_width, 1e-6, 1e6, 0.4, "of the first rule, in ranges"),
    SOOTHI_NUMBER(sooth_sofnn_options, reach, 1e-9, 1e6, 0.1,
                  "a membership function this close is used again"),
    SOOTHI_NUMBER(sooth_sofnn_options, widen, 1.0001, 100, 1.12, "factor of one widening"),
    SOOTHI_NUMBER(sooth_sofnn_options, coverage, 1e-30, 0.99, 0.1354, "firing that covers a row"),
    SOOTHI_NUMBER(sooth_sofnn_options, lambda, 1e-6, 2, 0.8,
                  "a rule goes when the error falls to this share"),
    SOOTHI_NUMBER(sooth_sofnn_options, merge, 0, 1, 0, "centres this close become one"),
    SOOTHI_NUMBER(sooth_sofnn_options, ridge, 0, 10, 0, "of least squares; 0: chosen by leaving rows out"),
    SOOTHI_NUMBER(sooth_sofnn_options, margin, 0, 1e6, 0.1,
                  "of answers beyond the targets' range, in ranges"),
    SOOTHI_NUMBER(sooth_sofnn_options, forgetting, 0.5, 1, 1, "of a learner, per row"),
    SOOTHI_NUMBER(sooth_sofnn_options, spread, 1e-6, 1e12, 1e4, "first variance of a learner's parameters"),
};

SOOTH_API sooth_option_list sooth_sofnn_options_list(void) {
    sooth_option_list list;
    list.option = soothi_sofnn_option;
    list.count = sizeof soothi_sofnn_option / sizeof soothi_sofnn_option[0];
    return list;
}

/* Checks the options and fills the defaults in. */
SOOTHI_LOCAL sooth_status soothi_sofnn_resolve(sooth_env *env, const sooth_sofnn_options *options,
                                               size_t cols, size_t targets, sooth_sofnn_options *o) {
    const sooth_option_list list = sooth_sofnn_options_list();
    sooth_status status;
    size_t width;
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    status = sooth_option_check(env, list, o);
    if (status != SOOTH_OK) return status;
    soothi_option_fill(list, o);
    width = o->order ? 1 : 1 + cols;
    if (cols == 0 || targets == 0 || cols > 0x10000u || targets > 0x1000u)
        return soothi_fail(
            env, SOOTH_BAD_DATA,
            "the table has %z columns and %z targets, but there must be 1 to 65536 and 1 to 4096", cols,
            targets);
    if (soothi_product(o->max_rules, width) > SOOTH_SOFNN_MOST_PARAMETERS)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "max_rules is %u, but with %z columns it must be at most %z", o->max_rules, cols,
                           (size_t)SOOTH_SOFNN_MOST_PARAMETERS / width);
    return SOOTH_OK;
}

/* ---- rules in double, as they grow ---- */

typedef struct soothi_sofnn_net {
    size_t n, m, b, room, rules; /* inputs, outputs, parameters of a rule and output, capacity, rules */
    double *centre, *width;      /* room x n; width 0: the rule does not look at this input */
    double *theta;               /* room x m x b, like the model's answers */
    double *range;               /* n; 0: constant, or not in the premises */
} soothi_sofnn_net;

/* The consequent of rule j for output t: b numbers. */
SOOTHI_LOCAL double *soothi_sofnn_theta(const soothi_sofnn_net *net, size_t j, size_t t) {
    return net->theta + (j * net->m + t) * net->b;
}

/* Output t for a row of the design matrix. */
SOOTHI_LOCAL double soothi_sofnn_output(const soothi_sofnn_net *net, const double *design, size_t t) {
    double sum = 0.0;
    size_t j;
    for (j = 0; j < net->rules; ++j)
        sum += soothi_dot(design + j * net->b, soothi_sofnn_theta(net, j, t), net->b);
    return sum;
}

SOOTHI_LOCAL double soothi_sofnn_distance(const soothi_sofnn_net *net, size_t j, size_t i, const float *row) {
    const double s = net->width[j * net->n + i];
    return s > 0.0 ? ((double)row[i] - net->centre[j * net->n + i]) / s : 0.0;
}

SOOTHI_LOCAL double soothi_sofnn_log_fire(const soothi_sofnn_net *net, size_t j, const float *row) {
    double sum = 0.0;
    size_t i;
    for (i = 0; i < net->n; ++i) {
        const double z = soothi_sofnn_distance(net, j, i, row);
        sum += z * z;
    }
    return -0.5 * sum;
}

/* Log-firing to shares that sum to 1; returns the rule that fires most. */
SOOTHI_LOCAL size_t soothi_sofnn_shares(const double *log_fire, size_t rules, double *share) {
    size_t j, best = 0;
    double sum = 0.0;
    for (j = 1; j < rules; ++j)
        if (log_fire[j] > log_fire[best]) best = j;
    for (j = 0; j < rules; ++j) sum += share[j] = soothi_exp(log_fire[j] - log_fire[best]);
    for (j = 0; j < rules; ++j) share[j] /= sum;
    return best;
}

/* Widens rule j, always at the input that is covered worst, until it covers the row (at most 250 steps). */
SOOTHI_LOCAL void soothi_sofnn_widen(soothi_sofnn_net *net, size_t j, const float *row, double factor,
                                     double log_cover) {
    size_t step, i;
    for (step = 0; step < 250 && soothi_sofnn_log_fire(net, j, row) < log_cover; ++step) {
        size_t worst = 0;
        double most = -1.0;
        for (i = 0; i < net->n; ++i) {
            const double z = soothi_abs(soothi_sofnn_distance(net, j, i, row));
            if (!(z > most)) continue;
            most = z;
            worst = i;
        }
        net->width[j * net->n + worst] *= factor;
    }
}

SOOTHI_LOCAL int soothi_sofnn_same(const soothi_sofnn_net *net, size_t j, size_t k, int widths_too) {
    size_t i;
    for (i = 0; i < net->n; ++i) {
        const double tolerance = 1e-9 * net->range[i];
        if (!(net->range[i] > 0.0)) continue;
        if (soothi_abs(net->centre[j * net->n + i] - net->centre[k * net->n + i]) > tolerance) return 0;
        if (widths_too && soothi_abs(net->width[j * net->n + i] - net->width[k * net->n + i]) > tolerance)
            return 0;
    }
    return 1;
}

/* Appends a rule for the row: per input the nearest membership function where it is within reach, else a new
   one as wide as it is far (Leng et al.'s minimum-distance vector). Where that composes an existing rule, the
   row itself is the centre. */
SOOTHI_LOCAL void soothi_sofnn_add(soothi_sofnn_net *net, const float *row, const sooth_sofnn_options *o) {
    const size_t u = net->rules, n = net->n;
    double *c = net->centre + u * n, *s = net->width + u * n;
    size_t i, j;
    int again;
    for (i = 0; i < n; ++i) {
        double nearest = -1.0;
        size_t at = 0;
        c[i] = (double)row[i];
        s[i] = o->first_width * net->range[i];
        for (j = 0; j < u; ++j) {
            const double d = soothi_abs((double)row[i] - net->centre[j * n + i]);
            if (nearest >= 0.0 && d >= nearest) continue;
            nearest = d;
            at = j;
        }
        if (u == 0 || !(net->range[i] > 0.0)) continue;
        if (nearest <= o->reach * net->range[i]) {
            c[i] = net->centre[at * n + i];
            s[i] = net->width[at * n + i];
        } else {
            s[i] = nearest;
        }
        if (s[i] < 0.05 * net->range[i]) s[i] = 0.05 * net->range[i];
    }
    for (j = 0, again = 0; j < u; ++j) again |= soothi_sofnn_same(net, j, u, 0);
    for (i = 0; again && i < n; ++i) {
        double nearest = -1.0;
        for (j = 0; j < u; ++j) {
            const double d = soothi_abs((double)row[i] - net->centre[j * n + i]);
            if (nearest < 0.0 || d < nearest) nearest = d;
        }
        c[i] = (double)row[i];
        s[i] = nearest > 0.05 * net->range[i] ? nearest : 0.05 * net->range[i];
    }
    ++net->rules;
}

SOOTHI_LOCAL void soothi_sofnn_drop(soothi_sofnn_net *net, size_t j) {
    const size_t after = net->rules - j - 1, n = net->n, block = net->b * net->m;
    memmove(net->centre + j * n, net->centre + (j + 1) * n, after * n * sizeof(double));
    memmove(net->width + j * n, net->width + (j + 1) * n, after * n * sizeof(double));
    memmove(net->theta + j * block, net->theta + (j + 1) * block, after * block * sizeof(double));
    --net->rules;
}

/* Per input, membership functions whose centres coincide get the mean of centres and widths; then equal rules
   become one (Leng et al. 2004). Returns how many changed. */
SOOTHI_LOCAL size_t soothi_sofnn_merge(soothi_sofnn_net *net, double tolerance) {
    const size_t n = net->n;
    size_t i, j, k, changes = 0;
    for (i = 0; i < n; ++i)
        for (j = 0; net->range[i] > 0.0 && j < net->rules; ++j) {
            const double here = net->centre[j * n + i];
            double centre = 0.0, width = 0.0, count = 0.0;
            int differ = 0;
            for (k = j; k < net->rules; ++k) {
                if (soothi_abs(net->centre[k * n + i] - here) > tolerance * net->range[i]) continue;
                centre += net->centre[k * n + i];
                width += net->width[k * n + i];
                differ |= soothi_abs(net->width[k * n + i] - net->width[j * n + i]) > 1e-12 * net->range[i] ||
                          soothi_abs(net->centre[k * n + i] - here) > 1e-12 * net->range[i];
                ++count;
            }
            if (!differ) continue;
            ++changes;
            for (k = net->rules; k-- > j;) {
                if (soothi_abs(net->centre[k * n + i] - here) > tolerance * net->range[i]) continue;
                net->centre[k * n + i] = centre / count;
                net->width[k * n + i] = width / count;
            }
        }
    for (j = 0; j < net->rules; ++j)
        for (k = net->rules; k-- > j + 1;)
            if (soothi_sofnn_same(net, j, k, 1)) {
                soothi_sofnn_drop(net, k);
                ++changes;
            }
    return changes;
}

SOOTHI_LOCAL float soothi_sofnn_float(double v) { return v > 3e38 ? 3e38f : v < -3e38 ? -3e38f : (float)v; }

SOOTHI_LOCAL float *soothi_sofnn_floats_of(sooth_sofnn *m) { return (float *)(void *)(m + 1); }

/* Copies the consequents of rule j into the model, or all of it. */
SOOTHI_LOCAL void soothi_sofnn_put_answer(const soothi_sofnn_net *net, size_t j, sooth_sofnn *model) {
    const size_t n = net->n, count = net->m * net->b;
    const double *theta = soothi_sofnn_theta(net, j, 0);
    float *answer = soothi_sofnn_floats_of(model) + 2 * n + 2 * (size_t)model->room * n + j * count;
    size_t i;
    for (i = 0; i < count; ++i) answer[i] = soothi_sofnn_float(theta[i]);
}

SOOTHI_LOCAL void soothi_sofnn_put(const soothi_sofnn_net *net, size_t j, sooth_sofnn *model) {
    const size_t n = net->n;
    float *centre = soothi_sofnn_floats_of(model) + 2 * n + j * n, *steep = centre + (size_t)model->room * n;
    size_t i;
    for (i = 0; i < n; ++i) {
        const float s = soothi_sofnn_float(net->width[j * n + i]);
        centre[i] = soothi_sofnn_float(net->centre[j * n + i]);
        steep[i] = s > 1e-38f ? 1.0f / s : 0.0f;
        if (!model->order && !(steep[i] > 0.0f)) centre[i] = 0.0f;
    }
    soothi_sofnn_put_answer(net, j, model);
}

/* Bounds the answers for output t whose targets lie between least and most. */
SOOTHI_LOCAL void soothi_sofnn_bound(sooth_sofnn *model, const sooth_sofnn_options *o, size_t t, double least,
                                     double most) {
    float *bound = soothi_sofnn_floats_of(model) + (soothi_sofnn_least(model) - soothi_sofnn_low(model));
    const double more = o->margin * (most - least);
    bound[t] = o->extrapolate ? -3e38f : soothi_sofnn_float(least - more);
    bound[model->head.targets + t] = o->extrapolate ? 3e38f : soothi_sofnn_float(most + more);
}

SOOTHI_LOCAL size_t soothi_sofnn_bytes(size_t cols, size_t targets, size_t room, int slopes) {
    return soothi_round16(sizeof(sooth_sofnn) +
                          4 * (size_t)soothi_sofnn_floats(cols, targets, room, slopes ? 1 : 0));
}

/* ---- least squares on a table ---- */

enum { SOOTHI_SOFNN_ROWS = 64 };
#define SOOTHI_SOFNN_WORK 3e8 /* multiply-adds, about: what a step of growth may take on trying out */

typedef struct soothi_sofnn_job {
    sooth_env *env;
    const sooth_table *table;
    sooth_sofnn_options o;
    soothi_sofnn_net net, best, trial; /* one range, theta of their own */
    size_t rows;                       /* in use: all, or those so far */
    double *low, *high;                /* n: the box that planes are evaluated in */
    double *mean, *scale;              /* m: mean and standard deviation of a target */
    double *least, *most;              /* m: of a target */
    double ridge;                      /* in force */
    double *gram, *a;                  /* (M + m)^2 and M^2 */
    double *norm;                      /* M: root mean square of a column */
    double *block;                     /* (M + m) columns of SOOTHI_SOFNN_ROWS */
    double *fire, *share;              /* room */
    double *error;                     /* rows: squared, the mean over targets */
    double *vector;                    /* M + n */
    double *slope;                     /* 2 room n: of the polish */
    uint32_t *order;                   /* rows or rules */
    double weights;                    /* their sum over the rows in use */
    double log_cover;
} soothi_sofnn_job;

SOOTHI_LOCAL double soothi_sofnn_weight(const soothi_sofnn_job *job, size_t row) {
    return job->table->weight ? (double)job->table->weight[row] : 1.0;
}
SOOTHI_LOCAL const float *soothi_sofnn_row(const soothi_sofnn_job *job, size_t row) {
    return job->table->x + row * job->table->stride;
}

/* Input i of the row, kept within the box. */
SOOTHI_LOCAL double soothi_sofnn_inside(const soothi_sofnn_job *job, const float *row, size_t i) {
    const double v = (double)row[i];
    return v < job->low[i] ? job->low[i] : v > job->high[i] ? job->high[i] : v;
}

/* One row of the design matrix, with `step` doubles between its numbers: psi_j (1, x - c_j) for every rule.
 */
SOOTHI_LOCAL size_t soothi_sofnn_design(soothi_sofnn_job *job, const float *row, double root, double *out,
                                        size_t step) {
    const soothi_sofnn_net *net = &job->net;
    size_t i, j, best;
    for (j = 0; j < net->rules; ++j) job->fire[j] = soothi_sofnn_log_fire(net, j, row);
    best = soothi_sofnn_shares(job->fire, net->rules, job->share);
    for (j = 0; j < net->rules; ++j) {
        const double share = root * job->share[j];
        *out = share;
        out += step;
        for (i = 0; i + 1 < net->b; ++i, out += step)
            *out = share * (soothi_sofnn_inside(job, row, i) - net->centre[j * net->n + i]);
    }
    return best;
}

/* gram = [H y]' W [H y], lower half. */
SOOTHI_LOCAL void soothi_sofnn_gather(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m, step = SOOTHI_SOFNN_ROWS;
    size_t from, r, i, j, t, c;
    memset(job->gram, 0, all * all * sizeof(double));
    job->weights = 0.0;
    for (from = 0; from < job->rows; from += step) {
        const size_t count = job->rows - from < step ? job->rows - from : step,
                     padded = (count + 3) & ~(size_t)3;
        for (r = 0; r < padded; ++r) {
            const double w = r < count ? soothi_sofnn_weight(job, from + r) : 0.0, root = soothi_sqrt(w);
            if (r >= count) {
                for (i = 0; i < all; ++i) job->block[i * step + r] = 0.0;
                continue;
            }
            job->weights += w;
            soothi_sofnn_design(job, soothi_sofnn_row(job, from + r), root, job->block + r, step);
            for (t = 0; t < job->net.m; ++t)
                job->block[(columns + t) * step + r] =
                    root * ((double)job->table->y[(from + r) * job->net.m + t] - job->mean[t]);
        }
        for (i = 0; i < all; ++i)
            for (j = 0; j <= i; j += 4) {
                const size_t some = i + 1 - j < 4 ? i + 1 - j : 4;
                const double *column[4] = {NULL, NULL, NULL, NULL};
                double dot[4];
                for (c = 0; c < some; ++c) column[c] = job->block + (j + c) * step;
                soothi_dots(job->block + i * step, column, some, padded, dot);
                for (c = 0; c < some; ++c) job->gram[i * all + j + c] += dot[c];
            }
    }
}

/* What a parameter costs: the ridge times the square of how much the answer changes over a quarter of the
   box. So slopes that only few rows speak for shrink towards a constant, and constants to the mean. */
SOOTHI_LOCAL double soothi_sofnn_price(const soothi_sofnn_job *job, size_t k) {
    const double step = k ? 0.25 * (job->high[k - 1] - job->low[k - 1]) : 1.0;
    return job->ridge * step * step;
}

/* job->a = L with L L' = (H'H / weights + prices) / (norm norm'), norm such that the diagonal is 1. 0 when
   that cannot be done. */
SOOTHI_LOCAL int soothi_sofnn_factor(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m;
    double grain = 1e-10;
    size_t i, j;
    for (i = 0; i < columns; ++i) {
        const double square = job->gram[i * all + i] / job->weights;
        if (!soothi_finite(square)) return 0;
        job->norm[i] = square > 1e-200 ? soothi_sqrt(square + soothi_sofnn_price(job, i % job->net.b)) : 0.0;
    }
    for (; grain < 1.0; grain *= 100.0) {
        for (i = 0; i < columns; ++i)
            for (j = 0; j <= i; ++j) {
                const double product = job->norm[i] * job->norm[j];
                job->a[i * columns + j] =
                    product > 0.0 ? job->gram[i * all + j] / job->weights / job->norm[i] / job->norm[j] : 0.0;
                if (i == j) job->a[i * columns + j] = 1.0 + grain;
            }
        if (soothi_cholesky(job->a, columns)) return 1;
    }
    return 0;
}

/* The error of every row, and the root of their weighted mean. */
SOOTHI_LOCAL double soothi_sofnn_residuals(soothi_sofnn_job *job) {
    double sum = 0.0;
    size_t r, t;
    for (r = 0; r < job->rows; ++r) {
        double square = 0.0;
        soothi_sofnn_design(job, soothi_sofnn_row(job, r), 1.0, job->vector, 1);
        for (t = 0; t < job->net.m; ++t) {
            const double y = (double)job->table->y[r * job->net.m + t];
            const double e = (y - soothi_sofnn_output(&job->net, job->vector, t)) / job->scale[t];
            square += e * e;
        }
        job->error[r] = square / (double)job->net.m;
        sum += soothi_sofnn_weight(job, r) * job->error[r];
    }
    return soothi_sqrt(sum / job->weights);
}

/* Consequents from the gram matrix. Returns the root mean square error, below 0 when there is no solution. */
SOOTHI_LOCAL double soothi_sofnn_answers(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, all = columns + job->net.m;
    size_t i, t;
    if (!(job->weights > 0.0) || !soothi_sofnn_factor(job)) return -1.0;
    for (t = 0; t < job->net.m; ++t) {
        for (i = 0; i < columns; ++i)
            job->vector[i] =
                job->norm[i] > 0.0 ? job->gram[(columns + t) * all + i] / job->weights / job->norm[i] : 0.0;
        soothi_cholesky_solve(job->a, columns, job->vector, job->vector);
        for (i = 0; i < columns; ++i)
            soothi_sofnn_theta(&job->net, i / job->net.b, t)[i % job->net.b] =
                (job->norm[i] > 0.0 ? job->vector[i] / job->norm[i] : 0.0) +
                (i % job->net.b == 0 ? job->mean[t] : 0.0);
    }
    return soothi_sofnn_residuals(job);
}

SOOTHI_LOCAL double soothi_sofnn_solve(soothi_sofnn_job *job) {
    soothi_sofnn_gather(job);
    return soothi_sofnn_answers(job);
}

/* The root mean square error of rows that are left out, one at a time, of the consequents' fit:
     e_r / (1 - h_r), h_r = w_r x_r' (X'WX + prices)^-1 x_r          (Allen's PRESS, 1974)
   job->a and job->error are the solution's. */
SOOTHI_LOCAL double soothi_sofnn_left_out(soothi_sofnn_job *job) {
    const size_t columns = job->net.rules * job->net.b, step = SOOTHI_SOFNN_ROWS;
    double sum = 0.0;
    size_t from, r, i, k;
    for (from = 0; from < job->rows; from += step) {
        const size_t count = job->rows - from < step ? job->rows - from : step;
        double leverage[SOOTHI_SOFNN_ROWS];
        memset(job->block, 0, columns * step * sizeof(double));
        memset(leverage, 0, sizeof leverage);
        for (r = 0; r < count; ++r)
            soothi_sofnn_design(job, soothi_sofnn_row(job, from + r), 1.0, job->block + r, step);
        for (i = 0; i < columns; ++i) { /* L v = x / norm, for all rows of the block */
            double *v = job->block + i * step;
            const double scale = job->norm[i] > 0.0 ? 1.0 / job->norm[i] : 0.0, *l = job->a + i * columns;
            for (r = 0; r < step; ++r) v[r] *= scale;
            for (k = 0; k < i; ++k) {
                const double *before = job->block + k * step, factor = l[k];
                for (r = 0; r < step; ++r) v[r] -= factor * before[r];
            }
            for (r = 0; r < step; ++r) {
                v[r] /= l[i];
                leverage[r] += v[r] * v[r];
            }
        }
        for (r = 0; r < count; ++r) {
            const double w = soothi_sofnn_weight(job, from + r), left = 1.0 - w * leverage[r] / job->weights;
            sum += w * job->error[from + r] / (left > 1e-6 ? left * left : 1e-12);
        }
    }
    return soothi_sqrt(sum / job->weights);
}

/* Chooses the ridge by leaving rows out: tenfold steps up and down from the present one, each way until two
   in turn do not help; not where that takes long. Returns the error of rows left out, below 0 when there is
   no solution. */
SOOTHI_LOCAL double soothi_sofnn_choose_ridge(soothi_sofnn_job *job, double most_work) {
    const double columns = (double)(job->net.rules * job->net.b);
    const int search = !(job->o.ridge > 0.0) && (double)job->rows * columns * columns < most_work;
    const double first = job->ridge;
    double ridge = first, least, now;
    int way, idle;
    if (soothi_sofnn_solve(job) < 0.0) return -1.0;
    least = soothi_sofnn_left_out(job);
    for (way = 0; search && way < 2; ++way)
        for (job->ridge = first, idle = 0; idle < 2;) {
            job->ridge *= way ? 0.1 : 10.0;
            if (job->ridge < 1e-11 || job->ridge > 1e2 || soothi_sofnn_answers(job) < 0.0) break;
            now = soothi_sofnn_left_out(job);
            ++idle;
            if (!(now < least)) continue;
            least = now;
            ridge = job->ridge;
            idle = 0;
        }
    job->ridge = ridge;
    return soothi_sofnn_answers(job) < 0.0 ? -1.0 : least;
}

SOOTHI_LOCAL void soothi_sofnn_copy(soothi_sofnn_net *to, const soothi_sofnn_net *from) {
    to->rules = from->rules;
    memcpy(to->centre, from->centre, from->rules * from->n * sizeof(double));
    memcpy(to->width, from->width, from->rules * from->n * sizeof(double));
    memcpy(to->theta, from->theta, from->rules * from->b * from->m * sizeof(double));
}

/* ---- pruning ---- */

/* What each rule is worth, into job->share; job->gram and job->a are those of the present solution. */
SOOTHI_LOCAL void soothi_sofnn_worth(soothi_sofnn_job *job) {
    const size_t b = job->net.b, m = job->net.m, columns = job->net.rules * b, all = columns + m;
    double *v = job->vector, *q = job->block; /* Q_jj, b x b, fits: b <= columns */
    size_t i, j, k, t;
    for (j = 0; j < job->net.rules; ++j) {
        double sum = 0.0;
        /* L q = H'y: q_i^2 / y'y is the ratio of column i, in Gram and Schmidt's order */
        if (job->o.prune == SOOTH_SOFNN_ERROR_REDUCTION) {
            for (t = 0; t < m; ++t) {
                const double square = job->gram[(columns + t) * all + columns + t];
                for (i = 0; i < (j + 1) * b; ++i) {
                    double rest = job->norm[i] > 0.0
                                      ? job->gram[(columns + t) * all + i] / job->weights / job->norm[i]
                                      : 0.0;
                    for (k = 0; k < i; ++k) rest -= job->a[i * columns + k] * v[k];
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
        for (k = 0; k < b; ++k) {
            for (i = 0; i < columns; ++i) v[i] = i == j * b + k ? 1.0 : 0.0;
            soothi_cholesky_solve(job->a, columns, v, v);
            for (i = 0; i < b; ++i) q[i * b + k] = v[j * b + i];
        }
        if (soothi_cholesky(q, b))
            for (t = 0; t < m; ++t) {
                for (i = 0; i < b; ++i)
                    v[i] = v[b + i] =
                        soothi_sofnn_theta(&job->net, j, t)[i] * job->norm[j * b + i] / job->scale[t];
                soothi_cholesky_solve(q, b, v, v);
                for (i = 0; i < b; ++i) sum += v[i] * v[b + i];
            }
        job->share[j] = 0.5 * sum;
    }
}

/* Drops rules as long as the error stays below max(lambda x the error, wanted); tries the three that are
 * worth least. Returns the error. */
SOOTHI_LOCAL double soothi_sofnn_cut(soothi_sofnn_job *job, double wanted) {
    double error = soothi_sofnn_solve(job);
    int gone = job->o.prune != SOOTH_SOFNN_NO_PRUNING && error >= 0.0;
    while (gone && job->net.rules > 1) {
        const double limit = job->o.lambda * error > wanted ? job->o.lambda * error : wanted;
        uint32_t tried[3];
        size_t k, j, i;
        soothi_sofnn_worth(job);
        for (k = 0; k < 3 && k < job->net.rules; ++k) {
            size_t least = job->net.rules;
            for (j = 0; j < job->net.rules; ++j) {
                for (i = 0; i < k && tried[i] != j;) ++i;
                if (i == k && (least == job->net.rules || job->share[j] < job->share[least])) least = j;
            }
            tried[k] = (uint32_t)least;
        }
        soothi_sofnn_copy(&job->trial, &job->net);
        for (i = 0, gone = 0; i < k && !gone; ++i) {
            double now;
            soothi_sofnn_drop(&job->net, tried[i]);
            now = soothi_sofnn_solve(job);
            gone = now >= 0.0 && now < limit;
            if (gone) error = now;
            else soothi_sofnn_copy(&job->net, &job->trial);
        }
        if (!gone) soothi_sofnn_solve(job);
    }
    return error;
}

/* ---- batch growth ---- */

/* Of the rows not taken yet, the one with the most (sign 1) or least (-1) of value; ties by the row's own
   numbers, so that the order of rows does not matter. */
SOOTHI_LOCAL size_t soothi_sofnn_extreme(const soothi_sofnn_job *job, const double *value, double sign,
                                         const uint32_t *taken, size_t count) {
    size_t r, i, best = job->rows;
    for (r = 0; r < job->rows; ++r) {
        if (!(soothi_sofnn_weight(job, r) > 0.0)) continue;
        if (best < job->rows && sign * value[r] < sign * value[best]) continue;
        for (i = 0; i < count && taken[i] != r;) ++i;
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

/* Widens rules for the rows covered worst, up to 20 of them. */
SOOTHI_LOCAL void soothi_sofnn_cover(soothi_sofnn_job *job) {
    uint32_t *taken = job->order;
    size_t k, j, r;
    for (r = 0; r < job->rows; ++r) {
        double most = soothi_sofnn_log_fire(&job->net, 0, soothi_sofnn_row(job, r));
        for (j = 1; j < job->net.rules; ++j) {
            const double fire = soothi_sofnn_log_fire(&job->net, j, soothi_sofnn_row(job, r));
            if (fire > most) most = fire;
        }
        job->error[r] = most;
    }
    for (k = 0; k < 20; ++k) {
        const size_t row = soothi_sofnn_extreme(job, job->error, -1.0, taken, k);
        size_t best = 0;
        if (row == job->rows || job->error[row] >= job->log_cover) return;
        taken[k] = (uint32_t)row;
        for (j = 1; j < job->net.rules; ++j)
            if (soothi_sofnn_log_fire(&job->net, j, soothi_sofnn_row(job, row)) >
                soothi_sofnn_log_fire(&job->net, best, soothi_sofnn_row(job, row)))
                best = j;
        soothi_sofnn_widen(&job->net, best, soothi_sofnn_row(job, row), job->o.widen, job->log_cover);
    }
}

SOOTHI_LOCAL sooth_status soothi_sofnn_batch(soothi_sofnn_job *job) {
    double least = soothi_sofnn_choose_ridge(job, SOOTHI_SOFNN_WORK), error = soothi_sofnn_residuals(job);
    double best_ridge;
    size_t idle = 0, k;
    if (least < 0.0) return SOOTH_NOT_CONVERGED;
    soothi_sofnn_copy(&job->best, &job->net);
    best_ridge = job->ridge;
    while (error > job->o.wanted && job->net.rules < job->net.room && idle <= job->o.patience) {
        const size_t columns = (job->net.rules + 1) * job->net.b;
        const double budget = SOOTHI_SOFNN_WORK / ((double)job->rows * (double)columns * (double)columns);
        const size_t tries = budget < 1.0                         ? 1
                             : budget < (double)job->o.candidates ? (size_t)budget
                                                                  : job->o.candidates;
        double found = -1.0, score;
        size_t chosen = job->rows;
        sooth_status status =
            soothi_progress(job->env, "growing rules", (double)job->net.rules / (double)job->net.room);
        if (status != SOOTH_OK) return status;
        if (columns > job->rows) break;
        soothi_sofnn_copy(&job->trial, &job->net);
        /* job->error is of the present net only before the first try: choose all rows first */
        for (k = 0; k < tries; ++k) {
            const size_t row = soothi_sofnn_extreme(job, job->error, 1.0, job->order, k);
            if (row == job->rows) break;
            job->order[k] = (uint32_t)row;
        }
        {
            const size_t count = k;
            for (k = 0; k < count; ++k) {
                double now;
                soothi_sofnn_copy(&job->net, &job->trial);
                soothi_sofnn_add(&job->net, soothi_sofnn_row(job, job->order[k]), &job->o);
                now = soothi_sofnn_solve(job);
                if (now < 0.0 || (found >= 0.0 && now >= found)) continue;
                found = now;
                chosen = job->order[k];
            }
        }
        soothi_sofnn_copy(&job->net, &job->trial);
        if (found < 0.0) break;
        soothi_sofnn_add(&job->net, soothi_sofnn_row(job, chosen), &job->o);
        soothi_sofnn_cover(job);
        score = soothi_sofnn_choose_ridge(job, SOOTHI_SOFNN_WORK);
        if (score < 0.0) break;
        error = soothi_sofnn_residuals(job);
        if (score < 0.999 * least) {
            least = score;
            best_ridge = job->ridge;
            soothi_sofnn_copy(&job->best, &job->net);
            idle = 0;
        } else {
            ++idle;
        }
    }
    soothi_sofnn_copy(&job->net, &job->best);
    job->ridge = best_ridge;
    if (job->net.rules == 1) soothi_sofnn_cover(job); /* its answer does not depend on its widths */
    return SOOTH_OK;
}

/* ---- one pass ---- */

/* The net's error at one row. */
SOOTHI_LOCAL double soothi_sofnn_miss(soothi_sofnn_job *job, size_t row, size_t *best) {
    double square = 0.0;
    size_t t;
    *best = soothi_sofnn_design(job, soothi_sofnn_row(job, row), 1.0, job->vector, 1);
    for (t = 0; t < job->net.m; ++t) {
        const double e =
            (double)job->table->y[row * job->net.m + t] - soothi_sofnn_output(&job->net, job->vector, t);
        square += e * e / (job->scale[t] * job->scale[t]);
    }
    return soothi_sqrt(square / (double)job->net.m);
}

/* The four cases of Leng et al.: error small or not, row covered or not. */
SOOTHI_LOCAL sooth_status soothi_sofnn_one_pass(soothi_sofnn_job *job) {
    const size_t all = job->rows;
    size_t r, best;
    job->rows = 1;
    if (soothi_sofnn_solve(job) < 0.0) return SOOTH_NOT_CONVERGED;
    for (r = 1; r < all; ++r) {
        double error = soothi_sofnn_miss(job, r, &best);
        const int covered = job->fire[best] >= job->log_cover;
        int add = error > job->o.delta, changed = add || !covered;
        sooth_status status = soothi_progress(job->env, "growing rules", (double)r / (double)all);
        if (!(soothi_sofnn_weight(job, r) > 0.0)) continue;
        job->rows = r + 1;
        if (!covered) {
            soothi_sofnn_copy(&job->trial, &job->net);
            soothi_sofnn_widen(&job->net, best, soothi_sofnn_row(job, r), job->o.widen, job->log_cover);
            if (add) {
                add = soothi_sofnn_solve(job) < 0.0 || soothi_sofnn_miss(job, r, &best) > job->o.delta;
                if (add) soothi_sofnn_copy(&job->net, &job->trial);
            }
        }
        if (add && job->net.rules < job->net.room)
            soothi_sofnn_add(&job->net, soothi_sofnn_row(job, r), &job->o);
        if (changed) {
            soothi_sofnn_cut(job, job->o.wanted);
            if (soothi_sofnn_merge(&job->net, job->o.merge)) soothi_sofnn_solve(job);
        } else if (soothi_sofnn_solve(job) < 0.0) {
            return SOOTH_NOT_CONVERGED;
        }
        soothi_sofnn_copy(&job->best, &job->net);
        if (status != SOOTH_OK) {
            job->rows = all;
            return status;
        }
    }
    job->rows = all;
    return SOOTH_OK;
}

/* ---- polish ---- */

/* The slope of half the mean squared error by centres and log widths, the consequents fixed at their optimum
   (so that it is also the slope of what remains after solving: variable projection, Golub and Pereyra 1973).
   d log phi_j / d c_i = z_i / s_i, d log phi_j / d log s_i = z_i^2, d y / d log phi_j = psi_j (w_j - y); a
   centre also moves its plane, d w_j / d c_i = -a_i. */
SOOTHI_LOCAL void soothi_sofnn_slope(soothi_sofnn_job *job) {
    const soothi_sofnn_net *net = &job->net;
    const size_t n = net->n, m = net->m, b = net->b;
    size_t r, i, j, t;
    memset(job->slope, 0, 2 * net->rules * n * sizeof(double));
    for (r = 0; r < job->rows; ++r) {
        const float *row = soothi_sofnn_row(job, r);
        const double w = soothi_sofnn_weight(job, r) / job->weights / (double)m;
        soothi_sofnn_design(job, row, 1.0, job->vector, 1);
        for (t = 0; t < m; ++t) {
            const double y = soothi_sofnn_output(net, job->vector, t);
            const double e = w * (y - (double)job->table->y[r * m + t]) / (job->scale[t] * job->scale[t]);
            for (j = 0; j < net->rules; ++j) {
                const double share = job->share[j];
                const double *theta = soothi_sofnn_theta(net, j, t);
                double says = theta[0], turn;
                if (!(share > 1e-12)) continue;
                for (i = 0; i + 1 < b; ++i)
                    says += theta[1 + i] * (soothi_sofnn_inside(job, row, i) - net->centre[j * n + i]);
                turn = e * share * (says - y);
                for (i = 0; i < n; ++i) {
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

/* Steps down the slope, centres in ranges and widths in logarithms, each followed by least squares; a step
 * that does not help is undone and halved. */
SOOTHI_LOCAL void soothi_sofnn_polish(soothi_sofnn_job *job) {
    double error = soothi_sofnn_solve(job), step = 0.05;
    size_t k, i;
    int fresh = 0;
    for (k = 0; k < job->o.polish && error > 0.0 && step > 1e-9; ++k) {
        const size_t count = job->net.rules * job->net.n;
        double length = 0.0, now;
        if (k % 32 == 31) {
            soothi_sofnn_choose_ridge(job, SOOTHI_SOFNN_WORK);
            error = soothi_sofnn_residuals(job);
            fresh = 0;
        }
        if (!fresh) soothi_sofnn_slope(job);
        for (i = 0; i < 2 * count; ++i) length += job->slope[i] * job->slope[i];
        if (!(length > 0.0)) return;
        length = soothi_sqrt(length);
        soothi_sofnn_copy(&job->trial, &job->net);
        for (i = 0; i < count; ++i) {
            const double range = job->net.range[i % job->net.n];
            if (!(job->net.width[i] > 0.0)) continue;
            job->net.centre[i] -= step * job->slope[2 * i] / length * range;
            job->net.width[i] *= soothi_exp(-step * job->slope[2 * i + 1] / length);
            if (job->net.width[i] < 1e-3 * range) job->net.width[i] = 1e-3 * range;
        }
        now = soothi_sofnn_solve(job);
        fresh = !(now >= 0.0 && now < error);
        if (fresh) soothi_sofnn_copy(&job->net, &job->trial);
        else error = now;
        step *= fresh ? 0.5 : 1.3;
    }
    soothi_sofnn_choose_ridge(job, 1e300);
}

/* ---- fitting ---- */

SOOTHI_LOCAL double *soothi_sofnn_piece(unsigned char **memory, size_t *bytes, size_t doubles) {
    double *piece = (double *)(void *)*memory;
    *bytes += doubles * sizeof(double);
    if (*memory) *memory += doubles * sizeof(double);
    return piece;
}

SOOTHI_LOCAL void soothi_sofnn_place(soothi_sofnn_net *net, unsigned char **memory, size_t *bytes) {
    net->centre = soothi_sofnn_piece(memory, bytes, net->room * net->n);
    net->width = soothi_sofnn_piece(memory, bytes, net->room * net->n);
    net->theta = soothi_sofnn_piece(memory, bytes, net->room * net->b * net->m);
}

/* Lays the scratch out from `memory` (NULL: only counts) and returns its bytes. */
SOOTHI_LOCAL size_t soothi_sofnn_plan(soothi_sofnn_job *job, size_t rows, size_t cols, size_t targets,
                                      unsigned char *memory) {
    soothi_sofnn_net *net = &job->net;
    size_t bytes = 0, columns;
    net->n = cols;
    net->m = targets;
    net->b = job->o.order ? 1 : 1 + cols;
    net->room = rows / net->b < job->o.max_rules ? rows / net->b : job->o.max_rules;
    if (net->room == 0) net->room = 1;
    columns = net->room * net->b;
    net->range = soothi_sofnn_piece(&memory, &bytes, cols);
    job->best = job->trial = *net;
    soothi_sofnn_place(net, &memory, &bytes);
    soothi_sofnn_place(&job->best, &memory, &bytes);
    soothi_sofnn_place(&job->trial, &memory, &bytes);
    job->low = soothi_sofnn_piece(&memory, &bytes, cols);
    job->high = soothi_sofnn_piece(&memory, &bytes, cols);
    job->mean = soothi_sofnn_piece(&memory, &bytes, targets);
    job->scale = soothi_sofnn_piece(&memory, &bytes, targets);
    job->least = soothi_sofnn_piece(&memory, &bytes, targets);
    job->most = soothi_sofnn_piece(&memory, &bytes, targets);
    job->gram = soothi_sofnn_piece(&memory, &bytes, (columns + targets) * (columns + targets));
    job->a = soothi_sofnn_piece(&memory, &bytes, columns * columns);
    job->norm = soothi_sofnn_piece(&memory, &bytes, columns);
    job->block = soothi_sofnn_piece(&memory, &bytes, (columns + targets) * (SOOTHI_SOFNN_ROWS + net->b));
    job->fire = soothi_sofnn_piece(&memory, &bytes, net->room);
    job->share = soothi_sofnn_piece(&memory, &bytes, net->room);
    job->error = soothi_sofnn_piece(&memory, &bytes, rows);
    job->vector = soothi_sofnn_piece(&memory, &bytes, columns + net->b + cols + 1);
    job->slope = soothi_sofnn_piece(&memory, &bytes, 2 * net->room * cols);
    job->order = (uint32_t *)(void *)soothi_sofnn_piece(&memory, &bytes, 512);
    return bytes;
}

/* Boxes and ranges of inputs (of all rows alike, whatever their weights), scales of targets, and the rule in
   the middle: the row nearest to the mean. */
SOOTHI_LOCAL void soothi_sofnn_start(soothi_sofnn_job *job) {
    const sooth_table *table = job->table;
    soothi_sofnn_net *net = &job->net;
    const size_t n = net->n, m = net->m, rows = job->rows;
    size_t r, i, t, middle = 0;
    double weights = 0.0;
    for (r = 0; r < rows; ++r) weights += soothi_sofnn_weight(job, r);
    for (i = 0; i < n; ++i) {
        double low = (double)table->x[i], high = low, mean = 0.0, centre = 0.0, apart = 0.0;
        for (r = 0; r < rows; ++r) {
            const double v = (double)soothi_sofnn_row(job, r)[i];
            low = v < low ? v : low;
            high = v > high ? v : high;
            mean += soothi_sofnn_weight(job, r) * v;
            centre += v / (double)rows;
        }
        for (r = 0; r < rows; ++r) apart += soothi_abs((double)soothi_sofnn_row(job, r)[i] - centre);
        apart *= 4.0 / (double)rows;
        if (!job->o.extrapolate && low < centre - apart) low = centre - apart;
        if (!job->o.extrapolate && high > centre + apart) high = centre + apart;
        job->low[i] = (double)(float)low;
        job->high[i] = (double)(float)high;
        net->range[i] = job->o.premise && !job->o.premise[i] ? 0.0 : high - low;
        job->vector[i] = mean / weights;
    }
    for (t = 0; t < m; ++t) {
        double mean = 0.0, square = 0.0;
        job->least[t] = job->most[t] = (double)table->y[t];
        for (r = 0; r < rows; ++r) {
            const double y = (double)table->y[r * m + t];
            job->least[t] = y < job->least[t] ? y : job->least[t];
            job->most[t] = y > job->most[t] ? y : job->most[t];
            mean += soothi_sofnn_weight(job, r) * y;
        }
        mean /= weights;
        job->mean[t] = mean;
        for (r = 0; r < rows; ++r) {
            const double d = (double)table->y[r * m + t] - mean;
            square += soothi_sofnn_weight(job, r) * d * d;
        }
        job->scale[t] = square > 0.0 ? soothi_sqrt(square / weights) : 1.0;
    }
    for (r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (i = 0; i < n; ++i) {
            const double z = net->range[i] > 0.0
                                 ? ((double)soothi_sofnn_row(job, r)[i] - job->vector[i]) / net->range[i]
                                 : 0.0;
            sum += z * z;
        }
        job->error[r] = sum;
    }
    middle = job->o.grow == SOOTH_SOFNN_ONE_PASS ? 0 : soothi_sofnn_extreme(job, job->error, -1.0, NULL, 0);
    soothi_sofnn_add(net, soothi_sofnn_row(job, middle), &job->o);
}

/* Keeps the `premises` inputs along which one rule's error (a linear model's, first order) varies most: the
   variance between eight equal parts of the range. The others get no membership functions. */
SOOTHI_LOCAL void soothi_sofnn_choose(soothi_sofnn_job *job) {
    soothi_sofnn_net *net = &job->net;
    size_t i, k, r, t, part;
    if (job->o.premises == 0 || job->o.premises >= net->n || soothi_sofnn_solve(job) < 0.0) return;
    memset(job->slope, 0, net->n * sizeof(double));
    for (t = 0; t < net->m; ++t)
        for (i = 0; i < net->n; ++i) {
            double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}, weight[8] = {0, 0, 0, 0, 0, 0, 0, 0};
            if (!(net->range[i] > 0.0)) continue;
            for (r = 0; r < job->rows; ++r) {
                const float *row = soothi_sofnn_row(job, r);
                double e = (double)job->table->y[r * net->m + t];
                e -= soothi_sofnn_theta(net, 0, t)[0];
                for (k = 0; k + 1 < net->b; ++k)
                    e -= soothi_sofnn_theta(net, 0, t)[1 + k] *
                         (soothi_sofnn_inside(job, row, k) - net->centre[k]);
                part = (size_t)(7.999 * (soothi_sofnn_inside(job, row, i) - job->low[i]) / net->range[i]);
                sum[part] += soothi_sofnn_weight(job, r) * e / job->scale[t];
                weight[part] += soothi_sofnn_weight(job, r);
            }
            for (part = 0; part < 8; ++part)
                if (weight[part] > 0.0) job->slope[i] += sum[part] * sum[part] / weight[part];
        }
    for (k = 0; k < job->o.premises; ++k) {
        size_t most = net->n;
        for (i = 0; i < net->n; ++i)
            if (net->range[i] > 0.0 && job->slope[i] >= 0.0 &&
                (most == net->n || job->slope[i] > job->slope[most]))
                most = i;
        if (most < net->n) job->slope[most] = -1.0;
    }
    for (i = 0; i < net->n; ++i)
        if (!(job->slope[i] < 0.0)) net->range[i] = net->width[i] = 0.0;
}

SOOTHI_LOCAL sooth_status soothi_sofnn_make(soothi_sofnn_job *job, sooth_sofnn **model) {
    const soothi_sofnn_net *net = &job->net;
    const size_t size = soothi_sofnn_bytes(net->n, net->m, net->rules, !job->o.order);
    sooth_sofnn *m =
        (sooth_sofnn *)soothi_block_new(job->env, SOOTH_KIND_SOFNN, SOOTH_SOFNN_VERSION, size, 0, 0);
    float *low;
    size_t i;
    if (!m) return soothi_no_memory(job->env, "a fuzzy network", size);
    m->head.features = (uint32_t)net->n;
    m->head.targets = (uint32_t)net->m;
    m->rules = m->room = (uint32_t)net->rules;
    m->order = !job->o.order;
    low = soothi_sofnn_floats_of(m);
    for (i = 0; i < net->n; ++i) {
        low[i] = job->o.extrapolate ? -3e38f : (float)job->low[i];
        low[net->n + i] = job->o.extrapolate ? 3e38f : (float)job->high[i];
    }
    for (i = 0; i < net->rules; ++i) soothi_sofnn_put(net, i, m);
    for (i = 0; i < net->m; ++i) soothi_sofnn_bound(m, &job->o, i, job->least[i], job->most[i]);
    soothi_block_seal(&m->head);
    *model = m;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_sofnn_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_sofnn_options *options, sooth_sofnn **model) {
    soothi_sofnn_job job;
    sooth_status status, made;
    unsigned char *memory;
    size_t bytes;
    *model = NULL;
    memset(&job, 0, sizeof job);
    status = sooth_table_check(env, table, SOOTH_NEED_TARGETS);
    if (status == SOOTH_OK) status = soothi_sofnn_resolve(env, options, table->cols, table->targets, &job.o);
    if (status != SOOTH_OK) return status;
    bytes = soothi_sofnn_plan(&job, table->rows, table->cols, table->targets, NULL);
    memory = (unsigned char *)soothi_alloc(env, bytes, 1);
    if (!memory) return soothi_no_memory(env, "growing a fuzzy network", bytes);
    memset(memory, 0, bytes);
    soothi_sofnn_plan(&job, table->rows, table->cols, table->targets, memory);
    job.env = env;
    job.table = table;
    job.rows = table->rows;
    job.log_cover = soothi_log(job.o.coverage);
    job.ridge = job.o.ridge > 0.0 ? job.o.ridge : 1e-9;
    soothi_sofnn_start(&job);
    soothi_sofnn_choose(&job);
    status = job.o.grow == SOOTH_SOFNN_ONE_PASS ? soothi_sofnn_one_pass(&job) : soothi_sofnn_batch(&job);
    if (status == SOOTH_OK) {
        double error;
        soothi_sofnn_merge(&job.net, job.o.merge);
        if (soothi_sofnn_choose_ridge(&job, 1e300) < 0.0) status = SOOTH_NOT_CONVERGED;
        error = soothi_sofnn_residuals(&job);
        soothi_sofnn_cut(&job, 1.05 * error > job.o.wanted && job.o.grow == SOOTH_SOFNN_BATCH ? 1.05 * error
                                                                                              : job.o.wanted);
        if (job.o.polish) soothi_sofnn_polish(&job);
        else if (soothi_sofnn_solve(&job) < 0.0) status = SOOTH_NOT_CONVERGED;
    } else if (status == SOOTH_CANCELLED && job.best.rules) {
        soothi_sofnn_copy(&job.net, &job.best);
    }
    if (status == SOOTH_NOT_CONVERGED)
        soothi_fail(
            env, status,
            "the consequents of %z rules could not be solved for; the targets or inputs may be too large",
            job.net.rules);
    if (status == SOOTH_OK || (status == SOOTH_CANCELLED && job.best.rules)) {
        made = soothi_sofnn_make(&job, model);
        if (made != SOOTH_OK) status = made;
    }
    soothi_free(env, memory, bytes, 1);
    return status;
}

SOOTH_API void sooth_sofnn_free(sooth_env *env, sooth_sofnn *model) {
    if (model) soothi_block_free(env, &model->head);
}

SOOTH_API size_t sooth_sofnn_size(const sooth_sofnn_options *options, size_t cols, size_t targets) {
    sooth_sofnn_options o;
    if (soothi_sofnn_resolve(NULL, options, cols, targets, &o) != SOOTH_OK) return 0;
    return soothi_sofnn_bytes(cols, targets, o.max_rules, !o.order);
}

SOOTH_API size_t sooth_sofnn_work(const sooth_sofnn_options *options, size_t rows, size_t cols,
                                  size_t targets) {
    soothi_sofnn_job job;
    memset(&job, 0, sizeof job);
    if (soothi_sofnn_resolve(NULL, options, cols, targets, &job.o) != SOOTH_OK) return 0;
    return soothi_sofnn_plan(&job, rows, cols, targets, NULL);
}

/* ---- learning one row at a time ---- */

/* The covariance P = U D U' of k parameters: D[k], then the columns of the unit upper triangle U above its
   diagonal, column j from j (j - 1) / 2. recursion=global has one, of all rules, in double. recursion=local
   has one per rule, in float: those of four rules lie side by side, number by number, so that four rules
   learn in the time of one. */
struct soothi_sofnn_state {
    soothi_sofnn_net net;
    int local;
    double *diagonal, *upper;         /* global: of k = room b parameters */
    double *f, *gain;                 /* global: k each */
    float *diagonal4;                 /* local: groups of four rules x b x 4 */
    float *upper4;                    /* local: groups x b (b - 1) / 2 x 4 */
    float *design4, *gain4;           /* local: b x 4 each */
    double *fire, *share, *relevance; /* room */
    double *mean, *square;            /* m: of the targets so far */
    double *least, *most;             /* m */
    double *design;                   /* room b: the row's distances from each centre, after a 1 */
    double *says;                     /* room m: what each rule answers */
    double *miss;                     /* m */
    double recent;                    /* moving average of the squared error */
    double log_cover;
    uint64_t steps, young; /* rows learned; the row that made the youngest rule */
};
typedef struct soothi_sofnn_state soothi_sofnn_state;

SOOTHI_LOCAL size_t soothi_sofnn_learner_plan(soothi_sofnn_state *s, const sooth_sofnn_options *o,
                                              size_t cols, size_t targets, unsigned char *memory) {
    size_t bytes = soothi_round16(sizeof *s) + soothi_sofnn_bytes(cols, targets, o->max_rules, !o->order);
    soothi_sofnn_net *net = &s->net;
    size_t k, groups;
    if (memory) memory += bytes;
    net->n = cols;
    net->m = targets;
    net->b = o->order ? 1 : 1 + cols;
    net->room = o->max_rules;
    s->local = o->recursion == SOOTH_SOFNN_LOCAL;
    k = s->local ? 0 : net->room * net->b;
    groups = s->local ? (net->room + 3) / 4 : 0;
    net->range = soothi_sofnn_piece(&memory, &bytes, cols);
    soothi_sofnn_place(net, &memory, &bytes);
    s->diagonal = soothi_sofnn_piece(&memory, &bytes, k);
    s->upper = soothi_sofnn_piece(&memory, &bytes, k ? k * (k - 1) / 2 : 0);
    s->f = soothi_sofnn_piece(&memory, &bytes, k);
    s->gain = soothi_sofnn_piece(&memory, &bytes, k);
    s->diagonal4 = (float *)soothi_sofnn_piece(&memory, &bytes, 2 * groups * net->b);
    s->upper4 = (float *)soothi_sofnn_piece(&memory, &bytes, 2 * groups * (net->b * (net->b - 1) / 2));
    s->design4 = (float *)soothi_sofnn_piece(&memory, &bytes, groups ? 2 * net->b : 0);
    s->gain4 = (float *)soothi_sofnn_piece(&memory, &bytes, groups ? 2 * net->b : 0);
    s->fire = soothi_sofnn_piece(&memory, &bytes, net->room);
    s->share = soothi_sofnn_piece(&memory, &bytes, net->room);
    s->relevance = soothi_sofnn_piece(&memory, &bytes, net->room);
    s->mean = soothi_sofnn_piece(&memory, &bytes, targets);
    s->square = soothi_sofnn_piece(&memory, &bytes, targets);
    s->least = soothi_sofnn_piece(&memory, &bytes, targets);
    s->most = soothi_sofnn_piece(&memory, &bytes, targets);
    s->design = soothi_sofnn_piece(&memory, &bytes, net->room * net->b);
    s->says = soothi_sofnn_piece(&memory, &bytes, net->room * targets);
    s->miss = soothi_sofnn_piece(&memory, &bytes, targets);
    return bytes;
}

SOOTH_API size_t sooth_sofnn_learner_size(const sooth_sofnn_options *options, size_t cols, size_t targets) {
    soothi_sofnn_state state;
    sooth_sofnn_options o;
    if (soothi_sofnn_resolve(NULL, options, cols, targets, &o) != SOOTH_OK) return 0;
    memset(&state, 0, sizeof state);
    return soothi_sofnn_learner_plan(&state, &o, cols, targets, NULL);
}

/* Where the `count` numbers of rule j's own covariance begin; they are four apart. */
SOOTHI_LOCAL float *soothi_sofnn_lane(float *numbers, size_t j, size_t count) {
    return numbers + j / 4 * count * 4 + j % 4;
}

/* The covariance of the newest rule's parameters: `spread`, and nothing to do with the others. */
SOOTHI_LOCAL void soothi_sofnn_unsure(soothi_sofnn_state *s, double spread) {
    const size_t b = s->net.b, j = s->net.rules - 1, triangle = b * (b - 1) / 2;
    size_t i, k;
    for (i = 0; i < b; ++i)
        if (s->local) soothi_sofnn_lane(s->diagonal4, j, b)[4 * i] = (float)spread;
        else s->diagonal[j * b + i] = spread;
    for (i = 0; s->local && i < triangle; ++i) soothi_sofnn_lane(s->upper4, j, triangle)[4 * i] = 0.0f;
    for (i = j * b; !s->local && i < (j + 1) * b; ++i)
        for (k = 0; k < i; ++k) s->upper[i * (i - 1) / 2 + k] = 0.0;
    s->relevance[j] = 1.0;
}

SOOTH_API sooth_status sooth_sofnn_learner_init(sooth_env *env, sooth_sofnn_learner *learner,
                                                const sooth_sofnn_options *options, size_t cols,
                                                size_t targets, void *memory, size_t size) {
    soothi_sofnn_state *s = (soothi_sofnn_state *)memory;
    const sooth_sofnn *from;
    sooth_sofnn *m;
    sooth_status status;
    size_t i, j, t, width, bytes;
    memset(learner, 0, sizeof *learner);
    status = soothi_sofnn_resolve(env, options, cols, targets, &learner->options);
    if (status != SOOTH_OK) return status;
    from = learner->options.from;
    if (from && (from->head.features != cols || from->head.targets != targets ||
                 from->rules > learner->options.max_rules || from->order == learner->options.order))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the network to begin with has another shape: %u inputs, %u outputs, %u rules",
                           from->head.features, from->head.targets, from->rules);
    for (i = 0; learner->options.low && learner->options.high && i < cols; ++i)
        if (!(learner->options.high[i] >= learner->options.low[i]))
            return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                               "the range of input %z is %g to %g, but must not be empty", i + 1,
                               (double)learner->options.low[i], (double)learner->options.high[i]);
    bytes = sooth_sofnn_learner_size(options, cols, targets);
    if (!memory || size < bytes) return soothi_no_memory(env, "learning a fuzzy network", bytes);
    memset(memory, 0, bytes);
    soothi_sofnn_learner_plan(s, &learner->options, cols, targets, (unsigned char *)memory);
    s->log_cover = soothi_log(learner->options.coverage);
    m = (sooth_sofnn *)(void *)((unsigned char *)memory + soothi_round16(sizeof *s));
    m->head.magic = SOOTH_BLOCK_MAGIC;
    m->head.kind = SOOTH_KIND_SOFNN | SOOTH_SOFNN_VERSION << 16;
    m->head.size = m->head.doubles_at = m->head.bytes_at =
        (uint32_t)soothi_sofnn_bytes(cols, targets, learner->options.max_rules, !learner->options.order);
    m->head.features = (uint32_t)cols;
    m->head.targets = (uint32_t)targets;
    m->room = learner->options.max_rules;
    m->order = !learner->options.order;
    m->rules = 1; /* of zeros, until the first row: its answer is 0 */
    width = soothi_sofnn_width(m);
    for (i = 0; i < cols; ++i) {
        float *low = soothi_sofnn_floats_of(m);
        if (from) low[i] = soothi_sofnn_low(from)[i], low[cols + i] = soothi_sofnn_high(from)[i];
        if (learner->options.low && learner->options.high)
            low[i] = learner->options.low[i], low[cols + i] = learner->options.high[i];
        s->net.range[i] = (double)low[cols + i] - (double)low[i];
    }
    for (j = 0; from && j < from->rules; ++j) {
        for (i = 0; i < cols; ++i) {
            const float steep = soothi_sofnn_steep(from)[j * cols + i];
            s->net.centre[j * cols + i] = (double)soothi_sofnn_centre(from)[j * cols + i];
            s->net.width[j * cols + i] = steep > 0.0f ? 1.0 / (double)steep : 0.0;
        }
        for (t = 0; t < targets; ++t)
            for (i = 0; i < width; ++i)
                soothi_sofnn_theta(&s->net, j, t)[i] =
                    (double)soothi_sofnn_answer(from)[(j * targets + t) * width + i];
        s->net.rules = j + 1;
        soothi_sofnn_unsure(s, learner->options.spread);
        soothi_sofnn_put(&s->net, j, m);
        m->rules = (uint32_t)s->net.rules;
    }
    for (t = 0; from && t < targets; ++t) { /* the targets' range, without the margin */
        const double least = (double)soothi_sofnn_least(from)[t], most = (double)soothi_sofnn_most(from)[t],
                     more = (most - least) * learner->options.margin / (1.0 + 2.0 * learner->options.margin);
        s->least[t] = least + more;
        s->most[t] = most - more;
        soothi_sofnn_bound(m, &learner->options, t, s->least[t], s->most[t]);
    }
    learner->model = m;
    learner->state = s;
    return SOOTH_OK;
}

/* Bierman's update (Factorization Methods for Discrete Sequential Estimation, 1977, V.3) of U D U' by one
   measurement h' theta of variance `noise`: products and quotients of positive numbers, so D stays positive.
   Leaves the gain. Entries of D are first divided by `forget` and kept at most `most` (wind-up). */
SOOTHI_LOCAL void soothi_sofnn_bierman(double *SOOTHI_RESTRICT u, double *SOOTHI_RESTRICT d, size_t k,
                                       const double *h, double forget, double most, double *SOOTHI_RESTRICT f,
                                       double *SOOTHI_RESTRICT gain) {
    double alpha = 1.0, *column = u;
    size_t i, j;
    for (j = 0; j < k; column += j, ++j) f[j] = h[j] + soothi_dot(column, h, j);
    for (j = 0, column = u; j < k; column += j, ++j) {
        const double was = alpha, v = (d[j] = d[j] / forget < most ? d[j] / forget : most) * f[j],
                     lambda = -f[j] / was;
        alpha += f[j] * v;
        d[j] *= was / alpha;
        if (!(d[j] > 1e-200)) d[j] = 1e-200;
        gain[j] = v;
        for (i = 0; i < j; ++i) {
            const double old = column[i];
            column[i] = old + lambda * gain[i];
            gain[i] += v * old;
        }
    }
    for (j = 0; j < k; ++j) gain[j] /= alpha;
}

/* The same for four rules side by side: lane r learns with weight w[r] (a measurement of variance 1 / w[r];
   0: nothing changes). D is kept positive by a grain of 1e-30. */
SOOTHI_LOCAL void soothi_sofnn_bierman4(float *SOOTHI_RESTRICT u, float *SOOTHI_RESTRICT d, size_t k,
                                        const float *SOOTHI_RESTRICT h, const float *w,
                                        float *SOOTHI_RESTRICT gain) {
    const soothi_4f weight = soothi_4f_load(w), less = soothi_4f_splat(-1.0f),
                    grain = soothi_4f_splat(1e-30f);
    soothi_4f alpha = soothi_4f_splat(1.0f), inverse = alpha;
    size_t i, j;
    for (j = 0; j < 4 * k; u += j, j += 4) {
        const soothi_4f was = soothi_4f_load(d + j);
        soothi_4f f = soothi_4f_load(h + j), v, wf, lambda, scaled;
        float lane[4];
        for (i = 0; i < j; i += 4)
            f = soothi_4f_add(f, soothi_4f_mul(soothi_4f_load(u + i), soothi_4f_load(h + i)));
        v = soothi_4f_mul(was, f);
        wf = soothi_4f_mul(weight, f);
        lambda = soothi_4f_mul(less, soothi_4f_mul(wf, inverse));
        scaled = soothi_4f_mul(was, alpha);
        alpha = soothi_4f_add(alpha, soothi_4f_mul(wf, v));
        soothi_4f_store(lane, alpha);
        inverse = soothi_4f_of(1.0f / lane[0], 1.0f / lane[1], 1.0f / lane[2], 1.0f / lane[3]);
        soothi_4f_store(d + j, soothi_4f_add(grain, soothi_4f_mul(scaled, inverse)));
        for (i = 0; i < j; i += 4) {
            const soothi_4f old = soothi_4f_load(u + i), g = soothi_4f_load(gain + i);
            soothi_4f_store(u + i, soothi_4f_add(old, soothi_4f_mul(lambda, g)));
            soothi_4f_store(gain + i, soothi_4f_add(g, soothi_4f_mul(v, old)));
        }
        soothi_4f_store(gain + j, v);
    }
    inverse = soothi_4f_mul(weight, inverse);
    for (j = 0; j < 4 * k; j += 4)
        soothi_4f_store(gain + j, soothi_4f_mul(soothi_4f_load(gain + j), inverse));
}

/* U D U' + c v v' (Agee and Turner 1972), k x k; destroys v. */
SOOTHI_LOCAL void soothi_sofnn_agee(double *u, double *d, size_t k, double c, double *v) {
    size_t i, j;
    for (j = k; j-- > 0;) {
        double *column = u + (j ? j * (j - 1) / 2 : 0);
        const double sum = d[j] + c * v[j] * v[j], factor = c * v[j] / sum;
        for (i = 0; i < j; ++i) {
            v[i] -= v[j] * column[i];
            column[i] += factor * v[i];
        }
        c *= d[j] / sum;
        d[j] = sum;
    }
}

/* Removes parameter p from the k: the part of its column above it joins the rest as one product, the later
 * columns lose their row p. */
SOOTHI_LOCAL void soothi_sofnn_strike(soothi_sofnn_state *s, size_t k, size_t p) {
    double *to = s->upper + (p ? p * (p - 1) / 2 : 0), c = s->diagonal[p];
    size_t i, j;
    memcpy(s->f, to, p * sizeof(double));
    soothi_sofnn_agee(s->upper, s->diagonal, p, c, s->f);
    for (j = p + 1; j < k; ++j) {
        const double *from = s->upper + j * (j - 1) / 2;
        for (i = 0; i < j; ++i)
            if (i != p) *to++ = from[i];
        s->diagonal[j - 1] = s->diagonal[j];
    }
}

/* The learner forgets rule j. */
SOOTHI_LOCAL void soothi_sofnn_forget(sooth_sofnn_learner *learner, size_t j) {
    soothi_sofnn_state *s = learner->state;
    const size_t b = s->net.b, after = s->net.rules - j - 1, triangle = b * (b - 1) / 2;
    size_t i, k;
    for (i = b; !s->local && i-- > 0;) soothi_sofnn_strike(s, s->net.rules * b - (b - 1 - i), j * b + i);
    for (k = j; s->local && k < j + after; ++k) {
        float *d = soothi_sofnn_lane(s->diagonal4, k, b), *u = soothi_sofnn_lane(s->upper4, k, triangle);
        const float *next_d = soothi_sofnn_lane(s->diagonal4, k + 1, b),
                    *next_u = soothi_sofnn_lane(s->upper4, k + 1, triangle);
        for (i = 0; i < b; ++i) d[4 * i] = next_d[4 * i];
        for (i = 0; i < triangle; ++i) u[4 * i] = next_u[4 * i];
    }
    memmove(s->relevance + j, s->relevance + j + 1, after * sizeof(double));
    soothi_sofnn_drop(&s->net, j);
    for (i = 0; i < s->net.rules; ++i) soothi_sofnn_put(&s->net, i, learner->model);
}

/* A rule at this row that says what the target is here, with the slopes that the others have here. */
SOOTHI_LOCAL void soothi_sofnn_grow_one(sooth_sofnn_learner *learner, const float *row, const float *target) {
    soothi_sofnn_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const size_t u = net->rules, b = net->b, m = net->m;
    size_t i, j, t;
    soothi_sofnn_add(net, row, &learner->options);
    for (i = 0; s->local && i < net->n; ++i) /* local rules must not look where others are */
        for (j = 0; j < u; ++j) {
            const double d = 0.5 * soothi_abs((double)row[i] - net->centre[j * net->n + i]);
            double *w = net->width + j * net->n + i;
            if (d > 0.05 * net->range[i] && *w > d) *w = d;
            if (d > 0.05 * net->range[i] && net->width[u * net->n + i] > d) net->width[u * net->n + i] = d;
        }
    for (t = 0; t < m; ++t) {
        double *theta = soothi_sofnn_theta(net, u, t), answer = (double)target[t];
        for (i = 1; i < b; ++i) {
            double slope = 0.0;
            for (j = 0; j < u; ++j) slope += s->share[j] * soothi_sofnn_theta(net, j, t)[i];
            theta[i] = slope;
            answer -= slope * ((double)row[i - 1] - net->centre[u * net->n + i - 1]);
        }
        theta[0] = answer;
    }
    soothi_sofnn_unsure(s, learner->options.spread);
    s->young = s->steps;
    for (j = 0; j < net->rules; ++j) soothi_sofnn_put(net, j, learner->model);
}

/* Widens the range of the inputs, keeps mean and spread of the targets (Welford). */
SOOTHI_LOCAL void soothi_sofnn_watch(sooth_sofnn_learner *learner, const float *row, const float *target) {
    soothi_sofnn_state *s = learner->state;
    float *low = soothi_sofnn_floats_of(learner->model), *high = low + s->net.n;
    const double count = (double)s->steps;
    size_t i, t;
    for (i = 0; i < s->net.n; ++i) {
        if (!(learner->options.low && learner->options.high)) {
            if (s->steps == 1 && !learner->options.from) low[i] = high[i] = row[i];
            low[i] = row[i] < low[i] ? row[i] : low[i];
            high[i] = row[i] > high[i] ? row[i] : high[i];
        }
        s->net.range[i] =
            learner->options.premise && !learner->options.premise[i] ? 0.0 : (double)high[i] - (double)low[i];
        if (s->net.rules == 1 && !learner->options.from) /* one rule answers alone whatever its width */
            s->net.width[i] = learner->options.first_width * s->net.range[i];
    }
    for (t = 0; t < s->net.m; ++t) {
        const double y = (double)target[t], d = y - s->mean[t];
        if (s->steps == 1 && !learner->options.from) s->least[t] = s->most[t] = y;
        s->least[t] = y < s->least[t] ? y : s->least[t];
        s->most[t] = y > s->most[t] ? y : s->most[t];
        soothi_sofnn_bound(learner->model, &learner->options, t, s->least[t], s->most[t]);
        s->mean[t] += d / count;
        s->square[t] += d * ((double)target[t] - s->mean[t]);
    }
}

/* The shares, the rules' answers and the net's errors at the row; returns the root mean square of the errors
   in standard deviations. Rules fire as the model's do. */
SOOTHI_LOCAL double soothi_sofnn_weigh_up(sooth_sofnn_learner *learner, const float *row, const float *target,
                                          size_t *best) {
    soothi_sofnn_state *s = learner->state;
    const soothi_sofnn_net *net = &s->net;
    const float *low = soothi_sofnn_low(learner->model), *centre = soothi_sofnn_centre(learner->model),
                *steep = soothi_sofnn_steep(learner->model);
    const size_t b = net->b, m = net->m, n = net->n;
    double square = 0.0;
    size_t i, j, t;
    for (j = 0; j < net->rules; ++j)
        s->fire[j] = (double)soothi_sofnn_fire(centre + j * n, steep + j * n, row, n);
    *best = soothi_sofnn_shares(s->fire, net->rules, s->share);
    for (t = 0; t < m; ++t) s->miss[t] = (double)target[t];
    for (j = 0; j < net->rules; ++j) {
        double *h = s->design + j * b;
        h[0] = 1.0;
        for (i = 1; i < b; ++i) {
            const float v = row[i - 1], least = low[i - 1], most = low[n + i - 1];
            h[i] = (double)(v < least ? least : v > most ? most : v) - net->centre[j * n + i - 1];
        }
        for (t = 0; t < m; ++t) {
            s->says[j * m + t] = soothi_dot(soothi_sofnn_theta(net, j, t), h, b);
            s->miss[t] -= s->share[j] * s->says[j * m + t];
        }
    }
    for (t = 0; t < m; ++t) {
        const double variance = s->square[t] / (double)s->steps;
        square += s->miss[t] * s->miss[t] / (variance > 0.0 ? variance : 1.0);
    }
    return soothi_sqrt(square / (double)m);
}

/* Recursive least squares of the consequents, each rule by itself, four at a time: rule j learns with weight
   psi_j. Rules with a share below SOOTHI_SOFNN_SILENT neither learn nor forget. The covariance only chooses
   the size of a step, so floats do; the consequents are in double. */
#define SOOTHI_SOFNN_SILENT 1e-6
SOOTHI_LOCAL void soothi_sofnn_recurse_local(sooth_sofnn_learner *learner, const float *target) {
    soothi_sofnn_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const float forget = (float)learner->options.forgetting, most = (float)learner->options.spread;
    const size_t b = net->b, m = net->m, triangle = b * (b - 1) / 2;
    size_t i, j, t, r;
    for (j = 0; j < net->rules; j += 4) {
        float weight[4] = {0, 0, 0, 0}, *d = soothi_sofnn_lane(s->diagonal4, j, b);
        const size_t rules = net->rules - j < 4 ? net->rules - j : 4;
        int any = 0;
        for (r = 0; r < rules; ++r) {
            const double *h = s->design + (j + r) * b;
            if (s->share[j + r] < SOOTHI_SOFNN_SILENT) continue;
            weight[r] = (float)s->share[j + r];
            any = 1;
            for (i = 0; i < b; ++i) s->design4[4 * i + r] = (float)h[i];
            for (i = r; forget < 1.0f && i < 4 * b; i += 4)
                d[i] = d[i] / forget < most ? d[i] / forget : most;
        }
        if (!any) continue;
        soothi_sofnn_bierman4(soothi_sofnn_lane(s->upper4, j, triangle), d, b, s->design4, weight, s->gain4);
        for (r = 0; r < rules; ++r) {
            if (!(weight[r] > 0.0f)) continue;
            for (t = 0; t < m; ++t) {
                const double miss = (double)target[t] - s->says[(j + r) * m + t];
                double *theta = soothi_sofnn_theta(net, j + r, t);
                for (i = 0; i < b; ++i) theta[i] += (double)s->gain4[4 * i + r] * miss;
            }
            soothi_sofnn_put_answer(net, j + r, learner->model);
        }
    }
}

/* The same for all rules as one problem. */
SOOTHI_LOCAL void soothi_sofnn_recurse_global(sooth_sofnn_learner *learner) {
    soothi_sofnn_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const size_t b = net->b, m = net->m, k = net->rules * b;
    size_t i, j, t;
    for (j = 0; j < net->rules; ++j)
        for (i = 0; i < b; ++i) s->design[j * b + i] *= s->share[j];
    soothi_sofnn_bierman(s->upper, s->diagonal, k, s->design, learner->options.forgetting,
                         learner->options.spread, s->f, s->gain);
    for (t = 0; t < m; ++t)
        for (j = 0; j < net->rules; ++j)
            for (i = 0; i < b; ++i) soothi_sofnn_theta(net, j, t)[i] += s->gain[j * b + i] * s->miss[t];
    for (j = 0; j < net->rules; ++j) soothi_sofnn_put_answer(net, j, learner->model);
}

SOOTH_API int sooth_sofnn_learn(sooth_sofnn_learner *learner, const float *row, const float *target) {
    soothi_sofnn_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const sooth_sofnn_options *o = &learner->options;
    size_t i, j, best;
    double error;
    int ready;
    for (i = 0; i < net->n; ++i)
        if (!soothi_finite((double)row[i])) return 0;
    for (i = 0; i < net->m; ++i)
        if (!soothi_finite((double)target[i])) return 0;
    ++s->steps;
    soothi_sofnn_watch(learner, row, target);
    if (net->rules == 0) soothi_sofnn_grow_one(learner, row, target);
    if (net->rules == 1) soothi_sofnn_put(net, 0, learner->model);
    error = soothi_sofnn_weigh_up(learner, row, target, &best);
    s->recent = 0.97 * s->recent + 0.03 * error * error;
    ready = net->rules < net->room && s->steps - s->young >= (uint64_t)o->settle * net->b;
    if (s->fire[best] < s->log_cover && !(error > o->delta && ready)) {
        soothi_sofnn_widen(net, best, row, o->widen, s->log_cover);
        soothi_sofnn_put(net, best, learner->model);
        soothi_sofnn_weigh_up(learner, row, target, &best);
    } else if (error > o->delta && ready &&
               (s->recent > o->delta * o->delta || s->fire[best] < s->log_cover)) {
        soothi_sofnn_grow_one(learner, row, target);
        s->recent = 0.0;
        soothi_sofnn_weigh_up(learner, row, target, &best);
    }
    if (s->local) soothi_sofnn_recurse_local(learner, target);
    else soothi_sofnn_recurse_global(learner);
    for (j = 0; j < net->rules; ++j) s->relevance[j] += 0.01 * (s->share[j] - s->relevance[j]);
    if (s->steps % 200 == 0 && net->rules > 2 && o->prune != SOOTH_SOFNN_NO_PRUNING &&
        s->steps - s->young > 500) {
        size_t least = 0;
        for (j = 1; j < net->rules; ++j)
            if (s->relevance[j] < s->relevance[least]) least = j;
        if (s->relevance[least] < 1e-3) soothi_sofnn_forget(learner, least);
    }
    learner->model->rules = (uint32_t)net->rules;
    return 1;
}

SOOTH_API const sooth_sofnn *sooth_sofnn_seal(sooth_sofnn_learner *learner) {
    const sooth_sofnn *m = learner->model;
    const size_t from = m->rules, after = m->room - from, n = m->head.features,
                 answers = m->head.targets * soothi_sofnn_width(m);
    float *centre = soothi_sofnn_floats_of(learner->model) + 2 * n, *steep = centre + m->room * n,
          *answer = steep + m->room * n;
    memset(centre + from * n, 0, after * n * sizeof(float)); /* what former rules left */
    memset(steep + from * n, 0, after * n * sizeof(float));
    memset(answer + from * answers, 0, after * answers * sizeof(float));
    soothi_block_seal(&learner->model->head);
    return learner->model;
}

SOOTH_API int sooth_sofnn_sound(const sooth_sofnn_learner *learner) {
    const soothi_sofnn_state *s = learner->state;
    const size_t b = s->net.b, k = s->local ? b : s->net.rules * b, triangle = k ? k * (k - 1) / 2 : 0;
    size_t j, i;
    for (i = 0; !s->local && i < k; ++i)
        if (!(s->diagonal[i] > 0.0 && soothi_finite(s->diagonal[i]))) return 0;
    for (i = 0; !s->local && i < triangle; ++i)
        if (!soothi_finite(s->upper[i])) return 0;
    for (j = 0; s->local && j < s->net.rules; ++j) {
        const float *d = soothi_sofnn_lane(s->diagonal4, j, b),
                    *u = soothi_sofnn_lane(s->upper4, j, triangle);
        for (i = 0; i < b; ++i)
            if (!(d[4 * i] > 0.0f && soothi_finite((double)d[4 * i]))) return 0;
        for (i = 0; i < triangle; ++i)
            if (!soothi_finite((double)u[4 * i])) return 0;
    }
    return 1;
}

/* ---- rules as text ---- */

/* A width that 1 / width gives this steepness, the shortest way round. */
SOOTHI_LOCAL float soothi_sofnn_width_of(float steep) {
    const float w = (float)(1.0 / (double)steep);
    const uint32_t bits = soothi_bits(w);
    uint32_t k;
    for (k = 0; k < 9; ++k) {
        const float other = soothi_of_bits(bits + k - 4u);
        if (soothi_bits(1.0f / other) == soothi_bits(steep)) return other;
    }
    return w;
}

/* The name of input or output i: the host's where it can be told from all others and stands on one line, else
 * "input 3". */
SOOTHI_LOCAL const char *soothi_sofnn_name(const char *const *names, size_t count, size_t i, const char *what,
                                           char room[32]) {
    size_t k;
    int good = names && names[i] && names[i][0];
    for (k = 0; good && names[i][k]; ++k) good = (unsigned char)names[i][k] >= 32 && k < 200;
    for (k = 0; good && k < count; ++k) good = k == i || !names[k] || !soothi_same_text(names[k], names[i]);
    if (good) return names[i];
    sooth_text_format(room, 32, "%s %z", what, i + 1);
    return room;
}

SOOTH_API void sooth_sofnn_write(const sooth_sofnn *model, const char *const *names,
                                 const char *const *outputs, sooth_sink *sink) {
    const size_t n = model->head.features, m = model->head.targets, width = soothi_sofnn_width(model);
    char room[32];
    size_t i, j, t;
    sooth_text_put(sink, "fuzzy network: %z inputs, %z outputs, %u rules of %s order\n", n, m, model->rules,
                   model->order ? "first" : "zero");
    for (i = 0; i < n; ++i)
        sooth_text_put(sink, "input %s from %f to %f\n", soothi_sofnn_name(names, n, i, "input", room),
                       (double)soothi_sofnn_low(model)[i], (double)soothi_sofnn_high(model)[i]);
    for (t = 0; t < m; ++t)
        sooth_text_put(sink, "output %s from %f to %f\n", soothi_sofnn_name(outputs, m, t, "output", room),
                       (double)soothi_sofnn_least(model)[t], (double)soothi_sofnn_most(model)[t]);
    for (j = 0; j < model->rules; ++j) {
        const float *centre = soothi_sofnn_centre(model) + j * n, *steep = soothi_sofnn_steep(model) + j * n;
        const char *word = "IF";
        for (i = 0; i < n; ++i) {
            if (!(steep[i] > 0.0f)) continue;
            sooth_text_put(sink, "%s %s is about %f +- %f", word,
                           soothi_sofnn_name(names, n, i, "input", room), (double)centre[i],
                           (double)soothi_sofnn_width_of(steep[i]));
            word = " AND";
        }
        sooth_text_put(sink, word[0] == 'I' ? "ALWAYS" : " THEN");
        for (t = 0; t < m; ++t) {
            const float *answer = soothi_sofnn_answer(model) + (j * m + t) * width;
            sooth_text_put(sink, "%s %s is %f", t ? "," : "",
                           soothi_sofnn_name(outputs, m, t, "output", room), (double)answer[0]);
            for (i = 0; i + 1 < width; ++i)
                sooth_text_put(sink, " + %f (%s - %f)", (double)answer[1 + i],
                               soothi_sofnn_name(names, n, i, "input", room), (double)centre[i]);
        }
        sooth_text_write(sink, "\n", 1);
    }
}

typedef struct soothi_sofnn_reader {
    const char *text;
    size_t size, at, line;
    int failed;
} soothi_sofnn_reader;

/* Takes the word when it comes next. */
SOOTHI_LOCAL int soothi_sofnn_try(soothi_sofnn_reader *r, const char *word, size_t length) {
    if (r->failed || r->size - r->at < length || !soothi_same_chars(r->text + r->at, word, length)) return 0;
    r->at += length;
    return 1;
}
SOOTHI_LOCAL size_t soothi_sofnn_length(const char *word) {
    size_t n = 0;
    while (word[n]) ++n;
    return n;
}
SOOTHI_LOCAL int soothi_sofnn_may(soothi_sofnn_reader *r, const char *word) {
    return soothi_sofnn_try(r, word, soothi_sofnn_length(word));
}
SOOTHI_LOCAL void soothi_sofnn_must(soothi_sofnn_reader *r, const char *word) {
    if (!soothi_sofnn_may(r, word)) r->failed = 1;
}
SOOTHI_LOCAL void soothi_sofnn_end(soothi_sofnn_reader *r) {
    if (!soothi_sofnn_may(r, "\n")) soothi_sofnn_must(r, "\r\n");
    if (!r->failed) ++r->line;
}
SOOTHI_LOCAL float soothi_sofnn_number(soothi_sofnn_reader *r) {
    float v = 0.0f;
    const size_t taken = r->failed ? 0 : sooth_text_to_float(r->text + r->at, r->size - r->at, &v);
    if (taken == 0 || !soothi_finite((double)v)) r->failed = 1;
    r->at += taken;
    return r->failed ? 0.0f : v;
}
SOOTHI_LOCAL uint32_t soothi_sofnn_whole(soothi_sofnn_reader *r, uint32_t most) {
    const float v = soothi_sofnn_number(r);
    if (!(v >= 1.0f && v <= (float)most)) r->failed = 1;
    return r->failed ? 1u : (uint32_t)v;
}
/* The line that begins `line`: the name in it, which ends at `stop` or the end of the line. */
SOOTHI_LOCAL void soothi_sofnn_named(soothi_sofnn_reader *r, const char *stop, const char **name,
                                     size_t *length) {
    const size_t more = soothi_sofnn_length(stop);
    size_t at = r->at, end, last;
    for (end = at; end < r->size && r->text[end] != '\n' && r->text[end] != '\r';) ++end;
    last = end;
    if (more)
        for (last = end; last > at && (end - last < more || !soothi_same_chars(r->text + last, stop, more));)
            --last;
    if (last == at) r->failed = 1;
    *name = r->text + at;
    *length = last - at;
    if (!r->failed) r->at = last;
}

/* Where the head's names of inputs and outputs stand is found again line by line, so that no memory is
 * needed: line k after the first. */
SOOTHI_LOCAL void soothi_sofnn_name_at(const soothi_sofnn_reader *r, size_t k, int input, const char **name,
                                       size_t *length) {
    soothi_sofnn_reader head = *r;
    head.at = 0;
    head.failed = 0;
    for (++k; k; ++head.at) k -= head.text[head.at] == '\n';
    head.at += input ? 6 : 7; /* "input ", "output " */
    soothi_sofnn_named(&head, " from ", name, length);
}

SOOTHI_LOCAL int soothi_sofnn_try_name(soothi_sofnn_reader *r, size_t line, int input, const char *after) {
    const char *name;
    size_t length, at = r->at;
    if (r->failed) return 0;
    soothi_sofnn_name_at(r, line, input, &name, &length);
    if (soothi_sofnn_try(r, name, length) && soothi_sofnn_may(r, after)) return 1;
    r->at = at;
    return 0;
}

/* One rule. Inputs stand in the order of the head. */
SOOTHI_LOCAL void soothi_sofnn_read_rule(soothi_sofnn_reader *r, sooth_sofnn *m, size_t j) {
    const size_t n = m->head.features, targets = m->head.targets, width = soothi_sofnn_width(m);
    float *centre = soothi_sofnn_floats_of(m) + 2 * n + j * n, *steep = centre + (size_t)m->room * n;
    float *answer = soothi_sofnn_floats_of(m) + 2 * n + 2 * (size_t)m->room * n + j * targets * width;
    size_t i = 0, t;
    if (!soothi_sofnn_may(r, "ALWAYS")) {
        soothi_sofnn_must(r, "IF ");
        do {
            float w;
            while (i < n && !soothi_sofnn_try_name(r, i, 1, " is about ")) ++i;
            if (i == n) r->failed = 1;
            if (r->failed) return;
            centre[i] = soothi_sofnn_number(r);
            soothi_sofnn_must(r, " +- ");
            w = soothi_sofnn_number(r);
            if (!(w > 1e-38f)) r->failed = 1;
            if (r->failed) return;
            steep[i++] = 1.0f / w;
        } while (soothi_sofnn_may(r, " AND "));
        soothi_sofnn_must(r, " THEN");
    }
    for (t = 0; t < targets && !r->failed; ++t) {
        if (t) soothi_sofnn_must(r, ",");
        soothi_sofnn_must(r, " ");
        if (!soothi_sofnn_try_name(r, n + t, 0, " is ")) r->failed = 1;
        answer[t * width] = soothi_sofnn_number(r);
        for (i = 0; i + 1 < width && !r->failed; ++i) {
            soothi_sofnn_must(r, " + ");
            answer[t * width + 1 + i] = soothi_sofnn_number(r);
            soothi_sofnn_must(r, " (");
            if (!soothi_sofnn_try_name(r, i, 1, " - ")) r->failed = 1;
            centre[i] = soothi_sofnn_number(r);
            soothi_sofnn_must(r, ")");
        }
    }
    if (!r->failed) soothi_sofnn_end(r);
}

SOOTH_API sooth_status sooth_sofnn_read(sooth_env *env, const char *text, size_t size, sooth_sofnn **model) {
    soothi_sofnn_reader r;
    uint32_t n, m, rules, order;
    sooth_sofnn *made;
    float *bound;
    size_t bytes, i;
    *model = NULL;
    memset(&r, 0, sizeof r);
    r.text = text;
    r.size = size;
    r.line = 1;
    soothi_sofnn_must(&r, "fuzzy network: ");
    n = soothi_sofnn_whole(&r, 0x10000u);
    soothi_sofnn_must(&r, " inputs, ");
    m = soothi_sofnn_whole(&r, 0x1000u);
    soothi_sofnn_must(&r, " outputs, ");
    rules = soothi_sofnn_whole(&r, SOOTH_SOFNN_MOST_RULES);
    soothi_sofnn_must(&r, " rules of ");
    order = (uint32_t)soothi_sofnn_may(&r, "first");
    if (!order) soothi_sofnn_must(&r, "zero");
    soothi_sofnn_must(&r, " order");
    soothi_sofnn_end(&r);
    /* a rule's line is longer than its numbers are many: no text can ask for more memory than a few times its
     * size */
    if (!r.failed && (uint64_t)rules * m * (1u + (uint64_t)order * n) + n + m > size) r.failed = 1;
    if (r.failed) return soothi_fail(env, SOOTH_BAD_TEXT, "line %z does not read as a fuzzy network", r.line);
    bytes = soothi_sofnn_bytes(n, m, rules, (int)order);
    made = (sooth_sofnn *)soothi_block_new(env, SOOTH_KIND_SOFNN, SOOTH_SOFNN_VERSION, bytes, 0, 0);
    if (!made) return soothi_no_memory(env, "a fuzzy network", bytes);
    made->head.features = n;
    made->head.targets = m;
    made->rules = made->room = rules;
    made->order = order;
    for (i = 0; i < n && !r.failed; ++i) {
        const char *name;
        size_t length;
        soothi_sofnn_must(&r, "input ");
        soothi_sofnn_named(&r, " from ", &name, &length);
        soothi_sofnn_must(&r, " from ");
        soothi_sofnn_floats_of(made)[i] = soothi_sofnn_number(&r);
        soothi_sofnn_must(&r, " to ");
        soothi_sofnn_floats_of(made)[n + i] = soothi_sofnn_number(&r);
        soothi_sofnn_end(&r);
    }
    bound = soothi_sofnn_floats_of(made) + (soothi_sofnn_least(made) - soothi_sofnn_low(made));
    for (i = 0; i < m && !r.failed; ++i) {
        const char *name;
        size_t length;
        soothi_sofnn_must(&r, "output ");
        soothi_sofnn_named(&r, " from ", &name, &length);
        soothi_sofnn_must(&r, " from ");
        bound[i] = soothi_sofnn_number(&r);
        soothi_sofnn_must(&r, " to ");
        bound[m + i] = soothi_sofnn_number(&r);
        if (bound[i] > bound[m + i]) r.failed = 1;
        soothi_sofnn_end(&r);
    }
    for (i = 0; i < rules && !r.failed; ++i) soothi_sofnn_read_rule(&r, made, i);
    if (r.failed) {
        sooth_sofnn_free(env, made);
        return soothi_fail(env, SOOTH_BAD_TEXT, "line %z does not read as a part of a fuzzy network", r.line);
    }
    soothi_block_seal(&made->head);
    *model = made;
    return SOOTH_OK;
}

#endif /* SOOTH_PREDICT_ONLY */
#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
