/* answers.c - what C answers: a model file, changes of it, and rows, for a reader in another language.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     answers CHANGES MODEL... | reader
 *
 * The first case of each model is the file itself. The next ones set each word of every header to its
 * limits, and words behind it, with mended checksums. CHANGES more are those of the fuzz targets; at last the
 * file is cut short. Rows lie inside and outside of the training, at the numbers that are in the file
 * (thresholds, ends of ranges), beside them by one ulp, and lack values. Words of 32 bits, in this machine's
 * byte order; a text is its length and its bytes:
 *
 *     case      1, what sooth_model_why says, the file as a text, and answers if it is sound
 *     answers   how many texts; for each a column, the text and sooth_levels_code
 *               rows, features, targets, quantiles (0 or 3); how many levels sooth_boost_quantiles has, and
 *               they; for each row the features; the predictions;
 *               value, low, high, trust, feature of sooth_model_interval; sooth_model_outside; value, low,
 *               high of sooth_model_interval_from for each target; the quantiles of a forest
 *     end       0
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOOTH_FUZZ_MAIN
#include "../../fuzz/mutate_model.h"

enum { MOST_BYTES = 1 << 24, MOST_FEATURES = 300, MOST_TARGETS = 64, MOST_TREES = 5000, LARGE = 50000 };

static union {
    double aligned;
    uint8_t byte[MOST_BYTES];
} file, changed;
static size_t size;
static sooth_rng rng;

/* The mutations of the fuzz targets ask for this one. */
void fuzz_seal(sooth_block *block) { soothi_block_seal(block); }

static void put(const void *words, size_t count) { fwrite(words, 4, count, stdout); }
static void put_word(uint32_t w) { put(&w, 1); }

/* A number that a row may hold; j: its column. */
static float number(const sooth_model_card *card, size_t j, const uint8_t *bytes, size_t bytes_size) {
    static const float odd[] = {0.0f, -0.0f, -0.5f, -1.0f, -0.99999994f, 1e30f, -1e30f, 3e38f, 1e-40f};
    const uint32_t what = sooth_rng_below(&rng, 16);
    const float *range = card ? sooth_model_card_range(card) : NULL;
    const float least = range && range[2 * j] > -1e30f ? range[2 * j] : 1.0f;
    const float most = range && range[2 * j + 1] < 1e30f ? range[2 * j + 1] : 4.0f, width = most - least;
    uint32_t w = word_at(bytes, 4 * (size_t)sooth_rng_below(&rng, (uint32_t)(bytes_size / 4)));
    if (what < 6) return least + width * sooth_rng_float(&rng);
    if (what < 7) return least - width * sooth_rng_float(&rng);
    if (what < 8) return most + width * sooth_rng_float(&rng) * (sooth_rng_below(&rng, 2) ? 0.1f : 9.0f);
    if (what < 9) return (float)sooth_rng_below(&rng, sooth_rng_below(&rng, 2) ? 12 : 5000);
    if (what < 10) return odd[sooth_rng_below(&rng, sizeof odd / sizeof *odd)];
    if (what < 11) return sooth_rng_below(&rng, 3) ? soothi_missing() : soothi_of_bits(SOOTHI_INFINITE_BITS);
    w += sooth_rng_below(&rng, 3) - 1; /* beside a number of the file by an ulp */
    return soothi_of_bits(w);
}

static const sooth_forest *forest_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_forest *forest = (const sooth_forest *)(const void *)parts.predictor;
    const int is = (parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_FOREST;
    return is && forest->trees <= MOST_TREES && sooth_forest_has_quantiles(forest) ? forest : NULL;
}

/* The quantiles that the targets are, if they are some. */
static void put_levels(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const int is = (parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_BOOST;
    const float *level =
        is ? sooth_boost_quantiles((const sooth_boost *)(const void *)parts.predictor) : NULL;
    put_word(level ? model->head.targets : 0);
    if (level) put(level, model->head.targets);
}

/* The names of some levels, and other spellings of them. */
static void put_codes(const sooth_model *model) {
    static const char *const form[] = {"%s",   "+%s",    "-%s",   "%s.0", "0%s",
                                       "%se0", "%s0e-1", "%sE+2", "%s%s", ".%s"};
    char text[600];
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_levels *l = parts.levels;
    uint32_t texts = 0;
    for (int pass = 0; pass < 2; ++pass) {
        if (pass) put_word(texts);
        for (uint32_t j = 0; l && j < l->head.features; ++j)
            for (uint32_t k = 0; k < 10 * sooth_levels_columns(l)[j].count && k < 200; ++k) {
                const char *name = sooth_levels_name(l, j, (float)(k / 10));
                if (!name || strlen(name) > 250) continue;
                if (!pass) {
                    ++texts;
                    continue;
                }
                const int length = snprintf(text, sizeof text, form[k % 10], name, name);
                const float code = sooth_levels_code(l, j, text, (size_t)length);
                put_word(j);
                put_word((uint32_t)length);
                fwrite(text, 1, (size_t)length, stdout);
                put(&code, 1);
            }
    }
}

static void put_answers(const sooth_model *model, const uint8_t *bytes, uint32_t rows) {
    static float row[MOST_FEATURES], out[MOST_TARGETS], scratch[MOST_FEATURES], quantile[3];
    static uint32_t leaf[MOST_TREES];
    static const float q[] = {0.05f, 0.5f, 0.95f};
    const uint32_t features = model->head.features, targets = model->head.targets;
    const sooth_forest *forest = forest_of(model);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (features > MOST_FEATURES || targets > MOST_TARGETS) rows = 0;
    put_codes(model);
    put_word(rows);
    put_word(features);
    put_word(targets);
    put_word(forest ? 3 : 0);
    put_levels(model);
    for (uint32_t i = 0; i < rows; ++i) {
        sooth_adapted a;
        for (uint32_t j = 0; j < features; ++j) row[j] = number(parts.card, j, bytes, model->head.size);
        put(row, features);
        sooth_model_predict_many(model, row, 1, features, out, scratch, 1);
        put(out, targets);
        sooth_model_interval(model, row, scratch, &a);
        put(&a.value, 1);
        put(&a.low, 1);
        put(&a.high, 1);
        put_word(a.trust);
        put_word(a.feature);
        put_word(sooth_model_outside(model, row));
        for (uint32_t t = 0; t < targets; ++t) {
            const float value = sooth_model_interval_from(model, t, out[t], &a.low, &a.high);
            put(&value, 1);
            put(&a.low, 1);
            put(&a.high, 1);
        }
        if (!forest) continue;
        sooth_forest_quantiles(forest, row, q, 3, leaf, quantile);
        put(quantile, 3);
    }
}

static void put_case(const uint8_t *bytes, size_t bytes_size, uint32_t rows) {
    const char *why = sooth_model_why(bytes, bytes_size);
    const uint32_t length = why ? (uint32_t)strlen(why) : 0;
    put_word(1);
    put_word(length);
    if (why) fwrite(why, 1, length, stdout);
    put_word((uint32_t)bytes_size);
    fwrite(bytes, 1, bytes_size, stdout);
    if (!why) put_answers((const sooth_model *)(const void *)bytes, bytes, rows);
}

/* The word at `at` at its limits; only each `every`-th on average. */
static void put_word_limits(size_t at, uint32_t every) {
    const uint32_t is = word_at(file.byte, at);
    const uint32_t limit[] = {0,          1,          is - 1,     is + 1,     is ^ 2,       is + 16,
                              is - 16,    0x10000u,   0x1000000u, 0x7FC00000, 0x7F800000,   0x80000000,
                              0xFF800000, 0xFFFFFFFF, is << 1,    is >> 1,    is + 0x10000, is - 0x10000};
    for (size_t k = 0; k < sizeof limit / sizeof *limit; ++k) {
        if (sooth_rng_below(&rng, every)) continue;
        memcpy(changed.byte, file.byte, size);
        set_word(changed.byte, at, limit[k]);
        if (at % 16 != 12 || sooth_rng_below(&rng, 16)) mend(changed.byte, size); /* 12: maybe a checksum */
        put_case(changed.byte, size, 3);
    }
}

/* Each word of every header, and the first ones behind it; then each word of the file, of a large file
   some. */
static void put_limits(void) {
    size_t place[MOST_PLACES], n = places_of(file.byte, size, place);
    for (size_t p = 0; p < n; ++p)
        for (size_t at = place[p]; at < place[p] + 96 && at + 4 <= size; at += 4)
            put_word_limits(at, 1 + 4 * (uint32_t)(size / LARGE));
    for (size_t at = 0; at + 4 <= size; at += 4) put_word_limits(at, 1 + (uint32_t)(size / 1500));
}

/* The file with voltages in its laws, which the command fits without; then with the lowest frequency alone.
 */
static void put_voltages(void) {
    size_t place[MOST_PLACES], n = places_of(file.byte, size, place), laws = 0;
    const size_t machine = offsetof(sooth_scaling, machine);
    const size_t levels = machine + offsetof(sooth_scaling_machine, levels);
    memcpy(changed.byte, file.byte, size);
    for (int alone = 0; alone < 2; ++alone) {
        for (size_t p = 0; p < n; ++p) {
            if ((word_at(file.byte, place[p] + AT_KIND) & 0xFFFFu) != SOOTH_KIND_SCALING) continue;
            const size_t at = place[p] + machine + offsetof(sooth_scaling_machine, voltage);
            for (uint32_t k = 0; k < SOOTH_SCALING_MAX_LEVELS; ++k) {
                const float volts = 0.7f + 0.05f * (float)k;
                set_word(changed.byte, at + 4 * k, soothi_bits(volts));
            }
            if (alone && word_at(file.byte, place[p] + levels) > 1)
                set_word(changed.byte, place[p] + levels, 1);
            ++laws;
        }
        mend(changed.byte, size);
        if (laws) put_case(changed.byte, size, size > LARGE ? 200 : 600);
    }
}

static void put_cases(long changes) {
    put_case(file.byte, size, size > LARGE ? 200 : 600);
    put_voltages();
    if (changes > 0) put_limits();
    for (long k = 0; k < changes; ++k) {
        memcpy(changed.byte, file.byte, size);
        put_case(changed.byte, mutate_model(changed.byte, size, size + 4096, &rng), 5);
    }
    for (size_t cut = 0; cut < size && changes > 0; cut += 1 + size / 20) put_case(file.byte, cut, 0);
}

int main(int count, char **words) {
    sooth_rng_init(&rng, 31, 0);
    if (count < 3) return fputs("answers CHANGES MODEL...\n", stderr), 1;
    for (int k = 2; k < count; ++k) {
        FILE *in = fopen(words[k], "rb");
        if (!in) return fprintf(stderr, "answers: %s cannot be read\n", words[k]), 1;
        size = fread(file.byte, 1, sizeof file / 2, in);
        fclose(in);
        put_cases(atol(words[1]));
    }
    put_word(0);
    return ferror(stdout) != 0;
}
