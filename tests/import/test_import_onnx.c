/* test_import_onnx.c - files of ONNX that are written here, with packed lists and without: random trees
 * against a walk by the definition of the operator, refusals, and hostile bytes. test_import.c has files of
 * converters, with the answers of ONNX Runtime.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export.h"
#include "sooth/import.h"
#include "sooth/train.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLS = 4, NODES = 512, WEIGHTS = 1024, ROWS = 200 };
static sooth_env env;
static sooth_rng rng;

/* ---- a writer of protocol buffers ---- */

typedef struct buffer {
    unsigned char at[1 << 16];
    size_t size;
} buffer;

static void put(buffer *b, const void *bytes, size_t n) {
    if (b->size + n > sizeof b->at) abort();
    memcpy(b->at + b->size, bytes, n);
    b->size += n;
}
static void varint(buffer *b, uint64_t v) {
    for (; v > 127; v >>= 7) put(b, &(unsigned char){(unsigned char)(v | 128)}, 1);
    put(b, &(unsigned char){(unsigned char)v}, 1);
}
static void number(buffer *b, unsigned field, uint64_t v) {
    varint(b, field << 3);
    varint(b, v);
}
static void bytes(buffer *b, unsigned field, const void *at, size_t n) {
    varint(b, field << 3 | 2);
    varint(b, n);
    put(b, at, n);
}
static void text(buffer *b, unsigned field, const char *t) { bytes(b, field, t, strlen(t)); }
static void message(buffer *b, unsigned field, const buffer *inner) {
    bytes(b, field, inner->at, inner->size);
}

/* Numbers little end first, whatever this machine is. */
static void fixed(buffer *b, uint64_t bits, unsigned n) {
    for (; n > 0; --n, bits >>= 8) put(b, &(unsigned char){(unsigned char)bits}, 1);
}
static void real(buffer *b, double v, unsigned width) {
    const float single = (float)v;
    uint64_t bits;
    memcpy(&bits, &v, 8);
    fixed(b, width == 8 ? bits : soothi_bits(single), width);
}

/* ---- trees ---- */

typedef struct trees {
    const char *op, *domain, *post, *sum, *before, *after, *missing_list;
    unsigned nodes, weights, targets, bases, packed, tensors, input, inputs, outputs, classes, cast;
    unsigned feature[NODES], tree[NODES], mode[NODES], yes[NODES], no[NODES], tracks[NODES];
    unsigned weight_node[WEIGHTS], target[WEIGHTS]; /* indices of nodes */
    double value[NODES], weight[WEIGHTS], base[4];
} trees;

static const char modes[][12] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT",
                                 "BRANCH_EQ",  "LEAF",      "OTHER"};
enum { EQUAL = 4, LEAF, OTHER };

static void integers(buffer *node, const trees *t, const char *name, const unsigned *v, unsigned n) {
    static buffer a, list;
    a.size = list.size = 0;
    if (t->missing_list && strcmp(name, t->missing_list) == 0) --n;
    text(&a, 1, name);
    for (unsigned i = 0; i < n; ++i) {
        if (t->packed) varint(&list, v[i]);
        else number(&a, 8, v[i]);
    }
    if (t->packed) message(&a, 8, &list);
    number(&a, 20, 7);
    message(node, 5, &a);
}

/* Floats as an attribute, or a tensor: of floats in raw_data (1) or float_data (2), or of doubles (3, 4). */
static void reals(buffer *node, const trees *t, const char *name, const double *v, unsigned n) {
    static buffer a, tensor, list;
    char full[64];
    const unsigned width = t->tensors > 2 ? 8 : 4;
    a.size = tensor.size = list.size = 0;
    snprintf(full, sizeof full, "%s%s", name, t->tensors ? "_as_tensor" : "");
    if (n == 0) return;
    text(&a, 1, full);
    for (unsigned i = 0; i < n; ++i) {
        if (!t->tensors && !t->packed) varint(&a, 7 << 3 | 5);
        real(!t->tensors && !t->packed ? &a : &list, v[i], width);
    }
    number(&tensor, 1, n);
    number(&tensor, 2, width == 8 ? 11 : 1);
    if (t->tensors) message(&tensor, t->tensors % 2 ? 9 : width == 8 ? 10 : 4, &list);
    if (t->tensors) message(&a, 5, &tensor);
    else if (t->packed) message(&a, 7, &list);
    number(&a, 20, t->tensors ? 4 : 6);
    message(node, 5, &a);
}

static void word(buffer *node, const char *name, const char *value) {
    static buffer a;
    a.size = 0;
    if (!value) return;
    text(&a, 1, name);
    text(&a, 4, value);
    number(&a, 20, 3);
    message(node, 5, &a);
}

static void say_trees(const trees *t, buffer *node) {
    static buffer a;
    const int classifier = strcmp(t->op, "TreeEnsembleClassifier") == 0;
    unsigned tree_of[WEIGHTS], node_of[WEIGHTS];
    node->size = 0;
    text(node, 1, t->before ? "b" : "X");
    if (classifier) text(node, 2, "label");
    text(node, 2, t->after ? "a" : "Y");
    text(node, 4, t->op);
    integers(node, t, "nodes_treeids", t->tree, t->nodes);
    /* ids count from 0 in each tree */
    unsigned all[NODES], id[NODES], yes[NODES], no[NODES], root = 0;
    for (unsigned i = 0; i < t->nodes; ++i) {
        if (i && t->tree[i] != t->tree[i - 1]) root = i;
        all[i] = i;
        id[i] = i - root;
        yes[i] = t->yes[i] - root;
        no[i] = t->no[i] - root;
    }
    integers(node, t, "nodes_nodeids", id, t->nodes);
    integers(node, t, "nodes_featureids", t->feature, t->nodes);
    integers(node, t, "nodes_truenodeids", yes, t->nodes);
    integers(node, t, "nodes_falsenodeids", no, t->nodes);
    integers(node, t, "nodes_missing_value_tracks_true", t->tracks, t->nodes);
    reals(node, t, "nodes_values", t->value, t->nodes);
    a.size = 0;
    text(&a, 1, "nodes_modes");
    for (unsigned i = 0; i < t->nodes; ++i) text(&a, 9, modes[t->mode[i]]);
    number(&a, 20, 8);
    message(node, 5, &a);
    for (unsigned i = 0; i < t->weights; ++i) {
        tree_of[i] = t->tree[t->weight_node[i]];
        node_of[i] = id[t->weight_node[i]];
    }
    integers(node, t, classifier ? "class_treeids" : "target_treeids", tree_of, t->weights);
    integers(node, t, classifier ? "class_nodeids" : "target_nodeids", node_of, t->weights);
    integers(node, t, classifier ? "class_ids" : "target_ids", t->target, t->weights);
    reals(node, t, classifier ? "class_weights" : "target_weights", t->weight, t->weights);
    reals(node, t, "base_values", t->base, t->bases);
    word(node, "post_transform", t->post);
    word(node, "aggregate_function", t->sum);
    if (classifier) integers(node, t, "classlabels_int64s", all, t->classes);
    a.size = 0;
    text(&a, 1, "n_targets");
    number(&a, 3, t->targets);
    number(&a, 20, 2);
    if (!classifier) message(node, 5, &a);
    text(node, 7, t->domain ? t->domain : "ai.onnx.ml");
}

static void chained(buffer *graph, const char *op, unsigned cast, const char *from, const char *to) {
    static buffer node, a;
    node.size = a.size = 0;
    text(&node, 1, from);
    text(&node, 2, to);
    text(&node, 4, op);
    text(&a, 1, "to");
    number(&a, 3, cast);
    number(&a, 20, 2);
    if (cast) message(&node, 5, &a);
    message(graph, 1, &node);
}

static void port(buffer *graph, unsigned field, const char *name, unsigned type) {
    static buffer a, b, c, d;
    a.size = b.size = c.size = d.size = 0;
    text(&d, 2, "N");
    message(&c, 1, &d);
    d.size = 0;
    number(&d, 1, COLS);
    message(&c, 1, &d);
    number(&b, 1, type);
    message(&b, 2, &c);
    message(&a, 1, &b);
    text(&b, 1, name);
    d.size = 0;
    text(&d, 1, name);
    message(&d, 2, &a);
    message(graph, field, &d);
}

static void say_file(const trees *t, buffer *file) {
    static buffer graph, node;
    file->size = graph.size = node.size = 0;
    if (t->before) chained(&graph, t->before, t->cast, "X", "b");
    say_trees(t, &node);
    message(&graph, 1, &node);
    if (t->after) chained(&graph, t->after, t->cast, "a", "Y");
    for (unsigned k = 0; k < t->inputs; ++k) port(&graph, 11, k ? "Z" : "X", t->input);
    for (unsigned k = 0; k < t->outputs; ++k) port(&graph, 12, k ? "Z" : "Y", 1);
    number(file, 1, 8);
    text(file, 2, "test");
    message(file, 7, &graph);
    node.size = 0;
    text(&node, 1, "ai.onnx.ml");
    number(&node, 2, 3);
    message(file, 8, &node);
}

static unsigned grow(trees *t, unsigned tree, unsigned depth) {
    const unsigned i = t->nodes++;
    t->tree[i] = tree;
    t->feature[i] = sooth_rng_below(&rng, COLS);
    t->tracks[i] = sooth_rng_below(&rng, 2);
    t->mode[i] = depth == 0 || sooth_rng_below(&rng, 5) == 0 ? LEAF : sooth_rng_below(&rng, 4);
    t->value[i] = (double)((float)sooth_rng_below(&rng, 9) / 4.0f - 1.0f);
    if (sooth_rng_below(&rng, 12) == 0) t->value[i] = sooth_rng_below(&rng, 2) ? -INFINITY : INFINITY;
    if (t->mode[i] != LEAF) {
        t->yes[i] = grow(t, tree, depth - 1);
        t->no[i] = grow(t, tree, depth - 1);
        return i;
    }
    for (unsigned k = 0; k < t->targets; ++k) {
        t->weight_node[t->weights] = i;
        t->target[t->weights] = t->targets - 1 - k;
        t->weight[t->weights++] = (double)(float)(sooth_rng_double(&rng) - 0.3);
    }
    return i;
}

static void plant(trees *t, unsigned count, unsigned targets) {
    memset(t, 0, sizeof *t);
    t->op = "TreeEnsembleRegressor";
    t->targets = targets;
    t->inputs = t->outputs = t->input = 1;
    for (unsigned k = 0; k < count; ++k) grow(t, k, 4);
}

/* By the definition of the operator, in the order of the trees. */
static float answer(const trees *t, const float *row, unsigned target) {
    float sum = 0.0f;
    for (unsigned root = 0; root < t->nodes; ++root) {
        unsigned i = root;
        if (root && t->tree[root] == t->tree[root - 1]) continue;
        while (t->mode[i] != LEAF) {
            const double x = (double)row[t->feature[i]], v = t->value[i];
            const unsigned m = t->mode[i];
            const int holds = m == 0 ? x <= v : m == 1 ? x < v : m == 2 ? x >= v : x > v;
            i = holds || (isnan(x) && t->tracks[i]) ? t->yes[i] : t->no[i];
        }
        for (unsigned k = 0; k < t->weights; ++k)
            if (t->weight_node[k] == i && t->target[k] == target) sum += (float)t->weight[k];
    }
    return t->bases ? sum + (float)t->base[target] : sum;
}

static sooth_status read_trees(const trees *t, sooth_import *import) {
    static buffer file;
    say_file(t, &file);
    return sooth_import_read(&env, file.at, file.size, NULL, import);
}

static void random_trees_by_the_definition(void) {
    static const float special[] = {-INFINITY, INFINITY, NAN, 0.0f, -0.0f, 1e-45f, -FLT_MAX, FLT_MAX};
    static trees t;
    for (unsigned k = 0; k < 60; ++k) {
        sooth_import import;
        plant(&t, 1 + k % 7, 1 + k % 3);
        t.packed = k % 2;
        t.tensors = k % 5;
        t.bases = k % 4 == 3 ? t.targets : 0;
        for (unsigned b = 0; b < t.bases; ++b) t.base[b] = (double)(0.1f * (float)(b + 1));
        t.before = k % 6 == 4 ? "Identity" : NULL;
        t.after = k % 6 == 5 ? "Identity" : NULL;
        t.cast = k % 12 == 11 ? 1 : k % 12 == 10 ? 11 : 0;
        if (t.cast) t.before = t.after = "Cast";
        CHECK_STATUS(read_trees(&t, &import), SOOTH_OK);
        if (!import.ensemble) {
            printf("  %s\n", env.sentence);
            continue;
        }
        CHECK(import.format == SOOTH_IMPORT_ONNX && import.ensemble->head.features == COLS);
        CHECK(strcmp(import.objective, t.op) == 0 && !import.names && !import.zeros);
        CHECK(soothi_ensemble_check(import.ensemble, import.ensemble->head.size, SOOTH_KIND_BOOST));
        for (unsigned r = 0; r < ROWS; ++r) {
            float row[COLS], out[3];
            for (unsigned j = 0; j < COLS; ++j)
                row[j] = sooth_rng_below(&rng, 3) ? (float)sooth_rng_below(&rng, 17) / 8.0f - 1.0f
                                                  : special[sooth_rng_below(&rng, 8)];
            sooth_ensemble_predict_many(import.ensemble, row, 1, COLS, out);
            for (unsigned target = 0; target < t.targets; ++target) {
                const float want = answer(&t, row, target);
                if (t.tensors > 2 || t.cast == 11) CHECK_NEAR(out[target], want, 1e-6); /* it sums doubles */
                else CHECK(soothi_bits(out[target] + 0.0f) == soothi_bits(want + 0.0f));
            }
        }
        sooth_import_free(&env, &import);
    }
}

static void memory_runs_out(void) {
    static trees t;
    sooth_import import;
    plant(&t, 5, 2);
    CHECK_EVERY_ALLOCATION(&env, read_trees(&t, &import), sooth_import_free(&env, &import));
}

/* Two classes: the probability of the second one, where ONNX Runtime and the specification agree. */
static void classes(void) {
    static trees t;
    sooth_import import;
    const float row[COLS] = {0.25f, -0.5f, NAN, 1.0f};
    plant(&t, 3, 1);
    t.op = "TreeEnsembleClassifier";
    t.classes = 2;
    t.post = "LOGISTIC";
    t.weight[0] = -0.5;
    CHECK_STATUS(read_trees(&t, &import), SOOTH_OK);
    if (import.ensemble) {
        const double p = 1.0 / (1.0 + exp(-(double)answer(&t, row, 0)));
        CHECK(import.ensemble->head.targets == 1);
        CHECK_CLOSE(sooth_ensemble_predict(import.ensemble, row), p, 3e-7);
    }
    sooth_import_free(&env, &import);
    t.after = "Exp";
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "LOGISTIC and another function");
    t.after = NULL;
    t.post = "NONE";
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "negates for some rows");
    for (unsigned k = 0; k < t.weights; ++k) t.weight[k] = fabs(t.weight[k]);
    CHECK_STATUS(read_trees(&t, &import), SOOTH_OK);
    if (import.ensemble) CHECK(sooth_ensemble_predict(import.ensemble, row) == answer(&t, row, 0));
    sooth_import_free(&env, &import);
    t.post = "LOGISTIC";
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "without LOGISTIC");
    t.bases = 2;
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "base_values for both of two classes");
    t.bases = 0;
    t.target[0] = 1;
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "some leaves have no value for a target");
    plant(&t, 3, 2); /* both classes in every leaf, as CatBoost writes them */
    t.op = "TreeEnsembleClassifier";
    t.classes = 2;
    t.post = "LOGISTIC";
    CHECK_STATUS(read_trees(&t, &import), SOOTH_OK);
    if (import.ensemble) {
        const double p = 1.0 / (1.0 + exp(-(double)answer(&t, row, 1)));
        CHECK(import.ensemble->head.targets == 1);
        CHECK_CLOSE(sooth_ensemble_predict(import.ensemble, row), p, 3e-7);
    }
    sooth_import_free(&env, &import);
    t.classes = 1;
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, "fewer than two class labels");
}

/* Mistakes of one kind each, made in a copy of valid trees. */
static void refusals(void) {
    static trees valid, t;
    unsigned leaves = 0;
    static const char words[][64] = {"the operator Scaler cannot be imported; before the trees",
                                     "the operator Div cannot be imported; after the trees",
                                     "the operator LinearRegressor cannot be imported",
                                     "aggregate_function must be SUM or AVERAGE",
                                     "a mean (AVERAGE) with base_values",
                                     "the post_transform of the trees",
                                     "the post_transform of the trees",
                                     "whether x equals a number",
                                     "the mode of node 0",
                                     "a child of node 0",
                                     "have the same child",
                                     "a child of node 0",
                                     "has no id in order",
                                     "nodes_values (or the like) of the trees has",
                                     "the input of the model is not a tensor of floats or doubles",
                                     "several inputs",
                                     "the model has no input",
                                     "tests column",
                                     "the target of leaf value 0",
                                     "two values for target",
                                     "is NaN",
                                     "is not finite",
                                     "target 1 of 2 has no leaf values",
                                     "base_values for 1 targets",
                                     "some leaves have no value",
                                     "not that of its trees alone",
                                     "the operator TreeEnsembleRegressor cannot be imported",
                                     "the operator Cast cannot be imported",
                                     "the operator Sigmoid cannot be imported",
                                     "the operator Exp cannot be imported",
                                     "a mean (AVERAGE) needs a value",
                                     "is not finite",
                                     "the target of leaf value 0"};
    plant(&valid, 4, 1);
    while (valid.mode[0] == LEAF || valid.mode[1] == LEAF) plant(&valid, 4, 1);
    for (unsigned k = 0; k < valid.weights; ++k) leaves += valid.tree[valid.weight_node[k]] == 3;
    for (unsigned k = 0; k < sizeof words / sizeof *words; ++k) {
        sooth_import import;
        const int before = check_failures;
        t = valid;
        switch (k) {
        case 0: t.before = "Scaler"; break;
        case 1: t.after = "Div"; break;
        case 2: t.op = "LinearRegressor"; break;
        case 3: t.sum = "MAX"; break;
        case 4: t.sum = "AVERAGE", t.bases = 1, t.base[0] = 1; break;
        case 5: t.post = "LOGISTIC"; break;
        case 6: t.post = "PROBIT"; break;
        case 7: t.mode[1] = EQUAL; break;
        case 8: t.mode[0] = OTHER; break;
        case 9: t.yes[0] = t.nodes - 1; break; /* of another tree */
        case 10: t.yes[1] = 0; break;
        case 11: t.yes[0] = t.no[0]; break;
        case 12: t.tree[t.nodes - 1] = t.tree[0]; break;
        case 13: t.missing_list = "nodes_featureids"; break;
        case 14: t.input = 7; break;
        case 15: t.inputs = 2; break;
        case 16: t.inputs = 0; break;
        case 17: t.feature[0] = COLS; break;
        case 18: t.target[0] = 1; break;
        case 19: t.weight_node[t.weights++] = t.weight_node[0]; break;
        case 20: t.value[0] = NAN; break;
        case 21: t.weight[0] = INFINITY; break;
        case 22: t.targets = 2; break;
        case 23: t.bases = 2; break;
        case 24: t.bases = 1, t.base[0] = 1, --t.weights; break;
        case 25: t.outputs = 2; break;
        case 26: t.domain = "other"; break;
        case 27: t.after = "Cast", t.cast = 7; break; /* integers */
        case 28: t.before = "Sigmoid"; break;
        case 29: t.before = "Exp"; break;
        case 30: t.sum = "AVERAGE", t.weights -= leaves; break; /* of the last tree */
        case 31: t.bases = 1, t.base[0] = NAN; break;
        default: t.targets = 0; break;
        }
        CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT, words[k]);
        if (check_failures > before) printf("  case %u: %s\n", k, env.sentence);
    }
}

/* A tree with one value for each of many targets would become a tree of all its nodes for each. */
static void memory_is_bounded(void) {
    static trees t;
    sooth_import import;
    plant(&t, 0, 1000);
    for (unsigned i = 0; i + 2 < NODES; i += 2) {
        t.yes[i] = i + 1;
        t.no[i] = i + 2;
        t.mode[i + 1] = t.mode[i + 2] = LEAF;
        t.mode[i] = 0;
        t.nodes = i + 3;
    }
    for (; t.weights < 1000; ++t.weights) {
        t.target[t.weights] = t.weights;
        t.weight_node[t.weights] = t.nodes - 1;
    }
    CHECK_FAILS(&env, read_trees(&t, &import), SOOTH_BAD_TEXT,
                "the trees of 1000 targets need too many nodes");
}

/* Counts what becomes of a file of which one byte differs, or that ends early: a valid ensemble, or a
   sentence. */
static void hurt(const unsigned char *at, size_t size, unsigned *taken, unsigned *refused) {
    static const unsigned char other[] = {0, 1, 0x7F, 0x80, 0xFF};
    const sooth_import_options options = {.format = SOOTH_IMPORT_ONNX};
    for (size_t i = 0; i < size; ++i)
        for (unsigned k = 0; k <= sizeof other; ++k) {
            const size_t left = k < sizeof other ? size : i;
            unsigned char *copy = (unsigned char *)malloc(left ? left : 1);
            sooth_import import;
            if (!copy) abort();
            memcpy(copy, at, left);
            if (k < sizeof other) copy[i] = other[k];
            env.sentence[0] = 0;
            const sooth_status status = sooth_import_read(&env, copy, left, &options, &import);
            if (status == SOOTH_OK) {
                ++*taken;
                CHECK(k < sizeof other);
                CHECK(soothi_ensemble_check(import.ensemble, import.ensemble->head.size, SOOTH_KIND_BOOST));
            } else {
                ++*refused;
                CHECK(status == SOOTH_BAD_TEXT && env.sentence[0] && !import.ensemble);
            }
            sooth_import_free(&env, &import);
            free(copy);
        }
}

static void hostile_bytes(void) {
    static const char kept[][64] = {"tests/golden/import_onnx_1.32.0_five.onnx",
                                    "tests/golden/import_onnx_1.32.0_logistic.onnx",
                                    "tests/golden/import_onnx_1.32.0_refused_softmax.onnx"};
    static buffer file;
    static trees t;
    unsigned taken = 0, refused = 0;
    for (unsigned packed = 0; packed < 2; ++packed) {
        plant(&t, 2, 2);
        while (t.nodes > 40) plant(&t, 2, 2);
        t.packed = packed;
        t.tensors = packed;
        say_file(&t, &file);
        hurt(file.at, file.size, &taken, &refused);
    }
    CHECK(taken > 500 && refused > 5000);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
        FILE *f = fopen(kept[k], "rb");
        CHECK(f != NULL);
        if (!f) continue;
        file.size = fread(file.at, 1, sizeof file.at, f);
        (void)fclose(f);
        CHECK(file.size > 500 && file.size < sizeof file.at);
        hurt(file.at, file.size, &taken, &refused);
    }
}

/* ---- what sooth exports comes back ---- */

static size_t sink_size;
static int append(void *user, const char *piece, size_t size) {
    memcpy((char *)user + sink_size, piece, size);
    sink_size += size;
    return 0;
}

static void exports_come_back(void) {
    static unsigned char file[1 << 18];
    static float x[ROWS * COLS], y[ROWS * 2], out[ROWS * 2], again[ROWS * 2];
    sooth_sink sink = {.write_fn = append, .user = file};
    for (size_t i = 0; i < ROWS * COLS; ++i)
        x[i] = sooth_rng_below(&rng, 9) ? (float)sooth_rng_below(&rng, 50) : NAN;
    for (size_t i = 0; i < ROWS; ++i)
        y[2 * i] = isnan(x[i * COLS]) ? 3.0f : x[i * COLS] * 0.37f, y[2 * i + 1] = (float)(i % 5);
    for (unsigned targets = 1; targets < 3; ++targets) {
        sooth_table table = sooth_table_of(x, y, ROWS, COLS);
        const sooth_boost_options options = {.n_estimators = 20, .max_depth = 4};
        sooth_boost *boost;
        sooth_import import;
        table.targets = targets;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &options, &boost), SOOTH_OK);
        sink_size = 0;
        CHECK_STATUS(sooth_export_onnx(&env, sooth_model_from_block(&boost->head), &sink), SOOTH_OK);
        CHECK_STATUS(sooth_import_read(&env, file, sink_size, NULL, &import), SOOTH_OK);
        if (import.ensemble) {
            sooth_ensemble_predict_many(boost, x, ROWS, COLS, out);
            sooth_ensemble_predict_many(import.ensemble, x, ROWS, COLS, again);
            CHECK(memcmp(out, again, ROWS * targets * sizeof *out) == 0);
        } else printf("  %s\n", env.sentence);
        sooth_import_free(&env, &import);
        sooth_boost_free(&env, boost);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    sooth_forest *forest;
    sooth_import import;
    CHECK_STATUS(sooth_forest_fit(&env, &table, NULL, &forest), SOOTH_OK);
    sink_size = 0;
    (void)sooth_export_onnx(&env, sooth_model_from_block(&forest->head), &sink);
    CHECK_FAILS(&env, sooth_import_read(&env, file, sink_size, NULL, &import), SOOTH_BAD_TEXT,
                "the operator Div cannot be imported");
    sooth_forest_free(&env, forest);
}

int main(void) {
    sooth_env_init(&env);
    sooth_rng_init(&rng, 4, 0);
    CHECK_RUN(random_trees_by_the_definition);
    CHECK_RUN(memory_runs_out);
    CHECK_RUN(classes);
    CHECK_RUN(refusals);
    CHECK_RUN(memory_is_bounded);
    CHECK_RUN(hostile_bytes);
    CHECK_RUN(exports_come_back);
    return check_end("import_onnx");
}
