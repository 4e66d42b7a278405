/* ranks.h - what boosting takes in one of many processes (task ranks).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: ranks (2), n (rows of all of them), trees (100), depth (6), bins (256), latency (1: microseconds of
 * a message), gigabits (100: a second)
 *
 * One process fits n / ranks rows as if each of the others held the very same ones: what is to be added up
 * comes back times `ranks`, the greatest as it is. So it does all that one of so many does, and asks as often
 * for as much (the base is given: sums of doubles are not for this). That is timed; messages are counted, and
 * take 2 log2(ranks) latencies a reduction and their bytes twice (Rabenseifner 2004). Nothing is sent.
 *
 * Floor, for trees of 64 leaves on n rows of 10 columns among R processes: the rows' part of boost.h's floor
 * divided by R; the search of 63 nodes x 10 columns x 256 bins, 0.09 ms a tree, which every process does; and
 * 0.66 MB that each has to get, 0.05 ms at 100 gigabits. So a tree is not quicker than 0.14 ms.
 */

typedef struct bench_ranks_mirror {
    double ranks;
    double reductions, bytes;
} bench_ranks_mirror;

static int bench_ranks_reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
    bench_ranks_mirror *m = (bench_ranks_mirror *)user;
    m->reductions += 1.0;
    m->bytes += 8.0 * (double)count;
    for (size_t k = 0; k < count && what == SOOTH_REDUCE_SUM; ++k) value[k] *= (int64_t)m->ranks;
    return 0;
}

static void bench_ranks(bench_result *result) {
    bench_ranks_mirror mirror = {bench_number("ranks", 2.0), 0.0, 0.0};
    sooth_boost_options o;
    sooth_table table;
    sooth_env env;
    bench_env(&env);
    bench_load(bench_text("data", ""), bench_count("d", 10), bench_count("n", 100000) / (size_t)mirror.ranks,
               &table);
    result->load_kb = bench_peak_kb();
    env.reduce_fn = bench_ranks_reduce;
    env.reduce_user = &mirror;
    env.ranks = (size_t)mirror.ranks;
    memset(&o, 0, sizeof o);
    o.n_estimators = (uint32_t)bench_count("trees", 100);
    o.max_depth = (uint32_t)bench_count("depth", 6);
    o.bins = (uint32_t)bench_count("bins", 256);
    o.lambda = o.subsample = 1.0;
    o.learning_rate = 0.1;
    o.base_score = 14.4; /* Friedman's mean */
    while (bench_more(result)) {
        sooth_boost *boost = NULL;
        mirror.reductions = mirror.bytes = 0.0;
        const double start = bench_clock();
        if (sooth_boost_fit(&env, &table, &o, &boost) != SOOTH_OK) bench_stop("task ranks", env.sentence);
        const double spent = bench_clock() - start, hops = 2.0 * log2(mirror.ranks);
        sooth_boost_free(&env, boost);
        bench_trained(result, spent + mirror.reductions * hops * 1e-6 * bench_number("latency", 1.0) +
                                  2.0 * mirror.bytes * 8e-9 / bench_number("gigabits", 100.0));
    }
    snprintf(result->note, sizeof result->note, "%.0f reductions, %.0f bytes", mirror.reductions,
             mirror.bytes);
}
