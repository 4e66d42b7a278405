/* best.h - times the choice of a model: task=best data=FILE test=FILE n=3000 effort=medium.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: effort (medium|low|high), error (auto|rmse|mae|mre), members (8).
 *
 * There is no floor: a fit takes the time of folds x candidates fits, and of the members. A prediction takes
 * that of the members.
 */
#include "sooth/train.h"

BENCH_MODEL(best)

static void bench_best(bench_result *result) {
    static const char *const names[] = {"effort", "error", "members"};
    static const char *const values[] = {"medium", "auto", "8"};
    sooth_best_options options;
    sooth_env env;
    sooth_table train, test;
    sooth_best *model = NULL;
    memset(&options, 0, sizeof options);
    bench_tables(result, &env, &train, &test);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (sooth_option_set(&env, sooth_best_options_list(), &options, names[i],
                             bench_text(names[i], values[i])) != SOOTH_OK)
            bench_stop("task best", env.sentence);
    while (bench_more(result)) {
        const double start = bench_clock();
        sooth_best_free(&env, model);
        if (sooth_best_fit(&env, &train, &options, &model) != SOOTH_OK) bench_stop("task best", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    bench_answer(result, model, bench_best_one, bench_best_many, &test);
    result->bytes = (double)model->head.size;
    snprintf(result->note, sizeof result->note, "%u of %u models, expected error %.4g, of the best rule %.4g",
             (unsigned)model->members, (unsigned)model->candidates, (double)model->expected,
             (double)model->expected_rule);
    sooth_best_free(&env, model);
}
