/* test_ratio.c - a target as a multiple of a sum of columns: the sum, what is learned beside it, its file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"
#include "lies.h"

#include <math.h>

enum { ROWS = 400, COLS = 3, MANY = 2100 };
static const char *const names[COLS] = {"tokens", "length", "a+b"};
static float x[ROWS * COLS], y[ROWS];
static uint32_t when[ROWS], program[ROWS];
static sooth_env env;

/* ms = (tokens + 2.5 length + 500) / 100, times a noise of `sigma`, and twice that where a + b > 0.5 if
   `jumps` is 1. */
static sooth_table table_of(double sigma, int jumps) {
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        float *row = x + COLS * i;
        row[0] = (float)sooth_rng_below(&rng, 10000);
        row[1] = (float)(1 + sooth_rng_below(&rng, 999));
        row[2] = sooth_rng_float(&rng);
        const double law = ((double)row[0] + 2.5 * (double)row[1] + 500.0) / 100.0;
        y[i] = (float)(law * exp(sigma * sooth_rng_normal(&rng)) * (jumps && row[2] > 0.5f ? 2.0 : 1.0));
        when[i] = i;
        program[i] = i % 20;
    }
    sooth_env_init(&env);
    sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    table.names = names;
    return table;
}

static sooth_model *fitted(const sooth_table *table, const char *words) {
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_train_recipe_read(&env, words, strlen(words), &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &model), SOOTH_OK);
    return model;
}

static sooth_model_parts parts_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return parts;
}

/* ---- the form ---- */

static void a_form_is_the_sum_that_its_text_says(void) {
    static const struct {
        const char *text;
        float constant, coefficient[COLS];
    } form[] = {{"tokens+2.5*length+500", 500, {1, 2.5f, 0}},
                {"500 + 2.5 * length + tokens", 500, {1, 2.5f, 0}},
                {"tokens", 0, {1, 0, 0}},
                {"a+b+tokens", 0, {1, 0, 1}},
                {"3*a+b+1e3", 1000, {0, 0, 3}},
                {"tokens+tokens+1+2", 3, {2, 0, 0}},
                {"a+b +length", 0, {0, 1, 1}},
                {"  0.125*tokens", 0, {0.125f, 0, 0}}};
    const float row[COLS] = {123.25f, 7.5f, 0.1f};
    sooth_table table = table_of(0.1, 0);
    for (size_t i = 0; i < ROWS; ++i) x[COLS * i] += 1.0f; /* no form is 0 */
    for (size_t k = 0; k < sizeof form / sizeof *form; ++k) {
        sooth_ratio *ratio;
        float sum = form[k].constant;
        uint32_t terms = 0;
        CHECK_STATUS(sooth_ratio_fit(&env, &table, form[k].text, &ratio), SOOTH_OK);
        for (uint32_t j = 0; j < COLS; ++j) {
            const float c = form[k].coefficient[j];
            if (!(c > 0)) continue;
            sum += c * row[j];
            CHECK(sooth_ratio_terms(ratio)[terms].column == j);
            CHECK(sooth_ratio_terms(ratio)[terms++].coefficient == c);
        }
        CHECK(ratio->terms == terms && ratio->constant == form[k].constant && ratio->share == 1.0f);
        CHECK(sooth_ratio_form(ratio, row) == sum);
        CHECK(sooth_ratio_check(ratio, ratio->head.size));
        CHECK(sooth_ratio_cost(ratio).multiply_adds == terms + 1);
        sooth_ratio_free(&env, ratio);
    }
    table.names = NULL;
    sooth_ratio *ratio;
    CHECK_STATUS(sooth_ratio_fit(&env, &table, "2*column 2", &ratio), SOOTH_OK);
    CHECK(ratio->terms == 1 && sooth_ratio_terms(ratio)->column == 1);
    sooth_ratio_free(&env, ratio);
}

/* Of the names that fit, the longest is meant, wherever its column is. */
static void the_longest_name_is_meant(void) {
    static const char *const orders[2][COLS] = {{"a+b", "a", "b"}, {"a", "b", "a+b"}};
    sooth_table table = table_of(0.1, 0);
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] += 1.0f;
    for (uint32_t k = 0; k < 2; ++k) {
        sooth_ratio *ratio;
        table.names = orders[k];
        CHECK_STATUS(sooth_ratio_fit(&env, &table, "a+b", &ratio), SOOTH_OK);
        CHECK(ratio->terms == 1 && sooth_ratio_terms(ratio)->column == 2 * k);
        sooth_ratio_free(&env, ratio);
        CHECK_STATUS(sooth_ratio_fit(&env, &table, "b+a", &ratio), SOOTH_OK);
        CHECK(ratio->terms == 2 && sooth_ratio_terms(ratio)[0].column == 1 - k &&
              sooth_ratio_terms(ratio)[1].column == 2 - k);
        sooth_ratio_free(&env, ratio);
    }
}

static void other_texts_and_rows_are_refused(void) {
    static const struct {
        const char *text, *says;
    } wrong[] = {{"tokens+lenght", "has \"lenght\", which is no column"},
                 {"lenght+tokens", "has \"lenght\", which is no column"},
                 {"lenght tokens", "has \"lenght\", which is no column"},
                 {"2*lenght", "has \"lenght\", which is no column"},
                 {"lenght_of_a_prompt_that_is_longer_than_the_sentence_has_room_for",
                  "has \"lenght_of_a_prompt_that_is_longer_than_the_sent\", which is no column"},
                 {"1e39*tokens", "the coefficient 1e39"},
                 {"-1*tokens", "the coefficient -1"},
                 {"0*tokens", "the coefficient 0"},
                 {"tokens-length", "has \"tokens-length\""},
                 {"tokens*2", "has \"tokens*2\""},
                 {"2tokens", "has \"2tokens\""},
                 {"tokens+", "an empty term"},
                 {"", "an empty term"},
                 {"500", "must have a column"},
                 {"learn:2*tokens", "must name columns only"},
                 {"learn:tokens+5", "must name columns only"}};
    static const uint8_t categorical[COLS] = {0, 1, 0};
    sooth_table table = table_of(0.1, 0);
    sooth_ratio *ratio;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, wrong[k].text, &ratio), SOOTH_BAD_ARGUMENT,
                    wrong[k].says);
        CHECK(ratio == NULL);
    }
    table.categorical = categorical;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+length", &ratio), SOOTH_BAD_ARGUMENT,
                "length, whose values are categories");
    table.categorical = NULL;
    x[COLS * 7] = 0.0f;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens", &ratio), SOOTH_BAD_DATA, "row 8");
    x[COLS * 7] = -700.0f;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+500", &ratio), SOOTH_BAD_DATA, "row 8");
    x[COLS * 7] = NAN;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+500", &ratio), SOOTH_BAD_DATA,
                "row 8 has no number in tokens");
    x[COLS * 7] = 3.0f;
    y[4] = 0.0f;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+500", &ratio), SOOTH_BAD_DATA,
                "row 5 has the target 0");
    y[4] = INFINITY;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+500", &ratio), SOOTH_BAD_DATA,
                "row 5 has the target inf");
    y[4] = 1.0f;
    x[COLS * 7] = INFINITY;
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "tokens+500", &ratio), SOOTH_BAD_DATA,
                "row 8 has no number in tokens");
}

/* A target that falls with the only column is no multiple of it. */
static void a_law_without_a_column_is_refused(void) {
    sooth_table table = table_of(0.1, 0);
    sooth_ratio *ratio;
    for (size_t i = 0; i < ROWS; ++i) y[i] = 1000.0f / (1.0f + x[COLS * i]);
    CHECK_FAILS(&env, sooth_ratio_fit(&env, &table, "learn:tokens", &ratio), SOOTH_BAD_DATA,
                "learned no coefficient above 0");
    CHECK(ratio == NULL);
}

static void failing_memory_leaves_nothing(void) {
    static const char *const form[] = {"tokens+500", "learn:tokens+length"};
    sooth_table table = table_of(0.1, 0);
    sooth_ratio *ratio;
    for (int k = 0; k < 2; ++k)
        CHECK_EVERY_ALLOCATION(&env, sooth_ratio_fit(&env, &table, form[k], &ratio),
                               sooth_ratio_free(&env, ratio));
}

/* Of the least squares of the relative error: the gradient is 0 at coefficients above 0, and not below 0 at
   those that are 0 (Karush, Kuhn, Tucker). */
static void learned_coefficients_are_the_least_squares(void) {
    for (int k = 0; k < 2; ++k) {
        sooth_table table = table_of(0.2, 0);
        sooth_ratio *ratio;
        double c[3] = {0, 0, 0}, gradient[3] = {0, 0, 0}, size[3] = {0, 0, 0};
        for (size_t i = 0; k && i < ROWS; ++i) y[i] /= 1.0f + x[COLS * i + 1] / 30.0f; /* falls with length */
        CHECK_STATUS(sooth_ratio_fit(&env, &table, "learn:tokens+length", &ratio), SOOTH_OK);
        c[2] = (double)ratio->constant;
        for (uint32_t t = 0; t < ratio->terms; ++t)
            c[sooth_ratio_terms(ratio)[t].column] = (double)sooth_ratio_terms(ratio)[t].coefficient;
        CHECK(c[0] > 0.0 && (k ? c[1] <= 0.0 : c[1] > 0.0));
        if (k == 0) CHECK_NEAR(c[0], 0.01, 0.001);
        if (k == 0) CHECK_NEAR(c[1], 0.025, 0.005);
        for (size_t i = 0; i < ROWS; ++i) {
            const double row[3] = {(double)x[COLS * i], (double)x[COLS * i + 1], 1.0}, of = (double)y[i];
            const double lost = 1.0 - (c[0] * row[0] + c[1] * row[1] + c[2]) / of;
            for (int j = 0; j < 3; ++j)
                gradient[j] -= lost * row[j] / of, size[j] += fabs(lost) * row[j] / of;
        }
        for (int j = 0; j < 3; ++j)
            CHECK(c[j] > 0.0 ? fabs(gradient[j]) < 1e-4 * size[j] : gradient[j] > 0.0);
        sooth_ratio_free(&env, ratio);
    }
}

/* ---- a model ---- */

/* The model that is fitted to log(y / form), by hand. */
static void a_model_is_the_form_times_the_exponential_of_what_is_left(void) {
    static float left[ROWS], rows[MANY * COLS], many[MANY], chosen[2], choice[2] = {900, 30000};
    static const uint32_t column[1] = {0};
    const sooth_table table = table_of(0.3, 1);
    const char words[] = "boost n_estimators=20 ratio_to=tokens+2.5*length+500";
    sooth_boost_options options;
    sooth_boost *boost;
    sooth_model *model = fitted(&table, words);
    sooth_table of_left = table;
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    memset(&options, 0, sizeof options);
    options.n_estimators = 20;
    for (size_t i = 0; i < ROWS; ++i)
        left[i] = sooth_log(y[i] / (500.0f + 1.0f * x[COLS * i] + 2.5f * x[COLS * i + 1]));
    of_left.y = left;
    CHECK_STATUS(sooth_boost_fit(&env, &of_left, &options, &boost), SOOTH_OK);
    CHECK(model->head.kind >> 16 == 4 && sooth_model_scratch_size(model, 1) == 0);
    for (size_t i = 0; i < MANY * COLS; ++i) rows[i] = 20000.0f * sooth_rng_float(&rng);
    CHECK_STATUS(sooth_model_predict_table(&env, model, rows, MANY, COLS, many), SOOTH_OK); /* by a scorer */
    for (size_t i = 0; i < MANY; ++i) {
        const float *row = rows + COLS * i, form = 500.0f + 1.0f * row[0] + 2.5f * row[1];
        const float by_hand = sooth_exp(sooth_boost_predict(boost, row)) * form;
        float one;
        CHECK(sooth_model_predict(model, row, NULL) == by_hand && many[i] == by_hand);
        sooth_model_predict_many(model, row, 1, COLS, &one, NULL, 1);
        CHECK(one == by_hand);
    }
    void *scratch = malloc(sooth_model_choices_scratch_size(model, 2));
    sooth_model_predict_choices(model, rows, column, 1, choice, 2, chosen, scratch, 2);
    for (int k = 0; k < 2; ++k) {
        rows[0] = choice[k];
        CHECK(chosen[k] == sooth_model_predict(model, rows, NULL));
    }
    free(scratch);
    CHECK(sooth_model_cost(model).multiply_adds >= 3);
    sooth_boost_free(&env, boost);
    sooth_model_free(&env, model);
}

static void a_form_without_an_answer_is_not_a_number(void) {
    static const float none[][COLS] = {{-600, 1, 0}, {-502.5f, 1, 0}, {NAN, 1, 0}, {INFINITY, 1, 0}};
    const float largest[COLS] = {3.3e38f, 1, 0}, lacking[COLS] = {1000, 1, NAN};
    const sooth_table table = table_of(0.3, 1);
    sooth_model *model = fitted(&table, "tree ratio_to=tokens+2.5*length+500");
    for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
        CHECK(isnan(sooth_model_predict(model, none[k], NULL)));
    CHECK(sooth_model_predict(model, largest, NULL) <= FLT_MAX);
    CHECK(sooth_model_predict(model, lacking, NULL) > 0.0f); /* trees take what is missing */
    sooth_model_free(&env, model);
    for (size_t i = 0; i < ROWS; ++i) y[i] *= 1e5f; /* the product is beyond the range of floats */
    model = fitted(&table, "tree ratio_to=tokens+2.5*length+500");
    CHECK(sooth_model_predict(model, largest, NULL) == FLT_MAX);
    sooth_model_free(&env, model);
}

/* Wherever the queue is twice as long as any that was learned. */
static void a_law_holds_beyond_the_longest_queue(void) {
    const sooth_table table = table_of(0.02, 0);
    sooth_model *plain = fitted(&table, "boost n_estimators=200");
    sooth_model *given = fitted(&table, "boost n_estimators=200 ratio_to=tokens+2.5*length+500");
    sooth_model *learned = fitted(&table, "boost n_estimators=200 ratio_to=learn:tokens+length");
    for (int i = 0; i < 100; ++i) {
        const float row[COLS] = {20000.0f + (float)i, 300.0f, 0.01f * (float)i};
        const float law = (row[0] + 2.5f * row[1] + 500.0f) / 100.0f;
        CHECK(sooth_model_predict(plain, row, NULL) < 0.6f * law);
        CHECK_CLOSE(sooth_model_predict(given, row, NULL), law, 0.05);
        CHECK_CLOSE(sooth_model_predict(learned, row, NULL), law, 0.05);
    }
    sooth_model_free(&env, plain);
    sooth_model_free(&env, given);
    sooth_model_free(&env, learned);
}

/* A refit learns targets over the form: ten times the targets are ten times the predictions. */
static void a_refit_keeps_the_form(void) {
    static const char words[] =
        "boost n_estimators=30 subsample=1 quantiles=0.1,0.9 ratio_to=tokens+2.5*length+500";
    static float ten[ROWS];
    sooth_table table = table_of(0.3, 0);
    sooth_train_recipe recipe;
    sooth_model *model = fitted(&table, words), *again = NULL;
    float out[2], more[2];
    CHECK_STATUS(sooth_train_recipe_read(&env, words, sizeof words - 1, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_refit(&env, model, &table, &recipe, 0.0, &again), SOOTH_OK);
    CHECK(again && parts_of(again).ratio &&
          memcmp(parts_of(again).predictor, parts_of(model).predictor, parts_of(model).predictor->size) == 0);
    sooth_model_free(&env, again);
    for (size_t i = 0; i < ROWS; ++i) ten[i] = 10.0f * table.y[i];
    table.y = ten;
    CHECK_STATUS(sooth_train_refit(&env, model, &table, &recipe, 0.0, &again), SOOTH_OK);
    for (size_t i = 0; again && i < ROWS; ++i) {
        sooth_model_predict_many(model, x + COLS * i, 1, COLS, out, NULL, 1);
        sooth_model_predict_many(again, x + COLS * i, 1, COLS, more, NULL, 1);
        CHECK_CLOSE(more[0], 10.0f * out[0], 1e-4);
        CHECK_CLOSE(more[1], 10.0f * out[1], 1e-4);
    }
    sooth_model_free(&env, again);
    sooth_model_free(&env, model);
}

static void quantiles_and_intervals_multiply(void) {
    const sooth_table table = table_of(0.3, 0);
    const float row[2][COLS] = {{1000, 100, 0.5f}, {30000, 100, 0.5f}};
    sooth_model *model =
        fitted(&table, "boost n_estimators=30 quantiles=0.1,0.5,0.9 ratio_to=tokens+2.5*length+500");
    float out[3];
    size_t below[3] = {0, 0, 0};
    CHECK(model->head.targets == 3);
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_model_predict_many(model, x + COLS * i, 1, COLS, out, NULL, 1);
        CHECK(out[0] <= out[1] && out[1] <= out[2]);
        for (int k = 0; k < 3; ++k) below[k] += y[i] <= out[k];
    }
    CHECK(below[0] < ROWS / 4 && below[2] > 3 * ROWS / 4);
    sooth_model_free(&env, model);
    model = fitted(&table, "boost n_estimators=30 interval=0.9 ratio_to=tokens+2.5*length+500");
    sooth_adapted a[2];
    for (int k = 0; k < 2; ++k) sooth_model_interval(model, row[k], NULL, &a[k]);
    CHECK_CLOSE(a[0].high / a[0].value, a[1].high / a[1].value, 1e-5);
    CHECK_CLOSE(a[0].low / a[0].value, a[1].low / a[1].value, 1e-5);
    CHECK(a[1].low < 313.5f && a[1].high > 313.5f);
    CHECK(a[0].trust == SOOTH_MODEL_TRUST_INSIDE && a[1].trust == SOOTH_MODEL_TRUST_OUTSIDE);
    sooth_model_free(&env, model);
}

static void several_targets_and_other_parts_share_a_form(void) {
    static float both[2 * ROWS];
    sooth_table table = table_of(0.1, 1);
    const float row[COLS] = {20000, 100, 0.75f};
    float out[2], scratch[COLS];
    for (size_t i = 0; i < ROWS; ++i) both[2 * i] = y[i], both[2 * i + 1] = 3.0f * y[i];
    table.y = both;
    table.targets = 2;
    sooth_model *model =
        fitted(&table, "forest n_estimators=20 transform=log,clip ratio_to=tokens+2.5*length+500");
    sooth_model_predict_many(model, row, 1, COLS, out, scratch, 1); /* the form has the numbers themselves */
    CHECK_CLOSE(out[0], 2.0f * 207.5f, 0.2);
    CHECK_CLOSE(out[1], 6.0f * 207.5f, 0.2);
    sooth_model_free(&env, model);
    table.y = y;
    table.targets = 1;
    model = fitted(&table, "best effort=low ratio_to=tokens+2.5*length+500");
    CHECK(!parts_of(model).target && parts_of(model).ratio);
    scratch[0] = 0;
    CHECK_CLOSE(sooth_model_predict(model, row, scratch), 2.0f * 207.5f, 0.2);
    sooth_model_free(&env, model);
}

static void fits_that_exclude_a_ratio_say_so(void) {
    sooth_table table = table_of(0.1, 0);
    sooth_train_recipe recipe;
    sooth_model *model;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "linear";
    memcpy(recipe.ratio_to, "tokens+500", 11);
    recipe.has_target = 1;
    recipe.target.transform = SOOTH_SCALE_STANDARD;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "ratio_to learns the logarithm");
    recipe.target.transform = SOOTH_SCALE_LOG;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_free(&env, model);
    recipe.calibrated = 1;
    recipe.calibrate.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "excludes a probability");
    recipe.calibrated = 0;
    recipe.has_target = 0;
    sooth_source source;
    memset(&source, 0, sizeof source);
    source.cols = COLS;
    source.targets = 1;
    CHECK_FAILS(&env, sooth_train_fit_source(&env, &source, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "rows in blocks do not support ratio_to");
    const double zero[COLS + 1] = {1000, 0, 0, 0}, other[COLS + 1] = {0, 1000, 0, 0};
    sooth_origin *origin;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK_FAILS(&env, sooth_origin_make(&env, model, zero, &origin), SOOTH_BAD_ARGUMENT, "term of ratio_to");
    CHECK_STATUS(sooth_origin_make(&env, model, other, &origin), SOOTH_OK);
    sooth_origin_free(&env, origin);
    sooth_model_free(&env, model);
}

/* ---- shrinking to the law ---- */

/* The level of the law alone: the mean of log(y / form). */
static double level_of(void) {
    double sum = 0.0;
    for (size_t i = 0; i < ROWS; ++i)
        sum += log((double)y[i] / (500.0 + (double)x[COLS * i] + 2.5 * (double)x[COLS * i + 1])) / ROWS;
    return sum;
}

static void a_law_that_the_learner_does_not_beat_answers_alone(void) {
    for (int k = 0; k < 4; ++k) { /* noise: in time, by groups; a jump that trees learn: the same */
        sooth_table table = table_of(0.3, k >= 2);
        if (k % 2) table.group = program;
        else table.time = when;
        sooth_model *model = fitted(&table, k >= 2 ? "boost n_estimators=50 ratio_to=tokens+2.5*length+500"
                                                   : "tree ratio_to=tokens+2.5*length+500");
        const sooth_model_parts parts = parts_of(model);
        const float row[COLS] = {30000, 100, 0.75f};
        CHECK(k >= 2 ? parts.ratio->share > 0.8f : parts.ratio->share <= 0.0f);
        if (k < 2) CHECK_CLOSE(sooth_model_predict(model, row, NULL), exp(level_of()) * 30750.0, 1e-4);
        if (k < 2) CHECK(parts.predictor->size < 2000); /* no tree of all rows is left */
        CHECK(sooth_model_check(model, model->head.size));
        sooth_model_free(&env, model);
    }
}

/* One group, one row: nothing can be held out, and the learner counts in full. */
static void what_judges_nothing_leaves_the_learner(void) {
    static const uint32_t one[ROWS] = {0};
    for (int k = 0; k < 2; ++k) {
        sooth_table table = table_of(0.3, 0);
        if (k) table.rows = 1, table.time = when;
        else table.group = one;
        sooth_model *model = fitted(&table, "tree ratio_to=tokens+500");
        CHECK(parts_of(model).ratio->share >= 1.0f);
        sooth_model_free(&env, model);
    }
}

/* In logarithms: share x learner + (1 - share) x law, on the rows of training and beyond. */
static void a_shrunk_model_lies_between_the_law_and_the_learner(void) {
    size_t between = 0;
    for (int k = 1; k <= 12; ++k) {
        sooth_table table = table_of(0.3, 0);
        for (size_t i = 0; i < ROWS; ++i) y[i] *= x[COLS * i + 2] > 0.5f ? 1.0f + 0.04f * (float)k : 1.0f;
        sooth_model *whole = fitted(&table, "boost n_estimators=50 ratio_to=tokens+2.5*length+500");
        table.time = when;
        sooth_model *model = fitted(&table, "boost n_estimators=50 ratio_to=tokens+2.5*length+500");
        const double share = (double)parts_of(model).ratio->share, level = level_of();
        size_t off = 0;
        between += share > 0.0 && share < 1.0;
        for (size_t i = 0; i < ROWS; ++i) {
            const float *row = x + COLS * i;
            const double form = 500.0 + (double)row[0] + 2.5 * (double)row[1];
            const double learner = log((double)sooth_model_predict(whole, row, NULL) / form);
            const double mixed = form * exp(share * learner + (1.0 - share) * level);
            off += !(fabs((double)sooth_model_predict(model, row, NULL) - mixed) < 2e-5 * mixed);
        }
        CHECK(off == 0);
        sooth_model_free(&env, whole);
        sooth_model_free(&env, model);
    }
    CHECK(between > 0);
}

/* ---- the file ---- */

/* A block by itself: each of its words at a value that no fit writes. */
static void blocks_are_judged(void) {
    const sooth_table table = table_of(0.1, 0);
    const uint32_t nan = 0x7FC00000u, infinite = 0x7F800000u, less = 0xBF000000u, more = 0x3F800001u;
    const size_t first = sizeof(sooth_ratio), second = first + sizeof(sooth_ratio_term);
    const lies_word lies[] = {{offsetof(sooth_ratio, head.targets), 0},
                              {offsetof(sooth_ratio, head.targets), 2},
                              {offsetof(sooth_ratio, head.features), 2}, /* the form has column 2 */
                              {offsetof(sooth_ratio, head.doubles_at), sizeof(sooth_ratio)},
                              {offsetof(sooth_ratio, terms), 0},
                              {offsetof(sooth_ratio, terms), 3}, /* the block ends before */
                              {offsetof(sooth_ratio, terms), 4},
                              {offsetof(sooth_ratio, constant), nan},
                              {offsetof(sooth_ratio, constant), infinite},
                              {offsetof(sooth_ratio, constant), less},
                              {offsetof(sooth_ratio, share), nan},
                              {offsetof(sooth_ratio, share), less},
                              {offsetof(sooth_ratio, share), more},
                              {offsetof(sooth_ratio, reserved), 1},
                              {first, 2}, /* columns ascend */
                              {second, 0},
                              {second, 3},
                              {second + 4, 0},
                              {second + 4, nan},
                              {second + 4, infinite},
                              {second + 4, less}};
    sooth_ratio *ratio;
    CHECK_STATUS(sooth_ratio_fit(&env, &table, "tokens+a+b+500", &ratio), SOOTH_OK);
    CHECK(ratio->terms == 2 && ratio->head.size == second + sizeof(sooth_ratio_term));
    lies_about_size_are_refused(sooth_ratio_check, &ratio->head);
    lies_are_refused(sooth_ratio_check, &ratio->head, lies, sizeof lies / sizeof *lies);
    sooth_ratio_free(&env, ratio);
}

/* The same after a check, a load, a change of the byte order and back. */
static void a_file_with_a_ratio_is_read_and_damage_refused(void) {
    const sooth_table table = table_of(0.3, 1);
    sooth_model *model = fitted(&table, "tree max_depth=3 interval=0.9 ratio_to=tokens+2.5*length+500"),
                *back;
    const size_t size = model->head.size;
    unsigned char *bytes = (unsigned char *)malloc(size);
    sooth_model_save(model, bytes);
    CHECK_STATUS(sooth_model_load(&env, bytes, size, &back), SOOTH_OK);
    CHECK(memcmp(back, model, size) == 0);
    CHECK_STATUS(sooth_model_swap_bytes(back, size), SOOTH_OK);
    CHECK(!sooth_model_check(back, size));
    CHECK_STATUS(sooth_model_swap_bytes(back, size), SOOTH_OK);
    CHECK(memcmp(back, model, size) == 0);
    sooth_model_ratio_envelope *e = (sooth_model_ratio_envelope *)(void *)back;
    sooth_ratio *ratio = (sooth_ratio *)(void *)((unsigned char *)back + e->ratio_at);
    sooth_ratio_term *term = (sooth_ratio_term *)(void *)(ratio + 1);
    CHECK(e->ratio_at + ratio->head.size == size && ratio->terms == 2);
    for (int k = 0; k < 16; ++k) {
        memcpy(back, model, size);
        if (k == 0) e->ratio_at = 0;
        if (k == 1) e->reserved[2] = 1;
        if (k == 2) e->second.probability_at = e->ratio_at;
        if (k == 3) ratio->terms = 0;
        if (k == 4) ratio->terms = 4;
        if (k == 5) term[1].column = 3;
        if (k == 6) term[1].column = 0;
        if (k == 7) term[0].coefficient = 0.0f;
        if (k == 8) term[0].coefficient = -1.0f;
        if (k == 9) term[0].coefficient = NAN;
        if (k == 10) ratio->constant = -1.0f;
        if (k == 11) ratio->constant = INFINITY;
        if (k == 12) ratio->share = 1.5f;
        if (k == 13) ratio->head.features = 2;
        if (k == 14) ratio->reserved = 1;
        if (k == 15) back->head.kind = SOOTH_KIND_MODEL | 3u << 16; /* a reader of format 3 refuses it, too */
        soothi_block_seal(&ratio->head);
        soothi_block_seal(&back->head);
        CHECK(!sooth_model_check(back, size));
    }
    free(bytes);
    sooth_model_free(&env, back);
    sooth_model_free(&env, model);
}

/* Counts what a sink gets, and keeps it. */
static char text[1 << 16];
static size_t length;
static int keep(void *user, const char *from, size_t size) {
    (void)user;
    if (length + size >= sizeof text) return 1;
    memcpy(text + length, from, size);
    length += size;
    text[length] = 0;
    return 0;
}

static void a_description_has_the_sum_and_the_share(void) {
    sooth_table table = table_of(0.3, 0);
    sooth_sink sink;
    memset(&sink, 0, sizeof sink);
    sink.write_fn = keep;
    table.time = when;
    sooth_model *model = fitted(&table, "tree ratio_to=tokens+2.5*length+500");
    length = 0;
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(text, "ratio to      tokens + 2.5 length + 500\n") != NULL);
    CHECK(strstr(text, "the law answers alone") != NULL);
    length = 0;
    CHECK_STATUS(sooth_model_describe_json(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(text, "\"tokens + 2.5 length + 500\"") != NULL);
    sooth_model_free(&env, model);
}

int main(void) {
    CHECK_RUN(a_form_is_the_sum_that_its_text_says);
    CHECK_RUN(the_longest_name_is_meant);
    CHECK_RUN(other_texts_and_rows_are_refused);
    CHECK_RUN(a_law_without_a_column_is_refused);
    CHECK_RUN(failing_memory_leaves_nothing);
    CHECK_RUN(learned_coefficients_are_the_least_squares);
    CHECK_RUN(a_model_is_the_form_times_the_exponential_of_what_is_left);
    CHECK_RUN(a_form_without_an_answer_is_not_a_number);
    CHECK_RUN(a_law_holds_beyond_the_longest_queue);
    CHECK_RUN(a_refit_keeps_the_form);
    CHECK_RUN(quantiles_and_intervals_multiply);
    CHECK_RUN(several_targets_and_other_parts_share_a_form);
    CHECK_RUN(fits_that_exclude_a_ratio_say_so);
    CHECK_RUN(a_law_that_the_learner_does_not_beat_answers_alone);
    CHECK_RUN(what_judges_nothing_leaves_the_learner);
    CHECK_RUN(a_shrunk_model_lies_between_the_law_and_the_learner);
    CHECK_RUN(blocks_are_judged);
    CHECK_RUN(a_file_with_a_ratio_is_read_and_damage_refused);
    CHECK_RUN(a_description_has_the_sum_and_the_share);
    return check_end("ratio");
}
