/* test_onnx.c - files of ONNX, read by a reader of protocol buffers that knows nothing of the writer, and
 * evaluated node by node by the definitions of the operators: trees have the library's bits, with missing
 * values and sets. tests/build/python/onnx.py compares with ONNX Runtime.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export.h"
#include "sooth/train.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, COLS = 3, WIDE = 64 };
static sooth_env env;
static unsigned char file[1 << 20];
static size_t used;

static int append(void *user, const char *piece, size_t size) {
    (void)user;
    if (used + size > sizeof file) return 1;
    memcpy(file + used, piece, size);
    used += size;
    return 0;
}

/* ---- the reader ---- */

typedef struct bytes {
    const unsigned char *at, *end;
} bytes;

static uint64_t varint(bytes *b) {
    uint64_t v = 0;
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        v |= (uint64_t)(*b->at & 127u) << shift;
        if (!(*b->at++ & 128u)) return v;
    }
    CHECK(!"an end within a number");
    return v;
}

/* The next field: its number, and a number or bytes. Returns 0 at the end. */
static uint32_t field(bytes *b, uint64_t *number, bytes *inner) {
    if (b->at >= b->end) return 0;
    const uint64_t key = varint(b);
    size_t size = 4;
    if ((key & 7u) == 0) *number = varint(b);
    else {
        if ((key & 7u) == 2) size = (size_t)varint(b);
        else CHECK((key & 7u) == 5);
        CHECK(size <= (size_t)(b->end - b->at));
        inner->at = b->at;
        b->at = inner->end = b->at + size;
    }
    return (uint32_t)(key >> 3);
}

static int is(bytes b, const char *text) {
    return (size_t)(b.end - b.at) == strlen(text) && memcmp(b.at, text, strlen(text)) == 0;
}

/* The i-th field of this number, as bytes. */
static int find(bytes b, uint32_t wanted, size_t i, bytes *out) {
    uint64_t number;
    for (uint32_t f; (f = field(&b, &number, out)) != 0;)
        if (f == wanted && i-- == 0) return 1;
    return 0;
}

/* The i-th field of this number, as a number; 0 if there is none. */
static uint64_t number_in(bytes b, uint32_t wanted, size_t i) {
    uint64_t number = 0;
    bytes inner;
    for (uint32_t f; (f = field(&b, &number, &inner)) != 0;)
        if (f == wanted && i-- == 0) return number;
    return 0;
}

/* The node with this operator. */
static bytes node_of(const char *op) {
    const bytes all = {file, file + used};
    bytes graph, node, name;
    CHECK(find(all, 7, 0, &graph));
    for (size_t i = 0; find(graph, 1, i, &node); ++i)
        if (find(node, 4, 0, &name) && is(name, op)) return node;
    CHECK(!"no such node");
    return all;
}

/* An attribute: what it has as one number, a tensor, floats, integers or strings, and this is its type.
   Returns 0 if there is none. */
static int attribute(bytes node, const char *wanted, bytes *out) {
    static const uint32_t place[9] = {0, 2, 3, 0, 5, 0, 7, 8, 9};
    bytes name, tensor;
    for (size_t i = 0; find(node, 5, i, out); ++i) {
        const bytes a = *out;
        const uint64_t type = number_in(a, 20, 0);
        if (!find(a, 1, 0, &name) || !is(name, wanted)) continue;
        CHECK(type < 9 && place[type] != 0);
        for (uint32_t k = 1; k < 9; ++k) CHECK(k == type || !place[k] || !find(a, place[k], 0, &tensor));
        if (type == 2 || type == 8) return 1; /* read from the attribute */
        if (type != 4) return find(a, place[type], 0, out);
        return find(a, 5, 0, &tensor) && find(tensor, 9, 0, out);
    }
    return 0;
}

static size_t integer(bytes b, size_t i) {
    for (; i > 0; --i) (void)varint(&b);
    return (size_t)varint(&b);
}

static float real(bytes b, size_t i) {
    float v;
    CHECK((size_t)(b.end - b.at) >= 4 * (i + 1));
    const unsigned char *p = b.at + 4 * i;
    const uint32_t w = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    memcpy(&v, &w, 4);
    return v;
}

/* Whether v is among the members of the i-th node of mode 6: sets end in NaN. */
static int is_member(bytes members, bytes modes, size_t node, float v) {
    size_t skipped = 0, k = 0;
    for (size_t i = 0; i < node; ++i) skipped += modes.at[i] == 6;
    for (; skipped > 0; ++k) skipped -= isnan(real(members, k)) != 0;
    for (; !isnan(real(members, k)); ++k)
        if (real(members, k) == v) return 1;
    return 0;
}

/* TreeEnsemble by its definition: the sum of the leaves, tree by tree. */
static void walk(bytes node, const float *row, float *out, size_t targets) {
    static const char *const names[] = {"nodes_featureids",
                                        "nodes_truenodeids",
                                        "nodes_falsenodeids",
                                        "nodes_trueleafs",
                                        "nodes_falseleafs",
                                        "tree_roots",
                                        "leaf_targetids",
                                        "leaf_weights",
                                        "nodes_splits",
                                        "nodes_modes",
                                        "nodes_missing_value_tracks_true"};
    bytes a[11], members = {NULL, NULL};
    for (size_t k = 0; k < 11; ++k) CHECK(attribute(node, names[k], &a[k]));
    (void)attribute(node, "membership_values", &members);
    for (size_t t = 0; t < targets; ++t) out[t] = 0.0f;
    for (bytes roots = a[5]; roots.at < roots.end;) {
        size_t at = (size_t)varint(&roots), leaf = 0;
        while (!leaf) {
            const float v = row[integer(a[0], at)], split = real(a[8], at);
            const unsigned mode = a[9].at[at];
            CHECK(mode == 0 || mode == 1 || mode == 6);
            const int yes = isnan(v)    ? (int)integer(a[10], at)
                            : mode == 6 ? is_member(members, a[9], at, v)
                            : mode == 1 ? v < split
                                        : v <= split;
            leaf = integer(a[yes ? 3 : 4], at);
            at = integer(a[yes ? 1 : 2], at);
        }
        out[integer(a[6], at)] += real(a[7], at);
    }
}

/* ---- a graph for one row ---- */

typedef struct value {
    bytes name;
    float v[WIDE];
    size_t count, cols; /* cols: of a matrix */
    const char *text;
} value;

static value values[WIDE];
static size_t known;

static int same(bytes a, bytes b) {
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* Adds a value whose name is new. */
static value *add(bytes name) {
    CHECK(known < WIDE);
    for (size_t k = 0; k < known; ++k) CHECK(!same(values[k].name, name));
    memset(&values[known], 0, sizeof *values);
    values[known].name = name;
    return &values[known++];
}

static value *named(bytes name) {
    for (size_t k = 0; k < known; ++k)
        if (same(values[k].name, name)) return &values[k];
    CHECK(!"no such value");
    return values;
}

static void read_constants(bytes graph) {
    bytes tensor, name, data;
    for (size_t i = 0; find(graph, 5, i, &tensor); ++i) {
        const uint64_t type = number_in(tensor, 2, 0), first = number_in(tensor, 1, 0);
        const uint64_t second = number_in(tensor, 1, 1), count = first * (second ? second : 1);
        CHECK(find(tensor, 8, 0, &name) && find(tensor, 9, 0, &data));
        CHECK((type == 1 || type == 9) && count <= WIDE);
        CHECK((uint64_t)(data.end - data.at) == count * (type == 1 ? 4 : 1));
        value *to = add(name);
        to->count = (size_t)count;
        to->cols = (size_t)second;
        for (size_t k = 0; k < count; ++k) to->v[k] = type == 1 ? real(data, k) : (float)data.at[k];
    }
}

/* The inputs: a row, or columns of numbers and texts. */
static void read_ports(bytes graph, const float *row, const char *const *text) {
    bytes port, name, type, shape, dimension;
    uint64_t columns = 0;
    for (size_t j = 0; find(graph, 11, j, &port); ++j) {
        CHECK(find(port, 1, 0, &name) && find(port, 2, 0, &type) && find(type, 1, 0, &type));
        CHECK(find(type, 2, 0, &shape) && find(shape, 1, 1, &dimension));
        value *to = add(name);
        to->count = (size_t)number_in(dimension, 1, 0);
        for (size_t k = 0; k < to->count; ++k) to->v[k] = row[columns + k];
        if (text && text[columns]) to->text = text[columns];
        CHECK(number_in(type, 1, 0) == (to->text ? 8u : 1u));
        columns += to->count;
    }
    CHECK(columns == COLS);
}

/* Operators of one value, and of two of which the second may be one number for all. */
static float result_of(bytes op, double a, double b) {
    double v = NAN;
    if (is(op, "Sub")) v = a - b;
    else if (is(op, "Add")) v = a + b;
    else if (is(op, "Mul")) v = a * b;
    else if (is(op, "Div")) v = a / b;
    else if (is(op, "Max")) v = a < b ? b : a;
    else if (is(op, "Min")) v = a > b ? b : a;
    else if (is(op, "PRelu")) v = a < 0 ? a * b : a;
    else if (is(op, "Relu")) v = a < 0 ? 0 : a;
    else if (is(op, "Sigmoid")) v = 1 / (1 + exp(-a));
    else if (is(op, "Tanh")) v = tanh(a);
    else if (is(op, "Softplus")) v = log1p(exp(a));
    else if (is(op, "Exp")) v = exp(a);
    else if (is(op, "Log")) v = log(a);
    else if (is(op, "Sign")) v = (a > 0) - (a < 0);
    else if (is(op, "Identity")) v = a;
    else CHECK(!"an operator");
    return (float)v;
}

static float encoded(bytes node, const char *text) {
    bytes keys, name, floats, other;
    CHECK(attribute(node, "keys_strings", &keys) && attribute(node, "values_floats", &floats));
    CHECK(find(keys, 9, 0, &name));
    for (size_t k = 0; find(keys, 9, k, &name); ++k)
        if (is(name, text)) return real(floats, k);
    CHECK(attribute(node, "default_float", &other));
    return real(other, 0);
}

static void evaluate(bytes node) {
    bytes name, op, attributes;
    value *in[COLS] = {NULL, NULL, NULL};
    CHECK(find(node, 4, 0, &op) && find(node, 2, 0, &name));
    for (size_t k = 0; k < COLS && find(node, 1, k, &attributes); ++k) in[k] = named(attributes);
    value *to = add(name);
    to->count = in[0]->count;
    if (is(op, "TreeEnsemble")) {
        CHECK(attribute(node, "n_targets", &attributes));
        to->count = (size_t)number_in(attributes, 3, 0);
        walk(node, in[0]->v, to->v, to->count);
    } else if (is(op, "LabelEncoder")) to->v[0] = encoded(node, in[0]->text);
    else if (is(op, "Concat")) {
        for (size_t k = 0; k < COLS; ++k) to->v[k] = in[k]->v[0];
        to->count = COLS;
    } else if (is(op, "MatMul")) {
        CHECK(in[1]->cols && in[1]->count == in[0]->count * in[1]->cols);
        to->count = in[1]->cols;
        for (size_t t = 0; t < to->count; ++t) {
            double sum = 0;
            for (size_t j = 0; j < in[0]->count; ++j)
                sum += (double)in[0]->v[j] * (double)in[1]->v[j * to->count + t];
            to->v[t] = (float)sum;
        }
    } else if (is(op, "Where")) {
        CHECK(in[0]->count == in[1]->count && in[1]->count == in[2]->count);
        for (size_t k = 0; k < to->count; ++k) to->v[k] = in[in[0]->v[k] > 0 ? 1 : 2]->v[k];
    } else {
        CHECK(!in[1] || in[1]->count == 1 || in[1]->count == to->count);
        for (size_t k = 0; k < to->count; ++k)
            to->v[k] = result_of(op, (double)in[0]->v[k],
                                 !in[1]              ? 0.0
                                 : in[1]->count == 1 ? (double)in[1]->v[0]
                                                     : (double)in[1]->v[k]);
    }
}

/* The exported graph's output for a row whose columns j have the text text[j], if it is not NULL. */
static const value *answer(const float *row, const char *const *text) {
    const bytes all = {file, file + used};
    bytes graph, node;
    known = 0;
    CHECK(find(all, 7, 0, &graph));
    read_constants(graph);
    read_ports(graph, row, text);
    for (size_t i = 0; find(graph, 1, i, &node); ++i) evaluate(node);
    CHECK(is(values[known - 1].name, "prediction"));
    return &values[known - 1];
}

/* ---- tables and models ---- */

static float x[ROWS * COLS], y[ROWS * 2];
static sooth_table table;

static void fill(size_t targets) {
    static const uint8_t categorical[COLS] = {0, 1, 0};
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS] = sooth_rng_float(&rng);
        x[i * COLS + 1] = (float)sooth_rng_below(&rng, 70);
        x[i * COLS + 2] = i % 7 ? sooth_rng_float(&rng) : NAN;
        for (size_t t = 0; t < targets; ++t)
            y[i * targets + t] = 40.0f + x[i * COLS] * (float)(t + 1) +
                                 (float)((int)x[i * COLS + 1] * 7 % 13) + (i % 7 ? x[i * COLS + 2] : 5.0f);
    }
    table = sooth_table_of(x, y, ROWS, COLS);
    table.targets = targets;
    table.categorical = categorical;
}

static sooth_model *fitted(const char *words) {
    sooth_train_recipe recipe;
    sooth_model *model;
    CHECK_STATUS(sooth_train_recipe_read(&env, words, strlen(words), &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

static void export_model(const sooth_model *model) {
    sooth_sink sink = {NULL, append, 0};
    used = 0;
    CHECK_STATUS(sooth_export_onnx(&env, model, &sink), SOOTH_OK);
}

/* ---- the tests ---- */

static void trees_have_the_bits_of_the_library(void) {
    static const struct {
        const char *words;
        size_t targets;
    } cases[] = {{"tree", 1},
                 {"tree max_depth=4", 2},
                 {"boost n_estimators=20", 1},
                 {"boost n_estimators=7 max_depth=3", 2},
                 {"boost n_estimators=5 min_samples_leaf=200", 1}};
    sooth_env_init(&env);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        float out[2 * ROWS], other[2];
        fill(cases[c].targets);
        sooth_model *model = fitted(cases[c].words);
        export_model(model);
        CHECK_STATUS(sooth_model_predict_table(&env, model, x, ROWS, COLS, out), SOOTH_OK);
        for (size_t i = 0; i < ROWS; ++i) {
            walk(node_of("TreeEnsemble"), x + i * COLS, other, cases[c].targets);
            CHECK(memcmp(other, out + i * cases[c].targets, cases[c].targets * sizeof(float)) == 0);
        }
        sooth_model_free(&env, model);
    }
}

static void the_file_has_its_frame(void) {
    const bytes all = {file, file + used};
    bytes graph, port, name, copy = all;
    uint64_t number = 0;
    CHECK(field(&copy, &number, &name) == 1 && number == 10);
    CHECK(find(all, 2, 0, &name) && is(name, "sooth"));
    CHECK(find(all, 7, 0, &graph) && find(graph, 11, 0, &port) && find(port, 1, 0, &name) && is(name, "X"));
    CHECK(!find(graph, 11, 1, &port) && find(graph, 12, 0, &port) && find(port, 1, 0, &name) &&
          is(name, "prediction"));
}

/* Within `most` of the largest prediction; rows in the range of training and beyond. */
static void agrees(const sooth_model *model, double most) {
    float out[2 * ROWS], largest = 0.0f;
    const size_t targets = model->head.targets;
    CHECK_STATUS(sooth_model_predict_table(&env, model, x, ROWS, COLS, out), SOOTH_OK);
    for (size_t i = 0; i < ROWS * targets; ++i) largest = fabsf(out[i]) > largest ? fabsf(out[i]) : largest;
    for (size_t i = 0; i < ROWS && !check_failures; ++i) {
        const value *is_said = answer(x + i * COLS, NULL);
        CHECK(is_said->count == targets);
        for (size_t t = 0; t < targets; ++t) {
            const double ours = (double)out[i * targets + t], theirs = (double)is_said->v[t];
            CHECK(isnan(ours) ? isnan(theirs) : fabs(ours - theirs) <= most * (double)largest);
        }
    }
}

/* Columns: [0, 1), whole numbers up to 69, and above 0 (NaN if `holes`); targets above 0, or 0 and 1. */
static void fill_numbers(size_t targets, int holes, int binary) {
    fill(targets);
    table.categorical = NULL;
    for (size_t i = 0; i < ROWS; ++i) {
        if (!holes && isnan(x[i * COLS + 2])) x[i * COLS + 2] = 0.5f;
        x[i * COLS + 2] += 0.25f;
        if (binary) y[i] = y[i] > 47.0f;
    }
}

static void graphs_predict_what_the_library_predicts(void) {
    static const struct {
        const char *words;
        size_t targets;
        int holes, binary;
    } cases[] = {{"linear", 2, 0, 0},
                 {"linear transform=log,standard,clip,log-target", 1, 0, 0},
                 {"linear transform=minmax", 1, 0, 0},
                 {"forest n_estimators=9", 2, 1, 0},
                 {"forest n_estimators=5 transform=log,robust", 1, 1, 0},
                 {"boost n_estimators=20 loss=poisson", 1, 1, 0},
                 {"boost n_estimators=20 loss=logistic", 1, 1, 1},
                 {"boost n_estimators=20 transform=log-target", 2, 1, 0},
                 {"mlp epochs=3 hidden_1=4", 2, 0, 0},
                 {"mlp epochs=3 hidden_1=4 hidden_2=3 activation=leaky_relu leak=0.2", 1, 0, 0},
                 {"mlp epochs=3 hidden_1=4 activation=sigmoid output=at_least_one", 1, 0, 0},
                 {"mlp epochs=3 hidden_1=4 activation=tanh output=positive", 1, 0, 0},
                 {"mlp epochs=3 hidden_1=4 activation=softplus no_bias=1 no_target_scale=1", 1, 0, 0},
                 {"mlp epochs=3 hidden_1=4 activation=linear output=leaky_relu", 1, 0, 0},
                 {"mlp epochs=3 hidden_1=4 loss=logistic", 1, 0, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        fill_numbers(cases[c].targets, cases[c].holes, cases[c].binary);
        sooth_model *model = fitted(cases[c].words);
        export_model(model);
        for (size_t i = 0; i < ROWS; i += 3) /* outside of the range of training */
            for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = 1.5f * x[i * COLS + j] + 0.1f;
        agrees(model, 1e-5);
        if (check_failures) printf("  %s\n", cases[c].words);
        sooth_model_free(&env, model);
    }
}

/* Each column with a function of its own, and so each target. */
static void functions_are_of_their_columns(void) {
    static const uint32_t inputs[2][COLS] = {
        {SOOTH_SCALE_LOG_STANDARD, SOOTH_SCALE_LOG1P_MINMAX, SOOTH_SCALE_ROBUST},
        {SOOTH_SCALE_LOG, SOOTH_SCALE_LOG_ROBUST, SOOTH_SCALE_LOG_MINMAX}};
    static const uint32_t targets[2][2] = {{SOOTH_SCALE_LOG1P_STANDARD, SOOTH_SCALE_STANDARD},
                                           {SOOTH_SCALE_LOG1P, SOOTH_SCALE_LOG1P}};
    for (int k = 0; k < 2; ++k) {
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        fill_numbers(2, 0, 0);
        for (size_t i = 0; i < ROWS; ++i) {
            x[i * COLS] += 0.5f;
            x[i * COLS + 1] = k ? x[i * COLS + 1] + 1.0f : x[i * COLS + 1] - 30.0f; /* of both signs */
            if (!k) y[2 * i] -= 45.0f;
        }
        memset(&recipe, 0, sizeof recipe);
        recipe.model = "linear";
        recipe.has_input = recipe.has_target = 1;
        recipe.input.transforms = inputs[k];
        recipe.target.transforms = targets[k];
        recipe.target.clip = (uint32_t)k;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        export_model(model);
        for (size_t i = 0; k && i < ROWS * COLS; i += 7) x[i] *= i % 2 ? 1e9f : 1e-9f; /* clipped targets */
        agrees(model, 1e-5);
        sooth_model_free(&env, model);
    }
}

/* A base of zeros is no tree; one of which a target is not 0 has a tree for each target. */
static void a_base_of_zero_is_left_out(void) {
    static const size_t roots[3] = {3, 8, 6}; /* without a base, with one for both targets, of two targets */
    for (int k = 0; k < 3; ++k) {
        fill_numbers(k == 1 ? 2 : k == 2 ? 2 : 1, 0, 0);
        for (size_t i = 0; i < ROWS; ++i) {
            const float sign = i % 2 ? 1.0f : -1.0f;
            x[i * COLS] = sign;
            if (k == 0) y[i] = sign;
            else y[2 * i] = sign, y[2 * i + 1] = k == 1 ? 7.0f + sign : -sign;
        }
        sooth_model *model = fitted("boost n_estimators=3 subsample=1 max_depth=1");
        bytes a;
        size_t count = 0;
        export_model(model);
        CHECK(attribute(node_of("TreeEnsemble"), "tree_roots", &a));
        for (; a.at < a.end; ++count) (void)varint(&a);
        CHECK(count == roots[k]);
        agrees(model, 0.0);
        sooth_model_free(&env, model);
    }
}

/* A set without members, which only a file from elsewhere has: nothing is in it. */
static void empty_sets_hold_nothing(void) {
    fill(1);
    sooth_model *model = fitted("tree max_depth=6");
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    sooth_block *tree = (sooth_block *)(uintptr_t)parts.predictor;
    soothi_export_trees trees;
    soothi_export_open(tree, &trees);
    CHECK(trees.set_count > 1);
    for (uint32_t k = trees.sets.first[0]; k < trees.sets.first[1]; ++k)
        ((uint32_t *)(uintptr_t)trees.sets.word)[k] = 0;
    soothi_block_seal(tree);
    soothi_block_seal(&model->head);
    CHECK(sooth_model_check(model, model->head.size));
    export_model(model);
    agrees(model, 0.0);
    x[1] = -INFINITY;
    agrees(model, 0.0);
    sooth_model_free(&env, model);
}

/* ---- columns of texts ---- */

static const char *const letters[] = {"a", "", "c,\"", "d", "e"};

/* A model of a column of letters, one of numbers as categories without levels if not `known`, and numbers. */
static sooth_model *levelled(const char *words, const char *const *names, int second) {
    static const char *const *const texts[COLS] = {letters, NULL, NULL};
    static const uint8_t categorical[COLS] = {1, 1, 0};
    sooth_train_recipe recipe;
    sooth_levels *levels = NULL;
    sooth_model *model = NULL;
    fill_numbers(1, 0, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS] = (float)(i * i % 7 % 5);
        x[i * COLS + 1] = second ? (float)(i % 3) : NAN;
        y[i] = x[i * COLS] * (1.0f + x[i * COLS + 2]) + (float)(i % 3);
    }
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, texts, NULL, x, &levels), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_read(&env, words, strlen(words), &recipe), SOOTH_OK);
    recipe.levels = levels;
    recipe.no_card = names == NULL;
    table.names = names;
    table.categorical = categorical;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    table.names = NULL;
    table.categorical = NULL;
    sooth_levels_free(&env, levels);
    return model;
}

/* Texts are what the codes of the library mean; unknown ones are missing. */
static void texts_become_what_their_levels_are(void) {
    static const char *const words[] = {"tree max_depth=5", "boost n_estimators=9 encode=target",
                                        "tree encode=ordinal", "linear"};
    for (size_t c = 0; c < 2 * sizeof words / sizeof *words; ++c) {
        sooth_model *model = levelled(words[c / 2], NULL, c % 2 == 0);
        sooth_model_parts parts;
        bytes joined;
        sooth_model_open(model, &parts);
        export_model(model);
        for (size_t i = 0; i < 60; ++i) {
            float row[COLS], scratch[COLS];
            static const char *const numbers[] = {"0", "1", "2", "7", ""};
            const char *const text[COLS] = {i % 6 < 5 ? letters[i % 6] : "never seen", numbers[i % 5], NULL};
            for (size_t j = 0; j < 2; ++j)
                row[j] = sooth_levels_code(parts.levels, j, text[j], strlen(text[j]));
            row[2] = x[i * COLS + 2];
            CHECK_NEAR(answer(row, text)->v[0], sooth_model_predict(model, row, scratch), 2e-5);
            CHECK(find(node_of("Concat"), 2, 0, &joined));
            sooth_levels_apply(parts.levels, row, row);
            for (size_t j = 0; j < COLS; ++j) /* what the predictor gets */
                CHECK(isnan(row[j]) ? isnan(named(joined)->v[j])
                                    : memcmp(&named(joined)->v[j], &row[j], sizeof row[j]) == 0);
        }
        sooth_model_free(&env, model);
    }
}

/* Inputs have names of their own, whatever the features are called. */
static void inputs_have_names_of_their_own(void) {
    static const struct {
        const char *given[COLS], *has[COLS];
    } cases[] = {{{"app", "size", "node"}, {"app", "size", "node"}},
                 {{"app", "app", "node"}, {"f1", "f2", "node"}},
                 {{"", "f1", "f16_flops"}, {"f1", "f2", "f16_flops"}},
                 {{"/v1", "prediction", "f"}, {"f1", "f2", "f"}},
                 {{"f3", "f2", "9"}, {"f1", "f2", "9"}}};
    static const char *const text[COLS] = {"a", "1", NULL};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        sooth_model *model = levelled("tree", cases[c].given, 1);
        export_model(model);
        const bytes all = {file, file + used};
        bytes graph, port, name;
        CHECK(find(all, 7, 0, &graph));
        for (size_t j = 0; j < COLS; ++j)
            CHECK(find(graph, 11, j, &port) && find(port, 1, 0, &name) && is(name, cases[c].has[j]));
        (void)answer(x, text); /* no name is there twice */
        sooth_model_free(&env, model);
    }
}

/* ---- refusals ---- */

static void what_a_graph_cannot_hold_is_refused(void) {
    static const char *const cases[][2] = {
        {"svr", "models of kind svr cannot be exported to ONNX"},
        {"linear products=1", "products of columns, which are not exported to ONNX"},
        {"tree max_depth=2 linear_leaves=1", "linear leaves, which ONNX files cannot represent"},
        {"boost n_estimators=3 quantiles=0.2,0.8", "several quantiles, which is not exported to ONNX"},
        {"tree ratio_to=tokens+500", "(ratio_to), which is not exported to ONNX"}};
    static const char *const names[COLS] = {"tokens", "b", "c"};
    sooth_sink sink = {NULL, append, 0};
    fill(1);
    table.names = names;
    table.categorical = NULL;
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = isnan(x[i]) ? 0.5f : x[i];
    for (size_t i = 0; i < ROWS; ++i) y[i] = 3.0f * x[i * COLS] + 9.0f * x[i * COLS] * x[i * COLS + 2];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        sooth_model *model = fitted(cases[c][0]);
        CHECK_FAILS(&env, sooth_export_onnx(&env, model, &sink), SOOTH_BAD_ARGUMENT, cases[c][1]);
        sooth_model_free(&env, model);
    }
}

static void probabilities_integers_and_giants_are_refused(void) {
    sooth_sink sink = {NULL, append, 0};
    fill_numbers(1, 0, 1);
    sooth_model *model = fitted("linear calibrate=sigmoid");
    CHECK_FAILS(&env, sooth_export_onnx(&env, model, &sink), SOOTH_BAD_ARGUMENT, "a calibrated probability");
    sooth_model_free(&env, model);
    model = fitted("mlp epochs=2 hidden_1=4");
    sooth_model_parts parts;
    sooth_mlp *integers = NULL;
    const float box[2 * COLS] = {-1, 1, -1, 1, -1, 1};
    float error;
    sooth_model_open(model, &parts);
    CHECK_STATUS(
        sooth_mlp_quantise(&env, (const sooth_mlp *)(const void *)parts.predictor, 8, box, &error, &integers),
        SOOTH_OK);
    CHECK_FAILS(&env, sooth_export_onnx(&env, sooth_model_from_block(&integers->head), &sink),
                SOOTH_BAD_ARGUMENT, "the network has integer weights");
    sooth_mlp_free(&env, integers);
    sooth_model_free(&env, model);
    model = fitted("tree max_depth=2");
    soothi_onnx job;
    memset(&job, 0, sizeof job);
    sooth_model_open(model, &job.parts);
    soothi_export_open(job.parts.predictor, &job.trees);
    job.trees.width = 2;
    job.trees.nodes = 8388608;
    CHECK_STATUS(soothi_onnx_accept(&env, &job), SOOTH_OK);
    ++job.trees.nodes;
    CHECK_FAILS(&env, soothi_onnx_accept(&env, &job), SOOTH_BAD_ARGUMENT, "the trees have 8388609 nodes");
    sooth_model_free(&env, model);
}

static int refuse(void *user, const char *piece, size_t size) {
    (void)piece;
    return (*(size_t *)user += size) > 1000;
}

static void memory_and_sinks_may_fail(void) {
    size_t taken = 0;
    sooth_sink sink = {NULL, append, 0}, full = {&taken, refuse, 0};
    fill(1);
    sooth_model *model = fitted("tree");
    used = 0;
    CHECK_EVERY_ALLOCATION(&env, sooth_export_onnx(&env, model, &sink), (void)0);
    CHECK_FAILS(&env, sooth_export_onnx(&env, model, &full), SOOTH_CANCELLED, "the export was cut short");
    sooth_model_free(&env, model);
}

int main(void) {
    CHECK_RUN(trees_have_the_bits_of_the_library);
    CHECK_RUN(the_file_has_its_frame);
    CHECK_RUN(graphs_predict_what_the_library_predicts);
    CHECK_RUN(functions_are_of_their_columns);
    CHECK_RUN(a_base_of_zero_is_left_out);
    CHECK_RUN(empty_sets_hold_nothing);
    CHECK_RUN(texts_become_what_their_levels_are);
    CHECK_RUN(inputs_have_names_of_their_own);
    CHECK_RUN(what_a_graph_cannot_hold_is_refused);
    CHECK_RUN(probabilities_integers_and_giants_are_refused);
    CHECK_RUN(memory_and_sinks_may_fail);
    return check_end("onnx");
}
