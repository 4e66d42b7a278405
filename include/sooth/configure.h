/* configure.h - which threads and frequency (or counts, clocks, sizes) to run, and what to measure next.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A machine can run a program in hundreds of configurations. A few are measured, and the others are predicted
 * by scaling.h, by scaling/space.h for other axes, or by any predictor. The best one that meets a bound is
 * chosen.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/configure.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[948];  // sooth_configure_size(32, 2) bytes
 *         const sooth_configure_run run[] = {{3, 0, 90, 31}, {12, 0, 30, 52}, {21, 0, 17, 75}};
 *         sooth_configure_options options = {
 *             .machine = {.cores = 8, .levels = 4, .frequency = {1.2f, 1.6f, 2.0f, 2.4f}}};
 *         sooth_configure_goal goal = {.most_time = 25};  // else zero: least power, usual margin
 *         sooth_configure_choice choice;
 *         sooth_configure *machine;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_configure_init(&env, &options, NULL, 0, 2, memory, sizeof memory, &machine) ||
 *             sooth_configure_fit(&env, machine, run, 3) ||
 *             sooth_configure_choose(&env, machine, &goal, &choice))
 *             return puts(env.sentence), 1;
 *         printf("%g threads ", machine->row[2 * choice.which]);
 *         printf("at %g GHz: ", machine->row[2 * choice.which + 1]);
 *         printf("%.1f s, %.0f W\n", choice.time, choice.power);
 *         return 0;
 *     }
 *
 * Notes
 *
 * Use one object per thread. To act on a choice, run it, learn from the result, and choose again:
 * sooth_configure_step.
 *
 * Method and references
 *
 * D. De Sensi: Predicting performance and power consumption of parallel applications, PDP 2016:
 *
 *     minPower(tau)   the least power among configurations that take at most tau
 *     minTime(pi)     the least time among configurations that draw at most pi
 *
 * The best configuration lies on the bound, and the search favours configurations whose error is in their
 * favour. So even exact power and a time model that is right to 98 % break many bounds. Therefore a
 * configuration is allowed only if its prediction plus `margin` standard deviations still meets the bound.
 * The margin follows from the probability of breaking the bound, which is the parameter.
 *
 * Cost
 *
 * The caller provides sooth_configure_size bytes; only sooth_configure_fit_priors allocates. Fitting 4 runs
 * and searching 312 configurations takes about 10 microseconds on a server core (gcc -O2; build/bench
 * task=scaling). sooth_configure_next takes 110 to 200.
 */
#if !defined(SOOTH_CONFIGURE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFIGURE_IMPLEMENTED))
#include "scaling.h"
#endif

#ifndef SOOTH_CONFIGURE_H
#define SOOTH_CONFIGURE_H

SOOTHI_C_BEGIN

#ifndef SOOTH_PREDICT_ONLY

/* ---- the configurations and what is predicted for them ---- */

typedef struct sooth_configure_options {
    sooth_scaling_machine machine;
    uint32_t time_law;     /* 0 means SOOTH_SCALING_TIME_LOG; a law of time with at most two features */
    uint32_t power_law;    /* 0 means SOOTH_SCALING_POWER_SPEED; a law of power */
    uint32_t loss;         /* a sooth_scaling_loss */
    uint32_t non_negative; /* see sooth_scaling_options */
    /* NULL means sooth_scaling_prior_usual for the laws it covers, else no prior */
    const sooth_scaling_prior *time_prior;
    const sooth_scaling_prior *power_prior;
    /* NULL, or the space to configure instead of the machine's threads and frequency. The laws are then those
       of scaling/space.h, and the fields above are ignored. The caller keeps it, unchanged */
    const sooth_space *space;
} sooth_configure_options;

/* One measurement. */
typedef struct sooth_configure_run {
    uint32_t which;   /* configuration, from 0 */
    uint32_t program; /* for sooth_configure_fit_priors */
    float time, power;
} sooth_configure_run;

/* Errors are relative standard deviations of a run; NaN means unknown. Measured configurations have their
   measured values and error 0. */
typedef struct sooth_configure {
    uint32_t count;   /* configurations */
    uint32_t knobs;   /* values in a row */
    const float *row; /* count x knobs; for the laws: threads, frequency */
    float *time;      /* count values each, filled by _fit, or by the caller from another model */
    float *power;
    float *time_error;
    float *power_error;
    unsigned char *measured; /* 1: measured */
    float *speed;            /* work per second over its mean, for POWER_SPEED */
    float *time_term;        /* terms of the laws, in blocks of 8 configurations */
    float *power_term;
    uint32_t fitted; /* 1: the models below are fitted */
    sooth_configure_options options;
    sooth_scaling_prior usual[2];
    sooth_scaling time_model;
    sooth_scaling power_model;
    sooth_space_law law[2]; /* used with options.space instead of the models: time, power */
} sooth_configure;

/* Returns the bytes of memory for this many configurations of this many knobs. */
SOOTH_API size_t sooth_configure_size(size_t count, size_t knobs);

/* Makes an object at the start of memory[0..size), aligned like malloc's. rows: count x knobs, kept by the
   caller. rows
   NULL means all configurations of options->machine or of options->space. For a machine, count is ignored and
   knobs must be 2 (every thread count at every frequency). For a space, the knobs are its axes (see
   sooth_space_rows). If options is NULL, or has a machine without cores and no space, nothing can be fitted:
   the caller writes time, power and their errors. SOOTH_NO_MEMORY states the size. */
SOOTH_API sooth_status sooth_configure_init(sooth_env *env, const sooth_configure_options *options,
                                            const float *rows, size_t count, size_t knobs, void *memory,
                                            size_t size, sooth_configure **configure);

/* Fits time and power to the runs of one program and predicts every configuration. With priors any number of
   runs is enough, even 0: then it predicts the priors at level 1. A space has no priors and needs as many
   runs as sooth_space_coefficients. */
SOOTH_API sooth_status sooth_configure_fit(sooth_env *env, sooth_configure *configure,
                                           const sooth_configure_run *run, size_t runs);

/* Learns priors for time and power from runs of two or more programs. `learn` holds the options of both (see
   sooth_scaling_fit_prior); NULL means defaults. Point options.time_prior and power_prior at the priors, or
   pass them to sooth_configure_init. Overwrites the predictions. Allocates 40 bytes per run and frees them.
   Returns SOOTH_BAD_ARGUMENT for a space, whose laws have no priors. */
SOOTH_API sooth_status sooth_configure_fit_priors(sooth_env *env, sooth_configure *configure,
                                                  const sooth_configure_run *run, size_t runs,
                                                  const sooth_scaling_prior_options *learn,
                                                  sooth_scaling_prior *time_prior,
                                                  sooth_scaling_prior *power_prior);

/* ---- choosing ---- */

typedef enum sooth_configure_minimum {
    SOOTH_CONFIGURE_POWER = 0,
    SOOTH_CONFIGURE_TIME,
    SOOTH_CONFIGURE_ENERGY,        /* power x time */
    SOOTH_CONFIGURE_ENERGY_DELAY,  /* power x time^2 */
    SOOTH_CONFIGURE_ENERGY_DELAY2, /* power x time^3 */
    SOOTH_CONFIGURE_MINIMA
} sooth_configure_minimum;

typedef struct sooth_configure_goal {
    uint32_t minimum;  /* a sooth_configure_minimum */
    double most_time;  /* 0 means no bound */
    double most_power; /* 0 means no bound */
    /* probability that the choice breaks a bound, 0 < risk < 1. 0 means 0.1587, one standard deviation; 0.5
       gives no margin */
    double risk;
} sooth_configure_goal;

typedef struct sooth_configure_choice {
    uint32_t which;
    int feasible; /* 0: no configuration meets the bounds with this risk; this is the closest one */
    double time;  /* expected */
    double power;
    double violation; /* how far the expected value exceeds a bound: 0.1 is 10 %; 0: it does not */
    double risk;      /* probability that a run breaks a bound (the maximum of both) */
} sooth_configure_choice;

/* Chooses the best configuration that meets the bounds. If there is none, returns SOOTH_BAD_ARGUMENT,
   describes the closest one and its violation in the sentence, and stores it in *choice. O(count). */
SOOTH_API sooth_status sooth_configure_choose(sooth_env *env, const sooth_configure *configure,
                                              const sooth_configure_goal *goal,
                                              sooth_configure_choice *choice);

/* ---- judging a choice (De Sensi, section IV-D) ---- */

typedef enum sooth_configure_verdict {
    SOOTH_CONFIGURE_SUCCESS = 0, /* as good as the ideal choice */
    SOOTH_CONFIGURE_LOSS,        /* meets the bounds, but is not the best that does */
    SOOTH_CONFIGURE_MISS         /* breaks a bound */
} sooth_configure_verdict;

typedef struct sooth_configure_score {
    uint32_t verdict;
    uint32_t ideal;   /* the best choice given the actual values */
    double loss;      /* value of the minimised quantity over the ideal, minus 1 */
    double violation; /* for a MISS: over the bound, minus 1 */
} sooth_configure_score;

/* Judges the configuration `which` by the actual times and powers, count values each. If no configuration
   meets the bounds, the closest is ideal and every other choice is a MISS. */
SOOTH_API sooth_configure_score sooth_configure_judge(const sooth_configure_goal *goal,
                                                      const float *actual_time, const float *actual_power,
                                                      size_t count, size_t which);

/* ---- what to measure next ---- */

typedef enum sooth_configure_design {
    /* lowers the mean squared error of all predictions most, for accuracy: their variance, and from the
       fourth run on the misfit of the laws, by spreading the runs evenly */
    SOOTH_CONFIGURE_I = 0,
    /* has the largest variance itself, which lowers the volume of the coefficients' ellipsoid most */
    SOOTH_CONFIGURE_D
} sooth_configure_design;

typedef struct sooth_configure_experiment {
    uint32_t which;
    int enough; /* 1: the mean prediction is as certain as a run (error_now <= noise of both laws) */
    /* root mean square over all configurations of the relative error of the expected time, now */
    double time_error;
    double power_error;
    double time_after; /* expected time_error after this experiment */
    double power_after;
} sooth_configure_experiment;

/* Finds the configuration, not yet measured, whose run teaches most about time and power. Call it after
   sooth_configure_fit. Stop at `enough`, or if _after is hardly below the current error; more runs then only
   even out the misfit of the laws. Returns SOOTH_BAD_ARGUMENT if nothing is fitted, if the errors are
   unknown, or if all is measured. O(count x terms^2). For a space, it is the configuration farthest from all
   measured ones, for any design, with each axis scaled to length 1 (Kennard and Stone, Technometrics 11,
   1969). The ends of the axes come first, so that the laws need not extrapolate. _after is then NaN. O(count
   x runs). */
SOOTH_API sooth_status sooth_configure_next(sooth_env *env, const sooth_configure *configure,
                                            sooth_configure_design design, sooth_configure_experiment *next);

/* ---- the closed loop ---- */

/* Measures, fits, chooses, runs the choice and learns from it, until the choice is one that was run: that one
   certainly meets the bounds. Zero the struct, set configure, goal, run and capacity, and call
   sooth_configure_step. */
typedef struct sooth_configure_loop {
    sooth_configure *configure;
    sooth_configure_goal goal;
    sooth_configure_run *run; /* buffer for measurements */
    uint32_t capacity;        /* `first` + 1 or more */
    uint32_t runs;            /* so far; may include existing runs from the start */
    /* experiments to learn from before choosing; 0 means 3, or for a space one more than its laws have
       coefficients */
    uint32_t first;
    /* runs after which a choice that meets the bounds is accepted; 0 means 7, or for a space `capacity`. If
       bounds are broken, up to `capacity` runs are made */
    uint32_t most;
    uint32_t waiting;              /* 1: waiting for the measurement of `which` */
    uint32_t which;                /* to run next, or the final choice if done */
    uint32_t done;                 /* 1: finished */
    sooth_configure_choice choice; /* the last */
} sooth_configure_loop;

/* Takes the time and power of a run of loop->which (ignored in the first call). Sets loop->which to the
   next run, or sets loop->done. If no configuration meets the bounds, loop->choice.feasible is 0 when done
   is set. */
SOOTH_API sooth_status sooth_configure_step(sooth_env *env, sooth_configure_loop *loop, float time,
                                            float power);

/* Return the names, help and ranges of the options and of the goal's fields. */
SOOTH_API sooth_option_list sooth_configure_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_CONFIGURE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_CONFIGURE_IMPLEMENTED)
#define SOOTH_CONFIGURE_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* ---- configurations ---- */

/* Configurations are processed eight at a time: loops of a fixed length become vector instructions, and sums
   have the same order everywhere. */
enum { SOOTHI_CONFIGURE_LANES = 8, SOOTHI_CONFIGURE_BLOCK = 8 * SOOTH_SCALING_MAX_TERMS };

SOOTHI_LOCAL size_t soothi_configure_padded(size_t count) { return (count + 7u) & ~(size_t)7u; }

SOOTH_API size_t sooth_configure_size(size_t count, size_t knobs) {
    size_t padded = soothi_configure_padded(count);
    if (count > UINT32_MAX / 64 || knobs > UINT32_MAX / 64) return SIZE_MAX;
    return soothi_round16(sizeof(sooth_configure)) +
           soothi_product(padded, (knobs + 5 + 2 * SOOTH_SCALING_MAX_TERMS) * sizeof(float) + 1);
}

SOOTH_API sooth_option_list sooth_configure_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_configure_options, time_law, 1, SOOTH_SCALING_TIME_LOG, SOOTH_SCALING_TIME_LOG,
                     "number of the law of time (sooth_scaling_law)"),
        SOOTHI_COUNT(sooth_configure_options, power_law, SOOTH_SCALING_POWER, SOOTH_SCALING_POWER_SPEED,
                     SOOTH_SCALING_POWER_SPEED, "number of the law of power (sooth_scaling_law)"),
        SOOTHI_CHOICE(sooth_configure_options, loss, "relative|absolute|log", "which errors are squared"),
        SOOTHI_FLAG(sooth_configure_options, non_negative, "1: no coefficient below 0")};
    return SOOTHI_OPTIONS(option);
}

SOOTHI_LOCAL sooth_option_list soothi_configure_goal_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_configure_goal, minimum, "power|time|energy|energy_delay|energy_delay2",
                      "quantity to minimise"),
        SOOTHI_NUMBER(sooth_configure_goal, most_time, 1e-300, 1e300, 0, "bound; 0 means none"),
        SOOTHI_NUMBER(sooth_configure_goal, most_power, 1e-300, 1e300, 0, "bound; 0 means none"),
        SOOTHI_NUMBER(sooth_configure_goal, risk, 1e-12, 0.999, 0.15865525393145707,
                      "probability that the choice breaks a bound; 0.5 gives no margin")};
    return SOOTHI_OPTIONS(option);
}

/* Computes the terms of a law at all configurations, lane by lane; s is 1. Lanes after the last repeat it. */
SOOTHI_LOCAL void soothi_configure_terms(const sooth_configure *c, uint32_t law, float *term) {
    double unit[8];
    float unit_f[8], x[SOOTH_SCALING_MAX_TERMS] = {0.0f}, row[3];
    size_t padded = soothi_configure_padded(c->count);
    soothi_scaling_units(law, &c->options.machine, unit);
    for (uint32_t j = 0; j < 8; ++j) unit_f[j] = (float)unit[j];
    for (size_t i = 0; i < padded; ++i) {
        const size_t at = i < c->count ? i : c->count - 1;
        row[0] = c->row[at * c->knobs];
        row[1] = c->knobs > 1 ? c->row[at * c->knobs + 1] : c->options.machine.frequency[0];
        row[2] = 1.0f;
        soothi_scaling_terms_f(law, &c->options.machine, row, unit_f, x);
        for (uint32_t j = 0; j < SOOTH_SCALING_MAX_TERMS; ++j)
            term[i / SOOTHI_CONFIGURE_LANES * SOOTHI_CONFIGURE_BLOCK + j * SOOTHI_CONFIGURE_LANES +
                 i % SOOTHI_CONFIGURE_LANES] = x[j];
    }
}

/* Checks options and shape. Fills in the defaults, and the count of the configurations if there are no
   rows. */
SOOTHI_LOCAL sooth_status soothi_configure_resolve(sooth_env *env, const sooth_configure_options *options,
                                                   const float *rows, size_t *count, size_t knobs,
                                                   sooth_configure_options *o) {
    memset(o, 0, sizeof *o);
    if (options) {
        const char *wrong = soothi_scaling_machine_wrong(&options->machine, 1);
        sooth_status status = sooth_option_check(env, sooth_configure_options_list(), options);
        if (status != SOOTH_OK) return status;
        if (wrong) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the machine has %s", wrong);
        *o = *options;
    }
    soothi_option_fill(sooth_configure_options_list(), o);
    if (!o->machine.sockets) o->machine.sockets = 1;
    if (o->space) {
        sooth_status status = sooth_space_check(env, o->space);
        if (status != SOOTH_OK) return status;
        if (knobs != o->space->knobs)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rows have %z knobs, but the space has %u", knobs,
                              o->space->knobs);
        if (!rows) *count = sooth_space_rows(o->space, NULL, 0);
    } else if (!rows) {
        *count = soothi_scaling_grid(&o->machine, NULL, 0);
        if (*count == 0 || knobs != 2)
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                "rows is NULL, but the machine has %u cores and %u frequencies, and knobs is %z instead of 2",
                o->machine.cores, o->machine.levels, knobs);
    }
    if (*count == 0 || knobs == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "there are %z configurations of %z knobs, but both must be 1 or more", *count,
                          knobs);
    return SOOTH_OK;
}

/* Checks the rows: values above 0 for a space, possible threads for a machine. */
SOOTHI_LOCAL sooth_status soothi_configure_check_rows(sooth_env *env, const sooth_configure *c) {
    const sooth_scaling_machine *machine = &c->options.machine;
    const size_t count = c->count, knobs = c->knobs;
    for (size_t i = 0; c->options.space && i < count * knobs; ++i)
        if (!soothi_scaling_positive(c->row[i]))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "configuration %z has knob %z at %f, but it must be above 0", i / knobs,
                              i % knobs + 1, (double)c->row[i]);
    if (c->options.space || !machine->cores || !machine->levels) return SOOTH_OK;
    for (size_t i = 0; i < count; ++i)
        if (!(c->row[i * knobs] >= 1.0f) ||
            (double)c->row[i * knobs] > (double)machine->cores * (double)machine->sockets ||
            (knobs > 1 && !soothi_scaling_positive(c->row[i * knobs + 1])))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "configuration %z has %f threads at frequency %f, but the machine has %u x %u cores", i,
                (double)c->row[i * knobs], knobs > 1 ? (double)c->row[i * knobs + 1] : 0.0, machine->sockets,
                machine->cores);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_configure_init(sooth_env *env, const sooth_configure_options *options,
                                            const float *rows, size_t count, size_t knobs, void *memory,
                                            size_t size, sooth_configure **made) {
    sooth_configure *c = (sooth_configure *)memory;
    sooth_configure_options resolved, *o = &resolved;
    sooth_status status = soothi_configure_resolve(env, options, rows, &count, knobs, o);
    *made = NULL;
    if (status != SOOTH_OK) return status;
    const size_t needed = sooth_configure_size(count, knobs), padded = soothi_configure_padded(count);
    if (!memory || size < needed)
        return sooth_fail(env, SOOTH_NO_MEMORY, "%z configurations need %z bytes, but the memory has %z",
                          count, needed, memory ? size : 0);
    memset(memory, 0, needed);
    c->count = (uint32_t)count;
    c->knobs = (uint32_t)knobs;
    c->time_term = (float *)(void *)((char *)memory + soothi_round16(sizeof *c));
    c->power_term = c->time_term + padded * SOOTH_SCALING_MAX_TERMS;
    c->time = c->power_term + padded * SOOTH_SCALING_MAX_TERMS;
    c->power = c->time + padded;
    c->time_error = c->power + padded;
    c->power_error = c->time_error + padded;
    c->speed = c->power_error + padded;
    c->measured = (unsigned char *)(void *)(c->speed + padded + padded * knobs);
    if (!rows && o->space) sooth_space_rows(o->space, c->speed + padded, count);
    else if (!rows) soothi_scaling_grid(&o->machine, c->speed + padded, count);
    c->row = rows ? rows : c->speed + padded;
    c->options = resolved;
    o = &c->options;
    status = soothi_configure_check_rows(env, c);
    if (status != SOOTH_OK) return status;
    *made = c;
    if (o->space || !o->machine.cores || !o->machine.levels) return SOOTH_OK;
    if (sooth_scaling_prior_usual(NULL, (sooth_scaling_law)o->time_law, &c->usual[0]) == SOOTH_OK &&
        !o->time_prior)
        o->time_prior = &c->usual[0];
    if (sooth_scaling_prior_usual(NULL, (sooth_scaling_law)o->power_law, &c->usual[1]) == SOOTH_OK &&
        !o->power_prior)
        o->power_prior = &c->usual[1];
    soothi_configure_terms(c, o->time_law, c->time_term);
    soothi_configure_terms(c, o->power_law, c->power_term);
    return SOOTH_OK;
}

/* ---- predicting all configurations ---- */

/* Computes the covariance of the coefficients, sigma^2 root root'. */
SOOTHI_LOCAL void soothi_configure_covariance(const sooth_scaling *model, double *c) {
    enum { N = SOOTH_SCALING_MAX_TERMS };
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = i; j < N; ++j) {
            double sum = 0.0;
            for (uint32_t k = 0; k < N; ++k) sum += model->root[i * 8 + k] * model->root[j * 8 + k];
            c[i * N + j] = c[j * N + i] = sum * model->sigma * model->sigma;
        }
}

/* Computes the upper triangle U with U U' = the covariance, so |U' x|^2 is the variance at x in 21
   multiplications. Columns without variance are 0. */
SOOTHI_LOCAL void soothi_configure_root(const sooth_scaling *model,
                                        float u[SOOTH_SCALING_MAX_TERMS][SOOTH_SCALING_MAX_TERMS]) {
    enum { N = SOOTH_SCALING_MAX_TERMS };
    double c[N * N], l[N * N];
    soothi_configure_covariance(model, c);
    soothi_upper_root(c, l, N, N, 1e-13);
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = 0; j < N; ++j) u[i][j] = j < i ? 0.0f : (float)l[i * N + j];
}

/* Computes line = sum b_j x_j and error = the relative standard deviation of a run there. If speed is not
   NULL, the last term is multiplied by it. With time_error, the uncertainty of the speed is added. */
SOOTHI_LOCAL void soothi_configure_lines(const sooth_scaling *model, const float *term, const float *speed,
                                         const float *time_error, size_t padded, float *line, float *error) {
    enum { N = SOOTH_SCALING_MAX_TERMS, W = SOOTHI_CONFIGURE_LANES };
    float u[N][N], noise = (float)(model->sigma * model->sigma);
    const float *b = model->b;
    const int ln = soothi_scaling_in_ln(model->law);
    soothi_configure_root(model, u);
    for (size_t i = 0; i < padded; i += W, term += N * W) {
        float x[N * W], sum[W], variance[W];
        memcpy(x, term, sizeof x);
        if (speed)
            for (uint32_t l = 0; l < W; ++l) x[(N - 1) * W + l] *= speed[i + l];
        /* the N terms are written out, so that the compiler keeps them in registers and vectorises over
           configurations */
        for (uint32_t l = 0; l < W; ++l) {
            float x0 = x[l], x1 = x[W + l], x2 = x[2 * W + l], x3 = x[3 * W + l], x4 = x[4 * W + l],
                  x5 = x[5 * W + l];
            float v0 = u[0][0] * x0;
            float v1 = u[0][1] * x0 + u[1][1] * x1;
            float v2 = u[0][2] * x0 + u[1][2] * x1 + u[2][2] * x2;
            float v3 = u[0][3] * x0 + u[1][3] * x1 + u[2][3] * x2 + u[3][3] * x3;
            float v4 = u[0][4] * x0 + u[1][4] * x1 + u[2][4] * x2 + u[3][4] * x3 + u[4][4] * x4;
            float v5 =
                u[0][5] * x0 + u[1][5] * x1 + u[2][5] * x2 + u[3][5] * x3 + u[4][5] * x4 + u[5][5] * x5;
            variance[l] = v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3 + v4 * v4 + v5 * v5;
            sum[l] = b[0] * x0 + b[1] * x1 + b[2] * x2 + b[3] * x3 + b[4] * x4 + b[5] * x5;
        }
        if (speed && time_error)
            for (uint32_t l = 0; l < W; ++l) {
                float g = b[N - 1] * x[(N - 1) * W + l] * time_error[i + l];
                variance[l] += g * g;
            }
        if (!ln)
            for (uint32_t l = 0; l < W; ++l) variance[l] /= sum[l] * sum[l];
        for (uint32_t l = 0; l < W; ++l) line[i + l] = sum[l];
        for (uint32_t l = 0; l < W; ++l) error[i + l] = soothi_sqrt_f(variance[l] + noise);
    }
}

SOOTHI_LOCAL sooth_status soothi_configure_check_runs(sooth_env *env, const sooth_configure *c,
                                                      const sooth_configure_run *run, size_t runs) {
    for (size_t i = 0; i < runs; ++i) {
        if (run[i].which >= c->count)
            return sooth_fail(env, SOOTH_BAD_DATA, "run %z is of configuration %u, but there are %u", i + 1,
                              run[i].which, c->count);
        if (!soothi_scaling_positive(run[i].time) || !soothi_scaling_positive(run[i].power))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "run %z has time %f and power %f, but both must be above 0 and finite", i + 1,
                              (double)run[i].time, (double)run[i].power);
    }
    return SOOTH_OK;
}

/* Replaces predicted values by measured ones. Repeated measurements are averaged. */
SOOTHI_LOCAL void soothi_configure_enter(sooth_configure *c, const sooth_configure_run *run, size_t runs,
                                         int power) {
    float *value = power ? c->power : c->time, *error = power ? c->power_error : c->time_error;
    for (size_t i = 0; i < runs; ++i) {
        float sum = 0.0f, n = 0.0f;
        for (size_t k = 0; k < runs; ++k)
            if (run[k].which == run[i].which) {
                sum += power ? run[k].power : run[k].time;
                n += 1.0f;
            }
        value[run[i].which] = sum / n;
        error[run[i].which] = 0.0f;
        c->measured[run[i].which] = 1;
    }
}

SOOTHI_LOCAL void soothi_configure_forget(sooth_configure *c) {
    memset(c->measured, 0, c->count);
    c->fitted = 0;
}

/* The maximum number of runs in sooth_configure_fit. */
enum { SOOTHI_CONFIGURE_RUNS = 64 };

/* Arranges the runs as a table of {t, f, speed} and time or power; x: 3 floats per run, y: 1. */
SOOTHI_LOCAL sooth_table soothi_configure_table(const sooth_configure *c, const sooth_configure_run *run,
                                                size_t runs, int power, float *x, float *y) {
    const uint32_t law = power ? c->options.power_law : c->options.time_law;
    sooth_table table = sooth_table_of(x, y, runs, soothi_scaling_law_features(law));
    table.stride = 3;
    for (size_t i = 0; i < runs; ++i) {
        const float *row = c->row + run[i].which * c->knobs;
        x[3 * i] = row[0];
        x[3 * i + 1] = c->knobs > 1 ? row[1] : c->options.machine.frequency[0];
        x[3 * i + 2] = c->speed[run[i].which];
        y[i] = power ? run[i].power : run[i].time;
    }
    return table;
}

SOOTHI_LOCAL sooth_scaling_options soothi_configure_law(const sooth_configure *c, int power) {
    sooth_scaling_options options;
    memset(&options, 0, sizeof options);
    options.law = power ? c->options.power_law : c->options.time_law;
    options.loss = c->options.loss;
    options.non_negative = c->options.non_negative;
    options.machine = c->options.machine;
    options.prior = power ? c->options.power_prior : c->options.time_prior;
    return options;
}

/* Predicts time, its error and the resulting speed at all configurations; x, y: buffers for the table of the
   runs. */
SOOTHI_LOCAL sooth_status soothi_configure_fit_time(sooth_env *env, sooth_configure *c,
                                                    const sooth_configure_run *run, size_t runs,
                                                    const sooth_scaling_options *options, float *x,
                                                    float *y) {
    enum { W = SOOTHI_CONFIGURE_LANES };
    size_t padded = soothi_configure_padded(c->count);
    float lane[W] = {0.0f};
    sooth_table table = soothi_configure_table(c, run, runs, 0, x, y);
    sooth_status status = sooth_scaling_fit_into(env, &table, options, &c->time_model);
    if (status != SOOTH_OK) return status;
    soothi_configure_lines(&c->time_model, c->time_term, NULL, NULL, padded, c->time, c->time_error);
    const uint32_t link = soothi_scaling_of(c->time_model.law).link;
    if (link == SOOTHI_SCALING_LN) soothi_exp_many(c->time, padded, c->time);
    if (link == SOOTHI_SCALING_INVERSE)
        for (size_t i = 0; i < padded; ++i) c->time[i] = 1.0f / c->time[i];
    soothi_configure_enter(c, run, runs, 0);
    for (size_t i = 0; i < padded; i += W)
        for (uint32_t l = 0; l < W; ++l) c->speed[i + l] = 1.0f / c->time[i + l];
    for (size_t i = 0; i < c->count; ++i) lane[i % W] += c->speed[i];
    float mean = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
    mean = (float)c->count / mean;
    for (size_t i = 0; i < padded; i += W)
        for (uint32_t l = 0; l < W; ++l) c->speed[i + l] *= mean;
    return SOOTH_OK;
}

/* Like soothi_configure_fit_time, for time and power by the laws of scaling/space.h. */
SOOTHI_LOCAL sooth_status soothi_configure_fit_space(sooth_env *env, sooth_configure *c,
                                                     const sooth_configure_run *run, size_t runs) {
    float x[SOOTHI_CONFIGURE_RUNS * SOOTH_SPACE_MAX_KNOBS], y[SOOTHI_CONFIGURE_RUNS];
    sooth_space_options options;
    memset(&options, 0, sizeof options);
    options.space = c->options.space;
    for (size_t i = 0; i < runs; ++i)
        for (uint32_t k = 0; k < c->knobs; ++k) x[i * c->knobs + k] = c->row[run[i].which * c->knobs + k];
    for (uint32_t power = 0; power < 2; ++power) {
        float *value = power ? c->power : c->time, *error = power ? c->power_error : c->time_error;
        sooth_table table = sooth_table_of(x, y, runs, c->knobs);
        options.power = power;
        for (size_t i = 0; i < runs; ++i) y[i] = power ? run[i].power : run[i].time;
        sooth_status status = sooth_space_fit(env, &table, &options, &c->law[power]);
        if (status != SOOTH_OK) return status;
        for (size_t i = 0; i < c->count; ++i) {
            const float *row = c->row + i * c->knobs;
            value[i] = sooth_space_predict(options.space, &c->law[power], row);
            error[i] = (float)soothi_space_predict_error(options.space, &c->law[power], row, 1);
        }
    }
    soothi_configure_enter(c, run, runs, 0);
    soothi_configure_enter(c, run, runs, 1);
    c->fitted = 1;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_configure_fit(sooth_env *env, sooth_configure *c, const sooth_configure_run *run,
                                           size_t runs) {
    size_t padded = soothi_configure_padded(c->count);
    int fast = c->options.power_law == SOOTH_SCALING_POWER_SPEED;
    float x[3 * SOOTHI_CONFIGURE_RUNS], y[SOOTHI_CONFIGURE_RUNS];
    sooth_status status = soothi_configure_check_runs(env, c, run, runs);
    if (status != SOOTH_OK) return status;
    soothi_configure_forget(c);
    if (!c->options.space && (!c->options.machine.cores || !c->options.machine.levels))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the machine has no cores or no frequencies, so no law applies");
    if (runs > SOOTHI_CONFIGURE_RUNS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "there are %z runs, but must be at most %u (sooth_scaling_fit has no limit)", runs,
                          (uint32_t)SOOTHI_CONFIGURE_RUNS);
    if (c->options.space) return soothi_configure_fit_space(env, c, run, runs);
    sooth_scaling_options options = soothi_configure_law(c, 0);
    status = soothi_configure_fit_time(env, c, run, runs, &options, x, y);
    if (status == SOOTH_OK) {
        options = soothi_configure_law(c, 1);
        sooth_table table = soothi_configure_table(c, run, runs, 1, x, y);
        status = sooth_scaling_fit_into(env, &table, &options, &c->power_model);
    }
    if (status != SOOTH_OK) {
        soothi_configure_forget(c);
        return status;
    }
    soothi_configure_lines(&c->power_model, c->power_term, fast ? c->speed : NULL, c->time_error, padded,
                           c->power, c->power_error);
    soothi_configure_enter(c, run, runs, 1);
    for (size_t i = 0; i < c->count; ++i)
        if (!(c->time[i] > 0.0f) || !(c->power[i] > 0.0f))
            c->time_error[i] = c->power_error[i] = soothi_missing();
    c->fitted = 1;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_configure_fit_priors(sooth_env *env, sooth_configure *c,
                                                      const sooth_configure_run *run, size_t runs,
                                                      const sooth_scaling_prior_options *learn,
                                                      sooth_scaling_prior *time_prior,
                                                      sooth_scaling_prior *power_prior,
                                                      sooth_configure_run *own) {
    float *x = (float *)(void *)(own + runs), *y = x + 3 * runs, *speed = y + runs;
    uint32_t *program = (uint32_t *)(void *)(speed + runs);
    sooth_scaling_options options = soothi_configure_law(c, 0);
    sooth_table table = soothi_configure_table(c, run, runs, 0, x, y);
    size_t k;
    for (size_t i = 0; i < runs; ++i) program[i] = run[i].program;
    table.group = program;
    sooth_status status = sooth_scaling_fit_prior(env, &table, &options, learn, time_prior);
    /* the speed at every run, from the time model of its program */
    options.prior = time_prior;
    for (size_t i = 0; i < runs && status == SOOTH_OK; ++i) {
        size_t n = 0;
        for (k = i; k > 0 && run[k - 1].program != run[i].program;) --k;
        if (k > 0) continue; /* program already handled */
        for (k = i; k < runs; ++k)
            if (run[k].program == run[i].program) own[n++] = run[k];
        status = soothi_configure_fit_time(env, c, own, n, &options, x, y);
        for (k = i; k < runs; ++k)
            if (run[k].program == run[i].program) speed[k] = c->speed[run[k].which];
    }
    if (status != SOOTH_OK) return status;
    options = soothi_configure_law(c, 1);
    table = soothi_configure_table(c, run, runs, 1, x, y);
    for (size_t i = 0; i < runs; ++i) x[3 * i + 2] = speed[i];
    table.group = program;
    return sooth_scaling_fit_prior(env, &table, &options, learn, power_prior);
}

SOOTH_API sooth_status sooth_configure_fit_priors(sooth_env *env, sooth_configure *c,
                                                  const sooth_configure_run *run, size_t runs,
                                                  const sooth_scaling_prior_options *learn,
                                                  sooth_scaling_prior *time_prior,
                                                  sooth_scaling_prior *power_prior) {
    /* runs of a program; rows of the table, times or powers, speeds, programs */
    const size_t each = sizeof(sooth_configure_run) + 6 * sizeof(float);
    sooth_status status = soothi_configure_check_runs(env, c, run, runs);
    memset(time_prior, 0, sizeof *time_prior);
    memset(power_prior, 0, sizeof *power_prior);
    if (status != SOOTH_OK) return status;
    if (c->options.space) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "laws over a space have no priors");
    soothi_configure_forget(c);
    sooth_configure_run *own = (sooth_configure_run *)sooth_alloc(env, runs, each);
    if (!own) return sooth_no_memory(env, "a table of the runs", soothi_product(runs, each));
    status = soothi_configure_fit_priors(env, c, run, runs, learn, time_prior, power_prior, own);
    sooth_free(env, own, runs, each);
    soothi_configure_forget(c);
    if (status != SOOTH_OK) memset(time_prior, 0, sizeof *time_prior);
    return status;
}

/* ---- choosing ---- */

SOOTHI_LOCAL double soothi_configure_value(uint32_t minimum, double time, double power) {
    switch (minimum) {
    case SOOTH_CONFIGURE_POWER: return power;
    case SOOTH_CONFIGURE_TIME: return time;
    case SOOTH_CONFIGURE_ENERGY: return power * time;
    case SOOTH_CONFIGURE_ENERGY_DELAY: return power * time * time;
    default: return power * time * time * time;
    }
}

/* Returns the larger ratio of time and power to their bounds. Up to 1, the bounds are met. */
SOOTHI_LOCAL double soothi_configure_ratio(const sooth_configure_goal *goal, double time, double power) {
    double t = goal->most_time > 0.0 ? time / goal->most_time : 0.0;
    double p = goal->most_power > 0.0 ? power / goal->most_power : 0.0;
    return t > p ? t : p >= t ? p : t + p; /* NaN if either is */
}

/* Returns the probability that a run with this expected value and relative error exceeds the bound. */
SOOTHI_LOCAL double soothi_configure_risk(double value, double error, double bound) {
    if (!(bound > 0.0)) return 0.0;
    if (!(error > 0.0)) return value > bound ? 1.0 : 0.0;
    return sooth_normal_cdf(soothi_log(value / bound) / error);
}

/* Finds the best configuration that meets the bounds, and the closest of the rest, in one pass. With
   `measured` only measured ones are considered. Returns 0 if none was considered. */
SOOTHI_LOCAL int soothi_configure_scan(const sooth_configure *c, const sooth_configure_goal *goal, double z,
                                       int measured, uint32_t *best, int *found) {
    enum { PART = 32 };
    float margin[2][PART];
    double least = 0.0, closest = 0.0;
    uint32_t at = 0;
    int any = 0;
    *found = 0;
    for (uint32_t i = 0; i < c->count; i += PART) {
        uint32_t n = c->count - i < PART ? c->count - i : (uint32_t)PART;
        memset(margin, 0, sizeof margin); /* without a margin, errors may be unknown */
        for (uint32_t l = 0; l < n && (z < 0.0 || z > 0.0); ++l) {
            margin[0][l] = (float)z * c->time_error[i + l];
            margin[1][l] = (float)z * c->power_error[i + l];
        }
        soothi_exp_many(margin[0], n, margin[0]);
        soothi_exp_many(margin[1], n, margin[1]);
        for (uint32_t l = 0; l < n; ++l) {
            double time = (double)c->time[i + l], power = (double)c->power[i + l], value;
            if ((measured && !c->measured[i + l]) || !(time > 0.0) || !(power > 0.0)) continue;
            double ratio =
                soothi_configure_ratio(goal, time * (double)margin[0][l], power * (double)margin[1][l]);
            if (!(ratio >= 0.0)) continue;
            if (ratio <= 1.0) {
                value = soothi_configure_value(goal->minimum, time, power);
                if (!*found || value < least) {
                    least = value;
                    *best = i + l;
                }
                *found = 1;
            } else if (!any || ratio < closest) {
                closest = ratio;
                at = i + l;
            }
            any = 1;
        }
    }
    if (any && !*found) *best = at;
    return any;
}

/* Fills a choice for configuration `which`. */
SOOTHI_LOCAL void soothi_configure_state(const sooth_configure *c, const sooth_configure_goal *goal,
                                         uint32_t which, int feasible, sooth_configure_choice *choice) {
    choice->which = which;
    choice->feasible = feasible;
    choice->time = (double)c->time[which];
    choice->power = (double)c->power[which];
    double ratio = soothi_configure_ratio(goal, choice->time, choice->power);
    choice->violation = ratio > 1.0 ? ratio - 1.0 : 0.0;
    choice->risk = soothi_configure_risk(choice->time, (double)c->time_error[which], goal->most_time);
    double other = soothi_configure_risk(choice->power, (double)c->power_error[which], goal->most_power);
    if (other > choice->risk) choice->risk = other;
}

SOOTH_API sooth_status sooth_configure_choose(sooth_env *env, const sooth_configure *c,
                                              const sooth_configure_goal *goal,
                                              sooth_configure_choice *choice) {
    double z = goal->risk > 0.0 ? sooth_normal_quantile(1.0 - goal->risk) : 1.0;
    uint32_t which = 0;
    int found;
    sooth_status status = sooth_option_check(env, soothi_configure_goal_list(), goal);
    memset(choice, 0, sizeof *choice);
    if (status != SOOTH_OK) return status;
    if (!soothi_configure_scan(c, goal, z, 0, &which, &found))
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            "no configuration has a predicted time and power with known errors (risk 0.5 needs no errors)");
    soothi_configure_state(c, goal, which, found, choice);
    if (found) return SOOTH_OK;
    const double ratio = soothi_configure_ratio(goal, choice->time, choice->power);
    const int by_time = goal->most_time > 0.0 && choice->time / goal->most_time >= ratio;
    if (choice->violation > 0.0)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "no configuration keeps the bound of %G on %s: the closest, configuration %u, is %G %% above",
            by_time ? goal->most_time : goal->most_power, by_time ? "time" : "power", which,
            100.0 * choice->violation);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "no configuration keeps the bounds with a risk of %G: the closest, configuration %u, "
                      "breaks them with probability %G",
                      goal->risk > 0.0 ? goal->risk : 0.15866, which, choice->risk);
}

SOOTH_API sooth_configure_score sooth_configure_judge(const sooth_configure_goal *goal,
                                                      const float *actual_time, const float *actual_power,
                                                      size_t count, size_t which) {
    sooth_configure_score score;
    double best = 0.0, closest = 0.0, ratio, value;
    int found = 0;
    memset(&score, 0, sizeof score);
    for (size_t i = 0; i < count; ++i) {
        ratio = soothi_configure_ratio(goal, (double)actual_time[i], (double)actual_power[i]);
        value = soothi_configure_value(goal->minimum, (double)actual_time[i], (double)actual_power[i]);
        if (ratio <= 1.0 ? found && !(value < best) : found || (i && !(ratio < closest))) continue;
        found |= ratio <= 1.0;
        best = value;
        closest = ratio;
        score.ideal = (uint32_t)i;
    }
    ratio = soothi_configure_ratio(goal, (double)actual_time[which], (double)actual_power[which]);
    value = soothi_configure_value(goal->minimum, (double)actual_time[which], (double)actual_power[which]);
    score.loss = value / best - 1.0;
    if (ratio > 1.0) {
        score.violation = ratio - 1.0;
        score.verdict = which == score.ideal ? SOOTH_CONFIGURE_SUCCESS : SOOTH_CONFIGURE_MISS;
    } else {
        score.verdict = value <= best ? SOOTH_CONFIGURE_SUCCESS : SOOTH_CONFIGURE_LOSS;
    }
    return score;
}

/* ---- what to measure next ---- */

/* Computes the terms of configuration i, scaled so that their quadratic form under the covariance is the
   relative variance of the prediction. */
SOOTHI_LOCAL void soothi_configure_gradient(const sooth_configure *c, const sooth_scaling *model, size_t i,
                                            double x[SOOTH_SCALING_MAX_TERMS]) {
    const float *term = (model->law < SOOTH_SCALING_POWER ? c->time_term : c->power_term) +
                        i / SOOTHI_CONFIGURE_LANES * SOOTHI_CONFIGURE_BLOCK + i % SOOTHI_CONFIGURE_LANES;
    double line = 0.0;
    for (uint32_t j = 0; j < SOOTH_SCALING_MAX_TERMS; ++j) {
        x[j] = j < model->terms ? (double)term[j * SOOTHI_CONFIGURE_LANES] : 0.0;
        if (j == 5 && model->law == SOOTH_SCALING_POWER_SPEED) x[j] *= (double)c->speed[i];
        line += model->coefficient[j] * x[j];
    }
    if (soothi_scaling_in_ln(model->law)) return;
    for (uint32_t j = 0; j < SOOTH_SCALING_MAX_TERMS; ++j) x[j] /= line;
}

/* Computes out = a x and returns x' a x. */
SOOTHI_LOCAL double soothi_configure_form(const double *a, const double *x, double *out) {
    enum { N = SOOTH_SCALING_MAX_TERMS };
    double sum = 0.0;
    for (uint32_t j = 0; j < N; ++j) {
        double y = 0.0;
        for (uint32_t k = 0; k < N; ++k) y += a[j * N + k] * x[k];
        out[j] = y;
        sum += x[j] * y;
    }
    return sum;
}

/* The uncertainty of one law's predictions. */
typedef struct soothi_configure_known {
    double covariance[SOOTH_SCALING_MAX_TERMS * SOOTH_SCALING_MAX_TERMS]; /* C, of the coefficients */
    double
        gram[SOOTH_SCALING_MAX_TERMS * SOOTH_SCALING_MAX_TERMS]; /* G = mean x x' over the configurations */
    double noise;                                                /* variance of a run */
    double now; /* mean variance of the predictions, tr C G */
} soothi_configure_known;

SOOTHI_LOCAL void soothi_configure_variances(const sooth_configure *c, const sooth_scaling *model,
                                             soothi_configure_known *known) {
    enum { N = SOOTH_SCALING_MAX_TERMS };
    double x[N];
    memset(known, 0, sizeof *known);
    for (size_t i = 0; i < c->count; ++i) {
        soothi_configure_gradient(c, model, i, x);
        for (uint32_t j = 0; j < N; ++j)
            for (uint32_t k = 0; k < N; ++k) known->gram[j * N + k] += x[j] * x[k] / (double)c->count;
    }
    soothi_configure_covariance(model, known->covariance);
    known->noise = model->sigma * model->sigma;
    known->now = soothi_dot(known->covariance, known->gram, N * N);
}

/* Refits the law under the usual prior. A prior from other programs is an assumption about this one, and
   experiments that trust the assumption do not test it. */
SOOTHI_LOCAL void soothi_configure_refit_usual(const sooth_configure *c, int power, sooth_scaling *model) {
    sooth_configure_run run[SOOTHI_CONFIGURE_RUNS];
    float x[3 * SOOTHI_CONFIGURE_RUNS], y[SOOTHI_CONFIGURE_RUNS];
    sooth_scaling_options options = soothi_configure_law(c, power);
    sooth_scaling wide;
    size_t n = 0;
    *model = power ? c->power_model : c->time_model;
    if (c->usual[power].terms == 0) return;
    for (size_t i = 0; i < c->count && n < SOOTHI_CONFIGURE_RUNS; ++i) {
        if (!c->measured[i]) continue;
        run[n].which = (uint32_t)i;
        run[n].time = c->time[i];
        run[n++].power = c->power[i];
    }
    options.prior = &c->usual[power];
    sooth_table table = soothi_configure_table(c, run, n, power, x, y);
    if (sooth_scaling_fit_into(NULL, &table, &options, &wide) == SOOTH_OK) *model = wide;
}

/* Returns the reduction of the mean variance by a run at x: (x' C G C x) / (x' C x + noise). ln det C falls
   by ln(1 + x' C x / noise), *information. */
SOOTHI_LOCAL double soothi_configure_drop(const soothi_configure_known *known, const double *x,
                                          double *information) {
    double cx[SOOTH_SCALING_MAX_TERMS], gcx[SOOTH_SCALING_MAX_TERMS];
    double variance = soothi_configure_form(known->covariance, x, cx);
    *information = soothi_log(1.0 + variance / known->noise);
    return soothi_configure_form(known->gram, cx, gcx) / (variance + known->noise);
}

/* If a law is only an approximation, the runs with the least variance are at the ends of the knobs, and fit
   it to the peculiarities there. Runs that are spread like the configurations average its misfit out. They
   have the same mean of every smooth function (Box and Draper, A Basis for the Selection of a Response
   Surface Design, J. Am. Stat. Assoc. 54, 1959). Let u, v in 0..1 be the position of a configuration, and
   phi_p(u) = sqrt 2 cos(pi p u), phi_0 = 1. Then the unevenness of the runs is

       sum over p, q < 8 of l_p l_q (mean over configurations - mean over runs of phi_p(u) phi_q(v))^2

   with l_p = 1 / (1 + p^2), scaled to sum to 1: an L2 discrepancy, as for Halton's points. */
enum { SOOTHI_CONFIGURE_WAVES = 8, SOOTHI_CONFIGURE_SPREAD_FROM = 3 };
typedef struct soothi_configure_spread {
    double low[2], range[2];
    double share[SOOTHI_CONFIGURE_WAVES]; /* l */
    double
        missing[SOOTHI_CONFIGURE_WAVES * SOOTHI_CONFIGURE_WAVES]; /* l_p l_q (mean - sum of runs / (n + 1)) */
    uint32_t runs;                                                /* n */
} soothi_configure_spread;

/* Computes phi_p of both knobs of configuration i. The series of the sine has 10 correct digits up to pi /
   2. */
SOOTHI_LOCAL void soothi_configure_waves(const sooth_configure *c, const soothi_configure_spread *s, size_t i,
                                         double wave[2][SOOTHI_CONFIGURE_WAVES]) {
    for (uint32_t k = 0; k < 2; ++k) {
        double u = 0.5;
        if (s->range[k] > 0.0) u = ((double)c->row[i * c->knobs + k] - s->low[k]) / s->range[k];
        const double z = 3.14159265358979324 * (0.5 - u), zz = z * z; /* cos pi u = sin z */
        double sine = 1.0 - zz / 210.0, before = 1.0, now;
        for (double n = 12.0; n > 0.0; n -= 2.0) sine = 1.0 - zz / ((n + 1.0) * n) * sine;
        now = sine = z * sine;
        wave[k][0] = 1.0;
        for (uint32_t p = 1; p < SOOTHI_CONFIGURE_WAVES; ++p) {
            const double next = 2.0 * sine * now - before;
            wave[k][p] = 1.41421356237309505 * now;
            before = now;
            now = next;
        }
    }
}

SOOTHI_LOCAL void soothi_configure_survey(const sooth_configure *c, soothi_configure_spread *s) {
    enum { P = SOOTHI_CONFIGURE_WAVES };
    double wave[2][P], sum = 0.0, runs[P * P];
    memset(s, 0, sizeof *s);
    memset(runs, 0, sizeof runs);
    for (uint32_t k = 0; k < 2 && k < c->knobs; ++k) {
        double high = s->low[k] = (double)c->row[k];
        for (size_t i = 1; i < c->count; ++i) {
            const double v = (double)c->row[i * c->knobs + k];
            if (v < s->low[k]) s->low[k] = v;
            if (v > high) high = v;
        }
        s->range[k] = high - s->low[k];
    }
    for (uint32_t p = 0; p < P; ++p) sum += s->share[p] = 1.0 / (1.0 + (double)(p * p));
    for (uint32_t p = 0; p < P; ++p) s->share[p] /= sum;
    for (size_t i = 0; i < c->count; ++i) {
        soothi_configure_waves(c, s, i, wave);
        for (uint32_t p = 0; p < P; ++p)
            for (uint32_t q = 0; q < P; ++q) {
                s->missing[p * P + q] += wave[0][p] * wave[1][q] / (double)c->count;
                if (c->measured[i]) runs[p * P + q] += wave[0][p] * wave[1][q];
            }
        s->runs += c->measured[i];
    }
    for (uint32_t p = 0; p < P; ++p)
        for (uint32_t q = 0; q < P; ++q) {
            s->missing[p * P + q] -= runs[p * P + q] / (s->runs + 1.0);
            s->missing[p * P + q] *= s->share[p] * s->share[q];
        }
}

/* Returns the unevenness with a run of configuration i added, without terms that do not depend on i. */
SOOTHI_LOCAL double soothi_configure_uneven(const sooth_configure *c, const soothi_configure_spread *s,
                                            size_t i) {
    enum { P = SOOTHI_CONFIGURE_WAVES };
    double wave[2][P], square[2] = {0.0, 0.0}, cross = 0.0;
    const double n = s->runs + 1.0;
    soothi_configure_waves(c, s, i, wave);
    for (uint32_t p = 0; p < P; ++p) {
        double sum = 0.0;
        for (uint32_t q = 0; q < P; ++q) sum += s->missing[p * P + q] * wave[1][q];
        cross += wave[0][p] * sum;
        for (uint32_t k = 0; k < 2; ++k) square[k] += s->share[p] * wave[k][p] * wave[k][p];
    }
    return (square[0] * square[1] / n - 2.0 * cross) / n;
}

/* Returns the first unmeasured configuration with the largest distance to the nearest measured one, or to the
   middle of all if none is measured. Returns c->count if all are measured. */
SOOTHI_LOCAL uint32_t soothi_configure_farthest(const sooth_configure *c) {
    double low[SOOTH_SPACE_MAX_KNOBS], range[SOOTH_SPACE_MAX_KNOBS], best = -1.0;
    uint32_t found = c->count, runs = 0, run[SOOTHI_CONFIGURE_RUNS]; /* (the maximum of a fit) */
    for (uint32_t k = 0; k < c->knobs; ++k) {
        double high = low[k] = (double)c->row[k];
        for (size_t i = 1; i < c->count; ++i) {
            const double v = (double)c->row[i * c->knobs + k];
            if (v < low[k]) low[k] = v;
            if (v > high) high = v;
        }
        range[k] = high > low[k] ? high - low[k] : 1.0;
    }
    for (uint32_t i = 0; i < c->count && runs < SOOTHI_CONFIGURE_RUNS; ++i)
        if (c->measured[i]) run[runs++] = i;
    for (uint32_t i = 0; i < c->count; ++i) {
        double nearest = SOOTHI_INFINITE;
        if (c->measured[i]) continue;
        for (uint32_t m = 0; m < runs || m == 0; ++m) {
            double squares = 0.0;
            for (uint32_t k = 0; k < c->knobs; ++k) {
                const double from = runs ? ((double)c->row[run[m] * c->knobs + k] - low[k]) / range[k] : 0.5;
                const double part = ((double)c->row[i * c->knobs + k] - low[k]) / range[k] - from;
                squares += part * part;
            }
            if (squares < nearest) nearest = squares;
        }
        if (nearest <= best) continue;
        best = nearest;
        found = i;
    }
    return found;
}

SOOTHI_LOCAL sooth_status soothi_configure_next_space(sooth_env *env, const sooth_configure *c,
                                                      sooth_configure_experiment *next) {
    double squares[2] = {0.0, 0.0};
    next->which = soothi_configure_farthest(c);
    if (next->which == c->count) {
        memset(next, 0, sizeof *next);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "all %u configurations are measured", c->count);
    }
    for (size_t i = 0; i < c->count; ++i)
        for (int m = 0; m < 2; ++m) {
            const double error =
                soothi_space_predict_error(c->options.space, &c->law[m], c->row + i * c->knobs, 0);
            squares[m] += error * error / (double)c->count;
        }
    next->time_error = soothi_sqrt(squares[0]);
    next->power_error = soothi_sqrt(squares[1]);
    next->time_after = next->power_after = SOOTHI_NAN;
    next->enough = next->time_error <= c->law[0].sigma && next->power_error <= c->law[1].sigma;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_configure_next(sooth_env *env, const sooth_configure *c,
                                            sooth_configure_design design, sooth_configure_experiment *next) {
    soothi_configure_known known[2];
    soothi_configure_spread spread;
    sooth_scaling wide[2];
    double best = 0.0, even = 0.0, x[SOOTH_SCALING_MAX_TERMS], information, now[2], after[2];
    int found = 0;
    memset(next, 0, sizeof *next);
    if ((uint32_t)design > SOOTH_CONFIGURE_D)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "design is %u, but must be I (0) or D (1)",
                          (uint32_t)design);
    if (!c->fitted)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "nothing is fitted yet: call sooth_configure_fit first");
    if (c->options.space) return soothi_configure_next_space(env, c, next);
    for (int m = 0; m < 2; ++m) {
        const sooth_scaling *model = m ? &c->power_model : &c->time_model;
        if (!soothi_finite(model->sigma))
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                "the errors of the law %s are unknown: add a prior, or more runs than it has coefficients",
                sooth_scaling_law_name((sooth_scaling_law)model->law));
        soothi_configure_refit_usual(c, m, &wide[m]);
        soothi_configure_variances(c, &wide[m], &known[m]);
    }
    soothi_configure_survey(c, &spread);
    /* The weight and the first run to use it were chosen on the seven PARSEC programs. */
    if (design == SOOTH_CONFIGURE_I && spread.runs >= SOOTHI_CONFIGURE_SPREAD_FROM)
        even = 3.0 * spread.runs * (known[0].noise + known[1].noise);
    for (size_t i = 0; i < c->count; ++i) {
        double gain = 0.0;
        if (c->measured[i]) continue;
        for (int m = 0; m < 2; ++m) {
            soothi_configure_gradient(c, &wide[m], i, x);
            double less = soothi_configure_drop(&known[m], x, &information);
            gain += design == SOOTH_CONFIGURE_I ? less : information;
        }
        if (even > 0.0) gain -= even * soothi_configure_uneven(c, &spread, i);
        if (found && !(gain > best)) continue;
        found = 1;
        best = gain;
        next->which = (uint32_t)i;
    }
    if (!found) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "all %u configurations are measured", c->count);
    next->enough = 1;
    for (int m = 0; m < 2; ++m) {
        const sooth_scaling *model = m ? &c->power_model : &c->time_model;
        soothi_configure_variances(c, model, &known[m]);
        soothi_configure_gradient(c, model, next->which, x);
        now[m] = known[m].now;
        after[m] = now[m] - soothi_configure_drop(&known[m], x, &information);
        next->enough &= now[m] <= known[m].noise;
    }
    next->time_error = soothi_sqrt(now[0]);
    next->power_error = soothi_sqrt(now[1]);
    next->time_after = soothi_sqrt(after[0] > 0.0 ? after[0] : 0.0);
    next->power_after = soothi_sqrt(after[1] > 0.0 ? after[1] : 0.0);
    return SOOTH_OK;
}

/* ---- the closed loop ---- */

/* For a space, nothing is fitted before there are `first` runs. */
SOOTHI_LOCAL sooth_status soothi_configure_begin_space(sooth_env *env, sooth_configure_loop *loop) {
    sooth_configure *c = loop->configure;
    sooth_status status = soothi_configure_check_runs(env, c, loop->run, loop->runs);
    if (status != SOOTH_OK) return status;
    soothi_configure_forget(c);
    for (uint32_t i = 0; i < loop->runs; ++i) c->measured[loop->run[i].which] = 1;
    loop->which = soothi_configure_farthest(c);
    if (loop->which == c->count)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "all %u configurations are measured", c->count);
    loop->waiting = 1;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_configure_step(sooth_env *env, sooth_configure_loop *loop, float time,
                                            float power) {
    sooth_configure *c = loop->configure;
    sooth_configure_experiment next;
    const sooth_space *space = c->options.space;
    uint32_t first = 3, which = 0;
    int feasible;
    if (space) first = sooth_space_coefficients(space, 0) + 1;
    if (loop->first) first = loop->first;
    const uint32_t most = loop->most ? loop->most : space ? loop->capacity : 7;
    sooth_status status = sooth_option_check(env, soothi_configure_goal_list(), &loop->goal);
    if (status != SOOTH_OK || loop->done) return status;
    if (loop->capacity <= first || loop->runs > loop->capacity || loop->capacity > SOOTHI_CONFIGURE_RUNS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "capacity is %u, but must be between %u (first + 1) and %u", loop->capacity,
                          first + 1, (uint32_t)SOOTHI_CONFIGURE_RUNS);
    if (loop->waiting) {
        sooth_configure_run *run = &loop->run[loop->runs];
        memset(run, 0, sizeof *run);
        run->which = loop->which;
        run->time = time;
        run->power = power;
        status = soothi_configure_check_runs(env, c, run, 1);
        if (status != SOOTH_OK) return status; /* still waiting */
        ++loop->runs;
        loop->waiting = 0;
    }
    if (space && loop->runs < first) return soothi_configure_begin_space(env, loop);
    status = sooth_configure_fit(env, c, loop->run, loop->runs);
    if (status != SOOTH_OK) return status;
    if (loop->runs < first) {
        status = sooth_configure_next(env, c, SOOTH_CONFIGURE_I, &next);
        loop->waiting = status == SOOTH_OK;
        if (loop->waiting) loop->which = next.which;
        return status;
    }
    status = sooth_configure_choose(env, c, &loop->goal, &loop->choice);
    if (status != SOOTH_OK && !(loop->choice.time > 0.0)) return status;
    loop->which = loop->choice.which;
    loop->done = c->measured[loop->which];
    if (!loop->done && loop->runs >= most) { /* accepts the best that was run */
        soothi_configure_scan(c, &loop->goal, 0.0, 1, &which, &feasible);
        loop->done = feasible || loop->runs == loop->capacity;
        if (loop->done) soothi_configure_state(c, &loop->goal, loop->which = which, feasible, &loop->choice);
    }
    loop->waiting = !loop->done;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
