/* grow.h - how trees grow: the one engine under tree.h, forest.h and boost.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A tree grows by splitting nodes. For each node the engine looks at the columns, judges every split of
 * each, takes the best, and parts the rows. This header does that for every kind of tree in sooth. It has no
 * public functions: tree.h, forest.h and boost.h call it, each with its own rules, and turn the outcome into
 * models.
 *
 *   columns     the table, sorted or cut into bins, once (columns.h)
 *   rules       what to make small, when to stop, what to draw: soothi_grow_rules (gain.h)
 *   grower      everything that one growth works with; its memory is one piece, laid out by
 *               soothi_grow_layout
 *   record      one node while the tree grows
 *   set         of a split that parts categories: the classes that go left (categories.h)
 *   order       the frontier: depth first, or best first when max_leaves is set (Shi: Best-first decision
 *               tree learning, 2007)
 *
 * A node's rows come in one of three forms:
 *
 *   lists       every column has the node's entries in ascending order; all splits are tried (exact).
 *               Splitting partitions each list, keeping the order, into the other one of two copies
 *               (list[depth & 1]): nothing is sorted twice and nothing copied back.
 *   cells       a histogram per column holds the sums of the rows of each bin, as doubles: count, weight (if
 *               any), sums of the targets. Only the smaller child of a split is counted; the larger one's
 *               histogram is the difference (Ke et al.: LightGBM, NIPS 2017). Nodes of few rows cost more in
 *               cells than in rows: they go on with lists, whose keys are the bins.
 *   packed      cells of whole numbers, for second derivatives: see soothi_grow_packed. Whole numbers add up
 *               to the same in any order, so several workers may count one histogram, in pieces, and
 *               differences are exact. Nodes of few rows are searched column by column without one, and
 *               taken off what their parent had row by row. So may several processes, each with some of the
 *               rows: then every histogram is the sum of theirs (reduce.h), a record's rows are those of all,
 *               and `own` those that are here.
 *
 * With packed cells nodes are split in batches: one worker takes one node at a time, which needs the least
 * memory; several take a whole level. A batch goes through two rounds, each shared out over all of its nodes.
 * In the first one rows are parted, and those of the smaller children counted while they are in the cache:
 * the rows of all nodes, one behind the other, are cut into shares of the same effort; a node that is cut is
 * counted in pieces. In the second one the pieces are added up and splits searched, column by column; and the
 * rows of nodes that were cut are put into place. Nodes whose children are leaves are not parted at all. What
 * a node is split by does not depend on the batch. Where memory is short, the first round is a pass over all
 * rows, which stand in no lists: see passes.h.
 *
 * How a tree is grown:
 *
 *     soothi_grow_rules rules = ...;                    the caller's options, resolved
 *     soothi_grow_plan(&g, &rules, &columns, ...);      sizes
 *     soothi_grow_layout(&carver, &g);                  memory; both again with memory that is there
 *     soothi_columns_prepare(...);                      once for all trees
 *     for each tree
 *         g.y = ...; g.weight = ...; g.rows = ...;      a row takes part when its weight is above 0
 *         soothi_grow_begin(&g);
 *         soothi_grow_tree(&g);
 *         soothi_grow_order(&g);                        records, breadth first; see soothi_grow_value
 *
 * A forest sets the weights to the numbers of draws and a stream per tree. Boosting sets y to the first and
 * weight to the second derivatives of its loss, or gives them as whole numbers.
 *
 * The stack is never deeper than log2(rows) + 2, because the smaller child comes first. Depth first, the
 * number of a record follows from the sizes above it, not from the order of work; so any worker can grow any
 * subtree at any time and the records are the same. Best first, and with packed cells, records are numbered
 * as they are made.
 *
 * Costs, for n rows, d columns, T targets, D levels, w workers, B bins, L leaves:
 *   lists    O(d n D) time; 16 d n + (144 + 16 T) L + w n bytes
 *   cells    O(d n D / 2 + d B L) time; (12 + 4 T) n + 8 (T + 2) d B log2(n) + w (n + 32 d B) bytes
 *   packed   the same time in additions of whole numbers; 8 n + 8 or 16 d B (D + 2) bytes, with several
 *            workers d B (2^(D - 1) + 3 w) of at most 64 MB instead; two rounds per level but the last
 *   ranks    packed cells in several processes: one reduction per level but the last (best first, or with
 *            columns drawn for each node: per split), of 8 or 16 bytes for each cell of the histograms that
 *            are counted there, 2^(level - 1) of at most d (B + 1) cells, from room of as many bytes; more
 *            than one where that is above 8 MB, or the histograms of a level are above 64 MB
 *
 * There is no example: nothing here is for a host; tree.h has one.
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

/* A call for a cache line that will be wanted soon. */
#if defined(__GNUC__) || defined(__clang__)
#define SOOTHI_FETCH(p) __builtin_prefetch(p)
#else
#define SOOTHI_FETCH(p) (void)0
#endif

#ifndef SOOTH_PREDICT_ONLY

#define SOOTHI_GROW_STACK 64
#define SOOTHI_GROW_TASKS 256u               /* subtrees for one worker are put off until there are so many */
#define SOOTHI_GROW_LEVEL ((size_t)64 << 20) /* bytes for the histograms of nodes that wait, at most */
#define SOOTHI_GROW_COLUMNS 32u              /* columns of a row that are not worth counting apart */
#define SOOTHI_GROW_SENT ((size_t)8 << 20)   /* bytes of one reduction, at most */

/* ---- splitting a node ---- */

/* Nodes that a subtree of so many rows below this depth can have at most, itself included. What two children
   need fits into what their parent may take, so records can be numbered from above. */
SOOTHI_LOCAL size_t soothi_grow_capacity(const soothi_grow_rules *rules, size_t rows, uint32_t depth) {
    size_t leaves = rows / rules->min_leaf, levels = rules->max_depth - depth;
    if (leaves == 0) leaves = 1;
    if (levels < 31 && leaves > (size_t)1 << levels) leaves = (size_t)1 << levels;
    return 2 * leaves - 1;
}

/* Nodes of a whole tree, at most. */
SOOTHI_LOCAL size_t soothi_grow_nodes(const soothi_grow_rules *rules, size_t rows) {
    const size_t nodes = soothi_grow_capacity(rules, rows, 0);
    return rules->max_leaves && nodes > 2 * (size_t)rules->max_leaves - 1 ? 2 * (size_t)rules->max_leaves - 1
                                                                          : nodes;
}

/* Makes the records of the children of a node, of which the left one gets so many rows, own_left of them in
   this process. */
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

/* Could this node be split, as far as the stopping rules go? mixed: its targets differ. */
SOOTHI_LOCAL int soothi_grow_open(const soothi_grower *g, const soothi_grow_record *node, int mixed) {
    const soothi_grow_rules *rules = g->rules;
    return mixed && node->depth < rules->max_depth && node->rows >= rules->min_split &&
           node->rows / 2 >= rules->min_leaf && node->weight >= 2.0 * rules->min_weight;
}

/* The children of a split on a constrained column stay on their sides of the middle between their means, each
   within the bounds of their parent; of any other, in these bounds. Two rows that differ in one constrained
   column part at a node that asks for it, so their predictions are in order whatever is further down. */
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

/* Copies the entries in[0..n) to out: those of rows with side 0 to the front, `left` of them, the others
   behind, both in their old order. which: 1 only the front is needed, 2 only the back, 3 both. */
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

/* side[row]: 0 when its class is in a set; missing: that of rows without a value. */
SOOTHI_LOCAL void soothi_grow_mark_set(const uint64_t *list, size_t n, const uint32_t *set,
                                       unsigned char missing, unsigned char *side) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t key = soothi_entry_key(list[k]);
        side[soothi_entry_row(list[k])] =
            key == SOOTHI_KEY_MISSING ? missing : (unsigned char)!soothi_categories_in(set, key);
    }
}

/* side[row]: 0 for the first `left` entries, 1 for the rest. */
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

/* Splits a node as its record says. Returns 1 if the left child may be split further, plus 2 if the right one
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

/* Pushes the open children of a node, the smaller one last, so that it comes first and the stack stays
   low. */
SOOTHI_LOCAL size_t soothi_grow_push(const soothi_grower *g, uint32_t id, unsigned which, uint32_t *stack,
                                     size_t n) {
    const soothi_grow_record *node = &g->record[id];
    const int left_last = g->record[node->left].rows <= g->record[node->right].rows;
    if (left_last && (which & 2)) stack[n++] = node->right;
    if (which & 1) stack[n++] = node->left;
    if (!left_last && (which & 2)) stack[n++] = node->right;
    return n;
}

/* Grows everything below an open node, alone. */
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

/* Adds rows to packed cells, in the columns first..end of the tree; or, with sign -1, takes them off. This is
   where boosting spends its time; rows far ahead are called for early. */
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

/* Makes the histogram of a node from its rows, in a free slot, unless it has one. */
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

/* Takes the cells of one slot off those of another. */
SOOTHI_LOCAL void soothi_grow_subtract(soothi_grower *g, uint32_t from, uint32_t part) {
    const size_t size = soothi_grow_slot(g, 2), a = soothi_grow_slot(g, from), b = soothi_grow_slot(g, part);
    for (size_t k = 0; k < size; ++k) g->cell[a + k] -= g->cell[b + k];
}

SOOTHI_LOCAL void soothi_grow_release(soothi_grower *g, uint32_t id) {
    soothi_grow_record *node = &g->record[id];
    if (node->histogram) g->free_slot[g->free_slots++] = node->histogram;
    node->histogram = 0;
}

/* The histogram of a node that was split goes over to its children, as far as they need one. which: 1 the
   left child may be split, 2 the right one, 3 both. Two slots stay free, so that the next split always finds
   one; what is released is counted again when needed. */
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

/* ---- splitting a node that is known by its rows ---- */

/* soothi_grow_part_rows by a set of classes. */
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

/* Partitions in[0..n) by the split of a node: rows that go left to out[0], out[1], ..., the others to
   out[right], out[right + step], ...; step is 1 or -1. Returns how many went left. Without a branch, which
   would be guessed wrong for every other row. */
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

/* Tells those rows of a node that are below `end` which leaf they are in: names[row] is `id`, or, where its
   children are leaves, `left` or the number behind it. */
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

/* Makes and measures the children of a node (packed: its rows need not be parted yet). Returns 1 if the left
   child may be split further, plus 2 if the right one may. */
SOOTHI_LOCAL unsigned soothi_grow_raise(soothi_grower *g, uint32_t id) {
    soothi_grow_record *node = &g->record[id];
    unsigned which = 0;
    node->own_left = g->all_rows ? 0 : node->rows_left; /* of several processes: see soothi_grow_settle */
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

/* Splits a node as its record says, alone. */
SOOTHI_LOCAL unsigned soothi_grow_split_rows(soothi_grower *g, uint32_t id) {
    const soothi_grow_record *node = &g->record[id];
    soothi_grow_part_rows(g, node, g->row[node->depth & 1] + node->start, node->rows, node->rows_left, 1,
                          g->row[1 - (node->depth & 1)] + node->start);
    return soothi_grow_raise(g, id);
}

/* ---- packed: a batch of nodes at a time ---- */

/* The rows of a node, in ascending order. */
SOOTHI_LOCAL const uint32_t *soothi_grow_rows(const soothi_grower *g, const soothi_grow_record *node) {
    return (node->depth ? g->row[node->depth & 1] : g->packed.root) + node->start;
}

/* The columns of the tree. */
SOOTHI_LOCAL size_t soothi_grow_columns(const soothi_grower *g) {
    return g->column ? g->columns_used : g->cols;
}

/* How many tasks so much work is cut into, of which a task is `least` at least: one per worker, if there is
   enough; more only where these are four times as large. */
SOOTHI_LOCAL size_t soothi_grow_tasks(double work, double least, size_t workers) {
    const double tasks = work / least, each = tasks / (4.0 * (double)workers);
    if (tasks < 2.0 || workers == 1) return 1;
    if (tasks < (double)workers) return (size_t)tasks;
    return each < 2.0                  ? workers
           : each < SOOTHI_GROW_SHARES ? (size_t)each * workers
                                       : SOOTHI_GROW_SHARES * workers;
}

/* How many rows are one part, of so many: such that all workers get the same number of parts, where there are
   more parts than workers. */
SOOTHI_LOCAL size_t soothi_grow_share_of(size_t rows, size_t workers) {
    const size_t parts = soothi_grow_tasks((double)rows, SOOTHI_GROW_SHARE, workers);
    return parts > 1 ? (rows + parts - 1) / parts : rows + (rows == 0);
}

/* Is a part all rows of its node, which go straight to their place? */
SOOTHI_LOCAL int soothi_grow_is_whole(const soothi_grower *g, const soothi_grow_part *p) {
    return p->to - p->from == g->record[p->id].own && !g->all_rows;
}

/* How many additions it takes to begin the histograms that a family counts: their cells are cleared. */
SOOTHI_LOCAL double soothi_grow_effort_to_begin(const soothi_grower *g, const soothi_grow_family *f) {
    return (double)(f->counted[0] + f->counted[1]) * (double)(soothi_grow_columns(g) * g->columns->cells);
}

/* And to part and count a row of it, about. */
SOOTHI_LOCAL double soothi_grow_effort_of_row(const soothi_grower *g, uint32_t id,
                                              const soothi_grow_family *f) {
    double rows = 0.0;
    for (size_t c = 0; c < 2; ++c)
        if (f->counted[c] || (c == 0 && f->taken)) rows += (double)g->record[f->child[c]].rows;
    return SOOTHI_GROW_MOVE + (double)soothi_grow_columns(g) * rows / (double)g->record[id].rows;
}

/* Sorts the parts by effort, the greatest first, in eighths of a share: at the end of the round only small
   ones are left, so all workers end at about the same time. */
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

/* Into how many shares the families' rows are cut; *all: their effort, with what it takes to begin anew at
   every cut. */
SOOTHI_LOCAL size_t soothi_grow_count_shares(const soothi_grower *g, double *all) {
    const soothi_grow_batch *b = &g->batch;
    const size_t pieces = SOOTHI_GROW_SHARES * g->workers; /* beside the slots: there are no more */
    double most = 0.0;                                     /* to begin one family */
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

/* Cuts the rows of the families' parents, one behind the other, into shares of the same effort: each is what
   the shares before it have left, evenly. Where a share is full, a node is cut in two, unless that would
   leave few rows on a side: then it all goes to this share or the next one. What a share has of a node is a
   task of its own: efforts are guesses, and a worker that is done takes what another one has not begun. */
SOOTHI_LOCAL void soothi_grow_share(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    double left;
    size_t shares = soothi_grow_count_shares(g, &left);            /* the present one, and those behind it */
    const double share = left > 0.0 ? left / (double)shares : 1.0; /* a process may have none of the rows */
    const double few = SOOTHI_GROW_SHARE / 4;
    double room = share; /* of the present one */
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

/* Gives the histograms that are to be counted their slots: the first part of a node gets its slot, every
   other part a piece of its own. Whole numbers add up to the same in whatever pieces. */
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

/* Partitions a part of a node's rows: into place, when it is all of them; else within `spare`, those on the
   right backwards from the end, until all parts are counted. */
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

/* The rows of a part that went to child c of its family; they need not be in order. Of the root all. */
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

/* The nearest whole number, for |v| < 2^31: added to 1.5 x 2^52 it stands in the last bits. */
SOOTHI_LOCAL int32_t soothi_grow_round(double v) {
    return (int32_t)(uint32_t)soothi_double_bits(v + 6755399441055744.0);
}

/* Makes the derivatives of some rows of the root whole. */
SOOTHI_LOCAL void soothi_grow_make_whole(const soothi_grower *g, const uint32_t *row, size_t n) {
    const soothi_grow_packed *p = &g->packed;
    const float *first = p->derivative[0], *second = p->derivative[1];
    const double a = p->scale[0], b = p->scale[1];
    int32_t *whole = p->whole;
    if (p->width == 1 && n > 0 && row[n - 1] - row[0] == n - 1) { /* one behind the other, which is quicker */
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

/* Adds up the rows of a slot, which any column has all of. */
SOOTHI_LOCAL void soothi_grow_sum_slot(const soothi_grower *g, size_t slot, int64_t sum[2]) {
    const size_t column = g->column ? g->column[0] : 0, width = g->packed.width;
    const int64_t *cell = g->packed.cell + soothi_grow_slot(g, slot) + column * g->columns->cells * width;
    for (size_t k = 0; k < g->columns->cells; ++k) {
        sum[0] += cell[k * width];
        if (width == 2) sum[1] += cell[2 * k + 1];
    }
}

/* The first round of a batch: rows are parted, and counted while they are in the cache. */
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

/* Wide and few rows are counted in a round of its own, of slices of the columns. */
static void soothi_grow_count_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const size_t all = soothi_grow_columns(g), slices = g->batch.slices, k = i % slices;
    (void)worker;
    soothi_grow_count_part(g, &g->batch.part[i / slices], all * k / slices, all * (k + 1) / slices);
}

/* Puts a part of a node that was cut into place. */
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

/* After the parts of a batch: how many rows went left before each; and in this process. */
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

/* Between a histogram that was counted and the words that go to the others: its pieces are added up there, or
   (back 1) the sums of all processes are taken from there. Words are those of the cells that rows can be in:
   of the bins and of missing values, in the columns of the tree. Returns how many. */
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

/* The histograms that were counted become those of all processes, all of a batch in one reduction, as long as
   there is room for them. */
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

/* The first round: parts the rows of the parents of the families and counts the histograms these want. */
SOOTHI_LOCAL void soothi_grow_part_families(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t all = soothi_grow_columns(g), wanted = SOOTHI_GROW_SHARES * g->workers;
    if (g->count) {
        g->count(g); /* of no parts */
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

/* How many blocks of columns every family is cut into, so that all workers have some. */
SOOTHI_LOCAL void soothi_grow_cut_columns(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    const size_t all = soothi_grow_columns(g), wanted = SOOTHI_GROW_SEARCHES * g->workers;
    b->blocks = g->workers == 1 || b->families >= wanted ? 1 : (wanted + b->families - 1) / b->families;
    b->block = b->blocks < all ? all / b->blocks : 1;
    b->blocks = (all + b->block - 1) / b->block;
}

/* Makes the histograms of a family complete in one column of the tree: adds the pieces up, and takes the
   smaller child's off what the parent had. */
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

/* The second round of a batch: the first tasks, which are the longest, put parts into place, which no search
   looks at; each of the others searches a block of columns of one family. */
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

/* Finds the best splits of the wanted children of all families. Those that have one stay wanted. */
SOOTHI_LOCAL void soothi_grow_search_families(soothi_grower *g) {
    soothi_grow_batch *b = &g->batch;
    b->places = 0;
    for (size_t i = 0; i < b->parts; ++i)
        if (!soothi_grow_is_whole(g, &b->part[i])) b->places = b->parts;
    for (size_t k = 0; k < 2 * b->families; ++k) {
        if (g->lost != SOOTH_OK) b->family[k / 2].wanted[k % 2] = 0; /* histograms may hold anything */
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

/* Are the rows of a child so few that it needs no histogram? Then they are to be in their place when it is
   searched, so the parent must not be cut into parts. */
SOOTHI_LOCAL int soothi_grow_is_few(const soothi_grower *g, const soothi_grow_record *parent,
                                    uint32_t child) {
    return g->record[child].rows <= g->few && (g->workers == 1 || parent->rows < SOOTHI_GROW_SHARE);
}

/* The family of a node that was split. Its histogram goes over to the children, as far as they need one.
   which: 1 the left child may be split, 2 the right one, 3 both; 0: then it is none. */
SOOTHI_LOCAL void soothi_grow_found_family(soothi_grower *g, uint32_t id, unsigned which) {
    soothi_grow_record *node = &g->record[id];
    soothi_grow_family *f = &g->batch.family[g->batch.families];
    const unsigned right = g->record[node->left].rows > g->record[node->right].rows; /* is the smaller one */
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

/* Splits the nodes batch.id[0..n) and finds the best splits of their children; who has one stays wanted and
   keeps its histogram, as long as two slots stay free. */
SOOTHI_LOCAL void soothi_grow_step(soothi_grower *g, size_t n) {
    soothi_grow_batch *b = &g->batch;
    b->families = 0; /* never beyond k */
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

/* The slots that splitting a node takes, at most. */
SOOTHI_LOCAL size_t soothi_grow_slots_for(const soothi_grower *g, const soothi_grow_record *node) {
    if (node->depth + 1 == g->rules->max_depth || node->rows <= g->few) return 0; /* no child has one */
    return node->histogram ? 1 : 2;
}

/* Depth first in batches: of the nodes that wait, the last ones, as many as there are slots for; the smaller
   child of a node after the larger one. */
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

/* Makes lists of the rows row[0..n) in the order of their bins, for every column: counting sort. */
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

/* Is this node's whole subtree one piece of work, for one worker and lists? */
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

/* Runs the subtrees put off. */
SOOTHI_LOCAL sooth_status soothi_grow_run_tasks(soothi_grower *g) {
    soothi_parallel(g->env, g->tasks, soothi_grow_small_task, g);
    for (size_t i = 0; i < g->tasks; ++i) g->done += g->record[g->task[i]].rows;
    g->tasks = 0;
    return soothi_grow_report(g, (double)g->done / (double)g->rows);
}

/* Finds the best split of a node in whatever form its rows are. A histogram is kept as long as two slots stay
   free. */
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

/* Splits a node and finds the best splits of its children. Returns 1 if the left one has one, plus 2 if the
   right one has. last: no other node will be split, so nobody looks for these. */
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

/* Depth first: large nodes here, all workers on each; small subtrees one per worker. */
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

/* Does the split of record a gain more than that of b? The older record wins a tie. */
SOOTHI_LOCAL int soothi_grow_before(const soothi_grower *g, uint32_t a, uint32_t b) {
    double gain_a = g->record[a].gain, gain_b = g->record[b].gain;
    return gain_a > gain_b || (!(gain_a < gain_b) && a < b);
}

/* Best first: of all nodes that can be split, always the one that gains most, until there are max_leaves
   leaves. The frontier is a heap. */
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

/* The same for packed cells: counts the root's histogram and measures it. */
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

/* Makes and measures the root from the rows that are in place. Returns 1 if it may be split. */
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

/* Grows a tree from the lists or rows that are in place. Afterwards the records hold it. */
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

/* The nodes of the grown tree, breadth first: node k was record g->order[k], and the children of the k-th
   inner node stand at 2 k + 1 and 2 k + 2. Returns how many there are. The rows and lists of the tree are
   lost (packed: kept). */
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

/* What a node predicts: its mean or median, within its bounds. */
SOOTHI_LOCAL double soothi_grow_value(const soothi_grower *g, uint32_t id, size_t t) {
    return soothi_grow_clip(g, id, g->mean[id * g->targets + t]);
}

/* ---- before a tree: the rows that take part ---- */

/* Copies the entries of rows with a weight above 0 into the working lists. */
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

/* Puts the rows of positive weight in place for a growth: g->y, g->weight and g->rows may change from tree
   to tree, the columns stay. The lists of a single tree may be the columns' own. Packed rows are the
   caller's to place. */
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

/* Several workers take the nodes of a level at once, as many as there is memory for. Columns that are drawn
   by the number of the node need the order of one worker. */
SOOTHI_LOCAL void soothi_grow_plan_levels(soothi_grower *g) {
    const size_t bytes = soothi_grow_slot(g, 2) * sizeof(int64_t);
    size_t most = g->capacity / 4 + 1; /* of one level can be split */
    if (most > SOOTHI_GROW_LEVEL / bytes) most = SOOTHI_GROW_LEVEL / bytes;
    if (most == 0) most = 1;
    g->batch.most = most;
    if (g->slots < most + 2) g->slots = most + 2;
}

/* With rows in several processes: how many histograms go in one reduction, at most. A batch counts one of
   each family, or two of one whose parent has none any more. */
SOOTHI_LOCAL void soothi_grow_plan_ranks(soothi_grower *g) {
    const size_t most = SOOTHI_GROW_SENT / (soothi_grow_slot(g, 2) * sizeof(int64_t));
    g->batch.together = g->batch.most < most ? g->batch.most + 1 : most;
    if (g->batch.together == 0) g->batch.together = 1;
}

/* Sizes of everything, from the rules and the shape of the columns. weights: rows have some. packed: 0, or
   the numbers of a packed cell. */
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

/* The memory of one worker. */
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

/* The memory of a batch. */
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
    /* symmetric trees want one per column */
    b->split = (soothi_grow_packed_split *)soothi_carve(m, soothi_product(cut ? 4 * cut : 1, g->cols),
                                                        sizeof *b->split);
}

/* The memory of one grower, in one place for its size and its pointers, after soothi_grow_plan. */
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
