/* lesson.h - what the lessons share: measurements from a file, pictures, and an exit with a message after an
 * error.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef LESSON_H
#define LESSON_H

#include "../common/picture.h"
#include "sooth/csv.h"
#include "sooth/validation.h"

#include <math.h>
#include <stdlib.h>

/* The lessons run in build/teach, and their pictures stay there. */
#ifndef EXAMPLES
#define EXAMPLES "../../examples/"
#endif

/* Returns if status is SOOTH_OK. Otherwise prints the error and ends the program. */
static inline void need(const sooth_env *env, sooth_status status) {
    if (status == SOOTH_OK) return;
    fprintf(stderr, "%s\n", env->sentence);
    exit(1);
}

/* Allocates memory that is never NULL. A lesson ends before it matters who frees it. */
static inline void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* Measurements: the rows of a file with numbers in the columns `feature` (NULL: all others) and `target`.
   One group is one program, called name[group]. */
typedef struct measurements {
    sooth_table table;
    const char **name;
    size_t programs;
} measurements;

static inline measurements measured(const char *path, const char *const *feature, size_t features,
                                    const char *target, const char *group) {
    static sooth_env env;
    sooth_csv *csv = (sooth_csv *)room(1, sizeof *csv);
    sooth_csv_data *data = (sooth_csv_data *)room(1, sizeof *data);
    sooth_csv_table_options choice;
    measurements m;
    FILE *file = fopen(path, "rb");
    size_t size = 0, capacity = 1 << 20;
    char *bytes = (char *)room(capacity, 1);
    sooth_env_init(&env);
    if (!file) {
        perror(path);
        exit(1);
    }
    size = fread(bytes, 1, capacity, file);
    fclose(file);
    memset(&choice, 0, sizeof choice);
    choice.features = feature;
    choice.feature_count = features;
    choice.target = target;
    choice.group = group;
    need(&env, sooth_csv_read(&env, bytes, size, NULL, csv));
    need(&env, sooth_csv_table(&env, csv, &choice, data));
    m.table = data->table;
    m.name = data->group_name;
    m.programs = data->groups;
    return m;
}

/* Copies the rows of the program with this name (yes = 1), or those of all others (yes = 0). */
static inline sooth_table rows_of(const measurements *m, const char *name, int yes) {
    static sooth_env env;
    uint32_t *row = (uint32_t *)room(m->table.rows, sizeof *row);
    size_t count = 0;
    sooth_table rows;
    sooth_env_init(&env);
    for (uint32_t i = 0; i < m->table.rows; ++i)
        if ((strcmp(m->name[m->table.group[i]], name) == 0) == yes) row[count++] = i;
    need(&env, sooth_table_take(&env, &m->table, row, count, &rows));
    free(row);
    return rows;
}

/* Fits the rows of train, and predicts those of test. */
typedef void predictor(const sooth_table *train, const sooth_table *test, float *out);

/* Predicts every row once, by a model that was not fitted to it. SOOTH_SPLIT_KFOLD deals rows to ten parts
   by chance. SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT leaves out one program at a time. */
static inline void predict_held_out(const sooth_table *t, uint32_t method, predictor *predict, float *out) {
    static sooth_env env;
    const sooth_split_options options = {.method = method, .folds = 10};
    float *part = (float *)room(t->rows, sizeof *part);
    sooth_split split;
    sooth_env_init(&env);
    need(&env, sooth_split_make(&env, t, &options, &split));
    for (size_t f = 0; f < split.folds; ++f) {
        const sooth_split_fold *fold = &split.fold[f];
        sooth_table train, test;
        need(&env, sooth_split_take(&env, t, fold, &train, &test));
        predict(&train, &test, part);
        for (size_t i = 0; i < fold->tests; ++i) out[fold->test[i]] = part[i];
        sooth_table_free(&env, &test);
        sooth_table_free(&env, &train);
    }
    sooth_split_free(&env, &split);
    free(part);
}

/* How wrong predictions are. off_by is the mean of |p / y - 1| in percent. R2 is the share of the variance
   of y that they explain. 1 is all. 0 is no better than the mean of y, which is not available beforehand.
   Below 0 is worse. */
static inline double off_by(const float *y, const float *p, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += fabs((double)p[i] / (double)y[i] - 1.0);
    return 100.0 * sum / (double)n;
}

static inline double r2(const float *y, const float *p, size_t n) {
    double mean = 0.0, rest = 0.0, all = 0.0;
    for (size_t i = 0; i < n; ++i) mean += (double)y[i] / (double)n;
    for (size_t i = 0; i < n; ++i) {
        rest += ((double)y[i] - (double)p[i]) * ((double)y[i] - (double)p[i]);
        all += ((double)y[i] - mean) * ((double)y[i] - mean);
    }
    return 1.0 - rest / all;
}

/* Draws some curves over one axis: y[series * count + i] belongs to x[i]. */
static inline void draw_lines(const char *path, const char *title, const char *x_title, const char *y_title,
                              const double *x, const double *y, size_t count, const char *const *names,
                              size_t series) {
    svg_line_chart chart;
    memset(&chart, 0, sizeof chart);
    chart.frame.title = title;
    chart.x_title = x_title;
    chart.y_title = y_title;
    chart.x = x;
    chart.y = y;
    chart.count = count;
    chart.series = series;
    chart.series_names = names;
    picture_draw(".", path, svg_lines, &chart);
}

/* Draws points, predicted over measured, in colours by series (NULL: one colour). */
static inline void draw_points(const char *path, const char *title, const char *unit, const double *x,
                               const double *y, size_t count, const uint32_t *series,
                               const char *const *names, size_t series_count) {
    char axis[2][64];
    svg_points points;
    memset(&points, 0, sizeof points);
    snprintf(axis[0], sizeof axis[0], "measured, %s", unit);
    snprintf(axis[1], sizeof axis[1], "predicted, %s", unit);
    points.frame.title = title;
    points.x = x;
    points.y = y;
    points.count = count;
    points.series = series;
    points.series_names = names;
    points.series_count = series_count;
    points.x_title = axis[0];
    points.y_title = axis[1];
    points.diagonal = 1;
    picture_draw(".", path, svg_scatter, &points);
}

#endif
