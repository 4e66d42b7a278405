/* derive.c - columns derived from dates: the bytes of a file, extended by cells after each row.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * This happens before the file is read as CSV, so readers need not know about dates, and lines and columns
 * keep their numbers. Cells are read as text, because a float does not hold seconds since 1970.
 */
#include "table.h"
#include "instant.h"

/* ---- names ---- */

/* Returns the part of this name, or PARTS; *circle is set if the name stands for a pair of parts. */
static size_t part_named(const char *name, size_t length, int *circle) {
    const char *known;
    size_t k;
    *circle = length > 7 && memcmp(name + length - 7, "-circle", 7) == 0;
    if (*circle) length -= 6; /* both names begin with "hour-" */
    for (k = 0; instant_part_at(k); ++k) {
        known = instant_part_at(k)->name;
        if (strncmp(known, name, length) == 0 && (*circle || !known[length])) break;
    }
    return k;
}

/* Finds the last colon of "when@unix:hour", which separates column and part; NULL if there is none. */
static const char *colon_of(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon && colon > name && colon[1] ? colon : NULL;
}

/* What a column's name may end with. */
static const char *const mark[INSTANT_FORMS] = {"", "@unix", "@dmy", "@mdy"};

size_t dated_column(const sooth_csv *csv, const char *name, size_t length, instant_form *form) {
    char *copy = (char *)allocate(length + 1, 1);
    memcpy(copy, name, length);
    size_t j = sooth_csv_find(csv, copy);
    *form = INSTANT_ISO;
    for (int k = INSTANT_UNIX; j == SOOTH_NONE && k < INSTANT_FORMS; ++k) {
        const size_t n = strlen(mark[k]);
        if (length <= n || strcmp(copy + length - n, mark[k]) != 0) continue;
        *form = (instant_form)k;
        copy[length - n] = 0;
        j = sooth_csv_find(csv, copy);
    }
    free(copy);
    return j;
}

static void begin(const char *path, const sooth_csv *csv, deriving *all) {
    if (all->cols) return;
    all->path = path;
    all->cols = csv->cols;
    all->separator = csv->separator;
    all->decimal = csv->decimal ? csv->decimal : '.';
    all->header_line = csv->header_line;
    all->unit_line = csv->unit_line;
    all->zoned = (size_t *)allocate(csv->cols, 2 * sizeof *all->zoned);
    all->unzoned = all->zoned + csv->cols;
}

static void add(deriving *all, const char *column, size_t length, size_t from, instant_form form,
                size_t part) {
    const char *name = instant_part_at(part)->name;
    derived *larger = (derived *)allocate(all->count + 1, sizeof *larger), *d = &larger[all->count];
    if (all->count) memcpy(larger, all->column, all->count * sizeof *larger);
    free(all->column);
    all->column = larger;
    d->name = (char *)allocate(length + strlen(name) + 2, 1);
    sprintf(d->name, "%.*s:%s", (int)length, column, name);
    d->from = from;
    d->form = form;
    d->part = part;
    ++all->count;
}

int derive_add(const char *path, const sooth_csv *csv, const char *name, deriving *all) {
    const char *colon = colon_of(name);
    instant_form form;
    int circle;
    if (!colon) return 0;
    const size_t part = part_named(colon + 1, strlen(colon + 1), &circle);
    const size_t from = dated_column(csv, name, (size_t)(colon - name), &form);
    if (!instant_part_at(part) || circle || from == SOOTH_NONE) return 0;
    begin(path, csv, all);
    add(all, name, (size_t)(colon - name), from, form, part);
    return 1;
}

/* Dies because the name of a part is unknown. */
static void no_such_part(const char *name) {
    static const char *const circles[] = {"hour-circle", "weekday-circle", "yearday-circle"};
    const char *known[32];
    size_t n = 0;
    for (size_t k = 0; instant_part_at(k) && n < 28; ++k) known[n++] = instant_part_at(k)->name;
    for (size_t k = 0; k < 3; ++k) known[n++] = circles[k];
    if (nearest(name, known, n))
        die(BAD_USE, "--derive: unknown part %s%s", name, did_you_mean(name, known, n));
    die(BAD_USE,
        "--derive: unknown part %s; the parts are year, month, day, yearday, weekday, hour, minute, epoch, "
        "hour-circle, weekday-circle and yearday-circle",
        name);
}

void derive_read(const arguments *args, const char *path, const sooth_csv *csv, deriving *all) {
    const char *column = NULL, *part;
    size_t items, length = 0, from = 0;
    instant_form form = INSTANT_ISO;
    int circle;
    char **item = arguments_list(args, "derive", &items);
    memset(all, 0, sizeof *all);
    for (size_t i = 0; i < items; ++i) {
        const char *colon = colon_of(item[i]);
        part = colon ? colon + 1 : item[i];
        if (!colon && !column)
            die(BAD_USE, "--derive is %s, but must be COLUMN:PART,..., such as when:hour,weekday", item[i]);
        if (colon) {
            column = item[i];
            length = (size_t)(colon - column);
            from = dated_column(csv, column, length, &form);
        }
        if (from == SOOTH_NONE) {
            char name[200];
            const char **known;
            const size_t n = column_names(csv, &known);
            snprintf(name, sizeof name, "%.*s", (int)(length - strlen(mark[form])), column);
            die(BAD_INPUT, "%s has no column %s for --derive%s", path, printable(name),
                did_you_mean(name, known, n));
        }
        const size_t k = part_named(part, strlen(part), &circle);
        if (!instant_part_at(k)) no_such_part(part);
        begin(path, csv, all);
        add(all, column, length, from, form, k);
        if (circle) add(all, column, length, from, form, k + 1);
    }
    for (size_t k = 0; k < all->count; ++k) {
        if (sooth_csv_find(csv, all->column[k].name) < csv->cols)
            die(BAD_USE, "%s already has a column %s, which --derive would create", path,
                printable(all->column[k].name));
        for (size_t i = 0; i < k; ++i)
            if (strcmp(all->column[i].name, all->column[k].name) == 0)
                die(BAD_USE, "--derive has %s twice", printable(all->column[k].name));
    }
}

void derive_explain(const char *feature, FILE *to) {
    const char *colon = colon_of(feature);
    int circle;
    const size_t part = colon ? part_named(colon + 1, strlen(colon + 1), &circle) : 0;
    if (!colon || !instant_part_at(part) || circle) return;
    const char *shown = printable(feature);
    const char *end = strrchr(shown, ':'); /* printable shortens a long name */
    fprintf(to, "%s: the command derives it from %.*s, exported code takes it as input: %s\n", shown,
            (int)(end ? end - shown : (ptrdiff_t)strlen(shown)), shown, instant_part_at(part)->help);
}

int derive_uses(const deriving *all, size_t column) {
    for (size_t k = 0; k < all->count; ++k)
        if (all->column[k].from == column) return 1;
    return 0;
}

void derive_note(const deriving *all, FILE *to) {
    for (size_t k = 0; k < all->count; ++k)
        fprintf(to, "%s%s", k ? ", " : "  derived     ", listed(all->column[k].name));
    if (all->count) fprintf(to, "\n");
}

void derive_json(const deriving *all, json *j) {
    if (!all->count) return;
    json_open(j, "derived", '[');
    for (size_t k = 0; k < all->count; ++k) json_text(j, NULL, all->column[k].name);
    json_close(j, ']');
}

/* ---- one row ---- */

/* A growing buffer of bytes. */
typedef struct bytes {
    char *at;
    size_t size, room;
} bytes;

static void put(bytes *b, const char *text, size_t size) {
    if (b->room - b->size < size) {
        const size_t room = 2 * b->room > b->size + size ? 2 * b->room : b->size + size + 65536;
        char *larger = (char *)realloc(b->at, room);
        if (!larger) die(BAD_INPUT, "no memory for the columns of --derive (%zu bytes)", room);
        b->at = larger;
        b->room = room;
    }
    if (size) memcpy(b->at + b->size, text, size);
    b->size += size;
}

static int put_in(void *user, const char *text, size_t size) {
    put((bytes *)user, text, size);
    return 0;
}

static int is_line_end(char c) { return c == '\n' || c == '\r'; }
static int is_blank(char c) { return c == ' ' || c == '\t'; }

/* Returns true for texts that sooth/csv.h reads as missing. */
static int is_missing(const char *text, size_t length) {
    static const char *const word[] = {"na",    "n/a",   "nan",    "null",   "-",       "#n/a",
                                       "#ref!", "#num!", "#name?", "#null!", "#value!", "#div/0!"};
    size_t k = 0;
    if (length == 0) return 1;
    for (size_t i = 0; i < sizeof word / sizeof *word; ++i) {
        for (k = 0; k < length && word[i][k] == (text[k] >= 'A' && text[k] <= 'Z' ? text[k] + 32 : text[k]);)
            ++k;
        if (k == length && !word[i][k]) return 1;
    }
    return 0;
}

/* Removes quotes and blanks around a cell. */
static void strip(const char **text, const char *end, size_t *length) {
    const char *at = *text;
    while (at < end && is_blank(*at)) ++at;
    while (end > at && is_blank(end[-1])) --end;
    if (end - at > 1 && *at == '"' && end[-1] == '"') {
        ++at, --end;
        while (at < end && is_blank(*at)) ++at;
        while (end > at && is_blank(end[-1])) --end;
    }
    *text = at;
    *length = (size_t)(end - at);
}

/* Dies because of a cell. */
static void refuse(const deriving *all, const derived *d, size_t line, const char *text, size_t length,
                   const char *why) {
    const char *colon = colon_of(d->name);
    die(BAD_INPUT, "%s: line %zu, column %zu (%.*s): \"%.*s\" %s", all->path, line, d->from + 1,
        (int)((size_t)(colon - d->name) - strlen(mark[d->form])), d->name, (int)(length < 40 ? length : 40),
        text, why);
}

/* Dies if a column has rows with a time zone and rows without, which cannot be compared. */
static void check_zone(deriving *all, const derived *d, const instant *at, size_t line, const char *text,
                       size_t length) {
    size_t *mine = at->has_zone ? &all->zoned[d->from] : &all->unzoned[d->from];
    const size_t other = at->has_zone ? all->unzoned[d->from] : all->zoned[d->from];
    char why[INSTANT_SENTENCE];
    if (!at->has_time) return;
    if (!*mine) *mine = line;
    if (!other) return;
    snprintf(why, sizeof why, "has %s time zone, but line %zu has %s; write all with one, or none",
             at->has_zone ? "a" : "no", other, at->has_zone ? "none" : "one");
    refuse(all, d, line, text, length, why);
}

/* Appends a cell. */
static void put_cell(deriving *all, const derived *d, size_t line, const char *text, const char *end,
                     bytes *out) {
    char why[INSTANT_SENTENCE], number[SOOTH_TEXT_NUMBER_SIZE];
    const instant_part *part = instant_part_at(d->part);
    instant at;
    size_t length;
    strip(&text, end, &length);
    if (is_missing(text, length)) return;
    if (!instant_read(text, length, d->form, &at, why)) refuse(all, d, line, text, length, why);
    if (part->of_time && !at.has_time) {
        snprintf(why, sizeof why, "has no time of day, which %s needs", part->name);
        refuse(all, d, line, text, length, why);
    }
    check_zone(all, d, &at, line, text, length);
    sooth_text_from_double(number, instant_value(&at, d->part));
    char *point = strchr(number, '.');
    if (point) *point = all->decimal;
    put(out, number, strlen(number));
}

typedef struct cell {
    const char *at, *end;
} cell;

struct derive_work {
    bytes in, out;
    size_t used, given; /* of them */
    size_t line;
    int has_header, ended;
    cell *cell; /* per column of the file: of one row */
};

/* Appends the derived cells to a row with this many cells; to the header, their names; nothing to units. */
static void put_cells(deriving *all, struct derive_work *w, size_t cells) {
    for (size_t k = 0; k < all->count; ++k) {
        const derived *d = &all->column[k];
        put(&w->out, &all->separator, 1);
        if (!w->has_header) {
            sooth_sink sink = {&w->out, put_in, 0};
            sooth_csv_put_text(&sink, d->name, all->separator);
        } else if (d->from < cells && w->line != all->unit_line)
            put_cell(all, d, w->line, w->cell[d->from].at, w->cell[d->from].end, &w->out);
    }
    w->has_header = 1;
}

/* Returns true for a comment, by the rule of sooth/csv.h: a line that begins with # and a blank, or with #
   and another number of cells than the header. */
static int is_comment(const deriving *all, const char *at, const char *end, size_t cells, size_t filled) {
    if (at == end || *at != '#') return 0;
    if (end - at == 1 || (is_blank(at[1]) && at[1] != all->separator)) return 1;
    return all->cols > 1 && (cells < all->cols || filled > all->cols);
}

/* Copies one line before the header, without its text if it is a comment. */
static int take_lead(struct derive_work *w) {
    const char *const from = w->in.at + w->used, *const end = w->in.at + w->in.size, *p = from;
    while (p < end && !is_line_end(*p)) ++p;
    const char *const text_end = p;
    if (p < end) p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
    if (p == end && !w->ended) return 0;
    if (from < end && *from != '#') put(&w->out, from, (size_t)(text_end - from));
    put(&w->out, text_end, (size_t)(p - text_end));
    w->used += (size_t)(p - from);
    ++w->line;
    return 1;
}

/* Copies one row or empty line from in to out; returns 0 if its end has not been read yet. */
static int take_row(deriving *all, struct derive_work *w) {
    if (w->used == w->in.size) return 0;
    if (w->line < all->header_line) return take_lead(w);
    const char *const from = w->in.at + w->used, *const end = w->in.at + w->in.size, *p = from, *last;
    size_t cells = 0, line = w->line, filled = 0, beyond = 0;
    do {
        const char *at = p;
        size_t length;
        p = cell_end(p, end, all->separator, &line);
        if (p == end && !w->ended) return 0;
        if (cells < all->cols) {
            w->cell[cells].at = at;
            w->cell[cells].end = p;
            filled += p > at;
        } else if (!beyond) {
            strip(&at, p, &length);
            if (length) beyond = cells + 1;
        }
        ++cells;
    } while (p < end && *p == all->separator && ++p);
    if (p + 1 == end && *p == '\r' && !w->ended) return 0; /* may be half a line end */
    const int comment = w->has_header && line == w->line && is_comment(all, from, p, cells, beyond);
    if (beyond && !comment)
        die(BAD_INPUT, "%s: line %zu has a cell in column %zu, but the header has %zu columns", all->path,
            w->line, beyond, all->cols);
    last = comment ? from : cells > all->cols ? w->cell[all->cols - 1].end : p;
    put(&w->out, from, (size_t)(last - from));
    if ((p > from || all->cols == 1) && !comment) { /* in one column, an empty line is a row */
        for (size_t k = cells; k < all->cols; ++k) put(&w->out, &all->separator, 1);
        if (cells < all->cols && filled && w->has_header && all->short_rows++ == 0)
            all->first_short = w->line;
        put_cells(all, w, cells);
    }
    last = p;
    if (p < end && is_line_end(*p)) {
        p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
        ++line;
    }
    put(&w->out, last, (size_t)(p - last));
    w->used += (size_t)(p - from);
    w->line = line;
    return 1;
}

/* ---- the file ---- */

static void work_begin(deriving *all) {
    struct derive_work *w = all->work;
    if (!w) all->work = w = (struct derive_work *)allocate(1, sizeof *w);
    if (!w->cell) w->cell = (cell *)allocate(all->cols, sizeof *w->cell);
    w->in.size = w->out.size = w->used = w->given = 0;
    w->line = 1;
    w->has_header = w->ended = 0;
    all->short_rows = 0;
}

/* Reads more rows into out; *more is 0 at the end. */
static sooth_status more_rows(deriving *all, sooth_env *env, int *more) {
    enum { SOME = 65536 };
    struct derive_work *w = all->work;
    size_t enough = 0; /* a long row is parsed again once it has twice as many bytes */
    w->out.size = w->given = 0;
    while (w->out.size < SOME && take_row(all, w)) continue;
    while (w->out.size == 0 && !w->ended) {
        static char bytes[SOME];
        size_t got = 0;
        const sooth_status status = all->file->read_fn(all->file->user, env, bytes, sizeof bytes, &got);
        if (status != SOOTH_OK) return status;
        if (w->used) memmove(w->in.at, w->in.at + w->used, w->in.size -= w->used);
        w->used = 0;
        w->ended = got == 0;
        put(&w->in, bytes, got);
        if (w->in.size < enough && !w->ended) continue;
        while (w->out.size < SOME && take_row(all, w)) continue;
        enough = 2 * w->in.size;
    }
    *more = w->out.size > 0;
    return SOOTH_OK;
}

static sooth_status read_rows(void *user, sooth_env *env, void *to, size_t size, size_t *got) {
    deriving *all = (deriving *)user;
    struct derive_work *w = all->work;
    int more = 1;
    *got = 0;
    while (more && w->given == w->out.size) {
        const sooth_status status = more_rows(all, env, &more);
        if (status != SOOTH_OK) return status;
    }
    *got = w->out.size - w->given < size ? w->out.size - w->given : size;
    if (*got) memcpy(to, w->out.at + w->given, *got);
    w->given += *got;
    return SOOTH_OK;
}

static sooth_status read_again(void *user, sooth_env *env) {
    deriving *all = (deriving *)user;
    work_begin(all);
    return all->file->rewind_fn(all->file->user, env);
}

sooth_csv_file derive_file(deriving *all, const sooth_csv_file *file) {
    /* the size is unknown before the end */
    const sooth_csv_file made = {all, read_rows, read_again, 0};
    all->file = file;
    work_begin(all);
    return made;
}

char *derive_bytes(deriving *all, const char *text, size_t size, size_t *made) {
    struct derive_work *w;
    work_begin(all);
    w = all->work;
    while (size > 1 && is_line_end(text[size - 1]) && is_line_end(text[size - 2])) --size;
    w->in.at = (char *)allocate(size, 1);
    memcpy(w->in.at, text, size);
    w->in.size = size;
    w->ended = 1;
    while (take_row(all, w)) continue;
    put(&w->out, "", 1); /* a zero that is not counted */
    *made = w->out.size - 1;
    char *out = w->out.at;
    free(w->in.at);
    free(w->cell);
    free(w);
    all->work = NULL;
    return out;
}
