/* test_export_words.c - what exported files say in words: columns, ranges, names, and bounds of integers.
 * tests/export/test_export.c and tests/export/export.sh compare what they compute.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "sooth/export/c.h"
#include "sooth/export/xgboost.h"
#include "check.h"
#include "recipes.h"

enum { ROWS = 30, COLS = 3 };
static sooth_env env;
static char text[1 << 20];
static float x[ROWS * COLS], y[ROWS * 17];
static sooth_table table;

static int append(void *user, const char *piece, size_t size) {
    size_t *used = (size_t *)user;
    if (*used + size >= sizeof text) return 1;
    memcpy(text + *used, piece, size);
    text[ *used += size] = 0;
    return 0;
}

/* Exports as C (or for XGBoost), and tells whether the file has these words. */
static int says(const sooth_model *model, int as_c, const char *words) {
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    text[0] = 0;
    if (as_c) CHECK_STATUS(sooth_export_c(&env, model, NULL, &sink), SOOTH_OK);
    else CHECK_STATUS(sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_OK);
    return strstr(text, words) != NULL;
}

static void fill(void) {
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = (float)((i * (7 + 4 * j)) % 20) + 1;
        for (size_t t = 0; t < 17; ++t) y[i * 17 + t] = x[i * COLS] * (float)(t + 1);
    }
    table = sooth_table_of(x, y, ROWS, COLS);
    table.targets = 1;
}

static sooth_model *fitted(const char *name, const void *options, uint32_t target, uint32_t no_card) {
    sooth_scale_options scale;
    sooth_train_recipe recipe;
    sooth_model *model;
    memset(&recipe, 0, sizeof recipe);
    memset(&scale, 0, sizeof scale);
    scale.transform = target;
    recipe.model = name;
    recipe_options(&recipe, options);
    recipe.no_card = no_card;
    if (target) recipe.target = scale, recipe.has_target = 1;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

/* Names stand in comments as they are, but for what could end one, or mislead who reads it. */
static void names_in_comments(void) {
    static const char *const names[][2] = {
        {"a//b", "a/_b"},
        {"a/*b*/", "a/_b*_"},
        {"a\x7Fz", "a_z"},
        {"a\\b?", "a_b_"},
        {"d\xC3\xA9\xC2\xB5", "d\xC3\xA9\xC2\xB5"},
        {"a\xC2\x85z", "a_z"},
        {"\xE2\x82\xAC\xE3\x80\x80", "\xE2\x82\xAC\xE3\x80\x80"},
        {"a\xE2\x80\xAEz", "a_z"},
        {"a\xE2\x81\xA6z", "a_z"},
        {"a\xEF\xBB\xBFz", "a_z"},
        {"a\xEF\xBB\xBEz\xEF\xBC\x81", "a\xEF\xBB\xBEz\xEF\xBC\x81"},
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const char *const name[COLS] = {names[k][0], "b", "c"};
        char words[80];
        sooth_model *model;
        table.names = name;
        model = fitted("tree", NULL, 0, 0);
        snprintf(words, sizeof words, " *   [0] %s, 1 to 20 in training\n", names[k][1]);
        CHECK(says(model, 1, words));
        if (check_failures) printf("  %s\n", names[k][1]);
        sooth_model_free(&env, model);
    }
    fill();
}

static void ranges_that_are_none(void) {
    sooth_model *model;
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS + 1] = NAN; /* never seen, and as wide as floats are */
        x[i * COLS + 2] = i % 2 ? 3e38f : -3e38f;
    }
    model = fitted("tree", NULL, 0, 0);
    CHECK(says(model, 1, " *   [1] feature 2\n") && strstr(text, "[2] feature 3, -3e38 to 3e38 in training"));
    CHECK(strstr(text, "model_selftest(void)"));
    sooth_model_free(&env, model);
    fill();
}

static void many_targets_and_columns(void) {
    enum { wide = 1100 };
    static float row[2 * wide];
    const float two[2] = {1, 2};
    sooth_model *model;
    table.targets = 17;
    model = fitted("tree", NULL, 0, 0);
    CHECK(says(model, 1, "target 16, 16 to 320 in training; and 1 more\n") &&
          strstr(text, "#define MODEL_TARGETS 17"));
    sooth_model_free(&env, model);
    for (size_t i = 0; i < 2 * wide; ++i) row[i] = (float)(i % 5) + (float)(i / wide);
    table = sooth_table_of(row, two, 2, wide);
    model = fitted("tree", NULL, 0, 1);
    CHECK(says(model, 1, "#define MODEL_FEATURES 1100"));
    sooth_model_free(&env, model);
    fill();
}

static void models_without_a_card(void) {
    sooth_boost_options one;
    sooth_forest_options lone;
    sooth_model *model = fitted("linear", NULL, 0, 1);
    CHECK(says(model, 1, "/* target 1\n") && !strstr(text, "The row:"));
    sooth_model_free(&env, model);
    memset(&one, 0, sizeof one);
    memset(&lone, 0, sizeof lone);
    one.n_estimators = lone.n_estimators = 1;
    model = fitted("boost", &one, 0, 1);
    CHECK(says(model, 1, " *\n * A regression tree, written by"));
    sooth_model_free(&env, model);
    model = fitted("forest", &lone, 0, 1);
    CHECK(says(model, 1, " *\n * A regression tree, written by"));
    sooth_model_free(&env, model);
}

/* The number behind these words in the file. */
static float number_after(const char *words) {
    const char *at = strstr(text, words);
    CHECK(at != NULL);
    return at ? strtof(at + strlen(words), NULL) : NAN;
}

/* The numbers of the file give the interval of sooth_model_interval, on both scales, where it is endless, and
   where the target was never below 0. */
static void intervals_as_numbers(void) {
    static const struct {
        float add; /* to a target between 1 and 20 */
        double level;
        uint32_t targets;
    } cases[] = {{0, 0.9, 1}, {0, 0.99, 1}, {-1, 0.9, 1}, {-9, 0.9, 1}, {-9, 0.99, 1}, {0, 0.9, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const int endless = cases[k].level > 0.95;
        sooth_calibrate_options options;
        sooth_train_recipe recipe;
        sooth_model *model;
        sooth_adapted at;
        fill();
        table.targets = cases[k].targets;
        for (size_t i = 0; i < ROWS * table.targets; ++i)
            y[i] = x[i / table.targets * COLS] * (1 + 0.1f * (float)(i % 3)) + cases[k].add;
        memset(&recipe, 0, sizeof recipe);
        memset(&options, 0, sizeof options);
        recipe.model = "linear";
        options.level = cases[k].level;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
        CHECK(says(model, 1, "void model_interval(const float *row, float *low, float *high) {"));
        CHECK(!strstr(text, "high[1] =") == (table.targets == 1));
        CHECK(!strstr(text, "never below 0 in training") == (cases[k].add < -1));
        sooth_model_interval(model, x + 9 * COLS, NULL, &at);
        if (sooth_model_conformal(model, 0)->scale == SOOTH_CONFORMAL_LOG) {
            CHECK(cases[k].add >= 0);
            if (endless) CHECK(strstr(text, "    low[0] = 0.0f;") && at.low == 0);
            else {
                CHECK(at.value * number_after(" low[0] = out[0] > 0.0f ? out[0] * ") == at.low);
                CHECK(at.value * number_after(" high[0] = out[0] > 0.0f ? out[0] * ") == at.high);
            }
        } else {
            CHECK(cases[k].add < 0);
            if (endless) CHECK(strstr(text, "    low[0] = -MODEL_INFINITY;") && isinf(at.low));
            else {
                CHECK(at.value - number_after(" low[0] = out[0] - ") == at.low);
                CHECK(at.value + number_after(" high[0] = out[0] + ") == at.high);
            }
        }
        CHECK(!strstr(text, "    high[0] = MODEL_INFINITY;") == !endless && !isinf(at.high) == !endless);
        sooth_model_free(&env, model);
    }
    fill();
}

/* Nobody knows that it was never below 0 in training where no card says so. */
static void intervals_without_a_card(void) {
    for (uint32_t no_card = 0; no_card < 2; ++no_card) {
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        memset(&recipe, 0, sizeof recipe);
        recipe.model = "linear";
        recipe.no_card = no_card;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, NULL, &model), SOOTH_OK);
        CHECK(says(model, 1, "if (high[0] < 0.0f) high[0] = 0.0f;") == !no_card);
        CHECK(strstr(text, "void model_interval(const float *row, float *low, float *high) {"));
        sooth_model_free(&env, model);
    }
}

/* Without the range of every feature no error can be bounded. */
static void ranges_that_integers_need(void) {
    sooth_mlp_options o;
    sooth_model *model, *small;
    memset(&o, 0, sizeof o);
    o.hidden_1 = 2;
    o.epochs = 1;
    for (int card = 0; card < 2; ++card) {
        model = fitted("mlp", &o, 0, !card);
        if (card) {
            sooth_model_parts parts;
            sooth_model_open(model, &parts);
            ((float *)(void *)(uintptr_t)sooth_model_card_range(parts.card))[2] = NAN;
        }
        CHECK_FAILS(&env, sooth_export_quantise(&env, model, 8, NULL, &small), SOOTH_BAD_ARGUMENT,
                    card ? "no training range of a feature" : "no training range of its features");
        sooth_model_free(&env, model);
    }
}

static void files_for_xgboost_have_names(void) {
    static const char *const some[COLS] = {"clock", "", "load"}, *const given[COLS] = {"a\"b", NULL, ""};
    sooth_export_xgboost_options options;
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    sooth_boost_options few;
    sooth_model *model;
    memset(&few, 0, sizeof few);
    few.n_estimators = 2;
    table.names = some;
    model = fitted("boost", &few, 0, 0);
    CHECK(says(model, 0,
               "\"feature_names\":[\"clock\",\"f1\",\"load\"],"
               "\"feature_types\":[\"float\",\"float\",\"float\"]"));
    memset(&options, 0, sizeof options);
    options.names = given;
    CHECK_STATUS(sooth_export_xgboost(&env, model, &options, &sink), SOOTH_OK);
    CHECK(strstr(text, "\"feature_names\":[\"a\\\"b\",\"f1\",\"f2\"]"));
    sooth_model_free(&env, model);
    model = fitted("boost", &few, 0, 1);
    CHECK(says(model, 0, "\"feature_names\":[],\"feature_types\":[]"));
    sooth_model_free(&env, model);
    model = fitted("boost", &few, SOOTH_SCALE_LOG, 0);
    CHECK_FAILS(&env, sooth_export_xgboost(&env, model, NULL, &sink), SOOTH_BAD_ARGUMENT,
                "the model transforms its targets");
    sooth_model_free(&env, model);
    fill();
}

static void names_of_functions(void) {
    static const char *const good[] = {"a", "Z9", "a_b"}, *const bad[] = {"a{", "a[", "a`", "[",
                                                                          "{",  "a/", "a:"};
    sooth_model *model = fitted("tree", NULL, 0, 0);
    sooth_export_c_options options;
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    memset(&options, 0, sizeof options);
    for (size_t k = 0; k < 7; ++k) {
        options.name = bad[k];
        CHECK_FAILS(&env, sooth_export_c(&env, model, &options, &sink), SOOTH_BAD_ARGUMENT,
                    "must be a letter");
    }
    for (size_t k = 0; k < 3; ++k) {
        char words[40];
        options.name = good[k];
        used = 0;
        CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
        snprintf(words, sizeof words, "float %s_predict(const float *row)", good[k]);
        CHECK(strstr(text, words));
    }
    sooth_model_free(&env, model);
}

/* No row of the training ranges is off by more than promised, whatever becomes of the target behind. */
static void small_networks_keep_their_promise(void) {
    static const uint32_t target[] = {SOOTH_SCALE_NONE, SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG1P};
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 0);
    for (size_t k = 0; k < 3; ++k) {
        sooth_mlp_options o;
        sooth_model *model, *small;
        float bound, scratch[8];
        memset(&o, 0, sizeof o);
        o.hidden_1 = 4;
        o.epochs = 3;
        model = fitted("mlp", &o, target[k], 0);
        CHECK_STATUS(sooth_export_quantise(&env, model, 8, NULL, &small), SOOTH_OK);
        sooth_model_free(&env, small);
        CHECK_STATUS(sooth_export_quantise(&env, model, 8, &bound, &small), SOOTH_OK);
        CHECK(bound > 0 && isfinite(bound));
        for (size_t i = 0; i < 200; ++i) {
            float row[COLS], exact, rounded;
            for (size_t j = 0; j < COLS; ++j) row[j] = 1 + 15 * sooth_rng_float(&rng);
            exact = sooth_model_predict(model, row, scratch);
            rounded = sooth_model_predict(small, row, scratch);
            CHECK(fabsf(rounded - exact) <= bound * (k == 2 ? 1 + fabsf(exact) : 1));
        }
        sooth_model_free(&env, small);
        sooth_model_free(&env, model);
    }
}

/* What plain sums are off by stays within what is said, and is not said far too large. */
static void plain_sums_keep_their_promise(void) {
    static const char *const kinds[] = {"forest", "boost"};
    double worst = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        double said[2] = {-1, -1};
        size_t used = 0;
        sooth_sink sink = {&used, append, 0};
        sooth_export_c_options options;
        struct {
            sooth_model_parts parts;
            soothi_export_trees of;
        } trees;
        float scratch[2 * COLS], exact[2];
        table.targets = k < 2 ? 1 : 2;
        const sooth_boost_options hundred = {.n_estimators = 100};
        sooth_model *model = fitted(kinds[k % 2], k % 2 ? &hundred : NULL, 0, 0);
        memset(&options, 0, sizeof options);
        options.sum = SOOTH_EXPORT_PLAIN;
        options.sum_error = said;
        text[0] = 0;
        CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
        CHECK(strstr(text, "Sums are plain: ") && !strstr(text, "_add(") && !strstr(text, "_divide("));
        sooth_model_open(model, &trees.parts);
        soothi_export_open(trees.parts.predictor, &trees.of);
        soothi_export_make_plain(&trees.of);
        for (size_t i = 0; i < ROWS; ++i) {
            sooth_model_predict_many(model, x + i * COLS, 1, COLS, exact, scratch, 1);
            for (uint32_t t = 0; t < table.targets; ++t) {
                const float plain = soothi_export_plain(&trees.of, trees.parts.predictor, t, x + i * COLS);
                CHECK(fabs((double)plain - (double)exact[t]) <= said[t]);
                worst = fmax(worst, fabs((double)plain - (double)exact[t]));
                CHECK(said[t] > 0 && said[t] < 1e-4 * 40 * (t + 1));
            }
        }
        sooth_model_free(&env, model);
    }
    CHECK(worst > 0);
    fill();
}

/* Plain sums that are sorted are off by at most the largest error of those before, whichever place they take:
   each says the same, and keeps it. Rows of a self-test are sorted, too. */
static void sorted_plain_sums_keep_their_promise(void) {
    const sooth_boost_options o = {.n_estimators = 100, .learning_rate = 1.0, .quantiles = {0.3, 0.5, 0.6}};
    double said[3] = {-1, -2, -3};
    size_t used = 0;
    uint32_t crossed = 0;
    sooth_sink sink = {&used, append, 0};
    sooth_table test = sooth_table_of(x, NULL, ROWS, COLS);
    const sooth_export_c_options options = {.sum = SOOTH_EXPORT_PLAIN, .sum_error = said, .test = &test};
    sooth_model *model = fitted("boost", &o, 0, 0);
    sooth_model_parts parts;
    soothi_export_trees trees;
    float scratch[COLS], exact[3], plain[3];
    text[0] = 0;
    CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
    CHECK(strstr(text, "Sums are plain: ") && said[0] > 0);
    CHECK(said[1] >= said[0] && said[1] <= said[0] && said[2] >= said[0] && said[2] <= said[0]);
    sooth_model_open(model, &parts);
    soothi_export_open(parts.predictor, &trees);
    soothi_export_make_plain(&trees);
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_model_predict_many(model, x + i * COLS, 1, COLS, exact, scratch, 1);
        for (uint32_t t = 0; t < 3; ++t)
            plain[t] = soothi_export_plain(&trees, parts.predictor, t, x + i * COLS);
        const float least = fminf(plain[0], fminf(plain[1], plain[2])),
                    most = fmaxf(plain[0], fmaxf(plain[1], plain[2]));
        crossed += plain[0] > plain[1] || plain[1] > plain[2];
        CHECK(fabs((double)least - (double)exact[0]) <= said[0]);
        CHECK(fabs((double)most - (double)exact[2]) <= said[2]);
    }
    CHECK(crossed > 0);
    sooth_model_free(&env, model);
}

/* What is no sum of trees has no plain sum; the model's own is off by nothing. */
static void plain_sums_are_of_trees(void) {
    double said = -1;
    size_t used = 0;
    sooth_sink sink = {&used, append, 0};
    sooth_export_c_options options;
    sooth_model *model = fitted("linear", NULL, 0, 0);
    memset(&options, 0, sizeof options);
    options.sum_error = &said;
    CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
    CHECK(said >= 0 && said <= 0);
    options.sum = SOOTH_EXPORT_PLAIN;
    CHECK_FAILS(&env, sooth_export_c(&env, model, &options, &sink), SOOTH_BAD_ARGUMENT,
                "the model is not a sum of trees");
    options.sum = 2;
    CHECK_FAILS(&env, sooth_export_c(&env, model, &options, &sink), SOOTH_BAD_ARGUMENT,
                "sum is 2, but must be 0 (exact) or 1 (plain)");
    sooth_model_free(&env, model);
}

/* Behind a plain sum stands what stands behind the model's own: the rows of the self-test expect nearly what
   the model predicts, after a transform of the target or a map to a probability. */
static void plain_sums_have_the_rest_behind(void) {
    static float rows[ROWS * COLS];
    sooth_table test = sooth_table_of(rows, NULL, ROWS, COLS);
    sooth_export_c_options options;
    sooth_boost_options logistic;
    memset(&options, 0, sizeof options);
    memset(&logistic, 0, sizeof logistic);
    logistic.n_estimators = 9;
    logistic.loss = SOOTH_BOOST_LOGISTIC;
    options.sum = SOOTH_EXPORT_PLAIN;
    options.test = &test;
    memcpy(rows, x, sizeof rows);
    for (int map = 0; map < 2; ++map) {
        size_t used = 0;
        sooth_sink sink = {&used, append, 0};
        float scratch[2 * COLS];
        sooth_model *model = NULL;
        if (map) {
            const sooth_calibrate_options how = {.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID};
            sooth_train_recipe recipe;
            memset(&recipe, 0, sizeof recipe);
            recipe.model = "boost";
            recipe.options.boost = logistic;
            for (size_t i = 0; i < ROWS; ++i) y[i] = (x[i * COLS] + 3 * (float)(i % 4)) > 14;
            CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &how, &model), SOOTH_OK);
        } else model = fitted("boost", NULL, SOOTH_SCALE_LOG, 0);
        CHECK_STATUS(sooth_export_c(&env, model, &options, &sink), SOOTH_OK);
        const char *at = strstr(text, "expected[][MODEL_TARGETS] = {");
        CHECK(at != NULL);
        for (size_t i = 0; i < ROWS && at; ++i) {
            const float value = sooth_model_predict(model, x + i * COLS, scratch);
            at = strchr(at + (i == 0 ? 29 : 1), '{');
            CHECK(at != NULL);
            if (at) CHECK_NEAR(strtod(at + 1, NULL) / (double)value, 1, 1e-5);
        }
        sooth_model_free(&env, model);
    }
    fill();
}

/* ---- categories ---- */

/* The table's first column as text, forty levels of names as long as n characters, of which row i has level
   i % 40, or none at all; y follows it, but for a rest that does not. */
static sooth_model *levelled(const char *kind, const void *options, size_t n, int known) {
    static char name[40][40];
    static const uint8_t categorical[COLS] = {1, 0, 0};
    static float many[120 * COLS], target[120];
    const char *names[40];
    const char *const *const texts[COLS] = {names, NULL, NULL};
    const sooth_table rows = sooth_table_of(many, target, 120, COLS);
    sooth_train_recipe recipe;
    sooth_levels *levels = NULL;
    sooth_model *model = NULL;
    for (size_t i = 0; i < 40; ++i) {
        memset(name[i], 'a', n);
        snprintf(name[i] + n - 2, sizeof name[i] - n, "%02u", (unsigned)i);
        names[i] = name[i];
    }
    for (size_t i = 0; i < 120; ++i) {
        many[i * COLS] = known ? (float)(i % 40) : NAN;
        many[i * COLS + 1] = (float)(i % 7);
        many[i * COLS + 2] = (float)(i % 11);
        target[i] = (float)(i % 40) - 20 + 0.25f * (float)(i % 7);
    }
    CHECK_STATUS(sooth_levels_fit(&env, &rows, categorical, texts, NULL, many, &levels), SOOTH_OK);
    memset(&recipe, 0, sizeof recipe);
    recipe.model = kind;
    recipe_options(&recipe, options);
    recipe.levels = levels;
    CHECK_STATUS(sooth_train_fit(&env, &rows, &recipe, &model), SOOTH_OK);
    sooth_levels_free(&env, levels);
    return model;
}

/* Many names take several lines, each name once and in the order of its code; export.sh compiles odd ones. */
static void names_of_levels(void) {
    sooth_model *model = levelled("linear", NULL, 30, 1);
    const char last[] = "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa39\"}";
    CHECK(says(model, 1,
               "\n    /* 0 */ \"aaaaaaaaaaaaaaaaaaaaaaaaaaaa00\", \"aaaaaaaaaaaaaaaaaaaaaaaaaaaa01\","));
    const char *at = strstr(text, last), *end = strstr(text, "\n#include");
    CHECK(at && end && at < end && at[33] == '\n' && !strstr(at + 1, last));
    for (const char *line = text; (line = strstr(line, "\n    /* ")) != NULL; ++line)
        CHECK(strcspn(line + 1, "\n") <= 110);
    sooth_model_free(&env, model);
}

/* A column that was never known has no levels: whatever stands there, all that is known is the mean of y. */
static void columns_without_levels(void) {
    sooth_model *model = levelled("linear", NULL, 4, 0);
    CHECK(says(model, 1, "z[0] = model_level(row[0], 0, 0);") && !strstr(text, "model_statistic"));
    CHECK(strstr(text, "    return (float)first;\n}"));
    const char *at = strstr(text, "code < (float)count)) return ");
    CHECK(at != NULL);
    double mean = 0;
    for (size_t i = 0; i < 120; ++i) mean += ((double)(i % 40) - 20 + 0.25 * (double)(i % 7)) / 120;
    if (at) CHECK_NEAR(strtod(strstr(at, "return ") + 7, NULL), mean, 1e-5);
    sooth_model_free(&env, model);
}

/* Integers are made for what stands for the levels, and for what is not known, too. */
static void small_networks_know_levels(void) {
    sooth_mlp_options o;
    float bound = 0, scratch[16], most = 0;
    memset(&o, 0, sizeof o);
    o.hidden_1 = 4;
    o.epochs = 20;
    sooth_model *model = levelled("mlp", &o, 4, 1), *small = NULL;
    CHECK_STATUS(sooth_export_quantise(&env, model, 8, &bound, &small), SOOTH_OK);
    for (size_t level = 0; small && level < 42; ++level)
        for (size_t i = 0; i < 77; ++i) {
            const float row[COLS] = {level == 41 ? NAN : (float)level, (float)(i % 7), (float)(i % 11)};
            const float exact = sooth_model_predict(model, row, scratch);
            most = fmaxf(most, fabsf(sooth_model_predict(small, row, scratch) - exact));
        }
    CHECK(most > 0 && most <= bound);
    sooth_model_free(&env, small);
    sooth_model_free(&env, model);
}

/* A transform that only divides. */
static void widths_alone(void) {
    static const uint32_t transforms[COLS] = {SOOTH_SCALE_MINMAX, SOOTH_SCALE_MINMAX, SOOTH_SCALE_NONE};
    sooth_scale_options scale;
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    memset(&recipe, 0, sizeof recipe);
    memset(&scale, 0, sizeof scale);
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS] = (float)(i % 9);              /* 0 to 8 */
        x[i * COLS + 1] = 0.125f * (float)(i % 5); /* 0 to 0.5 */
    }
    scale.transforms = transforms;
    recipe.model = "linear";
    recipe.input = scale, recipe.has_input = 1;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(says(model, 1, "    z[0] = (row[0] - 0.0f) / 8.0f;\n    z[1] = (row[1] - 0.0f) / 0.5f;\n"));
    CHECK(strstr(text, "    z[2] = row[2];\n"));
    sooth_model_free(&env, model);
    fill();
}

/* Rows whose prediction is infinity less infinity are no test; all others are. */
static void rows_without_a_prediction(void) {
    sooth_model *model = fitted("linear", NULL, 0, 0);
    sooth_model_parts parts;
    float scratch[2 * COLS];
    size_t kept = 0;
    CHECK(says(model, 1, "for (i = 0; i < 8; ++i)"));
    sooth_model_open(model, &parts);
    const sooth_linear *linear = (const sooth_linear *)(const void *)parts.predictor;
    const float *mean = soothi_linear_mean(linear);
    float *slope = (float *)(uintptr_t)soothi_linear_slope(linear);
    slope[0] = 3e38f;
    slope[1] = -3e38f;
    slope[2] = 0.0f;
    CHECK(isnan(sooth_model_predict(model, (const float[]){mean[0] + 9, mean[1] + 9, 1}, scratch)));
    says(model, 1, "model_selftest");
    const char *at = strstr(text, "row[][MODEL_FEATURES] = {"), *end = strstr(text, "};\n    static");
    for (; at && end && (at = strchr(at + 1, '\n')) != NULL && at < end;) {
        float row[COLS];
        if (sscanf(at, " { %ff, %ff, %ff}", &row[0], &row[1], &row[2]) != COLS) continue;
        CHECK(!isnan(sooth_model_predict(model, row, scratch)));
        ++kept;
    }
    CHECK(kept > 0 && kept < 8 && strtoul(strstr(text, "(i = 0; i < ") + 12, NULL, 10) == kept);
    sooth_model_free(&env, model);
}

int main(void) {
    sooth_env_init(&env);
    fill();
    CHECK_RUN(names_in_comments);
    CHECK_RUN(ranges_that_are_none);
    CHECK_RUN(many_targets_and_columns);
    CHECK_RUN(models_without_a_card);
    CHECK_RUN(intervals_as_numbers);
    CHECK_RUN(intervals_without_a_card);
    CHECK_RUN(ranges_that_integers_need);
    CHECK_RUN(files_for_xgboost_have_names);
    CHECK_RUN(names_of_functions);
    CHECK_RUN(plain_sums_keep_their_promise);
    CHECK_RUN(sorted_plain_sums_keep_their_promise);
    CHECK_RUN(plain_sums_are_of_trees);
    CHECK_RUN(plain_sums_have_the_rest_behind);
    CHECK_RUN(small_networks_keep_their_promise);
    CHECK_RUN(names_of_levels);
    CHECK_RUN(columns_without_levels);
    CHECK_RUN(small_networks_know_levels);
    CHECK_RUN(widths_alone);
    CHECK_RUN(rows_without_a_prediction);
    return check_end("export_words");
}
