/* test_replay.c - how boosting would do on more workers than this machine has.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The loops of a fit are written down with what each task has to do, in additions: rows parted, rows counted
 * times columns, cells cleared, added up, taken off and searched, rows that learn their leaf and their
 * derivatives. replay.h shares them out among w workers as threads.h would. No clock is looked at, so the
 * figures are the same everywhere. What it leaves out: the serial work between the loops, and memory; the
 * task `threads` of bench/bench.c replays measured times.
 */
#define SOOTH_API extern /* all of it here, not in an object: tasks are told apart by their addresses */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/threads.h"

#include "check.h"
#include "replay.h"

enum { ROWS = 100000, COLS = 10, BINS = 256, DEPTH = 6, TREES = 2 };
static unsigned char bin[COLS * ROWS];
static float edge[COLS * BINS], y[ROWS];
static uint32_t used[COLS];
static sooth_bins bins;
static sooth_table table;

static void make_numbers(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (size_t j = 0; j < COLS; ++j) {
        used[j] = BINS;
        for (size_t b = 0; b < BINS; ++b) edge[j * BINS + b] = (float)b + 0.5f;
        edge[j * BINS + BINS - 1] = INFINITY;
    }
    for (size_t i = 0; i < ROWS; ++i) {
        const uint64_t bits = sooth_rng_next(&rng);
        for (size_t j = 0; j < COLS; ++j) bin[j * ROWS + i] = (unsigned char)(bits * (2 * j + 1) >> 5 * j);
        y[i] = (float)bin[i] * (float)bin[ROWS + i] / 65536.0f + (bin[2 * ROWS + i] > 90 ? 1.0f : 0.0f) +
               (float)bin[3 * ROWS + i] / 512.0f;
    }
    bins.bins = BINS;
    bins.bin = bin;
    bins.edge = edge;
    bins.least = edge;
    bins.used = used;
    table.bins = &bins;
    table.y = y;
    table.rows = ROWS;
    table.cols = table.stride = COLS;
    table.targets = 1;
}

/* ---- what a task has to do ---- */

static double cost_of_part(const soothi_grower *g, const soothi_grower_part *p) {
    double cost = 2.5 * (p->to - p->from);
    for (size_t c = 0; c < 2; ++c) {
        size_t n;
        if (!p->slot[c]) continue;
        soothi_grow_child_rows(g, p, c, &n);
        cost += (double)n * COLS + 0.25 * COLS * (double)g->columns->cells;
    }
    return cost;
}

/* A block of the columns of one family: its pieces are added up, and every split is judged. */
static double cost_of_search(const soothi_grower *g, size_t i) {
    const soothi_grower_batch *b = &g->batch;
    if (i < b->places) return (double)(b->part[i].to - b->part[i].from);
    i -= b->places;
    const size_t first = i / b->families * b->block;
    const soothi_grower_family *f = &b->family[i % b->families];
    const double columns = (double)(soothi_columns_block_end(i / b->families, b->block, COLS) - first);
    double each = f->differs;
    for (size_t c = 0; c < 2; ++c) {
        const soothi_grower_record *child = &g->record[f->child[c]];
        if (f->counted[c]) each += f->search[c].pieces;
        if (f->wanted[c] && child->histogram) each += 12.0;
        else if (f->wanted[c]) each += 20.0 * child->rows / (double)g->columns->cells;
    }
    return columns * each * (double)g->columns->cells;
}

static double cost_of(sooth_task *task, const void *arg, size_t i) {
    const soothi_grower *g = (const soothi_grower *)arg;
    const soothi_boost_fitting *fit = (const soothi_boost_fitting *)arg;
    double cost = 0.0;
    if (task == soothi_grow_part_task) {
        cost = cost_of_part(g, &g->batch.part[g->batch.part[i].order]);
    } else if (task == soothi_grow_family_task) {
        cost = cost_of_search(g, i);
    } else if (task == soothi_boost_add_task || task == soothi_boost_derive_task) {
        cost = 12.0 * (double)(soothi_columns_block_end(i, fit->chunk, fit->rows) - i * fit->chunk);
    } else if (task == soothi_boost_open_task) {
        cost = (double)(soothi_columns_block_end(i, fit->chunk, fit->rows) - i * fit->chunk);
    } else if (task == soothi_columns_turn_task) {
        cost = 2.0 * COLS *
               (double)(soothi_columns_block_end(i, SOOTHI_COLUMNS_TURN, ROWS) - i * SOOTHI_COLUMNS_TURN);
    } else if (task == soothi_boost_word_task) { /* a random number takes about 4 ns */
        const soothi_boost_drawing *d = (const soothi_boost_drawing *)arg;
        cost = 16.0 * (double)(soothi_columns_block_end(i, d->chunk, d->count) - i * d->chunk);
    } else {
        CHECK(!"a loop that was not expected");
    }
    return cost;
}

/* ---- on w workers ---- */

static sooth_boost *record(size_t workers, replay *r) {
    sooth_boost_options o = {0};
    sooth_boost *boost = NULL;
    sooth_env env;
    memset(r, 0, sizeof *r);
    r->cost = cost_of;
    sooth_env_init(&env);
    env.parallel_fn = replay_parallel;
    env.parallel_user = r;
    env.workers = workers;
    o.n_estimators = TREES;
    o.max_depth = DEPTH;
    o.lambda = 1.0;
    o.subsample = 1.0 - 1.0 / ROWS;
    o.loss = SOOTH_BOOST_HUBER; /* squared, but rows stand in lists (see passes.h) */
    o.huber_delta = 1e30;
    o.has_base_score = 1;
    replay_begin(r);
    CHECK_STATUS(sooth_boost_fit(&env, &table, &o, &boost), SOOTH_OK);
    replay_end(r);
    CHECK(!r->differs);
    return boost;
}

/* To begin a loop takes about a microsecond, as long as 4,000 additions. */
static const double wake = 4000.0;

static void sixteen_workers_are_thirteen_times_as_fast(void) {
    static const size_t workers[] = {2, 4, 8, 16};
    static const double least[] = {1.95, 3.8, 7.3, 13.5};
    for (size_t k = 0; k < 4; ++k) {
        replay r;
        sooth_boost *boost = record(workers[k], &r);
        const double speedup = replay_time(&r, 1, 0.0) / replay_time(&r, workers[k], wake);
        if (!(speedup >= least[k])) printf("  %zu workers: %.2f times as fast\n", workers[k], speedup);
        CHECK(speedup >= least[k]);
        sooth_boost_free(NULL, boost);
        replay_free(&r);
    }
}

/* And nothing is lost to the pieces: the work grows little with the workers. */
static void a_level_is_two_loops(void) {
    replay two, many;
    sooth_boost *a = record(2, &two), *b = record(16, &many);
    CHECK(a && b && a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0);
    /* per tree the numbers that draw its rows, the root counted and searched, the levels below, the leaves;
       once the columns turned, the rows opened and the first derivatives; the last level is not parted */
    CHECK(many.loops == TREES * (1 + 2 + 2 * (DEPTH - 1) + 1) + 3 && two.loops == many.loops);
    const double more = replay_time(&many, 1, 0.0) / replay_time(&two, 1, 0.0);
    if (!(more < 1.1)) printf("  16 workers do %.3f times the work of two\n", more);
    CHECK(more < 1.1);
    sooth_boost_free(NULL, a);
    sooth_boost_free(NULL, b);
    replay_free(&two);
    replay_free(&many);
}

/* ---- the replay itself ---- */

static void no_work(void *arg, size_t i, size_t worker) { (void)arg, (void)i, (void)worker; }

static double by_number(sooth_task *task, const void *arg, size_t i) {
    (void)task;
    return ((const double *)arg)[i];
}

static void a_replay_shares_out_as_the_pool_does(void) {
    /* two workers: the first has 0, 2, 4, the other one 1 and 3, which ends at 7 and helps with 2 */
    static double cost[] = {8.0, 1.0, 1.0, 6.0, 2.0};
    replay r;
    memset(&r, 0, sizeof r);
    r.cost = by_number;
    replay_begin(&r);
    replay_parallel(&r, 5, no_work, cost);
    replay_parallel(&r, 3, no_work, cost);
    replay_end(&r);
    CHECK_NEAR(replay_loop_time(&r, &r.loop[0], 1), 18.0, 0.0);
    CHECK_NEAR(replay_loop_time(&r, &r.loop[0], 2), 10.0, 0.0); /* 8 and 2; 1, 6 and 1 */
    CHECK_NEAR(replay_loop_time(&r, &r.loop[0], 5), 8.0, 0.0);
    CHECK_NEAR(replay_time(&r, 2, 0.5), 10.0 + 8.0 + 2 * 0.5, 0.0);
    replay_begin(&r);
    replay_parallel(&r, 4, no_work, cost);
    replay_end(&r);
    CHECK(r.differs);
    replay_free(&r);
}

int main(void) {
    make_numbers();
    CHECK_RUN(a_replay_shares_out_as_the_pool_does);
    CHECK_RUN(sixteen_workers_are_thirteen_times_as_fast);
    CHECK_RUN(a_level_is_two_loops);
    return check_end("replay");
}
