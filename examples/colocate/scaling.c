/* scaling.c - see scaling.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/svg.h"

uint32_t scaling_instances(uint32_t step) { return 1u << step; }

size_t scaling_choose(uint32_t axis, scaling_line line[SCALING_PROGRAMS]) {
    static const stage_task usual[] = {{WORKLOAD_MATRIX, 1}, {WORKLOAD_FACES, 1},   {WORKLOAD_NEIGHBOURS, 1},
                                       {WORKLOAD_SORT, 2},   {WORKLOAD_SCRATCH, 1}, {WORKLOAD_PIPES, 0}};
    size_t n = 0;
    int has = axis >= PRESSURES;
    memset(line, 0, SCALING_PROGRAMS * sizeof *line);
    for (; n < sizeof usual / sizeof usual[0]; ++n) {
        line[n].task = usual[n];
        has |= pressure_of(usual[n].workload, usual[n].size) == (pressure_kind)axis;
    }
    if (has) return n;
    for (uint32_t w = 0; w < WORKLOADS; ++w)
        for (uint32_t s = 0; s < WORKLOAD_SIZES; ++s) {
            scaling_line *to = &line[n];
            if (pressure_of(w, s) != (pressure_kind)axis) continue;
            if (has && workload_bytes(w, s) >= workload_bytes(to->task.workload, to->task.size)) continue;
            to->task.workload = w; /* the smallest, so that many fit next to each other */
            to->task.size = s;
            has = 1;
        }
    return n + 1;
}

double scaling_ms(const scaling_line *line, uint32_t step) { return line->ms[step] * line->share[step]; }

int scaling_has_energy(const scaling_line *line, size_t lines) {
    for (size_t i = 0; i < lines; ++i)
        for (uint32_t s = 0; s < line[i].steps; ++s)
            if (!(line[i].joules[s] > 0.0)) return 0;
    return lines > 0;
}

static void name_of(const scaling_line *line, char *text, size_t size) {
    const workload *w = &workloads[line->task.workload];
    snprintf(text, size, "%s %s", w->name, w->size[line->task.size].label);
}

/* One instance's time if the cores are shared evenly. */
static double evenly(uint32_t instances, uint32_t cores) {
    return instances > cores ? (double)instances / (double)cores : 1.0;
}

void scaling_tell(const scaling_line *line, size_t lines, uint32_t cores) {
    const int energy = scaling_has_energy(line, lines);
    double share = 1.0;
    printf("\nInstances of one program at once on %u core%s: times as long as one%s\n  %-22s", cores,
           cores == 1 ? "" : "s", energy ? "       of 16: joules, times those of one" : "", "");
    for (uint32_t s = 0; s < SCALING_STEPS; ++s) printf(" %9u", scaling_instances(s));
    printf("\n");
    for (size_t i = 0; i < lines; ++i) {
        const scaling_line *one = &line[i];
        const uint32_t last = SCALING_STEPS - 1;
        char name[64];
        name_of(one, name, sizeof name);
        printf("  %-22s %6.2f ms", name, scaling_ms(one, 0));
        for (uint32_t s = 1; s < SCALING_STEPS; ++s) {
            if (s < one->steps) printf(" %9.2f", scaling_ms(one, s) / scaling_ms(one, 0));
            else printf("         -");
        }
        if (energy && one->steps > last)
            printf(" %14.3f %9.1f", one->joules[last], one->joules[last] / one->joules[0]);
        printf("\n");
    }
    for (size_t i = 0; i < lines; ++i)
        for (uint32_t s = 0; s < line[i].steps; ++s) share = fmin(share, line[i].share[s]);
    printf("  %-22s %9s", "cores shared evenly", "");
    for (uint32_t s = 1; s < SCALING_STEPS; ++s) printf(" %9.2f", evenly(scaling_instances(s), cores));
    printf("\n"
           "The paper's Figure 1 has the same of a CPU and a GPU, as a picture; of the energy (Figure 2) "
           "its text reports that\n"
           "16 instances of KNN (ours is neighbours) take 19 times that of one on the CPU, 5.5 times on the "
           "GPU.%s\n",
           energy ? "" : " Here no\nenergy could be read.");
    if (share < 0.9)
        printf("Other programs were running: at times the instances had only %.0f %% of the cores. The "
               "table has their own\n"
               "time on the cores, over the number of cores.\n",
               100.0 * share);
}

/* The factor over the time of this many instances with evenly shared cores and no other contention. For
   energy: over this many times the energy of one alone. */
static double beyond(const scaling_line *line, uint32_t step, uint32_t cores, int energy) {
    const uint32_t n = scaling_instances(step);
    if (step >= line->steps) return (double)NAN;
    return energy ? line->joules[step] / (line->joules[0] * n)
                  : scaling_ms(line, step) / (scaling_ms(line, 0) * evenly(n, cores));
}

/* The order of the lines by their last values, so that their names are in order. */
static void by_their_ends(const double *end, size_t lines, size_t *place) {
    for (size_t i = 0; i < lines; ++i) {
        place[i] = 0;
        for (size_t k = 0; k < lines; ++k) place[i] += end[k] < end[i] || (!(end[k] > end[i]) && k < i);
    }
}

void scaling_draw(sooth_sink *sink, const scaling_line *line, size_t lines, uint32_t cores, int energy,
                  double width) {
    double x[SCALING_STEPS], y[SCALING_PROGRAMS * SCALING_STEPS], end[SCALING_PROGRAMS];
    char name[SCALING_PROGRAMS][64];
    const char *names[SCALING_PROGRAMS];
    size_t place[SCALING_PROGRAMS];
    svg_line_chart chart;
    for (size_t i = 0; i < lines; ++i) end[i] = beyond(&line[i], line[i].steps - 1, cores, energy);
    by_their_ends(end, lines, place);
    for (uint32_t s = 0; s < SCALING_STEPS; ++s) x[s] = scaling_instances(s);
    for (size_t i = 0; i < lines; ++i) {
        for (uint32_t s = 0; s < SCALING_STEPS; ++s)
            y[place[i] * SCALING_STEPS + s] = beyond(&line[i], s, cores, energy);
        name_of(&line[i], name[i], sizeof name[i]);
        names[place[i]] = name[i];
    }
    memset(&chart, 0, sizeof chart);
    chart.frame.title = energy ? "Energy of instances of one program at once, by what as many alone take"
                               : "Time of instances of one program at once, by what even sharing gives";
    chart.frame.width = width;
    chart.x = x;
    chart.y = y;
    chart.count = SCALING_STEPS;
    chart.series = lines;
    chart.series_names = names;
    chart.x_title = "instances";
    chart.y_title = energy ? "energy, times that of as many alone" : "time, times that of even sharing";
    svg_lines(sink, &chart);
}
