/* scaling/space.h - scaling laws of time and power over configurations of any counts, clocks and sizes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * scaling.h handles threads and one frequency in detail. Here a configuration has 1 to 8 axes: counts
 * (threads, nodes, multiprocessors), frequencies (of cores, of memory) and sizes (of the work). Their order
 * is free, except that counts come before the clock of their units.
 *
 * For clock k let f_k be its frequency over its lowest, and V_k its voltage over that at its lowest. n_k is
 * the product of the counts before it, if any. n is the product of counts without a later clock. s_i is size
 * i over its smallest value. Then
 *
 *     T = prod_i s_i^e_i (a^p + sum_k ((b_k / f_k)^p + (c_k / (f_k n_k))^p) + (d / n)^p)^(1/p)
 *     P =                 a   + sum_k (b_k f_k V_k^2 + c_k f_k V_k^2 n_k)   + d n
 *
 * with all coefficients but e at 0 or above, and without terms for missing axes. For threads and one clock
 * this is De Sensi's eq. 3 plus a part that no clock speeds up, and nearly his eq. 7 for one socket
 * (Predicting performance and power consumption of parallel applications, PDP 2016). With p = 1 the times of
 * cores and memory add up. With p infinite they overlap, and the longer one counts. Programs are in between.
 * The fit chooses the best p of 1, 1.5, 2, 3, 4, 8. On published measurements of a GPU at 32 pairs of clocks
 * this lowers the error from four runs from 3.8 % to 1.4 % (examples/README.md).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/scaling.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const float memory[] = {810, 3505}, core[] = {595, 785, 975, 1164};
 *         const sooth_space space = {2, {{.kind = SOOTH_AXIS_FREQUENCY, .levels = 2, .value = memory},
 *                                        {.kind = SOOTH_AXIS_FREQUENCY, .levels = 4, .value = core}}};
 *         const sooth_space_options time = {.space = &space};
 *         const float x[] = {810, 595, 810, 1164, 3505, 595, 3505, 1164};  // the corners
 *         const float y[] = {19.92f, 17.31f, 19.19f, 10.42f}, row[] = {3505, 975};
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_space_law law;  // no allocation, nothing to free
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_space_fit(&env, &table, &time, &law) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.1f ms\n", sooth_space_predict(&space, &law, row));
 *         return 0;
 *     }
 *
 * configure.h chooses configurations of such a space, runs them and learns from the results. sooth_grid
 * (halton.h) selects the first configurations to run by any sequence of points. The levels of the axes are
 * its knobs, and configurations have the same numbers there.
 *
 * Cost: a law is sizeof(sooth_space_law) bytes of the caller's memory, without pointers. Nothing is
 * allocated. A prediction takes a logarithm and an exponential per term, in float. A fit of n runs with q
 * coefficients (at most 9) tries 6 values of p. Each takes some 10 rounds of 2 n q^2 + q^3 multiply-adds, and
 * up to 2^q q^3 more if coefficients would be negative. That is 20 microseconds for two clocks, and at worst
 * some 30 milliseconds for eight. Any number of threads can use it at once.
 */
#ifndef SOOTH_SCALING_SPACE_H
#define SOOTH_SCALING_SPACE_H

SOOTHI_C_BEGIN

/* ---- axes ---- */

#define SOOTH_SPACE_MAX_KNOBS 8u /* max number of axes */
#define SOOTH_SPACE_MAX_TERMS 9u /* max coefficients of a law */

typedef enum sooth_axis_kind {
    SOOTH_AXIS_COUNT = 0, /* units that share the work */
    SOOTH_AXIS_FREQUENCY, /* the clock of a component that the work uses */
    SOOTH_AXIS_SIZE       /* of the work; power does not depend on it */
} sooth_axis_kind;

typedef struct sooth_axis {
    uint32_t kind;   /* a sooth_axis_kind */
    uint32_t levels; /* 2 or more */
    /* `levels` values, above 0 and ascending; counts 1 or more */
    const float *value;
    /* frequency axis: the voltage at each level, in any unit, above 0, interpolated between levels. NULL
       means V = f^rise */
    const float *voltage;
    float rise; /* 0 means 1/5, as in scaling.h; at most 8 */
} sooth_axis;

typedef struct sooth_space {
    uint32_t knobs;
    sooth_axis axis[SOOTH_SPACE_MAX_KNOBS];
} sooth_space;

/* ---- a law ---- */

/* Time or power of a program over a space. */
typedef struct sooth_space_law {
    uint32_t knobs;
    uint32_t power;   /* 1 for power, 0 for time */
    uint32_t terms;   /* in c */
    uint32_t rows;    /* runs with a weight above 0 */
    uint32_t freedom; /* rows minus fitted coefficients */
    float p;          /* 1 for power */
    /* a, then b_k and c_k per clock, then d: the time (power) of each part alone, on one unit at the lowest
       clocks and the smallest sizes */
    float c[SOOTH_SPACE_MAX_TERMS];
    float e[SOOTH_SPACE_MAX_KNOBS]; /* the exponent of each size axis; 0 for other axes */
    double sigma;                   /* standard deviation of a run, relative */
    /* root root' sigma^2 = covariance of p ln b, p ln c ..., then of e; rows of 9 */
    double root[SOOTH_SPACE_MAX_TERMS * SOOTH_SPACE_MAX_TERMS];
} sooth_space_law;

/* Returns time or power at a row, one value above 0 per axis. It interpolates between the levels and
   extrapolates beyond them. Voltages are constant beyond their table. The law must come from sooth_space_fit
   over this space. It is not checked, so it must not come from an untrusted source. */
SOOTH_API float sooth_space_predict(const sooth_space *space, const sooth_space_law *law, const float *row);

#ifndef SOOTH_PREDICT_ONLY

/* Checks the axes. Returns SOOTH_BAD_ARGUMENT and names the invalid axis. */
SOOTH_API sooth_status sooth_space_check(sooth_env *env, const sooth_space *space);

/* Lists all configurations, the last axis varying fastest, in the order of sooth_grid. Returns their number,
   and writes at most `capacity` rows of `axes` floats. */
SOOTH_API size_t sooth_space_rows(const sooth_space *space, float *rows, size_t capacity);

/* Returns the number of coefficients, without p. A fit needs this many runs, and one more to determine p. */
SOOTH_API uint32_t sooth_space_coefficients(const sooth_space *space, int power);

typedef struct sooth_space_options {
    const sooth_space *space;
    uint32_t power; /* 1 for power, 0 for time */
    /* 1 to 16; 0 means chosen, or 1 if there are only as many runs as coefficients and all p fit equally */
    double p;
    /* typical relative deviation of runs from the law; has the weight of 4 runs beyond the coefficients. 0
       means 0.03 */
    double noise;
} sooth_space_options;

/* Fits a law to a table: x has a value per axis, y is time or power above 0, weights are optional. Minimises
   the squares of ln y minus the logarithm of the law, by Gauss-Newton. Returns SOOTH_BAD_DATA for fewer runs
   than coefficients, runs that do not determine the coefficients, values not above 0, or a law that overflows
   a float. The law is zeroed after a failure. */
SOOTH_API sooth_status sooth_space_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_space_options *options, sooth_space_law *law);

/* Returns the options power, p and noise by name. */
SOOTH_API sooth_option_list sooth_space_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SCALING_SPACE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SCALING_SPACE_IMPLEMENTED)
#define SOOTH_SCALING_SPACE_IMPLEMENTED
SOOTHI_C_BEGIN

/* Finds f among the levels like soothi_scaling_level. Returns its voltage over the first one. */
SOOTHI_LOCAL float soothi_space_voltage(const sooth_axis *axis, float f) {
    uint32_t i = 0;
    if (!(f > axis->value[0])) return 1.0f;
    while (i + 2 < axis->levels && f >= axis->value[i + 1]) ++i;
    const float above = axis->voltage[i + 1], from = axis->value[i], to = axis->value[i + 1];
    const float part = f < to ? (f - from) / (to - from) : 1.0f;
    return (axis->voltage[i] + part * (above - axis->voltage[i])) / axis->voltage[0];
}

/* Three functions for the type `real` and its log. The float versions predict, the double versions fit.
   clock_of: the logarithm of a clock's factor, 1 / f or f V^2. lines_of: the logarithms of a law's terms at a
   row, in the order of the law's c; returns their number. sizes_of: the logarithms of the sizes, by axis. */
#define SOOTHI_SPACE_LINES_OF(real, clock_of, lines_of, sizes_of, log_of)                               \
    SOOTHI_LOCAL real clock_of(const sooth_axis *axis, float f, int power) {                            \
        const real g = log_of((real)f / (real)axis->value[0]), rise = (real)axis->rise;                 \
        if (!power) return -g;                                                                          \
        if (axis->voltage) return g + (real)2 * log_of((real)soothi_space_voltage(axis, f));            \
        return g + (real)2 * g * (rise > (real)0 ? rise : (real)0.2f);                                  \
    }                                                                                                   \
    SOOTHI_LOCAL uint32_t lines_of(const sooth_space *space, int power, const float *row, real *line) { \
        uint32_t n = 1, counts = 0;                                                                     \
        real units = (real)0;                                                                           \
        line[0] = (real)0;                                                                              \
        for (uint32_t k = 0; k < space->knobs; ++k) {                                                   \
            const sooth_axis *axis = &space->axis[k];                                                   \
            if (axis->kind == SOOTH_AXIS_COUNT) {                                                       \
                ++counts;                                                                               \
                units += log_of((real)row[k]);                                                          \
            } else if (axis->kind == SOOTH_AXIS_FREQUENCY) {                                            \
                const real clock = clock_of(axis, row[k], power);                                       \
                line[n++] = clock;                                                                      \
                if (counts) line[n++] = power ? clock + units : clock - units;                          \
                units = (real)0;                                                                        \
                counts = 0;                                                                             \
            }                                                                                           \
        }                                                                                               \
        if (counts) line[n++] = power ? units : -units;                                                 \
        return n;                                                                                       \
    }                                                                                                   \
    SOOTHI_LOCAL void sizes_of(const sooth_space *space, const float *row, real *line) {                \
        for (uint32_t k = 0; k < space->knobs; ++k)                                                     \
            line[k] = space->axis[k].kind == SOOTH_AXIS_SIZE                                            \
                          ? log_of((real)row[k] / (real)space->axis[k].value[0])                        \
                          : (real)0;                                                                    \
    }
SOOTHI_SPACE_LINES_OF(float, soothi_space_clock_f, soothi_space_lines_f, soothi_space_sizes_f, soothi_log_f)

/* The p-norm is divided by its largest part, so that powers do not overflow. */
SOOTH_API float sooth_space_predict(const sooth_space *space, const sooth_space_law *law, const float *row) {
    float line[SOOTH_SPACE_MAX_TERMS], size[SOOTH_SPACE_MAX_KNOBS], most = 0.0f, sum = 0.0f, work = 0.0f;
    const uint32_t n = soothi_space_lines_f(space, law->power != 0, row, line);
    for (uint32_t j = 0; j < n; ++j) {
        line[j] = law->c[j] * soothi_exp_f(line[j]);
        if (line[j] > most) most = line[j];
    }
    if (law->power) {
        for (uint32_t j = 0; j < n; ++j) sum += line[j];
        return sum;
    }
    if (!(most > 0.0f)) return 0.0f;
    for (uint32_t j = 0; j < n; ++j)
        if (line[j] > 0.0f) sum += soothi_exp_f(law->p * soothi_log_f(line[j] / most));
    soothi_space_sizes_f(space, row, size);
    for (uint32_t k = 0; k < space->knobs; ++k) work += law->e[k] * size[k];
    return most * soothi_exp_f(work + soothi_log_f(sum) / law->p);
}

#ifndef SOOTH_PREDICT_ONLY

SOOTHI_SPACE_LINES_OF(double, soothi_space_clock, soothi_space_lines, soothi_space_sizes, soothi_log)

/* ---- axes ---- */

/* Returns NULL, or the error in an axis. */
SOOTHI_LOCAL const char *soothi_space_axis_wrong(const sooth_axis *axis) {
    if (axis->kind > SOOTH_AXIS_SIZE) return "a kind that is not count, frequency or size";
    if (axis->levels < 2) return "fewer than 2 levels, but an axis must vary";
    if (!axis->value) return "no values";
    if (!(axis->rise >= 0.0f && axis->rise <= 8.0f)) return "a rise that is not between 0 and 8";
    for (uint32_t i = 0; i < axis->levels; ++i) {
        if (!soothi_scaling_positive(axis->value[i]) || (i && !(axis->value[i] > axis->value[i - 1])))
            return "values that are not above 0 and ascending";
        if (axis->kind == SOOTH_AXIS_FREQUENCY && axis->voltage && !soothi_scaling_positive(axis->voltage[i]))
            return "voltages that are not above 0";
    }
    if (axis->kind == SOOTH_AXIS_COUNT && axis->value[0] < 1.0f) return "counts below 1";
    return NULL;
}

SOOTH_API sooth_status sooth_space_check(sooth_env *env, const sooth_space *space) {
    if (!space) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no space");
    if (space->knobs == 0 || space->knobs > SOOTH_SPACE_MAX_KNOBS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the space has %u axes, but must have 1 to %u",
                          space->knobs, SOOTH_SPACE_MAX_KNOBS);
    for (uint32_t k = 0; k < space->knobs; ++k) {
        const char *wrong = soothi_space_axis_wrong(&space->axis[k]);
        if (wrong) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "axis %u has %s", k + 1, wrong);
    }
    return SOOTH_OK;
}

SOOTH_API size_t sooth_space_rows(const sooth_space *space, float *rows, size_t capacity) {
    size_t n = 1;
    for (uint32_t k = 0; k < space->knobs; ++k) n = soothi_product(n, space->axis[k].levels);
    for (size_t i = 0; i < n && i < capacity; ++i) {
        size_t rest = i;
        for (uint32_t k = space->knobs; k-- > 0; rest /= space->axis[k].levels)
            rows[i * space->knobs + k] = space->axis[k].value[rest % space->axis[k].levels];
    }
    return n;
}

/* Sizes have a coefficient in a law of time only. */
SOOTHI_LOCAL uint32_t soothi_space_exponents(const sooth_space *space, int power) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < space->knobs; ++k) n += !power && space->axis[k].kind == SOOTH_AXIS_SIZE;
    return n;
}

SOOTHI_LOCAL uint32_t soothi_space_terms(const sooth_space *space) {
    uint32_t n = 1, counts = 0;
    for (uint32_t k = 0; k < space->knobs; ++k) {
        if (space->axis[k].kind == SOOTH_AXIS_COUNT) counts = 1;
        if (space->axis[k].kind != SOOTH_AXIS_FREQUENCY) continue;
        n += 1 + counts;
        counts = 0;
    }
    return n + counts;
}

SOOTH_API uint32_t sooth_space_coefficients(const sooth_space *space, int power) {
    return soothi_space_terms(space) + soothi_space_exponents(space, power);
}

/* ---- fitting ---- */

SOOTH_API sooth_option_list sooth_space_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_FLAG(sooth_space_options, power, "1: power; 0: time"),
        SOOTHI_NUMBER(sooth_space_options, p, 1, 16, 0,
                      "exponent of the p-norm of times; 0 means chosen by the runs"),
        SOOTHI_NUMBER(sooth_space_options, noise, 1e-6, 1, 0.03,
                      "typical relative deviation of runs from the law")};
    return SOOTHI_OPTIONS(option);
}

/* State of a fit. The coefficients b are (c / level)^p, then the exponents. */
typedef struct soothi_space_job {
    const sooth_table *table;
    const sooth_space *space;
    int power;
    uint32_t terms, columns; /* columns: terms and exponents */
    double p, level;
    double b[SOOTH_SPACE_MAX_TERMS];
    double sse; /* at b */
} soothi_space_job;

/* A run as used by the fit: line holds logarithms of terms, then of sizes. */
typedef struct soothi_space_run {
    double line[SOOTH_SPACE_MAX_TERMS];
    double y;      /* ln of y over the level */
    double weight; /* square root of the table's */
} soothi_space_run;

SOOTHI_LOCAL void soothi_space_read(const soothi_space_job *job, size_t i, soothi_space_run *run) {
    const sooth_table *table = job->table;
    const float *row = table->x + i * table->stride;
    double size[SOOTH_SPACE_MAX_KNOBS];
    uint32_t n = soothi_space_lines(job->space, job->power, row, run->line);
    soothi_space_sizes(job->space, row, size);
    for (uint32_t k = 0; k < job->space->knobs && !job->power; ++k)
        if (job->space->axis[k].kind == SOOTH_AXIS_SIZE) run->line[n++] = size[k];
    run->y = soothi_log((double)table->y[i * table->targets] / job->level);
    run->weight = soothi_sqrt(table->weight ? (double)table->weight[i] : 1.0);
}

/* part_j = b_j u_j^p, without b if it is NULL. Returns the work, sum e ln s. */
SOOTHI_LOCAL double soothi_space_parts(const soothi_space_job *job, const soothi_space_run *run,
                                       const double *b, double *part) {
    double work = 0.0;
    for (uint32_t j = 0; j < job->terms; ++j) {
        part[j] = soothi_exp(job->p * run->line[j]);
        if (b) part[j] *= b[j];
    }
    for (uint32_t j = job->terms; j < job->columns; ++j) work += (b ? b[j] : 1.0) * run->line[j];
    return work;
}

/* sum w (ln y - ln T)^2. */
SOOTHI_LOCAL double soothi_space_sse(const soothi_space_job *job, const double *b) {
    double part[SOOTH_SPACE_MAX_TERMS], squares = 0.0;
    soothi_space_run run;
    for (size_t i = 0; i < job->table->rows; ++i) {
        double sum = 0.0;
        soothi_space_read(job, i, &run);
        const double work = soothi_space_parts(job, &run, b, part);
        for (uint32_t j = 0; j < job->terms; ++j) sum += part[j];
        const double error = run.weight * (run.y - work - soothi_log(sum) / job->p);
        if (run.weight > 0.0) squares += error * error;
    }
    return squares;
}

/* Sets up the first problem: work with e = 1, sum_j b_j (u_j s / y)^p = 1. */
SOOTHI_LOCAL void soothi_space_begin(const soothi_space_job *job, soothi_scaling_problem *problem) {
    double part[SOOTH_SPACE_MAX_TERMS];
    soothi_space_run run;
    memset(problem, 0, sizeof *problem);
    problem->n = job->terms;
    for (size_t i = 0; i < job->table->rows; ++i) {
        soothi_space_read(job, i, &run);
        const double work = soothi_space_parts(job, &run, NULL, part);
        const double over = soothi_exp(job->p * (work - run.y));
        for (uint32_t j = 0; j < job->terms; ++j) part[j] *= over;
        if (run.weight > 0.0) soothi_scaling_row(problem, part, 1.0, run.weight);
    }
    soothi_scaling_flush(problem);
}

/* Linearises ln T = ln(sum_j b_j u_j^p) / p + sum e ln s at b. There d ln T / d b_j = u_j^p / (p sum), so the
   b part of the linear function is 1 / p at b itself. */
SOOTHI_LOCAL void soothi_space_straighten(const soothi_space_job *job, soothi_scaling_problem *problem) {
    double x[SOOTH_SPACE_MAX_TERMS];
    soothi_space_run run;
    memset(problem, 0, sizeof *problem);
    problem->n = job->columns;
    for (size_t i = 0; i < job->table->rows; ++i) {
        double sum = 0.0;
        soothi_space_read(job, i, &run);
        soothi_space_parts(job, &run, NULL, x);
        for (uint32_t j = 0; j < job->terms; ++j) sum += job->b[j] * x[j];
        for (uint32_t j = 0; j < job->terms; ++j) x[j] /= job->p * sum;
        for (uint32_t j = job->terms; j < job->columns; ++j) x[j] = run.line[j];
        if (run.weight > 0.0)
            soothi_scaling_row(problem, x, run.y - soothi_log(sum) / job->p + 1.0 / job->p, run.weight);
    }
    soothi_scaling_flush(problem);
}

/* Finds the best b for this p. job->sse is not finite if there is none. */
SOOTHI_LOCAL void soothi_space_solve(soothi_space_job *job) {
    soothi_scaling_problem problem;
    double rest;
    soothi_space_begin(job, &problem);
    soothi_scaling_solve(&problem, soothi_scaling_non_negative(&problem, 0, 0), job->b, &rest, NULL, 0);
    for (uint32_t j = job->terms; j < job->columns; ++j) job->b[j] = 1.0;
    job->sse = soothi_space_sse(job, job->b);
    for (uint32_t round = 0; round < 50 && soothi_finite(job->sse); ++round) {
        double to[SOOTH_SPACE_MAX_TERMS], sse;
        const double before = job->sse;
        soothi_space_straighten(job, &problem);
        const uint32_t held = soothi_scaling_non_negative(&problem, 0, job->columns - job->terms);
        soothi_scaling_solve(&problem, held, to, &rest, NULL, 0);
        for (uint32_t half = 0; half < 20; ++half) {
            sse = soothi_space_sse(job, to);
            if (sse < before) {
                memcpy(job->b, to, sizeof to);
                job->sse = sse;
                break;
            }
            for (uint32_t j = 0; j < job->columns; ++j) to[j] = 0.5 * (to[j] + job->b[j]);
        }
        if (!(job->sse < before * (1.0 - 1e-12))) break;
    }
}

SOOTHI_LOCAL sooth_status soothi_space_check_table(sooth_env *env, const sooth_table *table,
                                                   const sooth_space_options *options, size_t wanted,
                                                   size_t *runs) {
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (table->targets != 1 || table->cols != options->space->knobs)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z columns and %z targets, but must have a column for each of %u "
                          "axes and one target",
                          table->cols, table->targets, options->space->knobs);
    *runs = 0;
    for (size_t i = 0; i < table->rows; ++i) {
        const float y = table->y[i * table->targets];
        *runs += !table->weight || table->weight[i] > 0.0f;
        for (size_t k = 0; k < table->cols; ++k)
            if (!soothi_scaling_positive(table->x[i * table->stride + k]))
                return sooth_fail(env, SOOTH_BAD_DATA, "row %z has %f on axis %z, but it must be above 0",
                                  i + 1, (double)table->x[i * table->stride + k], k + 1);
        if (!soothi_scaling_positive(y))
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z has a %s of %f, but it must be above 0", i + 1,
                              options->power ? "power" : "time", (double)y);
    }
    if (*runs >= wanted) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA, "there are %z runs, but the law of %s has %z coefficients", *runs,
                      options->power ? "power" : "time", wanted);
}

/* Converts the best b to the law. */
SOOTHI_LOCAL sooth_status soothi_space_finish(sooth_env *env, const soothi_space_job *job, double noise,
                                              int chosen, sooth_space_law *law) {
    enum { N = SOOTH_SPACE_MAX_TERMS };
    soothi_scaling_problem problem;
    double b[N], rest;
    uint32_t held = 0, fitted = job->columns + (uint32_t)chosen, j;
    for (j = 0; j < job->terms; ++j) held |= (job->b[j] > 0.0 ? 0u : 1u) << j;
    soothi_space_straighten(job, &problem);
    soothi_scaling_solve(&problem, held, b, &rest, law->root, N);
    for (j = 0; j < job->terms; ++j) {
        fitted -= held >> j & 1u;
        for (uint32_t k = 0; k < N && job->b[j] > 0.0; ++k) law->root[j * N + k] /= job->b[j];
        law->c[j] = 0.0f;
        if (job->b[j] > 0.0) law->c[j] = (float)(job->level * soothi_exp(soothi_log(job->b[j]) / job->p));
    }
    for (uint32_t k = 0; k < job->space->knobs && !job->power; ++k)
        if (job->space->axis[k].kind == SOOTH_AXIS_SIZE) law->e[k] = (float)job->b[j++];
    law->knobs = job->space->knobs;
    law->power = (uint32_t)job->power;
    law->terms = job->terms;
    law->p = (float)job->p;
    law->freedom = law->rows > fitted ? law->rows - fitted : 0;
    law->sigma = soothi_sqrt((4.0 * noise * noise + job->sse) / (4.0 + (double)law->freedom));
    for (size_t i = 0; i < job->table->rows; ++i) {
        const float *row = job->table->x + i * job->table->stride;
        const float said = sooth_space_predict(job->space, law, row);
        if (!soothi_scaling_positive(said))
            return sooth_fail(env, SOOTH_BAD_DATA, "the law predicts %G for row %z, which overflows a float",
                              (double)said, i + 1);
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_space_fit(sooth_env *env, const sooth_table *table,
                                           const sooth_space_options *options, sooth_space_law *law) {
    static const double tried[] = {1.0, 1.5, 2.0, 3.0, 4.0, 8.0};
    const int chosen = !options->power && !(options->p > 0.0);
    soothi_space_job job, best;
    soothi_scaling_problem problem;
    double logs = 0.0, rest;
    size_t runs = 0;
    memset(&job, 0, sizeof job);
    job.table = table;
    job.space = options->space;
    job.power = options->power != 0;
    job.terms = soothi_space_terms(options->space);
    job.columns = sooth_space_coefficients(options->space, job.power);
    sooth_status status = soothi_space_check_table(env, table, options, job.columns, &runs);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < table->rows; ++i) logs += soothi_log((double)table->y[i]);
    job.level = soothi_exp(logs / (double)table->rows);
    best = job;
    best.sse = SOOTHI_INFINITE;
    for (uint32_t i = 0; i < (chosen ? sizeof tried / sizeof tried[0] : 1u); ++i) {
        job.p = chosen ? tried[i] : job.power ? 1.0 : options->p;
        soothi_space_solve(&job);
        if (i == 0 && soothi_finite(job.sse)) {
            double b[SOOTH_SPACE_MAX_TERMS];
            soothi_space_straighten(&job, &problem);
            const size_t rank = soothi_scaling_solve(&problem, 0, b, &rest, NULL, 0);
            if (rank < job.columns)
                return sooth_fail(
                    env, SOOTH_BAD_DATA,
                    "the runs determine only %z of the %u coefficients of the law of %s; vary every axis",
                    rank, job.columns, job.power ? "power" : "time");
        }
        /* (a millionth of y does not justify another p) */
        if (job.sse < best.sse - 1e-12 * (double)runs) best = job;
    }
    if (!soothi_finite(best.sse))
        return sooth_fail(env, SOOTH_BAD_DATA, "the values of the runs differ too much for a law in floats");
    law->rows = (uint32_t)runs;
    return soothi_space_finish(env, &best, options->noise > 0.0 ? options->noise : 0.03, chosen, law);
}

SOOTH_API sooth_status sooth_space_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_space_options *options, sooth_space_law *law) {
    memset(law, 0, sizeof *law);
    if (!options) return sooth_space_check(env, NULL);
    sooth_status status = sooth_option_check(env, sooth_space_options_list(), options);
    if (status == SOOTH_OK) status = sooth_space_check(env, options->space);
    if (status == SOOTH_OK) status = soothi_space_fit(env, table, options, law);
    if (status != SOOTH_OK) memset(law, 0, sizeof *law);
    return status;
}

/* With part_j the fraction of term j in the sum: d ln T = sum part_j d(ln b_j) / p + sum ln s de. */
SOOTHI_LOCAL double soothi_space_predict_error(const sooth_space *space, const sooth_space_law *law,
                                               const float *row, int new_run) {
    enum { N = SOOTH_SPACE_MAX_TERMS };
    double x[N], size[SOOTH_SPACE_MAX_KNOBS], sum = 0.0, squares = 0.0, most = 0.0;
    const double p = (double)law->p;
    uint32_t n = soothi_space_lines(space, law->power != 0, row, x);
    for (uint32_t j = 0; j < n; ++j) {
        x[j] = (double)law->c[j] * soothi_exp(x[j]);
        if (x[j] > most) most = x[j];
    }
    for (uint32_t j = 0; j < n; ++j) sum += x[j] = x[j] > 0.0 ? soothi_exp(p * soothi_log(x[j] / most)) : 0.0;
    for (uint32_t j = 0; j < n; ++j) x[j] /= p * sum;
    soothi_space_sizes(space, row, size);
    for (uint32_t k = 0; k < space->knobs && !law->power; ++k)
        if (space->axis[k].kind == SOOTH_AXIS_SIZE) x[n++] = size[k];
    for (uint32_t k = 0; k < n; ++k) {
        double along = 0.0;
        for (uint32_t j = 0; j < n; ++j) along += x[j] * law->root[j * N + k];
        squares += along * along;
    }
    return law->sigma * soothi_sqrt(squares + (new_run ? 1.0 : 0.0));
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
