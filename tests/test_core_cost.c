/* test_core_cost.c - what models cost on cores: counts against structure, ranges against predictions. (The
 * table itself is tested against emulators by tests/budget.sh.)
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/core_cost.h"
#include "check.h"

enum { ROWS = 600, FEATURES = 3 };

static float x[ROWS * FEATURES], y[ROWS], z[2 * ROWS];
static sooth_env env;

static sooth_table rows(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < FEATURES; ++j)
            x[i * FEATURES + j] = (float)(int)sooth_rng_below(&rng, 101) - 50.0f;
        y[i] = 200.0f + x[i * FEATURES] + (x[i * FEATURES + 1] > 0.0f ? x[i * FEATURES + 2] : 0.0f);
        z[2 * i] = z[2 * i + 1] = y[i];
    }
    return sooth_table_of(x, y, ROWS, FEATURES);
}

static sooth_model *model_of(const char *kind, const char *option, const char *value, int logarithm) {
    const sooth_table table = rows();
    soothi_model_any_options options;
    sooth_scale_options target;
    sooth_model_recipe recipe;
    sooth_model_kind of;
    sooth_model *model = NULL;
    memset(&options, 0, sizeof options);
    memset(&target, 0, sizeof target);
    memset(&recipe, 0, sizeof recipe);
    CHECK_STATUS(sooth_model_kind_named(&env, kind, &of), SOOTH_OK);
    CHECK_STATUS(sooth_option_set(&env, of.options, &options, option, value), SOOTH_OK);
    target.transform = SOOTH_SCALE_LOG;
    recipe.model = kind;
    recipe.options = &options;
    recipe.target = logarithm ? &target : NULL;
    sooth_model_fit(&env, &table, &recipe, &model);
    CHECK(model != NULL);
    return model;
}

/* Every prediction lies in the range; returns how much of it they fill. */
static double filled(const sooth_model *model) {
    float least, most, low = 1e30f, high = -1e30f, scratch[FEATURES];
    CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
    for (int i = 0; i < ROWS; ++i) {
        const float v = sooth_model_predict(model, x + i * FEATURES, scratch);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    CHECK(least <= low && high <= most);
    return ((double)high - (double)low) / ((double)most - (double)least);
}

static void predictions_stay_in_the_range(void) {
    static const struct {
        const char *kind, *option, *value;
        int logarithm;
        double fills;
    } all[] = {{"tree", "max_depth", "4", 0, 0.999}, {"tree", "max_depth", "4", 1, 0.99},
               {"boost", "loss", "gamma", 0, 0.2},   {"boost", "n_estimators", "20", 1, 0.2},
               {"forest", "max_depth", "4", 0, 0.3}, {"linear", "lambda", "0", 0, 0.7},
               {"mlp", "hidden_1", "5", 0, 0.1},     {"linear", "lambda", "0", 1, 0.5}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        sooth_model *model = model_of(all[i].kind, all[i].option, all[i].value, all[i].logarithm);
        CHECK(filled(model) > all[i].fills);
        sooth_model_free(&env, model);
    }
}

/* The range of a line is reached at a corner of the training ranges. */
static void a_line_reaches_its_ends(void) {
    sooth_model *model = model_of("linear", "lambda", "0", 0);
    sooth_model_parts parts;
    float least, most, low = 1e30f, high = -1e30f;
    sooth_model_open(model, &parts);
    for (int corner = 0; corner < 8; ++corner) {
        float row[FEATURES];
        for (int j = 0; j < FEATURES; ++j) row[j] = sooth_card_range(parts.card)[2 * j + (corner >> j & 1)];
        const float v = sooth_model_predict(model, row, NULL);
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
    CHECK_NEAR(least, low, 0.02);
    CHECK_NEAR(most, high, 0.02);
    CHECK(least <= low && most >= high);
    sooth_model_free(&env, model);
}

/* The depth of a tree, by recursion. */
static uint32_t depth_below(const soothi_export_trees *trees, const sooth_tree_node *node) {
    if (!(node->link & 1u)) return 0;
    const sooth_tree_node *left = node + (node->link >> trees->shift);
    const uint32_t a = depth_below(trees, left), b = depth_below(trees, left + 1);
    return 1 + (a > b ? a : b);
}

static void comparisons_are_the_deepest_ways(void) {
    sooth_model *model = model_of("boost", "n_estimators", "9", 0);
    soothi_export_job job;
    sooth_core_cost cost;
    uint32_t depth = 0;
    CHECK_STATUS(soothi_core_open(&env, model, SOOTH_CORE_FORM_C, &job), SOOTH_OK);
    for (uint32_t k = 0; k < job.trees.trees; ++k)
        depth += depth_below(&job.trees, job.trees.node + soothi_export_start(&job.trees, k));
    for (uint32_t core = 0; core < SOOTH_CORES; ++core)
        for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form) {
            CHECK_STATUS(sooth_core_cost_of(&env, model, core, form, &cost), SOOTH_OK);
            CHECK(cost.comparisons == depth && cost.multiply_adds == 0);
            CHECK(cost.steps > depth && cost.flash > 0);
            CHECK((cost.bits > 0) == (cost.error > 0.0f));
            CHECK((cost.memory > 0) == (core == SOOTH_CORE_AVR && form == SOOTH_CORE_FORM_C));
        }
    sooth_model_free(&env, model);
}

/* More trees take more of everything that grows with them. */
static void more_costs_more(void) {
    sooth_model *few = model_of("boost", "n_estimators", "5", 0),
                *many = model_of("boost", "n_estimators", "10", 0);
    for (uint32_t core = 0; core < SOOTH_CORES; ++core)
        for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form) {
            sooth_core_cost a, b;
            CHECK_STATUS(sooth_core_cost_of(&env, few, core, form, &a), SOOTH_OK);
            CHECK_STATUS(sooth_core_cost_of(&env, many, core, form, &b), SOOTH_OK);
            CHECK(a.flash < b.flash && a.steps < b.steps && a.stack == b.stack);
        }
    sooth_model_free(&env, few);
    sooth_model_free(&env, many);
}

static void what_has_no_cost_is_a_sentence(void) {
    const sooth_table table = rows();
    sooth_model *line = model_of("linear", "lambda", "0", 0), *network = model_of("mlp", "hidden_1", "4", 0);
    sooth_model *vectors = model_of("svr", "C", "1", 0), *both = NULL;
    sooth_table two = table;
    sooth_model_recipe recipe;
    sooth_core_cost cost;
    float least, most;
    uint32_t core = 99;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "tree";
    two.y = z;
    two.targets = 2;
    CHECK_STATUS(sooth_model_fit(&env, &two, &recipe, &both), SOOTH_OK);
    CHECK_FAILS(&env, sooth_core_cost_of(&env, both, 0, 0, &cost), SOOTH_BAD_ARGUMENT, "2 targets");
    CHECK_FAILS(&env, sooth_core_cost_of(&env, vectors, 0, 0, &cost), SOOTH_BAD_ARGUMENT, "was not measured");
    CHECK_FAILS(&env, sooth_core_cost_of(&env, line, 0, SOOTH_CORE_FORM_C_16, &cost), SOOTH_BAD_ARGUMENT,
                "no form \"c, 16 bits\"");
    CHECK_FAILS(&env, sooth_core_cost_of(&env, network, 0, SOOTH_CORE_FORM_C_IF, &cost), SOOTH_BAD_ARGUMENT,
                "no form \"c-if\"");
    CHECK_FAILS(&env, sooth_core_cost_of(&env, line, SOOTH_CORES, 0, &cost), SOOTH_BAD_ARGUMENT, "core 4");
    CHECK_FAILS(&env, sooth_core_range(&env, vectors, 0, &least, &most), SOOTH_BAD_ARGUMENT, "no bounds");
    CHECK_FAILS(&env, sooth_core_range(&env, line, 1, &least, &most), SOOTH_BAD_ARGUMENT, "no target 1");
    CHECK_FAILS(&env, sooth_core_named(&env, "z80", &core), SOOTH_BAD_ARGUMENT,
                "cortex-m0, cortex-m4, avr, rv32");
    CHECK(core == 99);
    CHECK_STATUS(sooth_core_named(&env, "avr", &core), SOOTH_OK);
    CHECK(core == SOOTH_CORE_AVR && sooth_core_name(SOOTH_CORES) == NULL);
    sooth_model_free(&env, line);
    sooth_model_free(&env, network);
    sooth_model_free(&env, vectors);
    sooth_model_free(&env, both);
}

/* Of a file that someone made up: with a leaf that is no number it may answer anything, with such a base
   nothing. */
static void odd_leaves_are_told(void) {
    const float huge[2] = {3e38f, -3e38f}, one[2] = {-1.0f, 1.0f};
    sooth_ensemble_node node[3] = {{.left = 1, .right = 2, .threshold = 0.0f}, {.value = 1}, {.value = 2}};
    sooth_ensemble_shape shape = {.kind = SOOTH_KIND_BOOST, .features = 1, .targets = 1};
    sooth_ensemble_builder builder;
    sooth_ensemble *e;
    float least, most;
    sooth_ensemble_begin(&builder, &env, &shape);
    node[1].value = (double)huge[0];
    node[2].value = (double)huge[1];
    sooth_ensemble_add(&builder, node, 3, NULL);
    CHECK_STATUS(sooth_ensemble_end(&builder, &e), SOOTH_OK);
    CHECK_STATUS(sooth_core_range(&env, &e->head, 0, &least, &most), SOOTH_OK);
    CHECK(least <= sooth_ensemble_predict(e, one + 1) && most >= 3e38f && most <= FLT_MAX &&
          least >= -FLT_MAX);
    ((sooth_tree_node *)(void *)(e + 1))[1].u.value = soothi_missing();
    soothi_block_seal(&e->head);
    CHECK(sooth_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK_STATUS(sooth_core_range(&env, &e->head, 0, &least, &most), SOOTH_OK);
    CHECK(least <= -FLT_MAX && most >= FLT_MAX);
    ((float *)(uintptr_t)sooth_ensemble_base(e))[0] = soothi_missing();
    soothi_block_seal(&e->head);
    CHECK(sooth_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK_FAILS(&env, sooth_core_range(&env, &e->head, 0, &least, &most), SOOTH_BAD_ARGUMENT,
                "is not a number");
    sooth_ensemble_free(&env, e);
}

static void memory_may_fail(void) {
    sooth_model *network = model_of("mlp", "hidden_1", "4", 0), *tree = model_of("tree", "max_depth", "3", 0);
    sooth_core_cost cost;
    sooth_env failing;
    float least, most;
    sooth_env_init(&failing);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_cost_of(&failing, network, 0, SOOTH_CORE_FORM_C_8, &cost),
                           (void)0);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_cost_of(&failing, tree, 0, SOOTH_CORE_FORM_C_16, &cost),
                           (void)0);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_range(&failing, network, 0, &least, &most), (void)0);
    sooth_model_free(&env, network);
    sooth_model_free(&env, tree);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(predictions_stay_in_the_range);
    CHECK_RUN(a_line_reaches_its_ends);
    CHECK_RUN(comparisons_are_the_deepest_ways);
    CHECK_RUN(more_costs_more);
    CHECK_RUN(what_has_no_cost_is_a_sentence);
    CHECK_RUN(odd_leaves_are_told);
    CHECK_RUN(memory_may_fail);
    return check_end("core_cost");
}
