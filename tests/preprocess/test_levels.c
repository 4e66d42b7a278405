/* test_levels.c - columns of text, against scikit-learn's TargetEncoder, encode.h, and naive twins.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/preprocess/levels.h"
#include "sooth/csv.h"
#include "sooth/preprocess/encode.h"
#include "check.h"
#include "golden/levels.h"
#include "lies.h"

enum { ROWS = 500, COLS = 3 };
static sooth_env env;
static float x[ROWS * COLS], codes[ROWS * COLS], encoded[ROWS * COLS], y[ROWS], weight[ROWS];
static const uint8_t categorical[COLS] = {1, 0, 1};

static int same(float a, float b) { return soothi_bits(a) == soothi_bits(b); }

/* A column of drawn texts, one of numbers, one of numbers that are categories; some are missing. */
static const char *const *const *make_up(uint64_t seed, uint32_t texts) {
    static char name[1000][16];
    static const char *list[1000];
    static const char *const *text[COLS];
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    for (uint32_t i = 0; i < texts; ++i) {
        snprintf(name[i], sizeof name[i], "%c%u", (int)('a' + i * 7 % 26), (unsigned)i);
        list[i] = name[i];
    }
    text[0] = list;
    for (size_t i = 0; i < ROWS; ++i) {
        const uint32_t a = sooth_rng_below(&rng, texts), b = sooth_rng_below(&rng, texts);
        x[i * COLS] = (float)(a < b ? a : b);
        x[i * COLS + 1] = sooth_rng_float(&rng);
        x[i * COLS + 2] = 0.5f * (float)sooth_rng_below(&rng, 9) - 2.0f;
        if (sooth_rng_below(&rng, 50) == 0) x[i * COLS] = soothi_missing();
        y[i] = (float)sooth_rng_below(&rng, 1024) / 64.0f + (float)(a % 5);
        weight[i] = (float)sooth_rng_below(&rng, 4);
    }
    return text;
}

static sooth_table table_of(const float *rows) {
    sooth_table table = sooth_table_of(rows, y, ROWS, COLS);
    return table;
}

static sooth_levels *dictionary(const char *const *const *text, uint32_t max_bytes) {
    const sooth_levels_options options = {.max_bytes = max_bytes};
    const sooth_table table = table_of(x);
    sooth_levels *levels = NULL;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, &options, codes, &levels), SOOTH_OK);
    CHECK(levels && sooth_levels_check(levels, levels->head.size));
    return levels;
}

static float code_of(const sooth_levels *levels, size_t column, const char *text) {
    return sooth_levels_code(levels, column, text, strlen(text));
}

/* ---- against others ---- */

/* scikit-learn's fixed means of each level, for two weights. */
static void statistics_are_those_of_scikit_learn(void) {
    const double *golden[] = {golden_smooth_1, golden_smooth_10};
    const char *const *text[] = {golden_names};
    float value[golden_rows], target[golden_rows], code[golden_rows];
    for (size_t i = 0; i < golden_rows; ++i) {
        value[i] = (float)golden_value[i];
        target[i] = (float)golden_target[i];
    }
    for (size_t k = 0; k < 2; ++k) {
        const sooth_levels_options options = {.weight = k ? 10 : 0};
        sooth_table table = sooth_table_of(value, target, golden_rows, 1);
        sooth_levels *levels = NULL, *learned = NULL;
        CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, code, &levels), SOOTH_OK);
        table.x = code;
        CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, &options, NULL, &learned), SOOTH_OK);
        CHECK(sooth_levels_check(learned, learned->head.size) && learned->levels == golden_levels);
        CHECK_NEAR(learned->prior, golden_mean, 1e-6);
        for (uint32_t c = 0; c < golden_levels; ++c) {
            const char *name = golden_names[(size_t)golden_code[c]];
            CHECK(strcmp(sooth_levels_name(learned, 0, (float)c), name) == 0);
            CHECK(same(code_of(learned, 0, name), (float)c));
            CHECK_NEAR(soothi_levels_apply_one(learned, 0, (float)c), golden[k][c], 1e-6);
        }
        CHECK(soothi_nan((double)code_of(learned, 0, golden_names[8]))); /* drawn by no row */
        sooth_levels_free(&env, learned);
        sooth_levels_free(&env, levels);
    }
}

/* encode.h, which CatBoost's numbers prove, draws the same order of the same seed. */
static void learning_sees_the_rows_before_alone(void) {
    const char *const *const *text = make_up(1, 40);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    static uint64_t level[ROWS * 2];
    static float row[ROWS * 2 * 3];
    double mean = 0;
    for (size_t i = 0; i < ROWS; ++i) mean += (double)y[i] / ROWS;
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t j = 0; j < 2; ++j) /* a missing one is a level that nobody else has */
            level[2 * i + j] =
                soothi_nan((double)codes[i * COLS + 2 * j]) ? 1000 + i : (uint64_t)codes[i * COLS + 2 * j];
    for (uint32_t in_time = 0; in_time < 2; ++in_time) {
        const sooth_levels_options options = {.weight = 3, .in_time = in_time, .seed = 7};
        const sooth_encode_options twin = {.columns = 2,
                                           .no_last = 1,
                                           .max_bytes = 1 << 20,
                                           .has_prior = 1,
                                           .prior = mean,
                                           .weight = 3,
                                           .in_time = in_time,
                                           .seed = 7};
        const sooth_table table = table_of(codes);
        sooth_encode *encode = NULL;
        CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, &options, encoded, &learned),
                     SOOTH_OK);
        CHECK_STATUS(sooth_encode_fit(&env, level, y, NULL, ROWS, &twin, row, &encode), SOOTH_OK);
        for (size_t i = 0; i < ROWS; ++i) {
            CHECK_NEAR(encoded[i * COLS], row[6 * i], 1e-5);
            CHECK_NEAR(encoded[i * COLS + 2], row[6 * i + 3], 1e-5);
            CHECK(same(encoded[i * COLS + 1], x[i * COLS + 1]));
        }
        sooth_encode_free(&env, encode);
        sooth_levels_free(&env, learned);
    }
    sooth_levels_free(&env, levels);
}

/* With times, a level has the statistic of the rows before it in time, wherever they stand: by a loop. */
static void statistics_follow_the_times(void) {
    const char *const *const *text = make_up(1, 40);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    const sooth_levels_options options = {.weight = 3, .in_time = 1};
    static uint32_t time[ROWS];
    sooth_table table = table_of(codes);
    double mean = 0;
    for (uint32_t i = 0; i < ROWS; ++i) {
        mean += (double)y[i] / ROWS;
        time[i] = i * 7919 % ROWS / 2; /* those of one time in the order of the rows */
    }
    table.time = time;
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, &options, encoded, &learned), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        double sum = 3.0 * mean, count = 3.0;
        for (size_t k = 0; k < ROWS; ++k)
            if (same(codes[k * COLS], codes[i * COLS]) &&
                (time[k] < time[i] || (time[k] == time[i] && k < i))) {
                sum += (double)y[k];
                count += 1.0;
            }
        CHECK_NEAR(encoded[i * COLS], soothi_nan((double)codes[i * COLS]) ? mean : sum / count, 1e-5);
    }
    sooth_levels_free(&env, learned);
    sooth_levels_free(&env, levels);
}

/* A row whose own target is another is encoded as before. */
static void a_row_does_not_know_its_own_target(void) {
    const char *const *const *text = make_up(2, 12);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    const sooth_levels_options options = {.weight = 1e-6};
    const sooth_table table = table_of(codes);
    float first[COLS];
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, &options, encoded, &learned), SOOTH_OK);
    sooth_levels_free(&env, learned);
    memcpy(first, encoded + 77 * COLS, sizeof first);
    y[77] += 1; /* moves the mean of all, which weighs a millionth */
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, &options, encoded, &learned), SOOTH_OK);
    for (size_t j = 0; j < COLS; ++j) CHECK_NEAR(encoded[77 * COLS + j], first[j], 1e-5);
    sooth_levels_free(&env, learned);
    sooth_levels_free(&env, levels);
}

/* The naive twin: the sums over all rows of a level, weighted. */
static void rows_count_by_their_weight(void) {
    const char *const *const *text = make_up(3, 25);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    sooth_table table = table_of(codes);
    table.weight = weight;
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &learned), SOOTH_OK);
    for (size_t j = 0; j < COLS; j += 2)
        for (uint32_t c = 0; c < sooth_levels_columns(levels)[j].count; ++c) {
            double sum = 0, count = 0, all = 0, rows = 0;
            for (size_t i = 0; i < ROWS; ++i) {
                const double w = (double)weight[i];
                all += w * (double)y[i], rows += w;
                if (same(codes[i * COLS + j], (float)c)) sum += w * (double)y[i], count += w;
            }
            CHECK_NEAR(soothi_levels_apply_one(learned, j, (float)c), (sum + all / rows) / (count + 1), 1e-5);
        }
    sooth_levels_free(&env, learned);
    memset(weight, 0, sizeof weight);
    CHECK_FAILS(&env, sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &learned), SOOTH_BAD_DATA,
                "weight");
    sooth_levels_free(&env, levels);
}

/* ---- names and codes ---- */

static void codes_fall_by_count_and_then_by_name(void) {
    const char *const *const *text = make_up(4, 60);
    sooth_levels *levels = dictionary(text, 0);
    const sooth_levels_column *column = sooth_levels_columns(levels);
    CHECK(column[1].count == 0 && !column[1].categorical && column[2].count == 9 && column[0].lost == 0);
    for (size_t j = 0; j < COLS; j += 2) {
        size_t before = ROWS + 1;
        for (uint32_t c = 0; c < column[j].count; ++c) {
            const char *name = sooth_levels_name(levels, j, (float)c);
            size_t rows = 0;
            for (size_t i = 0; i < ROWS; ++i) rows += (size_t)same(codes[i * COLS + j], (float)c);
            CHECK(rows > 0 && rows <= before);
            if (rows == before) CHECK(strcmp(sooth_levels_name(levels, j, (float)(c - 1)), name) < 0);
            CHECK(same(code_of(levels, j, name), (float)c));
            before = rows;
        }
    }
    for (size_t i = 0; i < ROWS; ++i) { /* every row says what it said */
        char number[SOOTH_TEXT_NUMBER_SIZE];
        if (soothi_nan((double)x[i * COLS])) CHECK(soothi_nan((double)codes[i * COLS]));
        else CHECK(strcmp(sooth_levels_name(levels, 0, codes[i * COLS]), text[0][(size_t)x[i * COLS]]) == 0);
        sooth_text_from_float(number, x[i * COLS + 2]);
        CHECK(strcmp(sooth_levels_name(levels, 2, codes[i * COLS + 2]), number) == 0);
    }
    sooth_levels_free(&env, levels);
}

/* The same rows in another order, and texts that were numbered otherwise, make the same bytes. */
static void the_order_of_rows_makes_no_difference(void) {
    const char *const *const *text = make_up(5, 90);
    sooth_levels *levels = dictionary(text, 900), *other;
    const char *turned[90], *const *others[COLS] = {turned, NULL, NULL};
    for (size_t k = 0; k < 90; ++k) turned[k] = text[0][89 - k];
    for (size_t i = 0; i < ROWS / 2; ++i)
        for (size_t j = 0; j < COLS; ++j) {
            const float v = x[i * COLS + j];
            x[i * COLS + j] = x[(ROWS - 1 - i) * COLS + j];
            x[(ROWS - 1 - i) * COLS + j] = v;
        }
    for (size_t i = 0; i < ROWS; ++i) x[i * COLS] = 89 - x[i * COLS];
    other = dictionary(others, 900);
    CHECK(levels->head.size == other->head.size && memcmp(levels, other, other->head.size) == 0);
    CHECK(sooth_levels_columns(levels)[0].lost > 0);
    sooth_levels_free(&env, other);
    sooth_levels_free(&env, levels);
}

static void the_rarest_have_no_room(void) {
    const char *const *const *text = make_up(6, 400);
    sooth_levels *all = dictionary(text, 0);
    const uint32_t whole = sooth_levels_columns(all)[0].count;
    for (uint32_t bytes = 112; bytes < 4000; bytes += 301) {
        sooth_levels *levels = dictionary(text, bytes), *learned = NULL;
        const sooth_levels_column *c = sooth_levels_columns(levels);
        const sooth_table table = table_of(codes);
        size_t unknown = 0, missing = 0;
        for (size_t i = 0; i < ROWS; ++i) {
            missing += (size_t)soothi_nan((double)x[i * COLS]);
            unknown += (size_t)soothi_nan((double)codes[i * COLS]);
        }
        CHECK(c->count + c->lost == whole && c->lost_rows + missing == unknown);
        for (uint32_t k = 0; k < c->count; ++k) /* these are the most frequent, as without a budget */
            CHECK(strcmp(sooth_levels_name(levels, 0, (float)k), sooth_levels_name(all, 0, (float)k)) == 0);
        CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, NULL, encoded, &learned), SOOTH_OK);
        CHECK(learned->head.size <= bytes && levels->head.size <= bytes);
        for (size_t i = 0; i < ROWS; ++i)
            if (soothi_nan((double)codes[i * COLS])) CHECK(same(encoded[i * COLS], learned->prior));
        sooth_levels_free(&env, learned);
        sooth_levels_free(&env, levels);
    }
    sooth_levels_free(&env, all);
}

static void what_is_not_known_is_missing(void) {
    const char *const *const *text = make_up(7, 10);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    const sooth_table table = table_of(codes);
    const char *name = sooth_levels_name(levels, 0, 0);
    float row[COLS] = {soothi_missing(), 5, 99};
    CHECK(soothi_nan((double)code_of(levels, 0, "")) && soothi_nan((double)code_of(levels, 0, "zz")));
    CHECK(soothi_nan((double)code_of(levels, 1, name)) && soothi_nan((double)code_of(levels, 2, name)));
    CHECK(soothi_nan((double)sooth_levels_code(levels, 0, name, strlen(name) - 1)));
    CHECK(soothi_nan((double)sooth_levels_code(levels, 0, name, strlen(name) + 1)));
    CHECK(soothi_nan((double)code_of(levels, 0, "\377")));
    CHECK(!sooth_levels_name(levels, 0, -1) && !sooth_levels_name(levels, 0, 1e9f));
    CHECK(!sooth_levels_name(levels, 0, soothi_missing()) && !sooth_levels_name(levels, 1, 0));
    sooth_levels_apply(levels, row, row); /* codes stay */
    CHECK(soothi_nan((double)row[0]) && same(row[1], 5) && same(row[2], 99));
    CHECK(sooth_levels_cost(levels).comparisons == 0 && sooth_levels_cost(levels).bytes == levels->head.size);
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &learned), SOOTH_OK);
    CHECK(sooth_levels_cost(learned).comparisons == 2 * COLS);
    sooth_levels_apply_many(learned, row, 1, COLS, row);
    CHECK(same(row[0], learned->prior) && same(row[1], 5) && same(row[2], learned->prior));
    sooth_levels_free(&env, learned);
    sooth_levels_free(&env, levels);
}

/* -0 is 0; a column without a value has no level; texts of any bytes have. */
static void odd_values_are_levels_too(void) {
    const char *const name[] = {"\377\001", "\377", "", "a,b\n\"", "\303\251"}, *const * text[] = {name, NULL,
                                                                                                   NULL};
    const float rows[] = {0, 0, 1, 1, -0.0f, 2, 2, 1e-45f, 3, 3, -0.0f, 4, 4, 3e38f, 5};
    float out[15];
    const uint8_t all[] = {1, 1, 0};
    const sooth_table table = sooth_table_of(rows, y, 5, 3);
    sooth_levels *levels = NULL;
    CHECK_STATUS(sooth_levels_fit(&env, &table, all, text, NULL, out, &levels), SOOTH_OK);
    CHECK(sooth_levels_columns(levels)[1].count == 3 && same(code_of(levels, 1, "0"), 0));
    for (size_t i = 0; i < 5; ++i) CHECK(same(code_of(levels, 0, name[i]), out[3 * i]));
    CHECK(same(code_of(levels, 1, "1e-45"), 1) && same(code_of(levels, 1, "3e38"), 2));
    sooth_levels_free(&env, levels);
}

/* ---- from a file ---- */

static void columns_of_text_are_features(void) {
    static const char file[] = "user,cores,queue,time\nann,1,3,4\nbob,2,7,5\nann,4,,6\n,4,3,7\n";
    const char *const names[] = {"queue", "user"}, *const cores[] = {"cores"};
    sooth_csv_table_options choice = {.target = "time", .categorical = names, .categorical_count = 2};
    sooth_csv_data data;
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, file, sizeof file - 1, NULL, &csv), SOOTH_OK);
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK); /* in the file's order */
    CHECK(data.table.cols == 3 && data.categorical[0] && !data.categorical[1] && data.categorical[2]);
    CHECK(strcmp(data.table.names[0], "user") == 0 && !data.table.categorical);
    sooth_csv_data_free(&env, &data);
    choice.features = cores;
    choice.feature_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK); /* named ones first */
    CHECK(data.table.cols == 3 && !data.categorical[0] && strcmp(data.table.names[1], "queue") == 0);
    sooth_csv_data_free(&env, &data);
    choice.drop = names;
    choice.drop_count = 1;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 2 && strcmp(data.table.names[1], "user") == 0);
    sooth_csv_data_free(&env, &data);
    choice.drop_count = 2;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && !data.categorical);
    sooth_csv_data_free(&env, &data);
    choice.categorical_count = 0;
    CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
    CHECK(data.table.cols == 1 && !data.categorical);
    sooth_csv_data_free(&env, &data);
    choice.target = "user";
    choice.categorical_count = 2;
    CHECK_FAILS(&env, sooth_csv_table(&env, &csv, &choice, &data), SOOTH_BAD_DATA, "not a number");
    sooth_csv_free(&env, &csv);
}

/* ---- mistakes ---- */

static void mistakes_are_told(void) {
    const char *const *const *text = make_up(8, 10);
    const sooth_levels_options small = {.max_bytes = 111}, heavy = {.weight = 1e30};
    sooth_table table = table_of(x);
    sooth_levels *levels = dictionary(text, 112), *none = levels;
    CHECK(levels->levels == 0);
    CHECK_FAILS(&env, sooth_levels_fit(&env, &table, categorical, text, &small, NULL, &none),
                SOOTH_BAD_ARGUMENT, "max_bytes is 111, but 3 columns need at least 112 bytes");
    CHECK(!none);
    CHECK_FAILS(&env, sooth_levels_fit_statistics(&env, levels, &table, &heavy, NULL, &none),
                SOOTH_BAD_ARGUMENT, "weight");
    table.cols = 2;
    table.stride = COLS;
    CHECK_FAILS(&env, sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &none),
                SOOTH_BAD_ARGUMENT, "the table has 2 columns, but the dictionary has 3");
    table.y = NULL;
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &none), SOOTH_BAD_DATA);
    table.rows = 0;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, NULL, &none), SOOTH_BAD_DATA);
    sooth_levels_free(&env, levels);
    sooth_levels_free(&env, NULL);
}

static void failing_memory_leaves_nothing(void) {
    const char *const *const *text = make_up(9, 500);
    const sooth_table table = table_of(x), coded = table_of(codes);
    sooth_levels *levels = NULL, *learned = NULL;
    float values[600];
    const uint8_t every[] = {1, 1, 1, 1, 1, 1};
    sooth_table wide = sooth_table_of(values, y, 100, 6); /* more levels than rows */
    sooth_env own;
    sooth_env_init(&own);
    CHECK_EVERY_ALLOCATION(&own, sooth_levels_fit(&own, &table, categorical, text, NULL, codes, &levels),
                           sooth_levels_free(&own, levels));
    for (size_t i = 0; i < 600; ++i) values[i] = (float)i;
    CHECK_EVERY_ALLOCATION(&own, sooth_levels_fit(&own, &wide, every, NULL, NULL, NULL, &levels),
                           sooth_levels_free(&own, levels));
    levels = dictionary(text, 0);
    CHECK_EVERY_ALLOCATION(&own, sooth_levels_fit_statistics(&own, levels, &coded, NULL, encoded, &learned),
                           sooth_levels_free(&own, learned));
    sooth_levels_free(&env, levels);
}

static void lies_in_a_block_are_refused(void) {
    const char *const *const *text = make_up(10, 5);
    sooth_levels *levels = dictionary(text, 0), *learned = NULL;
    const sooth_table table = table_of(codes);
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &table, NULL, NULL, &learned), SOOTH_OK);
    const uint32_t n = learned->levels, first = sizeof *learned, names = first + 20 * COLS;
    const lies_word lies[] = {{offsetof(sooth_levels, head.features), 0},
                              {offsetof(sooth_levels, head.features), 2},
                              {offsetof(sooth_levels, head.targets), 1},
                              {offsetof(sooth_levels, levels), n + 1},
                              {offsetof(sooth_levels, levels), n - 1},
                              {offsetof(sooth_levels, levels), UINT32_MAX},
                              {offsetof(sooth_levels, statistics), 0},
                              {offsetof(sooth_levels, statistics), 2},
                              {offsetof(sooth_levels, prior), 0x7FC00000},
                              {offsetof(sooth_levels, exact), 2},
                              {offsetof(sooth_levels, head.doubles_at), 32},
                              {offsetof(sooth_levels, head.bytes_at), 64},
                              {first, 1},
                              {first + 4, 4},
                              {first + 4, UINT32_MAX},
                              {first + 8, 3},
                              {first + 8, 0},
                              {first + 20, 4},
                              {first + 24, 1},
                              {names, UINT32_MAX},
                              {names, learned->head.size - learned->head.bytes_at},
                              {names + 4 * n, 5},
                              {names + 4 * n + 4 * 5, 9},
                              {names + 8 * n, 0x7F800000},
                              {names + 12 * n - 4, 0xFFC00000}};
    CHECK(n == 14);
    lies_are_refused(sooth_levels_check, &learned->head, lies, sizeof lies / sizeof *lies);
    CHECK(
        !lies_believed(sooth_levels_check, &learned->head, learned->head.size - 4u, 0x01010101)); /* no end */
    CHECK(!sooth_levels_check(learned, learned->head.size - 16u) && !sooth_levels_check(NULL, 100));
    /* codes that stand in another order are believed: names are found wrongly then, and within the block */
    sooth_block *copy = lies_copy(&learned->head);
    memset((unsigned char *)copy + names + 4 * n, 0, 4 * n);
    soothi_block_seal(copy);
    CHECK(sooth_levels_check(copy, copy->size));
    for (size_t j = 0; j < COLS; ++j) code_of((const sooth_levels *)(const void *)copy, j, "b3");
    free(copy);
    sooth_levels_free(&env, learned);
    sooth_levels_free(&env, levels);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(statistics_are_those_of_scikit_learn);
    CHECK_RUN(learning_sees_the_rows_before_alone);
    CHECK_RUN(statistics_follow_the_times);
    CHECK_RUN(a_row_does_not_know_its_own_target);
    CHECK_RUN(rows_count_by_their_weight);
    CHECK_RUN(codes_fall_by_count_and_then_by_name);
    CHECK_RUN(the_order_of_rows_makes_no_difference);
    CHECK_RUN(the_rarest_have_no_room);
    CHECK_RUN(what_is_not_known_is_missing);
    CHECK_RUN(odd_values_are_levels_too);
    CHECK_RUN(columns_of_text_are_features);
    CHECK_RUN(mistakes_are_told);
    CHECK_RUN(failing_memory_leaves_nothing);
    CHECK_RUN(lies_in_a_block_are_refused);
    return check_end("levels");
}
