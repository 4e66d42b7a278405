/* fuzz_import.c - any bytes are a model that can be imported, or refused with a sentence; what is imported is
 * sound.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FEATURES = 4096, ROWS = 9 };

/* ---- memory that is bounded by the size of the file ---- */

typedef struct meter {
    size_t live, most;
} meter;

static void *meter_alloc(void *user, size_t size) {
    meter *m = (meter *)user;
    m->live += size;
    if (m->live > m->most) abort();
    return malloc(size);
}

static void meter_free(void *user, void *memory, size_t size) {
    ((meter *)user)->live -= size;
    free(memory);
}

/* ---- what must hold ---- */

static void use(const sooth_import *import) {
    static const float value[] = {0.0f, -1.0f, 3.5f, 1e30f};
    const sooth_ensemble *e = import->ensemble;
    const uint32_t features = e->head.features, targets = e->head.targets;
    float *row, *out, first;
    uint32_t i, k, names = 0;
    if (!soothi_ensemble_check(e, e->head.size, e->head.kind & 0xFFFFu)) abort();
    if (import->names != 0 && import->names != features) abort();
    for (i = 0; i < import->names; ++i)
        for (k = 0; import->feature_names[i][k]; ++k, ++names) /* nothing that steers a terminal */
            if ((unsigned char)import->feature_names[i][k] < 0x20) abort();
    if (import->levels && (!sooth_levels_check(import->levels, import->levels->head.size) ||
                           import->levels->head.features != features))
        abort();
    for (i = 0; import->levels && i < features; ++i) /* each name has its code */
        for (k = 0; k < sooth_levels_columns(import->levels)[i].count; ++k) {
            const char *name = sooth_levels_name(import->levels, i, (float)k);
            if ((uint32_t)sooth_levels_code(import->levels, i, name, strlen(name)) != k) abort();
        }
    if (features > MOST_FEATURES || targets > MOST_FEATURES) return;
    row = (float *)malloc(ROWS * features * sizeof *row);
    out = (float *)malloc(ROWS * targets * sizeof *out);
    if (!row || !out) abort();
    for (i = 0; i < ROWS * features; ++i) {
        const uint32_t nan_bits = 0x7FC00000u;
        row[i] = value[i % 4];
        if (i % 7 == 3) memcpy(&row[i], &nan_bits, sizeof nan_bits);
    }
    sooth_ensemble_predict_many(e, row, ROWS, features, out);
    first = sooth_ensemble_predict(e, row);
    if (memcmp(&first, &out[0], sizeof first) != 0 && first <= first) abort();
    free(row);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int format;
    for (format = SOOTH_IMPORT_ANY; format <= SOOTH_IMPORT_ONNX; ++format) {
        const sooth_import_options options = {(uint32_t)format, size % 2, size / 2 % 2};
        sooth_import import;
        sooth_env env;
        meter m;
        m.live = 0;
        m.most = (1 << 22) + 32 * size; /* of which 2^20 may be the columns that no tree asks about */
        if (format != SOOTH_IMPORT_SKLEARN) m.most += (1 << 22) + 64 * size; /* sets of categories */
        if (format == SOOTH_IMPORT_ANY || format == SOOTH_IMPORT_CATBOOST)
            m.most += 204 * size; /* a leaf may have two characters, and there are two nodes to one */
        m.most += 64 * size;      /* names of categories */
        sooth_env_init(&env);
        env.alloc_fn = meter_alloc;
        env.free_fn = meter_free;
        env.alloc_user = &m;
        if (sooth_import_read(&env, data, size, &options, &import) == SOOTH_OK) {
            use(&import);
            sooth_import_free(&env, &import);
        } else if (import.ensemble || import.feature_names || import.levels || !env.sentence[0]) {
            abort();
        }
        if (m.live) abort();
    }
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
