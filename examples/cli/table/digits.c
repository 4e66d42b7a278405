/* digits.c - columns whose numbers floats cannot tell apart, and columns that are identifiers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <math.h>

/* ---- digits ---- */

static int is_whole(double v) {
    return fabs(v) < 9e15 && !(v < (double)(int64_t)v) && !(v > (double)(int64_t)v);
}

/* Returns true if the float may stand for a number of more than six digits. scale: 10^k that gives numbers of
   the column up to six digits before the point. */
static int is_long(float v, double scale) {
    const double size = fabs((double)v), times = size * scale < 1e5 ? 10.0 * scale : scale;
    const float rounded = (float)((double)(int64_t)(size * times + 0.5) / times);
    return rounded < (float)size || rounded > (float)size;
}

/* Finds min and max of every column; without numbers min is above max. */
static void find_ranges(const sooth_csv *csv, float *least, float *most) {
    const size_t cols = csv->cols;
    for (size_t j = 0; j < cols; ++j) {
        least[j] = INFINITY;
        most[j] = -INFINITY;
    }
    for (size_t i = 0; i < csv->rows; ++i) {
        const float *cell = csv->cell + i * cols;
        for (size_t j = 0; j < cols; ++j) { /* NaN is neither */
            const float v = cell[j];
            if (v < least[j]) least[j] = v;
            if (v > most[j]) most[j] = v;
        }
    }
}

/* Returns true if the conversion to float may merge cells of this column: it spans at most a quarter of its
   size, and has long numbers. *zero is the middle. */
static int may_merge(const sooth_csv *csv, size_t column, double least, double most, double *zero) {
    const double size = most > -least ? most : -least;
    const float *cell = csv->cell + column;
    int whole = 1, is_coarse;
    if (csv->column[column].is_text || !(least <= most)) return 0;
    if (!(size < INFINITY) || !(size > 0.0) || size < 4.0 * (most - least)) return 0;
    for (size_t i = 0; i < csv->rows && whole; ++i)
        whole = cell[i * csv->cols] != cell[i * csv->cols] || is_whole((double)cell[i * csv->cols]);
    if (whole && size < 4194304.0) return 0;
    *zero = (double)(float)(least + (most - least) / 2.0);
    is_coarse = whole || !(most > least);
    double scale = 1.0;
    while (size * scale < 1e5) scale *= 10.0;
    while (size * scale >= 1e6) scale /= 10.0;
    for (size_t i = 0; i < csv->rows && !is_coarse; ++i) {
        const float v = cell[i * csv->cols];
        is_coarse = v == v && is_long(v, scale);
    }
    return is_coarse;
}

/* Counts the different numbers of column k, as they stand in the file, as floats, and as floats from zero. */
static void count_numbers(const sooth_csv *csv, const double *value, size_t stride, size_t k,
                          digits_column *c) {
    double *all = (double *)allocate(csv->rows + 1, 2 * sizeof *all), *as_float = all + csv->rows + 1;
    size_t n = 0;
    c->whole = is_whole(c->zero);
    for (size_t i = 0; i < csv->rows; ++i) {
        const double v = value[i * stride + k];
        if (v != v) continue;
        as_float[n] = (double)csv->cell[i * csv->cols + c->column];
        all[n++] = v;
        c->whole = c->whole && is_whole(v);
    }
    qsort(all, n, sizeof *all, ascending);
    qsort(as_float, n, sizeof *as_float, ascending);
    c->numbers = c->floats = c->centred = n > 0;
    for (size_t i = 1; i < n; ++i) {
        c->numbers += all[i] > all[i - 1];
        c->floats += as_float[i] > as_float[i - 1];
        c->centred += (float)all[i] > (float)all[i - 1];
    }
    free(all);
}

void digits_find(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, digits *found) {
    size_t *column = (size_t *)allocate(csv->cols, sizeof *column), n = 0;
    double *zero = (double *)allocate(csv->cols, sizeof *zero), *value;
    float *least = (float *)allocate(csv->cols, 2 * sizeof *least), *most = least + csv->cols;
    memset(found, 0, sizeof *found);
    find_ranges(csv, least, most);
    for (size_t i = 0; i < (columns ? count : csv->cols) && n < csv->cols; ++i) {
        const size_t j = columns ? columns[i] : i;
        if (may_merge(csv, j, (double)least[j], (double)most[j], &zero[n])) column[n++] = j;
    }
    if (n > 0) {
        found->value = value = (double *)allocate(csv->rows, n * sizeof *value);
        found->column = (digits_column *)allocate(n, sizeof *found->column);
        found->stride = n;
        if (sooth_csv_exact(env, csv, bytes, size, column, n, zero, value) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", path, env->sentence);
    }
    for (size_t k = 0; k < n; ++k) {
        digits_column c = {.column = column[k], .zero = zero[k], .at = k};
        count_numbers(csv, found->value, n, k, &c);
        const size_t lost = c.numbers - c.floats;
        if (c.numbers > c.floats && (c.whole || 100 * lost >= c.numbers)) found->column[found->count++] = c;
    }
    if (!found->count) free(found->value), found->value = NULL;
    free(column);
    free(zero);
    free(least);
}

const digits_column *digits_of(const digits *found, size_t column) {
    for (size_t k = 0; k < found->count; ++k)
        if (found->column[k].column == column) return &found->column[k];
    return NULL;
}

void digits_print(const digits_column *c, const char *name, int is_centred, FILE *to) {
    char zero[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_from_double(zero, c->zero);
    fprintf(to, "  %s     %s: %zu different values %s %zu as floats", is_centred ? "centred" : "merged ",
            listed(name), c->numbers, is_centred ? "would be" : "are", c->floats);
    if (!is_centred) fprintf(to, "; subtract %s (or derive or scale) before, to keep them apart\n", zero);
    else if (c->centred == c->numbers) fprintf(to, ", so it counts from %s\n", zero);
    else fprintf(to, ", so it counts from %s, which keeps %zu\n", zero, c->centred);
}

void digits_tell(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, const char *cure) {
    digits found;
    digits_find(env, path, csv, bytes, size, columns, count, &found);
    for (size_t k = 0; k < found.count; ++k)
        fprintf(stderr, "%s: %zu different values of %s are %zu as floats; %s\n", path,
                found.column[k].numbers, listed(csv->column[found.column[k].column].name),
                found.column[k].floats, cure);
    free(found.value);
    free(found.column);
}

/* ---- identifiers ---- */

/* Returns true if a word of the name is one that identifiers have: "job_id", "JobID", "row". */
static int named_like_one(const char *name) {
    static const char *const words[] = {"id",     "ids",   "jobid",  "taskid", "runid", "stepid", "rowid",
                                        "uid",    "uuid",  "guid",   "job",    "index", "idx",    "row",
                                        "rownum", "rownr", "record", "serial", "seq"};
    char word[16];
    size_t n = 0;
    for (const char *c = name;; ++c) {
        const int letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        const int hump = c > name && *c >= 'A' && *c <= 'Z' && c[-1] >= 'a' && c[-1] <= 'z';
        if (!letter || hump) {
            word[n] = 0;
            for (size_t k = 0; n && k < sizeof words / sizeof *words; ++k)
                if (strcmp(word, words[k]) == 0) return 1;
            n = 0;
        }
        if (!*c) return 0;
        if (letter && n + 1 < sizeof word) word[n++] = (char)(*c | 32);
    }
}

int is_identifier(const sooth_csv *csv, size_t column, const digits *found) {
    enum { LEAST_ROWS = 10 };
    const digits_column *exact = digits_of(found, column);
    const sooth_csv_column *c = &csv->column[column];
    size_t n = 0, different = 1;
    if (c->is_text || c->missing || csv->rows < LEAST_ROWS || !named_like_one(c->name)) return 0;
    double *value = (double *)allocate(csv->rows, sizeof *value);
    while (n < csv->rows && is_whole(value[n] = (double)csv->cell[n * csv->cols + column])) ++n;
    const int whole = n == csv->rows;
    qsort(value, n, sizeof *value, ascending);
    for (size_t i = 1; i < n; ++i) different += value[i] > value[i - 1];
    free(value);
    return whole && (exact ? exact->numbers : different) == csv->rows;
}
