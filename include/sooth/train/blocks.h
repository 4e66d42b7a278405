/* train/blocks.h - tables larger than memory: rows read in blocks, stored as one byte per feature.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Trees grown from histograms only need the bin of a value, one of at most 256. So the features of a table
 * need not be in memory at once. A source provides them in blocks, from a file, a socket or a query, and is
 * read twice. The first pass summarises each column in a sketch (see below), from which its bins are
 * cut. The second pass replaces each value by the number of its bin. The result is a table for boosting
 * (method = histogram), and for forests and trees with that many bins.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include "sooth/boost.h"
 *     #include <stdio.h>
 *
 *     static size_t at;   // rows of two numbers; here they are made, a hundred at a time
 *     static sooth_status next_rows(void *user, sooth_env *env, sooth_table *block) {
 *         static float x[200], y[100];
 *         size_t rows = 0;
 *         for (; rows < 100 && at < 20000; ++rows, ++at) {
 *             x[2 * rows] = (float)(at % 100);
 *             x[2 * rows + 1] = (float)(at % 7);
 *             y[rows] = x[2 * rows] + 10 * x[2 * rows + 1];
 *         }
 *         (void)user, (void)env;
 *         *block = sooth_table_of(x, y, rows, 2);
 *         return SOOTH_OK;
 *     }
 *     static sooth_status rewind_rows(void *user, sooth_env *env) {
 *         (void)user, (void)env;
 *         at = 0;
 *         return SOOTH_OK;
 *     }
 *
 *     int main(void) {
 *         const sooth_source source = {NULL, 2, 1, next_rows, rewind_rows, NULL, NULL};
 *         const float row[] = {50, 3};
 *         sooth_blocks blocks;
 *         sooth_boost *boost;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_blocks_read(&env, &source, NULL, &blocks) != SOOTH_OK ||
 *             sooth_boost_fit(&env, &blocks.table, NULL, &boost) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g\n", sooth_boost_predict(boost, row));   //> 79.9686
 *         sooth_boost_free(&env, boost);
 *         sooth_blocks_free(&env, &blocks);
 *         return 0;
 *     }
 *
 * Blocks may mark categorical columns (sooth_table.categorical). These have counts of their codes in place of
 * sketches, and classes of levels as bins (tree/columns.h). Both are exact.
 *
 * The bins, and so the models, equal those of the table in memory bit for bit if no sketch has to merge
 * values. A sketch may do so for more than `summary` distinct values; `error` is 0 if none did. Otherwise
 * each bin's bounds are off by less than `error` of the rows (proven below). Blocks may have any
 * size: only the order of the rows counts. Such a table is refused by all functions that need values: every
 * other model, method = exact, linear_leaves, and resuming from an older model.
 *
 * For n rows of d columns, T targets and K = summary: two passes over the source and O(d n) more time, on all
 * workers. Memory: (d + 4 T) n bytes (4 n more with weights, and with groups), and 8 K d (log2(n / K) + 3)
 * during the first pass (256 KB per categorical column). Fitting adds its own: boosting of a squared loss
 * (4 T + 2) n, see tree/passes.h. A hundred million rows of ten columns take 2 GB. env->alloc_fn may place
 * memory in a mapped file: bins, targets and margins are read in order. env->progress_fn is called with
 * "reading", up to a half in the first pass, as reported by source->done_fn.
 */
#if !defined(SOOTH_TRAIN_BLOCKS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_BLOCKS_IMPLEMENTED))
#include "../tree/columns.h"
#endif

#if !defined(SOOTH_TRAIN_BLOCKS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_BLOCKS_H
SOOTHI_C_BEGIN

typedef struct sooth_blocks_options {
    uint32_t bins;    /* maximum per column, 2 to 256; 0 means 256 */
    uint32_t summary; /* pairs in a column's summary, 4 to 2^24; 0 means 32,768 */
} sooth_blocks_options;

typedef struct sooth_blocks {
    sooth_table table; /* x is NULL, bins replace it; its memory belongs to this struct */
    sooth_bins bins;
    double error; /* maximum error of a bin's bound, as a fraction of all rows; 0 means exact */
    void *memory;
    size_t memory_size;
} sooth_blocks;

/* Reads the source twice. Do not copy or move *blocks afterwards: its table points into it. Returns
   SOOTH_BAD_DATA with the row for: rows that sooth_table_check refuses, blocks of different shapes, no rows,
   a source whose second pass has other rows. Reports progress and can be cancelled. */
SOOTH_API sooth_status sooth_blocks_read(sooth_env *env, const sooth_source *source,
                                         const sooth_blocks_options *options, sooth_blocks *blocks);

/* Frees the memory that sooth_blocks_read allocated. */
SOOTH_API void sooth_blocks_free(sooth_env *env, sooth_blocks *blocks);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_blocks_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_BLOCKS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_BLOCKS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_BLOCKS_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_option_list sooth_blocks_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_blocks_options, bins, 2, 256, 256, "maximum number per column"),
        SOOTHI_COUNT(sooth_blocks_options, summary, 4, 16777216, 32768,
                     "maximum number of pairs in the summary of a column, from which its bins are cut")};
    return SOOTHI_OPTIONS(option);
}

/* ---- sketches: quantiles of very many numbers in little memory ----

   Bins of equal counts need the sorted values of a column. For columns larger than memory a summary is
   enough: ascending pairs of a key (a float as an unsigned number, see base.h) and a count. The rank of x in
   a summary is the sum of the counts of keys up to x.

   - add: values are collected in a buffer of K. A full buffer is sorted and becomes a summary; equal keys
     become one pair.
   - merge: combines all pairs of two summaries; equal keys become one pair. Ranks add up, and so do errors.
   - prune: reduces a summary of more than K pairs to K. Neighbours become one pair with their largest key and
     the sum of their counts.

   Summaries of the same number of buffers are merged like the carries of a binary counter: K numbers, 2 K, 4
   K, ... (Munro, Paterson: Selection and sorting with limited storage, TCS 12, 1980; merging and pruning as
   in Agarwal et al.: Mergeable summaries, PODS 2012). The algorithm is deterministic.

   Error bound. Pruning W values adds a pair to the current group while the counts of the group before it are
   at most G = W / (K - 1). For x in a group, but below its largest key, the rank loses the group's counts up
   to x: between 0 and G. The error of one pruning is therefore at most G, and always in one direction. A
   finished group has more than G values, so there are at most K groups. A value passes at most one pruning
   per doubling. The prunings of one size together process each of n values at most once, so their errors add
   up to n / (K - 1). With L = log2(n / K) doublings:

       0 <= true rank - rank <= L n / (K - 1)

   For a hundred million values and K = 32,768 (L = 12) this is less than 0.04 % of the values, a tenth of one
   of 256 bins. soothi_sketch_error returns the actual bound of the prunings made. It is 0, and all ranks are
   exact, as long as every summary had at most K distinct values. */

enum { SOOTHI_SKETCH_LEVELS = 32 };

/* Pairs are key << 32 | count, so they sort like entries. Lists are at most 2^31 long. */
typedef struct soothi_sketch {
    size_t most;                           /* K */
    uint64_t *buffer;                      /* most: keys << 32 | 1, in order of arrival */
    size_t used;                           /* entries of buffer in use */
    uint64_t *level[SOOTHI_SKETCH_LEVELS]; /* most each: a summary of most << l values, or NULL */
    size_t pairs[SOOTHI_SKETCH_LEVELS];    /* pairs per level; 0 means an empty level */
    uint64_t error[SOOTHI_SKETCH_LEVELS];  /* maximum error of its ranks */
} soothi_sketch;

/* Combines equal keys of a sorted list into one pair; returns the number of pairs. */
SOOTHI_LOCAL size_t soothi_sketch_join(uint64_t *list, size_t n) {
    size_t out = 0;
    for (size_t k = 0; k < n; ++k) {
        if (out > 0 && (list[out - 1] ^ list[k]) >> 32 == 0) list[out - 1] += (uint32_t)list[k];
        else list[out++] = list[k];
    }
    return out;
}

/* Merges two summaries into `out`, which must hold all pairs; returns their number. */
SOOTHI_LOCAL size_t soothi_sketch_merge(const uint64_t *a, size_t na, const uint64_t *b, size_t nb,
                                        uint64_t *out) {
    size_t i = 0, j = 0, n = 0;
    while (i < na && j < nb) {
        if ((a[i] ^ b[j]) >> 32 == 0) out[n++] = a[i++] + (uint32_t)b[j++];
        else if (a[i] < b[j]) out[n++] = a[i++];
        else out[n++] = b[j++];
    }
    while (i < na) out[n++] = a[i++];
    while (j < nb) out[n++] = b[j++];
    return n;
}

/* Reduces a summary to `most` pairs, adds the maximum rank error to *error, and returns the number of
   pairs. */
SOOTHI_LOCAL size_t soothi_sketch_prune(uint64_t *list, size_t n, size_t most, uint64_t *error) {
    uint64_t all = 0, below = 0, worst = 0;
    size_t out = 0;
    if (n <= most) return n;
    for (size_t k = 0; k < n; ++k) all += (uint32_t)list[k];
    const uint64_t allowed = all / (most - 1);
    for (size_t k = 0; k < n; ++k) { /* below: count of the current group without this pair */
        const uint64_t count = (uint32_t)list[k];
        if (k > 0 && below > allowed) {
            ++out;
            below = 0;
        }
        if (below > worst) worst = below;
        below += count;
        list[out] = (list[k] >> 32 << 32) | below;
    }
    *error += worst;
    return out + 1;
}

/* Moves the buffer into the levels. scratch holds 3 x most. Levels that are needed must be allocated. */
SOOTHI_LOCAL void soothi_sketch_carry(soothi_sketch *s, uint64_t *scratch) {
    uint64_t *carry = scratch, *merged = scratch + s->most, error = 0;
    size_t l = 0;
    if (s->used == 0) return;
    soothi_entry_sort(s->buffer, scratch, s->used);
    size_t n = soothi_sketch_join(s->buffer, s->used);
    memcpy(carry, s->buffer, n * sizeof *carry);
    s->used = 0;
    for (; s->pairs[l]; ++l) {
        n = soothi_sketch_merge(s->level[l], s->pairs[l], carry, n, merged);
        error += s->error[l];
        n = soothi_sketch_prune(merged, n, s->most, &error);
        memcpy(carry, merged, n * sizeof *carry);
        s->pairs[l] = 0;
    }
    memcpy(s->level[l], carry, n * sizeof *carry);
    s->pairs[l] = n;
    s->error[l] = error;
}

/* Adds one value that is not missing. */
SOOTHI_HOT void soothi_sketch_add(soothi_sketch *s, float value, uint64_t *scratch) {
    s->buffer[s->used++] = (uint64_t)soothi_key(value) << 32 | 1;
    if (s->used == s->most) soothi_sketch_carry(s, scratch);
}

/* Returns the number of levels that `rows` values may fill. */
SOOTHI_LOCAL size_t soothi_sketch_levels(size_t most, size_t rows) {
    size_t levels = 1;
    while (rows / most >> levels) ++levels;
    return levels;
}

/* Allocates the buffer and the levels for `rows` values in total. Returns 0 if memory is missing. */
SOOTHI_LOCAL int soothi_sketch_reserve(sooth_env *env, soothi_sketch *s, size_t rows) {
    const size_t levels = soothi_sketch_levels(s->most, rows);
    if (!s->buffer) s->buffer = (uint64_t *)sooth_alloc(env, s->most, sizeof *s->buffer);
    if (!s->buffer) return 0;
    for (size_t l = 0; l < levels; ++l) {
        if (!s->level[l]) s->level[l] = (uint64_t *)sooth_alloc(env, s->most, sizeof *s->buffer);
        if (!s->level[l]) return 0;
    }
    return 1;
}

SOOTHI_LOCAL void soothi_sketch_free(sooth_env *env, soothi_sketch *s) {
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l)
        sooth_free(env, s->level[l], s->most, sizeof *s->buffer);
    sooth_free(env, s->buffer, s->most, sizeof *s->buffer);
}

/* Returns the maximum number of pairs in the result of soothi_sketch_end. */
SOOTHI_LOCAL size_t soothi_sketch_pairs(const soothi_sketch *s) {
    size_t n = s->used;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) n += s->pairs[l];
    return n;
}

/* Returns the maximum error of ranks: true rank - error <= rank <= true rank. */
SOOTHI_LOCAL uint64_t soothi_sketch_error(const soothi_sketch *s) {
    uint64_t error = 0;
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) error += s->pairs[l] ? s->error[l] : 0;
    return error;
}

/* Merges all values, without pruning, in two lists of soothi_sketch_pairs elements. Returns the list with the
   summary and its number of pairs in *n. Sorts the buffer. scratch is as in soothi_sketch_carry. */
SOOTHI_LOCAL uint64_t *soothi_sketch_end(soothi_sketch *s, uint64_t *scratch, uint64_t *list, uint64_t *other,
                                         size_t *n) {
    soothi_entry_sort(s->buffer, scratch, s->used);
    s->used = *n = soothi_sketch_join(s->buffer, s->used);
    memcpy(list, s->buffer, *n * sizeof *list);
    for (size_t l = 0; l < SOOTHI_SKETCH_LEVELS; ++l) {
        uint64_t *from = list;
        if (s->pairs[l] == 0) continue;
        *n = soothi_sketch_merge(from, *n, s->level[l], s->pairs[l], other);
        list = other;
        other = from;
    }
    return list;
}

/* ---- reading ---- */

#define SOOTHI_BLOCKS_NEED \
    (SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES)

/* The state of a reading. */
typedef struct soothi_blocks_reading {
    sooth_env *env;
    const sooth_source *source;
    sooth_blocks_options o;
    soothi_source_pass pass;
    uint8_t *categorical;   /* cols: marks of all blocks; of the first pass, then of the result */
    soothi_sketch *sketch;  /* cols, if not categorical */
    uint32_t *counts;       /* categorical columns x SOOTH_MAX_CATEGORIES: rows of each code */
    size_t categories;      /* number of categorical columns */
    uint32_t *place, *ends; /* cols: index in counts; largest code + 1 */
    size_t *missing;        /* cols: number of values */
    uint64_t *scratch;      /* workers x 3 summary */
    soothi_columns columns; /* the result */
    float *y, *weight;
    uint32_t *group;
    size_t stripe;
} soothi_blocks_reading;

/* ---- first pass: sketches ---- */

/* Counts the rows of each code of a categorical column. */
SOOTHI_LOCAL void soothi_blocks_count(soothi_blocks_reading *r, size_t j) {
    const sooth_table *b = &r->pass.block;
    uint32_t *count = r->counts + r->place[j] * (size_t)SOOTH_MAX_CATEGORIES;
    for (size_t k = 0; k < b->rows; ++k) {
        const float x = b->x[k * b->stride + j];
        const int counts = soothi_row_counts(b->weight, k);
        if (soothi_nan((double)x)) {
            r->missing[j] += (size_t)counts;
            continue;
        }
        count[(uint32_t)x] += (uint32_t)counts;
        if ((uint32_t)x >= r->ends[j]) r->ends[j] = (uint32_t)x + 1;
    }
}

static void soothi_blocks_sketch_task(void *arg, size_t i, size_t worker) {
    soothi_blocks_reading *r = (soothi_blocks_reading *)arg;
    const sooth_table *b = &r->pass.block;
    const size_t end = soothi_columns_block_end(i, r->stripe, b->cols);
    uint64_t *scratch = r->scratch + worker * 3 * r->o.summary;
    for (size_t j = i * r->stripe; j < end; ++j) {
        if (r->categorical[j]) soothi_blocks_count(r, j);
        for (size_t k = 0; k < b->rows && !r->categorical[j]; ++k) {
            const float x = b->x[k * b->stride + j];
            if (!soothi_row_counts(b->weight, k)) continue;
            if (soothi_nan((double)x)) ++r->missing[j];
            else soothi_sketch_add(&r->sketch[j], x, scratch);
        }
    }
}

/* Reads the next block. The first block decides which columns are categorical. */
SOOTHI_LOCAL sooth_status soothi_blocks_next(soothi_blocks_reading *r, double from) {
    const sooth_table *b = &r->pass.block;
    const sooth_status status = soothi_source_next(&r->pass, SOOTHI_BLOCKS_NEED, from, 0.5);
    if (status != SOOTH_OK || b->rows == 0) return status;
    const int first = r->columns.rows == 0 && r->pass.rows == 0;
    for (size_t j = 0; j < b->cols; ++j) {
        const uint8_t marked = b->categorical && b->categorical[j];
        if (first && marked) {
            r->categorical[j] = 1;
            r->place[j] = (uint32_t)r->categories++;
            r->ends[j] = 1;
        }
        if (r->categorical[j] != marked)
            return sooth_fail(r->env, SOOTH_BAD_DATA,
                              "the block from row %z and the blocks before it do not have the same "
                              "categorical columns",
                              r->pass.rows + 1);
    }
    if (!first || !r->categories) return SOOTH_OK;
    const size_t codes = soothi_product(r->categories, SOOTH_MAX_CATEGORIES);
    r->counts = (uint32_t *)sooth_alloc(r->env, codes, sizeof *r->counts);
    if (!r->counts)
        return sooth_no_memory(r->env, "the levels of categories", soothi_product(codes, sizeof *r->counts));
    memset(r->counts, 0, codes * sizeof *r->counts);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_blocks_sketch(soothi_blocks_reading *r) {
    const size_t cols = r->source->cols;
    for (;;) {
        sooth_status status = soothi_blocks_next(r, 0.0);
        if (status != SOOTH_OK || r->pass.block.rows == 0) return status;
        for (size_t j = 0; j < cols; ++j)
            if (!r->categorical[j] &&
                !soothi_sketch_reserve(r->env, &r->sketch[j], r->pass.rows + r->pass.block.rows))
                return sooth_no_memory(r->env, "the summaries of columns",
                                       soothi_product(r->o.summary, sizeof(uint64_t)));
        soothi_columns_run(r->env, soothi_workers(r->env), 0, cols, r->pass.block.rows, &r->stripe,
                           soothi_blocks_sketch_task, r);
        r->pass.rows += r->pass.block.rows;
    }
}

/* Chooses the bins of a column from its summary, like soothi_columns_cut from its sorted entries. */
SOOTHI_LOCAL void soothi_blocks_cut_column(soothi_columns *c, size_t j, const uint64_t *pair, size_t n,
                                           int missing) {
    float *edge = c->edge + j * c->bins, *least = c->least + j * c->bins;
    const size_t limit = missing && c->bins == 256 ? 255 : c->bins;
    uint64_t rest = 0, count = 0;
    uint32_t b = 0;
    for (size_t k = 0; k < n; ++k) rest += (uint32_t)pair[k];
    for (size_t k = 0; k < n; ++k) {
        if (count == 0) least[b] = soothi_key_value(soothi_entry_key(pair[k]));
        count += (uint32_t)pair[k];
        if (k + 1 == n || (n > limit && count < (rest + limit - b - 1) / (limit - b))) continue;
        edge[b++] = soothi_columns_midpoint(soothi_entry_key(pair[k]), soothi_entry_key(pair[k + 1]));
        rest -= count;
        count = 0;
    }
    if (n > 0) edge[b++] = soothi_key_value(SOOTHI_KEY_INFINITY);
    c->used[j] = b;
}

/* Chooses the classes of a categorical column, like soothi_columns_class. list: scratch. */
SOOTHI_LOCAL void soothi_blocks_class_column(soothi_blocks_reading *r, size_t j, uint64_t *list) {
    soothi_columns *c = &r->columns;
    const uint32_t *count = r->counts + r->place[j] * (size_t)SOOTH_MAX_CATEGORIES;
    size_t levels = 0;
    for (uint32_t code = 0; code < r->ends[j]; ++code)
        if (count[code]) list[levels++] = (uint64_t)count[code] << 32 | code;
    soothi_categories_assign(&c->categories, j, list, levels,
                             r->missing[j] && c->bins == 256 ? 255 : c->bins);
    c->used[j] = c->categories.classes[j];
}

/* Cuts all columns. *error: maximum error of a bound, in rows. */
SOOTHI_LOCAL sooth_status soothi_blocks_cut(soothi_blocks_reading *r, uint64_t *error) {
    size_t most = 1, n;
    for (size_t j = 0; j < r->source->cols; ++j) {
        const size_t pairs = r->categorical[j] ? r->ends[j] : soothi_sketch_pairs(&r->sketch[j]);
        if (pairs > most) most = pairs;
    }
    uint64_t *list = (uint64_t *)sooth_alloc(r->env, most, 2 * sizeof *list);
    if (!list)
        return sooth_no_memory(r->env, "the summaries of columns", soothi_product(most, 2 * sizeof *list));
    *error = 0;
    for (size_t j = 0; j < r->source->cols; ++j) {
        if (r->categorical[j]) {
            soothi_blocks_class_column(r, j, list);
            continue;
        }
        const uint64_t own = soothi_sketch_error(&r->sketch[j]);
        const uint64_t *pair = soothi_sketch_end(&r->sketch[j], r->scratch, list, list + most, &n);
        soothi_blocks_cut_column(&r->columns, j, pair, n, r->missing[j] > 0);
        if (own > *error) *error = own;
    }
    sooth_free(r->env, list, most, 2 * sizeof *list);
    return SOOTH_OK;
}

/* ---- second pass: bins ---- */

/* Returns the class of a code; 0 for codes that no row of the first pass had. */
SOOTHI_LOCAL uint32_t soothi_blocks_class(const soothi_categories *c, size_t column, float code) {
    const uint32_t own = soothi_categories_class(c, column, code);
    return own == SOOTHI_CATEGORIES_UNSEEN ? 0 : own;
}

static void soothi_blocks_bin_task(void *arg, size_t i, size_t worker) {
    const soothi_blocks_reading *r = (const soothi_blocks_reading *)arg;
    const sooth_table *b = &r->pass.block;
    const soothi_columns *c = &r->columns;
    const size_t end = soothi_columns_block_end(i, r->stripe, b->cols);
    (void)worker;
    for (size_t j = i * r->stripe; j < end; ++j) {
        unsigned char *bin = c->bin + j * c->rows + r->pass.rows;
        const float *edge = c->edge + j * c->bins;
        const uint32_t used = c->used[j];
        for (size_t k = 0; k < b->rows; ++k) {
            const float x = b->x[k * b->stride + j];
            uint32_t low = 0, n = used;
            if (!soothi_row_counts(b->weight, k)) {
                n = 0; /* without a bin, as in soothi_columns_cut */
            } else if (soothi_nan((double)x)) {
                low = used;
                n = 0;
            } else if (r->categorical[j]) {
                low = soothi_blocks_class(&c->categories, j, x);
                n = 0;
            }
            while (n > 1) { /* the first edge that is at least x: the last one is infinite */
                const uint32_t half = n / 2;
                low += x > edge[low + half - 1] ? half : 0;
                n -= half;
            }
            bin[k] = (unsigned char)low;
        }
    }
}

SOOTHI_LOCAL sooth_status soothi_blocks_bin(soothi_blocks_reading *r) {
    const size_t targets = r->source->targets, rows = r->columns.rows;
    sooth_status status = soothi_source_again(&r->pass);
    while (status == SOOTH_OK) {
        const sooth_table *b = &r->pass.block;
        status = soothi_blocks_next(r, 0.5);
        if (status != SOOTH_OK || (b->rows == 0 && r->pass.rows == rows)) break;
        if (b->rows == 0 || b->rows > rows - r->pass.rows)
            return sooth_fail(r->env, SOOTH_BAD_DATA, "the source had %z rows, but the second time it has %s",
                              rows, b->rows ? "more" : "fewer");
        memcpy(r->y + r->pass.rows * targets, b->y, b->rows * targets * sizeof *r->y);
        if (r->weight) memcpy(r->weight + r->pass.rows, b->weight, b->rows * sizeof *r->weight);
        if (r->group) memcpy(r->group + r->pass.rows, b->group, b->rows * sizeof *r->group);
        soothi_columns_run(r->env, soothi_workers(r->env), 0, b->cols, b->rows, &r->stripe,
                           soothi_blocks_bin_task, r);
        r->pass.rows += b->rows;
    }
    return status;
}

/* ---- both passes ---- */

/* Allocates the result once the number of rows is known. */
SOOTHI_LOCAL void soothi_blocks_lay_out(soothi_carver *m, soothi_blocks_reading *r) {
    const size_t rows = r->columns.rows, targets = r->source->targets;
    soothi_columns_layout(m, &r->columns, 1);
    r->columns.least =
        (float *)soothi_carve(m, soothi_product(r->columns.cols, r->columns.bins), sizeof(float));
    r->y = (float *)soothi_carve(m, soothi_product(rows, targets), sizeof *r->y);
    r->weight = r->pass.weights > 0 ? (float *)soothi_carve(m, rows, sizeof *r->weight) : NULL;
    r->group = r->pass.groups > 0 ? (uint32_t *)soothi_carve(m, rows, sizeof *r->group) : NULL;
    uint8_t *categorical = (uint8_t *)soothi_carve(m, r->columns.cols, 1);
    if (!categorical) return;
    memcpy(categorical, r->categorical, r->columns.cols);
    r->categorical = categorical;
}

/* Sets the shape of the result after the first pass. */
SOOTHI_LOCAL void soothi_blocks_shape(soothi_blocks_reading *r) {
    soothi_categories *c = &r->columns.categories;
    r->columns = soothi_columns_of(r->pass.rows, r->pass.rows, r->source->cols, r->o.bins);
    c->cols = r->source->cols;
    c->categorical = r->categories ? r->categorical : NULL;
    for (size_t j = 0; j < c->cols; ++j) c->codes += r->ends[j];
}

/* Sets the offset of each column's codes, like soothi_categories_begin. */
SOOTHI_LOCAL void soothi_blocks_begin_classes(const soothi_blocks_reading *r) {
    const soothi_categories *c = &r->columns.categories;
    uint32_t at = 0;
    if (!c->categorical) return;
    for (size_t j = 0; j < c->cols; at += r->ends[j++]) c->first[j] = at;
    c->first[c->cols] = at;
    memset(c->of, 255, c->codes * sizeof *c->of);
}

SOOTHI_LOCAL void soothi_blocks_drop(soothi_blocks_reading *r) {
    const size_t cols = r->source->cols;
    for (size_t j = 0; r->sketch && j < cols; ++j) soothi_sketch_free(r->env, &r->sketch[j]);
    sooth_free(r->env, r->sketch, cols, sizeof *r->sketch);
    sooth_free(r->env, r->missing, cols, sizeof *r->missing);
    sooth_free(r->env, r->place, cols, 2 * sizeof *r->place + 1);
    sooth_free(r->env, r->counts, soothi_product(r->categories, SOOTH_MAX_CATEGORIES), sizeof *r->counts);
    sooth_free(r->env, r->scratch, soothi_workers(r->env), 3 * r->o.summary * sizeof *r->scratch);
    r->sketch = NULL;
    r->missing = NULL;
    r->place = r->counts = NULL;
    r->scratch = NULL;
}

/* Runs the first pass and cuts the bins. */
SOOTHI_LOCAL sooth_status soothi_blocks_open(soothi_blocks_reading *r, sooth_blocks *blocks) {
    const size_t cols = r->source->cols;
    soothi_carver m = {NULL, 0};
    uint64_t error = 0;
    r->sketch = (soothi_sketch *)sooth_alloc(r->env, cols, sizeof *r->sketch);
    if (r->sketch) memset(r->sketch, 0, cols * sizeof *r->sketch);
    r->missing = (size_t *)sooth_alloc(r->env, cols, sizeof *r->missing);
    r->scratch =
        (uint64_t *)sooth_alloc(r->env, soothi_workers(r->env), 3 * r->o.summary * sizeof *r->scratch);
    r->place = (uint32_t *)sooth_alloc(r->env, cols, 2 * sizeof *r->place + 1);
    if (!r->sketch || !r->missing || !r->scratch || !r->place)
        return sooth_no_memory(r->env, "the summaries of columns", soothi_product(cols, sizeof *r->sketch));
    memset(r->missing, 0, cols * sizeof *r->missing);
    memset(r->place, 0, cols * (2 * sizeof *r->place + 1));
    r->ends = r->place + cols;
    r->categorical = (uint8_t *)(r->ends + cols);
    for (size_t j = 0; j < cols; ++j) r->sketch[j].most = r->o.summary;
    sooth_status status = soothi_blocks_sketch(r);
    if (status != SOOTH_OK) return status;
    if (r->pass.rows == 0) return sooth_fail(r->env, SOOTH_BAD_DATA, "the source has no rows");
    soothi_blocks_shape(r);
    soothi_blocks_lay_out(&m, r);
    blocks->memory_size = m.used;
    blocks->memory = sooth_alloc(r->env, m.used, 1);
    if (!blocks->memory) return sooth_no_memory(r->env, "the bins of a table", m.used);
    m.memory = (unsigned char *)blocks->memory;
    m.used = 0;
    soothi_blocks_lay_out(&m, r);
    r->columns.categories.categorical = r->categories ? r->categorical : NULL;
    soothi_blocks_begin_classes(r);
    status = soothi_blocks_cut(r, &error);
    blocks->error = (double)error / (double)r->pass.rows;
    return status;
}

SOOTH_API sooth_status sooth_blocks_read(sooth_env *env, const sooth_source *source,
                                         const sooth_blocks_options *options, sooth_blocks *blocks) {
    soothi_blocks_reading r;
    memset(blocks, 0, sizeof *blocks);
    memset(&r, 0, sizeof r);
    sooth_status status = soothi_options_resolve(env, sooth_blocks_options_list(), options, sizeof r.o, &r.o);
    if (status == SOOTH_OK) status = soothi_source_check(env, source);
    if (status != SOOTH_OK) return status;
    r.env = env;
    r.source = source;
    r.pass = soothi_source_open(env, source);
    status = soothi_blocks_open(&r, blocks);
    soothi_blocks_drop(&r);
    if (status == SOOTH_OK) status = soothi_blocks_bin(&r);
    if (status != SOOTH_OK) {
        sooth_blocks_free(env, blocks);
        return status;
    }
    const soothi_columns *c = &r.columns;
    const sooth_bins bins = {c->bins,         c->bin, c->edge, c->least, c->used, c->categories.first,
                             c->categories.of};
    blocks->bins = bins;
    sooth_table_init(&blocks->table, NULL, c->rows, c->cols);
    blocks->table.bins = &blocks->bins;
    blocks->table.categorical = c->categories.categorical;
    blocks->table.names = source->names;
    blocks->table.targets = source->targets;
    blocks->table.y = r.y;
    blocks->table.weight = r.weight;
    blocks->table.group = r.group;
    return soothi_progress(env, "reading", 1.0);
}

SOOTH_API void sooth_blocks_free(sooth_env *env, sooth_blocks *blocks) {
    sooth_free(env, blocks->memory, blocks->memory_size, 1);
    memset(blocks, 0, sizeof *blocks);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
