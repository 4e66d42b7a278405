// svr_opencv.cpp - OpenCV's support vectors in the words of bench.c: task=svr.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 -Iinclude bench/peers/svr_opencv.cpp -o opencv -lopencv_ml -lopencv_core
//
// The tolerance is that of the optimality conditions, as in LIBSVM, which it is derived from.
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>

static float bench_opencv_one(const void *model, const float *row) {
    const cv::ml::SVM *svm = static_cast<const cv::ml::SVM *>(model);
    return svm->predict(cv::Mat(1, svm->getVarCount(), CV_32F, const_cast<float *>(row)));
}

static void bench_opencv_many(const void *model, const float *x, size_t rows, size_t stride, float *out) {
    const cv::ml::SVM *svm = static_cast<const cv::ml::SVM *>(model);
    cv::Mat answers((int)rows, 1, CV_32F, out);
    svm->predict(cv::Mat((int)rows, svm->getVarCount(), CV_32F, const_cast<float *>(x), stride * sizeof *x),
                 answers);
}

int main(int count, char **word) {
    bench_result result;
    sooth_table train, test;
    bench_answers b;
    cv::Ptr<cv::ml::SVM> svm;
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), "svr") != 0) return 64;
    cv::setNumThreads((int)bench_count("threads", 1));
    bench_result_init(&result);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), bench_count("d", 10), 0, &test);
    result.load_kb = bench_peak_kb();
    cv::Mat x((int)train.rows, (int)train.cols, CV_32F, const_cast<float *>(train.x));
    cv::Mat y((int)train.rows, 1, CV_32F, const_cast<float *>(train.y));
    while (bench_more(&result)) {
        double start = bench_clock();
        svm = cv::ml::SVM::create();
        svm->setType(cv::ml::SVM::EPS_SVR);
        svm->setKernel(cv::ml::SVM::RBF);
        svm->setC(bench_number("C", 10.0));
        svm->setGamma(bench_number("gamma", 0.5));
        svm->setP(bench_number("epsilon", 0.5));
        svm->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER + cv::TermCriteria::EPS, 100000000,
                                              bench_number("tolerance", 1e-3)));
        svm->train(cv::ml::TrainData::create(x, cv::ml::ROW_SAMPLE, y));
        bench_trained(&result, bench_clock() - start);
    }
    b.model = svm.get();
    b.one = bench_opencv_one;
    b.many = bench_opencv_many;
    b.test = &test;
    bench_answer(&result, &b);
    result.bytes = (4.0 * svm->getVarCount() + 8.0) * svm->getSupportVectors().rows;
    snprintf(result.note, sizeof result.note, "%d vectors", svm->getSupportVectors().rows);
    bench_print(&result, "OpenCV");
    return 0;
}
