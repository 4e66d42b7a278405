/* contend.h - what programs fight over on this machine: found from times alone and next to each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every kernel of pressure.h runs alone and next to every kernel, itself included, in turn: alone, next to
 * the first, alone, next to the second, alone, ... (measure_contention). So each time next to another is
 * between two times alone. With a of them before it and b after it,
 *
 *     slowdown = time next to the other / sqrt(a b)          noise = b / a
 *
 * A cell of the matrix keeps the median of both over the repetitions. The noise is the same statistic without
 * a neighbour: medians of equally many ratios, measured at the same time. The floor of a kernel is the max
 * distance of its noises from 1. It is at least the bound that nine of ten of all noises keep. A kernel is
 * slowed by another one under two conditions. Its slowdown is above 1 by more than 1.7 times its floor. The
 * lower quartile of its repetitions is above 1 by more than the floor itself. This was tried on 3,000 made-up
 * machines with only a noise of 3 % in each time (seven repetitions, normal). 1 % of them were judged to
 * contend for anything. A slowdown by 10 % was missed on 7 % (tests/studies/test_contend.c has a small
 * version). A finding is measured as often again, and judged by both together (measure_contention).
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

/* One kernel next to another. */
typedef struct contend_cell {
    double slowdown, low; /* the median, and the lower quartile */
    double noise;         /* the median of the second time alone over the first */
    double present;       /* the share of its time that the neighbour was on its core; other programs had the
                       rest */
    uint32_t repetitions; /* 0: was not tried */
} contend_cell;

typedef struct contend {
    uint32_t cores;                          /* of its stage */
    contend_cell cell[PRESSURES][PRESSURES]; /* [who is slowed][by whom] */
} contend;

/* Fills the cell from 1 to CONTEND_MOST repetitions: times alone before, next to the other, and alone
   after. */
enum { CONTEND_MOST = 64 };
contend_cell contend_cell_of(const double *before, const double *beside, const double *after, size_t count);

typedef struct contend_found {
    double floor[PRESSURES];         /* of each kernel */
    double noise;                    /* the median noise */
    int slows[PRESSURES][PRESSURES]; /* for each cell: whether it is above the noise */
    uint32_t order[PRESSURES];       /* kernels that were tried, by the slowdown next to their own kind */
    uint32_t tried;                  /* their number */
    int any;                         /* something is above the noise */
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
