/* gavel.h - measured pairs of deep-learning jobs on three GPUs: data/gavel.csv, its slowdowns and cards.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * 26 training jobs on a K80, a P100 and a V100, alone and in all pairs (Gavel, Narayanan et al., OSDI 2020;
 * data/origin.txt). The least, the median and the most aggressive job replace the microbenchmarks Low, Medium
 * and High of fairness.h. Everything is static: for an experiment and for a test.
 */
#ifndef GAVEL_H
#define GAVEL_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sooth/csv.h"
#include "sooth/fairness.h"

enum { GAVEL_JOBS = 26, GAVEL_GPUS = 3 };
static const char *const gavel_gpu[GAVEL_GPUS] = {"K80", "P100", "V100"};

typedef struct gavel {
    uint32_t jobs, families;
    char name[GAVEL_JOBS][32], family_name[GAVEL_JOBS][32];
    uint32_t family[GAVEL_JOBS];
    double alone[GAVEL_JOBS];            /* seconds a step */
    double slow[GAVEL_JOBS][GAVEL_JOBS]; /* of a next to b; 0: out of memory */
} gavel;

static const char *gavel_text(const sooth_csv *csv, size_t row, size_t column) {
    const float cell = csv->cell[row * csv->cols + column];
    return csv->column[column].is_text && cell >= 0.0f ? csv->column[column].text[(size_t)cell] : "";
}

static uint32_t gavel_family(gavel *g, const char *name) {
    uint32_t f = 0;
    while (f < g->families && strcmp(g->family_name[f], name) != 0) ++f;
    if (f == g->families) snprintf(g->family_name[g->families++], sizeof g->family_name[0], "%.31s", name);
    return f;
}

/* The rows of one GPU: job a next to job b. */
static void gavel_take(const sooth_csv *csv, const size_t column[5], const char *gpu, gavel *g) {
    for (size_t i = 0; i < csv->rows; ++i) {
        const float *cell = csv->cell + i * csv->cols;
        const float alone = cell[column[3]], *beside = cell + column[4];
        const uint32_t a = g->jobs;
        if (strcmp(gavel_text(csv, i, column[0]), gpu) != 0 || a == GAVEL_JOBS || !(alone > 0.0f)) continue;
        snprintf(g->name[a], sizeof g->name[a], "%.31s", gavel_text(csv, i, column[2]));
        g->family[a] = gavel_family(g, gavel_text(csv, i, column[1]));
        g->alone[a] = 1.0 / (double)alone;
        for (uint32_t b = 0; b < GAVEL_JOBS; ++b)
            if (beside[b] > 0.0f) g->slow[a][b] = (double)alone / (double)beside[b];
        ++g->jobs;
    }
}

/* Reads the rows of one GPU. Returns NULL, or an error message. */
static const char *gavel_read(const char *path, const char *gpu, gavel *g) {
    static const char *const name[5] = {"gpu", "family", "job", "alone", "beside_1"};
    static char bytes[32768], wrong[200];
    FILE *file = fopen(path, "rb");
    size_t column[5], known = 1;
    sooth_csv csv;
    memset(g, 0, sizeof *g);
    snprintf(wrong, sizeof wrong, "%.150s cannot be read", path);
    if (!file) return wrong;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (sooth_csv_read(NULL, bytes, size, NULL, &csv) != SOOTH_OK) return wrong;
    for (size_t k = 0; k < 5; ++k) {
        column[k] = sooth_csv_find(&csv, name[k]);
        known &= column[k] < csv.cols;
    }
    if (known && column[4] + GAVEL_JOBS <= csv.cols) gavel_take(&csv, column, gpu, g);
    sooth_csv_free(NULL, &csv);
    snprintf(wrong, sizeof wrong, "%.150s does not hold %u jobs on %s", path, GAVEL_JOBS + 0u, gpu);
    return g->jobs == GAVEL_JOBS ? NULL : wrong;
}

/* Of the jobs measured next to the most others: those that slow others least, in the middle, and most. */
static inline void gavel_references(const gavel *g, uint32_t ref[3]) {
    double press[GAVEL_JOBS];
    uint32_t count[GAVEL_JOBS], order[GAVEL_JOBS] = {0}, most = 0, n = 0, j;
    for (uint32_t i = 0; i < g->jobs; ++i) {
        press[i] = 0;
        count[i] = 0;
        for (j = 0; j < g->jobs; ++j) {
            press[i] += g->slow[j][i];
            count[i] += g->slow[j][i] > 0;
        }
        press[i] /= count[i] ? count[i] : 1;
        if (count[i] > most) most = count[i];
    }
    for (uint32_t i = 0; i < g->jobs; ++i) {
        if (count[i] < most) continue;
        for (j = n++; j > 0 && press[order[j - 1]] > press[i]; --j) order[j] = order[j - 1];
        order[j] = i;
    }
    ref[0] = order[0];
    ref[1] = order[n / 2];
    ref[2] = order[n - 1];
}

/* The card of every job: its time alone, and slowdowns next to the three, in both directions. NaN if a
   pair ran out of memory. */
static inline void gavel_cards(const gavel *g, const uint32_t ref[3], sooth_fairness_card card[GAVEL_JOBS]) {
    for (uint32_t i = 0; i < g->jobs; ++i) {
        sooth_fairness_card_init(&card[i], NULL);
        snprintf(card[i].name, sizeof card[i].name, "%s", g->name[i]);
        card[i].value[SOOTH_FAIRNESS_ALONE_TIME] = g->alone[i];
        for (uint32_t k = 0; k < 3; ++k) {
            const double own = g->slow[i][ref[k]], its = g->slow[ref[k]][i];
            card[i].value[SOOTH_FAIRNESS_SLOWDOWN_LOW + k] = own > 0 ? own : (double)NAN;
            card[i].value[SOOTH_FAIRNESS_CAUSED_LOW + k] = its > 0 ? its : (double)NAN;
        }
    }
}

/* A pair as a row: logarithms of both cards, the first one's first. */
enum { GAVEL_FIELDS = 7, GAVEL_WIDTH = 3 * GAVEL_FIELDS + 1 };

static inline sooth_status gavel_row(sooth_env *env, const sooth_fairness_card *own,
                                     const sooth_fairness_card *other, float row[GAVEL_WIDTH]) {
    static const uint32_t fields[GAVEL_FIELDS] = {
        SOOTH_FAIRNESS_ALONE_TIME,    SOOTH_FAIRNESS_SLOWDOWN_LOW, SOOTH_FAIRNESS_SLOWDOWN_MEDIUM,
        SOOTH_FAIRNESS_SLOWDOWN_HIGH, SOOTH_FAIRNESS_CAUSED_LOW,   SOOTH_FAIRNESS_CAUSED_MEDIUM,
        SOOTH_FAIRNESS_CAUSED_HIGH};
    const sooth_fairness_card *bag[2];
    bag[0] = own;
    bag[1] = other;
    const sooth_status status = sooth_fairness_any(env, fields, GAVEL_FIELDS, bag, 2, 0, row);
    for (uint32_t k = 0; k < GAVEL_WIDTH && status == SOOTH_OK; ++k) row[k] = logf(row[k]);
    return status;
}

#endif
