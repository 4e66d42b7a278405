/* trees.h - XGBoost's and CatBoost's settings looked at: Table 7, the loss curves of Figure 6, Figure 7.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef GPU_TREES_H
#define GPU_TREES_H
#include "sooth/validation.h"
#include "networks.h"
#include <time.h>

enum { CRUCIAL = 5, GRID = 41 };
static const size_t boost_row[BOOSTS] = {XGBOOST, CATBOOST};
static const char *const boost_names[BOOSTS] = {"XGBoost", "CatBoost"};

/* Table 7: MiB and seconds on the smaller and the larger file. */
static const double table7_mib[2][BOOSTS] = {{323.23, 241.52}, {162.68, 214.86}},
                    table7_seconds[2][BOOSTS] = {{3.29, 10.3}, {6.4, 11.8}};

/* The five features that the paper ranks high in both models, with the curves of Figure 7. */
static const char *const crucial[CRUCIAL] = {"inst_issue_cycles", "avg_comp_lat", "reg_thread",
                                             "glob_inst_kernel", "glob_store_sm"};

/* ---- Table 7 ---- */

/* Memory that a fit takes, counted. */
typedef struct counted {
    size_t now, most;
} counted;

static void *count_alloc(void *user, size_t size) {
    counted *c = (counted *)user;
    c->now += size;
    if (c->now > c->most) c->most = c->now;
    return malloc(size);
}

static void count_free(void *user, void *memory, size_t size) {
    ((counted *)user)->now -= size;
    free(memory);
}

typedef struct boosted {
    sooth_boost *model; /* of all rows, of the memory of malloc */
    double seconds;     /* of the fit, one thread */
    size_t most;        /* bytes of memory at once */
    double share[FEATURES];
} boosted;

static boosted boost_all(study *s, size_t which) {
    sooth_train_recipe recipe;
    sooth_env env;
    counted count = {0, 0};
    boosted b;
    sooth_env_init(&env);
    env.alloc_fn = count_alloc;
    env.free_fn = count_free;
    env.alloc_user = &count;
    need(&env, sooth_train_recipe_init(&env, &recipe, table5[boost_row[which]].preset));
    const clock_t from = clock();
    need(&env, sooth_boost_fit(&env, &s->table, &recipe.options.boost, &b.model));
    b.seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    b.most = count.most;
    sooth_explain_trees trees = sooth_explain_ensemble(b.model);
    need(&env, sooth_explain_importance(&env, &trees, SOOTH_EXPLAIN_SHARE, b.share));
    return b;
}

/* The place of a feature in Table 7, from 1. RANKS + 1: it has none. */
static size_t place_of(size_t which, const char *name) {
    size_t k = 0;
    while (k < RANKS && strcmp(table7[which][k], name) != 0) ++k;
    return k + 1;
}

static size_t our_place(const boosted *b, size_t j, size_t cols) {
    size_t place = 1;
    for (size_t k = 0; k < cols; ++k)
        place += b->share[k] > b->share[j] || (k < j && !(b->share[k] < b->share[j]));
    return place;
}

static void print_ranks(study *s, const boosted b[BOOSTS]) {
    const size_t cols = s->table.cols;
    float *place = (float *)allocate(4 * cols, sizeof *place);
    printf("\n   Features by their share of the whole gain, and their rank in Table 7:\n"
           "   %-20s %18s %18s\n   %-20s %9s %8s %9s %8s\n",
           "", "XGBoost", "CatBoost", "", "ours", "paper", "ours", "paper");
    for (size_t k = 1; k <= cols; ++k) {
        for (size_t j = 0; j < cols; ++j) {
            const char *name = s->table.names[j];
            if (our_place(&b[0], j, cols) != k) continue;
            printf("   %-20s", name);
            for (size_t m = 0; m < BOOSTS; ++m) {
                place[2 * m * cols + j] = (float)our_place(&b[m], j, cols);
                place[(2 * m + 1) * cols + j] = (float)place_of(m, name);
                printf(" %9.0f %8.0f", (double)place[2 * m * cols + j],
                       (double)place[(2 * m + 1) * cols + j]);
            }
            printf("\n");
        }
    }
    for (size_t m = 0; m < BOOSTS && cols > 1; ++m) {
        sooth_correlation r;
        need(&s->env, sooth_correlate_pair(&s->env, place + 2 * m * cols, 1, place + (2 * m + 1) * cols, 1,
                                           cols, SOOTH_CORRELATE_SPEARMAN, &r));
        printf("   %s: Spearman's correlation of the two rankings %.2f\n", boost_names[m], r.r);
    }
    free(place);
}

static void print_table7(study *s, const boosted b[BOOSTS]) {
    const int printed = s->device == K20 || s->large;
    static const char *const title[3] = {"R2, shuffled", "RMSE W", "MAE W"};
    printf("\n4  XGBoost and CatBoost (Table 7%s)\n\n   %-26s %20s %20s\n",
           printed ? ", in brackets" : "; the paper's is of the K20", "", "XGBoost", "CatBoost");
    for (size_t k = 0; k < 3; ++k) {
        printf("   %-26s", title[k]);
        for (size_t m = 0; m < BOOSTS; ++m) {
            const published *p = &table5[boost_row[m]];
            const double of[3] = {p->r2[K20], p->rmse[K20], p->mae[K20]};
            printf(" %10.3f", s->scores[boost_row[m]][k]);
            if (s->device == K20) printf(" (%7.3f)", of[k]);
            else printf(" %9s", "");
        }
        printf("\n");
    }
    for (size_t k = 0; k < 3; ++k) {
        static const char *const words[3] = {"memory of the fit, MiB", "the model, MiB",
                                             "seconds of the fit"};
        printf("   %-26s", words[k]);
        for (size_t m = 0; m < BOOSTS; ++m) {
            const double mib = 1.0 / (1 << 20), paper = (k ? table7_seconds : table7_mib)[s->large][m];
            const double ours[3] = {mib * (double)b[m].most, mib * (double)b[m].model->head.size,
                                    b[m].seconds};
            printf(" %10.2f", ours[k]);
            if (printed && k != 1) printf(" (%7.2f)", paper);
            else printf(" %9s", "");
        }
        printf("\n");
    }
    printf("   (ours: what one fit to all rows allocates at once, without the table, and its seconds here on "
           "one\n"
           "   thread; the paper's: of a Python process on a machine that it does not name)\n");
    print_ranks(s, b);
}

/* ---- Figure 6 ---- */

static void boost_curve(sooth_env *env, size_t which, const sooth_table *train, const sooth_table *test,
                        curve *c) {
    sooth_train_recipe recipe;
    sooth_boost_options *options = &recipe.options.boost;
    sooth_boost *model;
    sooth_env listens = *env;
    memset(c, 0, sizeof *c);
    listens.loss_fn = hear;
    listens.loss_user = c;
    need(&listens, sooth_train_recipe_init(&listens, &recipe, table5[boost_row[which]].preset));
    options->validation = test;
    options->patience = options->n_estimators;
    need(&listens, sooth_boost_fit(&listens, train, options, &model));
    sooth_boost_free(&listens, model);
}

/* The decision tree of depth 4, at which overfitting begins according to the paper. */
static void tree_line(study *s, const sooth_table *train, const sooth_table *test, const char *paper) {
    float *out = (float *)allocate(train->rows + test->rows, sizeof *out);
    sooth_train_recipe recipe;
    sooth_tree *tree;
    need(&s->env, sooth_train_recipe_init(&s->env, &recipe, "alavani-tree"));
    recipe.options.tree.max_depth = 4;
    need(&s->env, sooth_tree_fit(&s->env, train, &recipe.options.tree, &tree));
    sooth_tree_predict_many(tree, train->x, train->rows, train->stride, out);
    sooth_tree_predict_many(tree, test->x, test->rows, test->stride, out + train->rows);
    const sooth_metrics own = score(s, train->y, out, train->rows);
    const sooth_metrics apart = score(s, test->y, out + train->rows, test->rows);
    printf("   %-26s %6s %9.2f %9.2f %8.3f   %s\n", "decision tree, depth 4", "", own.rmse, apart.rmse,
           apart.r2, paper);
    sooth_tree_free(&s->env, tree);
    free(out);
}

static void boost_curves(study *s) {
    static const char *const names[4] = {"XGBoost, train", "XGBoost, held out", "CatBoost, train",
                                         "CatBoost, held out"};
    const int printed = s->device == K20 || s->large;
    curve *c = (curve *)allocate(BOOSTS, sizeof *c);
    sooth_table train, test;
    scaled_fold(s, &train, &test);
    for (size_t m = 0; m < BOOSTS; ++m) boost_curve(&s->env, m, &train, &test, &c[m]);
    printf("\n   Loss by round on the same launches as above (Figure 6)%s\n\n   %-26s %6s %9s %9s %8s\n",
           printed ? "; in brackets the paper's text" : "", "", "round", "train", "held out", "R2");
    curve_line(&test, "XGBoost", &c[0], 165, printed ? "(8.80, 8.86; R2 0.773)" : "");
    curve_line(&test, "", &c[0], 200, printed ? "(6.04, 7.54; R2 0.848)" : "");
    curve_line(&test, "", &c[0], c[0].steps, "");
    curve_line(&test, "CatBoost", &c[1], 60, printed ? "(7.40, 7.55; R2 0.839)" : "");
    curve_line(&test, "", &c[1], c[1].steps, "");
    tree_line(s, &train, &test, printed ? "(11.79, 14.21; R2 0.641)" : "");
    printf("   The held-out launches spread by %.1f W.", sqrt(spread_of(&test)));
    if (printed)
        printf(" An error and its R2 determine that spread, too: in the paper\n"
               "   19 W for the boosted trees, 24 W for the tree and inverse time, so these are of "
               "different rows.\n"
               "   Table 4's settings have learned the training rows far closer after 165 rounds than "
               "the paper's\n"
               "   8.80 W, so its figure is of others.");
    printf("\n");
    draw_curves(s, "figure_6", "loss of boosted trees by round (Alavani et al. 2023, Figure 6)", c, BOOSTS,
                names, "round");
    sooth_table_free(&s->env, &train);
    sooth_table_free(&s->env, &test);
    free(c);
}

/* ---- Figure 7 ---- */

/* grid[k]: quantile k / (GRID - 1) of a column. */
static void quantiles_of(const sooth_table *table, size_t column, float grid[GRID]) {
    float *v = (float *)allocate(table->rows, sizeof *v);
    for (size_t i = 0; i < table->rows; ++i) v[i] = table->x[i * table->stride + column];
    qsort(v, table->rows, sizeof *v, by_float);
    for (size_t k = 0; k < GRID; ++k) grid[k] = v[k * (table->rows - 1) / (GRID - 1)];
    free(v);
}

static void dependence(study *s, const boosted *b) {
    static const size_t shown[5] = {0, GRID / 4, GRID / 2, 3 * (GRID / 4), GRID - 1};
    double x[GRID], y[CRUCIAL * GRID];
    const char *names[CRUCIAL];
    sooth_explain_trees trees = sooth_explain_ensemble(b->model);
    svg_line_chart chart;
    char title[160];
    picture p;
    size_t n = 0;
    printf("\n"
           "   Power by one feature, the others as they are (Figure 7): XGBoost's settings, mean over the "
           "launches\n"
           "   of what is predicted with the feature at its quartiles; the paper freezes the others at "
           "values\n"
           "   that it does not state.\n"
           "\n"
           "   %-20s %17s %17s %17s %17s %17s\n",
           "value: watts", "least", "a quarter", "half", "three quarters", "most");
    for (size_t k = 0; k < GRID; ++k) x[k] = 100.0 * (double)k / (GRID - 1);
    for (size_t c = 0; c < CRUCIAL; ++c) {
        float grid[GRID];
        size_t j = 0;
        while (j < s->table.cols && strcmp(s->table.names[j], crucial[c]) != 0) ++j;
        if (j == s->table.cols) continue;
        quantiles_of(&s->table, j, grid);
        need(&s->env, sooth_explain_dependence(&s->env, &s->table, (uint32_t)j, grid, GRID,
                                               sooth_explain_predict, &trees, 1, y + n * GRID, NULL));
        printf("   %-20s", crucial[c]);
        for (size_t k = 0; k < 5; ++k)
            printf(" %10.4g: %5.1f", (double)grid[shown[k]], y[n * GRID + shown[k]]);
        printf("\n");
        names[n++] = crucial[c];
    }
    if (!draw_into(s, &p, "figure_7")) return;
    memset(&chart, 0, sizeof chart);
    chart.frame.title =
        titled(s, title, "power by one feature, others as they are (Alavani et al. 2023, Figure 7)");
    chart.x = x;
    chart.y = y;
    chart.count = GRID;
    chart.series = n;
    chart.series_names = names;
    chart.x_title = "launches with a smaller value, %";
    chart.y_title = "mean predicted power, W";
    svg_lines(&p.sink, &chart);
    picture_close(&p);
}

static void trees_run(study *s) {
    boosted b[BOOSTS];
    for (size_t m = 0; m < BOOSTS; ++m) b[m] = boost_all(s, m);
    print_table7(s, b);
    boost_curves(s);
    dependence(s, &b[0]);
    for (size_t m = 0; m < BOOSTS; ++m) free(b[m].model);
}

#endif
