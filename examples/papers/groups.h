/* groups.h - the number of clusters of fairness: silhouettes by their number, and drawings, after Figures 4
 * and 5 of Moolchandani et al. 2022.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Everything is static.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/picture.h"
#include "sooth/stats.h"
#include "sooth/preprocess.h"

enum { GROUP_ROWS = 400, GROUP_COLS = 3, GROUP_MOST = 8, GROUP_SETS = 8 };
static const double group_tight = 0.7, group_own = 0.5; /* as `sooth cluster` */

typedef struct group_set {
    const char *name;
    size_t rows, cols;
    float x[GROUP_ROWS * GROUP_COLS];
    char label[GROUP_ROWS][48];
    double score[GROUP_MOST + 1], weakest[GROUP_MOST + 1]; /* silhouettes by number of clusters; NaN: no
                                                              clusters */
    uint32_t three[GROUP_ROWS];                            /* the cluster of each row, of three */
} group_set;

/* Adds a row, unless a value of it is missing. */
static void group_add(group_set *s, const char *name, const char *label, const float *row, size_t cols) {
    s->name = name;
    s->cols = cols;
    for (size_t j = 0; j < cols; ++j)
        if (row[j] != row[j]) return;
    if (s->rows == GROUP_ROWS) return;
    memcpy(s->x + s->rows * cols, row, cols * sizeof *row);
    snprintf(s->label[s->rows++], sizeof s->label[0], "%.47s", label);
}

/* A combination: its fairness, and how slow it makes its tasks, the geometric mean of their slowdowns. */
static void group_add_bag(group_set *s, const char *name, const double *slowdown, uint32_t tasks) {
    double least = slowdown[0], most = slowdown[0], sum = 0.0;
    float row[2];
    for (uint32_t k = 0; k < tasks; ++k) {
        if (slowdown[k] < least) least = slowdown[k];
        if (slowdown[k] > most) most = slowdown[k];
        sum += log(slowdown[k]);
    }
    row[0] = (float)(least / most);
    row[1] = (float)exp(sum / tasks);
    group_add(s, name, "", row, 2);
}

/* Fills score, weakest and three. */
static void group_fit(sooth_env *env, group_set *s) {
    static float scaled[GROUP_ROWS * GROUP_COLS];
    static double each[GROUP_ROWS];
    static uint32_t label[GROUP_ROWS];
    double centre[GROUP_MOST * GROUP_COLS];
    sooth_scale_options minmax;
    sooth_scale *scale = NULL;
    const sooth_table rows = sooth_table_of(s->x, NULL, s->rows, s->cols);
    memset(&minmax, 0, sizeof minmax);
    minmax.transform = SOOTH_SCALE_MINMAX;
    for (uint32_t k = 0; k <= GROUP_MOST; ++k) s->score[k] = s->weakest[k] = (double)NAN;
    if (sooth_scale_fit(env, &rows, &minmax, &scale) != SOOTH_OK) return;
    sooth_scale_apply_many(scale, s->x, s->rows, s->cols, scaled);
    sooth_scale_free(env, scale);
    const sooth_table table = sooth_table_of(scaled, NULL, s->rows, s->cols);
    for (uint32_t k = 2; k <= GROUP_MOST; ++k) {
        sooth_cluster_options options;
        double sum[GROUP_MOST] = {0};
        size_t size[GROUP_MOST] = {0};
        memset(&options, 0, sizeof options);
        options.n_clusters = k;
        options.n_init = 200; /* ten starts may miss the best one: three clusters of the recording do */
        if (sooth_cluster_fit(env, &table, &options, centre, label, NULL) != SOOTH_OK ||
            sooth_cluster_silhouette(env, &table, label, k, each, &s->score[k]) != SOOTH_OK)
            continue;
        for (size_t i = 0; i < s->rows; ++i) {
            sum[label[i]] += each[i];
            ++size[label[i]];
        }
        for (uint32_t c = 0; c < k; ++c)
            if (!(s->weakest[k] < sum[c] / (double)size[c])) s->weakest[k] = sum[c] / (double)size[c];
        if (k == 3) memcpy(s->three, label, sizeof s->three);
    }
}

static int group_supported(const group_set *s, uint32_t k) {
    return s->score[k] > group_tight && s->weakest[k] > group_own;
}

/* A sentence: whether there are three clusters, and how many there are. */
static void group_tell(const group_set *s) {
    uint32_t best = 0, size[3] = {0, 0, 0};
    for (uint32_t k = 2; k <= GROUP_MOST; ++k) {
        const int more = group_supported(s, k) - (best && group_supported(s, best));
        if (!best || more > 0 || (more == 0 && s->score[k] > s->score[best])) best = k;
    }
    for (size_t i = 0; i < s->rows; ++i) ++size[s->three[i]];
    printf("  %s: three clusters, of %u, %u and %u rows, are %ssupported (%.2f, the weakest %.2f); ", s->name,
           (unsigned)size[0], (unsigned)size[1], (unsigned)size[2], group_supported(s, 3) ? "" : "not ",
           s->score[3], s->weakest[3]);
    if (group_supported(s, best)) printf("%u are, best of all (%.2f).\n", (unsigned)best, s->score[best]);
    else printf("no number is, not the best, %u (%.2f).\n", (unsigned)best, s->score[best]);
}

/* After Figure 4: cards by two of their columns, in the colours of three clusters. */
static void group_draw_rows(const group_set *s, const char *folder, const char *stem) {
    static const char *const clusters[3] = {"cluster 1", "cluster 2", "cluster 3"};
    static double x[GROUP_ROWS], y[GROUP_ROWS];
    static const char *label[GROUP_ROWS];
    char title[128], name[96];
    for (size_t i = 0; i < s->rows; ++i) {
        x[i] = (double)s->x[i * s->cols];
        y[i] = (double)s->x[i * s->cols + 2];
        label[i] = s->label[i];
    }
    snprintf(title, sizeof title, "Cards, %s: three clusters, silhouette %.2f (after Figure 4)", s->name,
             s->score[3]);
    snprintf(name, sizeof name, "%s_%s.svg", stem, s->name);
    picture_draw(folder, name, svg_scatter,
                 &(svg_points){.frame.title = title,
                               .x = x,
                               .y = y,
                               .count = s->rows,
                               .series = s->three,
                               .series_names = clusters,
                               .series_count = 3,
                               .labels = label,
                               .x_title = "fairness beside Low",
                               .y_title = "fairness beside High"});
}

/* Figure 5: silhouettes by the number of clusters, and the paper's bound for tight clusters. */
static void group_draw_scores(const group_set *s, size_t sets, const char *title, const char *folder,
                              const char *stem) {
    enum { COUNT = GROUP_MOST - 1 };
    double x[COUNT], y[(GROUP_SETS + 1) * COUNT];
    const char *names[GROUP_SETS + 1];
    char name[96];
    for (size_t k = 0; k < COUNT; ++k) {
        x[k] = (double)k + 2.0;
        for (size_t i = 0; i < sets; ++i) y[i * COUNT + k] = s[i].score[k + 2];
        y[sets * COUNT + k] = group_tight;
    }
    for (size_t i = 0; i < sets; ++i) names[i] = s[i].name;
    names[sets] = "tight";
    snprintf(name, sizeof name, "%s.svg", stem);
    picture_draw(folder, name, svg_lines,
                 &(svg_line_chart){.frame.title = title,
                                   .x = x,
                                   .y = y,
                                   .count = COUNT,
                                   .series = sets + 1,
                                   .series_names = names,
                                   .x_title = "clusters",
                                   .y_title = "mean silhouette (the paper: 0.75 for 3)"});
}

/* Clusters each set, prints and, with a folder, draws it. */
static void group_all(sooth_env *env, group_set *s, size_t sets, const char *title, const char *folder,
                      const char *stem) {
    printf("%s\n\n  %-10s  rows", title, "");
    for (uint32_t k = 2; k <= GROUP_MOST; ++k) printf("  %8u    ", (unsigned)k);
    printf("\n");
    for (size_t i = 0; i < sets; ++i) {
        group_fit(env, &s[i]);
        printf("  %-10s %5u", s[i].name, (unsigned)s[i].rows);
        for (uint32_t k = 2; k <= GROUP_MOST; ++k) printf("  %5.2f (%5.2f)", s[i].score[k], s[i].weakest[k]);
        printf("\n");
    }
    printf("\n");
    for (size_t i = 0; i < sets; ++i) group_tell(&s[i]);
    printf("\n");
    if (!folder) return;
    for (size_t i = 0; i < sets && s[i].cols == 3; ++i) group_draw_rows(&s[i], folder, stem);
    group_draw_scores(s, sets, title, folder, stem);
}

#endif
