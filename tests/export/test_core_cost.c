/* test_core_cost.c - what models cost on cores: counts against structure, ranges against predictions. (The
 * table itself is tested against emulators by tests/cli/budget.sh.)
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/core_cost.h"
#include "sooth/train.h"
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
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, kind), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, option, value), SOOTH_OK);
    recipe.has_target = (uint32_t)logarithm;
    recipe.target.transform = SOOTH_SCALE_LOG;
    sooth_train_fit(&env, &table, &recipe, &model);
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
               {"mlp", "hidden_1", "5", 0, 0.1},     {"linear", "lambda", "0", 1, 0.5},
               {"linear", "products", "1", 0, 0.1}};
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
        for (int j = 0; j < FEATURES; ++j)
            row[j] = sooth_model_card_range(parts.card)[2 * j + (corner >> j & 1)];
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

/* A product of two columns that both reach from -50 to 50 reaches from -2500 to 2500, times 3 and around 7;
   a square is bounded by its corners too, (-50) 50 and 50 50. Means of columns that are not 0 leave a plane,
   which makes the range up to 3 % wider. */
static void a_product_reaches_its_corners(void) {
    for (int square = 0; square < 2; ++square) {
        sooth_table table = rows();
        const sooth_linear_options options = {.products = 1};
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        float least, most;
        for (int i = 0; i < ROWS; ++i)
            y[i] = 7.0f + (square ? -3.0f : 3.0f) * x[i * FEATURES] * x[i * FEATURES + !square];
        memset(&recipe, 0, sizeof recipe);
        recipe.model = "linear";
        recipe.options.linear = options;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) return;
        CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
        CHECK_NEAR(least, -7500 + 7, 225);
        CHECK_NEAR(most, 7500 + 7, 225);
        CHECK(filled(model) > (square ? 0.49 : 0.9));
        sooth_model_free(&env, model);
    }
}

/* The depth of a tree, by recursion. */
static uint32_t depth_below(const soothi_export_trees *trees, const sooth_tree_node *node) {
    if (!(node->link & 1u)) return 0;
    const sooth_tree_node *left = node + (node->link >> trees->shift);
    const uint32_t a = depth_below(trees, left), b = depth_below(trees, left + 1);
    return 1 + (a > b ? a : b);
}

/* Trees have two forms in the kernel, and the others everywhere else. */
static int has_form(uint32_t core, uint32_t form) {
    return (core == SOOTH_CORE_BPF) == (form == SOOTH_CORE_FORM_BPF || form == SOOTH_CORE_FORM_BPF_MAP);
}

/* Comparisons, and functions: one of a link or of a logarithm, and those of floats alone. */
static void counts_are_those_of_the_trees(void) {
    static const struct {
        const char *kind, *option, *value;
        int logarithm;
        uint32_t functions;
    } all[] = {{"boost", "n_estimators", "9", 0, 0},
               {"forest", "n_estimators", "5", 0, 0},
               {"boost", "loss", "gamma", 0, 1},
               {"tree", "max_depth", "5", 1, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        sooth_model *model = model_of(all[i].kind, all[i].option, all[i].value, all[i].logarithm);
        soothi_export_job job;
        sooth_core_cost cost;
        uint32_t depth = 0, deepest = 0;
        CHECK_STATUS(soothi_core_open(&env, model, SOOTH_CORE_FORM_C, &job), SOOTH_OK);
        for (uint32_t k = 0; k < job.trees.trees; ++k) {
            const uint32_t d = depth_below(&job.trees, job.trees.node + soothi_export_start(&job.trees, k));
            depth += d;
            deepest = d > deepest ? d : deepest;
        }
        for (uint32_t core = 0; core < SOOTH_CORES; ++core)
            for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form) {
                const int floats = form == SOOTH_CORE_FORM_C || form == SOOTH_CORE_FORM_C_IF;
                const uint32_t walks = (job.trees.trees + 7) / 8 * 8;
                if (!has_form(core, form)) continue;
                CHECK_STATUS(sooth_core_estimate(&env, model, core, form, &cost), SOOTH_OK);
                CHECK(cost.comparisons == (form == SOOTH_CORE_FORM_BPF_MAP ? walks * deepest : depth));
                CHECK(cost.functions == (floats ? all[i].functions : 0));
                CHECK(cost.steps > depth && cost.flash > 0);
                CHECK((cost.multiply_adds > 0) == (floats && all[i].logarithm));
                CHECK((cost.bits == 0) == floats && (cost.error > 0.0f) == !floats);
                CHECK((cost.memory > 0) == (form == SOOTH_CORE_FORM_BPF_MAP));
            }
        sooth_model_free(&env, model);
    }
}

/* More trees take more of everything that grows with them; in a map that is memory and not code. */
static void more_costs_more(void) {
    sooth_model *few = model_of("boost", "n_estimators", "5", 0),
                *many = model_of("boost", "n_estimators", "10", 0);
    for (uint32_t core = 0; core < SOOTH_CORES; ++core)
        for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form) {
            sooth_core_cost a, b;
            if (!has_form(core, form)) continue;
            CHECK_STATUS(sooth_core_estimate(&env, few, core, form, &a), SOOTH_OK);
            CHECK_STATUS(sooth_core_estimate(&env, many, core, form, &b), SOOTH_OK);
            CHECK(a.steps < b.steps && a.stack == b.stack);
            if (form == SOOTH_CORE_FORM_BPF_MAP) CHECK(a.flash == b.flash && a.memory < b.memory);
            else CHECK(a.flash < b.flash);
        }
    sooth_model_free(&env, few);
    sooth_model_free(&env, many);
}

/* A line of the row, of its logarithms, and one with products: each has more to compute. */
static void a_line_with_more_costs_more(void) {
    sooth_model *model[] = {model_of("linear", "lambda", "0", 0), model_of("linear", "transform", "clip", 0),
                            model_of("linear", "transform", "log,none", 0),
                            model_of("linear", "products", "1", 0)};
    for (uint32_t core = 0; core < SOOTH_CORE_BPF; ++core) {
        sooth_core_cost cost[4];
        for (int k = 0; k < 4; ++k)
            CHECK_STATUS(sooth_core_estimate(&env, model[k], core, 0, &cost[k]), SOOTH_OK);
        CHECK(cost[0].steps < cost[1].steps && cost[1].steps < cost[2].steps);
        CHECK(cost[0].flash < cost[2].flash && cost[0].steps < cost[3].steps);
        CHECK(cost[2].functions == FEATURES && cost[0].functions == 0 && cost[3].functions == 0);
        CHECK(cost[0].multiply_adds < cost[3].multiply_adds);
    }
    for (int k = 0; k < 4; ++k) sooth_model_free(&env, model[k]);
}

/* Laws of one column or two, but not those of sockets, which were not measured; logarithms cost more. */
static void laws_have_costs(void) {
    static const char *const law[] = {"amdahl", "gustafson", "usl", "power_law", "time", "power"};
    const float threads[] = {1, 1, 2, 1, 4, 1, 8, 1, 1, 2, 2, 2, 4, 2, 8, 2}, alone[] = {1, 2, 4, 8};
    const float seconds[] = {100, 53, 30, 20, 50, 26, 15, 10};
    sooth_core_cost cost[6];
    for (int k = 0; k < 6; ++k) {
        const sooth_table table =
            k < 4 ? sooth_table_of(alone, seconds, 4, 1) : sooth_table_of(threads, seconds, 8, 2);
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, "scaling"), SOOTH_OK);
        CHECK_STATUS(sooth_train_recipe_set(&env, &recipe, "law", law[k]), SOOTH_OK);
        recipe.options.scaling.machine.cores = 4;
        recipe.options.scaling.machine.sockets = 2;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) return;
        if (k < 5) CHECK_STATUS(sooth_core_estimate(&env, model, 0, 0, &cost[k]), SOOTH_OK);
        else
            CHECK_FAILS(&env, sooth_core_estimate(&env, model, 0, 0, &cost[k]), SOOTH_BAD_ARGUMENT,
                        "a linear model or a scaling law up to time");
        sooth_model_free(&env, model);
    }
    CHECK(cost[3].functions == 2 && cost[2].functions == 0);
    CHECK(cost[3].steps > cost[0].steps && cost[2].steps > cost[0].steps && cost[3].flash > cost[2].flash);
}

/* ---- trees put together ---- */

/* The first tree a chain of `deep` nodes that ask, the others leaves; in turn leaf[0] and leaf[1]. */
static sooth_ensemble *chain(uint32_t features, uint32_t trees, uint32_t deep, uint32_t link,
                             const double *leaf) {
    soothi_ensemble_shape shape = {
        .kind = SOOTH_KIND_BOOST, .features = features, .targets = 1, .link = link};
    soothi_ensemble_node node[81];
    soothi_ensemble_builder builder;
    sooth_ensemble *e;
    memset(node, 0, sizeof node);
    for (uint32_t k = 0; k < deep; ++k) {
        node[2 * k].left = 2 * k + 1;
        node[2 * k].right = 2 * k + 2;
        node[2 * k].threshold = (float)k;
    }
    for (uint32_t k = 0; k < 2 * deep + 1; ++k) node[k].value = leaf[k % 2];
    soothi_ensemble_begin(&builder, &env, &shape);
    soothi_ensemble_add_plain_tree(&builder, node, 2 * deep + 1, NULL);
    for (uint32_t k = 1; k < trees; ++k) {
        node[0].left = node[0].right = 0;
        soothi_ensemble_add_plain_tree(&builder, node, 1, NULL);
    }
    CHECK_STATUS(soothi_ensemble_end(&builder, &e), SOOTH_OK);
    return e;
}

/* In the kernel: what programs and maps have room for, a value of a map that holds the block and is half as
   large no more, and steps by groups of eight trees and levels. */
static void the_kernel_has_room_for_so_much(void) {
    static const double leaf[2] = {1, 2};
    static const struct {
        uint32_t features, trees, deep, form;
        const char *words; /* NULL: it fits */
    } all[] = {{1, 1016, 1, SOOTH_CORE_FORM_BPF, NULL},
               {1, 1017, 1, SOOTH_CORE_FORM_BPF,
                "the model has 1017 trees, but a BPF program can have at most 1016"},
               {32, 1, 32, SOOTH_CORE_FORM_BPF_MAP, NULL},
               {33, 1, 1, SOOTH_CORE_FORM_BPF_MAP, "has 33 features and 1 levels"},
               {1, 2, 33, SOOTH_CORE_FORM_BPF_MAP, "has 1 features and 33 levels"},
               {33, 2, 33, SOOTH_CORE_FORM_BPF, NULL}};
    uint32_t steps[5];
    sooth_core_cost cost;
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        sooth_ensemble *e = chain(all[k].features, all[k].trees, all[k].deep, 0, leaf);
        if (!all[k].words)
            CHECK_STATUS(sooth_core_estimate(&env, sooth_model_from_block(&e->head), SOOTH_CORE_BPF,
                                             all[k].form, &cost),
                         SOOTH_OK);
        else
            CHECK_FAILS(&env,
                        sooth_core_estimate(&env, sooth_model_from_block(&e->head), SOOTH_CORE_BPF,
                                            all[k].form, &cost),
                        SOOTH_BAD_ARGUMENT, all[k].words);
        sooth_ensemble_free(&env, e);
    }
    for (uint32_t k = 0; k < 5; ++k) { /* 8 and 9 trees of one level, 8, 9 and 17 of two */
        sooth_ensemble *e = chain(2, 8 + k % 2 + 9 * (k / 4), 1 + k / 2 - k / 4, 0, leaf);
        sooth_integers_options options = {.bits = 32};
        sooth_integers *m;
        CHECK_STATUS(sooth_integers_convert(&env, sooth_model_from_block(&e->head), &options, &m), SOOTH_OK);
        CHECK_STATUS(sooth_core_estimate(&env, sooth_model_from_block(&e->head), SOOTH_CORE_BPF,
                                         SOOTH_CORE_FORM_BPF_MAP, &cost),
                     SOOTH_OK);
        CHECK(cost.memory >= m->head.size && cost.memory / 2 < m->head.size);
        CHECK((cost.memory & (cost.memory - 1)) == 0);
        steps[k] = cost.steps;
        sooth_integers_free(&env, m);
        sooth_ensemble_free(&env, e);
    }
    CHECK_NEAR(steps[3] - steps[1], 2.0 * (steps[2] - steps[0]), 2); /* a level of two groups, and of one */
    CHECK_NEAR(steps[4] - steps[3], steps[3] - steps[2], 2);
}

/* Behind a link: e^v, at most as large as a float, and 1 / (1 + e^-v). */
static void links_are_looked_through(void) {
    static const double leaf[2][2] = {{100, -3}, {2.5, -0.75}};
    const float one[2] = {-1.0f, 1.0f};
    float least, most;
    for (uint32_t k = 0; k < 2; ++k) {
        sooth_ensemble *e =
            chain(1, 1, 1, k ? SOOTH_ENSEMBLE_LINK_LOGISTIC : SOOTH_ENSEMBLE_LINK_EXP, leaf[k]);
        sooth_core_cost cost;
        CHECK_STATUS(sooth_core_range(&env, sooth_model_from_block(&e->head), 0, &least, &most), SOOTH_OK);
        CHECK(least <= sooth_ensemble_predict(e, one + 1) && sooth_ensemble_predict(e, one) <= most);
        CHECK_CLOSE(least, k ? 1 / (1 + exp(0.75)) : exp(-3), 1e-3);
        CHECK_CLOSE(most, k ? 1 / (1 + exp(-2.5)) : exp(88.7), 1e-3);
        CHECK_STATUS(sooth_core_estimate(&env, sooth_model_from_block(&e->head), SOOTH_CORE_AVR, 0, &cost),
                     SOOTH_OK);
        CHECK(cost.functions == 1);
        sooth_ensemble_free(&env, e);
    }
}

/* ---- names ---- */

static void names_end(void) {
    for (size_t k = 0; k <= SOOTH_CORES; ++k) {
        const int is = k < SOOTH_CORES;
        CHECK((sooth_core_name(k) != NULL) == is && (sooth_core_text(k) != NULL) == is &&
              (sooth_core_compiler(k) != NULL) == is);
    }
    for (size_t k = 0; k <= SOOTH_CORE_FORMS; ++k)
        CHECK((sooth_core_form_name(k) != NULL) == (k < SOOTH_CORE_FORMS));
    CHECK(strstr(sooth_core_text(SOOTH_CORE_AVR), "ATmega328P"));
    CHECK(strstr(sooth_core_compiler(SOOTH_CORE_AVR), "avr-gcc"));
    CHECK(strcmp(sooth_core_form_name(SOOTH_CORE_FORM_C_IF_16), "c-if, 16 bits") == 0);
}

/* What is beyond 32 bits, and what is a little more than a whole number. */
static void numbers_are_rounded_up(void) {
    CHECK(soothi_core_whole(0.0) == 0 && soothi_core_whole(0.25) == 1 && soothi_core_whole(7.0) == 7);
    CHECK(soothi_core_whole(4294967293.5) == 4294967294u);
    CHECK(soothi_core_whole(4294967295.0) == UINT32_MAX && soothi_core_whole(1e300) == UINT32_MAX);
}

/* ---- what is refused ---- */

static void what_has_no_cost_is_a_sentence(void) {
    const sooth_table table = rows();
    sooth_model *line = model_of("linear", "lambda", "0", 0), *network = model_of("mlp", "hidden_1", "4", 0);
    sooth_model *vectors = model_of("svr", "C", "1", 0), *both = NULL;
    sooth_table two = table;
    sooth_train_recipe recipe;
    sooth_core_cost cost;
    float least, most;
    sooth_core core = SOOTH_CORES;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "tree";
    two.y = z;
    two.targets = 2;
    CHECK_STATUS(sooth_train_fit(&env, &two, &recipe, &both), SOOTH_OK);
    CHECK_FAILS(&env, sooth_core_estimate(&env, both, 0, 0, &cost), SOOTH_BAD_ARGUMENT, "2 targets");
    CHECK_FAILS(&env, sooth_core_estimate(&env, vectors, 0, 0, &cost), SOOTH_BAD_ARGUMENT,
                "was not measured");
    CHECK_FAILS(&env, sooth_core_estimate(&env, line, 0, SOOTH_CORE_FORM_C_16, &cost), SOOTH_BAD_ARGUMENT,
                "no form \"c, 16 bits\"");
    CHECK_FAILS(&env, sooth_core_estimate(&env, network, 0, SOOTH_CORE_FORM_C_IF, &cost), SOOTH_BAD_ARGUMENT,
                "no form \"c-if\"");
    CHECK_FAILS(&env, sooth_core_estimate(&env, network, 0, SOOTH_CORE_FORM_C_32, &cost), SOOTH_BAD_ARGUMENT,
                "no form \"c, 32 bits\"");
    CHECK_FAILS(&env, sooth_core_estimate(&env, network, SOOTH_CORE_BPF, 0, &cost), SOOTH_BAD_ARGUMENT,
                "the model has no form \"c\" on bpf");
    CHECK_FAILS(&env, sooth_core_estimate(&env, line, SOOTH_CORE_BPF, SOOTH_CORE_FORM_BPF, &cost),
                SOOTH_BAD_ARGUMENT, "no form \"bpf\"");
    CHECK_FAILS(&env, sooth_core_estimate(&env, line, SOOTH_CORES, 0, &cost), SOOTH_BAD_ARGUMENT,
                "core is 5");
    CHECK_FAILS(&env, sooth_core_estimate(&env, line, 0, SOOTH_CORE_FORMS, &cost), SOOTH_BAD_ARGUMENT,
                "form is 10");
    CHECK_FAILS(&env, sooth_core_range(&env, vectors, 0, &least, &most), SOOTH_BAD_ARGUMENT, "no bounds");
    CHECK_FAILS(&env, sooth_core_range(&env, line, 1, &least, &most), SOOTH_BAD_ARGUMENT, "target is 1");
    CHECK_FAILS(&env, sooth_core_named(&env, "z80", &core), SOOTH_BAD_ARGUMENT,
                "cortex-m0, cortex-m4, avr, rv32, bpf");
    CHECK(core == SOOTH_CORES);
    CHECK_STATUS(sooth_core_named(&env, "avr", &core), SOOTH_OK);
    CHECK(core == SOOTH_CORE_AVR && sooth_core_name(SOOTH_CORES) == NULL);
    sooth_model_free(&env, line);
    sooth_model_free(&env, network);
    sooth_model_free(&env, vectors);
    sooth_model_free(&env, both);
}

/* A level's statistics are looked up before the predictor, at a cost that nobody measured; codes cost
   nothing. */
static void statistics_of_levels_have_no_cost(void) {
    static const uint8_t categorical[FEATURES] = {1, 0, 0};
    static const char *const users[] = {"ann", "bob", "cy"}, *const * text[FEATURES] = {users, NULL, NULL};
    sooth_table table = rows();
    sooth_levels *levels = NULL;
    for (int i = 0; i < ROWS; ++i) x[i * FEATURES] = (float)(i % 3);
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, NULL, x, &levels), SOOTH_OK);
    table.categorical = categorical;
    for (uint32_t how = SOOTH_TRAIN_ENCODE_TARGET; how <= SOOTH_TRAIN_ENCODE_ORDINAL; ++how) {
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        sooth_core_cost cost;
        float least, most;
        memset(&recipe, 0, sizeof recipe);
        recipe.model = "tree";
        recipe.levels = levels;
        recipe.encode = how;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) break;
        if (how == SOOTH_TRAIN_ENCODE_TARGET) {
            CHECK_FAILS(&env, sooth_core_estimate(&env, model, 0, 0, &cost), SOOTH_BAD_ARGUMENT,
                        "the model encodes categories, whose cost on a core was not measured");
            CHECK_FAILS(&env, sooth_core_range(&env, model, 0, &least, &most), SOOTH_BAD_ARGUMENT,
                        "the model encodes categories");
        } else CHECK_STATUS(sooth_core_estimate(&env, model, 0, 0, &cost), SOOTH_OK);
        sooth_model_free(&env, model);
    }
    sooth_levels_free(&env, levels);
}

/* Where quantiles cross, sorting puts any of them in any place: each has the range of all of them, from the
   least leaves of a quantile's trees to the greatest of another's. */
static void sorted_quantiles_share_a_range(void) {
    sooth_model *model = model_of("boost", "quantiles", "0.3,0.5,0.9", 0);
    sooth_model_parts parts;
    double low = INFINITY, high = -INFINITY;
    sooth_model_open(model, &parts);
    const sooth_ensemble *e = (const sooth_ensemble *)(const void *)parts.predictor;
    CHECK(model->head.targets == 3 && e->flags & SOOTH_ENSEMBLE_QUANTILES);
    for (uint32_t t = 0; t < 3; ++t) {
        double least = (double)soothi_ensemble_base(e)[t], most = least;
        for (uint32_t k = t; k < e->trees; k += 3) {
            double small = INFINITY, large = -INFINITY;
            for (uint32_t n = soothi_ensemble_start(e)[k]; n < soothi_ensemble_start(e)[k + 1]; ++n) {
                const sooth_tree_node *node = soothi_ensemble_nodes(e) + n;
                if (node->link & 1u) continue;
                small = fmin(small, (double)node->u.value);
                large = fmax(large, (double)node->u.value);
            }
            least += small;
            most += large;
        }
        low = fmin(low, least);
        high = fmax(high, most);
    }
    for (size_t t = 0; t < 3; ++t) {
        float least, most, out[3], scratch[FEATURES];
        CHECK_STATUS(sooth_core_range(&env, model, t, &least, &most), SOOTH_OK);
        CHECK_CLOSE(least, low, 1e-4);
        CHECK_CLOSE(most, high, 1e-4);
        for (size_t i = 0; i < ROWS; ++i) {
            sooth_model_predict_many(model, x + i * FEATURES, 1, FEATURES, out, scratch, 1);
            CHECK(out[t] >= least && out[t] <= most);
        }
    }
    sooth_model_free(&env, model);
}

/* Trees have forms that this core has not, planes none, and a model of whole numbers is of no kind that is
   exported as floats. */
static void trees_that_have_no_cost(void) {
    sooth_model *tree = model_of("tree", "max_depth", "3", 0),
                *planes = model_of("boost", "linear_leaves", "1", 0);
    sooth_integers *whole;
    sooth_core_cost cost;
    float least, most;
    CHECK_STATUS(sooth_integers_convert(&env, tree, NULL, &whole), SOOTH_OK);
    for (uint32_t core = 0; core < SOOTH_CORES; ++core)
        for (uint32_t form = 0; form < SOOTH_CORE_FORMS; ++form) {
            if (!has_form(core, form))
                CHECK_FAILS(&env, sooth_core_estimate(&env, tree, core, form, &cost), SOOTH_BAD_ARGUMENT,
                            "the model has no form");
            CHECK_FAILS(&env, sooth_core_estimate(&env, planes, core, form, &cost), SOOTH_BAD_ARGUMENT,
                        "the cost of linear leaves was not measured");
            CHECK_FAILS(&env,
                        sooth_core_estimate(&env, sooth_model_from_block(&whole->head), core, form, &cost),
                        SOOTH_BAD_ARGUMENT, "cannot be exported as C");
        }
    CHECK_FAILS(&env, sooth_core_range(&env, planes, 0, &least, &most), SOOTH_BAD_ARGUMENT,
                "there are no bounds for");
    CHECK_FAILS(&env, sooth_core_range(&env, sooth_model_from_block(&whole->head), 0, &least, &most),
                SOOTH_BAD_ARGUMENT, "cannot be exported as C");
    sooth_integers_free(&env, whole);
    sooth_model_free(&env, tree);
    sooth_model_free(&env, planes);
}

/* A network that is of integers already has the one form, which costs what it costs when made of floats. */
static void integers_are_made_once(void) {
    sooth_model *network = model_of("mlp", "hidden_1", "4", 0), *small = NULL;
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        const uint32_t form = bits == 8 ? SOOTH_CORE_FORM_C_8 : SOOTH_CORE_FORM_C_16;
        sooth_core_cost a, b;
        CHECK_STATUS(sooth_export_quantise(&env, network, bits, NULL, &small), SOOTH_OK);
        CHECK_FAILS(&env, sooth_core_estimate(&env, small, 0, form, &a), SOOTH_BAD_ARGUMENT, "no form");
        CHECK_STATUS(sooth_core_estimate(&env, small, 0, SOOTH_CORE_FORM_C, &a), SOOTH_OK);
        CHECK_STATUS(sooth_core_estimate(&env, network, 0, form, &b), SOOTH_OK);
        CHECK(a.flash == b.flash && a.stack == b.stack && a.steps == b.steps && b.error > 0.0f);
        sooth_model_free(&env, small);
    }
    sooth_model_free(&env, network);
}

/* Lines and networks answer within bounds for rows in ranges, which a card may not have. */
static void ranges_that_nobody_knows(void) {
    const float range[2 * FEATURES + 2] = {-50, 50, 1, 0, -50, 50, 0, 1};
    const sooth_model_card_content content = {.features = FEATURES, .targets = 1, .range = range};
    sooth_model *line = model_of("linear", "lambda", "0", 0);
    sooth_model_parts parts;
    float least, most;
    sooth_model_open(line, &parts);
    for (int k = 0; k < 2; ++k) {
        sooth_model_card *card = NULL;
        sooth_model *model = NULL;
        if (k) CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
        parts.card = card;
        CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
        CHECK_FAILS(&env, sooth_core_range(&env, model, 0, &least, &most), SOOTH_BAD_ARGUMENT,
                    k ? "no training range of feature 2" : "no training range of feature 1");
        sooth_model_free(&env, model);
        if (card) sooth_model_free(&env, (sooth_model *)(void *)card);
    }
    sooth_model_free(&env, line);
}

/* Of a file that someone made up: with a leaf that is no number it may answer anything, with such a base
   nothing. */
static void odd_leaves_are_told(void) {
    const float one[2] = {-1.0f, 1.0f};
    const double huge[2] = {3e38, -3e38};
    sooth_ensemble *e = chain(1, 1, 1, 0, huge);
    float least, most;
    CHECK_STATUS(sooth_core_range(&env, sooth_model_from_block(&e->head), 0, &least, &most), SOOTH_OK);
    CHECK(least <= sooth_ensemble_predict(e, one + 1) && most >= 3e38f && most <= FLT_MAX &&
          least >= -FLT_MAX);
    ((sooth_tree_node *)(void *)(e + 1))[1].u.value = soothi_missing();
    soothi_block_seal(&e->head);
    CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK_STATUS(sooth_core_range(&env, sooth_model_from_block(&e->head), 0, &least, &most), SOOTH_OK);
    CHECK(least <= -FLT_MAX && most >= FLT_MAX);
    ((float *)(uintptr_t)soothi_ensemble_base(e))[0] = soothi_missing();
    soothi_block_seal(&e->head);
    CHECK(soothi_ensemble_check(e, e->head.size, SOOTH_KIND_BOOST));
    CHECK_FAILS(&env, sooth_core_range(&env, sooth_model_from_block(&e->head), 0, &least, &most),
                SOOTH_BAD_ARGUMENT, "the sum of the model is NaN");
    sooth_ensemble_free(&env, e);
}

/* ---- predictions times a sum of columns ---- */

static sooth_model *times_form(const char *kind, const char *form) {
    sooth_table table = rows();
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    for (int i = 0; i < ROWS * FEATURES; ++i) x[i] += 50.0f; /* from 0 to 100 */
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, kind), SOOTH_OK);
    memcpy(recipe.ratio_to, form, strlen(form) + 1);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

/* A product for each term of the sum, and one by the sum; integers have none. */
static void a_sum_of_columns_is_counted(void) {
    for (uint32_t terms = 1; terms <= FEATURES; ++terms) {
        static const char *const form[] = {"column 1+9", "column 1+2*column 2+9",
                                           "column 1+2*column 2+column 3+9"};
        sooth_model *model = times_form("tree", form[terms - 1]), *plain = NULL;
        sooth_core_cost with, without;
        sooth_model_parts parts;
        if (!model) return;
        sooth_model_open(model, &parts);
        CHECK(parts.ratio && parts.ratio->terms == terms);
        parts.ratio = NULL;
        CHECK_STATUS(sooth_model_assemble(&env, &parts, &plain), SOOTH_OK);
        CHECK_STATUS(sooth_core_estimate(&env, model, SOOTH_CORE_AVR, SOOTH_CORE_FORM_C, &with), SOOTH_OK);
        CHECK_STATUS(sooth_core_estimate(&env, plain, SOOTH_CORE_AVR, SOOTH_CORE_FORM_C, &without), SOOTH_OK);
        CHECK(with.multiply_adds == without.multiply_adds + terms + 1 && with.steps > without.steps);
        CHECK_FAILS(&env, sooth_core_estimate(&env, model, SOOTH_CORE_AVR, SOOTH_CORE_FORM_C_16, &with),
                    SOOTH_BAD_ARGUMENT, "the model multiplies by a sum of columns (ratio_to)");
        sooth_model_free(&env, model);
        sooth_model_free(&env, plain);
    }
}

/* Bounds are those of the learner times those of the sum, which is largest at the ends of the columns. */
static void a_range_has_the_ends_of_the_sum(void) {
    static const char *const form[] = {"3*column 1+column 2+50", "column 1+column 3+0.001"};
    for (int k = 0; k < 2; ++k) {
        sooth_model *model = times_form("tree", form[k]), *plain = NULL;
        sooth_model_parts parts;
        float least, most, low, high;
        if (!model) return;
        sooth_model_open(model, &parts);
        parts.ratio = NULL;
        CHECK_STATUS(sooth_model_assemble(&env, &parts, &plain), SOOTH_OK);
        CHECK_STATUS(sooth_core_range(&env, plain, 0, &low, &high), SOOTH_OK);
        CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
        CHECK(least >= 0.0f && low > 0.0f);
        CHECK_NEAR(least, (k ? 0.001 : 50.0) * (double)low, 0.01 * (double)low);
        CHECK_CLOSE(most, (k ? 200.001 : 450.0) * (double)high, 1e-3);
        CHECK(filled(model) > 0.0);
        sooth_model_free(&env, model);
        sooth_model_free(&env, plain);
    }
}

/* A learner of negative numbers, put together by hand: the lower end is the lowest times the largest sum. */
static void negative_predictions_times_a_sum(void) {
    static const double leaf[3][2] = {{-2, -1}, {-2, 3}, {2, 3}},
                        ends[3][2] = {{-14, -4}, {-14, 21}, {8, 21}};
    static const float range[4] = {1, 4, 0, 1}; /* of the sum x + 3: from 4 to 7 */
    static const float column[2] = {1, 4}, ones[2] = {1, 1};
    const sooth_table table = sooth_table_of(column, ones, 2, 1);
    const float reversed[4] = {1, 0, 0, 1};
    sooth_model_card_content content = {.features = 1, .targets = 1, .range = range};
    sooth_ratio *ratio;
    CHECK_STATUS(sooth_ratio_fit(&env, &table, "column 1+3", &ratio), SOOTH_OK);
    for (int k = 0; k < 5; ++k) { /* the last two have no ranges */
        sooth_ensemble *e = chain(1, 1, 1, 0, leaf[k % 3]);
        sooth_model_card *card = NULL;
        sooth_model *model = NULL;
        sooth_model_parts parts;
        float least, most;
        memset(&parts, 0, sizeof parts);
        content.range = k == 3 ? reversed : range;
        CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
        parts.predictor = &e->head;
        parts.ratio = ratio;
        parts.card = k == 4 ? NULL : card;
        CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
        if (k < 3) {
            CHECK_STATUS(sooth_core_range(&env, model, 0, &least, &most), SOOTH_OK);
            CHECK_NEAR(least, ends[k][0], 0.01);
            CHECK_NEAR(most, ends[k][1], 0.01);
            for (int i = 0; i < 2; ++i) {
                const float v = sooth_model_predict(model, column + i, NULL);
                CHECK(least <= v && v <= most);
            }
        } else
            CHECK_FAILS(&env, sooth_core_range(&env, model, 0, &least, &most), SOOTH_BAD_ARGUMENT,
                        "the model has no training range of feature 1");
        sooth_model_free(&env, model);
        sooth_model_card_free(&env, card);
        sooth_ensemble_free(&env, e);
    }
    sooth_ratio_free(&env, ratio);
}

static void memory_may_fail(void) {
    sooth_model *network = model_of("mlp", "hidden_1", "4", 0), *tree = model_of("tree", "max_depth", "3", 0);
    sooth_core_cost cost;
    sooth_env failing;
    float least, most;
    sooth_env_init(&failing);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_estimate(&failing, network, 0, SOOTH_CORE_FORM_C_8, &cost),
                           (void)0);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_estimate(&failing, tree, 0, SOOTH_CORE_FORM_C_16, &cost),
                           (void)0);
    CHECK_EVERY_ALLOCATION(&failing, sooth_core_range(&failing, network, 0, &least, &most), (void)0);
    sooth_model_free(&env, network);
    sooth_model_free(&env, tree);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(predictions_stay_in_the_range);
    CHECK_RUN(a_line_reaches_its_ends);
    CHECK_RUN(a_product_reaches_its_corners);
    CHECK_RUN(counts_are_those_of_the_trees);
    CHECK_RUN(more_costs_more);
    CHECK_RUN(a_line_with_more_costs_more);
    CHECK_RUN(laws_have_costs);
    CHECK_RUN(the_kernel_has_room_for_so_much);
    CHECK_RUN(links_are_looked_through);
    CHECK_RUN(names_end);
    CHECK_RUN(numbers_are_rounded_up);
    CHECK_RUN(statistics_of_levels_have_no_cost);
    CHECK_RUN(sorted_quantiles_share_a_range);
    CHECK_RUN(trees_that_have_no_cost);
    CHECK_RUN(integers_are_made_once);
    CHECK_RUN(ranges_that_nobody_knows);
    CHECK_RUN(what_has_no_cost_is_a_sentence);
    CHECK_RUN(odd_leaves_are_told);
    CHECK_RUN(a_sum_of_columns_is_counted);
    CHECK_RUN(a_range_has_the_ends_of_the_sum);
    CHECK_RUN(negative_predictions_times_a_sum);
    CHECK_RUN(memory_may_fail);
    return check_end("core_cost");
}
