/* svg.h - simple charts as SVG text, for reports of predictions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   svg_scatter   predicted against measured, with the diagonal and a band of 10 % around it
 *   svg_bars      one bar per row with its value, and a mark for a published figure
 *   svg_strips    one strip of points per category, with its median
 *   svg_violins   the distribution in each category, with a width proportional to the density
 *   svg_heat      a matrix of numbers as colours, with names and values
 *   svg_lines     series over an axis, each with an optional band (an interval) and measured values
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
 * Colours are those of Okabe and Ito, which colour-blind people can distinguish. Text and lines have the
 * page's colour (currentColor), so drawings fit light and dark pages. Every mark has its name and value as a
 * tooltip. Values that are not finite are left out and counted in the description. Empty data give a frame
 * with a note.
 *
 * Cost: no allocation, no state, about 100 bytes of output per mark. The same input gives the same bytes.
 */
#ifndef SVG_H
#define SVG_H

#include "sooth/base.h"

/* Fields of all charts; 0 and NULL mean defaults. */
typedef struct svg_frame {
    const char *title; /* for screen readers, and a tooltip of the drawing */
    double width;      /* 0 means 640 */
    double height;     /* 0 means chosen by the chart */
} svg_frame;

/* Points of x and y, coloured by series. */
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

/* Horizontal bars from 0, one per row, with their values at the end. Negative bars extend to the left. */
typedef struct svg_bar_chart {
    svg_frame frame;
    const double *value;
    const char *const *names;
    size_t count;
    size_t heads;           /* of these, rows without a bar by intention: their value is NaN */
    const double *mark;     /* per bar: a tick for comparison; NaN or NULL: none */
    const uint32_t *series; /* colour per bar */
    const char *unit;       /* after the values: " %" */
    const char *mark_title; /* meaning of the ticks */
    double names_share;     /* of the width, for names at most; 0 means 0.45 */
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

/* The distribution of the values of each category, with a mark at its median. A violin extends from the
   minimum to the maximum of its values. Its width is proportional to the density, up to the height of its
   row. The density is a Gaussian kernel estimate, whose width is the standard deviation x n^(-1/5) (Scott
   1992). */
typedef struct svg_violin_chart {
    svg_frame frame;
    const double *value;
    const uint32_t *category; /* per value: its row */
    const uint32_t *series;   /* per value: its violin in the row, and its colour; NULL: all of series 0 */
    size_t count;
    const char *const *names; /* per category */
    size_t categories;
    const char *const *series_names; /* a legend, NULL: none */
    size_t series_count;             /* violins in a row; 0 means 1 */
    int split;                       /* series 0 is the upper half of one violin, series 1 the lower */
    int logarithmic;                 /* logarithmic axis and densities of logarithms; only values above 0 */
    const char *title;               /* of the axis */
} svg_violin_chart;

/* A matrix: the higher a value, the darker its cell. */
typedef struct svg_heat_map {
    svg_frame frame;
    const double *value; /* rows x cols; NaN: empty */
    size_t rows, cols;
    const char *const *row_names, *const *col_names;
    const char *row_title, *col_title;
    double low, high; /* values of the palest and the darkest colour; both 0 means the range of the values */
    unsigned digits;  /* significant digits of the numbers in the cells; 0 means 3 */
} svg_heat_map;

/* Lines through the points of each series. */
typedef struct svg_line_chart {
    svg_frame frame;
    const double *x;          /* count, ascending */
    const double *y;          /* series x count */
    const double *low, *high; /* series x count: a band; NULL: none */
    size_t count, series;
    const char *const *series_names; /* written at the end of each line; the first 16 do not overlap */
    const char *x_title, *y_title;
    const double *mark; /* series x count: measured values, as marks with one shape per series. NaN: none at
                           this x. NULL: no marks */
    int logarithmic_x;  /* logarithmic x axis; values that are not above 0 are left out */
} svg_line_chart;

/* Each function writes one <svg> element to the sink. Check sink->failed for write errors. */
void svg_scatter(sooth_sink *sink, const svg_points *chart);
void svg_bars(sooth_sink *sink, const svg_bar_chart *chart);
void svg_strips(sooth_sink *sink, const svg_strip_chart *chart);
void svg_violins(sooth_sink *sink, const svg_violin_chart *chart);
void svg_heat(sooth_sink *sink, const svg_heat_map *chart);
void svg_lines(sooth_sink *sink, const svg_line_chart *chart);

/* Writes text for use inside XML or HTML: escapes & < > " and drops control characters. A byte that is not
   part of valid UTF-8 is taken as Latin-1. */
void svg_text(sooth_sink *sink, const char *text);

#endif
