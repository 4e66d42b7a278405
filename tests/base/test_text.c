/* test_text.c - numbers as text against the C library, which rounds correctly; sentences and sinks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base/text.h"
#include "check.h"

#include <float.h>
#include <locale.h>

static int same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }
static int same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

static double double_of(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float float_of(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t random_bits(sooth_rng *rng) {
    uint64_t high = sooth_rng_next(rng);
    return high << 32 | sooth_rng_next(rng);
}

/* The significant digits of a decimal, without zeros at both ends; how many there are. */
static int digits_of(const char *text, char digits[1200]) {
    int n = 0, last = 0;
    for (; *text && *text != 'e'; ++text) {
        if (*text < '0' || *text > '9' || (n == 0 && *text == '0')) continue;
        digits[n++] = *text;
        if (*text != '0') last = n;
    }
    digits[last] = 0;
    return last;
}

/* ---- both ways, against the C library ---- */

/* Not all do: MinGW's is one off just below some powers of two, and far off at ties of small floats. musl's,
   where long double is double, drops half of the smallest float and the sign of a -0. */
static int c_reads_right(void) {
    char tie[200];
    snprintf(tie, sizeof tie, "%.150e", 1.5 * ldexp(1, -149));
    return same_double(strtod("9.5054578314757981e-212", NULL), 0x1.fffffffffffffp-702) &&
           same_float(strtof(tie, NULL), 0x1p-148f) &&
           same_float(strtof("-7.006492321624087e-46", NULL), -0x1p-149f) &&
           same_float(strtof("-1.3319983461951346e-256", NULL), -0.0f);
}

/* The float of a quick way is that of the C library; of form 2 it has the same text, and no other has. */
static int is_of_form(int form, const char *text, size_t size, float f, float c) {
    char text_of_float[SOOTH_TEXT_NUMBER_SIZE];
    const int same =
        sooth_text_from_float(text_of_float, f) == size && memcmp(text_of_float, text, size) == 0;
    return same_float(f, c) && (form == 1 || same);
}

/* The quick ways for usual numbers refuse, or say what the C library says; *taken counts. Short decimals are
   read by the quicker one. */
static int usual_like_c(const char *text, size_t size, float c, int *taken) {
    char padded[1300];
    float f = 0, g = 0;
    if (size + 48 > sizeof padded) return 1;
    memcpy(padded, text, size);
    memset(padded + size, ',', 48);
    const int form = soothi_text_usual(padded, size, '.', &f);
    const int quick = soothi_text_decimal(padded, size, SOOTHI_EIGHT('.'), &g);
    *taken += form || quick;
    if (size <= 16 && strspn(text, "-0123456789.") == size && form != quick) return 0;
    return (!form || is_of_form(form, text, size, f, c)) && (!quick || is_of_form(quick, text, size, g, c));
}

/* Reads text as double and as float like the C library: same length, same bits. */
static int reads_like_c(const char *text) {
    char *end;
    double d = 0, c = strtod(text, &end);
    float f = 0, cf = strtof(text, NULL);
    size_t size = strlen(text), used = (size_t)(end - text);
    int taken = 0;
    return usual_like_c(text, used, cf, &taken) && sooth_text_to_double(text, size, &d) == used &&
           sooth_text_to_float(text, size, &f) == used && same_double(d, c) && same_float(f, cf);
}

static int returns_double(double v) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    double back = 0;
    size_t n = sooth_text_from_double(text, v);
    return n < SOOTH_TEXT_NUMBER_SIZE && text[n] == 0 && sooth_text_to_double(text, n, &back) == n &&
           same_double(back, v) && same_double(strtod(text, NULL), v);
}

static int returns_float(float v) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    float back = 0;
    size_t n = sooth_text_from_float(text, v);
    return n < SOOTH_TEXT_NUMBER_SIZE && text[n] == 0 && sooth_text_to_float(text, n, &back) == n &&
           same_float(back, v) && same_float(strtof(text, NULL), v);
}

/* Nothing shorter reads back; and of what is as short, ours is the nearest, which %e writes. */
static int is_shortest_double(double v) {
    char text[SOOTH_TEXT_NUMBER_SIZE], other[64], ours[1200], theirs[1200];
    int n;
    sooth_text_from_double(text, v);
    n = digits_of(text, ours);
    snprintf(other, sizeof other, "%.*e", n - 1, v);
    digits_of(other, theirs);
    if (same_double(strtod(other, NULL), v) && strcmp(ours, theirs) != 0) return 0;
    if (n < 2) return 1;
    snprintf(other, sizeof other, "%.*e", n - 2, v);
    return !same_double(strtod(other, NULL), v);
}

static int is_shortest_float(float v) {
    char text[SOOTH_TEXT_NUMBER_SIZE], other[64], ours[1200], theirs[1200];
    int n;
    sooth_text_from_float(text, v);
    n = digits_of(text, ours);
    snprintf(other, sizeof other, "%.*e", n - 1, (double)v);
    digits_of(other, theirs);
    if (same_float(strtof(other, NULL), v) && strcmp(ours, theirs) != 0) return 0;
    if (n < 2) return 1;
    snprintf(other, sizeof other, "%.*e", n - 2, (double)v);
    return !same_float(strtof(other, NULL), v);
}

/* Rounded to 1 .. 17 digits as %e does it. */
static int is_rounded(double v, unsigned digits) {
    char text[SOOTH_TEXT_NUMBER_SIZE], other[64], ours[1200], theirs[1200];
    size_t n = sooth_text_rounded(text, v, digits);
    snprintf(other, sizeof other, "%.*e", (int)digits - 1, v);
    digits_of(text, ours);
    digits_of(other, theirs);
    return n == strlen(text) && n < SOOTH_TEXT_NUMBER_SIZE && strcmp(ours, theirs) == 0 &&
           same_double(strtod(text, NULL), strtod(other, NULL));
}

static int all_of_double(double v) {
    char other[64];
    unsigned digits;
    int good = returns_double(v) && is_shortest_double(v);
    for (digits = 1; digits <= 17; ++digits) {
        snprintf(other, sizeof other, "%.*e", (int)digits - 1, v);
        good = good && is_rounded(v, digits) && reads_like_c(other);
    }
    return good;
}

static int all_of_float(float v) { return returns_float(v) && is_shortest_float(v); }

/* Digits in 64 bits are those of long arithmetic, also where the lower gap is half as wide. */
static void quick_digits_are_the_long_ones(void) {
    soothi_digits quick, slow;
    size_t taken = 0, bad = 0;
    for (uint32_t bits = 0x33000000u; bits < 0x4C000000u; bits += 0x4001u) {
        for (unsigned power_of_two = 0; power_of_two < 2; ++power_of_two) {
            const uint64_t fraction = 0x800000u | (power_of_two ? 0 : bits & 0x7FFFFFu);
            const int power = (int)(bits >> 23) - 150, at = fraction == 0x800000u;
            if (!soothi_text_quick_digits(fraction, power, at, &quick)) continue;
            soothi_text_digits(fraction, power, at, 0, &slow);
            ++taken;
            bad += quick.count != slow.count || quick.point != slow.point ||
                   memcmp(quick.digit, slow.digit, (size_t)slow.count) != 0;
        }
    }
    CHECK(bad == 0);
    CHECK(taken > 40000);
}

static void a_million_bit_patterns(void) {
    sooth_rng rng;
    char other[64];
    int i, bad = 0, most = check_is_slow() ? 600000 : 60000;
    sooth_rng_init(&rng, 1, 2);
    for (i = 0; i < most; ++i) {
        double v = double_of(random_bits(&rng));
        float f = float_of(sooth_rng_next(&rng));
        if (isfinite(v)) bad += !returns_double(v);
        if (isfinite(f)) bad += !returns_float(f);
        if (i % 8 || !isfinite(v) || !isfinite(f)) continue;
        bad += !is_shortest_double(v) + !is_shortest_float(f) + !is_rounded(v, 1 + (unsigned)i / 8 % 17);
        snprintf(other, sizeof other, "%.17g", v);
        bad += !reads_like_c(other);
    }
    CHECK(bad == 0);
}

/* The numbers that people write. */
static void short_decimals(void) {
    sooth_rng rng;
    char text[64];
    int i, bad = 0;
    sooth_rng_init(&rng, 3, 4);
    for (i = 0; i < 60000; ++i) {
        unsigned places = sooth_rng_below(&rng, 10);
        snprintf(text, sizeof text, "%.*f", (int)places, sooth_rng_double(&rng) * 1000.0);
        bad += !reads_like_c(text);
        bad += !all_of_float(strtof(text, NULL));
        if (i % 16 == 0) bad += !all_of_double(strtod(text, NULL));
    }
    CHECK(bad == 0);
}

/* At and beside the middle between two floats, with 1 to 20 digits: a double on the way may not decide. */
static void middles_of_floats(void) {
    sooth_rng rng;
    char text[64];
    int i, bad = 0, most = check_is_slow() ? 3000000 : 10000;
    sooth_rng_init(&rng, 5, 6);
    for (i = 0; i < most; ++i) {
        const uint32_t bits = sooth_rng_next(&rng) & 0x7FFFFFFFu;
        const float low = float_of(bits), high = float_of(bits + 1);
        const double middle = 0.5 * (double)low + 0.5 * (double)high;
        if (!isfinite(low) || !isfinite(high)) continue;
        snprintf(text, sizeof text, "%.*e", (int)sooth_rng_below(&rng, 20), middle);
        bad += !reads_like_c(text);
        snprintf(text, sizeof text, "%.17g",
                 middle * (1.0 + ((double)sooth_rng_below(&rng, 40) - 20.0) * 1.1102230246251565e-16));
        bad += !reads_like_c(text);
        if (middle < 1e15 && middle > 1e-6) {
            snprintf(text, sizeof text, "%.*f", (int)sooth_rng_below(&rng, 20), middle);
            bad += !reads_like_c(text);
        }
    }
    CHECK(bad == 0);
}

/* Digits, a point and an exponent anywhere. Nine of ten numbers as people write them go the quick way. */
static void digits_at_random(void) {
    sooth_rng rng;
    char text[64];
    int i, bad = 0, taken = 0, usual = 0, most = check_is_slow() ? 3000000 : 10000;
    sooth_rng_init(&rng, 7, 8);
    for (i = 0; i < most; ++i) {
        const unsigned digits = 1 + sooth_rng_below(&rng, 22), point = sooth_rng_below(&rng, 30);
        size_t n = 0, k;
        if (sooth_rng_below(&rng, 2)) text[n++] = '-';
        for (k = 0; k < digits; ++k) { /* the point may be missing, not lead */
            if (k == point) text[n++] = '.';
            text[n++] = (char)('0' + sooth_rng_below(&rng, 10));
        }
        text[n] = 0;
        if (point > 0 && digits < 17) {
            bad += !usual_like_c(text, n, strtof(text, NULL), &taken);
            ++usual;
        }
        if (sooth_rng_below(&rng, 2)) snprintf(text + n, 20, "e%d", (int)sooth_rng_below(&rng, 110) - 55);
        bad += !reads_like_c(text);
    }
    CHECK(bad == 0 && 10 * taken > 9 * usual);
}

/* The quicker way reads exactly [-]digits[.digits] of up to 16 characters, with any decimal point. It takes
   nothing else for a number. */
static void decimals_at_random(void) {
    static const char characters[] = "0123456789012345678901234567890123456789....--+,e;/:\x80 \n\0";
    sooth_rng rng;
    char text[64] = {0};
    int bad = 0, taken = 0;
    sooth_rng_init(&rng, 17, 18);
    for (int i = 0; i < (check_is_slow() ? 30000000 : 200000); ++i) {
        const size_t size = sooth_rng_below(&rng, 20);
        const uint32_t kinds = sooth_rng_below(&rng, 2) ? 10 : (uint32_t)sizeof characters;
        const char point = sooth_rng_below(&rng, 4) ? '.' : ',';
        size_t digits = 0, points = 0, k;
        float f = 0;
        for (k = 0; k < 24; ++k) text[k] = characters[sooth_rng_below(&rng, kinds)];
        if (size > 0 && sooth_rng_below(&rng, 2)) text[sooth_rng_below(&rng, (uint32_t)size)] = point;
        if (sooth_rng_below(&rng, 4) == 0) text[0] = '-';
        for (k = 0; k < size; ++k) {
            digits += text[k] >= '0' && text[k] <= '9';
            points += text[k] == point;
        }
        const int is_decimal =
            digits > 0 && points < 2 && digits + points + (text[0] == '-') == size && size <= 16;
        const int form = soothi_text_decimal(text, size, SOOTHI_EIGHT((unsigned char)point), &f);
        if (!is_decimal) bad += form != 0;
        if (!is_decimal || !form) continue;
        ++taken;
        text[size] = 0;
        for (k = 0; k < size; ++k)
            if (text[k] == ',') text[k] = '.';
        bad += !is_of_form(form, text, size, f, strtof(text, NULL));
    }
    CHECK(bad == 0 && taken > 50000);
}

static void powers_of_two_and_their_neighbours(void) {
    int e, bad = 0;
    if (!c_reads_right()) CHECK_SKIP("the C library here reads numbers wrongly");
    for (e = -1074; e < 1024; ++e) {
        double v = ldexp(1, e);
        bad += !all_of_double(v) + !all_of_double(nextafter(v, 0)) + !all_of_double(-nextafter(v, INFINITY));
        if (e < -149 || e > 127) continue;
        bad += !all_of_float((float)v) + !all_of_float(nextafterf((float)v, 0)) +
               !all_of_float(-nextafterf((float)v, 1e38f));
    }
    CHECK(bad == 0);
}

static void powers_of_ten_and_their_neighbours(void) {
    char text[32];
    int e, bad = 0;
    for (e = -330; e <= 310; ++e) {
        double v;
        snprintf(text, sizeof text, "1e%d", e);
        v = strtod(text, NULL);
        bad += !reads_like_c(text);
        if (v > 0 && v < DBL_MAX)
            bad +=
                !all_of_double(v) + !all_of_double(nextafter(v, 0)) + !all_of_double(nextafter(v, INFINITY));
    }
    CHECK(bad == 0);
}

static void whole_numbers(void) {
    char text[SOOTH_TEXT_NUMBER_SIZE], other[64];
    sooth_rng rng;
    int i, bad = 0;
    sooth_rng_init(&rng, 5, 6);
    for (i = 0; i < 20000; ++i) {
        int64_t whole = (int64_t)(random_bits(&rng) >> (11 + sooth_rng_below(&rng, 53)));
        snprintf(other, sizeof other, "%lld", (long long)-whole);
        sooth_text_from_double(text, -(double)whole);
        bad += strcmp(text, whole ? other : "-0") != 0;
        bad += !all_of_float((float)whole);
    }
    CHECK(bad == 0);
}

/* ---- ties and limits ---- */

/* Ties, limits, forms: whatever the C library takes, to the same character and the same bits. */
static void hard_cases(void) {
    static const char *const texts[] = {"2.2250738585072011e-308",
                                        "2.2250738585072012e-308",
                                        "2.2250738585072014e-308",
                                        "2.225073858507201136057409796709131975935e-308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "179769313486231580793728971405301e276",
                                        "9007199254740993",
                                        "9007199254740993.0",
                                        "9007199254740993.0000000000000000000001",
                                        "9007199254740992.9999999999999999999",
                                        "1e23",
                                        "8.5e22",
                                        "9.5e22",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "4.9406564584124654e-324",
                                        "7.4e-324",
                                        "1e400",
                                        "1e-400",
                                        "1e309",
                                        "1e310",
                                        "1e-330",
                                        "1e-331",
                                        "0.000000000000000000000000000001",
                                        "123456789012345678901234567890",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "9999999999999999999",
                                        "99999999999999999999",
                                        "16777217",
                                        "16777217.0000001",
                                        "16777216.9999999",
                                        "1.00000017881393432617187499",
                                        "1.000000178813934326171875",
                                        "1.00000017881393432617187501",
                                        "1.0000001788139343",
                                        "340282356779733661637539395458142568447",
                                        "340282356779733661637539395458142568448",
                                        "3.4028235677973366e38",
                                        "7.006492321624085e-46",
                                        "7.006492321624086e-46",
                                        "1.1754942807573643e-38",
                                        "6.631236846766476e-316",
                                        "3.2378839133029012895883524125015321748630094e-319",
                                        "0.1e1x",
                                        "1e5,3",
                                        "1.5e",
                                        "7e+",
                                        "1e-",
                                        "1.2.3",
                                        "1..2",
                                        ".5",
                                        "5.",
                                        ".5.",
                                        "00001.5000",
                                        "-0",
                                        "+3",
                                        "0e999999999",
                                        "0e-1",
                                        "1e-99999999999",
                                        "1e99999999999999999999999999",
                                        "0.0000e5",
                                        "-.0",
                                        "1E5",
                                        "1e+05",
                                        "1e0000000000000000000002"};
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        int good = reads_like_c(texts[i]);
        if (!good) printf("  %s\n", texts[i]);
        CHECK(good);
    }
}

/* A tie, a hair above it and a hair below, written in full: each as it is, with many zeros, and with
   zeros in front. */
static int tie_rounds_like_c(const char *tie) {
    static char text[4200];
    size_t n = strlen(tie), e = strcspn(tie, "e");
    int good = reads_like_c(tie);
    char *last;
    snprintf(text, sizeof text, "%.*s00001%s", (int)e, tie, tie + e);
    good = good && reads_like_c(text);
    snprintf(text, sizeof text, "%.*s%01200d%s", (int)e, tie, 0, tie + e);
    good = good && reads_like_c(text);
    snprintf(text, sizeof text, "%.*s%01200d1%s", (int)e, tie, 0, tie + e);
    good = good && reads_like_c(text);
    snprintf(text, sizeof text, "00%.*s", (int)n, tie);
    good = good && reads_like_c(text);
    for (last = text + 2 + e - 1; *last == '0' || *last == '.'; --last)
        continue; /* one less in its last digit */
    --*last;
    return good && reads_like_c(text);
}

static void ties_of_floats(void) {
    static char tie[1300];
    sooth_rng rng;
    int i, bad = 0;
    if (!c_reads_right()) CHECK_SKIP("the C library here reads numbers wrongly");
    sooth_rng_init(&rng, 7, 8);
    for (i = 0; i < 3000; ++i) {
        uint32_t bits = sooth_rng_next(&rng) & 0x7FFFFFFFu;
        if (i < 40) bits = (uint32_t)i;                        /* the smallest */
        if (i >= 40 && i < 60) bits = 0x7FFFE0u + (uint32_t)i; /* denormal to normal */
        if (bits >= 0x7F7FFFFFu) continue;
        snprintf(tie, sizeof tie, "%.150e",
                 0.5 * ((double)float_of(bits) + (double)float_of(bits + 1))); /* exact */
        bad += !tie_rounds_like_c(tie);
    }
    CHECK(bad == 0);
}

static void ties_of_doubles(void) {
#if LDBL_MANT_DIG >= 64
    static char tie[2400];
    sooth_rng rng;
    int i, bad = 0;
    if (!c_reads_right()) CHECK_SKIP("the C library here reads numbers wrongly");
    sooth_rng_init(&rng, 9, 10);
    for (i = 0; i < 1500; ++i) {
        uint64_t bits = random_bits(&rng) >> 1;
        if (i < 40) bits = (uint64_t)i;
        if (i >= 40 && i < 60) bits = 0xFFFFFFFFFFFE0u + (uint64_t)i;
        if (bits >= 0x7FEFFFFFFFFFFFFFu) continue;
        snprintf(tie, sizeof tie, "%.780Le",
                 0.5L * ((long double)double_of(bits) + (long double)double_of(bits + 1)));
        bad += !tie_rounds_like_c(tie);
    }
    CHECK(bad == 0);
#else
    CHECK_SKIP("long double is no wider than double here");
#endif
}

static void many_zeros_are_not_digits(void) {
    static char text[2200];
    double v;
    snprintf(text, sizeof text, "9007199254740993%01000de-1000", 0); /* a tie, whatever follows */
    CHECK(sooth_text_to_double(text, strlen(text), &v) == strlen(text) && v == 9007199254740992.0);
    snprintf(text, sizeof text, "0.%02000d1e2001", 0);
    CHECK(sooth_text_to_double(text, strlen(text), &v) == strlen(text) && v == 1.0);
    snprintf(text, sizeof text, "1%02000de-2000", 0);
    CHECK(sooth_text_to_double(text, strlen(text), &v) == strlen(text) && v == 1.0);
}

static void long_decimals(void) {
    sooth_rng rng;
    int i, bad = 0;
    sooth_rng_init(&rng, 9, 0);
    for (i = 0; i < 12000; ++i) {
        char text[1100];
        size_t n = 2 + sooth_rng_below(&rng, i % 8 ? 100 : 1000), k;
        for (k = 0; k < n; ++k) text[k] = (char)('0' + sooth_rng_below(&rng, 10));
        text[sooth_rng_below(&rng, (uint32_t)n)] = '.';
        snprintf(text + n, sizeof text - n, "e%d",
                 (int)sooth_rng_below(&rng, 700) - 350 - (i % 2 ? (int)n : 0));
        bad += !reads_like_c(text);
    }
    CHECK(bad == 0);
}

/* Machines without exact double arithmetic (FLT_EVAL_METHOD is not 0) go without it. */
static void the_quick_way_gives_the_same_bits(void) {
    sooth_rng rng;
    int i, bad = 0, quick = 0;
    sooth_rng_init(&rng, 11, 12);
    for (i = 0; i < 60000; ++i) {
        uint64_t w = 1 + (random_bits(&rng) >> (11 + sooth_rng_below(&rng, 50))), bits;
        int power = (int)sooth_rng_below(&rng, 45) - 22, is_float = i & 1;
        soothi_big a;
        if (!soothi_text_quick(w, power, is_float, &bits)) continue;
        soothi_big_set(&a, w);
        bad += bits != soothi_text_exact(&a, power, 0, soothi_format_of(is_float));
        ++quick;
    }
    CHECK(bad == 0);
#if SOOTH_SAME_BITS
    CHECK(quick > 50000);
#else
    CHECK(quick == 0);
#endif
}

/* ---- forms ---- */

static void what_is_no_number(void) {
    static const char *const texts[] = {"",   "-",  "+",   ".",   "e5", "x",  " 1", "-.",
                                        "in", "na", "--1", "+-1", "i",  "-n", "$1"};
    double v = 7;
    float f = 7;
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        CHECK(sooth_text_to_double(texts[i], strlen(texts[i]), &v) == 0 && v == 7);
        CHECK(sooth_text_to_float(texts[i], strlen(texts[i]), &f) == 0 && f == 7);
    }
    CHECK(sooth_text_to_double("0x10", 4, &v) == 1 && v == 0); /* no hexadecimal */
    CHECK(sooth_text_to_double("NaN,", 4, &v) == 3 && isnan(v));
    CHECK(sooth_text_to_float("-nan", 4, &f) == 4 && isnan(f));
    CHECK(sooth_text_to_double("-Infinity", 9, &v) == 9 && v == -INFINITY);
    CHECK(sooth_text_to_float("+INFINITYx", 10, &f) == 9 && f == INFINITY);
    CHECK(sooth_text_to_double("inf", 3, &v) == 3 && v == INFINITY);
    CHECK(sooth_text_to_double("infinit", 7, &v) == 3 && v == INFINITY);
}

/* Nothing behind text[0..size) is looked at: each piece in memory of its own, for the sanitizers. */
static void only_the_given_bytes_are_read(void) {
    static const char *const texts[] = {"-1.25e-3", "+infinity", "nan",
                                        "123456789012345678901234567890.5e10"};
    size_t i, n;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        for (n = 0; n <= strlen(texts[i]); ++n) {
            char *piece = (char *)malloc(n + 1), *end;
            double v = 0, expected;
            size_t used;
            memcpy(piece, texts[i], n);
            piece[n] = 0;
            expected = strtod(piece, &end);
            used = (size_t)(end - piece);
            piece = (char *)realloc(piece, n ? n : 1);
            CHECK(sooth_text_to_double(piece, n, &v) == used &&
                  (used == 0 || isnan(v) || same_double(v, expected)));
            free(piece);
        }
}

static void forms(void) {
    static const struct {
        double value;
        const char *text;
    } pairs[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {0.001, "0.001"},
                 {12345, "12345"},
                 {-100, "-100"},
                 {0.30000000000000004, "0.30000000000000004"},
                 {1e21, "1e21"},
                 {1e16, "10000000000000000"},
                 {1e17, "1e17"},
                 {99999999999999984.0, "99999999999999980"},
                 {123456789.125, "123456789.125"},
                 {0.00001, "0.00001"},
                 {0.00001234, "0.00001234"},
                 {9.99e-6, "9.99e-6"},
                 {1e-7, "1e-7"},
                 {1.5e300, "1.5e300"},
                 {5e-324, "5e-324"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {9007199254740991.0, "9007199254740991"},
                 {9007199254740992.0, "9007199254740992"},
                 {-1.2345678901234568e-5, "-0.000012345678901234568"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"}};
    static const struct {
        double value;
        unsigned digits;
        const char *text;
    } rounded[] = {{99999.5, 5, "100000"},
                   {3.14159265, 3, "3.14"},
                   {1e10, 5, "10000000000"},
                   {0.5, 0, "0.5"},
                   {2.5, 1, "2"},
                   {3.5, 1, "4"},
                   {0.95, 1, "0.9"},
                   {9.9999, 4, "10"},
                   {1.0 / 3, 99, "0.33333333333333331"},
                   {123456, 3, "123000"},
                   {-0.0, 3, "-0"},
                   {0.1, 17, "0.10000000000000001"},
                   {1e300, 3, "1e300"},
                   {5e-324, 17, "4.9406564584124654e-324"},
                   {INFINITY, 2, "inf"}};
    char text[SOOTH_TEXT_NUMBER_SIZE];
    size_t i;
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        CHECK(sooth_text_from_double(text, pairs[i].value) == strlen(pairs[i].text));
        CHECK(strcmp(text, pairs[i].text) == 0);
    }
    for (i = 0; i < sizeof rounded / sizeof rounded[0]; ++i) {
        sooth_text_rounded(text, rounded[i].value, rounded[i].digits);
        CHECK(strcmp(text, rounded[i].text) == 0);
    }
    sooth_text_from_double(text, NAN);
    CHECK(strcmp(text, "nan") == 0);
    sooth_text_from_float(text, -NAN);
    CHECK(strcmp(text, "nan") == 0);
    sooth_text_from_float(text, 0.1f);
    CHECK(strcmp(text, "0.1") == 0);
    sooth_text_from_float(text, FLT_MAX);
    CHECK(strcmp(text, "3.4028235e38") == 0);
    sooth_text_from_float(text, float_of(1));
    CHECK(strcmp(text, "1e-45") == 0);
    sooth_text_from_float(text, 16777216.0f);
    CHECK(strcmp(text, "16777216") == 0);
}

/* All is the same where the C library itself would write and read 1,5. */
static void the_locale_does_not_matter(void) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    double v;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) CHECK_SKIP("the locale de_DE.UTF-8 is not here");
    snprintf(text, sizeof text, "%.1f", 1.5); /* musl accepts each name, and none changes numbers */
    if (strcmp(text, "1,5") != 0) CHECK_SKIP("the locale de_DE.UTF-8 has no decimal comma here");
    sooth_text_from_double(text, 1.5);
    CHECK(strcmp(text, "1.5") == 0 && sooth_text_to_double("2.5", 3, &v) == 3 && v == 2.5);
    CHECK(sooth_text_to_double("2,5", 3, &v) == 1 && v == 2.0);
    sooth_text_rounded(text, 3.14159, 3);
    CHECK(strcmp(text, "3.14") == 0);
    setlocale(LC_ALL, "C");
}

/* ---- sentences and sinks ---- */

static void sentences(void) {
    char text[32];
    CHECK(sooth_text_format(text, sizeof text, "%s %d%c", "a", -5, '!') == 5 && strcmp(text, "a -5!") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%u|%z|%%", 4294967295u, (size_t)7) == 14 &&
          strcmp(text, "4294967295|7|%") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%g %f", 0.5, (double)0.1f) == 7 &&
          strcmp(text, "0.5 0.1") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%G", 2.0 / 3) == 7 && strcmp(text, "0.66667") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%d %d", -2147483647 - 1, 2147483647) == 22);
    CHECK(strcmp(text, "-2147483648 2147483647") == 0);
    if (sizeof(size_t) == 8) { /* beyond what a double holds */
        sooth_text_format(text, sizeof text, "%z", (size_t)9007199254740993u);
        CHECK(strcmp(text, "9007199254740993") == 0);
        sooth_text_format(text, sizeof text, "%z", SIZE_MAX);
        CHECK(strcmp(text, "18446744073709551615") == 0);
    }
    CHECK(sooth_text_format(text, 6, "%s", "0123456789") == 5 && strcmp(text, "01234") == 0); /* cut, ended */
    CHECK(sooth_text_format(text, 3, "%u", 12345u) == 2 && strcmp(text, "12") == 0);
    CHECK(sooth_text_format(text, 4, "ab%s%s", "cd", "ef") == 3 && strcmp(text, "abc") == 0);
    CHECK(sooth_text_format(text, 1, "x%d", 1) == 0 && text[0] == 0);
    text[0] = '#';
    CHECK(sooth_text_format(text, 0, "x") == 0 && text[0] == '#');
    CHECK(sooth_text_format(text, sizeof text, "%s", (const char *)NULL) == 6 && strcmp(text, "(none)") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%s|", "") == 1 && strcmp(text, "|") == 0);
    CHECK(sooth_text_format(text, sizeof text, "50%") == 2 && strcmp(text, "50") == 0);
}

typedef struct log_of_writes {
    char text[4096];
    size_t calls, bytes, fail_at;
} log_of_writes;

static int log_write(void *user, const char *text, size_t size) {
    log_of_writes *w = (log_of_writes *)user;
    if (w->calls++ == w->fail_at) return 1;
    memcpy(w->text + w->bytes, text, size);
    w->bytes += size;
    return 0;
}

static void sinks(void) {
    static log_of_writes w;
    static char lengthy[3000];
    sooth_sink sink;
    int i;
    memset(&w, 0, sizeof w);
    w.fail_at = 99;
    sink.user = &w;
    sink.write_fn = log_write;
    sink.failed = 0;
    sooth_text_put(&sink, "%s = %g\n", "x", 0.25);
    sooth_text_put(&sink, "");
    CHECK(w.calls == 1 && w.bytes == 9 && memcmp(w.text, "x = 0.25\n", 9) == 0);
    memset(lengthy, 'a', sizeof lengthy - 1);
    sooth_text_write(&sink, lengthy, sizeof lengthy - 1); /* of any length */
    CHECK(w.bytes == 9 + sizeof lengthy - 1);
    sooth_text_put(&sink, "%s", lengthy); /* at most 1,000 */
    CHECK(w.bytes == 9 + sizeof lengthy - 1 + 1000);
    memset(&w, 0, sizeof w);
    w.fail_at = 2;
    for (i = 0; i < 10; ++i) sooth_text_put(&sink, "%d,", i);
    sooth_text_write(&sink, "x", 1);
    CHECK(sink.failed == 1 && w.calls == 3 && w.bytes == 4 &&
          memcmp(w.text, "0,1,", 4) == 0); /* silent after the failure */
}

/* The code point that a text begins with and its bytes, by their bits; 0 bytes: none (RFC 3629: the shortest
   form, no surrogate, at most 10FFFF). */
static size_t decoded(const unsigned char *c, uint32_t *point) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = 0;
    while (n < 8 && c[0] & 0x80u >> n) ++n;
    *point = c[0] & 0xFFu >> (n + 1);
    if (n == 0) return 1;
    if (n == 1 || n > 4) return 0;
    for (size_t i = 1; i < n; ++i) {
        if (c[i] >> 6 != 2) return 0;
        *point = *point << 6 | (c[i] & 63u);
    }
    return *point < least[n] || *point > 0x10FFFF || (*point >= 0xD800 && *point < 0xE000) ? 0 : n;
}

/* Every text of two bytes, and the ends of the ranges in three and four, beside RFC 3629 and RFC 8259. */
static void json_texts(void) {
    static const unsigned char end[] = {0x01, 0x22, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                        0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC,
                                        0xED, 0xEE, 0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF};
    static log_of_writes w;
    const size_t ends = sizeof end, two = 255 * 255;
    size_t wrong = 0;
    for (size_t i = 0; i < two + ends * ends * ends * ends; ++i) {
        unsigned char text[5] = {0, 0, 0, 0, 0};
        char expected[40] = "\"";
        size_t n = 1, k = i - two;
        if (i < two) text[0] = (unsigned char)(1 + i / 255), text[1] = (unsigned char)(1 + i % 255);
        else
            for (size_t j = 0; j < 4; ++j, k /= ends) text[j] = end[k % ends];
        for (const unsigned char *c = text; *c;) {
            uint32_t point;
            const size_t size = decoded(c, &point);
            if (!size) point = *c;
            if (!size || point < 0x20 || (point >= 0x7F && point < 0xA0))
                n += (size_t)snprintf(expected + n, sizeof expected - n, "\\u%04x", (unsigned)point);
            else
                n += (size_t)snprintf(expected + n, sizeof expected - n, "%s%.*s",
                                      point == '"' || point == '\\' ? "\\" : "", (int)size, (const char *)c);
            c += size ? size : 1;
        }
        expected[n++] = '"';
        w.calls = w.bytes = 0;
        w.fail_at = 99;
        sooth_sink sink = {&w, log_write, 0};
        sooth_text_json(&sink, (const char *)text);
        wrong += w.bytes != n || memcmp(w.text, expected, n) != 0;
    }
    CHECK(wrong == 0);
}

int main(void) {
    CHECK_RUN(quick_digits_are_the_long_ones);
    CHECK_RUN(a_million_bit_patterns);
    CHECK_RUN(short_decimals);
    CHECK_RUN(middles_of_floats);
    CHECK_RUN(digits_at_random);
    CHECK_RUN(decimals_at_random);
    CHECK_RUN(powers_of_two_and_their_neighbours);
    CHECK_RUN(powers_of_ten_and_their_neighbours);
    CHECK_RUN(whole_numbers);
    CHECK_RUN(hard_cases);
    CHECK_RUN(ties_of_floats);
    CHECK_RUN(ties_of_doubles);
    CHECK_RUN(many_zeros_are_not_digits);
    CHECK_RUN(long_decimals);
    CHECK_RUN(the_quick_way_gives_the_same_bits);
    CHECK_RUN(what_is_no_number);
    CHECK_RUN(only_the_given_bytes_are_read);
    CHECK_RUN(forms);
    CHECK_RUN(the_locale_does_not_matter);
    CHECK_RUN(sentences);
    CHECK_RUN(sinks);
    CHECK_RUN(json_texts);
    return check_end("text");
}
