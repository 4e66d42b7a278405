/* svr/kernel.h - kernels of svr.h, sixteen vectors at a time, and the arithmetic of its training.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Training and prediction both compute K(v, x) for a row x and groups of sixteen vectors v, with their own
 * exponential. Training adds two passes over all rows per step (Fan, Chen, Lin: Working set selection using
 * second order information, JMLR 6, 2005). Every value is computed in its own lane, so results do not depend
 * on the machine's vector width. This header has no public functions.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/svr.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {-2, -1, 0, 1, 2}, y[] = {4, 1, 0, 1, 4}, at = 1.5f;
 *         const sooth_table table = sooth_table_of(x, y, 5, 1);
 *         sooth_svr_options options = {  // (x v)^2 is all that is needed
 *             .kernel = SOOTH_SVR_POLYNOMIAL, .degree = 2, .gamma = 1, .C = 100, .epsilon = 0.01};
 *         sooth_env env;
 *         sooth_svr *model;
 *         sooth_env_init(&env);
 *         if (sooth_svr_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.1f\n", (double)sooth_svr_predict(model, &at));   //> 2.2
 *         sooth_svr_free(&env, model);
 *         return 0;
 *     }
 *
 * Cost: a kernel of d columns takes 2 d + 9 additions and multiplications, 4 to 16 of them in parallel. A
 * pass reads or writes 44 bytes per position.
 */
#if !defined(SOOTH_SVR_KERNEL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SVR_KERNEL_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_SVR_KERNEL_H
#define SOOTH_SVR_KERNEL_H

#if defined(__AVX__)
#include <immintrin.h>
#endif

SOOTHI_C_BEGIN

#define SOOTH_SVR_LANES 16u /* vectors per group, stored side by side */

typedef enum sooth_svr_kernel {
    SOOTH_SVR_RBF = 0,    /* exp(-gamma |v - x|^2) */
    SOOTH_SVR_LINEAR,     /* v'x; the model is one weight vector */
    SOOTH_SVR_POLYNOMIAL, /* (gamma v'x + coef0)^degree */
    SOOTH_SVR_SIGMOID,    /* tanh(gamma v'x + coef0) */
    SOOTH_SVR_CALLBACK,   /* options.kernel_fn */
    SOOTH_SVR_KERNELS
} sooth_svr_kernel;

/* A user-supplied kernel. It must be symmetric, finite, and deterministic. It is called from one thread. */
typedef float sooth_svr_kernel_fn(void *user, const float *a, const float *b, size_t features);

SOOTHI_C_END
#endif /* SOOTH_SVR_KERNEL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SVR_KERNEL_IMPLEMENTED)
#define SOOTH_SVR_KERNEL_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns the index of element j of vector k of `cols` columns, and the number of groups that hold n
   vectors. */
SOOTHI_LOCAL size_t soothi_svr_place(size_t k, size_t j, size_t cols) {
    return (k / SOOTH_SVR_LANES * cols + j) * SOOTH_SVR_LANES + k % SOOTH_SVR_LANES;
}
SOOTHI_LOCAL size_t soothi_svr_groups(size_t n) { return (n + SOOTH_SVR_LANES - 1) / SOOTH_SVR_LANES; }

/* ---- machine-wide vectors: every lane has its own sum, so results do not depend on the width ---- */

enum { SOOTHI_SVR_VECTORS = (int)(SOOTH_SVR_LANES / SOOTHI_WIDE) };

#if SOOTHI_VECTORS
typedef uint32_t soothi_svr_bits __attribute__((vector_size(4 * SOOTHI_WIDE)));
/* p 2^n, where n is in the low bits of whole + n */
SOOTHI_LOCAL soothi_wide soothi_svr_power(soothi_wide p, soothi_wide n) {
    return (soothi_wide)((soothi_svr_bits)p + ((soothi_svr_bits)n << 23));
}
#else
SOOTHI_LOCAL soothi_wide soothi_svr_power(soothi_wide p, soothi_wide n) {
    return soothi_of_bits(soothi_bits(p) + (soothi_bits(n) << 23));
}
#endif

/* a > b ? a : b */
SOOTHI_LOCAL soothi_wide soothi_svr_most(soothi_wide a, soothi_wide b) {
#if SOOTHI_VECTORS && defined(__AVX512F__)
    return (soothi_wide)_mm512_max_ps((__m512)a, (__m512)b);
#elif SOOTHI_VECTORS && defined(__AVX__)
    return (soothi_wide)_mm256_max_ps((__m256)a, (__m256)b);
#elif SOOTHI_VECTORS && defined(__SSE2__)
    return (soothi_wide)_mm_max_ps((__m128)a, (__m128)b);
#elif SOOTHI_VECTORS
    soothi_svr_bits above = (soothi_svr_bits)(a > b);
    return (soothi_wide)(((soothi_svr_bits)a & above) | ((soothi_svr_bits)b & ~above));
#else
    return a > b ? a : b;
#endif
}

/* 2^t for t <= 0, relative error at most 1.8e-7; 2^-125 below -125. t = n + f with |f| <= 1/2, and 2^f = 1 +
   f P(f). P is a minimax polynomial of degree 4 (error 0.93e-7), evaluated in an order of low latency: f^2
   first, then pairs. 2^0 is exactly 1. */
SOOTHI_LOCAL soothi_wide soothi_svr_exp2(soothi_wide t) {
    const soothi_wide whole = soothi_wide_splat(12582912.0f);
    t = soothi_svr_most(t, soothi_wide_splat(-125.0f));
    soothi_wide n = t + whole;
    soothi_wide f = t - (n - whole);
    soothi_wide g = f * f;
    soothi_wide p = f * soothi_wide_splat(0.00132695213f) + soothi_wide_splat(0.00967129134f);
    p = p * g + (f * soothi_wide_splat(0.0555071086f) + soothi_wide_splat(0.240222469f));
    p = (p * g + f * soothi_wide_splat(0.693147004f)) + soothi_wide_splat(1.0f);
    return soothi_svr_power(p, n);
}

/* ---- kernels ---- */

typedef struct soothi_svr_kernel {
    uint32_t kind, degree;
    float slope, coef0;
    size_t cols;
} soothi_svr_kernel;

/* out: a sum over the columns, of a row x with each of the sixteen vectors v of a group. Each lane adds its
   columns in order. TERM: the contribution of elements v and x of a column. */
#define SOOTHI_SVR_SUMS(name, TERM)                                                         \
    SOOTHI_LOCAL void name(const float *row, const float *group, size_t cols, float *out) { \
        soothi_wide sum[SOOTHI_SVR_VECTORS];                                                \
        SOOTHI_UNROLL                                                                       \
        for (int k = 0; k < SOOTHI_SVR_VECTORS; ++k) sum[k] = soothi_wide_splat(0.0f);      \
        for (size_t j = 0; j < cols; ++j, group += SOOTH_SVR_LANES) {                       \
            const soothi_wide x = soothi_wide_splat(row[j]);                                \
            SOOTHI_UNROLL                                                                   \
            for (int k = 0; k < SOOTHI_SVR_VECTORS; ++k) {                                  \
                const soothi_wide v = soothi_wide_load(group + (size_t)k * SOOTHI_WIDE);    \
                sum[k] = sum[k] + (TERM);                                                   \
            }                                                                               \
        }                                                                                   \
        memcpy(out, sum, sizeof sum);                                                       \
    }
SOOTHI_SVR_SUMS(soothi_svr_distances, (v - x) * (v - x))
SOOTHI_SVR_SUMS(soothi_svr_dots, v *x)
#undef SOOTHI_SVR_SUMS

SOOTHI_LOCAL float soothi_svr_curve(const soothi_svr_kernel *k, float dot) {
    float base = k->slope * dot + k->coef0, p = 1.0f;
    if (k->kind == SOOTH_SVR_LINEAR) return dot;
    if (k->kind == SOOTH_SVR_SIGMOID) return soothi_tanh_f(base);
    for (uint32_t e = k->degree; e; e >>= 1, base = base * base)
        if (e & 1u) p = p * base;
    return p;
}

/* out[16 groups] = the kernel of a row with `groups` groups of vectors. All distances or products come first,
   then all curves. Group by group, the exponentials would wait for each other. */
SOOTHI_LOCAL void soothi_svr_values(const soothi_svr_kernel *k, const float *row, const float *group,
                                    size_t groups, float *out) {
    const soothi_wide slope = soothi_wide_splat(k->slope);
    const size_t count = SOOTH_SVR_LANES * groups;
    const int rbf = k->kind == SOOTH_SVR_RBF;
    for (size_t i = 0; i < count; i += SOOTH_SVR_LANES)
        (rbf ? soothi_svr_distances : soothi_svr_dots)(row, group + i * k->cols, k->cols, out + i);
    for (size_t i = 0; !rbf && i < count; ++i) out[i] = soothi_svr_curve(k, out[i]);
    for (size_t i = 0; rbf && i < count; i += SOOTHI_WIDE) {
        const soothi_wide value = soothi_svr_exp2(soothi_wide_load(out + i) * slope);
        memcpy(out + i, &value, sizeof value);
    }
}

#ifndef SOOTH_PREDICT_ONLY

/* Returns the kernel in double, given the squared distance (RBF) or the product of two rows. */
SOOTHI_LOCAL double soothi_svr_exact_curve(const soothi_svr_kernel *k, double gamma_value, double coef0,
                                           double sum) {
    double base = gamma_value * sum + coef0, p = 1.0;
    if (k->kind == SOOTH_SVR_RBF) return soothi_exp(-gamma_value * sum);
    if (k->kind == SOOTH_SVR_LINEAR) return sum;
    if (k->kind == SOOTH_SVR_SIGMOID) { /* tanh u = (e^2u - 1) / (e^2u + 1) */
        p = soothi_expm1(2.0 * (base > 20.0 ? 20.0 : base < -20.0 ? -20.0 : base));
        return p / (p + 2.0);
    }
    for (uint32_t e = k->degree; e; e >>= 1, base = base * base)
        if (e & 1u) p = p * base;
    return p;
}

/* ---- the two passes of a step ---- */

#if SOOTHI_VECTORS
enum { SOOTHI_SVR_HALF = (int)SOOTHI_WIDE / 2 };
typedef double soothi_svr_double __attribute__((vector_size(4 * SOOTHI_WIDE)));
#if defined(__SSE2__) && !defined(__AVX__) /* gcc 12 converts such short vectors one by one */
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) {
    return (soothi_svr_double)_mm_cvtps_pd(_mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)p));
}
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) {
    _mm_storel_pi((__m64 *)(void *)p, _mm_cvtpd_ps((__m128d)d));
}
#else
typedef float soothi_svr_narrow __attribute__((vector_size(2 * SOOTHI_WIDE)));
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) {
    soothi_svr_narrow v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, soothi_svr_double);
}
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) {
    soothi_svr_narrow v = __builtin_convertvector(d, soothi_svr_narrow);
    memcpy(p, &v, sizeof v);
}
#endif
#else
enum { SOOTHI_SVR_HALF = 1 };
typedef double soothi_svr_double;
SOOTHI_LOCAL soothi_svr_double soothi_svr_wider(const float *p) { return (double)*p; }
SOOTHI_LOCAL void soothi_svr_narrower(float *p, soothi_svr_double d) { *p = (float)d; }
#endif
SOOTHI_LOCAL soothi_svr_double soothi_svr_load(const double *p) {
    soothi_svr_double v;
    memcpy(&v, p, sizeof v);
    return v;
}
SOOTHI_LOCAL soothi_svr_double soothi_svr_splat(double v) {
    const soothi_svr_double zero = {0};
    return v - zero; /* one broadcast, independent of -mtune */
}
/* a < b ? a : b */
SOOTHI_LOCAL soothi_svr_double soothi_svr_least(soothi_svr_double a, soothi_svr_double b) {
#if SOOTHI_VECTORS && defined(__AVX512F__)
    return (soothi_svr_double)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif SOOTHI_VECTORS && defined(__AVX__)
    return (soothi_svr_double)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif SOOTHI_VECTORS && defined(__SSE2__)
    return (soothi_svr_double)_mm_min_pd((__m128d)a, (__m128d)b);
#elif SOOTHI_VECTORS
    typedef int64_t bits __attribute__((vector_size(4 * SOOTHI_WIDE)));
    bits below = (bits)(a < b);
    return (soothi_svr_double)(((bits)a & below) | ((bits)b & ~below));
#else
    return a < b ? a : b;
#endif
}

enum { SOOTHI_SVR_STRIP = 128 }; /* positions between two checks of the best so far */

/* F += t (K_i - K_j). Updates fall = F + down - centre, and finds the first position with minimal F + up. */
SOOTHI_LOCAL double soothi_svr_descend(double *SOOTH_RESTRICT slope, const double *SOOTH_RESTRICT up,
                                       const double *SOOTH_RESTRICT down, float *SOOTH_RESTRICT fall,
                                       const float *SOOTH_RESTRICT ki, const float *SOOTH_RESTRICT kj,
                                       double t, double centre, size_t n, size_t *at) {
    const soothi_svr_double step = soothi_svr_splat(t), middle = soothi_svr_splat(centre);
    double least = SOOTHI_INFINITE, all[SOOTHI_SVR_HALF];
    size_t i, end, strip = 0;
    for (size_t from = 0; from < n; from = end) {
        soothi_svr_double best = soothi_svr_splat(SOOTHI_INFINITE), best2 = best, f, f2;
        end = n - from < SOOTHI_SVR_STRIP ? n : from + SOOTHI_SVR_STRIP;
        for (i = from; i < end; i += 2 * SOOTHI_SVR_HALF) {
            f = soothi_svr_load(slope + i) + step * (soothi_svr_wider(ki + i) - soothi_svr_wider(kj + i));
            f2 = soothi_svr_load(slope + i + SOOTHI_SVR_HALF) +
                 step * (soothi_svr_wider(ki + i + SOOTHI_SVR_HALF) -
                         soothi_svr_wider(kj + i + SOOTHI_SVR_HALF));
            memcpy(slope + i, &f, sizeof f);
            memcpy(slope + i + SOOTHI_SVR_HALF, &f2, sizeof f);
            best = soothi_svr_least(f + soothi_svr_load(up + i), best);
            best2 = soothi_svr_least(f2 + soothi_svr_load(up + i + SOOTHI_SVR_HALF), best2);
            soothi_svr_narrower(fall + i, f + soothi_svr_load(down + i) - middle);
            soothi_svr_narrower(fall + i + SOOTHI_SVR_HALF,
                                f2 + soothi_svr_load(down + i + SOOTHI_SVR_HALF) - middle);
        }
        best = soothi_svr_least(best, best2);
        memcpy(all, &best, sizeof all);
        for (int k = 0; k < SOOTHI_SVR_HALF; ++k)
            if (all[k] < least) {
                least = all[k];
                strip = from;
            }
    }
    for (i = strip; i + 1 < n && slope[i] + up[i] > least;) ++i;
    *at = i;
    return least;
}

/* The gain (F_j + down_j - F_i - up_i)^2 / (K_ii + K_jj - 2 K_ij) of moving i and j: twice the decrease of
   the objective. */
SOOTHI_LOCAL soothi_wide soothi_svr_gain(soothi_wide fall, soothi_wide k, soothi_wide diagonal,
                                         soothi_wide rise, soothi_wide own) {
    const soothi_wide d = soothi_svr_most(fall - rise, soothi_wide_splat(0.0f));
    return d * d / soothi_svr_most((diagonal + own) - (k + k), soothi_wide_splat(1e-12f));
}

/* Finds the first position j of maximal gain with i, and the largest fall. */
SOOTHI_LOCAL float soothi_svr_partner(const float *SOOTH_RESTRICT fall, const float *SOOTH_RESTRICT k,
                                      const float *SOOTH_RESTRICT diagonal, float rise, float own, size_t n,
                                      size_t *at, float *largest) {
    const soothi_wide u = soothi_wide_splat(rise), o = soothi_wide_splat(own);
    soothi_wide top = soothi_wide_splat(-FLT_MAX);
    float most = 0.0f, all[SOOTHI_WIDE], gain[SOOTHI_WIDE];
    size_t i, end, strip = n;
    for (size_t from = 0; from < n; from = end) {
        soothi_wide best = soothi_wide_splat(0.0f);
        end = n - from < SOOTHI_SVR_STRIP ? n : from + SOOTHI_SVR_STRIP;
        for (i = from; i < end; i += SOOTHI_WIDE) {
            const soothi_wide f = soothi_wide_load(fall + i);
            best = soothi_svr_most(
                soothi_svr_gain(f, soothi_wide_load(k + i), soothi_wide_load(diagonal + i), u, o), best);
            top = soothi_svr_most(f, top);
        }
        memcpy(all, &best, sizeof all);
        for (unsigned l = 0; l < SOOTHI_WIDE; ++l)
            if (all[l] > most) {
                most = all[l];
                strip = from;
            }
    }
    memcpy(all, &top, sizeof all);
    *largest = all[0];
    for (unsigned l = 1; l < SOOTHI_WIDE; ++l)
        if (all[l] > *largest) *largest = all[l];
    for (*at = n, i = strip; i < n && *at == n; i += SOOTHI_WIDE) {
        const soothi_wide g = soothi_svr_gain(soothi_wide_load(fall + i), soothi_wide_load(k + i),
                                              soothi_wide_load(diagonal + i), u, o);
        memcpy(gain, &g, sizeof gain);
        for (unsigned l = 0; l < SOOTHI_WIDE && *at == n; ++l)
            if (gain[l] >= most) *at = i + l;
    }
    return most;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
