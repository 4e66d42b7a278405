/* 03_forests_and_out_of_bag.c - many trees that err differently, and their error on rows not drawn: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/03_trees.svg
 *
 * A full tree repeats its training rows, noise too. So give each tree a sample instead: n of the n rows,
 * drawn with replacement. The trees then err in different directions, and their mean errs less. This is
 * bagging (Breiman 1996). Random forests also draw the columns of each test (Breiman 2001). There is a gift:
 * a tree does not draw a given row with probability (1 - 1/n)^n, about 1/e = 37 %. So a third of the trees
 * can predict that row honestly. Their mean is its out-of-bag prediction, a test without a test set.
 *
 * Exercises, with answers in answers.md:
 *   1. How many rows does a tree not draw? Count them, for 100 trees.
 *   2. Draw the columns too (max_features 1). Are single trees better or worse, and the forest?
 *   3. The out-of-bag score is honest about new runs of the same programs. Compare it with lesson 02: which
 *      error does it not measure?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/forest.h"
#include "sooth/validation.h"

enum { TREES = 64 };

/* ---- 1. A bootstrap sample: n draws out of n rows. drawn[i] counts the draws of row i. ---- */

static void lottery(sooth_rng *rng, uint32_t *row, uint32_t *drawn, size_t n) {
    memset(drawn, 0, n * sizeof *drawn);
    for (size_t i = 0; i < n; ++i) ++drawn[row[i] = sooth_rng_below(rng, (uint32_t)n)];
}

/* ---- 2. A forest by hand. It sums predictions of all trees for rows of `test`, and of the out-of-bag
   trees for rows of `train`. error[k] and bag[k] are the errors after 2^k trees, in percent. ---- */

static void grow_by_hand(const sooth_table *train, const sooth_table *test, double *error, double *bag) {
    const size_t n = train->rows;
    uint32_t *row = (uint32_t *)room(n, sizeof *row), *drawn = (uint32_t *)room(n, sizeof *drawn);
    double *sum = (double *)room(test->rows, sizeof *sum), *out = (double *)room(2 * n, sizeof *out);
    sooth_env env;
    sooth_rng rng;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 1, 0);
    for (unsigned k = 1, next = 0; k <= TREES; ++k) {
        sooth_table bagged;
        sooth_tree *tree;
        lottery(&rng, row, drawn, n);
        need(&env, sooth_table_take(&env, train, row, n, &bagged));
        need(&env, sooth_tree_fit(&env, &bagged, NULL, &tree));
        for (size_t i = 0; i < test->rows; ++i)
            sum[i] += (double)sooth_tree_predict(tree, test->x + i * test->stride);
        for (size_t i = 0; i < n; ++i)
            if (!drawn[i]) {
                out[i] += (double)sooth_tree_predict(tree, train->x + i * train->stride);
                out[n + i] += 1;
            }
        sooth_tree_free(&env, tree);
        sooth_table_free(&env, &bagged);
        if (k != 1u << next) continue;
        error[next] = bag[next] = 0;
        for (size_t i = 0; i < test->rows; ++i)
            error[next] += 100 * fabs(sum[i] / k / (double)test->y[i] - 1) / (double)test->rows;
        double asked = 0;
        for (size_t i = 0; i < n; ++i) asked += out[n + i] > 0;
        for (size_t i = 0; i < n; ++i)
            if (out[n + i] > 0)
                bag[next] += 100 * fabs(out[i] / out[n + i] / (double)train->y[i] - 1) / asked;
        ++next;
    }
    free(row);
    free(drawn);
    free(sum);
    free(out);
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz", "throughput"};
    static const char *const names[] = {"rows held out", "out of bag"};
    const sooth_split_options half = {.method = SOOTH_SPLIT_HOLDOUT, .test_fraction = 0.5};
    const sooth_forest_options options = {.n_estimators = TREES};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 3, "power_w", "app");
    double trees[7], error[2 * 7];
    sooth_table train, test;
    sooth_split split;
    sooth_forest *forest;
    sooth_metrics score;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_split_make(&env, &m.table, &half, &split));
    need(&env, sooth_split_take(&env, &m.table, split.fold, &train, &test));

    grow_by_hand(&train, &test, error, error + 7);
    puts("trees   held out   out of bag");
    for (int k = 0; k < 7; ++k) {
        trees[k] = 1 << k;
        printf("%5.0f   %6.2f %%   %8.2f %%\n", trees[k], error[k], error[7 + k]);
    }
    need(&env, sooth_forest_fit(&env, &train, &options, &forest));
    float *said = (float *)room(train.rows + test.rows, sizeof *said);
    sooth_forest_predict_many(forest, test.x, test.rows, test.stride, said);
    const double held_out = off_by(test.y, said, test.rows);
    need(&env, sooth_forest_out_of_bag(&env, forest, &train, &options, said, &score));
    printf("forest.h %5.2f %%   %8.2f %%\n", held_out, 100 * score.mape);
    draw_lines("03_trees.svg", "The error of a forest as it grows", "trees", "off by, %", trees, error, 7,
               names, 2);
    return 0;
}
