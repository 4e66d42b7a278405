/* airborne.c - eight periodic applications share a device; fuzzy networks predict how long each will still
 * take.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * After Yao et al. 2021. A simulation replaces their platform (a GTX 1060 behind gVirtuS). Of the paper's
 * eight applications of Rodinia, only the names are kept. Their times, periods and pressures are random
 * draws. The ten counters are sums of these, not events of CUPTI. Each application presses on each of ten
 * resources, and the others slow it down by the resources they share. A monitor samples, 100 times a second,
 * the workload counters (Table I), the number of running applications and the time each has run. When an
 * application ends, the remaining times of its samples are known. One network per application (in the paper
 * one for all) is fitted to 40 runs and tested on 20 others. A run is 40 s from random first arrivals.
 * Otherwise only the counters are random, by 1 %.
 *
 * The paper's own network is one for all applications. It has an output for each, a constant per rule
 * (equation 3), and rules over all 19 inputs. The paper does not specify how rules grow: here by
 * growth=one_pass. Nor does it specify the output of an idle application, for which there is nothing to
 * measure. In one column it is 0, like its elapsed time. In the next it is the usual time. With 0 the network
 * is worse than none: at an arrival the inputs hardly identify the application, and most rows are 0. With the
 * usual time it predicts little else. The column "eq. 3" is one network per application, such as the paper's,
 * of up to 16 rules. The column "sooth" is one of up to 4 rules with planes. Both have rules over three
 * inputs.
 *
 * The paper's inputs do not contain the past slowdown of an application, nor when idle ones will return. A
 * monitor could measure both: counters add up, and applications are periodic. So a second network has more
 * inputs. One is each counter's sum since its application began. The other is how long that would run next to
 * each other one, if both took as long as usual. Predictions without a model are the mean remaining time, and
 * the usual execution time less the elapsed one. There is also ridge regression on the same inputs. An oracle
 * has the simulation's laws and the progress of each application, but not the arrivals of idle ones: its
 * error is the floor for the paper's inputs. With arrivals it is 0, as an application's jobs are all alike.
 * On hardware they are not. If their work differed by up to 10 %, the last column would be 8 % at arrival,
 * not 5.
 *
 * Errors are mean absolute percentages of the measured time, in three readings of the paper's evaluation. Its
 * load is unknown. Here the applications, one after the other, would just keep the device busy. An argument
 * multiplies that. With 2, so many always run that the usual time errs by 5 % without any model.
 *
 * lavaMD is also run next to every choice of the others, as in Figure 1. The paper's text does not print the
 * numbers of that figure. --out FOLDER draws them, and the errors next to the range that the paper prints.
 *
 * Last, a fan fails: the device becomes slower by 15 %, without notice. Each arrival gives the logarithm of
 * its measured over its predicted time. Detectors of drift (drift.h) read this stream, one of each kind per
 * application. The mean of ADWIN, of the stream since its last change, corrects the predictions. It reads
 * tenths, so that the stream spans about the range 0..1 that its bound is made for.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/online.h"
#include "sooth/linear.h"
#include "sooth/sofnn.h"
#include "pictures.h"
#include <stdio.h>
#include <stdlib.h>

enum { APPS = 8, COUNTERS = 10, TICKS = 4000, THIN = 20, ROWS = 20000, FUTURES = 15 };
/* inputs: counters, N and elapsed times as in the paper; and ours */
enum { N = COUNTERS, ELAPSED, BESIDE = ELAPSED + APPS, SINCE = BESIDE + APPS, ALL = SINCE + COUNTERS };
enum { TRAIN, TEST, LATER, PARTS, TRAIN_RUNS = 40, TEST_FROM = 100, RUNS = 120 };
enum { LAVAMD = 4 };
enum { ARRIVAL = 1, EVENT = 2, SAMPLE = 4, READINGS = 3 };
static const char *const app_names[APPS] = {"b+tree", "cfd",       "gaussian", "hotspot3d",
                                            "lavaMD", "leukocyte", "myocyte",  "srad"};
static const float tick = 0.01f; /* seconds, as all times */

/* An application's rows in one part of the runs: at arrivals and ends of any, and every THIN-th sample. */
typedef struct history {
    float x[ROWS][ALL], y[ROWS], weight[ROWS], oracle[ROWS];
    unsigned char look[ROWS]; /* which of ARRIVAL, EVENT and SAMPLE it is */
    size_t rows;
} history;
static history kept[APPS][PARTS];

/* The same moments of the training runs for the paper's one network: one row each, with an output for
   every application, 0 if it is idle. */
static struct moments {
    float x[ROWS][BESIDE], y[ROWS][APPS];
    unsigned char runs[ROWS][APPS];
    size_t rows;
} seen;

static float press[APPS][COUNTERS], solo[APPS], period[APPS]; /* press: on each resource, when alone */
static float speed = 1.0f;                                    /* of the device */
static float usual[APPS], average[APPS]; /* mean execution time, mean remaining time in training */

/* ---- the device ---- */
typedef struct device {
    float done[APPS]; /* of its solo time; below 0: idle */
    float began[APPS], next[APPS], sum[COUNTERS], running, now;
} device;

/* Starts applications that arrive now. Returns a bit for each. */
static unsigned arrive(device *d) {
    unsigned began = 0;
    memset(d->sum, 0, sizeof d->sum);
    d->running = 0.0f;
    for (size_t a = 0; a < APPS; ++a) {
        if (d->done[a] < 0.0f) {
            if (d->now < d->next[a]) continue;
            d->done[a] = 0.0f;
            d->began[a] = d->now;
            d->next[a] += period[a];
            began |= 1u << a;
        }
        d->running += 1.0f;
        for (size_t k = 0; k < COUNTERS; ++k) d->sum[k] += press[a][k];
    }
    return began;
}

/* Advances each running application by tick / slowdown. The slowdown is 1 + the demand of the others on
   its resources. Returns a bit for each that has ended. */
static unsigned advance(device *d) {
    unsigned ended = 0;
    for (size_t a = 0; a < APPS; ++a) {
        float slowdown = 1.0f;
        if (d->done[a] < 0.0f) continue;
        for (size_t k = 0; k < COUNTERS; ++k) slowdown += 0.15f * press[a][k] * (d->sum[k] - press[a][k]);
        d->done[a] += speed * tick / slowdown;
        if (d->done[a] < solo[a]) continue;
        ended |= 1u << a;
        d->done[a] = -1.0f;
    }
    d->now += tick;
    return ended;
}

/* Predicts the remaining time of each running application. Idle ones arrive at any moment in random
   futures. The prediction is the median with weights 1 / time, which has the min relative error. */
static void foresee(const device *present, sooth_rng *rng, float *left) {
    float ends[APPS][FUTURES]; /* ascending */
    size_t f, i;
    for (f = 0; f < FUTURES; ++f) {
        device d = *present;
        unsigned wanted = 0, ended;
        for (size_t a = 0; a < APPS; ++a) {
            if (d.done[a] >= 0.0f) wanted |= 1u << a;
            else d.next[a] = d.now + (period[a] - usual[a]) * sooth_rng_float(rng);
        }
        while (wanted) {
            arrive(&d);
            ended = advance(&d) & wanted;
            wanted &= ~ended;
            for (size_t a = 0; a < APPS; ++a) {
                if (!(ended >> a & 1)) continue;
                for (i = f; i > 0 && ends[a][i - 1] > d.now - present->now; --i) ends[a][i] = ends[a][i - 1];
                ends[a][i] = d.now - present->now;
            }
        }
    }
    for (size_t a = 0; a < APPS; ++a) {
        float weights = 0.0f, passed = 0.0f;
        if (present->done[a] < 0.0f) continue;
        for (f = 0; f < FUTURES; ++f) weights += 1.0f / ends[a][f];
        for (f = 0; f < FUTURES && passed < 0.5f * weights; ++f) passed += 1.0f / ends[a][f];
        left[a] = ends[a][f - 1];
    }
}

/* The time of lavaMD while `others`, a bit for each, run all the time. */
static float beside(unsigned others) {
    device d;
    memset(&d, 0, sizeof d);
    for (size_t a = 0; a < APPS; ++a) d.next[a] = 1e9f;
    for (;;) {
        for (size_t a = 0; a < APPS; ++a)
            if (a != LAVAMD) d.done[a] = others >> a & 1 ? 0.0f : -1.0f;
        arrive(&d);
        if (advance(&d) >> LAVAMD & 1) return d.now;
    }
}

/* Figure 1: the same by the number of others, over every choice of them. */
static void show_neighbours(const char *folder) {
    double mean[APPS] = {0.0}, least[APPS], most[APPS], choices[APPS] = {0.0};
    for (unsigned others = 0; others < 1u << APPS; ++others) {
        size_t count = 0;
        if (others >> LAVAMD & 1) continue;
        for (size_t a = 0; a < APPS; ++a) count += others >> a & 1;
        const double time = (double)beside(others);
        if (!(choices[count] > 0.0) || time < least[count]) least[count] = time;
        if (!(choices[count] > 0.0) || time > most[count]) most[count] = time;
        mean[count] += time;
        ++choices[count];
    }
    puts("\n"
         "lavaMD while others run all the time, every choice of them (Figure 1), s\n"
         "others      min    mean     max");
    for (size_t k = 0; k < APPS; ++k) {
        mean[k] /= choices[k];
        printf("%6u%9.2f%8.2f%8.2f\n", (unsigned)k, least[k], mean[k], most[k]);
    }
    if (folder) draw_neighbours(folder, mean, least, most, APPS);
}

/* ---- the monitor ---- */
static float between(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

/* The inputs for application a. */
static void observe(const device *d, size_t a, const float *counter, const float *since, float *x) {
    const float left = between(usual[a] - (d->now - d->began[a]), 0.0f, usual[a]);
    memcpy(x, counter, COUNTERS * sizeof *x);
    x[N] = d->running;
    for (size_t b = 0; b < APPS; ++b) {
        const int rests = d->done[b] < 0.0f;
        x[ELAPSED + b] = rests ? 0.0f : d->now - d->began[b];
        x[BESIDE + b] = rests ? between(left - (d->next[b] - d->now), 0.0f, usual[b])
                              : between(usual[b] - x[ELAPSED + b], 0.0f, left);
    }
    memcpy(x + SINCE, since, COUNTERS * sizeof *x);
}

/* Adds a moment of training. As in an application's row, y is first the time of the moment. */
static void note(const device *d, const float *counter) {
    const size_t i = seen.rows;
    if (i == ROWS) return;
    memcpy(seen.x[i], counter, COUNTERS * sizeof *counter);
    seen.x[i][N] = d->running;
    for (size_t a = 0; a < APPS; ++a) {
        seen.runs[i][a] = d->done[a] >= 0.0f;
        seen.x[i][ELAPSED + a] = seen.runs[i][a] ? d->now - d->began[a] : 0.0f;
        seen.y[i][a] = seen.runs[i][a] ? d->now : 0.0f;
    }
    ++seen.rows;
}

/* Application a ends now. This sets the remaining time of the moments from *from on. */
static void settle(size_t a, size_t *from, float now) {
    for (; *from < seen.rows; ++*from)
        if (seen.runs[*from][a]) seen.y[*from][a] = now - seen.y[*from][a];
}

/* One run. A row's y is first the moment of the sample. When the application ends, y becomes the remaining
   time. Sampling begins once all have arrived, since the monitor does not have the arrivals before. */
static void simulate(size_t run, unsigned part) {
    float since[APPS][COUNTERS];
    size_t waiting[APPS], unsettled[APPS];
    unsigned came = 0, ended = 0;
    device d;
    sooth_rng rng;
    sooth_rng_init(&rng, 17, run);
    memset(&d, 0, sizeof d);
    for (size_t a = 0; a < APPS; ++a) {
        d.done[a] = -1.0f;
        d.next[a] = period[a] * sooth_rng_float(&rng);
        waiting[a] = kept[a][part].rows;
        unsettled[a] = seen.rows;
    }
    for (unsigned t = 0; t < TICKS; ++t) {
        float left[APPS], counter[COUNTERS];
        const unsigned began = arrive(&d);
        const int all = (came |= began) + 1 == 1u << APPS;
        const int look = all ? (began || ended ? EVENT : 0) | (t % THIN == 0 ? SAMPLE : 0) : 0;
        for (size_t k = 0; k < COUNTERS; ++k) counter[k] = d.sum[k] * (0.99f + 0.02f * sooth_rng_float(&rng));
        if (look && part == TRAIN) note(&d, counter);
        if (look && part == TEST) foresee(&d, &rng, left);
        for (size_t a = 0; a < APPS; ++a) {
            history *h = &kept[a][part];
            if (began >> a & 1) memset(since[a], 0, sizeof since[a]);
            if (d.done[a] < 0.0f) continue;
            if (look && h->rows < ROWS) {
                observe(&d, a, counter, since[a], h->x[h->rows]);
                h->look[h->rows] = (unsigned char)(look | (began >> a & 1 ? ARRIVAL : 0));
                if (part == TEST) h->oracle[h->rows] = left[a];
                h->y[h->rows++] = d.now;
            }
            for (size_t k = 0; k < COUNTERS; ++k) since[a][k] += counter[k] * tick;
        }
        ended = advance(&d);
        for (size_t a = 0; a < APPS; ++a) {
            if (!(ended >> a & 1)) continue;
            for (; waiting[a] < kept[a][part].rows; ++waiting[a])
                kept[a][part].y[waiting[a]] = d.now - kept[a][part].y[waiting[a]];
            settle(a, &unsettled[a], d.now);
        }
    }
    for (size_t a = 0; a < APPS; ++a) { /* whose end was not reached */
        kept[a][part].rows = waiting[a];
        while (unsettled[a] < seen.rows && !seen.runs[unsettled[a]][a]) ++unsettled[a];
        seen.rows = unsettled[a];
    }
}

/* The mean y of training rows for which `look` is true. */
static float mean_time(size_t app, int look) {
    const history *h = &kept[app][TRAIN];
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < h->rows; ++i) {
        if (!(h->look[i] & look)) continue;
        sum += (double)h->y[i];
        ++count;
    }
    return (float)(sum / count);
}

/* ---- predictors, from LINE on by a model ---- */
enum { AVERAGE, USUAL, ORACLE, PAPER, PAPER_USUAL, LINE, CONSTANTS, NET, LINE_ALL, NET_ALL, WAYS };

/* Predicts row i. Nothing ends before the next tick. */
static float foretell(int way, const void *model, size_t app, size_t i) {
    const history *h = &kept[app][TEST];
    const float *x = h->x[i];
    float guess, out[APPS];
    switch (way) {
    case AVERAGE: guess = average[app]; break;
    case USUAL: guess = usual[app] - x[ELAPSED + app]; break;
    case ORACLE: guess = h->oracle[i]; break;
    case LINE:
    case LINE_ALL: guess = sooth_linear_predict((const sooth_linear *)model, x); break;
    case PAPER:
    case PAPER_USUAL:
        sooth_sofnn_predict_covered((const sooth_sofnn *)model, x, out);
        guess = out[app];
        break;
    default: guess = sooth_sofnn_predict((const sooth_sofnn *)model, x);
    }
    return guess > tick ? guess : tick;
}

/* The mean absolute percentage error in one reading: relative to the measurement, or to the prediction, as
   in equation 4. */
static double mape(int way, const void *model, size_t app, int reading, int of_foretold) {
    const history *h = &kept[app][TEST];
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < h->rows; ++i) {
        const float passed = reading == EVENT ? h->x[i][ELAPSED + app] : 0.0f;
        if (!(h->look[i] & reading)) continue;
        const float says = foretell(way, model, app, i), e = says - h->y[i];
        sum += (double)((e < 0.0f ? -e : e) / ((of_foretold ? says : h->y[i]) + passed));
        ++count;
    }
    return 100.0 * sum / count;
}

/* The network as in the paper, with the usual time or 0 for idle applications. All rows count the same.
   NULL after a failure. */
static sooth_sofnn *learn_paper(sooth_env *env, int with_usual) {
    const sooth_sofnn_options options = {.order = SOOTH_SOFNN_ZERO_ORDER, .growth = SOOTH_SOFNN_ONE_PASS};
    sooth_table table = sooth_table_of(seen.x[0], seen.y[0], seen.rows, BESIDE);
    sooth_sofnn *net;
    table.targets = APPS;
    for (size_t i = 0; i < seen.rows; ++i)
        for (size_t a = 0; a < APPS; ++a)
            if (!seen.runs[i][a]) seen.y[i][a] = with_usual ? usual[a] : 0.0f;
    if (sooth_sofnn_fit(env, &table, &options, &net) != SOOTH_OK) puts(env->sentence);
    return net;
}

/* NULL after a failure. Errors are relative, those below 0.2 s absolute. Rules read the application's own
   elapsed time, N and l2_read. Planes read all inputs, without a bounding box: with these weights it would
   end at the start of the long times. Chosen on runs 40 to 49. */
static void *learn(sooth_env *env, size_t app, int way) {
    history *h = &kept[app][TRAIN];
    unsigned char premise[ALL] = {0};
    sooth_sofnn_options options;
    sooth_sofnn *net;
    for (size_t i = 0; i < h->rows; ++i) h->weight[i] = 1.0f / (h->y[i] * h->y[i] + 0.04f);
    sooth_table table = sooth_table_of(h->x[0], h->y, h->rows, way < LINE_ALL ? BESIDE : ALL);
    table.stride = ALL;
    table.weight = h->weight;
    if (way == LINE || way == LINE_ALL) {
        sooth_linear_options ridge;
        sooth_linear *line;
        memset(&ridge, 0, sizeof ridge);
        ridge.method = SOOTH_LINEAR_RIDGE;
        ridge.lambda = 1e-3;
        if (sooth_linear_fit(env, &table, &ridge, &line) != SOOTH_OK) puts(env->sentence);
        return line;
    }
    memset(&options, 0, sizeof options);
    premise[ELAPSED + app] = premise[N] = premise[6] = 1;
    options.premises = premise;
    options.extrapolate = 1;
    options.order = way == CONSTANTS ? SOOTH_SOFNN_ZERO_ORDER : SOOTH_SOFNN_FIRST_ORDER;
    options.max_rules = way == CONSTANTS ? 16 : 4;
    if (sooth_sofnn_fit(env, &table, &options, &net) != SOOTH_OK) puts(env->sentence);
    return net;
}

/* ---- when the device has changed ---- */

/* The logarithm of the measured over the predicted time of row i, an arrival. */
static float misses_by(const sooth_sofnn *net, const history *h, size_t i) {
    const float guess = sooth_sofnn_predict(net, h->x[i]);
    return sooth_log(h->y[i] / (guess > tick ? guess : tick));
}

/* The normal state for CUSUM: mean and deviation of an application's tests. */
static sooth_cusum_options usual_misses(const sooth_sofnn *net, const history *h) {
    double count = 0.0, sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < h->rows; ++i) {
        if (!(h->look[i] & ARRIVAL)) continue;
        const double off = (double)misses_by(net, h, i);
        ++count;
        sum += off;
        squares += off * off;
    }
    const double mean = sum / count, variance = squares / count - mean * mean;
    const double deviation = (double)sooth_exp(0.5f * sooth_log((float)variance));
    const sooth_cusum_options options = {.h = 8, .mean = mean, .std = deviation};
    return options;
}

/* Twenty runs as before and twenty on the slower device. Prints for each application after how many
   arrivals each detector fires, how often one fired before, and the error: before, after, and after with
   ADWIN's mean. */
static int watch(sooth_env *env, sooth_sofnn *const *net) {
    static float memory[256];
    const sooth_adwin_options often = {.clock = 1, .max_window = 1000};
    size_t before[APPS], told_early = 0;
    double mean[3] = {0.0, 0.0, 0.0};
    for (size_t run = 0; run < 40; ++run) {
        for (size_t a = 0; a < APPS && run == 20; ++a) before[a] = kept[a][LATER].rows;
        speed = run < 20 ? 1.0f : 0.85f;
        simulate(200 + run, LATER);
    }
    puts("\n"
         "The device becomes slower by 15 %: detected after how many arrivals; MAPE % at arrival\n"
         "               ADWIN   CUSUM  before   after   fixed");
    for (size_t a = 0; a < APPS; ++a) {
        const history *h = &kept[a][LATER];
        const sooth_cusum_options known = usual_misses(net[a], &kept[a][TEST]);
        double sum[3] = {0.0, 0.0, 0.0}, count[2] = {0.0, 0.0};
        unsigned told[2] = {0, 0};
        sooth_adwin *adwin;
        sooth_cusum cusum;
        if (sooth_adwin_init(env, &often, memory, sizeof memory, &adwin) != SOOTH_OK ||
            sooth_cusum_init(env, &cusum, &known) != SOOTH_OK)
            return 0;
        for (size_t i = 0; i < h->rows; ++i) {
            const float guess = sooth_sofnn_predict(net[a], h->x[i]), y = h->y[i];
            const int after = i >= before[a];
            if (!(h->look[i] & ARRIVAL)) continue;
            const float mended = adwin->width ? guess * sooth_exp(0.1f * sooth_adwin_mean(adwin)) : guess;
            const float off = misses_by(net[a], h, i);
            sum[after] += (double)(guess > y ? guess - y : y - guess) / (double)y;
            if (after) sum[2] += (double)(mended > y ? mended - y : y - mended) / (double)y;
            ++count[after];
            const int now[2] = {sooth_adwin_update(adwin, 10.0f * off) == SOOTH_DRIFT_UP,
                                sooth_cusum_update(&cusum, off) == SOOTH_DRIFT_UP};
            for (int k = 0; k < 2; ++k) {
                told_early += !after && now[k];
                if (after && now[k] && !told[k]) told[k] = (unsigned)count[1];
            }
        }
        printf("%-11s", app_names[a]);
        for (int k = 0; k < 2; ++k) printf("%8u", told[k]);
        for (int k = 0; k < 3; ++k) {
            mean[k] += 100.0 * sum[k] / count[k > 0] / APPS;
            printf("%8.1f", 100.0 * sum[k] / count[k > 0]);
        }
        puts("");
    }
    printf("%-27s%8.1f%8.1f%8.1f\n%u alarms before\n", "mean", mean[0], mean[1], mean[2],
           (unsigned)told_early);
    return 1;
}

int main(int argc, char **argv) {
    static const char *const readings[READINGS] = {
        "execution time predicted at arrival (Figure 6: 5.1 to 11.6 %)",
        "elapsed + remaining time at every arrival and end", "remaining time at all times"};
    static double error[READINGS][APPS + 1][WAYS], equation_4[WAYS]; /* the last row: the mean */
    float load = 1.0f;
    const char *folder = NULL;
    sooth_sofnn *net[APPS] = {NULL}, *paper[2];
    sooth_rng rng;
    sooth_env env;
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) folder = argv[++i];
        else load = (float)atof(argv[i]);
    if (!(load >= 0.5f && load <= 2.0f)) return puts("the load must be between 0.5 and 2"), 1;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 4, 0);
    for (size_t a = 0; a < APPS; ++a) {
        solo[a] = 0.4f + 1.6f * sooth_rng_float(&rng);
        period[a] = solo[a] * (6.0f + 4.0f * sooth_rng_float(&rng)) / load;
        for (size_t k = 0; k < COUNTERS; ++k) press[a][k] = 0.1f + 0.7f * sooth_rng_float(&rng);
    }
    for (size_t run = 0; run < TRAIN_RUNS; ++run) simulate(run, TRAIN); /* runs of the normal state */
    for (size_t a = 0; a < APPS; ++a) {
        usual[a] = mean_time(a, ARRIVAL);
        average[a] = mean_time(a, SAMPLE);
        kept[a][TRAIN].rows = 0;
    }
    seen.rows = 0;
    for (size_t run = 0; run < TRAIN_RUNS; ++run) simulate(run, TRAIN);
    for (size_t run = TEST_FROM; run < RUNS; ++run) simulate(run, TEST);
    for (int with_usual = 0; with_usual < 2; ++with_usual)
        if (!(paper[with_usual] = learn_paper(&env, with_usual))) return 1;
    for (size_t a = 0; a < APPS; ++a)
        for (int way = 0; way < WAYS; ++way) {
            void *model = way < PAPER ? NULL : way < LINE ? paper[way - PAPER] : learn(&env, a, way);
            if (way >= LINE && !model) return 1;
            for (size_t r = 0; r < READINGS; ++r) {
                error[r][a][way] = mape(way, model, a, 1 << r, 0);
                error[r][APPS][way] += error[r][a][way] / APPS;
            }
            equation_4[way] += mape(way, model, a, EVENT, 1) / APPS;
            if (way == NET_ALL) net[a] = (sooth_sofnn *)model;
            else if (way < LINE) continue;
            else if (way == LINE || way == LINE_ALL) sooth_linear_free(&env, (sooth_linear *)model);
            else sooth_sofnn_free(&env, (sooth_sofnn *)model);
        }
    for (size_t r = 0; r < READINGS; ++r) {
        printf(
            "MAPE %%: %s\n"
            "                   no model   floor     the paper's          its inputs       also ours\n"
            "application    mean   usual  oracle       0   usual   ridge   eq. 3   sooth   ridge   sooth\n",
            readings[r]);
        for (size_t a = 0; a <= APPS; ++a) {
            printf("%-11s", a < APPS ? app_names[a] : "mean");
            for (int way = 0; way < WAYS; ++way) printf("%8.1f", error[r][a][way]);
            puts("");
        }
        for (int way = 0; 1 << r == EVENT && way < WAYS; ++way)
            printf("%s%8.1f%s", way ? "" : "(eq. 4)    ", equation_4[way], way + 1 < WAYS ? "" : "\n");
        puts("");
    }
    printf("The paper's network has %u and %u rules, those of eq. 3 up to 16, ours up to 4.\n",
           paper[0]->rules, paper[1]->rules);
    show_neighbours(folder);
    if (folder) {
        double of[4][APPS];
        static const int shown[4] = {PAPER_USUAL, NET, NET_ALL, ORACLE};
        for (size_t a = 0; a < APPS; ++a)
            for (int k = 0; k < 4; ++k) of[k][a] = error[0][a][shown[k]];
        draw_errors(folder, app_names, APPS, of[0], of[1], of[2], of[3]);
    }
    const int watched = watch(&env, net);
    if (!watched) puts(env.sentence);
    for (size_t a = 0; a < APPS; ++a) sooth_sofnn_free(&env, net[a]);
    for (int k = 0; k < 2; ++k) sooth_sofnn_free(&env, paper[k]);
    return !watched;
}
