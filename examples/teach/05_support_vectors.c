/* 05_support_vectors.c - a tube through the measurements, and the few of them that hold it: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/05_tube.svg
 *
 * A support vector machine lays a tube of half width epsilon through the points. Errors within the tube cost
 * nothing. Beyond it, each unit of error costs C. The function in the middle shall be as flat as possible
 * (Drucker, Burges, Kaufman, Smola, Vapnik 1997). It is f(x) = b + sum beta_i k(x_i, x). The kernel k
 * measures how similar two rows are. beta minimises
 *
 *     1/2 sum_ij beta_i beta_j k(x_i, x_j) - sum_i y_i beta_i + epsilon sum_i |beta_i|
 *
 * with |beta_i| <= C and sum beta_i = 0. Points within the tube have beta_i = 0. Leave them out, and f stays.
 *
 * Exercises, with answers in answers.md:
 *   1. How many support vectors does epsilon = 0.02 need, and 0.5? What is f if epsilon is very large?
 *   2. Move a point that lies within the tube a little. How does f change?
 *   3. Predict for 100 threads. What is f far away from all points, and why is that a danger?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/svr.h"

enum { POINTS = 24 };

static double similar(float a, float b, double gamma) {
    return exp(-gamma * (double)(a - b) * (double)(a - b));
}

/* ---- 1. By hand: take any two rows and move weight from one to the other as far as it helps. Repeat
   until nothing helps. Along t the objective is a parabola with two kinks, at which a beta becomes 0. So
   its minimum is a kink, an end, or the vertex of one of the parabola's pieces: try them all. ---- */

typedef struct pair {
    double curvature, slope, i, j, epsilon; /* i, j: their betas */
} pair;

static double rise(const pair *p, double t) { /* Returns the change of the objective if i gets t more and j
                                                 gets t less. */
    return t * (p->slope + p->curvature * t / 2) +
           p->epsilon * (fabs(p->i + t) - fabs(p->i) + fabs(p->j - t) - fabs(p->j));
}

static double best_step(const pair *p, double C) {
    const double low = fmax(-C - p->i, p->j - C), high = fmin(C - p->i, p->j + C);
    double best = 0, candidate[7] = {-p->i, p->j, low, high};
    for (int k = 0; k < 3; ++k) candidate[4 + k] = -(p->slope + 2 * (k - 1) * p->epsilon) / p->curvature;
    for (int k = 0; k < 7; ++k) {
        const double t = fmin(fmax(candidate[k], low), high);
        if (rise(p, t) < rise(p, best)) best = t;
    }
    return best;
}

static void tube_by_hand(const float *x, const float *y, size_t n, double gamma, double C, double epsilon,
                         double *beta) {
    double most = 1;
    memset(beta, 0, n * sizeof *beta);
    for (int pass = 0; pass < 20000 && most > 1e-7; ++pass) {
        most = 0;
        for (size_t i = 1; i < n; ++i)
            for (size_t j = 0; j < i; ++j) {
                pair p = {2 - 2 * similar(x[i], x[j], gamma), (double)(y[j] - y[i]), beta[i], beta[j],
                          epsilon};
                for (size_t k = 0; k < n; ++k)
                    p.slope += beta[k] * (similar(x[k], x[i], gamma) - similar(x[k], x[j], gamma));
                const double t = best_step(&p, C);
                beta[i] += t;
                beta[j] -= t;
                most = fmax(most, fabs(t));
            }
    }
}

/* Predicts b + sum beta_i k(x_i, x). b puts a support vector with 0 < |beta| < C on the tube's edge. */
static double tube_at(const float *x, const float *y, size_t n, double gamma, double C, double epsilon,
                      const double *beta, float at) {
    double sum = 0, edge = 0, count = 0;
    for (size_t k = 0; k < n; ++k) sum += beta[k] * similar(x[k], at, gamma);
    for (size_t i = 0; i < n; ++i) {
        if (fabs(beta[i]) < 1e-9 * C || fabs(beta[i]) > C * (1 - 1e-9)) continue;
        edge += (double)y[i] - (beta[i] > 0 ? epsilon : -epsilon);
        for (size_t k = 0; k < n; ++k) edge -= beta[k] * similar(x[k], x[i], gamma);
        count += 1;
    }
    return sum + (count > 0 ? edge / count : 0);
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"}, *const names[] = {"measured", "f",
                                                                                   "f + epsilon"};
    const double gamma = 2, C = 10, epsilon = 0.01;
    const sooth_svr_options options = {
        .C = C, .gamma = gamma, .epsilon = epsilon, .tolerance = 1e-6, .no_target_scale = 1};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table all = rows_of(&m, "ferret", 1);
    float x[POINTS], y[POINTS];
    double axis[POINTS], lines[4 * POINTS], beta[POINTS], apart = 0;
    for (size_t i = 0, at = 0; i < all.rows; ++i) /* at 2.4 GHz: threads in dozens, watts in hundreds */
        if (all.x[i * all.stride + 1] == 2400) {
            x[at] = all.x[i * all.stride] / 12;
            y[at++] = all.y[i] / 100;
        }
    sooth_table t = sooth_table_of(x, y, POINTS, 1);
    sooth_svr *model;
    sooth_env env;
    sooth_env_init(&env);
    tube_by_hand(x, y, POINTS, gamma, C, epsilon, beta);
    need(&env, sooth_svr_fit(&env, &t, &options, &model));
    for (size_t i = 0; i < POINTS; ++i) {
        const double hand = tube_at(x, y, POINTS, gamma, C, epsilon, beta, x[i]);
        axis[i] = (double)x[i] * 12;
        lines[i] = (double)y[i];
        lines[POINTS + i] = (double)sooth_svr_predict(model, x + i);
        lines[2 * POINTS + i] = lines[POINTS + i] + epsilon;
        apart = fmax(apart, fabs(hand - lines[POINTS + i]));
        if (fabs(beta[i]) > 1e-6)
            printf("%2.0f threads: beta %7.3f, off by %6.3f\n", axis[i], beta[i], lines[i] - hand);
    }
    printf("%u of %d points are support vectors. By hand and by svr.h: the difference is at most %.1g.\n",
           model->vectors, POINTS, apart);
    printf("The first one in the model: %.0f threads, beta %.3f.\n",
           12 * (double)sooth_svr_vector(model, 0, 0), sooth_svr_coefficient(model, 0));
    draw_lines("05_tube.svg", "The power of ferret: a tube through 24 runs", "threads", "power, 100 W", axis,
               lines, POINTS, names, 3);
    return 0;
}
