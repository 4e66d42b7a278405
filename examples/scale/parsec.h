/* parsec.h - De Sensi's measurements of PARSEC, his models and ours on them: for a report and for a test.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * parsec.csv has the columns app, threads, freq_mhz, voltage, power_w, throughput for 24 x 13 configurations
 * of each program. voltage.csv has active_cores, freq_mhz, voltage. Everything is static: include it in one
 * file of a program.
 */
#ifndef PARSEC_H
#define PARSEC_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/configure.h"

enum { CONFIGURATIONS = 312, PROGRAMS = 16 };

static sooth_env env;
static sooth_configure *machine;
static double memory[29144 / 8];

/* The machine of De Sensi's paper: two sockets of twelve cores, 1.2 to 2.4 GHz. The voltages are from its
   author's table at twelve active cores. */
static sooth_configure_options xeon(void) {
    static const float volts[13] = {0.856f, 0.861f, 0.866f, 0.871f, 0.876f, 0.886f, 0.891f,
                                    0.901f, 0.911f, 0.916f, 0.926f, 0.936f, 0.946f};
    sooth_configure_options options;
    memset(&options, 0, sizeof options);
    options.machine.cores = 12;
    options.machine.sockets = 2;
    options.machine.levels = 13;
    for (uint32_t i = 0; i < 13; ++i) {
        options.machine.frequency[i] = 1.2f + 0.1f * (float)i;
        options.machine.voltage[i] = volts[i];
    }
    return options;
}

static int init(const sooth_configure_options *options) {
    sooth_env_init(&env);
    return sooth_configure_init(&env, options, NULL, 0, 2, memory, sizeof memory, &machine) == SOOTH_OK;
}

/* ---- the published measurements ---- */

static struct {
    char name[32];
    float time[CONFIGURATIONS], power[CONFIGURATIONS];
} parsec[PROGRAMS];
static uint32_t programs;
static sooth_configure_options published; /* the machine with its own voltages */

static FILE *parsec_file(const char *folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "r");
}

/* Reads parsec.csv and voltage.csv of a folder. Returns 0 if they do not exist. */
static int read_parsec(const char *folder) {
    FILE *file = parsec_file(folder, "parsec.csv");
    char line[256], name[32];
    double volts, power, throughput;
    int threads, mhz, cores;
    if (programs) return 1;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31[^,],%d,%d,%lf,%lf,%lf", name, &threads, &mhz, &volts, &power, &throughput) != 6)
            continue;
        if (!programs || strcmp(name, parsec[programs - 1].name) != 0) {
            if (programs == PROGRAMS) break;
            strcpy(parsec[programs++].name, name);
        }
        size_t i = (size_t)((threads - 1) * 13 + (mhz - 1200) / 100);
        parsec[programs - 1].time[i] = (float)(1 / throughput);
        parsec[programs - 1].power[i] = (float)power;
    }
    fclose(file);
    published = xeon();
    file = parsec_file(folder, "voltage.csv");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%d,%d,%lf", &cores, &mhz, &volts) == 3 && cores == 12 && mhz <= 2400)
            published.machine.voltage[(mhz - 1200) / 100] = (float)volts;
    fclose(file);
    return 1;
}

static sooth_configure_run parsec_run(uint32_t a, uint32_t which) {
    sooth_configure_run run;
    run.which = which;
    run.program = a;
    run.time = parsec[a].time[which];
    run.power = parsec[a].power[which];
    return run;
}

/* Eq. 9: the i-th of ten bounds; kind 0: minPower, 1: minTime. */
static sooth_configure_goal parsec_goal(uint32_t a, uint32_t kind, uint32_t i, double risk) {
    const float *value = kind ? parsec[a].power : parsec[a].time;
    double low = 1e300, high = 0;
    sooth_configure_goal goal;
    for (size_t k = 0; k < CONFIGURATIONS; ++k) {
        if ((double)value[k] < low) low = (double)value[k];
        if ((double)value[k] > high) high = (double)value[k];
    }
    memset(&goal, 0, sizeof goal);
    goal.minimum = kind ? SOOTH_CONFIGURE_TIME : SOOTH_CONFIGURE_POWER;
    *(kind ? &goal.most_power : &goal.most_time) = (low + (high - low) * i / 10.0) * (1 + 1e-9);
    goal.risk = risk;
    return goal;
}

/* Mean and standard deviation of 100 |predicted / measured - 1| over the configurations not measured. */
static void parsec_accuracy(uint32_t a, double accuracy[4]) {
    double sum[2] = {0, 0}, squares[2] = {0, 0}, n = 0;
    for (size_t i = 0; i < CONFIGURATIONS; ++i) {
        if (machine->measured[i]) continue;
        ++n;
        for (int m = 0; m < 2; ++m) {
            double e = 100 * fabs(m ? (double)machine->power[i] / (double)parsec[a].power[i] - 1
                                    : (double)machine->time[i] / (double)parsec[a].time[i] - 1);
            sum[m] += e;
            squares[m] += e * e;
        }
    }
    for (int m = 0; m < 2; ++m) {
        accuracy[2 * m] = 100 - sum[m] / n;
        accuracy[2 * m + 1] = sqrt(squares[m] / n - sum[m] / n * (sum[m] / n));
    }
}

/* Ten choices of each kind: counts of success, loss and miss, sum of the losses, and each loss. */
typedef struct tally {
    int verdict[2][3];
    double loss[2], runs[2];
    double each[2][10][PROGRAMS]; /* the loss in per cent; 0: a success; below 0: a miss */
} tally;

static void tally_add(tally *t, uint32_t kind, uint32_t i, uint32_t a, const sooth_configure_score *score) {
    const double loss = score->verdict == SOOTH_CONFIGURE_LOSS ? 100 * score->loss : 0;
    ++t->verdict[kind][score->verdict];
    t->loss[kind] += loss;
    t->each[kind][i - 1][a] = score->verdict == SOOTH_CONFIGURE_MISS ? -1 : loss;
}

static void parsec_choices(uint32_t a, double risk, tally *t) {
    for (uint32_t kind = 0; kind < 2; ++kind)
        for (uint32_t i = 1; i <= 10; ++i) {
            sooth_configure_goal goal = parsec_goal(a, kind, i, risk);
            sooth_configure_choice choice;
            sooth_configure_score score;
            sooth_configure_choose(&env, machine, &goal, &choice);
            score =
                sooth_configure_judge(&goal, parsec[a].time, parsec[a].power, CONFIGURATIONS, choice.which);
            tally_add(t, kind, i, a, &score);
        }
}

static double mean_loss(const tally *t, int kind) {
    int n = t->verdict[kind][0] + t->verdict[kind][1];
    return n ? t->loss[kind] / n : 0;
}

/* The paper's two models on the configurations `which`, by the laws of scaling.h. */
static int parsec_paper(const uint32_t *which, uint32_t runs, uint32_t power_law, double mean[2], tally *t) {
    sooth_configure_options options = published;
    options.time_law = SOOTH_SCALING_TIME;
    options.power_law = power_law;
    options.loss = SOOTH_SCALING_ABSOLUTE;
    memset(t, 0, sizeof *t);
    mean[0] = mean[1] = 0;
    for (uint32_t a = 0; a < programs; ++a) {
        sooth_configure_run run[64];
        double accuracy[4];
        if (!init(&options)) return 0;
        for (uint32_t i = 0; i < runs; ++i) run[i] = parsec_run(a, which[i]);
        if (sooth_configure_fit(&env, machine, run, runs) != SOOTH_OK) return 0;
        parsec_accuracy(a, accuracy);
        mean[0] += accuracy[0] / programs;
        mean[1] += accuracy[2] / programs;
        parsec_choices(a, 0.5, t);
    }
    return 1;
}

/* The number of a configuration. */
static uint32_t at(int threads, int mhz) { return (uint32_t)((threads - 1) * 13 + (mhz - 1200) / 100); }

/* Priors from all programs but `a`. */
static int learn_from_others(uint32_t a, sooth_scaling_prior *time, sooth_scaling_prior *power) {
    static sooth_configure_run run[PROGRAMS * CONFIGURATIONS];
    size_t n = 0;
    if (!init(&published)) return 0;
    for (uint32_t b = 0; b < programs; ++b)
        for (uint32_t i = 0; i < CONFIGURATIONS && b != a; ++i) run[n++] = parsec_run(b, i);
    return sooth_configure_fit_priors(&env, machine, run, n, NULL, time, power) == SOOTH_OK;
}

/* Our models on the four configurations `four`, or (NULL) on four experiments of sooth_configure_next.
   learned: bit 0 takes the prior of time from the other programs, bit 1 that of power. */
static int parsec_ours(const uint32_t *four, int learned, double risk, double mean[2], tally *shot,
                       tally *loops) {
    memset(shot, 0, sizeof *shot);
    memset(loops, 0, sizeof *loops);
    mean[0] = mean[1] = 0;
    for (uint32_t a = 0; a < programs; ++a) {
        sooth_configure_options options = published;
        sooth_scaling_prior time, power;
        sooth_configure_run run[4];
        double accuracy[4];
        if (!learn_from_others(a, &time, &power)) return 0;
        if (learned & 1) options.time_prior = &time;
        if (learned & 2) options.power_prior = &power;
        if (!init(&options)) return 0;
        for (uint32_t i = 0; i < 4; ++i) {
            sooth_configure_experiment next;
            if (sooth_configure_fit(&env, machine, run, i) != SOOTH_OK ||
                sooth_configure_next(&env, machine, SOOTH_CONFIGURE_I, &next) != SOOTH_OK)
                return 0;
            run[i] = parsec_run(a, four ? four[i] : next.which);
        }
        if (sooth_configure_fit(&env, machine, run, 4) != SOOTH_OK) return 0;
        parsec_accuracy(a, accuracy);
        mean[0] += accuracy[0] / programs;
        mean[1] += accuracy[2] / programs;
        parsec_choices(a, risk, shot);
        for (uint32_t kind = 0; kind < 2; ++kind)
            for (uint32_t i = 1; i <= 10; ++i) {
                sooth_configure_run runs[20];
                sooth_configure_loop loop;
                float t = 0, p = 0;
                memset(&loop, 0, sizeof loop);
                loop.configure = machine;
                loop.goal = parsec_goal(a, kind, i, 0.5);
                loop.run = runs;
                loop.capacity = 20;
                while (!loop.done) {
                    if (sooth_configure_step(&env, &loop, t, p) != SOOTH_OK) return 0;
                    t = parsec[a].time[loop.which];
                    p = parsec[a].power[loop.which];
                }
                sooth_configure_score score = sooth_configure_judge(
                    &loop.goal, parsec[a].time, parsec[a].power, CONFIGURATIONS, loop.which);
                tally_add(loops, kind, i, a, &score);
                loops->runs[kind] += loop.runs / (10.0 * programs);
            }
    }
    return 1;
}

#endif /* PARSEC_H */
