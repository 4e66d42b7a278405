/* energy.c - see energy.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "energy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file in a folder; 0: it cannot be read. */
static int first_line(const char *folder, const char *name, char *text, int size) {
    char path[600];
    snprintf(path, sizeof path, "%.511s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int read = fgets(text, size, file) != NULL;
    fclose(file);
    return read;
}

/* Microjoules or microwatts as joules or watts; NaN: not a valid number. */
static double millionths(const char *folder, const char *name) {
    char text[64], *end;
    if (!first_line(folder, name, text, sizeof text)) return (double)NAN;
    double value = (double)strtoull(text, &end, 10);
    return end == text ? (double)NAN : value * 1e-6;
}

void energy_open(energy *e, const char *root) {
    memset(e, 0, sizeof *e);
    if (!root) root = getenv("SOOTH_POWERCAP");
    if (!root) root = "/sys/class/powercap";
    for (int zone = 0; zone < 2 * ENERGY_PACKAGES && e->packages < ENERGY_PACKAGES; ++zone) {
        char *path = e->path[e->packages], name[64];
        double joules;
        snprintf(path, sizeof e->path[0], "%.480s/intel-rapl:%d", root, zone);
        if (!first_line(path, "name", name, sizeof name) || strncmp(name, "package", 7) != 0) continue;
        errno = 0;
        joules = millionths(path, "energy_uj");
        if (isnan(joules)) {
            if (e->error == 0) e->error = errno ? errno : EIO;
            continue;
        }
        e->last_j[e->packages] = joules;
        e->range_j[e->packages] = millionths(path, "max_energy_range_uj");
        double cap = millionths(path, "constraint_0_power_limit_uw");
        e->cap_w += cap > 0.0 ? cap : 0.0;
        ++e->packages;
    }
    if (e->error) e->packages = 0; /* a part of them would look like the whole */
    else if (e->packages == 0) e->error = ENOENT;
}

double energy_joules(energy *e) {
    for (int k = 0; k < e->packages; ++k) {
        const double joules = millionths(e->path[k], "energy_uj");
        double more = joules - e->last_j[k];
        if (isnan(joules)) return (double)NAN;
        if (more < 0.0) more += e->range_j[k];
        if (!(more >= 0.0)) return (double)NAN; /* the counter started over at an unknown value */
        e->joules += more;
        e->last_j[k] = joules;
    }
    return e->packages ? e->joules : (double)NAN;
}

const char *energy_reason(const energy *e) {
    if (e->packages) return "the processor's energy is read (RAPL)";
    if (e->error == EACCES || e->error == EPERM)
        return "time only, no energy: the system does not let this user read the processor's energy (RAPL)";
    return "time only, no energy: this machine shows no counter of the processor's energy (RAPL)";
}
