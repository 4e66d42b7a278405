/* test_onnx.c - files of ONNX, read by a reader of protocol buffers that knows nothing of the writer: trees
 * walked by the definition of TreeEnsemble have the library's bits, with missing values and sets.
 * tests/build/python/onnx.py compares with ONNX Runtime.
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

enum { ROWS = 300, COLS = 3 };
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

/* An attribute: its integers, or the raw data of its tensor. Returns 0 if there is none. */
static int attribute(bytes node, const char *wanted, bytes *out) {
    bytes a, name, tensor;
    for (size_t i = 0; find(node, 5, i, &a); ++i) {
        if (!find(a, 1, 0, &name) || !is(name, wanted)) continue;
        if (find(a, 8, 0, out)) return 1;
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
static void walk(const float *row, float *out, size_t targets) {
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
    const bytes node = node_of("TreeEnsemble");
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
            walk(x + i * COLS, other, cases[c].targets);
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

/* A plane: the constants are mean, slope and offset, in this order. */
static void planes_and_networks_have_their_numbers(void) {
    bytes graph, tensor, data[3];
    fill(2);
    table.categorical = NULL;
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = isnan(x[i]) ? 0.5f : x[i];
    sooth_model *model = fitted("linear");
    export_model(model);
    const bytes whole = {file, file + used};
    CHECK(find(whole, 7, 0, &graph));
    for (size_t k = 0; k < 3; ++k) CHECK(find(graph, 5, k, &tensor) && find(tensor, 9, 0, &data[k]));
    for (size_t i = 0; i < ROWS; ++i) {
        float out[2];
        sooth_model_predict_many(model, x + i * COLS, 1, COLS, out, NULL, 1);
        for (size_t t = 0; t < 2; ++t) {
            double sum = (double)real(data[2], t);
            for (size_t j = 0; j < COLS; ++j)
                sum +=
                    ((double)x[i * COLS + j] - (double)real(data[0], j)) * (double)real(data[1], 2 * j + t);
            CHECK(fabs(sum - (double)out[t]) < 1e-5);
        }
    }
    sooth_model_free(&env, model);
    model = fitted("mlp epochs=2 hidden_1=4");
    export_model(model);
    (void)node_of("MatMul");
    (void)node_of("Relu");
    sooth_model_free(&env, model);
}

static void what_a_graph_cannot_hold_is_refused(void) {
    static const char *const cases[][2] = {
        {"svr", "models of kind svr cannot be exported to ONNX"},
        {"linear products=1", "products of columns, which are not exported to ONNX"},
        {"tree max_depth=2 linear_leaves=1", "linear leaves, which ONNX files cannot represent"},
        {"boost n_estimators=3 quantiles=0.2,0.8", "several quantiles, which is not exported to ONNX"}};
    sooth_sink sink = {NULL, append, 0};
    fill(1);
    table.categorical = NULL;
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = isnan(x[i]) ? 0.5f : x[i];
    for (size_t i = 0; i < ROWS; ++i) y[i] = 3.0f * x[i * COLS] + 9.0f * x[i * COLS] * x[i * COLS + 2];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        sooth_model *model = fitted(cases[c][0]);
        CHECK_FAILS(&env, sooth_export_onnx(&env, model, &sink), SOOTH_BAD_ARGUMENT, cases[c][1]);
        sooth_model_free(&env, model);
    }
}

int main(void) {
    CHECK_RUN(trees_have_the_bits_of_the_library);
    CHECK_RUN(the_file_has_its_frame);
    CHECK_RUN(planes_and_networks_have_their_numbers);
    CHECK_RUN(what_a_graph_cannot_hold_is_refused);
    return check_end("onnx");
}
