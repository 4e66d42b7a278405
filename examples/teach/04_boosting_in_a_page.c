/* 04_boosting_in_a_page.c - small trees, each fitted to the errors of all trees before it: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/04_rounds.svg
 *
 * Begin with the mean. Grow a small tree on the residuals (y minus the prediction so far), and add a tenth of
 * its prediction. Repeat a hundred times. With the squared error, the residual is the negative gradient of
 * the loss by the prediction. For every other loss, fit that gradient instead: this is the whole idea of
 * gradient boosting (Friedman, Annals of Statistics 29, 2001). A learning rate below 1 spreads the work over
 * many trees, so that no single tree matters.
 *
 * Boosting has no stop of its own. The error on the training rows falls for ever. The error on a program that
 * was left out does not.
 *
 * A sum of trees predicts no more than the largest target that it has seen: behind a queue twice as long as
 * any before, it predicts the wait of the longest one known. If a law says how the target grows, let the
 * trees learn what is left of it: the logarithm of y over the law, such as tokens + length + 500. On two
 * traces of LLM serving, boosting's error of the median falls to a third and to an eleventh
 * (sooth fit --ratio-to).
 *
 * Exercises, with answers in answers.md:
 *   1. With the learning rate 1 and trees of any depth, what is predicted after one round, and after ten?
 *   2. Minimise the absolute error instead: what does the first tree fit?
 *   3. After which round would you stop for the program left out? Can you decide this without it?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/boost.h"

enum { ROUNDS = 300, SHOWN = 31 };

/* ---- The page: predictions for the rows of `train` and of `other`, round by round. `after` is called
   after each round. ---- */

typedef void listener(void *user, unsigned round, const float *said, const float *other_said);

static void boost_by_hand(const sooth_table *train, const sooth_table *other, uint32_t depth, unsigned rounds,
                          double rate, listener *after, void *user) {
    const size_t n = train->rows, all = n + other->rows;
    float *missing = (float *)room(n, sizeof *missing), *said = (float *)room(all, sizeof *said);
    double *sum = (double *)room(all, sizeof *sum), mean = 0;
    sooth_table rest = *train;
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0; i < n; ++i) mean += (double)train->y[i] / (double)n;
    for (size_t i = 0; i < all; ++i) sum[i] = mean;
    rest.y = missing;
    for (unsigned round = 0; round <= rounds; ++round) {
        const sooth_tree_options options = {.max_depth = depth};
        sooth_tree *tree;
        for (size_t i = 0; i < all; ++i) said[i] = (float)sum[i];
        after(user, round, said, said + n);
        for (size_t i = 0; i < n; ++i) missing[i] = (float)((double)train->y[i] - sum[i]);
        need(&env, sooth_tree_fit(&env, &rest, &options, &tree));
        for (size_t i = 0; i < all; ++i) {
            const sooth_table *t = i < n ? train : other;
            sum[i] += rate * (double)sooth_tree_predict(tree, t->x + (i < n ? i : i - n) * t->stride);
        }
        sooth_tree_free(&env, tree);
    }
    free(missing);
    free(said);
    free(sum);
}

/* ---- The error, round by round. ---- */

typedef struct progress {
    const sooth_table *train, *other;
    double round[SHOWN], error[2 * SHOWN];
    float last[2200]; /* last predictions of the training rows */
} progress;

static void note_error(void *user, unsigned round, const float *said, const float *other_said) {
    progress *p = (progress *)user;
    const size_t at = round / (ROUNDS / (SHOWN - 1));
    if (round % (ROUNDS / (SHOWN - 1))) return;
    p->round[at] = round;
    p->error[at] = off_by(p->train->y, said, p->train->rows);
    p->error[SHOWN + at] = off_by(p->other->y, other_said, p->other->rows);
    memcpy(p->last, said, p->train->rows * sizeof *said);
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz", "throughput"};
    static const char *const names[] = {"programs it learns from", "ferret, left out"};
    static progress p;
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 3, "power_w", "app");
    sooth_table train = rows_of(&m, "ferret", 0), ferret = rows_of(&m, "ferret", 1);
    const sooth_boost_options options = {.method = SOOTH_BOOST_EXACT,
                                         .n_estimators = ROUNDS,
                                         .max_depth = 3,
                                         .learning_rate = 0.1,
                                         .subsample = 1};
    sooth_boost *boost;
    sooth_env env;
    sooth_env_init(&env);
    p.train = &train;
    p.other = &ferret;
    boost_by_hand(&train, &ferret, 3, ROUNDS, 0.1, note_error, &p);
    puts("rounds   learned from   left out");
    for (size_t at = 0; at < SHOWN; at = at ? 2 * at : 1)
        printf("%6.0f   %9.2f %%   %6.2f %%\n", p.round[at], p.error[at], p.error[SHOWN + at]);

    need(&env, sooth_boost_fit(&env, &train, &options, &boost));
    float *said = (float *)room(train.rows, sizeof *said);
    double apart = 0;
    sooth_boost_predict_many(boost, train.x, train.rows, train.stride, said);
    for (size_t i = 0; i < train.rows; ++i) apart = fmax(apart, fabs((double)(said[i] - p.last[i])));
    printf("boost.h predicts the same after %d rounds, within %.1g W.\n", ROUNDS, apart);
    draw_lines("04_rounds.svg", "The error of boosting, round by round", "rounds", "off by, %", p.round,
               p.error, SHOWN, names, 2);
    return 0;
}
