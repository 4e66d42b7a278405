/* pictures.h - the pictures of airborne.c: the paper's Figures 1 and 6, of the simulation.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef AIRBORNE_PICTURES_H
#define AIRBORNE_PICTURES_H

#include "../common/picture.h"
#include <math.h>

/* Figure 1: the execution time of one application by how many others run all the time. The line is the
   mean over every choice of them, the band is the min and the max. count points from 0 others on. */
static void draw_neighbours(const char *folder, const double *mean, const double *least, const double *most,
                            size_t count) {
    static const char *const series[] = {"lavaMD"};
    double others[16];
    svg_line_chart chart;
    picture p;
    if (!picture_open(&p, folder, "figure_1.svg")) return;
    for (size_t i = 0; i < count; ++i) others[i] = (double)i;
    memset(&chart, 0, sizeof chart);
    chart.frame.title = "Simulated: lavaMD next to others (after Figure 1)";
    chart.x = others;
    chart.y = mean;
    chart.low = least;
    chart.high = most;
    chart.count = count;
    chart.series = 1;
    chart.series_names = series;
    chart.x_title = "applications next to it";
    chart.y_title = "execution time, s; every choice of neighbours";
    svg_lines(&p.sink, &chart);
    picture_close(&p);
}

/* Figure 6: the errors of `apps` applications (at most 16), three bars each: the paper's network, ours
   from its inputs, ours with two more. The tick is the floor of the paper's inputs. Last, the ends of the
   range that the paper prints. */
static void draw_errors(const char *folder, const char *const *apps, size_t count, const double *paper,
                        const double *ours, const double *more, const double *oracle) {
    static const char *const words[] = {"the paper's network", "ours, its inputs", "ours, two more inputs"};
    static char text[16 * 3][64];
    const char *names[16 * 3 + 2];
    double value[16 * 3 + 2], tick_at[16 * 3 + 2];
    uint32_t series[16 * 3 + 2];
    svg_bar_chart chart;
    picture p;
    size_t bars = 0;
    if (!picture_open(&p, folder, "figure_6.svg")) return;
    for (size_t a = 0; a < count; ++a)
        for (uint32_t k = 0; k < 3; ++k, ++bars) {
            snprintf(text[bars], sizeof text[bars], "%s: %s", apps[a], words[k]);
            names[bars] = text[bars];
            value[bars] = k == 0 ? paper[a] : k == 1 ? ours[a] : more[a];
            tick_at[bars] = k < 2 ? oracle[a] : NAN;
            series[bars] = k;
        }
    for (int most = 0; most < 2; ++most, ++bars) {
        names[bars] = most ? "Yao et al., GTX 1060: the most" : "Yao et al., GTX 1060: the min";
        value[bars] = most ? 11.6 : 5.1;
        tick_at[bars] = NAN;
        series[bars] = 3;
    }
    memset(&chart, 0, sizeof chart);
    chart.frame.title = "Simulated: error of the execution time predicted at arrival (after Figure 6)";
    chart.value = value;
    chart.names = names;
    chart.count = bars;
    chart.mark = tick_at;
    chart.mark_title = "an oracle without arrivals";
    chart.series = series;
    chart.unit = " %";
    svg_bars(&p.sink, &chart);
    picture_close(&p);
}

#endif
