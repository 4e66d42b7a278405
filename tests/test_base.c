/* test_base.c - the ground: status, memory, random streams, tables, options, blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base.h"
#include "check.h"

static sooth_env env;

/* Known answers of the Random123 distribution (kat_vectors, philox4x32-10). */
static void philox_gives_the_known_answers(void) {
    static const uint32_t vectors[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    size_t k;
    for (k = 0; k < 3; ++k) {
        uint32_t out[4];
        soothi_philox(vectors[k], vectors[k] + 4, out);
        CHECK(memcmp(out, vectors[k] + 6, sizeof out) == 0);
    }
}

static void streams_are_their_own(void) {
    sooth_rng a, b, c;
    int i, same = 0;
    sooth_rng_init(&a, 5, 1);
    sooth_rng_init(&b, 5, 2);
    sooth_rng_init(&c, 5, 1);
    for (i = 0; i < 1000; ++i) {
        uint32_t v = sooth_rng_next(&a);
        same += v == sooth_rng_next(&b);
        CHECK(v == sooth_rng_next(&c));
    }
    CHECK(same <= 1);
}

static void draws_are_even(void) {
    sooth_rng rng;
    double chi = 0, sum = 0;
    long count[7] = {0, 0, 0, 0, 0, 0, 0};
    uint32_t order[100], seen[100];
    int i;
    sooth_rng_init(&rng, 77, 0);
    for (i = 0; i < 70000; ++i) ++count[sooth_rng_below(&rng, 7)];
    for (i = 0; i < 7; ++i) chi += (double)(count[i] - 10000) * (double)(count[i] - 10000) / 10000.0;
    CHECK(chi < 22.5); /* 0.1 % of the chi-square distribution with 6 degrees of freedom lies above 22.46 */
    for (i = 0; i < 100000; ++i) {
        double v = sooth_rng_double(&rng);
        float f = sooth_rng_float(&rng);
        CHECK(v >= 0 && v < 1 && f >= 0 && f < 1);
        sum += v + (double)f;
    }
    CHECK_NEAR(sum / 200000, 0.5, 0.003); /* 4.6 standard errors */
    for (i = 0; i < 100; ++i) {
        order[i] = (uint32_t)i;
        seen[i] = 0;
    }
    sooth_rng_shuffle(&rng, order, 100);
    for (i = 0; i < 100; ++i) ++seen[order[i]];
    for (i = 0; i < 100; ++i) CHECK(seen[i] == 1);
    CHECK(sooth_rng_below(&rng, 1) == 0);
}

static void arenas_hand_out_and_take_back(void) {
    static unsigned char memory[1024 + 16];
    sooth_arena arena;
    sooth_env own;
    unsigned char *start = memory + (16 - (uintptr_t)memory % 16) % 16;
    void *a, *b;
    sooth_env_init(&own);
    sooth_arena_init(&arena, start, 1024, &own);
    a = soothi_alloc(&own, 100, 1);
    b = soothi_alloc(&own, 10, 8);
    CHECK(a == start && b == start + 112 && (uintptr_t)b % 16 == 0);
    CHECK(soothi_alloc(&own, 1024 - 192 + 1, 1) == NULL); /* one byte too many */
    soothi_free(&own, b, 10, 8);
    soothi_free(&own, a, 100, 1);
    CHECK(arena.used == 0 && arena.peak == 192);
    CHECK(soothi_alloc(&own, 1024, 1) == start);
    sooth_arena_reset(&arena);
    CHECK(soothi_alloc(&own, SIZE_MAX / 2, 3) == NULL && soothi_alloc(&own, SIZE_MAX, 1) == NULL);
    CHECK(soothi_product(SIZE_MAX, 2) == SIZE_MAX && soothi_product(6, 7) == 42);
}

static void tables_are_checked(void) {
    float x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {1, 2, 3}, w[3] = {1, 0, 1};
    static const char *const names[] = {"threads", "GHz"};
    sooth_table t;
    sooth_table_init(&t, x, 3, 2);
    CHECK_STATUS(sooth_table_check(&env, &t, 0), SOOTH_OK);
    CHECK_FAILS(&env, sooth_table_check(&env, &t, SOOTH_NEED_TARGETS), SOOTH_BAD_DATA, "the table has no targets");
    t.y = y;
    t.targets = 1;
    t.weight = w;
    CHECK_STATUS(sooth_table_check(&env, &t, SOOTH_NEED_TARGETS), SOOTH_OK);
    x[3] = NAN;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, 0), SOOTH_BAD_DATA, "row 2 has a missing value in column 2");
    CHECK_STATUS(sooth_table_check(&env, &t, SOOTH_ALLOW_MISSING), SOOTH_OK);
    t.names = names;
    x[3] = -INFINITY;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, SOOTH_ALLOW_MISSING), SOOTH_BAD_DATA, "row 2 has an infinite value in GHz");
    x[3] = 4;
    y[2] = NAN;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, SOOTH_NEED_TARGETS), SOOTH_BAD_DATA, "row 3 has no finite target");
    y[2] = 3;
    w[0] = -1;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, 0), SOOTH_BAD_DATA, "row 1 has the weight -1, but weights must be finite and not negative");
    w[0] = w[2] = 0;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, 0), SOOTH_BAD_DATA, "all weights are zero");
    t.stride = 1;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, 0), SOOTH_BAD_DATA, "the stride is 1, but a row has 2 columns");
    t.rows = 0;
    CHECK_FAILS(&env, sooth_table_check(&env, &t, 0), SOOTH_BAD_DATA, "the table is empty: 0 rows, 2 columns");
    CHECK_FAILS(&env, sooth_table_check(&env, NULL, 0), SOOTH_BAD_DATA, "the table is empty");
    CHECK_STATUS(sooth_table_check(NULL, &t, 0), SOOTH_BAD_DATA); /* without an env only the sentence is lost */
}

static void rows_can_be_taken(void) {
    static const float x[] = {1, 2, -1, 3, 4, -1, 5, 6, -1}, y[] = {10, 11, 20, 21, 30, 31}, w[] = {1, 2, 3};
    static const uint32_t group[] = {7, 8, 9}, rows[] = {2, 0, 2};
    sooth_table t, out;
    sooth_table_init(&t, x, 3, 2);
    t.stride = 3;
    t.y = y;
    t.targets = 2;
    t.weight = w;
    t.group = group;
    CHECK_STATUS(sooth_table_take(&env, &t, rows, 3, &out), SOOTH_OK);
    CHECK(out.rows == 3 && out.cols == 2 && out.stride == 2 && out.targets == 2);
    CHECK(out.x[0] == 5 && out.x[1] == 6 && out.x[2] == 1 && out.x[5] == 6 && out.y[0] == 30 && out.y[3] == 11);
    CHECK(out.weight[0] == 3 && out.weight[1] == 1 && out.group[0] == 9 && out.group[1] == 7);
    sooth_table_free(&env, &out);
    CHECK(out.x == NULL);
    CHECK_EVERY_ALLOCATION(&env, sooth_table_take(&env, &t, rows, 3, &out), sooth_table_free(&env, &out));
    sooth_env_init(&env);
}

typedef struct choices {
    uint32_t depth, criterion;
    double rate;
} choices;

static void options_have_names_and_ranges(void) {
    static const sooth_option option[] = {
        {"depth", SOOTH_OPTION_COUNT, offsetof(choices, depth), 1, 64, 6, "", "levels"},
        {"criterion", SOOTH_OPTION_CHOICE, offsetof(choices, criterion), 0, 0, 0, "squared|absolute|poisson", "what is made small"},
        {"rate", SOOTH_OPTION_NUMBER, offsetof(choices, rate), 1e-3, 1, 0.1, "", "step"}};
    sooth_option_list list;
    choices c;
    memset(&c, 0, sizeof c);
    list.option = option;
    list.count = 3;
    CHECK_STATUS(sooth_option_check(&env, list, &c), SOOTH_OK);
    CHECK(sooth_option_value(&option[0], &c) == 6 && sooth_option_value(&option[2], &c) == 0.1);
    CHECK_STATUS(sooth_option_set(&env, list, &c, "depth", "10"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &c, "criterion", "poisson"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &c, "rate", "5e-2"), SOOTH_OK);
    CHECK(c.depth == 10 && c.criterion == 2 && c.rate == 0.05 && sooth_option_value(&option[1], &c) == 2);
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "Depth", "10"), SOOTH_BAD_ARGUMENT, "there is no option Depth; there are depth, criterion, rate");
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "depth", "99"), SOOTH_BAD_ARGUMENT, "depth is 99, but must be between 1 and 64");
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "depth", "2.5"), SOOTH_BAD_ARGUMENT, "depth is 2.5, but must be a whole number");
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "depth", "ten"), SOOTH_BAD_ARGUMENT, "depth is \"ten\", but must be a number");
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "rate", "nan"), SOOTH_BAD_ARGUMENT, "rate is nan, but must be between 0.001 and 1");
    CHECK_FAILS(&env, sooth_option_set(&env, list, &c, "criterion", "gini"), SOOTH_BAD_ARGUMENT, "criterion is gini, but must be one of squared|absolute|poisson");
    CHECK(c.depth == 10 && c.rate == 0.05); /* what was refused changed nothing */
    c.criterion = 3;
    CHECK_FAILS(&env, sooth_option_check(&env, list, &c), SOOTH_BAD_ARGUMENT, "criterion is 3, but must be one of");
    c.criterion = 0;
    c.rate = 7;
    CHECK_FAILS(&env, sooth_option_check(&env, list, &c), SOOTH_BAD_ARGUMENT, "rate is 7, but must be between 0.001 and 1");
}

static void blocks_notice_any_change(void) {
    sooth_block *block = (sooth_block *)soothi_block_new(&env, SOOTH_KIND_TREE, 3, sizeof(sooth_block) + 20, 8, 5);
    unsigned char *bytes = (unsigned char *)block, shifted[256];
    size_t k;
    CHECK(block != NULL && block->size == 64 + 16 + 16 && block->doubles_at == 64 && block->bytes_at == 80);
    if (!block) return;
    for (k = sizeof *block; k < block->size; ++k) bytes[k] = (unsigned char)(k * 37);
    soothi_block_seal(block);
    CHECK(sooth_block_check(block, block->size, SOOTH_KIND_TREE, 3) && sooth_block_check(block, 1000, SOOTH_KIND_TREE, 3));
    CHECK(!sooth_block_check(block, block->size, SOOTH_KIND_TREE, 4) && !sooth_block_check(block, block->size, SOOTH_KIND_LINEAR, 3));
    CHECK(!sooth_block_check(NULL, 100, SOOTH_KIND_TREE, 3));
    for (k = 0; k < block->size; ++k) CHECK(!sooth_block_check(block, k, SOOTH_KIND_TREE, 3));
    for (k = 0; k < 8 * (size_t)96; ++k) {
        bytes[k / 8] ^= (unsigned char)(1u << k % 8);
        CHECK(!sooth_block_check(block, 96, SOOTH_KIND_TREE, 3));
        bytes[k / 8] ^= (unsigned char)(1u << k % 8);
    }
    memcpy(shifted + 1 + (16 - (uintptr_t)shifted % 16) % 16, bytes, 96);
    CHECK(!sooth_block_check(shifted + 1 + (16 - (uintptr_t)shifted % 16) % 16, 96, SOOTH_KIND_TREE, 3)); /* not aligned */
    soothi_block_free(&env, block);
    CHECK(soothi_block_new(&env, SOOTH_KIND_TREE, 1, SIZE_MAX, 0, 0) == NULL);
}

static void statuses_have_names(void) {
    CHECK(strcmp(sooth_status_name(SOOTH_NO_MEMORY), "SOOTH_NO_MEMORY") == 0);
    CHECK(strcmp(sooth_status_text(SOOTH_OK), "ok") == 0);
    CHECK(strcmp(sooth_status_name((sooth_status)99), "(no status)") == 0 && sooth_status_text(SOOTH_STATUS_COUNT) != NULL);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(philox_gives_the_known_answers);
    CHECK_RUN(streams_are_their_own);
    CHECK_RUN(draws_are_even);
    CHECK_RUN(arenas_hand_out_and_take_back);
    CHECK_RUN(tables_are_checked);
    CHECK_RUN(rows_can_be_taken);
    CHECK_RUN(options_have_names_and_ranges);
    CHECK_RUN(blocks_notice_any_change);
    CHECK_RUN(statuses_have_names);
    return check_end("base");
}
