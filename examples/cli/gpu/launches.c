/* launches.c - reads files of measured launches of kernels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"

int extent_read(const char *text, extent *e) {
    const char *c = text;
    uint64_t all = 1;
    *e = (extent){text, {1, 1, 1}, 1};
    for (size_t i = 0; i < 3; ++i) {
        char *end;
        unsigned long v = strtoul(c, &end, 10);
        if (*c < '0' || *c > '9' || v == 0 || v > 2147483647ul || (all *= v) > 2147483647ul) return 0;
        e->by[i] = (uint32_t)v;
        e->all = (uint32_t)all;
        if (*end == 0) return 1;
        if (*end != 'x') return 0;
        c = end + 1;
    }
    return 0;
}

void measured_open(sooth_env *env, const char *path, sooth_csv *csv, char *remark, size_t size) {
    static const char *const names[] = {"kernel", "grid", "block", "values", "what"};
    const sooth_csv_options options = {.names = names, .name_count = sizeof names / sizeof names[0]};
    size_t bytes, at = 0;
    char *text = read_file(path, NULL, &bytes);
    remark[0] = 0;
    while (at < bytes && text[at] == '#') { /* the empty line stays, so that lines keep their numbers */
        size_t end = at;
        while (end < bytes && text[end] != '\n' && text[end] != '\r') ++end;
        if (!*remark) snprintf(remark, size, "%.*s", (int)(end - at < 1000 ? end - at : 1000), text + at);
        memmove(text + at, text + end, bytes - end);
        bytes -= end - at;
        while (at < bytes && (text[at] == '\n' || text[at] == '\r')) ++at;
    }
    csv_read(env, path, text, bytes, &options, csv);
    free(text);
}

/* Returns a copy of the text of a cell, or NULL if the cell or the column is missing. */
static char *cell_text(const sooth_csv *csv, size_t row, size_t column) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *text = column < csv->cols ? text_of_cell(csv, row, column, number) : NULL;
    return text ? strcpy((char *)allocate(strlen(text) + 1, 1), text) : NULL;
}

/* Returns the column of that name; dies if it is required and missing. */
static size_t find(const launches *all, const sooth_csv *csv, const char *name, int needed) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE && needed)
        die(BAD_INPUT,
            "%s has no column %s; a file of launches has the columns kernel, grid, block and the "
            "measurements, as bench/cuda/power.cu writes them",
            all->path, printable(name));
    return j;
}

/* Reads an integer of an optional column; unit: "B" of bytes, "" of others. */
static uint32_t count_of(const launches *all, const sooth_csv *csv, const launch *l, size_t row,
                         const char *name, const char *unit, double least, double most) {
    const size_t j = find(all, csv, name, 0);
    if (j == SOOTH_NONE) return UINT32_MAX;
    if (csv->column[j].is_text) column_is_text(all->path, csv, j);
    if (!*unit) column_has_no_unit(all->path, csv, j);
    const double factor = *unit ? column_factor(all->path, csv, j, unit) : 1.0;
    const double v = factor * (double)csv->cell[row * csv->cols + j];
    if (v != v) return UINT32_MAX;
    if (!(v >= least && v <= most) || v > (double)(uint32_t)v || v < (double)(uint32_t)v)
        die(BAD_INPUT, "%s: line %zu: %s is %g, but must be an integer between %g and %g", all->path, l->line,
            name, v, least, most);
    return (uint32_t)v;
}

static extent extent_of(const launches *all, const sooth_csv *csv, const launch *l, size_t row,
                        const char *name) {
    const size_t j = find(all, csv, name, 1);
    char *text = cell_text(csv, row, j);
    extent e;
    column_has_no_unit(all->path, csv, j);
    if (!text) die(BAD_INPUT, "%s: line %zu has no %s", all->path, l->line, name);
    if (!extent_read(text, &e))
        die(BAD_INPUT,
            "%s: line %zu: %s is %s, but must be a size from 1 to 2147483647, such as 256 or 16x16",
            all->path, l->line, name, printable(text));
    return e;
}

/* Splits "1=65536 3=512" into its pieces. */
static void values_of(const launches *all, const sooth_csv *csv, launch *l, size_t row) {
    char *text = cell_text(csv, row, find(all, csv, "values", 0)), *next;
    if (!text) return;
    l->value = (char **)allocate(strlen(text) + 1, sizeof *l->value);
    for (char *c = text + strspn(text, " "); *c; c = next) {
        char *equals = strchr(c, '=');
        double v;
        const size_t n = strcspn(c, " ");
        next = c + n + strspn(c + n, " ");
        c[n] = 0;
        if (!equals || equals == c || equals >= c + n ||
            sooth_text_to_double(equals + 1, strlen(equals + 1), &v) != strlen(equals + 1) ||
            !(v >= -9e18 && v <= 9e18))
            die(BAD_INPUT, "%s: line %zu: values has %s, but must have PARAMETER=NUMBER, such as 3=512",
                all->path, l->line, printable(c));
        l->value[l->values++] = c;
    }
}

/* Finds the measured columns, by --measured or by their usual names. */
static size_t *measured_columns(const arguments *args, launches *all, const sooth_csv *csv) {
    static const char *const usual[] = {"time", "power"};
    size_t named, *column;
    char **name = columns_named(args, "measured", csv, &named);
    column = (size_t *)allocate(named + 2, sizeof *column);
    for (size_t i = 0; i < named; ++i) column[all->columns++] = find(all, csv, name[i], 1);
    for (size_t i = 0; i < 2 && !named; ++i)
        if (sooth_csv_find(csv, usual[i]) < csv->cols) column[all->columns++] = sooth_csv_find(csv, usual[i]);
    if (!all->columns)
        die(BAD_INPUT,
            "%s has neither a column time nor a column power; name the measured columns with --measured",
            all->path);
    all->measured = (const char **)allocate(all->columns, sizeof *all->measured);
    all->name = (const char **)allocate(all->columns, sizeof *all->name);
    for (size_t i = 0; i < all->columns; ++i) {
        if (csv->column[column[i]].is_text) column_is_text(all->path, csv, column[i]);
        all->measured[i] = csv->column[column[i]].header;
        all->name[i] = csv->column[column[i]].name;
    }
    return column;
}

void launches_read(sooth_env *env, const arguments *args, const char *path, launches *all) {
    sooth_csv csv; /* its texts are used until the program ends */
    char remark[8];
    memset(all, 0, sizeof *all);
    all->path = path;
    measured_open(env, path, &csv, remark, sizeof remark);
    const size_t kernel = find(all, &csv, "kernel", 1);
    find(all, &csv, "grid", 1);
    find(all, &csv, "block", 1);
    const size_t *column = measured_columns(args, all, &csv);
    all->rows = csv.rows;
    all->row = (launch *)allocate(csv.rows, sizeof *all->row);
    for (size_t i = 0; i < csv.rows; ++i) {
        launch *l = &all->row[i];
        l->line = csv.line[i];
        l->kernel = cell_text(&csv, i, kernel);
        if (!l->kernel) die(BAD_INPUT, "%s: line %zu has no kernel", path, l->line);
        l->grid = extent_of(all, &csv, l, i, "grid");
        l->block = extent_of(all, &csv, l, i, "block");
        l->registers = count_of(all, &csv, l, i, "registers", "", 1, 255);
        l->shared = count_of(all, &csv, l, i, "shared_bytes", "B", 0, 1u << 30);
        l->blocks_per_sm = count_of(all, &csv, l, i, "blocks_per_sm", "", 0, 1u << 30);
        values_of(all, &csv, l, i);
        l->measured = (double *)allocate(all->columns, sizeof *l->measured);
        for (size_t k = 0; k < all->columns; ++k) {
            const float v = csv.cell[i * csv.cols + column[k]];
            l->measured[k] = (double)v;
            if (v == v && !(v > 0.0f && v <= FLT_MAX))
                die(BAD_INPUT, "%s: line %zu: %s is %g, but a measurement must be above 0", path, l->line,
                    printable(all->name[k]), (double)v);
        }
    }
}
