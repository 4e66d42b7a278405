/* linear.h - times least squares with intercept: task=ols.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Floor, for 10^6 rows of 10 float features and a target (w = 12 columns with the intercept): 44 MB are read
 * once, 4 ms at 10 GB/s. Householder reflections need 2 n w^2 = 288 million multiply-adds: 36 ms at 2 per
 * cycle and lane pair (SSE2 doubles, 4 GHz), 18 ms with four doubles a time (AVX2). Checking the table for
 * missing values reads it a second time, 2 to 4 ms. What keeps us from the floor: every reflection passes
 * twice over its block of 128 rows (12 KB, in the nearest cache), one pass to multiply and one to subtract,
 * so loads and stores bind, not multiplications.
 */
#include "sooth/linear.h"

BENCH_MODEL(linear)

static void bench_ols(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_linear *model = NULL;
    bench_tables(result, &env, &train, &test);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_linear_free(&env, model);
        if (sooth_linear_fit(&env, &train, NULL, &model) != SOOTH_OK) bench_stop("task ols", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, model, bench_linear_one, bench_linear_many, &test);
    result->bytes = (double)model->head.size;
    snprintf(result->note, sizeof result->note, "rank %u", (unsigned)model->rank);
    sooth_linear_free(&env, model);
}
