/* conformal.h - times the fit of an interval and what one costs: task=conformal n=100000 groups=0.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: n (100,000 rows), groups (0: none; else each row's is its number modulo this). single_ns is the time
 * of one interval; the note has one on the log scale, a row's CV+ interval of 5 folds, and an adaptive one
 * with its update, 200 scores kept. Floor of a fit: n scores read, and three passes of a sort
 * over 8 bytes a row, 5 ns a row at 10 GB/s. Of an interval: two exponentials.
 */
#include "sooth/conformal.h"

enum { BENCH_CONFORMAL_CALLS = 1000, BENCH_CONFORMAL_FOLDS = 5, BENCH_CONFORMAL_NEW = 200 };

typedef struct bench_conformal_case {
    sooth_env env;
    sooth_conformal *conformal;
    sooth_conformal_left_out rows;
    float *ahead;
    sooth_conformal_online *online;
    float memory[500], p[BENCH_CONFORMAL_CALLS], y[BENCH_CONFORMAL_CALLS];
} bench_conformal_case;

static double bench_conformal_one(void *arg) {
    const bench_conformal_case *c = (const bench_conformal_case *)arg;
    float low, high, sum = 0.0f;
    for (size_t i = 0; i < BENCH_CONFORMAL_CALLS; ++i) {
        sooth_conformal_interval(c->conformal, c->p[i], 1.0f, &low, &high);
        sum += low + high;
    }
    return (double)sum;
}

static double bench_conformal_stream(void *arg) {
    bench_conformal_case *c = (bench_conformal_case *)arg;
    float low, high, sum = 0.0f;
    for (size_t i = 0; i < BENCH_CONFORMAL_CALLS; ++i) {
        sooth_conformal_online_interval(c->online, c->p[i], &low, &high);
        sum += (float)sooth_conformal_online_update(c->online, c->p[i], c->y[i]) + low;
    }
    return (double)sum;
}

static void bench_conformal_cross(bench_conformal_case *c, size_t count, float *ends) {
    sooth_conformal_claim claim;
    if (sooth_conformal_cross(&c->env, &c->rows, c->ahead, count, NULL, ends, ends + BENCH_CONFORMAL_NEW,
                              &claim) != SOOTH_OK)
        bench_stop("task conformal", c->env.sentence);
}

static void bench_conformal(bench_result *result) {
    static bench_conformal_case c;
    static float ends[2 * BENCH_CONFORMAL_NEW];
    const size_t n = bench_count("n", 100000), groups = bench_count("groups", 0);
    float *y = (float *)malloc((2 * n + 1) * sizeof *y), *p = y + n;
    uint32_t *group = (uint32_t *)malloc((2 * n + 1) * sizeof *group), *fold = group + n;
    sooth_rng rng;
    if (n < BENCH_CONFORMAL_FOLDS || !y || !group) bench_stop("task conformal", "no rows");
    bench_env(&c.env);
    sooth_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n; ++i) {
        p[i] = 50.0f + 100.0f * sooth_rng_float(&rng);
        y[i] = p[i] * sooth_exp(0.1f * (float)sooth_rng_normal(&rng));
        group[i] = groups ? (uint32_t)(i % groups) : 0;
        fold[i] = (uint32_t)(i % BENCH_CONFORMAL_FOLDS);
    }
    for (size_t i = 0; i < BENCH_CONFORMAL_CALLS; ++i) c.p[i] = p[i % n], c.y[i] = y[i % n];
    c.ahead = (float *)malloc(BENCH_CONFORMAL_NEW * BENCH_CONFORMAL_FOLDS * sizeof *c.ahead);
    if (!c.ahead) bench_stop("task conformal", "no rows");
    for (size_t i = 0; i < BENCH_CONFORMAL_NEW * BENCH_CONFORMAL_FOLDS; ++i)
        c.ahead[i] = 100.0f + sooth_rng_float(&rng);
    double ns[2] = {0.0, 0.0};
    for (uint32_t scale = 2; scale-- > 0;) { /* the last stays: plain */
        sooth_conformal_options options;
        memset(&options, 0, sizeof options);
        options.scale = scale;
        result->trainings = 0;
        while (bench_more(result)) {
            const double start = bench_clock();
            sooth_conformal_free(&c.env, c.conformal);
            if (sooth_conformal_fit(&c.env, y, p, groups ? group : NULL, NULL, n, &options, &c.conformal) !=
                SOOTH_OK)
                bench_stop("task conformal", c.env.sentence);
            bench_trained(result, bench_clock() - start);
        }
        ns[scale] = 1e9 * bench_time(bench_conformal_one, &c) / BENCH_CONFORMAL_CALLS;
    }
    result->single_ns = ns[0];
    result->bytes = (double)c.conformal->head.size;
    c.rows.actual = y, c.rows.predicted = p, c.rows.fold = fold;
    c.rows.rows = n, c.rows.folds = BENCH_CONFORMAL_FOLDS;
    double start = bench_clock();
    bench_conformal_cross(&c, 0, ends);
    const double once = bench_clock() - start;
    start = bench_clock();
    bench_conformal_cross(&c, BENCH_CONFORMAL_NEW, ends);
    const double cross = (bench_clock() - start - once) / BENCH_CONFORMAL_NEW;
    const sooth_conformal_online_options online = {.capacity = 200, .scale = SOOTH_CONFORMAL_LOG};
    c.online = sooth_conformal_online_begin(&online, c.memory, sizeof c.memory);
    const double stream = bench_time(bench_conformal_stream, &c) / BENCH_CONFORMAL_CALLS;
    snprintf(result->note, sizeof result->note, "log %.1f ns, CV+ %.2f us a row, adaptive %.0f ns", ns[1],
             1e6 * cross, 1e9 * stream);
    sooth_conformal_free(&c.env, c.conformal);
    free(c.ahead);
    free(group);
    free(y);
}
