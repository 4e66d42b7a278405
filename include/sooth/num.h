/* num.h - the arithmetic of sooth: exp, log, tanh and their kin, sums in a fixed order, small matrix products, distributions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A math library gives other last bits on every system. These functions use only + - * / and integers, so they give the same
 * bits on every machine (built with -ffp-contract=off); they need no library, and loops over them vectorise.
 *
 *     float p[3] = {-1, 0, 1};
 *     sooth_exp_many(p, 3, p);                  0.36787945, 1, 2.7182817
 *     float t = sooth_tanh(0.5f);               0.46211717
 *
 * Largest errors, found by trying every float (ulp: units in the last place of the result):
 *     sooth_exp @@EXP@@   sooth_expm1 @@EXPM1@@   sooth_log @@LOG@@   sooth_log1p @@LOG1P@@   sooth_tanh @@TANH@@
 *
 * Costs: no allocation, no state; about 10 to 20 operations a value. Everything that stands here with float is also in SOOTH_PREDICT_ONLY builds.
 */
#include "base.h"

#ifndef SOOTH_NUM_H
#define SOOTH_NUM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Specials as in C's library: exp(-inf) = 0, log(0) = -inf, log of a negative number is NaN, NaN stays NaN. */
SOOTH_API float sooth_exp(float x);
SOOTH_API float sooth_expm1(float x); /* exp(x) - 1, exact near 0 */
SOOTH_API float sooth_log(float x);
SOOTH_API float sooth_log1p(float x); /* log(1 + x), exact near 0 */
SOOTH_API float sooth_tanh(float x);

/* The same for arrays: out[i] = f(x[i]); out may be x. */
SOOTH_API void sooth_exp_many(const float *x, size_t count, float *out);
SOOTH_API void sooth_log_many(const float *x, size_t count, float *out);
SOOTH_API void sooth_tanh_many(const float *x, size_t count, float *out);

/* c (m x n) = a (m x k) times b (k x n), or c plus that when `add` is not 0. Row-major; the strides are floats from row to row. Every
   element is summed in the order of k, one product at a time: the same bits as the textbook's three loops. */
SOOTH_API void sooth_gemm(size_t m, size_t n, size_t k, const float *a, size_t a_stride, const float *b, size_t b_stride, int add,
                          float *c, size_t c_stride);

/* A standard normal variate, by Marsaglia's polar method. */
SOOTH_API double sooth_rng_normal(sooth_rng *rng);

/* Student's t with df > 0 degrees of freedom: P(T <= t), and the t with P(T <= t) = p for 0 < p < 1. */
SOOTH_API double sooth_t_cdf(double t, double df);
SOOTH_API double sooth_t_quantile(double p, double df);

/* P(F <= f) of the F distribution. */
SOOTH_API double sooth_f_cdf(double f, double df1, double df2);

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_NUM_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_NUM_IMPLEMENTED)
#define SOOTH_NUM_IMPLEMENTED
#if !defined(SOOTH_PREDICT_ONLY) && defined(__SSE2__)
#  include <emmintrin.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- float functions ---- */

SOOTHI_INLINE float soothi_float(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* 2^n for -126 <= n <= 127 */
SOOTHI_INLINE float soothi_two_to(int32_t n) { return soothi_float((uint32_t)(n + 127) << 23); }

/* x = n log 2 + r with |r| <= 0.35. The first part of log 2 has 9 bits, so n times it is exact. x must lie within +-110. */
SOOTHI_INLINE float soothi_reduce(float x, int32_t *n) {
    float half = x < 0.0f ? -0.5f : 0.5f;
    float whole;
    *n = (int32_t)(x * 1.44269504f + half);
    whole = (float)*n;
    return (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
}

/* exp(r) - 1 for |r| <= 0.35: Taylor to r^7; the next term is below 0.1 ulp. */
SOOTHI_INLINE float soothi_expm1_small(float r) {
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    return p * (r * r) + r;
}

SOOTH_API float sooth_exp(float x) {
    int32_t n, half;
    float bounded = x > -105.0f ? (x < 90.0f ? x : 90.0f) : -105.0f; /* 0 and infinity lie inside; NaN becomes -105 for now */
    float p = soothi_expm1_small(soothi_reduce(bounded, &n)) + 1.0f;
    half = n / 2; /* in two steps, so that results that have few bits are rounded once and large ones do not overflow early */
    p = p * soothi_two_to(half) * soothi_two_to(n - half);
    return x <= 90.0f || x > 90.0f ? p : x;
}

/* With exp(r) - 1 = p: 2^n (1 + p) - 1 = 2^n p + (2^n - 1), halved on the way against overflow. */
SOOTH_API float sooth_expm1(float x) {
    int32_t n;
    float bounded = x > -20.0f ? (x < 89.0f ? x : 89.0f) : -20.0f;
    float p = soothi_expm1_small(soothi_reduce(bounded, &n)), scale = soothi_two_to(n - 1);
    float v = (scale * p + (scale - 0.5f)) * 2.0f;
    v = n == 0 ? p : v;
    v = x < 1e-8f && x > -1e-8f ? x : v;
    return x <= 90.0f || x > 90.0f ? v : x;
}

/* log(2^e m) + c for sqrt(1/2) <= m < sqrt(2): with s = f / (2 + f), f = m - 1,
   log(1 + f) = 2 atanh(s) = 2 s + 2/3 s^3 + 2/5 s^5 + ...; |s| <= 0.172, cut after s^9. Written as f - f s + s (2/3 s^2 + ...),
   which keeps the leading f exact. c is small against 1. */
SOOTHI_INLINE float soothi_log_parts(float m, int32_t e, float c) {
    float f = m - 1.0f, s = f / (2.0f + f), z = s * s, whole = (float)e;
    float p = 2.0f / 9;
    p = p * z + 2.0f / 7;
    p = p * z + 2.0f / 5;
    p = p * z + 2.0f / 3;
    p = s * (p * z);
    return whole * 0.693359375f + (f - (s * f - (p + (whole * -2.12194440e-4f + c))));
}

/* The 2^e and m of a positive normal float. */
SOOTHI_INLINE float soothi_split(float x, int32_t *e) {
    uint32_t bits = soothi_bits(x) - 0x3F3504F3u; /* sqrt(1/2) */
    *e = (int32_t)bits >> 23;
    return soothi_float((bits & 0x007FFFFFu) + 0x3F3504F3u);
}

SOOTH_API float sooth_log(float x) {
    int32_t e;
    int tiny = x < 1.17549435e-38f;
    float m = soothi_split(tiny ? x * 8388608.0f : x, &e);
    float v = soothi_log_parts(m, tiny ? e - 23 : e, 0.0f);
    v = x > 3.4028235e38f ? x : v;
    v = x <= 0.0f && x >= 0.0f ? -soothi_float(0x7F800000u) : v;
    return x >= 0.0f ? v : soothi_float(0x7FC00000u);
}

/* u = 1 + x rounded; log(1 + x) = log(u) + log(1 + (1 + x - u) / u), and the last is its argument to first order. */
SOOTH_API float sooth_log1p(float x) {
    int32_t e;
    float u = 1.0f + x, lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
    float m = soothi_split(u, &e), v;
    v = soothi_log_parts(m, e, lost / u);
    v = x < 1e-8f && x > -1e-8f ? x : v;
    v = x > 3.4028235e38f ? x : v;
    v = x <= -1.0f && x >= -1.0f ? -soothi_float(0x7F800000u) : v;
    return x >= -1.0f ? v : soothi_float(0x7FC00000u);
}

/* tanh |x| = t / (t + 2) with t = exp(2 |x|) - 1, which is 1 to the last bit from 9.02 on; below 0.4, where rounding t would
   show, Taylor to x^15: coefficients -1/3, 2/15, -17/315, 62/2835, -1382/155925, 21844/6081075, -929569/638512875. */
SOOTH_API float sooth_tanh(float x) {
    float a = x < 0.0f ? -x : x, t = sooth_expm1(2.0f * (a < 10.0f ? a : 10.0f)), v = t / (t + 2.0f), z = a * a;
    float p = -1.4558343e-3f;
    p = p * z + 21844.0f / 6081075;
    p = p * z - 1382.0f / 155925;
    p = p * z + 62.0f / 2835;
    p = p * z - 17.0f / 315;
    p = p * z + 2.0f / 15;
    p = p * z - 1.0f / 3;
    v = a < 0.4f ? p * z * a + a : v;
    v = x < 0.0f ? -v : v;
    return a >= 0.0f ? v : x;
}

SOOTH_API void sooth_exp_many(const float *x, size_t count, float *out) {
    size_t i;
    for (i = 0; i < count; ++i) out[i] = sooth_exp(x[i]);
}

SOOTH_API void sooth_log_many(const float *x, size_t count, float *out) {
    size_t i;
    for (i = 0; i < count; ++i) out[i] = sooth_log(x[i]);
}

SOOTH_API void sooth_tanh_many(const float *x, size_t count, float *out) {
    size_t i;
    for (i = 0; i < count; ++i) out[i] = sooth_tanh(x[i]);
}

/* ---- sums in a fixed order ---- */

/* Lane k adds up the products i = k, k + 8, k + 16, ...; the lanes are then added in pairs. The order does not depend on how
   wide the machine's vectors are. */
SOOTHI_INLINE float soothi_dot(const float *a, const float *b, size_t count) {
    float lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t i, k;
    for (i = 0; i + 8 <= count; i += 8)
        for (k = 0; k < 8; ++k) lane[k] += a[i + k] * b[i + k];
    for (k = 0; i + k < count; ++k) lane[k] += a[i + k] * b[i + k];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

SOOTHI_INLINE double soothi_dot_d(const double *a, const double *b, size_t count) {
    double lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t i, k;
    for (i = 0; i + 8 <= count; i += 8)
        for (k = 0; k < 8; ++k) lane[k] += a[i + k] * b[i + k];
    for (k = 0; i + k < count; ++k) lane[k] += a[i + k] * b[i + k];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* y = y + f x */
SOOTHI_INLINE void soothi_axpy(float f, const float *SOOTHI_RESTRICT x, size_t count, float *SOOTHI_RESTRICT y) {
    size_t i;
    for (i = 0; i < count; ++i) y[i] += f * x[i];
}

SOOTHI_INLINE void soothi_axpy_d(double f, const double *SOOTHI_RESTRICT x, size_t count, double *SOOTHI_RESTRICT y) {
    size_t i;
    for (i = 0; i < count; ++i) y[i] += f * x[i];
}

/* ---- matrix product ---- */

/* One tile of c: 4 rows, up to 16 columns, kept in registers while k runs. */
SOOTHI_INLINE void soothi_gemm_tile(size_t rows, size_t cols, size_t k, const float *a, size_t a_stride, const float *b,
                                    size_t b_stride, int add, float *c, size_t c_stride) {
    float sum[4][16];
    size_t r, j, p;
    for (r = 0; r < 4; ++r)
        for (j = 0; j < 16; ++j) sum[r][j] = add && r < rows && j < cols ? c[r * c_stride + j] : 0.0f;
    if (rows == 4 && cols == 16) {
        for (p = 0; p < k; ++p)
            for (r = 0; r < 4; ++r)
                for (j = 0; j < 16; ++j) sum[r][j] += a[r * a_stride + p] * b[p * b_stride + j];
    } else {
        for (p = 0; p < k; ++p)
            for (r = 0; r < rows; ++r)
                for (j = 0; j < cols; ++j) sum[r][j] += a[r * a_stride + p] * b[p * b_stride + j];
    }
    for (r = 0; r < rows; ++r)
        for (j = 0; j < cols; ++j) c[r * c_stride + j] = sum[r][j];
}

SOOTH_API void sooth_gemm(size_t m, size_t n, size_t k, const float *a, size_t a_stride, const float *b, size_t b_stride, int add,
                          float *c, size_t c_stride) {
    size_t i, j;
    for (j = 0; j < n; j += 16)
        for (i = 0; i < m; i += 4)
            soothi_gemm_tile(m - i < 4 ? m - i : 4, n - j < 16 ? n - j : 16, k, a + i * a_stride, a_stride, b + j, b_stride, add,
                             c + i * c_stride + j, c_stride);
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- double functions, for statistics and for targets ---- */

/* The square root, correctly rounded as IEEE 754 asks, by the schoolbook method in base 2: one bit of the result a step. */
SOOTHI_INLINE double soothi_sqrt_by_hand(double x) {
    uint64_t bits, m, root = 0, rest = 0, bit;
    int e, k;
    if (!(x > 0.0)) return x < 0.0 ? (x - x) / (x - x) : x;
    if (!soothi_finite(x)) return x;
    e = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0; /* 2^54 */
        e = -54;
    }
    memcpy(&bits, &x, sizeof bits);
    e += (int)(bits >> 52) - 1023;
    m = (bits & 0xFFFFFFFFFFFFFull) | 0x10000000000000ull;
    if (e & 1) {
        m <<= 1;
        --e;
    }
    /* m has 53 or 54 bits; its root with 54 bits and a remainder */
    for (k = 0; k < 54; ++k) {
        bit = k < 27 ? (m >> (52 - 2 * k)) & 3 : 0;
        rest = rest << 2 | bit;
        root <<= 1;
        if (rest >= (root << 1 | 1)) {
            rest -= root << 1 | 1;
            root |= 1;
        }
    }
    root = (root >> 1) + (root & 1); /* a root is never half way between two doubles */
    bits = root + ((uint64_t)(e / 2 + 1022) << 52);
    memcpy(&x, &bits, sizeof x);
    return x;
}

SOOTHI_INLINE double soothi_sqrt(double x) {
#if defined(__SSE2__)
    __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
#else
    return soothi_sqrt_by_hand(x);
#endif
}

SOOTHI_INLINE double soothi_abs(double x) { return x < 0.0 ? -x : x; }

/* 2^n for -1022 <= n <= 1023 */
SOOTHI_INLINE double soothi_two_to_d(int n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* As soothi_reduce and soothi_expm1_small, with Taylor to r^14. x must lie within +-800. */
SOOTHI_INLINE double soothi_expm1_part(double x, int *n) {
    double r, p = 1.0 / 87178291200.0, f = 87178291200.0;
    int k;
    *n = (int)(x * 1.4426950408889634 + (x < 0.0 ? -0.5 : 0.5));
    r = (x - *n * 6.93147180369123816490e-01) - *n * 1.90821492927058770002e-10;
    for (k = 14; k > 2; --k) {
        f /= k;
        p = p * r + 1.0 / f;
    }
    return p * (r * r) + r;
}

SOOTHI_INLINE double soothi_exp(double x) {
    int n, half;
    double p;
    if (!(x > -750.0)) return x <= -750.0 ? 0.0 : x;
    p = soothi_expm1_part(x < 710.0 ? x : 710.0, &n) + 1.0;
    half = n / 2;
    return p * soothi_two_to_d(half) * soothi_two_to_d(n - half);
}

SOOTHI_INLINE double soothi_expm1(double x) {
    int n;
    double p, scale;
    if (soothi_abs(x) < 1e-17 || soothi_nan(x)) return x;
    p = soothi_expm1_part(x > -50.0 ? (x < 710.0 ? x : 710.0) : -50.0, &n);
    if (n == 0) return p;
    scale = soothi_two_to_d(n - 1);
    return (scale * p + (scale - 0.5)) * 2.0;
}

/* log(x) + c, see soothi_log_parts; |s| <= 0.172, cut after s^23. */
SOOTHI_INLINE double soothi_log_plus(double x, double c) {
    uint64_t bits;
    double f, s, z, p = 2.0 / 23, e;
    int k, exponent = 0;
    if (!(x > 0.0)) return x < 0.0 || soothi_nan(x) ? (x - x) / (x - x) : -1.0 / (x * x);
    if (!soothi_finite(x)) return x;
    if (x < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        exponent = -54;
    }
    memcpy(&bits, &x, sizeof bits);
    bits -= 0x3FE6A09E667F3BCDull;
    exponent += (int)((int64_t)bits >> 52);
    bits = (bits & 0xFFFFFFFFFFFFFull) + 0x3FE6A09E667F3BCDull;
    memcpy(&f, &bits, sizeof f);
    f -= 1.0;
    s = f / (2.0 + f);
    z = s * s;
    for (k = 21; k >= 3; k -= 2) p = p * z + 2.0 / k;
    p = s * (p * z);
    e = (double)exponent;
    return e * 6.93147180369123816490e-01 + (f - (s * f - (p + (e * 1.90821492927058770002e-10 + c))));
}

SOOTHI_INLINE double soothi_log(double x) { return soothi_log_plus(x, 0.0); }

SOOTHI_INLINE double soothi_log1p(double x) {
    double u = 1.0 + x, lost;
    if (soothi_abs(x) < 1e-17 || !(x > -1.0) || !soothi_finite(x)) return soothi_abs(x) < 1e-17 ? x : soothi_log(u);
    lost = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    return soothi_log_plus(u, lost / u);
}

SOOTH_API double sooth_rng_normal(sooth_rng *rng) {
    double u, v, s;
    do {
        u = 2.0 * sooth_rng_double(rng) - 1.0;
        v = 2.0 * sooth_rng_double(rng) - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s <= 0.0);
    return u * soothi_sqrt(-2.0 * soothi_log(s) / s);
}

/* ---- distributions ---- */

/* log Gamma(x) for x > 0: Stirling's series from 12 on, brought there by Gamma(x + 1) = x Gamma(x). */
SOOTHI_INLINE double soothi_log_gamma(double x) {
    double product = 1.0, z;
    while (x < 12.0) product *= x++;
    z = 1.0 / (x * x);
    return (x - 0.5) * soothi_log(x) - x + 0.91893853320467274178 - soothi_log(product) +
           (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * 691.0 / 360360))))) / x;
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's method. */
SOOTHI_INLINE double soothi_beta_fraction(double a, double b, double x) {
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), value, step;
    int m;
    d = 1.0 / (soothi_abs(d) < 1e-300 ? 1e-300 : d);
    value = d;
    for (m = 1; m < 10000; ++m) {
        int odd;
        step = 1.0;
        for (odd = 0; odd < 2; ++odd) {
            double t = odd ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
                           : m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
            d = 1.0 + t * d;
            c = 1.0 + t / c;
            d = 1.0 / (soothi_abs(d) < 1e-300 ? 1e-300 : d);
            c = soothi_abs(c) < 1e-300 ? 1e-300 : c;
            step = c * d;
            value *= step;
        }
        if (soothi_abs(step - 1.0) < 1e-16) break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b); y = 1 - x, given apart so that it keeps its digits. */
SOOTHI_INLINE double soothi_beta(double a, double b, double x, double y) {
    double front;
    if (x <= 0.0) return 0.0;
    if (y <= 0.0) return 1.0;
    front = soothi_exp(soothi_log_gamma(a + b) - soothi_log_gamma(a) - soothi_log_gamma(b) + a * soothi_log(x) + b * soothi_log(y));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * soothi_beta_fraction(a, b, x) / a;
    return 1.0 - front * soothi_beta_fraction(b, a, y) / b;
}

SOOTH_API double sooth_t_cdf(double t, double df) {
    double tail = 0.5 * soothi_beta(0.5 * df, 0.5, df / (df + t * t), t * t / (df + t * t));
    return t > 0.0 ? 1.0 - tail : tail;
}

/* Bisection on the tail, which is monotone: 200 halvings are exact to the last bits and nobody waits for them. */
SOOTH_API double sooth_t_quantile(double p, double df) {
    double low = 0.0, high = 1.0, tail = p < 0.5 ? p : 1.0 - p, t;
    int k;
    if (!(p > 0.0 && p < 1.0 && df > 0.0)) return (low - low) / (low - low);
    while (sooth_t_cdf(-high, df) > tail && high < 1e300) high *= 2.0;
    for (k = 0; k < 200 && low < high; ++k) {
        t = 0.5 * (low + high);
        if (t <= low || t >= high) break;
        if (sooth_t_cdf(-t, df) > tail) low = t;
        else high = t;
    }
    return p < 0.5 ? -high : high;
}

SOOTH_API double sooth_f_cdf(double f, double df1, double df2) {
    if (!(f > 0.0)) return 0.0;
    return soothi_beta(0.5 * df1, 0.5 * df2, df1 * f / (df1 * f + df2), df2 / (df1 * f + df2));
}

#endif /* SOOTH_PREDICT_ONLY */
#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
