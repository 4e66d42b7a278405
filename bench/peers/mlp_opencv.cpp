// mlp_opencv.cpp - OpenCV's network in the words of bench.c: task=nn.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//     c++ -O2 -I/usr/include/opencv4 -Iinclude bench/peers/mlp_opencv.cpp -o opencv -lopencv_ml -lopencv_core
//
// Back-propagation with momentum, row by row, of symmetric sigmoids; no Adam, and no ReLU that trains.
#include "opencv.hpp"

static cv::Ptr<cv::ml::ANN_MLP> make(void) {
    cv::Ptr<cv::ml::ANN_MLP> net = cv::ml::ANN_MLP::create();
    cv::Mat layers = (cv::Mat_<int>(1, 5) << (int)bench_count("d", 10), (int)bench_count("h1", 64),
                      (int)bench_count("h2", 64), (int)bench_count("h3", 128), 1);
    net->setLayerSizes(layers);
    net->setActivationFunction(cv::ml::ANN_MLP::SIGMOID_SYM, 1, 1);
    net->setTrainMethod(cv::ml::ANN_MLP::BACKPROP, 0.001, 0.1);
    net->setTermCriteria(cv::TermCriteria(cv::TermCriteria::MAX_ITER, (int)bench_count("epochs", 20), 0));
    return net;
}

int main(int count, char **word) {
    opencv_bench b;
    if (!opencv_begin(&b, count, word, "nn")) return 64;
    opencv_end(&b, opencv_train<cv::ml::ANN_MLP>(&b, make).get());
    return 0;
}
