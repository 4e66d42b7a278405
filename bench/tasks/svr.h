/* svr.h - times support vector regression: task=svr C=10 gamma=0.5 epsilon=0.5 cache=200.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: C, gamma, epsilon, tolerance, cache (MiB), vectors (at most); the RBF kernel. The same work is done
 * by peers/svr_peer.c (LIBSVM), svr_peer.py (scikit-learn) and svr_opencv.cpp.
 *
 * Floors, for n rows, V vectors, d columns. Training reads and writes 36 bytes per active row and step (F
 * twice, the two bounds, two rows of the kernel, the falls twice, the diagonal). One prediction takes V (2 d
 * + 9) additions, of which an x86 core of today does 8 a cycle with SSE2: 1,428 vectors of 10 columns are
 * 5,180 cycles, 1.35 microseconds at 3.85 GHz; measured there: 1.71.
 */
#include "sooth/svr.h"

BENCH_MODEL(svr)

static sooth_svr_options bench_svr_options(void) {
    sooth_svr_options options;
    memset(&options, 0, sizeof options);
    options.C = bench_number("C", 10.0);
    options.gamma = bench_number("gamma", 0.5);
    options.epsilon = bench_number("epsilon", 0.5);
    options.no_target_scale = 1; /* as in the other libraries */
    options.tolerance = bench_number("tolerance", 1e-3);
    options.cache_size = bench_number("cache", 200.0);
    options.max_vectors = (uint32_t)bench_count("vectors", 0);
    return options;
}

static void bench_svr(bench_result *result) {
    const sooth_svr_options options = bench_svr_options();
    sooth_env env;
    sooth_table train, test;
    sooth_svr_report report;
    sooth_svr *model = NULL;
    bench_tables(result, &env, &train, &test);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_svr_free(&env, model);
        if (sooth_svr_fit_report(&env, &train, &options, &model, &report, NULL) != SOOTH_OK)
            bench_stop("task svr", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, model, bench_svr_one, bench_svr_many, &test);
    result->bytes = (double)model->head.size;
    snprintf(result->note, sizeof result->note, "%u vectors, %u steps, objective %.10g",
             (unsigned)model->vectors, (unsigned)report.iterations, report.objective);
    sooth_svr_free(&env, model);
}
