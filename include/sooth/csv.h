/* csv.h - CSV files as people really have them, turned into tables; and tables turned into CSV.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads from a buffer: quotes ("" inside stands for one), separators and line ends inside quotes, LF, CRLF or CR, a byte-order mark, comma, semicolon
 * or tab (found in the header line; with semicolons a decimal comma is understood), blanks around cells, blank lines, short rows, trailing
 * separators, columns of the same name. These cells are missing values: empty, NA, N/A, #N/A, NaN, null, -, #DIV/0!, #VALUE!, #REF!,
 * #NAME?, #NUM!, #NULL!, in any case. A column in which any other cell is no number is a text column: its distinct texts are numbered
 * in the order of their first appearance. A header "Power [W]" or "Power (W)" is the name Power with the unit W.
 *
 *     sooth_csv csv;
 *     sooth_csv_data data;
 *     sooth_csv_choice choice;
 *     memset(&choice, 0, sizeof choice);
 *     choice.target = "Power";
 *     choice.group = "Benchmark";                         rows of one benchmark share a group
 *     if (sooth_csv_read(&env, bytes, size, 0, &csv) != SOOTH_OK ||
 *         sooth_csv_table(&env, &csv, &choice, &data) != SOOTH_OK)
 *         puts(env.sentence);                             line 7, column 3 (Power): "abc" is not a number
 *     sooth_tree_fit(&env, &data.table, NULL, &tree);
 *
 * Costs: two passes over the bytes; 4 bytes per cell, about 100 per column, the distinct texts. Nothing points into the buffer afterwards.
 */
#include "base.h"

#ifndef SOOTH_CSV_H
#define SOOTH_CSV_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sooth_csv_column {
    const char *header; /* as the file has it; a repeated one gets ".2", ".3", ... */
    const char *name;   /* without its unit */
    const char *unit;   /* "" when there is none */
    uint32_t is_text;
    uint32_t texts;     /* distinct ones, of a text column */
    const char **text;  /* they, in the order of their numbers */
    size_t missing;     /* cells without a value */
    size_t odd_line;    /* of a text column: the first cell that is no number */
} sooth_csv_column;

typedef struct sooth_csv {
    size_t rows, cols;
    sooth_csv_column *column;
    float *cell;        /* rows x cols; NaN: missing; in a text column the number of the text */
    uint32_t *line;     /* per row: where it stands in the file, from 1 */
    char separator;
    size_t repeated;    /* columns that had the name of an earlier one */
    size_t blank_rows;  /* rows without any value, left out */
    size_t short_rows;  /* rows with fewer cells than the header; the rest is missing */
    size_t first_short; /* the first one's line */

    struct soothi_csv_pool *pool; /* the texts */
    size_t rooms[4];              /* sizes of the allocations above */
} sooth_csv;

/* Reads bytes[0..size). separator 0: found in the header. SOOTH_BAD_TEXT with line and column in the sentence. */
SOOTH_API sooth_status sooth_csv_read(sooth_env *env, const void *bytes, size_t size, char separator, sooth_csv *csv);
SOOTH_API void sooth_csv_free(sooth_env *env, sooth_csv *csv);

/* The number of the column with this header or name; csv->cols when there is none. */
SOOTH_API size_t sooth_csv_find(const sooth_csv *csv, const char *name);

/* Which columns play which part. Zero bytes: every column of numbers is a feature. */
typedef struct sooth_csv_choice {
    const char *const *features; /* NULL: all columns of numbers that play no other part */
    size_t feature_count;
    const char *const *drop; /* of those, not these */
    size_t drop_count;
    const char *target; /* NULL: the table has no targets */
    const char *group;  /* text or numbers; NULL: none */
    const char *weight; /* NULL: none */
} sooth_csv_choice;

typedef struct sooth_csv_data {
    sooth_table table;       /* its memory belongs to this struct; names are there */
    const char **units;      /* per feature */
    uint32_t *column;        /* per feature: its column in the file */
    uint32_t *row;           /* per row of the table: the row of the CSV */
    size_t target_column;    /* csv->cols when there is none */
    uint32_t groups;
    const char **group_name; /* per group */
    size_t dropped_target;   /* rows left out because the target, */
    size_t dropped_group;    /* the group or the weight is missing */
    size_t ignored_text;     /* columns of text that nobody asked for */
    void *memory;
    size_t memory_size;
} sooth_csv_data;

/* Builds a table. Missing features stay NaN; rows without target, group or weight are left out and counted. Unknown names, text where
   numbers are needed and an empty result are sentences. The texts live in csv, which must outlive data. */
SOOTH_API sooth_status sooth_csv_table(sooth_env *env, const sooth_csv *csv, const sooth_csv_choice *choice, sooth_csv_data *data);
SOOTH_API void sooth_csv_data_free(sooth_env *env, sooth_csv_data *data);

/* first[i] gets the first row whose features equal those of row i, bit for bit (missing values equal each other): i itself when it is new. Returns in *count how
   many are not. O(rows x cols); 8 bytes per row of scratch. */
SOOTH_API sooth_status sooth_csv_duplicates(sooth_env *env, const sooth_table *table, uint32_t *first, size_t *count);

/* Writes one cell: text in quotes where it needs them, a number as short as it reads back, a missing one as nothing. */
SOOTH_API void sooth_csv_put_text(sooth_sink *sink, const char *text, char separator);
SOOTH_API void sooth_csv_put_number(sooth_sink *sink, float value);

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_CSV_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- texts ---- */

/* Pieces of memory that texts are copied into; they never move. */
typedef struct soothi_csv_pool {
    struct soothi_csv_pool *next;
    size_t size, used; /* of the bytes behind this struct */
} soothi_csv_pool;

/* Room for a text of this length and its final zero. */
SOOTHI_INLINE char *soothi_csv_space(sooth_env *env, sooth_csv *csv, size_t length) {
    soothi_csv_pool *pool = csv->pool;
    if (!pool || pool->size - pool->used <= length) {
        size_t size = length + 1 > 32768 ? length + 1 : 32768;
        pool = (soothi_csv_pool *)soothi_alloc(env, 1, sizeof *pool + size);
        if (!pool) return NULL;
        pool->next = csv->pool;
        pool->size = size;
        pool->used = 0;
        csv->pool = pool;
    }
    pool->used += length + 1;
    return (char *)(pool + 1) + pool->used - length - 1;
}

SOOTHI_INLINE char *soothi_csv_keep(sooth_env *env, sooth_csv *csv, const char *text, size_t length) {
    char *copy = soothi_csv_space(env, csv, length);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* Is it one of the ways to say that there is no value? */
SOOTHI_INLINE int soothi_csv_missing(const char *text, size_t length) {
    static const char word[][8] = {"",  "na",   "n/a",     "#n/a",    "nan",   "null",
                                   "-", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"};
    size_t i;
    if (length > 7) return 0;
    for (i = 0; i < sizeof word / sizeof word[0]; ++i) {
        size_t k = 0;
        while (k < length && k < 8 && word[i][k] == (text[k] >= 'A' && text[k] <= 'Z' ? (char)(text[k] + 32) : text[k])) ++k;
        if (k == length && (k == 8 || word[i][k] == 0)) return 1;
    }
    return 0;
}

SOOTHI_INLINE size_t soothi_csv_length(const char *text) {
    size_t n = 0;
    while (text[n]) ++n;
    return n;
}

SOOTHI_INLINE uint32_t soothi_csv_hash(const void *bytes, size_t size, uint32_t seed) {
    const unsigned char *b = (const unsigned char *)bytes;
    uint32_t h = seed * 0x9E3779B1u + 0x85EBCA77u;
    size_t i;
    for (i = 0; i < size; ++i) h = (h ^ b[i]) * 0x01000193u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return h ^ (h >> 13);
}

/* ---- cells ---- */

typedef struct soothi_csv_reader {
    sooth_env *env;
    const char *at, *end;
    char *room;       /* for cells that are not in the buffer as they are */
    size_t room_size;
    char separator;
    size_t line;      /* of `at`, from 1 */
    const char *text; /* the cell just read, blanks around it dropped */
    size_t length;
    int row_ends;     /* it was the last one of its row */
    int quoted;
} soothi_csv_reader;

SOOTHI_INLINE sooth_status soothi_csv_room(soothi_csv_reader *r, size_t need) {
    size_t size = r->room_size ? r->room_size : 256;
    char *larger;
    if (need <= r->room_size) return SOOTH_OK;
    while (size < need) size *= 2;
    larger = (char *)soothi_alloc(r->env, size, 1);
    if (!larger) return soothi_no_memory(r->env, "a cell", size);
    if (r->room) memcpy(larger, r->room, r->room_size);
    soothi_free(r->env, r->room, r->room_size, 1);
    r->room = larger;
    r->room_size = size;
    return SOOTH_OK;
}

/* Behind a cell: takes the separator or the line end. */
SOOTHI_INLINE void soothi_csv_after(soothi_csv_reader *r) {
    r->row_ends = 1;
    if (r->at == r->end) return;
    if (*r->at == r->separator) {
        ++r->at;
        r->row_ends = 0;
        return;
    }
    if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n') ++r->at;
    ++r->at;
    ++r->line;
}

SOOTHI_INLINE int soothi_csv_line_end(char c) { return c == '\n' || c == '\r'; }

/* Reads the next cell. There must be one: at < end, or the cell behind a final separator. */
SOOTHI_INLINE sooth_status soothi_csv_next(soothi_csv_reader *r) {
    const char *p = r->at, *start;
    size_t opened = r->line, n = 0;
    while (p < r->end && (*p == ' ' || (*p == '\t' && r->separator != '\t'))) ++p;
    r->quoted = p < r->end && *p == '"';
    if (!r->quoted) {
        start = p;
        while (p < r->end && *p != r->separator && !soothi_csv_line_end(*p)) ++p;
        r->at = p;
        while (p > start && (p[-1] == ' ' || p[-1] == '\t')) --p;
        r->text = start;
        r->length = (size_t)(p - start);
        soothi_csv_after(r);
        return SOOTH_OK;
    }
    for (++p; p < r->end; ++p) {
        if (*p == '"') {
            if (p + 1 == r->end || p[1] != '"') break;
            ++p;
        }
        if (*p == '\n' || (*p == '\r' && (p + 1 == r->end || p[1] != '\n'))) ++r->line;
        if (n + 1 > r->room_size && soothi_csv_room(r, n + 1) != SOOTH_OK) return SOOTH_NO_MEMORY;
        r->room[n++] = *p;
    }
    if (p == r->end) return soothi_fail(r->env, SOOTH_BAD_TEXT, "line %z: a quote is opened and never closed", opened);
    ++p;
    while (p < r->end && *p != r->separator && !soothi_csv_line_end(*p)) { /* what follows a closing quote belongs to the cell */
        if (soothi_csv_room(r, n + 1) != SOOTH_OK) return SOOTH_NO_MEMORY;
        r->room[n++] = *p++;
    }
    while (n > 0 && r->room[n - 1] == ' ') --n;
    r->at = p;
    r->text = n ? r->room : "";
    r->length = n;
    soothi_csv_after(r);
    return SOOTH_OK;
}

/* The number in a cell: 1 and *value, or 0. With semicolons between the cells a comma may stand for the point. */
SOOTHI_INLINE int soothi_csv_number(const soothi_csv_reader *r, float *value) {
    char room[64];
    const char *text = r->text;
    size_t i, length = r->length;
    if (length == 0) return 0;
    if (r->separator == ';' && length < sizeof room) {
        memcpy(room, text, length);
        for (i = 0; i < length; ++i)
            if (room[i] == ',') room[i] = '.';
        text = room;
    }
    return sooth_text_to_float(text, length, value) == length;
}

/* A comma, semicolon or tab: whichever the first line has most of, outside quotes. */
SOOTHI_INLINE char soothi_csv_separator(const char *at, const char *end) {
    size_t comma = 0, semicolon = 0, tab = 0;
    int quoted = 0;
    for (; at < end && (quoted || !soothi_csv_line_end(*at)); ++at) {
        quoted ^= *at == '"';
        if (quoted) continue;
        comma += *at == ',';
        semicolon += *at == ';';
        tab += *at == '\t';
    }
    return semicolon > comma && semicolon >= tab ? ';' : tab > comma ? '\t' : ',';
}

/* ---- the header ---- */

/* Cuts "Power [W]" and "Power (W)" into name and unit. */
SOOTHI_INLINE sooth_status soothi_csv_unit(sooth_env *env, sooth_csv *csv, sooth_csv_column *c) {
    size_t length = soothi_csv_length(c->header), open = length, end;
    char close = length ? c->header[length - 1] : 0;
    c->name = c->header;
    c->unit = "";
    if (close != ']' && close != ')') return SOOTH_OK;
    while (open > 0 && c->header[open - 1] != (close == ']' ? '[' : '(')) --open;
    if (open < 2) return SOOTH_OK;
    for (end = open - 1; end > 0 && c->header[end - 1] == ' ';) --end;
    if (end == 0 || length - 1 == open) return SOOTH_OK;
    c->name = soothi_csv_keep(env, csv, c->header, end);
    c->unit = c->name ? soothi_csv_keep(env, csv, c->header + open, length - 1 - open) : NULL;
    return c->unit ? SOOTH_OK : soothi_no_memory(env, "a column name", length);
}

/* Gives repeated headers a number, with a table of hashes: linear in the number of columns. */
SOOTHI_INLINE sooth_status soothi_csv_unique(sooth_env *env, sooth_csv *csv) {
    size_t slots = 16, j, at;
    uint32_t *slot;
    while (slots < 2 * csv->cols) slots *= 2;
    slot = (uint32_t *)soothi_alloc(env, slots, sizeof *slot);
    if (!slot) return soothi_no_memory(env, "column names", slots * sizeof *slot);
    memset(slot, 0, slots * sizeof *slot);
    for (j = 0; j < csv->cols; ++j) {
        const char *original = csv->column[j].header;
        uint32_t copy = 1;
        for (;;) {
            const char *header = csv->column[j].header;
            at = soothi_csv_hash(header, soothi_csv_length(header), 0) & (slots - 1);
            while (slot[at] && !soothi_same_text(csv->column[slot[at] - 1].header, header)) at = (at + 1) & (slots - 1);
            if (!slot[at]) break;
            {
                size_t length = soothi_csv_length(original);
                char *name = soothi_csv_space(env, csv, length + 12);
                if (!name) {
                    soothi_free(env, slot, slots, sizeof *slot);
                    return soothi_no_memory(env, "a column name", length);
                }
                csv->repeated += copy == 1;
                memcpy(name, original, length);
                sooth_text_format(name + length, 12, ".%u", ++copy);
                csv->column[j].header = name;
            }
        }
        slot[at] = (uint32_t)j + 1;
    }
    soothi_free(env, slot, slots, sizeof *slot);
    return SOOTH_OK;
}

SOOTHI_INLINE sooth_status soothi_csv_header(soothi_csv_reader *r, sooth_csv *csv) {
    const soothi_csv_reader start = *r;
    size_t cols = 0, j;
    sooth_status status = SOOTH_OK;
    do { /* count, then keep */
        status = soothi_csv_next(r);
        ++cols;
    } while (status == SOOTH_OK && !r->row_ends);
    if (status != SOOTH_OK) return status;
    csv->column = (sooth_csv_column *)soothi_alloc(r->env, cols, sizeof *csv->column);
    if (!csv->column) return soothi_no_memory(r->env, "the columns", cols * sizeof *csv->column);
    memset(csv->column, 0, cols * sizeof *csv->column);
    csv->cols = cols;
    r->at = start.at;
    r->line = start.line;
    for (j = 0; j < cols; ++j) {
        char room[32];
        status = soothi_csv_next(r);
        if (status != SOOTH_OK) return status;
        sooth_text_format(room, sizeof room, "column %z", j + 1);
        csv->column[j].header = r->length ? soothi_csv_keep(r->env, csv, r->text, r->length)
                                          : soothi_csv_keep(r->env, csv, room, soothi_csv_length(room));
        if (!csv->column[j].header) return soothi_no_memory(r->env, "a column name", r->length);
    }
    status = soothi_csv_unique(r->env, csv);
    for (j = 0; j < cols && status == SOOTH_OK; ++j) status = soothi_csv_unit(r->env, csv, &csv->column[j]);
    return status;
}

/* ---- the rows ---- */

SOOTHI_INLINE float soothi_csv_nothing(void) {
    const uint32_t bits = 0x7FC00000u;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What a row was like. */
typedef struct soothi_csv_row {
    size_t cells, values; /* and how many of them hold a value */
    size_t line;
} soothi_csv_row;

/* Texts of all columns by (column, text), with open addressing. */
typedef struct soothi_csv_words {
    uint32_t *slot; /* number of an entry + 1 */
    size_t slots;
    struct {
        const char *text;
        uint32_t column, code;
    } *entry;
    size_t entries, room;
} soothi_csv_words;

SOOTHI_INLINE sooth_status soothi_csv_grow(sooth_env *env, soothi_csv_words *words) {
    soothi_csv_words larger = *words;
    size_t i;
    larger.slots = words->slots ? 2 * words->slots : 64;
    larger.room = larger.slots / 2;
    larger.slot = (uint32_t *)soothi_alloc(env, larger.slots, sizeof *larger.slot);
    *(void **)&larger.entry = soothi_alloc(env, larger.room, sizeof *larger.entry);
    if (!larger.slot || !larger.entry) {
        soothi_free(env, larger.entry, larger.room, sizeof *larger.entry);
        soothi_free(env, larger.slot, larger.slots, sizeof *larger.slot);
        return soothi_no_memory(env, "the texts", larger.slots * sizeof *larger.entry);
    }
    memset(larger.slot, 0, larger.slots * sizeof *larger.slot);
    if (words->entries) memcpy(larger.entry, words->entry, words->entries * sizeof *words->entry);
    for (i = 0; i < words->entries; ++i) {
        const char *text = words->entry[i].text;
        size_t at = soothi_csv_hash(text, soothi_csv_length(text), words->entry[i].column + 1) & (larger.slots - 1);
        while (larger.slot[at]) at = (at + 1) & (larger.slots - 1);
        larger.slot[at] = (uint32_t)i + 1;
    }
    soothi_free(env, words->entry, words->room, sizeof *words->entry);
    soothi_free(env, words->slot, words->slots, sizeof *words->slot);
    *words = larger;
    return SOOTH_OK;
}

/* The number of a text in its column, a new one if need be. */
SOOTHI_INLINE sooth_status soothi_csv_code(sooth_env *env, sooth_csv *csv, soothi_csv_words *words, uint32_t column, const char *text,
                                           size_t length, uint32_t *code) {
    size_t at;
    char *copy;
    if (2 * (words->entries + 1) > words->slots && soothi_csv_grow(env, words) != SOOTH_OK) return SOOTH_NO_MEMORY;
    at = soothi_csv_hash(text, length, column + 1) & (words->slots - 1);
    for (; words->slot[at]; at = (at + 1) & (words->slots - 1)) {
        const char *known = words->entry[words->slot[at] - 1].text;
        size_t k = 0;
        if (words->entry[words->slot[at] - 1].column != column) continue;
        while (k < length && known[k] == text[k]) ++k;
        if (k == length && known[k] == 0) {
            *code = words->entry[words->slot[at] - 1].code;
            return SOOTH_OK;
        }
    }
    copy = soothi_csv_keep(env, csv, text, length);
    if (!copy) return soothi_no_memory(env, "a text", length);
    if (csv->column[column].texts == 1u << 24)
        return soothi_fail(env, SOOTH_BAD_TEXT, "column %s has more than 16,777,216 different texts", csv->column[column].header);
    words->entry[words->entries].text = copy;
    words->entry[words->entries].column = column;
    *code = words->entry[words->entries].code = csv->column[column].texts++;
    words->slot[at] = (uint32_t)++words->entries;
    return SOOTH_OK;
}

/* Reads one row. cell NULL: only looks which columns are numbers. */
SOOTHI_INLINE sooth_status soothi_csv_read_row(soothi_csv_reader *r, sooth_csv *csv, soothi_csv_words *words, float *cell,
                                               soothi_csv_row *row) {
    const float missing = soothi_csv_nothing();
    row->cells = row->values = 0;
    row->line = r->line;
    do {
        sooth_status status = soothi_csv_next(r);
        size_t j = row->cells++;
        sooth_csv_column *c;
        float value = missing;
        uint32_t code = 0;
        if (status != SOOTH_OK) return status;
        if (j >= csv->cols) {
            if (r->length == 0) continue;
            return soothi_fail(r->env, SOOTH_BAD_TEXT, "line %z has a cell in column %z, but the header has %z columns", row->line, j + 1,
                               csv->cols);
        }
        c = &csv->column[j];
        if (!soothi_csv_missing(r->text, r->length)) {
            ++row->values;
            if (!cell) {
                if (!c->is_text && !soothi_csv_number(r, &value)) {
                    c->is_text = 1;
                    c->odd_line = row->line;
                }
            } else if (!c->is_text) {
                soothi_csv_number(r, &value);
            } else {
                status = soothi_csv_code(r->env, csv, words, (uint32_t)j, r->text, r->length, &code);
                if (status != SOOTH_OK) return status;
                value = (float)code;
            }
        }
        if (cell) cell[j] = value;
    } while (!r->row_ends);
    for (; cell && row->cells < csv->cols; ++row->cells) cell[row->cells] = missing;
    return SOOTH_OK;
}

/* Skips empty lines; 0 at the end. */
SOOTHI_INLINE int soothi_csv_more(soothi_csv_reader *r) {
    while (r->at < r->end && soothi_csv_line_end(*r->at)) {
        if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n') ++r->at;
        ++r->at;
        ++r->line;
    }
    return r->at < r->end;
}

SOOTHI_INLINE sooth_status soothi_csv_body(soothi_csv_reader *r, sooth_csv *csv, soothi_csv_words *words) {
    const soothi_csv_reader start = *r;
    const size_t bytes = (size_t)(r->end - r->at);
    size_t rows = 0, j, i, lines = 0;
    sooth_status status = SOOTH_OK;
    soothi_csv_row row;
    for (; soothi_csv_more(r); ++lines) { /* which columns are numbers, and how many rows */
        status = soothi_csv_read_row(r, csv, words, NULL, &row);
        if (status != SOOTH_OK) return status;
        rows += row.values > 0;
        csv->blank_rows += row.values == 0;
        if (row.values && row.cells < csv->cols && csv->short_rows++ == 0) csv->first_short = row.line;
        if (lines % 4096 == 0) {
            status = soothi_progress(r->env, "reading", 0.5 * (double)(r->at - start.at) / (double)bytes);
            if (status != SOOTH_OK) return status;
        }
    }
    if (rows == 0) return soothi_fail(r->env, SOOTH_BAD_TEXT, "the file has a header of %z columns but no rows", csv->cols);
    if (rows > UINT32_MAX / 2) return soothi_fail(r->env, SOOTH_BAD_TEXT, "the file has %z rows, but at most 2^31 are read", rows);
    csv->rooms[0] = soothi_product(rows + 1, csv->cols); /* one more for a row that turns out blank */
    csv->cell = (float *)soothi_alloc(r->env, csv->rooms[0], sizeof(float));
    csv->rooms[1] = rows + 1;
    csv->line = (uint32_t *)soothi_alloc(r->env, csv->rooms[1], sizeof *csv->line);
    if (!csv->cell || !csv->line) return soothi_no_memory(r->env, "the cells", soothi_product(csv->rooms[0], sizeof(float)));
    r->at = start.at;
    r->line = start.line;
    for (lines = 0; soothi_csv_more(r); ++lines) {
        status = soothi_csv_read_row(r, csv, words, csv->cell + csv->rows * csv->cols, &row);
        if (status != SOOTH_OK) return status;
        csv->line[csv->rows] = (uint32_t)row.line;
        csv->rows += row.values > 0;
        if (lines % 4096 == 0) {
            status = soothi_progress(r->env, "reading", 0.5 + 0.5 * (double)(r->at - start.at) / (double)bytes);
            if (status != SOOTH_OK) return status;
        }
    }
    for (i = 0; i < csv->rows; ++i)
        for (j = 0; j < csv->cols; ++j)
            csv->column[j].missing += (size_t)soothi_nan((double)csv->cell[i * csv->cols + j]);
    return SOOTH_OK;
}

/* Hands the texts to their columns. */
SOOTHI_INLINE sooth_status soothi_csv_share_out(sooth_env *env, sooth_csv *csv, const soothi_csv_words *words) {
    const char **next;
    size_t j, i;
    if (words->entries == 0) return SOOTH_OK;
    csv->rooms[2] = words->entries;
    next = (const char **)soothi_alloc(env, words->entries, sizeof *next);
    if (!next) return soothi_no_memory(env, "the texts", words->entries * sizeof *next);
    for (j = 0; j < csv->cols; ++j) {
        if (!csv->column[j].is_text) continue;
        csv->column[j].text = next;
        next += csv->column[j].texts;
    }
    for (i = 0; i < words->entries; ++i) csv->column[words->entry[i].column].text[words->entry[i].code] = words->entry[i].text;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_csv_read(sooth_env *env, const void *bytes, size_t size, char separator, sooth_csv *csv) {
    soothi_csv_reader r;
    soothi_csv_words words;
    sooth_status status;
    size_t i;
    memset(csv, 0, sizeof *csv);
    memset(&words, 0, sizeof words);
    memset(&r, 0, sizeof r);
    r.env = env;
    r.at = (const char *)bytes;
    r.end = r.at + size;
    r.line = 1;
    if (size >= 3 && (unsigned char)r.at[0] == 0xEF && (unsigned char)r.at[1] == 0xBB && (unsigned char)r.at[2] == 0xBF) r.at += 3;
    for (i = 0; i < size; ++i)
        if (((const char *)bytes)[i] == 0)
            return soothi_fail(env, SOOTH_BAD_TEXT, "byte %z is zero: this is not a text file", i + 1);
    if (!soothi_csv_more(&r)) return soothi_fail(env, SOOTH_BAD_TEXT, "the file is empty");
    r.separator = separator ? separator : soothi_csv_separator(r.at, r.end);
    csv->separator = r.separator;
    status = soothi_csv_header(&r, csv);
    if (status == SOOTH_OK) status = soothi_csv_body(&r, csv, &words);
    if (status == SOOTH_OK) status = soothi_csv_share_out(env, csv, &words);
    soothi_free(env, words.entry, words.room, sizeof *words.entry);
    soothi_free(env, words.slot, words.slots, sizeof *words.slot);
    soothi_free(env, r.room, r.room_size, 1);
    if (status != SOOTH_OK) sooth_csv_free(env, csv);
    return status;
}

SOOTH_API void sooth_csv_free(sooth_env *env, sooth_csv *csv) {
    size_t j;
    for (j = 0; j < csv->cols; ++j) {
        if (!csv->column[j].text) continue;
        soothi_free(env, (void *)csv->column[j].text, csv->rooms[2], sizeof *csv->column[j].text);
        break; /* all columns share one array, the first holds its beginning */
    }
    soothi_free(env, csv->line, csv->rooms[1], sizeof *csv->line);
    soothi_free(env, csv->cell, csv->rooms[0], sizeof(float));
    soothi_free(env, csv->column, csv->cols, sizeof *csv->column);
    while (csv->pool) {
        soothi_csv_pool *next = csv->pool->next;
        soothi_free(env, csv->pool, 1, sizeof *csv->pool + csv->pool->size);
        csv->pool = next;
    }
    memset(csv, 0, sizeof *csv);
}

SOOTH_API size_t sooth_csv_find(const sooth_csv *csv, const char *name) {
    size_t j;
    for (j = 0; j < csv->cols; ++j)
        if (soothi_same_text(csv->column[j].header, name)) return j;
    for (j = 0; j < csv->cols; ++j)
        if (soothi_same_text(csv->column[j].name, name)) return j;
    return csv->cols;
}

/* ---- tables ---- */

/* The column of this name, or a sentence with the names there are. */
SOOTHI_INLINE sooth_status soothi_csv_column(sooth_env *env, const sooth_csv *csv, const char *name, const char *part, size_t *column) {
    char known[SOOTH_SENTENCE - 96];
    size_t j, n = 0;
    *column = sooth_csv_find(csv, name);
    if (*column < csv->cols) return SOOTH_OK;
    known[0] = 0;
    for (j = 0; j < csv->cols && n + 1 < sizeof known; ++j)
        n += sooth_text_format(known + n, sizeof known - n, j ? ", %s" : "%s", csv->column[j].name);
    return soothi_fail(env, SOOTH_BAD_DATA, "there is no column %s for the %s; there are %s", name, part, known);
}

/* A column that must hold numbers. */
SOOTHI_INLINE sooth_status soothi_csv_numbers(sooth_env *env, const sooth_csv *csv, const char *name, const char *part, size_t *column) {
    sooth_status status = soothi_csv_column(env, csv, name, part, column);
    const sooth_csv_column *c = &csv->column[*column];
    size_t i;
    if (status != SOOTH_OK || !c->is_text) return status;
    for (i = 0; i + 1 < csv->rows && csv->line[i] != c->odd_line; ++i) continue;
    return soothi_fail(env, SOOTH_BAD_DATA, "line %z, column %z (%s): \"%s\" is not a number", c->odd_line, *column + 1, c->name,
                       soothi_nan((double)csv->cell[i * csv->cols + *column])
                           ? "?"
                           : c->text[(size_t)csv->cell[i * csv->cols + *column]]);
}

typedef struct soothi_csv_parts {
    size_t target, group, weight; /* csv->cols: none */
    size_t features, rows;
} soothi_csv_parts;

/* Marks the columns that are features in mark[0..cols). */
SOOTHI_INLINE sooth_status soothi_csv_choose(sooth_env *env, const sooth_csv *csv, const sooth_csv_choice *choice,
                                             soothi_csv_parts *parts, unsigned char *mark, sooth_csv_data *data) {
    sooth_status status = SOOTH_OK;
    size_t j, i;
    parts->target = parts->group = parts->weight = csv->cols;
    if (choice->target) status = soothi_csv_numbers(env, csv, choice->target, "target", &parts->target);
    if (status == SOOTH_OK && choice->group) status = soothi_csv_column(env, csv, choice->group, "group", &parts->group);
    if (status == SOOTH_OK && choice->weight) status = soothi_csv_numbers(env, csv, choice->weight, "weight", &parts->weight);
    if (status != SOOTH_OK) return status;
    memset(mark, 0, csv->cols);
    if (choice->features) {
        for (i = 0; i < choice->feature_count; ++i) {
            status = soothi_csv_numbers(env, csv, choice->features[i], "features", &j);
            if (status != SOOTH_OK) return status;
            mark[j] = 1;
        }
    } else {
        for (j = 0; j < csv->cols; ++j) {
            mark[j] = !csv->column[j].is_text && j != parts->target && j != parts->group && j != parts->weight;
            data->ignored_text += csv->column[j].is_text && j != parts->group;
        }
    }
    for (i = 0; i < choice->drop_count; ++i) {
        status = soothi_csv_column(env, csv, choice->drop[i], "columns to drop", &j);
        if (status != SOOTH_OK) return status;
        if (!choice->features && csv->column[j].is_text && j != parts->group) --data->ignored_text;
        mark[j] = 0;
    }
    for (j = 0, parts->features = 0; j < csv->cols; ++j) parts->features += mark[j];
    if (parts->features == 0) return soothi_fail(env, SOOTH_BAD_DATA, "no column of numbers is left to be a feature");
    if (parts->target < csv->cols && mark[parts->target])
        return soothi_fail(env, SOOTH_BAD_DATA, "%s is the target and cannot be a feature too", csv->column[parts->target].name);
    return SOOTH_OK;
}

/* The rows whose target, group and weight are there. */
SOOTHI_INLINE sooth_status soothi_csv_rows(sooth_env *env, const sooth_csv *csv, soothi_csv_parts *parts, sooth_csv_data *data,
                                           uint32_t *row) {
    size_t i;
    parts->rows = 0;
    for (i = 0; i < csv->rows; ++i) {
        const float *cell = csv->cell + i * csv->cols;
        if (parts->target < csv->cols && soothi_nan((double)cell[parts->target])) {
            ++data->dropped_target;
        } else if ((parts->group < csv->cols && soothi_nan((double)cell[parts->group])) ||
                   (parts->weight < csv->cols && soothi_nan((double)cell[parts->weight]))) {
            ++data->dropped_group;
        } else {
            row[parts->rows++] = (uint32_t)i;
        }
    }
    if (parts->rows > 0) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_DATA, "no row is left: %z of %z have no target, the others no group or weight",
                       data->dropped_target, csv->rows);
}

/* Numbers the groups that occur in the order of their first row. Texts have numbers already; numbers are looked up among those seen. */
SOOTHI_INLINE sooth_status soothi_csv_groups(sooth_env *env, const sooth_csv *csv, const soothi_csv_parts *parts, sooth_csv_data *data,
                                             uint32_t *group) {
    const sooth_csv_column *c = &csv->column[parts->group];
    size_t slots = 16, i, at;
    uint32_t *slot;
    while (slots < 2 * parts->rows) slots *= 2;
    slot = (uint32_t *)soothi_alloc(env, slots, sizeof *slot);
    if (!slot) return soothi_no_memory(env, "the groups", slots * sizeof *slot);
    memset(slot, 0, slots * sizeof *slot);
    for (i = 0; i < parts->rows; ++i) {
        float value = csv->cell[data->row[i] * csv->cols + parts->group];
        at = soothi_csv_hash(&value, sizeof value, 7) & (slots - 1);
        while (slot[at] && soothi_bits(csv->cell[data->row[slot[at] - 1] * csv->cols + parts->group]) != soothi_bits(value))
            at = (at + 1) & (slots - 1);
        if (slot[at]) {
            group[i] = group[slot[at] - 1];
            continue;
        }
        slot[at] = (uint32_t)i + 1;
        group[i] = data->groups;
        if (c->is_text) {
            data->group_name[data->groups++] = c->text[(size_t)value];
        } else {
            char *name = (char *)(data->group_name + parts->rows) + (size_t)data->groups * SOOTH_NUMBER_TEXT;
            sooth_text_from_float(name, value);
            data->group_name[data->groups++] = name;
        }
    }
    soothi_free(env, slot, slots, sizeof *slot);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_csv_table(sooth_env *env, const sooth_csv *csv, const sooth_csv_choice *choice, sooth_csv_data *data) {
    soothi_csv_parts parts;
    unsigned char *mark = (unsigned char *)soothi_alloc(env, csv->cols, 1), *next;
    size_t i, j, k, names, most = csv->rows;
    sooth_status status;
    memset(data, 0, sizeof *data);
    memset(&parts, 0, sizeof parts);
    if (!mark) return soothi_no_memory(env, "a choice of columns", csv->cols);
    status = soothi_csv_choose(env, csv, choice, &parts, mark, data);
    if (status == SOOTH_OK) { /* pointers first, then words, so that all are aligned */
        int grouped = parts.group < csv->cols, numbered = grouped && !csv->column[parts.group].is_text;
        size_t per_row = 4 * (parts.features + 4) + (grouped ? sizeof(char *) : 0) + (numbered ? SOOTH_NUMBER_TEXT : 0);
        names = 2 * parts.features * sizeof(char *);
        data->memory_size = soothi_product(most, per_row);
        if (data->memory_size < SIZE_MAX / 2) data->memory_size += names + 4 * parts.features + 64;
        data->memory = soothi_alloc(env, data->memory_size, 1);
        if (!data->memory) {
            status = soothi_no_memory(env, "the table", data->memory_size);
        } else {
            float *x, *y, *weight;
            uint32_t *group;
            next = (unsigned char *)data->memory;
            data->table.names = (const char *const *)(void *)next;
            data->units = (const char **)(void *)next + parts.features;
            next += names;
            data->group_name = (const char **)(void *)next;
            /* row numbers are needed before the number of rows is known: they stand at the end of all */
            data->row = (uint32_t *)(void *)((unsigned char *)data->memory + (data->memory_size / 4 - most) * 4);
            status = soothi_csv_rows(env, csv, &parts, data, data->row);
            if (grouped) next += parts.rows * (sizeof(char *) + (numbered ? SOOTH_NUMBER_TEXT : 0));
            data->column = (uint32_t *)(void *)next;
            x = (float *)(void *)(data->column + parts.features);
            y = x + parts.rows * parts.features;
            weight = y + parts.rows;
            group = (uint32_t *)(void *)(weight + parts.rows);
            for (j = 0, k = 0; j < csv->cols; ++j) {
                if (!mark[j]) continue;
                ((const char **)data->memory)[k] = csv->column[j].name;
                data->units[k] = csv->column[j].unit;
                data->column[k++] = (uint32_t)j;
            }
            for (i = 0; i < parts.rows && status == SOOTH_OK; ++i) {
                const float *cell = csv->cell + data->row[i] * csv->cols;
                for (k = 0; k < parts.features; ++k) x[i * parts.features + k] = cell[data->column[k]];
                if (choice->target) y[i] = cell[parts.target];
                if (choice->weight) weight[i] = cell[parts.weight];
            }
            if (status == SOOTH_OK && grouped) status = soothi_csv_groups(env, csv, &parts, data, group);
            data->table.x = x;
            data->table.y = choice->target ? y : NULL;
            data->table.targets = choice->target ? 1 : 0;
            data->table.weight = choice->weight ? weight : NULL;
            data->table.group = grouped ? group : NULL;
            data->table.rows = parts.rows;
            data->table.cols = data->table.stride = parts.features;
            data->target_column = parts.target;
        }
    }
    soothi_free(env, mark, csv->cols, 1);
    if (status != SOOTH_OK) sooth_csv_data_free(env, data);
    return status;
}

SOOTH_API void sooth_csv_data_free(sooth_env *env, sooth_csv_data *data) {
    soothi_free(env, data->memory, data->memory_size, 1);
    memset(data, 0, sizeof *data);
}

/* ---- rows that repeat ---- */

SOOTH_API sooth_status sooth_csv_duplicates(sooth_env *env, const sooth_table *table, uint32_t *first, size_t *count) {
    size_t slots = 16, i, j, at;
    uint32_t *slot;
    *count = 0;
    while (slots < 2 * table->rows) slots *= 2;
    slot = (uint32_t *)soothi_alloc(env, slots, sizeof *slot);
    if (!slot) return soothi_no_memory(env, "looking for repeated rows", slots * sizeof *slot);
    memset(slot, 0, slots * sizeof *slot);
    for (i = 0; i < table->rows; ++i) {
        const float *row = table->x + i * table->stride;
        at = soothi_csv_hash(row, table->cols * sizeof *row, 1) & (slots - 1);
        for (; slot[at]; at = (at + 1) & (slots - 1)) {
            const float *other = table->x + (slot[at] - 1) * table->stride;
            for (j = 0; j < table->cols && soothi_bits(row[j]) == soothi_bits(other[j]);) ++j;
            if (j == table->cols) break;
        }
        first[i] = slot[at] ? slot[at] - 1 : (uint32_t)i;
        if (slot[at]) ++*count;
        else slot[at] = (uint32_t)i + 1;
    }
    soothi_free(env, slot, slots, sizeof *slot);
    return SOOTH_OK;
}

/* ---- writing ---- */

SOOTH_API void sooth_csv_put_text(sooth_sink *sink, const char *text, char separator) {
    size_t n = soothi_csv_length(text), i, from = 0;
    int quote = n > 0 && (text[0] == ' ' || text[n - 1] == ' ');
    for (i = 0; i < n; ++i) quote |= text[i] == separator || text[i] == '"' || soothi_csv_line_end(text[i]);
    if (!quote) {
        sooth_text_write(sink, text, n);
        return;
    }
    sooth_text_write(sink, "\"", 1);
    for (i = 0; i < n; ++i) {
        if (text[i] != '"') continue;
        sooth_text_write(sink, text + from, i + 1 - from);
        from = i; /* once more: it stands doubled */
    }
    sooth_text_write(sink, text + from, n - from);
    sooth_text_write(sink, "\"", 1);
}

SOOTH_API void sooth_csv_put_number(sooth_sink *sink, float value) {
    char text[SOOTH_NUMBER_TEXT];
    if (soothi_nan((double)value)) return;
    sooth_text_write(sink, text, sooth_text_from_float(text, value));
}

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
