/* columns.c - columns that a command asks for by their part, tables of them, numbers that it writes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>

size_t column_named(const char *path, const sooth_csv *csv, const char *flag_name, const char *name,
                    int numbers) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == csv->cols) {
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
    if (!name && (!fallback || sooth_csv_find(csv, fallback) == csv->cols)) return csv->cols;
    return column_named(path, csv, flag_name, name ? name : fallback, numbers);
}

size_t column_needed(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                     const char *fallback, int numbers) {
    const size_t j = column_of(args, path, csv, flag_name, fallback, numbers);
    if (j == csv->cols)
        die(BAD_USE, "%s has no column %s; name the one that is it with --%s", path, fallback, flag_name);
    return j;
}

/* A number for a cell, which NaN leaves empty. */
void put_double(FILE *to, double value) {
    char text[SOOTH_NUMBER_TEXT];
    if (value != value) return;
    sooth_text_from_double(text, value);
    fputs(text, to);
}

double double_read(const arguments *args, const char *name, double fallback, double least, double most) {
    const char *text = arguments_text(args, name);
    double value;
    if (!text) return fallback;
    if (!*text || sooth_text_to_double(text, strlen(text), &value) != strlen(text) ||
        !(value >= least && value <= most))
        die(BAD_USE, "--%s is %s, but must be a number between %g and %g", name, *text ? text : "empty",
            least, most);
    return value;
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
