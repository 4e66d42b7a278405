/* test_describe.c - every kind of model described, for people and as JSON.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "sooth/mlp.h"
#include "check.h"
#include "recipes.h"

static sooth_env env;
static char text[1 << 17];

static int append(void *user, const char *piece, size_t size) {
    size_t *used = (size_t *)user;
    if (*used + size >= sizeof text) return 1;
    memcpy(text + *used, piece, size);
    text[ *used += size] = 0;
    return 0;
}

static const char *described(const sooth_model *model, int json) {
    size_t used = 0;
    sooth_sink sink;
    memset(&sink, 0, sizeof sink);
    sink.user = &used;
    sink.write_fn = append;
    text[0] = 0;
    if (json) CHECK_STATUS(sooth_model_describe_json(&env, model, &sink), SOOTH_OK);
    else CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(!sink.failed);
    return text;
}

#define SAYS(model, words)                                                                \
    do {                                                                                  \
        if (!strstr(described(model, 0), words)) {                                        \
            printf("  %s:%d: nothing of \"%s\" in\n%s", __FILE__, __LINE__, words, text); \
            ++check_failures;                                                             \
        }                                                                                 \
    } while (0)
#define SAYS_JSON(model, words)                                                           \
    do {                                                                                  \
        if (!strstr(described(model, 1), words)) {                                        \
            printf("  %s:%d: nothing of \"%s\" in\n%s", __FILE__, __LINE__, words, text); \
            ++check_failures;                                                             \
        }                                                                                 \
    } while (0)

enum { ROWS = 60, COLS = 3 };
static float x[ROWS * COLS], y[ROWS];
static sooth_table table;

static void fill(void) {
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = (float)((i * (7 + 4 * j)) % 20) + 1;
        y[i] = 3 * x[i * COLS] + x[i * COLS + 1] + 5;
    }
    table = sooth_table_of(x, y, ROWS, COLS);
}

/* A model without a card unless it is asked for; the caller frees it. */
static sooth_model *fitted(const char *name, const void *options, const sooth_scale_options *input,
                           uint32_t no_card) {
    sooth_train_recipe recipe;
    sooth_model *model;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = name;
    recipe_options(&recipe, options);
    if (input) recipe.input = *input, recipe.has_input = 1;
    recipe.no_card = no_card;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) {
        printf("  %s\n", env.sentence);
        exit(1);
    }
    return model;
}

static void trees_and_forests(void) {
    sooth_tree_options plain;
    sooth_forest_options rows;
    sooth_model *model = fitted("tree", NULL, NULL, 0);
    SAYS(model, "regression tree: predicts target 1 from 3 features\n");
    SAYS(model, "importance");
    sooth_model_free(&env, model);
    memset(&plain, 0, sizeof plain);
    plain.no_statistics = 1;
    model = fitted("tree", &plain, NULL, 0);
    CHECK(!strstr(described(model, 0), "importance"));
    sooth_model_free(&env, model);
    memset(&rows, 0, sizeof rows);
    rows.n_estimators = 3;
    rows.keep_rows = 1;
    model = fitted("forest", &rows, NULL, 0);
    SAYS(model, "quantiles     its leaves remember their rows");
    SAYS_JSON(model, "\"trees\": 3,");
    sooth_model_free(&env, model);
    model = fitted("boost", NULL, NULL, 0);
    SAYS(model, "gradient boosting: predicts target 1 from 3 features\n");
    SAYS(model, "\n  trees         500\n");
    SAYS(model, "\n  headers       sooth/boost.h\n");
    sooth_model_free(&env, model);
    for (size_t i = 0; i < ROWS; ++i) y[i] = 7; /* nothing to gain: importances of 0, not 0 / 0 */
    rows.keep_rows = 0;
    model = fitted("forest", &rows, NULL, 0);
    CHECK(!strstr(described(model, 0), "remember"));
    SAYS_JSON(model, "\"importance\": 0}");
    CHECK(!strstr(text, "null"));
    sooth_model_free(&env, model);
    fill();
}

static void networks(void) {
    static const uint32_t hidden[] = {4, 2};
    static uint32_t deep[62];
    static const float box[2 * COLS] = {1, 20, 1, 20, 1, 20};
    sooth_mlp_options options;
    sooth_mlp *mlp, *small;
    memset(&options, 0, sizeof options);
    options.hidden = hidden;
    options.hidden_count = 2;
    options.epochs = 2;
    CHECK_STATUS(sooth_mlp_fit(&env, &table, &options, &mlp), SOOTH_OK);
    SAYS(sooth_model_from_block(&mlp->head), "layers        4-2-1\n");
    SAYS(sooth_model_from_block(&mlp->head), "weights       29\n"); /* 4 x 4 + 2 x 5 + 3 */
    CHECK(!strstr(text, "off at most"));
    CHECK_STATUS(sooth_mlp_quantise(&env, mlp, 8, box, NULL, &small), SOOTH_OK);
    SAYS(sooth_model_from_block(&small->head), "bits          8\n");
    SAYS(sooth_model_from_block(&small->head), "off at most   ");
    sooth_mlp_free(&env, small);
    sooth_mlp_free(&env, mlp);
    for (size_t i = 0; i < 62; ++i) deep[i] = 1; /* 62 layers are more than a line holds */
    options.hidden = deep;
    options.hidden_count = 62;
    CHECK_STATUS(sooth_mlp_fit(&env, &table, &options, &mlp), SOOTH_OK);
    SAYS(sooth_model_from_block(&mlp->head), "layers        many\n");
    sooth_mlp_free(&env, mlp);
}

static void vectors_and_rules(void) {
    sooth_svr_options options;
    sooth_scale_options scale;
    sooth_sofnn_options rules;
    sooth_model *model;
    memset(&options, 0, sizeof options);
    memset(&scale, 0, sizeof scale);
    scale.transform = SOOTH_SCALE_STANDARD;
    options.kernel = SOOTH_SVR_LINEAR;
    model = fitted("svr", &options, &scale, 0);
    SAYS(model, "kernel        linear\n");
    SAYS(model, "coefficients  of the features after the input transform\n");
    CHECK(!strstr(text, "\n  gamma "));
    sooth_model_free(&env, model);
    scale.transform = SOOTH_SCALE_NONE;
    options.kernel = SOOTH_SVR_RBF;
    model = fitted("svr", &options, &scale, 0);
    SAYS(model, "kernel        rbf\n");
    SAYS(model, "  vectors       ");
    CHECK(strstr(text, "\n  gamma ") && !strstr(text, "coefficient"));
    sooth_model_free(&env, model);
    for (uint32_t order = 0; order < 2; ++order) {
        memset(&rules, 0, sizeof rules);
        rules.order = order;
        model = fitted("sofnn", &rules, NULL, 0);
        SAYS(model, "consequents   ");
        sooth_model_free(&env, model);
    }
}

static void processes(void) {
    sooth_gauss_options options;
    sooth_scale_options scale;
    sooth_model *model;
    memset(&options, 0, sizeof options);
    memset(&scale, 0, sizeof scale);
    scale.transform = SOOTH_SCALE_STANDARD;
    options.lengths = SOOTH_GAUSS_EACH;
    options.kernel = SOOTH_GAUSS_MATERN52;
    options.signal = 4.0;
    options.noise = 0.25;
    model = fitted("gauss", &options, &scale, 0);
    SAYS(model, "kernel        matern52\n");
    SAYS(model, "signal        2\n");
    SAYS(model, "noise         0.5\n");
    SAYS(model, "lengths       of the features after the input transform\n");
    CHECK(strstr(text, "\n  points        ") && !strstr(text, "\n  inducing "));
    sooth_model_free(&env, model);
    options.lengths = SOOTH_GAUSS_SHARED;
    options.length = 3.0;
    options.max_points = options.inducing = 5;
    model = fitted("gauss", &options, NULL, 0);
    SAYS(model, "inducing      5\n");
    SAYS(model, "length        3\n");
    CHECK(!strstr(text, "\n  level "));
    sooth_model_free(&env, model);
    uint32_t group[ROWS]; /* whose levels have a deviation of their own */
    for (uint32_t i = 0; i < ROWS; ++i) group[i] = i % 6;
    table.group = group;
    options.level = 2.25;
    model = fitted("gauss", &options, NULL, 0);
    SAYS(model, "\n  level         1.5\n");
    sooth_model_free(&env, model);
    fill();
}

/* Scales that differ, and what people read of them. */
static void scales(void) {
    static const uint32_t mixed[COLS] = {SOOTH_SCALE_STANDARD, SOOTH_SCALE_LOG1P, SOOTH_SCALE_STANDARD};
    sooth_scale_options scale;
    sooth_model *model;
    memset(&scale, 0, sizeof scale);
    scale.transform = SOOTH_SCALE_STANDARD;
    model = fitted("linear", NULL, &scale, 0);
    SAYS(model, "input scale   standard\n");
    SAYS(model, "\n  headers       sooth/linear.h, sooth/preprocess.h\n");
    SAYS(model, "coefficients  of the features after the input transform\n");
    sooth_model_free(&env, model);
    scale.transforms = mixed;
    model = fitted("linear", NULL, &scale, 0);
    SAYS(model, "input scale   several\n");
    SAYS_JSON(model, "\"input_scale\": \"several\"");
    sooth_model_free(&env, model);
}

/* Bytes that are no UTF-8, or could steer a terminal, leave both forms sound. */
static void any_bytes_as_names(void) {
    static const char *const names[][2] = {
        {"\x7F\x01", "\\u007f\\u0001"},
        {"a\\b\"c", "a\\\\b\\\"c"},
        {"d\xC3\xA9", "d\xC3\xA9"},
        {"\xE2\x82\xAC", "\xE2\x82\xAC"},
        {"\xED\x9F\xBF\xE0\xA0\x80", "\xED\x9F\xBF\xE0\xA0\x80"},
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
        {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
        {"\xC1x", "\\u00c1x"},
        {"\x80", "\\u0080"},
        {"\xC3(", "\\u00c3("},
        {"\xE0\x80\x80", "\\u00e0\\u0080\\u0080"},
        {"\xED\xA0\x80", "\\u00ed\\u00a0\\u0080"},
        {"\xF0\x80\x80\x80", "\\u00f0\\u0080\\u0080\\u0080"},
        {"\xF4\x90\x80\x80", "\\u00f4\\u0090\\u0080\\u0080"},
        {"\xF5\x80\x80\x80", "\\u00f5\\u0080\\u0080\\u0080"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const char *const name[COLS] = {names[k][0], "second", ""};
        static const char *const units[COLS] = {"s", "W", ""};
        sooth_train_recipe recipe;
        sooth_model *model;
        char words[80];
        memset(&recipe, 0, sizeof recipe);
        recipe.model = "linear";
        recipe.feature_units = units;
        table.names = name;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        snprintf(words, sizeof words, "\"%s\"", names[k][1]);
        SAYS_JSON(model, words);
        if (k == 0) {
            SAYS(model, "\n  ?? ");
            SAYS(model, "column        unit       least"); /* a unit is short, its column four wide */
        }
        sooth_model_free(&env, model);
    }
    table.names = NULL;
}

/* A long note breaks at blanks; a word that is longer than a line stays whole. */
static void notes_break_at_blanks(void) {
    static const char note[] =
        "measured on the third machine of the left rack while nothing else was running "
        "and the fans  were at full speed "
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678"
        "90123456789 end";
    sooth_train_recipe recipe;
    sooth_model *model;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "linear";
    recipe.note = note;
    recipe.groups = 4;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    SAYS(model, "  groups        4\n");
    SAYS(model, "nothing else was running\n                and the fans  were");
    SAYS(model, "0123456789\n                end\n");
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        CHECK((size_t)(strchr(line, '\n') - line) <= 110);
    sooth_model_free(&env, model);
}

/* ---- categories ---- */

/* Of 60 rows 30, 15, 10 and 5 are of ann, bob, cy and dan; the size 1 is in 40, the size 2 in 20. */
static const uint8_t categorical[COLS] = {1, 0, 1};

/* The dictionary in max_bytes of memory, its codes in x; y is 9 for ann, else 0. */
static sooth_levels *users(uint32_t max_bytes) {
    static const char *const user[] = {"ann", "bob", "cy", "dan"}, *const *const texts[COLS] = {user};
    sooth_levels_options options;
    sooth_levels *levels = NULL;
    memset(&options, 0, sizeof options);
    options.max_bytes = max_bytes;
    fill();
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS] = i < 30 ? 0.0f : i < 45 ? 1.0f : i < 55 ? 2.0f : 3.0f;
        x[i * COLS + 2] = i % 3 == 0 ? 2.0f : 1.0f;
        y[i] = i < 30 ? 9.0f : 0.0f;
    }
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, texts, &options, x, &levels), SOOTH_OK);
    table.categorical = categorical;
    return levels;
}

/* A model with the dictionary, whose columns have these names. */
static sooth_model *levelled(const char *kind, const void *options, uint32_t encode, uint32_t max_bytes,
                             const char *const *names) {
    sooth_levels *levels = users(max_bytes);
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = kind;
    recipe_options(&recipe, options);
    recipe.levels = levels;
    recipe.encode = encode;
    recipe.no_card = !names;
    table.names = names;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) {
        printf("  %s\n", env.sentence);
        exit(1);
    }
    sooth_levels_free(&env, levels);
    fill();
    return model;
}

/* How many levels a column has, what stands for them, and what there was no room for. */
static void dictionaries(void) {
    static const char *const names[COLS] = {"us\x1B[r", "", ""};
    const uint32_t four = 176; /* (32 + 16 + 3 x 20 + 4 x (8 + 4)) + (2 x 4 + 2 x 2), each rounded to 16 */
    sooth_model *model = levelled("linear", NULL, SOOTH_TRAIN_ENCODE_TARGET, 0, names);
    SAYS(model, "\n  encoding      statistics of the target\n");
    SAYS(model, "\n  levels        4 of us?[r\n  levels        2 of feature 3\n");
    SAYS(model, "\n  headers       sooth/linear.h, sooth/preprocess.h\n");
    CHECK(!strstr(text, "no room"));
    SAYS_JSON(model, "\"categories\": [\n    {\"feature\": 1, \"name\": \"us\\u001b[r\", \"levels\": 4, "
                     "\"without_room\": 0, \"their_rows\": 0},\n    {\"feature\": 3, \"name\": \"\", ");
    sooth_model_free(&env, model);
    model = levelled("tree", NULL, SOOTH_TRAIN_ENCODE_ORDINAL, four, NULL); /* cy and dan are the rarest */
    SAYS(model, "\n  encoding      codes\n");
    SAYS(model, "\n  levels        2 of feature 1; no room for 2, in 15 rows\n");
    SAYS(model, "\n  levels        2 of feature 3\n");
    SAYS(model, "\n  level bytes   160\n"); /* 4 floats less: the statistics */
    SAYS_JSON(model, "\"encoding\": \"codes\",\n  \"level_bytes\": 160,");
    SAYS_JSON(model, "\"levels\": 2, \"without_room\": 2, \"their_rows\": 15},");
    sooth_model_free(&env, model);
    model = levelled("tree", NULL, SOOTH_TRAIN_ENCODE_ORDINAL, four - 1, NULL); /* not even bob */
    SAYS(model, "\n  levels        1 of feature 1; no room for 3, in 30 rows\n");
    sooth_model_free(&env, model);
}

/* One tree of one question, whether the user is ann, has one set. */
static void sets_of_categories(void) {
    sooth_boost_options stump;
    memset(&stump, 0, sizeof stump);
    stump.n_estimators = stump.max_depth = 1;
    sooth_model *model = levelled("boost", &stump, SOOTH_TRAIN_ENCODE_NATIVE, 0, NULL);
    SAYS(model, "\n  category sets 1\n");
    SAYS_JSON(model, "\"category_sets\": 1,");
    sooth_model_free(&env, model);
    const sooth_tree_options one = {.max_depth = 1};
    model = levelled("tree", &one, SOOTH_TRAIN_ENCODE_NATIVE, 0, NULL);
    SAYS(model, "\n  category sets 1\n");
    SAYS_JSON(model, "\"depth\": 1,\n  \"category_sets\": 1,");
    sooth_model_free(&env, model);
    model = levelled("tree", &one, SOOTH_TRAIN_ENCODE_ORDINAL, 0, NULL);
    CHECK(!strstr(described(model, 0), "category sets"));
    sooth_model_free(&env, model);
    model = fitted("boost", &stump, NULL, 0);
    CHECK(!strstr(described(model, 0), "category sets"));
    sooth_model_free(&env, model);
}

/* ---- what stands behind the predictor ---- */

/* The number behind these words in what was described last. */
static double number_after(const char *words) {
    const char *at = strstr(text, words);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(words), NULL) : NAN;
}

/* The map: the numbers that are said give the probability that the model predicts. */
static void probabilities(void) {
    sooth_boost_options few;
    sooth_calibrate_options options;
    sooth_train_recipe recipe;
    memset(&few, 0, sizeof few);
    memset(&recipe, 0, sizeof recipe);
    memset(&options, 0, sizeof options);
    few.n_estimators = 5;
    for (size_t i = 0; i < ROWS; ++i) y[i] = x[i * COLS] + 3 * (float)(i % 4) > 14;
    for (uint32_t k = 0; k < 3; ++k) { /* log odds, plain scores, steps */
        sooth_model *model = NULL;
        sooth_model_parts parts;
        float scratch[2 * COLS];
        few.loss = k == 1 ? SOOTH_BOOST_SQUARED : SOOTH_BOOST_LOGISTIC;
        recipe.model = k == 1 ? "linear" : "boost";
        recipe_options(&recipe, k == 1 ? NULL : &few);
        options.probability =
            k == 2 ? SOOTH_CALIBRATE_PROBABILITY_ISOTONIC : SOOTH_CALIBRATE_PROBABILITY_SIGMOID;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
        if (!model) exit(1);
        SAYS(model, ", sooth/model.h\n");
        SAYS(model, k == 0   ? "\n  probability   sigmoid of the log odds: slope "
                    : k == 1 ? "\n  probability   sigmoid of the prediction: slope "
                             : "\n  probability   isotonic: ");
        sooth_model_open(model, &parts);
        if (k == 2) {
            float least = 1, most = 0;
            for (size_t i = 0; i < ROWS; ++i) {
                const float p = sooth_model_predict(model, x + i * COLS, scratch);
                least = fminf(least, p);
                most = fmaxf(most, p);
            }
            CHECK(number_after(" points from ") <= (double)least + 0.005);
            CHECK(number_after(" points from ") >= 0 && number_after(" to ") <= 1);
            CHECK(number_after(" to ") >= (double)most - 0.005);
        } else {
            const double slope = number_after(": slope "), intercept = number_after(", intercept ");
            for (size_t i = 0; i < ROWS; ++i) {
                sooth_model_parts bare = parts;
                sooth_model *inner = NULL;
                bare.probability = NULL;
                CHECK_STATUS(sooth_model_assemble(&env, &bare, &inner), SOOTH_OK);
                const double v = (double)sooth_model_predict(inner, x + i * COLS, scratch);
                const double f = slope * (k ? v : log(v / (1 - v))) + intercept;
                CHECK_NEAR(sooth_model_predict(model, x + i * COLS, scratch), 1 / (1 + exp(-f)), 0.01);
                sooth_model_free(&env, inner);
            }
        }
        sooth_model_free(&env, model);
    }
    fill();
}

/* Ends far from the prediction keep three digits, and ends above alone say so. */
static void intervals(void) {
    sooth_calibrate_options options;
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "linear";
    for (uint32_t k = 0; k < 4; ++k) { /* plain or log, both ends or the upper one */
        sooth_model *model = NULL;
        sooth_adapted at;
        memset(&options, 0, sizeof options);
        options.tails = k & 2 ? SOOTH_CONFORMAL_UPPER : 0;
        for (size_t i = 0; i < ROWS; ++i)
            y[i] = (k & 1 ? 0.0f : -5e5f) + 54321 * x[i * COLS] * (1 + 0.3f * (float)(i % 4));
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &options, &model), SOOTH_OK);
        if (!model) exit(1);
        SAYS(model, "\n  interval      90 % of more rows (60 rows): ");
        sooth_model_interval(model, x + 5 * COLS, NULL, &at);
        const double value = (double)at.value, high = (double)at.high;
        const double above = number_after(k & 2   ? k & 1 ? ": up to x " : ": up to + "
                                          : k & 1 ? " to x "
                                                  : " to + ");
        const double is = k & 1 ? high / value : high - value;
        CHECK_NEAR(above / is, 1, 0.005);
        CHECK(k & 1 || above > 1000);
        sooth_model_free(&env, model);
    }
    fill();
}

/* A card that knows only some of what one can. */
static void cards(void) {
    static const char *const units[] = {"cores/s", "", "W"};
    sooth_model *bare = fitted("linear", NULL, NULL, 1), *model = NULL;
    sooth_model_card_content content;
    sooth_model_parts parts;
    sooth_model_card *card = NULL;
    memset(&content, 0, sizeof content);
    content.features = COLS;
    content.targets = 1;
    content.feature_units = units;
    CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
    sooth_model_open(bare, &parts);
    parts.card = card;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
    SAYS(model, "\n  column        unit          least        most");
    SAYS(model, "\n  feature 1     cores/s           -           -");
    CHECK(!strstr(text, "\n  rows "));
    SAYS_JSON(model, "\"unit\": \"cores/s\", \"least\": null, \"most\": null,");
    sooth_model_free(&env, model);
    sooth_model_free(&env, bare);
    sooth_model_card_free(&env, card);
}

/* More columns than anybody reads are counted, unless a card names them. */
static void many_columns(void) {
    enum { many = 1001 };
    static float wide[2 * many], two[2] = {1, 2};
    sooth_model *model;
    for (size_t i = 0; i < 2 * many; ++i) wide[i] = (float)(i % 7) + (float)(i >= many);
    table = sooth_table_of(wide, two, 2, many);
    const sooth_svr_options plain = {.kernel = SOOTH_SVR_LINEAR};
    const struct {
        const char *name;
        const void *options;
    } kind[] = {{"tree", NULL}, {"forest", NULL}, {"linear", NULL}, {"svr", &plain}};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; ++k) {
        model = fitted(kind[k].name, kind[k].options, NULL, 1);
        SAYS(model, "from 1001 features\n");
        SAYS(model, "  features      1001\n");
        CHECK(!strstr(text, "least"));
        SAYS_JSON(model, "\"features\": 1001\n}");
        sooth_model_free(&env, model);
    }
    model = fitted("tree", NULL, NULL, 0);
    SAYS(model, "least        most");
    sooth_model_free(&env, model);
    fill();
}

/* The laws of scaling with what a law can know. */
static void laws(void) {
    static const float threads[6] = {1, 2, 3, 4, 8, 16};
    float time[6], speed[6]; /* contention of 0.05 and coherency of 0.02; the same without coherency */
    sooth_scaling_options options;
    sooth_scaling *m;
    memset(&options, 0, sizeof options);
    for (size_t i = 0; i < 6; ++i) {
        const float n = threads[i];
        time[i] = (1 + 0.05f * (n - 1) + 0.02f * n * (n - 1)) / n;
        speed[i] = (1 + 0.05f * (n - 1)) / n;
    }
    options.law = SOOTH_SCALING_USL;
    options.loss = SOOTH_SCALING_ABSOLUTE;
    table = sooth_table_of(threads, time, 6, 1);
    CHECK_STATUS(sooth_scaling_fit(&env, &table, &options, &m), SOOTH_OK);
    SAYS(sooth_model_from_block(&m->head), "from 1 feature\n");
    SAYS(sooth_model_from_block(&m->head), "best threads  6.892\n"); /* sqrt(0.95 / 0.02) */
    CHECK(strstr(text, "contention") && !strstr(text, "cores") && !strstr(text, "share of the value"));
    sooth_scaling_free(&env, m);
    options.law = SOOTH_SCALING_AMDAHL; /* has no best number of threads */
    options.loss = SOOTH_SCALING_RELATIVE;
    options.machine.cores = 16;
    options.machine.sockets = 1;
    table = sooth_table_of(threads, speed, 6, 1);
    CHECK_STATUS(sooth_scaling_fit(&env, &table, &options, &m), SOOTH_OK);
    if (!m) printf("  %s\n", env.sentence);
    SAYS(sooth_model_from_block(&m->head), "sigma is      a share of the value\n");
    SAYS(sooth_model_from_block(&m->head), "  cores         16\n  sockets       1\n");
    CHECK(!strstr(text, "best threads"));
    sooth_scaling_free(&env, m);
    options.law = SOOTH_SCALING_POWER_LAW; /* says nothing of contention */
    CHECK_STATUS(sooth_scaling_fit(&env, &table, &options, &m), SOOTH_OK);
    SAYS(sooth_model_from_block(&m->head), "law           power_law\n");
    CHECK(!strstr(text, "contention"));
    sooth_scaling_free(&env, m);
    fill();
}

int main(void) {
    sooth_env_init(&env);
    fill();
    CHECK_RUN(trees_and_forests);
    CHECK_RUN(networks);
    CHECK_RUN(vectors_and_rules);
    CHECK_RUN(processes);
    CHECK_RUN(scales);
    CHECK_RUN(any_bytes_as_names);
    CHECK_RUN(notes_break_at_blanks);
    CHECK_RUN(dictionaries);
    CHECK_RUN(sets_of_categories);
    CHECK_RUN(probabilities);
    CHECK_RUN(intervals);
    CHECK_RUN(cards);
    CHECK_RUN(many_columns);
    CHECK_RUN(laws);
    return check_end("describe");
}
