/* tree/grower.h - the state of a growing tree: rules, nodes, rows, workers and the memory of all.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * tree/grow.h has the method. This part has its data:
 *
 *   rules       criterion, stopping rules and draws
 *   record      one node while the tree grows
 *   lists       a node's rows as sorted entries, one list per column
 *   packed      a node's rows as cells of integers
 *   worker      scratch of one worker
 *   batch       the nodes that are split at the same time, as families of a parent and two children
 *   grower      all of these for one growth
 *
 * soothi_grower_plan sets all sizes of a grower. soothi_grower_layout carves its memory, which is one piece:
 * once to find the size, once for the pointers.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_GROWER_IMPLEMENTED)
#define SOOTH_TREE_GROWER_IMPLEMENTED
#include "columns.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_GROWER_SHARES 3u   /* tasks per worker for the rows of a round */
#define SOOTHI_GROWER_SEARCHES 4u /* tasks per worker of a search round */
#define SOOTHI_GROWER_TASKS 256u  /* subtrees for one worker are collected up to this many */
#define SOOTHI_GROWER_FEW 96u     /* max rows searched without a histogram, column by column */
#define SOOTHI_GROWER_TABLE 1024u /* max rows of a node with a table, see soothi_histogram_fill_table */
#define SOOTHI_GROWER_LEVEL ((size_t)64 << 20) /* max bytes of the histograms of waiting nodes */
#define SOOTHI_GROWER_SENT ((size_t)8 << 20)   /* max bytes of one reduction */
#define SOOTHI_GROWER_NONE UINT32_MAX

/* Split criteria; tree.h has the formulas. SECOND: y holds first, weight second derivatives. */
enum {
    SOOTHI_CRITERION_SQUARED = 0,
    SOOTHI_CRITERION_ABSOLUTE,
    SOOTHI_CRITERION_FRIEDMAN,
    SOOTHI_CRITERION_POISSON,
    SOOTHI_CRITERION_RELATIVE,
    SOOTHI_CRITERION_SECOND
};

/* How the sums of derivatives G and H determine the value of a leaf. */
typedef struct soothi_grower_second {
    double lambda, alpha; /* L2 and L1 penalty */
    double max_step;      /* max absolute value; 0 means no limit */
} soothi_grower_second;

/* The node that splits are compared with. */
typedef struct soothi_grower_second_node {
    soothi_grower_second rule;
    double g, h;      /* its sums */
    double low, high; /* its bounds */
    double parent;    /* its gain as a leaf */
} soothi_grower_second_node;

typedef struct soothi_grower_rules {
    uint32_t criterion;
    uint32_t max_depth; /* UINT32_MAX means no limit */
    uint32_t min_split, min_leaf;
    uint32_t max_leaves;   /* best first, up to this many; 0 means depth first without limit */
    uint32_t max_features; /* columns drawn per node; 0 means all */
    uint32_t seed, stream; /* of all draws; stream: index of this tree */
    uint32_t random;       /* 1: one random threshold per column instead of all (extra-trees) */
    uint32_t random_ties;  /* 1: a random column wins among equal gains, so that a forest's trees differ */
    double min_weight;     /* min weight of a leaf; with second derivatives: min H */
    double min_gain, floor;
    double level_share, node_share; /* packed: share of columns drawn per level, share of those per node */
    const signed char *monotone;    /* cols; NULL means no constraints */
    uint32_t cat_onehot;            /* columns with at most this many classes: one against the rest */
    uint32_t cat_threshold;         /* otherwise: max classes on the smaller side; 0 means no limit */
    double cat_smooth, cat_l2;      /* added to H to sort classes, and to lambda */
    soothi_grower_second second;
} soothi_grower_rules;

typedef struct soothi_grower_record {
    double weight;       /* with second derivatives: H */
    double impurity;     /* with second derivatives: G */
    double gain;         /* gain of its split */
    uint32_t start, own; /* its range in every list, or in the rows, in this process */
    uint32_t rows;       /* its rows in all processes; equals own if there is only one */
    uint32_t depth;
    uint32_t left, right; /* its children; left 0 means a leaf */
    uint32_t feature;     /* its split: entries with a key (or bin) of at most `cut` go left */
    uint32_t cut;
    uint32_t rows_left;    /* number of left rows (lists: of those with a value) */
    uint32_t own_left;     /* packed: left rows in this process */
    uint32_t missing_left; /* 1: missing values go left */
    float threshold;
    uint32_t histogram; /* its slot + 1; 0 means none */
    uint32_t stays;     /* packed: 1 if it and its sibling are leaves: rows not partitioned */
} soothi_grower_record;

/* The best split so far. The larger score wins, then the lower column. A column's lower key comes first. */
typedef struct soothi_grower_best {
    double score;
    size_t column;         /* SIZE_MAX: none found */
    uint32_t cut, next;    /* the keys on both sides */
    uint32_t present_left; /* left rows with a value; 0 within a column: none found */
    uint32_t missing_left;
} soothi_grower_best;

/* Working memory of one worker. */
typedef struct soothi_grower_worker {
    unsigned char *side; /* table rows: 1 if the row goes right */
    uint32_t *pick;      /* cols, if columns are drawn: drawn columns come first */
    int64_t *few;        /* packed: see soothi_histogram_open_column */
    double *part;        /* packed: see soothi_histogram_fill_table */
    double *sum;         /* targets: sums of the left rows */
    /* medians; places: rows + 2 */
    uint32_t *rank;            /* table rows x targets: rank among the node's targets, from 1 */
    double *target, *penalty;  /* targets x places: the target and its weight */
    uint32_t *before, *after;  /* places: linked list of the remaining places */
    double *cost, *low, *high; /* places, by number of left rows: cost, medians of both sides */
    uint64_t *list[2];         /* cells: the lists of one small subtree, cols x stride */
    /* with categorical columns; NULL otherwise */
    double *level;      /* (classes + 1) x (2 + targets): rows, weight, sums per class; last: missing */
    double *statistic;  /* classes: sort keys */
    uint32_t *order;    /* classes: those in the node */
    uint32_t *set;      /* set of the best split, if it is categorical */
    uint64_t *arranged; /* medians; rows: entries whose keys are the places of their classes */
    soothi_grower_best best;
    uint32_t splits; /* made by this worker */
} soothi_grower_worker;

/* Two copies of lists, and the node they start at. */
typedef struct soothi_grower_lists {
    uint64_t *list[2]; /* width x stride */
    size_t stride;
    uint32_t start, depth;
} soothi_grower_lists;

/* Cells of integers. A row adds its gradient, scaled by a power of two, above a count of 1 in the low bits of
   a 64-bit integer: one addition does both. A second integer sums second derivatives if they differ. */
typedef struct soothi_grower_packed {
    int32_t *whole;             /* table rows x step: scaled derivatives; NULL: see tree/passes.h */
    size_t step;                /* >= width: integers between rows. With lists, the bins of a row follow */
    const float *derivative[2]; /* derivatives of the rows, converted when the root is counted */
    double scale[2];            /* powers of two that scale them */
    int64_t *cell;              /* (slots + pieces of several workers) x cols x cells x width */
    int64_t *sum;               /* records x 4: sums of the node, sums of the left rows of its split */
    uint32_t *spare;            /* table rows: buffer for moving rows */
    const uint32_t *root;       /* rows of the tree, ascending; may be row[0] of the grower */
    uint32_t width;             /* integers per cell: 1 or 2 */
    uint32_t count_bits;        /* number of low bits that hold the count */
    double back[2];             /* factors that convert sums back to derivatives */
} soothi_grower_packed;

/* Rows of a node that form one task of a round, and the results for them. */
typedef struct soothi_grower_part {
    uint32_t at;           /* index of its family in the round */
    uint32_t id, from, to; /* its range of the parent's rows */
    uint32_t left, before; /* left rows of this part; of the parts before it */
    uint32_t slot[2];      /* slot that counts the rows of each child; 0 means none */
    int64_t sum[2];        /* of the root: sums of its rows */
    double effort;         /* additions, about */
    uint32_t eighths;      /* effort in eighths of a share, counted down from 8 */
    uint32_t order;        /* index of the part that runs in this part's turn */
} soothi_grower_part;

/* A split with packed cells. */
typedef struct soothi_grower_packed_split {
    double gain, score; /* score: gain, in the plain case plus the parent's gain */
    int64_t left_sum[2];
    uint32_t column, cut, next;     /* the bins next to the cut; column SOOTHI_GROWER_NONE: no split */
    uint32_t missing_left, missing; /* missing 1: some row of the node has no value in this column */
} soothi_grower_packed_split;

struct soothi_grower;

/* The search of one node and its best split so far. */
typedef struct soothi_grower_packed_search {
    const struct soothi_grower *g;
    uint32_t id;
    uint32_t pieces, piece;           /* extra pieces of its histogram; the slot of the first */
    int64_t sum[2];                   /* of the node */
    soothi_grower_second_node second; /* as G and H */
    double reached; /* plain case: best score of columns searched by other tasks, less rounding; or 0 */
    soothi_grower_packed_split best;
} soothi_grower_packed_search;

/* A node that was split, and what its children need. */
typedef struct soothi_grower_family {
    uint32_t child[2]; /* the smaller one, the larger one */
    int wanted[2];     /* 1 if the child may be split */
    int counted[2];    /* 1 if the histogram is counted from the rows */
    int differs;       /* 1: larger child's histogram = parent's - smaller child's */
    int taken;         /* 1: instead, the smaller child's rows are subtracted one by one */
    soothi_grower_packed_search search[2];
} soothi_grower_family;

/* The nodes that are split at the same time. Each round of work covers all of them, so the number of rounds
   depends on the levels, not on the nodes. */
typedef struct soothi_grower_batch {
    size_t most;                       /* max nodes */
    size_t families, parts;            /* in the present batch */
    size_t places;                     /* parts to move into place: all, or 0 if none needs it */
    soothi_grower_family *family;      /* most */
    soothi_grower_part *part;          /* most + SOOTHI_GROWER_SHARES x workers */
    uint32_t *id;                      /* most: nodes of the round, parents of the families */
    int64_t *word;                     /* together x cols x cells x width: data for other processes */
    size_t together;                   /* histograms per reduction; 0: there is one process */
    int root;                          /* 1: the child is the root, which has no parent */
    size_t slices;                     /* column slices for counting */
    size_t blocks, block;              /* column blocks per family for searching; columns per block */
    soothi_grower_packed_split *split; /* per child, column and side of missing values, with blocks */
} soothi_grower_batch;

typedef struct soothi_grower {
    sooth_env *env;
    const char *stage; /* name for progress; NULL: none, then growing cannot fail */
    const soothi_grower_rules *rules;
    const soothi_columns *columns;
    /* the rows of this tree */
    const float *y, *weight; /* table rows x targets; table rows, or NULL */
    size_t rows;             /* with a weight above 0 */
    size_t all_rows;         /* packed: rows of all processes; 0: there is one process */
    size_t cols, targets;
    const uint32_t *column; /* columns_used: columns that may be split, ascending; NULL: all */
    size_t columns_used;
    double total; /* weight of all rows */
    /* the forms of the rows */
    size_t width;              /* lists: columns, and with medians targets */
    soothi_grower_lists lists; /* lists, and medians of bins */
    uint32_t *row[2];          /* cells and packed: rows in node order, by parity of the depth */
    float *row_y, *row_weight; /* cells: rows x targets, rows: of the present node, in order */
    double *cell;              /* cells: slots x cols x cells x cell_width */
    soothi_grower_packed packed;
    soothi_grower_batch batch; /* packed */
    size_t cell_width;         /* values per cell */
    uint32_t *free_slot;       /* slots: a stack */
    size_t slots, free_slots;
    uint32_t few;      /* cells: max rows of nodes that continue with lists */
    uint64_t *scratch; /* workers x scratch_share: small lists; a single tree sorts its columns here */
    size_t scratch_share;
    int sorts; /* 1: scratch must hold a column to sort */
    /* the tree */
    size_t capacity;
    soothi_grower_record *record; /* capacity */
    double *mean;                 /* capacity x targets: mean, median or Newton step */
    double *bound;                /* capacity x 2, with constraints: min and max prediction; or NULL */
    uint32_t *set;                /* capacity x SOOTHI_CATEGORIES_WORDS: of categorical splits; or NULL */
    soothi_grower_worker *worker; /* workers */
    size_t workers;
    uint32_t *task; /* collected subtrees, or the frontier */
    size_t tasks;
    uint32_t *order;   /* after growth: see soothi_grow_order */
    uint32_t records;  /* number of records, if numbered in order of creation */
    size_t done;       /* rows in finished leaves */
    sooth_status lost; /* packed: not SOOTH_OK once a reduction failed; growth then stops */
    size_t block;      /* columns per task, before a tree */
    /* packed without lists of rows: round 1 of a batch (tree/passes.h); NULL: lists */
    void (*count)(struct soothi_grower *g);
    void *passes; /* argument of count */
} soothi_grower;

/* ---- the parts of a node ---- */

/* Returns a node's entries in the list of a column; with depth + 1, the place of its children's entries. */
SOOTHI_LOCAL uint64_t *soothi_grower_list_at(const soothi_grower_lists *lists,
                                             const soothi_grower_record *node, size_t column,
                                             uint32_t depth) {
    return lists->list[(depth - lists->depth) & 1] + column * lists->stride + (node->start - lists->start);
}

SOOTHI_LOCAL const uint64_t *soothi_grower_list(const soothi_grower_lists *lists,
                                                const soothi_grower_record *node, size_t column) {
    return soothi_grower_list_at(lists, node, column, node->depth);
}

/* Returns the number of columns of the tree. */
SOOTHI_LOCAL size_t soothi_grower_columns(const soothi_grower *g) {
    return g->column ? g->columns_used : g->cols;
}

/* Returns the rows of a node, in ascending order. */
SOOTHI_LOCAL const uint32_t *soothi_grower_rows(const soothi_grower *g, const soothi_grower_record *node) {
    return (node->depth ? g->row[node->depth & 1] : g->packed.root) + node->start;
}

/* Returns the set of a node with a categorical split; NULL if the node tests a threshold. */
SOOTHI_LOCAL uint32_t *soothi_grower_set(const soothi_grower *g, uint32_t id) {
    return soothi_categories_has(&g->columns->categories, g->record[id].feature)
               ? g->set + SOOTHI_CATEGORIES_WORDS * (size_t)id
               : NULL;
}

/* Returns the offset of the cells of a slot (from 1), in values. */
SOOTHI_LOCAL size_t soothi_grower_slot(const soothi_grower *g, size_t slot) {
    return (slot - 1) * (g->cols * g->columns->cells * g->cell_width);
}

SOOTHI_LOCAL void soothi_grower_release(soothi_grower *g, uint32_t id) {
    soothi_grower_record *node = &g->record[id];
    if (node->histogram) g->free_slot[g->free_slots++] = node->histogram;
    node->histogram = 0;
}

/* Clips a value to the bounds of a node. */
SOOTHI_LOCAL double soothi_grower_clip(const soothi_grower *g, uint32_t id, double value) {
    const double *bound = g->bound ? g->bound + 2 * (size_t)id : NULL;
    return bound && value < bound[0] ? bound[0] : bound && value > bound[1] ? bound[1] : value;
}

/* Returns the prediction of a node: its mean or median, within its bounds. */
SOOTHI_LOCAL double soothi_grower_value(const soothi_grower *g, uint32_t id, size_t t) {
    return soothi_grower_clip(g, id, g->mean[id * g->targets + t]);
}

/* ---- sums of packed cells ---- */

/* rows */
SOOTHI_HOT uint32_t soothi_grower_count(const soothi_grower_packed *p, const int64_t *sum) {
    return (uint32_t)((uint64_t)sum[0] & (((uint64_t)1 << p->count_bits) - 1u));
}

/* G */
SOOTHI_HOT double soothi_grower_gradient(const soothi_grower_packed *p, const int64_t *sum) {
    return (double)(sum[0] - (int64_t)soothi_grower_count(p, sum)) * p->back[0];
}

/* H */
SOOTHI_HOT double soothi_grower_hessian(const soothi_grower_packed *p, const int64_t *sum) {
    return p->width == 1 ? (double)soothi_grower_count(p, sum) : (double)sum[1] * p->back[1];
}

/* ---- drawing columns ---- */

/* Returns the number of items of a share of `count`, one or more. */
SOOTHI_LOCAL uint32_t soothi_grower_keep(uint32_t count, double share) {
    const uint32_t keep = (uint32_t)(share * (double)count + 1e-9);
    return keep ? keep : 1;
}

/* Random words: word[0..count), made by several workers, then those of rng. */
typedef struct soothi_grower_words {
    sooth_rng rng;
    const uint32_t *word;
    size_t count, at;
} soothi_grower_words;

SOOTHI_HOT uint32_t soothi_grower_next_word(soothi_grower_words *w) {
    return w->at < w->count ? w->word[w->at++] : soothi_rng_next(&w->rng);
}

/* Selection sampling: draws an item with probability keep / left, where `keep` of the `left` items from it on
   are still to be drawn, as sooth_rng_below does. Returns 1 or 0: branches would be mispredicted. */
SOOTHI_HOT uint32_t soothi_grower_takes(soothi_grower_words *w, uint32_t left, uint32_t keep) {
    uint64_t m = (uint64_t)soothi_grower_next_word(w) * left;
    if ((uint32_t)m < left) {
        const uint32_t least = (0u - left) % left;
        while ((uint32_t)m < least) m = (uint64_t)soothi_grower_next_word(w) * left;
    }
    return (uint32_t)(m >> 32) < keep;
}

/* Draws a share of `count` items, one or more, and returns their number. This process has value[0..own),
   which are the items from `before` on. Its drawn items, *drawn, go to out in ascending order. out has space
   for `own`, and may be value. */
SOOTHI_LOCAL uint32_t soothi_grower_draw_part(soothi_grower_words words, const uint32_t *value,
                                              uint32_t count, double share, uint32_t before, uint32_t own,
                                              uint32_t *out, uint32_t *drawn) {
    const uint32_t keep = soothi_grower_keep(count, share);
    uint32_t rest = keep, here = 0, i = 0;
    for (; i < before && rest > 0; ++i) rest -= soothi_grower_takes(&words, count - i, rest);
    for (; i < before + own && rest > 0; ++i) {
        const uint32_t takes = soothi_grower_takes(&words, count - i, rest);
        out[here] = value[i - before];
        here += takes;
        rest -= takes;
    }
    for (; i < count && rest > 0; ++i) rest -= soothi_grower_takes(&words, count - i, rest);
    *drawn = here;
    return keep;
}

/* Draws a share of value[0..count), one or more, to its front, in ascending order; returns their number. */
SOOTHI_LOCAL uint32_t soothi_grower_draw(const sooth_rng *rng, uint32_t *value, uint32_t count,
                                         double share) {
    const soothi_grower_words words = {*rng, NULL, 0, 0};
    uint32_t drawn;
    return soothi_grower_draw_part(words, value, count, share, 0, count, value, &drawn);
}

/* Like soothi_grower_draw for the items 0..count, but sets the bits of the drawn items, and clears those of
   the others. */
SOOTHI_LOCAL uint32_t soothi_grower_draw_bits(const sooth_rng *rng, unsigned char *bit, uint32_t count,
                                              double share) {
    const uint32_t keep = soothi_grower_keep(count, share);
    soothi_grower_words words = {*rng, NULL, 0, 0};
    uint32_t rest = keep;
    memset(bit, 0, (size_t)count / 8 + 1);
    for (uint32_t i = 0; i < count && rest > 0; ++i) {
        const uint32_t takes = soothi_grower_takes(&words, count - i, rest);
        bit[i / 8] |= (unsigned char)(takes << i % 8);
        rest -= takes;
    }
    return keep;
}

/* Fills pick with the columns that a node searches and returns their number. A level draws from the columns
   of the tree, a node from those of its level. */
SOOTHI_LOCAL uint32_t soothi_grower_pick(const soothi_grower *g, uint32_t id, uint32_t *pick) {
    const soothi_grower_rules *rules = g->rules;
    uint32_t n = (uint32_t)(g->column ? g->columns_used : g->cols);
    sooth_rng rng;
    for (uint32_t j = 0; j < n; ++j) pick[j] = g->column ? g->column[j] : j;
    if (rules->level_share < 1.0) {
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | 0x80000000u | g->record[id].depth);
        n = soothi_grower_draw(&rng, pick, n, rules->level_share);
    }
    if (rules->node_share < 1.0) {
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | id);
        n = soothi_grower_draw(&rng, pick, n, rules->node_share);
    }
    return n;
}

/* ---- memory ---- */

/* Returns the maximum number of nodes of a subtree of `rows` rows at this depth, root included. The
   capacities of two children fit into their parent's, so records can be numbered top down. */
SOOTHI_LOCAL size_t soothi_grower_capacity(const soothi_grower_rules *rules, size_t rows, uint32_t depth) {
    size_t leaves = rows / rules->min_leaf, levels = rules->max_depth - depth;
    if (leaves == 0) leaves = 1;
    if (levels < 31 && leaves > (size_t)1 << levels) leaves = (size_t)1 << levels;
    return 2 * leaves - 1;
}

/* Returns the maximum number of nodes of a tree. */
SOOTHI_LOCAL size_t soothi_grower_nodes(const soothi_grower_rules *rules, size_t rows) {
    const size_t nodes = soothi_grower_capacity(rules, rows, 0);
    return rules->max_leaves && nodes > 2 * (size_t)rules->max_leaves - 1 ? 2 * (size_t)rules->max_leaves - 1
                                                                          : nodes;
}

/* Plans whole levels for several workers, as far as memory allows. Columns drawn by node index need the order
   of a single worker. */
SOOTHI_LOCAL void soothi_grower_plan_levels(soothi_grower *g) {
    const size_t bytes = soothi_grower_slot(g, 2) * sizeof(int64_t);
    size_t most = g->capacity / 4 + 1; /* max nodes of one level that can be split */
    if (most > SOOTHI_GROWER_LEVEL / bytes) most = SOOTHI_GROWER_LEVEL / bytes;
    if (most == 0) most = 1;
    g->batch.most = most;
    if (g->slots < most + 2) g->slots = most + 2;
}

/* With several processes, sets the maximum number of histograms per reduction. A batch counts one per family,
   or two if the parent has none any more. */
SOOTHI_LOCAL void soothi_grower_plan_ranks(soothi_grower *g) {
    const size_t most = SOOTHI_GROWER_SENT / (soothi_grower_slot(g, 2) * sizeof(int64_t));
    g->batch.together = g->batch.most < most ? g->batch.most + 1 : most;
    if (g->batch.together == 0) g->batch.together = 1;
}

/* Sets all sizes from the rules and the shape of the columns. weights: rows have weights. packed: 0, or the
   values of a packed cell. */
SOOTHI_LOCAL void soothi_grower_plan(soothi_grower *g, const soothi_grower_rules *rules,
                                     const soothi_columns *c, size_t targets, int weights, uint32_t packed,
                                     size_t workers) {
    memset(g, 0, sizeof *g);
    g->rules = rules;
    g->columns = c;
    g->rows = c->entries;
    g->cols = g->width = c->cols;
    g->targets = targets;
    g->workers = workers;
    g->packed.width = packed;
    if (rules->criterion == SOOTHI_CRITERION_ABSOLUTE || rules->criterion == SOOTHI_CRITERION_RELATIVE)
        g->width += targets;
    g->capacity = soothi_grower_nodes(rules, g->rows);
    if (packed) {
        g->cell_width = packed;
        g->slots = rules->max_leaves ? SOOTHI_GROWER_LEVEL / (soothi_grower_slot(g, 2) * sizeof(int64_t))
                                     : rules->max_depth + 2u;
        if (rules->max_leaves && g->slots > rules->max_leaves + 2u) g->slots = rules->max_leaves + 2u;
        if (g->slots < 4) g->slots = 4;
        g->batch.most = 1;
        g->few = c->categories.categorical ? 0 : SOOTHI_GROWER_FEW; /* classes are summed from cells */
        if (workers > 1 && !rules->max_leaves && !(rules->node_share < 1.0)) soothi_grower_plan_levels(g);
    } else if (c->bins && g->width == g->cols) {
        g->cell_width = targets + (weights ? 2u : 1u);
        g->few = rules->max_leaves ? 0 : 2 * c->bins;
        g->slots = 4;
        for (size_t half = g->rows; half > 1; half /= 2) ++g->slots;
        if (g->slots > g->rows) g->slots = g->rows + 2;
    }
}

/* Lays out the memory of one worker. */
SOOTHI_LOCAL void soothi_grower_layout_worker(soothi_carver *m, const soothi_grower *g,
                                              soothi_grower_worker *worker) {
    const soothi_grower_rules *rules = g->rules;
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
        worker->part = (double *)soothi_carve(m, 2 * (SOOTHI_GROWER_TABLE + 1), sizeof(double));
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
SOOTHI_LOCAL void soothi_grower_layout_batch(soothi_carver *m, soothi_grower *g) {
    soothi_grower_batch *b = &g->batch;
    const size_t shares = SOOTHI_GROWER_SHARES * g->workers;
    const size_t searches = SOOTHI_GROWER_SEARCHES * g->workers;
    const size_t cut = g->workers == 1 ? 0 : b->most < searches ? b->most : searches; /* families in blocks */
    b->family = (soothi_grower_family *)soothi_carve(m, b->most, sizeof *b->family);
    b->part = (soothi_grower_part *)soothi_carve(m, b->most + shares, sizeof *b->part);
    b->id = (uint32_t *)soothi_carve(m, b->most, sizeof *b->id);
    b->word =
        (int64_t *)soothi_carve(m, soothi_product(b->together, soothi_grower_slot(g, 2)), sizeof *b->word);
    /* symmetric trees need one per column */
    b->split = (soothi_grower_packed_split *)soothi_carve(m, soothi_product(cut ? 4 * cut : 1, g->cols),
                                                          sizeof *b->split);
}

/* Lays out the memory of one grower, after soothi_grower_plan: once for the size, once for the pointers. */
SOOTHI_LOCAL void soothi_grower_layout(soothi_carver *m, soothi_grower *g) {
    const soothi_columns *c = g->columns;
    const soothi_grower_rules *rules = g->rules;
    const uint32_t packed = g->packed.width;
    const size_t tasks = rules->max_leaves || packed ? g->capacity : SOOTHI_GROWER_TASKS;
    const size_t shares = SOOTHI_GROWER_SHARES * g->workers;
    soothi_grower_worker none;
    size_t k;
    g->record = (soothi_grower_record *)soothi_carve(m, g->capacity, sizeof *g->record);
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
            soothi_grower_layout_batch(m, g);
        } else {
            g->row_y = (float *)soothi_carve(m, soothi_product(g->rows, g->targets), sizeof(float));
            g->row_weight = (float *)soothi_carve(m, g->rows, sizeof(float));
            g->cell = (double *)soothi_carve(m, g->slots, size);
        }
    }
    g->worker = (soothi_grower_worker *)soothi_carve(m, g->workers, sizeof *g->worker);
    for (size_t w = 0; w < g->workers; ++w)
        soothi_grower_layout_worker(m, g, m->memory ? &g->worker[w] : &none);
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

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
