/* boost.h - gradient boosting: each tree corrects the errors of the trees before it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Second-order gradient boosting: the prediction is a sum of trees. Each new tree is fitted to the first and
 * second derivatives of the loss at the present predictions.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/boost.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  2, 20,  3, 10,  4, 20};   // threads and megahertz of four runs
 *         float y[] = {8, 4, 3, 1};                      // seconds
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_boost_options options = {.n_estimators = 50, .learning_rate = 0.1,
 *                                        .subsample = 1};   // zero means the default
 *         sooth_env env;
 *         sooth_boost *boost;
 *         sooth_env_init(&env);
 *         if (sooth_boost_fit(&env, &table, &options, &boost) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g seconds\n", sooth_boost_predict(boost, x));   //> 7.97938 seconds
 *         sooth_boost_free(&env, boost);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Columns marked in table.categorical hold codes 0, 1, 2, ... of unordered levels. Nodes test whether the
 *   code is in a set, as in LightGBM and XGBoost. See tree/columns.h.
 * - A missing value goes to the side where the loss falls most. Levels not seen in a node during training
 *   follow the larger child.
 * - A column has up to 256 classes (255 with missing values, or fewer if `bins` is smaller). The most
 *   frequent levels have their own; the others share the last. Encode columns of thousands of levels with
 *   preprocess/encode.h.
 * - The leaf values of categorical trees use `lambda` only; LightGBM also adds `cat_l2` there.
 * - With linear_leaves, each leaf is a linear model, which extrapolates (see tree/linear_leaves.h). For
 *   absolute and quantile losses it is fitted by least squares, then moved by the median or quantile of its
 *   rows' residuals. The relative loss has none.
 * - quantiles = {0.5, 0.9, 0.99} fits one model of several quantiles to a table with one target (or with a
 *   column for each, all the same). They are the targets of the model, in this order. Each has its own trees:
 *   those of a model for it alone, with the same seed. A row's quantiles are then sorted: they never cross.
 * - A stream of rows: sooth_boost_refit learns the leaves again from the newest (boost/refit.h);
 *   sooth_boost_resume adds trees.
 * - With env->reduce_fn, several processes fit one model, each with its own rows (see sooth_boost_fit).
 * - Defaults are for accuracy: 500 rounds at 0.05, each on 0.7 of the rows. Their error is 0.91 of that of
 *   100 rounds at 0.1 on all rows, over 41 tables (bench/README.md). Where size or time count, set
 *   n_estimators=100 learning_rate=0.1: a fifth of both.
 * - The logistic loss has other defaults: 200 rounds, and min_child_weight 1. A leaf of few rows, all of one
 *   class, has no finite optimum, and 500 rounds reach p = 1e-9. The log loss is below that of XGBoost's
 *   defaults on all of 19 tables, and of LightGBM's on 16 (bench/README.md). Presets are as published.
 *
 * Method and references
 *
 * Let g and h be the first and second derivative of each row's loss, G and H their sums in a leaf. The
 * optimal leaf value is w = -T(G) / (H + lambda). The gain of a split is
 *     T(G_L)^2 / (H_L + lambda) + T(G_R)^2 / (H_R + lambda) - T(G)^2 / (H + lambda),
 *     T(G) = sign(G) max(|G| - alpha, 0)
 * (Friedman: Greedy function approximation, Annals of Statistics 29, 2001; Chen, Guestrin: XGBoost, KDD 2016,
 * eq. 5 to 7). The fitting loop:
 *
 *     margin = base                                     the constant with the smallest loss
 *     for each round, for each target
 *         for each row    g, h = derivatives of the loss at its margin
 *         draw rows, columns
 *         grow a tree: each split maximises the sum over the leaves of T(G)^2 / (H + lambda)
 *             and gains at least gamma (method=exact: splits into two leaves that gain less are undone)
 *         for each leaf   w = -T(G) / (H + lambda), or the median or quantile of its rows' residuals
 *         for each row    margin += learning rate x the w of its leaf
 *         if the held-out loss has not improved for `patience` rounds: stop, return to the best round
 *     prediction = link(margin)
 *
 * Histograms (the default): every column is cut once into at most 256 bins. Gradients are scaled by a power
 * of two, rounded to integers and summed per bin and node. They have 22 bits with a million rows and 30 with
 * ten thousand, so that sums fit. Integer sums do not depend on the order of addition, and so the model's
 * bytes do not depend on the number of workers. A node's histogram is exactly its parent's minus its
 * sibling's. With method = exact, every distinct value is tried (tree/grow.h).
 *
 * The second derivative of the absolute, quantile and relative losses vanishes. Their h is the row's weight
 * (relative: divided by max(|y|, floor)). After each tree has grown, its leaves are renewed: a leaf's value
 * is the weighted median or quantile of its rows' residuals. A quantile q of n residuals is the (n + 1) q-th;
 * between two neighbours their linear interpolation: numpy's method "weibull", the leaf of XGBoost 3. With
 * probability q a further residual is below it, as in split conformal prediction; the ceil(n q)-th is too
 * low in small leaves. Models fitted by earlier versions took that one, and still predict as they did.
 *
 * With histograms, gamma stops growth, as in XGBoost 3 and LightGBM. That matters most for quantiles, whose
 * gains are small: a split undone bottom up stays if any split below it gains enough.
 *
 * Up to max_cat_to_onehot levels, a categorical split separates one level from the rest. More levels are
 * sorted by G / (H + cat_smooth) and split as if ordered (Fisher, JASA 53, 1958). The smaller side has at
 * most max_cat_threshold levels. The gain of such a split uses lambda + cat_l2.
 *
 * Cost
 *
 * n rows, d columns, w workers, B bins, trees of depth D:
 *   fit      rounds x O(d n D / 2) additions in histograms. Memory: 2 d n + 28 to 31 n bytes, plus 8 (or
 *            16) B d bytes for each of about D histograms (2^(D - 1) + 3 w with several workers, up to 64
 *            MB). A row's bins lie beside its gradient, in records of a multiple of 4 bytes. Counting a row
 *            outside of the cache touches one line (10 columns) or two (up to 60), which pays from some
 *            10,000 rows on (bench/README.md). Sorting the columns, once, needs 16 n w more. Exact growth:
 *            see tree.h.
 *   blocks   A table read in blocks takes 6 n bytes more (squared loss; else 14 n; n / 8 more with drawn
 *            rows), if trees are depthwise without weights, gamma and medians.
 *   ranks    Several processes: D + 1 reductions a tree, of 24 bytes and of at most 8 (or 16) d (B + 1)
 *            2^(D - 1): 0.66 MB with D = 6, d = 10, B = 256. Held-out rows add 3 a round, or R + 2 if R
 *            processes have fewer than 65,536. Once: tree/shards.h. Over 8 MB a level: see tree/grow.h.
 *   predict  At most 8 ceil(trees / 8) x depth comparisons, no allocation.
 *   model    See tree/ensemble.h.
 */
#if !defined(SOOTH_BOOST_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BOOST_IMPLEMENTED))
#include "validation/split.h"
#include "tree/shards.h"
#include "tree/passes.h"
#include "tree/symmetric.h"
#include "tree/ensemble.h"
#endif

#ifndef SOOTH_BOOST_H
#define SOOTH_BOOST_H

SOOTHI_C_BEGIN

/* An ensemble of kind SOOTH_KIND_BOOST; predictions are the sums over its trees. With several targets, tree k
   predicts target k % targets; several quantiles are the targets of a model. */
typedef sooth_ensemble sooth_boost;

#define SOOTH_BOOST_VERSION SOOTH_ENSEMBLE_VERSION

/* Returns 1 if bytes[0..size) begin with a valid boosted model. The functions below then neither loop forever
   nor read outside. A checked model may come from anyone. */
SOOTH_API int sooth_boost_check(const void *bytes, size_t size);

/* Predicts one row of head.features floats, with the link applied; with several targets, the first. */
SOOTH_API float sooth_boost_predict(const sooth_boost *boost, const float *row);

/* Writes out[i * targets + t] for `rows` rows, which are `stride` floats apart. */
SOOTH_API void sooth_boost_predict_many(const sooth_boost *boost, const float *x, size_t rows, size_t stride,
                                        float *out);

/* Returns the worst-case cost of one prediction. Eight trees are walked together until all have reached a
   leaf: 8 ceil(trees / 8) x depth comparisons. multiply_adds counts a value per tree and target, and the
   columns of each tree's largest linear leaf. Values above 32 bits become UINT32_MAX. */
SOOTH_API sooth_cost sooth_boost_cost(const sooth_boost *boost);

/* Returns the quantiles that a model predicts, level[0..head.targets), ascending; NULL if it was not fitted
   to several. */
SOOTH_API const float *sooth_boost_quantiles(const sooth_boost *boost);

#ifndef SOOTH_PREDICT_ONLY

/* Loss of a row with target y and present prediction f. For Poisson and gamma, f is the logarithm of the
   prediction; for logistic, the log odds. */
typedef enum sooth_boost_loss {
    SOOTH_BOOST_SQUARED = 0, /* (f - y)^2 / 2 */
    SOOTH_BOOST_ABSOLUTE,    /* |f - y| */
    SOOTH_BOOST_HUBER,       /* squared up to an error of huber_delta, then linear */
    SOOTH_BOOST_QUANTILE,    /* pinball: q (y - f) if f is too low, (1 - q) (f - y) if it is too high */
    SOOTH_BOOST_POISSON,     /* e^f - y f, for counts and rates: y >= 0 */
    SOOTH_BOOST_GAMMA,       /* y e^-f + f: y > 0 */
    SOOTH_BOOST_RELATIVE,    /* |f - y| / max(|y|, floor): the MAPE */
    SOOTH_BOOST_LOGISTIC     /* log(1 + e^f) - y f, the log loss of P(y = 1): y is 0 or 1 */
} sooth_boost_loss;

/* A user-defined loss. derive_fn computes gradient[i] and hessian[i] (>= 0) of `rows` rows at the predictions
   margin[i], without the rows' weights. base is the initial prediction. */
typedef struct sooth_boost_custom {
    void (*derive_fn)(void *user, const float *y, const float *margin, size_t rows, float *gradient,
                      float *hessian);
    /* mean loss, for early stopping; may be NULL */
    double (*loss_fn)(void *user, const float *y, const float *margin, size_t rows);
    void *user; /* passed to both functions */
    double base;
} sooth_boost_custom;

typedef enum sooth_boost_method {
    SOOTH_BOOST_HISTOGRAM = 0, /* candidates are the bin edges */
    SOOTH_BOOST_EXACT          /* candidates are all distinct values */
} sooth_boost_method;

/* Which node is split next; named as in XGBoost. */
typedef enum sooth_boost_grow_policy {
    SOOTH_BOOST_DEPTHWISE = 0, /* all nodes down to max_depth */
    SOOTH_BOOST_LOSSGUIDE,     /* always the leaf with the largest gain, up to max_leaves (as in LightGBM) */
    SOOTH_BOOST_SYMMETRIC      /* one split for a whole level (as in CatBoost) */
} sooth_boost_grow_policy;

/* Held-out rows are those of `validation` if given. Otherwise, patience or validation_fraction holds out a
   random share of the groups (or of the rows, if there are no groups). Training stops after `patience` rounds
   without a better held-out loss. The model is then that of the best round. */
typedef struct sooth_boost_options {
    uint32_t n_estimators;         /* rounds: trees per target; 0 means 500, but 200 for logistic */
    uint32_t loss;                 /* a sooth_boost_loss */
    uint32_t method;               /* a sooth_boost_method */
    uint32_t grow_policy;          /* a sooth_boost_grow_policy */
    uint32_t max_depth;            /* 0 means 6 (lossguide: no limit) */
    uint32_t max_leaves;           /* of a lossguide tree; 0 means 31 */
    uint32_t min_samples_leaf;     /* min rows in a leaf; 0 means 1 */
    uint32_t bins;                 /* 2 to 256; 0 means 256 */
    uint32_t seed;                 /* of all draws; affects nothing else */
    uint32_t patience;             /* rounds; 0 means 10 with held-out rows, else no early stopping */
    uint32_t no_cover;             /* 1: smaller model without SHAP explanations */
    uint32_t no_table;             /* 1: smaller model with slower predictions (see tree/ensemble.h) */
    uint32_t has_base_score;       /* 1: use base_score even if it is 0 */
    uint32_t has_min_child_weight; /* 1: use min_child_weight even if it is 0 */
    double learning_rate;          /* factor that shrinks each tree; 0 means 0.05 */
    double lambda, alpha;          /* L2 and L1 penalty of the formula above; 0 means none */
    double gamma;                  /* min gain of a split (method=exact: applied bottom up, as in XGBoost) */
    double min_child_weight;       /* min sum of h in a leaf; 0 means none, but 1 for logistic */
    double max_delta_step;    /* max |w|; 0 means no limit, but 0.7 for Poisson, 4 for gamma and logistic */
    double subsample;         /* share of rows drawn (without replacement) per tree; 0 means 0.7 */
    double colsample_bytree;  /* share of columns drawn per tree; 0 means 1 */
    double colsample_bylevel; /* share of the tree's columns drawn per level; 0 means 1 */
    double colsample_bynode;  /* share of the level's columns drawn per node; 0 means 1 */
    double quantile;          /* of SOOTH_BOOST_QUANTILE; 0 means 0.5 */
    double quantiles[SOOTH_ENSEMBLE_MAX_QUANTILES]; /* several, ascending; 0 ends the list (see the notes) */
    double huber_delta;                             /* 0 means 1 */
    double floor;               /* of |y| in SOOTH_BOOST_RELATIVE; 0 means none, and targets must not be 0 */
    double base_score;          /* initial prediction; 0 without has_base_score means the best constant */
    double validation_fraction; /* share to hold out; 0 means 0.2 with patience, else none */
    uint32_t linear_leaves;     /* 1: linear leaves (see tree/linear_leaves.h) */
    uint32_t has_extrapolate;   /* 1: use extrapolate even if it is 0 */
    double linear_lambda;       /* L2 penalty of the slopes; 0 means none */
    double extrapolate;         /* how far linear leaves extrapolate, in ranges; 0 means 3 */
    /* categorical columns (see the top comment); named as in LightGBM */
    uint32_t max_cat_to_onehot;       /* max levels to split one from the rest; 0 means 4 */
    uint32_t max_cat_threshold;       /* with more levels: max levels on the smaller side; 0 means 32 */
    uint32_t has_cat_smooth;          /* 1: use cat_smooth even if it is 0 */
    uint32_t has_cat_l2;              /* 1: use cat_l2 even if it is 0 */
    double cat_smooth;                /* added to a level's H to sort levels by G / H; 0 means 10 */
    double cat_l2;                    /* added to lambda to judge a split of several levels; 0 means 10 */
    const signed char *monotone;      /* per column 1: predictions may only rise with it; -1: fall; 0: both */
    const float *base_margin;         /* rows x targets: initial f instead of the base; not in the model */
    const sooth_table *validation;    /* your own held-out rows */
    const sooth_boost_custom *custom; /* your own loss, instead of `loss` */
} sooth_boost_options;

/* Results of a fit. */
typedef struct sooth_boost_report {
    uint32_t rounds; /* in the model: with patience, up to the best round */
    uint32_t rounds_tried;
    double validation_loss; /* mean held-out loss after the best round; NaN without held-out rows */
} sooth_boost_report;

/* Fits boosted trees to a table with targets. NaN in x is missing. options NULL means defaults. After a
   failure, *boost is NULL.
   - env->loss_fn is called after every round with the mean training and held-out loss.
   - Category codes are integers below SOOTH_MAX_CATEGORIES. Monotone constraints and symmetric trees do not
     support categorical columns.
   - With env->reduce_fn, table holds the rows of this process (at least one), and a validation table its
     share. Every process gets the model that one process with all rows would fit, byte for byte.
   - Then median losses (absolute, quantile, relative, huber), exact growth, linear_leaves, categories, custom
     losses and a random hold-out are refused. */
SOOTH_API sooth_status sooth_boost_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_boost_options *options, sooth_boost **boost);

/* Returns SOOTH_OK if these options (NULL means defaults) are valid for this table. Otherwise fails with the
   sentence that fitting would fail with. */
SOOTH_API sooth_status sooth_boost_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_boost_options *options);

/* Like sooth_boost_fit, with a report (may be NULL). */
SOOTH_API sooth_status sooth_boost_fit_report(sooth_env *env, const sooth_table *table,
                                              const sooth_boost_options *options, sooth_boost **boost,
                                              sooth_boost_report *report);

/* Fits a new model: the trees of an old one and options->n_estimators more rounds. With the same table and
   options, its bytes equal those of all rounds fitted at once. */
SOOTH_API sooth_status sooth_boost_resume(sooth_env *env, const sooth_boost *boost, const sooth_table *table,
                                          const sooth_boost_options *options, sooth_boost **larger);

/* Frees the model; NULL is allowed. */
SOOTH_API void sooth_boost_free(sooth_env *env, sooth_boost *boost);

/* Returns the names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_boost_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_BOOST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BOOST_IMPLEMENTED)
#define SOOTH_BOOST_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API int sooth_boost_check(const void *bytes, size_t size) {
    const sooth_ensemble *e = (const sooth_ensemble *)bytes;
    return soothi_ensemble_check(bytes, size, SOOTH_KIND_BOOST) &&
           (e->extra == 0 || (e->flags & SOOTH_ENSEMBLE_QUANTILES));
}

SOOTH_API float sooth_boost_predict(const sooth_boost *boost, const float *row) {
    return sooth_ensemble_predict(boost, row);
}

SOOTH_API void sooth_boost_predict_many(const sooth_boost *boost, const float *x, size_t rows, size_t stride,
                                        float *out) {
    sooth_ensemble_predict_many(boost, x, rows, stride, out);
}

SOOTH_API sooth_cost sooth_boost_cost(const sooth_boost *boost) { return soothi_ensemble_cost(boost); }

SOOTH_API const float *sooth_boost_quantiles(const sooth_boost *boost) {
    return boost->flags & SOOTH_ENSEMBLE_QUANTILES ? soothi_ensemble_levels(boost) : NULL;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

SOOTH_API sooth_option_list sooth_boost_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_boost_options, n_estimators, 1, 1000000, 500,
                     "rounds: number of trees per target; for logistic the default is 200"),
        SOOTHI_CHOICE(sooth_boost_options, loss,
                      "squared|absolute|huber|quantile|poisson|gamma|relative|logistic",
                      "loss to minimise; relative is the MAPE, logistic predicts the probability of a 1"),
        SOOTHI_CHOICE(sooth_boost_options, method, "histogram|exact",
                      "candidate thresholds: bin edges, or every value"),
        SOOTHI_CHOICE(sooth_boost_options, grow_policy, "depthwise|lossguide|symmetric",
                      "level by level, best leaf first, or one split for a whole level"),
        SOOTHI_COUNT(sooth_boost_options, max_depth, 1, 30, 6, "max comparisons down to a leaf"),
        SOOTHI_COUNT(sooth_boost_options, max_leaves, 2, 1000000, 31, "max leaves of a lossguide tree"),
        SOOTHI_COUNT(sooth_boost_options, min_samples_leaf, 1, 2147483647, 1, "min rows in a leaf"),
        SOOTHI_COUNT(sooth_boost_options, bins, 2, 256, 256, "max bins per column (histograms)"),
        SOOTHI_COUNT(sooth_boost_options, seed, 0, 4294967295.0, 0, "seed of all draws"),
        SOOTHI_COUNT(sooth_boost_options, patience, 1, 1000000, 0,
                     "stop after this many rounds without a better held-out loss; 0: see boost.h"),
        SOOTHI_FLAG(sooth_boost_options, no_cover, "1: smaller model without SHAP explanations"),
        SOOTHI_FLAG(sooth_boost_options, no_table, "1: smaller model with slower predictions"),
        SOOTHI_NUMBER(sooth_boost_options, learning_rate, 1e-9, 1, 0.05, "factor that shrinks each tree"),
        SOOTHI_NUMBER(sooth_boost_options, lambda, 0, DBL_MAX, 0, "L2 penalty of a leaf"),
        SOOTHI_NUMBER(sooth_boost_options, alpha, 0, DBL_MAX, 0, "L1 penalty of a leaf"),
        SOOTHI_NUMBER(sooth_boost_options, gamma, 0, DBL_MAX, 0, "min gain of a split"),
        SOOTHI_GIVEN(sooth_boost_options, min_child_weight, 0, DBL_MAX, 0,
                     "min sum of second derivatives in a leaf; for logistic the default is 1"),
        SOOTHI_NUMBER(sooth_boost_options, max_delta_step, 0, DBL_MAX, 0,
                      "max step of a leaf; 0 means no limit, but 0.7 for poisson, 4 for gamma and logistic"),
        SOOTHI_NUMBER(sooth_boost_options, subsample, 0, 1, 0.7, "share of rows drawn per tree"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bytree, 0, 1, 1, "share of columns drawn per tree"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bylevel, 0, 1, 1,
                      "share of the tree's columns drawn per level"),
        SOOTHI_NUMBER(sooth_boost_options, colsample_bynode, 0, 1, 1,
                      "share of the level's columns drawn per node"),
        SOOTHI_NUMBER(sooth_boost_options, quantile, 0, 1, 0.5, "quantile that loss=quantile predicts"),
        SOOTHI_NUMBERS(sooth_boost_options, quantiles, 0, 1,
                       "several quantiles of one target, ascending, that never cross: 0.5,0.9,0.99"),
        SOOTHI_NUMBER(sooth_boost_options, huber_delta, 0, DBL_MAX, 1,
                      "error above which the huber loss is linear"),
        SOOTHI_NUMBER(sooth_boost_options, floor, 0, DBL_MAX, 0, "min |target| in relative errors"),
        SOOTHI_GIVEN(sooth_boost_options, base_score, -DBL_MAX, DBL_MAX, 0,
                     "initial prediction; not given: the best constant"),
        SOOTHI_NUMBER(sooth_boost_options, validation_fraction, 0, 0.9, 0.2,
                      "share of groups (or rows) to hold out"),
        SOOTHI_LEAVES_OPTIONS(sooth_boost_options),
        SOOTHI_COUNT(sooth_boost_options, max_cat_to_onehot, 1, 256, 4,
                     "max levels of a column to split one level from the rest"),
        SOOTHI_COUNT(sooth_boost_options, max_cat_threshold, 1, 256, 32,
                     "max levels on the smaller side of a split"),
        SOOTHI_GIVEN(sooth_boost_options, cat_smooth, 0, DBL_MAX, 10,
                     "added to the second derivatives of a level to sort levels"),
        SOOTHI_GIVEN(sooth_boost_options, cat_l2, 0, DBL_MAX, 10,
                     "added to lambda for a split of several levels")};
    return SOOTHI_OPTIONS(option);
}

/* ---- state of a fit ---- */

#define SOOTHI_BOOST_UNDRAWN UINT32_MAX

#define SOOTHI_BOOST_TURN 256u /* rows that walk down a tree together */

/* A split, as rows that were not drawn follow it. */
typedef struct soothi_boost_step {
    uint32_t left;         /* left child, the right one is the next; 0: a leaf */
    uint32_t cut, missing; /* bins above `cut` and below `missing` go right */
    size_t column;         /* offset of the bins of its feature */
} soothi_boost_step;

/* targets: those of the model. Trees take turns to be grown for them. Several quantiles are the targets of a
   model for a table with one. nodes: of one tree, at most grower.capacity. */
typedef struct soothi_boost_fitting {
    sooth_env *env;
    const sooth_table *table;
    sooth_boost_options o;                      /* resolved: defaults are filled in */
    uint32_t quantiles;                         /* their number, if there are several; else 0 */
    double level[SOOTH_ENSEMBLE_MAX_QUANTILES]; /* of each, or of the quantile loss in [0] */
    int renews;                                 /* 1: leaves are medians or quantiles of residuals */
    size_t rows, targets;
    size_t all_rows;      /* of all processes */
    size_t chunk, chunks; /* rows per piece of parallel work; number of pieces */
    uint32_t tree;        /* index of the present tree */
    int last;             /* 1 for the last tree */
    int derived;          /* 1 if the derivatives for the next tree are computed */
    int wants_history;    /* 1 if some process has a loss_fn */

    /* gradients that the next tree is fitted to */
    float *margin;     /* rows x targets: the present sums */
    float *g, *h;      /* rows: derivatives for the present target; h NULL: all 1 */
    double *chunk_max; /* chunks x 2: max |g| and max h */

    /* rows */
    unsigned char *held; /* rows: 1 if held out; NULL: none */
    uint32_t *usable;    /* usable_count: rows that may be drawn; NULL: all */
    size_t usable_count;
    int every_row_usable;                     /* 1 if all rows are usable; then open_task fills `usable` */
    const double *base;                       /* targets: initial margins; NULL: base_margin */
    uint64_t usable_count_all, usable_before; /* of all processes; of those before this one */
    uint32_t *drawn;                          /* rows: rows of the present tree, until it grows */
    uint32_t *kept, kept_count;               /* rows: with quantiles, the draw of the round; else NULL */
    size_t kept_all;
    uint32_t *by_leaf; /* rows: scratch for drawn rows, sorted by leaf */
    uint32_t *leaf_of; /* rows: the node that each row ends in */
    uint64_t *list[2]; /* rows: residuals to sort; NULL: not needed */

    /* the tree */
    soothi_columns columns;
    soothi_grower_rules rules;
    soothi_grower grower;
    soothi_passes passes;       /* place NULL: rows are kept in lists */
    soothi_boost_step *step;    /* nodes; NULL: rows that were not drawn walk by their values */
    int steps;                  /* 1: step holds the present tree */
    uint32_t *column;           /* cols: columns drawn for the tree */
    soothi_ensemble_node *node; /* nodes */
    float *value;               /* nodes */
    uint32_t *first;            /* nodes: offset of each node's rows in by_leaf */
    size_t nodes;
    double *gain;         /* symmetric: cols x cells x 2 (missing right, left): sums over a level */
    soothi_leaves leaves; /* of the present tree, with linear_leaves */

    /* held-out rows */
    float *valid;      /* rows of the validation table x targets: margins */
    double *best_gain; /* cols: gains per column at the best round */
} soothi_boost_fitting;

/* ---- derivatives ---- */

/* Returns the loss of one row at the margin m. */
SOOTHI_LOCAL double soothi_boost_loss(const sooth_boost_options *o, double y, double m) {
    const double e = m - y, size = soothi_abs(e);
    switch ((sooth_boost_loss)o->loss) {
    case SOOTH_BOOST_SQUARED: return 0.5 * e * e;
    case SOOTH_BOOST_ABSOLUTE: return size;
    case SOOTH_BOOST_HUBER:
        return size <= o->huber_delta ? 0.5 * e * e : o->huber_delta * (size - 0.5 * o->huber_delta);
    case SOOTH_BOOST_QUANTILE: return e < 0.0 ? -o->quantile * e : (1.0 - o->quantile) * e;
    case SOOTH_BOOST_POISSON: return soothi_exp(m) - y * m;
    case SOOTH_BOOST_GAMMA: return y * soothi_exp(-m) + m;
    case SOOTH_BOOST_RELATIVE: return size / soothi_criterion_denominator(y, o->floor);
    case SOOTH_BOOST_LOGISTIC: return (m > 0.0 ? m : 0.0) + soothi_log1p(soothi_exp(-soothi_abs(m))) - y * m;
    }
    return 0.0;
}

/* Computes the derivatives of one row's loss at the margin m. */
SOOTHI_LOCAL void soothi_boost_derive(const sooth_boost_options *o, double y, double m, double *g,
                                      double *h) {
    const double e = m - y, sign = e > 0.0 ? 1.0 : e < 0.0 ? -1.0 : 0.0;
    double v;
    *h = 1.0;
    switch ((sooth_boost_loss)o->loss) {
    case SOOTH_BOOST_SQUARED: *g = e; break;
    case SOOTH_BOOST_ABSOLUTE: *g = sign; break;
    case SOOTH_BOOST_HUBER:
        *g = e > o->huber_delta ? o->huber_delta : e < -o->huber_delta ? -o->huber_delta : e;
        break;
    case SOOTH_BOOST_QUANTILE: *g = e >= 0.0 ? 1.0 - o->quantile : -o->quantile; break;
    case SOOTH_BOOST_POISSON:
        v = soothi_exp(m);
        *g = v - y;
        *h = v * soothi_exp(o->max_delta_step); /* bound on h at the end of the step, as in XGBoost */
        break;
    case SOOTH_BOOST_GAMMA:
        v = y * soothi_exp(-m);
        *g = 1.0 - v;
        *h = v;
        break;
    case SOOTH_BOOST_RELATIVE:
        v = soothi_criterion_denominator(y, o->floor);
        *g = sign / v;
        *h = 1.0 / v;
        break;
    case SOOTH_BOOST_LOGISTIC: /* p - y and p (1 - p); the minimum is XGBoost's */
        v = soothi_exp(-soothi_abs(m));
        *g = (m < 0.0 ? v : 1.0) / (1.0 + v) - y;
        *h = v / ((1.0 + v) * (1.0 + v));
        if (*h < 1e-16) *h = 1e-16;
        break;
    }
}

/* Returns the index of a row's y for target t of the model. */
SOOTHI_LOCAL size_t soothi_boost_y_at(const soothi_boost_fitting *f, size_t row, size_t t) {
    return f->table->targets == 1 ? row : row * f->targets + t;
}

/* Returns the quantile of target t, with the quantile loss. */
SOOTHI_LOCAL double soothi_boost_level(const soothi_boost_fitting *f, size_t t) {
    return f->level[f->quantiles ? t : 0];
}

/* Derivatives of row i for target t. */
SOOTHI_LOCAL void soothi_boost_derive_row(const soothi_boost_fitting *f, size_t i, size_t t, double *g,
                                          double *h) {
    const float y = f->table->y[soothi_boost_y_at(f, i, t)], m = f->margin[i * f->targets + t];
    if (f->o.custom) {
        *g = (double)f->g[i];
        *h = (double)f->h[i];
    } else if (f->o.loss == SOOTH_BOOST_QUANTILE) {
        const double level = soothi_boost_level(f, t);
        *g = m >= y ? 1.0 - level : -level;
        *h = 1.0;
    } else {
        soothi_boost_derive(&f->o, (double)y, (double)m, g, h);
    }
}

/* Computes the derivatives of one chunk of rows for target t, and their maxima. */
SOOTHI_LOCAL void soothi_boost_derive_chunk(soothi_boost_fitting *f, size_t i, size_t t) {
    const size_t from = i * f->chunk, end = soothi_columns_block_end(i, f->chunk, f->rows),
                 targets = f->targets;
    double most_g = 0.0, most_h = 0.0;
    if (f->o.loss == SOOTH_BOOST_SQUARED && !f->h) { /* the common case, for speed */
        for (size_t k = from; k < end; ++k) {
            const float e = f->margin[k * targets + t] - f->table->y[k * targets + t],
                        size = e < 0.0f ? -e : e;
            if (f->g) f->g[k] = e;
            most_g = (double)size > most_g ? (double)size : most_g;
        }
        most_h = 1.0;
    } else if (f->o.loss == SOOTH_BOOST_QUANTILE && !f->o.custom && f->g && !f->h && !f->table->weight) {
        const double level = soothi_boost_level(f, t);
        const float low = (float)-level, high = (float)(1.0 - level);
        size_t above = 0;
        for (size_t k = from; k < end; ++k) {
            const int over = f->margin[k * targets + t] >= f->table->y[soothi_boost_y_at(f, k, t)];
            f->g[k] = over ? high : low;
            above += (size_t)over;
        }
        if (above < end - from) most_g = level;
        if (above > 0 && 1.0 - level > most_g) most_g = 1.0 - level;
        most_h = 1.0;
    } else {
        for (size_t k = from; k < end; ++k) {
            const double w = soothi_row_weight(f->table->weight, k);
            double g = 0.0, h = 0.0;
            soothi_boost_derive_row(f, k, t, &g, &h);
            g *= w;
            h *= w;
            if (f->g) f->g[k] = (float)g;
            if (f->h) f->h[k] = (float)h;
            if (soothi_abs(g) > most_g) most_g = soothi_abs(g);
            if (h > most_h) most_h = h;
            if (!soothi_finite(g) || !soothi_finite(h)) most_g = most_h = DBL_MAX; /* refused in derive_all */
        }
    }
    f->chunk_max[2 * i] = most_g;
    f->chunk_max[2 * i + 1] = most_h;
}

static void soothi_boost_derive_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fitting *f = (soothi_boost_fitting *)arg;
    (void)worker;
    soothi_boost_derive_chunk(f, i, f->tree % f->targets);
}

/* Computes integer derivatives of the rows from..end if g and h are not stored. */
static void soothi_boost_make_whole(const void *arg, size_t from, size_t end) {
    const soothi_boost_fitting *f = (const soothi_boost_fitting *)arg;
    const soothi_grower_packed *packed = &f->grower.packed;
    for (size_t k = from; k < end; ++k) {
        double g = 0.0, h = 0.0;
        soothi_boost_derive_row(f, k, f->tree % f->targets, &g, &h);
        packed->whole[2 * k] = soothi_histogram_round((double)(float)g * packed->scale[0]);
        packed->whole[2 * k + 1] = soothi_histogram_round((double)(float)h * packed->scale[1]);
    }
}

/* Computes the largest power of two with most x scale <= 2^bits, and its inverse. */
SOOTHI_LOCAL void soothi_boost_scale(double most, uint32_t bits, double *scale, double *back) {
    const double s = soothi_power_of_two((int32_t)bits);
    *scale = *back = 1.0;
    if (!(most > 0.0)) return;
    while (most * *scale > s && *scale > 1e-300) *scale *= 0.5, *back *= 2.0;
    while (most * *scale * 2.0 <= s && *scale < 1e300) *scale *= 2.0, *back *= 0.5;
}

SOOTHI_LOCAL sooth_status soothi_boost_diverged(const soothi_boost_fitting *f) {
    return sooth_fail(
        f->env, SOOTH_NOT_CONVERGED,
        "after %u trees a derivative of the loss is not finite; try a smaller learning_rate or a "
        "max_delta_step",
        f->tree);
}

/* Computes the derivatives at the present margins, in g and h, and the scales that make them integers. own is
   the status of this process after the tree before. Its reduction, the only one of a tree besides those of
   histograms, shares failures and the maximum derivatives. */
SOOTHI_LOCAL sooth_status soothi_boost_derive_all(soothi_boost_fitting *f, sooth_status own) {
    const sooth_boost_custom *custom = f->o.custom;
    soothi_grower_packed *packed = &f->grower.packed;
    double most[2] = {0.0, 0.0}; /* |g| and h; over all processes after the reduction */
    if (custom && own == SOOTH_OK)
        custom->derive_fn(custom->user, f->table->y, f->margin, f->rows, f->g, f->h);
    if (!f->derived) soothi_parallel(f->env, f->chunks, soothi_boost_derive_task, f);
    f->derived = 0;
    for (size_t i = 0; i < f->chunks; ++i) {
        if (f->chunk_max[2 * i] > most[0]) most[0] = f->chunk_max[2 * i];
        if (f->chunk_max[2 * i + 1] > most[1]) most[1] = f->chunk_max[2 * i + 1];
    }
    const sooth_status status = soothi_agree_most(f->env, own, most, 2);
    if (status != SOOTH_OK) return status;
    if (most[0] >= DBL_MAX || most[1] >= DBL_MAX) return soothi_boost_diverged(f);
    if (!packed->width) return SOOTH_OK;
    /* An int64 has 63 bits besides its sign: count_bits for the count, bits(rows) for the sum of that many
       gradients, and one for rounding. The rest is for one gradient, at most 30, which int32 holds. */
    const uint32_t bits = 62 - packed->count_bits - soothi_tree_bits(f->all_rows);
    soothi_boost_scale(most[0], bits < 30 ? bits : 30, &packed->scale[0], &packed->back[0]);
    soothi_boost_scale(most[1], 30, &packed->scale[1], &packed->back[1]);
    packed->back[0] *= soothi_power_of_two(-(int32_t)packed->count_bits); /* the low bits hold the count */
    f->passes.target = f->tree % f->targets;
    return SOOTH_OK;
}

/* ---- drawing rows and columns ---- */

/* Draws the columns of the present tree and returns their number. */
SOOTHI_LOCAL uint32_t soothi_boost_draw_columns(const soothi_boost_fitting *f, uint32_t *column) {
    const uint32_t cols = (uint32_t)f->columns.cols;
    sooth_rng rng;
    for (uint32_t j = 0; j < cols; ++j) column[j] = j;
    if (f->o.colsample_bytree >= 1.0) return cols;
    sooth_rng_init(&rng, f->o.seed, (uint64_t)f->rules.stream << 32 | 0xFFFFFFFEu);
    return soothi_grower_draw(&rng, column, cols, f->o.colsample_bytree);
}

/* Begins the draw of the rows of the present tree: the trees of a round share it. */
SOOTHI_LOCAL void soothi_boost_draws(const soothi_boost_fitting *f, sooth_rng *rng) {
    sooth_rng_init(rng, f->o.seed, (uint64_t)(f->tree / f->targets) << 32 | UINT32_MAX);
}

typedef struct soothi_boost_drawing {
    sooth_rng rng;
    uint32_t *word;
    size_t count, chunk; /* words; words per task, a multiple of 4 as sooth_rng makes 4 at a time */
} soothi_boost_drawing;

/* Moves a stream forward by 4 n words from a multiple of 4. */
SOOTHI_LOCAL void soothi_boost_skip_words(sooth_rng *rng, size_t n) {
    const uint64_t counter = ((uint64_t)rng->counter[1] << 32 | rng->counter[0]) + n;
    rng->counter[0] = (uint32_t)counter;
    rng->counter[1] = (uint32_t)(counter >> 32);
}

static void soothi_boost_word_task(void *arg, size_t i, size_t worker) {
    const soothi_boost_drawing *d = (const soothi_boost_drawing *)arg;
    const size_t end = soothi_columns_block_end(i, d->chunk, d->count);
    sooth_rng rng = d->rng;
    (void)worker;
    soothi_boost_skip_words(&rng, i * d->chunk / 4);
    for (size_t k = i * d->chunk; k < end; ++k) d->word[k] = soothi_rng_next(&rng);
}

/* Returns the words that draw the rows of the present tree. Several workers make them ahead, in `room`. */
SOOTHI_LOCAL soothi_grower_words soothi_boost_draw_words(const soothi_boost_fitting *f, uint32_t *room) {
    soothi_grower_words words = {{{0}, {0}, {0}, 0}, room, 0, 0};
    soothi_boost_draws(f, &words.rng);
    if (f->grower.workers == 1) return words;
    words.count = (f->usable_count_all < f->rows ? (size_t)f->usable_count_all : f->rows) / 4 * 4;
    soothi_boost_drawing d = {words.rng, room, words.count, (f->chunk + 3) / 4 * 4};
    soothi_parallel(f->env, (d.count + d.chunk - 1) / d.chunk, soothi_boost_word_task, &d);
    soothi_boost_skip_words(&words.rng, words.count / 4);
    return words;
}

/* Draws the rows of the present tree into row and returns their number. *all is the number over all
   processes. Each process draws for the rows of all, so all make the same draw. */
SOOTHI_LOCAL uint32_t soothi_boost_draw_rows(soothi_boost_fitting *f, uint32_t *row, const uint32_t **drawn,
                                             size_t *all) {
    uint32_t here;
    *drawn = f->usable;
    *all = (size_t)f->usable_count_all;
    if (f->o.subsample >= 1.0) return (uint32_t)f->usable_count;
    *drawn = row;
    if (f->kept && f->tree % f->targets) { /* the quantiles of a round share a draw */
        memcpy(row, f->kept, f->kept_count * sizeof *row);
        *all = f->kept_all;
        return f->kept_count;
    }
    *all = soothi_grower_draw_part(soothi_boost_draw_words(f, f->by_leaf), f->usable,
                                   (uint32_t)f->usable_count_all, f->o.subsample, (uint32_t)f->usable_before,
                                   (uint32_t)f->usable_count, row, &here);
    if (f->kept) {
        memcpy(f->kept, row, here * sizeof *row);
        f->kept_count = here;
        f->kept_all = *all;
    }
    return here;
}

/* ---- growing a tree ---- */

/* Returns the index of the first of the ascending row[0..n) that is at least `least`. A node's rows are
   spread roughly evenly over the table's `rows`. The search starts at the expected position, with doubling
   steps. */
SOOTHI_LOCAL uint32_t soothi_boost_first_row(const uint32_t *row, uint32_t n, size_t least, size_t rows) {
    uint32_t from = 0, end = n, at = (uint32_t)((uint64_t)n * least / rows);
    for (uint32_t step = 8; at < end; step *= 2) { /* row[from - 1] < least <= row[end] */
        if (row[at] < least) {
            from = at + 1;
            if (step > n - from) break;
            at = from + step;
        } else {
            end = at;
            if (from > 0 || step > end) break;
            at = end - step;
        }
    }
    while (from < end) {
        const uint32_t middle = from + (end - from) / 2;
        if (row[middle] < least) from = middle + 1;
        else end = middle;
    }
    return from;
}

/* Writes leaf_of for a chunk of rows. One worker per leaf would write to cache lines of the others. */
static void soothi_boost_leaf_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fitting *f = (soothi_boost_fitting *)arg;
    const soothi_grower *g = &f->grower;
    const size_t from = i * f->chunk, end = soothi_columns_block_end(i, f->chunk, f->rows);
    (void)worker;
    if (g->rows < f->rows) memset(f->leaf_of + from, 255, (end - from) * sizeof *f->leaf_of);
    for (size_t id = 0; id < f->nodes; ++id) {
        const soothi_grower_record *r = &g->record[g->order[id]];
        const uint32_t *row = soothi_grower_rows(g, r);
        if (r->left ? !g->record[r->left].stays : r->stays) continue;
        const uint32_t first = from ? soothi_boost_first_row(row, r->own, from, f->rows) : 0;
        soothi_grow_name_leaves(g, r, row + first, r->own - first, end, (uint32_t)id, f->node[id].left,
                                f->leaf_of);
    }
}

/* Returns 1 if leaf_of can be written while values are added: leaves do not change in between. */
SOOTHI_LOCAL int soothi_boost_finds_leaves_late(const soothi_boost_fitting *f) {
    return f->grower.packed.width && !f->passes.place && !f->renews && !f->o.linear_leaves;
}

/* Grows a tree from histograms. */
SOOTHI_LOCAL void soothi_boost_grow_histogram(soothi_boost_fitting *f) {
    soothi_grower *g = &f->grower;
    size_t all;
    if (f->passes.place) {
        g->rows = f->rows;
        if (f->passes.drawn) {
            sooth_rng rng;
            soothi_boost_draws(f, &rng);
            g->rows = soothi_grower_draw_bits(&rng, f->passes.drawn, (uint32_t)f->rows, f->o.subsample);
        }
        soothi_passes_begin(&f->passes);
        soothi_grow_begin(g);
        soothi_grow_tree(g);
        f->nodes = soothi_ensemble_from_records(g, f->node);
        soothi_passes_end(&f->passes, f->nodes);
        return;
    }
    g->rows = soothi_boost_draw_rows(f, g->row[0], &g->packed.root, &all);
    if (soothi_ranks(f->env) > 1) { /* each node then has a histogram over all rows */
        g->all_rows = all;
        g->few = 0;
    }
    soothi_grow_begin(g);
    if (f->o.grow_policy == SOOTH_BOOST_SYMMETRIC)
        soothi_symmetric_grow(g, f->gain, f->o.gamma, f->o.max_depth);
    else soothi_grow_tree(g);
    f->nodes = soothi_ensemble_from_records(g, f->node);
    if (!soothi_boost_finds_leaves_late(f)) soothi_parallel(f->env, f->chunks, soothi_boost_leaf_task, f);
}

/* Grows a tree that tries every value. Rows that are not drawn get h = 0, which excludes them. */
SOOTHI_LOCAL void soothi_boost_grow_exact(soothi_boost_fitting *f) {
    size_t all;
    const uint32_t *row, drawn = soothi_boost_draw_rows(f, f->drawn, &row, &all);
    soothi_grower *g = &f->grower;
    memset(f->leaf_of, 255, f->rows * sizeof *f->leaf_of);
    for (size_t i = 0; i < drawn; ++i) f->leaf_of[row[i]] = 0;
    g->rows = 0;
    for (size_t i = 0; i < f->rows; ++i) {
        if (f->leaf_of[i]) f->h[i] = 0.0f;
        g->rows += f->h[i] > 0.0f;
    }
    if (g->rows > 0) {
        soothi_grow_begin(g);
        soothi_grow_tree(g);
    } else { /* no rows: a single leaf of value 0 */
        memset(&g->record[0], 0, sizeof g->record[0]);
        g->mean[0] = 0.0;
    }
    f->nodes = soothi_ensemble_from_records(g, f->node);
    for (size_t i = 0; i < drawn; ++i)
        f->leaf_of[row[i]] =
            soothi_ensemble_walk(&f->columns.categories, f->node, f->table->x + row[i] * f->table->stride);
}

/* Returns the node that a row ends in, by its values or by its bins. Both give the same node. */
SOOTHI_LOCAL uint32_t soothi_boost_walk(const soothi_boost_fitting *f, size_t row) {
    const soothi_columns *c = &f->columns;
    uint32_t id = 0;
    if (f->table->x)
        return soothi_ensemble_walk(&c->categories, f->node, f->table->x + row * f->table->stride);
    while (f->node[id].left) {
        const soothi_grower_record *r = &f->grower.record[f->grower.order[id]];
        const uint32_t b = c->bin[r->feature * c->rows + row], *set = f->node[id].set;
        const int within = set ? soothi_categories_in(set, b) : b <= r->cut;
        const int left = b < c->used[r->feature] ? within : (int)r->missing_left;
        id = left ? f->node[id].left : f->node[id].right;
    }
    return id;
}

/* Copies the splits of a tree for soothi_boost_find_undrawn, if rows were not drawn and no column has
   classes. Exact growth has no bins. */
SOOTHI_LOCAL void soothi_boost_copy_steps(soothi_boost_fitting *f) {
    const soothi_grower *g = &f->grower;
    f->steps = f->step && g->rows < f->rows && f->nodes > 1;
    for (size_t id = 0; id < f->nodes && f->steps; ++id) {
        const soothi_grower_record *r = &g->record[g->order[id]];
        const soothi_boost_step step = {f->node[id].left, r->cut,
                                        r->missing_left ? f->columns.used[r->feature] : 256,
                                        r->feature * f->rows};
        f->step[id] = step;
    }
}

/* Writes leaf_of for some rows that were not drawn, by their bins, a level at a time. There are no branches
   on a row: every other one would be mispredicted. Rows that have reached their leaf are dropped. */
SOOTHI_LOCAL void soothi_boost_descend(const soothi_boost_fitting *f, uint32_t *row, size_t n) {
    const soothi_boost_step *step = f->step;
    const unsigned char *bin = f->columns.bin;
    uint32_t *leaf_of = f->leaf_of, at[SOOTHI_BOOST_TURN] = {0};
    for (size_t left; n > 0; n = left) {
        left = 0;
        for (size_t i = 0; i < n; ++i) {
            const soothi_boost_step *s = &step[at[i]];
            const uint32_t k = row[i], b = bin[s->column + k];
            const uint32_t next = s->left + (uint32_t)((b > s->cut) & (b < s->missing));
            leaf_of[k] = next;
            row[left] = k;
            at[left] = next;
            left += step[next].left != 0;
        }
    }
}

/* Writes leaf_of for the rows from..end that were not drawn. Rows of weight 0 have no bins. */
SOOTHI_LOCAL void soothi_boost_find_undrawn(const soothi_boost_fitting *f, size_t from, size_t end) {
    uint32_t row[SOOTHI_BOOST_TURN];
    for (size_t k = from, n = 0; k < end; n = 0) {
        for (; k < end && n < SOOTHI_BOOST_TURN; ++k) {
            row[n] = (uint32_t)k;
            n += (size_t)(f->leaf_of[k] == SOOTHI_BOOST_UNDRAWN) &
                 (size_t)soothi_row_counts(f->table->weight, k);
        }
        soothi_boost_descend(f, row, n);
    }
}

/* Undoes splits into two leaves that gain less than gamma, bottom up, and updates the leaves of the rows. */
SOOTHI_LOCAL void soothi_boost_prune(soothi_boost_fitting *f) {
    soothi_grower *g = &f->grower;
    size_t cut = 0;
    for (size_t k = f->nodes; k-- > 0;) { /* children come after their parent */
        soothi_grower_record *r = &g->record[g->order[k]];
        if (!r->left || g->record[r->left].left || g->record[r->right].left || !(r->gain < f->o.gamma))
            continue;
        r->left = 0;
        ++cut;
    }
    if (cut == 0) return;
    f->nodes = soothi_ensemble_from_records(g, f->node);
    for (size_t k = 0; k < f->usable_count; ++k) {
        const uint32_t row = f->usable[k];
        if (f->leaf_of[row] != SOOTHI_BOOST_UNDRAWN) f->leaf_of[row] = soothi_boost_walk(f, row);
    }
}

/* ---- leaf values ---- */

/* Returns the weighted quantile q of sorted entries: the first value at which the cumulative weight reaches
   the share q. On equality, returns the midpoint with the next value. relative: divide weights by |y|. */
SOOTHI_LOCAL double soothi_boost_quantile(const soothi_boost_fitting *f, const uint64_t *entry, size_t n,
                                          double q, int relative) {
    const size_t t = f->tree % f->targets;
    double all = 0.0, below = 0.0;
    size_t k;
    for (size_t pass = 0; pass < 2; ++pass) {
        for (k = 0; k < n; ++k) {
            const size_t row = soothi_entry_row(entry[k]);
            double w = soothi_row_weight(f->table->weight, row);
            if (relative)
                w /= soothi_criterion_denominator((double)f->table->y[row * f->targets + t], f->o.floor);
            if (pass == 0) {
                all += w;
                continue;
            }
            below += w;
            if (below >= q * all || k + 1 == n) break;
        }
    }
    double v = (double)soothi_key_value(soothi_entry_key(entry[k]));
    if (k + 1 < n && !(below > q * all))
        v = 0.5 * v + 0.5 * (double)soothi_key_value(soothi_entry_key(entry[k + 1]));
    return v;
}

/* Returns the quantile q of sorted entries by the (n + 1) q rule: what split conformal prediction takes, and
   XGBoost 3. With cumulative weights S_1 .. S_n and a further row of their mean weight, it is the value at
   q (S_n + S_n / n), linear between the values at S_k and S_{k + 1}. Below S_1 it is the first value, above
   S_n the last: with equal weights the largest residual if n < q / (1 - q). */
SOOTHI_LOCAL double soothi_boost_upper_quantile(const soothi_boost_fitting *f, const uint64_t *entry,
                                                size_t n, double q) {
    const float *weight = f->table->weight;
    double all = 0.0, below = 0.0, w = 1.0;
    size_t k;
    for (k = 0; k < n; ++k) all += soothi_row_weight(weight, soothi_entry_row(entry[k]));
    const double at = q * (all + all / (double)n);
    for (k = 0; k < n; ++k) {
        w = soothi_row_weight(weight, soothi_entry_row(entry[k]));
        if (below + w >= at || k + 1 == n) break;
        below += w;
    }
    const double v = (double)soothi_key_value(soothi_entry_key(entry[k])), share = (at - below) / w;
    if (k == 0 || !(share < 1.0)) return v;
    return (1.0 - share) * (double)soothi_key_value(soothi_entry_key(entry[k - 1])) + share * v;
}

/* Returns the residual of a row for target t. */
SOOTHI_LOCAL float soothi_boost_residual(const soothi_boost_fitting *f, size_t row, size_t t) {
    return f->table->y[soothi_boost_y_at(f, row, t)] - f->margin[row * f->targets + t];
}

/* Reorders key[0..n) so that key[k] is the k-th smallest and those before it are not larger. Quickselect
   (Hoare, Communications of the ACM 4, 1961). After 32 rounds the pivot is the middle of the range of the
   keys, which bounds the steps for every order. */
SOOTHI_LOCAL void soothi_boost_select(uint32_t *key, size_t n, size_t k) {
    uint32_t low = 0, high = UINT32_MAX; /* of key[from..end) */
    size_t from = 0, end = n;
    for (uint32_t round = 0; end - from > 1 && low < high; ++round) {
        const uint32_t a = key[from], b = key[from + (end - from) / 2], c = key[end - 1];
        const uint32_t least = a < b ? a : b, most = a < b ? b : a;
        const uint32_t middle = c < least ? least : c > most ? most : c;
        const uint32_t pivot = round < 32 ? middle : low + (high - low) / 2;
        for (uint32_t equal = 0; equal < 2; ++equal) { /* smaller keys, then those that equal the pivot */
            size_t at = from;
            for (size_t i = from; i < end; ++i) { /* without branches */
                const uint32_t v = key[i];
                key[i] = key[at];
                key[at] = v;
                at += (size_t)(v < pivot) | ((size_t)(v == pivot) & equal);
            }
            if (k < at) {
                if (equal) return;
                end = at;
                high = pivot - 1;
                break;
            }
            from = at;
            if (equal) low = pivot + 1;
        }
    }
}

/* Like soothi_boost_quantile, or with upper 1 like soothi_boost_upper_quantile, of keys that have no weights:
   the same bits, without sorting. */
SOOTHI_LOCAL double soothi_boost_quantile_plain(uint32_t *key, size_t n, double q, int upper) {
    const double at = q * (double)(n + (size_t)upper);
    const size_t whole = at < (double)n ? (size_t)at : n;
    size_t k = whole > 0 && (double)whole >= at ? whole - 1 : whole; /* the first with k + 1 >= at */
    double share = 1.0;
    if (k >= n) k = n - 1;
    if (upper && k > 0) share = at - (double)k;
    else if (!upper && k + 1 < n && !((double)(k + 1) > at)) ++k, share = 0.5;
    soothi_boost_select(key, n, k);
    const double v = (double)soothi_key_value(key[k]);
    if (!(share < 1.0)) return v;
    uint32_t before = key[0];
    for (size_t i = 1; i < k; ++i) before = key[i] > before ? key[i] : before;
    return (1.0 - share) * (double)soothi_key_value(before) + share * v;
}

/* Returns what minimises the loss over the residuals list[0][0..n) of some rows: their median or quantile. */
SOOTHI_LOCAL double soothi_boost_middle(const soothi_boost_fitting *f, size_t n, size_t t) {
    const int upper = f->o.loss == SOOTH_BOOST_QUANTILE, relative = f->o.loss == SOOTH_BOOST_RELATIVE;
    const double q = upper ? soothi_boost_level(f, t) : 0.5;
    if (!f->table->weight && !relative) {
        uint32_t *key = (uint32_t *)(void *)f->list[1];
        for (size_t k = 0; k < n; ++k) key[k] = soothi_entry_key(f->list[0][k]);
        return soothi_boost_quantile_plain(key, n, q, upper);
    }
    soothi_entry_sort(f->list[0], f->list[1], n);
    return upper ? soothi_boost_upper_quantile(f, f->list[0], n, q)
                 : soothi_boost_quantile(f, f->list[0], n, q, relative);
}

/* Returns the median or quantile of the residuals of some rows for target t. */
SOOTHI_LOCAL double soothi_boost_middle_of(const soothi_boost_fitting *f, const uint32_t *row, size_t n,
                                           size_t t) {
    for (size_t k = 0; k < n; ++k) f->list[0][k] = soothi_entry(soothi_boost_residual(f, row[k], t), row[k]);
    return soothi_boost_middle(f, n, t);
}

/* Clips the values of all leaves below a node to low .. high, and returns their minimum and maximum before
   that. Nodes are breadth first, so those of a level of a subtree are contiguous. */
SOOTHI_LOCAL void soothi_boost_clip_below(soothi_boost_fitting *f, uint32_t id, float low, float high,
                                          float range[2]) {
    range[0] = FLT_MAX, range[1] = -FLT_MAX;
    for (uint32_t from = id, to = id + 1; from < to;) {
        uint32_t first = 0, last = 0;
        for (uint32_t k = from; k < to; ++k) {
            const float v = f->value[k];
            if (f->node[k].left) {
                if (!first) first = f->node[k].left;
                last = f->node[k].right + 1;
                continue;
            }
            if (v < range[0]) range[0] = v;
            if (v > range[1]) range[1] = v;
            f->value[k] = v < low ? low : v > high ? high : v;
        }
        from = first, to = last;
    }
}

/* Puts the renewed leaves in the order of the constraints. The bounds of the growth are Newton steps, which
   have no unit where h is 1, so they say nothing about residuals. Bottom up, where the two sides of a
   constrained split overlap, both are clipped to the middle of the overlap. Clipping keeps the order of the
   leaves below. */
SOOTHI_LOCAL void soothi_boost_order_leaves(soothi_boost_fitting *f) {
    float lower[2], upper[2];
    for (size_t k = f->nodes; k-- > 0;) {
        const soothi_ensemble_node *node = &f->node[k];
        const int sign = node->left ? f->o.monotone[node->feature] : 0;
        if (!sign) continue;
        const uint32_t low = sign > 0 ? node->left : node->right, high = node->left + node->right - low;
        soothi_boost_clip_below(f, low, -FLT_MAX, FLT_MAX, lower);
        soothi_boost_clip_below(f, high, -FLT_MAX, FLT_MAX, upper);
        if (!(lower[1] > upper[0])) continue;
        const float middle = 0.5f * lower[1] + 0.5f * upper[0];
        soothi_boost_clip_below(f, low, -FLT_MAX, middle, lower);
        soothi_boost_clip_below(f, high, middle, FLT_MAX, upper);
    }
}

/* Renews all leaves from the drawn rows. */
SOOTHI_LOCAL void soothi_boost_renew(soothi_boost_fitting *f) {
    const size_t t = f->tree % f->targets;
    uint32_t *at = f->first, *row = f->by_leaf;
    memset(at, 0, f->nodes * sizeof *at);
    for (size_t k = 0; k < f->usable_count; ++k)
        if (f->leaf_of[f->usable[k]] != SOOTHI_BOOST_UNDRAWN) ++at[f->leaf_of[f->usable[k]]];
    soothi_running_sum(at, f->nodes);
    for (size_t k = 0; k < f->usable_count; ++k)
        if (f->leaf_of[f->usable[k]] != SOOTHI_BOOST_UNDRAWN)
            row[at[f->leaf_of[f->usable[k]]]++] = f->usable[k];
    for (size_t id = 0; id < f->nodes; ++id) { /* at[id] is now the end of node id */
        const uint32_t from = id ? at[id - 1] : 0;
        if (!f->node[id].left && at[id] > from)
            f->value[id] =
                (float)(f->o.learning_rate * soothi_boost_middle_of(f, row + from, at[id] - from, t));
    }
}

/* Moves each linear leaf by the median or quantile of its rows' residuals from it. Rows with a missing value
   in one of its columns get its constant. */
SOOTHI_LOCAL void soothi_boost_move_leaves(soothi_boost_fitting *f) {
    soothi_leaves *v = &f->leaves;
    const size_t t = f->tree % f->targets;
    const float rate = (float)f->o.learning_rate;
    for (uint32_t id = 0; id < f->nodes; ++id) {
        const size_t from = id ? f->first[id - 1] : 0;
        size_t n = 0;
        if (!v->at[id]) continue;
        soothi_linear_leaf *plane =
            (soothi_linear_leaf *)(void *)(v->record + SOOTHI_LINEAR_LEAF_WORDS * (size_t)(v->at[id] - 1));
        for (size_t k = from; k < f->first[id]; ++k) {
            const uint32_t row = f->by_leaf[k];
            const float p =
                soothi_linear_leaf_predict(plane, soothi_missing(), f->table->x + row * f->table->stride);
            if (p <= p) f->list[0][n++] = soothi_entry(soothi_boost_residual(f, row, t) - p / rate, row);
        }
        const float by = n ? (float)(f->o.learning_rate * soothi_boost_middle(f, n, t)) : 0.0f;
        plane->at += by;
        plane->least += by;
        plane->most += by;
    }
    soothi_leaves_limit(v);
}

/* Fits linear leaves: -(X'HX + lambda)^-1 X'g, from the drawn rows. If leaves are medians or quantiles, the
   slopes are those of least squares. */
SOOTHI_LOCAL void soothi_boost_fit_leaves(soothi_boost_fitting *f) {
    soothi_leaves *v = &f->leaves;
    const size_t t = f->tree % f->targets;
    soothi_ensemble_open_leaves(&f->grower, f->node, f->nodes, v);
    memset(v->leaf_of, 255, f->rows * sizeof *v->leaf_of);
    for (size_t k = 0; k < f->usable_count; ++k) v->leaf_of[f->usable[k]] = f->leaf_of[f->usable[k]];
    for (size_t k = 0; f->renews && k < f->rows; ++k)
        f->g[k] = -soothi_boost_residual(f, k, t) * (f->h ? f->h[k] : 1.0f);
    soothi_leaves_fit(f->env, v);
    if (f->renews) soothi_boost_move_leaves(f);
}

/* Adds the tree to the margins of a chunk of rows. Rows that were not drawn first walk down the tree. Also
   computes the next derivatives while the chunk is in the cache. */
static void soothi_boost_add_task(void *arg, size_t i, size_t worker) {
    soothi_boost_fitting *f = (soothi_boost_fitting *)arg;
    const size_t end = soothi_columns_block_end(i, f->chunk, f->rows);
    const size_t t = f->tree % f->targets;
    if (soothi_boost_finds_leaves_late(f)) soothi_boost_leaf_task(f, i, worker);
    if (f->steps) soothi_boost_find_undrawn(f, i * f->chunk, end);
    for (size_t k = i * f->chunk; k < end; ++k) {
        size_t leaf = f->passes.place ? soothi_passes_leaf(&f->passes, k) : f->leaf_of[k];
        if (leaf == SOOTHI_BOOST_UNDRAWN) leaf = soothi_boost_walk(f, k);
        f->margin[k * f->targets + t] +=
            f->o.linear_leaves
                ? soothi_leaves_predict(&f->leaves, (uint32_t)leaf, f->table->x + k * f->table->stride)
                : f->value[leaf];
    }
    if (f->derived) soothi_boost_derive_chunk(f, i, (f->tree + 1) % f->targets);
}

/* Computes the leaf values and adds them to the margins of all rows. */
SOOTHI_LOCAL void soothi_boost_add_values(soothi_boost_fitting *f) {
    const sooth_table *valid = f->o.validation;
    const size_t t = f->tree % f->targets;
    memset(f->value, 0, f->nodes * sizeof *f->value);
    for (size_t k = 0; k < f->nodes; ++k)
        if (!f->node[k].left)
            f->value[k] =
                (float)(f->o.learning_rate * soothi_grower_value(&f->grower, f->grower.order[k], 0));
    if (f->renews) soothi_boost_renew(f);
    if (f->renews && f->o.monotone) soothi_boost_order_leaves(f);
    for (size_t k = 0; k < f->nodes; ++k) f->node[k].value = (double)f->value[k];
    if (f->o.linear_leaves) soothi_boost_fit_leaves(f);
    f->derived = !f->last && !f->o.custom;
    soothi_boost_copy_steps(f);
    soothi_parallel(f->env, f->chunks, soothi_boost_add_task, f);
    for (size_t k = 0; valid && k < valid->rows; ++k) {
        const float *row = valid->x + k * valid->stride;
        const size_t leaf = soothi_ensemble_walk(&f->columns.categories, f->node, row);
        f->valid[k * f->targets + t] +=
            f->o.linear_leaves ? soothi_leaves_predict(&f->leaves, (uint32_t)leaf, row) : f->value[leaf];
    }
}

/* ---- rounds ---- */

/* Returns the loss of target t of a row with target y at the margin m. */
SOOTHI_LOCAL double soothi_boost_loss_at(const soothi_boost_fitting *f, size_t t, double y, double m) {
    const float target = (float)y, margin = (float)m;
    if (f->o.custom) return f->o.custom->loss_fn(f->o.custom->user, &target, &margin, 1);
    if (f->o.loss != SOOTH_BOOST_QUANTILE) return soothi_boost_loss(&f->o, y, m);
    return m < y ? soothi_boost_level(f, t) * (y - m) : (1.0 - soothi_boost_level(f, t)) * (m - y);
}

/* Rows of a loss: the validation table (separate 1), held-out rows of the table (held 1) or training rows. */
typedef struct soothi_boost_losses {
    const soothi_boost_fitting *f;
    const sooth_table *table;
    const float *margin;
    int held, separate;
} soothi_boost_losses;

/* Adds losses and weights of some rows. */
static void soothi_boost_add_losses(void *arg, double *sum, size_t row, size_t count) {
    const soothi_boost_losses *v = (const soothi_boost_losses *)arg;
    const soothi_boost_fitting *f = v->f;
    for (size_t i = row; i < row + count; ++i) {
        const double w = soothi_row_weight(v->table->weight, i);
        if (!v->separate && f->held && (f->held[i] != 0) != v->held) continue;
        const float *margin = v->margin + i * f->targets;
        float sorted[SOOTH_ENSEMBLE_MAX_QUANTILES];
        if (f->quantiles) {
            memcpy(sorted, margin, f->quantiles * sizeof *sorted);
            soothi_ensemble_sort(sorted, f->quantiles);
            margin = sorted;
        }
        for (size_t t = 0; t < f->targets; ++t) {
            const double y = (double)v->table->y[soothi_boost_y_at(f, i, t)];
            sum[0] += w * soothi_boost_loss_at(f, t, y, (double)margin[t]);
            sum[1] += w;
        }
    }
}

/* Computes the mean loss of the present margins on the held-out rows (held 1) or the training rows. own: see
   soothi_fold_rows. */
SOOTHI_LOCAL sooth_status soothi_boost_mean_loss(const soothi_boost_fitting *f, int held, sooth_status own,
                                                 double *loss) {
    const int separate = held && f->o.validation;
    soothi_boost_losses v = {f, separate ? f->o.validation : f->table, separate ? f->valid : f->margin, held,
                             separate};
    const soothi_fold sums = {2, &v, NULL, soothi_boost_add_losses, NULL};
    double sum[4];
    *loss = (double)soothi_missing();
    if (f->o.custom && !f->o.custom->loss_fn) return own;
    const sooth_status status = soothi_fold_rows(f->env, &sums, v.table->rows, own, sum);
    if (status == SOOTH_OK) *loss = sum[1] > 0.0 ? sum[0] / sum[1] : 0.0;
    return status;
}

/* Fits and adds one tree. *own is the status of this process; on return, whether it could store the tree. */
SOOTHI_LOCAL sooth_status soothi_boost_add_tree(soothi_boost_fitting *f, soothi_ensemble_builder *b,
                                                sooth_status *own) {
    soothi_grower *g = &f->grower;
    sooth_status status = soothi_boost_derive_all(f, *own);
    if (status != SOOTH_OK) return status;
    /* the quantiles of a round draw what a model of their own would draw */
    f->rules.stream = f->quantiles ? f->tree / f->quantiles : f->tree;
    g->columns_used = soothi_boost_draw_columns(f, f->column);
    g->column = g->columns_used < g->cols ? f->column : NULL;
    if (g->packed.width) soothi_boost_grow_histogram(f);
    else soothi_boost_grow_exact(f);
    if (g->lost != SOOTH_OK) return g->lost;
    if (f->o.gamma > 0.0 && !g->packed.width) soothi_boost_prune(f);
    soothi_boost_add_values(f);
    const soothi_ensemble_tree_planes planes = {f->leaves.at, f->leaves.record};
    *own = soothi_ensemble_add_tree(b, f->node, f->nodes, NULL, f->o.linear_leaves ? &planes : NULL);
    return SOOTH_OK;
}

/* Runs all rounds (see the top comment for the algorithm). */
SOOTHI_LOCAL sooth_status soothi_boost_run(soothi_boost_fitting *f, soothi_ensemble_builder *b,
                                           sooth_boost_report *report) {
    const uint32_t per_round = (uint32_t)f->targets;
    const uint32_t first = (uint32_t)b->start.used - 1;
    const int watch = f->o.patience > 0;
    double best = 0.0, loss = (double)soothi_missing(), learned;
    uint32_t round, best_round = 0;
    sooth_status own = SOOTH_OK; /* local status, until the next reduction */
    sooth_status status = watch ? soothi_boost_mean_loss(f, 1, own, &best) : SOOTH_OK;
    for (round = 0; round < f->o.n_estimators && status == SOOTH_OK; ++round) {
        if (own == SOOTH_OK)
            own = soothi_progress(f->env, "boosting", (double)round / (double)f->o.n_estimators);
        for (uint32_t k = 0; k < per_round && status == SOOTH_OK; ++k) {
            f->tree = (uint32_t)b->start.used - 1;
            f->last = round + 1 == f->o.n_estimators && k + 1 == per_round;
            status = soothi_boost_add_tree(f, b, &own);
        }
        if (watch && status == SOOTH_OK) status = soothi_boost_mean_loss(f, 1, own, &loss);
        if (status == SOOTH_OK && f->wants_history) {
            status = soothi_boost_mean_loss(f, 0, own, &learned);
            if (status == SOOTH_OK) soothi_report_loss(f->env, "boosting", round + 1, learned, loss);
        }
        if (watch && status == SOOTH_OK) {
            if (loss < best || best_round == 0) { /* the first round is always kept */
                best = loss;
                best_round = round + 1;
                memcpy(f->best_gain, b->gain, f->columns.cols * sizeof *b->gain);
            } else if (round + 1 - best_round >= f->o.patience) {
                ++round;
                break;
            }
        }
    }
    if (status == SOOTH_OK) status = soothi_agree(f->env, own);
    if (status == SOOTH_OK && watch) soothi_ensemble_cut(b, first + best_round * per_round, f->best_gain);
    report->rounds_tried = round;
    report->rounds = watch ? best_round : round;
    report->validation_loss = watch ? best : (double)soothi_missing();
    return status;
}

/* ---- fitting ---- */

/* Adds weighted targets and weights of some usable rows. */
static void soothi_boost_add_targets(void *arg, double *sum, size_t first, size_t count) {
    const soothi_boost_fitting *f = (const soothi_boost_fitting *)arg;
    double targets = sum[0], weights = sum[1];
    for (size_t k = first; k < first + count; ++k) {
        const size_t row = f->usable_count == f->rows ? k : f->usable[k];
        const double w = soothi_row_weight(f->table->weight, row);
        targets += w * (double)f->table->y[row * f->targets + f->tree];
        weights += w;
    }
    sum[0] = targets;
    sum[1] = weights;
}

/* Computes the constant margin with the smallest loss for target t. */
SOOTHI_LOCAL sooth_status soothi_boost_base(soothi_boost_fitting *f, size_t t, double *base) {
    const sooth_boost_options *o = &f->o;
    const int logs = o->loss == SOOTH_BOOST_POISSON || o->loss == SOOTH_BOOST_GAMMA;
    const int given = o->has_base_score || o->base_score < 0.0 || o->base_score > 0.0;
    double sum[4], v = o->base_score;
    f->tree = (uint32_t)t;
    *base = o->custom ? o->custom->base : 0.0;
    if (o->custom) return SOOTH_OK;
    if ((f->renews || o->loss == SOOTH_BOOST_HUBER) && !given) {
        /* the margins are still 0, so the residuals are the targets */
        *base = soothi_boost_middle_of(f, f->usable, f->usable_count, t);
        return SOOTH_OK;
    }
    if (!given) {
        const soothi_fold sums = {2, f, NULL, soothi_boost_add_targets, NULL};
        const sooth_status status = soothi_fold_rows(f->env, &sums, f->usable_count, SOOTH_OK, sum);
        if (status != SOOTH_OK) return status;
        v = sum[0] / sum[1];
    }
    if (o->loss == SOOTH_BOOST_LOGISTIC) { /* log odds of the mean */
        v = v < 1e-6 ? 1e-6 : v > 1.0 - 1e-6 ? 1.0 - 1e-6 : v;
        v = soothi_log(v / (1.0 - v));
    }
    *base = logs ? soothi_log(v > 1e-6 ? v : 1e-6) : v;
    return SOOTH_OK;
}

/* ---- what a fit refuses ---- */

/* Checks the tables, but not their targets. */
SOOTHI_LOCAL sooth_status soothi_boost_check_tables(sooth_env *env, const sooth_table *table,
                                                    const sooth_boost_options *o) {
    const sooth_table *valid = o->validation;
    const unsigned needs =
        SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES;
    sooth_status status = soothi_columns_check(env, table, needs | SOOTH_TABLE_ALLOW_BINS);
    if (status == SOOTH_OK) status = soothi_columns_accept(env, table, o->bins);
    if (status == SOOTH_OK && table->bins && (o->method == SOOTH_BOOST_EXACT || o->linear_leaves))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s needs values, but the table has bins",
                            o->linear_leaves ? "linear_leaves" : "method=exact");
    if (status == SOOTH_OK && valid) status = sooth_table_check(env, valid, needs);
    if (status != SOOTH_OK) return status;
    if (valid && (valid->cols != table->cols || valid->targets != table->targets))
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            "the validation table has %z columns and %z targets, but the training table has %z and %z",
            valid->cols, valid->targets, table->cols, table->targets);
    if (o->patience && !valid && table->rows < 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "patience needs rows to hold out, but the table has one row");
    if (o->method == SOOTH_BOOST_HISTOGRAM && table->rows > (size_t)1 << 28)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z rows, but histograms hold at most 2^28",
                          table->rows);
    return SOOTH_OK;
}

/* Returns the number of quantiles of a list; 0 means none. */
SOOTHI_LOCAL uint32_t soothi_boost_quantile_count(const sooth_boost_options *o) {
    uint32_t n = 0;
    while (n < SOOTH_ENSEMBLE_MAX_QUANTILES && o->quantiles[n] > 0.0) ++n;
    return n;
}

/* Checks a list of quantiles. A list of one is plain boosting with that quantile. */
SOOTHI_LOCAL sooth_status soothi_boost_accept_quantiles(sooth_env *env, sooth_boost_options *o) {
    const uint32_t n = soothi_boost_quantile_count(o);
    if (n == 0) return SOOTH_OK;
    for (uint32_t k = 0; k < n; ++k)
        if (!(o->quantiles[k] < 1.0 && (float)o->quantiles[k] < 1.0f &&
              (float)o->quantiles[k] > (k ? (float)o->quantiles[k - 1] : 0.0f)))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "quantile %u of quantiles is %g, but must be above %g and below 1", k + 1,
                              o->quantiles[k], k ? o->quantiles[k - 1] : 0.0);
    if (o->custom || (o->loss != SOOTH_BOOST_SQUARED && o->loss != SOOTH_BOOST_QUANTILE))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "quantiles have the quantile loss; leave %s out",
                          o->custom ? "custom" : "loss");
    if (o->quantile > 0.0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "both quantile and quantiles are given; leave one out");
    o->loss = SOOTH_BOOST_QUANTILE;
    if (n > 1) return SOOTH_OK;
    o->quantile = o->quantiles[0];
    o->quantiles[0] = 0.0;
    return SOOTH_OK;
}

/* Checks that several quantiles are those of a single target, which may have a column for each. */
SOOTHI_LOCAL sooth_status soothi_boost_check_single(sooth_env *env, const sooth_table *table,
                                                    const sooth_boost_options *o) {
    const uint32_t n = soothi_boost_quantile_count(o);
    int same = 1;
    if (n == 0 || table->targets == 1) return SOOTH_OK;
    for (size_t i = 0; table->targets == n && i < table->rows && same; ++i)
        for (size_t t = 1; t < n; ++t) {
            const float y = table->y[i * n], other = table->y[i * n + t];
            same &= !(other < y || other > y);
        }
    if (table->targets == n && same) return SOOTH_OK;
    return sooth_fail(
        env, SOOTH_BAD_ARGUMENT,
        "several quantiles need a single target (or a column with the same numbers for each), but "
        "the table has %z",
        table->targets);
}

/* Checks which options go together, with this table and with several processes. */
SOOTHI_LOCAL sooth_status soothi_boost_check_choices(sooth_env *env, const sooth_table *table,
                                                     const sooth_boost_options *o) {
    const int several = soothi_boost_quantile_count(o) > 0;
    const int exact = o->method == SOOTH_BOOST_EXACT, symmetric = o->grow_policy == SOOTH_BOOST_SYMMETRIC;
    const int medians = !o->custom && (o->loss == SOOTH_BOOST_ABSOLUTE || o->loss == SOOTH_BOOST_QUANTILE ||
                                       o->loss == SOOTH_BOOST_RELATIVE);
    const int given = o->has_base_score || o->base_score < 0.0 || o->base_score > 0.0;
    const char *alone = soothi_ranks(env) == 1                                    ? NULL
                        : medians || (!o->custom && o->loss == SOOTH_BOOST_HUBER) ? "losses that need medians"
                        : exact                                                   ? "method=exact"
                        : table->categorical                                      ? "categorical columns"
                        : table->bins                                             ? "tables of bins"
                        : o->linear_leaves                                        ? "linear_leaves"
                        : o->custom                                               ? "custom losses"
                        : o->patience && !o->validation ? "patience without a validation table"
                                                        : NULL;
    if (o->patience && o->custom && !o->custom->loss_fn)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "patience needs a loss_fn of the custom loss");
    if (exact && symmetric)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "grow_policy=symmetric needs method=histogram");
    if (exact && o->colsample_bylevel < 1.0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "colsample_bylevel is %g, but method=exact supports only colsample_bytree and "
                          "colsample_bynode",
                          o->colsample_bylevel);
    if (symmetric && o->max_depth > 12)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "max_depth is %u, but must be at most 12 with grow_policy=symmetric", o->max_depth);
    if (symmetric && o->monotone)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "grow_policy=symmetric does not support monotone");
    if (symmetric && soothi_categories_of(table).categorical)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "grow_policy=symmetric does not support categorical columns; choose depthwise or "
                          "lossguide");
    if (o->custom && table->targets > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a custom loss needs a single target, but the table has %z", table->targets);
    if (several && o->base_margin)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "several quantiles do not support base_margin; fit a model for each quantile");
    const sooth_status status = soothi_tree_check_monotone(env, o->monotone, table, 0);
    if (status != SOOTH_OK) return status;
    if (o->linear_leaves && medians && o->loss == SOOTH_BOOST_RELATIVE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "linear_leaves does not support loss=relative; learn the logarithm of the target");
    if (o->linear_leaves && medians && o->monotone)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "linear_leaves with the absolute or quantile loss does not support monotone");
    if (o->linear_leaves && o->alpha > 0.0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "alpha is %g, but must be 0 with linear_leaves; use linear_lambda", o->alpha);
    if (o->loss == SOOTH_BOOST_LOGISTIC && !o->custom && given &&
        !(o->base_score > 0.0 && o->base_score < 1.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "base_score is %g, but must be above 0 and below 1 with loss=logistic",
                          o->base_score);
    if (alone)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rows in several processes do not support %s", alone);
    return SOOTH_OK;
}

/* Checks that the loss is defined for all targets. of: "" or " of the validation table". */
SOOTHI_LOCAL sooth_status soothi_boost_check_targets(sooth_env *env, const sooth_table *table, const char *of,
                                                     const sooth_boost_options *o) {
    if (o->loss < SOOTH_BOOST_POISSON) return SOOTH_OK; /* these take any target */
    for (size_t i = 0; i < table->rows * table->targets; ++i) {
        const double y = (double)table->y[i];
        const char *must = NULL;
        if (o->loss == SOOTH_BOOST_POISSON && y < 0.0) must = "must not be negative with loss=poisson";
        if (o->loss == SOOTH_BOOST_GAMMA && !(y > 0.0)) must = "must be positive with loss=gamma";
        if (o->loss == SOOTH_BOOST_RELATIVE && !(o->floor > 0.0) && !(y < 0.0 || y > 0.0))
            must = "must not be 0 with loss=relative; set floor above 0";
        if (o->loss == SOOTH_BOOST_LOGISTIC && !(y >= 0.0 && y <= 0.0) && !(y >= 1.0 && y <= 1.0))
            must = "must be 0 or 1 with loss=logistic";
        if (must)
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z%s has the target %g, but targets %s",
                              i / table->targets + 1, of, y, must);
    }
    return SOOTH_OK;
}

/* Returns the shape of a model of these options. */
SOOTHI_LOCAL soothi_ensemble_shape soothi_boost_shape(const sooth_boost_options *o, const sooth_table *table,
                                                      const sooth_boost *old) {
    const int logs = o->loss == SOOTH_BOOST_POISSON || o->loss == SOOTH_BOOST_GAMMA;
    const uint32_t link = logs                              ? (uint32_t)SOOTH_ENSEMBLE_LINK_EXP
                          : o->loss == SOOTH_BOOST_LOGISTIC ? (uint32_t)SOOTH_ENSEMBLE_LINK_LOGISTIC
                                                            : (uint32_t)SOOTH_ENSEMBLE_LINK_IDENTITY;
    const uint32_t quantiles = soothi_boost_quantile_count(o);
    soothi_ensemble_shape shape = {SOOTH_KIND_BOOST,
                                   (uint32_t)table->cols,
                                   quantiles ? quantiles : (uint32_t)table->targets,
                                   (quantiles ? SOOTH_ENSEMBLE_QUANTILES : 0u) |
                                       (o->no_cover ? 0u : SOOTH_ENSEMBLE_COVER),
                                   link,
                                   o->no_table};
    if (o->custom) shape.link = old ? old->link : (uint32_t)SOOTH_ENSEMBLE_LINK_IDENTITY;
    return shape; /* custom derives from the margins of old */
}

/* Checks that a model to continue predicts what these options predict. */
SOOTHI_LOCAL sooth_status soothi_boost_continues(sooth_env *env, const sooth_boost *old,
                                                 const sooth_table *table, const sooth_boost_options *o) {
    const soothi_ensemble_shape shape = soothi_boost_shape(o, table, old);
    const float *level = sooth_boost_quantiles(old);
    sooth_table like = *table;
    like.targets = shape.targets;
    sooth_status status = soothi_ensemble_fits(env, old, &like, "model");
    if (status == SOOTH_OK && table->bins)
        status = sooth_fail(env, SOOTH_BAD_DATA, "resuming a model needs values, but the table has bins");
    if (status == SOOTH_OK) status = soothi_ensemble_joins(env, old, &shape, "model");
    if (status == SOOTH_OK && !level != !soothi_boost_quantile_count(o))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the model %s several quantiles of one target",
                          level ? "predicts" : "does not predict");
    for (uint32_t k = 0; status == SOOTH_OK && level && k < shape.targets; ++k) {
        char known[SOOTH_TEXT_NUMBER_SIZE];
        sooth_text_from_float(known, level[k]);
        if (level[k] < (float)o->quantiles[k] || level[k] > (float)o->quantiles[k])
            status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                                "quantile %u of quantiles is %g, but the model predicts %s", k + 1,
                                o->quantiles[k], known);
    }
    return status;
}

/* Fills in the defaults that depend on the loss, as far as cards have to name them. */
SOOTHI_LOCAL void soothi_boost_fill(sooth_boost_options *o) {
    if (o->loss != SOOTH_BOOST_LOGISTIC || o->custom) return;
    if (o->n_estimators == 0) o->n_estimators = 200;
    if (!o->has_min_child_weight && !(o->min_child_weight > 0.0)) o->min_child_weight = 1.0;
}

/* Copies the options (NULL means defaults), fills in the defaults and checks all that this process knows: the
   options, the tables and the model to continue (NULL: none). */
SOOTHI_LOCAL sooth_status soothi_boost_accept(sooth_env *env, const sooth_table *table,
                                              const sooth_boost_options *options, const sooth_boost *old,
                                              sooth_boost_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_boost_options_list(), o);
    if (status == SOOTH_OK) status = soothi_boost_accept_quantiles(env, o);
    if (status != SOOTH_OK) return status;
    if (o->grow_policy == SOOTH_BOOST_LOSSGUIDE && o->max_depth == 0) o->max_depth = 30;
    if (o->patience == 0 && (o->validation || o->validation_fraction > 0.0)) o->patience = 10;
    if (o->loss == SOOTH_BOOST_POISSON && !(o->max_delta_step > 0.0) && !o->custom) o->max_delta_step = 0.7;
    /* Newton steps from a p near 0 or 1, or far above y, are unbounded. The limit is that of Friedman,
       Hastie, Tibshirani: Additive logistic regression, Annals of Statistics 28, 2000, section 4. */
    if ((o->loss == SOOTH_BOOST_LOGISTIC || o->loss == SOOTH_BOOST_GAMMA) && !(o->max_delta_step > 0.0) &&
        !o->custom)
        o->max_delta_step = 4.0;
    soothi_boost_fill(o);
    soothi_option_fill(sooth_boost_options_list(), o);
    status = soothi_boost_check_tables(env, table, o);
    if (status == SOOTH_OK) status = soothi_boost_check_single(env, table, o);
    if (status == SOOTH_OK && o->validation) status = soothi_boost_check_single(env, o->validation, o);
    if (status == SOOTH_OK) status = soothi_boost_check_choices(env, table, o);
    if (status == SOOTH_OK && !o->custom) status = soothi_boost_check_targets(env, table, "", o);
    if (status == SOOTH_OK && !o->custom && o->validation)
        status = soothi_boost_check_targets(env, o->validation, " of the validation table", o);
    return status == SOOTH_OK && old ? soothi_boost_continues(env, old, table, o) : status;
}

/* Checks that all processes have the same options, and counts their rows. */
SOOTHI_LOCAL sooth_status soothi_boost_agree(soothi_boost_fitting *f) {
    sooth_env *env = f->env;
    const sooth_boost_options *o = &f->o;
    uint64_t before, all, digest = soothi_reduce_digest(sooth_boost_options_list(), o);
    int64_t history = soothi_wants_loss(env);
    sooth_status status = soothi_reduce_rows(env, f->table->rows, &before, &all, NULL);
    f->all_rows = (size_t)all;
    for (size_t j = 0; o->monotone && j < f->table->cols; ++j)
        digest = digest * 0x9E3779B97F4A7C15u + (uint64_t)(o->monotone[j] + 2);
    if (status == SOOTH_OK) status = soothi_reduce_same_fit(env, f->table, digest);
    if (status == SOOTH_OK) status = soothi_reduce(env, SOOTH_REDUCE_MAX, &history, 1);
    f->wants_history = history > 0;
    if (status == SOOTH_OK && o->method == SOOTH_BOOST_HISTOGRAM && all > (uint64_t)1 << 28)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has %z rows, but histograms hold at most 2^28",
                          f->all_rows);
    return status;
}

/* ---- before the rounds ---- */

/* Sets what the loss needs. */
SOOTHI_LOCAL void soothi_boost_choose(soothi_boost_fitting *f) {
    const sooth_boost_options *o = &f->o;
    f->quantiles = soothi_boost_quantile_count(o);
    f->targets = f->quantiles ? f->quantiles : f->table->targets;
    f->renews = !o->custom && (o->loss == SOOTH_BOOST_ABSOLUTE || o->loss == SOOTH_BOOST_QUANTILE ||
                               o->loss == SOOTH_BOOST_RELATIVE);
    f->level[0] = o->quantile;
    for (uint32_t k = 0; k < f->quantiles; ++k) f->level[k] = o->quantiles[k];
}

/* Returns 1 if all second derivatives are 1. */
SOOTHI_LOCAL int soothi_boost_is_constant(const soothi_boost_fitting *f) {
    return !f->table->weight && !f->o.custom && f->o.loss <= SOOTH_BOOST_QUANTILE;
}

/* Returns 1 if trees can grow in passes over all rows. A table read in blocks may be too large for lists of
   rows. Passes need every row in training, and leaf values that depend on the derivatives only. */
SOOTHI_LOCAL int soothi_boost_takes_passes(const soothi_boost_fitting *f) {
    const sooth_boost_options *o = &f->o;
    return f->table->bins && o->method == SOOTH_BOOST_HISTOGRAM && o->grow_policy == SOOTH_BOOST_DEPTHWISE &&
           !f->table->weight && (!o->patience || o->validation) && !(o->gamma > 0.0) && !o->custom &&
           !f->renews && o->loss != SOOTH_BOOST_HUBER;
}

/* Sets all sizes from the options and the table; needs all_rows. */
SOOTHI_LOCAL void soothi_boost_plan(soothi_boost_fitting *f) {
    const sooth_boost_options *o = &f->o;
    const sooth_table *table = f->table;
    const int exact = o->method == SOOTH_BOOST_EXACT;
    soothi_grower_rules *rules = &f->rules;
    f->rows = table->rows;
    f->chunk = soothi_grow_share_rows(f->rows, soothi_workers(f->env));
    f->chunks = (f->rows + f->chunk - 1) / f->chunk;
    size_t entries = exact ? 0 : f->rows; /* of a sorted column */
    for (size_t i = 0; i < f->rows && exact; ++i) entries += (size_t)soothi_row_counts(table->weight, i);
    f->columns = soothi_columns_of(f->rows, entries, table->cols, exact ? 0 : o->bins);
    f->columns.categories = soothi_categories_of(table);
    f->columns.ready = table->bins;
    memset(rules, 0, sizeof *rules);
    rules->criterion = SOOTHI_CRITERION_SECOND;
    rules->max_depth = o->max_depth;
    rules->min_split = 2;
    rules->min_leaf = o->min_samples_leaf;
    rules->max_leaves = o->grow_policy == SOOTH_BOOST_LOSSGUIDE ? o->max_leaves : 0;
    rules->seed = o->seed;
    rules->min_weight = o->min_child_weight;
    rules->min_gain = exact || o->grow_policy == SOOTH_BOOST_SYMMETRIC ? 0.0 : o->gamma;
    rules->level_share = o->colsample_bylevel;
    rules->node_share = o->colsample_bynode;
    rules->monotone = o->monotone;
    rules->second.lambda = o->lambda;
    rules->second.alpha = o->alpha;
    rules->second.max_step = o->max_delta_step;
    rules->cat_onehot = o->max_cat_to_onehot;
    rules->cat_threshold = o->max_cat_threshold;
    rules->cat_smooth = o->cat_smooth;
    rules->cat_l2 = o->cat_l2;
    if (exact && o->colsample_bynode < 1.0) {
        const double columns = (double)(uint32_t)(o->colsample_bytree * (double)table->cols + 1e-9);
        rules->max_features = (uint32_t)(o->colsample_bynode * (columns < 1.0 ? 1.0 : columns) + 1e-9);
        if (rules->max_features == 0) rules->max_features = 1;
    }
    const uint32_t packed = exact ? 0 : soothi_boost_is_constant(f) ? 1 : 2;
    soothi_grower_plan(&f->grower, rules, &f->columns, 1, 1, packed, soothi_workers(f->env));
    f->grower.env = f->env;
    f->grower.packed.count_bits = soothi_tree_bits(f->all_rows) + 1;
    if (packed) f->grower.capacity = soothi_grower_nodes(rules, f->all_rows);
    if (packed && soothi_ranks(f->env) > 1 && !rules->max_leaves && !(rules->node_share < 1.0))
        soothi_grower_plan_levels(&f->grower); /* node order does not depend on workers */
    if (soothi_boost_takes_passes(f)) soothi_passes_plan(&f->passes, &f->grower);
    if (o->grow_policy == SOOTH_BOOST_SYMMETRIC) {
        /* capacity for empty nodes, too; at most one histogram per node of a level */
        f->grower.capacity = 2 * ((size_t)1 << o->max_depth) - 1;
        f->grower.slots = ((size_t)1 << o->max_depth) / 2 + 2;
        if (f->grower.slots < 4) f->grower.slots = 4;
        f->grower.batch.most = ((size_t)1 << o->max_depth) / 2;
        if (!soothi_histogram_is_plain(&f->grower)) f->grower.few = 0;
    }
    if (packed && soothi_ranks(f->env) > 1) soothi_grower_plan_ranks(&f->grower);
}

/* Lays out the memory, after soothi_boost_plan. Called once for the size and once for the pointers. */
SOOTHI_LOCAL void soothi_boost_lay_out(soothi_carver *m, soothi_boost_fitting *f) {
    const sooth_boost_options *o = &f->o;
    const size_t rows = f->rows, cols = f->columns.cols, nodes = f->grower.capacity;
    const size_t valid = o->validation ? o->validation->rows : 0;
    const int exact = o->method == SOOTH_BOOST_EXACT, medians = f->renews || o->loss == SOOTH_BOOST_HUBER;
    soothi_grower *g = &f->grower;
    f->margin = (float *)soothi_carve(m, soothi_product(rows, f->targets), sizeof(float));
    const int lists = !g->count, constant = !exact && soothi_boost_is_constant(f);
    f->g = lists ? (float *)soothi_carve(m, rows, sizeof(float)) : NULL;
    f->h = lists && !constant ? (float *)soothi_carve(m, rows, sizeof(float)) : NULL;
    g->packed.step = g->packed.width + (lists && !exact ? (cols + 3) / 4 : 0);
    g->packed.whole = exact || (!lists && constant)
                          ? NULL
                          : (int32_t *)soothi_carve(m, soothi_product(rows, g->packed.step), sizeof(int32_t));
    f->held = o->patience && !valid ? (unsigned char *)soothi_carve(m, rows, 1) : NULL;
    f->usable = lists ? (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t)) : NULL;
    f->leaf_of = lists ? (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t)) : NULL;
    if (!lists) {
        soothi_passes_layout(m, &f->passes, f->margin, f->table->y, f->targets, o->subsample < 1.0);
        f->passes.make_whole = soothi_boost_make_whole;
        f->passes.fit = f;
    }
    f->kept = f->quantiles && o->subsample < 1.0 ? (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t)) : NULL;
    f->chunk_max = (double *)soothi_carve(m, 2 * f->chunks, sizeof(double));
    for (size_t k = 0; k < 2; ++k)
        f->list[k] = medians ? (uint64_t *)soothi_carve(m, rows, sizeof(uint64_t)) : NULL;
    f->valid = valid ? (float *)soothi_carve(m, soothi_product(valid, f->targets), sizeof(float)) : NULL;
    f->node = (soothi_ensemble_node *)soothi_carve(m, nodes, sizeof *f->node);
    f->value = (float *)soothi_carve(m, nodes, sizeof(float));
    f->step = lists && !exact && !f->columns.categories.categorical
                  ? (soothi_boost_step *)soothi_carve(m, nodes, sizeof *f->step)
                  : NULL;
    f->first = f->renews ? (uint32_t *)soothi_carve(m, nodes, sizeof(uint32_t)) : NULL;
    f->column = (uint32_t *)soothi_carve(m, cols, sizeof(uint32_t));
    f->best_gain = (double *)soothi_carve(m, cols, sizeof(double));
    soothi_columns_layout(m, &f->columns, 1);
    soothi_grower_layout(m, g);
    if (o->linear_leaves) {
        soothi_leaves_layout(m, &f->leaves, rows, cols, nodes, g->workers, o->monotone != NULL);
        soothi_leaves_layout_planes(m, &f->leaves, rows, nodes);
    }
    if (exact) {
        f->drawn = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
        f->by_leaf = (uint32_t *)soothi_carve(m, rows, sizeof(uint32_t));
        g->y = f->g;
        g->weight = f->h;
        return;
    }
    f->columns.least = f->columns.ready
                           ? (float *)(uintptr_t)f->columns.ready->least
                           : (float *)soothi_carve(m, soothi_product(cols, f->columns.bins), sizeof(float));
    f->columns.record = g->packed.step * sizeof(int32_t);
    f->columns.by_row = lists && m->memory ? (unsigned char *)(g->packed.whole + g->packed.width) : NULL;
    f->gain = o->grow_policy == SOOTH_BOOST_SYMMETRIC
                  ? (double *)soothi_carve(m, soothi_product(soothi_product(cols, f->columns.cells), 2),
                                           sizeof(double))
                  : NULL;
    f->drawn = g->row[0];
    f->by_leaf = g->row[1];
    g->packed.derivative[0] = f->g;
    g->packed.derivative[1] = f->h;
    g->packed.spare = f->leaf_of;
}

/* Sets the margins of some rows to the base. */
SOOTHI_LOCAL void soothi_boost_set_margins(float *margin, size_t rows, const double *base, size_t outs) {
    for (size_t i = 0; i < rows; ++i)
        for (size_t t = 0; t < outs; ++t) margin[i * outs + t] = (float)base[t];
}

/* Initialises a chunk of rows: margins and, if every row is usable, their indices. */
static void soothi_boost_open_task(void *arg, size_t i, size_t worker) {
    const soothi_boost_fitting *f = (const soothi_boost_fitting *)arg;
    const size_t from = i * f->chunk, end = soothi_columns_block_end(i, f->chunk, f->rows);
    (void)worker;
    for (size_t k = from; k < end && f->every_row_usable; ++k) f->usable[k] = (uint32_t)k;
    if (f->base) soothi_boost_set_margins(f->margin + from * f->targets, end - from, f->base, f->targets);
}

/* Prepares everything that does not change from tree to tree. old: the model to continue, or NULL. */
SOOTHI_LOCAL sooth_status soothi_boost_prepare(soothi_boost_fitting *f, const sooth_boost *old,
                                               soothi_ensemble_builder *b) {
    const sooth_table *table = f->table, *valid = f->o.validation;
    const int shared = soothi_ranks(f->env) > 1;
    uint32_t *const scratch[3] = {f->by_leaf, f->leaf_of, f->drawn};
    sooth_status status = shared ? soothi_shards_prepare(f->env, f->grower.workers, &f->columns, table)
                                 : soothi_columns_make(f->env, f->grower.workers, &f->columns, table);
    if (status != SOOTH_OK) return status;
    if (f->held)
        status = soothi_hold_out(f->env, table->group, f->rows, f->o.validation_fraction, f->o.seed, scratch,
                                 f->held);
    if (status != SOOTH_OK) return status;
    f->every_row_usable = f->usable && !table->weight && !f->held && !f->list[0] && !old;
    size_t usable_count = f->usable && !f->every_row_usable ? 0 : f->rows;
    for (size_t i = 0; i < f->rows && usable_count < f->rows; ++i) {
        f->usable[usable_count] = (uint32_t)i;
        usable_count += (size_t)(soothi_row_counts(table->weight, i) && (!f->held || !f->held[i]));
    }
    f->usable_count = usable_count;
    status = soothi_reduce_rows(f->env, f->usable_count, &f->usable_before, &f->usable_count_all, NULL);
    if (status != SOOTH_OK) return status;
    if (f->usable_count_all == 0)
        return sooth_fail(f->env, SOOTH_BAD_DATA, "no row with a positive weight is left to train on");
    if (old) {
        soothi_ensemble_margins(old, table->x, f->rows, table->stride, f->margin);
        if (valid) soothi_ensemble_margins(old, valid->x, valid->rows, valid->stride, f->valid);
        return SOOTH_OK;
    }
    if (f->list[0]) memset(f->margin, 0, f->rows * f->targets * sizeof *f->margin); /* medians read it */
    for (size_t t = 0; t < f->targets && status == SOOTH_OK; ++t) {
        double base;
        status = soothi_boost_base(f, t, &base);
        if (status == SOOTH_OK) soothi_ensemble_set_base(b, (uint32_t)t, (double)(float)base);
    }
    if (status != SOOTH_OK) return status;
    f->base = f->o.base_margin ? NULL : b->base;
    if (!f->base) memcpy(f->margin, f->o.base_margin, f->rows * f->targets * sizeof *f->margin);
    soothi_parallel(f->env, f->chunks, soothi_boost_open_task, f);
    if (valid) soothi_boost_set_margins(f->valid, valid->rows, b->base, f->targets);
    return SOOTH_OK;
}

/* Prepares linear leaves. */
SOOTHI_LOCAL sooth_status soothi_boost_open_leaves(soothi_boost_fitting *f, soothi_ensemble_builder *b) {
    const sooth_boost_options *o = &f->o;
    soothi_leaves *v = &f->leaves;
    v->rules = soothi_leaves_rules_of(o->linear_lambda, 1, o->extrapolate, o->monotone);
    v->rules.base_lambda = o->lambda;
    v->rules.rate = o->learning_rate;
    v->rules.max_step = f->renews ? 0.0 : o->max_delta_step;
    v->table = f->table;
    v->y = f->g;
    v->weight = f->h;
    v->y_stride = 1;
    v->second = 1;
    return soothi_ensemble_open_planes(b);
}

/* Fits a new model or continues `old`; the objective is already chosen. */
SOOTHI_LOCAL sooth_status soothi_boost_fit_any(soothi_boost_fitting *f, const sooth_boost *old,
                                               sooth_boost **boost, sooth_boost_report *report) {
    sooth_env *env = f->env;
    const sooth_boost_options *o = &f->o;
    const soothi_ensemble_shape shape = soothi_boost_shape(o, f->table, old);
    soothi_carver m = {NULL, 0};
    soothi_ensemble_builder b;
    soothi_boost_plan(f);
    soothi_boost_lay_out(&m, f); /* first the size, then the pointers */
    m.memory = (unsigned char *)sooth_alloc(env, m.used, 1);
    sooth_status status = soothi_agree(env, m.memory ? SOOTH_OK : sooth_no_memory(env, "boosting", m.used));
    if (status != SOOTH_OK) {
        sooth_free(env, m.memory, m.used, 1);
        return status;
    }
    m.used = 0;
    soothi_boost_lay_out(&m, f);
    status = old ? soothi_ensemble_resume(&b, env, old) : soothi_ensemble_begin(&b, env, &shape);
    b.shape.no_table = o->no_table;
    b.levels = &f->columns.categories;
    for (uint32_t k = 0; k < f->quantiles; ++k) b.level[k] = (float)f->level[k];
    if (o->linear_leaves && status == SOOTH_OK) status = soothi_boost_open_leaves(f, &b);
    status = soothi_agree(env, status);
    if (status == SOOTH_OK) status = soothi_boost_prepare(f, old, &b);
    if (status == SOOTH_OK) status = soothi_boost_run(f, &b, report);
    sooth_free(env, m.memory, m.used, 1);
    if (status == SOOTH_OK) {
        status = soothi_agree(env, soothi_ensemble_end(&b, boost));
        if (status == SOOTH_OK) return status;
        sooth_ensemble_free(env, *boost);
        *boost = NULL;
        return status;
    }
    soothi_ensemble_drop(&b);
    return status;
}

/* Checks options and table, then fits. */
SOOTHI_LOCAL sooth_status soothi_boost_start(sooth_env *env, const sooth_table *table,
                                             const sooth_boost_options *options, const sooth_boost *old,
                                             sooth_boost **boost, sooth_boost_report *report) {
    sooth_boost_options o;
    sooth_boost_report unread;
    *boost = NULL;
    sooth_status status = soothi_boost_accept(env, table, options, old, &o);
    soothi_boost_fitting *f =
        status == SOOTH_OK ? (soothi_boost_fitting *)sooth_alloc(env, 1, sizeof *f) : NULL;
    if (status == SOOTH_OK && !f) status = sooth_no_memory(env, "boosting", sizeof *f);
    status = soothi_agree(env, status);
    if (f && status == SOOTH_OK) {
        memset(f, 0, sizeof *f);
        f->env = env;
        f->table = table;
        f->o = o;
        soothi_boost_choose(f);
        status = soothi_boost_agree(f);
        if (status == SOOTH_OK) status = soothi_boost_fit_any(f, old, boost, report ? report : &unread);
    }
    sooth_free(env, f, 1, sizeof *f);
    return status;
}

SOOTH_API sooth_status sooth_boost_check_options(sooth_env *env, const sooth_table *table,
                                                 const sooth_boost_options *options) {
    sooth_boost_options o;
    return soothi_boost_accept(env, table, options, NULL, &o);
}

SOOTH_API sooth_status sooth_boost_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_boost_options *options, sooth_boost **boost) {
    return soothi_boost_start(env, table, options, NULL, boost, NULL);
}

SOOTH_API sooth_status sooth_boost_fit_report(sooth_env *env, const sooth_table *table,
                                              const sooth_boost_options *options, sooth_boost **boost,
                                              sooth_boost_report *report) {
    return soothi_boost_start(env, table, options, NULL, boost, report);
}

SOOTH_API sooth_status sooth_boost_resume(sooth_env *env, const sooth_boost *boost, const sooth_table *table,
                                          const sooth_boost_options *options, sooth_boost **larger) {
    return soothi_boost_start(env, table, options, boost, larger, NULL);
}

SOOTH_API void sooth_boost_free(sooth_env *env, sooth_boost *boost) { sooth_ensemble_free(env, boost); }

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#ifndef SOOTH_PREDICT_ONLY
#include "boost/refit.h"
#endif
