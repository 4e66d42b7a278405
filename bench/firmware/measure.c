/* measure.c - predicts 100 rows on a small machine, each between two marks, and prints answers and stack.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * What predicts: SOOTH_SUM (model_sum of 16-bit rows, of floats with FLOAT_ROWS; of 64 bits with WIDE),
 * SOOTH_FLOAT (model_predict), EMLEARN_FLOAT, EMLEARN_INT or M2CGEN. With EMPTY as well nothing does, which
 * gives the size of all but the model.
 */
#include "../../examples/firmware/platform.h"
#include "stack.h"

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define FLASH PROGMEM
#define READ(p) ((int16_t)pgm_read_word(p))
#else
#define FLASH
#define READ(p) (*(p))
#endif
#include "rows.h" /* models.py writes it: static const short rows[100][FEATURES] */

#if defined(SOOTH_SUM)
#if defined(FLOAT_ROWS)
typedef float element;
#else
typedef int16_t element;
#endif
#if defined(WIDE)
typedef int64_t number;
#else
typedef int32_t number;
#endif
#define PREDICT model_sum
#elif defined(EMLEARN_INT)
typedef int16_t element;
typedef float number;
#define PREDICT emlearn_predict
#elif defined(M2CGEN)
typedef double element;
typedef double number;
#define PREDICT score
#else
typedef float element;
typedef float number;
#define PREDICT PREDICT_FLOAT
#if defined(EMLEARN_FLOAT)
#define PREDICT_FLOAT emlearn_predict
#else
#define PREDICT_FLOAT model_predict
#endif
#endif
#if defined(M2CGEN)
number score(element *row);
#else
number PREDICT(const element *row);
#endif

/* One prediction, so far down that what painted itself puts on the stack lies above. */
static __attribute__((noinline)) number predict(element *row) {
    volatile uint8_t gap[64];
    for (unsigned i = 0; i < sizeof gap; ++i) gap[i] = 0;
#if defined(EMPTY)
    (void)row;
    return (number)gap[0];
#else
    return PREDICT(row) + (number)gap[0];
#endif
}

int firmware(void) {
    static element row[FEATURES];
    uint32_t stack;
    mark(1);
    mark(0);
    paint();
    (void)predict(row);
    stack = painted();
    for (int i = 0; i < 100; ++i) {
        union {
            float value;
            uint32_t bits;
        } answer;
        number said;
        for (int j = 0; j < FEATURES; ++j) row[j] = (element)READ(&rows[i][j]);
        mark(1);
#if defined(EMPTY)
        __asm volatile("" : : "r"(row) : "memory");
        said = (number)(i & 1);
#else
        said = PREDICT(row);
#endif
        mark(0);
#if defined(WIDE)
        answer.bits = (uint32_t)(said / 256);
#elif defined(SOOTH_SUM)
        answer.bits = (uint32_t)said;
#else
        answer.value = (float)said;
#endif
        put_hex(answer.bits);
    }
    put_hex(stack);
    return 0;
}
