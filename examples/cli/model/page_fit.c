/* page_fit.c - the page of sooth fit: scores, learning, cost of the model; see pages.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "pages.h"
#include "sooth/export.h"

#include <math.h>

enum { SHARES = 4, CURVE_FOLDS = 5, CURVES = 3 };

/* ---- errors ---- */

static void add_scores(grid *g, const char *how, const char *name, const score *s) {
    grid_add(g, "%s", how);
    grid_add(g, "%s", name);
    for (int k = 0; k < FIGURES; ++k) {
        const double v = s->mean.value[k];
        if (v != v) grid_add(g, "-");
        else if (k == R2) grid_add(g, "%.3f", v);
        else grid_add(g, "%s%s", human(v, 3), k == MAPE ? " %" : "");
    }
}

/* Returns how the comparison of the fit with the rules ends. */
static judgement judge(const page_fitted *f, const validation *v, size_t t) {
    return score_judge(f->c, v->by_group ? v->by_group : v->by_row, contenders_of_fit(f->c),
                       score_measure(f->d, v, t));
}

static void put_scores(page *p, const page_fitted *f, size_t t) {
    const size_t count = contenders_of_fit(f->c);
    const validation v = validation_of(f->v, t, count);
    const score *own = v.by_group ? v.by_group : v.by_row;
    const char *unit = f->d->target_unit[t];
    uint32_t series[1 + MOST_RULES];
    const char *names[1 + MOST_RULES];
    double value[1 + MOST_RULES], mark[1 + MOST_RULES];
    const judgement j = judge(f, &v, t);
    svg_bar_chart chart;
    char suffix[40], caption[200], text[400];
    grid g;
    const char *target = f->d->table.targets > 1 ? f->d->target[t] : "", *colon = *target ? ": " : "";
    score_lead(f->d, t, f->c, count, &v, text, sizeof text);
    page_text(p, "p class=\"lead\"", "%s%s%s", target, colon, text);
    score_verdict(f->d, t, f->c, count, &v, text, sizeof text);
    if (*text) page_text(p, "p", "%s%sIt is %s.", target, colon, text);
    for (size_t k = 0; k < count; ++k) {
        names[k] = f->c[k].name;
        series[k] = k ? 6 : 0; /* grey: rules */
        value[k] = score_figure(&own[k], j.by);
        mark[k] = score_figure(&v.by_row[k], j.by);
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    if (v.by_group) chart.mark = mark;
    chart.mark_title = "of rows left out: optimistic";
    chart.names = names;
    chart.series = series;
    chart.count = j.by == FIGURES ? count - 1 : count; /* the median is no probability */
    if (j.by == MAPE) unit = "%";
    if (j.by == FIGURES) unit = "";
    snprintf(suffix, sizeof suffix, "%s%.30s", *unit ? " " : "", unit);
    chart.unit = suffix;
    snprintf(caption, sizeof caption, "%s, %s left out", score_figure_title(j.by),
             v.by_group   ? "whole groups"
             : f->d->time ? "later rows"
                          : "rows");
    page_bars(p, caption, &chart);
    grid_init(&g, 2 + FIGURES, 2);
    grid_add(&g, "left out");
    grid_add(&g, " ");
    grid_add(&g, "R2");
    grid_add(&g, "%s", with_unit("RMSE", f->d->target_unit[t]));
    grid_add(&g, "%s", with_unit("MAE", f->d->target_unit[t]));
    grid_add(&g, "MAPE");
    for (int which = 0; which < (v.by_group ? 2 : 1); ++which) {
        const char *how = which ? "whole groups" : f->d->time ? "later rows" : "rows";
        for (size_t k = 0; k < count; ++k)
            add_scores(&g, how, names[k], which ? &v.by_group[k] : &v.by_row[k]);
    }
    page_table(p, "Data of the picture", &g);
}

/* Copies the scores that the file itself keeps. */
static void put_card(page *p, const page_fitted *f) {
    grid g;
    if (!f->c->recipe.scores) {
        page_text(p, "p", "Its errors on unseen rows are unknown, since it was not tested.");
        return;
    }
    grid_init(&g, 2, 1);
    grid_add(&g, "tested");
    grid_add(&g, "%s", "");
    for (uint32_t i = 0; i < f->c->recipe.scores; ++i) {
        grid_add(&g, "%s", f->c->recipe.score[i].name);
        grid_add(&g, "%s", human(f->c->recipe.score[i].value, 4));
    }
    page_table(p, "Test results in the model file", &g);
}

static void put_tests(page *p, const page_fitted *f) {
    const data *d = f->d;
    if (model_best(f->model)) best_page(p, d, f->model);
    if (!f->v->folds) {
        if (!model_best(f->model)) put_card(p, f);
        return;
    }
    for (size_t t = 0; t < d->table.targets; ++t) put_scores(p, f, t);
    if (*f->gained) page_text(p, "p", "Teacher %s.", f->gained);
    if (f->v->by_group)
        page_text(p, "p class=\"soft\"",
                  "Held out: each of %zu groups (%s) in turn with all its rows, so rows of one program are "
                  "never in both training and test; and rows assigned %s to %zu folds, where they are "
                  "in both: this is optimistic.",
                  f->v->groups, d->group, d->time ? "in the order of time" : "at random", f->v->folds);
    else if (d->time)
        page_text(
            p, "p class=\"soft\"",
            "Held out: %zu blocks of rows in the order of %s; everything was fitted to the rows before.",
            f->v->folds, d->time_name);
    else
        page_text(p, "p class=\"soft\"",
                  "Held out: rows assigned at random to %zu folds. This does not apply to groups of rows "
                  "(programs, users, machines) that are not in the table; name their column with --group.",
                  f->v->folds);
    put_card(p, f);
    for (size_t t = 0; t < d->table.targets; ++t) {
        const validation v = validation_of(f->v, t, contenders_of_fit(f->c));
        const page_tests tests = {
            d, f->v->by_group ? &f->v->groups_tested : &f->v->rows_tested, 0,
            t, d->table.targets > 1 ? d->target[t] : f->c->name,           judge(f, &v, t).by};
        if (!t) page_text(p, "h2", "Row by row");
        if (!t)
            page_text(p, "p",
                      "Each row is predicted by a model that was fitted without %s. The band is ten per "
                      "cent.",
                      f->v->by_group ? "any row of its group"
                      : d->time      ? "its fold and later ones"
                                     : "its fold");
        page_predicted(p, &tests);
        page_by_group(p, &tests);
        page_by_size(p, &tests);
        page_spread(p, &tests);
    }
}

/* ---- learning ---- */

static void put_losses(page *p, const history *h) {
    static const char *const names[] = {"training", "held out"};
    const size_t shown = page_shown(h->count, PAGE_POINTS);
    svg_line_chart chart;
    char words[120];
    grid g;
    if (h->count < 2) return;
    double *x = (double *)allocate(shown, 3 * sizeof *x), *y = x + shown;
    grid_init(&g, h->held ? 3 : 2, 0);
    grid_add(&g, "iteration");
    grid_add(&g, "loss");
    if (h->held) grid_add(&g, "held out");
    for (size_t k = 0; k < shown; ++k) {
        const struct loss *at = &h->at[page_pick(h->count, PAGE_POINTS, k)];
        x[k] = (double)(at - h->at) + 1.0;
        y[k] = at->loss;
        y[shown + k] = at->validation;
        grid_add(&g, "%.0f", x[k]);
        grid_add(&g, "%s", human(at->loss, 6));
        if (h->held) grid_add(&g, "%s", human(at->validation, 6));
    }
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.count = shown;
    chart.series = h->held ? 2 : 1;
    chart.series_names = names;
    chart.x_title = "iteration";
    chart.y_title = "loss";
    page_text(p, "h2", "Training");
    page_lines(p, "Loss after every training step", &chart);
    const size_t at =
        (size_t)snprintf(words, sizeof words, "Data of the picture: %s", counted(shown, "step", "steps"));
    if (shown < h->count) snprintf(words + at, sizeof words - at, " of %zu, evenly spaced", h->count);
    page_table(p, words, &g);
}

/* Selects a part of a fold's training rows, in the order of the table; whole groups if there are groups. */
static size_t take_share(const sooth_table *table, const sooth_split_fold *fold, double share, uint32_t seed,
                         uint32_t *out) {
    const uint32_t *group = table->group;
    uint32_t *turn, *order, groups = 0;
    size_t n = 0, wanted;
    sooth_rng rng;
    for (size_t i = 0; i < table->rows && group; ++i)
        if (group[i] >= groups) groups = group[i] + 1;
    const size_t units = group ? groups : table->rows;
    unsigned char *in = (unsigned char *)allocate(units, 1);
    order = (uint32_t *)allocate(units, sizeof *order);
    turn = (uint32_t *)allocate(units, sizeof *turn);
    for (size_t i = 0; i < fold->trains; ++i) in[group ? group[fold->train[i]] : fold->train[i]] = 1;
    size_t have = 0;
    for (size_t k = 0; k < units; ++k)
        if (in[k]) order[have++] = (uint32_t)k;
    sooth_rng_init(&rng, seed, 1);
    sooth_rng_shuffle(&rng, order, have);
    for (size_t k = 0; k < have; ++k) turn[order[k]] = (uint32_t)k;
    wanted = (size_t)(share * (double)have + 0.5);
    if (wanted < 1) wanted = 1;
    for (size_t i = 0; i < fold->trains; ++i)
        if (turn[group ? group[fold->train[i]] : fold->train[i]] < wanted) out[n++] = fold->train[i];
    free(turn);
    free(order);
    free(in);
    return n;
}

/* Sums the losses of the first target, each times the weight of its row, and the weights. */
typedef struct errors {
    double sum, weight;
    int by; /* RMSE, MAE or MAPE; FIGURES: the log loss */
} errors;

static double weight_of(const sooth_table *rows, size_t i) {
    return rows->weight ? (double)rows->weight[i] : 1.0;
}

static void add_errors(sooth_env *env, const sooth_model *model, const sooth_table *rows, double constant,
                       errors *e) {
    float *p = model ? predictions_of(env, model, rows->x, rows->rows, rows->stride) : NULL;
    for (size_t i = 0; i < rows->rows; ++i) {
        const double said = p ? (double)p[i * rows->targets] : constant;
        const double y = (double)rows->y[i * rows->targets], off = fabs(said - y), w = weight_of(rows, i);
        if (e->by == MAPE && !(fabs(y) > 0.0)) continue;
        e->sum += w * (e->by == RMSE   ? off * off
                       : e->by == MAPE ? 100.0 * off / fabs(y)
                       : e->by == MAE  ? off
                                       : -(double)sooth_log((float)(off < 1.0 - 1e-6 ? 1.0 - off : 1e-6)));
        e->weight += w;
    }
    free(p);
}

static double error_of(const errors *e) {
    const double mean = e->sum / e->weight;
    return e->by == RMSE ? sqrt(mean) : mean;
}

/* The constant that the curve compares with: the mean for squares and probabilities, else the median. */
static double constant_of(const sooth_table *rows, int by) {
    weighed *y = (weighed *)allocate(rows->rows, sizeof *y);
    double sum = 0.0, weights = 0.0;
    for (size_t i = 0; i < rows->rows; ++i) {
        y[i] = (weighed){(double)rows->y[i * rows->targets], weight_of(rows, i)};
        sum += y[i].value * y[i].weight;
        weights += y[i].weight;
    }
    const double median = median_weighed(y, rows->rows);
    free(y);
    return by == RMSE || by == FIGURES ? sum / weights : median;
}

/* Fits to a share of each fold's training rows. Returns 0 if a fit fails, as for too few rows. */
static int curve_at(sooth_env *env, const page_fitted *f, const sooth_split *split, double share,
                    errors e[CURVES], double *rows) {
    uint32_t *part = (uint32_t *)allocate(f->d->table.rows, sizeof *part);
    sooth_train_recipe recipe = f->c->recipe;
    int good = 1;
    recipe.no_card = 1;
    *rows = 0.0;
    for (size_t k = 0; k < split->folds && good; ++k) {
        sooth_split_fold fold = split->fold[k];
        sooth_table train, test;
        sooth_model *model = NULL;
        fold.trains = take_share(&f->d->table, &fold, share, f->v->seed, part);
        fold.train = part;
        *rows += (double)fold.trains / (double)split->folds;
        if (sooth_split_take(env, &f->d->table, &fold, &train, &test) != SOOTH_OK)
            die_of(SOOTH_NO_MEMORY, env);
        sooth_status status = sooth_train_fit(env, &train, &recipe, &model);
        if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK;
        good = status == SOOTH_OK && model != NULL;
        if (good) {
            add_errors(env, model, &test, 0.0, &e[0]);
            add_errors(env, model, &train, 0.0, &e[1]);
            add_errors(env, NULL, &test, constant_of(&train, e->by), &e[2]);
        }
        sooth_model_free(env, model);
        sooth_table_free(env, &test);
        sooth_table_free(env, &train);
    }
    free(part);
    return good;
}

static void put_curve(page *p, sooth_env *env, const page_fitted *f) {
    static const double share[SHARES] = {0.125, 0.25, 0.5, 1.0};
    const data *d = f->d;
    double x[SHARES], y[CURVES * SHARES];
    char title[80];
    sooth_split_options options;
    sooth_split split;
    svg_line_chart chart;
    size_t n = 0;
    grid g;
    if (!f->v->folds || d->table.rows < 10) return;
    memset(&options, 0, sizeof options);
    options.method = d->table.group ? SOOTH_SPLIT_GROUP_KFOLD
                     : d->time      ? SOOTH_SPLIT_TIME
                                    : SOOTH_SPLIT_KFOLD;
    options.folds = d->table.group && d->groups < CURVE_FOLDS ? d->groups : CURVE_FOLDS;
    options.seed = f->v->seed;
    if (d->bags.offset) options.groups = &d->bags;
    if (sooth_split_make(env, &d->table, &options, &split) != SOOTH_OK) return;
    const int by = judge(f, f->v, 0).by;
    const char *const names[CURVES] = {"held out", "training",
                                       by == RMSE || by == FIGURES ? "the mean" : "the median"};
    const char *unit = by == MAPE ? "%" : by == FIGURES ? "" : d->target_unit[0];
    grid_init(&g, 2 + CURVES, 0);
    grid_add(&g, "share");
    grid_add(&g, "training rows");
    for (size_t k = 0; k < CURVES; ++k) grid_add(&g, "%s", with_unit(names[k], unit));
    double at[SHARES][CURVES];
    for (size_t s = 0; s < SHARES; ++s) {
        errors e[CURVES] = {{0, 0, by}, {0, 0, by}, {0, 0, by}};
        if (!curve_at(env, f, &split, share[s], e, &x[n])) continue;
        if (n && x[n] <= x[n - 1]) continue; /* few groups may give the same part */
        grid_add(&g, "%s %%", human(100.0 * share[s], 3));
        grid_add(&g, "%.0f", x[n]);
        for (size_t k = 0; k < CURVES; ++k) {
            at[n][k] = error_of(&e[k]);
            grid_add(&g, "%s", human(at[n][k], 4));
        }
        ++n;
    }
    progress_clear();
    for (size_t k = 0; k < CURVES; ++k)
        for (size_t i = 0; i < n; ++i) y[k * n + i] = at[i][k];
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.mark = y;
    chart.count = n;
    chart.series = CURVES;
    chart.series_names = names;
    chart.x_title = "training rows";
    snprintf(title, sizeof title, "%s", with_unit(score_figure_name(by), unit));
    chart.y_title = title;
    page_text(p, "h2", "Error by number of training rows");
    page_text(
        p, "p",
        "The same recipe fitted to an eighth, a quarter, half and all of the %s of %zu folds, tested on what "
        "the fold leaves out%s. If the first line still falls at its right end, more %s would help.",
        d->table.group ? "groups" : "rows", split.folds,
        d->table.group ? ", whole groups"
        : d->time      ? ", later rows"
                       : "",
        d->table.group ? "programs" : "rows");
    page_lines(p, "Error against rows", &chart);
    page_table(p, "Data of the picture", &g);
    sooth_split_free(env, &split);
}

/* ---- cost ---- */

static void put_sizes(page *p, sooth_env *env, const page_fitted *f) {
    const sooth_cost cost = sooth_model_cost(f->model);
    double value[SOOTH_CORES];
    const char *names[SOOTH_CORES];
    svg_bar_chart chart;
    size_t n = 0;
    grid g;
    page_text(p, "h2", "Cost");
    page_text(p, "p",
              "%s: %zu bytes as a file and in memory. One prediction takes at most %u comparisons, %u "
              "multiply-adds, and %s.",
              printable(f->path), cost.bytes, (unsigned)cost.comparisons, (unsigned)cost.multiply_adds,
              counted(cost.functions, "logarithm or exponential", "logarithms or exponentials"));
    grid_init(&g, 7, 2);
    grid_add(&g, "core");
    grid_add(&g, "sooth export ...");
    grid_add(&g, "flash [bytes]");
    grid_add(&g, "memory [bytes]");
    grid_add(&g, "stack [bytes]");
    grid_add(&g, "steps");
    grid_add(&g, "off by");
    for (uint32_t core = 0; core < SOOTH_CORES; ++core) {
        sooth_core_cost best, one;
        uint32_t form = SOOTH_CORE_FORMS;
        for (uint32_t k = 0; k < SOOTH_CORE_FORMS; ++k)
            if (sooth_core_estimate(env, f->model, (sooth_core)core, (sooth_core_form)k, &one) == SOOTH_OK &&
                (form == SOOTH_CORE_FORMS || one.flash < best.flash)) {
                form = k;
                best = one;
            }
        if (form == SOOTH_CORE_FORMS) continue;
        names[n] = sooth_core_name(core);
        value[n++] = (double)best.flash;
        grid_add(&g, "%s", sooth_core_name(core));
        grid_add(&g, "%s", export_words(f->model, form));
        grid_add(&g, "%u", (unsigned)best.flash);
        grid_add(&g, "%u", (unsigned)best.memory);
        grid_add(&g, "%u", (unsigned)best.stack);
        grid_add(&g, "%u", (unsigned)best.steps);
        grid_add(&g, "%s", best.bits ? human((double)best.error, 3) : "-");
    }
    if (!n) {
        page_text(p, "p class=\"soft\"", "The cost of this model on a microcontroller is unknown.");
        return;
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = n;
    page_bars(p, "Bytes of flash on small cores, in the smallest form of export", &chart);
    page_table(
        p, "Data of the picture: upper bounds, as in `sooth describe --for`, and the error of integers", &g);
}

void page_fit(page *p, const sooth_env *env, const page_fitted *f) {
    const data *d = f->d;
    sooth_model_parts parts;
    sooth_env own = *env; /* keeps the sentence of the fit */
    own.loss_fn = NULL;
    page_begin(p, "A model of %s", targets_text(d));
    page_text(p, "p class=\"soft\"", "%s (%s): %s from %s, %s%s%s%s%s.", printable(f->path), f->title,
              targets_text(d), counted(d->table.cols, "feature", "features"),
              counted(d->table.rows, "row", "rows"), d->group ? ", " : "",
              d->group ? counted(d->groups, "group", "groups") : "", d->group ? " by " : "",
              d->group ? d->group : "");
    put_tests(p, f);
    sooth_model_open(f->model, &parts);
    for (uint32_t t = 0; parts.interval && t < f->model->head.targets; ++t) {
        char text[300];
        interval_text(sooth_model_conformal(f->model, t), text, sizeof text);
        page_text(p, "p", "Interval%s%s: %s.", f->model->head.targets > 1 ? " of " : "",
                  f->model->head.targets > 1 ? d->target[t] : "", text);
    }
    put_losses(p, f->h);
    put_curve(p, &own, f);
    put_sizes(p, &own, f);
}
