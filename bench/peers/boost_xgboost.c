/* boost_xgboost.c - XGBoost through its C API (Debian: libxgboost-dev), task gb of bench/harness.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: trees (100), depth (6), lr (0.1), bins (256), lambda (1), method (hist), threads (1). Prediction is
 * the in-place one, the fastest it offers for one row.
 */
#define _POSIX_C_SOURCE 200809L
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <xgboost/c_api.h>

static void must(int status) {
    if (status) bench_stop("XGBoost", XGBGetLastError());
}

static BoosterHandle booster;
static sooth_table test;

static const float *predict(const float *x, size_t rows) {
    char data[200];
    const bst_ulong *shape;
    bst_ulong dimensions;
    const float *out;
    snprintf(data, sizeof data,
             "{\"data\":[%llu,true],\"shape\":[%lu,%lu],\"typestr\":\"<f4\",\"version\":3}",
             (unsigned long long)(uintptr_t)x, (unsigned long)rows, (unsigned long)test.cols);
    must(XGBoosterPredictFromDense(booster, data,
                                   "{\"type\":0,\"training\":false,\"iteration_begin\":0,\"iteration_end\":0,"
                                   "\"strict_shape\":false,\"cache_id\":0,\"missing\":NaN}",
                                   NULL, &shape, &dimensions, &out));
    return out;
}

static double single(void *arg) {
    double sum = 0.0;
    size_t i;
    (void)arg;
    for (i = 0; i < 1000; ++i) sum += (double)predict(test.x + i * test.stride, 1)[0];
    return sum;
}

static double batch(void *arg) {
    (void)arg;
    return (double)predict(test.x, test.rows)[0];
}

static void set(const char *name, const char *fallback) {
    static const char *const ours[][2] = {{"max_depth", "depth"}, {"eta", "lr"},
                                          {"max_bin", "bins"},    {"lambda", "lambda"},
                                          {"nthread", "threads"}, {"tree_method", "method"}};
    size_t i;
    for (i = 0; i < sizeof ours / sizeof ours[0]; ++i)
        if (strcmp(ours[i][0], name) == 0)
            must(XGBoosterSetParam(booster, name, bench_text(ours[i][1], fallback)));
}

int main(int count, char **word) {
    bench_result result;
    sooth_table train;
    bst_ulong length;
    const char *bytes;
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), "gb") != 0) return 64;
    bench_result_init(&result);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), bench_count("d", 10), 0, &test);
    result.load_kb = bench_peak_kb();
    while (bench_more(&result)) {
        double start;
        DMatrixHandle matrix;
        int i;
        if (booster) XGBoosterFree(booster);
        start = bench_clock();
        must(XGDMatrixCreateFromMat_omp(train.x, train.rows, train.cols, NAN, &matrix,
                                        (int)bench_count("threads", 1)));
        must(XGDMatrixSetFloatInfo(matrix, "label", train.y, train.rows));
        must(XGBoosterCreate(&matrix, 1, &booster));
        set("max_depth", "6");
        set("eta", "0.1");
        set("max_bin", "256");
        set("lambda", "1");
        set("nthread", "1");
        set("tree_method", "hist");
        must(XGBoosterSetParam(booster, "verbosity", "0"));
        for (i = 0; i < (int)bench_count("trees", 100); ++i) must(XGBoosterUpdateOneIter(booster, i, matrix));
        bench_trained(&result, bench_clock() - start);
        XGDMatrixFree(matrix);
    }
    must(XGBoosterSaveModelToBuffer(booster, "{\"format\":\"ubj\"}", &length, &bytes));
    result.bytes = (double)length;
    result.r2 = bench_r2(test.y, predict(test.x, test.rows), test.rows);
    if (bench_count("predict", 0)) {
        result.single_ns = 1e9 * bench_time(single, NULL) / 1000.0;
        result.batch_rows = (double)test.rows / bench_time(batch, NULL);
    }
    bench_print(&result, "xgboost");
    return 0;
}
