/* 16_programs_never_seen.c - why random splits flatter, and what three launches buy: a lesson with pictures.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach   writes build/teach/16_launches.svg and 16_one_program.svg, and tells what they show
 *
 * We measured 30 programs in 24 ways each and learned a model of the watts. How wrong will it be? Most papers
 * shuffle the measurements, learn from four fifths of them and ask for the last fifth. The answer is right
 * for one question, "another launch of these 30 programs?", and far off for the one that we have: "a program
 * that comes tomorrow?".
 *
 * So that everything can be checked, programs are made up: 30 that we learn from, and 200 that come tomorrow.
 *
 * This lesson is longer than the others: it is the whole way of a new program. Exercises, whose answers it
 * prints and tests/lessons.sh checks:
 *   1. What is a memory of names worth when rows are shuffled, and what when a program is left out?
 *   2. Which of the intervals hold what they promise of new programs, and what does that cost in width?
 *   3. From how many launches on does it no longer matter much which ones were measured?
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/adapt.h"
#include "sooth/conformal.h"
#include "sooth/forest.h"
#include "sooth/metrics.h"
#include "sooth/split.h"
#include "../picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { KNOWN = 30, NEW = 200, LAUNCHES = 24, COLS = 5 };
enum { STEPS = 5, MOST = 5, DRAWS = 10, CHOSEN = 0, RANDOM, MEAN, WAYS };
static const size_t after[STEPS] = {0, 1, 2, 3, MOST}; /* launches measured */

typedef struct programs {
    float *x;         /* per launch: threads, size, and the program's shares of loads, arithmetic, branches */
    float *watts;     /* per launch: measured */
    float *log_watts; /* what the model learns */
    float *predicted; /* per launch: watts */
    uint32_t *group;  /* per launch: its program */
    size_t rows;
} programs;

static void *room(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) exit(1);
    return memory;
}

static void need(const sooth_env *env, sooth_status status) {
    if (status == SOOTH_OK) return;
    fprintf(stderr, "%s\n", env->sentence);
    exit(1);
}

/* ---- 1. The truth. Watts are 40 at rest and a t^b e^(d s / (s + 8)) above, of t threads on data of size s.
   A compiler counts a program's instructions, and a grows with its share of loads: that can be learned. But
   much of a, and all of b and d, is the program's own, and no counter tells them. It is so with real ones:
   kernels that look alike to every published feature draw 20 % more or less than each other. Each measurement
   is off by some 1.5 %. ---- */

/* Normal, nearly: twelve uniform numbers have the variance 1. */
static double normal(sooth_rng *rng) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += sooth_rng_double(rng);
    return sum;
}

static programs make_programs(size_t count, uint64_t seed) {
    programs p;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    p.rows = count * LAUNCHES;
    p.x = (float *)room(p.rows * COLS, sizeof *p.x);
    p.watts = (float *)room(p.rows, sizeof *p.watts);
    p.log_watts = (float *)room(p.rows, sizeof *p.log_watts);
    p.predicted = (float *)room(p.rows, sizeof *p.predicted);
    p.group = (uint32_t *)room(p.rows, sizeof *p.group);
    for (size_t g = 0; g < count; ++g) {
        const double loads = 0.1 + 0.4 * sooth_rng_double(&rng), branches = 0.1 * sooth_rng_double(&rng);
        const double a = 1.5 * exp(3.0 * loads + 0.35 * normal(&rng));
        const double b = 0.8 + 0.08 * normal(&rng), d = 0.4 * normal(&rng);
        for (size_t k = 0; k < LAUNCHES; ++k) {
            const size_t i = g * LAUNCHES + k;
            const double t = (double)(1u << k % 6), s = (double)(1u << 2 * (k / 6)); /* 1 .. 32, 1 .. 64 */
            const double above = a * pow(t, b) * exp(d * s / (s + 8.0));
            float *x = p.x + i * COLS;
            x[0] = (float)t;
            x[1] = (float)s;
            x[2] = (float)loads;
            x[3] = (float)(1.0 - loads - branches);
            x[4] = (float)branches;
            p.group[i] = (uint32_t)g;
            p.watts[i] = (float)((40.0 + above) * (1.0 + 0.015 * normal(&rng)));
            p.log_watts[i] = sooth_log(p.watts[i]);
        }
    }
    return p;
}

static sooth_table table_of(const programs *p) {
    sooth_table table = sooth_table_of(p->x, p->log_watts, p->rows, COLS);
    table.group = p->group;
    return table;
}

/* ---- 2. The score: each launch predicted by a model that has not seen it. Which others it has seen is the
   whole matter: with SOOTH_SPLIT_KFOLD four fifths of all, so nearly always others of the same program; with
   SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT none of the same program. ---- */

static void learn(sooth_env *env, const sooth_table *train, sooth_forest **forest) {
    need(env, sooth_forest_fit(env, train, NULL, forest)); /* a random forest of 100 trees, on log watts */
}

static void predict_left_out(sooth_env *env, const programs *p, sooth_split_method method, float *out) {
    const sooth_table table = table_of(p);
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = method;
    need(env, sooth_split_make(env, &table, &options, &split));
    for (size_t f = 0; f < split.folds; ++f) {
        const sooth_fold *fold = &split.fold[f];
        sooth_table train, test;
        sooth_forest *forest;
        need(env, sooth_split_take(env, &table, fold, &train, &test));
        learn(env, &train, &forest);
        for (size_t i = 0; i < fold->tests; ++i)
            out[fold->test[i]] = sooth_exp(sooth_forest_predict(forest, test.x + i * test.stride));
        sooth_forest_free(env, forest);
        sooth_table_free(env, &train);
        sooth_table_free(env, &test);
    }
    sooth_split_free(env, &split);
}

static void tell(sooth_env *env, const char *what, const programs *p, const float *predicted) {
    sooth_metrics m;
    need(env, sooth_metrics_compute(env, p->watts, predicted, NULL, p->rows, NULL, &m));
    printf("  %-52s R2 %5.2f, off by %4.1f %%\n", what, m.r2, 100.0 * m.mape);
}

/* ---- 3. Why shuffling flatters: a memory of names. To a tree the three counters are a name, for no two
   programs share them. This "model" knows nothing but names: it answers with the mean of what it has seen of
   the program at as many threads. Where others of the program were seen, it looks as good as the forest; of a
   program that it has not seen, it knows nothing at all. A score that cannot tell these two apart does not
   measure what we want. ---- */

static void remember_names(const programs *p, float *out) {
    for (size_t i = 0; i < p->rows; ++i) {
        double sum = 0.0, count = 0.0;
        for (size_t k = 0; k < p->rows; ++k) {
            if (k == i || p->group[k] != p->group[i]) continue;
            if (p->x[k * COLS] < p->x[i * COLS] || p->x[k * COLS] > p->x[i * COLS]) continue;
            sum += (double)p->watts[k];
            count += 1.0;
        }
        out[i] = (float)(sum / count);
    }
}

/* The least that a model must beat, and often does not: one number for all, the median of what was seen. */
static int by_size(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(const float *value, size_t count) {
    float *sorted = (float *)room(count, sizeof *sorted), middle;
    memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    middle = 0.5f * (sorted[(count - 1) / 2] + sorted[count / 2]);
    free(sorted);
    return middle;
}

/* ---- 4. Intervals. Take how far off the model was on rows that it had not seen, |log y - log p|, and go as
   far to both sides as the 90 % smallest of these. Where the next row is drawn as those were, it lies inside
   with a probability of 90 %, whatever the model (conformal.h has the theorem). "As those were" is a promise
   that the calibration makes, and that nobody checks: with shuffled rows it means "another launch of these
   programs", with programs left out, each counting once, "a launch of another program". ---- */

static void tell_interval(const char *what, const sooth_conformal *c, const programs *p,
                          const float *predicted) {
    double held = 0.0, wide = 0.0;
    for (size_t i = 0; i < p->rows; ++i) {
        float low, high;
        sooth_conformal_interval(c, predicted[i], 1.0f, &low, &high);
        held += p->watts[i] >= low && p->watts[i] <= high;
        wide += (double)(high - low);
    }
    printf("  %-52s hold %3.0f %%, %3.0f W wide\n", what, 100.0 * held / (double)p->rows,
           wide / (double)p->rows);
}

static void intervals(sooth_env *env, const programs *known, const programs *fresh, const float *shuffled) {
    sooth_conformal_options options;
    sooth_conformal *of_rows, *of_programs;
    memset(&options, 0, sizeof options); /* 90 % */
    options.scale = SOOTH_CONFORMAL_LOG;
    options.method = SOOTH_CONFORMAL_CROSS;
    need(env, sooth_conformal_fit(env, known->watts, shuffled, NULL, NULL, known->rows, &options, &of_rows));
    need(env, sooth_conformal_fit(env, known->watts, known->predicted, known->group, NULL, known->rows,
                                  &options, &of_programs));
    puts("\n90 % intervals:");
    tell_interval("calibrated on shuffled rows, judged on these", of_rows, known, shuffled);
    tell_interval("the same, judged on 200 new programs", of_rows, fresh, fresh->predicted);
    tell_interval("calibrated on programs left out, judged on the 200", of_programs, fresh, fresh->predicted);
    sooth_conformal_free(env, of_programs);
    sooth_conformal_free(env, of_rows);
}

/* ---- 5. A few launches. What a model gets wrong about a program is mostly the program's own, and the same
   in launches that are alike: a level (a), and something smooth over threads and sizes (b and d). adapt.h
   learns from the programs that we know how large and how smooth these errors are: the residuals log(y / p)
   of a program are a Gaussian process with

       cov(r, r') = level + slope f f' + signal m(distance) + noise.

   Then each measured launch says something about all others, the more the nearer they are, and the process
   says by how much it is still unsure: so it can also say which launch to measure next, the one that takes
   away most variance of all. A scheduler's history, the mean of what was measured, has neither model nor
   distance. ---- */

typedef struct score {
    double error[WAYS][STEPS], held[WAYS][STEPS], wide[WAYS][STEPS];
} score;

typedef struct newcomer {
    const sooth_adapt *adapt;
    sooth_adapt_program *memory;
    float *scratch;
    float x[LAUNCHES * COLS], predicted[LAUNCHES], watts[LAUNCHES]; /* its launches */
} newcomer;

static void meet(newcomer *n, const programs *fresh, size_t g) {
    memcpy(n->x, fresh->x + g * LAUNCHES * COLS, sizeof n->x);
    memcpy(n->watts, fresh->watts + g * LAUNCHES, sizeof n->watts);
    memcpy(n->predicted, fresh->predicted + g * LAUNCHES, sizeof n->predicted);
}

static void observe(newcomer *n, size_t i) {
    sooth_adapt_observe(n->adapt, n->memory, n->x + i * COLS, n->predicted[i], n->watts[i]);
}

/* The launches to measure, in order. It depends on where one has measured, not on what came out. */
static void choose(newcomer *n, uint32_t order[MOST]) {
    float cost[LAUNCHES]; /* what was measured costs nothing that could be paid: left out */
    for (size_t i = 0; i < LAUNCHES; ++i) cost[i] = 1.0f;
    for (size_t k = 0; k < MOST; ++k) {
        order[k] = (uint32_t)sooth_adapt_next(n->adapt, n->memory, n->x, LAUNCHES, COLS, n->predicted, cost,
                                              SOOTH_ADAPT_VARIANCE, n->scratch);
        cost[order[k]] = 0.0f;
        observe(n, order[k]);
    }
    sooth_adapt_forget(n->adapt, n->memory);
}

/* Measures order[0..MOST) and asks, after 0, 1, 2, 3 and 5, for all launches that are in neither list. */
static void reveal(newcomer *n, const uint32_t *order, const uint32_t *other, float usual, int way,
                   score *s) {
    double sum = 0.0;
    size_t asked = 0, k = 0, i;
    unsigned char hidden[LAUNCHES] = {0};
    for (i = 0; i < MOST; ++i) hidden[order[i]] = hidden[other[i]] = 1;
    for (i = 0; i < LAUNCHES; ++i) asked += !hidden[i];
    const double one = 1.0 / ((double)asked * NEW * DRAWS);
    for (size_t at = 0; at < STEPS; ++at) {
        for (; k < after[at]; ++k) {
            observe(n, order[k]);
            sum += (double)n->watts[order[k]];
        }
        const double mean = k ? sum / (double)k : (double)usual;
        for (i = 0; i < LAUNCHES; ++i) {
            const double y = (double)n->watts[i];
            sooth_adapted out;
            if (hidden[i]) continue;
            sooth_adapt_predict(n->adapt, n->memory, n->x + i * COLS, n->predicted[i], &out);
            s->error[way][at] += one * fabs((double)out.value / y - 1.0);
            s->held[way][at] += n->watts[i] >= out.low && n->watts[i] <= out.high ? one : 0.0;
            s->wide[way][at] += one * (double)(out.high - out.low);
            if (way == RANDOM) s->error[MEAN][at] += one * fabs(mean / y - 1.0);
        }
    }
    sooth_adapt_forget(n->adapt, n->memory);
}

static void line(const char *what, const double *value, double factor) {
    printf("  %-38s", what);
    for (size_t at = 0; at < STEPS; ++at) printf(" %6.1f", factor * value[at]);
    printf("\n");
}

static void few_launches(newcomer *n, const programs *fresh, float usual, score *s) {
    uint32_t chosen[MOST], order[LAUNCHES];
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (uint32_t i = 0; i < LAUNCHES; ++i) order[i] = i;
    memset(s, 0, sizeof *s);
    for (size_t g = 0; g < NEW; ++g) {
        meet(n, fresh, g);
        choose(n, chosen);
        for (size_t draw = 0; draw < DRAWS; ++draw) {
            sooth_rng_shuffle(&rng, order, LAUNCHES);
            reveal(n, chosen, order, usual, CHOSEN, s);
            reveal(n, order, chosen, usual, RANDOM, s);
        }
    }
    printf("\nlaunches of a new program measured           0      1      2      3      5\n");
    line("off by %, launches chosen", s->error[CHOSEN], 100.0);
    line("off by %, launches at random", s->error[RANDOM], 100.0);
    line("off by %, the mean of the random ones", s->error[MEAN], 100.0);
    line("90 % intervals hold %, chosen", s->held[CHOSEN], 100.0);
    line("90 % intervals hold %, at random", s->held[RANDOM], 100.0);
    line("W wide, chosen", s->wide[CHOSEN], 1.0);
    line("W wide, at random", s->wide[RANDOM], 1.0);
}

/* ---- 6. Two pictures. ---- */

static void draw_errors(const score *s) {
    static const char *const names[WAYS] = {"chosen", "at random", "their mean"};
    double x[STEPS], y[WAYS * STEPS];
    sooth_svg_line_chart chart;
    for (size_t at = 0; at < STEPS; ++at) {
        x[at] = (double)after[at];
        for (size_t w = 0; w < WAYS; ++w) y[w * STEPS + at] = 100.0 * s->error[w][at];
    }
    memset(&chart, 0, sizeof chart);
    chart.frame.title = "200 programs never seen: error by the number of launches measured";
    chart.x = x;
    chart.y = y;
    chart.count = STEPS;
    chart.series = WAYS;
    chart.series_names = names;
    chart.x_title = "launches measured";
    chart.y_title = "off by, %";
    picture_draw(".", "16_launches.svg", sooth_svg_lines, &chart);
}

/* Mean error of the model alone on a new program. */
static float missed_by(const programs *fresh, size_t g) {
    double sum = 0.0;
    for (size_t i = g * LAUNCHES; i < (g + 1) * LAUNCHES; ++i)
        sum += fabs((double)fresh->predicted[i] / (double)fresh->watts[i] - 1.0);
    return (float)(sum / LAUNCHES);
}

/* A new program that the model misses more than three of four, over the threads at size 16: measured, the
   model's word and interval, and those after three chosen launches. */
static void draw_one(newcomer *n, const programs *fresh) {
    static const char *const names[3] = {"measured", "the model", "with 3 launches"};
    enum { AT = 6, FIRST = 2 * AT }; /* launches at size 16 */
    double x[AT], y[3 * AT], low[3 * AT], high[3 * AT];
    float missed[NEW], sorted[NEW];
    size_t g = 0;
    uint32_t chosen[MOST];
    sooth_svg_line_chart chart;
    for (size_t k = 0; k < NEW; ++k) sorted[k] = missed[k] = missed_by(fresh, k);
    qsort(sorted, NEW, sizeof *sorted, by_size);
    while (missed[g] < sorted[3 * NEW / 4]) ++g;
    meet(n, fresh, g);
    choose(n, chosen);
    for (size_t series = 0; series < 3; ++series) {
        for (size_t k = 0; k < 3 && series == 2; ++k) observe(n, chosen[k]);
        for (size_t t = 0; t < AT; ++t) {
            const size_t i = FIRST + t, at = series * AT + t;
            sooth_adapted out;
            sooth_adapt_predict(n->adapt, n->memory, n->x + i * COLS, n->predicted[i], &out);
            x[t] = (double)n->x[i * COLS];
            y[at] = series ? (double)out.value : (double)n->watts[i];
            low[at] = series ? (double)out.low : y[at];
            high[at] = series ? (double)out.high : y[at];
        }
    }
    sooth_adapt_forget(n->adapt, n->memory);
    memset(&chart, 0, sizeof chart);
    chart.frame.title = "A program never seen: what the model says, and after three launches";
    chart.x = x;
    chart.y = y;
    chart.low = low;
    chart.high = high;
    chart.count = AT;
    chart.series = 3;
    chart.series_names = names;
    chart.x_title = "threads";
    chart.y_title = "power, W";
    picture_draw(".", "16_one_program.svg", sooth_svg_lines, &chart);
}

static void drop(programs *p) {
    free(p->x);
    free(p->watts);
    free(p->log_watts);
    free(p->predicted);
    free(p->group);
}

int main(void) {
    programs known = make_programs(KNOWN, 1), fresh = make_programs(NEW, 2);
    float *shuffled = (float *)room(known.rows, sizeof *shuffled);
    float *other = (float *)room(fresh.rows, sizeof *other);
    const float usual = median(known.watts, known.rows);
    sooth_table table = table_of(&known);
    sooth_forest *forest;
    sooth_adapt *adapt;
    static newcomer n;
    score s;
    sooth_env env;
    sooth_env_init(&env);

    puts("30 programs, 24 launches each:");
    remember_names(&known, other);
    tell(&env, "shuffled: a memory of names", &known, other);
    predict_left_out(&env, &known, SOOTH_SPLIT_KFOLD, shuffled);
    tell(&env, "shuffled: a forest", &known, shuffled);
    predict_left_out(&env, &known, SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT, known.predicted);
    tell(&env, "a program left out: a forest", &known, known.predicted);

    /* The forest of all 30 meets tomorrow's programs. Leaving programs out had told what would happen. */
    learn(&env, &table, &forest);
    for (size_t i = 0; i < fresh.rows; ++i)
        fresh.predicted[i] = sooth_exp(sooth_forest_predict(forest, fresh.x + i * COLS));
    puts("200 new programs:");
    tell(&env, "the forest of all 30", &fresh, fresh.predicted);
    for (size_t i = 0; i < fresh.rows; ++i) other[i] = usual;
    tell(&env, "the median of the 30", &fresh, other);
    intervals(&env, &known, &fresh, shuffled);

    table.y = known.watts; /* adapt.h takes logarithms by itself */
    need(&env, sooth_adapt_fit(&env, &table, known.predicted, NULL, &adapt));
    n.adapt = adapt;
    n.memory = sooth_adapt_begin(adapt, room(sooth_adapt_program_size(adapt), 1));
    n.scratch = (float *)room(sooth_adapt_next_scratch(adapt), sizeof(float));
    few_launches(&n, &fresh, usual, &s);
    draw_errors(&s);
    draw_one(&n, &fresh);
    free(n.scratch);
    free(n.memory);
    sooth_adapt_free(&env, adapt);
    sooth_forest_free(&env, forest);
    free(other);
    free(shuffled);
    drop(&fresh);
    drop(&known);
    return 0;
}
