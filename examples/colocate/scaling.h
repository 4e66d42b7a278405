/* scaling.h - many instances of one program at once: what they cost in time and energy.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Figures 1 and 2 of Moolchandani, Kumar and Sarangi (2022): 1, 2, 4, 8 and 16 instances of a program
 * started together, and how the time and the energy until the last has ended compare with those of one.
 * Programs that are not ours would lengthen it, the more the more instances there are; so what is told is
 * the time that the instances were on the cores, over the number of cores they use (scaling_ms), which is
 * the same where nobody else runs and no core waits for the last. Cores that are shared evenly and nothing
 * else make n instances on c cores take n / c times as long, but not below 1; what is above that line is
 * contention, or the price of taking turns.
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
    uint32_t steps; /* measured: as many as fit into a quarter of the memory */
    double
        ms[SCALING_STEPS]; /* until the last has ended; of the repetition with the least time on the cores */
    double
        share[SCALING_STEPS]; /* of the time of the cores, that they had: the rest went to other programs */
    double spread[SCALING_STEPS]; /* from that least time on the cores to the median */
    double joules[SCALING_STEPS]; /* of the processor meanwhile, the median; NaN: not to be had */
    uint32_t repetitions[SCALING_STEPS];
} scaling_line;

/* The time on the cores. */
double scaling_ms(const scaling_line *line, uint32_t step);

/* Whether all of it has energy. */
int scaling_has_energy(const scaling_line *line, size_t lines);

/* Six programs from floating point to pipes, and one that presses on `axis` (PRESSURES: none) where none of
   them does. Returns how many. */
size_t scaling_choose(uint32_t axis, scaling_line line[SCALING_PROGRAMS]);

void scaling_tell(const scaling_line *line, size_t lines, uint32_t cores);

/* Time over that of cores shared evenly; or energy, which must be there, over that of as many one by one. */
void scaling_draw(sooth_sink *sink, const scaling_line *line, size_t lines, uint32_t cores, int energy,
                  double width);

#endif /* SCALING_H */
