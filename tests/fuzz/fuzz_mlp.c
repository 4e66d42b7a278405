/* fuzz_mlp.c - blocks of any bytes: sooth_mlp_check refuses them, or prediction stays inside them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     clang -fsanitize=fuzzer,address,undefined -Iinclude -Itests tests/fuzz/fuzz_mlp.c
 *     clang -fsanitize=address,undefined -DSOOTH_FUZZ_MAIN -Iinclude -Itests tests/fuzz/fuzz_mlp.c
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/quantise.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 5 };

/* One row and many must agree to the bit; NaN may differ in its own bits. */
static void use(const sooth_mlp *m) {
    const size_t features = m->head.features, targets = m->head.targets;
    float *x = (float *)malloc(ROWS * features * sizeof *x);
    float *many = (float *)malloc(ROWS * targets * sizeof *many);
    size_t i;
    if (!x || !many) abort();
    for (i = 0; i < ROWS * features; ++i) x[i] = (float)(i % 7) - 3.0f;
    x[features] = soothi_of_bits(SOOTHI_MISSING_BITS);
    x[2 * features] = 3e38f;
    x[3 * features] = soothi_of_bits(SOOTHI_INFINITE_BITS);
    sooth_mlp_predict_many(m, x, ROWS, features, many);
    for (i = 0; i < ROWS; ++i) {
        const float one = sooth_mlp_predict(m, x + i * features);
        const float other = many[i * targets];
        if (one == one ? memcmp(&one, &other, sizeof one) != 0 : other == other) abort();
    }
    (void)sooth_mlp_cost(m);
    (void)sooth_mlp_weight(m, m->layers - 1, targets - 1, 0);
    (void)sooth_mlp_bias(m, m->layers - 1, targets - 1);
    free(x);
    free(many);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_block *block;
    const size_t whole = size / 16 * 16; /* as any block is */
    if (whole < sizeof *block) return 0;
    block = (sooth_block *)malloc(whole); /* of exactly this size, so that reading past the end is seen */
    if (!block) return 0;
    memcpy(block, data, whole);
    block->magic = SOOTH_BLOCK_MAGIC; /* what would keep all the rest from being tried */
    block->kind = SOOTH_KIND_MLP + 65536u * SOOTH_MLP_VERSION;
    block->size = (uint32_t)whole;
    soothi_block_seal(block);
    if (sooth_mlp_check(block, whole)) use((const sooth_mlp *)(const void *)block);
    free(block);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"

int main(int count, char **word) {
    static const uint32_t outputs[3] = {7, 12, 2};
    static const float weights[7 * 6 + 12 * 8 + 2 * 13] = {0.5f, -1.0f, 0.25f, 2.0f};
    const float box[10] = {-3, 3, -3, 3, -3, 3, -3, 3, -3, 3};
    sooth_mlp *m[3];
    uint32_t first, k;
    for (first = 0; first < SOOTH_MLP_ACTIVATIONS; ++first) {
        const uint32_t most = SOOTH_MLP_ACTIVATIONS;
        const uint32_t activation[3] = {first, (first + 1) % most, (first + 2) % most};
        if (sooth_mlp_make(NULL, 5, 3, outputs, activation, 0, 0.1, weights, &m[0]) != SOOTH_OK) abort();
        if (sooth_mlp_quantise(NULL, m[0], 8, box, NULL, &m[1]) != SOOTH_OK) abort();
        if (sooth_mlp_quantise(NULL, m[0], 16, box, NULL, &m[2]) != SOOTH_OK) abort();
        for (k = 0; k < 3; ++k) {
            const uint8_t *seed = (const uint8_t *)m[k];
            if (!sooth_mlp_check(m[k], m[k]->head.size)) abort();
            LLVMFuzzerTestOneInput(seed, m[k]->head.size);
            mutate(seed, m[k]->head.size, (count > 1 ? atol(word[1]) : 20000) / 7, 3 * first + k);
        }
        for (k = 0; k < 3; ++k) sooth_mlp_free(NULL, m[k]);
    }
    return 0;
}
#endif
