/* energy.h - the energy that the processor itself counts (RAPL), if the system lets it be read.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     energy e;
 *     energy_open(&e, NULL);
 *     double before = energy_joules(&e);
 *     ... work ...
 *     double joules = energy_joules(&e) - before;      NaN if it cannot be read: see energy_reason
 *
 * Linux shows one folder per package under /sys/class/powercap, intel-rapl:0 and so on, also for AMD's
 * processors. The counters in them advance every millisecond or so, and start over at max_energy_range_uj.
 * Since 2020 only root may read them by default. Virtual machines have none. Folders of parts of a package
 * (intel-rapl:0:0) and of the whole board (psys) are left out, since they count the same joules again. The
 * counted energy is that of the whole package, with other programs and idle cores. Costs one small file per
 * package and reading.
 */
#ifndef ENERGY_H
#define ENERGY_H

enum { ENERGY_PACKAGES = 8 };

typedef struct energy {
    int packages; /* 0: nothing can be read */
    int error;    /* errno of the first file that could not be read, or 0 */
    char path[ENERGY_PACKAGES][512];
    double range_j[ENERGY_PACKAGES]; /* the counter starts over here; 0: unknown */
    double last_j[ENERGY_PACKAGES];  /* its last reading */
    double joules;                   /* since it was opened */
    double cap_w;                    /* max long-term power of the packages; 0: unknown */
} energy;

/* root: the folder to read. NULL means the value of the environment variable SOOTH_POWERCAP, or
   /sys/class/powercap. */
void energy_open(energy *e, const char *root);

/* All packages, since they were opened. NaN: not available. Right as long as no counter starts over twice
   between two readings (a minute or more at full power). */
double energy_joules(energy *e);

/* A sentence: that energy is read, or why not. */
const char *energy_reason(const energy *e);

#endif /* ENERGY_H */
