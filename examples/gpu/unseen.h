/* unseen.h - the power of unseen kernels: a physical baseline, drawn towards trees, and an interval.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Two models predict log watts: the baseline (baseline.h) and boosted trees. The prediction is a quarter of
 * the way from the baseline to the trees. Compared with no trees, that gains 0.3 points of MAPE on both K20
 * files and 0.8 on a K80 file, and loses 0.6 on M60. After a few measured launches it is nowhere worse by
 * more than 0.3, and better by 1 on M60. Inner folds of the other benchmarks could choose the share. That
 * costs six times as much, and is worse on most files that no choice was made on: there are too few
 * benchmarks to choose by.
 *
 * The intervals are conformal (conformal.h). They use the errors of such models on the other benchmarks, each
 * left out in its turn, on the scale of logarithms. Either launches count equally, or benchmarks do.
 */
#ifndef GPU_UNSEEN_H
#define GPU_UNSEEN_H
#include "baseline.h"
#include "sooth/conformal.h"
#include "sooth/train.h"
#include "sooth/validation.h"

enum { MODELS = 2, QUARTERS = 1, RATIOS = 8 };
static const char *const model_names[MODELS] = {"baseline", "boosted trees"};

enum { OF_LAUNCHES, OF_BENCHMARKS, PROMISES };

typedef struct unseen {
    const launches *l;
    sooth_table table;     /* input features of the trees; y: log watts */
    sooth_split split;     /* benchmarks left out */
    double *terms, *watts; /* the baseline's */
    double *weight;        /* per row: row_weights */
    /* results, per row, of models fitted without its benchmark; watts */
    float *both; /* MODELS x rows */
    float *predicted;
    float *low[PROMISES], *high[PROMISES];
} unseen;

/* task(arg, i, worker) for every i below count, on the threads of env. */
static void in_parallel(const sooth_env *env, size_t count, sooth_task *task, void *arg) {
    if (env->parallel_fn) {
        env->parallel_fn(env->parallel_user, count, task, arg);
        return;
    }
    for (size_t i = 0; i < count; ++i) task(arg, i, 0);
}

/* Fits a recipe on the fold's training rows and predicts its test rows: out[row]. A network whose loss
   explodes predicts from its best weights, perhaps those of its start. */
static void predict_fold(sooth_env *env, const sooth_table *table, const sooth_split_fold *fold,
                         const sooth_train_recipe *recipe, float *out) {
    sooth_table train, test;
    sooth_model *model;
    void *scratch;
    float *predicted = (float *)allocate(fold->tests, sizeof *predicted);
    need(env, sooth_split_take(env, table, fold, &train, &test));
    const sooth_status status = sooth_train_fit(env, &train, recipe, &model);
    if (status != SOOTH_NOT_CONVERGED || !model) need(env, status);
    scratch = allocate(sooth_model_scratch_size(model, 16), 1);
    sooth_model_predict_many(model, test.x, test.rows, test.stride, predicted, scratch, 16);
    for (size_t i = 0; i < fold->tests; ++i) out[fold->test[i]] = predicted[i];
    sooth_model_free(env, model);
    sooth_table_free(env, &train);
    sooth_table_free(env, &test);
    free(scratch);
    free(predicted);
}

/* ---- the input features of the trees ---- */

static float ratio(float a, float b) { return a / (1.0f + b); }

/* log(1 + x) of the features, of the work of a launch, and of ratios with a meaning. */
static float *tree_features(const launches *l, size_t *cols) {
    float *x = (float *)allocate(l->rows * (FEATURES + QUANTITIES + RATIOS), sizeof *x);
    size_t k, wide = QUANTITIES + RATIOS;
    for (size_t j = 0; j < FEATURES; ++j) wide += measures[j].kind == FINAL && l->has[j];
    for (size_t i = 0; i < l->rows; ++i) {
        const float compute = value_of(l, i, "comp_inst_kernel"), global = value_of(l, i, "glob_inst_kernel");
        const float loads = value_of(l, i, "glob_load_sm"), stores = value_of(l, i, "glob_store_sm");
        const float issue = value_of(l, i, "inst_issue_cycles"), occupancy = value_of(l, i, "occupancy");
        const float all = compute + global + value_of(l, i, "misc_inst_kernel");
        const float compute_time = value_of(l, i, "avg_comp_lat") * compute;
        float *row = x + i * wide;
        double q[QUANTITIES];
        for (size_t j = k = 0; j < FEATURES; ++j) {
            if (measures[j].kind == FINAL && l->has[j]) row[k++] = l->cell[i * FEATURES + j];
        }
        quantities_of(l, i, q);
        for (size_t j = 0; j < QUANTITIES; ++j) row[k++] = (float)q[j];
        row[k++] = ratio(global, compute);
        row[k++] = ratio(loads + stores, all);
        row[k++] = ratio(value_of(l, i, "cache_penalty"), loads + stores);
        row[k++] = ratio(issue, all);
        row[k++] = isnan(occupancy) ? issue : occupancy * issue;
        row[k++] = ratio(compute_time, value_of(l, i, "avg_glob_lat") * global);
        row[k++] = ratio(loads, stores);
        row[k++] = ratio(value_of(l, i, "branch"), all);
        for (size_t j = 0; j < wide; ++j) row[j] = sooth_log1p(row[j] > 0.0f ? row[j] : 0.0f);
    }
    *cols = wide;
    return x;
}

/* ---- one benchmark left out ---- */

static void predict_trees(const unseen *u, const sooth_split_fold *fold, float *out) {
    const sooth_train_recipe recipe = {.model = "boost",
                                       .no_card = 1,
                                       .options.boost = {.n_estimators = 150,
                                                         .max_depth = 4,
                                                         .learning_rate = 0.08,
                                                         .lambda = 1.0,
                                                         .bins = 64,
                                                         .subsample = 0.6,
                                                         .colsample_bytree = 0.6}};
    sooth_env env;
    sooth_env_init(&env);
    predict_fold(&env, &u->table, fold, &recipe, out);
}

static void leave_out(void *arg, size_t f, size_t worker) {
    const unseen *u = (const unseen *)arg;
    const sooth_split_fold *fold = &u->split.fold[f];
    float *plain = u->both, *trees = u->both + u->l->rows;
    baseline others;
    (void)worker;
    baseline_fit(u->terms, u->watts, u->weight, fold->train, fold->trains, &others);
    predict_trees(u, fold, trees);
    for (size_t i = 0; i < fold->tests; ++i) {
        const uint32_t row = fold->test[i];
        const float from = sooth_log((float)baseline_watts(&others, u->terms + row * TERMS));
        u->predicted[row] = sooth_exp(from + 0.25f * (float)QUARTERS * (trees[row] - from));
        plain[row] = sooth_exp(from);
        trees[row] = sooth_exp(trees[row]);
    }
}

/* The 90 % intervals of predicted[] at the rows of benchmark g, from the errors on the other benchmarks.
   group NULL: their launches count equally. */
static void intervals(sooth_env *env, const launches *l, const float *predicted, uint32_t g,
                      const uint32_t *group, uint32_t scale, float *low, float *high) {
    float *weight = (float *)allocate(l->rows, sizeof *weight);
    sooth_conformal_options options;
    sooth_conformal *conformal;
    memset(&options, 0, sizeof options);
    options.scale = scale;
    options.method = SOOTH_CONFORMAL_CROSS;
    for (size_t i = 0; i < l->rows; ++i) weight[i] = l->group[i] == g ? 0.0f : 1.0f;
    need(env, sooth_conformal_fit(env, l->watts, predicted, group, weight, l->rows, &options, &conformal));
    for (size_t i = 0; i < l->rows; ++i) {
        if (l->group[i] == g) sooth_conformal_interval(conformal, predicted[i], 1.0f, &low[i], &high[i]);
    }
    sooth_conformal_free(env, conformal);
    free(weight);
}

static void unseen_run(sooth_env *env, const launches *l, unseen *u) {
    const size_t rows = l->rows;
    sooth_split_options options;
    float *log_watts = (float *)allocate(rows, sizeof *log_watts);
    size_t cols;
    memset(u, 0, sizeof *u);
    u->l = l;
    sooth_table_init(&u->table, tree_features(l, &cols), rows, 0);
    u->table.cols = u->table.stride = cols;
    u->table.y = log_watts;
    u->table.targets = 1;
    u->table.group = l->group;
    u->terms = terms_of(l);
    u->watts = (double *)allocate(rows, sizeof *u->watts);
    u->weight = row_weights(l);
    u->predicted = (float *)allocate(rows, sizeof *u->predicted);
    u->both = (float *)allocate(MODELS * rows, sizeof *u->both);
    for (size_t i = 0; i < rows; ++i) {
        log_watts[i] = sooth_log(l->watts[i]);
        u->watts[i] = (double)l->watts[i];
    }
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
    need(env, sooth_split_make(env, &u->table, &options, &u->split));
    in_parallel(env, u->split.folds, leave_out, u);
    for (size_t p = 0; p < PROMISES; ++p) {
        u->low[p] = (float *)allocate(rows, sizeof *u->low[p]);
        u->high[p] = (float *)allocate(rows, sizeof *u->high[p]);
        for (uint32_t g = 0; g < l->groups; ++g) {
            intervals(env, l, u->predicted, g, p == OF_BENCHMARKS ? l->group : NULL, SOOTH_CONFORMAL_LOG,
                      u->low[p], u->high[p]);
        }
    }
}

static void unseen_free(sooth_env *env, unseen *u) {
    sooth_split_free(env, &u->split);
    for (size_t p = 0; p < PROMISES; ++p) {
        free(u->low[p]);
        free(u->high[p]);
    }
    free((void *)(uintptr_t)u->table.x);
    free((void *)(uintptr_t)u->table.y);
    free(u->both);
    free(u->predicted);
    free(u->weight);
    free(u->watts);
    free(u->terms);
}

#endif
