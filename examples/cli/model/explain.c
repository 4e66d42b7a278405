/* explain.c - sooth explain: which features matter to a model, and how one prediction comes about.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "../app/page.h"
#include "sooth/explain.h"
#include "sooth/preprocess.h"
#include "sooth/tree.h"

#include <math.h>

static const flag flags[] = {
    {"by", 'b', "LIST",
     "any of gain, permutation, shap, paths; default all that the model and the table allow", 1},
    {"row", 'r', "N", "explain row N of DATA.csv instead", 0},
    {"dependence", 0, "COLUMN", "write the mean prediction as this column changes", 0},
    {"each", 0, NULL, "--dependence: add a line for every row", 0},
    {"points", 0, "N", "--dependence: maximum number of values of the column; default 20", 0},
    {"output", 'o', "FILE",
     "--dependence: output table, or a drawing if FILE ends in .svg; default standard output", 0},
    PAGE_FLAG,
    JSON_FLAG,
    FORCE_FLAG,
    {"target", 't', "COLUMN",
     "with several targets: the target to explain; default the first. With one target: the measured "
     "column for permutation; default the name in the model",
     0},
    {"features", 'f', "A,B,...",
     "columns that hold the features of the model, in its order, if they have other names. Put a "
     "name that holds a comma in double quotes",
     1},
    {"groups", 0, "A+B,C+D", "permute these columns together, since they hold the same information", 1},
    {"loss", 0, "NAME", "loss whose increase permutation reports: mse, rmse (default), mae, mape", 0},
    {"background", 0, "FILE.csv",
     "compare with these rows: SHAP values of what the columns cause, not of what "
     "they correlate with",
     0},
    {"seed", 0, "N", "seed of the permutations; default 0", 0},
    THREADS_FLAG,
    LAST_FLAG};

enum { GAIN, PERMUTATION, SHAP, PATHS, WAYS };
enum { MOST_LINES = 12 }; /* of single rows in a drawing of --dependence --each */
static const char *const ways[] = {"gain", "permutation", "shap", "paths"};

typedef struct job {
    const char *model_path, *path;
    sooth_env *env;
    const sooth_model *model;
    sooth_model_parts parts;
    size_t target; /* of the model: the one explained */
    int is_trees;
    sooth_explain_trees trees;
    sooth_csv csv;
    const char **name;      /* of the features, in the table */
    size_t *column;         /* of the features in the table */
    sooth_table table;      /* the features of every row */
    sooth_table seen;       /* the same rows, transformed for the predictor */
    sooth_table background; /* of --background, transformed for the predictor; no rows: not given */
    const double *zero;     /* what its columns count from; NULL: 0 */
    model_rows rows;        /* the explained ones */
    const char **group;     /* columns that --groups permutes together, by name; then all others */
    uint32_t *group_of;     /* per feature */
    size_t groups;          /* 0: --groups is not given */
    void *scratch;
    float *answer;
    page page;
} job;

/* ---- the model and the rows ---- */

static void open_model(job *b) {
    uint32_t kind;
    b->model = model_open(b->env, b->model_path, &b->zero);
    sooth_model_open(b->model, &b->parts);
    const sooth_block *p = b->parts.predictor;
    kind = p->kind & 0xFFFFu;
    b->is_trees = kind == SOOTH_KIND_TREE || kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST;
    if (kind == SOOTH_KIND_TREE) b->trees = sooth_explain_tree((const sooth_tree *)(const void *)p);
    else if (b->is_trees) b->trees = sooth_explain_ensemble((const sooth_ensemble *)(const void *)p);
}

/* Chooses one of several targets; prints which one if --target does not name it. */
static void choose_target(job *b, const arguments *args) {
    const size_t targets = b->model->head.targets;
    const char *name = arguments_text(args, "target");
    const char **known = (const char **)allocate(targets, sizeof *known);
    size_t t;
    if (targets == 1) return;
    for (t = 0; t < targets; ++t) {
        known[t] = b->parts.card ? sooth_model_card_text(b->parts.card, SOOTH_CARD_TARGET, t) : "";
        if (name && strcmp(known[t], name) == 0) break;
    }
    if (name && t == targets)
        die(BAD_USE, "--target is %s, but must be one of the %zu targets of %s%s", *name ? name : "empty",
            targets, b->model_path, did_you_mean(name, known, targets));
    b->target = name ? t : 0;
    if (!name)
        fprintf(stderr, "%s predicts %zu targets; this explains %s; --target names another\n", b->model_path,
                targets, *known[0] ? listed(known[0]) : "the first");
}

static const char *unit_of(const job *b, size_t j) {
    const char *unit = b->parts.card ? sooth_model_card_text(b->parts.card, SOOTH_CARD_FEATURE_UNIT, j) : "";
    return *unit ? unit : b->csv.column[b->column[j]].unit;
}

static const char *level_name(const job *b, size_t j, float code) {
    const char *name = sooth_levels_name(b->parts.levels, j, code);
    return name ? name : "";
}

static const char *target_of(const job *b) {
    const char *name =
        b->parts.card ? sooth_model_card_text(b->parts.card, SOOTH_CARD_TARGET, b->target) : "";
    return *name ? name : "target";
}

static const char *target_unit(const job *b) {
    return b->parts.card ? sooth_model_card_text(b->parts.card, SOOTH_CARD_TARGET_UNIT, b->target) : "";
}

/* Returns a number of column j, a feature or after them a target, as the table has it. */
static const char *number_of(const job *b, size_t j, float value) {
    static char ring[4][SOOTH_TEXT_NUMBER_SIZE];
    static unsigned next;
    char *text = ring[next++ % 4];
    if (!is_centred(b->zero, j)) return shortest(value);
    text_from(b->zero[j], value, text);
    return text;
}

/* Returns the title of an axis: "start [s]", or "start - 1700000000 [s]" if the column counts from there. */
static const char *axis_of(const char *name, const char *unit, const double *zero, size_t j) {
    char text[SOOTH_TEXT_NUMBER_SIZE], centred[200];
    if (!is_centred(zero, j)) return with_unit(name, unit);
    text_from(zero[j] < 0.0 ? -zero[j] : zero[j], 0.0f, text);
    snprintf(centred, sizeof centred, "%.150s %c %s", name, zero[j] < 0.0 ? '+' : '-', text);
    return with_unit(centred, unit);
}

/* Reads the features of every row of a table; dies if one is infinite. */
static void read_rows(const job *b, const char *path, const model_rows *from, sooth_table *table) {
    const sooth_csv *csv = &from->file.csv;
    const size_t rows = csv->rows, features = b->model->head.features;
    float *x = features_of(from, features);
    if (rows == 0) die(BAD_INPUT, "%s has no rows", path);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < features; ++j)
            if (isinf(x[i * features + j]))
                die(BAD_INPUT, "%s: line %u: %s is infinite", path, (unsigned)csv->line[i],
                    column_name(csv, from->column[j]));
    unknown_print(from, stderr);
    sooth_table_init(table, x, rows, features);
}

/* Transforms the rows for the predictor. */
static void transform_rows(const job *b, const sooth_table *table, sooth_table *seen) {
    float *x;
    *seen = *table;
    x = (float *)allocate(table->rows, table->cols * sizeof *x);
    sooth_model_transform(&b->parts, table->x, table->rows, table->cols, x);
    seen->x = x;
}

static void open_rows(job *b, const arguments *args) {
    const char *background = arguments_text(args, "background");
    const sooth_csv_options plain = {.no_rows = 0};
    model_rows rows;
    csv_open_for_model(b->env, args, b->path, b->model_path, b->model, b->zero, b->parts.card, &plain, &rows);
    b->csv = rows.file.csv;
    b->rows = rows;
    b->column = rows.column;
    b->name = (const char **)allocate(b->model->head.features, sizeof *b->name);
    for (size_t j = 0; j < b->model->head.features; ++j) b->name[j] = column_name(&b->csv, b->column[j]);
    read_rows(b, b->path, &rows, &b->table);
    transform_rows(b, &b->table, &b->seen);
    if (background) {
        sooth_table table;
        csv_open_for_model(b->env, args, background, b->model_path, b->model, b->zero, b->parts.card, &plain,
                           &rows);
        read_rows(b, background, &rows, &table);
        transform_rows(b, &table, &b->background);
    }
    b->scratch = allocate(sooth_model_scratch_size(b->model, 64) + 1, 1);
    b->answer = (float *)allocate(b->table.rows, b->model->head.targets * sizeof *b->answer);
}

/* A sooth_explain_predictor of the target; it is never called with more rows than the table has. */
static void predict(void *user, const float *x, size_t rows, size_t stride, float *out) {
    const job *b = (const job *)user;
    sooth_model_predict_many(b->model, x, rows, stride, b->answer, b->scratch, 64);
    for (size_t i = 0; i < rows; ++i) out[i] = b->answer[i * b->model->head.targets + b->target];
}

/* Returns the quantity that SHAP values explain, if it is not the prediction itself. */
static const char *margin_words(const job *b) {
    if (b->parts.probability) return "the prediction before its conversion to a probability";
    if (b->parts.ratio) return "the logarithm of the prediction over its sum of columns (ratio_to)";
    if (b->parts.target) return "the transformed prediction";
    if (b->trees.ensemble && b->trees.ensemble->link)
        return "the logarithm or log-odds of the prediction, which is the sum of the trees";
    return NULL;
}

static void need_trees(const job *b, const char *what) {
    if (b->is_trees) return;
    die(BAD_USE,
        "%s explains trees, but %s holds another model; permutation and --dependence explain any model", what,
        b->model_path);
}

/* ---- importances ---- */

/* Reads the rows in which the target was measured. Returns 0 if the table has no such column. */
static int measured_rows(const job *b, const char *target, sooth_table *table) {
    const size_t column = sooth_csv_find(&b->csv, target), features = b->table.cols;
    size_t n = 0;
    float *x, *y;
    if (column == SOOTH_NONE) return 0;
    if (b->csv.column[column].is_text) column_is_text(b->path, &b->csv, column);
    x = (float *)allocate(b->table.rows, features * sizeof *x);
    y = target_column(&b->rows, features, b->target, column);
    for (size_t i = 0; i < b->table.rows; ++i) {
        y[n] = y[i];
        if (!isfinite(y[n])) continue;
        memcpy(x + n++ * features, b->table.x + i * features, features * sizeof *x);
    }
    if (n == 0) die(BAD_INPUT, "%s: %s has no number in any row", b->path, target);
    sooth_table_init(table, x, n, features);
    table->y = y;
    table->targets = 1;
    return 1;
}

/* Reads --groups; columns that are in none of them stay alone. */
static void read_groups(job *b, const arguments *args) {
    const size_t features = b->table.cols, none = features + 1;
    size_t count, j;
    char **list = arguments_list(args, "groups", &count);
    if (!list) return;
    b->group = (const char **)allocate(count + features, sizeof *b->group);
    b->group_of = (uint32_t *)allocate(features, sizeof *b->group_of);
    for (j = 0; j < features; ++j) b->group_of[j] = (uint32_t)none;
    for (size_t g = 0; g < count; ++g) {
        char *name = list[g], *next;
        char *copy = (char *)allocate(strlen(name) + 1, 1);
        b->group[g] = memcpy(copy, name, strlen(name) + 1);
        for (; name; name = next) {
            next = strchr(name, '+');
            if (next) *next++ = 0;
            for (j = 0; j < features && strcmp(b->name[j], name) != 0; ++j) continue;
            if (j == features)
                die(BAD_USE, "--groups has %s, but must name features of %s, A+B,C+D%s",
                    *name ? name : "nothing", b->model_path, did_you_mean(name, b->name, features));
            if (b->group_of[j] != none) die(BAD_USE, "--groups names %s twice", name);
            b->group_of[j] = (uint32_t)g;
        }
    }
    b->groups = count;
    for (j = 0; j < features; ++j)
        if (b->group_of[j] == none) {
            b->group_of[j] = (uint32_t)b->groups;
            b->group[b->groups++] = b->name[j];
        }
}

static const char *const losses[] = {"mse", "rmse", "mae", "mape"}; /* by sooth_explain_loss */

static uint32_t loss_of(const arguments *args) {
    const char *name = arguments_text(args, "loss");
    for (uint32_t k = 0; k < 4 && name; ++k)
        if (strcmp(name, losses[k]) == 0) return k;
    if (name)
        die(BAD_USE, "--loss is %s, but must be one of mse, rmse, mae, mape%s", *name ? name : "empty",
            did_you_mean(name, losses, 4));
    return SOOTH_EXPLAIN_RMSE;
}

/* Computes the increase of the loss, per group or else per column. */
static double *permutation(job *b, const arguments *args, const sooth_table *table, double *base) {
    double *loss = (double *)allocate(b->groups + table->cols, sizeof *loss);
    sooth_explain_options options;
    memset(&options, 0, sizeof options);
    options.loss = loss_of(args);
    options.seed = arguments_count(args, "seed", 0, 0, 4294967295u);
    options.groups = (uint32_t)b->groups;
    options.group = b->group_of;
    if (sooth_explain_permutation(b->env, table, predict, b, &options, loss, NULL, base) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    return loss;
}

/* Computes SHAP values of `rows` rows starting at `first`, for every target; see sooth_explain_shap. */
static double *shap(job *b, size_t first, size_t rows, double *expected) {
    sooth_table some = b->seen;
    double *phi = (double *)allocate(rows, b->model->head.targets * b->table.cols * sizeof *phi);
    double *means = (double *)allocate(b->model->head.targets, sizeof *means);
    some.x += first * some.stride;
    some.rows = rows;
    sooth_status status =
        b->background.rows ? sooth_explain_shap_against(b->env, &b->trees, &some, &b->background, phi, means)
                           : sooth_explain_shap(b->env, &b->trees, &some, phi, means);
    if (status != SOOTH_OK) die(BAD_INPUT, "%s: %s", b->model_path, b->env->sentence);
    *expected = means[b->target];
    return phi + b->target * b->table.cols;
}

static double *mean_size_of_shap(job *b) {
    const size_t features = b->table.cols, step = features * b->model->head.targets;
    double *mean = (double *)allocate(features, sizeof *mean), expected;
    const double *phi = shap(b, 0, b->table.rows, &expected);
    for (size_t i = 0; i < b->table.rows; ++i)
        for (size_t j = 0; j < features; ++j) mean[j] += fabs(phi[i * step + j]) / (double)b->table.rows;
    return mean;
}

/* Chooses the methods named by --by, or else all that are available. */
static void choose_ways(const job *b, const arguments *args, int has_target, int chosen[WAYS]) {
    size_t count;
    int k;
    char **list = arguments_list(args, "by", &count);
    for (k = 0; k < WAYS; ++k) chosen[k] = !list && (k == PERMUTATION ? has_target : b->is_trees);
    for (size_t i = 0; i < count; ++i) {
        for (k = 0; k < WAYS && strcmp(list[i], ways[k]) != 0; ++k) continue;
        if (k == WAYS)
            die(BAD_USE, "--by is %s, but must be of gain, permutation, shap, paths%s",
                *list[i] ? list[i] : "empty", did_you_mean(list[i], ways, WAYS));
        if (k != PERMUTATION) need_trees(b, ways[k]);
        chosen[k] = 1;
    }
}

/* Orders features by one of the figures, the largest first. */
static size_t *ranked(const double *figure, size_t count) {
    size_t *order = (size_t *)allocate(count, sizeof *order), j;
    for (size_t i = 0; i < count; ++i) {
        for (j = i; j > 0 && figure && fabs(figure[order[j - 1]]) < fabs(figure[i]); --j)
            order[j] = order[j - 1];
        order[j] = i;
    }
    return order;
}

/* ---- the page ---- */

enum { MOST_BARS = 20, MOST_CURVES = 4 };

static void page_head(job *b, const char *what) {
    page *p = &b->page;
    page_begin(p, "%s", what);
    page_text(p, "p class=\"soft\"",
              "%s, which predicts %s, on %s of %s. The pictures explain the model, not the measurements: if "
              "its predictions are wrong, so are the pictures.",
              printable(b->model_path), with_unit(target_of(b), target_unit(b)),
              counted(b->table.rows, "row", "rows"), printable(b->path));
}

/* Draws a bar for each of the first names in this order; a table follows. */
static void page_ranked(job *b, const char *caption, const double *figure, double times, const char *unit,
                        const char *const *name, const size_t *order, size_t count) {
    const size_t shown = count < MOST_BARS ? count : MOST_BARS;
    double *value = (double *)allocate(shown, sizeof *value);
    const char **names = (const char **)allocate(shown, sizeof *names);
    svg_bar_chart chart;
    for (size_t i = 0; i < shown; ++i) {
        value[i] = times * figure[order[i]];
        names[i] = name[order[i]];
    }
    memset(&chart, 0, sizeof chart);
    chart.value = value;
    chart.names = names;
    chart.count = shown;
    chart.unit = unit;
    page_bars(&b->page, caption, &chart);
    free(value);
    free(names);
}

/* Draws the mean prediction as column j takes the values `at`: a line, or a bar for each level. Lines of
   single rows lie behind the mean. */
static void page_dependence(job *b, size_t j, const float *at, const double *y, size_t count, size_t lines) {
    const int is_level = b->parts.levels && sooth_levels_columns(b->parts.levels)[j].categorical;
    const double *mean = y + lines * count;
    const char **name = (const char **)allocate(count + lines + 1, sizeof *name), *unit = target_unit(b);
    double *x = (double *)allocate(count, sizeof *x);
    char caption[300], y_title[160];
    grid g;
    grid_init(&g, 2 + lines, is_level ? 1 : 0);
    grid_add(&g, "%s", with_unit(b->name[j], unit_of(b, j)));
    grid_add(&g, "%s", with_unit(target_of(b), unit));
    for (size_t i = 0; i < lines; ++i) grid_add(&g, "row %zu", i * b->table.rows / lines + 1);
    for (size_t k = 0; k < count; ++k) {
        x[k] = (double)at[k];
        grid_add(&g, "%s", is_level ? level_name(b, j, at[k]) : number_of(b, j, at[k]));
        grid_add(&g, "%s", human(mean[k], 5));
        for (size_t i = 0; i < lines; ++i) grid_add(&g, "%s", human(y[i * count + k], 5));
    }
    snprintf(caption, sizeof caption, "%s: mean prediction as only this column changes", b->name[j]);
    snprintf(y_title, sizeof y_title, "%s", with_unit(target_of(b), unit));
    if (is_level) {
        svg_bar_chart chart;
        memset(&chart, 0, sizeof chart);
        for (size_t k = 0; k < count; ++k) name[k] = level_name(b, j, at[k]);
        chart.value = mean;
        chart.names = name;
        chart.count = count < MOST_BARS ? count : MOST_BARS;
        page_bars(&b->page, caption, &chart);
    } else {
        svg_line_chart chart;
        memset(&chart, 0, sizeof chart);
        for (size_t i = 0; i < lines; ++i) name[i] = "";
        name[lines] = "mean";
        chart.x = x;
        chart.y = y;
        chart.count = count;
        chart.series = lines + 1;
        chart.series_names = lines ? name : NULL;
        chart.x_title = axis_of(b->name[j], unit_of(b, j), b->zero, j);
        chart.y_title = y_title;
        /* a level that holds half of the values would be a vertical line */
        chart.logarithmic_x = !is_centred(b->zero, j) && x[0] > 0.0 && x[count - 1] > 30.0 * x[count / 2];
        page_lines(&b->page, caption, &chart);
    }
    page_table(&b->page, "Data of the picture", &g);
    free(name);
    free(x);
}

/* The columns that matter most, one picture each. */
static void page_dependences(job *b, const size_t *order) {
    enum { POINTS = 20 };
    float at[POINTS];
    double mean[POINTS];
    size_t count;
    page_text(&b->page, "h2", "Prediction as one column changes");
    page_text(&b->page, "p",
              "The mean over all rows, with the other columns unchanged (partial dependence; Friedman 2001), "
              "for the columns that matter most. If columns are correlated, some of these rows never occur.");
    for (size_t k = 0; k < b->table.cols && k < MOST_CURVES; ++k) {
        const uint32_t j = (uint32_t)order[k];
        sooth_status status = sooth_explain_grid(b->env, &b->table, j, POINTS, at, &count);
        if (status == SOOTH_OK)
            status = sooth_explain_dependence(b->env, &b->table, j, at, count, predict, b, 1, mean, NULL);
        if (status == SOOTH_NO_MEMORY) die_of(status, b->env);
        if (status == SOOTH_OK) page_dependence(b, j, at, mean, count, 0);
        else page_text(&b->page, "p", "%s has no picture: %s.", b->name[j], b->env->sentence); /* missing */
    }
    progress_clear();
}

/* The importances: per column, NULL if that method was not chosen. */
typedef struct importances {
    double *figure[WAYS], base;
    sooth_explain_use *use;
    size_t *order;
} importances;

static void importances_grid(const job *b, const importances *of, grid *g) {
    double *const *figure = of->figure;
    grid_init(g, 1 + (size_t)(!!figure[GAIN] + !!figure[PERMUTATION] + !!figure[SHAP] + 2 * !!figure[PATHS]),
              1);
    grid_add(g, "feature");
    if (figure[GAIN]) grid_add(g, "gain");
    if (figure[PERMUTATION]) grid_add(g, "permutation");
    if (figure[SHAP]) grid_add(g, "mean |SHAP|");
    if (figure[PATHS]) {
        grid_add(g, "rows tested");
        grid_add(g, "per path");
    }
    for (size_t i = 0; i < b->table.cols; ++i) {
        const size_t j = of->order[i];
        grid_add(g, "%s", with_unit(b->name[j], unit_of(b, j)));
        if (figure[GAIN]) grid_add(g, "%.1f %%", 100.0 * figure[GAIN][j]);
        if (figure[PERMUTATION]) grid_add(g, "%s", human(figure[PERMUTATION][j], 3));
        if (figure[SHAP]) grid_add(g, "%s", human(figure[SHAP][j], 3));
        if (figure[PATHS]) {
            grid_add(g, "%.1f %%", 100.0 * of->use[j].rows);
            grid_add(g, "%s", human(of->use[j].per_path, 3));
        }
    }
}

static void page_importances(job *b, const arguments *args, const importances *of) {
    static const char *const caption[WAYS] = {
        "gain: share of the gain of all splits in training",
        "permutation: by how much the error rises when the column is shuffled",
        "mean |SHAP|: by how much the column changes the prediction, on average",
        "per path: tests of the column on the path through one tree"};
    page *p = &b->page;
    grid g;
    char title[300], words[400];
    snprintf(title, sizeof title, "Importance of columns for the model of %s", target_of(b));
    page_head(b, title);
    page_text(p, "p class=\"lead\"", "Most important: %s.", b->name[of->order[0]]);
    page_text(p, "h2", "How much each column matters");
    if (of->figure[PERMUTATION])
        page_text(p, "p",
                  "Permutation is the increase of the %s, which is %s for the unchanged rows. It is more "
                  "reliable on rows that the model was not fitted to.",
                  losses[loss_of(args)], human(of->base, 4));
    if (of->figure[SHAP] && margin_words(b)) page_text(p, "p", "SHAP values are of %s.", margin_words(b));
    for (int k = 0; k < WAYS; ++k) {
        size_t *order;
        if (!of->figure[k]) continue;
        order = ranked(of->figure[k], b->table.cols);
        page_ranked(b, caption[k], of->figure[k], k == GAIN ? 100.0 : 1.0, k == GAIN ? " %" : "", b->name,
                    order, b->table.cols);
        free(order);
        importances_grid(b, of, &g);
        snprintf(words, sizeof words, "Data of the picture: %s%s",
                 counted(b->table.cols, "column", "columns"),
                 b->table.cols > MOST_BARS ? "; the picture shows the first 20" : "");
        page_table(p, words, &g);
    }
    page_dependences(b, of->order);
}

/* Begins a JSON text with the model, its target and the rows. */
static void json_head(const job *b, json *j) {
    json_begin(j, stdout);
    json_text(j, "model", b->model_path);
    json_text(j, "table", b->path);
    json_text(j, "target", target_of(b));
    json_text(j, "unit", target_unit(b));
    json_count(j, "rows", b->table.rows);
}

static void json_importances(const job *b, const arguments *args, const importances *of) {
    static const char *const key[WAYS] = {"gain", "permutation", "mean_abs_shap", "tests_per_path"};
    json j;
    json_head(b, &j);
    if (of->figure[PERMUTATION]) {
        json_text(&j, "loss", losses[loss_of(args)]);
        json_number(&j, "loss_of_unchanged_rows", of->base);
    }
    if (of->figure[SHAP] && margin_words(b)) json_text(&j, "shap_of", margin_words(b));
    json_open(&j, "features", '[');
    for (size_t i = 0; i < b->table.cols; ++i) {
        const size_t f = of->order[i];
        json_open(&j, NULL, '{');
        json_text(&j, "feature", b->name[f]);
        for (int k = 0; k < WAYS; ++k)
            if (of->figure[k]) json_number(&j, key[k], of->figure[k][f]);
        if (of->figure[PATHS]) json_number(&j, "rows_tested", of->use[f].rows);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

static void print_importances(job *b, const arguments *args) {
    const char *target = arguments_text(args, "target");
    importances of = {{NULL, NULL, NULL, NULL}, 0.0, NULL, NULL};
    double **figure = of.figure;
    sooth_table measured;
    const size_t features = b->table.cols;
    int chosen[WAYS], has_target = measured_rows(b, target ? target : target_of(b), &measured);
    grid g;
    if (target && !has_target) die(BAD_INPUT, "%s has no column %s for --target", b->path, target);
    choose_ways(b, args, has_target, chosen);
    if (chosen[PERMUTATION] && !has_target)
        die(BAD_INPUT,
            "%s has no column %s, and permutation needs the measured target; name it with --target", b->path,
            target_of(b));
    if (!chosen[GAIN] && !chosen[PERMUTATION] && !chosen[SHAP] && !chosen[PATHS])
        die(BAD_INPUT, "%s holds no trees and %s no column %s, so only --dependence can explain the model",
            b->model_path, b->path, target_of(b));
    if (chosen[GAIN]) {
        figure[GAIN] = (double *)allocate(features, sizeof(double));
        if (sooth_explain_importance(b->env, &b->trees, SOOTH_EXPLAIN_SHARE, figure[GAIN]) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", b->model_path, b->env->sentence);
    }
    if (chosen[PERMUTATION]) figure[PERMUTATION] = permutation(b, args, &measured, &of.base);
    if (chosen[SHAP]) figure[SHAP] = mean_size_of_shap(b);
    if (chosen[PATHS]) {
        of.use = (sooth_explain_use *)allocate(features, sizeof *of.use);
        if (sooth_explain_paths(b->env, &b->trees, &b->seen, of.use) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
        figure[PATHS] = (double *)allocate(features, sizeof(double));
        for (size_t i = 0; i < features; ++i) figure[PATHS][i] = of.use[i].per_path;
    }
    progress_clear();
    for (int k = WAYS; k-- > 0;)
        if (figure[k]) of.order = ranked(figure[k], features);
    if (page_is_wanted(&b->page)) page_importances(b, args, &of);
    if (arguments_has(args, "json")) {
        json_importances(b, args, &of);
        return;
    }
    heading(stdout, "%s on %s of %s\n\n", printable(b->model_path), counted(b->table.rows, "row", "rows"),
            printable(b->path));
    dialect_note(&b->csv, stdout);
    importances_grid(b, &of, &g);
    grid_print(&g, stdout, "  ");
    printf("\n");
    if (chosen[GAIN]) printf("  gain         share of the gain of all splits in training\n");
    if (chosen[PERMUTATION])
        printf("  permutation  by how much the %s, %s, rises when the column is shuffled;\n"
               "               more reliable on rows that the model was not fitted to\n",
               losses[loss_of(args)], human(of.base, 4));
    if (chosen[SHAP])
        printf("  mean |SHAP|  by how much the column changes %s, on average\n",
               margin_words(b) ? margin_words(b) : "the prediction");
    if (chosen[PATHS])
        printf("  rows tested  share of the rows whose path through the trees tests the column\n"
               "  per path     tests of the column on the path through one tree\n");
}

static void page_groups(job *b, const arguments *args, const double *loss, double base, const size_t *order) {
    grid g;
    page_head(b, "Importance of groups of columns");
    page_text(&b->page, "p class=\"lead\"", "Most important: %s.", b->group[order[0]]);
    page_text(&b->page, "p",
              "By how much the %s, %s for the unchanged rows, rises when the columns of a group are shuffled "
              "together.",
              losses[loss_of(args)], human(base, 4));
    page_ranked(b, "permutation: by how much the error rises", loss, 1.0, "", b->group, order, b->groups);
    grid_init(&g, 2, 1);
    grid_add(&g, "group");
    grid_add(&g, "permutation");
    for (size_t i = 0; i < b->groups; ++i) {
        grid_add(&g, "%s", b->group[order[i]]);
        grid_add(&g, "%s", human(loss[order[i]], 3));
    }
    page_table(&b->page, "Data of the picture", &g);
}

static void json_groups(const job *b, const arguments *args, const double *loss, double base,
                        const size_t *order) {
    json j;
    json_head(b, &j);
    json_text(&j, "loss", losses[loss_of(args)]);
    json_number(&j, "loss_of_unchanged_rows", base);
    json_open(&j, "groups", '[');
    for (size_t i = 0; i < b->groups; ++i) {
        json_open(&j, NULL, '{');
        json_text(&j, "group", b->group[order[i]]);
        json_number(&j, "permutation", loss[order[i]]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

/* With --groups: permutation only, a line per group. */
static void print_groups(job *b, const arguments *args) {
    const char *target = arguments_text(args, "target");
    sooth_table measured;
    double base;
    grid g;
    if (!target) target = target_of(b);
    if (!measured_rows(b, target, &measured))
        die(BAD_INPUT,
            "%s has no column %s, and permutation needs the measured target; name it with --target", b->path,
            target);
    double *loss = permutation(b, args, &measured, &base);
    size_t *order = ranked(loss, b->groups);
    progress_clear();
    if (page_is_wanted(&b->page)) page_groups(b, args, loss, base, order);
    if (arguments_has(args, "json")) {
        json_groups(b, args, loss, base, order);
        return;
    }
    grid_init(&g, 2, 1);
    grid_add(&g, "group");
    grid_add(&g, "permutation");
    for (size_t i = 0; i < b->groups; ++i) {
        grid_add(&g, "%s", printable(b->group[order[i]]));
        grid_add(&g, "%s", human(loss[order[i]], 3));
    }
    grid_print(&g, stdout, "  ");
    printf(
        "\n  permutation  by how much the %s, %s, rises when the columns of a group are shuffled together\n",
        losses[loss_of(args)], human(base, 4));
}

/* ---- one row ---- */

/* Returns true if feature j is a level that the predictor reads as a statistic. */
static int is_statistic(const job *b, size_t j) {
    const sooth_levels *levels = b->parts.levels;
    return levels && levels->statistics && sooth_levels_columns(levels)[j].categorical;
}

/* Returns "3.5", "missing", "ann", or "ann (12.3)" for a level that the predictor reads as a statistic. */
static const char *cell_text(const job *b, size_t j, float value, float seen) {
    static char text[300];
    const char *name = is_centred(b->zero, j) && value == value ? number_of(b, j, value)
                                                                : value_text(b->parts.levels, j, value);
    if (!is_statistic(b, j)) return name;
    if (b->parts.input) seen = sooth_scale_invert_one(b->parts.input, j, seen);
    snprintf(text, sizeof text, "%.200s (%s)", name, human((double)seen, 5));
    return text;
}

/* Prints the tests of a single tree in words; thresholds in the units of the table. */
static void print_path(const job *b, const float *row, const float *seen) {
    sooth_explain_step *step = (sooth_explain_step *)allocate((size_t)b->trees.depth + 1, sizeof *step);
    const size_t steps = sooth_explain_path(&b->trees, 0, seen, step);
    printf("\nThe path through the tree\n");
    for (uint32_t k = 0; k < steps; ++k) {
        const size_t j = step[k].feature;
        float limit = step[k].threshold;
        if (b->parts.input) limit = sooth_scale_invert_one(b->parts.input, j, limit);
        if (row[j] != row[j] && !is_statistic(b, j))
            printf("  %2u  %s is missing\n", (unsigned)k + 1, printable(b->name[j]));
        else if (limit != limit)
            printf("  %2u  %s is %s: %s the set\n", (unsigned)k + 1, printable(b->name[j]),
                   cell_text(b, j, row[j], seen[j]), step[k].right ? "not in" : "in");
        else
            printf("  %2u  %s is %s: %s %s\n", (unsigned)k + 1, printable(b->name[j]),
                   cell_text(b, j, row[j], seen[j]), step[k].right ? "above" : "at most",
                   is_centred(b->zero, j) ? number_of(b, j, limit) : human((double)limit, 5));
    }
    printf("  then the tree predicts %s%s\n",
           human(sooth_explain_margin(&b->trees, seen, (uint32_t)b->target), 5),
           b->parts.target || b->parts.probability ? ", transformed" : "");
}

/* Prints what each feature of a row adds, the largest first, between the mean and the sum. */
static void row_grid(const job *b, size_t i, const double *phi, const size_t *order, double expected,
                     grid *g) {
    const size_t features = b->table.cols;
    const float *row = b->table.x + i * features, *seen = b->seen.x + i * features;
    const double margin = sooth_explain_margin(&b->trees, seen, (uint32_t)b->target);
    uint32_t *count = (uint32_t *)allocate(features, sizeof *count);
    sooth_explain_counts(&b->trees, seen, count);
    grid_init(g, 4, 2);
    grid_add(g, "feature");
    grid_add(g, "value");
    grid_add(g, "contribution");
    grid_add(g, "asked");
    grid_add(g, "%s", b->background.rows ? "mean of the background" : "on average");
    grid_add(g, "%s", "");
    grid_add(g, "%.6g", expected);
    grid_add(g, "%s", "");
    for (size_t k = 0; k < features; ++k) {
        const size_t j = order[k];
        grid_add(g, "%s", with_unit(b->name[j], unit_of(b, j)));
        grid_add(g, "%s", cell_text(b, j, row[j], seen[j]));
        grid_add(g, "%+.6g", phi[j]);
        grid_add(g, "%u", (unsigned)count[j]);
    }
    grid_add(g, "together");
    grid_add(g, "%s", "");
    grid_add(g, "%.6g", margin);
    grid_add(g, "%s", "");
    free(count);
}

static void page_row(job *b, size_t i, const double *phi, const size_t *order, double expected,
                     double answer) {
    const size_t features = b->table.cols;
    const char **name = (const char **)allocate(features, sizeof *name);
    char title[300], caption[300], words[200];
    grid g;
    for (size_t j = 0; j < features; ++j) {
        char *text = (char *)allocate(200, 1);
        snprintf(text, 200, "%.120s = %.60s", b->name[j],
                 cell_text(b, j, b->table.x[i * features + j], b->seen.x[i * features + j]));
        name[j] = text;
    }
    snprintf(title, sizeof title, "Why the model predicts %s%s%s for row %zu", human(answer, 6),
             *target_unit(b) ? " " : "", target_unit(b), i + 1);
    page_head(b, title);
    page_text(&b->page, "p class=\"lead\"", "Line %u of %s: %s %s%s%s.", (unsigned)b->csv.line[i],
              printable(b->path), target_of(b), human(answer, 6), *target_unit(b) ? " " : "", target_unit(b));
    page_text(
        &b->page, "p",
        "%s the prediction is %s. The picture shows what the columns of this row add; the sum is %s%s%s.",
        b->background.rows ? "For the background" : "On average", human(expected, 6),
        human(sooth_explain_margin(&b->trees, b->seen.x + i * features, (uint32_t)b->target), 6),
        margin_words(b) ? ", in terms of " : "", margin_words(b) ? margin_words(b) : "");
    snprintf(caption, sizeof caption, "What each column adds to the prediction (SHAP values)");
    page_ranked(b, caption, phi, 1.0, "", name, order, features);
    row_grid(b, i, phi, order, expected, &g);
    snprintf(words, sizeof words, "Data of the picture: %s%s", counted(features, "column", "columns"),
             features > MOST_BARS ? "; the picture shows the first 20" : "");
    page_table(&b->page, words, &g);
}

static void json_row(const job *b, size_t i, const double *phi, const size_t *order, double expected,
                     float answer) {
    const size_t features = b->table.cols, target = features + b->target;
    const float *row = b->table.x + i * features, *seen = b->seen.x + i * features;
    json j;
    json_head(b, &j);
    json_count(&j, "row", i + 1);
    json_count(&j, "line", b->csv.line[i]);
    json_number(&j, "prediction", (double)answer + (is_centred(b->zero, target) ? b->zero[target] : 0.0));
    if (margin_words(b)) json_text(&j, "contributions_of", margin_words(b));
    json_number(&j, "expected", expected);
    json_open(&j, "features", '[');
    for (size_t k = 0; k < features; ++k) {
        const size_t f = order[k];
        json_open(&j, NULL, '{');
        json_text(&j, "feature", b->name[f]);
        if (b->parts.levels && sooth_levels_columns(b->parts.levels)[f].categorical && row[f] == row[f])
            json_text(&j, "value", value_text(b->parts.levels, f, row[f]));
        else json_number(&j, "value", (double)row[f] + (is_centred(b->zero, f) ? b->zero[f] : 0.0));
        json_number(&j, "contribution", phi[f]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "sum", sooth_explain_margin(&b->trees, seen, (uint32_t)b->target));
    json_end(&j);
}

static void print_row(job *b, size_t i, int as_json) {
    const size_t features = b->table.cols;
    const float *row = b->table.x + i * features, *seen = b->seen.x + i * features;
    double expected;
    float answer;
    grid g;
    need_trees(b, "--row");
    double *phi = shap(b, i, 1, &expected);
    progress_clear();
    size_t *order = ranked(phi, features);
    predict(b, row, 1, features, &answer);
    if (page_is_wanted(&b->page)) page_row(b, i, phi, order, expected, (double)answer);
    if (as_json) {
        json_row(b, i, phi, order, expected, answer);
        return;
    }
    printf("row %zu (line %u of %s): %s %s %s\n\n", i + 1, (unsigned)b->csv.line[i], printable(b->path),
           printable(target_of(b)),
           is_centred(b->zero, features + b->target) ? number_of(b, features + b->target, answer)
                                                     : human((double)answer, 6),
           printable(target_unit(b)));
    row_grid(b, i, phi, order, expected, &g);
    grid_print(&g, stdout, "  ");
    if (margin_words(b))
        printf("\n"
               "  Contributions, their average and their sum are those of %s;\n"
               "  only the %s in the first line is converted back to the measured unit.\n",
               margin_words(b), printable(target_of(b)));
    if (b->trees.trees == 1) print_path(b, row, seen);
}

/* ---- dependence ---- */

/* Writes a number of column j of the model, a feature or after them a target, as the table has it. */
static void put_number(const job *b, size_t j, float value, sooth_sink *sink, FILE *to) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (!is_centred(b->zero, j) || value != value) {
        sooth_csv_put_number(sink, value, b->csv.decimal);
        return;
    }
    text_from(b->zero[j], value, text);
    for (char *c = text; *c; ++c) fputc(*c == '.' ? b->csv.decimal : *c, to);
}

static void write_dependence(job *b, const arguments *args, const char *column) {
    const char *path = arguments_text(args, "output");
    const uint32_t points = arguments_count(args, "points", 20, 2, 10000);
    float *at = (float *)allocate(points, sizeof *at);
    double *mean = (double *)allocate(points, sizeof *mean), *x = (double *)allocate(points, sizeof *x);
    const size_t rows = arguments_has(args, "each") ? b->table.rows : 0; /* rows to draw */
    float *each = rows ? (float *)allocate(rows, points * sizeof *each) : NULL;
    size_t j, count;
    for (j = 0; j < b->table.cols && strcmp(b->name[j], column) != 0; ++j) continue;
    if (j == b->table.cols)
        die(BAD_USE, "--dependence is %s, but must be a feature of %s%s", *column ? column : "empty",
            b->model_path, did_you_mean(column, b->name, b->table.cols));
    if (sooth_explain_grid(b->env, &b->table, (uint32_t)j, points, at, &count) != SOOTH_OK ||
        sooth_explain_dependence(b->env, &b->table, (uint32_t)j, at, count, predict, b, 1, mean, each) !=
            SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    progress_clear();
    const size_t lines = rows < MOST_LINES ? rows : MOST_LINES; /* evenly chosen rows, then the mean */
    double *y = (double *)allocate(lines + 1, count * sizeof *y);
    for (size_t p = 0; p < count; ++p) x[p] = (double)at[p];
    for (size_t i = 0; i < lines; ++i)
        for (size_t p = 0; p < count; ++p) y[i * count + p] = (double)each[i * rows / lines * count + p];
    memcpy(y + lines * count, mean, count * sizeof *y);
    if (page_is_wanted(&b->page)) {
        char title[300];
        snprintf(title, sizeof title, "Prediction of the model as %s changes", b->name[j]);
        page_head(b, title);
        page_text(
            &b->page, "p",
            "The mean over all rows, with the other columns unchanged (partial dependence; Friedman 2001).%s",
            lines ? " The other lines are single rows, evenly chosen." : "");
        page_dependence(b, j, at, y, count, lines);
    }
    FILE *to = output_open(path ? path : "-", arguments_has(args, "force"), args->word, 2);
    if (ends_in_svg(path)) {
        const char **series = (const char **)allocate(lines + 1, sizeof *series);
        sooth_sink sink = sooth_file_sink(to);
        svg_line_chart chart;
        for (size_t i = 0; i < lines; ++i) series[i] = "";
        series[lines] = "mean of all rows";
        memset(&chart, 0, sizeof chart);
        chart.frame.title = "Prediction of the model as one feature changes";
        chart.x = x;
        chart.y = y;
        chart.count = count;
        chart.series = lines + 1;
        chart.series_names = series;
        chart.x_title = axis_of(b->name[j], unit_of(b, j), b->zero, j);
        chart.y_title = axis_of(target_of(b), target_unit(b), b->zero, b->table.cols + b->target);
        svg_lines(&sink, &chart);
    } else {
        const char separator = b->csv.separator;
        sooth_sink sink = sooth_file_sink(to);
        fprintf(to, "value%cpredicted", separator);
        for (size_t i = 0; i < rows; ++i) fprintf(to, "%crow_%zu", separator, i + 1);
        for (size_t p = 0; p < count; ++p) {
            fputc('\n', to);
            if (b->parts.levels && sooth_levels_columns(b->parts.levels)[j].categorical)
                sooth_csv_put_text(&sink, level_name(b, j, at[p]), separator);
            else put_number(b, j, at[p], &sink, to);
            fputc(separator, to);
            put_number(b, b->table.cols + b->target, (float)mean[p], &sink, to);
            for (size_t i = 0; i < rows; ++i) {
                fputc(separator, to);
                put_number(b, b->table.cols + b->target, each[i * count + p], &sink, to);
            }
        }
        fputc('\n', to);
    }
    output_close();
}

/* Reports the columns that count from another number than 0. */
static void tell_zeros(const job *b, const arguments *args) {
    const size_t target = b->model->head.features + b->target;
    if (!b->zero) return;
    if (page_is_wanted(&b->page) && is_centred(b->zero, target))
        die(BAD_USE, "--page needs a target that counts from 0, but %s counts from %s; leave --page out",
            target_of(b), number_of(b, target, 0.0f));
    if (is_centred(b->zero, target) && loss_of(args) == SOOTH_EXPLAIN_MAPE)
        die(BAD_USE, "--loss mape needs a target that counts from 0, but %s counts from %s", target_of(b),
            number_of(b, target, 0.0f));
    print_zeros(b->model, b->zero,
                arguments_has(args, "dependence") || arguments_has(args, "json") ? stderr : stdout);
}

static int run(const arguments *args) {
    const char *column = arguments_text(args, "dependence"), *path = arguments_text(args, "output");
    job b;
    memset(&b, 0, sizeof b);
    b.model_path = args->word[0];
    b.path = args->word[1];
    if (strcmp(b.model_path, "-") == 0 && strcmp(b.path, "-") == 0)
        die(BAD_USE, "the model and the data cannot both be -");
    if (!column && arguments_has(args, "output")) die(BAD_USE, "--output needs --dependence");
    if (!column && arguments_has(args, "points")) die(BAD_USE, "--points needs --dependence");
    if (column && arguments_has(args, "json"))
        die(BAD_USE, "--dependence writes a table, so it excludes --json");
    if (!column && arguments_has(args, "each")) die(BAD_USE, "--each needs --dependence");
    if (arguments_has(args, "groups") && (column || arguments_has(args, "row") || arguments_has(args, "by")))
        die(BAD_USE, "--groups needs permutation; it excludes --by, --row and --dependence");
    if (arguments_has(args, "row") + (column != NULL) + arguments_has(args, "by") > 1)
        die(BAD_USE, "--by, --row and --dependence exclude each other; give one");
    page_read(args, &b.page);
    b.env = env_open(args);
    open_model(&b);
    choose_target(&b, args);
    open_rows(&b, args);
    tell_zeros(&b, args);
    read_groups(&b, args);
    if (column) write_dependence(&b, args, column);
    else if (arguments_has(args, "row"))
        print_row(&b, arguments_count(args, "row", 1, 1, (uint32_t)b.table.rows) - 1,
                  arguments_has(args, "json"));
    else if (b.groups) print_groups(&b, args);
    else print_importances(&b, args);
    const char *const inputs[] = {b.model_path, b.path, arguments_text(args, "background")};
    page_write(&b.page, inputs, inputs[2] ? 3 : 2);
    const int is_read = arguments_has(args, "json") || (column && (!path || strcmp(path, "-") == 0));
    page_name(&b.page, is_read ? stderr : stdout);
    return finish();
}

const command explain_command = {
    .name = "explain",
    .summary = "show which features matter to a model, and how a prediction comes about",
    .usage = "MODEL DATA.csv [--by LIST | --row N | --dependence COLUMN] [options]",
    .least = 2,
    .most = 2,
    .text =
        "Lists how much every feature matters to the model on these rows, the most important first.\n\n"
        "--row explains one prediction. It prints the mean prediction of the trees and what each "
        "feature of the row adds to it (SHAP values); their sum is the prediction. For a single tree "
        "it also prints the tests on the path.\n\n"
        "--dependence writes the mean prediction as one column changes and all others stay. A column that "
        "counts from another number than 0 is written as in the table, and drawn from that number.\n\n"
        "Permutation and dependence explain any model. gain, shap, paths and --row explain trees, "
        "forests and boosting. Permutation needs the target in DATA.csv; use rows that the model was "
        "not fitted to.",
    .example = "sooth explain power.sooth new.csv\n  sooth explain power.sooth new.csv --row 3\n"
               "  sooth explain power.sooth new.csv --dependence clock -o clock.svg",
    .flags = flags,
    .run = run};
