/* bytes.c - counts what a fit over several MPI processes exchanges, and predicts the cost for 1,000 of them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/mpi/bytes out=build/mpi [most=100]    most: columns of the fits that are counted
 *
 * Boosts a few trees among 2 to 8 processes, with 1 to 1,000 columns, few bins and many, shallow trees and
 * deep ones. It counts reductions and bytes. Those of the bins come once. Those of a tree are the difference
 * between fits of six trees and of two, divided by four. Every count is compared with the formula of
 * README.md, and the program ends with 1 after a difference. Then the formulas predict the time of a tree's
 * messages among 1,000 processes. Writes bytes.csv and pictures to the folder `out`.
 *
 * The processes are threads (tests/harness/ranks.h). The counts are those of calls of env.reduce_fn, and MPI
 * would get the same. Latency is that of one message. A reduction takes 2 log2(ranks) of them and moves its
 * bytes twice (Rabenseifner 2004: halving and doubling). A reduce-scatter is half of that.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sooth.h"
#include "../../../tests/harness/ranks.h"
#include "../../common/picture.h"

typedef struct fit_shape {
    size_t ranks, cols, bins, depth;
} fit_shape;
typedef struct exchange {
    double reductions, bytes;
} exchange;

/* One process of a fit. */
typedef struct part {
    const fit_shape *shape;
    uint32_t trees;
    exchange sum;
    void *next; /* who reduces */
} part;

static int count_reduce(void *user, sooth_reduction what, int64_t *value, size_t count) {
    part *p = (part *)user;
    p->sum.reductions += 1.0;
    p->sum.bytes += 8.0 * (double)count;
    return ranks_reduce(p->next, what, value, count);
}

static void fit_part(sooth_env *env, void *arg) {
    part *p = (part *)arg;
    const fit_shape *s = p->shape;
    sooth_boost_options options = {.n_estimators = p->trees,
                                   .max_depth = (uint32_t)s->depth,
                                   .bins = (uint32_t)s->bins,
                                   .subsample = 1.0};
    sooth_boost *model = NULL;
    sooth_rng rng;
    enum { ROWS = 2048 };
    float *x = (float *)malloc((s->cols + 1) * ROWS * sizeof *x), *y = x + s->cols * ROWS;
    p->next = env->reduce_user;
    env->reduce_user = p;
    env->reduce_fn = count_reduce;
    sooth_rng_init(&rng, 1, env->rank);
    for (size_t i = 0; x && i < ROWS; ++i) { /* so noisy that every leaf down to the last level is split */
        for (size_t j = 0; j < s->cols; ++j) x[i * s->cols + j] = sooth_rng_float(&rng);
        y[i] = 4.0f * x[i * s->cols] + sooth_rng_float(&rng);
    }
    const sooth_table table = sooth_table_of(x, y, ROWS, s->cols);
    if (!x || sooth_boost_fit(env, &table, &options, &model) != SOOTH_OK) {
        fprintf(stderr, "%s\n", env->sentence);
        exit(1);
    }
    sooth_boost_free(env, model);
    free(x);
}

/* The exchange of each process in one fit of this many trees. */
static exchange fit(const fit_shape *s, uint32_t trees) {
    part p[RANKS_MOST];
    for (size_t r = 0; r < s->ranks; ++r) p[r] = (part){s, trees, {0, 0}, NULL};
    ranks_run(s->ranks, fit_part, p, sizeof *p, 0);
    return p[0].sum;
}

/* README.md's formulas: a tree whose every node down to the last level is split. */
static double splits(const fit_shape *s) { return ldexp(1.0, (int)s->depth) - 1.0; }
/* A cell for each bin and one for missing values, which share the last one if there are 256 bins. Here
   each column has the max number of bins. */
static double histogram(const fit_shape *s) {
    return 8.0 * (double)s->cols * fmin((double)s->bins + 1.0, 256.0);
}
/* One of the root and of the smaller child of every split, except those of the last level, whose children
   are leaves. */
static double histograms(const fit_shape *s) { return (splits(s) + 1.0) / 2.0; }
/* A reduction for the root and for each level above the last, more if its histograms are above 8 MB. */
static double reductions(const fit_shape *s) {
    const double together = fmax(1.0, floor(8.0 * 1048576.0 / histogram(s)));
    double count = 0.0;
    for (size_t level = 0; level < s->depth; ++level)
        count += ceil(ldexp(1.0, level ? (int)level - 1 : 0) / together);
    return count;
}

/* ---- 1,000 processes ---- */

typedef struct network {
    const char *name;
    double latency, byte; /* seconds */
} network;
static const network networks[] = {{"InfiniBand, 1 us, 100 Gbit/s", 1e-6, 8e-11},
                                   {"Ethernet, 50 us, 10 Gbit/s", 5e-5, 8e-10}};
enum { NETWORKS = 2, WAYS = 5 };
static const char *const ways[WAYS] = {"one reduction a histogram (before)", "one a level (now)",
                                       "reduce-scatter a level", "16 bits, one a level",
                                       "voting, 2 x 20 columns"};

/* Seconds of a tree's messages in one of these ways. */
static double seconds(size_t way, const fit_shape *s, const network *net) {
    const double hops = log2((double)s->ranks), levels = (double)s->depth, d = (double)s->cols;
    const double bytes = histograms(s) * histogram(s), small = 2.0 * hops * net->latency;
    switch (way) {
    case 0: return 3.0 * small + histograms(s) * 2.0 * hops * net->latency + 2.0 * bytes * net->byte;
    case 1: return small + reductions(s) * 2.0 * hops * net->latency + 2.0 * bytes * net->byte;
    /* each gets the sums of its columns, finds the best split there, and they agree on the best */
    case 2: return small + levels * 3.0 * hops * net->latency + bytes * net->byte;
    case 3: return small + levels * 2.0 * hops * net->latency + 2.0 * bytes / 4.0 * net->byte;
    default: /* 20 votes of 4 bytes from every process for every node, then 40 columns of each */
        return small + levels * 3.0 * hops * net->latency +
               (2.0 * bytes * fmin(1.0, 40.0 / d) + splits(s) * 80.0 * (double)s->ranks) * net->byte;
    }
}

static void plan(const char *folder) {
    double x[WAYS * 32], y[WAYS * 32];
    uint32_t series[WAYS * 32];
    for (size_t k = 0; k < NETWORKS; ++k) {
        size_t count = 0;
        printf("\nmilliseconds a tree of 64 leaves takes among 1,000 processes, 256 bins; %s\n%8s",
               networks[k].name, "columns");
        for (size_t w = 0; w < WAYS; ++w) printf("  %s", ways[w]);
        for (double d = 1.0; d < 1.1e4; d *= 10.0) {
            printf("\n%8.0f", d);
            for (size_t w = 0; w < WAYS; ++w) {
                const fit_shape s = {1000, (size_t)d, 256, 6};
                printf("  %*.3g", (int)strlen(ways[w]), 1e3 * seconds(w, &s, &networks[k]));
            }
        }
        printf("\n");
        for (size_t w = 2; w < WAYS; ++w) { /* from how many columns on it is quicker than one a level */
            fit_shape s = {1000, 1, 256, 6};
            while (s.cols < 100000 && seconds(w, &s, &networks[k]) >= seconds(1, &s, &networks[k])) ++s.cols;
            printf("%s: pays from %zu columns on\n", ways[w], s.cols);
        }
        for (double d = 1.0; d < 1.1e4; d *= 3.16227766)
            for (size_t w = 0; w < WAYS; ++w, ++count) {
                const fit_shape s = {1000, (size_t)(d + 0.5), 256, 6};
                x[count] = (double)s.cols;
                y[count] = 1e3 * seconds(w, &s, &networks[k]);
                series[count] = (uint32_t)w;
            }
        picture_draw(folder, k ? "plan_ethernet.svg" : "plan_infiniband.svg", svg_scatter,
                     &(svg_points){.frame.title = networks[k].name,
                                   .x = x,
                                   .y = y,
                                   .count = count,
                                   .series = series,
                                   .series_names = ways,
                                   .series_count = WAYS,
                                   .x_title = "columns",
                                   .y_title = "ms of messages a tree, 1,000 processes",
                                   .logarithmic = 1});
    }
}

/* ---- counting ---- */

enum { SHAPES = 24, SETS = 3 };
static const char *const sets[SETS] = {"2 processes, 256 bins", "2 processes, 16 bins",
                                       "10 columns, 256 bins"};

int main(int count, char **argument) {
    static const fit_shape shape[SHAPES] = {
        {2, 1, 256, 6},   {2, 3, 256, 6},    {2, 10, 256, 6},  {2, 30, 256, 6}, {2, 100, 256, 6},
        {2, 300, 256, 6}, {2, 1000, 256, 6}, {2, 10, 16, 6},   {2, 100, 16, 6}, {2, 1000, 16, 6},
        {2, 10, 64, 6},   {2, 10, 256, 1},   {2, 10, 256, 2},  {2, 10, 256, 3}, {2, 10, 256, 4},
        {2, 10, 256, 5},  {3, 10, 256, 6},   {4, 10, 256, 6},  {5, 10, 256, 6}, {6, 10, 256, 6},
        {7, 10, 256, 6},  {8, 10, 256, 6},   {8, 100, 256, 6}, {8, 10, 16, 3}};
    double cols[SHAPES], bytes[SHAPES], ranks[SHAPES], each[SHAPES];
    uint32_t series[SHAPES];
    size_t by_cols = 0, by_ranks = 0, wrong = 0;
    const char *folder = "build/mpi";
    double most = 1000.0;
    char path[1024];
    for (int k = 1; k < count; ++k)
        if (!strncmp(argument[k], "out=", 4)) folder = argument[k] + 4;
        else if (!strncmp(argument[k], "most=", 5)) most = atof(argument[k] + 5);
    snprintf(path, sizeof path, "%s/bytes.csv", folder);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "%s cannot be written\n", path);
        return 1;
    }
    fprintf(file, "ranks,columns,bins,depth,reductions,bytes,reductions_a_tree,bytes_a_tree\n");
    for (size_t k = 0; k < SHAPES; ++k) {
        const fit_shape *s = &shape[k];
        if ((double)s->cols > most) continue;
        const exchange two = fit(s, 2), six = fit(s, 6);
        const exchange tree = {(six.reductions - two.reductions) / 4.0, (six.bytes - two.bytes) / 4.0};
        const exchange once = {two.reductions - 2.0 * tree.reductions, two.bytes - 2.0 * tree.bytes};
        const int same =
            tree.reductions == reductions(s) + 1.0 && tree.bytes == histograms(s) * histogram(s) + 24.0;
        wrong += !same;
        printf("%s%zu processes, %4zu columns, %3zu bins, depth %zu: once %5.0f reductions, %.4g bytes; a "
               "tree %.4g, "
               "%.6g\n",
               same ? "" : "FAILED  ", s->ranks, s->cols, s->bins, s->depth, once.reductions, once.bytes,
               tree.reductions, tree.bytes);
        fflush(stdout);
        fprintf(file, "%zu,%zu,%zu,%zu,%.0f,%.0f,%.2f,%.0f\n", s->ranks, s->cols, s->bins, s->depth,
                once.reductions, once.bytes, tree.reductions, tree.bytes);
        if (s->depth == 6 && s->ranks == 2 && s->bins != 64) {
            cols[by_cols] = (double)s->cols;
            series[by_cols] = s->bins == 16;
            bytes[by_cols++] = tree.bytes;
        }
        if (s->depth == 6 && s->cols == 10 && s->bins == 256) {
            ranks[by_ranks] = (double)s->ranks;
            each[by_ranks++] = tree.bytes;
        }
    }
    picture_draw(folder, "bytes_columns.svg", svg_scatter,
                 &(svg_points){.frame.title = "Bytes that each process sends for a tree of 64 leaves",
                               .x = cols,
                               .y = bytes,
                               .count = by_cols,
                               .series = series,
                               .series_names = sets,
                               .series_count = 2,
                               .x_title = "columns",
                               .y_title = "bytes a tree",
                               .logarithmic = 1});
    picture_draw(folder, "bytes_ranks.svg", svg_scatter,
                 &(svg_points){.frame.title = "Bytes of a tree against processes",
                               .x = ranks,
                               .y = each,
                               .count = by_ranks,
                               .series_names = sets + 2,
                               .series_count = 1,
                               .x_title = "processes",
                               .y_title = "bytes a tree",
                               .logarithmic = 1});
    plan(folder);
    return fclose(file) != 0 || wrong > 0;
}
