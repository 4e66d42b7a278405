/* dwarfs.h - errors by parallel dwarf: Table 8, three ways.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The paper does not list the benchmarks of each dwarf. Those of Rodinia have one by its own authors' list
 * (Che et al. 2009 and the suite's page). The CUDA SDK's and Tango's have none, and are left out. None of
 * Rodinia's is branch and bound, so we have no figure for that column of Table 8.
 *
 * Nor does it state whether the predicted launches were training launches. So each error is given three
 * times: of training launches, of shuffled parts, and of benchmarks left out.
 */
#ifndef GPU_DWARFS_H
#define GPU_DWARFS_H
#include "paper.h"

typedef enum dwarf { BRANCH_AND_BOUND, GRAPH, DENSE, STRUCTURED, UNSTRUCTURED, DYNAMIC, DWARFS } dwarf;
static const char *const dwarf_names[DWARFS] = {"branch and bound", "graph trav.", "dense linear",
                                                "struct. grid",     "unstr. grid", "dyn. progr."};

static const struct {
    const char *name; /* as plain_name of launches.h writes it */
    dwarf dwarf;
} of_dwarf[] = {{"bfs", GRAPH},        {"lud", DENSE},          {"kmeans", DENSE},
                {"gaussian", DENSE},   {"nn", DENSE},           {"heartwall", STRUCTURED},
                {"srad", STRUCTURED},  {"hotspot", STRUCTURED}, {"particlefilter", STRUCTURED},
                {"cfd", UNSTRUCTURED}, {"nw", DYNAMIC}};

/* Table 8, of the K20. */
enum { TABLE8 = 7 };
static const struct {
    size_t row; /* of table5 */
    double mae[DWARFS];
} table8[TABLE8] = {{0, {11.31, 13.17, 4.45, 14.31, 0.33, 8.33}}, {1, {16.17, 19.06, 3.66, 13.52, 0.18, 0.3}},
                    {2, {19.51, 14.52, 4.6, 25.74, 0.43, 0.05}},  {3, {21.14, 14.85, 3.91, 24.03, 0.3, 0.96}},
                    {4, {14.42, 23.4, 7.22, 6.29, 3.28, 2.65}},   {6, {29.34, 25.86, 5.89, 3.69, 1.37, 1.96}},
                    {9, {15.91, 32.91, 4.74, 4.8, 5.96, 10.04}}};

enum { LEARNED, SHUFFLED, NEVER, PROTOCOLS };

/* The dwarf of a benchmark; DWARFS: none. */
static dwarf dwarf_of(const char *name) {
    for (size_t k = 0; k < sizeof of_dwarf / sizeof *of_dwarf; ++k) {
        if (strcmp(of_dwarf[k].name, name) == 0) return of_dwarf[k].dwarf;
    }
    return DWARFS;
}

/* Predictions of row m of Table 8 for its training launches. */
typedef struct learned {
    study *s;
    float *out; /* TABLE8 x rows */
} learned;

static void learn_all(void *arg, size_t m, size_t worker) {
    const learned *t = (const learned *)arg;
    const size_t rows = t->s->table.rows;
    uint32_t *every = (uint32_t *)allocate(rows, sizeof *every);
    const sooth_split_fold fold = {every, every, rows, rows, 0};
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    const sooth_train_recipe recipe = recipe_of(t->s, &table5[table8[m].row]);
    for (size_t i = 0; i < rows; ++i) every[i] = (uint32_t)i;
    predict_fold(&env, &t->s->table, &fold, &recipe, t->out + m * rows);
    free(every);
}

/* mae[d] of predictions, NaN if no launch is of that dwarf. */
static void mae_by_dwarf(const launches *l, const float *out, double mae[DWARFS]) {
    double count[DWARFS + 1] = {0}, sum[DWARFS + 1] = {0};
    for (size_t i = 0; i < l->rows; ++i) {
        const dwarf d = dwarf_of(l->name[l->group[i]]);
        sum[d] += size_of((double)(out[i] - l->watts[i]));
        count[d] += 1.0;
    }
    for (size_t d = 0; d < DWARFS; ++d) mae[d] = count[d] > 0.0 ? sum[d] / count[d] : NAN;
}

/* The benchmarks of the file by dwarf, with their launches. Returns the number of those with a dwarf. */
static size_t print_members(const launches *l) {
    size_t *count = (size_t *)allocate(l->groups, sizeof *count), members = 0;
    for (size_t i = 0; i < l->rows; ++i) ++count[l->group[i]];
    for (size_t d = 0; d < DWARFS; ++d) {
        int first = 1;
        for (size_t g = 0; g < l->groups; ++g) {
            if (dwarf_of(l->name[g]) != (dwarf)d) continue;
            if (first) printf("   %-18s", dwarf_names[d]);
            printf(" %s %zu", l->name[g], count[g]);
            first = 0;
            ++members;
        }
        printf("%s", first ? "" : "\n");
    }
    if (members) printf("   %-18s the other %zu benchmarks of the file\n", "none", l->groups - members);
    free(count);
    return members;
}

/* The errors as a heat map: regressors, when shuffled and on unseen benchmarks, by dwarfs. */
static void draw_dwarfs(const study *s, double mae[PROTOCOLS][TABLE8][DWARFS]) {
    static char text[2 * TABLE8][40];
    double value[2 * TABLE8 * DWARFS];
    const char *names[DWARFS], *rows[2 * TABLE8];
    svg_heat_map map;
    char title[160];
    picture p;
    size_t cols = 0, n = 0;
    for (size_t d = 0; d < DWARFS; ++d) {
        if (!isnan(mae[SHUFFLED][0][d])) names[cols++] = dwarf_names[d];
    }
    for (size_t k = 0; k < 2 * TABLE8; ++k) {
        const size_t how = k < TABLE8 ? SHUFFLED : NEVER, m = k % TABLE8;
        snprintf(text[k], sizeof *text, "%s, %s", table5[table8[m].row].title,
                 k < TABLE8 ? "shuffled" : "unseen");
        rows[k] = text[k];
        for (size_t d = 0; d < DWARFS; ++d) {
            if (!isnan(mae[SHUFFLED][0][d])) value[n++] = mae[how][m][d];
        }
    }
    if (!draw_into(s, &p, "table_8")) return;
    memset(&map, 0, sizeof map);
    map.frame.title = titled(s, title, "mean absolute error by dwarf, W (Alavani et al. 2023, Table 8)");
    map.value = value;
    map.rows = s->all ? 2 * TABLE8 : 2 * TABLE8 - 1; /* the network, the last one, takes long */
    map.cols = cols;
    map.row_names = rows;
    map.col_names = names;
    svg_heat(&p.sink, &map);
    picture_close(&p);
}

static void print_dwarfs(const study *s, double mae[PROTOCOLS][TABLE8][DWARFS]) {
    static const char *const how[PROTOCOLS + 1] = {"learned from", "shuffled", "benchmarks never seen",
                                                   "the paper"};
    for (size_t k = 0; k < PROTOCOLS + (s->device == K20); ++k) {
        printf("\n   %-22s", how[k]);
        for (size_t d = k < PROTOCOLS; d < DWARFS; ++d)
            if (k == PROTOCOLS || !isnan(mae[0][0][d])) printf(" %16s", dwarf_names[d]);
        printf("\n");
        for (size_t m = 0; m < TABLE8; ++m) {
            printf("   %-22s", table5[table8[m].row].title);
            for (size_t d = k < PROTOCOLS; d < DWARFS; ++d) {
                const double v = k < PROTOCOLS ? mae[k][m][d] : table8[m].mae[d];
                if (k < PROTOCOLS && isnan(mae[0][0][d])) continue;
                if (isnan(v)) printf(" %16s", "with --all");
                else printf(" %16.2f", v);
            }
            printf("\n");
        }
    }
}

/* Which of the three the paper's errors are nearest to: the mean over the regressors of |log ratio|. */
static void nearest(double mae[PROTOCOLS][TABLE8][DWARFS]) {
    static const char *const how[PROTOCOLS] = {"learned from", "shuffled", "never seen"};
    printf("\n   The paper does not state which of them its errors are. Nearest by ratio, over the "
           "regressors:\n");
    for (size_t d = 0; d < DWARFS; ++d) {
        double apart[PROTOCOLS] = {0};
        size_t best = 0;
        if (isnan(mae[0][0][d])) continue;
        for (size_t k = 0; k < PROTOCOLS; ++k) {
            double of = 0.0;
            for (size_t m = 0; m < TABLE8; ++m) {
                if (isnan(mae[NEVER][m][d])) continue;
                apart[k] += fabs(log(mae[k][m][d] / table8[m].mae[d]));
                of += 1.0;
            }
            apart[k] /= of;
            if (apart[k] < apart[best]) best = k;
        }
        printf(
            "   %-18s %-14s (off by a factor of %.1f; learned from %.1f, shuffled %.1f, never seen %.1f)\n",
            dwarf_names[d], how[best], exp(apart[best]), exp(apart[0]), exp(apart[1]), exp(apart[2]));
    }
}

static void dwarfs_run(study *s) {
    const size_t rows = s->table.rows;
    float *out = (float *)allocate(TABLE8 * rows, sizeof *out);
    double mae[PROTOCOLS][TABLE8][DWARFS];
    learned t = {s, out};
    printf("\n5  Mean absolute error by dwarf, W (Table 8): Rodinia's benchmarks, the dwarfs by Rodinia's "
           "list\n\n");
    if (print_members(&s->l) == 0) {
        printf("   Left out: no benchmark of this file is Rodinia's.\n");
    } else {
        in_parallel(&s->env, TABLE8, learn_all, &t);
        for (size_t m = 0; m < TABLE8; ++m) {
            mae_by_dwarf(&s->l, out + m * rows, mae[LEARNED][m]);
            mae_by_dwarf(&s->l, s->out[0] + table8[m].row * rows, mae[SHUFFLED][m]);
            mae_by_dwarf(&s->l, s->out[1] + table8[m].row * rows, mae[NEVER][m]);
        }
        print_dwarfs(s, mae);
        if (s->device == K20) nearest(mae);
        draw_dwarfs(s, mae);
    }
    free(out);
}

#endif
