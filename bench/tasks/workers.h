/* workers.h - what more workers bring, measured and simulated (task threads).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: what (gb|nn|svr|gauss|rf|et|shap|many: boosting, networks, support vectors, processes, forests,
 * extra-trees, SHAP values of boosting, its answers), wake (1: microseconds that a loop takes to begin), reps
 * (5), workers (none: measured with two, simulated with 2 to 16): simulated with so many, and that time told;
 * and the words of what is fitted: trees (100), depth (6), bins (256), subsample (1), explain (1000: rows),
 * those of mlp.h, svr.h, gauss.h and forest.h
 *
 * measured: calls with one worker and with two by turns, the median of the ratios of their wall times; of
 * little worth on a machine that others use. simulated: the loops of a call that is cut for w workers, run by
 * one, with the least CPU time of several calls for each task and for what lies between the loops, shared out
 * again among w by the rule of the pool (tests/harness/replay.h); against the CPU time of a call with one
 * worker or all that is in the recording of two, whichever is less. In it is all that w workers do more than
 * one; not in it is what they do to each other's memory. Where w workers' time goes, in percent of it: what
 * is serial, the loops that begin, and what the longest worker of a loop has more than their mean.
 *
 * Floor, boosting: what lies between the loops is serial, 24 us of the 280 that 16 workers take for a tree
 * on 100,000 rows of 10 columns; and 13 loops a tree begin. So 16 workers are at most 13.3 times as fast.
 */
#include "sooth/boost.h"
#include "sooth/explain.h"
#include "sooth/forest.h"
#include "sooth/model.h"
#include "../../tests/harness/replay.h"

static double bench_microseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double bench_wall(void) { return bench_microseconds(CLOCK_MONOTONIC); }
static double bench_cpu(void) { return bench_microseconds(CLOCK_PROCESS_CPUTIME_ID); }

static sooth_boost_options bench_workers_options(void) {
    sooth_boost_options o;
    memset(&o, 0, sizeof o);
    o.n_estimators = (uint32_t)bench_count("trees", 100);
    o.max_depth = (uint32_t)bench_count("depth", 6);
    o.bins = (uint32_t)bench_count("bins", 256);
    o.lambda = 1.0; /* as the peers */
    o.subsample = bench_number("subsample", 1.0);
    o.learning_rate = 0.1;
    return o;
}

/* ---- what is shared: a call on a table, and the trees that were learned from it before ---- */

static sooth_status bench_share_gb(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    const sooth_boost_options o = bench_workers_options();
    sooth_boost *boost = NULL;
    (void)trees;
    const sooth_status status = sooth_boost_fit(env, table, &o, &boost);
    sooth_boost_free(env, boost);
    return status;
}

static sooth_status bench_share_nn(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    sooth_mlp_options o;
    sooth_mlp *model = NULL;
    (void)trees;
    bench_mlp_options(env, &o);
    const sooth_status status = sooth_mlp_fit(env, table, &o, &model);
    sooth_mlp_free(env, model);
    return status;
}

static sooth_status bench_share_svr(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    const sooth_svr_options o = bench_svr_options();
    sooth_svr *model = NULL;
    (void)trees;
    const sooth_status status = sooth_svr_fit(env, table, &o, &model);
    sooth_svr_free(env, model);
    return status;
}

static sooth_status bench_share_gauss(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    const sooth_gauss_options o = bench_gauss_options(table);
    sooth_gauss *model = NULL;
    (void)trees;
    const sooth_status status = sooth_gauss_fit(env, table, &o, &model);
    sooth_gauss_free(env, model);
    return status;
}

static sooth_status bench_share_forest(sooth_env *env, const sooth_table *table, uint32_t splitter) {
    const sooth_forest_options o = bench_forest_options(splitter);
    sooth_forest *forest = NULL;
    const sooth_status status = sooth_forest_fit(env, table, &o, &forest);
    sooth_forest_free(env, forest);
    return status;
}
static sooth_status bench_share_rf(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    (void)trees;
    return bench_share_forest(env, table, 0);
}
static sooth_status bench_share_et(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    (void)trees;
    return bench_share_forest(env, table, 1);
}

static sooth_status bench_share_shap(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    const sooth_explain_trees explained = sooth_explain_ensemble(trees);
    const size_t most = bench_count("explain", 1000), rows = table->rows < most ? table->rows : most;
    const sooth_table some = sooth_table_of(table->x, table->y, rows, table->cols);
    double expected, *phi = (double *)malloc(rows * table->cols * sizeof *phi);
    if (!phi) bench_stop("task threads", "no memory");
    const sooth_status status = sooth_explain_shap(env, &explained, &some, phi, &expected);
    free(phi);
    return status;
}

static sooth_status bench_share_many(sooth_env *env, const sooth_table *table, const sooth_boost *trees) {
    float *out = (float *)malloc(table->rows * sizeof *out);
    if (!out) bench_stop("task threads", "no memory");
    const sooth_status status = sooth_model_predict_table(env, sooth_model_from_block(&trees->head), table->x,
                                                          table->rows, table->stride, out);
    free(out);
    return status;
}

typedef sooth_status bench_share(sooth_env *env, const sooth_table *table, const sooth_boost *trees);

static const struct {
    const char *name;
    bench_share *call;
} bench_shares[] = {
    {"gb", bench_share_gb}, {"nn", bench_share_nn}, {"svr", bench_share_svr},   {"gauss", bench_share_gauss},
    {"rf", bench_share_rf}, {"et", bench_share_et}, {"shap", bench_share_shap}, {"many", bench_share_many},
};

/* ---- measured, and simulated ---- */

typedef struct bench_sharing {
    bench_share *call;
    sooth_table table;
    sooth_boost *trees;
    double alone; /* microseconds of one worker, the least that was seen */
} bench_sharing;

/* Microseconds of one call by the wall. */
static double bench_share_once(bench_sharing *s, sooth_env *env) {
    const double start = bench_wall(), began = bench_cpu();
    if (s->call(env, &s->table, s->trees) != SOOTH_OK) bench_stop("task threads", env->sentence);
    const double spent = bench_wall() - start, took = bench_cpu() - began;
    if (!env->parallel_fn && took < s->alone) s->alone = took;
    return spent;
}

/* Microseconds of a call that is cut for so many workers; the note: how many times as fast they are, and
   where the time goes. */
static double bench_simulate(bench_sharing *s, size_t workers, char *note, size_t room) {
    const double wake = bench_number("wake", 1.0);
    replay r;
    sooth_env env;
    memset(&r, 0, sizeof r);
    r.clock = bench_cpu;
    sooth_env_init(&env);
    env.parallel_fn = replay_parallel;
    env.parallel_user = &r;
    env.workers = workers;
    for (size_t i = 0; i < bench_count("reps", 5); ++i) {
        replay_begin(&r);
        bench_share_once(s, &env);
        replay_end(&r);
    }
    if (r.differs) bench_stop("task threads", "a call asked for other loops than the one before");
    const double time = replay_time(&r, workers, wake), all = replay_time(&r, 1, 0.0);
    double serial = r.after, shared = 0.0;
    for (size_t k = 0; k < r.loops; ++k) serial += r.loop[k].before;
    for (size_t k = 0; k < r.loops; ++k) shared += replay_loop_time(&r, r.loop + k, workers);
    if (all < s->alone) s->alone = all;
    const double begins = wake * (double)r.loops, waits = shared - (all - serial) / (double)workers;
    snprintf(note, room, " %u: %.2f (serial %.1f, begin %.1f, wait %.1f %%)", (unsigned)workers,
             s->alone / time, 100.0 * serial / time, 100.0 * begins / time, 100.0 * waits / time);
    replay_free(&r);
    return time;
}

static void bench_workers(bench_result *result) {
    static const size_t workers[] = {2, 4, 8, 16};
    static sooth_threads pool;
    const char *what = bench_text("what", "gb");
    const sooth_boost_options o = bench_workers_options();
    bench_sharing s = {NULL, {0}, NULL, INFINITY};
    sooth_env one, two;
    double ratio[BENCH_MOST_REPEATS];
    size_t reps = bench_count("reps", 5), at = 0;
    if (reps > BENCH_MOST_REPEATS) reps = BENCH_MOST_REPEATS;
    for (size_t k = 0; k < sizeof bench_shares / sizeof *bench_shares; ++k)
        if (strcmp(what, bench_shares[k].name) == 0) s.call = bench_shares[k].call;
    if (!s.call) bench_stop("task threads does not know", what);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 0), &s.table);
    sooth_env_init(&one);
    sooth_env_init(&two);
    if ((s.call == bench_share_shap || s.call == bench_share_many) &&
        sooth_boost_fit(&one, &s.table, &o, &s.trees) != SOOTH_OK)
        bench_stop("task threads", one.sentence);
    if (bench_count("workers", 0)) { /* one worker: the recording of two, replayed by one */
        const size_t w = bench_count("workers", 1);
        const double time = bench_simulate(&s, w > 1 ? w : 2, result->note, sizeof result->note);
        bench_trained(result, 1e-6 * (w > 1 ? time : s.alone));
        sooth_boost_free(&one, s.trees);
        return;
    }
    if (sooth_threads_start(&two, &pool, 2) != SOOTH_OK) bench_stop("cannot start threads", two.sentence);
    for (size_t i = 0; i < reps; ++i) {
        const double a = bench_share_once(&s, &one), b = bench_share_once(&s, &two);
        ratio[i] = a / b;
        bench_trained(result, 1e-6 * b);
    }
    sooth_threads_stop(&pool);
    at += (size_t)snprintf(result->note, sizeof result->note,
                           "2 workers measured %.2f times as fast; simulated", bench_median(ratio, reps));
    for (size_t k = 0; k < sizeof workers / sizeof workers[0]; ++k) { /* `alone` is settled by the first */
        bench_simulate(&s, workers[k], result->note + at, sizeof result->note - at);
        at += strlen(result->note + at);
    }
    sooth_boost_free(&one, s.trees);
}
