/* test_shards.c - several processes cut columns as one with all rows does; the processes are threads.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/tree/shards.h"
#include "check.h"
#include "ranks.h"

enum { ROWS = 3000, COLS = 10, BINS = 256 };
static float x[ROWS * COLS], weight[ROWS];

/* By column: values all different, whole numbers, few, few with gaps, heavy ties, one, none, huge ones, more
   values than bins by one, more of them than bins but not in one process. */
static void make_columns(uint64_t seed) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        const float u = sooth_rng_float(&rng), v = sooth_rng_float(&rng);
        const float column[COLS] = {u - 0.5f,
                                    (float)(int)(1000.0f * u * u),
                                    (float)(int)(7.0f * u) - 3.0f,
                                    u < 0.5f ? NAN : (float)(int)(40.0f * v),
                                    u < 0.7f ? 0.25f : v,
                                    seed & 1 ? -0.0f : 3.0f,
                                    NAN,
                                    u < 0.1f   ? -FLT_MAX
                                    : u < 0.2f ? FLT_MAX
                                               : (v - 0.5f) * 1e38f,
                                    (float)(i % 257),
                                    (float)(i / 10)};
        memcpy(x + i * COLS, column, sizeof column);
        weight[i] = v < 0.05f ? 0.0f : 1.0f;
    }
}

/* What a process has, and what it found. */
typedef struct shard {
    sooth_table table;
    uint32_t bins;
    sooth_status status;
    soothi_columns columns;
    unsigned char *bin, *by_row;
    float edge[COLS * BINS], least[COLS * BINS];
    uint32_t used[COLS];
} shard;

static void point(shard *s) {
    const size_t numbers = s->table.rows * COLS;
    s->columns = soothi_columns_of(s->table.rows, s->table.rows, COLS, s->bins);
    memset(s->edge, 0, sizeof s->edge);
    memset(s->least, 0, sizeof s->least);
    s->columns.bin = s->bin = malloc(numbers + 1);
    s->columns.by_row = s->by_row = malloc(numbers + 1);
    s->columns.edge = s->edge;
    s->columns.least = s->least;
    s->columns.used = s->used;
}

static void prepare(sooth_env *env, void *arg) {
    shard *s = arg;
    point(s);
    s->status = soothi_shards_prepare(env, 1, &s->columns, &s->table);
}

static shard shards[RANKS_MOST], whole;

/* The rows 0 to ROWS in as many pieces as there are processes, some of them empty. */
static void share_out(size_t ranks, int weights, uint32_t bins, uint64_t seed) {
    size_t cut[RANKS_MOST + 1] = {0};
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 1);
    for (size_t r = 1; r < ranks; ++r)
        cut[r] = cut[r - 1] + (r == 2 ? 0 : sooth_rng_below(&rng, (uint32_t)(ROWS - cut[r - 1])));
    cut[ranks] = ROWS;
    for (size_t r = 0; r < ranks; ++r) {
        sooth_table_init(&shards[r].table, x + cut[r] * COLS, cut[r + 1] - cut[r], COLS);
        if (weights) shards[r].table.weight = weight + cut[r];
        shards[r].bins = bins;
    }
    sooth_table_init(&whole.table, x, ROWS, COLS);
    if (weights) whole.table.weight = weight;
    whole.bins = bins;
}

static void compare(size_t ranks) {
    size_t row = 0;
    for (size_t r = 0; r < ranks; ++r) {
        shard *s = &shards[r];
        CHECK(s->status == SOOTH_OK);
        CHECK(!memcmp(s->used, whole.used, sizeof whole.used));
        CHECK(!memcmp(s->edge, whole.edge, sizeof whole.edge));
        CHECK(!memcmp(s->least, whole.least, sizeof whole.least));
        for (size_t j = 0; j < COLS; ++j)
            CHECK(!memcmp(s->bin + j * s->table.rows, whole.bin + j * ROWS + row, s->table.rows));
        CHECK(!memcmp(s->by_row, whole.by_row + row * COLS, s->table.rows * COLS));
        row += s->table.rows;
        free(s->bin);
        free(s->by_row);
    }
}

static void every_process_has_the_bins_of_one(void) {
    const uint32_t bins[] = {256, 255, 16, 2};
    for (uint64_t seed = 0; seed < 4; ++seed) {
        const size_t ranks = seed == 3 ? RANKS_MOST : 2 + (size_t)seed;
        sooth_env env;
        sooth_env_init(&env);
        make_columns(seed);
        share_out(ranks, seed & 1, bins[seed], seed);
        point(&whole);
        CHECK(soothi_columns_make(&env, 1, &whole.columns, &whole.table) == SOOTH_OK);
        ranks_run(ranks, prepare, shards, sizeof *shards, 0);
        compare(ranks);
        free(whole.bin);
        free(whole.by_row);
    }
}

/* The same with a process that has no memory: all say so. */
static void *no_alloc(void *user, size_t size) {
    (void)user;
    (void)size;
    return NULL;
}
typedef struct poor {
    shard shard;
    char sentence[SOOTH_ENV_SENTENCE];
} poor;
static void prepare_poorly(sooth_env *env, void *arg) {
    poor *p = arg;
    point(&p->shard);
    if (env->rank == 1) env->alloc_fn = no_alloc;
    p->shard.status = soothi_shards_prepare(env, 1, &p->shard.columns, &p->shard.table);
    memcpy(p->sentence, env->sentence, sizeof p->sentence);
    free(p->shard.bin);
    free(p->shard.by_row);
}

static void one_without_memory_ends_all(void) {
    static poor poors[2];
    make_columns(1);
    for (int r = 0; r < 2; ++r) {
        sooth_table_init(&poors[r].shard.table, x, 50, COLS);
        poors[r].shard.bins = 8;
    }
    ranks_run(2, prepare_poorly, poors, sizeof *poors, 0);
    for (int r = 0; r < 2; ++r) {
        CHECK(poors[r].shard.status == SOOTH_NO_MEMORY);
        CHECK(strstr(poors[r].sentence, "rank 1 of 2: no memory for sorting columns") == poors[r].sentence);
    }
}

int main(void) {
    CHECK_RUN(every_process_has_the_bins_of_one);
    CHECK_RUN(one_without_memory_ends_all);
    return check_end("shards");
}
