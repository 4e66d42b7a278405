/* mlp_fann.c - FANN's network in the words of bench.c: task=nn.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -Iinclude bench/peers/mlp_fann.c -o fann -lfann -lm
 *
 * FANN 2.2 has neither Adam nor ReLU nor batches of rows: incremental training of sigmoids, and a linear
 * output; the target is standardised beforehand, for it learns nothing otherwise.
 */
#define _POSIX_C_SOURCE 200809L
#include <floatfann.h>
#include <math.h>

#define SOOTH_IMPLEMENTATION
#include "../harness.h"

typedef struct bench_fann {
    struct fann *net;
    const sooth_table *test;
} bench_fann;

static float predict(const bench_fann *b, size_t row) {
    const float *x = b->test->x + row * b->test->stride;
    float input[64];
    memcpy(input, x, b->test->cols * sizeof *x); /* fann_run takes no const */
    return fann_run(b->net, input)[0];
}

static double bench_single(void *arg) {
    const bench_fann *b = (const bench_fann *)arg;
    double sum = 0.0;
    size_t i;
    for (i = 0; i < b->test->rows; ++i) sum += (double)predict(b, i);
    return sum;
}

int main(int count, char **word) {
    bench_result result;
    sooth_table train, test;
    bench_fann b;
    struct fann_train_data *data;
    unsigned layer[6], layers = 0, e;
    double mean = 0.0, spread = 0.0;
    float *out;
    size_t i, d;
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), "nn") != 0) return 64;
    d = bench_count("d", 10);
    if (d > 64) return 64;
    bench_result_init(&result);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, &test);
    result.load_kb = bench_peak_kb();
    for (i = 0; i < train.rows; ++i) mean += (double)train.y[i] / (double)train.rows;
    for (i = 0; i < train.rows; ++i)
        spread += ((double)train.y[i] - mean) * ((double)train.y[i] - mean) / (double)train.rows;
    spread = sqrt(spread);
    data = fann_create_train((unsigned)train.rows, (unsigned)d, 1);
    for (i = 0; i < train.rows; ++i) {
        memcpy(data->input[i], train.x + i * train.stride, d * sizeof(float));
        data->output[i][0] = (float)(((double)train.y[i] - mean) / spread);
    }
    layer[layers++] = (unsigned)d;
    layer[layers++] = (unsigned)bench_count("h1", 64);
    layer[layers++] = (unsigned)bench_count("h2", 64);
    layer[layers++] = (unsigned)bench_count("h3", 128);
    layer[layers++] = 1;
    b.net = NULL;
    b.test = &test;
    while (bench_more(&result)) {
        double start;
        if (b.net) fann_destroy(b.net);
        b.net = fann_create_standard_array(layers, layer);
        fann_randomize_weights(b.net, -0.2f, 0.2f);
        fann_set_activation_function_hidden(b.net, FANN_SIGMOID_SYMMETRIC);
        fann_set_activation_function_output(b.net, FANN_LINEAR);
        fann_set_training_algorithm(b.net, FANN_TRAIN_INCREMENTAL);
        fann_set_learning_rate(b.net, 0.005f);
        start = bench_clock();
        for (e = 0; e < (unsigned)bench_count("epochs", 20); ++e) {
            fann_shuffle_train_data(data);
            fann_train_epoch(b.net, data);
        }
        bench_trained(&result, bench_clock() - start);
    }
    out = (float *)malloc(test.rows * sizeof *out);
    if (!out) bench_stop("no memory", NULL);
    for (i = 0; i < test.rows; ++i) out[i] = (float)((double)predict(&b, i) * spread + mean);
    result.r2 = bench_r2(test.y, out, test.rows);
    result.bytes = (double)fann_get_total_connections(b.net) * (double)sizeof(struct fann_neuron *);
    if (bench_count("predict", 0)) {
        result.single_ns = 1e9 * bench_time(bench_single, &b) / (double)test.rows;
        result.batch_rows = 1e9 / result.single_ns;
    }
    bench_print(&result, "FANN");
    free(out);
    fann_destroy_train(data);
    fann_destroy(b.net);
    return 0;
}
