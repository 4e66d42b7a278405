/* scaling.h - the cost in time and energy of many instances of one program at once.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Figures 1 and 2 of Moolchandani, Kumar and Sarangi (2022): 1, 2, 4, 8 and 16 instances of a program are
 * started together. Time and energy until the last has ended are compared with those of one. Other programs
 * on the machine would lengthen this time, and more with more instances. So the printed time is the
 * instances' time on the cores, over the number of cores they use (scaling_ms). This is the same if no other
 * program runs and no core waits for the last. If only the cores are shared, and evenly, n instances on c
 * cores take n / c times as long, but not below 1. The excess over that line is contention, or the price of
 * taking turns.
 *
 *     scaling_line line[SCALING_PROGRAMS];
 *     size_t lines = scaling_choose(axis, line);          which programs
 *     measure_scaling(&env, m, 2.0, line, lines);         measure.h
 *     scaling_tell(line, lines, cores);
 */
#ifndef SCALING_H
#define SCALING_H

#include "sooth/base.h"
#include "stage.h"

enum { SCALING_PROGRAMS = 7, SCALING_STEPS = 5 };

/* 1, 2, 4, 8, 16 */
uint32_t scaling_instances(uint32_t step);

typedef struct scaling_line {
    stage_task task;
    uint32_t steps;           /* measured: as many as fit into a quarter of the memory */
    double ms[SCALING_STEPS]; /* until the last has ended; of the repetition with the min time on the cores */
    double share[SCALING_STEPS];  /* their share of the time of the cores: other programs had the rest */
    double spread[SCALING_STEPS]; /* from that min time on the cores to the median */
    double joules[SCALING_STEPS]; /* of the processor meanwhile, the median; NaN: not available */
    uint32_t repetitions[SCALING_STEPS];
} scaling_line;

/* The time on the cores. */
double scaling_ms(const scaling_line *line, uint32_t step);

/* Whether all of it has energy. */
int scaling_has_energy(const scaling_line *line, size_t lines);

/* Six programs from floating point to pipes, and one that presses on `axis` (PRESSURES: none) if none of
   them does. Returns their number. */
size_t scaling_choose(uint32_t axis, scaling_line line[SCALING_PROGRAMS]);

void scaling_tell(const scaling_line *line, size_t lines, uint32_t cores);

/* Time over that of evenly shared cores. Or energy, which must exist, over that of as many one by one. */
void scaling_draw(sooth_sink *sink, const scaling_line *line, size_t lines, uint32_t cores, int energy,
                  double width);

#endif /* SCALING_H */
