/* core.c - asks an exported model for its answers on a core, and sees how much stack that takes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Compiled with NUMBER and ANSWER, the types of a row and of an answer, ASK, the function, FEATURES, and
 * BOTTOM, the symbol where memory is free. Steps are counted outside, between mark(1) and mark(0). The
 * conversion of rows is written out, so that it brings no function that the model might need as well.
 */
#include "platform.h"
#include "rows.h"
#include <stddef.h>

ANSWER ASK(const NUMBER *row);
extern unsigned char BOTTOM;
extern volatile ANSWER answer;
volatile ANSWER answer;

#ifdef EMPTY
ANSWER ASK(const NUMBER *row) { return (ANSWER)*row; }
#endif
#ifdef BARE
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
void *memcpy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; ++i) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; ++i) ((volatile char *)to)[i] = (char)value;
    return to;
}
#endif

static float as_float(int n) {
    union {
        uint32_t bits;
        float value;
    } v;
    uint32_t size = n < 0 ? (uint32_t)-n : (uint32_t)n, exponent = 150;
    for (v.bits = 0; size && size < 0x800000u; size <<= 1) --exponent;
    if (size) v.bits = (n < 0 ? 0x80000000u : 0u) | exponent << 23 | (size & 0x7FFFFFu);
    return v.value;
}

static void put_hex(unsigned v) {
    for (int shift = 12; shift >= 0; shift -= 4) put("0123456789abcdef"[v >> shift & 15u]);
}

/* Memory from BOTTOM to a little below this function's frame; `fill`: paint it, else how much of it was
   touched since. */
__attribute__((noinline)) static unsigned paint(int fill) {
    volatile unsigned char *const top = (volatile unsigned char *)__builtin_frame_address(0) - 64;
    volatile unsigned char *p = &BOTTOM;
    for (; fill && p < top; ++p) *p = 0xA5;
    while (!fill && p < top && *p == 0xA5) ++p;
    return (unsigned)(top - p);
}

__attribute__((noinline)) static void ask(const NUMBER *row) {
    volatile char below[128]; /* what is asked for stands below that frame, whatever it takes */
    below[0] = 0;
    mark(1);
    answer = ASK(row);
    mark(0);
    below[1] = below[0];
}

int firmware(void) {
    uint32_t state = 2026;
    NUMBER row[FEATURES];
    unsigned deepest = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < FEATURES; ++j) {
            const int n = reading(&state);
            row[j] = (NUMBER)0.5f > 0 ? (NUMBER)as_float(n) : (NUMBER)n;
        }
        paint(1);
        ask(row);
        const unsigned deep = paint(0);
        if (deep > deepest) deepest = deep;
    }
    put_hex(deepest);
    put('\n');
    return 0;
}
