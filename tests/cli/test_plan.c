/* test_plan.c - how long fits take, and what a comparison leaves out, next to plain counting.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"

#include "../../examples/cli/model/plan.c"
#include "check.h"

#include <math.h>

const sooth_model_kind *model_named(const char *name) {
    const sooth_model_kind *kind = NULL;
    if (sooth_train_kind_named(NULL, name, &kind) != SOOTH_OK) CHECK(!"a kind");
    return kind;
}

static sooth_train_recipe recipe_of(const char *words) {
    sooth_train_recipe recipe;
    if (sooth_train_recipe_read(NULL, words, strlen(words), &recipe) != SOOTH_OK) CHECK(!"a recipe");
    return recipe;
}

static double seconds(const char *words, size_t rows, size_t cols) {
    const sooth_train_recipe recipe = recipe_of(words);
    return plan_fit(&recipe, rows, cols);
}

static int near_to(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

/* The growth that each header states under "Cost". */
static void growth_is_that_of_the_headers(void) {
    const double bits = log2(20000.0);
    CHECK(near_to(seconds("linear", 2000, 10), 2 * seconds("linear", 1000, 10)));
    CHECK(near_to(seconds("tree", 40000, 10) / seconds("tree", 20000, 10), 2 * (bits + 1) / bits) ||
          fabs(seconds("tree", 40000, 10) / seconds("tree", 20000, 10) / (2 * (bits + 1) / bits) - 1) < 0.01);
    CHECK(near_to(seconds("forest n_estimators=300", 5000, 7), 3 * seconds("forest", 5000, 7)));
    CHECK(near_to(seconds("boost n_estimators=1000", 5000, 7), 2 * seconds("boost", 5000, 7)));
    CHECK(near_to(seconds("boost quantiles=0.1,0.5,0.9", 5000, 7), 3 * seconds("boost", 5000, 7)));
    CHECK(near_to(seconds("svr", 40000, 10), 4 * seconds("svr", 20000, 10)));
    CHECK(near_to(seconds("mlp", 2000, 10), 2 * seconds("mlp", 1000, 10))); /* 200 epochs */
    CHECK(near_to(seconds("mlp", 40000, 10), seconds("mlp", 20000, 10)));   /* fewer epochs of more rows */
    CHECK(near_to(seconds("mlp", 200000, 10), 2 * seconds("mlp", 100000, 10))); /* 20 epochs */
    CHECK(near_to(seconds("gauss starts=1", 400, 10) - 400e-9 * 160000,
                  (seconds("gauss", 400, 10) - 400e-9 * 160000) / 3));
}

/* The candidates of the plan are those that a fit compares. */
static void candidates_are_those_of_a_fit(void) {
    enum { ROWS = 60, COLS = 2 };
    static const struct {
        char words[96];
        uint32_t log;
        double least_rows, most_rows, most_columns;
        uint32_t effort;
    } all[] = {
#define ITEM(words, rule, effort, log, least_rows, most_rows, most_columns, reason) \
    {words, log, least_rows, most_rows, most_columns, SOOTH_BEST_##effort},
        SOOTH_BEST_CANDIDATES(ITEM)
#undef ITEM
    };
    static float x[ROWS * COLS], y[ROWS];
    sooth_best_options options = {.effort = SOOTH_BEST_LOW};
    sooth_best *best = NULL;
    double folds = 0.0, once = 0.0;
    size_t count = 0;
    sooth_env env;
    sooth_env_init(&env);
    for (int i = 0; i < ROWS; ++i) {
        x[i * COLS] = (float)(i * 7 % ROWS);
        x[i * COLS + 1] = (float)(i * 11 % ROWS);
        y[i] =
            3.0f + x[i * COLS] + 0.1f * x[i * COLS + 1]; /* the largest is more than three times the least */
    }
    const sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    CHECK(sooth_best_fit(&env, &table, &options, &best) == SOOTH_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        sooth_train_recipe r;
        if (!is_tried(&options, all[i].effort, all[i].least_rows, all[i].most_rows, all[i].most_columns, ROWS,
                      COLS) ||
            strcmp(all[i].words, "median of each category") == 0)
            continue;
        count += 1 + all[i].log;
        if (sooth_train_recipe_read(NULL, all[i].words, strlen(all[i].words), &r) != SOOTH_OK) continue;
        folds += (1 + all[i].log) * plan_fit(&r, ROWS * 4 / 5, COLS);
        once += (1 + all[i].log) * plan_fit(&r, ROWS, COLS);
    }
    CHECK(best && count == best->candidates);
    CHECK(near_to(seconds("best effort=low", ROWS, COLS), 20 * folds + once / 3)); /* four times five folds */
    CHECK(seconds("best effort=low", 3000, 8) < seconds("best", 3000, 8));
    CHECK(seconds("best", 3000, 8) < seconds("best effort=high", 3000, 8));
    sooth_best_free(&env, best);
}

static data table_of(size_t rows, size_t cols, uint32_t groups) {
    static uint32_t some[1];
    data d;
    memset(&d, 0, sizeof d);
    d.table.rows = rows;
    d.table.cols = cols;
    d.table.targets = 1;
    d.table.group = groups ? some : NULL;
    d.groups = groups;
    return d;
}

static contender contender_of(const char *name) {
    contender c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.recipe = recipe_of(name);
    return c;
}

static void tests_are_folds_times_repeats_and_groups(void) {
    const data plain = table_of(1000, 10, 0), grouped = table_of(1000, 10, 8);
    data later = plain;
    const contender c = contender_of("svr");
    contender calibrated = c, rule = c;
    const sooth_calibrate_options options = {.folds = 5};
    static uint32_t when[1];
    double in_time = 0.0;
    calibrated.calibrate = &options;
    rule.rule = MEDIAN;
    CHECK(near_to(plan_tests(&c, &plain, 5, 3), 15 * seconds("svr", 800, 10)));
    CHECK(
        near_to(plan_tests(&c, &grouped, 5, 3), 15 * seconds("svr", 800, 10) + 8 * seconds("svr", 875, 10)));
    CHECK(near_to(plan_tests(&calibrated, &plain, 5, 3), 6 * plan_tests(&c, &plain, 5, 3)));
    CHECK(plan_tests(&rule, &grouped, 5, 3) <= 0.0);
    later.time = when;
    for (size_t block = 1; block <= 4; ++block) in_time += seconds("svr", 200 * block, 10);
    CHECK(near_to(plan_tests(&c, &later, 4, 1), in_time));
}

static void a_search_is_its_trials_on_its_folds(void) {
    const data d = table_of(1000, 10, 0);
    contender c = contender_of("svr");
    validation v = {.folds = 0, .repeats = 1};
    tuning t;
    sooth_calibrate_options none = {.folds = 0};
    progress_stage stage[FIT_STAGES];
    double fits = 0.0;
    memset(&t, 0, sizeof t);
    t.on = 1;
    t.options.method = SOOTH_TUNE_GRID;
    t.options.space = "C=1,10,100 gamma=0.1,1";
    t.options.folds = 4;
    t.options.outer = 5;
    plan_of_fit(&d, &c, &v, &t, &none, stage);
    for (int outer = 0; outer < 6; ++outer) /* 0: all rows */
        for (int trial = 0; trial < 7; ++trial)
            for (int fold = 0; fold < 4; ++fold) fits += seconds("svr", outer ? 600 : 750, 10);
    for (int outer = 0; outer < 5; ++outer) fits += 2 * seconds("svr", 800, 10);
    CHECK(stage[0].seconds <= 0.0 && strcmp(stage[1].name, "tuning") == 0 && near_to(stage[1].seconds, fits));
    CHECK(near_to(stage[2].seconds, seconds("svr", 1000, 10)) && stage[3].seconds <= 0.0);
    v.folds = 5;
    v.interval = 0.9;
    t.on = 0;
    plan_of_fit(&d, &c, &v, &t, &none, stage);
    CHECK(near_to(stage[0].seconds, 5 * seconds("svr", 800, 10)) && stage[1].seconds <= 0.0);
    CHECK(near_to(stage[3].seconds, 20 * seconds("svr", 950, 10)));
    const data grouped = table_of(1000, 10, 8);
    plan_of_fit(&grouped, &c, &v, &t, &none, stage);
    CHECK(near_to(stage[3].seconds, 8 * seconds("svr", 875, 10)));
}

static void what_takes_a_minute_is_left_out_by_name(void) {
    const data d = table_of(20000, 10, 0);
    const unsigned char wanted[4] = {1, 0, 0, 0}, all[4] = {1, 1, 1, 1};
    contender c[4] = {contender_of("tree"), contender_of("svr"), contender_of("forest"),
                      contender_of("gauss")};
    validation v = {.folds = 5, .repeats = 5};
    plan p;
    CHECK(plan_choose(&d, c, 4, wanted, 1, &v, &p) == 2);
    CHECK(strcmp(c[0].name, "tree") == 0 && strcmp(c[1].name, "forest") == 0);
    CHECK(strcmp(p.left_out, "svr,gauss") == 0 && v.repeats == 5 && !p.fewer);
    const contender svr = contender_of("svr"), gauss = contender_of("gauss");
    char times[200];
    snprintf(times, sizeof times, "svr (%.0f min), gauss (%.0f min)", 25 * seconds("svr", 16000, 10) / 60,
             25 * seconds("gauss", 16000, 10) / 60);
    CHECK(strcmp(p.times, times) == 0);
    c[0] = gauss; /* named: three of five repeats would take more than a minute, and so on */
    CHECK(plan_choose(&d, c, 1, all, 1, &v, &p) == 1 && !*p.left_out);
    CHECK(near_to(p.spared, 25 * seconds("gauss", 16000, 10)));
    CHECK(p.fewer == v.repeats && v.repeats >= 1 && v.repeats < 5);
    CHECK(v.repeats == 1 || plan_tests(&gauss, &d, 5, v.repeats) <= MINUTE);
    CHECK(plan_tests(&gauss, &d, 5, v.repeats + 1) > MINUTE);
    v.repeats = 5;
    CHECK(plan_choose(&d, c, 1, all, 0, &v, &p) == 1 && v.repeats == 5 && !p.fewer); /* --repeats 5 */
    (void)svr;
}

static void times_are_words(void) {
    CHECK(strcmp(plan_text(0.3), "under 1 s") == 0 && strcmp(plan_text(12.4), "12 s") == 0);
    CHECK(strcmp(plan_text(99.6), "2 min") == 0 && strcmp(plan_text(9000.0), "2.5 h") == 0);
}

int main(void) {
    CHECK_RUN(growth_is_that_of_the_headers);
    CHECK_RUN(candidates_are_those_of_a_fit);
    CHECK_RUN(tests_are_folds_times_repeats_and_groups);
    CHECK_RUN(a_search_is_its_trials_on_its_folds);
    CHECK_RUN(what_takes_a_minute_is_left_out_by_name);
    CHECK_RUN(times_are_words);
    return check_end("plan");
}
