/* launches.h - measured kernel launches from a CSV file, cleaned, and the work of a launch.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads the files as Alavani et al. publish them (names with _sim for _sm, spreadsheet errors, two spellings
 * of a benchmark) or any file with the same columns, and drops
 *   - rows in which one of the final features or Power has no value;
 *   - rows that repeat an earlier one in every column but the serial number.
 * Names of benchmarks are compared without capitals, blanks and signs.
 */
#ifndef GPU_LAUNCHES_H
#define GPU_LAUNCHES_H
#include "sooth/csv.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- small things ---- */

static void give_up(const char *sentence) {
    fprintf(stderr, "gpu: %s\n", sentence);
    exit(1);
}

static void need(const sooth_env *env, sooth_status status) {
    if (status != SOOTH_OK) give_up(env->sentence);
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL) give_up("there is not enough memory");
    return memory;
}

/* ---- the columns ---- */

/* FINAL: the 15 features that the paper keeps. CANDIDATE: the 9 others that its selection begins with
   (Table 1 without the sums that averages replace). OTHER: used by our models. In older files _sm is
   written _sim. */
enum { OTHER, CANDIDATE, FINAL };
typedef struct measure {
    const char *name, *alias;
    int kind;
} measure;

static const measure measures[] = {{"avg_comp_lat", NULL, FINAL},
                                   {"avg_glob_lat", NULL, FINAL},
                                   {"avg_shar_lat", NULL, FINAL},
                                   {"branch", NULL, FINAL},
                                   {"comp_inst_kernel", NULL, FINAL},
                                   {"glob_inst_kernel", NULL, FINAL},
                                   {"misc_inst_kernel", NULL, FINAL},
                                   {"glob_load_sm", "glob_load_sim", FINAL},
                                   {"glob_store_sm", "glob_store_sim", FINAL},
                                   {"inst_issue_cycles", NULL, FINAL},
                                   {"cache_penalty", NULL, FINAL},
                                   {"occupancy", NULL, FINAL},
                                   {"reg_thread", NULL, FINAL},
                                   {"shmem_block", NULL, FINAL},
                                   {"block_size", NULL, FINAL},
                                   {"grid_size", NULL, CANDIDATE},
                                   {"total_threads", "Total Threads", CANDIDATE},
                                   {"shar_inst_kernel", NULL, CANDIDATE},
                                   {"avg_misc_lat", NULL, CANDIDATE},
                                   {"sm_active", NULL, CANDIDATE},
                                   {"waves", NULL, CANDIDATE},
                                   {"n_warps", NULL, CANDIDATE},
                                   {"sh_penalty", NULL, CANDIDATE},
                                   {"glb_penalty", NULL, CANDIDATE},
                                   {"total_inst", NULL, OTHER}};
enum { FEATURES = sizeof measures / sizeof *measures };

typedef struct launches {
    size_t rows, groups;
    float *cell;                 /* rows x FEATURES; NaN: missing */
    float *watts;                /* per row */
    uint32_t *group;             /* per row: its benchmark, */
    char (*name)[32];            /* per benchmark */
    unsigned char has[FEATURES]; /* columns with a value in some row */
    size_t incomplete, repeated; /* rows dropped */
} launches;

static void launches_free(launches *l) {
    free(l->cell);
    free(l->watts);
    free(l->group);
    free(l->name);
}

static size_t column_of(const sooth_csv *csv, const measure *f) {
    const size_t at = sooth_csv_find(csv, f->name);
    return at < csv->cols || f->alias == NULL ? at : sooth_csv_find(csv, f->alias);
}

static size_t first_of(const sooth_csv *csv, const char *one, const char *other) {
    const size_t at = sooth_csv_find(csv, one);
    return at < csv->cols ? at : sooth_csv_find(csv, other);
}

/* "Cuda SDK-nn" is cudasdknn. The published files spell five benchmarks in two ways. */
static void plain_name(const char *text, char out[32]) {
    static const char *const same[][2] = {{"cdpsmplequicksort", "cdpsimplequicksort"},
                                          {"breadthfirstsearch", "bfs"},
                                          {"mutigpu", "multigpu"},
                                          {"nw1", "nw"},
                                          {"nw2", "nw"}};
    size_t n = 0;
    for (; *text && n < 31; ++text) {
        const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out[n++] = c;
    }
    out[n] = 0;
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
        if (strcmp(out, same[k][0]) == 0) strcpy(out, same[k][1]);
    }
}

/* Whether two rows are equal in all columns but `but` (missing values too). */
static int same_rows(const sooth_csv *csv, size_t a, size_t b, size_t but) {
    for (size_t j = 0; j < csv->cols; ++j) {
        const float *x = csv->cell + a * csv->cols + j, *y = csv->cell + b * csv->cols + j;
        if (j != but && (*x < *y || *x > *y || isnan(*x) != isnan(*y))) return 0;
    }
    return 1;
}

/* Fills *l from an open file. Gives up with a sentence when a column is missing that nothing can replace. */
static void launches_read(sooth_env *env, const void *bytes, size_t size, launches *l) {
    sooth_csv csv;
    size_t at[FEATURES], benchmark, j, k, row;
    size_t *from;
    need(env, sooth_csv_read(env, bytes, size, NULL, &csv));
    memset(l, 0, sizeof *l);
    size_t power = sooth_csv_find(&csv, "Power");
    benchmark = first_of(&csv, "benchmark", "Benchmark");
    size_t serial = first_of(&csv, "Sr No.", "Serial");
    if (power == SOOTH_NONE || csv.column[power].is_text) give_up("the file has no column Power with watts");
    if (benchmark == SOOTH_NONE || !csv.column[benchmark].is_text) {
        give_up("the file has no column benchmark with names");
    }
    for (j = 0; j < FEATURES; ++j) {
        at[j] = column_of(&csv, &measures[j]);
        if (at[j] < csv.cols && csv.column[at[j]].is_text) at[j] = SOOTH_NONE;
    }
    l->cell = (float *)allocate(csv.rows * FEATURES, sizeof *l->cell);
    l->watts = (float *)allocate(csv.rows, sizeof *l->watts);
    l->group = (uint32_t *)allocate(csv.rows, sizeof *l->group);
    l->name = (char(*)[32])allocate(csv.rows, sizeof *l->name);
    from = (size_t *)allocate(csv.rows, sizeof *from);
    for (size_t i = 0; i < csv.rows; ++i) {
        const float *cell = csv.cell + i * csv.cols;
        char name[32];
        int whole = cell[power] > 0.0f && !isnan(cell[benchmark]);
        for (j = 0; j < FEATURES; ++j) {
            if (measures[j].kind == FINAL && at[j] < csv.cols && isnan(cell[at[j]])) whole = 0;
        }
        l->incomplete += !whole;
        if (!whole) continue;
        for (k = 0; k < l->rows && !same_rows(&csv, i, from[k], serial); ++k) {}
        l->repeated += k < l->rows;
        if (k < l->rows) continue;
        row = l->rows++;
        from[row] = i;
        for (j = 0; j < FEATURES; ++j) {
            float *to = l->cell + row * FEATURES + j;
            *to = at[j] < csv.cols ? cell[at[j]] : NAN;
            if (!isnan(*to)) l->has[j] = 1;
        }
        l->watts[row] = cell[power];
        plain_name(csv.column[benchmark].text[(size_t)cell[benchmark]], name);
        for (k = 0; k < l->groups && strcmp(name, l->name[k]) != 0; ++k) {}
        if (k == l->groups) strcpy(l->name[l->groups++], name);
        l->group[row] = (uint32_t)k;
    }
    free(from);
    sooth_csv_free(env, &csv);
    if (l->groups < 3) give_up("the file has fewer than 3 benchmarks with complete rows");
}

static float value_of(const launches *l, size_t row, const char *name) {
    size_t j;
    for (j = 0; j < FEATURES && strcmp(measures[j].name, name) != 0; ++j) {}
    return l->cell[row * FEATURES + j];
}

#endif
