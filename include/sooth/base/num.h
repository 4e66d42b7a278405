/* base/num.h - bit-identical arithmetic: exp, log, tanh, vectors, a matrix product, distributions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Math libraries differ in the last digits from machine to machine, and firmware has none. This header
 * provides the elementary functions that the models need. They use only additions, multiplications, divisions
 * and integers. The same input gives the same bits under every compiler on every machine, one by one or in
 * vectors.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/base.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         sooth_rng rng;
 *         sooth_rng_init(&rng, 2026, 0);
 *         printf("%g %g\n", sooth_exp(1), sooth_log(2));  //> 2.71828 0.693147
 *         printf("%.3f\n", sooth_rng_normal(&rng));      //> -0.594
 *         printf("%.3f\n", sooth_t_quantile(0.975, 10)); //> 2.228
 *         return 0;
 *     }
 *
 * Maximum errors, found by testing every float, in units in the last place of the result (0.5 is perfect):
 *
 *     exp 0.991   expm1 1.581   log 0.838   log1p 0.853   tanh 1.198   sigmoid 2.444
 *
 * NaN gives NaN. Infinities and zeros follow C99 Annex F. Results below the smallest normal number are
 * rounded to denormals. Two things are simpler than in libm: errno and the floating-point flags mean nothing,
 * and sigmoid is 0 below -87 (the exact value is 1.6e-38 there, and less beyond).
 *
 * Nothing is allocated or kept and libm is not used, so any number of threads may call. The float
 * functions take 30 to 45 operations without a branch. On a server of 2024, one call takes 4 to 6 ns.
 * Models call them for many values at once; each value then takes 1.2 to 1.8 ns with SSE2, and 0.3 to 0.5
 * ns with AVX-512. Multiplications and additions must not be fused. All headers have a pragma for gcc from 9
 * on and for clang; with other compilers, use what they have in place of -ffp-contract=off.
 */
#ifndef SOOTH_BASE_NUM_H
#define SOOTH_BASE_NUM_H

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

SOOTHI_C_BEGIN

SOOTH_API float sooth_exp(float x);     /* e^x; 0 below -103.97, infinite above 88.72 */
SOOTH_API float sooth_expm1(float x);   /* e^x - 1, accurate for small x too */
SOOTH_API float sooth_log(float x);     /* natural logarithm; -infinity for 0, NaN below */
SOOTH_API float sooth_log1p(float x);   /* log(1 + x), accurate for small x too; -infinity for -1, NaN
                                            below */
SOOTH_API float sooth_tanh(float x);    /* hyperbolic tangent */
SOOTH_API float sooth_sigmoid(float x); /* 1 / (1 + e^-x) */

#ifndef SOOTH_PREDICT_ONLY

/* Returns a normal random number with mean 0 and variance 1 (Marsaglia's polar method). It uses 4 words of
   rng, or 8, 12, ...; 5.1 on average. */
SOOTH_API double sooth_rng_normal(sooth_rng *rng);

/* Distributions, for confidence intervals and significance tests. A _cdf returns the probability of at most
   this value. A _quantile returns the value whose cdf is p. The probability of more than z or t is the cdf of
   -z or -t, accurate even if it is tiny. Degrees of freedom must be above 0 and need not be integers. Those
   of t may be infinite, which gives the normal distribution. Invalid arguments give NaN; quantiles beyond
   1e150 are infinite. Relative errors are below 2e-13 with up to 1e6 degrees of freedom, and below 1e-11 up
   to 1e9. */
SOOTH_API double sooth_normal_cdf(double z);
SOOTH_API double sooth_normal_quantile(double p);
SOOTH_API double sooth_t_cdf(double t, double df); /* Student's t */
SOOTH_API double sooth_t_quantile(double p, double df);

#endif

SOOTHI_C_END
#endif /* SOOTH_BASE_NUM_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_NUM_IMPLEMENTED)
#define SOOTH_BASE_NUM_IMPLEMENTED
SOOTHI_C_BEGIN

/* Functions whose names end in _f take floats, all others take doubles. */

/* ---- square roots, correctly rounded ---- */

/* Uses the square root instruction if there is one. Otherwise Newton's method for 1 / sqrt(w) and an exact
   correction of the last place give the same bits. The root S of the integer N, rounded to nearest, satisfies
   -S < N - S^2 <= S. libm is never used (compilers call sqrt() to set errno). */
#if defined(__NO_MATH_ERRNO__) && (defined(__aarch64__) || defined(__powerpc64__) || defined(__s390x__) || \
                                   (defined(__riscv_flen) && __riscv_flen >= 64))
#define SOOTHI_SQRT_BUILTIN 1
#else
#define SOOTHI_SQRT_BUILTIN 0
#endif

SOOTHI_LOCAL float soothi_sqrt_portable_f(float x) {
    uint32_t bits = soothi_bits(x), m = bits & 0x7FFFFFu;
    int32_t e = (int32_t)(bits >> 23);
    if (!(x > 0.0f) || e == 255) return x < 0.0f ? soothi_missing() : x;
    if (e == 0) {
        for (e = 1; !(m >> 23); m <<= 1) --e;
        m &= 0x7FFFFFu;
    }
    e -= 127; /* x = 2^e (1 + m / 2^23) = 2^(e even) w, 1 <= w < 4 */
    float w = soothi_of_bits(m | (e % 2 ? 0x40000000u : 0x3F800000u));
    int64_t n = (int64_t)(m | 0x800000u) << (e % 2 ? 24 : 23);
    float r = soothi_of_bits(0x5F3759DFu - (soothi_bits(w) >> 1)); /* within 3.5%; each step squares that
                                                                      error */
    for (int step = 0; step < 3; ++step) r = r * (1.5f - 0.5f * w * r * r);
    uint32_t root = (uint32_t)(w * r * 8388608.0f);
    int64_t rest = n - (int64_t)root * root;
    for (; rest > (int64_t)root; ++root) rest -= 2 * (int64_t)root + 1;
    for (; rest <= -(int64_t)root; rest += 2 * (int64_t)root + 1) --root;
    return soothi_of_bits((((uint32_t)((e - (e % 2 != 0)) / 2 + 126)) << 23) + root);
}

SOOTHI_LOCAL float soothi_sqrt_f(float x) {
#if defined(__SSE2__) || defined(_M_X64)
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#elif SOOTHI_SQRT_BUILTIN
    return __builtin_sqrtf(x);
#else
    return soothi_sqrt_portable_f(x);
#endif
}

/* ---- elementary functions of floats ---- */

/* No function has a branch, so that compilers vectorise loops over it. Selections are made between integers:
   compilers may not turn a selection between floats into a mask if the comparison could trap. The polynomials
   are minimax approximations with float coefficients, found with Sollya's fpminimax (Brisebarre and
   Chevillard, ARITH 18, 2007). */

#define SOOTHI_FLOAT_SIGN 0x80000000u

/* condition ? a : b */
SOOTHI_LOCAL uint32_t soothi_pick(int condition, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & (0u - (uint32_t)condition));
}

/* Clamps the magnitude of a float to at most `limit`, given and returned as bits. NaN stays NaN. */
SOOTHI_LOCAL uint32_t soothi_cut(uint32_t bits, uint32_t limit) {
    uint32_t magnitude = bits & ~SOOTHI_FLOAT_SIGN;
    int above = magnitude - limit <= SOOTHI_INFINITE_BITS - limit;
    return (bits & SOOTHI_FLOAT_SIGN) | soothi_pick(above, limit, magnitude);
}

/* Rounds v to float on machines that evaluate expressions with more digits. */
#if SOOTH_SAME_BITS
#define SOOTHI_STORED
#else
#define SOOTHI_STORED volatile
#endif
SOOTHI_LOCAL float soothi_rounded_f(float v) {
    SOOTHI_STORED float rounded = v;
    return rounded;
}

/* sum += v in double-float arithmetic: sum[1] holds the rounding error of sum[0] (Knuth's two-sum, then
   Dekker's). */
SOOTHI_LOCAL void soothi_pair_add(float sum[2], float v) {
    float s = soothi_rounded_f(sum[0] + v), b = soothi_rounded_f(s - sum[0]);
    float rest = soothi_rounded_f(sum[0] - soothi_rounded_f(s - b)) + soothi_rounded_f(v - b);
    rest = soothi_rounded_f(rest + sum[1]);
    sum[0] = soothi_rounded_f(s + rest);
    sum[1] = soothi_rounded_f(rest - soothi_rounded_f(sum[0] - s));
}

/* Returns p and sets n, with e^x = 2^n (1 + p) and |p| < 0.42. Here x = n log 2 + r with |r| <= log(2) / 2.
   log 2 is split into two parts; the first has few bits, so that n times it is exact (Cody and Waite,
   Software Manual for the Elementary Functions, 1980). Adding 1.5 x 2^23 leaves the nearest integer in the
   last bits. For NaN, p is NaN and n is arbitrary. */
SOOTHI_HOT float soothi_exp_parts_f(float x, uint32_t *n) {
    const float whole = 12582912.0f;
    *n = soothi_bits(x * 1.44269504f + whole) - soothi_bits(whole);
    float k = (float)(int32_t)*n;
    float r = (x - k * 0.693359375f) - k * -2.12194440e-4f;
    float q = 1.37874938e-3f;
    q = q * r + 8.36938433e-3f;
    q = q * r + 4.16689254e-2f;
    q = q * r + 0.166665152f;
    q = q * r + 0.499999911f;
    return r + r * r * q;
}

/* 2^n for -127 < n < 128 */
SOOTHI_LOCAL float soothi_power_of_two_f(uint32_t n) { return soothi_of_bits((n + 127u) << 23); }

/* The scale is applied in two halves. The full scale may be denormal or overflow; each half is normal. */
SOOTHI_HOT float soothi_exp_f(float x) {
    uint32_t n;
    float y =
        1.0f + soothi_exp_parts_f(soothi_of_bits(soothi_cut(soothi_bits(x), 0x42D00000u /* 104 */)), &n);
    uint32_t half = (n + 256u) / 2u - 128u;
    return y * soothi_power_of_two_f(half) * soothi_power_of_two_f(n - half);
}

/* 2^n (1 + p) - 1 = 2^n p + (2^n - 1), computed at half scale because 2^128 overflows a float. Below 2^-27
   the result is x itself, which keeps the sign of -0 and all digits of denormals. */
SOOTHI_HOT float soothi_expm1_f(float x) {
    uint32_t bits = soothi_bits(x), n;
    uint32_t limit = soothi_pick((int32_t)bits < 0, 0x41F00000u /* 30 */, 0x42B20000u /* 89 */);
    float p = soothi_exp_parts_f(soothi_of_bits(soothi_cut(bits, limit)), &n);
    float half = soothi_power_of_two_f(n - 1u);
    uint32_t r = soothi_bits(((half - 0.5f) + half * p) * 2.0f);
    r = soothi_pick((int32_t)(bits & ~SOOTHI_FLOAT_SIGN) < 0x32000000 /* 2^-27 */, bits, r);
    return soothi_of_bits(r);
}

/* Returns log(v) + extra log 2 + c for the bits of a positive normal v and a tiny c. v = 2^k (1 + f) with
   -1/3 <= f < 1/3, and log(1 + f) = f - f^2 / 2 + f^3 P(f). The small terms are summed first. */
SOOTHI_HOT float soothi_log_parts_f(uint32_t bits, int32_t extra, float c) {
    const uint32_t two_thirds = 0x3F2AAAABu;
    uint32_t k = ((bits - two_thirds + 0x40000000u) >> 23) - 128u;
    float f = soothi_of_bits(bits - (k << 23)) - 1.0f, s = f * f, e = (float)((int32_t)k + extra);
    float p = -0.128930315f;
    p = p * f + 0.139868975f;
    p = p * f - 0.121839724f;
    p = p * f + 0.140053064f;
    p = p * f - 0.166805059f;
    p = p * f + 0.200104460f;
    p = p * f - 0.249997973f;
    p = p * f + 0.333332151f;
    return e * 0.693359375f + (f - (0.5f * s - (f * s * p + (e * -2.12194440e-4f + c))));
}

SOOTHI_HOT float soothi_log_f(float x) {
    uint32_t bits = soothi_bits(x);
    int denormal = (int32_t)bits < 0x00800000;
    uint32_t r = soothi_pick(denormal, soothi_bits(x * 8388608.0f), bits);
    r = soothi_bits(soothi_log_parts_f(r, denormal ? -23 : 0, 0.0f));
    r = soothi_pick((int32_t)bits >= (int32_t)SOOTHI_INFINITE_BITS, bits, r);
    r = soothi_pick((int32_t)bits < 0, SOOTHI_MISSING_BITS, r);
    r = soothi_pick(bits << 1 == 0, SOOTHI_FLOAT_SIGN | SOOTHI_INFINITE_BITS, r);
    return soothi_of_bits(r);
}

/* log(1 + x) = log(u) + c / u. u is 1 + x rounded, and c is the rounding error (Knuth's two-sum). Accurate
   for any x > -1. */
SOOTHI_HOT float soothi_log1p_parts_f(float x) {
    float u = soothi_rounded_f(1.0f + x), v = soothi_rounded_f(u - 1.0f);
    float c = (1.0f - soothi_rounded_f(u - v)) + (x - v);
    return soothi_log_parts_f(soothi_bits(u), 0, c / u);
}

SOOTHI_HOT float soothi_log1p_f(float x) {
    const uint32_t minus_one = 0xBF800000u;
    uint32_t bits = soothi_bits(x);
    uint32_t r = soothi_bits(soothi_log1p_parts_f(x)) | (bits & SOOTHI_FLOAT_SIGN); /* keeps the sign of -0 */
    r = soothi_pick((int32_t)bits >= (int32_t)SOOTHI_INFINITE_BITS, bits, r);
    r = soothi_pick(bits > minus_one, SOOTHI_MISSING_BITS, r);
    r = soothi_pick(bits == minus_one, SOOTHI_FLOAT_SIGN | SOOTHI_INFINITE_BITS, r);
    return soothi_of_bits(r);
}

/* Below 5/8 the polynomial x + x^3 P(x^2); above, 1 - 2 / (e^2x + 1), which is 1 from 9.02 on. */
SOOTHI_HOT float soothi_tanh_f(float x) {
    uint32_t bits = soothi_bits(x), magnitude = bits & ~SOOTHI_FLOAT_SIGN, n;
    float a = soothi_of_bits(soothi_cut(magnitude, 0x41200000u /* 10 */)), s = a * a;
    float p = soothi_exp_parts_f(a + a, &n);
    float z = soothi_power_of_two_f(n);
    float large = 1.0f - 2.0f / ((z + 1.0f) + z * p);
    p = -5.70009183e-3f;
    p = p * s + 2.06341185e-2f;
    p = p * s - 5.37379384e-2f;
    p = p * s + 0.133314162f;
    p = p * s - 0.333332807f;
    uint32_t r = soothi_pick((int32_t)magnitude < 0x3F200000 /* 5/8 */, soothi_bits(a + a * s * p),
                             soothi_bits(large));
    return soothi_of_bits(r | (bits & SOOTHI_FLOAT_SIGN));
}

SOOTHI_HOT float soothi_sigmoid_f(float x) {
    const uint32_t least = 0xC2AE0000u /* -87 */, minus_infinite = SOOTHI_FLOAT_SIGN | SOOTHI_INFINITE_BITS;
    uint32_t bits = soothi_bits(x), n;
    uint32_t minus = soothi_cut(bits, 0x42AE0000u /* 87 */) ^ SOOTHI_FLOAT_SIGN;
    float p = soothi_exp_parts_f(soothi_of_bits(minus), &n), z = soothi_power_of_two_f(n);
    uint32_t r = soothi_bits(1.0f / ((1.0f + z) + z * p));
    r = soothi_pick(bits - least - 1u < minus_infinite - least, 0u, r);
    return soothi_of_bits(r);
}

/* max(x, 0) + log(1 + e^-|x|) */
SOOTHI_HOT float soothi_softplus_f(float x) {
    uint32_t bits = soothi_bits(x);
    float e = soothi_exp_f(soothi_of_bits(bits | SOOTHI_FLOAT_SIGN));
    return soothi_of_bits(soothi_pick((int32_t)bits < 0, 0u, bits)) + soothi_log1p_parts_f(e);
}

SOOTH_API float sooth_exp(float x) { return soothi_exp_f(x); }
SOOTH_API float sooth_expm1(float x) { return soothi_expm1_f(x); }
SOOTH_API float sooth_log(float x) { return soothi_log_f(x); }
SOOTH_API float sooth_log1p(float x) { return soothi_log1p_f(x); }
SOOTH_API float sooth_tanh(float x) { return soothi_tanh_f(x); }
SOOTH_API float sooth_sigmoid(float x) { return soothi_sigmoid_f(x); }

/* out[i] = f(x[i]) for i below n; out may be x. Blocks of fixed size in local memory let compilers vectorise
   even at -O2. */
#define SOOTHI_BLOCK 32u
#define SOOTHI_MANY(name, function)                                      \
    SOOTHI_LOCAL void name(const float *x, size_t n, float *out) {       \
        float v[SOOTHI_BLOCK];                                           \
        size_t i, part;                                                  \
        for (; n; n -= part, x += part, out += part) {                   \
            part = n < SOOTHI_BLOCK ? n : SOOTHI_BLOCK;                  \
            if (part < SOOTHI_BLOCK) {                                   \
                memset(v, 0, sizeof v);                                  \
                memcpy(v, x, part * sizeof v[0]);                        \
            } else {                                                     \
                memcpy(v, x, sizeof v);                                  \
            }                                                            \
            for (i = 0; i < SOOTHI_BLOCK; ++i) v[i] = function(v[i]);    \
            if (part < SOOTHI_BLOCK) memcpy(out, v, part * sizeof v[0]); \
            else memcpy(out, v, sizeof v);                               \
        }                                                                \
    }
SOOTHI_MANY(soothi_exp_many, soothi_exp_f)
SOOTHI_MANY(soothi_tanh_many, soothi_tanh_f)
SOOTHI_MANY(soothi_sigmoid_many, soothi_sigmoid_f)
SOOTHI_MANY(soothi_softplus_many, soothi_softplus_f)
#undef SOOTHI_MANY

/* ---- four floats at once ---- */

/* Compilers turn these into vector instructions at every optimisation level. Without vectors, the structs
   give the same bits. */
#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)) && \
    (defined(__SSE2__) || defined(__aarch64__) || defined(__VSX__))
#define SOOTHI_VECTORS 1
#else
#define SOOTHI_VECTORS 0
#endif

/* Defines vectors of `lanes` numbers: type_add, _sub and _mul, load and store. */
#if SOOTHI_VECTORS
#define SOOTHI_LANEWISE(type, lanes, name, op) \
    SOOTHI_LOCAL type type##_##name(type a, type b) { return a op b; }
#define SOOTHI_VECTOR_TYPE(type, number, lanes) typedef number type __attribute__((vector_size(16)))
#else
#define SOOTHI_LANEWISE(type, lanes, name, op)                          \
    SOOTHI_LOCAL type type##_##name(type a, type b) {                   \
        for (unsigned k = 0; k < lanes; ++k) a.v[k] = a.v[k] op b.v[k]; \
        return a;                                                       \
    }
#define SOOTHI_VECTOR_TYPE(type, number, lanes) \
    typedef struct type {                       \
        number v[lanes];                        \
    } type
#endif
#define SOOTHI_VECTOR(type, number, lanes)           \
    SOOTHI_VECTOR_TYPE(type, number, lanes);         \
    SOOTHI_LANEWISE(type, lanes, add, +)             \
    SOOTHI_LANEWISE(type, lanes, sub, -)             \
    SOOTHI_LANEWISE(type, lanes, mul, *)             \
    SOOTHI_LOCAL type type##_load(const number *p) { \
        type a;                                      \
        memcpy(&a, p, sizeof a);                     \
        return a;                                    \
    }                                                \
    SOOTHI_LOCAL void type##_store(number *p, type a) { memcpy(p, &a, sizeof a); }

SOOTHI_VECTOR(soothi_4f, float, 4)

SOOTHI_LOCAL soothi_4f soothi_4f_of(float p, float q, float r, float s) {
#if SOOTHI_VECTORS
    soothi_4f a = {p, q, r, s};
#else
    soothi_4f a = {{p, q, r, s}};
#endif
    return a;
}

SOOTHI_LOCAL soothi_4f soothi_4f_splat(float v) { return soothi_4f_of(v, v, v, v); }

/* p[0..n) and zeros, 0 < n < 4 */
SOOTHI_LOCAL soothi_4f soothi_4f_part(const float *p, size_t n) {
    return soothi_4f_of(p[0], n > 1 ? p[1] : 0.0f, n > 2 ? p[2] : 0.0f, 0.0f);
}

SOOTHI_LOCAL float soothi_4f_sum(soothi_4f s) {
    float lane[4];
    soothi_4f_store(lane, s);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* Every sum has 16 lanes (8 for doubles), held in s0 to s3. Lane k adds the elements i with i mod 16 == k, in
   order. At the end lane k += lane k + 8, then + 4, + 2, + 1. The bits therefore do not depend on the vector
   width of the machine. This function adds the lanes. */
SOOTHI_LOCAL float soothi_4f_total(soothi_4f s0, soothi_4f s1, soothi_4f s2, soothi_4f s3) {
    return soothi_4f_sum(soothi_4f_add(soothi_4f_add(s0, s2), soothi_4f_add(s1, s3)));
}

/* The loop of every sum below. TERM(vector, i) is a vector of `width` terms from i on. REST is the last few
   terms, padded with zeros. Rotating s0 to s3 does not change the total, which is used for the last
   vectors. */
#define SOOTHI_SUM(vector, width, TERM, REST)                       \
    vector s0 = vector##_splat(0), s1 = s0, s2 = s0, s3 = s0, next; \
    size_t i;                                                       \
    for (i = 0; n - i >= 4 * width; i += 4 * width) {               \
        s0 = vector##_add(s0, TERM(vector, i));                     \
        s1 = vector##_add(s1, TERM(vector, i + width));             \
        s2 = vector##_add(s2, TERM(vector, i + 2 * width));         \
        s3 = vector##_add(s3, TERM(vector, i + 3 * width));         \
    }                                                               \
    for (; n - i >= width; i += width) {                            \
        next = vector##_add(s0, TERM(vector, i));                   \
        s0 = s1;                                                    \
        s1 = s2;                                                    \
        s2 = s3;                                                    \
        s3 = next;                                                  \
    }                                                               \
    if (i < n) s0 = vector##_add(s0, REST(vector, i));              \
    return vector##_total(s0, s1, s2, s3);

/* ---- vectors of floats ---- */

#define SOOTHI_LOAD(vector, i) vector##_load(a + (i))
#define SOOTHI_LOAD_REST(vector, i) vector##_part(a + (i), n - (i))
#define SOOTHI_PRODUCT(vector, i) vector##_mul(vector##_load(a + (i)), vector##_load(b + (i)))
#define SOOTHI_PRODUCT_REST(vector, i) \
    vector##_mul(vector##_part(a + (i), n - (i)), vector##_part(b + (i), n - (i)))
/* Defines two functions: sum a[i], and sum a[i] b[i]. */
#define SOOTHI_SUM_AND_DOT(vector, number, width, sum, dot)                           \
    SOOTHI_LOCAL number sum(const number *a, size_t n){                               \
        SOOTHI_SUM(vector, width, SOOTHI_LOAD, SOOTHI_LOAD_REST)} SOOTHI_LOCAL number \
    dot(const number *a, const number *b, size_t n) {                                 \
        SOOTHI_SUM(vector, width, SOOTHI_PRODUCT, SOOTHI_PRODUCT_REST)                \
    }

SOOTHI_SUM_AND_DOT(soothi_4f, float, 4, soothi_sum_f, soothi_dot_f)

/* y += factor x */
SOOTHI_LOCAL void soothi_axpy_f(float *SOOTH_RESTRICT y, float factor, const float *SOOTH_RESTRICT x,
                                size_t n) {
    const soothi_4f f = soothi_4f_splat(factor);
    for (; n >= 4; n -= 4, x += 4, y += 4)
        soothi_4f_store(y, soothi_4f_add(soothi_4f_load(y), soothi_4f_mul(f, soothi_4f_load(x))));
    for (; n; --n) *y++ += factor * *x++;
}

/* x *= factor */
SOOTHI_LOCAL void soothi_multiply_f(float *x, float factor, size_t n) {
    const soothi_4f f = soothi_4f_splat(factor);
    for (; n >= 4; n -= 4, x += 4) soothi_4f_store(x, soothi_4f_mul(soothi_4f_load(x), f));
    for (; n; --n) *x++ *= factor;
}

/* ---- vectors as wide as the machine ---- */

/* For independent sums in adjacent lanes, so that the width does not affect the result. */
#if SOOTHI_VECTORS && defined(__AVX512F__)
#define SOOTHI_WIDE 16u
typedef float soothi_wide __attribute__((vector_size(64)));
#elif SOOTHI_VECTORS && defined(__AVX__)
#define SOOTHI_WIDE 8u
typedef float soothi_wide __attribute__((vector_size(32)));
#elif SOOTHI_VECTORS
#define SOOTHI_WIDE 4u
typedef soothi_4f soothi_wide;
#else
#define SOOTHI_WIDE 1u
typedef float soothi_wide;
#endif

SOOTHI_LOCAL soothi_wide soothi_wide_load(const float *p) {
    soothi_wide a;
    memcpy(&a, p, sizeof a);
    return a;
}

/* Broadcasts v: v - 0 is v, also for -0 and NaN. An array would be slower. Compilers that prefer half vectors
   (gcc -mtune=rocketlake) store it in two pieces, and processors do not forward two stores to one load.
   Networks then trained four times slower. */
SOOTHI_LOCAL soothi_wide soothi_wide_splat(float v) {
    const soothi_wide zero = {0};
    return v - zero;
}

/* ---- matrix product of floats ---- */

/* Adjacent sums should stay in registers, which needs unrolling. gcc -O2 unrolls only with this pragma, known
   since version 8. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define SOOTHI_UNROLL _Pragma("GCC unroll 16")
#else
#define SOOTHI_UNROLL
#endif

/* y[0..vectors width) += sum_i VALUE FROM[...] for i below n, in order, with one sum per lane. VALUE and FROM
   are expressions in i. */
#define SOOTHI_SUMS(vector, width, vectors, n, VALUE, FROM)                                           \
    vector sum[vectors];                                                                              \
    SOOTHI_UNROLL                                                                                     \
    for (unsigned k = 0; k < vectors; ++k) sum[k] = vector##_load(y + k * width);                     \
    for (size_t i = 0; i < (n); ++i) {                                                                \
        const vector v = vector##_splat(VALUE);                                                       \
        const float *from = FROM;                                                                     \
        SOOTHI_UNROLL                                                                                 \
        for (unsigned k = 0; k < vectors; ++k) sum[k] = sum[k] + v * vector##_load(from + k * width); \
    }                                                                                                 \
    SOOTHI_UNROLL                                                                                     \
    for (unsigned k = 0; k < vectors; ++k) memcpy(y + k * width, &sum[k], sizeof sum[k])

/* c += a b for four rows of a (elements at a distance of a_step) and `vectors` vectors of columns. */
#define SOOTHI_GEMM_TILE(vector, width, vectors)                                             \
    vector sum[4][vectors];                                                                  \
    SOOTHI_UNROLL                                                                            \
    for (unsigned k = 0; k < 4 * vectors; ++k)                                               \
        sum[k / vectors][k % vectors] = vector##_load(c[k / vectors] + k % vectors * width); \
    for (size_t at = 0; depth; --depth, at += a_step, b += b_row) {                          \
        vector column[vectors];                                                              \
        SOOTHI_UNROLL                                                                        \
        for (unsigned k = 0; k < vectors; ++k) column[k] = vector##_load(b + k * width);     \
        SOOTHI_UNROLL                                                                        \
        for (unsigned r = 0; r < 4; ++r) {                                                   \
            const vector v = vector##_splat(a[r][at]);                                       \
            SOOTHI_UNROLL                                                                    \
            for (unsigned k = 0; k < vectors; ++k) sum[r][k] = sum[r][k] + v * column[k];    \
        }                                                                                    \
    }                                                                                        \
    SOOTHI_UNROLL                                                                            \
    for (unsigned k = 0; k < 4 * vectors; ++k)                                               \
    memcpy(c[k / vectors] + k % vectors * width, &sum[k / vectors][k % vectors], sizeof sum[0][0])

SOOTHI_LOCAL void soothi_gemm_tile(size_t depth, const float *const a[4], size_t a_step, const float *b,
                                   size_t b_row, float *const c[4]) {
    SOOTHI_GEMM_TILE(soothi_wide, SOOTHI_WIDE, 2);
}

/* Programs compiled for any x86-64 may use vectors of eight if the processor has them. The sums and their
   order are the same. */
#if SOOTHI_VECTORS && defined(__x86_64__) && !defined(__AVX__) && !defined(_MSC_VER)
#define SOOTHI_AVX2 1
typedef float soothi_8f __attribute__((vector_size(32), aligned(4), may_alias));
#define soothi_8f_load(p) (*(const soothi_8f *)(const void *)(p))
#define soothi_8f_splat(f) \
    { f, f, f, f, f, f, f, f }
__attribute__((target("avx2"))) SOOTHI_LOCAL void soothi_gemm_tile_avx2(size_t depth, const float *const a[4],
                                                                        size_t a_step, const float *b,
                                                                        size_t b_row, float *const c[4]) {
    SOOTHI_GEMM_TILE(soothi_8f, 8, 2);
}
#else
#define SOOTHI_AVX2 0
#endif

/* Like soothi_gemm_tile, for one row of a and eight vectors. Needs fewer instructions with vectors of
   four. */
SOOTHI_LOCAL void soothi_gemm_long_tile(size_t depth, const float *a, size_t a_step, const float *b,
                                        size_t b_row, float *y) {
    SOOTHI_SUMS(soothi_wide, SOOTHI_WIDE, 8, depth, a[i * a_step], b + i * b_row);
}

/* Like soothi_gemm_tile, for four rows and one vector: the remaining columns with long vectors. */
#if SOOTHI_WIDE > 4
SOOTHI_LOCAL void soothi_gemm_half_tile(size_t depth, const float *const a[4], size_t a_step, const float *b,
                                        size_t b_row, float *const c[4]) {
    SOOTHI_GEMM_TILE(soothi_wide, SOOTHI_WIDE, 1);
}
#endif

/* Like soothi_gemm_tile, for four rows and one vector of four columns. */
SOOTHI_LOCAL void soothi_gemm_thin_tile(size_t depth, const float *const a[4], size_t a_step, const float *b,
                                        size_t b_row, float *const c[4]) {
#if SOOTHI_VECTORS
    SOOTHI_GEMM_TILE(soothi_4f, 4, 1);
#else
    SOOTHI_GEMM_TILE(soothi_wide, 1, 4);
#endif
}

/* C += A B with C of m x n (n a multiple of 4), A of m x depth, B of depth x n. Element (i, k) of A is at a[i
   a_row + k a_step], so A may be transposed; (k, j) of B is at b[k b_row + j]. Initialise C with zeros or
   with a bias. The order is c = (((c + a_0 b_0) + a_1 b_1) + ...) with every product rounded. Therefore the
   result does not depend on the tiles. The argument avx2 is the result of soothi_has_avx2, or 0. If fewer
   than four rows are left, their first row is computed several times. */
SOOTHI_LOCAL void soothi_gemm_f(int avx2, size_t m, size_t n, size_t depth, const float *a, size_t a_row,
                                size_t a_step, const float *b, size_t b_row, float *c, size_t c_row) {
    const float *from[4];
    float *to[4];
    for (size_t i = 0; i < m; i += 4) {
        for (size_t k = 0; k < 4; ++k) from[k] = a + (i + k < m ? i + k : i) * a_row;
        for (size_t j = 0; j < n;) {
            for (size_t k = 0; k < 4; ++k) to[k] = c + (i + k < m ? i + k : i) * c_row + j;
            if (SOOTHI_AVX2 && avx2 && n - j >= 16) {
#if SOOTHI_AVX2
                soothi_gemm_tile_avx2(depth, from, a_step, b + j, b_row, to);
                j += 16;
#endif
            } else if (n - j >= 8 * SOOTHI_WIDE) {
                for (size_t k = 0; k < 4 && i + k < m; ++k)
                    soothi_gemm_long_tile(depth, from[k], a_step, b + j, b_row, to[k]);
                j += 8 * SOOTHI_WIDE;
            } else if (n - j >= 2 * SOOTHI_WIDE) {
                soothi_gemm_tile(depth, from, a_step, b + j, b_row, to);
                j += 2 * SOOTHI_WIDE;
#if SOOTHI_WIDE > 4
            } else if (n - j >= SOOTHI_WIDE) {
                soothi_gemm_half_tile(depth, from, a_step, b + j, b_row, to);
                j += SOOTHI_WIDE;
#endif
            } else {
                soothi_gemm_thin_tile(depth, from, a_step, b + j, b_row, to);
                j += 4;
            }
        }
    }
}

/* Returns whether processor and system support AVX2. The compiler's runtime library finds out at program
   start; a query takes up to 150 us each time on a virtual processor. */
SOOTHI_LOCAL int soothi_has_avx2(void) {
#if SOOTHI_AVX2
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- square root of a double ---- */

#define SOOTHI_INFINITE soothi_double((uint64_t)0x7FF00000u << 32)
#define SOOTHI_NAN soothi_double((uint64_t)0x7FF80000u << 32)

/* Like soothi_sqrt_portable_f. N has up to 106 bits, but N - S^2 fits 64 and is exact modulo 2^64. */
SOOTHI_LOCAL double soothi_sqrt_portable(double x) {
    uint64_t bits = soothi_double_bits(x), m = bits & 0xFFFFFFFFFFFFFu;
    int32_t e = (int32_t)(bits >> 52);
    if (!(x > 0.0) || e == 2047) return x < 0.0 ? SOOTHI_NAN : x;
    if (e == 0) {
        for (e = 1; !(m >> 52); m <<= 1) --e;
        m &= 0xFFFFFFFFFFFFFu;
    }
    e -= 1023;
    double w = soothi_double(m | (uint64_t)(e % 2 ? 1024 : 1023) << 52);
    double r = soothi_double(0x5FE6EB50C7B537A9u - (soothi_double_bits(w) >> 1));
    for (int step = 0; step < 4; ++step) r = r * (1.5 - 0.5 * w * r * r);
    uint64_t root = (uint64_t)(w * r * 4503599627370496.0);
    int64_t rest = (int64_t)(((m | (uint64_t)1 << 52) << (e % 2 ? 53 : 52)) - root * root);
    for (; rest > (int64_t)root; ++root) rest -= 2 * (int64_t)root + 1;
    for (; rest <= -(int64_t)root; rest += 2 * (int64_t)root + 1) --root;
    return soothi_double(((uint64_t)((e - (e % 2 != 0)) / 2 + 1022) << 52) + root);
}

SOOTHI_LOCAL double soothi_sqrt(double x) {
#if defined(__SSE2__) || defined(_M_X64)
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#elif SOOTHI_SQRT_BUILTIN
    return __builtin_sqrt(x);
#else
    return soothi_sqrt_portable(x);
#endif
}

/* ---- vectors of doubles ---- */

SOOTHI_VECTOR(soothi_2d, double, 2)

SOOTHI_LOCAL soothi_2d soothi_2d_of(double p, double q) {
#if SOOTHI_VECTORS
    soothi_2d a = {p, q};
#else
    soothi_2d a = {{p, q}};
#endif
    return a;
}

SOOTHI_LOCAL soothi_2d soothi_2d_splat(double v) { return soothi_2d_of(v, v); }

/* Adds eight lanes in the order described above. */
SOOTHI_LOCAL double soothi_2d_total(soothi_2d s0, soothi_2d s1, soothi_2d s2, soothi_2d s3) {
    double lane[2];
    soothi_2d_store(lane, soothi_2d_add(soothi_2d_add(s0, s2), soothi_2d_add(s1, s3)));
    return lane[0] + lane[1];
}

/* p[0] and zero */
SOOTHI_LOCAL soothi_2d soothi_2d_part(const double *p, size_t n) {
    (void)n;
    return soothi_2d_of(p[0], 0.0);
}

SOOTHI_SUM_AND_DOT(soothi_2d, double, 2, soothi_sum, soothi_dot)

#define SOOTHI_WIDEN(p, i) soothi_2d_of((double)(p)[i], (double)(p)[(i) + 1])
#define SOOTHI_WIDE_PRODUCT(vector, i) vector##_mul(SOOTHI_WIDEN(a, i), SOOTHI_WIDEN(b, i))
#define SOOTHI_WIDE_REST(vector, i) vector##_of((double)a[i] * (double)b[i], 0.0)

/* sum a[i] b[i] of floats in double, with exact products */
SOOTHI_LOCAL double soothi_dot_wide(const float *a, const float *b,
                                    size_t n){SOOTHI_SUM(soothi_2d, 2, SOOTHI_WIDE_PRODUCT, SOOTHI_WIDE_REST)}

/* ---- elementary functions of doubles: for statistics and targets ---- */

SOOTHI_LOCAL double soothi_rounded(double v) {
    SOOTHI_STORED double rounded = v;
    return rounded;
}

/* 2^n for -1023 < n < 1024 */
SOOTHI_LOCAL double soothi_power_of_two(int32_t n) { return soothi_double((uint64_t)(n + 1023) << 52); }

/* Like soothi_exp_parts_f, for |x| below 1000. */
SOOTHI_LOCAL double soothi_exp_parts(double x, int32_t *n) {
    const double whole = 6755399441055744.0; /* 1.5 x 2^52 */
    *n = (int32_t)(uint32_t)(soothi_double_bits(x * 1.4426950408889634 + whole) - soothi_double_bits(whole));
    double k = (double)*n;
    double r = (x - k * 0.69314718054374679923057556) - k * 1.6198510186656561e-11;
    double q = 2.0889502143248036e-9;
    q = q * r + 2.510918646186171e-8;
    q = q * r + 2.755735290455535e-7;
    q = q * r + 2.7557243775335875e-6;
    q = q * r + 2.480158723750293e-5;
    q = q * r + 1.984126988657094e-4;
    q = q * r + 1.3888888888923818e-3;
    q = q * r + 8.333333333321443e-3;
    q = q * r + 4.166666666666661e-2;
    q = q * r + 0.16666666666666677;
    q = q * r + 0.5;
    return r + r * r * q;
}

SOOTHI_LOCAL double soothi_exp(double x) {
    int32_t n;
    if (soothi_nan(x)) return x;
    double y = 1.0 + soothi_exp_parts(x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x, &n);
    return y * soothi_power_of_two(n / 2) * soothi_power_of_two(n - n / 2);
}

SOOTHI_LOCAL double soothi_expm1(double x) {
    int32_t n;
    if (soothi_nan(x) || soothi_abs(x) < 1e-17) return x;
    double p = soothi_exp_parts(x > 710.0 ? 710.0 : x < -50.0 ? -50.0 : x, &n);
    double half = soothi_power_of_two(n - 1);
    return ((half - 0.5) + half * p) * 2.0;
}

/* Returns log(x) + c for a positive x and a tiny c. x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2). With s
   = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - R), R = 2/3 s^2 + 2/5 s^4 + ... */
SOOTHI_LOCAL double soothi_log_parts(double x, double c) {
    const uint64_t root_half = 0x3FE6A09E667F3BCDu;
    const int denormal = x < 2.2250738585072014e-308;
    uint64_t bits = soothi_double_bits(denormal ? x * 18014398509481984.0 : x);
    int32_t k = (int32_t)((bits - root_half + ((uint64_t)1024 << 52)) >> 52) - 1024;
    double f = soothi_double(bits - ((uint64_t)(int64_t)k << 52)) - 1.0, s = f / (2.0 + f), z = s * s;
    double e = (double)(denormal ? k - 54 : k);
    double r = 0.14618513803379998;
    r = r * z + 0.15331553590696168;
    r = r * z + 0.18182894152163118;
    r = r * z + 0.22222211068079892;
    r = r * z + 0.28571428626339174;
    r = r * z + 0.3999999999989904;
    r = r * z + 0.666666666666667;
    return e * 0.69314718054374679923057556 + (f - (s * (f - z * r) - (e * 1.6198510186656561e-11 + c)));
}

SOOTHI_LOCAL double soothi_log(double x) {
    if (!(x > 0.0)) return x < 0.0 ? SOOTHI_NAN : x <= 0.0 ? -SOOTHI_INFINITE : x;
    return soothi_finite(x) ? soothi_log_parts(x, 0.0) : x;
}

/* Like soothi_log1p_f. */
SOOTHI_LOCAL double soothi_log1p(double x) {
    if (!(x > -1.0)) return x < -1.0 ? SOOTHI_NAN : x <= -1.0 ? -SOOTHI_INFINITE : x;
    if (!soothi_finite(x) || soothi_abs(x) < 1e-17) return x;
    double u = soothi_rounded(1.0 + x);
    double v = soothi_rounded(u - 1.0);
    double c = (1.0 - soothi_rounded(u - v)) + (x - v);
    return soothi_log_parts(u, c / u);
}

/* ---- distributions ---- */

/* A uniform point in the unit disc gives a normal number. Its direction is uniform, and so is s = u^2 + v^2,
   which makes sqrt(-2 log s) a Rayleigh radius. The second number of the point is dropped, so that streams
   have no hidden state. */
SOOTH_API double sooth_rng_normal(sooth_rng *rng) {
    double u, v, s;
    do {
        u = 2.0 * sooth_rng_double(rng) - 1.0;
        v = 2.0 * sooth_rng_double(rng) - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s <= 0.0);
    return u * soothi_sqrt(-2.0 * soothi_log(s) / s);
}

/* delta(x) = log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2). Uses Stirling's series from 10 on; smaller
   x use delta(x) = delta(x + 1) + (x + 1/2) log(1 + 1/x) - 1. */
SOOTHI_LOCAL double soothi_stirling(double x) {
    double down = 0.0;
    for (; x < 10.0; x += 1.0) down += (x + 0.5) * soothi_log1p(1.0 / x) - 1.0;
    double z = 1.0 / (x * x);
    z = z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * (691.0 / 360360 - z / 156))));
    return down + (1.0 / 12 - (1.0 / 360 - z) / (x * x)) / x;
}

/* log(1 + u) - u = -u s + 2 (s^3 / 3 + s^5 / 5 + ...), s = u / (2 + u). v is 1 + u, passed separately for
   accuracy. */
SOOTHI_LOCAL double soothi_log1p_less(double u, double v) {
    double sum = 0.0;
    if (u < -0.3 || u > 0.4) return soothi_log(v) - u;
    double s = u / (2.0 + u);
    double z = s * s;
    for (int k = 23; k > 1; k -= 2) sum = (sum + 1.0 / k) * z;
    return s * (2.0 * sum - u);
}

/* x^a y^b / B(a, b) for x + y = 1. Expanded around the ratio a : b, where it peaks, so that large a and b do
   not lose digits (Loader, Fast and accurate computation of binomial probabilities, 2000). */
SOOTHI_LOCAL double soothi_beta_front(double a, double b, double x, double y) {
    double n = a + b, e = x * b - y * a;
    double peak = soothi_sqrt(a * (b / n) * 0.15915494309189533577); /* 1 / (2 pi) */
    double height = soothi_stirling(n) - soothi_stirling(a) - soothi_stirling(b);
    double down = a * soothi_log1p_less(e / a, x * (n / a)) + b * soothi_log1p_less(-e / b, y * (n / b));
    return peak * soothi_exp(height + down);
}

/* Returns the regularised incomplete beta function I_x(a, b), or 1 - I_x(a, b) if `upper`. y = 1 - x is a
   separate argument to keep its digits. Uses the continued fraction of DiDonato and Morris (Algorithm 708,
   ACM TOMS 18(3), 1992, eq. 9), evaluated forward (Lentz 1976; Thompson and Barnett 1986); O(sqrt(max(a, b)))
   steps. */
SOOTHI_LOCAL double soothi_beta(double a, double b, double x, double y, int upper) {
    double c, d = 0.0, step = 2.0;
    if (x > (a + 1.0) / (a + b + 2.0)) { /* I_x(a, b) = 1 - I_y(b, a), whose fraction converges fast */
        double t = a;
        a = b;
        b = t;
        t = x;
        x = y;
        y = t;
        upper = !upper;
    }
    if (x <= 0.0) return upper ? 1.0 : 0.0;
    double value = c = a * (a * y - b * x + 1.0) / (a + 1.0);
    for (double k = 1.0; k < 1e6 && soothi_abs(step - 1.0) > 1e-16; k += 1.0) {
        double w = a + 2.0 * k, v = k * (b - k) * x / (w - 1.0);
        double top = (a + k - 1.0) * (a + b + k - 1.0) * x / (w - 1.0) * v;
        double bottom = k + v + (a + k) * (a * y - b * x + 1.0 + k * (2.0 - x)) / (w + 1.0);
        d = 1.0 / (bottom + top * d);
        c = bottom + top / c;
        step = c * d;
        value *= step;
    }
    double part = soothi_beta_front(a, b, x, y) / value;
    return upper ? 1.0 - part : part;
}

/* phi(z). z^2 / 2 is split into two parts, the first exact. */
SOOTHI_LOCAL double soothi_normal_density(double z) {
    double head = soothi_double(soothi_double_bits(z) >> 27 << 27);
    double rest = (z - head) * (z + head);
    return 0.39894228040143267794 * soothi_exp(-0.5 * head * head) * soothi_exp(-0.5 * rest);
}

/* Phi(z) - 1/2 for 0 <= z < 2: phi(z) (z + z^3 / 3 + z^5 / 15 + ...), DLMF 7.6.2. */
SOOTHI_LOCAL double soothi_normal_body(double z) {
    double term = z, sum = z;
    for (int k = 3; term > 1e-17 * sum; k += 2) {
        term *= z * z / k;
        sum += term;
    }
    return sum * soothi_normal_density(z);
}

/* 1 - Phi(z) for z >= 0; from 2 on phi(z) / (z + 1 / (z + 2 / (z + 3 / ...))), DLMF 7.9.3. */
SOOTHI_LOCAL double soothi_normal_tail(double z) {
    double below = z;
    if (z < 2.0) return 0.5 - soothi_normal_body(z);
    if (z > 40.0) return 0.0;
    for (int k = 100; k > 0; --k) below = z + k / below;
    return soothi_normal_density(z) / below;
}

SOOTH_API double sooth_normal_cdf(double z) {
    if (soothi_nan(z)) return z;
    if (z < 0.0) return soothi_normal_tail(-z);
    return z < 2.0 ? 0.5 + soothi_normal_body(z) : 1.0 - soothi_normal_tail(z);
}

/* Newton's method, which always converges here. log(1 - Phi) is concave, and its starting point is right of
   the root because 1 - Phi(z) <= exp(-z^2 / 2) / 2. Phi - 1/2 is concave too, and its starting point is left
   of the root because Phi(z) - 1/2 <= z phi(0). */
SOOTH_API double sooth_normal_quantile(double p) {
    double q = p < 0.5 ? p : 1.0 - p, step = 1.0;
    if (!(p >= 0.0 && p <= 1.0)) return SOOTHI_NAN;
    if (q <= 0.0) return p < 0.5 ? -SOOTHI_INFINITE : SOOTHI_INFINITE;
    double z = q < 0.1 ? soothi_sqrt(-2.0 * soothi_log(2.0 * q)) : (0.5 - q) * 2.5066282746310002;
    for (int k = 0; k < 50 && soothi_abs(step) > 1e-16 * z; ++k) {
        if (q < 0.1) {
            double tail = soothi_normal_tail(z);
            step = soothi_log1p((tail - q) / q) * tail / soothi_normal_density(z);
        } else {
            step = (0.5 - q - soothi_normal_body(z)) / soothi_normal_density(z);
        }
        z += step;
    }
    return p < 0.5 ? -z : z;
}

/* x = df / (df + t^2) and y = t^2 / (df + t^2), without overflow: P(|T| > t) = I_x(df/2, 1/2). */
SOOTHI_LOCAL void soothi_t_angle(double t, double df, double *x, double *y) {
    const int beyond = t * t > df;
    const double w = beyond ? df / t / t : t * t / df, share = w / (1.0 + w), rest = 1.0 / (1.0 + w);
    *x = beyond ? share : rest;
    *y = beyond ? rest : share;
}

SOOTH_API double sooth_t_cdf(double t, double df) {
    if (soothi_nan(t) || !(df > 0.0)) return SOOTHI_NAN;
    if (df > 1e16) return sooth_normal_cdf(t);
    double x, y;
    soothi_t_angle(soothi_abs(t), df, &x, &y);
    double tail = soothi_finite(t) ? 0.5 * soothi_beta(0.5 * df, 0.5, x, y, 0) : 0.0;
    return t < 0.0 ? tail : 1.0 - tail;
}

/* Newton's method for log t. The logarithms of P(T > t) and of P(0 < T < t) are concave in log t, with the
   slopes -t f(t) / P, where t f(t) = x^(df/2) y^(1/2) / B(df/2, 1/2). From one side the steps converge
   directly, from the other they cross the root once. */
SOOTH_API double sooth_t_quantile(double p, double df) {
    const double most = 1e150; /* larger values are returned as infinite; their squares are never needed */
    double q = p < 0.5 ? p : 1.0 - p, x, y, step = 1.0;
    int upper = q > 0.25;
    if (!(p >= 0.0 && p <= 1.0 && df > 0.0)) return SOOTHI_NAN;
    if (df > 1e16 || q <= 0.0) return sooth_normal_quantile(p);
    double t = soothi_abs(sooth_normal_quantile(q));
    if (t <= 0.0) return 0.0;
    for (int k = 0; k < 100 && soothi_abs(step) > 1e-15; ++k) {
        double wanted = upper ? 1.0 - 2.0 * q : 2.0 * q;
        soothi_t_angle(t, df, &x, &y);
        double part = soothi_beta(0.5 * df, 0.5, x, y, upper);
        double front = 2.0 * soothi_beta_front(0.5 * df, 0.5, x, y);
        step = part < 0.5 * wanted ? soothi_log(part / wanted) : soothi_log1p((part - wanted) / wanted);
        step *= upper ? -part / front : part / front;
        if (!(part > 0.0)) step = -0.125; /* so far to the right that the density is 0 */
        t *= soothi_exp(step);
        if (t > most) t = most;
    }
    if (t >= most) t = SOOTHI_INFINITE;
    return p < 0.5 ? -t : t;
}

SOOTHI_LOCAL double soothi_f_cdf(double f, double df1, double df2) {
    double w = f * (df1 / df2);
    if (soothi_nan(f) || !(df1 > 0.0 && df2 > 0.0) || !soothi_finite(df1 + df2)) return SOOTHI_NAN;
    if (!(w > 0.0)) return 0.0;
    if (!soothi_finite(w)) return 1.0;
    return soothi_beta(0.5 * df1, 0.5 * df2, w / (1.0 + w), 1.0 / (1.0 + w), 0);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
