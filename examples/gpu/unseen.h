/* unseen.h - the power of kernels never seen: a physical baseline, drawn towards trees, and an interval.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Two models predict log watts: the baseline (baseline.h) and boosted trees. The prediction stands a share
 * of the way from the baseline to the trees: 0, 1/4, 1/2, 3/4 or 1. For each benchmark left out, five
 * group folds of the other benchmarks tell which share has the least MAPE, so nothing of the benchmark
 * that is scored takes part in the choice.
 *
 * The interval is conformal (Romano, Patterson and Candes 2019): baselines fitted to the 5 and the 95 %
 * quantile say what a kernel that draws little or much makes of this launch; both are moved by the factor
 * that holds 90 % of the inner folds' rows, weighted as in the fit. So it is narrow where little runs and
 * wide where much does.
 */
#ifndef GPU_UNSEEN_H
#define GPU_UNSEEN_H
#include "baseline.h"
#include "sooth/model.h"
#include "sooth/split.h"

enum { MODELS = 2, SHARES = 5, RATIOS = 8 };
static const char *const model_names[MODELS] = {"baseline", "boosted trees"};

enum { FIXED, FACTOR, SCALED, WIDTHS };

typedef struct unseen {
    const launches *l;
    sooth_table table; /* what the trees see; y: log watts */
    sooth_split outer;
    double *terms, *watts; /* the baseline's */
    double *weight;        /* per row: row_weights */
    /* results, per row */
    float *both;      /* MODELS x rows, log watts */
    float *predicted; /* watts */
    float *low[WIDTHS], *high[WIDTHS];
    unsigned *choice; /* per benchmark: quarters of the way from the baseline to the trees */
} unseen;

/* task(arg, i, worker) for every i below count, on the threads of env. */
static void in_parallel(const sooth_env *env, size_t count, sooth_task *task, void *arg) {
    if (env->parallel_fn) {
        env->parallel_fn(env->parallel_user, count, task, arg);
        return;
    }
    for (size_t i = 0; i < count; ++i) task(arg, i, 0);
}

/* Fits a recipe on the fold's training rows and predicts its test rows: out[row]. */
static void predict_fold(sooth_env *env, const sooth_table *table, const sooth_fold *fold,
                         const sooth_model_recipe *recipe, float *out) {
    sooth_table train, test;
    sooth_model *model;
    float *scratch, *predicted = (float *)allocate(fold->tests, sizeof *predicted);
    need(env, sooth_split_take(env, table, fold, &train, &test));
    need(env, sooth_model_fit(env, &train, recipe, &model));
    scratch = (float *)allocate(sooth_model_scratch(model, 16), sizeof *scratch);
    sooth_model_predict_many(model, test.x, test.rows, test.stride, predicted, scratch, 16);
    for (size_t i = 0; i < fold->tests; ++i) out[fold->test[i]] = predicted[i];
    sooth_model_free(env, model);
    sooth_table_free(env, &train);
    sooth_table_free(env, &test);
    free(scratch);
    free(predicted);
}

/* ---- what the trees see ---- */

static float ratio(float a, float b) { return a / (1.0f + b); }

/* log(1 + x) of the features, of what a launch puts on the device, and of ratios with a meaning. */
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

/* ---- both models on one fold: out[b * rows + i], log watts ---- */

static void predict_both(sooth_env *env, const unseen *u, const sooth_fold *fold, float *out) {
    sooth_model_recipe recipe;
    sooth_boost_options boost;
    baseline plain;
    memset(&boost, 0, sizeof boost);
    boost.n_estimators = 150;
    boost.max_depth = 4;
    boost.learning_rate = 0.08;
    boost.lambda = 1.0;
    boost.bins = 64;
    boost.subsample = boost.colsample_bytree = 0.6;
    memset(&recipe, 0, sizeof recipe);
    recipe.no_card = 1;

    baseline_fit(u->terms, u->watts, u->weight, fold->train, fold->trains, 0.5, &plain);
    for (size_t i = 0; i < fold->tests; ++i) {
        const uint32_t row = fold->test[i];
        out[row] = sooth_log((float)baseline_watts(&plain, u->terms + row * TERMS));
    }
    recipe.model = "boost";
    recipe.options = &boost;
    predict_fold(env, &u->table, fold, &recipe, out + u->l->rows);
}

/* The prediction at row i, log watts: quarters of the way from the baseline to the trees. */
static float blend(const float *out, size_t rows, size_t i, unsigned quarters) {
    return out[i] + 0.25f * (float)quarters * (out[rows + i] - out[i]);
}

/* The quarters of the least MAPE over the rows row[0..count), weighted as in the fit. */
static unsigned choose(const unseen *u, const float *out, const uint32_t *row, size_t count) {
    unsigned best = 0;
    double least = 1e300;
    for (unsigned c = 0; c < SHARES; ++c) {
        double loss = 0.0;
        for (size_t i = 0; i < count; ++i) {
            const float e = sooth_exp(blend(out, u->l->rows, row[i], c)) / u->l->watts[row[i]] - 1.0f;
            loss += u->weight[row[i]] * (double)(e < 0.0f ? -e : e);
        }
        if (loss < least) {
            least = loss;
            best = c;
        }
    }
    return best;
}

/* ---- intervals ---- */

typedef struct weighted {
    double value, weight;
} weighted;

static int by_value(const void *a, const void *b) {
    const double x = ((const weighted *)a)->value, y = ((const weighted *)b)->value;
    return (x > y) - (x < y);
}

/* The value that the share q of the weight does not exceed; the case to come weighs 1 and may exceed all. */
static double quantile(weighted *list, size_t count, double q) {
    double total = 1.0, below = 0.0;
    size_t i;
    qsort(list, count, sizeof *list, by_value);
    for (i = 0; i < count; ++i) total += list[i].weight;
    for (i = 0; i + 1 < count && (below += list[i].weight) < q * total; ++i) {}
    return list[i].value;
}

/* The ends of the middle 90 % at the test rows of a fold, log watts. */
static void quantile_curves(const unseen *u, const sooth_fold *fold, double *low, double *high) {
    baseline below, above;
    baseline_fit(u->terms, u->watts, u->weight, fold->train, fold->trains, 0.05, &below);
    baseline_fit(u->terms, u->watts, u->weight, fold->train, fold->trains, 0.95, &above);
    for (size_t i = 0; i < fold->tests; ++i) {
        const double *x = u->terms + fold->test[i] * TERMS;
        low[fold->test[i]] = (double)sooth_log((float)baseline_watts(&below, x));
        high[fold->test[i]] = (double)sooth_log((float)baseline_watts(&above, x));
    }
}

/* What holds 90 % of value[row], row[0..count). */
static double conformal(const unseen *u, const double *value, const uint32_t *row, size_t count) {
    weighted *list = (weighted *)allocate(count, sizeof *list);
    for (size_t i = 0; i < count; ++i) {
        list[i].value = value[row[i]];
        list[i].weight = u->weight[row[i]];
    }
    double q = quantile(list, count, 0.9);
    free(list);
    return q;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* The three kinds of interval at the test rows of a fold. inner, outer: predictions there and here. */
static void intervals(unseen *u, const sooth_fold *fold, const sooth_split *split, const float *inner,
                      unsigned quarters, const float *outer) {
    const size_t rows = u->l->rows;
    double *in_watts = (double *)allocate(rows, sizeof *in_watts);
    double *in_logs = (double *)allocate(rows, sizeof *in_logs);
    double *low = (double *)allocate(rows, sizeof *low), *high = (double *)allocate(rows, sizeof *high);
    double *beyond = (double *)allocate(rows, sizeof *beyond);
    for (size_t f = 0; f < split->folds; ++f) quantile_curves(u, &split->fold[f], low, high);
    for (size_t i = 0; i < fold->trains; ++i) {
        const uint32_t row = fold->train[i];
        const float p = blend(inner, rows, row, quarters);
        const double miss = (double)sooth_exp(p) - u->watts[row];
        const double y = (double)u->table.y[row], e = (double)p - y;
        in_logs[row] = larger(e, -e);
        in_watts[row] = larger(miss, -miss);
        beyond[row] = larger(low[row] - y, y - high[row]);
    }
    double fixed = conformal(u, in_watts, fold->train, fold->trains);
    double factor = conformal(u, in_logs, fold->train, fold->trains);
    double move = conformal(u, beyond, fold->train, fold->trains);
    quantile_curves(u, fold, low, high);
    for (size_t i = 0; i < fold->tests; ++i) {
        const uint32_t row = fold->test[i];
        const float p = blend(outer, rows, row, quarters), watts = sooth_exp(p);
        u->low[FIXED][row] = watts - (float)fixed;
        u->high[FIXED][row] = watts + (float)fixed;
        u->low[FACTOR][row] = sooth_exp(p - (float)factor);
        u->high[FACTOR][row] = sooth_exp(p + (float)factor);
        u->low[SCALED][row] = sooth_exp(-(float)larger(move - low[row], -(double)p));
        u->high[SCALED][row] = sooth_exp((float)larger(high[row] + move, (double)p));
    }
    free(beyond);
    free(high);
    free(low);
    free(in_logs);
    free(in_watts);
}

/* ---- all benchmarks, each left out in turn ---- */

static void leave_out(void *arg, size_t f, size_t worker) {
    unseen *u = (unseen *)arg;
    const sooth_fold *fold = &u->outer.fold[f];
    const size_t rows = u->l->rows;
    float *inner = (float *)allocate(MODELS * rows, sizeof *inner);
    float *outer = (float *)allocate(MODELS * rows, sizeof *outer);
    sooth_split_options options;
    sooth_split split;
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_GROUP_KFOLD;
    need(&env, sooth_split_inner(&env, &u->table, &options, fold, &split));
    for (size_t g = 0; g < split.folds; ++g) {
        predict_both(&env, u, &split.fold[g], outer);
        for (size_t b = 0; b < MODELS; ++b) {
            for (size_t i = 0; i < split.fold[g].tests; ++i) {
                const size_t at = b * rows + split.fold[g].test[i];
                inner[at] = outer[at];
            }
        }
    }
    unsigned quarters = choose(u, inner, fold->train, fold->trains);
    predict_both(&env, u, fold, outer);
    for (size_t i = 0; i < fold->tests; ++i) {
        const uint32_t row = fold->test[i];
        for (size_t b = 0; b < MODELS; ++b) u->both[b * rows + row] = outer[b * rows + row];
        u->predicted[row] = sooth_exp(blend(outer, rows, row, quarters));
    }
    intervals(u, fold, &split, inner, quarters, outer);
    u->choice[f] = quarters;
    sooth_split_free(&env, &split);
    free(outer);
    free(inner);
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
    u->both = (float *)allocate(MODELS * rows, sizeof *u->both);
    u->predicted = (float *)allocate(rows, sizeof *u->predicted);
    u->choice = (unsigned *)allocate(l->groups, sizeof *u->choice);
    for (size_t w = 0; w < WIDTHS; ++w) {
        u->low[w] = (float *)allocate(rows, sizeof *u->low[w]);
        u->high[w] = (float *)allocate(rows, sizeof *u->high[w]);
    }
    for (size_t i = 0; i < rows; ++i) {
        log_watts[i] = sooth_log(l->watts[i]);
        u->watts[i] = (double)l->watts[i];
    }
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
    need(env, sooth_split_make(env, &u->table, &options, &u->outer));
    in_parallel(env, u->outer.folds, leave_out, u);
}

static void unseen_free(sooth_env *env, unseen *u) {
    sooth_split_free(env, &u->outer);
    free((void *)(uintptr_t)u->table.x);
    free((void *)(uintptr_t)u->table.y);
    for (size_t w = 0; w < WIDTHS; ++w) {
        free(u->low[w]);
        free(u->high[w]);
    }
    free(u->choice);
    free(u->predicted);
    free(u->both);
    free(u->weight);
    free(u->watts);
    free(u->terms);
}

#endif
