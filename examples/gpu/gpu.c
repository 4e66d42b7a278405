/* gpu.c - what a GPU kernel draws, from features of its PTX: the published study, and the truth about kernels never seen.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     gpu [--unseen-only | --seen-only] FILE.csv ...
 *
 * A file has one row per launch: features, Power in watts and the benchmark that it belongs to (a further column `family` is left
 * aside). For each file the program follows Alavani, Desai, Saha and Sarkar 2023, "Program Analysis and Machine Learning-based
 * Approach to Predict Power Consumption of CUDA Kernel":
 *
 *   1. selection, their section 4: features that correlate above 0.85 (Pearson, then Kendall) are dropped; of those left the
 *      importance in a random forest and the mean |SHAP value|;
 *   2. their regressors with the settings of Table 4, five shuffled parts, beside their Table 5 (K20, M60);
 *   3. the same regressors on benchmarks that they have never seen, each left out in turn, beside what must be beaten: the
 *      training median, and two oracles that know the measured power of the benchmark left out;
 *   4. a model of our own for unseen kernels, with an interval.
 *
 * Steps 2 and 3 are far apart. Shuffled parts put launches of one kernel on both sides; a scheduler that meets a new kernel has
 * the errors of step 3. The oracle that answers each benchmark's own mean still errs by 16.1 % on the published K20 file and
 * 18.8 % on M60, its best constant by 14.4 and 16.5 %: launch sizes spread the power inside a benchmark so widely that less than
 * that needs the right answer to both, which kernel and which launch. Many benchmarks have one to five rows, too few to learn
 * what sets them apart. The goal of a third below the best peer (16.5 % on K20, 17.5 % on M60) lies below what knowing each
 * benchmark's best constant buys.
 *
 * The model of step 4 learns the logarithm of power from log(1 + x) of the features and of ratios with a meaning (instruction
 * mix, cycles per instruction, penalty per load, occupancy x issue rate). Which of its candidates answers for a benchmark is
 * chosen by five group folds inside the other benchmarks only; nothing of the benchmark that is scored takes part. Its interval
 * holds 90 % of the errors of those inner folds, each benchmark counting once. The choice itself costs.
 *
 * What it reached on benchmarks never seen, MAPE: K20 18.0 % (training median 23.4, XGBoost 1.7 with Table 4's settings 16.5: ours is
 * worse), M60 16.0 % (median 28.1, XGBoost 17.5: ours is 9 % better, not a third). The goal was missed on both. The intervals
 * held 91 and 95 % of a benchmark's rows on average, and are wide: 93 and 62 W. Deterministic.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/correlate.h"
#include "sooth/csv.h"
#include "sooth/explain.h"
#include "sooth/metrics.h"
#include "sooth/model.h"
#include "sooth/split.h"
#include "sooth/threads.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct study {
    sooth_env env;
    sooth_csv csv;
    sooth_csv_data data;
    sooth_table table; /* all features as measured */
    int paper;         /* column of published: 0 K20, 1 M60, -1 neither */
} study;

/* ---- the paper ---- */

typedef struct published {
    const char *title, *preset;
    double r2[2], rmse[2], mae[2]; /* Table 5: K20, M60 */
} published;

static const published table5[] = {
    {"random forest", "alavani-forest", {0.8899, 0.9398}, {7.9265, 4.5547}, {4.4177, 2.2427}},
    {"extra trees", "alavani-extratrees", {0.8893, 0.9557}, {7.9438, 3.9610}, {3.9346, 1.9362}},
    {"gradient boosting", "alavani-boosting", {0.9025, 0.9415}, {7.4657, 4.3645}, {3.7849, 2.0169}},
    {"XGBoost", "alavani-xgboost", {0.9101, 0.9544}, {7.1592, 3.9172}, {3.4816, 1.7588}},
    {"CatBoost", "alavani-catboost", {0.9067, 0.9548}, {7.3001, 3.8938}, {3.8308, 1.8252}},
    {"decision tree", "alavani-tree", {0.8447, 0.8762}, {9.3899, 6.6781}, {5.0070, 3.7151}},
    {"SVR", "alavani-svr", {0.7041, 0.6021}, {13.0078, 12.0735}, {8.4063, 8.7283}},
    {"ANN", "alavani-mlp", {0.7011, 0.7314}, {12.1048, 8.8217}, {7.4597, 5.9993}},
    {"linear", "linear", {-0.1919, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
enum { REGRESSORS = sizeof table5 / sizeof *table5 };

/* ---- small things ---- */

static void give_up(const char *sentence) {
    fprintf(stderr, "gpu: %s\n", sentence);
    exit(1);
}

static void need(study *s, sooth_status status) {
    if (status != SOOTH_OK) give_up(s->env.sentence);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL) give_up("there is not enough memory");
    return memory;
}

static int by_float(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median_of(const float *y, size_t n) {
    float *sorted = (float *)room(n, sizeof *sorted), middle;
    memcpy(sorted, y, n * sizeof *y);
    qsort(sorted, n, sizeof *sorted, by_float);
    middle = 0.5f * (sorted[(n - 1) / 2] + sorted[n / 2]);
    free(sorted);
    return middle;
}

/* ---- a regressor on one fold: out[] at the rows of the file that the fold tests ---- */

static void answer(study *s, const sooth_table *table, const sooth_fold *fold, const sooth_model_recipe *recipe, float *out) {
    sooth_table train, test;
    sooth_model *model;
    float *scratch, *answers = (float *)room(fold->tests, sizeof *answers);
    size_t i;
    need(s, sooth_split_take(&s->env, table, fold, &train, &test));
    need(s, sooth_model_fit(&s->env, &train, recipe, &model));
    scratch = (float *)room(sooth_model_scratch(model, 16), sizeof *scratch);
    sooth_model_predict_many(model, test.x, test.rows, test.stride, answers, scratch, 16);
    for (i = 0; i < fold->tests; ++i) out[fold->test[i]] = answers[i];
    sooth_model_free(&s->env, model);
    sooth_table_free(&s->env, &train);
    sooth_table_free(&s->env, &test);
    free(scratch);
    free(answers);
}

static sooth_metrics score(study *s, const float *actual, const float *predicted, size_t rows) {
    sooth_metrics m;
    need(s, sooth_metrics_compute(&s->env, actual, predicted, NULL, rows, NULL, &m));
    return m;
}

static sooth_split split_by(study *s, sooth_split_method method, const sooth_fold *outer) {
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = method;
    need(s, outer ? sooth_split_inner(&s->env, &s->table, &options, outer, &split)
                  : sooth_split_make(&s->env, &s->table, &options, &split));
    return split;
}

/* ---- 1: selection ---- */

static void filter_by(study *s, sooth_correlate_kind kind, const char *name, const sooth_correlation *rank, unsigned char *keep) {
    const size_t cols = s->table.cols;
    double *r = (double *)room(cols * cols, sizeof *r);
    unsigned char *before = (unsigned char *)room(cols, 1);
    size_t j, k;
    int dropped = 0;
    memcpy(before, keep, cols);
    need(s, sooth_correlate_matrix(&s->env, kind, &s->table, r, NULL));
    need(s, sooth_correlate_filter(&s->env, r, cols, rank, 0.85, keep));
    for (j = 0; j < cols; ++j) {
        if (!before[j] || keep[j]) continue;
        ++dropped;
        for (k = 0; k < cols; ++k) {
            if (keep[k] && (r[j * cols + k] > 0.85 || r[j * cols + k] < -0.85)) {
                printf("   %s drops %s: %.2f with %s\n", name, s->table.names[j], r[j * cols + k], s->table.names[k]);
                break;
            }
        }
    }
    if (!dropped) printf("   %s drops none above 0.85\n", name);
    free(before);
    free(r);
}

static void select_features(study *s) {
    const size_t cols = s->table.cols, rows = s->table.rows;
    unsigned char *keep = (unsigned char *)room(cols, 1);
    sooth_correlation *rank = (sooth_correlation *)room(cols, sizeof *rank);
    double *share = (double *)room(cols, sizeof *share), *mean = (double *)room(cols, sizeof *mean);
    double *phi = (double *)room(rows * cols, sizeof *phi);
    sooth_forest_options options;
    sooth_explain_trees trees;
    sooth_forest *forest;
    size_t i, j, k, most;
    memset(keep, 1, cols);
    printf("\n1  Selection (section 4)\n");
    need(s, sooth_correlate_rank(&s->env, SOOTH_CORRELATE_KENDALL, &s->table, 0, rank));
    filter_by(s, SOOTH_CORRELATE_PEARSON, "Pearson", rank, keep);
    filter_by(s, SOOTH_CORRELATE_KENDALL, "Kendall", rank, keep);
    memset(&options, 0, sizeof options);
    options.max_depth = 8; /* SHAP's time grows with depth squared */
    options.trees = 50;
    need(s, sooth_forest_fit(&s->env, &s->table, &options, &forest));
    trees = sooth_explain_ensemble(forest);
    need(s, sooth_explain_importance(&s->env, &trees, SOOTH_EXPLAIN_SHARE, share));
    need(s, sooth_explain_shap(&s->env, &trees, &s->table, phi, NULL));
    for (i = 0; i < rows; ++i) {
        for (j = 0; j < cols; ++j) mean[j] += (phi[i * cols + j] < 0.0 ? -phi[i * cols + j] : phi[i * cols + j]) / (double)rows;
    }
    printf("   feature               forest importance   mean |SHAP| W   Kendall with power\n");
    for (k = 0; k < cols; ++k) {
        double kendall = 0.0;
        for (most = 0, j = 1; j < cols; ++j) {
            if (share[j] > share[most]) most = j;
        }
        for (j = 0; j < cols; ++j) {
            if (rank[j].column == most) kendall = rank[j].r;
        }
        printf("   %-20s  %14.1f %%  %14.2f  %19.2f%s\n", s->table.names[most], 100.0 * share[most], mean[most], kendall,
               keep[most] ? "" : "   dropped above");
        share[most] = -1.0;
    }
    sooth_forest_free(&s->env, forest);
    free(phi);
    free(mean);
    free(share);
    free(rank);
    free(keep);
}

/* ---- 2 and 3: the regressors of the paper ---- */

static void paper_models(study *s, int unseen) {
    const size_t rows = s->table.rows;
    sooth_split split = split_by(s, unseen ? SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT : SOOTH_SPLIT_KFOLD, NULL);
    float *out = (float *)room(rows, sizeof *out), *part = (float *)room(2 * rows, sizeof *part);
    size_t m, f, i;
    printf(unseen ? "\n3  The same regressors on benchmarks never seen\n   %-18s      R2   RMSE W    MAE W  MAPE %%\n"
                  : "\n2  Table 4's regressors, five shuffled parts (in brackets: Table 5)\n"
                    "   %-18s      R2            RMSE W           MAE W            MAPE %%\n", "");
    for (m = 0; m < REGRESSORS; ++m) {
        const published *p = &table5[m];
        double r2 = 0.0, rmse = 0.0, mae = 0.0, mape = 0.0;
        sooth_model_recipe recipe;
        memset(&recipe, 0, sizeof recipe);
        recipe.model = p->preset;
        for (f = 0; f < split.folds; ++f) {
            const sooth_fold *fold = &split.fold[f];
            answer(s, &s->table, fold, &recipe, out);
            if (unseen) continue;
            for (i = 0; i < fold->tests; ++i) {
                part[i] = s->table.y[fold->test[i]];
                part[rows + i] = out[fold->test[i]];
            }
            {
                const sooth_metrics one = score(s, part, part + rows, fold->tests);
                r2 += one.r2 / (double)split.folds;
                rmse += one.rmse / (double)split.folds;
                mae += one.mae / (double)split.folds;
                mape += one.mape / (double)split.folds;
            }
        }
        if (unseen) {
            const sooth_metrics all = score(s, s->table.y, out, rows);
            printf("   %-18s %7.2f %8.2f %8.2f %7.1f\n", p->title, all.r2, all.rmse, all.mae, 100.0 * all.mape);
        } else if (s->paper >= 0 && p->mae[s->paper] > 0.0) {
            printf("   %-18s %7.3f (%.3f)  %6.2f (%6.2f)  %6.2f (%5.2f)  %8.2f\n", p->title, r2, p->r2[s->paper], rmse,
                   p->rmse[s->paper], mae, p->mae[s->paper], 100.0 * mape);
        } else {
            printf("   %-18s %7.3f          %6.2f           %6.2f          %8.2f\n", p->title, r2, rmse, mae, 100.0 * mape);
        }
        fflush(stdout);
    }
    sooth_split_free(&s->env, &split);
    free(part);
    free(out);
}

/* What needs no features: the training median, and oracles that know the answers of the benchmark left out. */
static void yardsticks(study *s) {
    const size_t rows = s->table.rows;
    sooth_split split = split_by(s, SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT, NULL);
    float *out[3], *y = (float *)room(rows, sizeof *y);
    static const char *const title[] = {"training median", "oracle: mean", "oracle: constant"};
    size_t f, i, k, few = 0;
    for (k = 0; k < 3; ++k) out[k] = (float *)room(rows, sizeof *y);
    for (f = 0; f < split.folds; ++f) {
        const sooth_fold *fold = &split.fold[f];
        double sum = 0.0, least = 1e300;
        float median, best = 0.0f;
        few += fold->tests <= 5;
        for (i = 0; i < fold->trains; ++i) y[i] = s->table.y[fold->train[i]];
        median = median_of(y, fold->trains);
        for (i = 0; i < fold->tests; ++i) sum += (double)(y[i] = s->table.y[fold->test[i]]);
        for (k = 0; k < fold->tests; ++k) { /* the constant of least MAPE is one of the values */
            double loss = 0.0;
            for (i = 0; i < fold->tests; ++i) loss += (double)(y[i] > y[k] ? y[i] - y[k] : y[k] - y[i]) / (double)y[i];
            if (loss < least) {
                least = loss;
                best = y[k];
            }
        }
        for (i = 0; i < fold->tests; ++i) {
            out[0][fold->test[i]] = median;
            out[1][fold->test[i]] = (float)(sum / (double)fold->tests);
            out[2][fold->test[i]] = best;
        }
    }
    for (k = 0; k < 3; ++k) {
        const sooth_metrics m = score(s, s->table.y, out[k], rows);
        printf("   %-18s %7.2f %8.2f %8.2f %7.1f\n", title[k], m.r2, m.rmse, m.mae, 100.0 * m.mape);
        free(out[k]);
    }
    printf("   (the oracles know the power of the benchmark left out; %zu of %zu benchmarks have 5 rows or fewer)\n", few, split.folds);
    sooth_split_free(&s->env, &split);
    free(y);
}

/* ---- 4: our own, for unseen kernels ---- */

enum { RATIOS = 8, BASES = 3, CANDIDATES = 5 };
static const char *const candidate_names[CANDIDATES] = {"extra trees", "boosting", "SVR", "mean of three", "trees and boosting"};
static const unsigned candidate_bases[CANDIDATES] = {1, 2, 4, 7, 3}; /* bits: which bases are averaged, as logarithms */

static float column(const study *s, size_t row, const char *name) {
    size_t j;
    for (j = 0; j < s->table.cols; ++j) {
        if (strcmp(s->table.names[j], name) == 0) return s->table.x[row * s->table.stride + j];
    }
    return 0.0f;
}

/* log(1 + x) of every feature and of the ratios. */
static float *derive(const study *s) {
    const size_t rows = s->table.rows, cols = s->table.cols, wide = cols + RATIOS;
    float *x = (float *)room(rows * wide, sizeof *x);
    size_t i, j;
    for (i = 0; i < rows; ++i) {
        const float compute = column(s, i, "comp_inst_kernel"), global = column(s, i, "glob_inst_kernel");
        const float loads = column(s, i, "glob_load_sm"), stores = column(s, i, "glob_store_sm");
        const float issue = column(s, i, "inst_issue_cycles"), misc = column(s, i, "misc_inst_kernel");
        const float occupancy = column(s, i, "occupancy"), all = compute + global + misc;
        float *ratio = x + i * wide + cols;
        for (j = 0; j < cols; ++j) x[i * wide + j] = s->table.x[i * s->table.stride + j];
        ratio[0] = global / (1.0f + compute);
        ratio[1] = (loads + stores) / (1.0f + all);
        ratio[2] = column(s, i, "cache_penalty") / (1.0f + loads + stores);
        ratio[3] = issue / (1.0f + all);
        ratio[4] = occupancy * issue;
        ratio[5] = column(s, i, "avg_comp_lat") * compute / (1.0f + column(s, i, "avg_glob_lat") * global);
        ratio[6] = loads / (1.0f + stores);
        ratio[7] = column(s, i, "branch") / (1.0f + all);
        for (j = 0; j < wide; ++j) x[i * wide + j] = sooth_log1p(x[i * wide + j] > 0.0f ? x[i * wide + j] : 0.0f);
    }
    return x;
}

/* The bases on one fold: out[b * rows + i] is log watts. */
static void answer_bases(study *s, const sooth_table *table, const sooth_fold *fold, float *out) {
    sooth_model_recipe recipe;
    sooth_forest_options trees;
    sooth_boost_options boost;
    sooth_svr_options svr;
    memset(&trees, 0, sizeof trees);
    trees.trees = 60;
    trees.splitter = 1;
    trees.bootstrap = 1; /* no */
    trees.min_samples_leaf = 2;
    memset(&boost, 0, sizeof boost);
    boost.rounds = 150;
    boost.max_depth = 4;
    boost.eta = 0.08;
    boost.lambda = 1.0;
    boost.bins = 64;
    boost.subsample = boost.colsample_bytree = 0.6;
    memset(&svr, 0, sizeof svr);
    svr.C = 1.0;
    svr.gamma = 0.02;
    svr.epsilon = 0.05;
    memset(&recipe, 0, sizeof recipe);
    recipe.no_card = 1;
    recipe.model = "forest";
    recipe.options = &trees;
    answer(s, table, fold, &recipe, out);
    recipe.model = "boost";
    recipe.options = &boost;
    answer(s, table, fold, &recipe, out + table->rows);
    recipe.model = "svr";
    recipe.options = &svr;
    answer(s, table, fold, &recipe, out + 2 * table->rows);
}

static float blend(const float *out, size_t rows, size_t i, unsigned bases) {
    float sum = 0.0f, count = 0.0f;
    size_t b;
    for (b = 0; b < BASES; ++b) {
        if (!(bases >> b & 1u)) continue;
        sum += out[b * rows + i];
        count += 1.0f;
    }
    return sum / count;
}

typedef struct miss {
    float size;
    double weight;
} miss;

static int by_size(const void *a, const void *b) {
    const float x = ((const miss *)a)->size, y = ((const miss *)b)->size;
    return (x > y) - (x < y);
}

/* Half the width, in log watts, that holds 90 % of the inner errors, each benchmark counting once. */
static float half_width(const study *s, const sooth_fold *fold, const float *inner, unsigned bases) {
    double *rows_of = (double *)room(s->data.groups, sizeof *rows_of), total = 0.0, below = 0.0;
    miss *list = (miss *)room(fold->trains, sizeof *list);
    float width;
    size_t i;
    for (i = 0; i < fold->trains; ++i) rows_of[s->table.group[fold->train[i]]] += 1.0;
    for (i = 0; i < fold->trains; ++i) {
        const uint32_t row = fold->train[i];
        const float e = blend(inner, s->table.rows, row, bases) - sooth_log(s->table.y[row]);
        list[i].size = e < 0.0f ? -e : e;
        list[i].weight = 1.0 / rows_of[s->table.group[row]];
        total += list[i].weight;
    }
    qsort(list, fold->trains, sizeof *list, by_size);
    for (i = 0; i + 1 < fold->trains && (below += list[i].weight) < 0.9 * (total + 1.0); ++i) {}
    width = list[i].size;
    free(list);
    free(rows_of);
    return width;
}

static void our_model(study *s) {
    const size_t rows = s->table.rows;
    sooth_split outer = split_by(s, SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT, NULL);
    float *x = derive(s), *log_y = (float *)room(rows, sizeof *log_y), *inner = (float *)room(BASES * rows, sizeof *inner);
    float *out = (float *)room(BASES * rows, sizeof *out), *chosen = (float *)room(rows, sizeof *chosen);
    float *watts = (float *)room(rows, sizeof *watts);
    size_t picks[CANDIDATES] = {0}, f, g, i, c;
    double covered = 0.0, covered_groups = 0.0, width_sum = 0.0;
    sooth_table table = s->table;
    table.x = x;
    table.cols = table.stride = s->table.cols + RATIOS;
    table.names = NULL;
    table.y = log_y;
    for (i = 0; i < rows; ++i) log_y[i] = sooth_log(s->table.y[i]);
    printf("\n4  Ours for unseen kernels, chosen inside the other benchmarks\n");
    for (f = 0; f < outer.folds; ++f) {
        const sooth_fold *fold = &outer.fold[f];
        sooth_split split = split_by(s, SOOTH_SPLIT_GROUP_KFOLD, fold);
        double least = 1e300, held = 0.0;
        size_t best = 0;
        float width;
        for (g = 0; g < split.folds; ++g) answer_bases(s, &table, &split.fold[g], inner);
        sooth_split_free(&s->env, &split);
        for (c = 0; c < CANDIDATES; ++c) {
            double loss = 0.0;
            for (i = 0; i < fold->trains; ++i) {
                const uint32_t row = fold->train[i];
                const float e = sooth_exp(blend(inner, rows, row, candidate_bases[c])) / s->table.y[row] - 1.0f;
                loss += (double)(e < 0.0f ? -e : e);
            }
            if (loss < least) {
                least = loss;
                best = c;
            }
        }
        ++picks[best];
        width = half_width(s, fold, inner, candidate_bases[best]);
        answer_bases(s, &table, fold, out);
        for (i = 0; i < fold->tests; ++i) {
            const uint32_t row = fold->test[i];
            const float p = blend(out, rows, row, candidate_bases[best]), e = p - log_y[row];
            chosen[row] = sooth_exp(p);
            held += e <= width && -e <= width;
            width_sum += (double)(sooth_exp(p + width) - sooth_exp(p - width));
        }
        covered += held;
        covered_groups += held / (double)fold->tests;
        fprintf(stderr, "\r   %zu of %zu benchmarks", f + 1, outer.folds);
    }
    fprintf(stderr, "\r%40s\r", "");
    printf("   %-18s      R2   RMSE W    MAE W  MAPE %%   chosen for\n", "");
    for (c = 0; c <= CANDIDATES; ++c) {
        sooth_metrics m;
        for (i = 0; i < rows && c < CANDIDATES; ++i) watts[i] = sooth_exp(blend(out, rows, i, candidate_bases[c]));
        m = score(s, s->table.y, c < CANDIDATES ? watts : chosen, rows);
        printf("   %-18s %7.2f %8.2f %8.2f %7.1f", c < CANDIDATES ? candidate_names[c] : "OURS, as chosen", m.r2, m.rmse, m.mae,
               100.0 * m.mape);
        if (c < CANDIDATES) printf("   %zu benchmarks", picks[c]);
        printf("\n");
    }
    printf("   Intervals meant to hold 90 %%: they hold %.0f %% of the rows, %.0f %% of a benchmark's rows on average; %.0f W wide.\n",
           100.0 * covered / (double)rows, 100.0 * covered_groups / (double)outer.folds, width_sum / (double)rows);
    sooth_split_free(&s->env, &outer);
    free(watts);
    free(chosen);
    free(out);
    free(inner);
    free(log_y);
    free(x);
}

/* ---- files ---- */

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long end;
    if (file == NULL) return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
        bytes = (char *)room((size_t)end, 1);
        *size = fread(bytes, 1, (size_t)end, file);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    static const char *const drop[] = {"family"};
    int seen = 1, unseen = 1, files = 0, a;
    for (a = 1; a < argc; ++a) {
        sooth_threads pool;
        sooth_csv_choice choice;
        study s;
        size_t size = 0;
        char *bytes;
        const char *name = strrchr(argv[a], '/');
        if (strcmp(argv[a], "--unseen-only") == 0) {
            seen = 0;
            continue;
        }
        if (strcmp(argv[a], "--seen-only") == 0) {
            unseen = 0;
            continue;
        }
        ++files;
        name = name ? name + 1 : argv[a];
        bytes = read_file(argv[a], &size);
        if (bytes == NULL) {
            printf("%s is not here or is empty: left out\n", argv[a]);
            continue;
        }
        memset(&s, 0, sizeof s);
        sooth_env_init(&s.env);
        need(&s, sooth_threads_start(&pool, 0, &s.env));
        need(&s, sooth_csv_read(&s.env, bytes, size, 0, &s.csv));
        memset(&choice, 0, sizeof choice);
        choice.target = "Power";
        choice.group = "benchmark";
        choice.drop = drop;
        choice.drop_count = sooth_csv_find(&s.csv, "family") < s.csv.cols;
        need(&s, sooth_csv_table(&s.env, &s.csv, &choice, &s.data));
        s.table = s.data.table;
        s.paper = strcmp(name, "k20.csv") == 0 ? 0 : strcmp(name, "m60.csv") == 0 ? 1 : -1;
        printf("%s%s: %zu launches of %u benchmarks, %zu features\n", files > 1 ? "\n\n" : "", name, s.table.rows, s.data.groups,
               s.table.cols);
        if (seen) {
            select_features(&s);
            paper_models(&s, 0);
        }
        if (unseen) {
            paper_models(&s, 1);
            yardsticks(&s);
            our_model(&s);
        }
        sooth_csv_data_free(&s.env, &s.data);
        sooth_csv_free(&s.env, &s.csv);
        sooth_threads_stop(&pool);
        free(bytes);
    }
    if (!files) {
        fputs("usage: gpu [--unseen-only | --seen-only] FILE.csv ...   (one row per launch: features, Power, benchmark)\n", stderr);
        return 2;
    }
    return 0;
}
