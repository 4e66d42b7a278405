/* test_encode.c - categories as numbers, against CatBoost, fractions, and a naive twin that keeps everything.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/preprocess/encode.h"
#include "check.h"
#include "golden/encode.h"
#include "lies.h"

enum { ROWS = 3000, COLUMNS = 3 };
static sooth_env env;
static double memory[1 << 17];
static uint64_t level[ROWS * COLUMNS];
static float target[ROWS], out[ROWS * COLUMNS * 11];
static uint32_t when[ROWS];

static int same(float a, float b) { return soothi_bits(a) == soothi_bits(b); }

static void make_up(uint64_t seed, uint32_t levels) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLUMNS; ++j) level[i * COLUMNS + j] = sooth_rng_below(&rng, levels);
        target[i] = (float)sooth_rng_below(&rng, 10240) / 1024.0f + (float)(level[i * COLUMNS] % 7);
        when[i] = (uint32_t)i * 10 + sooth_rng_below(&rng, 10);
    }
}

/* ---- others ---- */

static sooth_encode *golden(const sooth_encode_options *options) {
    sooth_encode *encode = NULL;
    for (size_t i = 0; i < golden_rows; ++i) {
        level[i] = golden_level[i];
        target[i] = golden_target[i];
    }
    CHECK_STATUS(sooth_encode_fit(&env, level, target, NULL, golden_rows, options, out, &encode), SOOTH_OK);
    return encode;
}

static void rows_are_encoded_by_those_before_them(void) {
    const sooth_encode_options options = {.no_last = 1, .prior = 0.5, .in_time = 1};
    sooth_encode *encode = golden(&options);
    for (size_t i = 0; i < golden_rows; ++i) CHECK_NEAR(out[3 * i], golden_ordered[i], 1e-7);
    sooth_encode_free(&env, encode);
}

static void all_rows_together_are_what_catboost_keeps(void) {
    for (uint32_t in_time = 0; in_time < 2; ++in_time) {
        const sooth_encode_options options = {.no_last = 1, .prior = 0.5, .in_time = in_time, .seed = 3};
        sooth_encode *encode = golden(&options);
        for (uint32_t k = 0; k < golden_levels; ++k) {
            float row[3];
            soothi_encode_one(encode, 0, k, golden_rows, row);
            CHECK_NEAR(row[0], (golden_sum[k] + 0.5) / (k + 1 + 1), 1e-7);
            CHECK_NEAR(row[1], k + 1, 0);
        }
        sooth_encode_free(&env, encode);
    }
}

static void texts_and_joins_are_hashed_as_published(void) {
    /* FNV-1a of "a" and "foobar" as its authors print it; SplitMix64 from 0 begins so */
    CHECK(sooth_encode_text("a", 1) == soothi_encode_mix(0xAF63DC4C8601EC8Cu));
    CHECK(sooth_encode_text("foobar", 6) == soothi_encode_mix(0x85944171F73967E8u));
    CHECK(soothi_encode_mix(0x9E3779B97F4A7C15u) == 0xE220A8397B1DCDAFu);
    CHECK(sooth_encode_join(0, 0) == soothi_encode_mix(0xE220A8397B1DCDAFu));
    CHECK(sooth_encode_join(1, 2) != sooth_encode_join(2, 1));
    CHECK(sooth_encode_text("", 0) != sooth_encode_text("\0", 1));
}

/* ---- a twin that looks through all that was ---- */

static void twin(size_t i, size_t j, const sooth_encode_options *o, uint32_t last, float *row) {
    double sum = 0, all = 0;
    uint32_t count = 0;
    row[2] = NAN;
    for (uint32_t k = 0; k < last; ++k) row[3 + k] = NAN;
    for (size_t k = i; k-- > 0;) {
        all += (double)target[k];
        if (level[k * COLUMNS + j] != level[i * COLUMNS + j]) continue;
        if (count == 0) row[2] = (float)(when[i] - when[k]);
        if (count < last) row[3 + count] = target[k];
        sum += (double)target[k];
        ++count;
    }
    const double p = o->has_prior || o->prior != 0 ? o->prior
                     : i                           ? all / (double)i
                                                   : 0,
                 a = o->weight > 0 ? o->weight : 1;
    row[0] = (float)((sum + a * p) / (count + a));
    row[1] = (float)count;
}

static void it_is_a_twin_that_keeps_everything(void) {
    static const sooth_encode_options all[] = {
        {.columns = COLUMNS, .in_time = 1, .max_bytes = 1 << 20},
        {.columns = COLUMNS, .in_time = 1, .max_bytes = 1 << 20, .last = 8, .has_prior = 1, .weight = 10},
        {.columns = COLUMNS, .in_time = 1, .max_bytes = 1 << 20, .no_last = 1, .prior = -3}};
    make_up(1, 150);
    for (size_t o = 0; o < 3; ++o) {
        sooth_encode *encode = NULL;
        const uint32_t last = all[o].no_last ? 0 : all[o].last ? all[o].last : 2, width = 3 + last;
        CHECK_STATUS(sooth_encode_fit(&env, level, target, when, ROWS, &all[o], out, &encode), SOOTH_OK);
        CHECK(soothi_encode_width(encode) == width && encode->head.targets == COLUMNS * width);
        CHECK(encode->forgotten == 0 && encode->levels == 3 * 150 && encode->updates == ROWS);
        for (size_t i = 0; i < ROWS; i += 7)
            for (size_t j = 0; j < COLUMNS; ++j) {
                const float *got = out + (i * COLUMNS + j) * width;
                float row[11];
                twin(i, j, &all[o], last, row);
                CHECK_NEAR(got[0], row[0], 2e-6);
                CHECK(same(got[1], row[1]));
                for (uint32_t k = 2; k < width; ++k)
                    CHECK(same(got[k], row[k]) || (got[k] != got[k] && row[k] != row[k]));
                if (check_failures) return;
            }
        sooth_encode_free(&env, encode);
    }
}

static void a_row_does_not_know_its_own_target(void) {
    /* two rows a level and targets that hang on nothing: who looks at all rows thinks to know them */
    double leaked = 0, ordered = 0, mean = 0;
    const sooth_encode_options options = {.no_last = 1, .max_bytes = 1 << 20};
    sooth_encode *encode = NULL;
    float row[3];
    make_up(2, 100);
    for (size_t i = 0; i < ROWS; ++i) level[i] = i / 2, mean += (double)target[i] / ROWS;
    CHECK_STATUS(sooth_encode_fit(&env, level, target, NULL, ROWS, &options, out, &encode), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        soothi_encode_one(encode, 0, level[i], ROWS, row);
        leaked += ((double)row[0] - mean) * ((double)target[i] - mean) / ROWS;
        ordered += ((double)out[3 * i] - mean) * ((double)target[i] - mean) / ROWS;
    }
    CHECK(leaked > 2.0); /* about a third of the variance */
    CHECK(fabs(ordered) < 0.3);
    sooth_encode_free(&env, encode);
}

static void the_order_is_drawn_once_and_learned_as_it_is(void) {
    const sooth_encode_options options = {.columns = COLUMNS, .max_bytes = 1 << 20, .seed = 9};
    sooth_encode *encode = NULL, *again = NULL;
    uint32_t order[ROWS];
    sooth_rng rng;
    make_up(3, 40);
    CHECK_STATUS(sooth_encode_fit(&env, level, target, NULL, ROWS, &options, out, &encode), SOOTH_OK);
    for (uint32_t i = 0; i < ROWS; ++i) order[i] = i;
    sooth_rng_init(&rng, 9, 0);
    sooth_rng_shuffle(&rng, order, ROWS);
    CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory, &again), SOOTH_OK);
    for (uint32_t k = 0; k < ROWS; ++k) {
        float row[COLUMNS * 5];
        sooth_encode_row(again, level + order[k] * COLUMNS, k, row);
        CHECK(memcmp(row, out + order[k] * COLUMNS * 5, sizeof row) == 0);
        CHECK(sooth_encode_update(again, level + order[k] * COLUMNS, target[order[k]], k) == SOOTH_OK);
    }
    CHECK(!sooth_encode_check(again, again->head.size)); /* until it is sealed */
    sooth_encode_seal(again);
    CHECK(encode->head.size == again->head.size && memcmp(encode, again, again->head.size) == 0);
    CHECK(encode->head.size == sooth_encode_size(&options));
    CHECK(check_hash_words(14695981039346656037ull, &encode->last, encode->head.size / 4 - 8) ==
          0x0b4033491e35f37dull);
    sooth_encode_free(&env, encode);
}

/* ---- bounded memory ---- */

/* Sets by loops: for each set its levels in the order in which they were touched. */
static void the_one_untouched_for_longest_makes_room(void) {
    static uint64_t held[64][8];
    static uint32_t holds[64];
    const sooth_encode_options options = {.columns = 1, .last = 1, .max_bytes = 64 * 8 * 32 + 200};
    sooth_encode *encode = NULL;
    sooth_rng rng;
    uint32_t forgotten = 0, levels = 0;
    CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory, &encode), SOOTH_OK);
    CHECK(encode->sets == 64);
    memset(holds, 0, sizeof holds);
    sooth_rng_init(&rng, 4, 0);
    for (uint32_t i = 0; i < 20000; ++i) {
        uint64_t one = sooth_rng_below(&rng, 40 + i / 20) * 0x100000001u;
        const uint32_t set = (uint32_t)(soothi_encode_key(0, one) >> 40) % 64;
        uint32_t k = 0;
        float row[4];
        while (k < holds[set] && held[set][k] != one) ++k;
        sooth_encode_row(encode, &one, i, row);
        CHECK((row[1] > 0.0f) == (k < holds[set]));
        if (check_failures) break;
        if (k == holds[set] && k < 8) ++holds[set], ++levels;
        else if (k == 8) k = 0, ++forgotten; /* the front is the oldest */
        memmove(&held[set][k], &held[set][k + 1], (holds[set] - 1 - k) * sizeof one);
        held[set][holds[set] - 1] = one;
        CHECK(sooth_encode_update(encode, &one, (float)i, i) == SOOTH_OK);
    }
    CHECK(encode->forgotten == forgotten && encode->levels == levels && forgotten > 1000);
    sooth_encode_seal(encode);
    CHECK(sooth_encode_check(encode, encode->head.size));
}

static void half_of_the_room_is_room_enough(void) {
    static const double share[2] = {0.5, 0.25}, lost[2] = {0.012, 0.0006};
    for (int k = 0; k < 2; ++k) {
        const sooth_encode_options options = {.columns = 1, .no_last = 1, .max_bytes = 1 << 20};
        sooth_encode *encode = NULL;
        CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory, &encode), SOOTH_OK);
        const uint32_t room = encode->sets * SOOTH_ENCODE_WAYS, count = (uint32_t)(share[k] * room);
        for (uint64_t i = 0; i < count; ++i) CHECK(sooth_encode_update(encode, &i, 1, 0) == SOOTH_OK);
        CHECK(encode->forgotten < lost[k] * count);
        CHECK(encode->levels + encode->forgotten == count);
    }
}

static void a_copy_goes_on_where_it_stopped(void) {
    const sooth_encode_options options = {.columns = COLUMNS};
    sooth_encode *first = NULL, *second = (sooth_encode *)(void *)(memory + (1 << 16));
    make_up(5, 400);
    CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory / 2, &first), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        if (i == ROWS / 2) memcpy(second, sooth_encode_seal(first), first->head.size);
        sooth_encode_update(first, level + i * COLUMNS, target[i], when[i]);
        if (i >= ROWS / 2) sooth_encode_update(second, level + i * COLUMNS, target[i], when[i]);
    }
    CHECK(memcmp(sooth_encode_seal(first), sooth_encode_seal(second), first->head.size) == 0);
    CHECK(sooth_encode_cost(first).bytes == first->head.size && sooth_encode_cost(first).comparisons == 48);
}

static void sums_hold_for_a_million_values(void) {
    const sooth_encode_options options = {.no_last = 1};
    sooth_encode *encode = NULL;
    const uint64_t one = 7;
    double sum = 0;
    float row[3];
    CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory, &encode), SOOTH_OK);
    for (uint32_t i = 0; i < 1000000; ++i) {
        const float v = 3.1f + (float)(i % 13);
        sooth_encode_update(encode, &one, v, i);
        sum += (double)v;
    }
    sooth_encode_row(encode, &one, 1000000 + 5, row);
    CHECK_CLOSE(row[0], sum / 1e6, 1.2e-7);
    CHECK_NEAR(row[2], 6, 0);
}

static void time_wraps(void) {
    sooth_encode *encode = NULL;
    const uint64_t one = 7;
    float row[5];
    CHECK_STATUS(sooth_encode_init(&env, NULL, memory, sizeof memory, &encode), SOOTH_OK);
    sooth_encode_update(encode, &one, 1, 0xFFFFFFF0u);
    sooth_encode_row(encode, &one, 16, row);
    CHECK_NEAR(row[2], 32, 0);
}

/* ---- mistakes ---- */

static void what_is_no_number_changes_nothing(void) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1.2e18f, -1.2e18f};
    const sooth_encode_options options = {.in_time = 1};
    sooth_encode *encode = NULL;
    const uint64_t one = 7;
    CHECK_STATUS(sooth_encode_init(&env, NULL, memory, sizeof memory, &encode), SOOTH_OK);
    for (size_t k = 0; k < 5; ++k) {
        CHECK(sooth_encode_update(encode, &one, odd[k], 0) == SOOTH_BAD_DATA);
        CHECK(encode->refused == k + 1 && encode->updates == 0 && encode->levels == 0);
        target[0] = 1;
        target[1] = odd[k];
        CHECK_FAILS(&env, sooth_encode_fit(&env, level, target, NULL, 2, &options, NULL, &encode),
                    SOOTH_BAD_DATA, "row 2 has the target ");
        CHECK(encode == NULL);
        CHECK_STATUS(sooth_encode_init(&env, NULL, memory, sizeof memory, &encode), SOOTH_OK);
        encode->refused = (uint32_t)k + 1;
    }
    CHECK(sooth_encode_update(encode, &one, 1.1e18f, 0) == SOOTH_OK);
}

static void bad_options_are_told(void) {
    sooth_encode *encode = NULL;
    sooth_encode_options o = {.columns = 1025};
    CHECK_FAILS(&env, sooth_encode_init(&env, &o, memory, sizeof memory, &encode), SOOTH_BAD_ARGUMENT,
                "columns is 1025");
    CHECK(sooth_encode_size(&o) == 0);
    CHECK_FAILS(&env, sooth_encode_fit(&env, level, target, NULL, 1, &o, NULL, &encode), SOOTH_BAD_ARGUMENT,
                "columns is 1025");
    o.columns = 0;
    o.max_bytes = 300;
    CHECK_FAILS(&env, sooth_encode_init(&env, &o, memory, sizeof memory, &encode), SOOTH_BAD_ARGUMENT,
                "max_bytes is 300, but 8 levels need 368 bytes");
    o.max_bytes = 368;
    CHECK(sooth_encode_size(&o) == 368);
    CHECK_STATUS(sooth_encode_init(&env, &o, memory, 368, &encode), SOOTH_OK);
    CHECK(encode->sets == 1);
    CHECK_FAILS(&env, sooth_encode_init(&env, &o, memory, 367, &encode), SOOTH_NO_MEMORY,
                "an encoder needs at least 368 bytes of memory, but has 367");
    CHECK_STATUS(sooth_encode_init(&env, NULL, NULL, 1 << 20, &encode), SOOTH_NO_MEMORY);
    CHECK_FAILS(&env, sooth_encode_fit(&env, level, target, NULL, 0, &o, NULL, &encode), SOOTH_BAD_DATA,
                "the table has 0 rows");
    CHECK_STATUS(sooth_option_set(&env, sooth_encode_options_list(), &o, "prior", "0"), SOOTH_OK);
    CHECK(o.has_prior == 1);
    sooth_encode_free(&env, NULL);
    CHECK(sooth_encode_size(NULL) <= 65536 && sooth_encode_size(NULL) > 32768);
}

static void failing_memory_leaves_nothing(void) {
    sooth_env own;
    sooth_encode *encode = NULL;
    sooth_env_init(&own);
    make_up(6, 40);
    CHECK_EVERY_ALLOCATION(&own, sooth_encode_fit(&own, level, target, when, ROWS, NULL, out, &encode),
                           sooth_encode_free(&own, encode));
}

static void lies_in_a_block_are_refused(void) {
#define AT(field) offsetof(sooth_encode, field)
    const lies_word lies[] = {{AT(head.features), 0},
                              {AT(head.features), 1025},
                              {AT(head.features), 2},
                              {AT(head.targets), 11},
                              {AT(last), 9},
                              {AT(last), 1},
                              {AT(sets), 0},
                              {AT(sets), 3},
                              {AT(sets), 1u << 31},
                              {AT(levels), 0},
                              {AT(given), 2},
                              {AT(weight), 0},
                              {AT(weight), 0x7FC00000},
                              {AT(head.doubles_at), 64},
                              {AT(levels), 4}};
    const sooth_encode_options options = {.columns = 3, .max_bytes = 4096};
    sooth_encode *encode = NULL;
    uint64_t any[3] = {5, 6, 7};
    CHECK_STATUS(sooth_encode_init(&env, &options, memory, sizeof memory, &encode), SOOTH_OK);
    CHECK(sooth_encode_check(encode, encode->head.size));
    sooth_encode_update(encode, any, 2, 3);
    sooth_encode_seal(encode);
    lies_about_size_are_refused(sooth_encode_check, &encode->head);
    lies_are_refused(sooth_encode_check, &encode->head, lies, sizeof lies / sizeof lies[0]);
    CHECK(!lies_believed(sooth_encode_check, &encode->head, AT(weight), soothi_bits(-1.0f)));
    for (uint32_t i = 0; i < encode->sets * SOOTH_ENCODE_WAYS; ++i) { /* one more, one fewer than it says */
        const sooth_encode_level *l = soothi_encode_at(encode, i);
        const size_t at = (size_t)((const unsigned char *)&l->count - (const unsigned char *)encode);
        CHECK(!lies_believed(sooth_encode_check, &encode->head, at, l->count ? 0 : 1));
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(rows_are_encoded_by_those_before_them);
    CHECK_RUN(all_rows_together_are_what_catboost_keeps);
    CHECK_RUN(texts_and_joins_are_hashed_as_published);
    CHECK_RUN(it_is_a_twin_that_keeps_everything);
    CHECK_RUN(a_row_does_not_know_its_own_target);
    CHECK_RUN(the_order_is_drawn_once_and_learned_as_it_is);
    CHECK_RUN(the_one_untouched_for_longest_makes_room);
    CHECK_RUN(half_of_the_room_is_room_enough);
    CHECK_RUN(a_copy_goes_on_where_it_stopped);
    CHECK_RUN(sums_hold_for_a_million_values);
    CHECK_RUN(time_wraps);
    CHECK_RUN(what_is_no_number_changes_nothing);
    CHECK_RUN(bad_options_are_told);
    CHECK_RUN(failing_memory_leaves_nothing);
    CHECK_RUN(lies_in_a_block_are_refused);
    return check_end("encode");
}
