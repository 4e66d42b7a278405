/* slowdown.c - sooth slowdown: how much slower a program runs next to others, from counted events.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The kernel slowdown model (KSM) of Themis (Zhao et al. 2019, section V); see sooth/slowdown.h. A table has
 * a row for every program of every run; rows of one run shared the device. The model file is a network, or a
 * model of another kind, with a card. Its features are the logarithms that sooth/slowdown.h computes, under
 * the same names.
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
     "fit: column that names the program of a row. Tests the model on the runs of programs that are in no "
     "run "
     "of the training data",
     0},
    {"model", 'm', "KIND",
     "fit: a kind of model in place of the network, such as extratrees or best. --group reports the error of "
     "the network, too",
     0},
    {"set", 's', "OPTION=VALUE",
     "fit: epochs, copies, no_copies, as_published, seed, jitter, lambda_norm. With --model: options of the "
     "kind (sooth help KIND), copies, no_copies, jitter",
     1},
    {"transform", 'x', "LIST",
     "fit: with --model, as for `sooth fit`. Default: see `sooth help KIND`, log-target", 1},
    THREADS_FLAG,
    {"output", 'o', "FILE", "fit: the model. predict: the table. Default standard output", 0},
    FORCE_FLAG,
    JSON_FLAG,
    LAST_FLAG};

/* By SOOTH_SLOWDOWN_IPC and so on. */
static const char *const events[EVENTS] = {"ipc",      "l1d_access", "l1d_miss", "l1c_access",
                                           "l1c_miss", "l2_access",  "l2_miss",  "bandwidth"};
static const char *const features[INPUTS + 1] = {"ln(units)",
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
                                                 "ln(others' bandwidth + 0.001)",
                                                 "0: by units, 1: by others"}; /* if there is one target */
static const char *const targets[2] = {"sd_scal", "sd_inter"};
static const char *const target[1] = {"part of the slowdown"};

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
    sooth_slowdown_options options;
    const char *kind; /* --model; NULL: the network */
    sooth_train_recipe recipe;
    data described; /* what recipe.c and best.c need to know */
    float *fit_x, *fit_y;
    uint32_t *fit_group;
} job;

enum { MOST_SETS = 60 };

/* The errors of a model on programs never seen. */
typedef struct errors {
    double error, part[2]; /* of the product, and of its parts */
    double worst;          /* of a program, */
    size_t worst_row;      /* a row of this program */
} errors;

typedef struct unseen {
    size_t programs, rows;
    size_t sets, tested,
        most;            /* sets of programs that ran together; those left out; programs of the largest */
    errors of[2];        /* the network; the kind */
    double median_error; /* of the median of the training slowdowns */
} unseen;

enum { NETWORK, KIND };

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

#define NOBODY UINT32_MAX /* a row without a program, or of one without slowdowns */

/* True for --set of an option that also applies to other kinds than the network. */
static int is_of_copies(const char *set) {
    static const char *const names[] = {"copies=", "no_copies=", "jitter="};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strncmp(set, names[i], strlen(names[i])) == 0) return 1;
    return 0;
}

static void read_options(job *b) {
    const sooth_option_list list = sooth_slowdown_options_list();
    for (size_t i = 0; i < b->args->givens; ++i) {
        char name[64];
        const char *equals, *set = b->args->value[i];
        if (strcmp(b->args->given[i]->name, "set") != 0) continue;
        equals = strchr(set, '=');
        if (!equals || equals == set) die(BAD_USE, "--set is \"%s\", but must be OPTION=VALUE", set);
        if (b->kind && !is_of_copies(set) && strncmp(set, "seed=", 5) != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
        if (sooth_option_set_written(b->env, list, &b->options, name, equals + 1) != SOOTH_OK)
            die(BAD_USE, "%s", b->env->sentence);
    }
}

/* Dies unless every --set names an option of the kind or of the copies. */
static void check_sets(const job *b) {
    char *const names[] = {(char *)(uintptr_t)b->kind};
    arguments *rest = (arguments *)allocate(1, sizeof *rest);
    *rest = *b->args;
    rest->givens = 0;
    for (size_t i = 0; i < b->args->givens; ++i) {
        if (strcmp(b->args->given[i]->name, "set") == 0 && is_of_copies(b->args->value[i])) continue;
        rest->given[rest->givens] = b->args->given[i];
        rest->value[rest->givens++] = b->args->value[i];
    }
    recipe_check_sets(rest, names, 1);
    free(rest);
}

/* Reads --model, --set and --transform as `sooth fit` does. */
static void read_recipe(job *b) {
    static const char *none[2] = {"", ""};
    data *d = &b->described;
    d->path = b->path;
    d->table = sooth_table_of(b->x, b->y, 0, INPUTS); /* slowdowns are above 0 */
    d->table.targets = 2;
    d->target = (const char **)(uintptr_t)targets;
    d->target_unit = none;
    d->group = arguments_text(b->args, "group");
    recipe_read(b->env, b->args, b->kind, d, &b->recipe);
    b->recipe.no_card = 1;
    b->recipe.seen = NULL;
}

/* Takes the training rows: with slowdowns, and of no run with one of the programs that are marked; left_out
   NULL: all rows. */
static size_t take_rows(const job *b, const uint32_t *number, const unsigned char *left_out) {
    const sooth_csv *csv = &b->file.csv;
    unsigned char *with = (unsigned char *)allocate(csv->rows, 1); /* by the first row of the run */
    size_t n = 0;
    for (size_t i = 0; left_out && i < csv->rows; ++i)
        if (number[i] != NOBODY && left_out[number[i]]) with[b->run[i]] = 1;
    for (size_t i = 0; i < csv->rows; ++i) {
        if (b->y[2 * i] != b->y[2 * i] || with[b->run[i]]) continue;
        memcpy(b->fit_x + n * INPUTS, b->x + i * INPUTS, INPUTS * sizeof *b->x);
        b->fit_group[n] = number ? number[i] : 0;
        memcpy(b->fit_y + 2 * n++, b->y + 2 * i, 2 * sizeof *b->y);
    }
    free(with);
    return n;
}

/* Fits a model to the first rows of those taken. which: NETWORK or KIND. */
static sooth_model *fit_rows(const job *b, int which, size_t rows) {
    sooth_model *model = NULL;
    sooth_table table = sooth_table_of(b->fit_x, b->fit_y, rows, INPUTS);
    const sooth_slowdown_options plain = {.seed = b->options.seed};
    table.targets = 2;
    table.names = features;
    if (b->program) table.group = b->fit_group;
    const sooth_status status =
        sooth_slowdown_fit(b->env, &table, b->kind && which == NETWORK ? &plain : &b->options,
                           which == KIND ? &b->recipe : NULL, &model);
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

/* Numbers the programs that have slowdowns, per row; returns how many there are. */
static size_t number_programs(const job *b, uint32_t *number) {
    const size_t rows = b->file.csv.rows;
    float *name = (float *)allocate(rows, sizeof *name);
    size_t n = 0, k;
    for (size_t i = 0; i < rows; ++i) {
        const float p = b->program[i];
        if (p != p || b->y[2 * i] != b->y[2 * i]) continue;
        for (k = 0; k < n && (name[k] < p || name[k] > p);) ++k;
        if (k == n) name[n++] = p;
    }
    for (size_t i = 0; i < rows; ++i) {
        for (k = 0; k < n && !(name[k] >= b->program[i] && name[k] <= b->program[i]);) ++k;
        number[i] = k < n ? (uint32_t)k : NOBODY;
    }
    free(name);
    return n;
}

/* Marks the programs of the run of a row. */
static size_t mark_run(const job *b, const uint32_t *number, size_t row, unsigned char *mark,
                       size_t programs) {
    size_t n = 0;
    memset(mark, 0, programs);
    for (size_t i = 0; i < b->file.csv.rows; ++i) {
        if (b->run[i] != b->run[row] || number[i] == NOBODY || mark[number[i]]) continue;
        mark[number[i]] = 1;
        ++n;
    }
    return n;
}

/* The sets of programs that ran together. */
typedef struct sets {
    uint32_t *number; /* per row: its program */
    size_t programs, count, most;
    unsigned char *mark; /* count x programs */
    uint32_t *of;        /* per row: its set; NOBODY: not tested */
} sets;

static void find_sets(const job *b, sets *s) {
    const size_t rows = b->file.csv.rows;
    memset(s, 0, sizeof *s);
    s->number = (uint32_t *)allocate(rows, sizeof *s->number);
    s->of = (uint32_t *)allocate(rows, sizeof *s->of);
    s->programs = number_programs(b, s->number);
    if (s->programs == 0) die(BAD_INPUT, "%s: no row with slowdowns has a program name", b->path);
    const size_t size = s->programs;
    unsigned char *run = (unsigned char *)allocate(size, 1);
    size_t room = 0;
    for (size_t i = 0; i < rows; ++i) {
        size_t k = 0;
        s->of[i] = NOBODY;
        if (s->number[i] == NOBODY || b->y[2 * i] != b->y[2 * i]) continue;
        const size_t n = mark_run(b, s->number, i, run, size);
        while (k < s->count && memcmp(s->mark + k * size, run, size) != 0) ++k;
        s->of[i] = (uint32_t)k;
        if (k < s->count) continue;
        if (s->count == room) {
            unsigned char *more = (unsigned char *)allocate(room = 2 * room + 16, size);
            if (s->count) memcpy(more, s->mark, s->count * size);
            free(s->mark);
            s->mark = more;
        }
        memcpy(s->mark + s->count++ * size, run, size);
        if (n > s->most) s->most = n;
    }
    free(run);
}

/* Adds the errors on the rows of set k to e. sum, rows: of each program. */
static void test_set(const job *b, const sets *s, size_t k, const sooth_model *model, errors *e,
                     double *sum) {
    for (size_t i = 0; i < b->file.csv.rows; ++i) {
        const float *y = b->y + 2 * i;
        const double truth = (double)y[0] * (double)y[1];
        float part[2];
        if (s->of[i] != k) continue;
        const double off =
            fabs((double)sooth_slowdown_predict(model, b->x + i * INPUTS, part) - truth) / truth;
        e->error += off;
        sum[s->number[i]] += off;
        for (int t = 0; t < 2; ++t) e->part[t] += fabs((double)part[t] - (double)y[t]) / (double)y[t];
    }
}

/* Makes means of the sums of the errors, and finds the worst program. */
static void mean_errors(const sets *s, const size_t *rows, const double *sum, size_t all, errors *e) {
    e->error /= (double)all;
    for (int k = 0; k < 2; ++k) e->part[k] /= (double)all;
    e->worst = -1.0;
    for (size_t p = 0; p < s->programs; ++p) {
        if (!rows[p] || !(sum[p] / (double)rows[p] > e->worst)) continue;
        e->worst = sum[p] / (double)rows[p];
        for (e->worst_row = 0; s->number[e->worst_row] != p;) ++e->worst_row;
    }
}

/* Leaves out the programs of each run, fitting to the runs without any of them. More than MOST_SETS such sets
   are thinned out evenly. Sets without which nothing is left are not tested. */
static void test_unseen(const job *b, const sets *s, unseen *u) {
    int (*const shown)(void *, const char *, double) = b->env->progress_fn;
    double *sum = (double *)allocate(2 * s->programs, sizeof *sum);
    size_t *rows = (size_t *)allocate(s->programs, sizeof *rows), n;
    memset(u, 0, sizeof *u);
    u->sets = s->count;
    u->most = s->most;
    b->env->progress_fn = NULL; /* one bar for all programs */
    for (size_t k = 0; k < s->count; ++k) {
        if (s->count > MOST_SETS && k * MOST_SETS / s->count == (k + 1) * MOST_SETS / s->count) continue;
        progress_show("programs left out", (double)k / (double)s->count);
        if ((n = take_rows(b, s->number, s->mark + k * s->programs)) < 2) continue;
        const double median = median_slowdown(b->fit_y, n);
        for (int which = NETWORK; which <= (b->kind ? KIND : NETWORK); ++which) {
            sooth_model *model = fit_rows(b, which, n);
            test_set(b, s, k, model, &u->of[which], sum + (size_t)which * s->programs);
            sooth_model_free(b->env, model);
        }
        ++u->tested;
        for (size_t i = 0; i < b->file.csv.rows; ++i) {
            const double truth = (double)b->y[2 * i] * (double)b->y[2 * i + 1];
            if (s->of[i] != k) continue;
            u->median_error += fabs(median - truth) / truth;
            u->programs += rows[s->number[i]]++ == 0;
            ++u->rows;
        }
    }
    progress_clear();
    b->env->progress_fn = shown;
    if (!u->rows) {
        for (n = 0; s->of[n] == NOBODY;) ++n;
        die(BAD_INPUT, "%s: line %u: without the runs of this program there is nothing to fit to", b->path,
            line_of(b, n));
    }
    u->median_error /= (double)u->rows;
    for (int which = NETWORK; which <= (b->kind ? KIND : NETWORK); ++which)
        mean_errors(s, rows, sum + (size_t)which * s->programs, u->rows, &u->of[which]);
    free(rows);
    free(sum);
}

/* True if the file gets a model of the kind: best gives way to a network that is better on unseen ones. */
static int takes_kind(const job *b, const unseen *u) {
    if (!b->kind) return 0;
    return !u || strcmp(b->recipe.model, "best") != 0 || u->of[KIND].error < u->of[NETWORK].error;
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
    const sooth_score score = {"error of unseen programs", u ? u->of[takes_kind(b, u)].error : 0.0};
    const size_t inputs = network->head.features, outputs = network->head.targets;
    float range[2 * (INPUTS + 2)];
    sooth_model_card_content content;
    sooth_model_parts parts;
    sooth_model *model;
    sooth_model_card *card;
    for (size_t i = 0; i < rows; ++i) {
        float in[INPUTS];
        inputs_of(x + i * INPUTS, in);
        for (size_t k = 0; k < INPUTS; ++k) widen(range + 2 * k, in[k], i == 0);
        for (size_t k = 0; k < 2; ++k)
            widen(range + 2 * (inputs + k % outputs), y[2 * i + k], i == 0 && k < outputs);
    }
    if (inputs > INPUTS) range[2 * INPUTS] = 0.0f, range[2 * INPUTS + 1] = 1.0f;
    memset(&content, 0, sizeof content);
    content.features = (uint32_t)inputs;
    content.targets = (uint32_t)outputs;
    content.feature_names = features;
    content.target_names = outputs == 2 ? targets : target;
    content.range = range;
    content.rows = (uint32_t)rows;
    content.groups = u ? (uint32_t)u->programs : 0;
    content.score = &score;
    content.scores = u != NULL;
    content.note = takes_kind(b, u) ? "sooth slowdown: in place of the network of Themis"
                                    : "sooth slowdown: the kernel slowdown model of Themis (KSM)";
    sooth_model_open(network, &parts);
    if (sooth_model_card_make(b->env, &content, &card) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    parts.card = card;
    if (sooth_model_assemble(b->env, &parts, &model) != SOOTH_OK) die(BAD_INPUT, "%s", b->env->sentence);
    return model;
}

static const char *worst_name(const job *b, const errors *e) {
    static char number[SOOTH_TEXT_NUMBER_SIZE];
    return printable(text_of_cell(&b->file.csv, e->worst_row, b->group, number));
}

/* Prints which of the kind and the two rules, the network and the median, has the lowest error. */
static void print_verdict(const job *b, const unseen *u, FILE *to) {
    const double network = u->of[NETWORK].error, kind = u->of[KIND].error;
    const int is_median = u->median_error < network;
    const double rule = is_median ? u->median_error : network;
    const char *name = is_median ? "the median" : "the network";
    if (kind < rule)
        fprintf(to, "  verdict     %s, %.1f %%; the best rule, %s, has %.1f %%\n", b->kind, 100.0 * kind,
                name, 100.0 * rule);
    else
        fprintf(to, "  verdict     %s is not better than the best rule, %s: %.1f %%, but %.1f %%%s\n",
                b->kind, name, 100.0 * kind, 100.0 * rule,
                is_median          ? ""
                : takes_kind(b, u) ? ". Without --model the network is fitted"
                                   : ". The file holds the network");
}

static void print_fit(const job *b, const char *path, size_t rows, const unseen *u, FILE *to) {
    fprintf(to, "slowdowns from %s of %s\n", counted(rows, "row", "rows"), printable(b->path));
    if (b->file.csv.rows > rows)
        fprintf(to, "  neighbours  %s without slowdowns: used only as neighbours of others\n",
                counted(b->file.csv.rows - rows, "row", "rows"));
    if (u) {
        const errors *e = &u->of[b->kind ? KIND : NETWORK];
        fprintf(to, "  unseen      off by %.1f %% for %s (%s, %s; units alone %.1f %%, others %.1f %%)\n",
                100.0 * e->error, u->most > 1 ? "runs of unseen programs" : "an unseen program",
                counted(u->programs, "program", "programs"), counted(u->rows, "row", "rows"),
                100.0 * e->part[0], 100.0 * e->part[1]);
        if (u->tested < u->sets)
            fprintf(to, "  left out    %zu of the %zu sets of programs that ran together\n", u->tested,
                    u->sets);
        fprintf(to, "  the worst   %s, %.1f %%\n", worst_name(b, e), 100.0 * e->worst);
        if (b->kind)
            fprintf(to, "  the network of Themis would be off by %.1f %%\n", 100.0 * u->of[NETWORK].error);
        fprintf(to, "  the median  of the slowdowns would be off by %.1f %%%s\n", 100.0 * u->median_error,
                e->error < u->median_error ? "" : ": the model is not better");
        if (b->kind) print_verdict(b, u, to);
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
    json_text(&j, "kind", takes_kind(b, u) ? b->kind : "network");
    json_count(&j, "rows", rows);
    json_count(&j, "rows_without_slowdowns", b->file.csv.rows - rows);
    if (u) {
        const errors *e = &u->of[b->kind ? KIND : NETWORK];
        json_open(&j, "unseen", '{');
        json_count(&j, "programs", u->programs);
        json_count(&j, "rows", u->rows);
        json_count(&j, "sets", u->sets);
        json_count(&j, "sets_left_out", u->tested);
        json_number(&j, "error", e->error);
        json_number(&j, "error_scal", e->part[0]);
        json_number(&j, "error_inter", e->part[1]);
        json_number(&j, "error_of_the_network", u->of[NETWORK].error);
        json_number(&j, "error_of_the_median", u->median_error);
        json_text(&j, "worst", worst_name(b, e));
        json_number(&j, "worst_error", e->worst);
        json_close(&j, '}');
    }
    json_end(&j);
}

static void read_fit(job *b, const arguments *args) {
    b->args = args;
    b->env = env_open(args);
    b->kind = arguments_text(args, "model");
    if (!arguments_text(args, "output")) die(BAD_USE, "-o FILE is missing: the file to write the model to");
    if (!b->kind && arguments_has(args, "transform")) die(BAD_USE, "--transform needs --model");
    if (b->kind) check_sets(b);
    read_options(b);
    open_rows(b, args->word[1], 1);
    if (b->kind) read_recipe(b);
    if (b->known < 2)
        die(BAD_INPUT, "%s: %s with both slowdowns is not enough to fit a model to", b->path,
            counted(b->known, "row", "rows"));
    b->fit_x = (float *)allocate(b->known, INPUTS * sizeof *b->fit_x);
    b->fit_y = (float *)allocate(b->known, 2 * sizeof *b->fit_y);
    b->fit_group = (uint32_t *)allocate(b->known, sizeof *b->fit_group);
}

static int run_fit(const arguments *args) {
    const char *path = arguments_text(args, "output");
    unseen tested, *u = NULL;
    sets s;
    job b;
    memset(&b, 0, sizeof b);
    memset(&s, 0, sizeof s);
    read_fit(&b, args);
    FILE *file = output_open(path, arguments_has(args, "force"), args->word + 1, 1);
    if (b.program) {
        find_sets(&b, &s);
        test_unseen(&b, &s, &tested);
        u = &tested;
    }
    const size_t rows = take_rows(&b, s.number, NULL);
    sooth_model *fitted = fit_rows(&b, takes_kind(&b, u), rows);
    progress_clear();
    sooth_model *model = model_of(&b, fitted, b.fit_x, b.fit_y, rows, u);
    void *bytes = allocate(model->head.size, 1);
    sooth_model_save(model, bytes);
    fwrite(bytes, 1, model->head.size, file);
    output_close();
    FILE *to = strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) json_fit(&b, path, rows, u, to);
    else print_fit(&b, path, rows, u, to);
    return finish();
}

/* ---- predicting ---- */

static void check_model(const char *path, const sooth_model *model) {
    sooth_model_parts parts;
    size_t k = 0;
    const size_t inputs = model->head.features;
    sooth_model_open(model, &parts);
    if (model->head.targets <= 2 && inputs == INPUTS + 2 - model->head.targets && parts.card)
        while (k < inputs &&
               strcmp(sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, k), features[k]) == 0)
            ++k;
    if (k < INPUTS || k < inputs) die(BAD_INPUT, "%s is a model, but not one of `sooth slowdown fit`", path);
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
    check_model(args->word[1], model);
    open_rows(&b, args->word[2], 0);
    const size_t rows = b.file.csv.rows;
    sd = (float *)allocate(rows, 3 * sizeof *sd);
    trust = (const char **)allocate(rows, sizeof *trust);
    for (size_t i = 0; i < rows; ++i) {
        float in[INPUTS + 1] = {0.0f};
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
    table_append(b.env, &b.file, b.path, add, 4, file);
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
    if (arguments_has(args, "set") || arguments_has(args, "group") || arguments_has(args, "model") ||
        arguments_has(args, "transform"))
        die(BAD_USE, "--model, --set, --transform and --group do not apply to `sooth slowdown predict`");
    return run_predict(args);
}

const command slowdown_command = {
    .name = "slowdown",
    .summary = "predict how much slower a program runs next to others, from hardware events",
    .usage = "fit RUNS.csv -o MODEL [--group COLUMN]\n"
             "       sooth slowdown predict MODEL RUNS.csv [-o OUT.csv]",
    .least = 1,
    .most = 3,
    .text =
        "The table has a row for each program of each run: its number of multiprocessors, and eight "
        "events counted during the run.\n\n"
        "fit needs the two parts of the slowdown: by the number of units, and by the other programs. "
        "It also computes them from three times (the kernel slowdown model, KSM, of Themis: Zhao et "
        "al. 2019, section V). Rows without them, such as producers of pressure, count as neighbours.\n\n"
        "--model fits another kind, or a preset, in place of the network. --group leaves out all programs "
        "of a run that have slowdowns, and predicts the run from the runs without any of them. The verdict "
        "names the best rule, the network or the median of the slowdowns, and its error. --model best "
        "writes the network if nothing beats it there; it takes a minute or more for each set of programs, "
        "less with --set effort=low.\n\n"
        "predict adds both parts, their product and its trust to a table, for any number of "
        "neighbours. trust is inside, edge or outside of the training range.",
    .example = "sooth slowdown fit runs.csv --group program -o ksm.sooth\n"
               "  sooth slowdown predict ksm.sooth now.csv -o predicted.csv",
    .flags = flags,
    .run = run};
