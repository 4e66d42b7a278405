/* export/onnx.h - writes a model as an ONNX file: trees, linear models and networks, with their transforms.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_export_onnx writes a file that ONNX Runtime 1.20 or later can load, and any other program with the
 * operators of ai.onnx 18 and ai.onnx.ml 5.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     static int count(void *user, const char *text, size_t size) {
 *         (void)text;
 *         *(size_t *)user += size;
 *         return 0;
 *     }
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20};
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         size_t bytes = 0;
 *         sooth_sink sink = {.write_fn = count, .user = &bytes};
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_export_onnx(&env, model, &sink) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%s\n", bytes > 100 && bytes < 1000 ? "a small file" : "?");  //> a small file
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Inputs and output
 *
 * - A model without levels has one input, X: float [N, features], in the order of the features.
 * - A model with levels has an input for each feature, [N, 1], under the feature's name (f1, f2, ... if names
 *   are missing, not unique or of this form): strings for columns with levels, floats for the others. Unknown
 *   strings are missing.
 * - The output is prediction: float [N, targets].
 * - Missing numbers are NaN, where the model takes them.
 *
 * Method
 *
 * Trees become one TreeEnsemble. It sums in the order of the trees, so plain sums have the bits of the
 * library where a runtime keeps that order (ONNX Runtime with one thread). The base is the first tree. Sets
 * of categories become tests of membership, which are of integers: a code with a fraction is in no set. Sums
 * with low parts, means, dot products, logarithms and exponentials are those of the runtime, and agree to the
 * rounding of float32. The bytes are protocol buffers (ONNX IR version 10), written in one pass for each
 * level of nesting.
 *
 * Cost: about 60 bytes a node; four bytes of memory a node, and six passes.
 */
#if !defined(SOOTH_EXPORT_ONNX_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_ONNX_IMPLEMENTED))
#include "c.h"
#endif

#if !defined(SOOTH_EXPORT_ONNX_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_ONNX_H
SOOTHI_C_BEGIN

/* Writes the file to the sink, as bytes. Returns SOOTH_BAD_ARGUMENT for kinds other than trees, forests,
   boosting, linear models and networks, for linear leaves, several quantiles, calibrated probabilities,
   ratios and networks of integers. Intervals and adaptation are left out. Returns SOOTH_CANCELLED if the
   sink failed. A checked model may come from anyone. */
SOOTH_API sooth_status sooth_export_onnx(sooth_env *env, const sooth_model *model, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_ONNX_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_ONNX_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_ONNX_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- protocol buffers ---- */

/* The state of an export. While `counting`, bytes are counted in `size` and not written. */
typedef struct soothi_onnx {
    sooth_sink *sink;
    uint64_t size;
    int counting;
    sooth_model_parts parts;
    soothi_export_trees trees;
    uint32_t *place;          /* of each node: its number among the inner nodes, or among the leaves */
    uint32_t inner, leaves;   /* of all trees, and of those of the base */
    uint32_t bases;           /* trees of the base */
    uint32_t value, constant; /* names of values and constants up to now */
} soothi_onnx;

typedef void soothi_onnx_fn(soothi_onnx *job, const void *of);

SOOTHI_LOCAL void soothi_onnx_put(soothi_onnx *job, const void *bytes, size_t size) {
    if (job->counting) job->size += size;
    else sooth_text_write(job->sink, (const char *)bytes, size);
}

SOOTHI_LOCAL void soothi_onnx_varint(soothi_onnx *job, uint64_t v) {
    unsigned char byte[10];
    size_t n = 0;
    for (; v > 127; v >>= 7) byte[n++] = (unsigned char)(v | 128u);
    byte[n++] = (unsigned char)v;
    soothi_onnx_put(job, byte, n);
}

SOOTHI_LOCAL void soothi_onnx_float(soothi_onnx *job, float v) {
    const uint32_t w = soothi_bits(v);
    const unsigned char byte[4] = {(unsigned char)w, (unsigned char)(w >> 8), (unsigned char)(w >> 16),
                                   (unsigned char)(w >> 24)};
    soothi_onnx_put(job, byte, 4);
}

SOOTHI_LOCAL void soothi_onnx_number(soothi_onnx *job, uint32_t field, uint64_t v) {
    soothi_onnx_varint(job, field << 3);
    soothi_onnx_varint(job, v);
}

SOOTHI_LOCAL void soothi_onnx_text(soothi_onnx *job, uint32_t field, const char *text) {
    const size_t size = soothi_text_length(text);
    soothi_onnx_varint(job, field << 3 | 2u);
    soothi_onnx_varint(job, size);
    soothi_onnx_put(job, text, size);
}

/* Writes a message, or packed numbers: what fn writes, after its size. */
SOOTHI_LOCAL void soothi_onnx_message(soothi_onnx *job, uint32_t field, soothi_onnx_fn *fn, const void *of) {
    const soothi_onnx before = *job;
    job->counting = 1;
    job->size = 0;
    fn(job, of);
    const uint64_t size = job->size;
    job->counting = before.counting;
    job->size = before.size;
    soothi_onnx_varint(job, field << 3 | 2u);
    soothi_onnx_varint(job, size);
    if (job->counting) {
        job->size += size;
        return;
    }
    job->value = before.value;
    job->constant = before.constant;
    fn(job, of);
}

/* ---- tensors ---- */

enum { SOOTHI_ONNX_FLOAT = 1, SOOTHI_ONNX_BYTE = 2, SOOTHI_ONNX_STRING = 8, SOOTHI_ONNX_BOOL = 9 };

typedef struct soothi_onnx_tensor {
    const char *name; /* NULL: of an attribute */
    uint32_t type;
    size_t rows, cols; /* rows 0: one dimension */
    soothi_onnx_fn *fill;
    const void *of;
} soothi_onnx_tensor;

SOOTHI_LOCAL void soothi_onnx_say_tensor(soothi_onnx *job, const void *of) {
    const soothi_onnx_tensor *t = (const soothi_onnx_tensor *)of;
    if (t->rows) soothi_onnx_number(job, 1, t->rows);
    soothi_onnx_number(job, 1, t->cols);
    soothi_onnx_number(job, 2, t->type);
    if (t->name) soothi_onnx_text(job, 8, t->name);
    soothi_onnx_message(job, 9, t->fill, t->of);
}

/* A vector, or a matrix: element (i, j) is at[i * down + j * across]. */
typedef struct soothi_onnx_floats {
    const float *at;
    size_t rows, cols, down, across; /* rows 0: one dimension */
} soothi_onnx_floats;

SOOTHI_LOCAL void soothi_onnx_say_floats(soothi_onnx *job, const void *of) {
    const soothi_onnx_floats *f = (const soothi_onnx_floats *)of;
    for (size_t i = 0; i < (f->rows ? f->rows : 1); ++i)
        for (size_t j = 0; j < f->cols; ++j) soothi_onnx_float(job, f->at[i * f->down + j * f->across]);
}

/* ---- nodes of the graph ---- */

enum { SOOTHI_ONNX_NAME = 24 };

/* Values are named /v1, /v2, ..., and constants /c1, /c2, ... */
SOOTHI_LOCAL const char *soothi_onnx_name(char name[SOOTHI_ONNX_NAME], char kind, uint32_t k) {
    sooth_text_format(name, SOOTHI_ONNX_NAME, kind == 'v' ? "/v%u" : "/c%u", k);
    return name;
}

/* An operator with up to three inputs. */
typedef struct soothi_onnx_node {
    const char *op, *domain; /* NULL: that of ONNX itself */
    const char *input[3], *output;
    soothi_onnx_fn *attributes; /* NULL: none */
    const void *of;
} soothi_onnx_node;

SOOTHI_LOCAL void soothi_onnx_say_node(soothi_onnx *job, const void *of) {
    const soothi_onnx_node *n = (const soothi_onnx_node *)of;
    for (size_t k = 0; k < 3 && n->input[k]; ++k) soothi_onnx_text(job, 1, n->input[k]);
    soothi_onnx_text(job, 2, n->output);
    soothi_onnx_text(job, 4, n->op);
    if (n->attributes) n->attributes(job, n->of);
    if (n->domain) soothi_onnx_text(job, 7, n->domain);
}

/* Adds a constant to the graph; it has the name /cK, K = job->constant. */
SOOTHI_LOCAL void soothi_onnx_add_constant(soothi_onnx *job, uint32_t type, size_t rows, size_t cols,
                                           soothi_onnx_fn *fill, const void *of) {
    char name[SOOTHI_ONNX_NAME];
    const soothi_onnx_tensor tensor = {
        soothi_onnx_name(name, 'c', ++job->constant), type, rows, cols, fill, of};
    soothi_onnx_message(job, 5, soothi_onnx_say_tensor, &tensor);
}

/* Applies an operator to the value /vK, K = job->value, and the newest constant if there is to be one. */
SOOTHI_LOCAL void soothi_onnx_step(soothi_onnx *job, const char *op, int with_constant) {
    char from[SOOTHI_ONNX_NAME], to[SOOTHI_ONNX_NAME], constant[SOOTHI_ONNX_NAME];
    soothi_onnx_node node = {op, NULL, {NULL, NULL, NULL}, NULL, NULL, NULL};
    node.input[0] = soothi_onnx_name(from, 'v', job->value);
    if (with_constant) node.input[1] = soothi_onnx_name(constant, 'c', job->constant);
    node.output = soothi_onnx_name(to, 'v', ++job->value);
    soothi_onnx_message(job, 1, soothi_onnx_say_node, &node);
}

/* Applies an operator to the value and floats. */
SOOTHI_LOCAL void soothi_onnx_with(soothi_onnx *job, const char *op, const float *at, size_t cols,
                                   size_t across) {
    const soothi_onnx_floats floats = {at, 0, cols, 0, across};
    soothi_onnx_add_constant(job, SOOTHI_ONNX_FLOAT, 0, cols, soothi_onnx_say_floats, &floats);
    soothi_onnx_step(job, op, 1);
}

SOOTHI_LOCAL void soothi_onnx_with_one(soothi_onnx *job, const char *op, float v) {
    soothi_onnx_with(job, op, &v, 1, 0);
}

/* Applies an operator to two values by their numbers, and to a constant before them if `choice` is 1. */
SOOTHI_LOCAL void soothi_onnx_join(soothi_onnx *job, const char *op, int choice, uint32_t a, uint32_t b) {
    char first[SOOTHI_ONNX_NAME], second[SOOTHI_ONNX_NAME], to[SOOTHI_ONNX_NAME], constant[SOOTHI_ONNX_NAME];
    soothi_onnx_node node = {op, NULL, {NULL, NULL, NULL}, NULL, NULL, NULL};
    size_t k = 0;
    if (choice) node.input[k++] = soothi_onnx_name(constant, 'c', job->constant);
    node.input[k++] = soothi_onnx_name(first, 'v', a);
    node.input[k] = soothi_onnx_name(second, 'v', b);
    node.output = soothi_onnx_name(to, 'v', ++job->value);
    soothi_onnx_message(job, 1, soothi_onnx_say_node, &node);
}

/* ---- attributes ---- */

enum { SOOTHI_ONNX_ATTRIBUTE_TENSOR = 4, SOOTHI_ONNX_ATTRIBUTE_INTS = 7 };

typedef struct soothi_onnx_attribute {
    const char *name;
    uint32_t type; /* of AttributeProto: 1 float, 2 int, 4 tensor, 6 floats, 7 ints, 8 strings */
    uint64_t number;
    float real;
    soothi_onnx_fn *fill; /* of an array */
    const void *of;
} soothi_onnx_attribute;

SOOTHI_LOCAL void soothi_onnx_say_attribute(soothi_onnx *job, const void *of) {
    const soothi_onnx_attribute *a = (const soothi_onnx_attribute *)of;
    soothi_onnx_text(job, 1, a->name);
    if (a->type == 1) {
        soothi_onnx_varint(job, 2u << 3 | 5u);
        soothi_onnx_float(job, a->real);
    } else if (a->type == 2) soothi_onnx_number(job, 3, a->number);
    else if (a->type == 8) a->fill(job, a->of); /* each string is a field of its own */
    else soothi_onnx_message(job, a->type == 4 ? 5 : a->type == 6 ? 7 : 8, a->fill, a->of);
    soothi_onnx_number(job, 20, a->type);
}

SOOTHI_LOCAL void soothi_onnx_attribute_number(soothi_onnx *job, const char *name, uint64_t v) {
    const soothi_onnx_attribute a = {name, 2, v, 0.0f, NULL, NULL};
    soothi_onnx_message(job, 5, soothi_onnx_say_attribute, &a);
}

SOOTHI_LOCAL void soothi_onnx_attribute_array(soothi_onnx *job, const char *name, uint32_t type,
                                              soothi_onnx_fn *fill, const void *of) {
    const soothi_onnx_attribute a = {name, type, 0, 0.0f, fill, of};
    soothi_onnx_message(job, 5, soothi_onnx_say_attribute, &a);
}

/* ---- trees ---- */

/* The arrays of TreeEnsemble, of nodes up to SPLITS, of leaves from LEAF_TARGETS on. */
typedef enum soothi_onnx_array {
    SOOTHI_ONNX_FEATURES = 0,
    SOOTHI_ONNX_TRUE_NODES,
    SOOTHI_ONNX_FALSE_NODES,
    SOOTHI_ONNX_TRUE_LEAVES,
    SOOTHI_ONNX_FALSE_LEAVES,
    SOOTHI_ONNX_MISSING_TRUE,
    SOOTHI_ONNX_MODES,
    SOOTHI_ONNX_SPLITS,
    SOOTHI_ONNX_MEMBERS,
    SOOTHI_ONNX_ROOTS,
    SOOTHI_ONNX_LEAF_TARGETS,
    SOOTHI_ONNX_LEAF_WEIGHTS
} soothi_onnx_array;

/* Where the walk is: the numbers of the next inner node and the next leaf. */
typedef struct soothi_onnx_walk {
    soothi_onnx_array array;
    uint32_t target, node, leaf; /* the target of the current trees */
} soothi_onnx_walk;

/* Returns 1 if the set is not empty. */
SOOTHI_LOCAL int soothi_onnx_has_members(const soothi_export_trees *trees, uint32_t set) {
    for (uint32_t k = trees->sets.first[set]; k < trees->sets.first[set + 1]; ++k)
        if (trees->sets.word[k]) return 1;
    return 0;
}

SOOTHI_LOCAL void soothi_onnx_say_members(soothi_onnx *job, uint32_t set) {
    const uint32_t first = job->trees.sets.first[set], end = job->trees.sets.first[set + 1];
    for (uint32_t k = first; k < end; ++k)
        for (uint32_t bit = 0; bit < 32; ++bit)
            if (job->trees.sets.word[k] >> bit & 1u) soothi_onnx_float(job, (float)(32 * (k - first) + bit));
    soothi_onnx_float(job, soothi_missing()); /* ends the set */
}

/* Writes the element of an inner node. Its left child has the number `left` among the nodes of the trees,
   `nodes` and `leaves` before the tree's target. */
SOOTHI_LOCAL void soothi_onnx_say_inner(soothi_onnx *job, const soothi_onnx_walk *w,
                                        const sooth_tree_node *node, uint32_t left, uint32_t nodes,
                                        uint32_t leaves) {
    const soothi_export_trees *trees = &job->trees;
    const int right = w->array == SOOTHI_ONNX_FALSE_NODES || w->array == SOOTHI_ONNX_FALSE_LEAVES;
    const uint32_t child = left + (uint32_t)right, is_leaf = !(trees->node[child].link & 1u);
    uint32_t set;
    const int asks = soothi_export_asks(trees, node, &set),
              members = asks && soothi_onnx_has_members(trees, set);
    unsigned char mode = members ? 6 : asks ? 1 : 0; /* member, less: of nothing, less or equal */
    switch (w->array) {
    case SOOTHI_ONNX_FEATURES: soothi_onnx_varint(job, soothi_export_feature(trees, node)); break;
    case SOOTHI_ONNX_TRUE_NODES:
    case SOOTHI_ONNX_FALSE_NODES:
        soothi_onnx_varint(job, (is_leaf ? leaves : nodes) + job->place[child]);
        break;
    case SOOTHI_ONNX_TRUE_LEAVES:
    case SOOTHI_ONNX_FALSE_LEAVES: soothi_onnx_varint(job, is_leaf); break;
    case SOOTHI_ONNX_MISSING_TRUE: soothi_onnx_varint(job, !(node->link & 2u)); break;
    case SOOTHI_ONNX_MODES: soothi_onnx_put(job, &mode, 1); break;
    case SOOTHI_ONNX_SPLITS:
        soothi_onnx_float(job, !asks     ? node->u.threshold
                               : members ? 0.0f
                                         : soothi_of_bits(SOOTHI_INFINITE_BITS | 0x80000000u));
        break;
    default:
        if (members) soothi_onnx_say_members(job, set);
        break;
    }
}

/* Writes the element of a tree that is one leaf: a node whose sides are both that leaf. */
SOOTHI_LOCAL void soothi_onnx_say_stump(soothi_onnx *job, soothi_onnx_walk *w, float value) {
    const unsigned char mode = 0;
    switch (w->array) {
    case SOOTHI_ONNX_FEATURES: soothi_onnx_varint(job, 0); break;
    case SOOTHI_ONNX_TRUE_NODES: soothi_onnx_varint(job, w->leaf); break;
    case SOOTHI_ONNX_FALSE_NODES: soothi_onnx_varint(job, w->leaf + 1); break;
    case SOOTHI_ONNX_TRUE_LEAVES:
    case SOOTHI_ONNX_FALSE_LEAVES:
    case SOOTHI_ONNX_MISSING_TRUE: soothi_onnx_varint(job, 1); break;
    case SOOTHI_ONNX_MODES: soothi_onnx_put(job, &mode, 1); break;
    case SOOTHI_ONNX_SPLITS: soothi_onnx_float(job, 0.0f); break;
    case SOOTHI_ONNX_MEMBERS: break;
    case SOOTHI_ONNX_ROOTS: soothi_onnx_varint(job, w->node); break;
    case SOOTHI_ONNX_LEAF_TARGETS:
        soothi_onnx_varint(job, w->target);
        soothi_onnx_varint(job, w->target);
        break;
    default:
        soothi_onnx_float(job, value);
        soothi_onnx_float(job, value);
        break;
    }
    ++w->node;
    w->leaf += 2;
}

SOOTHI_LOCAL float soothi_onnx_leaf(const soothi_export_trees *trees, const sooth_tree_node *node,
                                    uint32_t t) {
    return trees->width > 1 ? trees->value[(size_t)node->u.at * trees->width + t] : node->u.value;
}

/* Writes one tree; `nodes` and `leaves` come before the first tree of this round of trees. */
SOOTHI_LOCAL void soothi_onnx_say_tree(soothi_onnx *job, soothi_onnx_walk *w, uint32_t k, uint32_t t,
                                       uint32_t nodes, uint32_t leaves) {
    const soothi_export_trees *trees = &job->trees;
    const uint32_t first = soothi_export_start(trees, k), end = soothi_export_start(trees, k + 1);
    w->target = trees->width > 1 ? t : k % trees->targets;
    if (end - first == 1) {
        soothi_onnx_say_stump(job, w, soothi_onnx_leaf(trees, trees->node + first, t));
        return;
    }
    if (w->array == SOOTHI_ONNX_ROOTS) soothi_onnx_varint(job, w->node);
    for (uint32_t i = first; i < end; ++i) {
        const sooth_tree_node *node = trees->node + i;
        if (node->link & 1u) {
            if (w->array < SOOTHI_ONNX_ROOTS)
                soothi_onnx_say_inner(job, w, node, i + (node->link >> trees->shift), nodes, leaves);
            ++w->node;
            continue;
        }
        if (w->array == SOOTHI_ONNX_LEAF_TARGETS) soothi_onnx_varint(job, w->target);
        if (w->array == SOOTHI_ONNX_LEAF_WEIGHTS) soothi_onnx_float(job, soothi_onnx_leaf(trees, node, t));
        ++w->leaf;
    }
}

/* Writes an array: the trees of the base, and the trees once for each target that their leaves predict. */
SOOTHI_LOCAL void soothi_onnx_say_array(soothi_onnx *job, const void *of) {
    soothi_onnx_walk w = {*(const soothi_onnx_array *)of, 0, 0, 0};
    for (; w.target < job->bases; ++w.target) soothi_onnx_say_stump(job, &w, job->trees.base[w.target]);
    for (uint32_t t = 0; t < job->trees.width; ++t) {
        const uint32_t nodes = w.node, leaves = w.leaf;
        for (uint32_t k = 0; k < job->trees.trees; ++k) soothi_onnx_say_tree(job, &w, k, t, nodes, leaves);
    }
}

/* Numbers the nodes, each kind from 0 on; a tree of one leaf counts as a node with two. */
SOOTHI_LOCAL void soothi_onnx_number_nodes(soothi_onnx *job) {
    const soothi_export_trees *trees = &job->trees;
    uint32_t inner = 0, leaves = 0;
    for (uint32_t k = 0; k < trees->trees; ++k) {
        const uint32_t first = soothi_export_start(trees, k), end = soothi_export_start(trees, k + 1);
        for (uint32_t i = first; i < end; ++i) job->place[i] = trees->node[i].link & 1u ? inner++ : leaves++;
        if (end - first == 1) ++inner, ++leaves;
    }
    for (uint32_t t = 0; trees->base && t < trees->targets; ++t)
        if (soothi_bits(trees->base[t]) << 1) job->bases = trees->targets;
    job->inner = job->bases + trees->width * inner;
    job->leaves = 2 * job->bases + trees->width * leaves;
}

SOOTHI_LOCAL void soothi_onnx_tree_numbers(soothi_onnx *job, const char *name, soothi_onnx_array array) {
    soothi_onnx_attribute_array(job, name, SOOTHI_ONNX_ATTRIBUTE_INTS, soothi_onnx_say_array, &array);
}

SOOTHI_LOCAL void soothi_onnx_tree_tensor(soothi_onnx *job, const char *name, soothi_onnx_array array,
                                          size_t count, uint32_t type) {
    const soothi_onnx_tensor tensor = {NULL, type, 0, count, soothi_onnx_say_array, &array};
    soothi_onnx_attribute_array(job, name, SOOTHI_ONNX_ATTRIBUTE_TENSOR, soothi_onnx_say_tensor, &tensor);
}

SOOTHI_LOCAL void soothi_onnx_say_trees(soothi_onnx *job, const void *of) {
    soothi_onnx count = *job;
    const soothi_onnx_array members = SOOTHI_ONNX_MEMBERS;
    (void)of;
    count.counting = 1;
    count.size = 0;
    soothi_onnx_say_array(&count, &members);
    soothi_onnx_attribute_number(job, "aggregate_function", 1); /* sum */
    soothi_onnx_attribute_number(job, "n_targets", job->trees.targets);
    soothi_onnx_attribute_number(job, "post_transform", 0);
    soothi_onnx_tree_numbers(job, "nodes_featureids", SOOTHI_ONNX_FEATURES);
    soothi_onnx_tree_numbers(job, "nodes_truenodeids", SOOTHI_ONNX_TRUE_NODES);
    soothi_onnx_tree_numbers(job, "nodes_falsenodeids", SOOTHI_ONNX_FALSE_NODES);
    soothi_onnx_tree_numbers(job, "nodes_trueleafs", SOOTHI_ONNX_TRUE_LEAVES);
    soothi_onnx_tree_numbers(job, "nodes_falseleafs", SOOTHI_ONNX_FALSE_LEAVES);
    soothi_onnx_tree_numbers(job, "nodes_missing_value_tracks_true", SOOTHI_ONNX_MISSING_TRUE);
    soothi_onnx_tree_tensor(job, "nodes_modes", SOOTHI_ONNX_MODES, job->inner, SOOTHI_ONNX_BYTE);
    soothi_onnx_tree_tensor(job, "nodes_splits", SOOTHI_ONNX_SPLITS, job->inner, SOOTHI_ONNX_FLOAT);
    soothi_onnx_tree_numbers(job, "tree_roots", SOOTHI_ONNX_ROOTS);
    soothi_onnx_tree_numbers(job, "leaf_targetids", SOOTHI_ONNX_LEAF_TARGETS);
    soothi_onnx_tree_tensor(job, "leaf_weights", SOOTHI_ONNX_LEAF_WEIGHTS, job->leaves, SOOTHI_ONNX_FLOAT);
    if (count.size)
        soothi_onnx_tree_tensor(job, "membership_values", SOOTHI_ONNX_MEMBERS, (size_t)(count.size / 4),
                                SOOTHI_ONNX_FLOAT);
}

SOOTHI_LOCAL void soothi_onnx_add_trees(soothi_onnx *job) {
    const soothi_export_trees *trees = &job->trees;
    char from[SOOTHI_ONNX_NAME], to[SOOTHI_ONNX_NAME];
    soothi_onnx_node node = {"TreeEnsemble", "ai.onnx.ml",          {NULL, NULL, NULL},
                             NULL,           soothi_onnx_say_trees, NULL};
    node.input[0] = soothi_onnx_name(from, 'v', job->value);
    node.output = soothi_onnx_name(to, 'v', ++job->value);
    soothi_onnx_message(job, 1, soothi_onnx_say_node, &node);
    if (trees->flags & SOOTH_ENSEMBLE_MEAN) {
        soothi_onnx_with_one(job, "Div", (float)trees->each);
        soothi_onnx_with(job, "Max", trees->hull, trees->targets, 2);
        soothi_onnx_with(job, "Min", trees->hull + 1, trees->targets, 2);
    }
    if (trees->link == SOOTH_ENSEMBLE_LINK_EXP) {
        soothi_onnx_with_one(job, "Min", 88.7f);
        soothi_onnx_step(job, "Exp", 0);
    }
    if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) soothi_onnx_step(job, "Sigmoid", 0);
}

/* ---- linear models and networks ---- */

/* Multiplies the value by a matrix of inputs x outputs. */
SOOTHI_LOCAL void soothi_onnx_multiply(soothi_onnx *job, const soothi_onnx_floats *matrix) {
    soothi_onnx_add_constant(job, SOOTHI_ONNX_FLOAT, matrix->rows, matrix->cols, soothi_onnx_say_floats,
                             matrix);
    soothi_onnx_step(job, "MatMul", 1);
}

SOOTHI_LOCAL void soothi_onnx_add_linear(soothi_onnx *job, const sooth_linear *m) {
    const size_t features = m->head.features, targets = m->head.targets;
    const soothi_onnx_floats slope = {soothi_linear_slope(m), features, targets, 1, features};
    soothi_onnx_with(job, "Sub", soothi_linear_mean(m), features, 1);
    soothi_onnx_multiply(job, &slope);
    soothi_onnx_with(job, "Add", soothi_linear_offset(m), targets, 1);
}

/* A layer of a network: its weights, inputs x outputs, and its biases. */
typedef struct soothi_onnx_layer {
    const sooth_mlp *network;
    size_t layer;
} soothi_onnx_layer;

SOOTHI_LOCAL void soothi_onnx_say_weights(soothi_onnx *job, const void *of) {
    const soothi_onnx_layer *l = (const soothi_onnx_layer *)of;
    const sooth_mlp_layer *layer = sooth_mlp_layers(l->network) + l->layer;
    for (size_t i = 0; i < layer->inputs; ++i)
        for (size_t o = 0; o < layer->outputs; ++o)
            soothi_onnx_float(job, sooth_mlp_weight(l->network, l->layer, o, i));
}

SOOTHI_LOCAL void soothi_onnx_say_biases(soothi_onnx *job, const void *of) {
    const soothi_onnx_layer *l = (const soothi_onnx_layer *)of;
    for (size_t o = 0; o < sooth_mlp_layers(l->network)[l->layer].outputs; ++o)
        soothi_onnx_float(job, sooth_mlp_bias(l->network, l->layer, o));
}

SOOTHI_LOCAL void soothi_onnx_add_network(soothi_onnx *job, const sooth_mlp *m) {
    /* by sooth_mlp_activation */
    static const char ops[SOOTH_MLP_ACTIVATIONS][9] = {"Relu",     "PRelu", "Sigmoid", "Tanh",
                                                       "Softplus", "",      "Softplus"};
    for (size_t k = 0; k < m->layers; ++k) {
        const sooth_mlp_layer *layer = sooth_mlp_layers(m) + k;
        const soothi_onnx_layer of = {m, k};
        const uint32_t f = layer->activation;
        soothi_onnx_add_constant(job, SOOTHI_ONNX_FLOAT, layer->inputs, layer->outputs,
                                 soothi_onnx_say_weights, &of);
        soothi_onnx_step(job, "MatMul", 1);
        if (layer->biases_at) {
            soothi_onnx_add_constant(job, SOOTHI_ONNX_FLOAT, 0, layer->outputs, soothi_onnx_say_biases, &of);
            soothi_onnx_step(job, "Add", 1);
        }
        if (f == SOOTH_MLP_LEAKY_RELU) soothi_onnx_with_one(job, "PRelu", m->leak);
        else if (f != SOOTH_MLP_LINEAR) soothi_onnx_step(job, ops[f], 0);
        if (f == SOOTH_MLP_AT_LEAST_ONE) soothi_onnx_with_one(job, "Add", 1.0f);
    }
}

/* ---- transforms ---- */

/* The function of a scale whose columns get it. */
typedef struct soothi_onnx_mask {
    const sooth_scale *scale;
    uint32_t function; /* 1 log1p, 2 log */
} soothi_onnx_mask;

SOOTHI_LOCAL void soothi_onnx_say_mask(soothi_onnx *job, const void *of) {
    const soothi_onnx_mask *mask = (const soothi_onnx_mask *)of;
    for (size_t j = 0; j < mask->scale->head.features; ++j) {
        const unsigned char has =
            soothi_scale_function(sooth_scale_columns(mask->scale)[j].transform) == mask->function;
        soothi_onnx_put(job, &has, 1);
    }
}

/* Writes log, sign(x) log(1 + |x|), or their inverse, of all columns: see soothi_scale_transformed. */
SOOTHI_LOCAL void soothi_onnx_add_function(soothi_onnx *job, uint32_t function, int inverse) {
    const uint32_t from = job->value;
    if (function == 2) {
        soothi_onnx_step(job, inverse ? "Exp" : "Log", 0);
        return;
    }
    soothi_onnx_step(job, "Sign", 0);
    const uint32_t sign = job->value;
    soothi_onnx_join(job, "Mul", 0, sign, from); /* |x| */
    if (inverse) soothi_onnx_step(job, "Exp", 0);
    else soothi_onnx_with_one(job, "Add", 1.0f);
    if (inverse) soothi_onnx_with_one(job, "Sub", 1.0f);
    else soothi_onnx_step(job, "Log", 0);
    soothi_onnx_join(job, "Mul", 0, sign, job->value);
}

/* Applies the functions of a scale: each to the columns that have it. */
SOOTHI_LOCAL void soothi_onnx_add_functions(soothi_onnx *job, const sooth_scale *scale, int inverse) {
    const sooth_scale_column *column = sooth_scale_columns(scale);
    for (uint32_t function = 1; function < 3; ++function) {
        const soothi_onnx_mask mask = {scale, function};
        const uint32_t from = job->value;
        size_t having = 0;
        for (size_t j = 0; j < scale->head.features; ++j)
            having += soothi_scale_function(column[j].transform) == function;
        if (having == 0) continue;
        soothi_onnx_add_function(job, function, inverse);
        if (having == scale->head.features) continue;
        soothi_onnx_add_constant(job, SOOTHI_ONNX_BOOL, 0, scale->head.features, soothi_onnx_say_mask, &mask);
        soothi_onnx_join(job, "Where", 1, job->value, from);
    }
}

/* Applies an operator to the value and a number of each column. */
SOOTHI_LOCAL void soothi_onnx_with_columns(soothi_onnx *job, const char *op, const sooth_scale *scale,
                                           const float *first) {
    soothi_onnx_with(job, op, first, scale->head.features, sizeof(sooth_scale_column) / sizeof(float));
}

SOOTHI_LOCAL void soothi_onnx_add_clip(soothi_onnx *job, const sooth_scale *scale) {
    if (!scale->clip) return;
    soothi_onnx_with_columns(job, "Max", scale, &sooth_scale_columns(scale)->least);
    soothi_onnx_with_columns(job, "Min", scale, &sooth_scale_columns(scale)->most);
}

/* ---- columns with levels ---- */

/* Returns the name of an input: that of the feature, or f1, f2, ... if it has none or another has it, too, or
   could have it: f2 is the name of the second feature alone. */
SOOTHI_LOCAL const char *soothi_onnx_input(const soothi_onnx *job, size_t j, char room[SOOTHI_ONNX_NAME]) {
    const sooth_model_card *card = job->parts.card;
    const char *name = card ? sooth_model_card_text(card, SOOTH_CARD_FEATURE, j) : "";
    size_t digits = 1;
    sooth_text_format(room, SOOTHI_ONNX_NAME, "f%u", (uint32_t)j + 1);
    while (*name == 'f' && name[digits] >= '0' && name[digits] <= '9') ++digits;
    const int numbered = digits > 1 && !name[digits];
    int unique = *name && *name != '/' && !numbered && !soothi_same_text(name, "prediction");
    for (size_t k = 0; unique && k < job->parts.predictor->features; ++k)
        unique = k == j || !soothi_same_text(name, sooth_model_card_text(card, SOOTH_CARD_FEATURE, k));
    return unique ? name : room;
}

/* Level k of column j: its name, or the number that the predictor gets. */
SOOTHI_LOCAL void soothi_onnx_say_keys(soothi_onnx *job, const void *of) {
    const size_t j = *(const size_t *)of;
    const uint32_t count = sooth_levels_columns(job->parts.levels)[j].count;
    for (uint32_t k = 0; k < count; ++k)
        soothi_onnx_text(job, 9, sooth_levels_name(job->parts.levels, j, (float)k));
    if (count == 0) soothi_onnx_text(job, 9, ""); /* ONNX wants a key */
}

SOOTHI_LOCAL void soothi_onnx_say_codes(soothi_onnx *job, const void *of) {
    const sooth_levels *l = job->parts.levels;
    const sooth_levels_column *column = sooth_levels_columns(l) + *(const size_t *)of;
    if (column->count == 0) soothi_onnx_float(job, l->statistics ? l->prior : soothi_missing());
    for (uint32_t k = 0; k < column->count; ++k)
        soothi_onnx_float(job, l->statistics ? soothi_levels_statistics(l)[column->first + k] : (float)k);
}

SOOTHI_LOCAL void soothi_onnx_say_encoder(soothi_onnx *job, const void *of) {
    const sooth_levels *l = job->parts.levels;
    soothi_onnx_attribute other = {"default_float", 1, 0, 0.0f, NULL, NULL};
    soothi_onnx_attribute_array(job, "keys_strings", 8, soothi_onnx_say_keys, of);
    soothi_onnx_attribute_array(job, "values_floats", 6, soothi_onnx_say_codes, of);
    other.real = l->statistics ? l->prior : soothi_missing();
    soothi_onnx_message(job, 5, soothi_onnx_say_attribute, &other);
}

SOOTHI_LOCAL void soothi_onnx_say_concat(soothi_onnx *job, const void *of) {
    const uint32_t first = *(const uint32_t *)of;
    char name[SOOTHI_ONNX_NAME];
    for (uint32_t j = 0; j < job->parts.predictor->features; ++j) {
        const int encoded = sooth_levels_columns(job->parts.levels)[j].categorical != 0;
        soothi_onnx_text(
            job, 1, encoded ? soothi_onnx_name(name, 'v', first + j + 1) : soothi_onnx_input(job, j, name));
    }
    soothi_onnx_text(job, 2, soothi_onnx_name(name, 'v', first + job->parts.predictor->features + 1));
    soothi_onnx_text(job, 4, "Concat");
    soothi_onnx_attribute_number(job, "axis", 1);
}

/* Joins the inputs of all features; strings become numbers on the way. */
SOOTHI_LOCAL void soothi_onnx_add_columns(soothi_onnx *job) {
    const uint32_t first = job->value;
    char from[SOOTHI_ONNX_NAME], to[SOOTHI_ONNX_NAME];
    for (size_t j = 0; j < job->parts.predictor->features; ++j) {
        soothi_onnx_node node = {"LabelEncoder",          "ai.onnx.ml", {NULL, NULL, NULL}, NULL,
                                 soothi_onnx_say_encoder, NULL};
        node.input[0] = soothi_onnx_input(job, j, from);
        node.output = soothi_onnx_name(to, 'v', ++job->value);
        node.of = &j;
        if (sooth_levels_columns(job->parts.levels)[j].categorical)
            soothi_onnx_message(job, 1, soothi_onnx_say_node, &node);
    }
    soothi_onnx_message(job, 1, soothi_onnx_say_concat, &first);
    ++job->value;
}

/* ---- the file ---- */

/* An input or output: [N, cols]. */
typedef struct soothi_onnx_port {
    const char *name;
    uint32_t type;
    uint64_t cols;
} soothi_onnx_port;

SOOTHI_LOCAL void soothi_onnx_say_rows(soothi_onnx *job, const void *of) {
    (void)of;
    soothi_onnx_text(job, 2, "N");
}

SOOTHI_LOCAL void soothi_onnx_say_cols(soothi_onnx *job, const void *of) {
    soothi_onnx_number(job, 1, ((const soothi_onnx_port *)of)->cols);
}

SOOTHI_LOCAL void soothi_onnx_say_shape(soothi_onnx *job, const void *of) {
    soothi_onnx_message(job, 1, soothi_onnx_say_rows, of);
    soothi_onnx_message(job, 1, soothi_onnx_say_cols, of);
}

SOOTHI_LOCAL void soothi_onnx_say_element(soothi_onnx *job, const void *of) {
    soothi_onnx_number(job, 1, ((const soothi_onnx_port *)of)->type);
    soothi_onnx_message(job, 2, soothi_onnx_say_shape, of);
}

SOOTHI_LOCAL void soothi_onnx_say_type(soothi_onnx *job, const void *of) {
    soothi_onnx_message(job, 1, soothi_onnx_say_element, of);
}

SOOTHI_LOCAL void soothi_onnx_say_port(soothi_onnx *job, const void *of) {
    soothi_onnx_text(job, 1, ((const soothi_onnx_port *)of)->name);
    soothi_onnx_message(job, 2, soothi_onnx_say_type, of);
}

SOOTHI_LOCAL void soothi_onnx_say_ports(soothi_onnx *job) {
    const uint32_t features = job->parts.predictor->features;
    const soothi_onnx_port whole = {"X", SOOTHI_ONNX_FLOAT, features},
                           out = {"prediction", SOOTHI_ONNX_FLOAT, job->parts.predictor->targets};
    char room[SOOTHI_ONNX_NAME];
    if (!job->parts.levels) soothi_onnx_message(job, 11, soothi_onnx_say_port, &whole);
    for (uint32_t j = 0; job->parts.levels && j < features; ++j) {
        soothi_onnx_port port = {NULL, SOOTHI_ONNX_FLOAT, 1};
        port.name = soothi_onnx_input(job, j, room);
        if (sooth_levels_columns(job->parts.levels)[j].categorical) port.type = SOOTHI_ONNX_STRING;
        soothi_onnx_message(job, 11, soothi_onnx_say_port, &port);
    }
    soothi_onnx_message(job, 12, soothi_onnx_say_port, &out);
}

SOOTHI_LOCAL void soothi_onnx_say_graph(soothi_onnx *job, const void *of) {
    const sooth_model_parts *parts = &job->parts;
    const uint32_t kind = soothi_model_kind(parts->predictor);
    char from[SOOTHI_ONNX_NAME];
    soothi_onnx_node ends = {"Identity", NULL, {"X", NULL, NULL}, "/v0", NULL, NULL};
    (void)of;
    job->value = job->constant = 0;
    soothi_onnx_text(job, 2, "sooth");
    if (parts->levels) soothi_onnx_add_columns(job);
    else soothi_onnx_message(job, 1, soothi_onnx_say_node, &ends);
    if (parts->input) {
        soothi_onnx_add_clip(job, parts->input);
        soothi_onnx_add_functions(job, parts->input, 0);
        soothi_onnx_with_columns(job, "Sub", parts->input, &sooth_scale_columns(parts->input)->shift);
        soothi_onnx_with_columns(job, "Div", parts->input, &sooth_scale_columns(parts->input)->width);
    }
    if (job->trees.node) soothi_onnx_add_trees(job);
    else if (kind == SOOTH_KIND_LINEAR)
        soothi_onnx_add_linear(job, (const sooth_linear *)(const void *)parts->predictor);
    else soothi_onnx_add_network(job, (const sooth_mlp *)(const void *)parts->predictor);
    if (parts->target) {
        soothi_onnx_with_columns(job, "Mul", parts->target, &sooth_scale_columns(parts->target)->width);
        soothi_onnx_with_columns(job, "Add", parts->target, &sooth_scale_columns(parts->target)->shift);
        soothi_onnx_add_functions(job, parts->target, 1);
        soothi_onnx_add_clip(job, parts->target);
    }
    ends.input[0] = soothi_onnx_name(from, 'v', job->value);
    ends.output = "prediction";
    soothi_onnx_message(job, 1, soothi_onnx_say_node, &ends);
    soothi_onnx_say_ports(job);
}

SOOTHI_LOCAL void soothi_onnx_say_operators(soothi_onnx *job, const void *of) {
    soothi_onnx_text(job, 1, (const char *)of);
    soothi_onnx_number(job, 2, *(const char *)of ? 5 : 18);
}

/* Returns SOOTH_OK if the graph can hold the model. */
SOOTHI_LOCAL sooth_status soothi_onnx_accept(sooth_env *env, const soothi_onnx *job) {
    const uint32_t kind = soothi_model_kind(job->parts.predictor);
    if (!job->trees.node && kind != SOOTH_KIND_LINEAR && kind != SOOTH_KIND_MLP)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "models of kind %s cannot be exported to ONNX, only trees, forests, boosting, linear "
            "models and networks",
            soothi_export_kind_word(job->parts.predictor));
    if (job->trees.at)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model has linear leaves, which ONNX files cannot represent; fit it without "
                          "linear_leaves");
    if (job->trees.flags & SOOTH_ENSEMBLE_QUANTILES)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model sorts several quantiles, which is not exported to ONNX; fit a model for "
                          "each");
    if (kind == SOOTH_KIND_LINEAR && ((const sooth_linear *)(const void *)job->parts.predictor)->products)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model has products of columns, which are not exported to ONNX; fit it with "
                          "products=0");
    if (kind == SOOTH_KIND_MLP && ((const sooth_mlp *)(const void *)job->parts.predictor)->bits)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the network has integer weights, which are not exported to ONNX; export the one "
                          "with floats");
    if (job->trees.node && (uint64_t)job->trees.nodes * job->trees.width > 16777216u)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the trees have %u nodes, which is too much for a file of ONNX; its limit is 2 GiB",
                          job->trees.nodes);
    if (job->parts.ratio)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model multiplies by a sum of columns (ratio_to), which is not exported to ONNX; "
            "fit it without ratio_to");
    if (job->parts.probability)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model maps its sum to a calibrated probability, which is not exported to ONNX; "
            "fit it without --calibrate");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_export_onnx(sooth_env *env, const sooth_model *model, sooth_sink *sink) {
    soothi_onnx job;
    memset(&job, 0, sizeof job);
    job.sink = sink;
    sooth_model_open(model, &job.parts);
    soothi_export_open(job.parts.predictor, &job.trees);
    const sooth_status status = soothi_onnx_accept(env, &job);
    if (status != SOOTH_OK) return status;
    if (job.trees.node) {
        job.place = (uint32_t *)sooth_alloc(env, job.trees.nodes, sizeof *job.place);
        if (!job.place) return sooth_no_memory(env, "an export", job.trees.nodes * sizeof *job.place);
        soothi_onnx_number_nodes(&job);
    }
    soothi_onnx_number(&job, 1, 10);
    soothi_onnx_text(&job, 2, "sooth");
    soothi_onnx_text(&job, 3, SOOTH_VERSION_TEXT);
    soothi_onnx_message(&job, 7, soothi_onnx_say_graph, NULL);
    soothi_onnx_message(&job, 8, soothi_onnx_say_operators, "");
    soothi_onnx_message(&job, 8, soothi_onnx_say_operators, "ai.onnx.ml");
    sooth_free(env, job.place, job.trees.nodes, sizeof *job.place);
    return soothi_export_done(env, sink);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
