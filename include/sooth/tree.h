/* tree.h - regression trees: grown like scikit-learn's, predicted in nanoseconds from one block of memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A regression tree tests one feature per node: is it at most this threshold? The prediction is stored in the
 * leaf: the mean or the median of the training rows that ended there. Features may have any unit and missing
 * values, and the tree can be inspected. Predictions stay within the range of the training targets, except
 * with linear leaves (linear_leaves, see tree/linear_leaves.h).
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  2, 20,  3, 10,  4, 20};   // threads and megahertz of four runs
 *         float y[] = {8, 4, 3, 1};                      // seconds
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_tree_options options = {.max_depth = 2}; // zero means the default
 *         sooth_env env;
 *         sooth_tree *tree;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, &options, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g seconds\n", sooth_tree_predict(tree, x));   //> 8 seconds
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - x <= threshold goes left. A threshold is the midpoint of two neighbouring values in the node, rounded
 *   down to float. It sends the same rows left as scikit-learn's double midpoint. With bins, it is the
 *   midpoint between two bins.
 * - Among splits of equal gain the lowest column is chosen, then the lowest threshold (see `ties`).
 * - A missing value (NaN) goes to the side where the training rows without a value gained more. If both gains
 *   are equal, or there were no such rows, it goes to the child with more rows; on a tie, left.
 * - A split may also separate the rows with a value from those without. Its threshold is infinite.
 * - Rows with zero weight are ignored.
 * - A node is split unless its targets are equal or an option forbids it.
 * - Sums are double, in an order that does not depend on the number of workers: 1 and N workers give the same
 *   bytes.
 * - Columns marked in table.categorical hold codes 0, 1, 2, ... of unordered levels. A node stores the set of
 *   levels of the child with fewer rows. Codes in the set go left, all others right. So levels not seen in
 *   training go right, to the child with more rows.
 *
 * Method and references
 *
 * Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984. Categorical columns: the
 * levels of a node are sorted by the mean of their targets and split as if ordered (see forest.h).
 *
 * If no two splits have the same gain, the tree equals scikit-learn's node for node, with two intended
 * differences. Features closer than 1e-7 are distinguished. No impurity is too small to split (scikit-learn
 * treats values below 2e-16 as zero).
 *
 * Cost
 *
 * n rows, d columns, T targets, w workers; L leaves, at most n and what the options allow:
 *   fit      O(d n x mean depth) time, and O(d n) once for sorting. Two allocations: scratch (its size is
 *            sooth_tree_scratch_size), then the model. Scratch is about
 *              exact    16 d n + (144 + 16 T) L + w n bytes
 *              binned   (d + 12 + 4 T) n + (144 + 16 T) L + w (17 n + 32 d bins) + 24 d bins log2(n)
 *            and for medians 16 T n + w (20 T + 16) n more. All workers search a large node together, one
 *            column each; one worker grows a subtree of up to 65,536 values.
 *   predict  at most 4 ceil(depth / 4) comparisons, or 4 without a split: the walk checks for a leaf after
 *            every fourth level. No allocation.
 *   model    48 bytes and 8 per node (there are 2 L - 1); with statistics 28 + 4 T per node; per set of
 *            categories 4 bytes and a bit for each code up to its largest.
 *   linear_leaves: add the costs in tree/linear_leaves.h.
 */
#if !defined(SOOTH_TREE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_IMPLEMENTED))
#include "base.h"
#include "base/reduce.h"
#include "tree/linear_leaves.h"
#endif

#ifndef SOOTH_TREE_H
#define SOOTH_TREE_H

SOOTHI_C_BEGIN

#define SOOTH_TREE_VERSION 3 /* with sets of categories; 2 with linear leaves only; 1 otherwise */

/* ---- the model ---- */

/* One node. `link` holds four fields:
   - bit 0: 1 in an inner node;
   - bit 1: 1 if a missing value goes right;
   - bits 2 to shift - 1: the feature;
   - from bit `shift` of the tree on: the distance to the left child, in nodes.
   The right child is next to it. A leaf has link 0, so a step from a leaf leads to itself. */
typedef struct sooth_tree_node {
    union {
        float threshold; /* of an inner node: x <= threshold goes left */
        float value;     /* of a leaf, with one target */
        uint32_t at;     /* of a leaf, with several targets: the row of its values */
    } u;
    uint32_t link;
} sooth_tree_node;

/* The block: this struct, then sooth_tree_node[nodes], breadth first; then
     with statistics   float value[nodes x targets], uint32_t rows[nodes],
                       double weight[nodes], impurity[nodes]
     without           float value[leaves x targets], if there are several targets
     in version 3      uint32_t sets, first[sets + 1], word[first[sets]]: the offset of each set of categories
                       in the words, and the words
     from version 2    uint32_t records, and the arrays of tree/linear_leaves.h, for a single target. In
                       version 3 records may be 0; then there are no arrays
   Categories are integers from 0. A node that tests a set has a NaN as its threshold: its bits are 0x7FC00000
   + the index of the set. Sets are numbered in the order of the nodes that first use them. For a value v, let
   c be v truncated. v goes left if bit c % 32 of word c / 32 of the set is 1. Categories beyond the words and
   values below 0 are in no set and go right. Nodes and features share the 30 bits of a link: 2^24 nodes and
   64 features fit, or 2^16 and 16,384, or 2^10 and a million. Fitting fails if a tree does not fit. */
typedef struct sooth_tree {
    sooth_block head;
    uint32_t nodes;      /* inner nodes and leaves; (nodes + 1) / 2 are leaves */
    uint32_t depth;      /* comparisons on the longest path */
    uint32_t shift;      /* see sooth_tree_node; 2 to 31 */
    uint32_t statistics; /* 1 with, 0 without */
} sooth_tree;

/* Returns 1 if bytes[0..size) begin with a valid tree. The functions below then neither loop forever nor read
   outside. In breadth-first order the children of inner node k are at 2k + 1 and 2k + 2, so one pass without
   memory proves it. A checked model may come from anyone. */
SOOTH_API int sooth_tree_check(const void *bytes, size_t size);

/* Predicts one row of head.features floats. With several targets, returns the first. */
SOOTH_API float sooth_tree_predict(const sooth_tree *tree, const float *row);

/* Writes out[i * targets + t] for `rows` rows, which are `stride` floats apart. Walks eight rows at once,
   which is two to five times faster than row by row. */
SOOTH_API void sooth_tree_predict_many(const sooth_tree *tree, const float *x, size_t rows, size_t stride,
                                       float *out);

/* Returns the worst-case cost of one prediction. The walk checks for a leaf after every fourth level only. It
   makes 4 ceil(depth / 4) comparisons, and 4 in a tree without a split. */
SOOTH_API sooth_cost sooth_tree_cost(const sooth_tree *tree);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_tree_criterion {
    SOOTH_TREE_SQUARED = 0, /* squared error; leaves hold means */
    SOOTH_TREE_ABSOLUTE,    /* absolute error; leaves hold medians (the mean of the middle two) */
    SOOTH_TREE_FRIEDMAN,    /* squared error; splits score W_L W_R / W (mean_L - mean_R)^2 over all targets */
    SOOTH_TREE_POISSON,     /* half the Poisson deviance, for counts and rates; leaves hold means */
    SOOTH_TREE_RELATIVE     /* absolute error / max(|y|, floor), the MAPE; leaves hold weighted medians */
} sooth_tree_criterion;

/* The column chosen among splits of equal gain. */
typedef enum sooth_tree_ties {
    SOOTH_TREE_TIES_FIRST = 0, /* the lowest */
    SOOTH_TREE_TIES_RANDOM     /* a random one, drawn at every node */
} sooth_tree_ties;

/* The impurity of a node is the mean of the criterion's error over its rows (by weight) and targets. */
typedef struct sooth_tree_options {
    uint32_t criterion;         /* a sooth_tree_criterion */
    uint32_t max_depth;         /* 0 means no limit */
    uint32_t min_samples_split; /* min rows of a node to split it; 0 means 2 */
    uint32_t min_samples_leaf;  /* min rows in a leaf; 0 means 1 */
    uint32_t max_leaves;        /* grow best first, up to this many; 0 means no limit */
    uint32_t bins;              /* candidates per column: 2 to 256 (histograms); 0 means all values (exact) */
    uint32_t ties;              /* a sooth_tree_ties */
    uint32_t seed;              /* of all draws; affects nothing else */
    uint32_t no_statistics;     /* 1: keep only what prediction needs */
    double max_features;        /* columns drawn per split: a share below 1, a count from 1 on; 0 means all */
    double min_weight_leaf;     /* min share of the total weight in a leaf, at most 0.5 */
    double min_gain;            /* min gain of a split: W/N (i - W_L/W i_L - W_R/W i_R), i: impurity */
    double ccp_alpha;           /* penalty of a leaf in cost-complexity pruning; 0 means no pruning */
    double floor;               /* of |y|, for SOOTH_TREE_RELATIVE; 0 means none, then targets are not 0 */
    const signed char *monotone; /* per column 1: predictions may only rise with it; -1: fall; 0: both */
    uint32_t linear_leaves;      /* 1: linear leaves (tree/linear_leaves.h); also raise min_samples_leaf */
    uint32_t has_extrapolate;    /* 1: use extrapolate even if it is 0 */
    double linear_lambda;        /* L2 penalty of the slopes; 0 means none */
    double extrapolate;          /* how far linear leaves extrapolate, in ranges; 0 means 3 */
} sooth_tree_options;

/* Fits a tree to a table with targets. NaN in x is missing. options NULL means defaults. *tree is NULL after
   a failure.
   - Category codes are integers below SOOTH_MAX_CATEGORIES. Categorical columns take no monotone constraint.
   - A constant target gives a single leaf; so does a table of one row or of constant columns.
   - min_gain and ccp_alpha are scikit-learn's min_impurity_decrease and ccp_alpha. W and N are the weights of
     the node and of all rows. For SOOTH_TREE_FRIEDMAN the gain is its score, as in scikit-learn.
   - With max_features, drawing continues until a column can be split.
   - Constraints hold for the whole tree, except for rows with a missing value in the column (see
     tree/grow.h).
   - With env->reduce_fn every process gets all rows. */
SOOTH_API sooth_status sooth_tree_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_tree_options *options, sooth_tree **tree);

/* Returns SOOTH_OK if these options (NULL means defaults) are valid for this table. Otherwise fails with the
   sentence that fitting would fail with. */
SOOTH_API sooth_status sooth_tree_check_options(sooth_env *env, const sooth_table *table,
                                                const sooth_tree_options *options);

/* Frees the tree; NULL is allowed. */
SOOTH_API void sooth_tree_free(sooth_env *env, sooth_tree *tree);

/* Returns the names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_tree_options_list(void);

/* Returns the maximum bytes of scratch that sooth_tree_fit allocates, in one piece, for a table of this
   shape. Categorical columns need more: see tree/columns.h. workers is env->workers, or 1. Pruning
   allocates 28 bytes per node after the scratch is freed. */
SOOTH_API size_t sooth_tree_scratch_size(const sooth_tree_options *options, size_t rows, size_t cols,
                                         size_t targets, size_t workers);

/* ---- inspecting a tree ---- */

/* A node in readable form. */
typedef struct sooth_tree_step {
    uint32_t node;     /* its index; the root is 0 */
    uint32_t left;     /* its left child; the right one is left + 1; 0 means a leaf */
    uint32_t feature;  /* the column it tests */
    float threshold;   /* x <= threshold goes left; NaN: the node tests a set */
    int missing_right; /* 1 if a missing value goes right */
    int went_right;    /* on a path: 1 if the row went right */
    float value;       /* the prediction if the tree ended here (first target) */
    uint32_t rows;     /* training rows in this node; below, their weight and impurity */
    double weight;     /* without statistics these are 0, and so is the value of inner nodes */
    double impurity;
    const uint32_t *set; /* bit c % 32 of word c / 32: category c goes left; NULL: the threshold decides */
    uint32_t set_words;
} sooth_tree_step;

/* Fills step for a node below tree->nodes. */
SOOTH_API void sooth_tree_look(const sooth_tree *tree, size_t node, sooth_tree_step *step);

/* Writes the path of a row from the root to its leaf, leaf included, into step[0..capacity). Returns the
   number of steps, at most tree->depth + 1, even if capacity is smaller. */
SOOTH_API size_t sooth_tree_path(const sooth_tree *tree, const float *row, sooth_tree_step *step,
                                 size_t capacity);

/* Writes the tree as indented rules. names: one per column; NULL means "column 3" and so on. Allocates 4
   bytes per level. A failed write sets sink->failed. */
SOOTH_API sooth_status sooth_tree_write(sooth_env *env, const sooth_tree *tree, const char *const *names,
                                        sooth_sink *sink);

/* Computes the weakest links (Breiman et al. 1984, chapter 3). alpha[k] is the penalty of a leaf at which the
   k-th subtree becomes the best, impurity[k] the total impurity of its leaves. Entry 0 is the whole tree, at
   0. *count is the number of entries, even if capacity is smaller. Needs statistics. O(nodes x depth). */
SOOTH_API sooth_status sooth_tree_pruning_path(sooth_env *env, const sooth_tree *tree, double *alpha,
                                               double *impurity, size_t capacity, size_t *count);

/* Returns a new tree without the links whose alpha is at most ccp_alpha. Needs statistics. */
SOOTH_API sooth_status sooth_tree_prune(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                        sooth_tree **pruned);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_TREE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_IMPLEMENTED)
#define SOOTH_TREE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- predicting ---- */

SOOTHI_LOCAL const sooth_tree_node *soothi_tree_nodes(const sooth_tree *tree) {
    return (const sooth_tree_node *)(const void *)(tree + 1);
}

/* The float array after the nodes (see sooth_tree). */
SOOTHI_LOCAL const float *soothi_tree_values(const sooth_tree *tree) {
    return (const float *)(const void *)(soothi_tree_nodes(tree) + tree->nodes);
}

/* Comparisons that raise no floating-point exception. A hint declares missing values rare, so that no branch
   of a walk depends on the row. SOOTHI_PREFETCH prefetches the children, which are needed next. */
#if defined(SOOTHI_TREE_GREATER) /* a test that counts comparisons */
#define SOOTHI_TREE_MISSES(x, t) (!((x) <= (x)))
#elif defined(__GNUC__) || defined(__clang__)
#define SOOTHI_TREE_GREATER(x, t) __builtin_isgreater(x, t)
#define SOOTHI_TREE_MISSES(x, t) __builtin_expect(__builtin_isunordered(x, t), 0)
#else
#define SOOTHI_TREE_GREATER(x, t) ((x) > (t))
#define SOOTHI_TREE_MISSES(x, t) (!((x) <= (x)))
#endif

/* The bits of a link that hold 4 x the feature, its byte offset in a row. */
SOOTHI_LOCAL uint32_t soothi_tree_mask(uint32_t shift) { return ((1u << shift) - 1u) & ~3u; }

/* The feature that an inner node tests. */
SOOTHI_LOCAL uint32_t soothi_tree_feature(const sooth_tree_node *node, uint32_t shift) {
    return (node->link & soothi_tree_mask(shift)) >> 2;
}

/* With AVX-512, gcc spills to vector registers, which every level waits for: walks take half as long
   again. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define SOOTHI_TREE_NARROW __attribute__((target("no-avx512f")))
#define SOOTHI_TREE_APART __attribute__((noinline)) SOOTHI_LOCAL
#else
#define SOOTHI_TREE_NARROW
#define SOOTHI_TREE_APART SOOTHI_HOT
#endif

/* Goes one level down from node `at`; a leaf leads to itself. */
SOOTHI_TREE_NARROW SOOTHI_HOT uint32_t soothi_tree_down(const sooth_tree_node *node, uint32_t at,
                                                        uint32_t shift, uint32_t mask, const float *row) {
    const uint32_t link = node[at].link, left = at + (link >> shift);
    const float x = *(const float *)(const void *)((const unsigned char *)row + (link & mask));
    const float threshold = node[at].u.threshold;
    const uint32_t right = (uint32_t)SOOTHI_TREE_GREATER(x, threshold) & link;
    SOOTHI_PREFETCH(node + left);
    if (SOOTHI_TREE_MISSES(x, threshold)) return left + (link >> 1 & 1u);
    return left + right;
}

/* Goes one level down in a row without a missing value. */
SOOTHI_TREE_NARROW SOOTHI_HOT uint32_t soothi_tree_down_complete(const sooth_tree_node *node, uint32_t at,
                                                                 uint32_t shift, uint32_t mask,
                                                                 const float *row) {
    const uint32_t link = node[at].link;
    const float x = *(const float *)(const void *)((const unsigned char *)row + (link & mask));
    return at + (link >> shift) + ((uint32_t)SOOTHI_TREE_GREATER(x, node[at].u.threshold) & link);
}

/* Eight walks at once: while one waits for a cache line, the others continue. */
#define SOOTHI_TREE_WALK(DOWN, row)                                                                      \
    do {                                                                                                 \
        uint32_t a = at[0], b = at[1], c = at[2], d = at[3], e = at[4], f = at[5], g = at[6], h = at[7], \
                 open;                                                                                   \
        do {                                                                                             \
            a = DOWN(node, a, shift, mask, row);                                                         \
            b = DOWN(node, b, shift, mask, (row) + stride);                                              \
            c = DOWN(node, c, shift, mask, (row) + 2 * stride);                                          \
            d = DOWN(node, d, shift, mask, (row) + 3 * stride);                                          \
            e = DOWN(node, e, shift, mask, (row) + 4 * stride);                                          \
            f = DOWN(node, f, shift, mask, (row) + 5 * stride);                                          \
            g = DOWN(node, g, shift, mask, (row) + 6 * stride);                                          \
            h = DOWN(node, h, shift, mask, (row) + 7 * stride);                                          \
            open = node[a].link | node[b].link | node[c].link | node[d].link;                            \
            open |= node[e].link | node[f].link | node[g].link | node[h].link;                           \
        } while (open & 1u);                                                                             \
        at[0] = a, at[1] = b, at[2] = c, at[3] = d, at[4] = e, at[5] = f, at[6] = g, at[7] = h;          \
    } while (0)

/* Walks from the nodes at[0..8) to leaves: one tree for eight rows, or (stride 0) eight trees for one. */
SOOTHI_TREE_NARROW SOOTHI_TREE_APART void soothi_tree_eight(const sooth_tree_node *node, uint32_t shift,
                                                            const float *x, size_t stride, int has_missing,
                                                            uint32_t at[8]) {
    const uint32_t mask = soothi_tree_mask(shift);
    if (has_missing) SOOTHI_TREE_WALK(soothi_tree_down, x);
    else SOOTHI_TREE_WALK(soothi_tree_down_complete, x);
}

/* ---- sets of categories ---- */

/* Threshold of a node that tests a set: this NaN, with the index of the set in its low 22 bits. */
#define SOOTHI_TREE_SET 0x7FC00000u
#define SOOTHI_TREE_SETS 0x400000u /* max sets */

/* Goes one level down from node `at` if nodes may test sets. A leaf (its value may have any bits) stays. */
SOOTHI_LOCAL uint32_t soothi_tree_down_sets(const sooth_tree_node *node, uint32_t at, uint32_t shift,
                                            uint32_t mask, const float *row, const soothi_sets *sets) {
    const uint32_t link = node[at].link, left = at + (link >> shift);
    const float x = *(const float *)(const void *)((const unsigned char *)row + (link & mask));
    const float threshold = node[at].u.threshold;
    if (!(link & 1u)) return at;
    if (!(x <= x)) return left + (link >> 1 & 1u);
    if (threshold <= threshold) return left + (uint32_t)(x > threshold);
    return left + (uint32_t)!soothi_sets_contain(sets, node[at].u.at - SOOTHI_TREE_SET, x);
}

/* Like soothi_tree_eight, if nodes may test sets. */
SOOTHI_HOT void soothi_tree_eight_sets(const sooth_tree_node *node, uint32_t shift, const float *x,
                                       size_t stride, const soothi_sets *sets, uint32_t at[8]) {
    const uint32_t mask = soothi_tree_mask(shift);
#define SOOTHI_TREE_DOWN(node, at, shift, mask, row) soothi_tree_down_sets(node, at, shift, mask, row, sets)
    SOOTHI_TREE_WALK(SOOTHI_TREE_DOWN, x);
#undef SOOTHI_TREE_DOWN
}

/* Returns the set that a node tests, and its words; NULL and 0 if there is none. */
SOOTHI_LOCAL const uint32_t *soothi_tree_set_of(const sooth_tree_node *node, const soothi_sets *sets,
                                                uint32_t *words) {
    *words = 0;
    if (!sets->first || !(node->link & 1u) || node->u.threshold <= node->u.threshold) return NULL;
    const uint32_t *first = sets->first + (node->u.at - SOOTHI_TREE_SET);
    *words = first[1] - first[0];
    return sets->word + first[0];
}

/* Returns the data after the nodes and their values (see sooth_tree). */
SOOTHI_LOCAL const uint32_t *soothi_tree_after_values(const sooth_tree *tree) {
    const size_t nodes = tree->nodes, targets = tree->head.targets;
    const size_t values = targets > 1 ? (nodes + 1) / 2 * targets : 0;
    return (const uint32_t *)(const void *)(soothi_tree_values(tree) +
                                            (tree->statistics ? nodes * (targets + 1) : values));
}

/* Returns 1 if a tree has sets. */
SOOTHI_LOCAL int soothi_tree_has_sets(const sooth_tree *tree) { return tree->head.kind >> 16 > 2; }

/* Returns the sets of a tree; first is NULL if there are none. */
SOOTHI_LOCAL soothi_sets soothi_tree_sets(const sooth_tree *tree) {
    soothi_sets sets = {NULL, NULL, 0.0f};
    if (!soothi_tree_has_sets(tree)) return sets;
    sets.first = soothi_tree_after_values(tree) + 1;
    sets.word = sets.first + sets.first[-1] + 1;
    return sets;
}

/* Returns the set of a node, *words words: bit c % 32 of word c / 32 is 1 if category c goes left. Returns
   NULL and 0 words if the node has no set. */
SOOTHI_LOCAL const uint32_t *soothi_tree_set(const sooth_tree *tree, uint32_t node, uint32_t *words) {
    const soothi_sets sets = soothi_tree_sets(tree);
    return soothi_tree_set_of(soothi_tree_nodes(tree) + node, &sets, words);
}

/* Returns the child of a node that a row goes to; a leaf returns itself. */
SOOTHI_LOCAL uint32_t soothi_tree_child(const sooth_tree *tree, uint32_t at, const float *row) {
    const soothi_sets sets = soothi_tree_sets(tree);
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const uint32_t mask = soothi_tree_mask(tree->shift);
    return sets.first ? soothi_tree_down_sets(node, at, tree->shift, mask, row, &sets)
                      : soothi_tree_down(node, at, tree->shift, mask, row);
}

/* ---- the leaf of a row ---- */

/* A level has a chain of waits: the link of a node, the value it tests, the comparison, the selection. The
   links of both children are loaded early, so that a level costs only the value and the selection. Compilers
   would load after the selection or use an unpredictable branch. LOADED prevents both. */
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__aarch64__))
#define SOOTHI_TREE_AHEAD
#define SOOTHI_TREE_LOADED(number) __asm__("" : "+r"(number))
#endif
#ifndef SOOTHI_TREE_ABOVE /* a test counts comparisons */
#define SOOTHI_TREE_ABOVE(x, t) ((x) > (t))
#endif

#ifdef SOOTHI_TREE_AHEAD
/* Goes one level down from node `at`, whose link is *at_link; a leaf leads to itself. Compares the bits of
   both floats, which takes half the time. A negative threshold flips all bits of both, any other flips the
   sign only. The integers then compare with this threshold as the floats do. -0 counts as 0. */
SOOTHI_HOT const sooth_tree_node *soothi_tree_down_ahead(const sooth_tree_node *at, uint32_t *at_link,
                                                         uint32_t shift, uint32_t mask, const float *row) {
    const uint32_t link = *at_link;
    const sooth_tree_node *left = at + (link >> shift), *right = left + (link & 1u);
    uint32_t left_link = left->link, right_link = right->link;
    const float x = *(const float *)(const void *)((const unsigned char *)row + (link & mask));
    const uint32_t bits = soothi_bits(x), threshold = at->u.at == 0x80000000u ? 0 : at->u.at;
    const uint32_t turn = (0u - (threshold >> 31)) | 0x80000000u;
    SOOTHI_TREE_LOADED(left_link);
    SOOTHI_TREE_LOADED(right_link);
    if (__builtin_expect(bits << 1 > 0xFF000000u, 0)) { /* a missing value */
        at += soothi_tree_down(at, 0, shift, mask, row);
        *at_link = at->link;
        return at;
    }
    const int above = SOOTHI_TREE_ABOVE(bits ^ turn, threshold ^ turn);
    *at_link = above ? right_link : left_link;
    return above ? right : left;
}
#endif

/* Finds the leaf if nodes test thresholds only. Tests for a leaf every four levels: an unpredictable branch
   costs more than the steps it could save. */
SOOTHI_LOCAL uint32_t soothi_tree_leaf_plain(const sooth_tree *tree, const float *row) {
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const uint32_t shift = tree->shift, mask = soothi_tree_mask(shift);
#ifdef SOOTHI_TREE_AHEAD
    const sooth_tree_node *at = node;
    uint32_t link = node->link;
    do {
        at = soothi_tree_down_ahead(at, &link, shift, mask, row);
        at = soothi_tree_down_ahead(at, &link, shift, mask, row);
        at = soothi_tree_down_ahead(at, &link, shift, mask, row);
        at = soothi_tree_down_ahead(at, &link, shift, mask, row);
    } while (link & 1u);
    return (uint32_t)(at - node);
#else
    uint32_t at = 0;
    do {
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
        at = soothi_tree_down(node, at, shift, mask, row);
    } while (node[at].link & 1u);
    return at;
#endif
}

/* Finds the leaf if nodes may test sets. */
SOOTHI_LOCAL uint32_t soothi_tree_leaf_sets(const sooth_tree *tree, const float *row) {
    const soothi_sets sets = soothi_tree_sets(tree);
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const uint32_t shift = tree->shift, mask = soothi_tree_mask(shift);
    uint32_t at = 0;
    while (node[at].link & 1u) at = soothi_tree_down_sets(node, at, shift, mask, row, &sets);
    return at;
}

/* Returns the leaf (a node below tree->nodes) that a row ends in. */
SOOTHI_LOCAL uint32_t soothi_tree_leaf(const sooth_tree *tree, const float *row) {
    return soothi_tree_has_sets(tree) ? soothi_tree_leaf_sets(tree, row) : soothi_tree_leaf_plain(tree, row);
}

/* The prediction of a leaf for target t. */
SOOTHI_LOCAL float soothi_tree_value(const sooth_tree *tree, uint32_t leaf, size_t t) {
    const sooth_tree_node *node = soothi_tree_nodes(tree) + leaf;
    const size_t targets = tree->head.targets;
    return targets == 1 ? node->u.value : soothi_tree_values(tree)[node->u.at * targets + t];
}

/* The predictions of a leaf for every target. */
SOOTHI_LOCAL void soothi_tree_copy_values(const sooth_tree *tree, uint32_t leaf, float *out) {
    const sooth_tree_node *node = soothi_tree_nodes(tree) + leaf;
    const size_t targets = tree->head.targets;
    if (targets == 1) out[0] = node->u.value;
    else memcpy(out, soothi_tree_values(tree) + node->u.at * targets, targets * sizeof *out);
}

/* ---- linear leaves ---- */

/* Returns the record count of a tree of version 2 or 3, which follows its sets. The arrays of
   tree/linear_leaves.h come after it. */
SOOTHI_LOCAL const uint32_t *soothi_tree_records(const sooth_tree *tree) {
    const uint32_t *at = soothi_tree_after_values(tree);
    return soothi_tree_has_sets(tree) ? at + 2 + at[0] + at[1 + at[0]] : at;
}

/* Like soothi_tree_records if the tree has linear leaves (and so a single target); otherwise NULL. */
SOOTHI_LOCAL const uint32_t *soothi_tree_planes(const sooth_tree *tree) {
    const uint32_t *at = tree->head.kind >> 16 > 1 ? soothi_tree_records(tree) : NULL;
    return at && *at ? at : NULL;
}

SOOTHI_LOCAL int soothi_tree_is_linear(const sooth_tree *tree) { return soothi_tree_planes(tree) != NULL; }

/* Returns the linear model of a node, followed by its terms; NULL for a constant leaf or an inner node. */
SOOTHI_LOCAL const soothi_linear_leaf *soothi_tree_linear_leaf(const sooth_tree *tree, uint32_t node) {
    const uint32_t *planes = soothi_tree_planes(tree);
    return planes ? soothi_linear_leaf_at(planes + 1, tree->nodes, node) : NULL;
}

SOOTH_API float sooth_tree_predict(const sooth_tree *tree, const float *row) {
    if (tree->head.kind >> 16 == 1) /* thresholds and constants only */
        return soothi_tree_value(tree, soothi_tree_leaf_plain(tree, row), 0);
    const uint32_t leaf = soothi_tree_leaf(tree, row);
    const soothi_linear_leaf *plane = soothi_tree_linear_leaf(tree, leaf);
    const float value = soothi_tree_value(tree, leaf, 0);
    return plane ? soothi_linear_leaf_predict(plane, value, row) : value;
}

SOOTH_API void sooth_tree_predict_many(const sooth_tree *tree, const float *x, size_t rows, size_t stride,
                                       float *out) {
    const sooth_tree_node *node = soothi_tree_nodes(tree);
    const size_t targets = tree->head.targets;
    const uint32_t shift = tree->shift;
    const soothi_sets sets = soothi_tree_sets(tree);
    size_t i = 0;
    for (; soothi_tree_is_linear(tree) && i < rows; ++i) out[i] = sooth_tree_predict(tree, x + i * stride);
    for (; rows - i >= 8; i += 8) {
        uint32_t at[8] = {0};
        if (sets.first) soothi_tree_eight_sets(node, shift, x + i * stride, stride, &sets, at);
        else soothi_tree_eight(node, shift, x + i * stride, stride, 1, at);
        for (size_t k = 0; k < 8; ++k) soothi_tree_copy_values(tree, at[k], out + (i + k) * targets);
    }
    for (; i < rows; ++i)
        soothi_tree_copy_values(tree, soothi_tree_leaf(tree, x + i * stride), out + i * targets);
}

SOOTH_API sooth_cost sooth_tree_cost(const sooth_tree *tree) {
    const uint32_t *planes = soothi_tree_planes(tree);
    const uint32_t terms = planes ? soothi_linear_leaf_max_terms(planes + 1, tree->nodes, 0, tree->nodes) : 0;
    const sooth_cost cost = {tree->head.size, tree->depth ? (tree->depth + 3) / 4 * 4 : 4, terms, 0};
    return cost;
}

/* ---- checking ---- */

/* Returns the bytes of the words of a tree of this shape, or 0 if they are impossible. more: bytes of sets
   and linear leaves. */
SOOTHI_LOCAL uint32_t soothi_tree_words(uint64_t nodes, uint64_t targets, uint32_t statistics,
                                        uint64_t more) {
    const uint64_t values = (statistics ? nodes : targets > 1 ? (nodes + 1) / 2 : 0) * targets;
    if (values > UINT32_MAX) return 0;
    const uint64_t words = sizeof(sooth_tree) + (statistics ? 12u : 8u) * nodes + 4 * values + more;
    return words < 0xFFFFFFF0u ? (uint32_t)words : 0;
}

/* Bytes of the linear leaves of a tree. */
SOOTHI_LOCAL uint64_t soothi_tree_plane_bytes(uint64_t nodes, uint64_t records) {
    return 4 + 4 * nodes + sizeof(soothi_linear_leaf) * records;
}

/* Bytes of this many sets, with `words` words in total. */
SOOTHI_LOCAL uint64_t soothi_tree_set_bytes(uint64_t sets, uint64_t words) { return 4 * (2 + sets + words); }

/* Returns 1 if node[0..count) is one valid tree, breadth first. Adds its leaves; *depth is its depth. at is
   the expected u.at of a leaf: 0 a value, 1 its index among the leaves, 2 among the nodes. *sets counts the
   sets so far and is increased; each node uses a known set or the next one. NULL means none. */
SOOTHI_LOCAL int soothi_tree_is_valid(const sooth_tree_node *node, uint32_t count, uint32_t shift,
                                      uint32_t features, unsigned at, uint32_t *leaves, uint32_t *depth,
                                      uint32_t *sets) {
    uint32_t next = 1, level = 1;
    *depth = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t link = node[i].link;
        if (i == next) return 0; /* node i has no parent */
        if (i == level) {
            ++*depth;
            level = next;
        }
        if (link & 1u) {
            if (link >> shift != next - i || soothi_tree_feature(&node[i], shift) >= features) return 0;
            if (!(node[i].u.threshold <= node[i].u.threshold)) {
                const uint32_t set = node[i].u.at - SOOTHI_TREE_SET;
                if (!sets || set > *sets) return 0;
                *sets += set == *sets;
            }
            next += 2;
        } else {
            if (link != 0 || (at && node[i].u.at != (at == 1 ? *leaves : i))) return 0;
            ++*leaves;
        }
    }
    return next == count;
}

/* Returns the bytes of a tree's sets, which begin at byte `begin`; 0 if they are invalid. */
SOOTHI_LOCAL uint64_t soothi_tree_check_sets(const sooth_tree *tree, uint64_t begin) {
    if (begin + soothi_tree_set_bytes(0, 0) > tree->head.doubles_at) return 0;
    const uint32_t *at = soothi_tree_after_values(tree);
    const uint32_t sets = at[0];
    if (sets == 0 || begin + soothi_tree_set_bytes(sets, 0) > tree->head.doubles_at) return 0;
    if (!soothi_sets_are_valid(at + 1, sets, at[1 + sets])) return 0;
    return soothi_tree_set_bytes(sets, at[1 + sets]);
}

/* Returns the bytes of a tree's linear leaves: the record count and the records; 0 if they are invalid. The
   nodes are valid. */
SOOTHI_LOCAL uint64_t soothi_tree_check_planes(const sooth_tree *tree, uint64_t begin, int asks) {
    if (begin + 4 > tree->head.doubles_at) return 0;
    const uint32_t *at = soothi_tree_records(tree);
    const uint32_t records = *at++;
    uint32_t next = 0;
    if (records == 0) return asks ? 4 : 0;
    if (tree->head.targets != 1 ||
        begin + soothi_tree_plane_bytes(tree->nodes, records) > tree->head.doubles_at)
        return 0;
    for (uint32_t i = 0; i < tree->nodes; ++i)
        if (!soothi_linear_leaf_is_valid(at, tree->nodes, i, (int)(soothi_tree_nodes(tree)[i].link & 1u),
                                         tree->head.features, records, &next))
            return 0;
    return next == records ? soothi_tree_plane_bytes(tree->nodes, records) : 0;
}

SOOTH_API int sooth_tree_check(const void *bytes, size_t size) {
    const sooth_tree *tree = (const sooth_tree *)bytes;
    uint32_t depth, leaves = 0, sets = 0, version = SOOTH_TREE_VERSION;
    while (version && !sooth_block_check(bytes, size, SOOTH_KIND_TREE, version)) --version;
    if (!version || tree->head.size < sizeof *tree || tree->head.features == 0 || tree->head.targets == 0 ||
        tree->statistics > 1 || tree->shift < 2 || tree->shift > 31)
        return 0;
    const uint64_t doubles = tree->statistics ? 16 * (uint64_t)tree->nodes : 0;
    const int asks = version > 2;
    uint64_t end = soothi_tree_words(tree->nodes, tree->head.targets, tree->statistics, 0), more = 0;
    if (end == 0 || end > tree->head.doubles_at) return 0;
    if (!soothi_tree_is_valid(soothi_tree_nodes(tree), tree->nodes, tree->shift, tree->head.features,
                              tree->head.targets == 1 ? 0 : 1 + tree->statistics, &leaves, &depth,
                              asks ? &sets : NULL) ||
        depth != tree->depth)
        return 0;
    if (asks) {
        more = soothi_tree_check_sets(tree, end);
        if (more == 0 || soothi_tree_after_values(tree)[0] != sets) return 0;
        end += more;
    }
    if (version > 1) {
        more = soothi_tree_check_planes(tree, end, asks);
        if (more == 0) return 0;
        end += more;
    }
    return tree->head.doubles_at == ((end + 15) & ~(uint64_t)15) &&
           tree->head.bytes_at - tree->head.doubles_at == doubles && tree->head.size == tree->head.bytes_at;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

SOOTH_API sooth_option_list sooth_tree_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_tree_options, criterion, "squared|absolute|friedman|poisson|relative",
                      "split criterion; absolute and relative give medians, the others means"),
        SOOTHI_COUNT(sooth_tree_options, max_depth, 1, 1000000, 0,
                     "max comparisons down to a leaf; 0 means no limit"),
        SOOTHI_COUNT(sooth_tree_options, min_samples_split, 2, 2147483647, 2,
                     "min rows of a node to split it"),
        SOOTHI_COUNT(sooth_tree_options, min_samples_leaf, 1, 2147483647, 1, "min rows in a leaf"),
        SOOTHI_COUNT(sooth_tree_options, max_leaves, 2, 1000000000, 0,
                     "max leaves, grown best first; 0 means no limit"),
        SOOTHI_COUNT(sooth_tree_options, bins, 2, 256, 0,
                     "max bins per column (histograms); 0 means every value"),
        SOOTHI_COUNT(sooth_tree_options, seed, 0, 4294967295.0, 0, "seed of all draws"),
        SOOTHI_CHOICE(sooth_tree_options, ties, "first|random", "column chosen among equal gains"),
        SOOTHI_FLAG(sooth_tree_options, no_statistics, "1: store only what prediction needs"),
        SOOTHI_NUMBER(sooth_tree_options, max_features, 0, 2147483647, 0,
                      "columns searched per split: a share below 1, a count from 1 on; 0 means all"),
        SOOTHI_NUMBER(sooth_tree_options, min_weight_leaf, 0, 0.5, 0,
                      "min share of the total weight in a leaf"),
        SOOTHI_NUMBER(sooth_tree_options, min_gain, 0, DBL_MAX, 0, "min decrease of impurity of a split"),
        SOOTHI_NUMBER(sooth_tree_options, ccp_alpha, 0, DBL_MAX, 0,
                      "penalty of a leaf in cost-complexity pruning; 0 means no pruning"),
        SOOTHI_NUMBER(sooth_tree_options, floor, 0, DBL_MAX, 0, "min |target| in relative errors"),
        SOOTHI_LEAVES_OPTIONS(sooth_tree_options)};
    return SOOTHI_OPTIONS(option);
}

/* Returns the number of columns that max_features means, at least one; 0 means all. */
SOOTHI_LOCAL uint32_t soothi_tree_drawn(double max_features, size_t cols) {
    const double drawn = max_features < 1.0 ? max_features * (double)cols + 1e-9 : max_features;
    if (!(max_features > 0.0) || drawn >= (double)cols) return 0;
    return drawn < 1.0 ? 1 : (uint32_t)drawn;
}

/* Converts options to rules, for `cols` columns. total: weight of all rows; weights: rows have weights. */
SOOTHI_LOCAL void soothi_tree_rules(const sooth_tree_options *o, size_t cols, int weights, double total,
                                    soothi_grower_rules *rules) {
    memset(rules, 0, sizeof *rules);
    rules->criterion = o->criterion;
    rules->max_depth = o->max_depth ? o->max_depth : UINT32_MAX;
    rules->min_split = o->min_samples_split ? o->min_samples_split : 2;
    rules->min_leaf = o->min_samples_leaf ? o->min_samples_leaf : 1;
    rules->max_leaves = o->max_leaves;
    rules->max_features = soothi_tree_drawn(o->max_features, cols);
    rules->seed = o->seed;
    rules->random_ties = o->ties == SOOTH_TREE_TIES_RANDOM;
    rules->min_weight = o->min_weight_leaf * total;
    rules->min_gain = o->min_gain;
    rules->floor = o->floor;
    rules->monotone = o->monotone;
    if (!weights) { /* a row weighs 1, so min_weight is a number of rows */
        uint32_t least = (uint32_t)rules->min_weight;
        if ((double)least < rules->min_weight) ++least;
        if (least > rules->min_leaf) rules->min_leaf = least;
        rules->min_weight = 0.0;
    }
}

/* State of growing a single tree, in one piece of memory. */
typedef struct soothi_tree_fitting {
    soothi_grower_rules rules;
    soothi_columns columns;
    soothi_grower g;
} soothi_tree_fitting;

/* Sets sizes and, if m has memory, pointers. f holds the rules and the shape of the columns. */
SOOTHI_LOCAL void soothi_tree_layout(soothi_carver *m, soothi_tree_fitting *f, size_t targets, int weights,
                                     size_t workers) {
    soothi_grower_plan(&f->g, &f->rules, &f->columns, targets, weights, 0, workers);
    f->g.sorts = 1;
    m->used = 0;
    soothi_columns_layout(m, &f->columns, 0);
    soothi_grower_layout(m, &f->g);
    f->columns.list = f->g.lists.list[0];
}

SOOTH_API size_t sooth_tree_scratch_size(const sooth_tree_options *options, size_t rows, size_t cols,
                                         size_t targets, size_t workers) {
    soothi_carver m = {NULL, 0};
    soothi_tree_fitting f;
    sooth_tree_options o;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    f.columns = soothi_columns_of(rows, rows, cols, o.bins);
    soothi_tree_rules(&o, cols, 1, (double)rows, &f.rules);
    soothi_tree_layout(&m, &f, targets, 1, workers);
    return m.used;
}

/* Checks monotone. single: constraints need a single target. */
SOOTHI_LOCAL sooth_status soothi_tree_check_monotone(sooth_env *env, const signed char *monotone,
                                                     const sooth_table *table, int single) {
    char name[32];
    for (size_t j = 0; monotone && j < table->cols; ++j) {
        if (monotone[j] < -1 || monotone[j] > 1)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "monotone is %d for %s, but must be -1, 0 or 1",
                              (int)monotone[j], soothi_column(table, j, name));
        if (single && monotone[j] != 0 && table->targets > 1)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "monotone needs a single target, but the table has %z",
                              table->targets);
        if (monotone[j] != 0 && table->categorical && table->categorical[j])
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "monotone is %d for %s, but must be 0 for a categorical column",
                              (int)monotone[j], soothi_column(table, j, name));
    }
    return SOOTH_OK;
}

/* Checks that linear leaves are possible. squared: the criterion is a squared error. */
SOOTHI_LOCAL sooth_status soothi_tree_check_linear(sooth_env *env, const sooth_table *table, int squared) {
    if (!squared)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "linear_leaves needs criterion=squared or criterion=friedman");
    if (table->targets > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "linear_leaves needs a single target, but the table has %z", table->targets);
    return SOOTH_OK;
}

/* Copies and checks the options; NULL means defaults. */
SOOTHI_LOCAL sooth_status soothi_tree_accept(sooth_env *env, const sooth_tree_options *options,
                                             const sooth_table *table, sooth_tree_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_tree_options_list(), o);
    if (status == SOOTH_OK && o->max_features > 1.0 && (double)(uint32_t)o->max_features < o->max_features)
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                            "max_features is %g, but must be a share below 1 or an integer", o->max_features);
    if (status == SOOTH_OK)
        status = sooth_table_check(env, table,
                                   SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING |
                                       SOOTH_TABLE_ALLOW_BINS | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status == SOOTH_OK) status = soothi_columns_accept(env, table, o->bins);
    if (status == SOOTH_OK && table->bins && o->linear_leaves)
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "linear_leaves needs values, but the table has bins");
    if (status != SOOTH_OK) return status;
    status = soothi_tree_check_monotone(env, o->monotone, table, 1);
    if (status == SOOTH_OK && o->linear_leaves)
        status = soothi_tree_check_linear(
            env, table, o->criterion == SOOTH_TREE_SQUARED || o->criterion == SOOTH_TREE_FRIEDMAN);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < table->rows * table->targets; ++i) {
        const float y = table->y[i];
        if (o->criterion == SOOTH_TREE_POISSON && y < 0.0f)
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "row %z has the target %f, but targets must not be negative with criterion=poisson",
                i / table->targets + 1, (double)y);
        if (o->criterion == SOOTH_TREE_RELATIVE && !(o->floor > 0.0) && !(y < 0.0f || y > 0.0f))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has the target 0, but targets must not be 0 with criterion=relative; "
                              "set floor above 0",
                              i / table->targets + 1);
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_tree_check_options(sooth_env *env, const sooth_table *table,
                                                const sooth_tree_options *options) {
    sooth_tree_options o;
    return soothi_tree_accept(env, options, table, &o);
}

/* Returns the number of bits of an integer. */
SOOTHI_LOCAL uint32_t soothi_tree_bits(size_t number) {
    uint32_t bits = 0;
    for (; number > 0; number >>= 1) ++bits;
    return bits;
}

/* Size of a new tree. */
typedef struct soothi_tree_shape {
    size_t nodes, features, targets;
    int statistics;
    uint32_t sets;
    uint64_t set_words; /* of all sets */
} soothi_tree_shape;

/* Allocates a block of this shape and fills its head. Breadth first, the left child of the k-th inner node is
   at 2k + 1, at most k + 1 nodes further. */
SOOTHI_LOCAL sooth_status soothi_tree_new(sooth_env *env, const soothi_tree_shape *shape, sooth_tree **out) {
    const size_t nodes = shape->nodes, features = shape->features, targets = shape->targets;
    const int statistics = shape->statistics;
    const uint32_t shift = 2 + soothi_tree_bits(features - 1), offset_bits = soothi_tree_bits(nodes / 2);
    const uint64_t more = shape->sets ? soothi_tree_set_bytes(shape->sets, shape->set_words) + 4 : 0;
    const uint32_t words = soothi_tree_words(nodes, targets, (uint32_t)statistics, more);
    const size_t doubles = statistics ? 2 * nodes * sizeof(double) : 0;
    if (nodes > 1 && shift + offset_bits > 32)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the tree has %z nodes on %z columns, but 30 bits of a node must hold both; limit "
                          "max_leaves or max_depth",
                          nodes, features);
    if (shape->sets > SOOTHI_TREE_SETS)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the tree has %u sets of categories, but at most %u fit; limit max_leaves or "
                          "max_depth",
                          shape->sets, SOOTHI_TREE_SETS);
    *out = NULL;
    if (words)
        *out = (sooth_tree *)soothi_block_new(env, SOOTH_KIND_TREE, shape->sets ? 3 : 1, words, doubles, 0);
    if (!*out) return sooth_no_memory(env, "the tree", words + doubles);
    (*out)->head.features = (uint32_t)features;
    (*out)->head.targets = (uint32_t)targets;
    (*out)->nodes = (uint32_t)nodes;
    (*out)->shift = shift > 31 ? 31 : shift;
    (*out)->statistics = (uint32_t)statistics;
    if (shape->sets) *(uint32_t *)(uintptr_t)soothi_tree_after_values(*out) = shape->sets;
    return SOOTH_OK;
}

/* Writes a block node by node, breadth first. */
typedef struct soothi_tree_writer {
    sooth_tree *tree;
    sooth_tree_node *node; /* nodes */
    float *value;          /* nodes x targets with statistics, leaves x targets without */
    double *weight;        /* nodes, then as many impurities */
    uint32_t *first, *set; /* offset of the next set in the words; where its words go */
    uint32_t at, next, level, leaves, sets;
} soothi_tree_writer;

SOOTHI_LOCAL void soothi_tree_write_begin(soothi_tree_writer *w, sooth_tree *tree) {
    w->tree = tree;
    w->node = (sooth_tree_node *)(void *)(tree + 1);
    w->value = (float *)(void *)(w->node + tree->nodes);
    w->weight = (double *)(void *)((unsigned char *)tree + tree->head.doubles_at);
    w->first = (uint32_t *)(uintptr_t)soothi_tree_sets(tree).first;
    w->set = (uint32_t *)(uintptr_t)soothi_tree_sets(tree).word;
    w->at = w->leaves = w->sets = 0;
    w->next = w->level = 1;
}

/* Returns the place of the next node's values (targets floats), or NULL if they are not stored. */
SOOTHI_LOCAL float *soothi_tree_write_value(const soothi_tree_writer *w, int leaf) {
    const size_t targets = w->tree->head.targets;
    if (w->tree->statistics) return w->value + w->at * targets;
    return targets > 1 && leaf ? w->value + w->leaves * targets : NULL;
}

/* Writes the next node; its values and its set's words are already in place. s->left is 0 in a leaf. */
SOOTHI_LOCAL void soothi_tree_write_node(soothi_tree_writer *w, const sooth_tree_step *s) {
    sooth_tree *tree = w->tree;
    sooth_tree_node *node = &w->node[w->at];
    if (w->at == w->level) {
        ++tree->depth;
        w->level = w->next;
    }
    if (tree->statistics) {
        memcpy(w->value + (size_t)tree->nodes * tree->head.targets + w->at, &s->rows, sizeof s->rows);
        w->weight[w->at] = s->weight;
        w->weight[(size_t)tree->nodes + w->at] = s->impurity;
    }
    if (s->left) {
        node->u.threshold = s->threshold;
        if (s->set) {
            node->u.at = SOOTHI_TREE_SET + w->sets++;
            w->first[1] = w->first[0] + s->set_words;
            ++w->first;
            w->set += s->set_words;
        }
        node->link = (w->next - w->at) << tree->shift | s->feature << 2 | (s->missing_right ? 3u : 1u);
        w->next += 2;
    } else {
        node->link = 0;
        if (tree->head.targets > 1) node->u.at = tree->statistics ? w->at : w->leaves;
        else node->u.value = s->value;
        ++w->leaves;
    }
    ++w->at;
}

/* Converts the records of a grown tree to a block. */
SOOTHI_LOCAL sooth_status soothi_tree_pack(soothi_grower *g, int statistics, sooth_tree **out) {
    const soothi_categories *levels = &g->columns->categories;
    const size_t nodes = soothi_grow_order(g);
    soothi_tree_shape shape = {nodes, g->cols, g->targets, statistics, 0, 0};
    soothi_tree_writer w;
    for (size_t k = 0; levels->categorical && k < nodes; ++k) {
        const soothi_grower_record *r = &g->record[g->order[k]];
        const uint32_t *set = r->left ? soothi_grower_set(g, g->order[k]) : NULL; /* a set of classes */
        if (set) ++shape.sets, shape.set_words += soothi_categories_codes(levels, r->feature, set, NULL);
    }
    const sooth_status status = soothi_tree_new(g->env, &shape, out);
    if (status != SOOTH_OK) return status;
    soothi_tree_write_begin(&w, *out);
    while (w.at < nodes) {
        const uint32_t id = g->order[w.at];
        const soothi_grower_record *r = &g->record[id];
        const uint32_t *set = r->left ? soothi_grower_set(g, id) : NULL;
        float *value = soothi_tree_write_value(&w, !r->left);
        for (size_t t = 0; value && t < g->targets; ++t) value[t] = (float)soothi_grower_value(g, id, t);
        const float first = (float)soothi_grower_value(g, id, 0);
        const uint32_t words = set ? soothi_categories_codes(levels, r->feature, set, w.set) : 0;
        const sooth_tree_step s = {0,   r->left, r->feature, r->threshold, !r->missing_left,
                                   0,   first,   r->rows,    r->weight,    r->impurity,
                                   set, words};
        soothi_tree_write_node(&w, &s);
    }
    soothi_block_seal(&(*out)->head);
    return SOOTH_OK;
}

SOOTH_API void sooth_tree_free(sooth_env *env, sooth_tree *tree) {
    soothi_block_free(env, tree ? &tree->head : NULL);
}

/* ---- inspecting a tree ---- */

/* Returns weight[nodes], then impurity[nodes]; needs statistics. */
SOOTHI_LOCAL const double *soothi_tree_weights(const sooth_tree *tree) {
    return (const double *)(const void *)((const unsigned char *)tree + tree->head.doubles_at);
}

/* Returns the left child of a node, or 0. */
SOOTHI_LOCAL uint32_t soothi_tree_left(const sooth_tree *tree, uint32_t node) {
    const uint32_t link = soothi_tree_nodes(tree)[node].link;
    return link & 1u ? node + (link >> tree->shift) : 0;
}

SOOTH_API void sooth_tree_look(const sooth_tree *tree, size_t at, sooth_tree_step *step) {
    const uint32_t node = (uint32_t)at;
    const sooth_tree_node *n = soothi_tree_nodes(tree) + node;
    const float *value = soothi_tree_values(tree);
    memset(step, 0, sizeof *step);
    step->node = node;
    step->left = soothi_tree_left(tree, node);
    if (step->left) {
        step->feature = soothi_tree_feature(n, tree->shift);
        step->threshold = n->u.threshold;
        step->missing_right = (int)(n->link >> 1 & 1u);
        step->set = soothi_tree_set(tree, node, &step->set_words);
    } else {
        step->value = soothi_tree_value(tree, node, 0);
    }
    if (!tree->statistics) return;
    step->value = value[(size_t)node * tree->head.targets];
    memcpy(&step->rows, value + (size_t)tree->nodes * tree->head.targets + node, sizeof step->rows);
    step->weight = soothi_tree_weights(tree)[node];
    step->impurity = soothi_tree_weights(tree)[(size_t)tree->nodes + node];
}

SOOTH_API size_t sooth_tree_path(const sooth_tree *tree, const float *row, sooth_tree_step *step,
                                 size_t capacity) {
    uint32_t at = 0;
    size_t steps = 0;
    for (;;) {
        const uint32_t below = soothi_tree_child(tree, at, row);
        if (steps < capacity) {
            sooth_tree_look(tree, at, &step[steps]);
            step[steps].went_right = step[steps].left != 0 && below > step[steps].left;
        }
        ++steps;
        if (below == at) return steps;
        at = below;
    }
}

SOOTHI_LOCAL sooth_status soothi_tree_need_statistics(sooth_env *env, const sooth_tree *tree) {
    if (tree->statistics) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "this needs the statistics of the nodes, but the tree was fitted with no_statistics");
}

/* Computes gain[0..features): the decrease of impurity x weight by the splits on each column. */
SOOTHI_LOCAL void soothi_tree_gains(const sooth_tree *tree, double *gain) {
    const double *weight = soothi_tree_weights(tree), *impurity = weight + tree->nodes;
    for (uint32_t j = 0; j < tree->head.features; ++j) gain[j] = 0.0;
    for (uint32_t i = 0; i < tree->nodes; ++i) {
        const uint32_t left = soothi_tree_left(tree, i);
        if (left)
            gain[soothi_tree_feature(soothi_tree_nodes(tree) + i, tree->shift)] +=
                weight[i] * impurity[i] - weight[left] * impurity[left] -
                weight[left + 1] * impurity[left + 1];
    }
}

/* Computes importance[0..features): each column's share of the total decrease of impurity. The shares sum to
   1, or to 0 for a single leaf. Needs statistics. */
SOOTHI_LOCAL sooth_status soothi_tree_importance(sooth_env *env, const sooth_tree *tree, double *importance) {
    sooth_status status = soothi_tree_need_statistics(env, tree);
    double sum = 0.0;
    if (status != SOOTH_OK) return status;
    soothi_tree_gains(tree, importance);
    for (uint32_t i = 0; i < tree->head.features; ++i) sum += importance[i];
    for (uint32_t i = 0; i < tree->head.features && sum > 0.0; ++i) importance[i] /= sum;
    return SOOTH_OK;
}

/* Writes ", or with all values 5 + 2 (threads - 3)". */
SOOTHI_LOCAL void soothi_tree_write_plane(const soothi_linear_leaf *plane, const sooth_table *names,
                                          sooth_sink *sink) {
    const soothi_linear_leaf_term *term = soothi_linear_leaf_terms(plane);
    char name[32];
    sooth_text_put(sink, ", or with all values %f", (double)plane->at);
    for (uint32_t k = 0; k < plane->terms; ++k)
        sooth_text_put(sink, " %s %f (%s %s %f)", term[k].slope < 0.0f ? "-" : "+",
                       soothi_abs((double)term[k].slope), soothi_column(names, term[k].feature, name),
                       term[k].center < 0.0f ? "+" : "-", soothi_abs((double)term[k].center));
}

/* Writes "is one of 0, 2, 5". */
SOOTHI_LOCAL void soothi_tree_write_set(const sooth_tree_step *step, int right, sooth_sink *sink) {
    int more = 0;
    sooth_text_put(sink, right ? " is none of" : " is one of");
    for (size_t word = 0; word < step->set_words; ++word)
        for (size_t bit = 0; bit < 32; ++bit) {
            if (!(step->set[word] >> bit & 1u)) continue;
            sooth_text_put(sink, more ? ", %z" : " %z", 32 * word + bit);
            more = 1;
        }
}

SOOTHI_LOCAL void soothi_tree_write_rule(const sooth_tree *tree, const sooth_table *names, uint32_t node,
                                         uint32_t depth, int right, sooth_sink *sink) {
    sooth_tree_step step;
    char name[32];
    sooth_tree_look(tree, node, &step);
    for (uint32_t k = 0; k < depth; ++k) sooth_text_write(sink, "|   ", 4);
    if (step.left) {
        sooth_text_put(sink, "%s", soothi_column(names, step.feature, name));
        if (step.set) soothi_tree_write_set(&step, right, sink);
        else sooth_text_put(sink, " %s %f", right ? ">" : "<=", (double)step.threshold);
        sooth_text_put(sink, step.missing_right == right ? ", or missing\n" : "\n");
        return;
    }
    for (uint32_t k = 0; k < tree->head.targets; ++k)
        sooth_text_put(sink, k ? ", %f" : "%f", (double)soothi_tree_value(tree, node, k));
    if (soothi_tree_linear_leaf(tree, node))
        soothi_tree_write_plane(soothi_tree_linear_leaf(tree, node), names, sink);
    if (tree->statistics) sooth_text_put(sink, step.rows == 1 ? " (1 row)" : " (%u rows)", step.rows);
    sooth_text_put(sink, "\n");
}

SOOTH_API sooth_status sooth_tree_write(sooth_env *env, const sooth_tree *tree, const char *const *names,
                                        sooth_sink *sink) {
    uint32_t *way = (uint32_t *)sooth_alloc(env, (size_t)tree->depth + 1,
                                            sizeof *way); /* path: 2 node + side, from the root on */
    uint32_t n = 0, at = 0;
    sooth_table table;
    if (!way) return sooth_no_memory(env, "writing a tree", ((size_t)tree->depth + 1) * sizeof *way);
    sooth_table_init(&table, NULL, 0, 0);
    table.names = names;
    for (;;) {
        soothi_tree_write_rule(tree, &table, at, n, 0, sink);
        if (soothi_tree_left(tree, at)) {
            way[n++] = 2 * at;
            at = soothi_tree_left(tree, at);
            continue;
        }
        while (n > 0 && (way[n - 1] & 1)) --n;
        if (n == 0) break;
        at = way[n - 1] / 2;
        way[n - 1] |= 1u;
        soothi_tree_write_rule(tree, &table, at, n - 1, 1, sink);
        at = soothi_tree_left(tree, at) + 1;
    }
    sooth_free(env, way, (size_t)tree->depth + 1, sizeof *way);
    return SOOTH_OK;
}

/* ---- pruning ---- */

/* Minimal cost-complexity pruning. r is a node's share of the total impurity, `branch` the sum of r over the
   leaves of its subtree. Cutting the subtree back to a leaf costs alpha = (r - branch) / (leaves - 1) per
   leaf saved. The smallest alpha goes first (of equal ones the lowest node), which raises branch above it. No
   other alpha ever falls, so a heap may hold old values and update them at the top. */
typedef struct soothi_tree_pruner {
    const sooth_tree *tree;
    double *branch, *alpha;           /* alpha: last computed value */
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

/* Returns 1 if the link at a is weaker than that at b. */
SOOTHI_LOCAL int soothi_tree_weaker(const soothi_tree_pruner *p, uint32_t a, uint32_t b) {
    return p->alpha[a] < p->alpha[b] || (!(p->alpha[a] > p->alpha[b]) && a < b);
}

/* Returns 1 if the link, or one above it, was already cut back. */
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
                                       size_t capacity) {
    const sooth_tree *tree = p->tree;
    size_t n = 0, count = 0;
    uint32_t i, nodes = tree->nodes;
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
        double penalty = 0.0;
        if (count > 0) {
            while (n > 0) { /* find the smallest up-to-date alpha */
                i = p->heap[0];
                penalty = soothi_tree_alpha(p, i);
                if (soothi_tree_gone(p, i)) p->heap[0] = p->heap[--n];
                else if (penalty > p->alpha[i]) p->alpha[i] = penalty;
                else break;
                if (n > 0) soothi_tree_sink(p, n, 0);
            }
            if (n == 0 || penalty > most) return count;
            const double more = soothi_tree_share(tree, i) - p->branch[i];
            const uint32_t fewer = p->leaves[i] - 1;
            for (uint32_t up = i;; up = p->parent[up]) {
                p->branch[up] += more;
                p->leaves[up] -= fewer;
                if (up == 0) break;
            }
        }
        if (count < capacity) {
            alpha[count] = penalty;
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
    p->branch = (double *)sooth_alloc(env, nodes, 28);
    if (!p->branch) return sooth_no_memory(env, "pruning a tree", nodes * 28);
    p->alpha = p->branch + nodes;
    p->parent = (uint32_t *)(void *)(p->alpha + nodes);
    p->leaves = p->parent + nodes;
    p->heap = p->leaves + nodes;
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_tree_pruner_free(sooth_env *env, soothi_tree_pruner *p) {
    sooth_free(env, p->branch, p->tree->nodes, 28);
}

SOOTH_API sooth_status sooth_tree_pruning_path(sooth_env *env, const sooth_tree *tree, double *alpha,
                                               double *impurity, size_t capacity, size_t *count) {
    soothi_tree_pruner p;
    sooth_status status = soothi_tree_pruner_init(env, tree, &p);
    *count = 0;
    if (status != SOOTH_OK) return status;
    *count = soothi_tree_weaken(&p, DBL_MAX, alpha, impurity, capacity);
    soothi_tree_pruner_free(env, &p);
    return SOOTH_OK;
}

/* Copies the pruned tree. */
SOOTHI_LOCAL sooth_status soothi_tree_cut(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                          int statistics, sooth_tree **out) {
    const size_t targets = tree->head.targets;
    soothi_tree_shape shape = {1, tree->head.features, targets, statistics, 0, 0};
    soothi_tree_pruner p;
    soothi_tree_writer w;
    sooth_tree_step s;
    uint32_t *source; /* old indices of the new nodes, breadth first */
    *out = NULL;
    sooth_status status = soothi_tree_pruner_init(env, tree, &p);
    if (status != SOOTH_OK) return status;
    soothi_tree_weaken(&p, ccp_alpha, NULL, NULL, 0);
    source = p.heap; /* no longer needed */
    source[0] = 0;
    for (size_t k = 0; k < shape.nodes; ++k) {
        const uint32_t left = p.leaves[source[k]] == 1 ? 0 : soothi_tree_left(tree, source[k]);
        uint32_t words = 0;
        if (!left) continue;
        shape.sets += soothi_tree_set(tree, source[k], &words) != NULL;
        shape.set_words += words;
        source[shape.nodes++] = left;
        source[shape.nodes++] = left + 1;
    }
    status = soothi_tree_new(env, &shape, out);
    if (status == SOOTH_OK) {
        soothi_tree_write_begin(&w, *out);
        while (w.at < (*out)->nodes) {
            const uint32_t old = source[w.at];
            sooth_tree_look(tree, old, &s);
            if (p.leaves[old] == 1) s.left = 0;
            float *value = soothi_tree_write_value(&w, !s.left);
            if (value) memcpy(value, soothi_tree_values(tree) + old * targets, targets * sizeof *value);
            if (s.left && s.set) memcpy(w.set, s.set, s.set_words * sizeof *w.set);
            soothi_tree_write_node(&w, &s);
        }
        soothi_block_seal(&(*out)->head);
    }
    soothi_tree_pruner_free(env, &p);
    return status;
}

SOOTH_API sooth_status sooth_tree_prune(sooth_env *env, const sooth_tree *tree, double ccp_alpha,
                                        sooth_tree **pruned) {
    *pruned = NULL;
    if (soothi_tree_is_linear(tree))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "pruning does not support linear leaves; set ccp_alpha in the options of the fit");
    if (!(ccp_alpha >= 0.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ccp_alpha is %g, but must be at least 0", ccp_alpha);
    return soothi_tree_cut(env, tree, ccp_alpha, 1, pruned);
}

/* ---- fitting linear leaves ---- */

/* Collects the leaves of a grown, perhaps pruned, tree: their rows, paths and bounds. Node k was record
   order[k] before (scratch: the tree's nodes). */
SOOTHI_LOCAL void soothi_tree_open_leaves(const sooth_tree *tree, const soothi_grower *g, uint32_t *order,
                                          soothi_leaves *v) {
    v->nodes = tree->nodes;
    order[0] = 0;
    for (uint32_t k = 0; k < tree->nodes; ++k) {
        const uint32_t left = soothi_tree_left(tree, k), id = order[k];
        v->ask[k] = soothi_tree_feature(soothi_tree_nodes(tree) + k, tree->shift);
        v->constant[k] = left ? 0.0f : soothi_tree_value(tree, k, 0);
        if (v->bound) memcpy(v->bound + 2 * (size_t)k, g->bound + 2 * (size_t)id, 2 * sizeof(double));
        if (!left) continue;
        v->up[left] = v->up[left + 1] = k;
        order[left] = g->record[id].left;
        order[left + 1] = g->record[id].right;
    }
    for (size_t i = 0; i < v->table->rows; ++i)
        v->leaf_of[i] = soothi_row_counts(v->table->weight, i)
                            ? soothi_tree_leaf(tree, v->table->x + i * v->table->stride)
                            : SOOTHI_LEAVES_NOT;
}

/* Replaces the tree by a copy with linear leaves. Without any, the tree stays unchanged. */
SOOTHI_LOCAL sooth_status soothi_tree_add_planes(sooth_env *env, const soothi_leaves *v, sooth_tree **tree) {
    const sooth_tree *old = *tree;
    const size_t nodes = old->nodes, records = v->records, before = old->head.doubles_at;
    const size_t begin =
        (size_t)((const unsigned char *)soothi_tree_records(old) - (const unsigned char *)old);
    const uint64_t words = begin + soothi_tree_plane_bytes(nodes, records);
    sooth_tree *made = NULL;
    if (!records) return SOOTH_OK;
    if (words < 0xFFFFFFF0u)
        made = (sooth_tree *)soothi_block_new(env, SOOTH_KIND_TREE, soothi_tree_has_sets(old) ? 3 : 2,
                                              (size_t)words, old->head.bytes_at - before, 0);
    if (!made)
        return sooth_no_memory(env, "the linear leaves of a tree", sizeof(soothi_linear_leaf) * records);
    made->head.features = old->head.features;
    made->head.targets = old->head.targets;
    memcpy((unsigned char *)made + sizeof made->head, (const unsigned char *)old + sizeof old->head,
           begin - sizeof old->head);
    memcpy((unsigned char *)made + made->head.doubles_at, (const unsigned char *)old + before,
           old->head.bytes_at - before);
    uint32_t *at = (uint32_t *)(void *)((unsigned char *)made + begin);
    *at++ = (uint32_t)records;
    memcpy(at, v->at, nodes * sizeof *at);
    memcpy(at + nodes, v->record, records * sizeof(soothi_linear_leaf));
    soothi_block_seal(&made->head);
    sooth_tree_free(env, *tree);
    *tree = made;
    return SOOTH_OK;
}

/* Fits linear leaves to a tree that grew in g. */
SOOTHI_LOCAL sooth_status soothi_tree_fit_leaves(const soothi_grower *g, const sooth_table *table,
                                                 const sooth_tree_options *o, sooth_tree **tree) {
    soothi_carver m = {NULL, 0};
    soothi_leaves v;
    uint32_t *order = NULL;
    memset(&v, 0, sizeof v);
    for (size_t pass = 0; pass < 2; ++pass) {
        if (pass) m.memory = (unsigned char *)sooth_alloc(g->env, m.used, 1);
        if (pass && !m.memory) return sooth_no_memory(g->env, "fitting linear leaves", m.used);
        m.used = 0;
        soothi_leaves_layout(&m, &v, table->rows, table->cols, (*tree)->nodes, g->workers,
                             o->monotone != NULL);
        soothi_leaves_layout_planes(&m, &v, table->rows, (*tree)->nodes);
        order = (uint32_t *)soothi_carve(&m, (*tree)->nodes, sizeof *order);
    }
    v.rules = soothi_leaves_rules_of(o->linear_lambda, o->has_extrapolate, o->extrapolate, o->monotone);
    v.table = table;
    v.y = table->y;
    v.y_stride = 1;
    v.weight = table->weight;
    soothi_tree_open_leaves(*tree, g, order, &v);
    soothi_leaves_fit(g->env, &v);
    const sooth_status status = soothi_tree_add_planes(g->env, &v, tree);
    sooth_free(g->env, m.memory, m.used, 1);
    return status;
}

/* ---- fitting a tree ---- */

/* Fits a tree to the rows of several processes. */
SOOTHI_LOCAL sooth_status soothi_tree_fit_shared(sooth_env *env, const sooth_table *table,
                                                 const sooth_tree_options *options, sooth_tree **tree) {
    sooth_table whole;
    sooth_env alone;
    sooth_status status = soothi_gather(env, table, &whole, &alone);
    if (status != SOOTH_OK) return status;
    status = soothi_gather_end(env, &alone, &whole, sooth_tree_fit(&alone, &whole, options, tree));
    if (status == SOOTH_OK) return status;
    sooth_tree_free(env, *tree);
    *tree = NULL;
    return status;
}

SOOTH_API sooth_status sooth_tree_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_tree_options *options, sooth_tree **tree) {
    soothi_carver m = {NULL, 0};
    soothi_tree_fitting f;
    sooth_tree_options o;
    double total = 0.0;
    size_t entries = 0;
    *tree = NULL;
    if (soothi_ranks(env) > 1) return soothi_tree_fit_shared(env, table, options, tree);
    sooth_status status = soothi_tree_accept(env, options, table, &o);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < table->rows; ++i) {
        entries += (size_t)soothi_row_counts(table->weight, i);
        total += soothi_row_weight(table->weight, i);
    }
    f.columns = soothi_columns_of(table->rows, entries, table->cols, o.bins);
    f.columns.categories = soothi_categories_of(table);
    f.columns.ready = table->bins;
    soothi_tree_rules(&o, table->cols, table->weight != NULL, total, &f.rules);
    for (size_t pass = 0; pass < 2; ++pass) { /* first the size, then the pointers */
        if (pass) m.memory = (unsigned char *)sooth_alloc(env, m.used, 1);
        if (pass && !m.memory) return sooth_no_memory(env, "growing a tree", m.used);
        soothi_tree_layout(&m, &f, table->targets, table->weight != NULL, soothi_workers(env));
    }
    f.g.env = env;
    f.g.stage = "growing a tree";
    f.g.y = table->y;
    f.g.weight = table->weight;
    soothi_columns_prepare(env, f.g.workers, &f.columns, o.bins ? f.g.scratch : f.g.lists.list[1],
                           f.g.workers * f.g.scratch_share, table);
    soothi_grow_begin(&f.g);
    status = soothi_progress(env, f.g.stage, 0.0);
    if (status == SOOTH_OK) status = soothi_grow_tree(&f.g);
    if (status == SOOTH_OK) status = soothi_tree_pack(&f.g, o.ccp_alpha > 0.0 || !o.no_statistics, tree);
    if (!o.linear_leaves) sooth_free(env, m.memory, m.used, 1);
    if (status == SOOTH_OK && o.ccp_alpha > 0.0) {
        sooth_tree *whole = *tree;
        status = soothi_tree_cut(env, whole, o.ccp_alpha, !o.no_statistics, tree);
        sooth_tree_free(env, whole);
    }
    if (!o.linear_leaves) return status;
    if (status == SOOTH_OK) status = soothi_tree_fit_leaves(&f.g, table, &o, tree);
    sooth_free(env, m.memory, m.used, 1);
    if (status != SOOTH_OK) {
        sooth_tree_free(env, *tree);
        *tree = NULL;
    }
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
