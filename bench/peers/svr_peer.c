/* svr_peer.c - the same with LIBSVM (libsvm-dev): task=svr C=10 gamma=0.5 epsilon=0.5 cache=200.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -Iinclude bench/peers/svr_peer.c -o build/peers/svr -lsvm -lm
 */
#define _POSIX_C_SOURCE 200809L
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <libsvm/svm.h>

static double objective;

static void read_objective(const char *text) {
    const char *at = strstr(text, "obj = ");
    if (at) objective = strtod(at + 6, NULL);
}

static struct svm_node *nodes_of(const float *row, size_t d, struct svm_node *node) {
    size_t j;
    for (j = 0; j < d; ++j) {
        node[j].index = (int)j + 1;
        node[j].value = (double)row[j];
    }
    node[d].index = -1;
    return node;
}

typedef struct peer {
    struct svm_model *model;
    const sooth_table *test;
    float *out;
    struct svm_node *node;
} peer;

static double predict_all(void *arg) {
    const peer *p = (const peer *)arg;
    double sum = 0.0;
    size_t i;
    for (i = 0; i < p->test->rows; ++i) {
        double y = svm_predict(p->model, nodes_of(p->test->x + i * p->test->stride, p->test->cols, p->node));
        p->out[i] = (float)y;
        sum += y;
    }
    return sum;
}

int main(int count, char **word) {
    bench_result result;
    sooth_table train, test;
    struct svm_problem problem;
    struct svm_parameter parameter;
    peer p;
    size_t i, d;
    bench_words = count;
    bench_word = word;
    bench_result_init(&result);
    d = bench_count("d", 10);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, &test);
    result.load_kb = bench_peak_kb();
    memset(&parameter, 0, sizeof parameter);
    parameter.svm_type = EPSILON_SVR;
    parameter.kernel_type = RBF;
    parameter.C = bench_number("C", 10.0);
    parameter.gamma = bench_number("gamma", 0.5);
    parameter.p = bench_number("epsilon", 0.5);
    parameter.eps = bench_number("tolerance", 1e-3);
    parameter.cache_size = bench_number("cache", 200.0);
    parameter.shrinking = 1;
    problem.l = (int)train.rows;
    problem.y = (double *)malloc(train.rows * sizeof(double));
    problem.x = (struct svm_node **)malloc(train.rows * sizeof *problem.x);
    p.node = (struct svm_node *)malloc((train.rows + 1) * (d + 1) * sizeof *p.node);
    p.out = (float *)malloc(test.rows * sizeof(float));
    if (!problem.y || !problem.x || !p.node || !p.out) bench_stop("no memory", NULL);
    svm_set_print_string_function(read_objective);
    p.model = NULL;
    while (bench_more(&result)) {
        double start = bench_clock();
        if (p.model) svm_free_and_destroy_model(&p.model);
        for (i = 0; i < train.rows; ++i) {
            problem.y[i] = (double)train.y[i];
            problem.x[i] = nodes_of(train.x + i * train.stride, d, p.node + (i + 1) * (d + 1));
        }
        p.model = svm_train(&problem, &parameter);
        bench_trained(&result, bench_clock() - start);
    }
    p.test = &test;
    predict_all(&p);
    result.r2 = bench_r2(test.y, p.out, test.rows);
    if (bench_count("predict", 0)) {
        result.single_ns = 1e9 * bench_time(predict_all, &p) / (double)test.rows;
        result.batch_rows = 1e9 / result.single_ns;
    }
    snprintf(result.note, sizeof result.note, "%d vectors, objective %.10g", p.model->l, objective);
    bench_print(&result, "libsvm");
    return 0;
}
