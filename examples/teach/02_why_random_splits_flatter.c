/* 02_why_random_splits_flatter.c - one model is nearly perfect or useless, depending on the test: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/02_shuffled.svg and 02_left_out.svg
 *
 * Seven programs of PARSEC ran in 312 configurations each. A model predicts the power of a run from its
 * threads, its clock and its throughput. To judge it, we hold some rows back. Which ones? With rows drawn at
 * random, both sides have runs of every program. A model that remembers the programs passes. But nobody needs
 * the power of a run that was measured already: we need it for the next program. So leave a program out.
 *
 * Exercises, with answers in answers.md:
 *   1. Give the model one more column: the number of the program. Then number the programs differently. Which
 *      of the two scores rises every time?
 *   2. Predict with the nearest neighbour alone (remember_nearest). Which score would sell it?
 *   3. For how many of the seven programs is the mean of the others better than the tree?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/tree.h"

/* ---- 1. Three ways to predict the test rows from the training rows. ---- */

static void say_the_mean(const sooth_table *train, const sooth_table *test, float *out) {
    double sum = 0;
    for (size_t i = 0; i < train->rows; ++i) sum += (double)train->y[i];
    for (size_t i = 0; i < test->rows; ++i) out[i] = (float)(sum / (double)train->rows);
}

/* Fits nothing: predicts the target of the most similar run, with columns in standard deviations. */
static void remember_nearest(const sooth_table *train, const sooth_table *test, float *out) {
    double mean, square, scale[8];
    for (size_t j = 0; j < train->cols; ++j, scale[j - 1] = sqrt(square - mean * mean)) {
        mean = square = 0;
        for (size_t i = 0; i < train->rows; ++i) {
            const double v = (double)train->x[i * train->stride + j] / (double)train->rows;
            mean += v;
            square += v * (double)train->x[i * train->stride + j];
        }
    }
    for (size_t i = 0; i < test->rows; ++i) {
        double nearest = INFINITY;
        for (size_t k = 0; k < train->rows; ++k) {
            double distance = 0;
            for (size_t j = 0; j < train->cols; ++j) {
                const float apart = train->x[k * train->stride + j] - test->x[i * test->stride + j];
                distance += (double)apart / scale[j] * (double)apart / scale[j];
            }
            if (distance >= nearest) continue;
            nearest = distance;
            out[i] = train->y[k];
        }
    }
}

static void grow_a_tree(const sooth_table *train, const sooth_table *test, float *out) {
    const sooth_tree_options options = {.min_samples_leaf = 3};
    sooth_tree *tree;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_tree_fit(&env, train, &options, &tree));
    sooth_tree_predict_many(tree, test->x, test->rows, test->stride, out);
    sooth_tree_free(&env, tree);
}

/* ---- 2. Every row is predicted once, by a model that was not fitted to it. If programs are left out, the
   model was fitted to no run of its program. See predict_held_out of lesson.h. ---- */

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz", "throughput"};
    static const char *const how[] = {"rows drawn at random", "programs left out"};
    static const char *const who[] = {"the mean", "the nearest neighbour", "a tree"};
    static const char *const picture[] = {"02_shuffled.svg", "02_left_out.svg"};
    static predictor *const predict[] = {say_the_mean, remember_nearest, grow_a_tree};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 3, "power_w", "app");
    const size_t n = m.table.rows;
    float *said = (float *)room(n, sizeof *said);
    double *xy = (double *)room(2 * n, sizeof *xy);
    for (uint32_t k = 0; k < 2; ++k) {
        printf("%s:\n", how[k]);
        for (size_t p = 0; p < 3; ++p) {
            predict_held_out(&m.table, k ? SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT : SOOTH_SPLIT_KFOLD, predict[p],
                             said);
            printf("  %-22s R2 %6.3f, off by %4.1f %%\n", who[p], r2(m.table.y, said, n),
                   off_by(m.table.y, said, n));
        }
        for (size_t i = 0; i < n; ++i) {
            xy[i] = (double)m.table.y[i];
            xy[n + i] = (double)said[i];
        }
        draw_points(picture[k], how[k], "W", xy, xy + n, n, m.table.group, m.name, m.programs);
    }
    return 0;
}
