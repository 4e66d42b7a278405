/* import.h - reads trees of XGBoost, LightGBM, CatBoost, scikit-learn, ONNX, and predicts the same bits.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Converts the model file of another library to an ensemble. Reads from a buffer and does no input or output
 * itself. The formats are:
 *   XGBoost       JSON and UBJ (Universal Binary JSON) as save_model writes them, versions 1.0 to 3.2:
 *                 boosters gbtree and dart; regression, rank and two classes; trees for one target each
 *   LightGBM      the text of save_model, versions 2 to 4: gbdt, dart, goss and rf; linear leaves
 *                 (linear_tree)
 *   CatBoost      the JSON of save_model(format="json"), version 1: symmetric trees; splits on numbers and
 *                 one-hot categories
 *   scikit-learn  a JSON that tests/golden/sklearn_to_json.py writes for decision trees, random forests,
 *                 extra-trees, gradient boosting and histogram gradient boosting (see below)
 *   ONNX          TreeEnsembleRegressor, TreeEnsembleClassifier and TreeEnsemble, as skl2onnx, onnxmltools
 *                 and sooth_export_onnx write them: one input of floats or doubles, and nothing else in the
 *                 graph that changes numbers (see import/onnx.h)
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/import.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char file[] =
 *             "{\"sklearn\": \"1.2.1\", \"features\": 1, \"targets\": 1, \"base\": [0.5], \"trees\": [{"
 *             "\"left\": [1, -1, -1], \"right\": [2, -1, -1], \"feature\": [0, -1, -1],"
 *             "\"threshold\": [2.5, 0, 0], \"value\": [0, 10, 20]}]}";
 *         const float row[1] = {3};
 *         sooth_import import;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_import_read(&env, file, sizeof file - 1, NULL, &import) != SOOTH_OK)
 *             return puts(env.sentence), 1;                              // "line 1, column 7: ..."
 *         printf("%g\n", sooth_ensemble_predict(import.ensemble, row));  //> 20.5
 *         sooth_import_free(&env, &import);
 *         return 0;
 *     }
 *
 * Notes
 *
 * Models that an ensemble cannot represent are refused with a message:
 *   - trees with several outputs each (multi_output_tree)
 *   - objectives whose outputs depend on each other (softmax)
 *   - LightGBM's zero_as_missing if zeros go to the other side than the numbers on both sides of zero
 *   - CatBoost's statistics of categories (CTRs)
 *   - ONNX's tests for a category (BRANCH_EQ, BRANCH_NEQ, BRANCH_MEMBER), and the minimum or maximum of trees
 *
 * Converters to ONNX lose names and sets of categories. Some lose more: onnxmltools 1.16 leaves out the mean
 * of LightGBM's boosting=rf and the link of XGBoost's reg:logistic. The file decides here, so import the
 * model's own file if there is one. Of two classes, the prediction is the probability of the second one.
 *
 * Categories are integers from 0, as in training, and a row stores them as floats. The part after the point
 * is cut off. A category that no node contains, a negative one and a missing value go where the other library
 * sends them:
 *   - XGBoost sends the first two with the categories that a split does not name. Missing values go to its
 *     default side.
 *   - LightGBM sends all three to the right. Numbers above -1 are its category 0.
 *   - CatBoost stores hashes only. They are looked up among the integers from 0 to 9999, which must contain
 *     its categories. All others are unknown.
 *
 * Two libraries store the names of categories of a pandas frame: LightGBM (pandas_categorical), and XGBoost
 * since 3.1 (cats). They become import->levels, a dictionary for sooth_model_parts. Numbers and booleans
 * match a cell in every spelling: 40, 40.0 and 4e1. A name that is not in the dictionary counts as missing.
 * XGBoost 3.1 and 3.2 store names that are not ASCII cut short: these are refused. LightGBM does not name
 * the columns of its lists. Their order, the codes and the features that are categorical decide; if several
 * columns can have a list, which takes ordered categories, the model is refused. import->coded counts the
 * categorical features without names, whose values are the codes of training. Files of XGBoost before 3.1 do
 * not tell whether a frame had other values.
 *
 * A model of XGBoost that was stopped early is read up to best_iteration, which the file names: so do
 * predict() of XGBRegressor and others. Booster.predict() takes all trees unless it gets an iteration_range;
 * options.all_trees reads all. LightGBM saves trees up to the best iteration and does not name it, CatBoost
 * drops the others after training (use_best_model), and scikit-learn keeps and uses all.
 *
 * LightGBM, histogram gradient boosting of scikit-learn, and ONNX with doubles compare doubles. The other
 * libraries convert rows to floats first. If training had numbers that floats merge, such as seconds since
 * 1970, the model is refused unless options.origins is 1. Then import->zero has an origin for each feature.
 * The host subtracts it in double precision before the conversion to float (see model/origin.h, whose
 * sooth_origin_make takes these numbers). A model is refused if two thresholds are one float nevertheless.
 * In columns without an origin the float next to a threshold stands for its shortest decimal: 1.1f goes
 * where 1.1 does. If training had floats, it stands for itself. A double of more than 7 digits can be on the
 * other side of a threshold that is closer than 2^-24 of its size.
 *
 * The JSON of scikit-learn is an object with
 *   sklearn        the version, a string; identifies this format
 *   features       a number; targets: a number
 *   base           [a number per target], the initial value of the sums; 0 if left out
 *   mean           true: the prediction is the mean of the trees, not their sum
 *   link           "identity" (or left out), "exp" or "logistic"
 *   feature_names  [a string per feature], or left out
 *   trees          [{left, right, feature, threshold, value, missing_left, cover, gain}, ...]: lists with an
 *                  entry per node, the root first. left -1: a leaf. x <= threshold goes left, compared in
 *                  double. value: `targets` numbers per node, consecutive, times the learning rate.
 *                  missing_left 1: NaN goes left. missing_left, cover and gain may be left out
 *
 * Method and references
 *
 * XGBoost sums floats in the order of the trees, starting with the base score. The ensemble does the same.
 * With dart, XGBRegressor.predict() sums in another order than Booster.predict(), to which sums are equal.
 * ONNX Runtime with one thread sums floats in the order of the trees, from 0, and adds base_values last. So
 * does the ensemble, whose last tree is the base. A mean (AVERAGE) is that sum divided, and clipped to the
 * range of the leaves, outside of which the rounding of the runtime's sum can bring it. LightGBM, CatBoost,
 * scikit-learn and ONNX with doubles sum doubles. The ensemble is EXACT with LOW parts: its sum is theirs
 * rounded to float, unless theirs lies within 2^-46 of the middle between two floats. This also holds for the
 * linear leaves of linear_tree on rows of floats. Their products and sums are as exact, and 2^-46 is relative
 * to the largest intermediate result. A feature and its product with a slope count as at most 1e30. This
 * keeps sums finite, where LightGBM returns infinity. CatBoost multiplies the sum by a scale. If the scale is
 * not 1, each leaf is multiplied by it here. Low parts below the smallest float, 2^-149, are lost. Sums below
 * about 1e-30 may be off by 2^-149 per tree. The above holds for sums (margins). A link (exp, logistic) is
 * computed by our own float function. It differed from theirs by at most 5 units in the last place in
 * tests/golden/import_check.py. With a link, XGBoost's sums start with a logarithm that its C library rounds.
 * glibc's is one unit off ours for one base score in twenty, and then sums are too. ONNX Runtime computes
 * probabilities below one half as 1 - p, which is off by up to 2^-24. Decisions are the same to the last bit:
 * see the functions that compute thresholds.
 *
 * Cost
 *
 * About ten passes over JSON, twenty over ONNX, one over the other formats. Nothing points into the buffer
 * afterwards. Memory in addition to the ensemble:
 *   - 60 bytes per node of the largest tree, at most a small multiple of the file, regardless of its counts
 *   - a bit per category up to the largest for each set, at most 1 MB plus 64 times the file size in total
 *   - 32 KB for CatBoost's hashes
 *   - 40 bytes per tree of XGBoost
 *   - for ONNX, 90 bytes per node of all trees and 50 per leaf value
 *   - for LightGBM and histograms of scikit-learn, 48 bytes per split; with origins also a second pass
 *   - at most 60 bytes and the name for each named category
 */
#if !defined(SOOTH_IMPORT_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_IMPLEMENTED))
#include "tree/ensemble.h"
#include "import/libsvm.h"
#include "import/text.h"
#include "import/categories.h"
#include "import/origins.h"
#endif

#if !defined(SOOTH_IMPORT_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_H
SOOTHI_C_BEGIN

typedef enum sooth_import_format {
    SOOTH_IMPORT_ANY = 0, /* detected from the bytes */
    SOOTH_IMPORT_XGBOOST_JSON,
    SOOTH_IMPORT_XGBOOST_UBJ,
    SOOTH_IMPORT_LIGHTGBM,
    SOOTH_IMPORT_SKLEARN,
    SOOTH_IMPORT_CATBOOST,
    SOOTH_IMPORT_ONNX
} sooth_import_format;

/* Zero bytes mean the defaults. */
typedef struct sooth_import_options {
    uint32_t format;    /* a sooth_import_format */
    uint32_t all_trees; /* 1: read all trees, also those after the best iteration that the file names */
    uint32_t origins;   /* 1: the host subtracts import->zero; 0: models that need this are refused */
} sooth_import_options;

typedef struct sooth_import {
    sooth_ensemble *ensemble;   /* of SOOTH_KIND_BOOST, or SOOTH_KIND_FOREST if it predicts a mean */
    sooth_import_format format; /* the format found */
    uint32_t names;             /* number of features, or 0 if the file has no names */
    const char **feature_names; /* per feature, in UTF-8; NULL: none */
    char *name_text;            /* the strings, consecutive */
    size_t name_size;           /* bytes from feature_names on: pointers and strings are one block */
    char objective[32];         /* as the file names it; "" if it has none */
    uint32_t file_trees;        /* trees in the file; the ensemble has fewer if it ends at the best one */
    uint32_t best_iteration;    /* the last one that was read, from 0; UINT32_MAX: all were read */
    sooth_levels *levels;       /* categories by their names, for sooth_model_parts; NULL: none are named */
    uint32_t coded;             /* categorical features without names: their values are codes */
    uint32_t first_coded;       /* the first one */
    uint32_t zeros;             /* number of features if some count from an origin; else 0 */
    double *zero;               /* per feature: subtracted from a number before it becomes a float */
} sooth_import;

/* Reads bytes[0..size) in linear time. Returns SOOTH_BAD_TEXT if the bytes have no such format, end too
   early, contradict themselves, or need what an ensemble cannot represent. The message names line and column
   (for UBJ and ONNX: the byte). After a failure *out is empty. options may be NULL. */
SOOTH_API sooth_status sooth_import_read(sooth_env *env, const void *bytes, size_t size,
                                         const sooth_import_options *options, sooth_import *out);

/* Frees the names, the levels and the ensemble. To keep the ensemble, set import->ensemble to NULL before,
   and free it yourself with sooth_ensemble_free. */
SOOTH_API void sooth_import_free(sooth_env *env, sooth_import *import);

SOOTHI_C_END
#endif /* SOOTH_IMPORT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- nodes ---- */

/* Reads node i, a split, of a tree of `count` nodes. Entries 0, 1, 2, 4 and 5 of the columns are its left and
   right child, feature, default side and gain. */
SOOTHI_LOCAL sooth_status soothi_import_inner(const soothi_import_columns *c, const double *number, size_t i,
                                              size_t count, size_t tree, soothi_ensemble_node *node) {
    if (!soothi_import_index(number[0], (double)(count - 1), &node->left) ||
        !soothi_import_index(number[1], (double)(count - 1), &node->right) || !node->left || !node->right ||
        !soothi_import_index(number[2], 4294967295.0, &node->feature))
        return soothi_import_fail(c->doc, c->list[0].at,
                                  "node %z of tree %z has invalid children or an invalid feature", i, tree);
    node->missing_right = !(number[4] > 0.0);
    node->gain = number[5];
    return SOOTH_OK;
}

/* ---- thresholds ---- */

SOOTHI_LOCAL void soothi_import_turn(soothi_ensemble_node *node) {
    const uint32_t left = node->left;
    node->left = node->right;
    node->right = left;
    node->missing_right = !node->missing_right;
}

/* XGBoost goes left if x < t; we go left if x <= the float below t. If t is -infinity, no number goes left:
   swapping the children sends all numbers left instead. */
SOOTHI_LOCAL void soothi_import_less(soothi_ensemble_node *node, float t) {
    if (t >= -FLT_MAX) {
        node->threshold = soothi_import_below(t);
    } else {
        soothi_import_turn(node);
        node->threshold = t < 0.0f ? -t : t; /* NaN is refused later */
    }
}

/* Converts a numerical split of LightGBM. LightGBM first takes numbers in -z .. z for 0 (z: kZeroThreshold).
   A threshold among them thus sends all of them to one side. Missing values go by the node's missing type:
     0 none  where 0 goes
     1 zero  to the default side, and so do zeros. Returns 0 if numbers on both sides of zero go elsewhere:
             the node cannot be represented
     2 NaN   to the default side
   *at becomes the largest double that goes left. */
SOOTHI_LOCAL int soothi_import_lightgbm_split(soothi_ensemble_node *node, double *at, uint32_t type,
                                              uint32_t default_left) {
    const float z = 1e-35f;
    const double t = *at;
    const int among = t >= -(double)z && t <= (double)z; /* at z itself, 0 <= t as below */
    int zeros_left = t >= 0.0;
    if (among && type == 1) zeros_left = default_left != 0;
    if (among) *at = (double)(zeros_left ? z : soothi_import_below(-z));
    node->missing_right = type == 0 ? !zeros_left : !default_left;
    return type != 1 || zeros_left == (default_left != 0);
}

/* ---- the reader ---- */

/* A buffer reused for every tree. It grows to the size of the largest. */
typedef struct soothi_import_room {
    void *memory;
    size_t size;
} soothi_import_room;

typedef struct soothi_import_reader {
    soothi_import_doc doc;
    sooth_import *out;
    soothi_ensemble_builder builder;
    soothi_ensemble_node *node; /* of the current tree */
    soothi_import_room nodes;   /* memory of `node` */
    soothi_import_room values;  /* scikit-learn: count x targets; ONNX: nodes of all trees */
    soothi_import_room map;     /* XGBoost: two per node, if nodes were deleted; ONNX: see import/onnx.h */
    soothi_import_room planes;  /* LightGBM: at[count], records of linear leaves; ONNX: leaf values */
    soothi_import_room sets;    /* words of sets of categories; ONNX: trees by target */
    soothi_import_room hashes;  /* CatBoost: categories by their hashes; ONNX: the order of trees */
    soothi_import_room order;   /* XGBoost: its trees, and their order by target; ONNX: sorted entries */
    sooth_import_options options;
    soothi_import_categories categories;
    soothi_import_origins origins;
    uint64_t set_words; /* of all trees up to now */
} soothi_import_reader;

SOOTHI_LOCAL void soothi_import_room_free(sooth_env *env, soothi_import_room *room) {
    sooth_free(env, room->memory, room->size, 1);
    memset(room, 0, sizeof *room);
}

/* Returns zeroed memory for `count` items of `size` bytes. Returns NULL and sets a message without memory. */
SOOTHI_LOCAL void *soothi_import_room_for(sooth_env *env, soothi_import_room *room, size_t count,
                                          size_t size) {
    const size_t bytes = soothi_product(count, size);
    if (!room->memory || bytes > room->size) {
        soothi_import_room_free(env, room);
        room->memory = sooth_alloc(env, bytes, 1);
        room->size = bytes;
    }
    if (room->memory) memset(room->memory, 0, bytes);
    else sooth_no_memory(env, "a tree", bytes);
    return room->memory;
}

SOOTHI_LOCAL sooth_status soothi_import_begin_tree(soothi_import_reader *r, size_t count) {
    r->node = (soothi_ensemble_node *)soothi_import_room_for(r->doc.env, &r->nodes, count, sizeof *r->node);
    return r->node ? SOOTH_OK : SOOTH_NO_MEMORY;
}

/* Provides `words` zeroed words for the sets of the current tree. Counts are not trusted: a single large
   category needs a bit for each smaller one. */
SOOTHI_LOCAL sooth_status soothi_import_sets_for(soothi_import_reader *r, size_t at, uint64_t words,
                                                 uint32_t **word) {
    r->set_words += words;
    if (r->set_words > 262144 + 16 * (uint64_t)r->doc.size)
        return soothi_import_fail(&r->doc, at,
                                  "the sets of categories need %z words, too many for a file of %z bytes",
                                  (size_t)r->set_words, r->doc.size);
    *word = (uint32_t *)soothi_import_room_for(r->doc.env, &r->sets, (size_t)words + 1, sizeof **word);
    return *word ? SOOTH_OK : SOOTH_NO_MEMORY;
}

/* Begins the ensemble. at: the position that an error about its size refers to. */
SOOTHI_LOCAL sooth_status soothi_import_begin(soothi_import_reader *r, size_t at, uint32_t features,
                                              uint32_t targets, uint32_t flags, uint32_t link) {
    soothi_ensemble_shape shape;
    if (features == 0 || targets == 0)
        return soothi_import_fail(&r->doc, at, "the model has %u features and %u targets", features, targets);
    /* counts are not trusted: they determine memory */
    if (features > 65536 + r->doc.size || targets > r->doc.size / 16)
        return soothi_import_fail(&r->doc, at,
                                  "%u features and %u targets are too many for a file of %z bytes", features,
                                  targets, r->doc.size);
    memset(&shape, 0, sizeof shape);
    shape.kind = flags & SOOTH_ENSEMBLE_MEAN ? SOOTH_KIND_FOREST : SOOTH_KIND_BOOST;
    shape.features = features;
    shape.targets = targets;
    shape.flags = flags | SOOTH_ENSEMBLE_COVER;
    shape.link = link;
    return soothi_ensemble_begin(&r->builder, r->doc.env, &shape);
}

/* Errors of the builder about the trees are errors of the text. */
SOOTHI_LOCAL sooth_status soothi_import_blame(sooth_status status) {
    return status == SOOTH_BAD_DATA ? SOOTH_BAD_TEXT : status;
}

SOOTHI_LOCAL sooth_status soothi_import_add(soothi_import_reader *r, size_t count, sooth_status status) {
    if (status != SOOTH_OK) return status;
    return soothi_import_blame(soothi_ensemble_add_plain_tree(&r->builder, r->node, count, NULL));
}

/* Reads an integer entry. A missing entry is an error, or with `optional` leaves *number unchanged. */
SOOTHI_LOCAL sooth_status soothi_import_whole(const soothi_import_doc *doc, soothi_import_value v, size_t at,
                                              const char *name, int optional, uint32_t *number) {
    double real = -1.0;
    if (!v.end) return optional ? SOOTH_OK : soothi_import_fail(doc, at, "%s is missing", name);
    if (!soothi_import_number(doc, v, 0, &real) || !soothi_import_index(real, 4294967295.0, number))
        return soothi_import_fail(doc, v.at, "%s is not an integer from 0 to 4294967295", name);
    return SOOTH_OK;
}

/* ---- names ---- */

SOOTHI_LOCAL sooth_status soothi_import_names(soothi_import_reader *r, soothi_import_value list,
                                              uint32_t features) {
    sooth_import *out = r->out;
    soothi_import_items items = soothi_import_open(&r->doc, list, '[');
    soothi_import_value v;
    size_t n = 0, bytes = 0;
    char *text;
    for (; soothi_import_next(&r->doc, &items, NULL, &v); ++n) bytes += v.end - v.at + 1;
    if (n == 0) return SOOTH_OK;
    if (n != features)
        return soothi_import_fail(&r->doc, list.at, "there are %z feature names, but %u features", n,
                                  features);
    bytes += n * sizeof *out->feature_names;
    out->feature_names = (const char **)sooth_alloc(r->doc.env, 1, bytes);
    if (!out->feature_names) return sooth_no_memory(r->doc.env, "the names", bytes);
    out->names = features;
    out->name_size = bytes;
    out->name_text = text = (char *)(void *)(out->feature_names + n);
    items = soothi_import_open(&r->doc, list, '[');
    for (n = 0; soothi_import_next(&r->doc, &items, NULL, &v); ++n) {
        out->feature_names[n] = text;
        text += soothi_import_copy(&r->doc, v, 0, text);
        *text++ = 0;
    }
    return SOOTH_OK;
}

/* What is known before the categories are read: the names of the features. */
SOOTHI_LOCAL soothi_import_categories *soothi_import_categories_of(soothi_import_reader *r) {
    r->categories.names = r->out->feature_names;
    return &r->categories;
}

/* Fails for an unsupported name of the file. `known` lists what is supported. */
SOOTHI_LOCAL sooth_status soothi_import_unsupported(const soothi_import_doc *doc, soothi_import_value name,
                                                    size_t at, const char *what, const char *known) {
    char text[64];
    size_t n = name.end && name.end - name.at < sizeof text ? soothi_import_copy(doc, name, 0, text) : 0;
    text[n] = 0;
    return soothi_import_fail(doc, name.end ? name.at : at, "the %s %s cannot be imported; %s", what,
                              n ? text : "of this name", known);
}

SOOTHI_LOCAL void soothi_import_objective(soothi_import_reader *r, soothi_import_value v) {
    size_t at, end;
    if (!soothi_import_text(&r->doc, v, &at, &end)) return;
    size_t n = end - at < sizeof r->out->objective ? end - at : sizeof r->out->objective - 1;
    memcpy(r->out->objective, r->doc.text + at, n);
    r->out->objective[n] = 0;
}

/* ---- XGBoost ---- */

/* Finds the link of the prediction. It also converts base_score to a margin. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_link(const soothi_import_doc *doc, soothi_import_value name,
                                                     size_t at, uint32_t *link) {
    static const struct {
        char words[88];
        uint32_t link;
    } of[] = {
        {"reg:squarederror reg:linear reg:squaredlogerror reg:absoluteerror reg:quantileerror",
         SOOTH_ENSEMBLE_LINK_IDENTITY},
        {"reg:pseudohubererror rank:pairwise rank:ndcg rank:map binary:logitraw",
         SOOTH_ENSEMBLE_LINK_IDENTITY},
        {"count:poisson reg:gamma reg:tweedie", SOOTH_ENSEMBLE_LINK_EXP},
        {"reg:logistic binary:logistic", SOOTH_ENSEMBLE_LINK_LOGISTIC},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        *link = of[i].link;
        if (soothi_import_is(doc, name, of[i].words)) return SOOTH_OK;
    }
    return soothi_import_unsupported(doc, name, at, "objective", "regression, rank and two classes are read");
}

/* Computes the margin of a base score, in float like XGBoost (the logarithm is rounded once from double).
   Returns 0 if the score has no margin. */
SOOTHI_LOCAL int soothi_import_xgboost_margin(float score, uint32_t link, float *margin) {
    *margin = score;
    if (link == SOOTH_ENSEMBLE_LINK_LOGISTIC) {
        if (!(score > 0.0f && score < 1.0f)) return 0;
        *margin = -(float)soothi_log((double)(1.0f / score - 1.0f));
    } else if (link == SOOTH_ENSEMBLE_LINK_EXP) {
        if (!(score > 0.0f)) return 0;
        *margin = (float)soothi_log((double)score);
    }
    return soothi_finite((double)*margin);
}

/* base_score is "5E-1" until 3.0, "[5E-1]" or "[1E0,2E0]" since 3.1. A single one applies to all targets. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_base(soothi_import_reader *r, soothi_import_value v,
                                                     uint32_t targets, uint32_t link) {
    size_t at, end, used;
    uint32_t n = 0;
    float score, margin = 0.0f;
    if (!soothi_import_text(&r->doc, v, &at, &end))
        return soothi_import_fail(&r->doc, v.end ? v.at : 0, "base_score is missing or not a string");
    if (at < end && r->doc.text[at] == '[') ++at, --end;
    for (;; ++at, ++n) {
        used = sooth_text_to_float(r->doc.text + at, end - at, &score);
        if (!used) return soothi_import_fail(&r->doc, at, "base_score is not a number");
        if (!soothi_import_xgboost_margin(score, link, &margin))
            return soothi_import_fail(&r->doc, at, "base_score is %f, which is invalid for this objective",
                                      (double)score);
        if (n < targets) soothi_ensemble_set_base(&r->builder, n, (double)margin);
        at += used;
        if (at >= end) break;
        if (r->doc.text[at] != ',') return soothi_import_fail(&r->doc, at, "base_score is not a number");
    }
    ++n;
    if (n != 1 && n != targets)
        return soothi_import_fail(&r->doc, v.at, "base_score has %u numbers, but there are %u targets", n,
                                  targets);
    for (uint32_t t = 1; n == 1 && t < targets; ++t) soothi_ensemble_set_base(&r->builder, t, (double)margin);
    return SOOTH_OK;
}

/* Drops the nodes that cannot be reached from the root (left by pruning), and keeps the order of the others.
   *count: nodes before, at least 1, and after. The builder refuses an invalid tree later. */
SOOTHI_LOCAL sooth_status soothi_import_compact(soothi_import_reader *r, size_t *count) {
    size_t used = 1, kept = 0;
    uint32_t *queue = (uint32_t *)soothi_import_room_for(r->doc.env, &r->map, 2 * *count, sizeof(uint32_t));
    if (!queue) return SOOTH_NO_MEMORY;
    uint32_t *place = queue + *count;
    place[0] = 1;
    for (size_t i = 0; i < used; ++i) {
        const soothi_ensemble_node *node = r->node + queue[i];
        if (!node->left) continue;
        if (!place[node->left]) queue[used++] = node->left;
        place[node->left] = 1;
        if (!place[node->right]) queue[used++] = node->right;
        place[node->right] = 1;
    }
    for (size_t i = 0; i < *count; ++i)
        if (place[i]) place[i] = (uint32_t)kept++;
    for (size_t i = 0; i < used; ++i) {
        soothi_ensemble_node *node = r->node + queue[i];
        if (!node->left) continue;
        node->left = place[node->left];
        node->right = place[node->right];
    }
    for (size_t i = 1; i < *count; ++i)
        if (place[i]) r->node[place[i]] = r->node[i];
    *count = kept;
    return SOOTH_OK;
}

/* Reads node i of a tree of `count` nodes from the next entry of each column. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_node(soothi_import_reader *r, soothi_import_columns *c,
                                                     size_t i, size_t count, size_t tree, float weight) {
    soothi_ensemble_node *node = r->node + i;
    double number[8];
    for (unsigned k = 0; k < 8; ++k)
        if (!soothi_import_take(c, k, k == 3, 0.0, &number[k])) return soothi_import_short(c, k, tree);
    node->cover = (float)number[6];
    if (number[0] < 0.0) {
        node->value = (double)((float)number[3] * weight);
        return SOOTH_OK;
    }
    if (soothi_import_inner(c, number, i, count, tree, node) != SOOTH_OK) return SOOTH_BAD_TEXT;
    if (number[7] > 0.0) node->threshold = soothi_missing(); /* its set is in separate lists */
    else soothi_import_less(node, (float)number[3]);
    return SOOTH_OK;
}

/* Reads the lists of categories that go right: categories_sizes[k] consecutive entries for node
   categories_nodes[k]. XGBoost stores a bit for each category up to the largest. Categories beyond it,
   negative ones and missing values go the same way here once the children are swapped. Pass 0 counts the
   words; pass 1 fills the sets. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_sets(soothi_import_reader *r, soothi_import_columns *c,
                                                     size_t count, size_t tree, int pass, uint64_t *words) {
    soothi_import_items node = soothi_import_open(&r->doc, c->list[8], '[');
    soothi_import_items size = soothi_import_open(&r->doc, c->list[10], '[');
    soothi_import_items begin = soothi_import_open(&r->doc, c->list[11], '[');
    soothi_import_items item = soothi_import_open(&r->doc, c->list[12], '[');
    uint32_t *word = (uint32_t *)r->sets.memory, which = 0, many = 0, from = 0, next = 0, category = 0;
    soothi_import_value v, s;
    double number;
    *words = 0;
    while (soothi_import_next(&r->doc, &node, NULL, &v)) {
        uint32_t most = 0;
        if (!soothi_import_number(&r->doc, v, 0, &number) ||
            !soothi_import_index(number, (double)count - 1.0, &which) || !r->node[which].left ||
            r->node[which].threshold <= r->node[which].threshold || r->node[which].set)
            return soothi_import_fail(&r->doc, v.at,
                                      "tree %z has categories for a split that is not categorical", tree);
        if (!soothi_import_next(&r->doc, &size, NULL, &s) || !soothi_import_number(&r->doc, s, 0, &number) ||
            !soothi_import_index(number, 4294967295.0, &many) ||
            !soothi_import_next(&r->doc, &begin, NULL, &s) || !soothi_import_number(&r->doc, s, 0, &number) ||
            !soothi_import_index(number, 4294967295.0, &from) || from != next)
            return soothi_import_fail(&r->doc, v.at, "node %u of tree %z has no list of categories", which,
                                      tree);
        for (uint32_t k = 0; k < many; ++k, ++next) {
            if (!soothi_import_next(&r->doc, &item, NULL, &s) ||
                !soothi_import_number(&r->doc, s, 0, &number) ||
                !soothi_import_index(number, 16777215.0, &category))
                return soothi_import_fail(&r->doc, v.at,
                                          "node %u of tree %z has too few categories, or some that are not "
                                          "integers from 0 to 16777215",
                                          which, tree);
            if (category / 32 >= most) most = category / 32 + 1;
            if (pass) word[*words + category / 32] |= 1u << (category & 31u);
        }
        if (pass) {
            r->node[which].set = word + *words;
            r->node[which].set_words = most;
            soothi_import_turn(&r->node[which]);
        }
        *words += most;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_import_xgboost_categories(soothi_import_reader *r, soothi_import_columns *c,
                                                           size_t count, size_t tree) {
    uint64_t words = 0;
    uint32_t *word;
    sooth_status status = soothi_import_xgboost_sets(r, c, count, tree, 0, &words);
    if (status == SOOTH_OK) status = soothi_import_sets_for(r, c->list[8].at, words, &word);
    if (status == SOOTH_OK) status = soothi_import_xgboost_sets(r, c, count, tree, 1, &words);
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i)
        if (r->node[i].left && !r->node[i].set && !(r->node[i].threshold <= r->node[i].threshold))
            return soothi_import_fail(&r->doc, c->at,
                                      "node %z of tree %z has neither a threshold nor categories", i, tree);
    return status;
}

/* Fails if the leaves of a tree have a value for each target. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_vector(const soothi_import_reader *r,
                                                       soothi_import_value object, size_t tree) {
    soothi_import_value param, size;
    double vector = 0.0;
    soothi_import_find(&r->doc, object, "tree_param", 1, &param);
    soothi_import_find(&r->doc, param, "size_leaf_vector", 1, &size);
    soothi_import_number(&r->doc, size, 0, &vector);
    if (!(vector > 1.0)) return SOOTH_OK;
    return soothi_import_fail(
        &r->doc, size.at, "tree %z predicts several targets (multi_output_tree), which cannot be imported",
        tree);
}

SOOTHI_LOCAL sooth_status soothi_import_xgboost_tree(soothi_import_reader *r, soothi_import_value object,
                                                     size_t tree, float weight) {
    soothi_import_columns c;
    soothi_import_value param;
    double deleted = 0.0;
    unsigned k;
    soothi_import_columns_find(&c, &r->doc, object, /* eight columns, then other entries */
                               "left_children right_children split_indices split_conditions default_left "
                               "loss_changes sum_hessian split_type categories_nodes tree_param "
                               "categories_sizes categories_segments categories");
    soothi_import_find(&r->doc, c.list[9], "num_deleted", 1, &param);
    soothi_import_number(&r->doc, param, 0, &deleted);
    for (k = 0; k < 4; ++k)
        if (!c.items[k].close) return soothi_import_short(&c, k, tree);
    size_t count = soothi_import_count(&r->doc, c.list[0]);
    sooth_status status = soothi_import_begin_tree(r, count);
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i)
        status = soothi_import_xgboost_node(r, &c, i, count, tree, weight);
    if (status == SOOTH_OK && (k = soothi_import_left(&c, 8)) < 8) status = soothi_import_short(&c, k, tree);
    if (status == SOOTH_OK) status = soothi_import_xgboost_categories(r, &c, count, tree);
    if (status == SOOTH_OK && count && deleted > 0.0) status = soothi_import_compact(r, &count);
    return soothi_import_add(r, count, status);
}

/* A tree of the file before it is read. */
typedef struct soothi_import_xgboost_entry {
    soothi_import_value tree;
    float weight;
    uint32_t target;
} soothi_import_xgboost_entry;

/* Finds how many of `count` trees to read: those up to the best iteration, if training was stopped early.
   iteration_indptr has the first tree of each iteration since 2.1. Before, an iteration had num_parallel_tree
   trees per target. best_ntree_limit counts trees per target (versions before 2.0). */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_best(soothi_import_reader *r, soothi_import_value attributes,
                                                     soothi_import_value model, uint32_t targets,
                                                     size_t count, size_t *kept) {
    const soothi_import_doc *doc = &r->doc;
    soothi_import_value best[2], part[2], parallel, v;
    uint32_t iteration = UINT32_MAX, limit = 0, each = 0, first = 0;
    double number = 0.0;
    *kept = count;
    soothi_import_find(doc, attributes, "best_iteration best_ntree_limit", 2, best);
    if (r->options.all_trees || !best[0].end) return SOOTH_OK;
    soothi_import_find(doc, model, "iteration_indptr gbtree_model_param", 2, part);
    soothi_import_find(doc, part[1], "num_parallel_tree", 1, &parallel);
    sooth_status status = soothi_import_whole(doc, best[0], 0, "best_iteration", 0, &iteration);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, best[1], 0, "best_ntree_limit", 1, &limit);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, parallel, 0, "num_parallel_tree", 1, &each);
    if (status != SOOTH_OK) return status;
    uint64_t trees = (uint64_t)each * targets * ((uint64_t)iteration + 1);
    if (!each) trees = (uint64_t)limit * targets;
    soothi_import_items items = soothi_import_open(doc, part[0], '[');
    for (uint64_t k = 0; k < (uint64_t)iteration + 2 && items.close; ++k) {
        const int more = soothi_import_next(doc, &items, NULL, &v);
        trees = 0;
        if (!more || !soothi_import_number(doc, v, 0, &number) ||
            !soothi_import_index(number, (double)count, &first))
            break;
        trees = first;
    }
    if (trees == 0 || trees > count)
        return soothi_import_fail(doc, best[0].at,
                                  "the best iteration is %u, but the model has %z trees for %u targets and "
                                  "%s; all_trees (--all-trees) reads all of them",
                                  iteration, count, targets,
                                  items.close || each ? "fewer iterations"
                                                      : "no number of trees per iteration");
    *kept = (size_t)trees;
    if (trees < count) r->out->best_iteration = iteration;
    return SOOTH_OK;
}

/* Finds the first `count` trees, their weights and their targets. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_entries(soothi_import_reader *r, soothi_import_items trees,
                                                        soothi_import_value targets_of,
                                                        soothi_import_value drop, uint32_t targets,
                                                        size_t count, soothi_import_xgboost_entry *entry) {
    soothi_import_items info = soothi_import_open(&r->doc, targets_of, '[');
    soothi_import_items weights = soothi_import_open(&r->doc, drop, '[');
    soothi_import_value v;
    for (size_t k = 0; k < count; ++k) {
        double target = -1.0, weight = 1.0;
        soothi_import_next(&r->doc, &trees, NULL, &entry[k].tree);
        if (soothi_import_xgboost_vector(r, entry[k].tree, k) != SOOTH_OK) return SOOTH_BAD_TEXT;
        if (drop.end && (!soothi_import_next(&r->doc, &weights, NULL, &v) ||
                         !soothi_import_number(&r->doc, v, 1, &weight)))
            return soothi_import_fail(&r->doc, drop.at, "weight_drop has no number for tree %z", k);
        if (!soothi_import_next(&r->doc, &info, NULL, &v) || !soothi_import_number(&r->doc, v, 0, &target) ||
            !soothi_import_index(target, (double)targets - 1.0, &entry[k].target))
            return soothi_import_fail(&r->doc, targets_of.at, "tree_info has no target for tree %z", k);
        entry[k].weight = (float)weight;
    }
    return SOOTH_OK;
}

/* Reads the trees of a model. An iteration of the file has num_parallel_tree trees for the first target, then
   as many for the next. An ensemble cycles through the targets: the order within a target stays. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_trees(soothi_import_reader *r, soothi_import_value model,
                                                      soothi_import_value drop,
                                                      soothi_import_value attributes, uint32_t targets) {
    soothi_import_value part[2];
    size_t count = 0;
    soothi_import_find(&r->doc, model, "trees tree_info", 2, part);
    const soothi_import_items trees = soothi_import_open(&r->doc, part[0], '[');
    if (!trees.close || !soothi_import_open(&r->doc, part[1], '[').close)
        return soothi_import_fail(&r->doc, model.at, "the model has no trees or no tree_info");
    const size_t all = soothi_import_count(&r->doc, part[0]);
    if (all == 0) return soothi_import_fail(&r->doc, part[0].at, "the model has no trees");
    r->out->file_trees = (uint32_t)all;
    sooth_status status = soothi_import_xgboost_best(r, attributes, model, targets, all, &count);
    if (status != SOOTH_OK) return status;
    const size_t each = count / targets;
    soothi_import_xgboost_entry *entry = (soothi_import_xgboost_entry *)soothi_import_room_for(
        r->doc.env, &r->order, count + targets, sizeof *entry + sizeof(uint32_t));
    if (!entry) return SOOTH_NO_MEMORY;
    uint32_t *place = (uint32_t *)(void *)(entry + count), *used = place + count;
    status = soothi_import_xgboost_entries(r, trees, part[1], drop, targets, count, entry);
    for (size_t k = 0; k < count && status == SOOTH_OK; ++k) {
        const uint32_t t = entry[k].target, at = used[t]++;
        if (at >= each)
            return soothi_import_fail(&r->doc, part[1].at,
                                      "tree %z is number %u for target %u, but %u targets with as many trees "
                                      "each have at most %z of the %z trees",
                                      k, at + 1, t, targets, each, count);
        place[at * (size_t)targets + t] = (uint32_t)k;
    }
    for (size_t k = 0; k < count && status == SOOTH_OK; ++k)
        status = soothi_import_xgboost_tree(r, entry[place[k]].tree, place[k], entry[place[k]].weight);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_import_xgboost(soothi_import_reader *r, soothi_import_value learner) {
    soothi_import_doc *doc = &r->doc;
    soothi_import_value part[6], param[4], booster[4], name[1], cats[1];
    uint32_t features = 0, targets = 0, classes = 0, link;
    soothi_import_find(
        doc, learner, "gradient_booster learner_model_param objective feature_names attributes feature_types",
        6, part);
    soothi_import_find(doc, part[0], "name model gbtree weight_drop", 4, booster);
    soothi_import_find(doc, part[1], "base_score num_feature num_target num_class", 4, param);
    soothi_import_find(doc, part[2], "name", 1, name);
    if (soothi_import_is(doc, booster[0], "dart"))
        soothi_import_find(doc, booster[2], "model", 1, booster + 1);
    else if (soothi_import_is(doc, booster[0], "gbtree")) booster[3].end = 0;
    else return soothi_import_unsupported(doc, booster[0], learner.at, "booster", "gbtree and dart are read");
    soothi_import_objective(r, name[0]);
    sooth_status status = soothi_import_xgboost_link(doc, name[0], learner.at, &link);
    if (status == SOOTH_OK)
        status = soothi_import_whole(doc, param[1], learner.at, "num_feature", 0, &features);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, param[2], 0, "num_target", 1, &targets);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, param[3], 0, "num_class", 1, &classes);
    if (status != SOOTH_OK) return status;
    if (targets < classes) targets = classes;
    if (targets == 0) targets = 1;
    status = soothi_import_begin(r, param[1].at, features, targets, 0, link);
    if (status == SOOTH_OK) status = soothi_import_xgboost_base(r, param[0], targets, link);
    if (status == SOOTH_OK) status = soothi_import_xgboost_trees(r, booster[1], booster[3], part[4], targets);
    if (status == SOOTH_OK) status = soothi_import_names(r, part[3], features);
    soothi_import_find(doc, booster[1], "cats", 1, cats);
    if (status == SOOTH_OK)
        status =
            soothi_import_xgboost_levels(doc, cats[0], part[5], features, soothi_import_categories_of(r));
    return status;
}

/* ---- LightGBM ---- */

/* Takes the line at *at. key=value gives key and value; any other line is all key. Returns 0 at the end. */
SOOTHI_LOCAL int soothi_import_line(const soothi_import_doc *doc, size_t *at, soothi_import_value *key,
                                    soothi_import_value *v) {
    const char *text = doc->text;
    size_t end = *at;
    memset(v, 0, sizeof *v);
    if (*at >= doc->size) return 0;
    while (end < doc->size && text[end] != '\n') ++end;
    const size_t stop = end > *at && text[end - 1] == '\r' ? end - 1 : end;
    memset(key, 0, sizeof *key);
    key->at = key->end = *at;
    while (key->end < stop && text[key->end] != '=') ++key->end;
    if (key->end < stop) {
        v->at = key->end + 1;
        v->end = stop;
    }
    *at = end + 1;
    return 1;
}

/* Reads the objective's line ("regression", "binary sigmoid:1", "tweedie tweedie_variance_power:1.5"). */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_link(const soothi_import_doc *doc, soothi_import_value line,
                                                      uint32_t *link) {
    soothi_import_items items = soothi_import_open(doc, line, '[');
    soothi_import_value name, word;
    int sigmoid = 0, root = 0;
    *link = SOOTH_ENSEMBLE_LINK_IDENTITY;
    if (!soothi_import_next(doc, &items, NULL, &name)) return SOOTH_OK; /* a custom objective */
    while (soothi_import_next(doc, &items, NULL, &word)) {
        sigmoid |= soothi_import_is(doc, word, "sigmoid:1");
        root |= soothi_import_is(doc, word, "sqrt");
    }
    if (soothi_import_is(doc, name,
                         "regression regression_l1 huber fair quantile mape lambdarank rank_xendcg custom") &&
        !root)
        return SOOTH_OK;
    *link = SOOTH_ENSEMBLE_LINK_EXP;
    if (soothi_import_is(doc, name, "poisson gamma tweedie") && !root) return SOOTH_OK;
    *link = SOOTH_ENSEMBLE_LINK_LOGISTIC;
    if (soothi_import_is(doc, name, "cross_entropy") ||
        (sigmoid && soothi_import_is(doc, name, "binary multiclassova")))
        return SOOTH_OK;
    return soothi_import_unsupported(doc, line, line.at, "objective",
                                     "regression, rank and two classes are read");
}

#define SOOTHI_IMPORT_LIGHTGBM_TREE                                                                      \
    "left_child right_child split_feature threshold decision_type split_gain internal_count leaf_value " \
    "leaf_count leaf_const num_features leaf_features leaf_coeff cat_boundaries cat_threshold"

/* Reads the sets of a tree: cat_boundaries with one entry more than sets, then the words of cat_threshold.
   *sets: their number. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_sets(soothi_import_reader *r, soothi_import_columns *c,
                                                      size_t tree, uint32_t *sets) {
    const size_t bounds = soothi_import_count(&r->doc, c->list[13]);
    const size_t words = soothi_import_count(&r->doc, c->list[14]);
    double number;
    *sets = 0;
    if (bounds == 0) return SOOTH_OK;
    uint32_t *word = NULL;
    const sooth_status status = soothi_import_sets_for(r, c->list[13].at, bounds + words, &word);
    if (status != SOOTH_OK) return status;
    for (size_t k = 0; k < bounds; ++k)
        if (!soothi_import_take(c, 13, 0, 0.0, &number) ||
            !soothi_import_index(number, (double)words, &word[k]) || word[k] < word[k ? k - 1 : 0])
            return soothi_import_short(c, 13, tree);
    for (size_t k = bounds; k < bounds + words; ++k)
        if (!soothi_import_take(c, 14, 0, 0.0, &number) ||
            !soothi_import_index(number, 4294967295.0, &word[k]))
            return soothi_import_short(c, 14, tree);
    *sets = (uint32_t)bounds - 1;
    return SOOTH_OK;
}

/* Categories in the set go left; unknown and missing ones go right. LightGBM cuts off the part after the
   point, also for numbers between -1 and 0: SOOTH_ENSEMBLE_ZEROS. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_set(const soothi_import_reader *r, soothi_import_columns *c,
                                                     double number, uint32_t sets, size_t tree,
                                                     soothi_ensemble_node *node) {
    const uint32_t *word = (const uint32_t *)r->sets.memory;
    uint32_t set = 0;
    if (!sets || !soothi_import_index(number, (double)sets - 1.0, &set))
        return soothi_import_fail(&r->doc, c->list[4].at,
                                  "tree %z has a categorical split whose threshold is not the index of a set",
                                  tree);
    node->set = word + sets + 1 + word[set];
    node->set_words = word[set + 1] - word[set];
    node->missing_right = 1;
    return SOOTH_OK;
}

/* Reads node i, a split of a tree with `leaves` leaves. Child c >= 0 is split c; c < 0 is leaf -1 - c, stored
   after the splits. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_node(soothi_import_reader *r, soothi_import_columns *c,
                                                      size_t i, size_t leaves, size_t tree, uint32_t sets) {
    soothi_ensemble_node *node = r->node + i;
    double number[7];
    uint32_t decision = 0, *const child[2] = {&node->left, &node->right};
    for (unsigned k = 0; k < 7; ++k)
        if (!soothi_import_take(c, k, 0, 0.0, &number[k])) return soothi_import_short(c, k, tree);
    for (unsigned k = 0; k < 2; ++k) {
        const double at = number[k] < 0.0 ? (double)(leaves - 1) - 1.0 - number[k] : number[k];
        if (!soothi_import_index(at, (double)(2 * leaves - 2), child[k]) || *child[k] == 0 ||
            (number[k] >= 0.0 && *child[k] >= leaves - 1))
            return soothi_import_fail(&r->doc, c->list[k].at, "node %z of tree %z has invalid children", i,
                                      tree);
    }
    if (!soothi_import_index(number[2], 4294967295.0, &node->feature) ||
        !soothi_import_index(number[4], 255.0, &decision) || decision >> 2 > 2)
        return soothi_import_fail(&r->doc, c->list[4].at,
                                  "node %z of tree %z has an unknown split_feature or decision_type", i,
                                  tree);
    node->gain = number[5];
    node->cover = (float)number[6];
    if (decision & 1u) return soothi_import_lightgbm_set(r, c, number[3], sets, tree, node);
    const int possible = soothi_import_lightgbm_split(node, &number[3], decision >> 2, decision >> 1 & 1u);
    node->threshold = soothi_import_threshold(&r->origins, r->doc.env, node->feature, number[3]);
    if (!possible)
        return soothi_import_fail(&r->doc, c->list[4].at,
                                  "node %z of tree %z separates zero from the numbers on both sides of it "
                                  "(zero_as_missing), which an ensemble cannot represent",
                                  i, tree);
    return SOOTH_OK;
}

/* Writes a linear leaf to *record and moves *used past it. Without columns it is the constant leaf_const,
   which becomes the leaf's value. Intermediate results stay far below the largest float. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_plane(soothi_import_reader *r, soothi_import_columns *c,
                                                       size_t tree, soothi_ensemble_node *leaf, uint32_t *at,
                                                       uint32_t *record, size_t room, size_t *used) {
    const double most = 1e30;
    double constant, count, feature, slope;
    uint32_t terms = 0;
    *at = 0;
    if (!soothi_import_take(c, 9, 0, 0.0, &constant)) return soothi_import_short(c, 9, tree);
    if (!soothi_import_take(c, 10, 0, 0.0, &count) || !soothi_import_index(count, 4294967295.0, &terms))
        return soothi_import_short(c, 10, tree);
    if (terms == 0) {
        leaf->value = constant;
        return SOOTH_OK;
    }
    if (terms >= room - *used) return soothi_import_short(c, 12, tree);
    soothi_linear_leaf *plane = (soothi_linear_leaf *)(void *)(record + SOOTHI_LINEAR_LEAF_WORDS * *used);
    soothi_linear_leaf_term *term = (soothi_linear_leaf_term *)(void *)(plane + 1);
    soothi_ensemble_halve(constant, &plane->at, &plane->low);
    plane->terms = terms;
    plane->most = (float)(soothi_abs(constant) + most * terms);
    plane->least = -plane->most;
    for (uint32_t k = 0; k < terms; ++k) {
        if (!soothi_import_take(c, 11, 0, 0.0, &feature) ||
            !soothi_import_index(feature, (double)r->builder.shape.features - 1.0, &term[k].feature))
            return soothi_import_short(c, 11, tree);
        if (r->origins.zero && soothi_abs(r->origins.zero[term[k].feature]) > 0.0)
            return soothi_import_fail(
                &r->doc, c->list[11].at,
                "tree %z has a linear leaf of feature %u, whose numbers need more digits "
                "than floats have; subtract %g from this column and train again",
                tree, term[k].feature + 1, r->origins.zero[term[k].feature]);
        if (!soothi_import_take(c, 12, 0, 0.0, &slope)) return soothi_import_short(c, 12, tree);
        if (!(soothi_abs(slope) <= most) || !(soothi_abs(constant) <= most))
            return soothi_import_fail(
                &r->doc, c->list[12].at,
                "tree %z has the slope %g and the leaf_const %g, but both must be within +-1e30", tree, slope,
                constant);
        soothi_ensemble_halve(slope, &term[k].slope, &term[k].center);
        term[k].to = (float)(soothi_abs(slope) > 1.0 ? most / soothi_abs(slope) : most);
        term[k].from = -term[k].to;
    }
    *at = (uint32_t)*used + 1;
    *used += 1 + (size_t)terms;
    return SOOTH_OK;
}

/* Reads the linear leaves of a tree whose nodes have been read, with leaves after the splits. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_planes(soothi_import_reader *r, soothi_import_columns *c,
                                                        size_t leaves, size_t tree) {
    const size_t count = 2 * leaves - 1, room = leaves + soothi_import_count(&r->doc, c->list[12]);
    soothi_ensemble_tree_planes planes;
    size_t used = 0;
    unsigned k;
    for (k = 9; k < 13; ++k)
        if (!c->list[k].end) return soothi_import_short(c, k, tree);
    uint32_t *at = (uint32_t *)soothi_import_room_for(r->doc.env, &r->planes,
                                                      count + SOOTHI_LINEAR_LEAF_WORDS * room, sizeof *at);
    sooth_status status = at ? soothi_ensemble_open_planes(&r->builder) : SOOTH_NO_MEMORY;
    for (size_t i = leaves - 1; i < count && status == SOOTH_OK; ++i)
        status = soothi_import_lightgbm_plane(r, c, tree, r->node + i, at + i, at + count, room, &used);
    if (status == SOOTH_OK && (k = soothi_import_left(c, 13)) < 13) status = soothi_import_short(c, k, tree);
    if (status != SOOTH_OK) return status;
    planes.at = at;
    planes.record = at + count;
    return soothi_import_blame(soothi_ensemble_add_tree(&r->builder, r->node, count, NULL, &planes));
}

SOOTHI_LOCAL sooth_status soothi_import_lightgbm_tree(soothi_import_reader *r, soothi_import_columns *c,
                                                      size_t tree, int linear) {
    size_t i;
    unsigned k;
    soothi_import_columns_open(c);
    const size_t leaves = soothi_import_count(&r->doc, c->list[7]);
    if (leaves == 0) return soothi_import_short(c, 7, tree);
    for (k = 0; k < 5 && leaves > 1; ++k)
        if (!c->items[k].close) return soothi_import_short(c, k, tree);
    uint32_t sets = 0;
    sooth_status status = soothi_import_begin_tree(r, 2 * leaves - 1);
    if (status == SOOTH_OK) status = soothi_import_lightgbm_sets(r, c, tree, &sets);
    for (i = 0; i + 1 < leaves && status == SOOTH_OK; ++i)
        status = soothi_import_lightgbm_node(r, c, i, leaves, tree, sets);
    for (; i < 2 * leaves - 1 && status == SOOTH_OK; ++i) {
        double cover = 0.0;
        if (!soothi_import_take(c, 7, 0, 0.0, &r->node[i].value)) return soothi_import_short(c, 7, tree);
        if (c->items[8].close && !soothi_import_take(c, 8, 0, 0.0, &cover) && leaves > 1)
            return soothi_import_short(c, 8, tree);
        r->node[i].cover = (float)cover;
    }
    if (status == SOOTH_OK && leaves > 1 && (k = soothi_import_left(c, 9)) < 9)
        return soothi_import_short(c, k, tree);
    if (linear && status == SOOTH_OK) return soothi_import_lightgbm_planes(r, c, leaves, tree);
    return soothi_import_add(r, 2 * leaves - 1, status);
}

/* Checks the line Tree=k: trees are numbered from 0. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_turn(const soothi_import_doc *doc, soothi_import_value key,
                                                      soothi_import_value v, size_t tree) {
    double number = -1.0;
    uint32_t k = 0;
    if (soothi_import_number(doc, v, 0, &number) && soothi_import_index(number, 4294967295.0, &k) &&
        k == tree)
        return SOOTH_OK;
    return soothi_import_fail(doc, key.at, "found Tree=%g, but expected Tree=%z", number, tree);
}

/* Reads the lines of a tree, until the next tree or the end. *at: its first line, then the line after the
   last. *more: another tree follows. *planes: it has linear leaves. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_lines(const soothi_import_doc *doc, size_t *at, size_t tree,
                                                       soothi_import_columns *c, int *more, int *planes) {
    soothi_import_value key, v, linear = {0, 0, 0};
    size_t from;
    memset(c, 0, sizeof *c);
    c->doc = doc;
    c->at = *at;
    c->keys = SOOTHI_IMPORT_LIGHTGBM_TREE;
    for (;;) {
        from = *at;
        if (!soothi_import_line(doc, at, &key, &v))
            return soothi_import_fail(doc, from, "the file is incomplete: \"end of trees\" is missing");
        *more = soothi_import_is(doc, key, "Tree");
        if (*more && soothi_import_lightgbm_turn(doc, key, v, tree + 1) != SOOTH_OK) return SOOTH_BAD_TEXT;
        /* "feature importances:" ended version 2 */
        if (*more || soothi_import_word(doc, key.at, "end of trees") ||
            soothi_import_word(doc, key.at, "feature importances:"))
            break;
        soothi_import_match(doc, key, v, SOOTHI_IMPORT_LIGHTGBM_TREE, c->list);
        soothi_import_match(doc, key, v, "is_linear", &linear);
    }
    *planes = linear.end && !soothi_import_is(doc, linear, "0");
    if (*planes && !soothi_import_is(doc, linear, "1"))
        return soothi_import_fail(doc, linear.at, "is_linear of tree %z must be 0 or 1", tree);
    if (!c->list[7].end) return soothi_import_fail(doc, from, "tree %z has no leaf_value", tree);
    return SOOTH_OK;
}

/* Reads the lines after the trees: the parameters, and the categories of pandas. The latter are JSON. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_end(soothi_import_reader *r, size_t at,
                                                     soothi_import_value infos, uint32_t features) {
    static const char names[] = "pandas_categorical:", list[] = "[categorical_feature: ";
    soothi_import_doc json = r->doc;
    soothi_import_value key, v, pandas = {0, 0, 0}, listed = {0, 0, 0};
    size_t from;
    json.syntax = SOOTHI_IMPORT_JSON;
    for (from = at; soothi_import_line(&r->doc, &at, &key, &v); from = at) {
        if (soothi_import_word(&r->doc, from, list)) {
            listed.at = from + sizeof list - 1;
            listed.end = key.end - 1;
        }
        if (!soothi_import_word(&r->doc, from, names)) continue;
        pandas.at = from + sizeof names - 1;
        pandas.end = soothi_import_skip(&json, pandas.at, 0, 0);
        if (!pandas.end) return SOOTH_BAD_TEXT;
    }
    return soothi_import_lightgbm_levels(&r->doc, pandas, infos, listed, features,
                                         soothi_import_categories_of(r));
}

SOOTHI_LOCAL sooth_status soothi_import_lightgbm(soothi_import_reader *r) {
    const soothi_import_doc *doc = &r->doc;
    soothi_import_value key, v, part[5];
    soothi_import_columns c;
    uint32_t most = 0, targets = 1, link = 0;
    uint32_t flags = SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW | SOOTH_ENSEMBLE_ZEROS;
    size_t at = 0;
    int more = 1, linear = 0;
    memset(part, 0, sizeof part);
    for (;;) {
        if (!soothi_import_line(doc, &at, &key, &v))
            return soothi_import_fail(doc, doc->size, "the file is incomplete: it has no tree");
        if (soothi_import_is(doc, key, "Tree")) break;
        if (soothi_import_is(doc, key, "average_output")) flags |= SOOTH_ENSEMBLE_MEAN;
        soothi_import_match(doc, key, v,
                            "max_feature_idx num_tree_per_iteration objective feature_names "
                            "feature_infos",
                            part);
    }
    soothi_import_objective(r, part[2]);
    r->origins.doubles = 1;
    r->origins.infos = part[4];
    sooth_status status = soothi_import_lightgbm_turn(doc, key, v, 0);
    if (status == SOOTH_OK) status = soothi_import_lightgbm_link(doc, part[2], &link);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, part[0], 0, "max_feature_idx", 0, &most);
    if (status == SOOTH_OK)
        status = soothi_import_whole(doc, part[1], 0, "num_tree_per_iteration", 1, &targets);
    if (status == SOOTH_OK && most == UINT32_MAX)
        return soothi_import_fail(doc, part[0].at, "max_feature_idx is %u", most);
    if (status == SOOTH_OK) status = soothi_import_begin(r, part[0].at, most + 1, targets, flags, link);
    for (size_t tree = 0; more && status == SOOTH_OK; ++tree) {
        status = soothi_import_lightgbm_lines(doc, &at, tree, &c, &more, &linear);
        if (status == SOOTH_OK) status = soothi_import_lightgbm_tree(r, &c, tree, linear);
    }
    if (status == SOOTH_OK) status = soothi_import_names(r, part[3], most + 1);
    return status == SOOTH_OK ? soothi_import_lightgbm_end(r, at, part[4], most + 1) : status;
}

/* ---- scikit-learn ---- */

/* Adds one tree per target: leaves keep their low parts, which leaves with several targets do not have. */
SOOTHI_LOCAL sooth_status soothi_import_sklearn_tree(soothi_import_reader *r, soothi_import_value object,
                                                     size_t tree, uint32_t targets) {
    soothi_import_columns c;
    unsigned k;
    soothi_import_columns_find(&c, &r->doc, object,
                               "left right feature threshold missing_left gain cover value");
    for (k = 0; k < 8; ++k)
        if ((k < 4 || k == 7) && !c.items[k].close) return soothi_import_short(&c, k, tree);
    size_t count = soothi_import_count(&r->doc, c.list[0]);
    if (count > soothi_import_count(&r->doc, c.list[7]) / targets) return soothi_import_short(&c, 7, tree);
    sooth_status status = soothi_import_begin_tree(r, count);
    if (status != SOOTH_OK) return status;
    double *value = (double *)soothi_import_room_for(r->doc.env, &r->values, soothi_product(count, targets),
                                                     sizeof(double));
    if (!value) return SOOTH_NO_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        soothi_ensemble_node *node = r->node + i;
        double number[7];
        for (k = 0; k < 7; ++k)
            if (!soothi_import_take(&c, k, 0, 0.0, &number[k])) return soothi_import_short(&c, k, tree);
        for (uint32_t t = 0; t < targets; ++t)
            if (!soothi_import_take(&c, 7, 0, 0.0, &value[i * targets + t]))
                return soothi_import_short(&c, 7, tree);
        node->cover = (float)number[6];
        if (number[0] < 0.0) continue;
        if (soothi_import_inner(&c, number, i, count, tree, node) != SOOTH_OK) return SOOTH_BAD_TEXT;
        node->threshold = soothi_import_threshold(&r->origins, r->doc.env, node->feature, number[3]);
    }
    k = soothi_import_left(&c, 8);
    if (k < 8) return soothi_import_short(&c, k, tree);
    for (uint32_t t = 0; t < targets && status == SOOTH_OK; ++t) {
        for (size_t i = 0; i < count; ++i) {
            r->node[i].value = value[i * targets + t];
            if (t == 1) r->node[i].gain = 0.0; /* counted once */
        }
        status = soothi_import_add(r, count, status);
    }
    return status;
}

SOOTHI_LOCAL sooth_status soothi_import_sklearn(soothi_import_reader *r, soothi_import_value root) {
    const soothi_import_doc *doc = &r->doc;
    soothi_import_value part[8], v;
    uint32_t features = 0, targets = 1, link = SOOTH_ENSEMBLE_LINK_IDENTITY;
    uint32_t flags = SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW;
    double number = 0.0;
    size_t tree;
    soothi_import_find(doc, root, "features targets base mean link feature_names trees model", 8, part);
    soothi_import_objective(r, part[7]);
    r->origins.doubles = soothi_import_is(doc, part[7], "HistGradientBoostingRegressor"); /* others: floats */
    if (soothi_import_number(doc, part[3], 0, &number) && number > 0.0) flags |= SOOTH_ENSEMBLE_MEAN;
    if (soothi_import_is(doc, part[4], "exp")) link = SOOTH_ENSEMBLE_LINK_EXP;
    else if (soothi_import_is(doc, part[4], "logistic")) link = SOOTH_ENSEMBLE_LINK_LOGISTIC;
    else if (part[4].end && !soothi_import_is(doc, part[4], "identity"))
        return soothi_import_fail(doc, part[4].at, "link must be identity, exp or logistic");
    sooth_status status = soothi_import_whole(doc, part[0], root.at, "features", 0, &features);
    if (status == SOOTH_OK) status = soothi_import_whole(doc, part[1], 0, "targets", 1, &targets);
    if (status == SOOTH_OK) status = soothi_import_begin(r, part[0].at, features, targets, flags, link);
    if (status != SOOTH_OK) return status;
    soothi_import_items items = soothi_import_open(doc, part[2], '[');
    for (uint32_t t = 0; soothi_import_next(doc, &items, NULL, &v); ++t) {
        if (t >= targets || !soothi_import_number(doc, v, 0, &number) || !soothi_finite(number))
            return soothi_import_fail(doc, v.at, "base must have a number for each of %u targets", targets);
        soothi_ensemble_set_base(&r->builder, t, number);
    }
    items = soothi_import_open(doc, part[6], '[');
    for (tree = 0; status == SOOTH_OK && soothi_import_next(doc, &items, NULL, &v); ++tree)
        status = soothi_import_sklearn_tree(r, v, tree, targets);
    if (status == SOOTH_OK && tree == 0)
        return soothi_import_fail(doc, part[6].end ? part[6].at : root.at, "the model has no trees");
    return status == SOOTH_OK ? soothi_import_names(r, part[5], features) : status;
}

/* ---- CatBoost ---- */

/* Known before the trees are read: by feature_index of numbers and of categories, the position in a row
   (flat_feature_index) + 1, and 1 if missing values go right. */
typedef struct soothi_import_catboost {
    uint32_t *place[2], *right[2], count[2], features, targets;
    double scale;
} soothi_import_catboost;

enum { SOOTHI_IMPORT_HASHED = 10000, SOOTHI_IMPORT_SLOTS = 16384 };

/* Computes CatBoost's hash of the integer c < 10000, as text: 32 bits of CityHash64 (Pike, Alakuijala 2011,
   version 1), of at most four characters. */
SOOTHI_LOCAL uint32_t soothi_import_hash(uint32_t c) {
    const uint64_t k2 = ((uint64_t)0x9AE16A3Bu << 32) + 0x2F90404Fu;
    const uint64_t k3 = ((uint64_t)0xC949D7C7u << 32) + 0x509E6557u;
    const uint64_t mix = ((uint64_t)0x9DDFEA08u << 32) + 0xEB382D69u;
    char text[SOOTH_TEXT_NUMBER_SIZE];
    const size_t n = soothi_text_whole(text, c, 0);
    uint64_t h;
    if (n < 4) {
        const uint32_t y = (uint32_t)text[0] + ((uint32_t)text[n / 2] << 8);
        const uint32_t z = (uint32_t)n + ((uint32_t)text[n - 1] << 2);
        h = (y * k2) ^ (z * k3);
        h = (h ^ (h >> 47)) * k2;
    } else {
        const uint64_t all = (uint64_t)text[0] + ((uint64_t)text[1] << 8) + ((uint64_t)text[2] << 16) +
                             ((uint64_t)text[3] << 24);
        h = ((4 + (all << 3)) ^ all) * mix;
        h = ((h ^ (h >> 47)) ^ all) * mix;
        h = (h ^ (h >> 47)) * mix;
    }
    return (uint32_t)h;
}

/* Returns the integers 0 .. 9999, each + 1, in a table with open addressing by their hashes. */
SOOTHI_LOCAL const uint16_t *soothi_import_hashes(soothi_import_reader *r) {
    if (r->hashes.memory) return (const uint16_t *)r->hashes.memory;
    uint16_t *slot = (uint16_t *)soothi_import_room_for(r->doc.env, &r->hashes, SOOTHI_IMPORT_SLOTS, 2);
    for (uint32_t c = 0; slot && c < SOOTHI_IMPORT_HASHED; ++c) {
        uint32_t k = soothi_import_hash(c) % SOOTHI_IMPORT_SLOTS;
        while (slot[k]) k = (k + 1) % SOOTHI_IMPORT_SLOTS;
        slot[k] = (uint16_t)(c + 1);
    }
    return slot;
}

/* Reads the list of numbers (0) or of categories (1). */
SOOTHI_LOCAL sooth_status soothi_import_catboost_features(soothi_import_reader *r, soothi_import_value list,
                                                          int which, soothi_import_catboost *m) {
    soothi_import_items items = soothi_import_open(&r->doc, list, '[');
    soothi_import_value v, part[3];
    double number = -1.0, place = -1.0;
    while (soothi_import_next(&r->doc, &items, NULL, &v)) {
        uint32_t k = 0, flat = 0;
        soothi_import_find(&r->doc, v, "feature_index flat_feature_index nan_value_treatment", 3, part);
        if (!soothi_import_number(&r->doc, part[0], 0, &number) ||
            !soothi_import_index(number, (double)m->count[which] - 1.0, &k) ||
            !soothi_import_number(&r->doc, part[1], 0, &place) ||
            !soothi_import_index(place, 4294967293.0, &flat))
            return soothi_import_fail(&r->doc, v.at, "a feature has no feature_index or flat_feature_index");
        m->place[which][k] = flat + 1;
        m->right[which][k] = (uint32_t)soothi_import_is(&r->doc, part[2], "AsTrue");
        if (flat >= m->features) m->features = flat + 1;
    }
    return SOOTH_OK;
}

/* Reads one split, shared by every node of a level. Numbers above a border go right. The category of a hash
   goes right too: the caller swaps the children. word: zeroed memory for its set. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_split(soothi_import_reader *r,
                                                       const soothi_import_catboost *m, soothi_import_value v,
                                                       size_t tree, uint32_t *word,
                                                       soothi_ensemble_node *node) {
    soothi_import_doc *doc = &r->doc;
    soothi_import_value part[5];
    double number = 0.0, which = -1.0;
    uint32_t k = 0;
    soothi_import_find(doc, v, "split_type float_feature_index border cat_feature_index value", 5, part);
    const int hashed = soothi_import_is(doc, part[0], "OneHotFeature");
    if (!hashed && !soothi_import_is(doc, part[0], "FloatFeature"))
        return soothi_import_unsupported(
            doc, part[0], v.at, "split",
            "numbers and one-hot categories are read, CTRs (statistics of categories) are not: train with a "
            "one_hot_max_size above the number of categories");
    if (!soothi_import_number(doc, part[hashed ? 3 : 1], 0, &which) ||
        !soothi_import_number(doc, part[hashed ? 4 : 2], !hashed, &number) ||
        !soothi_import_index(which, (double)m->count[hashed] - 1.0, &k) || !m->place[hashed][k])
        return soothi_import_fail(doc, v.at, "a split of tree %z has no feature, or no %s", tree,
                                  hashed ? "value" : "border");
    node->feature = m->place[hashed][k] - 1;
    node->missing_right = m->right[hashed][k];
    if (!hashed) {
        node->threshold = (float)number;
        return SOOTH_OK;
    }
    uint32_t hash = 0;
    const uint16_t *slot = soothi_import_hashes(r);
    if (!slot) return SOOTH_NO_MEMORY;
    if (soothi_import_index(number < 0.0 ? -number : number, 4294967295.0, &hash)) {
        hash = number < 0.0 ? 0u - hash : hash;
        for (k = hash; slot[k % SOOTHI_IMPORT_SLOTS]; ++k) {
            const uint32_t c = slot[k % SOOTHI_IMPORT_SLOTS] - 1u;
            if (soothi_import_hash(c) != hash) continue;
            word[c / 32] = 1u << (c & 31u);
            node->set_words = c / 32 + 1;
            break; /* no two of these integers share a hash */
        }
    }
    if (!node->set_words)
        return soothi_import_fail(doc, v.at,
                                  "a split of tree %z tests a category with the hash %g, but no integer from "
                                  "0 to 9999 has this hash; categories must be such integers",
                                  tree, number);
    node->set = word;
    return SOOTH_OK;
}

/* Reads the splits of a tree into split[0..depth), one per level. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_splits(soothi_import_reader *r,
                                                        const soothi_import_catboost *m,
                                                        soothi_import_value list, size_t depth, size_t tree,
                                                        soothi_ensemble_node *split) {
    const size_t words = (SOOTHI_IMPORT_HASHED + 31) / 32;
    soothi_import_items items = soothi_import_open(&r->doc, list, '[');
    soothi_import_value v;
    uint32_t *word =
        (uint32_t *)soothi_import_room_for(r->doc.env, &r->sets, depth * words + 1, sizeof *word);
    sooth_status status = word ? SOOTH_OK : SOOTH_NO_MEMORY;
    memset(split, 0, depth * sizeof *split);
    for (; status == SOOTH_OK && soothi_import_next(&r->doc, &items, NULL, &v); ++split, word += words)
        status = soothi_import_catboost_split(r, m, v, tree, word, split);
    return status;
}

/* The result of split k is bit k of the leaf's index: the last split is the root's. Each target gets a tree
   with value[leaf x targets + t]. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_tree(soothi_import_reader *r,
                                                      const soothi_import_catboost *m,
                                                      soothi_import_value object, size_t tree) {
    soothi_import_doc *doc = &r->doc;
    soothi_import_value part[3], v;
    soothi_ensemble_node split[24];
    soothi_import_find(doc, object, "splits leaf_values leaf_weights", 3, part);
    const size_t depth = soothi_import_count(doc, part[0]), values = soothi_import_count(doc, part[1]);
    if (depth > 24 || values != m->targets * ((uint64_t)1 << depth))
        return soothi_import_fail(doc, object.at, "tree %z has %z splits but %z leaf_values for %u targets",
                                  tree, depth, values, m->targets);
    const size_t leaves = (size_t)1 << depth;
    sooth_status status = soothi_import_catboost_splits(r, m, part[0], depth, tree, split);
    if (status == SOOTH_OK) status = soothi_import_begin_tree(r, 2 * leaves - 1);
    if (status != SOOTH_OK) return status;
    for (size_t level = 0; level < depth; ++level)
        for (size_t k = ((size_t)1 << level) - 1; k < ((size_t)2 << level) - 1; ++k) {
            soothi_ensemble_node *node = r->node + k;
            *node = split[depth - 1 - level];
            node->left = (uint32_t)(2 * k + 1);
            node->right = (uint32_t)(2 * k + 2);
            if (!node->set) continue;
            soothi_import_turn(node);
            node->missing_right = 1; /* a missing value is not in the set */
        }
    soothi_import_items weights = soothi_import_open(doc, part[2], '[');
    for (size_t k = leaves - 1; k < 2 * leaves - 1 && weights.close; ++k) {
        double weight = 0.0;
        if (!soothi_import_next(doc, &weights, NULL, &v) || !soothi_import_number(doc, v, 0, &weight))
            return soothi_import_fail(doc, part[2].at, "tree %z has fewer leaf_weights than leaves", tree);
        r->node[k].cover = (float)weight;
    }
    for (size_t k = leaves - 1; k-- > 0;)
        r->node[k].cover = r->node[2 * k + 1].cover + r->node[2 * k + 2].cover;
    for (uint32_t t = 0; t < m->targets && status == SOOTH_OK; ++t) {
        soothi_import_items items = soothi_import_open(doc, part[1], '[');
        for (size_t i = 0; i < values; ++i) {
            double value = 0.0;
            soothi_import_next(doc, &items, NULL, &v);
            if (!soothi_import_number(doc, v, 0, &value))
                return soothi_import_fail(doc, part[1].at, "a leaf value of tree %z is not a number", tree);
            if (i % m->targets == t) r->node[leaves - 1 + i / m->targets].value = value * m->scale;
        }
        status = soothi_import_add(r, 2 * leaves - 1, status);
    }
    return status;
}

/* Derives the link from the objective, model_info.params.loss_function.type, which may be missing. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_link(soothi_import_reader *r, soothi_import_value info,
                                                      uint32_t *link) {
    static const char of[3][224] = {"RMSE MAE Quantile LogLinQuantile MAPE Lq Huber Expectile LogCosh "
                                    "MultiRMSE MultiRMSEWithMissingValues "
                                    "MultiQuantile QueryRMSE QuerySoftMax YetiRank YetiRankPairwise "
                                    "PairLogit PairLogitPairwise LambdaMart "
                                    "StochasticRank",
                                    "Poisson Tweedie",
                                    "Logloss CrossEntropy MultiLogloss MultiCrossEntropy MultiClassOneVsAll"};
    soothi_import_value params, loss, type;
    soothi_import_find(&r->doc, info, "params", 1, &params);
    soothi_import_find(&r->doc, params, "loss_function", 1, &loss);
    soothi_import_find(&r->doc, loss, "type", 1, &type);
    soothi_import_objective(r, type);
    *link = SOOTH_ENSEMBLE_LINK_IDENTITY;
    for (uint32_t k = 0; type.end && k < 3; ++k)
        if (soothi_import_is(&r->doc, type, of[k])) {
            *link = k;
            return SOOTH_OK;
        }
    if (!type.end) return SOOTH_OK;
    return soothi_import_unsupported(&r->doc, type, info.at, "loss_function",
                                     "regression, rank and two classes are read");
}

/* scale_and_bias is [scale, [a bias for each target]] or [scale, bias]. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_bias(soothi_import_reader *r, soothi_import_value list,
                                                      soothi_import_catboost *m) {
    soothi_import_items items = soothi_import_open(&r->doc, list, '[');
    soothi_import_value v;
    double bias = 0.0;
    uint32_t n = 0;
    m->scale = 1.0;
    if (!list.end) return SOOTH_OK;
    if (soothi_import_next(&r->doc, &items, NULL, &v) && soothi_import_number(&r->doc, v, 0, &m->scale) &&
        soothi_import_next(&r->doc, &items, NULL, &v)) {
        const int alone = soothi_import_number(&r->doc, v, 0, &bias);
        if (alone) soothi_ensemble_set_base(&r->builder, n++, bias);
        else items = soothi_import_open(&r->doc, v, '[');
        for (; !alone && n < m->targets && soothi_import_next(&r->doc, &items, NULL, &v) &&
               soothi_import_number(&r->doc, v, 0, &bias) && soothi_finite(bias);
             ++n)
            soothi_ensemble_set_base(&r->builder, n, bias);
    }
    if (n == m->targets && soothi_finite(m->scale) && soothi_finite(bias)) return SOOTH_OK;
    return soothi_import_fail(&r->doc, list.at,
                              "scale_and_bias must be a scale and a bias for each of %u targets", m->targets);
}

/* Copies the names of the features from two lists, in the order of a row. Leaves them out unless all have
   one. */
SOOTHI_LOCAL sooth_status soothi_import_catboost_names(soothi_import_reader *r,
                                                       const soothi_import_value *list, uint32_t features) {
    const size_t bytes = soothi_product(features, sizeof(char *) + 1) + r->doc.size;
    sooth_import *out = r->out;
    uint32_t named = 0;
    char *text = NULL;
    for (int pass = 0;; ++pass) {
        for (int which = 0; which < 2; ++which) {
            soothi_import_items items = soothi_import_open(&r->doc, list[which], '[');
            soothi_import_value v, part[2];
            double place = 0.0;
            while (soothi_import_next(&r->doc, &items, NULL, &v)) {
                size_t at, end;
                soothi_import_find(&r->doc, v, "feature_id flat_feature_index", 2, part);
                if (!soothi_import_text(&r->doc, part[0], &at, &end) || at == end) continue;
                named += !pass;
                if (!pass) continue;
                soothi_import_number(&r->doc, part[1], 0, &place);
                out->feature_names[(size_t)place] = text;
                text += soothi_import_copy(&r->doc, part[0], 0, text);
                *text++ = 0;
            }
        }
        if (pass || named != features) return SOOTH_OK;
        out->feature_names = (const char **)sooth_alloc(r->doc.env, 1, bytes);
        if (!out->feature_names) return sooth_no_memory(r->doc.env, "the names", bytes);
        out->names = features;
        out->name_size = bytes;
        out->name_text = text = (char *)(void *)(out->feature_names + features);
        for (uint32_t k = 0; k < features; ++k) out->feature_names[k] = text;
        *text++ = 0; /* "" if another feature has claimed the same position */
    }
}

SOOTHI_LOCAL sooth_status soothi_import_catboost_model(soothi_import_reader *r, soothi_import_value root) {
    soothi_import_doc *doc = &r->doc;
    soothi_import_value part[5], list[2], first[2], v;
    soothi_import_catboost m;
    uint32_t link;
    size_t tree;
    memset(&m, 0, sizeof m);
    soothi_import_find(doc, root, "features_info oblivious_trees scale_and_bias model_info trees", 5, part);
    if (!part[1].end)
        return soothi_import_fail(
            doc, part[4].end ? part[4].at : root.at,
            "this CatBoost model has no oblivious_trees; other trees (grow_policy) cannot be imported");
    soothi_import_find(doc, part[0], "float_features categorical_features", 2, list);
    size_t counts[2];
    for (int k = 0; k < 2; ++k) counts[k] = soothi_import_count(doc, list[k]);
    uint32_t *room =
        (uint32_t *)soothi_import_room_for(doc->env, &r->map, 2 * (counts[0] + counts[1]) + 1, 4);
    if (!room) return SOOTH_NO_MEMORY;
    sooth_status status = SOOTH_OK;
    for (int k = 0; k < 2 && status == SOOTH_OK; ++k) {
        m.count[k] = (uint32_t)counts[k];
        m.place[k] = room;
        m.right[k] = room + counts[k];
        room += 2 * counts[k];
        status = soothi_import_catboost_features(r, list[k], k, &m);
    }
    if (status == SOOTH_OK) status = soothi_import_catboost_link(r, part[3], &link);
    if (status != SOOTH_OK) return status;
    soothi_import_items items = soothi_import_open(doc, part[1], '[');
    if (!soothi_import_next(doc, &items, NULL, &v))
        return soothi_import_fail(doc, part[1].at, "the model has no trees");
    soothi_import_find(doc, v, "splits leaf_values", 2, first);
    const size_t depth = soothi_import_count(doc, first[0]);
    m.targets = depth > 24 ? 0 : (uint32_t)(soothi_import_count(doc, first[1]) >> depth);
    status = soothi_import_begin(r, part[0].end ? part[0].at : root.at, m.features, m.targets,
                                 SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW, link);
    if (status == SOOTH_OK) status = soothi_import_catboost_bias(r, part[2], &m);
    items = soothi_import_open(doc, part[1], '[');
    for (tree = 0; status == SOOTH_OK && soothi_import_next(doc, &items, NULL, &v); ++tree)
        status = soothi_import_catboost_tree(r, &m, v, tree);
    return status == SOOTH_OK ? soothi_import_catboost_names(r, list, m.features) : status;
}

/* ---- reading ---- */

/* Returns 1 if the file is ONNX: a protocol buffer that begins with ir_version, then a text or a list. */
SOOTHI_LOCAL int soothi_import_is_onnx(const soothi_import_doc *doc) {
    const unsigned char *byte = (const unsigned char *)doc->text;
    return doc->size > 3 && byte[0] == 0x08 && byte[1] > 0 && byte[1] < 0x40 &&
           (byte[2] == 0x12 || byte[2] == 0x1A || byte[2] == 0x3A || byte[2] == 0x42);
}

SOOTHI_LOCAL sooth_status soothi_import_onnx_model(soothi_import_reader *r); /* import/onnx.h */

/* Fails if the file has a binary format that is known, and names what to save instead. */
SOOTHI_LOCAL sooth_status soothi_import_foreign(const soothi_import_doc *doc) {
    const unsigned char *byte = (const unsigned char *)doc->text;
    if (soothi_import_word(doc, 0, "CBM1"))
        return soothi_import_fail(doc, 0,
                                  "this is CatBoost's binary format (.cbm), which cannot be imported; save "
                                  "the model with save_model(FILE, format=\"json\")");
    if (soothi_import_word(doc, 0, "binf"))
        return soothi_import_fail(doc, 0,
                                  "this is XGBoost's old binary format, which cannot be imported; load it "
                                  "there and save it as JSON with save_model(\"FILE.json\")");
    if (doc->size && byte[0] == 0x80)
        return soothi_import_fail(doc, 0,
                                  "this is a Python pickle, which cannot be imported; use save_model of "
                                  "XGBoost or LightGBM, or sklearn_to_json.py");
    return SOOTH_OK;
}

/* Detects the format unless it is given, and reads the file. */
SOOTHI_LOCAL sooth_status soothi_import_dispatch(soothi_import_reader *r, sooth_import_format format) {
    soothi_import_doc *doc = &r->doc;
    soothi_import_value root = {0, 0, 0}, part[4];
    if (format == SOOTH_IMPORT_LIGHTGBM ||
        (format == SOOTH_IMPORT_ANY && soothi_import_word(doc, 0, "tree"))) {
        r->out->format = SOOTH_IMPORT_LIGHTGBM;
        doc->syntax = SOOTHI_IMPORT_LINES;
        return soothi_import_lightgbm(r);
    }
    if (format == SOOTH_IMPORT_ONNX || (format == SOOTH_IMPORT_ANY && soothi_import_is_onnx(doc))) {
        r->out->format = SOOTH_IMPORT_ONNX;
        doc->syntax = SOOTHI_IMPORT_PROTOBUF;
        return soothi_import_onnx_model(r);
    }
    if (format == SOOTH_IMPORT_XGBOOST_UBJ || (format == SOOTH_IMPORT_ANY && doc->size > 1 &&
                                               doc->text[0] == '{' && soothi_import_ubj_width(doc->text[1])))
        doc->syntax = SOOTHI_IMPORT_UBJ;
    else root.at = soothi_import_blanks(doc, 0);
    if (soothi_import_char(doc, root.at) == '"')
        return soothi_import_fail(doc, root.at,
                                  "this is a JSON string that contains JSON; write the object itself");
    if (soothi_import_foreign(doc) != SOOTH_OK) return SOOTH_BAD_TEXT;
    if (soothi_import_char(doc, root.at) != '{')
        return soothi_import_fail(doc, root.at,
                                  "this is not JSON, UBJ, ONNX or the text of LightGBM or LIBSVM");
    root.end = soothi_import_skip(doc, root.at, 0, 0);
    if (!root.end) return SOOTH_BAD_TEXT;
    if (doc->syntax == SOOTHI_IMPORT_JSON && soothi_import_blanks(doc, root.end) < doc->size)
        return soothi_import_fail(doc, soothi_import_blanks(doc, root.end),
                                  "there is text after the last bracket");
    soothi_import_find(doc, root, "learner sklearn oblivious_trees features_info", 4, part);
    r->out->format = doc->syntax == SOOTHI_IMPORT_UBJ ? SOOTH_IMPORT_XGBOOST_UBJ
                     : part[1].end                    ? SOOTH_IMPORT_SKLEARN
                     : part[2].end || part[3].end     ? SOOTH_IMPORT_CATBOOST
                                                      : SOOTH_IMPORT_XGBOOST_JSON;
    if (format != SOOTH_IMPORT_ANY && format != r->out->format)
        return soothi_import_fail(doc, root.at, "this model is from another library than the given format");
    if (r->out->format == SOOTH_IMPORT_SKLEARN) return soothi_import_sklearn(r, root);
    if (r->out->format == SOOTH_IMPORT_CATBOOST) return soothi_import_catboost_model(r, root);
    if (!part[0].end)
        return soothi_import_fail(doc, root.at,
                                  "this is not a model: it has no \"learner\" (XGBoost), \"sklearn\" or "
                                  "\"oblivious_trees\" (CatBoost)");
    return soothi_import_xgboost(r, part[0]);
}

/* Reads the file once. After an error the caller empties what has been read. */
SOOTHI_LOCAL sooth_status soothi_import_run(soothi_import_reader *r) {
    sooth_import *out = r->out;
    memset(&r->categories, 0, sizeof r->categories);
    out->best_iteration = UINT32_MAX;
    sooth_status status = soothi_import_dispatch(r, (sooth_import_format)r->options.format);
    if (r->builder.env || r->builder.base) {
        if (status != SOOTH_OK && r->builder.status == SOOTH_OK) r->builder.status = status;
        status = soothi_import_blame(soothi_ensemble_end(&r->builder, &out->ensemble));
    }
    out->levels = r->categories.levels;
    out->coded = r->categories.coded;
    out->first_coded = r->categories.first_coded;
    if (status == SOOTH_OK && !out->file_trees) out->file_trees = out->ensemble->trees;
    return status;
}

SOOTH_API sooth_status sooth_import_read(sooth_env *env, const void *bytes, size_t size,
                                         const sooth_import_options *options, sooth_import *out) {
    soothi_import_reader reader;
    memset(&reader, 0, sizeof reader);
    memset(out, 0, sizeof *out);
    if (options) reader.options = *options;
    reader.doc.env = env;
    reader.doc.text = (const char *)bytes;
    reader.doc.size = size;
    reader.out = out;
    sooth_status status = soothi_import_run(&reader);
    if (status == SOOTH_OK) {
        reader.origins.names = out->feature_names;
        status = soothi_import_origins_find(&reader.origins, &reader.doc, out->ensemble->head.features);
    }
    if (status == SOOTH_OK && reader.origins.zero && !reader.options.origins)
        status = soothi_import_origins_refuse(&reader.origins, &reader.doc);
    if (status == SOOTH_OK && reader.origins.zero) { /* again, with origins */
        sooth_import_free(env, out);
        memset(&reader.builder, 0, sizeof reader.builder);
        reader.set_words = 0;
        status = soothi_import_run(&reader);
    }
    soothi_import_room_free(env, &reader.order);
    soothi_import_room_free(env, &reader.hashes);
    soothi_import_room_free(env, &reader.sets);
    soothi_import_room_free(env, &reader.planes);
    soothi_import_room_free(env, &reader.map);
    soothi_import_room_free(env, &reader.values);
    soothi_import_room_free(env, &reader.nodes);
    sooth_free(env, reader.origins.border, reader.origins.capacity, sizeof *reader.origins.border);
    out->zero = reader.origins.zero;
    out->zeros = (uint32_t)reader.origins.zeros;
    if (status != SOOTH_OK) sooth_import_free(env, out);
    return status;
}

SOOTH_API void sooth_import_free(sooth_env *env, sooth_import *import) {
    sooth_free(env, (void *)import->feature_names, 1, import->name_size);
    sooth_levels_free(env, import->levels);
    sooth_free(env, import->zero, import->zeros, sizeof *import->zero);
    sooth_ensemble_free(env, import->ensemble);
    memset(import, 0, sizeof *import);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_IMPORT_ONNX_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_ONNX_IMPLEMENTED))
#include "import/onnx.h"
#endif
