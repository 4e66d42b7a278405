/* sooth.c - any model of sooth as WebAssembly that needs nothing from outside.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     clang --target=wasm32 -O2 -ffp-contract=off -ffreestanding -nostdlib -Wl,--no-entry -Wl,--stack-first \
 *         -Iinclude examples/wasm/sooth.c -o sooth.wasm
 *
 * There is no C library: the headers declare memcpy and memset themselves, and this file has them. The caller
 * takes room for what it passes, writes there, and calls; see sooth.mjs. Room is given back by dropping the
 * instance.
 */
#define SOOTH_IMPLEMENTATION
#define SOOTH_PREDICT_ONLY
#include "sooth/model.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* -ffreestanding keeps the compiler from making calls of themselves out of these. */
void *memcpy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; ++i) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t size) {
    for (size_t i = 0; i < size; ++i) ((unsigned char *)to)[i] = (unsigned char)byte;
    return to;
}

extern unsigned char __heap_base; /* the linker's: the first byte that nobody uses */
static size_t used;

/* `size` bytes, aligned as a model wants them; NULL: there are not so many. */
void *EXPORT(room)(size_t size) {
    enum { PAGE = 65536 };
    const size_t begin = ((used ? used : (size_t)&__heap_base) + 15) / 16 * 16;
    const size_t have = __builtin_wasm_memory_size(0) * PAGE;
    if (size > SIZE_MAX - PAGE - begin) return NULL;
    const size_t end = begin + size;
    if (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == SIZE_MAX) return NULL;
    used = end;
    return (void *)begin;
}

/* Whether bytes[0..size), from anyone, are a sound model; the functions below take such a one. */
int EXPORT(check)(const sooth_model *model, size_t size) { return sooth_model_check(model, size); }

uint32_t EXPORT(features)(const sooth_model *model) { return model->head.features; }

uint32_t EXPORT(targets)(const sooth_model *model) { return model->head.targets; }

/* Bytes of scratch that predicting takes. */
size_t EXPORT(scratch)(const sooth_model *model) { return sooth_model_scratch_size(model, 1); }

/* out[i * targets + t] for `rows` rows of `features` floats. */
void EXPORT(predict)(const sooth_model *model, const float *x, size_t rows, float *out, void *scratch) {
    sooth_model_predict_many(model, x, rows, model->head.features, out, scratch, 1);
}
