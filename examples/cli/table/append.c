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
    int full;  /* no row lacks cells: they are not counted */
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
    const record r = {file->text, file->text, file->text, 0, 1, (int)file->csv.plain, 0};
    return r;
}

/* Moves r->next to this line, which is at or after it. Returns 0 if there is no such line. */
static int go_to_line(const table_file *file, size_t line, record *r) {
    const char *const end = file->text + file->size, *p = r->next;
    size_t now = r->next_line;
    if (r->plain)
        for (const char *stop; now < line && p < end; ++now, p = stop ? stop + 1 : end)
            stop = (const char *)memchr(p, '\n', (size_t)(end - p));
    else
        for (; now < line && p < end; ++p)
            now += *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
    r->next = p;
    r->next_line = now;
    return now == line && p < end;
}

static void line_is_missing(const char *path, size_t line) NEVER_RETURNS;
static void line_is_missing(const char *path, size_t line) {
    die(BAD_INPUT, "%s: line %zu is missing on the second reading", path, line);
}

/* Finds the record that begins in this line, at or after r->next. Returns 0 if there is no such line. Empty
   lines, comments and rows without a value are between records. */
static int find_record(const table_file *file, size_t line, record *r) {
    const char *const end = file->text + file->size, separator = file->csv.separator;
    if (!go_to_line(file, line, r)) return 0;
    const char *p = r->at = r->next;
    r->cells = 1;
    if (r->plain) {
        const char *stop = (const char *)memchr(p, '\n', (size_t)(end - p));
        if (!stop) stop = end;
        for (r->end = stop; p < stop && !r->full; ++p) r->cells += *p == separator;
        p = stop;
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
    return 1;
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

/* ---- rows, by all threads ---- */

enum { PIECE = 4096, PIECES = 16 };

/* Some rows, and the text that they become. */
typedef struct piece {
    record before;
    size_t first, rows; /* among all rows */
    size_t row;         /* of the table, at the first one */
    char *text;
    size_t size, room;
    int failed;
} piece;

typedef struct batch {
    size_t pieces;
    piece piece[PIECES];
} batch;

/* All threads make the text of a batch. Meanwhile one of them writes the batch before it and finds the rows
   of the next one. */
typedef struct appending {
    const table_file *file;
    const char *newline;
    const addition *add;
    size_t count;
    sooth_csv all; /* has the lines of all rows */
    FILE *to;
    batch *now, *other; /* other: the batch before, then the next one */
    record r;           /* at the rows after both */
    size_t first, row;
    size_t lost; /* line that is missing; 0: none */
} appending;

/* Makes space for `more` bytes. Returns 0 without memory. */
static int make_room(piece *p, size_t more) {
    if (p->room - p->size >= more) return 1;
    const size_t room = 2 * p->room + more + 65536;
    char *larger = (char *)realloc(p->text, room);
    if (!larger) return 0;
    p->text = larger;
    p->room = room;
    return 1;
}

static int put_text(void *user, const char *text, size_t size) {
    piece *p = (piece *)user;
    if (!make_room(p, size)) return 1;
    memcpy(p->text + p->size, text, size);
    p->size += size;
    return 0;
}

/* Writes the added number of a row: nothing for NaN; zero + value with the digits of both. Returns its
   length. */
static size_t put_number(const addition *a, size_t row, char decimal, char text[SOOTH_TEXT_NUMBER_SIZE]) {
    if (a->count) return sooth_text_format(text, SOOTH_TEXT_NUMBER_SIZE, "%u", a->count[row * a->stride]);
    const float value = a->number[row * a->stride];
    size_t size;
    if (value != value) return 0;
    if (a->zero < 0.0 || a->zero > 0.0) {
        text_from(a->zero, value, text);
        size = strlen(text);
    } else size = sooth_text_from_float(text, value);
    for (size_t k = 0; k < size && decimal != '.'; ++k)
        if (text[k] == '.') text[k] = decimal;
    return size;
}

/* Appends a record with empty cells for those that it lacks, and the added cells, which are empty for row
   SOOTH_NONE. Returns 0 without memory. */
static int put_row(const appending *a, const record *r, size_t row, piece *p) {
    const sooth_csv *csv = &a->file->csv;
    const size_t size = (size_t)(r->end - r->at), cols = csv->cols - a->file->derived;
    sooth_sink sink = {p, put_text, 0};
    if (!make_room(p, size + csv->cols + a->count * (1 + SOOTH_TEXT_NUMBER_SIZE) + 2)) return 0;
    memcpy(p->text + p->size, r->at, size);
    p->size += size;
    for (size_t t = r->cells; t < cols && !r->full; ++t) p->text[p->size++] = csv->separator;
    for (const addition *add = a->add; add < a->add + a->count; ++add) {
        p->text[p->size++] = csv->separator;
        if (row == SOOTH_NONE) continue;
        if (add->number || add->count) p->size += put_number(add, row, csv->decimal, p->text + p->size);
        else {
            sooth_csv_put_text(&sink, add->text[row * add->stride], csv->separator);
            if (!make_room(p, a->count * (1 + SOOTH_TEXT_NUMBER_SIZE) + 2)) return 0;
        }
    }
    for (const char *c = a->newline; *c; ++c) p->text[p->size++] = *c;
    return !sink.failed;
}

static void append_piece(const appending *a, piece *p) {
    const sooth_csv *csv = &a->file->csv;
    record r = p->before;
    size_t row = p->row;
    for (size_t i = p->first; i < p->first + p->rows && !p->failed; ++i) {
        const int known = row < csv->rows && csv->line[row] == a->all.line[i];
        p->failed = !find_record(a->file, a->all.line[i], &r) || !put_row(a, &r, known ? row : SOOTH_NONE, p);
        row += (size_t)known;
    }
}

/* Finds where the pieces of the next batch begin, so that threads do not meet a line that is missing. */
static void find_batch(appending *a, batch *b) {
    const sooth_csv *csv = &a->file->csv;
    for (b->pieces = 0; b->pieces < PIECES && a->first < a->all.rows && !a->lost; ++b->pieces) {
        piece *p = &b->piece[b->pieces];
        const size_t next = a->first + PIECE < a->all.rows ? a->first + PIECE : a->all.rows;
        if (!go_to_line(a->file, a->all.line[a->first], &a->r)) a->lost = a->all.line[a->first];
        p->before = a->r;
        p->first = a->first;
        p->rows = next - a->first;
        p->row = a->row;
        p->size = 0;
        for (; a->first < next; ++a->first)
            a->row += a->row < csv->rows && csv->line[a->row] == a->all.line[a->first];
        if (!a->lost && !go_to_line(a->file, a->all.line[next - 1], &a->r)) a->lost = a->all.line[next - 1];
    }
}

static void write_batch(const appending *a, const batch *b) {
    for (size_t k = 0; k < b->pieces; ++k) fwrite(b->piece[k].text, 1, b->piece[k].size, a->to);
}

static void append_task(void *arg, size_t k, size_t worker) {
    appending *a = (appending *)arg;
    (void)worker;
    if (k > 0) {
        append_piece(a, &a->now->piece[k - 1]);
        return;
    }
    write_batch(a, a->other);
    find_batch(a, a->other);
}

/* Writes all rows. a->r: at the first of them. */
static void append_rows(sooth_env *env, appending *a, const char *path) {
    batch *all = (batch *)allocate(2, sizeof *all);
    a->now = &all[0];
    a->other = &all[1];
    a->r.full = !a->all.short_rows && !a->all.blank_rows && !a->file->derived;
    find_batch(a, a->now);
    while (a->now->pieces > 0 && !a->lost) {
        batch *const done = a->now;
        in_parallel(env, 1 + done->pieces, append_task, a);
        for (size_t k = 0; k < done->pieces; ++k)
            if (done->piece[k].failed) die(BAD_INPUT, "there is no memory for the rows of %s", path);
        a->now = a->other;
        a->other = done;
    }
    if (a->lost) line_is_missing(path, a->lost);
    write_batch(a, a->other);
    for (size_t k = 0; k < 2 * PIECES; ++k) free(all[k / PIECES].piece[k % PIECES].text);
    free(all);
}

/* Writes the record r of the file, with empty cells for those that it lacks. */
static void put_padded(const table_file *file, const record *r, FILE *to) {
    fwrite(r->at, 1, (size_t)(r->end - r->at), to);
    for (size_t t = r->cells; t < file->csv.cols - file->derived; ++t) fputc(file->csv.separator, to);
}

void table_append(sooth_env *env, const table_file *file, const char *path, const addition *add, size_t count,
                  FILE *to) {
    const sooth_csv *csv = &file->csv;
    sooth_sink sink = sooth_file_sink(to);
    appending *a = (appending *)allocate(1, sizeof *a);
    a->r = first_record(file);
    a->file = file;
    a->to = to;
    a->newline = newline_of(file);
    a->add = add;
    a->count = count;
    read_lines(file, path, &a->all);
    if (file->has_header) {
        if (!find_record(file, csv->header_line, &a->r)) line_is_missing(path, csv->header_line);
        fwrite(a->r.at, 1, (size_t)(a->r.end - a->r.at), to);
        for (size_t k = 0; k < count; ++k) {
            fputc(csv->separator, to);
            sooth_csv_put_text(&sink, titled(new_column(csv, add[k].stem), csv->unit_line ? "" : add[k].unit),
                               csv->separator);
        }
        fputs(a->newline, to);
    }
    if (csv->unit_line) {
        if (!find_record(file, csv->unit_line, &a->r)) line_is_missing(path, csv->unit_line);
        put_padded(file, &a->r, to);
        for (size_t k = 0; k < count; ++k) {
            fputc(csv->separator, to);
            if (add[k].unit) sooth_csv_put_text(&sink, titled("", add[k].unit), csv->separator);
        }
        fputs(a->newline, to);
    }
    append_rows(env, a, path);
    if (a->all.line != csv->line) sooth_csv_free(NULL, &a->all);
    free(a);
}

/* Writes the record of a line as it is. */
static void put_record(const table_file *file, const char *path, size_t line, const char *newline, FILE *to) {
    record r = first_record(file);
    if (!find_record(file, line, &r)) line_is_missing(path, line);
    fwrite(r.at, 1, (size_t)(r.end - r.at), to);
    fputs(newline, to);
}

void table_pick(const table_file *file, const char *path, const size_t *row, size_t count, FILE *to) {
    const char *newline = newline_of(file);
    if (file->has_header) put_record(file, path, file->csv.header_line, newline, to);
    if (file->csv.unit_line) put_record(file, path, file->csv.unit_line, newline, to);
    for (size_t i = 0; i < count; ++i) put_record(file, path, file->csv.line[row[i]], newline, to);
}
