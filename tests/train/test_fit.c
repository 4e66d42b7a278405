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

/* Of two processes the other one has no rows. */
static int nothing_elsewhere(void *user, sooth_reduction what, int64_t *value, size_t count) {
    (void)user, (void)what, (void)value, (void)count;
    return 0;
}

/* ---- a refit ---- */

static sooth_model *fitted(const sooth_table *table, const char *words) {
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    CHECK_STATUS(read_text(words, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &model), SOOTH_OK);
    if (!model) printf("  %s: %s\n", words, env.sentence), abort();
    return model;
}

/* Medians of the same rows are the same, so a refit to the rows of the fit changes no byte, with transforms
   or without, and with the card or without. */
static void a_refit_to_the_same_rows_changes_nothing(void) {
    static const char *const words[] = {
        "boost subsample=1 loss=absolute", "boost subsample=1 loss=absolute transform=log-target",
        "boost subsample=1 loss=absolute transform=standard", "boost subsample=1 quantiles=0.2,0.7",
        "boost subsample=1 quantiles=0.2,0.7 transform=standard,log-target"};
    const sooth_table table = table_of(y);
    sooth_table doubled = table;
    static float twice[ROWS];
    for (size_t i = 0; i < ROWS; ++i) twice[i] = 2.0f * y[i];
    doubled.y = twice;
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        for (uint32_t no_card = 0; no_card < 2; ++no_card) {
            sooth_train_recipe recipe;
            sooth_model *model = NULL, *again = NULL;
            size_t off = 0;
            CHECK_STATUS(read_text(words[k], &recipe), SOOTH_OK);
            recipe.no_card = no_card;
            CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
            CHECK_STATUS(sooth_train_refit(&env, model, &table, &recipe, 0.0, &again), SOOTH_OK);
            CHECK(model && again && again->head.size == model->head.size &&
                  memcmp(again, model, model->head.size) == 0);
            sooth_model_free(&env, again);
            CHECK_STATUS(sooth_train_refit(&env, model, &doubled, &recipe, 0.0, &again), SOOTH_OK);
            for (size_t i = 0; again && i < ROWS; ++i) {
                float old[2], new[2], room[COLS];
                sooth_model_predict_many(model, x + COLS * i, 1, COLS, old, room, 1);
                sooth_model_predict_many(again, x + COLS * i, 1, COLS, new, room, 1);
                off += !(fabsf(new[0] - 2.0f * old[0]) < 1e-4f * new[0]);
            }
            CHECK(off == 0);
            sooth_model_free(&env, again);
            sooth_model_free(&env, model);
        }
}

/* A model put together by hand may have a sum of columns and no logarithm: its leaves are of y over the sum,
   and so are those of its refit. */
static void a_refit_divides_by_the_sum(void) {
    static float left[ROWS];
    const sooth_table table = table_of(y);
    sooth_table over = table;
    sooth_model_parts parts, of_again;
    sooth_train_recipe recipe;
    sooth_boost *boost = NULL, *renewed = NULL;
    sooth_ratio *ratio = NULL;
    sooth_model *model = NULL, *again = NULL;
    CHECK_STATUS(read_text("boost n_estimators=9 lambda=2", &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_ratio_fit(&env, &table, "3*column 1+column 2", &ratio), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) left[i] = y[i] / sooth_ratio_form(ratio, x + COLS * i);
    over.y = left;
    CHECK_STATUS(sooth_boost_fit(&env, &over, &recipe.options.boost, &boost), SOOTH_OK);
    memset(&parts, 0, sizeof parts);
    parts.predictor = &boost->head;
    parts.ratio = ratio;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
    CHECK_STATUS(sooth_train_refit(&env, model, &table, &recipe, 0.25, &again), SOOTH_OK);
    CHECK_STATUS(sooth_boost_refit(&env, boost, &over, &recipe.options.boost, 0.25, &renewed), SOOTH_OK);
    if (again) sooth_model_open(again, &of_again);
    CHECK(again && renewed && of_again.predictor->size == renewed->head.size &&
          memcmp(of_again.predictor, renewed, renewed->head.size) == 0);
    CHECK(again && of_again.ratio && !of_again.target);
    sooth_boost_free(&env, boost);
    sooth_boost_free(&env, renewed);
    sooth_ratio_free(&env, ratio);
    sooth_model_free(&env, model);
    sooth_model_free(&env, again);
}

static void refits_that_are_refused(void) {
    static float two[2 * ROWS];
    sooth_table table = table_of(label), wrong;
    sooth_model *tree = fitted(&table, "tree max_depth=2"), *boost = fitted(&table, "boost n_estimators=3");
    sooth_model *log, *interval, *probability = fitted(&table, "boost n_estimators=3 calibrate=sigmoid");
    sooth_model *adapts = NULL, *again = tree;
    sooth_model_parts parts;
    sooth_train_recipe recipe, of_tree;
    CHECK_STATUS(read_text("boost n_estimators=3", &recipe), SOOTH_OK);
    CHECK_STATUS(read_text("tree max_depth=2", &of_tree), SOOTH_OK);
    table.y = y;
    log = fitted(&table, "boost n_estimators=3 transform=log-target");
    interval = fitted(&table, "boost n_estimators=3 interval=0.8");
#define REFUSED(model, table, recipe, status, words)                                              \
    CHECK_FAILS(&env, sooth_train_refit(&env, model, table, recipe, 0.0, &again), status, words); \
    CHECK(again == NULL)
    REFUSED(tree, &table, &recipe, SOOTH_BAD_ARGUMENT,
            "refit is for boosting, but this is a regression tree");
    REFUSED(boost, &table, &of_tree, SOOTH_BAD_ARGUMENT,
            "refit is for boosting, but this is a regression tree");
    REFUSED(interval, &table, &recipe, SOOTH_BAD_ARGUMENT, "an interval or a calibrated probability");
    REFUSED(probability, &table, &recipe, SOOTH_BAD_ARGUMENT, "an interval or a calibrated probability");
    sooth_model_open(interval, &parts);
    CHECK(parts.adapt != NULL);
    parts.interval = NULL;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &adapts), SOOTH_OK);
    REFUSED(adapts, &table, &recipe, SOOTH_BAD_ARGUMENT, "an interval or a calibrated probability");
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "interval", "0.8"), SOOTH_OK);
    REFUSED(boost, &table, &recipe, SOOTH_BAD_ARGUMENT, "an interval or a calibrated probability");
    recipe.calibrated = 0;
    recipe.model = "boots";
    REFUSED(boost, &table, &recipe, SOOTH_BAD_ARGUMENT, "there is no model boots");
    recipe.model = "boost";
    wrong = table;
    wrong.y = NULL;
    REFUSED(boost, &wrong, &recipe, SOOTH_BAD_DATA, "target");
    wrong = table;
    wrong.cols = 1;
    REFUSED(boost, &wrong, &recipe, SOOTH_BAD_DATA, "the model takes 2 features, but the table has 1");
    for (size_t i = 0; i < 2 * ROWS; ++i) two[i] = y[i / 2];
    wrong = table;
    wrong.y = two;
    wrong.targets = 2;
    REFUSED(log, &wrong, &recipe, SOOTH_BAD_DATA, "for 1 targets, but the table has 2 and 2");
    env.reduce_fn = nothing_elsewhere;
    env.ranks = 2;
    REFUSED(boost, &table, &recipe, SOOTH_BAD_ARGUMENT, "rows in several processes do not support refit");
    sooth_env_init(&env);
#undef REFUSED
    sooth_model_free(&env, tree);
    sooth_model_free(&env, boost);
    sooth_model_free(&env, log);
    sooth_model_free(&env, interval);
    sooth_model_free(&env, adapts);
    sooth_model_free(&env, probability);
}

/* ---- what a fit refuses ---- */

static void fits_in_several_processes_are_refused(void) {
    static const uint8_t categorical[COLS] = {1, 0};
    static const char *const users[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    static const char *const *const text[COLS] = {users, NULL};
    sooth_table table = table_of(y);
    sooth_levels *levels = NULL;
    sooth_train_recipe recipe;
    sooth_model *model;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, x, &levels), SOOTH_OK);
    table.group = NULL;
    env.reduce_fn = nothing_elsewhere;
    env.ranks = 2;
    CHECK_STATUS(read_text("tree", &recipe), SOOTH_OK);
    recipe.levels = levels;
    recipe.encode = SOOTH_TRAIN_ENCODE_TARGET;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "categories cannot be fitted to rows in several processes");
    recipe.levels = NULL;
    memcpy(recipe.ratio_to, "column 2", 9);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "ratio_to cannot be fitted to rows in several processes");
    recipe.ratio_to[0] = 0;
    memcpy(recipe.teacher, "linear", 7);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "a teacher cannot be fitted to rows in several processes");
    recipe.teacher[0] = 0;
    CHECK(model == NULL);
    sooth_env_init(&env);
    recipe.levels = levels; /* which knows the column's categories, and the table does not */
    memcpy(recipe.ratio_to, "2*column 1+9", 13);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "column 1, whose values are categories");
    memcpy(recipe.ratio_to, "column 2+9", 11);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

static void fits_of_a_ratio_that_are_refused(void) {
    static const uint32_t transforms[1] = {SOOTH_SCALE_LOG};
    const sooth_table table = table_of(y), held = table;
    sooth_train_recipe recipe;
    sooth_model *model;
    CHECK_STATUS(read_text("boost n_estimators=3 transform=log-target ratio_to=column", &recipe), SOOTH_OK);
    memcpy(recipe.ratio_to, "column 2", 9);
    recipe.target.transforms = transforms;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "ratio_to learns the logarithm of the target; leave out its transform");
    recipe.target.transforms = NULL;
    recipe.options.boost.validation = &held;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "ratio_to cannot divide the targets of held-out rows; give validation_fraction");
    CHECK(model == NULL);
}

/* The rows of a table and 2,000 more with a teacher's predictions, made by hand; see recipe.h. */
static sooth_table taught_by_hand(const sooth_table *table, const sooth_model *teacher) {
    enum { MORE = 2000 };
    static float wide[(ROWS + MORE) * COLS], answer[ROWS + MORE];
    uint32_t base[MORE];
    float least[COLS + 1], most[COLS + 1], scratch[COLS];
    sooth_rng rng;
    sooth_rng_init(&rng, 0, 0x7465616368);
    for (int j = 0; j <= COLS; ++j) {
        const float *v = j < COLS ? x + j : y;
        least[j] = most[j] = v[0];
        for (int i = 0; i < ROWS; ++i) {
            const float at = v[i * (j < COLS ? COLS : 1)];
            least[j] = at < least[j] ? at : least[j];
            most[j] = at > most[j] ? at : most[j];
        }
    }
    memcpy(wide, x, sizeof x);
    memcpy(answer, y, sizeof y);
    for (int i = 0; i < MORE; ++i) base[i] = sooth_rng_below(&rng, ROWS);
    for (int i = 0; i < MORE; ++i) {
        float *row = wide + (ROWS + i) * COLS;
        double best = 1e9;
        int near_one = -1;
        memcpy(row, x + base[i] * COLS, COLS * sizeof *row);
        for (int k = 0; k < 32; ++k) {
            const int at = (int)sooth_rng_below(&rng, ROWS);
            double far = 0.0;
            for (int j = 0; j < COLS; ++j)
                far += fabs((double)x[at * COLS + j] - (double)row[j]) / ((double)most[j] - (double)least[j]);
            if (far > 0.0 && far < best) best = far, near_one = at;
        }
        for (int j = 0; j < COLS; ++j)
            if (sooth_rng_next(&rng) % 2) row[j] = x[near_one * COLS + j];
        float p = sooth_model_predict(teacher, row, scratch);
        p = p < least[COLS] ? least[COLS] : p;
        answer[ROWS + i] = p > most[COLS] ? most[COLS] : p;
    }
    sooth_table more = sooth_table_of(wide, answer, ROWS + MORE, COLS);
    more.names = table->names;
    return more;
}

static void a_teacher_predicts_rows_between_the_rows(void) {
    const sooth_table table = table_of(y);
    sooth_model *teacher, *taught, *by_hand;
    sooth_train_recipe recipe;
    CHECK_STATUS(read_text("linear", &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &teacher), SOOTH_OK);
    const sooth_table more = taught_by_hand(&table, teacher);
    CHECK_STATUS(read_text("tree max_leaves=31", &recipe), SOOTH_OK);
    recipe.no_card = 1;
    CHECK_STATUS(sooth_train_fit(&env, &more, &recipe, &by_hand), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "teacher", "linear"), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &taught), SOOTH_OK);
    CHECK(taught->head.size == by_hand->head.size && memcmp(taught, by_hand, taught->head.size) == 0);
    sooth_model_free(&env, taught);
    recipe.no_card = 0;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &taught), SOOTH_OK);
    sooth_model_parts parts;
    sooth_model_open(taught, &parts);
    CHECK(parts.card->rows == ROWS); /* not those of the teacher */
    sooth_model_free(&env, taught);
    sooth_model_free(&env, by_hand);
    sooth_model_free(&env, teacher);
}

/* The mean error of a recipe on a grid where the target is known: that of table_of without its noise. */
static double error_on_grid(const char *text) {
    const sooth_table table = table_of(y);
    sooth_train_recipe recipe;
    sooth_model *model;
    double sum = 0.0;
    CHECK_STATUS(read_text(text, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    for (int a = 1; a <= 8; ++a)
        for (int b = 12; b < 98; b += 2) {
            const float row[COLS] = {(float)a, (float)b};
            float scratch[COLS];
            sum += fabs((double)sooth_model_predict(model, row, scratch) - (20.5 + 5.0 * a + 0.3 * b));
        }
    sooth_model_free(&env, model);
    return sum / (8.0 * 43.0);
}

static void a_tree_gains_from_a_teacher(void) {
    const double taught = error_on_grid("tree teacher=linear");
    CHECK(taught < 0.5 * error_on_grid("tree"));
    CHECK(error_on_grid("linear") < taught);
    CHECK(error_on_grid("tree max_leaves=31 teacher=linear") < error_on_grid("tree max_leaves=31"));
}

/* A teacher takes categories, missing values, weights, and several targets. */
static void a_teacher_takes_what_tables_have(void) {
    static const uint8_t categorical[COLS] = {1, 0};
    static float two[2 * ROWS], weight[ROWS];
    sooth_table table = table_of(y);
    sooth_train_recipe recipe;
    sooth_model *model;
    for (int i = 0; i < ROWS; ++i) weight[i] = (float)(1 + i % 2), two[2 * i] = y[i], two[2 * i + 1] = -y[i];
    table.y = two;
    table.targets = 2;
    table.weight = weight;
    table.categorical = categorical;
    for (int i = 0; i < ROWS; i += 7) x[2 * i + i / 7 % 2] = (float)NAN;
    CHECK_STATUS(read_text("tree max_leaves=31", &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "teacher", "forest n_estimators=5"), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    for (int i = 0; model && i < ROWS; ++i) {
        float out[2], scratch[COLS];
        sooth_model_predict_many(model, x + 2 * i, 1, COLS, out, scratch, 1);
        CHECK(out[0] > 20.0f && out[0] < 91.0f && fabsf(out[0] + out[1]) < 1e-3f);
    }
    sooth_model_free(&env, model);
}

static void teachers_that_are_refused(void) {
    static const char *const cases[][2] = {
        {"best teacher=linear", "best, which compares models by the target, excludes a teacher"},
        {"boost loss=quantile teacher=linear", "a quantile excludes a teacher"},
        {"boost quantiles=0.5,0.9 teacher=linear", "a quantile excludes a teacher"},
        {"boost loss=logistic teacher=linear",
         "loss=logistic, whose targets are 0 and 1, excludes a teacher"},
        {"mlp loss=logistic teacher=linear", "loss=logistic, whose targets are 0 and 1, excludes a teacher"},
        {"tree ratio_to=column teacher=linear", "ratio_to excludes a teacher"},
        {"tree teacher=forrest", "there is no model forrest"}};
    const sooth_table table = table_of(y);
    sooth_train_recipe recipe;
    sooth_model *model;
    char text[SOOTH_TRAIN_TEACHER_SIZE + 1];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        CHECK_STATUS(read_text(cases[k][0], &recipe), SOOTH_OK);
        CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT, cases[k][1]);
        CHECK(model == NULL);
    }
    CHECK_STATUS(read_text("tree", &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "teacher", "linear interval=0.9"), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "a teacher has no interval or probability of its own");
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "teacher", "tree teacher=linear"), SOOTH_OK);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "a teacher has no teacher");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    CHECK_FAILS(&env, sooth_train_recipe_set(&env, &recipe, "teacher", text), SOOTH_BAD_ARGUMENT,
                "teacher has 160 letters, but must have at most 159");
}

/* A fit that diverges has no model, and says so. */
static void what_diverges_is_no_model(void) {
    static float far[ROWS];
    sooth_table table = table_of(y);
    sooth_train_recipe recipe;
    sooth_model *model;
    for (size_t i = 0; i < ROWS; ++i) far[i] = i % 2 ? 3e38f : -3e38f;
    table.y = far;
    CHECK_STATUS(read_text("boost n_estimators=50 learning_rate=1 lambda=0", &recipe), SOOTH_OK);
    recipe.options.boost.has_base_score = 1;
    recipe.options.boost.base_score = -3e38;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_NOT_CONVERGED,
                "a derivative of the loss is not finite");
    CHECK(model == NULL);
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
    CHECK_RUN(a_refit_to_the_same_rows_changes_nothing);
    CHECK_RUN(a_refit_divides_by_the_sum);
    CHECK_RUN(refits_that_are_refused);
    CHECK_RUN(fits_in_several_processes_are_refused);
    CHECK_RUN(fits_of_a_ratio_that_are_refused);
    CHECK_RUN(a_teacher_predicts_rows_between_the_rows);
    CHECK_RUN(a_tree_gains_from_a_teacher);
    CHECK_RUN(a_teacher_takes_what_tables_have);
    CHECK_RUN(teachers_that_are_refused);
    CHECK_RUN(what_diverges_is_no_model);
    return check_end("fit");
}
