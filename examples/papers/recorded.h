/* recorded.h - the results of Themis that recorded runs allow: those of `build/runs`, or of a GPU by
 * bench/cuda/pairs.cu.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The table has the columns of `build/runs`: run, program, sms, eight events, sd_scal, sd_inter. Rows of one
 * run follow each other. Programs called cache or bandwidth are producers of pressure. Models are fitted to
 * the rows next to them; without producers, to all rows. Each program next to others is predicted by models
 * fitted without its rows, and without its runs if there are no producers. Its neighbours may be in the
 * fitted rows.
 */
#ifndef PAPERS_RECORDED_H
#define PAPERS_RECORDED_H

#include "tellers.h"

typedef struct records {
    sooth_csv csv;
    size_t rows;
    float *x, *y; /* rows x INPUTS, rows x 2 */
    uint32_t *program, *sms;
    size_t *first, *end; /* per row: the rows of its run */
    char *pressed;       /* whether it is next to a producer */
    size_t program_column;
} records;

static inline void records_read(const char *path, records *r) {
    size_t size;
    char *bytes = file_read(path, &size);
    memset(r, 0, sizeof *r);
    must(sooth_csv_read(&env, bytes, size, NULL, &r->csv));
    free(bytes);
    r->rows = r->csv.rows;
    r->x = room(r->rows * INPUTS, sizeof *r->x);
    r->y = room(r->rows * 2, sizeof *r->y);
    r->program = room(r->rows, sizeof *r->program);
    r->sms = room(r->rows, sizeof *r->sms);
    r->first = room(r->rows, sizeof *r->first);
    r->end = room(r->rows, sizeof *r->end);
    r->pressed = room(r->rows, 1);
}

static inline void records_free(records *r) {
    sooth_csv_free(&env, &r->csv);
    free(r->x);
    free(r->y);
    free(r->program);
    free(r->sms);
    free(r->first);
    free(r->end);
    free(r->pressed);
}

static inline const char *program_named(const records *r, uint32_t program) {
    return r->csv.column[r->program_column].text[program];
}

static inline int is_producer(const records *r, size_t row) {
    const char *name = program_named(r, r->program[row]);
    return strcmp(name, "cache") == 0 || strcmp(name, "bandwidth") == 0;
}

/* The columns, and of each row its run and its inputs. */
static inline void records_fill(records *r) {
    static const char *const names[13] = {"run",       "program",    "sms",      "ipc",       "l1d_access",
                                          "l1d_miss",  "l1c_access", "l1c_miss", "l2_access", "l2_miss",
                                          "bandwidth", "sd_scal",    "sd_inter"};
    const sooth_csv *csv = &r->csv;
    static char sentence[200];
    size_t column[13];
    for (int k = 0; k < 13; ++k) {
        column[k] = sooth_csv_find(csv, names[k]);
        snprintf(sentence, sizeof sentence, "the table has no column %s%s", names[k],
                 k == 1 ? " of names" : " of numbers");
        if (column[k] == SOOTH_NONE || (csv->column[column[k]].is_text != 0) != (k == 1)) die(sentence);
    }
    r->program_column = column[1];
    for (size_t from = 0, to; from < r->rows; from = to) {
        float events[64 * EVENTS];
        for (to = from; to < r->rows && to - from < 64; ++to) {
            const float *cell = csv->cell + to * csv->cols;
            for (int k = 0; k < 11; ++k) {
                if (cell[column[k]] >= 0 && cell[column[k]] < 1e9f) continue;
                snprintf(sentence, sizeof sentence, "line %u: %s is missing, below 0 or too large",
                         (unsigned)csv->line[to], names[k]);
                die(sentence);
            }
            if (cell[column[0]] > csv->cell[from * csv->cols + column[0]] ||
                cell[column[0]] < csv->cell[from * csv->cols + column[0]])
                break;
            r->program[to] = (uint32_t)cell[column[1]];
            r->sms[to] = (uint32_t)cell[column[2]];
            r->first[to] = from;
            for (int k = 0; k < 2; ++k) r->y[2 * to + (size_t)k] = cell[column[11 + k]];
            for (int e = 0; e < EVENTS; ++e) events[(to - from) * EVENTS + (size_t)e] = cell[column[3 + e]];
        }
        for (size_t i = from; i < to; ++i) {
            r->end[i] = to;
            for (size_t j = from; j < to; ++j) r->pressed[i] |= j != i && is_producer(r, j);
            sooth_slowdown_row(events, (uint32_t)(to - from), (uint32_t)(i - from), (float)r->sms[i],
                               r->x + i * INPUTS);
        }
    }
}

static inline int has_slowdowns(const records *r, size_t i) {
    return r->y[2 * i] > 0 && r->y[2 * i + 1] > 0 && !is_producer(r, i);
}

/* A buffer for training rows, which a table of them points into. */
typedef struct lesson {
    float *x, *y;
    uint32_t *sms;
} lesson;

static inline lesson lesson_new(size_t rows) {
    const lesson l = {room(rows * INPUTS, sizeof *l.x), room(rows * 2, sizeof *l.y),
                      room(rows, sizeof *l.sms)};
    return l;
}

static inline void lesson_free(const lesson *l) {
    free(l->x);
    free(l->y);
    free(l->sms);
}

/* The training rows for the prediction of a program: see above. */
static inline sooth_table learned_without(const records *r, int producers, uint32_t program,
                                          const lesson *l) {
    size_t n = 0;
    for (size_t i = 0; i < r->rows; ++i) {
        int without = r->program[i] != program;
        if (!has_slowdowns(r, i) || (producers && !r->pressed[i])) continue;
        for (size_t j = r->first[i]; !producers && j < r->end[i]; ++j) without &= r->program[j] != program;
        if (!without) continue;
        memcpy(l->x + n * INPUTS, r->x + i * INPUTS, INPUTS * sizeof *l->x);
        memcpy(l->y + n * 2, r->y + i * 2, 2 * sizeof *l->y);
        l->sms[n++] = r->sms[i];
    }
    sooth_table table = sooth_table_of(l->x, l->y, n, INPUTS);
    table.targets = 2;
    return table;
}

enum { TOLD_OURS, TOLD_LITERAL, TOLD_TREES, TOLD_MEDIAN, TOLD_SCAL, TOLD_INTER, WAYS_TOLD };

/* A test row: the program next to others. */
static inline int is_foretold(const records *r, int producers, uint32_t program, size_t i) {
    return r->program[i] == program && has_slowdowns(r, i) && !(producers && r->pressed[i]);
}

/* Adds the errors of one program's rows, in per cent. Returns their number. */
static inline size_t errors_of_program(const records *r, int producers, uint32_t program,
                                       const sooth_table *table, const ksm *models, double *error, size_t n) {
    double *sd = room(table->rows, sizeof *sd);
    for (size_t i = 0; i < table->rows; ++i) sd[i] = (double)(table->y[2 * i] * table->y[2 * i + 1]);
    const double median = spread_of(sd, table->rows).median;
    free(sd);
    for (size_t i = 0; i < r->rows; ++i) {
        const float *y = r->y + 2 * i;
        const double truth = (double)(y[0] * y[1]);
        float part[2];
        if (!is_foretold(r, producers, program, i)) continue;
        for (int w = 0; w < WAYS_TOLD; ++w) {
            const double guess = w < TOLD_MEDIAN    ? (double)ksm_tell(&models[w], r->x + i * INPUTS, part)
                                 : w == TOLD_MEDIAN ? median
                                                    : (double)y[w == TOLD_INTER];
            error[(size_t)w * r->rows + n] = 100 * fabs(guess - truth) / truth;
        }
        ++n;
    }
    return n;
}

static inline void recorded_errors(const records *r, int producers) {
    static const char *const names[WAYS_TOLD] = {
        "Themis, ours (one network)",     "Themis, literal",        "extra-trees",
        "the median of what was learned", "the true SD_scal alone", "the true SD_inter alone (ASM at best)"};
    const uint32_t programs = r->csv.column[r->program_column].texts;
    const lesson l = lesson_new(r->rows);
    double *error = room(r->rows * WAYS_TOLD, sizeof *error);
    ksm models[3];
    size_t rows = 0, told_of = 0;
    int general = 0; /* the models have learned from all there is */
    memset(models, 0, sizeof models);
    const size_t whole = learned_without(r, producers, programs, &l).rows;
    printf("\n---- The error of the slowdown (eq. 2), per cent, of programs not seen ----\n");
    for (uint32_t p = 0; p < programs; ++p) {
        const sooth_table table = learned_without(r, producers, p, &l);
        size_t own = 0;
        for (size_t i = 0; i < r->rows; ++i) own += (size_t)is_foretold(r, producers, p, i);
        if (own == 0 || table.rows < 2) continue;
        if (!general || table.rows < whole) {
            for (int m = 0; m < 3; ++m) ksm_free(&models[m]);
            ksm_fit(&models[TOLD_OURS], &table, NULL, NULL);
            ksm_fit(&models[TOLD_LITERAL], &table, NULL, &literally);
            ksm_fit(&models[TOLD_TREES], &table, "extratrees", NULL);
        }
        general = table.rows == whole;
        rows = errors_of_program(r, producers, p, &table, models, error, rows);
        ++told_of;
    }
    printf("  %zu rows of %zu programs; learned from %s\n", rows, told_of,
           producers ? "the runs beside producers of pressure" : "the runs of other programs");
    for (int w = 0; rows > 0 && w < WAYS_TOLD; ++w) {
        const spread s = spread_of(error + (size_t)w * r->rows, rows);
        printf("  %-38s mean %6.1f  median %6.1f  worst %6.1f\n", names[w], s.mean, s.median, s.worst);
    }
    for (int m = 0; m < 3; ++m) ksm_free(&models[m]);
    lesson_free(&l);
    free(error);
}

/* The first two columns of Table I. Such a table does not have the meters' own slowdowns. */
static inline void recorded_select(const records *r, int producers) {
    const lesson l = lesson_new(r->rows);
    double rho[INPUTS * 2];
    sooth_table table = learned_without(r, producers, UINT32_MAX, &l);
    if (table.rows < 2) die("the table has fewer than two rows to learn from");
    table.group = l.sms;
    must(sooth_slowdown_select(&env, &table, rho));
    printf("\n---- Table I: Spearman's |rho| of events, median over the numbers of SMs ----\n");
    printf("  event       scal  paper    inter  paper\n");
    for (int e = 0; e < EVENTS; ++e)
        printf("  %-8s  %6.2f %6.2f   %6.2f %6.2f\n", event_names[e], rho[2 * e + 2], table_1_printed[e][0],
               rho[2 * e + 3], table_1_printed[e][1]);
    lesson_free(&l);
}

static inline void recorded(const char *path) {
    records r;
    int producers = 0;
    records_read(path, &r);
    records_fill(&r);
    for (size_t i = 0; i < r.rows; ++i) producers |= is_producer(&r, i);
    printf("Themis on the recorded runs of %s: %zu rows, %s.\n", path, r.rows,
           producers ? "some beside producers of pressure" : "no producers of pressure");
    recorded_select(&r, producers);
    recorded_errors(&r, producers);
    records_free(&r);
}

#endif
