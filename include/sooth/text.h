/* text.h - numbers and sentences as text, the same in every locale.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads decimal numbers correctly rounded and writes the shortest decimal that reads back to the
 * same bits, whatever the locale says about commas. Formats short sentences into a caller's
 * buffer, or piece by piece into a sink (a file, a socket, a growing buffer: the caller's choice).
 *
 *     char text[SOOTH_NUMBER_TEXT];
 *     sooth_text_from_double(text, 0.1 + 0.2);              "0.30000000000000004"
 *     double value;
 *     size_t used = sooth_text_to_double("1e-3,rest", 9, &value);   used == 4, value == 0.001
 *
 * Costs: no allocation, no libc beyond memcpy/memset, no state; any number of threads.
 */
#ifndef SOOTH_TEXT_H
#define SOOTH_TEXT_H

#include <float.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SOOTH_API
#  if defined(__GNUC__) || defined(__clang__)
#    define SOOTHI_UNUSED __attribute__((unused))
#  else
#    define SOOTHI_UNUSED
#  endif
#  define SOOTHI_INLINE static inline SOOTHI_UNUSED
#  ifdef SOOTH_STATIC
#    define SOOTH_API static inline SOOTHI_UNUSED
#  else
#    define SOOTH_API extern
#  endif
#endif
#if defined(SOOTH_STATIC) && !defined(SOOTH_IMPLEMENTATION)
#  define SOOTH_IMPLEMENTATION
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Room for any number written below, with its final zero. */
#define SOOTH_NUMBER_TEXT 32

/* Writes the shortest decimal that reads back to the same double, zero-terminated, and returns its
   length. Not-a-number is "nan", the infinities are "inf" and "-inf". */
SOOTH_API size_t sooth_text_from_double(char text[SOOTH_NUMBER_TEXT], double value);

/* The same for a float: the shortest decimal that reads back to the same float. */
SOOTH_API size_t sooth_text_from_float(char text[SOOTH_NUMBER_TEXT], float value);

/* Writes value rounded to `digits` significant digits (1 to 17), for people. */
SOOTH_API size_t sooth_text_rounded(char text[SOOTH_NUMBER_TEXT], double value, unsigned digits);

/* Reads the decimal number at the start of text[0..size), rounded to nearest even, and returns how
   many characters it took; 0 if there is no number. Takes [+-]digits[.digits][e[+-]digits], "nan",
   "inf", "infinity" in any case; no leading blanks, no hexadecimal. Overflow gives an infinity. */
SOOTH_API size_t sooth_text_to_double(const char *text, size_t size, double *value);

/* The same, rounded once, straight to float. */
SOOTH_API size_t sooth_text_to_float(const char *text, size_t size, float *value);

/* Formats into text[0..size), always zero-terminated, cut when too long; returns the length written.
   %s string, %c character, %d int, %u unsigned (uint32_t), %z size_t, %g double (shortest), %G double (5 digits), %f float
   (as double argument, shortest as float), %% a percent sign. Nothing else. */
SOOTH_API size_t sooth_text_format(char *text, size_t size, const char *format, ...);

/* Where long output goes. write_fn returns 0, or nonzero when it could not write; after that the sink stays silent
   and `failed` is set. */
typedef struct sooth_sink {
    void *user;
    int (*write_fn)(void *user, const char *text, size_t size);
    int failed;
} sooth_sink;

/* Formats as above (at most 1,000 characters a call) and writes to the sink. */
SOOTH_API void sooth_text_put(sooth_sink *sink, const char *format, ...);

/* Writes a text of any length to the sink as it is. */
SOOTH_API void sooth_text_write(sooth_sink *sink, const char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_TEXT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TEXT_IMPLEMENTED)
#define SOOTH_TEXT_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
#ifdef __cplusplus
extern "C" {
#endif

/* ---- natural numbers of any length that a conversion can need ---- */

/* The longest is 10^1145 (a number of 800 digits just above the smallest double), 3,804 bits. */
enum { SOOTHI_BIG_WORDS = 128, SOOTHI_MOST_DIGITS = 800 };

typedef struct soothi_big {
    uint32_t word[SOOTHI_BIG_WORDS]; /* little end first */
    size_t words;                    /* in use; the last is not zero; none: the number is 0 */
} soothi_big;

SOOTHI_INLINE void soothi_big_set(soothi_big *a, uint64_t value) {
    a->words = 0;
    for (; value; value >>= 32) a->word[a->words++] = (uint32_t)value;
}

/* a = a * factor + more */
SOOTHI_INLINE void soothi_big_scale(soothi_big *a, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    size_t i;
    for (i = 0; i < a->words; ++i) {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) a->word[a->words++] = (uint32_t)carry;
}

/* a = a * 10^power */
SOOTHI_INLINE void soothi_big_tens(soothi_big *a, unsigned power) {
    for (; power >= 9; power -= 9) soothi_big_scale(a, 1000000000u, 0);
    for (; power; --power) soothi_big_scale(a, 10, 0);
}

/* a = a * 2^power */
SOOTHI_INLINE void soothi_big_shift(soothi_big *a, unsigned power) {
    size_t whole = power / 32, i;
    if (a->words == 0) return;
    soothi_big_scale(a, (uint32_t)1 << (power % 32), 0);
    for (i = a->words; i-- > 0;) a->word[i + whole] = a->word[i];
    for (i = 0; i < whole; ++i) a->word[i] = 0;
    a->words += whole;
}

/* The number of bits, 0 for 0. */
SOOTHI_INLINE int soothi_big_bits(const soothi_big *a) {
    int bits = (int)a->words * 32;
    uint32_t top;
    if (a->words == 0) return 0;
    for (top = a->word[a->words - 1]; !(top >> 31); top <<= 1) --bits;
    return bits;
}

/* Below, at or above 0 as a is below, equal to or above b. */
SOOTHI_INLINE int soothi_big_compare(const soothi_big *a, const soothi_big *b) {
    size_t i;
    if (a->words != b->words) return a->words < b->words ? -1 : 1;
    for (i = a->words; i-- > 0;)
        if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

/* a = a + b */
SOOTHI_INLINE void soothi_big_add(soothi_big *a, const soothi_big *b) {
    uint64_t carry = 0;
    size_t i, n = a->words > b->words ? a->words : b->words;
    for (i = 0; i < n || carry; ++i) {
        carry += (uint64_t)(i < a->words ? a->word[i] : 0) + (i < b->words ? b->word[i] : 0);
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    a->words = i;
}

/* a = a - b, where a >= b */
SOOTHI_INLINE void soothi_big_subtract(soothi_big *a, const soothi_big *b) {
    uint64_t borrow = 0;
    size_t i;
    for (i = 0; i < a->words; ++i) {
        uint64_t d = (uint64_t)a->word[i] - (i < b->words ? b->word[i] : 0) - borrow;
        a->word[i] = (uint32_t)d;
        borrow = d >> 63;
    }
    while (a->words && a->word[a->words - 1] == 0) --a->words;
}

/* ---- floating point as integers ---- */

/* What tells float from double here: bits of the significand, the exponent of the smallest normal number's leading bit, of the largest's. */
typedef struct soothi_format {
    int precision, least, most;
} soothi_format;

SOOTHI_INLINE soothi_format soothi_format_of(int is_float) {
    soothi_format f;
    f.precision = is_float ? 24 : 53;
    f.least = is_float ? -126 : -1022;
    f.most = is_float ? 127 : 1023;
    return f;
}

/* The bits of the number nearest to q * 2^power, ties to even: q has its top bit set, `rest` says that something smaller than its last
   bit was cut off. Sign apart. */
SOOTHI_INLINE uint64_t soothi_text_assemble(uint64_t q, int power, int rest, soothi_format f) {
    int exponent = power + 63, cut = 64 - f.precision;
    uint64_t kept, lost, half;
    if (exponent < f.least) cut += f.least - exponent; /* denormal: fewer bits are left */
    if (exponent > f.most) return ((uint64_t)(2 * f.most + 1)) << (f.precision - 1);
    if (cut > 64) return 0;
    kept = cut == 64 ? 0 : q >> cut;
    lost = cut == 64 ? q : q & (((uint64_t)1 << cut) - 1);
    half = (uint64_t)1 << (cut - 1);
    if (lost > half || (lost == half && (rest || (kept & 1)))) ++kept;
    /* the leading bit of a normal number adds one to its exponent field; so does a carry out of the significand */
    if (exponent < f.least) return kept;
    return kept + ((uint64_t)(exponent - f.least) << (f.precision - 1));
}

/* digits (whole) * 10^power, rounded. */
SOOTHI_INLINE uint64_t soothi_text_exact(soothi_big *a, int power, int rest, soothi_format f) {
    soothi_big b;
    uint64_t q = 0;
    int shift, k;
    soothi_big_set(&b, 1);
    if (power >= 0) soothi_big_tens(a, (unsigned)power);
    else soothi_big_tens(&b, (unsigned)-power);
    /* scale by a power of two so that 1/2 <= a / b < 2, then divide bit by bit */
    shift = soothi_big_bits(&b) - soothi_big_bits(a);
    if (shift > 0) soothi_big_shift(a, (unsigned)shift);
    else soothi_big_shift(&b, (unsigned)-shift);
    if (soothi_big_compare(a, &b) < 0) {
        soothi_big_shift(a, 1);
        ++shift;
    }
    for (k = 0; k < 64; ++k) { /* now b <= a < 2 b: the first bit is 1 */
        q <<= 1;
        if (soothi_big_compare(a, &b) >= 0) {
            soothi_big_subtract(a, &b);
            q |= 1;
        }
        soothi_big_shift(a, 1);
    }
    return soothi_text_assemble(q, -shift - 63, rest || a->words > 0, f);
}

/* ---- reading ---- */

/* True when text[0..size) begins with word, in any case. */
SOOTHI_INLINE int soothi_text_begins(const char *text, size_t size, const char *word) {
    size_t i;
    for (i = 0; word[i]; ++i)
        if (i >= size || (text[i] | 32) != word[i]) return 0;
    return 1;
}

SOOTHI_INLINE double soothi_ten_to(int power) { /* exact up to 10^22 */
    double value = 1.0;
    for (; power > 0; --power) value *= 10.0;
    return value;
}

/* Reads a number; *bits gets its bits as float or double. Returns the characters taken. */
SOOTHI_INLINE size_t soothi_text_read(const char *text, size_t size, int is_float, uint64_t *bits) {
    const soothi_format f = soothi_format_of(is_float);
    const uint64_t sign = (uint64_t)1 << (is_float ? 31 : 63), infinite = ((uint64_t)(2 * f.most + 1)) << (f.precision - 1);
    size_t i = 0, from, end, length, point = 0, digits = 0, k;
    int negative, dot = 0, rest = 0, power = 0;
    long exponent = 0;
    uint64_t head = 0;
    soothi_big a;
    if (size == 0) return 0;
    negative = text[0] == '-';
    if (negative || text[0] == '+') ++i;
    if (soothi_text_begins(text + i, size - i, "nan")) {
        *bits = infinite | (uint64_t)1 << (f.precision - 2);
        return i + 3;
    }
    if (soothi_text_begins(text + i, size - i, "inf")) {
        *bits = infinite | (negative ? sign : 0);
        return i + (soothi_text_begins(text + i, size - i, "infinity") ? 8 : 3);
    }
    from = i;
    for (length = 0; i < size; ++i) {
        if (text[i] == '.' && !dot) {
            dot = 1;
            point = i;
        } else if (text[i] >= '0' && text[i] <= '9') {
            ++length;
        } else {
            break;
        }
    }
    if (length == 0) return 0;
    end = i;
    if (!dot) point = end;
    if (i + 1 < size && (text[i] | 32) == 'e') {
        int down = text[i + 1] == '-';
        size_t e = i + 1 + (down || text[i + 1] == '+' ? 1u : 0u);
        for (k = e; k < size && text[k] >= '0' && text[k] <= '9'; ++k)
            if (exponent < 100000000) exponent = exponent * 10 + (text[k] - '0');
        if (k > e) i = k;
        if (down) exponent = -exponent;
    }
    while (from < end && (text[from] == '0' || text[from] == '.')) ++from; /* to the first digit that counts */
    while (end > from && (text[end - 1] == '0' || text[end - 1] == '.') && (end > point || !dot)) {
        --end; /* zeros at the end of it; those before the point are counted in the power below */
        if (end <= point) break;
    }
    for (k = from; k < end; ++k) digits += text[k] != '.';
    *bits = negative ? sign : 0;
    if (digits == 0) return i;
    /* value = (the digits as a whole number) * 10^power */
    {
        long p = exponent + (point >= end ? (long)(point - end) : -(long)(end - point - 1));
        if (p + (long)digits > 400) {
            *bits |= infinite;
            return i;
        }
        if (p + (long)digits < -400) return i;
        if (digits > SOOTHI_MOST_DIGITS) { /* what follows can only break a tie, and 800 digits are more than any tie has */
            p += (long)(digits - SOOTHI_MOST_DIGITS);
            digits = SOOTHI_MOST_DIGITS;
            rest = 1;
        }
        power = (int)p;
    }
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    if (digits <= 18 && power >= -22 && power <= 22) { /* both exact: one rounding (Clinger 1990) */
        for (k = from; k < end; ++k)
            if (text[k] != '.') head = head * 10 + (uint64_t)(text[k] - '0');
        if (!is_float && head <= (uint64_t)1 << 53) {
            double value = power < 0 ? (double)head / soothi_ten_to(-power) : (double)head * soothi_ten_to(power);
            memcpy(&head, &value, sizeof value);
            *bits |= head;
            return i;
        }
        if (is_float && head <= (uint64_t)1 << 24 && power >= -10 && power <= 10) {
            float ten = (float)soothi_ten_to(power < 0 ? -power : power);
            float value = power < 0 ? (float)head / ten : (float)head * ten;
            uint32_t word;
            memcpy(&word, &value, sizeof value);
            *bits |= word;
            return i;
        }
    }
#endif
    (void)head;
    soothi_big_set(&a, 0);
    for (k = from; digits > 0; ++k) {
        if (text[k] == '.') continue;
        soothi_big_scale(&a, 10, (uint32_t)(text[k] - '0'));
        --digits;
    }
    *bits |= soothi_text_exact(&a, power, rest, f);
    return i;
}

SOOTH_API size_t sooth_text_to_double(const char *text, size_t size, double *value) {
    uint64_t bits;
    size_t used = soothi_text_read(text, size, 0, &bits);
    if (used) memcpy(value, &bits, sizeof *value);
    return used;
}

SOOTH_API size_t sooth_text_to_float(const char *text, size_t size, float *value) {
    uint64_t bits;
    uint32_t word;
    size_t used = soothi_text_read(text, size, 1, &bits);
    word = (uint32_t)bits;
    if (used) memcpy(value, &word, sizeof *value);
    return used;
}

/* ---- writing ---- */

/* 0.d1 d2 d3 ... * 10^point */
typedef struct soothi_digits {
    char digit[24];
    int count, point;
} soothi_digits;

/* The digits of significand * 2^power: the fewest that read back to the same number of this format (Steele and White 1990, in the form of
   Burger and Dybvig 1996), or, when wanted > 0, so many, correctly rounded. a / b is the number; the gaps to its neighbours are up / b and
   down / b, halved. */
SOOTHI_INLINE void soothi_text_digits(uint64_t significand, int power, int at_power_of_two, int wanted, soothi_digits *out) {
    soothi_big a, b, up, down, sum;
    int even = (significand & 1) == 0, tens, bits = 0, low = 0, high = 0;
    uint64_t s;
    for (s = significand; s; s >>= 1) ++bits;
    soothi_big_set(&a, significand);
    soothi_big_set(&b, 1);
    soothi_big_set(&down, 1);
    soothi_big_shift(&a, 1u + (unsigned)at_power_of_two);
    soothi_big_shift(&b, 1u + (unsigned)at_power_of_two);
    if (power >= 0) {
        soothi_big_shift(&a, (unsigned)power);
        soothi_big_shift(&down, (unsigned)power);
    } else {
        soothi_big_shift(&b, (unsigned)-power);
    }
    up = down;
    if (at_power_of_two) soothi_big_shift(&up, 1); /* the gap above is twice the gap below */
    /* an estimate of the decimal point that is right or one too low: log10(2) = 0.30103 - 4.3e-9 */
    tens = (bits + power - 1) * 30103;
    tens = tens >= 0 ? tens / 100000 : -((-tens + 99999) / 100000);
    if (tens >= 0) {
        soothi_big_tens(&b, (unsigned)tens);
    } else {
        soothi_big_tens(&a, (unsigned)-tens);
        soothi_big_tens(&up, (unsigned)-tens);
        soothi_big_tens(&down, (unsigned)-tens);
    }
    out->count = 0;
    out->point = tens;
    for (;;) { /* raise the point until a / b (with its gap, when that could be written) is below 1 */
        sum = a;
        if (wanted == 0) soothi_big_add(&sum, &up);
        if (soothi_big_compare(&sum, &b) < (wanted == 0 && !even ? 1 : 0)) break;
        soothi_big_tens(&b, 1);
        ++out->point;
    }
    for (;;) {
        char digit = '0';
        soothi_big_tens(&a, 1);
        soothi_big_tens(&up, 1);
        soothi_big_tens(&down, 1);
        while (soothi_big_compare(&a, &b) >= 0) {
            soothi_big_subtract(&a, &b);
            ++digit;
        }
        out->digit[out->count++] = digit;
        if (wanted > 0) {
            if (out->count == wanted) break;
            continue;
        }
        sum = a;
        soothi_big_add(&sum, &up);
        low = soothi_big_compare(&a, &down) < (even ? 1 : 0);
        high = soothi_big_compare(&sum, &b) > (even ? -1 : 0);
        if (low || high) break;
    }
    /* the last digit stays or is raised, whichever is nearer; where only one of them reads back, that one */
    soothi_big_shift(&a, 1);
    {
        int half = soothi_big_compare(&a, &b);
        int raise = wanted > 0 ? half > 0 || (half == 0 && (out->digit[out->count - 1] & 1)) : high && (!low || half >= 0);
        int k = out->count;
        while (raise && k > 0 && out->digit[k - 1] == '9') out->digit[--k] = '0';
        if (raise && k > 0) ++out->digit[k - 1];
        else if (raise) {
            out->digit[0] = '1';
            ++out->point;
        }
    }
    while (out->count > 1 && out->digit[out->count - 1] == '0') --out->count;
}

/* Plain between 0.00001 and 10^16, with an exponent outside. */
SOOTHI_INLINE size_t soothi_text_place(char *text, int negative, const soothi_digits *d) {
    size_t n = 0;
    int k, exponent = d->point - 1;
    if (negative) text[n++] = '-';
    if (d->point > -5 && d->point <= 17) {
        if (d->point <= 0) text[n++] = '0';
        for (k = 0; k < d->point; ++k) text[n++] = k < d->count ? d->digit[k] : '0';
        if (k < d->count) text[n++] = '.';
        for (k = d->point; k < 0; ++k) text[n++] = '0';
        for (; k < d->count; ++k) text[n++] = d->digit[k];
    } else {
        text[n++] = d->digit[0];
        if (d->count > 1) text[n++] = '.';
        for (k = 1; k < d->count; ++k) text[n++] = d->digit[k];
        text[n++] = 'e';
        if (exponent < 0) {
            text[n++] = '-';
            exponent = -exponent;
        }
        if (exponent >= 100) text[n++] = (char)('0' + exponent / 100);
        if (exponent >= 10) text[n++] = (char)('0' + exponent / 10 % 10);
        text[n++] = (char)('0' + exponent % 10);
    }
    text[n] = 0;
    return n;
}

SOOTHI_INLINE size_t soothi_text_copy(char *text, const char *word) {
    size_t n = 0;
    for (; word[n]; ++n) text[n] = word[n];
    text[n] = 0;
    return n;
}

/* A whole number; its decimal digits as they are. */
SOOTHI_INLINE size_t soothi_text_whole(char *text, uint64_t value, int negative) {
    char digit[24];
    size_t n = 0, k = 0;
    do digit[k++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    if (negative) text[n++] = '-';
    while (k) text[n++] = digit[--k];
    text[n] = 0;
    return n;
}

/* Writes the number with these bits: shortest when wanted is 0. */
SOOTHI_INLINE size_t soothi_text_from_bits(char *text, uint64_t bits, int is_float, int wanted) {
    const soothi_format f = soothi_format_of(is_float);
    uint64_t fraction = bits & (((uint64_t)1 << (f.precision - 1)) - 1);
    int field = (int)(bits >> (f.precision - 1)) & (2 * f.most + 1), negative = (int)(bits >> (is_float ? 31 : 63)) & 1, power;
    soothi_digits digits;
    if (field == 2 * f.most + 1) return soothi_text_copy(text, fraction ? "nan" : negative ? "-inf" : "inf");
    if (field == 0 && fraction == 0) return soothi_text_copy(text, negative ? "-0" : "0");
    power = (field ? field : 1) - f.most - f.precision + 1;
    if (field) fraction |= (uint64_t)1 << (f.precision - 1);
    if (wanted == 0 && power <= 0 && power > -f.precision && (fraction & (((uint64_t)1 << -power) - 1)) == 0)
        return soothi_text_whole(text, fraction >> -power, negative);
    soothi_text_digits(fraction, power, field > 1 && (fraction & (fraction - 1)) == 0, wanted, &digits);
    return soothi_text_place(text, negative, &digits);
}

SOOTH_API size_t sooth_text_from_double(char text[SOOTH_NUMBER_TEXT], double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return soothi_text_from_bits(text, bits, 0, 0);
}

SOOTH_API size_t sooth_text_from_float(char text[SOOTH_NUMBER_TEXT], float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return soothi_text_from_bits(text, bits, 1, 0);
}

SOOTH_API size_t sooth_text_rounded(char text[SOOTH_NUMBER_TEXT], double value, unsigned digits) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return soothi_text_from_bits(text, bits, 0, digits < 1 ? 1 : digits > 17 ? 17 : (int)digits);
}

/* ---- sentences ---- */

/* One formatter for sentences and sinks. Writes what fits and always ends with a zero. */
SOOTHI_INLINE size_t soothi_text_format(char *text, size_t size, const char *format, va_list list) {
    char number[SOOTH_NUMBER_TEXT];
    size_t n = 0;
    if (size == 0) return 0;
    for (; *format; ++format) {
        const char *piece = number;
        size_t length = 0;
        if (*format != '%') {
            piece = format;
            length = 1;
        } else {
            switch (*++format) {
            case 's':
                piece = va_arg(list, const char *);
                if (!piece) piece = "(none)";
                while (piece[length]) ++length;
                break;
            case 'c': number[0] = (char)va_arg(list, int); length = 1; break;
            case 'd': {
                int value = va_arg(list, int);
                length = soothi_text_whole(number, value < 0 ? 0u - (uint64_t)(int64_t)value : (uint64_t)value, value < 0);
                break;
            }
            case 'u': length = soothi_text_whole(number, va_arg(list, unsigned), 0); break;
            case 'z': length = soothi_text_whole(number, va_arg(list, size_t), 0); break;
            case 'g': length = sooth_text_from_double(number, va_arg(list, double)); break;
            case 'G': length = sooth_text_rounded(number, va_arg(list, double), 5); break;
            case 'f': length = sooth_text_from_float(number, (float)va_arg(list, double)); break;
            default: number[0] = *format; length = *format ? 1 : 0; if (!length) --format; break;
            }
        }
        if (length > size - 1 - n) length = size - 1 - n;
        memcpy(text + n, piece, length);
        n += length;
    }
    text[n] = 0;
    return n;
}

SOOTH_API size_t sooth_text_format(char *text, size_t size, const char *format, ...) {
    va_list list;
    size_t n;
    va_start(list, format);
    n = soothi_text_format(text, size, format, list);
    va_end(list);
    return n;
}

SOOTH_API void sooth_text_write(sooth_sink *sink, const char *text, size_t size) {
    if (!sink->failed && size > 0 && sink->write_fn(sink->user, text, size) != 0) sink->failed = 1;
}

SOOTH_API void sooth_text_put(sooth_sink *sink, const char *format, ...) {
    char text[1001];
    va_list list;
    va_start(list, format);
    sooth_text_write(sink, text, soothi_text_format(text, sizeof text, format, list));
    va_end(list);
}

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
