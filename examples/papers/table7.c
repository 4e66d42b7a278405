/* table7.c - Moolchandani, Kumar and Sarangi's Table 7 and Figures 7 to 15 on measurements of bags of tasks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     table7 [--recorded [NAME=]DIR ...] [--gavel FILE] [--bags FILE] [--out DIR] [--seed 1]
 *
 * The data are recordings (folders that build/colocate has written), pairs of jobs on three GPUs (gpus.h),
 * and bags of kernels with the watts of a GPU (bags.h). The program runs the 20 combinations of columns of
 * Table 7 with the six regressors of Table 6, for bags of two, three, four and five tasks, with a model for
 * each number. Every program is left out in turn, and there is random 80/20 (Performance and power prediction
 * for concurrent execution on GPUs, 2022). Then come the tree of section 5.4.1, and groups of columns with
 * and without (Figures 7 and 8). Last are the tests on the decision paths of bags left out (Figures 9 and
 * 10). The mapping from measurements to columns is printed first, see subjects.h. Missing columns are not
 * made up. A recording is predicted with the help of the next one given: that machine replaces the processor
 * of the paper.
 *
 * Pictures go to the out folder, which must exist. Without it none are drawn. Exit code 0 done, 1 failed
 * (with a message), 2 bad use.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/threads.h"
#include "bags.h"
#include "gpus.h"
#include "trials.h"

enum { COMBINATIONS = 20, SIZES = 4, LEAST_BAGS = 10, GROUPS = 6, BESIDE = 4 };

/* Table 7: mean absolute percentage errors of the watts of a GPU, bags of two, every benchmark left out. */
static const double published[COMBINATIONS][REGRESSORS] = {
    {4.65, 3.9, 7.52, 10, 3.87, 6.7},         {6.75, 7.5, 10.95, 13, 8.1, 6.7},
    {4.65, 4.22, 6.2, 9.3, 3.72, 7.2},        {4.55, 3.78, 7.48, 10.92, 3.8, 6.69},
    {4.49, 3.83, 4.57, 8.43, 3.95, 6.6},      {4.41, 3.76, 4.53, 7.58, 3.88, 6.65},
    {13.5, 11.05, 10.3, 10.48, 11.34, 7.29},  {9.42, 8.23, 21.17, 11.64, 8.75, 7.09},
    {9.8, 8.76, 12.67, 24.83, 8.89, 7.47},    {8.68, 7.27, 16, 11.55, 7.49, 7.44},
    {8.09, 7.09, 16.44, 11.93, 7.44, 7.45},   {9.85, 9.22, 18.2, 21.9, 9.2, 7.47},
    {13.82, 9.08, 12.67, 20.22, 10.76, 7.56}, {8.8, 7.73, 13.39, 14.38, 7.56, 7.47},
    {9.9, 8.36, 23.4, 13.16, 8.6, 6.94},      {4.3, 3.78, 7.14, 9.49, 3.59, 6.65},
    {4.65, 3.97, 5.40, 8.40, 3.41, 7.08},     {4.83, 4.10, 6.39, 10.63, 3.68, 7.05},
    {4.75, 3.78, 16.66, 12.71, 3.66, 6.97},   {4.17, 3.62, 16.86, 13.95, 3.66, 7.01}};

/* The combinations that differ in nothing but fairness: with, without (counted from 0). */
static const uint32_t with_fairness[3][2] = {{0, 3}, {4, 5}, {9, 10}};

/* Sections 5.4.1 and 8: the error of the paper's tree in the time of bags of 2, 3, 4 and 5 tasks. */
static const char *const published_tree[SIZES] = {"9", "8 to 10", "7.2", "8.4"};
/* The values printed next to a group of columns. */
static const char *const beside_name[BESIDE] = {"by itself", "+ CPU_time", "+ GPU_time", "+ both"};

/* Everything of one subject. Trials are of the forms that differ. */
typedef struct study7 {
    const subject *s;
    const char *out; /* the folder of its pictures; NULL: none */
    uint32_t number; /* of the subject, from 1 */
    sooth_fairness_form form[COMBINATIONS], own[GROUPS][BESIDE];
    uint32_t forms, form_at[COMBINATIONS]; /* COMBINATIONS: none of its columns exists */
    uint32_t groups;
    const char *group_name[GROUPS];
    uint32_t sizes, tasks[SIZES]; /* with enough bags */
    size_t bags[SIZES];
    trial cell[SIZES][COMBINATIONS][REGRESSORS];
    /* ours: the factor over the time without contention, by the columns of comb1, and without fairness */
    trial over[SIZES][2][REGRESSORS];
    trial plain[SIZES][3]; /* see plain_name */
    trial tree[SIZES], group[SIZES][GROUPS][BESIDE];
    path_use paths[SIZES];
} study7;

/* Whether a column needs times of the other machine and they are missing. */
static int possible(const study7 *u, uint32_t beside) { return !(beside & 1) || u->s->has_cpu_time; }

#include "pictures.h"

static sooth_env env;
static uint32_t seed = 1;

/* Sentences, broken into lines of at most 110 columns and ended. */
static void say(const char *format, ...) {
    enum { WIDE = 110 };
    char text[2048], *word;
    size_t column = 0;
    va_list more;
    va_start(more, format);
    vsnprintf(text, sizeof text, format, more);
    va_end(more);
    for (word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        const size_t n = strlen(word);
        const int ends = column && column + 1 + n > WIDE;
        printf("%s%s", ends ? "\n" : column ? " " : "", word);
        column = ends || !column ? n : column + 1 + n;
    }
    printf("\n");
}

/* ---- the trials ---- */

static void plan_combinations(study7 *u) {
    for (uint32_t c = 0; c < COMBINATIONS; ++c) {
        sooth_fairness_form printed;
        sooth_fairness_combination(NULL, c + 1, &printed);
        const sooth_fairness_form known = known_part(u->s, &printed);
        uint32_t k = 0;
        while (k < u->forms && !same_form(&u->form[k], &known)) ++k;
        u->form_at[c] = k;
        if (known.fields + known.bag_fields == 0) u->form_at[c] = COMBINATIONS;
        else if (k == u->forms) u->form[u->forms++] = known;
    }
}

static void add_group(study7 *u, const char *name, uint32_t first, uint32_t second) {
    for (uint32_t b = 0; b < BESIDE; ++b) {
        sooth_fairness_form *form = &u->own[u->groups][b];
        memset(form, 0, sizeof *form);
        /* in the order of Table 4, as ties between columns go to the first */
        if (b & 2) form->field[form->fields++] = SOOTH_FAIRNESS_ALONE_TIME;
        if (b & 1) form->field[form->fields++] = SOOTH_FAIRNESS_CPU_TIME;
        if (first) form->field[form->fields++] = first;
        if (second) form->field[form->fields++] = second;
    }
    u->group_name[u->groups++] = name;
}

/* The rows of Figure 8, as far as they exist. Of the mix of instructions a recording has at most the share
   of branches. */
static void plan_groups(study7 *u) {
    add_group(u, "no other column", 0, 0);
    if (u->s->has_control) add_group(u, "insmix: Control", SOOTH_FAIRNESS_CONTROL, 0);
    add_group(u, "fairness", SOOTH_FAIRNESS_CHOSEN, 0);
    if (u->s->has_control) add_group(u, "Control + fairness", SOOTH_FAIRNESS_CONTROL, SOOTH_FAIRNESS_CHOSEN);
    add_group(u, "LLC_miss", SOOTH_FAIRNESS_LLC_MISS, 0);
    add_group(u, "LLC_miss + fairness", SOOTH_FAIRNESS_LLC_MISS, SOOTH_FAIRNESS_CHOSEN);
}

static trial new_trial(const study7 *u, uint32_t size, way how, const sooth_fairness_form *form) {
    trial t;
    memset(&t, 0, sizeof t);
    t.s = u->s;
    t.tasks = u->tasks[size];
    t.how = how;
    t.seed = seed;
    if (form) t.form = *form;
    return t;
}

/* All trials of the subject in one list, so that they can run side by side; then back to their places. */
static int try_all(study7 *u) {
    enum { MOST = SIZES * ((COMBINATIONS + 2) * REGRESSORS + 3 + 1 + GROUPS * BESIDE) };
    static trial list[MOST];
    static trial *place[MOST];
    size_t n = 0;
    sooth_fairness_form table_4;
    sooth_fairness_combination(NULL, 0, &table_4);
    table_4 = known_part(u->s, &table_4);
    for (uint32_t z = 0; z < u->sizes; ++z) {
        for (uint32_t f = 0; f < u->forms; ++f)
            for (uint32_t r = 0; r < REGRESSORS; ++r) {
                place[n] = &u->cell[z][f][r];
                list[n++] = new_trial(u, z, (way)r, &u->form[f]);
            }
        for (uint32_t k = 0; k < 2 && !u->s->power; ++k)
            for (uint32_t r = 0; r < REGRESSORS; ++r) {
                place[n] = &u->over[z][k][r];
                list[n] = new_trial(u, z, (way)r, &u->form[u->form_at[with_fairness[0][k]]]);
                list[n++].over = 1;
            }
        for (uint32_t k = 0; k < 3; ++k) {
            place[n] = &u->plain[z][k];
            list[n++] = new_trial(u, z, (way)(MEAN + k), NULL);
        }
        place[n] = &u->tree[z];
        list[n] = new_trial(u, z, TREE_7, &table_4);
        list[n++].paths = &u->paths[z];
        for (uint32_t g = 0; g < u->groups; ++g)
            for (uint32_t b = 0; b < BESIDE; ++b) {
                if (!possible(u, b)) continue;
                place[n] = &u->group[z][g][b];
                list[n++] = new_trial(u, z, u->own[g][b].fields ? TREE_7 : MEAN, &u->own[g][b]);
            }
    }
    const int good = run_trials(&env, list, n);
    for (size_t i = 0; i < n; ++i) *place[i] = list[i];
    return good;
}

/* ---- printing ---- */

/* The remaining columns of a combination, with the paper's names. */
static void put_columns(const sooth_fairness_form *form, char *text, size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (uint32_t f = 0; f < form->fields; ++f) {
        const char *name = "fairness";
        for (int k = 0; k < TABLE_5; ++k)
            if (field_of[k] == form->field[f]) name = table_5[k];
        n += sooth_text_format(text + n, size - n, n ? ", %s" : "%s", name);
    }
    for (uint32_t f = 0; f < form->bag_fields; ++f)
        for (int k = 0; k < TABLE_5; ++k)
            if (field_of[k] == form->bag_field[f])
                n += sooth_text_format(text + n, size - n, n ? ", %s_sh" : "%s_sh", table_5[k]);
}

static void tell_columns(const study7 *u) {
    const subject *s = u->s;
    int none = 0;
    printf("\n== %s: %zu bags%s%s\n", s->name, s->bags, s->other[0] ? "; the other machine: " : "", s->other);
    if (s->origin[0]) say("%s", s->origin);
    say("Predicted, where the paper predicts the watts of a bag on a GPU: %s. What replaces its columns:",
        s->predicted);
    for (int b = 0; b < 2; ++b)
        for (int f = 0; f < TABLE_5; ++f) {
            char name[32];
            if (b && f == GPU_POWER) continue; /* that is the target */
            snprintf(name, sizeof name, "%s%s", table_5[f], b ? "_sh" : "");
            if (s->stands[b][f]) printf("  %-16s %s\n", name, s->stands[b][f]);
            else printf("  %-16s - missing: %s\n", name, s->lacks[b][f]);
        }
    printf("  %-16s %s\n", "insmix",
           s->has_control ? "of Table 4: Control alone, branches in % of the instructions"
                          : "- missing: the recording has no instructions counted");
    printf(
        "  %-16s as in the paper's 5.1.4, one for each task: its value next to Low, Medium or High, by the "
        "pressure\n",
        "fairness");
    printf("  %-16s of the others of the bag, cut between three clusters of it (build/colocate takes "
           "terciles, and\n"
           "  %-16s compares). The note below its Table 7 counts one for the whole bag, so its comb1 has 9 "
           "numbers\n  %-16s for two tasks where all columns would make 10 here.\n",
           "", "", "");
    for (uint32_t c = 0; c < COMBINATIONS; ++c) {
        if (u->form_at[c] < COMBINATIONS) continue;
        printf("%s comb%u", none++ ? "," : "Not run, since none of its columns is here:", c + 1);
    }
    printf("%s", none ? ".\n" : "");
    say("Of the 20 combinations %u differ in what is left of them; those with the same columns have the same "
        "numbers.",
        u->forms);
}

/* The place of the min of a block of cells. unseen: every program left out; otherwise random. */
static double least_cell(const study7 *u, uint32_t z, int unseen, uint32_t *form, uint32_t *how) {
    double least = INFINITY;
    for (uint32_t f = 0; f < u->forms; ++f)
        for (uint32_t r = 0; r < REGRESSORS; ++r) {
            const trial *t = &u->cell[z][f][r];
            const double v = unseen ? t->unseen : t->random;
            if (!(v < least)) continue;
            least = v;
            *form = f;
            *how = r;
        }
    return least;
}

static void put_cells(const trial *cell, int unseen, double least) {
    for (uint32_t r = 0; r < REGRESSORS; ++r) {
        const double v = unseen ? cell[r].unseen : cell[r].random;
        printf(" %5.1f%c", v, v > least ? ' ' : '*');
    }
}

static const char *plain_name(const study7 *u, uint32_t k) {
    if (k == 0) return "mean of training";
    if (k == 1) return u->s->power ? "most watts alone" : "longest alone";
    return u->s->cores ? "no migration" : "even sharing";
}

/* Times do not predict watts. The watts of tasks alone do, if they are known. */
static uint32_t plain_ones(const study7 *u) { return !u->s->power ? 3 : u->s->stands[0][GPU_POWER] ? 2 : 1; }

/* The lines below the table: predictions without a model, and our way of fitting with the same columns. */
static void tell_others(const study7 *u, uint32_t z) {
    char name[64];
    for (uint32_t k = 0; k < plain_ones(u); ++k)
        printf("  %-6s %-46s %5.1f%36s| %5.1f\n", "", plain_name(u, k), u->plain[z][k].unseen, "",
               u->plain[z][k].random);
    if (u->s->power) return;
    for (uint32_t k = 0; k < 2; ++k) {
        snprintf(name, sizeof name, "comb%u, of the time over %s", with_fairness[0][k] + 1, plain_name(u, 2));
        printf("  %-6s %-46s", "ours", name);
        put_cells(u->over[z][k], 1, 0.0);
        printf("|");
        put_cells(u->over[z][k], 0, 0.0);
        printf("\n");
    }
}

/* The table for bags of one size; for pairs with the paper's next to it. */
static void tell_table(const study7 *u, uint32_t z) {
    uint32_t form = 0, how = 0;
    const double least[2] = {least_cell(u, z, 0, &form, &how), least_cell(u, z, 1, &form, &how)};
    const int pairs = u->tasks[z] == 2;
    printf("\nTable 7, bags of %u: %zu bags, mean error in %% of the measured %s; * the least\n", u->tasks[z],
           u->bags[z], u->s->power ? "watts" : "time");
    printf("  %-53s %-42s| %-42s%s\n", "", "every program left out in turn", "random 80/20, five times",
           pairs ? "| the paper: watts of a GPU, left out" : "");
    printf("  %-6s %-46s", "", "columns that are here");
    for (int part = 0; part < 2 + pairs; ++part) {
        if (part) printf("|");
        for (uint32_t r = 0; r < REGRESSORS; ++r) printf("%6s ", way_name[r]);
    }
    printf("\n");
    for (uint32_t c = 0; c < COMBINATIONS; ++c) {
        char text[160], name[16];
        snprintf(name, sizeof name, "comb%u", c + 1);
        if (u->form_at[c] == COMBINATIONS) {
            printf("  %-6s %-46s%42s|%42s", name, "- none", "", "");
        } else {
            put_columns(&u->form[u->form_at[c]], text, sizeof text);
            printf("  %-6s %-46s", name, text);
            put_cells(u->cell[z][u->form_at[c]], 1, least[1]);
            printf("|");
            put_cells(u->cell[z][u->form_at[c]], 0, least[0]);
        }
        if (pairs) {
            printf("|");
            for (uint32_t r = 0; r < REGRESSORS; ++r) printf(" %5.2f ", published[c][r]);
        }
        printf("\n");
    }
    tell_others(u, z);
}

/* The errors of the cells with more columns than half of their training bags. */
static void tell_thin(const study7 *u, uint32_t z) {
    size_t thin = 0, most = 0, rows = 0;
    double worst = 0.0, other = INFINITY;
    for (uint32_t f = 0; f < u->forms; ++f) {
        const trial *t = &u->cell[z][f][LINEAR];
        if (2 * t->columns <= t->least_rows) {
            other = fmin(other, t->unseen);
            continue;
        }
        ++thin;
        rows = t->least_rows;
        if (t->columns > most) most = t->columns;
        worst = fmax(worst, t->unseen);
    }
    if (!thin) return;
    char fewer[64] = "";
    if (other < INFINITY) snprintf(fewer, sizeof fewer, ", and by %.1f %% at best with fewer", other);
    say("Up to %zu columns are learned from as few as %zu bags: linear, which bends to each of them, "
        "errs by up to %.1f %% where the columns are more than half the bags%s. So few bags are too few "
        "for any contention.",
        most, rows, worst, fewer);
}

/* The results of the table of one size, in words. */
static void tell_best(const study7 *u, uint32_t z) {
    uint32_t form = 0, how = 0, c = 0;
    const double best = least_cell(u, z, 1, &form, &how);
    uint32_t least = 0;
    for (uint32_t k = 1; k < plain_ones(u); ++k)
        if (u->plain[z][k].unseen < u->plain[z][least].unseen) least = k;
    const double plain = u->plain[z][least].unseen;
    while (u->form_at[c] != form) ++c;
    say("Least of %u x 6 for programs never seen: comb%u by %s, %.1f %%; what learns nothing, %s: %.1f %%. "
        "%s",
        u->forms, c + 1, way_name[how], best, plain_name(u, least), plain,
        best < plain ? "The min of all these was picked by its own error, so expect a larger one."
                     : "Nothing is gained by learning here.");
    tell_thin(u, z);
}

/* Trials that differ only in fairness, over all regressors: the mean error with and without. Over the
   programs left out: the mean difference and half of its 95 % interval (Student's t). */
typedef struct difference {
    double with, without, more, half;
    unsigned lower, cells, programs;
} difference;

static void add_difference(difference *d, const trial *with, const trial *without) {
    for (uint32_t r = 0; r < REGRESSORS; ++r, ++d->cells) {
        d->with += with[r].unseen;
        d->without += without[r].unseen;
        d->lower += with[r].unseen < without[r].unseen;
    }
}

/* list: `pairs` of rows of trials, with and without. */
static difference differ(const study7 *u, const trial *const list[][2], unsigned pairs) {
    difference d;
    double squares = 0.0;
    memset(&d, 0, sizeof d);
    for (unsigned k = 0; k < pairs; ++k) add_difference(&d, list[k][0], list[k][1]);
    for (uint32_t p = 0; p < u->s->programs; ++p) {
        double more = 0.0;
        for (unsigned k = 0; k < pairs; ++k)
            for (uint32_t r = 0; r < REGRESSORS; ++r)
                more += (list[k][0][r].program[p] - list[k][1][r].program[p]) / (double)d.cells;
        if (isnan(more)) continue;
        d.more += more;
        squares += more * more;
        ++d.programs;
    }
    d.with /= d.cells;
    d.without /= d.cells;
    d.more /= d.programs;
    d.half = sqrt(fmax(0.0, squares / d.programs - d.more * d.more) / (d.programs - 1.0)) *
             sooth_t_quantile(0.975, d.programs - 1.0);
    return d;
}

/* One sentence from the numbers. */
static void tell_difference(const char *what, const char *combinations, const difference *d) {
    if (d->programs < 2) return;
    say("%s, fairness %s: %s. The mean error is %.1f %% with and %.1f %% without, lower with it in %u of %u "
        "cells; over the programs left out it changes by %+.1f points (95 %%: %+.1f to %+.1f).",
        what,
        d->more + d->half < 0.0   ? "helps here"
        : d->more - d->half > 0.0 ? "does harm here"
                                  : "neither helps nor harms here beyond chance",
        combinations, d->with, d->without, d->lower, d->cells, d->more, d->more - d->half, d->more + d->half);
}

static void tell_fairness(const study7 *u, uint32_t z) {
    const trial *list[3][2];
    unsigned pairs = 0;
    difference d;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t a = u->form_at[with_fairness[k][0]], b = u->form_at[with_fairness[k][1]];
        if (a == COMBINATIONS || b == COMBINATIONS) continue;
        list[pairs][0] = u->cell[z][a];
        list[pairs++][1] = u->cell[z][b];
    }
    if (!pairs) return;
    d = differ(u, (const trial *const(*)[2])list, pairs);
    tell_difference("In the table", "comb1, comb5 and comb10 have it; comb4, comb6, comb11 are these without",
                    &d);
    if (u->s->power) return;
    list[0][0] = u->over[z][0];
    list[0][1] = u->over[z][1];
    d = differ(u, (const trial *const(*)[2])list, 1);
    tell_difference("Of the time over what learns nothing", "comb1 and comb4", &d);
}

/* The shortest or longest time alone. */
static double alone_range(const subject *s, int longest) {
    double v = s->card[0].value[SOOTH_FAIRNESS_ALONE_TIME];
    for (size_t i = 1; i < s->cards; ++i) {
        const double one = s->card[i].value[SOOTH_FAIRNESS_ALONE_TIME];
        v = longest ? fmax(v, one) : fmin(v, one);
    }
    return v;
}

/* Section 5.4.1 and Figures 7 and 8: the tree of depth 7 with groups of columns. */
static void tell_groups(const study7 *u) {
    printf("\n");
    say("The tree of depth 7 with groups of columns, every program left out (Figures 7 and 8), %%. GPU_time: "
        "alone on this machine; CPU_time: on the other machine%s. The mix of instructions: %s.",
        u->s->has_cpu_time ? "" : ", of which there is no recording",
        u->s->has_control ? "the share of branches alone" : "not in the recording");
    printf("  %-20s", "");
    for (uint32_t z = 0; z < u->sizes; ++z) printf("| bags of %u %34s", u->tasks[z], "");
    printf("\n  %-20s", "");
    for (uint32_t z = 0; z < u->sizes; ++z) {
        printf("|");
        for (uint32_t b = 0; b < BESIDE; ++b) printf(" %10s", beside_name[b]);
    }
    printf("\n");
    for (uint32_t g = 0; g < u->groups; ++g) {
        printf("  %-20s", u->group_name[g]);
        for (uint32_t z = 0; z < u->sizes; ++z) {
            printf("|");
            for (uint32_t b = 0; b < BESIDE; ++b)
                if (possible(u, b)) printf(" %10.1f", u->group[z][g][b].unseen);
                else printf(" %10s", "-");
        }
        printf("\n");
    }
    say("The paper, pairs: insmix 144.6, insmix + CPU_time 57.05, all of Table 4 9.05. Tasks here last "
        "%.2g to %.2g %s alone: the wider, the more columns of time explain.",
        alone_range(u->s, 0), alone_range(u->s, 1), u->s->unit);
}

static void tell_paths(const study7 *u) {
    printf(
        "\nThe tree of depth 7 with the columns of Table 4 that are here (section 5.4.1), bags left out%s:\n"
        "  %-9s %9s %14s   on the way of, %% of the points (questions on a way, on average)\n",
        u->s->power ? "; of watts, where the paper's errors are of times" : "", "bags of", "error, %",
        "the paper's, %");
    for (uint32_t z = 0; z < u->sizes; ++z) {
        const trial *t = &u->tree[z];
        printf("  %-9u %9.1f %14s  ", u->tasks[z], t->unseen, published_tree[u->tasks[z] - 2]);
        for (uint32_t f = 0; f < t->form.fields; ++f)
            printf(" %s %.0f (%.1f)", path_field(&t->form, f), path_share(&u->paths[z], f),
                   path_mean(&u->paths[z], f));
        printf("\n");
    }
    say("The paper, pairs: GPU_time on all paths, 5 to 6 times on each; fairness on 65 %%, 1 to 3 times "
        "(Figures 9 and 10). Its vectors have eleven fields, these %u: a tree with fewer fields tests "
        "each of them more often. So a share counts the tests of a column, not its benefit.",
        u->tree[0].form.fields);
}

/* ---- the program ---- */

static int run_subject(study7 *u) {
    uint32_t row[MOST_BAGS];
    for (uint32_t tasks = 2; tasks <= MOST_TASKS; ++tasks) {
        const size_t n = bags_of(u->s, tasks, row);
        if (n < LEAST_BAGS) continue;
        u->tasks[u->sizes] = tasks;
        u->bags[u->sizes++] = n;
    }
    plan_combinations(u);
    plan_groups(u);
    tell_columns(u);
    for (uint32_t tasks = 2; tasks <= MOST_TASKS; ++tasks)
        if (bags_of(u->s, tasks, row) < LEAST_BAGS)
            printf("Bags of %u are not learned: there are %zu, and %d are needed.\n", tasks,
                   bags_of(u->s, tasks, row), LEAST_BAGS);
    fflush(stdout);
    if (!u->sizes || !try_all(u)) return u->sizes == 0;
    for (uint32_t z = 0; z < u->sizes; ++z) {
        tell_table(u, z);
        tell_best(u, z);
        tell_fairness(u, z);
    }
    tell_groups(u);
    tell_paths(u);
    if (u->out) draw(u);
    return 1;
}

static int usage(FILE *to) {
    fprintf(
        to,
        "table7 [--recorded [NAME=]DIR ...] [--gavel FILE] [--bags FILE] [--out DIR] [--seed 1]\n"
        "  Moolchandani et al. 2022, Table 7 and Figures 7 to 15, on what build/colocate has measured, and "
        "on\n  Gavel's pairs of jobs on GPUs (examples/papers/data/gavel.csv), and on bags with watts of a "
        "GPU "
        "(bench/cuda/bags.cu)\n");
    return to == stdout ? 0 : 2;
}

typedef struct arguments {
    const char *folder[MOST_SUBJECTS], *gavel, *bags, *out;
    size_t folders;
} arguments;

/* -1: read them; otherwise the exit code. */
static int read_arguments(int count, char **word, arguments *a) {
    memset(a, 0, sizeof *a);
    for (int i = 1; i < count; ++i) {
        const char *value = i + 1 < count ? word[i + 1] : "";
        const size_t n = strlen(value);
        double v;
        if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0) return usage(stdout);
        if (n == 0 || value[0] == '-') return usage(stderr);
        if (strcmp(word[i], "--recorded") == 0) {
            for (; i + 1 < count && word[i + 1][0] != '-'; ++i) {
                if (a->folders == MOST_SUBJECTS) return usage(stderr);
                a->folder[a->folders++] = word[i + 1];
            }
            continue;
        }
        ++i;
        if (strcmp(word[i - 1], "--out") == 0) a->out = value;
        else if (strcmp(word[i - 1], "--gavel") == 0) a->gavel = value;
        else if (strcmp(word[i - 1], "--bags") == 0) a->bags = value;
        else if (strcmp(word[i - 1], "--seed") == 0 && sooth_text_to_double(value, n, &v) == n && v >= 0 &&
                 v <= 4294967295.0)
            seed = (uint32_t)v;
        else return usage(stderr);
    }
    return a->folders || a->gavel || a->bags ? -1 : usage(stderr);
}

static int fail(const char *sentence) {
    fprintf(stderr, "table7: %s\n", sentence);
    return 1;
}

int main(int count, char **word) {
    static recording read[MOST_SUBJECTS];
    static gavel gpu[GAVEL_GPUS];
    static subject s;
    static study7 u;
    static sooth_threads pool;
    arguments a;
    const int ended = read_arguments(count, word, &a);
    if (ended >= 0) return ended;
    sooth_env_init(&env);
    for (size_t i = 0; i < a.folders; ++i)
        if (read_recording(&env, a.folder[i], &read[i]) != SOOTH_OK) return fail(env.sentence);
    for (uint32_t k = 0; k < GAVEL_GPUS && a.gavel; ++k) {
        const char *wrong = gavel_read(a.gavel, gavel_gpu[k], &gpu[k]);
        if (wrong) return fail(wrong);
    }
    if (sooth_threads_start(&env, &pool, 0) != SOOTH_OK) return fail(env.sentence);
    const size_t pairs = a.folders + (a.gavel ? GAVEL_GPUS : 0), subjects = pairs + (a.bags != NULL);
    int good = 1;
    for (size_t i = 0; i < subjects && good; ++i) {
        if (i == pairs) {
            if (subject_of_bags(&env, a.bags, &s) != SOOTH_OK) return fail(env.sentence);
        } else if (i >= a.folders) subject_of_gpu(gpu, (uint32_t)(i - a.folders), &s);
        else subject_of(&read[i], a.folders > 1 ? &read[(i + 1) % a.folders] : NULL, &s);
        memset(&u, 0, sizeof u);
        u.s = &s;
        u.out = a.out;
        u.number = (uint32_t)i + 1;
        good = run_subject(&u);
    }
    sooth_threads_stop(&pool);
    return good ? 0 : 1;
}
