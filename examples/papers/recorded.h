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
    float *told;         /* the slowdown by our model without the row's program; 0: not predicted */
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
    r->told = room(r->rows, sizeof *r->told);
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
    free(r->told);
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
static inline size_t errors_of_program(records *r, int producers, uint32_t program, const sooth_table *table,
                                       const ksm *models, double *error, size_t n) {
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
            if (w == TOLD_OURS) r->told[i] = (float)guess;
        }
        ++n;
    }
    return n;
}

static inline void recorded_errors(records *r, int producers) {
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

/* ---- Fair and QoS, from what was recorded ---- */

/* A run of two programs that are both predicted: their true and their predicted slowdowns. */
static inline int choice_of(const records *r, size_t i, float truth[2], float told[2]) {
    if (i >= r->rows || r->first[i] != i || r->end[i] != i + 2) return 0;
    for (size_t k = 0; k < 2; ++k) {
        truth[k] = r->y[2 * (i + k)] * r->y[2 * (i + k) + 1];
        told[k] = r->told[i + k];
        if (!(truth[k] > 0 && told[k] > 0)) return 0;
    }
    return 1;
}

enum { CHOICES = 16 };

/* The runs of one pair of programs on different splits. */
typedef struct choices {
    uint32_t count, even, sms[CHOICES]; /* even: the split nearest to halves */
    float truth[CHOICES][2], told[CHOICES][2];
} choices;

/* All runs of the programs of run i, if i is the first of them. */
static inline void choices_of(const records *r, size_t i, choices *c) {
    float truth[2], told[2];
    uint32_t least = UINT32_MAX;
    c->count = c->even = 0;
    for (size_t j = 0; j + 1 < r->rows; ++j) {
        if (r->program[j] != r->program[i] || r->program[j + 1] != r->program[i + 1]) continue;
        if (!choice_of(r, j, truth, told)) continue;
        if (j < i) c->count = CHOICES; /* not the first */
        if (c->count == CHOICES) break;
        const uint32_t a = r->sms[j], b = r->sms[j + 1], apart = a > b ? a - b : b - a;
        if (apart < least) least = apart, c->even = c->count;
        c->sms[c->count] = a;
        memcpy(c->truth[c->count], truth, sizeof truth);
        memcpy(c->told[c->count++], told, sizeof told);
    }
    if (c->count == CHOICES) c->count = 0;
}

/* The split with the least unfairness (eq. 11). */
static inline uint32_t fairest(const choices *c, const float slowdown[CHOICES][2]) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < c->count; ++k)
        if (sooth_allocate_unfairness(slowdown[k], NULL, 2) <
            sooth_allocate_unfairness(slowdown[best], NULL, 2))
            best = k;
    return best;
}

/* The fewest units with which the first program keeps its target; if none does, the split with the least
   slowdown. */
static inline uint32_t fewest(const choices *c, const float slowdown[CHOICES][2], float target) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < c->count; ++k) {
        const int holds = slowdown[k][0] <= target, held = slowdown[best][0] <= target;
        if (holds ? !held || c->sms[k] < c->sms[best] : !held && slowdown[k][0] < slowdown[best][0]) best = k;
    }
    return best;
}

/* Pairs that were recorded on three splits and more. The policies choose among these by the predictions; the
   result is what was recorded there. A target is the median of the true slowdowns of the first program, so it
   can be kept. */
static inline void recorded_choices(const records *r) {
    double unfair[3] = {0, 0, 0}, kept[2] = {0, 0}, units[3] = {0, 0, 0}; /* predicted, even, best */
    size_t pairs = 0;
    for (size_t i = 0; i + 1 < r->rows; ++i) {
        float truth[2], told[2];
        double sd[CHOICES];
        choices c;
        if (!choice_of(r, i, truth, told)) continue;
        choices_of(r, i, &c);
        if (c.count < 3) continue;
        for (uint32_t k = 0; k < c.count; ++k) sd[k] = (double)c.truth[k][0];
        const float target = (float)spread_of(sd, c.count).median * 1.0001f;
        const uint32_t fair[3] = {fairest(&c, c.told), c.even, fairest(&c, c.truth)};
        const uint32_t few[3] = {fewest(&c, c.told, target), c.even, fewest(&c, c.truth, target)};
        for (int w = 0; w < 3; ++w) {
            unfair[w] += (double)sooth_allocate_unfairness(c.truth[fair[w]], NULL, 2);
            units[w] += (double)c.sms[few[w]];
            if (w < 2) kept[w] += c.truth[few[w]][0] <= target;
        }
        ++pairs;
    }
    printf("\n---- Fair and QoS: %zu pairs on three recorded splits or more ----\n", pairs);
    if (!pairs) return;
    const double n = (double)pairs;
    printf("  unfairness (eq. 11): by predictions %.3f, even split %.3f, the best there is %.3f%s\n",
           unfair[0] / n, unfair[1] / n, unfair[2] / n,
           unfair[0] > unfair[1] ? "; the even split is better" : "");
    printf("  targets kept: by predictions %.0f %% with %.1f units, even split %.0f %% with %.1f, at best "
           "100 %% with "
           "%.1f\n",
           100 * kept[0] / n, units[0] / n, 100 * kept[1] / n, units[1] / n, units[2] / n);
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
    recorded_choices(&r);
    records_free(&r);
}

#endif
