/* paper.h - the published study: the features it keeps, and its regressors on seen and unseen kernels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Alavani, Desai, Saha and Sarkar 2023, "Program Analysis and Machine Learning-based Approach to Predict
 * Power Consumption of CUDA Kernel", ACM TOMPECS 8 (4): selection of section 4 and Figure 3, settings of
 * Table 4 (the presets alavani-* of model.h), Tables 5 and 6 and Figure 5. Tables 3, 7 and 8 and the other
 * figures: networks.h, trees.h, dwarfs.h.
 */
#ifndef GPU_PAPER_H
#define GPU_PAPER_H
#include "sooth/stats.h"
#include "sooth/explain.h"
#include "sooth/validation.h"
#include "../common/picture.h"
#include "unseen.h"

/* ---- the paper ---- */

enum { K20, M60, V100, DEVICES };
static const char *const device_names[DEVICES] = {"K20", "M60", "V100"};

/* Differences of a regressor from its preset: none; features by MinMaxScaler, as section 5.4 states for
   all of them; networks without early stopping, at the rate 0.01 throughout, like that of Table 5 (its R2
   is that line of Table 3); or by inverse time. */
typedef enum variant { AS_IS, MIN_MAX, UNIFORM, INVERSE_TIME } variant;

typedef struct published {
    const char *title, *preset;
    double r2[DEVICES], rmse[DEVICES], mae[DEVICES]; /* Table 5; 0: not published */
    variant variant;
} published;

static const published table5[] = {
    {"random forest",
     "alavani-forest",
     {0.8899, 0.9398, 0.9415},
     {7.9265, 4.5547, 8.8127},
     {4.4177, 2.2427, 3.7447},
     AS_IS},
    {"extra trees",
     "alavani-extratrees",
     {0.8893, 0.9557, 0.9526},
     {7.9438, 3.961, 7.9428},
     {3.9346, 1.9362, 3.1989},
     AS_IS},
    {"grad. boosting",
     "alavani-boosting",
     {0.9025, 0.9415, 0.9595},
     {7.4657, 4.3645, 7.4883},
     {3.7849, 2.0169, 3.2475},
     AS_IS},
    {"XGBoost",
     "alavani-xgboost",
     {0.9101, 0.9544, 0.9646},
     {7.1592, 3.9172, 6.9968},
     {3.4816, 1.7588, 2.9028},
     AS_IS},
    {"CatBoost",
     "alavani-catboost",
     {0.9067, 0.9548, 0.9543},
     {7.3001, 3.8938, 7.8954},
     {3.8308, 1.8252, 3.1766},
     AS_IS},
    {"decision tree",
     "alavani-tree",
     {0.8447, 0.8762, 0.8978},
     {9.3899, 6.6781, 10.9053},
     {5.007, 3.7151, 4.4655},
     AS_IS},
    {"SVR",
     "alavani-svr",
     {0.7041, 0.6021, 0.6435},
     {13.0078, 12.0735, 22.6876},
     {8.4063, 8.7283, 13.5012},
     AS_IS},
    {"SVR, min-max", "alavani-svr", {0}, {0}, {0}, MIN_MAX},
    {"ANN, uniform",
     "alavani-mlp",
     {0.7011, 0.7314, 0.7134},
     {12.1048, 8.8217, 18.3762},
     {7.4597, 5.9993, 11.0164},
     UNIFORM},
    {"ANN, inverse t.", "alavani-mlp", {0.7418, 0, 0}, {0}, {0}, INVERSE_TIME}, /* R2: Table 3 */
    {"linear", "linear", {0}, {0}, {0}, AS_IS}};
enum {
    REGRESSORS = sizeof table5 / sizeof *table5,
    XGBOOST = 3,
    CATBOOST = 4,
    ANN_UNIFORM = 8,
    ANN_INVERSE = 9,
    SEEDS = 5
};

/* The error of the XGBoost library on unseen benchmarks, MAPE in per cent; 0: not measured. */
static const double library[DEVICES] = {16.5, 17.5, 0.0};

/* Table 6: XGBoost, five runs: R2, RMSE, MAE, MAPE and their variation. */
static const double table6[DEVICES][8] = {{0.901, 0.0083, 7.4919, 0.3194, 3.6740, 0.1126, 4.5784, 0.1809},
                                          {0.9418, 0.0056, 4.4000, 0.1702, 1.8780, 0.0634, 2.9278, 0.0857},
                                          {0.9553, 0.0056, 7.7712, 0.4081, 3.0521, 0.1365, 3.9900, 0.0732}};

/* Table 7: the features by their importance, descending, in XGBoost and in CatBoost. Place 14 of CatBoost
   is empty in our print; only one feature is left for it. */
enum { RANKS = 15, BOOSTS = 2 };
static const char *const table7[BOOSTS][RANKS] = {
    {"glob_store_sm", "inst_issue_cycles", "avg_comp_lat", "misc_inst_kernel", "glob_inst_kernel",
     "reg_thread", "comp_inst_kernel", "avg_glob_lat", "cache_penalty", "avg_shar_lat", "occupancy",
     "shmem_block", "branch", "glob_load_sm", "block_size"},
    {"avg_comp_lat", "inst_issue_cycles", "reg_thread", "glob_inst_kernel", "comp_inst_kernel",
     "avg_glob_lat", "misc_inst_kernel", "glob_store_sm", "branch", "glob_load_sm", "cache_penalty",
     "occupancy", "avg_shar_lat", "block_size", "shmem_block"}};

typedef struct study {
    sooth_env env;
    launches l;
    sooth_table table;            /* the final features, in the paper's units */
    int device;                   /* of the published figures; DEVICES: none */
    int large;                    /* 1: the larger file of the K20, which only Tables 3 and 7 speak of */
    int all;                      /* 1: also the slow parts */
    const char *folder, *stem;    /* pictures: FOLDER/STEM_figure_3.svg; folder NULL: none */
    sooth_split seen, left_out;   /* shuffled parts; each benchmark in its turn */
    float *out[2];                /* REGRESSORS x rows: when shuffled, of unseen benchmarks (NaN: not run) */
    double scores[REGRESSORS][4]; /* when shuffled: R2, RMSE, MAE, MAPE in per cent */
    /* on unseen benchmarks */
    sooth_metrics median, best; /* of the training rows; of the model with the min MAPE, */
    const char *best_name;      /* and its name */
} study;

/* ---- tables ---- */

/* A table of the columns of this kind or above that have values. */
static sooth_table table_of(const launches *l, int least) {
    const char **names = (const char **)allocate(FEATURES, sizeof *names);
    float *x = (float *)allocate(l->rows * FEATURES, sizeof *x);
    sooth_table table;
    size_t k = 0, cols = 0;
    for (size_t j = 0; j < FEATURES; ++j) {
        if (l->has[j] && measures[j].kind >= least) names[cols++] = measures[j].name;
    }
    for (size_t i = 0; i < l->rows; ++i) {
        for (size_t j = 0; j < FEATURES; ++j) {
            if (l->has[j] && measures[j].kind >= least) x[k++] = l->cell[i * FEATURES + j];
        }
    }
    sooth_table_init(&table, x, l->rows, cols);
    table.y = l->watts;
    table.targets = 1;
    table.group = l->group;
    table.names = names;
    return table;
}

static void table_drop(sooth_table *table) {
    free((void *)(uintptr_t)table->x);
    free((void *)(uintptr_t)table->names);
}

/* The columns of a table that keep[] marks and that have a value in every row, as a table of their own. */
static sooth_table columns_of(const sooth_table *table, const unsigned char *keep) {
    const char **names = (const char **)allocate(table->cols, sizeof *names);
    size_t *from = (size_t *)allocate(table->cols, sizeof *from), cols = 0;
    sooth_table out = *table;
    for (size_t j = 0; j < table->cols; ++j) {
        size_t i = 0;
        while (i < table->rows && !isnan(table->x[i * table->stride + j])) ++i;
        if (!keep[j] || i < table->rows) continue;
        names[cols] = table->names[j];
        from[cols++] = j;
    }
    float *x = (float *)allocate(table->rows * cols, sizeof *x);
    for (size_t i = 0; i < table->rows; ++i) {
        for (size_t j = 0; j < cols; ++j) x[i * cols + j] = table->x[i * table->stride + from[j]];
    }
    free(from);
    out.x = x;
    out.names = names;
    out.cols = out.stride = cols;
    return out;
}

static int is_final(const char *name) {
    size_t j;
    for (j = 0; j < FEATURES && strcmp(measures[j].name, name) != 0; ++j) {}
    return j < FEATURES && measures[j].kind == FINAL;
}

static double size_of(double x) { return x < 0.0 ? -x : x; }

/* ---- fitting on folds ---- */

/* One recipe on the shuffled parts and, if requested, on benchmarks left out. */
typedef struct trial {
    const sooth_table *table;
    const sooth_train_recipe *recipe;
    const sooth_split *seen, *unseen; /* unseen NULL: none */
    float *out[2];                    /* rows each */
} trial;

static void one_fold(void *arg, size_t f, size_t worker) {
    const trial *t = (const trial *)arg;
    const int never = f >= t->seen->folds;
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    predict_fold(&env, t->table, never ? &t->unseen->fold[f - t->seen->folds] : &t->seen->fold[f], t->recipe,
                 t->out[never]);
}

static void run_trial(const sooth_env *env, trial *t) {
    in_parallel(env, t->seen->folds + (t->unseen ? t->unseen->folds : 0), one_fold, t);
}

static sooth_split split_by(study *s, sooth_split_method method, uint32_t seed) {
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = method;
    options.seed = seed;
    need(&s->env, sooth_split_make(&s->env, &s->table, &options, &split));
    return split;
}

static sooth_metrics score(study *s, const float *actual, const float *predicted, size_t rows) {
    sooth_metrics m;
    need(&s->env, sooth_metrics_compute(&s->env, actual, predicted, NULL, rows, NULL, &m));
    return m;
}

/* Means over the folds of R2, RMSE, MAE and MAPE in per cent. */
static void mean_scores(study *s, const sooth_split *split, const float *out, double mean[4]) {
    float *part = (float *)allocate(2 * s->table.rows, sizeof *part);
    memset(mean, 0, 4 * sizeof *mean);
    for (size_t f = 0; f < split->folds; ++f) {
        const sooth_split_fold *fold = &split->fold[f];
        for (size_t i = 0; i < fold->tests; ++i) {
            part[i] = s->table.y[fold->test[i]];
            part[s->table.rows + i] = out[fold->test[i]];
        }
        sooth_metrics m = score(s, part, part + s->table.rows, fold->tests);
        mean[0] += m.r2 / (double)split->folds;
        mean[1] += m.rmse / (double)split->folds;
        mean[2] += m.mae / (double)split->folds;
        mean[3] += 100.0 * m.mape / (double)split->folds;
    }
    free(part);
}

/* Opens FOLDER/STEM_NAME.svg. Returns 0 without a folder, or after a message. */
static int draw_into(const study *s, picture *p, const char *name) {
    char file[256];
    snprintf(file, sizeof file, "%s_%s.svg", s->stem, name);
    return s->folder && picture_open(p, s->folder, file);
}

/* A title with the name of the device or the file in front. */
static const char *titled(const study *s, char out[160], const char *title) {
    snprintf(out, 160, "%s: %s", s->device < DEVICES ? device_names[s->device] : s->stem, title);
    return out;
}

/* ---- 1: selection ---- */

static void filter_by(study *s, sooth_correlate_kind kind, const char *name, const sooth_table *table,
                      const sooth_correlation *rank, unsigned char *keep) {
    const size_t cols = table->cols;
    double *r = (double *)allocate(cols * cols, sizeof *r);
    unsigned char *before = (unsigned char *)allocate(cols, 1);
    size_t j, k;
    int dropped = 0;
    memcpy(before, keep, cols);
    need(&s->env, sooth_correlate_matrix(&s->env, table, kind, r, NULL));
    need(&s->env, sooth_correlate_filter(&s->env, r, cols, rank, 0.85, keep));
    for (j = 0; j < cols; ++j) {
        if (!before[j] || keep[j]) continue;
        for (k = 0; k < cols && !(keep[k] && size_of(r[j * cols + k]) > 0.85); ++k) {}
        printf("   %-8s drops %-18s", name, table->names[j]);
        if (k < cols) printf(" %5.2f with %-18s", r[j * cols + k], table->names[k]);
        printf("%s\n", is_final(table->names[j]) ? "   (the paper keeps it)" : "");
        ++dropped;
    }
    for (k = j = 0; j < cols; ++j) k += keep[j];
    printf("   %-8s drops %d, leaves %zu\n", name, dropped, k);
    free(before);
    free(r);
}

/* Figure 3: the share of each feature in a forest's gain, with a mark at its share of mean |SHAP value|. */
static void draw_importances(const study *s, const char **name, const double *share, const double *shap,
                             size_t count) {
    svg_bar_chart chart;
    char title[160];
    picture p;
    if (!draw_into(s, &p, "figure_3")) return;
    memset(&chart, 0, sizeof chart);
    chart.frame.title = titled(s, title, "importance of the features (Alavani et al. 2023, Figure 3)");
    chart.value = share;
    chart.names = name;
    chart.count = count;
    chart.mark = shap;
    chart.unit = " %";
    chart.mark_title = "bars: share of a forest's gain; ticks: share of mean |SHAP value|";
    svg_bars(&p.sink, &chart);
    picture_close(&p);
}

/* A forest's importances and mean |SHAP value|s of the columns kept. */
static void importances(study *s, const sooth_table *table, const sooth_correlation *rank,
                        const unsigned char *keep) {
    const size_t cols = table->cols, rows = table->rows;
    double *share = (double *)allocate(cols, sizeof *share), *mean = (double *)allocate(cols, sizeof *mean);
    double *phi = (double *)allocate(rows * cols, sizeof *phi), sum = 0.0;
    double *bar = (double *)allocate(2 * cols, sizeof *bar), *tick = bar + cols;
    const char **name = (const char **)allocate(cols, sizeof *name);
    sooth_forest_options options;
    sooth_forest *forest;
    size_t j, most;
    memset(&options, 0, sizeof options);
    options.max_depth = 8; /* SHAP's time grows with depth squared */
    options.n_estimators = 50;
    need(&s->env, sooth_forest_fit(&s->env, table, &options, &forest));
    sooth_explain_trees trees = sooth_explain_ensemble(forest);
    need(&s->env, sooth_explain_importance(&s->env, &trees, SOOTH_EXPLAIN_SHARE, share));
    need(&s->env, sooth_explain_shap(&s->env, &trees, table, phi, NULL));
    for (size_t i = 0; i < rows; ++i) {
        for (j = 0; j < cols; ++j) mean[j] += size_of(phi[i * cols + j]) / (double)rows;
    }
    for (j = 0; j < cols; ++j) sum += mean[j];
    printf("\n   The paper's final features (Figure 3): share of a forest's gain, mean |SHAP value|,\n"
           "   Kendall's correlation with power, and the rank in Table 7 (XGBoost). In the paper the first\n"
           "   four and the last two of forest and SHAP are the same.\n\n"
           "   %-18s %10s %11s %9s %10s\n",
           "", "forest %", "|SHAP| W", "Kendall", "Table 7");
    for (size_t k = 0; k < cols; ++k) {
        double kendall = 0.0;
        size_t place = 0;
        for (most = 0, j = 1; j < cols; ++j) {
            if (share[j] > share[most]) most = j;
        }
        for (j = 0; j < cols; ++j) {
            if (rank[j].column == most) kendall = rank[j].r;
        }
        while (place < RANKS && strcmp(table7[0][place], table->names[most]) != 0) ++place;
        printf("   %-18s %10.1f %11.2f %9.2f %10zu%s\n", table->names[most], 100.0 * share[most], mean[most],
               kendall, place + 1, keep[most] ? "" : "   (dropped above)");
        name[k] = table->names[most];
        bar[k] = 100.0 * share[most];
        tick[k] = 100.0 * mean[most] / sum;
        share[most] = -1.0;
    }
    draw_importances(s, name, bar, tick, cols);
    sooth_forest_free(&s->env, forest);
    free(name);
    free(bar);
    free(phi);
    free(mean);
    free(share);
}

/* A forest's R2 on the shuffled parts, without a column (cols: with all). */
static double forest_without(study *s, const sooth_table *table, size_t column, float *out) {
    unsigned char *keep = (unsigned char *)allocate(table->cols, 1);
    sooth_train_recipe recipe;
    double mean[4];
    trial t = {0};
    memset(keep, 1, table->cols);
    if (column < table->cols) keep[column] = 0;
    sooth_table part = columns_of(table, keep);
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "forest";
    recipe.options.forest.n_estimators = 30;
    recipe.options.forest.max_depth = 14;
    recipe.no_card = 1;
    t.table = &part;
    t.recipe = &recipe;
    t.seen = &s->seen;
    t.out[0] = out;
    run_trial(&s->env, &t);
    mean_scores(s, &s->seen, out, mean);
    table_drop(&part);
    free(keep);
    return mean[0];
}

/* The last step: which of the features left a forest can do without. */
static void impact(study *s, const sooth_table *all, const unsigned char *keep) {
    sooth_table table = columns_of(all, keep);
    float *out = (float *)allocate(table.rows, sizeof *out);
    size_t others = 0, best = 0;
    double best_r2 = -1e300;
    for (size_t j = 0; j < table.cols; ++j) others += !is_final(table.names[j]);
    if (others && table.cols > 1) {
        const double with = forest_without(s, &table, table.cols, out);
        printf("\n   The last step: a forest of 30 trees on the shuffled parts, R2 with the %zu features\n"
               "   that have a value in every row %.4f, and without one of them:\n",
               table.cols, with);
        for (size_t j = 0; j < table.cols; ++j) {
            const double r2 = forest_without(s, &table, j, out);
            if (r2 > best_r2) {
                best_r2 = r2;
                best = j;
            }
            if (!is_final(table.names[j]))
                printf("   %-18s %.4f   (the paper drops it: no impact)\n", table.names[j], r2);
        }
        printf("   %-18s %.4f   (the one least missed)\n", table.names[best], best_r2);
    }
    table_drop(&table);
    free(out);
}

static void select_features(study *s) {
    sooth_table all = table_of(&s->l, CANDIDATE);
    unsigned char *keep = (unsigned char *)allocate(all.cols, 1),
                  *final = (unsigned char *)allocate(all.cols, 1);
    sooth_correlation *rank = (sooth_correlation *)allocate(all.cols, sizeof *rank);
    size_t k = 0;
    memset(keep, 1, all.cols);
    printf("\n1  Selection, as section 4: of two features that correlate above 0.85 one is dropped\n"
           "   (the paper on K20: 24 features, Pearson leaves 18, Kendall 16, importance 15)\n\n"
           "   %zu features\n",
           all.cols);
    if (all.cols == s->table.cols) printf("   (the file has the final ones only)\n");
    need(&s->env, sooth_correlate_rank(&s->env, &all, 0, SOOTH_CORRELATE_KENDALL, rank));
    filter_by(s, SOOTH_CORRELATE_PEARSON, "Pearson", &all, rank, keep);
    filter_by(s, SOOTH_CORRELATE_KENDALL, "Kendall", &all, rank, keep);
    impact(s, &all, keep);
    for (size_t j = 0; j < all.cols; ++j) {
        if (is_final(all.names[j])) final[k++] = keep[j];
    }
    need(&s->env, sooth_correlate_rank(&s->env, &s->table, 0, SOOTH_CORRELATE_KENDALL, rank));
    importances(s, &s->table, rank, final);
    free(rank);
    free(final);
    free(keep);
    table_drop(&all);
}

/* ---- scores ---- */

/* The mean over benchmarks of the average of value[] over a benchmark's rows. */
static double by_benchmark(const launches *l, const double *value) {
    double *sum = (double *)allocate(l->groups, sizeof *sum),
           *count = (double *)allocate(l->groups, sizeof *count);
    double mean = 0.0;
    for (size_t i = 0; i < l->rows; ++i) {
        sum[l->group[i]] += value[i];
        count[l->group[i]] += 1.0;
    }
    for (size_t i = 0; i < l->groups; ++i) mean += sum[i] / count[i] / (double)l->groups;
    free(count);
    free(sum);
    return mean;
}

typedef struct held {
    double width, rows; /* mean width, share of the rows held */
} held;

static held held_by(const launches *l, const float *low, const float *high) {
    held h = {0.0, 0.0};
    for (size_t i = 0; i < l->rows; ++i) {
        h.rows += l->watts[i] >= low[i] && l->watts[i] <= high[i] ? 1.0 / (double)l->rows : 0.0;
        h.width += (double)(high[i] - low[i]) / (double)l->rows;
    }
    return h;
}

/* Prints R2, MAE, MAPE over rows and over benchmarks. Then it prints the mean width in watts of the 90 %
   interval from the errors on the other benchmarks, and its coverage here. */
static sooth_metrics print_unseen(study *s, const float *out) {
    const launches *l = &s->l;
    const sooth_metrics m = score(s, l->watts, out, l->rows);
    double *relative = (double *)allocate(l->rows, sizeof *relative);
    float *low = (float *)allocate(2 * l->rows, sizeof *low), *high = low + l->rows;
    for (size_t i = 0; i < l->rows; ++i) relative[i] = size_of((double)(out[i] / l->watts[i]) - 1.0);
    for (uint32_t g = 0; g < l->groups; ++g)
        intervals(&s->env, l, out, g, l->group, SOOTH_CONFORMAL_PLAIN, low, high);
    const held h = held_by(l, low, high);
    printf("%6.2f %7.2f %7.1f %9.1f %8.0f %6.0f", m.r2 < -99.0 ? -99.0 : m.r2, m.mae, 100.0 * m.mape,
           100.0 * by_benchmark(l, relative), h.width, 100.0 * h.rows);
    free(low);
    free(relative);
    return m;
}

/* The coverage of 90 % intervals of the shuffled errors on launches of unseen kernels. */
static double shuffled_holds(study *s, const float *seen, const float *unseen_out) {
    const launches *l = &s->l;
    float *low = (float *)allocate(2 * l->rows, sizeof *low), *high = low + l->rows;
    sooth_conformal *conformal;
    need(&s->env, sooth_conformal_fit(&s->env, l->watts, seen, NULL, NULL, l->rows, NULL, &conformal));
    for (size_t i = 0; i < l->rows; ++i)
        sooth_conformal_interval(conformal, unseen_out[i], 1.0f, &low[i], &high[i]);
    const held h = held_by(l, low, high);
    sooth_conformal_free(&s->env, conformal);
    free(low);
    return h.rows;
}

/* ---- 2: the regressors of the paper ---- */

static int is_network(const published *p) { return p->variant == UNIFORM || p->variant == INVERSE_TIME; }

/* The recipe of a row of Table 5. */
static sooth_train_recipe recipe_of(study *s, const published *p) {
    sooth_train_recipe recipe;
    sooth_mlp_options *mlp = &recipe.options.mlp;
    need(&s->env, sooth_train_recipe_init(&s->env, &recipe, p->preset));
    recipe.no_card = 1;
    recipe.has_input = p->variant == MIN_MAX;
    recipe.input.transform = SOOTH_SCALE_MINMAX;
    if (p->variant == UNIFORM) {
        mlp->schedule = SOOTH_MLP_CONSTANT;
        mlp->epochs = 150;
    }
    if (is_network(p)) mlp->patience = mlp->epochs;
    return recipe;
}

/* XGBoost with five seeds of the shuffle, next to Table 6. The first is that of Table 5. */
static void five_runs(study *s) {
    static const char *const names[] = {"R2", "RMSE W", "MAE W", "MAPE %"};
    const sooth_train_recipe recipe = recipe_of(s, &table5[XGBOOST]);
    double run[SEEDS][4];
    trial t = {0};
    t.table = &s->table;
    t.recipe = &recipe;
    t.out[0] = (float *)allocate(s->table.rows, sizeof(float));
    memcpy(run[0], s->scores[XGBOOST], sizeof run[0]);
    for (size_t r = 1; r < SEEDS; ++r) {
        sooth_split seen = split_by(s, SOOTH_SPLIT_KFOLD, (uint32_t)r);
        t.seen = &seen;
        run_trial(&s->env, &t);
        mean_scores(s, &seen, t.out[0], run[r]);
        sooth_split_free(&s->env, &seen);
    }
    free(t.out[0]);
    printf("\n   XGBoost, five shuffles%s\n", s->device < DEVICES ? " (in brackets: Table 6)" : "");
    for (size_t k = 0; k < 4; ++k) {
        double mean = 0.0, vary = 0.0;
        for (size_t r = 0; r < SEEDS; ++r) mean += run[r][k] / SEEDS;
        for (size_t r = 0; r < SEEDS; ++r) vary += (run[r][k] - mean) * (run[r][k] - mean) / (SEEDS - 1);
        printf("   %-8s %7.3f +- %.3f", names[k], mean, sqrt(vary));
        if (s->device < DEVICES) {
            printf("   (%.3f +- %.3f)", table6[s->device][2 * k], table6[s->device][2 * k + 1]);
        }
        printf("\n");
    }
}

static int by_float(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Predictions without features: the mean and median of the training rows, and an oracle with the mean of
   the benchmark left out. */
static void yardsticks(study *s, const sooth_split *split) {
    static const char *const title[] = {"mean", "median", "oracle: its mean"};
    const size_t rows = s->table.rows;
    float *out = (float *)allocate(3 * rows, sizeof *out), *y = (float *)allocate(rows, sizeof *y);
    for (size_t f = 0; f < split->folds; ++f) {
        const sooth_split_fold *fold = &split->fold[f];
        double sum = 0.0, own = 0.0;
        for (size_t i = 0; i < fold->trains; ++i) sum += (double)(y[i] = s->table.y[fold->train[i]]);
        for (size_t i = 0; i < fold->tests; ++i) own += (double)s->table.y[fold->test[i]];
        qsort(y, fold->trains, sizeof *y, by_float);
        for (size_t i = 0; i < fold->tests; ++i) {
            out[fold->test[i]] = (float)(sum / (double)fold->trains);
            out[rows + fold->test[i]] = 0.5f * (y[(fold->trains - 1) / 2] + y[fold->trains / 2]);
            out[2 * rows + fold->test[i]] = (float)(own / (double)fold->tests);
        }
    }
    for (size_t k = 0; k < 3; ++k) {
        printf("   %-16s %56s", title[k], "");
        sooth_metrics m = print_unseen(s, out + k * rows);
        printf("\n");
        if (k == 1) s->median = m;
    }
    free(y);
    free(out);
}

/* Keeps the best of all models. */
static void compare(study *s, const char *name, sooth_metrics m) {
    if (s->best_name && !(m.mape < s->best.mape)) return;
    s->best = m;
    s->best_name = name;
}

/* Figure 5, of all launches: XGBoost's settings on shuffled parts and on unseen benchmarks. */
static void draw_measured(const study *s) {
    static const char *const names[2] = {"benchmark never seen", "shuffled, as in the paper"};
    const size_t rows = s->table.rows;
    double *x = (double *)allocate(4 * rows, sizeof *x), *y = x + 2 * rows;
    uint32_t *series = (uint32_t *)allocate(2 * rows, sizeof *series);
    const char **label = (const char **)allocate(2 * rows, sizeof *label);
    svg_points chart;
    char title[160];
    picture p;
    for (size_t i = 0; i < 2 * rows; ++i) {
        x[i] = (double)s->l.watts[i % rows];
        y[i] = (double)s->out[i < rows][XGBOOST * rows + i % rows];
        series[i] = i < rows ? 0 : 1;
        label[i] = s->l.name[s->l.group[i % rows]];
    }
    if (draw_into(s, &p, "figure_5")) {
        memset(&chart, 0, sizeof chart);
        chart.frame.title = titled(
            s, title, "predicted against measured, XGBoost's settings (Alavani et al. 2023, Figure 5)");
        chart.x = x;
        chart.y = y;
        chart.count = 2 * rows;
        chart.series = series;
        chart.series_names = names;
        chart.series_count = 2;
        chart.labels = label;
        chart.x_title = "measured, W";
        chart.y_title = "predicted, W";
        chart.diagonal = 1;
        svg_scatter(&p.sink, &chart);
        picture_close(&p);
    }
    free(label);
    free(series);
    free(x);
}

/* Where the paper's text and its table differ. */
static void remarks(const study *s) {
    if (s->device == DEVICES) return;
    printf(
        "\n   SVR: the paper scales all features by MinMaxScaler, but its figure is that of the presets' "
        "scale,\n"
        "   mean 0 and variance 1. ANN: the network of Table 5 learns at the rate 0.01 throughout (its R2 "
        "is\n"
        "   that line of Table 3), that of the preset by inverse time, in brackets Table 3's. Linear: the\n"
        "   paper's text has R2 -0.19, of a device that it does not name; a slip in one published launch "
        "(of\n"
        "   the M60) throws least squares and unclipped networks far off.\n");
    if (library[s->device] > 0.0)
        printf("   The XGBoost library itself on benchmarks never seen, same settings: MAPE %.1f %%\n"
               "   (measured once in Python; this program does not run it).\n",
               library[s->device]);
}

static void paper_models(study *s) {
    const size_t rows = s->table.rows;
    trial t = {0};
    t.table = &s->table;
    printf("\n2  The paper's regressors (Table 4)\n"
           "   Shuffled: launches of one kernel on both sides, as in the paper (in brackets: its Table 5).\n"
           "   Never seen: all launches of a benchmark left out, as a new kernel is. MAPE over launches and\n"
           "   as mean of the benchmarks' MAPEs; width of the 90 %% interval by the errors on the other\n"
           "   benchmarks, and how much it holds of these; how much that by the shuffled errors holds.\n\n");
    if (s->device == DEVICES) printf("   (the paper publishes nothing for this file)\n");
    printf("   %-16s %-51s%-49s%s\n", "", "shuffled", "never seen", "shuffled");
    printf("   %-16s %8s %7s %6s %7s %6s %8s %8s  %6s %7s %7s %9s %8s %6s %8s\n", "", "R2", "", "RMSE", "",
           "MAE W", "", "MAPE %", "R2", "MAE W", "MAPE %", "benchm. %", "width W", "holds", "holds");
    for (size_t m = 0; m < REGRESSORS; ++m) {
        const published *p = &table5[m];
        char bracket[3][16] = {"", "", ""};
        const double printed[3] = {s->device < DEVICES ? p->r2[s->device] : 0.0,
                                   s->device < DEVICES ? p->rmse[s->device] : 0.0,
                                   s->device < DEVICES ? p->mae[s->device] : 0.0};
        double *mean = s->scores[m];
        const sooth_train_recipe recipe = recipe_of(s, p);
        t.recipe = &recipe;
        t.seen = &s->seen;
        t.unseen = is_network(p) && !s->all ? NULL : &s->left_out; /* slow for networks */
        t.out[0] = s->out[0] + m * rows;
        t.out[1] = s->out[1] + m * rows;
        for (size_t i = 0; i < rows; ++i) t.out[1][i] = NAN;
        run_trial(&s->env, &t);
        mean_scores(s, &s->seen, t.out[0], mean);
        for (size_t k = 0; k < 3; ++k) {
            if (printed[k] > 0.0) snprintf(bracket[k], sizeof *bracket, k ? "(%.2f)" : "(%.3f)", printed[k]);
        }
        printf("   %-16s %8.3f %7s %6.2f %7s %6.2f %8s %8.1f  ", p->title, mean[0], bracket[0], mean[1],
               bracket[1], mean[2], bracket[2], mean[3]);
        if (t.unseen) {
            compare(s, p->title, print_unseen(s, t.out[1]));
            printf(" %8.0f", 100.0 * shuffled_holds(s, t.out[0], t.out[1]));
        } else {
            printf("(with --all)");
        }
        printf("\n");
        fflush(stdout);
    }
    yardsticks(s, &s->left_out);
    remarks(s);
    five_runs(s);
    draw_measured(s);
}

#endif
