/* sofnn/online.h - a fuzzy network that learns one row at a time, in memory of a fixed size.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The network of sofnn.h, for programs that receive each row once: firmware, a scheduler. The consequents are
 * updated with every row by recursive least squares. The covariance is kept as U D U' (Bierman, Factorization
 * Methods for Discrete Sequential Estimation, 1977), so that it stays positive. Rules are added where the
 * error stays large or no rule covers the row. They are widened where coverage alone is insufficient, and
 * removed when they no longer fire.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/sofnn.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[4096];
 *         const sooth_sofnn_learner_options options = {.network = {.max_rules = 8},
 *                                                      .recursion = SOOTH_SOFNN_GLOBAL};
 *         sooth_sofnn_learner *learner;
 *         sooth_env env;
 *         int i;
 *         sooth_env_init(&env);
 *         if (sooth_sofnn_learner_init(&env, &options, 1, 1, memory, sizeof memory, &learner) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (i = 0; i < 1000; ++i) {
 *             const float load = (float)(i % 100), watts = load < 50 ? 40 : 40 + 2 * (load - 50);
 *             sooth_sofnn_learner_update(learner, &load, &watts);
 *         }
 *         const float load = 75;
 *         printf("%.0f W\n", (double)sooth_sofnn_predict(learner->model, &load));   //> 90 W
 *         return 0;
 *     }
 *
 * Cost, for n inputs, u rules, m outputs, b = 1 + n (zero order: 1), M = u b:
 *   learn    one row: 1.5 b^2 multiply-adds in float for each rule that fires (recursion=local; 2.5 us for 32
 *            rules of 14 inputs, all firing), 1.5 M^2 in double (global: 60 us); no allocation
 *   memory   sooth_sofnn_learner_size: about 2 u b^2 bytes (local), 4 M^2 (global), and the model
 */
#if !defined(SOOTH_SOFNN_ONLINE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_ONLINE_IMPLEMENTED))
#endif

#ifndef SOOTH_SOFNN_ONLINE_H
#define SOOTH_SOFNN_ONLINE_H

#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

typedef enum sooth_sofnn_recursion {
    /* every rule learns alone, weighted by its share: cheap, and rules that do not fire stay unchanged */
    SOOTH_SOFNN_LOCAL = 0,
    SOOTH_SOFNN_GLOBAL /* one least-squares problem of all rules: exact, O((rules x inputs)^2) */
} sooth_sofnn_recursion;

typedef struct sooth_sofnn_learner_options {
    /* order, max_rules, error_threshold, first_width, reuse_distance, widen_factor, coverage, margin,
       extrapolate, premises. prune=none: no rule is removed. Its other fields are for fitting only. */
    sooth_sofnn_options network;
    uint32_t recursion;          /* a sooth_sofnn_recursion */
    uint32_t rows_per_parameter; /* min rows per parameter of a rule before the next rule; 0 means 2 */
    double forgetting;           /* factor per row by which the weight of earlier rows falls; 0 means 1 */
    double initial_variance;     /* of every parameter of a new rule; 0 means 1e4 */

    const float *low, *high;              /* the range of each input; NULL means the range so far */
    const struct sooth_sofnn *warm_start; /* initial rules, of this shape; NULL means none. A checked model
                                             may come from anyone */
} sooth_sofnn_learner_options;

/* A learner and all its data are in the memory given to sooth_sofnn_learner_init. `model` can be used for
   prediction between two rows. */
typedef struct sooth_sofnn_learner {
    sooth_sofnn *model;
    sooth_sofnn_learner_options options; /* the defaults filled in */
    struct sooth_sofnn_learner_state *state;
} sooth_sofnn_learner;

/* Returns names, ranges and defaults of the options. For `network` see sooth_sofnn_options_list. */
SOOTH_API sooth_option_list sooth_sofnn_learner_options_list(void);

/* Returns the bytes that a learner needs, or 0 if the options are invalid. */
SOOTH_API size_t sooth_sofnn_learner_size(const sooth_sofnn_learner_options *options, size_t cols,
                                          size_t targets);

/* Makes a learner at the start of memory, which is aligned like malloc's. Returns SOOTH_NO_MEMORY if size is
   below sooth_sofnn_learner_size. Nothing needs to be freed. */
SOOTH_API sooth_status sooth_sofnn_learner_init(sooth_env *env, const sooth_sofnn_learner_options *options,
                                                size_t cols, size_t targets, void *memory, size_t size,
                                                sooth_sofnn_learner **learner);

/* Learns from one row (features) and its targets. Ignores the row and returns
   SOOTH_BAD_DATA if a value is not finite. */
SOOTH_API sooth_status sooth_sofnn_learner_update(sooth_sofnn_learner *learner, const float *row,
                                                  const float *target);

/* Sets the checksum, so that the head.size bytes of learner->model can be saved. */
SOOTH_API const sooth_sofnn *sooth_sofnn_learner_seal(sooth_sofnn_learner *learner);

/* Returns 1 if the covariance is positive and finite. */
SOOTH_API int sooth_sofnn_learner_check(const sooth_sofnn_learner *learner);

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_SOFNN_ONLINE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOFNN_ONLINE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SOFNN_ONLINE_IMPLEMENTED
SOOTHI_C_BEGIN

/* The covariance P = U D U' of k parameters: D[k], then the columns of the unit upper triangle U above its
   diagonal. Column j begins at j (j - 1) / 2. recursion=global has one covariance of all rules, in double.
   recursion=local has one per rule, in float. There, four rules are interleaved element by element, so that
   four rules learn in the time of one. */
struct sooth_sofnn_learner_state {
    sooth_sofnn *model;
    soothi_sofnn_net net;
    int local;
    double *diagonal, *upper;         /* global: of k = capacity b parameters */
    double *f, *gain;                 /* global: k each */
    float *diagonal4;                 /* local: groups of four rules x b x 4 */
    float *upper4;                    /* local: groups x b (b - 1) / 2 x 4 */
    float *design4, *gain4;           /* local: b x 4 each */
    double *fire, *share, *relevance; /* capacity */
    double *mean, *square;            /* m: of the targets so far */
    double *least, *most;             /* m */
    double *design;                   /* capacity b: 1, then the row's distances from the centre, per rule */
    double *rule_output;              /* capacity m: prediction of each rule */
    double *error;                    /* m */
    double recent;                    /* moving average of the squared error */
    double log_cover;
    uint64_t steps, young; /* rows learned; the row of the newest rule */
};
typedef struct sooth_sofnn_learner_state sooth_sofnn_learner_state;

/* Lays out the learner, its state, the model, then the state's arrays. *s receives the addresses. */
SOOTHI_LOCAL void soothi_sofnn_learner_carve(soothi_carver *c, sooth_sofnn_learner_state *s,
                                             const sooth_sofnn_learner_options *o, size_t cols,
                                             size_t targets) {
    soothi_sofnn_net *net = &s->net;
    soothi_carve(c, 1, sizeof(sooth_sofnn_learner));
    soothi_carve(c, 1, sizeof *s);
    s->model = (sooth_sofnn *)soothi_carve(
        c, soothi_sofnn_bytes(cols, targets, o->network.max_rules, soothi_sofnn_slopes_of(&o->network)), 1);
    net->n = cols;
    net->m = targets;
    net->b = soothi_sofnn_slopes_of(&o->network) ? 1 + cols : 1;
    net->capacity = o->network.max_rules;
    s->local = o->recursion == SOOTH_SOFNN_LOCAL;
    size_t k = s->local ? 0 : net->capacity * net->b;
    size_t groups = s->local ? (net->capacity + 3) / 4 : 0;
    size_t triangle = net->b * (net->b - 1) / 2;
    net->range = soothi_sofnn_doubles(c, cols);
    soothi_sofnn_carve_net(c, net);
    s->diagonal = soothi_sofnn_doubles(c, k);
    s->upper = soothi_sofnn_doubles(c, k * (k - 1) / 2);
    s->f = soothi_sofnn_doubles(c, k);
    s->gain = soothi_sofnn_doubles(c, k);
    s->diagonal4 = (float *)soothi_carve(c, 4 * groups * net->b, sizeof(float));
    s->upper4 = (float *)soothi_carve(c, 4 * groups * triangle, sizeof(float));
    s->design4 = (float *)soothi_carve(c, s->local ? 4 * net->b : 0, sizeof(float));
    s->gain4 = (float *)soothi_carve(c, s->local ? 4 * net->b : 0, sizeof(float));
    s->fire = soothi_sofnn_doubles(c, net->capacity);
    s->share = soothi_sofnn_doubles(c, net->capacity);
    s->relevance = soothi_sofnn_doubles(c, net->capacity);
    s->mean = soothi_sofnn_doubles(c, targets);
    s->square = soothi_sofnn_doubles(c, targets);
    s->least = soothi_sofnn_doubles(c, targets);
    s->most = soothi_sofnn_doubles(c, targets);
    s->design = soothi_sofnn_doubles(c, net->capacity * net->b);
    s->rule_output = soothi_sofnn_doubles(c, net->capacity * targets);
    s->error = soothi_sofnn_doubles(c, targets);
}

static const sooth_option soothi_sofnn_learner_option[] = {
    SOOTHI_CHOICE(sooth_sofnn_learner_options, recursion, "local|global",
                  "local: every rule learns alone; global: all rules as one problem"),
    SOOTHI_COUNT(sooth_sofnn_learner_options, rows_per_parameter, 1, 1e6, 2,
                 "rows per parameter of a rule before the next rule"),
    SOOTHI_NUMBER(sooth_sofnn_learner_options, forgetting, 0.5, 1, 1,
                  "factor per row by which the weight of earlier rows falls; 1 means none"),
    SOOTHI_NUMBER(sooth_sofnn_learner_options, initial_variance, 1e-6, 1e12, 1e4,
                  "initial variance of every parameter of a new rule"),
};

SOOTH_API sooth_option_list sooth_sofnn_learner_options_list(void) {
    return SOOTHI_OPTIONS(soothi_sofnn_learner_option);
}

/* Checks the options for a shape and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_sofnn_learner_resolve(sooth_env *env,
                                                       const sooth_sofnn_learner_options *options,
                                                       size_t cols, size_t targets,
                                                       sooth_sofnn_learner_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_sofnn_learner_options_list(), o);
    if (status != SOOTH_OK) return status;
    soothi_option_fill(sooth_sofnn_learner_options_list(), o);
    return soothi_sofnn_resolve(env, options ? &options->network : NULL, cols, targets, &o->network);
}

SOOTH_API size_t sooth_sofnn_learner_size(const sooth_sofnn_learner_options *options, size_t cols,
                                          size_t targets) {
    soothi_carver c = {NULL, 0};
    sooth_sofnn_learner_state state;
    sooth_sofnn_learner_options o;
    if (soothi_sofnn_learner_resolve(NULL, options, cols, targets, &o) != SOOTH_OK) return 0;
    memset(&state, 0, sizeof state);
    soothi_sofnn_learner_carve(&c, &state, &o, cols, targets);
    return c.used;
}

/* Returns where the `count` numbers of rule j's covariance begin. Their stride is 4. */
SOOTHI_LOCAL float *soothi_sofnn_lane(float *numbers, size_t j, size_t count) {
    return numbers + j / 4 * count * 4 + j % 4;
}

/* Sets the covariance of the newest rule's parameters: `variance`, uncorrelated with other rules. */
SOOTHI_LOCAL void soothi_sofnn_init_covariance(sooth_sofnn_learner_state *s, double variance) {
    const size_t b = s->net.b, j = s->net.rules - 1, triangle = b * (b - 1) / 2;
    for (size_t i = 0; i < b; ++i)
        if (s->local) soothi_sofnn_lane(s->diagonal4, j, b)[4 * i] = (float)variance;
        else s->diagonal[j * b + i] = variance;
    for (size_t i = 0; s->local && i < triangle; ++i) soothi_sofnn_lane(s->upper4, j, triangle)[4 * i] = 0.0f;
    for (size_t i = j * b; !s->local && i < (j + 1) * b; ++i)
        for (size_t k = 0; k < i; ++k) s->upper[i * (i - 1) / 2 + k] = 0.0;
    s->relevance[j] = 1.0;
}

/* Checks that a learner can start with these options. */
SOOTHI_LOCAL sooth_status soothi_sofnn_learner_check_options(sooth_env *env,
                                                             const sooth_sofnn_learner_options *o,
                                                             size_t cols, size_t targets) {
    const sooth_sofnn *from = o->warm_start;
    if (from &&
        (from->head.features != cols || from->head.targets != targets || from->rules > o->network.max_rules ||
         from->order != (uint32_t)soothi_sofnn_slopes_of(&o->network)))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "warm_start has another shape: %u inputs, %u outputs, %u rules of %s order",
                          from->head.features, from->head.targets, from->rules,
                          from->order ? "first" : "zero");
    for (size_t i = 0; o->low && o->high && i < cols; ++i)
        if (!(o->high[i] >= o->low[i]))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the range of input %z is %g to %g, but must not be empty", i + 1,
                              (double)o->low[i], (double)o->high[i]);
    return SOOTH_OK;
}

/* Copies the rules of warm_start, and the range of its targets: its bounds without the margin. */
SOOTHI_LOCAL void soothi_sofnn_warm_start(sooth_sofnn_learner_state *s,
                                          const sooth_sofnn_learner_options *o) {
    const sooth_sofnn *from = o->warm_start;
    const size_t n = s->net.n, m = s->net.m, b = s->net.b;
    for (size_t j = 0; j < from->rules; ++j) {
        const float *steep = soothi_sofnn_steep(from) + j * n, *centre = soothi_sofnn_centre(from) + j * n;
        for (size_t i = 0; i < n; ++i) {
            s->net.centre[j * n + i] = (double)centre[i];
            s->net.width[j * n + i] = steep[i] > 0.0f ? 1.0 / (double)steep[i] : 0.0;
        }
        for (size_t i = 0; i < m * b; ++i)
            soothi_sofnn_theta(&s->net, j, 0)[i] = (double)soothi_sofnn_consequent(from)[j * m * b + i];
        s->net.rules = j + 1;
        soothi_sofnn_init_covariance(s, o->initial_variance);
        soothi_sofnn_write_rule(&s->net, j, s->model);
    }
    s->model->rules = from->rules;
    for (size_t t = 0; t < m; ++t) {
        const double least = (double)soothi_sofnn_least(from)[t], most = (double)soothi_sofnn_most(from)[t],
                     margin = o->network.margin, more = (most - least) * margin / (1.0 + 2.0 * margin);
        s->least[t] = least + more;
        s->most[t] = most - more;
        soothi_sofnn_bound(s->model, &o->network, t, s->least[t], s->most[t]);
    }
}

SOOTH_API sooth_status sooth_sofnn_learner_init(sooth_env *env, const sooth_sofnn_learner_options *options,
                                                size_t cols, size_t targets, void *memory, size_t size,
                                                sooth_sofnn_learner **made) {
    const size_t bytes = sooth_sofnn_learner_size(options, cols, targets);
    sooth_sofnn_learner *learner = (sooth_sofnn_learner *)memory;
    sooth_sofnn_learner_options resolved, *o = &resolved;
    soothi_carver c = {(unsigned char *)memory, 0};
    sooth_status status = soothi_sofnn_learner_resolve(env, options, cols, targets, o);
    *made = NULL;
    if (status == SOOTH_OK) status = soothi_sofnn_learner_check_options(env, o, cols, targets);
    if (status != SOOTH_OK) return status;
    if (!memory || size < bytes) return sooth_no_memory(env, "learning a fuzzy network", bytes);
    memset(memory, 0, bytes);
    sooth_sofnn_learner_state *s =
        (sooth_sofnn_learner_state *)(void *)((char *)memory + soothi_round16(sizeof *learner));
    learner->options = resolved;
    soothi_sofnn_learner_carve(&c, s, o, cols, targets);
    s->log_cover = soothi_log(o->network.coverage);
    sooth_sofnn *m = s->model;
    m->head.magic = SOOTH_BLOCK_MAGIC;
    m->head.kind = SOOTH_KIND_SOFNN | SOOTH_SOFNN_VERSION << 16;
    soothi_sofnn_shape(m, cols, targets, o->network.max_rules, soothi_sofnn_slopes_of(&o->network));
    m->head.size = m->head.doubles_at = m->head.bytes_at =
        (uint32_t)soothi_sofnn_bytes(cols, targets, m->capacity, (int)m->order);
    m->rules = 1; /* zeros before the first row: predicts 0 */
    float *low = soothi_sofnn_mutable(m, soothi_sofnn_low(m));
    if (o->warm_start) memcpy(low, soothi_sofnn_low(o->warm_start), 2 * cols * sizeof *low);
    for (size_t i = 0; i < cols; ++i) {
        if (o->low && o->high) {
            low[i] = o->low[i];
            low[cols + i] = o->high[i];
        }
        s->net.range[i] = (double)low[cols + i] - (double)low[i];
    }
    if (o->warm_start) soothi_sofnn_warm_start(s, o);
    learner->model = m;
    learner->state = s;
    *made = learner;
    return SOOTH_OK;
}

/* Bierman's update (Factorization Methods for Discrete Sequential Estimation, 1977, V.3) of U D U' by one
   measurement h' theta of variance `noise`. It only multiplies and divides positive numbers, so D stays
   positive. Computes the gain. Entries of D are first divided by `forget` and limited to `most` (wind-up). */
SOOTHI_LOCAL void soothi_sofnn_bierman(double *SOOTH_RESTRICT u, double *SOOTH_RESTRICT d, size_t k,
                                       const double *h, double forget, double most, double *SOOTH_RESTRICT f,
                                       double *SOOTH_RESTRICT gain) {
    double alpha = 1.0, *column = u;
    size_t j;
    for (j = 0; j < k; column += j, ++j) f[j] = h[j] + soothi_dot(column, h, j);
    for (j = 0, column = u; j < k; column += j, ++j) {
        const double was = alpha, v = (d[j] = d[j] / forget < most ? d[j] / forget : most) * f[j],
                     lambda = -f[j] / was;
        alpha += f[j] * v;
        d[j] *= was / alpha;
        if (!(d[j] > 1e-200)) d[j] = 1e-200;
        gain[j] = v;
        for (size_t i = 0; i < j; ++i) {
            const double old = column[i];
            column[i] = old + lambda * gain[i];
            gain[i] += v * old;
        }
    }
    for (j = 0; j < k; ++j) gain[j] /= alpha;
}

/* Like soothi_sofnn_bierman, for four rules at once. Lane r learns with weight w[r], as if the variance were
   1 / w[r]. Weight 0 means no change. A jitter of 1e-30 keeps D positive. */
SOOTHI_LOCAL void soothi_sofnn_bierman4(float *SOOTH_RESTRICT u, float *SOOTH_RESTRICT d, size_t k,
                                        const float *SOOTH_RESTRICT h, const float *w,
                                        float *SOOTH_RESTRICT gain) {
    const soothi_4f weight = soothi_4f_load(w), less = soothi_4f_splat(-1.0f),
                    grain = soothi_4f_splat(1e-30f);
    soothi_4f alpha = soothi_4f_splat(1.0f), inverse = alpha;
    for (size_t j = 0; j < 4 * k; u += j, j += 4) {
        const soothi_4f was = soothi_4f_load(d + j);
        soothi_4f f = soothi_4f_load(h + j);
        float lane[4];
        for (size_t i = 0; i < j; i += 4)
            f = soothi_4f_add(f, soothi_4f_mul(soothi_4f_load(u + i), soothi_4f_load(h + i)));
        soothi_4f v = soothi_4f_mul(was, f);
        soothi_4f wf = soothi_4f_mul(weight, f);
        soothi_4f lambda = soothi_4f_mul(less, soothi_4f_mul(wf, inverse));
        soothi_4f scaled = soothi_4f_mul(was, alpha);
        alpha = soothi_4f_add(alpha, soothi_4f_mul(wf, v));
        soothi_4f_store(lane, alpha);
        inverse = soothi_4f_of(1.0f / lane[0], 1.0f / lane[1], 1.0f / lane[2], 1.0f / lane[3]);
        soothi_4f_store(d + j, soothi_4f_add(grain, soothi_4f_mul(scaled, inverse)));
        for (size_t i = 0; i < j; i += 4) {
            const soothi_4f old = soothi_4f_load(u + i), g = soothi_4f_load(gain + i);
            soothi_4f_store(u + i, soothi_4f_add(old, soothi_4f_mul(lambda, g)));
            soothi_4f_store(gain + i, soothi_4f_add(g, soothi_4f_mul(v, old)));
        }
        soothi_4f_store(gain + j, v);
    }
    inverse = soothi_4f_mul(weight, inverse);
    for (size_t j = 0; j < 4 * k; j += 4)
        soothi_4f_store(gain + j, soothi_4f_mul(soothi_4f_load(gain + j), inverse));
}

/* Updates U D U' to U D U' + c v v' (Agee and Turner 1972), k x k. Destroys v. */
SOOTHI_LOCAL void soothi_sofnn_agee(double *u, double *d, size_t k, double c, double *v) {
    for (size_t j = k; j-- > 0;) {
        double *column = u + j * (j - 1) / 2;
        const double sum = d[j] + c * v[j] * v[j], factor = c * v[j] / sum;
        for (size_t i = 0; i < j; ++i) {
            v[i] -= v[j] * column[i];
            column[i] += factor * v[i];
        }
        c *= d[j] / sum;
        d[j] = sum;
    }
}

/* Removes parameter p of k. The part of its column above the diagonal is added to the rest as a product.
   Later columns lose their row p. */
SOOTHI_LOCAL void soothi_sofnn_strike(sooth_sofnn_learner_state *s, size_t k, size_t p) {
    double *to = s->upper + p * (p - 1) / 2;
    memcpy(s->f, to, p * sizeof(double));
    soothi_sofnn_agee(s->upper, s->diagonal, p, s->diagonal[p], s->f);
    for (size_t j = p + 1; j < k; ++j) {
        const double *from = s->upper + j * (j - 1) / 2;
        for (size_t i = 0; i < j; ++i)
            if (i != p) *to++ = from[i];
        s->diagonal[j - 1] = s->diagonal[j];
    }
}

/* Removes rule j. */
SOOTHI_LOCAL void soothi_sofnn_remove_rule(sooth_sofnn_learner *learner, size_t j) {
    sooth_sofnn_learner_state *s = learner->state;
    const size_t b = s->net.b, after = s->net.rules - j - 1, triangle = b * (b - 1) / 2;
    for (size_t i = b; !s->local && i-- > 0;)
        soothi_sofnn_strike(s, s->net.rules * b - (b - 1 - i), j * b + i);
    for (size_t k = j; s->local && k < j + after; ++k) {
        float *d = soothi_sofnn_lane(s->diagonal4, k, b), *u = soothi_sofnn_lane(s->upper4, k, triangle);
        const float *next_d = soothi_sofnn_lane(s->diagonal4, k + 1, b),
                    *next_u = soothi_sofnn_lane(s->upper4, k + 1, triangle);
        for (size_t i = 0; i < b; ++i) d[4 * i] = next_d[4 * i];
        for (size_t i = 0; i < triangle; ++i) u[4 * i] = next_u[4 * i];
    }
    memmove(s->relevance + j, s->relevance + j + 1, after * sizeof(double));
    soothi_sofnn_drop(&s->net, j);
    for (size_t i = 0; i < s->net.rules; ++i) soothi_sofnn_write_rule(&s->net, i, learner->model);
}

/* Adds a rule at this row that predicts the target there, with the mean slope of the other rules. */
SOOTHI_LOCAL void soothi_sofnn_add_rule(sooth_sofnn_learner *learner, const float *row, const float *target) {
    sooth_sofnn_learner_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const size_t u = net->rules, b = net->b, m = net->m;
    soothi_sofnn_add(net, row, &learner->options.network);
    for (size_t i = 0; s->local && i < net->n; ++i) /* keeps local rules away from other centres */
        for (size_t j = 0; j < u; ++j) {
            const double d = 0.5 * soothi_abs((double)row[i] - net->centre[j * net->n + i]);
            double *w = net->width + j * net->n + i;
            if (d > 0.05 * net->range[i] && *w > d) *w = d;
            if (d > 0.05 * net->range[i] && net->width[u * net->n + i] > d) net->width[u * net->n + i] = d;
        }
    for (size_t t = 0; t < m; ++t) {
        double *theta = soothi_sofnn_theta(net, u, t), constant = (double)target[t];
        for (size_t i = 1; i < b; ++i) {
            double slope = 0.0;
            for (size_t j = 0; j < u; ++j) slope += s->share[j] * soothi_sofnn_theta(net, j, t)[i];
            theta[i] = slope;
            constant -= slope * ((double)row[i - 1] - net->centre[u * net->n + i - 1]);
        }
        theta[0] = constant;
    }
    soothi_sofnn_init_covariance(s, learner->options.initial_variance);
    s->young = s->steps;
    for (size_t j = 0; j < net->rules; ++j) soothi_sofnn_write_rule(net, j, learner->model);
}

/* Extends the ranges of inputs and targets. Updates mean and spread of the targets (Welford). */
SOOTHI_LOCAL void soothi_sofnn_update_ranges(sooth_sofnn_learner *learner, const float *row,
                                             const float *target) {
    sooth_sofnn_learner_state *s = learner->state;
    const unsigned char *premises = learner->options.network.premises;
    float *low = soothi_sofnn_mutable(learner->model, soothi_sofnn_low(learner->model)),
          *high = low + s->net.n;
    const double count = (double)s->steps;
    for (size_t i = 0; i < s->net.n; ++i) {
        if (!(learner->options.low && learner->options.high)) {
            if (s->steps == 1 && !learner->options.warm_start) low[i] = high[i] = row[i];
            low[i] = row[i] < low[i] ? row[i] : low[i];
            high[i] = row[i] > high[i] ? row[i] : high[i];
        }
        s->net.range[i] = premises && !premises[i] ? 0.0 : (double)high[i] - (double)low[i];
        if (s->net.rules == 1 &&
            !learner->options.warm_start) /* a single rule predicts alone, independent of its width */
            s->net.width[i] = learner->options.network.first_width * s->net.range[i];
    }
    for (size_t t = 0; t < s->net.m; ++t) {
        const double y = (double)target[t], d = y - s->mean[t];
        if (s->steps == 1 && !learner->options.warm_start) s->least[t] = s->most[t] = y;
        s->least[t] = y < s->least[t] ? y : s->least[t];
        s->most[t] = y > s->most[t] ? y : s->most[t];
        soothi_sofnn_bound(learner->model, &learner->options.network, t, s->least[t], s->most[t]);
        s->mean[t] += d / count;
        s->square[t] += d * ((double)target[t] - s->mean[t]);
    }
}

/* Computes the shares, the rules' predictions and the net's errors at the row, firing like the float model.
   Returns the root mean square error in standard deviations. */
SOOTHI_LOCAL double soothi_sofnn_evaluate(sooth_sofnn_learner *learner, const float *row, const float *target,
                                          size_t *best) {
    sooth_sofnn_learner_state *s = learner->state;
    const soothi_sofnn_net *net = &s->net;
    const float *low = soothi_sofnn_low(learner->model), *centre = soothi_sofnn_centre(learner->model),
                *steep = soothi_sofnn_steep(learner->model);
    const size_t b = net->b, m = net->m, n = net->n;
    double square = 0.0;
    for (size_t j = 0; j < net->rules; ++j)
        s->fire[j] = (double)soothi_sofnn_fire(centre + j * n, steep + j * n, row, n);
    *best = soothi_sofnn_shares(s->fire, net->rules, s->share);
    for (size_t t = 0; t < m; ++t) s->error[t] = (double)target[t];
    for (size_t j = 0; j < net->rules; ++j) {
        double *h = s->design + j * b;
        h[0] = 1.0;
        for (size_t i = 1; i < b; ++i) {
            const float v = row[i - 1], least = low[i - 1], most = low[n + i - 1];
            h[i] = (double)(v < least ? least : v > most ? most : v) - net->centre[j * n + i - 1];
        }
        for (size_t t = 0; t < m; ++t) {
            s->rule_output[j * m + t] = soothi_dot(soothi_sofnn_theta(net, j, t), h, b);
            s->error[t] -= s->share[j] * s->rule_output[j * m + t];
        }
    }
    for (size_t t = 0; t < m; ++t) {
        const double variance = s->square[t] / (double)s->steps;
        square += s->error[t] * s->error[t] / (variance > 0.0 ? variance : 1.0);
    }
    return soothi_sqrt(square / (double)m);
}

/* Recursive least squares of the consequents, each rule alone, four at a time. Rule j learns with weight
   psi_j. Rules with a share below SOOTHI_SOFNN_SILENT neither learn nor forget. The covariance only chooses
   the step size, so floats are sufficient. The consequents are doubles. */
#define SOOTHI_SOFNN_SILENT 1e-6
SOOTHI_LOCAL void soothi_sofnn_recurse_local(sooth_sofnn_learner *learner, const float *target) {
    sooth_sofnn_learner_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const float forget = (float)learner->options.forgetting, most = (float)learner->options.initial_variance;
    const size_t b = net->b, m = net->m, triangle = b * (b - 1) / 2;
    for (size_t j = 0; j < net->rules; j += 4) {
        float weight[4] = {0, 0, 0, 0}, *d = soothi_sofnn_lane(s->diagonal4, j, b);
        const size_t rules = net->rules - j < 4 ? net->rules - j : 4;
        int any = 0;
        for (size_t r = 0; r < rules; ++r) {
            const double *h = s->design + (j + r) * b;
            if (s->share[j + r] < SOOTHI_SOFNN_SILENT) continue;
            weight[r] = (float)s->share[j + r];
            any = 1;
            for (size_t i = 0; i < b; ++i) s->design4[4 * i + r] = (float)h[i];
            for (size_t i = r; forget < 1.0f && i < 4 * b; i += 4)
                d[i] = d[i] / forget < most ? d[i] / forget : most;
        }
        if (!any) continue;
        soothi_sofnn_bierman4(soothi_sofnn_lane(s->upper4, j, triangle), d, b, s->design4, weight, s->gain4);
        for (size_t r = 0; r < rules; ++r) {
            if (!(weight[r] > 0.0f)) continue;
            for (size_t t = 0; t < m; ++t) {
                const double miss = (double)target[t] - s->rule_output[(j + r) * m + t];
                double *theta = soothi_sofnn_theta(net, j + r, t);
                for (size_t i = 0; i < b; ++i) theta[i] += (double)s->gain4[4 * i + r] * miss;
            }
            soothi_sofnn_write_consequent(net, j + r, learner->model);
        }
    }
}

/* Recursive least squares of all rules as one problem. */
SOOTHI_LOCAL void soothi_sofnn_recurse_global(sooth_sofnn_learner *learner) {
    sooth_sofnn_learner_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const size_t b = net->b, m = net->m, k = net->rules * b;
    for (size_t j = 0; j < net->rules; ++j)
        for (size_t i = 0; i < b; ++i) s->design[j * b + i] *= s->share[j];
    soothi_sofnn_bierman(s->upper, s->diagonal, k, s->design, learner->options.forgetting,
                         learner->options.initial_variance, s->f, s->gain);
    for (size_t t = 0; t < m; ++t)
        for (size_t j = 0; j < net->rules; ++j)
            for (size_t i = 0; i < b; ++i)
                soothi_sofnn_theta(net, j, t)[i] += s->gain[j * b + i] * s->error[t];
    for (size_t j = 0; j < net->rules; ++j) soothi_sofnn_write_consequent(net, j, learner->model);
}

SOOTH_API sooth_status sooth_sofnn_learner_update(sooth_sofnn_learner *learner, const float *row,
                                                  const float *target) {
    sooth_sofnn_learner_state *s = learner->state;
    soothi_sofnn_net *net = &s->net;
    const sooth_sofnn_options *o = &learner->options.network;
    size_t best;
    if (!soothi_all_finite(row, net->n) || !soothi_all_finite(target, net->m)) return SOOTH_BAD_DATA;
    ++s->steps;
    soothi_sofnn_update_ranges(learner, row, target);
    if (net->rules == 0) soothi_sofnn_add_rule(learner, row, target);
    if (net->rules == 1) soothi_sofnn_write_rule(net, 0, learner->model);
    double error = soothi_sofnn_evaluate(learner, row, target, &best);
    s->recent = 0.97 * s->recent + 0.03 * error * error;
    const int covered = s->fire[best] >= s->log_cover;
    const int add = error > o->error_threshold && net->rules < net->capacity &&
                    s->steps - s->young >= (uint64_t)learner->options.rows_per_parameter * net->b;
    if (!covered && !add) {
        soothi_sofnn_widen(net, best, row, o->widen_factor, s->log_cover);
        soothi_sofnn_write_rule(net, best, learner->model);
        soothi_sofnn_evaluate(learner, row, target, &best);
    } else if (add && (!covered || s->recent > o->error_threshold * o->error_threshold)) {
        soothi_sofnn_add_rule(learner, row, target);
        s->recent = 0.0;
        soothi_sofnn_evaluate(learner, row, target, &best);
    }
    if (s->local) soothi_sofnn_recurse_local(learner, target);
    else soothi_sofnn_recurse_global(learner);
    for (size_t j = 0; j < net->rules; ++j) s->relevance[j] += 0.01 * (s->share[j] - s->relevance[j]);
    if (s->steps % 200 == 0 && net->rules > 2 && o->prune != SOOTH_SOFNN_NO_PRUNING &&
        s->steps - s->young > 500) {
        size_t least = 0;
        for (size_t j = 1; j < net->rules; ++j)
            if (s->relevance[j] < s->relevance[least]) least = j;
        if (s->relevance[least] < 1e-3) soothi_sofnn_remove_rule(learner, least);
    }
    learner->model->rules = (uint32_t)net->rules;
    return SOOTH_OK;
}

SOOTH_API const sooth_sofnn *sooth_sofnn_learner_seal(sooth_sofnn_learner *learner) {
    sooth_sofnn *m = learner->model;
    const size_t from = m->rules, after = m->capacity - from, n = m->head.features,
                 width = m->head.targets * soothi_sofnn_width(m);
    /* clears removed rules */
    memset(soothi_sofnn_mutable(m, soothi_sofnn_centre(m)) + from * n, 0, after * n * sizeof(float));
    memset(soothi_sofnn_mutable(m, soothi_sofnn_steep(m)) + from * n, 0, after * n * sizeof(float));
    memset(soothi_sofnn_mutable(m, soothi_sofnn_consequent(m)) + from * width, 0,
           after * width * sizeof(float));
    soothi_block_seal(&m->head);
    return m;
}

SOOTH_API int sooth_sofnn_learner_check(const sooth_sofnn_learner *learner) {
    const sooth_sofnn_learner_state *s = learner->state;
    const size_t b = s->net.b, rules = s->net.rules, k = s->local ? b : rules * b;
    for (size_t j = 0; j < (s->local ? rules : 1); ++j)
        for (size_t i = 0; i < k; ++i) {
            const double d = s->local ? (double)soothi_sofnn_lane(s->diagonal4, j, b)[4 * i] : s->diagonal[i];
            if (!(d > 0.0 && soothi_finite(d))) return 0;
            for (size_t p = i * (i - 1) / 2; p < (i + 1) * i / 2; ++p)
                if (!soothi_finite(s->local ? (double)soothi_sofnn_lane(s->upper4, j, b * (b - 1) / 2)[4 * p]
                                            : s->upper[p]))
                    return 0;
        }
    return 1;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
