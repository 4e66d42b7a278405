/* test_history.c - the losses that models tell while they learn, against other libraries' and by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth.h"

#include "check.h"
#include "recipes.h"
#include "golden/history.h"

enum { MOST = 4000 };
static float x[200], y[100];
static sooth_env env;

/* What was told. */
typedef struct told {
    size_t count;
    const char *stage[MOST];
    size_t step[MOST];
    double loss[MOST], validation[MOST];
} told;
static told heard;

static void hear(void *user, const char *stage, size_t step, double loss, double validation) {
    told *t = (told *)user;
    CHECK(t->count < MOST);
    if (t->count == MOST) return;
    t->stage[t->count] = stage;
    t->step[t->count] = step;
    t->loss[t->count] = loss;
    t->validation[t->count++] = validation;
}

static void listen(void) {
    sooth_env_init(&env);
    heard.count = 0;
    env.loss_fn = hear;
    env.loss_user = &heard;
}

static sooth_table known(void) { return sooth_table_of(history_x, history_y, HISTORY_ROWS, HISTORY_COLS); }

static sooth_table held_out(void) {
    return sooth_table_of(history_x + HISTORY_ROWS * HISTORY_COLS, history_y + HISTORY_ROWS, HISTORY_HELD,
                          HISTORY_COLS);
}

/* A curve with a step and a few wild rows. */
static sooth_table curve(size_t rows) {
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < rows; ++i) {
        x[2 * i] = sooth_rng_float(&rng);
        x[2 * i + 1] = sooth_rng_float(&rng);
        y[i] = 4.0f * x[2 * i] + (x[2 * i + 1] > 0.5f ? 1.0f : 0.0f) + 0.1f * sooth_rng_float(&rng) +
               (i % 17 == 0 ? 6.0f : 0.0f);
    }
    return sooth_table_of(x, y, rows, 2);
}

static void boosting_tells_what_xgboost_tells(void) {
    const sooth_table table = known(), held = held_out();
    sooth_boost_options options;
    sooth_boost *model = NULL;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_BOOST_EXACT;
    options.n_estimators = HISTORY_STEPS;
    options.max_depth = 3;
    options.learning_rate = 0.3;
    options.lambda = options.subsample = 1.0;
    options.base_score = 0.5;
    options.validation = &held;
    options.patience = 100;
    listen();
    CHECK_STATUS(sooth_boost_fit(&env, &table, &options, &model), SOOTH_OK);
    CHECK(heard.count == HISTORY_STEPS);
    for (size_t i = 0; i < heard.count; ++i) { /* ours are half the mean squares */
        CHECK(heard.step[i] == i + 1 && strcmp(heard.stage[i], "boosting") == 0);
        CHECK_CLOSE(sqrt(2.0 * heard.loss[i]), history_boost[i], 1e-5);
        CHECK_CLOSE(sqrt(2.0 * heard.validation[i]), history_boost_held[i], 1e-5);
    }
    sooth_boost_free(&env, model);
}

/* Of every loss: the mean over the rows that count, of the first i trees alone; what is held out is not part
   of it, and without rows held out there is no validation. */
static void boosting_tells_the_loss_of_its_first_trees(void) {
    static const uint32_t losses[] = {SOOTH_BOOST_SQUARED, SOOTH_BOOST_ABSOLUTE};
    for (size_t k = 0; k < 2; ++k) {
        sooth_table table = known();
        sooth_boost_options options;
        float weight[HISTORY_ROWS];
        for (size_t i = 0; i < HISTORY_ROWS; ++i) weight[i] = (float)(i % 3);
        table.weight = weight;
        memset(&options, 0, sizeof options);
        options.loss = losses[k];
        options.max_depth = 2;
        options.n_estimators = 6;
        listen();
        sooth_boost *model = NULL;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &options, &model), SOOTH_OK);
        sooth_boost_free(&env, model);
        CHECK(heard.count == 6);
        for (uint32_t trees = 1; trees <= 6; ++trees) {
            double sum = 0.0, all = 0.0;
            options.n_estimators = trees;
            CHECK_STATUS(sooth_boost_fit(NULL, &table, &options, &model), SOOTH_OK);
            for (size_t i = 0; i < table.rows; ++i) {
                const double e = (double)sooth_boost_predict(model, table.x + 3 * i) - (double)table.y[i];
                sum += (double)weight[i] * (k ? fabs(e) : 0.5 * e * e);
                all += (double)weight[i];
            }
            CHECK_CLOSE(heard.loss[trees - 1], sum / all, 1e-5);
            CHECK(isnan(heard.validation[trees - 1]));
            sooth_boost_free(NULL, model);
        }
    }
}

static void networks_tell_what_scikit_learn_tells(void) {
    static const uint32_t outputs[] = {HISTORY_WIDTH, 1}, activation[] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    const sooth_table table = known(), held = held_out();
    for (int adam = 0; adam < 2; ++adam) {
        sooth_mlp *start = NULL, *model = NULL;
        sooth_mlp_options options;
        double sum = 0.0;
        CHECK_STATUS(
            sooth_mlp_make(NULL, HISTORY_COLS, 2, outputs, activation, 0, 0.0, history_weights, &start),
            SOOTH_OK);
        memset(&options, 0, sizeof options);
        options.hidden_1 = HISTORY_WIDTH;
        options.activation = SOOTH_MLP_TANH;
        options.optimiser = adam ? SOOTH_MLP_ADAM : SOOTH_MLP_SGD;
        options.learning_rate = adam ? 0.02 : 0.1;
        options.schedule = SOOTH_MLP_CONSTANT;
        options.batch_size = HISTORY_ROWS;
        options.no_target_scale = 1;
        options.epochs = HISTORY_STEPS;
        options.patience = 1000;
        options.validation = &held;
        options.warm_start = start;
        listen();
        CHECK_STATUS(sooth_mlp_fit(&env, &table, &options, &model), SOOTH_OK);
        CHECK(heard.count == HISTORY_STEPS);
        for (size_t i = 0; i < heard.count; ++i) {
            CHECK(heard.step[i] == i + 1);
            CHECK_CLOSE(heard.loss[i], (adam ? history_adam : history_sgd)[i], 2e-5);
        }
        /* it falls all the way, so the model is that of the last epoch: so is the validation */
        for (size_t i = 0; i < HISTORY_HELD; ++i) {
            const double e = (double)sooth_mlp_predict(model, held.x + 3 * i) - (double)held.y[i];
            sum += 0.5 * e * e / HISTORY_HELD;
        }
        CHECK_CLOSE(heard.validation[HISTORY_STEPS - 1], sum, 1e-5);
        sooth_mlp_free(&env, model);
        sooth_mlp_free(NULL, start);
    }
}

/* L-BFGS and Rprop look at all rows: the best loss told is the model's own. */
static void networks_of_all_rows_tell_the_loss_of_the_model(void) {
    static const uint32_t optimisers[] = {SOOTH_MLP_LBFGS, SOOTH_MLP_RPROP};
    const sooth_table table = known();
    for (size_t k = 0; k < 2; ++k) {
        sooth_mlp_options options;
        sooth_mlp *model = NULL;
        double loss = 0.0, best = INFINITY;
        memset(&options, 0, sizeof options);
        options.hidden_1 = 6;
        options.optimiser = optimisers[k];
        options.no_target_scale = 1;
        options.epochs = 15;
        options.lambda = 0.01;
        listen();
        CHECK_STATUS(sooth_mlp_fit(&env, &table, &options, &model), SOOTH_OK);
        for (size_t i = 0; i < heard.count; ++i) best = heard.loss[i] < best ? heard.loss[i] : best;
        CHECK_STATUS(sooth_mlp_gradient(NULL, model, &table, &options, &loss, NULL), SOOTH_OK);
        CHECK_CLOSE(best, loss, 1e-6);
        CHECK(heard.count > 5 && isnan(heard.validation[0]));
        sooth_mlp_free(&env, model);
    }
}

/* 1/2 beta' K beta - y' beta + epsilon sum |beta| by two loops, at the end and where steps run out. */
static void support_vectors_tell_the_dual_objective(void) {
    const sooth_table table = curve(90);
    static double beta[90];
    static const uint32_t most[] = {0, 90, 180, 400};
    for (size_t k = 0; k < 8; ++k) {
        sooth_svr_options options;
        sooth_svr *model = NULL;
        double square = 0.0, linear = 0.0, size = 0.0;
        memset(&options, 0, sizeof options);
        options.method = k < 4 ? SOOTH_SVR_EPSILON : SOOTH_SVR_NU;
        options.C = 20.0;
        options.epsilon = 0.1;
        options.no_target_scale = 1;
        options.gamma = 2.0;
        options.max_iter = most[k % 4];
        listen();
        sooth_svr_fit_report(&env, &table, &options, &model, NULL, beta);
        CHECK(model && heard.count > 0);
        for (size_t i = 0; i < 90; ++i) {
            for (size_t j = 0; j < 90; ++j) {
                const double p = (double)x[2 * i] - (double)x[2 * j],
                             q = (double)x[2 * i + 1] - (double)x[2 * j + 1];
                square += beta[i] * beta[j] * exp(-2.0 * (p * p + q * q));
            }
            linear += beta[i] * (double)y[i];
            size += k < 4 ? 0.1 * fabs(beta[i]) : 0.0;
        }
        const double objective = 0.5 * square - linear + size;
        CHECK_CLOSE(heard.loss[heard.count - 1], objective, 1e-5);
        for (size_t i = 1; i < heard.count; ++i)
            CHECK(heard.loss[i] <= heard.loss[i - 1] && heard.step[i] > heard.step[i - 1]);
        if (k % 4 == 1) CHECK(heard.step[heard.count - 1] == 90);
        sooth_svr_free(&env, model);
    }
}

static void a_warm_start_tells_the_objective_too(void) {
    const sooth_table table = curve(80);
    static double beta[80];
    sooth_svr_options options;
    sooth_svr *model = NULL;
    sooth_svr_report report;
    memset(&options, 0, sizeof options);
    options.C = 5.0;
    CHECK_STATUS(sooth_svr_fit_report(NULL, &table, &options, &model, NULL, beta), SOOTH_OK);
    sooth_svr_free(NULL, model);
    options.C = 3.0;
    options.warm_start = beta;
    listen();
    CHECK_STATUS(sooth_svr_fit_report(&env, &table, &options, &model, &report, NULL), SOOTH_OK);
    CHECK(heard.count > 0 && heard.step[heard.count - 1] == report.iterations);
    CHECK_CLOSE(heard.loss[heard.count - 1], report.objective, 1e-5);
    sooth_svr_free(&env, model);
}

/* Falls from every start on; the least is that of the law, which test_gaussian_process.c proves. */
static void gaussian_processes_tell_their_likelihood(void) {
    const sooth_table table = curve(60);
    sooth_gauss_parameters law;
    double least = INFINITY;
    size_t starts = 0;
    listen();
    CHECK_STATUS(sooth_gauss_fit_parameters(&env, &table, NULL, &law), SOOTH_OK);
    for (size_t i = 0; i < heard.count; ++i) {
        if (heard.step[i] == 1) ++starts;
        else CHECK(heard.step[i] == heard.step[i - 1] + 1 && heard.loss[i] <= heard.loss[i - 1]);
        if (heard.loss[i] < least) least = heard.loss[i];
    }
    CHECK(starts == 3);
    CHECK_CLOSE(least, -law.likelihood, 1e-12);
}

/* Root mean square errors over the targets' deviation, of networks stopped at so many rules. */
static void fuzzy_networks_tell_the_error_of_so_many_rules(void) {
    const sooth_table table = known();
    sooth_sofnn_options options;
    sooth_sofnn *model = NULL;
    double mean = 0.0, spread = 0.0;
    size_t compared = 0;
    memset(&options, 0, sizeof options);
    options.max_rules = 6;
    options.prune = SOOTH_SOFNN_NO_PRUNING;
    options.extrapolate = 1;
    options.lambda = 0.001;
    listen();
    CHECK_STATUS(sooth_sofnn_fit(&env, &table, &options, &model), SOOTH_OK);
    sooth_sofnn_free(&env, model);
    CHECK(heard.count == 6);
    for (size_t i = 0; i < table.rows; ++i) mean += (double)table.y[i] / (double)table.rows;
    for (size_t i = 0; i < table.rows; ++i)
        spread += ((double)table.y[i] - mean) * ((double)table.y[i] - mean) / (double)table.rows;
    for (size_t k = 1; k < heard.count; ++k) {
        double sum = 0.0;
        CHECK(heard.step[k] == k + 1);
        options.max_rules = (uint32_t)(k + 1);
        CHECK_STATUS(sooth_sofnn_fit(NULL, &table, &options, &model), SOOTH_OK);
        if (model->rules == k + 1) { /* the rule was worth keeping */
            for (size_t i = 0; i < table.rows; ++i) {
                const double e = (double)sooth_sofnn_predict(model, table.x + 3 * i) - (double)table.y[i];
                sum += e * e / (double)table.rows;
            }
            CHECK_CLOSE(heard.loss[k], sqrt(sum / spread), 1e-4);
            CHECK(heard.validation[k] > heard.loss[k]);
            ++compared;
        }
        sooth_sofnn_free(NULL, model);
    }
    CHECK(compared >= 3);
}

static void refinement_of_rules_never_gets_worse(void) {
    const sooth_table table = known();
    sooth_sofnn_options options;
    sooth_sofnn *model = NULL;
    size_t steps = 0;
    memset(&options, 0, sizeof options);
    options.max_rules = 3;
    options.refine_iter = 30; /* lambda, and with it the loss, is chosen anew after 31 */
    listen();
    CHECK_STATUS(sooth_sofnn_fit(&env, &table, &options, &model), SOOTH_OK);
    for (size_t i = 0; i < heard.count; ++i) {
        if (strcmp(heard.stage[i], "refining rules") != 0) continue;
        CHECK(heard.step[i] == ++steps);
        if (steps > 1) CHECK(heard.loss[i] <= heard.loss[i - 1]);
    }
    CHECK(steps == 30);
    sooth_sofnn_free(&env, model);
}

/* Huber's loss at the coefficients of the model, its width 1.345 median |r| / 0.6745 by sorting. */
static void robust_regression_tells_hubers_loss(void) {
    const sooth_table table = curve(90);
    sooth_linear_options options;
    sooth_linear *model = NULL;
    float size[90];
    double sum = 0.0;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_LINEAR_HUBER;
    listen();
    CHECK_STATUS(sooth_linear_fit(&env, &table, &options, &model), SOOTH_OK);
    for (size_t i = 0; i < 90; ++i) size[i] = fabsf(sooth_linear_predict(model, x + 2 * i) - y[i]);
    qsort(size, 90, sizeof *size, check_ascending);
    const double width = 1.345 * 0.5 * ((double)size[44] + (double)size[45]) / 0.6744897501960817;
    for (size_t i = 0; i < 90; ++i) {
        const double r = (double)size[i];
        sum += (r <= width ? 0.5 * r * r : width * r - 0.5 * width * width) / 90.0;
    }
    CHECK(heard.count > 2 && heard.step[heard.count - 1] == heard.count);
    CHECK_CLOSE(heard.loss[heard.count - 1], sum, 1e-5);
    sooth_linear_free(&env, model);
}

/* Every kind gives the same bytes whether anyone listens or not. */
static void who_listens_changes_nothing(void) {
    sooth_table table = curve(70);
    const sooth_model_kind *kind;
    uint32_t program[70];
    size_t iterative = 0;
    for (uint32_t i = 0; i < 70; ++i) program[i] = i % 5;
    table.group = program;
    for (size_t k = 0; (kind = sooth_model_kind_at(k)) != NULL; ++k) {
        sooth_train_recipe recipe;
        sooth_model *silent = NULL, *told_of = NULL;
        memset(&recipe, 0, sizeof recipe);
        recipe.model = kind->name;
        if (kind->kind == SOOTH_KIND_BEST) recipe.options.best.effort = SOOTH_BEST_LOW;
        if (sooth_train_fit(NULL, &table, &recipe, &silent) != SOOTH_OK) continue; /* other columns */
        listen();
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &told_of), SOOTH_OK);
        CHECK(silent->head.size == told_of->head.size && memcmp(silent, told_of, silent->head.size) == 0);
        iterative += heard.count > 0;
        sooth_model_free(&env, told_of);
        sooth_model_free(NULL, silent);
    }
    CHECK(iterative == 5); /* boost, mlp, svr, gauss, sofnn; linear by Huber only */
}

/* A calibrated model is fitted many times; what is told is the fit to all rows. */
static void a_calibrated_model_tells_of_one_fit(void) {
    sooth_table table = curve(60);
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    uint32_t program[60];
    for (uint32_t i = 0; i < 60; ++i) program[i] = i % 6;
    table.group = program;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "boost";
    recipe.options.boost.n_estimators = 100;
    listen();
    CHECK_STATUS(fit_calibrated(&env, &table, &recipe, NULL, &model), SOOTH_OK);
    CHECK(heard.count == 100 && heard.step[99] == 100 && env.loss_fn == hear);
    sooth_model_free(&env, model);
}

/* A teacher is fitted in steps, too, but is not the model. */
static void a_teacher_tells_nothing(void) {
    static const char *const teacher[] = {"boost n_estimators=40", "mlp epochs=3", "linear"};
    const sooth_table table = curve(60);
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    for (size_t k = 0; k < sizeof teacher / sizeof *teacher; ++k)
        for (uint32_t rounds = 0; rounds <= 100; rounds += 100) { /* 0: a tree, which has no losses */
            memset(&recipe, 0, sizeof recipe);
            recipe.model = rounds ? "boost" : "tree";
            recipe.options.boost.n_estimators = rounds;
            strcpy(recipe.teacher, teacher[k]);
            listen();
            CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
            CHECK(heard.count == rounds && env.loss_fn == hear);
            CHECK(!rounds || (heard.step[0] == 1 && heard.step[99] == 100));
            sooth_model_free(&env, model);
        }
    strcpy(recipe.teacher, "svr C=-1");
    recipe.model = "tree";
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "C is -1") != NULL); /* the teacher's sentence */
}

int main(void) {
    CHECK_RUN(boosting_tells_what_xgboost_tells);
    CHECK_RUN(boosting_tells_the_loss_of_its_first_trees);
    CHECK_RUN(networks_tell_what_scikit_learn_tells);
    CHECK_RUN(networks_of_all_rows_tell_the_loss_of_the_model);
    CHECK_RUN(support_vectors_tell_the_dual_objective);
    CHECK_RUN(a_warm_start_tells_the_objective_too);
    CHECK_RUN(gaussian_processes_tell_their_likelihood);
    CHECK_RUN(fuzzy_networks_tell_the_error_of_so_many_rules);
    CHECK_RUN(refinement_of_rules_never_gets_worse);
    CHECK_RUN(robust_regression_tells_hubers_loss);
    CHECK_RUN(who_listens_changes_nothing);
    CHECK_RUN(a_calibrated_model_tells_of_one_fit);
    CHECK_RUN(a_teacher_tells_nothing);
    return check_end("history");
}
