/* gauss.h - times Gaussian processes: task=gauss kernel=0 each=1.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: kernel (0: Matern 3/2, 1: 1/2, 2: 5/2, 3: squared), each (1: a length for each column), given (1:
 * nothing is learned: signal 1, lengths 2, noise 0.1 of the targets' variance), trend (1: with a linear part,
 * which the peers lack), starts, points (at most), learn (at most). The same work is done by
 * peers/gauss_peer.py (scikit-learn, GPBoost). The note has the time of a prediction with its deviation, and
 * the log likelihood.
 *
 * Floors, for n rows of d columns. A step of the search takes n^3 / 2 multiply-adds of doubles, of which an
 * x86 core of today does 4 a cycle with AVX2 that may not fuse them: 2,000 rows are 4e9 of them, 0.26 s at
 * 3.85 GHz; measured: 0.6 to 0.8. A prediction takes n (3 d + 25) operations, a deviation n^2 / 2
 * multiply-adds on 2 n^2 bytes: of 2,000 rows 8 MB, which no cache but the last holds.
 */
#include "sooth/gaussian_process.h"

BENCH_MODEL(gauss)

typedef struct bench_gauss_pass {
    const sooth_gauss *model;
    const sooth_table *test;
    float *work, sum;
} bench_gauss_pass;

static double bench_gauss_deviations(void *arg) {
    bench_gauss_pass *pass = (bench_gauss_pass *)arg;
    const size_t rows = pass->test->rows < 100 ? pass->test->rows : 100;
    for (size_t i = 0; i < rows; ++i) {
        const float *row = pass->test->x + i * pass->test->stride;
        pass->sum += sooth_gauss_predict(pass->model, row) +
                     sooth_gauss_deviation(pass->model, row, SOOTH_GAUSS_NEW, 0, pass->work);
    }
    return (double)pass->sum;
}

static sooth_gauss_options bench_gauss_options(const sooth_table *train) {
    sooth_gauss_options options;
    memset(&options, 0, sizeof options);
    options.kernel = (uint32_t)bench_count("kernel", 0);
    options.lengths = bench_count("each", 1) ? SOOTH_GAUSS_EACH : SOOTH_GAUSS_SHARED;
    options.no_trend = (uint32_t)bench_count("trend", 0) ? 0 : 1;
    options.starts = (uint32_t)bench_count("starts", 1);
    options.max_points = (uint32_t)bench_count("points", 8192);
    options.inducing = (uint32_t)bench_count("inducing", 500);
    options.learn_rows = (uint32_t)bench_count("learn", 8192);
    if (bench_count("given", 0)) {
        double mean = 0.0, squares = 0.0;
        for (size_t i = 0; i < train->rows; ++i) mean += (double)train->y[i] / (double)train->rows;
        for (size_t i = 0; i < train->rows; ++i)
            squares += ((double)train->y[i] - mean) * ((double)train->y[i] - mean);
        options.signal = squares / (double)train->rows;
        options.noise = 0.1 * options.signal;
        options.length = 2.0;
        options.lengths = SOOTH_GAUSS_SHARED;
    }
    return options;
}

static void bench_gauss(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_gauss *model = NULL;
    double deviation = 0.0;
    bench_tables(result, &env, &train, &test);
    const sooth_gauss_options options = bench_gauss_options(&train);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_gauss_free(&env, model);
        if (sooth_gauss_fit(&env, &train, &options, &model) != SOOTH_OK)
            bench_stop("task gauss", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, model, bench_gauss_one, bench_gauss_many, &test);
    result->bytes = (double)model->head.size;
    if (bench_count("predict", 0)) {
        bench_gauss_pass pass = {model, &test, (float *)malloc(model->order * sizeof(float)), 0.0f};
        if (!pass.work) bench_stop("task gauss", "no memory");
        deviation = bench_time(bench_gauss_deviations, &pass) / (double)(test.rows < 100 ? test.rows : 100);
        free(pass.work);
    }
    snprintf(result->note, sizeof result->note,
             "%u points, with deviation %.1f us a row, log likelihood %.6f", (unsigned)model->points,
             1e6 * deviation, sooth_gauss_kernel_parameters(model).likelihood);
    sooth_gauss_free(&env, model);
}
