/* pictures.h - the figures of table7.c.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Everything is static, for table7.c, which includes it after its study7.
 */
#ifndef PICTURES_H
#define PICTURES_H

#include "../common/picture.h"
#include <stdarg.h>

/* The paper's name of a field of Table 4. */
static const char *path_field(const sooth_fairness_form *form, uint32_t f) {
    switch (form->field[f]) {
    case SOOTH_FAIRNESS_ALONE_TIME: return "GPU_time";
    case SOOTH_FAIRNESS_CPU_TIME: return "CPU_time";
    case SOOTH_FAIRNESS_CONTROL: return "Control";
    default: return "fairness";
    }
}

/* The share of the points whose path tests a field, in per cent. */
static double path_share(const path_use *p, uint32_t f) {
    return 100.0 * (double)(p->points - p->times[f][0]) / (double)p->points;
}

/* Number of tests of it on a path; the last class counts as its min. */
static double path_mean(const path_use *p, uint32_t f) {
    double sum = 0.0;
    for (size_t k = 0; k <= MOST_ASKED; ++k) sum += (double)(k * p->times[f][k]);
    return sum / (double)p->points;
}

/* ---- pictures ---- */

typedef struct heading {
    char file[64], title[240];
} heading;

/* table7_NUMBER_NAME.svg, and a title that begins with the subject's name. */
static heading heading_of(const study7 *u, const char *name, const char *format, ...) {
    heading h;
    va_list more;
    snprintf(h.file, sizeof h.file, "table7_%u_%s.svg", u->number, name);
    const int begun = snprintf(h.title, sizeof h.title, "%.60s: ", u->s->name);
    va_start(more, format);
    vsnprintf(h.title + begun, sizeof h.title - (size_t)begun, format, more);
    va_end(more);
    return h;
}

/* Combinations that differ, by the first of each. */
static uint32_t first_of(const study7 *u, uint32_t form) {
    uint32_t c = 0;
    while (u->form_at[c] != form) ++c;
    return c;
}

/* Figure 13: combinations and regressors, for bags of one size. The range of trees and SVR has the
   colours. linear and MLP may be beyond it, and are then the darkest. */
static void draw_heat(const study7 *u, uint32_t z) {
    static double value[COMBINATIONS * REGRESSORS];
    static char names[COMBINATIONS][8];
    const char *rows[COMBINATIONS];
    char name[32];
    double low = 0.0, high = 0.0;
    size_t n = 0;
    for (uint32_t c = 0; c < COMBINATIONS; ++c) {
        if (u->form_at[c] == COMBINATIONS) continue;
        for (uint32_t r = 0; r < REGRESSORS; ++r) {
            const double v = u->cell[z][u->form_at[c]][r].unseen;
            value[n * REGRESSORS + r] = v;
            if (r == LINEAR || r == MLP) continue;
            high = fmax(high, v);
            low = n + r == 0 || v < low ? v : low;
        }
        snprintf(names[n], sizeof names[n], "%u", c + 1);
        rows[n] = names[n];
        ++n;
    }
    snprintf(name, sizeof name, "heat_%u", u->tasks[z]);
    const heading h = heading_of(
        u, name, "Table 7, bags of %u, every program left out: mean error, %% (Figure 13)", u->tasks[z]);
    picture_draw(u->out, h.file, svg_heat,
                 &(svg_heat_map){.frame.title = h.title,
                                 .frame.width = 480,
                                 .value = value,
                                 .rows = n,
                                 .cols = REGRESSORS,
                                 .row_names = rows,
                                 .col_names = way_name,
                                 .row_title = "combination",
                                 .low = low,
                                 .high = high});
}

/* Figure 11: how the errors of the combinations are spread, for each program left out and each regressor. */
static void draw_violins(const study7 *u, uint32_t z) {
    static double value[MOST_PROGRAMS * COMBINATIONS * REGRESSORS];
    static uint32_t category[MOST_PROGRAMS * COMBINATIONS * REGRESSORS],
        series[MOST_PROGRAMS * COMBINATIONS * REGRESSORS];
    const char *names[MOST_PROGRAMS];
    uint32_t rows = 0;
    size_t n = 0;
    for (uint32_t q = 0; q < u->s->programs; ++q) {
        if (isnan(u->cell[z][0][0].program[q])) continue; /* no bag holds it */
        names[rows] = u->s->program_name[q];
        for (uint32_t f = 0; f < u->forms; ++f)
            for (uint32_t r = 0; r < REGRESSORS; ++r) {
                category[n] = rows;
                series[n] = r;
                value[n++] = u->cell[z][f][r].program[q];
            }
        ++rows;
    }
    const heading h =
        heading_of(u, "violins",
                   "bags of %u, each program left out: error of the %u combinations that differ "
                   "(Figure 11)",
                   u->tasks[z], u->forms);
    picture_draw(u->out, h.file, svg_violins,
                 &(svg_violin_chart){.frame.title = h.title,
                                     .value = value,
                                     .category = category,
                                     .series = series,
                                     .count = n,
                                     .names = names,
                                     .categories = rows,
                                     .series_names = way_name,
                                     .series_count = REGRESSORS,
                                     .logarithmic = 1,
                                     .title = "mean error, %"});
}

/* Figures 12 and 14: a point for each combination, every program left out or random 80/20. */
static void draw_strips(const study7 *u, uint32_t z, int unseen) {
    double value[COMBINATIONS * REGRESSORS];
    uint32_t category[COMBINATIONS * REGRESSORS];
    static char label[COMBINATIONS][8];
    const char *labels[COMBINATIONS * REGRESSORS];
    size_t n = 0;
    for (uint32_t f = 0; f < u->forms; ++f) {
        snprintf(label[f], sizeof label[f], "comb%u", first_of(u, f) + 1);
        for (uint32_t r = 0; r < REGRESSORS; ++r) {
            labels[n] = label[f];
            category[n] = r;
            value[n++] = unseen ? u->cell[z][f][r].unseen : u->cell[z][f][r].random;
        }
    }
    const heading h = heading_of(u, unseen ? "strips_unseen" : "strips_random",
                                 "bags of %u, %s: error of each combination (Figure %d)", u->tasks[z],
                                 unseen ? "every program left out" : "random 80/20", unseen ? 12 : 14);
    picture_draw(u->out, h.file, svg_strips,
                 &(svg_strip_chart){.frame.title = h.title,
                                    .value = value,
                                    .category = category,
                                    .labels = labels,
                                    .count = n,
                                    .names = way_name,
                                    .categories = REGRESSORS,
                                    .title = "mean error, %"});
}

/* Figure 15: both ways to split, one above the other. */
static void draw_split(const study7 *u, uint32_t z) {
    static const char *const halves[2] = {"every program left out", "random 80/20"};
    double value[2 * COMBINATIONS * REGRESSORS];
    uint32_t category[2 * COMBINATIONS * REGRESSORS], series[2 * COMBINATIONS * REGRESSORS];
    char name[32];
    size_t n = 0;
    for (uint32_t f = 0; f < u->forms; ++f)
        for (uint32_t r = 0; r < REGRESSORS; ++r)
            for (uint32_t k = 0; k < 2; ++k) {
                category[n] = r;
                series[n] = k;
                value[n++] = k ? u->cell[z][f][r].random : u->cell[z][f][r].unseen;
            }
    snprintf(name, sizeof name, "split_%u", u->tasks[z]);
    const heading h = heading_of(u, name, "bags of %u: errors of the %u combinations that differ (Figure 15)",
                                 u->tasks[z], u->forms);
    picture_draw(u->out, h.file, svg_violins,
                 &(svg_violin_chart){.frame.title = h.title,
                                     .value = value,
                                     .category = category,
                                     .series = series,
                                     .count = n,
                                     .names = way_name,
                                     .categories = REGRESSORS,
                                     .series_names = halves,
                                     .series_count = 2,
                                     .split = 1,
                                     .title = "mean error, %"});
}

/* Figure 8: groups of columns, by themselves and with times. */
static void draw_groups(const study7 *u, uint32_t z) {
    double value[GROUPS * BESIDE];
    const char *beside[BESIDE];
    uint32_t cols = 0;
    for (uint32_t b = 0; b < BESIDE; ++b) {
        if (!possible(u, b)) continue;
        for (uint32_t g = 0; g < u->groups; ++g) value[g * BESIDE + cols] = u->group[z][g][b].unseen;
        beside[cols++] = beside_name[b];
    }
    for (uint32_t i = 0; i < u->groups * cols; ++i) value[i] = value[i / cols * BESIDE + i % cols];
    const heading h = heading_of(
        u, "groups",
        "the tree of depth 7 with groups of columns, bags of %u, every program left out: error, %% "
        "(Figure 8)",
        u->tasks[z]);
    picture_draw(u->out, h.file, svg_heat,
                 &(svg_heat_map){.frame.title = h.title,
                                 .frame.width = 480,
                                 .value = value,
                                 .rows = u->groups,
                                 .cols = cols,
                                 .row_names = u->group_name,
                                 .col_names = beside});
}

/* Figure 9: the share of the points left out whose path tests a field. */
static void draw_shares(const study7 *u, uint32_t z) {
    const trial *t = &u->tree[z];
    double share[8], paper[8];
    const char *names[8];
    for (uint32_t f = 0; f < t->form.fields; ++f) {
        const uint32_t field = t->form.field[f];
        names[f] = path_field(&t->form, f);
        share[f] = path_share(&u->paths[z], f);
        paper[f] = field == SOOTH_FAIRNESS_ALONE_TIME ? 100.0
                   : field == SOOTH_FAIRNESS_CHOSEN   ? 65.0
                                                      : (double)NAN;
    }
    const heading h =
        heading_of(u, "path_shares",
                   "points left out whose decision path tests a column, bags of %u (Figure 9)", u->tasks[z]);
    picture_draw(u->out, h.file, svg_bars,
                 &(svg_bar_chart){.frame.title = h.title,
                                  .frame.width = 480,
                                  .value = share,
                                  .names = names,
                                  .count = t->form.fields,
                                  .mark = paper,
                                  .mark_title = "the paper, on a GPU",
                                  .unit = " %"});
}

/* Figure 10 folded up: the share of the points left out whose path has this many tests. */
static void draw_times(const study7 *u, uint32_t z) {
    static const char *const times[MOST_ASKED + 1] = {"not",     "once",    "2 times", "3 times",
                                                      "4 times", "5 times", "6 times", "7 or more"};
    const trial *t = &u->tree[z];
    double value[8 * (MOST_ASKED + 1)];
    const char *names[8];
    for (uint32_t f = 0; f < t->form.fields; ++f) {
        names[f] = path_field(&t->form, f);
        for (size_t k = 0; k <= MOST_ASKED; ++k)
            value[f * (MOST_ASKED + 1) + k] =
                100.0 * (double)u->paths[z].times[f][k] / (double)u->paths[z].points;
    }
    const heading h = heading_of(
        u, "path_times",
        "how often the paths of points left out ask about a column, %% of the points, bags of %u (Figure 10)",
        u->tasks[z]);
    picture_draw(u->out, h.file, svg_heat,
                 &(svg_heat_map){.frame.title = h.title,
                                 .frame.width = 480,
                                 .value = value,
                                 .rows = t->form.fields,
                                 .cols = MOST_ASKED + 1,
                                 .row_names = names,
                                 .col_names = times,
                                 .digits = 2});
}

/* For pairs all of the paper's figures, for larger bags Figures 13 and 15. */
static void draw(const study7 *u) {
    for (uint32_t z = 0; z < u->sizes; ++z) {
        draw_heat(u, z);
        draw_split(u, z);
    }
    draw_violins(u, 0);
    draw_strips(u, 0, 1);
    draw_strips(u, 0, 0);
    draw_groups(u, 0);
    draw_shares(u, 0);
    draw_times(u, 0);
}

#endif
