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

/* A table of targets from 1 to 2, whose logarithms best does not try. */
static data table_of(size_t rows, size_t cols, uint32_t groups) {
    enum { CELLS = 2000000 };
    static uint32_t some[1];
    static float x[CELLS], y[CELLS / 10];
    data d;
    memset(&d, 0, sizeof d);
    CHECK(rows * cols <= CELLS && rows <= CELLS / 10);
    for (size_t i = 0; i < rows; ++i) y[i] = 1.0f + (float)(i % 2);
    d.table = sooth_table_of(x, y, rows, cols);
    d.table.group = groups ? some : NULL;
    d.groups = groups;
    return d;
}

static double seconds_of(const char *words, const data *d) {
    const sooth_train_recipe recipe = recipe_of(words);
    return plan_fit(&recipe, d, d->table.rows);
}

static double seconds(const char *words, size_t rows, size_t cols) {
    const data d = table_of(rows, cols, 0);
    return seconds_of(words, &d);
}

static int near_to(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

/* The growth that each header states under "Cost". */
static void growth_is_that_of_the_headers(void) {
    const double bits = log2(20000.0);
    CHECK(near_to(seconds("linear", 2000, 10), 2 * seconds("linear", 1000, 10)));
    CHECK(near_to(seconds("tree", 40000, 10) / seconds("tree", 20000, 10), 2 * (bits + 1) / bits) ||
          fabs(seconds("tree", 40000, 10) / seconds("tree", 20000, 10) / (2 * (bits + 1) / bits) - 1) < 0.01);
    CHECK(near_to(seconds("forest n_estimators=300", 5000, 7), 3 * seconds("forest", 5000, 7)));
    CHECK(near_to(seconds("boost grow_policy=lossguide max_leaves=64", 1000, 7), seconds("boost", 1000, 7)));
    CHECK(near_to(seconds("boost n_estimators=1000", 5000, 7), 2 * seconds("boost", 5000, 7)));
    CHECK(near_to(seconds("boost quantiles=0.1,0.5,0.9", 5000, 7), 3 * seconds("boost", 5000, 7)));
    CHECK(near_to(seconds("svr", 40000, 10), 4 * seconds("svr", 20000, 10)));
    CHECK(near_to(seconds("mlp", 2000, 10), 2 * seconds("mlp", 1000, 10))); /* 200 epochs */
    CHECK(near_to(seconds("mlp", 40000, 10), seconds("mlp", 20000, 10)));   /* fewer epochs of more rows */
    CHECK(near_to(seconds("mlp", 200000, 10), 2 * seconds("mlp", 100000, 10))); /* 20 epochs */
    CHECK(near_to(seconds("gauss starts=1", 400, 10) - 400e-9 * 160000,
                  (seconds("gauss", 400, 10) - 400e-9 * 160000) / 3));
}

/* The fits of the plan are those that a best makes: its candidates, folds and repeats. */
static void the_fits_of_a_best_are_those_of_the_plan(void) {
    enum { ROWS = 60, COLS = 2 };
    static const struct {
        uint32_t groups, is_later, is_short;
        float most; /* the smallest target is 1; from 3 on best tries the logarithm */
        uint32_t fits;
    } of[] = {{0, 0, 0, 2, 20}, {0, 0, 0, 3, 20}, {6, 0, 0, 2, 20}, {5, 0, 0, 2, 5},
              {3, 0, 0, 2, 3},  {0, 1, 0, 2, 5},  {6, 1, 0, 2, 5},  {0, 0, 1, 3, 20}};
    static float x[ROWS * COLS], y[ROWS];
    static uint32_t group[ROWS], time[ROWS];
    const sooth_best_options options = {.effort = SOOTH_BEST_LOW};
    sooth_env env;
    sooth_env_init(&env);
    for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
        sooth_best *best = NULL;
        sooth_best_candidate tried;
        double folds = 0.0, once = 0.0;
        data d;
        memset(&d, 0, sizeof d);
        for (size_t i = 0; i < ROWS; ++i) {
            x[COLS * i] = (float)(i * 7 % ROWS);
            x[COLS * i + 1] = (float)(i * 11 % ROWS);
            y[i] = 1.0f + (of[k].most - 1.0f) * (float)(i * 7 % ROWS) / (ROWS - 1.0f);
            group[i] = of[k].groups ? (uint32_t)i % of[k].groups : 0;
            time[i] = (uint32_t)i;
        }
        for (size_t i = 0; of[k].is_short && i < ROWS; i += 2) x[COLS * i] = (float)NAN;
        d.table = sooth_table_of(x, y, ROWS, COLS);
        if (of[k].groups) d.table.group = group;
        if (of[k].is_later) d.table.time = d.time = time;
        d.groups = of[k].groups;
        CHECK(sooth_best_fit(&env, &d.table, &options, &best) == SOOTH_OK);
        if (!best) continue;
        CHECK(best->folds * best->repeats == of[k].fits);
        for (size_t c = 0; sooth_best_candidate_at(best, c, &tried); ++c) {
            sooth_train_recipe r;
            if (sooth_train_recipe_read(NULL, tried.recipe, strlen(tried.recipe), &r) != SOOTH_OK ||
                tried.error != tried.error) /* a rule of no columns; not fitted */
                continue;
            folds += plan_fit(&r, &d, of[k].is_later ? ROWS / 2 : ROWS - ROWS / best->folds);
            once += plan_fit(&r, &d, ROWS);
        }
        CHECK(folds > 0.0 && near_to(seconds_of("best effort=low", &d), of[k].fits * folds + once / 3));
        sooth_best_free(&env, best);
    }
    CHECK(seconds("best effort=low", 3000, 8) < seconds("best", 3000, 8));
    CHECK(seconds("best", 3000, 8) < seconds("best effort=high", 3000, 8));
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
    CHECK_RUN(the_fits_of_a_best_are_those_of_the_plan);
    CHECK_RUN(tests_are_folds_times_repeats_and_groups);
    CHECK_RUN(a_search_is_its_trials_on_its_folds);
    CHECK_RUN(what_takes_a_minute_is_left_out_by_name);
    CHECK_RUN(times_are_words);
    return check_end("plan");
}
