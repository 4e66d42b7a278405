/* tune.c - sooth fit --tune: the options of the search, and its report.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"

static const char *const metric_name[] = {"RMSE", "MAE", "MAPE", "R2"}; /* by sooth_tune_metric */

void tuning_read(sooth_env *env, const arguments *args, const char *model, tuning *t) {
    static const char *const only[] = {"trials", "metric", "inner", "outer"};
    static const char *const pairs[][2] = {{"tune", "method"}, {"metric", "metric"}};
    memset(t, 0, sizeof *t);
    t->on = arguments_has(args, "tune");
    for (size_t i = 0; !t->on && i < sizeof only / sizeof *only; ++i)
        if (arguments_has(args, only[i]))
            die(BAD_USE, "--%s needs a search; --tune random starts one", only[i]);
    if (!t->on) return;
    for (size_t i = 0; i < 2; ++i) {
        const char *text = arguments_text(args, pairs[i][0]);
        if (text &&
            sooth_option_set(env, sooth_tune_options_list(), &t->options, pairs[i][1], text) != SOOTH_OK)
            die(BAD_USE, "--%s: %s", pairs[i][0], env->sentence);
    }
    if (arguments_has(args, "trials") && t->options.method == SOOTH_TUNE_GRID)
        die(BAD_USE, "--trials needs --tune random; a grid tries everything");
    if (arguments_count(args, "folds", 0, 0, 1000000) > 0)
        die(BAD_USE, "--folds tests given options; --outer tests the options that --tune finds");
    if (arguments_has(args, "metric") && arguments_has(args, "by"))
        die(BAD_USE, "--metric and --by both name the error; give one of them");
    t->by = arguments_has(args, "metric") ? FIGURES : score_by(args);
    t->options.trials = arguments_count(args, "trials", 30, 1, SOOTH_TUNE_MAX_TRIALS);
    t->options.folds = arguments_count(args, "inner", 5, 2, 1000000);
    t->options.outer = arguments_count(args, "outer", 5, 0, 1000000);
    if (t->options.outer == 1) die(BAD_USE, "--outer is 1, but must be 0 (none) or at least 2");
    t->options.seed = arguments_count(args, "seed", 0, 0, UINT32_MAX);
    t->options.space = recipe_space(args, model);
    if (!*t->options.space)
        die(BAD_USE, "--tune has nothing to search; give values or a range with --set OPTION=A,B,C or "
                     "OPTION=LEAST:MOST");
    if (t->options.method == SOOTH_TUNE_GRID && strchr(t->options.space, ':'))
        die(BAD_USE, "--tune grid tries the values that --set OPTION=A,B,C lists; ranges and default spaces "
                     "need --tune random");
}

/* Returns true if a is the better figure. */
static int is_better(const tuning *t, double a, double b) {
    return t->options.metric == SOOTH_TUNE_R2 ? a > b : a < b;
}

/* Returns the figure that decides for all targets; a target that does not count from 0 has no percentage. */
static int measure_of(const data *d, int by) {
    const validation v = {.by = by};
    int all = MAPE;
    for (size_t t = 0; t < d->table.targets; ++t) {
        const double zero = target_zero(d, t);
        const int one = by == R2 && zero * zero > 0.0 ? RMSE : score_measure(d, &v, t);
        if (by != R2 || one == RMSE) all = one;
    }
    return all;
}

void tuning_run(sooth_env *env, const data *d, sooth_train_recipe *recipe, tuning *t) {
    t->kind = model_named(recipe->model);
    t->given = recipe->options;
    if (t->by < FIGURES) t->options.metric = (uint32_t)measure_of(d, t->by) - RMSE;
    if (d->bags.offset) t->options.groups = &d->bags;
    const sooth_status status = sooth_train_tune(env, &d->table, recipe, &t->options, recipe, &t->report);
    progress_clear();
    if (status != SOOTH_OK) learn_failed(d, t->kind->name, status, env);
    t->chosen = recipe->options;
    t->pays = !t->report.outer_folds || is_better(t, t->report.outer, t->report.outer_given);
    if (!t->pays) recipe->options = t->given;
}

/* Returns the unit of the folds: the name of the groups, or "rows". */
static const char *folds_of(const data *d, const tuning *t) { return t->report.by_group ? d->group : "rows"; }

/* Returns true if the search changed the option. */
static int is_changed(const sooth_option *o, const tuning *t) {
    const double was = sooth_option_value(o, &t->given), is = sooth_option_value(o, &t->chosen);
    return was < is || was > is;
}

static const char *figure_text(const tuning *t, double value) {
    static char ring[8][64];
    static unsigned next;
    char *text = ring[next++ % 8];
    if (value != value) return "-";
    if (t->options.metric == SOOTH_TUNE_R2) snprintf(text, 64, "%.3f", value);
    else if (t->options.metric == SOOTH_TUNE_MAPE) snprintf(text, 64, "%s %%", human(100.0 * value, 3));
    else snprintf(text, 64, "%s", human(value, 3));
    return text;
}

/* Returns "RMSE [W]"; for several targets, their mean. */
static const char *metric_title(const data *d, const tuning *t) {
    const int bare = t->options.metric >= SOOTH_TUNE_MAPE || d->table.targets > 1;
    return with_unit(metric_name[t->options.metric], bare ? "" : d->target_unit[0]);
}

void tuning_print(const data *d, const tuning *t) {
    const sooth_tune_report *r = &t->report;
    char text[160];
    size_t n = 0;
    grid g;
    printf("  tuned       %u trials%s on %u folds of %s", r->trials,
           t->options.method == SOOTH_TUNE_RANDOM ? " at random" : "", r->folds, folds_of(d, t));
    if (r->failed) printf("; %s could not be fitted", counted(r->failed, "trial", "trials"));
    printf("\n  chosen      ");
    const sooth_option_list list = sooth_model_kind_options(t->kind);
    for (size_t i = 0; i < list.count; ++i) {
        const sooth_option *o = &list.option[i];
        if (!is_changed(o, t)) continue;
        sooth_option_text(o, &t->chosen, text, sizeof text);
        printf("%s%s=%s", n++ ? " " : "", o->name, text);
    }
    printf("%s\n\n", n ? "" : "the options as given");
    grid_init(&g, r->outer_folds ? 3 : 2, 1);
    grid_add(&g, "%s%s", metric_title(d, t), d->table.targets > 1 ? ", mean of the targets" : "");
    grid_add(&g, "on these folds");
    if (r->outer_folds) grid_add(&g, "never seen");
    grid_add(&g, "options chosen");
    grid_add(&g, "%s", figure_text(t, r->inner));
    if (r->outer_folds) grid_add(&g, "%s", figure_text(t, r->outer));
    grid_add(&g, "options as given");
    grid_add(&g, "%s", figure_text(t, r->inner_given));
    if (r->outer_folds) {
        grid_add(&g, "%s", figure_text(t, r->outer_given));
        grid_add(&g, "median of the training rows");
        grid_add(&g, " ");
        grid_add(&g, "%s", figure_text(t, r->outer_median));
    }
    grid_print(&g, stdout, "  ");
    if (r->outer_folds)
        printf("  never seen: %u outer folds of %s, each left out while the rest is searched anew.\n",
               r->outer_folds, folds_of(d, t));
    else
        printf("  The error of the chosen options is optimistic; --outer 5 reports the error on unseen "
               "folds.\n");
    if (!t->pays)
        printf("  The search does not pay: on folds never seen its options have %s, the given ones %s. The "
               "model "
               "has the given options.\n",
               figure_text(t, r->outer), figure_text(t, r->outer_given));
    const double least = t->pays ? r->outer : r->outer_given;
    if (r->outer_folds && !is_better(t, least, r->outer_median))
        printf(
            "  No model here beats the median: %s, the median %s. --model best answers with a rule if none "
            "does.\n",
            figure_text(t, least), figure_text(t, r->outer_median));
    if (!r->by_group)
        printf("  Without --group, rows of one group may be in training and test: this does not apply to "
               "groups of rows (programs, users, machines) that are not in the table.\n");
}

void tuning_json(const tuning *t, json *j) {
    const sooth_tune_report *r = &t->report;
    char text[160];
    json_open(j, "tuning", '{');
    json_text(j, "method", t->options.method == SOOTH_TUNE_GRID ? "grid" : "random");
    json_text(j, "metric", metric_name[t->options.metric]);
    json_text(j, "space", t->options.space);
    json_count(j, "trials", r->trials);
    json_count(j, "failed", r->failed);
    json_count(j, "folds", r->folds);
    json_count(j, "outer_folds", r->outer_folds);
    json_open(j, "chosen", '{');
    const sooth_option_list list = sooth_model_kind_options(t->kind);
    for (size_t i = 0; i < list.count; ++i) {
        if (!is_changed(&list.option[i], t)) continue;
        sooth_option_text(&list.option[i], &t->chosen, text, sizeof text);
        json_text(j, list.option[i].name, text);
    }
    json_close(j, '}');
    json_number(j, "inner", r->inner);
    json_number(j, "inner_given", r->inner_given);
    json_number(j, "outer", r->outer);
    json_number(j, "outer_given", r->outer_given);
    json_number(j, "outer_median", r->outer_median);
    json_text(j, "answer", t->pays ? "chosen" : "given");
    json_close(j, '}');
}

void tuning_score(const data *d, const tuning *t, sooth_train_recipe *recipe) {
    sooth_score *score = (sooth_score *)allocate(1, sizeof *score);
    const int percent = t->options.metric == SOOTH_TUNE_MAPE;
    char *name = (char *)allocate(400, 1);
    if (!t->report.outer_folds) return;
    const double value = t->pays ? t->report.outer : t->report.outer_given;
    snprintf(name, 400, "%.150s%s, %s %u outer folds of %.100s", metric_title(d, t), percent ? " [%]" : "",
             t->pays ? "tuned anew for each of" : "options as given on", t->report.outer_folds,
             folds_of(d, t));
    score->name = name;
    score->value = percent ? 100.0 * value : value;
    recipe->score = score;
    recipe->scores = 1;
}
