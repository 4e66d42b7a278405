/* counts.c - what counts of PTX instructions predict about a GPU's clocks, next to methods without counts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/scale --counts SMALL.csv REAL.csv
 *     build/scale --kinds SMALL.csv REAL.csv
 *
 * Both files have a row for each program and setting of the clocks, with the columns name, mem_mhz, core_mhz,
 * time_ms and power_w. From add_sub on, the columns are the counts of instructions in its PTX, as Guerreiro
 * et al. 2019 publish them (repository hpc-ulisboa/gpuPTXModel). There are 140 small programs and the real
 * ones, on a GTX Titan X. Every program is run once, at the default clocks. Time and power at the other
 * clocks are predicted as factors. Models are fitted to the small programs, or to these and the other real
 * ones. Each real one counts as ten, and none predicts itself:
 *
 *     median       the median factor of the small programs, or of the other real ones, at these clocks
 *     counts       extra-trees on the shares of the counts, one forest for each setting of the clocks
 *     watts        the same on the watts of the one run alone
 *     both         on both
 *
 * --kinds: one model of each kind learns all settings, with the clocks as two more columns. Each real program
 * is left out. It is fitted to the other real programs alone and, if the kind is fast enough, to both.
 *
 * The interval is the factor that holds 9 of 10 of the settings of the other real programs. Its coverage is
 * measured on the program itself.
 */
#include "sooth/csv.h"
#include "sooth/forest.h"
#include "sooth/train.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int counts_report(const char *small_path, const char *real_path, int kinds); /* from scale.c */

enum { MOST_SETTINGS = 64, TEN = 10 };
static const double default_memory = 3505.0, default_core = 975.0;

typedef enum looks { MEDIAN, COUNTS, WATTS, BOTH, WAYS } looks;
static const char *const looks_name[WAYS] = {"the median factor", "counts of PTX", "watts of the one run",
                                             "counts and watts"};

/* Programs of a file; settings in the order of its first program. */
typedef struct program_table {
    sooth_csv csv;
    size_t count, settings, base, counts; /* base: the default clocks; counts: the first of their columns */
    size_t column[2], clock[2];           /* time, power; of memory and core */
} program_table;

typedef struct counting {
    sooth_env env;
    program_table small, real;
    float *x, *y, *weight; /* capacity for all programs */
} counting;

static void *counts_room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fprintf(stderr, "scale: no memory\n");
        exit(1);
    }
    return memory;
}

static const float *row_at(const program_table *p, size_t program, size_t setting) {
    return p->csv.cell + (program * p->settings + setting) * p->csv.cols;
}

static double factor_at(const program_table *p, size_t program, size_t setting, unsigned what) {
    return (double)row_at(p, program, setting)[p->column[what]] /
           (double)row_at(p, program, p->base)[p->column[what]];
}

/* Returns 0 after an error message. */
static int programs_read(sooth_env *env, const char *path, program_table *p) {
    FILE *file = fopen(path, "rb");
    if (!file) return fprintf(stderr, "scale: %s cannot be read\n", path), 0;
    fseek(file, 0, SEEK_END);
    const long end = ftell(file);
    rewind(file);
    char *bytes = (char *)counts_room((size_t)(end > 0 ? end : 0), 1);
    const size_t size = fread(bytes, 1, (size_t)(end > 0 ? end : 0), file);
    fclose(file);
    const sooth_status status = sooth_csv_read(env, bytes, size, NULL, &p->csv);
    free(bytes);
    if (status != SOOTH_OK) return fprintf(stderr, "scale: %s: %s\n", path, env->sentence), 0;
    const sooth_csv *csv = &p->csv;
    const size_t memory = sooth_csv_find(csv, "mem_mhz"), core = sooth_csv_find(csv, "core_mhz");
    p->column[0] = sooth_csv_find(csv, "time_ms");
    p->column[1] = sooth_csv_find(csv, "power_w");
    p->counts = sooth_csv_find(csv, "add_sub");
    p->clock[0] = memory;
    p->clock[1] = core;
    if (memory == SOOTH_NONE || core == SOOTH_NONE || p->column[0] == SOOTH_NONE ||
        p->column[1] == SOOTH_NONE || p->counts == SOOTH_NONE || !csv->column[0].is_text || !csv->rows)
        return fprintf(stderr, "scale: %s does not have the columns that counts.c lists\n", path), 0;
    p->count = csv->column[0].texts;
    p->settings = csv->rows / p->count;
    p->base = p->settings;
    if (p->settings > MOST_SETTINGS || p->settings * p->count != csv->rows)
        return fprintf(stderr, "scale: %s has other clocks for some programs, or too many\n", path), 0;
    for (size_t s = 0; s < p->settings; ++s)
        if (fabs((double)row_at(p, 0, s)[memory] - default_memory) < 0.5 &&
            fabs((double)row_at(p, 0, s)[core] - default_core) < 0.5)
            p->base = s;
    for (size_t i = 0; i < csv->rows; ++i)
        if (memcmp(&csv->cell[i * csv->cols + memory], &row_at(p, 0, i % p->settings)[memory],
                   sizeof(float)) ||
            memcmp(&csv->cell[i * csv->cols + core], &row_at(p, 0, i % p->settings)[core], sizeof(float)))
            return fprintf(stderr, "scale: %s: programs have their clocks in another order\n", path), 0;
    if (p->base == p->settings) return fprintf(stderr, "scale: %s lacks the default clocks\n", path), 0;
    return 1;
}

/* Writes the shares of the instructions of each kind, then the watts of the one run. Returns their number. */
static size_t look(const program_table *p, size_t program, looks how, float *x) {
    const float *row = row_at(p, program, p->base);
    size_t n = 0;
    float sum = 0.0f;
    for (size_t j = p->counts; j < p->csv.cols; ++j) sum += row[j];
    for (size_t j = p->counts; j < p->csv.cols && how != WATTS; ++j)
        x[n++] = sum > 0.0f ? row[j] / sum : 0.0f;
    if (how != COUNTS) x[n++] = row[p->column[1]];
    return n;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile_of(double *v, size_t n, double part) {
    qsort(v, n, sizeof *v, by_value);
    return v[(size_t)ceil(part * (double)n) - 1];
}

/* Fits one setting to the small programs, or to these and the real ones other than `but`. Returns the
   median. The caller frees *forest, which is NULL for a median. */
static double learn_setting(counting *c, size_t but, size_t setting, unsigned what, looks how, int with_real,
                            sooth_forest **forest) {
    const program_table *all[2] = {&c->small, &c->real};
    double *v = (double *)counts_room(c->small.count + c->real.count, sizeof *v);
    sooth_forest_options options;
    size_t n = 0, cols = 0;
    *forest = NULL;
    for (size_t k = how == MEDIAN && with_real; k < 1 + (size_t)with_real; ++k)
        for (size_t i = 0; i < all[k]->count; ++i) {
            if (k == 1 && i == but) continue;
            v[n] = log(factor_at(all[k], i, setting, what));
            cols = look(all[k], i, how, c->x + n * cols);
            c->y[n] = (float)v[n];
            c->weight[n++] = k ? TEN : 1;
        }
    const double median = quantile_of(v, n, 0.5);
    free(v);
    if (how == MEDIAN) return median;
    sooth_table table = sooth_table_of(c->x, c->y, n, cols);
    table.weight = c->weight;
    memset(&options, 0, sizeof options);
    options.n_estimators = 100;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    options.min_samples_leaf = 3;
    if (sooth_forest_fit(&c->env, &table, &options, forest) != SOOTH_OK) {
        fprintf(stderr, "scale: %s\n", c->env.sentence);
        exit(1);
    }
    return median;
}

/* off[program x settings + setting]: the logarithm of predicted over measured; 0 at the default clocks. */
static void foretell(counting *c, unsigned what, looks how, int with_real, double *off) {
    const size_t settings = c->real.settings;
    float *row = (float *)counts_room(c->real.csv.cols, sizeof *row);
    for (size_t s = 0; s < settings; ++s) {
        sooth_forest *forest = NULL;
        double median = 0.0;
        for (size_t i = 0; i < c->real.count; ++i) {
            off[i * settings + s] = 0.0;
            if (s == c->real.base) continue;
            if (i == 0 || with_real) {
                if (forest) sooth_forest_free(&c->env, forest);
                median = learn_setting(c, i, s, what, how, with_real, &forest);
            }
            look(&c->real, i, how, row);
            const double told = forest ? (double)sooth_forest_predict(forest, row) : median;
            off[i * settings + s] = told - log(factor_at(&c->real, i, s, what));
        }
        if (forest) sooth_forest_free(&c->env, forest);
    }
    free(row);
}

/* Prints one line: errors of time and power, and the coverage of the intervals. */
static void tell(counting *c, looks how, int with_real) {
    const size_t programs = c->real.count, settings = c->real.settings;
    double *off = (double *)counts_room(programs * settings, sizeof *off);
    double *others = (double *)counts_room(programs * settings, sizeof *others);
    printf("  %-24s %-18s", looks_name[how],
           !with_real      ? "the small"
           : how == MEDIAN ? "other real"
                           : "both");
    for (unsigned what = 0; what < 2; ++what) {
        double sum = 0.0, wide = 0.0;
        size_t held = 0;
        foretell(c, what, how, with_real, off);
        for (size_t k = 0; k < programs * settings; ++k) sum += fabs(exp(off[k]) - 1.0);
        for (size_t i = 0; i < programs; ++i) {
            size_t n = 0;
            for (size_t k = 0; k < programs * settings; ++k)
                if (k / settings != i && k % settings != c->real.base) others[n++] = fabs(off[k]);
            const double most = quantile_of(others, n, 0.9);
            wide += exp(most) / (double)programs;
            for (size_t s = 0; s < settings; ++s)
                held += s != c->real.base && fabs(off[i * settings + s]) <= most;
        }
        const double cells = (double)(programs * (settings - 1));
        printf(" %8.1f %8.2f %6.0f %%", 100.0 * sum / cells, wide, 100.0 * (double)held / cells);
    }
    printf("\n");
    fflush(stdout);
    free(off);
    free(others);
}

/* ---- one model for all settings ---- */

/* Writes the clocks of a setting, over the default ones as logarithms, and what is seen of the program. */
static size_t look_at_setting(const program_table *p, size_t program, size_t setting, looks how, float *x) {
    const float *row = row_at(p, program, setting), *base = row_at(p, program, p->base);
    for (size_t k = 0; k < 2; ++k) x[k] = sooth_log(row[p->clock[k]] / base[p->clock[k]]);
    return 2 + (how == MEDIAN ? 0 : look(p, program, how, x + 2));
}

/* Returns the mean error in per cent of a kind on real programs left out. */
static double kind_error(counting *c, const char *recipe_text, unsigned what, looks how, int with_small) {
    const program_table *all[2] = {&c->real, &c->small};
    const size_t settings = c->real.settings, most = (c->real.count + c->small.count) * settings;
    float *x = (float *)counts_room(most * (c->real.csv.cols + 2), sizeof *x), *row = x;
    float *y = (float *)counts_room(most, sizeof *y), *weight = (float *)counts_room(most, sizeof *weight);
    uint32_t *group = (uint32_t *)counts_room(most, sizeof *group);
    double sum = 0.0;
    for (size_t but = 0; but < c->real.count; ++but) {
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        size_t n = 0, cols = 0;
        for (size_t k = 0; k < 1 + (size_t)with_small; ++k)
            for (size_t i = 0; i < all[k]->count; ++i)
                for (size_t s = 0; s < settings && (k || i != but); ++s) {
                    if (s == c->real.base) continue;
                    cols = look_at_setting(all[k], i, s, how, x + n * cols);
                    y[n] = (float)log(factor_at(all[k], i, s, what));
                    weight[n] = k ? 1 : TEN;
                    group[n++] = (uint32_t)(k * c->real.count + i);
                }
        sooth_table table = sooth_table_of(x, y, n, cols);
        table.group = group;
        if (with_small) table.weight = weight;
        if (sooth_train_recipe_read(&c->env, recipe_text, strlen(recipe_text), &recipe) != SOOTH_OK ||
            (sooth_train_fit(&c->env, &table, &recipe, &model) != SOOTH_OK && !model)) {
            fprintf(stderr, "scale: %s\n", c->env.sentence);
            exit(1);
        }
        void *scratch = counts_room(sooth_model_scratch_size(model, 1), 1);
        for (size_t s = 0; s < settings; ++s) {
            if (s == c->real.base) continue;
            look_at_setting(&c->real, but, s, how, row);
            const double told = (double)sooth_model_predict(model, row, scratch);
            sum += fabs(exp(told - log(factor_at(&c->real, but, s, what))) - 1.0);
        }
        free(scratch);
        sooth_model_free(&c->env, model);
    }
    free(group), free(weight), free(y), free(x);
    return 100.0 * sum / (double)(c->real.count * (settings - 1));
}

static void tell_kinds(counting *c) {
    static const struct kind {
        const char *name, *recipe;
        int is_fast;
    } kinds[] = {{"extra-trees", "extratrees min_samples_leaf=3", 1},
                 {"boosting", "boost", 1},
                 {"best", "best effort=low error=mae", 0}};
    printf("one model for all settings, by kind: error in %%\n\n  %-18s %-12s %-15s %8s %8s %8s %8s\n", "",
           "learned from", "", "clocks", "+ counts", "+ watts", "+ both");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        for (int with_small = 0; with_small <= kinds[k].is_fast; ++with_small)
            for (unsigned what = 0; what < 2; ++what) {
                printf("  %-18s %-12s %-15s", kinds[k].name, with_small ? "both" : "other real",
                       what ? "power" : "time");
                for (unsigned how = 0; how < WAYS; ++how) {
                    printf(" %8.1f", kind_error(c, kinds[k].recipe, what, (looks)how, with_small));
                    fflush(stdout);
                }
                printf("\n");
            }
}

int counts_report(const char *small_path, const char *real_path, int kinds) {
    static counting c;
    sooth_env_init(&c.env);
    if (!programs_read(&c.env, small_path, &c.small) || !programs_read(&c.env, real_path, &c.real)) return 1;
    if (c.small.settings != c.real.settings || c.small.csv.cols != c.real.csv.cols ||
        c.small.base != c.real.base) {
        fprintf(stderr, "scale: the two files have other clocks or columns\n");
        return 1;
    }
    const size_t rows = c.small.count + c.real.count;
    c.x = (float *)counts_room(rows * c.small.csv.cols, sizeof *c.x);
    c.y = (float *)counts_room(rows, sizeof *c.y);
    c.weight = (float *)counts_room(rows, sizeof *c.weight);
    if (!kinds)
        printf("%zu real programs at %zu settings of the clocks, from one run at %g and %g MHz and from %zu "
               "small\n"
               "programs: mean error in %%, factor of an interval for 9 of 10, and its coverage\n\n"
               "  %-24s %-18s %26s %26s\n  %-24s %-18s %8s %8s %8s %8s %8s %8s\n",
               c.real.count, c.real.settings, default_memory, default_core, c.small.count, "", "",
               "time      ", "power      ", "by", "learned from", "error", "factor", "holds", "error",
               "factor", "holds");
    for (int with_real = 0; with_real < 2 && !kinds; ++with_real)
        for (unsigned how = 0; how < WAYS; ++how) tell(&c, (looks)how, with_real);
    if (kinds) tell_kinds(&c);
    sooth_csv_free(&c.env, &c.small.csv);
    sooth_csv_free(&c.env, &c.real.csv);
    free(c.x);
    free(c.y);
    free(c.weight);
    return 0;
}
