/* translate.h - tests of translation cards: times on one machine from those on another, of programs that the
 * card was not fitted to.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A choice of programs was measured on both machines, in all their sizes. Of the others only the times here
 * are known. Four ways predict their times there:
 *
 *     same time     there as here; fits nothing
 *     mean ratio    times the geometric mean of there / here: a card whose slope is 1
 *     card          ln there = intercept + slope ln here, by least squares
 *     plain card    there = intercept + slope here, as in Moolchandani et al. 2022, section 9
 *
 * Every choice of a given number of programs is tried, so nothing is random. Everything is static.
 */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/picture.h"
#include "sooth/fairness.h"

enum { SAME, RATIO, CARD, PLAIN, WAYS };
static const char *const way_name[WAYS] = {"same time", "mean ratio", "card", "plain card"};

enum { POINTS = 64, PROGRAMS = 17 };

/* Times of tasks on two machines. */
typedef struct points {
    uint32_t count, programs;
    uint32_t program[POINTS];
    char label[POINTS][48];
    double here[POINTS], there[POINTS];
} points;

typedef struct translator {
    int way;
    double ratio;
    sooth_fairness_translation line;
} translator;

/* Fits the programs whose bits are set. Returns 0 if they do not determine a line. */
static int translator_learn(const points *p, uint32_t shared, int way, translator *t) {
    double here[POINTS], there[POINTS], sum = 0.0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        if (!(shared >> p->program[i] & 1u)) continue;
        here[n] = p->here[i];
        there[n++] = p->there[i];
        sum += log(p->there[i] / p->here[i]);
    }
    t->way = way;
    t->ratio = way == RATIO && n ? exp(sum / n) : 1.0;
    return way < CARD ||
           sooth_fairness_translate_fit(NULL, here, there, n, way == PLAIN, &t->line) == SOOTH_OK;
}

static double translator_tell(const translator *t, double time) {
    return t->way < CARD ? t->ratio * time : sooth_fairness_translate(&t->line, time, NULL);
}

/* Mean |relative error| in % of the programs whose bits are not set. NaN without a line. */
static double error_of_choice(const points *p, uint32_t shared, int way) {
    translator t;
    double sum = 0.0;
    uint32_t n = 0;
    if (!translator_learn(p, shared, way, &t)) return (double)NAN;
    for (uint32_t i = 0; i < p->count; ++i) {
        if (shared >> p->program[i] & 1u) continue;
        sum += fabs(translator_tell(&t, p->here[i]) / p->there[i] - 1.0);
        ++n;
    }
    return 100.0 * sum / n;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the values at both sides of part q of a sorted list. */
static double quantile(const double *sorted, size_t count, double q) {
    const double at = q * (double)(count - 1);
    const size_t k = (size_t)at;
    return k + 1 < count ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

/* Over all choices of this many programs. `all` counts them, `without` those that do not determine a line. */
typedef struct spread {
    double median, low, high;
    uint32_t all, without;
} spread;

static spread over_choices(const points *p, uint32_t programs, int way) {
    static double error[1u << PROGRAMS];
    spread s = {(double)NAN, (double)NAN, (double)NAN, 0, 0};
    uint32_t n = 0;
    for (uint32_t shared = 0; shared < 1u << p->programs; ++shared) {
        uint32_t bits = 0;
        for (uint32_t b = 0; b < p->programs; ++b) bits += shared >> b & 1u;
        if (bits != programs) continue;
        error[n] = error_of_choice(p, shared, way);
        ++s.all;
        if (error[n] == error[n]) ++n;
        else ++s.without;
    }
    if (n == 0) return s;
    qsort(error, n, sizeof *error, ascending);
    s.median = quantile(error, n, 0.5);
    s.low = quantile(error, n, 0.1);
    s.high = quantile(error, n, 0.9);
    return s;
}

/* Every program left out once: the mean over all tasks, and half of the 95 % interval (Student's t) of the
   mean over programs. `told`, or NULL, gets the prediction of each task. */
static double left_out(const points *p, int way, double *half, double *told) {
    double sum = 0.0, of_programs = 0.0, squares = 0.0;
    for (uint32_t program = 0; program < p->programs; ++program) {
        const uint32_t others = ((1u << p->programs) - 1u) & ~(1u << program);
        const double error = error_of_choice(p, others, way);
        translator t;
        uint32_t n = 0;
        const int known = translator_learn(p, others, way, &t);
        for (uint32_t i = 0; i < p->count; ++i) {
            if (p->program[i] != program) continue;
            if (told) told[i] = known ? translator_tell(&t, p->here[i]) : (double)NAN;
            ++n;
        }
        sum += n * error;
        of_programs += error;
        squares += error * error;
    }
    const double k = p->programs, mean = of_programs / k;
    *half = sooth_t_quantile(0.975, k - 1.0) * sqrt((squares - k * mean * mean) / (k - 1.0) / k);
    return sum / p->count;
}

static const uint32_t tried[3] = {2, 3, 5};

static void print_header(void) {
    printf("  %-18s %-11s", "", "");
    for (int k = 0; k < 3; ++k) printf("    %u of them       ", (unsigned)tried[k]);
    printf("    all but one\n");
}

/* One line for each way. */
static void print_translation(const char *from, const char *to, const points *p) {
    for (int way = 0; way < WAYS; ++way) {
        double half;
        if (way == 0) printf("  %-8.8s to %-6.6s", from, to);
        else printf("  %-18s", "");
        printf(" %-11s", way_name[way]);
        for (int k = 0; k < 3; ++k) {
            const spread s = over_choices(p, tried[k], way);
            printf(" %6.1f (%5.1f %6.1f)", s.median, s.low, s.high);
        }
        const double error = left_out(p, way, &half, NULL);
        printf(" %6.1f +- %.1f\n", error, half);
    }
}

/* ---- drawings ---- */

/* Predictions of cards for programs left out, against measurements. Some translations have a series each. */
static void draw_told(const char *folder, const char *name, const char *title, const points *p, size_t series,
                      const char *const *names, const char *unit) {
    enum { MOST = 6 * POINTS };
    static double x[MOST], y[MOST];
    static uint32_t of[MOST];
    static const char *label[MOST];
    char title_x[64], title_y[64];
    size_t n = 0;
    for (size_t s = 0; s < series; ++s) {
        double told[POINTS], half;
        left_out(&p[s], CARD, &half, told);
        for (uint32_t i = 0; i < p[s].count && n < MOST; ++i, ++n) {
            x[n] = p[s].there[i];
            y[n] = told[i];
            of[n] = (uint32_t)s;
            label[n] = p[s].label[i];
        }
    }
    snprintf(title_x, sizeof title_x, "measured there, %s", unit);
    snprintf(title_y, sizeof title_y, "translated, %s", unit);
    picture_draw(folder, name, svg_scatter,
                 &(svg_points){.frame.title = title,
                               .x = x,
                               .y = y,
                               .count = n,
                               .series = of,
                               .series_names = names,
                               .series_count = series,
                               .labels = label,
                               .x_title = title_x,
                               .y_title = title_y,
                               .logarithmic = 1,
                               .diagonal = 1});
}

/* The median error by the number of programs measured on both, for some translations, by the card and by
   the mean ratio. */
static void draw_errors(const char *folder, const char *name, const char *title, const points *p,
                        size_t series, const char *const *names) {
    enum { MOST = 3 };
    static const int drawn[2] = {CARD, RATIO};
    double x[PROGRAMS], y[2 * MOST * PROGRAMS];
    char text[2 * MOST][64];
    const char *word[2 * MOST];
    const uint32_t count = p[0].programs - 2;
    for (uint32_t i = 0; i < count; ++i) x[i] = i + 2.0;
    for (size_t s = 0; s < 2 * series; ++s) {
        snprintf(text[s], sizeof text[s], "%s, %s", names[s / 2], s % 2 ? "ratio" : "card");
        word[s] = text[s];
        for (uint32_t i = 0; i < count; ++i)
            y[s * count + i] = over_choices(&p[s / 2], i + 2, drawn[s % 2]).median;
    }
    picture_draw(folder, name, svg_lines,
                 &(svg_line_chart){.frame.title = title,
                                   .x = x,
                                   .y = y,
                                   .count = count,
                                   .series = 2 * series,
                                   .series_names = word,
                                   .x_title = "programs measured on both machines",
                                   .y_title = "median error of the other programs, %"});
}

#endif
