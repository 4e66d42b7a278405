/* test_growing.c - what forests and boosting refuse to grow from, and the ends of their options' ranges.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/forest.h"
#include "check.h"

enum { ROWS = 40, COLS = 3 };
static sooth_env env;
static float x[ROWS * COLS], y[2 * ROWS], weight[ROWS];
static sooth_table table, two;

static void fill(void) {
    sooth_env_init(&env);
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = (float)((i * (7 + 4 * j)) % 23);
        y[i] = y[2 * ROWS - 1 - i] = 3 * x[i * COLS] + x[i * COLS + 1] + 1;
        weight[i] = 1;
    }
    table = sooth_table_of(x, y, ROWS, COLS);
    two = table;
    two.targets = 2;
}

/* ---- ensembles ---- */

static void trees_that_are_none(void) {
    static const uint32_t children[][2] = {{1, 0}, {9, 1}, {1, 9}};
    soothi_ensemble_shape shape;
    soothi_ensemble_builder b;
    soothi_ensemble_node node[3];
    sooth_ensemble *e;
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = COLS;
    CHECK_FAILS(&env, soothi_ensemble_begin(&b, &env, &shape), SOOTH_BAD_ARGUMENT,
                "an ensemble needs features and targets, but has 3 and 0");
    CHECK(soothi_ensemble_end(&b, &e) != SOOTH_OK && !e);
    shape.targets = 1;
    for (size_t k = 0; k < 3; ++k) {
        memset(node, 0, sizeof node);
        node[0].left = children[k][0];
        node[0].right = children[k][1];
        CHECK_STATUS(soothi_ensemble_begin(&b, &env, &shape), SOOTH_OK);
        CHECK_FAILS(&env, soothi_ensemble_add_plain_tree(&b, node, 3, NULL), SOOTH_BAD_DATA, "tree 0");
        CHECK_STATUS(soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA);
        CHECK(!e);
    }
    CHECK_STATUS(soothi_ensemble_begin(&b, &env, &shape), SOOTH_OK);
    CHECK_FAILS(&env, soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA, "0 trees cannot predict 1 targets");
    for (int sign = -1; sign <= 1; sign += 2) { /* two leaves that no float holds together */
        memset(node, 0, sizeof node);
        node[0].value = sign * 3e38;
        CHECK_STATUS(soothi_ensemble_begin(&b, &env, &shape), SOOTH_OK);
        CHECK_STATUS(soothi_ensemble_add_plain_tree(&b, node, 1, NULL), SOOTH_OK);
        CHECK_STATUS(soothi_ensemble_add_plain_tree(&b, node, 1, NULL), SOOTH_OK);
        CHECK_FAILS(&env, soothi_ensemble_end(&b, &e), SOOTH_BAD_DATA, "the first 2 trees add up to between");
    }
}

/* Models go on only with trees that mean the same. */
static void trees_of_another_kind_do_not_join(void) {
    sooth_forest_options few, bare;
    sooth_boost_options rounds;
    sooth_table narrow = table;
    sooth_forest *forest, *more;
    sooth_ensemble *three;
    memset(&few, 0, sizeof few);
    few.n_estimators = 3;
    bare = few;
    bare.no_cover = 1;
    memset(&rounds, 0, sizeof rounds);
    rounds.n_estimators = 3;
    narrow.cols = 2;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &bare, &forest), SOOTH_OK);
    CHECK(!soothi_ensemble_cover(forest));
    CHECK_FAILS(&env, sooth_forest_resume(&env, forest, &table, &few, &more), SOOTH_BAD_ARGUMENT,
                "no_cover is 0, but was 1 when the forest was made");
    CHECK_STATUS(sooth_forest_resume(&env, forest, &table, &bare, &more), SOOTH_OK);
    CHECK(more && more->trees == 6);
    sooth_forest_free(&env, more);
    CHECK_FAILS(&env, sooth_forest_resume(&env, forest, &narrow, &bare, &more), SOOTH_BAD_DATA,
                "the forest takes 3 features for 1 targets, but the table has 2 and 1");
    CHECK_FAILS(&env, sooth_boost_resume(&env, forest, &table, &rounds, &more), SOOTH_BAD_ARGUMENT,
                "predicts the mean of its trees, but with the new trees it would predict a sum");
    sooth_forest_free(&env, forest);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &rounds, &three), SOOTH_OK);
    CHECK_FAILS(&env, sooth_forest_resume(&env, three, &table, &few, &more), SOOTH_BAD_ARGUMENT,
                "predicts the sum of its trees, but with the new trees it would predict a mean");
    sooth_boost_free(&env, three);
}

/* A leaf for all targets and a leaf for one are other trees. */
static void leaves_of_all_targets_do_not_join(void) {
    const sooth_boost_options rounds = {.n_estimators = 3};
    const float values[2] = {1, 2};
    soothi_ensemble_shape shape = {.kind = SOOTH_KIND_BOOST,
                                   .features = COLS,
                                   .targets = 2,
                                   .flags = SOOTH_ENSEMBLE_ROWS | SOOTH_ENSEMBLE_COVER};
    const soothi_ensemble_node node = {0};
    soothi_ensemble_builder b;
    sooth_ensemble *all, *turns, *more = NULL;
    CHECK_STATUS(soothi_ensemble_begin(&b, &env, &shape), SOOTH_OK);
    CHECK_STATUS(soothi_ensemble_add_plain_tree(&b, &node, 1, values), SOOTH_OK);
    CHECK_STATUS(soothi_ensemble_end(&b, &all), SOOTH_OK);
    CHECK(sooth_boost_check(all, all->head.size));
    CHECK_FAILS(&env, sooth_boost_resume(&env, all, &two, &rounds, &more), SOOTH_BAD_ARGUMENT,
                "each leaf of the model predicts all targets, but each leaf of the new trees one");
    CHECK(!more);
    CHECK_STATUS(sooth_boost_fit(&env, &two, &rounds, &turns), SOOTH_OK);
    shape.flags = turns->flags | SOOTH_ENSEMBLE_ROWS;
    CHECK_FAILS(&env, soothi_ensemble_joins(&env, turns, &shape, "model"), SOOTH_BAD_ARGUMENT,
                "each leaf of the model predicts one target, but each leaf of the new trees all");
    sooth_boost_free(&env, all);
    sooth_boost_free(&env, turns);
}

/* ---- forests ---- */

static void forests_draw_what_is_asked(void) {
    sooth_forest_options o;
    sooth_forest *forest;
    sooth_metrics score;
    sooth_table one = table, wide = two;
    float out[ROWS];
    memset(&o, 0, sizeof o);
    o.n_estimators = 3;
    o.max_samples = 0.01; /* less than a row is a row */
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
    CHECK(forest->nodes == 3);
    sooth_forest_free(&env, forest);
    o.no_bootstrap = 1;
    o.max_samples = 0.5; /* half of the rows, each once: every tree leaves the other half out */
    o.n_estimators = 20;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
    CHECK_STATUS(sooth_forest_out_of_bag(&env, forest, &table, &o, out, &score), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) CHECK(isfinite(out[i]));
    CHECK_EVERY_ALLOCATION(&env, sooth_forest_out_of_bag(&env, forest, &table, &o, out, NULL), (void)0);
    sooth_env_init(&env);
    for (int all = 0; all < 2; ++all) {
        o.max_samples = all;
        CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &table, &o, out, &score), SOOTH_BAD_ARGUMENT,
                    "out-of-bag predictions need rows");
    }
    o.max_samples = 2;
    CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &table, &o, out, &score), SOOTH_BAD_ARGUMENT,
                "max_samples is 2");
    o.max_samples = 0.5;
    wide.cols = 2;
    CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &wide, &o, out, &score), SOOTH_BAD_DATA,
                "the forest takes 3 features for 1 targets, but the table has 2 and 2");
    sooth_forest_free(&env, forest);
    one.rows = 1;
    memset(&o, 0, sizeof o);
    o.n_estimators = 2;
    CHECK_STATUS(sooth_forest_fit(&env, &one, &o, &forest), SOOTH_OK);
    CHECK_FAILS(&env, sooth_forest_out_of_bag(&env, forest, &one, &o, out, &score), SOOTH_BAD_DATA,
                "every row was drawn by every tree; grow more trees");
    CHECK(isnan(out[0]));
    CHECK_STATUS(sooth_forest_out_of_bag(&env, forest, &one, &o, out, NULL), SOOTH_OK);
    sooth_forest_free(&env, forest);
    o.keep_rows = 1;
    CHECK_FAILS(&env, sooth_forest_fit(&env, &two, &o, &forest), SOOTH_BAD_ARGUMENT,
                "keep_rows needs a single target, but the table has 2");
    CHECK_FAILS(&env, sooth_forest_check_options(&env, &two, &o), SOOTH_BAD_ARGUMENT,
                "keep_rows needs a single target, but the table has 2");
    CHECK_STATUS(sooth_forest_check_options(&env, &table, &o), SOOTH_OK);
    CHECK_STATUS(sooth_forest_check_options(&env, &two, NULL), SOOTH_OK);
}

/* Rows of weight 0 are in no leaf and no score, but have a prediction. */
static void rows_without_weight_are_no_rows(void) {
    sooth_forest_options o;
    sooth_forest *with, *without;
    sooth_metrics score, half;
    sooth_table light = table, first = table;
    const float q[2] = {0, 1};
    uint32_t leaf[5];
    float out[ROWS], low[2], high[2];
    light.weight = weight;
    first.rows = ROWS / 2;
    for (size_t i = ROWS / 2; i < ROWS; ++i) weight[i] = 0;
    memset(&o, 0, sizeof o);
    o.n_estimators = 5;
    o.keep_rows = 1;
    CHECK_STATUS(sooth_forest_fit(&env, &light, &o, &with), SOOTH_OK);
    CHECK_STATUS(sooth_forest_fit(&env, &first, &o, &without), SOOTH_OK);
    CHECK(with->head.size == without->head.size);
    for (size_t i = 0; i < ROWS; ++i) {
        sooth_forest_quantiles(with, x + i * COLS, q, 2, leaf, low);
        sooth_forest_quantiles(without, x + i * COLS, q, 2, leaf, high);
        CHECK(memcmp(low, high, sizeof low) == 0);
    }
    CHECK_STATUS(sooth_forest_out_of_bag(&env, with, &light, &o, out, &score), SOOTH_OK);
    CHECK(isfinite(out[ROWS - 1]));
    CHECK_STATUS(sooth_forest_out_of_bag(&env, without, &first, &o, out, &half), SOOTH_OK);
    CHECK_NEAR(score.rmse, half.rmse, 0);
    sooth_forest_free(&env, with);
    sooth_forest_free(&env, without);
    fill();
}

static int cancel_at_once(void *user, const char *stage, double done) {
    (void)stage;
    return done > *(const double *)user;
}

static void growth_can_be_cancelled(void) {
    double late = 0.9, never = 2;
    sooth_forest_options o;
    sooth_forest *forest;
    memset(&o, 0, sizeof o);
    o.n_estimators = 20;
    env.progress_fn = cancel_at_once;
    env.progress_user = &late;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_CANCELLED);
    CHECK(!forest);
    env.progress_user = &never;
    CHECK_STATUS(sooth_forest_fit(&env, &table, &o, &forest), SOOTH_OK);
    sooth_forest_free(&env, forest);
    sooth_env_init(&env);
}

/* ---- boosting ---- */

static void half_squares(void *user, const float *target, const float *margin, size_t rows, float *g,
                         float *h) {
    for (size_t i = 0; i < rows; ++i) {
        g[i] = margin[i] - target[i];
        h[i] = 1;
    }
    if (user) *(float *)user = g[0];
}

static double half_square(void *user, const float *target, const float *margin, size_t rows) {
    double sum = 0;
    (void)user;
    for (size_t i = 0; i < rows; ++i) sum += 0.5 * pow((double)margin[i] - (double)target[i], 2);
    return sum / (double)rows;
}

static void infinite(void *user, const float *target, const float *margin, size_t rows, float *g, float *h) {
    half_squares(NULL, target, margin, rows, g, h);
    if (*(const int *)user) h[rows - 1] = INFINITY;
    else g[0] = NAN;
}

static void rounds_refuse_what_cannot_be(void) {
    static const signed char rising[COLS] = {1, 0, 0};
    static const sooth_boost_custom silent = {half_squares, NULL, NULL, 0};
    sooth_table narrow = table, one = table, nothing = table;
    sooth_boost_options o[11];
    static const struct {
        sooth_status status;
        const char *words;
    } says[11] = {
        {SOOTH_BAD_DATA,
         "the validation table has 2 columns and 1 targets, but the training table has 3 and 1"},
        {SOOTH_BAD_DATA,
         "the validation table has 3 columns and 2 targets, but the training table has 3 and 1"},
        {SOOTH_BAD_DATA, "patience needs rows to hold out, but the table has one row"},
        {SOOTH_BAD_ARGUMENT, "patience needs a loss_fn of the custom loss"},
        {SOOTH_BAD_ARGUMENT, "colsample_bylevel is 0.5, but method=exact supports only"},
        {SOOTH_BAD_ARGUMENT, "max_depth is 13, but must be at most 12 with grow_policy=symmetric"},
        {SOOTH_BAD_ARGUMENT, "grow_policy=symmetric does not support monotone"},
        {SOOTH_BAD_ARGUMENT, "a custom loss needs a single target, but the table has 2"},
        {SOOTH_NOT_CONVERGED, "after 0 trees a derivative of the loss is not finite"},
        {SOOTH_NOT_CONVERGED, "after 0 trees a derivative of the loss is not finite"},
        {SOOTH_BAD_DATA, "row 1"},
    };
    static int zero = 0, first = 1;
    static const sooth_boost_custom wild = {infinite, half_square, &zero, 0},
                                    steep = {infinite, half_square, &first, 0};
    sooth_boost *boost;
    memset(o, 0, sizeof o);
    narrow.cols = 2;
    one.rows = 1;
    nothing.rows = 0;
    o[0].validation = &narrow;
    o[1].validation = &two;
    o[2].patience = 3;
    o[3].patience = 3;
    o[3].custom = &silent;
    o[4].method = SOOTH_BOOST_EXACT;
    o[4].colsample_bylevel = 0.5;
    o[5].grow_policy = SOOTH_BOOST_SYMMETRIC;
    o[5].max_depth = 13;
    o[6].grow_policy = SOOTH_BOOST_SYMMETRIC;
    o[6].monotone = rising;
    o[7].custom = &silent;
    o[8].custom = &wild;
    o[9].custom = &steep;
    o[10].loss = SOOTH_BOOST_POISSON;
    y[0] = -1;
    for (size_t k = 0; k < 11; ++k) {
        const sooth_table *t = k == 2 ? &one : k == 7 ? &two : &table;
        CHECK_FAILS(&env, sooth_boost_fit(&env, t, &o[k], &boost), says[k].status, says[k].words);
        CHECK(!boost);
    }
    fill();
    memset(&o[1], 0, sizeof o[1]);
    o[1].quantiles[0] = 0.1;
    o[1].quantiles[1] = 0.9;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &two, &o[1], &boost), SOOTH_BAD_ARGUMENT,
                "several quantiles need a single target");
    o[0].validation = &nothing;
    CHECK_FAILS(&env, sooth_boost_fit(&env, &table, &o[0], &boost), SOOTH_BAD_DATA, "empty");
}

/* A loss of one's own that is half the squared error stops where the built-in one does. */
static void custom_losses_stop_too(void) {
    const sooth_boost_custom own = {half_squares, half_square, NULL, 0};
    sooth_boost_options o;
    sooth_boost_report built_in, custom;
    sooth_boost *a, *b;
    memset(&o, 0, sizeof o);
    o.n_estimators = 30;
    o.patience = 3;
    o.has_base_score = 1;
    CHECK_STATUS(sooth_boost_fit_report(&env, &table, &o, &a, &built_in), SOOTH_OK);
    o.custom = &own;
    CHECK_STATUS(sooth_boost_fit_report(&env, &table, &o, &b, &custom), SOOTH_OK);
    CHECK(built_in.rounds == custom.rounds && built_in.rounds_tried == custom.rounds_tried);
    CHECK_CLOSE(built_in.validation_loss, custom.validation_loss, 1e-5);
    for (size_t i = 0; i < ROWS; ++i)
        CHECK_CLOSE(sooth_boost_predict(a, x + i * COLS), sooth_boost_predict(b, x + i * COLS), 1e-5);
    sooth_boost_free(&env, a);
    sooth_boost_free(&env, b);
}

/* At least one unit is held out, and at least one is left. */
static void some_rows_are_held_out_and_some_left(void) {
    sooth_table pair = table;
    sooth_boost_options o;
    sooth_boost_report report;
    sooth_boost *boost;
    uint32_t refused = 0;
    memset(&o, 0, sizeof o);
    o.n_estimators = 2;
    o.validation_fraction = 0.001;
    CHECK_STATUS(sooth_boost_fit_report(&env, &table, &o, &boost, &report), SOOTH_OK);
    CHECK(isfinite(report.validation_loss));
    sooth_boost_free(&env, boost);
    pair.rows = 2;
    o.validation_fraction = 0.9;
    CHECK_STATUS(sooth_boost_fit_report(&env, &pair, &o, &boost, &report), SOOTH_OK);
    CHECK(boost && isfinite(report.validation_loss) && sooth_boost_predict(boost, x) > 0);
    sooth_boost_free(&env, boost);
    weight[1] = 0; /* one of both has all the weight, and is drawn by some seeds */
    pair.weight = weight;
    for (o.seed = 0; o.seed < 8; ++o.seed) {
        if (sooth_boost_fit(&env, &pair, &o, &boost) == SOOTH_OK) {
            CHECK_NEAR(sooth_boost_predict(boost, x), y[0], 1e-5);
            sooth_boost_free(&env, boost);
        } else {
            CHECK(strstr(env.sentence, "no row with a positive weight is left to train on"));
            ++refused;
        }
    }
    CHECK(refused > 0 && refused < 8);
    fill();
}

static void bases_are_where_they_should_be(void) {
    sooth_boost_options o;
    sooth_boost *boost;
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    o.base_score = -1000;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK_NEAR(soothi_ensemble_base(boost)[0], -1000, 0);
    sooth_boost_free(&env, boost);
    memset(y, 0, sizeof y); /* counts of 0 have no logarithm, and predictions next to 0 */
    o.base_score = 0;
    o.loss = SOOTH_BOOST_POISSON;
    o.max_delta_step = 0.5;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK(sooth_boost_predict(boost, x) > 0 && sooth_boost_predict(boost, x) < 1.01e-6f);
    sooth_boost_free(&env, boost);
    fill();
}

/* Shares of so few columns that less than one is left are one column. */
static void one_column_at_least(void) {
    sooth_boost_options o;
    sooth_boost *boost;
    for (int which = 0; which < 2; ++which) {
        double gain[COLS];
        uint32_t used = 0;
        memset(&o, 0, sizeof o);
        o.n_estimators = 1;
        o.max_depth = 1;
        o.method = SOOTH_BOOST_EXACT;
        o.colsample_bynode = which ? 0.1 : 0.9;
        o.colsample_bytree = which ? 1 : 0.1;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
        soothi_ensemble_gain(boost, gain);
        for (int j = 0; j < COLS; ++j) used += gain[j] > 0;
        CHECK(used == 1 && boost->nodes == 3);
        sooth_boost_free(&env, boost);
    }
    memset(&o, 0, sizeof o);
    o.n_estimators = 1;
    o.max_depth = 1;
    o.grow_policy = SOOTH_BOOST_SYMMETRIC;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    CHECK(boost->nodes == 3 && boost->depth == 1);
    sooth_boost_free(&env, boost);
}

/* Going on judges by the same rows as beginning, and quantiles stop early by the pinball loss. */
static void validation_goes_on(void) {
    sooth_boost_options o;
    sooth_boost_report report;
    sooth_boost *a, *b, *c;
    memset(&o, 0, sizeof o);
    o.n_estimators = 4;
    o.validation = &table;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &a), SOOTH_OK);
    CHECK_STATUS(sooth_boost_resume(&env, a, &table, &o, &b), SOOTH_OK);
    o.n_estimators = 8;
    CHECK_STATUS(sooth_boost_fit_report(&env, &table, &o, &c, &report), SOOTH_OK);
    CHECK(report.rounds == 8 && b->head.size == c->head.size && memcmp(b, c, c->head.size) == 0);
    sooth_boost_free(&env, a);
    sooth_boost_free(&env, b);
    sooth_boost_free(&env, c);
    o.n_estimators = 20;
    o.quantiles[0] = 0.1, o.quantiles[1] = 0.5, o.quantiles[2] = 0.9;
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &a), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        float out[3];
        sooth_boost_predict_many(a, x + i * COLS, 1, COLS, out);
        CHECK(out[0] <= out[1] && out[1] <= out[2]);
    }
    sooth_boost_free(&env, a);
}

int main(void) {
    fill();
    CHECK_RUN(trees_that_are_none);
    CHECK_RUN(trees_of_another_kind_do_not_join);
    CHECK_RUN(leaves_of_all_targets_do_not_join);
    CHECK_RUN(forests_draw_what_is_asked);
    CHECK_RUN(rows_without_weight_are_no_rows);
    CHECK_RUN(growth_can_be_cancelled);
    CHECK_RUN(rounds_refuse_what_cannot_be);
    CHECK_RUN(custom_losses_stop_too);
    CHECK_RUN(some_rows_are_held_out_and_some_left);
    CHECK_RUN(bases_are_where_they_should_be);
    CHECK_RUN(one_column_at_least);
    CHECK_RUN(validation_goes_on);
    return check_end("growing");
}
