/* answers.c - what the library says here: answers MODEL.sooth TO.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Writes to the file: how many rows, features and targets, then the rows, then their predictions; whole
 * numbers of 32 bits and floats as this machine has them. Every third row lacks a feature. Ends with status 3
 * where the file is a block that is no model.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/model.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 300, MOST = 1 << 20 };

int main(int count, char **words) {
    static double bytes[MOST / 8];
    const sooth_model *model = (const sooth_model *)(const void *)bytes;
    sooth_rng rng;
    FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
    if (!file) return 1;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (!sooth_model_check(bytes, size)) return 3;
    const uint32_t n = model->head.features, targets = model->head.targets, head[3] = {ROWS, n, targets};
    float *x = (float *)malloc(ROWS * n * sizeof *x), *out = (float *)malloc(ROWS * targets * sizeof *out);
    void *scratch = malloc(sooth_model_scratch_size(model, 1) + 1);
    if (!x || !out || !scratch) return 1;
    sooth_rng_init(&rng, 5, n);
    for (size_t i = 0; i < (size_t)ROWS * n; ++i) x[i] = 1.0f + 3.0f * sooth_rng_float(&rng);
    for (size_t i = 0; i < ROWS; i += 3) x[i * n + i % n] = NAN;
    sooth_model_predict_many(model, x, ROWS, n, out, scratch, 1);
    file = fopen(words[2], "wb");
    if (!file) return 1;
    fwrite(head, sizeof *head, 3, file);
    fwrite(x, sizeof *x, ROWS * (size_t)n, file);
    fwrite(out, sizeof *out, ROWS * (size_t)targets, file);
    return fclose(file) != 0;
}
