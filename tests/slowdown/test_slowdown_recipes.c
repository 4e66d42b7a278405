/* test_slowdown_recipes.c - slowdown.h with other kinds of models than the network, against a naive twin.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown.h"
#include "check.h"
#include "colocation.h"

static sooth_env env;
static float train_x[COLOCATION_ROWS * SOOTH_SLOWDOWN_INPUTS], train_y[COLOCATION_ROWS * 2];

/* The first rows of the training table. */
static sooth_table some(size_t rows) {
    sooth_table table = sooth_table_of(train_x, train_y, rows, SOOTH_SLOWDOWN_INPUTS);
    table.targets = 2;
    return table;
}

/* Extra-trees by hand: logarithms of the inputs and of both slowdowns, none below 1, and back. */
static void extra_trees_are_a_forest_of_logarithms(void) {
    enum { ROWS = 300 };
    static float x[ROWS * SOOTH_SLOWDOWN_INPUTS], y[ROWS * 2];
    const sooth_slowdown_options options = {.no_copies = 1};
    const sooth_forest_options trees = {
        .n_estimators = 10, .splitter = SOOTH_FOREST_RANDOM, .no_bootstrap = 1, .seed = 5};
    const sooth_train_recipe recipe = {.model = "extratrees", .options.forest = trees};
    const sooth_table table = some(ROWS);
    sooth_table twin = sooth_table_of(x, y, ROWS, SOOTH_SLOWDOWN_INPUTS);
    sooth_forest *forest;
    sooth_model *model;
    for (size_t i = 0; i < ROWS * SOOTH_SLOWDOWN_INPUTS; ++i)
        x[i] = sooth_log(i % SOOTH_SLOWDOWN_INPUTS ? train_x[i] + 1e-3f : train_x[i]);
    for (size_t i = 0; i < ROWS * 2; ++i) y[i] = sooth_log(train_y[i] > 1 ? train_y[i] : 1);
    twin.targets = 2;
    CHECK_STATUS(sooth_forest_fit(&env, &twin, &trees, &forest), SOOTH_OK);
    CHECK_STATUS(sooth_slowdown_fit(&env, &table, &options, &recipe, &model), SOOTH_OK);
    if (!forest || !model) return;
    CHECK(sooth_model_check(model, model->head.size));
    for (size_t i = 0; i < ROWS; ++i) {
        float out[2], part[2];
        sooth_forest_predict_many(forest, x + i * SOOTH_SLOWDOWN_INPUTS, 1, SOOTH_SLOWDOWN_INPUTS, out);
        const float sd = sooth_slowdown_predict(model, train_x + i * SOOTH_SLOWDOWN_INPUTS, part);
        for (size_t k = 0; k < 2; ++k) CHECK_CLOSE(part[k], exp((double)out[k]), 1e-6);
        CHECK_CLOSE(sd, (double)part[0] * (double)part[1], 1e-6);
    }
    sooth_model_free(&env, model);
    sooth_forest_free(&env, forest);
}

/* Support vectors learn one target: two rows for each by hand, with the part as the last feature. */
static void one_target_has_the_part_as_a_feature(void) {
    enum { ROWS = 150, WIDE = SOOTH_SLOWDOWN_INPUTS + 1 };
    static float x[2 * ROWS * WIDE], y[2 * ROWS];
    const sooth_slowdown_options options = {.no_copies = 1};
    sooth_train_recipe recipe = {.model = "svr"};
    const sooth_table table = some(ROWS);
    sooth_table twin = sooth_table_of(x, y, 2 * ROWS, WIDE);
    float scratch[WIDE];
    sooth_model *model, *by_hand;
    for (size_t r = 0; r < 2 * ROWS; ++r) {
        const float *of = train_x + r / 2 * SOOTH_SLOWDOWN_INPUTS;
        for (size_t k = 0; k < SOOTH_SLOWDOWN_INPUTS; ++k)
            x[r * WIDE + k] = sooth_log(k ? of[k] + 1e-3f : of[k]);
        x[r * WIDE + WIDE - 1] = (float)(r % 2);
        y[r] = train_y[r] > 1 ? train_y[r] : 1;
    }
    CHECK_STATUS(sooth_slowdown_fit(&env, &table, &options, &recipe, &model), SOOTH_OK);
    recipe.target.transform = SOOTH_SCALE_LOG;
    recipe.has_target = 1;
    CHECK_STATUS(sooth_train_fit(&env, &twin, &recipe, &by_hand), SOOTH_OK);
    if (!model || !by_hand) return;
    CHECK(model->head.features == WIDE && model->head.targets == 1);
    for (size_t r = 0; r < ROWS; ++r) {
        float part[2], sd = sooth_slowdown_predict(model, train_x + r * SOOTH_SLOWDOWN_INPUTS, part);
        for (size_t k = 0; k < 2; ++k) {
            const float of = sooth_model_predict(by_hand, x + (2 * r + k) * WIDE, scratch);
            CHECK_CLOSE(part[k], of > 1 ? of : 1, 1e-6);
        }
        CHECK_CLOSE(sd, (double)part[0] * (double)part[1], 1e-6);
    }
    sooth_model_free(&env, by_hand);
    sooth_model_free(&env, model);
}

/* The card has the names of the columns, and "part" where that is the last feature. */
static void names_are_in_the_card(void) {
    enum { WIDE = SOOTH_SLOWDOWN_INPUTS + 1 };
    static const char letters[SOOTH_SLOWDOWN_INPUTS][2] = {"a", "b", "c", "d", "e", "f",
                                                           "g", "h", "i", "j", "k", "l"};
    static const char *const kinds[] = {"tree", "svr"};
    const char *names[SOOTH_SLOWDOWN_INPUTS];
    const sooth_slowdown_options options = {.no_copies = 1};
    sooth_table table = some(60);
    for (size_t j = 0; j < SOOTH_SLOWDOWN_INPUTS; ++j) names[j] = letters[j];
    table.names = names;
    for (size_t k = 0; k < 2; ++k) {
        const sooth_train_recipe recipe = {.model = kinds[k]};
        sooth_model_parts parts;
        sooth_model *model;
        CHECK_STATUS(sooth_slowdown_fit(&env, &table, &options, &recipe, &model), SOOTH_OK);
        if (!model) return;
        sooth_model_open(model, &parts);
        CHECK(parts.card && model->head.features == (k ? WIDE : SOOTH_SLOWDOWN_INPUTS));
        for (size_t j = 0; j < model->head.features; ++j)
            CHECK(strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j),
                         j < SOOTH_SLOWDOWN_INPUTS ? letters[j] : "part") == 0);
        sooth_model_free(&env, model);
    }
}

/* Copies of a row have its program. Otherwise the folds of best would hold rows whose copies
   are learned from, and the expected error would be a fraction of the true one. */
static void copies_are_held_out_with_their_row(void) {
    enum { ROWS = 40 };
    static uint32_t program[ROWS];
    const sooth_slowdown_options options = {.copies = 1};
    const sooth_train_recipe recipe = {.model = "best", .options.best = {.effort = SOOTH_BEST_LOW}};
    sooth_table table = some(ROWS);
    sooth_model_parts parts;
    sooth_model *model;
    for (uint32_t i = 0; i < ROWS; ++i) program[i] = i / 10;
    table.group = program;
    CHECK_STATUS(sooth_slowdown_fit(&env, &table, &options, &recipe, &model), SOOTH_OK);
    if (!model) return;
    sooth_model_open(model, &parts);
    const sooth_best *best = (const sooth_best *)(const void *)parts.predictor;
    CHECK(parts.predictor->kind % 65536 == SOOTH_KIND_BEST && best->held == 1);
    CHECK(best->folds == 4); /* of the programs */
    sooth_model_free(&env, model);
}

/* Asked for by name, the logarithm of the slowdowns is what a recipe without a target has: the same bits. */
static void the_target_of_a_recipe_counts(void) {
    const sooth_slowdown_options options = {.no_copies = 1};
    const sooth_scale_options target[2] = {{.transform = SOOTH_SCALE_LOG}, {.transform = SOOTH_SCALE_NONE}};
    const sooth_table table = some(60);
    sooth_model *model[3];
    for (size_t k = 0; k < 3; ++k) {
        const sooth_train_recipe recipe = {
            .model = "tree", .target = target[k ? k - 1 : 0], .has_target = k > 0};
        CHECK_STATUS(sooth_slowdown_fit(&env, &table, &options, &recipe, &model[k]), SOOTH_OK);
        if (!model[k]) return;
    }
    CHECK(model[1]->head.size == model[0]->head.size && memcmp(model[1], model[0], model[0]->head.size) == 0);
    CHECK(model[2]->head.size != model[0]->head.size || memcmp(model[2], model[0], model[0]->head.size) != 0);
    for (size_t k = 0; k < 3; ++k) sooth_model_free(&env, model[k]);
}

/* Mean relative error of both programs in all pairs of kernels that no row of training holds, in per cent. */
static double unseen_pairs(const sooth_model *model) {
    const int tests = SIMULATOR_KERNELS - SIMULATOR_TRAIN;
    double sum = 0;
    int rows = 0;
    for (int pair = 0; pair < tests * tests; ++pair)
        for (int first = 10; first <= 30; first += 10) {
            const simulator_kernel *const k[2] = {&simulator_kernels[SIMULATOR_TRAIN + pair / tests],
                                                  &simulator_kernels[SIMULATOR_TRAIN + pair % tests]};
            const int sms[2] = {first, SIMULATOR_SMS - first};
            float row[2 * SOOTH_SLOWDOWN_INPUTS], sd[4], part[2];
            colocation_run(k, sms, 2, NULL, row, sd);
            for (int i = 0; i < 2; ++i, ++rows) {
                const double truth = (double)sd[2 * i] * (double)sd[2 * i + 1];
                sum += fabs((double)sooth_slowdown_predict(model, row + SOOTH_SLOWDOWN_INPUTS * i, part) -
                            truth) /
                       truth;
            }
        }
    return 100 * sum / rows;
}

/* Trained on producers of pressure only, as the network is. Every kind learns something: without interference
   and scale it would be 50 % and more. */
static void kinds_on_unseen_kernels(void) {
    CHECK_SLOW();
    static const char *const kind[] = {NULL, "extratrees", "forest", "boost", "svr", "best"};
    const sooth_table table = some(COLOCATION_ROWS);
    for (size_t k = 0; k < sizeof kind / sizeof *kind; ++k) {
        sooth_train_recipe recipe = {.model = kind[k]};
        if (k == 4) recipe.options.svr.C = 10, recipe.options.svr.epsilon = 0.03;
        if (k == 5) recipe.options.best.effort = SOOTH_BEST_LOW;
        sooth_model *model;
        CHECK_STATUS(sooth_slowdown_fit(&env, &table, NULL, kind[k] ? &recipe : NULL, &model), SOOTH_OK);
        if (!model) return;
        const double error = unseen_pairs(model);
        printf("  %s: pairs %.1f %%\n", kind[k] ? kind[k] : "the network", error);
        CHECK(error < 12);
        sooth_model_free(&env, model);
    }
}

static void what_is_refused(void) {
    const sooth_slowdown_options wrong = {.jitter = 9};
    const sooth_train_recipe nothing = {.model = "oracle"}, law = {.model = "scaling"},
                             tree = {.model = "tree"};
    sooth_table table = some(20);
    sooth_model *model;
    sooth_tree *alone;
    float part[2];
    CHECK_FAILS(&env, sooth_slowdown_fit(&env, &table, NULL, &nothing, &model), SOOTH_BAD_ARGUMENT, "oracle");
    CHECK(model == NULL);
    CHECK_FAILS(&env, sooth_slowdown_fit(&env, &table, NULL, &law, &model), SOOTH_BAD_DATA, "13 columns");
    CHECK(model == NULL);
    CHECK_FAILS(&env, sooth_slowdown_fit(&env, &table, &wrong, &tree, &model), SOOTH_BAD_ARGUMENT, "jitter");
    table.cols = 11;
    CHECK_FAILS(&env, sooth_slowdown_fit(&env, &table, NULL, &tree, &model), SOOTH_BAD_DATA,
                "but must have 12 and 2");
    CHECK(model == NULL);
    table = some(20);
    table.targets = 1;
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &alone), SOOTH_OK);
    if (!alone) return;
    CHECK(isnan(sooth_slowdown_predict(sooth_model_from_block(&alone->head), train_x, part)) &&
          isnan(part[0]) && isnan(part[1]));
    sooth_tree_free(&env, alone);
    table = some(20); /* two targets, but of too few inputs */
    table.cols = SOOTH_SLOWDOWN_INPUTS - 1;
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &alone), SOOTH_OK);
    if (!alone) return;
    CHECK(isnan(sooth_slowdown_predict(sooth_model_from_block(&alone->head), train_x, part)) &&
          isnan(part[0]) && isnan(part[1]));
    sooth_tree_free(&env, alone);
}

/* Odd rows give a slowdown of at least 1 by any kind. */
static void never_faster_than_alone(void) {
    const float odd[4] = {0, -5, NAN, INFINITY};
    const sooth_train_recipe recipe = {.model = "linear"};
    const sooth_table table = some(60);
    sooth_model *model;
    CHECK_STATUS(sooth_slowdown_fit(&env, &table, NULL, &recipe, &model), SOOTH_OK);
    if (!model) return;
    for (size_t i = 0; i < 4; ++i) {
        float row[SOOTH_SLOWDOWN_INPUTS], part[2];
        for (size_t k = 0; k < SOOTH_SLOWDOWN_INPUTS; ++k) row[k] = odd[i];
        CHECK(sooth_slowdown_predict(model, row, part) >= 1 && part[0] >= 1 && part[1] >= 1);
    }
    sooth_model_free(&env, model);
}

static void every_allocation_may_fail(void) {
    const sooth_slowdown_options options = {.epochs = 1};
    const sooth_forest_options trees = {.n_estimators = 2};
    const sooth_train_recipe recipe = {.model = "extratrees", .options.forest = trees},
                             svr = {.model = "svr"};
    const sooth_table table = some(20);
    sooth_model *model;
    CHECK_EVERY_ALLOCATION(&env, sooth_slowdown_fit(&env, &table, &options, NULL, &model),
                           sooth_model_free(&env, model));
    CHECK_EVERY_ALLOCATION(&env, sooth_slowdown_fit(&env, &table, &options, &recipe, &model),
                           sooth_model_free(&env, model));
    CHECK_EVERY_ALLOCATION(&env, sooth_slowdown_fit(&env, &table, &options, &svr, &model),
                           sooth_model_free(&env, model));
    sooth_env_init(&env);
}

int main(void) {
    sooth_env_init(&env);
    colocation_train(train_x, train_y, NULL);
    CHECK_RUN(extra_trees_are_a_forest_of_logarithms);
    CHECK_RUN(one_target_has_the_part_as_a_feature);
    CHECK_RUN(names_are_in_the_card);
    CHECK_RUN(copies_are_held_out_with_their_row);
    CHECK_RUN(the_target_of_a_recipe_counts);
    CHECK_RUN(kinds_on_unseen_kernels);
    CHECK_RUN(what_is_refused);
    CHECK_RUN(never_faster_than_alone);
    CHECK_RUN(every_allocation_may_fail);
    return check_end("slowdown_recipes");
}
