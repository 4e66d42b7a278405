/* settings.c - sooth next SPACE.csv: which settings of a kernel to try, without a model (gpu/settings.h).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "../../gpu/settings.h"

#include <math.h>

/* Measurements of the settings of the space in one file. */
typedef struct told {
    const char *path;
    uint32_t *row; /* of the space */
    float *time;   /* NaN: failed */
    size_t runs, failed, elsewhere;
    size_t filled; /* settings that trees predicted */
} told;

/* A row and its knobs. */
typedef struct place {
    const float *knob;
    size_t knobs, row;
} place;

typedef struct job {
    sooth_env *env;
    const char *path, *target;
    sooth_csv csv;
    size_t *column, knobs;
    float *x;
    place *place; /* rows of the space in the order of their knobs */
    sooth_table space;
    told measured, *other;
    size_t others;
    float *prior;
    uint32_t *next;
    size_t count;
} job;

/* Finds the knobs: the columns that --features names, or all except the target. */
static void find_knobs(const arguments *args, job *b) {
    const sooth_csv *csv = &b->csv;
    if (arguments_has(args, "features")) {
        size_t count;
        char **name = columns_named(args, "features", csv, &count);
        const char **known;
        b->column = (size_t *)allocate(count, sizeof *b->column);
        for (b->knobs = 0; b->knobs < count; ++b->knobs) {
            b->column[b->knobs] = sooth_csv_find(csv, name[b->knobs]);
            if (b->column[b->knobs] < csv->cols) continue;
            const size_t n = column_names(csv, &known);
            die(BAD_INPUT, "%s has no column %s%s", b->path, printable(name[b->knobs]),
                did_you_mean(name[b->knobs], known, n));
        }
    } else {
        const size_t target = sooth_csv_find(csv, b->target);
        b->column = (size_t *)allocate(csv->cols, sizeof *b->column);
        for (size_t j = 0; j < csv->cols; ++j)
            if (j != target) b->column[b->knobs++] = j;
    }
    if (!b->knobs)
        die(BAD_INPUT, "%s has no knobs: it needs a column for each, in addition to %s", b->path, b->target);
}

/* Reads the knobs of every row of a file; its columns are found by their names in the space. */
static float *knobs_of(const job *b, const char *path, const sooth_csv *csv) {
    float *x = (float *)allocate(csv->rows * b->knobs, sizeof *x);
    for (size_t k = 0; k < b->knobs; ++k) {
        const sooth_csv_column *knob = &b->csv.column[b->column[k]];
        const size_t j = csv == &b->csv ? b->column[k] : sooth_csv_find(csv, knob->name);
        if (j == SOOTH_NONE)
            die(BAD_INPUT,
                "%s has no column %s, a knob of %s: name the knobs that all files share with --features",
                path, printable(knob->name), b->path);
        if (csv->column[j].is_text)
            die(BAD_INPUT, "%s: column %s holds text, but a knob is a number: name the knobs with --features",
                path, printable(knob->name));
        if (strcmp(csv->column[j].unit, knob->unit) != 0)
            die(BAD_INPUT, "%s has %s in [%s], %s in [%s]: the same settings must have the same numbers",
                path, printable(knob->name), csv->column[j].unit, b->path, knob->unit);
        for (size_t i = 0; i < csv->rows; ++i) {
            const float v = x[i * b->knobs + k] = csv->cell[i * csv->cols + j];
            if (!is_prediction(v))
                die(BAD_INPUT, "%s: line %u: %s is not a number", path, (unsigned)csv->line[i],
                    printable(knob->name));
        }
    }
    return x;
}

static int by_knobs(const void *left, const void *right) {
    const place *a = (const place *)left, *b = (const place *)right;
    for (size_t k = 0; k < a->knobs; ++k)
        if (a->knob[k] < b->knob[k] || a->knob[k] > b->knob[k]) return a->knob[k] < b->knob[k] ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void sort_rows(job *b) {
    b->place = (place *)allocate(b->csv.rows, sizeof *b->place);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        const place row = {b->x + i * b->knobs, b->knobs, i};
        b->place[i] = row;
    }
    qsort(b->place, b->csv.rows, sizeof *b->place, by_knobs);
}

/* Returns the row of the space with these knobs: the first from `from` on, else the first; the number of rows
   if there is none. */
static size_t row_of(const job *b, const float *knob, size_t from) {
    place wanted = {knob, b->knobs, from};
    for (int again = 0; again < 2; ++again, wanted.row = 0) {
        size_t low = 0, high = b->csv.rows;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (by_knobs(&b->place[middle], &wanted) < 0) low = middle + 1;
            else high = middle;
        }
        if (low == b->csv.rows) continue;
        wanted.row = b->place[low].row;
        if (by_knobs(&b->place[low], &wanted) == 0) return wanted.row;
    }
    return b->csv.rows;
}

static void read_told(const job *b, const char *path, told *t) {
    const char **known;
    sooth_csv csv;
    csv_open(b->env, path, NULL, &csv);
    const size_t target = sooth_csv_find(&csv, b->target);
    if (target == SOOTH_NONE) {
        const size_t n = column_names(&csv, &known);
        die(BAD_INPUT, "%s has no column %s, the measurement of each setting%s", path, printable(b->target),
            did_you_mean(b->target, known, n));
    }
    if (csv.column[target].is_text) column_is_text(path, &csv, target);
    float *x = knobs_of(b, path, &csv);
    t->path = path;
    t->row = (uint32_t *)allocate(csv.rows, sizeof *t->row);
    t->time = (float *)allocate(csv.rows, sizeof *t->time);
    for (size_t i = 0, at = 0; i < csv.rows; ++i) {
        const float y = csv.cell[i * csv.cols + target];
        if (!isnan(y) && !(y > 0.0f && is_prediction(y)))
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be above 0, or empty if the setting failed", path,
                (unsigned)csv.line[i], printable(b->target), shortest(y));
        const size_t row = row_of(b, x + i * b->knobs, at < b->csv.rows ? at : 0);
        at = row < b->csv.rows ? row + 1 : at;
        if (row == b->csv.rows) {
            ++t->elsewhere;
            continue;
        }
        t->failed += isnan(y);
        t->row[t->runs] = (uint32_t)row;
        t->time[t->runs++] = y;
    }
    if (csv.rows && !t->runs)
        die(BAD_INPUT, "%s has no setting of %s: are its knobs the same, in the same units?", path, b->path);
    free(x);
    sooth_csv_free(b->env, &csv);
}

/* Fills in the measurement of every setting on another GPU; trees predict the missing ones. */
static void fill_prior(const job *b, told *t, float *prior) {
    unsigned char *seen = (unsigned char *)allocate(b->csv.rows, 1);
    const settings_known there = {&b->space, NULL, 0, t->row, t->time, t->runs, 0};
    t->filled = b->csv.rows;
    for (size_t i = 0; i < t->runs; ++i) {
        if (seen[t->row[i]]++)
            die(BAD_INPUT, "%s has the setting of row %u of %s twice: every GPU needs its own file", t->path,
                (unsigned)t->row[i], b->path);
        --t->filled;
        prior[t->row[i]] = t->time[i];
    }
    if (t->runs == t->failed) die(BAD_INPUT, "%s has no setting that ran, so it cannot help", t->path);
    if (t->filled && settings_fill(b->env, &there, prior) != SOOTH_OK) die_of(SOOTH_BAD_DATA, b->env);
    free(seen);
}

static void print_summary(const job *b, FILE *to) {
    grid g;
    fprintf(to, "%s of %s to try next, after %s, of which %zu failed\n",
            counted(b->count, "setting", "settings"), counted(b->csv.rows, "candidate", "candidates"),
            counted(b->measured.runs, "run", "runs"), b->measured.failed);
    for (size_t o = 0; o < b->others; ++o) {
        const told *t = &b->other[o];
        fprintf(to, "  prior %s: %s, of which %zu failed", printable(t->path),
                counted(t->runs, "setting", "settings"), t->failed);
        if (t->filled) fprintf(to, "; trees predict the other %zu", t->filled);
        if (t->elsewhere) fprintf(to, "; %zu not in %s", t->elsewhere, b->path);
        fprintf(to, "\n");
    }
    if (b->measured.elsewhere)
        fprintf(to, "  %s: %s not in %s, and ignored\n", printable(b->measured.path),
                counted(b->measured.elsewhere, "run is", "runs are"), b->path);
    grid_init(&g, 2 + b->knobs, 0);
    grid_add(&g, "row");
    grid_add(&g, "line");
    for (size_t k = 0; k < b->knobs; ++k) grid_add(&g, "%s", printable(b->csv.column[b->column[k]].name));
    for (size_t i = 0; i < b->count; ++i) {
        grid_add(&g, "%u", (unsigned)b->next[i]);
        grid_add(&g, "%u", (unsigned)b->csv.line[b->next[i]]);
        for (size_t k = 0; k < b->knobs; ++k) grid_add(&g, "%s", shortest(b->x[b->next[i] * b->knobs + k]));
    }
    grid_print(&g, to, "  ");
}

static void print_json(const job *b) {
    json j;
    json_begin(&j, stdout);
    json_text(&j, "file", b->path);
    json_text(&j, "target", b->target);
    json_count(&j, "candidates", b->csv.rows);
    json_count(&j, "measured", b->measured.runs);
    json_count(&j, "failed", b->measured.failed);
    json_open(&j, "prior", '[');
    for (size_t o = 0; o < b->others; ++o) {
        json_open(&j, NULL, '{');
        json_text(&j, "file", b->other[o].path);
        json_count(&j, "measured", b->other[o].runs);
        json_count(&j, "failed", b->other[o].failed);
        json_count(&j, "filled", b->other[o].filled);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "next", '[');
    for (size_t i = 0; i < b->count; ++i) {
        json_open(&j, NULL, '{');
        json_count(&j, "row", b->next[i]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

static void choose(job *b) {
    const settings_known known = {&b->space,        b->prior,         b->others, b->measured.row,
                                  b->measured.time, b->measured.runs, 0};
    b->next = (uint32_t *)allocate(b->count, sizeof *b->next);
    if (settings_next(b->env, &known, b->next, &b->count) != SOOTH_OK) die_of(SOOTH_BAD_DATA, b->env);
}

int next_settings(const arguments *args) {
    const char *to = arguments_text(args, "output"), *measured = arguments_text(args, "measured");
    const int as_json = arguments_has(args, "json");
    FILE *file = NULL;
    job b;
    memset(&b, 0, sizeof b);
    b.path = args->word[0];
    b.target = arguments_text(args, "target");
    if (!b.target)
        die(BAD_USE, "name the column to minimise with --target, or give a model and its candidates");
    if (arguments_has(args, "cost")) die(BAD_USE, "--cost needs a model and its candidates");
    b.env = env_open(args);
    b.count = arguments_count(args, "count", 1, 1, 1000000);
    char **other = arguments_list(args, "prior", &b.others);
    if (b.others > 16) die(BAD_USE, "--prior names %zu files, but the maximum is 16", b.others);
    csv_open(b.env, b.path, NULL, &b.csv);
    if (!b.csv.rows) die(BAD_INPUT, "%s has no rows", b.path);
    if (b.count > b.csv.rows)
        die(BAD_USE, "--count is %zu, but %s has %s", b.count, b.path, counted(b.csv.rows, "row", "rows"));
    find_knobs(args, &b);
    b.x = knobs_of(&b, b.path, &b.csv);
    b.space = sooth_table_of(b.x, NULL, b.csv.rows, b.knobs);
    sort_rows(&b);
    if (measured) read_told(&b, measured, &b.measured);
    if (b.others) {
        b.other = (told *)allocate(b.others, sizeof *b.other);
        b.prior = (float *)allocate(b.others * b.csv.rows, sizeof *b.prior);
    }
    for (size_t o = 0; o < b.others; ++o) {
        read_told(&b, other[o], &b.other[o]);
        fill_prior(&b, &b.other[o], b.prior + o * b.csv.rows);
    }
    choose(&b);
    const char **inputs = (const char **)allocate(2 + b.others, sizeof *inputs);
    size_t n = 0;
    inputs[n++] = b.path;
    if (measured) inputs[n++] = measured;
    for (size_t o = 0; o < b.others; ++o) inputs[n++] = other[o];
    if (to || !as_json) {
        file = output_open(to ? to : "-", arguments_has(args, "force"), inputs, n);
        fprintf(file, "row\n");
        for (size_t i = 0; i < b.count; ++i) fprintf(file, "%u\n", (unsigned)b.next[i]);
        output_close();
    }
    if (as_json) print_json(&b);
    else print_summary(&b, to && strcmp(to, "-") != 0 ? stdout : stderr);
    return finish();
}
