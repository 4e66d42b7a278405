/* test_calibrate.c - models that carry intervals, adaptation or a probability, against leaving out by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "sooth/online.h"
#include "sooth/validation/metrics.h"
#include "check.h"
#include "recipes.h"
#include "lies.h"
#include "golden/calibrated.h"

enum { PROGRAMS = 12, EACH = 6, ROWS = PROGRAMS * EACH, COLS = 2, ENDS = 8192 };
static float x[ROWS * COLS], y[ROWS], y2[2 * ROWS], weight[ROWS];
static uint32_t program[ROWS];
static sooth_env env;

/* Watts by threads and size; each program has a level of its own. */
static sooth_table table_of(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        const uint32_t p = i % PROGRAMS;
        program[i] = p * 7;
        x[2 * i] = 1.0f + (float)sooth_rng_below(&rng, 8);
        x[2 * i + 1] = 10.0f + 90.0f * sooth_rng_float(&rng);
        y[i] = (20.0f + 5.0f * x[2 * i] + 0.3f * x[2 * i + 1]) * (0.7f + 0.05f * (float)p) +
               sooth_rng_float(&rng);
        y2[2 * i] = y[i];
        y2[2 * i + 1] = -x[2 * i];
        weight[i] = 1.0f;
    }
    sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    table.group = program;
    return table;
}

static sooth_model *calibrated(const sooth_table *table, const sooth_calibrate_options *options) {
    sooth_train_recipe recipe = {0};
    sooth_model *model = NULL;
    recipe.model = "linear";
    const sooth_status status = fit_calibrated(&env, table, &recipe, options, &model);
    if (status != SOOTH_OK) printf("  %s\n", env.sentence);
    CHECK(status == SOOTH_OK && model && sooth_model_check(model, model->head.size));
    if (!model) abort();
    return model;
}

static int by_size(const void *a, const void *b) {
    const double m = *(const double *)a, n = *(const double *)b;
    return (m > n) - (m < n);
}

/* ---- by hand: each group left out, log residuals, each group's rows sharing the weight 1 ---- */

typedef struct entry {
    double miss, share;
} entry;

static int by_miss(const void *a, const void *b) {
    const double m = ((const entry *)a)->miss, n = ((const entry *)b)->miss;
    return (m > n) - (m < n);
}

/* count: of groups, where the table's are folds of several groups of EACH rows; 0: each fold is one. */
static double by_hand(const sooth_table *table, const sooth_groups *groups, size_t count, double level) {
    static entry all[2 * ROWS];
    sooth_split_options how = {.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT, .groups = groups};
    sooth_split split;
    size_t n = 0;
    CHECK_STATUS(sooth_split_make(&env, table, &how, &split), SOOTH_OK);
    for (size_t f = 0; f < split.folds; ++f) {
        const sooth_split_fold *fold = &split.fold[f];
        sooth_table train, test;
        sooth_linear *line;
        CHECK_STATUS(sooth_split_take(&env, table, fold, &train, &test), SOOTH_OK);
        CHECK_STATUS(sooth_linear_fit(&env, &train, NULL, &line), SOOTH_OK);
        for (size_t i = 0; i < test.rows; ++i, ++n) {
            const double p = (double)sooth_linear_predict(line, test.x + i * COLS);
            all[n].miss = fabs(log((double)test.y[i]) - log(p));
            all[n].share = 1.0 / (double)(count ? EACH : test.rows);
        }
        sooth_linear_free(&env, line);
        sooth_table_free(&env, &test);
        sooth_table_free(&env, &train);
    }
    qsort(all, n, sizeof *all, by_miss);
    double sum = 0.0, wanted = level * (double)((count ? count : split.folds) + 1) - 1e-9;
    size_t k = 0;
    for (; k < n && sum + all[k].share < wanted; ++k) sum += all[k].share;
    sooth_split_free(&env, &split);
    return k < n ? all[k].miss : (double)INFINITY;
}

static void the_interval_is_that_of_groups_left_out(void) {
    const sooth_table table = table_of();
    for (double level = 0.5; level < 0.95; level += 0.2) {
        const sooth_calibrate_options options = {.level = level};
        sooth_model *model = calibrated(&table, &options);
        const sooth_conformal *c = sooth_model_conformal(model, 0);
        CHECK(c->claim.promise == SOOTH_CONFORMAL_OF_GROUPS && c->claim.groups == PROGRAMS);
        CHECK(c->claim.rows == ROWS && c->scale == SOOTH_CONFORMAL_LOG && c->method == SOOTH_CONFORMAL_CROSS);
        CHECK_NEAR((double)c->above, by_hand(&table, NULL, 0, level), 1e-5);
        sooth_model_free(&env, model);
    }
}

/* A program beside itself and the next one: a row counts once for each of the two. */
static void a_row_of_two_programs_is_asked_without_each(void) {
    const sooth_table table = table_of();
    uint32_t offset[ROWS + 1], id[2 * ROWS];
    for (uint32_t i = 0; i < ROWS; ++i) {
        offset[i] = 2 * i;
        id[2 * i] = program[i];
        id[2 * i + 1] = program[(i + 1) % PROGRAMS];
    }
    offset[ROWS] = 2 * ROWS;
    const sooth_groups bags = {offset, id, ROWS};
    const sooth_calibrate_options options = {.groups = &bags};
    sooth_model *model = calibrated(&table, &options);
    const sooth_conformal *c = sooth_model_conformal(model, 0);
    CHECK(c->claim.rows == 2 * ROWS && c->claim.groups == PROGRAMS);
    CHECK_NEAR((double)c->above, by_hand(&table, &bags, 0, 0.9), 1e-5);
    sooth_model_free(&env, model);
}

static void many_groups_are_dealt_to_folds(void) {
    const sooth_table table = table_of();
    const sooth_calibrate_options options = {.folds = 4};
    sooth_model *model = calibrated(&table, &options), *other;
    const sooth_conformal *c = sooth_model_conformal(model, 0);
    CHECK(c->claim.promise == SOOTH_CONFORMAL_OF_GROUPS && c->claim.groups == PROGRAMS);
    /* groups 0, 4, 8 are one fold, 1, 5, 9 the next: left out by hand */
    uint32_t fold[ROWS];
    sooth_table dealt = table;
    for (size_t i = 0; i < ROWS; ++i) fold[i] = program[i] / 7 % 4;
    dealt.group = fold;
    CHECK_NEAR((double)c->above, by_hand(&dealt, NULL, PROGRAMS, 0.9), 1e-5);
    other = calibrated(&dealt, NULL);
    c = sooth_model_conformal(other, 0);
    CHECK(c->claim.promise == SOOTH_CONFORMAL_NONE && c->above > FLT_MAX); /* 4 are too few for 0.9 */
    sooth_model_free(&env, other);
    sooth_model_free(&env, model);
}

/* A scheduler's table has its keys as groups, and four are too few. The fit succeeds, the claim can be
   asked, and the sentence has the reason; without groups the interval is bounded, and the sentence is empty.
   */
static void an_interval_of_few_keys_is_told(void) {
    static double memory[4096];
    const sooth_recorder_options keys = {.features = COLS, .keys = 8, .window_size = 20};
    sooth_recorder *recorder = NULL;
    sooth_table table = table_of();
    CHECK_STATUS(sooth_recorder_init(&env, &keys, memory, sizeof memory, &recorder), SOOTH_OK);
    for (uint32_t i = 0; recorder && i < ROWS; ++i)
        sooth_recorder_observe(recorder, i % 4, x + i * COLS, y[i]);
    if (!recorder) return;
    table = sooth_recorder_table(recorder);
    sooth_model *model = calibrated(&table, NULL);
    const sooth_conformal *c = sooth_model_conformal(model, 0);
    sooth_adapted at;
    sooth_model_interval(model, x, NULL, &at);
    CHECK(c->claim.promise == SOOTH_CONFORMAL_NONE && c->claim.groups == 4);
    CHECK(at.low == 0.0f && at.high > FLT_MAX);
    const char *const reason =
        "the interval is unbounded: a level of 0.9 needs 9 groups, but there are 4 (enough for 0.8); ";
    CHECK(strncmp(env.sentence, reason, strlen(reason)) == 0);
    CHECK(strstr(env.sentence + strlen(reason), "programs") != NULL); /* nor does it adapt */
    sooth_model_free(&env, model);
    const sooth_calibrate_options lower = {.level = 0.8, .adapt = SOOTH_CALIBRATE_ADAPT_NEVER};
    model = calibrated(&table, &lower);
    sooth_model_interval(model, x, NULL, &at);
    CHECK(at.high <= FLT_MAX && env.sentence[0] == 0);
    sooth_model_free(&env, model);
    table.group = NULL;
    model = calibrated(&table, NULL);
    CHECK(sooth_model_conformal(model, 0)->claim.promise == SOOTH_CONFORMAL_OF_ROWS && env.sentence[0] == 0);
    sooth_model_free(&env, model);
}

static void without_groups_the_promise_is_of_rows(void) {
    sooth_table table = table_of();
    table.group = NULL;
    sooth_model *model = calibrated(&table, NULL);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    CHECK(parts.interval->claim.promise == SOOTH_CONFORMAL_OF_ROWS && parts.interval->claim.rows == ROWS);
    CHECK(parts.interval->claim.groups == 0 && !parts.adapt);
    /* of 72 new rows drawn alike about 90 % are held, here of those it was calibrated on: 66 of them */
    size_t held = 0;
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_adapted at;
        sooth_model_interval(model, x + i * COLS, NULL, &at);
        held += y[i] >= at.low && y[i] <= at.high;
        CHECK(at.low <= at.value && at.value <= at.high);
    }
    CHECK(held >= 60 && held <= 70);
    sooth_model_free(&env, model);
}

/* Times in no order, two rows of each: the later half in parts, each predicted by a line through the rows
   before it; the interval is the conformal quantile of their log residuals. */
static void later_rows_calibrate_where_there_is_time(void) {
    enum { PARTS = 4, HALF = ROWS / 2, STEP = HALF / PARTS };
    static uint32_t time[ROWS];
    sooth_table table = table_of();
    const sooth_calibrate_options options = {.folds = PARTS};
    double miss[HALF];
    size_t n = 0;
    for (uint32_t i = 0; i < ROWS; ++i) time[i] = i * 29 % ROWS / 2 * 3;
    table.group = NULL;
    table.time = time;
    for (uint32_t i = 0; i < ROWS; ++i) {
        uint32_t before = 0, row[ROWS];
        size_t trains = 0;
        for (uint32_t k = 0; k < ROWS; ++k) before += time[k] < time[i];
        if (before < HALF) continue;
        const uint32_t first = HALF + (before - HALF) / STEP * STEP; /* HALF and STEP - 1 end no pair */
        for (uint32_t k = 0; k < ROWS; ++k) {
            uint32_t earlier = 0;
            for (uint32_t m = 0; m < ROWS; ++m) earlier += time[m] < time[k];
            const uint32_t part = earlier < HALF ? 0 : HALF + (earlier - HALF) / STEP * STEP;
            if (part < first) row[trains++] = k;
        }
        sooth_table train;
        sooth_linear *line;
        CHECK_STATUS(sooth_table_take(&env, &table, row, trains, &train), SOOTH_OK);
        CHECK(train.time[0] == time[row[0]] && train.time[trains - 1] == time[row[trains - 1]]);
        CHECK_STATUS(sooth_linear_fit(&env, &train, NULL, &line), SOOTH_OK);
        miss[n++] = fabs(log((double)sooth_linear_predict(line, x + i * COLS) / (double)y[i]));
        sooth_linear_free(&env, line);
        sooth_table_free(&env, &train);
    }
    CHECK(n == HALF);
    qsort(miss, n, sizeof *miss, by_size);
    sooth_model *model = calibrated(&table, &options);
    const sooth_conformal *c = sooth_model_conformal(model, 0);
    CHECK(c->method == SOOTH_CONFORMAL_FORWARD && c->claim.promise == SOOTH_CONFORMAL_OF_ROWS);
    CHECK(c->claim.rows == HALF && c->claim.groups == 0 && !(c->claim.proven > 0.0f));
    CHECK_NEAR((double)c->above, miss[33], 1e-4); /* ceil(37 x 0.9) = 34 of 36 */
    CHECK(sooth_model_check(model, model->head.size));
    sooth_model_free(&env, model);

    sooth_train_recipe recipe = {.model = "linear", .calibrated = 1};
    table.group = program;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "an interval is calibrated on later rows (time) or on groups never seen, not on both");
    table.group = NULL;
    memset(time, 0, sizeof time);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_DATA,
                "an interval of later rows needs rows later than the first half, but there are none");
    for (uint32_t i = HALF; i < ROWS; ++i) time[i] = 1; /* one part is enough */
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(sooth_model_conformal(model, 0)->claim.rows == HALF);
    sooth_model_free(&env, model);
}

/* Fewer rows than folds: each is left out alone. */
static void few_rows_are_left_out_one_by_one(void) {
    sooth_table table = table_of();
    const sooth_calibrate_options options = {.level = 0.6};
    uint32_t alone[10];
    for (uint32_t i = 0; i < 10; ++i) alone[i] = i;
    table.rows = 10;
    table.group = alone;
    const double miss = by_hand(&table, NULL, 0, 0.6);
    table.group = NULL;
    sooth_model *model = calibrated(&table, &options);
    const sooth_conformal *c = sooth_model_conformal(model, 0);
    CHECK(c->claim.promise == SOOTH_CONFORMAL_OF_ROWS && c->claim.rows == 10);
    CHECK_NEAR((double)c->above, miss, 1e-5);
    sooth_model_free(&env, model);
}

static void every_target_has_an_interval_of_its_own(void) {
    sooth_table table = table_of(), one = table;
    table.y = y2;
    table.targets = 2;
    sooth_model *model = calibrated(&table, NULL), *alone = calibrated(&one, NULL);
    const sooth_conformal *first = sooth_model_conformal(model, 0), *second = sooth_model_conformal(model, 1);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    CHECK(!parts.adapt && parts.interval == first);
    CHECK_NEAR((double)first->above, (double)sooth_model_conformal(alone, 0)->above, 1e-5);
    CHECK(second->scale == SOOTH_CONFORMAL_PLAIN && second->above < 1e-3f); /* -threads is a line of them */
    sooth_model_free(&env, alone);
    sooth_model_free(&env, model);
}

static void measured_launches_move_the_prediction(void) {
    const sooth_table table = table_of();
    sooth_model *model = calibrated(&table, NULL);
    sooth_model_parts parts;
    sooth_adapted before, after, same;
    static float memory[ENDS];
    const float first[COLS] = {2, 20}, second[COLS] = {7, 80};
    sooth_model_open(model, &parts);
    CHECK(parts.adapt && sooth_adapt_program_size(parts.adapt) <= sizeof memory);
    sooth_adapt_program *fresh = sooth_adapt_begin(parts.adapt, memory, sizeof memory);
    const float p = sooth_model_predict(model, second, NULL);
    sooth_model_adapted(model, fresh, second, NULL, &before);
    CHECK(before.value == p && before.low < p && before.high > p);
    CHECK(sooth_model_observe(model, fresh, first, 0.8f * sooth_model_predict(model, first, NULL), NULL) ==
          SOOTH_ADAPT_TAKEN);
    sooth_model_adapted(model, fresh, second, NULL, &after);
    CHECK(after.value < 0.95f * p && after.high - after.low < before.high - before.low);
    sooth_adapt_predict(parts.adapt, fresh, second, p, &same);
    CHECK(same.value == after.value && same.low == after.low && same.high == after.high);
    CHECK(sooth_model_observe(model, fresh, first, NAN, NULL) == SOOTH_ADAPT_REFUSED);
    /* nothing known: the interval of the model */
    sooth_model_adapted(model, NULL, second, NULL, &same);
    sooth_model_interval(model, second, NULL, &before);
    CHECK(same.value == before.value && same.low == before.low && same.high == before.high);
    sooth_model_free(&env, model);
}

/* Only targets that were never negative in training are kept from falling below 0. */
static void negative_targets_stay_negative(void) {
    static float below[ROWS], memory[ENDS];
    sooth_table table = table_of();
    for (size_t i = 0; i < ROWS; ++i) below[i] = y[i] - 200.0f;
    table.y = below;
    sooth_model *model = calibrated(&table, NULL);
    const float row[COLS] = {7, 80};
    sooth_model_parts parts;
    sooth_adapted answer;
    sooth_model_open(model, &parts);
    CHECK(parts.adapt && sooth_adapt_program_size(parts.adapt) <= sizeof memory);
    sooth_adapt_program *fresh = sooth_adapt_begin(parts.adapt, memory, sizeof memory);
    sooth_model_adapted(model, fresh, row, NULL, &answer);
    CHECK(answer.value == sooth_model_predict(model, row, NULL));
    CHECK(answer.low < answer.value && answer.value < answer.high && answer.high < 0.0f);
    sooth_model_free(&env, model);
}

static void a_model_without_parts_says_so(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = {.model = "linear"};
    sooth_adapted at;
    sooth_model *model;
    uint32_t feature;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_interval(model, x, NULL, &at);
    CHECK(isnan(at.low) && isnan(at.high));
    CHECK(at.value == sooth_model_predict(model, x, NULL) && at.trust == SOOTH_MODEL_TRUST_INSIDE);
    sooth_model_adapted(model, NULL, x, NULL, &at);
    CHECK(isnan(at.low) && isnan(at.high));
    CHECK(sooth_model_observe(model, NULL, x, 1.0f, NULL) == SOOTH_ADAPT_REFUSED);
    CHECK(!sooth_model_conformal(model, 0));
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    CHECK(sooth_model_trust(sooth_model_from_block(parts.predictor), x, &feature) ==
              SOOTH_MODEL_TRUST_INSIDE &&
          feature == UINT32_MAX);
    sooth_model_free(&env, model);
}

/* Ranges of 1 to 8 threads and of about 10 to 100: a tenth more is the edge. */
static void trust_names_the_feature_that_is_farthest_out(void) {
    sooth_table table = table_of();
    static const struct {
        float row[COLS];
        uint32_t trust, feature;
    } cases[] = {
        {{4, 50}, SOOTH_MODEL_TRUST_INSIDE, UINT32_MAX}, {{8.5f, 50}, SOOTH_MODEL_TRUST_EDGE, 0},
        {{9, 50}, SOOTH_MODEL_TRUST_OUTSIDE, 0},         {{8.5f, 500}, SOOTH_MODEL_TRUST_OUTSIDE, 1},
        {{0.5f, 50}, SOOTH_MODEL_TRUST_EDGE, 0},         {{NAN, 50}, SOOTH_MODEL_TRUST_INSIDE, UINT32_MAX}};
    table.group = NULL; /* by the card's ranges */
    sooth_model *model = calibrated(&table, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uint32_t feature;
        CHECK(sooth_model_trust(model, cases[i].row, &feature) == cases[i].trust);
        CHECK(feature == cases[i].feature);
    }
    sooth_model_free(&env, model);
    table.group = program;
    model = calibrated(&table, NULL); /* by what adapts */
    const float far_out[COLS] = {4, 5000};
    uint32_t feature;
    CHECK(sooth_model_trust(model, far_out, &feature) == SOOTH_MODEL_TRUST_OUTSIDE && feature == 1);
    CHECK(sooth_model_trust(model, cases[0].row, &feature) == SOOTH_MODEL_TRUST_INSIDE &&
          feature == UINT32_MAX);
    sooth_model_free(&env, model);
}

static void what_was_never_below_0_is_not_predicted_there(void) {
    sooth_table table = table_of();
    sooth_adapted at;
    const float low[COLS] = {-40, -400};
    y[0] = 0.0f; /* no logarithms then: the plain scale */
    sooth_model *model = calibrated(&table, NULL);
    CHECK(sooth_model_conformal(model, 0)->scale == SOOTH_CONFORMAL_PLAIN);
    CHECK(sooth_model_predict(model, low, NULL) < 0.0f);
    sooth_model_interval(model, low, NULL, &at);
    CHECK(at.value == 0.0f && at.low == 0.0f && at.high == 0.0f && at.trust == SOOTH_MODEL_TRUST_OUTSIDE);
    sooth_model_free(&env, model);
}

static void rows_of_weight_0_do_not_exist(void) {
    sooth_table table = table_of(), less = table;
    uint32_t kept[ROWS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; ++i) {
        if (i % 9 != 4) kept[n++] = (uint32_t)i;
        else weight[i] = 0.0f, y[i] = 1e6f;
    }
    table.weight = weight;
    CHECK_STATUS(sooth_table_take(&env, &table, kept, n, &less), SOOTH_OK);
    sooth_model *model = calibrated(&table, NULL), *other = calibrated(&less, NULL);
    CHECK_NEAR((double)sooth_model_conformal(model, 0)->above, (double)sooth_model_conformal(other, 0)->above,
               1e-6);
    CHECK(sooth_model_conformal(model, 0)->claim.rows == n);
    sooth_model_free(&env, other);
    sooth_model_free(&env, model);
    sooth_table_free(&env, &less);
}

static float late[ROWS];

static sooth_table classes_of(void) {
    sooth_table table = table_of();
    for (uint32_t i = 0; i < ROWS; ++i) late[i] = y[i] + 9.0f * (float)(i * 7 % 5) > 60.0f;
    table.y = late;
    return table;
}

/* Nor do they in the map to a probability, whatever was measured in them. */
static void rows_of_weight_0_have_no_class(void) {
    sooth_table table = classes_of(), less;
    const sooth_train_recipe recipe = {.model = "linear"};
    const sooth_calibrate_options options = {.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID};
    uint32_t kept[ROWS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; ++i) {
        weight[i] = i % 9 != 4;
        if (weight[i] > 0.0f) kept[n++] = (uint32_t)i;
        else late[i] = 1.0f - late[i], x[i * COLS + 1] = 1e4f; /* which puts what is said far above 1 */
    }
    table.weight = weight;
    CHECK_STATUS(sooth_table_take(&env, &table, kept, n, &less), SOOTH_OK);
    sooth_model *model = NULL, *other = NULL;
    CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
    CHECK_STATUS(fit_calibrated(&env, &less, &recipe, &options, &other), SOOTH_OK);
    for (size_t k = 0; model && other && k < n; ++k) {
        const float *row = x + kept[k] * COLS;
        float scratch[2 * COLS];
        CHECK_NEAR(sooth_model_predict(model, row, scratch), sooth_model_predict(other, row, scratch), 1e-5);
    }
    sooth_model_free(&env, other);
    sooth_model_free(&env, model);
    sooth_table_free(&env, &less);
}

/* Categories have no distances: where adaptation need not be, there is none, and the sentence says why. */
static void categories_do_not_adapt(void) {
    static const uint8_t categorical[COLS] = {1, 0};
    sooth_table table = table_of();
    sooth_calibrate_options options = {.adapt = SOOTH_CALIBRATE_ADAPT_ALWAYS};
    sooth_train_recipe recipe = {.model = "linear"};
    sooth_levels *levels = NULL;
    sooth_model_parts parts;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, NULL, NULL, x, &levels), SOOTH_OK);
    table.categorical = categorical;
    recipe.levels = levels;
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_BAD_DATA,
                "but there are categories, which have no distances");
    options.adapt = SOOTH_CALIBRATE_ADAPT_AUTO;
    CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
    CHECK(strstr(env.sentence, "which have no distances") != NULL);
    if (model) {
        sooth_model_open(model, &parts);
        CHECK(!parts.adapt && parts.interval && parts.levels);
        CHECK(parts.interval->claim.groups == PROGRAMS && parts.interval->claim.rows == ROWS);
    }
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

/* A sink into memory, and whether what was written holds the words. */
static char text[ENDS];
static size_t length;
static int collect(void *user, const char *bytes, size_t size) {
    (void)user;
    if (length + size < sizeof text) memcpy(text + length, bytes, size), length += size;
    text[length] = 0;
    return 0;
}
static int described(const sooth_model *model, int json, const char *words) {
    sooth_sink sink = {NULL, collect, 0};
    length = 0;
    CHECK_STATUS(json ? sooth_model_describe_json(&env, model, &sink)
                      : sooth_model_describe(&env, model, &sink),
                 SOOTH_OK);
    if (!strstr(text, words)) printf("%s", text);
    return strstr(text, words) != NULL;
}

/* Whether a model is sound with another word at part + at, every checksum made right again. */
static int sound_with(const sooth_model *model, size_t part, size_t at, uint32_t value) {
    unsigned char *bytes = (unsigned char *)malloc(model->head.size); /* exact, for sanitizers */
    if (!bytes) abort();
    memcpy(bytes, model, model->head.size);
    if (memcmp(bytes + part + at, &value, sizeof value) == 0) {
        free(bytes);
        return part == 0 && at == offsetof(sooth_model_envelope, levels_at); /* asked for as it is */
    }
    sooth_block *outer = (sooth_block *)(void *)bytes, *inner = (sooth_block *)(void *)(bytes + part);
    memcpy(bytes + part + at, &value, sizeof value);
    if (part && inner->size <= model->head.size - part && inner->size % 16 == 0) soothi_block_seal(inner);
    if (outer->size == model->head.size) soothi_block_seal(outer);
    const int sound = sooth_model_check(bytes, model->head.size);
    if (sound) {
        sooth_adapted at_row;
        sooth_model_interval((const sooth_model *)outer, x, NULL, &at_row);
        CHECK(described((const sooth_model *)outer, 1, "{"));
    }
    free(bytes);
    return sound;
}

/* ---- probabilities ---- */

/* Each group left out by hand; what those models say of it, in the order of rows, gives the same map. */
static void the_probability_is_that_of_groups_left_out(void) {
    const sooth_table table = classes_of();
    const sooth_boost_options boost = {.n_estimators = 8, .max_depth = 2, .loss = SOOTH_BOOST_LOGISTIC};
    const sooth_train_recipe recipe = {.model = "boost", .options.boost = boost};
    const sooth_split_options left_out = {.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT};
    static float said[ROWS];
    sooth_split split;
    CHECK_STATUS(sooth_split_make(&env, &table, &left_out, &split), SOOTH_OK);
    for (size_t f = 0; f < split.folds; ++f) {
        sooth_table train, test;
        sooth_boost *model;
        CHECK_STATUS(sooth_split_take(&env, &table, &split.fold[f], &train, &test), SOOTH_OK);
        CHECK_STATUS(sooth_boost_fit(&env, &train, &boost, &model), SOOTH_OK);
        for (size_t i = 0; i < test.rows; ++i)
            said[split.fold[f].test[i]] = sooth_boost_predict(model, test.x + i * COLS);
        sooth_boost_free(&env, model);
        sooth_table_free(&env, &test);
        sooth_table_free(&env, &train);
    }
    sooth_split_free(&env, &split);
    for (uint32_t method = 0; method < SOOTH_PROBABILITY_METHODS; ++method) {
        const sooth_calibrate_options options = {.probability = 1 + method};
        const sooth_probability_options how = {method, SOOTH_PROBABILITY_ODDS};
        sooth_probability *map = NULL;
        sooth_model *model = NULL;
        sooth_model_parts parts;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
        CHECK_STATUS(sooth_probability_fit(&env, late, said, NULL, ROWS, &how, &map), SOOTH_OK);
        sooth_model_open(model, &parts);
        CHECK(map && parts.probability && map->head.size == parts.probability->head.size &&
              memcmp(map, parts.probability, map->head.size) == 0);
        sooth_probability_free(&env, map);
        sooth_model_free(&env, model);
    }
}

/* The line of all rows, and the map of lines that have not seen a group, in one model. */
static sooth_model *saying(const sooth_table *table, uint32_t method) {
    const sooth_calibrate_options options = {.probability = method};
    return calibrated(table, &options);
}

/* A map of what lines say that left a group out, applied to the line of all: CalibratedClassifierCV. */
static void models_say_what_those_of_scikit_learn_say(void) {
    sooth_table table = sooth_table_of(golden_x, golden_y, GOLDEN_ROWS, GOLDEN_COLS);
    table.group = golden_group;
    for (int weighted = 0; weighted < 2; ++weighted) {
        table.weight = weighted ? golden_weight : NULL;
        for (uint32_t isotonic = 0; isotonic < 2; ++isotonic) {
            sooth_model *model = saying(&table, 1 + isotonic);
            float out[GOLDEN_ASKED];
            double off = 0.0;
            CHECK(model->head.kind >> 16 == 3 && sooth_model_scratch_size(model, 1) == 0);
            sooth_model_predict_many(model, golden_asked, GOLDEN_ASKED, GOLDEN_COLS, out, NULL, 1);
            for (size_t i = 0; i < GOLDEN_ASKED; ++i) {
                const double far = fabs((double)out[i] - golden_says[weighted][isotonic][i]);
                CHECK(sooth_model_predict(model, golden_asked + i * GOLDEN_COLS, NULL) == out[i]);
                off = far > off ? far : off;
            }
            if (!(off < (isotonic ? 2e-6 : 2e-4))) printf("  %d %u: %g\n", weighted, isotonic, off);
            CHECK(off < (isotonic ? 2e-6 : 2e-4)); /* of a sigmoid theirs stops where the gradient is small */
            sooth_model_free(&env, model);
        }
    }
}

static void figures_of_probabilities_are_those_of_scikit_learn(void) {
    sooth_metrics_binary m;
    CHECK_STATUS(sooth_metrics_compute_binary(&env, golden_y, golden_p, NULL, GOLDEN_ROWS, &m), SOOTH_OK);
    CHECK_NEAR(m.log_loss, golden_figures[0], 1e-12);
    CHECK_NEAR(m.brier, golden_figures[1], 1e-12);
    CHECK_NEAR(m.auc, golden_figures[2], 1e-12);
    CHECK_NEAR(m.calibration, golden_figures[3], 1e-12);
}

/* The model predicts its map of what the plain model predicts; of a model that predicts probabilities, by
   their log odds. */
static void the_model_predicts_the_map_of_the_plain_model(void) {
    const sooth_table table = classes_of();
    const sooth_boost_options boost = {.n_estimators = 8, .max_depth = 2, .loss = SOOTH_BOOST_LOGISTIC};
    for (uint32_t method = 0; method < 4; ++method) {
        sooth_train_recipe recipe = {.model = method < 2 ? "boost" : "linear"};
        const sooth_calibrate_options how_much = {.probability = 1 + method % 2, .folds = 5};
        sooth_model *model, *plain;
        sooth_model_parts parts;
        sooth_adapted answer;
        if (method < 2) recipe.options.boost = boost;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &how_much, &model), SOOTH_OK);
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &plain), SOOTH_OK);
        CHECK(sooth_model_check(model, model->head.size));
        sooth_model_open(model, &parts);
        CHECK(parts.probability && !parts.interval && !parts.adapt && parts.card);
        const sooth_probability *map = parts.probability;
        CHECK(map->method == method % 2 && (map->scores == SOOTH_PROBABILITY_ODDS) == (method < 2));
        const sooth_cost cost = sooth_model_cost(model), before = sooth_model_cost(plain);
        CHECK(cost.functions - before.functions == sooth_probability_cost(map).functions);
        CHECK(cost.comparisons - before.comparisons == sooth_probability_cost(map).comparisons);
        for (size_t i = 0; i < ROWS; ++i) {
            const float p = sooth_probability_apply(map, sooth_model_predict(plain, x + i * COLS, NULL));
            CHECK(sooth_model_predict(model, x + i * COLS, NULL) == p);
            sooth_model_interval(model, x + i * COLS, NULL, &answer);
            CHECK(isnan(answer.low) && answer.value == p);
        }
        sooth_model *other = (sooth_model *)(void *)lies_copy(&model->head);
        CHECK(sooth_model_swap_bytes(other, other->head.size) == SOOTH_OK &&
              !sooth_model_check(other, other->head.size));
        CHECK(sooth_model_swap_bytes(other, other->head.size) == SOOTH_OK &&
              memcmp(other, model, model->head.size) == 0);
        free(other);
        CHECK(described(model, 0,
                        method % 2   ? "  probability   isotonic: "
                        : method < 2 ? "  probability   sigmoid of the log odds: slope "
                                     : "  probability   sigmoid of the prediction: slope "));
        CHECK(described(model, 1, "\"probability\": \""));
        CHECK(described(model, 0, ", sooth/model.h"));
        sooth_model_free(&env, plain);
        sooth_model_free(&env, model);
    }
}

/* An envelope of version 3 is one of 2 with the map in the place of all else; nothing but that passes. */
static void forged_probabilities_are_refused(void) {
    static const uint32_t odd[] = {1, 16, 48, 64, 80, 4096, 0x7FFFFFF0u, 0xFFFFFFF0u, 0xFFFFFFFFu};
    const sooth_table table = classes_of();
    for (uint32_t method = 1; method < 3; ++method) {
        sooth_model *model = saying(&table, method);
        const sooth_model_envelope *e = (const sooth_model_envelope *)(const void *)model;
        const uint32_t at = e->probability_at;
        const size_t words = offsetof(sooth_model_envelope, interval_at);
        for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
            for (size_t k = words; k < sizeof *e; k += 4) CHECK(!sound_with(model, 0, k, odd[i]));
            CHECK(!sound_with(model, at, offsetof(sooth_block, size), odd[i]));
            CHECK(!sound_with(model, at, offsetof(sooth_block, kind), odd[i]));
            CHECK(!sound_with(model, at, offsetof(sooth_block, features), odd[i]));
            CHECK(odd[i] == 1 || !sound_with(model, at, offsetof(sooth_block, targets), odd[i]));
        }
        for (size_t k = words; k <= offsetof(sooth_model_envelope, adapt_at); k += 4)
            CHECK(!sound_with(model, 0, k, at)); /* the map as another part, or as two */
        CHECK(!sound_with(model, 0, offsetof(sooth_model_envelope, probability_at), 0));
        CHECK(!sound_with(model, 0, offsetof(sooth_block, size), at));
        for (uint32_t version = 0; version < 6; ++version)
            CHECK(version == 3 ||
                  !sound_with(model, 0, offsetof(sooth_block, kind), SOOTH_KIND_MODEL | version << 16));
        sooth_model_free(&env, model);
    }
}

/* It is of one target and stands alone. */
static void probabilities_that_do_not_fit_are_refused(void) {
    sooth_table table = classes_of(), twice = table_of();
    sooth_model *model = saying(&table, SOOTH_CALIBRATE_PROBABILITY_SIGMOID), *other, *made;
    sooth_model_parts parts, of_other;
    sooth_train_recipe recipe = {.model = "linear"};
    sooth_calibrate_options options = {.probability = 1, .adapt = SOOTH_CALIBRATE_ADAPT_ALWAYS};
    twice.y = y;
    other = calibrated(&twice, NULL);
    sooth_model_open(model, &parts);
    sooth_model_open(other, &of_other);
    CHECK(of_other.interval && of_other.adapt);
    parts.adapt = of_other.adapt;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &made), SOOTH_BAD_ARGUMENT, "there is adaptation");
    parts.adapt = NULL;
    parts.interval = of_other.interval;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &made), SOOTH_BAD_ARGUMENT, "there is an interval");
    sooth_model_free(&env, other);
    twice.y = y2;
    twice.targets = 2;
    other = calibrated(&twice, NULL);
    sooth_model_open(other, &of_other);
    of_other.interval = NULL;
    of_other.probability = parts.probability;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &of_other, &made), SOOTH_BAD_ARGUMENT,
                "a probability needs 1 target and neither interval nor adaptation, but there are several");
    sooth_model_free(&env, other);
    sooth_model_free(&env, model);
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_BAD_ARGUMENT,
                "a model with a probability cannot adapt");
    options.adapt = 0;
    CHECK_FAILS(&env, fit_calibrated(&env, &twice, &recipe, &options, &model), SOOTH_BAD_DATA,
                "a probability needs one target, but the table has 2");
    twice.y = y;
    twice.targets = 1;
    CHECK_FAILS(&env, fit_calibrated(&env, &twice, &recipe, &options, &model), SOOTH_BAD_DATA,
                "but it must be 0 or 1");
    options.probability = 3;
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_BAD_ARGUMENT,
                "probability is 3");
    options.probability = 2;
    options.folds = 4;
    CHECK_EVERY_ALLOCATION(&env, fit_calibrated(&env, &table, &recipe, &options, &model),
                           sooth_model_free(&env, model));
    sooth_env_init(&env);
}

/* ---- upper ends ---- */

/* Upper ends are those of a conformal block of the same predictions; what is below has no end. */
static void upper_ends_stand_alone(void) {
    sooth_table table = table_of();
    const sooth_calibrate_options upper = {.tails = SOOTH_CONFORMAL_UPPER, .level = 0.8};
    const sooth_calibrate_options each = {.tails = SOOTH_CONFORMAL_EACH, .level = 0.6};
    sooth_calibrate_options always = upper;
    const sooth_train_recipe recipe = {.model = "linear"};
    sooth_model *both = calibrated(&table, &each), *model = calibrated(&table, &upper);
    sooth_model_parts parts;
    sooth_adapted answer;
    CHECK(strstr(env.sentence, "but there are only upper ends") != NULL); /* why it does not adapt */
    sooth_model_open(model, &parts);
    CHECK(model->head.kind >> 16 == 2 && parts.interval && !parts.adapt);
    CHECK(parts.interval->claim.promise == SOOTH_CONFORMAL_OF_GROUPS && parts.interval->below > FLT_MAX);
    /* 80 % with an end above is 60 % with each of two ends: half of 40 % above */
    CHECK(parts.interval->above == sooth_model_conformal(both, 0)->above);
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_model_interval(model, x + i * COLS, NULL, &answer);
        CHECK(answer.low == 0.0f && answer.high > 0.0f && answer.high < 1e6f);
    }
    CHECK(
        described(model, 0, "  interval      80 % of rows of a new group (12 groups, 72 rows): up to x 1."));
    sooth_model_free(&env, both);
    sooth_model_free(&env, model);
    always.adapt = SOOTH_CALIBRATE_ADAPT_ALWAYS;
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &always, &model), SOOTH_BAD_DATA,
                "adaptation needs groups, one target and both ends, but there are only upper ends");
    table.group = NULL;
    for (size_t i = 0; i < ROWS; ++i) y[i] -= 60.0f;
    model = calibrated(&table, &upper);
    sooth_model_interval(model, x, NULL, &answer);
    CHECK(answer.low < -FLT_MAX && answer.high < 1e6f);
    CHECK(described(model, 0, "  interval      80 % of more rows (72 rows): up to + "));
    sooth_model_free(&env, model);
}

static void no_probability_is_a_sentence(void) {
    sooth_table table = classes_of();
    const sooth_train_recipe recipe = {.model = "linear"};
    sooth_calibrate_options options = {.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID, .folds = 1};
    sooth_model *model;
    uint32_t one[ROWS] = {0};
#define NONE(status, words)                                                                    \
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &options, &model), status, words); \
    CHECK(model == NULL)
    NONE(SOOTH_BAD_ARGUMENT, "folds is 1");
    options.folds = 3;
    options.level = 0.9;
    NONE(SOOTH_BAD_ARGUMENT, "either intervals or a probability, not both");
    options.level = 0;
    table.group = one;
    NONE(SOOTH_BAD_DATA, "a probability of groups needs at least 2 groups");
    table.group = NULL;
    table.rows = 1;
    NONE(SOOTH_BAD_DATA, "a probability needs at least 2 rows");
    table.rows = ROWS;
    table.y = y;
    NONE(SOOTH_BAD_DATA, "but it must be 0 or 1");
    table.y = y2;
    table.targets = 2;
    NONE(SOOTH_BAD_DATA, "a probability needs one target, but the table has 2");
    table.targets = 0;
    NONE(SOOTH_BAD_DATA, "target");
    table = classes_of();
    table.weight = weight;
    sooth_env own;
    sooth_env_init(&own);
    CHECK_EVERY_ALLOCATION(&own, fit_calibrated(&own, &table, &recipe, &options, &model),
                           sooth_model_free(&own, model));
    CHECK_STATUS(fit_calibrated(NULL, &table, &recipe, &options, &model), SOOTH_OK);
    sooth_model_free(NULL, model);
#undef NONE
}

static int nobody(void *user, sooth_reduction what, int64_t *value, size_t count) {
    (void)user, (void)what, (void)value, (void)count;
    return 1;
}

static void mistakes_are_sentences(void) {
    sooth_table table = table_of();
    sooth_train_recipe recipe = {.model = "linear"};
    sooth_calibrate_options options = {.level = 2};
    sooth_model *model;
    uint32_t one[ROWS] = {0}, few[ROWS], offset[ROWS + 1], id[2 * ROWS];
#define FAILS(status, words) \
    CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &options, &model), status, words)
    FAILS(SOOTH_BAD_ARGUMENT, "level is 2");
    options.level = 0;
    env.reduce_fn = nobody;
    env.ranks = 2;
    FAILS(SOOTH_BAD_ARGUMENT, "an interval cannot be fitted to rows in several processes");
    sooth_env_init(&env);
    options.folds = 1;
    FAILS(SOOTH_BAD_ARGUMENT, "folds is 1");
    options.folds = 0;
    recipe.model = "lines";
    FAILS(SOOTH_BAD_ARGUMENT, "there is no model lines");
    recipe.model = "linear";
    table.group = one;
    FAILS(SOOTH_BAD_DATA, "needs at least 2 groups");
    table.group = NULL;
    table.rows = 1;
    FAILS(SOOTH_BAD_DATA, "an interval needs at least 2 rows, but there is 1");
    table.rows = ROWS;
    options.adapt = SOOTH_CALIBRATE_ADAPT_ALWAYS;
    FAILS(SOOTH_BAD_DATA, "there are no groups");
    table.group = program;
    table.y = y2;
    table.targets = 2;
    FAILS(SOOTH_BAD_DATA, "there are several targets");
    table.y = y;
    table.targets = 1;
    for (size_t i = 0; i < ROWS; ++i) few[i] = i % 3 == 0;
    table.group = few;
    FAILS(SOOTH_BAD_DATA, "programs");
    for (uint32_t i = 0; i < ROWS; ++i) {
        offset[i] = 2 * i;
        id[2 * i] = 1; /* in every row */
        id[2 * i + 1] = 2 + i % 5;
    }
    offset[ROWS] = 2 * ROWS;
    sooth_groups bags = {offset, id, ROWS};
    options.groups = &bags;
    FAILS(SOOTH_BAD_DATA, "no training rows are left");
    id[13] = 1;
    FAILS(SOOTH_BAD_DATA, "row 7 is in group 1 twice");
    id[13] = 2;
    offset[3] = 2;
    FAILS(SOOTH_BAD_ARGUMENT, "decrease after row 3");
    memset(offset, 0, sizeof offset);
    FAILS(SOOTH_BAD_DATA, "no row is in any group");
    bags.rows = 3;
    FAILS(SOOTH_BAD_ARGUMENT, "groups are for 3 rows, but the table has 72");
    /* too few programs are no failure where adaptation is not asked for */
    options.groups = NULL;
    options.adapt = SOOTH_CALIBRATE_ADAPT_AUTO;
    model = calibrated(&table, &options);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    CHECK(!parts.adapt && parts.interval->claim.promise == SOOTH_CONFORMAL_NONE &&
          strstr(env.sentence, "programs"));
    sooth_model_free(&env, model);
    table.group = program;
    options.adapt = SOOTH_CALIBRATE_ADAPT_NEVER;
    model = calibrated(&table, &options);
    sooth_model_open(model, &parts);
    CHECK(!parts.adapt && parts.interval);
    sooth_model_free(&env, model);
}

/* The best so far is calibrated like any other. */
static void a_fit_that_stops_early_is_complete(void) {
    const sooth_table table = table_of();
    sooth_svr_options few = {.max_iter = 1};
    sooth_train_recipe recipe = {.model = "svr", .options.svr = few};
    sooth_model *model = NULL;
    CHECK_STATUS(fit_calibrated(&env, &table, &recipe, NULL, &model), SOOTH_NOT_CONVERGED);
    CHECK(model && sooth_model_conformal(model, 0) && *env.sentence);
    /* without an env: the same bytes, and nobody to say it to */
    sooth_model *other = NULL;
    CHECK_STATUS(fit_calibrated(NULL, &table, &recipe, NULL, &other), SOOTH_NOT_CONVERGED);
    CHECK(other && other->head.size == model->head.size && memcmp(other, model, model->head.size) == 0);
    sooth_model_free(NULL, other);
    sooth_model_free(&env, model);
}

/* Cancels when folds have begun, and as much of them is done. */
static int cancel_from(void *user, const char *stage, double done) {
    return strcmp(stage, "calibrating") == 0 && done >= *(const double *)user;
}

static void folds_can_be_cancelled(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = {.model = "linear"};
    for (double from = 0.0; from < 1.0; from += 0.45) {
        sooth_model *model;
        sooth_env own;
        sooth_env_init(&own);
        own.progress_fn = cancel_from;
        own.progress_user = &from;
        CHECK_FAILS(&own, fit_calibrated(&own, &table, &recipe, NULL, &model), SOOTH_CANCELLED,
                    "calibrating was cancelled");
        CHECK(!model);
    }
}

/* How often it was told of, and whether all of it was the calibration, and rose from below to 1 at most. */
typedef struct told {
    double done;
    int times, sound;
} told;

static int hear(void *user, const char *stage, double done) {
    told *t = (told *)user;
    if (strcmp(stage, "calibrating")) return 0; /* the model of all rows, afterwards */
    t->sound = t->sound && done >= t->done && done <= 1.0;
    t->done = done;
    ++t->times;
    return 0;
}

/* A fold is a part of the whole, and a model that tells of its steps tells of them as parts of its fold. */
static void progress_is_of_all_folds(void) {
    const sooth_table table = table_of();
    sooth_train_recipe recipe = {.model = "boost"};
    sooth_model *model, *silent;
    told heard = {0, 0, 1};
    sooth_env own;
    sooth_env_init(&own);
    CHECK_STATUS(fit_calibrated(&own, &table, &recipe, NULL, &silent), SOOTH_OK);
    own.progress_fn = hear;
    own.progress_user = &heard;
    CHECK_STATUS(fit_calibrated(&own, &table, &recipe, NULL, &model), SOOTH_OK);
    CHECK(own.progress_fn == hear && own.progress_user == &heard);
    CHECK(heard.sound && heard.done > 0.9 && heard.times > 50);
    CHECK(model && silent && model->head.size == silent->head.size &&
          !memcmp(model, silent, model->head.size));
    sooth_model_free(&own, model);
    sooth_model_free(&own, silent);
}

static int together; /* how often folds were fitted side by side */

static void backwards(void *user, size_t count, sooth_task *task, void *arg) {
    (void)user;
    ++together;
    while (count) task(arg, --count, 0);
}

static void *own_alloc(void *user, size_t size) {
    ++*(size_t *)user;
    return malloc(size);
}

static void own_free(void *user, void *memory, size_t size) {
    (void)user, (void)size;
    free(memory);
}

/* Folds in any order give the same bytes; one that fails there is asked again what it has to say. Where
   memory is not malloc's they are fitted one after the other. */
static void folds_go_side_by_side(void) {
    sooth_table table = table_of();
    sooth_model *model = calibrated(&table, NULL);
    uint32_t offset[ROWS + 1], id[2 * ROWS];
    const sooth_groups bags = {offset, id, ROWS};
    const sooth_calibrate_options all = {.groups = &bags};
    const sooth_train_recipe recipe = {.model = "linear"};
    size_t asked = 0;
    for (uint32_t i = 0; i <= ROWS; ++i) offset[i] = 2 * i;
    for (uint32_t i = 0; i < ROWS; ++i) {
        id[2 * i] = 1; /* in every row */
        id[2 * i + 1] = 2 + i % 5;
    }
    for (int own = 0; own < 2; ++own) {
        sooth_model *other;
        env.parallel_fn = backwards;
        if (own) {
            env.alloc_user = &asked;
            env.alloc_fn = own_alloc;
            env.free_fn = own_free;
        }
        together = 0;
        other = calibrated(&table, NULL);
        CHECK(other->head.size == model->head.size && memcmp(other, model, model->head.size) == 0);
        sooth_model_free(&env, other);
        if (!own)
            CHECK_FAILS(&env, fit_calibrated(&env, &table, &recipe, &all, &other), SOOTH_BAD_DATA,
                        "no training rows are left");
        CHECK(together == (own ? 0 : 2));
        sooth_env_init(&env);
    }
    CHECK(asked > 0);
    sooth_model_free(&env, model);
}

/* The block is its file: to the other byte order and back. */
static void the_file_holds_all_of_it(void) {
    const sooth_table table = table_of();
    sooth_model *model = calibrated(&table, NULL), *loaded;
    unsigned char *bytes = (unsigned char *)malloc(model->head.size);
    sooth_adapted a, b;
    if (!bytes) abort();
    sooth_model_save(model, bytes);
    CHECK_STATUS(sooth_model_load(&env, bytes, model->head.size, &loaded), SOOTH_OK);
    CHECK(memcmp(loaded, model, model->head.size) == 0);
    sooth_model_interval(model, x, NULL, &a);
    sooth_model_interval(loaded, x, NULL, &b);
    CHECK(a.low == b.low && a.high == b.high);
    memcpy(bytes, model, model->head.size);
    CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK &&
          !sooth_model_check(bytes, model->head.size));
    CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK &&
          memcmp(bytes, model, model->head.size) == 0);
    sooth_model_free(&env, loaded);
    sooth_model_free(&env, model);
    free(bytes);
}

static void what_it_carries_is_described(void) {
    sooth_table table = table_of();
    sooth_model *model = calibrated(&table, NULL);
    CHECK(described(model, 0, "  interval      90 % of rows of a new group (12 groups, 72 rows): / 1.4"));
    CHECK(described(model, 0, "  adapts by     12\n"));
    CHECK(described(model, 1, "{\"promise\": \"groups\", \"level\": 0.9, \"proven\": 0, \"groups\": 12, "));
    sooth_model_free(&env, model);
    table.group = NULL;
    table.y = y2;
    table.targets = 2;
    model = calibrated(&table, NULL);
    CHECK(described(model, 0, "interval      90 % of more rows (72 rows): / 1."));
    CHECK(described(model, 0, "interval      90 % of more rows (72 rows): - "));
    CHECK(described(model, 1, "\"scale\": \"plain\""));
    sooth_model_free(&env, model);
    const sooth_calibrate_options options = {.level = 0.99};
    model = calibrated(&table, &options);
    CHECK(described(model, 0, "interval      unbounded: too few to promise 99 % (72 rows)"));
    CHECK(described(model, 1, "\"below\": null"));
    sooth_model_free(&env, model);
}

static void forged_offsets_are_refused(void) {
    static const uint32_t odd[] = {1, 16, 48, 64, 80, 4096, 0x7FFFFFF0u, 0xFFFFFFF0u, 0xFFFFFFFFu};
    sooth_table table = table_of();
    sooth_model *model = calibrated(&table, NULL);
    const sooth_model_envelope *e = (const sooth_model_envelope *)(const void *)model;
    const size_t parts[2] = {e->interval_at, e->adapt_at};
    CHECK(sound_with(model, 0, offsetof(sooth_model_envelope, levels_at), 0));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
        for (size_t at = offsetof(sooth_model_envelope, interval_at); at < sizeof *e; at += 4)
            CHECK(!sound_with(model, 0, at, odd[i]));
        for (size_t k = 0; k < 2; ++k) {
            CHECK(!sound_with(model, parts[k], offsetof(sooth_block, size), odd[i]));
            CHECK(!sound_with(model, parts[k], offsetof(sooth_block, kind), odd[i]));
            CHECK(!sound_with(model, parts[k], offsetof(sooth_block, features), odd[i] + 3));
            CHECK(odd[i] == 1 || !sound_with(model, parts[k], offsetof(sooth_block, targets), odd[i]));
        }
    }
    /* without a part its bytes are nobody's; a version that the parts do not fit */
    CHECK(!sound_with(model, 0, offsetof(sooth_model_envelope, interval_at), 0));
    CHECK(!sound_with(model, 0, offsetof(sooth_model_envelope, adapt_at), 0));
    for (uint32_t version = 0; version < 5; ++version)
        CHECK(version == 2 ||
              !sound_with(model, 0, offsetof(sooth_block, kind), SOOTH_KIND_MODEL | version << 16));
    sooth_model_free(&env, model);
    /* of two targets, the second interval cut away */
    table.y = y2;
    table.targets = 2;
    model = calibrated(&table, NULL);
    CHECK(!sound_with(model, 0, offsetof(sooth_block, size), model->head.size - 80));
    sooth_model_parts of_two;
    sooth_model_open(model, &of_two);
    const sooth_block *first = &of_two.interval->head;
    CHECK(!sound_with(model, (size_t)((const char *)first - (const char *)model), offsetof(sooth_block, size),
                      2 * first->size));
    sooth_model_free(&env, model);
}

static void parts_that_do_not_fit_are_refused(void) {
    const sooth_table table = table_of();
    sooth_table narrow = table;
    sooth_model *model = calibrated(&table, NULL), *other, *made;
    sooth_model_parts parts, of_other;
    narrow.cols = 1;
    other = calibrated(&narrow, NULL);
    sooth_model_open(model, &parts);
    sooth_model_open(other, &of_other);
    parts.adapt = of_other.adapt;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &made), SOOTH_BAD_ARGUMENT,
                "the adaptation has 1 features and 1 target, but the predictor has 2 and 1");
    sooth_table twice = table;
    twice.y = y2;
    twice.targets = 2;
    sooth_model *of_two = calibrated(&twice, NULL);
    sooth_model_open(model, &parts);
    sooth_model_open(of_two, &of_other);
    of_other.adapt = parts.adapt;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &of_other, &made), SOOTH_BAD_ARGUMENT,
                "the adaptation has 2 features and 1 target, but the predictor has 2 and 2");
    sooth_model_free(&env, of_two);
    parts.adapt = NULL;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &made), SOOTH_OK);
    CHECK(sooth_model_check(made, made->head.size) && sooth_model_conformal(made, 0));
    sooth_model_free(&env, made);
    sooth_model_open(model, &parts);
    parts.interval = NULL; /* adaptation alone */
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &made), SOOTH_OK);
    CHECK(sooth_model_check(made, made->head.size) && !sooth_model_conformal(made, 0));
    CHECK(sooth_model_swap_bytes(made, made->head.size) == SOOTH_OK &&
          sooth_model_swap_bytes(made, made->head.size) == SOOTH_OK);
    CHECK(described(made, 0, "adapts by"));
    sooth_model_free(&env, made);
    sooth_model_open(model, &parts);
    parts.interval = NULL, parts.adapt = NULL; /* as ever: version 1 */
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &made), SOOTH_OK);
    CHECK(made->head.kind >> 16 == 1 && sooth_model_check(made, made->head.size));
    sooth_model_free(&env, made);
    sooth_model_free(&env, other);
    sooth_model_free(&env, model);
}

/* ---- who is left out with whom, by a naive twin ---- */

enum { DEALT = 24, BAG = 3 };

static int rising(const void *a, const void *b) {
    const uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
    return (m > n) - (m < n);
}

/* The fold of each test; returns the number of folds. id: the tests' groups, or NULL. */
static size_t twin_of(const uint32_t *id, size_t tests, size_t most, uint32_t seed, uint32_t *fold) {
    uint32_t order[DEALT * BAG], load[DEALT * BAG] = {0}, k = 0;
    size_t groups = 0, folds;
    sooth_rng rng;
    for (size_t i = 0; i < tests; ++i) order[i] = id ? id[i] : (uint32_t)i;
    if (!id) {
        folds = tests < most ? tests : most;
        sooth_rng_init(&rng, seed, 0);
        sooth_rng_shuffle(&rng, order, tests);
        for (size_t i = 0; i < tests; ++i) fold[order[i]] = (uint32_t)(i % folds);
        return folds;
    }
    qsort(order, tests, sizeof *order, rising);
    for (size_t i = 0; i < tests; ++i) groups += i == 0 || order[i] != order[i - 1];
    folds = groups < most ? groups : most;
    for (size_t i = 0; i < tests; ++i) {
        uint32_t to = 0;
        if (i && order[i] == order[i - 1]) continue;
        for (uint32_t f = 1; f < folds; ++f)
            if (load[f] < load[to]) to = f;
        if (groups <= most) to = k++;
        for (size_t j = 0; j < tests; ++j)
            if (id[j] == order[i]) fold[j] = to, ++load[to];
    }
    return folds;
}

/* Rows of one group, of 0 to 3, of none; fewer or more of them than folds. */
static void tests_are_dealt_as_by_the_naive_twin(void) {
    static const uint32_t most[] = {0, 2, 3, 5, 6, 7, 18, 19, 20, 24, 25}; /* 0: 20 */
    static float features[DEALT], targets[DEALT];
    uint32_t offset[DEALT + 1], id[DEALT * BAG], row[DEALT * BAG], fold[DEALT * BAG], others[DEALT];
    soothi_calibrate_work w;
    for (size_t way = 0; way < 4 * sizeof most / sizeof *most; ++way) {
        const int bags = way % 4 == 1;
        const size_t rows = way % 4 == 3 ? 19 : DEALT;
        const sooth_table table = sooth_table_of(features, targets, rows, 1);
        const uint32_t folds = most[way / 4], numbers = bags ? 7 : way / 4 % 2 ? 23 : 6;
        uint32_t at = 0;
        sooth_rng rng;
        sooth_rng_init(&rng, 3, way);
        memset(&w, 0, sizeof w);
        w.table = &table;
        w.options.folds = folds;
        w.options.seed = 11;
        for (uint32_t i = 0; i < rows; ++i) { /* the groups are 1, 7, 13 and so on, and 2^31 + 1 */
            const uint32_t count = bags ? sooth_rng_below(&rng, BAG + 1) : 1;
            const uint32_t first = sooth_rng_below(&rng, numbers);
            offset[i] = at;
            for (uint32_t k = 0; k < count; ++k, ++at) {
                const uint32_t number = (first + k) % numbers;
                row[at] = i;
                id[at] = number == 5 ? 0x80000001u : 1 + 6 * number;
            }
        }
        offset[rows] = at;
        w.groups.rows = rows;
        w.groups.offset = bags ? offset : NULL;
        w.groups.id = way % 4 < 2 ? id : NULL;
        CHECK_STATUS(soothi_calibrate_plan(&env, &w), SOOTH_OK);
        CHECK(w.tests == at && w.folds == twin_of(w.groups.id, at, folds ? folds : 20, 11, fold));
        for (uint32_t i = 0; i < at; ++i)
            CHECK(w.test[i].row == row[i] && w.test[i].fold == fold[i] &&
                  w.test[i].group == (w.groups.id ? id[i] : 0));
        for (uint32_t f = 0; f < w.folds; ++f) {
            const uint32_t behind[3] = {(uint32_t)rows - 1, 0, f}; /* as if there were one more test */
            size_t n = 0;
            memcpy(w.predicted, behind, sizeof behind);
            const size_t kept = soothi_calibrate_others(&w, f, others);
            for (uint32_t i = 0; i < rows; ++i) {
                int out = 0;
                for (uint32_t k = 0; k < at; ++k) out |= row[k] == i && fold[k] == f;
                if (out) continue;
                CHECK(n < kept && others[n] == i);
                ++n;
            }
            CHECK(n == kept);
        }
        sooth_free(&env, w.spare, w.bytes, 1);
        if (check_failures) return;
    }
    memset(&w, 0, sizeof w); /* more than 2^31 tests, in one row or in both */
    const sooth_table two = sooth_table_of(features, targets, 2, 1);
    w.table = &two;
    w.groups.offset = offset;
    w.groups.id = id;
    id[0] = 1, id[1] = 2;
    for (uint32_t first = 0; first < 3; ++first) {
        offset[0] = 0;
        offset[1] = first;
        offset[2] = 0x80000000u;
        CHECK_FAILS(&env, soothi_calibrate_plan(&env, &w), SOOTH_BAD_ARGUMENT, "decrease after row 2");
    }
}

/* Logarithms exist where all that counts is above 0, measured and predicted, of this target. */
static void logarithms_need_all_above_0(void) {
    soothi_calibrate_test test[4] = {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {3, 0, 0}};
    float t[8] = {0}, p[8], counts[4] = {1, 0.5f, 0.5f, 0.5f};
    sooth_table table = sooth_table_of(x, t, 4, 1);
    soothi_calibrate_work w;
    table.targets = 2;
    table.weight = counts;
    memset(&w, 0, sizeof w);
    w.table = &table;
    w.test = test;
    w.tests = 4;
    w.predicted = p;
    for (size_t i = 0; i < 8; ++i) t[i] = p[i] = 0.25f;
    t[0] = t[1] = -1.0f; /* in no test */
    for (size_t j = 0; j < 2; ++j) CHECK(soothi_calibrate_positive(&w, j));
    for (size_t i = 0; i < 8; ++i)
        for (int zero = 0; zero < 2; ++zero)
            for (size_t j = 0; j < 2; ++j) {
                const size_t of = test[i / 2].row;
                p[i] = zero ? 0.0f : -1.0f;
                CHECK(soothi_calibrate_positive(&w, j) == (j != i % 2));
                counts[of] = 0.0f;
                CHECK(soothi_calibrate_positive(&w, j));
                counts[of] = 0.5f;
                p[i] = 0.25f;
                t[2 * of + i % 2] = zero ? 0.0f : -1.0f;
                CHECK(soothi_calibrate_positive(&w, j) == (j != i % 2));
                table.weight = NULL;
                CHECK(soothi_calibrate_positive(&w, j) == (j != i % 2));
                table.weight = counts;
                t[2 * of + i % 2] = 0.25f;
            }
}

/* ---- shrinking to the law of ratio_to ---- */

/* y = (size + 5) x a noise, and half of that where there are more than 4 threads if `jumps` is 1. */
static sooth_table law_of(int jumps, uint32_t groups) {
    sooth_table table = table_of();
    sooth_rng rng;
    sooth_rng_init(&rng, 17, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        const double noise = exp((jumps ? 0.05 : 0.4) * sooth_rng_normal(&rng));
        y[i] = (float)(((double)x[2 * i + 1] + 5.0) * noise * (jumps && x[2 * i] > 4.0f ? 0.5 : 1.0));
        program[i] = i % groups;
    }
    return table;
}

static sooth_model *shrunk(const sooth_table *table, const char *words, const sooth_groups *groups) {
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_train_recipe_read(&env, words, strlen(words), &recipe), SOOTH_OK);
    memcpy(recipe.ratio_to, "column 2+5", 11);
    recipe.calibrate.groups = groups;
    CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &model), SOOTH_OK);
    if (!model) printf("  %s: %s\n", words, env.sentence), abort();
    return model;
}

static float share_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return parts.ratio->share;
}

/* The two models have the same bytes, or the same predictors; both are freed. */
static int same_models(sooth_model *a, sooth_model *b, int predictors) {
    sooth_model_parts of_a, of_b;
    sooth_model_open(a, &of_a);
    sooth_model_open(b, &of_b);
    const sooth_block *one = predictors ? of_a.predictor : &a->head;
    const sooth_block *two = predictors ? of_b.predictor : &b->head;
    const int same = one->size == two->size && memcmp(one, two, one->size) == 0;
    sooth_model_free(&env, a);
    sooth_model_free(&env, b);
    return same;
}

/* Where the learner has noise only, the law is what minimises the loss of the learner: the mean of
   log(y / form), its median, or its quantile, the (n + 1) q-th. */
static void the_law_has_the_loss_of_the_learner(void) {
    static const struct {
        const char *words;
        double q[2]; /* 0: the mean */
    } all[] = {{"tree", {0, 0}},
               {"boost learning_rate=1", {0, 0}},
               {"boost learning_rate=1 loss=absolute", {0.5, 0}},
               {"boost learning_rate=1 loss=quantile", {0.5, 0}},
               {"boost learning_rate=1 loss=quantile quantile=0.8", {0.8, 0}},
               {"boost learning_rate=1 quantiles=0.8", {0.8, 0}},
               {"boost learning_rate=1 quantiles=0.2,0.8", {0.2, 0.8}}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const sooth_table table = law_of(0, PROGRAMS);
        const float row[COLS] = {3, 400};
        double left[ROWS], mean = 0.0;
        float out[2];
        sooth_model *model = shrunk(&table, all[k].words, NULL);
        for (size_t i = 0; i < ROWS; ++i) {
            left[i] = log((double)y[i] / ((double)x[2 * i + 1] + 5.0));
            mean += left[i] / ROWS;
        }
        qsort(left, ROWS, sizeof *left, by_size);
        CHECK(share_of(model) <= 0.0f);
        sooth_model_predict_many(model, row, 1, COLS, out, NULL, 1);
        for (size_t t = 0; t < model->head.targets; ++t) {
            const double at = all[k].q[t] * (ROWS + 1) - 1.0, part = at - floor(at);
            const size_t low = at > 0.0 ? (size_t)at : 0;
            const double level = all[k].q[t] > 0.0 ? left[low] + part * (left[low + 1] - left[low]) : mean;
            CHECK_CLOSE(out[t], 405.0 * exp(level), 2e-4);
        }
        sooth_model_free(&env, model);
    }
}

/* A list of one quantile is that quantile; groups of the options are groups of the table. */
static void other_words_shrink_alike(void) {
    sooth_table table = law_of(1, PROGRAMS);
    static const char one[] = "boost n_estimators=20 loss=quantile quantile=0.8";
    CHECK(same_models(shrunk(&table, one, NULL), shrunk(&table, "boost n_estimators=20 quantiles=0.8", NULL),
                      1));
    sooth_table alone = table;
    const sooth_groups groups = {.id = program, .rows = ROWS};
    alone.group = NULL;
    for (int jumps = 0; jumps < 2; ++jumps) {
        law_of(jumps, PROGRAMS);
        sooth_model *model = shrunk(&alone, "tree", &groups);
        CHECK((share_of(model) > 0.8f) == jumps);
        CHECK(same_models(model, shrunk(&table, "tree", NULL), 0));
    }
}

/* What a learner wins is believed from five groups on, or from two parts of time. */
static void few_units_decide_nothing(void) {
    static uint32_t when[ROWS];
    sooth_table table;
    for (uint32_t groups = 3; groups < 8; ++groups) {
        table = law_of(1, groups);
        sooth_model *model = shrunk(&table, "tree", NULL);
        CHECK(groups < 5 ? share_of(model) <= 0.0f : share_of(model) > 0.8f);
        sooth_model_free(&env, model);
    }
    for (uint32_t later = 1; later < 5; later += 3) {
        for (uint32_t i = 0; i < ROWS; ++i) when[i] = i < ROWS / 2 ? 0 : 1 + i % later;
        table = law_of(1, PROGRAMS);
        table.group = NULL;
        table.time = when;
        sooth_model *model = shrunk(&table, "tree", NULL);
        CHECK(later == 1 ? share_of(model) <= 0.0f : share_of(model) > 0.8f);
        sooth_model_free(&env, model);
    }
}

/* A single group judges nothing: the learner counts in full, as without groups. An interval needs two. */
static void one_group_shrinks_nothing(void) {
    sooth_table table = law_of(0, 1), alone = table;
    sooth_train_recipe recipe;
    sooth_model *model;
    alone.group = NULL;
    model = shrunk(&table, "tree", NULL);
    CHECK(share_of(model) >= 1.0f);
    CHECK(same_models(model, shrunk(&alone, "tree", NULL), 0));
    CHECK_STATUS(sooth_train_recipe_read(&env, "tree interval=0.9", 17, &recipe), SOOTH_OK);
    memcpy(recipe.ratio_to, "column 2+5", 11);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_DATA,
                "an interval of groups needs at least 2 groups");
    CHECK(model == NULL);
}

/* Rows of weight 0 contradict the others by a factor of 100, and count for nothing. */
static void weights_weigh_what_the_learner_wins(void) {
    for (int weighted = 0; weighted < 2; ++weighted) {
        sooth_table table = law_of(1, PROGRAMS);
        for (uint32_t i = 0; i < ROWS; ++i) {
            weight[i] = (float)(i / PROGRAMS % 2);
            if (weighted && weight[i] <= 0.0f)
                y[i] = (x[2 * i + 1] + 5.0f) * (x[2 * i] > 4.0f ? 100.0f : 0.01f);
        }
        table.weight = weight;
        sooth_model *model = shrunk(&table, "tree", NULL);
        CHECK(share_of(model) > 0.8f);
        sooth_model_free(&env, model);
    }
}

/* 5 folds to shrink alone, where 4 and 6 decide otherwise; 20 for an interval; of ten rows in time the later
   five are a fold each. */
static void folds_have_their_number(void) {
    static uint32_t when[ROWS];
    static const char *const words[] = {"tree max_depth=2 folds=4", "tree max_depth=2 folds=6"};
    sooth_table table = law_of(0, 24);
    size_t other[2] = {0, 0};
    for (int k = 1; k <= 12; ++k) {
        table = law_of(0, 24);
        for (uint32_t i = 0; i < ROWS; ++i) y[i] *= x[2 * i] > 4.0f ? 1.0f + 0.1f * (float)k : 1.0f;
        CHECK(same_models(shrunk(&table, "tree max_depth=2", NULL),
                          shrunk(&table, "tree max_depth=2 folds=5", NULL), 0));
        for (int j = 0; j < 2; ++j)
            other[j] += !same_models(shrunk(&table, words[j], NULL),
                                     shrunk(&table, "tree max_depth=2 folds=5", NULL), 0);
    }
    CHECK(other[0] > 0 && other[1] > 0);
    table = law_of(0, 24);
    CHECK(same_models(shrunk(&table, "tree interval=0.8", NULL),
                      shrunk(&table, "tree interval=0.8 folds=20", NULL), 0));
    CHECK(!same_models(shrunk(&table, "tree interval=0.8", NULL),
                       shrunk(&table, "tree interval=0.8 folds=5", NULL), 0));
    for (uint32_t i = 0; i < ROWS; ++i) when[i] = i;
    table.group = NULL;
    table.time = when;
    table.rows = 10;
    const sooth_calibrate_options few = {.level = 0.5}, five = {.level = 0.5, .folds = 5};
    CHECK(same_models(calibrated(&table, &few), calibrated(&table, &five), 0));
}

/* Best weighs its members by groups itself. */
static void best_is_not_shrunk(void) {
    const sooth_table table = law_of(0, PROGRAMS);
    sooth_model *model = shrunk(&table, "best effort=low", NULL);
    CHECK(share_of(model) >= 1.0f);
    sooth_model_free(&env, model);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(tests_are_dealt_as_by_the_naive_twin);
    CHECK_RUN(logarithms_need_all_above_0);
    CHECK_RUN(the_interval_is_that_of_groups_left_out);
    CHECK_RUN(a_row_of_two_programs_is_asked_without_each);
    CHECK_RUN(many_groups_are_dealt_to_folds);
    CHECK_RUN(an_interval_of_few_keys_is_told);
    CHECK_RUN(without_groups_the_promise_is_of_rows);
    CHECK_RUN(later_rows_calibrate_where_there_is_time);
    CHECK_RUN(few_rows_are_left_out_one_by_one);
    CHECK_RUN(every_target_has_an_interval_of_its_own);
    CHECK_RUN(measured_launches_move_the_prediction);
    CHECK_RUN(negative_targets_stay_negative);
    CHECK_RUN(a_model_without_parts_says_so);
    CHECK_RUN(trust_names_the_feature_that_is_farthest_out);
    CHECK_RUN(what_was_never_below_0_is_not_predicted_there);
    CHECK_RUN(rows_of_weight_0_do_not_exist);
    CHECK_RUN(rows_of_weight_0_have_no_class);
    CHECK_RUN(categories_do_not_adapt);
    CHECK_RUN(the_probability_is_that_of_groups_left_out);
    CHECK_RUN(models_say_what_those_of_scikit_learn_say);
    CHECK_RUN(figures_of_probabilities_are_those_of_scikit_learn);
    CHECK_RUN(the_model_predicts_the_map_of_the_plain_model);
    CHECK_RUN(forged_probabilities_are_refused);
    CHECK_RUN(probabilities_that_do_not_fit_are_refused);
    CHECK_RUN(upper_ends_stand_alone);
    CHECK_RUN(no_probability_is_a_sentence);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(a_fit_that_stops_early_is_complete);
    CHECK_RUN(folds_can_be_cancelled);
    CHECK_RUN(progress_is_of_all_folds);
    CHECK_RUN(folds_go_side_by_side);
    CHECK_RUN(the_file_holds_all_of_it);
    CHECK_RUN(what_it_carries_is_described);
    CHECK_RUN(forged_offsets_are_refused);
    CHECK_RUN(parts_that_do_not_fit_are_refused);
    CHECK_RUN(the_law_has_the_loss_of_the_learner);
    CHECK_RUN(other_words_shrink_alike);
    CHECK_RUN(few_units_decide_nothing);
    CHECK_RUN(one_group_shrinks_nothing);
    CHECK_RUN(weights_weigh_what_the_learner_wins);
    CHECK_RUN(folds_have_their_number);
    CHECK_RUN(best_is_not_shrunk);
    return check_end("calibrate");
}
