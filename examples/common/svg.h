/* svg.h - clean charts as SVG text: what a report of predictions needs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   svg_scatter   predicted against measured, with the diagonal and a band of 10 % around it
 *   svg_bars      one bar per row with its value, and a mark for a published figure beside it
 *   svg_strips    one strip of points per category, with its median
 *   svg_violins   the distribution in each category, as wide as the values are dense
 *   svg_heat      a matrix of numbers as colours, with names and values
 *   svg_lines     series over an axis, each with an optional band (an interval) and what was measured
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "svg.h"
 *     #include <stdio.h>
 *
 *     static int to_file(void *file, const char *text, size_t size) {
 *         return fwrite(text, 1, size, (FILE *)file) != size;
 *     }
 *
 *     int main(void) {
 *         const double measured[] = {11, 19, 32, 40}, predicted[] = {10, 21, 30, 41};
 *         sooth_sink sink = {.user = stdout, .write_fn = to_file}; // or a file of its own
 *         svg_points points = {.frame.title = "Predicted against measured", .diagonal = 1};
 *         points.x = measured;
 *         points.y = predicted;
 *         points.count = 4;
 *         points.x_title = "measured, ms";
 *         points.y_title = "predicted, ms";
 *         svg_scatter(&sink, &points); //> <title>Predicted against measured</title>
 *         return sink.failed;
 *     }
 *
 * Colours are those of Okabe and Ito, which colour-blind people can tell apart; text and lines take the
 * page's own colour (currentColor), so drawings fit light and dark pages. Every mark carries its name and
 * value as a tooltip. Numbers that are not finite are left out and counted in the description; empty data
 * draw a frame that says so.
 *
 * Costs: no allocation, no state, output of some 100 bytes per mark; the same input gives the same bytes.
 */
#ifndef SVG_H
#define SVG_H

#include "sooth/base.h"

/* Fields that all charts share; 0 and NULL are the defaults. */
typedef struct svg_frame {
    const char *title; /* read aloud and shown as a tooltip of the drawing */
    double width;      /* 640 */
    double height;     /* by the chart */
} svg_frame;

/* Points of x and y, in colours by series. */
typedef struct svg_points {
    svg_frame frame;
    const double *x, *y;
    size_t count;
    const uint32_t *series;          /* per point, NULL: all of series 0 */
    const char *const *series_names; /* a legend, NULL: none */
    size_t series_count;
    const char *const *labels; /* per point, for tooltips; NULL: none */
    const char *x_title, *y_title;
    int logarithmic; /* both axes */
    int diagonal;    /* equal axes, the line y = x and a band of 10 % */
} svg_points;

/* Bars from 0 to the right, or to the left where values are below 0, one below the other, with their values
   behind them. */
typedef struct svg_bar_chart {
    svg_frame frame;
    const double *value;
    const char *const *names;
    size_t count;
    const double *mark;     /* per bar: a tick for comparison; NaN or NULL: none */
    const uint32_t *series; /* colour per bar */
    const char *unit;       /* behind the values: " %" */
    const char *mark_title; /* what the ticks are */
} svg_bar_chart;

/* The values of each category as points on one line, with a mark at their median. */
typedef struct svg_strip_chart {
    svg_frame frame;
    const double *value;
    const uint32_t *category;  /* per value */
    const char *const *labels; /* per value, for tooltips; NULL: none */
    size_t count;
    const char *const *names; /* per category */
    size_t categories;
    const char *title; /* of the axis */
} svg_strip_chart;

/* The distribution of the values of each category, with a mark at its median. A violin reaches from the least
   to the greatest of its values and is as wide as they are dense (a Gaussian kernel, whose width is their
   standard deviation x n^(-1/5): Scott 1992), where they are densest as wide as its row allows. */
typedef struct svg_violin_chart {
    svg_frame frame;
    const double *value;
    const uint32_t *category; /* per value: its row */
    const uint32_t *series;   /* per value: which violin of the row, and its colour; NULL: all of series 0 */
    size_t count;
    const char *const *names; /* per category */
    size_t categories;
    const char *const *series_names; /* a legend, NULL: none */
    size_t series_count;             /* violins in a row; 0: 1 */
    int split;                       /* series 0 is the upper half of one violin, series 1 the lower */
    int logarithmic;                 /* the axis, and the densities are of logarithms; above 0 alone */
    const char *title;               /* of the axis */
} svg_violin_chart;

/* A matrix: the higher a value, the darker its cell. */
typedef struct svg_heat_map {
    svg_frame frame;
    const double *value; /* rows x cols; NaN: empty */
    size_t rows, cols;
    const char *const *row_names, *const *col_names;
    const char *row_title, *col_title;
    double low, high; /* values of the palest and the darkest colour; both 0: the range of the values */
    unsigned digits;  /* significant digits of the numbers in the cells; 0: 3 */
} svg_heat_map;

/* Lines through the points of each series. */
typedef struct svg_line_chart {
    svg_frame frame;
    const double *x;          /* count, ascending */
    const double *y;          /* series x count */
    const double *low, *high; /* series x count: a band; NULL: none */
    size_t count, series;
    const char *const *series_names; /* written at the end of each line, the first 16 clear of each other */
    const char *x_title, *y_title;
    const double *mark; /* series x count: what was measured, as marks of a form for each series, beside the
                           lines; NaN: none there. NULL: none at all */
    int logarithmic_x;  /* the axis along x; what is not above 0 is left out */
} svg_line_chart;

/* Each writes one <svg> element to the sink; whether that took it is in sink->failed. */
void svg_scatter(sooth_sink *sink, const svg_points *chart);
void svg_bars(sooth_sink *sink, const svg_bar_chart *chart);
void svg_strips(sooth_sink *sink, const svg_strip_chart *chart);
void svg_violins(sooth_sink *sink, const svg_violin_chart *chart);
void svg_heat(sooth_sink *sink, const svg_heat_map *chart);
void svg_lines(sooth_sink *sink, const svg_line_chart *chart);

/* Writes text for use inside XML or HTML: & < > " escaped, control characters left out; a byte that is no
   part of sound UTF-8 stands for the character of Latin-1 that has its number. */
void svg_text(sooth_sink *sink, const char *text);

#endif
