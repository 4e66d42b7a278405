/* test_base.c - the ground: statuses, env, arena, random numbers, tables, options, blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base.h"
#include "sooth/base/reduce.h"
#include "check.h"

#include <float.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static sooth_env env;

/* ---- status ---- */

static void statuses_have_names_and_texts(void) {
    int i;
    CHECK(SOOTH_OK == 0);
    CHECK(strcmp(sooth_status_name(SOOTH_OK), "SOOTH_OK") == 0);
    CHECK(strcmp(sooth_status_name(SOOTH_BAD_DATA), "SOOTH_BAD_DATA") == 0);
    CHECK(strcmp(sooth_status_text(SOOTH_BAD_DATA), "the table cannot be used as it is") == 0);
    for (i = 0; i < SOOTH_STATUS_COUNT; ++i) {
        CHECK(strncmp(sooth_status_name((sooth_status)i), "SOOTH_", 6) == 0);
        CHECK(strlen(sooth_status_text((sooth_status)i)) > 1);
    }
    CHECK(strcmp(sooth_status_name(SOOTH_STATUS_COUNT), "(unknown status)") == 0);
    CHECK(strcmp(sooth_status_text(SOOTH_STATUS_COUNT), "(unknown status)") == 0);
}

static void the_version_is_one_number(void) {
    char text[32];
    sooth_text_format(text, sizeof text, "%d.%d.%d", SOOTH_VERSION / 1000000, SOOTH_VERSION / 1000 % 1000,
                      SOOTH_VERSION % 1000);
    CHECK(strcmp(text, SOOTH_VERSION_TEXT) == 0);
}

/* ---- env ---- */

static void sentences_fit_their_room(void) {
    char name[400];
    sooth_env_init(&env);
    CHECK(env.alloc_fn == NULL && env.parallel_fn == NULL && env.progress_fn == NULL && env.sentence[0] == 0);
    CHECK(sooth_fail(NULL, SOOTH_BAD_DATA, "nobody reads %s", "this") == SOOTH_BAD_DATA);
    CHECK(sooth_fail(&env, SOOTH_BAD_TEXT, "%s is %u, %z or %g", "x", 1u, (size_t)2, 0.5) == SOOTH_BAD_TEXT);
    CHECK(strcmp(env.sentence, "x is 1, 2 or 0.5") == 0);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    sooth_fail(&env, SOOTH_BAD_TEXT, "%s", name);
    CHECK(strlen(env.sentence) == SOOTH_ENV_SENTENCE - 1);
}

static void products_do_not_wrap(void) {
    CHECK(soothi_product(0, SIZE_MAX) == 0 && soothi_product(SIZE_MAX, 0) == 0);
    CHECK(soothi_product(3, 5) == 15 && soothi_product(SIZE_MAX, 1) == SIZE_MAX);
    CHECK(soothi_product(SIZE_MAX / 2, 3) == SIZE_MAX && soothi_product(SIZE_MAX / 4 + 1, 4) == SIZE_MAX);
    sooth_env_init(&env);
    CHECK(sooth_alloc(&env, SIZE_MAX / 4, 8) == NULL && sooth_alloc(NULL, SIZE_MAX / 2 + 1, 1) == NULL);
}

static void allocations_go_through_the_env(void) {
    check_memory m;
    void *a, *b;
    sooth_env_init(&env);
    check_memory_init(&m, &env, -1);
    a = sooth_alloc(&env, 10, 4);
    b = sooth_alloc(&env, 0, 4); /* nothing is something that can be freed */
    CHECK(a && b && m.calls == 2 && m.live_bytes == 44);
    sooth_free(&env, b, 0, 4);
    sooth_free(&env, a, 10, 4);
    sooth_free(&env, NULL, 10, 4);
    CHECK(m.live == 0 && m.live_bytes == 0);
    a = sooth_alloc(NULL, 10, 4);
    CHECK(a != NULL);
    sooth_free(NULL, a, 10, 4);
    a = sooth_alloc(&env, 1, 1);
    env.free_fn = NULL; /* an allocator that never takes back is allowed */
    sooth_free(&env, a, 1, 1);
    CHECK(m.live == 1);
    check_free(&m, a, 1);
    CHECK(sooth_no_memory(&env, "a tree", 1234) == SOOTH_NO_MEMORY);
    CHECK(strcmp(env.sentence, "no memory for a tree (1234 bytes)") == 0);
}

static size_t order[8], ordered;

static void take_turn(void *arg, size_t i, size_t worker) {
    (void)arg;
    if (worker == 0) order[ordered++] = i;
}

static int loops; /* that parallel_fn was asked for */

static void backwards(void *user, size_t count, sooth_task *task, void *arg) {
    (void)user;
    ++loops;
    while (count) task(arg, --count, 0);
}

static void loops_are_the_hosts(void) {
    sooth_env_init(&env);
    ordered = 0;
    soothi_parallel(NULL, 2, take_turn, NULL);
    soothi_parallel(&env, 2, take_turn, NULL);
    CHECK(ordered == 4 && order[0] == 0 && order[1] == 1 && order[2] == 0 && order[3] == 1);
    CHECK(soothi_workers(NULL) == 1 && soothi_workers(&env) == 1);
    env.workers = 4;
    CHECK(soothi_workers(&env) == 1); /* without a loop of the host's there is one worker */
    env.parallel_fn = backwards;
    CHECK(soothi_workers(&env) == 4);
    env.workers = 0;
    CHECK(soothi_workers(&env) == 1);
    ordered = 0;
    loops = 0;
    soothi_parallel(&env, 3, take_turn, NULL);
    CHECK(loops == 1 && ordered == 3 && order[0] == 2 && order[2] == 0);
    soothi_parallel(&env, 1, take_turn, NULL); /* one task is not worth a loop, none even less */
    soothi_parallel(&env, 0, take_turn, NULL);
    CHECK(loops == 1 && ordered == 4);
}

static int stop_at_half(void *user, const char *stage, double done) {
    CHECK(user == &env && strcmp(stage, "growing") == 0);
    return done >= 0.5;
}

static void the_host_may_cancel(void) {
    sooth_env_init(&env);
    CHECK_STATUS(soothi_progress(NULL, "growing", 0.9), SOOTH_OK);
    CHECK_STATUS(soothi_progress(&env, "growing", 0.9), SOOTH_OK);
    env.progress_fn = stop_at_half;
    env.progress_user = &env;
    CHECK_STATUS(soothi_progress(&env, "growing", 0.25), SOOTH_OK);
    CHECK_FAILS(&env, soothi_progress(&env, "growing", 0.5), SOOTH_CANCELLED, "growing was cancelled");
}

/* ---- arena ---- */

static unsigned char memory[1024];

/* 1008 bytes of it that begin at a multiple of 16. */
static unsigned char *aligned_memory(void) {
    return memory + (16u - (size_t)((uintptr_t)memory % 16u)) % 16u;
}

static void arena_pieces_are_aligned_and_come_back(void) {
    static const size_t sizes[] = {1, 15, 16, 17, 31, 3, 64, 5};
    unsigned char *piece[COUNT(sizes)];
    size_t shift, i, j, used, peak;
    for (shift = 0; shift < 17; ++shift) { /* wherever the buffer begins */
        sooth_arena arena;
        sooth_env_init(&env);
        sooth_arena_init(&env, &arena, memory + shift, 512);
        CHECK(arena.used == 0 && arena.peak == 0);
        for (i = 0; i < COUNT(sizes); ++i) {
            piece[i] = (unsigned char *)sooth_alloc(&env, sizes[i], 1);
            CHECK(piece[i] && (uintptr_t)piece[i] % 16 == 0);
            CHECK(piece[i] >= memory + shift && piece[i] + sizes[i] <= memory + shift + 512);
            memset(piece[i], (int)i, sizes[i]);
        }
        for (i = 0; i < COUNT(sizes); ++i)
            for (j = 0; j < sizes[i]; ++j) CHECK(piece[i][j] == i);
        used = arena.used;
        peak = arena.peak;
        sooth_free(&env, piece[2], sizes[2], 1); /* out of order: stays until a reset */
        CHECK(arena.used == used);
        for (i = COUNT(sizes); i-- > 3;) sooth_free(&env, piece[i], sizes[i], 1);
        CHECK(sooth_alloc(&env, 1, 1) == piece[3]); /* in reverse order: all of it came back */
        sooth_free(&env, piece[3], 1, 1);
        sooth_free(&env, piece[2], sizes[2], 1);
        sooth_free(&env, piece[1], sizes[1], 1);
        sooth_free(&env, piece[0], sizes[0], 1);
        CHECK(sooth_alloc(&env, 40, 1) == piece[0] && arena.peak == peak);
        sooth_arena_reset(&arena);
        CHECK(arena.used == 0 && sooth_alloc(&env, 40, 1) == piece[0]);
    }
}

/* A piece that is not the last one stays, even when the last one is tiny. */
static void an_arena_keeps_what_is_still_in_use(void) {
    sooth_arena arena;
    void *a, *b, *c;
    sooth_env_init(&env);
    sooth_arena_init(&env, &arena, aligned_memory(), 64);
    a = sooth_alloc(&env, 16, 1);
    b = sooth_alloc(&env, 1, 1);
    sooth_free(&env, a, 16, 1);
    c = sooth_alloc(&env, 1, 1);
    CHECK(a && b && c && a != c && b != c);
}

static void an_arena_of_the_peak_is_enough(void) {
    sooth_arena arena;
    size_t size, peak;
    sooth_env_init(&env);
    for (size = 1; size < 70; ++size) {
        sooth_arena_init(&env, &arena, aligned_memory(), 1008);
        CHECK(sooth_alloc(&env, 9, 1) && sooth_alloc(&env, size, 1));
        peak = arena.peak;
        CHECK(peak == 16 + size);
        sooth_arena_init(&env, &arena, aligned_memory(), peak);
        CHECK(sooth_alloc(&env, 9, 1) && sooth_alloc(&env, size, 1) && !sooth_alloc(&env, 1, 1));
        CHECK(arena.peak == peak);
        sooth_arena_init(&env, &arena, aligned_memory(), peak - 1);
        CHECK(sooth_alloc(&env, 9, 1) && !sooth_alloc(&env, size, 1));
    }
    sooth_arena_init(&env, &arena, aligned_memory(), 0);
    CHECK(!sooth_alloc(&env, 1, 1));
    sooth_arena_init(&env, &arena, aligned_memory(), 1008);
    CHECK(!sooth_alloc(&env, SIZE_MAX / 2, 3) && !sooth_alloc(&env, SIZE_MAX / 2 - 8, 1));
}

/* The last piece may end anywhere and still comes back. */
static void an_arena_takes_its_last_piece_back(void) {
    sooth_arena arena;
    void *a, *b;
    sooth_env_init(&env);
    sooth_arena_init(&env, &arena, aligned_memory(), 37);
    a = sooth_alloc(&env, 16, 1);
    b = sooth_alloc(&env, 21, 1);
    CHECK(a && b && !sooth_alloc(&env, 1, 1));
    sooth_free(&env, b, 21, 1);
    sooth_free(&env, a, 16, 1);
    CHECK(sooth_alloc(&env, 37, 1) == a);
}

/* ---- random numbers ---- */

/* Known answers that come with Random123 (D. E. Shaw Research): kat_vectors, philox 4x32 with 10 rounds. */
static void philox_gives_the_known_answers(void) {
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
        {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
         {0xffffffffu, 0xffffffffu},
         {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
        {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
         {0xa4093822u, 0x299f31d0u},
         {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
    };
    uint32_t word[4];
    size_t i;
    for (i = 0; i < COUNT(known); ++i) {
        soothi_philox(known[i].counter, known[i].key, word);
        CHECK(memcmp(word, known[i].answer, sizeof word) == 0);
    }
}

/* Word n of stream s under a seed is philox of (n / 4, s), word n mod 4: for ever, or saved models change. */
static void streams_are_a_function_of_seed_and_number(void) {
    const uint64_t seed = 0xa4093822299f31d0u, stream = 0x0370734413198a2eu;
    uint32_t counter[4] = {0, 0, 0x13198a2eu, 0x03707344u}, key[2] = {0x299f31d0u, 0xa4093822u}, word[4];
    sooth_rng rng, copy;
    size_t i;
    sooth_rng_init(&rng, seed, stream);
    for (i = 0; i < 40; ++i) {
        counter[0] = (uint32_t)(i / 4);
        soothi_philox(counter, key, word);
        CHECK(sooth_rng_next(&rng) == word[i % 4]);
    }
    copy = rng;
    CHECK(sooth_rng_next(&copy) == sooth_rng_next(&rng));
    sooth_rng_init(&rng, seed, stream); /* the position carries over into its second word */
    rng.counter[0] = 0xffffffffu;
    for (i = 0; i < 4; ++i) sooth_rng_next(&rng);
    counter[0] = 0;
    counter[1] = 1;
    soothi_philox(counter, key, word);
    CHECK(sooth_rng_next(&rng) == word[0]);
}

/* sum (seen - expected)^2 / expected over cells that should be equally full */
static double chi_square(const size_t *seen, size_t cells, double total) {
    double expected = total / (double)cells, sum = 0.0;
    size_t i;
    for (i = 0; i < cells; ++i) sum += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
    return sum;
}

/* The bounds are the quantiles 0.001 and 0.999 of chi-square; the seeds are fixed. */
static void numbers_below_a_bound_are_unbiased(void) {
    enum { N = 100000 };
    size_t seen[16], i;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    memset(seen, 0, sizeof seen);
    for (i = 0; i < N; ++i) {
        uint32_t v = sooth_rng_below(&rng, 13);
        CHECK(v < 13);
        ++seen[v % 16];
    }
    CHECK(chi_square(seen, 13, N) > 2.2 && chi_square(seen, 13, N) < 32.9); /* 12 degrees of freedom */
    memset(seen, 0, sizeof seen);
    for (i = 0; i < N; ++i) /* 3/4 of 2^32: without rejection the first third would come up twice as often */
        ++seen[sooth_rng_below(&rng, 0xC0000000u) >> 30];
    CHECK(chi_square(seen, 3, N) < 13.8); /* 2 */
    for (i = 0; i < 100; ++i) {
        CHECK(sooth_rng_below(&rng, 1) == 0);
        CHECK(sooth_rng_below(&rng, 0xFFFFFFFFu) < 0xFFFFFFFFu);
    }
}

static void fractions_lie_in_the_unit_interval(void) {
    enum { N = 100000 };
    size_t floats[16], doubles[16], i;
    sooth_rng rng;
    double least = 1.0;
    sooth_rng_init(&rng, 2, 0);
    memset(floats, 0, sizeof floats);
    memset(doubles, 0, sizeof doubles);
    for (i = 0; i < N; ++i) {
        float f = sooth_rng_float(&rng);
        double d = sooth_rng_double(&rng);
        CHECK(f >= 0.0f && f < 1.0f && d >= 0.0 && d < 1.0);
        CHECK(f * 16777216.0f == (float)(uint32_t)(f * 16777216.0f));
        CHECK(d * 9007199254740992.0 == (double)(uint64_t)(d * 9007199254740992.0));
        ++floats[(size_t)(f * 16.0f)];
        ++doubles[(size_t)(d * 16.0)];
        if (d < least) least = d;
    }
    CHECK(chi_square(floats, 16, N) > 3.5 && chi_square(floats, 16, N) < 37.7); /* 15 */
    CHECK(chi_square(doubles, 16, N) > 3.5 && chi_square(doubles, 16, N) < 37.7);
    CHECK(least < 1e-3);
}

/* Pairs from two streams, or two seeds, fill a 4 x 4 table evenly, whichever bits one looks at. */
static void streams_are_independent(void) {
    enum { N = 40000 };
    static const uint64_t pairs[][4] = {/* seed and stream of both */
                                        {1, 0, 1, 1},
                                        {1, 0, 2, 0},
                                        {7, 1, 7, 0x100000000u},
                                        {0, 3, 0x100000000u, 3}};
    size_t p, i, shift;
    for (p = 0; p < COUNT(pairs); ++p)
        for (shift = 0; shift < 32; shift += 6) {
            size_t seen[16] = {0};
            sooth_rng a, b;
            sooth_rng_init(&a, pairs[p][0], pairs[p][1]);
            sooth_rng_init(&b, pairs[p][2], pairs[p][3]);
            for (i = 0; i < N; ++i)
                ++seen[(sooth_rng_next(&a) >> shift & 3u) * 4 + (sooth_rng_next(&b) >> shift & 3u)];
            CHECK(chi_square(seen, 16, N) > 3.0 && chi_square(seen, 16, N) < 42.0);
        }
}

static void every_order_is_equally_likely(void) {
    enum { N = 48000 };
    size_t seen[24], i, j, k;
    uint32_t v[100];
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    memset(seen, 0, sizeof seen);
    for (i = 0; i < N; ++i) {
        size_t number = 0;
        for (j = 0; j < 4; ++j) v[j] = (uint32_t)j;
        sooth_rng_shuffle(&rng, v, 4);
        for (j = 0; j < 4; ++j) { /* the order's number in the factorial system */
            size_t smaller = 0;
            for (k = j + 1; k < 4; ++k) smaller += v[k] < v[j];
            number = number * (4 - j) + smaller;
        }
        ++seen[number];
    }
    CHECK(chi_square(seen, 24, N) > 7.5 && chi_square(seen, 24, N) < 49.7); /* 23 */
    for (j = 0; j < 100; ++j) v[j] = (uint32_t)j;
    sooth_rng_shuffle(&rng, v, 100);
    for (j = 0; j < 100; ++j) {
        size_t times = 0;
        for (k = 0; k < 100; ++k) times += v[k] == j;
        CHECK(times == 1);
    }
    v[0] = 42;
    sooth_rng_shuffle(&rng, v, 1);
    sooth_rng_shuffle(&rng, v, 0);
    CHECK(v[0] == 42);
}

/* ---- tables ---- */

enum { ROWS = 4, COLS = 3, STRIDE = 5 };
static float cells[ROWS * STRIDE], targets[ROWS * 2], weights[ROWS];
static uint32_t groups[ROWS];
static const char *names[COLS] = {"threads", NULL, "clock"};

/* A sound table; what lies between the rows is not its business. */
static sooth_table sound_table(void) {
    sooth_table table;
    size_t i, j;
    for (i = 0; i < ROWS; ++i) {
        for (j = 0; j < STRIDE; ++j) cells[i * STRIDE + j] = j < COLS ? (float)(10 * i + j) : (float)NAN;
        targets[2 * i] = (float)i;
        targets[2 * i + 1] = -(float)i;
        weights[i] = 1.0f + (float)i;
        groups[i] = (uint32_t)(7 * i);
    }
    sooth_table_init(&table, cells, ROWS, COLS);
    table.stride = STRIDE;
    table.y = targets;
    table.targets = 2;
    table.weight = weights;
    table.group = groups;
    return table;
}

static void a_new_table_has_features_only(void) {
    sooth_table table;
    sooth_table_init(&table, cells, 7, 3);
    CHECK(table.x == cells && table.rows == 7 && table.cols == 3 && table.stride == 3);
    CHECK(!table.y && !table.weight && !table.group && !table.names && table.targets == 0);
}

static void sound_tables_pass(void) {
    sooth_table table = sound_table();
    sooth_env_init(&env);
    CHECK_STATUS(sooth_table_check(&env, &table, SOOTH_TABLE_NEED_TARGETS), SOOTH_OK);
    CHECK_STATUS(sooth_table_check(NULL, &table, 0), SOOTH_OK);
    cells[0] = FLT_MAX;
    cells[1] = -FLT_MAX;
    cells[2] = -0.0f;
    cells[STRIDE] = FLT_MIN / 2.0f;
    weights[1] = 0.0f;
    CHECK_STATUS(sooth_table_check(&env, &table, SOOTH_TABLE_NEED_TARGETS), SOOTH_OK);
    cells[STRIDE + 2] = (float)NAN;
    CHECK_STATUS(sooth_table_check(&env, &table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING),
                 SOOTH_OK);
    table = sound_table();
    targets[3] = (float)NAN; /* nobody asked for targets */
    CHECK_STATUS(sooth_table_check(&env, &table, 0), SOOTH_OK);
    table.rows = 1;
    CHECK_STATUS(sooth_table_check(&env, &table, SOOTH_TABLE_NEED_TARGETS), SOOTH_OK);
}

static void every_defect_of_a_table_has_its_sentence(void) {
    sooth_table table = sound_table();
    sooth_env_init(&env);
#define BAD(needs, words) CHECK_FAILS(&env, sooth_table_check(&env, &table, needs), SOOTH_BAD_DATA, words)
    CHECK_FAILS(&env, sooth_table_check(&env, NULL, 0), SOOTH_BAD_DATA, "the table is empty: 0 rows, 0 col");
    CHECK_STATUS(sooth_table_check(NULL, NULL, 0), SOOTH_BAD_DATA); /* no env: no sentence */
    table.rows = 0;
    BAD(0, "the table is empty: 0 rows, 3 columns");
    table = sound_table();
    table.cols = 0;
    BAD(0, "the table is empty: 4 rows, 0 columns");
    table = sound_table();
    table.x = NULL;
    BAD(0, "the table is empty");
    table = sound_table();
    table.rows = (size_t)UINT32_MAX / 2 + 1;
    BAD(0, "the table has 2147483648 rows and 3 columns, but each must be below 2^31");
    table = sound_table();
    table.cols = table.stride = (size_t)UINT32_MAX / 2 + 1;
    BAD(0, "the table has 4 rows and 2147483648 columns, but each must be below 2^31");
    table = sound_table();
    table.stride = 2;
    BAD(0, "the stride is 2, but must be at least the number of columns, 3");
    table = sound_table();
    table.y = NULL;
    BAD(SOOTH_TABLE_NEED_TARGETS, "the table has no targets");
    table = sound_table();
    table.targets = 0;
    BAD(SOOTH_TABLE_NEED_TARGETS, "the table has no targets");
    table = sound_table();
    table.stride = SIZE_MAX / 4;
    BAD(0, "the table is larger than the address space");
    table = sound_table();
    table.targets = SIZE_MAX / 4;
    BAD(SOOTH_TABLE_NEED_TARGETS, "the table is larger than the address space");
    table = sound_table();
    cells[STRIDE + 2] = (float)NAN;
    BAD(0, "row 2 has a missing value in column 3");
    table.names = names;
    BAD(0, "row 2 has a missing value in clock");
    cells[STRIDE + 1] = (float)NAN;
    BAD(0, "row 2 has a missing value in column 2");
    cells[2 * STRIDE] = (float)INFINITY;
    BAD(SOOTH_TABLE_ALLOW_MISSING, "row 3 has an infinite value in threads");
    cells[2 * STRIDE] = -(float)INFINITY;
    BAD(SOOTH_TABLE_ALLOW_MISSING, "row 3 has an infinite value in threads");
    table = sound_table();
    targets[5] = (float)INFINITY;
    BAD(SOOTH_TABLE_NEED_TARGETS, "row 3 has no finite target");
    targets[0] = (float)NAN;
    BAD(SOOTH_TABLE_NEED_TARGETS, "row 1 has no finite target");
    table = sound_table();
    weights[3] = -1.5f;
    BAD(0, "row 4 has the weight -1.5, but weights must be finite and not negative");
    weights[1] = (float)NAN;
    BAD(0, "row 2 has the weight nan, but weights");
    weights[0] = (float)INFINITY;
    BAD(0, "row 1 has the weight inf, but weights");
    memset(weights, 0, sizeof weights);
    BAD(0, "all weights are zero");
#undef BAD
}

static void rows_are_taken_with_all_they_have(void) {
    static const uint32_t wanted[] = {2, 0, 2, 3, 3};
    sooth_table table = sound_table(), taken;
    size_t i, j;
    sooth_env_init(&env);
    table.names = names;
    CHECK_STATUS(sooth_table_take(&env, &table, wanted, COUNT(wanted), &taken), SOOTH_OK);
    CHECK(taken.rows == COUNT(wanted) && taken.cols == COLS && taken.stride == COLS && taken.targets == 2);
    CHECK(taken.names == names && taken.x != table.x);
    for (i = 0; i < COUNT(wanted); ++i) {
        for (j = 0; j < COLS; ++j) CHECK(taken.x[i * COLS + j] == (float)(10 * wanted[i] + j));
        CHECK(taken.y[2 * i] == (float)wanted[i] && taken.y[2 * i + 1] == -(float)wanted[i]);
        CHECK(taken.weight[i] == 1.0f + (float)wanted[i] && taken.group[i] == 7 * wanted[i]);
    }
    CHECK_STATUS(sooth_table_check(&env, &taken, SOOTH_TABLE_NEED_TARGETS),
                 SOOTH_OK); /* no padding came along */
    sooth_table_free(&env, &taken);
    CHECK(taken.x == NULL && taken.rows == 0);
    sooth_table_free(&env, &taken); /* again: nothing happens */
    CHECK_EVERY_ALLOCATION(&env, sooth_table_take(&env, &table, wanted, COUNT(wanted), &taken),
                           sooth_table_free(&env, &taken));
}

static void rows_are_taken_without_what_there_is_not(void) {
    static const uint32_t wanted[] = {3, 1};
    sooth_table table = sound_table(), taken;
    check_memory m;
    unsigned has;
    for (has = 0; has < 8; ++has) {
        table = sound_table();
        if (!(has & 1)) table.y = NULL;
        if (!(has & 2)) table.weight = NULL;
        if (!(has & 4)) table.group = NULL;
        sooth_env_init(&env);
        check_memory_init(&m, &env, -1);
        CHECK_STATUS(sooth_table_take(&env, &table, wanted, 2, &taken), SOOTH_OK);
        CHECK(!taken.y == !table.y && !taken.weight == !table.weight && !taken.group == !table.group);
        CHECK(m.live_bytes == 4 * 2 * (COLS + (has & 1 ? 2u : 0u) + (has >> 1 & 1) + (has >> 2 & 1)));
        if (taken.group) CHECK(taken.group[0] == 21 && taken.group[1] == 7);
        sooth_table_free(&env, &taken);
        CHECK_STATUS(sooth_table_take(&env, &table, wanted, 0, &taken), SOOTH_OK); /* no rows: fine */
        CHECK(taken.rows == 0 && taken.x != NULL);
        sooth_table_free(&env, &taken);
        CHECK(m.live == 0 && m.live_bytes == 0);
    }
    table = sound_table();
    CHECK_FAILS(&env, sooth_table_take(&env, &table, wanted, SIZE_MAX / 8, &taken), SOOTH_NO_MEMORY,
                "no memory for a copy of the rows");
    CHECK(taken.x == NULL && taken.rows == 0);
}

/* ---- options ---- */

typedef struct test_options {
    uint32_t depth;
    uint32_t loss;
    uint32_t has_base;
    double rate;
    double base;
    double steps[SOOTH_OPTION_MAX_NUMBERS];
} test_options;

static const sooth_option option_table[] = {
    SOOTHI_COUNT(test_options, depth, 2, 64, 10, "levels"),
    SOOTHI_NUMBER(test_options, rate, 0.001, 1, 0.1, "step"),
    SOOTHI_CHOICE(test_options, loss, "squared|absolute|poisson", "what counts"),
    SOOTHI_GIVEN(test_options, base, -10, 10, 5, "where it starts"),
    SOOTHI_NUMBERS(test_options, steps, -2, 2, "several"),
};

static sooth_option_list option_list(void) { return SOOTHI_OPTIONS(option_table); }

/* A zero is the default, unless it was asked for: by the flag beside the field or by name. */
static void a_zero_can_be_asked_for(void) {
    test_options o = {0};
    CHECK(sooth_option_value(&option_table[3], &o) >= 5.0);
    o.has_base = 1;
    CHECK(sooth_option_value(&option_table[3], &o) <= 0.0);
    o.has_base = 0;
    CHECK_STATUS(sooth_option_set(NULL, option_list(), &o, "base", "0"), SOOTH_OK);
    CHECK(o.has_base == 1 && sooth_option_value(&option_table[3], &o) <= 0.0);
    soothi_option_fill(option_list(), &o);
    CHECK(o.base <= 0.0 && o.depth == 10 && o.rate >= 0.1);
    memset(&o, 0, sizeof o);
    soothi_option_fill(option_list(), &o);
    CHECK(o.base >= 5.0 && !o.has_base);
}

/* A list of numbers is set, checked and written as a text; any option is written as it is set. */
static void lists_of_numbers_are_options(void) {
    static const char *const wrong[] = {"",    ",", "1,",    ",1",   "1,,2", "0",
                                        "1,0", "x", "1,2,3", "1 ,2", "nan",  "1,1,1,1,1,1,1,1,1"};
    const sooth_option *list = &option_table[4];
    test_options o = {0}, before;
    sooth_env env;
    char text[120], four[4];
    sooth_env_init(&env);
    CHECK(sooth_option_text(list, &o, text, sizeof text) == 1 && !strcmp(text, "0"));
    CHECK_STATUS(sooth_option_set(&env, option_list(), &o, "steps", "0.5,-2,1e-3"), SOOTH_OK);
    CHECK(sooth_option_value(list, &o) >= 0.5 && sooth_option_value(list, &o) <= 0.5);
    CHECK(o.steps[1] <= -2.0 && o.steps[2] >= 1e-3 && o.steps[3] <= 0.0 && o.steps[7] <= 0.0);
    CHECK(sooth_option_text(list, &o, text, sizeof text) == strlen("0.5,-2,0.001") &&
          !strcmp(text, "0.5,-2,0.001"));
    CHECK(sooth_option_text(list, &o, four, sizeof four) == 3 && !strcmp(four, "0.5"));
    before = o;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        CHECK(sooth_option_set(&env, option_list(), &o, "steps", wrong[k]) == SOOTH_BAD_ARGUMENT);
        CHECK(strstr(env.sentence, "steps is ") && memcmp(&o, &before, sizeof o) == 0);
    }
    CHECK_STATUS(sooth_option_set(&env, option_list(), &o, "steps", "1,1,1,1,1,1,1,-1"), SOOTH_OK);
    CHECK_STATUS(sooth_option_check(&env, option_list(), &o), SOOTH_OK);
    o.steps[7] = 3.0;
    CHECK_FAILS(&env, sooth_option_check(&env, option_list(), &o), SOOTH_BAD_ARGUMENT,
                "steps is 3, but must be between -2 and 2");
    o.steps[6] = 0.0; /* ends the list */
    CHECK_STATUS(sooth_option_check(&env, option_list(), &o), SOOTH_OK);
    const uint64_t digest = soothi_reduce_digest(option_list(), &o);
    o.steps[5] = 0.5;
    CHECK(digest != soothi_reduce_digest(option_list(), &o));
    CHECK_STATUS(sooth_option_set(&env, option_list(), &o, "loss", "poisson"), SOOTH_OK);
    CHECK(sooth_option_text(&option_table[2], &o, text, sizeof text) == 7 && !strcmp(text, "poisson"));
    CHECK(sooth_option_text(&option_table[1], &o, text, sizeof text) == 3 && !strcmp(text, "0.1"));
    CHECK(sooth_option_text(&option_table[0], &o, text, sizeof text) == 2 && !strcmp(text, "10"));
}

/* Lines of "name = value": remarks, blanks, ends of lines of any system; what is wrong is told by line. */
static void settings_are_read_line_by_line(void) {
    static const char text[] = "# a remark\r\n\n  sms = 13 # units\r\nname=Tesla K20 \nno sign\n";
    sooth_env env;
    soothi_settings s = {.text = text, .size = sizeof text - 1};
    sooth_env_init(&env);
    CHECK_STATUS(soothi_settings_next(&env, &s), SOOTH_OK);
    CHECK(!strcmp(s.name, "sms") && !strcmp(s.value, "13") && s.line == 3);
    CHECK_STATUS(soothi_settings_next(&env, &s), SOOTH_OK);
    CHECK(!strcmp(s.name, "name") && !strcmp(s.value, "Tesla K20"));
    CHECK_FAILS(&env, soothi_settings_next(&env, &s), SOOTH_BAD_TEXT, "line 5: expected \"name = value\"");
    CHECK_STATUS(soothi_settings_next(&env, &s), SOOTH_OK);
    CHECK(!s.name[0]);
}

/* The values in force. */
static int holds(const test_options *o, double depth, double rate, double loss) {
    return fabs(sooth_option_value(&option_table[0], o) - depth) <= 0.0 &&
           fabs(sooth_option_value(&option_table[1], o) - rate) <= 1e-17 &&
           fabs(sooth_option_value(&option_table[2], o) - loss) <= 0.0;
}

static void options_are_set_by_name(void) {
    const sooth_option_list list = option_list();
    test_options o;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    CHECK_STATUS(sooth_option_check(&env, list, &o), SOOTH_OK);
    CHECK(holds(&o, 10, 0.1, 0));
    CHECK_STATUS(sooth_option_set(&env, list, &o, "depth", "64"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &o, "rate", "2.5e-1"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &o, "loss", "poisson"), SOOTH_OK);
    CHECK(o.depth == 64 && o.rate == 0.25 && o.loss == 2 && holds(&o, 64, 0.25, 2));
    CHECK_STATUS(sooth_option_check(&env, list, &o), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &o, "depth", "+2"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &o, "rate", "0.001"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, list, &o, "loss", "squared"), SOOTH_OK);
    CHECK(o.depth == 2 && o.loss == 0 && holds(&o, 2, 0.001, 0));
    CHECK_STATUS(sooth_option_set(&env, list, &o, "depth", "0"), SOOTH_OK); /* back to the default */
    CHECK_STATUS(sooth_option_set(&env, list, &o, "rate", "-0"), SOOTH_OK);
    CHECK(holds(&o, 10, 0.1, 0));
}

static void a_zero_that_is_written_is_not_a_default(void) {
    const sooth_option_list list = option_list();
    test_options o;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    CHECK_STATUS(sooth_option_set_written(&env, list, &o, "depth", "3"), SOOTH_OK);
    CHECK_STATUS(sooth_option_set_written(&env, list, &o, "loss", "squared"), SOOTH_OK);
    CHECK(o.depth == 3 && o.loss == 0);
    CHECK_FAILS(&env, sooth_option_set_written(&env, list, &o, "depth", "0"), SOOTH_BAD_ARGUMENT,
                "depth is 0, but must be between 2 and 64 (default 10)");
    CHECK_FAILS(&env, sooth_option_set_written(&env, list, &o, "rate", "-0"), SOOTH_BAD_ARGUMENT,
                "rate is 0, but must be between 0.001 and 1 (default 0.1)");
    CHECK_FAILS(&env, sooth_option_set_written(&env, list, &o, "dept", "3"), SOOTH_BAD_ARGUMENT,
                "no option dept");
    CHECK_STATUS(sooth_option_set_written(NULL, list, &o, "depth", "0"), SOOTH_BAD_ARGUMENT);
    static const sooth_option open = SOOTHI_NUMBER(test_options, rate, 0, 1, 0.5, "above 0");
    const sooth_option_list one = {&open, 1};
    CHECK_FAILS(&env, sooth_option_set_written(&env, one, &o, "rate", "0"), SOOTH_BAD_ARGUMENT,
                "rate is 0, but must not be 0 (default 0.5)");
}

static void every_wrong_option_has_its_sentence(void) {
    static const char *const cases[][3] = {
        {"dept", "3", "there is no option dept; the options are depth, rate, loss"},
        {"", "3", "there is no option ; the options are"},
        {"depth", "1", "depth is 1, but must be between 2 and 64"},
        {"depth", "65", "depth is 65, but must be between 2 and 64"},
        {"depth", "-3", "depth is -3, but must be between 2 and 64"},
        {"depth", "1e30", "depth is 1e30, but must be between 2 and 64"},
        {"depth", "nan", "depth is nan, but must be between 2 and 64"},
        {"depth", "2.5", "depth is 2.5, but must be an integer"},
        {"depth", "", "depth is \"\", but must be a number"},
        {"depth", "ten", "depth is \"ten\", but must be a number"},
        {"depth", "10x", "depth is \"10x\", but must be a number"},
        {"depth", " 10", "depth is \" 10\", but must be a number"},
        {"rate", "inf", "rate is inf, but must be between 0.001 and 1"},
        {"rate", "1.0001", "rate is 1.0001, but must be between 0.001 and 1"},
        {"rate", "1,5", "rate is \"1,5\", but must be a number"},
        {"loss", "cubic", "loss is cubic, but must be one of squared|absolute|poisson"},
        {"loss", "square", "loss is square, but must be one of squared|absolute|poisson"},
        {"loss", "squared|absolute", "loss is squared|absolute, but must be one of"},
        {"loss", "1", "loss is 1, but must be one of"},
        {"loss", "", "loss is , but must be one of"},
    };
    const sooth_option_list list = option_list();
    test_options o, before;
    size_t i;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.depth = 7;
    o.rate = 0.5;
    o.loss = 1;
    before = o;
    for (i = 0; i < COUNT(cases); ++i) {
        CHECK_FAILS(&env, sooth_option_set(&env, list, &o, cases[i][0], cases[i][1]), SOOTH_BAD_ARGUMENT,
                    cases[i][2]);
        CHECK(o.depth == 7 && o.loss == 1 && o.rate == 0.5); /* what was refused changed nothing */
    }
    CHECK_STATUS(sooth_option_set(NULL, list, &o, "depth", "1"), SOOTH_BAD_ARGUMENT);
#define BAD(words) CHECK_FAILS(&env, sooth_option_check(&env, list, &o), SOOTH_BAD_ARGUMENT, words)
    o.depth = 65;
    BAD("depth is 65, but must be between 2 and 64");
    o = before;
    o.rate = -0.5;
    BAD("rate is -0.5, but must be between 0.001 and 1");
    o.rate = NAN;
    BAD("rate is nan, but must be between 0.001 and 1");
    o = before;
    o.loss = 3;
    BAD("loss is 3, but must be one of squared|absolute|poisson");
    o.loss = UINT32_MAX;
    BAD("loss is 4294967295, but must be one of squared|absolute|poisson");
#undef BAD
}

/* ---- blocks ---- */

#define KIND SOOTH_KIND_LINEAR
enum { VERSION = 3, WORDS = 44, DOUBLES = 24, BYTES = 5 };

static sooth_block *sealed_block(void) {
    sooth_block *block = (sooth_block *)soothi_block_new(NULL, KIND, VERSION, WORDS, DOUBLES, BYTES);
    size_t i;
    for (i = sizeof *block; block && i < block->size; ++i)
        ((unsigned char *)block)[i] = (unsigned char)(37 * i);
    if (block) soothi_block_seal(block);
    return block;
}

static void a_new_block_is_zeroed_and_divided(void) {
    sooth_block *block = (sooth_block *)soothi_block_new(NULL, KIND, VERSION, WORDS, DOUBLES, BYTES);
    size_t i;
    CHECK(sizeof(sooth_block) == 32);
    CHECK(block->magic == SOOTH_BLOCK_MAGIC && block->kind == (uint32_t)KIND + 65536u * VERSION);
    CHECK(block->doubles_at == 48 && block->bytes_at == 48 + 32 && block->size == 48 + 32 + 16);
    CHECK(block->checksum == 0 && block->features == 0 && block->targets == 0);
    for (i = sizeof *block; i < block->size; ++i) CHECK(((unsigned char *)block)[i] == 0);
    CHECK(!sooth_block_check(block, block->size, KIND, VERSION)); /* not sealed */
    soothi_block_seal(block);
    CHECK(sooth_block_check(block, block->size, KIND, VERSION));
    soothi_block_free(NULL, block);
    soothi_block_free(NULL, NULL);
    CHECK(!soothi_block_new(NULL, KIND, VERSION, UINT32_MAX, 0, 0));
    CHECK(!soothi_block_new(NULL, KIND, VERSION, 32, SIZE_MAX - 7, 0));
    CHECK(!soothi_block_new(NULL, KIND, VERSION, UINT32_MAX / 2, UINT32_MAX / 2, UINT32_MAX / 2));
}

static void any_flipped_bit_is_found(void) {
    sooth_block *block = sealed_block();
    unsigned char *byte = (unsigned char *)block;
    size_t size = block->size, i, j, bit;
    CHECK(sooth_block_check(block, size, KIND, VERSION));
    for (i = 0; i < size; ++i)
        for (bit = 0; bit < 8; ++bit) {
            byte[i] = (unsigned char)(byte[i] ^ 1u << bit);
            CHECK(!sooth_block_check(block, size, KIND, VERSION));
            byte[i] = (unsigned char)(byte[i] ^ 1u << bit);
        }
    for (i = sizeof *block; i < size; i += 4) /* two words exchanged */
        for (j = sizeof *block; j < i; j += 4) {
            unsigned char a[4];
            memcpy(a, byte + i, 4);
            if (memcmp(a, byte + j, 4) == 0) continue;
            memcpy(byte + i, byte + j, 4);
            memcpy(byte + j, a, 4);
            CHECK(!sooth_block_check(block, size, KIND, VERSION));
            memcpy(byte + j, byte + i, 4);
            memcpy(byte + i, a, 4);
        }
    CHECK(sooth_block_check(block, size, KIND, VERSION));
    soothi_block_free(NULL, block);
}

static void blocks_must_be_whole_and_in_place(void) {
    sooth_block *block = sealed_block();
    static union {
        double aligned;
        unsigned char byte[256];
    } copy;
    const size_t size = block->size, align = offsetof(soothi_align, d);
    size_t i;
    CHECK(!sooth_block_check(NULL, 0, KIND, VERSION) && !sooth_block_check(NULL, size, KIND, VERSION));
    CHECK(!sooth_block_check(block, size, KIND + 1, VERSION));
    CHECK(!sooth_block_check(block, size, KIND, VERSION + 1));
    for (i = 0; i < size; ++i) CHECK(!sooth_block_check(block, i, KIND, VERSION));
    for (i = 0; i <= 16; ++i) {
        memcpy(copy.byte + i, block, size);
        CHECK(sooth_block_check(copy.byte + i, size, KIND, VERSION) == (i % align == 0));
        /* more bytes may follow */
        CHECK(sooth_block_check(copy.byte + i, sizeof copy - i, KIND, VERSION) == (i % align == 0));
    }
    soothi_block_free(NULL, block);
}

/* Heads that lie, with a checksum that is right: whoever can write files can compute it. */
static void lying_heads_are_refused(void) {
    static const struct {
        size_t field;
        uint32_t value;
    } lies[] = {
        {offsetof(sooth_block, magic), 0x534F5448u},
        {offsetof(sooth_block, kind), KIND},
        {offsetof(sooth_block, size), 0},
        {offsetof(sooth_block, size), 16},
        {offsetof(sooth_block, size), 95},
        {offsetof(sooth_block, size), 112},
        {offsetof(sooth_block, size), 0xFFFFFFF0u},
        {offsetof(sooth_block, size), 64},
        {offsetof(sooth_block, doubles_at), 16},
        {offsetof(sooth_block, doubles_at), 49},
        {offsetof(sooth_block, doubles_at), 96},
        {offsetof(sooth_block, doubles_at), 0xFFFFFFF0u},
        {offsetof(sooth_block, bytes_at), 32},
        {offsetof(sooth_block, bytes_at), 81},
        {offsetof(sooth_block, bytes_at), 112},
        {offsetof(sooth_block, bytes_at), 0xFFFFFFF0u},
    };
    size_t i;
    for (i = 0; i < COUNT(lies); ++i) {
        sooth_block *block = sealed_block();
        const size_t size = block->size;
        memcpy((unsigned char *)block + lies[i].field, &lies[i].value, 4);
        if (block->size <= size && block->size % 16 == 0) soothi_block_seal(block);
        CHECK(!sooth_block_check(block, size, KIND, VERSION));
        sooth_free(NULL, block, size, 1);
    }
}

/* The checksum is part of the file format: these bytes have this one on every machine, for ever. */
static void the_checksum_never_changes(void) {
    unsigned char bytes[64];
    size_t i;
    for (i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * i + 1);
    CHECK(soothi_checksum(bytes, sizeof bytes) == 0xB608FD15u);
    CHECK(soothi_checksum(bytes, 0) != soothi_checksum(bytes, 16));
    for (i = 12; i < 16; ++i) bytes[i] = (unsigned char)~bytes[i]; /* its own place does not count */
    CHECK(soothi_checksum(bytes, sizeof bytes) == 0xB608FD15u);
}

static void kinds_keep_their_numbers(void) {
    CHECK(SOOTH_BLOCK_MAGIC == 0x48544F53u);
    CHECK(SOOTH_KIND_MODEL == 1 && SOOTH_KIND_SCALE == 2 && SOOTH_KIND_LINEAR == 3 && SOOTH_KIND_TREE == 4);
    CHECK(SOOTH_KIND_CARD == 5 && SOOTH_KIND_CONFORMAL == 12);
}

/* ---- random numbers: each way to draw is the words, by exact arithmetic ---- */

static void draws_are_functions_of_the_words(void) {
    static const uint32_t bounds[] = {1,           2,           7,           0x80000000u,
                                      0x80000001u, 0xC0000000u, 0xC0000001u, 0xFFFFFFFFu};
    sooth_rng drawn, words;
    size_t b;
    uint32_t i, value[50];
    sooth_rng_init(&drawn, 5, 6);
    words = drawn;
    for (b = 0; b < COUNT(bounds); ++b) /* 2^32 mod bound words of each 2^32 are passed over */
        for (i = 0; i < 1000; ++i) {
            const uint64_t least = (1ull << 32) % bounds[b];
            uint64_t m;
            do m = (uint64_t)sooth_rng_next(&words) * bounds[b];
            while (m % (1ull << 32) < least);
            CHECK(sooth_rng_below(&drawn, bounds[b]) == m >> 32);
        }
    for (i = 0; i < 1000; ++i) {
        const uint32_t word = sooth_rng_next(&words);
        CHECK(sooth_rng_float(&drawn) * 16777216.0f == (float)(word / 256));
    }
    for (i = 0; i < 1000; ++i) {
        const uint64_t high = sooth_rng_next(&words) / 32, low = sooth_rng_next(&words) / 64;
        CHECK((uint64_t)(sooth_rng_double(&drawn) * 9007199254740992.0) == high * 67108864u + low);
    }
    for (i = 0; i < 50; ++i) value[i] = i;
    sooth_rng_shuffle(&drawn, value, 50);
    for (i = 50; i > 1; --i) sooth_rng_below(&words, i); /* the last one is where it is without a draw */
    CHECK(sooth_rng_next(&drawn) == sooth_rng_next(&words));
    sooth_rng_shuffle(&drawn, value, 1);
    sooth_rng_shuffle(&drawn, NULL, 0);
    CHECK(sooth_rng_next(&drawn) == sooth_rng_next(&words));
}

int main(void) {
    CHECK_RUN(statuses_have_names_and_texts);
    CHECK_RUN(the_version_is_one_number);
    CHECK_RUN(sentences_fit_their_room);
    CHECK_RUN(products_do_not_wrap);
    CHECK_RUN(allocations_go_through_the_env);
    CHECK_RUN(loops_are_the_hosts);
    CHECK_RUN(the_host_may_cancel);
    CHECK_RUN(arena_pieces_are_aligned_and_come_back);
    CHECK_RUN(an_arena_keeps_what_is_still_in_use);
    CHECK_RUN(an_arena_of_the_peak_is_enough);
    CHECK_RUN(an_arena_takes_its_last_piece_back);
    CHECK_RUN(philox_gives_the_known_answers);
    CHECK_RUN(streams_are_a_function_of_seed_and_number);
    CHECK_RUN(numbers_below_a_bound_are_unbiased);
    CHECK_RUN(fractions_lie_in_the_unit_interval);
    CHECK_RUN(streams_are_independent);
    CHECK_RUN(every_order_is_equally_likely);
    CHECK_RUN(a_new_table_has_features_only);
    CHECK_RUN(sound_tables_pass);
    CHECK_RUN(every_defect_of_a_table_has_its_sentence);
    CHECK_RUN(rows_are_taken_with_all_they_have);
    CHECK_RUN(rows_are_taken_without_what_there_is_not);
    CHECK_RUN(a_zero_can_be_asked_for);
    CHECK_RUN(lists_of_numbers_are_options);
    CHECK_RUN(settings_are_read_line_by_line);
    CHECK_RUN(options_are_set_by_name);
    CHECK_RUN(a_zero_that_is_written_is_not_a_default);
    CHECK_RUN(every_wrong_option_has_its_sentence);
    CHECK_RUN(a_new_block_is_zeroed_and_divided);
    CHECK_RUN(any_flipped_bit_is_found);
    CHECK_RUN(blocks_must_be_whole_and_in_place);
    CHECK_RUN(lying_heads_are_refused);
    CHECK_RUN(the_checksum_never_changes);
    CHECK_RUN(kinds_keep_their_numbers);
    CHECK_RUN(draws_are_functions_of_the_words);
    return check_end("base");
}
