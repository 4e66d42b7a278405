/* learn.c - what examples/firmware/learn.c takes: 100 times predict and then observe, one of the two between
 * marks, and at the end the bytes of stack of the deeper one.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * SQUARES, FUZZY or nothing say what learns; OBSERVE or PREDICT which of the two is marked. With EMPTY
 * nothing learns, which gives the size of all but the learner.
 */
#if defined(__AVR__)
#define DEPTH 768
#else
#define DEPTH 3072
#endif
#define firmware firmware_of_the_example
#define put_hex put_hex_of_the_example
#include "../../examples/firmware/learn.c"
#undef firmware
#undef put_hex
#include "stack.h"

static volatile float kept;

/* So far down that what painted itself puts on the stack lies above. */
static __attribute__((noinline)) void ask(const float *row, float measured, int learn) {
    volatile uint8_t gap[64];
    for (unsigned i = 0; i < sizeof gap; ++i) gap[i] = 0;
#if defined(EMPTY)
    (void)row, (void)measured, (void)learn;
#else
    if (learn) kept = (float)observe(row, measured);
    else kept = predict(row);
#endif
}

int firmware(void) {
    uint32_t deepest = 0;
    mark(1);
    mark(0);
#if !defined(EMPTY)
    if (!begin()) return 1;
#endif
    for (int i = 0; i < 100; ++i) {
        float row[FEATURES], measured;
        for (int j = 0; j < FEATURES; ++j) row[j] = reading();
        measured = measure(row);
        paint();
        ask(row, measured, 0);
        const uint32_t deep = painted();
        if (deep > deepest) deepest = deep;
#if !defined(EMPTY) && defined(PREDICT)
        mark(1);
        kept = predict(row);
        mark(0);
#endif
#if !defined(EMPTY) && defined(OBSERVE)
        mark(1);
        kept = (float)observe(row, measured);
        mark(0);
#else
        paint();
        ask(row, measured, 1);
        const uint32_t deeper = painted();
        if (deeper > deepest) deepest = deeper;
#endif
    }
    put_hex(deepest);
    return 0;
}
