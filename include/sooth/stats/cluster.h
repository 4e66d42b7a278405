/* stats/cluster.h - clusters of similar rows: k-means, their silhouette, and thresholds.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The method is in stats.h. All sums are in the order of the rows, so the bits do not depend on the threads
 * of the env.
 */
#if !defined(SOOTH_STATS_CLUSTER_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_CLUSTER_IMPLEMENTED))
#include "../base.h"
#include "../base/reduce.h"
#endif

#if !defined(SOOTH_STATS_CLUSTER_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_STATS_CLUSTER_H
SOOTHI_C_BEGIN

typedef struct sooth_cluster_options {
    uint32_t n_clusters; /* k; 0 means 3 */
    uint32_t n_init;     /* number of starts; the best is used; 0 means 10 */
    uint32_t max_iter;   /* per start; 0 means 300 */
    uint32_t seed;
} sooth_cluster_options;

/* Clusters the rows of table->x. Stores n_clusters x cols numbers in centre, the cluster of each row in label
   (or NULL), and the inertia (or NULL). options NULL means defaults. A start that has not converged after
   max_iter counts with its current state. Returns SOOTH_BAD_DATA if there are fewer distinct rows than
   clusters. With env->reduce_fn the rows of all processes are used; label has those of this process. */
SOOTH_API sooth_status sooth_cluster_fit(sooth_env *env, const sooth_table *table,
                                         const sooth_cluster_options *options, double *centre,
                                         uint32_t *label, double *inertia);

/* Computes the thresholds between clusters of one column: threshold[i] is the middle of centre[i] and
   centre[i + 1], i below clusters - 1. */
SOOTH_API void sooth_cluster_thresholds(const double *centre, size_t clusters, double *threshold);

/* Computes the silhouette of each row (or NULL) and its mean (or NULL), for any labels below `clusters`. A
   row alone in its cluster has 0. Equals scikit-learn's silhouette_samples and silhouette_score. */
SOOTH_API sooth_status sooth_cluster_silhouette(sooth_env *env, const sooth_table *table,
                                                const uint32_t *label, size_t clusters, double *each,
                                                double *mean);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_cluster_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_STATS_CLUSTER_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_CLUSTER_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_STATS_CLUSTER_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_option_list sooth_cluster_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_cluster_options, n_clusters, 1, 65536, 3, "number of clusters"),
        SOOTHI_COUNT(sooth_cluster_options, n_init, 1, 1000000, 10, "number of starts; the best is used"),
        SOOTHI_COUNT(sooth_cluster_options, max_iter, 1, 1000000, 300,
                     "maximum number of iterations per start"),
        SOOTHI_COUNT(sooth_cluster_options, seed, 0, 4294967295.0, 0, "seed of the starts")};
    return SOOTHI_OPTIONS(option);
}

/* ---- distances ---- */

SOOTHI_LOCAL double soothi_cluster_to_centre(const float *row, const double *centre, size_t cols) {
    double sum = 0.0;
    for (size_t j = 0; j < cols; ++j) {
        double t = (double)row[j] - centre[j];
        sum += t * t;
    }
    return sum;
}

SOOTHI_LOCAL double soothi_cluster_to_row(const float *a, const float *b, size_t cols) {
    double sum = 0.0;
    for (size_t j = 0; j < cols; ++j) {
        double t = (double)a[j] - (double)b[j];
        sum += t * t;
    }
    return sum;
}

SOOTHI_LOCAL uint32_t soothi_cluster_nearest(const double *centre, size_t clusters, size_t cols,
                                             const float *row, double *distance) {
    uint32_t best = 0;
    *distance = soothi_cluster_to_centre(row, centre, cols);
    for (size_t k = 1; k < clusters; ++k) {
        double t = soothi_cluster_to_centre(row, centre + k * cols, cols);
        if (t < *distance) {
            *distance = t;
            best = (uint32_t)k;
        }
    }
    return best;
}

SOOTH_API void sooth_cluster_thresholds(const double *centre, size_t clusters, double *threshold) {
    for (size_t k = 0; k + 1 < clusters; ++k) threshold[k] = centre[k] + 0.5 * (centre[k + 1] - centre[k]);
}

/* ---- a run of k-means ---- */

/* Input, current run and scratch. */
typedef struct soothi_cluster_run {
    const float *x;
    size_t rows, cols, stride, clusters;
    double *centre;   /* clusters x cols */
    double *distance; /* of each row to its centre, squared */
    uint32_t *label;  /* of each row */
    uint32_t *size;   /* of each cluster */
} soothi_cluster_run;

SOOTHI_LOCAL const float *soothi_cluster_row(const soothi_cluster_run *run, size_t i) {
    return run->x + i * run->stride;
}

/* Puts centre k on a row. Returns the sum of the squared distances of all rows to the nearest of the centres
   0 .. k, and stores these distances if `keep`. */
SOOTHI_LOCAL double soothi_cluster_put(soothi_cluster_run *run, size_t k, size_t row, int keep) {
    const float *x = soothi_cluster_row(run, row);
    double *centre = run->centre + k * run->cols, sum = 0.0;
    for (size_t j = 0; j < run->cols; ++j) centre[j] = (double)x[j];
    for (size_t i = 0; i < run->rows; ++i) {
        double d = soothi_cluster_to_centre(soothi_cluster_row(run, i), centre, run->cols);
        if (k > 0 && run->distance[i] <= d) d = run->distance[i];
        if (keep) run->distance[i] = d;
        sum += d;
    }
    return sum;
}

/* Returns the row farthest from its nearest centre. */
SOOTHI_LOCAL size_t soothi_cluster_farthest(const soothi_cluster_run *run) {
    size_t farthest = 0;
    for (size_t i = 1; i < run->rows; ++i)
        if (run->distance[i] > run->distance[farthest]) farthest = i;
    return farthest;
}

/* Returns the number of distinct rows, at most the number of clusters. Repeatedly takes the row farthest from
   all taken rows, until the distance is 0. Distances of different floats are never 0. */
SOOTHI_LOCAL size_t soothi_cluster_different(soothi_cluster_run *run) {
    size_t count, taken = 0;
    for (count = 1; count < run->clusters; ++count) {
        soothi_cluster_put(run, count - 1, taken, 1);
        taken = soothi_cluster_farthest(run);
        if (!(run->distance[taken] > 0.0)) break;
    }
    return count;
}

/* Draws a row with a probability proportional to its squared distance. */
SOOTHI_LOCAL size_t soothi_cluster_draw(const soothi_cluster_run *run, double total, sooth_rng *rng) {
    double mark = sooth_rng_double(rng) * total, sum = 0.0;
    size_t last = 0;
    for (size_t i = 0; i < run->rows; ++i) {
        if (!(run->distance[i] > 0.0)) continue;
        last = i;
        sum += run->distance[i];
        if (sum > mark) break;
    }
    return last;
}

/* k-means++: the first centre is a random row. Each further one is the best of 2 + log k random rows, by
   inertia. */
SOOTHI_LOCAL void soothi_cluster_seed(soothi_cluster_run *run, sooth_rng *rng) {
    size_t trials = 2 + (size_t)soothi_log((double)run->clusters);
    size_t row = sooth_rng_below(rng, (uint32_t)run->rows);
    double total = soothi_cluster_put(run, 0, row, 1);
    for (size_t k = 1; k < run->clusters; ++k) {
        double least = -1.0;
        for (size_t t = 0; t < trials; ++t) {
            size_t drawn = soothi_cluster_draw(run, total, rng);
            double sum = soothi_cluster_put(run, k, drawn, 0);
            if (least < 0.0 || sum < least) {
                least = sum;
                row = drawn;
            }
        }
        total = soothi_cluster_put(run, k, row, 1);
    }
}

/* Assigns every row to its nearest centre. Returns the number of rows that changed. */
SOOTHI_LOCAL size_t soothi_cluster_assign(soothi_cluster_run *run) {
    size_t changed = 0;
    for (size_t i = 0; i < run->rows; ++i) {
        uint32_t k = soothi_cluster_nearest(run->centre, run->clusters, run->cols, soothi_cluster_row(run, i),
                                            &run->distance[i]);
        changed += k != run->label[i];
        run->label[i] = k;
    }
    return changed;
}

/* Assigns the row farthest from its centre to each empty cluster. There are at least as many distinct rows as
   clusters, so while one is empty, another has a row off its centre. */
SOOTHI_LOCAL void soothi_cluster_fill(soothi_cluster_run *run) {
    memset(run->size, 0, run->clusters * sizeof *run->size);
    for (size_t i = 0; i < run->rows; ++i) ++run->size[run->label[i]];
    for (size_t k = 0; k < run->clusters; ++k) {
        if (run->size[k]) continue;
        size_t farthest = soothi_cluster_farthest(run);
        --run->size[run->label[farthest]];
        ++run->size[k];
        run->label[farthest] = (uint32_t)k;
        run->distance[farthest] = 0.0;
    }
}

SOOTHI_LOCAL void soothi_cluster_means(soothi_cluster_run *run) {
    memset(run->centre, 0, run->clusters * run->cols * sizeof *run->centre);
    for (size_t i = 0; i < run->rows; ++i) {
        const float *x = soothi_cluster_row(run, i);
        double *c = run->centre + run->label[i] * run->cols;
        for (size_t j = 0; j < run->cols; ++j) c[j] += (double)x[j];
    }
    for (size_t k = 0; k < run->clusters; ++k)
        for (size_t j = 0; j < run->cols; ++j) run->centre[k * run->cols + j] /= (double)run->size[k];
}

/* Lloyd's iteration: assigns rows to their nearest centres and moves centres to the means of their rows,
   until no row changes. Returns the inertia. */
SOOTHI_LOCAL double soothi_cluster_lloyd(soothi_cluster_run *run, uint32_t max_iter) {
    memset(run->label, 0xFF, run->rows * sizeof *run->label);
    for (uint32_t t = 0; t < max_iter && soothi_cluster_assign(run); ++t) {
        soothi_cluster_fill(run);
        soothi_cluster_means(run);
    }
    for (size_t i = 0; i < run->rows; ++i)
        run->distance[i] = soothi_cluster_to_centre(soothi_cluster_row(run, i),
                                                    run->centre + run->label[i] * run->cols, run->cols);
    return soothi_sum(run->distance, run->rows);
}

/* Returns true if centre a sorts before centre b; ties are in the order of their indices. */
SOOTHI_LOCAL int soothi_cluster_before(const double *a, const double *b, size_t cols) {
    for (size_t j = 0; j < cols; ++j)
        if (a[j] < b[j] || a[j] > b[j]) return a[j] < b[j];
    return a < b;
}

/* Writes the centres in ascending order, and the labels if wanted. The rank of a centre is the number of
   centres before it. */
SOOTHI_LOCAL void soothi_cluster_write(soothi_cluster_run *run, double *centre, uint32_t *label) {
    size_t d = run->cols;
    for (size_t k = 0; k < run->clusters; ++k) {
        uint32_t place = 0;
        for (size_t i = 0; i < run->clusters; ++i)
            place += (uint32_t)soothi_cluster_before(run->centre + i * d, run->centre + k * d, d);
        run->size[k] = place;
        memcpy(centre + place * d, run->centre + k * d, d * sizeof *centre);
    }
    for (size_t i = 0; label && i < run->rows; ++i) label[i] = run->size[run->label[i]];
}

/* ---- one column: the optimum ---- */

SOOTHI_LOCAL double soothi_cluster_value(uint64_t entry) {
    return (double)soothi_key_value(soothi_entry_key(entry));
}

/* A number of 106 bits, high + low. Sums of squares far from 0 must be subtracted without loss. The exact
   sums and products are Knuth's and Dekker's (Numerische Mathematik 18, 1971). */
typedef struct soothi_cluster_wide {
    double high, low;
} soothi_cluster_wide;

SOOTHI_LOCAL soothi_cluster_wide soothi_cluster_sum(soothi_cluster_wide a, double high, double low) {
    soothi_cluster_wide r;
    double s = soothi_rounded(a.high + high), t = soothi_rounded(s - a.high);
    double rest = (a.high - soothi_rounded(s - t)) + (high - t) + (a.low + low);
    r.high = soothi_rounded(s + rest);
    r.low = rest - soothi_rounded(r.high - s);
    return r;
}

/* a - b c */
SOOTHI_LOCAL soothi_cluster_wide soothi_cluster_subtract_product(soothi_cluster_wide a, soothi_cluster_wide b,
                                                                 double c) {
    const double split = 134217729.0; /* 2^27 + 1 */
    double product = soothi_rounded(b.high * c);
    double t = soothi_rounded(split * b.high), bh = t - soothi_rounded(t - b.high), bl = b.high - bh;
    double u = soothi_rounded(split * c), ch = u - soothi_rounded(u - c), cl = c - ch;
    double rest = ((bh * ch - product) + bh * cl + bl * ch) + bl * cl + b.low * c;
    return soothi_cluster_sum(a, -product, -rest);
}

/* The sorted column and the state of the recurrence. */
typedef struct soothi_cluster_line {
    size_t rows;
    uint64_t *key;               /* entries of the column, ascending */
    soothi_cluster_wide *first;  /* sums of the first i values, */
    soothi_cluster_wide *second; /* and of their squares, i = 0 .. rows */
    double *cost, *before;       /* min inertia of the first i values, in k and in k - 1 clusters */
    uint32_t *start;             /* [k (rows + 1) + i]: first value of the last of k + 1 clusters */
} soothi_cluster_line;

/* Inertia of the values from..end: S2 - S1^2 / n = (S2 - m S1) - m (S1 - n m), for m near S1 / n. */
SOOTHI_LOCAL double soothi_cluster_segment(const soothi_cluster_line *line, size_t from, size_t end) {
    soothi_cluster_wide s1 =
        soothi_cluster_sum(line->first[end], -line->first[from].high, -line->first[from].low);
    soothi_cluster_wide s2 =
        soothi_cluster_sum(line->second[end], -line->second[from].high, -line->second[from].low);
    soothi_cluster_wide n = {(double)(end - from), 0.0};
    double m = s1.high / n.high;
    double inertia = soothi_cluster_subtract_product(soothi_cluster_subtract_product(s2, s1, m),
                                                     soothi_cluster_subtract_product(s1, n, m), m)
                         .high;
    return inertia > 0.0 ? inertia : 0.0;
}

/* Adds a cluster: cost[i] = min over j of before[j] + segment(j, i). The best j increases with i, so it is
   bounded by those of neighbouring i. Computes the i in the middle first, then the middles of the halves, and
   so on (Groenlund et al., Fast Exact k-Means, k-Medians and Bregman Divergence Clustering in 1D, 2017). */
SOOTHI_LOCAL void soothi_cluster_layer(soothi_cluster_line *line, size_t k) {
    uint32_t *start = line->start + k * (line->rows + 1);
    size_t step = 1;
    while (step <= line->rows / 2) step *= 2;
    for (; step > 0; step /= 2)
        for (size_t i = step; i <= line->rows; i += 2 * step) {
            size_t least = i > step ? start[i - step] : k,
                   most = i + step <= line->rows ? start[i + step] : i;
            if (i <= k) { /* fewer values than clusters */
                start[i] = (uint32_t)k;
                continue;
            }
            if (most >= i) most = i - 1;
            for (size_t j = least; j <= most; ++j) {
                double cost = line->before[j] + soothi_cluster_segment(line, j, i);
                if (j > least && !(cost < line->cost[i])) continue;
                line->cost[i] = cost;
                start[i] = (uint32_t)j;
            }
        }
}

/* Sorts the column and computes its sums; returns the number of distinct values. */
SOOTHI_LOCAL size_t soothi_cluster_line_sort(soothi_cluster_line *line, const sooth_table *table) {
    size_t different = 0;
    for (size_t i = 0; i < line->rows; ++i) line->key[i] = soothi_entry(table->x[i * table->stride], i);
    soothi_entry_sort(line->key, (uint64_t *)(void *)line->cost, line->rows); /* cost is still unused */
    memset(line->first, 0, sizeof *line->first);
    memset(line->second, 0, sizeof *line->second);
    for (size_t i = 0; i < line->rows; ++i) {
        double x = soothi_cluster_value(line->key[i]); /* a float: its square is exact */
        line->first[i + 1] = soothi_cluster_sum(line->first[i], x, 0.0);
        line->second[i + 1] = soothi_cluster_sum(line->second[i], x * x, 0.0);
        different += i == 0 || line->key[i] >> 32 != line->key[i - 1] >> 32;
    }
    return different;
}

/* Writes centres and labels, from the last cluster to the first; returns the inertia. */
SOOTHI_LOCAL double soothi_cluster_line_write(const soothi_cluster_line *line, size_t clusters,
                                              double *centre, uint32_t *label) {
    size_t from, end = line->rows;
    double inertia = 0.0;
    for (size_t k = clusters; k-- > 0; end = from) {
        double sum = 0.0;
        from = k ? line->start[k * (line->rows + 1) + end] : 0;
        double origin = soothi_cluster_value(line->key[from]);
        for (size_t i = from; i < end; ++i) sum += soothi_cluster_value(line->key[i]) - origin;
        centre[k] = origin + sum / (double)(end - from);
        for (size_t i = from; i < end; ++i) {
            double t = soothi_cluster_value(line->key[i]) - centre[k];
            inertia += t * t;
            if (label) label[(uint32_t)line->key[i]] = (uint32_t)k;
        }
    }
    return inertia;
}

/* ---- fitting ---- */

SOOTHI_LOCAL sooth_status soothi_cluster_too_many(sooth_env *env, size_t clusters, size_t different) {
    return sooth_fail(env, SOOTH_BAD_DATA, "n_clusters is %z, but the table has only %z distinct row%s",
                      clusters, different, different == 1 ? "" : "s");
}

SOOTHI_LOCAL void soothi_cluster_carve_line(soothi_carver *c, soothi_cluster_line *line, size_t clusters) {
    const size_t n = line->rows + 1;
    line->first = (soothi_cluster_wide *)soothi_carve(c, n, sizeof *line->first);
    line->second = (soothi_cluster_wide *)soothi_carve(c, n, sizeof *line->second);
    line->cost = (double *)soothi_carve(c, n, sizeof *line->cost);
    line->before = (double *)soothi_carve(c, n, sizeof *line->before);
    line->key = (uint64_t *)soothi_carve(c, n, sizeof *line->key);
    line->start = (uint32_t *)soothi_carve(c, soothi_product(n, clusters), sizeof *line->start);
}

SOOTHI_LOCAL sooth_status soothi_cluster_fit_line(sooth_env *env, const sooth_table *table, size_t clusters,
                                                  double *centre, uint32_t *label, double *inertia) {
    soothi_carver c = {NULL, 0};
    soothi_cluster_line line;
    line.rows = table->rows;
    soothi_cluster_carve_line(&c, &line, clusters);
    size_t bytes = c.used;
    c.used = 0;
    c.memory = (unsigned char *)sooth_alloc(env, bytes, 1);
    if (!c.memory) return sooth_no_memory(env, "the clusters of a column", bytes);
    soothi_cluster_carve_line(&c, &line, clusters);
    size_t different = soothi_cluster_line_sort(&line, table);
    if (different >= clusters) {
        line.cost[0] = 0.0;
        for (size_t i = 1; i <= line.rows; ++i) line.cost[i] = soothi_cluster_segment(&line, 0, i);
        for (size_t k = 1; k < clusters; ++k) {
            double *other = line.before;
            line.before = line.cost;
            line.cost = other;
            soothi_cluster_layer(&line, k);
        }
        *inertia = soothi_cluster_line_write(&line, clusters, centre, label);
    }
    sooth_free(env, c.memory, bytes, 1);
    return different >= clusters ? SOOTH_OK : soothi_cluster_too_many(env, clusters, different);
}

SOOTHI_LOCAL void soothi_cluster_carve_run(soothi_carver *c, soothi_cluster_run *run) {
    run->distance = (double *)soothi_carve(c, run->rows, sizeof *run->distance);
    run->centre = (double *)soothi_carve(c, soothi_product(run->clusters, run->cols), sizeof *run->centre);
    run->label = (uint32_t *)soothi_carve(c, run->rows, sizeof *run->label);
    run->size = (uint32_t *)soothi_carve(c, run->clusters, sizeof *run->size);
}

/* Fits a checked table with complete options; of several columns it keeps the best start. */
SOOTHI_LOCAL sooth_status soothi_cluster_fit(sooth_env *env, const sooth_table *table,
                                             const sooth_cluster_options *o, double *centre, uint32_t *label,
                                             double *inertia) {
    soothi_carver c = {NULL, 0};
    if (table->cols == 1) return soothi_cluster_fit_line(env, table, o->n_clusters, centre, label, inertia);
    soothi_cluster_run run = {table->x, table->rows, table->cols, table->stride, o->n_clusters,
                              NULL,     NULL,        NULL,        NULL};
    soothi_cluster_carve_run(&c, &run);
    size_t bytes = c.used;
    c.used = 0;
    c.memory = (unsigned char *)sooth_alloc(env, bytes, 1);
    if (!c.memory) return sooth_no_memory(env, "clusters", bytes);
    soothi_cluster_carve_run(&c, &run);
    const size_t different = soothi_cluster_different(&run);
    sooth_status status =
        different < run.clusters ? soothi_cluster_too_many(env, run.clusters, different) : SOOTH_OK;
    for (uint32_t t = 0; t < o->n_init && status == SOOTH_OK; ++t) {
        sooth_rng rng;
        sooth_rng_init(&rng, o->seed, t);
        soothi_cluster_seed(&run, &rng);
        double found = soothi_cluster_lloyd(&run, o->max_iter);
        if (t == 0 || found < *inertia) {
            *inertia = found;
            soothi_cluster_write(&run, centre, label);
        }
        status = soothi_progress(env, "clustering", (double)(t + 1) / (double)o->n_init);
    }
    sooth_free(env, c.memory, bytes, 1);
    return status;
}

/* Checks table and options and fills in the defaults. */
SOOTHI_LOCAL sooth_status soothi_cluster_resolve(sooth_env *env, const sooth_table *table,
                                                 const sooth_cluster_options *options,
                                                 sooth_cluster_options *o) {
    const sooth_status status = sooth_table_check(env, table, 0);
    if (status != SOOTH_OK) return status;
    return soothi_options_resolve(env, sooth_cluster_options_list(), options, sizeof *o, o);
}

/* Like sooth_cluster_fit, from the rows of several processes. */
SOOTHI_LOCAL sooth_status soothi_cluster_fit_shared(sooth_env *env, const sooth_table *table,
                                                    const sooth_cluster_options *options, double *centre,
                                                    uint32_t *label, double *inertia) {
    sooth_table whole;
    sooth_env alone;
    uint64_t before, rows;
    sooth_status status = soothi_reduce_rows(env, table->rows, &before, &rows, NULL);
    if (status == SOOTH_OK) status = soothi_gather(env, table, &whole, &alone);
    if (status != SOOTH_OK) return status;
    uint32_t *all = label ? (uint32_t *)sooth_alloc(env, (size_t)rows, sizeof *all) : NULL;
    if (label && !all) status = sooth_no_memory(&alone, "labels", (size_t)rows * sizeof *all);
    else status = sooth_cluster_fit(&alone, &whole, options, centre, all, inertia);
    if (status == SOOTH_OK && label) memcpy(label, all + before, table->rows * sizeof *label);
    sooth_free(env, all, (size_t)rows, sizeof *all);
    return soothi_gather_end(env, &alone, &whole, status);
}

SOOTH_API sooth_status sooth_cluster_fit(sooth_env *env, const sooth_table *table,
                                         const sooth_cluster_options *options, double *centre,
                                         uint32_t *label, double *inertia) {
    sooth_cluster_options o;
    double unwanted;
    if (soothi_ranks(env) > 1) return soothi_cluster_fit_shared(env, table, options, centre, label, inertia);
    sooth_status status = soothi_cluster_resolve(env, table, options, &o);
    if (status != SOOTH_OK) return status;
    return soothi_cluster_fit(env, table, &o, centre, label, inertia ? inertia : &unwanted);
}

/* ---- silhouette ---- */

typedef struct soothi_cluster_silhouettes {
    const sooth_table *table;
    const uint32_t *label;
    size_t clusters;
    const uint32_t *size; /* of each cluster */
    double *sum;          /* sums of distances, for each worker and cluster */
    double *each;
} soothi_cluster_silhouettes;

SOOTHI_LOCAL void soothi_cluster_silhouette_row(void *arg, size_t i, size_t worker) {
    soothi_cluster_silhouettes *o = (soothi_cluster_silhouettes *)arg;
    const sooth_table *table = o->table;
    double *sum = o->sum + worker * o->clusters, b = -1.0;
    uint32_t own = o->label[i];
    o->each[i] = 0.0;
    if (o->size[own] < 2) return;
    memset(sum, 0, o->clusters * sizeof *sum);
    for (size_t j = 0; j < table->rows; ++j)
        sum[o->label[j]] += soothi_sqrt(
            soothi_cluster_to_row(table->x + i * table->stride, table->x + j * table->stride, table->cols));
    double a = sum[own] / (double)(o->size[own] - 1);
    for (size_t k = 0; k < o->clusters; ++k) {
        double mean = sum[k] / (double)(o->size[k] ? o->size[k] : 1);
        if (k != own && o->size[k] && (b < 0.0 || mean < b)) b = mean;
    }
    if (a > b) o->each[i] = (b - a) / a;
    if (a < b) o->each[i] = (b - a) / b;
}

SOOTHI_LOCAL sooth_status soothi_cluster_sizes(sooth_env *env, const uint32_t *label, size_t rows,
                                               size_t clusters, uint32_t *size) {
    size_t used = 0;
    memset(size, 0, clusters * sizeof *size);
    for (size_t i = 0; i < rows; ++i) {
        if (label[i] >= clusters)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "label[%z] is %u, but must be below %z", i, label[i],
                              clusters);
        used += size[label[i]]++ == 0;
    }
    if (used < 2)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "a silhouette needs rows in at least 2 clusters, but all rows are in one");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_cluster_silhouette(sooth_env *env, const sooth_table *table,
                                                const uint32_t *label, size_t clusters, double *each,
                                                double *mean) {
    size_t sums = soothi_product(clusters, soothi_workers(env));
    sooth_status status = sooth_table_check(env, table, 0);
    if (status != SOOTH_OK) return status;
    if (clusters < 2 || clusters > table->rows)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "clusters is %z, but must be between 2 and the %z rows",
                          clusters, table->rows);
    if (sums > SIZE_MAX / 4) sums = SIZE_MAX / 4;
    size_t doubles = sums + table->rows;
    double *memory = (double *)sooth_alloc(env, doubles, sizeof(double));
    uint32_t *size = memory ? (uint32_t *)sooth_alloc(env, clusters, sizeof(uint32_t)) : NULL;
    status = size ? soothi_cluster_sizes(env, label, table->rows, clusters, size)
                  : sooth_no_memory(env, "a silhouette", soothi_product(doubles, sizeof(double)));
    if (status == SOOTH_OK) {
        soothi_cluster_silhouettes o = {table, label, clusters, size, memory, memory + sums};
        soothi_parallel(env, table->rows, soothi_cluster_silhouette_row, &o);
        if (each) memcpy(each, o.each, table->rows * sizeof *each);
        if (mean) *mean = soothi_sum(o.each, table->rows) / (double)table->rows;
    }
    sooth_free(env, size, clusters, sizeof(uint32_t));
    sooth_free(env, memory, doubles, sizeof(double));
    return status;
}

/* ---- number of clusters ---- */

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
