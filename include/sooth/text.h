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

/* FIRST DRAFT: to be replaced by exact conversions */
SOOTH_API size_t sooth_text_rounded(char text[SOOTH_NUMBER_TEXT], double value, unsigned digits) {
    size_t n = 0;
    int exponent = 0;
    unsigned i, whole;
    if (value < 0) { text[n++] = '-'; value = -value; }
    while (value >= 10.0 && exponent < 400) { value /= 10.0; ++exponent; }
    while (value > 0 && value < 1.0) { value *= 10.0; --exponent; }
    for (i = 0; i < digits; ++i) {
        whole = (unsigned)value;
        text[n++] = (char)('0' + whole);
        if (i == 0) text[n++] = '.';
        value = (value - whole) * 10.0;
    }
    text[n++] = 'e';
    if (exponent < 0) { text[n++] = '-'; exponent = -exponent; }
    text[n++] = (char)('0' + exponent / 100 % 10);
    text[n++] = (char)('0' + exponent / 10 % 10);
    text[n++] = (char)('0' + exponent % 10);
    text[n] = 0;
    return n;
}
SOOTH_API size_t sooth_text_from_double(char text[SOOTH_NUMBER_TEXT], double value) { return sooth_text_rounded(text, value, 17); }
SOOTH_API size_t sooth_text_from_float(char text[SOOTH_NUMBER_TEXT], float value) { return sooth_text_rounded(text, (double)value, 9); }
SOOTH_API size_t sooth_text_to_double(const char *text, size_t size, double *value) { (void)text; (void)size; *value = 0; return 0; }
SOOTH_API size_t sooth_text_to_float(const char *text, size_t size, float *value) { (void)text; (void)size; *value = 0; return 0; }

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
                length = strlen(piece);
                break;
            case 'c': number[0] = (char)va_arg(list, int); length = 1; break;
            case 'd': length = sooth_text_from_double(number, (double)va_arg(list, int)); break;
            case 'u': length = sooth_text_from_double(number, (double)va_arg(list, unsigned)); break;
            case 'z': length = sooth_text_from_double(number, (double)va_arg(list, size_t)); break;
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
