/* stack.h - how deep a call goes, by what is left of a pattern below the caller's frame.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef STACK_H
#define STACK_H

#ifndef DEPTH
#define DEPTH 384 /* bytes of stack that are looked at */
#endif
enum { PAINT = 0xA5 };

static void put_hex(uint32_t v) {
    for (int shift = 28; shift >= 0; shift -= 4) put("0123456789abcdef"[v >> shift & 15u]);
    put('\n');
}

/* The memory right below the caller's, where a call has its stack. */
static __attribute__((noinline)) void paint(void) {
    volatile uint8_t below[DEPTH];
    for (int i = 0; i < DEPTH; ++i) below[i] = PAINT;
}

static __attribute__((noinline)) uint32_t painted(void) {
    volatile uint8_t below[DEPTH];
    uint32_t i = 32;                              /* the two arrays need not begin at the same byte */
    __asm volatile("" : : "r"(below) : "memory"); /* nothing was written here, but much in paint */
    while (i < DEPTH && below[i] == PAINT) ++i;
    return DEPTH - i;
}

#endif
