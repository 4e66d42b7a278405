/* svr.h - times support vector regression: task=svr C=10 gamma=0.5 epsilon=0.5 cache=200.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: C, gamma, epsilon, tolerance, cache (MiB), budget; the RBF kernel. peers/svr_peer.c does the same with LIBSVM.
 *
 * Floors, for n rows, V vectors, d columns, s steps: training reads and writes 36 bytes per active row and step (F twice, the two
 * bounds, two rows of the kernel, the falls twice, the diagonal); one prediction takes V (2 d + 11) additions, of which an x86
 * core of today does 8 a cycle with SSE2: 1,428 vectors of 10 columns, 5,530 cycles, 1.6 microseconds at 3.5 GHz.
 */
#include "sooth/svr.h"

typedef struct bench_svr_job {
    const sooth_svr *model;
    const sooth_table *test;
    float *out;
} bench_svr_job;

static double bench_svr_single(void *arg) {
    const bench_svr_job *b = (const bench_svr_job *)arg;
    float sum = 0.0f;
    size_t i;
    for (i = 0; i < b->test->rows; ++i) sum += sooth_svr_predict(b->model, b->test->x + i * b->test->stride);
    return (double)sum;
}

static double bench_svr_batch(void *arg) {
    const bench_svr_job *b = (const bench_svr_job *)arg;
    sooth_svr_predict_many(b->model, b->test->x, b->test->rows, b->test->stride, b->out);
    return (double)b->out[b->test->rows - 1];
}

static void bench_svr(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_svr_options options;
    sooth_svr_report report;
    sooth_svr *model = NULL;
    bench_svr_job b;
    size_t d = bench_count("d", 10);
    bench_env(&env);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, &test);
    result->load_kb = bench_peak_kb();
    memset(&options, 0, sizeof options);
    options.C = bench_number("C", 10.0);
    options.gamma = bench_number("gamma", 0.5);
    options.epsilon = bench_number("epsilon", 0.5);
    options.tolerance = bench_number("tolerance", 1e-3);
    options.cache_mib = bench_number("cache", 200.0);
    options.budget = (uint32_t)bench_count("budget", 0);
    options.report = &report;
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_svr_free(&env, model);
        if (sooth_svr_fit(&env, &train, &options, &model) != SOOTH_OK) bench_stop("task svr", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    b.model = model;
    b.test = &test;
    b.out = (float *)malloc(test.rows * sizeof(float));
    if (!b.out) bench_stop("no memory", NULL);
    result->bytes = (double)model->head.size;
    sooth_svr_predict_many(model, test.x, test.rows, test.stride, b.out);
    result->r2 = bench_r2(test.y, b.out, test.rows);
    if (bench_count("predict", 0)) {
        result->single_ns = 1e9 * bench_time(bench_svr_single, &b) / (double)test.rows;
        result->batch_rows = (double)test.rows / bench_time(bench_svr_batch, &b);
    }
    snprintf(result->note, sizeof result->note, "%u vectors, %u steps, objective %.10g", (unsigned)model->vectors,
             (unsigned)report.steps, report.objective);
    sooth_svr_free(&env, model);
    free(b.out);
}
