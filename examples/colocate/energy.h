/* energy.h - the energy that the processor itself counts (RAPL), where the system lets it be read.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     energy e;
 *     energy_open(&e, NULL);
 *     double before = energy_joules(&e);
 *     ... work ...
 *     double joules = energy_joules(&e) - before;      NaN where it cannot be read: energy_reason tells why
 *
 * Linux shows one folder per package under /sys/class/powercap, intel-rapl:0 and so on, AMD's processors
 * included; the counters in them go on every millisecond or so, and start over at max_energy_range_uj.
 * Since 2020 only root may read them, unless the system says otherwise; virtual machines have none.
 * Folders of parts of a package (intel-rapl:0:0) and of the whole board (psys) would count the same
 * joules twice and are left out. What is counted is the whole package, other programs and idle cores
 * included. Costs one small file per package and reading.
 */
#ifndef ENERGY_H
#define ENERGY_H

enum { ENERGY_PACKAGES = 8 };

typedef struct energy {
    int packages; /* 0: nothing can be read */
    int error;    /* errno of the first file that could not be read, or 0 */
    char path[ENERGY_PACKAGES][512];
    double range_j[ENERGY_PACKAGES]; /* where the counter starts over; 0: unknown */
    double last_j[ENERGY_PACKAGES];  /* its last reading */
    double joules;                   /* since it was opened */
    double cap_w;                    /* what the packages may draw for long together; 0: unknown */
} energy;

/* root: the folder to look in; NULL: that which the environment variable SOOTH_POWERCAP names, or
   /sys/class/powercap. */
void energy_open(energy *e, const char *root);

/* All packages, since they were opened; NaN: not to be had. Right as long as no counter starts over twice
   between two readings (a minute or more at full power). */
double energy_joules(energy *e);

/* A sentence: that energy is read, or why not. */
const char *energy_reason(const energy *e);

#endif /* ENERGY_H */
