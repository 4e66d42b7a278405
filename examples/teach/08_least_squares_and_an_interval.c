/* 08_least_squares_and_an_interval.c - the best line, and what an interval around it promises: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/08_line.svg
 *
 * Find the line a + b x with the min sum of squared errors. Set its derivatives by a and b to zero, and two
 * equations remain (Legendre 1805, Gauss 1809). Measure again, and the line changes. By how much? Let the
 * errors be independent and of one size s. Then b varies with standard deviation s / sqrt(sum (x - mean)^2).
 * s itself is estimated from the residuals, divided by n - 2 since two numbers were fitted. Student's t, not
 * the normal distribution, accounts for that estimate.
 *
 * A 95 % interval does not mean that the truth lies in it with 95 % probability. It means: of all experiments
 * like this one, 95 % draw an interval that holds the truth. So let us do a few thousand of them.
 *
 * Exercises, with answers in answers.md:
 *   1. Use 1.96 instead of Student's t for six measurements. How many intervals hold?
 *   2. There is an interval of the line, and one of the next measurement. Which is wider, and which shrinks
 *      to nothing with more and more measurements?
 *   3. Fit a line to something bent (x^2). Do the intervals of new measurements still hold at the ends?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/linear.h"

enum { MEASURED = 6, EXPERIMENTS = 4000 };

/* ---- 1. By hand: the line, its residuals, and the standard error of b. ---- */

typedef struct line {
    double a, b, sigma, b_error;
} line;

static line fit_line(const float *x, const float *y, size_t n) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
    for (size_t i = 0; i < n; ++i) {
        mean_x += (double)x[i] / (double)n;
        mean_y += (double)y[i] / (double)n;
    }
    for (size_t i = 0; i < n; ++i) {
        xx += ((double)x[i] - mean_x) * ((double)x[i] - mean_x);
        xy += ((double)x[i] - mean_x) * ((double)y[i] - mean_y);
    }
    line l = {mean_y - xy / xx * mean_x, xy / xx, 0, 0};
    for (size_t i = 0; i < n; ++i) rest += pow((double)y[i] - l.a - l.b * (double)x[i], 2);
    l.sigma = sqrt(rest / ((double)n - 2));
    l.b_error = l.sigma / sqrt(xx);
    return l;
}

/* Draws a number of the standard normal distribution (Box, Muller 1958). */
static double gaussian(sooth_rng *rng) {
    const double u = 1 - sooth_rng_double(rng), v = sooth_rng_double(rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* ---- 2. Experiments: runs with 2, 4, ... threads draw 20 + 5 x watts, give or take 3. Two intervals may
   hold the truth: that of b, and that of the next run with 8 threads. How many do? ---- */

static void repeat(uint32_t seed, double held[2]) {
    sooth_rng rng;
    sooth_env env;
    sooth_env_init(&env);
    sooth_rng_init(&rng, seed, 0);
    held[0] = held[1] = 0;
    for (int e = 0; e < EXPERIMENTS; ++e) {
        const double t = 2.776445; /* Student's t of 4 degrees of freedom: 2.5 % lie above */
        const float eight = 8;
        float x[MEASURED], y[MEASURED];
        double low, high;
        sooth_linear *model;
        for (int i = 0; i < MEASURED; ++i) {
            x[i] = 2 * (float)i + 2;
            y[i] = (float)(20 + 5 * (double)x[i] + 3 * gaussian(&rng));
        }
        const line l = fit_line(x, y, MEASURED);
        const sooth_table table = sooth_table_of(x, y, MEASURED, 1);
        held[0] += fabs(l.b - 5) <= t * l.b_error ? 100.0 / EXPERIMENTS : 0;
        need(&env, sooth_linear_fit(&env, &table, NULL, &model));
        sooth_linear_interval(model, &eight, 0, 0.95, 1, &low, &high);
        const double next = 20 + 5 * 8 + 3 * gaussian(&rng);
        held[1] += next >= low && next <= high ? 100.0 / EXPERIMENTS : 0;
        sooth_linear_free(&env, model);
    }
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"}, *const names[] = {"line", "measured"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table all = rows_of(&m, "bodytrack", 1);
    float x[12], y[12];
    double axis[12], lines[2 * 12], low[2 * 12], high[2 * 12], held[2];
    svg_line_chart chart = {.frame.title = "Watts of bodytrack, a line, and the interval of the next run"};
    sooth_linear *model;
    sooth_linear_summary summary;
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0, at = 0; i < all.rows; ++i)
        if (all.x[i * all.stride + 1] == 2400 && all.x[i * all.stride] <= 12) { /* MHz; one socket */
            x[at] = all.x[i * all.stride];
            y[at++] = all.y[i];
        }
    const line l = fit_line(x, y, 12);
    const sooth_table t = sooth_table_of(x, y, 12, 1);
    need(&env, sooth_linear_fit(&env, &t, NULL, &model));
    printf("By hand: %.3f + %.4f threads, give or take %.4f. linear.h: %.4f, give or take %.4f.\n", l.a, l.b,
           l.b_error, sooth_linear_coefficient(model, 0, 0), sooth_linear_standard_error(model, 0, 0));
    need(&env, sooth_linear_summarise(&env, model, 0, &summary));
    printf("By hand a run is off by %.3f W, by linear.h %.3f W. The line explains %.1f %% of the variance.\n",
           l.sigma, summary.sigma, 100 * summary.r2);
    repeat(1, held);
    printf("Of %d experiments of %d runs, %.1f %% draw an interval that holds the true b,\n"
           "and %.1f %% one that holds the next run.\n",
           EXPERIMENTS, MEASURED, held[0], held[1]);
    for (int i = 0; i < 12; ++i) {
        axis[i] = (double)x[i];
        lines[i] = (double)sooth_linear_predict(model, x + i);
        sooth_linear_interval(model, x + i, 0, 0.95, 1, &low[i], &high[i]);
        lines[12 + i] = low[12 + i] = high[12 + i] = (double)y[i];
    }
    chart.x = axis;
    chart.y = lines;
    chart.low = low;
    chart.high = high;
    chart.count = 12;
    chart.series = 2;
    chart.series_names = names;
    chart.x_title = "threads";
    chart.y_title = "power, W";
    picture_draw(".", "08_line.svg", svg_lines, &chart);
    return 0;
}
