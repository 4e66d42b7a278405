/* gpu_time.h - how long an operator, or a kernel, takes on a GPU never measured: what an answer costs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/bench task=gpu_time gpu=h100
 *
 * words: gpu=h100 (one that sooth_gpu_named knows). single_ns is a matrix product; the note has rows of a
 * softmax, a kernel of which the work is known, and preparing the device. data, n, d are not read.
 *
 * Floor of a product: seven sizes of tiles of two divisions each, and two more, 15 cycles a division where
 * one waits for the last: 80 ns at 3 GHz; of rows: six divisions, 30 ns.
 */
#include "sooth/gpu_time.h"

enum { BENCH_GPU_TIME_ASKED = 20000 };

static void bench_gpu_time_need(const sooth_env *env, sooth_status status) {
    if (status != SOOTH_OK) bench_stop("task gpu_time", env->sentence);
}

typedef struct bench_gpu_time_case {
    sooth_env env;
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    sooth_operator op;
    sooth_work work;
} bench_gpu_time_case;

static double bench_gpu_time_operators(void *arg) {
    bench_gpu_time_case *c = (bench_gpu_time_case *)arg;
    double sum = 0.0;
    for (unsigned i = 0; i < BENCH_GPU_TIME_ASKED; ++i) {
        sooth_gpu_timing t = {0.0, 0.0, 0.0, 0, 0};
        c->op.b = 16 + i % 64;
        bench_gpu_time_need(&c->env, sooth_gpu_time(&c->env, &c->timer, &c->op, &t));
        sum += t.ms;
    }
    return sum;
}

static double bench_gpu_time_kernels(void *arg) {
    bench_gpu_time_case *c = (bench_gpu_time_case *)arg;
    double sum = 0.0;
    for (unsigned i = 0; i < BENCH_GPU_TIME_ASKED; ++i) {
        sooth_gpu_timing t = {0.0, 0.0, 0.0, 0, 0};
        c->work.tiles = 16 + i % 256;
        bench_gpu_time_need(&c->env, sooth_gpu_time_work(&c->env, &c->timer, &c->work, &t));
        sum += t.ms;
    }
    return sum;
}

static double bench_gpu_time_devices(void *arg) {
    bench_gpu_time_case *c = (bench_gpu_time_case *)arg;
    double sum = 0.0;
    for (unsigned i = 0; i < BENCH_GPU_TIME_ASKED; ++i) {
        c->gpu.clock_mhz += 0.01;
        bench_gpu_time_need(&c->env, sooth_gpu_timer_init(&c->env, &c->timer, &c->gpu, NULL));
        sum += c->timer.rate;
    }
    return sum;
}

static void bench_gpu_time(bench_result *result) {
    const double to_ns = 1e9 / BENCH_GPU_TIME_ASKED;
    bench_gpu_time_case c;
    memset(&c, 0, sizeof c);
    bench_env(&c.env);
    bench_gpu_time_need(&c.env, sooth_gpu_named(&c.env, bench_text("gpu", "h100"), &c.gpu));
    bench_gpu_time_need(&c.env, sooth_gpu_timer_init(&c.env, &c.timer, &c.gpu, NULL));
    c.op.m = 512, c.op.n = 64, c.op.k = 512;
    c.op.kind = SOOTH_OPERATOR_BMM;
    c.op.b = 16;
    bench_gpu_time_need(&c.env, sooth_operator_work(&c.env, &c.op, &c.work));
    result->bytes = sizeof c.timer;
    result->single_ns = to_ns * bench_time(bench_gpu_time_operators, &c);
    c.op.kind = SOOTH_OPERATOR_SOFTMAX;
    const double rows = to_ns * bench_time(bench_gpu_time_operators, &c);
    const double kernel = to_ns * bench_time(bench_gpu_time_kernels, &c);
    snprintf(result->note, sizeof result->note, "rows %.0f ns, kernel %.0f ns, device %.0f ns", rows, kernel,
             to_ns * bench_time(bench_gpu_time_devices, &c));
}
