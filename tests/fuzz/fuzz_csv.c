/* fuzz_csv.c - any bytes are a CSV file or a sentence, and what was read can be written and read again.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"

#include "check.h"
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The table as CSV. */
static void write_all(const sooth_csv *csv, sooth_sink *sink) {
    size_t i, j;
    for (j = 0; j < csv->cols; ++j) {
        if (j) sooth_text_write(sink, &csv->separator, 1);
        sooth_csv_put_text(sink, csv->column[j].header, csv->separator);
    }
    for (i = 0; i < csv->rows; ++i) {
        sooth_text_write(sink, "\n", 1);
        for (j = 0; j < csv->cols; ++j) {
            float v = csv->cell[i * csv->cols + j];
            if (j) sooth_text_write(sink, &csv->separator, 1);
            if (csv->column[j].marked && !(v >= 0.0f || v < 0.0f)) sooth_text_write(sink, "?", 1);
            else if (!csv->column[j].is_text) sooth_csv_put_number(sink, v, csv->decimal);
            else if (v >= 0.0f) sooth_csv_put_text(sink, csv->column[j].text[(size_t)v], csv->separator);
        }
    }
}

/* ---- what must hold ---- */

static void check_columns(const sooth_csv *csv) {
    size_t i, j, missing;
    for (j = 0; j < csv->cols; ++j) {
        const sooth_csv_column *c = &csv->column[j];
        check(sooth_csv_find(csv, c->header) == j); /* headers are unique */
        check(sooth_csv_find(csv, c->name) < csv->cols);
        for (missing = i = 0; i < csv->rows; ++i) {
            float v = csv->cell[i * csv->cols + j];
            missing += !(v >= 0.0f || v < 0.0f);
            check(!c->is_text || !(v >= 0.0f || v < 0.0f) || (v >= 0.0f && v < (float)c->texts));
        }
        check(missing == c->missing);
    }
    for (i = 1; i < csv->rows; ++i) check(csv->line[i] > csv->line[i - 1]);
}

static void check_written(sooth_env *env, const sooth_csv *csv) {
    sooth_csv_options options = {csv->separator, 0};
    written b;
    sooth_sink sink = written_sink(&b);
    sooth_csv again;
    size_t j, k;
    if (csv->unit_line) return;       /* which is not written */
    for (j = 0; j < csv->cols; ++j) { /* "P [W].2", a repeated header, has no unit if it is read */
        const sooth_csv_column *c = &csv->column[j];
        if (*c->unit && *c->header && !strchr("])", c->header[strlen(c->header) - 1]) && c->is_text) return;
    }
    if ((unsigned char)csv->column[0].header[0] >= 0xEF)
        return; /* in front of a file it may be a byte-order mark */
    if (strncmp(csv->column[0].header, "sep=", 4) == 0)
        return; /* in front of a file it names the separator, unless blanks follow, which are not written */
    write_all(csv, &sink);
    check(!sink.failed && sooth_csv_read(env, b.text, b.size, &options, &again) == SOOTH_OK);
    if (again.unit_line) { /* a blank row was between the units and the numbers */
        check(csv->blank_rows > 0);
        sooth_csv_free(env, &again);
        free(b.text);
        return;
    }
    check(again.rows == csv->rows && again.cols == csv->cols);
    check(memcmp(again.cell, csv->cell, csv->rows * csv->cols * sizeof *csv->cell) == 0);
    for (j = 0; j < csv->cols; ++j) {
        const sooth_csv_column *c = &csv->column[j], *d = &again.column[j];
        check(c->is_text == d->is_text && c->texts == d->texts && strcmp(c->header, d->header) == 0);
        for (k = 0; k < c->texts; ++k) check(strcmp(c->text[k], d->text[k]) == 0);
    }
    sooth_csv_free(env, &again);
    free(b.text);
}

static void check_table(sooth_env *env, const sooth_csv *csv) {
    sooth_csv_table_options choice;
    sooth_csv_data data;
    size_t i, count;
    uint32_t *first;
    memset(&choice, 0, sizeof choice);
    choice.target = csv->column[csv->cols - 1].name;
    choice.group = csv->column[0].header;
    env->sentence[0] = 0;
    if (sooth_csv_table(env, csv, &choice, &data) != SOOTH_OK) {
        check(env->sentence[0] != 0);
        return;
    }
    check(data.table.rows + data.dropped_target + data.dropped_group == csv->rows);
    first = (uint32_t *)malloc(data.table.rows * sizeof *first);
    check(first && sooth_csv_duplicates(env, &data.table, first, &count) == SOOTH_OK &&
          count < data.table.rows);
    for (i = 0; i < data.table.rows; ++i) {
        check(first[i] <= i && first[first[i]] == first[i]);
        check(data.table.group[i] < data.groups && data.group_name[data.table.group[i]]);
    }
    free(first);
    sooth_csv_data_free(env, &data);
    choice.target = "Powr"; /* most likely not there */
    if (sooth_csv_table(env, csv, &choice, &data) == SOOTH_OK) sooth_csv_data_free(env, &data);
}

/* Read without a header the file has one row more, unless that row is blank; with a row of units, two. */
static void check_headless(sooth_env *env, const uint8_t *data, size_t size, const sooth_csv *csv) {
    const sooth_csv_options options = {csv->separator, 1};
    const char *header = csv->column[0].header;
    sooth_csv again;
    if (header[0] == '#' && strchr(" \t", header[1])) return; /* "# a,b" is a comment if it is no header */
    if (csv->rival_line && csv->rival_line < csv->header_line) return; /* which is then a row */
    check(sooth_csv_read(env, data, size, &options, &again) == SOOTH_OK);
    check(again.cols == csv->cols &&
          again.rows + again.blank_rows == csv->rows + csv->blank_rows + 1 + (csv->unit_line > 0));
    check(!csv->numeric_header || again.rows == csv->rows + 1 + (csv->unit_line > 0));
    sooth_csv_free(env, &again);
}

/* Read a second time, the same cells are numbers, and doubles beside their floats. */
static void check_exact(sooth_env *env, const uint8_t *data, size_t size, const sooth_csv *csv) {
    const size_t column = csv->cols - 1;
    double *exact = (double *)malloc(csv->rows * sizeof *exact + 1);
    check(exact && sooth_csv_exact(env, csv, data, size, &column, 1, NULL, exact) == SOOTH_OK);
    for (size_t i = 0; i < csv->rows; ++i) {
        const float v = csv->cell[i * csv->cols + column];
        const double beside = (double)v - exact[i], least = 1e-44 + (v < 0.0f ? -1e-7 : 1e-7) * (double)v;
        if (csv->column[column].is_text || !(v >= 0.0f || v < 0.0f))
            check(!(exact[i] >= 0.0 || exact[i] < 0.0));
        else check(!(v - v <= 0.0f) || (beside <= least && beside >= -least));
    }
    free(exact);
}

/* If the first column is one of names, the numbers are the same, and equal texts are the same pointer. */
static void check_names(sooth_env *env, const uint8_t *data, size_t size, const sooth_csv *csv) {
    const char *const name = csv->column[0].header;
    const sooth_csv_options options = {.separator = csv->separator, .names = &name, .name_count = 1};
    sooth_csv named;
    check(sooth_csv_read(env, data, size, &options, &named) == SOOTH_OK);
    check(named.rows == csv->rows && named.cols == csv->cols && named.column[0].is_name);
    check(memcmp(named.cell, csv->cell, csv->rows * csv->cols * sizeof *csv->cell) == 0);
    for (size_t i = 0; i < named.rows; ++i) {
        const float v = named.cell[i * named.cols];
        const char *const text = sooth_csv_text(&named, i, 0);
        size_t k = 0;
        while (k < named.column[0].texts && named.column[0].text[k] != text) ++k;
        check(text ? k < named.column[0].texts : !(v >= 0.0f || v < 0.0f));
    }
    sooth_csv_free(env, &named);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_csv csv;
    sooth_env_init(&env);
    if (sooth_csv_read(&env, data, size, NULL, &csv) != SOOTH_OK) {
        check(env.sentence[0] != 0);
        return 0;
    }
    check_columns(&csv);
    check_written(&env, &csv);
    check_table(&env, &csv);
    check_headless(&env, data, size, &csv);
    check_exact(&env, data, size, &csv);
    check_names(&env, data, size, &csv);
    sooth_csv_free(&env, &csv);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
