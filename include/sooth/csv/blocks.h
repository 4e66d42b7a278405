/* csv/blocks.h - CSV files larger than memory, as a source of rows.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The file is read in stripes: blocks of bytes that end where a row ends. All workers read a stripe as csv.h
 * reads a whole file. The host provides the bytes. A first pass finds the columns of numbers, so that columns
 * can be chosen as in sooth_csv_table. Columns that need a form of csv/forms.h are refused. Groups and
 * categories are the texts of their cells, whether sooth_csv_options.names lists their column or not. Fits
 * from the source (base/source.h) then read the file as often as they need. A file whose content has changed
 * since the first pass is refused.
 *
 * If there are categories, a second pass makes their dictionary (preprocess/levels.h) from the rows of the
 * table. The rows have its codes. Codes and dictionary equal those of the file in memory.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/csv.h"
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     static const char text[] = // here the file is in memory
 *         "user,threads,Power [W]\nann,1,20\nbob,1,50\nann,2,31\nbob,2,62\nann,4,49\nbob,4,79\n";
 *     static size_t at;
 *     static sooth_status read_bytes(void *user, sooth_env *env, void *to, size_t size, size_t *got) {
 *         (void)user, (void)env;
 *         *got = sizeof text - 1 - at < size ? sizeof text - 1 - at : size;
 *         memcpy(to, text + at, *got);
 *         at += *got;
 *         return SOOTH_OK;
 *     }
 *     static sooth_status begin_anew(void *user, sooth_env *env) {
 *         (void)user, (void)env;
 *         at = 0;
 *         return SOOTH_OK;
 *     }
 *
 *     int main(void) {
 *         const sooth_csv_file file = {NULL, read_bytes, begin_anew, sizeof text - 1};
 *         static const char *const users[] = {"user"};
 *         const sooth_csv_table_options choice = {
 *             .target = "Power", .categorical = users, .categorical_count = 1};
 *         sooth_train_recipe recipe = {
 *             .model = "tree", .options.tree = {.bins = 256, .min_samples_leaf = 1}};
 *         sooth_csv_source csv;
 *         sooth_model *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_csv_source_open(&env, &file, NULL, &choice, &csv) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         recipe.levels = csv.levels; // the dictionary goes into the model
 *         if (sooth_train_fit_source(&env, &csv.source, &recipe, &model) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         sooth_model_parts parts;
 *         sooth_model_open(model, &parts);
 *         const float row[] = {sooth_levels_code(parts.levels, 0, "bob", 3), 2}; // in csv.names' order
 *         printf("%s, %s: %.0f W\n", csv.names[0], csv.names[1],
 *                sooth_model_predict(model, row, NULL)); //> user, threads: 62 W
 *         sooth_model_free(&env, model);
 *         sooth_csv_source_free(&env, &csv);
 *         return 0;
 *     }
 *
 * Cost: each pass is as fast as csv.h. Memory: 4 w + 1 pieces of 256 KB for w workers, more only if a row is
 * longer than a piece; the cells of the pieces, 4 bytes each, twice; 8 to 16 bytes per group, and the names
 * of groups that are not integers below 2^24. Each name of a category takes 60 to 140 bytes and its text,
 * even if the dictionary has no room for it. One thread reads all names, at 100 to 200 MB per second.
 */
#if !defined(SOOTH_CSV_BLOCKS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_BLOCKS_IMPLEMENTED))
#include "../base.h"
#include "../preprocess/levels.h"
#endif

#if !defined(SOOTH_CSV_BLOCKS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_BLOCKS_H
SOOTHI_C_BEGIN

/* Provides the bytes of a file. */
typedef struct sooth_csv_file {
    void *user;
    /* writes up to `size` bytes (at least 1) to `to`, and their number to *got. 0 means the end of the file.
       Any status but SOOTH_OK ends the reading; read_fn sets its message */
    sooth_status (*read_fn)(void *user, sooth_env *env, void *to, size_t size, size_t *got);
    sooth_status (*rewind_fn)(void *user, sooth_env *env); /* starts again with the same bytes */
    uint64_t size;                                         /* in bytes, for progress; 0 means unknown */
} sooth_csv_file;

typedef struct sooth_csv_source {
    sooth_source source; /* its user is this struct */
    /* its columns: names, units, text or not, number of missing values. Without cells */
    sooth_csv csv;
    size_t rows;                     /* of the file, including rows left out */
    uint32_t *column;                /* per feature: its column in the file */
    uint32_t *targets;               /* per target: its column in the file */
    const char **names;              /* per feature */
    const char **units;              /* per feature */
    const uint32_t *line;            /* per row of the last block: its line in the file */
    size_t dropped_target;           /* in the last pass: rows without a target, left out */
    size_t dropped_group;            /* in the last pass: rows without group or weight, left out */
    size_t ignored_text;             /* columns not named in the choice: of text */
    size_t ignored_empty;            /* columns not named in the choice: without any value */
    uint32_t groups;                 /* distinct groups in the last pass */
    sooth_levels *levels;            /* the dictionary of categories; NULL: no feature is one */
    struct sooth_csv_stripes *state; /* private */
} sooth_csv_source;

/* Reads the file once and chooses columns. Options, choice and messages are those of csv.h. Features of text
   that choice->features names are categories, as are those of choice->categorical. If there are any, the file
   is read a second time for csv->levels, which a fit takes as sooth_train_recipe.levels. *csv must not be
   copied or moved afterwards. Reports progress and can be cancelled. The strings of choice may be freed
   afterwards. A fit whose env has more workers than this one reads the file with one worker. */
SOOTH_API sooth_status sooth_csv_source_open(sooth_env *env, const sooth_csv_file *file,
                                             const sooth_csv_options *options,
                                             const sooth_csv_table_options *choice, sooth_csv_source *csv);

/* Frees what sooth_csv_source_open allocated. */
SOOTH_API void sooth_csv_source_free(sooth_env *env, sooth_csv_source *csv);

SOOTHI_C_END
#endif /* SOOTH_CSV_BLOCKS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CSV_BLOCKS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_CSV_BLOCKS_IMPLEMENTED
SOOTHI_C_BEGIN

/* A text of a category. */
typedef struct soothi_csv_level {
    uint32_t rows; /* of the table */
    float code;    /* in the dictionary */
} soothi_csv_level;

/* The levels of a category, by the numbers of their texts. */
typedef struct soothi_csv_levels {
    soothi_csv_level *level;
    size_t room; /* capacity; the texts found later have no code */
} soothi_csv_levels;

/* The state of reading a file in stripes. */
typedef struct sooth_csv_stripes {
    sooth_csv_source *csv;
    sooth_csv_file file;
    sooth_csv_options options;
    soothi_csv_parts parts; /* its arrays are one block of memory */
    size_t workers;         /* of the env that opened it */

    char *bytes; /* capacity bytes */
    size_t capacity, size, used;
    size_t cut;          /* bytes left out at the end of the file: empty lines, Ctrl-Z */
    size_t line;         /* number of the first line in `bytes` */
    int ended;           /* the end of the file was reached */
    uint64_t read, all;  /* bytes of this pass up to now, and of the first pass */
    uint64_t sum, whole; /* their checksums, without `rest` */
    char rest[64];       /* bytes not in `sum` yet */
    size_t rests;
    soothi_csv_reader reader;
    unsigned marks; /* decimal marks found up to now, as in csv.h */
    soothi_csv_piece *piece;
    size_t pieces; /* capacity */
    soothi_csv_seen *seen;
    soothi_csv_words words;      /* groups and categories: their texts */
    soothi_csv_levels *category; /* per feature; NULL: no feature is a category */
    uint8_t *categorical;        /* per feature: 1: a category */

    float *block; /* capacity `room`: rows as a table stores them */
    size_t room;
    uint32_t *key, *id; /* slots: known groups; id 0: free */
    size_t slots;
} soothi_csv_stripes;

/* Updates the checksum. It depends on all bytes and their order, not on how they are divided among calls. */
SOOTHI_LOCAL void soothi_csv_add_up(soothi_csv_stripes *s, const char *at, size_t size) {
    while (size > 0) {
        uint64_t word;
        size_t some = sizeof s->rest - s->rests < size ? sizeof s->rest - s->rests : size;
        memcpy(s->rest + s->rests, at, some);
        s->rests += some;
        at += some;
        size -= some;
        if (s->rests < sizeof s->rest) return;
        for (size_t k = 0; k < sizeof s->rest; k += sizeof word) {
            memcpy(&word, s->rest + k, sizeof word);
            s->sum = (s->sum ^ word) * 0x9E3779B97F4A7C15u;
            s->sum ^= s->sum >> 29;
        }
        s->rests = 0;
    }
}

/* ---- bytes ---- */

/* Enlarges the buffer to `capacity` bytes and keeps its content. */
SOOTHI_LOCAL sooth_status soothi_csv_widen(sooth_env *env, soothi_csv_stripes *s, size_t capacity) {
    const size_t pieces = (capacity - 1) / SOOTHI_CSV_PIECE + 1;
    char *bytes = (char *)sooth_alloc(env, capacity, 1);
    soothi_csv_piece *piece = (soothi_csv_piece *)sooth_alloc(env, pieces, sizeof *piece);
    if (!bytes || !piece) {
        sooth_free(env, bytes, capacity, 1);
        sooth_free(env, piece, pieces, sizeof *piece);
        return sooth_no_memory(env, "a part of a file", capacity);
    }
    if (s->size) memcpy(bytes, s->bytes, s->size);
    sooth_free(env, s->bytes, s->capacity, 1);
    sooth_free(env, s->piece, s->pieces, sizeof *piece);
    s->bytes = bytes;
    s->capacity = capacity;
    s->piece = piece;
    s->pieces = pieces;
    return SOOTH_OK;
}

/* Fills the buffer. At the end of the file the checksum includes the rest, padded with zeros. */
SOOTHI_LOCAL sooth_status soothi_csv_fill(sooth_env *env, soothi_csv_stripes *s) {
    const size_t had = s->size;
    while (!s->ended && s->size < s->capacity) {
        size_t got = 0;
        const sooth_status status =
            s->file.read_fn(s->file.user, env, s->bytes + s->size, s->capacity - s->size, &got);
        if (status != SOOTH_OK) return status;
        s->ended = got == 0;
        s->size += got;
    }
    s->read += s->size - had;
    soothi_csv_add_up(s, s->bytes + had, s->size - had);
    if (s->ended && s->rests) {
        const char zeros[sizeof s->rest] = {0};
        soothi_csv_add_up(s, zeros, sizeof zeros - s->rests);
    }
    return SOOTH_OK;
}

/* Fails unless a pass has read the same bytes as the first one. */
SOOTHI_LOCAL sooth_status soothi_csv_same(sooth_env *env, const soothi_csv_stripes *s) {
    if (s->all == s->read && s->whole == s->sum) return SOOTH_OK;
    if (s->all == s->read)
        return sooth_fail(env, SOOTH_BAD_DATA, "the file has changed since it was first read");
    return sooth_fail(env, SOOTH_BAD_DATA, "the file had %z bytes when it was first read, but now has %z",
                      (size_t)s->all, (size_t)s->read);
}

/* ---- a stripe ---- */

SOOTHI_LOCAL sooth_status soothi_csv_scan(sooth_env *env, soothi_csv_stripes *s, soothi_csv_pieces *all) {
    memset(all, 0, sizeof *all);
    all->csv = &s->csv->csv;
    all->bytes = s->bytes;
    all->size = s->size;
    all->count = (s->size + SOOTHI_CSV_PIECE - 1) / SOOTHI_CSV_PIECE;
    all->piece = s->piece;
    all->seen = s->seen;
    all->reader = &s->reader;
    soothi_parallel(env, all->count, soothi_csv_scan_task, all);
    const size_t before = (size_t)(s->read - s->cut) - s->size;
    for (size_t i = 0; i < all->count && before > 0; ++i) /* see soothi_csv_begin */
        if (s->piece[i].zero)
            return sooth_fail(env, SOOTH_BAD_TEXT, "byte %z is zero: this is not a text file",
                              before + s->piece[i].zero);
    return SOOTH_OK;
}

/* Ends the stripe where the first row begins within the last piece; the rest is left to the next stripe.
   Returns 0 if no row begins there: the buffer is too small. */
SOOTHI_LOCAL int soothi_csv_end_stripe(soothi_csv_stripes *s, soothi_csv_pieces *all, const char *from) {
    const char *end = s->bytes + s->size;
    unsigned quotes = 0;
    for (size_t i = 0; i < all->count; ++i) quotes |= s->piece[i].quotes;
    if (!s->ended) {
        end = soothi_csv_row_behind(all, from, s->bytes + (all->count - 1) * SOOTHI_CSV_PIECE, quotes);
        if (end == s->bytes + s->size) return 0; /* the line end may be incomplete */
    }
    s->used = (size_t)(end - s->bytes);
    all->size = s->used;
    all->count = (s->used + SOOTHI_CSV_PIECE - 1) / SOOTHI_CSV_PIECE;
    soothi_csv_scan_task(all, all->count - 1, 0);
    s->reader.end = end;
    return 1;
}

/* Reads the header, or skips it if that has been done. */
SOOTHI_LOCAL sooth_status soothi_csv_head(sooth_env *env, soothi_csv_stripes *s) {
    soothi_csv_reader *r = &s->reader;
    sooth_csv *csv = &s->csv->csv;
    sooth_status status = SOOTH_OK;
    if (!csv->column) {
        status = soothi_csv_header(r, csv, s->options.no_header != 0);
        if (status == SOOTH_OK) status = soothi_csv_find_names(env, csv, &s->options);
    } else {
        r->line += soothi_csv_lines(r->at, r->first, r->end);
        r->at = r->first;
    }
    if (status != SOOTH_OK) return status;
    const size_t seen = soothi_product(s->workers, csv->cols);
    if (!s->seen) s->seen = (soothi_csv_seen *)sooth_alloc(env, seen, sizeof *s->seen);
    if (!s->seen) return sooth_no_memory(env, "the columns", soothi_product(seen, sizeof *s->seen));
    memset(s->seen, 0, seen * sizeof *s->seen);
    return SOOTH_OK;
}

/* Takes the next stripe, which ends where a row ends. The first one includes the header. *more 0: the file
   has ended. */
SOOTHI_LOCAL sooth_status soothi_csv_take_stripe(sooth_env *env, soothi_csv_stripes *s,
                                                 soothi_csv_pieces *all, int *more) {
    const int first = s->read == 0;
    soothi_csv_reader *r = &s->reader;
    memmove(s->bytes, s->bytes + s->used, s->size - s->used);
    s->size -= s->used;
    s->used = 0;
    s->line = first ? 1 : r->line;
    for (;;) {
        sooth_status status = soothi_csv_fill(env, s);
        if (status != SOOTH_OK) return status;
        if (s->ended) {
            const size_t size = s->size;
            s->size = soothi_csv_size(s->bytes, size);
            s->cut += size - s->size;
        }
        *more = s->size > 0;
        if (first && !*more) return sooth_fail(env, SOOTH_BAD_TEXT, "the file is empty");
        if (!*more) return SOOTH_OK;
        r->at = s->bytes;
        r->end = s->bytes + s->size;
        status = soothi_csv_scan(env, s, all);
        if (status == SOOTH_OK && first) {
            r->line = s->line;
            status = soothi_csv_begin(r, all, &s->options);
            if (!s->ended && r->seen >= r->end) status = soothi_csv_widen(env, s, 2 * s->capacity);
            if (status == SOOTH_OK && !s->ended && r->seen >= r->end) continue;
        }
        if (status != SOOTH_OK) return status;
        if (soothi_csv_end_stripe(s, all, first ? r->first : r->at)) break;
        status = soothi_csv_widen(env, s, 2 * s->capacity);
        if (status != SOOTH_OK) return status;
    }
    all->piece = s->piece;
    all->bytes = s->bytes;
    if (!first) return SOOTH_OK;
    const sooth_status status = soothi_csv_head(env, s);
    all->seen = s->seen;
    return status;
}

SOOTHI_LOCAL sooth_status soothi_csv_make_room(sooth_env *env, sooth_csv *csv, size_t rows) {
    const size_t cells = soothi_product(rows, csv->cols);
    if (csv->state.capacity[1] >= rows) return SOOTH_OK;
    soothi_csv_free_codes(env, csv);
    sooth_free(env, csv->line, csv->state.capacity[1], sizeof *csv->line);
    sooth_free(env, csv->cell, csv->state.capacity[0], sizeof *csv->cell);
    csv->state.capacity[0] = csv->state.capacity[1] = 0;
    csv->cell = (float *)sooth_alloc(env, cells, sizeof *csv->cell);
    csv->line = (uint32_t *)sooth_alloc(env, rows, sizeof *csv->line);
    if (csv->cell && csv->line) {
        csv->state.capacity[0] = cells;
        csv->state.capacity[1] = rows;
        return SOOTH_OK;
    }
    sooth_free(env, csv->line, rows, sizeof *csv->line);
    sooth_free(env, csv->cell, cells, sizeof *csv->cell);
    csv->line = NULL;
    csv->cell = NULL;
    return sooth_no_memory(env, "the cells", soothi_product(cells, sizeof *csv->cell));
}

/* Fails because the texts of groups and categories take too much memory. Names the column with the most. */
SOOTHI_LOCAL sooth_status soothi_csv_many_texts(sooth_env *env, const sooth_csv *csv) {
    const sooth_csv_column *most = csv->column;
    char name[48];
    for (size_t j = 1; j < csv->cols; ++j)
        if (csv->column[j].texts > most->texts) most = &csv->column[j];
    return sooth_fail(env, SOOTH_NO_MEMORY,
                      "no memory for the names in %s (at least %u; leave it out if it only names the rows)",
                      soothi_brief(name, most->name), most->texts);
}

/* Numbers the texts of groups and categories. */
SOOTHI_LOCAL sooth_status soothi_csv_name_texts(sooth_env *env, soothi_csv_stripes *s, const char *at,
                                                size_t line) {
    sooth_csv *csv = &s->csv->csv;
    const soothi_csv_parts *p = &s->parts;
    sooth_status status = SOOTH_OK;
    int coded = 0;
    for (size_t j = 0; p->part && j < csv->cols && status == SOOTH_OK; ++j) {
        if (!(j == p->group || p->category[j]) || !csv->column[j].is_name) continue;
        coded = 1;
        status = soothi_csv_new_codes(env, csv, j);
        uint32_t *code = csv->column[j].code;
        for (size_t i = 0; code && i < csv->rows; ++i) code[i] = SOOTH_CSV_NO_NAME; /* short rows stay so */
    }
    if (!coded || status != SOOTH_OK) return status;
    s->reader.at = at;
    s->reader.line = line;
    status = soothi_csv_read_texts(&s->reader, csv, &s->words, 1, 0.0, 1.0);
    return status == SOOTH_NO_MEMORY ? soothi_csv_many_texts(env, csv) : status;
}

/* Reads the cells of the next stripe into csv->cell, csv->rows rows. *more 0: the file has ended. */
SOOTHI_LOCAL sooth_status soothi_csv_read_stripe(sooth_env *host, soothi_csv_stripes *s, int *more) {
    sooth_csv *csv = &s->csv->csv;
    soothi_csv_pieces all;
    size_t rows = 0, texts = 0;
    sooth_env env; /* without progress reports: the host gets those of the whole file */
    if (host) env = *host;
    else sooth_env_init(&env);
    env.progress_fn = NULL;
    if (soothi_workers(&env) > s->workers) env.parallel_fn = NULL; /* s->seen has no room for their counts */
    s->reader.env = &env;
    csv->rows = 0;
    sooth_status status = soothi_csv_take_stripe(&env, s, &all, more);
    if (status == SOOTH_OK && *more) {
        const char *const at = s->reader.at;
        const size_t line = s->reader.line;
        soothi_csv_cut(&all, s->line, &rows);
        if (rows + line > UINT32_MAX / 2)
            status = sooth_fail(&env, SOOTH_BAD_TEXT, "the file has more than 2^31 lines");
        if (status == SOOTH_OK) status = soothi_csv_make_room(&env, csv, rows);
        if (status == SOOTH_OK) status = soothi_csv_read_pieces(&all, &s->reader, &texts);
        s->marks |= s->reader.marks;
        csv->decimal = soothi_csv_decimal(csv->separator, s->marks);
        if (status == SOOTH_OK) status = soothi_csv_name_texts(&env, s, at, line);
        s->reader.line = line + rows - 1;
        for (size_t j = 0; j < csv->cols; ++j)
            if (csv->column[j].is_text && !csv->column[j].state.form) csv->column[j].marked = 0;
    }
    s->reader.env = NULL;
    if (host) memcpy(host->sentence, env.sentence, sizeof env.sentence);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_csv_rewind(void *user, sooth_env *env) {
    sooth_csv_source *csv = (sooth_csv_source *)user;
    soothi_csv_stripes *s = csv->state;
    s->size = s->used = s->cut = 0;
    s->read = s->sum = 0;
    s->rests = 0;
    s->ended = 0;
    csv->csv.blank_rows = csv->csv.short_rows = 0;
    csv->dropped_target = csv->dropped_group = 0;
    csv->groups = 0;
    if (s->slots) memset(s->id, 0, s->slots * sizeof *s->id);
    return s->file.rewind_fn(s->file.user, env);
}

SOOTHI_LOCAL double soothi_csv_done(void *user) {
    const soothi_csv_stripes *s = ((const sooth_csv_source *)user)->state;
    const double all = (double)(s->all ? s->all : s->file.size),
                 done = all > 0.0 ? (double)s->read / all : 0.0;
    return done < 1.0 ? done : 1.0;
}

/* ---- rows ---- */

/* Grows the table unless half the slots stay free with one more group. */
SOOTHI_LOCAL sooth_status soothi_csv_more_groups(sooth_env *env, soothi_csv_stripes *s) {
    const size_t slots = s->slots ? 2 * s->slots : 64;
    if (2 * ((size_t)s->csv->groups + 1) <= s->slots) return SOOTH_OK;
    uint32_t *key = (uint32_t *)sooth_alloc(env, slots, 2 * sizeof *key);
    if (!key) return sooth_no_memory(env, "the groups", soothi_product(slots, 2 * sizeof *key));
    uint32_t *id = key + slots;
    memset(id, 0, slots * sizeof *id);
    for (size_t i = 0; i < s->slots; ++i) {
        if (!s->id[i]) continue;
        size_t at = (s->key[i] * 0x9E3779B1u >> 7) & (slots - 1);
        while (id[at]) at = (at + 1) & (slots - 1);
        key[at] = s->key[i];
        id[at] = s->id[i];
    }
    sooth_free(env, s->key, s->slots, 2 * sizeof *key);
    s->key = key;
    s->id = id;
    s->slots = slots;
    return SOOTH_OK;
}

/* Returns the number of the group with this value. Groups are numbered in order of first appearance. */
SOOTHI_LOCAL sooth_status soothi_csv_group_of(sooth_env *env, soothi_csv_stripes *s, float value,
                                              uint32_t *group) {
    const uint32_t key = soothi_key(value);
    const sooth_status status = soothi_csv_more_groups(env, s);
    if (status != SOOTH_OK) return status;
    size_t at = (key * 0x9E3779B1u >> 7) & (s->slots - 1);
    while (s->id[at] && s->key[at] != key) at = (at + 1) & (s->slots - 1);
    if (!s->id[at]) {
        s->key[at] = key;
        s->id[at] = ++s->csv->groups;
    }
    *group = s->id[at] - 1;
    return SOOTH_OK;
}

/* Writes the codes of a row's categories to x; while the levels are counted, the numbers of their texts. */
SOOTHI_LOCAL void soothi_csv_put_codes(const soothi_csv_stripes *s, size_t row, float *x) {
    const sooth_csv *csv = &s->csv->csv;
    for (size_t j = 0; j < s->parts.features; ++j) {
        if (!s->categorical[j]) continue;
        const soothi_csv_levels *c = &s->category[j];
        x[j] = soothi_csv_name_of(csv, row, s->parts.feature[j]);
        if (!s->csv->levels || soothi_nan((double)x[j])) continue;
        x[j] =
            (size_t)x[j] < c->room ? c->level[(size_t)x[j]].code : soothi_of_bits(SOOTHI_LEVELS_UNKNOWN_BITS);
    }
}

/* Copies the rows of a stripe that have targets, group and weight to a table. */
SOOTHI_LOCAL sooth_status soothi_csv_put_rows(sooth_env *env, soothi_csv_stripes *s, sooth_table *block) {
    const sooth_csv *csv = &s->csv->csv;
    const soothi_csv_parts *p = &s->parts;
    const int grouped = p->group < csv->cols, weighted = p->weight < csv->cols;
    const size_t need =
        soothi_product(csv->rows, p->features + p->targets + (size_t)weighted + (size_t)grouped + 1);
    size_t rows = 0, t;
    if (need > s->room) {
        sooth_free(env, s->block, s->room, sizeof *s->block);
        s->room = 0;
        s->block = (float *)sooth_alloc(env, need, sizeof *s->block);
        if (!s->block) return sooth_no_memory(env, "a block of rows", soothi_product(need, sizeof(float)));
        s->room = need;
    }
    float *x = s->block, *y = x + csv->rows * p->features, *weight = y + csv->rows * p->targets;
    uint32_t *group = (uint32_t *)(void *)(weight + (weighted ? csv->rows : 0));
    uint32_t *line = group + (grouped ? csv->rows : 0);
    s->csv->line = line;
    for (size_t i = 0; i < csv->rows; ++i) {
        const float *cell = csv->cell + i * csv->cols;
        for (t = 0; t < p->targets && !soothi_nan((double)cell[p->target[t]]);) ++t;
        if (t < p->targets) {
            ++s->csv->dropped_target;
            continue;
        }
        if (soothi_csv_is_unnamed(csv, i, p->group) || soothi_csv_is_empty(csv, i, p->weight)) {
            ++s->csv->dropped_group;
            continue;
        }
        if (s->categorical) soothi_csv_put_codes(s, i, x);
        for (size_t j = 0; j < p->features; ++j, ++x)
            if (!s->categorical || !s->categorical[j]) *x = cell[p->feature[j]];
        for (t = 0; t < p->targets; ++t) *y++ = cell[p->target[t]];
        line[rows] = csv->line[i];
        if (weighted) weight[rows] = cell[p->weight];
        if (grouped) {
            const float name = soothi_csv_name_of(csv, i, p->group);
            const sooth_status status = soothi_csv_group_of(env, s, name, &group[rows]);
            if (status != SOOTH_OK) return status;
        }
        ++rows;
    }
    sooth_table_init(block, s->block, rows, p->features);
    block->y = s->block + csv->rows * p->features;
    block->targets = p->targets;
    block->weight = weighted ? weight : NULL;
    block->group = grouped ? group : NULL;
    block->categorical = s->categorical;
    return SOOTH_OK;
}

/* Returns the rows of the next stripe that has any. */
SOOTHI_LOCAL sooth_status soothi_csv_next_rows(void *user, sooth_env *env, sooth_table *block) {
    sooth_csv_source *csv = (sooth_csv_source *)user;
    int more = 1;
    sooth_status status = SOOTH_OK;
    block->rows = 0;
    while (status == SOOTH_OK && more && block->rows == 0) {
        status = soothi_csv_read_stripe(env, csv->state, &more);
        if (status == SOOTH_OK && more && csv->csv.rows > 0)
            status = soothi_csv_put_rows(env, csv->state, block);
    }
    return status == SOOTH_OK && !more ? soothi_csv_same(env, csv->state) : status;
}

/* ---- opening ---- */

/* The first pass: finds the types of the columns and the number of rows. */
SOOTHI_LOCAL sooth_status soothi_csv_survey(sooth_env *env, sooth_csv_source *csv) {
    soothi_csv_stripes *s = csv->state;
    int more = 1;
    sooth_status status = soothi_csv_rewind(csv, env);
    while (status == SOOTH_OK && more) {
        status = soothi_progress(env, "surveying", soothi_csv_done(csv));
        if (status == SOOTH_OK) status = soothi_csv_read_stripe(env, s, &more);
        if (status == SOOTH_OK) csv->rows += csv->csv.rows;
    }
    if (status == SOOTH_OK && csv->rows == 0)
        status =
            sooth_fail(env, SOOTH_BAD_TEXT, "the file has a header of %z columns but no rows", csv->csv.cols);
    s->all = s->read;
    s->whole = s->sum;
    return status;
}

/* Refuses columns that csv.h reads by a form (csv/forms.h), unless they are dropped or not asked for. A card
   has the units of such categories. */
SOOTHI_LOCAL sooth_status soothi_csv_no_forms(sooth_env *env, const sooth_csv *csv,
                                              const sooth_csv_table_options *choice,
                                              const soothi_csv_parts *parts) {
    char name[48];
    for (size_t j = 0; j < csv->cols; ++j) {
        if (!csv->column[j].state.form || parts->part[j] == SOOTHI_CSV_DROPPED) continue;
        if (parts->category[j])
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "line %z, column %z (%s) has numbers with units, durations or thousands, which "
                              "are categories in files in memory only",
                              csv->column[j].odd_line, j + 1, soothi_brief(name, csv->column[j].name));
        if (!choice->features && j != parts->group) return soothi_csv_not_numbers(env, csv, j, "");
    }
    return SOOTH_OK;
}

/* Marks the columns whose texts are names: the group, and categories, among them features of text. */
SOOTHI_LOCAL void soothi_csv_find_texts(const sooth_csv_table_options *choice, sooth_csv *csv,
                                        soothi_csv_parts *p) {
    size_t j = choice->group ? sooth_csv_find(csv, choice->group) : SOOTH_NONE;
    if (j != SOOTH_NONE && (csv->column[j].is_text || csv->column[j].vague_line)) csv->column[j].is_name = 1;
    for (size_t i = 0; i < choice->categorical_count; ++i) {
        j = sooth_csv_find(csv, choice->categorical[i]);
        if (j != SOOTH_NONE) csv->column[j].is_name = 1;
    }
    for (size_t i = 0; choice->features && i < choice->feature_count; ++i) {
        j = sooth_csv_find(csv, choice->features[i]);
        if (j == SOOTH_NONE || !csv->column[j].is_text || *csv->column[j].form || csv->column[j].state.form)
            continue;
        csv->column[j].is_name = 1;
        p->category[j] = 1;
    }
}

/* Allocates the levels of the features that are categories. */
SOOTHI_LOCAL sooth_status soothi_csv_open_levels(sooth_env *env, soothi_csv_stripes *s) {
    const soothi_csv_parts *p = &s->parts;
    const size_t each = sizeof *s->category + 1;
    size_t n = 0;
    for (size_t j = 0; j < s->csv->csv.cols; ++j) {
        p->category[j] &= p->part[j] == SOOTHI_CSV_FEATURE;
        n += p->category[j];
    }
    if (n == 0) return SOOTH_OK;
    s->category = (soothi_csv_levels *)sooth_alloc(env, p->features, each);
    if (!s->category) return sooth_no_memory(env, "the levels", soothi_product(p->features, each));
    memset(s->category, 0, p->features * each);
    s->categorical = (uint8_t *)(s->category + p->features);
    for (size_t j = 0; j < p->features; ++j) s->categorical[j] = p->category[p->feature[j]];
    return SOOTH_OK;
}

/* Chooses the columns as sooth_csv_table does. */
SOOTHI_LOCAL sooth_status soothi_csv_pick(sooth_env *env, const sooth_csv_table_options *choice,
                                          sooth_csv_source *csv) {
    soothi_csv_stripes *s = csv->state;
    soothi_csv_parts *p = &s->parts;
    const size_t cols = csv->csv.cols, words = 2 * cols + (2 * cols + 3) / 4;
    sooth_csv_data data;
    memset(&data, 0, sizeof data);
    p->feature = (uint32_t *)sooth_alloc(env, words, sizeof *p->feature);
    csv->names = (const char **)sooth_alloc(env, cols, 2 * sizeof *csv->names);
    if (!p->feature || !csv->names)
        return sooth_no_memory(env, "a choice of columns", soothi_product(words, sizeof *p->feature));
    p->target = p->feature + cols;
    p->part = (unsigned char *)(p->target + cols);
    p->category = p->part + cols;
    memset(p->part, SOOTHI_CSV_FREE, 2 * cols);
    p->group = p->weight = cols;
    soothi_csv_find_texts(choice, &csv->csv, p);
    csv->csv.rows = csv->rows; /* a column with this many missing is empty */
    sooth_status status = soothi_csv_choose(env, &csv->csv, choice, p, &data);
    if (status == SOOTH_OK) status = soothi_csv_no_forms(env, &csv->csv, choice, p);
    if (status == SOOTH_OK) status = soothi_csv_open_levels(env, s);
    csv->csv.rows = 0;
    if (status != SOOTH_OK) return status;
    csv->units = csv->names + cols;
    csv->column = p->feature;
    csv->targets = p->target;
    csv->ignored_text = data.ignored_text;
    csv->ignored_empty = data.ignored_empty;
    for (size_t j = 0; j < p->features; ++j) {
        csv->names[j] = csv->csv.column[p->feature[j]].name;
        csv->units[j] = csv->csv.column[p->feature[j]].unit;
    }
    const sooth_source source = {
        csv, p->features, p->targets, soothi_csv_next_rows, soothi_csv_rewind, soothi_csv_done, csv->names};
    csv->source = source;
    return SOOTH_OK;
}

/* ---- levels ---- */

/* Adds the rows of a block to the counts of the levels. */
SOOTHI_LOCAL sooth_status soothi_csv_count_levels(sooth_env *env, const soothi_csv_stripes *s,
                                                  const sooth_table *block) {
    for (size_t j = 0; j < block->cols; ++j) {
        if (!s->categorical[j]) continue;
        soothi_csv_levels *c = &s->category[j];
        const size_t texts = s->csv->csv.column[s->parts.feature[j]].texts;
        if (texts > c->room) {
            const size_t room = 2 * texts;
            soothi_csv_level *larger = (soothi_csv_level *)sooth_alloc(env, room, sizeof *larger);
            if (!larger) return soothi_csv_many_texts(env, &s->csv->csv);
            memset(larger, 0, room * sizeof *larger);
            if (c->room) memcpy(larger, c->level, c->room * sizeof *larger);
            sooth_free(env, c->level, c->room, sizeof *larger);
            c->level = larger;
            c->room = room;
        }
        for (size_t i = 0; i < block->rows; ++i) {
            const float text = block->x[i * block->stride + j];
            if (!soothi_nan((double)text)) ++c->level[(size_t)text].rows;
        }
    }
    return SOOTH_OK;
}

/* Lists the levels that rows have, in the order of features and texts, or takes their codes from the list.
   Returns their number. found NULL: only counts. */
SOOTHI_LOCAL size_t soothi_csv_list_levels(const soothi_csv_stripes *s, soothi_levels_found *found,
                                           int coded) {
    size_t n = 0;
    for (size_t j = 0; j < s->parts.features; ++j)
        for (size_t k = 0; k < s->category[j].room; ++k) {
            soothi_csv_level *level = &s->category[j].level[k];
            level->code = soothi_of_bits(SOOTHI_LEVELS_UNKNOWN_BITS);
            if (level->rows == 0) continue;
            const soothi_levels_found counted = {
                found && !coded ? s->csv->csv.column[s->parts.feature[j]].text[k] : NULL, (uint32_t)j,
                level->rows, level->code};
            if (coded) level->code = found[n].code;
            else if (found) found[n] = counted;
            ++n;
        }
    return n;
}

/* Makes the dictionary of counted levels. */
SOOTHI_LOCAL sooth_status soothi_csv_make_levels(sooth_env *env, const soothi_csv_stripes *s,
                                                 uint32_t max_bytes) {
    const size_t n = soothi_csv_list_levels(s, NULL, 0);
    sooth_csv *csv = &s->csv->csv;
    sooth_levels_options options;
    memset(&options, 0, sizeof options);
    options.max_bytes = max_bytes;
    soothi_levels_found *found = (soothi_levels_found *)sooth_alloc(env, n + 1, sizeof *found);
    sooth_status status = found ? soothi_csv_share_out(env, csv, &s->words)
                                : sooth_no_memory(env, "the levels", soothi_product(n + 1, sizeof *found));
    if (status == SOOTH_OK) {
        soothi_csv_list_levels(s, found, 0);
        status = soothi_levels_from_counts(env, s->categorical, s->parts.features, found, n, &options,
                                           &s->csv->levels);
    }
    if (status == SOOTH_OK) soothi_csv_list_levels(s, found, 1);
    if (status == SOOTH_BAD_ARGUMENT && env) { /* "max_bytes is 1, but ...": here it has another name */
        char rest[SOOTH_ENV_SENTENCE];
        memcpy(rest, env->sentence, sizeof rest);
        sooth_fail(env, status, "levels_bytes%s", rest + soothi_text_length("max_bytes"));
    }
    soothi_csv_free_texts(env, csv);
    sooth_free(env, found, n + 1, sizeof *found);
    return status;
}

/* Reads the file, and makes the dictionary of the categories if there are any. */
SOOTHI_LOCAL sooth_status soothi_csv_learn_levels(sooth_env *env, sooth_csv_source *csv, uint32_t max_bytes) {
    const soothi_csv_stripes *s = csv->state;
    sooth_table block;
    if (!s->categorical) return SOOTH_OK;
    sooth_status status = soothi_csv_rewind(csv, env);
    do {
        if (status == SOOTH_OK) status = soothi_progress(env, "counting levels", soothi_csv_done(csv));
        if (status == SOOTH_OK) status = soothi_csv_next_rows(csv, env, &block);
        if (status == SOOTH_OK && block.rows > 0) status = soothi_csv_count_levels(env, s, &block);
    } while (status == SOOTH_OK && block.rows > 0);
    return status == SOOTH_OK ? soothi_csv_make_levels(env, s, max_bytes) : status;
}

SOOTH_API sooth_status sooth_csv_source_open(sooth_env *env, const sooth_csv_file *file,
                                             const sooth_csv_options *options,
                                             const sooth_csv_table_options *choice, sooth_csv_source *csv) {
    memset(csv, 0, sizeof *csv);
    if (!choice || !choice->target)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a source of rows needs a target");
    sooth_status status = soothi_csv_accept(env, options);
    if (status != SOOTH_OK) return status;
    soothi_csv_stripes *s = csv->state = (soothi_csv_stripes *)sooth_alloc(env, 1, sizeof *s);
    if (!s) return sooth_no_memory(env, "a file in stripes", sizeof *s);
    memset(s, 0, sizeof *s);
    s->csv = csv;
    s->file = *file;
    if (options) s->options = *options;
    s->workers = soothi_workers(env);
    s->parts.group = SIZE_MAX; /* not known yet */
    status = soothi_csv_widen(env, s, (4 * s->workers + 1) * SOOTHI_CSV_PIECE);
    if (status == SOOTH_OK) status = soothi_csv_survey(env, csv);
    if (status == SOOTH_OK) status = soothi_csv_pick(env, choice, csv);
    if (status == SOOTH_OK) status = soothi_csv_learn_levels(env, csv, choice->levels_bytes);
    if (status == SOOTH_OK) status = soothi_csv_rewind(csv, env);
    if (status != SOOTH_OK) sooth_csv_source_free(env, csv);
    return status;
}

SOOTH_API void sooth_csv_source_free(sooth_env *env, sooth_csv_source *csv) {
    soothi_csv_stripes *s = csv->state;
    const size_t cols = csv->csv.cols;
    if (s) {
        const size_t features = s->parts.features;
        for (size_t j = 0; s->category && j < features; ++j)
            sooth_free(env, s->category[j].level, s->category[j].room, sizeof *s->category[j].level);
        sooth_free(env, s->category, features, sizeof *s->category + 1);
        sooth_free(env, s->bytes, s->capacity, 1);
        sooth_free(env, s->piece, s->pieces, sizeof *s->piece);
        sooth_free(env, s->seen, soothi_product(s->workers, cols), sizeof *s->seen);
        sooth_free(env, s->parts.feature, 2 * cols + (2 * cols + 3) / 4, sizeof *s->parts.feature);
        sooth_free(env, s->block, s->room, sizeof *s->block);
        sooth_free(env, s->key, s->slots, 2 * sizeof *s->key);
        soothi_csv_words_free(env, &s->words);
        sooth_free(env, s->reader.buffer, s->reader.capacity, 1);
    }
    sooth_levels_free(env, csv->levels);
    sooth_free(env, (void *)csv->names, cols, 2 * sizeof *csv->names);
    sooth_free(env, s, 1, sizeof *s);
    sooth_csv_free(env, &csv->csv);
    memset(csv, 0, sizeof *csv);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
