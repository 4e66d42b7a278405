/* tree.h - regression trees: grown like scikit-learn's, predicted in nanoseconds from one block of memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A regression tree asks one question after the other, "is this feature at most this threshold?", and ends in
 * a leaf that holds the prediction: the mean or the median of the training rows that came the same way
 * (Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984). It takes features as they
 * are, in any unit, with values missing, and can be read and argued with. Its predictions never leave the
 * range of the targets it has seen.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  2, 20,  3, 10,  4, 20};       threads and megahertz of four runs
 *         float y[] = {8, 4, 3, 1};                          seconds
 *         sooth_env env;
 *         sooth_table table;
 *         sooth_tree_options options;
 *         sooth_tree *tree;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, x, 4, 2);
 *         table.y = y;
 *         table.targets = 1;
 *         memset(&options, 0, sizeof options);               zero means the default
 *         options.max_depth = 2;
 *         if (sooth_tree_fit(&env, &table, &options, &tree) != SOOTH_OK) return puts(env.sentence);
 *         printf("%g\n", sooth_tree_predict(tree, x));       8
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * The rules that make a tree reproducible:
 *   - x <= threshold goes left. A threshold is the midpoint of the two neighbouring values in the node,
 *     rounded down to float: exactly the rows that scikit-learn's double midpoint sends left go left here.
 *     With bins, it is the midpoint between two bins.
 *   - Among splits of equal gain the lowest column wins, then the lowest threshold.
 *   - A missing value (NaN) goes to the side where the training rows without a value gained most; where both
 *     gained the same or there were none, to the child with more rows; to the left one if both have as many.
 *     A split may also part the rows with a value from those without: its threshold is infinite.
 *   - Rows of weight zero do not exist. A node splits unless its targets are equal or an option forbids it.
 *   - Sums are double, in an order that does not depend on the number of workers: 1 or N give the same bytes.
 * It is scikit-learn's tree node for node where no two splits gain the same, with two differences on purpose:
 * features closer than 1e-7 are told apart, and no impurity is too small to be split (scikit-learn takes what
 * is below 2e-16 for zero).
 *
 * Costs, for n rows, d columns, T targets, w workers; L leaves, at most n and what the options allow:
 *   fit      O(d n x mean depth) time, and O(d n) once for sorting. Two allocations: the model, and before it
 *            scratch that sooth_tree_work tells the size of; about
 *              exact    16 d n + (144 + 16 T) L + w n bytes
 *              binned   (d + 12 + 4 T) n + (144 + 16 T) L + w (17 n + 32 d bins) + 24 d bins log2(n)
 *            and for medians 16 T n + w (20 T + 16) n more. Large nodes are searched by all workers together,
 *            a column each; subtrees of up to 65,536 values are grown by one worker each.
 *   predict  at most `depth` comparisons, no allocation.
 *   model    48 bytes and 8 per node (there are 2 L - 1); with statistics 28 + 4 T per node.
 */
#include "base.h"
#include "num.h"

#ifndef SOOTH_TREE_H
#define SOOTH_TREE_H

#ifdef __cplusplus
extern "C" {
#endif

#define SOOTH_TREE_VERSION 1

/* ---- the model ---- */

/* One node. `link` holds four numbers: bit 0 is 1 in an inner node; bit 1 is 1 when a missing value goes
   right; from bit 2 on stands the feature; from bit `shift` of the tree on how many nodes further the left
   child stands. The right child is the next one. A leaf has link 0, so a step from it leads to itself. */
typedef struct sooth_tree_node {
    union {
        float threshold; /* of an inner node: x <= threshold goes left */
        float value;     /* of a leaf, with one target */
        uint32_t at;     /* of a leaf, with several: the row of the values */
    } u;
    uint32_t link;
} sooth_tree_node;

/* The block: this struct, then sooth_tree_node[nodes], breadth first; then
     with statistics   float value[nodes x targets], uint32_t rows[nodes],
                       double weight[nodes], impurity[nodes]
     without           float value[leaves x targets], when there are several targets
   Nodes and features share the 30 bits of a link: 2^24 nodes and 64 features fit, or 2^16 and 16,384, or 2^10
   and a million. A tree that does not fit is refused with a sentence. */
typedef struct sooth_tree {
    sooth_block head;
    uint32_t nodes;      /* inner nodes and leaves; (nodes + 1) / 2 are leaves */
    uint32_t depth;      /* comparisons on the longest path */
    uint32_t shift;      /* see sooth_tree_node; 2 to 31 */
    uint32_t statistics; /* 1 with, 0 without */
} sooth_tree;

/* True when bytes[0..size) begin with a sound tree: then nothing below can loop or read outside.
   Breadth-first order leaves no freedom (the children of inner node number k stand at 2k + 1 and 2k + 2), so
   one pass without memory proves it. */
SOOTH_API int sooth_tree_check(const void *bytes, size_t size);

/* The prediction for one row of head.features floats; with several targets, the first. */
SOOTH_API float sooth_tree_predict(const sooth_tree *tree, const float *row);

/* out[i * targets + t] for `rows` rows that stand `stride` floats apart. Eight rows are walked at once, which
   is two to five times faster than one by one. */
SOOTH_API void sooth_tree_predict_many(const sooth_tree *tree, const float *x, size_t rows, size_t stride,
                                       float *out);

/* The number of the leaf (a node below tree->nodes) that a row ends in. */
SOOTH_API uint32_t sooth_tree_leaf(const sooth_tree *tree, const float *row);

SOOTH_API sooth_cost sooth_tree_cost(const sooth_tree *tree);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_tree_criterion {
    SOOTH_TREE_SQUARED = 0, /* squared error; leaves hold means */
    SOOTH_TREE_ABSOLUTE,    /* absolute error; leaves hold medians (the mean of the middle two) */
    SOOTH_TREE_FRIEDMAN,    /* squared error; splits score W_L W_R / W (mean_L - mean_R)^2 over all targets */
    SOOTH_TREE_POISSON,     /* half the Poisson deviance, for counts and rates; leaves hold means */
    SOOTH_TREE_RELATIVE     /* absolute error / max(|y|, floor), the MAPE; leaves hold its weighted medians */
} sooth_tree_criterion;

/* The impurity of a node is the mean of this error over its rows (by weight) and targets. */
typedef struct sooth_tree_options {
    uint32_t criterion;         /* a sooth_tree_criterion */
    uint32_t max_depth;         /* 0: no limit */
    uint32_t min_samples_split; /* rows that a node needs to be split; 0: 2 */
    uint32_t min_samples_leaf;  /* rows that every leaf keeps; 0: 1 */
    uint32_t max_leaves;        /* grow best first, up to this many; 0: no limit */
    uint32_t max_features;      /* columns looked at per split, drawn anew each time; 0: all */
    uint32_t bins;              /* candidates per column: 2 to 256 (histograms); 0: every value (exact) */
    /* of the draws; not 0: which column wins among equal gains is drawn too (0: the first) */
    uint32_t seed;
    uint32_t no_statistics;      /* 1: keep only what prediction needs */
    double min_weight_leaf;      /* share of the whole weight that every leaf keeps, at most 0.5 */
    double min_gain;             /* that a split must bring: W/N (i - W_L/W i_L - W_R/W i_R), i: impurity */
    double ccp_alpha;            /* price of a leaf in cost-complexity pruning; 0: no pruning */
    double floor;                /* of |y|, for SOOTH_TREE_RELATIVE; 0: none, and then no target may be 0 */
    const signed char *monotone; /* per column 1: predictions may only rise with it; -1: fall; 0: both */
} sooth_tree_options;

/* Grows a tree from a table with targets; NaN in x is missing. options NULL: defaults. *tree is NULL after a
   failure. A constant target gives a single leaf; so does a table of one row or of constant columns. min_gain
   and ccp_alpha are scikit-learn's min_impurity_decrease and ccp_alpha; W, N: the weight of the node, of all
   rows (for SOOTH_TREE_FRIEDMAN the gain is its score, as there). With max_features, more columns are drawn
   while none can be split. Constraints hold for the whole tree (rows with a missing value in the column
   apart): see soothi_tree_bound_children. */
SOOTH_API sooth_status sooth_tree_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_tree_options *options, sooth_tree **tree);

SOOTH_API void sooth_tree_free(sooth_env *env, sooth_tree *tree);
SOOTH_API sooth_option_list sooth_tree_options_list(void);

/* The bytes of scratch that sooth_tree_fit asks its allocator for at most, in one piece, on a table of this
   shape. workers: env->workers, or 1. Pruning takes 28 bytes per node, after the scratch is freed. */
SOOTH_API size_t sooth_tree_work(const sooth_tree_options *options, size_t rows, size_t cols, size_t targets,
                                 size_t workers);

/* ---- looking into a tree ---- */

/* A node, as a person would like to see it. */
typedef struct sooth_tree_step {
    uint32_t node;     /* its number; the root is 0 */
    uint32_t left;     /* its left child; the right one is left + 1; 0: a leaf */
    uint32_t feature;  /* the column it asks about */
    float threshold;   /* x <= threshold goes left */
    int missing_right; /* where a missing value goes */
    int went_right;    /* on a path: where the row went */
    float value;       /* what the tree would predict if it ended here (first target) */
    uint32_t rows;     /* training rows that came here; their weight and impurity */
    double weight;     /* without statistics these are 0, and so is the value of inner nodes */
    double impurity;
} sooth_tree_step;

/* Fills step for a node below tree->nodes. */
SOOTH_API void sooth_tree_look(const sooth_tree *tree, uint32_t node, sooth_tree_step *step);

/* The way of a row from the root to its leaf, leaf included, into step[0..room). Returns the number of steps,
   at most tree->depth + 1, also when room is less. */
SOOTH_API uint32_t sooth_tree_path(const sooth_tree *tree, const float *row, sooth_tree_step *step,
                                   uint32_t room);

/* importance[0..features): the share of the whole decrease of impurity that the splits on each column
   brought. They sum to 1, or to 0 for a single leaf. Needs statistics. */
SOOTH_API sooth_status sooth_tree_importance(sooth_env *env, const sooth_tree *tree, double *importance);

/* Writes the tree as indented rules. names: one per column, or NULL. Allocates 4 bytes per level. */
SOOTH_API sooth_status sooth_tree_print(sooth_env *env, const sooth_tree *tree, const char *const *names,
                                        sooth_sink *sink);

/* The weakest links (Breiman et al. 1984, chapter 3): alpha[k] is the price of a leaf from which on the k-th
   subtree is the best, impurity[k] the total impurity of its leaves; entry 0 is the whole tree at alpha 0.
   *count is their number, also when room is less. Needs statistics. O(nodes x depth). */
SOOTH_API sooth_status sooth_tree_pruning_path(sooth_env *env, const sooth_tree *tree, double *alpha,
                                               double *impurity, size_t room, size_t *count);

/* A new tree without the links whose alpha is at most ccp_alpha. Needs statistics. */
SOOTH_API sooth_status sooth_tree_prune(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                        sooth_tree **pruned);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_TREE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_IMPLEMENTED)
#define SOOTH_TREE_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- predicting ---- */

SOOTHI_LOCAL const sooth_tree_node *soothi_tree_nodes(const sooth_tree *tree) {
    return (const sooth_tree_node *)(const void *)(tree + 1);
}

/* The float array behind the nodes: see sooth_tree. */
SOOTHI_LOCAL const float *soothi_tree_values(const sooth_tree *tree) {
    return (const float *)(const void *)(soothi_tree_nodes(tree) + tree->nodes);
}

/* Comparisons that raise no floating-point exception; a hint that values are seldom missing, so that no
   branch of a walk depends on the row; and a call for the cache line of the children, which are wanted
   next. */
#if defined(__GNUC__) || defined(__clang__)
#define SOOTHI_TREE_GREATER(x, t) __builtin_isgreater(x, t)
#define SOOTHI_TREE_MISSES(x, t) __builtin_expect(__builtin_isunordered(x, t), 0)
#define SOOTHI_TREE_FETCH(p) __builtin_prefetch(p)
#else
#define SOOTHI_TREE_GREATER(x, t) ((x) > (t))
#define SOOTHI_TREE_MISSES(x, t) (!((x) <= (x)))
#define SOOTHI_TREE_FETCH(p) (void)0
#endif

/* The bits of a link that hold 4 x the feature: where in a row it stands, in bytes. */
SOOTHI_LOCAL uint32_t soothi_tree_mask(const sooth_tree *tree) { return ((1u << tree->shift) - 1u) & ~3u; }

/* One level down from node `at`; a leaf stays where it is. */
SOOTHI_LOCAL uint32_t soothi_tree_down(const sooth_tree_node *node, uint32_t at, uint32_t shift,
                                       uint32_t mask, const float *row) {
    const uint32_t link = node[at].link, left = at + (link >> shift);
    const float x = *(const float *)(const void *)((const unsigned char *)row + (link & mask));
    const float threshold = node[at].u.threshold;
    const uint32_t right = (uint32_t)SOOTHI_TREE_GREATER(x, threshold) & link;
    SOOTHI_TREE_FETCH(node + left);
    if (SOOTHI_TREE_MISSES(x, threshold)) return left + (link >> 1 & 1u);
    return left + right;
}

/* Four levels between two looks whether this is a leaf: a branch that nobody can foresee costs more than the
   steps it could save. */
SOOTHI_LOCAL uint32_t soothi_tree_walk(const sooth_tree *tree, const float *row) {
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const uint32_t shift = tree->shift, mask = soothi_tree_mask(tree);
    uint32_t at = 0;
    do {
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
    } while (node[at].link & 1u);
    return at;
}

SOOTH_API uint32_t sooth_tree_leaf(const sooth_tree *tree, const float *row) {
    return soothi_tree_walk(tree, row);
}

SOOTH_API float sooth_tree_predict(const sooth_tree *tree, const float *row) {
    const sooth_tree_node *leaf = soothi_tree_nodes(tree) + soothi_tree_walk(tree, row);
    if (tree->head.targets == 1) return leaf->u.value;
    return soothi_tree_values(tree)[(size_t)leaf->u.at * tree->head.targets];
}

SOOTHI_LOCAL void soothi_tree_answers(const sooth_tree *tree, uint32_t leaf, float *out) {
    const sooth_tree_node *node = soothi_tree_nodes(tree) + leaf;
    const size_t targets = tree->head.targets;
    if (targets == 1) out[0] = node->u.value;
    else memcpy(out, soothi_tree_values(tree) + node->u.at * targets, targets * sizeof *out);
}

/* Eight rows at once: while one waits for its node from the cache, the others go on. */
SOOTH_API void sooth_tree_predict_many(const sooth_tree *tree, const float *x, size_t rows, size_t stride,
                                       float *out) {
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const size_t targets = tree->head.targets;
    const uint32_t shift = tree->shift, mask = soothi_tree_mask(tree);
    size_t i = 0;
    for (; rows - i >= 8; i += 8) {
        const float *row = x + i * stride;
        uint32_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, open;
        do {
            a = soothi_tree_down(node, a, shift, mask, row);
            b = soothi_tree_down(node, b, shift, mask, row + stride);
            c = soothi_tree_down(node, c, shift, mask, row + 2 * stride);
            d = soothi_tree_down(node, d, shift, mask, row + 3 * stride);
            e = soothi_tree_down(node, e, shift, mask, row + 4 * stride);
            f = soothi_tree_down(node, f, shift, mask, row + 5 * stride);
            g = soothi_tree_down(node, g, shift, mask, row + 6 * stride);
            h = soothi_tree_down(node, h, shift, mask, row + 7 * stride);
            open = node[a].link | node[b].link | node[c].link | node[d].link;
            open |= node[e].link | node[f].link | node[g].link | node[h].link;
        } while (open & 1u);
        soothi_tree_answers(tree, a, out + i * targets);
        soothi_tree_answers(tree, b, out + (i + 1) * targets);
        soothi_tree_answers(tree, c, out + (i + 2) * targets);
        soothi_tree_answers(tree, d, out + (i + 3) * targets);
        soothi_tree_answers(tree, e, out + (i + 4) * targets);
        soothi_tree_answers(tree, f, out + (i + 5) * targets);
        soothi_tree_answers(tree, g, out + (i + 6) * targets);
        soothi_tree_answers(tree, h, out + (i + 7) * targets);
    }
    for (; i < rows; ++i)
        soothi_tree_answers(tree, soothi_tree_walk(tree, x + i * stride), out + i * targets);
}

SOOTH_API sooth_cost sooth_tree_cost(const sooth_tree *tree) {
    sooth_cost cost;
    cost.bytes = tree->head.size;
    cost.comparisons = tree->depth;
    cost.multiply_adds = cost.functions = 0;
    return cost;
}

/* The bytes of the words of a tree of this shape, or 0 when they cannot be. */
SOOTHI_LOCAL uint32_t soothi_tree_words(const sooth_tree *tree) {
    const uint64_t nodes = tree->nodes;
    uint64_t values = 0, words;
    if (tree->statistics) values = nodes * tree->head.targets;
    else if (tree->head.targets > 1) values = (nodes + 1) / 2 * tree->head.targets;
    if (values > UINT32_MAX) return 0;
    words = sizeof(sooth_tree) + 8 * nodes + 4 * values + (tree->statistics ? 4 * nodes : 0);
    return words < 0xFFFFFFF0u ? (uint32_t)words : 0;
}

SOOTH_API int sooth_tree_check(const void *bytes, size_t size) {
    const sooth_tree *tree = (const sooth_tree *)bytes;
    const sooth_tree_node *node;
    uint32_t i, next = 1, level = 1, depth = 0, words, leaves = 0;
    uint64_t doubles;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_TREE, SOOTH_TREE_VERSION) ||
        tree->head.size < sizeof *tree)
        return 0;
    words = soothi_tree_words(tree);
    doubles = tree->statistics ? 16 * (uint64_t)tree->nodes : 0;
    if (words == 0 || tree->head.features == 0 || tree->head.targets == 0 || tree->nodes % 2 == 0 ||
        tree->statistics > 1 || tree->shift < 2 || tree->shift > 31 ||
        tree->head.doubles_at != soothi_round16(words) ||
        tree->head.bytes_at - tree->head.doubles_at != doubles || tree->head.size != tree->head.bytes_at)
        return 0;
    node = soothi_tree_nodes(tree);
    for (i = 0; i < tree->nodes; ++i) {
        const uint32_t link = node[i].link;
        if (i == level) {
            ++depth;
            level = next;
        }
        if (link & 1u) {
            if (link >> tree->shift != next - i || tree->nodes - next < 2 ||
                (link & soothi_tree_mask(tree)) >> 2 >= tree->head.features ||
                !(node[i].u.threshold <= node[i].u.threshold))
                return 0;
            next += 2;
        } else {
            if (link != 0 || (tree->head.targets > 1 && node[i].u.at != (tree->statistics ? i : leaves)))
                return 0;
            ++leaves;
        }
    }
    return next == tree->nodes && depth == tree->depth;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- growing: what trees, forests and boosting share ----
 *
 * columns   the table, made ready once (soothi_tree_prepare): each column as a list of entries in ascending
 *           order (exact), or as one byte per row (binned)
 * rules     the options, resolved
 * grower    everything one growth works with; its memory is one piece, laid out by soothi_tree_layout
 * record    one node while the tree grows
 *
 * For each tree: set y, weight and rows of the grower (a row takes part when its weight is above 0), then
 * soothi_tree_begin, soothi_tree_grow, soothi_tree_pack. A forest sets the weights to the numbers of draws,
 * and a stream per tree; boosting sets y = -gradient / hessian and weight = hessian.
 *
 * An entry of a list is key << 32 | row; keys order like the values (soothi_tree_key). Every node owns the
 * same range [start, start + rows) of every list. Splitting it partitions the range, keeping the order, into
 * the other one of two copies (list[depth & 1]): nothing is sorted twice and nothing copied back. Nodes are
 * grown depth first, the smaller child first, so the stack is never deeper than log2(rows) + 2; or best
 * first. Depth first, the number of a record follows from the sizes above it, not from the order of work, so
 * any worker can grow any subtree at any time. */

#define SOOTHI_TREE_MISSING 0xFFFFFFFFu /* keys of these values, see soothi_tree_key */
#define SOOTHI_TREE_INFINITY 0xFF800000u
#define SOOTHI_TREE_ZERO 0x80000000u
#define SOOTHI_TREE_STACK 64
#define SOOTHI_TREE_SUBTREE 65536u /* a node of at most so many entries is one worker's, with all below it */
#define SOOTHI_TREE_TASKS 256u     /* such subtrees are put off until there are so many */

/* The columns of a table, made ready once for any number of trees. */
typedef struct soothi_tree_columns {
    size_t rows, cols;
    size_t entries;     /* rows that stand in the lists; bins have all */
    size_t stride;      /* entries from one list to the next */
    uint32_t bins;      /* 0: exact */
    uint64_t *list;     /* exact: a list per column, ascending */
    unsigned char *bin; /* binned: per column and row; a missing value has the bin used[column] */
    float *edge;        /* binned: per column and bin; x <= edge[b] when its bin is at most b */
    float *least;       /* binned: per column and bin, the least value in it; NULL: not wanted */
    uint32_t *used;     /* binned: per column, how many bins hold values */
} soothi_tree_columns;

/* a criterion of the engine alone: y holds first, weight second derivatives (boost.h) */
#define SOOTHI_TREE_SECOND 5u

/* How boosting turns the sums of derivatives G and H into the answer of a leaf. */
typedef struct soothi_tree_second {
    double lambda, alpha; /* penalties of its square and its size */
    double max_step;      /* its greatest size; 0: no limit */
} soothi_tree_second;

typedef struct soothi_tree_rules {
    uint32_t criterion;
    uint32_t max_depth; /* UINT32_MAX: no limit */
    uint32_t min_split, min_leaf;
    uint32_t max_leaves;   /* 0: depth first, no limit */
    uint32_t max_features; /* 0: all columns */
    uint32_t seed, stream; /* of all draws; stream: the number of this tree */
    uint32_t random;       /* 1: one random threshold per column instead of all (extra-trees) */
    /* 1: among equal gains a random column wins, so that the trees of a forest differ */
    uint32_t shuffle;
    double min_weight; /* of a leaf */
    double min_gain;
    double floor;
    const signed char *monotone;
    soothi_tree_second second;
} soothi_tree_rules;

typedef struct soothi_tree_record {
    double weight;        /* with second derivatives: H */
    double impurity;      /* with second derivatives: G */
    double gain;          /* of its split */
    uint32_t start, rows; /* its range of every list */
    uint32_t depth;
    uint32_t left, right; /* its children; left 0: a leaf */
    uint32_t feature;     /* its split: entries with a key of at most `cut` go left, */
    uint32_t cut;
    uint32_t present_left; /* these are so many, */
    uint32_t missing_left; /* and 1: the missing ones go left too */
    float threshold;
    uint32_t histogram; /* its slot + 1; 0: none */
} soothi_tree_record;

/* The best split seen so far. A greater score wins, then the lower column; within a column the lower key was
   first. */
typedef struct soothi_tree_best {
    double score;
    size_t column;      /* SIZE_MAX: none found */
    uint32_t cut, next; /* the keys on both sides */
    uint32_t present_left, missing_left;
} soothi_tree_best;

/* What one worker needs for itself. */
typedef struct soothi_tree_worker {
    unsigned char *side;       /* per row: 1 when it goes right */
    uint32_t *pick;            /* per column, when columns are drawn: those drawn come first */
    double *sum;               /* per target: of the rows on the left */
    uint32_t *rank;            /* medians, per row and target: its place among the node's targets, from 1 */
    double *target, *price;    /* medians, per target and place: the target and its weight */
    uint32_t *before, *after;  /* medians: the places still there, linked */
    double *cost, *low, *high; /* medians, per number of rows on the left: cost and medians of both sides */
    uint64_t *list[2];         /* binned: the lists of one small subtree */
    soothi_tree_best best;
    uint32_t splits; /* made by this worker */
} soothi_tree_worker;

/* Two copies of lists and where in the tree they begin. */
typedef struct soothi_tree_lists {
    uint64_t *list[2];
    size_t stride;
    uint32_t start, depth;
} soothi_tree_lists;

typedef struct soothi_tree_grower {
    sooth_env *env;
    const soothi_tree_rules *rules;
    const float *y, *weight;
    size_t rows; /* with a weight above 0 */
    size_t cols, targets;
    const uint32_t *column; /* the columns that may be split, `columns_used` of them; NULL: all */
    size_t columns_used;
    size_t width; /* lists: the columns, and with medians the targets */
    double total; /* weight of all rows */
    const soothi_tree_columns *columns;
    soothi_tree_lists lists;   /* exact, and binned with medians */
    uint32_t *row[2];          /* histograms: the rows of every node, like lists */
    float *row_y, *row_weight; /* histograms: targets and weights of the present node's rows, in order */
    double *cell;              /* histograms: slots of cols x cells x (count, weight if any, sums) */
    size_t slots, cells, cell_width;
    uint32_t *free_slot; /* a stack */
    size_t free_slots;
    uint32_t small; /* histograms: nodes of at most so many rows go on with lists */
    soothi_tree_record *record;
    double *mean;  /* per record and target: the mean or median */
    double *bound; /* per record, with monotone constraints: the least and the most it may predict */
    soothi_tree_worker *worker;
    size_t workers;
    float *answer;  /* per target: scratch */
    uint32_t *task; /* depth first: roots of subtrees put off; best first: the frontier */
    size_t tasks;
    uint32_t records; /* best first: made so far */
    size_t done;      /* rows whose leaf is settled */
} soothi_tree_grower;

/* A node's entries in the list of a column, and the place of its children's: the other copy. */
SOOTHI_LOCAL uint64_t *soothi_tree_list_at(const soothi_tree_lists *lists, const soothi_tree_record *node,
                                           size_t column, uint32_t depth) {
    return lists->list[(depth - lists->depth) & 1] + column * lists->stride + (node->start - lists->start);
}

SOOTHI_LOCAL const uint64_t *soothi_tree_list(const soothi_tree_lists *lists, const soothi_tree_record *node,
                                              size_t column) {
    return soothi_tree_list_at(lists, node, column, node->depth);
}

/* Entries from one list to the next: an odd number of cache lines, so that columns do not compete for the
   same places in the cache. */
SOOTHI_LOCAL size_t soothi_tree_stride(size_t rows) { return rows < 64 ? rows : ((rows + 7) / 8 | 1) * 8; }

/* ---- keys ---- */

/* Unsigned numbers in the order of the floats: negative ones have all bits flipped, others the sign. -0 is 0,
   NaN the largest. */
SOOTHI_LOCAL uint32_t soothi_tree_key(float value) {
    uint32_t bits = soothi_bits(value);
    if (bits << 1 > 0xFF000000u) return SOOTHI_TREE_MISSING;
    if (bits == 0x80000000u) bits = 0;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

SOOTHI_LOCAL float soothi_tree_unkey(uint32_t key) {
    uint32_t bits = key & 0x80000000u ? key & 0x7FFFFFFFu : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The midpoint of two values, rounded down to float; above all values when the next one is missing. */
SOOTHI_LOCAL float soothi_tree_midpoint(uint32_t cut, uint32_t next) {
    double middle;
    uint32_t key;
    if (next == SOOTHI_TREE_MISSING) return soothi_tree_unkey(SOOTHI_TREE_INFINITY);
    middle = 0.5 * (double)soothi_tree_unkey(cut) + 0.5 * (double)soothi_tree_unkey(next);
    key = soothi_tree_key((float)middle);
    if ((double)soothi_tree_unkey(key) > middle)
        key -= key == SOOTHI_TREE_ZERO ? 2 : 1; /* below 0 comes -0 */
    return soothi_tree_unkey(key);
}

SOOTHI_LOCAL uint32_t soothi_tree_entry_key(uint64_t entry) { return (uint32_t)(entry >> 32); }
SOOTHI_LOCAL uint32_t soothi_tree_entry_row(uint64_t entry) { return (uint32_t)entry; }

/* Row k of a node that is given by entries or by row numbers; the other one is NULL. */
SOOTHI_LOCAL size_t soothi_tree_row(const uint64_t *entry, const uint32_t *number, size_t k) {
    return entry ? soothi_tree_entry_row(entry[k]) : number[k];
}

/* ---- sorting ---- */

/* Sorts list[0..n) by key, keeping the order of equal keys; room[0..n) is scratch. Radix sort, three digits
   of 11 bits; digits that all keys share cost nothing. Insertion sort when short. */
SOOTHI_LOCAL void soothi_tree_sort(uint64_t *list, uint64_t *room, size_t n) {
    uint32_t count[3][2048];
    uint64_t *from = list, *to = room;
    size_t i, j;
    unsigned digit;
    if (n <= 64) {
        for (i = 1; i < n; ++i) {
            uint64_t entry = list[i];
            for (j = i; j > 0 && list[j - 1] >> 32 > entry >> 32; --j) list[j] = list[j - 1];
            list[j] = entry;
        }
        return;
    }
    memset(count, 0, sizeof count);
    for (i = 0; i < n; ++i) {
        uint32_t key = soothi_tree_entry_key(list[i]);
        ++count[0][key & 2047];
        ++count[1][key >> 11 & 2047];
        ++count[2][key >> 22];
    }
    for (digit = 0; digit < 3; ++digit) {
        unsigned shift = 32 + 11 * digit;
        uint32_t sum = 0, *at = count[digit];
        if (at[from[0] >> shift & 2047] == n) continue;
        for (i = 0; i < 2048; ++i) {
            uint32_t c = at[i];
            at[i] = sum;
            sum += c;
        }
        for (i = 0; i < n; ++i) to[at[from[i] >> shift & 2047]++] = from[i];
        {
            uint64_t *t = from;
            from = to;
            to = t;
        }
    }
    if (from != list) memcpy(list, from, n * sizeof *list);
}

/* ---- second derivatives ---- */

/* The answer of a leaf: -T(G) / (H + lambda), T(G) = sign(G) max(|G| - alpha, 0), within the step and the
   bounds. */
SOOTHI_LOCAL double soothi_tree_second_answer(const soothi_tree_second *s, double g, double h, double low,
                                              double high) {
    double w = g > s->alpha ? g - s->alpha : g < -s->alpha ? g + s->alpha : 0.0;
    w = h + s->lambda > 0.0 ? -w / (h + s->lambda) : 0.0;
    if (s->max_step > 0.0 && w > s->max_step) w = s->max_step;
    if (s->max_step > 0.0 && w < -s->max_step) w = -s->max_step;
    return w < low ? low : w > high ? high : w;
}

/* What a leaf that says w takes off twice the loss: -(2 G w + (H + lambda) w^2 + 2 alpha |w|); T(G)^2 / (H +
   lambda) at best. */
SOOTHI_LOCAL double soothi_tree_second_worth(const soothi_tree_second *s, double g, double h, double w) {
    return -(2.0 * g * w + (h + s->lambda) * w * w + 2.0 * s->alpha * (w < 0.0 ? -w : w));
}

/* ---- measuring a node ---- */

/* G and H of a node and its answer, before bounds. */
SOOTHI_LOCAL int soothi_tree_measure_second(const soothi_tree_grower *g, const uint64_t *entry,
                                            soothi_tree_record *node, double *mean) {
    double first = 0.0, second = 0.0;
    size_t k;
    for (k = 0; k < node->rows; ++k) {
        const size_t row = soothi_tree_entry_row(entry[k]);
        first += (double)g->y[row];
        second += (double)g->weight[row];
    }
    node->impurity = first;
    node->weight = second;
    mean[0] = soothi_tree_second_answer(&g->rules->second, first, second, -DBL_MAX, DBL_MAX);
    return 1;
}

/* Weight, means and impurity of the rows of a node, given by their entries or their numbers. Returns 1 when
   some target differs. Two passes, so a node of nearly equal large targets is measured well. */
SOOTHI_LOCAL int soothi_tree_measure(const soothi_tree_grower *g, const uint64_t *entry,
                                     const uint32_t *number, soothi_tree_record *node, double *mean) {
    const float *y = g->y, *weight = g->weight, *first;
    const size_t n = node->rows, targets = g->targets;
    size_t t, k;
    int mixed = 0;
    if (g->rules->criterion == SOOTHI_TREE_SECOND) return soothi_tree_measure_second(g, entry, node, mean);
    node->impurity = 0.0;
    node->weight = weight ? 0.0 : (double)n;
    for (k = 0; weight && k < n; ++k) node->weight += (double)weight[soothi_tree_row(entry, number, k)];
    first = y + soothi_tree_row(entry, number, 0) * targets;
    for (t = 0; t < targets; ++t) {
        double sum = 0.0, spread = 0.0, m;
        int differs = 0;
        for (k = 0; k < n; ++k) {
            const size_t row = soothi_tree_row(entry, number, k);
            const float v = y[row * targets + t];
            differs |= (v < first[t]) | (v > first[t]);
            sum += weight ? (double)weight[row] * (double)v : (double)v;
        }
        mean[t] = m = differs ? sum / node->weight : (double)first[t];
        if (!differs) continue;
        mixed = 1;
        for (k = 0; k < n; ++k) {
            const size_t row = soothi_tree_row(entry, number, k);
            const double v = (double)y[row * targets + t];
            double e = (v - m) * (v - m);
            if (g->rules->criterion == SOOTH_TREE_POISSON) e = v > 0.0 ? v * soothi_log(v / m) : 0.0;
            spread += weight ? (double)weight[row] * e : e;
        }
        node->impurity += spread / (node->weight * (double)targets);
    }
    return mixed;
}

/* What a row's absolute error is multiplied by. */
SOOTHI_LOCAL double soothi_tree_price(const soothi_tree_grower *g, size_t row, size_t t) {
    double price = g->weight ? (double)g->weight[row] : 1.0;
    if (g->rules->criterion == SOOTH_TREE_RELATIVE) {
        double y = (double)g->y[row * g->targets + t];
        if (y < 0.0) y = -y;
        price /= y > g->rules->floor ? y : g->rules->floor;
    }
    return price;
}

/* The same for medians; here the targets' own lists say which is in the middle. */
SOOTHI_LOCAL int soothi_tree_measure_medians(const soothi_tree_grower *g, const soothi_tree_lists *lists,
                                             soothi_tree_record *node, double *mean) {
    size_t t, k, n = node->rows;
    double weight = (double)n, impurity = 0.0;
    int mixed = 0;
    for (t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_tree_list(lists, node, g->cols + t);
        double all = 0.0, below = 0.0, spread = 0.0, m;
        mixed |= soothi_tree_entry_key(list[0]) != soothi_tree_entry_key(list[n - 1]);
        for (k = 0; k < n; ++k) all += soothi_tree_price(g, soothi_tree_entry_row(list[k]), t);
        for (k = 0; k + 1 < n; ++k) {
            below += soothi_tree_price(g, soothi_tree_entry_row(list[k]), t);
            if (below + below >= all) break;
        }
        m = (double)g->y[soothi_tree_entry_row(list[k]) * g->targets + t];
        if (k + 1 < n && !(below + below > all))
            m = 0.5 * m + 0.5 * (double)g->y[soothi_tree_entry_row(list[k + 1]) * g->targets + t];
        mean[t] = m;
        for (k = 0; k < n; ++k) {
            size_t row = soothi_tree_entry_row(list[k]);
            double e = (double)g->y[row * g->targets + t] - m;
            spread += soothi_tree_price(g, row, t) * (e < 0.0 ? -e : e);
        }
        impurity += spread;
        if (t == 0 && g->weight) {
            weight = 0.0;
            for (k = 0; k < n; ++k) weight += (double)g->weight[soothi_tree_entry_row(list[k])];
        }
    }
    node->weight = weight;
    node->impurity = impurity / (weight * (double)g->targets);
    return mixed;
}

/* ---- looking for the best split of a node ---- */

typedef struct soothi_tree_search {
    const soothi_tree_grower *g;
    const soothi_tree_lists *lists; /* NULL: histograms */
    const soothi_tree_record *node;
    const double *mean;              /* of the node */
    const double *bound;             /* of the node, or NULL */
    const soothi_tree_worker *owner; /* whose rank, target and price hold the node's targets (medians) */
    const uint32_t *pick;            /* the columns to look at, or NULL: all */
    size_t picks, block;             /* so many, so many per task */
    size_t turn;                     /* the column that wins ties; then the next ones, and around */
    uint64_t draw;                   /* what random thresholds of this node are made from */
    int plain;                       /* one target, means, no deviance */
    int first;                       /* the first split found will do */
} soothi_tree_search;

/* The best split of one column with its missing values on one side. */
typedef struct soothi_tree_candidate {
    double score;
    uint32_t present_left; /* 0: none */
    uint32_t cut, next;
} soothi_tree_candidate;

/* Would a split into these means break the constraint or leave the node's bounds? */
SOOTHI_LOCAL int soothi_tree_breaks(const soothi_tree_search *s, int sign, double left, double right) {
    if (sign == 0) return 0;
    return (sign > 0 ? left > right : left < right) || left < s->bound[0] || right < s->bound[0] ||
           left > s->bound[1] || right > s->bound[1];
}

/* The score of a split by second derivatives: what both sides are worth beyond the node. */
SOOTHI_LOCAL double soothi_tree_judge_second(const soothi_tree_search *s, int sign, double h_left,
                                             double g_left) {
    const soothi_tree_second *second = &s->g->rules->second;
    const double low = s->bound ? s->bound[0] : -DBL_MAX, high = s->bound ? s->bound[1] : DBL_MAX;
    const double g = s->node->impurity, h = s->node->weight, g_right = g - g_left, h_right = h - h_left;
    const double node = s->mean[0] < low ? low : s->mean[0] > high ? high : s->mean[0];
    const double left = soothi_tree_second_answer(second, g_left, h_left, low, high);
    const double right = soothi_tree_second_answer(second, g_right, h_right, low, high);
    const double parent = soothi_tree_second_worth(second, g, h, node);
    const double score = soothi_tree_second_worth(second, g_left, h_left, left) +
                         soothi_tree_second_worth(second, g_right, h_right, right) - parent;
    if (!(h_left + second->lambda > 0.0) || !(h_right + second->lambda > 0.0)) return -1.0;
    if ((sign > 0 && left > right) || (sign < 0 && left < right)) return -1.0;
    return score > 1e-12 * (parent < 0.0 ? -parent : parent) ? score : -1.0; /* more than rounding */
}

/* The score of a split, from the weight and the sums on its left; below 0: not allowed. W, m: weight and mean
   of the node, c = S_L - W_L m.
     squared    sum over targets of c^2 / (W_L W_R): the sum of squares falls by W times that
     friedman   (sum over targets of c)^2 / (W_L W_R)
     poisson    sum over targets of S_L log(m_L / m) + S_R log(m_R / m): the deviance falls by that */
SOOTHI_LOCAL double soothi_tree_judge(const soothi_tree_search *s, int sign, double weight_left,
                                      const double *sum) {
    const soothi_tree_rules *rules = s->g->rules;
    double weight = s->node->weight, weight_right = weight - weight_left, value = 0.0;
    size_t t;
    if (weight_left < rules->min_weight || weight_right < rules->min_weight || !(weight_right > 0.0))
        return -1.0;
    if (rules->criterion == SOOTHI_TREE_SECOND) return soothi_tree_judge_second(s, sign, weight_left, sum[0]);
    if (sign &&
        soothi_tree_breaks(s, sign, sum[0] / weight_left, (s->mean[0] * weight - sum[0]) / weight_right))
        return -1.0;
    for (t = 0; t < s->g->targets; ++t) {
        const double m = s->mean[t], c = sum[t] - weight_left * m;
        if (rules->criterion == SOOTH_TREE_SQUARED) {
            value += c * c;
        } else if (rules->criterion == SOOTH_TREE_FRIEDMAN) {
            value += c;
        } else {
            const double left = sum[t], right = m * weight - left;
            if (!(left > 0.0) || !(right > 1e-12 * left))
                return -1.0; /* around a mean of 0, but for rounding */
            value +=
                left * soothi_log(left / (weight_left * m)) + right * soothi_log(right / (weight_right * m));
        }
    }
    if (rules->criterion == SOOTH_TREE_POISSON) return value > 0.0 ? value : 0.0;
    if (rules->criterion == SOOTH_TREE_FRIEDMAN) value *= value;
    return value / (weight_left * weight_right);
}

/* Looks at every split of a list that has at least `from` and at most `to` values on the left. This is where
   fitting spends its time: the plain case, with nothing in the loop that depends on the data in a way that
   nobody can foresee. Scores are not negative, so their bits order like them; a split between equal values
   gets -1. */
SOOTHI_LOCAL void soothi_tree_scan_plain(const soothi_tree_search *s, const uint64_t *list, uint32_t from,
                                         uint32_t to, double sum, double weight_left, const float *w,
                                         soothi_tree_candidate *best) {
    const float *y = s->g->y;
    const double mean = s->mean[0], weight = s->node->weight, least = s->g->rules->min_weight;
    int64_t most = -1;
    uint32_t k, at = 0;
    for (k = 0; k + 1 < from; ++k) {
        const uint32_t row = soothi_tree_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
    }
    for (; k < to; ++k) {
        const uint32_t row = soothi_tree_entry_row(list[k]);
        double c, weight_right, score;
        int64_t bits;
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
        weight_right = weight - weight_left;
        if (w && (weight_left < least || weight_right < least || !(weight_right > 0.0))) continue;
        c = sum - weight_left * mean;
        score = c * c / (weight_left * weight_right);
        memcpy(&bits, &score, sizeof bits);
        bits |= -(int64_t)((list[k] ^ list[k + 1]) >> 32 == 0);
        at = bits > most ? k + 1 : at;
        most = bits > most ? bits : most;
    }
    best->present_left = at;
    memcpy(&best->score, &most, sizeof most);
}

/* The plain case for one given split: it is judged by its smaller side. */
SOOTHI_LOCAL void soothi_tree_judge_plain(const soothi_tree_search *s, const uint64_t *list, const float *w,
                                          soothi_tree_candidate *c) {
    const float *y = s->g->y;
    const double least = s->g->rules->min_weight;
    const uint32_t n = s->node->rows;
    const uint32_t from = 2 * c->present_left > n ? c->present_left : 0, to = from ? n : c->present_left;
    double sum = 0.0, here = 0.0, there, off;
    uint32_t k;
    for (k = from; k < to; ++k) {
        const uint32_t row = soothi_tree_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        if (w) here += (double)w[row];
    }
    if (!w) here = (double)(to - from);
    there = s->node->weight - here;
    off = sum - here * s->mean[0];
    c->score = off * off / (here * there);
    if (here < least || there < least || !(there > 0.0)) c->present_left = 0;
}

/* The same for every criterion with means, any number of targets, constraints. */
SOOTHI_LOCAL void soothi_tree_scan_sums(const soothi_tree_search *s, const uint64_t *list, uint32_t from,
                                        uint32_t to, int sign, double weight_left, double *sum,
                                        soothi_tree_candidate *best) {
    const soothi_tree_grower *g = s->g;
    const int second = g->rules->criterion == SOOTHI_TREE_SECOND;
    size_t t, targets = g->targets;
    uint32_t k;
    best->score = -1.0;
    best->present_left = 0;
    for (k = 0; k < to; ++k) {
        const size_t row = soothi_tree_entry_row(list[k]);
        const double w = g->weight ? (double)g->weight[row] : 1.0;
        double score;
        for (t = 0; t < targets; ++t) sum[t] += (second ? 1.0 : w) * (double)g->y[row * targets + t];
        weight_left += w;
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        score = soothi_tree_judge(s, sign, weight_left, sum);
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Medians: gives every row of the node its place among the node's targets. */
SOOTHI_LOCAL void soothi_tree_rank(const soothi_tree_search *s, soothi_tree_worker *worker) {
    const soothi_tree_grower *g = s->g;
    size_t t, k;
    for (t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_tree_list(s->lists, s->node, g->cols + t);
        double *target = worker->target + t * (g->rows + 2), *price = worker->price + t * (g->rows + 2);
        for (k = 0; k < s->node->rows; ++k) {
            size_t row = soothi_tree_entry_row(list[k]);
            worker->rank[row * g->targets + t] = (uint32_t)k + 1;
            target[k + 1] = (double)g->y[row * g->targets + t] - s->mean[t];
            price[k + 1] = soothi_tree_price(g, row, t);
        }
    }
}

/* Takes the rows of a sequence away one by one, from its end (or its beginning), and adds to cost[k] what the
   rest costs around its weighted median: sum of price |target - median|; k: how many rows are on the left of
   the split then. The places form a linked list with a finger on the median, which a deletion moves by one
   step (with weights: by few), so a column costs O(rows) where heaps or trees would cost O(rows log rows). B,
   SB: price and price x target below the finger; V, SV: of all that is left. The cost is finger (2 B - V) +
   SV - 2 SB. */
SOOTHI_LOCAL void soothi_tree_unwind(const soothi_tree_search *s, soothi_tree_worker *worker,
                                     const uint64_t *list, size_t turn, size_t t, int from_end, double *cost,
                                     double *middle) {
    const soothi_tree_grower *g = s->g;
    const double *target = s->owner->target + t * (g->rows + 2), *price = s->owner->price + t * (g->rows + 2);
    const uint32_t *rank = s->owner->rank;
    uint32_t *before = worker->before, *after = worker->after;
    uint32_t n = s->node->rows, left, p = 1, i;
    double b = 0.0, sb = 0.0, v = 0.0, sv = 0.0;
    for (i = 1; i <= n; ++i) {
        before[i] = i - 1;
        after[i] = i + 1;
        v += price[i];
        sv += price[i] * target[i];
    }
    for (left = n; left > 0; --left) {
        size_t k = from_end ? left : n - left, taken = from_end ? left - 1 : n - left, at;
        uint32_t place;
        while (after[p] <= n && 2.0 * (b + price[p]) < v) {
            b += price[p];
            sb += price[p] * target[p];
            p = after[p];
        }
        while (before[p] > 0 && 2.0 * b >= v) {
            p = before[p];
            b -= price[p];
            sb -= price[p] * target[p];
        }
        cost[k] += target[p] * (2.0 * b - v) + sv - 2.0 * sb;
        if (middle) {
            const int even = after[p] <= n && !(2.0 * (b + price[p]) > v);
            middle[k] = 0.5 * (target[p] + target[even ? after[p] : p]) + s->mean[t];
        }
        /* the sequence is the list turned right by `turn` entries: the missing ones first, when they go
           left */
        at = taken < turn ? n - turn + taken : taken - turn;
        place = rank[soothi_tree_entry_row(list[at]) * g->targets + t];
        v -= price[place];
        sv -= price[place] * target[place];
        if (before[place]) after[before[place]] = after[place];
        if (after[place] <= n) before[after[place]] = before[place];
        if (place < p) {
            b -= price[place];
            sb -= price[place] * target[place];
        } else if (place == p) {
            if (after[p] <= n) {
                p = after[p];
            } else if (before[p]) {
                p = before[p];
                b -= price[p];
                sb -= price[p] * target[p];
            }
        }
    }
}

/* Every split of a list by medians; the first `turn` = 0 or all missing rows are on the left from the
   beginning. */
SOOTHI_LOCAL void soothi_tree_scan_medians(const soothi_tree_search *s, soothi_tree_worker *worker,
                                           const uint64_t *list, uint32_t from, uint32_t to, int sign,
                                           size_t turn, soothi_tree_candidate *best) {
    const soothi_tree_grower *g = s->g;
    size_t t, n = s->node->rows;
    uint32_t k;
    double weight_left = 0.0, parent = s->node->impurity * s->node->weight * (double)g->targets,
           *cost = worker->cost;
    memset(cost, 0, (n + 1) * sizeof *cost);
    for (t = 0; t < g->targets; ++t) {
        soothi_tree_unwind(s, worker, list, turn, t, 1, cost, sign ? worker->low : NULL);
        soothi_tree_unwind(s, worker, list, turn, t, 0, cost, sign ? worker->high : NULL);
    }
    best->score = -1.0;
    best->present_left = 0;
    for (k = 0; k < turn; ++k)
        weight_left += g->weight ? (double)g->weight[soothi_tree_entry_row(list[n - turn + k])] : 1.0;
    for (k = 0; k < to; ++k) {
        double score;
        weight_left += g->weight ? (double)g->weight[soothi_tree_entry_row(list[k])] : 1.0;
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        if (weight_left < g->rules->min_weight || s->node->weight - weight_left < g->rules->min_weight)
            continue;
        if (sign && soothi_tree_breaks(s, sign, worker->low[k + 1 + turn], worker->high[k + 1 + turn]))
            continue;
        score = parent - cost[k + 1 + turn];
        if (score < 0.0) score = 0.0; /* no more than rounding */
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Does column a win a tie against b? The lower one does, counted from the column at `turn` around. */
SOOTHI_LOCAL int soothi_tree_wins(const soothi_tree_search *s, size_t a, size_t b) {
    return (a >= s->turn) == (b >= s->turn) ? a < b : a > b;
}

/* Enters a split into best if it is better: it scores more, or the same in a column that wins ties. */
SOOTHI_LOCAL void soothi_tree_enter(const soothi_tree_search *s, soothi_tree_best *best, size_t column,
                                    const soothi_tree_candidate *c, uint32_t missing_left) {
    if (!c->present_left) return;
    if (best->column != SIZE_MAX &&
        (c->score < best->score || (!(c->score > best->score) && soothi_tree_wins(s, best->column, column))))
        return;
    best->score = c->score;
    best->column = column;
    best->cut = c->cut;
    best->next = c->next;
    best->present_left = c->present_left;
    best->missing_left = missing_left;
}

/* Of the best splits of a column with its missing rows on the right and on the left, enters the better one;
   of equal ones that with the lower threshold, and then the one that sends them to the larger child. present:
   rows with a value. */
SOOTHI_LOCAL void soothi_tree_enter_sides(const soothi_tree_search *s, soothi_tree_best *best, size_t column,
                                          const soothi_tree_candidate *right,
                                          const soothi_tree_candidate *left, uint32_t present) {
    int go_left = left->present_left && (!right->present_left || left->score > right->score);
    if (left->present_left && right->present_left && !(left->score < right->score) && !go_left)
        go_left =
            left->cut < right->cut || (left->cut == right->cut && 2 * (size_t)left->present_left >= present);
    soothi_tree_enter(s, best, column, go_left ? left : right, (uint32_t)go_left);
}

/* Which keys the split stands between. */
SOOTHI_LOCAL void soothi_tree_name_keys(const uint64_t *list, uint32_t n, soothi_tree_candidate *c) {
    if (!c->present_left) return;
    c->cut = soothi_tree_entry_key(list[c->present_left - 1]);
    c->next = c->present_left < n ? soothi_tree_entry_key(list[c->present_left]) : SOOTHI_TREE_MISSING;
}

/* A random threshold between the least and the greatest value of a list (Geurts, Ernst, Wehenkel: Extremely
   randomized trees, Machine Learning 63, 2006): its key, and how many entries are at most as great. Every
   column of a node mixes the node's draw with its own number (the finalizer of Stafford's variant 13 of
   splitmix64). When all values are equal, the key is theirs and the number `present`. */
SOOTHI_LOCAL uint32_t soothi_tree_random_key(const soothi_tree_search *s, size_t column, const uint64_t *list,
                                             uint32_t present, uint32_t *below) {
    const uint32_t least = soothi_tree_entry_key(list[0]), most = soothi_tree_entry_key(list[present - 1]);
    const double from = (double)soothi_tree_unkey(least), to = (double)soothi_tree_unkey(most);
    uint64_t bits = s->draw + (column + 1) * 0x9E3779B97F4A7C15u;
    uint32_t key, low = 0, high = present;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    key = soothi_tree_key((float)(from + (to - from) * ((double)(bits >> 11) * (1.0 / 9007199254740992.0))));
    if (key >= most && most > least) key = least; /* rounded up to the end */
    if (key < least) key = least;
    while (low < high) { /* the first entry above it */
        const uint32_t middle = low + (high - low) / 2;
        if (soothi_tree_entry_key(list[middle]) <= key) low = middle + 1;
        else high = middle;
    }
    *below = low;
    return key;
}

/* Every split of one column, by its list, in the general case; or, where thresholds are random, one. */
SOOTHI_LOCAL void soothi_tree_scan_general(const soothi_tree_search *s, size_t column, const uint64_t *list,
                                           int sign, soothi_tree_worker *worker) {
    const soothi_tree_grower *g = s->g;
    const uint32_t n = s->node->rows, least = g->rules->min_leaf;
    soothi_tree_candidate side[2]; /* the missing rows go right, go left */
    uint32_t present = n, missing, go_left, k, only = 0, key = 0;
    while (present > 0 && soothi_tree_entry_key(list[present - 1]) == SOOTHI_TREE_MISSING) --present;
    missing = n - present;
    if (g->rules->random && present > 0) key = soothi_tree_random_key(s, column, list, present, &only);
    memset(side, 0, sizeof side);
    for (go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        const uint32_t first = go_left ? missing : 0; /* rows on the left before the list begins */
        uint32_t from = least > first + 1 ? least - first : 1;
        uint32_t to = missing && !go_left ? present : present - 1;
        if (n < least + first || present == 0) continue;
        if (to > n - least - first) to = n - least - first;
        if (only && from < only) from = only;
        if (only && to > only) to = only;
        if (from > to) continue;
        if (g->width > g->cols) {
            soothi_tree_scan_medians(s, worker, list, from, to, sign, first, &side[go_left]);
        } else {
            double weight_left = 0.0, *sum = worker->sum;
            size_t t;
            memset(sum, 0, g->targets * sizeof *sum);
            for (k = 0; k < first; ++k) {
                const size_t row = soothi_tree_entry_row(list[present + k]);
                const double w = g->weight ? (double)g->weight[row] : 1.0;
                for (t = 0; t < g->targets; ++t)
                    sum[t] += (g->rules->criterion == SOOTHI_TREE_SECOND ? 1.0 : w) *
                              (double)g->y[row * g->targets + t];
                weight_left += w;
            }
            if (!s->plain || sign)
                soothi_tree_scan_sums(s, list, from, to, sign, weight_left, sum, &side[go_left]);
            else soothi_tree_scan_plain(s, list, from, to, sum[0], weight_left, g->weight, &side[go_left]);
        }
        soothi_tree_name_keys(list, n, &side[go_left]);
        if (only && only < present) side[go_left].cut = side[go_left].next = key;
    }
    soothi_tree_enter_sides(s, &worker->best, column, &side[0], &side[1], present);
}

/* Every split of one column, by its list. */
SOOTHI_LOCAL void soothi_tree_scan_list(const soothi_tree_search *s, size_t column,
                                        soothi_tree_worker *worker) {
    const soothi_tree_rules *rules = s->g->rules;
    const uint64_t *list = soothi_tree_list(s->lists, s->node, column);
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const uint32_t n = s->node->rows;
    const uint32_t from = rules->min_leaf, to = n - rules->min_leaf;
    soothi_tree_candidate c;
    if ((list[0] ^ list[n - 1]) >> 32 == 0) return; /* one value, or none */
    if (!s->plain || sign || soothi_tree_entry_key(list[n - 1]) == SOOTHI_TREE_MISSING) {
        soothi_tree_scan_general(s, column, list, sign, worker);
        return;
    }
    if (rules->random) {
        c.cut = c.next = soothi_tree_random_key(s, column, list, n, &c.present_left);
        if (c.present_left < from || c.present_left > to) return;
        if (s->g->weight) soothi_tree_judge_plain(s, list, s->g->weight, &c);
        else soothi_tree_judge_plain(s, list, NULL, &c);
    } else {
        if (s->g->weight) soothi_tree_scan_plain(s, list, from, to, 0.0, 0.0, s->g->weight, &c);
        else soothi_tree_scan_plain(s, list, from, to, 0.0, 0.0, NULL, &c);
        soothi_tree_name_keys(list, n, &c);
    }
    soothi_tree_enter(s, &worker->best, column, &c, 0);
}

/* The cells of a histogram: columns x cells x (count, weight if any, sums). */
SOOTHI_LOCAL double *soothi_tree_cells(const soothi_tree_grower *g, uint32_t histogram) {
    return g->cell + (histogram - 1) * (g->cols * g->cells * g->cell_width);
}

/* Every split of one column, by the histogram of the node. */
SOOTHI_LOCAL void soothi_tree_scan_histogram(const soothi_tree_search *s, size_t column,
                                             soothi_tree_worker *worker) {
    const soothi_tree_grower *g = s->g;
    const soothi_tree_rules *rules = g->rules;
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const size_t width = g->cell_width, lead = g->weight ? 2 : 1;
    const double *cell = soothi_tree_cells(g, s->node->histogram) + column * g->cells * width;
    const uint32_t used = g->columns->used[column], n = s->node->rows, least = rules->min_leaf;
    const double *none = cell + used * width; /* of the missing values */
    const uint32_t missing = used < g->cells ? (uint32_t)none[0] : 0;
    soothi_tree_candidate side[2];
    double *sum = worker->sum;
    uint32_t go_left;
    memset(side, 0, sizeof side);
    for (go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        soothi_tree_candidate *c = &side[go_left];
        double weight_left = go_left ? none[lead - 1] : 0.0;
        const uint32_t first = go_left ? missing : 0;
        uint32_t present_left = 0, bin;
        size_t t;
        c->score = -1.0;
        for (t = 0; t < g->targets; ++t) sum[t] = go_left ? none[lead + t] : 0.0;
        for (bin = 0; bin < used; ++bin) {
            const double *here = cell + bin * width;
            const uint32_t count = (uint32_t)here[0];
            double score;
            if (count == 0) continue;
            present_left += count;
            weight_left += here[lead - 1];
            for (t = 0; t < g->targets; ++t) sum[t] += here[lead + t];
            if (first + present_left < least) continue;
            if (n - first - present_left < least) break;
            score = soothi_tree_judge(s, sign, weight_left, sum);
            if (score > c->score) {
                c->score = score;
                c->present_left = present_left;
                c->cut = bin;
                c->next = present_left == n - missing ? SOOTHI_TREE_MISSING : bin + 1;
            }
        }
    }
    soothi_tree_enter_sides(s, &worker->best, column, &side[0], &side[1], n - missing);
}

/* One task of a search: a block of columns. */
static void soothi_tree_search_task(void *arg, size_t i, size_t worker) {
    const soothi_tree_search *s = (const soothi_tree_search *)arg;
    soothi_tree_worker *w = &s->g->worker[worker];
    size_t k, end = (i + 1) * s->block < s->picks ? (i + 1) * s->block : s->picks;
    for (k = i * s->block; k < end; ++k) {
        size_t column = s->pick                    ? s->pick[k]
                        : k + s->turn < s->g->cols ? k + s->turn
                                                   : k + s->turn - s->g->cols;
        if (s->lists) soothi_tree_scan_list(s, column, w);
        else soothi_tree_scan_histogram(s, column, w);
        if (s->first && w->best.column != SIZE_MAX) return;
    }
}

/* Runs a task over `count` columns: in this thread, or on all workers in blocks when the work is large. */
SOOTHI_LOCAL void soothi_tree_run(soothi_tree_grower *g, size_t count, size_t rows, int alone, size_t worker,
                                  size_t *block, sooth_task *task, void *arg) {
    *block = count;
    if (alone || g->workers == 1 || soothi_product(count, rows) < SOOTHI_TREE_SUBTREE) {
        task(arg, 0, worker);
        return;
    }
    *block = count / (4 * g->workers) + 1;
    soothi_parallel(g->env, (count + *block - 1) / *block, task, arg);
}

/* What the score of a split is in terms of min_gain (see sooth_tree_options). */
SOOTHI_LOCAL double soothi_tree_gain(const soothi_tree_grower *g, const soothi_tree_record *node,
                                     double score) {
    double targets = (double)g->targets;
    if (g->rules->criterion == SOOTH_TREE_SQUARED) return score * node->weight / (targets * g->total);
    if (g->rules->criterion == SOOTH_TREE_FRIEDMAN) return score * node->weight / (targets * targets);
    if (g->rules->criterion == SOOTHI_TREE_SECOND) return score;
    return score / (targets * g->total);
}

/* Finds the best split of a node and enters it into its record; 0: there is none, so the node is a leaf.
   worker: who calls; alone: do not use the others. */
SOOTHI_LOCAL int soothi_tree_find(soothi_tree_grower *g, const soothi_tree_lists *lists, uint32_t id,
                                  size_t worker, int alone) {
    const soothi_tree_rules *rules = g->rules;
    soothi_tree_record *node = &g->record[id];
    soothi_tree_worker *own = &g->worker[worker];
    soothi_tree_best best;
    soothi_tree_search s;
    const size_t cols = g->column ? g->columns_used : g->cols;
    size_t w, j, drawn = 0;
    sooth_rng rng;
    s.g = g;
    s.lists = lists;
    s.node = node;
    s.mean = g->mean + id * g->targets;
    s.bound = g->bound ? g->bound + 2 * (size_t)id : NULL;
    s.owner = own;
    s.pick = own->pick ? own->pick : g->column;
    s.picks = own->pick && rules->max_features < cols ? rules->max_features : cols;
    /* all splits of two rows are the same */
    s.first = node->rows == 2 && (!own->pick || rules->shuffle) && rules->criterion != SOOTHI_TREE_SECOND;
    s.turn = 0;
    s.draw = 0;
    s.plain = g->targets == 1 && g->width == g->cols && rules->criterion < SOOTH_TREE_POISSON;
    if (lists && g->width > g->cols) soothi_tree_rank(&s, own);
    if (own->pick || rules->random || rules->shuffle)
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | id);
    if (rules->shuffle) s.turn = sooth_rng_below(&rng, (uint32_t)g->cols);
    if (rules->random) s.draw = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng);
    for (j = 0; own->pick && j < cols; ++j) own->pick[j] = g->column ? g->column[j] : (uint32_t)j;
    for (;;) {
        for (j = 0; own->pick && j < s.picks; ++j, ++drawn) { /* without repetition */
            size_t other = drawn + sooth_rng_below(&rng, (uint32_t)(cols - drawn));
            uint32_t column = own->pick[other];
            own->pick[other] = own->pick[drawn];
            own->pick[drawn] = column;
        }
        for (w = 0; w < g->workers; ++w)
            if (!alone || w == worker) g->worker[w].best.column = SIZE_MAX;
        soothi_tree_run(g, s.picks, node->rows, alone || s.first, worker, &s.block, soothi_tree_search_task,
                        &s);
        best = own->best;
        for (w = 0; w < g->workers && !alone; ++w) {
            const soothi_tree_best *b = &g->worker[w].best;
            if (b->column == SIZE_MAX) continue;
            if (best.column == SIZE_MAX || b->score > best.score ||
                (!(b->score < best.score) && soothi_tree_wins(&s, b->column, best.column)))
                best = *b;
        }
        if (best.column != SIZE_MAX || !own->pick || drawn == cols) break;
        s.pick = own->pick + drawn; /* no drawn column can be split: draw one more */
        s.picks = 1;
    }
    if (best.column == SIZE_MAX) return 0;
    node->gain = soothi_tree_gain(g, node, best.score);
    if (node->gain < rules->min_gain) return 0;
    node->feature = (uint32_t)best.column;
    node->cut = best.cut;
    node->threshold = g->columns->bins && best.next != SOOTHI_TREE_MISSING
                          ? g->columns->edge[best.column * g->columns->bins + best.cut]
                          : soothi_tree_midpoint(best.cut, best.next);
    node->present_left = best.present_left;
    node->missing_left = (uint32_t)best.missing_left;
    return 1;
}

/* ---- splitting a node ---- */

/* Nodes that a subtree of so many rows below this depth can have at most, itself included. What two children
   need fits into what their parent may take, so records can be numbered from above. */
SOOTHI_LOCAL size_t soothi_tree_capacity(const soothi_tree_rules *rules, size_t rows, uint32_t depth) {
    size_t leaves = rows / rules->min_leaf, levels = rules->max_depth - depth;
    if (leaves == 0) leaves = 1;
    if (levels < 31 && leaves > (size_t)1 << levels) leaves = (size_t)1 << levels;
    return 2 * leaves - 1;
}

/* Makes the records of the children of a node, of which the left one gets so many rows. */
SOOTHI_LOCAL void soothi_tree_make_children(soothi_tree_grower *g, uint32_t id, uint32_t rows_left,
                                            size_t worker) {
    soothi_tree_record *node = &g->record[id], *child;
    unsigned k;
    if (g->rules->max_leaves) {
        node->left = g->records;
        node->right = g->records + 1;
        g->records += 2;
    } else {
        node->left = id + 1;
        node->right = id + 1 + (uint32_t)soothi_tree_capacity(g->rules, rows_left, node->depth + 1);
    }
    for (k = 0; k < 2; ++k) {
        child = &g->record[k ? node->right : node->left];
        memset(child, 0, sizeof *child);
        child->start = node->start + (k ? rows_left : 0);
        child->rows = k ? node->rows - rows_left : rows_left;
        child->depth = node->depth + 1;
    }
    ++g->worker[worker].splits;
}

/* Could this node be split, as far as the stopping rules go? mixed: its targets differ. */
SOOTHI_LOCAL int soothi_tree_open(const soothi_tree_grower *g, const soothi_tree_record *node, int mixed) {
    const soothi_tree_rules *rules = g->rules;
    return mixed && node->depth < rules->max_depth && node->rows >= rules->min_split &&
           node->rows / 2 >= rules->min_leaf && node->weight >= 2.0 * rules->min_weight;
}

/* The children of a split on a constrained column stay on their sides of the middle between their means; of
   any other, in the bounds of their parent. Two rows that differ in one constrained column part at a node
   that asks for it, so their predictions are in order whatever is further down. */
SOOTHI_LOCAL void soothi_tree_bound_children(soothi_tree_grower *g, uint32_t id) {
    const soothi_tree_record *node = &g->record[id];
    const int sign = g->rules->monotone[node->feature];
    const double *bound = g->bound + 2 * (size_t)id;
    double *left = g->bound + 2 * (size_t)node->left, *right = g->bound + 2 * (size_t)node->right;
    double middle = 0.5 * (g->mean[node->left] + g->mean[node->right]);
    left[0] = right[0] = bound[0];
    left[1] = right[1] = bound[1];
    if (sign > 0) left[1] = right[0] = middle;
    if (sign < 0) left[0] = right[1] = middle;
}

/* Copies the entries in[0..n) to out: those of rows with side 0 to the front, `left` of them, the others
   behind, both in their old order. which: 1 only the front is needed, 2 only the back, 3 both. */
SOOTHI_LOCAL void soothi_tree_partition(const uint64_t *in, uint64_t *out, size_t n, size_t left,
                                        const unsigned char *side, unsigned which) {
    size_t k, l = 0;
    if (which == 3) {
        for (k = 0; k < n; ++k) {
            uint64_t entry = in[k];
            size_t right = side[soothi_tree_entry_row(entry)], there = left + k - l;
            out[l ^ ((l ^ there) & (0 - right))] = entry;
            l += 1 - right;
        }
    } else if (which == 1) {
        for (k = 0; l < left; ++k) {
            uint64_t entry = in[k];
            out[l] = entry;
            l += 1 - (size_t)side[soothi_tree_entry_row(entry)];
        }
    } else {
        for (k = n; n > left;) {
            uint64_t entry = in[--k];
            out[n - 1] = entry;
            n -= side[soothi_tree_entry_row(entry)];
        }
    }
}

/* side[row]: 0 for the first `left` entries, 1 for the rest. */
SOOTHI_LOCAL void soothi_tree_mark(const uint64_t *list, size_t n, size_t left, unsigned char *side) {
    size_t k;
    for (k = 0; k < left; ++k) side[soothi_tree_entry_row(list[k])] = 0;
    for (; k < n; ++k) side[soothi_tree_entry_row(list[k])] = 1;
}

typedef struct soothi_tree_parting {
    const soothi_tree_grower *g;
    const soothi_tree_lists *lists;
    const soothi_tree_record *node;
    const unsigned char *side;
    size_t left, block;
    unsigned which;
} soothi_tree_parting;

static void soothi_tree_parting_task(void *arg, size_t i, size_t worker) {
    const soothi_tree_parting *p = (const soothi_tree_parting *)arg;
    size_t j, end = (i + 1) * p->block < p->g->cols ? (i + 1) * p->block : p->g->cols;
    (void)worker;
    for (j = i * p->block; j < end; ++j) {
        if (j == p->node->feature) continue;
        soothi_tree_partition(soothi_tree_list(p->lists, p->node, j),
                              soothi_tree_list_at(p->lists, p->node, j, p->node->depth + 1), p->node->rows,
                              p->left, p->side, p->which);
    }
}

/* Splits a node as its record says. Returns 1 if the left child may be split further, plus 2 if the right one
   may. */
SOOTHI_LOCAL unsigned soothi_tree_split(soothi_tree_grower *g, const soothi_tree_lists *lists, uint32_t id,
                                        size_t worker, int alone) {
    soothi_tree_record *node = &g->record[id], *left, *right;
    double *mean_left, *mean_right;
    const uint64_t *in = soothi_tree_list(lists, node, node->feature);
    uint64_t *out = soothi_tree_list_at(lists, node, node->feature, node->depth + 1);
    unsigned char *side = g->worker[worker].side;
    uint32_t n = node->rows, p = node->present_left, missing = 0;
    size_t j;
    soothi_tree_parting parting;
    while (soothi_tree_entry_key(in[n - 1 - missing]) == SOOTHI_TREE_MISSING) ++missing;
    if (missing == 0) {
        parting.left = p;
        memcpy(out, in, n * sizeof *out);
    } else {
        parting.left = node->missing_left ? p + missing : p;
        memcpy(out, in, p * sizeof *out);
        memcpy(out + p, in + (node->missing_left ? n - missing : p), (parting.left - p) * sizeof *out);
        memcpy(out + parting.left, in + p, (n - parting.left) * sizeof *out);
    }
    if (missing == 0) node->missing_left = 2 * (size_t)p >= n;
    soothi_tree_make_children(g, id, (uint32_t)parting.left, worker);
    left = &g->record[node->left];
    right = &g->record[node->right];
    mean_left = g->mean + node->left * g->targets;
    mean_right = g->mean + node->right * g->targets;
    parting.lists = lists;
    parting.g = g;
    parting.node = node;
    parting.side = side;
    parting.which = 0;
    if (g->width > g->cols) {
        soothi_tree_mark(out, n, parting.left, side);
        for (j = g->cols; j < g->width; ++j)
            soothi_tree_partition(soothi_tree_list(lists, node, j),
                                  soothi_tree_list_at(lists, node, j, node->depth + 1), n, parting.left, side,
                                  3);
        if (soothi_tree_open(g, left, soothi_tree_measure_medians(g, lists, left, mean_left)))
            parting.which |= 1;
        if (soothi_tree_open(g, right, soothi_tree_measure_medians(g, lists, right, mean_right)))
            parting.which |= 2;
    } else {
        if (soothi_tree_open(g, left, soothi_tree_measure(g, out, NULL, left, mean_left))) parting.which |= 1;
        if (soothi_tree_open(g, right, soothi_tree_measure(g, out + parting.left, NULL, right, mean_right)))
            parting.which |= 2;
        if (parting.which) soothi_tree_mark(out, n, parting.left, side);
    }
    if (g->bound) soothi_tree_bound_children(g, id);
    if (parting.which)
        soothi_tree_run(g, g->cols, n, alone, worker, &parting.block, soothi_tree_parting_task, &parting);
    return parting.which;
}

/* ---- growing by lists ---- */

/* Pushes the open children of a node, the smaller one last, so that it comes first and the stack stays
   low. */
SOOTHI_LOCAL size_t soothi_tree_push(const soothi_tree_grower *g, uint32_t id, unsigned which,
                                     uint32_t *stack, size_t n) {
    const soothi_tree_record *node = &g->record[id];
    unsigned first = g->record[node->left].rows < g->record[node->right].rows ? 2 : 1; /* the larger */
    if (which & first) stack[n++] = first == 1 ? node->left : node->right;
    if (which & (3 - first)) stack[n++] = first == 1 ? node->right : node->left;
    return n;
}

/* Grows everything below an open node, alone. */
SOOTHI_LOCAL void soothi_tree_subtree(soothi_tree_grower *g, const soothi_tree_lists *lists, uint32_t root,
                                      size_t worker) {
    uint32_t stack[SOOTHI_TREE_STACK];
    size_t n = 0;
    stack[n++] = root;
    while (n > 0) {
        uint32_t id = stack[--n];
        if (soothi_tree_find(g, lists, id, worker, 1))
            n = soothi_tree_push(g, id, soothi_tree_split(g, lists, id, worker, 1), stack, n);
    }
}

/* ---- growing by histograms ----
 *
 * A cell holds the count, the weight (when there are weights) and the sums of the rows of one bin. A child's
 * histogram is made from the rows of the smaller child; the other's is the difference. Nodes of few rows cost
 * more in cells than in rows: they get lists, whose keys are the bins, and the subtree goes on like an exact
 * one. */

/* Rows that a node must exceed to keep a histogram. */
SOOTHI_LOCAL uint32_t soothi_tree_small(uint32_t bins) { return 2 * bins; }

typedef struct soothi_tree_filling {
    const soothi_tree_grower *g;
    const uint32_t *row;
    size_t rows, block;
    double *cell, *rest; /* rest: subtract the outcome from this, or NULL */
} soothi_tree_filling;

/* Fills a block of columns of a histogram from row_y and row_weight. */
static void soothi_tree_filling_task(void *arg, size_t i, size_t worker) {
    const soothi_tree_filling *f = (const soothi_tree_filling *)arg;
    const soothi_tree_grower *g = f->g;
    const float *y = g->row_y, *weight = g->row_weight;
    size_t j, k, t, targets = g->targets, width = g->cell_width, lead = g->weight ? 2 : 1,
                    size = g->cells * width;
    size_t end = (i + 1) * f->block < g->cols ? (i + 1) * f->block : g->cols;
    (void)worker;
    for (j = i * f->block; j < end; ++j) {
        const unsigned char *bin = g->columns->bin + j * g->columns->rows;
        double *cell = f->cell + j * size;
        memset(cell, 0, size * sizeof *cell);
        if (targets == 1 && !g->weight) {
            for (k = 0; k < f->rows; ++k) {
                double *here = cell + 2 * (size_t)bin[f->row[k]];
                here[0] += 1.0;
                here[1] += (double)y[k];
            }
        } else {
            for (k = 0; k < f->rows; ++k) {
                double *here = cell + width * bin[f->row[k]], w = g->weight ? (double)weight[k] : 1.0;
                here[0] += 1.0;
                if (g->weight) here[1] += w;
                for (t = 0; t < targets; ++t) here[lead + t] += w * (double)y[k * targets + t];
            }
        }
        for (k = 0; f->rest && k < size; ++k) f->rest[j * size + k] -= cell[k];
    }
}

/* Makes the histogram of a node from its rows, and takes it off that of its parent, when there is one: the
   rest is its sibling's. */
SOOTHI_LOCAL void soothi_tree_fill(soothi_tree_grower *g, uint32_t id, uint32_t histogram, uint32_t parent) {
    const soothi_tree_record *node = &g->record[id];
    const uint32_t *row = g->row[node->depth & 1] + node->start;
    soothi_tree_filling f;
    size_t k, t;
    for (k = 0; k < node->rows; ++k) {
        for (t = 0; t < g->targets; ++t) g->row_y[k * g->targets + t] = g->y[(size_t)row[k] * g->targets + t];
        if (g->weight) g->row_weight[k] = g->weight[row[k]];
    }
    f.g = g;
    f.row = row;
    f.rows = node->rows;
    f.cell = soothi_tree_cells(g, histogram);
    f.rest = parent ? soothi_tree_cells(g, parent) : NULL;
    soothi_tree_run(g, g->cols, node->rows, 0, 0, &f.block, soothi_tree_filling_task, &f);
}

SOOTHI_LOCAL void soothi_tree_release(soothi_tree_grower *g, soothi_tree_record *node) {
    if (node->histogram) g->free_slot[g->free_slots++] = node->histogram;
    node->histogram = 0;
}

/* The node's histogram goes over to its children, as far as they need one. */
SOOTHI_LOCAL void soothi_tree_pass_on(soothi_tree_grower *g, uint32_t id, unsigned which) {
    soothi_tree_record *node = &g->record[id];
    uint32_t smaller = node->left, larger = node->right;
    int need_smaller, need_larger;
    if (g->record[smaller].rows > g->record[larger].rows) {
        smaller = node->right;
        larger = node->left;
    }
    need_smaller = (which & (smaller == node->left ? 1u : 2u)) && g->record[smaller].rows > g->small;
    need_larger = (which & (larger == node->left ? 1u : 2u)) && g->record[larger].rows > g->small;
    if (need_larger && node->histogram) {
        uint32_t slot = g->free_slot[--g->free_slots];
        soothi_tree_fill(g, smaller, slot, node->histogram);
        g->record[smaller].histogram = slot;
        g->record[larger].histogram = node->histogram;
        node->histogram = 0;
        if (!need_smaller) soothi_tree_release(g, &g->record[smaller]);
    }
    soothi_tree_release(g, node);
    while (g->free_slots < 2 && (g->record[smaller].histogram || g->record[larger].histogram)) {
        soothi_tree_release(g, &g->record[smaller]);
        if (g->free_slots < 2) soothi_tree_release(g, &g->record[larger]);
    }
}

/* Splits a node that is known by its rows alone. Returns what soothi_tree_split returns. */
SOOTHI_LOCAL unsigned soothi_tree_split_rows(soothi_tree_grower *g, uint32_t id) {
    soothi_tree_record *node = &g->record[id], *left, *right;
    const uint32_t *in = g->row[node->depth & 1] + node->start;
    uint32_t *out = g->row[1 - (node->depth & 1)] + node->start;
    const unsigned char *bin = g->columns->bin + node->feature * g->columns->rows;
    const uint32_t used = g->columns->used[node->feature], cut = node->cut, n = node->rows;
    uint32_t k, missing = 0, missing_left, rows_left, l = 0;
    unsigned which = 0;
    for (k = 0; k < n; ++k) missing += bin[in[k]] >= used;
    if (missing == 0) node->missing_left = 2 * (size_t)node->present_left >= n;
    missing_left = node->missing_left;
    rows_left = node->present_left + (missing_left ? missing : 0);
    for (k = 0; k < n;
         ++k) { /* without a branch: l and `there` are where the row goes if it goes left, right */
        const uint32_t row = in[k], b = bin[row], there = rows_left + k - l;
        const uint32_t left_too = (uint32_t)(b <= cut) | ((uint32_t)(b >= used) & missing_left);
        out[there ^ ((there ^ l) & (0u - left_too))] = row;
        l += left_too;
    }
    soothi_tree_make_children(g, id, rows_left, 0);
    left = &g->record[node->left];
    right = &g->record[node->right];
    if (soothi_tree_open(g, left, soothi_tree_measure(g, NULL, out, left, g->mean + node->left * g->targets)))
        which |= 1;
    if (soothi_tree_open(
            g, right,
            soothi_tree_measure(g, NULL, out + rows_left, right, g->mean + node->right * g->targets)))
        which |= 2;
    if (g->bound) soothi_tree_bound_children(g, id);
    soothi_tree_pass_on(g, id, which);
    return which;
}

/* Makes lists of the rows row[0..n) in the order of their bins, for every column: counting sort. */
SOOTHI_LOCAL void soothi_tree_list_bins(const soothi_tree_columns *c, const uint32_t *row, size_t n,
                                        const soothi_tree_lists *lists) {
    size_t j, k;
    for (j = 0; j < c->cols; ++j) {
        const unsigned char *bin = c->bin + j * c->rows;
        uint64_t *list = lists->list[0] + j * lists->stride;
        uint32_t count[257], sum = 0, b;
        memset(count, 0, sizeof count);
        for (k = 0; k < n; ++k) ++count[bin[row[k]]];
        for (b = 0; b < 257; ++b) {
            uint32_t here = count[b];
            count[b] = sum;
            sum += here;
        }
        for (k = 0; k < n; ++k) {
            b = bin[row[k]];
            list[count[b]++] = (uint64_t)(b < c->used[j] ? b : SOOTHI_TREE_MISSING) << 32 | row[k];
        }
    }
}

/* ---- growing a tree ---- */

/* Is this node's whole subtree one piece of work, for one worker and lists? */
SOOTHI_LOCAL int soothi_tree_is_small(const soothi_tree_grower *g, const soothi_tree_record *node) {
    return g->row[0] ? node->rows <= g->small : soothi_product(node->rows, g->width) <= SOOTHI_TREE_SUBTREE;
}

SOOTHI_LOCAL void soothi_tree_grow_small(soothi_tree_grower *g, uint32_t id, size_t worker) {
    const soothi_tree_record *node = &g->record[id];
    soothi_tree_lists lists = g->lists;
    if (g->row[0]) {
        lists.list[0] = g->worker[worker].list[0];
        lists.list[1] = g->worker[worker].list[1];
        lists.stride = soothi_tree_stride(g->small);
        lists.start = node->start;
        lists.depth = node->depth;
        soothi_tree_list_bins(g->columns, g->row[node->depth & 1] + node->start, node->rows, &lists);
    }
    soothi_tree_subtree(g, &lists, id, worker);
}

static void soothi_tree_small_task(void *arg, size_t i, size_t worker) {
    soothi_tree_grower *g = (soothi_tree_grower *)arg;
    soothi_tree_grow_small(g, g->task[i], worker);
}

/* Runs the subtrees put off. */
SOOTHI_LOCAL sooth_status soothi_tree_run_tasks(soothi_tree_grower *g) {
    size_t i;
    soothi_parallel(g->env, g->tasks, soothi_tree_small_task, g);
    for (i = 0; i < g->tasks; ++i) g->done += g->record[g->task[i]].rows;
    g->tasks = 0;
    return soothi_progress(g->env, "growing a tree", (double)g->done / (double)g->rows);
}

/* Histograms are kept as long as two slots stay free, so that the next split always finds room; others are
   counted again when needed. */
SOOTHI_LOCAL int soothi_tree_find_any(soothi_tree_grower *g, uint32_t id) {
    soothi_tree_record *node = &g->record[id];
    int found;
    if (!g->row[0]) return soothi_tree_find(g, &g->lists, id, 0, 0);
    if (!node->histogram) {
        node->histogram = g->free_slot[--g->free_slots];
        soothi_tree_fill(g, id, node->histogram, 0);
    }
    found = soothi_tree_find(g, NULL, id, 0, 0);
    if (!found || g->free_slots < 2) soothi_tree_release(g, node);
    return found;
}

SOOTHI_LOCAL unsigned soothi_tree_split_any(soothi_tree_grower *g, uint32_t id) {
    return g->row[0] ? soothi_tree_split_rows(g, id) : soothi_tree_split(g, &g->lists, id, 0, 0);
}

/* Depth first: large nodes here, all workers on each; small subtrees one per worker. */
SOOTHI_LOCAL sooth_status soothi_tree_grow_deep(soothi_tree_grower *g) {
    uint32_t stack[SOOTHI_TREE_STACK];
    size_t n = 0;
    sooth_status status = SOOTH_OK;
    stack[n++] = 0;
    while (n > 0 && status == SOOTH_OK) {
        uint32_t id = stack[--n];
        const soothi_tree_record *node = &g->record[id];
        if (soothi_tree_is_small(g, node)) {
            g->task[g->tasks++] = id;
            if (g->workers == 1 || g->tasks == SOOTHI_TREE_TASKS) status = soothi_tree_run_tasks(g);
        } else if (soothi_tree_find_any(g, id)) {
            unsigned which = soothi_tree_split_any(g, id);
            if (!(which & 1)) g->done += g->record[node->left].rows;
            if (!(which & 2)) g->done += g->record[node->right].rows;
            n = soothi_tree_push(g, id, which, stack, n);
            status = soothi_progress(g->env, "growing a tree", (double)g->done / (double)g->rows);
        } else {
            g->done += node->rows;
        }
    }
    return status == SOOTH_OK ? soothi_tree_run_tasks(g) : status;
}

/* Does the split of record a gain more than that of b? The older record wins a tie. */
SOOTHI_LOCAL int soothi_tree_before(const soothi_tree_grower *g, uint32_t a, uint32_t b) {
    double gain_a = g->record[a].gain, gain_b = g->record[b].gain;
    return gain_a > gain_b || (!(gain_a < gain_b) && a < b);
}

/* Best first: of all nodes that can be split, always the one that gains most, until there are max_leaves
   leaves. The frontier is a heap. */
SOOTHI_LOCAL sooth_status soothi_tree_grow_best(soothi_tree_grower *g) {
    uint32_t *heap = g->task, leaves = 1;
    size_t n = 0, i;
    sooth_status status = SOOTH_OK;
    g->records = 1;
    if (soothi_tree_find_any(g, 0)) heap[n++] = 0;
    while (n > 0 && leaves < g->rules->max_leaves && status == SOOTH_OK) {
        uint32_t id = heap[0], last = heap[--n], child;
        unsigned which, k;
        for (i = 0; 2 * i + 1 < n; i = child) { /* the last entry sinks from the top */
            child = (uint32_t)(2 * i + 1);
            if (child + 1 < n && soothi_tree_before(g, heap[child + 1], heap[child])) ++child;
            if (soothi_tree_before(g, last, heap[child])) break;
            heap[i] = heap[child];
        }
        heap[i] = last;
        which = soothi_tree_split_any(g, id);
        ++leaves;
        for (k = 0; k < 2; ++k) {
            child = k ? g->record[id].right : g->record[id].left;
            if (!(which >> k & 1) || !soothi_tree_find_any(g, child)) continue;
            for (i = n++; i > 0 && soothi_tree_before(g, child, heap[(i - 1) / 2]); i = (i - 1) / 2)
                heap[i] = heap[(i - 1) / 2];
            heap[i] = child;
        }
        status = soothi_progress(g->env, "growing a tree", (double)leaves / (double)g->rules->max_leaves);
    }
    for (i = 0; i < n; ++i) soothi_tree_release(g, &g->record[heap[i]]);
    return status;
}

/* Grows a tree from the lists or rows that are in place. Afterwards the records hold it; it has 1 + 2 x (the
   splits of all workers) nodes. */
SOOTHI_LOCAL sooth_status soothi_tree_grow(soothi_tree_grower *g) {
    soothi_tree_record *root = &g->record[0];
    int mixed;
    size_t w;
    for (w = 0; w < g->workers; ++w) g->worker[w].splits = 0;
    g->tasks = g->done = 0;
    memset(root, 0, sizeof *root);
    root->rows = (uint32_t)g->rows;
    if (g->bound) {
        g->bound[0] = -DBL_MAX;
        g->bound[1] = DBL_MAX;
    }
    mixed = g->width > g->cols
                ? soothi_tree_measure_medians(g, &g->lists, root, g->mean)
                : soothi_tree_measure(g, g->row[0] ? NULL : g->lists.list[0], g->row[0], root, g->mean);
    g->total = root->weight;
    if (!soothi_tree_open(g, root, mixed)) return SOOTH_OK;
    return g->rules->max_leaves ? soothi_tree_grow_best(g) : soothi_tree_grow_deep(g);
}

/* ---- making columns ready ---- */

typedef struct soothi_tree_preparing {
    const sooth_table *table;
    soothi_tree_columns *columns;
    const soothi_tree_worker *worker; /* binned: room to sort in */
    uint64_t *room;                   /* exact: room to sort in, like columns->list */
    size_t block;
} soothi_tree_preparing;

/* Chooses the bins of a sorted column: one per distinct value when these are few, else of about equal counts,
   cut between values; and gives every row its bin. */
SOOTHI_LOCAL void soothi_tree_cut_bins(soothi_tree_columns *c, size_t j, const uint64_t *list, size_t n) {
    unsigned char *bin = c->bin + j * c->rows;
    float *edge = c->edge + j * c->bins;
    size_t present = n, distinct = 1, k, limit, count = 0, rest;
    uint32_t b = 0;
    while (present > 0 && soothi_tree_entry_key(list[present - 1]) == SOOTHI_TREE_MISSING) --present;
    for (k = 1; k < present; ++k) distinct += (list[k] ^ list[k - 1]) >> 32 != 0;
    limit = present < n && c->bins == 256 ? 255 : c->bins; /* a byte holds the missing ones too */
    rest = present;
    memset(bin, 0, c->rows);
    for (k = 0; k < present; ++k) {
        bin[soothi_tree_entry_row(list[k])] = (unsigned char)b;
        if (count++ == 0 && c->least)
            c->least[j * c->bins + b] = soothi_tree_unkey(soothi_tree_entry_key(list[k]));
        if (k + 1 == present || (list[k] ^ list[k + 1]) >> 32 == 0) continue;
        if (distinct > limit && count < (rest + limit - b - 1) / (limit - b)) continue;
        edge[b++] = soothi_tree_midpoint(soothi_tree_entry_key(list[k]), soothi_tree_entry_key(list[k + 1]));
        rest -= count;
        count = 0;
    }
    if (present > 0) edge[b++] = soothi_tree_unkey(SOOTHI_TREE_INFINITY);
    c->used[j] = b;
    for (k = present; k < n; ++k) bin[soothi_tree_entry_row(list[k])] = (unsigned char)b;
}

/* Rows of weight 0 are left out, if the table has weights. */
static void soothi_tree_preparing_task(void *arg, size_t i, size_t worker) {
    const soothi_tree_preparing *p = (const soothi_tree_preparing *)arg;
    const sooth_table *table = p->table;
    soothi_tree_columns *c = p->columns;
    size_t j, k, end = (i + 1) * p->block < c->cols ? (i + 1) * p->block : c->cols;
    for (j = i * p->block; j < end; ++j) {
        uint64_t *list = c->bins ? p->worker[worker].list[0] : c->list + j * c->stride;
        uint64_t *room = c->bins ? p->worker[worker].list[1] : p->room + j * c->stride;
        size_t n = 0;
        for (k = 0; k < table->rows; ++k) {
            if (table->weight && !(table->weight[k] > 0.0f)) continue;
            list[n++] = (uint64_t)soothi_tree_key(table->x[k * table->stride + j]) << 32 | k;
        }
        soothi_tree_sort(list, room, n);
        if (c->bins) soothi_tree_cut_bins(c, j, list, n);
    }
}

/* Makes the columns of a table ready; the grower lends its workers. room: for exact columns, as large as
   their lists. */
SOOTHI_LOCAL void soothi_tree_prepare(soothi_tree_grower *g, soothi_tree_columns *c, uint64_t *room,
                                      const sooth_table *table) {
    soothi_tree_preparing p;
    p.table = table;
    p.columns = c;
    p.worker = g->worker;
    p.room = room;
    soothi_tree_run(g, c->cols, c->rows, 0, 0, &p.block, soothi_tree_preparing_task, &p);
}

/* ---- fitting ---- */

/* The columns' own memory: sorted lists or bins. A single exact tree lets its lists double as the
   columns'. */
SOOTHI_LOCAL void soothi_tree_layout_columns(soothi_carver *m, soothi_tree_columns *c, size_t entries,
                                             int lists) {
    c->stride = soothi_tree_stride(entries);
    if (c->bins) {
        c->bin = (unsigned char *)soothi_carve(m, soothi_product(c->cols, c->rows), 1);
        c->edge = (float *)soothi_carve(m, soothi_product(c->cols, c->bins), sizeof(float));
        c->used = (uint32_t *)soothi_carve(m, c->cols, sizeof(uint32_t));
    } else if (lists) {
        c->list = (uint64_t *)soothi_carve(m, soothi_product(c->cols, c->stride), sizeof(uint64_t));
    }
}

/* The scratch of one grower, in one place for its size and its pointers. From g it takes rules, rows, cols,
   targets, width, workers and (for histograms) small; from c rows, cols and bins. */
SOOTHI_LOCAL void soothi_tree_layout(soothi_carver *m, soothi_tree_grower *g, const soothi_tree_columns *c) {
    const soothi_tree_rules *rules = g->rules;
    const int medians = g->width > g->cols, histograms = c->bins && !medians;
    size_t capacity = soothi_tree_capacity(rules, g->rows, 0), w, k, tasks = SOOTHI_TREE_TASKS;
    soothi_tree_worker *worker, none;
    if (rules->max_leaves) {
        if (capacity > 2 * (size_t)rules->max_leaves - 1) capacity = 2 * (size_t)rules->max_leaves - 1;
        tasks = capacity;
    }
    g->record = (soothi_tree_record *)soothi_carve(m, capacity, sizeof *g->record);
    g->mean = (double *)soothi_carve(m, soothi_product(capacity, g->targets), sizeof(double));
    g->bound = rules->monotone ? (double *)soothi_carve(m, capacity, 2 * sizeof(double)) : NULL;
    g->task = (uint32_t *)soothi_carve(m, tasks, sizeof(uint32_t));
    g->answer = (float *)soothi_carve(m, g->targets, sizeof(float));
    g->lists.stride = soothi_tree_stride(g->rows);
    for (k = 0; k < 2 && !histograms; ++k)
        g->lists.list[k] =
            (uint64_t *)soothi_carve(m, soothi_product(g->width, g->lists.stride), sizeof(uint64_t));
    if (histograms) {
        for (k = 0; k < 2; ++k) g->row[k] = (uint32_t *)soothi_carve(m, g->rows, sizeof(uint32_t));
        g->row_y = (float *)soothi_carve(m, soothi_product(g->rows, g->targets), sizeof(float));
        g->row_weight = (float *)soothi_carve(m, g->rows, sizeof(float));
        g->cell = (double *)soothi_carve(m, soothi_product(soothi_product(g->slots, g->cols), g->cells),
                                         g->cell_width * sizeof(double));
        g->free_slot = (uint32_t *)soothi_carve(m, g->slots, sizeof(uint32_t));
    }
    g->worker = (soothi_tree_worker *)soothi_carve(m, g->workers, sizeof *worker);
    for (w = 0; w < g->workers; ++w) {
        worker = m->memory ? &g->worker[w] : &none;
        memset(worker, 0, sizeof *worker);
        worker->side = (unsigned char *)soothi_carve(m, c->rows, 1);
        worker->sum = (double *)soothi_carve(m, g->targets, sizeof(double));
        if (rules->max_features) worker->pick = (uint32_t *)soothi_carve(m, g->cols, sizeof(uint32_t));
        if (medians) {
            size_t places = soothi_product(g->targets, g->rows + 2);
            worker->rank = (uint32_t *)soothi_carve(m, soothi_product(g->targets, c->rows), sizeof(uint32_t));
            worker->target = (double *)soothi_carve(m, places, sizeof(double));
            worker->price = (double *)soothi_carve(m, places, sizeof(double));
            worker->before = (uint32_t *)soothi_carve(m, g->rows + 2, sizeof(uint32_t));
            worker->after = (uint32_t *)soothi_carve(m, g->rows + 2, sizeof(uint32_t));
            worker->cost = (double *)soothi_carve(m, g->rows + 2, sizeof(double));
            worker->low = (double *)soothi_carve(m, rules->monotone ? g->rows + 2 : 0, sizeof(double));
            worker->high = (double *)soothi_carve(m, rules->monotone ? g->rows + 2 : 0, sizeof(double));
        }
        for (k = 0; k < 2 && c->bins; ++k) {
            size_t small = histograms ? soothi_product(g->cols, soothi_tree_stride(g->small)) : 0;
            worker->list[k] =
                (uint64_t *)soothi_carve(m, small > c->rows ? small : c->rows, sizeof(uint64_t));
        }
    }
}

SOOTH_API sooth_option_list sooth_tree_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_tree_options, criterion, "squared|absolute|friedman|poisson|relative",
                      "what a split makes small; absolute and relative give medians, the others means"),
        SOOTHI_COUNT(sooth_tree_options, max_depth, 1, 1000000, 0,
                     "comparisons down to the deepest leaf; 0: no limit"),
        SOOTHI_COUNT(sooth_tree_options, min_samples_split, 2, 2147483647, 2,
                     "rows that a node needs to be split"),
        SOOTHI_COUNT(sooth_tree_options, min_samples_leaf, 1, 2147483647, 1, "rows that every leaf keeps"),
        SOOTHI_COUNT(sooth_tree_options, max_leaves, 2, 1000000000, 0,
                     "grow best first up to this many leaves; 0: no limit"),
        SOOTHI_COUNT(sooth_tree_options, max_features, 1, 2147483647, 0,
                     "columns looked at per split, drawn; 0: all"),
        SOOTHI_COUNT(sooth_tree_options, bins, 2, 256, 0,
                     "candidates per column: a histogram of so many bins; 0: all"),
        SOOTHI_COUNT(sooth_tree_options, seed, 0, 4294967295.0, 0,
                     "of the draws of max_features and, if not 0, among columns of equal gain"),
        SOOTHI_FLAG(sooth_tree_options, no_statistics, "1: keep only what prediction needs"),
        SOOTHI_NUMBER(sooth_tree_options, min_weight_leaf, 0, 0.5, 0,
                      "share of the weight that every leaf keeps"),
        SOOTHI_NUMBER(sooth_tree_options, min_gain, 0, DBL_MAX, 0,
                      "decrease of impurity that a split must bring"),
        SOOTHI_NUMBER(sooth_tree_options, ccp_alpha, 0, DBL_MAX, 0,
                      "price of a leaf in cost-complexity pruning; 0: none"),
        SOOTHI_NUMBER(sooth_tree_options, floor, 0, DBL_MAX, 0,
                      "least |target| that relative errors are taken of")};
    return SOOTHI_OPTIONS(option);
}

/* Options and shape into rules and sizes. total: the weight of all rows. */
SOOTHI_LOCAL void soothi_tree_plan(soothi_tree_rules *rules, soothi_tree_grower *g, soothi_tree_columns *c,
                                   const sooth_tree_options *o, size_t rows, size_t all_rows, size_t cols,
                                   size_t targets, int weights, double total, size_t workers) {
    size_t half;
    memset(rules, 0, sizeof *rules);
    memset(g, 0, sizeof *g);
    memset(c, 0, sizeof *c);
    rules->criterion = o->criterion;
    rules->max_depth = o->max_depth ? o->max_depth : UINT32_MAX;
    rules->min_split = o->min_samples_split ? o->min_samples_split : 2;
    rules->min_leaf = o->min_samples_leaf ? o->min_samples_leaf : 1;
    rules->max_leaves = o->max_leaves;
    rules->max_features = o->max_features < cols ? o->max_features : 0;
    rules->seed = o->seed;
    rules->shuffle = o->seed != 0;
    rules->min_weight = o->min_weight_leaf * total;
    rules->min_gain = o->min_gain;
    rules->floor = o->floor;
    rules->monotone = o->monotone;
    if (!weights) { /* a row weighs 1, so this is a number of rows */
        uint32_t least = (uint32_t)rules->min_weight;
        if ((double)least < rules->min_weight) ++least;
        if (least > rules->min_leaf) rules->min_leaf = least;
        rules->min_weight = 0.0;
    }
    c->rows = all_rows;
    c->entries = rows;
    c->cols = cols;
    c->bins = o->bins;
    g->rules = rules;
    g->columns = c;
    g->rows = rows;
    g->cols = g->width = cols;
    g->targets = targets;
    g->workers = workers;
    if (o->criterion == SOOTH_TREE_ABSOLUTE || o->criterion == SOOTH_TREE_RELATIVE) g->width += targets;
    if (o->bins && g->width == cols) {
        g->cells = o->bins + 1;
        g->cell_width = targets + (weights ? 2u : 1u);
        g->small = rules->max_leaves ? 0 : soothi_tree_small(o->bins);
        g->slots = 4;
        for (half = rows; half > 1; half /= 2) ++g->slots;
        if (g->slots > rows) g->slots = rows + 2;
    }
}

/* The scratch of a single tree. */
SOOTHI_LOCAL void soothi_tree_layout_all(soothi_carver *m, soothi_tree_grower *g, soothi_tree_columns *c) {
    soothi_tree_layout_columns(m, c, g->rows, 0);
    soothi_tree_layout(m, g, c);
    c->list = g->lists.list[0];
}

SOOTH_API size_t sooth_tree_work(const sooth_tree_options *options, size_t rows, size_t cols, size_t targets,
                                 size_t workers) {
    soothi_carver m;
    soothi_tree_rules rules;
    soothi_tree_grower g;
    soothi_tree_columns c;
    sooth_tree_options defaults;
    memset(&defaults, 0, sizeof defaults);
    memset(&m, 0, sizeof m);
    soothi_tree_plan(&rules, &g, &c, options ? options : &defaults, rows, rows, cols, targets, 1,
                     (double)rows, workers);
    soothi_tree_layout_all(&m, &g, &c);
    return m.used;
}

/* What the table and the options must keep beyond their ranges. */
SOOTHI_LOCAL sooth_status soothi_tree_accept(sooth_env *env, const sooth_table *table,
                                             const sooth_tree_options *o) {
    size_t i, t;
    char room[32];
    sooth_status status = sooth_option_check(env, sooth_tree_options_list(), o);
    if (status == SOOTH_OK) status = sooth_table_check(env, table, SOOTH_NEED_TARGETS | SOOTH_ALLOW_MISSING);
    if (status != SOOTH_OK) return status;
    for (i = 0; o->monotone && i < table->cols; ++i) {
        if (o->monotone[i] < -1 || o->monotone[i] > 1)
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "monotone is %d for %s, but must be -1, 0 or 1",
                               (int)o->monotone[i], soothi_column(table, i, room));
        if (o->monotone[i] != 0 && table->targets > 1)
            return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                               "monotone needs a single target, but the table has %z", table->targets);
    }
    for (i = 0; i < table->rows; ++i) {
        for (t = 0; t < table->targets; ++t) {
            float y = table->y[i * table->targets + t];
            if (o->criterion == SOOTH_TREE_POISSON && y < 0.0f)
                return soothi_fail(env, SOOTH_BAD_DATA,
                                   "row %z has the target %f, but the poisson criterion takes none below 0",
                                   i + 1, (double)y);
            if (o->criterion == SOOTH_TREE_RELATIVE && !(o->floor > 0.0) && !(y < 0.0f || y > 0.0f))
                return soothi_fail(
                    env, SOOTH_BAD_DATA,
                    "row %z has the target 0, of which no error is relative; set floor above 0", i + 1);
        }
    }
    return SOOTH_OK;
}

/* What a node predicts: its mean or median, within its bounds. */
SOOTHI_LOCAL float soothi_tree_answer(const soothi_tree_grower *g, uint32_t id, size_t t) {
    double value = g->mean[id * g->targets + t];
    if (g->bound && value < g->bound[2 * (size_t)id]) value = g->bound[2 * (size_t)id];
    if (g->bound && value > g->bound[2 * (size_t)id + 1]) value = g->bound[2 * (size_t)id + 1];
    return (float)value;
}

/* How many bits a number needs. */
SOOTHI_LOCAL uint32_t soothi_tree_bits(size_t number) {
    uint32_t bits = 0;
    for (; number > 0; number >>= 1) ++bits;
    return bits;
}

/* A block for so many nodes, its head filled. Breadth first, the left child of the k-th inner node stands at
   2k + 1, at most k + 1 nodes further. */
SOOTHI_LOCAL sooth_status soothi_tree_new(sooth_env *env, size_t nodes, size_t features, size_t targets,
                                          int statistics, sooth_tree **out) {
    const uint32_t shift = 2 + soothi_tree_bits(features - 1), offset_bits = soothi_tree_bits(nodes / 2);
    size_t values = statistics ? nodes * targets : targets > 1 ? (nodes + 1) / 2 * targets : 0;
    size_t words =
        sizeof(sooth_tree) + nodes * sizeof(sooth_tree_node) + 4 * values + (statistics ? 4 * nodes : 0);
    size_t doubles = statistics ? 2 * nodes * sizeof(double) : 0;
    if (nodes > 1 && shift + offset_bits > 32)
        return soothi_fail(env, SOOTH_BAD_DATA,
                           "the tree has %z nodes on %z columns, but %u bits of a node must hold both; limit "
                           "max_leaves or max_depth",
                           nodes, features, 30u);
    *out = (sooth_tree *)soothi_block_new(env, SOOTH_KIND_TREE, SOOTH_TREE_VERSION, words, doubles, 0);
    if (!*out) return soothi_no_memory(env, "the tree", words + doubles);
    (*out)->head.features = (uint32_t)features;
    (*out)->head.targets = (uint32_t)targets;
    (*out)->nodes = (uint32_t)nodes;
    (*out)->shift = shift > 31 ? 31 : shift;
    (*out)->statistics = (uint32_t)statistics;
    return SOOTH_OK;
}

/* Writes a block node by node, breadth first. Until its turn comes, a node's link holds the number that it
   has in the source. */
typedef struct soothi_tree_writer {
    sooth_tree *tree;
    sooth_tree_node *node;
    float *value;
    double *weight;
    uint32_t at, next, level, leaves;
} soothi_tree_writer;

SOOTHI_LOCAL void soothi_tree_write_begin(soothi_tree_writer *w, sooth_tree *tree) {
    w->tree = tree;
    w->node = (sooth_tree_node *)(void *)(tree + 1);
    w->value = (float *)(void *)(w->node + tree->nodes);
    w->weight = (double *)(void *)((unsigned char *)tree + tree->head.doubles_at);
    w->at = w->leaves = 0;
    w->next = w->level = 1;
}

/* Writes the node whose turn it is. left, right: its children in the source; left 0: a leaf. */
SOOTHI_LOCAL void soothi_tree_write(soothi_tree_writer *w, uint32_t left, uint32_t right, uint32_t feature,
                                    float threshold, int missing_right, const float *value, uint32_t rows,
                                    double weight, double impurity) {
    sooth_tree *tree = w->tree;
    sooth_tree_node *node = &w->node[w->at];
    const size_t targets = tree->head.targets, nodes = tree->nodes;
    const uint32_t at = tree->statistics ? w->at : w->leaves;
    if (w->at == w->level) {
        ++tree->depth;
        w->level = w->next;
    }
    if (tree->statistics || (targets > 1 && !left))
        memcpy(w->value + at * targets, value, targets * sizeof *value);
    if (tree->statistics) {
        memcpy(w->value + nodes * targets + w->at, &rows, sizeof rows);
        w->weight[w->at] = weight;
        w->weight[nodes + w->at] = impurity;
    }
    if (left) {
        node->u.threshold = threshold;
        node->link = (w->next - w->at) << tree->shift | feature << 2 | (missing_right ? 3u : 1u);
        w->node[w->next].link = left;
        w->node[w->next + 1].link = right;
        w->next += 2;
    } else {
        node->link = 0;
        if (targets > 1) node->u.at = at;
        else node->u.value = value[0];
        ++w->leaves;
    }
    ++w->at;
}

/* Turns the records of a grown tree into a block. */
SOOTHI_LOCAL sooth_status soothi_tree_pack(const soothi_tree_grower *g, int statistics, sooth_tree **out) {
    soothi_tree_writer to;
    size_t nodes = 1, w, t;
    sooth_status status;
    for (w = 0; w < g->workers; ++w) nodes += 2 * (size_t)g->worker[w].splits;
    status = soothi_tree_new(g->env, nodes, g->cols, g->targets, statistics, out);
    if (status != SOOTH_OK) return status;
    soothi_tree_write_begin(&to, *out);
    while (to.at < nodes) {
        const uint32_t id = to.node[to.at].link;
        const soothi_tree_record *r = &g->record[id];
        for (t = 0; t < g->targets; ++t) g->answer[t] = soothi_tree_answer(g, id, t);
        soothi_tree_write(&to, r->left, r->right, r->feature, r->threshold, !r->missing_left, g->answer,
                          r->rows, r->weight, r->impurity);
    }
    soothi_block_seal(&(*out)->head);
    return SOOTH_OK;
}

/* Entries of rows with a weight above 0, in the same order; `to` may be `from`. */
SOOTHI_LOCAL void soothi_tree_keep(const soothi_tree_grower *g, const uint64_t *from, uint64_t *to,
                                   size_t n) {
    size_t k, kept = 0;
    for (k = 0; k < n; ++k)
        if (!g->weight || g->weight[soothi_tree_entry_row(from[k])] > 0.0f) to[kept++] = from[k];
}

typedef struct soothi_tree_beginning {
    soothi_tree_grower *g;
    size_t block;
} soothi_tree_beginning;

static void soothi_tree_beginning_task(void *arg, size_t i, size_t worker) {
    const soothi_tree_beginning *b = (const soothi_tree_beginning *)arg;
    const soothi_tree_columns *c = b->g->columns;
    size_t j, end = (i + 1) * b->block < c->cols ? (i + 1) * b->block : c->cols;
    (void)worker;
    for (j = i * b->block; j < end; ++j)
        soothi_tree_keep(b->g, c->list + j * c->stride, b->g->lists.list[0] + j * b->g->lists.stride,
                         c->entries);
}

/* Puts the rows of positive weight in place for a growth: g->y, g->weight and g->rows may change from tree to
   tree, the columns stay. The lists of a single tree may be the columns' own. */
SOOTHI_LOCAL void soothi_tree_begin(soothi_tree_grower *g) {
    const soothi_tree_columns *c = g->columns;
    size_t i, k, t;
    if (!c->bins && (c->list != g->lists.list[0] || c->entries != g->rows)) {
        soothi_tree_beginning b;
        b.g = g;
        soothi_tree_run(g, c->cols, c->entries, 0, 0, &b.block, soothi_tree_beginning_task, &b);
    }
    if (c->bins) {
        uint32_t *row = g->row[0] ? g->row[0] : g->worker[0].before;
        for (i = k = 0; i < c->rows; ++i)
            if (!g->weight || g->weight[i] > 0.0f) row[k++] = (uint32_t)i;
        if (!g->row[0]) soothi_tree_list_bins(c, row, g->rows, &g->lists);
    }
    for (t = 0; t + g->cols < g->width; ++t) {
        uint64_t *list = g->lists.list[0] + (g->cols + t) * g->lists.stride;
        for (i = k = 0; i < c->rows; ++i)
            if (!g->weight || g->weight[i] > 0.0f)
                list[k++] = (uint64_t)soothi_tree_key(g->y[i * g->targets + t]) << 32 | i;
        soothi_tree_sort(list, g->lists.list[1], g->rows);
    }
    for (i = 0; i < g->slots; ++i) g->free_slot[i] = (uint32_t)i + 1;
    g->free_slots = g->slots;
}

SOOTH_API void sooth_tree_free(sooth_env *env, sooth_tree *tree) {
    soothi_block_free(env, tree ? &tree->head : NULL);
}

/* ---- looking into a tree ---- */

/* weight[nodes], then impurity[nodes]; with statistics. */
SOOTHI_LOCAL const double *soothi_tree_weights(const sooth_tree *tree) {
    return (const double *)(const void *)((const unsigned char *)tree + tree->head.doubles_at);
}

/* The left child of a node, or 0. */
SOOTHI_LOCAL uint32_t soothi_tree_left(const sooth_tree *tree, uint32_t node) {
    const uint32_t link = soothi_tree_nodes(tree)[node].link;
    return link & 1u ? node + (link >> tree->shift) : 0;
}

SOOTH_API void sooth_tree_look(const sooth_tree *tree, uint32_t node, sooth_tree_step *step) {
    const sooth_tree_node *n = soothi_tree_nodes(tree) + node;
    const float *value = soothi_tree_values(tree);
    memset(step, 0, sizeof *step);
    step->node = node;
    if (n->link & 1u) {
        step->left = node + (n->link >> tree->shift);
        step->feature = (n->link & soothi_tree_mask(tree)) >> 2;
        step->threshold = n->u.threshold;
        step->missing_right = (int)(n->link >> 1 & 1u);
    } else {
        step->value = tree->head.targets == 1 ? n->u.value : value[(size_t)n->u.at * tree->head.targets];
    }
    if (!tree->statistics) return;
    step->value = value[(size_t)node * tree->head.targets];
    memcpy(&step->rows, value + (size_t)tree->nodes * tree->head.targets + node, sizeof step->rows);
    step->weight = soothi_tree_weights(tree)[node];
    step->impurity = soothi_tree_weights(tree)[(size_t)tree->nodes + node];
}

SOOTH_API uint32_t sooth_tree_path(const sooth_tree *tree, const float *row, sooth_tree_step *step,
                                   uint32_t room) {
    uint32_t at = 0, steps = 0;
    for (;;) {
        sooth_tree_step here;
        uint32_t below =
            soothi_tree_down(soothi_tree_nodes(tree), at, tree->shift, soothi_tree_mask(tree), row);
        if (steps < room) {
            sooth_tree_look(tree, at, &here);
            here.went_right = below > here.left;
            if (here.left == 0) here.went_right = 0;
            step[steps] = here;
        }
        ++steps;
        if (below == at) return steps;
        at = below;
    }
}

SOOTHI_LOCAL sooth_status soothi_tree_need_statistics(sooth_env *env, const sooth_tree *tree) {
    if (tree->statistics) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                       "the tree was fitted with no_statistics, but this needs them");
}

SOOTH_API sooth_status sooth_tree_importance(sooth_env *env, const sooth_tree *tree, double *importance) {
    sooth_status status = soothi_tree_need_statistics(env, tree);
    double sum = 0.0;
    uint32_t i;
    if (status != SOOTH_OK) return status;
    for (i = 0; i < tree->head.features; ++i) importance[i] = 0.0;
    for (i = 0; i < tree->nodes; ++i) {
        sooth_tree_step node, left, right;
        sooth_tree_look(tree, i, &node);
        if (!node.left) continue;
        sooth_tree_look(tree, node.left, &left);
        sooth_tree_look(tree, node.left + 1, &right);
        importance[node.feature] +=
            node.weight * node.impurity - left.weight * left.impurity - right.weight * right.impurity;
    }
    for (i = 0; i < tree->head.features; ++i) sum += importance[i];
    for (i = 0; i < tree->head.features && sum > 0.0; ++i) importance[i] /= sum;
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_tree_print_rule(const sooth_tree *tree, const sooth_table *names, uint32_t node,
                                         uint32_t depth, int right, sooth_sink *sink) {
    sooth_tree_step step;
    char room[32];
    uint32_t k;
    sooth_tree_look(tree, node, &step);
    for (k = 0; k < depth; ++k) sooth_text_write(sink, "|   ", 4);
    if (step.left) {
        sooth_text_put(sink, "%s %s %f%s\n", soothi_column(names, step.feature, room),
                       right ? ">" : "<=", (double)step.threshold,
                       step.missing_right == right ? ", or missing" : "");
        return;
    }
    for (k = 0; k < tree->head.targets; ++k) {
        float value = step.value;
        if (tree->head.targets > 1)
            value =
                soothi_tree_values(tree)[(size_t)soothi_tree_nodes(tree)[node].u.at * tree->head.targets + k];
        sooth_text_put(sink, k ? ", %f" : "%f", (double)value);
    }
    if (tree->statistics) sooth_text_put(sink, step.rows == 1 ? " (1 row)" : " (%u rows)", step.rows);
    sooth_text_put(sink, "\n");
}

SOOTH_API sooth_status sooth_tree_print(sooth_env *env, const sooth_tree *tree, const char *const *names,
                                        sooth_sink *sink) {
    uint32_t *way = (uint32_t *)soothi_alloc(env, (size_t)tree->depth + 1,
                                             sizeof *way); /* 2 node + side, from the root on */
    uint32_t n = 0, at = 0;
    sooth_table table;
    if (!way) return soothi_no_memory(env, "printing a tree", ((size_t)tree->depth + 1) * sizeof *way);
    sooth_table_init(&table, NULL, 0, 0);
    table.names = names;
    for (;;) {
        soothi_tree_print_rule(tree, &table, at, n, 0, sink);
        if (soothi_tree_left(tree, at)) {
            way[n++] = 2 * at;
            at = soothi_tree_left(tree, at);
            continue;
        }
        while (n > 0 && (way[n - 1] & 1)) --n;
        if (n == 0) break;
        at = way[n - 1] / 2;
        way[n - 1] |= 1u;
        soothi_tree_print_rule(tree, &table, at, n - 1, 1, sink);
        at = soothi_tree_left(tree, at) + 1;
    }
    soothi_free(env, way, (size_t)tree->depth + 1, sizeof *way);
    return SOOTH_OK;
}

/* ---- pruning ---- */

/* Minimal cost-complexity pruning. r: the share of a node in the total impurity; of the subtree below it,
   `branch` is the sum over its leaves. Cutting it back to a leaf costs alpha = (r - branch) / (leaves - 1)
   per leaf saved; the least alpha goes first (of equal ones the lowest node), which raises branch above it.
   That never lowers any other alpha, so a heap may hold old ones and mend them on top. */
typedef struct soothi_tree_pruner {
    const sooth_tree *tree;
    double *branch, *alpha;           /* alpha: as last computed */
    uint32_t *parent, *leaves, *heap; /* leaves: 1 in an inner node that was cut back */
    size_t size;
} soothi_tree_pruner;

SOOTHI_LOCAL double soothi_tree_share(const sooth_tree *tree, uint32_t node) {
    const double *weight = soothi_tree_weights(tree);
    return weight[node] * weight[(size_t)tree->nodes + node] / weight[0];
}

SOOTHI_LOCAL double soothi_tree_alpha(const soothi_tree_pruner *p, uint32_t i) {
    return (soothi_tree_share(p->tree, i) - p->branch[i]) / ((double)p->leaves[i] - 1.0);
}

/* Is the link at a weaker than that at b? */
SOOTHI_LOCAL int soothi_tree_weaker(const soothi_tree_pruner *p, uint32_t a, uint32_t b) {
    return p->alpha[a] < p->alpha[b] || (!(p->alpha[a] > p->alpha[b]) && a < b);
}

/* Was the link cut back already, or is it below one that was? */
SOOTHI_LOCAL int soothi_tree_gone(const soothi_tree_pruner *p, uint32_t i) {
    for (; p->leaves[i] > 1; i = p->parent[i])
        if (i == 0) return 0;
    return 1;
}

SOOTHI_LOCAL void soothi_tree_sink(soothi_tree_pruner *p, size_t n, size_t at) {
    uint32_t moved = p->heap[at];
    size_t child;
    for (; 2 * at + 1 < n; at = child) {
        child = 2 * at + 1;
        if (child + 1 < n && soothi_tree_weaker(p, p->heap[child + 1], p->heap[child])) ++child;
        if (!soothi_tree_weaker(p, p->heap[child], moved)) break;
        p->heap[at] = p->heap[child];
    }
    p->heap[at] = moved;
}

/* Cuts back every link whose alpha is at most `most`, and reports each step. */
SOOTHI_LOCAL size_t soothi_tree_weaken(soothi_tree_pruner *p, double most, double *alpha, double *impurity,
                                       size_t room) {
    const sooth_tree *tree = p->tree;
    size_t n = 0, count = 0;
    uint32_t i, up, nodes = tree->nodes;
    for (i = 0; i < nodes; ++i) {
        uint32_t left = soothi_tree_left(tree, i);
        p->leaves[i] = 0;
        p->branch[i] = 0.0;
        if (left) p->parent[left] = p->parent[left + 1] = i;
        else p->leaves[i] = 1;
    }
    for (i = nodes; i-- > 0;) {
        if (!soothi_tree_left(tree, i)) {
            p->branch[i] = soothi_tree_share(tree, i);
        } else {
            p->alpha[i] = soothi_tree_alpha(p, i);
            p->heap[n++] = i;
        }
        if (i == 0) break;
        p->leaves[p->parent[i]] += p->leaves[i];
        p->branch[p->parent[i]] += p->branch[i];
    }
    for (i = (uint32_t)(n / 2); i-- > 0;) soothi_tree_sink(p, n, i);
    for (;;) {
        double price = 0.0, more;
        uint32_t fewer;
        if (count > 0) {
            while (n > 0) { /* the least alpha that still holds */
                i = p->heap[0];
                price = soothi_tree_alpha(p, i);
                if (soothi_tree_gone(p, i)) p->heap[0] = p->heap[--n];
                else if (price > p->alpha[i]) p->alpha[i] = price;
                else break;
                if (n > 0) soothi_tree_sink(p, n, 0);
            }
            if (n == 0 || price > most) return count;
            more = soothi_tree_share(tree, i) - p->branch[i];
            fewer = p->leaves[i] - 1;
            for (up = i;; up = p->parent[up]) {
                p->branch[up] += more;
                p->leaves[up] -= fewer;
                if (up == 0) break;
            }
        }
        if (count < room) {
            alpha[count] = price;
            impurity[count] = p->branch[0];
        }
        ++count;
    }
}

/* Working memory of pruning: 28 bytes per node in one piece. */
SOOTHI_LOCAL sooth_status soothi_tree_pruner_init(sooth_env *env, const sooth_tree *tree,
                                                  soothi_tree_pruner *p) {
    size_t nodes = tree->nodes;
    sooth_status status = soothi_tree_need_statistics(env, tree);
    memset(p, 0, sizeof *p);
    if (status != SOOTH_OK) return status;
    p->tree = tree;
    p->branch = (double *)soothi_alloc(env, nodes, 28);
    if (!p->branch) return soothi_no_memory(env, "pruning a tree", nodes * 28);
    p->alpha = p->branch + nodes;
    p->parent = (uint32_t *)(void *)(p->alpha + nodes);
    p->leaves = p->parent + nodes;
    p->heap = p->leaves + nodes;
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_tree_pruner_free(sooth_env *env, soothi_tree_pruner *p) {
    soothi_free(env, p->branch, p->tree->nodes, 28);
}

SOOTH_API sooth_status sooth_tree_pruning_path(sooth_env *env, const sooth_tree *tree, double *alpha,
                                               double *impurity, size_t room, size_t *count) {
    soothi_tree_pruner p;
    sooth_status status = soothi_tree_pruner_init(env, tree, &p);
    *count = 0;
    if (status != SOOTH_OK) return status;
    *count = soothi_tree_weaken(&p, DBL_MAX, alpha, impurity, room);
    soothi_tree_pruner_free(env, &p);
    return SOOTH_OK;
}

/* A copy of what pruning left. Until its turn comes, a node's link holds its number in the old tree. */
SOOTHI_LOCAL sooth_status soothi_tree_cut(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                          int statistics, sooth_tree **out) {
    soothi_tree_pruner p;
    soothi_tree_writer w;
    sooth_status status;
    *out = NULL;
    status = soothi_tree_pruner_init(env, tree, &p);
    if (status != SOOTH_OK) return status;
    soothi_tree_weaken(&p, ccp_alpha, NULL, NULL, 0);
    status = soothi_tree_new(env, 2 * (size_t)p.leaves[0] - 1, tree->head.features, tree->head.targets,
                             statistics, out);
    if (status == SOOTH_OK) {
        soothi_tree_write_begin(&w, *out);
        while (w.at < (*out)->nodes) {
            const uint32_t old = w.node[w.at].link;
            sooth_tree_step s;
            sooth_tree_look(tree, old, &s);
            soothi_tree_write(&w, p.leaves[old] > 1 ? s.left : 0, s.left + 1, s.feature, s.threshold,
                              s.missing_right, soothi_tree_values(tree) + (size_t)old * tree->head.targets,
                              s.rows, s.weight, s.impurity);
        }
        soothi_block_seal(&(*out)->head);
    }
    soothi_tree_pruner_free(env, &p);
    return status;
}

SOOTH_API sooth_status sooth_tree_prune(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                        sooth_tree **pruned) {
    *pruned = NULL;
    if (!(ccp_alpha >= 0.0))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "ccp_alpha is %g, but must be at least 0", ccp_alpha);
    return soothi_tree_cut(env, tree, ccp_alpha, 1, pruned);
}

/* ---- fitting, all together ---- */

SOOTH_API sooth_status sooth_tree_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_tree_options *options, sooth_tree **tree) {
    soothi_carver m;
    soothi_tree_rules rules;
    soothi_tree_grower g;
    soothi_tree_columns c;
    sooth_tree_options o;
    double total = 0.0;
    size_t i, rows = 0, pass;
    sooth_status status;
    *tree = NULL;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    status = soothi_tree_accept(env, table, &o);
    if (status != SOOTH_OK) return status;
    for (i = 0; i < table->rows; ++i) {
        double w = table->weight ? (double)table->weight[i] : 1.0;
        rows += w > 0.0;
        total += w;
    }
    memset(&m, 0, sizeof m);
    for (pass = 0; pass < 2; ++pass) { /* first the size, then the pointers */
        if (pass) m.memory = (unsigned char *)soothi_alloc(env, m.used, 1);
        if (pass && !m.memory) return soothi_no_memory(env, "growing a tree", m.used);
        m.used = 0;
        soothi_tree_plan(&rules, &g, &c, &o, rows, table->rows, table->cols, table->targets,
                         table->weight != NULL, total, soothi_workers(env));
        soothi_tree_layout_all(&m, &g, &c);
    }
    g.env = env;
    g.y = table->y;
    g.weight = table->weight;
    soothi_tree_prepare(&g, &c, g.lists.list[1], table);
    soothi_tree_begin(&g);
    status = soothi_progress(env, "growing a tree", 0.0);
    if (status == SOOTH_OK) status = soothi_tree_grow(&g);
    if (status == SOOTH_OK) status = soothi_tree_pack(&g, o.ccp_alpha > 0.0 || !o.no_statistics, tree);
    soothi_free(env, m.memory, m.used, 1);
    if (status == SOOTH_OK && o.ccp_alpha > 0.0) {
        sooth_tree *whole = *tree;
        status = soothi_tree_cut(env, whole, o.ccp_alpha, !o.no_statistics, tree);
        sooth_tree_free(env, whole);
    }
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
