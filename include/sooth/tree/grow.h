/* tree/grow.h - tree growing: the engine of tree.h, forest.h and boost.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A tree grows by splitting nodes. For each node the engine evaluates every split of every column, takes the
 * best and partitions the rows. This header has no public functions: tree.h, forest.h and boost.h call it and
 * convert the result to models.
 *
 *   columns     the table, sorted or cut into bins, once (tree/columns.h)
 *   rules       criterion, stopping rules and draws (tree/grower.h)
 *   grower      the state of one growth (tree/grower.h)
 *   record      one node while the tree grows
 *   criterion   what a split gains, and the exact scan (tree/criterion.h)
 *   histogram   cells, how they are counted and scanned (tree/histogram.h)
 *   set         of a categorical split: the classes that go left (tree/columns.h)
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
 *   packed      Cells of integers, for second derivatives: see soothi_grower_packed. Integer sums do not
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
 *     soothi_grower_rules rules = ...;                    the caller's options, resolved
 *     soothi_grower_plan(&g, &rules, &columns, ...);      sizes
 *     soothi_grower_layout(&carver, &g);                  memory; both again once it is allocated
 *     soothi_columns_prepare(...);                      once for all trees
 *     for each tree
 *         g.y = ...; g.weight = ...; g.rows = ...;      rows with a weight above 0 take part
 *         soothi_grow_begin(&g);
 *         soothi_grow_tree(&g);
 *         soothi_grow_order(&g);                        records, breadth first; see soothi_grower_value
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
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_GROW_IMPLEMENTED)
#define SOOTH_TREE_GROW_IMPLEMENTED
#include "../base/reduce.h"
#include "histogram.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_GROW_STACK 64
#define SOOTHI_GROW_SUBTREE 65536u /* max entries of a node that one worker grows with its subtree */
#define SOOTHI_GROW_SHARE 1024u    /* min rows worth cutting */
#define SOOTHI_GROW_TASK 16384u    /* min additions of a task */
#define SOOTHI_GROW_MOVE 2.5       /* cost to partition a row, in additions, as measured */
#define SOOTHI_GROW_COLUMNS 32u    /* min columns of a slice */

/* ---- the best split of a node ---- */

/* Searches a block of columns. */
static void soothi_grow_search_task(void *arg, size_t i, size_t worker) {
    const soothi_criterion_search *s = (const soothi_criterion_search *)arg;
    soothi_grower_worker *w = &s->g->worker[worker];
    const size_t end = soothi_columns_block_end(i, s->block, s->picks);
    for (size_t k = i * s->block; k < end; ++k) {
        size_t column = s->pick                    ? s->pick[k]
                        : k + s->turn < s->g->cols ? k + s->turn
                                                   : k + s->turn - s->g->cols;
        if (soothi_categories_has(&s->g->columns->categories, column))
            soothi_criterion_scan_categories(
                s, column, s->lists ? soothi_grower_list(s->lists, s->node, column) : NULL, w);
        else if (s->lists) soothi_criterion_scan_list(s, column, w);
        else soothi_histogram_scan(s, column, w);
        if (s->first && w->best.column != SIZE_MAX) return;
    }
}

/* Finds the best split of a node and enters it in its record. Returns 0 if there is none; the node is then a
   leaf. worker is the caller; alone: do not use the other workers. */
SOOTHI_LOCAL int soothi_grow_find(soothi_grower *g, const soothi_grower_lists *lists, uint32_t id,
                                  size_t worker, int alone) {
    const soothi_grower_rules *rules = g->rules;
    soothi_grower_record *node = &g->record[id];
    soothi_grower_worker *own = &g->worker[worker];
    soothi_grower_best best;
    soothi_criterion_search s;
    uint32_t *set;
    const size_t cols = g->column ? g->columns_used : g->cols;
    size_t drawn = 0;
    sooth_rng rng;
    s.g = g;
    s.lists = lists;
    s.node = node;
    s.mean = g->mean + id * g->targets;
    s.bound = g->bound ? g->bound + 2 * (size_t)id : NULL;
    s.owner = own;
    s.pick = own->pick ? own->pick : g->column;
    s.picks = own->pick && rules->max_features < cols ? rules->max_features : cols;
    /* all splits of two rows are equal */
    s.first =
        node->rows == 2 && (!own->pick || rules->random_ties) && rules->criterion != SOOTHI_CRITERION_SECOND;
    s.turn = 0;
    s.draw = 0;
    s.plain = g->targets == 1 && g->width == g->cols && rules->criterion < SOOTHI_CRITERION_POISSON;
    if (rules->criterion == SOOTHI_CRITERION_SECOND) s.second = soothi_criterion_second_node(g, id, 1);
    if (lists && g->width > g->cols) soothi_criterion_rank(&s, own);
    if (own->pick || rules->random || rules->random_ties)
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | id);
    if (rules->random_ties) s.turn = sooth_rng_below(&rng, (uint32_t)g->cols);
    if (rules->random) s.draw = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng);
    for (size_t j = 0; own->pick && j < cols; ++j) own->pick[j] = g->column ? g->column[j] : (uint32_t)j;
    for (;;) {
        for (size_t j = 0; own->pick && j < s.picks; ++j, ++drawn) { /* without replacement */
            size_t other = drawn + sooth_rng_below(&rng, (uint32_t)(cols - drawn));
            uint32_t column = own->pick[other];
            own->pick[other] = own->pick[drawn];
            own->pick[drawn] = column;
        }
        for (size_t w = 0; w < g->workers; ++w)
            if (!alone || w == worker) g->worker[w].best.column = SIZE_MAX;
        soothi_columns_run(g->env, alone || s.first ? 1 : g->workers, worker, s.picks, node->rows, &s.block,
                           soothi_grow_search_task, &s);
        best = own->best;
        for (size_t w = 0; w < g->workers && !alone; ++w) {
            const soothi_grower_best *b = &g->worker[w].best;
            if (b->column != SIZE_MAX) soothi_criterion_enter(&s, &best, b->column, b, b->missing_left);
        }
        if (best.column != SIZE_MAX || !own->pick || drawn == cols) break;
        s.pick = own->pick + drawn; /* no drawn column can be split: draw one more */
        s.picks = 1;
    }
    if (best.column == SIZE_MAX) return 0;
    node->gain = soothi_criterion_gain(g, node, best.score);
    if (node->gain < rules->min_gain) return 0;
    node->feature = (uint32_t)best.column;
    node->cut = best.cut;
    node->threshold = g->columns->bins && best.next != SOOTHI_KEY_MISSING
                          ? g->columns->edge[best.column * g->columns->bins + best.cut]
                          : soothi_columns_midpoint(best.cut, best.next);
    node->rows_left = best.present_left;
    node->missing_left = best.missing_left;
    if (!lists) soothi_histogram_place_missing(g, node);
    set = soothi_grower_set(g, id);
    for (size_t w = 0; set && w < g->workers; ++w)
        if ((w == worker || !alone) && g->worker[w].best.column == best.column)
            memcpy(set, g->worker[w].set, SOOTHI_CATEGORIES_WORDS * sizeof *set);
    return 1;
}

/* ---- splitting a node ---- */

/* Creates the records of a node's children. The left one gets rows_left rows, own_left of this process. */
SOOTHI_LOCAL void soothi_grow_make_children(soothi_grower *g, uint32_t id, uint32_t rows_left,
                                            uint32_t own_left, size_t worker) {
    soothi_grower_record *node = &g->record[id], *child;
    if (g->rules->max_leaves || g->packed.width) {
        node->left = g->records;
        node->right = g->records + 1;
        g->records += 2;
    } else {
        node->left = id + 1;
        node->right = id + 1 + (uint32_t)soothi_grower_capacity(g->rules, rows_left, node->depth + 1);
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
SOOTHI_LOCAL int soothi_grow_may_split(const soothi_grower *g, const soothi_grower_record *node, int mixed) {
    const soothi_grower_rules *rules = g->rules;
    return mixed && node->depth < rules->max_depth && node->rows >= rules->min_split &&
           node->rows / 2 >= rules->min_leaf && node->weight >= 2.0 * rules->min_weight;
}

/* Bounds the values of a node's children. On a constrained column, each child stays on its side of the
   midpoint between their means, within the parent's bounds. Otherwise both inherit the bounds. Two rows
   that differ only in one constrained column separate at a node that tests it, so their predictions are in
   order. */
SOOTHI_LOCAL void soothi_grow_bound_children(soothi_grower *g, uint32_t id) {
    const soothi_grower_record *node = &g->record[id];
    const int sign = g->rules->monotone[node->feature];
    const double *bound = g->bound + 2 * (size_t)id;
    double *left = g->bound + 2 * (size_t)node->left, *right = g->bound + 2 * (size_t)node->right;
    const double middle = 0.5 * (soothi_grower_clip(g, id, g->mean[node->left]) +
                                 soothi_grower_clip(g, id, g->mean[node->right]));
    left[0] = right[0] = bound[0];
    left[1] = right[1] = bound[1];
    if (sign > 0) left[1] = right[0] = middle;
    if (sign < 0) left[0] = right[1] = middle;
}

/* Copies the entries in[0..n) to out in their old order: first the `left` entries of rows with side 0, then
   the others. which: 1 only the front is needed, 2 only the back, 3 both. */
SOOTHI_LOCAL void soothi_grow_partition_list(const uint64_t *in, uint64_t *out, size_t n, size_t left,
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
    const soothi_grower_lists *lists;
    const soothi_grower_record *node;
    const unsigned char *side;
    size_t left, block;
    unsigned which;
} soothi_grow_partitioning;

static void soothi_grow_partition_task(void *arg, size_t i, size_t worker) {
    const soothi_grow_partitioning *p = (const soothi_grow_partitioning *)arg;
    const size_t end = soothi_columns_block_end(i, p->block, p->g->cols);
    (void)worker;
    for (size_t j = i * p->block; j < end; ++j) {
        if (j == p->node->feature) continue;
        soothi_grow_partition_list(soothi_grower_list(p->lists, p->node, j),
                                   soothi_grower_list_at(p->lists, p->node, j, p->node->depth + 1),
                                   p->node->rows, p->left, p->side, p->which);
    }
}

/* Splits a node by its record. Returns 1 if the left child may be split further, plus 2 if the right one
   may. */
SOOTHI_LOCAL unsigned soothi_grow_split(soothi_grower *g, const soothi_grower_lists *lists, uint32_t id,
                                        size_t worker, int alone) {
    soothi_grower_record *node = &g->record[id];
    const uint64_t *in = soothi_grower_list(lists, node, node->feature);
    uint64_t *out = soothi_grower_list_at(lists, node, node->feature, node->depth + 1);
    unsigned char *side = g->worker[worker].side;
    uint32_t n = node->rows, p = node->rows_left, missing = 0;
    soothi_grow_partitioning moving = {g, lists, node, side, p, 0, 0};
    const int medians = g->width > g->cols;
    const uint32_t *set = soothi_grower_set(g, id);
    while (soothi_entry_key(in[n - 1 - missing]) == SOOTHI_KEY_MISSING) ++missing;
    if (set) {
        if (node->missing_left) moving.left += missing;
        soothi_grow_mark_set(in, n, set, (unsigned char)!node->missing_left, side);
        soothi_grow_partition_list(in, out, n, moving.left, side, 3);
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
        soothi_grow_partition_list(soothi_grower_list(lists, node, j),
                                   soothi_grower_list_at(lists, node, j, node->depth + 1), n, moving.left,
                                   side, 3);
    for (unsigned k = 0; k < 2; ++k) {
        const uint32_t child = k ? node->right : node->left;
        soothi_grower_record *to = &g->record[child];
        double *mean = g->mean + child * g->targets;
        const int mixed = medians ? soothi_criterion_measure_medians(g, lists, to, mean)
                                  : soothi_criterion_measure(g, out + (k ? moving.left : 0), NULL, to, mean);
        if (soothi_grow_may_split(g, to, mixed)) moving.which |= 1u << k;
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
    const soothi_grower_record *node = &g->record[id];
    const int left_last = g->record[node->left].rows <= g->record[node->right].rows;
    if (left_last && (which & 2)) stack[n++] = node->right;
    if (which & 1) stack[n++] = node->left;
    if (!left_last && (which & 2)) stack[n++] = node->right;
    return n;
}

/* Grows the subtree of an open node on one worker. */
SOOTHI_LOCAL void soothi_grow_subtree(soothi_grower *g, const soothi_grower_lists *lists, uint32_t root,
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

/* Lists the rows row[0..n) in the order of their bins, for every column, by counting sort. */
SOOTHI_LOCAL void soothi_grow_list_bins(const soothi_columns *c, const uint32_t *row, size_t n,
                                        const soothi_grower_lists *lists) {
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

/* ---- splitting a node given by its rows ---- */

/* Passes the histogram of a split node on to its children, if they need one. which: 1 the left child may be
   split, 2 the right one, 3 both. Keeps two slots free, so that the next split always finds one. Released
   histograms are counted again when needed. */
SOOTHI_LOCAL void soothi_grow_pass_on(soothi_grower *g, uint32_t id, unsigned which) {
    soothi_grower_record *node = &g->record[id];
    const int left_is_smaller = g->record[node->left].rows <= g->record[node->right].rows;
    const uint32_t smaller = left_is_smaller ? node->left : node->right;
    const uint32_t larger = left_is_smaller ? node->right : node->left;
    const int need_smaller = (which & (left_is_smaller ? 1u : 2u)) && g->record[smaller].rows > g->few;
    const int need_larger = (which & (left_is_smaller ? 2u : 1u)) && g->record[larger].rows > g->few;
    if (need_larger && node->histogram) {
        soothi_histogram_fill(g, smaller);
        soothi_histogram_subtract(g, node->histogram, g->record[smaller].histogram);
        g->record[larger].histogram = node->histogram;
        node->histogram = 0;
        if (!need_smaller) soothi_grower_release(g, smaller);
    }
    soothi_grower_release(g, id);
    if (g->free_slots < 2) soothi_grower_release(g, smaller);
    if (g->free_slots < 2) soothi_grower_release(g, larger);
}

/* Sets side[b] to 1 for the bins of the split of a node that go left, else to 0. */
SOOTHI_LOCAL void soothi_grow_sides(const soothi_grower *g, const soothi_grower_record *node,
                                    unsigned char side[256]) {
    const uint32_t used = g->columns->used[node->feature];
    const uint32_t *set = soothi_grower_set(g, (uint32_t)(node - g->record));
    memset(side, 0, 256);
    if (!set) memset(side, 1, node->cut + (size_t)1);
    for (uint32_t b = 0; b < used && set; ++b) side[b] = (unsigned char)soothi_categories_in(set, b);
    if (used < 256) side[used] = node->missing_left != 0;
}

/* Partitions in[0..n) by the split of a node. Rows that go left go to out[0], out[1], ..., the others to
   out[right], out[right + step], ...; step is 1 or -1. Returns the number of left rows. Has no branch on the
   row, as every other one would be mispredicted. */
SOOTHI_LOCAL size_t soothi_grow_partition_rows(const soothi_grower *g, const soothi_grower_record *node,
                                               const uint32_t *in, size_t n, size_t right, size_t step,
                                               uint32_t *out) {
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    unsigned char side[256];
    size_t left = 0;
    soothi_grow_sides(g, node, side);
    for (size_t k = 0; k < n; ++k) {
        const uint32_t row = in[k];
        const size_t goes_left = side[bin[row]];
        out[right ^ ((right ^ left) & (0 - goes_left))] = row;
        left += goes_left;
        right += step & (goes_left - 1);
    }
    return left;
}

/* Writes the leaf of a node's rows below `end`: names[row] is `id` or, if its children are leaves, their
   index, `left` or left + 1. */
SOOTHI_LOCAL void soothi_grow_name_leaves(const soothi_grower *g, const soothi_grower_record *node,
                                          const uint32_t *row, size_t n, size_t end, uint32_t id,
                                          uint32_t left, uint32_t *names) {
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    unsigned char side[256];
    if (!node->left) {
        for (size_t k = 0; k < n && row[k] < end; ++k) names[row[k]] = id;
    } else {
        soothi_grow_sides(g, node, side);
        for (size_t k = 0; k < n && row[k] < end; ++k) names[row[k]] = left + 1 - side[bin[row[k]]];
    }
}

/* Creates and measures the children of a node (packed: its rows need not be partitioned yet). Returns 1 if
   the left child may be split further, plus 2 if the right one may. */
SOOTHI_LOCAL unsigned soothi_grow_add_children(soothi_grower *g, uint32_t id) {
    soothi_grower_record *node = &g->record[id];
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
            soothi_histogram_measure(g, child, part, g->bound ? g->bound + 2 * (size_t)id : NULL);
        } else {
            const soothi_grower_record *to = &g->record[child];
            mixed = soothi_criterion_measure(g, NULL, g->row[to->depth & 1] + to->start, &g->record[child],
                                             g->mean + child * g->targets);
        }
        if (soothi_grow_may_split(g, &g->record[child], mixed)) which |= 1u << k;
    }
    if (g->bound) soothi_grow_bound_children(g, id);
    return which;
}

/* Splits a node by its record, on one worker. */
SOOTHI_LOCAL unsigned soothi_grow_split_rows(soothi_grower *g, uint32_t id) {
    const soothi_grower_record *node = &g->record[id];
    soothi_grow_partition_rows(g, node, g->row[node->depth & 1] + node->start, node->rows, node->rows_left, 1,
                               g->row[1 - (node->depth & 1)] + node->start);
    return soothi_grow_add_children(g, id);
}

/* ---- packed: batches of nodes ---- */

/* Returns the number of tasks for an amount of work, with `least` or more per task: one per worker, if there
   is enough work. There are more only if each still has four times `least`. */
SOOTHI_LOCAL size_t soothi_grow_tasks(double work, double least, size_t workers) {
    const double tasks = work / least, each = tasks / (4.0 * (double)workers);
    if (tasks < 2.0 || workers == 1) return 1;
    if (tasks < (double)workers) return (size_t)tasks;
    return each < 2.0                    ? workers
           : each < SOOTHI_GROWER_SHARES ? (size_t)each * workers
                                         : SOOTHI_GROWER_SHARES * workers;
}

/* Returns the number of rows per part. If there are more parts than workers, all workers get equally many. */
SOOTHI_LOCAL size_t soothi_grow_share_rows(size_t rows, size_t workers) {
    const size_t parts = soothi_grow_tasks((double)rows, SOOTHI_GROW_SHARE, workers);
    return parts > 1 ? (rows + parts - 1) / parts : rows + (rows == 0);
}

/* Returns 1 if a part holds all rows of its node, which then go directly to their place. */
SOOTHI_LOCAL int soothi_grow_is_whole(const soothi_grower *g, const soothi_grower_part *p) {
    return p->to - p->from == g->record[p->id].own && !g->all_rows;
}

/* Returns the additions, about, that starting a family's histograms costs: their cells are cleared. */
SOOTHI_LOCAL double soothi_grow_effort_to_begin(const soothi_grower *g, const soothi_grower_family *f) {
    return (double)(f->counted[0] + f->counted[1]) * (double)(soothi_grower_columns(g) * g->columns->cells);
}

/* Returns the additions, about, to partition and count one row of a family. */
SOOTHI_LOCAL double soothi_grow_effort_of_row(const soothi_grower *g, uint32_t id,
                                              const soothi_grower_family *f) {
    double rows = 0.0;
    for (size_t c = 0; c < 2; ++c)
        if (f->counted[c] || (c == 0 && f->taken)) rows += (double)g->record[f->child[c]].rows;
    return SOOTHI_GROW_MOVE + (double)soothi_grower_columns(g) * rows / (double)g->record[id].rows;
}

/* Sorts the parts by descending effort, in eighths of a share. Only small parts are left at the end of the
   round, so all workers finish at about the same time. */
SOOTHI_LOCAL void soothi_grow_sort_parts(soothi_grower_batch *b, double share) {
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
    const soothi_grower_batch *b = &g->batch;
    const size_t pieces = SOOTHI_GROWER_SHARES * g->workers; /* pieces available besides the slots */
    double most = 0.0;                                       /* max effort to start one family */
    *all = 0.0;
    for (size_t k = 0; k < b->families; ++k) {
        const soothi_grower_family *f = &b->family[k];
        const double begin = soothi_grow_effort_to_begin(g, f);
        *all += begin + (double)g->record[b->id[k]].own * soothi_grow_effort_of_row(g, b->id[k], f);
        if (begin > most) most = begin;
    }
    size_t shares = soothi_grow_tasks(*all, SOOTHI_GROW_TASK, g->workers);
    if (most > (double)(soothi_grower_columns(g) * g->columns->cells) && shares > pieces / 2)
        shares = pieces / 2;
    *all += (double)(shares - 1) * most;
    return shares;
}

/* Cuts the concatenated rows of the families' parents into shares of equal effort. Each share is its even
   part of what remains. A node is cut where a share is full, unless a side would have few rows. Then it goes
   to this share or the next one as a whole. A share's rows of one node form a task of their own: efforts are
   estimates, and idle workers take tasks that have not started. */
SOOTHI_LOCAL void soothi_grow_share(soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
    double left;
    size_t shares = soothi_grow_count_shares(g, &left);            /* the present share and those after it */
    const double share = left > 0.0 ? left / (double)shares : 1.0; /* a process may have no rows */
    const double few = SOOTHI_GROW_SHARE / 4;
    double room = share; /* effort left in the present share */
    b->parts = 0;
    for (size_t k = 0; k < b->families; ++k) {
        const soothi_grower_family *f = &b->family[k];
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
                const soothi_grower_part part = {
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
    soothi_grower_batch *b = &g->batch;
    uint32_t piece = (uint32_t)g->slots + 1;
    for (size_t i = 0, end; i < b->parts; i = end) {
        soothi_grower_family *f = &b->family[b->part[i].at];
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
SOOTHI_LOCAL void soothi_grow_move_part(const soothi_grower *g, soothi_grower_part *p) {
    const soothi_grower_record *node = &g->record[p->id];
    const uint32_t *in = soothi_grower_rows(g, node) + p->from;
    const size_t n = p->to - p->from;
    if (soothi_grow_is_whole(g, p))
        soothi_grow_partition_rows(g, node, in, n, node->rows_left, 1,
                                   g->row[1 - (node->depth & 1)] + node->start);
    else
        p->left = (uint32_t)soothi_grow_partition_rows(g, node, in, n, n - 1, (size_t)0 - 1,
                                                       g->packed.spare + node->start + p->from);
}

/* Returns the rows of a part that went to child c of its family, perhaps unordered; all for the root. */
SOOTHI_LOCAL const uint32_t *soothi_grow_child_rows(const soothi_grower *g, const soothi_grower_part *p,
                                                    size_t c, size_t *count) {
    const soothi_grower_record *node = &g->record[p->id];
    const uint32_t child = g->batch.family[p->at].child[c];
    const size_t n = p->to - p->from, right = child == node->right;
    *count = g->batch.root                ? n
             : soothi_grow_is_whole(g, p) ? g->record[child].own
             : right                      ? n - p->left
                                          : p->left;
    if (g->batch.root) return g->packed.root + p->from;
    if (soothi_grow_is_whole(g, p)) return soothi_grower_rows(g, &g->record[child]);
    return g->packed.spare + node->start + p->from + (right ? p->left : 0);
}

/* Counts the rows of a part, in the columns first..end of the tree. */
SOOTHI_LOCAL void soothi_grow_count_part(const soothi_grower *g, const soothi_grower_part *p, size_t first,
                                         size_t end) {
    const size_t size = g->columns->cells * (size_t)g->packed.width;
    const soothi_grower_family *f = &g->batch.family[p->at];
    for (size_t c = 0; c < 2; ++c) {
        if (!p->slot[c] && !(c == 0 && f->taken)) continue;
        size_t n;
        const uint32_t *row = soothi_grow_child_rows(g, p, c, &n);
        if (!p->slot[c]) {
            soothi_histogram_add_rows(g, row, n, first, end, -1,
                                      g->packed.cell +
                                          soothi_grower_slot(g, g->record[f->child[1]].histogram));
            continue;
        }
        int64_t *cells = g->packed.cell + soothi_grower_slot(g, p->slot[c]);
        if (!g->column) memset(cells + first * size, 0, (end - first) * size * sizeof *cells);
        for (size_t j = first; j < end && g->column; ++j)
            memset(cells + g->column[j] * size, 0, size * sizeof *cells);
        for (size_t k = 0, some; k < n; k += some) {
            some = n - k < SOOTHI_GROW_SHARE ? n - k : SOOTHI_GROW_SHARE;
            if (g->batch.root && g->batch.slices == 1) soothi_histogram_make_whole(g, row + k, some);
            soothi_histogram_add_rows(g, row + k, some, first, end, 1, cells);
        }
    }
}

/* Round 1 of a batch: partitions rows and counts them while they are in the cache. */
static void soothi_grow_part_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_grower_batch *b = &g->batch;
    (void)worker;
    soothi_grower_part *p = &b->part[b->part[i].order];
    if (!b->root) soothi_grow_move_part(g, p);
    else if (b->slices > 1) soothi_histogram_make_whole(g, g->packed.root + p->from, p->to - p->from);
    if (b->slices == 1) soothi_grow_count_part(g, p, 0, soothi_grower_columns(g));
    if (b->slices == 1 && b->root) soothi_histogram_sum_slot(g, p->slot[0], p->sum);
}

/* Counts slices of columns in a round of its own, for few parts with many columns. */
static void soothi_grow_count_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const size_t all = soothi_grower_columns(g), slices = g->batch.slices, k = i % slices;
    (void)worker;
    soothi_grow_count_part(g, &g->batch.part[i / slices], all * k / slices, all * (k + 1) / slices);
}

/* Moves a part of a cut node into place. */
SOOTHI_LOCAL void soothi_grow_place_part(const soothi_grower *g, const soothi_grower_part *p) {
    const soothi_grower_record *node = &g->record[p->id];
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
    soothi_grower_batch *b = &g->batch;
    for (size_t i = 0; i < b->parts; ++i) {
        soothi_grower_part *p = &b->part[i];
        soothi_grower_record *node = &g->record[p->id];
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
    const soothi_grower_family *f = &g->batch.family[k / 2];
    const soothi_grower_packed_search *s = &f->search[k % 2];
    const size_t width = g->packed.width, slot = g->record[f->child[k % 2]].histogram;
    size_t n = 0;
    for (size_t j = 0; j < soothi_grower_columns(g); ++j) {
        const size_t column = g->column ? g->column[j] : j, at = column * c->cells * width;
        const size_t count = width * (c->used[column] < c->cells ? c->used[column] + 1 : c->cells);
        int64_t *cell = g->packed.cell + soothi_grower_slot(g, slot) + at;
        if (back) memcpy(cell, word + n, count * sizeof *cell);
        else memcpy(word + n, cell, count * sizeof *cell);
        for (uint32_t i = 0; i < s->pieces && !back; ++i) {
            const int64_t *piece = g->packed.cell + soothi_grower_slot(g, s->piece + i) + at;
            for (size_t t = 0; t < count; ++t) word[n + t] += piece[t];
        }
        n += count;
    }
    return n;
}

/* Sums the counted histograms over all processes, up to b->together in each reduction. */
SOOTHI_LOCAL void soothi_grow_reduce(soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
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
SOOTHI_LOCAL void soothi_grow_partition_families(soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
    const size_t all = soothi_grower_columns(g), wanted = SOOTHI_GROWER_SHARES * g->workers;
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
    soothi_grower_batch *b = &g->batch;
    const size_t all = soothi_grower_columns(g), wanted = SOOTHI_GROWER_SEARCHES * g->workers;
    b->blocks = g->workers == 1 || b->families >= wanted ? 1 : (wanted + b->families - 1) / b->families;
    b->block = b->blocks < all ? all / b->blocks : 1;
    b->blocks = (all + b->block - 1) / b->block;
}

/* Completes the histograms of a family in one column of the tree: adds up the pieces and subtracts the
   smaller child's from the parent's. */
SOOTHI_LOCAL void soothi_grow_complete(const soothi_grower *g, const soothi_grower_family *f, size_t column) {
    const size_t size = g->columns->cells * (size_t)g->packed.width, at = column * size;
    for (size_t c = 0; c < 2; ++c) {
        const soothi_grower_packed_search *s = &f->search[c];
        if (!f->counted[c]) continue;
        int64_t *cell = g->packed.cell + soothi_grower_slot(g, g->record[f->child[c]].histogram) + at;
        for (uint32_t i = 0; i < s->pieces; ++i) {
            const int64_t *piece = g->packed.cell + soothi_grower_slot(g, s->piece + i) + at;
            for (size_t k = 0; k < size; ++k) cell[k] += piece[k];
        }
    }
    if (!f->differs) return;
    const int64_t *less = g->packed.cell + soothi_grower_slot(g, g->record[f->child[0]].histogram) + at;
    int64_t *cell = g->packed.cell + soothi_grower_slot(g, g->record[f->child[1]].histogram) + at;
    for (size_t k = 0; k < size; ++k) cell[k] -= less[k];
}

/* Round 2 of a batch. The first tasks are the longest: they move parts into place, which no search reads.
   Each other task searches a block of columns of one family. */
static void soothi_grow_family_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_grower_batch *b = &g->batch;
    if (i < b->places) {
        soothi_grow_place_part(g, &b->part[i]);
        return;
    }
    i -= b->places;
    const size_t k = i % b->families, first = i / b->families * b->block;
    const size_t end = soothi_columns_block_end(i / b->families, b->block, soothi_grower_columns(g));
    soothi_grower_family *f = &b->family[k];
    for (size_t j = first; j < end; ++j) soothi_grow_complete(g, f, g->column ? g->column[j] : j);
    for (size_t c = 0; c < 2; ++c)
        if (f->wanted[c]) {
            const soothi_grower_record *child = &g->record[f->child[c]];
            soothi_histogram_search(&f->search[c], child->histogram ? NULL : soothi_grower_rows(g, child),
                                    first, end, &g->worker[worker],
                                    b->blocks == 1 ? NULL : b->split + (2 * k + c) * 2 * g->cols);
        }
}

/* Finds the best splits of the wanted children of all families. Children with a split stay wanted. */
SOOTHI_LOCAL void soothi_grow_search_families(soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
    b->places = 0;
    for (size_t i = 0; i < b->parts; ++i)
        if (!soothi_grow_is_whole(g, &b->part[i])) b->places = b->parts;
    for (size_t k = 0; k < 2 * b->families; ++k) {
        if (g->lost != SOOTH_OK) b->family[k / 2].wanted[k % 2] = 0; /* histograms are undefined */
        if (b->family[k / 2].wanted[k % 2])
            soothi_histogram_open_search(g, b->family[k / 2].child[k % 2], &b->family[k / 2].search[k % 2]);
    }
    soothi_parallel(g->env, b->places + b->families * b->blocks, soothi_grow_family_task, g);
    for (size_t k = 0; k < 2 * b->families; ++k) {
        soothi_grower_family *f = &b->family[k / 2];
        if (f->wanted[k % 2] && b->blocks > 1)
            soothi_histogram_join_splits(&f->search[k % 2], g->worker[0].pick, b->split + 2 * k * g->cols);
        if (f->wanted[k % 2]) f->wanted[k % 2] = soothi_histogram_enter(g, &f->search[k % 2]);
    }
}

/* Returns 1 if a child has so few rows that it needs no histogram. Its rows must then be in place for the
   search, so the parent must not be cut into parts. */
SOOTHI_LOCAL int soothi_grow_is_few(const soothi_grower *g, const soothi_grower_record *parent,
                                    uint32_t child) {
    return g->record[child].rows <= g->few && (g->workers == 1 || parent->rows < SOOTHI_GROW_SHARE);
}

/* Sets up the family of a split node and passes its histogram on to the children, if they need one. which: 1
   the left child may be split, 2 the right one, 3 both; 0 means no family. */
SOOTHI_LOCAL void soothi_grow_add_family(soothi_grower *g, uint32_t id, unsigned which) {
    soothi_grower_record *node = &g->record[id];
    soothi_grower_family *f = &g->batch.family[g->batch.families];
    const unsigned right = g->record[node->left].rows > g->record[node->right].rows; /* 1: it is smaller */
    if (!which) {
        g->record[node->left].stays = g->record[node->right].stays = 1;
        soothi_grower_release(g, id);
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
    soothi_grower_release(g, id);
}

/* Splits the nodes batch.id[0..n) and finds the best splits of their children. A child with a split stays
   wanted and keeps its histogram, as long as two slots are free. */
SOOTHI_LOCAL void soothi_grow_step(soothi_grower *g, size_t n) {
    soothi_grower_batch *b = &g->batch;
    b->families = 0; /* at most k, so entries are read before they are replaced */
    for (size_t k = 0; k < n; ++k) soothi_grow_add_family(g, b->id[k], soothi_grow_add_children(g, b->id[k]));
    if (b->families == 0) return;
    soothi_grow_cut_columns(g);
    soothi_grow_partition_families(g);
    soothi_grow_search_families(g);
    for (size_t k = 0; k < 2 * b->families; ++k)
        if (!b->family[k / 2].wanted[k % 2]) soothi_grower_release(g, b->family[k / 2].child[k % 2]);
    for (size_t k = 0; k < 2 * b->families && g->free_slots < 2; ++k)
        soothi_grower_release(g, b->family[k / 2].child[k % 2]);
}

/* Returns the maximum number of slots that splitting a node takes. */
SOOTHI_LOCAL size_t soothi_grow_slots_for(const soothi_grower *g, const soothi_grower_record *node) {
    if (node->depth + 1 == g->rules->max_depth || node->rows <= g->few) return 0; /* without a histogram */
    return node->histogram ? 1 : 2;
}

/* Grows depth first in batches: takes the last waiting nodes, as many as there are slots for. The smaller
   child of a node comes after the larger one. */
SOOTHI_LOCAL void soothi_grow_batches(soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
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

/* ---- growing a tree ---- */

SOOTHI_LOCAL sooth_status soothi_grow_report(soothi_grower *g, double done) {
    return g->stage ? soothi_progress(g->env, g->stage, done) : SOOTH_OK;
}

/* Returns 1 if one worker should grow this node's whole subtree, with lists. */
SOOTHI_LOCAL int soothi_grow_is_small(const soothi_grower *g, const soothi_grower_record *node) {
    return g->row[0] ? node->rows <= g->few : soothi_product(node->rows, g->width) <= SOOTHI_GROW_SUBTREE;
}

static void soothi_grow_small_task(void *arg, size_t i, size_t worker) {
    soothi_grower *g = (soothi_grower *)arg;
    const soothi_grower_record *node = &g->record[g->task[i]];
    soothi_grower_lists lists = g->lists;
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
    soothi_histogram_fill(g, id);
    const int found = soothi_grow_find(g, NULL, id, 0, 0);
    if (!found || g->free_slots < 2) soothi_grower_release(g, id);
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
    const soothi_grower_family *f = &g->batch.family[0];
    if (g->packed.width && last) {
        soothi_grow_add_children(g, id);
        soothi_grow_add_family(g, id, 0);
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
        soothi_grower_release(g, g->record[id].left);
        soothi_grower_release(g, g->record[id].right);
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
        const soothi_grower_record *node = &g->record[id];
        if (soothi_grow_is_small(g, node)) {
            g->task[g->tasks++] = id;
            if (g->workers == 1 || g->tasks == SOOTHI_GROWER_TASKS) status = soothi_grow_run_tasks(g);
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
    for (i = 0; i < n; ++i) soothi_grower_release(g, heap[i]);
    return status;
}

/* Counts and measures the histogram of the root for packed cells. */
SOOTHI_LOCAL void soothi_grow_packed_root(soothi_grower *g) {
    soothi_grower_family *f = &g->batch.family[0];
    int64_t sum[2] = {0, 0};
    memset(f, 0, sizeof *f);
    f->wanted[0] = f->counted[0] = 1;
    g->batch.id[0] = 0;
    g->batch.families = 1;
    g->batch.root = 1;
    soothi_grow_partition_families(g);
    g->batch.root = 0;
    if (g->lost != SOOTH_OK) return;
    if (g->count || g->all_rows || g->batch.slices > 1) {
        soothi_histogram_sum_slot(g, g->record[0].histogram, sum);
        for (uint32_t i = 0; i < f->search[0].pieces; ++i)
            soothi_histogram_sum_slot(g, f->search[0].piece + i, sum);
    } else { /* every part has its sum */
        for (size_t i = 0; i < g->batch.parts; ++i)
            for (size_t t = 0; t < 2; ++t) sum[t] += g->batch.part[i].sum[t];
    }
    g->batch.parts = 0; /* the rows are in place */
    soothi_histogram_measure(g, 0, sum, g->bound);
}

/* Creates and measures the root from the rows in place. Returns 1 if it may be split. */
SOOTHI_LOCAL int soothi_grow_root(soothi_grower *g) {
    soothi_grower_record *root = &g->record[0];
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
        mixed = soothi_criterion_measure_medians(g, &g->lists, root, g->mean);
    } else {
        mixed = soothi_criterion_measure(g, g->row[0] ? NULL : g->lists.list[0], g->row[0], root, g->mean);
    }
    g->total = root->weight;
    if (g->lost == SOOTH_OK && soothi_grow_may_split(g, root, mixed)) return 1;
    soothi_grower_release(g, 0);
    return 0;
}

/* Grows a tree from the lists or rows in place. The records then hold the tree. */
SOOTHI_LOCAL sooth_status soothi_grow_tree(soothi_grower *g) {
    if (!soothi_grow_root(g)) return SOOTH_OK;
    if (g->packed.width) {
        soothi_grow_cut_columns(g);
        soothi_grow_search_families(g);
        if (!g->batch.family[0].wanted[0]) {
            soothi_grower_release(g, 0);
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
        const soothi_grower_record *r = &g->record[g->order[at]];
        if (!r->left) continue;
        g->order[next++] = r->left;
        g->order[next++] = r->right;
    }
    return next;
}

/* ---- before a tree: the rows that take part ---- */

/* Copies the entries of rows with a weight above 0 to the working lists. */
static void soothi_grow_begin_task(void *arg, size_t i, size_t worker) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_columns *c = g->columns;
    const size_t end = soothi_columns_block_end(i, g->block, c->cols);
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

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
