/* export/integers_convert.h - converts models of trees to the integers of export/integers.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_integers_convert converts a tree, a forest or boosted trees, including imported ones, to integers of
 * 8, 16 or 32 bits, and bounds the error. export/integers_code.h writes the result as source code.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10.3f, 10.3f, 20.6f, 20.6f};
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_integers_options options = {.error = 0.001};
 *         sooth_integers *whole;
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_integers_convert(&env, model, &options, &whole) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%u bits\n", whole->bits);  //> 16 bits
 *         sooth_integers_free(&env, whole);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Comparisons and sums of trees become integers, and so do means, links and logarithms of targets. Only the
 * last step, sooth_integers_value, is in floats. These do not become integers:
 *   - linear leaves, which multiply
 *   - models with a transform of features
 *   - intervals and adaptation, which stay with the float model
 *   - networks, which have their own integers (mlp/quantise.h)
 *   - support vectors, scaling models and Gaussian processes: exponentials, which integers do not make
 *     smaller
 *   - linear models: one product per feature, for which floats are as good
 *
 * Cost: a few passes over the nodes, and 12 bytes of scratch per feature.
 */
#if !defined(SOOTH_EXPORT_INTEGERS_CONVERT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_CONVERT_IMPLEMENTED))
#include "c.h"
#include "integers.h"
#endif

#if !defined(SOOTH_EXPORT_INTEGERS_CONVERT_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_CONVERT_H
SOOTHI_C_BEGIN

/* Zero bytes are the defaults. */
typedef struct sooth_integers_options {
    uint32_t bits; /* of thresholds and leaves: 8, 16 or 32. 0 means 32, or with `error` the fewest within it
                      that give integer features integer keys */
    uint32_t rule; /* a sooth_integers_rule; SOOTH_INTEGERS_KEYS_FLOAT needs 32 bits */
    double error;  /* maximum error of a target before the link; 0 means no limit */
    const int32_t *shift; /* per feature; NULL means chosen (see sooth_integers_convert) */
} sooth_integers_options;

/* Converts a model of trees to integers. With SOOTH_INTEGERS_KEYS_WHOLE the keys of feature j are

     integers                if every threshold is an integer, halfway between two or the float below such a
                             number, the training range on the card ends in integers, and all this fits the
                             bits: shift 0, and an offset only if it does not fit otherwise
     multiples of 2^-shift   otherwise; the finest for which the thresholds and the training range fit, with
                             an offset if they are far from 0

   Without a known range, thresholds that are all multiples of 1/2 are thus taken as those of integers.
   options->shift overrides this. A feature that no tree uses has shift 0. Values beyond the training range
   have the largest and the smallest key, which changes no prediction.

   options NULL means defaults. A checked model may come from anyone. The caller frees the block with
   sooth_integers_free. Returns SOOTH_BAD_ARGUMENT and sets a message for:
   - models without trees, linear leaves, a transform of features
   - numbers of bits other than 8, 16 and 32, no form within `error`, leaves too large or too many
   - thresholds too large for 8 bits (from 10^20 on) or -infinity */
SOOTH_API sooth_status sooth_integers_convert(sooth_env *env, const sooth_model *model,
                                              const sooth_integers_options *options, sooth_integers **out);

/* Frees the block. NULL is allowed. */
SOOTH_API void sooth_integers_free(sooth_env *env, sooth_integers *model);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_INTEGERS_CONVERT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_CONVERT_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_CONVERT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- values of trees ---- */

/* The range of a feature's thresholds and of its training values. */
typedef struct soothi_integers_span {
    float low, high; /* low > high: no tree uses it */
    uint32_t whole;  /* 1: all seem to be integers */
} soothi_integers_span;

/* The trees, and how their leaves become a prediction: (sum of leaves) times a factor, plus a base per
   target. */
typedef struct soothi_integers_job {
    sooth_env *env;
    sooth_model_parts parts;
    soothi_export_trees trees;
    const sooth_integers_options *options;
    soothi_integers_span *span; /* per feature; NULL: keys are those of floats */
    uint32_t bits, link;
} soothi_integers_job;

/* Returns the factor of target t: predictions are v x width + shift before the link. */
SOOTHI_LOCAL double soothi_integers_width(const soothi_integers_job *job, uint32_t t) {
    return job->parts.target ? (double)sooth_scale_columns(job->parts.target)[t].width : 1.0;
}
SOOTHI_LOCAL double soothi_integers_shift(const soothi_integers_job *job, uint32_t t) {
    return job->parts.target ? (double)sooth_scale_columns(job->parts.target)[t].shift : 0.0;
}

/* Returns the number of trees in a mean of target t, or 1 for a sum. */
SOOTHI_LOCAL double soothi_integers_over(const soothi_integers_job *job) {
    return job->trees.flags & SOOTH_ENSEMBLE_MEAN ? (double)job->trees.each : 1.0;
}

/* Returns what leaf `node` adds to the prediction of target t, in its unit. */
SOOTHI_LOCAL double soothi_integers_leaf(const soothi_integers_job *job, uint32_t node, uint32_t t) {
    const soothi_export_trees *trees = &job->trees;
    double v = trees->value ? (double)trees->value[(size_t)trees->node[node].u.at * trees->width + t]
                            : (double)trees->node[node].u.value;
    if (trees->low) v += (double)trees->low[node];
    return v / soothi_integers_over(job) * soothi_integers_width(job, t);
}

/* Returns the base of the sum of target t, in its unit, without the shift. */
SOOTHI_LOCAL double soothi_integers_begins(const soothi_integers_job *job, uint32_t t) {
    const soothi_export_trees *trees = &job->trees;
    double base = trees->base ? (double)trees->base[t] : 0.0;
    if (trees->flags & SOOTH_ENSEMBLE_EXACT) base += (double)trees->base[trees->targets + t];
    return base / soothi_integers_over(job) * soothi_integers_width(job, t);
}

/* Return the first tree of target t, and the distance to the next one. */
SOOTHI_LOCAL uint32_t soothi_integers_from(const soothi_integers_job *job, uint32_t t) {
    return job->trees.width > 1 ? 0 : t;
}
SOOTHI_LOCAL uint32_t soothi_integers_stride(const soothi_integers_job *job) {
    return job->trees.width > 1 ? 1 : job->trees.targets;
}

/* Returns the range of what leaves of tree k add to target t: unbounded if one is NaN. */
SOOTHI_LOCAL soothi_interval soothi_integers_range(const soothi_integers_job *job, uint32_t k, uint32_t t) {
    const uint32_t end = soothi_export_start(&job->trees, k + 1);
    const soothi_interval all = {-SOOTHI_INFINITE, SOOTHI_INFINITE};
    soothi_interval range = {SOOTHI_INFINITE, -SOOTHI_INFINITE};
    for (uint32_t i = soothi_export_start(&job->trees, k); i < end; ++i) {
        if (job->trees.node[i].link & 1u) continue;
        const double v = soothi_integers_leaf(job, i, t);
        if (!soothi_finite(v)) return all;
        if (v < range.low) range.low = v;
        if (v > range.high) range.high = v;
    }
    return range;
}

/* ---- targets ---- */

/* How a target is rounded. Each tree's leaves are relative to the middle of their range, which the base
   includes. */
typedef struct soothi_integers_plan {
    int32_t scale;
    int64_t base;
    double start, reach; /* exact base of the sum; bound of its absolute value */
    double error;
} soothi_integers_plan;

SOOTHI_LOCAL double soothi_integers_middle(soothi_interval range) {
    return 0.5 * range.low + 0.5 * range.high;
}

SOOTHI_LOCAL int64_t soothi_integers_round(double v) { return (int64_t)(v < 0.0 ? v - 0.5 : v + 0.5); }

/* Rounds a leaf, relative to the middle of its tree, to an integer. */
SOOTHI_LOCAL int32_t soothi_integers_leaf_number(double v, double middle, int32_t scale) {
    return (int32_t)soothi_integers_round((v - middle) * soothi_power_of_two(scale));
}

/* Chooses the finest scale at which the leaves fit `bits` bits, and the sum 32 (or 62, for leaves of 32). */
SOOTHI_LOCAL sooth_status soothi_integers_choose_scale(const soothi_integers_job *job, uint32_t t,
                                                       soothi_integers_plan *plan) {
    const double most = (double)soothi_integers_most(job->bits);
    const double room = job->bits == 32 ? soothi_power_of_two(61) : 2147483647.0;
    const double begins = soothi_integers_begins(job, t), shift = soothi_integers_shift(job, t);
    const uint32_t stride = soothi_integers_stride(job);
    double half = 0.0, sum = 0.0;
    plan->start = begins + shift;
    plan->reach = soothi_abs(begins) + soothi_abs(shift); /* floats add the two separately */
    for (uint32_t k = soothi_integers_from(job, t); k < job->trees.trees; k += stride) {
        const soothi_interval range = soothi_integers_range(job, k, t);
        const double reach = 0.5 * range.high - 0.5 * range.low;
        if (reach > half) half = reach;
        sum += reach;
        plan->start += soothi_integers_middle(range);
        plan->reach += soothi_interval_reach(range);
    }
    sum += soothi_abs(plan->start);
    if (!soothi_finite(plan->reach))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "a leaf value is %g, too large for an integer",
                          plan->reach);
    const double each = (double)job->trees.trees; /* bound of what rounding adds to the sum */
    for (plan->scale = 120; plan->scale >= -60; --plan->scale) {
        const double step = soothi_power_of_two(plan->scale);
        if (half * step <= most && sum * step + each < room) break;
    }
    if (plan->scale >= -60) return SOOTH_OK;
    return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                      "leaf values reach %g; the sum of %u trees does not fit with %u-bit leaves",
                      plan->reach, job->trees.trees, job->bits);
}

/* Returns the rounding error of floats, in units of u = 2^-24 times the sum of all magnitudes. A sum of n
   numbers rounds n times (Jeannerod and Rump, Improved Error Bounds for Inner Products in Floating-Point
   Arithmetic, 2013). A sum with an error term rounds once when the term is added at the end. It also has 2 n
   (n + 1) u for the two roundings in each of n updates of the term, of numbers up to (n + 1) u. Add one each
   for the mean, the width, the shift, the float of the integers, and the doubles here. */
SOOTHI_LOCAL double soothi_integers_roundings(const soothi_integers_job *job) {
    const double n = (double)job->trees.each, u = 6.0e-8;
    return 5.0 + (job->trees.flags & SOOTH_ENSEMBLE_EXACT ? 1.0 + 2.0 * n * (n + 1.0) * u : n);
}

/* Plans target t with its error: the sum of the rounding of leaves, and that of floats. The latter is 0.7 %
   above u for products of errors, plus a little for denormal floats. */
SOOTHI_LOCAL sooth_status soothi_integers_plan_target(const soothi_integers_job *job, uint32_t t,
                                                      soothi_integers_plan *plan) {
    const sooth_status status = soothi_integers_choose_scale(job, t, plan);
    if (status != SOOTH_OK) return status;
    const double step = soothi_power_of_two(plan->scale);
    const uint32_t stride = soothi_integers_stride(job);
    double above = 0.0, below = 0.0;
    plan->base = soothi_integers_round(plan->start * step);
    for (uint32_t k = soothi_integers_from(job, t); k < job->trees.trees; k += stride) {
        const double middle = soothi_integers_middle(soothi_integers_range(job, k, t));
        const uint32_t end = soothi_export_start(&job->trees, k + 1);
        double excess = -SOOTHI_INFINITE, lack = -SOOTHI_INFINITE;
        for (uint32_t i = soothi_export_start(&job->trees, k); i < end; ++i) {
            if (job->trees.node[i].link & 1u) continue;
            const double v = soothi_integers_leaf(job, i, t) - middle;
            const double off = (double)soothi_integers_leaf_number(v, 0.0, plan->scale) / step - v;
            if (off > excess) excess = off;
            if (-off > lack) lack = -off;
        }
        above += excess;
        below += lack;
    }
    const double base = (double)plan->base / step - plan->start;
    above += base;
    below -= base;
    plan->error =
        soothi_quantise_larger(above, below) + soothi_integers_roundings(job) * 6.0e-8 * plan->reach + 1e-43;
    plan->error *= 1.000001;
    return SOOTH_OK;
}

/* ---- columns ---- */

/* Returns 1 for a multiple of 1/2. From 2^23 on all floats are integers. */
SOOTHI_LOCAL int soothi_integers_half(float v) {
    if (!(v > -8388608.0f && v < 8388608.0f)) return 1;
    const float twice = v + v, whole = (float)(int32_t)twice;
    return !(whole < twice) && !(whole > twice);
}

/* Finds the spans of all features. A threshold between two integers is a multiple of 1/2, or the float below
   one if XGBoost tested x < t. */
SOOTHI_LOCAL sooth_status soothi_integers_find_spans(const soothi_integers_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    for (uint32_t j = 0; j < trees->features; ++j) {
        job->span[j].low = FLT_MAX;
        job->span[j].high = -FLT_MAX;
        job->span[j].whole = 1;
    }
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const sooth_tree_node *node = trees->node + i;
        const float t = node->u.threshold;
        if (!(node->link & 1u) || t > FLT_MAX) continue;
        const uint32_t j = soothi_export_feature(trees, node);
        soothi_integers_span *span = job->span + j;
        if (t < -FLT_MAX)
            return sooth_fail(
                job->env, SOOTH_BAD_ARGUMENT,
                "a threshold of feature %u is -infinity, which has no integer key; use float keys", j + 1);
        if (t < span->low) span->low = t;
        if (t > span->high) span->high = t;
        if (!soothi_integers_half(t) && !soothi_integers_half(soothi_export_above(t))) span->whole = 0;
    }
    for (uint32_t j = 0; range && j < trees->features; ++j) {
        const float low = range[2 * (size_t)j], high = range[2 * (size_t)j + 1];
        soothi_integers_span *span = job->span + j;
        if (!(span->low <= span->high) || !(low >= -FLT_MAX && low <= high && high <= FLT_MAX)) continue;
        if (low < span->low) span->low = low;
        if (high > span->high) span->high = high;
        if (!soothi_integers_half(0.5f * low) || !soothi_integers_half(0.5f * high)) span->whole = 0;
    }
    return SOOTH_OK;
}

/* Returns floor(v 2^shift), clipped to 64 bits. */
SOOTHI_LOCAL int64_t soothi_integers_floor_of(double v, int32_t shift) {
    const double scaled = v * soothi_power_of_two(shift);
    const int64_t whole = scaled > 4.6e18    ? (int64_t)1 << 62
                          : scaled < -4.6e18 ? -((int64_t)1 << 62)
                                             : (int64_t)scaled;
    return (double)whole > scaled ? whole - 1 : whole;
}

/* Returns 1 if the keys of a span, and one above them, fit with this shift and offset. */
SOOTHI_LOCAL int soothi_integers_fits(const soothi_integers_span *span, uint32_t bits,
                                      const sooth_integers_column *column) {
    const int64_t most = soothi_integers_most(bits);
    return soothi_integers_floor_of((double)span->low, column->shift) - column->offset >= -most - 1 &&
           soothi_integers_floor_of((double)span->high, column->shift) - column->offset < most;
}

/* Returns the offset that maps the middle of the span to -1, the middle of the keys. */
SOOTHI_LOCAL int32_t soothi_integers_centre(const soothi_integers_span *span, int32_t shift) {
    const double middle = 0.5 * (double)span->low + 0.5 * (double)span->high;
    return soothi_integers_cut(soothi_integers_floor_of(middle, shift) + 1, 32);
}

/* Returns 1 if the span is far from 0 for its length, and the keys have fewer bits than the 24 of a float. */
SOOTHI_LOCAL int soothi_integers_far(const soothi_integers_span *span, uint32_t bits) {
    const double low = (double)span->low, high = (double)span->high;
    return bits < 32 && soothi_quantise_larger(soothi_abs(low), soothi_abs(high)) > 2.0 * (high - low);
}

/* Chooses the shift and offset of feature j for job->bits. Returns 0 if there are none. */
SOOTHI_LOCAL int soothi_integers_choose_column(const soothi_integers_job *job, uint32_t j,
                                               sooth_integers_column *column) {
    const soothi_integers_span *span = job->span + j;
    const int32_t *given = job->options->shift;
    column->shift = given ? given[j] : 0;
    column->offset = 0;
    if (!(span->low <= span->high)) return 1;
    if (given || span->whole) {
        if (soothi_integers_fits(span, job->bits, column)) return 1;
        column->offset = soothi_integers_centre(span, column->shift);
        if (soothi_integers_fits(span, job->bits, column)) return 1;
        if (given) return 0;
    }
    const int offset = soothi_integers_far(span, job->bits);
    for (column->shift = 60; column->shift > -60; --column->shift) {
        column->offset = offset ? soothi_integers_centre(span, column->shift) : 0;
        if (soothi_integers_fits(span, job->bits, column)) return 1;
    }
    return soothi_integers_fits(span, job->bits, column);
}

/* Returns 1 if all features have keys with job->bits, and integer features have integer keys. */
SOOTHI_LOCAL int soothi_integers_keys_fit(const soothi_integers_job *job) {
    sooth_integers_column column;
    for (uint32_t j = 0; job->span && j < job->trees.features; ++j)
        if (!soothi_integers_choose_column(job, j, &column) || (job->span[j].whole && column.shift < 0))
            return 0;
    return 1;
}

/* ---- the block ---- */

/* Returns the key of a threshold: x <= threshold if and only if the key of x is at most this. */
SOOTHI_LOCAL int32_t soothi_integers_threshold(const sooth_integers *m, uint32_t feature, float threshold) {
    const int32_t most = soothi_integers_most(m->bits);
    if (m->rule == SOOTH_INTEGERS_KEYS_FLOAT)
        return soothi_integers_float_key(threshold + 0.0f, 0); /* -0 becomes 0 */
    if (threshold > FLT_MAX) return most; /* all but missing values, which do not occur here */
    return soothi_integers_key(m, feature, threshold);
}

SOOTHI_LOCAL void soothi_integers_fill_nodes(const soothi_integers_job *job, sooth_integers *m,
                                             sooth_integers_node *node) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_integers_target *target = sooth_integers_targets(m);
    uint32_t leaves = 0;
    for (uint32_t k = 0; k < trees->trees; ++k) {
        const uint32_t end = soothi_export_start(trees, k + 1), t = trees->width > 1 ? 0 : k % trees->targets;
        const double middle = soothi_integers_middle(soothi_integers_range(job, k, t));
        for (uint32_t i = soothi_export_start(trees, k); i < end; ++i) {
            const uint32_t link = trees->node[i].link,
                           feature = soothi_export_feature(trees, trees->node + i);
            if (!(link & 1u)) {
                node[i].number = m->values ? (int32_t)leaves++
                                           : soothi_integers_leaf_number(soothi_integers_leaf(job, i, t),
                                                                         middle, target[t].scale);
                continue;
            }
            const int low =
                m->rule == SOOTH_INTEGERS_KEYS_FLOAT && !(link >> 1 & 1u); /* missing values go left */
            node[i].number = soothi_integers_threshold(m, feature, trees->node[i].u.threshold);
            node[i].link =
                (link >> trees->shift) << m->shift | (feature + (low ? m->head.features : 0u)) << 1 | 1u;
        }
    }
}

SOOTHI_LOCAL void soothi_integers_fill_values(const soothi_integers_job *job, const sooth_integers *m,
                                              int32_t *value) {
    const soothi_export_trees *trees = &job->trees;
    for (uint32_t t = 0; t < trees->targets; ++t) {
        size_t leaf = 0;
        for (uint32_t k = 0; k < trees->trees; ++k) {
            const double middle = soothi_integers_middle(soothi_integers_range(job, k, t));
            for (uint32_t i = soothi_export_start(trees, k); i < soothi_export_start(trees, k + 1); ++i)
                if (!(trees->node[i].link & 1u))
                    value[leaf++ * trees->targets + t] = soothi_integers_leaf_number(
                        soothi_integers_leaf(job, i, t), middle, sooth_integers_targets(m)[t].scale);
        }
    }
}

/* Returns the number of low bits of a link that hold bit 0 and a key. */
SOOTHI_LOCAL uint32_t soothi_integers_link_bits(uint32_t keys) {
    uint32_t bits = 2;
    while (bits < 31 && keys > 1u << (bits - 1)) ++bits;
    return bits;
}

/* Computes the clipping range of target t: that of the target's scale, and for a mean the range of the
   leaves. */
SOOTHI_LOCAL void soothi_integers_ends(const soothi_integers_job *job, uint32_t t,
                                       sooth_integers_target *target) {
    const sooth_scale *scale = job->parts.target;
    const float *hull = job->trees.flags & SOOTH_ENSEMBLE_MEAN ? job->trees.hull + 2 * (size_t)t : NULL;
    target->least = -FLT_MAX;
    target->most = FLT_MAX;
    if (scale && scale->clip) {
        target->least = sooth_scale_columns(scale)[t].least;
        target->most = sooth_scale_columns(scale)[t].most;
    }
    if (!hull) return;
    for (int end = 0; end < 2; ++end) {
        const float v = scale ? sooth_scale_invert_one(scale, t, hull[end])
                              : soothi_integers_linked(job->link, hull[end]);
        if (!end && v > target->least) target->least = v;
        if (end && v < target->most) target->most = v;
    }
    if (target->least > target->most) target->least = target->most; /* e^v may decrease in the last digit */
}

SOOTHI_LOCAL sooth_status soothi_integers_fill_targets(const soothi_integers_job *job,
                                                       sooth_integers_target *target) {
    for (uint32_t t = 0; t < job->trees.targets; ++t) {
        soothi_integers_plan plan;
        const sooth_status status = soothi_integers_plan_target(job, t, &plan);
        if (status != SOOTH_OK) return status;
        target[t].scale = plan.scale;
        target[t].base_low = (uint32_t)(uint64_t)plan.base;
        target[t].base_high = (uint32_t)((uint64_t)plan.base >> 32);
        target[t].error = (float)(plan.error * 1.000001);
        soothi_integers_ends(job, t, target + t);
    }
    return SOOTH_OK;
}

/* Computes the maximum error over the targets with job->bits. */
SOOTHI_LOCAL sooth_status soothi_integers_worst(const soothi_integers_job *job, double *error) {
    *error = 0.0;
    for (uint32_t t = 0; t < job->trees.targets; ++t) {
        soothi_integers_plan plan;
        const sooth_status status = soothi_integers_plan_target(job, t, &plan);
        if (status != SOOTH_OK) return status;
        *error = soothi_quantise_larger(*error, plan.error);
    }
    return SOOTH_OK;
}

/* Chooses the number of bits: as given, or the fewest within the error that give integer features integer
   keys. */
SOOTHI_LOCAL sooth_status soothi_integers_choose_bits(soothi_integers_job *job) {
    const sooth_integers_options *options = job->options;
    const int floats = options->rule == SOOTH_INTEGERS_KEYS_FLOAT;
    double error = 0.0;
    sooth_status status = SOOTH_OK;
    for (job->bits = options->bits                     ? options->bits
                     : options->error > 0.0 && !floats ? 8
                                                       : 32;
         ; job->bits *= 2) {
        if (!(options->error > 0.0)) return SOOTH_OK;
        status = soothi_integers_worst(job, &error);
        if (status == SOOTH_OK && error <= options->error &&
            (options->bits || job->bits == 32 || soothi_integers_keys_fit(job)))
            return SOOTH_OK;
        if (options->bits || job->bits == 32) break;
    }
    if (status != SOOTH_OK) return status;
    return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                      "with %u bits the maximum error is %g, above the allowed %g", job->bits, error,
                      options->error);
}

SOOTHI_LOCAL int soothi_integers_transforms(const sooth_scale *scale, uint32_t j) {
    const sooth_scale_column *c = sooth_scale_columns(scale) + j;
    return scale->clip || c->transform != SOOTH_SCALE_NONE || c->shift < 0.0f || c->shift > 0.0f ||
           c->width < 1.0f || c->width > 1.0f;
}

SOOTHI_LOCAL sooth_status soothi_integers_open(soothi_integers_job *job, const sooth_model *model) {
    const sooth_integers_options *o = job->options;
    sooth_model_open(model, &job->parts);
    soothi_export_open(job->parts.predictor, &job->trees);
    const soothi_export_trees *trees = &job->trees;
    if (!trees->node)
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "models of kind %s cannot be converted to integers, only trees, forests and boosting",
            soothi_export_kind_word(job->parts.predictor));
    if (trees->at)
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the model has linear leaves, which need multiplications; fit it without linear_leaves");
    if (trees->sets.first)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model tests sets of categories, which cannot be converted to integers yet");
    if (trees->flags & SOOTH_ENSEMBLE_QUANTILES)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model sorts several quantiles, which cannot be converted to integers; fit a "
                          "model for each");
    if (job->parts.probability)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model predicts a probability, which cannot be converted to integers; fit it "
                          "without a probability");
    if (job->parts.ratio)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model multiplies by a sum of columns (ratio_to), which cannot be converted to "
                          "integers; export it as C with floats, or fit it without ratio_to");
    if (soothi_model_statistics(&job->parts))
        return sooth_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the model encodes categories by statistics, which cannot be converted to integers yet");
    for (uint32_t j = 0; job->parts.input && j < trees->features; ++j)
        if (soothi_integers_transforms(job->parts.input, j))
            return sooth_fail(
                job->env, SOOTH_BAD_ARGUMENT,
                "the model transforms its features; trees do not need this: fit it without a transform");
    for (uint32_t t = 0; job->parts.target && t < trees->targets; ++t) {
        const uint32_t how = soothi_scale_function(sooth_scale_columns(job->parts.target)[t].transform);
        const uint32_t link = how == 1   ? SOOTH_INTEGERS_EXPM1
                              : how == 2 ? SOOTH_INTEGERS_EXP
                                         : SOOTH_INTEGERS_IDENTITY;
        if ((t && link != job->link) || trees->link != SOOTH_ENSEMBLE_LINK_IDENTITY)
            return sooth_fail(
                job->env, SOOTH_BAD_ARGUMENT,
                "target %u has a transform that differs from those of other targets, or follows a link",
                t + 1);
        job->link = link;
    }
    if (trees->link == SOOTH_ENSEMBLE_LINK_EXP) job->link = SOOTH_INTEGERS_EXP;
    if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) job->link = SOOTH_INTEGERS_LOGISTIC;
    if (o->bits != 0 && o->bits != 8 && o->bits != 16 && o->bits != 32)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "bits is %u, but must be 8, 16 or 32", o->bits);
    if (o->rule >= SOOTH_INTEGERS_KEYS_RULES)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "rule is %u, but must be 0 (whole) or 1 (float)",
                          o->rule);
    if (o->rule == SOOTH_INTEGERS_KEYS_FLOAT && o->bits != 0 && o->bits != 32)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "bits is %u, but float keys need 32", o->bits);
    if (!(o->error >= 0.0))
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT, "error is %g, but must be 0 or more", o->error);
    for (uint32_t j = 0; o->shift && j < trees->features; ++j)
        if (o->shift[j] < -60 || o->shift[j] > 60)
            return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                              "the shift of feature %u is %d, but must be -60 to 60", j + 1,
                              (int)o->shift[j]);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_integers_fill_columns(const soothi_integers_job *job,
                                                       sooth_integers_column *column) {
    for (uint32_t j = 0; job->span && j < job->trees.features; ++j)
        if (!soothi_integers_choose_column(job, j, column + j))
            return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                              "feature %u ranges from %g to %g, which does not fit with shift %d and %u bits",
                              j + 1, (double)job->span[j].low, (double)job->span[j].high,
                              (int)column[j].shift, job->bits);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_integers_build(const soothi_integers_job *job, sooth_integers *shape,
                                                sooth_integers **out) {
    const uint64_t words = soothi_integers_bytes(shape);
    sooth_integers *m = words > UINT32_MAX / 2
                            ? NULL
                            : (sooth_integers *)soothi_block_new(job->env, SOOTH_KIND_INTEGERS,
                                                                 SOOTH_INTEGERS_VERSION, (size_t)words, 0, 0);
    if (!m) return sooth_no_memory(job->env, "a model of integers", (size_t)words);
    shape->head.magic = m->head.magic;
    shape->head.kind = m->head.kind;
    shape->head.size = m->head.size;
    shape->head.doubles_at = m->head.doubles_at;
    shape->head.bytes_at = m->head.bytes_at;
    *m = *shape;
    uint32_t *start = (uint32_t *)(uintptr_t)soothi_integers_start(m);
    for (uint32_t k = 0; k <= m->trees; ++k) start[k] = soothi_export_start(&job->trees, k);
    sooth_status status =
        soothi_integers_fill_columns(job, (sooth_integers_column *)(uintptr_t)soothi_integers_columns(m));
    if (status == SOOTH_OK)
        status =
            soothi_integers_fill_targets(job, (sooth_integers_target *)(uintptr_t)sooth_integers_targets(m));
    if (status != SOOTH_OK) {
        sooth_integers_free(job->env, m);
        return status;
    }
    soothi_integers_fill_nodes(job, m, (sooth_integers_node *)(uintptr_t)soothi_integers_nodes(m));
    if (m->values) soothi_integers_fill_values(job, m, (int32_t *)(uintptr_t)soothi_integers_values(m));
    soothi_block_seal(&m->head);
    *out = m;
    return SOOTH_OK;
}

/* Converts the model once all but the bits is known. */
SOOTHI_LOCAL sooth_status soothi_integers_convert_job(soothi_integers_job *job, sooth_integers **out) {
    const soothi_export_trees *trees = &job->trees;
    sooth_integers shape;
    uint32_t leaves = 0;
    sooth_status status = job->span ? soothi_integers_find_spans(job) : SOOTH_OK;
    if (status == SOOTH_OK) status = soothi_integers_choose_bits(job);
    if (status != SOOTH_OK) return status;
    memset(&shape, 0, sizeof shape);
    shape.head.features = trees->features;
    shape.head.targets = trees->targets;
    shape.trees = trees->trees;
    shape.nodes = trees->nodes;
    shape.rule = job->options->rule;
    shape.bits = job->bits;
    shape.link = job->link;
    shape.shift = soothi_integers_link_bits(sooth_integers_key_count(&shape));
    for (uint32_t k = 0; k < shape.trees; ++k) {
        const uint32_t depth = soothi_export_depth(trees, k);
        if (depth > shape.depth) shape.depth = depth;
    }
    for (uint32_t i = 0; i < shape.nodes; ++i) {
        const uint32_t link = trees->node[i].link;
        leaves += !(link & 1u);
        if (link & 1u && (uint64_t)(link >> trees->shift) << shape.shift > UINT32_MAX)
            return sooth_fail(
                job->env, SOOTH_BAD_ARGUMENT,
                "a tree of %u nodes is too large for %u features: both must fit 32 bits of a node",
                shape.nodes, shape.head.features);
    }
    if (trees->width > 1) shape.values = leaves;
    return soothi_integers_build(job, &shape, out);
}

SOOTH_API sooth_status sooth_integers_convert(sooth_env *env, const sooth_model *model,
                                              const sooth_integers_options *options, sooth_integers **out) {
    sooth_integers_options defaults;
    soothi_integers_job job;
    memset(&defaults, 0, sizeof defaults);
    memset(&job, 0, sizeof job);
    *out = NULL;
    job.env = env;
    job.options = options ? options : &defaults;
    sooth_status status = soothi_integers_open(&job, model);
    if (status != SOOTH_OK) return status;
    const size_t spans = job.options->rule == SOOTH_INTEGERS_KEYS_WHOLE ? job.trees.features : 0;
    if (spans) {
        job.span = (soothi_integers_span *)sooth_alloc(env, spans, sizeof *job.span);
        if (!job.span) return sooth_no_memory(env, "a model of integers", soothi_product(spans, 12));
    }
    status = soothi_integers_convert_job(&job, out);
    sooth_free(env, job.span, spans, sizeof *job.span);
    return status;
}

SOOTH_API void sooth_integers_free(sooth_env *env, sooth_integers *model) {
    if (model) soothi_block_free(env, &model->head);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
