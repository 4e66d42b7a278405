/* bench.c - one program that times every module: build/bench task=dt data=FILE d=10 predict=1.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     task=dt|ols|...    what to do, see the table below; leaves with status 64 when it is not there
 *     data=FILE          float32, row by row: d features, then the target; the first n rows are used
 *     test=FILE          held-out rows for r2 and the prediction times (default: data)
 *     d=10 n=0           features; rows to train on (0: all)
 *     threads=1          worker threads
 *     reps=5 budget=0.3  train until this many times or seconds
 *     predict=1          also time prediction
 *     and the words of each task, listed in its header
 *
 * Prints one line of JSON. When a key stands twice the first one counts.
 */
#define _POSIX_C_SOURCE 200809L
#define SOOTH_IMPLEMENTATION
#include "harness.h"
#include "tasks/adapt.h"
#include "tasks/best.h"
#include "tasks/blocks.h"
#include "tasks/boost.h"
#include "tasks/conformal.h"
#include "tasks/csv.h"
#include "tasks/decide.h"
#include "tasks/drift.h"
#include "tasks/encode.h"
#include "tasks/explain.h"
#include "tasks/forest.h"
#include "friedman.h"
#include "tasks/gauss.h"
#include "tasks/gpu_time.h"
#include "tasks/host.h"
#include "tasks/linear.h"
#include "tasks/mlp.h"
#include "tasks/probability.h"
#include "tasks/ptx.h"
#include "tasks/ranks.h"
#include "tasks/samplers.h"
#include "tasks/scaling.h"
#include "tasks/svr.h"
#include "tasks/sofnn.h"
#include "tasks/tree.h"
#include "tasks/workers.h"

static const struct {
    const char *name;
    void (*run)(bench_result *result);
} bench_tasks[] = {
    {"friedman", bench_friedman},
    {"dt", bench_dt},
    {"ols", bench_ols},
    {"rf", bench_rf},
    {"gb", bench_gb},
    {"et", bench_et},
    {"sofnn", bench_sofnn},
    {"svr", bench_svr},
    {"gauss", bench_gauss},
    {"best", bench_best},
    {"nn", bench_nn},
    {"shap", bench_shap},
    {"ptx", bench_ptx},
    {"qmc", bench_qmc},
    {"decide", bench_decide},
    {"drift", bench_drift},
    {"host", bench_host},
    {"adapt", bench_adapt},
    {"gpu_time", bench_gpu_time},
    {"conformal", bench_conformal},
    {"probability", bench_probability},
    {"encode", bench_encode},
    {"scaling", bench_scaling},
    {"threads", bench_workers},
    {"ranks", bench_ranks},
    {"csv", bench_csv},
    {"blocks", bench_blocks},
};

int main(int count, char **word) {
    bench_words = count;
    bench_word = word;
    for (size_t i = 0; i < sizeof bench_tasks / sizeof bench_tasks[0]; ++i) {
        bench_result result;
        if (strcmp(bench_text("task", ""), bench_tasks[i].name) != 0) continue;
        bench_result_init(&result);
        bench_tasks[i].run(&result);
        bench_print(&result, "sooth");
        return 0;
    }
    return 64;
}
