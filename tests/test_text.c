/* test_text.c - numbers as text against the C library, which rounds correctly; sentences and sinks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/text.h"
#include "check.h"

#include <locale.h>

static int same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }
static int same_float(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Significant digits of a decimal as written. */
static int digits_of(const char *text) {
    int n = 0, zeros = 0, started = 0;
    for (; *text && *text != 'e'; ++text) {
        if (*text < '0' || *text > '9') continue;
        started |= *text != '0';
        if (!started) continue;
        if (*text == '0') ++zeros;
        else {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

static int check_double(double v) {
    char text[SOOTH_NUMBER_TEXT], other[64];
    double back = 0;
    size_t n = sooth_text_from_double(text, v);
    int digits;
    if (n != strlen(text) || n >= SOOTH_NUMBER_TEXT) return 0;
    if (sooth_text_to_double(text, n, &back) != n || !same_double(back, v) || !same_double(strtod(text, NULL), v)) return 0;
    digits = digits_of(text);
    if (digits > 1) { /* nothing shorter reads back */
        snprintf(other, sizeof other, "%.*e", digits - 2, v);
        if (same_double(strtod(other, NULL), v)) return 0;
    }
    snprintf(other, sizeof other, "%.17g", v);
    if (sooth_text_to_double(other, strlen(other), &back) != strlen(other) || !same_double(back, v)) return 0;
    snprintf(other, sizeof other, "%.12e", v);
    sooth_text_to_double(other, strlen(other), &back);
    if (!same_double(back, strtod(other, NULL))) return 0;
    sooth_text_rounded(text, v, 5);
    snprintf(other, sizeof other, "%.4e", v);
    return same_double(strtod(text, NULL), strtod(other, NULL));
}

static int check_float(float v) {
    char text[SOOTH_NUMBER_TEXT], other[64];
    float back = 0;
    size_t n = sooth_text_from_float(text, v);
    int digits;
    if (sooth_text_to_float(text, n, &back) != n || !same_float(back, v) || !same_float(strtof(text, NULL), v)) return 0;
    digits = digits_of(text);
    if (digits > 1) {
        snprintf(other, sizeof other, "%.*e", digits - 2, (double)v);
        if (same_float(strtof(other, NULL), v)) return 0;
    }
    snprintf(other, sizeof other, "%.11e", (double)v * 1.0000001);
    sooth_text_to_float(other, strlen(other), &back);
    return same_float(back, strtof(other, NULL));
}

static void random_bits(void) {
    sooth_rng rng;
    int i, bad = 0;
    sooth_rng_init(&rng, 1, 2);
    for (i = 0; i < 60000 && bad < 5; ++i) {
        uint64_t bits = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng);
        uint32_t word = (uint32_t)bits;
        double v;
        float f;
        memcpy(&v, &bits, sizeof v);
        memcpy(&f, &word, sizeof f);
        if (isfinite(v)) bad += !check_double(v);
        if (isfinite(f)) bad += !check_float(f);
        bad += !check_double((double)(int)sooth_rng_below(&rng, 1000000) / 1000);
        bad += !check_float((float)sooth_rng_below(&rng, 100000) / 100);
    }
    CHECK(bad == 0);
}

static void powers_of_two_and_their_neighbours(void) {
    int e, bad = 0;
    for (e = -1074; e < 1024; ++e) {
        double v = ldexp(1, e);
        bad += !check_double(v) + !check_double(nextafter(v, 0)) + !check_double(-nextafter(v, INFINITY));
        if (e >= -149 && e < 128) bad += !check_float((float)v) + !check_float(nextafterf((float)v, 0));
    }
    CHECK(bad == 0);
}

/* Ties, limits, forms: whatever the C library takes, to the same character and the same bits. */
static void hard_cases(void) {
    static const char *const texts[] = {
        "2.2250738585072011e-308", "2.2250738585072012e-308", "1.7976931348623158e308", "1.7976931348623159e308", "9007199254740993",
        "9007199254740993.0000000000000000000001", "1e23", "8.5e22", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e400", "1e-400",
        "0.000000000000000000000000000001", "123456789012345678901234567890", "16777217", "16777217.0000001", "1.5e", "7e+", "1.2.3", ".5", "5.",
        "00001.5000", "-0", "+3", "0e999999999", "1e-99999999999", "340282356779733661637539395458142568447", "340282356779733661637539395458142568448",
        "7.006492321624085e-46", "7.006492321624086e-46", "0.1e1x", "1e5,3"};
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char *end;
        double v = -1, expected = strtod(texts[i], &end);
        float f = -1, expected_f;
        CHECK(sooth_text_to_double(texts[i], strlen(texts[i]), &v) == (size_t)(end - texts[i]));
        CHECK(same_double(v, expected));
        expected_f = strtof(texts[i], NULL);
        sooth_text_to_float(texts[i], strlen(texts[i]), &f);
        CHECK(same_float(f, expected_f));
    }
}

static void long_decimals(void) {
    sooth_rng rng;
    int i, bad = 0;
    sooth_rng_init(&rng, 9, 0);
    for (i = 0; i < 1500; ++i) {
        char text[1100];
        size_t n = 1 + sooth_rng_below(&rng, 1000), k;
        double v = 0;
        for (k = 0; k < n; ++k) text[k] = (char)('0' + sooth_rng_below(&rng, 10));
        text[sooth_rng_below(&rng, (uint32_t)n)] = '.';
        sprintf(text + n, "e%d", (int)sooth_rng_below(&rng, 700) - 600);
        if (n == 1) continue; /* only a point */
        sooth_text_to_double(text, strlen(text), &v);
        bad += !same_double(v, strtod(text, NULL));
    }
    CHECK(bad == 0);
}

static void what_is_no_number(void) {
    static const char *const texts[] = {"", "-", "+", ".", "e5", "x", " 1", "-.", "in", "na"};
    double v = 7;
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) CHECK(sooth_text_to_double(texts[i], strlen(texts[i]), &v) == 0 && v == 7);
    CHECK(sooth_text_to_double("NaN,", 4, &v) == 3 && isnan(v));
    CHECK(sooth_text_to_double("-Infinity", 9, &v) == 9 && v == -INFINITY);
    CHECK(sooth_text_to_double("inf", 3, &v) == 3 && v == INFINITY);
    CHECK(sooth_text_to_double("12345", 2, &v) == 2 && v == 12);
}

static void forms(void) {
    static const struct {
        double value;
        const char *text;
    } pairs[] = {{0.1, "0.1"}, {1e21, "1e21"}, {123456, "123456"}, {1e16, "10000000000000000"}, {1e17, "1e17"}, {0.00001234, "0.00001234"},
                 {0.1 + 0.2, "0.30000000000000004"}, {1e-7, "1e-7"}, {-100, "-100"}, {1.5e300, "1.5e300"}, {-0.0, "-0"}, {5e-324, "5e-324"}};
    char text[SOOTH_NUMBER_TEXT];
    size_t i;
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        sooth_text_from_double(text, pairs[i].value);
        CHECK(strcmp(text, pairs[i].text) == 0);
    }
    sooth_text_rounded(text, 99999.5, 5);
    CHECK(strcmp(text, "100000") == 0);
    sooth_text_rounded(text, 3.14159265, 3);
    CHECK(strcmp(text, "3.14") == 0);
    sooth_text_from_double(text, NAN);
    CHECK(strcmp(text, "nan") == 0);
    sooth_text_from_float(text, 0.1f);
    CHECK(strcmp(text, "0.1") == 0);
}

static void the_locale_does_not_matter(void) {
    char text[SOOTH_NUMBER_TEXT];
    double v;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) CHECK_SKIP("the locale de_DE.UTF-8 is not here");
    sooth_text_from_double(text, 1.5);
    CHECK(strcmp(text, "1.5") == 0 && sooth_text_to_double("2.5", 3, &v) == 3 && v == 2.5);
    setlocale(LC_ALL, "C");
}

static void sentences(void) {
    char text[16];
    CHECK(sooth_text_format(text, sizeof text, "%s %d%c", "a", -5, '!') == 5 && strcmp(text, "a -5!") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%u|%z|%%", 4294967295u, (size_t)7) == 14 && strcmp(text, "4294967295|7|%") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%g %f", 0.5, (double)0.1f) == 7 && strcmp(text, "0.5 0.1") == 0);
    CHECK(sooth_text_format(text, 6, "%s", "0123456789") == 5 && strcmp(text, "01234") == 0); /* cut, ended */
    CHECK(sooth_text_format(text, 0, "x") == 0);
    CHECK(sooth_text_format(text, sizeof text, "%s", (const char *)NULL) == 6 && strcmp(text, "(none)") == 0);
    CHECK(sooth_text_format(text, sizeof text, "50%") == 2);
}

typedef struct log_of_writes {
    size_t calls, bytes, fail_at;
} log_of_writes;

static int count_writes(void *user, const char *text, size_t size) {
    log_of_writes *w = (log_of_writes *)user;
    (void)text;
    w->bytes += size;
    return w->calls++ == w->fail_at;
}

static void sinks_stop_after_a_failure(void) {
    log_of_writes w = {0, 0, 2};
    sooth_sink sink;
    int i;
    sink.user = &w;
    sink.write_fn = count_writes;
    sink.failed = 0;
    for (i = 0; i < 10; ++i) sooth_text_put(&sink, "%d,", i);
    CHECK(sink.failed == 1 && w.calls == 3);
}

int main(void) {
    CHECK_RUN(random_bits);
    CHECK_RUN(powers_of_two_and_their_neighbours);
    CHECK_RUN(hard_cases);
    CHECK_RUN(long_decimals);
    CHECK_RUN(what_is_no_number);
    CHECK_RUN(forms);
    CHECK_RUN(the_locale_does_not_matter);
    CHECK_RUN(sentences);
    CHECK_RUN(sinks_stop_after_a_failure);
    return check_end("text");
}
