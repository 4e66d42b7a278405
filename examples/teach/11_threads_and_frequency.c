/* 11_threads_and_frequency.c - four runs tell the other 308, and which of them to choose: a lesson with a
 * picture.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach   writes build/teach/11_speed.svg, 11_power.svg and 11_choice.svg, and tells what they show
 *
 * A machine has two sockets of 12 cores and 13 frequencies: a program can run in 24 x 13 = 312 ways. We
 * measure four, predict all, and choose the one that draws the least power within a time. So that everything
 * can be checked, the program is made up: its true time and power are the two functions below, which the fit
 * never sees.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/configure.h"
#include "sooth/halton.h"
#include "sooth/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CORES = 12, THREADS = 24, LEVELS = 13, ALL = THREADS * LEVELS, SHOWN = 4 };

/* ---- 1. The truth: 3 % of the work is serial, crossing to the second socket costs 8 %, and nothing is
   exact. ---- */

static double noise(int t, int level, double size) { return 1.0 + size * sin(12.9898 * t + 78.233 * level); }

static double true_time(int t, int level) {
    double g = 1.0 + level / 12.0;
    return 100.0 * (0.03 + 0.97 / t) / g * (t > CORES ? 1.08 : 1.0) * noise(t, level, 0.02);
}

static double true_power(int t, int level) {
    double g = 1.0 + level / 12.0, volts = pow(g, 0.2);
    return (30.0 + 9.0 * (t > CORES) + 5.0 * g + 1.3 * volts * volts * g * t) * noise(level, t, 0.005);
}

/* ---- 2. A file for each picture. ---- */

static int put(void *file, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)file) != size;
}

static FILE *open_svg(const char *path, sooth_sink *sink) {
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    memset(sink, 0, sizeof *sink);
    sink->write_fn = put;
    sink->user = file;
    return file;
}

/* Curves over the threads at the lowest, the middle and the highest frequency, with bands of one standard
   deviation. */
static void draw_curves(const char *path, const char *title, const float *value, const float *error) {
    static const int level[3] = {0, 6, 12};
    static const char *const names[3] = {"1.2 GHz", "1.8 GHz", "2.4 GHz"};
    static double x[THREADS], y[3 * THREADS], low[3 * THREADS], high[3 * THREADS];
    sooth_svg_line_chart chart;
    sooth_sink sink;
    FILE *file = open_svg(path, &sink);
    for (int s = 0; s < 3; ++s)
        for (int t = 0; t < THREADS; ++t) {
            int at = t * LEVELS + level[s];
            x[t] = t + 1;
            y[s * THREADS + t] = (double)value[at];
            low[s * THREADS + t] = (double)value[at] * exp(-(double)error[at]);
            high[s * THREADS + t] = (double)value[at] * exp((double)error[at]);
        }
    memset(&chart, 0, sizeof chart);
    chart.frame.title = title;
    chart.x = x;
    chart.y = y;
    chart.low = low;
    chart.high = high;
    chart.count = THREADS;
    chart.series = 3;
    chart.series_names = names;
    chart.x_title = "threads";
    chart.y_title = title;
    sooth_svg_lines(&sink, &chart);
    fclose(file);
}

/* The grid of configurations: which keep the bound (expected, and with the margin), which were measured,
   which is chosen. */
static void draw_choice(const char *path, const sooth_configure *c, double most_time, uint32_t chosen) {
    static const char *const names[5] = {"too slow", "perhaps in time", "in time", "measured", "chosen"};
    static double x[ALL], y[ALL];
    static uint32_t series[ALL];
    sooth_svg_points points;
    sooth_sink sink;
    FILE *file = open_svg(path, &sink);
    for (size_t i = 0; i < ALL; ++i) {
        double time = (double)c->time[i], error = (double)c->time_error[i];
        x[i] = (double)c->row[2 * i];
        y[i] = (double)c->row[2 * i + 1];
        series[i] = time > most_time ? 0 : time * exp(error) > most_time ? 1 : 2;
        if (c->measured[i]) series[i] = 3;
    }
    series[chosen] = 4;
    memset(&points, 0, sizeof points);
    points.frame.title = "312 configurations and a bound of time";
    points.x = x;
    points.y = y;
    points.count = ALL;
    points.series = series;
    points.series_names = names;
    points.series_count = 5;
    points.x_title = "threads";
    points.y_title = "frequency, GHz";
    sooth_svg_scatter(&sink, &points);
    fclose(file);
}

int main(void) {
    static double memory[24024 / 8], halton_memory[2048]; /* sooth_configure_size(312, 2) bytes */
    static float speed[ALL];
    static unsigned char touched[(ALL + 7) / 8];
    static const uint32_t knob[2] = {THREADS, LEVELS};
    sooth_configure_run run[SHOWN];
    sooth_configure machine;
    sooth_configure_options options;
    sooth_configure_goal goal;
    sooth_configure_choice choice;
    sooth_halton halton;
    sooth_halton_options sequence;
    sooth_grid grid;
    sooth_grid_options knobs;
    sooth_env env;
    uint32_t level[2];
    double errors[2] = {0, 0};
    int t, f;

    /* 3. Which four? Halton points spread evenly over threads and frequencies. */
    sooth_env_init(&env);
    memset(&sequence, 0, sizeof sequence);
    memset(&knobs, 0, sizeof knobs);
    sequence.dims = knobs.knobs = 2;
    knobs.levels = knob;
    if (sooth_halton_init(&env, &halton, &sequence, halton_memory, sizeof halton_memory) != SOOTH_OK ||
        sooth_grid_init(&env, &grid, &knobs, touched, sizeof touched) != SOOTH_OK)
        return puts(env.sentence), 1;
    grid.next = 1; /* without the origin: one thread at the lowest frequency takes longest and tells least */
    puts("measured:");
    for (int i = 0; i < SHOWN && sooth_grid_next(&grid, sooth_halton_row, &halton, level); ++i) {
        t = (int)level[0] + 1;
        f = (int)level[1];
        run[i].which = level[0] * LEVELS + level[1];
        run[i].program = 0;
        run[i].time = (float)true_time(t, f);
        run[i].power = (float)true_power(t, f);
        printf("  %2d threads at %.1f GHz: %5.2f s, %5.1f W\n", t, 1.2 + 0.1 * f, (double)run[i].time,
               (double)run[i].power);
    }

    /* 4. Two laws, fitted to the four runs; what programs usually do (a prior) stands in for what four runs
       cannot tell. */
    memset(&options, 0, sizeof options);
    options.machine.cores = CORES;
    options.machine.sockets = 2;
    options.machine.levels = LEVELS;
    for (f = 0; f < LEVELS; ++f) options.machine.frequency[f] = 1.2f + 0.1f * (float)f;
    if (sooth_configure_init(&env, &machine, &options, NULL, 0, 2, memory, sizeof memory) != SOOTH_OK ||
        sooth_configure_fit(&env, &machine, run, SHOWN) != SOOTH_OK)
        return puts(env.sentence), 1;

    /* 5. How good are they? Only here may we look at the truth. */
    for (int i = 0; i < ALL; ++i) {
        errors[0] +=
            100.0 / ALL * fabs((double)machine.time[i] / true_time(i / LEVELS + 1, i % LEVELS) - 1.0);
        errors[1] +=
            100.0 / ALL * fabs((double)machine.power[i] / true_power(i / LEVELS + 1, i % LEVELS) - 1.0);
    }
    printf("mean error over all %d: time %.1f %%, power %.1f %%\n", ALL, errors[0], errors[1]);

    /* 6. The least power within 12 seconds. The margin (one standard deviation unless goal.risk says
       otherwise) is there because the search prefers configurations whose error is in their favour. */
    memset(&goal, 0, sizeof goal);
    goal.most_time = 12.0;
    if (sooth_configure_choose(&env, &machine, &goal, &choice) != SOOTH_OK) return puts(env.sentence), 1;
    t = (int)(choice.which / LEVELS) + 1;
    f = (int)(choice.which % LEVELS);
    printf("least power within 12 s: %d threads at %.1f GHz\n", t, 1.2 + 0.1 * f);
    printf("  predicted %.2f s, %.1f W; in truth %.2f s, %.1f W\n", choice.time, choice.power,
           true_time(t, f), true_power(t, f));

    for (int i = 0; i < ALL; ++i) speed[i] = 100.0f / machine.time[i];
    draw_curves("11_speed.svg", "predicted work per second", speed, machine.time_error);
    draw_curves("11_power.svg", "predicted power, W", machine.power, machine.power_error);
    draw_choice("11_choice.svg", &machine, goal.most_time, choice.which);
    puts("drawn: 11_speed.svg, 11_power.svg, 11_choice.svg");
    return 0;
}
