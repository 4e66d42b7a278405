/* model.h - any model behind one type: load, check, map columns, predict, interval, trust, card.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host that predicts includes this header; one that learns includes train.h, too. A predictor is only part
 * of a model. A model also needs the feature transform of training, the inverse transform of predictions, and
 * the column names. An envelope is one block of these parts, each a block of its own:
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
 *   ratio      a sooth_ratio: a sum of columns that predictions are multiplied by, after the target's scale
 *                                          (model/ratio.h; optional, excludes probability)
 *
 * A sooth_model is an envelope, or a predictor by itself: sooth_model_from_block(&tree->head). A model of
 * columns that floats cannot tell apart, such as seconds since 1970, is in a file with origins
 * (model/origin.h).
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     static double file[512];  // aligned like a double; here it is filled, elsewhere it is read or mapped
 *
 *     int main(void) {
 *         const float x[] = {1, 10, 2, 20, 3, 10, 4, 20}, y[] = {8, 4, 3, 1};
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_model_save(sooth_model_from_block(&tree->head), file);
 *         sooth_tree_free(&env, tree);
 *
 *         if (!sooth_model_check(file, sizeof file)) return puts(sooth_model_why(file, sizeof file)), 1;
 *         const sooth_model *model = (const sooth_model *)file;
 *         printf("%g seconds\n", sooth_model_predict(model, x + 2, NULL));  //> 4 seconds
 *         return 0;
 *     }
 *
 * Notes
 *
 * The bytes of a model are its file: write model->head.size bytes; read and check them to load. On big-endian
 * hosts use sooth_model_save and sooth_model_load. Predicting allocates nothing. The caller provides scratch.
 * All functions are thread-safe if each thread has its own env and scratch.
 *
 * Cost
 *
 * Predicting adds about 2 ns to the predictor. Checking is two passes over the bytes.
 */
#if !defined(SOOTH_MODEL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_IMPLEMENTED))
#include "base.h"
#include "preprocess/scale.h"
#include "model/seen.h"
#include "preprocess/levels.h"
#include "conformal.h"
#include "model/probability.h"
#include "linear.h"
#include "model/ratio.h"
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
#include "model/best.h"
#endif

#ifndef SOOTH_MODEL_H
#define SOOTH_MODEL_H

SOOTHI_C_BEGIN

/* 4 with a ratio, else 3 with levels or a probability, else 2 with an interval or adaptation, else 1 */
#define SOOTH_MODEL_VERSION 4
#define SOOTH_CARD_VERSION 1

/* Any model. Its bytes begin with this block, which states their size, the features and the targets. */
typedef struct sooth_model {
    sooth_block head;
} sooth_model;

/* Returns the block of a predictor or an envelope as a model, without a copy. Pass &tree->head, for example.
   For a block of another kind (a scale, a card, ...), sooth_model_check returns 0 and predictions are 0. */
SOOTH_API const sooth_model *sooth_model_from_block(const sooth_block *block);

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
    uint32_t levels_at;      /* from version 3 on */
    uint32_t probability_at; /* version 3 only, if there is neither an interval nor adaptation */
} sooth_model_envelope;

/* The envelope of version 4. The ratio is its last part. */
typedef struct sooth_model_ratio_envelope {
    sooth_model_envelope second;
    uint32_t ratio_at;
    uint32_t reserved[3];
} sooth_model_ratio_envelope;

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
   index of the name of feature j < model->head.features, by the names on the card. The first of equal names
   counts; column[j] is UINT32_MAX if no name matches or the model has no names. Returns the number of
   features not found. A name may be NULL. O(count x features) comparisons. */
SOOTH_API size_t sooth_model_map(const sooth_model *model, const char *const *names, size_t count,
                                 uint32_t *column);

/* Returns the bytes of scratch for `batch` rows at a time: batch x features floats with an input transform or
   statistics of levels, else 0. Scratch is aligned like a float, in all functions below. */
SOOTH_API size_t sooth_model_scratch_size(const sooth_model *model, size_t batch);

/* Predicts the first target (or P(y = 1)) for one row of model->head.features floats. scratch:
   sooth_model_scratch_size(model, 1) bytes, or NULL if that is 0. For several targets, call
   sooth_model_predict_many with rows = 1. */
SOOTH_API float sooth_model_predict(const sooth_model *model, const float *row, void *scratch);

/* Computes out[i * targets + t] for rows `stride` floats apart. scratch: sooth_model_scratch_size(model,
   batch) bytes, batch >= 1. From 16 on, predictors work on several rows at once. */
SOOTH_API void sooth_model_predict_many(const sooth_model *model, const float *x, size_t rows, size_t stride,
                                        float *out, void *scratch, size_t batch);

/* Predicts one task with every available choice (each worker, each implementation): out[i * targets + t] for
   `choices` rows. Each is a copy of `row`, except that column[k] < features, for k < columns, holds
   choice[i * columns + k]. The host fills `choice` once. scratch: sooth_model_choices_scratch_size bytes. */
SOOTH_API void sooth_model_predict_choices(const sooth_model *model, const float *row, const uint32_t *column,
                                           size_t columns, const float *choice, size_t choices, float *out,
                                           void *scratch, size_t batch);

/* Returns the bytes of scratch for sooth_model_predict_choices. */
SOOTH_API size_t sooth_model_choices_scratch_size(const sooth_model *model, size_t batch);

/* Returns the worst-case cost of one row, transforms included, and the bytes of the whole model. */
SOOTH_API sooth_cost sooth_model_cost(const sooth_model *model);

/* Returns the number of features outside their training range; 0 means that the model interpolates in every
   feature. An unknown level counts (sooth_levels_code). So does a missing level, unless training rows missed
   it, too. Missing numbers do not count, and without a card no number does. */
SOOTH_API uint32_t sooth_model_outside(const sooth_model *model, const float *row);

/* Returns 1 if a feature (from 0) with this value counts in sooth_model_outside, else 0. */
SOOTH_API int sooth_model_is_outside(const sooth_model *model, uint32_t feature, float value);

/* Pointers to the parts of a checked model; NULL if absent. */
typedef struct sooth_model_parts {
    const sooth_scale *input;
    const sooth_block *predictor;
    const sooth_scale *target;
    const sooth_model_card *card;
    const sooth_conformal *interval; /* of the first target; those of the others follow one another */
    const sooth_adapt *adapt;
    const sooth_levels *levels;
    const sooth_probability *probability;
    const sooth_ratio *ratio;
} sooth_model_parts;

/* Finds the parts of a checked model. A bare predictor is its only part. */
SOOTH_API void sooth_model_open(const sooth_model *model, sooth_model_parts *parts);

/* Computes the rows that the predictor is applied to, out[i * features + j]: levels are replaced by their
   statistics, then the input transform is applied. x may be out if stride is the number of features. */
SOOTH_API void sooth_model_transform(const sooth_model_parts *parts, const float *x, size_t rows,
                                     size_t stride, float *out);

/* ---- intervals, trust and new programs ---- */

/* Returns the interval's block of target t < model->head.targets; NULL if the model has no intervals. */
SOOTH_API const sooth_conformal *sooth_model_conformal(const sooth_model *model, size_t t);

/* Computes the interval of a prediction of target t. If no training target was below 0, neither end is.
   Returns the prediction, raised to 0 in that case. Without an interval both ends are NaN. The interval is
   unbounded if sooth_model_conformal(model, t)->claim.promise is SOOTH_CONFORMAL_NONE: it was calibrated on
   too few rows or groups. */
SOOTH_API float sooth_model_interval_from(const sooth_model *model, size_t t, float predicted, float *low,
                                          float *high);

/* Returns how far a row lies from the training data. SOOTH_MODEL_TRUST_INSIDE: inside the range of every
   feature. SOOTH_MODEL_TRUST_EDGE: outside by at most a tenth of a feature's range.
   SOOTH_MODEL_TRUST_OUTSIDE: farther, or a feature differs that was constant in training. *feature is the
   feature farthest out, or UINT32_MAX. An unknown level is outside, and a missing number does not count, as
   in sooth_model_outside. Without a card numbers are inside. A model that adapts follows sooth_adapt_predict
   instead: it uses logarithmic scales, and a missing feature is outside. */
SOOTH_API sooth_model_trust_level sooth_model_trust(const sooth_model *model, const float *row,
                                                    uint32_t *feature);

/* Predicts the first target with its interval (sooth_model_interval_from) and trust. known is 0. */
SOOTH_API void sooth_model_interval(const sooth_model *model, const float *row, void *scratch,
                                    sooth_adapted *answer);

/* Adds a measured launch of a program, like sooth_adapt_observe, with the model's own prediction. (Call
   sooth_adapt_program_size on parts.adapt for the memory that sooth_adapt_begin needs.) Returns
   SOOTH_ADAPT_REFUSED and changes nothing if the model does not adapt. */
SOOTH_API sooth_adapt_outcome sooth_model_observe(const sooth_model *model, sooth_adapt_program *program,
                                                  const float *row, float actual, void *scratch);

/* Predicts a launch of that program, corrected by the launches measured so far. Without any, the program is
   unknown. Not below 0 if no training target was. Without adaptation, or if program is NULL: like
   sooth_model_interval. */
SOOTH_API void sooth_model_adapted(const sooth_model *model, const sooth_adapt_program *program,
                                   const float *row, void *scratch, sooth_adapted *answer);

/* ---- the card ---- */

/* Returns the i-th text of a field of a checked card; "" if there is none. */
SOOTH_API const char *sooth_model_card_text(const sooth_model_card *card, sooth_model_card_field field,
                                            size_t i);

/* Returns min and max of feature j at 2 j and 2 j + 1; targets follow the features. NaN means unknown. The
   min of a feature with levels is -1 if it was missing in training rows. */
SOOTH_API const float *sooth_model_card_range(const sooth_model_card *card);

/* ---- bytes ---- */

/* Swaps the words and doubles of bytes[0..size), a model or any other block, between this host's byte order
   and the opposite one, in place. Then it seals the block again. A big-endian host calls this once for each
   file. Returns SOOTH_BAD_MODEL if the bytes are invalid; they may then be half swapped. */
SOOTH_API sooth_status sooth_model_swap_bytes(void *bytes, size_t size);

/* Writes the model in the format of files, little-endian, to bytes[0..model->head.size). */
SOOTH_API void sooth_model_save(const sooth_model *model, void *bytes);

#ifndef SOOTH_PREDICT_ONLY

/* Copies the bytes of a file into new memory and checks them. Returns SOOTH_BAD_MODEL with the reason: not a
   model, cut short, changed, from a later version. */
SOOTH_API sooth_status sooth_model_load(sooth_env *env, const void *bytes, size_t size, sooth_model **model);

/* Frees what sooth_model_load, sooth_model_assemble or a fit of train.h returned. NULL is allowed. The size
   comes from the block. */
SOOTH_API void sooth_model_free(sooth_env *env, sooth_model *model);

/* Like sooth_model_map. SOOTH_BAD_ARGUMENT names the first feature that is not among the names. */
SOOTH_API sooth_status sooth_model_map_check(sooth_env *env, const sooth_model *model,
                                             const char *const *names, size_t count, uint32_t *column);

/* Like sooth_model_predict_many, bit for bit, on all workers of the env, with memory of the env for each. For
   2,000 rows or more, ensembles of trees use a scorer (tree/scorer.h) if the scorer supports them. Returns
   SOOTH_NO_MEMORY if memory is short. Reports progress and can be cancelled. */
SOOTH_API sooth_status sooth_model_predict_table(sooth_env *env, const sooth_model *model, const float *x,
                                                 size_t rows, size_t stride, float *out);

/* ---- making a card and an envelope ---- */

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
    const sooth_model_seen_rows *seen; /* the training rows; NULL means that no hashes are stored */
} sooth_model_card_content;

/* Copies the content into a card. Returns SOOTH_BAD_ARGUMENT without features or targets. */
SOOTH_API sooth_status sooth_model_card_make(sooth_env *env, const sooth_model_card_content *content,
                                             sooth_model_card **card);

/* Frees a card made by sooth_model_card_make. NULL is allowed. */
SOOTH_API void sooth_model_card_free(sooth_env *env, sooth_model_card *card);

/* Returns score i of a checked card. */
SOOTH_API double sooth_model_card_score(const sooth_model_card *card, size_t i);

/* Gets the hashes of training rows from a checked card; there are none if seen->count is 0. */
SOOTH_API void sooth_model_card_seen(const sooth_model_card *card, sooth_model_seen_rows *seen);

/* Copies valid parts into one envelope. Returns SOOTH_BAD_ARGUMENT if their features and targets do not
   agree. parts->interval: a block for each target, one after the other in memory. */
SOOTH_API sooth_status sooth_model_assemble(sooth_env *env, const sooth_model_parts *parts,
                                            sooth_model **model);

/* ---- the list of kinds ---- */

/* A kind of predictor: a line of SOOTH_KIND_LIST. */
typedef struct sooth_model_kind {
    uint32_t kind;         /* SOOTH_KIND_TREE */
    uint32_t transform;    /* default transform of the features: a sooth_scale_transform */
    uint32_t max_targets;  /* maximum number of targets that a fit learns at once; 0 means any number */
    uint32_t options_size; /* sizeof(sooth_tree_options) */
    char name[16];         /* "tree" */
    char title[48];        /* "regression tree" */
    char columns[48];      /* required features, in order: "threads, frequency, speed"; "" means any */
} sooth_model_kind;

/* Returns the i-th kind of the list; NULL past its end. */
SOOTH_API const sooth_model_kind *sooth_model_kind_at(size_t i);

/* Returns the kind of a checked model's predictor. */
SOOTH_API const sooth_model_kind *sooth_model_predictor_kind(const sooth_model *model);

/* Returns the names and ranges of a kind's options. */
SOOTH_API sooth_option_list sooth_model_kind_options(const sooth_model_kind *kind);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MODEL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_IMPLEMENTED)
#define SOOTH_MODEL_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the parts of a block ---- */

SOOTHI_LOCAL uint32_t soothi_model_kind(const sooth_block *block) { return block->kind & 0xFFFFu; }

SOOTHI_LOCAL const void *soothi_model_part(const void *block, uint32_t at) {
    return at ? (const void *)((const unsigned char *)block + at) : NULL;
}

SOOTH_API const sooth_model *sooth_model_from_block(const sooth_block *block) {
    return (const sooth_model *)(const void *)block;
}

SOOTH_API void sooth_model_open(const sooth_model *model, sooth_model_parts *parts) {
    const sooth_envelope *envelope = (const sooth_envelope *)(const void *)model;
    if (soothi_model_kind(&model->head) != SOOTH_KIND_MODEL) {
        memset(parts, 0, sizeof *parts);
        parts->predictor = &model->head;
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
    parts->ratio = NULL;
    if (model->head.kind >> 16 < 2) return;
    const sooth_model_envelope *second = (const sooth_model_envelope *)(const void *)model;
    parts->interval = (const sooth_conformal *)soothi_model_part(model, second->interval_at);
    parts->adapt = (const sooth_adapt *)soothi_model_part(model, second->adapt_at);
    parts->levels = (const sooth_levels *)soothi_model_part(model, second->levels_at);
    parts->probability = (const sooth_probability *)soothi_model_part(model, second->probability_at);
    if (model->head.kind >> 16 < 4) return;
    parts->ratio = (const sooth_ratio *)soothi_model_part(
        model, ((const sooth_model_ratio_envelope *)(const void *)model)->ratio_at);
}

SOOTH_API const sooth_conformal *sooth_model_conformal(const sooth_model *model, size_t t) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_block *at = parts.interval ? &parts.interval->head : NULL;
    for (size_t k = 0; at && k < t; ++k) at = (const sooth_block *)soothi_model_part(at, at->size);
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
        card->seen % 4u != 0 || card->seen > 4u * (SOOTH_MODEL_SEEN_MAX + 1u))
        return 0;
    const uint32_t *at = soothi_card_at(card);
    uint64_t texts = soothi_card_texts(card->head.features, card->head.targets, card->scores);
    for (uint64_t i = 0; i < texts; ++i)
        if (at[i] >= room) return 0;
    return 1;
}

/* ---- checking ---- */

/* Of all kinds but best, whose members have these. */
SOOTHI_LOCAL int soothi_model_plain_check(const void *bytes, size_t size) {
    sooth_block head;
    if (size < sizeof head) return 0;
    memcpy(&head, bytes, sizeof head);
    switch (soothi_model_kind(&head)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: return sooth_##name##_check(bytes, size);
        SOOTH_KIND_PLAIN(SOOTHI_ITEM)
        SOOTH_KIND_EXTRA(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return 0;
    }
}

SOOTHI_LOCAL int soothi_model_predictor_check(const void *bytes, size_t size) {
    sooth_block head;
    if (size < sizeof head) return 0;
    memcpy(&head, bytes, sizeof head);
    return soothi_model_kind(&head) == SOOTH_KIND_BEST ? sooth_best_check(bytes, size)
                                                       : soothi_model_plain_check(bytes, size);
}

/* Checks a part of an envelope, if present: it must begin where the last one ended. Moves *end. */
SOOTHI_LOCAL int soothi_model_part_check(const sooth_envelope *envelope, uint32_t at,
                                         int (*check)(const void *, size_t), uint32_t *end, uint32_t features,
                                         uint32_t targets) {
    if (at == 0) return 1;
    if (at != *end) return 0;
    const sooth_block *part = (const sooth_block *)soothi_model_part(envelope, at);
    if (!check(part, envelope->head.size - at)) return 0;
    *end = at + part->size;
    return part->features == features && part->targets == targets;
}

/* Checks the later parts. Version 2: an interval's block for each target, and adaptation of a single target.
   Version 3: levels of the features, and a probability of a single target that excludes the other two.
   Version 4: a ratio, which excludes the probability. */
SOOTHI_LOCAL int soothi_model_second_check(const sooth_model_envelope *e, uint32_t *end) {
    const uint32_t features = e->first.head.features, targets = e->first.head.targets;
    const uint32_t version = e->first.head.kind >> 16;
    const int two = e->interval_at || e->adapt_at, three = e->levels_at || e->probability_at;
    if ((version == 3 && !three) || (version == 2 && (three || !two))) return 0;
    if (e->probability_at && (two || targets != 1 || version == 4)) return 0;
    if (e->interval_at && e->interval_at != *end) return 0;
    for (uint32_t t = 0; e->interval_at && t < targets; ++t)
        if (!soothi_model_part_check(&e->first, *end, sooth_conformal_check, end, 0, 1)) return 0;
    return soothi_model_part_check(&e->first, e->adapt_at, sooth_adapt_check, end, features, targets) &&
           soothi_model_part_check(&e->first, e->levels_at, sooth_levels_check, end, features, features) &&
           soothi_model_part_check(&e->first, e->probability_at, sooth_probability_check, end, 0, 1);
}

/* Checks the ratio, if the version has one. */
SOOTHI_LOCAL int soothi_model_fourth_check(const sooth_model_ratio_envelope *e, uint32_t *end) {
    const sooth_envelope *first = &e->second.first;
    return e->ratio_at && !e->reserved[0] && !e->reserved[1] && !e->reserved[2] &&
           soothi_model_part_check(first, e->ratio_at, sooth_ratio_check, end, first->head.features, 1);
}

/* Bytes of the struct of an envelope. */
SOOTHI_LOCAL size_t soothi_model_envelope_size(uint32_t version) {
    return version >= 4   ? sizeof(sooth_model_ratio_envelope)
           : version >= 2 ? sizeof(sooth_model_envelope)
                          : sizeof(sooth_envelope);
}

/* predictor: checks the predictor. */
SOOTHI_LOCAL int soothi_model_check_with(const void *bytes, size_t size,
                                         int (*predictor)(const void *, size_t)) {
    const sooth_envelope *e = (const sooth_envelope *)bytes;
    uint32_t version = SOOTH_MODEL_VERSION;
    while (version && !sooth_block_check(bytes, size, SOOTH_KIND_MODEL, version)) --version;
    if (version == 0) return bytes && predictor(bytes, size);
    const int second = version >= 2;
    const uint32_t features = e->head.features, targets = e->head.targets;
    uint32_t end = e->head.bytes_at;
    return e->head.doubles_at == soothi_model_envelope_size(version) && end == e->head.doubles_at &&
           e->predictor_at && features && targets &&
           soothi_model_part_check(e, e->input_at, sooth_scale_check, &end, features, features) &&
           soothi_model_part_check(e, e->predictor_at, predictor, &end, features, targets) &&
           soothi_model_part_check(e, e->target_at, sooth_scale_check, &end, targets, targets) &&
           soothi_model_part_check(e, e->card_at, soothi_card_check, &end, features, targets) &&
           (!second || soothi_model_second_check((const sooth_model_envelope *)bytes, &end)) &&
           (version < 4 || soothi_model_fourth_check((const sooth_model_ratio_envelope *)bytes, &end)) &&
           end == e->head.size;
}

SOOTH_API int sooth_model_check(const void *bytes, size_t size) {
    return soothi_model_check_with(bytes, size, soothi_model_predictor_check);
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
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
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
    if (head.magic == 0x534F5448u) return "the model is in the other byte order: call sooth_model_swap_bytes";
    switch (soothi_model_fault_of(&head, (const unsigned char *)bytes, size)) {
    case SOOTHI_MODEL_EMPTY: return "the model file is empty";
    case SOOTHI_MODEL_FOREIGN: return "this is not a model file";
    case SOOTHI_MODEL_CUT: return "the model file is cut short";
    case SOOTHI_MODEL_DAMAGED: return "the model file was changed or damaged: its checksum does not match";
    case SOOTHI_MODEL_UNKNOWN:
        if (soothi_model_kind(&head) == SOOTH_KIND_ORIGIN)
            return "the model subtracts origins from its columns: load it with sooth_origin_load";
        return "the file has a block of another kind than the models of this version";
    case SOOTHI_MODEL_LATER: return "the model file has a later format than this version reads";
    default: break;
    }
    if ((uintptr_t)bytes % offsetof(soothi_align, d) != 0)
        return "the address of the model is not aligned like a double";
    return "the model file is invalid: its checksum matches, but its contents do not";
}

/* ---- names ---- */

SOOTH_API size_t sooth_model_map(const sooth_model *model, const char *const *names, size_t count,
                                 uint32_t *column) {
    sooth_model_parts parts;
    size_t missing = 0;
    sooth_model_open(model, &parts);
    for (uint32_t j = 0; j < model->head.features; ++j) {
        const char *name = parts.card ? sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j) : "";
        size_t i = 0;
        while (i < count && !(*name && names[i] && soothi_same_text(names[i], name))) ++i;
        column[j] = i < count ? (uint32_t)i : UINT32_MAX;
        missing += i == count;
    }
    return missing;
}

/* ---- predicting ---- */

/* These three are of all kinds but best. */
SOOTHI_LOCAL float soothi_model_plain_one(const sooth_block *predictor, const float *row) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: return sooth_##name##_predict((const sooth_##name *)(const void *)predictor, row);
        SOOTH_KIND_PLAIN(SOOTHI_ITEM)
        SOOTH_KIND_EXTRA(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return 0.0f;
    }
}

SOOTHI_LOCAL void soothi_model_plain_many(const sooth_block *predictor, const float *x, size_t rows,
                                          size_t stride, float *out) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets)                               \
    case SOOTH_KIND_##NAME:                                                                               \
        sooth_##name##_predict_many((const sooth_##name *)(const void *)predictor, x, rows, stride, out); \
        break;
        SOOTH_KIND_PLAIN(SOOTHI_ITEM)
        SOOTH_KIND_EXTRA(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: break;
    }
}

SOOTHI_LOCAL sooth_cost soothi_model_plain_cost(const sooth_block *predictor) {
    sooth_cost none;
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: return sooth_##name##_cost((const sooth_##name *)(const void *)predictor);
        SOOTH_KIND_PLAIN(SOOTHI_ITEM)
        SOOTH_KIND_EXTRA(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: memset(&none, 0, sizeof none); return none;
    }
}

SOOTHI_LOCAL const sooth_best *soothi_model_best(const sooth_block *predictor) {
    return soothi_model_kind(predictor) == SOOTH_KIND_BEST ? (const sooth_best *)(const void *)predictor
                                                           : NULL;
}

SOOTHI_LOCAL float soothi_model_predictor_one(const sooth_block *predictor, const float *row) {
    const sooth_best *best = soothi_model_best(predictor);
    return best ? sooth_best_predict(best, row) : soothi_model_plain_one(predictor, row);
}

SOOTHI_LOCAL void soothi_model_predictor_many(const sooth_block *predictor, const float *x, size_t rows,
                                              size_t stride, float *out) {
    const sooth_best *best = soothi_model_best(predictor);
    if (best) sooth_best_predict_many(best, x, rows, stride, out);
    else soothi_model_plain_many(predictor, x, rows, stride, out);
}

SOOTHI_LOCAL sooth_cost soothi_model_predictor_cost(const sooth_block *predictor) {
    const sooth_best *best = soothi_model_best(predictor);
    return best ? sooth_best_cost(best) : soothi_model_plain_cost(predictor);
}

/* Returns the levels if they are encoded by statistics, else NULL. */
SOOTHI_LOCAL const sooth_levels *soothi_model_statistics(const sooth_model_parts *parts) {
    return parts->levels && parts->levels->statistics ? parts->levels : NULL;
}

/* Whether rows are transformed before the predictor gets them. */
SOOTHI_LOCAL int soothi_model_changes(const sooth_model_parts *parts) {
    return parts->input || soothi_model_statistics(parts);
}

SOOTH_API void sooth_model_transform(const sooth_model_parts *parts, const float *x, size_t rows,
                                     size_t stride, float *out) {
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

SOOTH_API size_t sooth_model_scratch_size(const sooth_model *model, size_t batch) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return soothi_model_changes(&parts) ? batch * model->head.features * sizeof(float) : 0;
}

/* Converts predictions back: by the target's scale, and multiplied by the form of a ratio. */
SOOTHI_LOCAL void soothi_model_invert(const sooth_model_parts *parts, const float *x, size_t rows,
                                      size_t stride, size_t targets, float *out) {
    if (parts->target) sooth_scale_invert_many(parts->target, out, rows, targets, out);
    if (parts->ratio) soothi_ratio_multiply(parts->ratio, x, rows, stride, targets, out);
}

SOOTH_API float sooth_model_predict(const sooth_model *model, const float *row, void *scratch) {
    const float *seen = row;
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (soothi_model_changes(&parts)) {
        sooth_model_transform(&parts, row, 1, model->head.features, (float *)scratch);
        seen = (const float *)scratch;
    }
    float predicted = soothi_model_predictor_one(parts.predictor, seen);
    if (parts.target) predicted = sooth_scale_invert_one(parts.target, 0, predicted);
    if (parts.ratio) soothi_ratio_multiply(parts.ratio, row, 1, 0, 1, &predicted);
    return parts.probability ? sooth_probability_apply(parts.probability, predicted) : predicted;
}

SOOTH_API void sooth_model_predict_many(const sooth_model *model, const float *x, size_t rows, size_t stride,
                                        float *out, void *scratch, size_t batch) {
    sooth_model_parts parts;
    float *const seen = (float *)scratch;
    size_t n;
    sooth_model_open(model, &parts);
    const int changes = soothi_model_changes(&parts);
    if (!changes) soothi_model_predictor_many(parts.predictor, x, rows, stride, out);
    for (size_t done = 0; changes && done < rows; done += n) {
        n = rows - done < batch ? rows - done : batch;
        sooth_model_transform(&parts, x + done * stride, n, stride, seen);
        soothi_model_predictor_many(parts.predictor, seen, n, model->head.features,
                                    out + done * model->head.targets);
    }
    soothi_model_invert(&parts, x, rows, stride, model->head.targets, out);
    if (parts.probability) sooth_probability_apply_many(parts.probability, out, rows, out);
}

SOOTH_API void sooth_model_predict_choices(const sooth_model *model, const float *row, const uint32_t *column,
                                           size_t columns, const float *choice, size_t choices, float *out,
                                           void *scratch, size_t batch) {
    const size_t features = model->head.features;
    float *rows = (float *)scratch, *rest = rows + batch * features;
    size_t n;
    for (size_t i = 0; i < batch && i < choices; ++i)
        memcpy(rows + i * features, row, features * sizeof *row);
    for (size_t done = 0; done < choices; done += n) {
        n = choices - done < batch ? choices - done : batch;
        for (size_t i = 0; i < n; ++i)
            for (size_t k = 0; k < columns; ++k)
                rows[i * features + column[k]] = choice[(done + i) * columns + k];
        sooth_model_predict_many(model, rows, n, features, out + done * model->head.targets, rest, batch);
    }
}

SOOTH_API size_t sooth_model_choices_scratch_size(const sooth_model *model, size_t batch) {
    return batch * model->head.features * sizeof(float) + sooth_model_scratch_size(model, batch);
}

SOOTHI_LOCAL void soothi_model_cost_add(sooth_cost *cost, sooth_cost more) {
    cost->comparisons += more.comparisons;
    cost->multiply_adds += more.multiply_adds;
    cost->functions += more.functions;
}

/* Adds the cost of the parts around the predictor. */
SOOTHI_LOCAL void soothi_model_cost_around(const sooth_model_parts *parts, sooth_cost *cost) {
    if (parts->levels) soothi_model_cost_add(cost, sooth_levels_cost(parts->levels));
    if (parts->input) soothi_model_cost_add(cost, sooth_scale_cost(parts->input));
    if (parts->target) soothi_model_cost_add(cost, sooth_scale_cost(parts->target));
    if (parts->probability) soothi_model_cost_add(cost, sooth_probability_cost(parts->probability));
    if (parts->ratio) soothi_model_cost_add(cost, sooth_ratio_cost(parts->ratio));
}

SOOTH_API sooth_cost sooth_model_cost(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    sooth_cost cost = soothi_model_predictor_cost(parts.predictor);
    soothi_model_cost_around(&parts, &cost);
    cost.bytes = model->head.size;
    return cost;
}

/* ---- members of a best ---- */

/* One target, and no part that this file or the caller would have to apply around the predictor, except
   transforms and levels. */
SOOTHI_LOCAL uint32_t soothi_model_member_check(const void *bytes, size_t size, uint32_t features) {
    const sooth_model *member = (const sooth_model *)bytes;
    sooth_model_parts parts;
    if (!soothi_model_check_with(bytes, size, soothi_model_plain_check) ||
        member->head.features != features || member->head.targets != 1)
        return 0;
    sooth_model_open(member, &parts);
    if (parts.card || parts.interval || parts.adapt || parts.probability || parts.ratio) return 0;
    return soothi_model_changes(&parts) && features > SOOTH_BEST_ROOM ? 0 : member->head.size;
}

SOOTHI_LOCAL void soothi_model_member_many(const sooth_block *member, const float *x, size_t rows,
                                           size_t stride, float *out) {
    const size_t features = member->features;
    float room[SOOTH_BEST_ROOM];
    sooth_model_parts parts;
    size_t n;
    sooth_model_open(sooth_model_from_block(member), &parts);
    const int changes = soothi_model_changes(&parts);
    if (!changes) soothi_model_plain_many(parts.predictor, x, rows, stride, out);
    for (size_t done = 0; changes && done < rows; done += n) {
        n = rows - done < SOOTH_BEST_ROOM / features ? rows - done : SOOTH_BEST_ROOM / features;
        sooth_model_transform(&parts, x + done * stride, n, stride, room);
        soothi_model_plain_many(parts.predictor, room, n, features, out + done);
    }
    if (parts.target) sooth_scale_invert_many(parts.target, out, rows, 1, out);
}

SOOTHI_LOCAL sooth_cost soothi_model_member_cost(const sooth_block *member) {
    sooth_model_parts parts;
    sooth_model_open(sooth_model_from_block(member), &parts);
    sooth_cost cost = soothi_model_plain_cost(parts.predictor);
    soothi_model_cost_around(&parts, &cost);
    return cost;
}

/* How far the value v of a feature lies outside its training range, in widths of that range: 0 if inside, or
   if a bound is unknown. At most 2, and 2 if the range is a point, or if v is an unknown level. The range of
   a categorical feature begins at -1 if training rows missed it. */
SOOTHI_LOCAL float soothi_model_beyond(const sooth_model_parts *parts, uint32_t feature, float v) {
    const float *range = parts->card ? sooth_model_card_range(parts->card) + 2 * (size_t)feature : NULL;
    const sooth_levels_column *column = parts->levels ? sooth_levels_columns(parts->levels) + feature : NULL;
    if (column && !column->categorical) column = NULL;
    if (soothi_is_missing(v)) {
        const int missed = range && range[0] < 0.0f && soothi_levels_missing(v);
        return column && !missed ? 2.0f : 0.0f;
    }
    if (column && !(v >= 0.0f && v < (float)column->count)) return 2.0f;
    if (!range) return 0.0f;
    const float width = range[1] - range[0], out = v < range[0] ? range[0] - v : v - range[1];
    if (!(out > 0.0f)) return 0.0f;
    return !column && out <= 2.0f * width ? out / width : 2.0f;
}

SOOTH_API uint32_t sooth_model_outside(const sooth_model *model, const float *row) {
    sooth_model_parts parts;
    uint32_t n = 0;
    sooth_model_open(model, &parts);
    const float *range = parts.card && !parts.levels ? sooth_model_card_range(parts.card) : NULL;
    for (uint32_t j = 0; j < model->head.features; ++j)
        if (!range || row[j] < range[2 * (size_t)j] || row[j] > range[2 * (size_t)j + 1])
            n += soothi_model_beyond(&parts, j, row[j]) > 0.0f;
    return n;
}

SOOTH_API int sooth_model_is_outside(const sooth_model *model, uint32_t feature, float value) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return soothi_model_beyond(&parts, feature, value) > 0.0f;
}

/* ---- intervals, trust and new programs ---- */

SOOTH_API sooth_model_trust_level sooth_model_trust(const sooth_model *model, const float *row,
                                                    uint32_t *feature) {
    sooth_model_parts parts;
    sooth_adapted answer;
    float worst = 0.0f;
    sooth_model_open(model, &parts);
    *feature = UINT32_MAX;
    if (parts.adapt) {
        const sooth_adapt_program nobody = {0, 0, 0, 0}; /* no launch observed */
        sooth_adapt_predict(parts.adapt, &nobody, row, 1.0f, &answer);
        *feature = answer.feature;
        return (sooth_model_trust_level)answer.trust;
    }
    for (uint32_t j = 0; j < model->head.features; ++j) {
        const float beyond = soothi_model_beyond(&parts, j, row[j]);
        if (!(beyond > worst)) continue;
        worst = beyond;
        *feature = j;
    }
    return !(worst > 0.0f) ? SOOTH_MODEL_TRUST_INSIDE
           : worst <= 0.1f ? SOOTH_MODEL_TRUST_EDGE
                           : SOOTH_MODEL_TRUST_OUTSIDE;
}

/* Whether target t was never below 0 in training; then it is not predicted below 0. */
SOOTHI_LOCAL int soothi_model_is_positive(const sooth_model *model, const sooth_model_card *card, size_t t) {
    return card && sooth_model_card_range(card)[2 * (model->head.features + t)] >= 0.0f;
}

SOOTHI_LOCAL void soothi_model_raise(float *value) {
    if (*value < 0.0f) *value = 0.0f;
}

SOOTH_API float sooth_model_interval_from(const sooth_model *model, size_t t, float predicted, float *low,
                                          float *high) {
    const sooth_conformal *interval = sooth_model_conformal(model, t);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    *low = *high = soothi_missing();
    if (interval) sooth_conformal_interval(interval, predicted, 1.0f, low, high);
    if (!soothi_model_is_positive(model, parts.card, t)) return predicted;
    soothi_model_raise(&predicted);
    soothi_model_raise(low);
    soothi_model_raise(high);
    return predicted;
}

SOOTH_API void sooth_model_interval(const sooth_model *model, const float *row, void *scratch,
                                    sooth_adapted *answer) {
    const float predicted = sooth_model_predict(model, row, scratch);
    answer->value = sooth_model_interval_from(model, 0, predicted, &answer->low, &answer->high);
    answer->trust = (uint32_t)sooth_model_trust(model, row, &answer->feature);
    answer->known = 0.0f;
}

SOOTH_API sooth_adapt_outcome sooth_model_observe(const sooth_model *model, sooth_adapt_program *program,
                                                  const float *row, float actual, void *scratch) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.adapt) return SOOTH_ADAPT_REFUSED;
    return sooth_adapt_observe(parts.adapt, program, row, sooth_model_predict(model, row, scratch), actual);
}

SOOTH_API void sooth_model_adapted(const sooth_model *model, const sooth_adapt_program *program,
                                   const float *row, void *scratch, sooth_adapted *answer) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.adapt || !program) {
        sooth_model_interval(model, row, scratch, answer);
        return;
    }
    sooth_adapt_predict(parts.adapt, program, row, sooth_model_predict(model, row, scratch), answer);
    if (!soothi_model_is_positive(model, parts.card, 0)) return;
    soothi_model_raise(&answer->value);
    soothi_model_raise(&answer->low);
    soothi_model_raise(&answer->high);
}

/* ---- byte order ---- */

/* Reverses each unit of `width` bytes in bytes[0..size). */
SOOTHI_LOCAL void soothi_model_reverse(unsigned char *bytes, size_t size, size_t width) {
    for (size_t i = 0; i < size; i += width)
        for (size_t k = 0; k < width / 2; ++k) {
            unsigned char b = bytes[i + k];
            bytes[i + k] = bytes[i + width - 1 - k];
            bytes[i + width - 1 - k] = b;
        }
}

/* Reads a block's header in either byte order (*foreign: the opposite one); checks it like
   sooth_block_check. */
SOOTHI_LOCAL int soothi_model_swap_head(const unsigned char *bytes, size_t size, sooth_block *head,
                                        int *foreign) {
    if (size < sizeof *head) return 0;
    memcpy(head, bytes, sizeof *head);
    *foreign = head->magic != SOOTH_BLOCK_MAGIC;
    if (*foreign) soothi_model_reverse((unsigned char *)head, sizeof *head, 4);
    return soothi_block_header_valid(head, size) && head->checksum == soothi_checksum(bytes, head->size);
}

/* Swaps the words and doubles of one block and seals it. Its region of bytes must be final. */
SOOTHI_LOCAL void soothi_model_swap_block(unsigned char *bytes, const sooth_block *head, int foreign) {
    unsigned char *seal = bytes + offsetof(sooth_block, checksum);
    soothi_model_reverse(bytes, head->doubles_at, 4);
    soothi_model_reverse(bytes + head->doubles_at, head->bytes_at - head->doubles_at, 8);
    const uint32_t checksum = soothi_checksum(bytes, head->size);
    memcpy(seal, &checksum, sizeof checksum);
    if (!foreign) soothi_model_reverse(seal, sizeof checksum, 4);
}

/* Swaps the blocks inside of a block whose header was read. */
typedef sooth_status soothi_model_swap(unsigned char *bytes, const sooth_block *head, int foreign);

/* Swaps the next of the blocks at bytes[0..size), and reads its header. Blocks inside of it are swapped
   first: those of an envelope and of a best by these functions, NULL if it must be none. */
SOOTHI_LOCAL sooth_status soothi_model_swap_next(unsigned char *bytes, size_t size, int foreign,
                                                 soothi_model_swap *envelope, soothi_model_swap *best,
                                                 sooth_block *head) {
    int head_foreign;
    if (!soothi_model_swap_head(bytes, size, head, &head_foreign) || head_foreign != foreign)
        return SOOTH_BAD_MODEL;
    const uint32_t kind = soothi_model_kind(head);
    soothi_model_swap *const inside = kind == SOOTH_KIND_MODEL ? envelope : best;
    if (kind == SOOTH_KIND_MODEL || kind == SOOTH_KIND_BEST)
        if (!inside || inside(bytes, head, foreign) != SOOTH_OK) return SOOTH_BAD_MODEL;
    soothi_model_swap_block(bytes, head, foreign);
    return SOOTH_OK;
}

/* The parts of a member. */
SOOTHI_LOCAL sooth_status soothi_model_swap_member(unsigned char *bytes, const sooth_block *head,
                                                   int foreign) {
    sooth_block part;
    for (uint32_t at = head->bytes_at; at < head->size; at += part.size)
        if (soothi_model_swap_next(bytes + at, head->size - at, foreign, NULL, NULL, &part) != SOOTH_OK)
            return SOOTH_BAD_MODEL;
    return SOOTH_OK;
}

/* The members of a best. */
SOOTHI_LOCAL sooth_status soothi_model_swap_members(unsigned char *bytes, const sooth_block *head,
                                                    int foreign) {
    unsigned char word[4];
    uint32_t members, at = head->bytes_at;
    sooth_block member;
    if (head->doubles_at < sizeof(sooth_best)) return SOOTH_BAD_MODEL;
    memcpy(word, bytes + offsetof(sooth_best, members), sizeof word);
    if (foreign) soothi_model_reverse(word, sizeof word, sizeof word);
    memcpy(&members, word, sizeof members);
    for (; members; --members, at += member.size)
        if (soothi_model_swap_next(bytes + at, head->size - at, foreign, soothi_model_swap_member, NULL,
                                   &member) != SOOTH_OK)
            return SOOTH_BAD_MODEL;
    return SOOTH_OK;
}

/* The parts of an envelope, whose predictor may be a best. */
SOOTHI_LOCAL sooth_status soothi_model_swap_parts(unsigned char *bytes, const sooth_block *head,
                                                  int foreign) {
    sooth_block part;
    for (uint32_t at = head->bytes_at; at < head->size; at += part.size)
        if (soothi_model_swap_next(bytes + at, head->size - at, foreign, NULL, soothi_model_swap_members,
                                   &part) != SOOTH_OK)
            return SOOTH_BAD_MODEL;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_model_swap_bytes(void *bytes, size_t size) {
    unsigned char *b = (unsigned char *)bytes;
    sooth_block head, model;
    int foreign;
    if (!b || !soothi_model_swap_head(b, size, &head, &foreign)) return SOOTH_BAD_MODEL;
    if (soothi_model_kind(&head) == SOOTH_KIND_ORIGIN &&
        soothi_model_swap_next(b + head.bytes_at, head.size - head.bytes_at, foreign, soothi_model_swap_parts,
                               soothi_model_swap_members, &model) != SOOTH_OK)
        return SOOTH_BAD_MODEL;
    if (soothi_model_kind(&head) == SOOTH_KIND_ORIGIN) {
        soothi_model_swap_block(b, &head, foreign);
        return SOOTH_OK;
    }
    return soothi_model_swap_next(b, size, foreign, soothi_model_swap_parts, soothi_model_swap_members,
                                  &head);
}

SOOTHI_LOCAL int soothi_model_little_endian(void) {
    const uint32_t one = 1;
    return *(const unsigned char *)&one;
}

/* Converts the bytes of a file to the order of this processor, or back. Returns 0 if they are no blocks. */
SOOTHI_LOCAL int soothi_model_to_host(void *bytes, size_t size) {
    return soothi_model_little_endian() || sooth_model_swap_bytes(bytes, size) == SOOTH_OK;
}

SOOTH_API void sooth_model_save(const sooth_model *model, void *bytes) {
    memcpy(bytes, model, model->head.size);
    (void)soothi_model_to_host(bytes, model->head.size);
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
        if (kind == SOOTH_KIND_ORIGIN)
            return sooth_fail(env, SOOTH_BAD_MODEL,
                              version > 1
                                  ? "%s has a later format than this version reads"
                                  : "%s subtracts origins from its columns: sooth_origin_load reads it",
                              where);
        return sooth_fail(env, SOOTH_BAD_MODEL,
                          "%s has a block of kind %u, which sooth %s does not know as a model", where, kind,
                          SOOTH_VERSION_TEXT);
    case SOOTHI_MODEL_LATER:
        return sooth_fail(env, SOOTH_BAD_MODEL, "%s has format %u, but sooth %s reads formats up to %u",
                          where, version, SOOTH_VERSION_TEXT, soothi_model_newest(kind));
    default: break;
    }
    return sooth_fail(env, SOOTH_BAD_MODEL, "%s is invalid: its checksum matches, but its contents do not",
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
    if (!soothi_model_to_host(copy, size) || !sooth_model_check(copy, size)) {
        sooth_free(env, copy, size, 1);
        return soothi_model_refuse(env, from, size);
    }
    *model = copy;
    return SOOTH_OK;
}

SOOTH_API void sooth_model_free(sooth_env *env, sooth_model *model) {
    soothi_block_free(env, model ? &model->head : NULL);
}

SOOTH_API sooth_status sooth_model_map_check(sooth_env *env, const sooth_model *model,
                                             const char *const *names, size_t count, uint32_t *column) {
    const size_t missing = sooth_model_map(model, names, count, column);
    sooth_model_parts parts;
    char brief[48];
    uint32_t j = 0;
    if (missing == 0) return SOOTH_OK;
    sooth_model_open(model, &parts);
    while (column[j] != UINT32_MAX) ++j;
    const char *name = parts.card ? sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j) : "";
    if (!*name) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "feature %u of the model has no name", j + 1);
    return sooth_fail(
        env, SOOTH_BAD_ARGUMENT,
        "the model needs %s, its feature %u, which is not among the %z names; %z of %u features "
        "are missing",
        soothi_brief(brief, name), j + 1, count, missing, model->head.features);
}

/* ---- the list of kinds ---- */

SOOTH_API const sooth_model_kind *sooth_model_kind_at(size_t i) {
    static const sooth_model_kind kind[] = {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    {number, SOOTH_SCALE_##transform, targets, sizeof(sooth_##name##_options), #name, title, columns},
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < sizeof kind / sizeof *kind ? &kind[i] : NULL;
}

SOOTH_API sooth_option_list sooth_model_kind_options(const sooth_model_kind *kind) {
    switch (kind->kind) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: return sooth_##name##_options_list();
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return soothi_option_list(NULL, 0);
    }
}

/* The kind exists because the block was checked. */
SOOTHI_LOCAL const sooth_model_kind *soothi_model_kind_of(const sooth_block *predictor) {
    size_t i = 0;
    while (sooth_model_kind_at(i)->kind != soothi_model_kind(predictor)) ++i;
    return sooth_model_kind_at(i);
}

SOOTH_API const sooth_model_kind *sooth_model_predictor_kind(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return soothi_model_kind_of(parts.predictor);
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

SOOTH_API void sooth_model_card_seen(const sooth_model_card *card, sooth_model_seen_rows *seen) {
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
    const sooth_block *ratio = parts->ratio ? &parts->ratio->head : NULL;
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
                          "the card has %u features and %u targets, but the predictor has %u and %u",
                          card->features, card->targets, predictor->features, predictor->targets);
    if (adapt && (adapt->features != predictor->features || predictor->targets != 1))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the adaptation has %u features and 1 target, but the predictor has %u and %u",
                          adapt->features, predictor->features, predictor->targets);
    if (probability && (predictor->targets != 1 || parts->interval || adapt))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a probability needs 1 target and neither interval nor adaptation, but there %s",
                          predictor->targets != 1 ? "are several targets"
                          : adapt                 ? "is adaptation"
                                                  : "is an interval");
    if (ratio && (ratio->features != predictor->features || probability))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          probability ? "a ratio excludes a probability"
                                      : "the ratio has %u columns, but the predictor has %u features",
                          ratio->features, predictor->features);
    if (levels && levels->features != predictor->features)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the dictionary has %u columns, but the predictor has %u features",
                          levels->features, predictor->features);
    const uint64_t intervals = soothi_model_intervals_size(parts->interval, predictor->targets);
    uint64_t bytes = (uint64_t)predictor->size + (input ? input->size : 0u) + (target ? target->size : 0u) +
                     (card ? card->size : 0u) + intervals + (adapt ? adapt->size : 0u) +
                     (levels ? levels->size : 0u) + (probability ? probability->size : 0u) +
                     (ratio ? ratio->size : 0u);
    const uint32_t version = ratio ? 4 : levels || probability ? 3 : parts->interval || adapt ? 2 : 1;
    e = (sooth_envelope *)soothi_block_new(env, SOOTH_KIND_MODEL, version,
                                           soothi_model_envelope_size(version), 0,
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
    if (ratio)
        ((sooth_model_ratio_envelope *)(void *)e)->ratio_at = soothi_model_assemble_part(e, &end, ratio);
    soothi_block_seal(&e->head);
    *model = (sooth_model *)(void *)e;
    return SOOTH_OK;
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
    const size_t from = m->from + i * m->block, targets = m->model->head.targets;
    const size_t left = m->rows - from, n = left < m->block ? left : m->block;
    const size_t features = m->model->head.features;
    const float *x = m->x + from * m->stride;
    float *seen = m->seen ? m->seen + worker * m->block * features : NULL;
    float *out = m->out + from * targets;
    if (!m->scorer) {
        sooth_model_predict_many(m->model, x, n, m->stride, out, seen, m->block);
        return;
    }
    if (seen) sooth_model_transform(&m->parts, x, n, m->stride, seen);
    sooth_scorer_predict_many(m->scorer, seen ? seen : x, n, seen ? features : m->stride, out,
                              m->work + worker * m->work_size);
    soothi_model_invert(&m->parts, x, n, m->stride, targets, out);
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
            m.seen = (float *)soothi_carve(&room, soothi_product(workers, model->head.features),
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

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_MODEL_DESCRIBE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_DESCRIBE_IMPLEMENTED))
#include "model/describe.h"
#endif
#if !defined(SOOTH_MODEL_ORIGIN_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_ORIGIN_IMPLEMENTED))
#include "model/origin.h"
#endif
