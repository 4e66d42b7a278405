/* clocks.c - the clocks of a GPU, or any other knobs: predicts time and power from a few runs, and chooses.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/scale --clocks FILE.csv [RISE]       data/titanx.csv is published measurements of a GPU
 *
 * FILE has the program in its first column, and time and power in the last two. Each column between is a
 * knob. It is a clock if its name ends in Hz. Otherwise it is a count, which precedes the clock of its units.
 * Every program has one row per configuration. Voltages are the clock to the power of RISE. The value 1.5
 * fits 140 small programs of the authors of titanx.csv on that GPU. None of them is in the file.
 *
 * Each program is predicted from a few of its own runs, by the laws of space.h and by two simpler ones:
 *
 *     p-norm      the law of time, p chosen by the runs
 *     sum         the same with p = 1: core and memory never work at once
 *     log-linear  ln of time or power is linear in the ln of the knobs, by least squares
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/configure.h"
#include "sooth/csv.h"
#include "sooth/halton.h"
#include "sooth/linear.h"
#include "sooth/sobol.h"

int clocks_report(const char *path, const char *rise); /* from scale.c */

enum { MOST_PROGRAMS = 64, MOST_CONFIGURATIONS = 1024, MOST_LEVELS = 64, MOST_RUNS = 20, BOUNDS = 10 };

static sooth_env env;
static sooth_space space;
static float level[SOOTH_SPACE_MAX_KNOBS][MOST_LEVELS];
static uint32_t programs, configurations;
static const char *program_name[MOST_PROGRAMS], *axis_name[SOOTH_SPACE_MAX_KNOBS];
static float rows[MOST_CONFIGURATIONS * SOOTH_SPACE_MAX_KNOBS];
static float truth[MOST_PROGRAMS][2][MOST_CONFIGURATIONS]; /* time, power */
static sooth_configure *machine;

static int fails(const char *sentence) {
    fprintf(stderr, "scale: %s\n", sentence);
    return 0;
}

/* ---- reading ---- */

static int file_read(const char *path, sooth_csv *csv) {
    static char bytes[1 << 22];
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "scale: %s cannot be opened\n", path);
        return 0;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size == sizeof bytes) return fails("the file has 4 MiB or more");
    return sooth_csv_read(&env, bytes, size, NULL, csv) == SOOTH_OK || fails(env.sentence);
}

/* Enters a value among the ascending levels of an axis. */
static int enter(uint32_t k, float v) {
    uint32_t n = space.axis[k].levels, i = 0;
    while (i < n && level[k][i] < v) ++i;
    if (i < n && level[k][i] <= v) return 1;
    if (n == MOST_LEVELS) return 0;
    memmove(&level[k][i + 1], &level[k][i], (n - i) * sizeof(float));
    level[k][i] = v;
    ++space.axis[k].levels;
    return 1;
}

static int axes_read(const sooth_csv_data *data, float rise) {
    const sooth_table *table = &data->table;
    if (table->cols > SOOTH_SPACE_MAX_KNOBS || data->groups > MOST_PROGRAMS)
        return fails("the file has more than 8 knobs or 64 programs");
    programs = data->groups;
    space.knobs = (uint32_t)table->cols;
    for (uint32_t k = 0; k < space.knobs; ++k) {
        const size_t length = strlen(table->names[k]);
        const char *end = table->names[k] + (length > 2 ? length - 2 : 0);
        axis_name[k] = table->names[k];
        if (strcmp(end, "hz") == 0 || strcmp(end, "Hz") == 0) space.axis[k].kind = SOOTH_AXIS_FREQUENCY;
        space.axis[k].value = level[k];
        space.axis[k].rise = rise;
        for (size_t i = 0; i < table->rows; ++i)
            if (!enter(k, table->x[i * table->stride + k])) return fails("a knob has more than 64 levels");
    }
    if (sooth_space_check(&env, &space) != SOOTH_OK) return fails(env.sentence);
    const size_t count = sooth_space_rows(&space, NULL, 0);
    if (count > MOST_CONFIGURATIONS) return fails("there are more than 1024 configurations");
    configurations = (uint32_t)count;
    sooth_space_rows(&space, rows, count);
    return 1;
}

/* Reads the file. Its texts are kept until the end. */
static int clocks_read(const char *path, float rise) {
    static sooth_csv csv;
    static sooth_csv_data data;
    sooth_csv_table_options choice;
    const char *power[1];
    memset(&choice, 0, sizeof choice);
    if (!file_read(path, &csv)) return 0;
    if (csv.cols < 4) return fails("the file must have a program, knobs, time and power");
    choice.group = csv.column[0].header;
    choice.target = csv.column[csv.cols - 2].header;
    power[0] = csv.column[csv.cols - 1].header;
    choice.more_targets = power;
    choice.more_target_count = 1;
    if (sooth_csv_table(&env, &csv, &choice, &data) != SOOTH_OK) return fails(env.sentence);
    if (!axes_read(&data, rise)) return 0;
    for (size_t i = 0; i < data.table.rows; ++i) {
        uint32_t which = 0;
        for (uint32_t k = 0; k < space.knobs; ++k) {
            uint32_t at = 0;
            while (level[k][at] < data.table.x[i * data.table.stride + k]) ++at;
            which = which * space.axis[k].levels + at;
        }
        for (uint32_t m = 0; m < 2; ++m) truth[data.table.group[i]][m][which] = data.table.y[2 * i + m];
    }
    for (uint32_t a = 0; a < programs; ++a) {
        program_name[a] = data.group_name[a];
        for (uint32_t i = 0; i < configurations; ++i)
            for (uint32_t m = 0; m < 2; ++m)
                if (!(truth[a][m][i] > 0.0f) || truth[a][m][i] > 1e30f) {
                    fprintf(stderr, "scale: %s lacks a configuration, or a time or power above 0\n",
                            program_name[a]);
                    return 0;
                }
    }
    return 1;
}

/* ---- which configurations to run ---- */

static int machine_init(void) {
    static double memory[MOST_CONFIGURATIONS * 16 + 640];
    sooth_configure_options options;
    memset(&options, 0, sizeof options);
    options.space = &space;
    return sooth_configure_init(&env, &options, NULL, 0, space.knobs, memory, sizeof memory, &machine) ==
           SOOTH_OK;
}

/* The first n configurations that sooth_configure_step chooses. */
static int farthest(uint32_t n, uint32_t *which) {
    sooth_configure_run run[MOST_RUNS + 1];
    sooth_configure_loop loop;
    memset(&loop, 0, sizeof loop);
    loop.configure = machine;
    loop.run = run;
    loop.capacity = MOST_RUNS + 1;
    loop.first = n;
    for (uint32_t i = 0; i < n; ++i) {
        if (sooth_configure_step(&env, &loop, 1, 1) != SOOTH_OK) return 0;
        which[i] = loop.which;
    }
    return 1;
}

typedef enum design { FARTHEST, HALTON, REVERSE_HALTON, SOBOL, NIEDERREITER, DESIGNS } design;
static const char *const design_name[DESIGNS] = {"farthest apart (ours)", "Halton", "reverse Halton", "Sobol",
                                                 "Niederreiter"};

/* The first n of a sequence of points: from point 1, but Niederreiter from point 0, as in GSL. */
static int points_of(design d, uint32_t n, uint32_t *which) {
    static double memory[4096];
    static double touched[MOST_CONFIGURATIONS / 64 + 16];
    uint32_t levels[SOOTH_SPACE_MAX_KNOBS], at[SOOTH_SPACE_MAX_KNOBS];
    sooth_halton_options halton_options;
    sooth_sobol_options sobol_options;
    sooth_grid_options knobs;
    sooth_halton *halton;
    sooth_sobol *sobol;
    sooth_grid *grid;
    if (d == FARTHEST) return farthest(n, which);
    memset(&halton_options, 0, sizeof halton_options);
    memset(&sobol_options, 0, sizeof sobol_options);
    memset(&knobs, 0, sizeof knobs);
    halton_options.dims = sobol_options.dims = knobs.knobs = space.knobs;
    halton_options.scramble = d == REVERSE_HALTON ? SOOTH_HALTON_REVERSE : SOOTH_HALTON_PLAIN;
    if (d == NIEDERREITER) sobol_options.numbers = SOOTH_SOBOL_NIEDERREITER;
    for (uint32_t k = 0; k < space.knobs; ++k) levels[k] = space.axis[k].levels;
    knobs.levels = levels;
    if ((d < SOBOL ? sooth_halton_init(&env, &halton_options, memory, sizeof memory, &halton)
                   : sooth_sobol_init(&env, &sobol_options, memory, sizeof memory, &sobol)) != SOOTH_OK ||
        sooth_grid_init(&env, &knobs, touched, sizeof touched, &grid) != SOOTH_OK)
        return 0;
    grid->next = d != NIEDERREITER;
    for (uint32_t i = 0; i < n; ++i) {
        if (!(d < SOBOL ? sooth_grid_next(grid, sooth_halton_row, halton, at)
                        : sooth_grid_next(grid, sooth_sobol_row, sobol, at)))
            return 0;
        which[i] = 0;
        for (uint32_t k = 0; k < space.knobs; ++k) which[i] = which[i] * levels[k] + at[k];
    }
    return 1;
}

/* ---- how well the rest is predicted ---- */

typedef enum method { P_NORM, SUM, TIME_LOG, POWER, POWER_LOG, METHODS } method;
static const char *const method_name[METHODS] = {"time: p-norm", "sum", "log-linear", "power: law",
                                                 "log-linear"};

static void logs_of(uint32_t which, float *x) {
    for (uint32_t k = 0; k < space.knobs; ++k) x[k] = (float)log((double)rows[which * space.knobs + k]);
}

/* Computes the mean of 100 |predicted / measured - 1| over the configurations not run. p: the exponent of
   the law. */
static int error_of(uint32_t a, method m, const uint32_t *which, uint32_t n, double *error, double *p) {
    float x[MOST_RUNS * SOOTH_SPACE_MAX_KNOBS], y[MOST_RUNS], row[SOOTH_SPACE_MAX_KNOBS];
    const int logs = m == TIME_LOG || m == POWER_LOG, power = m >= POWER;
    const float *value = truth[a][power];
    sooth_linear *plane = NULL;
    sooth_space_options options;
    sooth_space_law law;
    double sum = 0.0;
    uint32_t shown, i;
    memset(&options, 0, sizeof options);
    options.space = &space;
    options.power = (uint32_t)power;
    options.p = m == SUM;
    for (i = 0; i < n; ++i) {
        memcpy(x + i * space.knobs, rows + which[i] * space.knobs, space.knobs * sizeof(float));
        if (logs) logs_of(which[i], x + i * space.knobs);
        y[i] = logs ? (float)log((double)value[which[i]]) : value[which[i]];
    }
    sooth_table table = sooth_table_of(x, y, n, space.knobs);
    if ((logs ? sooth_linear_fit(&env, &table, NULL, &plane)
              : sooth_space_fit(&env, &table, &options, &law)) != SOOTH_OK)
        return 0;
    for (i = 0; i < configurations; ++i) {
        for (shown = 0; shown < n && which[shown] != i;) ++shown;
        if (shown < n) continue;
        logs_of(i, row);
        const double said = logs ? exp((double)sooth_linear_predict(plane, row))
                                 : (double)sooth_space_predict(&space, &law, rows + i * space.knobs);
        sum += 100.0 * fabs(said / (double)value[i] - 1.0) / (configurations - n);
    }
    *error = sum;
    if (p && !logs) *p = (double)law.p;
    sooth_linear_free(&env, plane);
    return 1;
}

static void print_errors(uint32_t n) {
    uint32_t which[MOST_RUNS];
    printf("\n  %2u runs of each program         ", (unsigned)n);
    for (uint32_t m = 0; m < METHODS; ++m) printf("%14s", method_name[m]);
    printf("\n");
    for (uint32_t d = 0; d < DESIGNS; ++d) {
        double mean[METHODS] = {0, 0, 0, 0, 0}, error;
        uint32_t fits[METHODS] = {0, 0, 0, 0, 0};
        if (!points_of((design)d, n, which)) continue;
        for (uint32_t m = 0; m < METHODS; ++m)
            for (uint32_t a = 0; a < programs; ++a)
                if (error_of(a, (method)m, which, n, &error, NULL)) {
                    mean[m] += error / programs;
                    ++fits[m];
                }
        printf("  %-32s", design_name[d]);
        for (uint32_t m = 0; m < METHODS; ++m)
            if (fits[m] == programs) printf("%14.2f", mean[m]);
            else printf("%14s", "-"); /* runs that cannot separate the coefficients */
        printf("\n");
    }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Computes the mean of 100 |predicted / measured - 1| from one run of each program, at the highest levels.
   Other configurations are predicted as that times a factor: the median ratio of the other programs. */
static double one_run_error(uint32_t power) {
    const uint32_t last = configurations - 1;
    double sum = 0.0, ratio[MOST_PROGRAMS];
    for (uint32_t a = 0; a < programs; ++a)
        for (uint32_t i = 0; i < last; ++i) {
            uint32_t n = 0;
            for (uint32_t b = 0; b < programs; ++b)
                if (b != a) ratio[n++] = (double)truth[b][power][i] / (double)truth[b][power][last];
            qsort(ratio, n, sizeof *ratio, ascending);
            const double median = 0.5 * (ratio[(n - 1) / 2] + ratio[n / 2]);
            sum += fabs(median * (double)truth[a][power][last] / (double)truth[a][power][i] - 1.0);
        }
    return 100.0 * sum / programs / last;
}

/* ---- what is chosen ---- */

/* Choices of one kind: counts of best, worse and broken ones. Losses, in per cent, are of those that keep
   the bound. */
typedef struct tally {
    double verdict[3], loss, runs;
} tally;

enum { MIN_POWER, MIN_TIME, MIN_ENERGY, KINDS };

/* De Sensi's eq. 9: the i-th of ten bounds from the min to the max, of power for MIN_TIME, otherwise of
   time. */
static sooth_configure_goal goal_of(uint32_t a, uint32_t kind, uint32_t i, double risk) {
    sooth_configure_goal goal;
    const float *value = truth[a][kind == MIN_TIME];
    float low = value[0], high = value[0];
    for (uint32_t k = 1; k < configurations; ++k) {
        if (value[k] < low) low = value[k];
        if (value[k] > high) high = value[k];
    }
    memset(&goal, 0, sizeof goal);
    goal.minimum = kind == MIN_POWER  ? SOOTH_CONFIGURE_POWER
                   : kind == MIN_TIME ? SOOTH_CONFIGURE_TIME
                                      : SOOTH_CONFIGURE_ENERGY;
    *(kind == MIN_TIME ? &goal.most_power : &goal.most_time) =
        ((double)low + (double)(high - low) * i / BOUNDS) * (1 + 1e-6);
    goal.risk = risk;
    return goal;
}

static void judge(uint32_t a, const sooth_configure_goal *goal, uint32_t which, double runs, tally *t) {
    const sooth_configure_score score =
        sooth_configure_judge(goal, truth[a][0], truth[a][1], configurations, which);
    t->verdict[score.verdict] += 1;
    if (score.verdict == SOOTH_CONFIGURE_LOSS) t->loss += 100 * score.loss;
    t->runs += runs;
}

static sooth_configure_run run_of(uint32_t a, uint32_t which) {
    sooth_configure_run run;
    run.which = which;
    run.program = a;
    run.time = truth[a][0][which];
    run.power = truth[a][1][which];
    return run;
}

/* Makes all choices for one program from n runs: at once, or verified (run the choice, learn from it,
   choose again). */
static int choices_of(uint32_t a, const uint32_t *which, uint32_t n, double risk, int verified,
                      tally t[KINDS]) {
    for (uint32_t kind = 0; kind < KINDS; ++kind)
        for (uint32_t i = 1; i <= BOUNDS; ++i) {
            sooth_configure_run run[MOST_RUNS];
            sooth_configure_loop loop;
            memset(&loop, 0, sizeof loop);
            loop.configure = machine;
            loop.goal = goal_of(a, kind, i, risk);
            loop.run = run;
            loop.capacity = MOST_RUNS;
            loop.first = loop.runs = n;
            for (uint32_t k = 0; k < n; ++k) run[k] = run_of(a, which[k]);
            do {
                const sooth_configure_run last = run_of(a, loop.which);
                if (sooth_configure_step(&env, &loop, last.time, last.power) != SOOTH_OK) return 0;
            } while (verified && !loop.done);
            judge(a, &loop.goal, loop.which, loop.runs, &t[kind]);
        }
    return 1;
}

static double loss_of(const tally *t) {
    const double kept = t->verdict[0] + t->verdict[1];
    return kept > 0 ? t->loss / kept : 0.0;
}

static int print_programs(const uint32_t *which, uint32_t n) {
    printf("\n  %u runs, farthest apart       error in %%          loss in %%, minPower    loss in %%, "
           "minTime\n  program            p     time    power    at once   verified    at once   verified\n",
           (unsigned)n);
    for (uint32_t a = 0; a < programs; ++a) {
        double error[2], p = 0;
        tally t[2][KINDS];
        memset(t, 0, sizeof t);
        if (!error_of(a, P_NORM, which, n, &error[0], &p) || !error_of(a, POWER, which, n, &error[1], NULL) ||
            !choices_of(a, which, n, 0.5, 0, t[0]) || !choices_of(a, which, n, 0.5, 1, t[1]))
            return fails(env.sentence);
        printf("  %-16.16s %3g %8.2f %8.2f %10.2f %10.2f %10.2f %10.2f\n", program_name[a], p, error[0],
               error[1], loss_of(&t[0][0]), loss_of(&t[1][0]), loss_of(&t[0][1]), loss_of(&t[1][1]));
    }
    return 1;
}

static int print_choices(const uint32_t *which, uint32_t n) {
    static const char *const way[] = {"at once, no margin", "at once, margin of one deviation",
                                      "verified, no margin", "verified, margin"};
    printf("\n  %u bounds each          minPower: best, worse, broken %%, loss, runs | minTime | "
           "minEnergy within a time\n",
           BOUNDS);
    for (uint32_t w = 0; w < 4; ++w) {
        tally t[KINDS];
        memset(t, 0, sizeof t);
        for (uint32_t a = 0; a < programs; ++a)
            if (!choices_of(a, which, n, w % 2 ? 0.0 : 0.5, w / 2, t)) return fails(env.sentence);
        printf("  %-34s", way[w]);
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const double all = programs * (double)BOUNDS / 100;
            printf("%s %5.1f %5.1f %5.1f   %5.2f  %4.2f", kind ? " |" : "", t[kind].verdict[0] / all,
                   t[kind].verdict[1] / all, t[kind].verdict[2] / all, loss_of(&t[kind]),
                   t[kind].runs / all / 100);
        }
        printf("\n");
    }
    return 1;
}

int clocks_report(const char *path, const char *rise) {
    uint32_t which[MOST_RUNS], n, i, k;
    sooth_env_init(&env);
    double v = 1.5;
    if ((rise && sooth_text_to_double(rise, strlen(rise), &v) != strlen(rise)) || !(v >= 0.0 && v <= 8.0))
        return !fails("RISE must be a number between 0 and 8");
    if (!clocks_read(path, (float)v)) return 1;
    if (!machine_init()) return !fails(env.sentence);
    n = sooth_space_coefficients(&space, 0);
    k = sooth_space_coefficients(&space, 1);
    n = (k > n ? k : n) + 1;
    printf("%u programs x %u configurations\n", (unsigned)programs, (unsigned)configurations);
    printf("\nError in %% of the configurations that were not run, mean of the programs\n");
    if (programs > 2)
        printf(
            "\n   1 run, at the highest levels, then as the median of the other programs: time %.2f, power "
            "%.2f\n",
            one_run_error(0), one_run_error(1));
    print_errors(n);
    print_errors(n + 2);
    if (!farthest(n, which)) return !fails(env.sentence);
    printf("\nRuns, farthest apart:");
    for (i = 0; i < n; ++i) {
        printf(i ? ", " : " ");
        for (k = 0; k < space.knobs; ++k)
            printf("%s%g", k ? " x " : "", (double)rows[which[i] * space.knobs + k]);
    }
    printf(" (");
    for (k = 0; k < space.knobs; ++k) printf("%s%s", k ? " x " : "", axis_name[k]);
    printf(")\n");
    if (!print_programs(which, n) || !print_choices(which, n)) return 1;
    printf("\n  Verified: the choice is run, learned from and made again until it was run. Then no bound is "
           "broken.\n");
    return 0;
}
