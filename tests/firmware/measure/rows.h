/* rows.h - the rows that a model is measured on, on the host and on the core the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Whole numbers from -100 to 100, which every form takes as they are.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stdint.h>

enum { ROWS = 64, MOST_FEATURES = 12, REACH = 100 };

static inline int reading(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 16) % (2 * REACH + 1)) - REACH;
}

#endif
