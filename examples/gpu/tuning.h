/* tuning.h - the paper's nested cross-validation, on launches and on whole benchmarks; a kind chosen by it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Runs `sooth fit --tune random` for one kind (tune.h): the paper's tree, tuned on shuffled launches and on
 * whole benchmarks. With --all it then chooses among kinds. In every outer fold each kind is searched on the
 * remaining benchmarks. The kind with the min inner error is fitted to them, and predicts the benchmarks left
 * out.
 */
#ifndef GPU_TUNING_H
#define GPU_TUNING_H
#include "sooth/train.h"
#include "paper.h"

typedef struct candidate {
    const char *model, *space;
    uint32_t trials;
} candidate;

static const candidate candidates[] = {
    {"linear", "method=ridge lambda=1e-4:1e4", 8},
    {"alavani-tree", NULL, 20},
    {"alavani-svr", "C=1:1000 gamma=0.01:1", 8},
    {"forest", "n_estimators=60 max_depth=3:16 min_samples_leaf=1:10 max_features=0,0.5 splitter=best,random",
     6},
    {"boost", "n_estimators=50:300 learning_rate=0.02:0.2 max_depth=2:6 subsample=0.5:1", 6},
    {"alavani-mlp", "epochs=60 hidden_3=0,64 learning_rate=0.001:0.02 lambda=1e-4:0.1", 3}};
enum { CANDIDATES = sizeof candidates / sizeof *candidates };

static void tune_tree(study *s, int whole) {
    sooth_table table = s->table;
    sooth_train_recipe recipe;
    sooth_tune_options options;
    sooth_tune_report r;
    if (!whole) table.group = NULL;
    memset(&recipe, 0, sizeof recipe);
    memset(&options, 0, sizeof options);
    recipe.model = "alavani-tree";
    recipe.no_card = 1;
    options.metric = SOOTH_TUNE_MAPE;
    options.outer = 5;
    need(&s->env, sooth_train_tune(&s->env, &table, &recipe, &options, &recipe, &r));
    printf("   %-22s %9.1f %10.1f %11.1f %10.1f %11.1f   depth %u\n",
           whole ? "whole benchmarks" : "shuffled launches", 100.0 * r.inner, 100.0 * r.outer,
           100.0 * r.inner_given, 100.0 * r.outer_given, 100.0 * r.outer_median,
           recipe.options.tree.max_depth);
}

/* Automatic selection in one outer fold. */
static void choose_kind(study *s, const sooth_split_fold *fold, float *out) {
    sooth_table train, test;
    sooth_train_recipe recipe[CANDIDATES];
    double least = 1e300;
    size_t best = 0;
    need(&s->env, sooth_split_take(&s->env, &s->table, fold, &train, &test));
    for (size_t k = 0; k < CANDIDATES; ++k) {
        sooth_tune_options search;
        sooth_tune_report r;
        memset(&recipe[k], 0, sizeof recipe[k]);
        memset(&search, 0, sizeof search);
        recipe[k].model = candidates[k].model;
        recipe[k].no_card = 1;
        search.space = candidates[k].space;
        search.trials = candidates[k].trials;
        search.metric = SOOTH_TUNE_MAPE;
        need(&s->env, sooth_train_tune(&s->env, &train, &recipe[k], &search, &recipe[k], &r));
        if (r.inner < least) {
            least = r.inner;
            best = k;
        }
    }
    predict_fold(&s->env, &s->table, fold, &recipe[best], out);
    sooth_table_free(&s->env, &train);
    sooth_table_free(&s->env, &test);
    printf("   a fold without %3zu launches: %-14s (inner MAPE %.1f %%)\n", fold->tests,
           candidates[best].model, 100.0 * least);
    fflush(stdout);
}

static void choose_among_kinds(study *s) {
    sooth_split outer = split_by(s, SOOTH_SPLIT_GROUP_KFOLD, 0);
    float *out = (float *)allocate(s->table.rows, sizeof *out);
    for (size_t f = 0; f < outer.folds; ++f) choose_kind(s, &outer.fold[f], out);
    const sooth_metrics m = score(s, s->table.y, out, s->table.rows);
    printf("   the choice, on unseen benchmarks: R2 %.2f, MAE %.2f W, MAPE %.1f %%\n", m.r2, m.mae,
           100.0 * m.mape);
    free(out);
    sooth_split_free(&s->env, &outer);
}

static void tuning_run(study *s) {
    printf("\n"
           "6  Nested tuning (section 5.4; sooth fit --tune random): the paper's tree, MAPE %%\n"
           "   30 draws, each tested on five folds; the search itself tested on five held-out folds.\n"
           "\n"
           "   %-22s %20s %23s %10s\n"
           "   %-22s %9s %10s %11s %10s %11s   %s\n",
           "", "tuned", "Table 4's depth 14", "median", "folds of", "searched", "not seen", "the same",
           "not seen", "not seen", "chosen");
    tune_tree(s, 0);
    tune_tree(s, 1);
    printf("\n   Automatic selection among linear, tree, SVR, forest, boosting and network, each tuned:\n");
    if (s->all) choose_among_kinds(s);
    else printf("   left out (minutes): gpu --all runs it.\n");
}

#endif
