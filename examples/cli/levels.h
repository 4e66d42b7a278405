/* levels.h - the values that a knob can be set to, as words of the command line.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef LEVELS_H
#define LEVELS_H

#include "cli.h"

/* The values of one knob, ascending where it was given as a count or a range. */
typedef struct levels {
    double *value;
    uint32_t count;
} levels;

/* Reads "24" (1 to 24), "1200:2400:100" (from, to, step) or "1/2/4/8"; dies with BAD_USE. */
levels levels_read(const char *flag_name, const char *text);

#endif /* LEVELS_H */
