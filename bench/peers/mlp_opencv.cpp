// mlp_opencv.cpp - OpenCV's network in the words of bench.c: task=nn.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 -Iinclude bench/peers/mlp_opencv.cpp -o opencv -lopencv_ml -lopencv_core
//
// Back-propagation with momentum, row by row, of symmetric sigmoids; it has neither Adam nor ReLU that trains.
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>

typedef struct bench_opencv {
    cv::Ptr<cv::ml::ANN_MLP> net;
    cv::Mat test;
} bench_opencv;

static double bench_opencv_single(void *arg) {
    bench_opencv *b = (bench_opencv *)arg;
    cv::Mat out;
    double sum = 0.0;
    for (int i = 0; i < b->test.rows; ++i) {
        b->net->predict(b->test.row(i), out);
        sum += (double)out.at<float>(0);
    }
    return sum;
}

static double bench_opencv_batch(void *arg) {
    bench_opencv *b = (bench_opencv *)arg;
    cv::Mat out;
    b->net->predict(b->test, out);
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
    if (strcmp(bench_text("task", ""), "nn") != 0) return 64;
    cv::setNumThreads((int)bench_count("threads", 1));
    bench_result_init(&result);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), bench_count("d", 10), 0, &test);
    result.load_kb = bench_peak_kb();
    cv::Mat x = bench_opencv_matrix(train.x, train.rows, train.cols);
    cv::Mat y = bench_opencv_matrix(train.y, train.rows, 1);
    b.test = bench_opencv_matrix(test.x, test.rows, test.cols);
    cv::Mat layers = (cv::Mat_<int>(1, 5) << (int)train.cols, (int)bench_count("h1", 64), (int)bench_count("h2", 64),
                      (int)bench_count("h3", 128), 1);
    while (bench_more(&result)) {
        double start = bench_clock();
        b.net = cv::ml::ANN_MLP::create();
        b.net->setLayerSizes(layers);
        b.net->setActivationFunction(cv::ml::ANN_MLP::SIGMOID_SYM, 1, 1);
        b.net->setTrainMethod(cv::ml::ANN_MLP::BACKPROP, 0.001, 0.1);
        b.net->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, (int)bench_count("epochs", 20), 0));
        b.net->train(cv::ml::TrainData::create(x, cv::ml::ROW_SAMPLE, y));
        bench_trained(&result, bench_clock() - start);
    }
    cv::Mat out;
    b.net->predict(b.test, out);
    result.r2 = bench_r2(test.y, out.ptr<float>(), test.rows);
    if (bench_count("predict", 0)) {
        result.single_ns = 1e9 * bench_time(bench_opencv_single, &b) / (double)test.rows;
        result.batch_rows = (double)test.rows / bench_time(bench_opencv_batch, &b);
    }
    bench_print(&result, "OpenCV");
    return 0;
}
