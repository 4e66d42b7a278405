/* bags.h - bags of kernels on a GPU, as bench/cuda/bags.cu writes them, as a subject of table7.c.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A task is a kernel on a size. Its programs are the kernels. The watts of the board with a task alone are
 * the paper's GPU_power, and the watts of the board with all tasks are predicted. Fairness is next to the
 * kernels low, medium and high. No processor was measured, so its columns are missing. Bags of other ways
 * than streams, and bags without watts, are left out. Everything is static.
 */
#ifndef BAGS_H
#define BAGS_H

#include "sooth/csv.h"
#include "subjects.h"

enum { BAG_COLUMNS = 12 };

typedef struct bag_table {
    sooth_csv csv;
    size_t column[BAG_COLUMNS];
} bag_table;
enum {
    B_BAG,
    B_HOW,
    B_TASKS,
    B_KERNEL,
    B_SIZE,
    B_LAUNCHES,
    B_ALONE,
    B_TIME,
    B_SLOWDOWN,
    B_SPAN,
    B_ALONE_POWER,
    B_POWER
};

static double bag_cell(const bag_table *t, size_t row, int column) {
    return (double)t->csv.cell[row * t->csv.cols + t->column[column]];
}
static const char *bag_text(const bag_table *t, size_t row, int column) {
    return t->csv.column[t->column[column]].text[(size_t)bag_cell(t, row, column)];
}

static sooth_status bag_table_read(sooth_env *env, const char *path, bag_table *t) {
    static const char *const name[BAG_COLUMNS] = {"bag",      "how",      "tasks",       "kernel",
                                                  "size",     "launches", "alone",       "time",
                                                  "slowdown", "span",     "alone_power", "power"};
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t size = 0, n = 0;
    sooth_status status;
    if (!file) return sooth_fail(env, SOOTH_BAD_TEXT, "%s cannot be read", path);
    do {
        bytes = (char *)realloc(bytes, (size += n) + 65536);
        n = bytes ? fread(bytes + size, 1, 65536, file) : 0;
    } while (n > 0);
    fclose(file);
    status = bytes ? sooth_csv_read(env, bytes, size, NULL, &t->csv) : sooth_no_memory(env, "a table", size);
    free(bytes);
    for (int k = 0; k < BAG_COLUMNS && status == SOOTH_OK; ++k) {
        t->column[k] = sooth_csv_find(&t->csv, name[k]);
        if (t->column[k] == SOOTH_NONE ||
            (t->csv.column[t->column[k]].is_text != 0) != (k == B_HOW || k == B_KERNEL))
            status = sooth_fail(env, SOOTH_BAD_TEXT, "%s has no column %s of %s", path, name[k],
                                k == B_HOW || k == B_KERNEL ? "words" : "numbers");
    }
    return status;
}

/* 0 to 2: low, medium, high; 3: a task. */
static uint32_t bag_level(const char *kernel) {
    static const char *const level[3] = {"low", "medium", "high"};
    uint32_t k = 0;
    while (k < 3 && strcmp(kernel, level[k]) != 0) ++k;
    return k;
}

/* The card of a row's task, which is new if it is not there; MOST_CARDS: there are too many. */
static uint32_t bag_card(subject *s, const bag_table *t, size_t row, double sizes[MOST_CARDS]) {
    const char *kernel = bag_text(t, row, B_KERNEL);
    const double size = bag_cell(t, row, B_SIZE);
    uint32_t p = 0, c = 0;
    while (p < s->programs && strcmp(s->program_name[p], kernel) != 0) ++p;
    while (c < s->cards && (s->program[c] != p || sizes[c] < size || sizes[c] > size)) ++c;
    if (c < s->cards || s->cards == MOST_CARDS || p == MOST_PROGRAMS) return c < s->cards ? c : MOST_CARDS;
    if (p == s->programs)
        snprintf(s->program_name[s->programs++], sizeof s->program_name[0], "%.31s", kernel);
    sooth_fairness_card_init(&s->card[c], sooth_fairness_paper_fields());
    s->program[c] = p;
    sizes[c] = size;
    return (uint32_t)s->cards++;
}

/* A task next to a microbenchmark: rows a and b. */
static void bag_beside(subject *s, const bag_table *t, size_t task, size_t micro, uint32_t card) {
    const uint32_t level = bag_level(bag_text(t, micro, B_KERNEL));
    double *value = s->card[card].value;
    value[SOOTH_FAIRNESS_SLOWDOWN_LOW + level] = fmax(1.0, bag_cell(t, task, B_SLOWDOWN));
    value[SOOTH_FAIRNESS_CAUSED_LOW + level] = fmax(1.0, bag_cell(t, micro, B_SLOWDOWN));
}

static void bag_add(subject *s, const bag_table *t, size_t row, uint32_t tasks, const uint32_t *card) {
    subject_bag *bag = &s->bag[s->bags];
    memset(bag, 0, sizeof *bag);
    bag->tasks = tasks;
    for (uint32_t k = 0; k < tasks; ++k) {
        bag->card[k] = card[k];
        bag->alone[k] = bag_cell(t, row + k, B_ALONE) * bag_cell(t, row + k, B_LAUNCHES);
    }
    bag->truth = bag_cell(t, row, B_POWER);
    sooth_fairness_card_init(&bag->whole, sooth_fairness_paper_fields());
    if (bag->truth > 0.0) ++s->bags;
}

/* The bags of `tasks` rows from row on. */
static void bag_take(subject *s, const bag_table *t, size_t row, uint32_t tasks, double sizes[MOST_CARDS]) {
    uint32_t card[MOST_TASKS], micro = 0;
    for (uint32_t k = 0; k < tasks; ++k) micro += bag_level(bag_text(t, row + k, B_KERNEL)) < 3;
    if (micro == 1 && tasks == 2) {
        const size_t second = bag_level(bag_text(t, row, B_KERNEL)) < 3;
        const uint32_t c = bag_card(s, t, row + second, sizes);
        if (c < MOST_CARDS) bag_beside(s, t, row + second, row + !second, c);
    }
    if (micro) return;
    for (uint32_t k = 0; k < tasks; ++k)
        if ((card[k] = bag_card(s, t, row + k, sizes)) == MOST_CARDS) return;
    if (tasks == 1) {
        double *value = s->card[card[0]].value;
        value[SOOTH_FAIRNESS_ALONE_POWER] = bag_cell(t, row, B_POWER);
        value[SOOTH_FAIRNESS_ALONE_TIME] = bag_cell(t, row, B_ALONE) * bag_cell(t, row, B_LAUNCHES);
    } else if (s->bags < MOST_BAGS) bag_add(s, t, row, tasks, card);
}

/* Leaves out bags with a task whose card is not whole, as in a table that was cut. */
static void bag_keep_known(subject *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->bags; ++i) {
        int known = 1;
        for (uint32_t k = 0; k < s->bag[i].tasks; ++k) {
            const double *value = s->card[s->bag[i].card[k]].value;
            known &=
                !isnan(value[SOOTH_FAIRNESS_ALONE_POWER]) && !isnan(value[SOOTH_FAIRNESS_SLOWDOWN_LOW]) &&
                !isnan(value[SOOTH_FAIRNESS_SLOWDOWN_MEDIUM]) && !isnan(value[SOOTH_FAIRNESS_SLOWDOWN_HIGH]);
        }
        if (known) s->bag[kept++] = s->bag[i];
    }
    s->bags = kept;
}

static sooth_status subject_of_bags(sooth_env *env, const char *path, subject *s) {
    bag_table t;
    double sizes[MOST_CARDS];
    memset(s, 0, sizeof *s);
    memset(&t, 0, sizeof t);
    const sooth_status status = bag_table_read(env, path, &t);
    if (status == SOOTH_OK) {
        for (size_t row = 0, end; row < t.csv.rows; row = end) {
            const double number = bag_cell(&t, row, B_BAG), tasks = bag_cell(&t, row, B_TASKS);
            for (end = row + 1; end < t.csv.rows && !(bag_cell(&t, end, B_BAG) > number); ++end) {}
            if (tasks >= 1 && tasks <= MOST_TASKS && end - row == (size_t)tasks &&
                strcmp(bag_text(&t, row, B_HOW), "streams") == 0)
                bag_take(s, &t, row, (uint32_t)tasks, sizes);
        }
        bag_keep_known(s);
        for (size_t i = 0; i < s->cards; ++i) {
            double *value = s->card[i].value;
            value[SOOTH_FAIRNESS_PRESSURE] = value[SOOTH_FAIRNESS_CAUSED_HIGH] - 1.0;
            value[SOOTH_FAIRNESS_LLC_MISS] = value[SOOTH_FAIRNESS_PRESSURE];
        }
    }
    sooth_csv_free(env, &t.csv);
    if (status != SOOTH_OK) return status;
    snprintf(s->name, sizeof s->name, "bags on a GPU");
    snprintf(s->origin, sizeof s->origin,
             "One to five kernels at once on one GPU by streams, %s. The watts are of the whole board.",
             path);
    s->power = 1;
    put_stands(s, 0);
    s->predicted = "the watts of the board, as in the paper";
    s->stands[0][GPU_POWER] = "the watts of the board with the task alone";
    s->lacks[0][CPU_POWER] = s->lacks[1][CPU_POWER] = s->lacks[0][IPC] = s->lacks[1][IPC] =
        "no processor was measured";
    s->unit = "ms";
    return SOOTH_OK;
}

#endif
