/* data.c - the roles of the columns of a CSV file: features, target, group, weight; errors and notes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "instant.h"
#include "table.h"

#include <math.h>

static void read_once(sooth_env *env, const char *path, const char *bytes, size_t size,
                      const sooth_csv_options *options, sooth_csv *csv) {
    const sooth_status status = sooth_csv_read(env, bytes, size, options, csv);
    if (status != SOOTH_OK)
        die(BAD_INPUT, "%s: %s%s", path, env->sentence,
            status == SOOTH_NO_MEMORY ? "; `sooth fit --memory` reads it in parts" : "");
    progress_clear();
}

void csv_name(sooth_env *env, const char *path, const char *bytes, size_t size,
              const sooth_csv_options *options, const size_t *column, size_t count, sooth_csv *csv) {
    sooth_csv_options again = *options;
    const char **name = (const char **)allocate(csv->cols, sizeof *name);
    size_t missing = 0;
    for (size_t k = 0; k < count; ++k) {
        sooth_csv_column *c = column[k] < csv->cols ? &csv->column[column[k]] : NULL;
        if (!c || c->is_text || c->is_name || !c->vague_line) continue;
        c->is_name = 1;
        ++missing;
    }
    again.name_count = 0;
    for (size_t j = 0; missing && j < csv->cols; ++j) {
        if (!csv->column[j].is_name) continue;
        const char *header = csv->column[j].header;
        name[again.name_count++] = strcpy((char *)allocate(strlen(header) + 1, 1), header);
    }
    again.names = name;
    if (missing) {
        sooth_csv_free(env, csv);
        read_once(env, path, bytes, size, &again, csv);
    }
    for (size_t j = 0; j < again.name_count; ++j) free((char *)(uintptr_t)name[j]);
    free(name);
}

void csv_read_any(sooth_env *env, const char *path, const char *bytes, size_t size,
                  const sooth_csv_options *options, sooth_csv *csv) {
    const char *format = binary_format(bytes, size);
    sooth_csv_options plain;
    memset(&plain, 0, sizeof plain);
    if (options) plain = *options;
    const char *const *names = plain.names;
    const size_t count = plain.name_count;
    size_t most = 1, n = 0, pieces;
    plain.names = NULL;
    plain.name_count = 0;
    if (format) die(BAD_INPUT, "%s is not CSV but %s", path, format);
    read_once(env, path, bytes, size, &plain, csv);
    for (size_t i = 0; i < count; ++i) most += strlen(names[i]) + 2;
    size_t *column = (size_t *)allocate(most, sizeof *column);
    for (size_t i = 0; i < count; ++i) {
        column[n] = sooth_csv_find(csv, names[i]);
        if (column[n++] < csv->cols) continue;
        char **piece = split_list(names[i], &pieces);
        for (size_t k = 0; k < pieces; ++k) column[n++] = sooth_csv_find(csv, piece[k]);
        free(piece);
    }
    csv_name(env, path, bytes, size, &plain, column, n, csv);
    free(column);
}

void csv_read(sooth_env *env, const char *path, const char *bytes, size_t size,
              const sooth_csv_options *options, sooth_csv *csv) {
    csv_read_any(env, path, bytes, size, options, csv);
    header_note(path, csv);
}

void header_note(const char *path, const sooth_csv *csv) {
    if (csv->numeric_header)
        fprintf(stderr,
                "%s: line %zu is taken as the header, but has only numbers; if it is a row, write a line of "
                "names above it\n",
                path, csv->header_line);
    if (csv->rival_line > csv->header_line)
        fprintf(
            stderr,
            "%s: line %zu is taken as the header and line %zu, which begins with # too, as a row; if line "
            "%zu is the header, put a blank after the # of line %zu\n",
            path, csv->header_line, csv->rival_line, csv->rival_line, csv->header_line);
    else if (csv->rival_line)
        fprintf(
            stderr,
            "%s: line %zu is taken as the header and line %zu, which begins with #, as a comment; if line "
            "%zu is the header, remove its #\n",
            path, csv->header_line, csv->rival_line, csv->rival_line);
}

void csv_open(sooth_env *env, const char *path, const sooth_csv_options *options, sooth_csv *csv) {
    size_t size;
    char *bytes = read_file_by(env, path, NULL, &size);
    csv_read(env, path, bytes, size, options, csv);
    free(bytes);
}

/* Returns "threads, size, ...", as many names as fit. */
static const char *column_list(const sooth_csv *csv) {
    static char list[160];
    size_t at = 0;
    for (size_t j = 0; j < csv->cols && at < sizeof list - 1; ++j)
        at += (size_t)snprintf(list + at, sizeof list - at, j ? ", %s" : "%s", listed(csv->column[j].name));
    if (at >= sizeof list) memcpy(list + sizeof list - 4, "...", 4);
    return list;
}

/* Returns the index of a column; dies if the file has none of this name. */
static size_t need_column(const data *d, const char *name, const char *flag_name) {
    size_t j = sooth_csv_find(&d->csv, name);
    const char **known;
    if (j < d->csv.cols) return j;
    size_t n = column_names(&d->csv, &known);
    if (nearest(name, known, n))
        die(BAD_INPUT, "%s has no column %s for --%s%s", d->path, name, flag_name,
            did_you_mean(name, known, n));
    die(BAD_INPUT, "%s has no column %s for --%s; it has %s", d->path, name, flag_name, column_list(&d->csv));
}

/* Returns the columns that --flag names; dies if one is missing. */
static char **need_columns(const data *d, const arguments *args, const char *flag_name, int numbers,
                           size_t *count) {
    char **list = columns_named(args, flag_name, &d->csv, count);
    for (size_t i = 0; i < *count; ++i) {
        size_t j = need_column(d, list[i], flag_name);
        if (numbers && d->csv.column[j].is_text) column_is_text(d->path, &d->csv, j);
    }
    return list;
}

/* Returns true if the command has this flag. */
static int has_flag(const arguments *args, const char *name) {
    const flag *f = args->command->flags;
    while (f->name && strcmp(f->name, name) != 0) ++f;
    return f->name != NULL;
}

/* Reads the file, extended by the columns of --derive. Returns its bytes. */
static char *open_table(sooth_env *env, const arguments *args, data *d, size_t *length) {
    const sooth_csv_options options = names_given(args, "group categorical", "");
    size_t size;
    char *bytes = read_file_by(env, d->path, NULL, &size);
    csv_read(env, d->path, bytes, size, &options, &d->csv);
    derive_read(args, d->path, &d->csv, &d->made);
    if (d->made.count) {
        const size_t short_rows = d->csv.short_rows, first_short = d->csv.first_short;
        char *more = derive_bytes(&d->made, bytes, size, &size);
        sooth_csv_free(env, &d->csv);
        csv_read(env, d->path, more, size, &options, &d->csv);
        d->csv.short_rows = short_rows;
        d->csv.first_short = first_short;
        free(bytes);
        bytes = more;
    }
    digits_find(env, d->path, &d->csv, bytes, size, NULL, 0, &d->digits);
    *length = size;
    return bytes;
}

/* Counts a column of the table from the middle of its numbers if floats merge them. */
static void centre_column(data *d, size_t column, float *to, size_t stride, double *zero) {
    const digits_column *c = digits_of(&d->digits, column);
    if (!c || c->centred <= c->floats) return;
    for (size_t i = 0; i < d->chosen.table.rows; ++i)
        to[i * stride] = (float)d->digits.value[d->chosen.row[i] * d->digits.stride + c->at];
    *zero = c->zero;
    d->digits.used = 1;
}

/* Counts the columns with these roles from other numbers than 0 where necessary. */
static void centre_columns(data *d, int centre) {
    const size_t cols = d->chosen.table.cols, targets = d->chosen.table.targets;
    float *x = (float *)(uintptr_t)d->chosen.table.x, *y = (float *)(uintptr_t)d->chosen.table.y;
    d->zero = (double *)allocate(cols + targets, sizeof *d->zero);
    for (size_t j = 0; j < cols && (centre & CENTRE_FEATURES); ++j)
        if (!(d->chosen.categorical && d->chosen.categorical[j]))
            centre_column(d, d->chosen.column[j], x + j, d->chosen.table.stride, &d->zero[j]);
    for (size_t t = 0; t < targets && (centre & CENTRE_TARGETS); ++t)
        centre_column(d, d->chosen.targets[t], y + t, targets, &d->zero[cols + t]);
    if (d->digits.used) return;
    free(d->zero);
    d->zero = NULL;
}

double target_zero(const data *d, size_t t) { return d->zero ? d->zero[d->table.cols + t] : 0.0; }

char **with_derived(const data *d, char **features, size_t *count, const sooth_csv_table_options *choice) {
    char **all = (char **)allocate(*count + d->made.count, sizeof *all);
    size_t i, n = *count;
    if (n == 0) return features; /* all numeric columns are features, derived ones included */
    memcpy(all, features, n * sizeof *all);
    for (size_t k = 0; k < d->made.count; ++k) {
        const char *name = d->made.column[k].name;
        const char *const *more = choice->more_targets;
        int taken = (choice->target && strcmp(name, choice->target) == 0) ||
                    (choice->group && strcmp(name, choice->group) == 0) ||
                    (choice->weight && strcmp(name, choice->weight) == 0);
        for (i = 0; i < choice->more_target_count; ++i) taken |= strcmp(name, more[i]) == 0;
        for (i = 0; i < *count; ++i) taken |= strcmp(name, features[i]) == 0;
        if (!taken) all[n++] = d->made.column[k].name;
    }
    *count = n;
    return all;
}

static int is_listed(char **list, size_t count, const char *name) {
    for (size_t i = 0; i < count; ++i)
        if (strcmp(list[i], name) == 0) return 1;
    return 0;
}

/* Stores the named features, and the categories: those that --categorical names, and features of text. */
static void choose_features(const data *d, const arguments *args, sooth_csv_table_options *choice) {
    const int takes = has_flag(args, "categorical");
    size_t named;
    char **features = need_columns(d, args, "features", !takes, &choice->feature_count);
    features = with_derived(d, features, &choice->feature_count, choice);
    char **list = takes ? need_columns(d, args, "categorical", 0, &named) : NULL;
    const char **all;
    choice->features = (const char *const *)features;
    if (!takes) return;
    all = (const char **)allocate(named + choice->feature_count, sizeof *all);
    for (size_t i = 0; i < named; ++i) all[choice->categorical_count++] = list[i];
    for (size_t i = 0; i < choice->feature_count; ++i)
        if (d->csv.column[sooth_csv_find(&d->csv, features[i])].is_text) {
            const size_t j = sooth_csv_find(&d->csv, features[i]);
            if (*d->csv.column[j].form && !is_listed(list, named, features[i]))
                column_is_text(d->path, &d->csv, j); /* dates and mixed units are hardly names */
            all[choice->categorical_count++] = features[i];
        }
    choice->categorical = all;
}

void levels_failed(const char *path, sooth_status status, const sooth_env *env) {
    const char *size = strstr(env->sentence, "_bytes is "); /* max_bytes, levels_bytes */
    if (status == SOOTH_BAD_ARGUMENT && size) die(BAD_USE, "%s: --levels%s", path, strchr(size, ' '));
    die(BAD_INPUT, "%s: %s", path, env->sentence);
}

/* Builds the dictionary of the categories, and replaces their values in the table by codes. */
static void find_levels(sooth_env *env, const arguments *args, data *d) {
    const size_t cols = d->table.cols;
    sooth_levels_options options = {.max_bytes = arguments_count(args, "levels", 0, 1, INT32_MAX)};
    float *codes = (float *)allocate(d->table.rows, cols * sizeof *codes);
    const sooth_status status =
        sooth_levels_fit(env, &d->table, d->chosen.categorical, d->chosen.text, &options, codes, &d->levels);
    if (status != SOOTH_OK) levels_failed(d->path, status, env);
    d->table.x = codes;
    d->table.stride = cols;
    d->table.categorical = d->chosen.categorical;
}

static void drop_missing(sooth_env *env, data *d) {
    uint32_t *keep = (uint32_t *)allocate(d->table.rows, sizeof *keep);
    size_t j, n = 0;
    sooth_table whole = d->table;
    for (size_t i = 0; i < whole.rows; ++i) {
        for (j = 0; j < whole.cols && whole.x[i * whole.stride + j] == whole.x[i * whole.stride + j]; ++j)
            continue;
        if (j < whole.cols) continue;
        d->line[n] = d->line[i];
        d->row[n] = d->row[i];
        keep[n++] = (uint32_t)i;
    }
    if (n == 0) die(BAD_INPUT, "%s: every row has a missing feature; leave columns out with --drop", d->path);
    d->dropped_missing = whole.rows - n;
    if (d->dropped_missing && sooth_table_take(env, &whole, keep, n, &d->table) != SOOTH_OK)
        die(BAD_INPUT, "%s", env->sentence);
    free(keep);
}

/* Reads the columns that --group names; their name is "a" or "a or b". */
static void name_groups(const arguments *args, data *d) {
    char **list = columns_named(args, "group", &d->csv, &d->group_columns), *text;
    size_t room = 1, at = 0;
    d->group_column = (size_t *)allocate(d->group_columns + 1, sizeof *d->group_column);
    for (size_t k = 0; k < d->group_columns; ++k) {
        d->group_column[k] = need_column(d, list[k], "group");
        for (size_t i = 0; i < k; ++i)
            if (d->group_column[i] == d->group_column[k])
                die(BAD_USE, "--group names the column %s twice", list[k]);
        room += strlen(list[k]) + 4;
    }
    if (!d->group_columns) return;
    d->group = text = (char *)allocate(room, 1);
    for (size_t k = 0; k < d->group_columns; ++k)
        at += (size_t)snprintf(text + at, room - at, "%s%s", k ? " or " : "", list[k]);
}

/* The name of a group, and its position in the bags. */
typedef struct member {
    const char *name;
    size_t at;
} member;

static int by_name(const void *a, const void *b) {
    const member *x = (const member *)a, *y = (const member *)b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b) {
    return (((const member *)a)->at > ((const member *)b)->at) -
           (((const member *)a)->at < ((const member *)b)->at);
}

/* With several columns of groups, a row belongs to each group that they name. The same name in several
   columns is the same group; an empty cell names none. Groups are numbered by first appearance. */
static void fill_bags(data *d) {
    const size_t rows = d->table.rows, cols = d->group_columns;
    member *all = (member *)allocate(rows * cols, sizeof *all);
    uint32_t *offset = (uint32_t *)allocate(rows + 1, sizeof *offset);
    uint32_t *id = (uint32_t *)allocate(rows * cols, sizeof *id), *first;
    char number[SOOTH_TEXT_NUMBER_SIZE];
    size_t n = 0, kept = 0, of_row;
    for (size_t i = 0; i < rows; ++i)
        for (size_t k = 0; k < cols; ++k) {
            const char *name = text_of_cell(&d->csv, d->row[i], d->group_column[k], number);
            if (!name) continue;
            all[n].name = name == number ? strcpy((char *)allocate(strlen(name) + 1, 1), name) : name;
            all[n++].at = i * cols + k;
        }
    qsort(all, n, sizeof *all, by_name);
    first = (uint32_t *)allocate(rows * cols, sizeof *first); /* per cell: its group, in the order of names */
    for (size_t i = 0, g = 0; i < n; ++i) {
        g += i > 0 && strcmp(all[i].name, all[i - 1].name) != 0;
        first[all[i].at] = (uint32_t)g;
    }
    qsort(all, n, sizeof *all, by_place);
    uint32_t *number_of = (uint32_t *)allocate(n + 1, sizeof *number_of);
    d->group_name = (const char **)allocate(n + 1, sizeof *d->group_name);
    d->groups = 0;
    for (size_t i = 0, m = 0; i < rows; ++i) {
        for (of_row = kept; m < n && all[m].at / cols == i; ++m) {
            uint32_t *group = &number_of[first[all[m].at]];
            size_t k = of_row;
            if (!*group) {
                d->group_name[d->groups] = all[m].name;
                *group = ++d->groups;
            }
            while (k < kept && id[k] != *group - 1) ++k;
            if (k == kept) id[kept++] = *group - 1; /* a program next to itself counts once */
        }
        offset[i + 1] = (uint32_t)kept;
    }
    free(number_of);
    free(first);
    free(all);
    d->bags.offset = offset;
    d->bags.id = id;
    d->bags.rows = rows;
}

/* Returns the number of groups in the table. */
static uint32_t count_groups(const data *d) {
    unsigned char *seen = (unsigned char *)allocate(d->chosen.groups, 1);
    uint32_t n = 0;
    for (size_t i = 0; d->table.group && i < d->table.rows; ++i) {
        n += !seen[d->table.group[i]];
        seen[d->table.group[i]] = 1;
    }
    free(seen);
    return n;
}

/* Dies if no model can learn from the table. */
static void check_table(const data *d, const arguments *args, const char *bytes, size_t size) {
    const int takes_names = has_flag(args, "categorical");
    const sooth_table *t = &d->table;
    size_t i, j;
    for (i = 0; i < t->rows; ++i) {
        for (j = 0; j < t->targets; ++j)
            if (isinf(t->y[i * t->targets + j]))
                die(BAD_INPUT, "%s: line %u: %s is infinite: \"%.60s\"; empty the cell to leave the row out",
                    d->path, (unsigned)d->line[i], d->target[j],
                    printable(cell_in_file(bytes, size, &d->csv, d->row[i], d->chosen.targets[j])));
        for (j = 0; j < t->cols; ++j)
            if (isinf(t->x[i * t->stride + j]))
                cell_is_infinite(d->path, bytes, size, &d->csv, d->row[i], d->chosen.column[j], takes_names);
        if (t->weight && !(t->weight[i] >= 0.0f && !isinf(t->weight[i])))
            die(BAD_INPUT, "%s: line %u: the weight is %g, but must be finite and not negative", d->path,
                (unsigned)d->line[i], (double)t->weight[i]);
    }
    if (t->rows == 1)
        die(BAD_INPUT, "%s: one row with %s is not enough to fit a model to", d->path, d->target[0]);
    for (j = 0; j < t->targets; ++j) {
        const digits_column *merged = digits_of(&d->digits, d->chosen.targets[j]);
        for (i = 1; i < t->rows && t->y[i * t->targets + j] == t->y[j]; ++i) continue;
        if (i == t->rows && merged)
            die(BAD_INPUT,
                "%s: the %zu different values of %s are one as floats; subtract a number near %s from them",
                d->path, merged->numbers, d->target[j], shortest(t->y[j]));
        if (i == t->rows)
            die(BAD_INPUT, "%s: %s is %s in all %zu rows; there is nothing to predict", d->path, d->target[j],
                shortest(t->y[j]), t->rows);
    }
}

/* Excludes the columns of groups after the first from the features. */
static void leave_out_groups(const data *d, sooth_csv_table_options *choice) {
    const char **drop;
    if (d->group_columns < 2) return;
    drop = (const char **)allocate(choice->drop_count + d->group_columns, sizeof *drop);
    for (size_t i = 0; i < choice->drop_count; ++i) drop[i] = choice->drop[i];
    for (size_t k = 1; k < d->group_columns; ++k)
        drop[choice->drop_count++] = d->csv.column[d->group_column[k]].header;
    choice->drop = drop;
}

/* Excludes the column of times from the features unless --features names it. */
static void leave_out_time(const data *d, sooth_csv_table_options *choice) {
    const char **drop = (const char **)allocate(choice->drop_count + 1, sizeof *drop);
    const size_t column = need_column(d, d->time_name, "time");
    for (size_t i = 0; i < choice->feature_count; ++i)
        if (sooth_csv_find(&d->csv, choice->features[i]) == column) return;
    for (size_t i = 0; i < choice->drop_count; ++i) drop[i] = choice->drop[i];
    drop[choice->drop_count++] = d->csv.column[column].header;
    choice->drop = drop;
}

/* Returns the time of a cell: a number, or the seconds of a date in UTC; NaN if it is neither. */
static double time_of_cell(const char *text, float fallback, instant_form form, char why[INSTANT_SENTENCE]) {
    instant at;
    double value;
    const size_t size = strlen(text);
    if (size && sooth_text_to_double(text, size, &value) == size) return value;
    if (instant_read(text, size, form, &at, why)) return 86400.0 * at.day + at.second - 60.0 * at.zone;
    return (double)fallback; /* a number in another form, such as 1,5 or 3 ms */
}

/* Reads the column of times, and numbers its values in their order. */
static void read_times(sooth_env *env, const char *bytes, size_t size, data *d) {
    const sooth_csv_options options = {.names = &d->time_name, .name_count = 1};
    const size_t rows = d->table.rows, column = need_column(d, d->time_name, "time");
    double *time = (double *)allocate(rows, 2 * sizeof *time), *sorted = time + rows;
    char number[SOOTH_TEXT_NUMBER_SIZE], why[INSTANT_SENTENCE] = "";
    size_t n = 0;
    sooth_csv csv;
    csv_read_any(env, d->path, bytes, size, &options, &csv);
    for (size_t i = 0; i < rows; ++i) {
        const char *text = text_of_cell(&csv, d->row[i], column, number);
        const float cell =
            d->csv.column[column].is_text ? (float)NAN : d->csv.cell[d->row[i] * d->csv.cols + column];
        sorted[i] = time[i] = text ? time_of_cell(text, cell, d->time_form, why) : (double)NAN;
        if (time[i] != time[i])
            die(BAD_INPUT, "%s: line %u: %s is %s, which %s", d->path, (unsigned)d->line[i],
                d->csv.column[column].name, text ? printable(text) : "missing",
                text && (d->time_form || strstr(why, "@dmy"))
                    ? why
                    : "is neither a number nor a date such as 2024-02-29");
    }
    qsort(sorted, rows, sizeof *sorted, ascending);
    for (size_t i = 0; i < rows; ++i)
        if (!n || sorted[i] > sorted[n - 1]) sorted[n++] = sorted[i];
    d->time = (uint32_t *)allocate(rows, sizeof *d->time);
    for (size_t i = 0; i < rows; ++i) {
        const double *at = (const double *)bsearch(&time[i], sorted, n, sizeof *sorted, ascending);
        d->time[i] = (uint32_t)(at - sorted);
    }
    d->table.time = d->time;
    free(time);
    sooth_csv_free(env, &csv);
}

void data_open(sooth_env *env, const arguments *args, int centre, data *d) {
    sooth_csv_table_options choice;
    char **targets;
    const char **names;
    size_t count, size;
    memset(d, 0, sizeof *d);
    memset(&choice, 0, sizeof choice);
    d->path = args->word[0];
    char *bytes = open_table(env, args, d, &size);
    targets = need_columns(d, args, "target", 1, &count);
    if (!targets)
        die(BAD_USE, "--target COLUMN is missing; %s has the columns %s", d->path, column_list(&d->csv));
    choice.target = targets[0];
    choice.more_targets = (const char *const *)targets + 1;
    choice.more_target_count = count - 1;
    name_groups(args, d);
    if (d->group_columns) choice.group = d->csv.column[d->group_column[0]].header;
    d->weight = choice.weight = arguments_text(args, "weight");
    if (choice.weight) need_column(d, choice.weight, "weight");
    choose_features(d, args, &choice);
    choice.drop = (const char *const *)need_columns(d, args, "drop", 0, &choice.drop_count);
    leave_out_groups(d, &choice);
    d->time_name = arguments_text(args, "time");
    if (d->time_name) {
        const size_t dated = dated_column(&d->csv, d->time_name, strlen(d->time_name), &d->time_form);
        if (dated != SOOTH_NONE) d->time_name = d->csv.column[dated].name; /* without @dmy */
    }
    if (d->time_name) leave_out_time(d, &choice);
    if (sooth_csv_table(env, &d->csv, &choice, &d->chosen) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", d->path, env->sentence);
    if (d->digits.count) centre_columns(d, centre);
    d->table = d->chosen.table;
    names = (const char **)allocate(d->table.cols + 2 * count, sizeof *names);
    for (size_t j = 0; j < d->table.cols; ++j) names[j] = column_name(&d->csv, d->chosen.column[j]);
    d->table.names = names;
    d->target = names + d->table.cols;
    d->target_unit = d->target + count;
    for (size_t j = 0; j < count; ++j) {
        d->target[j] = column_name(&d->csv, d->chosen.targets[j]);
        d->target_unit[j] = d->csv.column[d->chosen.targets[j]].unit;
    }
    d->line = (uint32_t *)allocate(d->table.rows, sizeof *d->line);
    d->row = (uint32_t *)allocate(d->table.rows, sizeof *d->row);
    for (size_t j = 0; j < d->table.rows; ++j) d->line[j] = d->csv.line[d->row[j] = d->chosen.row[j]];
    if (arguments_has(args, "drop-missing")) drop_missing(env, d);
    if (d->chosen.categorical) find_levels(env, args, d);
    else if (arguments_has(args, "levels"))
        die(BAD_USE, "--levels is for categories, but there are none; --categorical names columns");
    d->groups = count_groups(d);
    d->group_name = d->chosen.group_name;
    if (d->group_columns > 1) fill_bags(d);
    check_table(d, args, bytes, size);
    if (d->time_name) read_times(env, bytes, size, d);
    d->hint = choice.feature_count || !has_flag(args, "categorical")
                  ? ""
                  : digits_hint(&d->csv, bytes, size, d->chosen.column, d->table.cols);
    free(bytes);
    d->first = (uint32_t *)allocate(d->table.rows, sizeof *d->first);
    if (sooth_csv_duplicates(env, &d->table, d->first, &d->repeated) != SOOTH_OK)
        die(BAD_INPUT, "%s", env->sentence);
}

const char *targets_text(const data *d) {
    static char text[1000];
    size_t at = 0;
    for (size_t t = 0; t < d->table.targets && at < sizeof text - 1; ++t)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", t ? " and " : "",
                               with_unit(d->target[t], d->target_unit[t]));
    return text;
}

int is_category(const sooth_levels *levels, size_t feature) {
    return levels && sooth_levels_columns(levels)[feature].categorical;
}

void refuse_row(const data *d, const char *model, const char *sentence, const char *cure) {
    static const char target[] = " has the target ", missing[] = " has a missing value in ",
                      infinite[] = " has an infinite value in ";
    const sooth_table *t = &d->table;
    const char *row = strstr(sentence, "row "), *at = row ? strstr(row, target) : NULL;
    if (at && t->y && !d->zero) { /* the first row of this value: a fold has numbers of its own */
        char *end;
        const double value = strtod(at + strlen(target), &end);
        for (size_t k = 0; k < t->rows * t->targets; ++k)
            if (t->y[k] == (float)value)
                die(BAD_INPUT, "%s: line %u: %s is %s%s (%s)", d->path, (unsigned)d->line[k / t->targets],
                    printable(d->target[k % t->targets]), shortest(t->y[k]), end, model);
        return;
    }
    const char *no = row ? strstr(row, missing) : NULL, *far = row && !no ? strstr(row, infinite) : NULL;
    const char *name = no ? no + strlen(missing) : far ? far + strlen(infinite) : NULL;
    for (size_t k = 0; name && t->x && k < t->rows * t->cols; ++k) {
        const float v = t->x[k / t->cols * t->stride + k % t->cols];
        if (strcmp(t->names[k % t->cols], name) != 0 || !(no ? isnan(v) : isinf(v))) continue;
        if (no)
            die(BAD_INPUT, "%s: line %u: %s is missing, and %s needs every value; %s", d->path,
                (unsigned)d->line[k / t->cols], name, model, cure);
        die(BAD_INPUT, "%s: line %u: %s is infinite; empty the cell, or give --drop %s", d->path,
            (unsigned)d->line[k / t->cols], name, name);
    }
}

void learn_failed(const data *d, const char *model, sooth_status status, const sooth_env *env) {
    if (status == SOOTH_BAD_ARGUMENT) die(BAD_USE, "%s: %s", model, env->sentence);
    if (status == SOOTH_BAD_DATA && d->line)
        refuse_row(d, model, env->sentence, "--drop-missing leaves such rows out, --drop columns");
    die(BAD_INPUT, "%s: %s: %s%s", d->path, model, env->sentence,
        strstr(env->sentence, " infinite ") ? "; empty the cell, or give --drop" : "");
}

/* ---- notes about a table ---- */

/* Returns true for a column without a role. */
static int is_free(const data *d, size_t column) {
    if (derive_uses(&d->made, column)) return 0;
    for (size_t j = 0; j < d->table.cols; ++j)
        if (d->chosen.column[j] == column) return 0;
    for (size_t k = 0; k < d->group_columns; ++k)
        if (d->group_column[k] == column) return 0;
    return !d->time_name || sooth_csv_find(&d->csv, d->time_name) != column;
}

static int is_ignored(const data *d, size_t column) {
    return d->csv.column[column].is_text && is_free(d, column);
}

/* Returns true if a feature, or from table.cols on a target, counts from another number than 0. */
static int has_zero(const data *d, size_t j) { return d->zero && (d->zero[j] < 0.0 || d->zero[j] > 0.0); }

/* Returns true if column j of the table is the same in every row of the file. */
static int is_constant(const data *d, size_t j) {
    const sooth_table *t = &d->table;
    size_t i;
    if (digits_of(&d->digits, d->chosen.column[j]) && !has_zero(d, j)) return 0; /* only its floats are */
    for (i = 1; i < t->rows && t->x[i * t->stride + j] == t->x[j]; ++i) continue;
    return i == t->rows;
}

/* Returns true if rows that are equal may differ in the file: floats merge numbers of a feature, those that
   count from another number than 0 too, or integers beyond 2^24 repeat. */
static int is_any_merged(const data *d) {
    for (size_t j = 0; j < d->table.cols; ++j) {
        const digits_column *c = digits_of(&d->digits, d->chosen.column[j]);
        if (c && !(has_zero(d, j) && c->centred == c->numbers)) return 1;
        if (has_zero(d, j) || is_category(d->levels, j)) continue;
        for (size_t i = 0; i < d->table.rows; ++i)
            if (d->first[i] != i && fabsf(d->table.x[i * d->table.stride + j]) >= 16777216.0f) return 1;
    }
    return 0;
}

void dialect_note(const sooth_csv *csv, FILE *to) {
    const char *separator = csv->separator == ';'    ? "semicolons"
                            : csv->separator == '\t' ? "tabs"
                            : csv->separator == '|'  ? "bars"
                                                     : "signs";
    if (csv->separator != ',')
        fprintf(to, "  read as     %s between the columns, decimal %s\n", separator,
                csv->decimal == ',' ? "commas" : "points");
    if (csv->unit_line) fprintf(to, "  units       of the columns in line %zu\n", csv->unit_line);
    if (csv->comments)
        fprintf(to, "  left out    %s (#), the first in line %zu\n",
                counted(csv->comments, "comment", "comments"), csv->first_comment);
}

void forms_note(const sooth_csv *csv, const uint32_t *column, size_t count, FILE *to) {
    size_t n = 0;
    for (size_t k = 0; k < count; ++k) {
        const sooth_csv_column *c = &csv->column[column ? column[k] : k];
        if (!*c->form || c->is_text || c->is_name) continue;
        if (n < MOST_LISTED)
            fprintf(to, "%s%s: %s", n ? "; " : "  read as     ", with_unit(c->name, c->unit), c->form);
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, "; and %zu more columns", n - MOST_LISTED);
    if (n) fprintf(to, "\n");
    for (size_t k = n = 0; k < count; ++k) {
        const sooth_csv_column *c = &csv->column[column ? column[k] : k];
        if (!c->marked || c->is_text || c->is_name) continue;
        if (n < MOST_LISTED)
            fprintf(to, "%s%s: %s like %s in line %zu", n ? "; " : "  missing     ", listed(c->name),
                    counted(c->marked, "cell", "cells"), c->mark, c->marked_line);
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, "; and %zu more columns", n - MOST_LISTED);
    if (n) fprintf(to, ", taken as missing\n");
}

void words_note(const sooth_csv *csv, size_t column, FILE *to) {
    const sooth_csv_column *c = &csv->column[column];
    if (c->worded)
        fprintf(
            to,
            "  missing     %s: %s like %s in line %zu, taken as missing; write another name if it is one\n",
            listed(c->name), counted(c->worded, "cell", "cells"), printable(c->word), c->worded_line);
}

static void levels_note(const data *d, FILE *to) {
    int first = 1;
    for (size_t j = 0; d->levels && j < d->table.cols; ++j) {
        const sooth_levels_column *c = sooth_levels_columns(d->levels) + j;
        if (!c->categorical) continue;
        fprintf(to, "%s%s with %s", first ? "  categories  " : ", ", listed(d->table.names[j]),
                counted(c->count, "level", "levels"));
        const char *why = text_reason(&d->csv, d->chosen.column[j]);
        if (d->csv.column[d->chosen.column[j]].is_text && *why) fprintf(to, " (%s)", why);
        if (c->lost)
            fprintf(to, " (and %zu in %s without space: see --levels)", (size_t)c->lost,
                    counted(c->lost_rows, "row", "rows"));
        first = 0;
    }
    if (!first) fprintf(to, "\n");
    for (size_t j = 0; j < d->table.cols; ++j)
        if (is_category(d->levels, j)) words_note(&d->csv, d->chosen.column[j], to);
}

/* Names the columns of the table that floats merge, and the identifiers. */
static void digits_note(const data *d, FILE *to) {
    const size_t cols = d->table.cols;
    for (size_t j = 0; d->digits.count && j < cols + d->chosen.table.targets; ++j) {
        const size_t column = j < cols ? d->chosen.column[j] : d->chosen.targets[j - cols];
        const digits_column *c = digits_of(&d->digits, column);
        if (!c || (j < cols && is_category(d->levels, j))) continue;
        digits_print(c, j < cols ? d->table.names[j] : d->target[j - cols], has_zero(d, j), to);
    }
    for (size_t j = 0; j < cols && d->table.x; ++j)
        if (!is_category(d->levels, j) && is_identifier(&d->csv, d->chosen.column[j], &d->digits))
            fprintf(to,
                    "  identifier  %s is another integer in every row; --drop it if it only names the row\n",
                    listed(d->table.names[j]));
    if (d->hint && *d->hint) fprintf(to, "  hint        %s\n", d->hint);
}

/* Prints the columns of text without a role, those with something to say in a line of their own. */
static void ignored_note(const data *d, FILE *to) {
    size_t n = 0;
    for (size_t j = 0; j < d->csv.cols; ++j) {
        if (!is_ignored(d, j) || *text_reason(&d->csv, j)) continue;
        if (n < MOST_LISTED) fprintf(to, "%s%s", n ? ", " : "  ignored     ", listed(d->csv.column[j].name));
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, ", and %zu more", n - MOST_LISTED);
    if (n)
        fprintf(to, " (text)%s\n",
                d->group
                    ? ""
                    : "; --categorical makes features of names, --group is for programs, users or machines");
    for (size_t j = n = 0; j < d->csv.cols; ++j) {
        const char *why = is_ignored(d, j) ? text_reason(&d->csv, j) : "";
        if (*why && n++ < MOST_LISTED)
            fprintf(to, "  ignored     %s (text; %s)\n", listed(d->csv.column[j].name), why);
    }
    if (n > MOST_LISTED)
        fprintf(to, "  ignored     %s\n", counted(n - MOST_LISTED, "more column", "more columns"));
    for (size_t j = n = 0; j < d->csv.cols; ++j) {
        const sooth_csv_column *c = &d->csv.column[j];
        if (c->is_text || !c->marked || c->missing < d->csv.rows || !is_free(d, j)) continue;
        if (n++ < MOST_LISTED)
            fprintf(to, "  ignored     %s (no number; line %zu has %s)\n", listed(c->name), c->marked_line,
                    c->mark);
    }
}

/* Words such as [N/A] are levels of a column of names. */
static size_t missing_cells(const sooth_csv_column *c) { return c->missing - (c->is_name ? c->marked : 0); }

void data_notes(const data *d, FILE *to) {
    size_t n = 0;
    dialect_note(&d->csv, to);
    forms_note(&d->csv, d->chosen.column, d->table.cols, to);
    forms_note(&d->csv, d->chosen.targets, d->chosen.targets ? d->chosen.table.targets : 0, to);
    derive_note(&d->made, to);
    levels_note(d, to);
    digits_note(d, to);
    if (d->chosen.dropped_target)
        fprintf(to, "  left out    %s without %s\n", counted(d->chosen.dropped_target, "row", "rows"),
                targets_text(d));
    if (d->chosen.dropped_group)
        fprintf(to, "  left out    %s without %s%s%s%s%s\n", counted(d->chosen.dropped_group, "row", "rows"),
                d->group ? printable(d->csv.column[d->group_column[0]].name) : "",
                d->group ? " (--group)" : "", d->group && d->weight ? " or " : "",
                d->weight ? printable(d->weight) : "", d->weight ? " (--weight)" : "");
    for (size_t k = 0; k < d->group_columns; ++k) words_note(&d->csv, d->group_column[k], to);
    if (d->dropped_missing)
        fprintf(to, "  left out    %s in which a feature is missing\n",
                counted(d->dropped_missing, "row", "rows"));
    if (d->csv.blank_rows)
        fprintf(to, "  left out    %s\n", counted(d->csv.blank_rows, "blank row", "blank rows"));
    if (d->csv.short_rows)
        fprintf(to, "  short       %s with fewer cells than the header, the first in line %zu\n",
                counted(d->csv.short_rows, "row", "rows"), d->csv.first_short);
    for (size_t j = 0; j < d->table.cols; ++j) {
        const size_t missing = missing_cells(&d->csv.column[d->chosen.column[j]]);
        if (!missing) continue;
        if (n < MOST_LISTED)
            fprintf(to, "%s%s %zu", n ? ", " : "  missing     ", listed(d->table.names[j]), missing);
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, ", and %zu more columns", n - MOST_LISTED);
    if (n) fprintf(to, "\n");
    for (size_t j = n = 0; j < d->table.cols && d->table.x; ++j) { /* x is NULL with --memory */
        if (!is_constant(d, j)) continue;
        if (n < MOST_LISTED) fprintf(to, "%s%s", n ? ", " : "  constant    ", listed(d->table.names[j]));
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, ", and %zu more", n - MOST_LISTED);
    if (n) fprintf(to, " (the same in every row)\n");
    ignored_note(d, to);
    if (d->csv.repeated)
        fprintf(to, "  renamed     %s with the name of an earlier one\n",
                counted(d->csv.repeated, "column", "columns"));
    if (d->repeated)
        fprintf(to, "  repeated    %s with all features of an earlier row%s\n",
                counted(d->repeated, "row", "rows"), is_any_merged(d) ? ", as floats" : "");
}

/* Writes what floats merge: {"start": {"values": 24, "as_floats": 2, "counts_from": 1700000128}}. */
static void digits_json(const data *d, json *j) {
    const size_t cols = d->table.cols;
    if (!d->digits.count) return;
    json_open(j, "merged_by_floats", '{');
    for (size_t k = 0; k < cols + d->chosen.table.targets; ++k) {
        const digits_column *c =
            digits_of(&d->digits, k < cols ? d->chosen.column[k] : d->chosen.targets[k - cols]);
        if (!c) continue;
        json_open(j, k < cols ? d->table.names[k] : d->target[k - cols], '{');
        json_count(j, "values", c->numbers);
        json_count(j, "as_floats", c->floats);
        if (has_zero(d, k)) json_number(j, "counts_from", c->zero);
        json_close(j, '}');
    }
    json_close(j, '}');
}

void data_json(const data *d, json *j) {
    json_open(j, "data", '{');
    json_text(j, "file", d->path);
    json_count(j, "rows", d->table.rows);
    json_count(j, "features", d->table.cols);
    if (d->table.targets == 1) {
        json_text(j, "target", d->target[0]);
        json_text(j, "unit", d->target_unit[0]);
    } else {
        json_open(j, "targets", '[');
        for (size_t k = 0; k < d->table.targets; ++k)
            json_text(j, NULL, with_unit(d->target[k], d->target_unit[k]));
        json_close(j, ']');
    }
    if (d->group) {
        json_text(j, "group", d->group);
        json_count(j, "groups", d->groups);
    }
    derive_json(&d->made, j);
    json_count(j, "rows_without_target", d->chosen.dropped_target);
    json_count(j, "rows_without_group_or_weight", d->chosen.dropped_group);
    json_count(j, "rows_dropped_for_missing_features", d->dropped_missing);
    json_count(j, "blank_rows", d->csv.blank_rows);
    json_count(j, "short_rows", d->csv.short_rows);
    json_count(j, "repeated_rows", d->repeated);
    json_open(j, "missing_cells", '{');
    for (size_t k = 0; k < d->table.cols; ++k) {
        const size_t missing = missing_cells(&d->csv.column[d->chosen.column[k]]);
        if (missing) json_count(j, d->table.names[k], missing);
    }
    json_close(j, '}');
    json_open(j, "missing_words", '{');
    for (size_t k = 0; k < d->table.cols; ++k) {
        const sooth_csv_column *c = &d->csv.column[d->chosen.column[k]];
        if (is_category(d->levels, k)) {
            if (c->worded) json_count(j, d->table.names[k], c->worded);
        } else if (c->marked && !c->is_text && !c->is_name) json_count(j, d->table.names[k], c->marked);
    }
    for (size_t k = 0; k < d->group_columns; ++k) {
        const sooth_csv_column *c = &d->csv.column[d->group_column[k]];
        if (c->worded) json_count(j, c->name, c->worded);
    }
    json_close(j, '}');
    json_open(j, "read_as", '{');
    for (size_t k = 0; k < d->csv.cols; ++k) {
        const sooth_csv_column *c = &d->csv.column[k];
        if (*c->form && !c->is_text && !c->is_name) json_text(j, c->header, with_unit(c->form, c->unit));
    }
    json_close(j, '}');
    json_count(j, "comments", d->csv.comments);
    if (d->levels) json_open(j, "categories", '{');
    for (size_t k = 0; d->levels && k < d->table.cols; ++k) {
        const sooth_levels_column *c = sooth_levels_columns(d->levels) + k;
        if (!c->categorical) continue;
        json_open(j, d->table.names[k], '{');
        json_count(j, "levels", c->count);
        json_count(j, "levels_without_room", c->lost);
        json_count(j, "their_rows", c->lost_rows);
        json_close(j, '}');
    }
    if (d->levels) json_close(j, '}');
    digits_json(d, j);
    json_open(j, "ignored_text_columns", '[');
    for (size_t k = 0; k < d->csv.cols; ++k)
        if (is_ignored(d, k)) json_text(j, NULL, d->csv.column[k].header);
    json_close(j, ']');
    json_close(j, '}');
}
