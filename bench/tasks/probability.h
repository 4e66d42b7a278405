/* probability.h - times a map from scores to probabilities: task=probability method=isotonic.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: method (sigmoid|isotonic), scores (plain|odds), n (100,000 rows)
 *
 * train_s is a fit, single_ns one score mapped, over a thousand of them; the note has the log loss of the
 * rows before and after. Floor of a fit at 3 GHz: isotonic, n scores and classes read and three passes of a
 * sort over 8 bytes a row, 5 ns a row at 10 GB/s; sigmoid, ten steps of Newton's with an exponential and two
 * logarithms for each row, 20 ns each: 0.6 us a row. Of a score: an exponential and a division, with odds a
 * logarithm and a division more, 10 and 20 ns; of 232 points a search of 8 steps, half of them guessed wrong
 * at 15 cycles, 20 ns.
 */
#include "sooth/validation.h"
#include "sooth/model.h"

enum { BENCH_PROBABILITY_CALLS = 1000 };

typedef struct bench_probability_case {
    sooth_env env;
    sooth_probability *map;
    const float *score;
    size_t n;
} bench_probability_case;

static double bench_probability_pass(void *arg) {
    const bench_probability_case *c = (const bench_probability_case *)arg;
    float sum = 0.0f;
    for (size_t i = 0; i < BENCH_PROBABILITY_CALLS; ++i)
        sum += sooth_probability_apply(c->map, c->score[i % c->n]);
    return (double)sum;
}

static double bench_probability_loss(bench_probability_case *c, const float *actual, const float *said) {
    sooth_metrics_binary m;
    if (sooth_metrics_compute_binary(&c->env, actual, said, NULL, c->n, &m) != SOOTH_OK)
        bench_stop("task probability", c->env.sentence);
    return m.log_loss;
}

/* Scores of a model that is too sure: of a score s the log odds are half as far from 0. */
static void bench_probability(bench_result *result) {
    bench_probability_case c;
    sooth_probability_options options;
    sooth_rng rng;
    memset(&c, 0, sizeof c);
    memset(&options, 0, sizeof options);
    c.n = bench_count("n", 100000);
    float *score = (float *)malloc((3 * c.n + 1) * sizeof *score), *actual = score + c.n,
          *said = actual + c.n;
    if (!score || c.n == 0) bench_stop("task probability", "no rows");
    bench_env(&c.env);
    sooth_rng_init(&rng, 1, 0);
    options.method = strcmp(bench_text("method", "sigmoid"), "isotonic") == 0;
    options.scores = strcmp(bench_text("scores", "odds"), "odds") == 0;
    for (size_t i = 0; i < c.n; ++i) {
        const float odds = 3.0f * (float)sooth_rng_normal(&rng);
        said[i] = sooth_sigmoid(odds);
        score[i] = options.scores ? said[i] : odds;
        actual[i] = sooth_rng_float(&rng) < sooth_sigmoid(0.5f * odds);
    }
    c.score = score;
    const double before = bench_probability_loss(&c, actual, said);
    while (bench_more(result)) {
        const double start = bench_clock();
        sooth_probability_free(&c.env, c.map);
        if (sooth_probability_fit(&c.env, actual, score, NULL, c.n, &options, &c.map) != SOOTH_OK)
            bench_stop("task probability", c.env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    result->single_ns = 1e9 * bench_time(bench_probability_pass, &c) / BENCH_PROBABILITY_CALLS;
    result->bytes = (double)c.map->head.size;
    sooth_probability_apply_many(c.map, score, c.n, said);
    snprintf(result->note, sizeof result->note, "log loss %.4f, before %.4f, %u points",
             bench_probability_loss(&c, actual, said), before, (unsigned)c.map->points);
    sooth_probability_free(&c.env, c.map);
    free(score);
}
