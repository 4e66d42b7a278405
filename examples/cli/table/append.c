/* append.c - writes a table unchanged, followed by new columns.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "table.h"
#include "sooth/files.h"

/* One record of the file: its bytes without the line end, number of cells. The rules are those of
   sooth/csv.h. */
typedef struct record {
    const char *at, *end, *next;
    size_t cells, next_line;
    int plain; /* the file has neither quotes nor carriage returns: memchr finds the line ends */
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

static record first_record(const table_file *file) {
    const record r = {
        file->text,
        file->text,
        file->text,
        0,
        1,
        !file->size || (!memchr(file->text, '"', file->size) && !memchr(file->text, '\r', file->size))};
    return r;
}

/* Moves r->next to this line, which is at or after it; dies if there is no such line. */
static void go_to_line(const table_file *file, const char *path, size_t line, record *r) {
    const char *const end = file->text + file->size, *p = r->next;
    size_t now = r->next_line;
    if (r->plain)
        for (const char *stop; now < line && p < end; ++now, p = stop ? stop + 1 : end)
            stop = (const char *)memchr(p, '\n', (size_t)(end - p));
    else
        for (; now < line && p < end; ++p)
            now += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    if (now != line || p == end) die(BAD_INPUT, "%s: line %zu is missing on the second reading", path, line);
    r->next = p;
    r->next_line = line;
}

/* Finds the record that begins in this line, at or after r->next; dies if there is no such line. Empty lines,
   comments and rows without a value are between records. */
static void find_record(const table_file *file, const char *path, size_t line, record *r) {
    const char *const end = file->text + file->size, separator = file->csv.separator;
    go_to_line(file, path, line, r);
    const char *p = r->at = r->next;
    r->cells = 1;
    if (r->plain) {
        const char *stop = (const char *)memchr(p, '\n', (size_t)(end - p));
        size_t cells = 1;
        if (!stop) stop = end;
        for (r->end = stop; p < stop; ++p) cells += *p == separator;
        r->cells = cells;
    } else {
        while (p < end && !is_line_end(*p)) {
            p = cell_end(p, end, separator, &r->next_line);
            if (p < end && *p == separator) {
                ++r->cells;
                ++p;
            }
        }
        r->end = p;
        if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n') ++p;
    }
    r->next = p < end ? p + 1 : p;
    ++r->next_line;
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
static void put_from(double zero, float value, char decimal, sooth_sink *sink) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (value != value) return;
    text_from(zero, value, text);
    for (char *c = text; *c; ++c)
        if (*c == '.') *c = decimal;
    sooth_text_write(sink, text, strlen(text));
}

/* Writes an added cell; an empty one for row SOOTH_NONE. */
static void put_added(const addition *a, size_t row, const sooth_csv *csv, sooth_sink *sink) {
    sooth_text_write(sink, &csv->separator, 1);
    if (row == SOOTH_NONE) return;
    if (a->number && (a->zero < 0.0 || a->zero > 0.0))
        put_from(a->zero, a->number[row * a->stride], csv->decimal, sink);
    else if (a->number) sooth_csv_put_number(sink, a->number[row * a->stride], csv->decimal);
    else if (a->count) sooth_text_put(sink, "%u", a->count[row * a->stride]);
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

/* ---- rows, by all threads: pieces of PIECE rows are written to memory, then in order to the file ---- */

enum { PIECE = 4096, PIECES = 16 };

typedef struct appending {
    const table_file *file;
    const char *path, *newline;
    const addition *add;
    size_t count;
    sooth_csv all; /* has the lines of all rows */
    size_t first, pieces;
    struct {
        record before;
        size_t row; /* of the table, at the first row of the piece */
        sooth_buffer text;
        int failed;
    } piece[PIECES];
} appending;

/* Writes the record r of the file, with empty cells for those that it lacks. */
static void put_padded(const table_file *file, const record *r, sooth_sink *sink) {
    sooth_text_write(sink, r->at, (size_t)(r->end - r->at));
    for (size_t t = r->cells; t < file->csv.cols - file->derived; ++t)
        sooth_text_write(sink, &file->csv.separator, 1);
}

static void append_piece(void *arg, size_t k, size_t worker) {
    appending *a = (appending *)arg;
    const sooth_csv *csv = &a->file->csv;
    const size_t from = a->first + k * PIECE, to = from + PIECE < a->all.rows ? from + PIECE : a->all.rows;
    sooth_sink sink = sooth_buffer_sink(&a->piece[k].text);
    record r = a->piece[k].before;
    size_t row = a->piece[k].row;
    (void)worker;
    for (size_t i = from; i < to; ++i) {
        find_record(a->file, a->path, a->all.line[i], &r);
        const int known = row < csv->rows && csv->line[row] == a->all.line[i];
        put_padded(a->file, &r, &sink);
        for (size_t j = 0; j < a->count; ++j) put_added(&a->add[j], known ? row : SOOTH_NONE, csv, &sink);
        row += (size_t)known;
        sooth_text_write(&sink, a->newline, strlen(a->newline));
    }
    a->piece[k].failed = sink.failed;
}

/* Writes all rows. r: at the first of them. Where each piece begins is found here, so that threads do not
   meet a line that is missing. */
static void append_rows(sooth_env *env, appending *a, record r, FILE *to) {
    const sooth_csv *csv = &a->file->csv;
    size_t row = 0;
    for (a->first = 0; a->first < a->all.rows; a->first += a->pieces * PIECE) {
        for (a->pieces = 0; a->pieces < PIECES && a->first + a->pieces * PIECE < a->all.rows; ++a->pieces) {
            const size_t from = a->first + a->pieces * PIECE;
            const size_t next = from + PIECE < a->all.rows ? from + PIECE : a->all.rows;
            go_to_line(a->file, a->path, a->all.line[from], &r);
            a->piece[a->pieces].before = r;
            a->piece[a->pieces].row = row;
            a->piece[a->pieces].text.size = 0;
            for (size_t i = from; i < next; ++i) row += row < csv->rows && csv->line[row] == a->all.line[i];
            go_to_line(a->file, a->path, a->all.line[next - 1], &r);
        }
        in_parallel(env, a->pieces, append_piece, a);
        for (size_t k = 0; k < a->pieces; ++k) {
            if (a->piece[k].failed) die(BAD_INPUT, "there is no memory for the rows of %s", a->path);
            fwrite(a->piece[k].text.text, 1, a->piece[k].text.size, to);
        }
    }
    for (size_t k = 0; k < PIECES; ++k) sooth_buffer_free(&a->piece[k].text);
}

void table_append(sooth_env *env, const table_file *file, const char *path, const addition *add, size_t count,
                  FILE *to) {
    const sooth_csv *csv = &file->csv;
    sooth_sink sink = sooth_file_sink(to);
    appending *a = (appending *)allocate(1, sizeof *a);
    record r = first_record(file);
    a->file = file;
    a->path = path;
    a->newline = newline_of(file);
    a->add = add;
    a->count = count;
    read_lines(file, path, &a->all);
    if (file->has_header) {
        find_record(file, path, csv->header_line, &r);
        fwrite(r.at, 1, (size_t)(r.end - r.at), to);
        for (size_t k = 0; k < count; ++k) {
            fputc(csv->separator, to);
            sooth_csv_put_text(&sink, titled(new_column(csv, add[k].stem), csv->unit_line ? "" : add[k].unit),
                               csv->separator);
        }
        fputs(a->newline, to);
    }
    if (csv->unit_line) {
        find_record(file, path, csv->unit_line, &r);
        put_padded(file, &r, &sink);
        for (size_t k = 0; k < count; ++k) {
            fputc(csv->separator, to);
            if (add[k].unit) sooth_csv_put_text(&sink, titled("", add[k].unit), csv->separator);
        }
        fputs(a->newline, to);
    }
    append_rows(env, a, r, to);
    if (a->all.line != csv->line) sooth_csv_free(NULL, &a->all);
    free(a);
}

/* Writes the record of a line as it is. */
static void put_record(const table_file *file, const char *path, size_t line, const char *newline, FILE *to) {
    record r = first_record(file);
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
