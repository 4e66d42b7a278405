// svr_opencv.cpp - OpenCV's support vectors in the words of bench.c: task=svr.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 -Iinclude bench/peers/svr_opencv.cpp -o opencv -lopencv_ml -lopencv_core
//
// The tolerance is that of the optimality conditions, as in LIBSVM, which it is derived from.
#include "opencv.hpp"

static cv::Ptr<cv::ml::SVM> make(void) {
    cv::Ptr<cv::ml::SVM> svm = cv::ml::SVM::create();
    svm->setType(cv::ml::SVM::EPS_SVR);
    svm->setKernel(cv::ml::SVM::RBF);
    svm->setC(bench_number("C", 10.0));
    svm->setGamma(bench_number("gamma", 0.5));
    svm->setP(bench_number("epsilon", 0.5));
    svm->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER + cv::TermCriteria::EPS, 100000000,
                                          bench_number("tolerance", 1e-3)));
    return svm;
}

int main(int count, char **word) {
    opencv_bench b;
    if (!opencv_begin(&b, count, word, "svr")) return 64;
    cv::Ptr<cv::ml::SVM> svm = opencv_train<cv::ml::SVM>(&b, make);
    b.result.bytes = (4.0 * svm->getVarCount() + 8.0) * svm->getSupportVectors().rows;
    snprintf(b.result.note, sizeof b.result.note, "%d vectors", svm->getSupportVectors().rows);
    opencv_end(&b, svm.get());
    return 0;
}
