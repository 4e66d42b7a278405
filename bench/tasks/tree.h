/* tree.h - times regression trees: task=dt depth=0 bins=0 criterion=squared leaves=0.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: depth (0: no limit), bins (0: exact), criterion (its name), leaves (0: no limit), mf (share of the
 * columns per split), statistics (0)
 *
 * Floor, for 10,000 rows of 10 columns (mean depth 16): 1.6 million values of inner nodes are looked at, and
 * as many moved. To look takes a load of 8 bytes, one of 4 from elsewhere, an addition to the sum before it
 * (4 cycles from one to the next) and a division (5 cycles each, overlapping); to move, 8 bytes in, 8 out and
 * one looked up: 5 + 2 cycles, 2.8 ms at 4 GHz. Nodes of 33 rows and more stay close to it (3.2 ms for all of
 * them); the other half of the time goes to 9,400 nodes of 2 to 32 rows, where starting on a column costs
 * more than going through it. Sorting is 0.3 ms. With 10^6 rows memory counts: 160 MB of lists are written
 * and read 20 times over, and 330 MB of fresh memory cost 0.2 s before anything is done.
 * Prediction of one row: where a number stands (1 cycle), the number (4), turned and compared (2), the choice
 * between the two children, whose links are there (1): 8, and for 15.6 levels 125 cycles. The 160 KB are in
 * the second cache: below the twelfth level each waits 8 more, 30. The last branch, if it is foreseen for
 * half of the rows: 10. Together 165 cycles, 46 ns at 3.6 GHz, 39 at 4.2; less where the processor begins the
 * next row. Eight rows at once need about 12 instructions per level and row, 50 cycles for 21 levels (the
 * deepest of eight): 12 ns.
 */
#include "sooth/tree.h"

BENCH_MODEL(tree)

static void bench_dt(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_tree_options options;
    sooth_tree *tree = NULL;
    bench_tables(result, &env, &train, &test);
    memset(&options, 0, sizeof options);
    options.max_depth = (uint32_t)bench_count("depth", 0);
    options.bins = (uint32_t)bench_count("bins", 0);
    options.max_leaves = (uint32_t)bench_count("leaves", 0);
    options.no_statistics = !bench_count("statistics", 0);
    if (bench_number("mf", 1.0) < 1.0) options.max_features = bench_number("mf", 1.0);
    if (sooth_option_set(&env, sooth_tree_options_list(), &options, "criterion",
                         bench_text("criterion", "squared")) != SOOTH_OK)
        bench_stop("task dt", env.sentence);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_tree_free(&env, tree);
        if (sooth_tree_fit(&env, &train, &options, &tree) != SOOTH_OK) bench_stop("task dt", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, tree, bench_tree_one, bench_tree_many, &test);
    result->bytes = (double)tree->head.size;
    snprintf(result->note, sizeof result->note, "%u nodes, depth %u", (unsigned)tree->nodes,
             (unsigned)tree->depth);
    sooth_tree_free(&env, tree);
}
