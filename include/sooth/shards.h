/* shards.h - the bins of columns whose rows are in the hands of several processes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * soothi_columns_prepare (columns.h) sorts a column and cuts it: one bin per distinct value where these are
 * few, else bins of about equal counts. Here no process has a whole column, and every one must get the very
 * edges that one process with all rows would choose. So nothing is estimated: each sorts its own keys, and
 * together they look up what the cut asks for.
 *
 *   the next key    the least key above a given one: the greatest of their negatives over all processes
 *   the k-th key    found by its digits of 8 bits from the top, four sums of 256 counts each; how many keys
 *                   of a range a process has, two searches in its sorted ones say
 *
 * Both for all columns at once. The header has no public functions; boost.h stands on it. See reduce.h.
 *
 * There is no example: nothing here is for a host; reduce.h says what a host lends.
 *
 * Costs, for n rows of this process, d columns, b bins: the sorting, O(d n), and 4 d n bytes; 5 b reductions,
 * of which four in five are of 2,048 d bytes: 8,200 d b, 21 MB for ten columns and 256 bins, once per fit.
 */
#if !defined(SOOTH_SHARDS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SHARDS_IMPLEMENTED))
#include "reduce.h"
#include "columns.h"
#endif

#ifndef SOOTH_SHARDS_H
#define SOOTH_SHARDS_H
#endif /* SOOTH_SHARDS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SHARDS_IMPLEMENTED)
#define SOOTH_SHARDS_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_SHARDS_DIGITS 256u
#define SOOTHI_SHARDS_NONE ((uint64_t)1 << 32) /* above all keys: there is no such key */

/* One column while it is cut. What is of all processes is the same in all of them. */
typedef struct soothi_shards_column {
    const uint32_t *key; /* this process's, ascending, without those of missing values */
    size_t keys;
    size_t at;      /* the first of these that is in no bin yet */
    int64_t rest;   /* keys of all processes in no bin yet */
    uint64_t from;  /* the least of them; SOOTHI_SHARDS_NONE: there is none, the column is done */
    uint64_t cut;   /* the greatest key of the present bin */
    int64_t rank;   /* which key that is, from `from` on */
    int64_t below;  /* keys of smaller digits than those known of it */
    uint32_t limit; /* bins at most */
    int few;        /* every distinct value has a bin */
} soothi_shards_column;

/* The work of all columns. */
typedef struct soothi_shards {
    sooth_env *env;
    soothi_columns *columns;
    const sooth_table *table;
    soothi_shards_column *column; /* cols */
    uint32_t *key;                /* cols x rows */
    uint64_t *scratch;            /* workers x 2 rows */
    int64_t *word;                /* cols x SOOTHI_SHARDS_DIGITS: what is exchanged */
    size_t block;
} soothi_shards;

/* How many of sorted keys are at most `most`. */
SOOTHI_LOCAL size_t soothi_shards_end(const uint32_t *key, size_t n, uint64_t most) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key[middle] <= most) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void soothi_shards_sort_task(void *arg, size_t i, size_t worker) {
    soothi_shards *s = (soothi_shards *)arg;
    const sooth_table *table = s->table;
    const size_t end = soothi_block_end(i, s->block, table->cols), rows = table->rows;
    uint64_t *list = s->scratch + worker * 2 * rows;
    for (size_t j = i * s->block; j < end; ++j) {
        uint32_t *key = s->key + j * rows;
        size_t n = 0;
        for (size_t k = 0; k < rows; ++k)
            if (soothi_row_counts(table->weight, k))
                list[n++] = soothi_entry(table->x[k * table->stride + j], k);
        soothi_entry_sort(list, list + rows, n);
        while (n > 0 && soothi_entry_key(list[n - 1]) == SOOTHI_KEY_MISSING) --n;
        for (size_t k = 0; k < n; ++k) key[k] = soothi_entry_key(list[k]);
        s->column[j].key = key;
        s->column[j].keys = n;
    }
}

/* Closes the present bin of every column at its `cut`, and finds where the next one begins. */
SOOTHI_LOCAL sooth_status soothi_shards_close(soothi_shards *s) {
    soothi_columns *c = s->columns;
    for (size_t j = 0; j < c->cols; ++j) {
        soothi_shards_column *v = &s->column[j];
        s->word[j] = -(int64_t)SOOTHI_SHARDS_NONE;
        if (v->from == SOOTHI_SHARDS_NONE) continue;
        v->at = soothi_shards_end(v->key, v->keys, v->cut);
        if (v->at < v->keys) s->word[j] = -(int64_t)v->key[v->at];
    }
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_MAX, s->word, c->cols);
    for (size_t j = 0; j < c->cols && status == SOOTH_OK; ++j) {
        soothi_shards_column *v = &s->column[j];
        const uint64_t next = (uint64_t)-s->word[j];
        const size_t b = j * c->bins + c->used[j];
        if (v->from == SOOTHI_SHARDS_NONE) continue;
        if (v->few && c->used[j] == v->limit) { /* too many for a bin each: from the beginning again */
            v->few = 0;
            v->at = 0;
            v->from = soothi_key(c->least[j * c->bins]);
            c->used[j] = 0;
            continue;
        }
        c->least[b] = soothi_key_value((uint32_t)v->from);
        c->edge[b] = soothi_key_midpoint((uint32_t)v->cut,
                                         next == SOOTHI_SHARDS_NONE ? SOOTHI_KEY_MISSING : (uint32_t)next);
        ++c->used[j];
        v->from = next;
    }
    return status;
}

/* One digit more of every cut, from the counts of keys by this digit. */
SOOTHI_LOCAL sooth_status soothi_shards_digit(soothi_shards *s, unsigned shift) {
    const size_t cols = s->columns->cols;
    size_t k = 0;
    for (size_t j = 0; j < cols; ++j) {
        const soothi_shards_column *v = &s->column[j];
        size_t before = v->at;
        if (v->from == SOOTHI_SHARDS_NONE || v->few) continue;
        if (v->cut > 0) before = soothi_shards_end(v->key, v->keys, v->cut - 1);
        if (before < v->at) before = v->at;
        for (uint64_t d = 1; d <= SOOTHI_SHARDS_DIGITS; ++d) {
            size_t end = soothi_shards_end(v->key, v->keys, v->cut + (d << shift) - 1);
            if (end < before) end = before;
            s->word[k++] = (int64_t)(end - before);
            before = end;
        }
    }
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_SUM, s->word, k);
    k = 0;
    for (size_t j = 0; j < cols && status == SOOTH_OK; ++j) {
        soothi_shards_column *v = &s->column[j];
        const int64_t *count = s->word + k;
        uint64_t d = 0;
        if (v->from == SOOTHI_SHARDS_NONE || v->few) continue;
        while (v->below + count[d] <= v->rank) v->below += count[d++];
        v->cut += d << shift;
        if (shift == 0) v->rest -= v->below + count[d];
        k += SOOTHI_SHARDS_DIGITS;
    }
    return status;
}

/* How many keys there are, whether values are missing and whether distinct ones may be few. */
SOOTHI_LOCAL sooth_status soothi_shards_begin(soothi_shards *s) {
    soothi_columns *c = s->columns;
    const size_t cols = c->cols;
    size_t present = 0;
    for (size_t i = 0; i < c->rows; ++i) present += (size_t)soothi_row_counts(s->table->weight, i);
    for (size_t j = 0; j < cols; ++j) {
        const soothi_shards_column *v = &s->column[j];
        uint32_t distinct = 0;
        for (size_t k = 0; k < v->keys && distinct <= c->bins; ++k)
            distinct += k == 0 || v->key[k] != v->key[k - 1];
        s->word[3 * j] = (int64_t)v->keys;
        s->word[3 * j + 1] = (int64_t)(present - v->keys);
        s->word[3 * j + 2] = distinct > c->bins;
    }
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_SUM, s->word, 3 * cols);
    for (size_t j = 0; j < cols; ++j) {
        soothi_shards_column *v = &s->column[j];
        v->rest = s->word[3 * j];
        v->limit = s->word[3 * j + 1] > 0 && c->bins == 256 ? 255 : c->bins;
        v->few = s->word[3 * j + 2] == 0;
        v->at = 0;
        c->used[j] = 0;
    }
    return status;
}

/* The least key of every column. */
SOOTHI_LOCAL sooth_status soothi_shards_first(soothi_shards *s) {
    const size_t cols = s->columns->cols;
    for (size_t j = 0; j < cols; ++j)
        s->word[j] = -(int64_t)(s->column[j].keys ? s->column[j].key[0] : SOOTHI_SHARDS_NONE);
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_MAX, s->word, cols);
    for (size_t j = 0; j < cols; ++j) s->column[j].from = (uint64_t)-s->word[j];
    return status;
}

/* All bins of all columns: as soothi_columns_cut. */
SOOTHI_LOCAL sooth_status soothi_shards_cut(soothi_shards *s) {
    soothi_columns *c = s->columns;
    sooth_status status = soothi_shards_begin(s);
    if (status == SOOTH_OK) status = soothi_shards_first(s);
    while (status == SOOTH_OK) {
        size_t open = 0, many = 0;
        for (size_t j = 0; j < c->cols; ++j) {
            soothi_shards_column *v = &s->column[j];
            const int64_t bins = (int64_t)v->limit - c->used[j];
            if (v->from == SOOTHI_SHARDS_NONE) continue;
            ++open;
            many += (size_t)!v->few;
            v->cut = v->few ? v->from : 0;
            v->below = 0;
            if (!v->few) v->rank = (v->rest + bins - 1) / bins - 1;
        }
        if (open == 0) break;
        for (unsigned digit = 0; digit < 4 && many && status == SOOTH_OK; ++digit)
            status = soothi_shards_digit(s, 24 - 8 * digit);
        if (status == SOOTH_OK) status = soothi_shards_close(s);
    }
    return status;
}

static void soothi_shards_bin_task(void *arg, size_t i, size_t worker) {
    soothi_shards *s = (soothi_shards *)arg;
    const sooth_table *table = s->table;
    soothi_columns *c = s->columns;
    const size_t end = soothi_block_end(i, s->block, c->cols);
    (void)worker;
    for (size_t j = i * s->block; j < end; ++j) {
        unsigned char *bin = c->bin + j * c->rows;
        const float *edge = c->edge + j * c->bins;
        const uint32_t used = c->used[j];
        for (size_t k = 0; k < c->rows; ++k) {
            const float v = table->x[k * table->stride + j];
            uint32_t low = 0, high = used;
            if (!soothi_row_counts(table->weight, k)) high = 0;
            else if (soothi_key(v) == SOOTHI_KEY_MISSING) low = used;
            while (low < high) { /* the first edge that is not below v */
                const uint32_t middle = (low + high) / 2;
                if (v <= edge[middle]) high = middle;
                else low = middle + 1;
            }
            bin[k] = (unsigned char)low;
        }
    }
}

/* Cuts the columns of a table of which every process holds some rows into bins, as soothi_columns_prepare
   would all rows. All processes call it; all return the same status. c: binned, with `least`. */
SOOTHI_LOCAL sooth_status soothi_shards_prepare(sooth_env *env, size_t workers, soothi_columns *c,
                                                const sooth_table *table) {
    soothi_carver m = {NULL, 0};
    soothi_shards s = {env, c, table, NULL, NULL, NULL, NULL, 0};
    for (unsigned pass = 0; pass < 2; ++pass) {
        m.used = 0;
        s.column = (soothi_shards_column *)soothi_carve(&m, c->cols, sizeof *s.column);
        s.key = (uint32_t *)soothi_carve(&m, soothi_product(c->cols, c->rows), sizeof *s.key);
        s.scratch = (uint64_t *)soothi_carve(&m, soothi_product(2 * workers, c->rows), sizeof *s.scratch);
        s.word = (int64_t *)soothi_carve(&m, soothi_product(c->cols, SOOTHI_SHARDS_DIGITS), sizeof *s.word);
        if (pass == 0 && !(m.memory = (unsigned char *)soothi_alloc(env, m.used, 1))) break;
    }
    sooth_status status = m.memory ? SOOTH_OK : soothi_no_memory(env, "sorting columns", m.used);
    status = soothi_agree(env, status);
    if (status == SOOTH_OK) {
        soothi_columns_run(env, workers, 0, c->cols, c->rows, &s.block, soothi_shards_sort_task, &s);
        status = soothi_shards_cut(&s);
    }
    if (status == SOOTH_OK) {
        soothi_columns_run(env, workers, 0, c->cols, c->rows, &s.block, soothi_shards_bin_task, &s);
        soothi_columns_turn(env, c);
    }
    soothi_free(env, m.memory, m.used, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
