/* 16_intervals_and_a_few_launches.c - intervals of predictions, and what three measurements improve: a
 * lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach   prints what follows, and draws build/teach/16_launches.svg and 16_none.svg
 *
 * The data are the watts of thirteen programs at 32 clocks of a GPU. A forest that was fitted to twelve of
 * them predicts the thirteenth. It is wrong, because two clocks do not identify a program. How wrong? Measure
 * its error on the twelve, each left out in its turn. Drop the largest tenth of these errors. The largest
 * error that remains is the half width of the interval. The rank counts the new program as one of them. Then
 * the interval holds nine of ten launches of a new program, for any model (conformal.h has the theorem).
 *
 * Then measure one launch. The error of the forest belongs mostly to the program, and is the same at similar
 * clocks. Let the errors be e = log(watts / predicted), with variance L from program to program and N from
 * launch to launch. Then k measured launches predict the error of the others as
 *
 *     (e_1 + .. + e_k) / (k + N / L)
 *
 * This is the full mean if only programs differ, and nothing if only launches differ. In adapt.h, near
 * launches count more than far ones. It also returns the uncertainty, and which launch to measure next.
 *
 * Exercises, with answers in answers.md:
 *   1. Count launches instead of programs, the 90 % smallest of 384 errors. How many of a hundred are held?
 *   2. Take N / L as 0, then as 10. Which is nearer the truth, and what does the other cost?
 *   3. Measure random launches instead of those that adapt.h chooses. What is lost after one, after five?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/adapt.h"
#include "sooth/conformal.h"
#include "sooth/forest.h"

enum { PROGRAMS = 13, SETTINGS = 32, LAUNCHES = 5 };

/* ---- 1. A forest predicts the watts of rows that it was not fitted to. It is fitted to logarithms: an
   error of a tenth is as bad for a small program as for a large one. ---- */

static void say(const sooth_table *train, const sooth_table *test, float *watts) {
    sooth_table logs = *train;
    float *y = (float *)room(train->rows, sizeof *y);
    sooth_forest *forest;
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0; i < train->rows; ++i) y[i] = sooth_log(train->y[i]);
    logs.y = y;
    need(&env, sooth_forest_fit(&env, &logs, NULL, &forest));
    for (size_t i = 0; i < test->rows; ++i)
        watts[i] = sooth_exp(sooth_forest_predict(forest, test->x + i * test->stride));
    sooth_forest_free(&env, forest);
    free(y);
}

/* ---- 2. By hand: half the width of an interval, from programs of 32 launches that were left out. ---- */

static double error_of(float y, float p) { return (double)(sooth_log(y) - sooth_log(p)); }

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double half_width(const float *y, const float *p, size_t programs, double level) {
    static double size[PROGRAMS * SETTINGS];
    const size_t rank = (size_t)ceil(level * (double)((programs + 1) * SETTINGS));
    for (size_t i = 0; i < programs * SETTINGS; ++i) size[i] = fabs(error_of(y[i], p[i]));
    qsort(size, programs * SETTINGS, sizeof *size, by_size);
    return rank <= programs * SETTINGS ? size[rank - 1] : INFINITY; /* too few programs */
}

/* ---- 3. By hand: N / L, the variance of launches of a program by that of programs. ---- */

static double noise_over_level(const float *y, const float *p, size_t programs) {
    double level = 0, noise = 0;
    for (size_t g = 0; g < programs; ++g) {
        double mean = 0;
        for (size_t i = g * SETTINGS; i < (g + 1) * SETTINGS; ++i) mean += error_of(y[i], p[i]) / SETTINGS;
        for (size_t i = g * SETTINGS; i < (g + 1) * SETTINGS; ++i)
            noise += (error_of(y[i], p[i]) - mean) * (error_of(y[i], p[i]) - mean) / SETTINGS;
        level += mean * mean;
    }
    return noise / level;
}

/* ---- 4. One program is new. The forest is fitted to the others. ---- */

typedef struct newcomer {
    sooth_table known, own; /* launches of the others, and its 32 */
    float *left_out;        /* predicted watts of the others, each program left out */
    float said[SETTINGS];   /* its watts, predicted by a forest of all others */
    sooth_adapt *adapt;
    double noise;
} newcomer;

static newcomer come(const measurements *m, const char *program) {
    newcomer n = {.known = rows_of(m, program, 0), .own = rows_of(m, program, 1)};
    sooth_env env;
    sooth_env_init(&env);
    n.left_out = (float *)room(n.known.rows, sizeof *n.left_out);
    predict_held_out(&n.known, SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT, say, n.left_out);
    say(&n.known, &n.own, n.said);
    n.noise = noise_over_level(n.known.y, n.left_out, n.known.rows / SETTINGS);
    need(&env, sooth_adapt_fit(&env, &n.known, n.left_out, NULL, &n.adapt));
    return n;
}

/* Measures the errors of adapt.h (off[0]) and by hand (off[1]) after 0 to LAUNCHES launches, in percent of
   the launches not measured. order: the launches to measure; NULL: those that adapt.h chooses. */
static void measure(const newcomer *n, const uint32_t *order, double noise, double off[2][LAUNCHES + 1]) {
    const size_t size = sooth_adapt_program_size(n->adapt);
    sooth_adapt_program *memory = sooth_adapt_begin(n->adapt, room(size, 1), size);
    void *scratch = room(sooth_adapt_next_scratch_size(n->adapt), 1);
    float price[SETTINGS];
    double sum = 0, correction = 1; /* by hand: sum of the errors so far, and the factor that corrects them */
    for (size_t i = 0; i < SETTINGS; ++i) price[i] = 1; /* 0: measured already */
    for (size_t k = 0;; ++k) {
        off[0][k] = off[1][k] = 0;
        for (size_t i = 0; i < SETTINGS; ++i) {
            sooth_adapted out;
            if (price[i] < 1) continue;
            sooth_adapt_predict(n->adapt, memory, n->own.x + i * n->own.stride, n->said[i], &out);
            const double by[] = {(double)out.value, (double)n->said[i] * correction};
            for (int w = 0; w < 2; ++w)
                off[w][k] += 100 * fabs(by[w] / (double)n->own.y[i] - 1) / (double)(SETTINGS - k);
        }
        if (k == LAUNCHES) break;
        const size_t next = order ? order[k]
                                  : sooth_adapt_next(n->adapt, memory, n->own.x, SETTINGS, n->own.stride,
                                                     n->said, price, SOOTH_ADAPT_VARIANCE, scratch);
        sooth_adapt_observe(n->adapt, memory, n->own.x + next * n->own.stride, n->said[next], n->own.y[next]);
        sum += error_of(n->own.y[next], n->said[next]);
        correction = exp(sum / ((double)k + 1 + noise));
        price[next] = 0;
    }
}

static const char *const column[] = {"mem_mhz", "core_mhz"}; /* no counters: two clocks only */

int main(void) {
    static const char *const names[] = {"adapt.h", "by hand"};
    static double said[PROGRAMS * SETTINGS], watts[PROGRAMS * SETTINGS];
    static const double launches[LAUNCHES + 1] = {0, 1, 2, 3, 4, 5};
    double off[2][LAUNCHES + 1], mean[2 * (LAUNCHES + 1)] = {0}, width = 0, held = 0;
    const measurements m = measured(EXAMPLES "scale/data/titanx.csv", column, 2, "power_w", "program");
    for (size_t g = 0; g < PROGRAMS; ++g) {
        const newcomer n = come(&m, m.name[g]);
        const double half = half_width(n.known.y, n.left_out, PROGRAMS - 1, 0.9);
        for (size_t i = 0; i < SETTINGS; ++i) {
            watts[g * SETTINGS + i] = (double)n.own.y[i];
            said[g * SETTINGS + i] = (double)n.said[i];
            held += fabs(error_of(n.own.y[i], n.said[i])) <= half;
        }
        width += (exp(half) - 1) / PROGRAMS;
        measure(&n, NULL, n.noise, off);
        for (size_t k = 0; k < 2 * (LAUNCHES + 1); ++k)
            mean[k] += off[k / (LAUNCHES + 1)][k % (LAUNCHES + 1)] / PROGRAMS;
    }
    printf("90 %% intervals, to %.0f %% above the prediction, hold %.0f %% of a new program's launches.\n",
           100 * width, 100 * held / (PROGRAMS * SETTINGS));
    puts("launches measured    adapt.h    by hand");
    for (size_t k = 0; k <= LAUNCHES; ++k)
        printf("%17zu   %5.1f %%    %5.1f %%\n", k, mean[k], mean[LAUNCHES + 1 + k]);
    draw_lines("16_launches.svg", "Watts of unseen programs", "launches measured", "off by, %", launches,
               mean, LAUNCHES + 1, names, 2);
    draw_points("16_none.svg", "Unseen programs, before the first launch", "W", watts, said,
                PROGRAMS * SETTINGS, m.table.group, m.name, PROGRAMS);
    return 0;
}
