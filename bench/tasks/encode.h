/* encode.h - times categories that become features: task=encode columns=3 levels=10000.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: columns (3), levels (10,000 in each), last (2), bytes (of the block, 4 MiB), n (rows, 100,000)
 *
 * train_s is the fit of n rows, each encoded by those before it; single_ns a row asked of what was learned;
 * the note has an update. A tenth of the levels make half of the rows. Floor of a column at 3 GHz: two hashes
 * of 15 cycles, a set of 8 x 36 bytes looked through at 2 cycles a level, 16 ns; where the block is not in a
 * near cache, 5 lines of the last one at once, 15 ns more.
 */
#include "sooth/preprocess.h"

typedef struct bench_encode_case {
    sooth_env env;
    sooth_encode *encode;
    uint64_t *level;
    float *target, *out;
    size_t n, columns;
} bench_encode_case;

static double bench_encode_rows(void *arg) {
    const bench_encode_case *c = (const bench_encode_case *)arg;
    float sum = 0.0f;
    for (size_t i = 0; i < c->n; ++i) {
        sooth_encode_row(c->encode, c->level + i * c->columns, (uint32_t)i, c->out);
        sum += c->out[0];
    }
    return (double)sum;
}

static double bench_encode_updates(void *arg) {
    bench_encode_case *c = (bench_encode_case *)arg;
    for (size_t i = 0; i < c->n; ++i)
        sooth_encode_update(c->encode, c->level + i * c->columns, c->target[i], (uint32_t)i);
    return (double)c->encode->updates;
}

static void bench_encode(bench_result *result) {
    bench_encode_case c;
    sooth_encode_options options;
    sooth_rng rng;
    memset(&c, 0, sizeof c);
    memset(&options, 0, sizeof options);
    c.n = bench_count("n", 100000);
    c.columns = bench_count("columns", 3);
    const uint32_t levels = (uint32_t)bench_count("levels", 10000);
    options.columns = (uint32_t)c.columns;
    options.last = (uint32_t)bench_count("last", 2);
    options.max_bytes = (uint32_t)bench_count("bytes", 4194304);
    options.in_time = 1;
    c.level = (uint64_t *)malloc((c.n * c.columns + 1) * sizeof *c.level);
    c.target = (float *)malloc((c.n + 1) * sizeof *c.target);
    c.out = (float *)malloc(c.columns * (3 + SOOTH_ENCODE_MAX_LAST) * sizeof *c.out);
    if (!c.level || !c.target || !c.out || levels < 10 || c.n == 0) bench_stop("task encode", "no rows");
    bench_env(&c.env);
    sooth_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < c.n; ++i) {
        for (size_t j = 0; j < c.columns; ++j)
            c.level[i * c.columns + j] =
                sooth_rng_below(&rng, sooth_rng_below(&rng, 2) ? levels : levels / 10);
        c.target[i] = 1.0f + sooth_rng_float(&rng);
    }
    while (bench_more(result)) {
        const double start = bench_clock();
        sooth_encode_free(&c.env, c.encode);
        if (sooth_encode_fit(&c.env, c.level, c.target, NULL, c.n, &options, NULL, &c.encode) != SOOTH_OK)
            bench_stop("task encode", c.env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    const unsigned known = c.encode->levels, forgotten = c.encode->forgotten;
    result->bytes = (double)c.encode->head.size;
    result->single_ns = 1e9 * bench_time(bench_encode_rows, &c) / (double)c.n;
    snprintf(result->note, sizeof result->note, "update %.1f ns, %u levels known, %u forgotten",
             1e9 * bench_time(bench_encode_updates, &c) / (double)c.n, known, forgotten);
    sooth_encode_free(&c.env, c.encode);
    free(c.out);
    free(c.target);
    free(c.level);
}
