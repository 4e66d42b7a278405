/* tree/criterion.h - split criteria and the search for the best split of a node.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * This header has no public functions; tree/grow.h builds on it. A node is measured (weight, mean, impurity).
 * Then the gain of every split of every column is computed:
 *
 *   squared, friedman, poisson    from the sums on the left and the sums of the node
 *   absolute, relative            from medians of both sides, updated row by row
 *   second derivatives            from their sums; boost.h has the formula
 *
 * A node's rows have one of three forms (see tree/grow.h): sorted lists, cells of doubles, packed cells of
 * integers (tree/histogram.h). Each form has its own scan; all use the same criteria. In all forms, the
 * classes of a categorical column (tree/categories.h) are summed, sorted by their statistic and scanned as if
 * ordered. With medians, the entries themselves are put in that order.
 *
 * Cost for n rows and d columns: lists O(d n), also with medians; cells and packed cells O(d x bins). Nothing
 * is allocated.
 */
#if !defined(SOOTH_TREE_CRITERION_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_CRITERION_IMPLEMENTED))
#include "columns.h"
#include "../base.h"
#endif

#ifndef SOOTH_TREE_CRITERION_H
#define SOOTH_TREE_CRITERION_H
#endif /* SOOTH_TREE_CRITERION_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_CRITERION_IMPLEMENTED)
#define SOOTH_TREE_CRITERION_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_GROW_SUBTREE 65536u /* max entries of a node that one worker grows with its subtree */
#define SOOTHI_GROW_SHARES 3u      /* tasks per worker for the rows of a round */
#define SOOTHI_GROW_SEARCHES 4u    /* tasks per worker of a search round */
#define SOOTHI_GROW_SHARE 1024u    /* min rows worth cutting */
#define SOOTHI_GROW_TASK 16384u    /* min additions of a task */
#define SOOTHI_GROW_MOVE 2.5       /* cost to partition a row, in additions, as measured */
#define SOOTHI_GROW_FEW 96u        /* max rows searched without a histogram, column by column */
#define SOOTHI_GROW_TABLE 1024u    /* max rows of a node with a table, see soothi_grow_table_parts */
#define SOOTHI_GROW_ROUNDING 1e-12 /* smaller relative gains are rounding errors */
#define SOOTHI_GROW_NONE UINT32_MAX

/* Split criteria; tree.h has the formulas. SECOND: y holds first, weight second derivatives. */
enum {
    SOOTHI_GROW_SQUARED = 0,
    SOOTHI_GROW_ABSOLUTE,
    SOOTHI_GROW_FRIEDMAN,
    SOOTHI_GROW_POISSON,
    SOOTHI_GROW_RELATIVE,
    SOOTHI_GROW_SECOND
};

/* How the sums of derivatives G and H determine the value of a leaf. */
typedef struct soothi_grow_second {
    double lambda, alpha; /* L2 and L1 penalty */
    double max_step;      /* max absolute value; 0 means no limit */
} soothi_grow_second;

/* The node that splits are compared with. */
typedef struct soothi_grow_second_node {
    soothi_grow_second rule;
    double g, h;      /* its sums */
    double low, high; /* its bounds */
    double parent;    /* its gain as a leaf */
} soothi_grow_second_node;

typedef struct soothi_grow_rules {
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
    soothi_grow_second second;
} soothi_grow_rules;

typedef struct soothi_grow_record {
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
} soothi_grow_record;

/* The best split so far. The larger score wins, then the lower column. A column's lower key comes first. */
typedef struct soothi_grow_best {
    double score;
    size_t column;         /* SIZE_MAX: none found */
    uint32_t cut, next;    /* the keys on both sides */
    uint32_t present_left; /* left rows with a value; 0 within a column: none found */
    uint32_t missing_left;
} soothi_grow_best;

/* Working memory of one worker. */
typedef struct soothi_grow_worker {
    unsigned char *side; /* table rows: 1 if the row goes right */
    uint32_t *pick;      /* cols, if columns are drawn: drawn columns come first */
    int64_t *few;        /* packed: see soothi_grow_open_column */
    double *part;        /* packed: see soothi_grow_table_parts */
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
    soothi_grow_best best;
    uint32_t splits; /* made by this worker */
} soothi_grow_worker;

/* Two copies of lists, and the node they start at. */
typedef struct soothi_grow_lists {
    uint64_t *list[2]; /* width x stride */
    size_t stride;
    uint32_t start, depth;
} soothi_grow_lists;

/* Cells of integers. A row adds its gradient, scaled by a power of two, above a count of 1 in the low bits of
   a 64-bit integer: one addition does both. A second integer sums second derivatives if they differ. */
typedef struct soothi_grow_packed {
    int32_t *whole;             /* table rows x width: scaled derivatives; NULL: see tree/passes.h */
    const float *derivative[2]; /* derivatives of the rows, converted when the root is counted */
    double scale[2];            /* powers of two that scale them */
    int64_t *cell;              /* (slots + pieces of several workers) x cols x cells x width */
    int64_t *sum;               /* records x 4: sums of the node, sums of the left rows of its split */
    uint32_t *spare;            /* table rows: buffer for moving rows */
    const uint32_t *root;       /* rows of the tree, ascending; may be row[0] of the grower */
    uint32_t width;             /* integers per cell: 1 or 2 */
    uint32_t count_bits;        /* number of low bits that hold the count */
    double back[2];             /* factors that convert sums back to derivatives */
} soothi_grow_packed;

/* Rows of a node that form one task of a round, and the results for them. */
typedef struct soothi_grow_part {
    uint32_t at;           /* index of its family in the round */
    uint32_t id, from, to; /* its range of the parent's rows */
    uint32_t left, before; /* left rows of this part; of the parts before it */
    uint32_t slot[2];      /* slot that counts the rows of each child; 0 means none */
    int64_t sum[2];        /* of the root: sums of its rows */
    double effort;         /* additions, about */
    uint32_t eighths;      /* effort in eighths of a share, counted down from 8 */
    uint32_t order;        /* index of the part that runs in this part's turn */
} soothi_grow_part;

/* A split with packed cells. */
typedef struct soothi_grow_packed_split {
    double gain, score; /* score: gain, in the plain case plus the parent's gain */
    int64_t left_sum[2];
    uint32_t column, cut, next;     /* the bins next to the cut; column SOOTHI_GROW_NONE: no split */
    uint32_t missing_left, missing; /* missing 1: some row of the node has no value in this column */
} soothi_grow_packed_split;

struct soothi_grower;

/* The search of one node and its best split so far. */
typedef struct soothi_grow_packed_search {
    const struct soothi_grower *g;
    uint32_t id;
    uint32_t pieces, piece;         /* extra pieces of its histogram; the slot of the first */
    int64_t sum[2];                 /* of the node */
    soothi_grow_second_node second; /* as G and H */
    double reached; /* plain case: best score of columns searched by other tasks, less rounding; or 0 */
    soothi_grow_packed_split best;
} soothi_grow_packed_search;

/* A node that was split, and what its children need. */
typedef struct soothi_grow_family {
    uint32_t child[2]; /* the smaller one, the larger one */
    int wanted[2];     /* 1 if the child may be split */
    int counted[2];    /* 1 if the histogram is counted from the rows */
    int differs;       /* 1: larger child's histogram = parent's - smaller child's */
    int taken;         /* 1: instead, the smaller child's rows are subtracted one by one */
    soothi_grow_packed_search search[2];
} soothi_grow_family;

/* The nodes that are split at the same time. Each round of work covers all of them, so the number of rounds
   depends on the levels, not on the nodes. */
typedef struct soothi_grow_batch {
    size_t most;                     /* max nodes */
    size_t families, parts;          /* in the present batch */
    size_t places;                   /* parts to move into place: all, or 0 if none needs it */
    soothi_grow_family *family;      /* most */
    soothi_grow_part *part;          /* most + SOOTHI_GROW_SHARES x workers */
    uint32_t *id;                    /* most: nodes of the round, parents of the families */
    int64_t *word;                   /* together x cols x cells x width: data for other processes */
    size_t together;                 /* histograms per reduction; 0: there is one process */
    int root;                        /* 1: the child is the root, which has no parent */
    size_t slices;                   /* column slices for counting */
    size_t blocks, block;            /* column blocks per family for searching; columns per block */
    soothi_grow_packed_split *split; /* per child, column and side of missing values, with blocks */
} soothi_grow_batch;

typedef struct soothi_grower {
    sooth_env *env;
    const char *stage; /* name for progress; NULL: none, then growing cannot fail */
    const soothi_grow_rules *rules;
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
    soothi_grow_lists lists;   /* lists, and medians of bins */
    uint32_t *row[2];          /* cells and packed: rows in node order, by parity of the depth */
    float *row_y, *row_weight; /* cells: rows x targets, rows: of the present node, in order */
    double *cell;              /* cells: slots x cols x cells x cell_width */
    soothi_grow_packed packed;
    soothi_grow_batch batch; /* packed */
    size_t cell_width;       /* values per cell */
    uint32_t *free_slot;     /* slots: a stack */
    size_t slots, free_slots;
    uint32_t few;      /* cells: max rows of nodes that continue with lists */
    uint64_t *scratch; /* workers x scratch_share: small lists; a single tree sorts its columns here */
    size_t scratch_share;
    int sorts; /* 1: scratch must hold a column to sort */
    /* the tree */
    size_t capacity;
    soothi_grow_record *record; /* capacity */
    double *mean;               /* capacity x targets: mean, median or Newton step */
    double *bound;              /* capacity x 2, with constraints: min and max prediction; or NULL */
    uint32_t *set;              /* capacity x SOOTHI_CATEGORIES_WORDS: of categorical splits; or NULL */
    soothi_grow_worker *worker; /* workers */
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

/* Returns a node's entries in the list of a column; with depth + 1, the place of its children's entries. */
SOOTHI_LOCAL uint64_t *soothi_grow_list_at(const soothi_grow_lists *lists, const soothi_grow_record *node,
                                           size_t column, uint32_t depth) {
    return lists->list[(depth - lists->depth) & 1] + column * lists->stride + (node->start - lists->start);
}

SOOTHI_LOCAL const uint64_t *soothi_grow_list(const soothi_grow_lists *lists, const soothi_grow_record *node,
                                              size_t column) {
    return soothi_grow_list_at(lists, node, column, node->depth);
}

/* ---- sums of packed cells ---- */

/* rows */
SOOTHI_HOT uint32_t soothi_grow_count(const soothi_grow_packed *p, const int64_t *sum) {
    return (uint32_t)((uint64_t)sum[0] & (((uint64_t)1 << p->count_bits) - 1u));
}

/* G */
SOOTHI_HOT double soothi_grow_first(const soothi_grow_packed *p, const int64_t *sum) {
    return (double)(sum[0] - (int64_t)soothi_grow_count(p, sum)) * p->back[0];
}

/* H */
SOOTHI_HOT double soothi_grow_hessian(const soothi_grow_packed *p, const int64_t *sum) {
    return p->width == 1 ? (double)soothi_grow_count(p, sum) : (double)sum[1] * p->back[1];
}

/* Clips a value to the bounds of a node. */
SOOTHI_LOCAL double soothi_grow_clip(const soothi_grower *g, uint32_t id, double value) {
    const double *bound = g->bound ? g->bound + 2 * (size_t)id : NULL;
    return bound && value < bound[0] ? bound[0] : bound && value > bound[1] ? bound[1] : value;
}

/* ---- second derivatives ---- */

/* Returns a leaf value: -T(G) / (H + lambda), T(G) = sign(G) max(|G| - alpha, 0), clipped to step and
   bounds. */
SOOTHI_HOT double soothi_grow_second_value(const soothi_grow_second *s, double g, double h, double low,
                                           double high) {
    double w = g > s->alpha ? g - s->alpha : g < -s->alpha ? g + s->alpha : 0.0;
    w = h + s->lambda > 0.0 ? -w / (h + s->lambda) : 0.0;
    if (s->max_step > 0.0 && w > s->max_step) w = s->max_step;
    if (s->max_step > 0.0 && w < -s->max_step) w = -s->max_step;
    return w < low ? low : w > high ? high : w;
}

/* Returns the decrease of twice the loss by a leaf of value w: -(2 G w + (H + lambda) w^2 + 2 alpha |w|). The
   maximum is T(G)^2 / (H + lambda). */
SOOTHI_HOT double soothi_grow_second_gain(const soothi_grow_second *s, double g, double h, double w) {
    return -(2.0 * g * w + (h + s->lambda) * w * w + 2.0 * s->alpha * (w < 0.0 ? -w : w));
}

/* Returns the gain of a split with these sums on the left; below 0 if it is not allowed. */
SOOTHI_HOT double soothi_grow_judge_second(const soothi_grow_second_node *n, int sign, double gl, double hl) {
    const double gr = n->g - gl, hr = n->h - hl;
    const double wl = soothi_grow_second_value(&n->rule, gl, hl, n->low, n->high);
    const double wr = soothi_grow_second_value(&n->rule, gr, hr, n->low, n->high);
    if ((sign > 0 && wl > wr) || (sign < 0 && wl < wr)) return -1.0;
    return soothi_grow_second_gain(&n->rule, gl, hl, wl) + soothi_grow_second_gain(&n->rule, gr, hr, wr) -
           n->parent;
}

/* Returns the node that splits are compared with. clip: clips its value as a leaf to its bounds. */
SOOTHI_LOCAL soothi_grow_second_node soothi_grow_second_of(const soothi_grower *g, uint32_t id, int clip) {
    const double low = g->bound ? g->bound[2 * (size_t)id] : -DBL_MAX;
    const double high = g->bound ? g->bound[2 * (size_t)id + 1] : DBL_MAX;
    const double leaf = clip ? soothi_grow_clip(g, id, g->mean[id]) : g->mean[id];
    const double first = g->record[id].impurity, second = g->record[id].weight;
    const soothi_grow_second_node n = {g->rules->second,
                                       first,
                                       second,
                                       low,
                                       high,
                                       soothi_grow_second_gain(&g->rules->second, first, second, leaf)};
    return n;
}

/* ---- measuring a node ---- */

/* Computes G and H of a node and its value, before bounds. */
SOOTHI_LOCAL int soothi_grow_measure_second(const soothi_grower *g, const uint64_t *entry,
                                            soothi_grow_record *node, double *mean) {
    double first = 0.0, second = 0.0;
    for (size_t k = 0; k < node->rows; ++k) {
        const size_t row = soothi_entry_row(entry[k]);
        first += (double)g->y[row];
        second += (double)g->weight[row];
    }
    node->impurity = first;
    node->weight = second;
    mean[0] = soothi_grow_second_value(&g->rules->second, first, second, -DBL_MAX, DBL_MAX);
    return 1;
}

/* Computes weight, means and impurity of a node's rows, given by entries or indices. Returns 1 if some target
   differs. Two passes keep the impurity accurate for nearly equal, large targets. */
SOOTHI_LOCAL int soothi_grow_measure(const soothi_grower *g, const uint64_t *entry, const uint32_t *number,
                                     soothi_grow_record *node, double *mean) {
    const float *y = g->y, *weight = g->weight;
    const size_t n = node->rows, targets = g->targets;
    int mixed = 0;
    if (g->rules->criterion == SOOTHI_GROW_SECOND) return soothi_grow_measure_second(g, entry, node, mean);
    node->impurity = 0.0;
    node->weight = weight ? 0.0 : (double)n;
    for (size_t k = 0; weight && k < n; ++k)
        node->weight += (double)weight[soothi_entry_or_row(entry, number, k)];
    const float *first = y + soothi_entry_or_row(entry, number, 0) * targets;
    for (size_t t = 0; t < targets; ++t) {
        double sum = 0.0, spread = 0.0, m;
        int differs = 0;
        for (size_t k = 0; k < n; ++k) {
            const size_t row = soothi_entry_or_row(entry, number, k);
            const float v = y[row * targets + t];
            differs |= (v < first[t]) | (v > first[t]);
            sum += weight ? (double)weight[row] * (double)v : (double)v;
        }
        mean[t] = m = differs ? sum / node->weight : (double)first[t];
        if (!differs) continue;
        mixed = 1;
        for (size_t k = 0; k < n; ++k) {
            const size_t row = soothi_entry_or_row(entry, number, k);
            const double v = (double)y[row * targets + t];
            double e = (v - m) * (v - m);
            if (g->rules->criterion == SOOTHI_GROW_POISSON) e = v > 0.0 ? v * soothi_log(v / m) : 0.0;
            spread += weight ? (double)weight[row] * e : e;
        }
        node->impurity += spread / (node->weight * (double)targets);
    }
    return mixed;
}

/* Returns the denominator of relative errors. */
SOOTHI_LOCAL double soothi_grow_size(double y, double floor) {
    const double size = soothi_abs(y);
    return size > floor ? size : floor;
}

/* Returns the factor of a row's absolute error. */
SOOTHI_LOCAL double soothi_grow_penalty(const soothi_grower *g, size_t row, size_t t) {
    const double weight = soothi_row_weight(g->weight, row);
    if (g->rules->criterion != SOOTHI_GROW_RELATIVE) return weight;
    return weight / soothi_grow_size((double)g->y[row * g->targets + t], g->rules->floor);
}

/* Like soothi_grow_measure, with medians. The targets' own sorted lists give the middle. */
SOOTHI_LOCAL int soothi_grow_measure_medians(const soothi_grower *g, const soothi_grow_lists *lists,
                                             soothi_grow_record *node, double *mean) {
    size_t k, n = node->rows;
    double weight = (double)n, impurity = 0.0;
    int mixed = 0;
    for (size_t t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_grow_list(lists, node, g->cols + t);
        double all = 0.0, below = 0.0, spread = 0.0;
        mixed |= soothi_entry_key(list[0]) != soothi_entry_key(list[n - 1]);
        for (k = 0; k < n; ++k) all += soothi_grow_penalty(g, soothi_entry_row(list[k]), t);
        for (k = 0; k + 1 < n; ++k) {
            below += soothi_grow_penalty(g, soothi_entry_row(list[k]), t);
            if (below + below >= all) break;
        }
        double m = (double)g->y[soothi_entry_row(list[k]) * g->targets + t];
        if (k + 1 < n && !(below + below > all))
            m = 0.5 * m + 0.5 * (double)g->y[soothi_entry_row(list[k + 1]) * g->targets + t];
        mean[t] = m;
        for (k = 0; k < n; ++k) {
            size_t row = soothi_entry_row(list[k]);
            double e = (double)g->y[row * g->targets + t] - m;
            spread += soothi_grow_penalty(g, row, t) * soothi_abs(e);
        }
        impurity += spread;
        if (t == 0 && g->weight) {
            weight = 0.0;
            for (k = 0; k < n; ++k) weight += (double)g->weight[soothi_entry_row(list[k])];
        }
    }
    node->weight = weight;
    node->impurity = impurity / (weight * (double)g->targets);
    return mixed;
}

/* ---- the best split of a node ---- */

typedef struct soothi_grow_search {
    const soothi_grower *g;
    const soothi_grow_lists *lists; /* NULL means histograms */
    const soothi_grow_record *node;
    const double *mean;              /* of the node */
    const double *bound;             /* of the node, or NULL */
    const soothi_grow_worker *owner; /* its rank, target and penalty hold the node's targets (medians) */
    const uint32_t *pick;            /* columns to search; NULL means all */
    size_t picks, block;             /* number of columns, columns per task */
    size_t turn;                     /* first column in the order of ties, which wraps around */
    uint64_t draw;                   /* seed of this node's random thresholds */
    int plain;                       /* one target, means, no deviance */
    int first;                       /* 1: take the first split found */
    soothi_grow_second_node second;  /* with second derivatives */
} soothi_grow_search;

/* Returns 1 if these means violate the constraint or the node's bounds. */
SOOTHI_LOCAL int soothi_grow_breaks(const soothi_grow_search *s, int sign, double left, double right) {
    if (sign == 0) return 0;
    return (sign > 0 ? left > right : left < right) || left < s->bound[0] || right < s->bound[0] ||
           left > s->bound[1] || right > s->bound[1];
}

/* Returns the score of a split, from the weight and the sums on its left; below 0 if it is not allowed. W, m:
   weight and mean of the node, c = S_L - W_L m.
     squared    sum over targets of c^2 / (W_L W_R): decrease of the sum of squares / W
     friedman   (sum over targets of c)^2 / (W_L W_R)
     poisson    sum over targets of S_L log(m_L / m) + S_R log(m_R / m): decrease of the deviance */
SOOTHI_LOCAL double soothi_grow_judge(const soothi_grow_search *s, int sign, double weight_left,
                                      const double *sum) {
    const soothi_grow_rules *rules = s->g->rules;
    double weight = s->node->weight, weight_right = weight - weight_left, value = 0.0;
    if (weight_left < rules->min_weight || weight_right < rules->min_weight || !(weight_right > 0.0))
        return -1.0;
    if (rules->criterion == SOOTHI_GROW_SECOND) {
        const double lambda = rules->second.lambda;
        if (!(weight_left + lambda > 0.0) || !(weight_right + lambda > 0.0)) return -1.0;
        value = soothi_grow_judge_second(&s->second, sign, sum[0], weight_left);
        return value > SOOTHI_GROW_ROUNDING * soothi_abs(s->second.parent) ? value : -1.0;
    }
    if (sign &&
        soothi_grow_breaks(s, sign, sum[0] / weight_left, (s->mean[0] * weight - sum[0]) / weight_right))
        return -1.0;
    for (size_t t = 0; t < s->g->targets; ++t) {
        const double m = s->mean[t], c = sum[t] - weight_left * m;
        if (rules->criterion == SOOTHI_GROW_SQUARED) {
            value += c * c;
        } else if (rules->criterion == SOOTHI_GROW_FRIEDMAN) {
            value += c;
        } else {
            const double left = sum[t], right = m * weight - left;
            if (!(left > 0.0) || !(right > SOOTHI_GROW_ROUNDING * left))
                return -1.0; /* a side with mean 0, up to rounding */
            value +=
                left * soothi_log(left / (weight_left * m)) + right * soothi_log(right / (weight_right * m));
        }
    }
    if (rules->criterion == SOOTHI_GROW_POISSON) return value > 0.0 ? value : 0.0;
    if (rules->criterion == SOOTHI_GROW_FRIEDMAN) value *= value;
    return value / (weight_left * weight_right);
}

/* Scans every split of a list with `from` to `to` values on the left, in the plain case. Fitting spends most
   of its time here, so the loop has no unpredictable branches. Scores are not negative, so their bits compare
   like the scores. A split between equal values gets -1. */
SOOTHI_HOT void soothi_grow_scan_plain(const soothi_grow_search *s, const uint64_t *list, uint32_t from,
                                       uint32_t to, double sum, double weight_left, const float *w,
                                       soothi_grow_best *best) {
    const float *y = s->g->y;
    const double mean = s->mean[0], weight = s->node->weight, least = s->g->rules->min_weight;
    int64_t most = -1;
    uint32_t k, at = 0;
    for (k = 0; k + 1 < from; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
    }
    for (; k < to; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        int64_t bits;
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
        double weight_right = weight - weight_left;
        if (w && (weight_left < least || weight_right < least || !(weight_right > 0.0))) continue;
        double c = sum - weight_left * mean;
        double score = c * c / (weight_left * weight_right);
        memcpy(&bits, &score, sizeof bits);
        bits |= -(int64_t)((list[k] ^ list[k + 1]) >> 32 == 0);
        at = bits > most ? k + 1 : at;
        most = bits > most ? bits : most;
    }
    best->present_left = at;
    memcpy(&best->score, &most, sizeof most);
}

/* Scores one given split in the plain case, from its smaller side. */
SOOTHI_HOT void soothi_grow_judge_plain(const soothi_grow_search *s, const uint64_t *list, const float *w,
                                        soothi_grow_best *c) {
    const float *y = s->g->y;
    const double least = s->g->rules->min_weight;
    const uint32_t n = s->node->rows;
    const uint32_t from = 2 * c->present_left > n ? c->present_left : 0, to = from ? n : c->present_left;
    double sum = 0.0, here = 0.0;
    for (uint32_t k = from; k < to; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        if (w) here += (double)w[row];
    }
    if (!w) here = (double)(to - from);
    double there = s->node->weight - here;
    double off = sum - here * s->mean[0];
    c->score = off * off / (here * there);
    if (here < least || there < least || !(there > 0.0)) c->present_left = 0;
}

/* Adds a row to the sums of one side; returns its weight. */
SOOTHI_HOT double soothi_grow_add(const soothi_grower *g, size_t row, double *sum) {
    const double w = soothi_row_weight(g->weight, row);
    const double factor = g->rules->criterion == SOOTHI_GROW_SECOND ? 1.0 : w;
    for (size_t t = 0; t < g->targets; ++t) sum[t] += factor * (double)g->y[row * g->targets + t];
    return w;
}

/* Like soothi_grow_scan_plain, for all criteria with means, several targets and constraints. */
SOOTHI_LOCAL void soothi_grow_scan_sums(const soothi_grow_search *s, const uint64_t *list, uint32_t from,
                                        uint32_t to, int sign, double weight_left, double *sum,
                                        soothi_grow_best *best) {
    best->score = -1.0;
    best->present_left = 0;
    for (uint32_t k = 0; k < to; ++k) {
        weight_left += soothi_grow_add(s->g, soothi_entry_row(list[k]), sum);
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        double score = soothi_grow_judge(s, sign, weight_left, sum);
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Medians: computes the rank of every row among the node's targets. */
SOOTHI_LOCAL void soothi_grow_rank(const soothi_grow_search *s, soothi_grow_worker *worker) {
    const soothi_grower *g = s->g;
    for (size_t t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_grow_list(s->lists, s->node, g->cols + t);
        double *target = worker->target + t * (g->rows + 2), *penalty = worker->penalty + t * (g->rows + 2);
        for (size_t k = 0; k < s->node->rows; ++k) {
            size_t row = soothi_entry_row(list[k]);
            worker->rank[row * g->targets + t] = (uint32_t)k + 1;
            target[k + 1] = (double)g->y[row * g->targets + t] - s->mean[t];
            penalty[k + 1] = soothi_grow_penalty(g, row, t);
        }
    }
}

/* Removes the rows of a sequence one by one, from its end (or its beginning). Adds the cost of the remaining
   rows around their weighted median to cost[k]: sum of penalty |target - median|. k is then the number of
   rows left of the split. The places form a linked list with a pointer to the median, p. A deletion moves p
   by one step (with weights: by few). A column thus costs O(rows), where heaps or trees need O(rows log
   rows). B, SB: penalty and penalty x target below p; V, SV: of all remaining rows. The cost is target[p] (2
   B - V) + SV - 2 SB. */
SOOTHI_LOCAL void soothi_grow_unwind(const soothi_grow_search *s, soothi_grow_worker *worker,
                                     const uint64_t *list, size_t turn, size_t t, int from_end, double *cost,
                                     double *middle) {
    const soothi_grower *g = s->g;
    const double *target = s->owner->target + t * (g->rows + 2),
                 *penalty = s->owner->penalty + t * (g->rows + 2);
    const uint32_t *rank = s->owner->rank;
    uint32_t *before = worker->before, *after = worker->after;
    uint32_t n = s->node->rows, p = 1;
    double b = 0.0, sb = 0.0, v = 0.0, sv = 0.0;
    for (uint32_t i = 1; i <= n; ++i) {
        before[i] = i - 1;
        after[i] = i + 1;
        v += penalty[i];
        sv += penalty[i] * target[i];
    }
    for (uint32_t left = n; left > 0; --left) {
        size_t k = from_end ? left : n - left, taken = from_end ? left - 1 : n - left;
        while (after[p] <= n && 2.0 * (b + penalty[p]) < v) {
            b += penalty[p];
            sb += penalty[p] * target[p];
            p = after[p];
        }
        while (before[p] > 0 && 2.0 * b >= v) {
            p = before[p];
            b -= penalty[p];
            sb -= penalty[p] * target[p];
        }
        cost[k] += target[p] * (2.0 * b - v) + sv - 2.0 * sb;
        if (middle) {
            const int even = after[p] <= n && !(2.0 * (b + penalty[p]) > v);
            middle[k] = 0.5 * (target[p] + target[even ? after[p] : p]) + s->mean[t];
        }
        /* the sequence is the list rotated right by `turn`: missing rows come first if they go left */
        size_t at = taken < turn ? n - turn + taken : taken - turn;
        uint32_t place = rank[soothi_entry_row(list[at]) * g->targets + t];
        v -= penalty[place];
        sv -= penalty[place] * target[place];
        if (before[place]) after[before[place]] = after[place];
        if (after[place] <= n) before[after[place]] = before[place];
        if (place < p) {
            b -= penalty[place];
            sb -= penalty[place] * target[place];
        } else if (place == p) {
            if (after[p] <= n) {
                p = after[p];
            } else if (before[p]) {
                p = before[p];
                b -= penalty[p];
                sb -= penalty[p] * target[p];
            }
        }
    }
}

/* Scores every split of a list by medians. The first `turn` rows, 0 or all missing ones, start left. */
SOOTHI_LOCAL void soothi_grow_scan_medians(const soothi_grow_search *s, soothi_grow_worker *worker,
                                           const uint64_t *list, uint32_t from, uint32_t to, int sign,
                                           size_t turn, soothi_grow_best *best) {
    const soothi_grower *g = s->g;
    size_t n = s->node->rows;
    double weight_left = 0.0, parent = s->node->impurity * s->node->weight * (double)g->targets,
           *cost = worker->cost;
    memset(cost, 0, (n + 1) * sizeof *cost);
    for (size_t t = 0; t < g->targets; ++t) {
        soothi_grow_unwind(s, worker, list, turn, t, 1, cost, sign ? worker->low : NULL);
        soothi_grow_unwind(s, worker, list, turn, t, 0, cost, sign ? worker->high : NULL);
    }
    best->score = -1.0;
    best->present_left = 0;
    for (uint32_t k = 0; k < turn; ++k)
        weight_left += soothi_row_weight(g->weight, soothi_entry_row(list[n - turn + k]));
    for (uint32_t k = 0; k < to; ++k) {
        weight_left += soothi_row_weight(g->weight, soothi_entry_row(list[k]));
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        if (weight_left < g->rules->min_weight || s->node->weight - weight_left < g->rules->min_weight)
            continue;
        if (sign && soothi_grow_breaks(s, sign, worker->low[k + 1 + turn], worker->high[k + 1 + turn]))
            continue;
        double score = parent - cost[k + 1 + turn];
        if (score < 0.0) score = 0.0; /* rounding error */
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Returns 1 if column a wins a tie against b: the lower one does, counted cyclically from `turn`. */
SOOTHI_LOCAL int soothi_grow_wins(const soothi_grow_search *s, size_t a, size_t b) {
    return (a >= s->turn) == (b >= s->turn) ? a < b : a > b;
}

/* Replaces best if a split scores more, or the same in a column that wins ties. */
SOOTHI_LOCAL void soothi_grow_enter(const soothi_grow_search *s, soothi_grow_best *best, size_t column,
                                    const soothi_grow_best *c, uint32_t missing_left) {
    if (!c->present_left) return;
    if (best->column != SIZE_MAX &&
        (c->score < best->score || (!(c->score > best->score) && soothi_grow_wins(s, best->column, column))))
        return;
    *best = *c;
    best->column = column;
    best->missing_left = missing_left;
}

/* Enters the better of a column's best splits with missing rows on the right and on the left. On a tie, takes
   the lower threshold, then the split that sends them to the larger child. present: rows with a value. */
SOOTHI_LOCAL void soothi_grow_enter_sides(const soothi_grow_search *s, soothi_grow_best *best, size_t column,
                                          const soothi_grow_best *right, const soothi_grow_best *left,
                                          uint32_t present) {
    int go_left = left->present_left && (!right->present_left || left->score > right->score);
    if (left->present_left && right->present_left && !(left->score < right->score) && !go_left)
        go_left =
            left->cut < right->cut || (left->cut == right->cut && 2 * (size_t)left->present_left >= present);
    soothi_grow_enter(s, best, column, go_left ? left : right, (uint32_t)go_left);
}

/* Sets the keys next to the split. */
SOOTHI_LOCAL void soothi_grow_name_keys(const uint64_t *list, uint32_t n, soothi_grow_best *c) {
    if (!c->present_left) return;
    c->cut = soothi_entry_key(list[c->present_left - 1]);
    c->next = c->present_left < n ? soothi_entry_key(list[c->present_left]) : SOOTHI_KEY_MISSING;
}

/* Returns the key of a random threshold between the minimum and maximum of a list (Geurts, Ernst, Wehenkel:
   Extremely randomized trees, Machine Learning 63, 2006). *below is the number of entries up to it. Every
   column mixes the node's draw with its own index (finalizer of Stafford's variant 13 of splitmix64). If all
   values are equal, the key is theirs and *below is `present`. */
SOOTHI_HOT uint32_t soothi_grow_random_key(const soothi_grow_search *s, size_t column, const uint64_t *list,
                                           uint32_t present, uint32_t *below) {
    const uint32_t least = soothi_entry_key(list[0]), most = soothi_entry_key(list[present - 1]);
    const double from = (double)soothi_key_value(least), to = (double)soothi_key_value(most);
    uint64_t bits = s->draw + (column + 1) * 0x9E3779B97F4A7C15u;
    uint32_t low = 0, high = present;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    uint32_t key =
        soothi_key((float)(from + (to - from) * ((double)(bits >> 11) * (1.0 / 9007199254740992.0))));
    if (key < least || (key >= most && most > least)) key = least; /* rounded beyond an end */
    while (low < high) {                                           /* the first entry above the key */
        const uint32_t middle = low + (high - low) / 2;
        if (soothi_entry_key(list[middle]) <= key) low = middle + 1;
        else high = middle;
    }
    *below = low;
    return key;
}

/* Scores every split of one column by its list, in the general case. With random thresholds, scores only one.
   arranged: the list holds places of classes (see below), which take no random threshold. */
SOOTHI_LOCAL void soothi_grow_scan_general(const soothi_grow_search *s, size_t column, const uint64_t *list,
                                           int sign, int arranged, soothi_grow_worker *worker) {
    const soothi_grower *g = s->g;
    const uint32_t n = s->node->rows, least = g->rules->min_leaf;
    soothi_grow_best side[2]; /* missing rows go right; left */
    uint32_t present = n, only = 0, key = 0;
    while (present > 0 && soothi_entry_key(list[present - 1]) == SOOTHI_KEY_MISSING) --present;
    uint32_t missing = n - present;
    if (g->rules->random && present > 0 && !arranged)
        key = soothi_grow_random_key(s, column, list, present, &only);
    memset(side, 0, sizeof side);
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        const uint32_t first = go_left ? missing : 0; /* left rows before the list begins */
        uint32_t from = least > first + 1 ? least - first : 1;
        uint32_t to = missing && !go_left ? present : present - 1;
        if (n < least + first || present == 0) continue;
        if (to > n - least - first) to = n - least - first;
        if (only && from < only) from = only;
        if (only && to > only) to = only;
        if (from > to) continue;
        if (g->width > g->cols) {
            soothi_grow_scan_medians(s, worker, list, from, to, sign, first, &side[go_left]);
        } else {
            double weight_left = 0.0, *sum = worker->sum;
            memset(sum, 0, g->targets * sizeof *sum);
            for (uint32_t k = 0; k < first; ++k)
                weight_left += soothi_grow_add(g, soothi_entry_row(list[present + k]), sum);
            if (!s->plain || sign)
                soothi_grow_scan_sums(s, list, from, to, sign, weight_left, sum, &side[go_left]);
            else soothi_grow_scan_plain(s, list, from, to, sum[0], weight_left, g->weight, &side[go_left]);
        }
        soothi_grow_name_keys(list, n, &side[go_left]);
        if (only && only < present) side[go_left].cut = side[go_left].next = key;
    }
    soothi_grow_enter_sides(s, &worker->best, column, &side[0], &side[1], present);
}

/* Scores every split of one column by its list. */
SOOTHI_LOCAL void soothi_grow_scan_list(const soothi_grow_search *s, size_t column,
                                        soothi_grow_worker *worker) {
    const soothi_grow_rules *rules = s->g->rules;
    const uint64_t *list = soothi_grow_list(s->lists, s->node, column);
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const uint32_t n = s->node->rows;
    const uint32_t from = rules->min_leaf, to = n - rules->min_leaf;
    soothi_grow_best c;
    if ((list[0] ^ list[n - 1]) >> 32 == 0) return; /* one value, or all missing */
    if (!s->plain || sign || soothi_entry_key(list[n - 1]) == SOOTHI_KEY_MISSING) {
        soothi_grow_scan_general(s, column, list, sign, 0, worker);
        return;
    }
    if (rules->random) {
        c.cut = c.next = soothi_grow_random_key(s, column, list, n, &c.present_left);
        if (c.present_left < from || c.present_left > to) return;
        if (s->g->weight) soothi_grow_judge_plain(s, list, s->g->weight, &c);
        else soothi_grow_judge_plain(s, list, NULL, &c);
    } else {
        if (s->g->weight) soothi_grow_scan_plain(s, list, from, to, 0.0, 0.0, s->g->weight, &c);
        else soothi_grow_scan_plain(s, list, from, to, 0.0, 0.0, NULL, &c);
        soothi_grow_name_keys(list, n, &c);
    }
    soothi_grow_enter(s, &worker->best, column, &c, 0);
}

/* Returns the offset of the cells of a slot (from 1), in values. */
SOOTHI_LOCAL size_t soothi_grow_slot(const soothi_grower *g, size_t slot) {
    return (slot - 1) * (g->cols * g->columns->cells * g->cell_width);
}

/* Scores every split of one column by the node's histogram. */
SOOTHI_LOCAL void soothi_grow_scan_histogram(const soothi_grow_search *s, size_t column,
                                             soothi_grow_worker *worker) {
    const soothi_grower *g = s->g;
    const soothi_grow_rules *rules = g->rules;
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const size_t width = g->cell_width, first_sum = g->weight ? 2 : 1;
    const double *cell =
        g->cell + soothi_grow_slot(g, s->node->histogram) + column * g->columns->cells * width;
    const uint32_t used = g->columns->used[column], n = s->node->rows, least = rules->min_leaf;
    const double *none = cell + used * width; /* cell of the missing values */
    const uint32_t missing = used < g->columns->cells ? (uint32_t)none[0] : 0;
    soothi_grow_best side[2];
    double *sum = worker->sum;
    memset(side, 0, sizeof side);
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        soothi_grow_best *c = &side[go_left];
        double weight_left = go_left ? none[first_sum - 1] : 0.0;
        const uint32_t first = go_left ? missing : 0;
        uint32_t present_left = 0;
        c->score = -1.0;
        for (size_t t = 0; t < g->targets; ++t) sum[t] = go_left ? none[first_sum + t] : 0.0;
        for (uint32_t bin = 0; bin < used; ++bin) {
            const double *here = cell + bin * width;
            const uint32_t count = (uint32_t)here[0];
            if (count == 0) continue;
            present_left += count;
            weight_left += here[first_sum - 1];
            for (size_t t = 0; t < g->targets; ++t) sum[t] += here[first_sum + t];
            if (first + present_left < least) continue;
            if (n - first - present_left < least) break;
            double score = soothi_grow_judge(s, sign, weight_left, sum);
            if (score > c->score) {
                c->score = score;
                c->present_left = present_left;
                c->cut = bin;
                c->next = present_left == n - missing ? SOOTHI_KEY_MISSING : bin + 1;
            }
        }
    }
    soothi_grow_enter_sides(s, &worker->best, column, &side[0], &side[1], n - missing);
}

/* ---- categorical columns ---- */

/* Returns the sums of a class; index `classes` holds the missing values. */
SOOTHI_LOCAL double *soothi_grow_level(const soothi_grow_search *s, const soothi_grow_worker *worker,
                                       size_t number) {
    return worker->level + number * (2 + s->g->targets);
}

/* Computes the sums of every class from a list or the node's histogram. With medians, sums the ranks among
   the node's targets instead, which is robust to outliers. */
SOOTHI_LOCAL void soothi_grow_sum_levels(const soothi_grow_search *s, size_t column, const uint64_t *list,
                                         soothi_grow_worker *worker) {
    const soothi_grower *g = s->g;
    const size_t classes = g->columns->categories.classes[column], targets = g->targets;
    memset(worker->level, 0, (classes + 1) * (2 + targets) * sizeof(double));
    for (size_t k = 0; list && k < s->node->rows; ++k) {
        const size_t row = soothi_entry_row(list[k]), key = soothi_entry_key(list[k]);
        double *to = soothi_grow_level(s, worker, key < classes ? key : classes);
        to[0] += 1.0;
        if (g->width == g->cols) {
            to[1] += soothi_grow_add(g, row, to + 2);
            continue;
        }
        const double weight = soothi_row_weight(g->weight, row);
        to[1] += weight;
        for (size_t t = 0; t < targets; ++t) to[2 + t] += weight * (double)s->owner->rank[row * targets + t];
    }
    for (size_t b = 0; !list && b < g->columns->cells && b <= classes; ++b) {
        const size_t at =
            soothi_grow_slot(g, s->node->histogram) + (column * g->columns->cells + b) * g->cell_width;
        double *to = soothi_grow_level(s, worker, b);
        if (g->packed.width) {
            const int64_t *cell = g->packed.cell + at;
            to[0] = (double)soothi_grow_count(&g->packed, cell);
            to[1] = soothi_grow_hessian(&g->packed, cell);
            to[2] = soothi_grow_first(&g->packed, cell);
        } else {
            to[0] = g->cell[at];
            memcpy(to + 1, g->cell + at + (g->weight ? 1 : 0), (1 + targets) * sizeof *to);
            if (!g->weight) to[1] = to[0];
        }
    }
}

/* A split of a categorical column. */
typedef struct soothi_grow_parting {
    soothi_grow_best best;
    uint32_t set[SOOTHI_CATEGORIES_WORDS];
} soothi_grow_parting;

/* Returns 1 if the first `left` of k ordered classes may be separated from the rest. */
SOOTHI_LOCAL int soothi_grow_may_cut(const soothi_grow_rules *rules, uint32_t left, uint32_t k) {
    return !rules->cat_threshold || left <= rules->cat_threshold || k - left <= rules->cat_threshold;
}

/* Scores the splits of the k classes in order[]: the first ones against the others, or, with `single`, each
   against the others. With `only` > 0, scores only the first `only` classes against the others. */
SOOTHI_LOCAL void soothi_grow_part_levels(const soothi_grow_search *s, const soothi_grow_worker *worker,
                                          uint32_t k, int single, uint32_t only, const double *missing,
                                          soothi_grow_parting *p) {
    const size_t targets = s->g->targets;
    const uint32_t n = s->node->rows, least = s->g->rules->min_leaf;
    uint32_t set[SOOTHI_CATEGORIES_WORDS];
    double *sum = worker->sum;
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing[0] > 0.0); ++go_left) {
        double weight = 0.0;
        uint32_t rows = 0, first = go_left ? (uint32_t)missing[0] : 0;
        for (uint32_t i = 0; i < k; ++i) {
            const double *here = soothi_grow_level(s, worker, worker->order[i]);
            if (i == 0 || single) {
                memset(set, 0, sizeof set);
                rows = 0;
                weight = go_left ? missing[1] : 0.0;
                for (size_t t = 0; t < targets; ++t) sum[t] = go_left ? missing[2 + t] : 0.0;
            }
            soothi_categories_put(set, worker->order[i]);
            rows += (uint32_t)here[0];
            weight += here[1];
            for (size_t t = 0; t < targets; ++t) sum[t] += here[2 + t];
            if (rows + first < least || n - rows - first < least || (only && i + 1 != only) ||
                (!single && !only && !soothi_grow_may_cut(s->g->rules, i + 1, k)))
                continue;
            const double score = soothi_grow_judge(s, 0, weight, sum);
            if (score < 0.0 || (p->best.present_left && !(score > p->best.score))) continue;
            p->best.score = score;
            p->best.present_left = rows;
            p->best.missing_left = go_left;
            memcpy(p->set, set, sizeof set);
        }
    }
}

/* Like soothi_grow_part_levels, by medians: sorts the column's list by places of classes and scans it. */
SOOTHI_LOCAL void soothi_grow_part_medians(const soothi_grow_search *s, size_t column, const uint64_t *list,
                                           soothi_grow_worker *worker, uint32_t k, uint32_t only,
                                           soothi_grow_parting *p) {
    const uint32_t classes = s->g->columns->categories.classes[column];
    const soothi_grow_best before = worker->best;
    double *start = worker->statistic, rows = 0.0; /* offset of each class, in place of the statistic */
    size_t at = 0;
    for (uint32_t b = 0; b < classes; ++b) {
        start[b] = rows;
        rows += *soothi_grow_level(s, worker, b);
    }
    for (uint32_t i = 0; i < k; ++i) {
        const uint64_t place = only ? i >= only : i;
        const size_t from = (size_t)start[worker->order[i]];
        const size_t end = from + (size_t)*soothi_grow_level(s, worker, worker->order[i]);
        for (size_t e = from; e < end; ++e) worker->arranged[at++] = place << 32 | soothi_entry_row(list[e]);
    }
    memcpy(worker->arranged + at, list + at,
           (size_t)*soothi_grow_level(s, worker, classes) * sizeof *list); /* the missing rows */
    worker->best.column = SIZE_MAX;
    soothi_grow_scan_general(s, column, worker->arranged, 0, 1, worker);
    if (worker->best.column != SIZE_MAX && (!p->best.present_left || worker->best.score > p->best.score)) {
        p->best = worker->best;
        memset(p->set, 0, sizeof p->set);
        for (uint32_t i = 0; i < k; ++i)
            if ((only ? (uint32_t)(i >= only) : i) <= p->best.cut)
                soothi_categories_put(p->set, worker->order[i]);
    }
    worker->best = before;
}

/* Draws which classes go left, each with probability 1/2, and moves them to the front of order[] (Geurts,
   Ernst, Wehenkel 2006, appendix A). Never draws all or none of several. Returns their number. */
SOOTHI_LOCAL uint32_t soothi_grow_draw_levels(const soothi_grow_search *s, size_t column, uint32_t *order,
                                              uint32_t k) {
    sooth_rng rng;
    uint32_t left = 0, apart;
    sooth_rng_init(&rng, s->draw, column);
    apart = sooth_rng_below(&rng, k);
    for (uint32_t i = 0; i < k; ++i) {
        if (!(sooth_rng_next(&rng) & 1u)) continue;
        const uint32_t moved = order[i];
        order[i] = order[left];
        order[left++] = moved;
    }
    if (left > 0 && left < k) return left;
    const uint32_t moved = order[apart];
    order[apart] = order[0];
    order[0] = moved;
    return 1;
}

/* Makes the smaller side the set, so that levels not seen here follow the larger one. p->set is a set of the
   k classes in order[]. */
SOOTHI_LOCAL void soothi_grow_turn_parting(const soothi_grow_search *s, const soothi_grow_worker *worker,
                                           uint32_t k, uint32_t missing, soothi_grow_parting *p) {
    const uint32_t rows = s->node->rows, present = rows - missing;
    const uint32_t left = p->best.present_left + (p->best.missing_left ? missing : 0);
    if (left <= rows - left || p->best.present_left == present) return;
    for (uint32_t i = 0; i < k; ++i) p->set[worker->order[i] / 32] ^= 1u << (worker->order[i] & 31u);
    p->best.present_left = present - p->best.present_left;
    p->best.missing_left = missing > 0 && !p->best.missing_left;
}

/* Returns the best split of a categorical column; best.present_left is 0 if there is none. With several
   targets, tries the order of each and scores with all. */
SOOTHI_LOCAL soothi_grow_parting soothi_grow_part_classes(const soothi_grow_search *search, size_t column,
                                                          const uint64_t *list, soothi_grow_worker *worker) {
    const soothi_grow_rules *rules = search->g->rules;
    const uint32_t classes = search->g->columns->categories.classes[column];
    const int single = classes <= rules->cat_onehot;
    soothi_grow_search s = *search;
    soothi_grow_parting p;
    uint32_t k = 0;
    memset(&p, 0, sizeof p);
    p.best.column = column;
    soothi_grow_sum_levels(&s, column, list, worker);
    for (uint32_t b = 0; b < classes; ++b)
        if (*soothi_grow_level(&s, worker, b) > 0.0) worker->order[k++] = b;
    const double *missing = soothi_grow_level(&s, worker, classes);
    if (k + (missing[0] > 0.0) < 2 || k == 0) return p;
    if (!single && rules->criterion == SOOTHI_GROW_SECOND) s.second.rule.lambda += rules->cat_l2;
    for (size_t t = 0; t < (rules->random ? 1 : s.g->targets); ++t) {
        uint32_t only = 0;
        for (uint32_t i = 0; i < k && !single; ++i) {
            const double *here = soothi_grow_level(&s, worker, worker->order[i]);
            const double weight = here[1] + rules->cat_smooth;
            worker->statistic[worker->order[i]] = weight > 0.0 ? here[2 + t] / weight : 0.0;
        }
        if (rules->random) only = soothi_grow_draw_levels(&s, column, worker->order, k);
        else if (!single) soothi_categories_sort(worker->order, k, worker->statistic);
        if (s.g->width > s.g->cols) soothi_grow_part_medians(&s, column, list, worker, k, only, &p);
        else soothi_grow_part_levels(&s, worker, k, single, only, missing, &p);
    }
    if (p.best.present_left) soothi_grow_turn_parting(&s, worker, k, (uint32_t)missing[0], &p);
    p.best.cut = 0; /* a set has no keys */
    p.best.next = SOOTHI_KEY_MISSING;
    return p;
}

/* Scores the splits of one categorical column by its list; NULL means by the node's histogram. */
SOOTHI_LOCAL void soothi_grow_scan_categories(const soothi_grow_search *s, size_t column,
                                              const uint64_t *list, soothi_grow_worker *worker) {
    const soothi_grow_parting p = soothi_grow_part_classes(s, column, list, worker);
    soothi_grow_enter(s, &worker->best, column, &p.best, p.best.missing_left);
    if (worker->best.column == column) memcpy(worker->set, p.set, sizeof p.set);
}

/* Returns the set of a node with a categorical split; NULL if the node tests a threshold. */
SOOTHI_LOCAL uint32_t *soothi_grow_set(const soothi_grower *g, uint32_t id) {
    return soothi_categories_has(&g->columns->categories, g->record[id].feature)
               ? g->set + SOOTHI_CATEGORIES_WORDS * (size_t)id
               : NULL;
}

/* Searches a block of columns. */
static void soothi_grow_search_task(void *arg, size_t i, size_t worker) {
    const soothi_grow_search *s = (const soothi_grow_search *)arg;
    soothi_grow_worker *w = &s->g->worker[worker];
    const size_t end = soothi_block_end(i, s->block, s->picks);
    for (size_t k = i * s->block; k < end; ++k) {
        size_t column = s->pick                    ? s->pick[k]
                        : k + s->turn < s->g->cols ? k + s->turn
                                                   : k + s->turn - s->g->cols;
        if (soothi_categories_has(&s->g->columns->categories, column))
            soothi_grow_scan_categories(s, column,
                                        s->lists ? soothi_grow_list(s->lists, s->node, column) : NULL, w);
        else if (s->lists) soothi_grow_scan_list(s, column, w);
        else soothi_grow_scan_histogram(s, column, w);
        if (s->first && w->best.column != SIZE_MAX) return;
    }
}

/* Converts the score of a split to the units of min_gain (see sooth_tree_options). */
SOOTHI_LOCAL double soothi_grow_gain(const soothi_grower *g, const soothi_grow_record *node, double score) {
    double targets = (double)g->targets;
    if (g->rules->criterion == SOOTHI_GROW_SQUARED) return score * node->weight / (targets * g->total);
    if (g->rules->criterion == SOOTHI_GROW_FRIEDMAN) return score * node->weight / (targets * targets);
    if (g->rules->criterion == SOOTHI_GROW_SECOND) return score;
    return score / (targets * g->total);
}

/* With cells: sets the side of the split's missing rows, and adds them to the left rows. */
SOOTHI_LOCAL void soothi_grow_place_missing(const soothi_grower *g, soothi_grow_record *node) {
    const soothi_columns *c = g->columns;
    const uint32_t used = c->used[node->feature];
    const double *cell = g->cell + soothi_grow_slot(g, node->histogram);
    const uint32_t missing =
        used < c->cells ? (uint32_t)cell[(node->feature * (size_t)c->cells + used) * g->cell_width] : 0;
    if (missing == 0 && !soothi_categories_has(&c->categories, node->feature))
        node->missing_left = 2 * (size_t)node->rows_left >= node->rows;
    else if (node->missing_left) node->rows_left += missing;
}

/* Finds the best split of a node and enters it in its record. Returns 0 if there is none; the node is then a
   leaf. worker is the caller; alone: do not use the other workers. */
SOOTHI_LOCAL int soothi_grow_find(soothi_grower *g, const soothi_grow_lists *lists, uint32_t id,
                                  size_t worker, int alone) {
    const soothi_grow_rules *rules = g->rules;
    soothi_grow_record *node = &g->record[id];
    soothi_grow_worker *own = &g->worker[worker];
    soothi_grow_best best;
    soothi_grow_search s;
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
    s.first = node->rows == 2 && (!own->pick || rules->random_ties) && rules->criterion != SOOTHI_GROW_SECOND;
    s.turn = 0;
    s.draw = 0;
    s.plain = g->targets == 1 && g->width == g->cols && rules->criterion < SOOTHI_GROW_POISSON;
    if (rules->criterion == SOOTHI_GROW_SECOND) s.second = soothi_grow_second_of(g, id, 1);
    if (lists && g->width > g->cols) soothi_grow_rank(&s, own);
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
            const soothi_grow_best *b = &g->worker[w].best;
            if (b->column != SIZE_MAX) soothi_grow_enter(&s, &best, b->column, b, b->missing_left);
        }
        if (best.column != SIZE_MAX || !own->pick || drawn == cols) break;
        s.pick = own->pick + drawn; /* no drawn column can be split: draw one more */
        s.picks = 1;
    }
    if (best.column == SIZE_MAX) return 0;
    node->gain = soothi_grow_gain(g, node, best.score);
    if (node->gain < rules->min_gain) return 0;
    node->feature = (uint32_t)best.column;
    node->cut = best.cut;
    node->threshold = g->columns->bins && best.next != SOOTHI_KEY_MISSING
                          ? g->columns->edge[best.column * g->columns->bins + best.cut]
                          : soothi_key_midpoint(best.cut, best.next);
    node->rows_left = best.present_left;
    node->missing_left = best.missing_left;
    if (!lists) soothi_grow_place_missing(g, node);
    set = soothi_grow_set(g, id);
    for (size_t w = 0; set && w < g->workers; ++w)
        if ((w == worker || !alone) && g->worker[w].best.column == best.column)
            memcpy(set, g->worker[w].set, SOOTHI_CATEGORIES_WORDS * sizeof *set);
    return 1;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
