/* page_held.c - pictures of predictions of left-out rows; see pages.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "pages.h"

#include <math.h>

enum { MOST_GROUPS = 24, SIZES = 5, BANDS = 9, RANGES = 10 };

static double measured(const page_tests *t, size_t i) {
    return (double)t->held->y[i * t->held->targets + t->target];
}

static double predicted(const page_tests *t, size_t i) {
    const held_out *h = t->held;
    return (double)h->predicted[(t->contender * h->tests + i) * h->targets + t->target];
}

static double weight_of(const page_tests *t, size_t i) {
    return t->held->weight ? (double)t->held->weight[i] : 1.0;
}

/* Returns false for predictions that a float cannot hold. */
static int is_good(const page_tests *t, size_t i) { return is_prediction((float)predicted(t, i)); }

/* Returns true if all targets are 0 or 1. */
static int has_classes(const page_tests *t) {
    for (size_t i = 0; i < t->held->tests; ++i) {
        const double y = measured(t, i);
        if (!(y <= 0.0 && y >= 0.0) && !(y <= 1.0 && y >= 1.0)) return 0;
    }
    return 1;
}

/* Returns true if, in addition, all predictions are probabilities. */
static int is_binary(const page_tests *t) {
    for (size_t i = 0; i < t->held->tests; ++i)
        if (!(predicted(t, i) >= 0.0 && predicted(t, i) <= 1.0)) return 0;
    return has_classes(t);
}

/* Returns true if errors have a percentage in every row. */
static int all_positive(const page_tests *t) {
    for (size_t i = 0; i < t->held->tests; ++i)
        if (!(measured(t, i) > 0.0)) return 0;
    return 1;
}

/* In per cent of the size of the measured value, which is 0 if that has none. */
static double error_of(const page_tests *t, size_t i, int percent) {
    const double e = predicted(t, i) - measured(t, i), size = fabs(measured(t, i));
    return !percent ? e : size > 0.0 ? 100.0 * e / size : 0.0;
}

static const char *group_of(const page_tests *t, size_t i) {
    return t->held->group ? t->d->group_name[t->held->group[i]] : "";
}

static const char *unit_of(const page_tests *t) { return t->by == MAPE ? "%" : t->d->target_unit[t->target]; }

static const char *measure_of(const page_tests *t) {
    return t->by == RMSE ? "root of the mean squared error" : "mean absolute error";
}

/* ---- tests in an order ---- */

typedef struct place {
    double key;
    size_t test;
} place;

static int by_key(const void *a, const void *b) {
    const place *x = (const place *)a, *y = (const place *)b;
    if (x->key < y->key || x->key > y->key) return x->key < y->key ? -1 : 1;
    return (x->test > y->test) - (x->test < y->test);
}

/* Orders the tests with a prediction by the measured value. */
static place *by_size(const page_tests *t, size_t *count) {
    place *order = (place *)allocate(t->held->tests, sizeof *order);
    *count = 0;
    for (size_t i = 0; i < t->held->tests; ++i) {
        if (!is_good(t, i)) continue;
        order[*count].key = measured(t, i);
        order[(*count)++].test = i;
    }
    qsort(order, *count, sizeof *order, by_key);
    return order;
}

/* Returns "Data of the picture: 400 of 980 rows, evenly spaced in the order of the measured value". */
static const char *numbers_of(size_t shown, size_t count, const char *what) {
    static char text[200];
    if (shown == count) snprintf(text, sizeof text, "Data of the picture: %s", counted(count, "row", "rows"));
    else
        snprintf(text, sizeof text, "Data of the picture: %zu of %zu rows, evenly spaced in the order of %s",
                 shown, count, what);
    return text;
}

/* Adds the heads of a table: the number of rows, and their weight if they have weights, to which all figures
   refer. */
static void rows_head(grid *g, const page_tests *t, const char *first, size_t more) {
    grid_init(g, (t->held->weight ? 3 : 2) + more, 1);
    grid_add(g, "%s", first);
    grid_add(g, "rows");
    if (t->held->weight) grid_add(g, "weight");
}

static void rows_cells(grid *g, const page_tests *t, size_t rows, double weight) {
    grid_add(g, "%zu", rows);
    if (t->held->weight) grid_add(g, "%s", shortest((float)weight));
}

/* ---- predicted against measured ---- */

/* Compares predicted probabilities with frequencies in ten equal ranges, as the calibration error does. */
static void put_reliability(page *p, const page_tests *t) {
    double said[RANGES] = {0}, came[RANGES] = {0}, x[RANGES], y[RANGES];
    const char *label[RANGES];
    double weight[RANGES] = {0};
    size_t rows[RANGES] = {0}, n = 0;
    svg_points chart;
    grid g;
    for (size_t i = 0; i < t->held->tests; ++i) {
        const double q = predicted(t, i), counts = weight_of(t, i);
        size_t k = 0;
        while (k + 1 < RANGES && q > 0.1 * (double)(k + 1)) ++k;
        said[k] += counts * q;
        came[k] += counts * measured(t, i);
        weight[k] += counts;
        ++rows[k];
    }
    rows_head(&g, t, "range", 2);
    grid_add(&g, "predicted, mean");
    grid_add(&g, "share of ones");
    for (size_t k = 0; k < RANGES; ++k) {
        char *name = (char *)allocate(40, 1);
        if (!(weight[k] > 0.0)) continue;
        x[n] = said[k] / weight[k];
        y[n] = came[k] / weight[k];
        snprintf(name, 40, "%s", counted(rows[k], "row", "rows"));
        label[n] = name;
        grid_add(&g, "%.1f to %.1f", (double)k / RANGES, (double)(k + 1) / RANGES);
        rows_cells(&g, t, rows[k], weight[k]);
        grid_add(&g, "%s", human(x[n], 4));
        grid_add(&g, "%s", human(y[n], 4));
        ++n;
    }
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.count = n;
    chart.labels = label;
    chart.x_title = "predicted probability";
    chart.y_title = "observed share of ones";
    chart.diagonal = 1;
    page_points(p, "Predicted and observed, in ten ranges of the probability", &chart);
    page_table(p, "Data of the picture", &g);
}

void page_predicted(page *p, const page_tests *t) {
    const char *name = t->d->target[t->target], *unit = t->d->target_unit[t->target];
    const int percent = all_positive(t);
    size_t count;
    char caption[300], x_title[160], y_title[160];
    svg_points chart;
    grid g;
    if (is_binary(t)) {
        put_reliability(p, t);
        return;
    }
    place *order = by_size(t, &count);
    const size_t shown = page_shown(count, PAGE_POINTS);
    double *x = (double *)allocate(shown, 2 * sizeof *x), *y = x + shown;
    const char **label = (const char **)allocate(shown, sizeof *label);
    grid_init(&g, t->held->group ? 6 : 5, t->held->group ? 2 : 1);
    grid_add(&g, "line");
    if (t->held->group) grid_add(&g, "%s", t->d->group);
    grid_add(&g, "%s", with_unit("measured", unit));
    grid_add(&g, "%s", with_unit("predicted", unit));
    grid_add(&g, "%s", with_unit("error", unit));
    grid_add(&g, "error [%%]");
    for (size_t k = 0; k < shown; ++k) {
        const size_t i = order[page_pick(count, PAGE_POINTS, k)].test;
        const unsigned line = (unsigned)t->d->line[t->held->row[i]];
        char *text = (char *)allocate(200, 1);
        x[k] = measured(t, i);
        y[k] = predicted(t, i);
        snprintf(text, 200, "%s%sline %u", printable(group_of(t, i)), t->held->group ? ", " : "", line);
        label[k] = text;
        grid_add(&g, "%u", line);
        if (t->held->group) grid_add(&g, "%s", group_of(t, i));
        grid_add(&g, "%s", shortest((float)x[k]));
        grid_add(&g, "%s", shortest((float)y[k]));
        grid_add(&g, "%s", human(y[k] - x[k], 4));
        grid_add(&g, "%s", percent ? human(error_of(t, i, 1), 3) : "-");
    }
    snprintf(x_title, sizeof x_title, "measured %s", with_unit(name, unit));
    snprintf(y_title, sizeof y_title, "predicted");
    snprintf(caption, sizeof caption, "%s: predicted against measured", t->model);
    memset(&chart, 0, sizeof chart);
    chart.x = x;
    chart.y = y;
    chart.count = shown;
    chart.labels = label;
    chart.x_title = x_title;
    chart.y_title = y_title;
    chart.diagonal = 1;
    /* on a linear axis, small values of several decades would be one point */
    chart.logarithmic = count && percent && order[count - 1].key > 30.0 * order[0].key;
    for (size_t k = 0; k < shown; ++k) chart.logarithmic &= y[k] > 0.0;
    page_points(p, caption, &chart);
    page_table(p, numbers_of(shown, count, "the measured value"), &g);
    if (count < t->held->tests)
        page_text(p, "p class=\"soft\"", "Left out: %s beyond the range of a float.",
                  counted(t->held->tests - count, "prediction", "predictions"));
    free(order);
}

/* ---- by group ---- */

/* Adds the figures of a set of errors to a table. */
typedef struct part {
    size_t rows;
    double weight, size, mean, median, most; /* by the measure, mean, median, largest absolute */
} part;

/* Sorts the errors; those without weight count as rows only. */
static part part_of(weighed *error, size_t rows, int by) {
    part a = {rows, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < rows; ++i) a.weight += error[i].weight;
    for (size_t i = 0; i < rows; ++i) {
        if (!(error[i].weight > 0.0)) continue;
        a.size +=
            fabs(error[i].value) * (by == RMSE ? fabs(error[i].value) : 1.0) * error[i].weight / a.weight;
        a.mean += error[i].value * error[i].weight / a.weight;
        if (fabs(error[i].value) > a.most) a.most = fabs(error[i].value);
    }
    if (by == RMSE) a.size = sqrt(a.size);
    a.median = median_weighed(error, rows);
    return a;
}

static void part_cells(grid *g, const page_tests *t, const part *a) {
    rows_cells(g, t, a->rows, a->weight);
    grid_add(g, "%s", human(a->size, 3));
    grid_add(g, "%s", human(a->mean, 3));
    grid_add(g, "%s", human(a->median, 3));
    grid_add(g, "%s", human(a->most, 3));
}

static void part_head(grid *g, const page_tests *t, const char *first, const char *unit) {
    rows_head(g, t, first, 4);
    grid_add(g, "%s", with_unit(measure_of(t), unit));
    grid_add(g, "%s", with_unit("mean error", unit));
    grid_add(g, "%s", with_unit("median", unit));
    grid_add(g, "%s", with_unit("largest", unit));
}

/* A row without a percentage has no weight in one. */
static weighed error_at(const page_tests *t, size_t i) {
    const int percent = t->by == MAPE, has = !percent || fabs(measured(t, i)) > 0.0;
    return (weighed){error_of(t, i, percent), has ? weight_of(t, i) : 0.0};
}

/* Returns the errors of each group, in memory of their own; groups without tests have no rows. */
static part *parts_of(const page_tests *t) {
    const size_t tests = t->held->tests, groups = t->d->groups;
    size_t *end = (size_t *)allocate(groups + 1, sizeof *end), from = 0;
    weighed *error = (weighed *)allocate(tests, sizeof *error);
    part *of = (part *)allocate(groups, sizeof *of);
    for (size_t i = 0; i < tests; ++i) end[t->held->group[i] + 1] += is_good(t, i);
    for (size_t k = 0; k < groups; ++k) end[k + 1] += end[k];
    for (size_t i = 0; i < tests; ++i) /* end[k] moves from the begin of group k to its end */
        if (is_good(t, i)) error[end[t->held->group[i]]++] = error_at(t, i);
    for (size_t k = 0; k < groups; from = end[k++]) of[k] = part_of(error + from, end[k] - from, t->by);
    free(end);
    free(error);
    return of;
}

/* Orders groups by their error, the largest first; *groups is the number with tests that
   count. */
static place *worst_first(const page_tests *t, const part *of, size_t *groups) {
    place *order = (place *)allocate(t->d->groups, sizeof *order);
    *groups = 0;
    for (size_t k = 0; k < t->d->groups; ++k) {
        if (!(of[k].weight > 0.0)) continue;
        order[*groups].key = -of[k].size;
        order[(*groups)++].test = k;
    }
    qsort(order, *groups, sizeof *order, by_key);
    return order;
}

void page_by_group(page *p, const page_tests *t) {
    const int percent = t->by == MAPE;
    const size_t tests = t->held->tests;
    const char *unit = unit_of(t), **name, **label;
    char caption[300], title[120], words[300];
    svg_strip_chart chart;
    size_t groups, n = 0, behind = 0;
    grid g;
    if (!t->held->group) return;
    part *of = parts_of(t);
    place *order = worst_first(t, of, &groups);
    const size_t shown = groups < MOST_GROUPS ? groups : MOST_GROUPS;
    uint32_t *turn = (uint32_t *)allocate(t->d->groups, sizeof *turn), *category;
    for (size_t k = 0; k < shown; ++k) {
        turn[order[k].test] = (uint32_t)k + 1;
        behind += of[order[k].test].rows;
    }
    double *value = (double *)allocate(PAGE_POINTS, sizeof *value);
    category = (uint32_t *)allocate(PAGE_POINTS, sizeof *category);
    label = (const char **)allocate(PAGE_POINTS, sizeof *label);
    name = (const char **)allocate(shown, sizeof *name);
    part_head(&g, t, t->d->group, unit);
    for (size_t k = 0; k < groups; ++k) {
        if (k < shown) name[k] = t->d->group_name[order[k].test];
        grid_add(&g, "%s", t->d->group_name[order[k].test]);
        part_cells(&g, t, &of[order[k].test]);
    }
    const size_t points = page_shown(behind, PAGE_POINTS);
    for (size_t i = 0, seen = 0; i < tests && n < points; ++i) {
        char *text;
        if (!is_good(t, i) || !turn[t->held->group[i]] || seen++ != page_pick(behind, PAGE_POINTS, n))
            continue;
        text = (char *)allocate(32, 1);
        snprintf(text, 32, "line %u", (unsigned)t->d->line[t->held->row[i]]);
        label[n] = text;
        value[n] = error_of(t, i, percent);
        category[n++] = turn[t->held->group[i]] - 1;
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.category = category;
    chart.labels = label;
    chart.count = n;
    chart.names = name;
    chart.categories = shown;
    snprintf(title, sizeof title, percent ? "error, %% of measured" : "error%s%s", *unit ? ", " : "", unit);
    chart.title = title;
    snprintf(caption, sizeof caption,
             "%s: errors (predicted minus measured) of each %s, the worst first; a bar at the median",
             t->model, t->d->group);
    page_strips(p, caption, &chart);
    const size_t at =
        (size_t)snprintf(words, sizeof words, "Data of the picture: %s", counted(groups, "group", "groups"));
    if (shown < groups) snprintf(words + at, sizeof words - at, "; the picture shows the worst %zu", shown);
    if (n < behind)
        snprintf(words + strlen(words), sizeof words - strlen(words),
                 "; a point for %zu of their %zu rows, evenly spaced in the table", n, behind);
    page_table(p, words, &g);
    free(order);
    free(of);
}

/* ---- by size, and their distribution ---- */

void page_by_size(page *p, const page_tests *t) {
    const char *unit = unit_of(t), *names[SIZES];
    double value[SIZES];
    char caption[300], suffix[40];
    svg_bar_chart chart;
    size_t count, n = 0;
    grid g;
    if (has_classes(t)) return;
    place *order = by_size(t, &count);
    weighed *error = (weighed *)allocate(count, sizeof *error);
    part_head(&g, t, with_unit("measured", t->d->target_unit[t->target]), unit);
    for (size_t k = 0; k < SIZES; ++k) {
        const size_t from = k * count / SIZES, to = (k + 1) * count / SIZES;
        part of;
        char *name;
        if (from == to) continue;
        for (size_t i = from; i < to; ++i) error[i] = error_at(t, order[i].test);
        of = part_of(error + from, to - from, t->by);
        if (!(of.weight > 0.0)) continue;
        name = (char *)allocate(80, 1);
        snprintf(name, 80, "%s to %s", human(order[from].key, 3), human(order[to - 1].key, 3));
        names[n] = name;
        value[n++] = of.size;
        grid_add(&g, "%s", name);
        part_cells(&g, t, &of);
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = n;
    snprintf(suffix, sizeof suffix, "%s%.30s", *unit ? " " : "", unit);
    chart.unit = suffix;
    snprintf(caption, sizeof caption, "%s: %s of small and large %s, a fifth of the rows each", t->model,
             measure_of(t), t->d->target[t->target]);
    page_bars(p, caption, &chart);
    page_table(p, "Data of the picture", &g);
    free(error);
    free(order);
}

void page_spread(page *p, const page_tests *t) {
    /* upper ends of the bands, in per cent of the measured value */
    static const double edge[BANDS - 1] = {-50, -20, -10, -5, 5, 10, 20, 50};
    static const char *const names[BANDS] = {"below -50 %", "-50 to -20 %", "-20 to -10 %",
                                             "-10 to -5 %", "-5 to 5 %",    "5 to 10 %",
                                             "10 to 20 %",  "20 to 50 %",   "above 50 %"};
    double value[BANDS];
    double weight[BANDS] = {0}, whole = 0.0;
    size_t rows[BANDS] = {0};
    char caption[300];
    svg_bar_chart chart;
    grid g;
    if (!all_positive(t)) return;
    for (size_t i = 0; i < t->held->tests; ++i) {
        size_t k = 0;
        if (!is_good(t, i)) continue;
        while (k + 1 < BANDS && error_of(t, i, 1) > edge[k]) ++k;
        ++rows[k];
        weight[k] += weight_of(t, i);
        whole += weight_of(t, i);
    }
    if (!(whole > 0.0)) return;
    rows_head(&g, t, "predicted minus measured", 1);
    grid_add(&g, "share");
    for (size_t k = 0; k < BANDS; ++k) {
        value[k] = 100.0 * weight[k] / whole;
        grid_add(&g, "%s", names[k]);
        rows_cells(&g, t, rows[k], weight[k]);
        grid_add(&g, "%.1f %%", value[k]);
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = BANDS;
    chart.unit = " %";
    snprintf(caption, sizeof caption, "%s: number of rows by error", t->model);
    page_bars(p, caption, &chart);
    page_table(p, "Data of the picture", &g);
}
