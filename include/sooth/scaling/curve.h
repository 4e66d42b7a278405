/* scaling/curve.h - progress curves: the fraction of full speed that a program keeps on part of a machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A program on all n units of a machine (multiprocessors, cores, ...) makes progress 1. On x units it makes
 * less. The curve is piecewise linear through or near the observations. This is the Proactive Slowdown
 * Predictor, PSP, of Zhao et al., Themis, IPDPS 2019, section VII-A. It also predicts the effect of moving
 * units from one program to another.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/scaling.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         sooth_scaling_curve curve;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_scaling_curve_init(&env, &curve, 80, SOOTH_SCALING_MONOTONE) != SOOTH_OK ||
 *             sooth_scaling_curve_add(&env, &curve, 40, 0.75f) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g\n", sooth_scaling_curve_predict(&curve, 60));  //> 0.875
 *         return 0;
 *     }
 *
 * Cost: a curve is sizeof(sooth_scaling_curve) bytes in the caller's memory. Nothing is allocated.
 */
#ifndef SOOTH_SCALING_CURVE_H
#define SOOTH_SCALING_CURVE_H

SOOTHI_C_BEGIN

#define SOOTH_SCALING_MAX_POINTS 32u

/* A point of a curve. */
typedef struct sooth_scaling_point {
    float x;        /* units of the machine: streaming multiprocessors, cores, ... */
    float observed; /* mean observed progress */
    float weight;   /* observations */
    float y;        /* progress of the curve: `observed`, or as close as the shape allows */
} sooth_scaling_point;

typedef enum sooth_scaling_shape {
    SOOTH_SCALING_FREE = 0, /* through every observation (Themis, eq. 10) */
    /* never falls; exact least squares: pool adjacent violators (Ayer et al. 1955) */
    SOOTH_SCALING_MONOTONE,
    SOOTH_SCALING_CONCAVE /* never falls, with decreasing gains; exact least squares: Wolfe 1976 */
} sooth_scaling_shape;

/* Progress, 0 to 1, of a program on x units of n: linear pieces from (0, 0) over the points to (n, 1). Fill
   with sooth_scaling_curve_init. */
typedef struct sooth_scaling_curve {
    uint32_t count; /* points between the ends, x ascending */
    uint32_t shape;
    float n;
    float reserved;
    sooth_scaling_point point[SOOTH_SCALING_MAX_POINTS];
} sooth_scaling_curve;

/* Returns the progress on x units, with x clamped to 0..n. With one point this is eq. 10. O(log count). */
SOOTH_API float sooth_scaling_curve_predict(const sooth_scaling_curve *curve, float x);

/* Returns the slowdown of a program on m units with unchanged neighbours, from its slowdown on n units. Eq.
   9: SD_m = SD_scal_m SD_inter_n with SD_scal_m = 1 / PG_scal_m and SD_inter_n = SD_n PG_scal_n. It is
   reliable if |m - n| is a few units. */
SOOTH_API float sooth_scaling_curve_slowdown(const sooth_scaling_curve *curve, float n, float slowdown,
                                             float m);

#ifndef SOOTH_PREDICT_ONLY

/* ---- learning ---- */

/* Starts a curve over 0 ... n without points: progress x / n. Returns SOOTH_BAD_ARGUMENT unless n is finite
   and above 0. */
SOOTH_API sooth_status sooth_scaling_curve_init(sooth_env *env, sooth_scaling_curve *curve, float n,
                                                sooth_scaling_shape shape);

/* Inserts an observation on x units, 0 < x < n, and refits the shape. Observations at an equal x are
   averaged. progress is in (0, 1]. x = n is ignored, since progress is 1 there. Returns SOOTH_NO_MEMORY if
   there are already SOOTH_SCALING_MAX_POINTS points. O(count), CONCAVE O(count^3) and 18 KB of stack. */
SOOTH_API sooth_status sooth_scaling_curve_add(sooth_env *env, sooth_scaling_curve *curve, float x,
                                               float progress);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SCALING_CURVE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SCALING_CURVE_IMPLEMENTED)
#define SOOTH_SCALING_CURVE_IMPLEMENTED
SOOTHI_C_BEGIN

/* Points of a curve including its ends: 0 is (0, 0), count + 1 is (n, 1). */
SOOTHI_LOCAL float soothi_scaling_x(const sooth_scaling_curve *curve, uint32_t i) {
    return i == 0 ? 0.0f : i > curve->count ? curve->n : curve->point[i - 1].x;
}
SOOTHI_LOCAL float soothi_scaling_y(const sooth_scaling_curve *curve, uint32_t i) {
    return i == 0 ? 0.0f : i > curve->count ? 1.0f : curve->point[i - 1].y;
}

SOOTH_API float sooth_scaling_curve_predict(const sooth_scaling_curve *curve, float x) {
    uint32_t low = 0, high = curve->count + 1;
    if (!(x > 0.0f)) return 0.0f;
    if (x >= curve->n) return 1.0f;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (soothi_scaling_x(curve, middle) <= x) low = middle;
        else high = middle;
    }
    float left = soothi_scaling_x(curve, low), right = soothi_scaling_x(curve, high);
    float below = soothi_scaling_y(curve, low), above = soothi_scaling_y(curve, high);
    return below + (above - below) * ((x - left) / (right - left));
}

SOOTH_API float sooth_scaling_curve_slowdown(const sooth_scaling_curve *curve, float n, float slowdown,
                                             float m) {
    return slowdown * sooth_scaling_curve_predict(curve, n) / sooth_scaling_curve_predict(curve, m);
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- learning ---- */

SOOTH_API sooth_status sooth_scaling_curve_init(sooth_env *env, sooth_scaling_curve *curve, float n,
                                                sooth_scaling_shape shape) {
    memset(curve, 0, sizeof *curve);
    if (!soothi_scaling_positive(n))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "n is %f, but must be above 0 and finite", (double)n);
    if (shape > SOOTH_SCALING_CONCAVE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "shape is %u, but must be free (0), monotone (1) or concave (2)", shape);
    curve->n = n;
    curve->shape = (uint32_t)shape;
    return SOOTH_OK;
}

/* Merges decreasing neighbours into a block at their mean, then compares backwards until none decreases. */
SOOTHI_LOCAL void soothi_scaling_monotone(sooth_scaling_curve *curve) {
    double mean[SOOTH_SCALING_MAX_POINTS], weight[SOOTH_SCALING_MAX_POINTS];
    uint32_t size[SOOTH_SCALING_MAX_POINTS], blocks = 0, at = 0;
    for (uint32_t i = 0; i < curve->count; ++i) {
        mean[blocks] = (double)curve->point[i].observed;
        weight[blocks] = (double)curve->point[i].weight;
        size[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; --blocks) {
            double w = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] =
                (weight[blocks - 2] * mean[blocks - 2] + weight[blocks - 1] * mean[blocks - 1]) / w;
            weight[blocks - 2] = w;
            size[blocks - 2] += size[blocks - 1];
        }
    }
    for (uint32_t i = 0; i < blocks; ++i)
        for (uint32_t j = 0; j < size[i]; ++j) curve->point[at++].y = (float)mean[i];
}

/* The ramp min(x / x_k, 1) minus the observed progress, at point i. */
SOOTHI_LOCAL double soothi_scaling_ramp(const sooth_scaling_curve *curve, uint32_t k, uint32_t i) {
    double x = (double)curve->point[i].x,
           end = k < curve->count ? (double)curve->point[k].x : (double)curve->n;
    return (x < end ? x / end : 1.0) - (double)curve->point[i].observed;
}

/* A nondecreasing concave curve from (0, 0) to (n, 1) is a mean of ramps min(x / x_k, 1) that end at the
   points and at n. Every mean of ramps is such a curve. So the best curve is the point of a polytope nearest
   to the origin (corners: ramp - seen, times the square root of the weight). Wolfe's method finds it in
   finitely many steps (Finding the nearest point in a polytope, Math. Programming 11, 1976). It computes the
   nearest point of the affine span of some corners. Corners with a negative share leave the set. The corner
   farthest on the origin's side enters it. */
SOOTHI_LOCAL void soothi_scaling_concave(sooth_scaling_curve *curve) {
    enum { CORNERS = SOOTH_SCALING_MAX_POINTS + 1 };
    double gram[CORNERS * CORNERS], system[CORNERS * CORNERS], share[CORNERS], wanted[CORNERS], largest = 0.0;
    uint32_t in[CORNERS], corners = curve->count + 1, used = 1, i;
    for (uint32_t j = 0; j < corners; ++j)
        for (uint32_t k = 0; k <= j; ++k) {
            double sum = 0.0;
            for (i = 0; i < curve->count; ++i)
                sum += (double)curve->point[i].weight * soothi_scaling_ramp(curve, j, i) *
                       soothi_scaling_ramp(curve, k, i);
            gram[j * CORNERS + k] = gram[k * CORNERS + j] = sum;
            if (sum > largest) largest = sum;
        }
    in[0] = 0;
    for (uint32_t j = 1; j < corners; ++j)
        if (gram[j * CORNERS + j] < gram[in[0] * CORNERS + in[0]]) in[0] = j;
    share[0] = 1.0;
    for (uint32_t step = 0; step < 50 * CORNERS; ++step) {
        double length = 0.0, least = 0.0;
        uint32_t best = 0;
        for (uint32_t j = 0; j < corners; ++j) {
            double dot = 0.0;
            for (i = 0; i < used; ++i) dot += share[i] * gram[in[i] * CORNERS + j];
            for (i = 0; i < used; ++i)
                if (in[i] == j) length += share[i] * dot;
            if (j == 0 || dot < least) {
                least = dot;
                best = j;
            }
        }
        if (!(least < length - 1e-14 * largest)) break;
        for (i = 0; i < used && in[i] != best;) ++i;
        if (i < used) break; /* rounding */
        in[used] = best;
        share[used++] = 0.0;
        for (;;) { /* (1 1' + gram) wanted ~ 1, with sum wanted = 1 */
            double sum = 0.0, part = 1.0;
            uint32_t kept = 0, leaves = used;
            for (i = 0; i < used; ++i) {
                wanted[i] = 1.0;
                for (uint32_t j = 0; j < used; ++j)
                    system[i * used + j] = 1.0 + gram[in[i] * CORNERS + in[j]] / largest;
            }
            if (!soothi_cholesky(system, used)) {
                --used; /* the new corner is in the affine span of the others */
                step = 50 * CORNERS;
                break;
            }
            soothi_cholesky_solve(system, used, wanted, wanted);
            for (i = 0; i < used; ++i) sum += wanted[i];
            for (i = 0; i < used; ++i) wanted[i] /= sum;
            for (i = 0; i < used; ++i) /* the step ends at the first share that would become negative */
                if (!(wanted[i] > 0.0) && share[i] / (share[i] - wanted[i]) < part) {
                    part = share[i] / (share[i] - wanted[i]);
                    leaves = i;
                }
            for (i = 0; i < used; ++i) share[i] += part * (wanted[i] - share[i]);
            if (leaves == used) break;
            for (i = 0; i < used; ++i)
                if (i != leaves) {
                    share[kept] = share[i] > 0.0 ? share[i] : 0.0;
                    in[kept++] = in[i];
                }
            used = kept;
        }
    }
    for (i = 0; i < curve->count; ++i) {
        double y = 0.0;
        for (uint32_t j = 0; j < used; ++j)
            y += share[j] * (soothi_scaling_ramp(curve, in[j], i) + (double)curve->point[i].observed);
        curve->point[i].y = (float)y;
    }
}

SOOTH_API sooth_status sooth_scaling_curve_add(sooth_env *env, sooth_scaling_curve *curve, float x,
                                               float progress) {
    sooth_scaling_point *point = curve->point;
    uint32_t at = 0;
    if (!(x > 0.0f) || !(x <= curve->n))
        return sooth_fail(env, SOOTH_BAD_DATA, "x is %f, but must be above 0 and at most %f", (double)x,
                          (double)curve->n);
    if (!soothi_scaling_positive(progress))
        return sooth_fail(env, SOOTH_BAD_DATA, "progress is %f, but must be above 0 and finite",
                          (double)progress);
    if (x >= curve->n) return SOOTH_OK;
    if (progress > 1.0f) progress = 1.0f;
    while (at < curve->count && point[at].x < x) ++at;
    if (at == curve->count || point[at].x > x) {
        if (curve->count == SOOTH_SCALING_MAX_POINTS)
            return sooth_fail(env, SOOTH_NO_MEMORY, "the curve already has %u points, its maximum",
                              curve->count);
        memmove(point + at + 1, point + at, (curve->count - at) * sizeof *point);
        ++curve->count;
        point[at].x = x;
        point[at].observed = point[at].weight = 0.0f;
    }
    point[at].weight += 1.0f;
    point[at].observed += (progress - point[at].observed) / point[at].weight;
    if (curve->shape == SOOTH_SCALING_MONOTONE) soothi_scaling_monotone(curve);
    else if (curve->shape == SOOTH_SCALING_CONCAVE) soothi_scaling_concave(curve);
    else
        for (uint32_t i = 0; i < curve->count; ++i) point[i].y = point[i].observed;
    return SOOTH_OK;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
