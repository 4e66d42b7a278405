/* tree/columns.h - the columns of a table, sorted or cut into bins, once for any number of trees.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Trees test every column many times: which rows are at most this value? This part prepares the columns for
 * that. tree/grow.h builds on it, and forest.h and boost.h use its sorted entries.
 *
 *   key      a float as an unsigned integer in the same order; NaN is the largest
 *   entry    key << 32 | row: sorting entries sorts the rows of a column
 *   exact    a column is the list of its entries, ascending
 *   binned   a column is one byte per row, the index of its bin. It has one bin per distinct value if these
 *            are few; otherwise bins of about equal counts (Li, Burges, Wu: McRank, NIPS 2007)
 *
 * soothi_columns_layout carves the memory of the columns, soothi_columns_prepare fills it:
 *
 *     soothi_columns c = soothi_columns_of(n, n, d, 256);
 *     soothi_columns_layout(&carver, &c, 1);
 *     soothi_columns_prepare(env, workers, &c, scratch, soothi_columns_scratch(&c, workers), table);
 *
 * If there are fewer columns than workers, or a last few are left, several workers sort one column.
 *
 * Categorical columns. Their values are codes 0, 1, 2, ... without an order: users, queues, devices. A tree
 * tests if a code is in a set.
 *
 *   level    a code that some training row of weight above 0 has
 *   class    an integer below 256, the key and bin of a level. Every level has its own, in the order of the
 *            codes. If there are more levels than classes, the most frequent ones (of equal ones the lower
 *            codes) have their own, and all others share the last class
 *   set      one bit per class: those that go left; in a model one bit per code
 *
 * The best of the 2^(k-1) - 1 ways to split k classes is found as follows. Sort them by the mean of their
 * targets and try only the k - 1 cuts between neighbours. For one target and squared error no other set is
 * better (Fisher: On grouping for maximum homogeneity, JASA 53, 1958). The same holds for any impurity that
 * is a concave function of the mean (Breiman, Friedman, Olshen, Stone: Classification and Regression Trees,
 * 1984, theorem 9.6), such as the Poisson deviance. With second derivatives, G / H is the mean of the targets
 * -g / h with weights h, so the cuts are optimal without penalties. LightGBM and XGBoost do the same with
 * penalties.
 *
 * Cost for n rows, d columns, w workers: O(d n) time (radix sort). Memory: exact 8 d n bytes, twice that
 * while sorting; binned d n bytes (2 d n with by_row), 16 w n while sorting; 11 KB of stack with several
 * workers. A categorical column of k levels and a largest code c: O(256 k) more if levels share a class, and
 * 2 c bytes; O(k log k) per search in addition to its sums, and 32 bytes per node of a growing tree.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_COLUMNS_IMPLEMENTED)
#define SOOTH_TREE_COLUMNS_IMPLEMENTED
#include "../base.h"
SOOTHI_C_BEGIN

/* Prefetches a cache line. */
#if defined(__GNUC__) || defined(__clang__)
#define SOOTHI_PREFETCH(p) __builtin_prefetch(p)
#else
#define SOOTHI_PREFETCH(p) (void)0
#endif

/* ---- the sets of a model ---- */

/* The sets of a model and their words. v is in a set if bit c % 32 of its word c / 32 is 1; c is v
   truncated. */
typedef struct soothi_sets {
    const uint32_t *first; /* offset of each set in the words, then the end; NULL: no sets */
    const uint32_t *word;
    float from; /* values below it are in no set */
} soothi_sets;

/* Returns 1 if the value v is in this set. Categories beyond its words are not. */
SOOTHI_LOCAL int soothi_sets_contain(const soothi_sets *sets, uint32_t set, float v) {
    const uint32_t first = sets->first[set], words = sets->first[set + 1] - first;
    if (!(v >= sets->from && v < 4294967296.0f)) return 0;
    const uint32_t category = (uint32_t)v;
    return category / 32 < words && (sets->word[first + category / 32] >> (category & 31u) & 1u);
}

/* Returns 1 if the sets are contiguous and fill the words. */
SOOTHI_LOCAL int soothi_sets_are_valid(const uint32_t *first, uint32_t sets, uint32_t words) {
    for (uint32_t k = 1; k < sets; ++k)
        if (first[k] > first[k + 1]) return 0;
    return first[0] == 0 && first[sets] == words;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- classes of a categorical column ---- */

#define SOOTHI_CATEGORIES_CLASSES 256u
#define SOOTHI_CATEGORIES_WORDS (SOOTHI_CATEGORIES_CLASSES / 32u) /* words of a set of classes */
#define SOOTHI_CATEGORIES_UNSEEN 0xFFFFu                          /* class of a code that is not a level */

/* The classes of all categorical columns of a table. */
typedef struct soothi_categories {
    const uint8_t *categorical; /* cols: the table's array; NULL: no categorical columns and no memory */
    size_t cols, codes;         /* codes: number of codes of all columns, each up to its largest */
    uint32_t *first;            /* cols + 1: offset of each column's codes; other columns have none */
    uint32_t *classes;          /* cols: number of classes */
    uint16_t *of;               /* codes: the class of each */
    const sooth_bins *ready;    /* owner of first, classes and of; NULL: they are computed */
} soothi_categories;

/* Returns 1 if this column is categorical. */
SOOTHI_LOCAL int soothi_categories_has(const soothi_categories *c, size_t column) {
    return c->categorical && c->categorical[column];
}

/* Returns the largest code of a column + 1. */
SOOTHI_LOCAL uint32_t soothi_categories_end(const sooth_table *table, size_t column) {
    uint32_t end = 1;
    for (size_t i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + column];
        if (v >= (float)end) end = (uint32_t)v + 1;
    }
    return end;
}

/* Returns the sizes for the columns of a checked table. */
SOOTHI_LOCAL soothi_categories soothi_categories_of(const sooth_table *table) {
    soothi_categories c;
    memset(&c, 0, sizeof c);
    for (size_t j = 0; j < table->cols; ++j)
        if (table->categorical && table->categorical[j]) {
            c.categorical = table->categorical;
            c.codes += table->bins ? 0 : soothi_categories_end(table, j);
        }
    c.cols = table->cols;
    c.ready = table->bins;
    return c;
}

/* Sets sizes and, if m has memory, pointers. */
SOOTHI_LOCAL void soothi_categories_layout(soothi_carver *m, soothi_categories *c) {
    if (!c->categorical) return;
    if (c->ready) { /* read only */
        c->first = (uint32_t *)(uintptr_t)c->ready->first;
        c->classes = (uint32_t *)(uintptr_t)c->ready->used;
        c->of = (uint16_t *)(uintptr_t)c->ready->classes;
        return;
    }
    c->first = (uint32_t *)soothi_carve(m, c->cols + 1, sizeof(uint32_t));
    c->classes = (uint32_t *)soothi_carve(m, c->cols, sizeof(uint32_t));
    c->of = (uint16_t *)soothi_carve(m, c->codes, sizeof(uint16_t));
}

/* Sets the offset of every column's codes, once memory is allocated. */
SOOTHI_LOCAL void soothi_categories_begin(soothi_categories *c, const sooth_table *table) {
    uint32_t at = 0;
    if (!c->categorical || c->ready) return;
    for (size_t j = 0; j < c->cols; ++j) {
        c->first[j] = at;
        c->classes[j] = 0;
        if (c->categorical[j]) at += soothi_categories_end(table, j);
    }
    c->first[c->cols] = at;
    memset(c->of, 255, c->codes * sizeof *c->of);
}

/* Returns the class of a value that is not missing. */
SOOTHI_LOCAL uint32_t soothi_categories_class(const soothi_categories *c, size_t column, float value) {
    const uint32_t first = c->first[column];
    if (!(value < (float)(c->first[column + 1] - first))) return SOOTHI_CATEGORIES_UNSEEN;
    return c->of[first + (uint32_t)value];
}

/* Chooses the classes of a column, at most `limit`, given its levels: level[k] is rows << 32 | code. Changes
   the order of the levels. */
SOOTHI_LOCAL void soothi_categories_assign(soothi_categories *c, size_t column, uint64_t *level,
                                           size_t levels, size_t limit) {
    uint16_t *of = c->of + c->first[column];
    const size_t own = levels > limit ? limit - 1 : levels;
    for (size_t b = 0; b < own; ++b) { /* 0 marks a class of its own */
        size_t most = b;
        for (size_t k = b + 1; k < levels && own < levels; ++k) {
            const uint64_t rows = level[k] >> 32, best = level[most] >> 32;
            if (rows > best || (rows == best && (uint32_t)level[k] < (uint32_t)level[most])) most = k;
        }
        of[(uint32_t)level[most]] = 0;
        const uint64_t other = level[b];
        level[b] = level[most];
        level[most] = other;
    }
    uint16_t next = 0;
    for (size_t k = 0; k < c->first[column + 1] - c->first[column]; ++k)
        if (of[k] == 0) of[k] = next++;
    for (size_t b = own; b < levels; ++b) of[(uint32_t)level[b]] = next;
    c->classes[column] = (uint32_t)own + (own < levels);
}

/* Chooses the classes of a column, at most `limit`. Its entries are sorted and have codes as keys; those of
   missing values come after the first `present`. spare: scratch of the same size. Replaces the keys by
   classes and sorts the entries again. */
SOOTHI_LOCAL void soothi_categories_choose(soothi_categories *c, size_t column, uint64_t *list,
                                           size_t present, size_t limit, uint64_t *spare) {
    const uint16_t *of = c->of + c->first[column];
    size_t levels = 0;
    for (size_t k = 0; k < present; ++k) {
        if (k == 0 || (list[k] ^ list[k - 1]) >> 32 != 0) spare[levels++] = soothi_entry_key(list[k]);
        spare[levels - 1] += (uint64_t)1 << 32;
    }
    soothi_categories_assign(c, column, spare, levels, limit);
    for (size_t k = 0; k < present; ++k)
        list[k] = (uint64_t)of[soothi_entry_key(list[k])] << 32 | soothi_entry_row(list[k]);
    if (c->classes[column] < levels) soothi_entry_sort(list, spare, present);
}

/* ---- sets ---- */

SOOTHI_LOCAL int soothi_categories_in(const uint32_t *set, uint32_t number) {
    return (int)(set[number / 32] >> (number & 31u) & 1u);
}

SOOTHI_LOCAL void soothi_categories_put(uint32_t *set, uint32_t number) {
    set[number / 32] |= 1u << (number & 31u);
}

/* Returns 1 if the level of this value, which is not missing, is in a set of classes. Levels not seen in
   training are not. */
SOOTHI_LOCAL int soothi_categories_goes_left(const soothi_categories *c, size_t column, const uint32_t *set,
                                             float value) {
    const uint32_t own = soothi_categories_class(c, column, value);
    return own != SOOTHI_CATEGORIES_UNSEEN && soothi_categories_in(set, own);
}

/* Writes a set of classes as a set of codes to word[], which must be 0, and returns its number of words. word
   NULL: only counts the words. */
SOOTHI_LOCAL uint32_t soothi_categories_codes(const soothi_categories *c, size_t column, const uint32_t *set,
                                              uint32_t *word) {
    const uint32_t codes = c->first[column + 1] - c->first[column];
    uint32_t words = 0;
    for (uint32_t code = 0; code < codes; ++code) {
        const uint32_t own = c->of[c->first[column] + code];
        if (own == SOOTHI_CATEGORIES_UNSEEN || !soothi_categories_in(set, own)) continue;
        words = code / 32 + 1;
        if (word) soothi_categories_put(word, code);
    }
    return words;
}

/* Sorts integers by their statistic, then by value (Shell: A high-speed sorting procedure, CACM 2, 1959). */
SOOTHI_LOCAL void soothi_categories_sort(uint32_t *number, size_t count, const double *statistic) {
    for (size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < count; ++i) {
            const uint32_t moved = number[i];
            size_t k = i;
            for (; k >= gap; k -= gap) {
                const uint32_t other = number[k - gap];
                if (statistic[other] < statistic[moved] ||
                    (!(statistic[other] > statistic[moved]) && other < moved))
                    break;
                number[k] = other;
            }
            number[k] = moved;
        }
}

/* ---- columns ---- */

#define SOOTHI_COLUMNS_TASK 4096u   /* min values of one task */
#define SOOTHI_COLUMNS_ALONE 65536u /* values (rows x columns) below which one worker is faster */

/* The columns of a table, prepared once for any number of trees. */
typedef struct soothi_columns {
    size_t rows, cols;
    size_t entries; /* rows in the lists (weight above 0); bins have all rows */
    size_t stride;  /* entries between the starts of lists */
    uint32_t bins;  /* max bins per column; 0 means exact */
    uint32_t cells; /* binned: bins and one for missing values; at most 256 */
    /* exact */
    uint64_t *list; /* cols x stride: every column's entries, ascending */
    /* binned; a missing value has the bin used[column] */
    unsigned char *bin;    /* cols x rows */
    unsigned char *by_row; /* rows x cols, a transposed copy; NULL: not needed */
    size_t record;         /* bytes between the rows of by_row: cols or more */
    float *edge;           /* cols x bins: x <= edge[b] if its bin is at most b */
    float *least;          /* cols x bins: minimum of each bin; NULL: not needed */
    uint32_t *used;        /* cols: number of bins with values */
    soothi_categories categories;
    const sooth_bins *ready; /* owner of bin, edge, least and used; NULL: they are computed */
} soothi_columns;

/* Entries between the starts of lists: an odd number of cache lines, so that columns do not compete for the
   same cache sets. */
SOOTHI_LOCAL size_t soothi_columns_stride(size_t rows) { return rows < 64 ? rows : ((rows + 7) / 8 | 1) * 8; }

/* Returns columns of this shape, without memory. entries: rows of weight above 0; bins: maximum, or 0. */
SOOTHI_LOCAL soothi_columns soothi_columns_of(size_t rows, size_t entries, size_t cols, uint32_t bins) {
    soothi_columns c;
    memset(&c, 0, sizeof c);
    c.rows = rows;
    c.entries = entries;
    c.cols = c.record = cols;
    c.bins = bins;
    c.stride = soothi_columns_stride(entries);
    c.cells = bins < 256 ? bins + 1 : 256;
    return c;
}

/* ---- rows ---- */

/* Returns the weight of a row; weight NULL means 1. */
SOOTHI_LOCAL double soothi_row_weight(const float *weight, size_t row) {
    return weight ? (double)weight[row] : 1.0;
}

/* Returns 1 if a row takes part: rows of weight 0 are ignored. */
SOOTHI_LOCAL int soothi_row_counts(const float *weight, size_t row) { return !weight || weight[row] > 0.0f; }

/* Returns row k of a node given by entries or by row indices; the other one is NULL. */
SOOTHI_LOCAL size_t soothi_columns_row(const uint64_t *entry, const uint32_t *number, size_t k) {
    return entry ? soothi_entry_row(entry[k]) : number[k];
}

/* Checks that a table of bins has the requested number of bins. */
SOOTHI_LOCAL sooth_status soothi_columns_accept(sooth_env *env, const sooth_table *table, uint32_t bins) {
    if (!table->bins || table->bins->bins == bins) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "bins is %u, but must be %u, the number of bins of the table",
                      bins, table->bins->bins);
}

/* ---- keys ---- */

/* Returns the midpoint of two values, rounded down to float, or a value above all if next is missing. */
SOOTHI_LOCAL float soothi_columns_midpoint(uint32_t cut, uint32_t next) {
    if (next == SOOTHI_KEY_MISSING) return soothi_key_value(SOOTHI_KEY_INFINITY);
    double middle = 0.5 * (double)soothi_key_value(cut) + 0.5 * (double)soothi_key_value(next);
    uint32_t key = soothi_key((float)middle);
    if ((double)soothi_key_value(key) > middle) key -= key == SOOTHI_KEY_ZERO ? 2 : 1; /* -0 comes below 0 */
    return soothi_key_value(key);
}

/* ---- work in blocks ---- */

/* Returns the end of block i, of `count` items in blocks of size `block`. */
SOOTHI_LOCAL size_t soothi_columns_block_end(size_t i, size_t block, size_t count) {
    return (i + 1) * block < count ? (i + 1) * block : count;
}

/* Runs a task over `count` columns. Small work, or a single worker, stays in this thread, as worker `worker`;
   otherwise all workers run blocks. Task i covers the columns from i x *block on. */
SOOTHI_LOCAL void soothi_columns_run(sooth_env *env, size_t workers, size_t worker, size_t count, size_t rows,
                                     size_t *block, sooth_task *task, void *arg) {
    *block = count;
    if (workers == 1 || soothi_product(count, rows) < SOOTHI_COLUMNS_ALONE) {
        task(arg, 0, worker);
        return;
    }
    *block = SOOTHI_COLUMNS_TASK / (rows + 1) + 1;
    soothi_parallel(env, (count + *block - 1) / *block, task, arg);
}

/* ---- checking a table ---- */

#define SOOTHI_COLUMNS_LOOKS 256u /* max tasks */

typedef struct soothi_columns_looking {
    const sooth_table *table;
    unsigned needs;
    size_t block; /* rows per task */
    size_t bad[SOOTHI_COLUMNS_LOOKS];
} soothi_columns_looking;

static void soothi_columns_look_task(void *arg, size_t i, size_t worker) {
    soothi_columns_looking *l = (soothi_columns_looking *)arg;
    const size_t end = soothi_columns_block_end(i, l->block, l->table->rows);
    (void)worker;
    const size_t bad = soothi_table_first_bad(l->table, l->needs, i * l->block, end);
    if (bad < end * l->table->cols) l->bad[i] = bad;
}

/* Like soothi_table_find_bad, on all workers. */
SOOTHI_LOCAL size_t soothi_columns_find_bad(sooth_env *env, const sooth_table *table, unsigned needs) {
    soothi_columns_looking l;
    const size_t numbers = table->rows * table->cols;
    size_t tasks = soothi_workers(env) == 1 ? 1 : numbers / (4 * SOOTHI_COLUMNS_TASK) + 1, first = numbers;
    if (tasks > SOOTHI_COLUMNS_LOOKS) tasks = SOOTHI_COLUMNS_LOOKS;
    l.table = table;
    l.needs = needs;
    l.block = (table->rows + tasks - 1) / tasks;
    tasks = (table->rows + l.block - 1) / l.block;
    memset(l.bad, 255, sizeof l.bad); /* SIZE_MAX: none */
    soothi_parallel(env, tasks, soothi_columns_look_task, &l);
    for (size_t i = 0; i < tasks; ++i)
        if (l.bad[i] < first) first = l.bad[i];
    return first;
}

/* Like sooth_table_check, on all workers. */
SOOTHI_LOCAL sooth_status soothi_columns_check(sooth_env *env, const sooth_table *table, unsigned needs) {
    return soothi_table_check_by(env, table, needs, soothi_columns_find_bad);
}

/* ---- preparing columns ---- */

/* Sets sizes and, if m has memory, pointers. own: 1 if exact columns have separate lists; a single tree uses
   its working lists. */
SOOTHI_LOCAL void soothi_columns_layout(soothi_carver *m, soothi_columns *c, int own) {
    soothi_categories_layout(m, &c->categories);
    if (c->ready) { /* read only */
        c->bin = (unsigned char *)(uintptr_t)c->ready->bin;
        c->edge = (float *)(uintptr_t)c->ready->edge;
        c->used = (uint32_t *)(uintptr_t)c->ready->used;
    } else if (c->bins) {
        c->bin = (unsigned char *)soothi_carve(m, soothi_product(c->cols, c->rows), 1);
        c->edge = (float *)soothi_carve(m, soothi_product(c->cols, c->bins), sizeof(float));
        c->used = (uint32_t *)soothi_carve(m, c->cols, sizeof(uint32_t));
    } else if (own) {
        c->list = (uint64_t *)soothi_carve(m, soothi_product(c->cols, c->stride), sizeof(uint64_t));
    }
}

/* Returns the minimum scratch entries of soothi_columns_prepare. */
SOOTHI_LOCAL size_t soothi_columns_scratch(const soothi_columns *c, size_t workers) {
    if (c->ready) return 0;
    return c->bins ? soothi_product(2 * workers, c->rows) : soothi_product(c->cols, c->stride);
}

/* Chooses the bins of a sorted column and assigns every row its bin. One bin per distinct value if these are
   few, otherwise bins of about equal counts, cut between values. */
SOOTHI_LOCAL void soothi_columns_cut(soothi_columns *c, size_t j, const uint64_t *list, size_t n) {
    unsigned char *bin = c->bin + j * c->rows;
    float *edge = c->edge + j * c->bins;
    size_t present = n, distinct = 1;
    uint32_t b = 0;
    while (present > 0 && soothi_entry_key(list[present - 1]) == SOOTHI_KEY_MISSING) --present;
    for (size_t k = 1; k < present; ++k) distinct += (list[k] ^ list[k - 1]) >> 32 != 0;
    size_t limit = present < n && c->bins == 256 ? 255 : c->bins; /* a byte holds missing values, too */
    memset(bin, 0, c->rows);
    for (size_t from = 0, end; from < present; from = end, ++b) {
        end = from + (distinct > limit ? (present - from + limit - b - 1) / (limit - b) : 1);
        while (end < present && (list[end] ^ list[end - 1]) >> 32 == 0)
            ++end; /* equal values stay together */
        for (size_t k = from; k < end; ++k) bin[soothi_entry_row(list[k])] = (unsigned char)b;
        if (c->least) c->least[j * c->bins + b] = soothi_key_value(soothi_entry_key(list[from]));
        edge[b] = end < present
                      ? soothi_columns_midpoint(soothi_entry_key(list[end - 1]), soothi_entry_key(list[end]))
                      : soothi_key_value(SOOTHI_KEY_INFINITY);
    }
    c->used[j] = b;
    for (size_t k = present; k < n; ++k) bin[soothi_entry_row(list[k])] = (unsigned char)b;
}

/* Assigns classes to the levels of a categorical column. */
SOOTHI_LOCAL void soothi_columns_class(soothi_columns *c, size_t j, uint64_t *list, uint64_t *spare,
                                       size_t n) {
    size_t present = n;
    while (present > 0 && soothi_entry_key(list[present - 1]) == SOOTHI_KEY_MISSING) --present;
    const size_t least = c->bins ? c->bins : SOOTHI_CATEGORIES_CLASSES;
    soothi_categories_choose(&c->categories, j, list, present, present < n && least == 256 ? 255 : least,
                             spare);
    if (!c->bins) return;
    unsigned char *bin = c->bin + j * c->rows;
    c->used[j] = c->categories.classes[j];
    memset(bin, 0, c->rows);
    for (size_t k = 0; k < n; ++k)
        bin[soothi_entry_row(list[k])] =
            (unsigned char)(k < present ? soothi_entry_key(list[k]) : c->used[j]);
}

typedef struct soothi_columns_preparing {
    const sooth_table *table;
    soothi_columns *columns;
    uint64_t *scratch;
    size_t share; /* scratch entries per worker, if binned */
    size_t whole; /* number of columns, the first ones, sorted by one worker each */
    size_t block; /* columns per task */
} soothi_columns_preparing;

/* Returns the list of a column and equally large scratch; binned: slot `at` of the scratch. */
SOOTHI_LOCAL uint64_t *soothi_columns_list(const soothi_columns_preparing *p, size_t j, size_t at,
                                           uint64_t **scratch) {
    const soothi_columns *c = p->columns;
    uint64_t *list = c->bins ? p->scratch + at * p->share : c->list + j * c->stride;
    *scratch = c->bins ? list + p->share / 2 : p->scratch + j * c->stride;
    return list;
}

/* Enters the rows of positive weight among from..end of a column in a list; returns their number. */
SOOTHI_LOCAL size_t soothi_columns_enter(const soothi_columns_preparing *p, size_t j, size_t from, size_t end,
                                         uint64_t *list) {
    const sooth_table *table = p->table;
    const int classes = soothi_categories_has(&p->columns->categories, j);
    size_t n = 0;
    for (size_t k = from; k < end; ++k) {
        const float v = table->x[k * table->stride + j];
        if (!table->weight || table->weight[k] > 0.0f)
            list[n++] = classes && v >= 0.0f ? (uint64_t)v << 32 | k : soothi_entry(v, k);
    }
    return n;
}

/* Computes bins or classes of a sorted column. */
SOOTHI_LOCAL void soothi_columns_finish(soothi_columns *c, size_t j, uint64_t *list, uint64_t *scratch,
                                        size_t n) {
    if (soothi_categories_has(&c->categories, j)) soothi_columns_class(c, j, list, scratch, n);
    else if (c->bins) soothi_columns_cut(c, j, list, n);
}

static void soothi_columns_prepare_task(void *arg, size_t i, size_t worker) {
    const soothi_columns_preparing *p = (const soothi_columns_preparing *)arg;
    const size_t end = soothi_columns_block_end(i, p->block, p->whole);
    for (size_t j = i * p->block; j < end; ++j) {
        uint64_t *scratch, *list = soothi_columns_list(p, j, worker, &scratch);
        const size_t n = soothi_columns_enter(p, j, 0, p->table->rows, list);
        soothi_entry_sort(list, scratch, n);
        soothi_columns_finish(p->columns, j, list, scratch, n);
    }
}

/* ---- sorting a column on several workers ---- */

/* If there are fewer columns than workers, or a last few, a column is cut into pieces of its rows and equally
   many ranges of its keys. Each piece is entered and counts its entries per range. Then every entry moves to
   its range, piece after piece, so that equal keys keep their order. Then the ranges are sorted, which gives
   the same list as one sort. Ranges begin at keys of a sample, so their sizes are similar. */
#define SOOTHI_COLUMNS_PIECES 8u   /* per column */
#define SOOTHI_COLUMNS_GROUP 32u   /* max columns at a time */
#define SOOTHI_COLUMNS_LONG 16384u /* min rows of a column for pieces to pay off */

typedef struct soothi_columns_group {
    const soothi_columns_preparing *p;
    size_t first, piece;                                           /* its first column; rows per piece */
    uint32_t entries[SOOTHI_COLUMNS_GROUP][SOOTHI_COLUMNS_PIECES]; /* of each piece */
    uint32_t pivot[SOOTHI_COLUMNS_GROUP]
                  [SOOTHI_COLUMNS_PIECES - 1]; /* first keys of the ranges except the first */
    /* entries per range and piece; then their offsets, and finally their ends */
    uint32_t at[SOOTHI_COLUMNS_GROUP][SOOTHI_COLUMNS_PIECES][SOOTHI_COLUMNS_PIECES];
} soothi_columns_group;

SOOTHI_LOCAL void soothi_columns_choose_pivots(soothi_columns_group *g, size_t column) {
    const size_t rows = g->p->table->rows;
    uint64_t sample[8 * SOOTHI_COLUMNS_PIECES] = {0}, none = 0;
    size_t n = 0;
    for (size_t k = 0; k < 8 * SOOTHI_COLUMNS_PIECES; ++k) {
        const size_t row = k * (rows / (8 * SOOTHI_COLUMNS_PIECES));
        n += soothi_columns_enter(g->p, g->first + column, row, row + 1, sample + n);
    }
    soothi_entry_sort(sample, &none, n); /* too few to need scratch */
    for (size_t r = 1; r < SOOTHI_COLUMNS_PIECES; ++r)
        g->pivot[column][r - 1] = n ? soothi_entry_key(sample[r * n / SOOTHI_COLUMNS_PIECES]) : 0;
}

/* Returns the range of a key. */
SOOTHI_LOCAL size_t soothi_columns_range(const uint32_t pivot[SOOTHI_COLUMNS_PIECES - 1], uint32_t key) {
    size_t r = 4 * (size_t)(key >= pivot[3]);
    r += 2 * (size_t)(key >= pivot[r + 1]);
    return r + (key >= pivot[r]);
}

/* Enters a piece of a column in the scratch and counts its ranges. */
static void soothi_columns_enter_task(void *arg, size_t i, size_t worker) {
    soothi_columns_group *g = (soothi_columns_group *)arg;
    const size_t column = i / SOOTHI_COLUMNS_PIECES, piece = i % SOOTHI_COLUMNS_PIECES;
    const size_t from = piece * g->piece, end = soothi_columns_block_end(piece, g->piece, g->p->table->rows);
    uint32_t count[SOOTHI_COLUMNS_PIECES] = {0};
    uint64_t *scratch;
    (void)worker;
    soothi_columns_list(g->p, g->first + column, column, &scratch);
    scratch += from;
    const size_t n = soothi_columns_enter(g->p, g->first + column, from, end, scratch);
    for (size_t k = 0; k < n; ++k)
        ++count[soothi_columns_range(g->pivot[column], soothi_entry_key(scratch[k]))];
    for (size_t r = 0; r < SOOTHI_COLUMNS_PIECES; ++r) g->at[column][r][piece] = count[r];
    g->entries[column][piece] = (uint32_t)n;
}

/* Moves the entries of a piece to their ranges in the list. */
static void soothi_columns_move_task(void *arg, size_t i, size_t worker) {
    soothi_columns_group *g = (soothi_columns_group *)arg;
    const size_t column = i / SOOTHI_COLUMNS_PIECES, piece = i % SOOTHI_COLUMNS_PIECES;
    uint32_t at[SOOTHI_COLUMNS_PIECES];
    uint64_t *scratch, *list = soothi_columns_list(g->p, g->first + column, column, &scratch);
    (void)worker;
    scratch += piece * g->piece;
    for (size_t r = 0; r < SOOTHI_COLUMNS_PIECES; ++r) at[r] = g->at[column][r][piece];
    for (size_t k = 0; k < g->entries[column][piece]; ++k)
        list[at[soothi_columns_range(g->pivot[column], soothi_entry_key(scratch[k]))]++] = scratch[k];
    for (size_t r = 0; r < SOOTHI_COLUMNS_PIECES; ++r) g->at[column][r][piece] = at[r];
}

static void soothi_columns_sort_task(void *arg, size_t i, size_t worker) {
    const soothi_columns_group *g = (const soothi_columns_group *)arg;
    const size_t column = i / SOOTHI_COLUMNS_PIECES, range = i % SOOTHI_COLUMNS_PIECES;
    const uint32_t from = range ? g->at[column][range - 1][SOOTHI_COLUMNS_PIECES - 1] : 0;
    uint64_t *scratch, *list = soothi_columns_list(g->p, g->first + column, column, &scratch);
    (void)worker;
    soothi_entry_sort(list + from, scratch + from, g->at[column][range][SOOTHI_COLUMNS_PIECES - 1] - from);
}

static void soothi_columns_finish_task(void *arg, size_t i, size_t worker) {
    const soothi_columns_group *g = (const soothi_columns_group *)arg;
    uint64_t *scratch, *list = soothi_columns_list(g->p, g->first + i, i, &scratch);
    (void)worker;
    soothi_columns_finish(g->p->columns, g->first + i, list, scratch,
                          g->at[i][SOOTHI_COLUMNS_PIECES - 1][SOOTHI_COLUMNS_PIECES - 1]);
}

/* Prepares the columns first..first + count. */
SOOTHI_LOCAL void soothi_columns_prepare_group(sooth_env *env, const soothi_columns_preparing *p,
                                               size_t first, size_t count) {
    const size_t tasks = count * SOOTHI_COLUMNS_PIECES;
    soothi_columns_group g;
    g.p = p;
    g.first = first;
    g.piece = (p->table->rows + SOOTHI_COLUMNS_PIECES - 1) / SOOTHI_COLUMNS_PIECES;
    for (size_t k = 0; k < count; ++k) soothi_columns_choose_pivots(&g, k);
    soothi_parallel(env, tasks, soothi_columns_enter_task, &g);
    for (size_t k = 0; k < count; ++k)
        soothi_running_sum(&g.at[k][0][0], SOOTHI_COLUMNS_PIECES * SOOTHI_COLUMNS_PIECES);
    soothi_parallel(env, tasks, soothi_columns_move_task, &g);
    soothi_parallel(env, tasks, soothi_columns_sort_task, &g);
    soothi_parallel(env, count, soothi_columns_finish_task, &g);
}

/* Copies the bins of some rows to by_row, 64 rows at a time, so that both sides stay in the cache. */
#define SOOTHI_COLUMNS_TURN 4096u /* a multiple of 64 */
static void soothi_columns_turn_task(void *arg, size_t i, size_t worker) {
    const soothi_columns *c = (const soothi_columns *)arg;
    const size_t last = soothi_columns_block_end(i, SOOTHI_COLUMNS_TURN, c->rows);
    (void)worker;
    for (size_t from = i * SOOTHI_COLUMNS_TURN; from < last; from += 64)
        for (size_t j = 0; j < c->cols; ++j) {
            const size_t end = from + 64 < last ? from + 64 : last;
            for (size_t k = from; k < end; ++k) c->by_row[k * c->record + j] = c->bin[j * c->rows + k];
        }
}

/* Copies the bins by row, if by_row is needed. */
SOOTHI_LOCAL void soothi_columns_turn(sooth_env *env, soothi_columns *c) {
    const size_t parts = (c->rows + SOOTHI_COLUMNS_TURN - 1) / SOOTHI_COLUMNS_TURN;
    if (c->by_row) soothi_parallel(env, parts, soothi_columns_turn_task, c);
}

/* Sorts the columns of a table, or cuts them into bins. size: entries of scratch, at least
   soothi_columns_scratch. */
SOOTHI_LOCAL void soothi_columns_prepare(sooth_env *env, size_t workers, soothi_columns *c, uint64_t *scratch,
                                         size_t size, const sooth_table *table) {
    soothi_columns_preparing p = {table, c, scratch, size / workers, c->cols, 0};
    soothi_categories_begin(&c->categories, table);
    /* separate lists have no space for pieces with rows of weight 0 */
    if (workers > 1 && c->rows >= SOOTHI_COLUMNS_LONG && (c->bins || c->entries == c->rows))
        p.whole -= c->cols % workers;
    if (!c->ready && p.whole)
        soothi_columns_run(env, workers, 0, p.whole, c->rows, &p.block, soothi_columns_prepare_task, &p);
    for (size_t j = p.whole, some; j < c->cols && !c->ready; j += some) {
        some = c->cols - j < SOOTHI_COLUMNS_GROUP ? c->cols - j : SOOTHI_COLUMNS_GROUP;
        soothi_columns_prepare_group(env, &p, j, some);
    }
    soothi_columns_turn(env, c);
}

/* Like soothi_columns_prepare, with scratch from the allocator. */
SOOTHI_LOCAL sooth_status soothi_columns_make(sooth_env *env, size_t workers, soothi_columns *c,
                                              const sooth_table *table) {
    const size_t size = soothi_columns_scratch(c, workers);
    uint64_t *scratch = (uint64_t *)sooth_alloc(env, size, sizeof *scratch);
    if (!scratch) return sooth_no_memory(env, "sorting columns", soothi_product(size, sizeof *scratch));
    soothi_columns_prepare(env, workers, c, scratch, size, table);
    sooth_free(env, scratch, size, sizeof *scratch);
    return SOOTH_OK;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
