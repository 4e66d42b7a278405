/* csv.h - reads CSV files as they occur in practice into tables, and writes tables as CSV.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads from a buffer and does no input or output itself. It supports
 *   - quotes ("" inside stands for one) with separators and line ends inside
 *   - LF, CRLF and CR, a byte-order mark, blanks around cells, empty lines, short rows, rows without any
 *     value, empty cells beyond the last column
 *   - comma, semicolon, tab or bar, whichever is most frequent in the header line; the one that a first line
 *     sep=; names; or one that the caller sets
 *   - with semicolons, tabs or bars a decimal comma (1,5 is 1.5)
 *   - units in cells, durations, signs between thousands and other forms of numbers: see csv/forms.h
 *   - lines of comments, a row of units below the header, Ctrl-Z at the end
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/csv.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char file[] = "Benchmark,threads,Power [W]\nbfs,1,20.5\nbfs,2,31\nnn,4,\n";
 *         sooth_csv_table_options choice = {.target = "Power", .group = "Benchmark"};
 *         sooth_csv_data data;
 *         sooth_csv csv;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_csv_read(&env, file, sizeof file - 1, NULL, &csv) != SOOTH_OK ||
 *             sooth_csv_table(&env, &csv, &choice, &data) != SOOTH_OK)
 *             return puts(env.sentence), 1; // line 7, column 3 (Power): "abc" is not a number
 *         printf("%zu rows, %zu without Power\n", data.table.rows,
 *                data.dropped_target); //> 2 rows, 1 without Power
 *         sooth_csv_data_free(&env, &data);
 *         sooth_csv_free(&env, &csv);
 *         return 0;
 *     }
 *
 * Notes
 *
 * Missing values are empty cells and, in upper or lower case, NA, N/A, #N/A, NaN, null, -, #DIV/0!, #VALUE!,
 * #REF!, #NAME?, #NUM!, #NULL!. If all other cells of a column are numbers, then words such as [N/A],
 * <not counted>, None, ? and -nan(ind) are missing, too, and counted. A column with any other cell is a text
 * column. Its texts are numbered in order of first appearance. Cells such as NA are missing in columns of
 * text and of names, too: a user called na or null needs another name. They are counted in `worded`.
 *
 * In a column of sooth_csv_options.names each cell is its text, even if all cells are numbers: 007, 7 and
 * 7.0, or 3.10 and 3.1, are different names. Users, jobs, versions and commits are such columns. Without the
 * list, groups and categories may be numbers only if every cell is an integer below 2^24, written without +
 * and leading zeros.
 *
 * A header "Power [W]" or "Power (W)" is the name Power with the unit W. A row of units may be below the
 * header: each cell is a known unit, is in brackets or is empty, and numbers are below. A repeated header
 * gets the suffix ".2", ".3", ...
 *
 * Empty lines are skipped. In a file of one column they are rows without a value, but not before the first
 * row and not at the end of the file. datatable's fread reads such files so; pandas and readr skip the lines.
 *
 * A line that begins with # is a comment if a blank follows, or if it has another number of cells than the
 * header. "#threads,time" is the header if the first line without # has as many cells. Of several such lines
 * the last one without a number is the header, and those below it are rows: see sooth_csv.rival_line.
 *
 * Results and messages do not depend on the number of workers. Nothing points into the buffer afterwards. Any
 * number of threads may use one sooth_csv at once.
 * Cells are floats: numbers of more than 7 digits are rounded to 24 bits, see csv/digits.h.
 *
 * Cost
 *
 * Two passes over the bytes, to find the lines and to read the cells, in pieces by all workers. Each worker
 * reads 600 to 900 MB per second if cells are numbers. With text columns, one thread then numbers the texts,
 * at 100 to 200 MB per second; with columns of names, too. Memory: 4 bytes per cell, per line of the file and
 * per name, about 200 per column, the distinct texts, and 128 bytes per 256 KB while reading. A table takes
 * another 4 bytes per cell.
 */
#if !defined(SOOTH_CSV_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_IMPLEMENTED))
#include "base.h"
#include "csv/forms.h"
#endif

#if !defined(SOOTH_CSV_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_H
SOOTHI_C_BEGIN

/* ---- reading ---- */

/* How a file is written. Zero bytes: detected from the file. */
typedef struct sooth_csv_options {
    char separator;           /* between cells; 0 means detected from the first line */
    uint32_t no_header;       /* 1: the first line is a row; columns are called "column 1", "column 2", ... */
    uint32_t no_rows;         /* 1: a header without rows is an empty table, not an error */
    uint32_t keep_blank;      /* 1: rows without any value stay rows, as in the file; 0: they are left out */
    const char *const *names; /* columns whose cells are names: ids, versions, users */
    size_t name_count;
} sooth_csv_options;

#define SOOTH_CSV_NO_NAME 0xFFFFFFFFu /* of a missing cell */

typedef struct sooth_csv_column {
    const char *header; /* as in the file, without blanks around it; "column 3" if it is empty */
    const char *name;   /* the header without its unit */
    const char *unit;   /* "" if there is none */
    uint32_t is_text;
    uint32_t is_name;  /* 1: listed in sooth_csv_options.names */
    uint32_t texts;    /* number of distinct texts of a column of text or names */
    const char **text; /* the texts, by number */
    /* of a column of names whose cells are numbers: per row the number of its text, SOOTH_CSV_NO_NAME if the
       cell is missing. Other columns of text have these numbers in their cells; see sooth_csv_text */
    uint32_t *code;
    /* of a column of numbers: the line of the first cell that a float does not name exactly, as 007, 3.10,
       16777217, 1e3 and 10 MB; 0 means none */
    size_t vague_line;
    size_t missing; /* cells without a value */
    /* of a text column: the line of the first cell that is not a number; of dates, units, durations and
       numbers next to each other, that of the first cell unlike most others, and `form` compares them */
    size_t odd_line;
    size_t odd; /* of a text column: number of cells that are not plain numbers */
    /* of a column of numbers: how they are written, "durations"; of a text column: what its cells are
       instead, "a date". "" if there is nothing to say. See csv/forms.h */
    const char *form;
    size_t marked;      /* of a column of numbers: cells like [N/A], among the missing */
    size_t marked_line; /* line of the first one */
    const char *mark;   /* its word */
    size_t worded;      /* cells like NA, which are missing in every column, a column of names too */
    size_t worded_line; /* line of the first one */
    char word[12];      /* its first 11 bytes */

    struct {                        /* private */
        uint8_t form, unit;         /* to read the cells by, and the unit that they get; 0: none */
        uint8_t is_doubtful, lacks; /* forms that a cell has not, if commas are doubtful */
        uint8_t failed, formed;     /* formed: every cell has a form */
    } state;
} sooth_csv_column;

typedef struct sooth_csv {
    size_t rows, cols;
    sooth_csv_column *column;
    float *cell;             /* rows x cols; NaN: missing; in a text column the number of the text */
    uint32_t *line;          /* per row: the line where it begins, from 1 */
    char separator;          /* detected or given */
    char decimal;            /* ',' if numbers have commas, or with semicolons if no number has a point */
    uint32_t numeric_header; /* 1: the header has only numbers and may be a row: see no_header */
    size_t rival_line;       /* of another line that begins with # and has as many cells as the header. Above
                                the header it is taken as a comment, below as a row. 0: none */
    size_t repeated;         /* columns whose header repeats an earlier one */
    size_t first_repeated;   /* index of the first such column */
    size_t blank_rows;       /* rows without any value, left out unless keep_blank is set */
    size_t first_blank;      /* line of the first */
    size_t short_rows;       /* rows with fewer cells than the header; the rest is missing */
    size_t first_short;      /* line of the first */
    size_t header_line;      /* line of the header, or of the first row if there is none */
    size_t unit_line;        /* line of the row of units below the header; 0: none */
    size_t comments;         /* lines after the header that begin with # and are not rows */
    size_t first_comment;    /* the first of these lines */
    uint32_t plain;          /* 1: the file has neither quotes nor carriage returns */

    struct {                           /* private */
        struct sooth_csv_pool *pool;   /* the texts */
        struct sooth_csv_words *names; /* headers and names, for sooth_csv_find */
        size_t capacity[3];            /* items allocated: cell, line, the columns' texts */
    } state;
} sooth_csv;

/* Reads bytes[0..size). options NULL means zero bytes. Reports progress and can be cancelled. Returns
   SOOTH_BAD_ARGUMENT if the separator is a quote, a blank or a line end. Returns SOOTH_BAD_TEXT, with the
   line in the message, for an empty file, a header without rows (unless no_rows), an unclosed quote, a value
   beyond the last column, UTF-16, and bytes that are not text. Returns SOOTH_BAD_DATA if there is no column
   of a name in options->names. The caller converts UTF-16 to UTF-8; the command sooth does. */
SOOTH_API sooth_status sooth_csv_read(sooth_env *env, const void *bytes, size_t size,
                                      const sooth_csv_options *options, sooth_csv *csv);

/* Frees what sooth_csv_read allocated, including its texts. */
SOOTH_API void sooth_csv_free(sooth_env *env, sooth_csv *csv);

/* Returns the index of the column with this header, or of the first one with this name, in O(1). Returns
   SOOTH_NONE if there is none. */
SOOTH_API size_t sooth_csv_find(const sooth_csv *csv, const char *name);

/* Returns the text of a cell: of a column of text, or of one listed in sooth_csv_options.names. Returns NULL
   for a missing value and in other columns. */
SOOTH_API const char *sooth_csv_text(const sooth_csv *csv, size_t row, size_t column);

/* ---- tables ---- */

/* Selects the columns of a table. Zero bytes: every column of numbers that has a value is a feature. */
typedef struct sooth_csv_table_options {
    const char *const *features; /* in this order; NULL: all columns of numbers without another role */
    size_t feature_count;
    const char *const *drop; /* columns that are not features */
    size_t drop_count;
    const char *target;              /* NULL: the table has no targets */
    const char *group;               /* text, names or integers; NULL: none */
    const char *weight;              /* NULL: none */
    const char *const *more_targets; /* after `target`, for models with several */
    size_t more_target_count;
    const char *const *categorical; /* features too: text, names or integers; see preprocess/levels.h */
    size_t categorical_count;
    uint32_t levels_bytes; /* for csv/blocks.h: max_bytes of the dictionary of categories; 0 means 65536 */
} sooth_csv_table_options;

typedef struct sooth_csv_data {
    sooth_table table;  /* its memory belongs to this struct; names are set */
    const char **units; /* per feature */
    uint32_t *column;   /* per feature: its column in the file */
    uint32_t *row;      /* per row of the table: the row of the CSV */
    uint32_t *targets;  /* per target: its column in the file */
    /* per feature, 1: a category. The table then has the column's numbers or the numbers of its texts, not
       codes: see sooth_levels_fit. NULL: no feature is one */
    uint8_t *categorical;
    const char *const **text; /* per feature the texts of a category, for sooth_levels_fit; NULL: numbers */
    uint32_t groups;
    const char **group_name; /* per group, as in the file or as a number */
    size_t dropped_target;   /* rows left out because a target is missing */
    size_t dropped_group;    /* rows left out because group or weight is missing */
    size_t ignored_text;     /* columns not named in the choice: of text or names */
    size_t ignored_empty;    /* columns not named in the choice: without any value */
    void *memory;
    size_t memory_size, names_size;
} sooth_csv_data;

/* Builds a table. choice NULL means zero bytes. Missing features stay NaN. Rows without target, group or
   weight are left out and counted. The texts live in csv, which must outlive data. Returns SOOTH_BAD_DATA
   for:
   - unknown names (the message has the nearest name, or all names)
   - text where numbers are needed (the message has the line)
   - a group or category in a column of numbers that do not name its cells exactly (007, 3.10, 2^24 and above;
     the message has the line), unless it is listed in sooth_csv_options.names
   - no feature or no row left */
SOOTH_API sooth_status sooth_csv_table(sooth_env *env, const sooth_csv *csv,
                                       const sooth_csv_table_options *choice, sooth_csv_data *data);
/* Frees what sooth_csv_table allocated. */
SOOTH_API void sooth_csv_data_free(sooth_env *env, sooth_csv_data *data);

/* Finds rows with equal features. first[i] is the first row that equals row i, or i itself if it is new.
   Missing values are equal, and 0 equals -0. first may be NULL. *count is the number of rows that are not
   new. O(rows x cols), with about 8 to 16 bytes of memory per row meanwhile. */
SOOTH_API sooth_status sooth_csv_duplicates(sooth_env *env, const sooth_table *table, uint32_t *first,
                                            size_t *count);

/* ---- writing ---- */

/* Write one cell: text in quotes if necessary; a number in the shortest form that reads back the same, with
   decimal '.' or ','. A missing number is an empty cell. */
SOOTH_API void sooth_csv_put_text(sooth_sink *sink, const char *text, char separator);
SOOTH_API void sooth_csv_put_number(sooth_sink *sink, float value, char decimal);

/* How to write a table. Zero bytes: commas between cells, decimal points. */
typedef struct sooth_csv_write_options {
    char separator, decimal;
    const char *const *target_names; /* NULL: "target", or "target 1", "target 2", ... */
} sooth_csv_write_options;

/* Writes a header, then features and targets of every row. style NULL means zero bytes. A missing number is
   an empty cell, in quotes if it is the only one of its row. Returns SOOTH_BAD_ARGUMENT if separator and
   decimal are equal. Check sink->failed for write errors. */
SOOTH_API sooth_status sooth_csv_write(sooth_env *env, const sooth_table *table,
                                       const sooth_csv_write_options *style, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_CSV_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- texts ---- */

/* A block of memory that texts are copied into. Blocks never move. */
typedef struct sooth_csv_pool {
    struct sooth_csv_pool *next;
    size_t size, used; /* bytes after this struct */
} soothi_csv_pool;

/* Copies text[0..length), with the suffix ".2" for copy 2. Returns NULL without memory. */
SOOTHI_LOCAL const char *soothi_csv_keep(sooth_env *env, sooth_csv *csv, const char *text, size_t length,
                                         uint32_t copy) {
    char suffix[16];
    size_t more = copy > 1 ? sooth_text_format(suffix, sizeof suffix, ".%u", copy) : 0;
    size_t need = length + more + 1;
    soothi_csv_pool *pool = csv->state.pool;
    if (!pool || pool->size - pool->used < need) {
        size_t size = need > 32768 ? need : 32768;
        pool = (soothi_csv_pool *)sooth_alloc(env, 1, sizeof *pool + size);
        if (!pool) return NULL;
        pool->next = csv->state.pool;
        pool->size = size;
        pool->used = 0;
        csv->state.pool = pool;
    }
    char *kept = (char *)(pool + 1) + pool->used;
    pool->used += need;
    memcpy(kept, text, length);
    if (more) memcpy(kept + length, suffix, more);
    kept[need - 1] = 0;
    return kept;
}

/* Codes of pairs (kind, text) in a table with open addressing: texts of a column, headers, names. */
typedef struct soothi_csv_word {
    const char *text; /* NULL: free */
    uint32_t hash, kind, code;
} soothi_csv_word;

typedef struct sooth_csv_words {
    soothi_csv_word *word;
    size_t slots, count; /* capacity and number in use */
} soothi_csv_words;

SOOTHI_LOCAL uint32_t soothi_csv_hash(const char *text, size_t length, uint32_t kind) {
    uint32_t h = kind * 0x9E3779B1u + 0x85EBCA77u;
    for (size_t i = 0; i < length; ++i) h = (h ^ (unsigned char)text[i]) * 0x01000193u;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    return h ^ (h >> 13);
}

SOOTHI_LOCAL void soothi_csv_words_free(sooth_env *env, soothi_csv_words *words) {
    sooth_free(env, words->word, words->slots, sizeof *words->word);
}

/* Grows the table unless half the slots stay free with one more word. */
SOOTHI_LOCAL sooth_status soothi_csv_reserve(sooth_env *env, soothi_csv_words *words) {
    soothi_csv_words larger = {NULL, words->slots ? 2 * words->slots : 64, words->count};
    if (2 * (words->count + 1) <= words->slots) return SOOTH_OK;
    larger.word = (soothi_csv_word *)sooth_alloc(env, larger.slots, sizeof *larger.word);
    if (!larger.word)
        return sooth_no_memory(env, "the texts", soothi_product(larger.slots, sizeof *larger.word));
    memset(larger.word, 0, larger.slots * sizeof *larger.word);
    for (size_t i = 0; i < words->slots; ++i) {
        if (!words->word[i].text) continue;
        size_t at = words->word[i].hash & (larger.slots - 1);
        while (larger.word[at].text) at = (at + 1) & (larger.slots - 1);
        larger.word[at] = words->word[i];
    }
    soothi_csv_words_free(env, words);
    *words = larger;
    return SOOTH_OK;
}

/* Returns the slot of a word, or the free slot for it. The text contains no zero byte. */
SOOTHI_HOT soothi_csv_word *soothi_csv_slot(const soothi_csv_words *words, const char *text, size_t length,
                                            uint32_t kind) {
    const uint32_t hash = soothi_csv_hash(text, length, kind);
    size_t at = hash & (words->slots - 1);
    for (; words->word[at].text; at = (at + 1) & (words->slots - 1)) {
        const soothi_csv_word *w = &words->word[at];
        if (w->hash != hash || w->kind != kind) continue;
        if (soothi_same_chars(w->text, text, length) && w->text[length] == 0) break;
    }
    return &words->word[at];
}

/* Stores a word, whose text is not copied, in its free slot. */
SOOTHI_LOCAL void soothi_csv_enter(soothi_csv_words *words, soothi_csv_word *slot, const char *text,
                                   uint32_t kind, uint32_t code) {
    const soothi_csv_word word = {text, soothi_csv_hash(text, soothi_text_length(text), kind), kind, code};
    *slot = word;
    ++words->count;
}

/* ---- cells ---- */

typedef struct soothi_csv_reader {
    sooth_env *env;
    const char *at, *end;
    char *buffer; /* for quoted cells that differ from their bytes in the file */
    size_t capacity;
    int alone;             /* one of several concurrent readers: must not allocate */
    char separator, point; /* point: an additional decimal point */
    int keep_blank;        /* rows without any value stay */
    int usual;             /* no number contains the separator, so soothi_csv_usual may run first */
    unsigned marks;        /* decimal marks found with semicolons: SOOTHI_CSV_COMMA, SOOTHI_CSV_POINT */
    size_t line;           /* of `at`, from 1 */
    const char *text;      /* the cell just read, without blanks around it */
    size_t length;         /* of text */
    size_t before, behind; /* number of blanks before and after, within its quotes */
    int row_ends;          /* it was the last one of its row */
    size_t cols;           /* of the header; 0: not known yet, and no line is a comment */
    size_t comments, first_comment;
    size_t rival;                     /* as rival_line in sooth_csv */
    size_t told_line, told_cell;      /* odd cells before are counted; told_line 0: none */
    int has_marks;                    /* cells that are missing, but make a row with a value */
    const char *units, *first, *seen; /* see soothi_csv_lead */
} soothi_csv_reader;

SOOTHI_LOCAL int soothi_csv_line_end(char c) { return c == '\n' || c == '\r'; }
SOOTHI_LOCAL int soothi_csv_blank(char c) { return c == ' ' || c == '\t'; }

/* Returns 1 if a line ends with this byte. The CR of a CRLF does not end one. */
SOOTHI_LOCAL int soothi_csv_ends_line(const char *p, const char *end) {
    return *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'));
}

SOOTHI_LOCAL void soothi_csv_take_line(soothi_csv_reader *r) {
    if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n') ++r->at;
    ++r->at;
    ++r->line;
}

SOOTHI_HOT sooth_status soothi_csv_push(soothi_csv_reader *r, size_t n, char c) {
    if (n == r->capacity) {
        if (r->alone) return SOOTH_NO_MEMORY;
        size_t size = n ? 2 * n : 256;
        char *larger = (char *)sooth_alloc(r->env, size, 1);
        if (!larger) return sooth_no_memory(r->env, "a cell", size);
        if (n) memcpy(larger, r->buffer, n);
        sooth_free(r->env, r->buffer, n, 1);
        r->buffer = larger;
        r->capacity = size;
    }
    r->buffer[n] = c;
    return SOOTH_OK;
}

/* Reads a quoted cell, from its opening quote. Characters after the closing quote belong to the cell. */
SOOTHI_LOCAL sooth_status soothi_csv_quoted(soothi_csv_reader *r) {
    size_t opened = r->line, n = 0;
    const char *p = r->at + 1;
    sooth_status status = SOOTH_OK;
    while (p < r->end && *p != '"') r->line += (size_t)soothi_csv_ends_line(p++, r->end);
    if (r->end - p > 1 && (p[1] == r->separator || soothi_csv_line_end(p[1]))) { /* as in the file */
        r->text = r->at + 1;
        n = (size_t)(p - r->text);
        ++p;
    } else {
        r->line = opened;
        for (p = r->at + 1; p < r->end && status == SOOTH_OK; ++p) {
            if (*p == '"') {
                if (p + 1 == r->end || p[1] != '"') break;
                ++p;
            }
            r->line += (size_t)soothi_csv_ends_line(p, r->end);
            status = soothi_csv_push(r, n++, *p);
        }
        if (status != SOOTH_OK) return status;
        if (p == r->end)
            return sooth_fail(r->env, SOOTH_BAD_TEXT, "line %z: a quote is never closed", opened);
        const size_t inside = n;
        for (++p; p < r->end && *p != r->separator && !soothi_csv_line_end(*p) && status == SOOTH_OK; ++p)
            status = soothi_csv_push(r, n++, *p);
        if (status != SOOTH_OK) return status;
        while (n > inside && soothi_csv_blank(r->buffer[n - 1])) --n;
        r->text = n ? r->buffer : "";
    }
    r->at = p;
    r->length = n;
    for (; r->length && soothi_csv_blank(*r->text); --r->length, ++r->text) ++r->before;
    for (; r->length && soothi_csv_blank(r->text[r->length - 1]); --r->length) ++r->behind;
    return status;
}

/* Reads the next cell and the separator or line end after it. The cell must exist: at < end, or it follows a
   last separator. */
SOOTHI_HOT sooth_status soothi_csv_next(soothi_csv_reader *r) {
    sooth_status status = SOOTH_OK;
    r->before = r->behind = 0;
    while (r->at < r->end && soothi_csv_blank(*r->at) && *r->at != r->separator) ++r->at;
    if (r->at < r->end && *r->at == '"') {
        status = soothi_csv_quoted(r);
    } else {
        const char *p = r->at;
        r->text = p;
        while (p < r->end && *p != r->separator && !soothi_csv_line_end(*p)) ++p;
        r->at = p;
        while (p > r->text && soothi_csv_blank(p[-1])) --p;
        r->length = (size_t)(p - r->text);
    }
    r->row_ends = r->at == r->end || *r->at != r->separator;
    if (!r->row_ends) ++r->at;
    else if (r->at < r->end) soothi_csv_take_line(r);
    return status;
}

/* What a walk over one row finds. */
typedef struct soothi_csv_span {
    const char *end;      /* a line end, or the end of the bytes */
    size_t cells, filled; /* number of cells, and of those up to the last one that is not empty */
    size_t lines;         /* line ends within quotes */
} soothi_csv_span;

/* Walks over the row at `at` by the rules of soothi_csv_next, without reading its cells. */
SOOTHI_LOCAL soothi_csv_span soothi_csv_walk(const char *at, const char *end, char separator) {
    soothi_csv_span span = {at, 1, 0, 0};
    const char *p = at;
    for (;;) {
        while (p < end && soothi_csv_blank(*p) && *p != separator) ++p;
        if (p < end && *p != separator && !soothi_csv_line_end(*p)) span.filled = span.cells;
        if (p < end && *p == '"') {
            for (++p; p < end; ++p) {
                if (*p == '"' && (p + 1 == end || *++p != '"')) break;
                span.lines += (size_t)soothi_csv_ends_line(p, end);
            }
        }
        while (p < end && *p != separator && !soothi_csv_line_end(*p)) ++p;
        if (p == end || *p != separator) break;
        ++span.cells;
        ++p;
    }
    span.end = p;
    return span;
}

/* Returns 1 if the line at `at`, which begins with #, is a comment: a blank or nothing follows the #, or the
   line has another number of cells than the header. */
SOOTHI_LOCAL int soothi_csv_is_comment(const char *at, const char *end, char separator, size_t cols) {
    if (end - at == 1 || (soothi_csv_blank(at[1]) && at[1] != separator) || soothi_csv_line_end(at[1]))
        return 1;
    const soothi_csv_span span = soothi_csv_walk(at, end, separator);
    return cols > 1 && span.lines == 0 && (span.cells < cols || span.filled > cols);
}

/* Skips the comment at r->at. Returns 0 if there is a row. */
SOOTHI_LOCAL int soothi_csv_skip_comment(soothi_csv_reader *r, const char *end) {
    if (!soothi_csv_is_comment(r->at, r->end, r->separator, r->cols)) return 0;
    if (r->comments++ == 0) r->first_comment = r->line;
    while (r->at < end && !soothi_csv_line_end(*r->at)) ++r->at;
    return 1;
}

/* Skips comments, and empty lines unless there is one column, where they are rows. Returns 0 at `end`. */
SOOTHI_HOT int soothi_csv_more(soothi_csv_reader *r, const char *end) {
    for (;;) {
        while (r->at < end && r->cols != 1 && soothi_csv_line_end(*r->at)) soothi_csv_take_line(r);
        if (r->at >= end || *r->at != '#' || !r->cols || !soothi_csv_skip_comment(r, end)) break;
        if (r->at < end) soothi_csv_take_line(r);
    }
    return r->at < end;
}

enum { SOOTHI_CSV_COMMA = 1, SOOTHI_CSV_POINT = 2 };

/* Parses the number in a cell. Returns 0 if it is not one. With semicolons between cells, a comma may be the
   decimal point. */
SOOTHI_HOT int soothi_csv_number(soothi_csv_reader *r, float *value) {
    char copy[64];
    unsigned marks = 0;
    if (r->length == 0) return 0;
    if (r->separator != ';' || r->length >= sizeof copy)
        return sooth_text_to_float(r->text, r->length, value) == r->length;
    for (size_t i = 0; i < r->length; ++i) {
        copy[i] = r->text[i] == ',' ? '.' : r->text[i];
        if (copy[i] == '.') marks |= r->text[i] == ',' ? SOOTHI_CSV_COMMA : SOOTHI_CSV_POINT;
    }
    if (sooth_text_to_float(copy, r->length, value) != r->length) return 0;
    r->marks |= marks;
    return 1;
}

typedef enum soothi_csv_kind {
    SOOTHI_CSV_MISSING,
    SOOTHI_CSV_NUMBER,
    SOOTHI_CSV_TEXT,
    SOOTHI_CSV_MARK /* a word that is missing unless the column is text */
} soothi_csv_kind;

/* Classifies a cell. *value is its number, NaN if it is missing, 0 for a text. */
SOOTHI_LOCAL soothi_csv_kind soothi_csv_cell(soothi_csv_reader *r, float *value) {
    int number = soothi_csv_number(r, value);
    if (number && !soothi_nan((double)*value)) return SOOTHI_CSV_NUMBER;
    const int missing = number || soothi_csv_is_missing(r->text, r->length);
    const int marked = !missing && soothi_csv_marked(r->text, r->length) != 0;
    *value = missing || marked ? soothi_missing() : 0.0f;
    return missing ? SOOTHI_CSV_MISSING : marked ? SOOTHI_CSV_MARK : SOOTHI_CSV_TEXT;
}

/* Counts of one worker for a column. */
typedef struct soothi_csv_seen {
    uint32_t vague_line;         /* as in sooth_csv_column */
    uint32_t odd_line;           /* of the first odd cell; 0: none */
    size_t missing, odd, marked; /* as in sooth_csv_column; marked cells are missing, too */
    uint32_t shapeless_line;     /* of the first one without any form; 0: none */
    uint32_t marked_line, mark;
    size_t worded;
    uint32_t worded_line;
    char word[12];
    soothi_csv_common common;
} soothi_csv_seen;

/* Returns 1 if the text of a number is that of an integer which is exact in a float. Then equal floats have
   equal texts, and sooth_text_from_float returns them. */
SOOTHI_LOCAL int soothi_csv_is_exact(const char *text, size_t size) {
    const size_t negative = text[0] == '-', digits = size - negative;
    uint32_t value = 0;
    size_t i = negative;
    while (i < size && digits <= 8 && text[i] >= '0' && text[i] <= '9')
        value = 10 * value + (uint32_t)(text[i++] - '0');
    return i == size && (text[negative] != '0' || size == 1) && value < 1u << 24;
}

/* Reads cells of a row from column j on while they have the usual form: a number or nothing, directly
   followed by the separator, or by a line end in the last column. Another separator or line end in a cell is
   not part of a number, so the cell is not usual. Returns the column of the first other cell. *values counts
   the numbers. The end of a cell is found independently of its value, so that a processor works on several
   cells at once. */
SOOTHI_HOT size_t soothi_csv_usual(soothi_csv_reader *r, size_t j, size_t cols, soothi_csv_seen *seen,
                                   float *cell, size_t *values) {
    const uint64_t separators = SOOTHI_EIGHT((unsigned char)r->separator);
    const uint64_t points = SOOTHI_EIGHT((unsigned char)r->point);
    const char *const last = r->usual && r->end - r->at > 64 ? r->end - 64 : r->at;
    const char *p = r->at;
    const char point = r->point;
    r->row_ends = 0;
    while (j < cols && p < last) {
        const uint64_t stop = j + 1 < cols ? separators : SOOTHI_EIGHT('\n');
        uint64_t marks = soothi_text_any(soothi_text_eight(p) ^ stop);
        float value = soothi_missing();
        size_t n = 0;
        while (!marks && n < 40) marks = soothi_text_any(soothi_text_eight(p + (n += 8)) ^ stop);
        if (!marks) break;
        n += soothi_text_first(marks);
        if (n > 0) {
            const size_t used = n - (size_t)(j + 1 == cols && p[n - 1] == '\r');
            int form = soothi_text_decimal(p, used, points, &value);
            if (!form && used) form = soothi_text_usual(p, used, point, &value);
            if (!form) break;
            if (form == 1 && (seen[j].vague_line == 0 || seen[j].vague_line > r->line) &&
                !soothi_csv_is_exact(p, used))
                seen[j].vague_line = (uint32_t)r->line;
            ++*values;
        }
        cell[j++] = value;
        p += n + 1;
        if (j == cols) r->row_ends = 1;
    }
    r->line += (size_t)r->row_ends;
    for (const char *q = r->at; point == ',' && q < p; ++q)
        r->marks |= (*q == ',') * (unsigned)SOOTHI_CSV_COMMA | (*q == '.') * (unsigned)SOOTHI_CSV_POINT;
    r->at = p;
    return j;
}

/* Returns 1 if no number can contain this separator. The point is in numbers, even with a decimal comma. */
SOOTHI_LOCAL int soothi_csv_apart(char separator) {
    return separator != '.' && separator != '+' && separator != '-' && (separator | 32) != 'e' &&
           !(separator >= '0' && separator <= '9');
}

/* ---- the header ---- */

/* Returns comma, semicolon, tab or bar, whichever is most frequent in the line at `at` outside quotes. Only a
   quote at the start of a cell opens one: 5" is five inches. The bytes before *seen decide. */
SOOTHI_LOCAL char soothi_csv_separator(const char *at, const char *end, const char **seen) {
    static const char known[] = ",;\t|";
    size_t count[4] = {0, 0, 0, 0}, most = 0;
    int quoted = 0, begins = 1;
    for (; at < end && (quoted || !soothi_csv_line_end(*at)); ++at) {
        if (*at == '"' && quoted && at + 1 < end && at[1] == '"') ++at;
        else if (*at == '"' && (quoted || begins)) quoted = !quoted;
        if (quoted) continue;
        begins = begins && *at == ' ';
        for (size_t k = 0; k < 4; ++k) {
            count[k] += *at == known[k];
            begins |= *at == known[k];
        }
    }
    for (size_t k = 1; k < 4; ++k)
        if (count[k] > count[most]) most = k;
    *seen = at;
    return known[most];
}

/* Returns the length of a header without its unit "[W]" or "(W)". *unit is the offset of the unit. */
SOOTHI_LOCAL size_t soothi_csv_stem(const char *header, size_t length, size_t *unit) {
    char close = header[length - 1], open = close == ']' ? '[' : '(';
    size_t k = length, depth = 0;
    if (close != ']' && close != ')') return length;
    do {
        --k;
        depth += header[k] == close;
        depth -= header[k] == open;
    } while (k > 0 && depth > 0);
    *unit = k + 1;
    if (depth > 0 || *unit + 1 == length) return length;
    while (k > 0 && soothi_csv_blank(header[k - 1])) --k;
    return k ? k : length;
}

/* Kinds of words in csv->state.names. */
enum { SOOTHI_CSV_HEADER, SOOTHI_CSV_NAME };

/* Names column j text[0..length). last[k] is the number of the last repetition of column k's header. It keeps
   the time linear for any number of repetitions. */
SOOTHI_LOCAL sooth_status soothi_csv_name(sooth_env *env, sooth_csv *csv, size_t j, const char *text,
                                          size_t length, uint32_t *last) {
    sooth_csv_column *c = &csv->column[j];
    uint32_t copy = 1, original = 0;
    soothi_csv_word *slot;
    size_t unit = 0, stem = soothi_csv_stem(text, length, &unit);
    for (;;) {
        c->header = soothi_csv_keep(env, csv, text, length, copy);
        if (!c->header) return sooth_no_memory(env, "a column name", length);
        if (soothi_csv_reserve(env, csv->state.names) != SOOTH_OK) return SOOTH_NO_MEMORY;
        slot = soothi_csv_slot(csv->state.names, c->header, soothi_text_length(c->header), SOOTHI_CSV_HEADER);
        if (!slot->text) break;
        if (copy == 1) {
            original = slot->code;
            if (csv->repeated++ == 0) csv->first_repeated = j;
        }
        copy = last[original] = last[original] ? last[original] + 1 : 2;
    }
    soothi_csv_enter(csv->state.names, slot, c->header, SOOTHI_CSV_HEADER, (uint32_t)j);
    c->name = c->header;
    c->unit = c->form = c->mark = "";
    if (stem == length) return SOOTH_OK;
    c->name = soothi_csv_keep(env, csv, text, stem, copy);
    c->unit = soothi_csv_keep(env, csv, text + unit, length - 1 - unit, 1);
    if (!c->name || !c->unit) return sooth_no_memory(env, "a column name", length);
    if (soothi_csv_reserve(env, csv->state.names) != SOOTH_OK) return SOOTH_NO_MEMORY;
    slot = soothi_csv_slot(csv->state.names, c->name, soothi_text_length(c->name), SOOTHI_CSV_NAME);
    if (!slot->text) soothi_csv_enter(csv->state.names, slot, c->name, SOOTHI_CSV_NAME, (uint32_t)j);
    return SOOTH_OK;
}

/* ---- lines before the rows ---- */

/* Returns X if the line is "sep=X", by which spreadsheets name the separator; *size is its length. What
   numbers, names and comments are made of separates nothing. */
SOOTHI_LOCAL char soothi_csv_given(const char *at, const char *end, size_t *size) {
    const size_t quote = *at == '"';
    if ((size_t)(end - at) < 5 + 2 * quote || !soothi_same_chars(at + quote, "sep=", 4)) return 0;
    const char mark = at[quote + 4];
    *size = 5 + 2 * quote;
    if ((quote && at[6] != '"') || (at + *size < end && !soothi_csv_line_end(at[*size]))) return 0;
    const int is_part = (mark >= '0' && mark <= '9') || ((mark | 32) >= 'a' && (mark | 32) <= 'z') ||
                        mark == '.' || mark == '+' || mark == '-' || mark == '#' || (mark & 0x80);
    return mark == '"' || mark == ' ' || is_part || soothi_csv_line_end(mark) ? 0 : mark;
}

/* Returns 1 if the cell just read is a number in some form. */
SOOTHI_LOCAL int soothi_csv_counts(soothi_csv_reader *r) {
    soothi_csv_shape shape;
    float value;
    if (soothi_csv_number(r, &value)) return !soothi_nan((double)value);
    soothi_csv_shape_of(r->text, r->length, &shape);
    return (shape.forms & ~(unsigned)SOOTHI_CSV_DATE) != 0;
}

/* Returns 1 if a cell of the row at `at` is a number. */
SOOTHI_LOCAL int soothi_csv_has_number(const soothi_csv_reader *reader, const char *at) {
    soothi_csv_reader r = *reader;
    char buffer[256];
    r.at = at;
    r.alone = 1;
    r.buffer = buffer;
    r.capacity = sizeof buffer;
    do {
        if (soothi_csv_next(&r) != SOOTH_OK) return 0;
        if (soothi_csv_counts(&r)) return 1;
    } while (!r.row_ends);
    return 0;
}

/* Returns the unit in a cell of a row of units, without its brackets; *bare is 1 if there are none. Returns 0
   if the cell is no unit; *length is 0 if it is empty. */
SOOTHI_LOCAL const char *soothi_csv_unit_cell(const char *text, size_t *length, int *bare) {
    const size_t n = *length;
    *bare = 0;
    *length = 0;
    if (soothi_csv_is_missing(text, n)) return text;
    if (soothi_csv_marked(text, n)) return NULL;
    if (n > 2 && ((text[0] == '[' && text[n - 1] == ']') || (text[0] == '(' && text[n - 1] == ')'))) {
        *length = n - 2;
        return text + 1;
    }
    *bare = 1;
    *length = n;
    return soothi_csv_unit_of(text, n) == SOOTHI_CSV_NO_UNIT ? NULL : text;
}

/* Returns 1 if the reader is at a row of units: each cell is a unit that is known or in brackets, or is
   empty, and in the next row there are numbers below them. *end is where the bytes that decide this end. */
SOOTHI_LOCAL int soothi_csv_is_unit_row(const soothi_csv_reader *reader, const char **end) {
    soothi_csv_reader a = *reader, b = *reader;
    char buffers[2][256]; /* of cells that are longer, none is a unit or a number */
    size_t numbers = 0;
    int bare;
    const soothi_csv_span span = soothi_csv_walk(a.at, a.end, a.separator);
    b.at = *end = span.end;
    if (b.at < b.end) soothi_csv_take_line(&b);
    a.alone = b.alone = 1;
    a.buffer = buffers[0];
    b.buffer = buffers[1];
    a.capacity = b.capacity = sizeof buffers[0];
    a.row_ends = b.row_ends = 0;
    if (!soothi_csv_more(&b, b.end)) {
        *end = b.end;
        return 0;
    }
    *end = soothi_csv_walk(b.at, b.end, b.separator).end;
    for (size_t j = 0; !a.row_ends; ++j) {
        if (soothi_csv_next(&a) != SOOTH_OK || (j >= a.cols && a.length > 0)) return 0;
        size_t length = a.length;
        if (!soothi_csv_unit_cell(a.text, &length, &bare)) return 0;
        const int below = !b.row_ends;
        if (below && soothi_csv_next(&b) != SOOTH_OK) return 0;
        if (length == 0 || !below) continue;
        if (soothi_csv_counts(&b)) ++numbers;
        else if (bare && !soothi_csv_is_missing(b.text, b.length) && !soothi_csv_marked(b.text, b.length))
            return 0;
    }
    return numbers > 0;
}

SOOTHI_LOCAL size_t soothi_csv_lines(const char *at, const char *to, const char *end) {
    size_t n = 0;
    for (; at < to; ++at) n += (size_t)soothi_csv_ends_line(at, end);
    return n;
}

/* Returns the beginning of the next line that is not empty. */
SOOTHI_LOCAL const char *soothi_csv_line_behind(const char *at, const char *end) {
    while (at < end && !soothi_csv_line_end(*at)) ++at;
    while (at < end && soothi_csv_line_end(*at)) ++at;
    return at;
}

/* Returns 1 if a name directly follows the # at `at`. */
SOOTHI_LOCAL int soothi_csv_is_tight(const char *at, const char *end) {
    return end - at > 1 && !soothi_csv_blank(at[1]) && !soothi_csv_line_end(at[1]);
}

/* Moves the reader from a line that begins with # to the header. This is the first line without #, at
   `plain`, or a line before with as many cells if it is above a number or a name directly follows the #. Of
   several such lines it is the last one without a number. */
SOOTHI_LOCAL void soothi_csv_pick_header(soothi_csv_reader *r, const char *plain, int no_header) {
    const char *head = plain, *const first = r->at, *const end = r->end, *last = first, *rival = NULL;
    const int is_alone = plain == end, number = is_alone || soothi_csv_has_number(r, plain);
    for (const char *p = first; p < plain; p = soothi_csv_line_behind(p, end)) last = p;
    const size_t cells = soothi_csv_walk(is_alone ? last : plain, end, r->separator).cells;
    int best = 0; /* of the head: 2 if it has no number, and 1 if its name directly follows the # */
    size_t comments = 0;
    for (const char *p = first; p < plain; p = soothi_csv_line_behind(p, end)) {
        const soothi_csv_span span = soothi_csv_walk(p, end, r->separator);
        const int tight = soothi_csv_is_tight(p, end), rank = 2 * !soothi_csv_has_number(r, p + 1) + tight;
        if (span.lines > 0 || span.cells != cells || !(number || (cells > 1 && tight))) continue;
        if (no_header) { /* rows begin at the first line that is no comment */
            if (head == plain && !soothi_csv_is_comment(p, end, r->separator, cells)) head = p;
        } else if (rank < best || (rank < 2 && !number)) {
            if (tight && !rival) rival = p;
        } else {
            if (head != plain && ((best & 1) || rank == best)) rival = head;
            head = p;
            best = rank;
        }
    }
    for (const char *p = first; p < head; p = soothi_csv_line_behind(p, end)) ++comments;
    if (comments) r->first_comment = r->line;
    r->comments = comments;
    if (rival) r->rival = r->line + soothi_csv_lines(first, rival, end);
    r->line += soothi_csv_lines(first, head, end);
    r->at = head;
}

/* Moves the reader, at the beginning of a file, to its header. Skips empty lines, "sep=;" and comments. Finds
   the separator, the number of columns, and the row of units (r->units, NULL: none). r->first is where the
   rows begin at the earliest; the bytes before r->seen decide all this. Returns 0 if there is no header. */
SOOTHI_LOCAL int soothi_csv_lead(soothi_csv_reader *r, char separator, int no_header) {
    size_t size = 0;
    r->cols = r->comments = r->first_comment = r->rival = 0;
    r->units = NULL;
    r->first = r->seen = r->end;
    if (!soothi_csv_more(r, r->end)) return 0;
    const char given = soothi_csv_given(r->at, r->end, &size);
    if (given) {
        r->at += size;
        if (!soothi_csv_more(r, r->end)) return 0;
    }
    const char *plain = r->at;
    while (plain < r->end && *plain == '#') plain = soothi_csv_line_behind(plain, r->end);
    const char *seen = plain;
    r->separator = separator ? separator
                   : given   ? given
                             : soothi_csv_separator(plain < r->end ? plain : r->at, r->end, &seen);
    r->seen = seen;
    if (plain > r->at) {
        soothi_csv_pick_header(r, plain, no_header);
        seen = soothi_csv_walk(plain, r->end, r->separator).end;
        if (seen > r->seen) r->seen = seen;
    }
    const soothi_csv_span span = soothi_csv_walk(r->at, r->end, r->separator);
    soothi_csv_reader below = *r;
    r->cols = below.cols = span.cells;
    r->first = r->at;
    if (span.end > r->seen) r->seen = span.end;
    if (no_header) return 1;
    r->first = below.at = span.end;
    if (below.at < r->end) soothi_csv_take_line(&below);
    if (!soothi_csv_more(&below, r->end)) {
        r->seen = r->end;
        return 1;
    }
    r->first = below.at;
    if (soothi_csv_is_unit_row(&below, &seen)) {
        r->units = below.at;
        r->first = soothi_csv_line_behind(soothi_csv_walk(below.at, r->end, r->separator).end, r->end);
    }
    if (seen > r->seen) r->seen = seen;
    return 1;
}

/* Reads the row of units below the header. */
SOOTHI_LOCAL sooth_status soothi_csv_take_units(soothi_csv_reader *r, sooth_csv *csv) {
    sooth_status status = SOOTH_OK;
    int bare;
    if (!r->units) return SOOTH_OK;
    soothi_csv_more(r, r->end);
    csv->unit_line = r->line;
    r->row_ends = 0;
    for (size_t j = 0; status == SOOTH_OK && !r->row_ends; ++j) {
        status = soothi_csv_next(r);
        if (status != SOOTH_OK || j >= csv->cols) continue;
        size_t length = r->length;
        const char *unit = soothi_csv_unit_cell(r->text, &length, &bare);
        if (length == 0 || *csv->column[j].unit) continue;
        csv->column[j].unit = soothi_csv_keep(r->env, csv, unit, length, 1);
        if (!csv->column[j].unit) return sooth_no_memory(r->env, "a unit", length);
    }
    return status;
}

/* Reads the header, or only counts the cells of the first line if it is a row. */
SOOTHI_LOCAL sooth_status soothi_csv_header(soothi_csv_reader *r, sooth_csv *csv, int no_header) {
    const soothi_csv_reader start = *r;
    size_t cols = 0, numbers = 0, texts = 0;
    sooth_status status;
    do { /* count, then copy */
        status = soothi_csv_next(r);
        ++cols;
    } while (status == SOOTH_OK && !r->row_ends);
    if (status != SOOTH_OK) return status;
    if (cols > UINT32_MAX / 2) return sooth_fail(r->env, SOOTH_BAD_TEXT, "the header has %z columns", cols);
    csv->cols = cols;
    csv->column = (sooth_csv_column *)sooth_alloc(r->env, cols, sizeof *csv->column);
    csv->state.names = (soothi_csv_words *)sooth_alloc(r->env, 1, sizeof *csv->state.names);
    if (csv->column) memset(csv->column, 0, cols * sizeof *csv->column);
    if (csv->state.names) memset(csv->state.names, 0, sizeof *csv->state.names);
    uint32_t *last = (uint32_t *)sooth_alloc(r->env, cols, sizeof *last);
    if (!csv->column || !csv->state.names || !last) {
        sooth_free(r->env, last, cols, sizeof *last);
        return sooth_no_memory(r->env, "the columns", cols * sizeof *csv->column);
    }
    memset(last, 0, cols * sizeof *last);
    r->at = start.at;
    r->line = start.line;
    for (size_t j = 0; j < cols && status == SOOTH_OK; ++j) {
        char unnamed[32];
        float value;
        soothi_csv_next(r); /* which succeeded before */
        if (soothi_csv_number(r, &value)) numbers += !soothi_nan((double)value);
        else texts += r->length > 0;
        if (r->length == 0 || no_header) {
            r->length = sooth_text_format(unnamed, sizeof unnamed, "column %z", j + 1);
            r->text = unnamed;
        }
        status = soothi_csv_name(r->env, csv, j, r->text, r->length, last);
    }
    csv->numeric_header = !no_header && numbers > 0 && texts == 0;
    csv->header_line = start.line;
    r->cols = cols;
    if (no_header) {
        r->at = start.at;
        r->line = start.line;
    }
    sooth_free(r->env, last, cols, sizeof *last);
    if (status == SOOTH_OK) status = soothi_csv_take_units(r, csv);
    r->marks = 0;
    return status;
}

/* ---- columns by name ---- */

SOOTH_API size_t sooth_csv_find(const sooth_csv *csv, const char *name) {
    const size_t length = soothi_text_length(name);
    if (!csv->state.names) return SOOTH_NONE;
    const soothi_csv_word *slot = soothi_csv_slot(csv->state.names, name, length, SOOTHI_CSV_HEADER);
    if (!slot->text) slot = soothi_csv_slot(csv->state.names, name, length, SOOTHI_CSV_NAME);
    return slot->text ? slot->code : SOOTH_NONE;
}

/* Returns the Levenshtein distance (1966) from a to b, ignoring case. It is above `most` for long texts and
   for texts of very different length. */
SOOTHI_LOCAL size_t soothi_csv_distance(const char *a, const char *b, size_t most) {
    size_t row[64], m = soothi_text_length(a), n = soothi_text_length(b);
    if (m > 63 || n > 63 || m > n + most || n > m + most) return most + 1;
    for (size_t j = 0; j <= n; ++j) row[j] = j;
    for (size_t i = 0; i < m; ++i) {
        size_t corner = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; ++j) {
            size_t least = corner + (soothi_csv_lower(a[i]) != soothi_csv_lower(b[j]));
            corner = row[j + 1];
            if (row[j] + 1 < least) least = row[j] + 1;
            if (corner + 1 < least) least = corner + 1;
            row[j + 1] = least;
        }
    }
    return row[n];
}

/* Returns the column that was probably meant, or csv->cols. At most every third letter may differ. */
SOOTHI_LOCAL size_t soothi_csv_nearest(const sooth_csv *csv, const char *name) {
    size_t most = soothi_text_length(name) / 3, best = csv->cols;
    for (size_t j = 0; j < csv->cols && (best == csv->cols || most > 0); ++j) {
        size_t d = soothi_csv_distance(name, csv->column[j].name, most);
        size_t e = soothi_csv_distance(name, csv->column[j].header, most);
        if (e < d) d = e;
        if (d > most || (best < csv->cols && d == most)) continue;
        most = d;
        best = j;
    }
    return best;
}

/* Finds the column of this name. If there is none, the message has the name that was probably meant, or all
   names. */
SOOTHI_LOCAL sooth_status soothi_csv_column(sooth_env *env, const sooth_csv *csv, const char *name,
                                            const char *part, size_t *column) {
    char asked[48], other[48], known[SOOTH_ENV_SENTENCE - 128];
    size_t k, n = 0;
    *column = sooth_csv_find(csv, name);
    if (*column < csv->cols) return SOOTH_OK;
    soothi_brief(asked, name);
    size_t j = soothi_csv_nearest(csv, name);
    if (j < csv->cols)
        return sooth_fail(env, SOOTH_BAD_DATA, "there is no column %s for the %s; did you mean %s?", asked,
                          part, soothi_brief(other, csv->column[j].name));
    for (j = 0; j < csv->cols && n + 64 < sizeof known; ++j) {
        soothi_brief(other, csv->column[j].name);
        for (k = 0; other[k] && other[k] != ',';) ++k; /* names with commas are quoted */
        n += sooth_text_format(known + n, sizeof known - n, other[k] ? "%s\"%s\"" : "%s%s", j ? ", " : "",
                               other);
    }
    return sooth_fail(env, SOOTH_BAD_DATA, "there is no column %s for the %s; there are %s%s", asked, part,
                      known, j < csv->cols ? ", ..." : "");
}

/* Marks the columns of options->names. */
SOOTHI_LOCAL sooth_status soothi_csv_find_names(sooth_env *env, sooth_csv *csv,
                                                const sooth_csv_options *options) {
    for (size_t i = 0; options && i < options->name_count; ++i) {
        size_t j;
        const sooth_status status = soothi_csv_column(env, csv, options->names[i], "names", &j);
        if (status != SOOTH_OK) return status;
        csv->column[j].is_name = 1;
    }
    return SOOTH_OK;
}

/* ---- the rows ---- */

/* Returns the number of the text of a cell in its column, and adds new texts. */
SOOTHI_LOCAL sooth_status soothi_csv_code(soothi_csv_reader *r, sooth_csv *csv, soothi_csv_words *words,
                                          size_t row, uint32_t column, uint32_t *code) {
    const char *text = r->text - r->before;
    size_t length = r->before + r->length + r->behind;
    sooth_csv_column *c = &csv->column[column];
    if (soothi_csv_reserve(r->env, words) != SOOTH_OK) return SOOTH_NO_MEMORY;
    soothi_csv_word *slot = soothi_csv_slot(words, text, length, column);
    if (!slot->text) {
        const char *kept = soothi_csv_keep(r->env, csv, text, length, 1);
        if (!kept) return sooth_no_memory(r->env, "a text", length);
        if (c->texts == 1u << 24)
            return sooth_fail(r->env, SOOTH_BAD_TEXT,
                              "line %z, column %z has more than 16,777,216 different texts",
                              (size_t)csv->line[row], (size_t)column + 1);
        soothi_csv_enter(words, slot, kept, column, c->texts++);
    }
    *code = slot->code;
    return SOOTH_OK;
}

/* Reads a cell of the row at `line` by the form of its column. A cell that does not fit makes the column
   text. */
SOOTHI_LOCAL void soothi_csv_reform(soothi_csv_reader *r, size_t line, sooth_csv_column *c, float *cell) {
    soothi_csv_shape shape;
    float plain = 0.0f;
    double factor = 1.0;
    const int is_duration = c->state.form == SOOTHI_CSV_DURATION;
    const char *to = "";
    const int is_plain = soothi_csv_number(r, &plain), is_zero = is_plain && !(plain < 0.0f || plain > 0.0f);
    soothi_csv_shape_of(r->text, r->length, &shape);
    if (c->state.unit) to = soothi_csv_units[c->state.unit - 1].name;
    if (c->state.failed) return;
    if ((is_duration || *to) && is_plain) {
        *cell = plain;
        if (!is_zero)
            c->form = is_duration ? "a plain number, but other cells are durations"
                                  : "without a unit, but other cells have one";
    } else if (shape.forms & c->state.form) {
        if (shape.unit != SOOTHI_CSV_NO_UNIT)
            factor = sooth_csv_unit_factor(soothi_csv_units[shape.unit].name, to);
        if (is_duration && sooth_csv_unit_factor("s", c->unit) > 0.0) /* of the header */
            shape.seconds *= sooth_csv_unit_factor("s", c->unit);
        *cell = soothi_csv_number_of(&shape, c->state.form, factor);
        c->state.lacks |= (uint8_t)~shape.forms;
    } else if (is_plain && !shape.forms) *cell = plain;
    else c->form = "with another decimal mark than other cells";
    c->state.failed = *c->form != 0;
    if (c->state.failed) c->odd_line = line;
}

/* Decides how the cells of a text column are read, given what they have in common. */
SOOTHI_LOCAL void soothi_csv_settle(sooth_csv_column *c, const soothi_csv_common *common, char separator) {
    c->state.form = (uint8_t)soothi_csv_form_of(common, separator, &c->form);
    c->state.unit = 0;
    const unsigned unit = common->unit - 1u;
    c->state.is_doubtful = c->state.form == SOOTHI_CSV_POINTS && !(common->barred & SOOTHI_CSV_COMMAS) &&
                           (common->doubts & SOOTHI_CSV_DOUBT_COMMA);
    if (!c->state.form || unit == SOOTHI_CSV_NO_UNIT) return;
    uint32_t to = soothi_csv_same_unit(unit, soothi_csv_units[unit].scale);
    if (*c->unit) {
        to = soothi_csv_unit_of(c->unit, soothi_text_length(c->unit));
        if (to == SOOTHI_CSV_NO_UNIT || soothi_csv_units[to].dimension != soothi_csv_units[unit].dimension) {
            c->form = "in another unit than the header";
            c->state.form = 0;
            return;
        }
    }
    c->state.unit = (uint8_t)(to + 1);
}

/* ---- pieces of a file ---- */

/* All workers read pieces of a file at once. Pieces are cut at ends of rows, which depend on all quotes
   before. If there are quotes, one thread first walks from quote to quote. Results do not depend on the cuts.
   A piece stores the number of its first line, and reserves one row per line before it. A worker must not
   allocate and has no message. If it needs either (a quote within quotes; an error), it leaves the piece to
   the caller, which reads it again. */
#ifndef SOOTHI_CSV_PIECE
#define SOOTHI_CSV_PIECE ((size_t)256 << 10) /* bytes */
#endif

typedef struct soothi_csv_piece {
    const char *at, *end; /* its rows */
    size_t line;          /* number of the first line */
    size_t row, rows;     /* index of its first row in the table, and its number of rows with a value */
    size_t blank_rows, first_blank, short_rows, first_short; /* as in sooth_csv */
    size_t comments, first_comment;
    unsigned marks;
    int left; /* 1: left to the caller, who counts odd cells from these on */
    size_t told_line, told_cell;
    size_t lines, zero; /* in its bytes: line ends, and position of the first zero byte, from 1 */
    unsigned quotes;    /* 1: there are quotes; 2: there is a # */
    int returns;        /* there is a CR */
} soothi_csv_piece;

typedef struct soothi_csv_pieces {
    sooth_csv *csv;
    const soothi_csv_reader *reader;
    const char *bytes;
    size_t size, count;
    soothi_csv_piece *piece;
    soothi_csv_seen *seen; /* workers x cols */
    size_t first;          /* of the batch being read */
} soothi_csv_pieces;

enum { SOOTHI_CSV_SCAN = 128, SOOTHI_CSV_LANES = 16 }; /* bytes of a step: the lines of a lane fit a byte */

/* Counts the lines in p[0..SOOTHI_CSV_SCAN), and finds quotes, # (as in soothi_csv_piece), zeros (4) and CR
   (8). One more byte is read. Compilers make vector code of the lanes. */
SOOTHI_HOT unsigned soothi_csv_scan_step(const char *p, size_t *lines) {
    uint8_t count[SOOTHI_CSV_LANES] = {0}, quotes[SOOTHI_CSV_LANES] = {0};
    uint8_t hashes[SOOTHI_CSV_LANES] = {0}, zeros[SOOTHI_CSV_LANES] = {0};
    uint8_t returns[SOOTHI_CSV_LANES] = {0};
    unsigned found = 0;
    for (size_t k = 0; k < SOOTHI_CSV_SCAN; k += SOOTHI_CSV_LANES)
        for (size_t i = 0; i < SOOTHI_CSV_LANES; ++i) {
            const char c = p[k + i], next = p[k + i + 1];
            count[i] = (uint8_t)(count[i] + ((c == '\n') | ((c == '\r') & (next != '\n'))));
            quotes[i] = (uint8_t)(quotes[i] | (c == '"'));
            hashes[i] = (uint8_t)(hashes[i] | (c == '#'));
            zeros[i] = (uint8_t)(zeros[i] | (c == 0));
            returns[i] = (uint8_t)(returns[i] | (c == '\r'));
        }
    for (size_t i = 0; i < SOOTHI_CSV_LANES; ++i) {
        *lines += count[i];
        found |= (unsigned)quotes[i] | (unsigned)hashes[i] << 1 | (unsigned)zeros[i] << 2 |
                 (unsigned)returns[i] << 3;
    }
    return found;
}

/* Counts the lines of one piece and looks for zeros and quotes. */
static void soothi_csv_scan_task(void *arg, size_t i, size_t worker) {
    const soothi_csv_pieces *all = (const soothi_csv_pieces *)arg;
    soothi_csv_piece *piece = &all->piece[i];
    const char *p = all->bytes + i * SOOTHI_CSV_PIECE, *const end = all->bytes + all->size;
    const char *const to = (size_t)(end - p) > SOOTHI_CSV_PIECE ? p + SOOTHI_CSV_PIECE : end;
    unsigned found = 0;
    (void)worker;
    memset(piece, 0, sizeof *piece);
    for (; to - p > SOOTHI_CSV_SCAN; p += SOOTHI_CSV_SCAN) found |= soothi_csv_scan_step(p, &piece->lines);
    piece->lines += soothi_csv_lines(p, to, end);
    for (; p < to; ++p)
        found |= (unsigned)(*p == '"') | (unsigned)(*p == '#') << 1 | (unsigned)(*p == 0) << 2 |
                 (unsigned)(*p == '\r') << 3;
    piece->quotes = found & 3u;
    piece->returns = (found & 8u) != 0;
    for (p = all->bytes + i * SOOTHI_CSV_PIECE; found & 4u && piece->zero == 0; ++p)
        if (*p == 0) piece->zero = (size_t)(p - all->bytes) + 1;
}

/* Returns where the first row begins at or after `to`, given that one begins at `from`. */
SOOTHI_LOCAL const char *soothi_csv_row_behind(const soothi_csv_pieces *all, const char *from, const char *to,
                                               unsigned quotes) {
    const char *const row = from, *const end = all->bytes + all->size, *p = from, *line = from;
    const char separator = all->reader->separator;
    for (;;) {
        const char *stop = p > to ? p : to, *open;
        while (stop < end && !soothi_csv_line_end(*stop)) ++stop;
        if (quotes == 3) {
            for (; p < stop && *p != '"'; ++p)
                if (soothi_csv_line_end(*p)) line = p + 1;
        } else if (quotes & 1)
            while (p < stop && *p != '"') ++p;
        if (!(quotes & 1) || p == stop) {
            if (stop < end && *stop == '\r' && stop + 1 < end && stop[1] == '\n') ++stop;
            return stop < end ? stop + 1 : end;
        }
        if (quotes == 3 && *line == '#' && soothi_csv_is_comment(line, end, separator, all->reader->cols)) {
            while (p < end && !soothi_csv_line_end(*p)) ++p;
            continue;
        }
        line = p; /* the rest of this line is a row's */
        for (open = p; open > row && soothi_csv_blank(open[-1]) && open[-1] != separator;) --open;
        ++p;
        if (open > row && open[-1] != separator && !soothi_csv_line_end(open[-1])) continue; /* in a cell */
        for (; p < end; ++p)
            if (*p == '"' && (p + 1 == end || *++p != '"')) break;
    }
}

/* Cuts the rows from reader->at on into pieces. lines: number of the first line of the bytes. rows: upper
   bound of their number. */
SOOTHI_LOCAL void soothi_csv_cut(soothi_csv_pieces *all, size_t lines, size_t *rows) {
    const soothi_csv_reader *r = all->reader;
    const char *at = r->at;
    size_t line = r->line;
    unsigned quotes = 0;
    int returns = 0;
    for (size_t i = 0; i < all->count; ++i) {
        quotes |= all->piece[i].quotes;
        returns |= all->piece[i].returns;
    }
    all->csv->plain = !(quotes & 1u) && !returns;
    for (size_t i = 0; i < all->count; ++i) {
        soothi_csv_piece *piece = &all->piece[i];
        const char *const bound = i + 1 < all->count ? all->bytes + (i + 1) * SOOTHI_CSV_PIECE : r->end;
        piece->at = at;
        piece->line = line;
        piece->row = line - r->line;
        lines += piece->lines;
        if (bound > at) {
            at = soothi_csv_row_behind(all, at, bound, quotes);
            line = lines + soothi_csv_lines(bound, at, r->end);
        }
        piece->end = at;
    }
    *rows = line - r->line + 1; /* the last may lack a line end */
}

/* Keeps the earlier of two lines, 0 is none. Returns 1 if it is the other one. */
SOOTHI_LOCAL int soothi_csv_earlier(uint32_t *line, uint32_t other) {
    if (other == 0 || (*line && *line <= other)) return 0;
    *line = other;
    return 1;
}

/* Counts a cell that is not empty and not a plain number. */
SOOTHI_LOCAL void soothi_csv_count_odd(const soothi_csv_reader *r, size_t line, soothi_csv_kind kind,
                                       soothi_csv_seen *seen) {
    const uint32_t at = (uint32_t)line;
    soothi_csv_shape shape;
    if (kind == SOOTHI_CSV_MISSING) {
        ++seen->worded;
        if (!soothi_csv_earlier(&seen->worded_line, at)) return;
        const size_t n = r->length < sizeof seen->word ? r->length : sizeof seen->word - 1;
        memset(seen->word, 0, sizeof seen->word);
        memcpy(seen->word, r->text, n);
        return;
    }
    if (kind == SOOTHI_CSV_MARK) {
        ++seen->marked;
        if (soothi_csv_earlier(&seen->marked_line, at)) seen->mark = soothi_csv_marked(r->text, r->length);
        return;
    }
    ++seen->odd;
    soothi_csv_earlier(&seen->odd_line, at);
    if (seen->shapeless_line && seen->shapeless_line <= at) return;
    soothi_csv_shape_of(r->text, r->length, &shape);
    soothi_csv_meet(&seen->common, &shape);
    if (!shape.forms) soothi_csv_earlier(&seen->shapeless_line, at);
}

/* Reads one row into cell. *cells is its number of cells, *values that of its values. */
SOOTHI_HOT sooth_status soothi_csv_read_row(soothi_csv_reader *r, size_t cols, soothi_csv_seen *seen,
                                            float *cell, size_t *cells, size_t *values) {
    const size_t line = r->line;
    size_t j = 0;
    *cells = *values = 0;
    do {
        soothi_csv_kind kind;
        float value;
        j = soothi_csv_usual(r, j, cols, seen, cell, values);
        if (r->row_ends) break;
        sooth_status status = soothi_csv_next(r);
        if (status != SOOTH_OK) {
            if (r->alone) r->told_line = line, r->told_cell = j;
            return status;
        }
        if (j >= cols) {
            if (r->length == 0) continue;
            return sooth_fail(r->env, SOOTH_BAD_TEXT,
                              "line %z has a cell in column %z, but the header has %z columns", line, j + 1,
                              cols);
        }
        kind = soothi_csv_cell(r, &value);
        *values += kind != SOOTHI_CSV_MISSING;
        if (kind == SOOTHI_CSV_NUMBER && (r->before || r->behind || !soothi_csv_is_exact(r->text, r->length)))
            soothi_csv_earlier(&seen[j].vague_line, (uint32_t)line);
        r->has_marks |= kind == SOOTHI_CSV_MARK;
        if ((kind >= SOOTHI_CSV_TEXT || (kind == SOOTHI_CSV_MISSING && r->length > 0)) &&
            (line > r->told_line || (line == r->told_line && j >= r->told_cell)))
            soothi_csv_count_odd(r, line, kind, &seen[j]);
        cell[j++] = value;
    } while (!r->row_ends);
    for (*cells = j; j < cols; ++j) cell[j] = soothi_missing();
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_csv_read_piece(const soothi_csv_pieces *all, soothi_csv_reader *r,
                                                soothi_csv_piece *piece, soothi_csv_seen *seen) {
    const sooth_csv *csv = all->csv;
    float *cell = csv->cell + piece->row * csv->cols;
    uint32_t *line = csv->line + piece->row;
    size_t cells, values, all_values = 0;
    piece->rows = piece->blank_rows = piece->short_rows = 0;
    r->at = piece->at;
    r->line = piece->line;
    r->marks = 0;
    r->comments = r->first_comment = 0;
    r->has_marks = 0;
    while (soothi_csv_more(r, piece->end)) {
        const size_t begins = r->line;
        sooth_status status = soothi_csv_read_row(r, csv->cols, seen, cell, &cells, &values);
        if (status != SOOTH_OK) return status;
        if (values == 0) {
            if (piece->blank_rows++ == 0) piece->first_blank = begins;
            if (!r->keep_blank) continue;
        } else if (cells < csv->cols && piece->short_rows++ == 0) piece->first_short = begins;
        line[piece->rows++] = (uint32_t)begins;
        all_values += values;
        cell += csv->cols;
    }
    piece->marks = r->marks;
    piece->comments = r->comments;
    piece->first_comment = r->first_comment;
    cell = csv->cell + piece->row * csv->cols;
    for (size_t i = 0; i < piece->rows && (r->has_marks || all_values < piece->rows * csv->cols);
         ++i, cell += csv->cols)
        for (size_t j = 0; j < csv->cols; ++j) seen[j].missing += (size_t)soothi_nan((double)cell[j]);
    return SOOTH_OK;
}

static void soothi_csv_piece_task(void *arg, size_t i, size_t worker) {
    const soothi_csv_pieces *all = (const soothi_csv_pieces *)arg;
    soothi_csv_piece *piece = &all->piece[all->first + i];
    soothi_csv_reader r = *all->reader;
    r.env = NULL;
    r.alone = 1;
    r.buffer = NULL;
    r.capacity = 0;
    r.told_line = 0;
    piece->left = soothi_csv_read_piece(all, &r, piece, all->seen + worker * all->csv->cols) != SOOTH_OK;
    piece->told_line = r.told_line;
    piece->told_cell = r.told_cell;
}

/* Moves the rows of a piece to the end of the previous rows, and adds its counts. */
SOOTHI_LOCAL void soothi_csv_join(sooth_csv *csv, const soothi_csv_piece *piece) {
    if (csv->rows < piece->row && piece->rows > 0) {
        memmove(csv->cell + csv->rows * csv->cols, csv->cell + piece->row * csv->cols,
                piece->rows * csv->cols * sizeof *csv->cell);
        memmove(csv->line + csv->rows, csv->line + piece->row, piece->rows * sizeof *csv->line);
    }
    if (csv->blank_rows == 0) csv->first_blank = piece->first_blank;
    if (csv->short_rows == 0) csv->first_short = piece->first_short;
    if (csv->comments == 0) csv->first_comment = piece->first_comment;
    csv->comments += piece->comments;
    csv->blank_rows += piece->blank_rows;
    csv->short_rows += piece->short_rows;
    csv->rows += piece->rows;
}

/* Adds up the workers' counts for column j. */
SOOTHI_LOCAL soothi_csv_seen soothi_csv_total(const soothi_csv_pieces *all, size_t workers, size_t j) {
    soothi_csv_seen total;
    memset(&total, 0, sizeof total);
    for (size_t w = 0; w < workers; ++w) {
        const soothi_csv_seen *seen = &all->seen[w * all->csv->cols + j];
        total.missing += seen->missing;
        total.odd += seen->odd;
        total.marked += seen->marked;
        soothi_csv_earlier(&total.odd_line, seen->odd_line);
        soothi_csv_earlier(&total.vague_line, seen->vague_line);
        soothi_csv_earlier(&total.shapeless_line, seen->shapeless_line);
        if (soothi_csv_earlier(&total.marked_line, seen->marked_line)) total.mark = seen->mark;
        total.worded += seen->worded;
        if (soothi_csv_earlier(&total.worded_line, seen->worded_line))
            memcpy(total.word, seen->word, sizeof total.word);
        soothi_csv_meet_all(&total.common, &seen->common);
    }
    return total;
}

/* Stores what all workers have counted. Returns the number of columns with texts. */
SOOTHI_LOCAL size_t soothi_csv_sum_up(const soothi_csv_pieces *all, size_t workers) {
    size_t texts = 0;
    for (size_t j = 0; j < all->csv->cols; ++j) {
        sooth_csv_column *c = &all->csv->column[j];
        soothi_csv_seen seen = soothi_csv_total(all, workers, j);
        c->is_text |= seen.odd > 0;
        texts += c->is_text || c->is_name;
        soothi_csv_earlier(&seen.vague_line, seen.marked_line);
        if (!c->vague_line) c->vague_line = seen.vague_line;
        c->missing = seen.missing - (c->is_text ? seen.marked : 0); /* these are texts of a text column */
        c->marked = seen.marked;
        c->marked_line = seen.marked_line;
        c->mark = seen.marked ? soothi_csv_mark[seen.mark - 1] : "";
        c->worded = seen.worded;
        if (!c->worded_line && seen.worded) {
            c->worded_line = seen.worded_line;
            memcpy(c->word, seen.word, sizeof c->word);
        }
        if (!seen.odd) continue;
        c->odd = seen.odd;
        c->state.formed = seen.shapeless_line == 0;
        c->odd_line = seen.shapeless_line ? seen.shapeless_line : seen.odd_line;
        soothi_csv_settle(c, &seen.common, all->csv->separator);
    }
    return texts;
}

/* Reads all pieces, in batches, with a progress report for each. *texts: number of columns with texts. */
SOOTHI_LOCAL sooth_status soothi_csv_read_pieces(soothi_csv_pieces *all, soothi_csv_reader *r,
                                                 size_t *texts) {
    const size_t workers = soothi_workers(r->env), batch = 4 * workers;
    const soothi_csv_reader start = *r;
    double done = 0.0;
    unsigned marks = 0;
    all->reader = &start;
    for (all->first = 0; all->first < all->count; all->first += batch) {
        const size_t n = all->count - all->first < batch ? all->count - all->first : batch;
        /* text columns need a second pass */
        const double share = (double)all->first / (double)all->count * (*texts ? 0.5 : 1.0);
        if (share > done) done = share;
        sooth_status status = soothi_progress(r->env, "reading", done);
        if (status != SOOTH_OK) return status;
        soothi_parallel(r->env, n, soothi_csv_piece_task, all);
        for (size_t i = all->first; i < all->first + n; ++i) {
            r->told_line = all->piece[i].told_line;
            r->told_cell = all->piece[i].told_cell;
            if (all->piece[i].left) status = soothi_csv_read_piece(all, r, &all->piece[i], all->seen);
            if (status != SOOTH_OK) return status;
            soothi_csv_join(all->csv, &all->piece[i]);
            marks |= all->piece[i].marks;
        }
        *texts = soothi_csv_sum_up(all, workers);
    }
    r->marks = marks;
    return SOOTH_OK;
}

/* Reads a cell of a column with texts: its number if the column has a form, and the number of the text if it
   has none or is one of names. */
SOOTHI_LOCAL sooth_status soothi_csv_convert(soothi_csv_reader *r, sooth_csv *csv, soothi_csv_words *words,
                                             size_t row, size_t j) {
    sooth_csv_column *c = &csv->column[j];
    float *cell = csv->cell + row * csv->cols + j, value;
    uint32_t number = 0;
    const int missing = soothi_nan((double)*cell), is_formed = c->is_text && c->state.form;
    const int is_named = c->code && soothi_csv_cell(r, &value) != SOOTHI_CSV_MISSING;
    const int is_text =
        c->is_text && !is_formed && !(missing && (r->length == 0 || !soothi_csv_marked(r->text, r->length)));
    if (is_formed && !missing) soothi_csv_reform(r, csv->line[row], c, cell);
    if (!is_named && !is_text) return SOOTH_OK;
    const sooth_status status = soothi_csv_code(r, csv, words, row, (uint32_t)j, &number);
    if (is_named) c->code[row] = number;
    if (is_text) *cell = (float)number;
    return status;
}

/* Reads the columns with texts in the order of the file, in a second pass over the rows from r->at on,
   between two shares of the progress. coded: only those with codes. */
SOOTHI_LOCAL sooth_status soothi_csv_read_texts(soothi_csv_reader *r, sooth_csv *csv, soothi_csv_words *words,
                                                int coded, double done, double then) {
    const char *const from = r->at, *tell = from;
    size_t row = 0;
    sooth_status status = SOOTH_OK;
    while (status == SOOTH_OK && row < csv->rows && soothi_csv_more(r, r->end)) {
        const int kept = csv->line[row] == r->line; /* otherwise it is blank */
        size_t j = 0;
        if (r->at >= tell) {
            tell = (size_t)(r->end - r->at) > (size_t)1 << 20 ? r->at + ((size_t)1 << 20) : r->end;
            status = soothi_progress(r->env, "reading",
                                     done + (then - done) * (double)(r->at - from) / (double)(r->end - from));
        }
        do {
            if (status == SOOTH_OK) status = soothi_csv_next(r);
            if (status == SOOTH_OK && kept && j < csv->cols &&
                (coded ? csv->column[j].code != NULL : csv->column[j].is_text || csv->column[j].is_name))
                status = soothi_csv_convert(r, csv, words, row, j);
            ++j;
        } while (status == SOOTH_OK && !r->row_ends);
        row += (size_t)kept;
    }
    return status;
}

/* Allocates the codes of names that are numbers, or of column `only` (SIZE_MAX: none). */
SOOTHI_LOCAL sooth_status soothi_csv_new_codes(sooth_env *env, sooth_csv *csv, size_t only) {
    const size_t rows = csv->state.capacity[1];
    for (size_t j = 0; j < csv->cols; ++j) {
        sooth_csv_column *c = &csv->column[j];
        const int needed = only == SIZE_MAX ? c->is_name && !(c->is_text && !c->state.form) : j == only;
        if (!needed || c->code) continue;
        c->code = (uint32_t *)sooth_alloc(env, rows, sizeof *c->code);
        if (!c->code) return sooth_no_memory(env, "the names", soothi_product(rows, sizeof *c->code));
        for (size_t i = 0; i < rows; ++i) c->code[i] = SOOTH_CSV_NO_NAME;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_csv_free_codes(sooth_env *env, sooth_csv *csv) {
    for (size_t j = 0; csv->column && j < csv->cols; ++j) {
        sooth_free(env, csv->column[j].code, csv->state.capacity[1], sizeof *csv->column[j].code);
        csv->column[j].code = NULL;
    }
}

/* Makes columns of numbers of those that were read by a form. Returns the number of columns that are text
   after all. */
SOOTHI_LOCAL size_t soothi_csv_take_forms(sooth_csv *csv) {
    size_t texts = 0;
    for (size_t j = 0; j < csv->cols; ++j) {
        sooth_csv_column *c = &csv->column[j];
        const char *was = c->unit;
        if (!c->is_text || !c->state.form) continue;
        if (c->state.is_doubtful && !(c->state.lacks & SOOTHI_CSV_COMMAS) && !c->state.failed) {
            c->form = "in thousands or has a decimal comma; write it without the comma";
            c->state.failed = 1;
        }
        const unsigned form = c->state.form;
        c->state.form = 0;
        texts += c->state.failed;
        if (c->state.failed) continue;
        c->is_text = 0;
        if (!c->vague_line || c->odd_line < c->vague_line) c->vague_line = c->odd_line;
        c->odd = c->odd_line = 0;
        c->missing += c->marked;
        if (c->state.unit) c->unit = soothi_csv_units[c->state.unit - 1].name;
        else if (form == SOOTHI_CSV_DURATION && !(sooth_csv_unit_factor("s", was) > 0.0)) c->unit = "s";
        c->form = c->state.unit                 ? "numbers with a unit"
                  : form == SOOTHI_CSV_DURATION ? "durations"
                  : form == SOOTHI_CSV_COMMAS   ? "numbers with a decimal comma"
                                                : "numbers with a decimal point";
    }
    return texts;
}

SOOTHI_LOCAL sooth_status soothi_csv_rows_of(soothi_csv_reader *r, soothi_csv_pieces *all, int no_rows,
                                             soothi_csv_words *words) {
    sooth_csv *csv = all->csv;
    const size_t seen = soothi_product(soothi_workers(r->env), csv->cols), line = r->line;
    const char *const at = r->at;
    size_t rows = 0, texts = 0;
    all->reader = r;
    soothi_csv_cut(all, 1, &rows);
    if (rows + line > UINT32_MAX / 2)
        return sooth_fail(r->env, SOOTH_BAD_TEXT, "the file has %z lines, but can have at most 2^31",
                          rows + line - 1);
    csv->state.capacity[0] = soothi_product(rows, csv->cols);
    csv->state.capacity[1] = rows;
    csv->cell = (float *)sooth_alloc(r->env, csv->state.capacity[0], sizeof *csv->cell);
    csv->line = (uint32_t *)sooth_alloc(r->env, csv->state.capacity[1], sizeof *csv->line);
    all->seen = (soothi_csv_seen *)sooth_alloc(r->env, seen, sizeof *all->seen);
    sooth_status status = SOOTH_OK;
    if (!csv->cell || !csv->line || !all->seen)
        status =
            sooth_no_memory(r->env, "the cells", soothi_product(csv->state.capacity[0], sizeof *csv->cell));
    if (status == SOOTH_OK) {
        memset(all->seen, 0, seen * sizeof *all->seen);
        status = soothi_csv_read_pieces(all, r, &texts);
    }
    sooth_free(r->env, all->seen, seen, sizeof *all->seen);
    if (status == SOOTH_OK && csv->rows == 0 && !no_rows)
        status =
            sooth_fail(r->env, SOOTH_BAD_TEXT, "the file has a header of %z columns but no rows", csv->cols);
    r->at = at;
    r->line = line;
    if (status == SOOTH_OK && texts > 0) status = soothi_csv_new_codes(r->env, csv, SIZE_MAX);
    size_t forms = 0;
    for (size_t j = 0; j < csv->cols; ++j) forms += csv->column[j].state.form != 0;
    if (status == SOOTH_OK && texts > 0)
        status = soothi_csv_read_texts(r, csv, words, 0, 0.5, forms ? 0.75 : 1.0);
    if (status == SOOTH_OK && soothi_csv_take_forms(csv) > 0) {
        r->at = at;
        r->line = line;
        status = soothi_csv_read_texts(r, csv, words, 0, 0.75, 1.0);
    }
    for (size_t j = 0; j < csv->cols; ++j)
        if (csv->column[j].is_text) csv->column[j].marked = csv->column[j].marked_line = 0;
    return status == SOOTH_OK ? soothi_progress(r->env, "reading", 1.0) : status;
}

/* Gives the columns their texts, as slices of one array. */
SOOTHI_LOCAL sooth_status soothi_csv_share_out(sooth_env *env, sooth_csv *csv,
                                               const soothi_csv_words *words) {
    if (words->count == 0) return SOOTH_OK;
    csv->state.capacity[2] = words->count;
    const char **next = (const char **)sooth_alloc(env, words->count, sizeof *next);
    if (!next) return sooth_no_memory(env, "the texts", words->count * sizeof *next);
    for (size_t j = 0; j < csv->cols; ++j) {
        if (!csv->column[j].texts) continue;
        csv->column[j].text = next;
        next += csv->column[j].texts;
    }
    for (size_t i = 0; i < words->slots; ++i) {
        const soothi_csv_word *w = &words->word[i];
        if (w->text) csv->column[w->kind].text[w->code] = w->text;
    }
    return SOOTH_OK;
}

/* ---- the odd cell of a column ---- */

/* Kinds of cells that are read differently; from UNIT on, by dimension. */
enum {
    SOOTHI_CSV_KIND_ANY, /* 0, which needs no unit; in a column of numbers, those of either decimal mark */
    SOOTHI_CSV_KIND_PLAIN,
    SOOTHI_CSV_KIND_POINT,
    SOOTHI_CSV_KIND_COMMA,
    SOOTHI_CSV_KIND_DATE,
    SOOTHI_CSV_KIND_DURATION,
    SOOTHI_CSV_KIND_UNIT,
    SOOTHI_CSV_KINDS = SOOTHI_CSV_KIND_UNIT + 22
};

/* Returns the kind of a text. is_mixed: there are dates, durations or units, so decimal marks do not
   matter. */
SOOTHI_LOCAL unsigned soothi_csv_kind_of(const char *text, char separator, int is_mixed, const char **unit) {
    const size_t length = soothi_text_length(text);
    const unsigned both = SOOTHI_CSV_POINTS | SOOTHI_CSV_COMMAS;
    soothi_csv_shape shape;
    float value = 1.0f;
    if (soothi_csv_marked(text, length)) return SOOTHI_CSV_KIND_ANY;
    soothi_csv_shape_of(text, length, &shape);
    if (shape.unit != SOOTHI_CSV_NO_UNIT) {
        *unit = soothi_csv_units[shape.unit].name;
        return SOOTHI_CSV_KIND_UNIT +
               (soothi_csv_is_letter(shape.unit) ? 0 : soothi_csv_units[shape.unit].dimension);
    }
    if (shape.forms & SOOTHI_CSV_DATE) return SOOTHI_CSV_KIND_DATE;
    if (shape.forms & SOOTHI_CSV_DURATION) return SOOTHI_CSV_KIND_DURATION;
    sooth_text_to_float(text, length, &value);
    if (value >= 0.0f && value <= 0.0f) return SOOTHI_CSV_KIND_ANY;
    if (is_mixed) return SOOTHI_CSV_KIND_PLAIN;
    if (separator == ';' || !(shape.forms & both) || (shape.forms & both) == both) return SOOTHI_CSV_KIND_ANY;
    return shape.forms & SOOTHI_CSV_POINTS ? SOOTHI_CSV_KIND_POINT : SOOTHI_CSV_KIND_COMMA;
}

/* Describes a kind: of one cell, after "it is", or of several, after "but other cells are". */
SOOTHI_LOCAL const char *soothi_csv_kind_text(unsigned kind, int several, const char *unit, char text[24]) {
    static const char name[][2][32] = {{"a plain number", "plain numbers"},
                                       {"written with a decimal point", "written with a decimal point"},
                                       {"written with a decimal comma", "written with a decimal comma"},
                                       {"a date", "dates"},
                                       {"a duration", "durations"}};
    if (kind < SOOTHI_CSV_KIND_UNIT) return name[kind - 1][several];
    sooth_text_format(text, 24, "in %s", unit);
    return text;
}

/* Column j is text although each of its cells has a form. If most cells are of one kind, stores the line of
   the first other cell, and says how it differs. */
SOOTHI_LOCAL sooth_status soothi_csv_find_odd(sooth_env *env, sooth_csv *csv, size_t j) {
    sooth_csv_column *c = &csv->column[j];
    const char *units[SOOTHI_CSV_KINDS] = {NULL}, *unit = "";
    size_t count[SOOTHI_CSV_KINDS] = {0}, all = 0;
    unsigned kind, usual = SOOTHI_CSV_KIND_ANY;
    char text[2][24], form[96];
    int is_mixed = 0;
    for (int pass = 0; pass < 3; ++pass)
        for (size_t i = 0; i < csv->rows; ++i) {
            const float code = csv->cell[i * csv->cols + j];
            if (soothi_nan((double)code)) continue;
            kind = soothi_csv_kind_of(c->text[(size_t)code], csv->separator, is_mixed, &unit);
            if (kind == SOOTHI_CSV_KIND_ANY) continue;
            if (pass == 0) is_mixed |= kind >= SOOTHI_CSV_KIND_DATE;
            if (pass == 1) {
                units[kind] = unit;
                ++all;
                if (++count[kind] > count[usual]) usual = kind;
            }
            if (pass < 2 || 2 * count[usual] <= all || kind == usual) continue;
            if (csv->line[i] == c->odd_line && c->state.failed) return SOOTH_OK; /* it is named */
            c->odd_line = csv->line[i];
            sooth_text_format(form, sizeof form, "%s, but other cells are %s%s",
                              soothi_csv_kind_text(kind, 0, units[kind], text[0]),
                              soothi_csv_kind_text(usual, 1, units[usual], text[1]),
                              kind >= SOOTHI_CSV_KIND_UNIT && usual >= SOOTHI_CSV_KIND_UNIT
                                  ? ", which cannot be converted"
                                  : "");
            c->form = soothi_csv_keep(env, csv, form, soothi_text_length(form), 1);
            return c->form ? SOOTH_OK : sooth_no_memory(env, "a text", sizeof form);
        }
    return SOOTH_OK;
}

/* Finds the odd cells of columns of dates, units, durations and numbers next to each other. */
SOOTHI_LOCAL sooth_status soothi_csv_find_all_odd(sooth_env *env, sooth_csv *csv) {
    sooth_status status = SOOTH_OK;
    for (size_t j = 0; j < csv->cols && status == SOOTH_OK; ++j) {
        const sooth_csv_column *c = &csv->column[j];
        const int is_pure = soothi_same_text(c->form, "a date") && csv->rows - c->missing == c->odd;
        if (c->is_text && c->state.formed && !is_pure) status = soothi_csv_find_odd(env, csv, j);
    }
    return status;
}

/* Returns the size without the empty lines at the end, and without the Ctrl-Z by which old systems end a
   file. */
SOOTHI_LOCAL size_t soothi_csv_size(const char *bytes, size_t size) {
    size_t end = size;
    while (end > 0 && (bytes[end - 1] == 26 || soothi_csv_line_end(bytes[end - 1]))) --end;
    end += end > 0 && end < size && bytes[end] == '\r';
    return end + (end > 0 && end < size && bytes[end] == '\n');
}

/* Refuses bytes that are not text, skips byte-order marks (some files have two), and finds the header. */
SOOTHI_LOCAL sooth_status soothi_csv_begin(soothi_csv_reader *r, const soothi_csv_pieces *all,
                                           const sooth_csv_options *options) {
    const unsigned char *b = (const unsigned char *)r->at;
    size_t size = (size_t)(r->end - r->at);
    r->seen = r->at;
    if (size >= 2 && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF)))
        return sooth_fail(r->env, SOOTH_BAD_TEXT,
                          "the file is UTF-16, but must be UTF-8 (save it as \"CSV UTF-8\")");
    for (size_t i = 0; i < all->count; ++i)
        if (all->piece[i].zero)
            return sooth_fail(r->env, SOOTH_BAD_TEXT, "byte %z is zero: this is not a text file",
                              all->piece[i].zero);
    for (; size >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF; b += 3, size -= 3) r->at += 3;
    if (!soothi_csv_lead(r, options ? options->separator : 0, options && options->no_header))
        return sooth_fail(r->env, SOOTH_BAD_TEXT, "the file is empty");
    all->csv->separator = r->separator;
    all->csv->comments = r->comments;
    all->csv->first_comment = r->first_comment;
    all->csv->rival_line = r->rival;
    r->point = r->separator == ';' ? ',' : '.';
    r->usual = soothi_csv_apart(r->separator);
    return SOOTH_OK;
}

/* Returns the decimal mark of a file, given the marks found in its numbers. */
SOOTHI_LOCAL char soothi_csv_decimal(char separator, unsigned marks) {
    return separator == ';' && marks != SOOTHI_CSV_POINT ? ',' : '.';
}

SOOTHI_LOCAL sooth_status soothi_csv_read_all(soothi_csv_reader *r, const sooth_csv_options *options,
                                              soothi_csv_pieces *all) {
    sooth_csv *csv = all->csv;
    soothi_csv_words words = {NULL, 0, 0};
    soothi_parallel(r->env, all->count, soothi_csv_scan_task, all);
    sooth_status status = soothi_csv_begin(r, all, options);
    if (status != SOOTH_OK) return status;
    r->keep_blank = options && options->keep_blank;
    status = soothi_csv_header(r, csv, options && options->no_header);
    if (status == SOOTH_OK) status = soothi_csv_find_names(r->env, csv, options);
    if (status == SOOTH_OK) status = soothi_csv_rows_of(r, all, options && options->no_rows, &words);
    if (status == SOOTH_OK) status = soothi_csv_share_out(r->env, csv, &words);
    if (status == SOOTH_OK) status = soothi_csv_find_all_odd(r->env, csv);
    csv->decimal = soothi_csv_decimal(r->separator, r->marks);
    soothi_csv_words_free(r->env, &words);
    sooth_free(r->env, r->buffer, r->capacity, 1);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_csv_accept(sooth_env *env, const sooth_csv_options *options) {
    const char separator = options ? options->separator : 0;
    if (separator != '"' && separator != ' ' && !soothi_csv_line_end(separator)) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "separator is a quote, a blank or a line end, but must be another character");
}

SOOTH_API sooth_status sooth_csv_read(sooth_env *env, const void *bytes, size_t size,
                                      const sooth_csv_options *options, sooth_csv *csv) {
    sooth_status status = soothi_csv_accept(env, options);
    soothi_csv_reader r;
    soothi_csv_pieces all;
    memset(csv, 0, sizeof *csv);
    memset(&r, 0, sizeof r);
    memset(&all, 0, sizeof all);
    if (status != SOOTH_OK) return status;
    size = soothi_csv_size((const char *)bytes, size);
    if (size == 0) return sooth_fail(env, SOOTH_BAD_TEXT, "the file is empty");
    r.env = env;
    r.at = (const char *)bytes;
    r.end = r.at + size;
    r.line = 1;
    all.csv = csv;
    all.bytes = r.at;
    all.size = size;
    all.count = (size - 1) / SOOTHI_CSV_PIECE + 1;
    all.piece = (soothi_csv_piece *)sooth_alloc(env, all.count, sizeof *all.piece);
    if (!all.piece)
        return sooth_no_memory(env, "the pieces of a file", soothi_product(all.count, sizeof *all.piece));
    status = soothi_csv_read_all(&r, options, &all);
    sooth_free(env, all.piece, all.count, sizeof *all.piece);
    if (status != SOOTH_OK) sooth_csv_free(env, csv);
    return status;
}

/* Frees the array of soothi_csv_share_out. */
SOOTHI_LOCAL void soothi_csv_free_texts(sooth_env *env, sooth_csv *csv) {
    const char **texts = NULL;
    for (size_t j = 0; csv->column && j < csv->cols; ++j) {
        if (!texts) texts = csv->column[j].text; /* start of the one array */
        csv->column[j].text = NULL;
    }
    sooth_free(env, (void *)texts, csv->state.capacity[2], sizeof *texts);
    csv->state.capacity[2] = 0;
}

SOOTH_API void sooth_csv_free(sooth_env *env, sooth_csv *csv) {
    soothi_csv_free_texts(env, csv);
    soothi_csv_free_codes(env, csv);
    sooth_free(env, csv->line, csv->state.capacity[1], sizeof *csv->line);
    sooth_free(env, csv->cell, csv->state.capacity[0], sizeof *csv->cell);
    if (csv->state.names) soothi_csv_words_free(env, csv->state.names);
    sooth_free(env, csv->state.names, 1, sizeof *csv->state.names);
    sooth_free(env, csv->column, csv->cols, sizeof *csv->column);
    while (csv->state.pool) {
        soothi_csv_pool *next = csv->state.pool->next;
        sooth_free(env, csv->state.pool, 1, sizeof *csv->state.pool + csv->state.pool->size);
        csv->state.pool = next;
    }
    memset(csv, 0, sizeof *csv);
}

/* Returns the number of the text of a cell, or the number in it; NaN if it is missing. */
SOOTHI_LOCAL float soothi_csv_name_of(const sooth_csv *csv, size_t row, size_t column) {
    const uint32_t *code = csv->column[column].code;
    if (code) return code[row] == SOOTH_CSV_NO_NAME ? soothi_missing() : (float)code[row];
    return csv->cell[row * csv->cols + column];
}

SOOTH_API const char *sooth_csv_text(const sooth_csv *csv, size_t row, size_t column) {
    const sooth_csv_column *c = &csv->column[column];
    const float code = soothi_csv_name_of(csv, row, column);
    return c->text && !soothi_nan((double)code) ? c->text[(size_t)code] : NULL;
}

/* ---- which columns ---- */

/* Reports the first cell of a text column that is not a number. `before` begins the message. */
SOOTHI_LOCAL sooth_status soothi_csv_not_numbers(sooth_env *env, const sooth_csv *csv, size_t column,
                                                 const char *before) {
    const sooth_csv_column *c = &csv->column[column];
    static const char plain[] = "a plain number"; /* form: "a plain number, but other cells are dates" */
    char name[48], odd[48], rest[160];
    const size_t values = csv->rows - c->missing;
    size_t i = 0, same = 0;
    while (plain[same] && c->form[same] == plain[same]) ++same;
    rest[0] = 0;
    if (c->state.form) /* of a file read in stripes */
        sooth_text_format(rest, sizeof rest,
                          "; only files in memory are read with units, durations or thousands");
    else if (*c->form) sooth_text_format(rest, sizeof rest, plain[same] ? ": it is %s" : "%s", c->form);
    else if (values > c->odd)
        sooth_text_format(rest, sizeof rest, "; %z of %z cells are numbers", values - c->odd, values);
    if (!c->text && *c->form && values > c->odd) { /* of a file read in stripes, as below */
        const size_t n = soothi_text_length(rest);
        sooth_text_format(rest + n, sizeof rest - n, "; %z of %z cells are numbers", values - c->odd, values);
    }
    if (!c->text)
        return sooth_fail(env, SOOTH_BAD_DATA, "%sline %z, column %z (%s) is not a number%s", before,
                          c->odd_line, column + 1, soothi_brief(name, c->name), rest);
    while (i + 1 < csv->rows && csv->line[i] != c->odd_line) ++i;
    return sooth_fail(env, SOOTH_BAD_DATA, "%sline %z, column %z (%s): \"%s\" is %s%s", before, c->odd_line,
                      column + 1, soothi_brief(name, c->name),
                      soothi_brief(odd, c->text[(size_t)csv->cell[i * csv->cols + column]]),
                      plain[same] ? "not a number" : "", rest);
}

/* Like soothi_csv_column, for a column that must hold numbers. */
SOOTHI_LOCAL sooth_status soothi_csv_numbers(sooth_env *env, const sooth_csv *csv, const char *name,
                                             const char *part, size_t *column) {
    sooth_status status = soothi_csv_column(env, csv, name, part, column);
    if (status != SOOTH_OK || !csv->column[*column].is_text) return status;
    return soothi_csv_not_numbers(env, csv, *column, "");
}

/* Like soothi_csv_column, for a column of names. */
SOOTHI_LOCAL sooth_status soothi_csv_named(sooth_env *env, const sooth_csv *csv, const char *name,
                                           const char *part, size_t *column) {
    const sooth_status status = soothi_csv_column(env, csv, name, part, column);
    char brief[48];
    if (status != SOOTH_OK) return status;
    const sooth_csv_column *c = &csv->column[*column];
    if (c->is_text || c->is_name || !c->vague_line) return SOOTH_OK;
    return sooth_fail(
        env, SOOTH_BAD_DATA,
        "line %z, column %z (%s) holds a name that its number does not tell from others, as 3.10 "
        "and 3.1; list the column in sooth_csv_options.names",
        c->vague_line, *column + 1, soothi_brief(brief, c->name));
}

/* The columns and rows that make a table. */
typedef struct soothi_csv_parts {
    uint32_t *feature, *target; /* capacity for all columns each */
    uint32_t *row;              /* per row */
    unsigned char *part;        /* per column: its role */
    unsigned char *category;    /* 1: a category */
    size_t categories;
    size_t features, targets, rows;
    size_t group, weight; /* csv->cols: none */
} soothi_csv_parts;

enum { SOOTHI_CSV_FREE, SOOTHI_CSV_TARGET, SOOTHI_CSV_FEATURE, SOOTHI_CSV_DROPPED };

/* Makes the column of this name a target or a feature. */
SOOTHI_LOCAL sooth_status soothi_csv_add(sooth_env *env, const sooth_csv *csv, const char *name, int target,
                                         soothi_csv_parts *parts) {
    const char *const part = target ? "target" : "features";
    size_t j;
    sooth_status status = soothi_csv_column(env, csv, name, part, &j);
    if (status == SOOTH_OK && (target || !parts->category[j]))
        status = soothi_csv_numbers(env, csv, name, part, &j);
    if (status != SOOTH_OK) return status;
    if (parts->part[j] == SOOTHI_CSV_TARGET)
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            target ? "%s is given as a target twice" : "%s is the target and cannot also be a feature", name);
    if (parts->part[j] != SOOTHI_CSV_FREE) return SOOTH_OK;
    parts->part[j] = target ? SOOTHI_CSV_TARGET : SOOTHI_CSV_FEATURE;
    if (target) parts->target[parts->targets++] = (uint32_t)j;
    else parts->feature[parts->features++] = (uint32_t)j;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_csv_choose(sooth_env *env, const sooth_csv *csv,
                                            const sooth_csv_table_options *choice, soothi_csv_parts *parts,
                                            sooth_csv_data *data) {
    sooth_status status = SOOTH_OK;
    size_t j;
    for (size_t i = 0; i < choice->categorical_count && status == SOOTH_OK; ++i) {
        status = soothi_csv_named(env, csv, choice->categorical[i], "categories", &j);
        if (status == SOOTH_OK) parts->category[j] = 1;
    }
    parts->categories = choice->categorical_count;
    if (status == SOOTH_OK && choice->target) status = soothi_csv_add(env, csv, choice->target, 1, parts);
    for (size_t i = 0; i < choice->more_target_count && status == SOOTH_OK; ++i)
        status = soothi_csv_add(env, csv, choice->more_targets[i], 1, parts);
    if (status == SOOTH_OK && choice->group)
        status = soothi_csv_named(env, csv, choice->group, "group", &parts->group);
    if (status == SOOTH_OK && choice->weight)
        status = soothi_csv_numbers(env, csv, choice->weight, "weight", &parts->weight);
    for (size_t i = 0; i < choice->drop_count && status == SOOTH_OK; ++i) {
        status = soothi_csv_column(env, csv, choice->drop[i], "columns to drop", &j);
        if (status == SOOTH_OK && parts->part[j] == SOOTHI_CSV_FREE) parts->part[j] = SOOTHI_CSV_DROPPED;
    }
    for (size_t i = 0; choice->features && i < choice->feature_count && status == SOOTH_OK; ++i)
        status = soothi_csv_add(env, csv, choice->features[i], 0, parts);
    for (j = 0; !choice->features && j < csv->cols && status == SOOTH_OK; ++j) { /* all usable columns */
        if (parts->part[j] != SOOTHI_CSV_FREE || j == parts->group || j == parts->weight) continue;
        if ((csv->column[j].is_text || csv->column[j].is_name) && !parts->category[j]) ++data->ignored_text;
        else if (csv->column[j].missing == csv->rows) ++data->ignored_empty;
        else {
            parts->part[j] = SOOTHI_CSV_FEATURE;
            parts->feature[parts->features++] = (uint32_t)j;
        }
    }
    for (size_t i = 0; i < choice->categorical_count && status == SOOTH_OK; ++i) /* the rest */
        status = soothi_csv_add(env, csv, choice->categorical[i], 0, parts);
    if (status != SOOTH_OK || parts->features > 0) return status;
    for (j = 0; j < csv->cols; ++j)
        if (csv->column[j].is_text && parts->part[j] == SOOTHI_CSV_FREE && j != parts->group)
            return soothi_csv_not_numbers(env, csv, j, "no numeric column is left as a feature: ");
    return sooth_fail(env, SOOTH_BAD_DATA, "no numeric column is left as a feature");
}

/* ---- which rows ---- */

SOOTHI_LOCAL int soothi_csv_is_empty(const sooth_csv *csv, size_t row, size_t column) {
    return column < csv->cols && soothi_nan((double)csv->cell[row * csv->cols + column]);
}

SOOTHI_LOCAL int soothi_csv_is_unnamed(const sooth_csv *csv, size_t row, size_t column) {
    return column < csv->cols && soothi_nan((double)soothi_csv_name_of(csv, row, column));
}

/* Lists the rows whose targets, group and weight are present, and counts the others. */
SOOTHI_LOCAL sooth_status soothi_csv_rows(sooth_env *env, const sooth_csv *csv, soothi_csv_parts *parts,
                                          sooth_csv_data *data) {
    size_t t;
    for (size_t i = 0; i < csv->rows; ++i) {
        for (t = 0; t < parts->targets && !soothi_csv_is_empty(csv, i, parts->target[t]);) ++t;
        if (t < parts->targets) ++data->dropped_target;
        else if (soothi_csv_is_unnamed(csv, i, parts->group) || soothi_csv_is_empty(csv, i, parts->weight))
            ++data->dropped_group;
        else parts->row[parts->rows++] = (uint32_t)i;
    }
    if (parts->rows > 0) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "no row is left: %z of %z have no target, the others have no group or weight",
                      data->dropped_target, csv->rows);
}

/* Hashes the keys of a row: equal for -0 and 0, and for all missing values. */
SOOTHI_LOCAL uint32_t soothi_csv_row_hash(const float *row, size_t cols) {
    uint32_t h = 0x85EBCA77u;
    for (size_t j = 0; j < cols; ++j) h = soothi_rotate(h ^ soothi_key(row[j]), 13) * 0x9E3779B1u;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    return h ^ (h >> 13);
}

SOOTH_API sooth_status sooth_csv_duplicates(sooth_env *env, const sooth_table *table, uint32_t *first,
                                            size_t *count) {
    size_t slots = 16, j, at;
    while (slots / 2 < table->rows) slots *= 2;
    uint32_t *slot = (uint32_t *)sooth_alloc(env, slots, sizeof *slot); /* row + 1; 0: free */
    *count = 0;
    if (!slot) return sooth_no_memory(env, "looking for equal rows", soothi_product(slots, sizeof *slot));
    memset(slot, 0, slots * sizeof *slot);
    for (size_t i = 0; i < table->rows; ++i) {
        const float *row = table->x + i * table->stride;
        at = soothi_csv_row_hash(row, table->cols) & (slots - 1);
        for (; slot[at]; at = (at + 1) & (slots - 1)) {
            const float *other = table->x + (slot[at] - 1) * table->stride;
            for (j = 0; j < table->cols && soothi_key(row[j]) == soothi_key(other[j]);) ++j;
            if (j == table->cols) break;
        }
        if (slot[at]) ++*count;
        else slot[at] = (uint32_t)i + 1;
        if (first) first[i] = slot[at] - 1;
    }
    sooth_free(env, slot, slots, sizeof *slot);
    return SOOTH_OK;
}

/* ---- tables ---- */

/* Numbers the groups in order of first appearance, and names them. */
SOOTHI_LOCAL sooth_status soothi_csv_groups(sooth_env *env, const sooth_csv *csv, size_t column,
                                            sooth_csv_data *data, const float *value, uint32_t *group) {
    const sooth_csv_column *c = &csv->column[column];
    sooth_table values;
    size_t equal, next = 0;
    sooth_table_init(&values, value, data->table.rows, 1);
    sooth_status status =
        sooth_csv_duplicates(env, &values, group, &equal); /* the first row of each group ... */
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < values.rows; ++i)
        group[i] = group[i] == i ? data->groups++ : group[group[i]]; /* ... and its number */
    data->names_size = data->groups * (sizeof *data->group_name + (c->text ? 0 : SOOTH_TEXT_NUMBER_SIZE));
    data->group_name = (const char **)sooth_alloc(env, data->names_size, 1);
    if (!data->group_name) return sooth_no_memory(env, "the groups", data->names_size);
    char *number = (char *)(data->group_name + data->groups);
    for (size_t i = 0; i < values.rows; ++i) {
        if (group[i] < next) continue;
        if (!c->text) sooth_text_from_float(number + next * SOOTH_TEXT_NUMBER_SIZE, value[i]);
        data->group_name[next] = c->text ? c->text[(size_t)value[i]] : number + next * SOOTH_TEXT_NUMBER_SIZE;
        ++next;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_csv_copy(const sooth_csv *csv, const sooth_csv_data *data, size_t column, float *to,
                                  size_t stride) {
    for (size_t i = 0; i < data->table.rows; ++i)
        to[i * stride] = csv->cell[data->row[i] * csv->cols + column];
}

/* Copies the cells of the features, row by row. */
SOOTHI_LOCAL void soothi_csv_copy_features(const sooth_csv *csv, const sooth_csv_data *data,
                                           const soothi_csv_parts *parts, float *x) {
    for (size_t i = 0; i < data->table.rows; ++i, x += parts->features) {
        const float *cell = csv->cell + data->row[i] * csv->cols;
        for (size_t j = 0; j < parts->features; ++j) x[j] = cell[parts->feature[j]];
    }
}

/* Copies the numbers of names. */
SOOTHI_LOCAL void soothi_csv_copy_names(const sooth_csv *csv, const sooth_csv_data *data, size_t column,
                                        float *to, size_t stride) {
    for (size_t i = 0; i < data->table.rows; ++i)
        to[i * stride] = soothi_csv_name_of(csv, data->row[i], column);
}

/* The arrays of a table. `value` is the unchanged group column. */
typedef struct soothi_csv_arrays {
    const char **names;
    float *x, *y, *weight, *value;
    uint32_t *group;
} soothi_csv_arrays;

SOOTHI_LOCAL size_t soothi_csv_layout(const soothi_csv_parts *parts, size_t cols, sooth_csv_data *data,
                                      soothi_csv_arrays *a) {
    const size_t features = parts->features, targets = parts->targets, rows = parts->rows;
    soothi_carver c = {(unsigned char *)data->memory, 0};
    a->names = (const char **)soothi_carve(&c, features, sizeof *a->names);
    data->units = (const char **)soothi_carve(&c, features, sizeof *data->units);
    data->text = (const char *const **)soothi_carve(&c, parts->categories ? features : 0, sizeof *data->text);
    data->column = (uint32_t *)soothi_carve(&c, features, sizeof *data->column);
    data->targets = (uint32_t *)soothi_carve(&c, targets, sizeof *data->targets);
    data->row = (uint32_t *)soothi_carve(&c, rows, sizeof *data->row);
    data->categorical = (uint8_t *)soothi_carve(&c, parts->categories ? features : 0, 1);
    a->x = (float *)soothi_carve(&c, soothi_product(rows, features), sizeof *a->x);
    a->y = (float *)soothi_carve(&c, soothi_product(rows, targets), sizeof *a->y);
    a->weight = (float *)soothi_carve(&c, parts->weight < cols ? rows : 0, sizeof *a->weight);
    a->value = (float *)soothi_carve(&c, parts->group < cols ? rows : 0, sizeof *a->value);
    a->group = (uint32_t *)soothi_carve(&c, parts->group < cols ? rows : 0, sizeof *a->group);
    return c.used;
}

SOOTHI_LOCAL sooth_status soothi_csv_build(sooth_env *env, const sooth_csv *csv,
                                           const soothi_csv_parts *parts, sooth_csv_data *data) {
    const size_t features = parts->features, targets = parts->targets, rows = parts->rows;
    const int grouped = parts->group < csv->cols, weighted = parts->weight < csv->cols;
    soothi_csv_arrays a;
    data->memory_size = soothi_csv_layout(parts, csv->cols, data, &a);
    data->memory = sooth_alloc(env, data->memory_size, 1);
    if (!data->memory) return sooth_no_memory(env, "the table", data->memory_size);
    soothi_csv_layout(parts, csv->cols, data, &a);
    sooth_table_init(&data->table, a.x, rows, features);
    data->table.names = a.names;
    data->table.targets = targets;
    data->table.y = targets ? a.y : NULL;
    data->table.weight = weighted ? a.weight : NULL;
    data->table.group = grouped ? a.group : NULL;
    size_t categories = 0;
    memcpy(data->row, parts->row, rows * sizeof *data->row);
    soothi_csv_copy_features(csv, data, parts, a.x);
    for (size_t j = 0; j < features; ++j) {
        const sooth_csv_column *c = &csv->column[parts->feature[j]];
        const int category = parts->category[parts->feature[j]];
        data->column[j] = parts->feature[j];
        a.names[j] = c->name;
        data->units[j] = c->unit;
        if (category) soothi_csv_copy_names(csv, data, parts->feature[j], a.x + j, features);
        if (!parts->categories) continue;
        data->categorical[j] = (uint8_t)category;
        data->text[j] = category ? c->text : NULL;
        categories += (size_t)category;
    }
    if (!categories) data->categorical = NULL;
    for (size_t j = 0; j < targets; ++j) {
        data->targets[j] = parts->target[j];
        soothi_csv_copy(csv, data, parts->target[j], a.y + j, targets);
    }
    if (weighted) soothi_csv_copy(csv, data, parts->weight, a.weight, 1);
    if (!grouped) return SOOTH_OK;
    soothi_csv_copy_names(csv, data, parts->group, a.value, 1);
    return soothi_csv_groups(env, csv, parts->group, data, a.value, a.group);
}

SOOTH_API sooth_status sooth_csv_table(sooth_env *env, const sooth_csv *csv,
                                       const sooth_csv_table_options *choice, sooth_csv_data *data) {
    const sooth_csv_table_options nothing = {NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0, NULL, 0, 0};
    const size_t scratch = 2 * csv->cols + csv->rows + csv->cols / 2 + 1; /* in 32-bit words */
    soothi_csv_parts parts = {NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, csv->cols, csv->cols};
    memset(data, 0, sizeof *data);
    parts.feature = (uint32_t *)sooth_alloc(env, scratch, sizeof *parts.feature);
    if (!parts.feature)
        return sooth_no_memory(env, "a choice of columns and rows", scratch * sizeof *parts.feature);
    parts.target = parts.feature + csv->cols;
    parts.row = parts.target + csv->cols;
    parts.part = (unsigned char *)(parts.row + csv->rows);
    parts.category = parts.part + csv->cols;
    memset(parts.part, SOOTHI_CSV_FREE, 2 * csv->cols);
    sooth_status status = soothi_csv_choose(env, csv, choice ? choice : &nothing, &parts, data);
    if (status == SOOTH_OK) status = soothi_csv_rows(env, csv, &parts, data);
    if (status == SOOTH_OK) status = soothi_csv_build(env, csv, &parts, data);
    sooth_free(env, parts.feature, scratch, sizeof *parts.feature);
    if (status != SOOTH_OK) sooth_csv_data_free(env, data);
    return status;
}

SOOTH_API void sooth_csv_data_free(sooth_env *env, sooth_csv_data *data) {
    sooth_free(env, (void *)data->group_name, data->names_size, 1);
    sooth_free(env, data->memory, data->memory_size, 1);
    memset(data, 0, sizeof *data);
}

/* ---- writing ---- */

SOOTH_API void sooth_csv_put_text(sooth_sink *sink, const char *text, char separator) {
    size_t n = soothi_text_length(text), from = 0;
    int quote = n > 0 && (soothi_csv_blank(text[0]) || soothi_csv_blank(text[n - 1]));
    quote |= text[0] == '#'; /* a line of it may be a comment */
    for (size_t i = 0; i < n; ++i)
        quote |= text[i] == separator || text[i] == '"' || text[i] == 26 || soothi_csv_line_end(text[i]);
    if (!quote) {
        sooth_text_write(sink, text, n);
        return;
    }
    sooth_text_write(sink, "\"", 1);
    for (size_t i = 0; i < n; ++i) {
        if (text[i] != '"') continue;
        sooth_text_write(sink, text + from, i + 1 - from);
        from = i; /* written again: doubled */
    }
    sooth_text_write(sink, text + from, n - from);
    sooth_text_write(sink, "\"", 1);
}

SOOTH_API void sooth_csv_put_number(sooth_sink *sink, float value, char decimal) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    if (soothi_nan((double)value)) return;
    size_t size = sooth_text_from_float(text, value);
    for (size_t i = 0; i < size; ++i)
        if (text[i] == '.') text[i] = decimal;
    sooth_text_write(sink, text, size);
}

/* Writes the name of column j. Targets follow the features. */
SOOTHI_LOCAL void soothi_csv_put_name(sooth_sink *sink, const sooth_table *table, size_t j,
                                      const char *const *target_names, char separator) {
    const size_t t = j - table->cols;
    char buffer[32];
    if (j < table->cols) sooth_csv_put_text(sink, soothi_column(table, j, buffer), separator);
    else if (target_names && target_names[t]) sooth_csv_put_text(sink, target_names[t], separator);
    else if (table->targets == 1) sooth_text_put(sink, "target");
    else sooth_text_put(sink, "target %z", t + 1);
}

SOOTH_API sooth_status sooth_csv_write(sooth_env *env, const sooth_table *table,
                                       const sooth_csv_write_options *style, sooth_sink *sink) {
    const size_t targets = table->y ? table->targets : 0, cells = table->cols + targets;
    const char separator = style && style->separator ? style->separator : ',';
    const char decimal = style && style->decimal ? style->decimal : '.';
    if (separator == decimal)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "separator and decimal are both %c, but must differ",
                          separator);
    for (size_t j = 0; j < cells; ++j) {
        soothi_csv_put_name(sink, table, j, style ? style->target_names : NULL, separator);
        sooth_text_write(sink, j + 1 < cells ? &separator : "\n", 1);
    }
    for (size_t i = 0; i < table->rows; ++i) {
        for (size_t j = 0; j < cells; ++j) {
            const float v =
                j < table->cols ? table->x[i * table->stride + j] : table->y[i * targets + j - table->cols];
            sooth_csv_put_number(sink, v, decimal);
            if (cells == 1 && soothi_nan((double)v)) sooth_text_write(sink, "\"\"", 2); /* no empty line */
            sooth_text_write(sink, j + 1 < cells ? &separator : "\n", 1);
        }
    }
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_CSV_BLOCKS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_BLOCKS_IMPLEMENTED))
#include "csv/blocks.h"
#endif
#if !defined(SOOTH_CSV_DIGITS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_DIGITS_IMPLEMENTED))
#include "csv/digits.h"
#endif
