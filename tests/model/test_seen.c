/* test_seen.c - what is known of rows that were learned from, against sets of all their hashes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"

enum { ROWS = 20000, COLS = 3 };

enum { UNKNOWN = SOOTH_MODEL_SEEN_UNKNOWN, NO = SOOTH_MODEL_SEEN_NO, YES = SOOTH_MODEL_SEEN_YES };
static sooth_env env;
static float x[ROWS * COLS], y[ROWS];

/* Rows that are all different. */
static void fill(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 19, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS] = (float)i;
        x[i * COLS + 1] = (float)sooth_rng_below(&rng, 4);
        x[i * COLS + 2] = sooth_rng_float(&rng) < 0.1f ? NAN : sooth_rng_float(&rng);
        y[i] = (float)sooth_rng_below(&rng, 9);
    }
}

/* The answer for a hash. */
static int asked(const sooth_model_seen_rows *seen, uint64_t hash) {
    return (int)soothi_seen_find(seen, hash);
}

static uint64_t hash_of(size_t i) { return soothi_seen_hash(x + i * COLS, COLS, y + i, 1); }

static int begins(uint64_t hash, uint32_t zeros) { return zeros == 0 || hash >> (64 - zeros) == 0; }

static int by_size(const void *a, const void *b) {
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

static void those_with_the_fewest_zeros_that_leave_64_are_kept(void) {
    static uint64_t all[ROWS];
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 66, 100, 127, 128, 129, 500, 3000, ROWS};
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    fill();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        static uint32_t order[ROWS];
        const size_t n = counts[c];
        sooth_model_seen_rows seen, other;
        uint32_t zeros = 0;
        size_t kept = 0;
        memset(&seen, 0, sizeof seen);
        memset(&other, 0, sizeof other);
        for (size_t i = 0; i < n; ++i) {
            order[i] = (uint32_t)i;
            soothi_seen_add(&seen, all[i] = hash_of(i));
        }
        sooth_rng_shuffle(&rng, order, (uint32_t)n); /* in another order, some of them again */
        for (size_t i = 0; i < n; ++i) {
            soothi_seen_add(&other, all[order[i]]);
            soothi_seen_add(&other, all[order[i / 2]]);
        }
        CHECK(memcmp(&seen, &other, offsetof(sooth_model_seen_rows, hash)) == 0);
        CHECK(memcmp(seen.hash, other.hash, seen.count * sizeof *seen.hash) == 0);
        /* the naive way: all of them in order, and one zero more as long as there are too many */
        qsort(all, n, sizeof *all, by_size);
        for (;; ++zeros) {
            for (kept = 0; kept < n && begins(all[kept], zeros); ++kept) continue;
            if (kept <= 64) break;
        }
        CHECK(seen.zeros == zeros && seen.count == kept);
        CHECK(memcmp(seen.hash, all, kept * sizeof *all) == 0);
        CHECK(n < 65 || kept > 16);
        for (size_t i = 0; i < n; ++i) CHECK(asked(&seen, all[i]) == (begins(all[i], zeros) ? YES : UNKNOWN));
        for (size_t i = n; i < ROWS; ++i)
            CHECK(asked(&seen, hash_of(i)) == (kept && begins(hash_of(i), zeros) ? NO : UNKNOWN));
    }
}

static void hashes_of_one_kind_are_kept_too(void) {
    sooth_model_seen_rows seen;
    memset(&seen, 0, sizeof seen);
    CHECK(asked(&seen, 1) == UNKNOWN);
    for (uint64_t i = 0; i < 64; ++i) soothi_seen_add(&seen, ~(uint64_t)0 - i); /* all begin with a 1 */
    CHECK(seen.count == 64 && asked(&seen, ~(uint64_t)0) == YES);
    CHECK(asked(&seen, 1) == NO);
    soothi_seen_add(&seen, 1); /* now those are as good as none */
    CHECK(seen.count == 1 && seen.zeros == 1);
    CHECK(asked(&seen, ~(uint64_t)0) == UNKNOWN && asked(&seen, (uint64_t)1 << 62) == NO);
    memset(&seen, 0, sizeof seen);
    for (uint64_t i = 0; i < 200; ++i) soothi_seen_add(&seen, i); /* all of them begin with 56 zeros */
    CHECK(seen.count == 64 && seen.zeros == 58 && seen.hash[63] == 63);
}

static void the_share_of_rows_seen_is_estimated_without_bias(void) {
    double sum = 0, squares = 0, expected = 0;
    int trials = 0;
    fill();
    for (size_t first = 0; first + 4000 <= ROWS;
         first += 100) { /* learned from 2,000; asked of 1,500 + 500 */
        sooth_model_seen_rows seen;
        double told = 0, known = 0;
        memset(&seen, 0, sizeof seen);
        const sooth_table table = sooth_table_of(x + first * COLS, y + first, 2000, COLS);
        sooth_model_seen_add(&seen, &table);
        for (size_t i = first + 500; i < first + 2500; ++i) {
            const int answer = (int)sooth_model_seen_test(&seen, x + i * COLS, COLS, y + i, 1);
            CHECK(answer != (i < first + 2000 ? NO : YES));
            told += answer != UNKNOWN;
            known += answer == YES;
        }
        CHECK(told >= 10);
        sum += known / told;
        squares += (known / told - 0.75) * (known / told - 0.75);
        expected += 0.75 * 0.25 / told;
        ++trials;
    }
    /* neighbouring trials share rows, so that the mean moves more than that of as many by themselves */
    CHECK_NEAR(sum / trials, 0.75, 0.03);
    CHECK(squares < 2 * expected && squares > expected / 2);
}

static void rows_are_the_same_when_their_numbers_are(void) {
    const uint32_t bits = 0xFFC12345u; /* another NaN */
    float a[3] = {1, -0.0f, NAN}, b[3] = {1, 0, 0}, c = 2, d = 2;
    memcpy(&b[2], &bits, sizeof bits);
    CHECK(soothi_seen_hash(a, 3, &c, 1) == soothi_seen_hash(b, 3, &d, 1));
    d = 3;
    CHECK(soothi_seen_hash(a, 3, &c, 1) != soothi_seen_hash(a, 3, &d, 1));
    b[0] = 0, b[1] = 1;
    CHECK(soothi_seen_hash(a, 3, &c, 1) != soothi_seen_hash(b, 3, &c, 1));
}

static void rows_without_weight_are_not_seen(void) {
    static float weight[50];
    sooth_model_seen_rows seen;
    fill();
    memset(&seen, 0, sizeof seen);
    for (size_t i = 0; i < 50; ++i) weight[i] = i % 3 ? 1.0f : 0.0f;
    sooth_table table = sooth_table_of(x, y, 50, COLS);
    table.weight = weight;
    sooth_model_seen_add(&seen, &table);
    for (size_t i = 0; i < 50; ++i) CHECK(asked(&seen, hash_of(i)) == (i % 3 ? YES : NO));
}

static void a_card_keeps_them(void) {
    static const size_t counts[] = {0, 5, 40, 64, 200, ROWS};
    fill();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        const size_t n = counts[c];
        const sooth_table table = sooth_table_of(x, y, n ? n : 10, COLS);
        sooth_train_recipe recipe;
        sooth_model_parts parts;
        sooth_model *model, *loaded;
        sooth_model_seen_rows seen, kept;
        memset(&recipe, 0, sizeof recipe);
        memset(&seen, 0, sizeof seen);
        memset(&kept, 0xFF, sizeof kept);
        recipe.model = "tree";
        recipe.note = "the last text";
        recipe.seen = n ? &seen : NULL;
        if (n) sooth_model_seen_add(&seen, &table);
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        unsigned char *bytes = (unsigned char *)malloc(model->head.size);
        sooth_model_save(model, bytes);
        CHECK_STATUS(sooth_model_load(&env, bytes, model->head.size, &loaded), SOOTH_OK);
        sooth_model_open(loaded, &parts);
        CHECK(strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_NOTE, 0), "the last text") == 0);
        sooth_model_card_seen(parts.card, &kept);
        CHECK(kept.count == seen.count && kept.zeros == seen.zeros);
        CHECK(parts.card->seen == (n ? 4 * (seen.count + 1) : 0));
        for (size_t i = 0; i < ROWS; ++i) CHECK(asked(&kept, hash_of(i)) == asked(&seen, hash_of(i)));
        free(bytes);
        sooth_model_free(&env, loaded);
        sooth_model_free(&env, model);
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(those_with_the_fewest_zeros_that_leave_64_are_kept);
    CHECK_RUN(hashes_of_one_kind_are_kept_too);
    CHECK_RUN(the_share_of_rows_seen_is_estimated_without_bias);
    CHECK_RUN(rows_are_the_same_when_their_numbers_are);
    CHECK_RUN(rows_without_weight_are_not_seen);
    CHECK_RUN(a_card_keeps_them);
    return check_end("seen");
}
