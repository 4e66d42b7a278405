/* append.c - writes a table unchanged, followed by new columns.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

/* One record of the file: its bytes without the line end, number of cells. The rules are those of
   sooth/csv.h. */
typedef struct record {
    const char *at, *end, *next;
    size_t cells, next_line;
} record;

static int is_line_end(char c) { return c == '\n' || c == '\r'; }

const char *cell_end(const char *at, const char *end, char separator, size_t *lines) {
    const char *p = at;
    while (p < end && (*p == ' ' || (*p == '\t' && separator != '\t'))) ++p;
    if (p < end && *p == '"') {
        for (++p; p < end; ++p) {
            if (*p == '"') {
                if (p + 1 == end || p[1] != '"') break;
                ++p;
            }
            if (*p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'))) ++*lines;
        }
        if (p < end) ++p;
    }
    while (p < end && *p != separator && !is_line_end(*p)) ++p;
    return p;
}

const char *cell_in_file(const char *bytes, size_t size, const sooth_csv *csv, size_t row, size_t column) {
    const char *p = bytes, *const end = bytes + size, *stop;
    size_t now = 1, lines = 0;
    for (; now < csv->line[row] && p < end; ++p)
        now += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    for (stop = cell_end(p, end, csv->separator, &lines); column > 0; --column) {
        if (stop == end || *stop != csv->separator) return "";
        stop = cell_end(p = stop + 1, end, csv->separator, &lines);
    }
    while (p < stop && (*p == ' ' || *p == '"')) ++p;
    while (p < stop && (stop[-1] == ' ' || stop[-1] == '"')) --stop;
    const size_t length = (size_t)(stop - p);
    return (const char *)memcpy(allocate(length + 1, 1), p, length);
}

/* Finds the record that begins in this line, at or after r->next; dies if there is no such line. Empty lines,
   comments and rows without a value are between records. */
static void find_record(const table_file *b, const char *path, size_t line, record *r) {
    const char *end = b->text + b->size, *p = r->next;
    size_t now = r->next_line;
    for (; now < line && p < end; ++p) now += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    if (now != line || p == end) die(BAD_INPUT, "%s: line %zu is missing on the second reading", path, line);
    r->at = p;
    r->cells = 1;
    while (p < end && !is_line_end(*p)) {
        p = cell_end(p, end, b->csv.separator, &now);
        if (p < end && *p == b->csv.separator) {
            ++r->cells;
            ++p;
        }
    }
    r->end = p;
    if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n') ++p;
    r->next = p < end ? p + 1 : p;
    r->next_line = now + 1;
}

const char *stem_of(const char *what, const char *target) {
    char *stem = (char *)allocate(strlen(what) + strlen(target) + 2, 1);
    sprintf(stem, "%s_%s", what, target);
    return stem;
}

/* Returns "predicted_Power", or a numbered name if the file has such a column. */
static const char *new_column(const sooth_csv *csv, const char *stem) {
    char *name = (char *)allocate(strlen(stem) + 16, 1);
    unsigned k = 1;
    strcpy(name, stem);
    while (sooth_csv_find(csv, name) < csv->cols) sprintf(name, "%s.%u", stem, ++k);
    return name;
}

/* Returns "predicted_time [s]", or the name alone if there is no unit. */
static const char *titled(const char *name, const char *unit) {
    if (!unit || !*unit) return name;
    char *title = (char *)allocate(strlen(name) + strlen(unit) + 4, 1);
    sprintf(title, *name ? "%s [%s]" : "%s[%s]", name, unit);
    return title;
}

/* Writes zero + value with the digits of both; nothing for NaN. */
static void put_from(double zero, float value, char decimal, FILE *to) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (value != value) return;
    text_from(zero, value, text);
    for (char *c = text; *c; ++c) fputc(*c == '.' ? decimal : *c, to);
}

/* Writes an added cell; an empty one for row SOOTH_NONE. */
static void put_added(const addition *a, size_t row, const sooth_csv *csv, sooth_sink *sink, FILE *to) {
    fputc(csv->separator, to);
    if (row == SOOTH_NONE) return;
    if (a->number && (a->zero < 0.0 || a->zero > 0.0))
        put_from(a->zero, a->number[row * a->stride], csv->decimal, to);
    else if (a->number) sooth_csv_put_number(sink, a->number[row * a->stride], csv->decimal);
    else if (a->count) fprintf(to, "%u", (unsigned)a->count[row * a->stride]);
    else sooth_csv_put_text(sink, a->text[row * a->stride], csv->separator);
}

/* Reads the lines of all rows, also of those without any value, if the table lacks these. */
static void read_lines(const table_file *file, const char *path, sooth_csv *all) {
    const sooth_csv *csv = &file->csv;
    const sooth_csv_options options = {
        .separator = csv->separator, .no_header = !file->has_header, .no_rows = 1, .keep_blank = 1};
    sooth_env env;
    *all = *csv;
    if (!csv->blank_rows) return;
    sooth_env_init(&env);
    if (sooth_csv_read(&env, file->text, file->size, &options, all) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", path, env.sentence);
    if (all->rows > csv->rows)
        fprintf(stderr, "%s: the new cells of %s without any value are empty\n", path,
                counted(all->rows - csv->rows, "row", "rows"));
}

static const char *newline_of(const table_file *file) {
    const char *end = file->size ? (const char *)memchr(file->text, '\n', file->size) : NULL;
    return end && end > file->text && end[-1] == '\r' ? "\r\n" : "\n";
}

void table_append(const table_file *file, const char *path, const addition *add, size_t count, FILE *to) {
    const sooth_csv *csv = &file->csv;
    sooth_sink sink = sooth_file_sink(to);
    const char separator = csv->separator;
    const char *newline = newline_of(file);
    sooth_csv all;
    size_t row = 0;
    record r;
    read_lines(file, path, &all);
    r.next = file->text;
    r.next_line = 1;
    if (file->has_header) {
        find_record(file, path, csv->header_line, &r);
        fwrite(r.at, 1, (size_t)(r.end - r.at), to);
        for (size_t k = 0; k < count; ++k) {
            fputc(separator, to);
            sooth_csv_put_text(&sink, titled(new_column(csv, add[k].stem), csv->unit_line ? "" : add[k].unit),
                               separator);
        }
        fputs(newline, to);
    }
    if (csv->unit_line) {
        find_record(file, path, csv->unit_line, &r);
        fwrite(r.at, 1, (size_t)(r.end - r.at), to);
        for (size_t t = r.cells; t < csv->cols - file->derived; ++t) fputc(separator, to);
        for (size_t k = 0; k < count; ++k) {
            fputc(separator, to);
            if (add[k].unit) sooth_csv_put_text(&sink, titled("", add[k].unit), separator);
        }
        fputs(newline, to);
    }
    for (size_t i = 0; i < all.rows; ++i) {
        find_record(file, path, all.line[i], &r);
        const int known = row < csv->rows && csv->line[row] == all.line[i];
        fwrite(r.at, 1, (size_t)(r.end - r.at), to);
        for (size_t t = r.cells; t < csv->cols - file->derived; ++t) fputc(separator, to);
        for (size_t k = 0; k < count; ++k) put_added(&add[k], known ? row : SOOTH_NONE, csv, &sink, to);
        row += (size_t)known;
        fputs(newline, to);
    }
    if (all.line != csv->line) sooth_csv_free(NULL, &all);
}

/* Writes the record of a line as it is. */
static void put_record(const table_file *file, const char *path, size_t line, const char *newline, FILE *to) {
    record r;
    r.next = file->text;
    r.next_line = 1;
    find_record(file, path, line, &r);
    fwrite(r.at, 1, (size_t)(r.end - r.at), to);
    fputs(newline, to);
}

void table_pick(const table_file *file, const char *path, const size_t *row, size_t count, FILE *to) {
    const char *newline = newline_of(file);
    if (file->has_header) put_record(file, path, file->csv.header_line, newline, to);
    if (file->csv.unit_line) put_record(file, path, file->csv.unit_line, newline, to);
    for (size_t i = 0; i < count; ++i) put_record(file, path, file->csv.line[row[i]], newline, to);
}
