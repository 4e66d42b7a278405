// opencv.hpp - what the peers from OpenCV share: words, tables, and how a model of theirs answers.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
#define SOOTH_IMPLEMENTATION
#include "../harness.h"

#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>

static inline cv::Mat opencv_matrix(const float *values, size_t rows, size_t cols) {
    return cv::Mat((int)rows, (int)cols, CV_32F, const_cast<float *>(values));
}

static inline float opencv_one(const void *model, const float *row) {
    const cv::ml::StatModel *m = static_cast<const cv::ml::StatModel *>(model);
    float y;
    cv::Mat out(1, 1, CV_32F, &y);
    m->predict(opencv_matrix(row, 1, (size_t)m->getVarCount()), out);
    return y;
}

// rows lie behind each other: the tests have no stride
static inline void opencv_many(const void *model, const float *x, size_t rows, size_t stride, float *out) {
    const cv::ml::StatModel *m = static_cast<const cv::ml::StatModel *>(model);
    cv::Mat answers = opencv_matrix(out, rows, 1);
    m->predict(opencv_matrix(x, rows, stride), answers);
}

typedef struct opencv_bench {
    bench_result result;
    sooth_table train, test;
} opencv_bench;

// 0: the task is another one
static inline int opencv_begin(opencv_bench *b, int count, char **word, const char *task) {
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), task) != 0) return 0;
    cv::setNumThreads((int)bench_count("threads", 1));
    bench_result_init(&b->result);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &b->train);
    bench_load(bench_text("test", bench_text("data", "")), bench_count("d", 10), 0, &b->test);
    b->result.load_kb = bench_peak_kb();
    return 1;
}

// Trains as often as the words say.
template <class Model>
static inline cv::Ptr<Model> opencv_train(opencv_bench *b, cv::Ptr<Model> (*make)(void)) {
    cv::Mat x = opencv_matrix(b->train.x, b->train.rows, b->train.cols);
    cv::Mat y = opencv_matrix(b->train.y, b->train.rows, 1);
    cv::Ptr<Model> model;
    while (bench_more(&b->result)) {
        double start = bench_clock();
        model = make();
        model->train(cv::ml::TrainData::create(x, cv::ml::ROW_SAMPLE, y));
        bench_trained(&b->result, bench_clock() - start);
    }
    return model;
}

static inline void opencv_end(opencv_bench *b, const cv::ml::StatModel *model) {
    bench_answer(&b->result, model, opencv_one, opencv_many, &b->test);
    bench_print(&b->result, "OpenCV");
}
