/* export/integers.h - trees, forests and boosted trees in integers, for kernels and cores without floats.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Schedulers run inside the operating system, where floating point is forbidden; sensors run on cores without
 * it. Trees need only comparisons and additions, so they run without floating point. sooth_integers_convert
 * (export/integers_convert.h) converts a model of trees to integers of 8, 16 or 32 bits.
 *
 * Input: every feature x becomes an integer key, by one of two rules.
 *
 *   SOOTH_INTEGERS_KEYS_WHOLE   key = floor(x 2^shift) - offset      shift and offset are stored per feature
 *   SOOTH_INTEGERS_KEYS_FLOAT   key = the bits of the float x, in an order that integers have too
 *
 * A threshold t has a key by the same rule, and x <= t if and only if key(x) <= key(t). With FLOAT this holds
 * for every float, and with WHOLE for every multiple of 2^-shift. (Proof: let x be such a multiple. If x <= t
 * then x 2^shift <= t 2^shift, and floor is monotone. If x > t then x 2^shift is an integer above t 2^shift,
 * so it is above its floor.) Features that are counts have shift 0: their keys are the counts. For any other
 * x the prediction is that for the largest multiple of 2^-shift below x.
 *
 * Output: leaves are multiples of 2^-scale, so their sum is exact in any order. If leaf v_i of tree k is
 * rounded to w_i 2^-scale, the error of the sum is at most
 *
 *     sum over k of  max over i of  |v_i - w_i 2^-scale|
 *
 * (positive and negative errors are summed separately, and the larger sum counts). The float model itself
 * rounds too. Both together are `error` of each target: a bound of the difference between the predictions of
 * the two models before the link. It holds for every row, with the same x or the multiple below it.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10.25f, 10.25f, 20.5f, 20.5f};
 *         const int32_t key[1] = {3};  // a count is its own key
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_integers_options options = {.bits = 16};
 *         sooth_integers *whole;
 *         sooth_tree *tree;
 *         int64_t sum[1];
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_integers_convert(&env, model, &options, &whole) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         sooth_integers_sum(whole, key, sum);
 *         printf("%g\n", sooth_integers_value(whole, 0, sum[0]));  //> 20.5
 *         sooth_integers_free(&env, whole);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * The block is a file, a constant in flash, and the value of an array map of the Linux kernel, where one
 * program walks every model (examples/kernel). Only the fields of its targets are floats, and
 * sooth_integers_sum uses none.
 *
 * Cost: sooth_integers_cost comparisons, with one key and one node loaded for each, and an addition per tree.
 * The model takes 8 bytes per node, 4 per tree, 8 per feature, 24 per target. As C
 * (export/integers_convert.h) a node takes 4 to 8.
 */
#if !defined(SOOTH_EXPORT_INTEGERS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_EXPORT_INTEGERS_H
#define SOOTH_EXPORT_INTEGERS_H

SOOTHI_C_BEGIN

#define SOOTH_INTEGERS_VERSION 1

/* How features become keys; see above. */
typedef enum sooth_integers_rule {
    SOOTH_INTEGERS_KEYS_WHOLE = 0,
    SOOTH_INTEGERS_KEYS_FLOAT, /* two keys per feature, so that missing values are possible */
    SOOTH_INTEGERS_KEYS_RULES
} sooth_integers_rule;

/* The function that converts a sum to the prediction, as float. */
typedef enum sooth_integers_link {
    SOOTH_INTEGERS_IDENTITY = 0,
    SOOTH_INTEGERS_EXP,      /* e^v, at most 3.3e38: a log link, or a target learned as its logarithm */
    SOOTH_INTEGERS_LOGISTIC, /* 1 / (1 + e^-v) */
    SOOTH_INTEGERS_EXPM1,    /* e^v - 1, and -(e^-v - 1) below 0: a target learned as log1p */
    SOOTH_INTEGERS_LINKS
} sooth_integers_link;

/* A node. Trees are stored breadth first, consecutively, as in sooth_tree. */
typedef struct sooth_integers_node {
    int32_t number; /* inner: the threshold; keys up to it go left. Leaf: its value or, if leaves predict
                       several targets, the index of its row of values */
    uint32_t link;  /* leaf: 0. Inner: bit 0 is 1; bits 1 to shift - 1 are the key that it tests; from bit
                      shift on, the distance to the left child in nodes. The right child follows the left
                      one */
} sooth_integers_node;

typedef struct sooth_integers_column {
    int32_t shift;  /* key = floor(x 2^shift) - offset; -60 to 60 */
    int32_t offset; /* 0 with SOOTH_INTEGERS_KEYS_FLOAT, like shift */
} sooth_integers_column;

typedef struct sooth_integers_target {
    int32_t scale;     /* the prediction is (base + sum of the leaves) 2^-scale before the link; -60 to 120 */
    uint32_t base_low; /* the two halves of base, an int64_t of at most 2^62 */
    uint32_t base_high;
    float error;       /* maximum difference from the float model before the link */
    float least, most; /* the prediction is clipped to this range */
} sooth_integers_target;

/* The block: this struct, then
     sooth_integers_node node[nodes]
     uint32_t start[trees + 1]                first node of each tree; start[trees] is `nodes`
     sooth_integers_column column[features]
     sooth_integers_target target[targets]
     int32_t value[values x targets]          of leaves that predict several targets */
typedef struct sooth_integers {
    sooth_block head;
    uint32_t trees;
    uint32_t nodes;
    uint32_t depth;  /* maximum number of comparisons in a tree */
    uint32_t shift;  /* see sooth_integers_node */
    uint32_t rule;   /* a sooth_integers_rule */
    uint32_t bits;   /* of thresholds and leaves: 8, 16 or 32; with SOOTH_INTEGERS_KEYS_FLOAT 32 */
    uint32_t link;   /* a sooth_integers_link */
    uint32_t values; /* rows of values, for several targets; 0: tree k predicts target k % targets */
} sooth_integers;

/* Returns 1 if bytes[0..size) begin with a valid block: then the functions below cannot loop, overflow or
   read outside. A checked one may come from anyone. */
SOOTH_API int sooth_integers_check(const void *bytes, size_t size);

/* Returns the number of keys of a row: `features`, or 2 x `features` with SOOTH_INTEGERS_KEYS_FLOAT. Key j
   and key features + j then belong to feature j. They differ if it is missing: the first is the largest, the
   second the smallest integer. A missing value thus takes the model's default path without an additional
   test. */
SOOTH_API uint32_t sooth_integers_key_count(const sooth_integers *model);

/* Computes all keys of a row of head.features floats. With SOOTH_INTEGERS_KEYS_WHOLE a key is clipped to
   integers of model->bits bits. This changes no prediction: the largest is above every threshold except an
   infinite one, whose key it is. A missing value has the smallest key. */
SOOTH_API void sooth_integers_keys(const sooth_integers *model, const float *row, int32_t *key);

/* Computes key number `key` of a row whose feature key % features is the integer `value`; uses no float with
   SOOTH_INTEGERS_KEYS_WHOLE. */
SOOTH_API int32_t sooth_integers_key_from_integer(const sooth_integers *model, size_t key, int64_t value);

/* Computes sum[t] for each target: base plus leaves, in integers only. The prediction is sum[t] x 2^-scale
   before the link. */
SOOTH_API void sooth_integers_sum(const sooth_integers *model, const int32_t *key, int64_t *sum);

/* Converts a sum of target t to the prediction, in the unit of the target. */
SOOTH_API float sooth_integers_value(const sooth_integers *model, size_t t, int64_t sum);

/* Predicts a row of floats. With several targets, returns the first. */
SOOTH_API float sooth_integers_predict(const sooth_integers *model, const float *row);

/* Predicts `rows` rows of floats at a distance of `stride` floats into out[i * targets + t]. */
SOOTH_API void sooth_integers_predict_many(const sooth_integers *model, const float *x, size_t rows,
                                           size_t stride, float *out);

/* Returns the worst-case cost of one prediction. */
SOOTH_API sooth_cost sooth_integers_cost(const sooth_integers *model);

/* Returns the targets: scale, bound of the error and range of each. */
SOOTH_API const sooth_integers_target *sooth_integers_targets(const sooth_integers *model);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_INTEGERS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_INTEGERS_IMPLEMENTED)
#define SOOTH_EXPORT_INTEGERS_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the arrays ---- */

SOOTHI_LOCAL const sooth_integers_node *soothi_integers_nodes(const sooth_integers *model) {
    return (const sooth_integers_node *)(const void *)(model + 1);
}

SOOTHI_LOCAL const uint32_t *soothi_integers_start(const sooth_integers *model) {
    return (const uint32_t *)(const void *)(soothi_integers_nodes(model) + model->nodes);
}

SOOTHI_LOCAL const sooth_integers_column *soothi_integers_columns(const sooth_integers *model) {
    return (const sooth_integers_column *)(const void *)(soothi_integers_start(model) + model->trees + 1);
}

SOOTH_API const sooth_integers_target *sooth_integers_targets(const sooth_integers *model) {
    return (const sooth_integers_target *)(const void *)(soothi_integers_columns(model) +
                                                         model->head.features);
}

SOOTHI_LOCAL const int32_t *soothi_integers_values(const sooth_integers *model) {
    return (const int32_t *)(const void *)(sooth_integers_targets(model) + model->head.targets);
}

/* Returns the initial value of the sum of target t. */
SOOTHI_LOCAL int64_t soothi_integers_base(const sooth_integers *model, size_t t) {
    const sooth_integers_target *target = sooth_integers_targets(model) + t;
    const int64_t high = (int32_t)target->base_high;
    return high * 4294967296 + (int64_t)target->base_low;
}

/* Returns the size of the block in bytes, below 2^64 with at most 2^28 targets. */
SOOTHI_LOCAL uint64_t soothi_integers_bytes(const sooth_integers *m) {
    return sizeof *m + (uint64_t)m->nodes * sizeof(sooth_integers_node) + 4 * ((uint64_t)m->trees + 1) +
           (uint64_t)m->head.features * sizeof(sooth_integers_column) +
           (uint64_t)m->head.targets * (sizeof(sooth_integers_target) + 4 * (uint64_t)m->values);
}

/* ---- keys ---- */

SOOTH_API uint32_t sooth_integers_key_count(const sooth_integers *model) {
    return model->rule == SOOTH_INTEGERS_KEYS_FLOAT ? 2 * model->head.features : model->head.features;
}

/* Returns the maximum key of `bits` bits. The minimum is -max - 1. */
SOOTHI_LOCAL int32_t soothi_integers_most(uint32_t bits) { return (int32_t)(0x7FFFFFFFu >> (32 - bits)); }

SOOTHI_LOCAL int32_t soothi_integers_cut(int64_t v, uint32_t bits) {
    const int64_t most = soothi_integers_most(bits);
    return (int32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v);
}

/* Returns the float's bits as an integer with the order of floats. -0 is just below 0, and no threshold is
   -0. */
SOOTHI_LOCAL int32_t soothi_integers_float_key(float value, int least) {
    const uint32_t bits = soothi_bits(value);
    if (bits << 1 > 0xFF000000u) return least ? INT32_MIN : INT32_MAX;
    return bits >> 31 ? -1 - (int32_t)(bits & 0x7FFFFFFFu) : (int32_t)bits;
}

/* Returns 2^n as float, for n from -120 to 120. */
SOOTHI_LOCAL float soothi_integers_power(int32_t n) { return soothi_of_bits((uint32_t)(n + 127) << 23); }

/* Returns floor(value), clipped to +-2^62. */
SOOTHI_LOCAL int64_t soothi_integers_floor(float value) {
    if (!(value > -4.6e18f)) return -((int64_t)1 << 62); /* also a missing value */
    if (!(value < 4.6e18f)) return (int64_t)1 << 62;
    const int64_t v = (int64_t)value;
    return (float)v > value ? v - 1 : v;
}

/* Computes key number `key` of a row whose feature key % features is `value`. */
SOOTHI_LOCAL int32_t soothi_integers_key(const sooth_integers *model, size_t key, float value) {
    const uint32_t features = model->head.features;
    if (model->rule == SOOTH_INTEGERS_KEYS_FLOAT) return soothi_integers_float_key(value, key >= features);
    const sooth_integers_column *column = soothi_integers_columns(model) + key;
    const float scaled = value * soothi_integers_power(column->shift);
    const int64_t whole = value < 0.0f && scaled >= 0.0f ? -1 : soothi_integers_floor(scaled); /* underflow */
    return soothi_integers_cut(whole - column->offset, model->bits);
}

SOOTH_API int32_t sooth_integers_key_from_integer(const sooth_integers *model, size_t key, int64_t value) {
    if (model->rule == SOOTH_INTEGERS_KEYS_FLOAT)
        return soothi_integers_float_key((float)value, key >= model->head.features);
    const sooth_integers_column *column = soothi_integers_columns(model) + key;
    const int64_t limit = (int64_t)1 << 62;
    const int32_t shift = column->shift;
    if (shift > 0)
        value = value > limit >> shift      ? limit
                : value < -(limit >> shift) ? -limit
                                            : value * ((int64_t)1 << shift);
    else if (value < 0) value = -1 - ((-1 - value) >> -shift);
    else value >>= -shift;
    value = value > limit ? limit : value < -limit ? -limit : value;
    return soothi_integers_cut(value - column->offset, model->bits);
}

SOOTH_API void sooth_integers_keys(const sooth_integers *model, const float *row, int32_t *key) {
    const uint32_t count = sooth_integers_key_count(model);
    for (uint32_t k = 0; k < count; ++k)
        key[k] = soothi_integers_key(model, k, row[k % model->head.features]);
}

/* ---- the walk ---- */

/* Returns the child of node `at` for key value v. */
SOOTHI_LOCAL uint32_t soothi_integers_down(const sooth_integers *m, const sooth_integers_node *node,
                                           uint32_t at, int32_t v) {
    return at + (node[at].link >> m->shift) + (uint32_t)(v > node[at].number);
}

/* Returns the index of the key that an inner node tests. */
SOOTHI_LOCAL uint32_t soothi_integers_tested_key(const sooth_integers *m, const sooth_integers_node *node) {
    return (node->link & ((1u << m->shift) - 1u)) >> 1;
}

/* Returns `number` of the leaf that a row reaches by its keys, in the tree that begins at node `at`. Uses no
   float, so cores without them need no code for them. */
SOOTHI_LOCAL int32_t soothi_integers_walk(const sooth_integers *m, uint32_t at, const int32_t *key) {
    const sooth_integers_node *node = soothi_integers_nodes(m);
    while (node[at].link & 1u)
        at = soothi_integers_down(m, node, at, key[soothi_integers_tested_key(m, node + at)]);
    return node[at].number;
}

/* Like soothi_integers_walk for a row of floats: computes keys only for features tested on the path. */
SOOTHI_LOCAL int32_t soothi_integers_walk_row(const sooth_integers *m, uint32_t at, const float *row) {
    const sooth_integers_node *node = soothi_integers_nodes(m);
    while (node[at].link & 1u) {
        const uint32_t k = soothi_integers_tested_key(m, node + at);
        at = soothi_integers_down(m, node, at, soothi_integers_key(m, k, row[k % m->head.features]));
    }
    return node[at].number;
}

/* Return the first tree of target t, and the distance to the next one. */
SOOTHI_LOCAL uint32_t soothi_integers_first(const sooth_integers *m, uint32_t t) { return m->values ? 0 : t; }
SOOTHI_LOCAL uint32_t soothi_integers_step(const sooth_integers *m) {
    return m->values ? 1 : m->head.targets;
}

/* Returns what a leaf with this number adds to target t. */
SOOTHI_LOCAL int32_t soothi_integers_leaf_value(const sooth_integers *m, int32_t number, uint32_t t) {
    return m->values ? soothi_integers_values(m)[(size_t)number * m->head.targets + t] : number;
}

SOOTH_API void sooth_integers_sum(const sooth_integers *model, const int32_t *key, int64_t *sum) {
    const uint32_t *start = soothi_integers_start(model), step = soothi_integers_step(model);
    for (uint32_t t = 0; t < model->head.targets; ++t) {
        sum[t] = soothi_integers_base(model, t);
        for (uint32_t k = soothi_integers_first(model, t); k < model->trees; k += step)
            sum[t] += soothi_integers_leaf_value(model, soothi_integers_walk(model, start[k], key), t);
    }
}

/* Applies the link to a sum, before clipping. */
SOOTHI_LOCAL float soothi_integers_linked(uint32_t link, float v) {
    switch (link) {
    case SOOTH_INTEGERS_EXP: return soothi_exp_f(v > 88.7f ? 88.7f : v);
    case SOOTH_INTEGERS_LOGISTIC: return soothi_sigmoid_f(v);
    case SOOTH_INTEGERS_EXPM1: return v < 0.0f ? -soothi_expm1_f(-v) : soothi_expm1_f(v);
    default: return v;
    }
}

SOOTH_API float sooth_integers_value(const sooth_integers *model, size_t t, int64_t sum) {
    const sooth_integers_target *target = sooth_integers_targets(model) + t;
    const float v = soothi_integers_linked(model->link, (float)sum * soothi_integers_power(-target->scale));
    return v < target->least ? target->least : v > target->most ? target->most : v;
}

SOOTHI_LOCAL float soothi_integers_predict_target(const sooth_integers *m, uint32_t t, const float *row) {
    const uint32_t *start = soothi_integers_start(m), step = soothi_integers_step(m);
    int64_t sum = soothi_integers_base(m, t);
    for (uint32_t k = soothi_integers_first(m, t); k < m->trees; k += step)
        sum += soothi_integers_leaf_value(m, soothi_integers_walk_row(m, start[k], row), t);
    return sooth_integers_value(m, t, sum);
}

SOOTH_API float sooth_integers_predict(const sooth_integers *model, const float *row) {
    return soothi_integers_predict_target(model, 0, row);
}

SOOTH_API void sooth_integers_predict_many(const sooth_integers *model, const float *x, size_t rows,
                                           size_t stride, float *out) {
    for (size_t i = 0; i < rows; ++i)
        for (uint32_t t = 0; t < model->head.targets; ++t)
            *out++ = soothi_integers_predict_target(model, t, x + i * stride);
}

SOOTH_API sooth_cost sooth_integers_cost(const sooth_integers *model) {
    const uint64_t walks = (uint64_t)model->trees * (model->values ? model->head.targets : 1);
    const uint64_t comparisons = walks * model->depth;
    const sooth_cost cost = {model->head.size, comparisons < UINT32_MAX ? (uint32_t)comparisons : UINT32_MAX,
                             0, model->link == SOOTH_INTEGERS_IDENTITY ? 0 : model->head.targets};
    return cost;
}

/* ---- checking ---- */

/* Returns the number of nodes of the tree that begins at `node`, with `room` nodes available, or 0 if it is
   invalid. If leaves have rows of values, they must be numbered from *leaves on. */
SOOTHI_LOCAL uint32_t soothi_integers_check_tree(const sooth_integers *m, const sooth_integers_node *node,
                                                 uint32_t room, uint32_t *leaves, uint32_t *deepest) {
    const int32_t most = soothi_integers_most(m->bits);
    const uint32_t keys = sooth_integers_key_count(m);
    uint32_t next = 1, level = 1, depth = 0; /* node[next] is the next node without a parent */
    for (uint32_t i = 0; i < next; ++i) {
        if (next > room) return 0;
        const uint32_t link = node[i].link;
        if (i == level) {
            ++depth;
            level = next;
        }
        if ((link & 1u || !m->values) && (node[i].number > most || node[i].number < -most - 1)) return 0;
        if (link & 1u) {
            if (link >> m->shift != next - i || (link & ((1u << m->shift) - 1u)) >> 1 >= keys) return 0;
            next += 2;
        } else {
            if (link != 0 || (m->values && (uint32_t)node[i].number != *leaves)) return 0;
            ++*leaves;
        }
    }
    if (depth > *deepest) *deepest = depth;
    return next;
}

SOOTHI_LOCAL int soothi_integers_check_targets(const sooth_integers *m) {
    const int64_t limit = (int64_t)1 << 62;
    const int32_t most = soothi_integers_most(m->bits), *value = soothi_integers_values(m);
    for (size_t i = 0; i < (size_t)m->values * m->head.targets; ++i)
        if (value[i] > most || value[i] < -most - 1) return 0;
    for (uint32_t t = 0; t < m->head.targets; ++t) {
        const sooth_integers_target *target = sooth_integers_targets(m) + t;
        const int64_t base = soothi_integers_base(m, t);
        if (base > limit || base < -limit || target->scale < -60 || target->scale > 120 ||
            !(target->error >= 0.0f) || !(target->least <= target->most))
            return 0;
    }
    return 1;
}

SOOTH_API int sooth_integers_check(const void *bytes, size_t size) {
    const sooth_integers *m = (const sooth_integers *)bytes;
    uint32_t leaves = 0, depth = 0;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_INTEGERS, SOOTH_INTEGERS_VERSION) ||
        m->head.size < sizeof *m)
        return 0;
    if (m->head.features == 0 || m->head.targets == 0 || m->head.targets > 0x10000000u || m->trees == 0 ||
        m->shift > 31 || m->rule >= SOOTH_INTEGERS_KEYS_RULES || m->link >= SOOTH_INTEGERS_LINKS ||
        (m->values ? m->head.targets < 2 : m->trees % m->head.targets != 0))
        return 0;
    if (m->bits != 32 && (m->rule == SOOTH_INTEGERS_KEYS_FLOAT || (m->bits != 8 && m->bits != 16))) return 0;
    if (((soothi_integers_bytes(m) + 15) & ~(uint64_t)15) != m->head.size ||
        m->head.doubles_at < m->head.size)
        return 0;
    const uint32_t *start = soothi_integers_start(m);
    if (start[0] != 0 || start[m->trees] != m->nodes) return 0;
    for (uint32_t k = 0; k < m->trees; ++k) { /* each begins where the previous one ends */
        const uint32_t count = soothi_integers_check_tree(m, soothi_integers_nodes(m) + start[k],
                                                          m->nodes - start[k], &leaves, &depth);
        if (count == 0 || start[k + 1] - start[k] != count) return 0;
    }
    for (uint32_t j = 0; j < m->head.features; ++j) {
        const sooth_integers_column *column = soothi_integers_columns(m) + j;
        if (column->shift < -60 || column->shift > 60 ||
            (m->rule == SOOTH_INTEGERS_KEYS_FLOAT && (column->shift || column->offset)))
            return 0;
    }
    return depth == m->depth && (!m->values || leaves == m->values) && soothi_integers_check_targets(m);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
