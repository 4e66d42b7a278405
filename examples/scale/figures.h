/* figures.h - De Sensi's Figures 1 to 5 on his published measurements: the numbers of 4 and 5, and drawings.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Everything is static, for parsec.c, which includes it after parsec.h.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "../common/picture.h"
#include "sooth/halton.h"
#include "sooth/sobol.h"
#include "parsec.h"

/* Fits program a by the given laws (0: ours, with the usual priors) to some configurations. */
static int fit_program(uint32_t a, uint32_t time_law, uint32_t power_law, const uint32_t *which, uint32_t n,
                       double accuracy[4]) {
    sooth_configure_options options = published;
    sooth_configure_run run[64];
    options.time_law = time_law;
    options.power_law = power_law;
    options.loss = time_law ? SOOTH_SCALING_ABSOLUTE : SOOTH_SCALING_RELATIVE;
    if (!init(&options)) return 0;
    for (uint32_t i = 0; i < n; ++i) run[i] = parsec_run(a, which[i]);
    if (sooth_configure_fit(&env, machine, run, n) != SOOTH_OK) return 0;
    parsec_accuracy(a, accuracy);
    return 1;
}

/* The first n configurations that sooth_configure_next chooses. They are the same for all programs up to
   rounding. */
static int experiments_of(uint32_t a, uint32_t *which, uint32_t n) {
    sooth_configure_run run[64];
    if (!init(&published)) return 0;
    for (uint32_t i = 0; i < n; ++i) {
        sooth_configure_experiment next;
        if (sooth_configure_fit(&env, machine, run, i) != SOOTH_OK ||
            sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next) != SOOTH_OK)
            return 0;
        which[i] = next.which;
        run[i] = parsec_run(a, next.which);
    }
    return 1;
}

/* ---- Figures 4 and 5: accuracy by the choice of the runs, and by their number ---- */

enum { SEEDS = 200, WAYS = 10, COUNTS = 9, FOUR = 1 /* the place of 4 in run_counts */ };
static const uint32_t run_counts[COUNTS] = {3, 4, 5, 6, 8, 10, 12, 16, 20};

typedef enum sequence { HALTON, REVERSE, SOBOL, RANDOM, OWN } sequence;

static const struct {
    const char *name;
    sequence sequence;
    uint64_t first; /* the first point */
    int ours;       /* our models; otherwise the paper's, eq. 3 and eq. 7 once per core */
} ways[WAYS] = {{"Halton", HALTON, 1, 0},
                {"Reverse Halton", REVERSE, 1, 0},
                {"Sobol from point 1", SOBOL, 1, 0},
                {"Sobol from point 0", SOBOL, 0, 0},
                {"pseudo-random", RANDOM, 0, 0},
                {"ours: Halton", HALTON, 1, 1},
                {"ours: Reverse Halton", REVERSE, 1, 1},
                {"ours: Sobol from point 0", SOBOL, 0, 1},
                {"ours: pseudo-random", RANDOM, 0, 1},
                {"ours: own choice", OWN, 0, 1}};

/* Over the programs, of time and of power: the mean accuracy, and half of its 95 % interval (Student's t).
   NaN if the runs of some program cannot separate the coefficients. */
typedef struct figure {
    double mean[2], half[2];
} figure;
static figure figures[WAYS][COUNTS];

/* The first n different configurations of a sequence, from a point on. */
static int points_of(size_t way, uint32_t seed, uint32_t n, uint32_t *which) {
    static const uint32_t knob[2] = {24, 13};
    static double room[2048];
    static double touched[CONFIGURATIONS / 64 + 16];
    sooth_halton *halton;
    sooth_halton_options halton_options;
    sooth_sobol *sobol;
    sooth_sobol_options sobol_options;
    sooth_grid *grid;
    sooth_grid_options knobs;
    uint32_t level[2];
    const int is_sobol = ways[way].sequence == SOBOL;
    if (ways[way].sequence == RANDOM) {
        sooth_rng rng;
        sooth_rng_init(&rng, seed, 0);
        for (uint32_t i = 0; i < n;) {
            uint32_t k = 0;
            which[i] = sooth_rng_below(&rng, CONFIGURATIONS);
            while (k < i && which[k] != which[i]) ++k;
            i += k == i;
        }
        return 1;
    }
    memset(&halton_options, 0, sizeof halton_options);
    memset(&sobol_options, 0, sizeof sobol_options);
    memset(&knobs, 0, sizeof knobs);
    halton_options.dims = sobol_options.dims = knobs.knobs = 2;
    if (ways[way].sequence == REVERSE) halton_options.scramble = SOOTH_HALTON_REVERSE;
    knobs.levels = knob;
    if ((is_sobol ? sooth_sobol_init(&env, &sobol_options, room, sizeof room, &sobol)
                  : sooth_halton_init(&env, &halton_options, room, sizeof room, &halton)) != SOOTH_OK ||
        sooth_grid_init(&env, &knobs, touched, sizeof touched, &grid) != SOOTH_OK)
        return 0;
    grid->next = ways[way].first;
    for (uint32_t i = 0; i < n; ++i) {
        if (!(is_sobol ? sooth_grid_next(grid, sooth_sobol_row, sobol, level)
                       : sooth_grid_next(grid, sooth_halton_row, halton, level)))
            return 0;
        which[i] = level[0] * 13 + level[1];
    }
    return 1;
}

/* Mean accuracy of a program, of time and of power, over the seeds whose runs separate its coefficients. */
static int program_accuracy(uint32_t a, size_t way, uint32_t n, double mean[2]) {
    const uint32_t seeds = ways[way].sequence == RANDOM ? SEEDS : 1;
    uint32_t which[64], fits = 0;
    double accuracy[4], sum[2] = {0, 0};
    for (uint32_t seed = 0; seed < seeds; ++seed) {
        if (!(ways[way].sequence == OWN ? experiments_of(a, which, n) : points_of(way, seed, n, which)))
            return 0;
        if (!fit_program(a, ways[way].ours ? 0 : SOOTH_SCALING_TIME, ways[way].ours ? 0 : SOOTH_SCALING_POWER,
                         which, n, accuracy))
            continue;
        sum[0] += accuracy[0];
        sum[1] += accuracy[2];
        ++fits;
    }
    for (int m = 0; m < 2; ++m) mean[m] = fits ? sum[m] / fits : NAN;
    return 1;
}

static int compute_figures(void) {
    const double t = programs > 1 ? sooth_t_quantile(0.975, programs - 1.0) : NAN;
    for (size_t way = 0; way < WAYS; ++way)
        for (size_t c = 0; c < COUNTS; ++c) {
            double one[PROGRAMS][2];
            figure *f = &figures[way][c];
            for (uint32_t a = 0; a < programs; ++a)
                if (!program_accuracy(a, way, run_counts[c], one[a])) return 0;
            for (int m = 0; m < 2; ++m) {
                double squares = 0;
                f->mean[m] = 0;
                for (uint32_t a = 0; a < programs; ++a) f->mean[m] += one[a][m] / programs;
                for (uint32_t a = 0; a < programs; ++a) squares += pow(one[a][m] - f->mean[m], 2);
                f->half[m] = t * sqrt(squares / (programs - 1.0) / programs);
            }
        }
    return 1;
}

/* ---- drawings ---- */

/* Figures 1 and 2: at 2.4 GHz, by threads. */
static void draw_threads(const char *folder, int power) {
    double x[24], y[PROGRAMS * 24];
    const char *names[PROGRAMS];
    for (uint32_t n = 0; n < 24; ++n) x[n] = n + 1.0;
    for (uint32_t a = 0; a < programs; ++a) {
        names[a] = parsec[a].name;
        for (int n = 0; n < 24; ++n)
            y[a * 24 + (uint32_t)n] =
                power ? (double)parsec[a].power[at(n + 1, 2400)]
                      : (double)parsec[a].time[at(1, 2400)] / (double)parsec[a].time[at(n + 1, 2400)];
    }
    picture_draw(
        folder, power ? "figure_2.svg" : "figure_1.svg", svg_lines,
        &(svg_line_chart){.frame.title = power ? "Power of PARSEC at 2.4 GHz (De Sensi 2016, Figure 2)"
                                               : "Scalability of PARSEC at 2.4 GHz (De Sensi 2016, Figure 1)",
                          .x = x,
                          .y = y,
                          .count = 24,
                          .series = programs,
                          .series_names = names,
                          .x_title = "threads",
                          .y_title = power ? "power of the packages, W" : "times as fast as one thread"});
}

/* Figure 3: a hundred points of a generator in the unit square. */
static void draw_points(const char *folder, int is_halton) {
    enum { POINTS = 100 };
    static double room[2048];
    double x[POINTS], y[POINTS], row[2];
    sooth_halton *halton;
    sooth_halton_options options;
    sooth_rng rng;
    memset(&options, 0, sizeof options);
    options.dims = 2;
    sooth_rng_init(&rng, 0, 0);
    if (sooth_halton_init(&env, &options, room, sizeof room, &halton) != SOOTH_OK) return;
    for (uint32_t i = 0; i < POINTS; ++i) {
        if (is_halton) sooth_halton_row(halton, i + 1, 2, row);
        x[i] = is_halton ? row[0] : sooth_rng_double(&rng);
        y[i] = is_halton ? row[1] : sooth_rng_double(&rng);
    }
    picture_draw(
        folder, is_halton ? "figure_3_halton.svg" : "figure_3_random.svg", svg_scatter,
        &(svg_points){.frame.title = is_halton
                                         ? "A hundred points of Halton's sequence (De Sensi 2016, Figure 3)"
                                         : "A hundred pseudo-random points (De Sensi 2016, Figure 3)",
                      .frame.height = 640,
                      .x = x,
                      .y = y,
                      .count = POINTS,
                      .x_title = is_halton ? "Halton, base 2" : "pseudo-random",
                      .y_title = is_halton ? "Halton, base 3" : "pseudo-random"});
}

/* Figure 4: four runs, chosen in these ways. The paper draws accuracies, whose bars are all nearly full.
   Here the bars are errors. */
static void draw_generators(const char *folder) {
    static char text[2 * WAYS][64];
    const char *names[2 * WAYS];
    double value[2 * WAYS], end[2 * WAYS];
    uint32_t series[2 * WAYS];
    for (size_t i = 0; i < 2 * WAYS; ++i) {
        const size_t m = i % 2;
        const figure *f = &figures[i / 2][FOUR];
        snprintf(text[i], sizeof text[i], "%s, %s", ways[i / 2].name, m ? "power" : "time");
        names[i] = text[i];
        value[i] = 100 - f->mean[m];
        end[i] = value[i] + f->half[m];
        series[i] = (uint32_t)m;
    }
    picture_draw(folder, "figure_4.svg", svg_bars,
                 &(svg_bar_chart){.frame.title =
                                      "Error from four runs, by choice of the runs (De Sensi 2016, Figure 4)",
                                  .value = value,
                                  .names = names,
                                  .count = 2 * WAYS,
                                  .mark = end,
                                  .mark_title = "upper end of the 95 % interval of the mean",
                                  .series = series,
                                  .unit = " %"});
}

/* Figure 5: power by the number of runs, Halton against pseudo-random, the paper's model. */
static void draw_runs(const char *folder) {
    static const size_t drawn[2] = {0, 4};
    static const char *const names[2] = {"Halton", "pseudo-random"};
    double x[COUNTS], y[2 * COUNTS], low[2 * COUNTS], high[2 * COUNTS];
    for (size_t i = 0; i < 2 * COUNTS; ++i) {
        const figure *f = &figures[drawn[i / COUNTS]][i % COUNTS];
        x[i % COUNTS] = run_counts[i % COUNTS];
        y[i] = f->mean[1];
        low[i] = f->mean[1] - f->half[1];
        high[i] = f->mean[1] + f->half[1];
    }
    picture_draw(folder, "figure_5.svg", svg_lines,
                 &(svg_line_chart){
                     .frame.title = "Accuracy of power by the number of runs, with 95 % intervals (Figure 5)",
                     .x = x,
                     .y = y,
                     .low = low,
                     .high = high,
                     .count = COUNTS,
                     .series = 2,
                     .series_names = names,
                     .x_title = "runs",
                     .y_title = "accuracy of power, %"});
}

static void draw_figures(const char *folder) {
    draw_threads(folder, 0);
    draw_threads(folder, 1);
    draw_points(folder, 0);
    draw_points(folder, 1);
    draw_generators(folder);
    draw_runs(folder);
}

#endif
