/* networks.h - the paper's networks: Table 3, and the loss curves of Figure 4.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Table 3 tries layers, learning rates and features on a smaller and a larger file of the K20. "0.9" and
 * "0.5" are in its column of learning rates. With them as rates, Adam does not converge. So they are read as
 * the other parameter of a schedule of Keras, its decay, with the rate 0.01 of the other lines. Both are run.
 *
 * The paper takes some features from a variational autoencoder. Here it is a plain one, a network of mlp.h
 * that learns to reproduce its inputs through 15 neurons. The variational one adds noise to these neurons,
 * and a penalty that keeps them near a normal distribution. mlp.h has no such loss. The cost of noise alone
 * is tried by adding as much of it as there is signal. "Auto feature selection" is not described in the
 * paper. Here it is the 15 of all candidates with the max gain of a forest on the training rows.
 *
 * All learned values are learned from the training rows of each fold.
 */
#ifndef GPU_NETWORKS_H
#define GPU_NETWORKS_H
#include "paper.h"

/* SQUEEZED: as ENGINEERED, by MinMaxScaler. The others are made of all candidates. */
typedef enum inputs { ENGINEERED, SQUEEZED, BY_FOREST, CODED, CODED_NOISY } inputs;

typedef struct network {
    const char *title;
    int small; /* 1: three layers of 5 neurons; 0: of 64, 64 and 128 */
    uint32_t schedule;
    double rate, decay;
    uint32_t epochs[2]; /* on the smaller file, on the larger */
    double r2[2];       /* Table 3; 0: not in it */
    inputs from;
    size_t row; /* of table5, with the same settings on the smaller file; 0: none */
} network;

enum { LATENT = 15, STEPS = 512, EXPONENTIAL = 3, INVERSE = 5 };
enum { FLAT = SOOTH_MLP_CONSTANT, EXPON = SOOTH_MLP_EXPONENTIAL, BY_TIME = SOOTH_MLP_INVERSE_TIME };

static const network networks[] = {
    {"5, 5, 5; rate 0.01", 1, FLAT, 0.01, 0, {130, 135}, {0.6226, 0.5003}, ENGINEERED, 0},
    {"64, 64, 128; rate 0.01", 0, FLAT, 0.01, 0, {150, 120}, {0.7011, 0.6791}, ENGINEERED, ANN_UNIFORM},
    {"the same, MinMaxScaler", 0, FLAT, 0.01, 0, {150, 120}, {0.7011, 0.6791}, SQUEEZED, 0},
    {"exponential, decay 0.9", 0, EXPON, 0.01, 0.9, {175, 150}, {0.7246, 0.7057}, ENGINEERED, 0},
    {"the same, rate 0.9", 0, EXPON, 0.9, 0.9, {175, 150}, {0}, ENGINEERED, 0},
    {"inverse time, decay 0.5", 0, BY_TIME, 0.01, 0.5, {100, 50}, {0.7418, 0.7737}, ENGINEERED, ANN_INVERSE},
    {"the same, rate 0.5", 0, BY_TIME, 0.5, 0.5, {100, 50}, {0}, ENGINEERED, 0},
    {"autoencoder, inverse time", 0, BY_TIME, 0.01, 0.5, {100, 50}, {0}, CODED, 0},
    {"the same, as much noise", 0, BY_TIME, 0.01, 0.5, {100, 50}, {0.3270, 0.00802}, CODED_NOISY, 0},
    {"15 by a forest, 5, 5, 5", 1, FLAT, 0.01, 0, {150, 150}, {0.6081, 0.5397}, BY_FOREST, 0},
    {"15 by a forest, 64, 64, 128", 0, FLAT, 0.01, 0, {150, 120}, {0.7084, 0.6484}, BY_FOREST, 0}};
enum { NETWORKS = sizeof networks / sizeof *networks };

static sooth_mlp_options options_of(sooth_env *env, const network *n, int large) {
    sooth_train_recipe recipe;
    need(env, sooth_train_recipe_init(env, &recipe, "alavani-mlp"));
    sooth_mlp_options options = recipe.options.mlp;
    if (n->small) options.hidden_1 = options.hidden_2 = options.hidden_3 = 5;
    options.schedule = n->schedule;
    options.learning_rate = n->rate;
    if (n->decay > 0.0) options.decay = n->decay;
    options.epochs = n->epochs[large];
    if (n->rate < 0.1) options.patience = options.epochs; /* all of them; without convergence it may stop */
    return options;
}

/* ---- features that are learned from the training rows ---- */

/* keep[]: the LATENT columns on which a forest of the fold's training rows gains most. */
static void choose_by_forest(sooth_env *env, const sooth_table *table, const sooth_split_fold *fold,
                             unsigned char *keep) {
    double *share = (double *)allocate(table->cols, sizeof *share);
    sooth_forest_options options;
    sooth_forest *forest;
    sooth_table train, test;
    memset(&options, 0, sizeof options);
    options.n_estimators = 50;
    options.max_depth = 8;
    need(env, sooth_split_take(env, table, fold, &train, &test));
    need(env, sooth_forest_fit(env, &train, &options, &forest));
    sooth_explain_trees trees = sooth_explain_ensemble(forest);
    need(env, sooth_explain_importance(env, &trees, SOOTH_EXPLAIN_SHARE, share));
    for (size_t k = 0; k < LATENT && k < table->cols; ++k) {
        size_t most = 0;
        for (size_t j = 1; j < table->cols; ++j) {
            if (share[j] > share[most]) most = j;
        }
        keep[most] = 1;
        share[most] = -1.0;
    }
    sooth_forest_free(env, forest);
    sooth_table_free(env, &train);
    sooth_table_free(env, &test);
    free(share);
}

/* The first half of an autoencoder: the codes of the inputs in LATENT neurons. */
static sooth_mlp *encoder_of(sooth_env *env, const sooth_mlp *whole) {
    const uint32_t outputs = LATENT, activation = SOOTH_MLP_TANH;
    const size_t in = whole->head.features;
    float *w = (float *)allocate(LATENT * (in + 1), sizeof *w);
    sooth_mlp *half;
    for (size_t o = 0; o < LATENT; ++o) {
        for (size_t i = 0; i < in; ++i) w[o * in + i] = sooth_mlp_weight(whole, 0, o, i);
        w[LATENT * in + o] = sooth_mlp_bias(whole, 0, o);
    }
    need(env, sooth_mlp_make(env, in, 1, &outputs, &activation, 0, 0.0, w, &half));
    free(w);
    return half;
}

/* codes[rows x LATENT] of all rows, by an autoencoder of the fold's training rows. Returns the share of
   the variance of the test rows' scaled features that it reproduces. */
static double encode(sooth_env *env, const sooth_table *table, const sooth_split_fold *fold, float *codes) {
    static const sooth_scale_options standard = {SOOTH_SCALE_STANDARD, 1, NULL};
    const size_t cols = table->cols, rows = table->rows;
    float *x = (float *)allocate(2 * rows * cols, sizeof *x), *again = x + rows * cols;
    double left = 0.0, square = 0.0;
    sooth_mlp_options options;
    sooth_table train, test;
    sooth_scale *scale;
    sooth_mlp *whole;
    memset(&options, 0, sizeof options);
    options.hidden_1 = LATENT;
    options.activation = SOOTH_MLP_TANH;
    options.epochs = 200;
    need(env, sooth_split_take(env, table, fold, &train, &test));
    need(env, sooth_scale_fit(env, &train, &standard, &scale));
    sooth_scale_apply_many(scale, train.x, train.rows, train.stride, x);
    sooth_table self = sooth_table_of(x, x, train.rows, cols);
    self.targets = cols;
    const sooth_status status = sooth_mlp_fit(env, &self, &options, &whole);
    if (status != SOOTH_NOT_CONVERGED || !whole) need(env, status);
    sooth_mlp *half = encoder_of(env, whole);
    sooth_scale_apply_many(scale, table->x, rows, table->stride, x);
    sooth_mlp_predict_many(half, x, rows, cols, codes);
    sooth_mlp_predict_many(whole, x, rows, cols, again);
    for (size_t i = 0; i < fold->tests; ++i) {
        for (size_t j = fold->test[i] * cols; j < (fold->test[i] + 1) * cols; ++j) {
            left += pow((double)(again[j] - x[j]), 2.0);
            square += pow((double)x[j], 2.0);
        }
    }
    sooth_mlp_free(env, half);
    sooth_mlp_free(env, whole);
    sooth_scale_free(env, scale);
    sooth_table_free(env, &train);
    sooth_table_free(env, &test);
    free(x);
    return square > 0.0 ? 1.0 - left / square : 1.0;
}

/* Gives every code mean 0, variance 1 / 2 of signal and 1 / 2 of normal noise. */
static void make_noisy(float *codes, size_t rows, uint64_t stream) {
    sooth_rng rng;
    sooth_rng_init(&rng, 1, stream);
    for (size_t k = 0; k < LATENT; ++k) {
        double mean = 0.0, vary = 1e-12;
        for (size_t i = 0; i < rows; ++i) mean += (double)codes[i * LATENT + k] / (double)rows;
        for (size_t i = 0; i < rows; ++i)
            vary += pow((double)codes[i * LATENT + k] - mean, 2.0) / (double)rows;
        for (size_t i = 0; i < rows; ++i) {
            float *c = codes + i * LATENT + k;
            *c = (float)(sqrt(0.5 / vary) * ((double)*c - mean) + sqrt(0.5) * sooth_rng_normal(&rng));
        }
    }
}

/* ---- Table 3 ---- */

typedef struct table3 {
    const study *s;
    const sooth_table *wide; /* all candidates with a value in every row */
    float *out;              /* NETWORKS x rows */
    double *given_back;      /* per fold: of the autoencoder's variance */
} table3;

static void one_network(void *arg, size_t task, size_t worker) {
    const table3 *t = (const table3 *)arg;
    const size_t folds = t->s->seen.folds, f = task % folds, rows = t->s->table.rows;
    const network *n = &networks[task / folds];
    const sooth_split_fold *fold = &t->s->seen.fold[f];
    float *out = t->out + task / folds * rows;
    sooth_train_recipe recipe;
    sooth_env env;
    (void)worker;
    if (n->from > SQUEEZED && t->wide->cols <= LATENT) return;
    sooth_env_init(&env);
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "mlp";
    recipe.options.mlp = options_of(&env, n, t->s->large);
    recipe.no_card = 1;
    recipe.has_input = n->from == SQUEEZED;
    recipe.input.transform = SOOTH_SCALE_MINMAX;
    if (n->row && !t->s->large) {
        for (size_t i = 0; i < fold->tests; ++i)
            out[fold->test[i]] = t->s->out[0][n->row * rows + fold->test[i]];
    } else if (n->from <= SQUEEZED) {
        predict_fold(&env, &t->s->table, fold, &recipe, out);
    } else if (n->from == BY_FOREST) {
        unsigned char *keep = (unsigned char *)allocate(t->wide->cols, 1);
        choose_by_forest(&env, t->wide, fold, keep);
        sooth_table part = columns_of(t->wide, keep);
        predict_fold(&env, &part, fold, &recipe, out);
        table_drop(&part);
        free(keep);
    } else {
        float *codes = (float *)allocate(rows * LATENT, sizeof *codes);
        sooth_table coded = sooth_table_of(codes, t->s->table.y, rows, LATENT);
        const double back = encode(&env, t->wide, fold, codes);
        if (n->from == CODED) t->given_back[f] = back;
        else make_noisy(codes, rows, f);
        predict_fold(&env, &coded, fold, &recipe, out);
        free(codes);
    }
}

static void print_networks(study *s, const table3 *t) {
    const int printed = s->device == K20 || s->large;
    double back = 0.0;
    printf("   %-28s %7s %8s%s\n", "", "epochs", "R2", printed ? "   Table 3" : "");
    for (size_t k = 0; k < NETWORKS; ++k) {
        const network *n = &networks[k];
        double mean[4];
        if (n->from > SQUEEZED && t->wide->cols <= LATENT) {
            printf("   %-28s left out: the file has no more than %zu features\n", n->title, t->wide->cols);
            continue;
        }
        mean_scores(s, &s->seen, t->out + k * s->table.rows, mean);
        printf("   %-28s %7u %8.3f", n->title, n->epochs[s->large], mean[0] < -99.0 ? -99.0 : mean[0]);
        if (printed && n->r2[0] > 0.0) printf("   (%.3f)", n->r2[s->large]);
        printf("%s\n", n->from == CODED_NOISY && printed ? "   variational, in the paper" : "");
    }
    for (size_t f = 0; f < s->seen.folds; ++f) back += t->given_back[f] / (double)s->seen.folds;
    printf("\n"
           "   There is no variational autoencoder here: mlp.h does not have its loss, with noise in the\n"
           "   middle and a penalty on that.");
    if (t->wide->cols > LATENT)
        printf(" A plain one reproduces %.0f %% of the variance of %zu features through\n"
               "   %d neurons, and a network learns from these as well as from the features. With as "
               "much noise as\n"
               "   signal it learns nothing. A variational one is between these two.",
               100.0 * back, t->wide->cols, LATENT);
    printf("\n");
}

/* ---- Figure 4 ---- */

/* The losses of a model that learns in steps: root mean square errors in watts. */
typedef struct curve {
    size_t steps;
    double train[STEPS], held[STEPS];
} curve;

static void hear(void *user, const char *stage, size_t step, double loss, double validation) {
    curve *c = (curve *)user;
    (void)stage;
    if (step < 1 || step > STEPS) return;
    c->steps = step;
    c->train[step - 1] = sqrt(2.0 * loss); /* losses are halves of mean squares */
    c->held[step - 1] = sqrt(2.0 * validation);
}

/* The variance of the targets. */
static double spread_of(const sooth_table *rows) {
    double mean = 0.0, vary = 0.0;
    for (size_t i = 0; i < rows->rows; ++i) mean += (double)rows->y[i] / (double)rows->rows;
    for (size_t i = 0; i < rows->rows; ++i) vary += pow((double)rows->y[i] - mean, 2.0) / (double)rows->rows;
    return vary;
}

/* The R2 that a root mean square error means on these rows. */
static double r2_of(const sooth_table *rows, double rmse) { return 1.0 - rmse * rmse / spread_of(rows); }

static void learn_curve(sooth_env *env, const network *n, int large, const sooth_table *train,
                        const sooth_table *test, curve *c) {

    sooth_mlp_options options = options_of(env, n, large);
    sooth_mlp *model;
    sooth_env listens = *env;
    memset(c, 0, sizeof *c);
    listens.loss_fn = hear;
    listens.loss_user = c;
    options.validation = test;
    options.epochs = options.patience = networks[EXPONENTIAL].epochs[large]; /* the longest, never stopped */
    const sooth_status status = sooth_mlp_fit(&listens, train, &options, &model);
    if (status != SOOTH_NOT_CONVERGED || !model) need(&listens, status);
    sooth_mlp_free(&listens, model);
}

/* Series of different length in one picture. Missing values are NaN. */
static void draw_curves(const study *s, const char *file, const char *title, const curve *c, size_t count,
                        const char *const *names, const char *x_title) {
    svg_line_chart chart;
    char text[160];
    picture p;
    size_t most = 0;
    for (size_t k = 0; k < count; ++k) most = c[k].steps > most ? c[k].steps : most;
    double *x = (double *)allocate(most * (1 + 2 * count), sizeof *x), *y = x + most;
    for (size_t i = 0; i < most; ++i) x[i] = (double)i + 1.0;
    for (size_t k = 0; k < count; ++k) {
        for (size_t i = 0; i < most; ++i) {
            y[2 * k * most + i] = i < c[k].steps && i >= 1 ? c[k].train[i] : NAN;
            y[(2 * k + 1) * most + i] = i < c[k].steps && i >= 1 ? c[k].held[i] : NAN;
        }
    }
    if (draw_into(s, &p, file)) {
        memset(&chart, 0, sizeof chart);
        chart.frame.title = titled(s, text, title);
        chart.x = x;
        chart.y = y;
        chart.count = most;
        chart.series = 2 * count;
        chart.series_names = names;
        chart.x_title = x_title;
        chart.y_title = "root mean square error, W";
        svg_lines(&p.sink, &chart);
        picture_close(&p);
    }
    free(x);
}

static void curve_line(const sooth_table *test, const char *name, const curve *c, size_t step,
                       const char *paper) {
    if (step < 1 || step > c->steps) return;
    printf("   %-26s %6zu %9.2f %9.2f %8.3f   %s\n", name, step, c->train[step - 1], c->held[step - 1],
           r2_of(test, c->held[step - 1]), paper);
}

/* The rows of the first shuffled fold as tables of scaled features. */
static void scaled_fold(study *s, sooth_table *train, sooth_table *test) {
    static const sooth_scale_options standard = {SOOTH_SCALE_STANDARD, 1, NULL};
    sooth_scale *scale;
    need(&s->env, sooth_split_take(&s->env, &s->table, &s->seen.fold[0], train, test));
    need(&s->env, sooth_scale_fit(&s->env, train, &standard, &scale));
    sooth_scale_apply_many(scale, train->x, train->rows, train->stride, (float *)(uintptr_t)train->x);
    sooth_scale_apply_many(scale, test->x, test->rows, test->stride, (float *)(uintptr_t)test->x);
    sooth_scale_free(&s->env, scale);
}

static void network_curves(study *s) {
    static const char *const names[4] = {"inverse, train", "inverse, held out", "expon., train",
                                         "expon., held out"};
    const int printed = s->device == K20 || s->large;
    curve *c = (curve *)allocate(2, sizeof *c);
    sooth_table train, test;
    scaled_fold(s, &train, &test);
    learn_curve(&s->env, &networks[INVERSE], s->large, &train, &test, &c[0]);
    learn_curve(&s->env, &networks[EXPONENTIAL], s->large, &train, &test, &c[1]);
    printf("\n   Loss by epoch, a fifth of the launches held out (Figure 4): root mean square errors, W%s.\n"
           "   Training rows are scored with dropout on, held-out rows without.\n\n"
           "   %-26s %6s %9s %9s %8s\n",
           printed ? ";\n   in brackets what the paper's text gives" : "", "", "epoch", "train", "held out",
           "R2");
    curve_line(&test, "inverse time", &c[0], 20, printed ? "(12.51, 13.13, 0.694)" : "");
    curve_line(&test, "", &c[0], networks[INVERSE].epochs[s->large],
               printed ? "(8.82, 11.66, 0.774; the schedule is not stated)" : "");
    curve_line(&test, "", &c[0], c[0].steps, "");
    curve_line(&test, "exponential", &c[1], 20, printed ? "(11.77, 12.97, 0.584)" : "");
    curve_line(&test, "", &c[1], c[1].steps, "");
    draw_curves(s, "figure_4", "loss of the networks by epoch (Alavani et al. 2023, Figure 4)", c, 2, names,
                "epoch");
    sooth_table_free(&s->env, &train);
    sooth_table_free(&s->env, &test);
    free(c);
}

static void networks_run(study *s) {
    sooth_table all = table_of(&s->l, CANDIDATE);
    unsigned char *every = (unsigned char *)allocate(all.cols, 1);
    memset(every, 1, all.cols);
    sooth_table wide = columns_of(&all, every);
    double *back = (double *)allocate(s->seen.folds, sizeof *back);
    float *out = (float *)allocate(NETWORKS * s->table.rows, sizeof *out);
    table3 t = {s, &wide, out, back};
    printf(
        "\n3  Networks (Table 3), shuffled parts\n"
        "   Features scaled to mean 0 and variance 1, Adam, dropout 0.1, decay every 10 epochs; 0.9 and 0.5\n"
        "   of the table's rates are read as decays, and below each line as rates.\n\n");
    in_parallel(&s->env, NETWORKS * s->seen.folds, one_network, &t);
    print_networks(s, &t);
    network_curves(s);
    free(out);
    free(back);
    table_drop(&wide);
    free(every);
    table_drop(&all);
}

#endif
