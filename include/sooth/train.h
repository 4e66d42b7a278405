/* train.h - fits any kind of model by a recipe: fit, calibrate, tune, tables larger than memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A recipe states what is fitted (train/recipe.h). It can be written as words: "boost n_estimators=200
 * interval=0.9". These functions return a model (model.h) or its best options:
 *
 *   sooth_train_fit          from a table in memory; with recipe.calibrated also prediction intervals, or the
 *                            probability of a 1 (train/calibrate.h)
 *   sooth_train_fit_source   from rows in blocks, for tables larger than memory (train/blocks.h)
 *   sooth_train_refit        of boosting, with leaves from newer rows (boost/refit.h)
 *   sooth_train_tune         searches the best options on folds (train/tune.h)
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4, 6, 8}, y[] = {12, 6, 4, 3, 2, 1.5f};
 *         const float seven = 7.0f;
 *         sooth_table table = sooth_table_of(x, y, 6, 1);
 *         const char words[] = "linear transform=log,none,log-target", wrong[] = "tree max_depth=deep";
 *         sooth_train_recipe recipe;
 *         sooth_model *model;
 *         sooth_env env;
 *         float scratch[1];                                             // for the input transform: a row
 *         sooth_env_init(&env);
 *         if (sooth_train_recipe_read(&env, words, strlen(words), &recipe) != SOOTH_OK ||
 *             sooth_train_fit(&env, &table, &recipe, &model) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.2f s\n", sooth_model_predict(model, &seven, scratch));
 *         printf("%u features outside\n", sooth_model_outside(model, &seven));  //> 0 features outside
 *         sooth_model_free(&env, model);
 *         if (sooth_train_recipe_read(&env, wrong, strlen(wrong), &recipe) != SOOTH_OK)
 *             puts(env.sentence);  //> max_depth is "deep", but must be a number
 *         return 0;
 *     }
 *
 * Cost
 *
 * Fitting costs what the header of the kind states. A transform or statistics of levels add a copy of the
 * table. An interval adds fits (train/calibrate.h). Rows in blocks cost what train/blocks.h states: boosting
 * of a squared loss without weights takes (d + 8 T + 2) n bytes for n rows of d columns and T targets.
 */
#if !defined(SOOTH_TRAIN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_IMPLEMENTED))
#include "model.h"
#include "train/recipe.h"
#include "train/best.h"
#include "train/fit.h"
#include "train/calibrate.h"
#include "train/blocks.h"
#include "train/tune.h"
#endif

#if !defined(SOOTH_TRAIN_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_H
SOOTHI_C_BEGIN

/* Fits the transforms and the levels' statistics to these rows, then the predictor to the transformed rows,
   and stores all in one model. With recipe->calibrated it fits again without each fold, and adds intervals
   (and the adaptation to new programs) or a probability, by recipe->calibrate: see train/calibrate.h for the
   errors of that, and for the sentence that remains if an interval is unbounded. With recipe->ratio_to and
   table->time or table->group it also fits again without each fold, and shrinks the learner to its law.
   Returns SOOTH_BAD_ARGUMENT if the dictionary, the marks of the table and the encoding of categories
   contradict each other (sooth_train_encode). *model is NULL after a failure. After SOOTH_NOT_CONVERGED it
   may be the best model so far (see the predictor). With env->reduce_fn the table has one or more rows of
   this process, and every process gets the model of all rows: linear, tree, forest and boost, without levels
   and not calibrated. */
SOOTH_API sooth_status sooth_train_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_train_recipe *recipe, sooth_model **model);

/* Fits a model to the rows of a source (base/source.h), of which at most one block is in memory, with a card
   like that of sooth_train_fit. Linear models, except Huber's, use the rows as they are; their bytes equal
   those of sooth_train_fit. Boosting uses bins, and so do trees and forests with options.bins; see
   train/blocks.h for when their bytes are equal. Blocks may mark categorical columns, with recipe->levels as
   in sooth_train_fit. Returns SOOTH_BAD_ARGUMENT for other kinds, transforms, encode=target with levels, a
   calibrated recipe, and env->reduce_fn. If recipe->groups is 0, the card has the maximum group
   number plus 1. *model is NULL after a failure. Reports progress and can be cancelled. */
SOOTH_API sooth_status sooth_train_fit_source(sooth_env *env, const sooth_source *source,
                                              const sooth_train_recipe *recipe, sooth_model **model);

/* Fits a boosted model again to newer rows: its trees, transforms and levels stay, its leaves and base are
   learned from the table (sooth_boost_refit), and the card is that of the new rows. decay, from 0 to below 1,
   is the share of the old values. recipe: that of the fit; its transforms and levels have no effect. Codes of
   categories are those of the model's levels. A checked model may come from anyone. Refuses other kinds, and
   models with an interval or a calibrated probability, which belong to the old leaves. *refitted is NULL
   after a failure. */
SOOTH_API sooth_status sooth_train_refit(sooth_env *env, const sooth_model *model, const sooth_table *table,
                                         const sooth_train_recipe *recipe, double decay,
                                         sooth_model **refitted);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_status sooth_train_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_train_recipe *recipe, sooth_model **model) {
    return recipe->calibrated || soothi_train_shrinks(table, recipe)
               ? soothi_calibrate(env, table, recipe, model)
               : soothi_train_plain(env, table, recipe, model);
}

SOOTH_API sooth_status sooth_train_refit(sooth_env *env, const sooth_model *model, const sooth_table *table,
                                         const sooth_train_recipe *recipe, double decay,
                                         sooth_model **refitted) {
    return soothi_train_again(env, model, table, recipe, decay, refitted);
}

/* ---- rows in blocks ---- */

/* A source that is observed: its first pass yields the ranges of all columns, and its marks of categories are
   compared with the recipe. */
typedef struct soothi_train_observed {
    const sooth_source *source;
    sooth_train_recipe *recipe; /* resolved but for an encode=auto of categories without a dictionary */
    const sooth_model_kind *kind;
    float *range;
    size_t rows;
    uint32_t groups; /* maximum group number, plus 1 */
    int passes;      /* passes begun after the first */
} soothi_train_observed;

SOOTHI_LOCAL sooth_status soothi_train_next(void *user, sooth_env *env, sooth_table *block) {
    soothi_train_observed *o = (soothi_train_observed *)user;
    sooth_status status = o->source->next_fn(o->source->user, env, block);
    /* a block of another shape is refused by the caller */
    if (status != SOOTH_OK || block->rows == 0 || !block->x || !block->y || block->cols != o->source->cols ||
        block->targets != o->source->targets)
        return status;
    soothi_train_encode(block, o->kind, o->recipe);
    status = soothi_train_check_categories(env, block, o->recipe);
    if (o->recipe->encode == SOOTH_TRAIN_ENCODE_ORDINAL) block->categorical = NULL; /* numbers from now on */
    if (status != SOOTH_OK || o->passes) return status;
    soothi_seen_ranges(block, o->rows == 0, o->range);
    soothi_train_lost_ranges(o->recipe->levels, block, o->range);
    for (size_t i = 0; block->group && i < block->rows; ++i)
        if (block->group[i] >= o->groups && block->group[i] < UINT32_MAX) o->groups = block->group[i] + 1;
    o->rows += block->rows;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_train_rewind(void *user, sooth_env *env) {
    soothi_train_observed *o = (soothi_train_observed *)user;
    ++o->passes;
    return o->source->rewind_fn(o->source->user, env);
}

SOOTHI_LOCAL double soothi_train_done(void *user) {
    const soothi_train_observed *o = (const soothi_train_observed *)user;
    return o->source->done_fn ? o->source->done_fn(o->source->user) : 0.0;
}

/* Fits the predictor: linear models from the rows as they are, other models from their bins. */
SOOTHI_LOCAL sooth_status soothi_train_blocks(sooth_env *env, const sooth_source *source,
                                              const sooth_model_kind *kind,
                                              const sooth_train_options *options, sooth_block **predictor) {
    sooth_blocks_options o = {0, 0};
    sooth_blocks blocks;
    sooth_linear *linear = NULL;
    if (kind->kind == SOOTH_KIND_LINEAR) {
        const sooth_status status = sooth_linear_fit_source(env, source, &options->linear, &linear);
        if (linear) *predictor = &linear->head;
        return status;
    }
    o.bins = kind->kind == SOOTH_KIND_BOOST    ? options->boost.bins
             : kind->kind == SOOTH_KIND_FOREST ? options->forest.bins
                                               : options->tree.bins;
    if (o.bins == 0 && kind->kind != SOOTH_KIND_BOOST)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "bins is 0, but to fit a %s to rows in blocks it must be between 2 and 256",
                          kind->name);
    sooth_status status = sooth_blocks_read(env, source, &o, &blocks);
    if (status != SOOTH_OK) return status;
    status = soothi_train_predictor(env, &blocks.table, kind->kind, options, predictor);
    sooth_blocks_free(env, &blocks);
    return status;
}

/* Checks that this kind and recipe can be fitted to rows in blocks. */
SOOTHI_LOCAL sooth_status soothi_train_source_check(sooth_env *env, const sooth_source *source,
                                                    const sooth_train_recipe *recipe,
                                                    const sooth_model_kind *kind) {
    if (kind->kind != SOOTH_KIND_LINEAR && kind->kind != SOOTH_KIND_BOOST &&
        kind->kind != SOOTH_KIND_FOREST && kind->kind != SOOTH_KIND_TREE)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "%s needs all rows in memory; rows in blocks are supported by linear, boost, and tree "
            "and forest with bins",
            kind->name);
    const int several = soothi_train_quantile_count(recipe, kind) > 0;
    if (recipe->has_input || recipe->has_target || *recipe->ratio_to || *recipe->teacher ||
        recipe->calibrated || several || soothi_ranks(env) > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rows in blocks do not support %s",
                          soothi_ranks(env) > 1 ? "several processes"
                          : several             ? "several quantiles"
                          : recipe->calibrated  ? "intervals or probabilities"
                          : *recipe->ratio_to   ? "ratio_to"
                          : *recipe->teacher    ? "a teacher"
                                                : "transforms");
    if (recipe->levels && recipe->encode == SOOTH_TRAIN_ENCODE_TARGET)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "statistics of the target for each level need all rows in memory; for rows in "
                          "blocks fit boost, or tree or forest with bins, which split categories by sets, or "
                          "give encode=ordinal");
    if (recipe->encode == SOOTH_TRAIN_ENCODE_NATIVE && !soothi_train_takes_categories(kind->kind))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "encode=native is not supported by %s", kind->name);
    return soothi_source_check(env, source);
}

SOOTH_API sooth_status sooth_train_fit_source(sooth_env *env, const sooth_source *source,
                                              const sooth_train_recipe *recipe, sooth_model **model) {
    const sooth_model_kind *kind;
    sooth_block *predictor = NULL;
    sooth_model_card *card = NULL;
    sooth_train_recipe own;
    soothi_train_observed observed = {source, &own, NULL, NULL, 0, 0, 0};
    const size_t columns = source->cols + source->targets;
    sooth_source rows = {&observed,           source->cols,      source->targets, soothi_train_next,
                         soothi_train_rewind, soothi_train_done, source->names};
    sooth_status status = soothi_train_resolve(env, recipe, &own, &kind), fitted;
    *model = NULL;
    if (status == SOOTH_OK && own.levels && own.encode == SOOTH_TRAIN_ENCODE_AUTO)
        own.encode =
            soothi_train_takes_categories(kind->kind) ? SOOTH_TRAIN_ENCODE_NATIVE : SOOTH_TRAIN_ENCODE_TARGET;
    if (status == SOOTH_OK) status = soothi_train_source_check(env, source, &own, kind);
    if (status != SOOTH_OK) return status;
    observed.kind = kind;
    observed.range = soothi_train_ranges(env, columns);
    if (!observed.range) return SOOTH_NO_MEMORY;
    status = fitted = soothi_train_blocks(env, &rows, kind, &own.options, &predictor);
    if (fitted == SOOTH_NOT_CONVERGED && predictor) status = SOOTH_OK;
    if (status == SOOTH_OK && !own.no_card) {
        sooth_table all;
        sooth_table_init(&all, NULL, observed.rows, source->cols);
        all.targets = source->targets;
        all.names = source->names;
        if (own.groups == 0) own.groups = observed.groups;
        status = soothi_train_card_from(env, &all, observed.range, &own, kind, &card);
    }
    sooth_free(env, observed.range, 2 * columns, sizeof(float));
    const sooth_model_parts parts = {NULL, predictor, NULL, card, NULL, NULL, own.levels, NULL, NULL};
    if (status == SOOTH_OK) status = sooth_model_assemble(env, &parts, model);
    sooth_model_card_free(env, card);
    soothi_block_free(env, predictor);
    return status == SOOTH_OK ? fitted : status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
