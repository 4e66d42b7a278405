/* tree/grow.h - tree growing: the engine of tree.h, forest.h and boost.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A tree grows by splitting nodes. For each node the engine evaluates every split of every column, takes the
 * best and partitions the rows. This header has no public functions: tree.h, forest.h and boost.h call it and
 * convert the result to models.
 *
 *   columns     the table, sorted or cut into bins, once (tree/columns.h)
 *   rules       criterion, stopping rules and draws: soothi_grow_rules (tree/criterion.h)
 *   grower      the state of one growth; its memory is one piece, laid out by soothi_grow_layout
 *   record      one node while the tree grows
 *   set         of a categorical split: the classes that go left (tree/categories.h)
 *   order       the frontier: depth first, or best first if max_leaves is set (Shi: Best-first decision
 *               tree learning, 2007)
 *
 * A node's rows have one of three forms:
 *
 *   lists       Every column has the node's entries in ascending order; all splits are tried (exact). A
 *               split partitions each list, keeping the order, into the other one of two copies
 *               (list[depth & 1]). Nothing is sorted twice and nothing is copied back.
 *   cells       A histogram per column holds sums of doubles per bin: count, weight (if any), targets.
 *               Only the smaller child of a split is counted; the larger child's histogram is the
 *               difference (Ke et al.: LightGBM, NIPS 2017). For nodes of few rows, cells cost more than
 *               rows. Such nodes continue with lists, whose keys are the bins.
 *   packed      Cells of integers, for second derivatives: see soothi_grow_packed. Integer sums do not
 *               depend on the order, so workers may count one histogram in pieces, and differences are
 *               exact. Nodes of few rows are searched column by column without a histogram, and
 *               subtracted from the parent's row by row. Several processes may each have some of the
 *               rows. Every histogram is then the sum over the processes (base/reduce.h), a record's `rows`
 *               are those of all processes, and its `own` the local ones.
 *
 * With packed cells, nodes are split in batches. One worker takes one node at a time, which saves memory;
 * several workers take a whole level. A batch has two rounds, each shared by all workers:
 * - Round 1 partitions rows and counts the smaller children while their rows are in the cache. The rows of
 *   all nodes are concatenated and cut into shares of equal effort. A node that is cut is counted in pieces.
 * - Round 2 adds up the pieces and searches splits, column by column. It also moves the rows of cut nodes
 *   into place.
 * Nodes whose children are leaves are not partitioned. A node's split does not depend on the batch. If memory
 * is short, round 1 is a pass over all rows without lists: see tree/passes.h.
 *
 * How to grow trees:
 *
 *     soothi_grow_rules rules = ...;                    the caller's options, resolved
 *     soothi_grow_plan(&g, &rules, &columns, ...);      sizes
 *     soothi_grow_layout(&carver, &g);                  memory; both again once it is allocated
 *     soothi_columns_prepare(...);                      once for all trees
 *     for each tree
 *         g.y = ...; g.weight = ...; g.rows = ...;      rows with a weight above 0 take part
 *         soothi_grow_begin(&g);
 *         soothi_grow_tree(&g);
 *         soothi_grow_order(&g);                        records, breadth first; see soothi_grow_value
 *
 * A forest sets the weights to the numbers of draws and a stream per tree. Boosting sets y and weight to the
 * first and second derivatives of its loss, or passes them as integers.
 *
 * The smaller child comes first, so the stack never exceeds log2(rows) + 2. Depth first, a record's index
 * follows from the sizes above it, not from the order of work. Any worker can therefore grow any subtree at
 * any time with the same records. Best first, and with packed cells, records are numbered as created.
 *
 * Cost for n rows, d columns, T targets, D levels, w workers, B bins, L leaves:
 *   lists    O(d n D) time; 16 d n + (144 + 16 T) L + w n bytes
 *   cells    O(d n D / 2 + d B L) time; (12 + 4 T) n + 8 (T + 2) d B log2(n) + w (n + 32 d B) bytes
 *   packed   as many additions of integers; 8 n + 8 or 16 d B (D + 2) bytes, with several workers
 *            d B (2^(D - 1) + 3 w) of at most 64 MB instead; two rounds per level but the last
 *   ranks    packed cells in several processes: one reduction per level but the last (best first, or with
 *            columns drawn per node: per split). It sends 8 or 16 bytes for each cell of the histograms
 *            counted, 2^(level - 1) of at most d (B + 1) cells, from a buffer of that size. More than one
 *            reduction if that exceeds 8 MB, or the histograms of a level exceed 64 MB
 */
#if !defined(SOOTH_TREE_GROW_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_GROW_IMPLEMENTED))
#include "../base/reduce.h"
#include "histogram.h"
#endif

#ifndef SOOTH_TREE_GROW_H
#define SOOTH_TREE_GROW_H
#endif /* SOOTH_TREE_GROW_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_GROW_IMPLEMENTED)
#define SOOTH_TREE_GROW_IMPLEMENTED
SOOTHI_C_BEGIN

/* Prefetches a cache line. */
#if defined(__GNUC__) || defined(__clang__)
#define SOOTHI_FETCH(p) __builtin_prefetch(p)
#else
#define SOOTHI_FETCH(p) (void)0
#endif

#ifndef SOOTH_PREDICT_ONLY

#define SOOTHI_GROW_STACK 64
#define SOOTHI_GROW_TASKS 256u               /* subtrees for one worker are collected up to this many */
#define SOOTHI_GROW_LEVEL ((size_t)64 << 20) /* max bytes of the histograms of waiting nodes */
#define SOOTHI_GROW_COLUMNS 32u              /* min columns of a slice */
#define SOOTHI_GROW_SENT ((size_t)8 << 20)   /* max bytes of one reduction */

/* ---- splitting a node ---- */

/* Returns the maximum number of nodes of a subtree of `rows` rows at this depth, root included. The
   capacities of two children fit into their parent's, so records can be numbered top down. */
SOOTHI_LOCAL size_t soothi_grow_capacity(const soothi_grow_rules *rules, size_t rows, uint32_t depth) {
    size_t leaves = rows / rules->min_leaf, levels = rules->max_depth - depth;
    if (leaves == 0) leaves = 1;
    if (levels < 31 && leaves > (size_t)1 << levels) leaves = (size_t)1 << levels;
    return 2 * leaves - 1;
}

/* Returns the maximum number of nodes of a tree. */
SOOTHI_LOCAL size_t soothi_grow_nodes(const soothi_grow_rules *rules, size_t rows) {
    const size_t nodes = soothi_grow_capacity(rules, rows, 0);
    return rules->max_leaves && nodes > 2 * (size_t)rules->max_leaves - 1 ? 2 * (size_t)rules->max_leaves - 1
                                                                          : nodes;
}

/* Creates the records of a node's children. The left one gets rows_left rows, own_left of this process. */
SOOTHI_LOCAL void soothi_grow_make_children(soothi_grower *g, uint32_t id, uint32_t rows_left,
                                            uint32_t own_left, size_t worker) {
    soothi_grow_record *node = &g->record[id], *child;
    if (g->rules->max_leaves || g->packed.width) {
        node->left = g->records;
        node->right = g->records + 1;
        g->records += 2;
    } else {
        node->left = id + 1;
        node->right = id + 1 + (uint32_t)soothi_grow_capacity(g->rules, rows_left, node->depth + 1);
    }
    for (unsigned k = 0; k < 2; ++k) {
        child = &g->record[k ? node->right : node->left];
        memset(child, 0, sizeof *child);
        child->start = node->start + (k ? own_left : 0);
        child->own = k ? node->own - own_left : own_left;
        child->rows = k ? node->rows - rows_left : rows_left;
        child->depth = node->depth + 1;
    }
    ++g->worker[worker].splits;
}

/* Returns 1 if the stopping rules allow splitting this node. mixed: its targets differ. */
SOOTHI_LOCAL int soothi_grow_open(const soothi_grower *g, const soothi_grow_record *node, int mixed) {
    const soothi_grow_rules *rules = g->rules;
    return mixed && node->depth < rules->max_depth && node->rows >= rules->min_split &&
           node->rows / 2 >= rules->min_leaf && node->weight >= 2.0 * rules->min_weight;
}

/* Bounds the values of a node's children. On a constrained column, each child stays on its side of the
   midpoint between their means, within the parent's bounds. Otherwise both inherit the bounds. Two rows
   that differ only in one constrained column separate at a node that tests it, so their predictions are in
   order. */
SOOTHI_LOCAL void soothi_grow_bound_children(soothi_grower *g, uint32_t id) {
    const soothi_grow_record *node = &g->record[id];
    const int sign = g->rules->monotone[node->feature];
    const double *bound = g->bound + 2 * (size_t)id;
    double *left = g->bound + 2 * (size_t)node->left, *right = g->bound + 2 * (size_t)node->right;
    const double middle =
        0.5 * (soothi_grow_clip(g, id, g->mean[node->left]) + soothi_grow_clip(g, id, g->mean[node->right]));
    left[0] = right[0] = bound[0];
    left[1] = right[1] = bound[1];
    if (sign > 0) left[1] = right[0] = middle;
    if (sign < 0) left[0] = right[1] = middle;
}

/* Copies the entries in[0..n) to out in their old order: first the `left` entries of rows with side 0, then
   the others. which: 1 only the front is needed, 2 only the back, 3 both. */
SOOTHI_LOCAL void soothi_grow_partition(const uint64_t *in, uint64_t *out, size_t n, size_t left,
                                        const unsigned char *side, unsigned which) {
    size_t l = 0;
    if (which == 3) {
        for (size_t k = 0; k < n; ++k) {
            uint64_t entry = in[k];
            size_t right = side[soothi_entry_row(entry)], there = left + k - l;
            out[l ^ ((l ^ there) & (0 - right))] = entry;
            l += 1 - right;
        }
    } else if (which == 1) {
        for (size_t k = 0; l < left; ++k) {
            uint64_t entry = in[k];
            out[l] = entry;
            l += 1 - (size_t)side[soothi_entry_row(entry)];
        }
    } else {
        for (size_t k = n; n > left;) {
            uint64_t entry = in[--k];
            out[n - 1] = entry;
            n -= side[soothi_entry_row(entry)];
        }
    }
}

/* Sets side[row] to 0 if the row's class is in a set, else 1. missing: the side of rows without a value. */
SOOTHI_LOCAL void soothi_grow_mark_set(const uint64_t *list, size_t n, const uint32_t *set,
                                       unsigned char missing, unsigned char *side) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t key = soothi_entry_key(list[k]);
        side[soothi_entry_row(list[k])] =
            key == SOOTHI_KEY_MISSING ? missing : (unsigned char)!soothi_categories_in(set, key);
    }
}

/* Sets side[row] to 0 for the first `left` entries, to 1 for the rest. */
SOOTHI_LOCAL void soothi_grow_mark(const uint64_t *list, size_t n, size_t left, unsigned char *side) {
    size_t k;
    for (k = 0; k < left; ++k) side[soothi_entry_row(list[k])] = 0;
    for (; k < n; ++k) side[soothi_entry_row(list[k])] = 1;
}

typedef struct soothi_grow_partitioning {
    const soothi_grower *g;
    const soothi_grow_lists *lists;
    const soothi_grow_record *node;
    const unsigned char *side;
    size_t left, block;
    unsigned which;
} soothi_grow_partitioning;

static void soothi_grow_partition_task(void *arg, size_t i, size_t worker) {
    const soothi_grow_partitioning *p = (const soothi_grow_partitioning *)arg;
    const size_t end = soothi_block_end(i, p->block, p->g->cols);
    (void)worker;
    for (size_t j = i * p->block; j < end; ++j) {
        if (j == p->node->feature) continue;
        soothi_grow_partition(soothi_grow_list(p->lists, p->node, j),
                              soothi_grow_list_at(p->lists, p->node, j, p->node->depth + 1), p->node->rows,
                              p->left, p->side, p->which);
    }
}

/* Splits a node by its record. Returns 1 if the left child may be split further, plus 2 if the right one
   may. */
SOOTHI_LOCAL unsigned soothi_grow_split(soothi_grower *g, const soothi_grow_lists *lists, uint32_t id,
                                        size_t worker, int alone) {
    soothi_grow_record *node = &g->record[id];
    const uint64_t *in = soothi_grow_list(lists, node, node->feature);
    uint64_t *out = soothi_grow_list_at(lists, node, node->feature, node->depth + 1);
    unsigned char *side = g->worker[worker].side;
    uint32_t n = node->rows, p = node->rows_left, missing = 0;
    soothi_grow_partitioning moving = {g, lists, node, side, p, 0, 0};
    const int medians = g->width > g->cols;
    const uint32_t *set = soothi_grow_set(g, id);
    while (soothi_entry_key(in[n - 1 - missing]) == SOOTHI_KEY_MISSING) ++missing;
    if (set) {
        if (node->missing_left) moving.left += missing;
        soothi_grow_mark_set(in, n, set, (unsigned char)!node->missing_left, side);
        soothi_grow_partition(in, out, n, moving.left, side, 3);
    } else if (missing == 0) {
        node->missing_left = 2 * (size_t)p >= n;
        memcpy(out, in, n * sizeof *out);
    } else {
        if (node->missing_left) moving.left += missing;
        memcpy(out, in, p * sizeof *out);
        memcpy(out + p, in + (node->missing_left ? n - missing : p), (moving.left - p) * sizeof *out);
        memcpy(out + moving.left, in + p, (n - moving.left) * sizeof *out);
    }
    soothi_grow_make_children(g, id, (uint32_t)moving.left, (uint32_t)moving.left, worker);
    if (medians) soothi_grow_mark(out, n, moving.left, side);
    for (size_t j = g->cols; j < g->width; ++j)
        soothi_grow_partition(soothi_grow_list(lists, node, j),
                              soothi_grow_list_at(lists, node, j, node->depth + 1), n, moving.left, side, 3);
    for (unsigned k = 0; k < 2; ++k) {
        const uint32_t child = k ? node->right : node->left;
        soothi_grow_record *to = &g->record[child];
        double *mean = g->mean + child * g->targets;
        const int mixed = medians ? soothi_grow_measure_medians(g, lists, to, mean)
                                  : soothi_grow_measure(g, out + (k ? moving.left : 0), NULL, to, mean);
        if (soothi_grow_open(g, to, mixed)) moving.which |= 1u << k;
    }
    if (moving.which && !medians) soothi_grow_mark(out, n, moving.left, side);
    if (g->bound) soothi_grow_bound_children(g, id);
    if (moving.which)
        soothi_columns_run(g->env, alone ? 1 : g->workers, worker, g->cols, n, &moving.block,
                           soothi_grow_partition_task, &moving);
    return moving.which;
}

/* ---- growing by lists ---- */

/* Pushes the open children of a node, the smaller one last: it comes first, which keeps the stack low. */
SOOTHI_LOCAL size_t soothi_grow_push(const soothi_grower *g, uint32_t id, unsigned which, uint32_t *stack,
                                     size_t n) {
    const soothi_grow_record *node = &g->record[id];
    const int left_last = g->record[node->left].rows <= g->record[node->right].rows;
    if (left_last && (which & 2)) stack[n++] = node->right;
    if (which & 1) stack[n++] = node->left;
    if (!left_last && (which & 2)) stack[n++] = node->right;
    return n;
}

/* Grows the subtree of an open node on one worker. */
SOOTHI_LOCAL void soothi_grow_subtree(soothi_grower *g, const soothi_grow_lists *lists, uint32_t root,
                                      size_t worker) {
    uint32_t stack[SOOTHI_GROW_STACK];
    size_t n = 0;
    stack[n++] = root;
    while (n > 0) {
        uint32_t id = stack[--n];
        if (soothi_grow_find(g, lists, id, worker, 1))
            n = soothi_grow_push(g, id, soothi_grow_split(g, lists, id, worker, 1), stack, n);
    }
}

/* ---- histograms ---- */

typedef struct soothi_grow_filling {
    const soothi_grower *g;
    const uint32_t *row;
    size_t rows, block;
    double *cell;
} soothi_grow_filling;

/* Fills a block of columns of a histogram from row_y and row_weight. */
static void soothi_grow_fill_task(void *arg, size_t i, size_t worker) {
    const soothi_grow_filling *f = (const soothi_grow_filling *)arg;
    const soothi_grower *g = f->g;
    const float *y = g->row_y, *weight = g->row_weight;
    const size_t targets = g->targets, width = g->cell_width, first_sum = g->weight ? 2 : 1;
    const size_t size = g->columns->cells * width, end = soothi_block_end(i, f->block, g->cols);
    (void)worker;
    for (size_t j = i * f->block; j < end; ++j) {
        const unsigned char *bin = g->columns->bin + j * g->columns->rows;
        double *cell = f->cell + j * size;
        memset(cell, 0, size * sizeof *cell);
        if (targets == 1 && !g->weight) {
            for (size_t k = 0; k < f->rows; ++k) {
                double *here = cell + 2 * (size_t)bin[f->row[k]];
                here[0] += 1.0;
                here[1] += (double)y[k];
            }
        } else {
            for (size_t k = 0; k < f->rows; ++k) {
                double *here = cell + width * bin[f->row[k]], w = g->weight ? (double)weight[k] : 1.0;
                here[0] += 1.0;
                if (g->weight) here[1] += w;
                for (size_t t = 0; t < targets; ++t) here[first_sum + t] += w * (double)y[k * targets + t];
            }
        }
    }
}

/* Adds rows to packed cells, in the columns first..end of the tree, or subtracts them if sign is -1. Boosting
   spends most of its time here; rows far ahead are prefetched. */
SOOTHI_LOCAL void soothi_grow_add_rows(const soothi_grower *g, const uint32_t *row, size_t count,
                                       size_t first, size_t end, int sign, int64_t *cells) {
    const size_t cols = g->cols, step = g->columns->cells;
    const uint32_t count_bits = g->packed.count_bits;
    const unsigned char *bin = g->columns->by_row;
    const int32_t *whole = g->packed.whole;
    size_t k;
    if (g->packed.width == 1 && !g->column) {
        const size_t n = end - first;
        bin += first;
        cells += first * step;
        for (k = 0; k < count; ++k) {
            const unsigned char *b = bin + row[k] * cols;
            const int64_t c = sign * soothi_grow_pack(whole[row[k]], count_bits);
            int64_t *at = cells;
            if (k + 16 < count) SOOTHI_FETCH(bin + row[k + 16] * cols);
            if (k + 16 < count) SOOTHI_FETCH(whole + row[k + 16]);
            for (size_t j = 0; j < n; ++j, at += step) at[b[j]] += c;
        }
        return;
    }
    for (k = 0; k < count; ++k) {
        const unsigned char *b = bin + row[k] * cols;
        const size_t width = g->packed.width;
        const int64_t c = sign * soothi_grow_pack(whole[row[k] * width], count_bits),
                      h = (int64_t)sign * whole[row[k] * width + (width - 1)];
        for (size_t j = first; j < end; ++j) {
            const size_t column = g->column ? g->column[j] : j;
            int64_t *at = cells + (column * step + b[column]) * width;
            at[0] += c;
            if (width == 2) at[1] += h;
        }
    }
}

/* Computes the histogram of a node from its rows, in a free slot, unless it has one. */
SOOTHI_LOCAL void soothi_grow_fill(soothi_grower *g, uint32_t id) {
    soothi_grow_record *node = &g->record[id];
    soothi_grow_filling f;
    if (node->histogram) return;
    node->histogram = g->free_slot[--g->free_slots];
    f.g = g;
    f.row = g->row[node->depth & 1] + node->start;
    f.rows = node->rows;
    for (size_t k = 0; k < f.rows; ++k) {
        for (size_t t = 0; t < g->targets; ++t)
            g->row_y[k * g->targets + t] = g->y[(size_t)f.row[k] * g->targets + t];
        if (g->weight) g->row_weight[k] = g->weight[f.row[k]];
    }
    f.cell = g->cell + soothi_grow_slot(g, node->histogram);
    soothi_columns_run(g->env, g->workers, 0, g->cols, f.rows, &f.block, soothi_grow_fill_task, &f);
}

/* Subtracts the cells of one slot from those of another. */
SOOTHI_LOCAL void soothi_grow_subtract(soothi_grower *g, uint32_t from, uint32_t part) {
    const size_t size = soothi_grow_slot(g, 2), a = soothi_grow_slot(g, from), b = soothi_grow_slot(g, part);
    for (size_t k = 0; k < size; ++k) g->cell[a + k] -= g->cell[b + k];
}

SOOTHI_LOCAL void soothi_grow_release(soothi_grower *g, uint32_t id) {
    soothi_grow_record *node = &g->record[id];
    if (node->histogram) g->free_slot[g->free_slots++] = node->histogram;
    node->histogram = 0;
}

/* Passes the histogram of a split node on to its children, if they need one. which: 1 the left child may be
   split, 2 the right one, 3 both. Keeps two slots free, so that the next split always finds one. Released
   histograms are counted again when needed. */
SOOTHI_LOCAL void soothi_grow_pass_on(soothi_grower *g, uint32_t id, unsigned which) {
    soothi_grow_record *node = &g->record[id];
    const int left_is_smaller = g->record[node->left].rows <= g->record[node->right].rows;
    const uint32_t smaller = left_is_smaller ? node->left : node->right;
    const uint32_t larger = left_is_smaller ? node->right : node->left;
    const int need_smaller = (which & (left_is_smaller ? 1u : 2u)) && g->record[smaller].rows > g->few;
    const int need_larger = (which & (left_is_smaller ? 2u : 1u)) && g->record[larger].rows > g->few;
    if (need_larger && node->histogram) {
        soothi_grow_fill(g, smaller);
        soothi_grow_subtract(g, node->histogram, g->record[smaller].histogram);
        g->record[larger].histogram = node->histogram;
        node->histogram = 0;
        if (!need_smaller) soothi_grow_release(g, smaller);
    }
    soothi_grow_release(g, id);
    if (g->free_slots < 2) soothi_grow_release(g, smaller);
    if (g->free_slots < 2) soothi_grow_release(g, larger);
}

/* ---- splitting a node given by its rows ---- */

/* Like soothi_grow_part_rows, by a set of classes. */
SOOTHI_LOCAL size_t soothi_grow_part_set(const soothi_grower *g, const soothi_grow_record *node,
                                         const uint32_t *own, const uint32_t *in, size_t n, size_t right,
                                         size_t step, uint32_t *out) {
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    uint32_t set[SOOTHI_CATEGORIES_WORDS];
    size_t left = 0;
    memcpy(set, own, sizeof set);
    if (node->missing_left && g->columns->used[node->feature] < SOOTHI_CATEGORIES_CLASSES)
        soothi_categories_put(set, g->columns->used[node->feature]);
    for (size_t k = 0; k < n; ++k) {
        const uint32_t row = in[k];
        const size_t goes_left = (size_t)soothi_categories_in(set, bin[row]);
        out[right ^ ((right ^ left) & (0 - goes_left))] = row;
        left += goes_left;
        right += step & (goes_left - 1);
    }
    return left;
}

/* Partitions in[0..n) by the split of a node. Rows that go left go to out[0], out[1], ..., the others to
   out[right], out[right + step], ...; step is 1 or -1. Returns the number of left rows. Has no branch on the
   row, as every other one would be mispredicted. */
SOOTHI_LOCAL size_t soothi_grow_part_rows(const soothi_grower *g, const soothi_grow_record *node,
                                          const uint32_t *in, size_t n, size_t right, size_t step,
                                          uint32_t *out) {
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    const uint32_t used = g->columns->used[node->feature], cut = node->cut, missing_left = node->missing_left;
    const uint32_t *set = soothi_grow_set(g, (uint32_t)(node - g->record));
    size_t left = 0;
    if (set) return soothi_grow_part_set(g, node, set, in, n, right, step, out);
    for (size_t k = 0; k < n; ++k) {
        const uint32_t row = in[k], b = bin[row];
        const size_t goes_left = (uint32_t)(b <= cut) | ((uint32_t)(b >= used) & missing_left);
        out[right ^ ((right ^ left) & (0 - goes_left))] = row;
        left += goes_left;
        right += step & (goes_left - 1);
    }
    return left;
}

/* Writes the leaf of a node's rows below `end`: names[row] is `id` or, if its children are leaves, their
   index, `left` or left + 1. */
SOOTHI_LOCAL void soothi_grow_tell_rows(const soothi_grower *g, const soothi_grow_record *node,
                                        const uint32_t *row, size_t n, size_t end, uint32_t id, uint32_t left,
                                        uint32_t *names) {
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    const uint32_t used = g->columns->used[node->feature], cut = node->cut, missing_left = node->missing_left;
    const uint32_t *set = node->left ? soothi_grow_set(g, (uint32_t)(node - g->record)) : NULL;
    if (!node->left) {
        for (size_t k = 0; k < n && row[k] < end; ++k) names[row[k]] = id;
    } else {
        for (size_t k = 0; k < n && row[k] < end; ++k) {
            const uint32_t b = bin[row[k]];
            const uint32_t goes_left = set && b < used
                                           ? (uint32_t)soothi_categories_in(set, b)
                                           : (uint32_t)(b <= cut) | ((uint32_t)(b >= used) & missing_left);
            names[row[k]] = left + 1 - goes_left;
        }
    }
}

/* Creates and measures the children of a node (packed: its rows need not be partitioned yet). Returns 1 if
   the left child may be split further, plus 2 if the right one may. */
SOOTHI_LOCAL unsigned soothi_grow_raise(soothi_grower *g, uint32_t id) {
    soothi_grow_record *node = &g->record[id];
    unsigned which = 0;
    node->own_left = g->all_rows ? 0 : node->rows_left; /* several processes: soothi_grow_settle sets it */
    soothi_grow_make_children(g, id, node->rows_left, node->own_left, 0);
    for (unsigned k = 0; k < 2; ++k) {
        const uint32_t child = k ? node->right : node->left;
        int mixed = 1;
        if (g->packed.width) {
            const int64_t *sum = g->packed.sum + 4 * (size_t)id;
            int64_t part[2];
            for (size_t i = 0; i < 2; ++i) part[i] = k ? sum[i] - sum[2 + i] : sum[2 + i];
            soothi_grow_measure_packed(g, child, part, g->bound ? g->bound + 2 * (size_t)id : NULL);
        } else {
            const soothi_grow_record *to = &g->record[child];
            mixed = soothi_grow_measure(g, NULL, g->row[to->depth & 1] + to->start, &g->record[child],
                                        g->mean + child * g->targets);
        }
        if (soothi_grow_open(g, &g->record[child], mixed)) which |= 1u << k;
    }
    if (g->bound) soothi_grow_bound_children(g, id);
    return which;
}

/* Splits a node by its record, on one worker. */
SOOTHI_LOCAL unsigned soothi_grow_split_rows(soothi_grower *g, uint32_t id) {
    const soothi_grow_record *node = &g->record[id];
    soothi_grow_part_rows(g, node, g->row[node->depth & 1] + node->start, node->rows, node->rows_left, 1,
                          g->row[1 - (node->depth & 1)] + node->start);
    return soothi_grow_raise(g, id);
}

/* ---- packed: batches of nodes ---- */

/* Returns the rows of a node, in ascending order. */
SOOTHI_LOCAL const uint32_t *soothi_grow_rows(const soothi_grower *g, const soothi_grow_record *node) {
    return (node->depth ? g->row[node->depth & 1] : g->packed.root) + node->start;
}

/* Returns the number of columns of the tree. */
SOOTHI_LOCAL size_t soothi_grow_columns(const soothi_grower *g) {
    return g->column ? g->columns_used : g->cols;
}

/* Returns the number of tasks for an amount of work, with `least` or more per task: one per worker, if there
   is enough work. There are more only if each still has four times `least`. */
SOOTHI_LOCAL size_t soothi_grow_tasks(double work, double least, size_t workers) {
    const double tasks = work / least, each = tasks / (4.0 * (double)workers);
    if (tasks < 2.0 || workers == 1) return 1;
    if (tasks < (double)workers) return (size_t)tasks;
    return each < 2.0                  ? workers
           : each < SOOTHI_GROW_SHARES ? (size_t)each * workers
                                       : SOOTHI_GROW_SHARES * workers;
}

/* Returns the number of rows per part. If there are more parts than workers, all workers get equally many. */
SOOTHI_LOCAL size_t soothi_grow_share_of(size_t rows, size_t workers) {
    const size_t parts = soothi_grow_tasks((double)rows, SOOTHI_GROW_SHARE, workers);
    return parts > 1 ? (rows + parts - 1) / parts : rows + (rows == 0);
}

/* Returns 1 if a part holds all rows of its node, which then go directly to their place. */
SOOTHI_LOCAL int soothi_grow_is_whole(const soothi_grower *g, const soothi_grow_part *p) {
    return p->to - p->from == g->record[p->id].own && !g->all_rows;
}

/* Returns the additions, about, that starting a family's histograms costs: their cells are cleared. */
SOOTHI_LOCAL double soothi_grow_effort_to_begin(const soothi_grower *g, const soothi_grow_family *f) {
    return (double)(f->counted[0] + f->counted[1]) * (double)(soothi_grow_columns(g) * g->columns->cells);
}

/* Returns the additions, about, to partition and count one row of a family. */
SOOTHI_LOCAL double soothi_grow_effort_of_row(const soothi_grower *g, uint32_t id,
                                              const soothi_grow_family *f) {
    double rows = 0.0;
    for (size_t c = 0; c < 2; ++c)
        if (f->counted[c] || (c == 0 && f->taken)) rows += (double)g->record[f->child[c]].rows;
    return SOOTHI_GROW_MOVE + (double)soothi_grow_columns(g) * rows / (double)g->record[id].rows;
}

/* Sorts the parts by descending effort, in eighths of a share. Only small parts are left at the end of the
   round, so all workers finish at about the same time. */
SOOTHI_LOCAL void soothi_grow_sort_parts(soothi_grow_batch *b, double share) {
    uint32_t count[9] = {0};
    for (size_t i = 0; i < b->parts; ++i) {
        const double eighths = 8.0 * b->part[i].effort / share;
        b->part[i].eighths = eighths < 8.0 ? 8 - (uint32_t)eighths : 0;
        ++count[b->part[i].eighths];
    }
    soothi_running_sum(count, 9);
    for (size_t i = 0; i < b->parts; ++i) b->part[count[b->part[i].eighths]++].order = (uint32_t)i;
}

/* Returns the number of shares of the families' rows. *all is their effort, with a new start at every cut. */
SOOTHI_LOCAL size_t soothi_grow_count_shares(const soothi_grower *g, double *all) {
    const soothi_grow_batch *b = &g->batch;
    const size_t pieces = SOOTHI_GROW_SHARES * g->workers; /* pieces available besides the slots */
    double most = 0.0;                                     /* max effort to start one family */
    *all = 0.0;
    for (size_t k = 0; k < b->families; ++k) {
        const soothi_grow_family *f = &b->family[k];
        const double begin = soothi_grow_effort_to_begin(g, f);
        *all += begin + (double)g->record[b->id[k]].own * soothi_grow_effort_of_row(g, b->id[k], f);
        if (begin > most) most = begin;
    }
    size_t shares = soothi_grow_tasks(*all, SOOTHI_GROW_TASK, g->workers);
    if (most > (double)(soothi_grow_columns(g) * g->columns->cells) && shares > pieces / 2)
        shares = pieces / 2;
    *all += (double)(shares - 1) * most;
    return shares;
}

/* Cuts the concatenated rows of the families' parents into shares of equal effort. Each share is its even
   part of what remains. A node is cut where a share is full, unless a side would have few rows. Then it goes
   to this share or the next one as a whole. A share's rows of one node form a task of their own: efforts are
   estimates, and idle workers take tasks that have not started. */
SOOTHI_LOCAL void soothi_grow_share(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    double left;
    size_t shares = soothi_grow_count_shares(g, &left);            /* the present share and those after it */
    const double share = left > 0.0 ? left / (double)shares : 1.0; /* a process may have no rows */
    const double few = SOOTHI_GROW_SHARE / 4;
    double room = share; /* effort left in the present share */
    b->parts = 0;
    for (size_t k = 0; k < b->families; ++k) {
        const soothi_grow_family *f = &b->family[k];
        const size_t own = g->record[b->id[k]].own;
        const double begin = soothi_grow_effort_to_begin(g, f),
                     each = soothi_grow_effort_of_row(g, b->id[k], f);
        for (size_t from = 0, parts = 0; parts == 0 || from < own;) {
            const double rest = (double)(own - from), rows = shares > 1 ? (room - begin) / each : rest;
            const int cut = own >= SOOTHI_GROW_SHARE && rows >= few && rest - rows >= few;
            const size_t to = cut ? from + (size_t)rows : own;
            const double effort = begin + (double)(to - from) * each;
            const int fits = cut || shares == 1 || 2.0 * room >= effort;
            if (fits) {
                const soothi_grow_part part = {
                    (uint32_t)k, b->id[k], (uint32_t)from, (uint32_t)to, 0, 0, {0, 0}, {0, 0}, effort, 0, 0};
                b->part[b->parts++] = part;
                room -= effort;
                left -= effort;
                from = to;
                ++parts;
            }
            if (cut || !fits) room = left / (double)--shares;
        }
    }
    soothi_grow_sort_parts(b, share);
}

/* Assigns slots to the histograms that are counted. The first part of a node gets its slot, every other part
   a piece of its own. Integer sums do not depend on the pieces. */
SOOTHI_LOCAL void soothi_grow_deal_slots(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    uint32_t piece = (uint32_t)g->slots + 1;
    for (size_t i = 0, end; i < b->parts; i = end) {
        soothi_grow_family *f = &b->family[b->part[i].at];
        for (end = i + 1; end < b->parts && b->part[end].from; ++end) {}
        for (size_t c = 0; c < 2; ++c) {
            if (!f->counted[c]) continue;
            const uint32_t slot = g->free_slot[--g->free_slots];
            g->record[f->child[c]].histogram = b->part[i].slot[c] = slot;
            f->search[c].piece = piece;
            for (size_t k = i + 1; k < end; ++k) b->part[k].slot[c] = piece++;
            f->search[c].pieces = piece - f->search[c].piece;
        }
    }
}

/* Partitions a part of a node's rows. A whole node goes into place. Otherwise the rows stay within `spare`,
   the right ones backwards from the end, until all parts are counted. */
SOOTHI_LOCAL void soothi_grow_move_part(const soothi_grower *g, soothi_grow_part *p) {
    const soothi_grow_record *node = &g->record[p->id];
    const uint32_t *in = soothi_grow_rows(g, node) + p->from;
    const size_t n = p->to - p->from;
    if (soothi_grow_is_whole(g, p))
        soothi_grow_part_rows(g, node, in, n, node->rows_left, 1,
                              g->row[1 - (node->depth & 1)] + node->start);
    else
        p->left = (uint32_t)soothi_grow_part_rows(g, node, in, n, n - 1, (size_t)0 - 1,
                                                  g->packed.spare + node->start + p->from);
}

/* Returns the rows of a part that went to child c of its family, perhaps unordered; all for the root. */
SOOTHI_LOCAL const uint32_t *soothi_grow_part_of(const soothi_grower *g, const soothi_grow_part *p, size_t c,
                                                 size_t *count) {
    const soothi_grow_record *node = &g->record[p->id];
    const uint32_t child = g->batch.family[p->at].child[c];
    const size_t n = p->to - p->from, right = child == node->right;
    *count = g->batch.root                ? n
             : soothi_grow_is_whole(g, p) ? g->record[child].own
             : right                      ? n - p->left
                                          : p->left;
    if (g->batch.root) return g->packed.root + p->from;
    if (soothi_grow_is_whole(g, p)) return soothi_grow_rows(g, &g->record[child]);
    return g->packed.spare + node->start + p->from + (right ? p->left : 0);
}

/* Returns the nearest integer, for |v| < 2^31: adding 1.5 x 2^52 moves it to the low bits. */
SOOTHI_LOCAL int32_t soothi_grow_round(double v) {
    return (int32_t)(uint32_t)soothi_double_bits(v + 6755399441055744.0);
}

/* Converts the derivatives of some rows of the root to integers. */
SOOTHI_LOCAL void soothi_grow_make_whole(const soothi_grower *g, const uint32_t *row, size_t n) {
    const soothi_grow_packed *p = &g->packed;
    const float *first = p->derivative[0], *second = p->derivative[1];
    const double a = p->scale[0], b = p->scale[1];
    int32_t *whole = p->whole;
    if (p->width == 1 && n > 0 && row[n - 1] - row[0] == n - 1) { /* contiguous rows, which is faster */
        whole += row[0];
        first += row[0];
        for (size_t k = 0; k < n; ++k) whole[k] = soothi_grow_round((double)first[k] * a);
        return;
    }
    for (size_t k = 0; k < n; ++k) {
        const size_t i = row[k];
        whole[i * p->width] = soothi_grow_round((double)first[i] * a);
        if (p->width == 2) whole[2 * i + 1] = soothi_grow_round((double)second[i] * b);
    }
}

/* Counts the rows of a part, in the columns first..end of the tree. */
SOOTHI_LOCAL void soothi_grow_count_part(const soothi_grower *g, const soothi_grow_part *p, size_t first,
                                         size_t end) {
    const size_t size = g->columns->cells * (size_t)g->packed.width;
    const soothi_grow_family *f = &g->batch.family[p->at];
    for (size_t c = 0; c < 2; ++c) {
        if (!p->slot[c] && !(c == 0 && f->taken)) continue;
        size_t n;
        const uint32_t *row = soothi_grow_part_of(g, p, c, &n);
        if (!p->slot[c]) {
            soothi_grow_add_rows(g, row, n, first, end, -1,
                                 g->packed.cell + soothi_grow_slot(g, g->record[f->child[1]].histogram));
            continue;
        }
        int64_t *cells = g->packed.cell + soothi_grow_slot(g, p->slot[c]);
        if (!g->column) memset(cells + first * size, 0, (end - first) * size * sizeof *cells);
        for (size_t j = first; j < end && g->column; ++j)
            memset(cells + g->column[j] * size, 0, size * sizeof *cells);
        soothi_grow_add_rows(g, row, n, first, end, 1, cells);
    }
}

/* Adds up the rows of a slot, from one column, as every column has them all. */
SOOTHI_LOCAL void soothi_grow_sum_slot(const soothi_grower *g, size_t slot, int64_t sum[2]) {
    const size_t column = g->column ? g->column[0] : 0, width = g->packed.width;
    const int64_t *cell = g->packed.cell + soothi_grow_slot(g, slot) + column * g->columns->cells * width;
    for (size_t k = 0; k < g->columns->cells; ++k) {
        sum[0] += cell[k * width];
        if (width == 2) sum[1] += cell[2 * k + 1];
    }
}

/* Round 1 of a batch: partitions rows and counts them while they are in the cache. */
static void soothi_grow_part_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_grow_batch *b = &g->batch;
    (void)worker;
    soothi_grow_part *p = &b->part[b->part[i].order];
    if (b->root) soothi_grow_make_whole(g, g->packed.root + p->from, p->to - p->from);
    else soothi_grow_move_part(g, p);
    if (b->slices == 1) soothi_grow_count_part(g, p, 0, soothi_grow_columns(g));
    if (b->slices == 1 && b->root) soothi_grow_sum_slot(g, p->slot[0], p->sum);
}

/* Counts slices of columns in a round of its own, for few parts with many columns. */
static void soothi_grow_count_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const size_t all = soothi_grow_columns(g), slices = g->batch.slices, k = i % slices;
    (void)worker;
    soothi_grow_count_part(g, &g->batch.part[i / slices], all * k / slices, all * (k + 1) / slices);
}

/* Moves a part of a cut node into place. */
SOOTHI_LOCAL void soothi_grow_place_part(const soothi_grower *g, const soothi_grow_part *p) {
    const soothi_grow_record *node = &g->record[p->id];
    const uint32_t *own = g->packed.spare + node->start + p->from;
    const size_t n = p->to - p->from;
    uint32_t *out = g->row[1 - (node->depth & 1)] + node->start;
    uint32_t *right = out + node->own_left + (p->from - p->before);
    if (soothi_grow_is_whole(g, p)) return;
    memcpy(out + p->before, own, p->left * sizeof *own);
    for (size_t k = 0; k < n - p->left; ++k) right[k] = own[n - 1 - k];
}

SOOTHI_LOCAL void soothi_grow_place_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    (void)worker;
    soothi_grow_place_part(g, &g->batch.part[i]);
}

/* After round 1, sets how many rows went left before each part, and the local row counts. */
SOOTHI_LOCAL void soothi_grow_settle(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    for (size_t i = 0; i < b->parts; ++i) {
        soothi_grow_part *p = &b->part[i];
        soothi_grow_record *node = &g->record[p->id];
        if (p->from) p->before = p[-1].before + p[-1].left;
        if (!g->all_rows) continue;
        node->own_left = p->before + p->left;
        g->record[node->left].own = node->own_left;
        g->record[node->right].own = node->own - node->own_left;
        g->record[node->right].start = node->start + node->own_left;
    }
}

/* Copies a counted histogram to the words to send, adding up its pieces, or (back 1) copies the sums over all
   processes back. Only cells that can hold rows are sent: the bins and missing values of the tree's columns.
   Returns the number of words. */
SOOTHI_LOCAL size_t soothi_grow_exchange(const soothi_grower *g, size_t k, int64_t *word, int back) {
    const soothi_columns *c = g->columns;
    const soothi_grow_family *f = &g->batch.family[k / 2];
    const soothi_grow_packed_search *s = &f->search[k % 2];
    const size_t width = g->packed.width, slot = g->record[f->child[k % 2]].histogram;
    size_t n = 0;
    for (size_t j = 0; j < soothi_grow_columns(g); ++j) {
        const size_t column = g->column ? g->column[j] : j, at = column * c->cells * width;
        const size_t count = width * (c->used[column] < c->cells ? c->used[column] + 1 : c->cells);
        int64_t *cell = g->packed.cell + soothi_grow_slot(g, slot) + at;
        if (back) memcpy(cell, word + n, count * sizeof *cell);
        else memcpy(word + n, cell, count * sizeof *cell);
        for (uint32_t i = 0; i < s->pieces && !back; ++i) {
            const int64_t *piece = g->packed.cell + soothi_grow_slot(g, s->piece + i) + at;
            for (size_t t = 0; t < count; ++t) word[n + t] += piece[t];
        }
        n += count;
    }
    return n;
}

/* Sums the counted histograms over all processes, up to b->together in each reduction. */
SOOTHI_LOCAL void soothi_grow_reduce(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t all = 2 * b->families;
    for (size_t k = 0, first = 0, words = 0, count = 0; k < all; ++k) {
        if (b->family[k / 2].counted[k % 2]) {
            words += soothi_grow_exchange(g, k, b->word + words, 0);
            ++count;
        }
        if (k + 1 < all && count < b->together) continue;
        if (g->lost == SOOTH_OK) g->lost = soothi_reduce(g->env, SOOTH_REDUCE_SUM, b->word, words);
        for (words = 0; first <= k; ++first) {
            if (!b->family[first / 2].counted[first % 2]) continue;
            words += soothi_grow_exchange(g, first, b->word + words, 1);
            b->family[first / 2].search[first % 2].pieces = 0;
        }
        words = count = 0;
    }
}

/* Round 1: partitions the rows of the families' parents and counts the histograms for their children. */
SOOTHI_LOCAL void soothi_grow_part_families(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t all = soothi_grow_columns(g), wanted = SOOTHI_GROW_SHARES * g->workers;
    if (g->count) {
        g->count(g); /* uses no parts */
        return;
    }
    soothi_grow_share(g);
    soothi_grow_deal_slots(g);
    b->slices =
        g->workers == 1 || b->parts >= wanted || b->parts == 0 ? 1 : (wanted + b->parts - 1) / b->parts;
    if (b->slices > all / SOOTHI_GROW_COLUMNS) b->slices = all / SOOTHI_GROW_COLUMNS;
    if (b->slices == 0) b->slices = 1;
    soothi_parallel(g->env, b->parts, soothi_grow_part_task, g);
    if (b->slices > 1) soothi_parallel(g->env, b->parts * b->slices, soothi_grow_count_task, g);
    if (!b->root) soothi_grow_settle(g);
    if (g->all_rows) soothi_grow_reduce(g);
}

/* Sets the number of column blocks per family, so that all workers have some. */
SOOTHI_LOCAL void soothi_grow_cut_columns(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t all = soothi_grow_columns(g), wanted = SOOTHI_GROW_SEARCHES * g->workers;
    b->blocks = g->workers == 1 || b->families >= wanted ? 1 : (wanted + b->families - 1) / b->families;
    b->block = b->blocks < all ? all / b->blocks : 1;
    b->blocks = (all + b->block - 1) / b->block;
}

/* Completes the histograms of a family in one column of the tree: adds up the pieces and subtracts the
   smaller child's from the parent's. */
SOOTHI_LOCAL void soothi_grow_complete(const soothi_grower *g, const soothi_grow_family *f, size_t column) {
    const size_t size = g->columns->cells * (size_t)g->packed.width, at = column * size;
    for (size_t c = 0; c < 2; ++c) {
        const soothi_grow_packed_search *s = &f->search[c];
        if (!f->counted[c]) continue;
        int64_t *cell = g->packed.cell + soothi_grow_slot(g, g->record[f->child[c]].histogram) + at;
        for (uint32_t i = 0; i < s->pieces; ++i) {
            const int64_t *piece = g->packed.cell + soothi_grow_slot(g, s->piece + i) + at;
            for (size_t k = 0; k < size; ++k) cell[k] += piece[k];
        }
    }
    if (!f->differs) return;
    const int64_t *less = g->packed.cell + soothi_grow_slot(g, g->record[f->child[0]].histogram) + at;
    int64_t *cell = g->packed.cell + soothi_grow_slot(g, g->record[f->child[1]].histogram) + at;
    for (size_t k = 0; k < size; ++k) cell[k] -= less[k];
}

/* Round 2 of a batch. The first tasks are the longest: they move parts into place, which no search reads.
   Each other task searches a block of columns of one family. */
static void soothi_grow_family_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_grow_batch *b = &g->batch;
    if (i < b->places) {
        soothi_grow_place_part(g, &b->part[i]);
        return;
    }
    i -= b->places;
    const size_t k = i % b->families, first = i / b->families * b->block;
    const size_t end = soothi_block_end(i / b->families, b->block, soothi_grow_columns(g));
    soothi_grow_family *f = &b->family[k];
    for (size_t j = first; j < end; ++j) soothi_grow_complete(g, f, g->column ? g->column[j] : j);
    for (size_t c = 0; c < 2; ++c)
        if (f->wanted[c]) {
            const soothi_grow_record *child = &g->record[f->child[c]];
            soothi_grow_search_packed(&f->search[c], child->histogram ? NULL : soothi_grow_rows(g, child),
                                      first, end, &g->worker[worker],
                                      b->blocks == 1 ? NULL : b->split + (2 * k + c) * 2 * g->cols);
        }
}

/* Finds the best splits of the wanted children of all families. Children with a split stay wanted. */
SOOTHI_LOCAL void soothi_grow_search_families(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    b->places = 0;
    for (size_t i = 0; i < b->parts; ++i)
        if (!soothi_grow_is_whole(g, &b->part[i])) b->places = b->parts;
    for (size_t k = 0; k < 2 * b->families; ++k) {
        if (g->lost != SOOTH_OK) b->family[k / 2].wanted[k % 2] = 0; /* histograms are undefined */
        if (b->family[k / 2].wanted[k % 2])
            soothi_grow_open_search(g, b->family[k / 2].child[k % 2], &b->family[k / 2].search[k % 2]);
    }
    soothi_parallel(g->env, b->places + b->families * b->blocks, soothi_grow_family_task, g);
    for (size_t k = 0; k < 2 * b->families; ++k) {
        soothi_grow_family *f = &b->family[k / 2];
        if (f->wanted[k % 2] && b->blocks > 1)
            soothi_grow_join_splits(&f->search[k % 2], g->worker[0].pick, b->split + 2 * k * g->cols);
        if (f->wanted[k % 2]) f->wanted[k % 2] = soothi_grow_enter_packed(g, &f->search[k % 2]);
    }
}

/* Returns 1 if a child has so few rows that it needs no histogram. Its rows must then be in place for the
   search, so the parent must not be cut into parts. */
SOOTHI_LOCAL int soothi_grow_is_few(const soothi_grower *g, const soothi_grow_record *parent,
                                    uint32_t child) {
    return g->record[child].rows <= g->few && (g->workers == 1 || parent->rows < SOOTHI_GROW_SHARE);
}

/* Sets up the family of a split node and passes its histogram on to the children, if they need one. which: 1
   the left child may be split, 2 the right one, 3 both; 0 means no family. */
SOOTHI_LOCAL void soothi_grow_found_family(soothi_grower *g, uint32_t id, unsigned which) {
    soothi_grow_record *node = &g->record[id];
    soothi_grow_family *f = &g->batch.family[g->batch.families];
    const unsigned right = g->record[node->left].rows > g->record[node->right].rows; /* 1: it is smaller */
    if (!which) {
        g->record[node->left].stays = g->record[node->right].stays = 1;
        soothi_grow_release(g, id);
        return;
    }
    g->batch.id[g->batch.families++] = id;
    f->child[0] = right ? node->right : node->left;
    f->child[1] = right ? node->left : node->right;
    f->wanted[0] = (which >> right & 1u) != 0;
    f->wanted[1] = (which >> (1 - right) & 1u) != 0;
    const int goes_over = f->wanted[1] && node->histogram && !soothi_grow_is_few(g, node, f->child[1]);
    const int whole = !g->count && !g->all_rows && (g->workers == 1 || node->rows < SOOTHI_GROW_SHARE);
    f->counted[0] = f->wanted[0] && !soothi_grow_is_few(g, node, f->child[0]);
    f->taken = goes_over && !f->counted[0] && whole;
    f->differs = goes_over && !f->taken && g->record[f->child[0]].rows > 0;
    f->counted[0] |= f->differs;
    f->counted[1] = f->wanted[1] && !goes_over && !soothi_grow_is_few(g, node, f->child[1]);
    if (goes_over) {
        g->record[f->child[1]].histogram = node->histogram;
        node->histogram = 0;
    }
    soothi_grow_release(g, id);
}

/* Splits the nodes batch.id[0..n) and finds the best splits of their children. A child with a split stays
   wanted and keeps its histogram, as long as two slots are free. */
SOOTHI_LOCAL void soothi_grow_step(soothi_grower *g, size_t n) {
    soothi_grow_batch *b = &g->batch;
    b->families = 0; /* at most k, so entries are read before they are replaced */
    for (size_t k = 0; k < n; ++k) soothi_grow_found_family(g, b->id[k], soothi_grow_raise(g, b->id[k]));
    if (b->families == 0) return;
    soothi_grow_cut_columns(g);
    soothi_grow_part_families(g);
    soothi_grow_search_families(g);
    for (size_t k = 0; k < 2 * b->families; ++k)
        if (!b->family[k / 2].wanted[k % 2]) soothi_grow_release(g, b->family[k / 2].child[k % 2]);
    for (size_t k = 0; k < 2 * b->families && g->free_slots < 2; ++k)
        soothi_grow_release(g, b->family[k / 2].child[k % 2]);
}

/* Returns the maximum number of slots that splitting a node takes. */
SOOTHI_LOCAL size_t soothi_grow_slots_for(const soothi_grower *g, const soothi_grow_record *node) {
    if (node->depth + 1 == g->rules->max_depth || node->rows <= g->few) return 0; /* without a histogram */
    return node->histogram ? 1 : 2;
}

/* Grows depth first in batches: takes the last waiting nodes, as many as there are slots for. The smaller
   child of a node comes after the larger one. */
SOOTHI_LOCAL void soothi_grow_batches(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    uint32_t *stack = g->task;
    size_t n = 0, count;
    if (b->family[0].wanted[0]) stack[n++] = 0;
    while (n > 0) {
        size_t slots = g->free_slots;
        for (count = 0; count < n && count < b->most; ++count) {
            const uint32_t id = stack[n - 1 - count];
            const size_t need = soothi_grow_slots_for(g, &g->record[id]);
            if (count > 0 && slots < need) break;
            slots -= need;
            b->id[count] = id;
        }
        n -= count;
        soothi_grow_step(g, count);
        for (size_t k = b->families; k-- > 0;)
            for (size_t c = 2; c-- > 0;)
                if (b->family[k].wanted[c]) stack[n++] = b->family[k].child[c];
    }
}

/* Lists the rows row[0..n) in the order of their bins, for every column, by counting sort. */
SOOTHI_LOCAL void soothi_grow_list_bins(const soothi_columns *c, const uint32_t *row, size_t n,
                                        const soothi_grow_lists *lists) {
    for (size_t j = 0; j < c->cols; ++j) {
        const unsigned char *bin = c->bin + j * c->rows;
        uint64_t *list = lists->list[0] + j * lists->stride;
        uint32_t count[257] = {0};
        for (size_t k = 0; k < n; ++k) ++count[bin[row[k]]];
        soothi_running_sum(count, 257);
        for (size_t k = 0; k < n; ++k) {
            const uint32_t b = bin[row[k]];
            list[count[b]++] = (uint64_t)(b < c->used[j] ? b : SOOTHI_KEY_MISSING) << 32 | row[k];
        }
    }
}

/* ---- growing a tree ---- */

SOOTHI_LOCAL sooth_status soothi_grow_report(soothi_grower *g, double done) {
    return g->stage ? soothi_progress(g->env, g->stage, done) : SOOTH_OK;
}

/* Returns 1 if one worker should grow this node's whole subtree, with lists. */
SOOTHI_LOCAL int soothi_grow_is_small(const soothi_grower *g, const soothi_grow_record *node) {
    return g->row[0] ? node->rows <= g->few : soothi_product(node->rows, g->width) <= SOOTHI_GROW_SUBTREE;
}

static void soothi_grow_small_task(void *arg, size_t i, size_t worker) {
    soothi_grower *g = (soothi_grower *)arg;
    const soothi_grow_record *node = &g->record[g->task[i]];
    soothi_grow_lists lists = g->lists;
    if (g->row[0]) {
        lists.list[0] = g->worker[worker].list[0];
        lists.list[1] = g->worker[worker].list[1];
        lists.stride = soothi_columns_stride(g->few);
        lists.start = node->start;
        lists.depth = node->depth;
        soothi_grow_list_bins(g->columns, g->row[node->depth & 1] + node->start, node->rows, &lists);
    }
    soothi_grow_subtree(g, &lists, g->task[i], worker);
}

/* Runs the collected subtrees. */
SOOTHI_LOCAL sooth_status soothi_grow_run_tasks(soothi_grower *g) {
    soothi_parallel(g->env, g->tasks, soothi_grow_small_task, g);
    for (size_t i = 0; i < g->tasks; ++i) g->done += g->record[g->task[i]].rows;
    g->tasks = 0;
    return soothi_grow_report(g, (double)g->done / (double)g->rows);
}

/* Finds the best split of a node, in any form of its rows. Keeps its histogram if two slots stay free. */
SOOTHI_LOCAL int soothi_grow_find_any(soothi_grower *g, uint32_t id) {
    if (!g->row[0]) return soothi_grow_find(g, &g->lists, id, 0, 0);
    soothi_grow_fill(g, id);
    const int found = soothi_grow_find(g, NULL, id, 0, 0);
    if (!found || g->free_slots < 2) soothi_grow_release(g, id);
    return found;
}

SOOTHI_LOCAL unsigned soothi_grow_split_any(soothi_grower *g, uint32_t id) {
    if (!g->row[0]) return soothi_grow_split(g, &g->lists, id, 0, 0);
    unsigned which = soothi_grow_split_rows(g, id);
    soothi_grow_pass_on(g, id, which);
    return which;
}

/* Splits a node and finds the best splits of its children. Returns 1 if the left one has a split, plus 2 if
   the right one has. last: no other node will be split, so no search is needed. */
SOOTHI_LOCAL unsigned soothi_grow_expand(soothi_grower *g, uint32_t id, int last) {
    const soothi_grow_family *f = &g->batch.family[0];
    if (g->packed.width && last) {
        soothi_grow_raise(g, id);
        soothi_grow_found_family(g, id, 0);
        return 0;
    }
    if (g->packed.width) {
        g->batch.id[0] = id;
        soothi_grow_step(g, 1);
        const unsigned right = f->child[0] == g->record[id].right;
        if (g->batch.families == 0) return 0;
        return (unsigned)f->wanted[0] << right | (unsigned)f->wanted[1] << !right;
    }
    unsigned which = soothi_grow_split_any(g, id);
    if (last) {
        soothi_grow_release(g, g->record[id].left);
        soothi_grow_release(g, g->record[id].right);
        return 0;
    }
    if ((which & 1) && !soothi_grow_find_any(g, g->record[id].left)) which &= 2u;
    if ((which & 2) && !soothi_grow_find_any(g, g->record[id].right)) which &= 1u;
    return which;
}

/* Grows depth first: all workers share each large node, and each small subtree has one worker. */
SOOTHI_LOCAL sooth_status soothi_grow_depth_first(soothi_grower *g) {
    uint32_t stack[SOOTHI_GROW_STACK];
    size_t n = 0;
    sooth_status status = SOOTH_OK;
    stack[n++] = 0;
    while (n > 0 && status == SOOTH_OK) {
        uint32_t id = stack[--n];
        const soothi_grow_record *node = &g->record[id];
        if (soothi_grow_is_small(g, node)) {
            g->task[g->tasks++] = id;
            if (g->workers == 1 || g->tasks == SOOTHI_GROW_TASKS) status = soothi_grow_run_tasks(g);
        } else if (soothi_grow_find_any(g, id)) {
            unsigned which = soothi_grow_split_any(g, id);
            if (!(which & 1)) g->done += g->record[node->left].rows;
            if (!(which & 2)) g->done += g->record[node->right].rows;
            n = soothi_grow_push(g, id, which, stack, n);
            status = soothi_grow_report(g, (double)g->done / (double)g->rows);
        } else {
            g->done += node->rows;
        }
    }
    return status == SOOTH_OK ? soothi_grow_run_tasks(g) : status;
}

/* Returns 1 if the split of record a gains more than that of b. The older record wins a tie. */
SOOTHI_LOCAL int soothi_grow_before(const soothi_grower *g, uint32_t a, uint32_t b) {
    double gain_a = g->record[a].gain, gain_b = g->record[b].gain;
    return gain_a > gain_b || (!(gain_a < gain_b) && a < b);
}

/* Grows best first, up to max_leaves: always splits the node with the largest gain. The frontier is a
   heap. */
SOOTHI_LOCAL sooth_status soothi_grow_best_first(soothi_grower *g) {
    uint32_t *heap = g->task, leaves = 1;
    size_t n = 0, i;
    sooth_status status = SOOTH_OK;
    if (g->packed.width ? g->batch.family[0].wanted[0] : soothi_grow_find_any(g, 0)) heap[n++] = 0;
    while (n > 0 && leaves < g->rules->max_leaves && status == SOOTH_OK) {
        uint32_t id = heap[0], last = heap[--n], child;
        for (i = 0; 2 * i + 1 < n; i = child) { /* the last entry sinks from the top */
            child = (uint32_t)(2 * i + 1);
            if (child + 1 < n && soothi_grow_before(g, heap[child + 1], heap[child])) ++child;
            if (soothi_grow_before(g, last, heap[child])) break;
            heap[i] = heap[child];
        }
        heap[i] = last;
        const unsigned which = soothi_grow_expand(g, id, ++leaves == g->rules->max_leaves);
        for (unsigned k = 0; k < 2; ++k) {
            child = k ? g->record[id].right : g->record[id].left;
            if (!(which >> k & 1)) continue;
            for (i = n++; i > 0 && soothi_grow_before(g, child, heap[(i - 1) / 2]); i = (i - 1) / 2)
                heap[i] = heap[(i - 1) / 2];
            heap[i] = child;
        }
        status = soothi_grow_report(g, (double)leaves / (double)g->rules->max_leaves);
    }
    for (i = 0; i < n; ++i) soothi_grow_release(g, heap[i]);
    return status;
}

/* Counts and measures the histogram of the root for packed cells. */
SOOTHI_LOCAL void soothi_grow_packed_root(soothi_grower *g) {
    soothi_grow_family *f = &g->batch.family[0];
    int64_t sum[2] = {0, 0};
    memset(f, 0, sizeof *f);
    f->wanted[0] = f->counted[0] = 1;
    g->batch.id[0] = 0;
    g->batch.families = 1;
    g->batch.root = 1;
    soothi_grow_part_families(g);
    g->batch.root = 0;
    if (g->lost != SOOTH_OK) return;
    if (g->count || g->all_rows || g->batch.slices > 1) {
        soothi_grow_sum_slot(g, g->record[0].histogram, sum);
        for (uint32_t i = 0; i < f->search[0].pieces; ++i)
            soothi_grow_sum_slot(g, f->search[0].piece + i, sum);
    } else { /* every part has its sum */
        for (size_t i = 0; i < g->batch.parts; ++i)
            for (size_t t = 0; t < 2; ++t) sum[t] += g->batch.part[i].sum[t];
    }
    g->batch.parts = 0; /* the rows are in place */
    soothi_grow_measure_packed(g, 0, sum, g->bound);
}

/* Creates and measures the root from the rows in place. Returns 1 if it may be split. */
SOOTHI_LOCAL int soothi_grow_root(soothi_grower *g) {
    soothi_grow_record *root = &g->record[0];
    int mixed = 1;
    for (size_t w = 0; w < g->workers; ++w) g->worker[w].splits = 0;
    g->tasks = g->done = 0;
    g->records = 1;
    memset(root, 0, sizeof *root);
    root->own = (uint32_t)g->rows;
    root->rows = (uint32_t)(g->all_rows ? g->all_rows : g->rows);
    if (g->bound) {
        g->bound[0] = -DBL_MAX;
        g->bound[1] = DBL_MAX;
    }
    if (g->packed.width) {
        soothi_grow_packed_root(g);
    } else if (g->width > g->cols) {
        mixed = soothi_grow_measure_medians(g, &g->lists, root, g->mean);
    } else {
        mixed = soothi_grow_measure(g, g->row[0] ? NULL : g->lists.list[0], g->row[0], root, g->mean);
    }
    g->total = root->weight;
    if (g->lost == SOOTH_OK && soothi_grow_open(g, root, mixed)) return 1;
    soothi_grow_release(g, 0);
    return 0;
}

/* Grows a tree from the lists or rows in place. The records then hold the tree. */
SOOTHI_LOCAL sooth_status soothi_grow_tree(soothi_grower *g) {
    if (!soothi_grow_root(g)) return SOOTH_OK;
    if (g->packed.width) {
        soothi_grow_cut_columns(g);
        soothi_grow_search_families(g);
        if (!g->batch.family[0].wanted[0]) {
            soothi_grow_release(g, 0);
            return SOOTH_OK;
        }
    }
    if (g->rules->max_leaves) return soothi_grow_best_first(g);
    if (!g->packed.width) return soothi_grow_depth_first(g);
    soothi_grow_batches(g);
    return SOOTH_OK;
}

/* Numbers the nodes of the grown tree breadth first. Node k was record g->order[k]; the children of the k-th
   inner node are at 2 k + 1 and 2 k + 2. Returns the number of nodes. Overwrites the rows and lists of the
   tree (packed: keeps them). */
SOOTHI_LOCAL size_t soothi_grow_order(soothi_grower *g) {
    size_t next = 1;
    g->order[0] = 0;
    for (size_t at = 0; at < next; ++at) {
        const soothi_grow_record *r = &g->record[g->order[at]];
        if (!r->left) continue;
        g->order[next++] = r->left;
        g->order[next++] = r->right;
    }
    return next;
}

/* Returns the prediction of a node: its mean or median, within its bounds. */
SOOTHI_LOCAL double soothi_grow_value(const soothi_grower *g, uint32_t id, size_t t) {
    return soothi_grow_clip(g, id, g->mean[id * g->targets + t]);
}

/* ---- before a tree: the rows that take part ---- */

/* Copies the entries of rows with a weight above 0 to the working lists. */
static void soothi_grow_begin_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_columns *c = g->columns;
    const size_t end = soothi_block_end(i, g->block, c->cols);
    (void)worker;
    for (size_t j = i * g->block; j < end; ++j) {
        const uint64_t *from = c->list + j * c->stride;
        uint64_t *to = g->lists.list[0] + j * g->lists.stride; /* may be `from` */
        for (size_t k = 0; k < c->entries; ++k)
            if (soothi_row_counts(g->weight, soothi_entry_row(from[k]))) *to++ = from[k];
    }
}

/* Puts the rows of positive weight in place for a growth. g->y, g->weight and g->rows may change between
   trees, the columns must not. The lists of a single tree may be the columns' own. The caller places packed
   rows. */
SOOTHI_LOCAL void soothi_grow_begin(soothi_grower *g) {
    const soothi_columns *c = g->columns;
    size_t k;
    for (size_t i = 0; i < g->slots; ++i) g->free_slot[i] = (uint32_t)(g->slots - i);
    g->free_slots = g->slots;
    if (g->packed.width) return;
    if (!c->bins && (c->list != g->lists.list[0] || c->entries != g->rows))
        soothi_columns_run(g->env, g->workers, 0, c->cols, c->entries, &g->block, soothi_grow_begin_task, g);
    if (c->bins) {
        uint32_t *row = g->row[0] ? g->row[0] : g->worker[0].before;
        for (size_t i = k = 0; i < c->rows; ++i)
            if (soothi_row_counts(g->weight, i)) row[k++] = (uint32_t)i;
        if (!g->row[0]) soothi_grow_list_bins(c, row, g->rows, &g->lists);
    }
    for (size_t t = 0; t + g->cols < g->width; ++t) {
        uint64_t *list = g->lists.list[0] + (g->cols + t) * g->lists.stride;
        for (size_t i = k = 0; i < c->rows; ++i)
            if (soothi_row_counts(g->weight, i)) list[k++] = soothi_entry(g->y[i * g->targets + t], i);
        soothi_entry_sort(list, g->lists.list[1], g->rows);
    }
}

/* ---- memory ---- */

/* Plans whole levels for several workers, as far as memory allows. Columns drawn by node index need the order
   of a single worker. */
SOOTHI_LOCAL void soothi_grow_plan_levels(soothi_grower *g) {
    const size_t bytes = soothi_grow_slot(g, 2) * sizeof(int64_t);
    size_t most = g->capacity / 4 + 1; /* max nodes of one level that can be split */
    if (most > SOOTHI_GROW_LEVEL / bytes) most = SOOTHI_GROW_LEVEL / bytes;
    if (most == 0) most = 1;
    g->batch.most = most;
    if (g->slots < most + 2) g->slots = most + 2;
}

/* With several processes, sets the maximum number of histograms per reduction. A batch counts one per family,
   or two if the parent has none any more. */
SOOTHI_LOCAL void soothi_grow_plan_ranks(soothi_grower *g) {
    const size_t most = SOOTHI_GROW_SENT / (soothi_grow_slot(g, 2) * sizeof(int64_t));
    g->batch.together = g->batch.most < most ? g->batch.most + 1 : most;
    if (g->batch.together == 0) g->batch.together = 1;
}

/* Sets all sizes from the rules and the shape of the columns. weights: rows have weights. packed: 0, or the
   values of a packed cell. */
SOOTHI_LOCAL void soothi_grow_plan(soothi_grower *g, const soothi_grow_rules *rules, const soothi_columns *c,
                                   size_t targets, int weights, uint32_t packed, size_t workers) {
    memset(g, 0, sizeof *g);
    g->rules = rules;
    g->columns = c;
    g->rows = c->entries;
    g->cols = g->width = c->cols;
    g->targets = targets;
    g->workers = workers;
    g->packed.width = packed;
    if (rules->criterion == SOOTHI_GROW_ABSOLUTE || rules->criterion == SOOTHI_GROW_RELATIVE)
        g->width += targets;
    g->capacity = soothi_grow_nodes(rules, g->rows);
    if (packed) {
        g->cell_width = packed;
        g->slots = rules->max_leaves ? SOOTHI_GROW_LEVEL / (soothi_grow_slot(g, 2) * sizeof(int64_t))
                                     : rules->max_depth + 2u;
        if (rules->max_leaves && g->slots > rules->max_leaves + 2u) g->slots = rules->max_leaves + 2u;
        if (g->slots < 4) g->slots = 4;
        g->batch.most = 1;
        g->few = c->categories.categorical ? 0 : SOOTHI_GROW_FEW; /* classes are summed from cells */
        if (workers > 1 && !rules->max_leaves && !(rules->node_share < 1.0)) soothi_grow_plan_levels(g);
    } else if (c->bins && g->width == g->cols) {
        g->cell_width = targets + (weights ? 2u : 1u);
        g->few = rules->max_leaves ? 0 : 2 * c->bins;
        g->slots = 4;
        for (size_t half = g->rows; half > 1; half /= 2) ++g->slots;
        if (g->slots > g->rows) g->slots = g->rows + 2;
    }
}

/* Lays out the memory of one worker. */
SOOTHI_LOCAL void soothi_grow_layout_worker(soothi_carver *m, const soothi_grower *g,
                                            soothi_grow_worker *worker) {
    const soothi_grow_rules *rules = g->rules;
    const size_t rows = g->columns->rows, places = g->rows + 2, columns = rules->monotone ? places : 0;
    memset(worker, 0, sizeof *worker);
    if (g->packed.width || rules->max_features)
        worker->pick = (uint32_t *)soothi_carve(m, g->cols, sizeof(uint32_t));
    if (g->columns->categories.categorical) {
        const size_t classes = SOOTHI_CATEGORIES_CLASSES, numbers = (classes + 1) * (2 + g->targets);
        worker->level = (double *)soothi_carve(m, numbers, sizeof(double));
        worker->statistic = (double *)soothi_carve(m, classes, sizeof(double));
        worker->order = (uint32_t *)soothi_carve(m, classes, sizeof(uint32_t));
        worker->set = (uint32_t *)soothi_carve(m, SOOTHI_CATEGORIES_WORDS, sizeof(uint32_t));
        if (g->width > g->cols) worker->arranged = (uint64_t *)soothi_carve(m, rows, sizeof(uint64_t));
        if (g->packed.width) worker->sum = (double *)soothi_carve(m, 1, sizeof(double));
    }
    if (g->packed.width) {
        worker->few = (int64_t *)soothi_carve(m, 1024, sizeof(int64_t));
        worker->part = (double *)soothi_carve(m, 2 * (SOOTHI_GROW_TABLE + 1), sizeof(double));
        return;
    }
    worker->side = (unsigned char *)soothi_carve(m, rows, 1);
    worker->sum = (double *)soothi_carve(m, g->targets, sizeof(double));
    if (g->width == g->cols) return;
    worker->rank = (uint32_t *)soothi_carve(m, soothi_product(g->targets, rows), sizeof(uint32_t));
    worker->target = (double *)soothi_carve(m, soothi_product(g->targets, places), sizeof(double));
    worker->penalty = (double *)soothi_carve(m, soothi_product(g->targets, places), sizeof(double));
    worker->before = (uint32_t *)soothi_carve(m, places, sizeof(uint32_t));
    worker->after = (uint32_t *)soothi_carve(m, places, sizeof(uint32_t));
    worker->cost = (double *)soothi_carve(m, places, sizeof(double));
    worker->low = (double *)soothi_carve(m, columns, sizeof(double));
    worker->high = (double *)soothi_carve(m, columns, sizeof(double));
}

/* Lays out the memory of a batch. */
SOOTHI_LOCAL void soothi_grow_layout_batch(soothi_carver *m, soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t shares = SOOTHI_GROW_SHARES * g->workers;
    const size_t searches = SOOTHI_GROW_SEARCHES * g->workers;
    const size_t cut = g->workers == 1 ? 0 : b->most < searches ? b->most : searches; /* families in blocks */
    b->family = (soothi_grow_family *)soothi_carve(m, b->most, sizeof *b->family);
    b->part = (soothi_grow_part *)soothi_carve(m, b->most + shares, sizeof *b->part);
    b->id = (uint32_t *)soothi_carve(m, b->most, sizeof *b->id);
    b->word =
        (int64_t *)soothi_carve(m, soothi_product(b->together, soothi_grow_slot(g, 2)), sizeof *b->word);
    /* symmetric trees need one per column */
    b->split = (soothi_grow_packed_split *)soothi_carve(m, soothi_product(cut ? 4 * cut : 1, g->cols),
                                                        sizeof *b->split);
}

/* Lays out the memory of one grower, after soothi_grow_plan: once for the size, once for the pointers. */
SOOTHI_LOCAL void soothi_grow_layout(soothi_carver *m, soothi_grower *g) {
    const soothi_columns *c = g->columns;
    const soothi_grow_rules *rules = g->rules;
    const uint32_t packed = g->packed.width;
    const size_t tasks = rules->max_leaves || packed ? g->capacity : SOOTHI_GROW_TASKS;
    const size_t shares = SOOTHI_GROW_SHARES * g->workers;
    soothi_grow_worker none;
    size_t k;
    g->record = (soothi_grow_record *)soothi_carve(m, g->capacity, sizeof *g->record);
    g->mean = (double *)soothi_carve(m, soothi_product(g->capacity, g->targets), sizeof(double));
    g->bound = rules->monotone ? (double *)soothi_carve(m, g->capacity, 2 * sizeof(double)) : NULL;
    g->set = c->categories.categorical
                 ? (uint32_t *)soothi_carve(m, g->capacity, SOOTHI_CATEGORIES_WORDS * sizeof(uint32_t))
                 : NULL;
    g->task = (uint32_t *)soothi_carve(m, tasks, sizeof(uint32_t));
    g->lists.stride = soothi_columns_stride(g->rows);
    for (k = 0; k < 2 && !g->cell_width; ++k)
        g->lists.list[k] =
            (uint64_t *)soothi_carve(m, soothi_product(g->width, g->lists.stride), sizeof(uint64_t));
    if (g->cell_width) {
        const size_t size = soothi_product(soothi_product(g->cols, c->cells), g->cell_width * sizeof(double));
        g->row[0] =
            g->count ? NULL : (uint32_t *)soothi_carve(m, soothi_product(2, g->rows), sizeof(uint32_t));
        g->row[1] = g->row[0] ? g->row[0] + g->rows : NULL;
        g->free_slot = (uint32_t *)soothi_carve(m, g->slots, sizeof(uint32_t));
        if (packed) {
            g->packed.sum = (int64_t *)soothi_carve(m, g->capacity, 4 * sizeof(int64_t));
            g->packed.cell = (int64_t *)soothi_carve(m, g->slots + (g->workers > 1 ? shares : 0), size);
            soothi_grow_layout_batch(m, g);
        } else {
            g->row_y = (float *)soothi_carve(m, soothi_product(g->rows, g->targets), sizeof(float));
            g->row_weight = (float *)soothi_carve(m, g->rows, sizeof(float));
            g->cell = (double *)soothi_carve(m, g->slots, size);
        }
    }
    g->worker = (soothi_grow_worker *)soothi_carve(m, g->workers, sizeof *g->worker);
    for (size_t w = 0; w < g->workers; ++w)
        soothi_grow_layout_worker(m, g, m->memory ? &g->worker[w] : &none);
    /* two small lists per worker */
    for (size_t w = 0; w < g->workers && m->memory && packed; ++w)
        memset(g->worker[w].few, 0, 512 * sizeof(int64_t));
    k = g->cell_width && !packed ? soothi_product(g->cols, soothi_columns_stride(g->few)) : 0;
    if (g->sorts && c->bins && !c->ready && k < c->rows) k = c->rows;
    g->scratch_share = soothi_product(2, k);
    g->scratch = (uint64_t *)soothi_carve(m, soothi_product(g->workers, g->scratch_share), sizeof(uint64_t));
    for (size_t w = 0; w < g->workers && m->memory && k; ++w) {
        g->worker[w].list[0] = g->scratch + w * g->scratch_share;
        g->worker[w].list[1] = g->worker[w].list[0] + k;
    }
    g->order = packed ? g->task : g->row[0] ? g->row[0] : (uint32_t *)(void *)g->lists.list[1];
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
