/* slowdown.c - sooth slowdown: how much slower a program runs next to others, from counted events.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The kernel slowdown model (KSM) of Themis (Zhao et al. 2019, section V); see sooth/slowdown.h. A table has
 * a row for every program of every run; rows of one run shared the device. The model file is a network with a
 * card. Its features are the logarithms that sooth/slowdown.h computes, under the same names.
 */
#include "../model/model_cli.h"
#include "sooth/adapt.h"
#include "sooth/mlp.h"
#include "sooth/base.h"
#include "sooth/slowdown.h"

#include <math.h>

enum { INPUTS = SOOTH_SLOWDOWN_INPUTS, EVENTS = SOOTH_SLOWDOWN_EVENTS };

static const flag flags[] = {
    {"run", 'r', "COLUMN",
     "column that names the run; rows of a run shared the device. Default column: run. Without such "
     "a column, all rows belong to one run",
     0},
    {"units", 'u', "COLUMN", "number of multiprocessors of the program; default column: units, or sms", 0},
    {"events", 'e', "A,B,...",
     "eight columns, events per cycle of all its multiprocessors: instructions, L1 data "
     "accesses and misses, L1 constant accesses and misses, L2 accesses and misses, share of "
     "the bandwidth. Default columns: ipc, l1d_access, l1d_miss, l1c_access, l1c_miss, "
     "l2_access, l2_miss, bandwidth",
     1},
    {"scal", 0, "COLUMN", "slowdown by having only these units; default column: sd_scal", 0},
    {"inter", 0, "COLUMN", "slowdown by the other programs; default column: sd_inter", 0},
    {"alone", 0, "COLUMN", "instead of --scal and --inter: time alone on all units; default column: alone",
     0},
    {"alone-here", 0, "COLUMN",
     "instead of --scal and --inter: time alone on these units; default column: alone_here", 0},
    {"beside", 0, "COLUMN", "instead of --scal and --inter: time next to the others; default column: beside",
     0},
    {"group", 'g', "COLUMN",
     "fit: column that names the program of a row. Tests the model on each program, fitted to the "
     "runs without it",
     0},
    {"set", 's', "OPTION=VALUE", "fit: epochs, copies, no_copies, as_published, seed, jitter, lambda_norm",
     1},
    {"output", 'o', "FILE", "fit: the model. predict: the table. Default standard output", 0},
    FORCE_FLAG,
    JSON_FLAG,
    LAST_FLAG};

/* By SOOTH_SLOWDOWN_IPC and so on. */
static const char *const events[EVENTS] = {"ipc",      "l1d_access", "l1d_miss", "l1c_access",
                                           "l1c_miss", "l2_access",  "l2_miss",  "bandwidth"};
static const char *const features[INPUTS] = {"ln(units)",
                                             "ln(ipc + 0.001)",
                                             "ln(l1d_access + 0.001)",
                                             "ln(l1d_miss + 0.001)",
                                             "ln(l1c_access + 0.001)",
                                             "ln(l1c_miss + 0.001)",
                                             "ln(l2_access + 0.001)",
                                             "ln(l2_miss + 0.001)",
                                             "ln(bandwidth + 0.001)",
                                             "ln(others' l2_access + 0.001)",
                                             "ln(others' l2_miss + 0.001)",
                                             "ln(others' bandwidth + 0.001)"};
static const char *const targets[2] = {"sd_scal", "sd_inter"};

typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *path;
    table_file file;
    uint32_t *run;  /* per row: first row of its run */
    float *x;       /* rows x INPUTS */
    float *y;       /* rows x 2; NaN: unknown */
    size_t group;   /* column; csv.cols: none */
    float *program; /* per row: the number of its name in the column of groups; NaN: none */
    size_t known;   /* rows with both slowdowns */
} job;

/* The errors of a model on programs never seen. */
typedef struct unseen {
    size_t programs, rows;
    double error, median_error; /* of the product; of the median of the training slowdowns */
    double part[2];
    double worst;     /* of a program, */
    size_t worst_row; /* a row of this program */
} unseen;

/* ---- the table ---- */

static unsigned line_of(const job *b, size_t row) { return (unsigned)b->file.csv.line[row]; }

/* A row and its run. */
typedef struct place {
    float run;
    uint32_t row;
} place;

static int by_run(const void *a, const void *b) {
    const place *x = (const place *)a, *y = (const place *)b;
    if (x->run < y->run || x->run > y->run) return x->run < y->run ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Orders rows by run, and finds the first row of the run of each. */
static place *find_runs(job *b) {
    const sooth_csv *csv = &b->file.csv;
    const size_t column = column_of(b->args, b->path, csv, "run", "run", 0);
    place *at = (place *)allocate(csv->rows, sizeof *at);
    float *run = column < csv->cols ? names_in(csv, column) : NULL;
    b->run = (uint32_t *)allocate(csv->rows, sizeof *b->run);
    for (size_t i = 0; i < csv->rows; ++i) {
        at[i].row = (uint32_t)i;
        if (run) at[i].run = run[i];
        if (at[i].run != at[i].run) die(BAD_INPUT, "%s: line %u: the run is missing", b->path, line_of(b, i));
    }
    free(run);
    qsort(at, csv->rows, sizeof *at, by_run);
    for (size_t i = 0; i < csv->rows; ++i) {
        const int same = i > 0 && !(at[i].run > at[i - 1].run);
        b->run[at[i].row] = same ? b->run[at[i - 1].row] : at[i].row;
    }
    return at;
}

static void find_events(const job *b, size_t column[EVENTS]) {
    const sooth_csv *csv = &b->file.csv;
    const char **known;
    size_t count, n = column_names(csv, &known);
    char **given = columns_named(b->args, "events", csv, &count);
    if (given && count != EVENTS)
        die(BAD_USE, "--events names %s, but there are 8", counted(count, "column", "columns"));
    for (size_t k = 0; k < EVENTS; ++k) {
        const char *name = given ? given[k] : events[k];
        column[k] = sooth_csv_find(csv, name);
        if (column[k] == SOOTH_NONE)
            die(given ? BAD_INPUT : BAD_USE, "%s has no column %s%s%s", b->path, printable(name),
                given ? "" : "; name the eight columns of events with --events",
                did_you_mean(name, known, n));
        if (csv->column[column[k]].is_text) column_is_text(b->path, csv, column[k]);
    }
}

/* Dies for events that are impossible. */
static void check_events(const job *b, size_t units, const size_t column[EVENTS]) {
    const sooth_csv *csv = &b->file.csv;
    for (size_t i = 0; i < csv->rows; ++i) {
        const float sms = csv->cell[i * csv->cols + units];
        if (!(sms > 0.0f && is_prediction(sms)))
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be above 0", b->path, line_of(b, i),
                csv->column[units].name, sms != sms ? "missing" : shortest(sms));
        for (size_t k = 0; k < EVENTS; ++k) {
            const float v = csv->cell[i * csv->cols + column[k]];
            if (!(v >= 0.0f && is_prediction(v)))
                die(BAD_INPUT, "%s: line %u: %s is %s, but must be 0 or above", b->path, line_of(b, i),
                    csv->column[column[k]].name, v != v ? "missing" : shortest(v));
        }
    }
}

/* Computes the input rows of the network; at: rows by run. */
static void fill_inputs(job *b, const place *at) {
    enum { MOST = 64 }; /* of sooth_slowdown_row */
    const sooth_csv *csv = &b->file.csv;
    size_t column[EVENTS], units = column_of(b->args, b->path, csv, "units", "units", 1), n;
    float of_run[MOST * EVENTS];
    if (units == SOOTH_NONE) units = column_of(b->args, b->path, csv, "units", "sms", 1);
    if (units == SOOTH_NONE)
        die(BAD_USE, "%s has no column units or sms; name the column with --units", b->path);
    find_events(b, column);
    check_events(b, units, column);
    b->x = (float *)allocate(csv->rows, INPUTS * sizeof *b->x);
    for (size_t i = 0; i < csv->rows; i += n) {
        for (n = 0; i + n < csv->rows && b->run[at[i + n].row] == b->run[at[i].row]; ++n) {
            if (n == MOST)
                die(BAD_INPUT,
                    "%s: line %u: a run of more than 64 programs; name the column that identifies runs with "
                    "--run",
                    b->path, line_of(b, at[i + n].row));
            for (size_t k = 0; k < EVENTS; ++k)
                of_run[n * EVENTS + k] = csv->cell[at[i + n].row * csv->cols + column[k]];
        }
        for (size_t m = 0; m < n; ++m) {
            const size_t row = at[i + m].row;
            sooth_slowdown_row(of_run, (uint32_t)n, (uint32_t)m, csv->cell[row * csv->cols + units],
                               b->x + row * INPUTS);
        }
    }
}

/* Reads both slowdowns of a row if it has them: directly, or from three times (eq. 4). */
static void fill_slowdowns(job *b, int needed) {
    const sooth_csv *csv = &b->file.csv;
    static const char *const time_flag[3] = {"alone", "alone-here", "beside"};
    static const char *const time_name[3] = {"alone", "alone_here", "beside"};
    size_t part[2], time[3], times = 0;
    b->y = (float *)allocate(csv->rows, 2 * sizeof *b->y);
    part[0] = column_of(b->args, b->path, csv, "scal", targets[0], 1);
    part[1] = column_of(b->args, b->path, csv, "inter", targets[1], 1);
    for (size_t k = 0; k < 3; ++k) {
        time[k] = column_of(b->args, b->path, csv, time_flag[k], time_name[k], 1);
        times += time[k] < csv->cols;
    }
    const int parts = part[0] < csv->cols && part[1] < csv->cols;
    if (needed && !parts && times < 3)
        die(BAD_USE,
            "%s has neither the columns sd_scal and sd_inter nor alone, alone_here and beside; name them "
            "with --scal and --inter, or with --alone, --alone-here and --beside",
            b->path);
    for (size_t i = 0; i < csv->rows; ++i) {
        const float *row = csv->cell + i * csv->cols;
        float *y = b->y + 2 * i;
        y[0] = y[1] = (float)NAN;
        if (parts) {
            y[0] = row[part[0]];
            y[1] = row[part[1]];
        } else if (times == 3) {
            y[0] = row[time[1]] / row[time[0]];
            y[1] = row[time[2]] / row[time[1]];
            if (row[time[0]] <= 0.0f || row[time[1]] <= 0.0f) y[0] = -1.0f;
        }
        if (y[0] != y[0] || y[1] != y[1]) {
            y[0] = y[1] = (float)NAN;
            continue;
        }
        if (!(y[0] > 0.0f && y[1] > 0.0f && is_prediction(y[0]) && is_prediction(y[1])))
            die(BAD_INPUT,
                "%s: line %u: the slowdowns, or the times they come from, must be above 0 and finite",
                b->path, line_of(b, i));
        ++b->known;
    }
}

static void open_rows(job *b, const char *path, int needed) {
    char *bytes = read_file(path, NULL, &b->file.size);
    b->path = path;
    const sooth_csv_options options = names_given(b->args, "group run", "run");
    csv_read(b->env, path, bytes, b->file.size, &options, &b->file.csv);
    b->file.text = bytes;
    b->file.has_header = 1;
    b->group = column_of(b->args, path, &b->file.csv, "group", NULL, 0);
    if (b->group < b->file.csv.cols) b->program = names_in(&b->file.csv, b->group);
    place *at = find_runs(b);
    fill_inputs(b, at);
    free(at);
    fill_slowdowns(b, needed);
}

/* ---- fitting ---- */

static void read_options(const job *b, sooth_slowdown_options *options) {
    const sooth_option_list list = sooth_slowdown_options_list();
    for (size_t i = 0; i < b->args->givens; ++i) {
        char name[64];
        const char *equals, *set = b->args->value[i];
        if (strcmp(b->args->given[i]->name, "set") != 0) continue;
        equals = strchr(set, '=');
        if (!equals || equals == set) die(BAD_USE, "--set is \"%s\", but must be OPTION=VALUE", set);
        snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
        if (sooth_option_set_written(b->env, list, options, name, equals + 1) != SOOTH_OK)
            die(BAD_USE, "%s", b->env->sentence);
    }
}

/* Takes the training rows of a test: with slowdowns, and of no run with this program; group NaN: all rows. */
static size_t take_rows(const job *b, float group, float *x, float *y) {
    const sooth_csv *csv = &b->file.csv;
    unsigned char *with = (unsigned char *)allocate(csv->rows, 1); /* by the first row of the run */
    size_t n = 0;
    for (size_t i = 0; group == group && i < csv->rows; ++i)
        if (b->program[i] == group) with[b->run[i]] = 1;
    for (size_t i = 0; i < csv->rows; ++i) {
        if (b->y[2 * i] != b->y[2 * i] || with[b->run[i]]) continue;
        memcpy(x + n * INPUTS, b->x + i * INPUTS, INPUTS * sizeof *x);
        memcpy(y + 2 * n++, b->y + 2 * i, 2 * sizeof *y);
    }
    free(with);
    return n;
}

/* Fits to the rows of take_rows; returns NULL if there are too few. */
static sooth_model *fit_rows(const job *b, float group, const sooth_slowdown_options *options, float *x,
                             float *y, size_t *rows) {
    sooth_model *model = NULL;
    *rows = take_rows(b, group, x, y);
    if (*rows < 2) return NULL;
    sooth_table table = sooth_table_of(x, y, *rows, INPUTS);
    table.targets = 2;
    const sooth_status status = sooth_slowdown_fit(b->env, &table, options, NULL, &model);
    if (!model) die(status == SOOTH_BAD_ARGUMENT ? BAD_USE : BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    return model;
}

static double median_slowdown(const float *y, size_t rows) {
    double *sd = (double *)allocate(rows, sizeof *sd);
    for (size_t i = 0; i < rows; ++i) sd[i] = (double)y[2 * i] * (double)y[2 * i + 1];
    const double median = median_sorted(sd, rows);
    free(sd);
    return median;
}

/* Adds the errors on the rows of one program to u. */
static void test_program(const job *b, float group, const sooth_model *model, double median, unseen *u) {
    const sooth_csv *csv = &b->file.csv;
    double sum = 0.0;
    size_t n = 0, last = 0;
    for (size_t i = 0; i < csv->rows; ++i) {
        const float *y = b->y + 2 * i;
        const double truth = (double)y[0] * (double)y[1];
        float part[2];
        if (b->program[i] != group || y[0] != y[0]) continue;
        sum += fabs((double)sooth_slowdown_predict(model, b->x + i * INPUTS, part) - truth) / truth;
        u->median_error += fabs(median - truth) / truth;
        for (int k = 0; k < 2; ++k) u->part[k] += fabs((double)part[k] - (double)y[k]) / (double)y[k];
        last = i;
        ++n;
    }
    u->error += sum;
    u->rows += n;
    if (++u->programs > 1 && !(sum / (double)n > u->worst)) return;
    u->worst = sum / (double)n;
    u->worst_row = last;
}

/* Finds the first row with slowdowns of each program; returns their number. */
static size_t first_rows(const job *b, size_t *first) {
    const sooth_csv *csv = &b->file.csv;
    size_t n = 0;
    for (size_t i = 0; i < csv->rows; ++i) {
        const float group = b->program[i];
        size_t k = 0;
        if (group != group || b->y[2 * i] != b->y[2 * i]) continue;
        while (k < n && b->program[first[k]] != group) ++k;
        if (k == n) first[n++] = i;
    }
    return n;
}

/* Leaves out each program in turn, fitting to the runs without it. */
static void test_unseen(const job *b, const sooth_slowdown_options *options, float *x, float *y, unseen *u) {
    const sooth_csv *csv = &b->file.csv;
    int (*const shown)(void *, const char *, double) = b->env->progress_fn;
    size_t *first = (size_t *)allocate(csv->rows, sizeof *first), rows;
    const size_t programs = first_rows(b, first);
    memset(u, 0, sizeof *u);
    if (programs == 0) die(BAD_INPUT, "%s: no row with slowdowns has a program name", b->path);
    b->env->progress_fn = NULL; /* one bar for all programs */
    for (size_t k = 0; k < programs; ++k) {
        const float group = b->program[first[k]];
        progress_show("programs left out", (double)k / (double)programs);
        sooth_model *model = fit_rows(b, group, options, x, y, &rows);
        if (!model)
            die(BAD_INPUT, "%s: line %u: without the runs of this program there is nothing to fit to",
                b->path, line_of(b, first[k]));
        test_program(b, group, model, median_slowdown(y, rows), u);
        sooth_model_free(b->env, model);
    }
    progress_clear();
    free(first);
    b->env->progress_fn = shown;
    u->error /= (double)u->rows;
    u->median_error /= (double)u->rows;
    for (int k = 0; k < 2; ++k) u->part[k] /= (double)u->rows;
}

/* Names the inputs of the network for the card. */
static void inputs_of(const float *row, float in[INPUTS]) {
    in[0] = sooth_log(row[0]);
    for (size_t k = 1; k < INPUTS; ++k) in[k] = sooth_log(row[k] + 1e-3f);
}

static void widen(float range[2], float v, int first) {
    if (first || v < range[0]) range[0] = v;
    if (first || v > range[1]) range[1] = v;
}

/* Returns the network with a card: origin, ranges, scores. */
static sooth_model *model_of(const job *b, const sooth_model *network, const float *x, const float *y,
                             size_t rows, const unseen *u) {
    const sooth_score score = {"error of unseen programs", u ? u->error : 0.0};
    float range[2 * (INPUTS + 2)];
    sooth_model_card_content content;
    sooth_model_parts parts;
    sooth_model *model;
    sooth_model_card *card;
    for (size_t i = 0; i < rows; ++i) {
        float in[INPUTS];
        inputs_of(x + i * INPUTS, in);
        for (size_t k = 0; k < INPUTS; ++k) widen(range + 2 * k, in[k], i == 0);
        for (size_t k = 0; k < 2; ++k) widen(range + 2 * (INPUTS + k), y[2 * i + k], i == 0);
    }
    memset(&content, 0, sizeof content);
    content.features = INPUTS;
    content.targets = 2;
    content.feature_names = features;
    content.target_names = targets;
    content.range = range;
    content.rows = (uint32_t)rows;
    content.groups = u ? (uint32_t)u->programs : 0;
    content.score = &score;
    content.scores = u != NULL;
    content.note = "sooth slowdown: the kernel slowdown model of Themis (KSM)";
    memset(&parts, 0, sizeof parts);
    parts.predictor = &network->head;
    if (sooth_model_card_make(b->env, &content, &card) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    parts.card = card;
    if (sooth_model_assemble(b->env, &parts, &model) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    return model;
}

static const char *worst_name(const job *b, const unseen *u) {
    static char number[SOOTH_TEXT_NUMBER_SIZE];
    return printable(text_of_cell(&b->file.csv, u->worst_row, b->group, number));
}

static void print_fit(const job *b, const char *path, size_t rows, const unseen *u, FILE *to) {
    fprintf(to, "slowdowns from %s of %s\n", counted(rows, "row", "rows"), printable(b->path));
    if (b->file.csv.rows > rows)
        fprintf(to, "  neighbours  %s without slowdowns: used only as neighbours of others\n",
                counted(b->file.csv.rows - rows, "row", "rows"));
    if (u) {
        fprintf(to,
                "  unseen      off by %.1f %% for an unseen program (%s, %s; units alone %.1f %%, others "
                "%.1f %%)\n",
                100.0 * u->error, counted(u->programs, "program", "programs"),
                counted(u->rows, "row", "rows"), 100.0 * u->part[0], 100.0 * u->part[1]);
        fprintf(to, "  the worst   %s, %.1f %%\n", worst_name(b, u), 100.0 * u->worst);
        fprintf(to, "  the median  of the slowdowns would be off by %.1f %%%s\n", 100.0 * u->median_error,
                u->error < u->median_error ? "" : ": the model is not better");
    } else {
        fprintf(to, "  not tested; --group PROGRAM reports the error for unseen programs\n");
    }
    if (strcmp(path, "-") != 0) fprintf(to, "  written     %s\n", printable(path));
}

static void json_fit(const job *b, const char *path, size_t rows, const unseen *u, FILE *to) {
    json j;
    json_begin(&j, to);
    json_text(&j, "file", b->path);
    json_text(&j, "model", path);
    json_count(&j, "rows", rows);
    json_count(&j, "rows_without_slowdowns", b->file.csv.rows - rows);
    if (u) {
        json_open(&j, "unseen", '{');
        json_count(&j, "programs", u->programs);
        json_count(&j, "rows", u->rows);
        json_number(&j, "error", u->error);
        json_number(&j, "error_scal", u->part[0]);
        json_number(&j, "error_inter", u->part[1]);
        json_number(&j, "error_of_the_median", u->median_error);
        json_text(&j, "worst", worst_name(b, u));
        json_number(&j, "worst_error", u->worst);
        json_close(&j, '}');
    }
    json_end(&j);
}

static int run_fit(const arguments *args) {
    const char *path = arguments_text(args, "output");
    sooth_slowdown_options options;
    unseen u;
    FILE *file;
    size_t rows;
    job b;
    memset(&b, 0, sizeof b);
    memset(&options, 0, sizeof options);
    b.args = args;
    b.env = env_open(args);
    if (!path) die(BAD_USE, "-o FILE is missing: the file to write the model to");
    read_options(&b, &options);
    open_rows(&b, args->word[1], 1);
    if (b.known < 2)
        die(BAD_INPUT, "%s: %s with both slowdowns is not enough to fit a model to", b.path,
            counted(b.known, "row", "rows"));
    file = output_open(path, arguments_has(args, "force"), args->word + 1, 1);
    const int grouped = b.group < b.file.csv.cols;
    float *x = (float *)allocate(b.known, INPUTS * sizeof *x), *y = (float *)allocate(b.known, 2 * sizeof *y);
    if (grouped) test_unseen(&b, &options, x, y, &u);
    sooth_model *network = fit_rows(&b, (float)NAN, &options, x, y, &rows);
    progress_clear();
    sooth_model *model = model_of(&b, network, x, y, rows, grouped ? &u : NULL);
    void *bytes = allocate(model->head.size, 1);
    sooth_model_save(model, bytes);
    fwrite(bytes, 1, model->head.size, file);
    output_close();
    FILE *to = strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) json_fit(&b, path, rows, grouped ? &u : NULL, to);
    else print_fit(&b, path, rows, grouped ? &u : NULL, to);
    return finish();
}

/* ---- predicting ---- */

static void check_network(const char *path, const sooth_model *model) {
    sooth_model_parts parts;
    size_t k = 0;
    sooth_model_open(model, &parts);
    if (model->head.features == INPUTS && model->head.targets == 2 && parts.card && !parts.input &&
        !parts.target)
        while (k < INPUTS &&
               strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, k), features[k]) == 0)
            ++k;
    if (k < INPUTS || strncmp((const char *)parts.predictor, "SOTH", 4) != 0 ||
        !sooth_mlp_check(parts.predictor, parts.predictor->size))
        die(BAD_INPUT, "%s is a model, but not one of `sooth slowdown fit`", path);
}

static int run_predict(const arguments *args) {
    const char *path = arguments_text(args, "output"), **trust;
    size_t far_rows = 0;
    addition add[4];
    double error = 0.0;
    float *sd;
    job b;
    if (strcmp(args->word[1], "-") == 0 && strcmp(args->word[2], "-") == 0)
        die(BAD_USE, "the model and the table cannot both be -");
    memset(&b, 0, sizeof b);
    b.args = args;
    b.env = env_open(args);
    sooth_model *model = model_open(b.env, args->word[1], NULL);
    check_network(args->word[1], model);
    open_rows(&b, args->word[2], 0);
    const size_t rows = b.file.csv.rows;
    sd = (float *)allocate(rows, 3 * sizeof *sd);
    trust = (const char **)allocate(rows, sizeof *trust);
    for (size_t i = 0; i < rows; ++i) {
        float in[INPUTS];
        uint32_t feature;
        const float *y = b.y + 2 * i;
        sd[3 * i + 2] = sooth_slowdown_predict(model, b.x + i * INPUTS, sd + 3 * i);
        if (!is_prediction(sd[3 * i + 2]))
            die(BAD_INPUT, "%s: line %u: the model has no prediction for this row", b.path, line_of(&b, i));
        inputs_of(b.x + i * INPUTS, in);
        const uint32_t t = sooth_model_trust(model, in, &feature);
        trust[i] = trust_word(t);
        far_rows += t == SOOTH_MODEL_TRUST_OUTSIDE;
        if (y[0] == y[0]) error += fabs((double)sd[3 * i + 2] / ((double)y[0] * (double)y[1]) - 1.0);
    }
    memset(add, 0, sizeof add);
    for (size_t k = 0; k < 3; ++k) {
        add[k].stem = k < 2 ? targets[k] : "slowdown";
        add[k].number = sd + k;
        add[k].stride = 3;
    }
    add[3].stem = "trust";
    add[3].text = trust;
    add[3].stride = 1;
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), args->word + 1, 2);
    table_append(&b.file, b.path, add, 4, file);
    output_close();
    FILE *to = path && strcmp(path, "-") != 0 ? stdout : stderr;
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, to);
        json_text(&j, "file", b.path);
        json_count(&j, "rows", rows);
        json_count(&j, "outside", far_rows);
        json_count(&j, "measured", b.known);
        json_number(&j, "error", b.known ? error / (double)b.known : (double)NAN);
        json_end(&j);
        return finish();
    }
    fprintf(to, "slowdowns of %s of %s\n", counted(rows, "row", "rows"), printable(b.path));
    if (far_rows)
        fprintf(to, "  outside     %s outside of the training range\n", counted(far_rows, "row", "rows"));
    if (b.known)
        fprintf(to, "  measured    %s; off by %.1f %% there\n", counted(b.known, "row", "rows"),
                100.0 * error / (double)b.known);
    return finish();
}

static int run(const arguments *args) {
    static const char *const known[2] = {"fit", "predict"};
    const char *action = args->word[0];
    if (strcmp(action, "fit") == 0) {
        if (args->words != 2) die(BAD_USE, "usage: sooth slowdown fit RUNS.csv -o MODEL");
        return run_fit(args);
    }
    if (strcmp(action, "predict") != 0)
        die(BAD_USE, "%s is not one of fit, predict%s", action, did_you_mean(action, known, 2));
    if (args->words != 3) die(BAD_USE, "usage: sooth slowdown predict MODEL RUNS.csv");
    if (arguments_has(args, "set") || arguments_has(args, "group"))
        die(BAD_USE, "--set and --group do not apply to `sooth slowdown predict`");
    return run_predict(args);
}

const command slowdown_command = {
    .name = "slowdown",
    .summary = "predict how much slower a program runs next to others, from hardware events",
    .usage = "fit RUNS.csv -o MODEL [--group COLUMN]\n"
             "       sooth slowdown predict MODEL RUNS.csv [-o OUT.csv]",
    .least = 1,
    .most = 3,
    .text = "The table has a row for each program of each run: its number of multiprocessors, and eight "
            "events counted during the run.\n\n"
            "fit needs the two parts of the slowdown: by the number of units, and by the other programs. "
            "It also computes them from three times (the kernel slowdown model, KSM, of Themis: Zhao et "
            "al. 2019, section V). Rows without them, such as producers of pressure, count as neighbours.\n\n"
            "predict adds both parts, their product and its trust to a table, for any number of "
            "neighbours. trust is inside, edge or outside of the training range.",
    .example = "sooth slowdown fit runs.csv --group program -o ksm.sooth\n"
               "  sooth slowdown predict ksm.sooth now.csv -o predicted.csv",
    .flags = flags,
    .run = run};
