/* tree/linear_leaves.h - leaves that extrapolate: a linear model of the rows of a leaf instead of a constant.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A tree of constants cannot extrapolate: twice the largest size measured gets the cost of the largest. With
 * linear_leaves, the leaves of tree.h, forest.h and boost.h are linear models. The tree grows as without
 * them. Then each leaf fits a ridge regression to its rows, on the columns tested on its path. (Shi, Li, Li:
 * Gradient boosting with piece-wise linear regression trees, IJCAI 2019; the linear_tree of LightGBM.)
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float size[40], seconds[40], twice = 80;
 *         for (int i = 0; i < 40; ++i) size[i] = (float)(i + 1), seconds[i] = 3 + 2 * size[i];
 *         sooth_table table = sooth_table_of(size, seconds, 40, 1);
 *         sooth_tree_options options = {.min_samples_leaf = 10, .linear_leaves = 1};
 *         sooth_env env;
 *         sooth_tree *tree;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, &options, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g seconds\n", sooth_tree_predict(tree, &twice));   //> 163 seconds
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * The model of a leaf. Its rows have weights w, features x and targets z; in boosting, w is the second
 * derivative h, and w z is -g. Means are weighted. Around the mean m of its rows the model is
 *
 *     f(x) = a + b'(x - m),   a = sum w z / (sum w + lambda),
 *     b = (X'WX + linear_lambda I)^-1 X'Wz,   X: the rows less m
 *
 * which for boosting is -(X'HX + linear_lambda I)^-1 X'g. Rows with a missing value in one of the columns are
 * ignored, and get the leaf's constant as their prediction (as in LightGBM).
 *
 *   columns    At most 32, those nearest to the leaf. Columns are left out if they are constant in the leaf,
 *              determined by earlier columns, or if they leave fewer than two rows for validation.
 *   selection  Leave-one-out: with e the error of a row, L L' = X'WX + linear_lambda I, L u = x - m and
 *              s = w (1 / (sum w + lambda) + u'u), the error of the row when left out is e / (1 - s)
 *              (Allen: PRESS, Technometrics 16, 1974). A leaf stays constant if the linear model predicts
 *              worse than the constant, if it has fewer than three rows, or if one row alone decides a slope.
 *   monotone   A slope of the wrong sign removes its column, and the rest is fitted again. The model is
 *              clipped to the bounds of its leaf, which keep leaves in order (soothi_grow_bound_children).
 *              Two rows that differ in one constrained column only, with no missing value, have ordered
 *              predictions. Within a leaf, slopes, limits and float additions are monotone; across leaves,
 *              the bounds separate them.
 *
 * Limits. In each of its columns, a model extrapolates beyond the values a .. b of the leaf's rows by
 * `extrapolate` times b - a. On a side where no row of the tree lies further out, the range of all the tree's
 * rows replaces b - a. The prediction stays constant from there on. No prediction of a tree leaves the range
 * of its predictions for its own rows by more than `extrapolate` times that range.
 *
 * So a leaf cannot diverge between training rows. Beyond them, a cost that was measured up to n and grows
 * like n is followed at least up to (1 + extrapolate) n. Predictions are finite for every finite row: each
 * model stores its minimum and maximum, and building an ensemble checks their sums. A cost that grows faster
 * is followed along its last leaves and held at (1 + extrapolate) times its range. For n^1.5, with the
 * default 3, half is missing at 4 n. Models of logarithms do not have this limit.
 *
 * Memory, after the nodes of a tree or an ensemble with linear leaves:
 *   uint32_t at[nodes]     0: a constant, or an inner node; else the index of its model in the next array + 1
 *   record[records]        20 bytes each: a soothi_linear_leaf, then its terms; in the order of the leaves
 *
 * Cost for n rows and leaves with paths of k columns. Fit: n k^2 multiply-adds and k^3 per leaf, after the
 * growth of each tree; 28 n + 36 nodes + 8 columns bytes and 20 KB per worker. Prediction: a multiply-add per
 * column of the leaf. Model: 4 bytes per node, 20 per linear leaf and 20 per column of it.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_LINEAR_LEAVES_IMPLEMENTED)
#define SOOTH_TREE_LINEAR_LEAVES_IMPLEMENTED
#include "grow.h"
SOOTHI_C_BEGIN

/* A linear leaf: at + low + the sum over its terms, clipped to least .. most. Its terms follow it. */
typedef struct soothi_linear_leaf {
    uint32_t terms; /* at least 1 */
    float at, low;  /* low: 0, except in ensembles with low parts (SOOTH_ENSEMBLE_LOW) */
    float least, most;
} soothi_linear_leaf;

/* slope x (x[feature], clipped to from .. to, - center). In ensembles with low parts, (slope + center) x ...:
   center is then the slope's low part, and the model is centred at 0. */
typedef struct soothi_linear_leaf_term {
    uint32_t feature;
    float slope, center;
    float from, to;
} soothi_linear_leaf_term;

/* ---- predicting ---- */

#define SOOTHI_LINEAR_LEAF_WORDS 5u /* of a record */
#define SOOTHI_LINEAR_LEAF_EXACT 8u /* cost of an exact product and its sum, in multiply-adds */

/* Returns the linear model of a leaf; NULL for a constant. */
SOOTHI_LOCAL const soothi_linear_leaf *soothi_linear_leaf_at(const uint32_t *at, uint32_t nodes,
                                                             uint32_t leaf) {
    if (!at[leaf]) return NULL;
    return (const soothi_linear_leaf *)(const void *)(at + nodes +
                                                      (size_t)SOOTHI_LINEAR_LEAF_WORDS * (at[leaf] - 1));
}

SOOTHI_LOCAL const soothi_linear_leaf_term *soothi_linear_leaf_terms(const soothi_linear_leaf *plane) {
    return (const soothi_linear_leaf_term *)(const void *)(plane + 1);
}

SOOTHI_LOCAL float soothi_linear_leaf_clip(float v, float least, float most) {
    return v < least ? least : v > most ? most : v;
}

/* Predicts a row with a linear model. constant is returned if the row has a missing value. */
SOOTHI_LOCAL float soothi_linear_leaf_predict(const soothi_linear_leaf *plane, float constant,
                                              const float *row) {
    const soothi_linear_leaf_term *term = soothi_linear_leaf_terms(plane), *end = term + plane->terms;
    float sum = plane->at;
    for (; term < end; ++term) {
        const float x = row[term->feature];
        if (!(x <= x)) return constant;
        sum += term->slope * (soothi_linear_leaf_clip(x, term->from, term->to) - term->center);
    }
    return soothi_linear_leaf_clip(sum, plane->least, plane->most);
}

/* Returns the upper half, 12 bits, of a float below 8e34 (Dekker, 1971). */
SOOTHI_LOCAL float soothi_linear_leaf_half(float v) {
    const float big = v * 4097.0f;
    return big - (big - v);
}

/* Like soothi_linear_leaf_predict, with low parts: sums and products carry their rounding errors along. v
   holds the constant and its low part; then the prediction and its low part. */
SOOTHI_LOCAL void soothi_linear_leaf_predict_exact(const soothi_linear_leaf *plane, const float *row,
                                                   float v[2]) {
    const soothi_linear_leaf_term *term = soothi_linear_leaf_terms(plane), *end = term + plane->terms;
    float high = plane->at, low = plane->low;
    for (; term < end; ++term) {
        const float x = soothi_linear_leaf_clip(row[term->feature], term->from, term->to),
                    slope = term->slope;
        if (!(x <= x)) return;
        const float xh = soothi_linear_leaf_half(x), sh = soothi_linear_leaf_half(slope), xl = x - xh,
                    sl = slope - sh;
        const float p = slope * x, e = ((sh * xh - p) + sh * xl + sl * xh) + sl * xl;
        const float sum = high + p, back = sum - high;
        low += ((high - (sum - back)) + (p - back)) + (e + term->center * x);
        high = sum;
    }
    v[0] = high + low;
    v[1] = low - (v[0] - high);
    if (!(v[0] >= plane->least && v[0] <= plane->most)) {
        v[0] = soothi_linear_leaf_clip(v[0], plane->least, plane->most);
        v[1] = 0.0f;
    }
}

/* ---- checking ---- */

/* Returns 1 if at[node] is valid. inner: 1 for an inner node. *next: number of records so far, increased by
   its own; records: total number. */
SOOTHI_LOCAL int soothi_linear_leaf_is_valid(const uint32_t *at, uint32_t nodes, uint32_t node, int inner,
                                             uint32_t features, uint32_t records, uint32_t *next) {
    if (at[node] == 0) return 1;
    if (inner || at[node] - 1 != *next || *next >= records) return 0;
    const soothi_linear_leaf *plane = soothi_linear_leaf_at(at, nodes, node);
    const soothi_linear_leaf_term *term = soothi_linear_leaf_terms(plane);
    if (plane->terms == 0 || plane->terms > records - *next - 1 || !(plane->least <= plane->most)) return 0;
    for (uint32_t k = 0; k < plane->terms; ++k)
        if (term[k].feature >= features || !(term[k].from <= term[k].to)) return 0;
    *next += 1 + plane->terms;
    return 1;
}

/* Returns the maximum number of terms of a model in the nodes from .. to. */
SOOTHI_LOCAL uint32_t soothi_linear_leaf_max_terms(const uint32_t *at, uint32_t nodes, uint32_t from,
                                                   uint32_t to) {
    uint32_t most = 0;
    for (uint32_t k = from; k < to; ++k) {
        const soothi_linear_leaf *plane = soothi_linear_leaf_at(at, nodes, k);
        if (plane && plane->terms > most) most = plane->terms;
    }
    return most;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

/* The options of linear leaves, for every kind of model that has them. */
#define SOOTHI_LEAVES_OPTIONS(T)                                                                     \
    SOOTHI_FLAG(T, linear_leaves, "1: a linear model in each leaf, which extrapolates"),             \
        SOOTHI_NUMBER(T, linear_lambda, 0, DBL_MAX, 0, "L2 penalty of the slopes of linear leaves"), \
        SOOTHI_GIVEN(T, extrapolate, 0, 1e6, 3,                                                      \
                     "how far linear leaves extrapolate, in ranges of their rows")

#define SOOTHI_LEAVES_MOST 32u       /* max columns of a linear leaf */
#define SOOTHI_LEAVES_NOT UINT32_MAX /* leaf_of: the row is in no leaf */

typedef struct soothi_leaves_rules {
    double lambda;      /* ridge penalty of the slopes (linear_lambda) */
    double base_lambda; /* ridge penalty of the constant */
    double extrapolate;
    double rate;     /* factor of the model */
    double max_step; /* max |value| of a leaf before that; 0 means no limit */
    const signed char *monotone;
} soothi_leaves_rules;

/* Working memory for one leaf. L is stored by column and step. */
typedef struct soothi_leaves_work {
    size_t columns, steps;
    uint32_t column[SOOTHI_LEAVES_MOST], order[SOOTHI_LEAVES_MOST]; /* order: index in column, by step */
    unsigned char out[SOOTHI_LEAVES_MOST];                          /* 1: excluded */
    float least[SOOTHI_LEAVES_MOST], most[SOOTHI_LEAVES_MOST];      /* of the leaf's rows */
    double sum, at, mean[SOOTHI_LEAVES_MOST];
    double moment[SOOTHI_LEAVES_MOST], slope[SOOTHI_LEAVES_MOST], fit[SOOTHI_LEAVES_MOST];
    double gram[SOOTHI_LEAVES_MOST * SOOTHI_LEAVES_MOST], l[SOOTHI_LEAVES_MOST * SOOTHI_LEAVES_MOST];
} soothi_leaves_work;

/* The leaves of one tree. */
typedef struct soothi_leaves {
    soothi_leaves_rules rules;
    const sooth_table *table;
    const float *y,
        *weight; /* by row: targets, with stride y_stride, and weights; or derivatives; weight NULL: 1 */
    size_t y_stride;
    int second;          /* 1: y is the first derivative, weight the second */
    float *least, *most; /* cols: of the rows in leaves */
    uint32_t *leaf_of;   /* rows: set by the caller */
    size_t nodes;        /* of the present tree */
    uint32_t *up, *ask;  /* nodes: the parent, and the tested column: set by the caller */
    float *constant;     /* nodes: constant of the leaf: set by the caller */
    double *bound;       /* nodes x 2, with constraints: set by the caller; else NULL */
    uint32_t *by_leaf;   /* rows */
    uint32_t *from;      /* nodes + 1: offset of each node's rows in by_leaf, and of its records */
    uint32_t *at;        /* nodes: see the top comment */
    uint32_t *record;    /* rows x 5: a model has fewer terms than rows */
    size_t records;
    soothi_leaves_work *work; /* workers */
} soothi_leaves;

/* Returns the rules for the options of a single tree. */
SOOTHI_LOCAL soothi_leaves_rules soothi_leaves_rules_of(double lambda, uint32_t has_extrapolate,
                                                        double extrapolate, const signed char *monotone) {
    const soothi_leaves_rules rules = {lambda, 0.0, has_extrapolate || extrapolate > 0.0 ? extrapolate : 3.0,
                                       1.0,    0.0, monotone};
    return rules;
}

/* Lays out the linear leaves of a tree. */
SOOTHI_LOCAL void soothi_leaves_layout_planes(soothi_carver *m, soothi_leaves *v, size_t rows,
                                              size_t capacity) {
    v->record = (uint32_t *)soothi_carve(m, rows, SOOTHI_LINEAR_LEAF_WORDS * sizeof(uint32_t));
    v->at = (uint32_t *)soothi_carve(m, capacity, sizeof(uint32_t));
}

/* Lays out the memory of the fit. capacity: nodes of a tree. */
SOOTHI_LOCAL void soothi_leaves_layout(soothi_carver *m, soothi_leaves *v, size_t rows, size_t cols,
                                       size_t capacity, size_t workers, int monotone) {
    v->bound = monotone ? (double *)soothi_carve(m, capacity, 2 * sizeof(double)) : NULL;
    v->work = (soothi_leaves_work *)soothi_carve(m, workers, sizeof *v->work);
    v->least = (float *)soothi_carve(m, soothi_product(2, cols), sizeof(float));
    v->most = v->least ? v->least + cols : NULL;
    v->leaf_of = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
    v->by_leaf = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
    v->up = (uint32_t *)soothi_carve(m, capacity, sizeof(uint32_t));
    v->ask = (uint32_t *)soothi_carve(m, capacity, sizeof(uint32_t));
    v->constant = (float *)soothi_carve(m, capacity, sizeof(float));
    v->from = (uint32_t *)soothi_carve(m, capacity + 1, sizeof(uint32_t));
}

/* Computes the range of every column over the rows in leaves. */
SOOTHI_LOCAL void soothi_leaves_ranges(soothi_leaves *v) {
    const sooth_table *table = v->table;
    for (size_t j = 0; j < table->cols; ++j) v->least[j] = FLT_MAX, v->most[j] = -FLT_MAX;
    for (size_t i = 0; i < table->rows; ++i) {
        const float *row = table->x + i * table->stride;
        if (v->leaf_of[i] == SOOTHI_LEAVES_NOT) continue;
        for (size_t j = 0; j < table->cols; ++j) {
            if (row[j] < v->least[j]) v->least[j] = row[j];
            if (row[j] > v->most[j]) v->most[j] = row[j];
        }
    }
}

/* Returns the weight of a row in the regression; 0 if the row is ignored. */
SOOTHI_LOCAL double soothi_leaves_weight(const soothi_leaves *v, const soothi_leaves_work *w, size_t row) {
    const float *x = v->table->x + row * v->table->stride;
    for (size_t j = 0; j < w->columns; ++j)
        if (!(x[w->column[j]] <= x[w->column[j]])) return 0.0;
    return soothi_row_weight(v->weight, row);
}

/* Returns the regression target of a row with a weight above 0. */
SOOTHI_LOCAL double soothi_leaves_target(const soothi_leaves *v, size_t row, double weight) {
    const double y = (double)v->y[row * v->y_stride];
    return v->second ? -y / weight : y;
}

/* Collects the columns tested on the path to a leaf, from the leaf up. */
SOOTHI_LOCAL void soothi_leaves_path(const soothi_leaves *v, uint32_t leaf, soothi_leaves_work *w) {
    for (w->columns = 0; leaf != 0 && w->columns < SOOTHI_LEAVES_MOST; leaf = v->up[leaf]) {
        const uint32_t column = v->ask[v->up[leaf]];
        size_t k = 0;
        if (v->table->categorical && v->table->categorical[column]) continue; /* has no slope */
        while (k < w->columns && w->column[k] != column) ++k;
        if (k == w->columns) w->column[w->columns++] = column;
    }
}

/* Computes means, ranges and products of the rows of a leaf. Returns the number of rows used. */
SOOTHI_LOCAL size_t soothi_leaves_measure(const soothi_leaves *v, const uint32_t *row, size_t rows,
                                          soothi_leaves_work *w) {
    const size_t n = w->columns;
    size_t used = 0;
    double sum_y = 0.0, x[SOOTHI_LEAVES_MOST];
    w->sum = 0.0;
    for (size_t j = 0; j < n; ++j) w->mean[j] = 0.0, w->least[j] = FLT_MAX, w->most[j] = -FLT_MAX;
    for (size_t i = 0; i < rows; ++i) {
        const double weight = soothi_leaves_weight(v, w, row[i]);
        const float *from = v->table->x + row[i] * v->table->stride;
        if (!(weight > 0.0)) continue;
        ++used;
        w->sum += weight;
        sum_y += weight * soothi_leaves_target(v, row[i], weight);
        for (size_t j = 0; j < n; ++j) {
            const float value = from[w->column[j]];
            w->mean[j] += weight * (double)value;
            if (value < w->least[j]) w->least[j] = value;
            if (value > w->most[j]) w->most[j] = value;
        }
    }
    if (used < 3) return used;
    w->at = sum_y / (w->sum + v->rules.base_lambda);
    for (size_t j = 0; j < n; ++j) {
        w->mean[j] /= w->sum;
        w->moment[j] = 0.0;
        w->out[j] = !(w->most[j] > w->least[j]);
        for (size_t k = 0; k <= j; ++k) w->gram[j * n + k] = 0.0;
    }
    for (size_t i = 0; i < rows; ++i) {
        const double weight = soothi_leaves_weight(v, w, row[i]);
        const float *from = v->table->x + row[i] * v->table->stride;
        if (!(weight > 0.0)) continue;
        const double z = soothi_leaves_target(v, row[i], weight) - w->at;
        for (size_t j = 0; j < n; ++j) {
            x[j] = (double)from[w->column[j]] - w->mean[j];
            w->moment[j] += weight * x[j] * z;
            for (size_t k = 0; k <= j; ++k) w->gram[j * n + k] += weight * x[j] * x[k];
        }
    }
    return used;
}

/* Computes the Cholesky decomposition of at most `most` usable columns: row j of L belongs to column j, and
   fit = L^-1 X'Wz. */
SOOTHI_LOCAL void soothi_leaves_decompose(const soothi_leaves *v, size_t most, soothi_leaves_work *w) {
    const size_t n = w->columns;
    w->steps = 0;
    for (size_t j = 0; j < n && w->steps < most; ++j) {
        double *l = w->l + j * n, whole = w->gram[j * n + j] + v->rules.lambda, left = whole;
        double fit = w->moment[j];
        for (size_t m = 0; m < w->steps; ++m) {
            const size_t k = w->order[m];
            l[m] = w->gram[j * n + k];
            for (size_t q = 0; q < m; ++q) l[m] -= l[q] * w->l[k * n + q];
            l[m] /= w->l[k * n + m];
            left -= l[m] * l[m];
            fit -= l[m] * w->fit[m];
        }
        if (w->out[j] || !(left > 1e-9 * whole)) continue;
        l[w->steps] = soothi_sqrt(left);
        w->fit[w->steps] = fit / l[w->steps];
        w->order[w->steps++] = (uint32_t)j;
    }
}

/* Returns 1 if the linear model predicts left-out rows better than the constant. */
SOOTHI_LOCAL int soothi_leaves_pays(const soothi_leaves *v, const uint32_t *row, size_t rows,
                                    const soothi_leaves_work *w) {
    const size_t n = w->columns;
    const double first = 1.0 / (w->sum + v->rules.base_lambda);
    double u[SOOTHI_LEAVES_MOST], missed[2] = {0.0, 0.0};
    for (size_t i = 0; i < rows; ++i) {
        const double weight = soothi_leaves_weight(v, w, row[i]);
        const float *from = v->table->x + row[i] * v->table->stride;
        if (!(weight > 0.0)) continue;
        double error = soothi_leaves_target(v, row[i], weight) - w->at, gone, share = 1.0 - weight * first;
        if (!(share > 1e-6)) return 0;
        gone = error / share;
        missed[0] += weight * gone * gone;
        for (size_t m = 0; m < w->steps; ++m) {
            const size_t j = w->order[m];
            u[m] = (double)from[w->column[j]] - w->mean[j];
            for (size_t q = 0; q < m; ++q) u[m] -= w->l[j * n + q] * u[q];
            u[m] /= w->l[j * n + m];
            share -= weight * u[m] * u[m];
            error -= u[m] * w->fit[m];
        }
        if (!(share > 1e-6)) return 0;
        gone = error / share;
        missed[1] += weight * gone * gone;
    }
    return missed[1] < missed[0];
}

/* Computes the slopes. Returns 1 if a constraint forbids one, whose column is then excluded. */
SOOTHI_LOCAL int soothi_leaves_solve(const soothi_leaves *v, soothi_leaves_work *w) {
    const size_t n = w->columns, steps = w->steps;
    int wrong = 0;
    for (size_t m = steps; m-- > 0;) {
        double sum = w->fit[m];
        for (size_t q = m + 1; q < steps; ++q) sum -= w->l[w->order[q] * n + m] * w->slope[q];
        w->slope[m] = sum / w->l[w->order[m] * n + m];
        const int sign = v->rules.monotone ? v->rules.monotone[w->column[w->order[m]]] : 0;
        if (sign * w->slope[m] < 0.0) wrong = w->out[w->order[m]] = 1;
    }
    return wrong;
}

/* Converts a double to a finite float. */
SOOTHI_LOCAL float soothi_leaves_float(double v) {
    return v > (double)FLT_MAX ? FLT_MAX : v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
}

/* Writes the linear leaf; returns 0 if floats cannot represent it. */
SOOTHI_LOCAL size_t soothi_leaves_write(const soothi_leaves *v, uint32_t leaf, const soothi_leaves_work *w,
                                        uint32_t *record) {
    const size_t steps = w->steps;
    soothi_linear_leaf *plane = (soothi_linear_leaf *)(void *)record;
    soothi_linear_leaf_term *term = (soothi_linear_leaf_term *)(void *)(plane + 1);
    const double rate = v->rules.rate, step = rate * v->rules.max_step;
    double at = w->at, low = -(double)FLT_MAX, high = (double)FLT_MAX;
    plane->terms = (uint32_t)steps;
    plane->low = 0.0f;
    for (size_t m = 0; m < steps; ++m) {
        const size_t j = w->order[m];
        const uint32_t column = w->column[j];
        const double least = (double)w->least[j], most = (double)w->most[j];
        const double wide = (double)v->most[column] - (double)v->least[column];
        term[m].feature = column;
        term[m].slope = (float)(rate * w->slope[m]);
        term[m].center = (float)w->mean[j];
        at += w->slope[m] * ((double)term[m].center - w->mean[j]);
        term[m].from = soothi_leaves_float(
            least - v->rules.extrapolate * (w->least[j] > v->least[column] ? most - least : wide));
        term[m].to = soothi_leaves_float(most + v->rules.extrapolate *
                                                    (w->most[j] < v->most[column] ? most - least : wide));
    }
    float ends[2];
    plane->at = ends[0] = ends[1] = (float)(rate * at);
    for (size_t m = 0; m < steps; ++m) /* added as in soothi_linear_leaf_predict */
        for (unsigned k = 0; k < 2; ++k)
            ends[k] += term[m].slope *
                       (((term[m].slope > 0.0f) == (k > 0) ? term[m].to : term[m].from) - term[m].center);
    if (!(ends[0] > -1e38f && ends[1] < 1e38f)) return 0;
    if (v->bound) low = rate * v->bound[2 * (size_t)leaf], high = rate * v->bound[2 * (size_t)leaf + 1];
    if (step > 0.0 && low < -step) low = -step;
    if (step > 0.0 && high > step) high = step;
    plane->least = soothi_linear_leaf_clip(ends[0], soothi_leaves_float(low), soothi_leaves_float(high));
    plane->most = soothi_linear_leaf_clip(ends[1], soothi_leaves_float(low), soothi_leaves_float(high));
    return 1 + steps;
}

/* Fits one leaf. Its records are written at the offset of its rows; at[leaf] is their number. */
static void soothi_leaves_task(void *arg, size_t i, size_t worker) {
    const soothi_leaves *v = (const soothi_leaves *)arg;
    soothi_leaves_work *w = &v->work[worker];
    const uint32_t leaf = (uint32_t)i, *row = v->by_leaf + v->from[i];
    const size_t rows = v->from[i + 1] - v->from[i];
    v->at[leaf] = 0;
    if (rows < 3) return; /* an inner node has none */
    soothi_leaves_path(v, leaf, w);
    const size_t used = soothi_leaves_measure(v, row, rows, w);
    for (int wrong = used >= 3; wrong;) {
        soothi_leaves_decompose(v, used - 2 < w->columns ? used - 2 : w->columns, w);
        wrong = soothi_leaves_solve(v, w);
        if (!wrong && w->steps && soothi_leaves_pays(v, row, rows, w))
            v->at[leaf] = (uint32_t)soothi_leaves_write(
                v, leaf, w, v->record + SOOTHI_LINEAR_LEAF_WORDS * (size_t)v->from[i]);
    }
}

/* Predicts a row in a leaf of the present tree. */
SOOTHI_LOCAL float soothi_leaves_predict(const soothi_leaves *v, uint32_t leaf, const float *row) {
    const size_t record = SOOTHI_LINEAR_LEAF_WORDS * (size_t)(v->at[leaf] - 1);
    if (!v->at[leaf]) return v->constant[leaf];
    return soothi_linear_leaf_predict((const soothi_linear_leaf *)(const void *)(v->record + record),
                                      v->constant[leaf], row);
}

/* Clips predictions to the range of those for the tree's rows, extended by `extrapolate` times its width. */
SOOTHI_LOCAL void soothi_leaves_limit(soothi_leaves *v) {
    float least = FLT_MAX, most = -FLT_MAX;
    for (size_t i = 0; i < v->table->rows; ++i) {
        if (v->leaf_of[i] == SOOTHI_LEAVES_NOT) continue;
        const float said = soothi_leaves_predict(v, v->leaf_of[i], v->table->x + i * v->table->stride);
        if (said < least) least = said;
        if (said > most) most = said;
    }
    const double further = v->rules.extrapolate * ((double)most - (double)least);
    least = soothi_leaves_float((double)least - further);
    most = soothi_leaves_float((double)most + further);
    for (size_t k = 0; k < v->nodes; ++k) {
        if (!v->at[k]) continue;
        soothi_linear_leaf *plane =
            (soothi_linear_leaf *)(void *)(v->record + SOOTHI_LINEAR_LEAF_WORDS * (size_t)(v->at[k] - 1));
        plane->least = soothi_linear_leaf_clip(plane->least, least, most);
        plane->most = soothi_linear_leaf_clip(plane->most, least, most);
    }
}

/* Fits the linear leaves of a tree, given rows, paths and bounds. env: its workers take part. */
SOOTHI_LOCAL void soothi_leaves_fit(sooth_env *env, soothi_leaves *v) {
    memset(v->from, 0, (v->nodes + 1) * sizeof *v->from);
    for (size_t i = 0; i < v->table->rows; ++i)
        if (v->leaf_of[i] != SOOTHI_LEAVES_NOT) ++v->from[v->leaf_of[i]];
    v->from[v->nodes] = soothi_running_sum(v->from, v->nodes);
    for (size_t i = 0; i < v->table->rows; ++i)
        if (v->leaf_of[i] != SOOTHI_LEAVES_NOT) v->by_leaf[v->from[v->leaf_of[i]]++] = (uint32_t)i;
    for (size_t k = v->nodes; k > 0; --k) v->from[k] = v->from[k - 1]; /* had moved to the next offset */
    v->from[0] = 0;
    soothi_leaves_ranges(v);
    soothi_parallel(env, v->nodes, soothi_leaves_task, v);
    v->records = 0;
    for (size_t k = 0; k < v->nodes; ++k) {
        const size_t count = v->at[k];
        if (!count) continue;
        memmove(v->record + SOOTHI_LINEAR_LEAF_WORDS * v->records,
                v->record + SOOTHI_LINEAR_LEAF_WORDS * (size_t)v->from[k],
                count * SOOTHI_LINEAR_LEAF_WORDS * sizeof(uint32_t));
        v->at[k] = (uint32_t)v->records + 1;
        v->records += count;
    }
    soothi_leaves_limit(v);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
