/* drawn.h - the charts of svg.h as themis.c needs them: one call each.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PAPERS_DRAWN_H
#define PAPERS_DRAWN_H

#include "../picture.h"

static const char *folder; /* where pictures go; NULL: none are drawn */

typedef struct axes {
    const char *file, *title, *x, *y; /* x: of the one axis, where there is one */
} axes;

/* One strip of points per name. */
static inline void draw_strips(axes a, const double *value, const uint32_t *category,
                               const char *const *labels, size_t count, const char *const *names,
                               size_t categories) {
    const sooth_svg_strip_chart chart = {.frame.title = a.title,
                                         .value = value,
                                         .category = category,
                                         .labels = labels,
                                         .count = count,
                                         .names = names,
                                         .categories = categories,
                                         .title = a.x};
    picture p;
    if (!folder || !picture_open(&p, folder, a.file)) return;
    sooth_svg_strips(&p.sink, &chart);
    picture_close(&p);
}

/* Bars; mark: the paper's numbers or NULL. */
static inline void draw_bars(axes a, const double *value, const char *const *names, const uint32_t *series,
                             size_t count, const double *mark, const char *mark_title, const char *unit) {
    const sooth_svg_bar_chart chart = {.frame.title = a.title,
                                       .value = value,
                                       .names = names,
                                       .count = count,
                                       .mark = mark,
                                       .mark_title = mark_title,
                                       .series = series,
                                       .unit = unit};
    picture p;
    if (!folder || !picture_open(&p, folder, a.file)) return;
    sooth_svg_bars(&p.sink, &chart);
    picture_close(&p);
}

/* y: series x count. */
static inline void draw_lines(axes a, const double *x, const double *y, size_t count, size_t series,
                              const char *const *names) {
    const sooth_svg_line_chart chart = {.frame.title = a.title,
                                        .x = x,
                                        .y = y,
                                        .count = count,
                                        .series = series,
                                        .series_names = names,
                                        .x_title = a.x,
                                        .y_title = a.y};
    picture p;
    if (!folder || !picture_open(&p, folder, a.file)) return;
    sooth_svg_lines(&p.sink, &chart);
    picture_close(&p);
}

static inline void draw_heat(axes a, const double *value, size_t rows, size_t cols,
                             const char *const *row_names, const char *const *col_names, double low,
                             double high) {
    const sooth_svg_heat_map chart = {.frame.title = a.title,
                                      .value = value,
                                      .rows = rows,
                                      .cols = cols,
                                      .row_names = row_names,
                                      .col_names = col_names,
                                      .row_title = a.y,
                                      .col_title = a.x,
                                      .low = low,
                                      .high = high,
                                      .digits = 2};
    picture p;
    if (!folder || !picture_open(&p, folder, a.file)) return;
    sooth_svg_heat(&p.sink, &chart);
    picture_close(&p);
}

#endif
