/* 10_halton_against_chance.c - which few configurations to measure, and why random ones are worse: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/10_points.svg and 10_error.svg
 *
 * A machine has 24 x 13 configurations, and we can measure a few. Random ones leave holes and come in
 * clusters. Halton's points do neither (Numerische Mathematik 2, 1960). Write i = 1, 2, 3, ... in base 2 and
 * mirror the digits at the point: 1/2, 1/4, 3/4, 1/8, ... Each new number falls into the largest hole. Use
 * base 3 for the second axis: 1/3, 2/3, 1/9, ... We estimate the mean of a smooth function from n points. The
 * error is about (log n)^2 / n with such points, and 1 / sqrt(n) with random points (Koksma and Hlawka bound
 * the former). A discrepancy measures how evenly points fill the square (discrepancy.h): 0 would be perfect.
 *
 * Exercises, with answers in answers.md:
 *   1. How many random points are as good as 32 of Halton?
 *   2. Use base 2 for both axes. Where do the points lie?
 *   3. Skip none of the first points, or the first 20. What happens to the holes? And why not base 4 for the
 *      second axis?
 */
#define SOOTH_IMPLEMENTATION
#include "discrepancy.h"
#include "lesson.h"
#include "sooth/halton.h"

enum { THREADS = 24, CLOCKS = 13, STEPS = 6, DRAWS = 400 };

/* ---- 1. The digits of i in a base, mirrored. ---- */

static double mirrored(unsigned i, unsigned base) {
    double sum = 0, digit = 1;
    for (; i; i /= base) sum += (digit /= base) * (i % base);
    return sum;
}

/* ---- 2. Estimates the mean power of all configurations from n measured ones. Points in [0, 1)^2 choose a
   thread count and a clock. `shift` moves all points around the edges, which gives many similar sets. ---- */

static double mean_of(const float *watts, const double *point, size_t n, double shift) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        const double a = fmod(point[2 * i] + shift, 1), b = fmod(point[2 * i + 1] + 1.618 * shift, 1);
        sum += (double)watts[(size_t)(a * THREADS) * CLOCKS + (size_t)(b * CLOCKS)];
    }
    return sum / (double)n;
}

/* Computes the root mean square error over many sets of n points: Halton's, shifted, and random ones. */
static void compare_points(const float *watts, size_t n, double error[2]) {
    double truth = 0, point[2 * 128], random_point[2 * 128];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    error[0] = error[1] = 0;
    for (size_t i = 0; i < THREADS * CLOCKS; ++i) truth += (double)watts[i] / (THREADS * CLOCKS);
    for (unsigned i = 0; i < n; ++i) {
        point[2 * i] = mirrored(i + 1, 2);
        point[2 * i + 1] = mirrored(i + 1, 3);
    }
    for (int draw = 0; draw < DRAWS; ++draw) {
        const double shift = sooth_rng_double(&rng);
        for (size_t i = 0; i < 2 * n; ++i) random_point[i] = sooth_rng_double(&rng);
        error[0] += pow(mean_of(watts, point, n, shift) - truth, 2) / DRAWS;
        error[1] += pow(mean_of(watts, random_point, n, 0) - truth, 2) / DRAWS;
    }
    error[0] = sqrt(error[0]);
    error[1] = sqrt(error[1]);
}

/* Returns the watts of a program, threads x clocks, in the order of the file. */
static const float *watts_of(const char *program) {
    static const char *const column[] = {"threads", "freq_mhz"};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    return rows_of(&m, program, 1).y;
}

int main(void) {
    static const char *const names[] = {"Halton", "at random"};
    const float *watts = watts_of("bodytrack");
    double axis[STEPS], error[2 * STEPS], x[128], y[128], apart = 0;
    uint32_t series[128];
    svg_points points = {.frame.title = "64 points of Halton, and 64 at random"};
    sooth_rng rng;
    puts("measured   off by, Halton   at random");
    for (size_t k = 0; k < STEPS; ++k) {
        double both[2];
        const size_t n = (size_t)4 << k;
        compare_points(watts, n, both);
        axis[k] = (double)k + 2;
        error[k] = log2(both[0]);
        error[STEPS + k] = log2(both[1]);
        printf("%8zu   %12.2f W   %7.2f W\n", n, both[0], both[1]);
    }
    for (unsigned i = 1; i < 1000; ++i)
        apart = fmax(apart, fabs(mirrored(i, 3) - sooth_halton_radical_inverse(i, 3)));
    printf("By hand and by halton.h, 999 numbers differ by at most %.1g.\n", apart);

    sooth_rng_init(&rng, 1, 0);
    for (unsigned i = 0; i < 128; ++i) {
        series[i] = i >= 64;
        x[i] = i < 64 ? mirrored(i + 1, 2) : sooth_rng_double(&rng);
        y[i] = i < 64 ? mirrored(i + 1, 3) : sooth_rng_double(&rng);
    }
    for (size_t k = 0; k < 2; ++k) {
        double even, point[2 * 64];
        for (size_t i = 0; i < 64; ++i) {
            point[2 * i] = x[64 * k + i];
            point[2 * i + 1] = y[64 * k + i];
        }
        if (discrepancy(NULL, point, 64, 2, DISCREPANCY_CENTRED, &even) == SOOTH_OK)
            printf("%-9s  centred discrepancy %.5f, min distance of two points %.3f\n", names[k], even,
                   least_distance(point, 64, 2));
    }
    points.x = x;
    points.y = y;
    points.count = 128;
    points.series = series;
    points.series_names = names;
    points.series_count = 2;
    points.x_title = "threads, as a share of 24";
    points.y_title = "clock, as a share of 13";
    picture_draw(".", "10_points.svg", svg_scatter, &points);
    draw_lines("10_error.svg", "The mean power of 312 configurations, from a few", "log2 of measured ones",
               "log2 of the error, W", axis, error, STEPS, names, 2);
    return 0;
}
