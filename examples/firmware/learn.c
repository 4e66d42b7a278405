/* learn.c - learns on the machine itself, one measurement at a time, in memory of a size known before.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * What learns:
 *   SQUARES   recursive least squares (linear.h): a plane, from nothing
 *   FUZZY     a self-organising fuzzy network (sofnn_learn.h): its rules, from nothing
 *   nothing   an exported model's memory of one program (adapt.h): how this one differs from those the model
 *             was fitted to. model.h is what make.c writes, and needs no header and no double
 * All three predict with the bits that a server has after the same measurements. The first two learn in
 * double precision, which the compiler for AVR makes a float: an ATmega328P has the third. Prints a checksum
 * over the bits of 64 answers, each asked right before the measurement is told.
 */
#include "platform.h"

enum { FEATURES = 4, ROWS = 64 };

#if defined(SQUARES)
#define SOOTH_IMPLEMENTATION
#include "sooth/linear.h"
static double memory[38]; /* sooth_rls_size(FEATURES) bytes */
static sooth_rls *plane;
static int begin(void) {
    const sooth_rls_options options = {.forgetting = 0.99};
    return sooth_rls_init(NULL, &options, FEATURES, memory, sizeof memory, &plane) == SOOTH_OK;
}
static int observe(const float *row, float measured) {
    return sooth_rls_update(plane, row, measured) == SOOTH_OK;
}
static float predict(const float *row) { return (float)sooth_rls_predict(plane, row); }
#elif defined(FUZZY)
#define SOOTH_IMPLEMENTATION
#define SOOTH_SOFNN_MAX_RULES 6
#include "sooth/sofnn.h"
static double memory[336]; /* sooth_sofnn_learner_size: six rules of four inputs, on 64 bits; less on 32 */
static sooth_sofnn_learner *learner;
static int begin(void) {
    sooth_sofnn_learner_options options;
    memset(&options, 0, sizeof options);
    options.network.max_rules = 6;
    options.rows_per_parameter = 1;
    return sooth_sofnn_learner_init(NULL, &options, FEATURES, 1, memory, sizeof memory, &learner) == SOOTH_OK;
}
static int observe(const float *row, float measured) {
    return sooth_sofnn_learner_update(learner, row, &measured) == SOOTH_OK;
}
static float predict(const float *row) { return sooth_sofnn_predict(learner->model, row); }
#else
#include "model.h"
static watts_program program;
static int begin(void) {
    watts_begin(&program);
    return 1;
}
static int observe(const float *row, float measured) { return watts_observe(&program, row, measured); }
static float predict(const float *row) {
    float value, low, high;
    watts_adapted(&program, row, &value, &low, &high);
    return value;
}
#endif

/* Readings, and what is measured for them: whole numbers over 64, and the same everywhere. */
static uint32_t state = 2026;

static float reading(void) {
    state = state * 1664525u + 1013904223u;
    return (float)(int32_t)(state >> 24 & 0x7Fu) * 0.015625f;
}

static float measure(const float *row) {
    const float more = row[0] > 1.0f ? row[0] - 1.0f : 0.0f;
    return 20.0f + 8.0f * row[0] + 4.0f * row[1] * row[1] + 16.0f * more * row[2] + reading();
}

static void put_hex(uint32_t v) {
    for (int shift = 28; shift >= 0; shift -= 4) put("0123456789abcdef"[v >> shift & 15u]);
}

int firmware(void) {
    uint32_t sum = 2166136261u; /* FNV-1a, a word at a time */
    if (!begin()) return 1;
    for (int i = 0; i < ROWS; ++i) {
        union {
            float value;
            uint32_t bits;
        } answer;
        float row[FEATURES], measured;
        for (int j = 0; j < FEATURES; ++j) row[j] = reading();
        measured = measure(row);
        answer.value = predict(row);
        sum = (sum ^ answer.bits) * 16777619u;
        mark(1);
        if (!observe(row, measured)) return 2;
        mark(0);
    }
    put_hex(sum);
    put('\n');
    return 0;
}
