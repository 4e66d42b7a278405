/* explain.h - explains predictions: importances, SHAP values, decision paths, partial dependence.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * For trees, one or many:
 *
 *   which columns reduced the error in training?       sooth_explain_importance
 *   which columns are tested on a row's path?          sooth_explain_paths, sooth_explain_counts,
 *                                                      sooth_explain_path
 *   how much does each column add to a prediction?     sooth_explain_shap, sooth_explain_shap_against
 *   ... and each pair of columns?                      sooth_explain_interactions
 *
 * For any model, through a callback:
 *
 *   how much does the loss rise without a column?      sooth_explain_permutation
 *   how does the prediction depend on a column?        sooth_explain_dependence, sooth_explain_grid
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/explain.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  1, 20,  2, 10,  2, 20};   // threads and megahertz of four runs
 *         float y[] = {9, 5, 4, 2};                      // seconds
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         double phi[4 * 2], mean;
 *         sooth_env env;
 *         sooth_tree *tree;
 *         sooth_explain_trees trees;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         trees = sooth_explain_tree(tree);
 *         if (sooth_explain_shap(&env, &trees, &table, phi, &mean) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g = %g %+g %+g\n", (double)y[0], mean, phi[0], phi[1]);   //> 9 = 5 +2.25 +1.75
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Method and references
 *
 * Let v(S) be the expected prediction if only the columns in S are known. phi_j, the Shapley value of column
 * j, is the change of v by adding column j, averaged over all orders in which columns can become known. So
 * v(nothing) + sum of phi = v(all), the prediction. Two definitions of the expectation over unknown columns
 * are in use. They differ if columns depend on each other:
 *
 *   sooth_explain_shap          at a split on an unknown column both branches count, by the fraction of
 *                               training rows in each ("path-dependent"; Lundberg, Erion, Lee: Consistent
 *                               individualized feature attribution for tree ensembles, 2018)
 *   sooth_explain_shap_against  unknown columns take the values of a row of a background table, averaged over
 *                               its rows ("interventional"; Lundberg et al., Nature Machine Intelligence 2,
 *                               2020)
 *
 * Both are exact, in double. The sum holds to about 1e-13 of the largest leaf at any depth. See "SHAP,
 * path-dependent" below for the reason.
 *
 * Cost
 *
 * N is the number of nodes in trees of depth D. At most m <= min(D, columns) columns are on one path, and q =
 * ceil(m/2):
 *   shap           O(N q) per row and target. Four rows are explained at once, so one row costs as much as
 *                  four. On a server of 2024, 12 ns per node and row at q = 3: a quarter of XGBoost's time
 *   interactions   O(N m^2 q)
 *   shap_against   O(nodes on the paths of mixtures of two rows), per two rows and target
 *   permutation    groups x repeats predictions of the table, and a copy of it
 *   dependence     points predictions of the table, and a copy of 256 rows
 * At most one allocation per call: shap takes (D + 1) (96 q + 56) + 4 columns bytes per worker. No recursion.
 * All workers of the env explain rows; the bits do not depend on their number.
 */
#if !defined(SOOTH_EXPLAIN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPLAIN_IMPLEMENTED))
#include "tree/ensemble.h"
#include "validation/metrics.h"
#endif

#if !defined(SOOTH_EXPLAIN_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPLAIN_H
SOOTHI_C_BEGIN

/* ---- trees ---- */

/* One tree or many: a view of a model. It owns nothing and may be copied. */
typedef struct sooth_explain_trees {
    const sooth_tree *tree; /* one of tree and ensemble is NULL */
    const sooth_ensemble *ensemble;
    const sooth_tree_node *node;
    const double *weight; /* weight of the training rows in each node of a tree; NULL means unknown */
    const float *cover;   /* like weight, for an ensemble */
    uint32_t nodes, trees, depth, shift, features, targets;
    uint32_t turns;  /* tree k predicts target k % turns */
    uint32_t shares; /* the prediction is the sum of the trees divided by this */
} sooth_explain_trees;

/* Return views of a tree, or of a forest, a boosted or an imported model. The model must live as long. A
   checked model may come from anyone, and so may the view of it that the functions below take. */
SOOTH_API sooth_explain_trees sooth_explain_tree(const sooth_tree *tree);
SOOTH_API sooth_explain_trees sooth_explain_ensemble(const sooth_ensemble *e);

/* Returns the prediction of target t for a row in double, without the link function: the sum of SHAP
   values. Of several quantiles (boost.h), target t is the t-th before the row's quantiles are sorted: each is
   explained by its own trees. */
SOOTH_API double sooth_explain_margin(const sooth_explain_trees *trees, const float *row, size_t target);

/* XGBoost's names, except the first. */
typedef enum sooth_explain_importance_kind {
    SOOTH_EXPLAIN_SHARE = 0,   /* fraction of the total gain: the impurity-based importance */
    SOOTH_EXPLAIN_TOTAL_GAIN,  /* sum of training gains of the splits on a column */
    SOOTH_EXPLAIN_GAIN,        /* average gain per split */
    SOOTH_EXPLAIN_WEIGHT,      /* number of splits on the column */
    SOOTH_EXPLAIN_TOTAL_COVER, /* weight of the training rows that reached these splits */
    SOOTH_EXPLAIN_COVER        /* average cover per split */
} sooth_explain_importance_kind;

/* Computes out[0..features); 0 for columns without a split. Gains of a tree are decreases of impurity x
   weight. Returns SOOTH_BAD_ARGUMENT if the model lacks the statistics. O(nodes); allocates 4 bytes per
   column. Gains are measured on training rows, so they favour columns with many values (Breiman et al. 1984).
   Permutation on held-out rows does not. */
SOOTH_API sooth_status sooth_explain_importance(sooth_env *env, const sooth_explain_trees *trees,
                                                sooth_explain_importance_kind kind, double *out);

/* How the paths of a table's rows use a column. A path is that of one row through one tree. */
typedef struct sooth_explain_use {
    double rows;     /* fraction of rows with a path that tests the column, in any tree */
    double paths;    /* fraction of paths that test it; equal to rows for one tree */
    double per_path; /* average number of tests of the column per path */
    double per_use;  /* average over the paths with a test; 0 if no path has one */
    uint32_t most;   /* maximum on one path */
} sooth_explain_use;

/* Computes use[0..features), the decision-path statistics (Moolchandani et al. 2022, section 6.4: `rows` is
   Figure 9). Weights count; values may be missing. Allocates 8 bytes per column. O(rows x trees x depth). */
SOOTH_API sooth_status sooth_explain_paths(sooth_env *env, const sooth_explain_trees *trees,
                                           const sooth_table *table, sooth_explain_use *use);

/* Computes count[0..features): tests of each column on all paths of one row (a spoke of Figure 10 there). */
SOOTH_API void sooth_explain_counts(const sooth_explain_trees *trees, const float *row, uint32_t *count);

/* One test on the path of a row: is the feature at most the threshold, or in a set of categories? */
typedef struct sooth_explain_step {
    uint32_t feature;
    float threshold; /* NaN means a set */
    uint32_t right;  /* 1 if the test fails, or if the value is missing and goes right */
} sooth_explain_step;

/* Computes step[0..n): the tests of a row by one tree (below trees->trees), from its root on. Returns n,
   at most trees->depth. */
SOOTH_API size_t sooth_explain_path(const sooth_explain_trees *trees, size_t tree, const float *row,
                                    sooth_explain_step *step);

/* Returns the leaf of a row in one tree: the number of its node in the tree, whose root is 0. */
SOOTH_API uint32_t sooth_explain_leaf(const sooth_explain_trees *trees, size_t tree, const float *row);

/* Computes phi[(i * targets + t) * features + j] for row i, target t, column j, and expected[t] (may be
   NULL), with
       expected[t] + sum over j of phi = sooth_explain_margin of row i and target t.
   A column without a split has exactly 0. Trees with linear leaves (tree/linear_leaves.h) are refused, here
   and below: SOOTH_BAD_ARGUMENT. Missing values follow the same branches as in prediction. Needs cover
   (SOOTH_ENSEMBLE_COVER, or a tree with statistics). The share of a child is its cover / (its cover + its
   sibling's), and one half if both are 0. */
SOOTH_API sooth_status sooth_explain_shap(sooth_env *env, const sooth_explain_trees *trees,
                                          const sooth_table *table, double *phi, double *expected);

/* Like sooth_explain_shap, against a background, whose weighted mean prediction is expected[t]. Needs no
   cover. */
SOOTH_API sooth_status sooth_explain_shap_against(sooth_env *env, const sooth_explain_trees *trees,
                                                  const sooth_table *table, const sooth_table *background,
                                                  double *phi, double *expected);

/* Computes SHAP interaction values of the path-dependent game. phi[((i * targets + t) * features + j) *
   features + k] is half of the joint effect of columns j and k beyond their separate effects. (j, j) is the
   remainder of column j. Symmetric; row j sums to phi_j. See Lundberg et al. 2018, equations 5 to 8. */
SOOTH_API sooth_status sooth_explain_interactions(sooth_env *env, const sooth_explain_trees *trees,
                                                  const sooth_table *table, double *phi, double *expected);

/* ---- any model ---- */

/* Computes out[i * targets + t] for `rows` rows, `stride` floats from one to the next. */
typedef void sooth_explain_predictor(void *user, const float *x, size_t rows, size_t stride, float *out);

/* A sooth_explain_predictor for trees: user is a sooth_explain_trees. */
SOOTH_API void sooth_explain_predict(void *user, const float *x, size_t rows, size_t stride, float *out);

typedef enum sooth_explain_loss {
    SOOTH_EXPLAIN_MSE = 0,
    SOOTH_EXPLAIN_RMSE,
    SOOTH_EXPLAIN_MAE,
    SOOTH_EXPLAIN_MAPE /* see validation/metrics.h: rows with a target of 0 are left out */
} sooth_explain_loss;

typedef struct sooth_explain_options {
    uint32_t loss;    /* a sooth_explain_loss; the mean over several targets */
    uint32_t repeats; /* permutations per group; 0 means 5 */
    uint32_t seed;
    uint32_t groups;       /* number of groups; 0 means that each column is one */
    const uint32_t *group; /* per column: its group, below `groups` */
} sooth_explain_options;

/* Computes the permutation importance of groups, or of columns (Breiman, Random Forests, 2001, section 10;
   scikit-learn's permutation_importance). loss[g] is the mean rise of the loss over the repeats, if the
   columns of group g are permuted together. spread[g] (may be NULL) is its standard deviation over the
   repeats (of the population). *base (may be NULL) is the loss without permutation. Columns with equal
   information hide each other's importance: put them in one group. Repeat r of group g draws from stream g x
   repeats + r of the seed. The table needs targets; weights count in the loss. */
SOOTH_API sooth_status sooth_explain_permutation(sooth_env *env, const sooth_table *table,
                                                 sooth_explain_predictor *predict_fn, void *predict_user,
                                                 const sooth_explain_options *options, double *loss,
                                                 double *spread, double *base);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_explain_options_list(void);

/* Computes grid[0..*count), count <= points: distinct values of a column in ascending order. They are its
   quantiles 0, 1/(points - 1), ..., 1 (interpolated between neighbours). If the column has at most `points`
   distinct values, these are the grid. Ignores missing values and rows of weight 0. points >= 2. Allocates 16
   bytes per row. */
SOOTH_API sooth_status sooth_explain_grid(sooth_env *env, const sooth_table *table, size_t column,
                                          size_t points, float *grid, size_t *count);

/* Computes mean[p * targets + t], the partial dependence (Friedman, Annals of Statistics 29, 2001, section
   8.2). It is the weighted mean prediction over the rows, with the column set to grid[p] in all of them.
   each[(i * points + p) * targets + t] is the prediction for row i (individual conditional expectation:
   Goldstein et al. 2015); may be NULL. A table of one row, such as the mean row, gives "all other features
   frozen" (Alavani et al. 2023, Figure 7). */
SOOTH_API sooth_status sooth_explain_dependence(sooth_env *env, const sooth_table *table, size_t column,
                                                const float *grid, size_t points,
                                                sooth_explain_predictor *predict_fn, void *predict_user,
                                                size_t targets, double *mean, float *each);

SOOTHI_C_END
#endif /* SOOTH_EXPLAIN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPLAIN_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPLAIN_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- one view for one tree and for many ---- */

SOOTH_API sooth_explain_trees sooth_explain_tree(const sooth_tree *tree) {
    sooth_explain_trees v;
    memset(&v, 0, sizeof v);
    v.tree = tree;
    v.node = soothi_tree_nodes(tree);
    v.weight = tree->statistics ? soothi_tree_weights(tree) : NULL;
    v.nodes = tree->nodes;
    v.trees = v.turns = v.shares = 1;
    v.depth = tree->depth;
    v.shift = tree->shift;
    v.features = tree->head.features;
    v.targets = tree->head.targets;
    return v;
}

SOOTH_API sooth_explain_trees sooth_explain_ensemble(const sooth_ensemble *e) {
    sooth_explain_trees v;
    memset(&v, 0, sizeof v);
    v.ensemble = e;
    v.node = soothi_ensemble_nodes(e);
    v.cover = soothi_ensemble_cover(e);
    v.nodes = e->nodes;
    v.trees = e->trees;
    v.depth = e->depth;
    v.shift = e->shift;
    v.features = e->head.features;
    v.targets = e->head.targets;
    v.turns = soothi_ensemble_width(e) < v.targets ? v.targets : 1;
    v.shares = e->flags & SOOTH_ENSEMBLE_MEAN ? v.trees / v.turns : 1;
    return v;
}

SOOTHI_LOCAL uint32_t soothi_explain_root(const sooth_explain_trees *v, uint32_t k) {
    return v->ensemble ? soothi_ensemble_start(v->ensemble)[k] : 0;
}

/* The start of the sum of target t. */
SOOTHI_LOCAL double soothi_explain_base(const sooth_explain_trees *v, uint32_t t) {
    const float *base = v->ensemble ? soothi_ensemble_base(v->ensemble) : NULL;
    return base ? (double)base[t] + (double)base[v->targets + t] : 0.0;
}

/* The value of a leaf for target t. */
SOOTHI_LOCAL double soothi_explain_value(const sooth_explain_trees *v, uint32_t leaf, uint32_t t) {
    if (v->ensemble) return soothi_ensemble_value(v->ensemble, leaf, t);
    if (v->targets == 1) return (double)v->node[leaf].u.value;
    return (double)soothi_tree_values(v->tree)[(size_t)v->node[leaf].u.at * v->targets + t];
}

/* The weight of the training rows in a node. */
SOOTHI_LOCAL double soothi_explain_cover(const sooth_explain_trees *v, uint32_t node) {
    return v->cover ? (double)v->cover[node] : v->weight[node];
}

SOOTHI_LOCAL int soothi_explain_inner(const sooth_explain_trees *v, uint32_t node) {
    return v->node[node].link & 1u;
}

SOOTHI_LOCAL uint32_t soothi_explain_left(const sooth_explain_trees *v, uint32_t node) {
    return node + (v->node[node].link >> v->shift);
}

SOOTHI_LOCAL uint32_t soothi_explain_feature(const sooth_explain_trees *v, uint32_t node) {
    return (v->node[node].link & soothi_tree_mask(v->shift)) >> 2;
}

/* The child that a row goes to; a leaf returns itself. */
SOOTHI_LOCAL uint32_t soothi_explain_down(const sooth_explain_trees *v, uint32_t node, const float *row) {
    return v->ensemble ? soothi_ensemble_child(v->ensemble, node, row)
                       : soothi_tree_child(v->tree, node, row);
}

/* The prediction of a linear leaf, in double; constant if the leaf is not linear or a value is missing. */
SOOTHI_LOCAL double soothi_explain_plane(const sooth_explain_trees *v, uint32_t leaf, const float *row,
                                         double constant) {
    const soothi_linear_leaf *plane =
        v->ensemble ? soothi_ensemble_linear_leaf(v->ensemble, leaf) : soothi_tree_linear_leaf(v->tree, leaf);
    const int low = v->ensemble && (v->ensemble->flags & SOOTH_ENSEMBLE_LOW);
    double sum = plane ? (double)plane->at + (double)plane->low : constant;
    for (uint32_t k = 0; plane && k < plane->terms; ++k) {
        const soothi_linear_leaf_term *term = soothi_linear_leaf_terms(plane) + k;
        const double x = (double)soothi_linear_leaf_clip(row[term->feature], term->from, term->to);
        const double slope = (double)term->slope, center = (double)term->center;
        if (soothi_nan(x)) return constant;
        sum += low ? (slope + center) * x : slope * (x - center);
    }
    if (!plane) return sum;
    return sum < (double)plane->least  ? (double)plane->least
           : sum > (double)plane->most ? (double)plane->most
                                       : sum;
}

SOOTH_API double sooth_explain_margin(const sooth_explain_trees *trees, const float *row, size_t target) {
    const uint32_t t = (uint32_t)target;
    double sum = soothi_explain_base(trees, t);
    for (uint32_t k = t % trees->turns; k < trees->trees; k += trees->turns) {
        uint32_t node = soothi_explain_root(trees, k);
        while (soothi_explain_inner(trees, node)) node = soothi_explain_down(trees, node, row);
        sum += soothi_explain_plane(trees, node, row, soothi_explain_value(trees, node, t));
    }
    return sum / (double)trees->shares;
}

/* ---- checks common to all functions for trees ---- */

SOOTHI_LOCAL sooth_status soothi_explain_need_cover(sooth_env *env, const sooth_explain_trees *v) {
    if (v->tree && !v->weight)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "this needs the weight of the nodes, but the tree was fitted with no_statistics");
    if (v->ensemble && !v->cover)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "this needs the weight of the nodes (cover), but the model does not store it");
    for (uint32_t i = 0; i < v->nodes; ++i)
        if (!soothi_finite(soothi_explain_cover(v, i)) || soothi_explain_cover(v, i) < 0.0)
            return sooth_fail(env, SOOTH_BAD_MODEL,
                              "node %u has the cover %g, but it must be finite and not negative", i,
                              soothi_explain_cover(v, i));
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_explain_need_table(sooth_env *env, const sooth_explain_trees *v,
                                                    const sooth_table *table, const char *what) {
    sooth_status status =
        sooth_table_check(env, table, SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status != SOOTH_OK) return status;
    if (table->cols != v->features)
        return sooth_fail(env, SOOTH_BAD_DATA, "%s has %z columns, but the model was trained with %u", what,
                          table->cols, v->features);
    return SOOTH_OK;
}

SOOTHI_LOCAL double soothi_explain_weight(const sooth_table *table, size_t row) {
    return table->weight ? (double)table->weight[row] : 1.0;
}

/* ---- importances ---- */

/* Total gain per column. */
SOOTHI_LOCAL sooth_status soothi_explain_gain(sooth_env *env, const sooth_explain_trees *v, double *out) {
    double sum = 0.0;
    if (v->ensemble) {
        soothi_ensemble_gain(v->ensemble, out);
        for (uint32_t j = 0; j < v->features; ++j) sum += soothi_abs(out[j]);
        if (v->depth > 0 && !(sum > 0.0))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the model does not store the gain of its splits");
        return SOOTH_OK;
    }
    if (!v->weight)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "this needs the gain of the splits, but the tree was fitted with no_statistics");
    soothi_tree_gains(v->tree, out);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_explain_importance(sooth_env *env, const sooth_explain_trees *trees,
                                                sooth_explain_importance_kind kind, double *out) {
    const int per_split = kind == SOOTH_EXPLAIN_GAIN || kind == SOOTH_EXPLAIN_COVER;
    const int covers = kind == SOOTH_EXPLAIN_TOTAL_COVER || kind == SOOTH_EXPLAIN_COVER;
    sooth_status status = SOOTH_OK;
    double whole = 0.0;
    uint32_t *splits, i, j; /* number of splits on each column */
    if ((unsigned)kind > SOOTH_EXPLAIN_COVER)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kind is %u, but must be between 0 and %u", (unsigned)kind,
                          (unsigned)SOOTH_EXPLAIN_COVER);
    for (j = 0; j < trees->features; ++j) out[j] = 0.0;
    if (covers) status = soothi_explain_need_cover(env, trees);
    else if (kind != SOOTH_EXPLAIN_WEIGHT) status = soothi_explain_gain(env, trees, out);
    if (status != SOOTH_OK) return status;
    splits = (uint32_t *)sooth_alloc(env, trees->features, sizeof *splits);
    if (!splits) return sooth_no_memory(env, "importances", soothi_product(trees->features, sizeof *splits));
    memset(splits, 0, trees->features * sizeof *splits);
    for (i = 0; i < trees->nodes; ++i)
        if (soothi_explain_inner(trees, i)) {
            j = soothi_explain_feature(trees, i);
            ++splits[j];
            if (covers) out[j] += soothi_explain_cover(trees, i);
        }
    for (j = 0; j < trees->features; ++j) {
        if (kind == SOOTH_EXPLAIN_WEIGHT) out[j] = (double)splits[j];
        if (per_split && splits[j]) out[j] /= (double)splits[j];
        whole += out[j];
    }
    for (j = 0; j < trees->features && kind == SOOTH_EXPLAIN_SHARE && whole > 0.0; ++j) out[j] /= whole;
    sooth_free(env, splits, trees->features, sizeof *splits);
    return SOOTH_OK;
}

/* ---- decision paths ---- */

SOOTH_API void sooth_explain_counts(const sooth_explain_trees *trees, const float *row, uint32_t *count) {
    memset(count, 0, trees->features * sizeof *count);
    for (uint32_t k = 0; k < trees->trees; ++k)
        for (uint32_t node = soothi_explain_root(trees, k); soothi_explain_inner(trees, node);
             node = soothi_explain_down(trees, node, row))
            ++count[soothi_explain_feature(trees, node)];
}

SOOTH_API size_t sooth_explain_path(const sooth_explain_trees *trees, size_t tree, const float *row,
                                    sooth_explain_step *step) {
    uint32_t node = soothi_explain_root(trees, (uint32_t)tree);
    size_t n = 0;
    for (; soothi_explain_inner(trees, node); ++n) {
        const uint32_t next = soothi_explain_down(trees, node, row);
        step[n].feature = soothi_explain_feature(trees, node);
        step[n].threshold = trees->node[node].u.threshold;
        step[n].right = next != soothi_explain_left(trees, node);
        node = next;
    }
    return n;
}

SOOTH_API uint32_t sooth_explain_leaf(const sooth_explain_trees *trees, size_t tree, const float *row) {
    const uint32_t root = soothi_explain_root(trees, (uint32_t)tree);
    uint32_t node = root;
    while (soothi_explain_inner(trees, node)) node = soothi_explain_down(trees, node, row);
    return node - root;
}

/* Adds one row: the tests of one path at a time in count[], and whether any path had one in seen[]. */
SOOTHI_LOCAL void soothi_explain_use_row(const sooth_explain_trees *v, const float *row, double weight,
                                         uint32_t *count, uint32_t *seen, sooth_explain_use *use) {
    uint32_t j;
    memset(seen, 0, v->features * sizeof *seen);
    for (uint32_t k = 0; k < v->trees; ++k) {
        const uint32_t root = soothi_explain_root(v, k);
        for (uint32_t node = root; soothi_explain_inner(v, node); node = soothi_explain_down(v, node, row)) {
            j = soothi_explain_feature(v, node);
            if (++count[j] == 1) use[j].paths += weight;
            if (count[j] > use[j].most && weight > 0.0) use[j].most = count[j];
            use[j].per_path += weight;
            if (!seen[j]) use[j].rows += weight;
            seen[j] = 1;
        }
        for (uint32_t node = root; soothi_explain_inner(v, node); node = soothi_explain_down(v, node, row))
            count[soothi_explain_feature(v, node)] = 0;
    }
}

SOOTH_API sooth_status sooth_explain_paths(sooth_env *env, const sooth_explain_trees *trees,
                                           const sooth_table *table, sooth_explain_use *use) {
    sooth_status status = soothi_explain_need_table(env, trees, table, "the table");
    uint32_t *count;
    double weight = 0.0;
    if (status != SOOTH_OK) return status;
    count = (uint32_t *)sooth_alloc(env, trees->features, 2 * sizeof *count);
    if (!count)
        return sooth_no_memory(env, "decision paths", soothi_product(trees->features, 2 * sizeof *count));
    memset(count, 0, trees->features * sizeof *count);
    memset(use, 0, trees->features * sizeof *use);
    for (size_t i = 0; i < table->rows; ++i) {
        const double w = soothi_explain_weight(table, i);
        soothi_explain_use_row(trees, table->x + i * table->stride, w, count, count + trees->features, use);
        weight += w;
    }
    for (uint32_t j = 0; j < trees->features; ++j) {
        if (use[j].paths > 0.0) use[j].per_use = use[j].per_path / use[j].paths;
        use[j].rows /= weight;
        use[j].paths /= weight * (double)trees->trees;
        use[j].per_path /= weight * (double)trees->trees;
    }
    sooth_free(env, count, trees->features, 2 * sizeof *count);
    return SOOTH_OK;
}

/* ---- SHAP, path-dependent ----
 *
 * The path to a leaf of value u has splits on m different columns. Let o_j be 1 if the row passes all splits
 * on column j, else 0. Let z_j be the fraction of training rows that pass them: the product of the children's
 * shares. The leaf's part in v(S) is u prod_{j in S} o_j prod_{j not in S} z_j. If every column is known with
 * probability t, its expectation is u prod_j (o_j t + z_j (1 - t)). The Shapley value is the integral of its
 * derivative (Owen: Multilinear extensions of games, Management Science 18, 1972),
 *
 *     phi_j = integral over t from 0 to 1 of (o_j - z_j) u prod_{i != j} (o_i t + z_i (1 - t)).
 *
 * The integrand has degree m - 1, so Gauss's rule with q = ceil(m / 2) points is exact. All factors and
 * weights are positive, so no digits cancel for any number of factors. (TreeSHAP computes this sum by powers
 * of t, and its unwinding loses digits with every level.) The products of a node serve all leaves below it,
 * and the sums over a subtree serve the column above it (Yu, Bifet, Read, Xu: Linear tree SHAP, NeurIPS
 * 2022). So a node costs q times a division and ten multiplications.
 *
 * If a column is tested a second time on the path, its new o and z replace the old ones. The leaves below
 * count for it with the new factor and no longer with the old one.
 */

/* Rows that are explained together. Each has its own lane: its results do not depend on the others. */
#define SOOTHI_EXPLAIN_LANES 4

/* One node on the path from the root. */
typedef struct soothi_explain_step {
    double one[SOOTHI_EXPLAIN_LANES]; /* o of the column, for all its splits so far */
    double share;                     /* z of the column */
    uint32_t node;
    uint32_t column; /* tested by the split above this node */
    uint32_t before; /* the previous step on this column; 0 means none */
    uint32_t sides;  /* number of visited children */
} soothi_explain_step;

/* Scratch of one worker. */
typedef struct soothi_explain_scratch {
    size_t width; /* q x lanes: numbers of one step; lane i of point k is number k x lanes + i */
    const double *t, *rest, *weight;  /* Gauss's rule, each number repeated per lane; shared by all workers */
    soothi_explain_step *step;        /* depth + 1 */
    double *product;                  /* per step: weight x prod (o t + z (1 - t)) */
    double *inverse;                  /* 1 / (o t + z (1 - t)) of the step's column; 0 if that is 0 */
    double *sum;                      /* sum of product x value over the leaves below */
    double *phi;                      /* lanes x columns, for interactions */
    uint32_t *last;                   /* per column: its last step on the path; 0 means none */
    struct soothi_explain_fork *fork; /* against a background: depth + 1; last then holds the side */
} soothi_explain_scratch;

/* Rows of all lanes (the last one may be repeated), and the addresses of their results. */
typedef struct soothi_explain_rows {
    const float *row[SOOTHI_EXPLAIN_LANES];
    double *phi[SOOTHI_EXPLAIN_LANES];
    double *pairs[SOOTHI_EXPLAIN_LANES]; /* columns x columns; may be NULL */
    uint32_t count;                      /* number of distinct rows */
} soothi_explain_rows;

/* Computes Gauss's rule for 0..1 with q points: t, 1 - t and the weights, each repeated per lane. The roots
   of the Legendre polynomial P_q come from Newton's method, starting at cos(pi (k + 3/4) / (q + 1/2)). */
SOOTHI_LOCAL void soothi_explain_gauss(uint32_t q, double *t) {
    const size_t width = (size_t)q * SOOTHI_EXPLAIN_LANES;
    double *rest = t + width, *weight = rest + width;
    for (uint32_t k = 0; k < (q + 1) / 2; ++k) {
        const double angle = 3.14159265358979323846 * (k + 0.75) / (q + 0.5);
        const size_t low = (size_t)k * SOOTHI_EXPLAIN_LANES, high = width - SOOTHI_EXPLAIN_LANES - low;
        double x = 1.0, slope = 1.0;
        for (uint32_t j = 16; j > 0; j -= 2)
            x = 1.0 - x * angle * angle / (double)(j * (j - 1)); /* the series of cos */
        for (uint32_t turn = 0; turn < 8; ++turn) {
            double p = x, before = 1.0; /* P_1 and P_0, then up to P_q */
            for (uint32_t j = 1; j < q; ++j) {
                const double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
                before = p;
                p = next;
            }
            slope = q * (before - x * p) / ((1.0 - x) * (1.0 + x));
            x -= p / slope;
        }
        for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
            t[low + i] = rest[high + i] = 0.5 * (1.0 - x);
            rest[low + i] = t[high + i] = 0.5 * (1.0 + x);
            weight[low + i] = weight[high + i] = 1.0 / ((1.0 - x) * (1.0 + x) * slope * slope);
        }
    }
}

/* The fraction of the rows of `node` that go to `child`. */
SOOTHI_LOCAL double soothi_explain_share(const sooth_explain_trees *v, uint32_t node, uint32_t child) {
    const uint32_t left = soothi_explain_left(v, node);
    const double sum = soothi_explain_cover(v, left) + soothi_explain_cover(v, left + 1);
    return sum > 0.0 ? soothi_explain_cover(v, child) / sum : 0.5;
}

/* Puts the root on step 0, which also means "no previous step": o = z = 1. */
SOOTHI_LOCAL void soothi_explain_begin(soothi_explain_scratch *r, uint32_t root) {
    memset(r->step, 0, sizeof *r->step);
    r->step[0].node = root;
    r->step[0].share = 1.0;
    for (size_t k = 0; k < SOOTHI_EXPLAIN_LANES; ++k) r->step[0].one[k] = 1.0;
    for (size_t k = 0; k < r->width; ++k) {
        r->product[k] = r->weight[k];
        r->inverse[k] = 1.0;
        r->sum[k] = 0.0;
    }
}

/* Goes from step l - 1 to a child. Returns 0 if neither an explained nor a training row reaches it. */
SOOTHI_LOCAL int soothi_explain_enter(const sooth_explain_trees *v, const soothi_explain_rows *rows,
                                      soothi_explain_scratch *r, uint32_t l, uint32_t child) {
    soothi_explain_step *at = r->step + l;
    const uint32_t node = at[-1].node, column = soothi_explain_feature(v, node), before = r->last[column];
    double share = soothi_explain_share(v, node, child) * r->step[before].share, any = 0.0;
    for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
        at->one[i] = soothi_explain_down(v, node, rows->row[i]) == child ? r->step[before].one[i] : 0.0;
        any += at->one[i];
    }
    if (share < 1e-200) { /* nearly 0, but a factor must not be 0, nor its inverse infinite */
        if (!(any > 0.0)) return 0;
        share = 1e-200;
    }
    at->share = share;
    at->node = child;
    at->column = column;
    at->before = before;
    at->sides = 0;
    return 1;
}

/* Computes the products of an inner node on step l. */
SOOTHI_LOCAL void soothi_explain_multiply(soothi_explain_scratch *r, uint32_t l) {
    const soothi_explain_step *at = r->step + l;
    const double *t = r->t, *rest = r->rest, share = at->share;
    const double *above = r->product + (l - 1) * r->width, *old = r->inverse + at->before * r->width;
    double *SOOTH_RESTRICT product = r->product + l * r->width;
    double *SOOTH_RESTRICT inverse = r->inverse + l * r->width;
    double *SOOTH_RESTRICT sum = r->sum + l * r->width;
    const size_t width = r->width;
    for (size_t k = 0; k < width; k += SOOTHI_EXPLAIN_LANES)
        for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
            const double factor = at->one[i] * t[k + i] + share * rest[k + i];
            product[k + i] = above[k + i] * old[k + i] * factor;
            inverse[k + i] = 1.0 / factor;
            sum[k + i] = 0.0;
        }
}

/* Updates phi of the column of step l: adds its leaves by now[], removes those of the step before by
   then[]. */
SOOTHI_LOCAL void soothi_explain_credit(const soothi_explain_rows *rows, const soothi_explain_scratch *r,
                                        uint32_t l, const double now[SOOTHI_EXPLAIN_LANES],
                                        const double then[SOOTHI_EXPLAIN_LANES]) {
    const soothi_explain_step *at = r->step + l, *before = r->step + at->before;
    for (uint32_t i = 0; i < rows->count; ++i)
        rows->phi[i][at->column] +=
            now[i] * (at->one[i] - at->share) - then[i] * (before->one[i] - before->share);
}

SOOTHI_LOCAL void soothi_explain_leaf(const soothi_explain_rows *rows, soothi_explain_scratch *r, uint32_t l,
                                      double value) {
    const soothi_explain_step *at = r->step + l;
    const double *t = r->t, *rest = r->rest, share = at->share;
    const double *others = r->product + (l - 1) * r->width, *old = r->inverse + at->before * r->width;
    double *SOOTH_RESTRICT above = r->sum + (l - 1) * r->width;
    double now[SOOTHI_EXPLAIN_LANES] = {0.0}, then[SOOTHI_EXPLAIN_LANES] = {0.0};
    const size_t width = r->width;
    for (size_t k = 0; k < width; k += SOOTHI_EXPLAIN_LANES)
        for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
            const double factor = at->one[i] * t[k + i] + share * rest[k + i];
            const double part = value * others[k + i] * old[k + i];
            now[i] += part;
            then[i] += part * factor * old[k + i];
            above[k + i] += part * factor;
        }
    soothi_explain_credit(rows, r, l, now, then);
}

/* Returns from an inner node on step l. */
SOOTHI_LOCAL void soothi_explain_leave(const soothi_explain_rows *rows, soothi_explain_scratch *r,
                                       uint32_t l) {
    const soothi_explain_step *at = r->step + l;
    const double *inverse = r->inverse + l * r->width, *old = r->inverse + at->before * r->width;
    const double *sum = r->sum + l * r->width;
    double *SOOTH_RESTRICT above = r->sum + (l - 1) * r->width;
    double now[SOOTHI_EXPLAIN_LANES] = {0.0}, then[SOOTHI_EXPLAIN_LANES] = {0.0};
    const size_t width = r->width;
    for (size_t k = 0; k < width; k += SOOTHI_EXPLAIN_LANES)
        for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
            now[i] += sum[k + i] * inverse[k + i];
            then[i] += sum[k + i] * old[k + i];
            above[k + i] += sum[k + i];
        }
    soothi_explain_credit(rows, r, l, now, then);
    r->last[at->column] = at->before;
}

/* Adds the interactions of the leaf on step l: half of the mixed derivative of f, (o_j - z_j) (o_k - z_k) u
   prod_{i != j, k} (o_i t + z_i (1 - t)), over t. Only the last step of a column counts. */
SOOTHI_LOCAL void soothi_explain_pairs(const soothi_explain_rows *rows, soothi_explain_scratch *r, uint32_t l,
                                       uint32_t columns, double value) {
    const double *product = r->product + l * r->width;
    const uint32_t column = r->step[l].column, before = r->step[l].before;
    soothi_explain_multiply(r, l);
    r->last[column] = l;
    for (uint32_t a = 2; a <= l; ++a) {
        const soothi_explain_step *first = r->step + a;
        if (r->last[first->column] != a) continue;
        for (uint32_t b = 1; b < a; ++b) {
            const soothi_explain_step *second = r->step + b;
            const double *of_a = r->inverse + a * r->width, *of_b = r->inverse + b * r->width;
            double both[SOOTHI_EXPLAIN_LANES] = {0.0};
            if (r->last[second->column] != b) continue;
            for (size_t k = 0; k < r->width; k += SOOTHI_EXPLAIN_LANES)
                for (size_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i)
                    both[i] += product[k + i] * of_a[k + i] * of_b[k + i];
            for (size_t i = 0; i < rows->count; ++i) {
                const double half =
                    0.5 * value * both[i] * (first->one[i] - first->share) * (second->one[i] - second->share);
                rows->pairs[i][(size_t)first->column * columns + second->column] += half;
                rows->pairs[i][(size_t)second->column * columns + first->column] += half;
            }
        }
    }
    r->last[column] = before;
}

SOOTHI_LOCAL void soothi_explain_walk(const sooth_explain_trees *v, uint32_t root, uint32_t t,
                                      const soothi_explain_rows *rows, soothi_explain_scratch *r) {
    uint32_t l = 0;
    soothi_explain_begin(r, root);
    if (!soothi_explain_inner(v, root)) return;
    for (;;) {
        soothi_explain_step *at = r->step + l;
        if (at->sides < 2) {
            const uint32_t child = soothi_explain_left(v, at->node) + at->sides++;
            if (!soothi_explain_enter(v, rows, r, l + 1, child)) continue;
            if (soothi_explain_inner(v, child)) {
                soothi_explain_multiply(r, ++l);
                r->last[at[1].column] = l;
            } else {
                const double value = soothi_explain_value(v, child, t);
                soothi_explain_leaf(rows, r, l + 1, value);
                if (rows->pairs[0]) soothi_explain_pairs(rows, r, l + 1, v->features, value);
            }
            continue;
        }
        if (l == 0) return;
        soothi_explain_leave(rows, r, l--);
    }
}

/* v(nothing) of one tree: the mean of its leaves, weighted by the shares of training rows. */
SOOTHI_LOCAL double soothi_explain_mean(const sooth_explain_trees *v, uint32_t root, uint32_t t,
                                        soothi_explain_scratch *r) {
    uint32_t l = 0;
    double sum = 0.0;
    soothi_explain_begin(r, root);
    for (;;) {
        soothi_explain_step *at = r->step + l;
        if (!soothi_explain_inner(v, at->node)) {
            sum += at->share * soothi_explain_value(v, at->node, t);
        } else if (at->sides < 2) {
            at[1].node = soothi_explain_left(v, at->node) + at->sides++;
            at[1].share = at->share * soothi_explain_share(v, at->node, at[1].node);
            at[1].sides = 0;
            ++l;
            continue;
        }
        if (l-- == 0) return sum;
    }
}

/* ---- SHAP against a background ----
 *
 * With one row x to explain and one background row b, o_j and z_j are 0 or 1. A leaf contributes only if each
 * column on its path has one of them equal to 1. Let a columns have only o = 1, and c columns only z = 1; the
 * others have no effect. In a random order of the columns, the leaf counts after the last of the a and before
 * the first of the c becomes known. With the value u of the leaf and the probabilities of being that last or
 * that first column,
 *
 *     phi_j = u (a - 1)! c! / (a + c)!  for the a,    phi_j = -u a! (c - 1)! / (a + c)!  for the c.
 *
 * The paths of x and b fork where they first differ on a column. Below the fork, the column follows x or b.
 * Each leaf that a mixture of x and b can reach is visited once.
 */

typedef struct soothi_explain_fork {
    uint32_t column;
    uint32_t node; /* where the path of b continues */
    uint32_t a, c; /* before the fork */
    double ways;   /* a! c! / (a + c)! */
    double of_a;   /* sum of u (a - 1)! c! / (a + c)! over the leaves on the path of x */
    double of_c;   /* sum of u a! (c - 1)! / (a + c)! */
} soothi_explain_fork;

enum { SOOTHI_EXPLAIN_FREE = 0, SOOTHI_EXPLAIN_X, SOOTHI_EXPLAIN_B }; /* the row that a column follows */

/* Adds weight x the values of one tree for a pair of rows to phi. side: per column; free before and after. */
SOOTHI_LOCAL void soothi_explain_pair(const sooth_explain_trees *v, uint32_t node, uint32_t t, const float *x,
                                      const float *b, double weight, soothi_explain_fork *fork,
                                      uint32_t *side, double *phi) {
    soothi_explain_fork *end = fork; /* after the last fork of the current path */
    uint32_t a = 0, c = 0;
    double ways = 1.0;
    for (;;) {
        while (soothi_explain_inner(v, node)) {
            const uint32_t column = soothi_explain_feature(v, node);
            const uint32_t of_x = soothi_explain_down(v, node, x), of_b = soothi_explain_down(v, node, b);
            node = side[column] == SOOTHI_EXPLAIN_B ? of_b : of_x;
            if (of_x == of_b || side[column] != SOOTHI_EXPLAIN_FREE) continue;
            const soothi_explain_fork here = {column, of_b, a, c, ways, 0.0, 0.0};
            *end++ = here;
            ++a;
            ways *= (double)a / (double)(a + c);
            side[column] = SOOTHI_EXPLAIN_X;
        }
        double value = soothi_explain_value(v, node, t) * ways;
        double of_a = a ? value / (double)a : 0.0;
        double of_c = c ? value / (double)c : 0.0;
        for (; end > fork && side[end[-1].column] == SOOTHI_EXPLAIN_B; --end) { /* both branches are done */
            phi[end[-1].column] -= weight * of_c;
            side[end[-1].column] = SOOTHI_EXPLAIN_FREE;
            of_a += end[-1].of_a;
            of_c += end[-1].of_c;
        }
        if (end == fork) return;
        phi[end[-1].column] += weight * of_a;
        side[end[-1].column] = SOOTHI_EXPLAIN_B;
        end[-1].of_a = of_a;
        end[-1].of_c = of_c;
        node = end[-1].node;
        a = end[-1].a;
        c = end[-1].c + 1;
        ways = end[-1].ways * (double)c / (double)(a + c);
    }
}

/* ---- SHAP, some rows at a time ---- */

typedef struct soothi_explain_job {
    const sooth_explain_trees *v;
    const sooth_table *table, *background; /* background may be NULL: path-dependent */
    double *phi, *expected;                /* expected may be NULL */
    size_t first;                          /* first row of task 0 */
    double whole;                          /* total weight of the background */
    size_t width;                          /* points of Gauss's rule x lanes */
    double *rule;                          /* Gauss's rule: 3 x width */
    size_t bytes;                          /* of one worker's scratch */
    unsigned char *memory;                 /* the workers' scratch */
    int pairs;
} soothi_explain_job;

/* Number of values per row and target. */
SOOTHI_LOCAL size_t soothi_explain_size(const soothi_explain_job *job) {
    const size_t columns = job->v->features;
    return job->pairs ? columns * columns : columns;
}

SOOTHI_LOCAL void soothi_explain_lay_out(soothi_carver *m, const soothi_explain_job *job,
                                         soothi_explain_scratch *r) {
    const size_t steps = (size_t)job->v->depth + 1, width = job->width;
    const size_t numbers = soothi_product(steps, width), columns = job->v->features;
    r->width = width;
    if (job->rule) {
        r->t = job->rule;
        r->rest = r->t + width;
        r->weight = r->rest + width;
    }
    r->last = (uint32_t *)soothi_carve(m, columns, sizeof(uint32_t));
    if (job->background) {
        r->fork = (soothi_explain_fork *)soothi_carve(m, steps, sizeof *r->fork);
        return;
    }
    r->step = (soothi_explain_step *)soothi_carve(m, steps, sizeof *r->step);
    r->product = (double *)soothi_carve(m, numbers, sizeof(double));
    r->inverse = (double *)soothi_carve(m, numbers, sizeof(double));
    r->sum = (double *)soothi_carve(m, numbers, sizeof(double));
    if (job->pairs) r->phi = (double *)soothi_carve(m, columns, SOOTHI_EXPLAIN_LANES * sizeof(double));
}

/* The scratch of this worker, with no steps or sides set. */
SOOTHI_LOCAL void soothi_explain_scratch_of(const soothi_explain_job *job, size_t worker,
                                            soothi_explain_scratch *r) {
    soothi_carver m = {job->memory + worker * job->bytes, 0};
    memset(r, 0, sizeof *r);
    soothi_explain_lay_out(&m, job, r);
    memset(r->last, 0, job->v->features * sizeof *r->last);
}

SOOTHI_LOCAL void soothi_explain_game(const soothi_explain_job *job, size_t worker, size_t first,
                                      uint32_t count, uint32_t t) {
    const sooth_explain_trees *v = job->v;
    const size_t columns = v->features, size = soothi_explain_size(job);
    soothi_explain_scratch r;
    soothi_explain_rows rows;
    soothi_explain_scratch_of(job, worker, &r);
    rows.count = count;
    for (uint32_t i = 0; i < SOOTHI_EXPLAIN_LANES; ++i) {
        const size_t row = first + (i < count ? i : 0);
        double *out = job->phi + (row * v->targets + t) * size;
        rows.row[i] = job->table->x + row * job->table->stride;
        rows.phi[i] = job->pairs ? r.phi + i * columns : out;
        rows.pairs[i] = job->pairs ? out : NULL;
        memset(out, 0, size * sizeof *out);
        memset(rows.phi[i], 0, columns * sizeof *out);
    }
    for (uint32_t k = t % v->turns; k < v->trees; k += v->turns)
        soothi_explain_walk(v, soothi_explain_root(v, k), t, &rows, &r);
    for (uint32_t i = 0; i < count && job->pairs; ++i)
        for (size_t j = 0; j < columns; ++j) { /* interactions are subtracted from phi of a column */
            double rest = rows.phi[i][j];
            for (size_t k = 0; k < columns; ++k) rest -= rows.pairs[i][j * columns + k];
            rows.pairs[i][j * columns + j] = rest;
        }
}

/* Computes phi of one row against the background. */
SOOTHI_LOCAL void soothi_explain_game_against(const soothi_explain_job *job, size_t worker, size_t row,
                                              uint32_t t) {
    const sooth_explain_trees *v = job->v;
    const sooth_table *background = job->background;
    const float *x = job->table->x + row * job->table->stride;
    double *phi = job->phi + (row * v->targets + t) * v->features;
    soothi_explain_scratch r;
    soothi_explain_scratch_of(job, worker, &r);
    memset(phi, 0, v->features * sizeof *phi);
    for (uint32_t k = t % v->turns; k < v->trees; k += v->turns)
        for (size_t i = 0; i < background->rows; ++i) {
            const double weight = soothi_explain_weight(background, i) / job->whole;
            if (weight > 0.0)
                soothi_explain_pair(v, soothi_explain_root(v, k), t, x,
                                    background->x + i * background->stride, weight, r.fork, r.last, phi);
        }
}

/* Computes the expected prediction without any known column. */
SOOTHI_LOCAL void soothi_explain_expect(const soothi_explain_job *job, size_t worker) {
    const sooth_explain_trees *v = job->v;
    double *expected = job->expected;
    for (uint32_t t = 0; t < v->targets; ++t) {
        expected[t] = 0.0;
        if (job->background) {
            for (size_t i = 0; i < job->background->rows; ++i)
                expected[t] += soothi_explain_weight(job->background, i) / job->whole *
                               sooth_explain_margin(v, job->background->x + i * job->background->stride, t);
        } else {
            soothi_explain_scratch r;
            soothi_explain_scratch_of(job, worker, &r);
            expected[t] = soothi_explain_base(v, t);
            for (uint32_t k = t % v->turns; k < v->trees; k += v->turns)
                expected[t] += soothi_explain_mean(v, soothi_explain_root(v, k), t, &r);
            expected[t] /= (double)v->shares;
        }
    }
}

/* Explains the rows of one set of lanes. The first task also computes the expectation, if requested. */
SOOTHI_LOCAL void soothi_explain_task(void *arg, size_t task, size_t worker) {
    const soothi_explain_job *job = (const soothi_explain_job *)arg;
    if (job->first == 0 && job->expected) {
        if (task == 0) {
            soothi_explain_expect(job, worker);
            return;
        }
        --task;
    }
    const size_t first = job->first + task * SOOTHI_EXPLAIN_LANES, left = job->table->rows - first;
    const uint32_t count = left < SOOTHI_EXPLAIN_LANES ? (uint32_t)left : SOOTHI_EXPLAIN_LANES;
    const uint32_t targets = job->v->targets;
    const size_t size = soothi_explain_size(job);
    double *phi = job->phi + first * targets * size;
    for (uint32_t t = 0; t < targets; ++t) {
        if (!job->background) soothi_explain_game(job, worker, first, count, t);
        for (uint32_t i = 0; i < count && job->background; ++i)
            soothi_explain_game_against(job, worker, first + i, t);
    }
    for (size_t j = 0; j < count * targets * size; ++j) phi[j] /= (double)job->v->shares;
}

/* Rows per worker between checks for cancelling; a multiple of the lanes. */
#define SOOTHI_EXPLAIN_BATCH 256

/* Computes any SHAP values: path-dependent, or against a background. pairs: interactions. */
SOOTHI_LOCAL sooth_status soothi_explain_run(sooth_env *env, const sooth_explain_trees *trees,
                                             const sooth_table *table, const sooth_table *background,
                                             int pairs, double *phi, double *expected) {
    const size_t workers = soothi_workers(env);
    soothi_explain_job job;
    sooth_status status = soothi_explain_need_table(env, trees, table, "the table");
    if (status == SOOTH_OK)
        status = background ? soothi_explain_need_table(env, trees, background, "the background")
                            : soothi_explain_need_cover(env, trees);
    if (status != SOOTH_OK) return status;
    if (trees->ensemble ? (trees->ensemble->flags & SOOTH_ENSEMBLE_LINEAR) != 0
                        : soothi_tree_is_linear(trees->tree))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "SHAP values need constant leaves, but the model was fitted with linear_leaves");
    memset(&job, 0, sizeof job);
    job.v = trees;
    job.table = table;
    job.background = background;
    job.phi = phi;
    job.pairs = pairs;
    job.expected = expected;
    for (size_t i = 0; background && i < background->rows; ++i)
        job.whole += soothi_explain_weight(background, i);
    const size_t rows = table->rows;
    const uint32_t most = trees->depth < trees->features ? trees->depth : trees->features; /* on a path */
    const uint32_t q = background ? 0 : (most + 1) / 2;
    soothi_carver m = {NULL, 0}, one = {NULL, 0};
    soothi_explain_scratch unused;
    job.width = (size_t)q * SOOTHI_EXPLAIN_LANES;
    soothi_explain_lay_out(&one, &job, &unused);
    job.bytes = one.used;
    for (size_t pass = 0; pass < 2; ++pass) { /* first computes the size, then the pointers */
        if (pass) m.memory = (unsigned char *)sooth_alloc(env, m.used, 1);
        if (pass && !m.memory) return sooth_no_memory(env, "explaining rows", m.used);
        m.used = 0;
        job.rule = (double *)soothi_carve(&m, job.width, 3 * sizeof(double));
        job.memory = (unsigned char *)soothi_carve(&m, workers, job.bytes);
    }
    soothi_explain_gauss(q, job.rule);
    const size_t batch = SOOTHI_EXPLAIN_BATCH * workers;
    for (; job.first < rows && status == SOOTH_OK; job.first += batch) {
        const size_t left = rows - job.first, count = left < batch ? left : batch;
        const size_t tasks = (count + SOOTHI_EXPLAIN_LANES - 1) / SOOTHI_EXPLAIN_LANES;
        soothi_parallel(env, tasks + (job.first == 0 && expected), soothi_explain_task, &job);
        status = soothi_progress(env, "explaining rows", (double)(job.first + count) / (double)rows);
    }
    sooth_free(env, m.memory, m.used, 1);
    return status;
}

SOOTH_API sooth_status sooth_explain_shap(sooth_env *env, const sooth_explain_trees *trees,
                                          const sooth_table *table, double *phi, double *expected) {
    return soothi_explain_run(env, trees, table, NULL, 0, phi, expected);
}

SOOTH_API sooth_status sooth_explain_interactions(sooth_env *env, const sooth_explain_trees *trees,
                                                  const sooth_table *table, double *phi, double *expected) {
    return soothi_explain_run(env, trees, table, NULL, 1, phi, expected);
}

SOOTH_API sooth_status sooth_explain_shap_against(sooth_env *env, const sooth_explain_trees *trees,
                                                  const sooth_table *table, const sooth_table *background,
                                                  double *phi, double *expected) {
    if (!background) return soothi_explain_need_table(env, trees, NULL, "the background");
    return soothi_explain_run(env, trees, table, background, 0, phi, expected);
}

/* ---- any model: permutation ---- */

SOOTH_API void sooth_explain_predict(void *user, const float *x, size_t rows, size_t stride, float *out) {
    const sooth_explain_trees *v = (const sooth_explain_trees *)user;
    if (v->ensemble) sooth_ensemble_predict_many(v->ensemble, x, rows, stride, out);
    else sooth_tree_predict_many(v->tree, x, rows, stride, out);
}

SOOTH_API sooth_option_list sooth_explain_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_explain_options, loss, "mse|rmse|mae|mape", "loss whose rise is the importance"),
        SOOTHI_COUNT(sooth_explain_options, repeats, 1, 1000000, 5, "permutations per column or group"),
        SOOTHI_COUNT(sooth_explain_options, seed, 0, 4294967295.0, 0, "seed of the permutations")};
    return SOOTHI_OPTIONS(option);
}

typedef struct soothi_explain_shuffle {
    const sooth_table *table;
    sooth_explain_predictor *predict_fn;
    void *predict_user;
    uint32_t kind;     /* a sooth_explain_loss */
    uint32_t *order;   /* rows */
    float *x;          /* rows x cols: the table, with the columns of one group permuted */
    float *prediction; /* rows x targets */
} soothi_explain_shuffle;

/* Computes the loss of the model on s->x. */
SOOTHI_LOCAL sooth_status soothi_explain_loss_of(sooth_env *env, const soothi_explain_shuffle *s,
                                                 double *loss) {
    const sooth_table *table = s->table;
    sooth_metrics_options options;
    sooth_metrics m;
    memset(&options, 0, sizeof options);
    options.stride = (uint32_t)table->targets;
    s->predict_fn(s->predict_user, s->x, table->rows, table->cols, s->prediction);
    *loss = 0.0;
    for (size_t t = 0; t < table->targets; ++t) {
        sooth_status status = sooth_metrics_compute(env, table->y + t, s->prediction + t, table->weight,
                                                    table->rows, &options, &m);
        if (status != SOOTH_OK) return status;
        const double by_kind[] = {m.mse, m.rmse, m.mae, m.mape}, one = by_kind[s->kind];
        if (soothi_nan(one))
            return sooth_fail(env, SOOTH_BAD_DATA, "target %z is 0 in every row, so its MAPE is undefined",
                              t + 1);
        *loss += one / (double)table->targets;
    }
    return SOOTH_OK;
}

/* Fills the columns of group g of s->x (column g if group is NULL) in the order of order[] (may be NULL). */
SOOTHI_LOCAL void soothi_explain_group(const soothi_explain_shuffle *s, const uint32_t *group, uint32_t g,
                                       const uint32_t *order) {
    const sooth_table *table = s->table;
    for (size_t j = 0; j < table->cols; ++j)
        for (size_t i = 0; (group ? group[j] : (uint32_t)j) == g && i < table->rows; ++i)
            s->x[i * table->cols + j] = table->x[(order ? order[i] : i) * table->stride + j];
}

/* Mean and deviation, over the repeats, of the rise of the loss (Welford's running sums). */
SOOTHI_LOCAL sooth_status soothi_explain_permute(sooth_env *env, const soothi_explain_shuffle *s,
                                                 const sooth_explain_options *o, uint32_t g, double base,
                                                 double *mean, double *deviation) {
    double squares = 0.0;
    sooth_status status = SOOTH_OK;
    *mean = *deviation = 0.0;
    for (uint32_t r = 0; r < o->repeats && status == SOOTH_OK; ++r) {
        double loss;
        sooth_rng rng;
        sooth_rng_init(&rng, o->seed, (uint64_t)g * o->repeats + r);
        for (size_t i = 0; i < s->table->rows; ++i) s->order[i] = (uint32_t)i;
        sooth_rng_shuffle(&rng, s->order, s->table->rows);
        soothi_explain_group(s, o->group, g, s->order);
        status = soothi_explain_loss_of(env, s, &loss);
        if (status != SOOTH_OK) return status;
        double off = loss - base - *mean;
        *mean += off / (double)(r + 1);
        squares += off * (loss - base - *mean);
    }
    soothi_explain_group(s, o->group, g, NULL);
    *deviation = soothi_sqrt(squares / (double)o->repeats);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_explain_options_fill(sooth_env *env, const sooth_table *table,
                                                      const sooth_explain_options *options,
                                                      sooth_explain_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_explain_options_list(), o);
    if (status != SOOTH_OK) return status;
    if (o->repeats == 0) o->repeats = 5;
    if ((o->groups == 0) != (o->group == NULL))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "groups is %u, but group is %s", o->groups,
                          o->group ? "not NULL" : "NULL");
    for (size_t j = 0; j < table->cols && o->group; ++j)
        if (o->group[j] >= o->groups)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "group[%z] is %u, but must be below groups, which is %u", j, o->group[j],
                              o->groups);
    if (!o->group) o->groups = (uint32_t)table->cols;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_explain_permutation(sooth_env *env, const sooth_table *table,
                                                 sooth_explain_predictor *predict_fn, void *predict_user,
                                                 const sooth_explain_options *options, double *loss,
                                                 double *spread, double *base) {
    sooth_explain_options o;
    sooth_status status = sooth_table_check(
        env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    double as_is, deviation = 0.0;
    if (status == SOOTH_OK) status = soothi_explain_options_fill(env, table, options, &o);
    if (status != SOOTH_OK) return status;
    size_t words = soothi_product(table->rows, table->cols + table->targets + 1);
    float *x = (float *)sooth_alloc(env, words, sizeof(float));
    if (!x) return sooth_no_memory(env, "a copy of the table", soothi_product(words, sizeof(float)));
    float *prediction = x + table->rows * table->cols;
    uint32_t *order = (uint32_t *)(void *)(prediction + table->rows * table->targets);
    const soothi_explain_shuffle s = {table, predict_fn, predict_user, o.loss, order, x, prediction};
    for (size_t j = 0; j < table->cols; ++j) soothi_explain_group(&s, NULL, (uint32_t)j, NULL);
    status = soothi_explain_loss_of(env, &s, &as_is);
    if (base) *base = as_is;
    for (uint32_t g = 0; g < o.groups && status == SOOTH_OK; ++g) {
        status = soothi_explain_permute(env, &s, &o, g, as_is, &loss[g], &deviation);
        if (spread) spread[g] = deviation;
        if (status == SOOTH_OK)
            status = soothi_progress(env, "permuting columns", (double)(g + 1) / (double)o.groups);
    }
    sooth_free(env, x, words, sizeof(float));
    return status;
}

/* ---- any model: dependence ---- */

SOOTHI_LOCAL sooth_status soothi_explain_need_column(sooth_env *env, const sooth_table *table, size_t column,
                                                     size_t points, size_t least) {
    sooth_status status =
        sooth_table_check(env, table, SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status != SOOTH_OK) return status;
    if (column >= table->cols)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "column is %z, but must be below %z", column, table->cols);
    if (points < least)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "points is %z, but must be at least %z", points, least);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_explain_grid(sooth_env *env, const sooth_table *table, size_t column,
                                          size_t points, float *grid, size_t *count) {
    sooth_status status = soothi_explain_need_column(env, table, column, points, 2);
    const size_t size = soothi_product(2, table->rows);
    size_t n = 0, different = 0;
    *count = 0;
    if (status != SOOTH_OK) return status;
    uint64_t *entry = (uint64_t *)sooth_alloc(env, size, sizeof *entry);
    if (!entry) return sooth_no_memory(env, "the values of a column", soothi_product(size, sizeof *entry));
    for (size_t i = 0; i < table->rows; ++i) {
        const float x = table->x[i * table->stride + column];
        if (soothi_explain_weight(table, i) > 0.0 && !soothi_nan((double)x)) entry[n++] = soothi_entry(x, 0);
    }
    soothi_entry_sort(entry, entry + table->rows, n);
    for (size_t i = 0; i < n; ++i) different += i == 0 || entry[i] > entry[i - 1];
    if (n && different <= points) points = n; /* each value is then a quantile */
    for (size_t i = 0; i < points && n; ++i) {
        const double at = points > 1 ? (double)(n - 1) * (double)i / (double)(points - 1) : 0.0;
        const size_t low = (size_t)at, high = low + 1 < n ? low + 1 : low;
        const double from = (double)soothi_key_value(soothi_entry_key(entry[low]));
        const double to = (double)soothi_key_value(soothi_entry_key(entry[high]));
        const float x = (float)(from + (to - from) * (at - (double)low));
        if (*count == 0 || x > grid[*count - 1]) grid[(*count)++] = x;
    }
    sooth_free(env, entry, size, sizeof *entry);
    if (n == 0) return sooth_fail(env, SOOTH_BAD_DATA, "column %z has no value in any row", column + 1);
    return SOOTH_OK;
}

/* Predicts one batch of rows for all values of the grid. chunk: a copy of the rows, then predictions. */
SOOTHI_LOCAL void soothi_explain_batch(const sooth_table *table, size_t column, const float *grid,
                                       size_t points, sooth_explain_predictor *predict_fn, void *predict_user,
                                       size_t targets, size_t first, size_t rows, float *chunk, double *mean,
                                       float *each) {
    float *prediction = chunk + rows * table->cols;
    for (size_t i = 0; i < rows; ++i)
        memcpy(chunk + i * table->cols, table->x + (first + i) * table->stride, table->cols * sizeof *chunk);
    for (size_t p = 0; p < points; ++p) {
        for (size_t i = 0; i < rows; ++i) chunk[i * table->cols + column] = grid[p];
        predict_fn(predict_user, chunk, rows, table->cols, prediction);
        for (size_t i = 0; i < rows; ++i)
            for (size_t t = 0; t < targets; ++t) {
                mean[p * targets + t] +=
                    soothi_explain_weight(table, first + i) * (double)prediction[i * targets + t];
                if (each) each[((first + i) * points + p) * targets + t] = prediction[i * targets + t];
            }
    }
}

SOOTH_API sooth_status sooth_explain_dependence(sooth_env *env, const sooth_table *table, size_t column,
                                                const float *grid, size_t points,
                                                sooth_explain_predictor *predict_fn, void *predict_user,
                                                size_t targets, double *mean, float *each) {
    sooth_status status = soothi_explain_need_column(env, table, column, points, 1);
    double whole = 0.0;
    float *chunk;
    if (status != SOOTH_OK) return status;
    if (targets == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "targets is 0, but a model predicts at least 1");
    size_t most = table->rows < SOOTHI_EXPLAIN_BATCH ? table->rows : SOOTHI_EXPLAIN_BATCH;
    size_t words = targets > SIZE_MAX / 4 ? SIZE_MAX : soothi_product(most, table->cols + targets);
    chunk = (float *)sooth_alloc(env, words, sizeof *chunk);
    if (!chunk) return sooth_no_memory(env, "a copy of some rows", soothi_product(words, sizeof *chunk));
    for (size_t i = 0; i < points * targets; ++i) mean[i] = 0.0;
    for (size_t first = 0; first < table->rows && status == SOOTH_OK; first += most) {
        const size_t rows = table->rows - first < most ? table->rows - first : most;
        soothi_explain_batch(table, column, grid, points, predict_fn, predict_user, targets, first, rows,
                             chunk, mean, each);
        status = soothi_progress(env, "partial dependence", (double)(first + rows) / (double)table->rows);
    }
    for (size_t i = 0; i < table->rows; ++i) whole += soothi_explain_weight(table, i);
    for (size_t i = 0; i < points * targets; ++i) mean[i] /= whole;
    sooth_free(env, chunk, words, sizeof *chunk);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
