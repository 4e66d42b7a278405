/* boost.h - gradient boosting of the second order: trees that each mend what the ones before got wrong.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The answer is a sum of trees. Round after round, the loss of the present answers is expanded to second
 * order in what a new tree may add: with g and h the first and second derivative of each row's loss, G and H
 * their sums in a leaf, the best that the leaf can say is w = -T(G) / (H + lambda), and a split gains
 *     T(G_L)^2 / (H_L + lambda) + T(G_R)^2 / (H_R + lambda) - T(G)^2 / (H + lambda),   T(G) = sign(G) max(|G| - alpha, 0)
 * (Friedman: Greedy function approximation, Annals of Statistics 29, 2001; Chen, Guestrin: XGBoost, KDD 2016,
 * eq. 5 to 7). Each tree's answer is multiplied by eta before it is added.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/boost.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  2, 20,  3, 10,  4, 20};       threads and megahertz of four runs
 *         float y[] = {8, 4, 3, 1};                          seconds
 *         sooth_env env;
 *         sooth_table table;
 *         sooth_boost_options options;
 *         sooth_boost *boost;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, x, 4, 2);
 *         table.y = y;
 *         table.targets = 1;
 *         memset(&options, 0, sizeof options);               zero means the default
 *         options.rounds = 50;
 *         if (sooth_boost_fit(&env, &table, &options, &boost) != SOOTH_OK) return puts(env.sentence);
 *         printf("%g seconds\n", sooth_boost_predict(boost, x));
 *         sooth_boost_free(&env, boost);
 *         return 0;
 *     }
 *
 * Two ways to find splits. Histograms (the default): every column is cut once into at most 256 bins, and a
 * node is judged by the sums of its rows per bin. The sums are whole numbers: gradients are scaled by a power
 * of two and rounded to as many bits as the number of rows leaves room for (22 with a million, 30 with ten
 * thousand). Whole numbers can be added in any order and subtracted without loss: that makes the bytes
 * independent of the number of workers, and a sibling's histogram exactly the difference of its parent's and
 * its sibling's. Exact (method = exact): every distinct value is tried, by the engine of tree.h.
 *
 * Where the second derivative vanishes (absolute, quantile and relative loss), h is the row's weight, and
 * once a tree has grown, its leaves are renewed: each says the weighted median (or quantile) of what is still
 * missing in its rows.
 *
 * Costs, for n rows, d columns, w workers, B bins, trees of depth D:
 *   fit      rounds x O(d n D / 2) additions in histograms. Memory: 2 d n + 28 n bytes, 8 (or 16) B d bytes for each of about D + w
 *            histograms; once, while columns are sorted, 16 n w more. Exact: see tree.h.
 *   predict  trees x depth comparisons at most, no allocation; 8 trees at a time.
 *   model    see ensemble.h.
 */
#include "ensemble.h"

#ifndef SOOTH_BOOST_H
#define SOOTH_BOOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* A boosted model is an ensemble of kind SOOTH_KIND_BOOST, its answers the sums of its trees'. With several
   targets, tree k answers for target k % targets. */
typedef sooth_ensemble sooth_boost;

#define SOOTH_BOOST_VERSION SOOTH_ENSEMBLE_VERSION

SOOTH_API int sooth_boost_check(const void *bytes, size_t size);
SOOTH_API float sooth_boost_predict(const sooth_boost *boost, const float *row);
SOOTH_API void sooth_boost_predict_many(const sooth_boost *boost, const float *x, size_t rows, size_t stride,
                                        float *out);
SOOTH_API sooth_cost sooth_boost_cost(const sooth_boost *boost);

#ifndef SOOTH_PREDICT_ONLY

/* What a row's loss is, for its target y and the present answer f (for Poisson and gamma f is the logarithm
   of the answer). */
typedef enum sooth_boost_loss {
    SOOTH_BOOST_SQUARED = 0, /* (f - y)^2 / 2 */
    SOOTH_BOOST_ABSOLUTE,    /* |f - y| */
    SOOTH_BOOST_HUBER,       /* squared up to an error of huber_delta, then linear */
    SOOTH_BOOST_QUANTILE,    /* pinball: q (y - f) where f is too low, (1 - q) (f - y) where it is too high */
    SOOTH_BOOST_POISSON,     /* e^f - y f, for counts and rates: y >= 0 */
    SOOTH_BOOST_GAMMA,       /* y e^-f + f: y > 0 */
    SOOTH_BOOST_RELATIVE     /* |f - y| / max(|y|, floor): the MAPE */
} sooth_boost_loss;

/* A loss of your own: gradient[i] and hessian[i] (>= 0) of `rows` rows at the answers margin[i], without the
   rows' weights. base: what the answers start with. */
typedef struct sooth_boost_custom {
    void (*derive)(void *user, const float *y, const float *margin, size_t rows, float *gradient,
                   float *hessian);
    /* mean; for early stopping; may be NULL */
    double (*loss)(void *user, const float *y, const float *margin, size_t rows);
    void *user;
    double base;
} sooth_boost_custom;

typedef struct sooth_boost_options {
    uint32_t rounds; /* 0: 100 */
    uint32_t loss;   /* a sooth_boost_loss */
    uint32_t method; /* 0 histogram, 1 exact */
    uint32_t grow;   /* 0 depth: all nodes down to max_depth; 1 leaf: always the best leaf, up to max_leaves;
                                  2 symmetric: one split for a whole level (CatBoost's trees) */
    uint32_t max_depth;        /* 0: 6 (growing by leaf: no limit) */
    uint32_t max_leaves;       /* growing by leaf; 0: 31 */
    uint32_t min_samples_leaf; /* rows that every leaf keeps; 0: 1 */
    uint32_t bins;             /* 2 to 256; 0: 256 */
    uint32_t seed;
    uint32_t patience;    /* stop when so many rounds have brought nothing on held-out rows; 0: never */
    uint32_t no_cover;    /* 1: a smaller model, which cannot be explained by SHAP */
    uint32_t no_table;    /* 1: a smaller model, which predicts more slowly (see ensemble.h) */
    double eta;           /* learning rate; 0: 0.1 */
    double lambda, alpha; /* of the formula above; 0: none */
    /* splits at the end of a tree that gain less are taken back, from the leaves up */
    double gamma;
    double min_child_weight;  /* the least sum of h in a leaf */
    double max_delta_step;    /* the greatest |w|; 0: no limit, for Poisson 0.7 */
    double subsample;         /* share of the rows drawn (without replacement) for each tree; 0: 1 */
    double colsample_bytree;  /* share of the columns drawn for each tree, */
    double colsample_bylevel; /* of these for each level, */
    double colsample_bynode;  /* and of these for each node; 0: 1 */
    double quantile;          /* of SOOTH_BOOST_QUANTILE; 0: 0.5 */
    double huber_delta;       /* 0: 1 */
    double floor;             /* of |y| in SOOTH_BOOST_RELATIVE; 0: none, and then no target may be 0 */
    double base_score;        /* what answers start with; 0: the constant answer of the least loss */
    /* with patience and without `validation`: share of the groups (rows without groups) that are held
       out; 0: 0.2 */
    double held_out;
    const signed char *monotone; /* per column 1: answers may only rise with it; -1: fall; 0: both */
    /* per row and target: what f starts with instead of the base; not part of the model */
    const float *base_margin;
    const sooth_table *validation;    /* rows that patience looks at */
    const sooth_boost_custom *custom; /* a loss of your own, instead of `loss` */
} sooth_boost_options;

/* What a fit has seen, for those who ask. */
typedef struct sooth_boost_report {
    uint32_t rounds; /* in the model: with patience, up to the best one */
    uint32_t rounds_tried;
    double validation_loss; /* mean loss on the held-out rows after the best round; NaN: there were none */
} sooth_boost_report;

/* Boosts trees on a table with targets; NaN in x is missing. options NULL: defaults. *boost is NULL after a
   failure. */
SOOTH_API sooth_status sooth_boost_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_boost_options *options, sooth_boost **boost);

/* The same, with a report (may be NULL). */
SOOTH_API sooth_status sooth_boost_fit_report(sooth_env *env, const sooth_table *table,
                                              const sooth_boost_options *options, sooth_boost **boost,
                                              sooth_boost_report *report);

/* A new model: the trees of an old one, and options->rounds more. The same table and options give the same
   bytes as all rounds at once. */
SOOTH_API sooth_status sooth_boost_grow(sooth_env *env, const sooth_boost *boost, const sooth_table *table,
                                        const sooth_boost_options *options, sooth_boost **larger);

/* A model with three answers for a table with one target: [0] the median, [1] and [2] the quantiles low and
   high (0 < low < 0.5 < high < 1). They share their trees, whose leaves say three numbers in ascending order,
   and start together; so the answers never cross, in no row whatever. The first half of the rounds is spent
   on the median, the second on spreading low and high. options: loss, quantile and custom are not used. */
SOOTH_API sooth_status sooth_boost_fit_quantiles(sooth_env *env, const sooth_table *table,
                                                 const sooth_boost_options *options, double low, double high,
                                                 sooth_boost **boost);

SOOTH_API void sooth_boost_free(sooth_env *env, sooth_boost *boost);
SOOTH_API sooth_option_list sooth_boost_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_BOOST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BOOST_IMPLEMENTED)
#define SOOTH_BOOST_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

SOOTH_API int sooth_boost_check(const void *bytes, size_t size) {
    return sooth_ensemble_check(bytes, size, SOOTH_KIND_BOOST) && ((const sooth_ensemble *)bytes)->extra == 0;
}

SOOTH_API float sooth_boost_predict(const sooth_boost *boost, const float *row) {
    return sooth_ensemble_predict(boost, row);
}

SOOTH_API void sooth_boost_predict_many(const sooth_boost *boost, const float *x, size_t rows, size_t stride,
                                        float *out) {
    sooth_ensemble_predict_many(boost, x, rows, stride, out);
}

SOOTH_API sooth_cost sooth_boost_cost(const sooth_boost *boost) { return sooth_ensemble_cost(boost); }

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

SOOTH_API sooth_option_list sooth_boost_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_boost_options, rounds, 1, 1000000, 100, "trees, one after the other"),
        SOOTHI_CHOICE(sooth_boost_options, loss, "squared|absolute|huber|quantile|poisson|gamma|relative",
                      "what the trees make small; relative is the MAPE"),
        SOOTHI_CHOICE(sooth_boost_options, method, "histogram|exact", "candidates: bins, or every value"),
        SOOTHI_CHOICE(sooth_boost_options, grow, "depth|leaf|symmetric",
                      "level by level, best leaf first, or one split for a whole level"),
        SOOTHI_COUNT(sooth_boost_options, max_depth, 1, 30, 6, "comparisons down to the deepest leaf"),
        SOOTHI_COUNT(sooth_boost_options, max_leaves, 2, 1000000, 31, "leaves of a tree that grows by leaf"),
        SOOTHI_COUNT(sooth_boost_options, min_samples_leaf, 1, 2147483647, 1, "rows that every leaf keeps"),
        SOOTHI_COUNT(sooth_boost_options, bins, 2, 256, 256, "candidates per column, of histograms"),
        SOOTHI_COUNT(sooth_boost_options, seed, 0, 4294967295.0, 0, "of all draws"),
        SOOTHI_COUNT(sooth_boost_options, patience, 1, 1000000, 0,
                     "stop after so many rounds without progress on held-out rows; 0: never"),
        SOOTHI_FLAG(sooth_boost_options, no_cover, "1: a smaller model, which cannot be explained by SHAP"),
        SOOTHI_FLAG(sooth_boost_options, no_table, "1: a smaller model, which predicts more slowly"),
        SOOTHI_NUMBER(sooth_boost_options, eta, 1e-9, 1, 0.1, "learning rate"),
        SOOTHI_NUMBER(sooth_boost_options, lambda, 0, DBL_MAX, 0, "L2 penalty of a leaf"),
        SOOTHI_NUMBER(sooth_boost_options, alpha, 0, DBL_MAX, 0, "L1 penalty of a leaf"),
        SOOTHI_NUMBER(sooth_boost_options, gamma, 0, DBL_MAX, 0, "least gain of a split"),
        SOOTHI_NUMBER(sooth_boost_options, min_child_weight, 0, DBL_MAX, 0,
                      "least sum of second derivatives in a leaf"),
        SOOTHI_NUMBER(sooth_boost_options, max_delta_step, 0, DBL_MAX, 0,
                      "greatest step of a leaf; 0: none, Poisson 0.7"),
        SOOTHI_NUMBER(sooth_boost_options, subsample, 0, 1, 1, "share of the rows drawn for each tree"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bytree, 0, 1, 1,
                      "share of the columns drawn for each tree"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bylevel, 0, 1, 1, "share of these drawn for each level"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bynode, 0, 1, 1, "share of these drawn for each node"),
        SOOTHI_NUMBER(sooth_boost_options, quantile, 0, 1, 0.5, "of the quantile loss"),
        SOOTHI_NUMBER(sooth_boost_options, huber_delta, 0, DBL_MAX, 1,
                      "error from which on the huber loss is linear"),
        SOOTHI_NUMBER(sooth_boost_options, floor, 0, DBL_MAX, 0,
                      "least |target| that relative errors are taken of"),
        SOOTHI_NUMBER(sooth_boost_options, base_score, -DBL_MAX, DBL_MAX, 0,
                      "what answers start with; 0: the best constant"),
        SOOTHI_NUMBER(sooth_boost_options, held_out, 0, 0.9, 0.2,
                      "share of groups or rows that patience looks at")};
    return SOOTHI_OPTIONS(option);
}

/* ---- what a fit works with ---- */

/* A node while its tree grows. */
typedef struct soothi_boost_node {
    /* gradients and count, and (where it is not constant) second derivatives, as whole numbers */
    int64_t sum[2];
    double value;         /* w, as bounded; times eta it is what the leaf says */
    double low, high;     /* what constraints allow it to be */
    double gain;          /* of the best split found; below 0: none */
    int64_t left_sum[2];  /* of that split */
    uint32_t start, rows; /* its range of the rows */
    uint32_t depth;
    uint32_t left, right; /* left 0: a leaf */
    uint32_t feature, bin, missing_right;
    uint32_t slot; /* its histogram + 1; 0: none */
    float threshold;
    float cover;
} soothi_boost_node;

typedef struct soothi_boost_split {
    double gain;
    int64_t left_sum[2];
    uint32_t feature, bin, missing_right; /* feature UINT32_MAX: none */
} soothi_boost_split;

#define SOOTHI_BOOST_CHUNK 16384u /* rows of one piece of parallel work */
#define SOOTHI_BOOST_ALONE 65536u /* numbers (rows, or rows x columns) not worth waking the others for */

typedef struct soothi_boost_fit {
    sooth_env *env;
    const sooth_table *table;
    sooth_boost_options o; /* resolved: no zero stands for a default any more */
    soothi_tree_second second;
    size_t rows, cols, outs; /* outs: answers per row: the targets, or three */
    size_t workers, chunks;
    uint32_t targets;
    int trio;
    double level[3]; /* the quantiles of a trio, */
    int apart;       /* and whether low and high part from the median by now */
    int constant;    /* second derivatives are all 1 */
    int renew;       /* leaves say medians or quantiles */

    /* columns */
    soothi_tree_columns columns;
    /* row by row, for histograms; columns.bin has the same column by column, for parting */
    unsigned char *bin;
    uint32_t cells; /* of a histogram's column */
    uint32_t count_bits;
    int width; /* whole numbers of a cell: 1 or 2 */

    /* rows */
    float *margin;            /* rows x outs: the present answers */
    float *g, *h;             /* of the present target; h NULL: all 1 */
    int32_t *whole;           /* per row, `width` whole numbers: derivatives times `scale` */
    double scale[2], back[2]; /* what derivatives were multiplied by, and what turns sums back */
    unsigned char *held;      /* 1: held out; NULL: none are */
    uint32_t *usable;         /* the rows that may be drawn */
    size_t usables;
    uint32_t *row[2];   /* rows of every node, in ascending order; by the parity of its depth */
    uint32_t *leaf_of;  /* per row */
    double *chunk_most; /* per chunk: the greatest |g| and h */
    uint64_t *list[2];  /* renewed leaves: residuals to be sorted */
    float *valid;       /* answers for the validation table */

    /* a tree */
    soothi_boost_node *node;
    size_t nodes, capacity;
    uint32_t tree;      /* its number */
    int64_t *histogram; /* slots x cols x cells x width */
    uint32_t *free_slot;
    size_t slots, free_slots;
    uint32_t *column, columns_used; /* the columns drawn for the tree */
    uint32_t *pick, picks;          /* and for the present node */
    uint32_t *stack;                /* nodes to be looked at, or the frontier */
    sooth_ensemble_node *out;
    float *values;     /* of a trio's leaves */
    double *gain;      /* symmetric: per column, bin and side */
    double same[256];  /* and what one node and column have brought to it */
    double *best_gain; /* per column, up to the best round */

    /* exact */
    soothi_tree_grower grower;
    soothi_tree_rules rules;
} soothi_boost_fit;

SOOTHI_LOCAL int64_t *soothi_boost_histogram(const soothi_boost_fit *f, uint32_t slot) {
    return f->histogram + (slot - 1) * (f->cols * f->cells * (size_t)f->width);
}

/* ---- derivatives ---- */

/* The loss of one row at the margin m. */
SOOTHI_LOCAL double soothi_boost_loss(const sooth_boost_options *o, double y, double m) {
    const double e = m - y, size = soothi_abs(e), floor = soothi_abs(y) > o->floor ? soothi_abs(y) : o->floor;
    switch ((sooth_boost_loss)o->loss) {
    case SOOTH_BOOST_SQUARED: return 0.5 * e * e;
    case SOOTH_BOOST_ABSOLUTE: return size;
    case SOOTH_BOOST_HUBER:
        return size <= o->huber_delta ? 0.5 * e * e : o->huber_delta * (size - 0.5 * o->huber_delta);
    case SOOTH_BOOST_QUANTILE: return e < 0.0 ? -o->quantile * e : (1.0 - o->quantile) * e;
    case SOOTH_BOOST_POISSON: return soothi_exp(m) - y * m;
    case SOOTH_BOOST_GAMMA: return y * soothi_exp(-m) + m;
    case SOOTH_BOOST_RELATIVE: return size / floor;
    }
    return 0.0;
}

/* Its derivatives. */
SOOTHI_LOCAL void soothi_boost_derive(const sooth_boost_options *o, double y, double m, double *g,
                                      double *h) {
    const double e = m - y;
    double v;
    *h = 1.0;
    switch ((sooth_boost_loss)o->loss) {
    case SOOTH_BOOST_SQUARED: *g = e; break;
    case SOOTH_BOOST_ABSOLUTE: *g = e > 0.0 ? 1.0 : e < 0.0 ? -1.0 : 0.0; break;
    case SOOTH_BOOST_HUBER:
        *g = e > o->huber_delta ? o->huber_delta : e < -o->huber_delta ? -o->huber_delta : e;
        break;
    case SOOTH_BOOST_QUANTILE: *g = e >= 0.0 ? 1.0 - o->quantile : -o->quantile; break;
    case SOOTH_BOOST_POISSON:
        v = soothi_exp(m);
        *g = v - y;
        *h = v * soothi_exp(o->max_delta_step); /* what it may be at the end of the step, as in XGBoost */
        break;
    case SOOTH_BOOST_GAMMA:
        v = y * soothi_exp(-m);
        *g = 1.0 - v;
        *h = v;
        break;
    case SOOTH_BOOST_RELATIVE:
        v = soothi_abs(y) > o->floor ? soothi_abs(y) : o->floor;
        *g = (e > 0.0 ? 1.0 : e < 0.0 ? -1.0 : 0.0) / v;
        *h = 1.0 / v;
        break;
    }
}

/* Derivatives of one chunk of rows for the present target, and the greatest of them. */
static void soothi_boost_derive_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fit *f = (soothi_boost_fit *)arg;
    const size_t end = (i + 1) * SOOTHI_BOOST_CHUNK < f->rows ? (i + 1) * SOOTHI_BOOST_CHUNK : f->rows;
    const size_t t = f->tree % f->targets, targets = f->targets;
    const float *weight = f->table->weight;
    double most_g = 0.0, most_h = 0.0;
    size_t k, q;
    (void)worker;
    /* the usual case, for speed */
    if (f->o.loss == SOOTH_BOOST_SQUARED && f->constant && !f->h && !f->trio) {
        for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k) {
            const float e = f->margin[k * targets + t] - f->table->y[k * targets + t],
                        size = e < 0.0f ? -e : e;
            f->g[k] = e;
            most_g = (double)size > most_g ? (double)size : most_g;
        }
        f->chunk_most[2 * i] = most_g;
        f->chunk_most[2 * i + 1] = 1.0;
        return;
    }
    for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k) {
        const double y = (double)f->table->y[k * targets + t], w = weight ? (double)weight[k] : 1.0;
        double g = 0.0, h = 1.0;
        if (f->trio) {
            for (q = f->apart ? 1 : 0; q < (f->apart ? 3u : 1u); ++q)
                g += (double)f->margin[3 * k + q] >= y ? 1.0 - f->level[q] : -f->level[q];
        } else if (f->o.custom) {
            g = (double)f->g[k];
            h = (double)f->h[k];
        } else {
            soothi_boost_derive(&f->o, y, (double)f->margin[k * targets + t], &g, &h);
        }
        g *= w;
        h *= w;
        f->g[k] = (float)g;
        if (f->h) f->h[k] = (float)h;
        if (soothi_abs(g) > most_g) most_g = soothi_abs(g);
        if (h > most_h) most_h = h;
        if (!soothi_finite(g) || !soothi_finite(h)) most_g = most_h = DBL_MAX; /* seen and refused below */
    }
    f->chunk_most[2 * i] = most_g;
    f->chunk_most[2 * i + 1] = most_h;
}

/* The nearest whole number, for |v| < 2^31: added to 1.5 x 2^52 it stands in the last bits. */
SOOTHI_LOCAL int32_t soothi_boost_round(double v) {
    const double sum = v + 6755399441055744.0;
    uint64_t bits;
    int32_t whole;
    uint32_t low;
    memcpy(&bits, &sum, sizeof bits);
    low = (uint32_t)bits;
    memcpy(&whole, &low, sizeof whole);
    return whole;
}

/* What a row adds to the sums: its gradient above the count, and 1. */
SOOTHI_LOCAL int64_t soothi_boost_cell(int32_t whole, uint32_t count_bits) {
    return (int64_t)(((uint64_t)(int64_t)whole << count_bits) + 1u);
}

/* Whole numbers of one chunk of rows. */
static void soothi_boost_quantize_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fit *f = (soothi_boost_fit *)arg;
    const size_t end = (i + 1) * SOOTHI_BOOST_CHUNK < f->rows ? (i + 1) * SOOTHI_BOOST_CHUNK : f->rows;
    const double scale = f->scale[0];
    const float *g = f->g;
    int32_t *whole = f->whole;
    size_t k;
    (void)worker;
    if (f->width == 1) {
        for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k) whole[k] = soothi_boost_round((double)g[k] * scale);
        return;
    }
    for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k) {
        whole[2 * k] = soothi_boost_round((double)g[k] * scale);
        whole[2 * k + 1] = soothi_boost_round((double)f->h[k] * f->scale[1]);
    }
}

/* The greatest power of two that keeps `most` times it at or below 2^bits; and its inverse. */
SOOTHI_LOCAL void soothi_boost_scale(double most, uint32_t bits, double *scale, double *back) {
    double s = 1.0;
    uint32_t k;
    for (k = 0; k < bits; ++k) s *= 2.0;
    *scale = 1.0;
    *back = 1.0;
    if (!(most > 0.0)) return;
    while (most * *scale > s && *scale > 1e-300) *scale *= 0.5, *back *= 2.0;
    while (most * *scale * 2.0 <= s && *scale < 1e300) *scale *= 2.0, *back *= 0.5;
}

/* Derivatives at the present answers. */
SOOTHI_LOCAL sooth_status soothi_boost_derive_all(soothi_boost_fit *f) {
    const uint32_t bits = soothi_tree_bits(f->rows);
    uint32_t room = 62 - f->count_bits - bits, k; /* bits of a gradient */
    double most_g = 0.0, most_h = 0.0;
    size_t i;
    if (f->o.custom) f->o.custom->derive(f->o.custom->user, f->table->y, f->margin, f->rows, f->g, f->h);
    soothi_parallel(f->env, f->chunks, soothi_boost_derive_task, f);
    for (i = 0; i < f->chunks; ++i) {
        if (f->chunk_most[2 * i] > most_g) most_g = f->chunk_most[2 * i];
        if (f->chunk_most[2 * i + 1] > most_h) most_h = f->chunk_most[2 * i + 1];
    }
    if (most_g >= DBL_MAX || most_h >= DBL_MAX)
        return soothi_fail(
            f->env, SOOTH_NOT_CONVERGED,
            "after %u trees a derivative of the loss is not finite; try a smaller eta or a max_delta_step",
            f->tree);
    if (f->o.method == 1) return SOOTH_OK;
    if (room > 30) room = 30;
    soothi_boost_scale(most_g, room, &f->scale[0], &f->back[0]);
    soothi_boost_scale(most_h, 30, &f->scale[1], &f->back[1]);
    for (k = 0; k < f->count_bits; ++k) f->back[0] *= 0.5; /* sums keep the count below the gradients */
    soothi_parallel(f->env, f->chunks, soothi_boost_quantize_task, f);
    return SOOTH_OK;
}

/* ---- sums into answers ---- */

SOOTHI_LOCAL uint32_t soothi_boost_count(const soothi_boost_fit *f, const int64_t sum[2]) {
    return (uint32_t)((uint64_t)sum[0] & (((uint64_t)1 << f->count_bits) - 1u));
}

SOOTHI_LOCAL double soothi_boost_g(const soothi_boost_fit *f, const int64_t sum[2]) {
    return (double)(sum[0] - (int64_t)soothi_boost_count(f, sum)) * f->back[0];
}

SOOTHI_LOCAL double soothi_boost_h(const soothi_boost_fit *f, const int64_t sum[2]) {
    return f->width == 1 ? (double)soothi_boost_count(f, sum) : (double)sum[1] * f->back[1];
}

/* ---- drawing rows and columns ---- */

/* Draws a share of value[0..count), at least one, to its front, in ascending order; returns how many. */
SOOTHI_LOCAL uint32_t soothi_boost_draw(sooth_rng *rng, uint32_t *value, uint32_t count, double share) {
    uint32_t keep = (uint32_t)(share * (double)count + 1e-9), i, k = 0;
    if (keep == 0) keep = 1;
    for (i = 0; i < count && k < keep; ++i) /* each with the chance that it is among the remaining ones */
        if (sooth_rng_below(rng, count - i) < keep - k) value[k++] = value[i];
    return keep;
}

/* The columns of the present tree. */
SOOTHI_LOCAL void soothi_boost_draw_columns(soothi_boost_fit *f) {
    sooth_rng rng;
    uint32_t j;
    for (j = 0; j < f->cols; ++j) f->column[j] = j;
    f->columns_used = (uint32_t)f->cols;
    if (f->o.colsample_bytree >= 1.0) return;
    sooth_rng_init(&rng, f->o.seed, (uint64_t)f->tree << 32 | 0xFFFFFFFEu);
    f->columns_used = soothi_boost_draw(&rng, f->column, f->columns_used, f->o.colsample_bytree);
}

/* The columns that a node looks at: of the tree's those of its level, of these its own. */
SOOTHI_LOCAL void soothi_boost_pick(soothi_boost_fit *f, uint32_t id) {
    sooth_rng rng;
    memcpy(f->pick, f->column, f->columns_used * sizeof *f->pick);
    f->picks = f->columns_used;
    if (f->o.colsample_bylevel < 1.0) {
        sooth_rng_init(&rng, f->o.seed, (uint64_t)f->tree << 32 | 0x80000000u | f->node[id].depth);
        f->picks = soothi_boost_draw(&rng, f->pick, f->picks, f->o.colsample_bylevel);
    }
    if (f->o.colsample_bynode < 1.0) {
        sooth_rng_init(&rng, f->o.seed, (uint64_t)f->tree << 32 | id);
        f->picks = soothi_boost_draw(&rng, f->pick, f->picks, f->o.colsample_bynode);
    }
}

/* The rows of the present tree into row[0]; returns how many. */
SOOTHI_LOCAL uint32_t soothi_boost_draw_rows(soothi_boost_fit *f) {
    sooth_rng rng;
    memcpy(f->row[0], f->usable, f->usables * sizeof(uint32_t));
    if (f->o.subsample >= 1.0) return (uint32_t)f->usables;
    sooth_rng_init(&rng, f->o.seed, (uint64_t)(f->tree / f->targets) << 32 | UINT32_MAX);
    return soothi_boost_draw(&rng, f->row[0], (uint32_t)f->usables, f->o.subsample);
}

/* ---- histograms ---- */

/* Adds rows to a histogram. This is where training spends its time; rows far ahead are called for early. */
SOOTHI_LOCAL void soothi_boost_add_rows(const soothi_boost_fit *f, const uint32_t *row, size_t count,
                                        int64_t *histogram) {
    const size_t cols = f->cols, cells = f->cells, drawn = f->columns_used;
    const uint32_t count_bits = f->count_bits;
    const unsigned char *bin = f->bin;
    const int32_t *whole = f->whole;
    size_t k, j;
    if (f->width == 1 && drawn == cols) {
        for (k = 0; k < count; ++k) {
            const unsigned char *b = bin + row[k] * cols;
            const int64_t c = soothi_boost_cell(whole[row[k]], count_bits);
            int64_t *at = histogram;
            if (k + 16 < count) SOOTHI_TREE_FETCH(bin + row[k + 16] * cols);
            if (k + 16 < count) SOOTHI_TREE_FETCH(whole + row[k + 16]);
            for (j = 0; j < cols; ++j, at += cells) at[b[j]] += c;
        }
        return;
    }
    for (k = 0; k < count; ++k) {
        const unsigned char *b = bin + row[k] * cols;
        const size_t width = (size_t)f->width;
        const int64_t c = soothi_boost_cell(whole[row[k] * width], count_bits),
                      h = whole[row[k] * width + (width - 1)];
        for (j = 0; j < drawn; ++j) {
            const size_t column = f->column[j];
            int64_t *at = histogram + (column * cells + b[column]) * width;
            at[0] += c;
            if (width == 2) at[1] += h;
        }
    }
}

/* One histogram made by several workers, each from its share of the rows: the first fills the histogram
   itself, the others ones of their own, which are then added. */
typedef struct soothi_boost_filling {
    const soothi_boost_fit *f;
    const uint32_t *row;
    size_t rows, parts;
    int64_t *part[64];
} soothi_boost_filling;

static void soothi_boost_fill_task(void *arg, size_t i, size_t worker) {
    const soothi_boost_filling *p = (const soothi_boost_filling *)arg;
    const size_t from = p->rows * i / p->parts, to = p->rows * (i + 1) / p->parts;
    (void)worker;
    memset(p->part[i], 0, p->f->cols * p->f->cells * (size_t)p->f->width * sizeof(int64_t));
    soothi_boost_add_rows(p->f, p->row + from, to - from, p->part[i]);
}

SOOTHI_LOCAL void soothi_boost_fill(soothi_boost_fit *f, const soothi_boost_node *node, uint32_t slot) {
    const size_t size = f->cols * f->cells * (size_t)f->width;
    soothi_boost_filling p;
    size_t i, k;
    p.f = f;
    p.row = f->row[node->depth & 1] + node->start;
    p.rows = node->rows;
    p.parts =
        f->workers > 1 && soothi_product(node->rows, f->columns_used) > SOOTHI_BOOST_ALONE ? f->workers : 1;
    if (p.parts > 64) p.parts = 64;
    p.part[0] = soothi_boost_histogram(f, slot);
    for (i = 1; i < p.parts; ++i) p.part[i] = soothi_boost_histogram(f, (uint32_t)(f->slots + i));
    if (p.parts == 1) soothi_boost_fill_task(&p, 0, 0);
    else soothi_parallel(f->env, p.parts, soothi_boost_fill_task, &p);
    for (i = 1; i < p.parts; ++i)
        for (k = 0; k < size; ++k) p.part[0][k] += p.part[i][k];
}

/* from -= part */
SOOTHI_LOCAL void soothi_boost_subtract(const soothi_boost_fit *f, uint32_t from, uint32_t part) {
    int64_t *a = soothi_boost_histogram(f, from);
    const int64_t *b = soothi_boost_histogram(f, part);
    const size_t size = f->cols * f->cells * (size_t)f->width;
    size_t k;
    for (k = 0; k < size; ++k) a[k] -= b[k];
}

/* ---- looking for the best split of a node ---- */

/* Every split of one column in the plain case (one whole number per cell, no L1, no step, no constraint) with
   the missing rows, whose sum is `missing`, on the given side. */
SOOTHI_LOCAL void soothi_boost_scan_plain(const soothi_boost_fit *f, const soothi_boost_node *node,
                                          const int64_t *cell, uint32_t used, uint32_t column,
                                          int missing_left, int64_t missing, double parent,
                                          soothi_boost_split *best) {
    const int64_t mask = ((int64_t)1 << f->count_bits) - 1, all = node->sum[0];
    const int64_t rows = all & mask, least = f->o.min_samples_leaf;
    const double lambda = f->o.lambda, back = f->back[0], weight = f->o.min_child_weight;
    const double g = (double)(all - rows) * back, h = (double)rows;
    int64_t sum = missing_left ? missing : 0, best_sum = 0;
    double most = best->gain + parent;
    uint32_t b, at = UINT32_MAX;
    for (b = 0; b < used; ++b) {
        int64_t count;
        double gl, gr, hl, hr, score;
        if (cell[b] == 0) continue;
        sum += cell[b];
        count = sum & mask;
        if (count < least) continue;
        if (rows - count < least) break;
        gl = (double)(sum - count) * back;
        hl = (double)count;
        gr = g - gl;
        hr = h - hl;
        if (hl < weight || hr < weight) continue;
        hl += lambda;
        hr += lambda;
        score = (gl * gl * hr + gr * gr * hl) / (hl * hr);
        if (score > most) {
            most = score;
            at = b;
            best_sum = sum;
        }
    }
    if (at == UINT32_MAX) return;
    best->gain = most - parent;
    best->left_sum[0] = best_sum;
    best->left_sum[1] = 0;
    best->feature = column;
    best->bin = at;
    best->missing_right = !missing_left;
}

/* The same in general. */
SOOTHI_LOCAL void soothi_boost_scan_general(const soothi_boost_fit *f, const soothi_boost_node *node,
                                            const int64_t *cell, uint32_t used, uint32_t column,
                                            int missing_left, const int64_t missing[2], double parent,
                                            soothi_boost_split *best) {
    const sooth_boost_options *o = &f->o;
    const double g = soothi_boost_g(f, node->sum), h = soothi_boost_h(f, node->sum);
    const uint32_t rows = soothi_boost_count(f, node->sum);
    const int sign = o->monotone ? o->monotone[column] : 0;
    int64_t sum[2];
    uint32_t b;
    sum[0] = missing_left ? missing[0] : 0;
    sum[1] = missing_left ? missing[1] : 0;
    for (b = 0; b < used; ++b) {
        uint32_t count;
        double gl, hl, wl, wr, gain;
        const int64_t here = cell[b * (size_t)f->width];
        if (here == 0) continue;
        sum[0] += here;
        if (f->width == 2) sum[1] += cell[2 * (size_t)b + 1];
        count = soothi_boost_count(f, sum);
        if (count < o->min_samples_leaf) continue;
        if (rows - count < o->min_samples_leaf) break;
        gl = soothi_boost_g(f, sum);
        hl = soothi_boost_h(f, sum);
        if (hl < o->min_child_weight || h - hl < o->min_child_weight || !(hl + o->lambda > 0.0) ||
            !(h - hl + o->lambda > 0.0))
            continue;
        wl = soothi_tree_second_answer(&f->second, gl, hl, node->low, node->high);
        wr = soothi_tree_second_answer(&f->second, g - gl, h - hl, node->low, node->high);
        if ((sign > 0 && wl > wr) || (sign < 0 && wl < wr)) continue;
        gain = soothi_tree_second_worth(&f->second, gl, hl, wl) +
               soothi_tree_second_worth(&f->second, g - gl, h - hl, wr) - parent;
        if (gain > best->gain) {
            best->gain = gain;
            best->left_sum[0] = sum[0];
            best->left_sum[1] = sum[1];
            best->feature = column;
            best->bin = b;
            best->missing_right = !missing_left;
        }
    }
}

/* The threshold of a node's split. When bins above the cut are empty in this node, it moves to the edge
   nearest to the middle between the node's values on both sides. And where no row of the node lacks a value,
   one that does will go with the larger part. */
SOOTHI_LOCAL void soothi_boost_settle(const soothi_boost_fit *f, soothi_boost_node *node) {
    const uint32_t used = f->columns.used[node->feature];
    const int64_t *cell =
        soothi_boost_histogram(f, node->slot) + node->feature * (size_t)f->cells * (size_t)f->width;
    const float *edge = f->columns.edge + node->feature * (size_t)f->columns.bins;
    const float *least = f->columns.least + node->feature * (size_t)f->columns.bins;
    uint32_t next = node->bin + 1;
    while (next < used && cell[next * (size_t)f->width] == 0) ++next;
    /* an edge is the middle of the values around it, so the one below the cut is 2 edge - the one above */
    if (next < used) {
        const double middle =
            (double)edge[node->bin] + 0.5 * ((double)least[next] - (double)least[node->bin + 1]);
        while (node->bin + 1 < next && (double)edge[node->bin + 1] <= middle) ++node->bin;
        if (node->bin + 1 < next && (double)edge[node->bin + 1] - middle < middle - (double)edge[node->bin])
            ++node->bin;
    }
    if (used >= f->cells || cell[used * (size_t)f->width] == 0)
        node->missing_right = 2 * (uint64_t)soothi_boost_count(f, node->left_sum) < node->rows;
    node->threshold = edge[node->bin];
}

/* Finds the best split of a node that has a histogram and enters it. The lowest column wins a tie, then the
   lowest bin, then missing rows on the right. 0: there is none. */
SOOTHI_LOCAL int soothi_boost_find(soothi_boost_fit *f, uint32_t id) {
    soothi_boost_node *node = &f->node[id];
    const int plain = f->width == 1 && !f->o.monotone && !(f->o.alpha > 0.0) && !(f->o.max_delta_step > 0.0);
    const double g = soothi_boost_g(f, node->sum), h = soothi_boost_h(f, node->sum);
    const double parent = soothi_tree_second_worth(&f->second, g, h, node->value);
    soothi_boost_split best;
    uint32_t k;
    memset(&best, 0, sizeof best);
    best.feature = UINT32_MAX;
    best.gain = 1e-12 * soothi_abs(parent); /* no more than rounding */
    soothi_boost_pick(f, id);
    for (k = 0; k < f->picks; ++k) {
        const uint32_t j = f->pick[k], used = f->columns.used[j];
        const int64_t *cell = soothi_boost_histogram(f, node->slot) + j * (size_t)f->cells * (size_t)f->width;
        int64_t missing[2];
        missing[0] = used < f->cells ? cell[used * (size_t)f->width] : 0;
        missing[1] = used < f->cells && f->width == 2 ? cell[2 * (size_t)used + 1] : 0;
        if (plain) {
            soothi_boost_scan_plain(f, node, cell, used, j, 0, missing[0], parent, &best);
            if (missing[0]) soothi_boost_scan_plain(f, node, cell, used, j, 1, missing[0], parent, &best);
        } else {
            soothi_boost_scan_general(f, node, cell, used, j, 0, missing, parent, &best);
            if (missing[0]) soothi_boost_scan_general(f, node, cell, used, j, 1, missing, parent, &best);
        }
    }
    if (best.feature == UINT32_MAX) return 0;
    node->gain = best.gain;
    node->feature = best.feature;
    node->bin = best.bin;
    node->missing_right = best.missing_right;
    node->left_sum[0] = best.left_sum[0];
    node->left_sum[1] = best.left_sum[1];
    soothi_boost_settle(f, node);
    return 1;
}

/* ---- splitting a node ---- */

/* Does a row with this bin go left? */
SOOTHI_LOCAL uint32_t soothi_boost_goes_left(const soothi_boost_node *node, uint32_t bin, uint32_t used) {
    return (uint32_t)(bin <= node->bin) | ((uint32_t)(bin >= used) & (1u - node->missing_right));
}

/* Parts in[0..n) by the split: those that go left to out[0], out[1], ..., the others to out[right], out[right +
   step], ...; step is 1 or -1. Returns how many went left. Without a branch, which would be guessed wrong for
   every other row. */
SOOTHI_LOCAL size_t soothi_boost_part_rows(const soothi_boost_fit *f, const soothi_boost_node *node,
                                           const uint32_t *in, size_t n, size_t right, size_t step,
                                           uint32_t *out) {
    const unsigned char *bin = f->columns.bin + node->feature * f->rows;
    const uint32_t used = f->columns.used[node->feature];
    size_t k, left = 0;
    for (k = 0; k < n; ++k) {
        const uint32_t row = in[k];
        const size_t goes_left = soothi_boost_goes_left(node, bin[row], used);
        out[right ^ ((right ^ left) & (0 - goes_left))] = row;
        left += goes_left;
        right += step & (goes_left - 1);
    }
    return left;
}

/* A node's rows, parted by several workers: each parts its share within leaf_of, which nobody needs while a tree
   grows, those on the right backwards from the end. Once all are counted they know where their rows go. */
typedef struct soothi_boost_parting {
    soothi_boost_fit *f;
    const soothi_boost_node *node;
    const uint32_t *in;
    uint32_t *out;
    size_t parts;
    size_t left[65]; /* of all parts before */
    int moving;
} soothi_boost_parting;

static void soothi_boost_part_task(void *arg, size_t i, size_t worker) {
    soothi_boost_parting *p = (soothi_boost_parting *)arg;
    const size_t rows = p->node->rows, from = rows * i / p->parts, n = rows * (i + 1) / p->parts - from;
    uint32_t *own = p->f->leaf_of + p->node->start + from;
    (void)worker;
    if (!p->moving) {
        p->left[i + 1] = soothi_boost_part_rows(p->f, p->node, p->in + from, n, n - 1, (size_t)0 - 1, own);
    } else {
        const size_t before = p->left[i], left = p->left[i + 1] - before;
        uint32_t *right = p->out + p->left[p->parts] + (from - before);
        size_t k;
        memcpy(p->out + before, own, left * sizeof *own);
        for (k = 0; k < n - left; ++k) right[k] = own[n - 1 - k];
    }
}

/* Makes the children of a node and parts its rows. */
SOOTHI_LOCAL void soothi_boost_split_node(soothi_boost_fit *f, uint32_t id) {
    soothi_boost_node *node = &f->node[id], *child;
    const uint32_t *in = f->row[node->depth & 1] + node->start;
    uint32_t *out = f->row[1 - (node->depth & 1)] + node->start;
    const uint32_t left_rows = soothi_boost_count(f, node->left_sum);
    soothi_boost_parting p;
    unsigned k;
    size_t i;
    p.parts = f->workers > 1 && node->rows > SOOTHI_BOOST_ALONE ? f->workers : 1;
    if (p.parts > 64) p.parts = 64;
    if (p.parts == 1) {
        soothi_boost_part_rows(f, node, in, node->rows, left_rows, 1, out);
    } else {
        p.f = f;
        p.node = node;
        p.in = in;
        p.out = out;
        p.left[0] = 0;
        p.moving = 0;
        soothi_parallel(f->env, p.parts, soothi_boost_part_task, &p);
        for (i = 1; i <= p.parts; ++i) p.left[i] += p.left[i - 1];
        p.moving = 1;
        soothi_parallel(f->env, p.parts, soothi_boost_part_task, &p);
    }
    node->left = (uint32_t)f->nodes++;
    node->right = (uint32_t)f->nodes++;
    for (k = 0; k < 2; ++k) {
        child = &f->node[k ? node->right : node->left];
        memset(child, 0, sizeof *child);
        child->depth = node->depth + 1;
        child->start = node->start + (k ? left_rows : 0);
        child->rows = k ? node->rows - left_rows : left_rows;
        child->sum[0] = k ? node->sum[0] - node->left_sum[0] : node->left_sum[0];
        child->sum[1] = k ? node->sum[1] - node->left_sum[1] : node->left_sum[1];
        child->low = node->low;
        child->high = node->high;
        child->value = soothi_tree_second_answer(&f->second, soothi_boost_g(f, child->sum),
                                                 soothi_boost_h(f, child->sum), child->low, child->high);
        child->cover = (float)soothi_boost_h(f, child->sum);
    }
    /* the children stay on their sides of the middle, whatever is below */
    if (f->o.monotone && f->o.monotone[node->feature]) {
        soothi_boost_node *left = &f->node[node->left], *right = &f->node[node->right];
        const double middle = 0.5 * (left->value + right->value);
        if (f->o.monotone[node->feature] > 0) left->high = right->low = middle;
        else left->low = right->high = middle;
    }
}

/* May this node be split, as far as depth and size go? */
SOOTHI_LOCAL int soothi_boost_open(const soothi_boost_fit *f, const soothi_boost_node *node) {
    return node->depth < f->o.max_depth && node->rows / 2 >= f->o.min_samples_leaf &&
           !(soothi_boost_h(f, node->sum) < 2.0 * f->o.min_child_weight);
}

/* ---- growing a tree ---- */

SOOTHI_LOCAL void soothi_boost_release(soothi_boost_fit *f, soothi_boost_node *node) {
    if (node->slot) f->free_slot[f->free_slots++] = node->slot;
    node->slot = 0;
}

SOOTHI_LOCAL void soothi_boost_need(soothi_boost_fit *f, uint32_t id) {
    soothi_boost_node *node = &f->node[id];
    if (node->slot) return;
    node->slot = f->free_slot[--f->free_slots];
    soothi_boost_fill(f, node, node->slot);
}

/* After a split the histogram goes over to the children that may be split: the smaller one's is made, the
   larger one's is the rest. bit 0 of which: the left child, bit 1: the right one. */
SOOTHI_LOCAL void soothi_boost_pass_on(soothi_boost_fit *f, uint32_t id, unsigned which) {
    soothi_boost_node *node = &f->node[id];
    const uint32_t smaller = f->node[node->left].rows <= f->node[node->right].rows ? node->left : node->right;
    const uint32_t larger = smaller == node->left ? node->right : node->left;
    const unsigned larger_bit = larger == node->left ? 1u : 2u;
    if ((which & larger_bit) && node->slot && f->free_slots > 0) {
        soothi_boost_need(f, smaller);
        soothi_boost_subtract(f, node->slot, f->node[smaller].slot);
        f->node[larger].slot = node->slot;
        node->slot = 0;
        if (!(which & (3u - larger_bit))) soothi_boost_release(f, &f->node[smaller]);
    }
    soothi_boost_release(f, node);
}

/* Splits a node and says which children may be split further: see soothi_boost_pass_on. */
SOOTHI_LOCAL unsigned soothi_boost_split_further(soothi_boost_fit *f, uint32_t id) {
    unsigned which = 0;
    soothi_boost_split_node(f, id);
    if (soothi_boost_open(f, &f->node[f->node[id].left])) which |= 1;
    if (soothi_boost_open(f, &f->node[f->node[id].right])) which |= 2;
    soothi_boost_pass_on(f, id, which);
    return which;
}

/* Level by level, though not in that order: nodes do not know of each other, and going deep first needs few
   histograms. The larger child waits with its histogram, so at most one per level does. */
SOOTHI_LOCAL void soothi_boost_grow_deep(soothi_boost_fit *f) {
    uint32_t n = 0;
    f->stack[n++] = 0;
    while (n > 0) {
        const uint32_t id = f->stack[--n];
        soothi_boost_node *node = &f->node[id];
        unsigned which;
        soothi_boost_need(f, id);
        if (!soothi_boost_find(f, id)) {
            soothi_boost_release(f, node);
            continue;
        }
        which = soothi_boost_split_further(f, id);
        /* the smaller one last, so that it comes first */
        if (f->node[node->left].rows <= f->node[node->right].rows) {
            if (which & 2) f->stack[n++] = node->right;
            if (which & 1) f->stack[n++] = node->left;
        } else {
            if (which & 1) f->stack[n++] = node->left;
            if (which & 2) f->stack[n++] = node->right;
        }
    }
}

/* Looks for a node's split; its histogram is kept for its children while two others stay free. */
SOOTHI_LOCAL int soothi_boost_consider(soothi_boost_fit *f, uint32_t id) {
    int found;
    soothi_boost_need(f, id);
    found = soothi_boost_find(f, id);
    if (!found || f->free_slots < 2) soothi_boost_release(f, &f->node[id]);
    return found;
}

/* Always the leaf that gains most (of equal ones the older) until there are max_leaves. The frontier is
   searched, not a heap: there are few leaves. */
SOOTHI_LOCAL void soothi_boost_grow_best(soothi_boost_fit *f) {
    uint32_t n = 0, leaves = 1, k;
    if (soothi_boost_consider(f, 0)) f->stack[n++] = 0;
    while (n > 0 && leaves < f->o.max_leaves) {
        uint32_t at = 0, id, child;
        unsigned which, side;
        for (k = 1; k < n; ++k) {
            const double a = f->node[f->stack[k]].gain, b = f->node[f->stack[at]].gain;
            if (a > b || (!(a < b) && f->stack[k] < f->stack[at])) at = k;
        }
        id = f->stack[at];
        f->stack[at] = f->stack[--n];
        which = soothi_boost_split_further(f, id);
        ++leaves;
        for (side = 0; side < 2; ++side) {
            child = side ? f->node[id].right : f->node[id].left;
            if ((which >> side & 1u) && soothi_boost_consider(f, child)) f->stack[n++] = child;
            else soothi_boost_release(f, &f->node[child]);
        }
    }
    for (k = 0; k < n; ++k) soothi_boost_release(f, &f->node[f->stack[k]]);
}

/* Adds what every split of every column gains in one node, to gain[(column x cells + bin) x 2 + missing
   left]. */
SOOTHI_LOCAL void soothi_boost_add_gains(soothi_boost_fit *f, const soothi_boost_node *node) {
    const double g = soothi_boost_g(f, node->sum), h = soothi_boost_h(f, node->sum);
    const double parent = soothi_tree_second_worth(&f->second, g, h, node->value);
    uint32_t k, b, side;
    for (k = 0; k < f->picks; ++k) {
        const uint32_t j = f->pick[k], used = f->columns.used[j];
        const int64_t *cell = soothi_boost_histogram(f, node->slot) + j * (size_t)f->cells * (size_t)f->width;
        for (side = 0; side < 2; ++side) {
            double *to = f->gain + (j * (size_t)f->cells) * 2 + side;
            const int64_t missing = used < f->cells ? cell[used * (size_t)f->width] : 0;
            int64_t sum[2];
            double gain = 0.0;
            if (side && !missing) { /* the same as on the other side */
                for (b = 0; b < used; ++b) to[2 * (size_t)b] += f->same[b];
                continue;
            }
            sum[0] = side ? missing : 0;
            sum[1] = side && f->width == 2 ? cell[2 * (size_t)used + 1] : 0;
            for (b = 0; b < used; ++b) {
                const int64_t here = cell[b * (size_t)f->width];
                if (here != 0 || b == 0) {
                    double gl, hl, wl, wr;
                    sum[0] += here;
                    if (f->width == 2) sum[1] += cell[2 * (size_t)b + 1];
                    gl = soothi_boost_g(f, sum);
                    hl = soothi_boost_h(f, sum);
                    wl = soothi_tree_second_answer(&f->second, gl, hl, node->low, node->high);
                    wr = soothi_tree_second_answer(&f->second, g - gl, h - hl, node->low, node->high);
                    gain = soothi_tree_second_worth(&f->second, gl, hl, wl) +
                           soothi_tree_second_worth(&f->second, g - gl, h - hl, wr) - parent;
                }
                f->same[b] = gain;
                to[2 * (size_t)b] += gain;
            }
        }
    }
}

/* The sums on the left of a split at `bin` of a node that has a histogram. */
SOOTHI_LOCAL void soothi_boost_sum_left(const soothi_boost_fit *f, soothi_boost_node *node) {
    const uint32_t used = f->columns.used[node->feature];
    const int64_t *cell =
        soothi_boost_histogram(f, node->slot) + node->feature * (size_t)f->cells * (size_t)f->width;
    uint32_t b, k;
    for (k = 0; k < (uint32_t)f->width; ++k) {
        node->left_sum[k] = !node->missing_right && used < f->cells ? cell[used * (size_t)f->width + k] : 0;
        for (b = 0; b <= node->bin; ++b) node->left_sum[k] += cell[b * (size_t)f->width + k];
    }
}

/* One split for all nodes of a level: that with the greatest sum of gains (Prokhorenkova et al.: CatBoost,
   NeurIPS 2018). A child without rows says what its parent would. */
SOOTHI_LOCAL void soothi_boost_grow_symmetric(soothi_boost_fit *f) {
    uint32_t level, from = 0, to = 1, id, k, b, side;
    for (level = 0; level < f->o.max_depth; ++level) {
        double most = f->o.gamma > 0.0 ? f->o.gamma : 0.0;
        uint32_t feature = UINT32_MAX, bin = 0, missing_left = 0;
        memset(f->gain, 0, f->cols * f->cells * 2 * sizeof *f->gain);
        soothi_boost_pick(f, from); /* one node stands for the level */
        for (id = from; id < to; ++id) {
            soothi_boost_need(f, id);
            if (f->node[id].rows > 0) soothi_boost_add_gains(f, &f->node[id]);
            most += 1e-12 * soothi_abs(f->node[id].value); /* no more than rounding */
        }
        for (k = 0; k < f->picks; ++k) {
            for (b = 0; b + 1 < f->columns.used[f->pick[k]]; ++b)
                for (side = 0; side < 2; ++side) {
                    const double gain = f->gain[(f->pick[k] * (size_t)f->cells + b) * 2 + side];
                    if (!(gain > most)) continue;
                    most = gain;
                    feature = f->pick[k];
                    bin = b;
                    missing_left = side;
                }
        }
        for (id = from; id < to; ++id) {
            soothi_boost_node *node = &f->node[id];
            if (feature != UINT32_MAX) {
                node->feature = feature;
                node->bin = bin;
                node->missing_right = !missing_left;
                node->gain = id == from ? most : 0.0;
                node->threshold = f->columns.edge[feature * (size_t)f->columns.bins + bin];
                soothi_boost_sum_left(f, node);
                soothi_boost_split_node(f, id);
                if (f->node[node->left].rows == 0) f->node[node->left].value = node->value;
                if (f->node[node->right].rows == 0) f->node[node->right].value = node->value;
                soothi_boost_pass_on(f, id, level + 1 < f->o.max_depth ? 3u : 0u);
            } else {
                soothi_boost_release(f, node);
            }
        }
        if (feature == UINT32_MAX) return;
        from = to;
        to = (uint32_t)f->nodes;
    }
    for (id = from; id < to; ++id) soothi_boost_release(f, &f->node[id]);
}

/* The root's sums. */
SOOTHI_LOCAL void soothi_boost_plant(soothi_boost_fit *f) {
    soothi_boost_node *root = &f->node[0];
    const int64_t *cell;
    uint32_t k;
    memset(root, 0, sizeof *root);
    root->rows = soothi_boost_draw_rows(f);
    root->low = -DBL_MAX;
    root->high = DBL_MAX;
    f->nodes = 1;
    soothi_boost_need(f, 0);
    /* any column has all rows */
    cell = soothi_boost_histogram(f, root->slot) + f->column[0] * (size_t)f->cells * (size_t)f->width;
    for (k = 0; k < f->cells; ++k) {
        root->sum[0] += cell[k * (size_t)f->width];
        if (f->width == 2) root->sum[1] += cell[2 * (size_t)k + 1];
    }
    root->value = soothi_tree_second_answer(&f->second, soothi_boost_g(f, root->sum),
                                            soothi_boost_h(f, root->sum), root->low, root->high);
    root->cover = (float)soothi_boost_h(f, root->sum);
}

/* leaf_of for the rows of one leaf. */
static void soothi_boost_name_task(void *arg, size_t id, size_t worker) {
    soothi_boost_fit *f = (soothi_boost_fit *)arg;
    const soothi_boost_node *node = &f->node[id];
    const uint32_t *row = f->row[node->depth & 1] + node->start;
    uint32_t k;
    (void)worker;
    if (node->left) return;
    for (k = 0; k < node->rows; ++k) f->leaf_of[row[k]] = (uint32_t)id;
}

/* leaf_of for the rows of the tree; UINT32_MAX for the others. */
SOOTHI_LOCAL void soothi_boost_name_leaves(soothi_boost_fit *f) {
    size_t id;
    if (f->node[0].rows < f->rows) memset(f->leaf_of, 255, f->rows * sizeof *f->leaf_of);
    if (f->rows > SOOTHI_BOOST_ALONE) soothi_parallel(f->env, f->nodes, soothi_boost_name_task, f);
    else
        for (id = 0; id < f->nodes; ++id) soothi_boost_name_task(f, id, 0);
}

SOOTHI_LOCAL void soothi_boost_grow_histogram(soothi_boost_fit *f) {
    soothi_boost_plant(f);
    if (soothi_boost_open(f, &f->node[0])) {
        if (f->o.grow == 2) soothi_boost_grow_symmetric(f);
        else if (f->o.grow == 1) soothi_boost_grow_best(f);
        else soothi_boost_grow_deep(f);
    } else {
        soothi_boost_release(f, &f->node[0]);
    }
    soothi_boost_name_leaves(f);
}

/* The leaf of a row. */
SOOTHI_LOCAL uint32_t soothi_boost_walk(const soothi_boost_fit *f, const float *row) {
    uint32_t id = 0;
    while (f->node[id].left) {
        const soothi_boost_node *node = &f->node[id];
        const float x = row[node->feature];
        const int right = x <= node->threshold ? 0 : x > node->threshold ? 1 : (int)node->missing_right;
        id = right ? node->right : node->left;
    }
    return id;
}

/* The same by the engine of tree.h: rows that are not drawn get no second derivative, which leaves them
   out. */
SOOTHI_LOCAL void soothi_boost_grow_exact(soothi_boost_fit *f) {
    const uint32_t drawn = soothi_boost_draw_rows(f);
    soothi_tree_grower *g = &f->grower;
    uint32_t k, next = 0, at;
    size_t i;
    memset(f->leaf_of, 255, f->rows * sizeof *f->leaf_of);
    for (k = 0; k < drawn; ++k) f->leaf_of[f->row[0][k]] = 0;
    g->rows = 0;
    for (i = 0; i < f->rows; ++i) {
        if (f->leaf_of[i]) f->h[i] = 0.0f;
        g->rows += f->h[i] > 0.0f;
    }
    f->nodes = 1;
    memset(&f->node[0], 0, sizeof f->node[0]);
    if (g->rows == 0) return;
    f->rules.stream = f->tree;
    g->column = f->columns_used < f->cols ? f->column : NULL;
    g->columns_used = f->columns_used;
    soothi_tree_begin(g);
    soothi_tree_grow(g); /* silent: it cannot fail */
    f->node[0].left = 0;
    for (at = 0; at <= next; ++at) { /* breadth first; until its turn comes, `left` is the record of a node */
        const uint32_t id = f->node[at].left;
        const soothi_tree_record *r = &g->record[id];
        soothi_boost_node *node = &f->node[at];
        memset(node, 0, sizeof *node);
        node->rows = r->rows;
        node->cover = (float)r->weight;
        node->low = g->bound ? g->bound[2 * (size_t)id] : -DBL_MAX;
        node->high = g->bound ? g->bound[2 * (size_t)id + 1] : DBL_MAX;
        node->value = g->mean[id] < node->low    ? node->low
                      : g->mean[id] > node->high ? node->high
                                                 : g->mean[id];
        if (!r->left) continue;
        node->feature = r->feature;
        node->threshold = r->threshold;
        node->missing_right = !r->missing_left;
        node->gain = r->gain;
        node->left = next + 1;
        node->right = next + 2;
        f->node[next + 1].left = r->left;
        f->node[next + 2].left = r->right;
        next += 2;
    }
    f->nodes = (size_t)next + 1;
    for (k = 0; k < drawn; ++k)
        f->leaf_of[f->row[0][k]] = soothi_boost_walk(f, f->table->x + f->row[0][k] * f->table->stride);
}

/* Takes splits back that gain less than gamma and end in two leaves, from the leaves up (children stand after
   their parent). What is cut off is moved out of the way; rows whose leaf is gone get their new one. */
SOOTHI_LOCAL void soothi_boost_prune(soothi_boost_fit *f) {
    size_t id, next = 1, cut = 0, k;
    for (id = f->nodes; id-- > 0;) {
        soothi_boost_node *node = &f->node[id];
        if (!node->left || f->node[node->left].left || f->node[node->right].left ||
            !(node->gain < f->o.gamma))
            continue;
        node->left = node->right = 0;
        ++cut;
    }
    if (cut == 0) return;
    f->stack[0] = 0; /* where each node that stays has been */
    for (id = 0; id < next; ++id) {
        f->node[id] = f->node[f->stack[id]]; /* never after where it has been, as parents come first */
        if (!f->node[id].left) continue;
        f->stack[next] = f->node[id].left;
        f->stack[next + 1] = f->node[id].right;
        f->node[id].left = (uint32_t)next;
        f->node[id].right = (uint32_t)next + 1;
        next += 2;
    }
    f->nodes = next;
    for (k = 0; k < f->usables; ++k) {
        const uint32_t row = f->usable[k];
        if (f->leaf_of[row] != UINT32_MAX)
            f->leaf_of[row] = soothi_boost_walk(f, f->table->x + row * f->table->stride);
    }
}

/* ---- what the leaves say ---- */

/* leaf_of for the rows of a chunk that were not drawn. */
static void soothi_boost_walk_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fit *f = (soothi_boost_fit *)arg;
    const size_t end = (i + 1) * SOOTHI_BOOST_CHUNK < f->rows ? (i + 1) * SOOTHI_BOOST_CHUNK : f->rows;
    size_t k;
    (void)worker;
    for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k)
        if (f->leaf_of[k] == UINT32_MAX)
            f->leaf_of[k] = soothi_boost_walk(f, f->table->x + k * f->table->stride);
}

/* The weighted quantile q of sorted entries: the first value up to which the weights are at least q of all;
   the middle between it and the next one when they are exactly that. */
SOOTHI_LOCAL double soothi_boost_quantile(const soothi_boost_fit *f, const uint64_t *entry, size_t n,
                                          double q) {
    const double floor = f->o.floor;
    double all = 0.0, below = 0.0, v;
    size_t k, pass;
    for (pass = 0; pass < 2; ++pass) {
        for (k = 0; k < n; ++k) {
            const size_t row = soothi_tree_entry_row(entry[k]);
            double w = f->table->weight ? (double)f->table->weight[row] : 1.0;
            if (f->o.loss == SOOTH_BOOST_RELATIVE && !f->trio) {
                const double size = soothi_abs((double)f->table->y[row * f->targets + f->tree % f->targets]);
                w /= size > floor ? size : floor;
            }
            if (pass == 0) {
                all += w;
                continue;
            }
            below += w;
            if (below >= q * all || k + 1 == n) break;
        }
    }
    v = (double)soothi_tree_unkey(soothi_tree_entry_key(entry[k]));
    if (k + 1 < n && !(below > q * all))
        v = 0.5 * v + 0.5 * (double)soothi_tree_unkey(soothi_tree_entry_key(entry[k + 1]));
    return v;
}

/* What is missing in the rows of a leaf, for answer `out` of each, in ascending order. */
SOOTHI_LOCAL void soothi_boost_residuals(const soothi_boost_fit *f, const uint32_t *row, size_t n, size_t out,
                                         uint64_t *list, uint64_t *room) {
    const size_t target = f->trio ? 0 : out;
    size_t k;
    for (k = 0; k < n; ++k) {
        const float r = f->table->y[row[k] * f->targets + target] - f->margin[row[k] * f->outs + out];
        list[k] = (uint64_t)soothi_tree_key(r) << 32 | row[k];
    }
    soothi_tree_sort(list, room, n);
}

/* Renews the leaves: medians or quantiles of what is missing in the rows that were drawn. row[1] gets them
   leaf by leaf. */
SOOTHI_LOCAL void soothi_boost_renew(soothi_boost_fit *f) {
    uint32_t *at = f->stack, sum = 0, *row = f->row[1];
    size_t id, k, q;
    memset(at, 0, f->nodes * sizeof *at);
    if (f->trio) memset(f->values, 0, 3 * f->nodes * sizeof *f->values);
    for (k = 0; k < f->usables; ++k)
        if (f->leaf_of[f->usable[k]] != UINT32_MAX) ++at[f->leaf_of[f->usable[k]]];
    for (id = 0; id < f->nodes; ++id) {
        const uint32_t here = at[id];
        at[id] = sum;
        sum += here;
    }
    for (k = 0; k < f->usables; ++k)
        if (f->leaf_of[f->usable[k]] != UINT32_MAX) row[at[f->leaf_of[f->usable[k]]]++] = f->usable[k];
    for (id = 0; id < f->nodes; ++id) {
        soothi_boost_node *node = &f->node[id];
        const uint32_t from = id ? at[id - 1] : 0;
        const size_t n = at[id] - from;
        if (node->left || n == 0) continue;
        for (q = 0; q < (f->trio ? 3u : 1u); ++q) {
            const size_t out = f->trio ? q : f->tree % f->targets;
            const double level = f->trio                             ? f->level[q]
                                 : f->o.loss == SOOTH_BOOST_QUANTILE ? f->o.quantile
                                                                     : 0.5;
            double v;
            soothi_boost_residuals(f, row + from, n, out, f->list[0], f->list[1]);
            v = soothi_boost_quantile(f, f->list[0], n, level);
            if (f->trio) f->values[3 * id + q] = f->apart == (q > 0) ? (float)(f->o.eta * v) : 0.0f;
            else node->value = v < node->low ? node->low : v > node->high ? node->high : v;
        }
        /* the three never cross: each leaf says them in ascending order, and so do sums of leaves */
        if (f->trio) {
            float *v = f->values + 3 * id;
            if (!f->apart || v[1] > v[0]) v[1] = v[0];
            if (!f->apart || v[2] < v[0]) v[2] = v[0];
        }
    }
}

/* Adds the tree to the answers of a chunk of rows. */
static void soothi_boost_answer_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fit *f = (soothi_boost_fit *)arg;
    const size_t end = (i + 1) * SOOTHI_BOOST_CHUNK < f->rows ? (i + 1) * SOOTHI_BOOST_CHUNK : f->rows;
    const size_t t = f->tree % f->targets;
    size_t k, q;
    (void)worker;
    for (k = i * SOOTHI_BOOST_CHUNK; k < end; ++k) {
        if (!f->trio) f->margin[k * f->outs + t] += (float)f->out[f->leaf_of[k]].value;
        else
            for (q = 0; q < 3; ++q) f->margin[3 * k + q] += f->values[3 * (size_t)f->leaf_of[k] + q];
    }
}

/* The grown tree as nodes of an ensemble; and the answers of all rows with it. */
SOOTHI_LOCAL void soothi_boost_settle_tree(soothi_boost_fit *f) {
    const sooth_table *valid = f->o.validation;
    size_t id, i, q;
    for (id = 0; id < f->nodes; ++id) {
        const soothi_boost_node *node = &f->node[id];
        sooth_ensemble_node *to = &f->out[id];
        to->left = node->left;
        to->right = node->right;
        to->feature = node->feature;
        to->missing_right = node->missing_right;
        to->threshold = node->threshold;
        to->cover = node->cover;
        to->gain = node->left ? node->gain : 0.0;
        to->value = node->left ? 0.0 : (double)(float)(f->o.eta * node->value);
    }
    soothi_parallel(f->env, f->chunks, soothi_boost_walk_task, f);
    soothi_parallel(f->env, f->chunks, soothi_boost_answer_task, f);
    for (i = 0; valid && i < valid->rows; ++i) {
        const uint32_t leaf = soothi_boost_walk(f, valid->x + i * valid->stride);
        if (!f->trio) f->valid[i * f->outs + f->tree % f->targets] += (float)f->out[leaf].value;
        else
            for (q = 0; q < 3; ++q) f->valid[3 * i + q] += f->values[3 * (size_t)leaf + q];
    }
}

/* ---- rounds ---- */

/* The mean loss of the present answers on what patience looks at. */
SOOTHI_LOCAL double soothi_boost_validate(const soothi_boost_fit *f) {
    const sooth_table *table = f->o.validation ? f->o.validation : f->table;
    const float *margin = f->o.validation ? f->valid : f->margin;
    double sum = 0.0, all = 0.0;
    size_t i, t;
    for (i = 0; i < table->rows; ++i) {
        const double w = table->weight ? (double)table->weight[i] : 1.0;
        if (!f->o.validation && !f->held[i]) continue;
        for (t = 0; t < f->outs; ++t) {
            const double y = (double)table->y[i * f->targets + (f->trio ? 0 : t)],
                         m = (double)margin[i * f->outs + t];
            double loss;
            if (f->trio) loss = m < y ? f->level[t] * (y - m) : (1.0 - f->level[t]) * (m - y);
            else if (f->o.custom) loss = f->o.custom->loss(f->o.custom->user, table->y + i, margin + i, 1);
            else loss = soothi_boost_loss(&f->o, y, m);
            sum += w * loss;
            all += w;
        }
    }
    return all > 0.0 ? sum / all : 0.0;
}

/* One tree. */
SOOTHI_LOCAL sooth_status soothi_boost_add_tree(soothi_boost_fit *f, sooth_ensemble_builder *b) {
    sooth_status status = soothi_boost_derive_all(f);
    if (status != SOOTH_OK) return status;
    soothi_boost_draw_columns(f);
    if (f->o.method == 1) soothi_boost_grow_exact(f);
    else soothi_boost_grow_histogram(f);
    if (f->o.gamma > 0.0 && f->o.grow != 2) soothi_boost_prune(f);
    if (f->renew) soothi_boost_renew(f);
    soothi_boost_settle_tree(f);
    return sooth_ensemble_add(b, f->out, f->nodes, f->trio ? f->values : NULL);
}

/* All rounds; with patience, those after the best one are taken back. */
SOOTHI_LOCAL sooth_status soothi_boost_run(soothi_boost_fit *f, sooth_ensemble_builder *b,
                                           sooth_boost_report *report) {
    const uint32_t per_round = f->trio ? 1 : f->targets, first = (uint32_t)b->start.used - 1;
    const int watch = f->o.patience > 0;
    double best = watch ? soothi_boost_validate(f) : 0.0;
    uint32_t round, k, best_round = 0;
    sooth_status status = SOOTH_OK;
    for (round = 0; round < f->o.rounds && status == SOOTH_OK; ++round) {
        status = soothi_progress(f->env, "boosting", (double)round / (double)f->o.rounds);
        /* the first half is the median's; then low and high spread around it */
        f->apart = 2 * round >= f->o.rounds;
        for (k = 0; k < per_round && status == SOOTH_OK; ++k) {
            f->tree = (uint32_t)b->start.used - 1;
            status = soothi_boost_add_tree(f, b);
        }
        if (watch && status == SOOTH_OK) {
            const double loss = soothi_boost_validate(f);
            if (loss < best || best_round == 0) { /* one round is kept in any case */
                best = loss;
                best_round = round + 1;
                memcpy(f->best_gain, b->gain, f->cols * sizeof *b->gain);
            } else if (round + 1 - best_round >= f->o.patience) {
                ++round;
                break;
            }
        }
    }
    if (status == SOOTH_OK && watch) soothi_ensemble_cut(b, first + best_round * per_round, f->best_gain);
    report->rounds_tried = round;
    report->rounds = watch ? best_round : round;
    report->validation_loss = watch ? best : (double)soothi_of_bits(SOOTHI_MISSING_BITS);
    return status;
}

/* ---- fitting ---- */

/* Chooses what is held out: whole groups, or rows where there are none. */
SOOTHI_LOCAL void soothi_boost_hold_out(soothi_boost_fit *f) {
    const sooth_table *table = f->table;
    uint32_t *order = f->row[0], *member = f->row[1], n = 0, units, k, i, held;
    sooth_rng rng;
    for (i = 0; i < f->rows; ++i) f->held[i] = 0;
    for (i = 0; i < f->rows; ++i) /* one row for each group, or every row */
        if (!table->group) order[n++] = i;
    if (table->group) {
        for (i = 0; i < f->rows; ++i) {
            for (k = 0; k < n && table->group[order[k]] != table->group[i]; ++k) continue;
            if (k == n) order[n++] = i;
            member[i] = k;
        }
    }
    units = n;
    for (k = 0; k < units; ++k) f->leaf_of[k] = k;
    sooth_rng_init(&rng, f->o.seed, UINT64_MAX);
    sooth_rng_shuffle(&rng, f->leaf_of, units);
    held = (uint32_t)(f->o.held_out * (double)units + 0.5);
    if (held == 0) held = 1;
    if (held >= units) held = units - 1;
    for (k = 0; k < held; ++k) { /* mark the units, then their rows */
        if (!table->group) f->held[f->leaf_of[k]] = 1;
        else
            for (i = 0; i < f->rows; ++i) f->held[i] |= member[i] == f->leaf_of[k];
    }
}

/* What the answers of target t start with: where a constant answer has the least loss. */
SOOTHI_LOCAL double soothi_boost_base(soothi_boost_fit *f, size_t t, double level) {
    const float *y = f->table->y;
    const int logs = f->o.loss == SOOTH_BOOST_POISSON || f->o.loss == SOOTH_BOOST_GAMMA;
    double sum = 0.0, all = 0.0, v = f->o.base_score;
    size_t k;
    if (f->o.custom) return f->o.custom->base;
    if ((v < 0.0 || v > 0.0) && !f->trio) return logs ? soothi_log(v > 1e-6 ? v : 1e-6) : v;
    /* the answers are still 0, so what is missing is the target */
    if (f->renew || f->o.loss == SOOTH_BOOST_HUBER) {
        f->tree = (uint32_t)t;
        soothi_boost_residuals(f, f->usable, f->usables, t, f->list[0], f->list[1]);
        return soothi_boost_quantile(f, f->list[0], f->usables, level);
    }
    for (k = 0; k < f->usables; ++k) {
        const double w = f->table->weight ? (double)f->table->weight[f->usable[k]] : 1.0;
        sum += w * (double)y[f->usable[k] * f->targets + t];
        all += w;
    }
    v = sum / all;
    return logs ? soothi_log(v > 1e-6 ? v : 1e-6) : v;
}

/* No zero stands for a default afterwards. */
SOOTHI_LOCAL void soothi_boost_resolve(soothi_boost_fit *f, const sooth_boost_options *options) {
    sooth_boost_options *o = &f->o;
    const sooth_option_list list = sooth_boost_options_list();
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    if (o->grow == 1 && o->max_depth == 0) o->max_depth = 30;
    if (o->loss == SOOTH_BOOST_POISSON && !(o->max_delta_step > 0.0) && !o->custom) o->max_delta_step = 0.7;
    soothi_option_fill(list, o);
    f->second.lambda = o->lambda;
    f->second.alpha = o->alpha;
    f->second.max_step = o->max_delta_step;
}

/* What the table and the options must keep beyond their ranges. */
SOOTHI_LOCAL sooth_status soothi_boost_accept(sooth_env *env, const sooth_table *table,
                                              const soothi_boost_fit *f) {
    const sooth_boost_options *o = &f->o;
    const sooth_table *valid = o->validation;
    size_t i, j;
    char room[32];
    sooth_status status = sooth_table_check(env, table, SOOTH_NEED_TARGETS | SOOTH_ALLOW_MISSING);
    if (status == SOOTH_OK && valid)
        status = sooth_table_check(env, valid, SOOTH_NEED_TARGETS | SOOTH_ALLOW_MISSING);
    if (status != SOOTH_OK) return status;
    if (valid && (valid->cols != table->cols || valid->targets != table->targets))
        return soothi_fail(env, SOOTH_BAD_DATA,
                           "the validation table has %z columns and %z targets, but the other has %z and %z",
                           valid->cols, valid->targets, table->cols, table->targets);
    if (o->patience && !valid && table->rows < 2)
        return soothi_fail(env, SOOTH_BAD_DATA, "patience needs rows to hold out, but the table has one row");
    if (o->patience && o->custom && !o->custom->loss)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "patience needs the custom loss to have a loss function");
    if (o->method == 1 && o->grow == 2)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "symmetric trees are grown from histograms, but method is exact");
    if (o->method == 1 && o->colsample_bylevel < 1.0)
        return soothi_fail(
            env, SOOTH_BAD_ARGUMENT,
            "colsample_bylevel is %g, but exact growth knows colsample_bytree and colsample_bynode only",
            o->colsample_bylevel);
    if (o->grow == 2 && o->max_depth > 12)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "max_depth is %u, but symmetric trees have at most 12 levels", o->max_depth);
    if (o->grow == 2 && o->monotone)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "monotone constraints and symmetric trees do not go together");
    if ((o->custom || f->trio) && table->targets > 1)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "a custom loss and quantiles need a single target, but the table has %z",
                           table->targets);
    if (o->method == 0 && table->rows > (size_t)1 << 28)
        return soothi_fail(env, SOOTH_BAD_DATA, "the table has %z rows, but histograms hold at most 2^28",
                           table->rows);
    for (j = 0; o->monotone && j < table->cols; ++j)
        if (o->monotone[j] < -1 || o->monotone[j] > 1)
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "monotone is %d for %s, but must be -1, 0 or 1",
                               (int)o->monotone[j], soothi_column(table, j, room));
    for (i = 0; !o->custom && !f->trio && i < table->rows * table->targets; ++i) {
        const double y = (double)table->y[i];
        if (o->loss == SOOTH_BOOST_POISSON && y < 0.0)
            return soothi_fail(env, SOOTH_BAD_DATA,
                               "row %z has the target %g, but the poisson loss takes none below 0",
                               i / table->targets + 1, y);
        if (o->loss == SOOTH_BOOST_GAMMA && !(y > 0.0))
            return soothi_fail(env, SOOTH_BAD_DATA,
                               "row %z has the target %g, but the gamma loss takes positive ones",
                               i / table->targets + 1, y);
        if (o->loss == SOOTH_BOOST_RELATIVE && !(o->floor > 0.0) && !(y < 0.0 || y > 0.0))
            return soothi_fail(env, SOOTH_BAD_DATA,
                               "row %z has the target 0, of which no error is relative; set floor above 0",
                               i / table->targets + 1);
    }
    return SOOTH_OK;
}

/* Sizes, and (when m has memory) pointers. */
SOOTHI_LOCAL void soothi_boost_lay_out(soothi_carver *m, soothi_boost_fit *f) {
    const sooth_boost_options *o = &f->o;
    const size_t rows = f->rows, width = (size_t)f->width;
    const int exact = o->method == 1, medians = f->renew || o->loss == SOOTH_BOOST_HUBER;
    size_t histogram = soothi_product(soothi_product(f->cols, f->cells), width * sizeof(int64_t)), k;
    f->margin = (float *)soothi_carve(m, soothi_product(rows, f->outs), sizeof(float));
    f->g = (float *)soothi_carve(m, rows, sizeof(float));
    f->h = exact || !f->constant ? (float *)soothi_carve(m, rows, sizeof(float)) : NULL;
    f->whole = exact ? NULL : (int32_t *)soothi_carve(m, soothi_product(rows, width), sizeof(int32_t));
    f->held = o->patience && !o->validation ? (unsigned char *)soothi_carve(m, rows, 1) : NULL;
    f->usable = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
    for (k = 0; k < 2; ++k) f->row[k] = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
    f->leaf_of = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
    f->chunk_most = (double *)soothi_carve(m, 2 * f->chunks, sizeof(double));
    for (k = 0; k < 2; ++k) f->list[k] = medians ? (uint64_t *)soothi_carve(m, rows, sizeof(uint64_t)) : NULL;
    f->valid = o->validation
                   ? (float *)soothi_carve(m, soothi_product(o->validation->rows, f->outs), sizeof(float))
                   : NULL;
    f->node = (soothi_boost_node *)soothi_carve(m, f->capacity, sizeof *f->node);
    f->out = (sooth_ensemble_node *)soothi_carve(m, f->capacity, sizeof *f->out);
    f->values = f->trio ? (float *)soothi_carve(m, soothi_product(f->capacity, 3), sizeof(float)) : NULL;
    f->stack = (uint32_t *)soothi_carve(m, f->capacity, sizeof(uint32_t));
    f->column = (uint32_t *)soothi_carve(m, f->cols, sizeof(uint32_t));
    f->pick = (uint32_t *)soothi_carve(m, f->cols, sizeof(uint32_t));
    f->best_gain = (double *)soothi_carve(m, f->cols, sizeof(double));
    soothi_tree_layout_columns(m, &f->columns, rows, 1);
    if (exact) {
        soothi_tree_layout(m, &f->grower, &f->columns);
        return;
    }
    f->columns.least = (float *)soothi_carve(m, soothi_product(f->cols, f->columns.bins), sizeof(float));
    f->bin = (unsigned char *)soothi_carve(m, soothi_product(rows, f->cols), 1);
    f->gain = o->grow == 2 ? (double *)soothi_carve(m, soothi_product(soothi_product(f->cols, f->cells), 2),
                                                    sizeof(double))
                           : NULL;
    f->free_slot = (uint32_t *)soothi_carve(m, f->slots, sizeof(uint32_t));
    f->histogram = (int64_t *)soothi_carve(m, f->slots + f->workers - 1, histogram);
}

/* Sizes of everything, from the options and the table. */
SOOTHI_LOCAL void soothi_boost_plan(soothi_boost_fit *f) {
    const sooth_boost_options *o = &f->o;
    const sooth_table *table = f->table;
    const size_t levels = (size_t)1 << o->max_depth;
    size_t histogram;
    f->rows = table->rows;
    f->cols = table->cols;
    f->targets = (uint32_t)table->targets;
    f->outs = f->trio ? 3 : table->targets;
    f->workers = soothi_workers(f->env);
    f->chunks = (f->rows + SOOTHI_BOOST_CHUNK - 1) / SOOTHI_BOOST_CHUNK;
    f->renew =
        f->trio || (!o->custom && (o->loss == SOOTH_BOOST_ABSOLUTE || o->loss == SOOTH_BOOST_QUANTILE ||
                                   o->loss == SOOTH_BOOST_RELATIVE));
    f->constant = !table->weight && !o->custom && (f->trio || o->loss <= SOOTH_BOOST_QUANTILE);
    f->width = f->constant ? 1 : 2;
    f->count_bits = soothi_tree_bits(f->rows) + 1;
    f->columns.rows = f->rows;
    f->columns.cols = f->cols;
    f->columns.entries = f->rows;
    f->columns.bins = o->method == 1 ? 0 : o->bins;
    f->cells = o->bins < 256 ? o->bins + 1 : 256;
    f->capacity = o->grow == 1 ? 2 * (size_t)o->max_leaves - 1 : 2 * levels - 1;
    if (o->grow != 2 && f->capacity > 2 * f->rows - 1) f->capacity = 2 * f->rows - 1;
    histogram = f->cols * f->cells * (size_t)f->width * sizeof(int64_t);
    f->slots = o->grow == 2   ? levels / 2 + 2
               : o->grow == 0 ? o->max_depth + 2u
                              : ((size_t)64 << 20) / histogram;
    if (o->grow == 1 && f->slots > o->max_leaves + 2u) f->slots = o->max_leaves + 2u;
    if (f->slots < 4) f->slots = 4;
    if (o->method == 1) {
        sooth_tree_options tree;
        memset(&tree, 0, sizeof tree);
        tree.max_depth = o->max_depth;
        tree.min_samples_leaf = o->min_samples_leaf;
        tree.max_leaves = o->grow == 1 ? o->max_leaves : 0;
        tree.seed = o->seed;
        tree.monotone = o->monotone;
        if (o->colsample_bynode < 1.0) {
            const double columns = (double)(uint32_t)(o->colsample_bytree * (double)f->cols + 1e-9);
            tree.max_features = (uint32_t)(o->colsample_bynode * (columns < 1.0 ? 1.0 : columns) + 1e-9);
            if (tree.max_features == 0) tree.max_features = 1;
        }
        soothi_tree_plan(&f->rules, &f->grower, &f->columns, &tree, f->rows, f->rows, f->cols, 1, 1, 1.0,
                         f->workers);
        f->columns.entries = f->rows;
        f->rules.criterion = SOOTHI_TREE_SECOND;
        f->rules.min_weight = o->min_child_weight;
        f->rules.second = f->second;
        f->grower.rules = &f->rules;
        f->grower.columns = &f->columns;
    }
}

/* Gives every row its bins: columns are cut one after the other, and then stand row by row. */
SOOTHI_LOCAL sooth_status soothi_boost_cut_columns(soothi_boost_fit *f) {
    const size_t rows = f->rows, cols = f->cols, workers = f->workers;
    soothi_carver m;
    soothi_tree_grower sorter;
    soothi_tree_worker *worker = NULL;
    uint64_t *room = NULL;
    size_t pass, w, i, j;
    memset(&m, 0, sizeof m);
    memset(&sorter, 0, sizeof sorter);
    for (pass = 0; pass < 2; ++pass) {
        if (pass) m.memory = (unsigned char *)soothi_alloc(f->env, m.used, 1);
        if (pass && !m.memory) return soothi_no_memory(f->env, "sorting columns", m.used);
        m.used = 0;
        if (!f->columns.bins) {
            room = (uint64_t *)soothi_carve(&m, soothi_product(cols, f->columns.stride), sizeof(uint64_t));
            continue;
        }
        worker = (soothi_tree_worker *)soothi_carve(&m, workers, sizeof *worker);
        for (w = 0; w < workers; ++w) {
            uint64_t *list = (uint64_t *)soothi_carve(&m, rows, 2 * sizeof(uint64_t));
            if (!m.memory) continue;
            memset(&worker[w], 0, sizeof worker[w]);
            worker[w].list[0] = list;
            worker[w].list[1] = list + rows;
        }
    }
    sorter.env = f->env;
    sorter.workers = workers;
    sorter.worker = worker;
    soothi_tree_prepare(&sorter, &f->columns, room, f->table);
    /* 64 rows at a time, so that both sides stay in the cache */
    for (i = 0; f->columns.bins && i < rows; i += 64)
        for (j = 0; j < cols; ++j) {
            const unsigned char *from = f->columns.bin + j * rows;
            size_t k, end = rows - i < 64 ? rows : i + 64;
            for (k = i; k < end; ++k) f->bin[k * cols + j] = from[k];
        }
    soothi_free(f->env, m.memory, m.used, 1);
    return SOOTH_OK;
}

/* Everything that does not change from tree to tree. old: the model to be continued, or NULL. */
SOOTHI_LOCAL sooth_status soothi_boost_prepare(soothi_boost_fit *f, const sooth_boost *old,
                                               sooth_ensemble_builder *b) {
    const sooth_table *table = f->table, *valid = f->o.validation;
    size_t i, t;
    sooth_status status = soothi_boost_cut_columns(f);
    if (status != SOOTH_OK) return status;
    if (f->o.method == 1) {
        f->grower.y = f->g;
        f->grower.weight = f->h;
    }
    for (i = 0; i < f->slots; ++i)
        if (f->o.method == 0) f->free_slot[i] = (uint32_t)(f->slots - i);
    f->free_slots = f->slots;
    if (f->o.patience && !valid) soothi_boost_hold_out(f);
    else f->held = NULL;
    f->usables = 0;
    for (i = 0; i < f->rows; ++i)
        if ((!table->weight || table->weight[i] > 0.0f) && (!f->held || !f->held[i]))
            f->usable[f->usables++] = (uint32_t)i;
    if (f->usables == 0)
        return soothi_fail(f->env, SOOTH_BAD_DATA, "no row of positive weight is left to train on");
    memset(f->margin, 0, f->rows * f->outs * sizeof *f->margin);
    for (t = 0; t < f->outs && !old; ++t)
        sooth_ensemble_set_base(
            b, (uint32_t)t,
            (double)(float)soothi_boost_base(
                f, f->trio ? 0 : t, f->trio || f->o.loss != SOOTH_BOOST_QUANTILE ? 0.5 : f->o.quantile));
    if (old) {
        soothi_ensemble_margins(old, table->x, f->rows, table->stride, f->margin);
        if (valid) soothi_ensemble_margins(old, valid->x, valid->rows, valid->stride, f->valid);
    } else {
        for (i = 0; i < f->rows * f->outs; ++i)
            f->margin[i] = f->o.base_margin && !f->trio ? f->o.base_margin[i] : (float)b->base[i % f->outs];
        for (i = 0; valid && i < valid->rows * f->outs; ++i) f->valid[i] = (float)b->base[i % f->outs];
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_boost_fit_any(sooth_env *env, const sooth_table *table,
                                               const sooth_boost_options *options, const sooth_boost *old,
                                               const double *level, sooth_boost **boost,
                                               sooth_boost_report *report) {
    soothi_boost_fit *f;
    soothi_carver m;
    sooth_ensemble_shape shape;
    sooth_ensemble_builder b;
    sooth_boost_report unread;
    sooth_status status;
    size_t pass;
    *boost = NULL;
    if (options) status = sooth_option_check(env, sooth_boost_options_list(), options);
    else status = SOOTH_OK;
    if (status != SOOTH_OK) return status;
    f = (soothi_boost_fit *)soothi_alloc(env, 1, sizeof *f);
    if (!f) return soothi_no_memory(env, "boosting", sizeof *f);
    memset(f, 0, sizeof *f);
    f->env = env;
    f->table = table;
    f->trio = level != NULL;
    if (level) memcpy(f->level, level, sizeof f->level);
    soothi_boost_resolve(f, options);
    if (level) f->o.custom = NULL;
    status = soothi_boost_accept(env, table, f);
    if (status == SOOTH_OK && old &&
        (old->head.features != table->cols || old->head.targets != table->targets || level))
        status = soothi_fail(env, SOOTH_BAD_DATA,
                             "the model takes %u features for %u targets, but the table has %z and %z",
                             old->head.features, old->head.targets, table->cols, table->targets);
    memset(&m, 0, sizeof m);
    for (pass = 0; pass < 2 && status == SOOTH_OK; ++pass) { /* first the size, then the pointers */
        if (pass) m.memory = (unsigned char *)soothi_alloc(env, m.used, 1);
        if (pass && !m.memory) {
            status = soothi_no_memory(env, "boosting", m.used);
            break;
        }
        m.used = 0;
        soothi_boost_plan(f);
        soothi_boost_lay_out(&m, f);
    }
    memset(&b, 0, sizeof b);
    if (status == SOOTH_OK) {
        memset(&shape, 0, sizeof shape);
        shape.kind = SOOTH_KIND_BOOST;
        shape.features = (uint32_t)table->cols;
        shape.targets = (uint32_t)f->outs;
        shape.flags = (f->trio ? SOOTH_ENSEMBLE_ROWS : 0u) | (f->o.no_cover ? 0u : SOOTH_ENSEMBLE_COVER);
        shape.link =
            !f->trio && !f->o.custom && (f->o.loss == SOOTH_BOOST_POISSON || f->o.loss == SOOTH_BOOST_GAMMA)
                ? SOOTH_LINK_EXP
                : SOOTH_LINK_IDENTITY;
        shape.no_table = f->o.no_table;
        status = old ? sooth_ensemble_resume(&b, env, old) : sooth_ensemble_begin(&b, env, &shape);
        b.shape.no_table = f->o.no_table;
        if (status == SOOTH_OK) status = soothi_boost_prepare(f, old, &b);
        if (status == SOOTH_OK) status = soothi_boost_run(f, &b, report ? report : &unread);
        soothi_free(env, m.memory, m.used, 1);
        m.memory = NULL;
        if (status == SOOTH_OK) status = sooth_ensemble_end(&b, boost);
        else soothi_ensemble_drop(&b);
    }
    soothi_free(env, m.memory, m.used, 1);
    soothi_free(env, f, 1, sizeof *f);
    return status;
}

SOOTH_API sooth_status sooth_boost_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_boost_options *options, sooth_boost **boost) {
    return soothi_boost_fit_any(env, table, options, NULL, NULL, boost, NULL);
}

SOOTH_API sooth_status sooth_boost_fit_report(sooth_env *env, const sooth_table *table,
                                              const sooth_boost_options *options, sooth_boost **boost,
                                              sooth_boost_report *report) {
    return soothi_boost_fit_any(env, table, options, NULL, NULL, boost, report);
}

SOOTH_API sooth_status sooth_boost_grow(sooth_env *env, const sooth_boost *boost, const sooth_table *table,
                                        const sooth_boost_options *options, sooth_boost **larger) {
    return soothi_boost_fit_any(env, table, options, boost, NULL, larger, NULL);
}

SOOTH_API sooth_status sooth_boost_fit_quantiles(sooth_env *env, const sooth_table *table,
                                                 const sooth_boost_options *options, double low, double high,
                                                 sooth_boost **boost) {
    double level[3];
    *boost = NULL;
    if (!(low > 0.0 && low < 0.5 && high > 0.5 && high < 1.0))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "low is %g and high %g, but they must be between 0 and 0.5 and between 0.5 and 1",
                           low, high);
    level[0] = 0.5;
    level[1] = low;
    level[2] = high;
    return soothi_boost_fit_any(env, table, options, NULL, level, boost, NULL);
}

SOOTH_API void sooth_boost_free(sooth_env *env, sooth_boost *boost) { sooth_ensemble_free(env, boost); }

#endif /* SOOTH_PREDICT_ONLY */
#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
