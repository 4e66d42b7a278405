/* 01_a_tree_by_hand.c - a regression tree in twenty lines, with the same predictions as the fast one: a
 * lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/01_tree.svg
 *
 * A program ran with 1 to 24 threads at 13 clocks. The power of the processors was measured each time
 * (blackscholes of PARSEC; De Sensi, see ../scale/data/origin.txt). How many watts will a run take? A tree
 * tests one number after the other. Each test has the form "is this number at most that?". The prediction is
 * the mean of the runs that passed the same tests.
 *
 * Exercises, with answers in answers.md:
 *   1. Predict for 48 threads, which the machine does not have. What is the prediction, and why?
 *   2. Give the clock in gigahertz instead of megahertz. What changes in the tree, and what does not?
 *   3. How deep must the tree be until it predicts every run exactly? Would you trust it then?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/tree.h"

typedef struct question {
    size_t column;
    float threshold;
    double error; /* sum of squared errors of both sides */
} question;

/* ---- 1. The error of a question. Each side predicts its mean. The remaining error is the sum of (y -
   mean)^2, which is the sum of y^2 less (sum of y)^2 / n. ---- */

static double left_over(const sooth_table *t, const uint32_t *row, size_t n, size_t column, float threshold) {
    double count[2] = {0, 0}, sum[2] = {0, 0}, square[2] = {0, 0};
    for (size_t i = 0; i < n; ++i) {
        const double y = (double)t->y[row[i]];
        const int no = t->x[row[i] * t->stride + column] > threshold;
        count[no] += 1;
        sum[no] += y;
        square[no] += y * y;
    }
    if (count[0] == 0 || count[1] == 0) return INFINITY;
    return square[0] - sum[0] * sum[0] / count[0] + square[1] - sum[1] * sum[1] / count[1];
}

/* ---- 2. The best question. Candidates are half way between two neighbouring values of a column. sooth
   sorts once and updates its sums row by row. Here every candidate reads every row, which is slow and easy
   to believe. ---- */

static question best_question(const sooth_table *t, const uint32_t *row, size_t n) {
    question best = {0, 0, INFINITY};
    for (size_t j = 0; j < t->cols; ++j)
        for (size_t i = 0; i < n; ++i) {
            const float value = t->x[row[i] * t->stride + j];
            float next = INFINITY;
            for (size_t k = 0; k < n; ++k) {
                const float other = t->x[row[k] * t->stride + j];
                if (other > value && other < next) next = other;
            }
            const double error = left_over(t, row, n, j, (value + next) / 2);
            if (error < best.error) best = (question){j, (value + next) / 2, error};
        }
    return best;
}

/* ---- 3. The tree, grown along the path of one row. Find the best question among the remaining runs. Keep
   the runs on the same side as the row, and repeat. row[0..n) is reordered. ---- */

static float ask_by_hand(const sooth_table *t, uint32_t *row, size_t n, unsigned depth, const float *x) {
    const question q = best_question(t, row, n);
    size_t same = 0;
    if (depth == 0 || isinf(q.error)) {
        double sum = 0;
        for (size_t i = 0; i < n; ++i) sum += (double)t->y[row[i]];
        return (float)(sum / (double)n);
    }
    for (size_t i = 0; i < n; ++i)
        if ((t->x[row[i] * t->stride + q.column] > q.threshold) == (x[q.column] > q.threshold)) {
            const uint32_t swap = row[same];
            row[same++] = row[i];
            row[i] = swap;
        }
    return ask_by_hand(t, row, same, depth - 1, x);
}

static sooth_tree *fast_tree(const sooth_table *t, uint32_t depth) {
    sooth_tree_options options = {.max_depth = depth};
    sooth_tree *tree;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_tree_fit(&env, t, &options, &tree));
    return tree;
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"}, *const names[] = {"measured", "2", "4", "8"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table t = rows_of(&m, "blackscholes", 1);
    uint32_t *row = (uint32_t *)room(t.rows, sizeof *row), r = 0;
    for (; r < t.rows; ++r) row[r] = r;
    question q = best_question(&t, row, t.rows);
    printf("%u runs. The best first question: is %s at most %g?\n", r, column[q.column], (double)q.threshold);

    double x[24], y[4 * 24], worst = 0;
    for (unsigned k = 1; k < 4; ++k) {
        sooth_tree *tree = fast_tree(&t, 1u << k);
        float *said = (float *)room(t.rows, sizeof *said);
        sooth_tree_predict_many(tree, t.x, t.rows, t.stride, said);
        printf("depth %u: %2u leaves, off by %.2f %%\n", 1u << k, (tree->nodes + 1) / 2,
               off_by(t.y, said, t.rows));
        for (size_t i = 0, at = 0; i < t.rows; ++i)
            if (t.x[i * t.stride + 1] == 1800) { /* MHz: a curve over the threads */
                const float hand = ask_by_hand(&t, row, t.rows, 1u << k, t.x + i * t.stride);
                worst = fmax(worst, fabs((double)(hand - said[i])));
                x[at] = (double)t.x[i * t.stride];
                y[at] = (double)t.y[i];
                y[k * 24 + at++] = (double)said[i];
            }
    }
    printf("By hand and by tree.h: the difference is at most %.1g W.\n", worst);
    draw_lines("01_tree.svg", "Predictions of trees of depth 2, 4 and 8 at 1.8 GHz", "threads", "power, W", x,
               y, 24, names, 4);
    return 0;
}
