/* blocks.h - times tables that come in blocks: task=blocks data=FILE d=10 n=0 block=10000 bins=256.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * train_s is both passes over rows that are in memory already: what a source takes comes on top.
 *
 * Floor, for 10^6 rows of 10 columns: 44 MB are read twice, 9 ms at 10 GB/s. Every value goes into a sorted
 * list (a radix sort of four bytes: 4 passes of 2 cycles) and is then looked up among 255 bounds (8 steps of
 * 4 cycles, four at a time): 16 cycles, 40 ms at 4 GHz.
 */
#include "sooth/train.h"

typedef struct bench_source {
    sooth_table all;
    size_t at, block;
} bench_source;

static sooth_status bench_source_next(void *user, sooth_env *env, sooth_table *block) {
    bench_source *s = (bench_source *)user;
    const size_t left = s->all.rows - s->at;
    (void)env;
    *block = s->all;
    block->rows = left < s->block ? left : s->block;
    block->x += s->at * s->all.stride;
    block->y += s->at;
    s->at += block->rows;
    return SOOTH_OK;
}

static sooth_status bench_source_rewind(void *user, sooth_env *env) {
    (void)env;
    ((bench_source *)user)->at = 0;
    return SOOTH_OK;
}

static void bench_blocks(bench_result *result) {
    sooth_env env;
    bench_source rows;
    sooth_blocks blocks;
    sooth_blocks_options options;
    memset(&rows, 0, sizeof rows);
    memset(&options, 0, sizeof options);
    bench_env(&env);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &rows.all);
    result->load_kb = bench_peak_kb();
    rows.block = bench_count("block", 10000);
    options.bins = (uint32_t)bench_count("bins", 256);
    const sooth_source source = {&rows, rows.all.cols, 1, bench_source_next, bench_source_rewind, NULL, NULL};
    while (bench_more(result)) {
        const double start = bench_clock();
        rows.at = 0;
        if (sooth_blocks_read(&env, &source, &options, &blocks) != SOOTH_OK)
            bench_stop("task blocks", env.sentence);
        bench_trained(result, bench_clock() - start);
        result->bytes = (double)blocks.memory_size;
        snprintf(result->note, sizeof result->note, "bounds off by less than %g of the rows", blocks.error);
        sooth_blocks_free(&env, &blocks);
    }
}
