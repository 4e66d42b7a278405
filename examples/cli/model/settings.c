/* settings.c - sooth next SPACE.csv: which settings of a kernel to try, without a model (gpu/settings.h).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "../../gpu/settings.h"

#include <math.h>

/* A value of a knob: the text of its cells. */
typedef struct level {
    char *text;
    double number; /* NaN: it is none */
    float x;       /* for the trees */
} level;

/* A knob of the space, and its levels in the order of their texts. */
typedef struct knob {
    size_t column;
    level *level;
    uint32_t levels;
} knob;

/* Measurements of the settings of the space in one file. */
typedef struct told {
    const char *path;
    uint32_t *row; /* of the space */
    float *time;   /* NaN: failed */
    size_t runs, failed, elsewhere;
    size_t filled;   /* settings that trees predicted */
    char spelt[400]; /* a number that the space writes in another way; "": none */
} told;

/* A row and the levels of its knobs. */
typedef struct place {
    const uint32_t *level;
    size_t knobs, row;
} place;

typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *path, *target;
    sooth_csv csv;
    knob *knob;
    size_t knobs;
    uint32_t *level; /* rows x knobs */
    float *x;
    place *place; /* rows of the space in the order of their levels */
    sooth_table space;
    told measured, *other;
    size_t others;
    float *prior;
    uint32_t *next;
    size_t count;
} job;

/* ---- knobs ---- */

/* Finds the knobs: the columns that --features names, or all except the target. */
static void find_knobs(job *b) {
    const sooth_csv *csv = &b->csv;
    if (arguments_has(b->args, "features")) {
        size_t count;
        char **name = columns_named(b->args, "features", csv, &count);
        const char **known;
        b->knob = (knob *)allocate(count, sizeof *b->knob);
        for (b->knobs = 0; b->knobs < count; ++b->knobs) {
            b->knob[b->knobs].column = sooth_csv_find(csv, name[b->knobs]);
            if (b->knob[b->knobs].column < csv->cols) continue;
            const size_t n = column_names(csv, &known);
            die(BAD_INPUT, "%s has no column %s%s", b->path, printable(name[b->knobs]),
                did_you_mean(name[b->knobs], known, n));
        }
    } else {
        const size_t target = sooth_csv_find(csv, b->target);
        b->knob = (knob *)allocate(csv->cols, sizeof *b->knob);
        for (size_t j = 0; j < csv->cols; ++j)
            if (j != target) b->knob[b->knobs++].column = j;
    }
    if (!b->knobs)
        die(BAD_INPUT, "%s has no knobs: it needs a column for each, in addition to %s", b->path, b->target);
}

/* Reads a file whose knobs are texts. Returns their columns, found by their names in the space. */
static size_t *read_knobs(job *b, const char *path, sooth_csv *csv) {
    const sooth_csv_options plain = {.no_rows = 0};
    size_t size;
    char *bytes = read_file(path, NULL, &size);
    csv_read(b->env, path, bytes, size, &plain, csv);
    if (csv == &b->csv) find_knobs(b);
    size_t *column = (size_t *)allocate(b->knobs, sizeof *column);
    for (size_t k = 0; k < b->knobs; ++k) {
        const sooth_csv_column *in = &b->csv.column[b->knob[k].column];
        const size_t j = column[k] = csv == &b->csv ? b->knob[k].column : sooth_csv_find(csv, in->name);
        if (j == SOOTH_NONE)
            die(BAD_INPUT,
                "%s has no column %s, a knob of %s: name the knobs that all files share with --features",
                path, printable(in->name), b->path);
        if (strcmp(csv->column[j].unit, in->unit) != 0)
            die(BAD_INPUT, "%s has %s in [%s], %s in [%s]: the same settings must have the same numbers",
                path, printable(in->name), csv->column[j].unit, b->path, in->unit);
    }
    csv_name(b->env, path, bytes, size, &plain, column, b->knobs, csv);
    free(bytes);
    return column;
}

/* Returns the text of a cell as the file has it; dies if the cell is empty. */
static const char *text_of(const char *path, const sooth_csv *csv, size_t row, size_t column,
                           char number[SOOTH_TEXT_NUMBER_SIZE]) {
    const char *text = text_of_cell(csv, row, column, number);
    if (!text)
        die(BAD_INPUT, "%s: line %u: %s is missing, but every knob needs a value", path,
            (unsigned)csv->line[row], printable(csv->column[column].name));
    for (char *c = number; text == number && *c; ++c)
        if (*c == '.') *c = csv->decimal;
    return text;
}

/* Returns the text of a cell by which files are compared: with a decimal point, if it is a number. */
static const char *key_of(const char *path, const sooth_csv *csv, size_t row, size_t column, char key[256]) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *text = text_of(path, csv, row, column, number);
    const size_t size = strlen(text) + 1;
    if (csv->column[column].is_text || size > 256) return text;
    memcpy(key, text, size);
    for (char *c = key; *c; ++c)
        if (*c == csv->decimal) *c = '.';
    return key;
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const level *)a)->text, ((const level *)b)->text);
}

static int is_text(const void *key, const void *b) {
    return strcmp((const char *)key, ((const level *)b)->text);
}

static int by_number(const void *a, const void *b) {
    const level *x = *(const level *const *)a, *y = *(const level *const *)b;
    if (isnan(x->number) != isnan(y->number)) return isnan(x->number) ? 1 : -1;
    if (x->number < y->number || x->number > y->number) return x->number < y->number ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Numbers the levels by their order unless floats hold the numbers of all of them. */
static void number_levels(knob *k) {
    level **order = (level **)allocate(k->levels, sizeof *order);
    uint32_t same = 0;
    for (uint32_t i = 0; i < k->levels; ++i) order[i] = &k->level[i];
    qsort(order, k->levels, sizeof *order, by_number);
    for (uint32_t i = 0; i < k->levels; ++i)
        same += !is_prediction(order[i]->x) || (i && !(order[i]->x > order[i - 1]->x));
    for (uint32_t i = 0; same && i < k->levels; ++i) order[i]->x = (float)i;
    free(order);
}

/* Finds the levels of a knob in the space. */
static void find_levels(const job *b, knob *k) {
    const sooth_csv *csv = &b->csv;
    level *all = (level *)allocate(csv->rows, sizeof *all);
    uint32_t n = 0;
    for (size_t i = 0; i < csv->rows; ++i) {
        char room[256];
        const char *key = key_of(b->path, csv, i, k->column, room);
        const size_t length = strlen(key);
        const float cell = csv->cell[i * csv->cols + k->column];
        level *l = &all[i];
        l->text = strcpy((char *)allocate(length + 1, 1), key);
        l->x = csv->column[k->column].is_text ? (float)NAN : cell;
        if (sooth_text_to_double(key, length, &l->number) != length) l->number = (double)l->x;
    }
    qsort(all, csv->rows, sizeof *all, by_text);
    for (size_t i = 0; i < csv->rows; ++i)
        if (n == 0 || strcmp(all[i].text, all[n - 1].text) != 0) all[n++] = all[i];
        else free(all[i].text);
    k->level = (level *)memcpy(allocate(n, sizeof *all), all, n * sizeof *all);
    k->levels = n;
    free(all);
    number_levels(k);
}

/* Keeps a knob of a run whose number is in the space, but not in this spelling. */
static void find_spelt(const job *b, const sooth_csv *csv, size_t row, const knob *k, const char *key,
                       told *t) {
    const size_t length = strlen(key);
    double number;
    if (*t->spelt || sooth_text_to_double(key, length, &number) != length) return;
    for (uint32_t i = 0; i < k->levels && !*t->spelt; ++i)
        if (!(k->level[i].number < number) && !(k->level[i].number > number) && !isnan(k->level[i].number))
            snprintf(t->spelt, sizeof t->spelt, "; line %u has %s %.40s, but %.100s has %.40s",
                     (unsigned)csv->line[row], printable(b->csv.column[k->column].name), printable(key),
                     printable(b->path), printable(k->level[i].text));
}

/* Returns the levels of the knobs of every row of a file; UINT32_MAX: the space lacks it. */
static uint32_t *levels_of(const job *b, const char *path, const sooth_csv *csv, const size_t *column,
                           told *t) {
    uint32_t *found = (uint32_t *)allocate(csv->rows * b->knobs, sizeof *found);
    for (size_t i = 0; i < csv->rows; ++i)
        for (size_t j = 0; j < b->knobs; ++j) {
            const knob *k = &b->knob[j];
            char room[256];
            const char *key = key_of(path, csv, i, column[j], room);
            const level *at = (const level *)bsearch(key, k->level, k->levels, sizeof *k->level, is_text);
            found[i * b->knobs + j] = at ? (uint32_t)(at - k->level) : UINT32_MAX;
            if (!at && t) find_spelt(b, csv, i, k, key, t);
        }
    return found;
}

/* Reads the space and its settings. */
static void read_space(job *b) {
    size_t *column = read_knobs(b, b->path, &b->csv);
    for (size_t k = 0; k < b->knobs; ++k) find_levels(b, &b->knob[k]);
    b->level = levels_of(b, b->path, &b->csv, column, NULL);
    b->x = (float *)allocate(b->csv.rows * b->knobs, sizeof *b->x);
    for (size_t i = 0; i < b->csv.rows * b->knobs; ++i) b->x[i] = b->knob[i % b->knobs].level[b->level[i]].x;
    b->space = sooth_table_of(b->x, NULL, b->csv.rows, b->knobs);
    free(column);
}

static int by_levels(const void *left, const void *right) {
    const place *a = (const place *)left, *b = (const place *)right;
    for (size_t k = 0; k < a->knobs; ++k)
        if (a->level[k] != b->level[k]) return a->level[k] < b->level[k] ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* ---- measurements ---- */

static void sort_rows(job *b) {
    b->place = (place *)allocate(b->csv.rows, sizeof *b->place);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        const place row = {b->level + i * b->knobs, b->knobs, i};
        b->place[i] = row;
    }
    qsort(b->place, b->csv.rows, sizeof *b->place, by_levels);
}

/* Returns the row of the space with these levels: the first from `from` on, else the first; the number of
   rows if there is none. */
static size_t row_of(const job *b, const uint32_t *levels, size_t from) {
    place wanted = {levels, b->knobs, from};
    for (int again = 0; again < 2; ++again, wanted.row = 0) {
        size_t low = 0, high = b->csv.rows;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (by_levels(&b->place[middle], &wanted) < 0) low = middle + 1;
            else high = middle;
        }
        if (low == b->csv.rows) continue;
        wanted.row = b->place[low].row;
        if (by_levels(&b->place[low], &wanted) == 0) return wanted.row;
    }
    return b->csv.rows;
}

static void read_told(job *b, const char *path, told *t) {
    const char **known;
    sooth_csv csv;
    size_t *column = read_knobs(b, path, &csv);
    const size_t target = sooth_csv_find(&csv, b->target);
    if (target == SOOTH_NONE) {
        const size_t n = column_names(&csv, &known);
        die(BAD_INPUT, "%s has no column %s, the measurement of each setting%s", path, printable(b->target),
            did_you_mean(b->target, known, n));
    }
    if (csv.column[target].is_text) column_is_text(path, &csv, target);
    uint32_t *levels = levels_of(b, path, &csv, column, t);
    t->path = path;
    t->row = (uint32_t *)allocate(csv.rows, sizeof *t->row);
    t->time = (float *)allocate(csv.rows, sizeof *t->time);
    for (size_t i = 0, at = 0; i < csv.rows; ++i) {
        const float y = csv.cell[i * csv.cols + target];
        if (!isnan(y) && !(y > 0.0f && is_prediction(y)))
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be above 0, or empty if the setting failed", path,
                (unsigned)csv.line[i], printable(b->target), shortest(y));
        const size_t row = row_of(b, levels + i * b->knobs, at < b->csv.rows ? at : 0);
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
        die(BAD_INPUT, "%s has no setting of %s: are its knobs the same, in the same units?%s", path, b->path,
            t->spelt);
    free(levels);
    free(column);
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
        if (t->elsewhere) fprintf(to, "; %zu not in %s%s", t->elsewhere, b->path, t->spelt);
        fprintf(to, "\n");
    }
    if (b->measured.elsewhere)
        fprintf(to, "  %s: %s not in %s, and ignored%s\n", printable(b->measured.path),
                counted(b->measured.elsewhere, "run is", "runs are"), b->path, b->measured.spelt);
    grid_init(&g, 2 + b->knobs, 0);
    grid_add(&g, "row");
    grid_add(&g, "line");
    for (size_t k = 0; k < b->knobs; ++k)
        grid_add(&g, "%s", printable(b->csv.column[b->knob[k].column].name));
    for (size_t i = 0; i < b->count; ++i) {
        grid_add(&g, "%u", (unsigned)b->next[i]);
        grid_add(&g, "%u", (unsigned)b->csv.line[b->next[i]]);
        for (size_t k = 0; k < b->knobs; ++k) {
            char number[SOOTH_TEXT_NUMBER_SIZE];
            grid_add(&g, "%s", printable(text_of(b->path, &b->csv, b->next[i], b->knob[k].column, number)));
        }
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
    b.args = args;
    b.path = args->word[0];
    b.target = arguments_text(args, "target");
    if (!b.target)
        die(BAD_USE, "name the column to minimise with --target, or give a model and its candidates");
    if (arguments_has(args, "cost")) die(BAD_USE, "--cost needs a model and its candidates");
    b.env = env_open(args);
    b.count = arguments_count(args, "count", 1, 1, 1000000);
    char **other = arguments_list(args, "prior", &b.others);
    if (b.others > 16) die(BAD_USE, "--prior names %zu files, but the maximum is 16", b.others);
    read_space(&b);
    if (b.count > b.csv.rows)
        die(BAD_USE, "--count is %zu, but %s has %s", b.count, b.path, counted(b.csv.rows, "row", "rows"));
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
