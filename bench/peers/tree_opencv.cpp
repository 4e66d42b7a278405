// tree_opencv.cpp - OpenCV's regression tree by the protocol of bench/harness.h.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 bench/peers/tree_opencv.cpp -o opencv -lopencv_ml -lopencv_core
//
// Takes the words of build/bench task=dt. OpenCV's trees are at most 25 levels deep.
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>

typedef struct bench_opencv {
    cv::Ptr<cv::ml::DTrees> tree;
    cv::Mat test;
} bench_opencv;

static double bench_opencv_single(void *arg) {
    bench_opencv *b = (bench_opencv *)arg;
    double sum = 0.0;
    for (int i = 0; i < b->test.rows; ++i) sum += (double)b->tree->predict(b->test.row(i));
    return sum;
}

static double bench_opencv_batch(void *arg) {
    bench_opencv *b = (bench_opencv *)arg;
    cv::Mat out;
    b->tree->predict(b->test, out);
    return (double)out.at<float>(0);
}

static cv::Mat bench_opencv_matrix(const float *values, size_t rows, size_t cols) {
    return cv::Mat((int)rows, (int)cols, CV_32F, const_cast<float *>(values));
}

int main(int count, char **word) {
    bench_result result;
    sooth_table train, test;
    bench_opencv b;
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), "dt") != 0) return 64;
    cv::setNumThreads((int)bench_count("threads", 1));
    bench_result_init(&result);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), bench_count("d", 10), 0, &test);
    result.load_kb = bench_peak_kb();
    cv::Mat x = bench_opencv_matrix(train.x, train.rows, train.cols);
    cv::Mat y = bench_opencv_matrix(train.y, train.rows, 1);
    b.test = bench_opencv_matrix(test.x, test.rows, test.cols);
    int depth = (int)bench_count("depth", 25);
    while (bench_more(&result)) {
        double start = bench_clock();
        b.tree = cv::ml::DTrees::create();
        b.tree->setMaxDepth(depth > 0 && depth < 25 ? depth : 25);
        b.tree->setMinSampleCount(2);
        b.tree->setCVFolds(0);
        b.tree->setUseSurrogates(false);
        b.tree->setRegressionAccuracy(0);
        b.tree->train(cv::ml::TrainData::create(x, cv::ml::ROW_SAMPLE, y));
        bench_trained(&result, bench_clock() - start);
    }
    cv::Mat out;
    b.tree->predict(b.test, out);
    result.r2 = bench_r2(test.y, out.ptr<float>(), test.rows);
    if (bench_count("predict", 0)) {
        result.single_ns = 1e9 * bench_time(bench_opencv_single, &b) / (double)test.rows;
        result.batch_rows = (double)test.rows / bench_time(bench_opencv_batch, &b);
    }
    bench_print(&result, "opencv");
    return 0;
}
