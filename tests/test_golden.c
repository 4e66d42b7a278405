/* test_golden.c - the same data, options and seed give the same bytes everywhere.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * One committed hash per kind of model: over its bytes as they would be saved, and over its predictions. The gate runs this with every
 * compiler, optimisation level, sanitizer and emulated machine it knows (little- and big-endian), and here with 1 and 4 workers.
 * The data come from sooth_rng and single-precision arithmetic, so nothing depends on a math library.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "check.h"

enum { ROWS = 700, COLS = 6 };
static float x[ROWS * COLS], y[ROWS], weight[ROWS], answer[ROWS];

static sooth_table make_table(void) {
    sooth_rng rng;
    sooth_table table;
    size_t i, j;
    sooth_rng_init(&rng, 2026, 1);
    for (i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        for (j = 0; j < COLS; ++j) row[j] = sooth_rng_float(&rng);
        row[4] = (float)(int)(row[4] * 8.0f);
        y[i] = 1.0f + 10.0f * row[0] * row[1] + 20.0f * (row[2] - 0.5f) * (row[2] - 0.5f) + row[4] + sooth_rng_float(&rng);
        weight[i] = 0.5f + sooth_rng_float(&rng);
    }
    sooth_table_init(&table, x, ROWS, COLS);
    table.y = y;
    table.targets = 1;
    table.weight = weight;
    return table;
}
