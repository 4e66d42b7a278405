/* fuzz_blocks.c - a CSV file of any bytes, read in stripes of a few bytes: the rows, or the sentence, of the
 * same file read whole.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The first byte of an input is the size of the pieces that the file is cut into; the second tells how many
 * bytes come at once, the separator and which columns are asked for; the rest is the file.
 */
#include <stddef.h>
static size_t piece_bytes;
#define SOOTHI_CSV_PIECE piece_bytes
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the file ---- */

typedef struct bytes {
    const uint8_t *at;
    size_t size, given, step;
} bytes;

static sooth_status next_bytes(void *user, sooth_env *env, void *to, size_t size, size_t *got) {
    bytes *b = (bytes *)user;
    const size_t left = b->size - b->given, some = left < b->step ? left : b->step;
    (void)env;
    check(size > 0);
    *got = some < size ? some : size;
    if (*got) memcpy(to, b->at + b->given, *got);
    b->given += *got;
    return SOOTH_OK;
}

static sooth_status first_bytes(void *user, sooth_env *env) {
    (void)env;
    ((bytes *)user)->given = 0;
    return SOOTH_OK;
}

/* ---- the same rows ---- */

static void same_floats(const float *a, const float *b, size_t count) {
    check(memcmp(a, b, count * sizeof *a) == 0);
}

static void check_rows(sooth_env *env, const sooth_source *source, const sooth_table *t) {
    size_t row = 0;
    sooth_table b;
    check(source->rewind_fn(source->user, env) == SOOTH_OK);
    for (;;) {
        memset(&b, 0, sizeof b);
        check(source->next_fn(source->user, env, &b) == SOOTH_OK);
        if (b.rows == 0) break;
        check(row + b.rows <= t->rows && b.cols == t->cols && b.targets == t->targets);
        check(!b.weight == !t->weight && !b.group == !t->group && !b.categorical == !t->categorical);
        check(!b.categorical || memcmp(b.categorical, t->categorical, b.cols) == 0);
        for (size_t i = 0; i < b.rows; ++i, ++row) {
            same_floats(b.x + i * b.stride, t->x + row * t->stride, t->cols);
            same_floats(b.y + i * b.targets, t->y + row * t->targets, t->targets);
            if (t->weight) same_floats(b.weight + i, t->weight + row, 1);
            check(!t->group || b.group[i] == t->group[row]);
        }
    }
    check(row == t->rows);
}

static void check_source(sooth_env *env, sooth_csv_source *csv, const sooth_csv *whole,
                         const sooth_csv_data *data) {
    check(csv->rows == whole->rows && csv->csv.cols == whole->cols);
    for (size_t j = 0; j < whole->cols; ++j) {
        const sooth_csv_column *a = &csv->csv.column[j], *b = &whole->column[j];
        check(strcmp(a->header, b->header) == 0 && strcmp(a->unit, b->unit) == 0);
        check(a->is_text == b->is_text && a->missing == b->missing);
        check(a->odd_line == b->odd_line || *b->form); /* stripes do not compare the cells */
    }
    check(csv->ignored_text == data->ignored_text && csv->ignored_empty == data->ignored_empty);
    for (size_t pass = 0; pass < 2; ++pass) {
        check_rows(env, &csv->source, &data->table);
        check(csv->dropped_target == data->dropped_target && csv->dropped_group == data->dropped_group);
        check(csv->groups == data->groups);
    }
}

/* The last place of these words; the name of a column may have them, too. */
static const char *last_place(const char *text, const char *words) {
    const char *found = NULL;
    while ((text = strstr(text, words)) != NULL) found = text++;
    return found;
}

/* The same but for the text of the cell: `a` shows it, `b` has it no more. */
static void same_sentence(const char *a, const char *b) {
    static const char ending[] = " is not a number";
    check(*b != 0);
    if (strcmp(a, b) == 0) return;
    const char *end = last_place(b, ending), *same = last_place(a, ending);
    check(end && same && strcmp(end, same) == 0);
    check(memcmp(a, b, (size_t)(end - b)) == 0 && a[end - b] == ':');
}

/* Whether a column of the whole file is written in a form that stripes are not read by, or would have been
   but for one cell. */
static int has_forms(const sooth_csv *csv) {
    for (size_t j = 0; j < csv->cols; ++j)
        if (*csv->column[j].form) return 1;
    return 0;
}

/* Whether a row is left shows only while they are read. */
static void check_nothing(sooth_env *env, const sooth_source *source, const char *sentence) {
    sooth_table b;
    check(strncmp(sentence, "no row is left", 14) == 0);
    check(source->next_fn(source->user, env, &b) == SOOTH_OK && b.rows == 0);
}

/* The table with the codes of its categories, in memory of *codes, and their dictionary. Returns 0 if there
   is none, because another column has an infinite number. */
static int code_table(sooth_env *env, sooth_csv_data *data, float **codes, sooth_levels **levels) {
    *codes = (float *)malloc(data->table.rows * data->table.cols * sizeof **codes);
    if (sooth_levels_fit(env, &data->table, data->categorical, data->text, NULL, *codes, levels) != SOOTH_OK)
        return 0;
    data->table.x = *codes;
    data->table.stride = data->table.cols;
    data->table.categorical = data->categorical;
    return 1;
}

/* ---- one file ---- */

/* The columns that a byte asks for. */
static void choose(uint8_t byte, const sooth_csv *csv, const char *category[1],
                   sooth_csv_table_options *choice) {
    memset(choice, 0, sizeof *choice);
    choice->target = "y";
    if (!csv) return;
    choice->target = csv->column[csv->cols - 1].header;
    if (byte & 1u) choice->group = csv->column[0].header;
    if (byte & 2u) choice->weight = csv->column[csv->cols / 2].header;
    if (!(byte & 4u)) return;
    category[0] = csv->column[csv->cols / 3].header;
    choice->categorical = category;
    choice->categorical_count = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env, told;
    sooth_csv whole;
    sooth_csv_data table;
    sooth_csv_table_options choice;
    sooth_csv_source csv;
    sooth_csv_options options = {0};
    sooth_levels *levels = NULL;
    const char *category[1];
    float *codes = NULL;
    if (size < 2) return 0;
    bytes b = {data + 2, size - 2, 0, (size_t)1 + data[1] / 16 * 4};
    const sooth_csv_file file = {&b, next_bytes, first_bytes, 0};
    options.no_header = data[0] >= 192;
    options.separator = data[1] < 240 ? ",;\t|"[data[1] / 4 % 4] : 0; /* 0: guessed */
    sooth_env_init(&env);
    sooth_env_init(&told);
    piece_bytes = SIZE_MAX;
    sooth_status status = sooth_csv_read(&env, b.at, b.size, &options, &whole);
    const int is_read = status == SOOTH_OK;
    choose(data[1], is_read ? &whole : NULL, category, &choice);
    if (choice.group || choice.categorical) { /* a source reads groups and categories as names by itself */
        sooth_csv_options named = options;
        const char *const asked[] = {choice.group, choice.categorical ? category[0] : NULL};
        const char *names[2];
        for (size_t k = 0; k < 2; ++k)
            if (asked[k]) names[named.name_count++] = strcpy((char *)malloc(strlen(asked[k]) + 1), asked[k]);
        named.names = names;
        sooth_csv_free(&env, &whole);
        check(sooth_csv_read(&env, b.at, b.size, &named, &whole) == SOOTH_OK);
        choose(data[1], &whole, category, &choice);
        for (size_t k = 0; k < named.name_count; ++k) free((void *)(uintptr_t)names[k]);
    }
    if (is_read) status = sooth_csv_table(&env, &whole, &choice, &table);
    const int is_table = status == SOOTH_OK;
    const int is_coded = !is_table || !table.categorical || code_table(&env, &table, &codes, &levels);
    piece_bytes = (size_t)1 + data[0] % 192;
    if (sooth_csv_source_open(&told, &file, &options, &choice, &csv) == SOOTH_OK) {
        if (is_read && has_forms(&whole)) check(!is_table || csv.csv.cols == whole.cols);
        else if (is_table && is_coded) check_source(&told, &csv, &whole, &table);
        else if (is_table) check(csv.levels != NULL);
        else check_nothing(&told, &csv.source, env.sentence);
        if (levels && csv.levels && !has_forms(&whole))
            check(csv.levels->head.size == levels->head.size &&
                  memcmp(csv.levels, levels, levels->head.size) == 0);
        sooth_csv_source_free(&told, &csv);
    } else {
        check(!is_table || has_forms(&whole));
        /* of several mistakes a zero is told first of a whole file, of stripes where it stands */
        if (!memchr(b.at, 0, b.size) && !(is_read && has_forms(&whole)))
            same_sentence(env.sentence, told.sentence);
    }
    sooth_levels_free(&env, levels);
    free(codes);
    if (is_table) sooth_csv_data_free(&env, &table);
    if (is_read) sooth_csv_free(&env, &whole);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
