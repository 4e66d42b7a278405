/* test_scale.c - the transforms of scale.h against scikit-learn's, and what scale.h promises beyond them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/preprocess/scale.h"
#include "check.h"
#include "golden/scale.h"
#include "lies.h"

#define ULP 0x1p-23                       /* relative */
#define GOLDEN_HASH 0x38fd86309b3b73dbull /* see same_bits_everywhere */

static sooth_env env;

static sooth_scale_options options_of(uint32_t transform) {
    sooth_scale_options options;
    memset(&options, 0, sizeof options);
    options.transform = transform;
    return options;
}

static sooth_scale *fit(const float *x, size_t rows, size_t cols, const sooth_scale_options *options) {
    sooth_table table;
    sooth_scale *scale;
    sooth_env_init(&env);
    sooth_table_init(&table, x, rows, cols);
    CHECK_STATUS(sooth_scale_fit(&env, &table, options, &scale), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    if (scale) CHECK(sooth_scale_check(scale, scale->head.size));
    return scale;
}

static sooth_scale *fit_one(const float *x, size_t rows, uint32_t transform) {
    sooth_scale_options options = options_of(transform);
    return fit(x, rows, 1, &options);
}

/* ---- what others say ---- */

/* The column by itself. Rounding f(x) to float moves shift, width and z by about an ulp of f(x). */
static void equals_scikit_learn(void) {
    float x[golden_rows];
    uint32_t transform, i, j;
    for (transform = 0; transform < SOOTH_SCALE_TRANSFORMS; ++transform)
        for (j = 0; j < golden_columns; ++j) {
            const double *expected = golden_scaled[transform][j];
            sooth_scale *scale;
            double large = fabs(expected[0]) + expected[1];
            if (isnan(expected[0])) continue; /* no logarithm */
            for (i = 0; i < golden_rows; ++i) x[i] = golden_train[i * golden_columns + j];
            scale = fit_one(x, golden_rows, transform);
            CHECK_NEAR(sooth_scale_columns(scale)->shift, expected[0], 2 * ULP * large);
            CHECK_NEAR(sooth_scale_columns(scale)->width, expected[1], 2 * ULP * large);
            CHECK(scale->constants ==
                  (strcmp(golden_names[j], "constant") == 0 && transform % 4 != SOOTH_SCALE_NONE));
            for (i = 0; i < golden_tests; ++i) {
                double z = expected[2 + i], v = golden_test[i * golden_columns + j];
                double got = sooth_scale_apply_one(scale, 0, (float)v);
                CHECK(isnan(got) == isnan(v));
                if (!isnan(v)) CHECK_NEAR(got, z, 3 * ULP * (large / expected[1] + 1) * (fabs(z) + 1));
            }
            sooth_scale_free(&env, scale);
        }
}

/* Median and quartiles without sorting against sorting: all sizes, ties, both signs, both zeros. */
static void quartiles_equal_sorting(void) {
    float x[64], sorted[64];
    double q[3];
    size_t n, i, k;
    int kind;
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 0);
    for (kind = 0; kind < 3; ++kind)
        for (n = 1; n <= 64; ++n) {
            sooth_scale *scale;
            for (i = 0; i < n; ++i) {
                x[i] = kind == 0 ? sooth_rng_float(&rng) - 0.5f : (float)sooth_rng_below(&rng, 7) - 3;
                if (kind == 2)
                    x[i] = ldexpf(x[i] * (1 + sooth_rng_float(&rng)), (int)sooth_rng_below(&rng, 60));
                if (kind == 1 && i % 2) x[i] = -x[i]; /* -0 too */
                sorted[i] = x[i];
            }
            qsort(sorted, n, sizeof(float), check_ascending);
            for (k = 0; k < 3; ++k) {
                double at = (double)(n - 1) * (double)(k + 1) / 4, low = sorted[(size_t)at];
                double high = sorted[(size_t)at + ((size_t)at + 1 < n)];
                q[k] = low + (high - low) * (at - floor(at));
            }
            scale = fit_one(x, n, SOOTH_SCALE_ROBUST);
            CHECK_NEAR(sooth_scale_columns(scale)->shift, (float)q[1], 0);
            CHECK_NEAR(sooth_scale_columns(scale)->width, q[2] > q[0] ? (float)(q[2] - q[0]) : 1, 0);
            CHECK(scale->constants == !(q[2] > q[0]));
            sooth_scale_free(&env, scale);
        }
}

/* ---- what min-max promises ---- */

/* Least and most become 0 and 1 to the last bit, and nothing in between lies outside. */
static void the_ends_are_exact(void) {
    float x[20];
    uint32_t trial, i, function;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (trial = 0; trial < 2000; ++trial)
        for (function = 0; function < 3; ++function) {
            sooth_scale *scale;
            const sooth_scale_column *c;
            for (i = 0; i < 20; ++i) {
                x[i] = ldexpf(0.5f + sooth_rng_float(&rng), (int)sooth_rng_below(&rng, 60) - 30);
                if (trial % 3 == 0) x[i] = 1000 + sooth_rng_float(&rng);
                if (function < 2 && sooth_rng_below(&rng, 2)) x[i] = -x[i];
            }
            scale = fit_one(x, 20, SOOTH_SCALE_MINMAX + 4 * function);
            c = sooth_scale_columns(scale);
            CHECK_NEAR(sooth_scale_apply_one(scale, 0, c->least), 0, 0);
            CHECK_NEAR(sooth_scale_apply_one(scale, 0, c->most), 1, 0);
            for (i = 0; i < 20; ++i) {
                float z = sooth_scale_apply_one(scale, 0, x[i]);
                CHECK(x[i] >= c->least && x[i] <= c->most && z >= 0 && z <= 1);
            }
            sooth_scale_free(&env, scale);
        }
}

/* invert(apply(x)) is x: to an ulp of the training range, or of f(x) where a logarithm compresses. */
static void there_and_back(void) {
    float x[golden_rows], back;
    uint32_t transform, i, j;
    for (transform = 0; transform < SOOTH_SCALE_TRANSFORMS; ++transform)
        for (j = 0; j < golden_columns; ++j) {
            sooth_scale *scale;
            const sooth_scale_column *c;
            if (isnan(golden_scaled[transform][j][0])) continue;
            for (i = 0; i < golden_rows; ++i) x[i] = golden_train[i * golden_columns + j];
            scale = fit_one(x, golden_rows, transform);
            c = sooth_scale_columns(scale);
            for (i = 0; i < golden_rows; ++i) {
                double t, slope, error; /* of f(x), of f^-1 there, of z width + shift */
                back = sooth_scale_invert_one(scale, 0, sooth_scale_apply_one(scale, 0, x[i]));
                CHECK(isnan(back) == isnan(x[i]));
                if (isnan(x[i])) continue;
                t = transform < 4 ? x[i] : transform < 8 ? log1p(fabs(x[i])) : log(x[i]);
                slope = transform < 4 ? 1 : transform < 8 ? 1 + fabs(x[i]) : fabs(x[i]);
                error = 2 * ULP * (fabs(t) + fabs(c->shift));
                CHECK_NEAR(back, x[i], slope * error + 2 * ULP * fabs(x[i]));
            }
            sooth_scale_free(&env, scale);
        }
}

/* ---- missing, weighted, constant ---- */

static void missing_values_pass(void) {
    const float x[] = {1, NAN, NAN, 3, NAN, 5, NAN, NAN, 7}; /* three columns, the second empty */
    float row[3] = {NAN, 42, 6}, out[3];
    sooth_scale_options options = options_of(SOOTH_SCALE_MINMAX);
    sooth_scale *scale = fit(x, 3, 3, &options);
    sooth_scale_apply(scale, row, out);
    CHECK(isnan(out[0]) && out[2] == 0.5f);
    CHECK_NEAR(out[1], 42, 0); /* nothing is known of this column */
    CHECK(scale->constants == 1);
    row[0] = 2;
    row[1] = NAN;
    sooth_scale_apply(scale, row, out);
    CHECK(out[0] == 0.5f && isnan(out[1]));
    sooth_scale_free(&env, scale);
    options.transform = SOOTH_SCALE_LOG_STANDARD;
    options.clip = 1;
    scale = fit(x, 3, 3, &options);
    CHECK_NEAR(sooth_scale_apply_one(scale, 1, -42), -42, 0);
    sooth_scale_free(&env, scale);
}

static void constants_become_zero(void) {
    const float x[] = {5, 5, 5, 5};
    uint32_t transform;
    for (transform = 0; transform < SOOTH_SCALE_TRANSFORMS; ++transform) {
        size_t rows;
        for (rows = 1; rows <= 4; ++rows) { /* one row too */
            sooth_scale *scale = fit_one(x, rows, transform);
            if (transform % 4 == SOOTH_SCALE_NONE) {
                CHECK(scale->constants == 0);
            } else {
                CHECK(scale->constants == 1 && sooth_scale_columns(scale)->width == 1.0f);
                CHECK_NEAR(sooth_scale_apply_one(scale, 0, 5), 0, 0);
                CHECK_CLOSE(sooth_scale_invert_one(scale, 0, 0), 5, 4 * ULP);
            }
            sooth_scale_free(&env, scale);
        }
    }
}

/* A row of weight k counts like k rows in means and deviations; one of weight 0 not at all, even where it has
   no logarithm. */
static void weights_repeat_rows(void) {
    const float x[] = {1, 2, 4, 8, -1000}, weight[] = {3, 1, 2, 1, 0}, repeated[] = {1, 1, 1, 2, 4, 4, 8};
    uint32_t transform;
    sooth_table table;
    sooth_table_init(&table, x, 5, 1);
    table.weight = weight;
    for (transform = 0; transform < SOOTH_SCALE_TRANSFORMS; ++transform) {
        sooth_scale_options options = options_of(transform);
        sooth_scale *a, *b = transform % 4 == SOOTH_SCALE_ROBUST ? fit_one(x, 4, transform)
                                                                 : fit_one(repeated, 7, transform);
        CHECK_STATUS(sooth_scale_fit(&env, &table, &options, &a), SOOTH_OK);
        CHECK_CLOSE(sooth_scale_columns(a)->shift, sooth_scale_columns(b)->shift, ULP);
        CHECK_CLOSE(sooth_scale_columns(a)->width, sooth_scale_columns(b)->width, ULP);
        CHECK(sooth_scale_columns(a)->least == 1 && sooth_scale_columns(a)->most == 8);
        sooth_scale_free(&env, a);
        sooth_scale_free(&env, b);
    }
}

/* ---- what the options do ---- */

static void clip_keeps_to_the_training_range(void) {
    const float x[] = {2, 10, 4};
    uint32_t transform;
    for (transform = 0; transform < SOOTH_SCALE_TRANSFORMS; ++transform) {
        sooth_scale_options options = options_of(transform);
        sooth_scale *scale;
        options.clip = 1;
        scale = fit(x, 3, 1, &options);
        CHECK(sooth_scale_apply_one(scale, 0, -INFINITY) == sooth_scale_apply_one(scale, 0, 2));
        CHECK(sooth_scale_apply_one(scale, 0, 1e30f) == sooth_scale_apply_one(scale, 0, 10));
        CHECK(sooth_scale_apply_one(scale, 0, 3) < sooth_scale_apply_one(scale, 0, 4));
        CHECK(isnan(sooth_scale_apply_one(scale, 0, NAN)) && isnan(sooth_scale_invert_one(scale, 0, NAN)));
        CHECK_NEAR(sooth_scale_invert_one(scale, 0, 1e9f), 10, 0);
        CHECK_NEAR(sooth_scale_invert_one(scale, 0, -1e9f), 2, 0);
        CHECK(sooth_scale_cost(scale).comparisons == 2);
        sooth_scale_free(&env, scale);
    }
}

static void columns_may_differ(void) {
    const float x[] = {1, -2, 8, 3, 0, 2, 5, 5, 4};
    const uint32_t transforms[] = {SOOTH_SCALE_MINMAX, SOOTH_SCALE_NONE, SOOTH_SCALE_LOG};
    float out[3], many[9], copy[9];
    uint32_t i, j;
    sooth_scale_options options = options_of(SOOTH_SCALE_STANDARD);
    sooth_scale *scale;
    sooth_table table;
    options.transforms = transforms;
    scale = fit(x, 3, 3, &options);
    sooth_scale_apply(scale, x + 3, out);
    CHECK(out[0] == 0.5f && out[1] == 0.0f && out[2] == sooth_log(2));
    CHECK(sooth_scale_cost(scale).functions == 1 && sooth_scale_cost(scale).multiply_adds == 3);
    CHECK(sooth_scale_cost(scale).bytes == scale->head.size && scale->head.size == soothi_scale_size(3));
    /* one, a row, many, in place: the same bits */
    sooth_scale_apply_many(scale, x, 3, 3, many);
    memcpy(copy, x, sizeof x);
    sooth_scale_apply_many(scale, copy, 3, 3, copy);
    CHECK(memcmp(copy, many, sizeof many) == 0);
    for (i = 0; i < 3; ++i)
        for (j = 0; j < 3; ++j) CHECK(sooth_scale_apply_one(scale, j, x[3 * i + j]) == many[3 * i + j]);
    sooth_scale_invert_many(scale, many, 3, 3, copy);
    for (i = 0; i < 9; ++i) CHECK_NEAR(copy[i], x[i], 1e-6);
    sooth_scale_invert(scale, many + 3, out);
    CHECK(memcmp(out, copy + 3, sizeof out) == 0);
    sooth_scale_free(&env, scale);
    /* every second float: a table with a stride */
    sooth_table_init(&table, x, 4, 1);
    table.stride = 2;
    CHECK_STATUS(sooth_scale_fit(&env, &table, NULL, &scale), SOOTH_OK);
    CHECK_NEAR(sooth_scale_columns(scale)->shift, (1 + 8 + 0 + 5) / 4.0, 0);
    CHECK_CLOSE(sooth_scale_columns(scale)->width, sqrt((25 / 4.0 + 81 / 4.0 + 49 / 4.0 + 9 / 4.0) / 4), ULP);
    sooth_scale_apply_many(scale, x, 4, 2, many);
    CHECK(many[1] == sooth_scale_apply_one(scale, 0, 8));
    sooth_scale_free(&env, scale);
}

static void options_have_names(void) {
    sooth_scale_options options = options_of(0);
    sooth_env_init(&env);
    CHECK_STATUS(sooth_option_set(&env, sooth_scale_options_list(), &options, "transform", "log_robust"),
                 SOOTH_OK);
    CHECK(options.transform == SOOTH_SCALE_LOG_ROBUST);
    CHECK_STATUS(sooth_option_set(&env, sooth_scale_options_list(), &options, "transform", "log"), SOOTH_OK);
    CHECK(options.transform == SOOTH_SCALE_LOG);
    CHECK_STATUS(sooth_option_set(&env, sooth_scale_options_list(), &options, "transform", "none"), SOOTH_OK);
    CHECK(options.transform == SOOTH_SCALE_NONE);
}

/* ---- bad input ---- */

static void bad_input_is_a_sentence(void) {
    float x[] = {1, 2, 3, 0};
    const float first_off[] = {0, 1, 1, 1};
    const char *names[] = {"watts", NULL};
    const uint32_t transforms[] = {0, 12};
    sooth_scale_options options = options_of(SOOTH_SCALE_LOG);
    sooth_scale *scale = (sooth_scale *)(void *)x;
    sooth_table table;
    sooth_env_init(&env);
#define REFUSED(status, words)                                                         \
    CHECK_FAILS(&env, sooth_scale_fit(&env, &table, &options, &scale), status, words); \
    CHECK(scale == NULL)
    sooth_table_init(&table, x, 4, 1);
    REFUSED(SOOTH_BAD_DATA, "row 4 has 0 in column 1, but values must be above 0 for a logarithm");
    table.names = names;
    x[1] = -2;
    REFUSED(SOOTH_BAD_DATA, "row 2 has -2 in watts, but values must be above 0 for a logarithm");
    table.weight = first_off; /* what does not count is not the first */
    x[0] = -7;
    REFUSED(SOOTH_BAD_DATA, "row 2 has -2 in watts, but values must be above 0 for a logarithm");
    table.weight = NULL;
    x[0] = 1;
    CHECK_STATUS(sooth_scale_fit(NULL, &table, &options, &scale), SOOTH_BAD_DATA);
    x[2] = INFINITY;
    REFUSED(SOOTH_BAD_DATA, "row 3 has an infinite value in watts");
    options.transform = SOOTH_SCALE_ROBUST;
    x[1] = -3e38f;
    x[2] = 3e38f;
    REFUSED(SOOTH_BAD_DATA, "watts ranges from -3e");
    options.transform = SOOTH_SCALE_LOG1P_ROBUST; /* but its logarithm does fit */
    CHECK_STATUS(sooth_scale_fit(&env, &table, &options, &scale), SOOTH_OK);
    sooth_scale_free(&env, scale);
    options.transform = 12;
    REFUSED(SOOTH_BAD_ARGUMENT, "transform is 12, but must be one of standard|minmax|");
    options.transform = 0;
    options.clip = 2;
    REFUSED(SOOTH_BAD_ARGUMENT, "clip is 2");
    options.clip = 0;
    sooth_table_init(&table, x, 2, 2);
    options.transforms = transforms;
    REFUSED(SOOTH_BAD_ARGUMENT, "transforms[1] is 12, but must be below 12");
    table.rows = 0;
    REFUSED(SOOTH_BAD_DATA, "the table is empty");
    sooth_scale_free(&env, NULL);
}

static void memory_may_fail(void) {
    static _Alignas(16) unsigned char memory[256];
    sooth_arena arena;
    sooth_table table;
    sooth_scale_options options = options_of(SOOTH_SCALE_ROBUST);
    sooth_scale *scale;
    sooth_env_init(&env);
    sooth_table_init(&table, golden_test, golden_tests, golden_columns);
    CHECK_EVERY_ALLOCATION(&env, sooth_scale_fit(&env, &table, &options, &scale),
                           sooth_scale_free(&env, scale));
    options.transform = SOOTH_SCALE_LOG; /* fails after its allocation; nothing may stay */
    {
        check_memory counted;
        check_memory_init(&counted, &env, -1);
        CHECK_STATUS(sooth_scale_fit(&env, &table, &options, &scale), SOOTH_BAD_DATA);
        CHECK(counted.calls == 1 && counted.live == 0 && counted.live_bytes == 0);
    }
    options.transform = SOOTH_SCALE_ROBUST;
    sooth_arena_init(&env, &arena, memory, soothi_scale_size(golden_columns));
    CHECK_STATUS(sooth_scale_fit(&env, &table, &options, &scale), SOOTH_OK);
    CHECK(arena.peak == soothi_scale_size(golden_columns));
    sooth_arena_init(&env, &arena, memory, soothi_scale_size(golden_columns) - 1);
    CHECK_STATUS(sooth_scale_fit(&env, &table, &options, &scale), SOOTH_NO_MEMORY);
    CHECK(soothi_scale_size(SIZE_MAX / 2) == SIZE_MAX);
}

/* ---- the block ---- */

/* Every bit turned, sealed again or not, and every shorter size: refused, or harmless. Memory ends where the
   block does. */
static void changed_bytes_are_refused_or_harmless(void) {
    const float x[] = {1, 2, 3, 4, 5, 6}, row[] = {2, 3};
    const uint32_t transforms[] = {SOOTH_SCALE_LOG1P_ROBUST, SOOTH_SCALE_MINMAX};
    sooth_scale_options options = options_of(0);
    sooth_scale *scale;
    unsigned char *bytes;
    size_t size, bit, harmless = 0;
    options.transforms = transforms;
    scale = fit(x, 3, 2, &options);
    size = scale->head.size;
    bytes = (unsigned char *)malloc(size);
    for (bit = 0; bit < 8 * size; ++bit) {
        sooth_scale *changed = (sooth_scale *)(void *)bytes;
        memcpy(bytes, scale, size);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(!sooth_scale_check(bytes, size));
        if (changed->head.size == size) soothi_block_seal(&changed->head);
        if (sooth_scale_check(bytes, size)) {
            float out[2];
            ++harmless;
            CHECK(changed->head.features <= 2);
            sooth_scale_apply(changed, row, out);
            sooth_scale_invert(changed, out, out);
            CHECK(sooth_scale_cost(changed).functions <= 2);
        }
    }
    CHECK(harmless > 100 && harmless < 8 * size); /* most bits of the numbers are harmless */
    memcpy(bytes, scale, size);
    for (bit = 0; bit < size; ++bit) CHECK(!sooth_scale_check(bytes, bit));
    CHECK(sooth_scale_check(bytes, size) && !sooth_scale_check(NULL, size));
    scale->head.features = scale->head.targets = 3; /* the columns must end inside the block */
    soothi_block_seal(&scale->head);
    CHECK(!sooth_scale_check(scale, size));
    sooth_scale_free(&env, scale);
    free(bytes);
}

/* Every transform of the same values: the same bits on every machine, fitted, applied and inverted. */
static void same_bits_everywhere(void) {
    float x[10 * 12];
    uint32_t transforms[12], i;
    unsigned long long hash;
    sooth_rng rng;
    sooth_scale_options options = options_of(0);
    sooth_scale *scale;
    sooth_rng_init(&rng, 9, 0);
    for (i = 0; i < 120; ++i) x[i] = (0.01f + sooth_rng_float(&rng)) * 1000;
    for (i = 0; i < 12; ++i) transforms[i] = i;
    options.transforms = transforms;
    scale = fit(x, 10, 12, &options);
    sooth_scale_apply_many(scale, x, 10, 12, x);
    hash = check_hash_words(14695981039346656037ull, sooth_scale_columns(scale), 5 * 12);
    hash = check_hash_words(hash, x, 120);
    sooth_scale_invert_many(scale, x, 10, 12, x);
    hash = check_hash_words(hash, x, 120);
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
    sooth_scale_free(&env, scale);
}

static void lies_of_scales(void) {
    static const float rows[6] = {1, 5, 2, 4, 3, 9};
    static const uint32_t nan = 0x7FC00000u, infinite = 0x7F800000u, minus_one = 0xBF800000u,
                          huge = 0x7149F2CAu;
    const size_t at = sizeof(sooth_scale) + sizeof(sooth_scale_column); /* the second column */
    const lies_word lies[] = {{offsetof(sooth_block, features), 0},
                              {offsetof(sooth_block, features), 1},
                              {offsetof(sooth_block, targets), 1},
                              {offsetof(sooth_scale, clip), 2},
                              {at + offsetof(sooth_scale_column, transform), SOOTH_SCALE_TRANSFORMS},
                              {at + offsetof(sooth_scale_column, shift), nan},
                              {at + offsetof(sooth_scale_column, shift), infinite},
                              {at + offsetof(sooth_scale_column, width), nan},
                              {at + offsetof(sooth_scale_column, width), infinite},
                              {at + offsetof(sooth_scale_column, width), 0},
                              {at + offsetof(sooth_scale_column, width), minus_one},
                              {at + offsetof(sooth_scale_column, least), nan},
                              {at + offsetof(sooth_scale_column, least), huge},
                              {at + offsetof(sooth_scale_column, most), infinite},
                              {at + offsetof(sooth_scale_column, most), minus_one}};
    const sooth_scale_options options = options_of(SOOTH_SCALE_STANDARD);
    sooth_scale *scale = fit(rows, 3, 2, &options);
    sooth_block *copy;
    if (!scale) return;
    lies_are_refused(sooth_scale_check, &scale->head, lies, sizeof lies / sizeof *lies);
    copy = lies_copy(&scale->head);
    copy->features = copy->targets = 3; /* more columns than there is room for */
    soothi_block_seal(copy);
    CHECK(!sooth_scale_check(copy, copy->size));
    memcpy(copy, scale, copy->size);
    copy->size = copy->doubles_at = copy->bytes_at = sizeof *copy; /* a header alone */
    soothi_block_seal(copy);
    CHECK(!sooth_scale_check(copy, scale->head.size));
    free(copy);
    sooth_scale_free(&env, scale);
}

int main(void) {
    CHECK_RUN(equals_scikit_learn);
    CHECK_RUN(quartiles_equal_sorting);
    CHECK_RUN(the_ends_are_exact);
    CHECK_RUN(there_and_back);
    CHECK_RUN(missing_values_pass);
    CHECK_RUN(constants_become_zero);
    CHECK_RUN(weights_repeat_rows);
    CHECK_RUN(clip_keeps_to_the_training_range);
    CHECK_RUN(columns_may_differ);
    CHECK_RUN(options_have_names);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(changed_bytes_are_refused_or_harmless);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(lies_of_scales);
    return check_end("scale");
}
