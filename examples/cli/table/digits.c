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

/* Finds min and max of the finite numbers of every column; without any, min is above max. */
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
            if (v < least[j] && v > -INFINITY) least[j] = v;
            if (v > most[j] && v < INFINITY) most[j] = v;
        }
    }
}

/* Returns true if numbers between these span at most a quarter of their size. */
static int is_near(double least, double most) {
    const double size = most > -least ? most : -least;
    return size > 0.0 && size >= 4.0 * (most - least);
}

/* Returns true if the middle four fifths of ascending numbers are near each other. Outliers such as 0, -1 or
   the largest integer, which logs write for "never", are not among them. */
static int are_near(const double *value, size_t count) {
    return count > 0 && is_near(value[count / 10], value[count - 1 - count / 10]);
}

enum { SAMPLE = 1000 };
#define COARSE 4194304.0 /* floats of this size and above have at most one digit behind the point */

/* Stores the numbers of at most SAMPLE rows in ascending order, but none below this size; returns their
   count. */
static size_t sample_of(const sooth_csv *csv, size_t column, double size, double value[SAMPLE]) {
    const size_t step = (csv->rows + SAMPLE - 1) / SAMPLE;
    size_t n = 0;
    for (size_t i = 0; i < csv->rows; i += step) {
        const double v = (double)csv->cell[i * csv->cols + column];
        if (fabs(v) >= size && fabs(v) < INFINITY) value[n++] = v;
    }
    qsort(value, n, sizeof *value, ascending);
    return n;
}

/* Returns true if so few floats repeat that less than one number in a hundred is merged. */
static int is_rarely_equal(const sooth_csv *csv, size_t column) {
    const size_t missing = csv->column[column].missing;
    sooth_env env;
    sooth_table one;
    size_t equal = 0;
    sooth_env_init(&env);
    sooth_table_init(&one, csv->cell + column, csv->rows, 1);
    one.stride = csv->cols;
    if (sooth_csv_duplicates(&env, &one, NULL, &equal) != SOOTH_OK) return 0;
    if (missing) equal -= missing - 1;
    return 100 * equal < csv->rows - missing - equal;
}

/* Returns true if a few rows already tell that no number is near a column's, which are not integers. More
   rows only widen the range. */
static int is_spread(const sooth_csv *csv, size_t column) {
    double sample[SAMPLE];
    const size_t n = csv->column[column].is_text ? 0 : sample_of(csv, column, 0.0, sample);
    size_t i = 0;
    while (i < csv->rows && (!(fabsf(csv->cell[i * csv->cols + column]) < INFINITY) ||
                             is_whole((double)csv->cell[i * csv->cols + column])))
        ++i;
    return n > 0 && i < csv->rows && !is_near(sample[0], sample[n - 1]) && !are_near(sample, n);
}

/* Returns true if the conversion to float may merge cells of this column: they are integers of more than 22
   bits, or have long numbers near each other. *zero is in the middle of most of them. */
static int may_merge(const sooth_csv *csv, size_t column, double least, double most, double *zero) {
    const float *cell = csv->cell + column;
    double size = most > -least ? most : -least, sample[SAMPLE];
    int whole = 1, is_coarse;
    if (csv->column[column].is_text || !(least <= most) || !(size > 0.0)) return 0;
    for (size_t i = 0; i < csv->rows && whole; ++i)
        whole = !(fabsf(cell[i * csv->cols]) < INFINITY) || is_whole((double)cell[i * csv->cols]);
    if (whole && (size < COARSE || !csv->column[column].vague_line)) return 0;
    *zero = (double)(float)(least + (most - least) / 2.0);
    if (!is_near(least, most)) {
        const size_t n = sample_of(csv, column, whole ? COARSE : 0.0, sample);
        if (!are_near(sample, n) && (!whole || is_rarely_equal(csv, column))) return 0;
        if (n > 0) *zero = sample[n / 2];
        size = fabs(*zero);
    }
    is_coarse = whole || !(most > least);
    double scale = 1.0;
    while (size * scale < 1e5) scale *= 10.0;
    while (size * scale >= 1e6) scale /= 10.0;
    for (size_t i = 0; i < csv->rows && !is_coarse; ++i) {
        const float v = cell[i * csv->cols];
        is_coarse = (double)fabsf(v) <= 4.0 * size && is_long(v, scale);
    }
    return is_coarse;
}

/* Counts the different numbers of a column, as they are in the file, as floats, and as floats from zero.
   value: the numbers minus zero, `stride` apart. *middle and *span are those of most merged numbers. */
static void count_numbers(const sooth_csv *csv, const double *value, size_t stride, digits_column *c,
                          double *middle, double *span) {
    double *all = (double *)allocate(csv->rows + 1, 3 * sizeof *all), *as_float = all + csv->rows + 1;
    double *merged = as_float + csv->rows + 1; /* ascending, as the others */
    size_t n = 0, m = 0;
    c->whole = is_whole(c->zero);
    for (size_t i = 0; i < csv->rows; ++i) {
        const double v = value[i * stride];
        if (!(fabs(v) < INFINITY)) continue;
        as_float[n] = (double)csv->cell[i * csv->cols + c->column];
        all[n++] = v;
        c->whole = c->whole && is_whole(v);
    }
    qsort(all, n, sizeof *all, ascending);
    qsort(as_float, n, sizeof *as_float, ascending);
    c->numbers = c->floats = c->centred = n > 0;
    for (size_t i = 1; i < n; ++i) {
        const int other = all[i] > all[i - 1], other_float = as_float[i] > as_float[i - 1];
        c->numbers += other;
        c->floats += other_float;
        c->centred += (float)all[i] > (float)all[i - 1];
        if (!other || other_float) continue;
        if (m == 0 || merged[m - 1] < all[i - 1] + c->zero) merged[m++] = all[i - 1] + c->zero;
        merged[m++] = all[i] + c->zero;
    }
    c->near = are_near(merged, m);
    *middle = m ? merged[m / 2] : 0.0;
    *span = m ? merged[m - 1 - m / 10] - merged[m / 10] : 0.0;
    free(all);
}

/* Counts a column whose outliers draw its zero away from most merged numbers from the middle of these, if
   this keeps more of them apart. */
static void move_zero(sooth_env *env, const sooth_csv *csv, const char *bytes, size_t size, double middle,
                      digits_column *c, double *value, size_t stride) {
    double *other = (double *)allocate(csv->rows, sizeof *other), unused;
    digits_column moved = *c;
    moved.zero = middle;
    if (sooth_csv_exact(env, csv, bytes, size, &c->column, 1, &middle, other) != SOOTH_OK)
        die(BAD_INPUT, "%s", env->sentence);
    count_numbers(csv, other, 1, &moved, &middle, &unused);
    if (moved.centred > c->centred) {
        *c = moved;
        for (size_t i = 0; i < csv->rows; ++i) value[i * stride] = other[i];
    }
    free(other);
}

void digits_find(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, digits *found) {
    size_t *column = (size_t *)allocate(csv->cols, sizeof *column), n = 0;
    double *zero = (double *)allocate(csv->cols, sizeof *zero), *value, middle, span;
    float *least = (float *)allocate(csv->cols, 2 * sizeof *least), *most = least + csv->cols;
    memset(found, 0, sizeof *found);
    int ranged = 0;
    for (size_t i = 0; i < (columns ? count : csv->cols) && n < csv->cols; ++i) {
        const size_t j = columns ? columns[i] : i;
        if (is_spread(csv, j)) continue;
        if (!ranged++) find_ranges(csv, least, most);
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
        const size_t j = column[k];
        const double range = (double)most[j] - (double)least[j];
        digits_column c = {.column = j, .zero = zero[k], .at = k};
        count_numbers(csv, found->value + k, n, &c, &middle, &span);
        const int is_drawn = !is_near((double)least[j], (double)most[j]) || 10.0 * span < range;
        if (c.near && c.centred < c.numbers && is_drawn)
            move_zero(env, csv, bytes, size, middle, &c, found->value + k, n);
        if (!c.near) c.centred = c.floats; /* no number is near them all */
        const size_t lost = c.numbers - c.floats;
        if (lost && ((c.whole && c.near) || 100 * lost >= c.numbers)) found->column[found->count++] = c;
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

#define SPLIT                                                                                               \
    "no number to subtract keeps them apart, so split the column in two, such as its quotient and rest by " \
    "1048576"

void digits_print(const digits_column *c, const char *name, int is_centred, FILE *to) {
    char zero[SOOTH_TEXT_NUMBER_SIZE];
    text_from(c->zero, 0.0f, zero);
    fprintf(to, "  %s     %s: ", is_centred ? "centred" : "merged ", listed(name));
    if (c->rows) fprintf(to, "in the first %s, ", counted(c->rows, "row", "rows"));
    fprintf(to, "%zu different values %s %zu as floats", c->numbers, is_centred ? "would be" : "are",
            c->floats);
    if (!is_centred && !c->near) fprintf(to, "; " SPLIT "\n");
    else if (!is_centred)
        fprintf(to, "; subtract %s (or derive or scale) before, to keep them apart\n", zero);
    else if (c->centred == c->numbers) fprintf(to, ", so it counts from %s\n", zero);
    else fprintf(to, ", so it counts from %s, which keeps %zu\n", zero, c->centred);
}

void digits_tell(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, const char *cure) {
    digits found;
    digits_find(env, path, csv, bytes, size, columns, count, &found);
    for (size_t k = 0; k < found.count; ++k) {
        const digits_column *c = &found.column[k];
        fprintf(stderr, "%s: %zu different values of %s are %zu as floats; ", path, c->numbers,
                listed(csv->column[c->column].name), c->floats);
        if (c->near) fprintf(stderr, "%s\n", cure);
        else fprintf(stderr, SPLIT "\n");
    }
    free(found.value);
    free(found.column);
}

/* ---- names among numbers ---- */

/* A text of digits, and the shortest text of its number. */
typedef struct spelling {
    const char *text;
    char number[32];
} spelling;

static int by_number(const void *a, const void *b) {
    const spelling *x = (const spelling *)a, *y = (const spelling *)b;
    const int order = strcmp(x->number, y->number);
    return order ? order : strcmp(x->text, y->text);
}

/* Stores the text without its sign +, and without zeros that a number does not need. Returns 0 for other
   texts, and for 0. */
static int spell(const char *text, spelling *to) {
    const int negative = *text == '-';
    size_t n = (size_t)negative, digits;
    int point = 0, value = 0;
    to->text = text;
    text += negative || *text == '+';
    for (digits = 0; text[digits]; ++digits) {
        const char c = text[digits];
        if ((c == '.' || c == ',') && !point) point = 1;
        else if (c < '0' || c > '9') return 0;
        value |= c > '0';
    }
    if (!value || digits > 24) return 0;
    while (*text == '0') ++text;
    to->number[0] = '-';
    strcpy(to->number + n, text);
    for (n = strlen(to->number); point && to->number[n - 1] == '0'; --n) continue;
    if (to->number[n - 1] == '.' || to->number[n - 1] == ',') --n;
    to->number[n] = 0;
    return 1;
}

/* Finds two texts of a number in a column of names, but not 1 and 1.0: tools write both. */
static int find_twins(const sooth_csv_column *c, const char **a, const char **b) {
    spelling *all = (spelling *)allocate(c->texts + 1, sizeof *all);
    size_t n = 0;
    *a = NULL;
    for (size_t k = 0; k < c->texts; ++k) n += (size_t)spell(c->text[k], &all[n]);
    qsort(all, n, sizeof *all, by_number);
    for (size_t k = 1; k < n && !*a; ++k) {
        const char *one = all[k - 1].text, *other = all[k].text;
        const int point = strpbrk(one, ".,") != NULL;
        if (strcmp(all[k - 1].number, all[k].number) != 0 || point != (strpbrk(other, ".,") != NULL))
            continue;
        *a = one;
        *b = other;
    }
    free(all);
    return *a != NULL;
}

const char *digits_hint(const sooth_csv *csv, const char *bytes, size_t size, const uint32_t *column,
                        size_t count) {
    enum { HEAD = 65536 };
    const char **name = (const char **)allocate(count, sizeof *name), *a, *b, *sentence = "";
    sooth_csv_options options = {.names = name};
    sooth_csv head;
    sooth_env env;
    sooth_env_init(&env);
    if (size > HEAD)
        for (size = HEAD; size > 0 && bytes[size - 1] != '\n';) --size;
    for (size_t k = 0; k < count; ++k) {
        const sooth_csv_column *c = &csv->column[column[k]];
        if (c->vague_line && !c->is_text && !c->is_name && !*c->form) name[options.name_count++] = c->header;
    }
    if (options.name_count && sooth_csv_read(&env, bytes, size, &options, &head) == SOOTH_OK) {
        for (size_t j = 0; j < head.cols && !*sentence; ++j) {
            if (!head.column[j].is_name || !find_twins(&head.column[j], &a, &b)) continue;
            char *text = (char *)allocate(500, 1);
            snprintf(text, 500,
                     "%.99s has %.40s and %.40s, which are one number; if they are names, give "
                     "--categorical %.99s",
                     listed(csv->column[j].name), a, b, printable(csv->column[j].name));
            sentence = text;
        }
        sooth_csv_free(&env, &head);
    }
    free(name);
    return sentence;
}

/* ---- identifiers ---- */

int is_named_like_identifier(const char *name) {
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
    if (c->is_text || c->missing || csv->rows < LEAST_ROWS || !is_named_like_identifier(c->name)) return 0;
    double *value = (double *)allocate(csv->rows, sizeof *value);
    while (n < csv->rows && is_whole(value[n] = (double)csv->cell[n * csv->cols + column])) ++n;
    const int whole = n == csv->rows;
    qsort(value, n, sizeof *value, ascending);
    for (size_t i = 1; i < n; ++i) different += value[i] > value[i - 1];
    free(value);
    return whole && (exact ? exact->numbers : different) == csv->rows;
}
