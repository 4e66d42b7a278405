// tree_opencv.cpp - OpenCV's regression tree by the protocol of bench/harness.h.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 -Iinclude bench/peers/tree_opencv.cpp -o opencv
//         -lopencv_ml -lopencv_core
//
// Takes the words of build/bench task=dt. OpenCV's trees are at most 25 levels deep.
#include "opencv.hpp"

static cv::Ptr<cv::ml::DTrees> make(void) {
    int depth = (int)bench_count("depth", 25);
    cv::Ptr<cv::ml::DTrees> tree = cv::ml::DTrees::create();
    tree->setMaxDepth(depth > 0 && depth < 25 ? depth : 25);
    tree->setMinSampleCount(2);
    tree->setCVFolds(0);
    tree->setUseSurrogates(false);
    tree->setRegressionAccuracy(0);
    return tree;
}

int main(int count, char **word) {
    opencv_bench b;
    if (!opencv_begin(&b, count, word, "dt")) return 64;
    opencv_end(&b, opencv_train<cv::ml::DTrees>(&b, make).get());
    return 0;
}
