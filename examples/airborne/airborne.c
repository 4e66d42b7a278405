/* airborne.c - eight periodic applications share a device; fuzzy networks say how long each will still take.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * After Yao et al. 2022. A monitor samples, 100 times a second, the workload counters of Table I (here a
 * simulation's: each application presses on each of ten resources, and the others slow it down by what they
 * share), the number of running applications and how long each has run. When an application ends, the
 * remaining times of its samples are known. One network per application learns from the first runs; how many
 * rules it gets is chosen on later ones, and the last ones are tried once.
 *
 * Printed as in Figure 6 (there 5.1 to 11.6 % on hardware): the mean absolute percentage error of the
 * execution time that is foretold when the application arrives, which is the paper's equation 4, and of the
 * remaining time at every tenth sample, where short times weigh most. Beside each its floor, the error of an
 * oracle that knows the simulation's laws and how far every application has come, but not when others will
 * arrive: it answers the median of many futures. Deterministic; no input.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/sofnn.h"
#include <stdio.h>

enum {
    APPS = 8,
    RESOURCES = 10,
    INPUTS = RESOURCES + 1 + APPS,
    RUNS = 12,
    SECONDS = 40,
    TICKS = SECONDS * 100
};
enum { TRAIN, VALID, TEST, PARTS, ROWS = 8 * TICKS, FUTURES = 15, THIN = 10, ARRIVAL = 1, SAMPLE = 2 };

static const char *const app_names[APPS] = {"b+tree", "cfd",       "gaussian", "hotspot3d",
                                            "lavaMD", "leukocyte", "myocyte",  "srad"};
static const char *const input_names[INPUTS] = {
    "instructions", "cycles",      "warps",        "threads", "global_load", "global_store", "l2_read",
    "l2_write",     "shared_load", "shared_store", "N",       "t_b+tree",    "t_cfd",        "t_gaussian",
    "t_hotspot3d",  "t_lavaMD",    "t_leukocyte",  "t_myocyte", "t_srad"};

/* What one application left behind in one part of the runs: a row per sample. */
typedef struct history {
    float x[ROWS][INPUTS], y[ROWS];
    float oracle[ROWS];       /* of test rows that are looked at */
    unsigned char look[ROWS]; /* ARRIVAL, SAMPLE or both: where errors are taken */
    size_t rows;
} history;
static history kept[APPS][PARTS];

static float press[APPS][RESOURCES]; /* share of each resource that an application alone would use */
static float solo[APPS], period[APPS];

/* ---- the device ---- */

typedef struct device {
    float done[APPS];  /* seconds of its solo time; below 0: it does not run */
    float began[APPS], next[APPS];
    float sum[RESOURCES], running;
    float now;
} device;

/* Applications whose time has come begin; returns a bit for each. */
static unsigned arrive(device *d) {
    unsigned began = 0;
    size_t a, k;
    for (a = 0; a < APPS; ++a) {
        if (d->done[a] >= 0.0f || d->now < d->next[a]) continue;
        d->done[a] = 0.0f;
        d->began[a] = d->now;
        d->next[a] += period[a];
        began |= 1u << a;
    }
    memset(d->sum, 0, sizeof d->sum);
    d->running = 0.0f;
    for (a = 0; a < APPS; ++a) {
        if (d->done[a] < 0.0f) continue;
        d->running += 1.0f;
        for (k = 0; k < RESOURCES; ++k) d->sum[k] += press[a][k];
    }
    return began;
}

/* A hundredth of a second passes: each running application advances by 0.01 / slowdown, where the slowdown is
   1 + the demand of the others on what it uses. Returns a bit for each that has ended. */
static unsigned advance(device *d) {
    unsigned ended = 0;
    size_t a, k;
    for (a = 0; a < APPS; ++a) {
        float slowdown = 1.0f;
        if (d->done[a] < 0.0f) continue;
        for (k = 0; k < RESOURCES; ++k) slowdown += 0.15f * press[a][k] * (d->sum[k] - press[a][k]);
        d->done[a] += 0.01f / slowdown;
        if (d->done[a] < solo[a]) continue;
        ended |= 1u << a;
        d->done[a] = -1.0f;
    }
    d->now += 0.01f;
    return ended;
}

/* For each running application the median of what it still takes, over futures in which the others arrive at
 * any moment. */
static void foresee(const device *present, sooth_rng *rng, float *left) {
    float ends[APPS][FUTURES];
    size_t a, f, i;
    for (f = 0; f < FUTURES; ++f) {
        device d = *present;
        unsigned wanted = 0;
        for (a = 0; a < APPS; ++a) {
            if (d.done[a] >= 0.0f) wanted |= 1u << a;
            else d.next[a] = d.now + period[a] * sooth_rng_float(rng);
        }
        while (wanted) {
            unsigned ended;
            arrive(&d);
            ended = advance(&d) & wanted;
            wanted &= ~ended;
            for (a = 0; a < APPS; ++a)
                if (ended >> a & 1) ends[a][f] = d.now - present->now;
        }
    }
    for (a = 0; a < APPS; ++a) {
        if (present->done[a] < 0.0f) continue;
        for (f = 0; f <= FUTURES / 2; ++f) /* the smallest half to the front */
            for (i = f + 1; i < FUTURES; ++i)
                if (ends[a][i] < ends[a][f]) {
                    const float swap = ends[a][f];
                    ends[a][f] = ends[a][i];
                    ends[a][i] = swap;
                }
        left[a] = ends[a][FUTURES / 2];
    }
}

/* One run. A row's y is first the moment of the sample; when the application ends, what was left. */
static void simulate(unsigned run, unsigned part) {
    size_t waiting[APPS], a, b, k;
    int tick;
    device d;
    sooth_rng rng, dice;
    sooth_rng_init(&rng, 17, run);
    sooth_rng_init(&dice, 18, run);
    memset(&d, 0, sizeof d);
    for (a = 0; a < APPS; ++a) {
        d.done[a] = -1.0f;
        d.next[a] = period[a] * sooth_rng_float(&rng);
        waiting[a] = kept[a][part].rows;
    }
    for (tick = 0; tick < TICKS; ++tick) {
        float left[APPS];
        const unsigned began = arrive(&d);
        const int tenth = tick % THIN == 0;
        unsigned ended;
        if ((began || tenth) && part == TEST) foresee(&d, &dice, left);
        for (a = 0; a < APPS; ++a) {
            history *h = &kept[a][part];
            float *x = h->x[h->rows];
            if (d.done[a] < 0.0f || h->rows == ROWS) continue;
            for (k = 0; k < RESOURCES; ++k) x[k] = d.sum[k] * (0.99f + 0.02f * sooth_rng_float(&rng));
            x[RESOURCES] = d.running;
            for (b = 0; b < APPS; ++b) x[RESOURCES + 1 + b] = d.done[b] < 0.0f ? 0.0f : d.now - d.began[b];
            h->look[h->rows] = (unsigned char)((began >> a & 1 ? ARRIVAL : 0) | (tenth ? SAMPLE : 0));
            if (h->look[h->rows] && part == TEST) h->oracle[h->rows] = left[a];
            h->y[h->rows++] = d.now;
        }
        ended = advance(&d);
        for (a = 0; a < APPS; ++a)
            for (; ended >> a & 1 && waiting[a] < kept[a][part].rows; ++waiting[a])
                kept[a][part].y[waiting[a]] = d.now - kept[a][part].y[waiting[a]];
    }
    for (a = 0; a < APPS; ++a) kept[a][part].rows = waiting[a]; /* whose end nobody saw */
}

/* ---- learning ---- */

/* The mean absolute percentage error over a history, where `look` says; model NULL: the oracle's. */
static double mape(const sooth_sofnn *model, const history *h, int look) {
    double sum = 0.0, count = 0.0;
    size_t i;
    for (i = 0; i < h->rows; ++i) {
        const double y = (double)h->y[i];
        double e;
        if (!(h->look[i] & look)) continue;
        e = ((double)(model ? sooth_sofnn_predict(model, h->x[i]) : h->oracle[i]) - y) / y;
        sum += e < 0.0 ? -e : e;
        ++count;
    }
    return 100.0 * sum / count;
}

/* From every thin-th row. Rules look at the application's own elapsed time, N and l2_read; planes take in
   everything. Relative errors count, those of less than 50 ms as absolute ones. */
static sooth_sofnn *learn(sooth_env *env, size_t app, uint32_t rules, size_t thin) {
    static float x[ROWS][INPUTS], y[ROWS], weight[ROWS];
    const history *h = &kept[app][TRAIN];
    unsigned char premise[INPUTS] = {0};
    sooth_sofnn_options options;
    sooth_sofnn *model;
    sooth_table table;
    size_t i, rows = 0;
    for (i = 0; i < h->rows; i += thin, ++rows) {
        memcpy(x[rows], h->x[i], sizeof x[rows]);
        y[rows] = h->y[i];
        weight[rows] = 1.0f / (h->y[i] * h->y[i] + 0.0025f);
    }
    memset(&options, 0, sizeof options);
    premise[RESOURCES + 1 + app] = premise[RESOURCES] = premise[6] = 1;
    options.premise = premise;
    options.max_rules = rules;
    options.candidates = 2;
    options.ridge = 1e-6;
    sooth_table_init(&table, x[0], rows, INPUTS);
    table.y = y;
    table.targets = 1;
    table.weight = weight;
    if (sooth_sofnn_fit(env, &table, &options, &model) != SOOTH_OK) puts(env->sentence);
    return model;
}

static int print_text(void *user, const char *text, size_t size) {
    (void)user;
    return fwrite(text, 1, size, stdout) != size;
}

int main(void) {
    double mean[4] = {0, 0, 0, 0};
    sooth_rng rng;
    sooth_env env;
    sooth_sink sink;
    size_t a, k;
    unsigned run;
    sooth_env_init(&env);
    memset(&sink, 0, sizeof sink);
    sink.write_fn = print_text;
    sooth_rng_init(&rng, 4, 0);
    for (a = 0; a < APPS; ++a) {
        solo[a] = 0.4f + 1.6f * sooth_rng_float(&rng);
        period[a] = solo[a] * (3.0f + 2.0f * sooth_rng_float(&rng));
        for (k = 0; k < RESOURCES; ++k) press[a][k] = 0.1f + 0.7f * sooth_rng_float(&rng);
    }
    for (run = 0; run < RUNS; ++run) simulate(run, run < RUNS - 4 ? TRAIN : run < RUNS - 2 ? VALID : TEST);
    printf("                                    MAPE %%: execution time at arrival  remaining time\n");
    printf("application    rules  rows learned      sooth  floor  paper         sooth  floor\n");
    for (a = 0; a < APPS; ++a) {
        static const uint32_t rules[] = {2, 4, 8};
        uint32_t chosen = 0;
        double least = 0.0, now[4];
        sooth_sofnn *model;
        for (k = 0; k < sizeof rules / sizeof rules[0]; ++k) {
            double error;
            model = learn(&env, a, rules[k], THIN);
            if (!model) return 1;
            error = mape(model, &kept[a][VALID], ARRIVAL) + mape(model, &kept[a][VALID], SAMPLE);
            if (chosen == 0 || error < least) {
                chosen = rules[k];
                least = error;
            }
            sooth_sofnn_free(&env, model);
        }
        model = learn(&env, a, chosen, 1);
        if (!model) return 1;
        for (k = 0; k < 4; ++k) now[k] = mape(k & 1 ? NULL : model, &kept[a][TEST], k < 2 ? ARRIVAL : SAMPLE);
        for (k = 0; k < 4; ++k) mean[k] += now[k] / APPS;
        printf("%-13s %6u %13zu %10.1f %6.1f %20.1f %6.1f\n", app_names[a], model->rules, kept[a][TRAIN].rows,
               now[0], now[1], now[2], now[3]);
        if (a + 1 == APPS) sooth_sofnn_write(model, input_names, &app_names[a], &sink);
        sooth_sofnn_free(&env, model);
    }
    printf("mean                              %11.1f %6.1f %20.1f %6.1f\n", mean[0], mean[1], mean[2],
           mean[3]);
    return 0;
}
