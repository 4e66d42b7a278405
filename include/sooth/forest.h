/* forest.h - random forests and extra-trees: the mean of many trees whose errors differ.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A full-grown tree overfits its training rows. A forest grows many trees, each from rows drawn at random
 * with replacement and with a random choice of columns at every split. It predicts their mean, so errors that
 * the trees do not share cancel out. Extra-trees take all rows, but random thresholds: splitter = random,
 * no_bootstrap = 1. Predictions stay within the range of the training targets, except with linear leaves
 * (linear_leaves, see tree/linear_leaves.h).
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/forest.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 10,  2, 20,  3, 10,  4, 20};   // threads and megahertz of four runs
 *         float y[] = {8, 4, 3, 1};                      // seconds
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_forest_options options = {.n_estimators = 50};   // zero means the default
 *         sooth_env env;
 *         sooth_forest *forest;
 *         sooth_env_init(&env);
 *         if (sooth_forest_fit(&env, &table, &options, &forest) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%g seconds\n", sooth_forest_predict(forest, x));   //> 6.54 seconds
 *         sooth_forest_free(&env, forest);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Columns marked in table.categorical hold codes 0, 1, 2, ... of unordered levels. Nodes test whether the
 *   code is in a set, the side with fewer rows. Levels not seen in training go to the larger side.
 * - A column has up to 256 classes (255 with missing values, or fewer if `bins` is smaller). The most
 *   frequent levels have their own; the others share the last.
 * - Tree k draws its rows and columns from random streams of its own, (seed, k). The bytes of the model do
 *   not depend on the number of workers.
 * - Among splits of equal gain a random column wins; otherwise all trees would prefer the first.
 *
 * Method and references
 *
 * Forests: Breiman: Random forests, Machine Learning 45, 2001. Extra-trees: Geurts, Ernst, Wehenkel:
 * Extremely randomized trees, Machine Learning 63, 2006.
 *
 * Categorical columns: the levels of a node are sorted by the mean of their targets and split as if ordered.
 * For one target and squared error this finds the best of all sets (tree/columns.h). With several targets
 * the order of each is tried; with medians, the order of the mean rank. Extra-trees draw a set (Geurts et
 * al., appendix A).
 *
 * Cost
 *
 * n rows, d columns, w workers, trees with L leaves:
 *   fit      trees x O(d n x mean depth); sorting the columns once serves all trees. Memory: 8 d n for the
 *            columns, per worker what a tree of n rows needs (16 d n + 144 L), 40 bytes per node of the
 *            trees being grown, and the model.
 *   predict  At most 8 ceil(trees / 8) x depth comparisons, no allocation. Walks eight trees at once.
 *   model    12 bytes per node (8 without cover) and, with keep_rows, 4 per node and 4 per row and tree; per
 *            set of categories 4 bytes and a bit for each code up to its largest.
 */
#if !defined(SOOTH_FOREST_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FOREST_IMPLEMENTED))
#include "tree/ensemble.h"
#include "validation/metrics.h"
#endif

#ifndef SOOTH_FOREST_H
#define SOOTH_FOREST_H

SOOTHI_C_BEGIN

/* An ensemble of kind SOOTH_KIND_FOREST; predictions are the means of its trees. With keep_rows, its extra
   words are
     uint32_t rows            number of rows kept
     float target[rows]       their targets, ascending
     uint32_t first[nodes+1]  offset of each node's rows in the next array (inner nodes have none)
     uint32_t rank[...]       rows of a leaf, as indices in target, ascending */
typedef sooth_ensemble sooth_forest;

#define SOOTH_FOREST_VERSION SOOTH_ENSEMBLE_VERSION

/* Returns 1 if bytes[0..size) begin with a valid forest. The functions below then neither loop forever nor
   read outside. A checked model may come from anyone. */
SOOTH_API int sooth_forest_check(const void *bytes, size_t size);

/* Predict as in tree/ensemble.h: the first target of one row; out[i * targets + t] of many. */
SOOTH_API float sooth_forest_predict(const sooth_forest *forest, const float *row);
SOOTH_API void sooth_forest_predict_many(const sooth_forest *forest, const float *x, size_t rows,
                                         size_t stride, float *out);

/* Returns the worst-case cost of one prediction (see sooth_boost_cost). */
SOOTH_API sooth_cost sooth_forest_cost(const sooth_forest *forest);

/* Returns 1 if the forest kept its rows. */
SOOTH_API int sooth_forest_has_quantiles(const sooth_forest *forest);

/* Computes quantiles: out[i] is the smallest training target that is not exceeded by at least the share q[i]
   (in 0..1) of the leaves' rows. Each leaf has one vote, which its rows share (Meinshausen: Quantile
   regression forests, JMLR 7, 2006). Training rows of weight above 0 count equally, whether a tree drew them
   or not. q = 0.05 and 0.95 give a 90 % prediction interval. leaf: a buffer of `trees` integers. Needs
   keep_rows; otherwise out is NaN. */
SOOTH_API void sooth_forest_quantiles(const sooth_forest *forest, const float *row, const float *q,
                                      size_t count, uint32_t *leaf, float *out);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_forest_splitter {
    SOOTH_FOREST_BEST = 0, /* the best threshold of each column */
    SOOTH_FOREST_RANDOM    /* one random threshold per column: extra-trees */
} sooth_forest_splitter;

typedef struct sooth_forest_options {
    uint32_t n_estimators;      /* trees; 0 means 100 */
    uint32_t criterion;         /* a sooth_tree_criterion */
    uint32_t splitter;          /* a sooth_forest_splitter */
    uint32_t no_bootstrap;      /* 1: draw rows without replacement; all rows with max_samples = 1 */
    uint32_t max_depth;         /* 0 means no limit */
    uint32_t min_samples_split; /* 0 means 2 */
    uint32_t min_samples_leaf;  /* min distinct rows in a leaf; 0 means 1 */
    uint32_t max_leaves;        /* grow best first up to this many; 0 means no limit */
    uint32_t bins;              /* 2 to 256: histograms; 0 means every value */
    uint32_t seed;
    uint32_t keep_rows;     /* 1: leaves store their rows, for quantiles; one target only */
    uint32_t no_cover;      /* 1: smaller model without SHAP explanations */
    double max_features;    /* columns searched per split: a share below 1, a count from 1 on; 0 means all */
    double max_samples;     /* rows drawn per tree, as a share of all; 0 means 1 */
    double min_weight_leaf; /* min share of a tree's weight in a leaf, at most 0.5 */
    double min_gain;        /* see sooth_tree_options */
    double floor;           /* see sooth_tree_options */
    const signed char *monotone;
    uint32_t linear_leaves; /* this and the following fields: see sooth_tree_options */
    uint32_t has_extrapolate;
    double linear_lambda, extrapolate;
} sooth_forest_options;

/* Fits a forest to a table with targets. NaN in x is missing. options NULL means defaults. *forest is NULL
   after a failure.
   - A row's weight is multiplied by the number of times it was drawn.
   - Category codes are integers below SOOTH_MAX_CATEGORIES. Categorical columns take no monotone constraint.
   - With env->reduce_fn every process gets all rows and grows its share of the trees. linear_leaves and
     categories are then refused. */
SOOTH_API sooth_status sooth_forest_fit(sooth_env *env, const sooth_table *table,
                                        const sooth_forest_options *options, sooth_forest **forest);

/* Fits a new forest: the trees of an old one and options->n_estimators more, grown from this table. With the
   same table and options, its bytes equal those of all trees grown at once. */
SOOTH_API sooth_status sooth_forest_resume(sooth_env *env, const sooth_forest *forest,
                                           const sooth_table *table, const sooth_forest_options *options,
                                           sooth_forest **larger);

/* Returns SOOTH_OK if these options (NULL means defaults) are valid for this table. Otherwise fails with the
   sentence that fitting would fail with. */
SOOTH_API sooth_status sooth_forest_check_options(sooth_env *env, const sooth_table *table,
                                                  const sooth_forest_options *options);

/* Estimates the accuracy on unseen rows. Each row is predicted by the mean of the trees that did not draw it;
   the draws are repeated to find them. Needs the table and options of the fit.
   - prediction: rows x targets; NaN for rows that every tree drew. score: of the others (first target), or
     NULL.
   - Fails with SOOTH_BAD_ARGUMENT if every tree takes all rows.
   - Other rows of the same program were drawn, so the score is valid for programs in the training data. */
SOOTH_API sooth_status sooth_forest_out_of_bag(sooth_env *env, const sooth_forest *forest,
                                               const sooth_table *table, const sooth_forest_options *options,
                                               float *prediction, sooth_metrics *score);

/* Frees the forest; NULL is allowed. */
SOOTH_API void sooth_forest_free(sooth_env *env, sooth_forest *forest);

/* Returns the names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_forest_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_FOREST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FOREST_IMPLEMENTED)
#define SOOTH_FOREST_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- predicting ---- */

SOOTH_API float sooth_forest_predict(const sooth_forest *forest, const float *row) {
    return sooth_ensemble_predict(forest, row);
}

SOOTH_API void sooth_forest_predict_many(const sooth_forest *forest, const float *x, size_t rows,
                                         size_t stride, float *out) {
    sooth_ensemble_predict_many(forest, x, rows, stride, out);
}

SOOTH_API sooth_cost sooth_forest_cost(const sooth_forest *forest) { return soothi_ensemble_cost(forest); }

/* ---- quantiles ---- */

/* The kept rows, after the trees. */
typedef struct soothi_forest_rows {
    uint32_t rows;
    const float *target;
    const uint32_t *first, *rank;
} soothi_forest_rows;

SOOTHI_LOCAL void soothi_forest_open(const sooth_forest *forest, soothi_forest_rows *kept) {
    const soothi_ensemble_layout at = soothi_ensemble_lay_out(forest);
    const uint32_t *word = (const uint32_t *)(const void *)forest + at.extra;
    kept->rows = word[0];
    kept->target = (const float *)(const void *)(word + 1);
    kept->first = word + 1 + kept->rows;
    kept->rank = kept->first + forest->nodes + 1;
}

SOOTH_API int sooth_forest_has_quantiles(const sooth_forest *forest) { return forest->extra != 0; }

/* Returns the votes of all leaves for targets up to the one at `rank`. The n rows of a leaf share a vote. */
SOOTHI_LOCAL float soothi_forest_votes(const soothi_forest_rows *kept, const uint32_t *leaf, uint32_t trees,
                                       uint32_t rank) {
    float votes = 0.0f;
    for (uint32_t k = 0; k < trees; ++k) {
        const uint32_t from = kept->first[leaf[k]], n = kept->first[leaf[k] + 1] - from;
        uint32_t low = 0, high = n;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (kept->rank[from + middle] <= rank) low = middle + 1;
            else high = middle;
        }
        if (n > 0) votes += (float)low / (float)n;
    }
    return votes;
}

SOOTH_API void sooth_forest_quantiles(const sooth_forest *forest, const float *row, const float *q,
                                      size_t count, uint32_t *leaf, float *out) {
    soothi_forest_rows kept;
    if (!forest->extra) {
        for (size_t i = 0; i < count; ++i) out[i] = soothi_missing();
        return;
    }
    soothi_forest_open(forest, &kept);
    soothi_ensemble_leaves(forest, row, leaf);
    float all = soothi_forest_votes(&kept, leaf, forest->trees, kept.rows - 1);
    for (size_t i = 0; i < count; ++i) {
        const float wanted = q[i] * all * (1.0f - 1e-6f); /* sums of thirds are not exact */
        uint32_t low = 0, high = kept.rows - 1;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            const float votes = soothi_forest_votes(&kept, leaf, forest->trees, middle);
            if (votes >= wanted && votes > 0.0f) high = middle;
            else low = middle + 1;
        }
        out[i] = kept.target[low];
    }
}

SOOTH_API int sooth_forest_check(const void *bytes, size_t size) {
    const sooth_forest *forest = (const sooth_forest *)bytes;
    soothi_forest_rows kept;
    if (!soothi_ensemble_check(bytes, size, SOOTH_KIND_FOREST)) return 0;
    if (!forest->extra) return 1;
    const uint64_t rows = ((const uint32_t *)bytes)[soothi_ensemble_lay_out(forest).extra];
    if (rows == 0 || rows + forest->nodes + 2 > forest->extra) return 0;
    const uint64_t ranks = forest->extra - (rows + forest->nodes + 2);
    soothi_forest_open(forest, &kept);
    if (kept.first[0] != 0 || kept.first[forest->nodes] != ranks) return 0;
    for (uint32_t i = 0; i < kept.rows; ++i)
        if (!(kept.target[i] <= kept.target[i + 1 < kept.rows ? i + 1 : i])) return 0;
    for (uint32_t i = 0; i < forest->nodes; ++i)
        if (kept.first[i] > kept.first[i + 1] ||
            ((soothi_ensemble_nodes(forest)[i].link & 1u) && kept.first[i] != kept.first[i + 1]))
            return 0;
    for (uint32_t i = 0; i < ranks; ++i)
        if (kept.rank[i] >= kept.rows) return 0;
    return 1;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

SOOTH_API sooth_option_list sooth_forest_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_forest_options, n_estimators, 1, 16777215, 100, "number of trees"),
        SOOTHI_CHOICE(sooth_forest_options, criterion, "squared|absolute|friedman|poisson|relative",
                      "split criterion; absolute and relative give medians, the others means"),
        SOOTHI_CHOICE(sooth_forest_options, splitter, "best|random",
                      "thresholds: the best per column, or one at random (extra-trees)"),
        SOOTHI_FLAG(sooth_forest_options, no_bootstrap, "1: draw the rows of a tree without replacement"),
        SOOTHI_COUNT(sooth_forest_options, max_depth, 1, 1000000, 0,
                     "max comparisons down to a leaf; 0 means no limit"),
        SOOTHI_COUNT(sooth_forest_options, min_samples_split, 2, 2147483647, 2,
                     "min rows of a node to split it"),
        SOOTHI_COUNT(sooth_forest_options, min_samples_leaf, 1, 2147483647, 1, "min rows in a leaf"),
        SOOTHI_COUNT(sooth_forest_options, max_leaves, 2, 1000000000, 0,
                     "max leaves, grown best first; 0 means no limit"),
        SOOTHI_COUNT(sooth_forest_options, bins, 2, 256, 0,
                     "max bins per column (histograms); 0 means every value"),
        SOOTHI_COUNT(sooth_forest_options, seed, 0, 4294967295.0, 0, "seed of all draws"),
        SOOTHI_FLAG(sooth_forest_options, keep_rows, "1: leaves store their rows, for quantiles"),
        SOOTHI_FLAG(sooth_forest_options, no_cover, "1: smaller model without SHAP explanations"),
        SOOTHI_NUMBER(sooth_forest_options, max_features, 0, 2147483647, 0,
                      "columns searched per split: a share below 1, a count from 1 on; 0 means all"),
        SOOTHI_NUMBER(sooth_forest_options, max_samples, 0, 1, 1, "rows drawn per tree, as a share of all"),
        SOOTHI_NUMBER(sooth_forest_options, min_weight_leaf, 0, 0.5, 0,
                      "min share of the total weight in a leaf"),
        SOOTHI_NUMBER(sooth_forest_options, min_gain, 0, DBL_MAX, 0, "min decrease of impurity of a split"),
        SOOTHI_NUMBER(sooth_forest_options, floor, 0, DBL_MAX, 0, "min |target| in relative errors"),
        SOOTHI_LEAVES_OPTIONS(sooth_forest_options)};
    return SOOTHI_OPTIONS(option);
}

/* Copies the options of one tree: those with the same name. */
SOOTHI_LOCAL sooth_tree_options soothi_forest_tree_options(const sooth_forest_options *o) {
    const sooth_option_list list = sooth_tree_options_list();
    sooth_tree_options tree;
    memset(&tree, 0, sizeof tree);
    tree.monotone = o->monotone;
    for (size_t i = 0; i < list.count; ++i) {
        const sooth_option *own = soothi_option_named(sooth_forest_options_list(), list.option[i].name);
        if (own) soothi_option_put(&list.option[i], &tree, soothi_option_raw(own, o));
    }
    return tree;
}

/* Returns 1 if a tree takes all rows, each once. */
SOOTHI_LOCAL int soothi_forest_takes_all(const sooth_forest_options *o) {
    return o->no_bootstrap && (o->max_samples >= 1.0 || o->max_samples <= 0.0);
}

/* Draws the rows of a tree: weight[0..rows) is the number of draws times the row's weight. Returns the number
   of distinct rows. Rows of positive weight are equally likely. order: scratch of `rows` integers. */
SOOTHI_LOCAL size_t soothi_forest_draw(const sooth_forest_options *o, const sooth_table *table, uint32_t tree,
                                       uint32_t *order, float *weight) {
    size_t n = 0, distinct = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, o->seed, (uint64_t)tree << 32 | UINT32_MAX);
    for (size_t i = 0; i < table->rows; ++i) {
        weight[i] = 0.0f;
        if (soothi_row_counts(table->weight, i)) order[n++] = (uint32_t)i;
    }
    size_t draws = o->max_samples > 0.0 ? (size_t)(o->max_samples * (double)n + 0.5) : n;
    if (draws == 0) draws = 1;
    for (size_t i = 0; i < draws; ++i) {
        size_t at = o->no_bootstrap ? i : 0; /* without replacement, the first i are taken */
        at += sooth_rng_below(&rng, (uint32_t)(n - at));
        uint32_t row = order[at];
        distinct += !(weight[row] > 0.0f);
        weight[row] += (float)soothi_row_weight(table->weight, row);
        if (o->no_bootstrap) {
            order[at] = order[i];
            order[i] = row;
        }
    }
    return distinct;
}

/* Working memory of one worker. */
typedef struct soothi_forest_worker {
    soothi_grower g;
    soothi_grower_rules rules;
    float *weight;        /* rows: number of draws times weight; NULL: all rows, weight 1 */
    uint32_t *order;      /* rows: scratch of drawing */
    soothi_leaves leaves; /* with linear_leaves */
} soothi_forest_worker;

/* One grown tree, ready to be added. */
typedef struct soothi_forest_slot {
    soothi_ensemble_node *node;
    float *value; /* with several targets */
    size_t nodes;
    uint32_t *at, *record; /* with linear_leaves */
    uint32_t *set;         /* with categorical columns: sets of classes */
} soothi_forest_slot;

typedef struct soothi_forest_job {
    const sooth_table *table;
    const sooth_forest_options *options;
    soothi_forest_worker *worker;
    soothi_forest_slot *slot;
    uint32_t first; /* index of the tree in slot 0 */
} soothi_forest_job;

/* Converts the records of a grown tree to nodes. The gains of a tree sum to 1 (scikit-learn's importance). */
SOOTHI_LOCAL void soothi_forest_record(soothi_grower *g, soothi_forest_slot *slot) {
    soothi_ensemble_node *node = slot->node;
    double all = 0.0;
    slot->nodes = soothi_ensemble_from_records(g, node);
    for (size_t at = 0; at < slot->nodes; ++at) {
        const uint32_t id = g->order[at];
        const soothi_grower_record *r = &g->record[id];
        if (node[at].set) { /* the grower reuses its own for the next tree */
            uint32_t *set = slot->set + SOOTHI_CATEGORIES_WORDS * at;
            memcpy(set, node[at].set, SOOTHI_CATEGORIES_WORDS * sizeof *set);
            node[at].set = set;
        }
        if (r->left) {
            const soothi_grower_record *left = &g->record[r->left], *right = &g->record[r->right];
            node[at].gain =
                r->weight * r->impurity - left->weight * left->impurity - right->weight * right->impurity;
            if (node[at].gain < 0.0) node[at].gain = 0.0;
            all += node[at].gain;
        } else {
            node[at].value = (double)(float)soothi_grower_value(g, id, 0);
            for (size_t t = 0; slot->value && t < g->targets; ++t)
                slot->value[at * g->targets + t] = (float)soothi_grower_value(g, id, t);
        }
    }
    for (size_t at = 0; at < slot->nodes && all > 0.0; ++at) node[at].gain /= all;
}

/* Fits linear leaves of a tree. */
SOOTHI_LOCAL void soothi_forest_fit_leaves(soothi_forest_worker *w, const sooth_table *table,
                                           soothi_forest_slot *slot) {
    soothi_leaves *v = &w->leaves;
    soothi_ensemble_open_leaves(&w->g, slot->node, slot->nodes, v);
    v->at = slot->at;
    v->record = slot->record;
    for (size_t i = 0; i < table->rows; ++i)
        v->leaf_of[i] =
            soothi_row_counts(v->weight, i)
                ? soothi_ensemble_walk(&w->g.columns->categories, slot->node, table->x + i * table->stride)
                : SOOTHI_LEAVES_NOT;
    soothi_leaves_fit(NULL, v);
}

/* Grows one tree. */
static void soothi_forest_task(void *arg, size_t i, size_t worker) {
    const soothi_forest_job *job = (const soothi_forest_job *)arg;
    soothi_forest_worker *w = &job->worker[worker];
    soothi_grower *g = &w->g;
    w->rules.stream = job->first + (uint32_t)i;
    if (w->weight) {
        double total = 0.0;
        g->rows = soothi_forest_draw(job->options, job->table, w->rules.stream, w->order, w->weight);
        for (size_t k = 0; k < job->table->rows; ++k) total += (double)w->weight[k];
        w->rules.min_weight = job->options->min_weight_leaf * total;
    }
    soothi_grow_begin(g);
    soothi_grow_tree(g); /* without a stage, growth cannot fail */
    soothi_forest_record(g, &job->slot[i]);
    if (job->options->linear_leaves) soothi_forest_fit_leaves(w, job->table, &job->slot[i]);
}

/* Sets rules, sizes and memory of a worker. */
SOOTHI_LOCAL void soothi_forest_plan(soothi_carver *m, soothi_forest_worker *w, const soothi_columns *c,
                                     const sooth_forest_options *o, const sooth_table *table) {
    const int weights = table->weight != NULL || !soothi_forest_takes_all(o);
    const sooth_tree_options tree = soothi_forest_tree_options(o);
    soothi_tree_rules(&tree, c->cols, weights, (double)c->entries, &w->rules);
    w->rules.random = o->splitter == SOOTH_FOREST_RANDOM;
    w->rules.random_ties = 1;
    soothi_grower_plan(&w->g, &w->rules, c, table->targets, weights, 0, 1);
    soothi_grower_layout(m, &w->g);
    w->weight = weights ? (float *)soothi_carve(m, table->rows, sizeof(float)) : NULL;
    w->order = weights ? (uint32_t *)soothi_carve(m, table->rows, sizeof(uint32_t)) : NULL;
    w->g.y = table->y;
    w->g.weight = w->weight;
    if (!o->linear_leaves) return;
    memset(&w->leaves, 0, sizeof w->leaves);
    soothi_leaves_layout(m, &w->leaves, table->rows, table->cols, w->g.capacity, 1, o->monotone != NULL);
    w->leaves.rules =
        soothi_leaves_rules_of(o->linear_lambda, o->has_extrapolate, o->extrapolate, o->monotone);
    w->leaves.table = table;
    w->leaves.y = table->y;
    w->leaves.y_stride = 1;
    w->leaves.weight = w->weight;
}

/* Memory of growing a forest, in one piece. */
typedef struct soothi_forest_memory {
    soothi_carver m;
    soothi_columns c;
    soothi_forest_worker *worker, spare; /* spare: used until memory is allocated */
    soothi_forest_slot *slot;
    soothi_forest_slot guest; /* a tree of another process */
    int64_t *word;            /* words: buffer to send a tree */
    size_t workers, slots, words;
} soothi_forest_memory;

/* Returns the number of words to send a tree. */
SOOTHI_LOCAL size_t soothi_forest_words(size_t nodes, size_t targets) {
    const size_t values = targets > 1 ? soothi_product(targets, sizeof(float)) : 0;
    return soothi_product(nodes, sizeof(soothi_ensemble_node) + values) / sizeof(int64_t) + 1;
}

SOOTHI_LOCAL void soothi_forest_lay_out(soothi_forest_memory *r, const sooth_table *table,
                                        const sooth_forest_options *o, int shared) {
    size_t capacity = 1; /* max nodes of a tree */
    r->worker = (soothi_forest_worker *)soothi_carve(&r->m, r->workers, sizeof *r->worker);
    r->slot = (soothi_forest_slot *)soothi_carve(&r->m, r->slots, sizeof *r->slot);
    soothi_columns_layout(&r->m, &r->c, 1);
    for (size_t w = 0; w < r->workers; ++w) {
        soothi_forest_worker *worker = r->m.memory ? &r->worker[w] : &r->spare;
        soothi_forest_plan(&r->m, worker, &r->c, o, table);
        capacity = worker->g.capacity;
    }
    const size_t values = table->targets > 1 ? soothi_product(capacity, table->targets) : 0;
    for (size_t k = 0; k < r->slots; ++k) {
        soothi_forest_slot slot = {NULL, NULL, 0, NULL, NULL, NULL};
        soothi_leaves planes;
        slot.node = (soothi_ensemble_node *)soothi_carve(&r->m, capacity, sizeof *slot.node);
        if (values) slot.value = (float *)soothi_carve(&r->m, values, sizeof(float));
        if (o->linear_leaves) {
            soothi_leaves_layout_planes(&r->m, &planes, table->rows, capacity);
            slot.at = planes.at;
            slot.record = planes.record;
        }
        if (r->c.categories.categorical)
            slot.set = (uint32_t *)soothi_carve(&r->m, capacity, SOOTHI_CATEGORIES_WORDS * sizeof *slot.set);
        if (r->m.memory) r->slot[k] = slot;
    }
    if (!shared) return;
    r->guest.node = (soothi_ensemble_node *)soothi_carve(&r->m, capacity, sizeof *r->guest.node);
    r->guest.value = values ? (float *)soothi_carve(&r->m, values, sizeof(float)) : NULL;
    r->words = soothi_forest_words(capacity, table->targets);
    r->word = (int64_t *)soothi_carve(&r->m, r->words, sizeof(int64_t));
}

/* Shares the tree in slot i of process `from` with all processes, in *tree. */
SOOTHI_LOCAL sooth_status soothi_forest_share(sooth_env *env, soothi_forest_memory *r, size_t from, size_t i,
                                              size_t targets, const soothi_forest_slot **tree) {
    const int own = soothi_rank(env) == from;
    soothi_forest_slot *slot = own ? &r->slot[i] : &r->guest;
    int64_t nodes = own ? (int64_t)slot->nodes : 0;
    *tree = slot;
    sooth_status status = soothi_reduce_share(env, from, &nodes, sizeof nodes);
    if (status != SOOTH_OK) return status;
    const size_t n = (size_t)nodes, size = n * sizeof *slot->node, words = soothi_forest_words(n, targets);
    unsigned char *bytes = (unsigned char *)(void *)r->word;
    memset(r->word, 0, words * sizeof *r->word);
    memcpy(bytes, slot->node, own ? size : 0);
    if (own && slot->value) memcpy(bytes + size, slot->value, n * targets * sizeof(float));
    status = soothi_reduce_share(env, from, r->word, words * sizeof *r->word);
    if (own || status != SOOTH_OK) return status;
    slot->nodes = n;
    memcpy(slot->node, bytes, size);
    if (slot->value) memcpy(slot->value, bytes + size, n * targets * sizeof(float));
    return status;
}

/* Adds the grown trees of this process and, if there are several, of the others. */
SOOTHI_LOCAL sooth_status soothi_forest_collect(sooth_env *env, soothi_forest_memory *r, size_t batch,
                                                const sooth_table *table, soothi_ensemble_builder *b) {
    sooth_status status = SOOTH_OK;
    for (size_t k = 0; k < batch && status == SOOTH_OK; ++k) {
        const soothi_forest_slot *tree = &r->slot[k % r->slots];
        if (soothi_ranks(env) > 1)
            status = soothi_forest_share(env, r, k / r->slots, k % r->slots, table->targets, &tree);
        if (status != SOOTH_OK) break;
        const soothi_ensemble_tree_planes planes = {tree->at, tree->record};
        status = soothi_ensemble_add_tree(b, tree->node, tree->nodes, tree->value, tree->at ? &planes : NULL);
        status = soothi_agree(env, status);
    }
    return status;
}

/* Grows `more` trees after those of the builder, shared among the processes. */
SOOTHI_LOCAL sooth_status soothi_forest_add(sooth_env *env, const sooth_table *table,
                                            const sooth_forest_options *o, uint32_t more,
                                            soothi_ensemble_builder *b) {
    const size_t ranks = soothi_ranks(env), rank = soothi_rank(env);
    soothi_forest_memory r;
    size_t rows = 0;
    uint32_t done = 0;
    for (size_t i = 0; i < table->rows; ++i) rows += (size_t)soothi_row_counts(table->weight, i);
    memset(&r, 0, sizeof r);
    r.c = soothi_columns_of(table->rows, rows, table->cols, o->bins);
    r.c.categories = soothi_categories_of(table);
    b->levels = &r.c.categories;
    r.c.ready = table->bins;
    r.workers = soothi_workers(env);
    int64_t slots = r.workers == 1 ? 1 : 8 * (int64_t)r.workers; /* a batch ends with its last tree */
    sooth_status status = soothi_reduce(env, SOOTH_REDUCE_MAX, &slots, 1); /* equal in all processes */
    r.slots = (size_t)slots;
    soothi_forest_lay_out(&r, table, o, ranks > 1); /* first the size, then the pointers */
    if (status == SOOTH_OK) r.m.memory = (unsigned char *)sooth_alloc(env, r.m.used, 1);
    if (status == SOOTH_OK && !r.m.memory) status = sooth_no_memory(env, "growing a forest", r.m.used);
    r.m.used = 0;
    if (status == SOOTH_OK) soothi_forest_lay_out(&r, table, o, ranks > 1);
    if (status == SOOTH_OK) status = soothi_columns_make(env, r.workers, &r.c, table);
    status = soothi_agree(env, status);
    soothi_forest_job job = {table, o, r.worker, r.slot, 0};
    while (status == SOOTH_OK && done < more) {
        const size_t batch = more - done < ranks * r.slots ? more - done : ranks * r.slots;
        const size_t before = rank * r.slots < batch ? rank * r.slots : batch;
        status = soothi_agree(env, soothi_progress(env, "growing a forest", (double)done / (double)more));
        if (status != SOOTH_OK) break;
        job.first = (uint32_t)(b->start.used - 1 + before);
        soothi_parallel(env, batch - before < r.slots ? batch - before : r.slots, soothi_forest_task, &job);
        status = soothi_forest_collect(env, &r, batch, table, b);
        done += (uint32_t)batch;
    }
    b->levels = NULL; /* r.c ends with this function */
    sooth_free(env, r.m.memory, r.m.used, 1);
    return status;
}

/* Copies and checks the options; NULL means defaults. */
SOOTHI_LOCAL sooth_status soothi_forest_accept(sooth_env *env, const sooth_forest_options *options,
                                               const sooth_table *table, sooth_forest_options *o) {
    memset(o, 0, sizeof *o);
    if (options) *o = *options;
    sooth_status status = sooth_option_check(env, sooth_forest_options_list(), o);
    if (status != SOOTH_OK) return status;
    const sooth_tree_options tree = soothi_forest_tree_options(o);
    sooth_tree_options accepted;
    status = soothi_tree_accept(env, &tree, table, &accepted);
    if (status != SOOTH_OK) return status;
    if (o->splitter == SOOTH_FOREST_RANDOM && o->bins)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "bins is %u, but must be 0 with splitter=random", o->bins);
    if (o->keep_rows && table->bins)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "keep_rows needs values, but the table has bins");
    if (o->keep_rows && table->targets > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "keep_rows needs a single target, but the table has %z",
                          table->targets);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_forest_check_options(sooth_env *env, const sooth_table *table,
                                                  const sooth_forest_options *options) {
    sooth_forest_options o;
    return soothi_forest_accept(env, options, table, &o);
}

/* Adds the training rows of the leaves to the forest. Rows are entered in the order of their targets, so each
   leaf has its rows in that order. */
SOOTHI_LOCAL sooth_status soothi_forest_keep(sooth_env *env, const sooth_table *table,
                                             sooth_forest **forest) {
    const uint32_t trees = (*forest)->trees, nodes = (*forest)->nodes;
    const size_t rows = table->rows, size = soothi_product(2, rows) + trees;
    uint64_t *order = (uint64_t *)sooth_alloc(env, size, sizeof *order);
    size_t n = 0;
    if (!order) return sooth_no_memory(env, "the rows of the leaves", soothi_product(size, sizeof *order));
    uint32_t *leaf = (uint32_t *)(void *)(order + 2 * rows);
    for (size_t i = 0; i < rows; ++i)
        if (soothi_row_counts(table->weight, i)) order[n++] = soothi_entry(table->y[i], i);
    soothi_entry_sort(order, order + rows, n);
    sooth_forest *larger =
        soothi_ensemble_extend(env, *forest, 2 + (uint64_t)n + nodes + (uint64_t)n * trees);
    if (larger) {
        *forest = larger;
        uint32_t *word = (uint32_t *)(void *)larger + soothi_ensemble_lay_out(larger).extra;
        uint32_t *first = word + 1 + n, *rank = first + nodes + 1;
        word[0] = (uint32_t)n;
        for (uint32_t pass = 0; pass < 2; ++pass) { /* first the counts, then the rows */
            for (size_t i = 0; i < n; ++i) {
                const size_t row = soothi_entry_row(order[i]);
                soothi_ensemble_leaves(larger, table->x + row * table->stride, leaf);
                memcpy(&word[1 + i], &table->y[row], sizeof(float));
                for (uint32_t k = 0; k < trees; ++k) {
                    if (pass == 0) ++first[leaf[k]];
                    else rank[first[leaf[k]]++] = (uint32_t)i;
                }
            }
            if (pass == 0) { /* offset of each node's rows */
                first[nodes] = soothi_running_sum(first, nodes);
            } else { /* each has moved to the beginning of the next */
                for (uint32_t k = nodes; k > 0; --k) first[k] = first[k - 1];
                first[0] = 0;
            }
        }
        soothi_block_seal(&larger->head);
    }
    sooth_free(env, order, size, sizeof *order);
    return larger ? SOOTH_OK
                  : sooth_no_memory(env, "the rows of the leaves", soothi_product(n, 4 * (size_t)trees));
}

/* Fits a forest from a table that every process has, after the trees of `old`, if any. */
SOOTHI_LOCAL sooth_status soothi_forest_start(sooth_env *env, const sooth_forest *old,
                                              const sooth_table *table, const sooth_forest_options *options,
                                              sooth_forest **forest) {
    sooth_forest_options o;
    soothi_ensemble_builder b;
    *forest = NULL;
    sooth_status status = soothi_forest_accept(env, options, table, &o);
    if (status == SOOTH_OK && old) status = soothi_ensemble_fits(env, old, table, "forest");
    if (status != SOOTH_OK) return status;
    const uint32_t flags = SOOTH_ENSEMBLE_MEAN | SOOTH_ENSEMBLE_EXACT |
                           (table->targets > 1 ? SOOTH_ENSEMBLE_ROWS : 0u) |
                           (o.no_cover ? 0u : SOOTH_ENSEMBLE_COVER);
    const soothi_ensemble_shape shape = {SOOTH_KIND_FOREST,
                                         (uint32_t)table->cols,
                                         (uint32_t)table->targets,
                                         flags,
                                         SOOTH_ENSEMBLE_LINK_IDENTITY,
                                         0};
    if (old) status = soothi_ensemble_joins(env, old, &shape, "forest");
    if (status != SOOTH_OK) return status;
    status = old ? soothi_ensemble_resume(&b, env, old) : soothi_ensemble_begin(&b, env, &shape);
    if (status == SOOTH_OK && o.linear_leaves) status = soothi_ensemble_open_planes(&b);
    status = soothi_agree(env, status);
    if (status == SOOTH_OK)
        status = soothi_forest_add(env, table, &o, o.n_estimators ? o.n_estimators : 100, &b);
    if (status != SOOTH_OK) {
        soothi_ensemble_drop(&b);
        return status;
    }
    status = soothi_ensemble_end(&b, forest);
    if (status == SOOTH_OK && o.keep_rows) status = soothi_forest_keep(env, table, forest);
    status = soothi_agree(env, status);
    if (status != SOOTH_OK) {
        sooth_ensemble_free(env, *forest);
        *forest = NULL;
    }
    return status;
}

/* Like soothi_forest_start; several processes first gather their rows. */
SOOTHI_LOCAL sooth_status soothi_forest_grow(sooth_env *env, const sooth_forest *old,
                                             const sooth_table *table, const sooth_forest_options *options,
                                             sooth_forest **forest) {
    sooth_table whole;
    sooth_env alone;
    *forest = NULL;
    if (soothi_ranks(env) == 1) return soothi_forest_start(env, old, table, options, forest);
    sooth_status status = soothi_gather(env, table, &whole, &alone);
    if (status != SOOTH_OK) return status;
    if (table->categorical || (options && options->linear_leaves))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "rows in several processes do not support %s",
                            table->categorical ? "categorical columns" : "linear_leaves");
    if (status == SOOTH_OK) status = soothi_forest_start(env, old, &whole, options, forest);
    sooth_table_free(env, &whole);
    return status;
}

SOOTH_API sooth_status sooth_forest_fit(sooth_env *env, const sooth_table *table,
                                        const sooth_forest_options *options, sooth_forest **forest) {
    return soothi_forest_grow(env, NULL, table, options, forest);
}

SOOTH_API sooth_status sooth_forest_resume(sooth_env *env, const sooth_forest *forest,
                                           const sooth_table *table, const sooth_forest_options *options,
                                           sooth_forest **larger) {
    return soothi_forest_grow(env, forest, table, options, larger);
}

/* ---- out of bag ---- */

SOOTH_API sooth_status sooth_forest_out_of_bag(sooth_env *env, const sooth_forest *forest,
                                               const sooth_table *table, const sooth_forest_options *options,
                                               float *prediction, sooth_metrics *score) {
    const size_t rows = table->rows, targets = forest->head.targets;
    const uint32_t *start = soothi_ensemble_start(forest);
    sooth_forest_options o;
    size_t n = 0;
    sooth_status status = soothi_forest_accept(env, options, table, &o);
    if (status == SOOTH_OK) status = soothi_ensemble_fits(env, forest, table, "forest");
    if (status == SOOTH_OK && table->bins)
        status =
            sooth_fail(env, SOOTH_BAD_DATA, "out-of-bag predictions need values, but the table has bins");
    if (status != SOOTH_OK) return status;
    if (soothi_forest_takes_all(&o))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "out-of-bag predictions need rows that a tree did not draw, but with no_bootstrap "
                          "and max_samples=1 "
                          "every tree takes all rows");
    /* sums, then weights, order, counts, actual targets */
    const size_t size = soothi_product(rows, 8 * targets + 16);
    double *sum = (double *)sooth_alloc(env, size, 1);
    if (!sum) return sooth_no_memory(env, "out-of-bag predictions", size);
    float *weight = (float *)(void *)(sum + rows * targets);
    uint32_t *order = (uint32_t *)(void *)(weight + rows);
    uint32_t *seen = order + rows;
    float *actual = (float *)(void *)(seen + rows);
    memset(sum, 0, rows * targets * sizeof *sum);
    memset(seen, 0, rows * sizeof *seen);
    for (uint32_t k = 0; k < forest->trees; ++k) {
        soothi_forest_draw(&o, table, k, order, weight);
        for (size_t i = 0; i < rows; ++i) {
            const float *row = table->x + i * table->stride;
            uint32_t at = start[k], below;
            if (weight[i] > 0.0f) continue;
            while ((below = soothi_ensemble_child(forest, at, row)) != at) at = below;
            const soothi_linear_leaf *plane =
                soothi_ensemble_linear_leaf(forest, at); /* there is one target then */
            for (size_t t = 0; t < targets; ++t)
                sum[i * targets + t] += plane ? (double)soothi_linear_leaf_predict(
                                                    plane, soothi_ensemble_nodes(forest)[at].u.value, row)
                                              : soothi_ensemble_value(forest, at, (uint32_t)t);
            ++seen[i];
        }
    }
    for (size_t i = 0; i < rows; ++i) {
        for (size_t t = 0; t < targets; ++t)
            prediction[i * targets + t] =
                seen[i] ? (float)(sum[i * targets + t] / (double)seen[i]) : soothi_missing();
        if (seen[i] == 0 || !soothi_row_counts(table->weight, i)) continue;
        actual[n] = table->y[i * targets]; /* compacts the rows with a prediction */
        weight[n] = (float)soothi_row_weight(table->weight, i);
        ((float *)(void *)order)[n++] = prediction[i * targets];
    }
    if (score && n == 0)
        status = sooth_fail(env, SOOTH_BAD_DATA, "every row was drawn by every tree; grow more trees");
    else if (score)
        status = sooth_metrics_compute(env, actual, (float *)(void *)order, weight, n, NULL, score);
    sooth_free(env, sum, size, 1);
    return status;
}

SOOTH_API void sooth_forest_free(sooth_env *env, sooth_forest *forest) { sooth_ensemble_free(env, forest); }

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
