/* columns.c - columns by name, medians, numbers that a command writes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <math.h>

const char *column_name(const sooth_csv *csv, size_t column) {
    const sooth_csv_column *c = &csv->column[column];
    if (strcmp(c->name, c->header) == 0) return c->name;
    return sooth_csv_find(csv, c->name) == column ? c->name : c->header;
}

const char *with_unit(const char *name, const char *unit) {
    static char ring[4][300];
    static unsigned next;
    char *text = ring[next++ % 4];
    snprintf(text, 300, *unit ? "%.200s [%.80s]" : "%.200s%.80s", printable(name), printable(unit));
    return text;
}

/* Returns the text of the first cell that makes a column text. */
static const char *odd_text(const sooth_csv *csv, size_t column) {
    const sooth_csv_column *c = &csv->column[column];
    for (size_t i = 0; c->text && i < csv->rows; ++i) {
        const float code = csv->cell[i * csv->cols + column];
        if (csv->line[i] == c->odd_line && code == code) return c->text[(size_t)code];
    }
    return "text";
}

/* Returns true if all cells of a column are dates. */
static int is_date(const sooth_csv_column *c) { return strcmp(c->form, "a date") == 0; }

/* Returns what makes numbers or features of a column of dates, "; --derive when:hour,weekday makes ..."; else
   "". */
static const char *derive_hint(const sooth_csv *csv, size_t column, const char *what) {
    static char text[200];
    const sooth_csv_column *c = &csv->column[column];
    const size_t n = strlen(c->form), k = strlen("are dates");
    const char *first = is_date(c) && c->text ? odd_text(csv, column) : "";
    char why[INSTANT_SENTENCE] = "";
    instant at;
    const int is_plain = *first && instant_read(first, strlen(first), INSTANT_ISO, &at, why),
              either = strstr(why, "@dmy") != NULL;
    snprintf(text, sizeof text, "; --derive %.80s%s:%sweekday%s makes %s", printable(c->name),
             either ? "@dmy" : "", (is_plain && at.has_time) || (either && strchr(first, ':')) ? "hour," : "",
             either ? " (@mdy if the month is first)" : "", what);
    return is_date(c) || (n > k && strcmp(c->form + n - k, "are dates") == 0) ? text : "";
}

void column_is_text(const char *path, const sooth_csv *csv, size_t column) {
    const sooth_csv_column *c = &csv->column[column];
    const int is_plain = strncmp(c->form, "a plain number", 14) == 0; /* "..., but other cells are dates" */
    const size_t values = csv->rows - c->missing;
    char rest[300] = "";
    if (*c->form)
        snprintf(rest, sizeof rest, "%s%s%s", is_plain ? "" : ": it is ", c->form,
                 derive_hint(csv, column, is_date(c) ? "numbers of it" : "numbers of dates"));
    else if (values > c->odd)
        snprintf(rest, sizeof rest, "; %zu of %zu cells are numbers", values - c->odd, values);
    die(BAD_INPUT, "%s: line %zu, column %zu (%s): \"%.40s\" is %s%s", path, c->odd_line, column + 1, c->name,
        odd_text(csv, column), is_plain ? "" : "not a number", rest);
}

void cell_is_infinite(const char *path, const char *bytes, size_t size, const sooth_csv *csv, size_t row,
                      size_t column, int takes_names) {
    const char *name = printable(csv->column[column].name);
    die(BAD_INPUT, "%s: line %zu: %s is infinite: \"%.60s\"; empty the cell%s%s%s%s", path,
        (size_t)csv->line[row], name, printable(cell_in_file(bytes, size, csv, row, column)),
        takes_names ? ", give --drop " : ", or give --drop ", name,
        takes_names ? ", or keep names with --categorical " : "", takes_names ? name : "");
}

const char *text_reason(const sooth_csv *csv, size_t column) {
    static char ring[2][400];
    static unsigned next;
    char *text = ring[next++ % 2];
    const sooth_csv_column *c = &csv->column[column];
    const size_t values = csv->rows - c->missing, numbers = values - c->odd;
    char odd[64] = "text"; /* --memory keeps no cells */
    if (c->text) snprintf(odd, sizeof odd, "\"%.60s\"", printable(odd_text(csv, column)));
    text[0] = 0;
    if (is_date(c) && numbers) /* with --memory */
        snprintf(text, 400, "dates, but %zu of %zu cells are numbers%s", numbers, values,
                 derive_hint(csv, column, "features of dates"));
    else if (is_date(c)) snprintf(text, 400, "dates%s", derive_hint(csv, column, "features of them"));
    else if (*c->form)
        snprintf(text, 400, "line %zu has %s: it is %s%s", c->odd_line, odd, c->form,
                 derive_hint(csv, column, "features of dates"));
    else if (2 * numbers > values)
        snprintf(text, 400, "line %zu has %s; %zu of %zu cells are numbers", c->odd_line, odd, numbers,
                 values);
    return text;
}

size_t column_names(const sooth_csv *csv, const char ***names) {
    size_t n = csv->cols < 5000 ? csv->cols : 5000;
    *names = (const char **)allocate(n, sizeof **names);
    for (size_t j = 0; j < n; ++j) (*names)[j] = csv->column[j].name;
    return n;
}

const char *text_of_cell(const sooth_csv *csv, size_t row, size_t column,
                         char number[SOOTH_TEXT_NUMBER_SIZE]) {
    const float v = csv->cell[row * csv->cols + column];
    if (csv->column[column].text) return sooth_csv_text(csv, row, column);
    if (v != v) return NULL;
    sooth_text_from_float(number, v + 0.0f); /* -0 is 0 */
    return number;
}

float *names_in(const sooth_csv *csv, size_t column) {
    const uint32_t *code = csv->column[column].code;
    float *name = (float *)allocate(csv->rows, sizeof *name);
    for (size_t i = 0; i < csv->rows; ++i) {
        name[i] = csv->cell[i * csv->cols + column];
        if (code) name[i] = code[i] == SOOTH_CSV_NO_NAME ? (float)NAN : (float)code[i];
    }
    return name;
}

int is_blank_row(const sooth_csv *csv, size_t row) {
    size_t j = 0;
    while (j < csv->cols && isnan(csv->cell[row * csv->cols + j])) ++j;
    return j == csv->cols;
}

/* Adds the words of a text to a list. */
static void add_words(const char *words, const char **list, size_t *count) {
    char *copy = strcpy((char *)allocate(strlen(words) + 1, 1), words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) list[(*count)++] = word;
}

sooth_csv_options names_given(const arguments *args, const char *flags, const char *usual) {
    const char **flag_name = (const char **)allocate(strlen(flags) + 1, sizeof *flag_name);
    const char **name = (const char **)allocate(args->givens + strlen(usual) + 1, sizeof *name);
    sooth_csv_options options;
    size_t flag_names = 0;
    memset(&options, 0, sizeof options);
    add_words(flags, flag_name, &flag_names);
    add_words(usual, name, &options.name_count);
    for (size_t i = 0; i < args->givens; ++i)
        for (size_t k = 0; k < flag_names; ++k)
            if (strcmp(args->given[i]->name, flag_name[k]) == 0) name[options.name_count++] = args->value[i];
    options.names = name;
    free(flag_name);
    return options;
}

char **columns_named(const arguments *args, const char *flag_name, const sooth_csv *csv, size_t *count) {
    char **all = NULL;
    size_t n = 0, more;
    for (size_t i = 0; i < args->givens; ++i) {
        char **joined;
        if (strcmp(args->given[i]->name, flag_name) != 0) continue;
        char **list = split_list(args->value[i], &more);
        if (sooth_csv_find(csv, args->value[i]) < csv->cols) {
            list[0] = strcpy((char *)allocate(strlen(args->value[i]) + 1, 1), args->value[i]);
            more = 1;
        }
        joined = (char **)allocate(n + more, sizeof *joined);
        if (n) memcpy(joined, all, n * sizeof *joined);
        for (; more; --more, ++list) {
            if (!**list) die(BAD_USE, "--%s has an empty item in \"%s\"", flag_name, args->value[i]);
            joined[n++] = *list;
        }
        free(all);
        all = joined;
    }
    *count = n;
    return all;
}

size_t column_named(const char *path, const sooth_csv *csv, const char *flag_name, const char *name,
                    int numbers) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE) {
        const char **known;
        const size_t n = column_names(csv, &known);
        die(BAD_INPUT, "%s has no column %s for --%s%s", path, printable(name), flag_name,
            did_you_mean(name, known, n));
    }
    if (numbers && csv->column[j].is_text) column_is_text(path, csv, j);
    return j;
}

size_t column_of(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                 const char *fallback, int numbers) {
    const char *name = arguments_text(args, flag_name);
    if (!name && (!fallback || sooth_csv_find(csv, fallback) == SOOTH_NONE)) return SOOTH_NONE;
    return column_named(path, csv, flag_name, name ? name : fallback, numbers);
}

size_t column_needed(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                     const char *fallback, int numbers) {
    const size_t j = column_of(args, path, csv, flag_name, fallback, numbers);
    if (j == SOOTH_NONE)
        die(BAD_USE, "%s has no column %s; name the column with --%s", path, fallback, flag_name);
    return j;
}

void text_from(double zero, float value, char text[SOOTH_TEXT_NUMBER_SIZE]) {
    const double size = fabs(zero), step = zero < 0.0 ? -(double)value : (double)value;
    if (!(size >= 9007199254740992.0 && size < 1.8e19 &&
          fabs(step) < 9e15)) { /* 2^53: doubles are integers */
        sooth_text_from_double(text, zero + (double)value);
        return;
    }
    const int64_t whole = (int64_t)(step < 0.0 ? step - 0.5 : step + 0.5);
    snprintf(text, SOOTH_TEXT_NUMBER_SIZE, "%s%llu", zero < 0.0 ? "-" : "",
             (unsigned long long)((uint64_t)size + (uint64_t)whole));
}

/* Writes a number as a cell; NaN is an empty cell. */
void put_double(FILE *to, double value) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (value != value) return;
    sooth_text_from_double(text, value);
    fputs(text, to);
}

int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_sorted(double *value, size_t count) {
    if (count == 0) return (double)NAN;
    qsort(value, count, sizeof *value, ascending);
    return 0.5 * (value[(count - 1) / 2] + value[count / 2]);
}

static int by_value(const void *a, const void *b) {
    const weighed *x = (const weighed *)a, *y = (const weighed *)b;
    if (!(x->weight > 0.0) || !(y->weight > 0.0)) return (y->weight > 0.0) - (x->weight > 0.0);
    return ascending(&x->value, &y->value);
}

double median_weighed(weighed *all, size_t count) {
    double whole = 0.0, below = 0.0;
    size_t i = 0;
    qsort(all, count, sizeof *all, by_value);
    while (count > 0 && !(all[count - 1].weight > 0.0)) --count;
    if (count == 0) return (double)NAN;
    for (i = 0; i < count; ++i) whole += all[i].weight;
    for (i = 0; i + 1 < count && below + all[i].weight < whole / 2; ++i) below += all[i].weight;
    const int between = i + 1 < count && below + all[i].weight <= whole / 2;
    return between ? 0.5 * (all[i].value + all[i + 1].value) : all[i].value;
}
