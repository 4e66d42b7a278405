/* tree/shards.h - the bins of columns whose rows are distributed over several processes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * soothi_columns_prepare (tree/columns.h) sorts a column and cuts it: one bin per distinct value if these are
 * few, otherwise bins of about equal counts. Here no process has a whole column, but all must get exactly the
 * edges that one process with all rows would choose. Nothing is estimated: each process sorts its own keys,
 * and together they count all keys in ranges, which become narrower around the cuts:
 *
 *     one range with all keys
 *     until every cut falls into a range of a single key
 *         find the range of each cut, as far as the ranges determine it
 *         split these ranges into 16 each; count local keys; sum the counts of all processes and columns
 *     for each cut, the smallest key above it, in one maximum
 *
 * The position of a cut depends on the one before it, whose bin takes all keys equal to its last. All cuts
 * are therefore searched at once as if no key were repeated. Once a cut is known, later cuts move by the
 * excess of its bin, mostly into ranges that are counted by then or soon.
 *
 * See base/reduce.h.
 *
 * Cost for n rows of this process, d columns, b bins: O(d n) for sorting. Memory: 4 d n bytes, and 0.7 KB d b
 * of at most 64 MB. Columns that exceed this are cut after the others. Reductions, once per fit, with 256
 * bins:
 * - 11, with 33 to 153 KB a column, if no value is repeated or few are distinct;
 * - mostly 15 to 75, with at most 2.1 MB, if many values are repeated;
 * - 109, with 3.3 MB, in the worst measured case, 10^6 rows of 50,000 values;
 * - 8 b + 3, at most.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_SHARDS_IMPLEMENTED)
#define SOOTH_TREE_SHARDS_IMPLEMENTED
#include "../base/reduce.h"
#include "columns.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_SHARDS_PARTS 16u                /* parts that a range is split into */
#define SOOTHI_SHARDS_RANGES 32u               /* max ranges of a column per bin */
#define SOOTHI_SHARDS_NEAR 4u                  /* ranges on either side that a cut may move to */
#define SOOTHI_SHARDS_ROOM ((size_t)64 << 20)  /* max bytes of ranges and counts */
#define SOOTHI_SHARDS_NONE ((uint64_t)1 << 32) /* stands for a missing key, above all keys */

/* Keys from `first` to `last`. `count`, 1 or more, is their number in all processes. */
typedef struct soothi_shards_range {
    uint32_t first, last;
    int64_t count;
} soothi_shards_range;

/* One column while it is cut. Except for its own keys, it is equal in all processes. */
typedef struct soothi_shards_column {
    const uint32_t *key; /* keys of this process, ascending, without missing values */
    size_t keys;
    int64_t all;                /* keys of all processes */
    uint32_t limit;             /* max bins */
    int few;                    /* 1: every distinct value has a bin, as far as known */
    soothi_shards_range *range; /* ascending; SOOTHI_SHARDS_RANGES x bins */
    size_t ranges;
    unsigned char *mark; /* per range, a sum; 1: split it, 2: a cut falls into it, 4: near one */
    uint32_t *cut;       /* c->used[j] so far: largest key of each bin */
} soothi_shards_column;

/* State of cutting the columns from `from` on. */
typedef struct soothi_shards {
    sooth_env *env;
    soothi_columns *columns;
    const sooth_table *table;
    soothi_shards_column *column; /* cols */
    size_t from, group;           /* group: max columns at once */
    uint32_t *key;                /* cols x rows */
    uint64_t *scratch;            /* workers x 2 rows */
    int64_t *word;                /* group x SOOTHI_SHARDS_PARTS x bins: data to exchange */
    size_t block;
} soothi_shards;

/* Returns the number of sorted keys up to `most`. */
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
    const size_t end = soothi_columns_block_end(i, s->block, table->cols), rows = table->rows;
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

/* Counts the keys of all processes, and determines if values are missing and if few may be distinct. */
SOOTHI_LOCAL sooth_status soothi_shards_begin(soothi_shards *s, size_t cols) {
    const soothi_columns *c = s->columns;
    size_t present = 0;
    for (size_t i = 0; i < c->rows; ++i) present += (size_t)soothi_row_counts(s->table->weight, i);
    for (size_t j = 0; j < cols; ++j) {
        const soothi_shards_column *v = &s->column[s->from + j];
        uint32_t distinct = 0;
        for (size_t k = 0; k < v->keys && distinct <= c->bins; ++k)
            distinct += k == 0 || v->key[k] != v->key[k - 1];
        s->word[3 * j] = (int64_t)v->keys;
        s->word[3 * j + 1] = (int64_t)(present - v->keys);
        s->word[3 * j + 2] = distinct > c->bins;
    }
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_SUM, s->word, 3 * cols);
    for (size_t j = 0; j < cols; ++j) {
        soothi_shards_column *v = &s->column[s->from + j];
        const soothi_shards_range whole = {0, UINT32_MAX, s->word[3 * j]};
        v->all = s->word[3 * j];
        v->limit = s->word[3 * j + 1] > 0 && c->bins == 256 ? 255 : c->bins;
        v->few = s->word[3 * j + 2] == 0;
        v->range[0] = whole;
        v->ranges = v->all > 0;
    }
    return status;
}

/* Places the cuts as far as the ranges of a column determine them, and marks the ranges that contain one. As
   in soothi_columns_cut, a bin takes its share of the remaining keys, and all that equal its last one.
   Returns the number of bins. */
SOOTHI_LOCAL uint32_t soothi_shards_mark(soothi_shards_column *v) {
    uint32_t b = 0;
    int64_t taken = 0, end = 0; /* keys in bins; keys up to and including range i */
    if (v->ranges > v->limit) v->few = 0;
    for (size_t i = 0; i < v->ranges; ++i) {
        const soothi_shards_range *r = &v->range[i];
        const int one = r->first == r->last;
        end += r->count;
        v->mark[i] = v->few ? (unsigned char)(3 - one) : 0;
        if (v->few) v->cut[b++] = r->last;
        while (!v->few && taken < v->all) {
            const int64_t bins = (int64_t)v->limit - b, want = taken + (v->all - taken + bins - 1) / bins;
            if (want > end) break;
            v->mark[i] = (unsigned char)(3 - one);
            v->cut[b++] = r->last;
            taken = one ? end : want;
        }
    }
    return b;
}

/* Also marks ranges next to cuts, as known cuts move later ones. At most one range per bin is split. */
SOOTHI_LOCAL void soothi_shards_widen(soothi_shards_column *v) {
    size_t parted = 0, known = 0;
    for (size_t i = 0; i < v->ranges; ++i) {
        parted += v->mark[i] & 1;
        known += v->mark[i] == 2;
    }
    if (parted == 0 || known == 0) return;
    for (size_t i = 0; i < v->ranges; ++i)
        for (size_t k = i > SOOTHI_SHARDS_NEAR ? i - SOOTHI_SHARDS_NEAR : 0;
             k <= i + SOOTHI_SHARDS_NEAR && k < v->ranges && (v->mark[i] & 2) && parted < v->limit; ++k) {
            if (v->mark[k] || v->range[k].first == v->range[k].last) continue;
            v->mark[k] = 1;
            ++parted;
        }
}

/* Joins ranges without a cut nearby, if space to split others is short. */
SOOTHI_LOCAL void soothi_shards_join(soothi_shards_column *v) {
    size_t n = 0;
    for (size_t i = 0; i < v->ranges; ++i)
        for (size_t k = i > SOOTHI_SHARDS_NEAR ? i - SOOTHI_SHARDS_NEAR : 0;
             k <= i + SOOTHI_SHARDS_NEAR && k < v->ranges && (v->mark[i] & 2); ++k)
            v->mark[k] |= 4;
    for (size_t i = 0; i < v->ranges; ++i) {
        if (n > 0 && !v->mark[i] && !v->mark[n - 1]) {
            v->range[n - 1].last = v->range[i].last;
            v->range[n - 1].count += v->range[i].count;
            continue;
        }
        v->mark[n] = v->mark[i];
        v->range[n++] = v->range[i];
    }
    v->ranges = n;
}

/* Returns part k of a range. */
SOOTHI_LOCAL soothi_shards_range soothi_shards_part(soothi_shards_range r, uint64_t k) {
    const uint64_t width = ((uint64_t)r.last - r.first + SOOTHI_SHARDS_PARTS) / SOOTHI_SHARDS_PARTS;
    const uint64_t first = r.first + k * width, last = first + width - 1;
    const soothi_shards_range part = {(uint32_t)first, (uint32_t)(last < r.last ? last : r.last), 0};
    return part;
}

/* Counts local keys in the parts of the ranges to split; returns the number of words. */
SOOTHI_LOCAL size_t soothi_shards_count(const soothi_shards_column *v, int64_t *word) {
    size_t n = 0;
    for (size_t i = 0; i < v->ranges; ++i) {
        const soothi_shards_range r = v->range[i];
        if (!(v->mark[i] & 1)) continue;
        size_t at = r.first > 0 ? soothi_shards_end(v->key, v->keys, (uint64_t)r.first - 1) : 0;
        const size_t of_all = soothi_shards_end(v->key + at, v->keys - at, r.last) + at;
        for (uint64_t k = 0; k < SOOTHI_SHARDS_PARTS; ++k) {
            const soothi_shards_range part = soothi_shards_part(r, k);
            const size_t count = soothi_shards_end(v->key + at, of_all - at, part.last);
            word[n++] = (int64_t)count;
            at += count;
        }
    }
    return n;
}

/* Replaces these ranges by their parts that have keys; returns the number of words read. */
SOOTHI_LOCAL size_t soothi_shards_refine(soothi_shards_column *v, const int64_t *word) {
    size_t words = 0, parts = 0, n; /* n: ranges afterwards */
    for (size_t i = 0; i < v->ranges; ++i) words += SOOTHI_SHARDS_PARTS * (size_t)(v->mark[i] & 1);
    for (size_t k = 0; k < words; ++k) parts += word[k] > 0;
    n = v->ranges + parts - words / SOOTHI_SHARDS_PARTS;
    for (size_t i = v->ranges, at = words, to = n; i-- > 0;) { /* backwards, so that nothing is overwritten */
        const soothi_shards_range r = v->range[i];
        if (!(v->mark[i] & 1)) v->range[--to] = r;
        for (uint64_t k = SOOTHI_SHARDS_PARTS; k-- > 0 && (v->mark[i] & 1);) {
            if (word[--at] == 0) continue;
            v->range[--to] = soothi_shards_part(r, k);
            v->range[to].count = word[at];
        }
    }
    v->ranges = n;
    return words;
}

/* Computes edges and minima from the cuts: the smallest key of all, and the smallest above each cut. */
SOOTHI_LOCAL sooth_status soothi_shards_close(soothi_shards *s, size_t cols) {
    soothi_columns *c = s->columns;
    size_t n = 0;
    for (size_t j = 0; j < cols; ++j) {
        const soothi_shards_column *v = &s->column[s->from + j];
        for (size_t b = 0; b <= c->used[s->from + j]; ++b) {
            const size_t at = b ? soothi_shards_end(v->key, v->keys, v->cut[b - 1]) : 0;
            s->word[n++] = -(int64_t)(at < v->keys ? v->key[at] : SOOTHI_SHARDS_NONE);
        }
    }
    const sooth_status status = soothi_reduce(s->env, SOOTH_REDUCE_MAX, s->word, n);
    n = 0;
    for (size_t j = s->from; j < s->from + cols; ++j) {
        for (size_t b = 0; b < c->used[j]; ++b, ++n) {
            const uint64_t next = (uint64_t)-s->word[n + 1];
            c->least[j * c->bins + b] = soothi_key_value((uint32_t)-s->word[n]);
            c->edge[j * c->bins + b] = soothi_columns_midpoint(
                s->column[j].cut[b], next == SOOTHI_SHARDS_NONE ? SOOTHI_KEY_MISSING : (uint32_t)next);
        }
        ++n;
    }
    return status;
}

/* Cuts some columns as soothi_columns_cut does. */
SOOTHI_LOCAL sooth_status soothi_shards_cut_group(soothi_shards *s, size_t cols) {
    const size_t room = (size_t)SOOTHI_SHARDS_RANGES * s->columns->bins;
    sooth_status status = soothi_shards_begin(s, cols);
    for (size_t words = 1; status == SOOTH_OK && words > 0;) {
        words = 0;
        for (size_t j = s->from; j < s->from + cols; ++j) {
            soothi_shards_column *v = &s->column[j];
            s->columns->used[j] = soothi_shards_mark(v);
            soothi_shards_widen(v);
            if (v->ranges + (size_t)SOOTHI_SHARDS_PARTS * s->columns->bins > room) soothi_shards_join(v);
            words += soothi_shards_count(v, s->word + words);
        }
        status = soothi_reduce(s->env, SOOTH_REDUCE_SUM, s->word, words);
        for (size_t j = s->from, at = 0; j < s->from + cols && words && status == SOOTH_OK; ++j)
            at += soothi_shards_refine(&s->column[j], s->word + at);
    }
    return status == SOOTH_OK ? soothi_shards_close(s, cols) : status;
}

static void soothi_shards_bin_task(void *arg, size_t i, size_t worker) {
    soothi_shards *s = (soothi_shards *)arg;
    const sooth_table *table = s->table;
    soothi_columns *c = s->columns;
    const size_t end = soothi_columns_block_end(i, s->block, c->cols);
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
            while (low < high) { /* find the first edge that is not below v */
                const uint32_t middle = (low + high) / 2;
                if (v <= edge[middle]) high = middle;
                else low = middle + 1;
            }
            bin[k] = (unsigned char)low;
        }
    }
}

/* Lays out the memory. */
SOOTHI_LOCAL void soothi_shards_layout(soothi_carver *m, soothi_shards *s, size_t workers) {
    const soothi_columns *c = s->columns;
    const size_t ranges = (size_t)SOOTHI_SHARDS_RANGES * c->bins,
                 words = (size_t)SOOTHI_SHARDS_PARTS * c->bins;
    const size_t most =
        SOOTHI_SHARDS_ROOM / (ranges * (sizeof *s->column->range + 1) + words * sizeof *s->word);
    s->group = c->cols < most ? c->cols : most;
    s->column = (soothi_shards_column *)soothi_carve(m, c->cols, sizeof *s->column);
    s->key = (uint32_t *)soothi_carve(m, soothi_product(c->cols, c->rows), sizeof *s->key);
    s->scratch = (uint64_t *)soothi_carve(m, soothi_product(2 * workers, c->rows), sizeof *s->scratch);
    s->word = (int64_t *)soothi_carve(m, soothi_product(s->group, words), sizeof *s->word);
    for (size_t j = 0; j < s->group; ++j) {
        soothi_shards_column v;
        memset(&v, 0, sizeof v);
        v.range = (soothi_shards_range *)soothi_carve(m, ranges, sizeof *v.range);
        v.mark = (unsigned char *)soothi_carve(m, ranges, 1);
        v.cut = (uint32_t *)soothi_carve(m, c->bins, sizeof *v.cut);
        for (size_t k = j; k < c->cols && m->memory; k += s->group) s->column[k] = v;
    }
}

/* Cuts a table whose rows are distributed over processes into bins, as soothi_columns_prepare would with all
   rows. All processes call it and return the same status. c: binned, with `least`. */
SOOTHI_LOCAL sooth_status soothi_shards_prepare(sooth_env *env, size_t workers, soothi_columns *c,
                                                const sooth_table *table) {
    soothi_carver m = {NULL, 0};
    soothi_shards s = {env, c, table, NULL, 0, 0, NULL, NULL, NULL, 0};
    soothi_shards_layout(&m, &s, workers);
    m.memory = (unsigned char *)sooth_alloc(env, m.used, 1);
    sooth_status status = m.memory ? SOOTH_OK : sooth_no_memory(env, "sorting columns", m.used);
    m.used = 0;
    soothi_shards_layout(&m, &s, workers);
    status = soothi_agree(env, status);
    if (status == SOOTH_OK)
        soothi_columns_run(env, workers, 0, c->cols, c->rows, &s.block, soothi_shards_sort_task, &s);
    for (; s.from < c->cols && status == SOOTH_OK; s.from += s.group) {
        const size_t left = c->cols - s.from;
        status = soothi_shards_cut_group(&s, left < s.group ? left : s.group);
    }
    if (status == SOOTH_OK) {
        soothi_columns_run(env, workers, 0, c->cols, c->rows, &s.block, soothi_shards_bin_task, &s);
        soothi_columns_turn(env, c);
    }
    sooth_free(env, m.memory, m.used, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
