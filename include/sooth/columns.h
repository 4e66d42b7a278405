/* columns.h - the columns of a table, sorted or cut into bins, once for any number of trees.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Trees ask every column the same questions again and again: which rows are at most this value? This header
 * prepares the columns for that. It has no public functions; grow.h stands on it, and forest.h and boost.h
 * take its sorted entries.
 *
 *   key      a float as an unsigned number in the same order; NaN is the largest
 *   entry    key << 32 | row: sorting entries sorts the rows of a column
 *   exact    a column is the list of its entries, ascending
 *   binned   a column is one byte per row, the number of its bin. A column has one bin per distinct value
 *            where these are few; otherwise bins of about equal counts (Li, Burges, Wu: McRank, NIPS 2007)
 *
 * In a column of categories the class of a level (categories.h) is both key and bin.
 *
 * soothi_columns_layout carves the memory of the columns, soothi_columns_prepare fills it:
 *
 *     soothi_columns c = soothi_columns_of(n, n, d, 256);
 *     soothi_columns_layout(&carver, &c, 1);
 *     soothi_columns_prepare(env, workers, &c, scratch, soothi_columns_scratch(&c, workers), table);
 *
 * Costs, for n rows, d columns, w workers: O(d n) time (radix sort). Memory: exact 8 d n bytes and as many
 * while sorting; binned d n bytes (2 d n with by_row), 16 w n while sorting.
 *
 * There is no example: nothing here is for a host; tree.h has one.
 */
#if !defined(SOOTH_COLUMNS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_COLUMNS_IMPLEMENTED))
#include "categories.h"
#endif

#ifndef SOOTH_COLUMNS_H
#define SOOTH_COLUMNS_H
#endif /* SOOTH_COLUMNS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_COLUMNS_IMPLEMENTED)
#define SOOTH_COLUMNS_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_COLUMNS_TASK 4096u   /* numbers of one task, at least */
#define SOOTHI_COLUMNS_ALONE 65536u /* numbers (rows x columns) that are not worth waking other workers for */

/* The columns of a table, made ready once for any number of trees. */
typedef struct soothi_columns {
    size_t rows, cols;
    size_t entries; /* rows that stand in the lists (weight above 0); bins have all */
    size_t stride;  /* entries from one list to the next */
    uint32_t bins;  /* at most, per column; 0: exact */
    uint32_t cells; /* binned: bins, and one for missing values; at most 256 */
    /* exact */
    uint64_t *list; /* cols x stride: every column's entries, ascending */
    /* binned; a missing value has the bin used[column] */
    unsigned char *bin;    /* cols x rows */
    unsigned char *by_row; /* rows x cols, the same; NULL: not wanted */
    float *edge;           /* cols x bins: x <= edge[b] when its bin is at most b */
    float *least;          /* cols x bins: the least value of each bin; NULL: not wanted */
    uint32_t *used;        /* cols: how many bins hold values */
    soothi_categories categories;
    const sooth_bins *ready; /* who lends bin, edge, least and used; NULL: they are made */
} soothi_columns;

/* Entries from one list to the next: an odd number of cache lines, so that columns do not compete for the
   same places in the cache. */
SOOTHI_LOCAL size_t soothi_columns_stride(size_t rows) { return rows < 64 ? rows : ((rows + 7) / 8 | 1) * 8; }

/* Columns of this shape, without memory: rows of the table; those of weight above 0; bins at most, or 0. */
SOOTHI_LOCAL soothi_columns soothi_columns_of(size_t rows, size_t entries, size_t cols, uint32_t bins) {
    soothi_columns c;
    memset(&c, 0, sizeof c);
    c.rows = rows;
    c.entries = entries;
    c.cols = cols;
    c.bins = bins;
    c.stride = soothi_columns_stride(entries);
    c.cells = bins < 256 ? bins + 1 : 256;
    return c;
}

/* ---- rows ---- */

/* What a row weighs; weight NULL: 1. */
SOOTHI_LOCAL double soothi_row_weight(const float *weight, size_t row) {
    return weight ? (double)weight[row] : 1.0;
}

/* Does a row take part? One of weight 0 does not exist. */
SOOTHI_LOCAL int soothi_row_counts(const float *weight, size_t row) { return !weight || weight[row] > 0.0f; }

/* Row k of a node that is given by entries or by row numbers; the other one is NULL. */
SOOTHI_LOCAL size_t soothi_entry_or_row(const uint64_t *entry, const uint32_t *number, size_t k) {
    return entry ? soothi_entry_row(entry[k]) : number[k];
}

/* Is a table that comes as bins cut into as many as are asked for? */
SOOTHI_LOCAL sooth_status soothi_columns_accept(sooth_env *env, const sooth_table *table, uint32_t bins) {
    if (!table->bins || table->bins->bins == bins) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                       "bins is %u, but must be %u, which the table has been cut into", bins,
                       table->bins->bins);
}

/* ---- keys ---- */

/* The midpoint of two values, rounded down to float; above all values when the next one is missing. */
SOOTHI_LOCAL float soothi_key_midpoint(uint32_t cut, uint32_t next) {
    if (next == SOOTHI_KEY_MISSING) return soothi_key_value(SOOTHI_KEY_INFINITY);
    double middle = 0.5 * (double)soothi_key_value(cut) + 0.5 * (double)soothi_key_value(next);
    uint32_t key = soothi_key((float)middle);
    if ((double)soothi_key_value(key) > middle) key -= key == SOOTHI_KEY_ZERO ? 2 : 1; /* below 0 comes -0 */
    return soothi_key_value(key);
}

/* ---- work in blocks ---- */

/* Where block i ends, of `count` things in blocks of so many. */
SOOTHI_LOCAL size_t soothi_block_end(size_t i, size_t block, size_t count) {
    return (i + 1) * block < count ? (i + 1) * block : count;
}

/* Runs a task over `count` columns: in this thread, as worker `worker`, when the work is small or there is
   only one; otherwise on all workers, in blocks. Task i does the columns from i x *block on. */
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

/* ---- making columns ready ---- */

/* Sizes, and (when m has memory) pointers. own: 1 when exact columns have lists of their own; a single tree
   lets its working lists double as them. */
SOOTHI_LOCAL void soothi_columns_layout(soothi_carver *m, soothi_columns *c, int own) {
    soothi_categories_layout(m, &c->categories);
    if (c->ready) { /* nothing writes to them */
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

/* Entries of scratch that soothi_columns_prepare wants at least. */
SOOTHI_LOCAL size_t soothi_columns_scratch(const soothi_columns *c, size_t workers) {
    if (c->ready) return 0;
    return c->bins ? soothi_product(2 * workers, c->rows) : soothi_product(c->cols, c->stride);
}

/* Chooses the bins of a sorted column: one per distinct value when these are few, else of about equal counts,
   cut between values; and gives every row its bin. */
SOOTHI_LOCAL void soothi_columns_cut(soothi_columns *c, size_t j, const uint64_t *list, size_t n) {
    unsigned char *bin = c->bin + j * c->rows;
    float *edge = c->edge + j * c->bins;
    size_t present = n, distinct = 1, count = 0;
    uint32_t b = 0;
    while (present > 0 && soothi_entry_key(list[present - 1]) == SOOTHI_KEY_MISSING) --present;
    for (size_t k = 1; k < present; ++k) distinct += (list[k] ^ list[k - 1]) >> 32 != 0;
    size_t limit = present < n && c->bins == 256 ? 255 : c->bins; /* a byte holds the missing ones too */
    size_t rest = present;
    memset(bin, 0, c->rows);
    for (size_t k = 0; k < present; ++k) {
        bin[soothi_entry_row(list[k])] = (unsigned char)b;
        if (count++ == 0 && c->least) c->least[j * c->bins + b] = soothi_key_value(soothi_entry_key(list[k]));
        if (k + 1 == present || (list[k] ^ list[k + 1]) >> 32 == 0) continue;
        if (distinct > limit && count < (rest + limit - b - 1) / (limit - b)) continue;
        edge[b++] = soothi_key_midpoint(soothi_entry_key(list[k]), soothi_entry_key(list[k + 1]));
        rest -= count;
        count = 0;
    }
    if (present > 0) edge[b++] = soothi_key_value(SOOTHI_KEY_INFINITY);
    c->used[j] = b;
    for (size_t k = present; k < n; ++k) bin[soothi_entry_row(list[k])] = (unsigned char)b;
}

/* Gives the levels of a column of categories their classes. */
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
    size_t share; /* entries of scratch per worker, when binned */
    size_t block;
} soothi_columns_preparing;

static void soothi_columns_prepare_task(void *arg, size_t i, size_t worker) {
    const soothi_columns_preparing *p = (const soothi_columns_preparing *)arg;
    const sooth_table *table = p->table;
    soothi_columns *c = p->columns;
    const size_t end = soothi_block_end(i, p->block, c->cols);
    for (size_t j = i * p->block; j < end; ++j) {
        uint64_t *list = c->bins ? p->scratch + worker * p->share : c->list + j * c->stride;
        uint64_t *scratch = c->bins ? list + p->share / 2 : p->scratch + j * c->stride;
        const int classes = soothi_categories_has(&c->categories, j);
        size_t n = 0;
        for (size_t k = 0; k < table->rows; ++k) {
            const float v = table->x[k * table->stride + j];
            if (!table->weight || table->weight[k] > 0.0f)
                list[n++] = classes && v >= 0.0f ? (uint64_t)v << 32 | k : soothi_entry(v, k);
        }
        soothi_entry_sort(list, scratch, n);
        if (classes) soothi_columns_class(c, j, list, scratch, n);
        else if (c->bins) soothi_columns_cut(c, j, list, n);
    }
}

/* Copies the bins of some rows to by_row, 64 rows at a time, so that both sides stay in the cache. */
#define SOOTHI_COLUMNS_TURN 4096u /* a multiple of 64 */
static void soothi_columns_turn_task(void *arg, size_t i, size_t worker) {
    const soothi_columns *c = (const soothi_columns *)arg;
    const size_t last = soothi_block_end(i, SOOTHI_COLUMNS_TURN, c->rows);
    (void)worker;
    for (size_t from = i * SOOTHI_COLUMNS_TURN; from < last; from += 64)
        for (size_t j = 0; j < c->cols; ++j) {
            const size_t end = from + 64 < last ? from + 64 : last;
            for (size_t k = from; k < end; ++k) c->by_row[k * c->cols + j] = c->bin[j * c->rows + k];
        }
}

/* The bins once more, by rows, where that is wanted. */
SOOTHI_LOCAL void soothi_columns_turn(sooth_env *env, soothi_columns *c) {
    const size_t parts = (c->rows + SOOTHI_COLUMNS_TURN - 1) / SOOTHI_COLUMNS_TURN;
    if (c->by_row) soothi_parallel(env, parts, soothi_columns_turn_task, c);
}

/* Sorts the columns of a table, or cuts them into bins. size: entries of scratch, at least
   soothi_columns_scratch. */
SOOTHI_LOCAL void soothi_columns_prepare(sooth_env *env, size_t workers, soothi_columns *c, uint64_t *scratch,
                                         size_t size, const sooth_table *table) {
    soothi_columns_preparing p = {table, c, scratch, size / workers, 0};
    soothi_categories_begin(&c->categories, table);
    if (!c->ready)
        soothi_columns_run(env, workers, 0, c->cols, c->rows, &p.block, soothi_columns_prepare_task, &p);
    soothi_columns_turn(env, c);
}

/* The same with scratch from the allocator. */
SOOTHI_LOCAL sooth_status soothi_columns_make(sooth_env *env, size_t workers, soothi_columns *c,
                                              const sooth_table *table) {
    const size_t size = soothi_columns_scratch(c, workers);
    uint64_t *scratch = (uint64_t *)soothi_alloc(env, size, sizeof *scratch);
    if (!scratch) return soothi_no_memory(env, "sorting columns", soothi_product(size, sizeof *scratch));
    soothi_columns_prepare(env, workers, c, scratch, size, table);
    soothi_free(env, scratch, size, sizeof *scratch);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
