/* test_num.c - num.h against the C library, against mpmath, and against its own words on the order of sums.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base.h"
#include "check.h"
#include "golden/num.h"

#include <float.h>

#define GOLDEN_HASH 0x455c93593beaee65ull /* see same_bits_everywhere */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static sooth_rng rng;

static float uniform(float least, float most) { return least + (most - least) * sooth_rng_float(&rng); }

/* Any double but NaN. */
static double any_double(void) {
    double v;
    do v = soothi_double((uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng));
    while (soothi_nan(v));
    return v;
}

static int same_float(float a, float b) { return soothi_bits(a) == soothi_bits(b) || (a != a && b != b); }
static int same_double(double a, double b) {
    return soothi_double_bits(a) == soothi_double_bits(b) || (a != a && b != b);
}

/* ---- elementary functions of floats ---- */

static double libm_sigmoid(double x) {
    if (x < -87.0) return 0.0; /* as documented */
    return x < 0.0 ? exp(x) / (1.0 + exp(x)) : 1.0 / (1.0 + exp(-x));
}
static double libm_softplus(double x) { return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

/* `worst` is the largest error that num.h states. */
static const struct {
    const char *name;
    float (*one)(float);
    void (*many)(const float *, size_t, float *);
    double (*libm)(double);
    double worst;
} functions[] = {
    {"exp", sooth_exp, soothi_exp_many, exp, 0.991},
    {"expm1", sooth_expm1, NULL, expm1, 1.581},
    {"log", sooth_log, NULL, log, 0.838},
    {"log1p", sooth_log1p, NULL, log1p, 0.853},
    {"tanh", sooth_tanh, soothi_tanh_many, tanh, 1.198},
    {"sigmoid", sooth_sigmoid, soothi_sigmoid_many, libm_sigmoid, 2.444},
    {"softplus", soothi_softplus_f, soothi_softplus_many, libm_softplus, 1.709},
};

static void apply(size_t f, const float *x, size_t n, float *y) {
    if (functions[f].many) functions[f].many(x, n, y);
    for (size_t i = 0; i < n && !functions[f].many; ++i) y[i] = functions[f].one(x[i]);
}

/* |value - exact| in units of the last place that a float near exact has; -1: wrong in kind. */
static double error_of(float value, double exact) {
    int exponent;
    if (exact != exact || value != value) return exact != exact && value != value ? 0.0 : -1.0;
    if (fabs(exact) > (double)FLT_MAX || fabs((double)value) > (double)FLT_MAX)
        return same_float(value, (float)exact) ? 0.0 : -1.0;
    if (exact == 0.0) return value == 0.0f && !signbit(value) == !signbit(exact) ? 0.0 : -1.0;
    frexp(exact, &exponent);
    if (exponent < -125) exponent = -125;
    return fabs((double)value - exact) / ldexp(1.0, exponent - 24);
}

/* Every 499th float, negative, infinite and NaN ones too (fewer on machines that are often emulated); all of
   them when compiled with -DSTEP=1: 10 minutes. */
#if !defined(STEP) && defined(__x86_64__)
#define STEP 499
#elif !defined(STEP)
#define STEP 9973
#endif
static void floats_are_within_the_stated_errors(void) {
    CHECK_SLOW();
    enum { BLOCK = 1024 };
    static float x[BLOCK], y[BLOCK];
    size_t f, i;
    for (f = 0; f < COUNT(functions); ++f) {
        uint64_t bits = 0;
        double worst = 0.0;
        while (bits <= UINT32_MAX) {
            for (i = 0; i < BLOCK; ++i, bits += STEP) x[i] = soothi_of_bits((uint32_t)bits);
            apply(f, x, BLOCK, y);
            for (i = 0; i < BLOCK; ++i) {
                double error = error_of(y[i], functions[f].libm((double)x[i]));
                if (error < 0.0 || error > functions[f].worst) {
                    printf("  %s(%.9g) = %.9g is %.3f ulp off\n", functions[f].name, (double)x[i],
                           (double)y[i], error);
                    CHECK(!"within the stated error");
                    return;
                }
                if (error > worst) worst = error;
            }
        }
        CHECK(worst > 0.5); /* else the test tests nothing */
    }
}

static void special_values(void) {
    const float inf = (float)INFINITY, least = 1.40129846e-45f;
    size_t f;
    for (f = 0; f < COUNT(functions); ++f) {
        CHECK(functions[f].one((float)NAN) != functions[f].one((float)NAN));
        CHECK(functions[f].one(-(float)NAN) != functions[f].one(-(float)NAN));
    }
    CHECK(sooth_exp(inf) == inf && same_float(sooth_exp(-inf), 0.0f));
    CHECK(sooth_exp(0.0f) == 1.0f && sooth_exp(-0.0f) == 1.0f);
    CHECK(sooth_exp(88.72284f) == inf && sooth_exp(88.72283f) < inf);
    CHECK(sooth_exp(-103.972f) == least && sooth_exp(-103.973f) == 0.0f); /* 2^-150 is between */
    CHECK(sooth_exp(FLT_MAX) == inf && sooth_exp(-FLT_MAX) == 0.0f);
    CHECK(same_float(sooth_expm1(0.0f), 0.0f) && same_float(sooth_expm1(-0.0f), -0.0f));
    CHECK(sooth_expm1(least) == least);
    CHECK(sooth_expm1(inf) == inf && sooth_expm1(-inf) == -1.0f && sooth_expm1(-40.0f) == -1.0f);
    CHECK(sooth_log(1.0f) == 0.0f && sooth_log(0.0f) == -inf);
    CHECK(sooth_log(-0.0f) == -inf && sooth_log(inf) == inf);
    CHECK(sooth_log(-1.0f) != sooth_log(-1.0f) && sooth_log(-inf) != sooth_log(-inf));
    CHECK(sooth_log(-least) != sooth_log(-least));
    CHECK(same_float(sooth_log(least), -103.278931f) && same_float(sooth_log(FLT_MAX), 88.7228394f));
    CHECK(sooth_log1p(-1.0f) == -inf && sooth_log1p(-1.0000001f) != sooth_log1p(-1.0000001f));
    CHECK(sooth_log1p(inf) == inf);
    CHECK(same_float(sooth_log1p(0.0f), 0.0f) && same_float(sooth_log1p(-0.0f), -0.0f));
    CHECK(sooth_log1p(-least) == -least);
    CHECK(sooth_log1p(-inf) != sooth_log1p(-inf));
    CHECK(sooth_tanh(inf) == 1.0f && sooth_tanh(-inf) == -1.0f && sooth_tanh(9.02f) == 1.0f);
    CHECK(same_float(sooth_tanh(0.0f), 0.0f) && same_float(sooth_tanh(-0.0f), -0.0f));
    CHECK(sooth_tanh(least) == least);
    CHECK(sooth_sigmoid(inf) == 1.0f && same_float(sooth_sigmoid(-inf), 0.0f) && sooth_sigmoid(0.0f) == 0.5f);
    CHECK(sooth_sigmoid(-87.0f) > FLT_MIN && sooth_sigmoid(-87.00001f) == 0.0f);
    CHECK(soothi_softplus_f(inf) == inf && soothi_softplus_f(-inf) == 0.0f);
    CHECK(same_float(soothi_softplus_f(0.0f), 0.693147182f));
}

/* Any number, any alignment, in place: always the bits of one by one, and nothing beyond is touched. */
static void many_is_one_by_one(void) {
    float x[80], y[80], before[80];
    size_t f, n, i, k;
    sooth_rng_init(&rng, 1, 0);
    for (f = 0; f < COUNT(functions); ++f) {
        for (n = 0; n <= 70; ++n) {
            const size_t shift = n % 5;
            for (i = 0; i < 80; ++i)
                x[i] = i % 13 == 12 ? soothi_of_bits(sooth_rng_next(&rng)) : uniform(-3.0f, 12.0f);
            memcpy(y, x, sizeof y);
            memcpy(before, x, sizeof x);
            apply(f, x + shift, n, y + shift);
            apply(f, x + shift, n, x + shift);
            for (i = 0; i < 80; ++i) {
                float want = i < shift || i >= shift + n ? before[i] : functions[f].one(before[i]);
                k = (size_t)same_float(x[i], want) + (size_t)same_float(y[i], want);
                CHECK(k == 2);
            }
        }
    }
}

static void odd_functions_are_odd(void) {
    int i;
    sooth_rng_init(&rng, 2, 0);
    for (i = 0; i < 20000; ++i) {
        float x = soothi_of_bits(sooth_rng_next(&rng));
        CHECK(same_float(sooth_tanh(-x), -sooth_tanh(x)));
    }
}

/* ---- square roots ---- */

static void square_roots_are_correctly_rounded(void) {
    const double special[] = {0.0,    -0.0,    1.0,     2.0,      3.0,  4.0,
                              5e-324, DBL_MIN, DBL_MAX, INFINITY, -1.0, (double)NAN};
    uint64_t bits;
    size_t i;
    sooth_rng_init(&rng, 3, 0);
    for (i = 0; i < COUNT(special); ++i) {
        CHECK(same_double(soothi_sqrt(special[i]), sqrt(special[i])));
        CHECK(same_double(soothi_sqrt_portable(special[i]), sqrt(special[i])));
        CHECK(same_float(soothi_sqrt_f((float)special[i]), sqrtf((float)special[i])));
        CHECK(same_float(soothi_sqrt_portable_f((float)special[i]), sqrtf((float)special[i])));
    }
    for (i = 0; i < 200000; ++i) {
        double x = fabs(any_double()), root = sqrt(x);
        CHECK(same_double(soothi_sqrt(x), root) && same_double(soothi_sqrt_portable(x), root));
        x = (double)(1 + i) * (double)(1 + i); /* squares and their neighbours: the hard cases */
        CHECK(soothi_sqrt_portable(x) == (double)(1 + i));
        x = soothi_double(soothi_double_bits(x) + (i & 1 ? 1u : (uint64_t)-1));
        CHECK(same_double(soothi_sqrt_portable(x), sqrt(x)));
    }
    for (bits = 0; bits < 0x7F800000u; bits += 9973) {
        float x = soothi_of_bits((uint32_t)bits), root = sqrtf(x);
        CHECK(same_float(soothi_sqrt_f(x), root) && same_float(soothi_sqrt_portable_f(x), root));
    }
}

/* ---- vectors and matrices ---- */

/* The definition that num.h gives, in the plainest code. */
static double lanes_end(double *lane, size_t lanes) {
    size_t k;
    for (lanes /= 2; lanes; lanes /= 2)
        for (k = 0; k < lanes; ++k) lane[k] += lane[k + lanes];
    return lane[0];
}
static float lanes_end_f(float *lane, size_t lanes) {
    size_t k;
    for (lanes /= 2; lanes; lanes /= 2)
        for (k = 0; k < lanes; ++k) lane[k] += lane[k + lanes];
    return lane[0];
}

static void sums_have_the_documented_order(void) {
    enum { MOST = 203 };
    float a[MOST], b[MOST], y[MOST + 1];
    double c[MOST], d[MOST];
    size_t n, i;
    sooth_rng_init(&rng, 4, 0);
    for (i = 0; i < MOST; ++i) {
        a[i] = uniform(-1.0f, 1.0f);
        b[i] = uniform(-1.0f, 1.0f);
        c[i] = sooth_rng_double(&rng) - 0.5;
        d[i] = sooth_rng_double(&rng) - 0.5;
    }
    for (n = 0; n <= MOST; ++n) {
        float dot_f[16] = {0}, sum_f[16] = {0};
        double dot[8] = {0}, sum[8] = {0}, wide[8] = {0};
        for (i = 0; i < n; ++i) {
            dot_f[i % 16] += a[i] * b[i];
            sum_f[i % 16] += a[i];
            dot[i % 8] += c[i] * d[i];
            sum[i % 8] += c[i];
            wide[i % 8] += (double)a[i] * (double)b[i];
        }
#if SOOTH_SAME_BITS
        CHECK(soothi_dot_f(a, b, n) == lanes_end_f(dot_f, 16));
        CHECK(soothi_sum_f(a, n) == lanes_end_f(sum_f, 16));
        CHECK(soothi_dot(c, d, n) == lanes_end(dot, 8));
        CHECK(soothi_sum(c, n) == lanes_end(sum, 8));
        CHECK(soothi_dot_wide(a, b, n) == lanes_end(wide, 8));
#else
        CHECK_NEAR(soothi_dot_f(a, b, n), lanes_end_f(dot_f, 16), 1e-5);
        CHECK_NEAR(soothi_sum_f(a, n), lanes_end_f(sum_f, 16), 1e-5);
        CHECK_NEAR(soothi_dot(c, d, n), lanes_end(dot, 8), 1e-13);
        CHECK_NEAR(soothi_sum(c, n), lanes_end(sum, 8), 1e-13);
        CHECK_NEAR(soothi_dot_wide(a, b, n), lanes_end(wide, 8), 1e-13);
#endif
        for (i = 0; i <= MOST; ++i) y[i] = (float)i;
        soothi_axpy_f(y, 0.3f, a, n);
        soothi_multiply_f(y, 0.7f, n);
        for (i = 0; i <= MOST; ++i) {
            float u = i < n ? ((float)i + 0.3f * a[i]) * 0.7f : (float)i;
            CHECK_CLOSE(y[i], u, SOOTH_SAME_BITS ? 0.0 : 1e-6);
        }
    }
}

static void gemm_is_the_three_loops(void) {
    enum { SIDE = 140, ROWS = 40, COLS = 75, DEEP = 133 };
    static float a[SIDE * SIDE], b[SIDE * SIDE], c[ROWS * SIDE], want[ROWS * SIDE];
    size_t i, j, p, round;
    sooth_rng_init(&rng, 5, 0);
    for (i = 0; i < SIDE * SIDE; ++i) {
        a[i] = uniform(-1.0f, 1.0f);
        b[i] = uniform(-1.0f, 1.0f);
    }
    for (round = 0; round < 120; ++round) {
        const size_t m = round < 3 ? round : sooth_rng_below(&rng, ROWS + 1);
        const size_t n = sooth_rng_below(&rng, COLS / 4 + 1) * 4;
        const size_t k = round % 10 == 9 ? 0 : sooth_rng_below(&rng, DEEP + 1);
        const size_t a_row = round & 1 ? 1 : SIDE, a_col = round & 1 ? SIDE : 1; /* transposed or not */
        for (i = 0; i < ROWS * SIDE; ++i) want[i] = c[i] = uniform(-1.0f, 1.0f);
        for (i = 0; i < m; ++i)
            for (j = 0; j < n; ++j)
                for (p = 0; p < k; ++p) want[i * SIDE + j] += a[i * a_row + p * a_col] * b[p * SIDE + j];
        soothi_gemm_f(round & 2 ? soothi_has_avx2() : 0, m, n, k, a, a_row, a_col, b, SIDE, c, SIDE);
        for (i = 0; i < ROWS * SIDE; ++i) CHECK_NEAR(c[i], want[i], SOOTH_SAME_BITS ? 0.0 : 1e-4);
    }
}

/* NaN and infinities in one row or column stay there. */
static void gemm_keeps_rows_apart(void) {
    float a[6 * 5], b[5 * 8], c[6 * 8];
    size_t i, j;
    for (i = 0; i < 30; ++i) a[i] = 1.0f;
    for (i = 0; i < 40; ++i) b[i] = 1.0f;
    memset(c, 0, sizeof c);
    a[5 * 4 + 2] = (float)NAN;
    b[8 * 1 + 6] = (float)INFINITY;
    soothi_gemm_f(0, 6, 8, 5, a, 5, 1, b, 8, c, 8);
    for (i = 0; i < 6; ++i)
        for (j = 0; j < 8; ++j) {
            float v = c[i * 8 + j];
            CHECK(i == 4 ? v != v : j == 6 ? v > FLT_MAX : v == 5.0f);
        }
}

/* One number in every lane is that number, whatever it is. */
static void a_splat_keeps_its_bits(void) {
    static const uint32_t odd[8] = {0,           0x80000000u, 1,           0x807FFFFFu,
                                    0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x40490FDBu};
    float lane[SOOTHI_WIDE];
    size_t i, k;
    for (i = 0; i < 8; ++i) {
        const soothi_wide v = soothi_wide_splat(soothi_of_bits(odd[i]));
        memcpy(lane, &v, sizeof lane);
        for (k = 0; k < SOOTHI_WIDE; ++k) CHECK(soothi_bits(lane[k]) == odd[i]);
    }
}

/* ---- elementary functions of doubles ---- */

/* The reference is long double where that is a wider IEEE 754 format; elsewhere it is double, and then libm's
   own error comes on top. */
#if LDBL_MANT_DIG == 64 || LDBL_MANT_DIG == 113
typedef long double exact_number;
#define EXACT(function) function##l
#define LIBM_ERROR 0.0
#else
typedef double exact_number;
#define EXACT(function) function
#define LIBM_ERROR 1.0
#endif

/* The larger of `worst` and the error of ours(x), in units of the last place. */
static double worst_of(double (*ours)(double), exact_number (*exact)(exact_number), double x, double worst) {
    double y = ours(x), error;
    exact_number want = exact((exact_number)x);
    int exponent;
    if (want != want || y != y) return want != want && y != y ? worst : HUGE_VAL;
    if (EXACT(fabs)(want) > (exact_number)DBL_MAX || fabs(y) > DBL_MAX)
        return y == (double)want ? worst : HUGE_VAL;
    if (want == 0) return y == 0.0 ? worst : HUGE_VAL;
    frexp((double)want, &exponent);
    if (exponent < -1021) exponent = -1021;
    error = (double)(EXACT(fabs)((exact_number)y - want) / EXACT(ldexp)(1, exponent - 53));
    return error > worst ? error : worst;
}

static void doubles_are_within_two_units(void) {
    double e = 0.0, m = 0.0, l = 0.0, p = 0.0, x;
    int i;
    volatile exact_number one = 1;
    if (sizeof one > sizeof x && one + EXACT(ldexp)(1, -60) == one)
        CHECK_SKIP("a long double has no more digits than a double here, as under valgrind");
    sooth_rng_init(&rng, 6, 0);
    for (i = 0; i < 100000; ++i) {
        x = 1500.0 * (sooth_rng_double(&rng) - 0.5);
        e = worst_of(soothi_exp, EXACT(exp), x, e);
        m = worst_of(soothi_expm1, EXACT(expm1), x, m);
        x = 4.0 * (sooth_rng_double(&rng) - 0.5);
        e = worst_of(soothi_exp, EXACT(exp), x, e);
        m = worst_of(soothi_expm1, EXACT(expm1), x, m);
        l = worst_of(soothi_log, EXACT(log), 1.0 + x / 4.0, l);
        p = worst_of(soothi_log1p, EXACT(log1p), x, p);
        x = any_double();
        e = worst_of(soothi_exp, EXACT(exp), x, e);
        m = worst_of(soothi_expm1, EXACT(expm1), x, m);
        l = worst_of(soothi_log, EXACT(log), x, l);
        p = worst_of(soothi_log1p, EXACT(log1p), x, p);
    }
    CHECK_NEAR(e, 0.5, 0.5 + LIBM_ERROR);
    CHECK_NEAR(m, 1.0, 1.0 + LIBM_ERROR);
    CHECK_NEAR(l, 0.5, 0.5 + LIBM_ERROR);
    CHECK_NEAR(p, 0.5, 0.5 + LIBM_ERROR);
    CHECK(soothi_exp(NAN) != soothi_exp(NAN) && soothi_log(NAN) != soothi_log(NAN));
    CHECK(soothi_log(-1.0) != soothi_log(-1.0));
    CHECK(soothi_expm1(NAN) != soothi_expm1(NAN) && soothi_log1p(NAN) != soothi_log1p(NAN));
    CHECK(soothi_exp(-INFINITY) == 0.0 && soothi_exp(INFINITY) > DBL_MAX && soothi_exp(0.0) == 1.0);
    CHECK(soothi_expm1(-INFINITY) == -1.0 && soothi_expm1(INFINITY) > DBL_MAX);
    CHECK(same_double(soothi_expm1(-0.0), -0.0));
    CHECK(soothi_log(0.0) < -DBL_MAX && soothi_log(INFINITY) > DBL_MAX && soothi_log(1.0) == 0.0);
    CHECK(soothi_log1p(-1.0) < -DBL_MAX && soothi_log1p(INFINITY) > DBL_MAX);
    CHECK(same_double(soothi_log1p(-0.0), -0.0));
}

/* ---- distributions ---- */

/* log Gamma(x) from the series that the distributions stand on. */
static double log_gamma(double x) {
    return (x - 0.5) * soothi_log(x) - x + 0.91893853320467274178 + soothi_stirling(x);
}

static void distributions_match_mpmath(void) {
    size_t i;
    for (i = 0; i < COUNT(golden_log_gamma); ++i)
        CHECK_NEAR(log_gamma(golden_log_gamma[i].x), golden_log_gamma[i].value,
                   3e-15 * (1.0 + fabs(golden_log_gamma[i].value)));
    for (i = 0; i < COUNT(golden_normal_cdf); ++i) /* the first is denormal and has few digits */
        CHECK_NEAR(sooth_normal_cdf(golden_normal_cdf[i].z), golden_normal_cdf[i].value,
                   1e-14 * golden_normal_cdf[i].value + 5e-324);
    for (i = 0; i < COUNT(golden_normal_quantile); ++i)
        CHECK_CLOSE(sooth_normal_quantile(golden_normal_quantile[i].p), golden_normal_quantile[i].value,
                    2e-15);
    for (i = 0; i < COUNT(golden_t_cdf); ++i)
        CHECK_CLOSE(sooth_t_cdf(golden_t_cdf[i].t, golden_t_cdf[i].df), golden_t_cdf[i].value, 1e-13);
    for (i = 0; i < COUNT(golden_t_quantile); ++i)
        CHECK_CLOSE(sooth_t_quantile(golden_t_quantile[i].p, golden_t_quantile[i].df),
                    golden_t_quantile[i].value, 1e-13);
    for (i = 0; i < COUNT(golden_f_cdf); ++i)
        CHECK_CLOSE(soothi_f_cdf(golden_f_cdf[i].f, golden_f_cdf[i].df1, golden_f_cdf[i].df2),
                    golden_f_cdf[i].value, 1e-13);
}

/* Closed forms: t with 1 and 2 degrees of freedom, F with 2 and 2; t^2 is F(1, df); upper tails. */
static void distributions_keep_their_identities(void) {
    const double r2 = sqrt(2.0), r3 = sqrt(3.0);
    double t;
    CHECK_CLOSE(sooth_t_cdf(1.0, 1.0), 3.0 / 4.0, 1e-14); /* 1/2 + arctan(t) / pi */
    CHECK_CLOSE(sooth_t_cdf(r3, 1.0), 5.0 / 6.0, 1e-14);
    CHECK_CLOSE(sooth_t_cdf(1.0 + r2, 1.0), 7.0 / 8.0, 1e-14);
    CHECK_CLOSE(sooth_t_cdf(-1.0 / r3, 1.0), 1.0 / 3.0, 1e-14);
    CHECK_CLOSE(sooth_t_cdf(-2.0 - r3, 1.0), 1.0 / 12.0, 1e-14);
    for (t = -20.0; t < 20.0; t += 0.37) {
        CHECK_CLOSE(sooth_t_cdf(-fabs(t), 2.0), 1.0 / (2.0 + t * t + fabs(t) * sqrt(2.0 + t * t)), 1e-13);
        CHECK_CLOSE(soothi_f_cdf(t * t, 1.0, 7.5), 1.0 - 2.0 * sooth_t_cdf(-fabs(t), 7.5), 1e-12);
        CHECK_CLOSE(soothi_f_cdf(t * t, 2.0, 2.0), t * t / (1.0 + t * t), 1e-13);
        CHECK_CLOSE(soothi_f_cdf(1.0 / (t * t), 5.0, 3.0), 1.0 - soothi_f_cdf(t * t, 3.0, 5.0), 1e-9);
        CHECK_NEAR(sooth_normal_cdf(t) + sooth_normal_cdf(-t), 1.0, 3e-16);
        CHECK_NEAR(sooth_t_cdf(t, INFINITY), sooth_normal_cdf(t), 0.0);
    }
    for (t = 0.001; t < 1.0; t += 0.0137) { /* a quantile and its cdf undo each other */
        CHECK_CLOSE(sooth_normal_cdf(sooth_normal_quantile(t)), t, 1e-14);
        CHECK_CLOSE(sooth_t_cdf(sooth_t_quantile(t, 0.3), 0.3), t, 1e-12);
        CHECK_CLOSE(sooth_t_cdf(sooth_t_quantile(t, 12.0), 12.0), t, 1e-13);
        CHECK_CLOSE(sooth_t_cdf(sooth_t_quantile(t, 1e9), 1e9), t, 1e-10);
    }
    for (t = 1e-300; t < 0.1; t *= 1e7) { /* far out in the tail, where Newton's first step may go too far */
        double df;
        for (df = 2.0; df < 1e17; df *= 7.0) CHECK_CLOSE(sooth_t_cdf(sooth_t_quantile(t, df), df), t, 1e-11);
    }
}

static void distributions_at_their_ends(void) {
    const double inf = INFINITY;
    CHECK(sooth_normal_cdf(-inf) == 0.0 && sooth_normal_cdf(inf) == 1.0 && sooth_normal_cdf(0.0) == 0.5);
    CHECK(sooth_normal_quantile(0.0) == -inf && sooth_normal_quantile(1.0) == inf);
    CHECK(sooth_normal_quantile(0.5) == 0.0);
    CHECK(sooth_t_cdf(-inf, 3.0) == 0.0 && sooth_t_cdf(inf, 3.0) == 1.0 && sooth_t_cdf(0.0, 3.0) == 0.5);
    CHECK(sooth_t_cdf(-1e200, 3.0) == 0.0 && sooth_t_cdf(1e-200, 3.0) == 0.5);
    CHECK(sooth_t_cdf(1e200, 3.0) == 1.0);
    CHECK(sooth_t_quantile(0.0, 3.0) == -inf && sooth_t_quantile(1.0, 3.0) == inf);
    CHECK(sooth_t_quantile(0.5, 3.0) == 0.0);
    CHECK(sooth_t_quantile(1e-10, 0.01) == -inf); /* -1e1000 or so */
    CHECK(soothi_nan(soothi_f_cdf(1.0, inf, 3.0)) && soothi_nan(soothi_f_cdf(1.0, 3.0, inf)));
    CHECK(soothi_f_cdf(0.0, 2.0, 3.0) == 0.0 && soothi_f_cdf(inf, 2.0, 3.0) == 1.0);
    CHECK(soothi_f_cdf(-1.0, 2.0, 3.0) == 0.0);
    CHECK(sooth_normal_cdf(NAN) != 0.0 && soothi_nan(sooth_normal_cdf(NAN)));
    CHECK(soothi_nan(sooth_normal_quantile(NAN)));
    CHECK(soothi_nan(sooth_normal_quantile(-0.1)) && soothi_nan(sooth_normal_quantile(1.1)));
    CHECK(soothi_nan(sooth_t_cdf(NAN, 3.0)) && soothi_nan(sooth_t_cdf(1.0, NAN)));
    CHECK(soothi_nan(sooth_t_cdf(1.0, 0.0)));
    CHECK(soothi_nan(sooth_t_cdf(1.0, -1.0)) && soothi_nan(sooth_t_quantile(0.3, 0.0)));
    CHECK(soothi_nan(sooth_t_quantile(2.0, 3.0)));
    CHECK(soothi_nan(soothi_f_cdf(NAN, 2.0, 3.0)) && soothi_nan(soothi_f_cdf(1.0, 0.0, 3.0)));
    CHECK(soothi_nan(soothi_f_cdf(1.0, 2.0, NAN)));
}

/* Moments within 4 standard errors, and every twentieth of the distribution equally full: chi-square with 19
   degrees of freedom is below 43.8 with probability 0.999. The seed is fixed: it passes or fails for ever. */
static void normal_numbers_are_normal(void) {
    enum { N = 100000, CELLS = 20 };
    double moment[5] = {0}, chi = 0.0, z, power;
    size_t cell[CELLS] = {0}, i, k;
    sooth_rng_init(&rng, 7, 0);
    for (i = 0; i < N; ++i) {
        z = sooth_rng_normal(&rng);
        for (k = 1, power = z; k < 5; ++k, power *= z) moment[k] += power / N;
        ++cell[(size_t)(sooth_normal_cdf(z) * CELLS)];
    }
    CHECK_NEAR(moment[1], 0.0, 4.0 * sqrt(1.0 / N)); /* the variance of z^k is (2k - 1)!! - (k - 1)!!^2 */
    CHECK_NEAR(moment[2], 1.0, 4.0 * sqrt(2.0 / N));
    CHECK_NEAR(moment[3], 0.0, 4.0 * sqrt(15.0 / N));
    CHECK_NEAR(moment[4], 3.0, 4.0 * sqrt(96.0 / N));
    for (i = 0; i < CELLS; ++i) chi += pow((double)cell[i] - (double)N / CELLS, 2.0) / ((double)N / CELLS);
    CHECK(chi > 5.4 && chi < 43.8);
}

/* ---- the same bits everywhere ---- */

static unsigned long long golden = 14695981039346656037ull;

/* FNV-1a over the bytes of a word, the lowest first on every machine. */
static void golden_add(uint64_t word, int bytes) {
    for (; bytes; --bytes, word >>= 8) golden = (golden ^ (word & 255u)) * 1099511628211ull;
}

static void same_bits_everywhere(void) {
    enum { N = 4096, SIDE = 36 };
    static float x[N], y[N], c[SIDE * SIDE];
    size_t f, i;
    sooth_rng_init(&rng, 2026, 2);
    for (f = 0; f < COUNT(functions); ++f) {
        for (i = 0; i < N; ++i) {
            x[i] = i & 1 ? soothi_of_bits(sooth_rng_next(&rng)) : uniform(-12.0f, 12.0f);
            if (x[i] != x[i]) x[i] = 0.0f; /* the bits of NaN are free */
            if (f == 2) x[i] = soothi_of_bits(soothi_bits(x[i]) & 0x7FFFFFFFu);
            if (f == 3 && x[i] < -1.0f) x[i] = -x[i];
        }
        apply(f, x, N, y);
        for (i = 0; i < N; ++i) golden_add(soothi_bits(y[i]), 4);
    }
    for (i = 0; i < N; ++i) {
        double z = sooth_rng_normal(&rng);
        x[i] = (float)z;
        y[i] = uniform(-1.0f, 1.0f);
        golden_add(soothi_double_bits(z), 8);
        golden_add(soothi_double_bits(soothi_exp(300.0 * z)), 8);
        golden_add(soothi_double_bits(soothi_expm1(z)), 8);
        golden_add(soothi_double_bits(soothi_log1p(z * z)), 8);
        golden_add(soothi_bits(soothi_sqrt_f(x[i] * x[i])), 4);
    }
    for (i = 0; i < 60; ++i) {
        golden_add(soothi_double_bits(sooth_t_cdf((double)x[i], 3.0 + (double)i)), 8);
        golden_add(soothi_double_bits(sooth_t_quantile((i + 0.5) / 60.0, 3.0 + (double)i)), 8);
        golden_add(soothi_double_bits(soothi_f_cdf((double)(x[i] * x[i]), 3.0, 1.0 + (double)i)), 8);
        golden_add(soothi_double_bits(sooth_normal_quantile((i + 0.5) / 60.0)), 8);
    }
    golden_add(soothi_bits(soothi_dot_f(x, y, N - 3)), 4);
    golden_add(soothi_double_bits(soothi_dot_wide(x, y, N - 3)), 8);
    memset(c, 0, sizeof c);
    soothi_gemm_f(0, SIDE, SIDE, SIDE, x, SIDE, 1, y, SIDE, c, SIDE);
    for (i = 0; i < SIDE * SIDE; ++i) golden_add(soothi_bits(c[i]), 4);
    if (!SOOTH_SAME_BITS) CHECK_SKIP("this machine evaluates float and double with more digits");
    if (golden != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", golden);
    CHECK(golden == GOLDEN_HASH);
}

int main(void) {
    CHECK_RUN(floats_are_within_the_stated_errors);
    CHECK_RUN(special_values);
    CHECK_RUN(many_is_one_by_one);
    CHECK_RUN(odd_functions_are_odd);
    CHECK_RUN(square_roots_are_correctly_rounded);
    CHECK_RUN(sums_have_the_documented_order);
    CHECK_RUN(a_splat_keeps_its_bits);
    CHECK_RUN(gemm_is_the_three_loops);
    CHECK_RUN(gemm_keeps_rows_apart);
    CHECK_RUN(doubles_are_within_two_units);
    CHECK_RUN(distributions_match_mpmath);
    CHECK_RUN(distributions_keep_their_identities);
    CHECK_RUN(distributions_at_their_ends);
    CHECK_RUN(normal_numbers_are_normal);
    CHECK_RUN(same_bits_everywhere);
    return check_end("num");
}
