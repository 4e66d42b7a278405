/* export_integers.h - models of trees as whole numbers: makes the block of integers.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_integers_make turns a tree, a forest or boosted trees, imported ones too, into integers of 8, 16 or
 * 32 bits, and says how far off they may be. integers_code.h writes what comes of it as source code.
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
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK ||
 *             sooth_integers_make(&env, &tree->head, &options, &whole) != SOOTH_OK)
 *             return puts(env.sentence);
 *         printf("%u bits\n", whole->bits);  //> 16 bits
 *         sooth_integers_free(&env, whole);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * What becomes integers: the comparisons and sums of trees; means, links and logarithms of targets with them
 * (only the last step, sooth_integers_value, is in floats). What does not: planes in leaves, which multiply;
 * models behind a transform of features; intervals and adaptation, which stay with the float model. Networks
 * have integers of their own (quantise.h). Support vectors, laws and Gaussian processes are exponentials,
 * which integers do not make smaller; a linear model is one product per feature, which floats do as well.
 *
 * Costs: a few passes over the nodes and 12 bytes of scratch a feature.
 */
#if !defined(SOOTH_EXPORT_INTEGERS_MAKE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_MAKE_IMPLEMENTED))
#include "kinds.h"
#include "integers.h"
#endif

#if !defined(SOOTH_EXPORT_INTEGERS_MAKE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_MAKE_H
SOOTHI_C_BEGIN

/* Zero bytes are the defaults. */
typedef struct sooth_integers_options {
    uint32_t bits; /* 8, 16 or 32, of thresholds and leaves; 0: 32, or with `error` the fewest within it
                      for which features that are whole numbers have keys that are */
    uint32_t rule; /* a sooth_integers_rule; SOOTH_KEYS_FLOAT wants 32 bits */
    double error;  /* the most that the answers of a target may be off, before the link; 0: no matter */
    const int32_t *shift; /* of each feature; NULL: chosen (see sooth_integers_make) */
} sooth_integers_options;

/* Makes the integers of a model of trees. With SOOTH_KEYS_WHOLE the keys of feature j are

     whole numbers   where every threshold is one, halfway between two or the float below such a number, the
                     range of training on the card ends in them, and all this fits the bits: shift 0, and an
                     offset only where it does not fit without
     multiples of 2^-shift   else, the finest for which the thresholds and the range of training fit; with an
                     offset where they lie far from 0

   So where nobody knows a range, thresholds that all happen to be halves are taken for those of whole
   numbers; options->shift overrules. A feature that no tree asks for has shift 0. Beyond the range of
   training the greatest and the least key of so many bits stand for all others, which changes no answer.

   options NULL: defaults. A checked model may come from anyone. SOOTH_BAD_ARGUMENT and a sentence: no trees,
   planes in leaves, a transform of features, other bits, no form within `error`, leaves too large or too
   many, thresholds too large for 8 bits (from 10^20 on) or infinite below. The block is the caller's
   (sooth_integers_free). */
SOOTH_API sooth_status sooth_integers_make(sooth_env *env, const sooth_model *model,
                                           const sooth_integers_options *options, sooth_integers **out);

/* NULL is fine. */
SOOTH_API void sooth_integers_free(sooth_env *env, sooth_integers *model);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_INTEGERS_MAKE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_MAKE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_INTEGERS_MAKE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- what is made of what ---- */

/* Where the thresholds of a feature and its values in training lie. */
typedef struct soothi_integers_span {
    float low, high; /* low > high: no tree asks for it */
    uint32_t whole;  /* 1: those were whole numbers, as far as one can see */
} soothi_integers_span;

/* The trees, and how what they say becomes an answer: (sum of leaves) times factor, plus what each target
   begins with. */
typedef struct soothi_integers_job {
    sooth_env *env;
    sooth_model_parts parts;
    soothi_export_trees trees;
    const sooth_integers_options *options;
    soothi_integers_span *span; /* of each feature; NULL: keys are those of floats */
    uint32_t bits, link;
} soothi_integers_job;

/* Of target t: answers are v x width + shift before the link. */
SOOTHI_LOCAL double soothi_integers_width(const soothi_integers_job *job, uint32_t t) {
    return job->parts.target ? (double)sooth_scale_columns(job->parts.target)[t].width : 1.0;
}
SOOTHI_LOCAL double soothi_integers_shift(const soothi_integers_job *job, uint32_t t) {
    return job->parts.target ? (double)sooth_scale_columns(job->parts.target)[t].shift : 0.0;
}

/* How many trees a mean of target t is over; 1: a sum. */
SOOTHI_LOCAL double soothi_integers_over(const soothi_integers_job *job) {
    return job->trees.flags & SOOTH_ENSEMBLE_MEAN ? (double)job->trees.each : 1.0;
}

/* What leaf `node` adds to the answer of target t, in its unit. */
SOOTHI_LOCAL double soothi_integers_leaf(const soothi_integers_job *job, uint32_t node, uint32_t t) {
    const soothi_export_trees *trees = &job->trees;
    double v = trees->value ? (double)trees->value[(size_t)trees->node[node].u.at * trees->width + t]
                            : (double)trees->node[node].u.value;
    if (trees->low) v += (double)trees->low[node];
    return v / soothi_integers_over(job) * soothi_integers_width(job, t);
}

/* What the sum of target t begins with, in its unit; the shift is not in it. */
SOOTHI_LOCAL double soothi_integers_begins(const soothi_integers_job *job, uint32_t t) {
    const soothi_export_trees *trees = &job->trees;
    double base = trees->base ? (double)trees->base[t] : 0.0;
    if (trees->flags & SOOTH_ENSEMBLE_EXACT) base += (double)trees->base[trees->targets + t];
    return base / soothi_integers_over(job) * soothi_integers_width(job, t);
}

/* The first tree that answers for target t, and how far the next one is. */
SOOTHI_LOCAL uint32_t soothi_integers_from(const soothi_integers_job *job, uint32_t t) {
    return job->trees.width > 1 ? 0 : t;
}
SOOTHI_LOCAL uint32_t soothi_integers_stride(const soothi_integers_job *job) {
    return job->trees.width > 1 ? 1 : job->trees.targets;
}

/* The least and the most that a leaf of tree k adds to target t; everything, where one is not a number. */
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

/* How a target is rounded: each tree's leaves are counted from the middle of what they say, which the base
   takes up. */
typedef struct soothi_integers_plan {
    int32_t scale;
    int64_t base;
    double start, reach; /* what the sum begins with, exactly; the most that it can be */
    double error;
} soothi_integers_plan;

SOOTHI_LOCAL double soothi_integers_middle(soothi_interval range) {
    return 0.5 * range.low + 0.5 * range.high;
}

SOOTHI_LOCAL int64_t soothi_integers_round(double v) { return (int64_t)(v < 0.0 ? v - 0.5 : v + 0.5); }

/* A leaf as an integer: what it adds beyond the middle of its tree. */
SOOTHI_LOCAL int32_t soothi_integers_leaf_number(double v, double middle, int32_t scale) {
    return (int32_t)soothi_integers_round((v - middle) * soothi_power_of_two(scale));
}

/* The finest scale at which the leaves fit `bits` bits, and the sum 32 (or 62, for leaves of 32). */
SOOTHI_LOCAL sooth_status soothi_integers_choose_scale(const soothi_integers_job *job, uint32_t t,
                                                       soothi_integers_plan *plan) {
    const double most = (double)soothi_integers_most(job->bits);
    const double room = job->bits == 32 ? soothi_power_of_two(61) : 2147483647.0;
    const double begins = soothi_integers_begins(job, t), shift = soothi_integers_shift(job, t);
    const uint32_t stride = soothi_integers_stride(job);
    double half = 0.0, sum = 0.0;
    plan->start = begins + shift;
    plan->reach = soothi_abs(begins) + soothi_abs(shift); /* in floats the one comes long before the other */
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
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "a leaf says %g, which no integer holds",
                           plan->reach);
    const double each = (double)job->trees.trees; /* so much may rounding add to the sum */
    for (plan->scale = 120; plan->scale >= -60; --plan->scale) {
        const double step = soothi_power_of_two(plan->scale);
        if (half * step <= most && sum * step + each < room) break;
    }
    if (plan->scale >= -60) return SOOTH_OK;
    return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                       "leaves say up to %g, and %u trees of them fit no sum of %u-bit leaves", plan->reach,
                       job->trees.trees, job->bits);
}

/* How often u = 2^-24 of all that is added up the floats may round away. A sum of n numbers n times
   (Jeannerod and Rump, Improved Error Bounds for Inner Products in Floating-Point Arithmetic, 2013). One
   that carries its rounding errors along: once when they are added in the end, and 2 n (n + 1) u times for
   the two roundings of each of the n steps that carry, of numbers up to (n + 1) u. Then the mean, the
   width and the shift once each, the float of the integers once, and once for the doubles here. */
SOOTHI_LOCAL double soothi_integers_roundings(const soothi_integers_job *job) {
    const double n = (double)job->trees.each, u = 6.0e-8;
    return 5.0 + (job->trees.flags & SOOTH_ENSEMBLE_EXACT ? 1.0 + 2.0 * n * (n + 1.0) * u : n);
}

/* The plan of target t with its error: what rounding the leaves may add up to, and what floats round away:
   0.7 % more than u, for products of errors, and a little where floats are denormal. */
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

/* Is it a multiple of 1/2? From 2^23 on floats are whole. */
SOOTHI_LOCAL int soothi_integers_half(float v) {
    if (!(v > -8388608.0f && v < 8388608.0f)) return 1;
    const float twice = v + v, whole = (float)(int32_t)twice;
    return !(whole < twice) && !(whole > twice);
}

/* Finds the spans of all features. A threshold between two whole numbers is a multiple of 1/2, and where
   x < t was asked (by XGBoost) the float below one. */
SOOTHI_LOCAL sooth_status soothi_integers_find_spans(const soothi_integers_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const float *range = job->parts.card ? sooth_card_range(job->parts.card) : NULL;
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
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "feature %u is compared with -infinity, which has no whole number below what "
                               "is above it; keys of floats have one",
                               j + 1);
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

/* floor(v 2^shift), for what the integers of 64 bits hold. */
SOOTHI_LOCAL int64_t soothi_integers_floor_of(double v, int32_t shift) {
    const double scaled = v * soothi_power_of_two(shift);
    const int64_t whole = scaled > 4.6e18    ? (int64_t)1 << 62
                          : scaled < -4.6e18 ? -((int64_t)1 << 62)
                                             : (int64_t)scaled;
    return (double)whole > scaled ? whole - 1 : whole;
}

/* Do the keys of a span fit, with this shift and offset, and one above them all? */
SOOTHI_LOCAL int soothi_integers_fits(const soothi_integers_span *span, uint32_t bits,
                                      const sooth_integers_column *column) {
    const int64_t most = soothi_integers_most(bits);
    return soothi_integers_floor_of((double)span->low, column->shift) - column->offset >= -most - 1 &&
           soothi_integers_floor_of((double)span->high, column->shift) - column->offset < most;
}

/* The offset that puts the middle of the span on -1, the middle of what fits. */
SOOTHI_LOCAL int32_t soothi_integers_centre(const soothi_integers_span *span, int32_t shift) {
    const double middle = 0.5 * (double)span->low + 0.5 * (double)span->high;
    return soothi_integers_cut(soothi_integers_floor_of(middle, shift) + 1, 32);
}

/* Is the span far from 0 for its length, and are there fewer bits than the 24 of a float? */
SOOTHI_LOCAL int soothi_integers_far(const soothi_integers_span *span, uint32_t bits) {
    const double low = (double)span->low, high = (double)span->high;
    return bits < 32 && soothi_quantise_larger(soothi_abs(low), soothi_abs(high)) > 2.0 * (high - low);
}

/* Chooses the shift and offset of feature j for job->bits; 0: there are none. */
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

/* Do all features have keys with job->bits, and those that were whole numbers keys that are? */
SOOTHI_LOCAL int soothi_integers_keys_fit(const soothi_integers_job *job) {
    sooth_integers_column column;
    for (uint32_t j = 0; job->span && j < job->trees.features; ++j)
        if (!soothi_integers_choose_column(job, j, &column) || (job->span[j].whole && column.shift < 0))
            return 0;
    return 1;
}

/* ---- the block ---- */

/* The key of a threshold: every x <= threshold has one up to it. */
SOOTHI_LOCAL int32_t soothi_integers_threshold(const sooth_integers *m, uint32_t feature, float threshold) {
    const int32_t most = soothi_integers_most(m->bits);
    if (m->rule == SOOTH_KEYS_FLOAT) return soothi_integers_float_key(threshold + 0.0f, 0); /* -0 becomes 0 */
    if (threshold > FLT_MAX) return most; /* all but missing values, which are not known here */
    return sooth_integers_key(m, feature, threshold);
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
            const int low = m->rule == SOOTH_KEYS_FLOAT && !(link >> 1 & 1u); /* a missing value goes left */
            node[i].number = soothi_integers_threshold(m, feature, trees->node[i].u.threshold);
            node[i].link =
                (link >> trees->shift) << m->shift | (feature + (low ? m->head.features : 0u)) << 1 | 1u;
        }
    }
}

/* The rows of values of leaves that predict several targets. */
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

/* The bits that a link keeps for a key, with bit 0. */
SOOTHI_LOCAL uint32_t soothi_integers_link_bits(uint32_t keys) {
    uint32_t bits = 2;
    while (bits < 31 && keys > 1u << (bits - 1)) ++bits;
    return bits;
}

/* What a prediction of target t is cut at: where the targets are clipped, and a mean at the least and the
   most that a leaf says. */
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
    if (target->least > target->most) target->least = target->most; /* e^v may fall by a last digit */
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

/* The greatest error over the targets, with job->bits. */
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

/* The number of bits: as given, or the fewest within the error that keep whole features whole. */
SOOTHI_LOCAL sooth_status soothi_integers_choose_bits(soothi_integers_job *job) {
    const sooth_integers_options *options = job->options;
    const int floats = options->rule == SOOTH_KEYS_FLOAT;
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
    return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                       "with %u bits an answer may be off by %g, which is more than %g", job->bits, error,
                       options->error);
}

/* Does the scale change feature j? */
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
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model is of kind %u, but only trees, forests and boosting become integers",
                           soothi_model_kind(job->parts.predictor));
    if (trees->at)
        return soothi_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "the leaves of this model hold planes, which multiply; fit it without linear_leaves");
    if (trees->sets.first)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model asks for sets of categories, which do not become integers yet");
    if (job->parts.probability)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model says a probability, which does not become integers; fit it without "
                           "one");
    if (soothi_model_statistics(&job->parts))
        return soothi_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "levels of this model stand by their statistics, which do not become integers yet");
    for (uint32_t j = 0; job->parts.input && j < trees->features; ++j)
        if (soothi_integers_transforms(job->parts.input, j))
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "the features of this model are transformed first; trees need none of it: fit "
                               "it without");
    for (uint32_t t = 0; job->parts.target && t < trees->targets; ++t) {
        const uint32_t how = soothi_scale_function(sooth_scale_columns(job->parts.target)[t].transform);
        const uint32_t link = how == 1   ? SOOTH_INTEGERS_EXPM1
                              : how == 2 ? SOOTH_INTEGERS_EXP
                                         : SOOTH_INTEGERS_IDENTITY;
        if ((t && link != job->link) || trees->link != SOOTH_LINK_IDENTITY)
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "target %u is transformed in another way than others, or behind a link",
                               t + 1);
        job->link = link;
    }
    if (trees->link == SOOTH_LINK_EXP) job->link = SOOTH_INTEGERS_EXP;
    if (trees->link == SOOTH_LINK_LOGISTIC) job->link = SOOTH_INTEGERS_LOGISTIC;
    if (o->bits != 0 && o->bits != 8 && o->bits != 16 && o->bits != 32)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "bits is %u, but must be 8, 16 or 32", o->bits);
    if (o->rule >= SOOTH_KEYS_RULES)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "rule is %u, but must be 0 (whole) or 1 (float)",
                           o->rule);
    if (o->rule == SOOTH_KEYS_FLOAT && o->bits != 0 && o->bits != 32)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "keys of floats have 32 bits, not %u", o->bits);
    if (!(o->error >= 0.0))
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "error is %g, but must not be below 0", o->error);
    for (uint32_t j = 0; o->shift && j < trees->features; ++j)
        if (o->shift[j] < -60 || o->shift[j] > 60)
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "the shift of feature %u is %d, but must be between -60 and 60", j + 1,
                               (int)o->shift[j]);
    return SOOTH_OK;
}

/* Keys of the features of a block. */
SOOTHI_LOCAL sooth_status soothi_integers_fill_columns(const soothi_integers_job *job,
                                                       sooth_integers_column *column) {
    for (uint32_t j = 0; job->span && j < job->trees.features; ++j)
        if (!soothi_integers_choose_column(job, j, column + j))
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "feature %u goes from %g to %g, which with shift %d does not fit %u bits",
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
    if (!m) return soothi_no_memory(job->env, "a model of integers", (size_t)words);
    shape->head.magic = m->head.magic;
    shape->head.kind = m->head.kind;
    shape->head.size = m->head.size;
    shape->head.doubles_at = m->head.doubles_at;
    shape->head.bytes_at = m->head.bytes_at;
    *m = *shape;
    uint32_t *start = (uint32_t *)(uintptr_t)sooth_integers_start(m);
    for (uint32_t k = 0; k <= m->trees; ++k) start[k] = soothi_export_start(&job->trees, k);
    sooth_status status =
        soothi_integers_fill_columns(job, (sooth_integers_column *)(uintptr_t)sooth_integers_columns(m));
    if (status == SOOTH_OK)
        status =
            soothi_integers_fill_targets(job, (sooth_integers_target *)(uintptr_t)sooth_integers_targets(m));
    if (status != SOOTH_OK) {
        sooth_integers_free(job->env, m);
        return status;
    }
    soothi_integers_fill_nodes(job, m, (sooth_integers_node *)(uintptr_t)sooth_integers_nodes(m));
    if (m->values) soothi_integers_fill_values(job, m, (int32_t *)(uintptr_t)soothi_integers_values(m));
    soothi_block_seal(&m->head);
    *out = m;
    return SOOTH_OK;
}

/* Everything is known but the bits. */
SOOTHI_LOCAL sooth_status soothi_integers_make_of(soothi_integers_job *job, sooth_integers **out) {
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
            return soothi_fail(
                job->env, SOOTH_BAD_ARGUMENT,
                "a tree of %u nodes is too large for %u columns: 32 bits of a node must hold both",
                shape.nodes, shape.head.features);
    }
    if (trees->width > 1) shape.values = leaves;
    return soothi_integers_build(job, &shape, out);
}

SOOTH_API sooth_status sooth_integers_make(sooth_env *env, const sooth_model *model,
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
    const size_t spans = job.options->rule == SOOTH_KEYS_WHOLE ? job.trees.features : 0;
    if (spans) {
        job.span = (soothi_integers_span *)soothi_alloc(env, spans, sizeof *job.span);
        if (!job.span) return soothi_no_memory(env, "a model of integers", soothi_product(spans, 12));
    }
    status = soothi_integers_make_of(&job, out);
    soothi_free(env, job.span, spans, sizeof *job.span);
    return status;
}

SOOTH_API void sooth_integers_free(sooth_env *env, sooth_integers *model) {
    if (model) soothi_block_free(env, &model->head);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
