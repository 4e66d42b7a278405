/* firmware.c - predicts on a machine with 2 KiB of memory: no allocation, no library, no double.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model reaches firmware in two ways, and both answer with the bits that a server answers with:
 *   as bytes      the block that a model is, as a constant array; the headers predict (TREE, BOOST, NETWORK)
 *   as C          what `sooth export MODEL --to c` writes, which needs no header (nothing defined)
 * Either stands in model.h, which make.c writes. Prints a checksum over the bits of 64 answers.
 */
#include "platform.h"

#if defined(TREE) || defined(BOOST) || defined(NETWORK)
#define SOOTH_IMPLEMENTATION
#define SOOTH_PREDICT_ONLY
#define SOOTH_MLP_MAX_WIDTH 12 /* the widest layer: buffers are as large as that */
#endif

#if defined(TREE)
#include "sooth/tree.h"
#include "model.h"
static int sound(void) { return sooth_tree_check(block, sizeof block); }
static float predict(const float *row) {
    return sooth_tree_predict((const sooth_tree *)(const void *)block, row);
}
#elif defined(BOOST)
#include "sooth/boost.h"
#include "model.h"
static int sound(void) { return sooth_boost_check(block, sizeof block); }
static float predict(const float *row) {
    return sooth_boost_predict((const sooth_boost *)(const void *)block, row);
}
#elif defined(NETWORK)
#include "sooth/mlp.h"
#include "model.h"
static int sound(void) { return sooth_mlp_check(block, sizeof block); }
static float predict(const float *row) {
    return sooth_mlp_predict((const sooth_mlp *)(const void *)block, row);
}
#else
#include "model.h"
static int sound(void) { return 1; }
static float predict(const float *row) { return watts_predict(row); }
#endif

enum { FEATURES = 12, ROWS = 64 };

/* Readings of sensors, or so: whole numbers, and the same everywhere. */
static uint32_t state = 2026;

static float reading(void) {
    state = state * 1664525u + 1013904223u;
    return (float)(int32_t)(state >> 24) * 0.015625f - 2.0f;
}

static void put_text(const char *text) {
    for (; *text; ++text) put(*text);
}

static void put_hex(uint32_t v) {
    for (int shift = 28; shift >= 0; shift -= 4) put("0123456789abcdef"[v >> shift & 15u]);
}

int firmware(void) {
    uint32_t sum = 2166136261u; /* FNV-1a, a word at a time */
    if (!sound()) {
        put_text("the model is not sound\n");
        return 1;
    }
    for (int i = 0; i < ROWS; ++i) {
        union {
            float value;
            uint32_t bits;
        } answer;
        float row[FEATURES];
        for (int j = 0; j < FEATURES; ++j) row[j] = reading();
        mark(1);
        answer.value = predict(row);
        mark(0);
        sum = (sum ^ answer.bits) * 16777619u;
    }
    put_text("answers ");
    put_hex(sum);
    put('\n');
    return 0;
}
