/* tree/ensemble.h - many trees in one block: the model format of forests, boosting and imported models.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A forest predicts the mean of its trees, boosting the sum. Both share this part: the block, its check, the
 * walk through all trees for one row or many, and a builder for headers that make trees (forest.h, boost.h,
 * import.h).
 *
 * A prediction has the same bytes on every machine. For target t, start with base[t] and add the leaf of
 * every tree in tree order, each addition rounded to float. An exact ensemble carries the rounding errors
 * along (Knuth's two-sum), as if the sum had 48 bits, and rounds once. A mean is then divided by the number
 * of trees and clipped to the minimum and maximum of the leaves. The link comes last. Several quantiles of
 * one target are then sorted.
 *
 * Cost:
 *   predict  at most 8 ceil(trees / 8) x depth comparisons (sooth_boost_cost); no allocation. One row
 *            walks eight trees at once; many rows walk one tree in eights. While one walk waits for memory,
 *            the others continue. Shallow trees (at most 8 levels) have a second form: the place of a node
 *            follows from its path. tree/scorer.h predicts many rows of such trees four times as fast. Many
 *            rows take 9 KB of stack (0.6 if a pointer has less than 64 bits).
 *   model    8 bytes per node, 4 more with cover, 4 more with low parts; 12 x 2^depth bytes per tree for the
 *            second form. Linear leaves: see tree/linear_leaves.h. A set of categories takes 4 bytes and a
 *            bit for each up to its largest. Ensembles with linear leaves or sets have no second form.
 */
#if !defined(SOOTH_TREE_ENSEMBLE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_ENSEMBLE_IMPLEMENTED))
#include "../tree.h"
#endif

#ifndef SOOTH_TREE_ENSEMBLE_H
#define SOOTH_TREE_ENSEMBLE_H

SOOTHI_C_BEGIN

/* with several quantiles; 3 with sets of categories; 2 with linear leaves only; 1 otherwise */
#define SOOTH_ENSEMBLE_VERSION 4
#define SOOTH_ENSEMBLE_MAX_QUANTILES 8u

/* Function applied to the sum. */
typedef enum sooth_ensemble_link {
    SOOTH_ENSEMBLE_LINK_IDENTITY = 0,
    SOOTH_ENSEMBLE_LINK_EXP,     /* e^sum, at most 3.3e38: Poisson, gamma and other losses with a log link */
    SOOTH_ENSEMBLE_LINK_LOGISTIC /* 1 / (1 + e^-sum) */
} sooth_ensemble_link;

/* Bits of sooth_ensemble.flags. */
#define SOOTH_ENSEMBLE_MEAN 1u  /* predict the mean of the trees, not their sum */
#define SOOTH_ENSEMBLE_EXACT 2u /* carry the rounding errors of sums along */
#define SOOTH_ENSEMBLE_LOW 4u   /* leaves have low parts: 48 bits each; implies EXACT */
/* a leaf predicts all targets; without it tree k predicts target k % targets */
#define SOOTH_ENSEMBLE_ROWS 8u
#define SOOTH_ENSEMBLE_COVER 16u  /* the weight of the training rows per node is stored */
#define SOOTH_ENSEMBLE_LINEAR 32u /* leaves may be linear (tree/linear_leaves.h); each predicts one target */
#define SOOTH_ENSEMBLE_SETS 64u   /* nodes may test sets of categories */
#define SOOTH_ENSEMBLE_ZEROS 128u /* with SETS: values between -1 and 0 count as category 0, not as none */
/* the targets are quantiles of one, 2 to SOOTH_ENSEMBLE_MAX_QUANTILES. Their sums are sorted, so they never
   cross. Without ROWS and MEAN, with the link IDENTITY */
#define SOOTH_ENSEMBLE_QUANTILES 256u

/* The block: this struct, then in this order
     sooth_tree_node node[nodes]       the trees, one after the other, each as in sooth_tree
     uint32_t start[trees + 1]         offset of each tree; start[trees] is `nodes`
     float base[2 targets]             initial sums, then their low parts
     float hull[2 targets]             value bounds: min and max over all leaves (clips a mean)
     float value[leaves x targets]     with ROWS and several targets: node.u.at is the row, counted through
                                       all trees
     float low[nodes]                  with LOW: of leaves
     float cover[nodes]                with COVER
     uint32_t table[groups x 24 x 2^D] with table_depth D > 0: the second form, see below
     uint32_t linear[nodes + 5 n]      with LINEAR: the arrays of tree/linear_leaves.h, nodes counted through
                                       all trees; n is linear_leaves
     uint32_t set[sets + 1 + words]    with SETS: offset of each set in the words, their number, the words
     uint32_t extra[extra]             data of a kind: see forest.h. With QUANTILES: float level[targets],
                                       between 0 and 1, ascending
   and in the region of doubles
     double gain[features]             gain of the splits on each column in training; 0 means unknown
   The second form has the trees in groups of eight; the last group is padded. A group has 2^D places. Place 0
   is unused, place 1 is the root, and the children of place k are 2 k and 2 k + 1. Each place holds eight
   pairs (threshold, 4 x feature), one per tree. Then come 2^D places of eight leaves. Nodes test sets like
   those of a sooth_tree; sets are counted through all trees. */
typedef struct sooth_ensemble {
    sooth_block head;
    uint32_t trees;
    uint32_t nodes;  /* of all trees */
    uint32_t leaves; /* of all trees */
    uint32_t depth;  /* comparisons on the longest path of the deepest tree */
    uint32_t shift;  /* see sooth_tree_node */
    uint32_t flags;
    uint32_t link;          /* a sooth_ensemble_link */
    uint32_t table_depth;   /* D; 0 means no second form */
    uint32_t extra;         /* words */
    uint32_t linear_leaves; /* records of linear leaves and their terms */
    uint32_t sets;          /* of categories */
    uint32_t set_words;     /* of all sets */
} sooth_ensemble;

/* Predicts one row of head.features floats. With several targets, returns the first. */
SOOTH_API float sooth_ensemble_predict(const sooth_ensemble *e, const float *row);

/* Writes out[i * targets + t] for `rows` rows, which are `stride` floats apart. */
SOOTH_API void sooth_ensemble_predict_many(const sooth_ensemble *e, const float *x, size_t rows,
                                           size_t stride, float *out);

/* Like sooth_ensemble_predict_many, with the first `trees` trees (staged prediction); 0 means all. */
SOOTH_API void sooth_ensemble_predict_first(const sooth_ensemble *e, const float *x, size_t rows,
                                            size_t stride, uint32_t trees, float *out);

#ifndef SOOTH_PREDICT_ONLY

/* Frees the ensemble; NULL is allowed. */
SOOTH_API void sooth_ensemble_free(sooth_env *env, sooth_ensemble *e);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_TREE_ENSEMBLE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_ENSEMBLE_IMPLEMENTED)
#define SOOTH_TREE_ENSEMBLE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the arrays ---- */

/* Offsets of the arrays, in words from the beginning of the block. */
typedef struct soothi_ensemble_layout {
    uint64_t node, start, base, hull, value, low, cover, table, plane, set, extra, end;
} soothi_ensemble_layout;

/* Returns the number of targets that a leaf predicts. */
SOOTHI_LOCAL uint32_t soothi_ensemble_width(const sooth_ensemble *e) {
    return e->flags & SOOTH_ENSEMBLE_ROWS ? e->head.targets : 1;
}

SOOTHI_LOCAL soothi_ensemble_layout soothi_ensemble_lay_out(const sooth_ensemble *e) {
    soothi_ensemble_layout at;
    const uint64_t nodes = e->nodes, width = soothi_ensemble_width(e);
    at.node = sizeof(sooth_ensemble) / 4;
    at.start = at.node + 2 * nodes;
    at.base = at.start + e->trees + 1u;
    at.hull = at.base + 2 * (uint64_t)e->head.targets;
    at.value = at.hull + 2 * (uint64_t)e->head.targets;
    at.low = at.value + (width > 1 ? e->leaves * width : 0);
    at.cover = at.low + (e->flags & SOOTH_ENSEMBLE_LOW ? nodes : 0);
    at.table = at.cover + (e->flags & SOOTH_ENSEMBLE_COVER ? nodes : 0);
    at.plane = at.table + (e->table_depth ? ((uint64_t)e->trees + 7) / 8 * 24 << e->table_depth : 0);
    at.set = at.plane;
    if (e->flags & SOOTH_ENSEMBLE_LINEAR)
        at.set += nodes + SOOTHI_LINEAR_LEAF_WORDS * (uint64_t)e->linear_leaves;
    at.extra = at.set + (e->flags & SOOTH_ENSEMBLE_SETS ? (uint64_t)e->sets + 1 + e->set_words : 0);
    at.end = at.extra + e->extra;
    return at;
}

SOOTHI_LOCAL const sooth_tree_node *soothi_ensemble_nodes(const sooth_ensemble *e) {
    return (const sooth_tree_node *)(const void *)(e + 1);
}

/* Returns start[trees + 1]: the first node of each tree, then the number of nodes. */
SOOTHI_LOCAL const uint32_t *soothi_ensemble_start(const sooth_ensemble *e) {
    return (const uint32_t *)(const void *)(soothi_ensemble_nodes(e) + e->nodes);
}

/* Returns base[targets], then their low parts. */
SOOTHI_LOCAL const float *soothi_ensemble_base(const sooth_ensemble *e) {
    return (const float *)(const void *)(soothi_ensemble_start(e) + e->trees + 1);
}

/* Returns hull[2 t], hull[2 t + 1], the value bounds. */
SOOTHI_LOCAL const float *soothi_ensemble_hull(const sooth_ensemble *e) {
    return soothi_ensemble_base(e) + 2 * (size_t)e->head.targets;
}

SOOTHI_LOCAL const float *soothi_ensemble_values(const sooth_ensemble *e) {
    return soothi_ensemble_hull(e) + 2 * (size_t)e->head.targets;
}

/* Returns the low parts of leaves that predict one target, by node; NULL if there are none. */
SOOTHI_LOCAL const float *soothi_ensemble_low(const sooth_ensemble *e) {
    return e->flags & SOOTH_ENSEMBLE_LOW ? soothi_ensemble_values(e) : NULL;
}

/* Returns cover[nodes], the weight of the training rows per node; NULL if unknown. */
SOOTHI_LOCAL const float *soothi_ensemble_cover(const sooth_ensemble *e) {
    if (!(e->flags & SOOTH_ENSEMBLE_COVER)) return NULL;
    return (const float *)(const void *)e + soothi_ensemble_lay_out(e).cover;
}

/* Returns the second form (see sooth_ensemble). */
SOOTHI_LOCAL const unsigned char *soothi_ensemble_table(const sooth_ensemble *e) {
    return (const unsigned char *)e + 4 * (size_t)soothi_ensemble_lay_out(e).table;
}

/* Returns the arrays of tree/linear_leaves.h, if LINEAR is set. */
SOOTHI_LOCAL const uint32_t *soothi_ensemble_planes(const sooth_ensemble *e) {
    return (const uint32_t *)(const void *)e + soothi_ensemble_lay_out(e).plane;
}

/* Returns the linear model of a node, followed by its terms; NULL for a constant leaf or an inner node. */
SOOTHI_LOCAL const soothi_linear_leaf *soothi_ensemble_linear_leaf(const sooth_ensemble *e, uint32_t node) {
    if (!(e->flags & SOOTH_ENSEMBLE_LINEAR)) return NULL;
    return soothi_linear_leaf_at(soothi_ensemble_planes(e), e->nodes, node);
}

/* ---- sets of categories ---- */

/* Returns the sets, if SETS is set. -0.99999994 is the float above -1. */
SOOTHI_LOCAL soothi_sets soothi_ensemble_open_sets(const sooth_ensemble *e) {
    const uint32_t *first = (const uint32_t *)(const void *)e + soothi_ensemble_lay_out(e).set;
    const soothi_sets sets = {first, first + e->sets + 1,
                              e->flags & SOOTH_ENSEMBLE_ZEROS ? -0.99999994f : 0.0f};
    return sets;
}

/* Returns the child of a node of any ensemble. */
SOOTHI_LOCAL uint32_t soothi_ensemble_child(const sooth_ensemble *e, uint32_t at, const float *row) {
    const sooth_tree_node *node = soothi_ensemble_nodes(e);
    const uint32_t mask = soothi_tree_mask(e->shift);
    if (!(e->flags & SOOTH_ENSEMBLE_SETS)) return soothi_tree_down(node, at, e->shift, mask, row);
    const soothi_sets sets = soothi_ensemble_open_sets(e);
    return soothi_tree_down_sets(node, at, e->shift, mask, row, &sets);
}

/* Returns the set of a node, *words words: bit c % 32 of word c / 32 is 1 if category c goes left. Returns
   NULL and 0 words if the node has no set. */
SOOTHI_LOCAL const uint32_t *soothi_ensemble_set(const sooth_ensemble *e, uint32_t node, uint32_t *words) {
    soothi_sets sets = {NULL, NULL, 0.0f};
    if (e->flags & SOOTH_ENSEMBLE_SETS) sets = soothi_ensemble_open_sets(e);
    return soothi_tree_set_of(soothi_ensemble_nodes(e) + node, &sets, words);
}

/* ---- the walk ---- */

SOOTHI_HOT void soothi_ensemble_eight(const sooth_ensemble *e, const float *x, size_t stride, int missing,
                                      uint32_t at[8]) {
    if (e->flags & SOOTH_ENSEMBLE_SETS) {
        const soothi_sets sets = soothi_ensemble_open_sets(e);
        soothi_tree_eight_sets(soothi_ensemble_nodes(e), e->shift, x, stride, &sets, at);
    } else soothi_tree_eight(soothi_ensemble_nodes(e), e->shift, x, stride, missing, at);
}

/* Returns 1 if the row has a missing value. */
SOOTHI_LOCAL int soothi_ensemble_has_missing(const float *row, uint32_t features) {
    uint32_t missing = 0;
    for (uint32_t j = 0; j < features; ++j) missing |= (uint32_t)(soothi_bits(row[j]) << 1 > 0xFF000000u);
    return missing != 0;
}

/* Goes one level down in the second form. A place is its byte offset in the group, 64 for each. pair: the
   pair of the tree in place 0. */
SOOTHI_HOT size_t soothi_ensemble_step(const unsigned char *pair, size_t place, const float *row) {
    const float threshold = *(const float *)(const void *)(pair + place);
    const uint32_t at = *(const uint32_t *)(const void *)(pair + place + 4);
    const float x = *(const float *)(const void *)((const unsigned char *)row + at);
    return 2 * place + ((size_t)SOOTHI_TREE_GREATER(x, threshold) << 6);
}

/* Computes the predictions of a group's eight trees for one row. Each walk waits for its own loads only. */
SOOTHI_LOCAL void soothi_ensemble_predict_group(const unsigned char *group, uint32_t depth, const float *row,
                                                float out[8]) {
    /* where leaves would begin if place 0 had some, 32 bytes each */
    const unsigned char *leaf = group + ((size_t)32 << depth);
    size_t a = 64, b = 64, c = 64, d = 64, e = 64, f = 64, g = 64, h = 64;
    for (uint32_t level = 0; level < depth; ++level) {
        a = soothi_ensemble_step(group, a, row);
        b = soothi_ensemble_step(group + 8, b, row);
        c = soothi_ensemble_step(group + 16, c, row);
        d = soothi_ensemble_step(group + 24, d, row);
        e = soothi_ensemble_step(group + 32, e, row);
        f = soothi_ensemble_step(group + 40, f, row);
        g = soothi_ensemble_step(group + 48, g, row);
        h = soothi_ensemble_step(group + 56, h, row);
    }
#define SOOTHI_LEAF(i, place) *(const float *)(const void *)(leaf + 4 * (i) + (place) / 2)
    out[0] = SOOTHI_LEAF(0, a), out[1] = SOOTHI_LEAF(1, b), out[2] = SOOTHI_LEAF(2, c),
    out[3] = SOOTHI_LEAF(3, d);
    out[4] = SOOTHI_LEAF(4, e), out[5] = SOOTHI_LEAF(5, f), out[6] = SOOTHI_LEAF(6, g),
    out[7] = SOOTHI_LEAF(7, h);
#undef SOOTHI_LEAF
}

/* ---- the sum ---- */

/* A partial sum, high + low. low stays 0 unless the ensemble is exact. */
typedef struct soothi_ensemble_sum {
    float high, low;
} soothi_ensemble_sum;

/* Adds v and keeps the rounding error (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B). */
SOOTHI_LOCAL void soothi_ensemble_add_exact(soothi_ensemble_sum *s, float v, float low) {
    const float sum = s->high + v, back = sum - s->high;
    s->low += (s->high - (sum - back)) + (v - back) + low;
    s->high = sum;
}

SOOTHI_LOCAL void soothi_ensemble_add_value(soothi_ensemble_sum *s, float v, int exact) {
    if (exact) soothi_ensemble_add_exact(s, v, 0.0f);
    else s->high += v;
}

/* Adds eight values in their order. */
SOOTHI_HOT void soothi_ensemble_add_eight(soothi_ensemble_sum *s, const float v[8], int exact) {
    if (exact)
        for (uint32_t i = 0; i < 8; ++i) soothi_ensemble_add_exact(s, v[i], 0.0f);
    else s->high = s->high + v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}

/* Returns (high + low) / n, rounded once except for 2^-48. q is the quotient of the high part. The remainder
   high - q n is exact, as the product is split (Dekker, 1971: each factor into halves of 12 bits). Values
   whose halves would overflow are scaled by 2^-64 in between. */
SOOTHI_LOCAL float soothi_ensemble_divide(float high, float low, float n) {
    const int large = !(high > -1e30f && high < 1e30f);
    if (large) high *= 5.42101086e-20f, low *= 5.42101086e-20f;
    const float q = high / n;
    float qh = q * 4097.0f, nh = n * 4097.0f;
    if (!(q > -1e30f && q < 1e30f)) return q; /* the sum is not finite */
    qh -= qh - q;
    float ql = q - qh;
    nh -= nh - n;
    float nl = n - nh;
    float p = q * n;
    float e = ((qh * nh - p) + qh * nl + ql * nh) + ql * nl;
    const float mean = q + (((high - p) - e) + low) / n;
    return large ? mean * 18446744073709551616.0f : mean;
}

/* Returns the prediction of target t over `trees` trees, before the link. */
SOOTHI_LOCAL float soothi_ensemble_margin(const sooth_ensemble *e, uint32_t t, soothi_ensemble_sum s,
                                          uint32_t trees) {
    const float *hull = soothi_ensemble_hull(e) + 2 * (size_t)t;
    if (!(e->flags & SOOTH_ENSEMBLE_MEAN)) return s.high + s.low;
    const float v = soothi_ensemble_divide(s.high, s.low, (float)trees);
    return v < hull[0] ? hull[0] : v > hull[1] ? hull[1] : v;
}

SOOTHI_LOCAL float soothi_ensemble_linked(const sooth_ensemble *e, float v) {
    if (e->link == SOOTH_ENSEMBLE_LINK_EXP) return soothi_exp_f(v > 88.7f ? 88.7f : v); /* never infinite */
    if (e->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) return soothi_sigmoid_f(v);
    return v;
}

SOOTHI_LOCAL soothi_ensemble_sum soothi_ensemble_begin_sum(const sooth_ensemble *e, uint32_t t) {
    const float *base = soothi_ensemble_base(e);
    const soothi_ensemble_sum s = {base[t],
                                   e->flags & SOOTH_ENSEMBLE_EXACT ? base[e->head.targets + t] : 0.0f};
    return s;
}

/* Adds the value of a leaf for target t. */
SOOTHI_LOCAL void soothi_ensemble_add_leaf(const sooth_ensemble *e, uint32_t leaf, uint32_t t,
                                           soothi_ensemble_sum *s) {
    const sooth_tree_node *node = soothi_ensemble_nodes(e) + leaf;
    const float *low = soothi_ensemble_low(e);
    const size_t width = soothi_ensemble_width(e);
    if (width > 1)
        soothi_ensemble_add_value(s, soothi_ensemble_values(e)[node->u.at * width + t],
                                  (e->flags & SOOTH_ENSEMBLE_EXACT) != 0);
    else if (low) soothi_ensemble_add_exact(s, node->u.value, low[leaf]);
    else soothi_ensemble_add_value(s, node->u.value, (e->flags & SOOTH_ENSEMBLE_EXACT) != 0);
}

/* Finds the leaves of trees first .. first + 8 for one row. Repeats the last tree after the end. */
SOOTHI_LOCAL void soothi_ensemble_group(const sooth_ensemble *e, const float *row, int missing,
                                        uint32_t first, uint32_t at[8]) {
    const uint32_t *start = soothi_ensemble_start(e);
    for (uint32_t i = 0; i < 8; ++i) at[i] = start[first + i < e->trees ? first + i : e->trees - 1];
    soothi_ensemble_eight(e, row, 0, missing, at);
}

/* Predicts one row and one target with the first `trees` trees, before the link. */
SOOTHI_LOCAL float soothi_ensemble_one(const sooth_ensemble *e, const float *row, uint32_t trees,
                                       uint32_t t) {
    const int missing = soothi_ensemble_has_missing(row, e->head.features),
              exact = (e->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    const uint32_t turns = soothi_ensemble_width(e) < e->head.targets ? e->head.targets : 1;
    soothi_ensemble_sum s = soothi_ensemble_begin_sum(e, t);
    uint32_t k = 0, used = 0;
    if (e->table_depth && !missing) {
        const unsigned char *group = soothi_ensemble_table(e);
        const size_t size = (size_t)96 << e->table_depth, early = size < 1024 ? size : 1024;
        for (; k < trees; k += 8, group += size) {
            float out[8];
            /* only the first four levels of the next group: prefetching all takes longer */
            for (size_t i = 0; i < early && trees - k > 8; i += 64) SOOTHI_PREFETCH(group + size + i);
            soothi_ensemble_predict_group(group, e->table_depth, row, out);
#if UINTPTR_MAX > 0xFFFFFFFFu /* smaller machines save flash */
            if (turns == 1 && trees - k >= 8) {
                soothi_ensemble_add_eight(&s, out, exact);
                used += 8;
                continue;
            }
#endif
            for (uint32_t i = 0; i < 8 && k + i < trees; ++i) {
                if (turns > 1 && (k + i) % turns != t) continue;
                soothi_ensemble_add_value(&s, out[i], exact);
                ++used;
            }
        }
    }
    for (; k < trees; k += 8) {
        uint32_t at[8];
        soothi_ensemble_group(e, row, missing, k, at);
        for (uint32_t i = 0; i < 8 && k + i < trees; ++i) {
            if (turns > 1 && (k + i) % turns != t) continue;
            soothi_ensemble_add_leaf(e, at[i], t, &s);
            ++used;
        }
    }
    return soothi_ensemble_margin(e, t, s, used);
}

/* Like soothi_ensemble_one, with linear leaves. */
SOOTHI_LOCAL float soothi_ensemble_one_linear(const sooth_ensemble *e, const float *row, uint32_t trees,
                                              uint32_t t) {
    const int missing = soothi_ensemble_has_missing(row, e->head.features),
              exact = (e->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    const uint32_t turns = soothi_ensemble_width(e) < e->head.targets ? e->head.targets : 1;
    const uint32_t *planes = soothi_ensemble_planes(e);
    const sooth_tree_node *node = soothi_ensemble_nodes(e);
    const float *low = soothi_ensemble_low(e);
    soothi_ensemble_sum s = soothi_ensemble_begin_sum(e, t);
    uint32_t used = 0;
    for (uint32_t k = 0; k < trees; k += 8) {
        uint32_t at[8];
        soothi_ensemble_group(e, row, missing, k, at);
        for (uint32_t i = 0; i < 8 && k + i < trees; ++i) {
            const soothi_linear_leaf *plane = soothi_linear_leaf_at(planes, e->nodes, at[i]);
            float v[2] = {node[at[i]].u.value, low ? low[at[i]] : 0.0f};
            if (turns > 1 && (k + i) % turns != t) continue;
            if (plane && low) soothi_linear_leaf_predict_exact(plane, row, v);
            else if (plane) v[0] = soothi_linear_leaf_predict(plane, v[0], row);
            if (exact) soothi_ensemble_add_exact(&s, v[0], v[1]);
            else s.high += v[0];
            ++used;
        }
    }
    return soothi_ensemble_margin(e, t, s, used);
}

/* Predicts one row with any ensemble. */
SOOTHI_LOCAL float soothi_ensemble_any(const sooth_ensemble *e, const float *row, uint32_t trees,
                                       uint32_t t) {
    return e->flags & SOOTH_ENSEMBLE_LINEAR ? soothi_ensemble_one_linear(e, row, trees, t)
                                            : soothi_ensemble_one(e, row, trees, t);
}

/* Writes leaf[k], the node (below e->nodes) that a row ends in, for each tree. */
SOOTHI_LOCAL void soothi_ensemble_leaves(const sooth_ensemble *e, const float *row, uint32_t *leaf) {
    const int missing = soothi_ensemble_has_missing(row, e->head.features);
    for (uint32_t k = 0; k < e->trees; k += 8) {
        uint32_t at[8];
        soothi_ensemble_group(e, row, missing, k, at);
        for (uint32_t i = 0; i < 8 && k + i < e->trees; ++i) leaf[k + i] = at[i];
    }
}

/* Rows of a batch, which go through one tree together, so that it is fetched once. 2048 suit a full tree of
   100 KB and a large stack. The second form is read in order, for which 64 are enough. */
#define SOOTHI_ENSEMBLE_BATCH (sizeof(void *) < 8 ? 64 : 2048)

/* Predicts a batch by the second form, one group of trees at a time; no row has a missing value. */
SOOTHI_LOCAL void soothi_ensemble_batch_groups(const sooth_ensemble *e, const float *x, size_t rows,
                                               size_t stride, uint32_t trees, float *high, float *low) {
    const unsigned char *group = soothi_ensemble_table(e);
    const int exact = (e->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    for (uint32_t k = 0; k < trees; k += 8, group += (size_t)96 << e->table_depth) {
        const uint32_t n = trees - k < 8 ? trees - k : 8;
        for (size_t i = 0; i < rows; ++i) {
            soothi_ensemble_sum s = {high[i], low[i]};
            float v[8];
            soothi_ensemble_predict_group(group, e->table_depth, x + i * stride, v);
            for (uint32_t j = 0; j < n; ++j) soothi_ensemble_add_value(&s, v[j], exact);
            high[i] = s.high, low[i] = s.low;
        }
    }
}

/* Predicts a batch tree by tree, eight rows at a time; rows is a multiple of eight. missing[i / 8]: 1 if
   one of the eight rows from i on has a missing value. A tree for many rows is prefetched in order, the
   fastest access; a walk would wait for every line. (Not a separate function: gcc removes calls that only
   prefetch.) */
SOOTHI_LOCAL void soothi_ensemble_batch_trees(const sooth_ensemble *e, const float *x, size_t rows,
                                              size_t stride, uint32_t trees, const unsigned char *missing,
                                              float *high, float *low) {
    const sooth_tree_node *node = soothi_ensemble_nodes(e);
    const uint32_t *start = soothi_ensemble_start(e);
    const float *more = soothi_ensemble_low(e);
    const int exact = (e->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    for (uint32_t k = 0; k < trees; ++k) {
        const size_t end = start[k + 1] - start[k] <= 64 * rows ? start[k + 1] : 0;
        for (size_t i = start[k]; i < end; i += 8) SOOTHI_PREFETCH(node + i);
        if (more)
            for (size_t i = start[k]; i < end; i += 16) SOOTHI_PREFETCH(more + i);
        for (size_t i = 0; i < rows; i += 8) {
            uint32_t at[8];
            for (size_t j = 0; j < 8; ++j) at[j] = start[k];
            soothi_ensemble_eight(e, x + i * stride, stride, missing[i / 8], at);
            for (size_t j = 0; j < 8; ++j) {
                soothi_ensemble_sum s = {high[i + j], low[i + j]};
                if (more) soothi_ensemble_add_exact(&s, node[at[j]].u.value, more[at[j]]);
                else soothi_ensemble_add_value(&s, node[at[j]].u.value, exact);
                high[i + j] = s.high, low[i + j] = s.low;
            }
        }
    }
}

/* Predicts a batch of `rows` (a multiple of eight, at most SOOTHI_ENSEMBLE_BATCH) for a single target. out
   accumulates the high parts. Each row is summed in the order of soothi_ensemble_one. */
SOOTHI_LOCAL void soothi_ensemble_batch(const sooth_ensemble *e, const float *x, size_t rows, size_t stride,
                                        uint32_t trees, float *out) {
    const soothi_ensemble_sum base = soothi_ensemble_begin_sum(e, 0);
    float low[SOOTHI_ENSEMBLE_BATCH];
    unsigned char missing[SOOTHI_ENSEMBLE_BATCH / 8] = {0}, any = 0;
    for (size_t i = 0; i < rows; ++i) {
        out[i] = base.high, low[i] = base.low;
        missing[i / 8] |= (unsigned char)soothi_ensemble_has_missing(x + i * stride, e->head.features);
        any |= missing[i / 8];
    }
    if (e->table_depth && !any) soothi_ensemble_batch_groups(e, x, rows, stride, trees, out, low);
    else soothi_ensemble_batch_trees(e, x, rows, stride, trees, missing, out, low);
    for (size_t i = 0; i < rows; ++i) {
        const soothi_ensemble_sum s = {out[i], low[i]};
        out[i] = soothi_ensemble_linked(e, soothi_ensemble_margin(e, 0, s, trees));
    }
}

/* Predicts all targets of one row, if leaves predict several: sixteen targets per walk. */
SOOTHI_LOCAL void soothi_ensemble_rows_of(const sooth_ensemble *e, const float *row, uint32_t trees,
                                          float *out) {
    const int missing = soothi_ensemble_has_missing(row, e->head.features);
    const uint32_t targets = e->head.targets;
    for (uint32_t first = 0; first < targets; first += 16) {
        const uint32_t end = targets - first < 16 ? targets : first + 16;
        soothi_ensemble_sum s[16];
        for (uint32_t t = first; t < end; ++t) s[t - first] = soothi_ensemble_begin_sum(e, t);
        for (uint32_t k = 0; k < trees; k += 8) {
            uint32_t at[8];
            soothi_ensemble_group(e, row, missing, k, at);
            for (uint32_t i = 0; i < 8 && k + i < trees; ++i)
                for (uint32_t t = first; t < end; ++t) soothi_ensemble_add_leaf(e, at[i], t, &s[t - first]);
        }
        for (uint32_t t = first; t < end; ++t)
            out[t] = soothi_ensemble_linked(e, soothi_ensemble_margin(e, t, s[t - first], trees));
    }
}

/* Sorts the quantiles of a row, ascending. The sorted ones are as good or better by the sum of their pinball
   losses, whatever the row (Chernozhukov, Fernandez-Val, Galichon: Quantile and probability curves without
   crossing, Econometrica 78, 2010). They rarely cross, which takes one comparison for each neighbour. */
SOOTHI_LOCAL void soothi_ensemble_sort(float *v, uint32_t n) {
    for (uint32_t i = 1; i < n; ++i) {
        const float moved = v[i];
        uint32_t k = i;
        for (; k > 0 && v[k - 1] > moved; --k) v[k] = v[k - 1];
        v[k] = moved;
    }
}

/* Adds the trees k .. k + 8 of a row to the sums of the targets first .. end. */
SOOTHI_LOCAL void soothi_ensemble_add_turns(const sooth_ensemble *e, const float *row, int missing,
                                            uint32_t k, uint32_t trees, uint32_t first, uint32_t end,
                                            soothi_ensemble_sum *s) {
    const int exact = (e->flags & SOOTH_ENSEMBLE_EXACT) != 0, fast = e->table_depth && !missing;
    const float *low = soothi_ensemble_low(e);
    uint32_t at[8], t = k % e->head.targets;
    float out[8];
    if (fast)
        soothi_ensemble_predict_group(soothi_ensemble_table(e) + ((size_t)(k / 8) * 96 << e->table_depth),
                                      e->table_depth, row, out);
    else soothi_ensemble_group(e, row, missing, k, at);
    for (uint32_t i = 0; i < 8 && k + i < trees; ++i, t = t + 1 < e->head.targets ? t + 1 : 0) {
        if (t < first || t >= end) continue;
        const soothi_linear_leaf *plane = fast ? NULL : soothi_ensemble_linear_leaf(e, at[i]);
        if (fast) soothi_ensemble_add_value(&s[t - first], out[i], exact);
        else if (!plane) soothi_ensemble_add_leaf(e, at[i], t, &s[t - first]);
        else {
            float v[2] = {soothi_ensemble_nodes(e)[at[i]].u.value, low ? low[at[i]] : 0.0f};
            if (low) soothi_linear_leaf_predict_exact(plane, row, v);
            else v[0] = soothi_linear_leaf_predict(plane, v[0], row);
            if (exact) soothi_ensemble_add_exact(&s[t - first], v[0], v[1]);
            else s[t - first].high += v[0];
        }
    }
}

/* Predicts all targets of one row, if trees take turns: sixteen targets per walk. Each is summed in the order
   of soothi_ensemble_one. */
SOOTHI_LOCAL void soothi_ensemble_turns_of(const sooth_ensemble *e, const float *row, uint32_t trees,
                                           float *out) {
    const int missing = soothi_ensemble_has_missing(row, e->head.features);
    const uint32_t targets = e->head.targets;
    for (uint32_t first = 0; first < targets; first += 16) {
        const uint32_t end = targets - first < 16 ? targets : first + 16;
        soothi_ensemble_sum s[16];
        for (uint32_t t = first; t < end; ++t) s[t - first] = soothi_ensemble_begin_sum(e, t);
        for (uint32_t k = 0; k < trees; k += 8)
            soothi_ensemble_add_turns(e, row, missing, k, trees, first, end, s);
        for (uint32_t t = first; t < end; ++t)
            out[t] = soothi_ensemble_linked(
                e, soothi_ensemble_margin(e, t, s[t - first], (trees + targets - 1 - t) / targets));
    }
    if (e->flags & SOOTH_ENSEMBLE_QUANTILES) soothi_ensemble_sort(out, targets);
}

SOOTH_API float sooth_ensemble_predict(const sooth_ensemble *e, const float *row) {
    float out[SOOTH_ENSEMBLE_MAX_QUANTILES];
    if (!(e->flags & SOOTH_ENSEMBLE_QUANTILES))
        return soothi_ensemble_linked(e, soothi_ensemble_any(e, row, e->trees, 0));
    soothi_ensemble_turns_of(e, row, e->trees, out);
    return out[0];
}

SOOTH_API void sooth_ensemble_predict_first(const sooth_ensemble *e, const float *x, size_t rows,
                                            size_t stride, uint32_t trees, float *out) {
    size_t i = 0;
    if (trees == 0 || trees > e->trees) trees = e->trees;
    if (e->head.targets == 1 && !(e->flags & SOOTH_ENSEMBLE_LINEAR)) {
        const size_t most = e->table_depth ? 64 : SOOTHI_ENSEMBLE_BATCH;
        while (rows - i >= 8) {
            const size_t n = rows - i < most ? (rows - i) / 8 * 8 : most;
            soothi_ensemble_batch(e, x + i * stride, n, stride, trees, out + i);
            i += n;
        }
    }
    for (; i < rows; ++i) {
        float *to = out + i * e->head.targets;
        if (soothi_ensemble_width(e) > 1) soothi_ensemble_rows_of(e, x + i * stride, trees, to);
        else if (e->head.targets > 1) soothi_ensemble_turns_of(e, x + i * stride, trees, to);
        else to[0] = soothi_ensemble_linked(e, soothi_ensemble_any(e, x + i * stride, trees, 0));
    }
}

SOOTH_API void sooth_ensemble_predict_many(const sooth_ensemble *e, const float *x, size_t rows,
                                           size_t stride, float *out) {
    sooth_ensemble_predict_first(e, x, rows, stride, 0, out);
}

/* See sooth_boost_cost; with low parts a column of a linear leaf counts as eight. */
SOOTHI_LOCAL sooth_cost soothi_ensemble_cost(const sooth_ensemble *e) {
    const uint64_t walks = ((uint64_t)e->trees + 7) / 8 * 8;
    const uint64_t sorts =
        e->flags & SOOTH_ENSEMBLE_QUANTILES ? e->head.targets * (e->head.targets - 1) / 2 : 0;
    const uint64_t comparisons = walks * (e->depth ? e->depth : 1) + sorts;
    uint64_t values = (uint64_t)e->trees * soothi_ensemble_width(e);
    const uint32_t *start = soothi_ensemble_start(e);
    for (uint32_t k = 0; e->flags & SOOTH_ENSEMBLE_LINEAR && k < e->trees; ++k)
        values += (e->flags & SOOTH_ENSEMBLE_LOW ? SOOTHI_LINEAR_LEAF_EXACT : 1u) *
                  (uint64_t)soothi_linear_leaf_max_terms(soothi_ensemble_planes(e), e->nodes, start[k],
                                                         start[k + 1]);
    const sooth_cost cost = {e->head.size, comparisons < UINT32_MAX ? (uint32_t)comparisons : UINT32_MAX,
                             values < UINT32_MAX ? (uint32_t)values : UINT32_MAX,
                             e->link == SOOTH_ENSEMBLE_LINK_IDENTITY ? 0 : e->head.targets};
    return cost;
}

/* ---- checking ---- */

/* Computes the words of place k (from 1 to 2^(depth+1) - 1) in the second form of a tree of at most `depth`
   levels: a pair, or from place 2^depth on a leaf. The bits of k below the leading one are the path to the
   place. A leaf higher up fills its whole range: nodes on the way test the first column and send every value
   left. */
SOOTHI_LOCAL void soothi_ensemble_place_words(const sooth_tree_node *node, uint32_t shift, uint32_t depth,
                                              uint32_t k, uint32_t word[2]) {
    uint32_t at = 0, bit = k, level = 0;
    while (bit >>= 1) ++level;
    for (; level > 0 && node[at].link & 1u; --level) at += (node[at].link >> shift) + (k >> (level - 1) & 1u);
    word[1] = 0;
    if (k >> depth) word[0] = soothi_bits(node[at].u.value);
    else if (!(node[at].link & 1u)) word[0] = SOOTHI_INFINITE_BITS;
    else {
        word[0] = soothi_bits(node[at].u.threshold);
        word[1] = node[at].link & soothi_tree_mask(shift);
    }
}

/* Returns the offset of place k of a tree in the second form. */
SOOTHI_LOCAL size_t soothi_ensemble_place_at(uint32_t tree, uint32_t depth, uint32_t k) {
    const size_t group = (size_t)(tree / 8) * 24 << depth, i = tree % 8;
    return k >> depth ? group + ((size_t)16 << depth) + 8 * (size_t)(k - (1u << depth)) + i
                      : group + 16 * (size_t)k + 2 * i;
}

/* Checks that the second form matches the trees. */
SOOTHI_LOCAL int soothi_ensemble_check_table(const sooth_ensemble *e) {
    const uint32_t *table = (const uint32_t *)(const void *)soothi_ensemble_table(e), depth = e->table_depth;
    const uint32_t *start = soothi_ensemble_start(e);
    for (uint32_t tree = 0; tree < (e->trees + 7) / 8 * 8; ++tree)
        for (uint32_t k = 0; k < 2u << depth; ++k) {
            const uint32_t *at = table + soothi_ensemble_place_at(tree, depth, k);
            uint32_t word[2] = {0, 0};
            if (tree < e->trees && k > 0)
                soothi_ensemble_place_words(soothi_ensemble_nodes(e) + start[tree], e->shift, depth, k, word);
            if (at[0] != word[0] || (!(k >> depth) && at[1] != word[1])) return 0;
        }
    return 1;
}

/* Checks the linear leaves. The nodes and the layout are valid. */
SOOTHI_LOCAL int soothi_ensemble_check_planes(const sooth_ensemble *e) {
    const uint32_t *at = soothi_ensemble_planes(e);
    uint32_t next = 0;
    for (uint32_t k = 0; k < e->nodes; ++k)
        if (!soothi_linear_leaf_is_valid(at, e->nodes, k, (int)(soothi_ensemble_nodes(e)[k].link & 1u),
                                         e->head.features, e->linear_leaves, &next))
            return 0;
    return next == e->linear_leaves;
}

/* Returns the version of a block with these flags. */
SOOTHI_LOCAL uint32_t soothi_ensemble_version(uint32_t flags) {
    return flags & SOOTH_ENSEMBLE_QUANTILES ? SOOTH_ENSEMBLE_VERSION
           : flags & SOOTH_ENSEMBLE_SETS    ? 3u
           : flags & SOOTH_ENSEMBLE_LINEAR  ? 2u
                                            : 1u;
}

/* Returns level[targets], if QUANTILES is set. */
SOOTHI_LOCAL const float *soothi_ensemble_levels(const sooth_ensemble *e) {
    return (const float *)(const void *)e + soothi_ensemble_lay_out(e).extra;
}

/* Checks the quantiles. The layout is valid. */
SOOTHI_LOCAL int soothi_ensemble_check_levels(const sooth_ensemble *e) {
    const float *level = soothi_ensemble_levels(e);
    for (uint32_t t = 0; t < e->head.targets; ++t)
        if (!(level[t] > (t ? level[t - 1] : 0.0f) && level[t] < 1.0f)) return 0;
    return 1;
}

/* Returns 1 if bytes[0..size) begin with a valid ensemble of this kind (SOOTH_KIND_FOREST, SOOTH_KIND_BOOST).
   The functions below then neither loop forever nor read outside. A checked model may come from anyone. */
SOOTHI_LOCAL int soothi_ensemble_check(const void *bytes, size_t size, uint32_t kind) {
    const sooth_ensemble *e = (const sooth_ensemble *)bytes;
    uint32_t leaves = 0, depth, deepest = 0, sets = 0, version = SOOTH_ENSEMBLE_VERSION;
    while (version && !sooth_block_check(bytes, size, (sooth_kind)kind, version)) --version;
    if (!version || e->head.size < sizeof *e || version != soothi_ensemble_version(e->flags)) return 0;
    const int linear = (e->flags & SOOTH_ENSEMBLE_LINEAR) != 0, asks = (e->flags & SOOTH_ENSEMBLE_SETS) != 0;
    const int low = (e->flags & SOOTH_ENSEMBLE_LOW) != 0, wide = soothi_ensemble_width(e) > 1;
    if (e->head.features == 0 || e->head.targets == 0 || e->head.targets > 0x10000000u || e->trees == 0 ||
        e->trees >= 0x1000000u || e->shift < 2 || e->shift > 31 || e->flags > 511 ||
        e->link > SOOTH_ENSEMBLE_LINK_LOGISTIC || e->table_depth > 8 ||
        e->trees % (wide ? 1 : e->head.targets) != 0)
        return 0;
    const int quantiles = (e->flags & SOOTH_ENSEMBLE_QUANTILES) != 0;
    if (quantiles && (wide || e->head.targets < 2 || e->head.targets > SOOTH_ENSEMBLE_MAX_QUANTILES ||
                      e->extra != e->head.targets || e->link != SOOTH_ENSEMBLE_LINK_IDENTITY ||
                      kind != SOOTH_KIND_BOOST || (e->flags & SOOTH_ENSEMBLE_MEAN)))
        return 0;
    if (low && (wide || !(e->flags & SOOTH_ENSEMBLE_EXACT))) return 0;
    if (e->table_depth && (wide || low || linear || asks)) return 0;
    if ((linear && wide) || (!asks && (e->flags & SOOTH_ENSEMBLE_ZEROS))) return 0;
    const soothi_ensemble_layout at = soothi_ensemble_lay_out(e);
    if (((4 * at.end + 15) & ~(uint64_t)15) != e->head.doubles_at ||
        e->head.bytes_at - e->head.doubles_at != ((8 * (uint64_t)e->head.features + 15) & ~(uint64_t)15) ||
        e->head.size != e->head.bytes_at)
        return 0;
    const uint32_t *start = soothi_ensemble_start(e);
    if (start[0] != 0 || start[e->trees] != e->nodes) return 0;
    if (quantiles && !soothi_ensemble_check_levels(e)) return 0;
    for (uint32_t k = 0; k < e->trees; ++k) {
        if (start[k + 1] <= start[k] || start[k + 1] > e->nodes ||
            !soothi_tree_is_valid(soothi_ensemble_nodes(e) + start[k], start[k + 1] - start[k], e->shift,
                                  e->head.features, (unsigned)wide, &leaves, &depth, asks ? &sets : NULL))
            return 0;
        if (depth > deepest) deepest = depth;
    }
    if (e->table_depth && (deepest > e->table_depth || !soothi_ensemble_check_table(e))) return 0;
    if (linear && !soothi_ensemble_check_planes(e)) return 0;
    if (asks && (sets != e->sets ||
                 !soothi_sets_are_valid(soothi_ensemble_open_sets(e).first, e->sets, e->set_words)))
        return 0;
    const float *hull = soothi_ensemble_hull(e);
    for (uint32_t k = 0; k < e->head.targets; ++k)
        if (!(hull[2 * k] <= hull[2 * k + 1])) return 0;
    return leaves == e->leaves && deepest == e->depth;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- inspecting an ensemble ---- */

/* A node in readable form, also for building. */
typedef struct soothi_ensemble_node {
    uint32_t left, right; /* its children, as indices in the tree's own array; left 0 means a leaf */
    uint32_t feature;
    uint32_t missing_right; /* 1: a missing value goes right */
    float threshold;        /* x <= threshold goes left; infinite: all but missing values go left */
    float cover;            /* weight of the training rows in this node; 0 means unknown */
    double value;           /* value of a leaf that predicts one target */
    double gain;            /* gain of its split; 0 means unknown */
    const uint32_t *set; /* see soothi_ensemble_set; NULL: the threshold decides. Neighbours may share it */
    uint32_t set_words;
} soothi_ensemble_node;

/* Returns the value of a leaf for target t (with ROWS; otherwise its only value). */
SOOTHI_LOCAL double soothi_ensemble_value(const sooth_ensemble *e, uint32_t leaf, uint32_t t) {
    const sooth_tree_node *node = soothi_ensemble_nodes(e) + leaf;
    const size_t width = soothi_ensemble_width(e);
    const float *low = soothi_ensemble_low(e);
    if (width > 1) return (double)soothi_ensemble_values(e)[node->u.at * width + t];
    return (double)node->u.value + (low ? (double)low[leaf] : 0.0);
}

/* Fills *out with node `node` (below e->nodes) of the whole ensemble. Its children are indices in the whole
   ensemble, too. gain is 0, as it is stored per column. With ROWS and several targets, value is the first. */
SOOTHI_LOCAL void soothi_ensemble_look(const sooth_ensemble *e, uint32_t node, soothi_ensemble_node *out) {
    const sooth_tree_node *n = soothi_ensemble_nodes(e) + node;
    const float *cover = soothi_ensemble_cover(e);
    memset(out, 0, sizeof *out);
    if (cover) out->cover = cover[node];
    if (n->link & 1u) {
        out->left = node + (n->link >> e->shift);
        out->right = out->left + 1;
        out->feature = soothi_tree_feature(n, e->shift);
        out->missing_right = n->link >> 1 & 1u;
        out->threshold = n->u.threshold;
        out->set = soothi_ensemble_set(e, node, &out->set_words);
    } else {
        out->value = soothi_ensemble_value(e, node, 0);
    }
}

/* Writes gain[0..features), the gain of the splits on each column in training; all 0 if unknown. */
SOOTHI_LOCAL void soothi_ensemble_gain(const sooth_ensemble *e, double *gain) {
    memcpy(gain, (const unsigned char *)e + e->head.doubles_at, e->head.features * sizeof *gain);
}

/* Writes out[i * targets + t], predictions before the link. */
SOOTHI_LOCAL void soothi_ensemble_margins(const sooth_ensemble *e, const float *x, size_t rows, size_t stride,
                                          float *out) {
    for (size_t i = 0; i < rows; ++i)
        for (uint32_t t = 0; t < e->head.targets; ++t)
            out[i * e->head.targets + t] = soothi_ensemble_any(e, x + i * stride, e->trees, t);
}

/* ---- building ---- */

typedef struct soothi_ensemble_shape {
    uint32_t kind; /* SOOTH_KIND_FOREST or SOOTH_KIND_BOOST */
    uint32_t features, targets;
    uint32_t flags;
    uint32_t link;
    uint32_t no_table; /* 1: omit the second form, for a smaller model */
} soothi_ensemble_shape;

typedef struct soothi_ensemble_buffer {
    uint32_t *word;
    size_t used, size;
} soothi_ensemble_buffer;

/* The fields are private. After a failure every further call returns the same status, and soothi_ensemble_end
   frees everything. It is enough to check the status of soothi_ensemble_end. */
typedef struct soothi_ensemble_builder {
    sooth_env *env;
    soothi_ensemble_shape shape;
    sooth_status status;
    uint32_t shift, depth, leaves;
    const uint32_t *last;            /* last set stored for the present tree */
    const soothi_categories *levels; /* sets hold their classes; NULL: sets hold codes */
    soothi_ensemble_buffer node, start, value, low, cover, at, plane, first, set;
    double *base, *gain; /* per target, per column */
    float *hull;
    float level[SOOTH_ENSEMBLE_MAX_QUANTILES]; /* with QUANTILES: set by the caller */
} soothi_ensemble_builder;

SOOTHI_LOCAL sooth_status soothi_ensemble_lost(soothi_ensemble_builder *b, size_t words) {
    return b->status = sooth_no_memory(b->env, "the trees", soothi_product(words, 4));
}

/* Returns space for `words` more words; NULL without memory: the builder fails. The buffer grows by half. */
SOOTHI_LOCAL uint32_t *soothi_ensemble_more(soothi_ensemble_builder *b, soothi_ensemble_buffer *buffer,
                                            size_t words) {
    const size_t used = buffer->used, half = buffer->size + buffer->size / 2;
    if (words > buffer->size - used) {
        const size_t size = half > used + words ? half : used + words;
        uint32_t *word = (uint32_t *)sooth_alloc(b->env, size, sizeof *word);
        if (!word) {
            soothi_ensemble_lost(b, words);
            return NULL;
        }
        if (used) memcpy(word, buffer->word, used * sizeof *word);
        sooth_free(b->env, buffer->word, buffer->size, sizeof *word);
        buffer->word = word;
        buffer->size = size;
    }
    buffer->used += words;
    return buffer->word + used;
}

SOOTHI_LOCAL uint32_t soothi_ensemble_values_per_leaf(const soothi_ensemble_builder *b) {
    return b->shape.flags & SOOTH_ENSEMBLE_ROWS ? b->shape.targets : 1;
}

/* Frees the memory of the builder. */
SOOTHI_LOCAL void soothi_ensemble_drop(soothi_ensemble_builder *b) {
    soothi_ensemble_buffer *const all[] = {&b->set, &b->first, &b->plane, &b->at,  &b->cover,
                                           &b->low, &b->value, &b->start, &b->node};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        sooth_free(b->env, all[k]->word, all[k]->size, sizeof *all[k]->word);
        memset(all[k], 0, sizeof *all[k]);
    }
    sooth_free(b->env, b->base, 2 * (size_t)b->shape.targets + b->shape.features, sizeof(double));
    b->base = NULL;
}

/* Begins an ensemble of this shape without trees. Allocates. */
SOOTHI_LOCAL sooth_status soothi_ensemble_begin(soothi_ensemble_builder *b, sooth_env *env,
                                                const soothi_ensemble_shape *shape) {
    const size_t numbers = 2 * (size_t)shape->targets + shape->features;
    memset(b, 0, sizeof *b);
    b->env = env;
    b->shape = *shape;
    b->shift = 2 + soothi_tree_bits(shape->features - 1u);
    if (b->shift > 31) b->shift = 31;
    if (shape->features == 0 || shape->targets == 0)
        return b->status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                                      "an ensemble needs features and targets, but has %u and %u",
                                      shape->features, shape->targets);
    b->base = (double *)sooth_alloc(env, numbers, sizeof(double));
    if (!b->base) return soothi_ensemble_lost(b, 2 * numbers);
    memset(b->base, 0, numbers * sizeof(double));
    b->gain = b->base + shape->targets;
    b->hull = (float *)(void *)(b->gain + shape->features);
    for (uint32_t t = 0; t < shape->targets; ++t) {
        b->hull[2 * (size_t)t] = soothi_of_bits(SOOTHI_INFINITE_BITS);
        b->hull[2 * (size_t)t + 1] = -soothi_of_bits(SOOTHI_INFINITE_BITS);
    }
    uint32_t *start = soothi_ensemble_more(b, &b->start, 1);
    if (start) start[0] = 0;
    return b->status;
}

SOOTHI_LOCAL sooth_status soothi_ensemble_crowded(const soothi_ensemble_builder *b, size_t tree) {
    return sooth_fail(b->env, SOOTH_BAD_DATA,
                      "tree %z has too many nodes for %u columns: 30 bits of a node must hold both; limit "
                      "max_leaves or max_depth",
                      tree, b->shape.features);
}

/* Copies the words `from` to `to` of an ensemble to a buffer. */
SOOTHI_LOCAL void soothi_ensemble_refill(soothi_ensemble_builder *b, soothi_ensemble_buffer *buffer,
                                         const sooth_ensemble *e, uint64_t from, uint64_t to) {
    const size_t words = (size_t)(to - from);
    uint32_t *at = words && b->status == SOOTH_OK ? soothi_ensemble_more(b, buffer, words) : NULL;
    if (at) memcpy(at, (const uint32_t *)(const void *)e + from, words * 4);
}

/* Changes the links of the builder's nodes from `shift` bits for a column to b->shift. */
SOOTHI_LOCAL sooth_status soothi_ensemble_shift(soothi_ensemble_builder *b, uint32_t shift) {
    sooth_tree_node *node = (sooth_tree_node *)(void *)b->node.word;
    for (size_t k = 0; k < b->node.used / 2 && shift != b->shift; ++k) {
        const uint64_t offset = node[k].link >> shift;
        if (offset << b->shift > UINT32_MAX) return b->status = soothi_ensemble_crowded(b, b->start.used - 1);
        node[k].link = (uint32_t)(offset << b->shift) | (node[k].link & ((1u << shift) - 1u));
    }
    return SOOTH_OK;
}

/* Begins with the trees of an existing ensemble, to add more. Drops its extra data but quantiles. */
SOOTHI_LOCAL sooth_status soothi_ensemble_resume(soothi_ensemble_builder *b, sooth_env *env,
                                                 const sooth_ensemble *e) {
    const soothi_ensemble_shape shape = {
        e->head.kind & 0xFFFFu, e->head.features, e->head.targets, e->flags, e->link, 0};
    const soothi_ensemble_layout at = soothi_ensemble_lay_out(e);
    if (soothi_ensemble_begin(b, env, &shape) != SOOTH_OK) return b->status;
    b->start.used = 0;
    soothi_ensemble_refill(b, &b->node, e, at.node, at.start);
    if (b->status == SOOTH_OK) soothi_ensemble_shift(b, e->shift);
    soothi_ensemble_refill(b, &b->start, e, at.start, at.base);
    soothi_ensemble_refill(b, &b->value, e, at.value, at.low);
    soothi_ensemble_refill(b, &b->low, e, at.low, at.cover);
    soothi_ensemble_refill(b, &b->cover, e, at.cover, at.table);
    if (e->flags & SOOTH_ENSEMBLE_LINEAR) {
        soothi_ensemble_refill(b, &b->at, e, at.plane, at.plane + e->nodes);
        soothi_ensemble_refill(b, &b->plane, e, at.plane + e->nodes, at.set);
    }
    if (e->flags & SOOTH_ENSEMBLE_SETS) {
        soothi_ensemble_refill(b, &b->first, e, at.set, at.set + e->sets);
        soothi_ensemble_refill(b, &b->set, e, at.set + e->sets + 1, at.extra);
    }
    for (uint32_t t = 0; t < e->head.targets; ++t)
        b->base[t] =
            (double)soothi_ensemble_base(e)[t] + (double)soothi_ensemble_base(e)[e->head.targets + t];
    memcpy(b->hull, soothi_ensemble_hull(e), 8 * (size_t)e->head.targets);
    soothi_ensemble_gain(e, b->gain);
    if (e->flags & SOOTH_ENSEMBLE_QUANTILES)
        memcpy(b->level, soothi_ensemble_levels(e), e->head.targets * sizeof *b->level);
    b->leaves = e->leaves;
    b->depth = e->depth;
    return b->status;
}

/* Sets the initial sum of target t. */
SOOTHI_LOCAL void soothi_ensemble_set_base(soothi_ensemble_builder *b, uint32_t t, double base) {
    if (b->base) b->base[t] = base;
}

/* Splits a double into the nearest float and the rest. */
SOOTHI_LOCAL void soothi_ensemble_halve(double v, float *high, float *low) {
    *high = (float)v;
    *low = soothi_finite((double)*high) ? (float)(v - (double)*high) : 0.0f;
}

/* Allows linear leaves from here on; existing leaves have none. */
SOOTHI_LOCAL sooth_status soothi_ensemble_open_planes(soothi_ensemble_builder *b) {
    const size_t nodes = b->node.used / 2;
    if (b->status != SOOTH_OK || (b->shape.flags & SOOTH_ENSEMBLE_LINEAR)) return b->status;
    b->shape.flags |= SOOTH_ENSEMBLE_LINEAR;
    uint32_t *at = nodes ? soothi_ensemble_more(b, &b->at, nodes) : NULL;
    if (at) memset(at, 0, nodes * sizeof *at);
    return b->status;
}

/* The next node's place in each of the builder's arrays. */
typedef struct soothi_ensemble_place {
    sooth_tree_node *node;
    float *low, *cover, *value; /* NULL if not stored */
    uint32_t *at;
} soothi_ensemble_place;

/* Linear leaves of a tree that is added, by its own nodes (see tree/linear_leaves.h); NULL means none. */
typedef struct soothi_ensemble_tree_planes {
    const uint32_t *at, *record;
} soothi_ensemble_tree_planes;

/* Appends the linear leaf of node `source`. */
SOOTHI_LOCAL void soothi_ensemble_put_plane(soothi_ensemble_builder *b,
                                            const soothi_ensemble_tree_planes *planes, size_t source,
                                            uint32_t *at) {
    const uint32_t *from = planes->record + (size_t)SOOTHI_LINEAR_LEAF_WORDS * (planes->at[source] - 1);
    const soothi_linear_leaf *plane = (const soothi_linear_leaf *)(const void *)from;
    const size_t words = SOOTHI_LINEAR_LEAF_WORDS * ((size_t)plane->terms + 1), before = b->plane.used;
    uint32_t *to = soothi_ensemble_more(b, &b->plane, words);
    float *hull = b->hull + 2 * ((b->start.used - 1) % b->shape.targets);
    if (!to) return;
    memcpy(to, from, words * sizeof *to);
    *at = (uint32_t)(before / SOOTHI_LINEAR_LEAF_WORDS) + 1;
    if (plane->least < hull[0]) hull[0] = plane->least;
    if (plane->most > hull[1]) hull[1] = plane->most;
}

SOOTHI_LOCAL sooth_status soothi_ensemble_put_leaf(soothi_ensemble_builder *b,
                                                   const soothi_ensemble_node *from, size_t source,
                                                   const float *values, soothi_ensemble_place *to) {
    const uint32_t width = soothi_ensemble_values_per_leaf(b), tree = (uint32_t)b->start.used - 1;
    float high, low;
    to->node->link = 0;
    soothi_ensemble_halve(from->value, &high, &low);
    if (width > 1) to->node->u.at = b->leaves;
    else to->node->u.value = high;
    for (uint32_t t = 0; t < width; ++t) {
        const float v = width > 1 ? values[t] : high;
        if (!soothi_finite((double)v))
            return sooth_fail(b->env, SOOTH_BAD_DATA, "leaf %z of tree %u is not finite", source, tree);
        float *hull = b->hull + 2 * (size_t)(width > 1 ? t : tree % b->shape.targets);
        if (v < hull[0]) hull[0] = v;
        if (v > hull[1]) hull[1] = v;
        if (width > 1) to->value[t] = v;
    }
    if (to->low) *to->low = low;
    if (width > 1) to->value += width;
    ++b->leaves;
    return SOOTH_OK;
}

/* Sets the bits of a threshold: the last set stored if it is the same, otherwise a new set. */
SOOTHI_LOCAL sooth_status soothi_ensemble_put_set(soothi_ensemble_builder *b,
                                                  const soothi_ensemble_node *from, uint32_t *bits) {
    const size_t before = b->set.used;
    *bits = SOOTHI_TREE_SET + (uint32_t)(b->first.used - 1);
    if (from->set == b->last) return SOOTH_OK;
    const uint32_t words =
        b->levels ? soothi_categories_codes(b->levels, from->feature, from->set, NULL) : from->set_words;
    if (b->first.used > 0x3FFFFFu || words > UINT32_MAX / 8 - before)
        return sooth_fail(b->env, SOOTH_BAD_DATA,
                          "tree %z has set %z of categories, with %u words after %z, more than a model holds",
                          b->start.used - 1, b->first.used + 1, words, before);
    uint32_t *first = soothi_ensemble_more(b, &b->first, 1);
    uint32_t *word = first && words ? soothi_ensemble_more(b, &b->set, words) : NULL;
    if (b->status != SOOTH_OK) return b->status;
    *first = (uint32_t)before;
    if (word && b->levels) {
        memset(word, 0, words * sizeof *word);
        soothi_categories_codes(b->levels, from->feature, from->set, word);
    } else if (word) {
        memcpy(word, from->set, words * sizeof *word);
    }
    ++*bits;
    b->last = from->set;
    b->shape.flags |= SOOTH_ENSEMBLE_SETS;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_ensemble_put_inner(soothi_ensemble_builder *b,
                                                    const soothi_ensemble_node *from, size_t source,
                                                    uint32_t offset, sooth_tree_node *node) {
    if (from->feature >= b->shape.features)
        return sooth_fail(b->env, SOOTH_BAD_DATA, "node %z of tree %z tests column %u, but there are only %u",
                          source, b->start.used - 1, from->feature + 1, b->shape.features);
    if (!from->set && soothi_nan((double)from->threshold))
        return sooth_fail(b->env, SOOTH_BAD_DATA, "the threshold of node %z of tree %z is NaN", source,
                          b->start.used - 1);
    if ((uint64_t)offset << b->shift > UINT32_MAX) return soothi_ensemble_crowded(b, b->start.used - 1);
    node->u.threshold = from->threshold;
    node->link = offset << b->shift | from->feature << 2 | (from->missing_right ? 3u : 1u);
    b->gain[from->feature] += from->gain;
    return from->set ? soothi_ensemble_put_set(b, from, &node->u.at) : SOOTH_OK;
}

/* Writes the nodes breadth first. Until a node is written, its link holds its index in the source. */
SOOTHI_LOCAL sooth_status soothi_ensemble_put_tree(soothi_ensemble_builder *b,
                                                   const soothi_ensemble_node *node, size_t count,
                                                   const float *values,
                                                   const soothi_ensemble_tree_planes *planes,
                                                   soothi_ensemble_place to) {
    const size_t width = soothi_ensemble_values_per_leaf(b);
    size_t next = 1, level = 1;
    uint32_t depth = 0;
    sooth_status status = SOOTH_OK;
    to.node[0].link = 0;
    for (size_t at = 0; at < next && status == SOOTH_OK; ++at, ++to.node) {
        const size_t source = to.node->link;
        const soothi_ensemble_node *from = node + source;
        if (at == level) {
            ++depth;
            level = next;
        }
        if (from->left) {
            if (next + 2 > count || from->left >= count || from->right >= count || !from->right)
                return sooth_fail(b->env, SOOTH_BAD_DATA,
                                  "the %z nodes of tree %z are not a tree: see node %z", count,
                                  b->start.used - 1, source);
            to.node[next - at].link = from->left;
            to.node[next - at + 1].link = from->right;
            status = soothi_ensemble_put_inner(b, from, source, (uint32_t)(next - at), to.node);
            next += 2;
            if (to.low) *to.low = 0.0f;
        } else {
            status = soothi_ensemble_put_leaf(b, from, source, values ? values + source * width : NULL, &to);
            if (planes && planes->at[source]) soothi_ensemble_put_plane(b, planes, source, to.at);
        }
        if (to.at) ++to.at;
        if (to.low) ++to.low;
        if (to.cover) *to.cover++ = from->cover;
    }
    if (status == SOOTH_OK && next != count)
        return sooth_fail(b->env, SOOTH_BAD_DATA, "tree %z reaches only %z of its %z nodes",
                          b->start.used - 1, next, count);
    if (depth > b->depth) b->depth = depth;
    return status == SOOTH_OK ? b->status : status;
}

/* Like soothi_ensemble_add_plain_tree, with linear leaves; NULL means none. */
SOOTHI_LOCAL sooth_status soothi_ensemble_add_tree(soothi_ensemble_builder *b,
                                                   const soothi_ensemble_node *node, size_t count,
                                                   const float *values,
                                                   const soothi_ensemble_tree_planes *planes) {
    const size_t width = soothi_ensemble_values_per_leaf(b);
    const uint32_t flags = b->shape.flags;
    b->last = NULL;
    if (b->status != SOOTH_OK) return b->status;
    if (count == 0 || count > UINT32_MAX / 4 - b->node.used / 2 || b->start.used >= 1u << 24)
        return b->status =
                   sooth_fail(b->env, SOOTH_BAD_DATA, "tree %z has %z nodes", b->start.used - 1, count);
    void *nodes = soothi_ensemble_more(b, &b->node, 2 * count);
    void *value = width > 1 ? soothi_ensemble_more(b, &b->value, (count + 1) / 2 * width) : NULL;
    void *low = flags & SOOTH_ENSEMBLE_LOW ? soothi_ensemble_more(b, &b->low, count) : NULL;
    void *cover = flags & SOOTH_ENSEMBLE_COVER ? soothi_ensemble_more(b, &b->cover, count) : NULL;
    uint32_t *at = flags & SOOTH_ENSEMBLE_LINEAR ? soothi_ensemble_more(b, &b->at, count) : NULL;
    if (b->status != SOOTH_OK) return b->status;
    if (at) memset(at, 0, count * sizeof *at);
    const soothi_ensemble_place to = {(sooth_tree_node *)nodes, (float *)low, (float *)cover, (float *)value,
                                      at};
    b->status = soothi_ensemble_put_tree(b, node, count, values, planes, to);
    uint32_t *start = b->status == SOOTH_OK ? soothi_ensemble_more(b, &b->start, 1) : NULL;
    if (start) *start = (uint32_t)(b->node.used / 2);
    return b->status;
}

/* Adds a tree of `count` nodes. Node 0 is the root; every other node is the child of exactly one node, before
   or after it. values: with ROWS, count x targets (those of inner nodes are ignored); otherwise NULL. Fails
   with SOOTH_BAD_DATA if the nodes are not a tree, a feature does not exist, a value is not finite, or the
   tree has too many nodes for this many columns (see sooth_tree). Allocates. */
SOOTHI_LOCAL sooth_status soothi_ensemble_add_plain_tree(soothi_ensemble_builder *b,
                                                         const soothi_ensemble_node *node, size_t count,
                                                         const float *values) {
    return soothi_ensemble_add_tree(b, node, count, values, NULL);
}

/* Copies the nodes of a grown tree, breadth first: node k was record g->order[k]. Values are 0. Returns the
   number of nodes. */
SOOTHI_LOCAL size_t soothi_ensemble_from_records(soothi_grower *g, soothi_ensemble_node *node) {
    const size_t nodes = soothi_grow_order(g);
    uint32_t next = 1;
    for (size_t at = 0; at < nodes; ++at) {
        const soothi_grower_record *r = &g->record[g->order[at]];
        const float cover = (float)r->weight;
        const soothi_ensemble_node leaf = {0, 0, 0, 0, 0.0f, cover, 0.0, 0.0, NULL, 0};
        const soothi_ensemble_node inner = {
            next, next + 1, r->feature, !r->missing_left, r->threshold, cover, 0.0, r->gain, NULL, 0};
        node[at] = r->left ? inner : leaf;
        if (!r->left) continue;
        node[at].set = soothi_grower_set(g, g->order[at]); /* a set of classes */
        next += 2;
    }
    return nodes;
}

/* Collects the path to every leaf of a grown tree, and the bounds. */
SOOTHI_LOCAL void soothi_ensemble_open_leaves(const soothi_grower *g, const soothi_ensemble_node *node,
                                              size_t nodes, soothi_leaves *v) {
    v->nodes = nodes;
    for (size_t k = 0; k < nodes; ++k) {
        v->ask[k] = node[k].feature;
        v->constant[k] = (float)node[k].value;
        if (v->bound) memcpy(v->bound + 2 * k, g->bound + 2 * (size_t)g->order[k], 2 * sizeof(double));
        if (node[k].left) v->up[node[k].left] = v->up[node[k].right] = (uint32_t)k;
    }
}

/* Returns the node that a row ends in. levels: the columns whose classes the sets hold. */
SOOTHI_LOCAL uint32_t soothi_ensemble_walk(const soothi_categories *levels, const soothi_ensemble_node *node,
                                           const float *row) {
    uint32_t id = 0;
    while (node[id].left) {
        const float x = row[node[id].feature];
        int right = x <= node[id].threshold ? 0 : x > node[id].threshold ? 1 : (int)node[id].missing_right;
        if (node[id].set && x <= x)
            right = !soothi_categories_goes_left(levels, node[id].feature, node[id].set, x);
        id = right ? node[id].right : node[id].left;
    }
    return id;
}

/* Removes the trees after the first `trees`. gain: the gain per column until then. */
SOOTHI_LOCAL void soothi_ensemble_cut(soothi_ensemble_builder *b, uint32_t trees, const double *gain) {
    const sooth_tree_node *node = (const sooth_tree_node *)(const void *)b->node.word;
    uint32_t sets = 0;
    if (b->start.used == (size_t)trees + 1) return;
    b->start.used = (size_t)trees + 1;
    b->node.used = 2 * (size_t)b->start.word[trees];
    b->leaves = b->depth = 0;
    for (uint32_t k = 0; k < trees; ++k) {
        const uint32_t from = b->start.word[k], to = b->start.word[k + 1];
        uint32_t depth;
        soothi_tree_is_valid(node + from, to - from, b->shift, b->shape.features, 0, &b->leaves, &depth,
                             &sets);
        if (depth > b->depth) b->depth = depth;
    }
    if (sets < b->first.used) b->set.used = b->first.word[sets];
    b->first.used = sets;
    b->value.used =
        soothi_ensemble_values_per_leaf(b) > 1 ? (size_t)b->leaves * soothi_ensemble_values_per_leaf(b) : 0;
    if (b->low.used) b->low.used = b->node.used / 2;
    if (b->cover.used) b->cover.used = b->node.used / 2;
    if (b->at.used) {
        b->at.used = b->node.used / 2;
        b->plane.used = 0;
        for (size_t k = b->at.used; k-- > 0 && !b->plane.used;) /* up to the end of the last linear leaf */
            if (b->at.word[k])
                b->plane.used =
                    SOOTHI_LINEAR_LEAF_WORDS *
                    (b->at.word[k] +
                     (size_t)b->plane.word[SOOTHI_LINEAR_LEAF_WORDS * (size_t)(b->at.word[k] - 1)]);
    }
    memcpy(b->gain, gain, b->shape.features * sizeof *gain);
}

/* Returns the depth of the second form, or 0 if it would be deep or larger than the nodes. */
SOOTHI_LOCAL uint32_t soothi_ensemble_table_depth(const soothi_ensemble_builder *b) {
    const size_t trees = b->start.used - 1;
    if (b->shape.no_table || soothi_ensemble_values_per_leaf(b) > 1 ||
        (b->shape.flags & (SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_LINEAR | SOOTH_ENSEMBLE_SETS)) ||
        b->depth == 0 || b->depth > 8 || ((trees + 7) / 8 * 24 << b->depth) > 2 * b->node.used)
        return 0;
    return b->depth;
}

/* Writes the block, whose sizes are final. */
SOOTHI_LOCAL void soothi_ensemble_write(const soothi_ensemble_builder *b, sooth_ensemble *e) {
    const soothi_ensemble_layout at = soothi_ensemble_lay_out(e);
    uint32_t *word = (uint32_t *)(void *)e;
    memcpy(word + at.node, b->node.word, b->node.used * 4);
    memcpy(word + at.start, b->start.word, b->start.used * 4);
    float *pair = (float *)(void *)(word + at.base);
    for (uint32_t t = 0; t < e->head.targets; ++t)
        soothi_ensemble_halve(b->base[t], &pair[t], &pair[e->head.targets + t]);
    memcpy(word + at.hull, b->hull, 8 * (size_t)e->head.targets);
    memcpy((unsigned char *)e + e->head.doubles_at, b->gain, e->head.features * sizeof *b->gain);
    if (b->value.used) memcpy(word + at.value, b->value.word, b->value.used * 4);
    if (b->low.used) memcpy(word + at.low, b->low.word, b->low.used * 4);
    if (b->cover.used) memcpy(word + at.cover, b->cover.word, b->cover.used * 4);
    if (b->plane.used) {
        memcpy(word + at.plane, b->at.word, b->at.used * 4);
        memcpy(word + at.plane + b->at.used, b->plane.word, b->plane.used * 4);
    }
    if (b->first.used) {
        uint32_t *first = word + at.set;
        memcpy(first, b->first.word, b->first.used * 4);
        first[b->first.used] = (uint32_t)b->set.used;
        if (b->set.used) memcpy(first + b->first.used + 1, b->set.word, b->set.used * 4);
    }
    if (e->flags & SOOTH_ENSEMBLE_QUANTILES)
        memcpy(word + at.extra, b->level, e->head.targets * sizeof *b->level);
    for (uint32_t k = 0; e->table_depth && k < e->trees; ++k)
        for (uint32_t t = 1; t < 2u << e->table_depth; ++t) {
            uint32_t two[2], *to = word + at.table + soothi_ensemble_place_at(k, e->table_depth, t);
            soothi_ensemble_place_words(soothi_ensemble_nodes(e) + b->start.word[k], e->shift, e->table_depth,
                                        t, two);
            memcpy(to, two, t >> e->table_depth ? 4 : 8);
        }
}

/* Allocates a block of the shape of `shape` and copies its fields; NULL without memory. */
SOOTHI_LOCAL sooth_ensemble *soothi_ensemble_new(sooth_env *env, uint32_t kind, const sooth_ensemble *shape) {
    const uint64_t words = soothi_ensemble_lay_out(shape).end;
    if (words > UINT32_MAX / 8) return NULL;
    sooth_ensemble *e =
        (sooth_ensemble *)soothi_block_new(env, kind, soothi_ensemble_version(shape->flags),
                                           (size_t)words * 4, 8 * (size_t)shape->head.features, 0);
    if (!e) return NULL;
    memcpy(&e->trees, &shape->trees, sizeof *e - offsetof(sooth_ensemble, trees));
    e->head.features = shape->head.features;
    e->head.targets = shape->head.targets;
    return e;
}

/* Fails if a partial sum may exceed a float for any row. Adds up the minimum and maximum leaves of the first
   trees, with a margin for rounding. (A single tree per target predicts its leaves unchanged.) */
SOOTHI_LOCAL sooth_status soothi_ensemble_bounded(soothi_ensemble_builder *b) {
    const sooth_tree_node *node = (const sooth_tree_node *)(const void *)b->node.word;
    const float *row = (const float *)(const void *)b->value.word;
    const uint32_t targets = b->shape.targets, width = soothi_ensemble_values_per_leaf(b);
    for (uint32_t t = 0; t < targets; ++t) {
        double least = b->base[t], most = b->base[t];
        const double limit = b->start.used - 1 > targets ? 3.4e38 : (double)FLT_MAX;
        for (uint32_t k = width > 1 ? 0 : t; k + 1 < b->start.used; k += width > 1 ? 1 : targets) {
            double low = DBL_MAX, high = -DBL_MAX;
            for (uint32_t i = b->start.word[k]; i < b->start.word[k + 1]; ++i) {
                if (node[i].link & 1u) continue;
                const float v = width > 1 ? row[(size_t)node[i].u.at * width + t] : node[i].u.value;
                if ((double)v < low) low = (double)v;
                if ((double)v > high) high = (double)v;
                if (!b->plane.used || !b->at.word[i]) continue;
                const soothi_linear_leaf *plane =
                    (const soothi_linear_leaf *)(const void *)(b->plane.word +
                                                               SOOTHI_LINEAR_LEAF_WORDS *
                                                                   (size_t)(b->at.word[i] - 1));
                if ((double)plane->least < low) low = (double)plane->least;
                if ((double)plane->most > high) high = (double)plane->most;
            }
            least += low;
            most += high;
            if (least < -limit || most > limit)
                return sooth_fail(b->env, SOOTH_BAD_DATA,
                                  "the first %u trees add up to between %G and %G for target %u, more than a "
                                  "float holds",
                                  k + 1, least, most, t + 1);
        }
    }
    return SOOTH_OK;
}

/* Creates the block and frees the builder. *out is NULL after a failure. At least one tree is needed. */
SOOTHI_LOCAL sooth_status soothi_ensemble_end(soothi_ensemble_builder *b, sooth_ensemble **out) {
    const uint32_t trees = (uint32_t)b->start.used - 1;
    sooth_ensemble shape, *e = NULL;
    *out = NULL;
    if (b->status == SOOTH_OK && (trees == 0 || (soothi_ensemble_values_per_leaf(b) < b->shape.targets &&
                                                 trees % b->shape.targets != 0)))
        b->status =
            sooth_fail(b->env, SOOTH_BAD_DATA, "%u trees cannot predict %u targets", trees, b->shape.targets);
    if (!b->plane.used) b->shape.flags &= ~SOOTH_ENSEMBLE_LINEAR; /* all leaves are constants */
    if (!b->first.used) b->shape.flags &= ~(SOOTH_ENSEMBLE_SETS | SOOTH_ENSEMBLE_ZEROS);
    if (b->status == SOOTH_OK && b->plane.used / SOOTHI_LINEAR_LEAF_WORDS > UINT32_MAX / 64)
        soothi_ensemble_lost(b, b->plane.used);
    if (b->status == SOOTH_OK) b->status = soothi_ensemble_bounded(b);
    if (b->status == SOOTH_OK) {
        memset(&shape, 0, sizeof shape);
        shape.head.features = b->shape.features;
        shape.head.targets = b->shape.targets;
        shape.trees = trees;
        shape.nodes = (uint32_t)(b->node.used / 2);
        shape.leaves = b->leaves;
        shape.depth = b->depth;
        shape.shift = b->shift;
        shape.flags = b->shape.flags;
        shape.link = b->shape.link;
        shape.table_depth = soothi_ensemble_table_depth(b);
        shape.linear_leaves = (uint32_t)(b->plane.used / SOOTHI_LINEAR_LEAF_WORDS);
        shape.sets = (uint32_t)b->first.used;
        shape.set_words = (uint32_t)b->set.used;
        shape.extra = shape.flags & SOOTH_ENSEMBLE_QUANTILES ? shape.head.targets : 0;
        e = soothi_ensemble_new(b->env, b->shape.kind, &shape);
        if (!e) soothi_ensemble_lost(b, (size_t)soothi_ensemble_lay_out(&shape).end);
    }
    if (e) {
        soothi_ensemble_write(b, e);
        soothi_block_seal(&e->head);
        *out = e;
    }
    soothi_ensemble_drop(b);
    return b->status;
}

/* Checks that a table has the shape that a model was trained for. what: the model, in the sentence. */
SOOTHI_LOCAL sooth_status soothi_ensemble_fits(sooth_env *env, const sooth_ensemble *e,
                                               const sooth_table *table, const char *what) {
    if (e->head.features == table->cols && e->head.targets == table->targets) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "the %s takes %u features for %u targets, but the table has %z and %z", what,
                      e->head.features, e->head.targets, table->cols, table->targets);
}

/* Checks that trees of this shape can be added to those of e. what: the model, in the sentence. */
SOOTHI_LOCAL sooth_status soothi_ensemble_joins(sooth_env *env, const sooth_ensemble *e,
                                                const soothi_ensemble_shape *shape, const char *what) {
    static const char link[][64] = {"the sum of its trees", "e to the sum of its trees",
                                    "the logistic function of the sum of its trees"};
    const uint32_t differ = e->flags ^ shape->flags;
    if (differ & SOOTH_ENSEMBLE_MEAN)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the %s predicts the %s of its trees, but with the new trees it would predict %s",
                          what, e->flags & SOOTH_ENSEMBLE_MEAN ? "mean" : "sum",
                          e->flags & SOOTH_ENSEMBLE_MEAN ? "a sum" : "a mean");
    if ((differ & SOOTH_ENSEMBLE_ROWS) && e->head.targets > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "each leaf of the %s predicts %s, but each leaf of the new trees %s", what,
                          e->flags & SOOTH_ENSEMBLE_ROWS ? "all targets" : "one target",
                          e->flags & SOOTH_ENSEMBLE_ROWS ? "one" : "all");
    if (e->link != shape->link)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the %s predicts %s, but with this loss it would be %s",
                          what, link[e->link], link[shape->link]);
    if (differ & SOOTH_ENSEMBLE_COVER)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "no_cover is %u, but was %u when the %s was made",
                          (e->flags & SOOTH_ENSEMBLE_COVER) != 0, (e->flags & SOOTH_ENSEMBLE_COVER) == 0,
                          what);
    return SOOTH_OK;
}

/* Returns a copy with `extra` zero words at its end, to be filled and sealed, and frees the original. Returns
   NULL without memory; the original then still exists. */
SOOTHI_LOCAL sooth_ensemble *soothi_ensemble_extend(sooth_env *env, sooth_ensemble *e, uint64_t extra) {
    sooth_ensemble shape = *e;
    shape.extra = extra < UINT32_MAX / 8 ? (uint32_t)extra : UINT32_MAX / 8;
    sooth_ensemble *copy = soothi_ensemble_new(env, e->head.kind & 0xFFFFu, &shape);
    if (!copy) return NULL;
    memcpy(copy + 1, e + 1, (size_t)soothi_ensemble_lay_out(e).extra * 4 - sizeof *e);
    memcpy((unsigned char *)copy + copy->head.doubles_at, (const unsigned char *)e + e->head.doubles_at,
           8 * (size_t)e->head.features);
    soothi_block_free(env, &e->head);
    return copy;
}

SOOTH_API void sooth_ensemble_free(sooth_env *env, sooth_ensemble *e) {
    soothi_block_free(env, e ? &e->head : NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
