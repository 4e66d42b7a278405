/* test_origin.c - files with origins: exact rows, refused by whoever does not subtract, sound from anyone.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/model.h"
#include "check.h"

enum { ROWS = 24, ROOM = 4096 };
static const float y[ROWS] = {3, 3, 3, 3, 3, 3, 3, 9, 9, 9, 9, 9, 4, 4, 4, 4, 4, 4, 7, 7, 7, 7, 7, 7};
static union {
    double aligned[ROOM / 8];
    unsigned char byte[ROOM];
    uint32_t word[ROOM / 4];
} file, other;

/* A tree of rows that count from `zero`, and its block. */
static sooth_origin *made(sooth_env *env, const double *value, double zero, double above, sooth_tree **tree) {
    const double origins[2] = {zero, above};
    float x[ROWS];
    sooth_origin *origin = NULL;
    for (int i = 0; i < ROWS; ++i) x[i] = (float)(value[i] - zero);
    const sooth_table table = sooth_table_of(x, y, ROWS, 1);
    CHECK_STATUS(sooth_tree_fit(env, &table, NULL, tree), SOOTH_OK);
    CHECK_STATUS(sooth_origin_make(env, sooth_model_from_block(&(*tree)->head), origins, &origin), SOOTH_OK);
    return origin;
}

/* Seconds, milliseconds, dates as numbers, ids at 2^53, bytes: as integers from 0 they are exact. */
static void rows_are_those_of_the_centred_table(void) {
    static const double start[] = {1.7e9, 1.7e12, 20260108, 9007199254740992.0 - ROWS, 1e12, -1.7e9};
    static const double step[] = {1, 1, 1, 1, 4096, 1};
    for (size_t k = 0; k < sizeof start / sizeof *start; ++k) {
        double value[ROWS];
        sooth_env env;
        sooth_tree *tree;
        size_t same = 0;
        sooth_env_init(&env);
        for (int i = 0; i < ROWS; ++i) value[i] = start[k] + step[k] * i;
        sooth_origin *origin = made(&env, value, start[k], 1e9, &tree);
        for (int i = 0; i < ROWS; ++i) {
            const float centred = (float)(step[k] * i);
            float row;
            sooth_origin_row(origin, &value[i], &row);
            CHECK(row == centred);
            const float said = sooth_model_predict(sooth_origin_model(origin), &row, NULL);
            CHECK(said == sooth_tree_predict(tree, &centred));
            CHECK(said == y[i]); /* no two rows are merged */
            CHECK(sooth_origin_target(origin, 0, said) == 1e9 + (double)y[i]);
            same += (float)value[i] == (float)value[0];
        }
        CHECK(same > 1); /* which floats merge */
        sooth_origin_free(&env, origin);
        sooth_tree_free(&env, tree);
    }
}

static void other_readers_refuse_the_file(void) {
    const double value[ROWS] = {1, 2, 3};
    sooth_env env;
    sooth_tree *tree;
    sooth_model *model;
    sooth_origin *back;
    if (!soothi_model_little_endian()) CHECK_SKIP("a file has the other byte order here");
    sooth_env_init(&env);
    sooth_origin *origin = made(&env, value, 1.0, 0.0, &tree);
    const size_t size = origin->head.size;
    sooth_model_save(sooth_model_from_block(&origin->head), file.byte);
    CHECK(!sooth_model_check(file.byte, size));
    CHECK(strcmp(sooth_model_why(file.byte, size),
                 "the model subtracts origins from its columns: load it with sooth_origin_load") == 0);
    CHECK_FAILS(&env, sooth_model_load(&env, file.byte, size, &model), SOOTH_BAD_MODEL, "sooth_origin_load");
    CHECK(model == NULL);
    CHECK_STATUS(sooth_origin_load(&env, file.byte, size, &back), SOOTH_OK);
    CHECK(memcmp(back, origin, size) == 0);
    CHECK(sooth_origin_values(back)[0] == 1.0 && sooth_origin_values(back)[1] == 0.0);
    sooth_origin_free(&env, back);
    sooth_origin_free(&env, origin);
    sooth_model_save(sooth_model_from_block(&tree->head), file.byte); /* a file without origins */
    CHECK_STATUS(sooth_origin_load(&env, file.byte, tree->head.size, &back), SOOTH_OK);
    CHECK(sooth_origin_values(back)[0] == 0.0 && sooth_origin_values(back)[1] == 0.0);
    CHECK(memcmp(sooth_origin_model(back), tree, tree->head.size) == 0);
    sooth_origin_free(&env, back);
    sooth_origin_free(&env, NULL);
    sooth_tree_free(&env, tree);
}

static void the_other_byte_order_comes_back(void) {
    const double value[ROWS] = {0};
    sooth_env env;
    sooth_tree *tree;
    sooth_model_parts parts;
    sooth_model *envelope;
    sooth_origin *origin;
    sooth_env_init(&env);
    sooth_origin *bare = made(&env, value, 0.5, 2.0, &tree);
    memset(&parts, 0, sizeof parts);
    parts.predictor = &tree->head;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &envelope), SOOTH_OK);
    CHECK_STATUS(sooth_origin_make(&env, envelope, sooth_origin_values(bare), &origin), SOOTH_OK);
    for (int k = 0; k < 2; ++k) {
        const sooth_origin *o = k ? origin : bare;
        const size_t size = o->head.size;
        memcpy(file.byte, o, size);
        CHECK_STATUS(sooth_model_swap_bytes(file.byte, size), SOOTH_OK);
        CHECK(file.word[0] == 0x534F5448u && !sooth_origin_check(file.byte, size));
        memcpy(other.byte, file.byte, size);
        CHECK(other.word[o->head.bytes_at / 4] == 0x534F5448u); /* the model inside is swapped, too */
        CHECK_STATUS(sooth_model_swap_bytes(file.byte, size), SOOTH_OK);
        CHECK(memcmp(file.byte, o, size) == 0 && sooth_origin_check(file.byte, size));
    }
    sooth_origin_free(&env, origin);
    sooth_origin_free(&env, bare);
    sooth_model_free(&env, envelope);
    sooth_tree_free(&env, tree);
}

/* Whoever can write files can seal them: each word of the header, the origins and the model is judged. */
static void lies_are_refused(void) {
    static const uint32_t lie[] = {0, 1, 2, 16, 48, 64, 4096, 0x7F800000u, 0xFFFFFFF0u, UINT32_MAX};
    const double value[ROWS] = {0}, endless[2] = {1.0, -HUGE_VAL};
    sooth_env env;
    sooth_tree *tree;
    sooth_origin *back;
    if (!soothi_model_little_endian()) CHECK_SKIP("a file has the other byte order here");
    sooth_env_init(&env);
    sooth_origin *origin = made(&env, value, 0.5, 2.0, &tree);
    const size_t size = origin->head.size;
    for (size_t w = 1; w < 12; ++w)
        for (size_t k = 0; k < sizeof lie / sizeof *lie; ++k) {
            memcpy(file.byte, origin, size);
            if (w == 3 || file.word[w] == lie[k]) continue; /* the checksum is right below */
            file.word[w] = lie[k];
            if (file.word[2] >= 32 && file.word[2] <= size && file.word[2] % 16 == 0)
                file.word[3] = soothi_checksum(file.byte, file.word[2]);
            const int fine =
                w >= 8 && (w % 2 == 0 || (lie[k] & 0x7FF00000u) != 0x7FF00000u); /* another finite origin */
            CHECK(sooth_origin_check(file.byte, size) == fine);
            if (!fine) CHECK_STATUS(sooth_origin_load(&env, file.byte, size, &back), SOOTH_BAD_MODEL);
        }
    memcpy(file.byte, origin, size);
    file.word[10] ^= 0x00100000u;
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, size, &back), SOOTH_BAD_MODEL, "changed or damaged");
    memcpy(file.byte, origin, size);
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, size - 16, &back), SOOTH_BAD_MODEL, "cut short");
    file.word[origin->head.bytes_at / 4 + 6] += 1; /* the model has another number of features */
    file.word[origin->head.bytes_at / 4 + 3] =
        soothi_checksum(file.byte + origin->head.bytes_at, size - origin->head.bytes_at);
    file.word[3] = soothi_checksum(file.byte, size);
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, size, &back), SOOTH_BAD_MODEL, "is invalid");
    CHECK_STATUS(sooth_origin_load(&env, NULL, 0, &back), SOOTH_BAD_MODEL);
    CHECK_FAILS(&env, sooth_origin_make(&env, sooth_origin_model(origin), endless, &back), SOOTH_BAD_ARGUMENT,
                "origin 2 of 2 is -inf, but must be finite");
    sooth_origin_free(&env, origin);
    sooth_tree_free(&env, tree);
}

/* Seals a block again, after its bytes were changed. */
static void seal(size_t at) {
    file.word[at / 4 + 3] = soothi_checksum(file.byte + at, file.word[at / 4 + 2]);
}

static void a_later_format_and_short_files_are_named(void) {
    const double value[ROWS] = {0};
    sooth_env env;
    sooth_tree *tree;
    sooth_origin *back;
    sooth_arena arena;
    if (!soothi_model_little_endian()) CHECK_SKIP("a file has the other byte order here");
    sooth_env_init(&env);
    sooth_origin *origin = made(&env, value, 0.5, 2.0, &tree);
    const size_t size = origin->head.size;
    memcpy(file.byte, origin, size);
    file.word[1] = SOOTH_KIND_ORIGIN | 2u << 16;
    seal(0);
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, size, &back), SOOTH_BAD_MODEL,
                "has a later format than this version reads");
    memcpy(file.byte, origin, size);
    CHECK_STATUS(sooth_origin_load(&env, file.byte, sizeof(sooth_block) - 1, &back), SOOTH_BAD_MODEL);
    file.word[2] += 16; /* zeros after the model, within the block */
    memset(file.byte + size, 0, 16);
    seal(0);
    CHECK(!sooth_origin_check(file.byte, size + 16));
    file.word[2] = (uint32_t)size + 5; /* an end that no block has: a checksum is of whole words */
    for (int k = 0; k < 2; ++k)
        CHECK_STATUS(sooth_origin_load(&env, file.byte, size + 5u - (size_t)k, &back), SOOTH_BAD_MODEL);
    memcpy(file.byte, tree, tree->head.size); /* a tree of few bytes that states features without end */
    file.word[6] = 3000000000u;
    seal(0);
    CHECK(sooth_model_check(file.byte, tree->head.size));
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, tree->head.size, &back), SOOTH_BAD_MODEL,
                "the model has 3000000001 features and targets, more than 16777216");
    memcpy(file.byte, origin, size);
    sooth_arena_init(&env, &arena, other.byte, 32);
    CHECK_FAILS(&env, sooth_origin_load(&env, file.byte, size, &back), SOOTH_NO_MEMORY, "with origins");
    sooth_env_init(&env);
    sooth_origin_free(&env, origin);
    sooth_tree_free(&env, tree);
}

/* The bytes of a model inside that are not those of its order are refused. */
static void damaged_models_are_not_swapped(void) {
    const double value[ROWS] = {0};
    sooth_env env;
    sooth_tree *tree;
    sooth_model_parts parts;
    sooth_model *envelope;
    sooth_origin *origin;
    sooth_env_init(&env);
    sooth_origin *bare = made(&env, value, 0.5, 2.0, &tree);
    memset(&parts, 0, sizeof parts);
    parts.predictor = &tree->head;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &envelope), SOOTH_OK);
    CHECK_STATUS(sooth_origin_make(&env, envelope, sooth_origin_values(bare), &origin), SOOTH_OK);
    const size_t size = origin->head.size, at = origin->head.bytes_at;
    const size_t inner = at + sooth_origin_model(origin)->head.bytes_at;
    memcpy(file.byte, origin, size);
    file.word[at / 4] ^= 1; /* no block */
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, size), SOOTH_BAD_MODEL);
    memcpy(file.byte, origin, size);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte + at, size - at), SOOTH_OK); /* in the other order */
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, size), SOOTH_BAD_MODEL);
    memcpy(file.byte, origin, size);
    file.word[inner / 4] ^= 1; /* a part of the envelope is no block */
    seal(at);
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, size), SOOTH_BAD_MODEL);
    memcpy(file.byte, bare, bare->head.size);
    file.byte[bare->head.size - 1] ^= 1; /* the checksum of the model is wrong */
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, bare->head.size), SOOTH_BAD_MODEL);
    memcpy(file.byte, bare, bare->head.size);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte + at, bare->head.size - at), SOOTH_OK); /* the tree alone */
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, bare->head.size), SOOTH_BAD_MODEL);
    memcpy(file.byte, bare, bare->head.size);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, bare->head.size), SOOTH_OK);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte + at, bare->head.size - at),
                 SOOTH_OK); /* all but the tree */
    file.word[3] = soothi_checksum(file.byte, bare->head.size);
    soothi_model_reverse(file.byte + 12, 4, 4);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, bare->head.size), SOOTH_BAD_MODEL);
    memcpy(file.byte, bare, bare->head.size);
    memset(file.byte + bare->head.size, 0, 16);
    file.word[at / 4 + 2] += 16; /* the model would end behind the origins' block */
    seal(at);
    seal(0);
    CHECK_STATUS(sooth_model_swap_bytes(file.byte, bare->head.size), SOOTH_BAD_MODEL);
    sooth_origin_free(&env, origin);
    sooth_origin_free(&env, bare);
    sooth_model_free(&env, envelope);
    sooth_tree_free(&env, tree);
}

int main(void) {
    CHECK_RUN(rows_are_those_of_the_centred_table);
    CHECK_RUN(other_readers_refuse_the_file);
    CHECK_RUN(the_other_byte_order_comes_back);
    CHECK_RUN(lies_are_refused);
    CHECK_RUN(a_later_format_and_short_files_are_named);
    CHECK_RUN(damaged_models_are_not_swapped);
    return check_end("origin");
}
