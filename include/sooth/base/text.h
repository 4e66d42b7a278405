/* base/text.h - numbers and messages as text, identical in every locale.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads decimal numbers correctly rounded. Writes the shortest decimal that reads back to the same bits. The
 * locale and its decimal comma have no effect. Formats short messages into a caller's buffer, or piece by
 * piece into a sink of the caller's choice (a file, a socket, a growing buffer).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/base.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         char text[SOOTH_TEXT_NUMBER_SIZE];
 *         double value;
 *         size_t used = sooth_text_to_double("1e-3,rest", 9, &value);
 *         printf("%u characters are %g\n", (unsigned)used, value); //> 4 characters are 0.001
 *         sooth_text_from_double(text, 0.1 + 0.2);
 *         puts(text);                                              //> 0.30000000000000004
 *         return 0;
 *     }
 *
 * Nothing is allocated or kept, so any number of threads may call. Of libc, only memcpy, memset
 * and memmove are used. One or two floating-point operations read floats of up to 19 digits and doubles of up
 * to 15, if the exponent is moderate. All other numbers need integers of at most 384 bytes on the stack. They
 * take about 0.1 microseconds to read and 0.3 to write, and three times that at the ends of the range.
 */
/* With -DSOOTH_LINKED a file only declares, even if it defines SOOTH_IMPLEMENTATION. The program is linked
   with an object that implements all functions. */
#ifdef SOOTH_LINKED
#undef SOOTH_IMPLEMENTATION
#endif

#ifndef SOOTH_BASE_TEXT_H
#define SOOTH_BASE_TEXT_H

#include <float.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Between these two macros products are not fused with additions, which would change bits. gcc restores its
   options behind it. clang fuses nothing in the rest of the file; it can neither restore what was before, nor
   have its pragma within extern "C". */
#if defined(__clang__)
#define SOOTHI_NOT_FUSED _Pragma("STDC FP_CONTRACT OFF")
#define SOOTHI_MAY_FUSE
#elif defined(__GNUC__) && __GNUC__ >= 9 && !defined(__EDG__)
#define SOOTHI_NOT_FUSED _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define SOOTHI_MAY_FUSE _Pragma("GCC pop_options")
#else
#define SOOTHI_NOT_FUSED
#define SOOTHI_MAY_FUSE
#endif

/* Code between these two macros has C linkage in C++ programs, too. */
#ifdef __cplusplus
#define SOOTHI_C_BEGIN SOOTHI_NOT_FUSED extern "C" {
#define SOOTHI_C_END \
    }                \
    SOOTHI_MAY_FUSE
#else
#define SOOTHI_C_BEGIN SOOTHI_NOT_FUSED
#define SOOTHI_C_END SOOTHI_MAY_FUSE
#endif

/* Prediction needs only memcpy and memset of the C library. Compilers without a C library lack <string.h>. */
#if defined(SOOTH_PREDICT_ONLY) && defined(__has_include)
#if !__has_include(<string.h>)
#define SOOTHI_NO_STRING_H
SOOTHI_C_BEGIN
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
SOOTHI_C_END
#endif
#endif
#ifndef SOOTHI_NO_STRING_H
#include <string.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SOOTHI_UNUSED __attribute__((unused))
#else
#define SOOTHI_UNUSED
#endif
/* LOCAL marks internal functions. HOT requests inlining, too; use it only after a measurement. */
#define SOOTHI_LOCAL static SOOTHI_UNUSED
#define SOOTHI_HOT static inline SOOTHI_UNUSED
#ifdef SOOTH_STATIC
#define SOOTH_API static inline SOOTHI_UNUSED
#elif !defined(SOOTH_API) /* prefix of every public function; define your own if needed */
#define SOOTH_API extern
#endif
#if defined(SOOTH_STATIC) && !defined(SOOTH_IMPLEMENTATION)
#define SOOTH_IMPLEMENTATION
#endif

/* 1 if float and double are evaluated as declared. Otherwise (x87, some s390x settings) everything works, but
   the last bits may differ from other machines. (tcc evaluates as declared on 64-bit machines, but does not
   define FLT_EVAL_METHOD.) */
#if (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0) || \
    (!defined(FLT_EVAL_METHOD) && defined(__TINYC__) && UINTPTR_MAX > 0xFFFFFFFFu)
#define SOOTH_SAME_BITS 1
#else
#define SOOTH_SAME_BITS 0
#endif

SOOTHI_C_BEGIN

#ifndef SOOTH_PREDICT_ONLY

/* Capacity for any number written below, with its final zero. */
#define SOOTH_TEXT_NUMBER_SIZE 32

/* Writes the shortest decimal that reads back to the same double, zero-terminated, and returns its length. If
   several are as short, the nearest is written. Numbers from 1e-5 to below 1e17 are plain ("0.001", "12345"),
   others have an exponent ("1e-7", "1.5e300"). Special values: "-0", "nan", "inf", "-inf". */
SOOTH_API size_t sooth_text_from_double(char text[SOOTH_TEXT_NUMBER_SIZE], double value);

/* Like sooth_text_from_double, with the shortest decimal that reads back to the same float. */
SOOTH_API size_t sooth_text_from_float(char text[SOOTH_TEXT_NUMBER_SIZE], float value);

/* Writes value rounded to `digits` significant digits (1 to 17), ties to even, without trailing zeros. For
   people. */
SOOTH_API size_t sooth_text_rounded(char text[SOOTH_TEXT_NUMBER_SIZE], double value, size_t digits);

/* Reads the decimal number at the start of text[0..size), rounded to nearest even, and returns its length in
   characters. Returns 0 and leaves *value unchanged if there is none. Valid are [+-]digits[e[+-]digits] with
   a point anywhere in or around the first digits, and "nan", "inf", "infinity" in any case. Leading blanks
   and hexadecimal are invalid. Overflow gives an infinity. */
SOOTH_API size_t sooth_text_to_double(const char *text, size_t size, double *value);

/* Like sooth_text_to_double, but rounds once, directly to float. */
SOOTH_API size_t sooth_text_to_float(const char *text, size_t size, float *value);

/* Formats into text[0..size) and returns the length written. The text is always zero-terminated, and cut if
   it is too long. The only conversions are:
   %s string, %c character, %d int, %u unsigned (uint32_t), %z size_t, %g double (shortest), %G double
   (5 digits), %f float (as double argument, shortest as float), %% a percent sign. */
SOOTH_API size_t sooth_text_format(char *text, size_t size, const char *format, ...);

/* Receives long output. write_fn returns 0, or nonzero if it could not write. After a failure `failed` is set
   and the sink is not called again. */
typedef struct sooth_sink {
    void *user;
    int (*write_fn)(void *user, const char *text, size_t size);
    int failed;
} sooth_sink;

/* Formats like sooth_text_format (at most 1,000 characters a call) and writes to the sink. */
SOOTH_API void sooth_text_put(sooth_sink *sink, const char *format, ...);

/* Writes a text of any length to the sink as it is. */
SOOTH_API void sooth_text_write(sooth_sink *sink, const char *text, size_t size);

/* Writes a text as a JSON string in quotes (RFC 8259). Quotes, backslashes and control characters are
   escaped. A byte outside valid UTF-8 is read as the Latin-1 character with its number. */
SOOTH_API void sooth_text_json(sooth_sink *sink, const char *text);

/* Returns how many bytes the first character of the text has in valid UTF-8; 0 if none begins there. */
SOOTH_API size_t sooth_text_utf8(const char *text);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_BASE_TEXT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_TEXT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_BASE_TEXT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- unsigned integers of any length that a conversion can need ---- */

/* The longest are 800 decimal digits (2,658 bits) and 5^1130 (2,624 bits), plus two words. */
enum { SOOTHI_BIG_WORDS = 96, SOOTHI_MOST_DIGITS = 800 };

typedef struct soothi_big {
    uint32_t word[SOOTHI_BIG_WORDS]; /* little-endian */
    size_t words;                    /* words in use; the last is not zero; 0 words represent the number 0 */
} soothi_big;

SOOTHI_LOCAL void soothi_big_set(soothi_big *a, uint64_t value) {
    a->words = 0;
    for (; value; value >>= 32) a->word[a->words++] = (uint32_t)value;
}

/* a = a * factor + more */
SOOTHI_LOCAL void soothi_big_scale(soothi_big *a, uint32_t factor, uint32_t more) {
    uint64_t carry = more;
    for (size_t i = 0; i < a->words; ++i) {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) a->word[a->words++] = (uint32_t)carry;
}

/* a = a * 5^power; 5^13 is the largest power of 5 in a word */
SOOTHI_LOCAL void soothi_big_fives(soothi_big *a, unsigned power) {
    for (; power >= 13; power -= 13) soothi_big_scale(a, 1220703125u, 0);
    for (; power; --power) soothi_big_scale(a, 5, 0);
}

/* a = a * 2^power */
SOOTHI_LOCAL void soothi_big_shift(soothi_big *a, unsigned power) {
    size_t whole = power / 32;
    if (a->words == 0) return;
    if (power % 32) soothi_big_scale(a, (uint32_t)1 << (power % 32), 0);
    if (whole == 0) return;
    for (size_t i = a->words; i-- > 0;) a->word[i + whole] = a->word[i];
    for (size_t i = 0; i < whole; ++i) a->word[i] = 0;
    a->words += whole;
}

/* Returns the number of bits, 0 for 0. */
SOOTHI_LOCAL unsigned soothi_big_bits(const soothi_big *a) {
    unsigned bits = (unsigned)a->words * 32;
    if (a->words == 0) return 0;
    for (uint32_t top = a->word[a->words - 1]; !(top >> 31); top <<= 1) --bits;
    return bits;
}

/* Returns a value below, equal to or above 0 if a is below, equal to or above b. */
SOOTHI_LOCAL int soothi_big_compare(const soothi_big *a, const soothi_big *b) {
    if (a->words != b->words) return a->words < b->words ? -1 : 1;
    for (size_t i = a->words; i-- > 0;)
        if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

/* sum = a + b */
SOOTHI_LOCAL void soothi_big_add(soothi_big *sum, const soothi_big *a, const soothi_big *b) {
    uint64_t carry = 0;
    size_t i, n = a->words > b->words ? a->words : b->words;
    for (i = 0; i < n || carry; ++i) {
        carry += (uint64_t)(i < a->words ? a->word[i] : 0) + (i < b->words ? b->word[i] : 0);
        sum->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    sum->words = i;
}

/* a = a - b * times; the result must not be negative */
SOOTHI_LOCAL void soothi_big_subtract(soothi_big *a, const soothi_big *b, uint32_t times) {
    uint64_t carry = 0, borrow = 0;
    for (size_t i = 0; i < a->words; ++i) {
        carry += i < b->words ? (uint64_t)b->word[i] * times : 0;
        uint64_t rest = (uint64_t)a->word[i] - (uint32_t)carry - borrow;
        a->word[i] = (uint32_t)rest;
        borrow = rest >> 63;
        carry >>= 32;
    }
    while (a->words && a->word[a->words - 1] == 0) --a->words;
}

/* Returns a / b and leaves the remainder in a. Requires a < 2^32 b and a set top bit in b's last word. The
   quotient of the leading words is never too large, and at most 4 too small. */
SOOTHI_HOT uint32_t soothi_big_divide(soothi_big *a, const soothi_big *b) {
    size_t n = b->words;
    if (a->words < n) return 0;
    uint64_t top = a->word[n - 1] | (a->words > n ? (uint64_t)a->word[n] << 32 : 0);
    uint32_t quotient = (uint32_t)(top / ((uint64_t)b->word[n - 1] + 1));
    if (quotient) soothi_big_subtract(a, b, quotient);
    for (; soothi_big_compare(a, b) >= 0; ++quotient) soothi_big_subtract(a, b, 1);
    return quotient;
}

/* ---- floating point as integers ---- */

SOOTHI_LOCAL uint64_t soothi_double_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

SOOTHI_LOCAL double soothi_double(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Properties of float and double: bits of the significand; exponent of the leading bit of the smallest normal
   number and of the largest number; bit patterns of infinity and sign. */
typedef struct soothi_format {
    int precision, least, most;
    uint64_t infinite, sign;
} soothi_format;

SOOTHI_LOCAL soothi_format soothi_format_of(int is_float) {
    const soothi_format of_float = {24, -126, 127, 0x7F800000u, 0x80000000u};
    const soothi_format of_double = {53, -1022, 1023, (uint64_t)0x7FF << 52, (uint64_t)1 << 63};
    return is_float ? of_float : of_double;
}

/* Returns the bits, without sign, of the number nearest to q * 2^power, ties to even. The top bit of q must
   be set. `rest` is true if nonzero bits below q were cut off. */
SOOTHI_LOCAL uint64_t soothi_text_assemble(uint64_t q, int power, int rest, soothi_format f) {
    int exponent = power + 63, cut = 64 - f.precision;
    if (exponent < f.least) cut += f.least - exponent; /* denormal: fewer bits are left */
    if (exponent > f.most) return f.infinite;
    if (cut > 64) return 0;
    uint64_t kept = cut == 64 ? 0 : q >> cut;
    uint64_t lost = cut == 64 ? q : q & (((uint64_t)1 << cut) - 1);
    uint64_t half = (uint64_t)1 << (cut - 1);
    if (lost > half || (lost == half && (rest || (kept & 1)))) ++kept;
    if (exponent < f.least) return kept;
    /* the leading bit adds one to the exponent field, and so does a carry out of the significand */
    return kept + ((uint64_t)(exponent - f.least) << (f.precision - 1));
}

/* Returns the bits of a * 10^power, or of slightly more if `rest`, correctly rounded; a is not 0. Up to a
   power of two this is the integer quotient a * 5^power or a / 5^-power. Its first 64 bits, and whether a
   remainder is left, decide the rounding. */
SOOTHI_LOCAL uint64_t soothi_text_exact(soothi_big *a, int power, int rest, soothi_format f) {
    soothi_big b;
    soothi_big_set(&b, 1);
    if (power >= 0) soothi_big_fives(a, (unsigned)power);
    else soothi_big_fives(&b, (unsigned)-power);
    unsigned a_bits = soothi_big_bits(a);
    unsigned b_bits = soothi_big_bits(&b);
    unsigned bits = ((a_bits > b_bits ? a_bits : b_bits) + 31) / 32 * 32;
    soothi_big_shift(a, bits - a_bits); /* now 1/2 < a / b < 2 */
    soothi_big_shift(&b, bits - b_bits);
    power += (int)a_bits - (int)b_bits - 64;
    uint32_t whole = soothi_big_divide(a, &b);
    soothi_big_shift(a, 32);
    uint64_t q = (uint64_t)soothi_big_divide(a, &b) << 32;
    soothi_big_shift(a, 32);
    q |= soothi_big_divide(a, &b);
    rest |= a->words > 0;
    if (whole) { /* 65 bits: one too many */
        rest |= (int)(q & 1);
        q = (uint64_t)1 << 63 | q >> 1;
        ++power;
    }
    return soothi_text_assemble(q, power, rest, f);
}

/* ---- reading ---- */

/* Returns true if text[0..size) begins with word, in any case. */
SOOTHI_LOCAL int soothi_text_begins(const char *text, size_t size, const char *word) {
    for (size_t i = 0; word[i]; ++i)
        if (i >= size || (text[i] | 32) != word[i]) return 0;
    return 1;
}

/* Returns 10^power, exact as a double for powers 0 to 22. */
SOOTHI_HOT double soothi_text_ten(int power) {
    static const double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return ten[power];
}

/* Computes the float nearest to w * 10^power through a double. Returns 1 and the bits, or 0 if the double
   does not decide. A double e with an error of a few last bits rounds to the correct float, unless e is too
   close to the middle of two floats, where its last 29 bits are 1000... With u = 2^-53, converting w gives a
   factor of at most 1 + u. Each of the at most two operations with an exact power of ten gives such a factor,
   too. In total (1 + u)^3 < 1 + 4 u, at most 4 of the last bits of e; we keep 16 clear. Results below 2^-126
   (fewer bits) or above 2^128 (overflow) are left to the exact code. */
SOOTHI_HOT int soothi_text_quick_float(uint64_t w, int power, uint32_t *bits) {
    double e = (double)w;
    if (!SOOTH_SAME_BITS || power < -44 || power > 44) return 0;
    if (power <= 0 && power >= -22) {
        e /= soothi_text_ten(-power);
    } else {
        e = power < -22  ? e / soothi_text_ten(22) / soothi_text_ten(-22 - power)
            : power > 22 ? e * soothi_text_ten(22) * soothi_text_ten(power - 22)
                         : e * soothi_text_ten(power);
        if (!(e > 1.2e-38 && e < 3.4e38)) return 0;
    }
    if ((soothi_double_bits(e) & 0x1FFFFFFF) - 0x0FFFFFF0 <= 0x20 && (power != 0 || w >> 53)) return 0;
    const float rounded = (float)e;
    memcpy(bits, &rounded, sizeof *bits);
    return 1;
}

/* Computes w * 10^power if one operation on exact doubles suffices, which rounds once. Returns 1 and the
   bits, or 0. Clinger: How to read floating point numbers accurately, PLDI 1990. */
SOOTHI_LOCAL int soothi_text_quick(uint64_t w, int power, int is_float, uint64_t *bits) {
    uint32_t word;
    if (is_float) {
        if (!soothi_text_quick_float(w, power, &word)) return 0;
        *bits = word;
        return 1;
    }
    if (!SOOTH_SAME_BITS || w > (uint64_t)1 << 53 || power < -22 || power > 22) return 0;
    *bits = soothi_double_bits(power < 0 ? (double)w / soothi_text_ten(-power)
                                         : (double)w * soothi_text_ten(power));
    return 1;
}

/* ---- eight bytes at once ---- */

/* Loads eight bytes as a little-endian number on any machine. Compilers emit one load. */
SOOTHI_HOT uint64_t soothi_text_eight(const char *text) {
    const unsigned char *b = (const unsigned char *)text;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

#define SOOTHI_EIGHT(byte) (0x0101010101010101u * (uint64_t)(byte))

/* Returns 0x80 in each byte of `eight` that is zero, and 0 in the others (no carry leaves a byte). */
SOOTHI_HOT uint64_t soothi_text_zeros(uint64_t eight) {
    return ~(((eight & SOOTHI_EIGHT(0x7F)) + SOOTHI_EIGHT(0x7F)) | eight | SOOTHI_EIGHT(0x7F));
}

/* Like soothi_text_zeros, but quicker: bytes after the first zero byte may be marked wrongly. */
SOOTHI_HOT uint64_t soothi_text_any(uint64_t eight) {
    return (eight - SOOTHI_EIGHT(1)) & ~eight & SOOTHI_EIGHT(0x80);
}

/* Returns the index of the first byte with 0x80. The marks must not be 0. */
SOOTHI_HOT unsigned soothi_text_first(uint64_t marks) {
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(marks) / 8;
#else
    const uint64_t bit = marks >> 7, below = ((bit & (0 - bit)) - 1) & SOOTHI_EIGHT(1);
    return (unsigned)((below * SOOTHI_EIGHT(1)) >> 56);
#endif
}

/* Returns 0x80 in the first byte above 9, and 0 before it; 0 if there is none. Only bytes above 9 carry. */
SOOTHI_HOT uint64_t soothi_text_others(uint64_t eight) {
    return ((eight + SOOTHI_EIGHT(0x76)) | eight) & SOOTHI_EIGHT(0x80);
}

/* Returns the number of decimal digits that `eight` begins with. */
SOOTHI_HOT unsigned soothi_text_run(uint64_t eight) {
    const uint64_t others = soothi_text_others(eight ^ SOOTHI_EIGHT('0'));
    return others ? soothi_text_first(others) : 8;
}

/* Returns the number of eight digits, 0 to 9 each. */
SOOTHI_HOT uint64_t soothi_text_whole_eight(uint64_t d) {
    const uint64_t pairs = (d * 2561 >> 8) & 0x00FF00FF00FF00FFu;         /* 10 a + b */
    const uint64_t fours = (pairs * 6553601 >> 16) & 0x0000FFFF0000FFFFu; /* 100 a + b */
    return fours * 42949672960001u >> 32;                                 /* 10000 a + b */
}

/* Returns the number that the first n digits of `eight` form; n is at least 1. */
SOOTHI_HOT uint64_t soothi_text_number(uint64_t eight, unsigned n) {
    return soothi_text_whole_eight((eight & SOOTHI_EIGHT(0x0F)) << (64 - 8 * n)); /* leading zeros */
}

/* Returns 10^n for n up to 8. */
SOOTHI_HOT uint64_t soothi_text_shift(unsigned n) {
    static const uint32_t ten[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    return ten[n];
}

/* Removes the first marked byte of `eight`: the bytes before it move up. */
SOOTHI_HOT uint64_t soothi_text_remove(uint64_t eight, uint64_t marks) {
    const uint64_t bit = marks & (0 - marks), before = (bit >> 7) - 1, others = 0 - (bit << 1);
    return (eight & before) << 8 | (eight & others);
}

/* Rounds w / 10^behind, w < 10^16, to a float. Returns 0 if a double does not decide (see
   soothi_text_quick_float), else `form`. */
SOOTHI_HOT int soothi_text_round(uint64_t w, unsigned behind, uint32_t negative, int form, float *value) {
    const double e = (double)(int64_t)w / soothi_text_ten((int)behind);
    const float rounded = (float)e;
    uint32_t word;
    if ((soothi_double_bits(e) & 0x1FFFFFFF) - 0x0FFFFFF0 <= 0x20 && (behind || w >> 53)) return 0;
    memcpy(&word, &rounded, sizeof word);
    word |= negative << 31;
    memcpy(value, &word, sizeof *value);
    return form;
}

/* Reads text[0..size) if it is [-]digits[.digits] of up to 16 characters. Returns as soothi_text_usual, in
   fewer steps. points: eight times the code of the decimal point. The last eight characters and those before
   them are one word each, in which a sign, and what is before the first character, are zeros. May read 16
   bytes, even beyond size. */
SOOTHI_HOT int soothi_text_decimal(const char *text, size_t size, uint64_t points, float *value) {
    const uint64_t sign = '-' ^ '0';
    uint64_t first = soothi_text_eight(text) ^ SOOTHI_EIGHT('0'), marks;
    const uint32_t negative = (first & 0xFF) == sign;
    unsigned behind = 0;
    if (!SOOTH_SAME_BITS || size - 1 >= 16) return 0;
    first ^= sign & (0 - (uint64_t)negative);
    points ^= SOOTHI_EIGHT('0');
    if (size <= 8) {
        uint64_t v = first << (64 - 8 * size);
        int form = 1;
        marks = soothi_text_any(v ^ points);
        if (marks) {
            behind = 7 - soothi_text_first(marks);
            v = soothi_text_remove(v, marks);
        }
        const size_t digits = size - negative - (marks != 0);
        if (soothi_text_others(v) || digits == 0) return 0;
        const uint64_t w = soothi_text_whole_eight(v);
        if (!marks && digits < 8) form += size == 1 || w >= soothi_text_shift((unsigned)digits - 1);
        return soothi_text_round(w, behind, negative, form, value);
    }
    uint64_t low = soothi_text_eight(text + size - 8) ^ SOOTHI_EIGHT('0'), high = first << (128 - 8 * size);
    uint64_t scale = 100000000;
    marks = soothi_text_any(high ^ points);
    if (marks) {
        behind = 15 - soothi_text_first(marks);
        high = soothi_text_remove(high, marks);
    } else if ((marks = soothi_text_any(low ^ points)) != 0) {
        behind = 7 - soothi_text_first(marks);
        low = soothi_text_remove(low, marks);
        scale = 10000000;
    }
    if (soothi_text_others(high) | soothi_text_others(low)) return 0;
    const uint64_t w = soothi_text_whole_eight(high) * scale + soothi_text_whole_eight(low);
    return soothi_text_round(w, behind, negative, 1, value);
}

/* Reads text[0..size) if it has the usual form [-]digits[.digits][e[+-]digits] with 1 to 19 digits. `point`
   is accepted as a decimal point, too. Returns 0 if the text is not a number or needs the slower code, and 2
   for an integer of up to seven digits without leading zeros, else 1. May read up to 48 bytes, even beyond
   size. */
SOOTHI_LOCAL int soothi_text_usual(const char *text, size_t size, char point, float *value) {
    const unsigned negative = text[0] == '-';
    const char *p = text + negative;
    uint64_t eight = soothi_text_eight(p);
    unsigned n = soothi_text_run(eight), digits = n;
    int power = 0, behind = n < 8 && (p[n] == '.' || p[n] == point), more = n == 8;
    uint32_t bits = 0;
    if (behind) { /* join the digits on both sides of the point: at most seven */
        const uint64_t before = ((uint64_t)1 << 8 * n) - 1;
        eight = (eight & before) | (eight >> 8 & ~before);
        digits = soothi_text_run(eight);
        power = (int)n - (int)digits;
        more = digits == 7;
        ++p;
    } else if (n - 1 < 7 && p + n == text + size) { /* exact in a float */
        const float whole = (float)(int32_t)soothi_text_number(eight, n);
        memcpy(&bits, &whole, sizeof bits);
        bits |= (uint32_t)negative << 31;
        memcpy(value, &bits, sizeof *value);
        return 1 + (int)((unsigned)(*p != '0') | (unsigned)(size == 1));
    }
    if (digits == 0) return 0;
    uint64_t w = soothi_text_number(eight, digits);
    for (p += digits; more; p += n) {
        if (!behind && (*p == '.' || *p == point)) behind = 1, ++p;
        eight = soothi_text_eight(p);
        n = soothi_text_run(eight);
        digits += n;
        if (digits > 19) return 0;
        if (n) w = w * soothi_text_shift(n) + soothi_text_number(eight, n);
        if (behind) power -= (int)n;
        more = n == 8 || (!behind && (p[n] == '.' || p[n] == point));
    }
    if (p != text + size) {
        if ((*p | 32) != 'e') return 0;
        const int down = p[1] == '-';
        p += 1 + (down || p[1] == '+');
        eight = soothi_text_eight(p);
        n = soothi_text_run(eight);
        if (n == 0 || n > 4) return 0;
        const int tens = (int)soothi_text_number(eight, n);
        power += down ? -tens : tens;
        if (p + n != text + size) return 0;
    }
    if (!soothi_text_quick_float(w, power, &bits)) return 0;
    bits |= (uint32_t)negative << 31;
    memcpy(value, &bits, sizeof *value);
    return 1;
}

/* Returns the bits of w * 10^power. The digits of w are in text[0..size), perhaps with a point between them.
   The first and the last digit are not zero. */
SOOTHI_LOCAL uint64_t soothi_text_value(const char *text, size_t size, size_t digits, int64_t power,
                                        int is_float) {
    const soothi_format f = soothi_format_of(is_float);
    soothi_big a;
    uint64_t bits, w = 0;
    int rest = 0;
    if (power + (int64_t)digits > 310) return f.infinite;
    if (power + (int64_t)digits < -330) return 0;
    if (digits <= 19) {
        for (size_t k = 0; k < size; ++k)
            if (text[k] != '.') w = w * 10 + (uint64_t)(text[k] - '0');
        if (soothi_text_quick(w, (int)power, is_float, &bits)) return bits;
        soothi_big_set(&a, w);
    } else {
        if (digits > SOOTHI_MOST_DIGITS) { /* a tie of doubles has at most 768 digits: more digits break it */
            power += (int64_t)(digits - SOOTHI_MOST_DIGITS);
            digits = SOOTHI_MOST_DIGITS;
            rest = 1;
        }
        soothi_big_set(&a, 0);
        for (size_t k = 0; digits > 0; ++k) {
            if (text[k] == '.') continue;
            soothi_big_scale(&a, 10, (uint32_t)(text[k] - '0'));
            --digits;
        }
    }
    return soothi_text_exact(&a, (int)power, rest, f);
}

/* Reads a number, stores its float or double bits in *bits, and returns the number of characters read. */
SOOTHI_LOCAL size_t soothi_text_read(const char *text, size_t size, int is_float, uint64_t *bits) {
    const soothi_format f = soothi_format_of(is_float);
    const int negative = size > 0 && text[0] == '-';
    const uint64_t sign = negative ? f.sign : 0;
    size_t i = size > 0 && (negative || text[0] == '+') ? 1 : 0, k;
    size_t digits = 0, point = size;
    size_t first = 0, stop = 0; /* range of the digits without zeros at both ends; stop 0 means none */
    int64_t exponent = 0;
    if (soothi_text_begins(text + i, size - i, "nan")) {
        *bits = f.infinite | (uint64_t)1 << (f.precision - 2);
        return i + 3;
    }
    if (soothi_text_begins(text + i, size - i, "inf")) {
        *bits = sign | f.infinite;
        return i + (soothi_text_begins(text + i, size - i, "infinity") ? 8 : 3);
    }
    for (; i < size; ++i) {
        if (text[i] == '.' && point == size) {
            point = i;
            continue;
        }
        if (text[i] < '0' || text[i] > '9') break;
        ++digits;
        if (text[i] == '0') continue;
        if (stop == 0) first = i;
        stop = i + 1;
    }
    if (digits == 0) return 0;
    if (point == size) point = i;
    if (i + 1 < size && (text[i] | 32) == 'e') {
        int down = text[i + 1] == '-';
        size_t from = i + 1 + (down || text[i + 1] == '+' ? 1u : 0u);
        for (k = from; k < size && text[k] >= '0' && text[k] <= '9'; ++k)
            if (exponent < 100000000000) exponent = exponent * 10 + (text[k] - '0');
        if (k > from) i = k;
        if (down) exponent = -exponent;
    }
    *bits = sign;
    if (stop == 0) return i;
    digits = stop - first - (point > first && point < stop ? 1u : 0u);
    exponent += point >= stop ? (int64_t)(point - stop) : -(int64_t)(stop - 1 - point);
    *bits |= soothi_text_value(text + first, stop - first, digits, exponent, is_float);
    return i;
}

SOOTH_API size_t sooth_text_to_double(const char *text, size_t size, double *value) {
    uint64_t bits;
    size_t used = soothi_text_read(text, size, 0, &bits);
    if (used) *value = soothi_double(bits);
    return used;
}

SOOTH_API size_t sooth_text_to_float(const char *text, size_t size, float *value) {
    uint64_t bits;
    size_t used = soothi_text_read(text, size, 1, &bits);
    if (!used) return 0;
    uint32_t word = (uint32_t)bits;
    memcpy(value, &word, sizeof *value);
    return used;
}

/* ---- writing ---- */

/* 0.d1 d2 d3 ... * 10^point */
typedef struct soothi_digits {
    char digit[24];
    int count, point;
} soothi_digits;

SOOTHI_LOCAL void soothi_digits_raise(soothi_digits *d) {
    int k = d->count;
    while (k > 0 && d->digit[k - 1] == '9') d->digit[--k] = '0';
    if (k > 0) {
        ++d->digit[k - 1];
    } else { /* 0.999 became 1.000, or nothing became 1 */
        d->digit[0] = '1';
        d->count += d->count == 0;
        ++d->point;
    }
}

/* Computes the fewest digits of significand * 2^power that read back to the same number. Of several, the
   nearest is taken (Steele and White 1990, in the form of Burger and Dybvig 1996). If wanted > 0, it computes
   that many digits, correctly rounded. a / b is the remaining number; up / b and down / b are half the gaps
   to its neighbours. At a power of two, down is the smaller gap. */
SOOTHI_LOCAL void soothi_text_digits(uint64_t significand, int power, int at_power_of_two, int wanted,
                                     soothi_digits *d) {
    soothi_big a, b, up, down, sum;
    int even = (significand & 1) == 0, low = 1, high = 1;
    soothi_big_set(&a, significand);
    soothi_big_set(&b, 1);
    soothi_big_set(&up, at_power_of_two ? 2 : 1);
    soothi_big_set(&down, 1);
    /* The position of the decimal point, or one more, which makes the first digit 0. log10(2) is 0.30103 -
       4e-9. No power of two in the range of doubles is close enough to a power of ten for the difference to
       matter. */
    int tens = (power + (int)soothi_big_bits(&a)) * 30103;
    tens = (tens >= 0 ? tens / 100000 : -((99999 - tens) / 100000)) + 1;
    int twos = power - 1 - at_power_of_two - tens;
    soothi_big_shift(&a, 1u + (unsigned)at_power_of_two);
    if (tens >= 0) {
        soothi_big_fives(&b, (unsigned)tens);
    } else {
        soothi_big_fives(&a, (unsigned)-tens);
        soothi_big_fives(&up, (unsigned)-tens);
        soothi_big_fives(&down, (unsigned)-tens);
    }
    if (twos < 0) soothi_big_shift(&b, (unsigned)-twos);
    unsigned bits =
        (32 - soothi_big_bits(&b) % 32) % 32; /* moves b's top bit to the top of its word, for the division */
    soothi_big_shift(&b, bits);
    if (twos > 0) bits += (unsigned)twos;
    soothi_big_shift(&a, bits);
    soothi_big_shift(&up, bits);
    soothi_big_shift(&down, bits);
    d->count = 0;
    d->point = tens;
    for (;;) {
        soothi_big_scale(&a, 10, 0);
        uint32_t digit = soothi_big_divide(&a, &b);
        if (digit == 0 && d->count == 0) --d->point;
        else d->digit[d->count++] = (char)('0' + digit);
        if (wanted > 0) {
            if (d->count == wanted) break;
            continue;
        }
        soothi_big_scale(&up, 10, 0);
        soothi_big_scale(&down, 10, 0);
        low = soothi_big_compare(&a, &down) < even;
        soothi_big_add(&sum, &a, &up);
        high = soothi_big_compare(&sum, &b) > -even;
        if (low || high) break;
    }
    /* Keep or raise the last digit, whichever reads back. If both do, take the nearer one, or the even
       one. */
    soothi_big_shift(&a, 1);
    int half = soothi_big_compare(&a, &b);
    if (high && (!low || half > 0 || (half == 0 && (d->digit[d->count - 1] & 1)))) soothi_digits_raise(d);
    while (d->count > 1 && d->digit[d->count - 1] == '0') --d->count;
}

/* Writes an integer in decimal. */
SOOTHI_LOCAL size_t soothi_text_whole(char *text, uint64_t value, int negative) {
    char digit[24];
    size_t n = 0, k = 0;
    do digit[k++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    if (negative) text[n++] = '-';
    while (k) text[n++] = digit[--k];
    text[n] = 0;
    return n;
}

/* Computes the same digits for a float from 1e-7 to below 2^24 in 64 bits, or returns 0. v is the number,
   times 10^k and 2^shift, with 9 digits above the shift. The integers least .. most read back. The nearest
   multiple among them of the largest power of ten is the shortest. */
SOOTHI_LOCAL int soothi_text_quick_digits(uint64_t significand, int power, int at_power_of_two,
                                          soothi_digits *d) {
    uint64_t five = 1, ten = 1;
    int k = 0, zeros = 0, odd = (int)(significand & 1);
    if (power > 0 || power < -50) return 0;
    for (; (8 * significand * five) >> (3 - power - k) < 100000000u; five *= 5)
        if (++k > 15) return 0;
    const unsigned shift = (unsigned)(3 - power - k); /* at least 1 */
    const uint64_t v = 8 * significand * five, whole = (uint64_t)1 << shift;
    const uint64_t least = (v - (at_power_of_two ? 2 : 4) * five + whole - (uint64_t)!odd) >> shift;
    const uint64_t most = (v + 4 * five - (uint64_t)odd) >> shift;
    uint64_t number = v >> shift;
    for (uint64_t m = most / 10; m * (10 * ten) >= least; m /= 10) {
        ten *= 10;
        number /= 10;
        ++zeros;
    }
    const uint64_t rest = v - (number * ten << shift), half = ten << (shift - 1);
    number +=
        (uint64_t)((number + 1) * ten <= most) & /* without a branch, which would be mispredicted often */
        ((uint64_t)(number * ten < least) | (uint64_t)(rest > half) | ((uint64_t)(rest == half) & number));
    d->count = (int)soothi_text_whole(d->digit, number, 0);
    d->point = d->count + zeros - k;
    return 1;
}

/* Writes plain decimals from 10^-5 to below 10^17, and an exponent otherwise. */
SOOTHI_LOCAL size_t soothi_text_place(char *text, int negative, const soothi_digits *d) {
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
        n += soothi_text_whole(text + n, (uint64_t)(exponent < 0 ? -exponent : exponent), exponent < 0);
    }
    text[n] = 0;
    return n;
}

/* The bound is never reached. Without it compilers call strlen, which a host without libc may lack. */
SOOTHI_LOCAL size_t soothi_text_length(const char *text) {
    size_t n = 0;
    while (n < SIZE_MAX / 2 && text[n]) ++n;
    return n;
}

SOOTHI_LOCAL size_t soothi_text_copy(char *text, const char *word) {
    const size_t n = soothi_text_length(word);
    memcpy(text, word, n + 1);
    return n;
}

/* Writes the number with these bits; wanted 0 means the shortest decimal. */
SOOTHI_LOCAL size_t soothi_text_from_bits(char *text, uint64_t bits, int is_float, int wanted) {
    const soothi_format f = soothi_format_of(is_float);
    uint64_t fraction = bits & (((uint64_t)1 << (f.precision - 1)) - 1);
    int field = (int)((bits & f.infinite) >> (f.precision - 1)), negative = (bits & f.sign) != 0;
    soothi_digits digits;
    if ((bits & f.infinite) == f.infinite)
        return soothi_text_copy(text, fraction ? "nan" : negative ? "-inf" : "inf");
    if (field == 0 && fraction == 0) return soothi_text_copy(text, negative ? "-0" : "0");
    int power = (field ? field : 1) - f.most - f.precision + 1;
    if (field) fraction |= (uint64_t)1 << (f.precision - 1);
    if (wanted == 0 && power <= 0 && power > -f.precision && (fraction & (((uint64_t)1 << -power) - 1)) == 0)
        return soothi_text_whole(text, fraction >> -power, negative);
    const int at_power_of_two = field > 1 && (fraction & (fraction - 1)) == 0;
    if (wanted || !is_float || !soothi_text_quick_digits(fraction, power, at_power_of_two, &digits))
        soothi_text_digits(fraction, power, at_power_of_two, wanted, &digits);
    return soothi_text_place(text, negative, &digits);
}

SOOTH_API size_t sooth_text_from_double(char text[SOOTH_TEXT_NUMBER_SIZE], double value) {
    return soothi_text_from_bits(text, soothi_double_bits(value), 0, 0);
}

SOOTH_API size_t sooth_text_from_float(char text[SOOTH_TEXT_NUMBER_SIZE], float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return soothi_text_from_bits(text, bits, 1, 0);
}

SOOTH_API size_t sooth_text_rounded(char text[SOOTH_TEXT_NUMBER_SIZE], double value, size_t digits) {
    const int wanted = digits < 1 ? 1 : digits > 17 ? 17 : (int)digits;
    return soothi_text_from_bits(text, soothi_double_bits(value), 0, wanted);
}

/* ---- messages ---- */

/* Shared by messages and sinks. Writes as much as fits and always terminates with a zero. */
SOOTHI_LOCAL size_t soothi_text_format(char *text, size_t size, const char *format, va_list list) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
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
                while (length < size - n && piece[length]) ++length;
                break;
            case 'c':
                number[0] = (char)va_arg(list, int);
                length = 1;
                break;
            case 'd': {
                int64_t value = va_arg(list, int);
                length = soothi_text_whole(number, (uint64_t)(value < 0 ? -value : value), value < 0);
                break;
            }
            case 'u': length = soothi_text_whole(number, va_arg(list, unsigned), 0); break;
            case 'z': length = soothi_text_whole(number, va_arg(list, size_t), 0); break;
            case 'g': length = sooth_text_from_double(number, va_arg(list, double)); break;
            case 'G': length = sooth_text_rounded(number, va_arg(list, double), 5); break;
            case 'f': length = sooth_text_from_float(number, (float)va_arg(list, double)); break;
            default: /* %%, or a lone % at the end, which writes nothing */
                number[0] = *format;
                length = *format ? 1 : 0;
                if (!length) --format;
                break;
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
    va_start(list, format);
    size_t n = soothi_text_format(text, size, format, list);
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

SOOTH_API size_t sooth_text_utf8(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    size_t n = c[0] < 0x80                   ? 1
               : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
               : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
               : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                             : 0;
    for (size_t i = 1; i < n; ++i)
        if ((c[i] & 0xC0u) != 0x80u) return 0;
    if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90) ||
        (c[0] == 0xF4 && c[1] > 0x8F))
        return 0;
    return n;
}

/* Returns the control character at c (ASCII, or U+0080 to U+009F), or -1. */
SOOTHI_LOCAL int soothi_text_control(const unsigned char *c) {
    if (c[0] < 0x20 || c[0] == 0x7F) return c[0];
    return c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? c[1] : -1;
}

SOOTH_API void sooth_text_json(sooth_sink *sink, const char *text) {
    static const char hex[] = "0123456789abcdef";
    const unsigned char *c = (const unsigned char *)text;
    sooth_text_put(sink, "\"");
    while (*c) {
        const size_t n = sooth_text_utf8((const char *)c);
        const int number = n ? soothi_text_control(c) : *c;
        if (number >= 0) {
            sooth_text_put(sink, "\\u00%c%c", hex[number >> 4], hex[number & 15]);
        } else {
            if (*c == '"' || *c == '\\') sooth_text_write(sink, "\\", 1);
            sooth_text_write(sink, (const char *)c, n);
        }
        c += n ? n : 1;
    }
    sooth_text_put(sink, "\"");
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
