/* validate.c - sooth validate: how well models predict rows and whole programs never seen.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "pages.h"

#include <math.h>

static const flag flags[] = {
    DATA_FLAGS,
    {"model", 'm', "A,B,...",
     "models to compare; default all, without those whose folds take more than a minute of one core or that "
     "do not support the table's missing values, which are named. Trees and boost are always compared",
     1},
    RECIPE_FLAGS,
    QUANTILES_FLAG,
    {"folds", 0, "K", "number of folds; each is tested once. Default 5", 0},
    {"repeats", 0, "R",
     "number of repeats with new folds; default 5, but fewer if a model would take more than a minute of one "
     "core",
     0},
    TIME_FLAG,
    BY_FLAG,
    {"interval", 0, "SHARE", "share that the tested intervals promise; default 0.9", 0},
    CALIBRATE_FLAGS,
    JSON_FLAG,
    PAGE_FLAG,
    FORCE_FLAG,
    LAST_FLAG};

static void add_figure(grid *g, const score *s, int k, const char *unit) {
    double mean = s->mean.value[k], sd = s->sd.value[k];
    const char *space = *unit ? " " : "";
    if (mean != mean) grid_add(g, "-");
    else if (k == R2 && sd == sd) grid_add(g, "%.3f %s %.3f", mean, plus_minus(), sd);
    else if (k == R2) grid_add(g, "%.3f", mean);
    else if (sd == sd)
        grid_add(g, "%s %s %s%s%s", human(mean, 3), plus_minus(), human_like(sd, mean, 3), space, unit);
    else grid_add(g, "%s%s%s", human(mean, 3), space, unit);
}

/* Returns true if a contender predicts probabilities of two classes. */
static int has_binary(const score *s, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) n += s[i].binary.rows > 0;
    return n > 0;
}

/* Prints the figures of probabilities, a line for each contender that predicts them. */
static void binary_grid(grid *g, const contender *c, size_t count, const score *s) {
    grid_init(g, 5, 1);
    grid_add(g, " ");
    grid_add(g, "log loss");
    grid_add(g, "Brier");
    grid_add(g, "AUC");
    grid_add(g, "calibration error");
    for (size_t i = 0; i < count; ++i) {
        const sooth_metrics_binary *b = &s[i].binary;
        grid_add(g, "%s", c[i].name);
        if (b->rows) grid_add(g, "%s", human(b->log_loss, 3));
        else grid_add(g, "-"); /* its predictions are other numbers */
        if (b->rows) grid_add(g, "%s", human(b->brier, 3));
        else grid_add(g, "-");
        if (b->rows && b->auc == b->auc) grid_add(g, "%.3f", b->auc);
        else grid_add(g, "-");
        if (b->rows) grid_add(g, "%.3f", b->calibration);
        else grid_add(g, "-");
    }
}

static void print_binary(const contender *c, size_t count, const score *s) {
    grid g;
    if (!has_binary(s, count)) return;
    printf("\n  As probabilities of a 1, which %s %% are:\n",
           human(100.0 * s[count - BASELINES].binary.rate, 3));
    binary_grid(&g, c, count, s);
    grid_print(&g, stdout, "  ");
}

/* Prints the reason why a line has no figures. */
static void print_unbounded(const contender *c, size_t count, const score *s) {
    for (size_t i = 0; i < count; ++i)
        if (s[i].unbounded && !c[i].is_rule)
            printf("  %s: %s beyond the range of a float.\n", c[i].name,
                   counted(s[i].unbounded, "prediction was", "predictions were"));
}

static void add_skill(grid *g, double value) {
    if (value != value) grid_add(g, "-");
    else grid_add(g, "%.2f", value);
}

/* Returns "mlp is best", with the models that tie with it. */
static const char *best_text(const contender *c, const score *s, size_t count, const judgement *j) {
    static char text[400];
    size_t at = (size_t)snprintf(text, sizeof text, "%.100s", c[j->best].name), n = 0, ties = 0;
    for (size_t i = 0; i < count; ++i) ties += (size_t)score_ties(c, s, j, i);
    for (size_t i = 0; i < count && at < 300; ++i)
        if (score_ties(c, s, j, i))
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%.60s", ++n < ties ? ", " : " and ",
                                   c[i].name);
    snprintf(text + at, sizeof text - at, ties ? " tie as the best" : " is best");
    return text;
}

static void rows_grid(grid *g, const data *d, size_t t, const contender *c, size_t count,
                      const validation *v) {
    const int by = score_judge(c, v->by_row, count, score_measure(d, v, t)).by;
    grid_init(g, 6, 1);
    grid_add(g, " ");
    grid_add(g, "R2");
    grid_add(g, "%s", with_unit("RMSE", d->target_unit[t]));
    grid_add(g, "%s", with_unit("MAE", d->target_unit[t]));
    grid_add(g, "MAPE");
    grid_add(g, "skill");
    for (size_t i = 0; i < count; ++i) {
        grid_add(g, "%s", c[i].name);
        add_figure(g, &v->by_row[i], R2, "");
        add_figure(g, &v->by_row[i], RMSE, "");
        add_figure(g, &v->by_row[i], MAE, "");
        add_figure(g, &v->by_row[i], MAPE, "%");
        add_skill(g, score_skill(v->by_row, i, count, by));
    }
}

static void print_rows(const data *d, size_t t, const contender *c, size_t count, const validation *v) {
    const int is_whole = !(v->straddling > (double)(size_t)v->straddling);
    grid g;
    if (d->time)
        heading(stdout,
                "\nLater rows, %s in the order of %s, each after all that it learns from: what to expect for "
                "%s.\n",
                counted(v->folds, "fold", "folds"), printable(d->time_name), score_rows_text(d, v));
    else
        heading(stdout, "\nRows left out, %zu folds, assigned %s: what to expect for %s.\n", v->folds,
                v->repeats == 1 ? "once" : counted(v->repeats, "time", "times"), score_rows_text(d, v));
    rows_grid(&g, d, t, c, count, v);
    grid_print(&g, stdout, "  ");
    print_unbounded(c, count, v->by_row);
    print_binary(c, count, v->by_row);
    if (v->straddling > 0.0)
        printf("  %.*f of %zu rows%s were tested while a row with the same features was in training.\n",
               is_whole ? 0 : 1, v->straddling, d->table.rows,
               is_whole ? "" : ", in the mean of the repeats,");
}

static void groups_grid(grid *g, const data *d, size_t t, const contender *c, size_t count,
                        const validation *v) {
    const int by = score_judge(c, v->by_group, count, score_measure(d, v, t)).by;
    grid_init(g, 9, 1);
    grid_add(g, " ");
    grid_add(g, "R2");
    grid_add(g, "R2 lost");
    grid_add(g, "%s", with_unit("RMSE", d->target_unit[t]));
    grid_add(g, "%s", with_unit("MAE", d->target_unit[t]));
    grid_add(g, "MAPE");
    grid_add(g, "skill");
    grid_add(g, "MAPE of median group");
    grid_add(g, "of worst group");
    for (size_t i = 0; i < count; ++i) {
        const score *s = &v->by_group[i];
        grid_add(g, "%s", c[i].name);
        add_figure(g, s, R2, "");
        grid_add(g, s->unbounded || v->by_row[i].unbounded ? "-" : "%.3f",
                 v->by_row[i].mean.value[R2] - s->mean.value[R2]);
        add_figure(g, s, RMSE, "");
        add_figure(g, s, MAE, "");
        add_figure(g, s, MAPE, "%");
        add_skill(g, score_skill(v->by_group, i, count, by));
        grid_add(g, "%s %%", human(s->group_mape, 3));
        grid_add(g, "%s %%  %s", human(s->worst_mape, 3),
                 s->worst_mape == s->worst_mape ? d->group_name[s->worst_group] : "");
    }
}

static void print_groups(const data *d, size_t t, const contender *c, size_t count, const validation *v) {
    grid g;
    heading(stdout,
            "\nWhole groups left out, each of %zu (%s) in turn: what to expect for unseen programs.\n",
            v->groups, d->group);
    groups_grid(&g, d, t, c, count, v);
    grid_print(&g, stdout, "  ");
    print_unbounded(c, count, v->by_group);
    print_binary(c, count, v->by_group);
}

static void add_held(grid *g, double held, double width) {
    if (held == held) grid_add(g, "%.1f %%", 100.0 * held);
    else grid_add(g, "-");
    if (width != width) grid_add(g, "-");
    else grid_add(g, "%s", width <= DBL_MAX ? human(width, 3) : "unbounded");
}

/* Prints how intervals do on rows and groups that they were not calibrated on: a line for each model. */
static void intervals_grid(grid *g, const data *d, size_t t, const contender *c, size_t count,
                           const validation *v) {
    const char *width = with_unit(v->upper ? "excess" : "width", d->target_unit[t]);
    grid_init(g, v->by_group ? 6 : 3, 1);
    grid_add(g, " ");
    grid_add(g, v->by_group ? "coverage, seen" : "coverage");
    grid_add(g, "%s", width);
    if (v->by_group) {
        grid_add(g, "coverage, unseen");
        grid_add(g, "%s", width);
        grid_add(g, "shuffled, unseen");
    }
    for (size_t i = 0; i < count; ++i) {
        grid_add(g, "%s", c[i].name);
        add_held(g, v->by_row[i].held, v->by_row[i].width);
        if (!v->by_group) continue;
        add_held(g, v->by_group[i].held, v->by_group[i].width);
        if (v->by_group[i].shuffled_held != v->by_group[i].shuffled_held) grid_add(g, "-");
        else grid_add(g, "%.1f %%", 100.0 * v->by_group[i].shuffled_held);
    }
}

/* Prints why intervals are unbounded: `have` groups or rows calibrate a level of have / (have + 1). */
static void print_too_few(const data *d, size_t count, const validation *v) {
    int of_rows = 0, of_groups = 0;
    for (size_t i = 0; i < count; ++i) {
        of_rows |= v->by_row[i].width > DBL_MAX;
        of_groups |= v->by_group && v->by_group[i].width > DBL_MAX;
    }
    if (!of_rows && !of_groups) return;
    const size_t blocks = v->folds + 1; /* in time the first block only trains, and the last is tested */
    const size_t rows = d->time ? (v->folds - 1) * (d->table.rows / blocks)
                                : d->table.rows - (d->table.rows + v->folds - 1) / v->folds;
    const size_t have = of_rows ? rows : v->groups - 1;
    const double need = v->interval / (1.0 - v->interval) - 1e-6, most = (double)have / (double)(have + 1);
    const size_t whole = (size_t)need + ((double)(size_t)need < need);
    printf("  unbounded: a level of %.4g needs %zu %s in addition to those left out", v->interval, whole,
           of_rows ? "rows" : "groups");
    if (have < whole)
        printf(", but there %s %zu (enough for %.3g).\n", have == 1 ? "is" : "are", have,
               (double)(uint32_t)(1000.0 * most + 1e-6) / 1000.0);
    else printf(" that weigh as much as the heaviest; try a lower --interval.\n");
}

static void print_intervals(const data *d, size_t t, const contender *c, size_t count, const validation *v) {
    grid g;
    printf(v->upper
               ? "\n"
                 "Upper ends of %.4g %%: the share of rows below them (coverage), and their mean "
                 "distance above\n"
                 "the measured value (excess). %salibrated on %s rows%s\n"
               : "\n"
                 "Intervals of %.4g %%: the share of rows inside (coverage) and the mean width. %salibrated\n"
                 "on %s rows%s\n",
           100.0 * v->interval, v->by_group ? "For seen programs, c" : "C", d->time ? "earlier" : "other",
           !v->by_group ? ". This does not apply to unseen groups of rows."
           : d->time    ? ", and for unseen programs, calibrated on other programs; last, for\n"
                          "unseen programs if calibrated on later rows of known ones."
                        : ", and for unseen programs, calibrated on other programs; last, for\n"
                          "unseen programs if calibrated on shuffled rows.");
    intervals_grid(&g, d, t, c, count, v);
    grid_print(&g, stdout, "  ");
    print_too_few(d, count, v);
}

/* Prints the figure to quote, in words: one measure, of the best model and of the best rule. */
static void print_verdict(const data *d, size_t t, const contender *c, size_t count, const validation *v) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    const judgement j = score_judge(c, s, count, score_measure(d, v, t));
    const char *name = score_figure_name(j.by), *rule = rule_text(&c[j.rule]);
    char others[500];
    if (v->by_group)
        printf("\nFor a program that is not in the table, only the second table counts.\nThere ");
    else printf("\nFor %s,\n", score_rows_text(d, v));
    if (j.wins) {
        printf("%s: %s %s", best_text(c, s, count, &j), name, score_figure_text(d, t, &s[j.best], j.by));
        if (v->by_group)
            printf(" (with its programs known: %s)", score_figure_text(d, t, &v->by_row[j.best], j.by));
        printf(";\nthe best rule, %s, has %s.\n", rule, score_figure_text(d, t, &s[j.rule], j.by));
    } else {
        printf("no model beats %s: %s %s", rule, name, score_figure_text(d, t, &s[j.rule], j.by));
        if (j.best < count)
            printf(";\nthe best model, %s, has %s", c[j.best].name,
                   score_figure_text(d, t, &s[j.best], j.by));
        printf(".\n");
    }
    score_others(d, t, c, v, count, &j, others, sizeof others);
    if (*others) printf("%s\n", others);
    if (!v->by_group)
        printf(
            "These figures do not apply to groups of rows (programs, users, machines) that are not in the\n"
            "table: rows of one group resemble each other, and some of them were in training. Name the "
            "column\n"
            "of the groups with --group.\n");
}

/* Writes the verdict: the measure, the best model and the best rule with their figures, and the answer. */
static void json_verdict(json *j, const data *d, size_t t, const contender *c, size_t count,
                         const validation *v) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    const judgement of = score_judge(c, s, count, score_measure(d, v, t));
    char others[500];
    json_open(j, "verdict", '{');
    json_text(j, "measure", score_figure_name(of.by));
    json_text(j, "answer", of.wins ? c[of.best].name : c[of.rule].name);
    if (of.best < count) json_text(j, "best_model", c[of.best].name);
    if (of.best < count) json_number(j, "of_best_model", score_figure(&s[of.best], of.by));
    json_text(j, "best_rule", c[of.rule].name);
    json_number(j, "of_best_rule", score_figure(&s[of.rule], of.by));
    score_others(d, t, c, v, count, &of, others, sizeof others);
    if (*others) json_text(j, "other_measures", others);
    json_close(j, '}');
}

static void json_scores(json *j, const char *key, const data *d, size_t t, const contender *c, size_t count,
                        const validation *v, int by_group) {
    static const char *const name[FIGURES] = {"R2", "RMSE", "MAE", "MAPE_percent"};
    const score *scores = by_group ? v->by_group : v->by_row;
    const int by = score_judge(c, scores, count, score_measure(d, v, t)).by;
    json_open(j, key, '[');
    for (size_t i = 0; i < count; ++i) {
        json_open(j, NULL, '{');
        json_text(j, "model", c[i].name);
        json_text(j, "kind", c[i].is_rule ? "rule" : "model");
        if (c[i].warning) json_text(j, "warning", c[i].warning);
        for (int k = 0; k < FIGURES; ++k) {
            json_open(j, name[k], '{');
            json_number(j, "mean", scores[i].mean.value[k]);
            json_number(j, "sd", scores[i].sd.value[k]);
            json_close(j, '}');
        }
        json_number(j, "skill_over_median", score_skill(scores, i, count, by));
        json_count(j, "rows_without_percentage", scores[i].zeros);
        json_count(j, "unbounded_predictions", scores[i].unbounded);
        json_binary(j, &scores[i].binary);
        json_open(j, "interval", '{');
        json_number(j, "level", v->interval);
        json_number(j, "coverage", scores[i].held);
        json_number(j, v->upper ? "excess" : "width", scores[i].width);
        if (by_group) json_number(j, "coverage_if_calibrated_on_shuffled_rows", scores[i].shuffled_held);
        json_close(j, '}');
        if (by_group) {
            json_number(j, "R2_lost", v->by_row[i].mean.value[R2] - scores[i].mean.value[R2]);
            json_number(j, "MAPE_percent_of_median_group", scores[i].group_mape);
            json_number(j, "MAPE_percent_of_worst_group", scores[i].worst_mape);
            if (scores[i].worst_mape == scores[i].worst_mape)
                json_text(j, "worst_group", d->group_name[scores[i].worst_group]);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Closes the object of a quantile. The last contender is the quantile of the training rows. */
static void json_quantile(json *j, const contender *c, size_t count, const validation *one) {
    for (int which = 0; which < (one->by_group ? 2 : 1); ++which) {
        json_open(j, which ? "groups_left_out" : "rows_left_out", '[');
        for (size_t i = 0; i + BASELINES < count; ++i) {
            const score *s = which ? one->by_group : one->by_row;
            json_open(j, NULL, '{');
            json_text(j, "model", c[i].name);
            json_number(j, "pinball", s[i].pinball);
            json_number(j, "pinball_of_constant", s[count - 1].pinball);
            json_number(j, "at_or_below", s[i].below);
            json_close(j, '}');
        }
        json_close(j, ']');
    }
}

static void write_json(const data *d, const contender *c, size_t count, const validation *v,
                       const char *left_out, const char *need_values) {
    const size_t targets = d->table.targets;
    json j;
    json_begin(&j, stdout);
    data_json(d, &j);
    if (*left_out) json_text(&j, "left_out", left_out);
    if (*need_values) json_text(&j, "left_out_as_values_are_missing", need_values);
    json_count(&j, "folds", v->folds);
    json_count(&j, "repeats", v->repeats);
    json_count(&j, "seed", v->seed);
    if (d->time) json_text(&j, "time", d->time_name);
    if (targets > 1) json_open(&j, "targets", '[');
    for (size_t t = 0; t < targets; ++t) {
        const validation one = validation_of(v, t, count);
        if (targets > 1) {
            json_open(&j, NULL, '{');
            json_text(&j, "target", d->target[t]);
            json_text(&j, "unit", d->target_unit[t]);
        }
        if (d->quantile) {
            json_quantile(&j, c, count, &one);
        } else {
            json_scores(&j, "rows_left_out", d, t, c, count, &one, 0);
            json_number(&j, "tested_with_a_copy_in_training", v->straddling);
            if (v->by_group) json_scores(&j, "groups_left_out", d, t, c, count, &one, 1);
            json_verdict(&j, d, t, c, count, &one);
        }
        if (targets > 1) json_close(&j, '}');
    }
    if (targets > 1) json_close(&j, ']');
    json_end(&j);
}

/* Returns true if --set sets an option of the model by its name. */
static int is_set(const arguments *args, const char *model) {
    const size_t size = strlen(model);
    for (size_t i = 0; i < args->givens; ++i)
        if (strcmp(args->given[i]->name, "set") == 0 && strncmp(args->value[i], model, size) == 0 &&
            args->value[i][size] == '.')
            return 1;
    return 0;
}

/* Reads the models of --model, or else every kind that supports the number of targets. */
static char **models_of(const arguments *args, size_t targets, size_t *models) {
    char **names = arguments_list(args, "model", models);
    const sooth_model_kind *kind;
    size_t i = 0, count;
    if (names) return names;
    while (sooth_model_kind_at(i)) ++i;
    names = (char **)allocate(i, sizeof *names);
    for (i = 0; (kind = sooth_model_kind_at(i)) != NULL; ++i) { /* all kinds that accept any table */
        if (*kind->columns || (kind->max_targets && targets > kind->max_targets)) continue;
        if (kind->kind == SOOTH_KIND_BEST) continue; /* made of the others; it is tested if it is named */
        if (kind->kind == SOOTH_KIND_LINEAR && !is_set(args, "linear")) continue; /* a rule: see rules.c */
        names[(*models)++] = split_list(kind->name, &count)[0];
    }
    return names;
}

/* Why models are left out that need every value: "mlp,svr", and "line 9: a is missing, and ...". */
typedef struct gaps {
    char names[200], reason[600];
} gaps;

/* Returns the index of the first number that is missing in the table; SOOTH_NONE if there is none. */
static size_t missing_number(const data *d) {
    const sooth_table *t = &d->table;
    for (size_t k = 0; k < t->rows * t->cols; ++k)
        if (isnan(t->x[k / t->cols * t->stride + k % t->cols]) && !is_category(d->levels, k % t->cols))
            return k;
    return SOOTH_NONE;
}

/* Leaves out models that nobody named and that do not support the table's missing numbers; returns the number
   of those left. */
static size_t leave_out_gaps(const arguments *args, const data *d, contender *c, size_t models, gaps *g) {
    const size_t at = missing_number(d), cols = d->table.cols;
    size_t n = 0;
    memset(g, 0, sizeof *g);
    if (arguments_has(args, "model") || at == SOOTH_NONE) return models;
    for (size_t i = 0; i < models; ++i) {
        if (is_set(args, c[i].name) || takes_missing(model_named(c[i].recipe.model))) c[n++] = c[i];
        else strcat(strcat(g->names, *g->names ? "," : ""), c[i].name);
    }
    snprintf(g->reason, sizeof g->reason,
             "line %u: %s is missing, and these models need every value; --drop-missing leaves such rows "
             "out, --drop columns",
             (unsigned)d->line[at / cols], d->table.names[at % cols]);
    return n;
}

/* Chooses the models and the repeats. Those named or set by --set, trees and boost are always compared. */
static size_t choose(const arguments *args, const data *d, contender *c, size_t models, validation *v,
                     plan *p) {
    unsigned char *wanted = (unsigned char *)allocate(models, 1);
    for (size_t i = 0; i < models; ++i)
        wanted[i] = arguments_has(args, "model") || is_set(args, c[i].name) ||
                    strcmp(c[i].name, "tree") == 0 || strcmp(c[i].name, "boost") == 0;
    models = plan_choose(d, c, models, wanted, !arguments_has(args, "repeats") && !d->time, v, p);
    free(wanted);
    return models;
}

/* Prints the plan before work of more than five seconds. */
static void print_plan(const data *d, const contender *c, size_t models, const validation *v, const plan *p,
                       size_t threads) {
    const size_t fits = d->time ? v->folds : v->folds * v->repeats;
    double all = 0.0;
    for (size_t i = 0; i < models; ++i) all += plan_tests(&c[i], d, v->folds, v->repeats);
    if (all / (double)threads < 5.0 || v->folds > d->table.rows) return; /* more folds are refused */
    fprintf(stderr, "%zu fits of each model take about %s with %s:", fits + (d->table.group ? d->groups : 0),
            plan_text(all / (double)threads), counted(threads, "thread", "threads"));
    for (size_t i = 0; i < models; ++i)
        fprintf(stderr, "%s %s %s", i ? "," : "", c[i].name,
                plan_text(plan_tests(&c[i], d, v->folds, v->repeats)));
    fprintf(stderr, threads > 1 ? " of one core\n" : "\n");
    if (*p->left_out) fprintf(stderr, "left out, since each takes more than a minute: %s\n", p->times);
}

/* Prints what was left out, and how to ask for it. */
static void print_left_out(const plan *p, const gaps *g) {
    if (*g->names) printf("  left out    %s: %s\n", g->names, g->reason);
    if (*p->left_out)
        printf("  left out    %s: more than a minute of one core; --model %s runs them\n", p->times,
               p->left_out);
    if (p->fewer)
        printf("  repeats     %zu: five would take %s of one core; --repeats 5 runs them\n", p->fewer,
               plan_text(p->spared));
}

static void print_target(const data *d, size_t t, const contender *c, size_t count, const validation *v) {
    const validation one = validation_of(v, t, count);
    if (d->table.targets > 1) printf("\n---- %s ----\n", with_unit(d->target[t], d->target_unit[t]));
    print_rows(d, t, c, count, &one);
    if (one.by_group) print_groups(d, t, c, count, &one);
    print_intervals(d, t, c, count, &one);
    printf("\n"
           "  skill: the share of the %s that a model removes.\n"
           "  rules: ",
           score_skill_name(score_judge(c, one.by_row, count, score_measure(d, &one, t)).by));
    for (size_t i = models_of_contenders(c, count); i < count; ++i)
        printf("%s%s", c[i].name, i + 1 < count ? ", " : ".\n");
    if (one.by_row[0].zeros)
        printf("  MAPE leaves out %s with the target 0.\n", counted(one.by_row[0].zeros, "row", "rows"));
    print_verdict(d, t, c, count, &one);
}

/* ---- the page ---- */

enum { MOST_MODELS = 3 }; /* groups whose tests are drawn */

/* Orders the models by the figure that decides; those without one come last. */
static size_t *models_ranked(const score *s, size_t models, int by) {
    size_t *order = (size_t *)allocate(models, sizeof *order), j;
    for (size_t i = 0; i < models; ++i) {
        const double key = score_figure(&s[i], by);
        for (j = i; j > 0 && key == key; --j) {
            const double theirs = score_figure(&s[order[j - 1]], by);
            if (theirs <= key) break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    return order;
}

/* Prints the figure to quote, in a sentence. */
static void page_lead(page *p, const data *d, size_t t, const contender *c, size_t count,
                      const validation *v) {
    static const char lead[] = "p class=\"lead\"";
    const score *s = v->by_group ? v->by_group : v->by_row;
    const judgement j = score_judge(c, s, count, score_measure(d, v, t));
    const char *what = v->by_group ? "an unseen program" : score_rows_text(d, v),
               *name = score_figure_name(j.by);
    char others[500];
    if (j.wins)
        page_text(p, lead, "For %s, %s: %s %s. The best rule, %s, has %s.", what, best_text(c, s, count, &j),
                  name, score_figure_text(d, t, &s[j.best], j.by), rule_text(&c[j.rule]),
                  score_figure_text(d, t, &s[j.rule], j.by));
    else
        page_text(p, lead, "For %s, no model here beats %s: %s %s.", what, rule_text(&c[j.rule]), name,
                  score_figure_text(d, t, &s[j.rule], j.by));
    score_others(d, t, c, v, count, &j, others, sizeof others);
    if (*others) page_text(p, "p", "%s", others);
    if (!v->by_group)
        page_text(
            p, "p",
            "These figures do not apply to groups of rows (programs, users, machines) that are not in the "
            "table: rows of one group resemble each other, and some of them were in training. Name the "
            "column of the groups with --group.");
    page_text(p, "p class=\"soft\"", "%s: %s from %s, %s%s%s%s%s.", printable(d->path), targets_text(d),
              counted(d->table.cols, "feature", "features"), counted(d->table.rows, "row", "rows"),
              d->group ? ", " : "", d->group ? counted(d->groups, "group", "groups") : "",
              d->group ? " by " : "", d->group ? d->group : "");
    if (v->by_group)
        page_text(
            p, "p class=\"soft\"",
            "Held out: each of %zu groups (%s) in turn with all its rows, so rows of one program are never "
            "in both training and test; everything was fitted to the others. For comparison, rows assigned "
            "%s %zu folds, %s, where rows of one program are in both: this is optimistic.",
            v->groups, d->group, d->time ? "in the order of time to" : "at random to", v->folds,
            v->repeats == 1 ? "once" : counted(v->repeats, "time", "times"));
    else if (d->time)
        page_text(
            p, "p class=\"soft\"",
            "Held out: %zu blocks of rows in the order of %s; everything was fitted to the rows before.",
            v->folds, d->time_name);
    else
        page_text(
            p, "p class=\"soft\"",
            "Held out: rows assigned at random to %zu folds, %s; everything was fitted to the other folds.",
            v->folds, v->repeats == 1 ? "once" : counted(v->repeats, "time", "times"));
}

/* Draws a bar for each contender, grey for baselines; ticks show left-out rows. */
static void page_errors(page *p, const data *d, size_t t, const contender *c, size_t count,
                        const validation *v) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    const size_t models = models_of_contenders(c, count);
    const int by = score_judge(c, s, count, score_measure(d, v, t)).by, binary = by == FIGURES;
    const size_t bars = binary ? count - 1 : count; /* the median is not a probability to quote */
    double *value = (double *)allocate(count, 2 * sizeof *value), *mark = value + count;
    const char **names = (const char **)allocate(count, sizeof *names);
    uint32_t *series = (uint32_t *)allocate(count, sizeof *series);
    char unit[40], caption[200];
    svg_bar_chart chart;
    grid g;
    size_t *order = models_ranked(s, models, by);
    for (size_t k = 0; k < count; ++k) {
        const size_t i = k < models ? order[k] : k;
        names[k] = c[i].name;
        series[k] = c[i].is_rule ? 6 : 0;
        value[k] = score_figure(&s[i], by);
        mark[k] = score_figure(&v->by_row[i], by);
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = bars;
    chart.series = series;
    if (v->by_group) chart.mark = mark;
    chart.mark_title = "of rows left out: optimistic";
    const char *of = binary ? "" : by == MAPE ? "%" : d->target_unit[t];
    snprintf(unit, sizeof unit, "%s%.30s", *of ? " " : "", of);
    chart.unit = unit;
    page_text(p, "h2", "Error of each model");
    page_text(p, "p", "Grey: %s.%s", binary ? "the mean of the training rows" : "rules",
              v->by_group ? " The tick is the error of rows left out at random." : "");
    snprintf(caption, sizeof caption, "%s, %s left out", score_figure_title(by),
             v->by_group ? "whole groups"
             : d->time   ? "later rows"
                         : "rows");
    page_bars(p, caption, &chart);
    if (v->by_group) {
        groups_grid(&g, d, t, c, count, v);
        page_table(p, "All figures, whole groups left out", &g);
    }
    rows_grid(&g, d, t, c, count, v);
    page_table(p,
               v->by_group ? "All figures, rows left out: what to expect for more rows of the same programs"
                           : "All figures, rows left out",
               &g);
    if (!binary) return;
    binary_grid(&g, c, count, s);
    page_table(p, v->by_group ? "Probabilities, whole groups left out" : "Probabilities", &g);
}

/* Draws the share that intervals held, compared with the share they promise. */
static void page_coverage(page *p, const data *d, size_t t, const contender *c, size_t count,
                          const validation *v) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    double *value = (double *)allocate(count, 2 * sizeof *value), *mark = value + count;
    const char **names = (const char **)allocate(count, sizeof *names);
    uint32_t *series = (uint32_t *)allocate(count, sizeof *series);
    char asked[60], caption[200];
    svg_bar_chart chart;
    grid g;
    for (size_t i = 0; i < count; ++i) {
        names[i] = c[i].name;
        series[i] = c[i].is_rule ? 6 : 0;
        value[i] = 100.0 * s[i].held;
        mark[i] = 100.0 * v->interval;
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.mark = mark;
    chart.names = names;
    chart.series = series;
    chart.count = count;
    chart.unit = " %";
    snprintf(asked, sizeof asked, "requested: %.4g %%", 100.0 * v->interval);
    chart.mark_title = asked;
    snprintf(caption, sizeof caption, "Share of %s inside the %s",
             v->by_group ? "unseen groups" : "other rows", v->upper ? "upper ends" : "intervals");
    page_text(p, "h2", "Coverage of the intervals");
    page_text(
        p, "p",
        "Calibrated on %s, tested on those left out. Below the tick, the coverage is lower than requested.",
        v->by_group ? "other groups"
        : d->time   ? "earlier rows"
                    : "other rows");
    page_bars(p, caption, &chart);
    intervals_grid(&g, d, t, c, count, v);
    page_table(p,
               v->by_group ? "Coverage and width for seen and unseen programs; last, for unseen ones if "
                             "calibrated on shuffled rows"
                           : "Coverage and width",
               &g);
}

static void page_target(page *p, const data *d, size_t t, const contender *c, size_t count,
                        const validation *all) {
    const validation v = validation_of(all, t, count);
    const score *s = v.by_group ? v.by_group : v.by_row;
    const size_t models = models_of_contenders(c, count), shown = models < MOST_MODELS ? models : MOST_MODELS;
    const int by = score_judge(c, s, count, score_measure(d, &v, t)).by;
    const size_t *order = models_ranked(s, models, by);
    if (d->table.targets > 1) page_text(p, "h2", "%s", with_unit(d->target[t], d->target_unit[t]));
    page_lead(p, d, t, c, count, &v);
    page_errors(p, d, t, c, count, &v);
    for (size_t k = 0; k < shown; ++k) {
        const page_tests tests = {
            d, v.by_group ? &v.groups_tested : &v.rows_tested, order[k], t, c[order[k]].name, by};
        page_text(p, "h2", "%s, row by row", c[order[k]].name);
        if (!k)
            page_text(p, "p",
                      "Each point is a row, predicted by a model that was fitted without %s. The band is "
                      "ten per cent.",
                      v.by_group ? "any row of its group"
                      : d->time  ? "its fold and later ones"
                                 : "its fold (of the first repeat)");
        page_predicted(p, &tests);
        page_by_group(p, &tests);
        page_by_size(p, &tests);
        page_spread(p, &tests);
    }
    if (shown < models)
        page_text(p, "p class=\"soft\"", "For the other %s, only the figures above are given.",
                  counted(models - shown, "model", "models"));
    page_coverage(p, d, t, c, count, &v);
}

/* Stores the warning of `sooth fit` about a model, "svr: C is 1, ...". */
static void warn(sooth_env *env, const data *d, contender *c) {
    char text[SOOTH_ENV_SENTENCE], *named;
    recipe_warning(env, d, model_named(c->name), &c->recipe, NULL, text);
    if (!*text) return;
    named = (char *)allocate(strlen(c->name) + strlen(text) + 3, 1);
    sprintf(named, "%s: %s", c->name, text);
    c->warning = named;
}

/* Makes the quantiles of the models targets. Dies unless all models have the same ones. */
static void quantiles_read(const arguments *args, contender *c, size_t models, data *d) {
    const size_t size = sizeof c->recipe.options.boost.quantiles;
    size_t several = 0;
    for (size_t i = 0; i < models; ++i)
        several += model_named(c[i].recipe.model)->kind == SOOTH_KIND_BOOST &&
                   c[i].recipe.options.boost.quantiles[0] > 0.0;
    if (several == 0) return;
    for (size_t i = 0; i < models; ++i)
        if (several < models ||
            memcmp(c[i].recipe.options.boost.quantiles, c->recipe.options.boost.quantiles, size) != 0)
            die(BAD_USE, "%s does not predict the quantiles of %s; compare models of the same quantiles",
                c[i].name, c->name);
    if (arguments_has(args, "page")) die(BAD_USE, "--page does not support --quantiles; leave it out");
    recipe_quantiles(&c->recipe, d);
    for (size_t i = 1; i < models; ++i) {
        c[i].recipe.target_names = d->target;
        c[i].recipe.target_units = d->target_unit;
    }
}

static int run(const arguments *args) {
    sooth_env *env = env_open(args);
    validation v;
    data d;
    page p;
    contender *c;
    size_t models;
    sooth_calibrate_options calibrate;
    plan plan;
    gaps missing;
    char **names = models_of(args, 1, &models);
    for (size_t i = 0; i < models; ++i) model_named(names[i]);
    recipe_check_sets(args, names, models);
    v.folds = arguments_count(args, "folds", 5, 2, 1000000);
    v.repeats = arguments_count(args, "repeats", 5, 1, 10000);
    v.seed = arguments_count(args, "seed", 0, 0, UINT32_MAX);
    v.interval = share_read(args, "interval", 0.9);
    v.upper = arguments_has(args, "upper");
    v.by = score_by(args);
    page_read(args, &p);
    v.keeps = page_is_wanted(&p);
    data_open(env, args, recipe_centre(args, names, models), &d);
    for (size_t i = 0; i < models; ++i)
        if (model_named(names[i])->kind == SOOTH_KIND_BEST) recipe_keep_far(&d);
    calibration_read(args, &d, v.seed, &calibrate);
    names = models_of(args, d.table.targets, &models);
    if (arguments_has(args, "quantiles") && !arguments_has(args, "model"))
        names[0] = split_list("boost", &models)[0];
    d.takes_quantiles = 1;
    if (!arguments_has(args, "folds") && v.folds > d.table.rows) v.folds = d.table.rows;
    int has_linear = 0;
    c = (contender *)allocate(models + MOST_RULES, sizeof *c);
    for (size_t i = 0; i < models; ++i) {
        c[i].name = names[i];
        recipe_read(env, args, names[i], &d, &c[i].recipe);
        score_choose_by(&c[i].recipe, v.by);
        c[i].recipe.no_card = 1;
        c[i].calibrate = calibrate.probability ? &calibrate : NULL;
        has_linear |= strcmp(names[i], "linear") == 0;
    }
    models = leave_out_gaps(args, &d, c, models, &missing);
    models = choose(args, &d, c, models, &v, &plan);
    print_plan(&d, c, models, &v, &plan, env->workers ? env->workers : 1);
    quantiles_read(args, c, models, &d);
    const size_t count = models + rules_list(env, &d, !has_linear, &c->recipe, c + models);
    validate_all(env, &d, c, count, &v);
    for (size_t i = 0; i < models; ++i) warn(env, &d, &c[i]);
    if (page_is_wanted(&p)) {
        page_begin(&p, "How well %s is predicted", targets_text(&d));
        for (size_t t = 0; t < d.table.targets; ++t) page_target(&p, &d, t, c, count, &v);
        if (*plan.left_out)
            page_text(&p, "p class=\"soft\"", "Not tested, since each takes more than a minute: %s.",
                      plan.times);
        if (*missing.names)
            page_text(&p, "p class=\"soft\"", "Not tested: %s. %s.", missing.names, missing.reason);
        for (size_t i = 0; i < models; ++i)
            if (c[i].warning) page_text(&p, "p", "Warning: %s.", c[i].warning);
        page_write(&p, args->word, 1);
    }
    if (arguments_has(args, "json")) {
        write_json(&d, c, count, &v, plan.left_out, missing.names);
        page_name(&p, stderr);
        return finish();
    }
    printf("%s: %s from %s, %s", d.path, targets_text(&d), counted(d.table.cols, "feature", "features"),
           counted(d.table.rows, "row", "rows"));
    if (d.group) printf(", %s (%s)", counted(d.groups, "group", "groups"), d.group);
    printf("\n");
    data_notes(&d, stdout);
    print_left_out(&plan, &missing);
    for (size_t i = 0; i < models; ++i)
        if (c[i].warning) print_warning(c[i].warning);
    if (d.quantile) score_print_quantiles(&d, c, count, &v);
    for (size_t t = 0; t < d.table.targets && !d.quantile; ++t) print_target(&d, t, c, count, &v);
    page_name(&p, stdout);
    return finish();
}

const command validate_command = {
    .name = "validate",
    .summary = "test how well models predict rows and whole programs never seen",
    .usage = "DATA.csv --target COLUMN [options]",
    .least = 1,
    .most = 1,
    .text =
        "Fits models to a part of the rows and tests them on the rest, next to simple rules: the mean and "
        "the median of the training rows, the median of a level, the nearest row, a linear model, a line of "
        "one column by relative errors, a power law, laws of threads. DATA.csv may be - for the standard "
        "input.\n\n"
        "Random folds are too optimistic, since rows of one program are in training and test. "
        "--group also leaves out whole programs; only those figures apply to programs that are not "
        "in the table.\n\n"
        "Everything, transforms included, is fitted to the training rows of each fold alone.\n\n"
        "Intervals are tested as well: the share of left-out rows and programs inside, and their "
        "width. With --upper, the distance of the upper ends above the measured values.\n\n"
        "With --calibrate, models predict probabilities, each calibrated on the training rows "
        "of the fold.\n\n"
        "The last sentences name the best model next to the best rule, or report that no model beats that "
        "rule: for unseen programs with --group, else for more rows like these. One measure decides and is "
        "quoted, that of --by. A sentence reports other measures by which the answer differs.\n\n"
        "With --time, folds go forward: the rows in the order of the column are cut into K + 1 blocks, and "
        "each block but the first is predicted from all earlier ones. The mean of the last two targets "
        "measured before the row (of its group) is then a rule, too.\n\n"
        "Each model is fitted folds times repeats, and once for each group. If that takes more than five "
        "seconds, a plan with the time of each model comes first, on the standard error. Without --model, "
        "models that would take more than a minute of one core, or that need values that are missing, are "
        "left "
        "out, and named. If another would, it "
        "is tested with fewer repeats. The plan depends on rows, columns and options, not on a clock. On a "
        "terminal, a bar shows the time that is left.",
    .example = "sooth validate power.csv --target Power --group benchmark --model linear,tree --set "
               "tree.max_depth=10",
    .flags = flags,
    .run = run};
