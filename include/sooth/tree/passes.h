/* tree/passes.h - trees grown in passes over all rows, with two bytes per row.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * tree/grow.h partitions lists of rows as nodes are split: 8 to 12 bytes a row, and bins by row in addition
 * to those by column. If the table was read in blocks (train/blocks.h) because memory is short, that is most
 * of the memory of a fit. Here each row stores its node instead, and one pass over all rows in order handles
 * a level. Every row moves to a child and is added to the child's histogram, if it needs one (SLIQ's class
 * list: Mehta, Agrawal, Rissanen, EDBT 1996).
 *
 * Bins are read column by column, as train/blocks.h stores them, once a level. Nothing is copied or read out
 * of order. Integer sums do not depend on the order, so the tree equals that of the lists, bit for bit. Rows
 * of nodes whose children are leaves do not move any more; soothi_passes_leaf chooses their child. Rows that
 * were not drawn for the tree move, but are not counted. Rows do not move in memory: bins and targets may be
 * in a mapped file, and copies of rows by node would take 18 bytes a row more for ten columns.
 *
 * Cost for n rows, d columns, D levels: O(d n D) time. On each level but the last, at most half of the rows
 * are counted and all are moved. Memory: 2 n bytes (n / 8 more with drawn rows), and the histograms of a
 * level for each further worker.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_PASSES_IMPLEMENTED)
#define SOOTH_TREE_PASSES_IMPLEMENTED
#include "grow.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_PASSES_ROWS 2048u     /* rows of a turn: their bins and values fit in the L1 cache */
#define SOOTHI_PASSES_COLUMNS 4u     /* columns that share a look at a row of a turn */
#define SOOTHI_PASSES_SHARES 16u     /* tasks per worker */
#define SOOTHI_PASSES_NODES 65536    /* max nodes of a tree */
#define SOOTHI_PASSES_COUNTED 65536u /* rows that go to this child are added to a histogram */

/* What a pass does with the rows of a node. */
typedef struct soothi_passes_node {
    uint32_t child[2]; /* left, right, or the node itself if it is not split; plus SOOTHI_PASSES_COUNTED */
    uint32_t cut, missing; /* bins above `cut` and below `missing` go right */
    uint32_t classes;      /* of a column of categories whose set splits the node; else 0 */
    uint32_t slot[2];      /* of its histogram, from 0: among those of worker 0, and of every other one */
    size_t column;         /* offset of the bins of its feature */
    const uint32_t *set;   /* the classes that go left; bins from `classes` on are as above */
} soothi_passes_node;

typedef struct soothi_passes {
    soothi_grower *grower;
    const unsigned char *bin; /* of the columns */
    uint16_t *place;          /* rows: the record of each row */
    unsigned char *drawn;     /* a bit per row: 1 if the tree counts it; NULL: all */
    soothi_passes_node *node; /* capacity */
    uint32_t *position;       /* capacity: breadth-first index of each record */
    uint32_t *slot;           /* batch.most x 2: slots of the histograms of a pass */
    size_t histograms;
    int64_t *bank; /* (workers - 1) x most x cells of a slot: histograms of the other workers */
    size_t most, chunk;
    /* fills grower.packed.whole for the rows from..end, before the root counts them */
    void (*make_whole)(const void *fit, size_t from, size_t end);
    const void *fit;
    /* if packed.whole is NULL: margin - y, times packed.scale, of one of `targets` targets */
    const float *margin, *y;
    size_t targets, target;
} soothi_passes;

/* Returns the child that a row moves to, with its flag. There are no branches on a number: every other
   one would be mispredicted. */
SOOTHI_HOT uint32_t soothi_passes_next(const soothi_passes *p, size_t row) {
    const soothi_passes_node *node = &p->node[p->place[row]];
    const uint32_t b = p->bin[node->column + row];
    uint32_t right = (b > node->cut) & (b < node->missing);
    if (b < node->classes) right = !soothi_categories_in(node->set, b);
    return node->child[right];
}

/* Returns the histograms of worker w. */
SOOTHI_LOCAL int64_t *soothi_passes_bank(const soothi_passes *p, size_t w) {
    return w ? p->bank + (w - 1) * p->most * soothi_grower_slot(p->grower, 2) : p->grower->packed.cell;
}

/* Returns the cells that worker w adds to in histogram h, from 1. */
SOOTHI_LOCAL int64_t *soothi_passes_cells(const soothi_passes *p, size_t w, size_t h) {
    return soothi_passes_bank(p, w) + soothi_grower_slot(p->grower, w ? h : p->slot[h - 1]);
}

/* Rows of a turn that are added to a histogram. */
typedef struct soothi_passes_turn {
    uint16_t row[SOOTHI_PASSES_ROWS];
    int64_t *cell[SOOTHI_PASSES_ROWS];
    int64_t first[SOOTHI_PASSES_ROWS];
    int32_t second[SOOTHI_PASSES_ROWS];
} soothi_passes_turn;

/* Moves the rows from..end; returns the number of rows to count, and what to add for each. */
SOOTHI_LOCAL size_t soothi_passes_move(const soothi_passes *passes, size_t from, size_t end, size_t worker,
                                       soothi_passes_turn *turn) {
    const soothi_passes p = *passes; /* a local copy, which stays in registers */
    const int32_t *whole = p.grower->packed.whole;
    const uint32_t count_bits = p.grower->packed.count_bits;
    const double scale = p.grower->packed.scale[0];
    const size_t size = soothi_grower_slot(p.grower, 2);
    int64_t *bank = soothi_passes_bank(&p, worker);
    size_t n = 0;
    for (size_t k = from; k < end; ++k) {
        const uint32_t child = soothi_passes_next(&p, k);
        p.place[k] = (uint16_t)child;
        turn->row[n] = (uint16_t)(k - from);
        n += child / SOOTHI_PASSES_COUNTED & (p.drawn ? (uint32_t)p.drawn[k / 8] >> k % 8 : 1u);
    }
    for (size_t i = 0; i < n; ++i) {
        const size_t k = from + turn->row[i], at = k * p.targets + p.target;
        turn->cell[i] = bank + p.node[p.place[k]].slot[worker > 0] * size;
        if (whole) turn->second[i] = whole[2 * k + 1];
        turn->first[i] = soothi_histogram_pack(
            whole ? whole[2 * k] : soothi_histogram_round((double)(p.margin[at] - p.y[at]) * scale),
            count_bits);
    }
    return n;
}

/* Adds the rows of a turn to their histograms in `count` columns. width and count are constants where it is
   called. */
SOOTHI_HOT void soothi_passes_add(const soothi_passes_turn *turn, size_t n, const unsigned char *const *bin,
                                  const size_t *at, size_t width, size_t count) {
    for (size_t k = 0; k < n; ++k)
        for (size_t j = 0; j < count; ++j) {
            int64_t *cell = turn->cell[k] + at[j] + width * bin[j][turn->row[k]];
            cell[0] += turn->first[k];
            if (width == 2) cell[1] += turn->second[k];
        }
}

static void soothi_passes_task(void *arg, size_t i, size_t worker) {
    const soothi_passes *p = (const soothi_passes *)arg;
    const soothi_grower *g = p->grower;
    const size_t rows = g->columns->rows, last = soothi_columns_block_end(i, p->chunk, rows);
    const size_t width = g->packed.width, size = g->columns->cells * width, many = SOOTHI_PASSES_COLUMNS;
    soothi_passes_turn turn;
    for (size_t from = i * p->chunk; from < last; from += SOOTHI_PASSES_ROWS) {
        const size_t end = from + SOOTHI_PASSES_ROWS < last ? from + SOOTHI_PASSES_ROWS : last;
        if (g->batch.root && g->packed.whole) p->make_whole(p->fit, from, end);
        const size_t n = soothi_passes_move(p, from, end, worker, &turn);
        for (size_t j = 0, some; n > 0 && j < soothi_grower_columns(g); j += some) {
            const unsigned char *bin[SOOTHI_PASSES_COLUMNS];
            size_t at[SOOTHI_PASSES_COLUMNS];
            some = j + many <= soothi_grower_columns(g) ? many : 1;
            for (size_t k = 0; k < some; ++k) {
                const size_t column = g->column ? g->column[j + k] : j + k;
                bin[k] = p->bin + column * rows + from;
                at[k] = column * size;
            }
            if (width == 1 && some == many) soothi_passes_add(&turn, n, bin, at, 1, many);
            else if (width == 1) soothi_passes_add(&turn, n, bin, at, 1, 1);
            else if (some == many) soothi_passes_add(&turn, n, bin, at, 2, many);
            else soothi_passes_add(&turn, n, bin, at, 2, 1);
        }
    }
}

static void soothi_passes_clear_task(void *arg, size_t i, size_t worker) {
    const soothi_passes *p = (const soothi_passes *)arg;
    (void)worker;
    memset(soothi_passes_cells(p, i / p->histograms, i % p->histograms + 1), 0,
           soothi_grower_slot(p->grower, 2) * sizeof(int64_t));
}

static void soothi_passes_join_task(void *arg, size_t i, size_t worker) {
    const soothi_passes *p = (const soothi_passes *)arg;
    const size_t size = soothi_grower_slot(p->grower, 2);
    int64_t *cell = soothi_passes_cells(p, 0, i + 1);
    (void)worker;
    for (size_t w = 1; w < p->grower->workers; ++w) {
        const int64_t *more = soothi_passes_cells(p, w, i + 1);
        for (size_t k = 0; k < size; ++k) cell[k] += more[k];
    }
}

/* Copies the splits from the records. */
SOOTHI_LOCAL void soothi_passes_enter(soothi_passes *p) {
    const soothi_grower *g = p->grower;
    for (uint32_t id = 0; id < g->records; ++id) {
        const soothi_grower_record *r = &g->record[id];
        const uint32_t *set = r->left ? soothi_grower_set(g, id) : NULL;
        const soothi_passes_node node = {{r->left ? r->left : id, r->left ? r->right : id},
                                         set ? 0 : r->cut,
                                         r->missing_left ? g->columns->used[r->feature] : 256,
                                         set ? g->columns->used[r->feature] : 0,
                                         {0, 0},
                                         r->feature * g->columns->rows,
                                         set};
        p->node[id] = node;
    }
}

/* Round 1 of a batch without lists: one pass over all rows. */
static void soothi_passes_count(soothi_grower *g) {
    soothi_passes *p = (soothi_passes *)g->passes;
    soothi_grower_batch *b = &g->batch;
    p->histograms = 0;
    soothi_passes_enter(p);
    for (size_t k = 0; k < 2 * b->families; ++k) {
        soothi_grower_family *f = &b->family[k / 2];
        const uint32_t child = f->child[k % 2];
        soothi_passes_node *parent = &p->node[b->id[k / 2]];
        f->search[k % 2].pieces = 0;
        if (!f->counted[k % 2]) continue;
        for (size_t i = 0; i < 2; ++i) /* the root is its own child, on both sides */
            if (parent->child[i] == child) parent->child[i] += SOOTHI_PASSES_COUNTED;
        p->node[child].slot[1] = (uint32_t)p->histograms;
        p->slot[p->histograms++] = g->record[child].histogram = g->free_slot[--g->free_slots];
        p->node[child].slot[0] = g->record[child].histogram - 1;
    }
    soothi_parallel(g->env, g->workers * p->histograms, soothi_passes_clear_task, p);
    soothi_parallel(g->env, (g->columns->rows + p->chunk - 1) / p->chunk, soothi_passes_task, p);
    if (g->workers > 1) soothi_parallel(g->env, p->histograms, soothi_passes_join_task, p);
}

/* Sets sizes, after soothi_grower_plan with packed cells, for trees that do not grow best first. Returns 0 if
   these trees cannot grow in passes. */
SOOTHI_LOCAL int soothi_passes_plan(soothi_passes *p, soothi_grower *g) {
    const size_t tasks = SOOTHI_PASSES_SHARES * g->workers;
    if (g->capacity > SOOTHI_PASSES_NODES || g->rules->node_share < 1.0) return 0;
    if (g->workers == 1) soothi_grower_plan_levels(g);
    g->few = 0;
    g->passes = p;
    g->count = soothi_passes_count;
    p->grower = g;
    p->most = 2 * g->batch.most;
    p->chunk = (g->columns->rows / tasks / SOOTHI_PASSES_ROWS + 1) * SOOTHI_PASSES_ROWS;
    return 1;
}

SOOTHI_LOCAL void soothi_passes_layout(soothi_carver *m, soothi_passes *p, const float *margin,
                                       const float *y, size_t targets, int draws) {
    const soothi_grower *g = p->grower;
    p->margin = margin;
    p->y = y;
    p->targets = targets;
    const size_t size = soothi_product(soothi_grower_slot(g, 2), sizeof(int64_t));
    p->place = (uint16_t *)soothi_carve(m, g->columns->rows, sizeof *p->place);
    p->drawn = draws ? (unsigned char *)soothi_carve(m, g->columns->rows / 8 + 1, 1) : NULL;
    p->node = (soothi_passes_node *)soothi_carve(m, g->capacity, sizeof *p->node);
    p->position = (uint32_t *)soothi_carve(m, g->capacity, sizeof *p->position);
    p->slot = (uint32_t *)soothi_carve(m, p->most, sizeof *p->slot);
    p->bank = (int64_t *)soothi_carve(m, soothi_product(g->workers - 1, p->most), size);
}

/* Starts a tree with all rows in its root. */
SOOTHI_LOCAL void soothi_passes_begin(soothi_passes *p) {
    p->bin = p->grower->columns->bin;
    memset(p->place, 0, p->grower->columns->rows * sizeof *p->place);
}

/* Ends a tree of `nodes` nodes, before soothi_passes_leaf. */
SOOTHI_LOCAL void soothi_passes_end(soothi_passes *p, size_t nodes) {
    soothi_passes_enter(p);
    for (size_t k = 0; k < nodes; ++k) p->position[p->grower->order[k]] = (uint32_t)k;
}

/* Returns the leaf of a row, breadth first. A node whose children are leaves has kept its rows. */
SOOTHI_LOCAL uint32_t soothi_passes_leaf(const soothi_passes *p, size_t row) {
    return p->position[soothi_passes_next(p, row)];
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
