/* preprocess/levels.h - dictionaries of text columns: names, codes and target statistics of levels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A row of floats stores the code of a level: 0, 1, 2, ... The block maps between names and codes, so that
 * later texts get the codes of training. Codes are assigned by descending row count, ties by name: they
 * depend on the rows, but not on their order. Names are found by bisection. The statistic of a level is in
 * preprocess.h.
 */
#if !defined(SOOTH_PREPROCESS_LEVELS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_LEVELS_IMPLEMENTED))
#include "../base.h"
#include "../base/order.h"
#endif

#ifndef SOOTH_PREPROCESS_LEVELS_H
#define SOOTH_PREPROCESS_LEVELS_H
SOOTHI_C_BEGIN

#define SOOTH_LEVELS_VERSION 1
#define SOOTH_LEVELS_MAX 16777216u /* 2^24: every code is exact in a float */

/* The block. After this struct, for N levels of all columns together:
     words  sooth_levels_column column[features]
            uint32_t name[N]: offset of each name in the region of bytes
            uint32_t sorted[N]: codes of each column, ordered by name
            float statistic[N], with statistics
     bytes  the names, zero-terminated */
typedef struct sooth_levels {
    sooth_block head;    /* features and targets: columns of a row */
    uint32_t levels;     /* N */
    uint32_t statistics; /* 1 if levels are replaced by their statistics, 0 if by their codes */
    float prior;         /* p: the statistic of missing and unknown levels */
    /* 1: names are the texts of cells; 0: made by an earlier version, which named the cells of a column of
       numbers by their floats, 007 and 7.0 by 7 */
    uint32_t exact;
} sooth_levels;

typedef struct sooth_levels_column {
    uint32_t first;       /* its levels are first, first + 1, ... in the arrays */
    uint32_t count;       /* of its levels; all codes are smaller */
    uint32_t categorical; /* 0 for numeric columns, which stay unchanged; 1 for texts; 2 for values, which
                             have several spellings (see sooth_levels_code) */
    uint32_t lost;        /* levels dropped because of the budget, */
    uint32_t lost_rows;   /* and the rows that had them */
} sooth_levels_column;

/* ---- using: no allocation, no double ---- */

/* Returns true if bytes[0..size) begin with a valid block of this kind. The functions below then never read
   outside it. A checked one may come from anyone. */
SOOTH_API int sooth_levels_check(const void *bytes, size_t size);

/* Returns the descriptions of the head.features columns. */
SOOTH_API const sooth_levels_column *sooth_levels_columns(const sooth_levels *levels);

/* Returns the code of the level named text[0..size) in a column (from 0), as used in rows. The code of an
   unknown level is a NaN of its own: predictors treat it as missing, and sooth_model_trust finds it outside.
   Levels that were numbers are named like the output of sooth_text_from_float. In a column of values
   (imported models have them) every spelling of a number or of true and false is the same level: 40, 40.0 and
   4e1; True and TRUE. */
SOOTH_API float sooth_levels_code(const sooth_levels *levels, size_t column, const char *text, size_t size);

/* Returns the name of a code in a column (from 0), or NULL if no level has it. */
SOOTH_API const char *sooth_levels_name(const sooth_levels *levels, size_t column, float code);

/* Converts a row of codes to predictor input. With statistics each code becomes the statistic of its level.
   Without statistics, and in numeric columns, values are unchanged. row and out have head.features floats and
   may be the same. */
SOOTH_API void sooth_levels_apply(const sooth_levels *levels, const float *row, float *out);

/* Like sooth_levels_apply, for `rows` rows at a distance of `stride` floats. The rows of out are
   contiguous. */
SOOTH_API void sooth_levels_apply_many(const sooth_levels *levels, const float *x, size_t rows, size_t stride,
                                       float *out);

/* Returns the cost of one row. */
SOOTH_API sooth_cost sooth_levels_cost(const sooth_levels *levels);

/* ---- making one ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_levels_options {
    uint32_t max_bytes; /* budget of the block, statistics included; 0 means 65536 */
    double weight;      /* a; 0 means 1, as in CatBoost */
    uint32_t in_time; /* for sooth_levels_fit_statistics: 1 if rows are in order of time, that of table->time
                         if it is set; 0 for a random order */
    uint32_t seed;    /* of the random order */
} sooth_levels_options;

/* Makes the dictionary of the columns j with categorical[j]. text[j] holds the texts that the values 0, 1, 2,
   ... of column j index, as sooth_csv_data.text does. If text or text[j] is NULL, the values are numbers and
   named accordingly. NaN is not a level. The array out, rows x cols, receives the rows with codes in place of
   the values. It may be table->x if the stride is cols, or NULL. Targets are not used. Returns
   SOOTH_BAD_ARGUMENT if max_bytes cannot hold the columns, and SOOTH_BAD_DATA for infinite values or more
   than 2^31 rows. */
SOOTH_API sooth_status sooth_levels_fit(sooth_env *env, const sooth_table *table, const uint8_t *categorical,
                                        const char *const *const *text, const sooth_levels_options *options,
                                        float *out, sooth_levels **levels);

/* Learns statistics of the first target from rows of codes. Stores in *learned a copy of the dictionary with
   the statistics of all rows. The array out, rows x cols or NULL, receives the training rows: each level has
   the statistic of the rows before it. Rows count by their weights. levels must be fitted or checked. Returns
   SOOTH_BAD_ARGUMENT if the columns differ from the dictionary, and SOOTH_BAD_DATA without targets. */
SOOTH_API sooth_status sooth_levels_fit_statistics(sooth_env *env, const sooth_levels *levels,
                                                   const sooth_table *table,
                                                   const sooth_levels_options *options, float *out,
                                                   sooth_levels **learned);

/* Frees the result of sooth_levels_fit or sooth_levels_fit_statistics. NULL is valid. */
SOOTH_API void sooth_levels_free(sooth_env *env, sooth_levels *levels);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_levels_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_PREPROCESS_LEVELS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_LEVELS_IMPLEMENTED)
#define SOOTH_PREPROCESS_LEVELS_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_LEVELS_UNKNOWN_BITS 0x7FC00001u /* next to SOOTHI_MISSING_BITS */

enum {
    SOOTHI_LEVELS_VALUES = 2, /* categorical of a column of values */
    SOOTHI_LEVELS_VALUE = 64  /* bytes for a canonical spelling */
};

/* ---- layout of the block ---- */

SOOTH_API const sooth_levels_column *sooth_levels_columns(const sooth_levels *l) {
    return (const sooth_levels_column *)(const void *)(l + 1);
}

SOOTHI_LOCAL const uint32_t *soothi_levels_names(const sooth_levels *l) {
    return (const uint32_t *)(const void *)(sooth_levels_columns(l) + l->head.features);
}

SOOTHI_LOCAL const uint32_t *soothi_levels_sorted(const sooth_levels *l) {
    return soothi_levels_names(l) + l->levels;
}

SOOTHI_LOCAL const float *soothi_levels_statistics(const sooth_levels *l) {
    return (const float *)(const void *)(soothi_levels_sorted(l) + l->levels);
}

/* Returns the size in bytes of the words of this many levels. */
SOOTHI_LOCAL uint64_t soothi_levels_words(uint32_t features, uint64_t levels, uint32_t statistics) {
    return sizeof(sooth_levels) + (uint64_t)features * sizeof(sooth_levels_column) +
           levels * (8u + 4u * statistics);
}

SOOTHI_LOCAL const char *soothi_levels_text(const sooth_levels *l, uint32_t level) {
    return (const char *)l + l->head.bytes_at + soothi_levels_names(l)[level];
}

/* ---- check ---- */

/* Whether a value of a categorical column is missing, and not an unknown level. */
SOOTHI_LOCAL int soothi_levels_missing(float v) {
    return soothi_is_missing(v) && soothi_bits(v) != SOOTHI_LEVELS_UNKNOWN_BITS;
}

SOOTHI_LOCAL int soothi_levels_finite(float v) { return v - v <= 0.0f; }

SOOTHI_LOCAL int soothi_levels_column_check(const sooth_levels *l, const sooth_levels_column *c) {
    const uint32_t *name = soothi_levels_names(l), *sorted = soothi_levels_sorted(l);
    const uint32_t room = l->head.size - l->head.bytes_at;
    if (c->categorical > SOOTHI_LEVELS_VALUES || (!c->categorical && c->count)) return 0;
    for (uint32_t i = c->first; i < c->first + c->count; ++i)
        if (name[i] >= room || sorted[i] >= c->count ||
            (l->statistics && !soothi_levels_finite(soothi_levels_statistics(l)[i])))
            return 0;
    return 1;
}

SOOTH_API int sooth_levels_check(const void *bytes, size_t size) {
    const sooth_levels *l = (const sooth_levels *)bytes;
    uint32_t next = 0;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_LEVELS, SOOTH_LEVELS_VERSION) || l->head.size < sizeof *l)
        return 0;
    const uint64_t words = soothi_levels_words(l->head.features, l->levels, l->statistics & 1u);
    if (l->head.features == 0 || l->head.targets != l->head.features || l->levels > SOOTH_LEVELS_MAX ||
        l->statistics > 1 || l->exact > 1 || !soothi_levels_finite(l->prior) ||
        ((words + 15u) & ~(uint64_t)15u) != l->head.doubles_at || l->head.bytes_at != l->head.doubles_at ||
        (l->levels && (l->head.size == l->head.bytes_at || ((const char *)bytes)[l->head.size - 1u])))
        return 0;
    for (uint32_t j = 0; j < l->head.features; ++j) {
        const sooth_levels_column *c = sooth_levels_columns(l) + j;
        if (c->first != next || c->count > l->levels - next || !soothi_levels_column_check(l, c)) return 0;
        next += c->count;
    }
    return next == l->levels;
}

/* ---- using ---- */

/* Compares bytes: returns a value below 0 if name sorts before text[0..size), 0 if equal, above 0 if
   after. */
SOOTHI_LOCAL int soothi_levels_order(const char *name, const char *text, size_t size) {
    size_t i = 0;
    while (i < size && name[i] && name[i] == text[i]) ++i;
    if (i == size) return name[i] != 0;
    return (unsigned char)name[i] < (unsigned char)text[i] ? -1 : 1;
}

/* ---- values ---- */

/* Returns 1 if text[0..size) is this word, which is in small letters, in any case. */
SOOTHI_LOCAL int soothi_levels_word(const char *text, size_t size, const char *word) {
    size_t i = 0;
    while (i < size && word[i] && ((unsigned char)text[i] | 32u) == (unsigned char)word[i]) ++i;
    return i == size && !word[i];
}

/* The significant digits of a decimal number, which is 0.digits times 10^point. Zero has none. */
typedef struct soothi_levels_decimal {
    char digit[40];
    size_t digits;
    int32_t point;
} soothi_levels_decimal;

/* Reads digits with a decimal point and an exponent, without a sign. Returns 0 if text[0..size) is anything
   else, or has more than 40 significant digits. */
SOOTHI_LOCAL int soothi_levels_read(const char *text, size_t size, soothi_levels_decimal *d) {
    size_t i = 0, seen = 0;
    int32_t power = 0, sign = 1;
    int fraction = 0;
    memset(d, 0, sizeof *d);
    for (; i < size && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); ++i) {
        if (text[i] == '.') {
            if (fraction) return 0;
            fraction = 1;
            continue;
        }
        ++seen;
        if (d->digits || text[i] != '0') {
            if (d->digits == sizeof d->digit) return 0;
            d->digit[d->digits++] = text[i];
            d->point += !fraction;
        } else d->point -= fraction;
    }
    if (!seen) return 0;
    if (i < size) {
        if ((text[i] | 32) != 'e' || ++i == size) return 0;
        if (text[i] == '-' || text[i] == '+') sign = text[i++] == '-' ? -1 : 1;
        if (i == size) return 0;
        for (; i < size; ++i) {
            if (text[i] < '0' || text[i] > '9' || power > 9999) return 0;
            power = 10 * power + (text[i] - '0');
        }
    }
    d->point += sign * power;
    while (d->digits && d->digit[d->digits - 1] == '0') --d->digits;
    return 1;
}

/* Writes the canonical spelling of a number or of true and false, which all its spellings share. Returns its
   length; 0 if the text is neither. */
SOOTHI_LOCAL size_t soothi_levels_value(const char *text, size_t size, char value[SOOTHI_LEVELS_VALUE]) {
    soothi_levels_decimal d;
    size_t n = 0, k = 0;
    if (soothi_levels_word(text, size, "true")) return memcpy(value, "True", 5), 4;
    if (soothi_levels_word(text, size, "false")) return memcpy(value, "False", 6), 5;
    const int negative = size && text[0] == '-', skip = size && (text[0] == '-' || text[0] == '+');
    if (!soothi_levels_read(text + skip, size - (size_t)skip, &d)) return 0;
    if (d.digits == 0) return value[0] = '0', 1;
    if (negative) value[n++] = '-';
    int32_t power = d.point > 21 || d.point < -5 ? d.point - 1 : 0;
    int32_t place = power ? 1 : d.point; /* of the decimal point among the digits */
    if (place <= 0) value[n++] = '0';
    for (; place > 0; --place) value[n++] = k < d.digits ? d.digit[k++] : '0';
    if (k < d.digits) value[n++] = '.';
    for (; place < 0; ++place) value[n++] = '0';
    while (k < d.digits) value[n++] = d.digit[k++];
    if (!power) return n;
    value[n++] = 'e';
    if (power < 0) value[n++] = '-';
    if (power < 0) power = -power;
    place = 1;
    while (power / place >= 10) place *= 10;
    for (; place; place /= 10) value[n++] = (char)('0' + power / place % 10);
    return n;
}

SOOTH_API float sooth_levels_code(const sooth_levels *l, size_t column, const char *text, size_t size) {
    const sooth_levels_column *c = sooth_levels_columns(l) + column;
    const uint32_t *sorted = soothi_levels_sorted(l) + c->first;
    char value[SOOTHI_LEVELS_VALUE];
    uint32_t low = 0, high = c->count;
    const size_t canonical =
        c->categorical == SOOTHI_LEVELS_VALUES ? soothi_levels_value(text, size, value) : 0;
    if (canonical) {
        text = value;
        size = canonical;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = soothi_levels_order(soothi_levels_text(l, c->first + sorted[middle]), text, size);
        if (order == 0) return (float)sorted[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return soothi_of_bits(SOOTHI_LEVELS_UNKNOWN_BITS);
}

SOOTH_API const char *sooth_levels_name(const sooth_levels *l, size_t column, float code) {
    const sooth_levels_column *c = sooth_levels_columns(l) + column;
    if (!(code >= 0.0f && code < (float)c->count)) return NULL;
    return soothi_levels_text(l, c->first + (uint32_t)code);
}

SOOTHI_LOCAL float soothi_levels_apply_one(const sooth_levels *l, size_t column, float value) {
    const sooth_levels_column *c = sooth_levels_columns(l) + column;
    if (!l->statistics || !c->categorical) return value;
    if (!(value >= 0.0f && value < (float)c->count)) return l->prior;
    return soothi_levels_statistics(l)[c->first + (uint32_t)value];
}

SOOTH_API void sooth_levels_apply(const sooth_levels *l, const float *row, float *out) {
    for (size_t j = 0; j < l->head.features; ++j) out[j] = soothi_levels_apply_one(l, j, row[j]);
}

SOOTH_API void sooth_levels_apply_many(const sooth_levels *l, const float *x, size_t rows, size_t stride,
                                       float *out) {
    for (size_t i = 0; i < rows; ++i) sooth_levels_apply(l, x + i * stride, out + i * l->head.features);
}

SOOTH_API sooth_cost sooth_levels_cost(const sooth_levels *l) {
    sooth_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.bytes = l->head.size;
    if (l->statistics) cost.comparisons = 2u * l->head.features;
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- a dictionary ---- */

SOOTH_API sooth_option_list sooth_levels_options_list(void) {
    typedef sooth_levels_options T;
    static const sooth_option options[] = {
        SOOTHI_COUNT(T, max_bytes, 1, UINT32_MAX / 2, 65536, "maximum size of the block in bytes"),
        SOOTHI_NUMBER(T, weight, 1e-6, 1e9, 1, "weight of the mean of all targets, in values"),
        SOOTHI_FLAG(T, in_time, "1 if rows are in order of time, 0 for a random order"),
        SOOTHI_COUNT(T, seed, 0, UINT32_MAX, 0, "seed of the random order"),
    };
    return SOOTHI_OPTIONS(options);
}

/* A level found in the rows. */
typedef struct soothi_levels_found {
    const char *name;
    uint32_t column, rows;
    float code; /* NaN if dropped */
} soothi_levels_found;

typedef struct soothi_levels_work {
    const sooth_table *table;
    const uint8_t *categorical;
    uint64_t *entry, *scratch;  /* per row, of one column; per level */
    size_t room;                /* capacity of both */
    soothi_levels_found *level; /* by column, then by value */
    char *number;               /* SOOTH_TEXT_NUMBER_SIZE bytes for the name of each level */
    uint32_t *by_name, *spare;  /* levels by column, then by name */
    size_t levels;
} soothi_levels_work;

/* Sorts the values of a column that are not missing; returns their number. */
SOOTHI_LOCAL size_t soothi_levels_values(const soothi_levels_work *w, size_t j) {
    const sooth_table *t = w->table;
    size_t n = 0;
    for (size_t i = 0; i < t->rows; ++i) {
        const float v = t->x[i * t->stride + j];
        if (!soothi_nan((double)v)) w->entry[n++] = soothi_entry(v, i);
    }
    soothi_entry_sort(w->entry, w->scratch, n);
    return n;
}

/* Returns the number of rows from entry[i] on with the same value. */
SOOTHI_LOCAL size_t soothi_levels_run(const soothi_levels_work *w, size_t i, size_t n) {
    const uint32_t key = soothi_entry_key(w->entry[i]);
    size_t run = 1;
    while (i + run < n && soothi_entry_key(w->entry[i + run]) == key) ++run;
    return run;
}

SOOTHI_LOCAL size_t soothi_levels_count(const soothi_levels_work *w) {
    size_t levels = 0;
    for (size_t j = 0; j < w->table->cols; ++j) {
        const size_t n = w->categorical[j] ? soothi_levels_values(w, j) : 0;
        for (size_t i = 0; i < n; i += soothi_levels_run(w, i, n)) ++levels;
    }
    return levels;
}

SOOTHI_LOCAL void soothi_levels_find(soothi_levels_work *w, const char *const *const *text) {
    soothi_levels_found *level = w->level;
    for (size_t j = 0; j < w->table->cols; ++j) {
        const size_t n = w->categorical[j] ? soothi_levels_values(w, j) : 0;
        for (size_t i = 0, run; i < n; i += run, ++level) {
            const float value = soothi_key_value(soothi_entry_key(w->entry[i]));
            char *number = w->number + (size_t)(level - w->level) * SOOTH_TEXT_NUMBER_SIZE;
            run = soothi_levels_run(w, i, n);
            level->column = (uint32_t)j;
            level->rows = (uint32_t)run;
            level->code = soothi_of_bits(SOOTHI_LEVELS_UNKNOWN_BITS);
            level->name = number;
            if (text && text[j]) level->name = text[j][(size_t)value];
            else sooth_text_from_float(number, value);
        }
    }
}

SOOTHI_LOCAL int soothi_levels_before(const soothi_levels_work *w, uint32_t a, uint32_t b) {
    const soothi_levels_found *x = w->level + a, *y = w->level + b;
    if (x->column != y->column) return x->column < y->column;
    return soothi_levels_order(x->name, y->name, soothi_text_length(y->name)) < 0;
}

/* Sorts by_name, merging runs of 1, 2, 4, ... levels. */
SOOTHI_LOCAL void soothi_levels_sort(soothi_levels_work *w) {
    const size_t n = w->levels;
    for (size_t i = 0; i < n; ++i) w->by_name[i] = (uint32_t)i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            const size_t middle = begin + width < n ? begin + width : n;
            const size_t end = middle + width < n ? middle + width : n;
            size_t a = begin, b = middle;
            for (size_t to = begin; to < end; ++to) {
                const int second =
                    a == middle || (b < end && soothi_levels_before(w, w->by_name[b], w->by_name[a]));
                w->spare[to] = second ? w->by_name[b++] : w->by_name[a++];
            }
        }
        uint32_t *sorted = w->spare;
        w->spare = w->by_name;
        w->by_name = sorted;
    }
}

/* Orders the levels by descending row count, ties by column and name. */
SOOTHI_LOCAL void soothi_levels_rank(soothi_levels_work *w) {
    for (size_t i = 0; i < w->levels; ++i)
        w->entry[i] = (uint64_t)(UINT32_MAX - w->level[w->by_name[i]].rows) << 32 | w->by_name[i];
    soothi_entry_sort(w->entry, w->scratch, w->levels);
}

/* Returns the number of ranked levels that fit into max_bytes; *names receives the size of their names. */
SOOTHI_LOCAL size_t soothi_levels_fitting(const soothi_levels_work *w, uint32_t cols, uint32_t max_bytes,
                                          size_t *names) {
    size_t n = 0, bytes = 0;
    for (*names = 0; n < w->levels && n < SOOTH_LEVELS_MAX; ++n, *names = bytes) {
        bytes += soothi_text_length(w->level[soothi_entry_row(w->entry[n])].name) + 1;
        const uint64_t words = soothi_levels_words(cols, n + 1, 1);
        if (((words + 15u) & ~(uint64_t)15u) + soothi_round16(bytes) > max_bytes) break;
    }
    return n;
}

/* Assigns codes to the first `kept` ranked levels and writes all levels to the block. */
SOOTHI_LOCAL void soothi_levels_enter(soothi_levels_work *w, size_t kept, sooth_levels *l) {
    sooth_levels_column *column = (sooth_levels_column *)(void *)(l + 1);
    uint32_t *name = (uint32_t *)(void *)(column + l->head.features), *sorted = name + l->levels, next = 0;
    char *bytes = (char *)l + l->head.bytes_at, *at = bytes;
    for (size_t k = 0; k < w->levels; ++k) {
        soothi_levels_found *level = w->level + soothi_entry_row(w->entry[k]);
        sooth_levels_column *c = column + level->column;
        if (k < kept) {
            level->code = (float)c->count++;
        } else {
            ++c->lost;
            c->lost_rows += level->rows;
        }
    }
    for (uint32_t j = 0; j < l->head.features; ++j) {
        column[j].categorical = w->categorical[j] != 0;
        column[j].first = next;
        next += column[j].count;
    }
    for (size_t k = 0, i = 0; k < w->levels; ++k) { /* levels with a code are adjacent here, too */
        const soothi_levels_found *level = w->level + w->by_name[k];
        if (!soothi_nan((double)level->code)) sorted[i++] = (uint32_t)level->code;
    }
    for (size_t k = 0; k < kept; ++k) {
        const soothi_levels_found *level = w->level + soothi_entry_row(w->entry[k]);
        const size_t length = soothi_text_length(level->name) + 1;
        name[column[level->column].first + (uint32_t)level->code] = (uint32_t)(at - bytes);
        memcpy(at, level->name, length);
        at += length;
    }
}

/* Writes the rows with codes. */
SOOTHI_LOCAL void soothi_levels_write(const soothi_levels_work *w, float *out) {
    const sooth_table *t = w->table;
    const soothi_levels_found *level = w->level;
    for (size_t j = 0; j < t->cols; ++j) {
        const size_t n = w->categorical[j] ? soothi_levels_values(w, j) : 0;
        for (size_t i = 0; i < t->rows; ++i) out[i * t->cols + j] = t->x[i * t->stride + j];
        for (size_t i = 0, run; i < n; i += run, ++level) {
            run = soothi_levels_run(w, i, n);
            for (size_t k = i; k < i + run; ++k) {
                const float v = level->code; /* one NaN for all without a code */
                out[soothi_entry_row(w->entry[k]) * t->cols + j] = v;
            }
        }
    }
}

/* Makes the block of the levels, which are found, and gives them their codes. */
SOOTHI_LOCAL sooth_status soothi_levels_make(sooth_env *env, soothi_levels_work *w, uint32_t cols,
                                             uint32_t max_bytes, sooth_levels **levels) {
    size_t names;
    soothi_levels_sort(w);
    soothi_levels_rank(w);
    const size_t kept = soothi_levels_fitting(w, cols, max_bytes, &names);
    const size_t words = (size_t)soothi_levels_words(cols, kept, 0);
    sooth_levels *l =
        (sooth_levels *)soothi_block_new(env, SOOTH_KIND_LEVELS, SOOTH_LEVELS_VERSION, words, 0, names);
    if (!l) return sooth_no_memory(env, "the names of levels", words + names);
    l->head.features = l->head.targets = cols;
    l->levels = (uint32_t)kept;
    l->exact = 1;
    soothi_levels_enter(w, kept, l);
    soothi_block_seal(&l->head);
    *levels = l;
    return SOOTH_OK;
}

/* Resolves the options, and checks that the budget holds the columns. */
SOOTHI_LOCAL sooth_status soothi_levels_accept(sooth_env *env, const sooth_levels_options *options,
                                               size_t cols, sooth_levels_options *o) {
    const sooth_status status =
        soothi_options_resolve(env, sooth_levels_options_list(), options, sizeof *o, o);
    const uint64_t least = (soothi_levels_words((uint32_t)cols, 0, 1) + 15u) & ~(uint64_t)15u;
    if (status != SOOTH_OK || least <= o->max_bytes) return status;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "max_bytes is %u, but %z columns need at least %z bytes",
                      o->max_bytes, cols, (size_t)least);
}

/* Makes a dictionary of counted levels, like sooth_levels_fit. level[0..count) are by column, with names and
   numbers of rows; they get their codes. */
SOOTHI_LOCAL sooth_status soothi_levels_from_counts(sooth_env *env, const uint8_t *categorical, size_t cols,
                                                    soothi_levels_found *level, size_t count,
                                                    const sooth_levels_options *options,
                                                    sooth_levels **levels) {
    const size_t each = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t);
    soothi_levels_work w;
    sooth_levels_options o;
    *levels = NULL;
    sooth_status status = soothi_levels_accept(env, options, cols, &o);
    if (status != SOOTH_OK) return status;
    memset(&w, 0, sizeof w);
    w.categorical = categorical;
    w.level = level;
    w.levels = count;
    w.entry = (uint64_t *)sooth_alloc(env, count + 1, each);
    if (!w.entry) return sooth_no_memory(env, "the levels", soothi_product(count + 1, each));
    w.scratch = w.entry + count + 1;
    w.by_name = (uint32_t *)(void *)(w.scratch + count + 1);
    w.spare = w.by_name + count + 1;
    void *const memory = w.entry;
    status = soothi_levels_make(env, &w, (uint32_t)cols, o.max_bytes, levels);
    sooth_free(env, memory, count + 1, each);
    return status;
}

SOOTH_API sooth_status sooth_levels_fit(sooth_env *env, const sooth_table *table, const uint8_t *categorical,
                                        const char *const *const *text, const sooth_levels_options *options,
                                        float *out, sooth_levels **levels) {
    soothi_levels_work w;
    sooth_levels_options o;
    sooth_table numbers = *table;
    *levels = NULL;
    numbers.categorical = NULL; /* values are not codes yet */
    sooth_status status = soothi_levels_accept(env, options, table->cols, &o);
    if (status == SOOTH_OK) status = sooth_table_check(env, &numbers, SOOTH_TABLE_ALLOW_MISSING);
    if (status != SOOTH_OK) return status;
    memset(&w, 0, sizeof w);
    w.table = &numbers;
    w.categorical = categorical;
    w.room = table->rows;
    w.entry = (uint64_t *)sooth_alloc(env, w.room, 2 * sizeof *w.entry);
    if (!w.entry) return sooth_no_memory(env, "the levels", soothi_product(w.room, 2 * sizeof *w.entry));
    w.scratch = w.entry + w.room;
    w.levels = soothi_levels_count(&w);
    if (w.levels > w.room) { /* of several columns */
        sooth_free(env, w.entry, w.room, 2 * sizeof *w.entry);
        w.room = w.levels;
        w.entry = (uint64_t *)sooth_alloc(env, w.room, 2 * sizeof *w.entry);
        w.scratch = w.entry + w.room;
    }
    const size_t each = sizeof *w.level + SOOTH_TEXT_NUMBER_SIZE + 2 * sizeof *w.by_name;
    w.level = w.entry ? (soothi_levels_found *)sooth_alloc(env, w.levels + 1, each) : NULL;
    if (w.level) {
        w.number = (char *)(w.level + w.levels + 1);
        w.by_name = (uint32_t *)(void *)(w.number + (w.levels + 1) * SOOTH_TEXT_NUMBER_SIZE);
        w.spare = w.by_name + w.levels + 1;
        soothi_levels_find(&w, text);
        status = soothi_levels_make(env, &w, (uint32_t)table->cols, o.max_bytes, levels);
        if (status == SOOTH_OK && out) soothi_levels_write(&w, out);
        sooth_free(env, w.level, w.levels + 1, each);
    } else status = sooth_no_memory(env, "the levels", soothi_product(w.levels + 1, each));
    sooth_free(env, w.entry, w.room, 2 * sizeof *w.entry);
    return status;
}

/* Makes a dictionary of given names. level[0..count) are by column, and by code in a column. kind[j] is
   `categorical` of column j. Returns SOOTH_BAD_TEXT if two names of a column are equal. */
SOOTHI_LOCAL sooth_status soothi_levels_from_names(sooth_env *env, const uint8_t *kind, uint32_t cols,
                                                   soothi_levels_found *level, size_t count,
                                                   sooth_levels **levels) {
    soothi_levels_work w;
    size_t names = 0;
    *levels = NULL;
    memset(&w, 0, sizeof w);
    if (count > SOOTH_LEVELS_MAX) return sooth_fail(env, SOOTH_BAD_TEXT, "there are %z categories", count);
    w.categorical = kind;
    w.level = level;
    w.levels = count;
    w.entry = (uint64_t *)sooth_alloc(env, count + 1, sizeof *w.entry + 2 * sizeof *w.by_name);
    if (!w.entry) return sooth_no_memory(env, "the names of levels", soothi_product(count + 1, 16));
    w.by_name = (uint32_t *)(void *)(w.entry + count + 1);
    w.spare = w.by_name + count + 1;
    for (size_t i = 0; i < count; ++i) {
        w.entry[i] = i; /* the rank */
        names += soothi_text_length(level[i].name) + 1;
    }
    soothi_levels_sort(&w);
    sooth_status status = SOOTH_OK;
    for (size_t i = 1; i < count && status == SOOTH_OK; ++i) {
        const soothi_levels_found *a = level + w.by_name[i - 1], *b = level + w.by_name[i];
        if (a->column == b->column && soothi_same_text(a->name, b->name))
            status =
                sooth_fail(env, SOOTH_BAD_TEXT, "feature %u has the category %s twice", a->column, a->name);
    }
    const size_t words = (size_t)soothi_levels_words(cols, count, 0);
    sooth_levels *l = NULL;
    if (status == SOOTH_OK) {
        l = (sooth_levels *)soothi_block_new(env, SOOTH_KIND_LEVELS, SOOTH_LEVELS_VERSION, words, 0, names);
        if (!l) status = sooth_no_memory(env, "the names of levels", words + names);
    }
    if (l) {
        l->head.features = l->head.targets = cols;
        l->levels = (uint32_t)count;
        l->exact = 1;
        soothi_levels_enter(&w, count, l);
        for (uint32_t j = 0; j < cols; ++j) ((sooth_levels_column *)(void *)(l + 1))[j].categorical = kind[j];
        soothi_block_seal(&l->head);
    }
    sooth_free(env, w.entry, count + 1, sizeof *w.entry + 2 * sizeof *w.by_name);
    *levels = l;
    return status;
}

SOOTH_API void sooth_levels_free(sooth_env *env, sooth_levels *l) {
    soothi_block_free(env, l ? &l->head : NULL);
}

/* ---- statistics ---- */

/* Sums of each level over the rows so far. */
typedef struct soothi_levels_sums {
    double *sum, *count; /* per level */
    double prior, weight;
} soothi_levels_sums;

SOOTHI_LOCAL float soothi_levels_statistic(const soothi_levels_sums *s, uint32_t level) {
    const double drawn = soothi_rounded(s->weight * s->prior);
    return (float)((s->sum[level] + drawn) / (s->count[level] + s->weight));
}

/* Encodes and learns the rows in the given order (NULL means table order). */
SOOTHI_LOCAL void soothi_levels_rows(const sooth_levels *l, const sooth_table *t, const uint32_t *order,
                                     soothi_levels_sums *s, float *out) {
    const sooth_levels_column *column = sooth_levels_columns(l);
    for (size_t k = 0; k < t->rows; ++k) {
        const size_t i = order ? order[k] : k;
        const double w = t->weight ? (double)t->weight[i] : 1.0;
        const double add = soothi_rounded(w * (double)t->y[i * t->targets]);
        for (size_t j = 0; j < t->cols; ++j) {
            const float v = t->x[i * t->stride + j];
            const int known = v >= 0.0f && v < (float)column[j].count;
            const uint32_t level = known ? column[j].first + (uint32_t)v : 0;
            if (out)
                out[i * t->cols + j] = !column[j].categorical ? v
                                       : known                ? soothi_levels_statistic(s, level)
                                                              : (float)s->prior;
            if (!known) continue;
            s->sum[level] += add;
            s->count[level] += w;
        }
    }
}

/* Returns the mean of the targets. */
SOOTHI_LOCAL double soothi_levels_prior(const sooth_table *t) {
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < t->rows; ++i) {
        const double w = t->weight ? (double)t->weight[i] : 1.0;
        sum += soothi_rounded(w * (double)t->y[i * t->targets]);
        count += w;
    }
    return sum / count; /* tables with all weights 0 were refused */
}

/* Copies the dictionary and adds space for statistics. */
SOOTHI_LOCAL sooth_levels *soothi_levels_copy(sooth_env *env, const sooth_levels *from) {
    const uint32_t features = from->head.features, levels = from->levels;
    const size_t words = (size_t)soothi_levels_words(features, levels, 0);
    const size_t names = from->head.size - from->head.bytes_at;
    sooth_levels *to =
        (sooth_levels *)soothi_block_new(env, SOOTH_KIND_LEVELS, SOOTH_LEVELS_VERSION,
                                         (size_t)soothi_levels_words(features, levels, 1), 0, names);
    if (!to) return NULL;
    memcpy(to + 1, from + 1, words - sizeof *from);
    memcpy((char *)to + to->head.bytes_at, (const char *)from + from->head.bytes_at, names);
    to->head.features = to->head.targets = features;
    to->levels = levels;
    to->statistics = 1;
    to->exact = from->exact;
    return to;
}

SOOTH_API sooth_status sooth_levels_fit_statistics(sooth_env *env, const sooth_levels *levels,
                                                   const sooth_table *table,
                                                   const sooth_levels_options *options, float *out,
                                                   sooth_levels **learned) {
    soothi_levels_sums s;
    sooth_levels_options o;
    uint32_t *order = NULL;
    *learned = NULL;
    sooth_status status = soothi_options_resolve(env, sooth_levels_options_list(), options, sizeof o, &o);
    if (status == SOOTH_OK)
        status = sooth_table_check(
            env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status != SOOTH_OK) return status;
    if (table->cols != levels->head.features)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the table has %z columns, but the dictionary has %u",
                          table->cols, levels->head.features);
    const size_t n = (size_t)levels->levels + 1;
    sooth_levels *made = soothi_levels_copy(env, levels);
    s.sum = (double *)sooth_alloc(env, n, 2 * sizeof(double));
    if (!o.in_time) order = soothi_random_order(env, table->rows, o.seed);
    else if (table->time) order = soothi_time_order(env, table);
    if (made && s.sum && (order || (o.in_time && !table->time))) {
        memset(s.sum, 0, n * 2 * sizeof(double));
        s.count = s.sum + n;
        s.weight = o.weight;
        s.prior = soothi_levels_prior(table);
        soothi_levels_rows(levels, table, order, &s, out);
        float *statistic = (float *)(void *)(uintptr_t)soothi_levels_statistics(made);
        for (uint32_t i = 0; i < made->levels; ++i) statistic[i] = soothi_levels_statistic(&s, i);
        made->prior = (float)s.prior;
        soothi_block_seal(&made->head);
        *learned = made;
    } else {
        status = sooth_no_memory(env, "the statistics of levels", soothi_product(n, 2 * sizeof(double)));
        sooth_levels_free(env, made);
    }
    sooth_free(env, order, table->rows, sizeof *order);
    sooth_free(env, s.sum, n, 2 * sizeof(double));
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
