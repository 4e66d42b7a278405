/* contend.h - what programs fight over on this machine: found from times alone and beside each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every kernel of pressure.h runs alone and beside every kernel, itself included, in turn: alone, beside the
 * first, alone, beside the second, alone, ... (measure_contention). Each time beside another then stands
 * between two times alone. With a of them before it and b after it,
 *
 *     slowdown = time beside / sqrt(a b)          noise = b / a
 *
 * and a cell of the matrix keeps the median of both over the repetitions. The noise is what the same
 * statistic says where nothing ran beside: medians of as many ratios, measured at the same time. The floor
 * of a kernel is the farthest that any of its noises lies from 1, but not less than what nine of ten of
 * all noises keep to. It is slowed by another one when its slowdown is above 1 by more than 1.7 times its
 * floor, and the lower quartile of its repetitions by more than the floor itself. On 3,000 made-up
 * machines with nothing but a noise of 3 % in each time (seven repetitions, normal), 1 % were then said to
 * contend for anything, and a slowdown by 10 % was missed on 7 % (tests/studies/test_contend.c has the same
 * in small). What is found is measured as often again, and judged by both together (measure_contention).
 *
 *     contend c;                                   from measure_contention or records_read_contention
 *     contend_found found;
 *     contend_judge(&c, &found);
 *     puts(found.sentence);                        "On this machine programs fight over files (1.60) ..."
 *     if (found.slows[PRESSURE_FAULTS][PRESSURE_FAULTS]) ...
 */
#ifndef CONTEND_H
#define CONTEND_H

#include "pressure.h"
#include "sooth/base.h"

/* One kernel beside another. */
typedef struct contend_cell {
    double slowdown, low; /* the median, and the lower quartile */
    double noise;         /* the median of the second time alone over the first */
    double present; /* which part of its time the other was on its core; the rest went to other programs */
    uint32_t repetitions; /* 0: was not tried */
} contend_cell;

typedef struct contend {
    uint32_t cores;                          /* of the stage that it was measured on */
    contend_cell cell[PRESSURES][PRESSURES]; /* [who is slowed][by whom] */
} contend;

/* The cell of so many repetitions, at least one and at most CONTEND_MOST: times alone before, beside the
   other, and alone after. */
enum { CONTEND_MOST = 64 };
contend_cell contend_cell_of(const double *before, const double *beside, const double *after, size_t count);

typedef struct contend_found {
    double floor[PRESSURES];         /* of each kernel */
    double noise;                    /* that in the middle of them */
    int slows[PRESSURES][PRESSURES]; /* as the cells: whether it stands above the noise */
    uint32_t order[PRESSURES];       /* kernels that were tried, by the slowdown beside their own kind */
    uint32_t tried;                  /* how many they are */
    int any;                         /* something stands above the noise */
    uint32_t axis;                   /* the kernel that slows the others most; PRESSURES: none does */
    char sentence[640];
} contend_found;

void contend_judge(const contend *c, contend_found *found);

/* Whether the one slows the other, or the other the one. */
int contend_fight(const contend_found *found, uint32_t one, uint32_t other);

/* The matrix as text, and as a drawing. */
void contend_tell(const contend *c, const contend_found *found);
void contend_draw(sooth_sink *sink, const contend *c, double width);

#endif /* CONTEND_H */
