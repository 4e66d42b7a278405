/* model/probability.h - calibrated probabilities from scores: Platt's sigmoid and isotonic regression.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * If a model predicts 0.8 for jobs, do eight in ten time out? A model that ranks well need not be calibrated:
 * boosting and networks are often overconfident. Its scores of unseen rows, with their outcomes, give a map
 * from score to probability:
 *
 *   sigmoid    p = 1 / (1 + e^-(slope s + intercept)), with the minimum log loss against targets that are
 *              moved inwards from 0 and 1: a one among N1 ones counts as (N1 + 1) / (N1 + 2), a zero among N0
 *              zeros as 1 / (N0 + 2). It has two parameters, so few rows are enough. Platt: Probabilistic
 *              outputs for support vector machines, 1999; by Newton's method as Lin, Lin, Weng, Machine
 *              Learning 68, 2007, whose A and B are -slope and -intercept
 *   isotonic   the increasing step function with the least squares distance to the classes, with lines
 *              between the steps. It fits any increasing map, but needs about a thousand rows. Zadrozny,
 *              Elkan, KDD 2002; by pooling adjacent violators (Ayer et al., Annals of Mathematical Statistics
 *              26, 1955)
 *
 * With scores ODDS the sigmoid uses the log odds of a probability, so a calibrated model has slope 1 and
 * intercept 0. PLAIN uses the number itself. The scores must come from rows that the model has not seen,
 * because training rows look too certain. sooth_train_fit leaves groups out for this (train/calibrate.h).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         // predictions of a model for twelve jobs, and whether they timed out
 *         const float predicted[] = {.01f, .02f, .03f, .05f, .1f, .2f, .8f, .9f, .95f, .97f, .98f, .99f};
 *         const float late[] = {0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1};
 *         sooth_probability_options options = {.scores = SOOTH_PROBABILITY_ODDS};
 *         sooth_probability *map;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_probability_fit(&env, late, predicted, NULL, 12, &options, &map) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.2f\n", sooth_probability_apply(map, 0.99f));  //> 0.73
 *         sooth_probability_free(&env, map);
 *         return 0;
 *     }
 *
 * A block has 64 bytes, with isotonic 8 more for each end of a step. Applying takes a logarithm and an
 * exponential, or log2(ends of steps) comparisons. Fitting an isotonic map sorts: O(n), with 40 bytes per row
 * of scratch. A sigmoid takes O(n) for each of about ten Newton steps, without scratch. Any number of
 * threads.
 */
#if !defined(SOOTH_MODEL_PROBABILITY_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_PROBABILITY_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_MODEL_PROBABILITY_H
#define SOOTH_MODEL_PROBABILITY_H

SOOTHI_C_BEGIN

#define SOOTH_PROBABILITY_VERSION 1

typedef enum sooth_probability_method {
    SOOTH_PROBABILITY_SIGMOID = 0,
    SOOTH_PROBABILITY_ISOTONIC,
    SOOTH_PROBABILITY_METHODS
} sooth_probability_method;

/* How the sigmoid reads a score. */
typedef enum sooth_probability_scores {
    SOOTH_PROBABILITY_PLAIN = 0, /* any number */
    SOOTH_PROBABILITY_ODDS,      /* a probability, by its log odds; limited to 2^-24 from 0 and 1 */
    SOOTH_PROBABILITY_SCORES
} sooth_probability_scores;

/* The block. After this struct, for isotonic: float score[points], ascending, then float p[points]. */
typedef struct sooth_probability {
    sooth_block head; /* features 0, targets 1 */
    uint32_t method;  /* a sooth_probability_method */
    uint32_t scores;  /* a sooth_probability_scores */
    uint32_t points;  /* of isotonic, at least 1; 0 for a sigmoid */
    float slope;      /* of a sigmoid: p = 1 / (1 + e^-(slope (s - centre) + intercept)) */
    float centre;
    float intercept;
    uint32_t reserved[2];
} sooth_probability;

/* Returns 1 if bytes[0..size) begin with a valid block. Then no function below reads out of bounds. A checked
   one may come from anyone. */
SOOTH_API int sooth_probability_check(const void *bytes, size_t size);

/* Returns P(y = 1) for a score, within 0..1; NaN if the score is NaN. */
SOOTH_API float sooth_probability_apply(const sooth_probability *map, float score);

/* Like sooth_probability_apply, for n scores. out may be score. */
SOOTH_API void sooth_probability_apply_many(const sooth_probability *map, const float *score, size_t n,
                                            float *out);

/* Returns the cost of one score. */
SOOTH_API sooth_cost sooth_probability_cost(const sooth_probability *map);

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_probability_options {
    uint32_t method; /* a sooth_probability_method */
    uint32_t scores; /* a sooth_probability_scores; no effect on isotonic */
} sooth_probability_options;

/* Fits the map to `rows` outcomes, 0 or 1, and the scores of a model that has not seen the row. weight (>= 0)
   and options may be NULL; rows of weight 0 are ignored. SOOTH_BAD_DATA names the row if a class is neither 0
   nor 1, if a score is not finite or, with ODDS, is not a probability. *map is NULL after a failure. */
SOOTH_API sooth_status sooth_probability_fit(sooth_env *env, const float *actual, const float *score,
                                             const float *weight, size_t rows,
                                             const sooth_probability_options *options,
                                             sooth_probability **map);

/* Frees a block made by sooth_probability_fit. NULL is allowed. */
SOOTH_API void sooth_probability_free(sooth_env *env, sooth_probability *map);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_probability_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MODEL_PROBABILITY_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_PROBABILITY_IMPLEMENTED)
#define SOOTH_MODEL_PROBABILITY_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the map ---- */

SOOTHI_LOCAL const float *soothi_probability_points(const sooth_probability *map) {
    return (const float *)(const void *)(map + 1);
}

/* Whether v is finite. */
SOOTHI_LOCAL int soothi_probability_number(float v) { return v >= -FLT_MAX && v <= FLT_MAX; }

/* Checks that scores ascend and probabilities do not decrease. */
SOOTHI_LOCAL int soothi_probability_rises(const sooth_probability *map) {
    const float *s = soothi_probability_points(map), *p = s + map->points;
    for (uint32_t i = 0; i < map->points; ++i) {
        if (!soothi_probability_number(s[i]) || !(p[i] >= 0.0f && p[i] <= 1.0f)) return 0;
        if (i && (!(s[i] > s[i - 1]) || !(p[i] >= p[i - 1]))) return 0;
    }
    return 1;
}

SOOTH_API int sooth_probability_check(const void *bytes, size_t size) {
    const sooth_probability *map = (const sooth_probability *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_PROBABILITY, SOOTH_PROBABILITY_VERSION) ||
        map->head.size < sizeof *map || map->head.features != 0 || map->head.targets != 1 ||
        map->method >= SOOTH_PROBABILITY_METHODS || map->scores >= SOOTH_PROBABILITY_SCORES ||
        map->reserved[0] || map->reserved[1] ||
        (map->points > 0) != (map->method == SOOTH_PROBABILITY_ISOTONIC) ||
        map->points > (map->head.size - sizeof *map) / 8 ||
        map->head.doubles_at != soothi_round16(sizeof *map + 8 * (size_t)map->points) ||
        map->head.size != map->head.doubles_at)
        return 0;
    return soothi_probability_number(map->slope) && soothi_probability_number(map->centre) &&
           soothi_probability_number(map->intercept) && soothi_probability_rises(map);
}

/* log p / (1 - p), with p limited to 2^-24 from 0 and 1, the resolution of a float near 1. */
SOOTHI_LOCAL float soothi_probability_odds(float p) {
    const float least = 1.0f / 16777216.0f, most = 1.0f - 1.0f / 16777216.0f;
    p = p < least ? least : p > most ? most : p;
    return sooth_log(p / (1.0f - p));
}

/* Interpolates between the last point at or below the score and the next. */
SOOTHI_LOCAL float soothi_probability_between(const sooth_probability *map, float score) {
    const float *s = soothi_probability_points(map), *p = s + map->points;
    uint32_t low = 0, high = map->points; /* at the end s[low] <= score < s[high] */
    if (score <= s[0]) return p[0];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s[middle] <= score) low = middle;
        else high = middle;
    }
    if (high == map->points) return p[low];
    float part = score - s[low], width = s[high] - s[low];
    if (!(width <= FLT_MAX)) { /* the width overflows */
        part = 0.5f * score - 0.5f * s[low];
        width = 0.5f * s[high] - 0.5f * s[low];
    }
    const float value = p[low] + (p[high] - p[low]) * (part / width);
    return value < p[high] ? value : p[high];
}

SOOTH_API float sooth_probability_apply(const sooth_probability *map, float score) {
    if (!(score <= score)) return score;
    if (map->method == SOOTH_PROBABILITY_ISOTONIC) return soothi_probability_between(map, score);
    if (map->scores == SOOTH_PROBABILITY_ODDS) score = soothi_probability_odds(score);
    float v = map->slope * (score - map->centre);
    if (!(v <= v)) v = 0.0f; /* a slope of 0 times infinity */
    return sooth_sigmoid(v + map->intercept);
}

SOOTH_API void sooth_probability_apply_many(const sooth_probability *map, const float *score, size_t n,
                                            float *out) {
    for (size_t i = 0; i < n; ++i) out[i] = sooth_probability_apply(map, score[i]);
}

SOOTH_API sooth_cost sooth_probability_cost(const sooth_probability *map) {
    sooth_cost cost;
    cost.bytes = map->head.size;
    cost.comparisons = 4;
    for (uint32_t points = map->points; points > 1; points -= points / 2) ++cost.comparisons;
    cost.multiply_adds = 4;
    cost.functions = map->points ? 0 : map->scores == SOOTH_PROBABILITY_ODDS ? 2 : 1;
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

SOOTH_API sooth_option_list sooth_probability_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_probability_options, method, "sigmoid|isotonic",
                      "Platt's sigmoid, or any increasing map"),
        SOOTHI_CHOICE(sooth_probability_options, scores, "plain|odds",
                      "scores as they are, or probabilities as their log odds")};
    return SOOTHI_OPTIONS(option);
}

/* The data of a fit. */
typedef struct soothi_probability_rows {
    const float *actual, *score, *weight;
    size_t rows;
    sooth_probability_options o;
} soothi_probability_rows;

SOOTHI_LOCAL double soothi_probability_weight(const soothi_probability_rows *r, size_t i) {
    return r->weight ? (double)r->weight[i] : 1.0;
}

SOOTHI_LOCAL sooth_status soothi_probability_check_rows(sooth_env *env, const soothi_probability_rows *r) {
    if (r->rows == 0 || r->rows > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "there are %z rows, but there must be 1 to 2^31", r->rows);
    sooth_status status = soothi_weights_check(env, r->weight, r->rows);
    for (size_t i = 0; i < r->rows && status == SOOTH_OK; ++i) {
        const double y = (double)r->actual[i], s = (double)r->score[i];
        if (!(soothi_probability_weight(r, i) > 0.0)) continue;
        if (!(y >= 0.0 && y <= 0.0) && !(y >= 1.0 && y <= 1.0))
            status = sooth_fail(env, SOOTH_BAD_DATA, "row %z has the actual value %g, but it must be 0 or 1",
                                i + 1, y);
        else if (!soothi_finite(s))
            status =
                sooth_fail(env, SOOTH_BAD_DATA, "row %z has the score %g, but it must be finite", i + 1, s);
        else if (r->o.scores == SOOTH_PROBABILITY_ODDS && !(s >= 0.0 && s <= 1.0))
            status = sooth_fail(env, SOOTH_BAD_DATA,
                                "row %z has the score %g, but with scores=odds it must be between 0 and 1",
                                i + 1, s);
    }
    return status;
}

/* ---- the sigmoid ---- */

/* Sums over the rows at p = 1 / (1 + e^-(a z + b)), z = (s - centre) / spread: the log loss, its gradient by
   a and b, and its second derivatives. */
typedef struct soothi_probability_sums {
    double loss, ga, gb, aa, ab, bb;
} soothi_probability_sums;

typedef struct soothi_probability_newton {
    const soothi_probability_rows *r;
    double centre, spread;
    double target[2]; /* for a zero and for a one */
} soothi_probability_newton;

/* The score of row i, transformed for the sigmoid. */
SOOTHI_LOCAL double soothi_probability_score(const soothi_probability_rows *r, size_t i) {
    return r->o.scores == SOOTH_PROBABILITY_ODDS ? (double)soothi_probability_odds(r->score[i])
                                                 : (double)r->score[i];
}

SOOTHI_LOCAL soothi_probability_sums soothi_probability_at(const soothi_probability_newton *n, double a,
                                                           double b) {
    soothi_probability_sums all = {0, 0, 0, 0, 0, 0};
    for (size_t begin = 0; begin < n->r->rows; begin += 256) {
        soothi_probability_sums part = {0, 0, 0, 0, 0, 0};
        for (size_t i = begin; i < n->r->rows && i < begin + 256; ++i) {
            const double w = soothi_probability_weight(n->r, i);
            if (!(w > 0.0)) continue;
            const double z = (soothi_probability_score(n->r, i) - n->centre) / n->spread, f = a * z + b;
            const double t = n->target[n->r->actual[i] > 0.5f], e = soothi_exp(-soothi_abs(f));
            const double g = w * ((f < 0.0 ? e : 1.0) / (1.0 + e) - t), h = w * (e / ((1.0 + e) * (1.0 + e)));
            part.loss += w * ((f > 0.0 ? f : 0.0) + soothi_log1p(e) - t * f);
            part.ga += g * z;
            part.gb += g;
            part.aa += h * z * z;
            part.ab += h * z;
            part.bb += h;
        }
        all.loss += part.loss;
        all.ga += part.ga;
        all.gb += part.gb;
        all.aa += part.aa;
        all.ab += part.ab;
        all.bb += part.bb;
    }
    return all;
}

/* Computes the mean of the scores, their maximum distance from it, and the targets of the classes. */
SOOTHI_LOCAL double soothi_probability_look(soothi_probability_newton *n) {
    double weight[2] = {0.0, 0.0}, sum = 0.0;
    for (size_t i = 0; i < n->r->rows; ++i) {
        const double w = soothi_probability_weight(n->r, i);
        if (!(w > 0.0)) continue;
        weight[n->r->actual[i] > 0.5f] += w;
        sum += w * soothi_probability_score(n->r, i);
    }
    n->centre = (double)(float)(sum / (weight[0] + weight[1]));
    n->spread = 0.0;
    for (size_t i = 0; i < n->r->rows; ++i) {
        const double off = soothi_abs(soothi_probability_score(n->r, i) - n->centre);
        if (soothi_probability_weight(n->r, i) > 0.0 && off > n->spread) n->spread = off;
    }
    if (!(n->spread > 0.0)) n->spread = 1.0;
    n->target[0] = 1.0 / (weight[0] + 2.0);
    n->target[1] = (weight[1] + 1.0) / (weight[1] + 2.0);
    return soothi_log((weight[1] + 1.0) / (weight[0] + 1.0)); /* the start of b */
}

/* Newton's method on a convex function of two variables. Each step is halved until it decreases the function
   enough. It ends if a step has no effect on a sum of doubles, or after 100 steps (for weights of very
   different sizes). */
SOOTHI_LOCAL void soothi_probability_sigmoid(const soothi_probability_rows *r, sooth_probability *map) {
    soothi_probability_newton n;
    n.r = r;
    double a = 0.0, b = soothi_probability_look(&n);
    soothi_probability_sums s = soothi_probability_at(&n, a, b);
    for (int step = 0; step < 100; ++step) {
        const double ridge = 1e-12 * (s.aa + s.bb), aa = s.aa + ridge, bb = s.bb + ridge;
        const double det = aa * bb - s.ab * s.ab;
        const double da = -(bb * s.ga - s.ab * s.gb) / det, db = -(aa * s.gb - s.ab * s.ga) / det;
        const double down = s.ga * da + s.gb * db; /* about twice the decrease by the step: below 0 */
        double size = 1.0;
        if (!(down < -1e-13 * s.loss)) break;
        soothi_probability_sums next = soothi_probability_at(&n, a + da, b + db);
        while (!(next.loss < s.loss + 1e-4 * size * down) && size > 1e-10) {
            size *= 0.5;
            next = soothi_probability_at(&n, a + size * da, b + size * db);
        }
        a += size * da;
        b += size * db;
        s = next;
    }
    const double slope = a / n.spread;
    map->slope = slope > (double)FLT_MAX ? FLT_MAX : slope < -(double)FLT_MAX ? -FLT_MAX : (float)slope;
    map->centre = (float)n.centre;
    map->intercept = (float)b;
}

/* ---- isotonic regression ---- */

/* A step: the rows from its first entry on have the weighted mean of their classes in common. */
typedef struct soothi_probability_step {
    double weight, ones;
    float from, to; /* min and max score of the step */
} soothi_probability_step;

/* Pools rows of equal score, then each step with the one before it while the mean does not increase. Works in
   the order of scores; returns the number of steps. */
SOOTHI_LOCAL size_t soothi_probability_pool(const soothi_probability_rows *r, const uint64_t *sorted,
                                            size_t n, soothi_probability_step *step) {
    size_t steps = 0;
    for (size_t i = 0, end; i < n; i = end) {
        soothi_probability_step now = {0.0, 0.0, soothi_key_value(soothi_entry_key(sorted[i])), 0.0f};
        now.to = now.from;
        for (end = i; end < n && soothi_entry_key(sorted[end]) == soothi_entry_key(sorted[i]); ++end) {
            const size_t row = soothi_entry_row(sorted[end]);
            const double w = soothi_probability_weight(r, row);
            now.weight += w;
            now.ones += w * (double)r->actual[row];
        }
        while (steps > 0 && step[steps - 1].ones * now.weight >= now.ones * step[steps - 1].weight) {
            const soothi_probability_step *before = &step[--steps];
            now.weight += before->weight;
            now.ones += before->ones;
            now.from = before->from;
        }
        step[steps++] = now;
    }
    return steps;
}

SOOTHI_LOCAL sooth_status soothi_probability_isotonic(sooth_env *env, const soothi_probability_rows *r,
                                                      sooth_probability **map) {
    const size_t each = 2 * sizeof(uint64_t) + sizeof(soothi_probability_step);
    soothi_probability_step *step = (soothi_probability_step *)sooth_alloc(env, r->rows, each);
    if (!step) return sooth_no_memory(env, "sorting scores", soothi_product(r->rows, each));
    uint64_t *sorted = (uint64_t *)(void *)(step + r->rows);
    size_t n = 0, points = 0;
    for (size_t i = 0; i < r->rows; ++i)
        if (soothi_probability_weight(r, i) > 0.0) sorted[n++] = soothi_entry(r->score[i], i);
    soothi_entry_sort(sorted, sorted + r->rows, n);
    const size_t steps = soothi_probability_pool(r, sorted, n, step);
    for (size_t k = 0; k < steps; ++k) points += step[k].to > step[k].from ? 2 : 1;
    sooth_probability *made = (sooth_probability *)soothi_block_new(
        env, SOOTH_KIND_PROBABILITY, SOOTH_PROBABILITY_VERSION, sizeof *made + 8 * points, 0, 0);
    if (made) {
        float *s = (float *)(void *)(made + 1), *p = s + points;
        made->points = (uint32_t)points;
        for (size_t k = 0; k < steps; ++k)
            for (int end = 0; end < (step[k].to > step[k].from ? 2 : 1); ++end) {
                *s++ = end ? step[k].to : step[k].from;
                *p++ = (float)(step[k].ones / step[k].weight);
            }
        *map = made;
    }
    sooth_free(env, step, r->rows, each);
    return made ? SOOTH_OK : sooth_no_memory(env, "a map of scores", sizeof *made + 8 * points);
}

/* ---- both methods ---- */

SOOTH_API sooth_status sooth_probability_fit(sooth_env *env, const float *actual, const float *score,
                                             const float *weight, size_t rows,
                                             const sooth_probability_options *options,
                                             sooth_probability **map) {
    soothi_probability_rows r = {actual, score, weight, rows, {0, 0}};
    sooth_probability *made = NULL;
    *map = NULL;
    sooth_status status =
        soothi_options_resolve(env, sooth_probability_options_list(), options, sizeof r.o, &r.o);
    if (status == SOOTH_OK) status = soothi_probability_check_rows(env, &r);
    if (status != SOOTH_OK) return status;
    if (r.o.method == SOOTH_PROBABILITY_ISOTONIC) {
        status = soothi_probability_isotonic(env, &r, &made);
    } else {
        made = (sooth_probability *)soothi_block_new(env, SOOTH_KIND_PROBABILITY, SOOTH_PROBABILITY_VERSION,
                                                     sizeof *made, 0, 0);
        if (made) soothi_probability_sigmoid(&r, made);
        else status = sooth_no_memory(env, "a map of scores", sizeof *made);
    }
    if (status != SOOTH_OK) return status;
    made->head.targets = 1;
    made->method = r.o.method;
    made->scores = r.o.scores;
    soothi_block_seal(&made->head);
    *map = made;
    return SOOTH_OK;
}

SOOTH_API void sooth_probability_free(sooth_env *env, sooth_probability *map) {
    soothi_block_free(env, map ? &map->head : NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
