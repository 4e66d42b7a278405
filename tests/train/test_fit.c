/* test_fit.c - recipes made of words, against recipes made by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"
#include "recipes.h"

enum { ROWS = 60, COLS = 2 };
static float x[ROWS * COLS], y[ROWS], label[ROWS];
static uint32_t program[ROWS];
static sooth_env env;

static sooth_table table_of(const float *targets) {
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        program[i] = i % 10;
        x[2 * i] = 1.0f + (float)sooth_rng_below(&rng, 8);
        x[2 * i + 1] = 10.0f + 90.0f * sooth_rng_float(&rng);
        y[i] = 20.0f + 5.0f * x[2 * i] + 0.3f * x[2 * i + 1] + sooth_rng_float(&rng);
        label[i] = x[2 * i] > 4.0f ? 1.0f : 0.0f;
    }
    sooth_table table = sooth_table_of(x, targets, ROWS, COLS);
    table.group = program;
    return table;
}

static sooth_status read_text(const char *text, sooth_train_recipe *recipe) {
    return sooth_train_recipe_read(&env, text, strlen(text), recipe);
}

/* The recipe in words makes the bytes of the model made by hand, which is freed. */
static int same_model(const char *text, const float *targets, sooth_model *by_hand) {
    const sooth_table table = table_of(targets);
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    int same = read_text(text, &recipe) == SOOTH_OK;
    sooth_train_recipe moved = recipe; /* a recipe may be copied */
    same = same && sooth_train_fit(&env, &table, &moved, &model) == SOOTH_OK && by_hand &&
           model->head.size == by_hand->head.size && memcmp(model, by_hand, model->head.size) == 0;
    if (!same) printf("  %s: %s\n", text, env.sentence);
    sooth_model_free(&env, model);
    sooth_model_free(&env, by_hand);
    return same;
}

static sooth_model *made(const sooth_train_recipe *recipe, const sooth_calibrate_options *calibrate,
                         const float *targets) {
    const sooth_table table = table_of(targets);
    sooth_model *model = NULL;
    CHECK_STATUS(calibrate ? fit_calibrated(&env, &table, recipe, calibrate, &model)
                           : sooth_train_fit(&env, &table, recipe, &model),
                 SOOTH_OK);
    return model;
}

static void words_make_the_model_that_a_recipe_makes(void) {
    const sooth_tree_options tree = {.max_depth = 3, .criterion = SOOTH_TREE_ABSOLUTE};
    const sooth_boost_options boost = {.n_estimators = 5, .base_score = 0.0, .has_base_score = 1};
    const sooth_scale_options log_standard = {.transform = SOOTH_SCALE_LOG1P_STANDARD},
                              log = {.transform = SOOTH_SCALE_LOG},
                              clip = {.transform = SOOTH_SCALE_NONE, .clip = 1};
    sooth_train_recipe recipe = {.model = "tree", .options.tree = tree};
    sooth_env_init(&env);
    CHECK(same_model("tree max_depth=3 criterion=absolute", y, made(&recipe, NULL, y)));
    CHECK(same_model("  tree  criterion=absolute   max_depth=3 ", y, made(&recipe, NULL, y)));
    recipe = (sooth_train_recipe){.model = "boost", .options.boost = boost};
    CHECK(same_model("boost n_estimators=5 base_score=0", y, made(&recipe, NULL, y)));
    recipe = (sooth_train_recipe){
        .model = "linear", .input = log_standard, .has_input = 1, .target = log, .has_target = 1};
    CHECK(same_model("linear transform=log,standard,log-target", y, made(&recipe, NULL, y)));
    recipe = (sooth_train_recipe){.model = "linear", .input = clip, .has_input = 1};
    CHECK(same_model("linear transform=clip", y, made(&recipe, NULL, y)));
    recipe = (sooth_train_recipe){.model = "svr"}; /* the last word wins; nothing said: the kind's own */
    CHECK(same_model("svr transform=none transform=log-target transform=clip,standard", y,
                     made(&recipe, NULL, y)));
    CHECK(same_model("svr", y, made(&recipe, NULL, y)));
    recipe = (sooth_train_recipe){.model = "moolchandani-tree"};
    CHECK(same_model("moolchandani-tree seed=0", y, made(&recipe, NULL, y)));
}

static void intervals_and_probabilities_are_calibrate_s(void) {
    const sooth_train_recipe recipe = {.model = "linear"};
    sooth_calibrate_options how = {.level = 0.8, .folds = 5, .seed = 3};
    sooth_env_init(&env);
    CHECK(same_model("linear interval=0.8 folds=5 seed=3", y, made(&recipe, &how, y)));
    how.tails = SOOTH_CONFORMAL_UPPER;
    CHECK(same_model("linear upper=1 interval=0.8 folds=5 seed=3", y, made(&recipe, &how, y)));
    how = (sooth_calibrate_options){.probability = SOOTH_CALIBRATE_PROBABILITY_ISOTONIC};
    CHECK(same_model("linear calibrate=isotonic", label, made(&recipe, &how, label)));
}

static void categories_are_encoded_as_said(void) {
    static const char *const words[] = {"target", "ordinal", "native", "target-in-time", "auto"};
    static const uint32_t meant[] = {SOOTH_TRAIN_ENCODE_TARGET, SOOTH_TRAIN_ENCODE_ORDINAL,
                                     SOOTH_TRAIN_ENCODE_NATIVE, SOOTH_TRAIN_ENCODE_TARGET,
                                     SOOTH_TRAIN_ENCODE_AUTO};
    sooth_train_recipe recipe;
    sooth_env_init(&env);
    CHECK_STATUS(read_text("boost seed=9", &recipe), SOOTH_OK);
    for (uint32_t i = 0; i < 5; ++i) {
        CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "encode", words[i]), SOOTH_OK);
        CHECK(recipe.encode == meant[i] && recipe.encoding.in_time == (i == 3) && recipe.encoding.seed == 9);
        CHECK(recipe.options.boost.seed == 9);
    }
}

static void every_wrong_word_has_its_sentence(void) {
    static const char *const cases[][2] = {
        {"forrest", "forrest"},
        {"xgb", "scaling, best, extratrees, xgboost, lightgbm"},
        {"boost n_trees=1", " more"},
        {"", "a model is missing; the models are linear, tree"},
        {"tree depth=3", "there is no option depth; the options are criterion"},
        {"tree max_depth", "\"max_depth\" must be NAME=VALUE, as max_depth=4"},
        {"tree =3", "\"\" must be NAME=VALUE"},
        {"tree max_depth=", "max_depth is \"\", but must be a number"},
        {"tree max_depth=deep", "max_depth is \"deep\", but must be a number"},
        {"boost n_estimators=0", "n_estimators is 0, but must be between 1 and 1000000 (default 500)"},
        {"linear transform=cube", "there is no transform cube; the transforms are standard"},
        {"linear transform=log,", "there is no transform ; the transforms are"},
        {"linear transform=standard,minmax", "transform has both standard and minmax"},
        {"linear encode=onehot", "encode is onehot, but must be one of auto|target|ordinal|native"},
        {"linear encode=", "encode is empty, but must be one of auto|target"},
        {"tree max_depth criterion=absolute", "\"max_depth\" must be NAME=VALUE"},
        {"linear upper=2", "upper is 2, but must be one of 0|1"},
        {"linear interval=0.2", "interval is 0.2, but must be between 0.5 and 0.99"},
        {"linear interval=0", "interval is 0, but must be between 0.5 and 0.99"},
        {"linear calibrate=platt", "calibrate is platt, but must be one of none|sigmoid|isotonic"},
        {"linear folds=1", "folds is 1, but must be between 2"},
        {"linear seed=-1", "seed is -1"}};
    char longest[256];
    sooth_train_recipe recipe;
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        CHECK_FAILS(&env, read_text(cases[i][0], &recipe), SOOTH_BAD_ARGUMENT, cases[i][1]);
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, "linear"), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_recipe_set(&env, &recipe, "transform", "log standard"), SOOTH_BAD_ARGUMENT,
                "there is no transform log");
    memset(longest, 'a', sizeof longest);
    longest[160] = 0;
    CHECK_FAILS(&env, read_text(longest, &recipe), SOOTH_BAD_ARGUMENT, "more than 159 characters");
    longest[159] = 0;
    CHECK_STATUS(read_text(longest, &recipe), SOOTH_BAD_ARGUMENT);
    memcpy(longest, "tree ccp_alpha=0", 16);
    memset(longest + 16, '0', 240);
    longest[255] = 0;
    CHECK_FAILS(&env, read_text(longest, &recipe), SOOTH_BAD_ARGUMENT, "more than 159 characters");
    CHECK_STATUS(sooth_train_recipe_read(NULL, "tree depth=3", 12, &recipe), SOOTH_BAD_ARGUMENT);
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "tree ", 5);
    longest[255] = 0;
    CHECK_FAILS(&env, read_text(longest, &recipe), SOOTH_BAD_ARGUMENT, "more than 159 characters");
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, "linear"), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_recipe_set(&env, &recipe, "transform", longest + 5), SOOTH_BAD_ARGUMENT,
                "more than 159 characters");
    recipe.model = "forrest";
    CHECK_FAILS(&env, sooth_train_recipe_set(&env, &recipe, "seed", "1"), SOOTH_BAD_ARGUMENT, "forrest");
}

/* The text ends at its size or at a zero, whichever comes first; later words may take back earlier ones. */
static void words_end_and_take_back(void) {
    sooth_train_recipe recipe;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_train_recipe_read(&env, "tree\0max_depth=3", 16, &recipe), SOOTH_OK);
    CHECK(recipe.options.tree.max_depth == 0);
    CHECK_STATUS(sooth_train_recipe_read(&env, "tree max_depth=3 \0", 18, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_read(&env, "tree max_depth=34", 16, &recipe), SOOTH_OK);
    CHECK(recipe.options.tree.max_depth == 3);
    CHECK_STATUS(read_text("linear transform=log", &recipe), SOOTH_OK);
    CHECK(recipe.has_input && recipe.input.transform == SOOTH_SCALE_LOG1P);
    CHECK_STATUS(read_text("linear interval=0.9 calibrate=none", &recipe), SOOTH_OK);
    CHECK(recipe.calibrated);
    CHECK_STATUS(read_text("linear calibrate=sigmoid calibrate=none", &recipe), SOOTH_OK);
    CHECK(!recipe.calibrated);
}

static void an_interval_and_a_probability_do_not_go_together(void) {
    const sooth_table table = table_of(label);
    sooth_train_recipe recipe;
    sooth_model *model = (sooth_model *)(void *)&recipe;
    sooth_env_init(&env);
    CHECK_STATUS(read_text("linear interval=0.9 calibrate=sigmoid", &recipe), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "either intervals or a probability");
    CHECK(model == NULL);
}

static void the_card_s_words_are_the_caller_s(void) {
    const char *const names[] = {"threads", "MB"}, *const target[] = {"time"};
    sooth_table table = table_of(y);
    sooth_model_parts parts;
    sooth_train_recipe recipe;
    sooth_model *model;
    sooth_env_init(&env);
    CHECK_STATUS(read_text("tree", &recipe), SOOTH_OK);
    table.names = names;
    recipe.target_names = target;
    recipe.note = "of a test";
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    CHECK(strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, 1), "MB") == 0);
    CHECK(strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, 0), "time") == 0);
    CHECK(strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_NOTE, 0), "of a test") == 0);
    sooth_model_free(&env, model);
}

/* A line goes on for a tenth of the range, and no further; with a transform that was asked for it ends at
   once. The columns are in 0..4. */
static void a_process_is_clipped_beyond_the_rows(void) {
    sooth_train_recipe recipe;
    const float row[][COLS] = {{4.0f, 4.0f}, {4.4f, 4.0f}, {9.0f, 4.0f}, {-0.4f, 4.0f}, {-9.0f, 4.0f}};
    for (int own = 0; own < 2; ++own) {
        sooth_table table = sooth_table_of(x, y, 25, COLS);
        sooth_model *model = NULL;
        float out[5], room[8] = {0}; /* scratch of two columns */
        for (uint32_t i = 0; i < 25; ++i) {
            x[2 * i] = (float)(i % 5);
            x[2 * i + 1] = (float)(i / 5);
            y[i] = 7.0f + 2.0f * x[2 * i] - x[2 * i + 1] + (i % 2 ? 0.001f : -0.001f);
        }
        CHECK_STATUS(read_text(own ? "gauss" : "gauss transform=standard,clip", &recipe), SOOTH_OK);
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        CHECK(model && sooth_model_scratch_size(model, 1) <= sizeof room);
        for (size_t i = 0; model && i < 5; ++i) out[i] = sooth_model_predict(model, row[i], room);
        CHECK_NEAR(out[0], 11.0, 0.01);
        CHECK_NEAR(out[1], own ? 11.8 : 11.0, 0.01);
        CHECK_NEAR(out[2], out[1], 1e-5);
        CHECK_NEAR(out[3], own ? 2.2 : 3.0, 0.01);
        CHECK_NEAR(out[4], out[3], 1e-5);
        sooth_model_free(&env, model);
    }
}

/* Several quantiles are the targets of a model, named by their target. A transform goes through all of them,
   and keeps their order. What is not supported is refused. */
static void quantiles_are_targets(void) {
    static const char *const seconds[1] = {"time"}, *const unit[1] = {"s"};
    static const char *const named[3] = {"time_p50", "time_p99", "time_p99.9"}, *const bare[3] = {
                                                                                    "p50", "p99", "p99.9"};
    static float three[3 * ROWS];
    sooth_train_recipe recipe;
    sooth_model_parts parts;
    sooth_boost *boost = NULL;
    sooth_model *model = NULL;
    const sooth_table table = table_of(y);
    CHECK_STATUS(
        read_text("boost n_estimators=30 learning_rate=1 quantiles=0.5,0.99,0.999 transform=log-target",
                  &recipe),
        SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) return;
    CHECK(model->head.targets == 3);
    sooth_model_open(model, &parts);
    for (size_t t = 0; t < 3; ++t)
        CHECK(!strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, t), bare[t]));
    CHECK(strstr(sooth_model_card_text(parts.card, SOOTH_CARD_OPTIONS, 0), "quantiles=0.5,0.99,0.999 "));
    for (size_t i = 0; i < 2000; ++i) {
        const float row[2] = {0.005f * (float)i, 100.0f - 0.05f * (float)i};
        float out[3], scratch[COLS];
        sooth_model_predict_many(model, row, 1, COLS, out, scratch, 1);
        CHECK(out[0] <= out[1] && out[1] <= out[2] && out[0] > 20.0f && out[2] < 200.0f);
    }
    sooth_model_free(&env, model);
    CHECK_STATUS(read_text("boost n_estimators=5 quantiles=0.5,0.99,0.999", &recipe), SOOTH_OK);
    recipe.target_names = seconds;
    recipe.target_units = unit;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (!model) return;
    sooth_model_open(model, &parts);
    for (size_t t = 0; t < 3; ++t) {
        CHECK(!strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, t), named[t]));
        CHECK(!strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET_UNIT, t), "s"));
    }
    CHECK_STATUS(sooth_boost_fit(&env, &table, &recipe.options.boost, &boost), SOOTH_OK);
    CHECK(boost && memcmp(parts.predictor, boost, boost->head.size) == 0);
    sooth_boost_free(&env, boost);
    sooth_model_free(&env, model);
    for (size_t i = 0; i < 3 * ROWS; ++i) three[i] = y[i / 3]; /* a column for each is the same */
    sooth_table wide = table;
    wide.y = three;
    wide.targets = 3;
    recipe.target_names = named;
    recipe.target_units = NULL;
    CHECK_STATUS(sooth_train_fit(&env, &wide, &recipe, &model), SOOTH_OK);
    CHECK(model && model->head.targets == 3);
    sooth_model_free(&env, model);
    CHECK_STATUS(read_text("boost n_estimators=5 quantiles=0.5,0.99 interval=0.9", &recipe), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "several quantiles have no intervals of their own");
    CHECK_FAILS(&env, read_text("boost quantiles=0.5,x", &recipe), SOOTH_BAD_ARGUMENT,
                "quantiles is \"0.5,x\", but must be 1 to 8 numbers other than 0, separated by commas");
}

/* A target without a name names its quantiles like one of an empty name; without memory nothing is left. */
static void nameless_quantiles(void) {
    static const char *const names[][1] = {{NULL}, {""}};
    const sooth_table table = table_of(y);
    sooth_train_recipe recipe;
    sooth_model_parts parts;
    sooth_model *model = NULL;
    CHECK_STATUS(read_text("boost n_estimators=2 quantiles=0.57,0.995", &recipe), SOOTH_OK);
    for (size_t k = 0; k < 2; ++k) {
        recipe.target_names = names[k];
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) return;
        sooth_model_open(model, &parts);
        CHECK(!strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, 0), "p57"));
        CHECK(!strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, 1), "p99.5"));
        sooth_model_free(&env, model);
    }
    sooth_env failing = env;
    CHECK_EVERY_ALLOCATION(&failing, sooth_train_fit(&failing, &table, &recipe, &model),
                           sooth_model_free(&failing, model));
}

int main(void) {
    CHECK_RUN(words_make_the_model_that_a_recipe_makes);
    CHECK_RUN(intervals_and_probabilities_are_calibrate_s);
    CHECK_RUN(categories_are_encoded_as_said);
    CHECK_RUN(every_wrong_word_has_its_sentence);
    CHECK_RUN(words_end_and_take_back);
    CHECK_RUN(a_process_is_clipped_beyond_the_rows);
    CHECK_RUN(an_interval_and_a_probability_do_not_go_together);
    CHECK_RUN(the_card_s_words_are_the_caller_s);
    CHECK_RUN(quantiles_are_targets);
    CHECK_RUN(nameless_quantiles);
    return check_end("fit");
}
