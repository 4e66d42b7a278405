/* model.h - any model behind one handle: transforms, predictor and card in one block of memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A predictor is only part of a model. A model also needs the feature transform of training, the inverse
 * transform of predictions, and the column names. An envelope is one block of these parts, each a block of
 * its own:
 *
 *   input      a sooth_scale of the features                       (preprocess/scale.h; optional)
 *   predictor  a tree, a linear model, ...                  (the kinds: SOOTH_KIND_LIST in base.h)
 *   target     a sooth_scale of the targets, inverted after predicting  (optional)
 *   card       names, units, training ranges, options, scores      (optional)
 *   interval   a sooth_conformal for each target: prediction intervals    (conformal.h; optional)
 *   adapt      a sooth_adapt: corrections from a few launches of a new program    (adapt.h; optional)
 *   levels     a sooth_levels: names and statistics of categories, applied first
 *              (preprocess/levels.h; optional)
 *   probability  a sooth_probability for two classes: maps the prediction to P(y = 1), applied last
 *                                          (model/probability.h; optional, excludes interval and adapt)
 *
 * A predictor's block by itself is a model too: pass &tree->head. A sooth_model is the sooth_block at the
 * start.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 10, 2, 20, 3, 10, 4, 20}, y[] = {8, 4, 3, 1};
 *         const char *names[] = {"threads", "MHz"};
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_scale_options logarithm = {.transform = SOOTH_SCALE_LOG};
 *         sooth_model_recipe recipe = {.model = "linear", .target = &logarithm};  // learn log(y), predict y
 *         sooth_model *model;
 *         sooth_env env;
 *         float scratch[2];                                         // for an input transform: a row
 *         table.names = names;
 *         sooth_env_init(&env);
 *         if (sooth_model_fit(&env, &table, &recipe, &model) != SOOTH_OK) return puts(env.sentence);
 *         printf("%.2f seconds\n", sooth_model_predict(model, x, scratch));
 *         printf("%u features outside\n", sooth_model_outside(model, x));  //> 0 features outside
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * The bytes of a model are its file: write model->size bytes; read and check them to load. On big-endian
 * hosts use sooth_model_save and sooth_model_load. Predicting allocates nothing. The caller provides scratch.
 * All functions are thread-safe if each thread has its own env and scratch.
 *
 * Cost
 *
 * Predicting adds about 2 ns to the predictor. Checking is two passes over the bytes. Fitting allocates a
 * copy of a transformed table, and what the predictor needs.
 */
#if !defined(SOOTH_MODEL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_IMPLEMENTED))
#include "base.h"
#include "preprocess/scale.h"
#include "model/seen.h"
#include "preprocess/levels.h"
#include "conformal.h"
#include "model/probability.h"
#include "linear.h"
#include "tree.h"
#include "forest.h"
#include "boost.h"
#include "tree/scorer.h"
#include "mlp.h"
#include "svr.h"
#include "gaussian_process.h"
#include "sofnn.h"
#include "scaling.h"
#include "adapt.h"
#endif

#ifndef SOOTH_MODEL_H
#define SOOTH_MODEL_H

SOOTHI_C_BEGIN

#define SOOTH_MODEL_VERSION 3 /* 3 with levels or a probability, 2 with an interval or adaptation, else 1 */
#define SOOTH_CARD_VERSION 1

/* Named settings that others recommend: X(name, model, options, source). A name of this list is valid
   wherever a model's name is. Options given with it override its own. */
#define SOOTH_MODEL_PRESETS(X)                                                                               \
    X("extratrees", "forest", "splitter=random no_bootstrap=1",                                              \
      "Geurts, Ernst, Wehenkel 2006; scikit-learn's ExtraTreesRegressor")                                    \
    X("xgboost", "boost", "learning_rate=0.3 max_depth=6 lambda=1 min_child_weight=1",                       \
      "XGBoost's own defaults")                                                                              \
    X("lightgbm", "boost",                                                                                   \
      "grow_policy=lossguide max_leaves=31 learning_rate=0.1 min_samples_leaf=20 min_child_weight=0.001",    \
      "LightGBM's own defaults")                                                                             \
    X("catboost", "boost",                                                                                   \
      "grow_policy=symmetric max_depth=6 n_estimators=1000 learning_rate=0.03 lambda=3",                     \
      "CatBoost's own defaults, its trees without its ordering")                                             \
    X("alavani-tree", "tree", "max_depth=14 min_samples_split=5",                                            \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-forest", "forest", "n_estimators=500 max_depth=14",                                           \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-extratrees", "forest", "splitter=random no_bootstrap=1 n_estimators=220 max_depth=16",        \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-boosting", "boost", "method=exact n_estimators=250 max_depth=5 learning_rate=0.17",           \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-xgboost", "boost",                                                                            \
      "method=exact n_estimators=500 max_depth=6 learning_rate=0.05 lambda=1 min_child_weight=1 "            \
      "subsample=0.7 colsample_bytree=0.7",                                                                  \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-catboost", "boost", "grow_policy=symmetric n_estimators=270 max_depth=8 lambda=3",            \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("moolchandani-tree", "tree", "max_depth=10", "Moolchandani et al. 2022, Table 6")                      \
    X("moolchandani-forest", "forest", "n_estimators=100 max_depth=10", "Moolchandani et al. 2022, Table 6") \
    X("moolchandani-boosting", "boost", "method=exact max_depth=3 learning_rate=0.1",                        \
      "Moolchandani et al. 2022, Table 6")                                                                   \
    X("moolchandani-mlp", "mlp",                                                                             \
      "hidden_1=100 activation=sigmoid learning_rate=0.01 epochs=500 patience=30",                           \
      "Moolchandani et al. 2022, Table 6; how it is trained is not published")                               \
    X("alavani-mlp", "mlp",                                                                                  \
      "hidden_1=64 hidden_2=64 hidden_3=128 schedule=inverse_time decay=0.5 learning_rate=0.01 epochs=100 "  \
      "dropout=0.1",                                                                                         \
      "Alavani, Desai, Saha, Sarkar 2023, Table 3 and section 5.1: its 0.5 is read as the decay, with the "  \
      "rate 0.01 of its other lines (Adam at the rate 0.5 learns nothing); dropout is not published")        \
    X("themis", "mlp",                                                                                       \
      "hidden_1=12 hidden_2=12 activation=leaky_relu output=at_least_one loss=themis learning_rate=0.003",   \
      "Zhao et al. 2019, Table IV and equation 8, with biases; two targets: both slowdowns, as in "          \
      "`sooth slowdown fit`, which adds what the neighbours do")                                             \
    X("alavani-svr", "svr", "C=200 epsilon=1 gamma=0.5",                                                     \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4; for a target in watts, unscaled: its epsilon is 1 watt; " \
      "the paper scales by MinMaxScaler, but its R2 is that of features of variance 1, as here")             \
    X("moolchandani-svr", "svr", "kernel=rbf", "Moolchandani et al. 2022, Table 6")                          \
    X("yao-sofnn", "sofnn", "order=zero growth=one_pass",                                                    \
      "Yao et al. 2021, eq. 1 to 3; growth as Leng et al. 2005")

/* Any model: the block at the start of an envelope or a predictor, with its size, features and targets. */
typedef sooth_block sooth_model;

/* ---- the blocks ---- */

/* The envelope. Offsets count from its first byte; 0 means absent. The parts follow in this order, without
   gaps. */
typedef struct sooth_envelope {
    sooth_block head;
    uint32_t input_at;
    uint32_t predictor_at;
    uint32_t target_at;
    uint32_t card_at;
} sooth_envelope;

/* The envelope from version 2 on. It has further parts, at least one of which is present. */
typedef struct sooth_model_envelope {
    sooth_envelope first;
    uint32_t interval_at; /* of the first target's block; those of the other targets follow */
    uint32_t adapt_at;
    uint32_t levels_at;      /* version 3 only */
    uint32_t probability_at; /* version 3 only, if there is neither an interval nor adaptation */
} sooth_model_envelope;

/* The description of a model. After this struct, for F features, T targets and S scores:
     words    float range[2 (F + T)]: min and max in training, of each feature and then of each target
              uint32_t text[2 F + 2 T + S + 2]: where each text begins in the region of bytes, by
              sooth_model_card_field
     doubles  score[S]
     bytes    `seen` bytes, hashes of rows (model/seen.h); the texts, each ended by a zero */
typedef struct sooth_model_card {
    sooth_block head;
    uint32_t rows;   /* training rows */
    uint32_t groups; /* number of groups; 0 means that no groups were given */
    uint32_t scores;
    uint32_t seen; /* 0 means that no hashes are stored */
} sooth_model_card;

typedef enum sooth_model_card_field {
    SOOTH_CARD_FEATURE = 0,  /* name of feature i */
    SOOTH_CARD_FEATURE_UNIT, /* its unit; any text may be "" (unknown) */
    SOOTH_CARD_TARGET,
    SOOTH_CARD_TARGET_UNIT,
    SOOTH_CARD_SCORE,   /* name of score i */
    SOOTH_CARD_OPTIONS, /* all options of the predictor: "criterion=squared max_depth=10 ..."; i is 0 */
    SOOTH_CARD_NOTE,    /* free text; i is 0 */
    SOOTH_CARD_FIELDS
} sooth_model_card_field;

/* ---- checking and predicting ---- */

/* Returns 1 if bytes[0..size) begin with a valid model, including all its parts. Then no function below reads
   out of bounds or loops forever. A checked model may come from anyone. The address must be aligned like a
   double (malloc's are). */
SOOTH_API int sooth_model_check(const void *bytes, size_t size);

/* Returns why sooth_model_check refuses these bytes, as a text for a log: cut short, changed or damaged, of a
   later format, ... Returns NULL if they are valid. Needs no env; sooth_model_load gives more detail. */
SOOTH_API const char *sooth_model_why(const void *bytes, size_t size);

/* Finds each feature among the host's names[0..count), once, before rows are built. column[j] becomes the
   index of the name of feature j < model->features, by the names on the card. The first of equal names
   counts; column[j] is UINT32_MAX if no name matches or the model has no names. Returns the number of
   features not found. A name may be NULL. O(count x features) comparisons. */
SOOTH_API uint32_t sooth_model_map(const sooth_model *model, const char *const *names, uint32_t count,
                                   uint32_t *column);

/* Returns the floats of scratch for `batch` rows at a time: batch x features with an input transform or
   statistics of levels, else 0. */
SOOTH_API size_t sooth_model_scratch(const sooth_model *model, size_t batch);

/* Predicts the first target (or P(y = 1)) for one row of model->features floats. scratch:
   sooth_model_scratch(model, 1) floats, or NULL if that is 0. For several targets, call
   sooth_model_predict_many with rows = 1. */
SOOTH_API float sooth_model_predict(const sooth_model *model, const float *row, float *scratch);

/* Computes out[i * targets + t] for rows `stride` floats apart. scratch: sooth_model_scratch(model, batch)
   floats, batch >= 1. From 16 on, predictors work on several rows at once. */
SOOTH_API void sooth_model_predict_many(const sooth_model *model, const float *x, size_t rows, size_t stride,
                                        float *out, float *scratch, size_t batch);

/* Predicts one task with every available choice (each worker, each implementation): out[i * targets + t] for
   `choices` rows. Each is a copy of `row`, except that column[k] < features, for k < columns, holds
   choice[i * columns + k]. The host fills `choice` once. scratch: batch x features floats more than
   sooth_model_scratch(model, batch). */
SOOTH_API void sooth_model_predict_choices(const sooth_model *model, const float *row, const uint32_t *column,
                                           uint32_t columns, const float *choice, size_t choices, float *out,
                                           float *scratch, size_t batch);

/* Returns the worst-case cost of one row, transforms included, and the bytes of the whole model. */
SOOTH_API sooth_cost sooth_model_cost(const sooth_model *model);

/* Returns the number of features outside their training range; 0 means that the model interpolates in every
   feature. Missing values do not count. Without a card it returns 0. */
SOOTH_API uint32_t sooth_model_outside(const sooth_model *model, const float *row);

/* Pointers to the parts of a checked model; NULL if absent. */
typedef struct sooth_model_parts {
    const sooth_scale *input;
    const sooth_block *predictor;
    const sooth_scale *target;
    const sooth_model_card *card;
    const sooth_conformal
        *interval; /* of the first target; those of the other targets follow, one after the other */
    const sooth_adapt *adapt;
    const sooth_levels *levels;
    const sooth_probability *probability;
} sooth_model_parts;

/* Finds the parts of a checked model. A bare predictor is its only part. */
SOOTH_API void sooth_model_open(const sooth_model *model, sooth_model_parts *parts);

/* Computes the rows that the predictor is applied to, out[i * features + j]: levels are replaced by their
   statistics, then the input transform is applied. x may be out if stride is the number of features. */
SOOTH_API void sooth_model_seen(const sooth_model_parts *parts, const float *x, size_t rows, size_t stride,
                                float *out);

/* Returns the interval's block of target t < model->targets; NULL if the model has no intervals. */
SOOTH_API const sooth_conformal *sooth_model_conformal(const sooth_model *model, uint32_t t);

/* ---- intervals, trust and new programs ---- */

/* Returns how far a row lies from the training data. SOOTH_MODEL_TRUST_INSIDE: inside the range of every
   feature. SOOTH_MODEL_TRUST_EDGE: outside by at most a tenth of a feature's range.
   SOOTH_MODEL_TRUST_OUTSIDE: farther, or a feature differs that was constant in training. *feature is the
   feature farthest out, or UINT32_MAX. A missing feature does not count. Without a card the result is inside,
   UINT32_MAX. A model that adapts follows sooth_adapt_predict instead: it uses logarithmic scales, and a
   missing feature is outside. */
SOOTH_API uint32_t sooth_model_trust(const sooth_model *model, const float *row, uint32_t *feature);

/* Predicts the first target with its interval, not below 0 if no training target was. (See the block's
   claim.) Without an interval it returns 0, and low and high are NaN. known is 0. */
SOOTH_API int sooth_model_interval(const sooth_model *model, const float *row, float *scratch,
                                   sooth_adapted *answer);

/* Adds a measured launch of a program, like sooth_adapt_observe, with the model's own prediction. (Call
   sooth_adapt_program_size on parts.adapt for the memory that sooth_adapt_begin needs.) Returns 0 and changes
   nothing if the model does not adapt. */
SOOTH_API int sooth_model_observe(const sooth_model *model, sooth_adapt_program *program, const float *row,
                                  float measured, float *scratch);

/* Predicts a launch of that program, corrected by the launches measured so far. Without any, the program is
   unknown. Not below 0 if no training target was. Without adaptation, or if program is NULL: like
   sooth_model_interval. */
SOOTH_API int sooth_model_adapted(const sooth_model *model, const sooth_adapt_program *program,
                                  const float *row, float *scratch, sooth_adapted *answer);

/* Returns the i-th text of a field of a checked card; "" if there is none. */
SOOTH_API const char *sooth_model_card_text(const sooth_model_card *card, sooth_model_card_field field,
                                            size_t i);

/* Returns min and max of feature j at 2 j and 2 j + 1; targets follow the features. NaN means unknown. */
SOOTH_API const float *sooth_model_card_range(const sooth_model_card *card);

/* Swaps the words and doubles of bytes[0..size), a model or any other block, between this host's byte order
   and the opposite one, in place. Then it seals the block again. A big-endian host calls this once for each
   file. Returns 0 if the bytes are invalid; they may then be half swapped. */
SOOTH_API int sooth_model_turn(void *bytes, size_t size);

/* Writes the model in the format of files, little-endian, to bytes[0..model->size). */
SOOTH_API void sooth_model_save(const sooth_model *model, void *bytes);

#ifndef SOOTH_PREDICT_ONLY

/* Like sooth_model_predict_many, bit for bit, on all workers of the env, with memory of the env for each. For
   2,000 rows or more, ensembles of trees use a scorer (tree/scorer.h) if the scorer supports them. Returns
   SOOTH_NO_MEMORY if memory is short. Reports progress and can be cancelled. */
SOOTH_API sooth_status sooth_model_predict_table(sooth_env *env, const sooth_model *model, const float *x,
                                                 size_t rows, size_t stride, float *out);

/* ---- loading ---- */

/* Copies the bytes of a file into new memory and checks them. Returns SOOTH_BAD_MODEL with the reason: not a
   model, cut short, changed, from a later version. */
SOOTH_API sooth_status sooth_model_load(sooth_env *env, const void *bytes, size_t size, sooth_model **model);

/* Like sooth_model_map. SOOTH_BAD_ARGUMENT names the first feature that is not among the names. */
SOOTH_API sooth_status sooth_model_map_check(sooth_env *env, const sooth_model *model,
                                             const char *const *names, uint32_t count, uint32_t *column);

/* Frees an envelope or what sooth_model_load returned. NULL is allowed. */
SOOTH_API void sooth_model_free(sooth_env *env, sooth_model *model);

/* ---- building ---- */

typedef struct sooth_score {
    const char *name; /* "R2, 5-fold" */
    double value;
} sooth_score;

/* The content of a card. Arrays and their entries may be NULL, and so may texts. */
typedef struct sooth_model_card_content {
    uint32_t features, targets; /* at least 1 each */
    const char *const *feature_names;
    const char *const *feature_units;
    const char *const *target_names;
    const char *const *target_units;
    const float *range; /* like sooth_model_card_range; NULL means unknown */
    uint32_t rows, groups;
    const sooth_score *score;
    uint32_t scores;
    const char *options;
    const char *note;
    const sooth_seen *seen; /* the training rows; NULL means that no hashes are stored */
} sooth_model_card_content;

/* Copies the content into a card. Returns SOOTH_BAD_ARGUMENT without features or targets. */
SOOTH_API sooth_status sooth_model_card_make(sooth_env *env, const sooth_model_card_content *content,
                                             sooth_model_card **card);

/* Frees a card made by sooth_model_card_make. NULL is allowed. */
SOOTH_API void sooth_model_card_free(sooth_env *env, sooth_model_card *card);

/* Returns score i of a checked card. */
SOOTH_API double sooth_model_card_score(const sooth_model_card *card, size_t i);

/* Gets the hashes of training rows from a checked card; there are none if seen->count is 0. */
SOOTH_API void sooth_model_card_seen(const sooth_model_card *card, sooth_seen *seen);

/* Copies valid parts into one envelope. Returns SOOTH_BAD_ARGUMENT if their features and targets do not
   agree. parts->interval: a block for each target, one after the other in memory. */
SOOTH_API sooth_status sooth_model_assemble(sooth_env *env, const sooth_model_parts *parts,
                                            sooth_model **model);

/* How columns of categories are encoded for the predictor. */
typedef enum sooth_model_encode {
    SOOTH_MODEL_TARGET = 0, /* each level by the ordered statistics of its targets (preprocess/levels.h),
                               after the targets' transform; with several targets, by the first */
    SOOTH_MODEL_ORDINAL,    /* by its code, used as a number */
    SOOTH_MODEL_NATIVE      /* the predictor splits levels by sets: sooth_model_takes_categories */
} sooth_model_encode;

/* How to make a model from a table. Zero bytes are defaults: the kind's own transform, default options, a
   card from the table. Only networks and support vectors have a transform: mean 0, variance 1, clipped to the
   training range. */
typedef struct sooth_model_recipe {
    const char *model;   /* "tree": a name of SOOTH_KIND_LIST or SOOTH_MODEL_PRESETS */
    const void *options; /* a sooth_tree_options, ...; NULL means defaults, or a preset's settings */
    /* transform of the features before learning; NULL means the kind's own */
    const sooth_scale_options *input;
    const sooth_scale_options *target; /* of the targets, inverted for predictions; NULL means none */
    uint32_t no_card;                  /* 1 leaves out the card, and so names and ranges */

    /* for the card, next to what the table and the options provide; NULL means unknown */
    const char *const *feature_units;
    const char *const *target_names;
    const char *const *target_units;
    uint32_t groups;
    const sooth_score *score;
    uint32_t scores;
    const char *note;
    const sooth_seen *seen; /* this process's training rows (model/seen.h) */

    /* Dictionary of the table's categories (their columns hold its codes), stored in the model; may be
       NULL. */
    const sooth_levels *levels;
    uint32_t encode;                      /* a sooth_model_encode */
    const sooth_levels_options *encoding; /* of the statistics; NULL means defaults */
} sooth_model_recipe;

/* Returns 1 if this kind splits columns of categories (sooth_table.categorical) by sets of levels. */
SOOTH_API int sooth_model_takes_categories(uint32_t kind);

/* Fits the transforms and the levels' statistics to these rows, then the predictor to the transformed rows,
   and stores all in one envelope. *model is NULL after a failure. After SOOTH_NOT_CONVERGED it may be the
   best model so far (see the predictor). With env->reduce_fn the table has one or more rows of this process,
   and every process gets the model of all rows: linear, tree, forest and boost, without levels. */
SOOTH_API sooth_status sooth_model_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_model_recipe *recipe, sooth_model **model);

/* ---- the list of kinds ---- */

typedef struct sooth_model_kind {
    uint32_t kind;       /* SOOTH_KIND_TREE */
    const char *name;    /* "tree" */
    const char *title;   /* "regression tree" */
    const char *columns; /* required features, in order: "threads, frequency, speed"; "" means any */
    size_t options_size; /* sizeof(sooth_tree_options) */
    sooth_option_list options;
    uint32_t transform; /* default transform of the features: a sooth_scale_transform */
} sooth_model_kind;

/* Gets the i-th kind of the list; returns 0 past its end. */
SOOTH_API int sooth_model_kind_at(size_t i, sooth_model_kind *kind);

/* Finds the kind, or the preset's kind, by name. Returns SOOTH_BAD_ARGUMENT with the valid names. */
SOOTH_API sooth_status sooth_model_kind_named(sooth_env *env, const char *name, sooth_model_kind *kind);

typedef struct sooth_model_preset {
    const char *name;    /* "alavani-forest" */
    const char *model;   /* "forest" */
    const char *options; /* "n_estimators=500 max_depth=14" */
    const char *source;
} sooth_model_preset;

/* Gets the i-th preset of the list; returns 0 past its end. */
SOOTH_API int sooth_model_preset_at(size_t i, sooth_model_preset *preset);

/* Fills options (kind->options_size bytes) with defaults, and with the settings of a preset `name`. */
SOOTH_API sooth_status sooth_model_preset_options(sooth_env *env, const char *name, void *options);

/* Large enough for the options of any kind. */
typedef union soothi_model_any_options {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) sooth_##name##_options name;
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
} soothi_model_any_options;

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MODEL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_IMPLEMENTED)
#define SOOTH_MODEL_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the parts of a block ---- */

SOOTHI_LOCAL uint32_t soothi_model_kind(const sooth_block *block) { return block->kind & 0xFFFFu; }

SOOTHI_LOCAL const void *soothi_model_part(const sooth_block *block, uint32_t at) {
    return at ? (const void *)((const unsigned char *)block + at) : NULL;
}

SOOTH_API void sooth_model_open(const sooth_model *model, sooth_model_parts *parts) {
    const sooth_envelope *envelope = (const sooth_envelope *)(const void *)model;
    if (soothi_model_kind(model) != SOOTH_KIND_MODEL) {
        memset(parts, 0, sizeof *parts);
        parts->predictor = model;
        return;
    }
    parts->input = (const sooth_scale *)soothi_model_part(model, envelope->input_at);
    parts->predictor = (const sooth_block *)soothi_model_part(model, envelope->predictor_at);
    parts->target = (const sooth_scale *)soothi_model_part(model, envelope->target_at);
    parts->card = (const sooth_model_card *)soothi_model_part(model, envelope->card_at);
    parts->interval = NULL;
    parts->adapt = NULL;
    parts->levels = NULL;
    parts->probability = NULL;
    if (model->kind >> 16 < 2) return;
    const sooth_model_envelope *second = (const sooth_model_envelope *)(const void *)model;
    parts->interval = (const sooth_conformal *)soothi_model_part(model, second->interval_at);
    parts->adapt = (const sooth_adapt *)soothi_model_part(model, second->adapt_at);
    parts->levels = (const sooth_levels *)soothi_model_part(model, second->levels_at);
    parts->probability = (const sooth_probability *)soothi_model_part(model, second->probability_at);
}

SOOTH_API const sooth_conformal *sooth_model_conformal(const sooth_model *model, uint32_t t) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_block *at = parts.interval ? &parts.interval->head : NULL;
    for (uint32_t k = 0; at && k < t; ++k) at = (const sooth_block *)soothi_model_part(at, at->size);
    return (const sooth_conformal *)(const void *)at;
}

/* ---- the card ---- */

SOOTHI_LOCAL uint64_t soothi_card_texts(uint32_t features, uint32_t targets, uint32_t scores) {
    return 2u * ((uint64_t)features + targets) + scores + 2u;
}

/* Bytes of the card's words: the struct, the ranges, the offsets of texts. */
SOOTHI_LOCAL uint64_t soothi_card_words(uint32_t features, uint32_t targets, uint32_t scores) {
    return sizeof(sooth_model_card) + 8u * ((uint64_t)features + targets) +
           4u * soothi_card_texts(features, targets, scores);
}

SOOTH_API const float *sooth_model_card_range(const sooth_model_card *card) {
    return (const float *)(const void *)(card + 1);
}

SOOTHI_LOCAL const uint32_t *soothi_card_at(const sooth_model_card *card) {
    return (const uint32_t *)(const void *)(sooth_model_card_range(card) +
                                            2u * ((size_t)card->head.features + card->head.targets));
}

SOOTH_API const char *sooth_model_card_text(const sooth_model_card *card, sooth_model_card_field field,
                                            size_t i) {
    const size_t features = card->head.features, targets = card->head.targets;
    const size_t count[SOOTH_CARD_FIELDS] = {features, features, targets, targets, card->scores, 1, 1};
    size_t slot = i;
    if (field >= SOOTH_CARD_FIELDS || i >= count[field]) return "";
    for (unsigned k = 0; k < (unsigned)field; ++k) slot += count[k];
    return (const char *)card + card->head.bytes_at + soothi_card_at(card)[slot];
}

/* Texts cannot run past the end: each begins in the region of bytes, and the last byte is zero. */
SOOTHI_LOCAL int soothi_card_check(const void *bytes, size_t size) {
    const sooth_model_card *card = (const sooth_model_card *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_CARD, SOOTH_CARD_VERSION) ||
        card->head.size < sizeof *card)
        return 0;
    uint64_t words = soothi_card_words(card->head.features, card->head.targets, card->scores);
    uint32_t room = card->head.size - card->head.bytes_at;
    if (card->head.features == 0 || card->head.targets == 0 ||
        ((words + 15u) & ~(uint64_t)15u) != card->head.doubles_at ||
        ((8u * (uint64_t)card->scores + 15u) & ~(uint64_t)15u) !=
            card->head.bytes_at - card->head.doubles_at ||
        ((const unsigned char *)bytes)[card->head.size - 1u] != 0 || card->seen > room ||
        card->seen % 4u != 0 || card->seen > 4u * (SOOTHI_SEEN_MOST + 1u))
        return 0;
    const uint32_t *at = soothi_card_at(card);
    uint64_t texts = soothi_card_texts(card->head.features, card->head.targets, card->scores);
    for (uint64_t i = 0; i < texts; ++i)
        if (at[i] >= room) return 0;
    return 1;
}

/* ---- checking ---- */

SOOTHI_LOCAL int soothi_model_predictor_check(const void *bytes, size_t size) {
    sooth_block head;
    if (size < sizeof head) return 0;
    memcpy(&head, bytes, sizeof head);
    switch (soothi_model_kind(&head)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) \
    case SOOTH_KIND_##NAME: return sooth_##name##_check(bytes, size);
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return 0;
    }
}

/* Checks a part of an envelope, if present: it must begin where the last one ended. Moves *end. */
SOOTHI_LOCAL int soothi_model_part_check(const sooth_envelope *envelope, uint32_t at,
                                         int (*check)(const void *, size_t), uint32_t *end, uint32_t features,
                                         uint32_t targets) {
    if (at == 0) return 1;
    if (at != *end) return 0;
    const sooth_block *part = (const sooth_block *)soothi_model_part(&envelope->head, at);
    if (!check(part, envelope->head.size - at)) return 0;
    *end = at + part->size;
    return part->features == features && part->targets == targets;
}

/* Checks the later parts. Version 2: an interval's block for each target, and adaptation of a single target.
   Version 3: levels of the features, and a probability of a single target that excludes the other two. */
SOOTHI_LOCAL int soothi_model_second_check(const sooth_model_envelope *e, uint32_t *end) {
    const uint32_t features = e->first.head.features, targets = e->first.head.targets;
    const int third = e->first.head.kind >> 16 == 3, two = e->interval_at || e->adapt_at;
    if (third != (e->levels_at || e->probability_at) || (!third && !two)) return 0;
    if (e->probability_at && (two || targets != 1)) return 0;
    if (e->interval_at && e->interval_at != *end) return 0;
    for (uint32_t t = 0; e->interval_at && t < targets; ++t)
        if (!soothi_model_part_check(&e->first, *end, sooth_conformal_check, end, 0, 1)) return 0;
    return soothi_model_part_check(&e->first, e->adapt_at, sooth_adapt_check, end, features, targets) &&
           soothi_model_part_check(&e->first, e->levels_at, sooth_levels_check, end, features, features) &&
           soothi_model_part_check(&e->first, e->probability_at, sooth_probability_check, end, 0, 1);
}

SOOTH_API int sooth_model_check(const void *bytes, size_t size) {
    const sooth_envelope *e = (const sooth_envelope *)bytes;
    uint32_t version = SOOTH_MODEL_VERSION;
    while (version && !sooth_block_check(bytes, size, SOOTH_KIND_MODEL, version)) --version;
    if (version == 0) return bytes && soothi_model_predictor_check(bytes, size);
    const int second = version >= 2;
    const uint32_t features = e->head.features, targets = e->head.targets;
    uint32_t end = e->head.bytes_at;
    return e->head.doubles_at == (second ? sizeof(sooth_model_envelope) : sizeof *e) &&
           end == e->head.doubles_at && e->predictor_at && features && targets &&
           soothi_model_part_check(e, e->input_at, sooth_scale_check, &end, features, features) &&
           soothi_model_part_check(e, e->predictor_at, soothi_model_predictor_check, &end, features,
                                   targets) &&
           soothi_model_part_check(e, e->target_at, sooth_scale_check, &end, targets, targets) &&
           soothi_model_part_check(e, e->card_at, soothi_card_check, &end, features, targets) &&
           (!second || soothi_model_second_check((const sooth_model_envelope *)bytes, &end)) &&
           end == e->head.size;
}

/* ---- what is wrong ---- */

typedef enum soothi_model_fault {
    SOOTHI_MODEL_EMPTY = 0,
    SOOTHI_MODEL_FOREIGN,
    SOOTHI_MODEL_CUT,
    SOOTHI_MODEL_DAMAGED,
    SOOTHI_MODEL_UNKNOWN,
    SOOTHI_MODEL_LATER,
    SOOTHI_MODEL_UNSOUND
} soothi_model_fault;

/* The latest format of models of a kind; 0 if no model has this kind. */
SOOTHI_LOCAL uint32_t soothi_model_newest(uint32_t kind) {
    if (kind == SOOTH_KIND_MODEL) return SOOTH_MODEL_VERSION;
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) \
    if (kind == SOOTH_KIND_##NAME) return SOOTH_##NAME##_VERSION;
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    return 0;
}

/* Finds the fault in bytes[0..size) that a check refused. head is their header, in this host's byte order. */
SOOTHI_LOCAL soothi_model_fault soothi_model_fault_of(const sooth_block *head, const unsigned char *bytes,
                                                      size_t size) {
    if (size == 0) return SOOTHI_MODEL_EMPTY;
    if (size < sizeof *head || head->magic != SOOTH_BLOCK_MAGIC) return SOOTHI_MODEL_FOREIGN;
    if (head->size > size) return SOOTHI_MODEL_CUT;
    if (head->size < sizeof *head || head->size % 16 != 0 ||
        head->checksum != soothi_checksum(bytes, head->size))
        return SOOTHI_MODEL_DAMAGED;
    const uint32_t newest = soothi_model_newest(soothi_model_kind(head));
    if (newest == 0) return SOOTHI_MODEL_UNKNOWN;
    return head->kind >> 16 > newest ? SOOTHI_MODEL_LATER : SOOTHI_MODEL_UNSOUND;
}

SOOTH_API const char *sooth_model_why(const void *bytes, size_t size) {
    sooth_block head;
    memset(&head, 0, sizeof head);
    if (!bytes) size = 0;
    if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
    if (sooth_model_check(bytes, size)) return NULL;
    if (head.magic == 0x534F5448u) return "the model is in another byte order: sooth_model_turn mends that";
    switch (soothi_model_fault_of(&head, (const unsigned char *)bytes, size)) {
    case SOOTHI_MODEL_EMPTY: return "the model file is empty";
    case SOOTHI_MODEL_FOREIGN: return "this is not a model file";
    case SOOTHI_MODEL_CUT: return "the model file is cut short";
    case SOOTHI_MODEL_DAMAGED: return "the model file was changed or damaged: its checksum does not match";
    case SOOTHI_MODEL_UNKNOWN: return "the file holds a block, but no model that this version knows";
    case SOOTHI_MODEL_LATER: return "the model file is of a later format than this version reads";
    default: break;
    }
    if ((uintptr_t)bytes % offsetof(soothi_align, d) != 0) return "the model is not aligned as for double";
    return "the model file is not sound: its checksum matches, but not its contents";
}

/* ---- names ---- */

SOOTH_API uint32_t sooth_model_map(const sooth_model *model, const char *const *names, uint32_t count,
                                   uint32_t *column) {
    sooth_model_parts parts;
    uint32_t missing = 0;
    sooth_model_open(model, &parts);
    for (uint32_t j = 0; j < model->features; ++j) {
        const char *name = parts.card ? sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j) : "";
        uint32_t i = 0;
        while (i < count && !(*name && names[i] && soothi_same_text(names[i], name))) ++i;
        column[j] = i < count ? i : UINT32_MAX;
        missing += i == count;
    }
    return missing;
}

/* ---- predicting ---- */

SOOTHI_LOCAL float soothi_model_predictor_one(const sooth_block *predictor, const float *row) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) \
    case SOOTH_KIND_##NAME: return sooth_##name##_predict((const sooth_##name *)(const void *)predictor, row);
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return 0.0f;
    }
}

SOOTHI_LOCAL void soothi_model_predictor_many(const sooth_block *predictor, const float *x, size_t rows,
                                              size_t stride, float *out) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns)                                        \
    case SOOTH_KIND_##NAME:                                                                               \
        sooth_##name##_predict_many((const sooth_##name *)(const void *)predictor, x, rows, stride, out); \
        break;
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: break;
    }
}

SOOTHI_LOCAL sooth_cost soothi_model_predictor_cost(const sooth_block *predictor) {
    sooth_cost none;
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) \
    case SOOTH_KIND_##NAME: return sooth_##name##_cost((const sooth_##name *)(const void *)predictor);
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: memset(&none, 0, sizeof none); return none;
    }
}

/* Returns the levels if they are encoded by statistics, else NULL. */
SOOTHI_LOCAL const sooth_levels *soothi_model_statistics(const sooth_model_parts *parts) {
    return parts->levels && parts->levels->statistics ? parts->levels : NULL;
}

/* Whether rows are transformed before the predictor gets them. */
SOOTHI_LOCAL int soothi_model_changes(const sooth_model_parts *parts) {
    return parts->input || soothi_model_statistics(parts);
}

SOOTH_API void sooth_model_seen(const sooth_model_parts *parts, const float *x, size_t rows, size_t stride,
                                float *out) {
    const size_t features = parts->predictor->features;
    if (parts->levels) {
        sooth_levels_apply_many(parts->levels, x, rows, stride, out);
        x = out;
        stride = features;
    }
    if (parts->input) sooth_scale_apply_many(parts->input, x, rows, stride, out);
    else if (!parts->levels)
        for (size_t i = 0; i < rows; ++i)
            for (size_t j = 0; j < features; ++j) out[i * features + j] = x[i * stride + j];
}

SOOTH_API size_t sooth_model_scratch(const sooth_model *model, size_t batch) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return soothi_model_changes(&parts) ? batch * model->features : 0;
}

SOOTH_API float sooth_model_predict(const sooth_model *model, const float *row, float *scratch) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (soothi_model_changes(&parts)) {
        sooth_model_seen(&parts, row, 1, model->features, scratch);
        row = scratch;
    }
    float predicted = soothi_model_predictor_one(parts.predictor, row);
    if (parts.target) predicted = sooth_scale_invert_one(parts.target, 0, predicted);
    return parts.probability ? sooth_probability_apply(parts.probability, predicted) : predicted;
}

SOOTH_API void sooth_model_predict_many(const sooth_model *model, const float *x, size_t rows, size_t stride,
                                        float *out, float *scratch, size_t batch) {
    sooth_model_parts parts;
    size_t n;
    sooth_model_open(model, &parts);
    const int changes = soothi_model_changes(&parts);
    if (!changes) soothi_model_predictor_many(parts.predictor, x, rows, stride, out);
    for (size_t done = 0; changes && done < rows; done += n) {
        n = rows - done < batch ? rows - done : batch;
        sooth_model_seen(&parts, x + done * stride, n, stride, scratch);
        soothi_model_predictor_many(parts.predictor, scratch, n, model->features,
                                    out + done * model->targets);
    }
    if (parts.target) sooth_scale_invert_many(parts.target, out, rows, model->targets, out);
    if (parts.probability) sooth_probability_apply_many(parts.probability, out, rows, out);
}

SOOTH_API void sooth_model_predict_choices(const sooth_model *model, const float *row, const uint32_t *column,
                                           uint32_t columns, const float *choice, size_t choices, float *out,
                                           float *scratch, size_t batch) {
    const size_t features = model->features;
    float *rows = scratch, *rest = scratch + batch * features;
    size_t n;
    for (size_t i = 0; i < batch && i < choices; ++i)
        memcpy(rows + i * features, row, features * sizeof *row);
    for (size_t done = 0; done < choices; done += n) {
        n = choices - done < batch ? choices - done : batch;
        for (size_t i = 0; i < n; ++i)
            for (uint32_t k = 0; k < columns; ++k)
                rows[i * features + column[k]] = choice[(done + i) * columns + k];
        sooth_model_predict_many(model, rows, n, features, out + done * model->targets, rest, batch);
    }
}

SOOTHI_LOCAL void soothi_model_cost_add(sooth_cost *cost, sooth_cost more) {
    cost->comparisons += more.comparisons;
    cost->multiply_adds += more.multiply_adds;
    cost->functions += more.functions;
}

SOOTH_API sooth_cost sooth_model_cost(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    sooth_cost cost = soothi_model_predictor_cost(parts.predictor);
    if (parts.levels) soothi_model_cost_add(&cost, sooth_levels_cost(parts.levels));
    if (parts.input) soothi_model_cost_add(&cost, sooth_scale_cost(parts.input));
    if (parts.target) soothi_model_cost_add(&cost, sooth_scale_cost(parts.target));
    if (parts.probability) soothi_model_cost_add(&cost, sooth_probability_cost(parts.probability));
    cost.bytes = model->size;
    return cost;
}

SOOTH_API uint32_t sooth_model_outside(const sooth_model *model, const float *row) {
    sooth_model_parts parts;
    uint32_t n = 0;
    sooth_model_open(model, &parts);
    if (!parts.card) return 0;
    const float *range = sooth_model_card_range(parts.card);
    for (uint32_t j = 0; j < model->features; ++j) n += row[j] < range[2 * j] || row[j] > range[2 * j + 1];
    return n;
}

/* ---- intervals, trust and new programs ---- */

/* How far v lies outside least .. most, in widths of that range: 0 if inside or if a bound is unknown. At
   most 2, and 2 if the range is a point. */
SOOTHI_LOCAL float soothi_model_beyond(float v, float least, float most) {
    const float width = most - least, out = v < least ? least - v : v - most;
    if (!(out > 0.0f)) return 0.0f;
    return out <= 2.0f * width ? out / width : 2.0f;
}

SOOTH_API uint32_t sooth_model_trust(const sooth_model *model, const float *row, uint32_t *feature) {
    sooth_model_parts parts;
    sooth_adapted answer;
    float worst = 0.0f;
    sooth_model_open(model, &parts);
    *feature = UINT32_MAX;
    if (parts.adapt) {
        const sooth_adapt_program nobody = {0, 0, 0, 0}; /* no launch observed */
        sooth_adapt_predict(parts.adapt, &nobody, row, 1.0f, &answer);
        *feature = answer.feature;
        return answer.trust;
    }
    if (!parts.card) return SOOTH_MODEL_TRUST_INSIDE;
    const float *range = sooth_model_card_range(parts.card);
    for (uint32_t j = 0; j < model->features; ++j) {
        const float beyond = soothi_model_beyond(row[j], range[2 * j], range[2 * j + 1]);
        if (!(beyond > worst)) continue;
        worst = beyond;
        *feature = j;
    }
    return !(worst > 0.0f) ? SOOTH_MODEL_TRUST_INSIDE
           : worst <= 0.1f ? SOOTH_MODEL_TRUST_EDGE
                           : SOOTH_MODEL_TRUST_OUTSIDE;
}

/* A target that was never below 0 in training is not predicted below 0. */
SOOTHI_LOCAL void soothi_model_floor(const sooth_model *model, const sooth_model_card *card,
                                     sooth_adapted *answer) {
    if (!card || !(sooth_model_card_range(card)[2 * (size_t)model->features] >= 0.0f)) return;
    if (answer->value < 0.0f) answer->value = 0.0f;
    if (answer->low < 0.0f) answer->low = 0.0f;
    if (answer->high < 0.0f) answer->high = 0.0f;
}

SOOTH_API int sooth_model_interval(const sooth_model *model, const float *row, float *scratch,
                                   sooth_adapted *answer) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    answer->value = sooth_model_predict(model, row, scratch);
    answer->low = answer->high = soothi_missing();
    answer->trust = sooth_model_trust(model, row, &answer->feature);
    answer->known = 0.0f;
    if (parts.interval)
        sooth_conformal_interval(parts.interval, answer->value, 1.0f, &answer->low, &answer->high);
    soothi_model_floor(model, parts.card, answer);
    return parts.interval != NULL;
}

SOOTH_API int sooth_model_observe(const sooth_model *model, sooth_adapt_program *program, const float *row,
                                  float measured, float *scratch) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.adapt) return SOOTH_ADAPT_REFUSED;
    return sooth_adapt_observe(parts.adapt, program, row, sooth_model_predict(model, row, scratch), measured);
}

SOOTH_API int sooth_model_adapted(const sooth_model *model, const sooth_adapt_program *program,
                                  const float *row, float *scratch, sooth_adapted *answer) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.adapt || !program) return sooth_model_interval(model, row, scratch, answer);
    sooth_adapt_predict(parts.adapt, program, row, sooth_model_predict(model, row, scratch), answer);
    soothi_model_floor(model, parts.card, answer);
    return 1;
}

/* ---- byte order ---- */

/* Reverses each unit of `width` bytes in bytes[0..size). */
SOOTHI_LOCAL void soothi_model_swap(unsigned char *bytes, size_t size, size_t width) {
    for (size_t i = 0; i < size; i += width)
        for (size_t k = 0; k < width / 2; ++k) {
            unsigned char b = bytes[i + k];
            bytes[i + k] = bytes[i + width - 1 - k];
            bytes[i + width - 1 - k] = b;
        }
}

/* Reads a block's header in either byte order (*foreign: the opposite one); checks it like
   sooth_block_check. */
SOOTHI_LOCAL int soothi_model_turn_head(const unsigned char *bytes, size_t size, sooth_block *head,
                                        int *foreign) {
    if (size < sizeof *head) return 0;
    memcpy(head, bytes, sizeof *head);
    *foreign = head->magic != SOOTH_BLOCK_MAGIC;
    if (*foreign) soothi_model_swap((unsigned char *)head, sizeof *head, 4);
    return soothi_block_header_valid(head, size) && head->checksum == soothi_checksum(bytes, head->size);
}

/* Swaps the words and doubles of one block and seals it. Its region of bytes must be final. */
SOOTHI_LOCAL void soothi_model_turn_block(unsigned char *bytes, const sooth_block *head, int foreign) {
    unsigned char *seal = bytes + offsetof(sooth_block, checksum);
    soothi_model_swap(bytes, head->doubles_at, 4);
    soothi_model_swap(bytes + head->doubles_at, head->bytes_at - head->doubles_at, 8);
    const uint32_t checksum = soothi_checksum(bytes, head->size);
    memcpy(seal, &checksum, sizeof checksum);
    if (!foreign) soothi_model_swap(seal, sizeof checksum, 4);
}

SOOTH_API int sooth_model_turn(void *bytes, size_t size) {
    unsigned char *b = (unsigned char *)bytes;
    sooth_block head, part;
    int foreign, part_foreign;
    if (!b || !soothi_model_turn_head(b, size, &head, &foreign)) return 0;
    if (soothi_model_kind(&head) == SOOTH_KIND_MODEL)
        for (uint32_t at = head.bytes_at; at < head.size; at += part.size) {
            if (!soothi_model_turn_head(b + at, head.size - at, &part, &part_foreign) ||
                part_foreign != foreign || soothi_model_kind(&part) == SOOTH_KIND_MODEL)
                return 0;
            soothi_model_turn_block(b + at, &part, foreign);
        }
    soothi_model_turn_block(b, &head, foreign);
    return 1;
}

SOOTHI_LOCAL int soothi_model_little_endian(void) {
    const uint32_t one = 1;
    return *(const unsigned char *)&one;
}

SOOTH_API void sooth_model_save(const sooth_model *model, void *bytes) {
    memcpy(bytes, model, model->size);
    if (!soothi_model_little_endian()) sooth_model_turn(bytes, model->size);
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- loading ---- */

SOOTHI_LOCAL uint32_t soothi_model_read32(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

SOOTHI_LOCAL sooth_status soothi_model_refuse(sooth_env *env, const unsigned char *bytes, size_t size) {
    static const char where[] = "the model file";
    static const char foreign[] = "this is not a model file: it does not begin with \"SOTH\" and a header";
    sooth_block head;
    if (size == 0) return sooth_fail(env, SOOTH_BAD_MODEL, "%s is empty", where);
    if (size < sizeof head) return sooth_fail(env, SOOTH_BAD_MODEL, foreign);
    head.magic = soothi_model_read32(bytes);
    head.kind = soothi_model_read32(bytes + 4);
    head.size = soothi_model_read32(bytes + 8);
    head.checksum = soothi_model_read32(bytes + 12);
    const uint32_t kind = soothi_model_kind(&head), version = head.kind >> 16;
    if (head.magic == SOOTH_BLOCK_MAGIC && head.size < size && head.size >= sizeof head)
        return sooth_fail(env, SOOTH_BAD_MODEL, "%s has %z bytes, but the model ends after %u", where, size,
                          head.size);
    switch (soothi_model_fault_of(&head, bytes, size)) {
    case SOOTHI_MODEL_FOREIGN: return sooth_fail(env, SOOTH_BAD_MODEL, foreign);
    case SOOTHI_MODEL_CUT:
        return sooth_fail(env, SOOTH_BAD_MODEL, "%s is cut short: it has %z of %u bytes", where, size,
                          head.size);
    case SOOTHI_MODEL_DAMAGED:
        return sooth_fail(env, SOOTH_BAD_MODEL, "%s was changed or damaged: its checksum does not match",
                          where);
    case SOOTHI_MODEL_UNKNOWN:
        return sooth_fail(env, SOOTH_BAD_MODEL,
                          "%s holds a block of kind %u, which is not a model that sooth %s knows", where,
                          kind, SOOTH_VERSION_TEXT);
    case SOOTHI_MODEL_LATER:
        return sooth_fail(env, SOOTH_BAD_MODEL, "%s is of format %u, but sooth %s reads formats up to %u",
                          where, version, SOOTH_VERSION_TEXT, soothi_model_newest(kind));
    default: break;
    }
    return sooth_fail(env, SOOTH_BAD_MODEL, "%s is not sound: its checksum matches, but not its contents",
                      where);
}

SOOTH_API sooth_status sooth_model_load(sooth_env *env, const void *bytes, size_t size, sooth_model **model) {
    const unsigned char *from = (const unsigned char *)bytes;
    *model = NULL;
    if (!bytes || size < sizeof(sooth_block) || soothi_model_read32(from + 8) != size)
        return soothi_model_refuse(env, from, bytes ? size : 0);
    sooth_model *copy = (sooth_model *)sooth_alloc(env, size, 1);
    if (!copy) return sooth_no_memory(env, "a model", size);
    memcpy(copy, bytes, size);
    if ((!soothi_model_little_endian() && !sooth_model_turn(copy, size)) || !sooth_model_check(copy, size)) {
        sooth_free(env, copy, size, 1);
        return soothi_model_refuse(env, from, size);
    }
    *model = copy;
    return SOOTH_OK;
}

SOOTH_API void sooth_model_free(sooth_env *env, sooth_model *model) { soothi_block_free(env, model); }

SOOTH_API sooth_status sooth_model_map_check(sooth_env *env, const sooth_model *model,
                                             const char *const *names, uint32_t count, uint32_t *column) {
    const uint32_t missing = sooth_model_map(model, names, count, column);
    sooth_model_parts parts;
    char brief[48];
    uint32_t j = 0;
    if (missing == 0) return SOOTH_OK;
    sooth_model_open(model, &parts);
    while (column[j] != UINT32_MAX) ++j;
    const char *name = parts.card ? sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j) : "";
    if (!*name)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the model does not say what its feature %u is called",
                          j + 1);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the model wants %s, its feature %u, which is none of the %u names; it misses %u of %u",
                      soothi_brief(brief, name), j + 1, count, missing, model->features);
}

/* ---- the list of kinds ---- */

SOOTH_API int sooth_model_kind_at(size_t i, sooth_model_kind *kind) {
    size_t k = 0;
#define SOOTHI_ITEM(lower, UPPER, number, scale, about, must) \
    if (k++ == i) {                                           \
        kind->kind = SOOTH_KIND_##UPPER;                      \
        kind->transform = SOOTH_SCALE_##scale;                \
        kind->name = #lower;                                  \
        kind->title = about;                                  \
        kind->columns = must;                                 \
        kind->options_size = sizeof(sooth_##lower##_options); \
        kind->options = sooth_##lower##_options_list();       \
        return 1;                                             \
    }
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    return 0;
}

SOOTH_API int sooth_model_preset_at(size_t i, sooth_model_preset *preset) {
    const sooth_model_preset list[] = {
#define SOOTHI_ITEM(name, model, options, source) {name, model, options, source},
        SOOTH_MODEL_PRESETS(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    if (i >= sizeof list / sizeof *list) return 0;
    *preset = list[i];
    return 1;
}

SOOTHI_LOCAL int soothi_model_preset_named(const char *name, sooth_model_preset *preset) {
    for (size_t i = 0; sooth_model_preset_at(i, preset); ++i)
        if (soothi_same_text(preset->name, name)) return 1;
    return 0;
}

SOOTH_API sooth_status sooth_model_preset_options(sooth_env *env, const char *name, void *options) {
    sooth_model_preset preset;
    sooth_model_kind kind;
    sooth_status status = sooth_model_kind_named(env, name, &kind);
    if (status != SOOTH_OK) return status;
    memset(options, 0, kind.options_size);
    if (!soothi_model_preset_named(name, &preset)) return SOOTH_OK;
    for (const char *at = preset.options; *at && status == SOOTH_OK;) { /* "name=value name=value" */
        char option[32], value[32];
        size_t n = 0;
        while (*at != '=') option[n++] = *at++;
        option[n] = 0;
        for (n = 0, ++at; *at && *at != ' '; ++at) value[n++] = *at;
        value[n] = 0;
        if (*at) ++at;
        status = sooth_option_set(env, kind.options, options, option, value);
    }
    return status;
}

SOOTH_API sooth_status sooth_model_kind_named(sooth_env *env, const char *name, sooth_model_kind *kind) {
    char known[SOOTH_ENV_SENTENCE / 2];
    sooth_model_preset preset;
    size_t n = 0;
    if (name && soothi_model_preset_named(name, &preset)) name = preset.model;
    for (size_t i = 0; sooth_model_kind_at(i, kind); ++i)
        if (name && soothi_same_text(kind->name, name)) return SOOTH_OK;
    for (size_t i = 0; sooth_model_kind_at(i, kind); ++i)
        n += sooth_text_format(known + n, sizeof known - n, i ? ", %s" : "%s", kind->name);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no model %s; there are %s",
                      name ? name : "without a name", known);
}

/* The kind of a predictor's block. It exists because the block was checked. */
SOOTHI_LOCAL void soothi_model_kind_of(const sooth_block *predictor, sooth_model_kind *kind) {
    for (size_t i = 0; sooth_model_kind_at(i, kind); ++i)
        if (kind->kind == soothi_model_kind(predictor)) return;
}

/* ---- making a card ---- */

/* The i-th text of a field of the content; NULL if there is none. */
SOOTHI_LOCAL const char *soothi_card_source(const sooth_model_card_content *content, unsigned field,
                                            size_t i) {
    const char *const *const list[4] = {content->feature_names, content->feature_units, content->target_names,
                                        content->target_units};
    if (field < SOOTH_CARD_SCORE) return list[field] ? list[field][i] : NULL;
    if (field == SOOTH_CARD_SCORE) return content->score[i].name;
    return field == SOOTH_CARD_OPTIONS ? content->options : content->note;
}

/* Stores the texts one after the other, in the order of their slots; without a card, counts their length. */
SOOTHI_LOCAL size_t soothi_card_texts_put(const sooth_model_card_content *content, uint32_t *at, char *to) {
    size_t n = at ? soothi_seen_size(content->seen) : 0;
    const size_t features = content->features, targets = content->targets;
    const size_t count[SOOTH_CARD_FIELDS] = {features, features, targets, targets, content->scores, 1, 1};
    for (unsigned field = 0; field < SOOTH_CARD_FIELDS; ++field)
        for (size_t i = 0; i < count[field]; ++i) {
            const char *text = soothi_card_source(content, field, i);
            size_t length = 1;
            if (!text) text = "";
            while (text[length - 1]) ++length;
            if (at) {
                *at++ = (uint32_t)n;
                memcpy(to + n, text, length);
            }
            n += length;
        }
    return n;
}

SOOTH_API sooth_status sooth_model_card_make(sooth_env *env, const sooth_model_card_content *content,
                                             sooth_model_card **card) {
    uint64_t words = soothi_card_words(content->features, content->targets, content->scores);
    size_t bytes = soothi_seen_size(content->seen) + soothi_card_texts_put(content, NULL, NULL),
           ranges = 2u * ((size_t)content->features + content->targets);
    *card = NULL;
    if (content->features == 0 || content->targets == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the card has %u features and %u targets, but needs at least 1 of each",
                          content->features, content->targets);
    sooth_model_card *c = (sooth_model_card *)soothi_block_new(
        env, SOOTH_KIND_CARD, SOOTH_CARD_VERSION, words > UINT32_MAX ? SIZE_MAX : (size_t)words,
        soothi_product(content->scores, sizeof(double)), bytes);
    if (!c) return sooth_no_memory(env, "a model's card", bytes);
    c->head.features = content->features;
    c->head.targets = content->targets;
    c->rows = content->rows;
    c->groups = content->groups;
    c->scores = content->scores;
    c->seen = soothi_seen_size(content->seen);
    soothi_seen_put(content->seen, (unsigned char *)c + c->head.bytes_at);
    float *range = (float *)(void *)(c + 1);
    for (size_t i = 0; i < ranges; ++i) range[i] = content->range ? content->range[i] : soothi_missing();
    soothi_card_texts_put(content, (uint32_t *)(void *)(range + ranges), (char *)c + c->head.bytes_at);
    unsigned char *score = (unsigned char *)c + c->head.doubles_at;
    for (size_t i = 0; i < content->scores; ++i)
        memcpy(score + i * sizeof(double), &content->score[i].value, sizeof(double));
    soothi_block_seal(&c->head);
    *card = c;
    return SOOTH_OK;
}

SOOTH_API void sooth_model_card_free(sooth_env *env, sooth_model_card *card) {
    soothi_block_free(env, card ? &card->head : NULL);
}

SOOTH_API double sooth_model_card_score(const sooth_model_card *card, size_t i) {
    double score;
    memcpy(&score, (const unsigned char *)card + card->head.doubles_at + i * sizeof score, sizeof score);
    return score;
}

SOOTH_API void sooth_model_card_seen(const sooth_model_card *card, sooth_seen *seen) {
    soothi_seen_take((const unsigned char *)card + card->head.bytes_at, card->seen, seen);
}

/* ---- assembling ---- */

/* Copies one part, if there is one, to the end of the envelope. Returns its offset. */
SOOTHI_LOCAL uint32_t soothi_model_assemble_part(sooth_envelope *envelope, uint32_t *end,
                                                 const sooth_block *part) {
    uint32_t at = *end;
    if (!part) return 0;
    memcpy((unsigned char *)envelope + at, part, part->size);
    *end = at + part->size;
    return at;
}

/* Bytes of `targets` intervals' blocks, stored one after the other; 0 if there are none. */
SOOTHI_LOCAL uint64_t soothi_model_intervals_size(const sooth_conformal *interval, uint32_t targets) {
    const unsigned char *first = (const unsigned char *)interval;
    uint64_t size = 0;
    for (uint32_t t = 0; interval && t < targets; ++t)
        size += ((const sooth_block *)(const void *)(first + size))->size;
    return size;
}

SOOTH_API sooth_status sooth_model_assemble(sooth_env *env, const sooth_model_parts *parts,
                                            sooth_model **model) {
    const sooth_block *input = parts->input ? &parts->input->head : NULL, *predictor = parts->predictor;
    const sooth_block *target = parts->target ? &parts->target->head : NULL;
    const sooth_block *card = parts->card ? &parts->card->head : NULL;
    const sooth_block *adapt = parts->adapt ? &parts->adapt->head : NULL;
    const sooth_block *probability = parts->probability ? &parts->probability->head : NULL;
    const sooth_block *levels = parts->levels ? &parts->levels->head : NULL;
    sooth_envelope *e;
    *model = NULL;
    if (!predictor || soothi_model_kind(predictor) == SOOTH_KIND_MODEL)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a model needs a predictor that is not itself an envelope");
    if (input && input->features != predictor->features)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the input transform has %u features, but the predictor has %u", input->features,
                          predictor->features);
    if (target && target->features != predictor->targets)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the target transform has %u columns, but the predictor has %u targets",
                          target->features, predictor->targets);
    if (card && (card->features != predictor->features || card->targets != predictor->targets))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the card tells of %u features and %u targets, but the predictor has %u and %u",
                          card->features, card->targets, predictor->features, predictor->targets);
    if (adapt && (adapt->features != predictor->features || predictor->targets != 1))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the adaptation is of %u features and 1 target, but the predictor has %u and %u",
                          adapt->features, predictor->features, predictor->targets);
    if (probability && (predictor->targets != 1 || parts->interval || adapt))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a probability is of 1 target without an interval or adaptation, but there %s",
                          predictor->targets != 1 ? "are several targets"
                          : adapt                 ? "is adaptation"
                                                  : "is an interval");
    if (levels && levels->features != predictor->features)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the dictionary is of %u columns, but the predictor has %u features",
                          levels->features, predictor->features);
    const uint64_t intervals = soothi_model_intervals_size(parts->interval, predictor->targets);
    uint64_t bytes = (uint64_t)predictor->size + (input ? input->size : 0u) + (target ? target->size : 0u) +
                     (card ? card->size : 0u) + intervals + (adapt ? adapt->size : 0u) +
                     (levels ? levels->size : 0u) + (probability ? probability->size : 0u);
    const uint32_t version = levels || probability ? 3 : parts->interval || adapt ? 2 : 1;
    e = (sooth_envelope *)soothi_block_new(env, SOOTH_KIND_MODEL, version,
                                           version >= 2 ? sizeof(sooth_model_envelope) : sizeof *e, 0,
                                           bytes > UINT32_MAX ? SIZE_MAX : (size_t)bytes);
    if (!e) return sooth_no_memory(env, "a model", (size_t)bytes);
    e->head.features = predictor->features;
    e->head.targets = predictor->targets;
    uint32_t end = e->head.bytes_at;
    e->input_at = soothi_model_assemble_part(e, &end, input);
    e->predictor_at = soothi_model_assemble_part(e, &end, predictor);
    e->target_at = soothi_model_assemble_part(e, &end, target);
    e->card_at = soothi_model_assemble_part(e, &end, card);
    if (version >= 2) {
        sooth_model_envelope *more = (sooth_model_envelope *)(void *)e;
        if (intervals) {
            memcpy((unsigned char *)e + end, parts->interval, (size_t)intervals);
            more->interval_at = end;
            end += (uint32_t)intervals;
        }
        more->adapt_at = soothi_model_assemble_part(e, &end, adapt);
        more->levels_at = soothi_model_assemble_part(e, &end, levels);
        more->probability_at = soothi_model_assemble_part(e, &end, probability);
    }
    soothi_block_seal(&e->head);
    *model = &e->head;
    return SOOTH_OK;
}

/* ---- fitting ---- */

enum { SOOTHI_MODEL_OPTION_TEXT = 96 };

/* All options as "name=value name=value", for the card; NULL if memory is short. */
SOOTHI_LOCAL char *soothi_model_options_text(sooth_env *env, sooth_option_list list, const void *options) {
    char *text = (char *)sooth_alloc(env, list.count + 1, SOOTHI_MODEL_OPTION_TEXT), room[32];
    size_t n = 0;
    if (!text) return NULL;
    text[0] = 0;
    for (size_t i = 0; i < list.count; ++i) {
        const sooth_option *o = &list.option[i];
        double value = sooth_option_value(o, options);
        n += sooth_text_format(text + n, SOOTHI_MODEL_OPTION_TEXT - 32, n ? " %s=" : "%s=", o->name);
        if (o->type == SOOTH_OPTION_CHOICE)
            n += sooth_text_format(text + n, 32, "%s", soothi_choice(o->choices, (uint32_t)value, room));
        else n += sooth_text_format(text + n, 32, "%g", value);
    }
    return text;
}

/* The recipe's options must be set. range: like sooth_model_card_range. */
SOOTHI_LOCAL sooth_status soothi_model_fit_card(sooth_env *env, const sooth_table *table, const float *range,
                                                const sooth_model_recipe *recipe,
                                                const sooth_model_kind *kind, sooth_model_card **card) {
    sooth_model_card_content content;
    char *options = soothi_model_options_text(env, kind->options, recipe->options);
    sooth_status status = options ? SOOTH_OK : sooth_no_memory(env, "a model's card", kind->options.count);
    if (status == SOOTH_OK) {
        content.features = (uint32_t)table->cols;
        content.targets = (uint32_t)table->targets;
        content.feature_names = table->names;
        content.feature_units = recipe->feature_units;
        content.target_names = recipe->target_names;
        content.target_units = recipe->target_units;
        content.range = range;
        content.rows = (uint32_t)table->rows;
        content.groups = recipe->groups;
        content.score = recipe->score;
        content.scores = recipe->scores;
        content.options = options;
        content.note = recipe->note;
        content.seen = recipe->seen;
        status = sooth_model_card_make(env, &content, card);
    }
    sooth_free(env, options, kind->options.count + 1, SOOTHI_MODEL_OPTION_TEXT);
    return status;
}

SOOTHI_LOCAL float *soothi_model_range_room(sooth_env *env, size_t columns) {
    float *range = (float *)sooth_alloc(env, 2 * columns, sizeof *range);
    if (!range) sooth_no_memory(env, "a model's card", 2 * columns * sizeof *range);
    return range;
}

SOOTHI_LOCAL sooth_status soothi_model_predictor_fit(sooth_env *env, const sooth_table *table, uint32_t kind,
                                                     const void *options, sooth_block **predictor) {
    *predictor = NULL;
    switch (kind) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns)                          \
    case SOOTH_KIND_##NAME: {                                                               \
        sooth_##name *made = NULL;                                                          \
        sooth_status status =                                                               \
            sooth_##name##_fit(env, table, (const sooth_##name##_options *)options, &made); \
        if (made) *predictor = &made->head;                                                 \
        return status;                                                                      \
    }
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return SOOTH_BAD_ARGUMENT;
    }
}

/* Fits a scale to `cols` columns at x, with the rows of the table. Writes scaled rows to new memory. */
SOOTHI_LOCAL sooth_status soothi_model_fit_scale(sooth_env *env, const sooth_table *table, const float *x,
                                                 size_t cols, size_t stride, const char *const *names,
                                                 const sooth_scale_options *options, sooth_scale **scale,
                                                 float **scaled) {
    sooth_table view;
    sooth_table_init(&view, x, table->rows, cols);
    view.stride = stride;
    view.weight = table->weight;
    view.names = names;
    if (x == table->x) view.categorical = table->categorical; /* those columns cannot be scaled */
    sooth_status status = sooth_scale_fit(env, &view, options, scale);
    if (status != SOOTH_OK) return status;
    *scaled = (float *)sooth_alloc(env, soothi_product(table->rows, cols), sizeof(float));
    if (!*scaled)
        status = sooth_no_memory(env, "the scaled rows", soothi_product(table->rows * cols, sizeof(float)));
    status = soothi_agree(env, status);
    if (status == SOOTH_OK) sooth_scale_apply_many(*scale, x, table->rows, stride, *scaled);
    return status;
}

SOOTH_API int sooth_model_takes_categories(uint32_t kind) {
    return kind == SOOTH_KIND_TREE || kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST;
}

/* Encodes the rows of codes for the predictor, in new memory if they change: *x. *levels gets statistics;
   NULL means that the recipe's levels are final. */
SOOTHI_LOCAL sooth_status soothi_model_fit_levels(sooth_env *env, const sooth_model_recipe *recipe,
                                                  const sooth_model_kind *kind, sooth_table *learned,
                                                  sooth_levels **levels, float **x) {
    if (!recipe->levels) return SOOTH_OK;
    if (recipe->levels->head.features != learned->cols)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the table has %z columns, but the dictionary is of %u",
                          learned->cols, recipe->levels->head.features);
    if (recipe->encode > SOOTH_MODEL_NATIVE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "encode is %u, but must be between 0 and %u",
                          recipe->encode, (unsigned)SOOTH_MODEL_NATIVE);
    if (recipe->encode == SOOTH_MODEL_NATIVE) {
        if (sooth_model_takes_categories(kind->kind) && !recipe->input) return SOOTH_OK;
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "encode is native, but %s %s", kind->name,
                          recipe->input ? "is to transform its features" : "takes no categories");
    }
    learned->categorical = NULL; /* they are numbers from now on */
    if (recipe->encode == SOOTH_MODEL_ORDINAL) return SOOTH_OK;
    *x = (float *)sooth_alloc(env, soothi_product(learned->rows, learned->cols), sizeof(float));
    if (!*x) return sooth_no_memory(env, "the encoded rows", learned->rows * learned->cols * sizeof(float));
    const sooth_status status =
        sooth_levels_fit_statistics(env, recipe->levels, learned, recipe->encoding, *x, levels);
    learned->x = *x;
    learned->stride = learned->cols;
    return status;
}

/* SOOTH_OK when all processes came with tables that can be learned from, and want the same. */
SOOTHI_LOCAL sooth_status soothi_model_meet(sooth_env *env, sooth_status status, const sooth_model_kind *kind,
                                            const sooth_model_recipe *recipe) {
    const sooth_scale_options *const scale[2] = {recipe->input, recipe->target};
    const int takes = sooth_model_takes_categories(kind->kind) || kind->kind == SOOTH_KIND_LINEAR;
    if (soothi_ranks(env) == 1) return status;
    if (status == SOOTH_OK && (recipe->levels || !takes))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s and rows in several processes do not go together",
                            recipe->levels ? "categories" : kind->title);
    status = soothi_agree(env, status);
    if (status != SOOTH_OK) return status;
    uint64_t digest = 4u * kind->kind + (recipe->seen ? 2u : 0u) + (recipe->no_card ? 1u : 0u);
    for (size_t k = 0; k < 2; ++k)
        digest = digest * 64 + (scale[k] ? 4 * scale[k]->transform + 2 * scale[k]->clip + 1 : 0);
    return soothi_reduce_same(env, digest << 1, "recipes");
}

/* Makes the card of a fit to the rows of all processes. */
SOOTHI_LOCAL sooth_status soothi_model_make_card(sooth_env *env, const sooth_table *table,
                                                 const sooth_model_recipe *recipe,
                                                 const sooth_model_kind *kind, sooth_model_card **card) {
    const size_t columns = table->cols + table->targets;
    float *range = soothi_model_range_room(env, columns);
    sooth_status status = soothi_agree(env, range ? SOOTH_OK : SOOTH_NO_MEMORY);
    sooth_model_recipe own = *recipe;
    sooth_table all = *table;
    sooth_seen seen;
    uint64_t before, rows = table->rows;
    int64_t groups = (int64_t)recipe->groups;
    if (range) soothi_seen_ranges(table, 1, range);
    if (status == SOOTH_OK) status = soothi_reduce_ranges(env, range, columns);
    if (status == SOOTH_OK) status = soothi_reduce_rows(env, table->rows, &before, &rows, NULL);
    if (status == SOOTH_OK) status = soothi_reduce(env, SOOTH_REDUCE_MAX, &groups, 1);
    if (recipe->seen) {
        seen = *recipe->seen;
        own.seen = &seen;
        if (status == SOOTH_OK) status = soothi_seen_reduce(env, &seen);
    }
    all.rows = (size_t)rows;
    own.groups = (uint32_t)groups;
    if (status == SOOTH_OK) status = soothi_model_fit_card(env, &all, range, &own, kind, card);
    sooth_free(env, range, 2 * columns, sizeof *range);
    return status;
}

/* ---- many rows ---- */

#define SOOTHI_MODEL_SCORED 2000u /* rows from which a scorer pays */
/* Rows of a task: at most a batch of tree/ensemble.h, in slices of tree/scorer.h. */
#define SOOTHI_MODEL_BLOCK 2048u
#define SOOTHI_MODEL_LEAST 512u

typedef struct soothi_model_many {
    const sooth_model *model;
    sooth_model_parts parts;
    const sooth_scorer *scorer; /* may be NULL */
    const float *x;
    float *out;
    size_t rows, stride;
    float *seen;                   /* block x features for each worker, if rows are transformed */
    unsigned char *work;           /* the scorer's: work_size for each worker */
    size_t work_size, from, block; /* block: rows of a task */
} soothi_model_many;

static void soothi_model_many_task(void *arg, size_t i, size_t worker) {
    const soothi_model_many *m = (const soothi_model_many *)arg;
    const size_t from = m->from + i * m->block, targets = m->model->targets;
    const size_t left = m->rows - from, n = left < m->block ? left : m->block;
    const size_t features = m->model->features;
    const float *x = m->x + from * m->stride;
    float *seen = m->seen ? m->seen + worker * m->block * features : NULL;
    float *out = m->out + from * targets;
    if (!m->scorer) {
        sooth_model_predict_many(m->model, x, n, m->stride, out, seen, m->block);
        return;
    }
    if (seen) sooth_model_seen(&m->parts, x, n, m->stride, seen);
    sooth_scorer_predict_many(m->scorer, seen ? seen : x, n, seen ? features : m->stride, out,
                              m->work + worker * m->work_size);
    if (m->parts.target) sooth_scale_invert_many(m->parts.target, out, n, targets, out);
    if (m->parts.probability) sooth_probability_apply_many(m->parts.probability, out, n, out);
}

SOOTH_API sooth_status sooth_model_predict_table(sooth_env *env, const sooth_model *model, const float *x,
                                                 size_t rows, size_t stride, float *out) {
    const size_t workers = soothi_workers(env), share = (rows / (4 * workers) + 255) / 256 * 256;
    soothi_model_many m;
    sooth_scorer *scorer = NULL;
    sooth_status status = SOOTH_OK;
    soothi_carver room = {NULL, 0};
    memset(&m, 0, sizeof m);
    m.model = model;
    m.x = x;
    m.out = out;
    m.rows = rows;
    m.stride = stride;
    m.block = share < SOOTHI_MODEL_LEAST ? SOOTHI_MODEL_LEAST : share;
    if (m.block > SOOTHI_MODEL_BLOCK) m.block = SOOTHI_MODEL_BLOCK;
    const size_t batch = 16 * workers * m.block;
    sooth_model_open(model, &m.parts);
    const uint32_t kind = m.parts.predictor->kind & 0xFFFFu;
    const sooth_ensemble *trees = (const sooth_ensemble *)(const void *)m.parts.predictor;
    const int ensemble = kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST;
    const size_t scored = ensemble && rows >= SOOTHI_MODEL_SCORED ? sooth_scorer_size(trees) : 0;
    void *memory = scored ? sooth_alloc(env, scored, 1) : NULL;
    if (scored && !memory) return sooth_no_memory(env, "predicting rows", scored);
    if (memory) { /* cannot fail with this size */
        sooth_scorer_init(NULL, trees, memory, scored, &scorer);
        m.scorer = scorer;
        m.work_size = (sooth_scorer_scratch_size(scorer) + 63) / 64 * 64;
    }
    for (size_t pass = 0; pass < 2; ++pass) { /* first computes the size, then the pointers */
        if (pass && room.used) room.memory = (unsigned char *)sooth_alloc(env, room.used, 1);
        if (pass && room.used && !room.memory) status = sooth_no_memory(env, "predicting rows", room.used);
        room.used = 0;
        m.work = (unsigned char *)soothi_carve(&room, workers, m.work_size);
        if (soothi_model_changes(&m.parts))
            m.seen = (float *)soothi_carve(&room, soothi_product(workers, model->features),
                                           m.block * sizeof(float));
    }
    for (; m.from < rows && status == SOOTH_OK; m.from += batch) {
        const size_t left = rows - m.from, count = left < batch ? left : batch;
        soothi_parallel(env, (count + m.block - 1) / m.block, soothi_model_many_task, &m);
        status = soothi_progress(env, "predicting rows", (double)(m.from + count) / (double)rows);
    }
    if (room.memory) sooth_free(env, room.memory, room.used, 1);
    if (memory) sooth_free(env, memory, scored, 1);
    return status;
}

SOOTH_API sooth_status sooth_model_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_model_recipe *recipe, sooth_model **model) {
    sooth_model_kind kind;
    sooth_scale *input = NULL, *target = NULL;
    sooth_block *predictor = NULL;
    sooth_model_card *card = NULL;
    sooth_levels *levels = NULL;
    float *codes = NULL, *x = NULL, *y = NULL;
    sooth_model_recipe own = *recipe;
    sooth_scale_options scaling;
    soothi_model_any_options preset;
    sooth_status status = sooth_model_kind_named(env, recipe->model, &kind), fitted = SOOTH_OK;
    *model = NULL;
    if (status == SOOTH_OK)
        status = sooth_table_check(
            env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status == SOOTH_OK && !recipe->options) {
        status = sooth_model_preset_options(env, recipe->model, &preset);
        own.options = &preset;
    }
    recipe = &own;
    if (status == SOOTH_OK && !own.input) {
        memset(&scaling, 0, sizeof scaling);
        scaling.transform = kind.transform;
        scaling.clip = kind.transform != SOOTH_SCALE_NONE; /* prevents extrapolation */
        own.input = &scaling;
    }
    if (own.input && own.input->transform == SOOTH_SCALE_NONE && !own.input->transforms && !own.input->clip)
        own.input = NULL;
    status = soothi_model_meet(env, status, &kind, recipe);
    if (status != SOOTH_OK) return status;
    sooth_table learned = *table;
    if (recipe->target)
        status = soothi_model_fit_scale(env, table, table->y, table->targets, table->targets,
                                        recipe->target_names, recipe->target, &target, &y);
    if (y) learned.y = y;
    if (status == SOOTH_OK) status = soothi_model_fit_levels(env, recipe, &kind, &learned, &levels, &codes);
    if (status == SOOTH_OK && recipe->input)
        status = soothi_model_fit_scale(env, table, learned.x, table->cols, learned.stride, table->names,
                                        recipe->input, &input, &x);
    if (x) learned.x = x, learned.stride = table->cols;
    if (status == SOOTH_OK)
        status = fitted = soothi_model_predictor_fit(env, &learned, kind.kind, recipe->options, &predictor);
    if (fitted == SOOTH_NOT_CONVERGED && predictor) status = SOOTH_OK; /* returned with this model */
    sooth_free(env, y, table->rows * table->targets, sizeof(float));
    sooth_free(env, x, table->rows * table->cols, sizeof(float));
    sooth_free(env, codes, table->rows * table->cols, sizeof(float));
    if (status == SOOTH_OK && !recipe->no_card)
        status = soothi_model_make_card(env, table, recipe, &kind, &card);
    const sooth_model_parts parts = {
        input, predictor, target, card, NULL, NULL, levels ? levels : recipe->levels, NULL};
    if (status == SOOTH_OK) status = sooth_model_assemble(env, &parts, model);
    if (predictor) status = soothi_agree(env, status); /* in all processes or in none */
    if (status != SOOTH_OK) {
        sooth_model_free(env, *model);
        *model = NULL;
    }
    sooth_model_card_free(env, card);
    soothi_block_free(env, predictor);
    sooth_scale_free(env, target);
    sooth_scale_free(env, input);
    sooth_levels_free(env, levels);
    return status == SOOTH_OK ? fitted : status;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_MODEL_DESCRIBE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_DESCRIBE_IMPLEMENTED))
#include "model/describe.h"
#endif
