/* make.c - fits the models of the firmware on a host and writes each as model.h: make FOLDER.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export.h"
#include "sooth/files.h"
#include <stdio.h>

enum { FEATURES = 12, ROWS = 300, COLS = 4, PROGRAMS = 12, LAUNCHES = 10 };

static sooth_env env;

static FILE *open_model(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/model.h", folder, name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(1);
}

/* The block in words, on a multiple of 16 bytes. Firmware's machines are little-endian, as blocks are. */
static void as_bytes(const char *folder, const char *name, const sooth_block *block) {
    FILE *file = open_model(folder, name);
    uint32_t word;
    fprintf(file, "static const uint32_t __attribute__((aligned(16))) block[%u] = {", block->size / 4);
    for (uint32_t i = 0; i < block->size / 4; ++i) {
        memcpy(&word, (const char *)block + 4 * (size_t)i, sizeof word);
        fprintf(file, "%s0x%08xu", !i ? "\n    " : i % 8 ? ", " : ",\n    ", (unsigned)word);
    }
    fprintf(file, "};\n");
    fclose(file);
}

static void as_c(const char *folder, const char *name, const sooth_block *block, uint32_t form) {
    sooth_export_c_options options;
    FILE *file = open_model(folder, name);
    sooth_sink sink = sooth_file_sink(file);
    memset(&options, 0, sizeof options);
    options.name = "watts";
    options.form = form;
    options.no_selftest = 1;
    if (sooth_export_c(&env, sooth_model_from_block(block), &options, &sink) != SOOTH_OK) puts(env.sentence);
    fclose(file);
}

static void must(sooth_status status) {
    if (status == SOOTH_OK) return;
    puts(env.sentence);
    exit(1);
}

/* A plane fitted to some programs, and what it leaves open of others, each of which draws a share of its own:
   with that it learns a program it has never seen. learn.c asks it. */
static void program_c(const char *folder) {
    enum { N = PROGRAMS * LAUNCHES };
    static float x[N * COLS], y[N], predicted[N];
    static uint32_t program[N];
    sooth_adapt_options options;
    sooth_model_parts parts;
    sooth_table table;
    sooth_linear *plane;
    sooth_adapt *adapt;
    sooth_model *model;
    sooth_rng rng;
    sooth_rng_init(&rng, 2026, 1);
    for (uint32_t i = 0; i < N; ++i) {
        float *row = x + i * COLS;
        for (uint32_t j = 0; j < COLS; ++j) row[j] = 2.0f * sooth_rng_float(&rng);
        program[i] = i / LAUNCHES;
        y[i] = (0.7f + 0.1f * (float)(program[i] % 7)) * (20.0f + 10.0f * row[0] + 6.0f * row[1]);
    }
    table = sooth_table_of(x, y, N / 2, COLS);
    must(sooth_linear_fit(&env, &table, NULL, &plane));
    sooth_linear_predict_many(plane, x, N, COLS, predicted);
    table = sooth_table_of(x + N / 2 * COLS, y + N / 2, N / 2, COLS);
    table.group = program + N / 2;
    memset(&options, 0, sizeof options);
    options.capacity = 8;
    must(sooth_adapt_fit(&env, &table, predicted + N / 2, &options, &adapt));
    sooth_model_open(sooth_model_from_block(&plane->head), &parts);
    parts.adapt = adapt;
    must(sooth_model_assemble(&env, &parts, &model));
    as_c(folder, "program_c", &model->head, 0);
    sooth_model_free(&env, model);
    sooth_adapt_free(&env, adapt);
    sooth_linear_free(&env, plane);
}

int main(int argc, char **argv) {
    static float x[ROWS * FEATURES], y[ROWS], box[2 * FEATURES];
    sooth_tree_options tree_options;
    sooth_boost_options boost_options;
    sooth_mlp_options mlp_options;
    sooth_table table;
    sooth_tree *tree;
    sooth_boost *boost;
    sooth_mlp *network, *small;
    sooth_rng rng;
    if (argc != 2) return puts("usage: make FOLDER"), 1;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 2026, 0);
    for (uint32_t i = 0; i < ROWS * FEATURES; ++i) x[i] = 4.0f * sooth_rng_float(&rng) - 2.0f;
    for (uint32_t i = 0; i < ROWS; ++i) {
        const float *row = x + i * FEATURES;
        y[i] = 1.5f + 0.25f * (row[0] > 0.0f ? row[0] : 0.0f) * row[1] * row[1] + 0.1f * row[2];
    }
    sooth_table_init(&table, x, ROWS, FEATURES);
    table.y = y;
    table.targets = 1;
    memset(&mlp_options, 0, sizeof mlp_options); /* Themis' layers, but for its second output */
    mlp_options.hidden_1 = mlp_options.hidden_2 = 12;
    mlp_options.activation = SOOTH_MLP_LEAKY_RELU;
    mlp_options.output = SOOTH_MLP_FROM_ONE;
    mlp_options.epochs = 20;
    must(sooth_mlp_fit(&env, &table, &mlp_options, &network));
    for (uint32_t i = 0; i < FEATURES; ++i) box[2 * i] = -2.0f, box[2 * i + 1] = 2.0f;
    memset(&tree_options, 0, sizeof tree_options);
    tree_options.max_leaves = 24;
    tree_options.no_statistics = 1;
    must(sooth_tree_fit(&env, &table, &tree_options, &tree));
    memset(&boost_options, 0, sizeof boost_options);
    boost_options.n_estimators = 6;
    boost_options.max_depth = 2; /* so few and small trees take large steps */
    boost_options.learning_rate = 0.1;
    boost_options.subsample = 1.0;
    boost_options.no_cover = 1;
    must(sooth_boost_fit(&env, &table, &boost_options, &boost));
    must(sooth_mlp_quantise(&env, network, 8, box, NULL, &small));
    as_bytes(argv[1], "tree", &tree->head);
    as_bytes(argv[1], "boost", &boost->head);
    as_bytes(argv[1], "network_8", &small->head);
    as_c(argv[1], "tree_c", &tree->head, SOOTH_EXPORT_BRANCHES);
    as_c(argv[1], "boost_c", &boost->head, SOOTH_EXPORT_TABLE);
    as_c(argv[1], "network_c", &network->head, 0);
    as_c(argv[1], "network_8_c", &small->head, 0);
    program_c(argv[1]);
    sooth_mlp_free(&env, network);
    sooth_mlp_free(&env, small);
    sooth_tree_free(&env, tree);
    sooth_boost_free(&env, boost);
    return 0;
}
