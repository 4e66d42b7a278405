/* train.h - fits models to rows that come in blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_model_fit (model.h) takes a table in memory. For a source of rows (base/source.h), of which at most
 * one block is in memory, use sooth_model_fit_source.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     static size_t at;   // here the rows are made, a hundred at a time
 *     static sooth_status next_rows(void *user, sooth_env *env, sooth_table *block) {
 *         static float x[100], y[100];
 *         size_t rows = 0;
 *         for (; rows < 100 && at < 20000; ++rows, ++at) y[rows] = 3 + 2 * (x[rows] = (float)(at % 10));
 *         (void)user, (void)env;
 *         *block = sooth_table_of(x, y, rows, 1);
 *         return SOOTH_OK;
 *     }
 *     static sooth_status rewind_rows(void *user, sooth_env *env) {
 *         (void)user, (void)env;
 *         at = 0;
 *         return SOOTH_OK;
 *     }
 *
 *     int main(void) {
 *         const sooth_source source = {NULL, 1, 1, next_rows, rewind_rows, NULL, NULL};
 *         const sooth_model_recipe recipe = {.model = "boost"};
 *         const float row[] = {4};
 *         sooth_model *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_model_fit_source(&env, &source, &recipe, &model) != SOOTH_OK) return puts(env.sentence);
 *         printf("%.2f\n", sooth_model_predict(model, row, NULL));   //> 11.00
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * The cost is that of train/blocks.h and of the model's own header. For boosting of a squared loss without
 * weights it is (d + 6 T + 4) n bytes for n rows of d columns and T targets.
 */
#if !defined(SOOTH_TRAIN_SOURCE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_SOURCE_IMPLEMENTED))
#include "blocks.h"
#include "../model.h"
#endif

#if !defined(SOOTH_TRAIN_SOURCE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_SOURCE_H
SOOTHI_C_BEGIN

/* Fits a model to the rows of a source, with a card like that of sooth_model_fit. Linear models, except
   Huber's, use the rows as they are. Boosting uses their bins, and so do trees and forests with
   options->bins. See train/blocks.h for when the bytes equal those of sooth_model_fit. For linear models they
   do (linear.h). Returns SOOTH_BAD_ARGUMENT for other kinds, transforms, levels, and env->reduce_fn. If
   recipe->groups is 0, the card has the maximum group number plus 1. *model is NULL after a failure. Reports
   progress and can be cancelled. */
SOOTH_API sooth_status sooth_model_fit_source(sooth_env *env, const sooth_source *source,
                                              const sooth_model_recipe *recipe, sooth_model **model);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_SOURCE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_SOURCE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_SOURCE_IMPLEMENTED
SOOTHI_C_BEGIN

/* A source that is observed: its first pass yields the ranges of all columns. */
typedef struct soothi_model_listening {
    const sooth_source *source;
    float *range;
    size_t rows;
    uint32_t groups; /* maximum group number, plus 1 */
    int passes;      /* passes begun after the first */
} soothi_model_listening;

SOOTHI_LOCAL sooth_status soothi_model_next(void *user, sooth_env *env, sooth_table *block) {
    soothi_model_listening *l = (soothi_model_listening *)user;
    const sooth_status status = l->source->next_fn(l->source->user, env, block);
    /* a block of another shape is refused by the caller */
    if (status != SOOTH_OK || l->passes || !block->x || !block->y || block->cols != l->source->cols ||
        block->targets != l->source->targets)
        return status;
    if (block->rows) soothi_seen_ranges(block, l->rows == 0, l->range);
    for (size_t i = 0; block->group && i < block->rows; ++i)
        if (block->group[i] >= l->groups && block->group[i] < UINT32_MAX) l->groups = block->group[i] + 1;
    l->rows += block->rows;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_model_rewind(void *user, sooth_env *env) {
    soothi_model_listening *l = (soothi_model_listening *)user;
    ++l->passes;
    return l->source->rewind_fn(l->source->user, env);
}

SOOTHI_LOCAL double soothi_model_done(void *user) {
    const soothi_model_listening *l = (const soothi_model_listening *)user;
    return l->source->done_fn ? l->source->done_fn(l->source->user) : 0.0;
}

/* Fits the predictor: linear models from the rows as they are, other models from their bins. */
SOOTHI_LOCAL sooth_status soothi_model_fit_blocks(sooth_env *env, const sooth_source *source,
                                                  const sooth_model_kind *kind, const void *options,
                                                  sooth_block **predictor) {
    sooth_blocks_options o = {0, 0};
    sooth_blocks blocks;
    sooth_linear *linear = NULL;
    if (kind->kind == SOOTH_KIND_LINEAR) {
        const sooth_status status =
            sooth_linear_fit_source(env, source, (const sooth_linear_options *)options, &linear);
        if (linear) *predictor = &linear->head;
        return status;
    }
    o.bins = kind->kind == SOOTH_KIND_BOOST    ? ((const sooth_boost_options *)options)->bins
             : kind->kind == SOOTH_KIND_FOREST ? ((const sooth_forest_options *)options)->bins
                                               : ((const sooth_tree_options *)options)->bins;
    if (o.bins == 0 && kind->kind != SOOTH_KIND_BOOST)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "bins is 0, but a %s learns from rows that come in blocks with 2 to 256",
                          kind->name);
    sooth_status status = sooth_blocks_read(env, source, &o, &blocks);
    if (status != SOOTH_OK) return status;
    status = soothi_model_predictor_fit(env, &blocks.table, kind->kind, options, predictor);
    sooth_blocks_free(env, &blocks);
    return status;
}

SOOTH_API sooth_status sooth_model_fit_source(sooth_env *env, const sooth_source *source,
                                              const sooth_model_recipe *recipe, sooth_model **model) {
    sooth_model_kind kind;
    sooth_block *predictor = NULL;
    sooth_model_card *card = NULL;
    sooth_model_recipe own = *recipe;
    soothi_model_any_options preset;
    soothi_model_listening listening = {source, NULL, 0, 0, 0};
    const size_t columns = source->cols + source->targets;
    sooth_source heard = {&listening,          source->cols,      source->targets, soothi_model_next,
                          soothi_model_rewind, soothi_model_done, source->names};
    sooth_status status = sooth_model_kind_named(env, recipe->model, &kind), fitted;
    *model = NULL;
    if (status != SOOTH_OK) return status;
    if (kind.kind != SOOTH_KIND_LINEAR && kind.kind != SOOTH_KIND_BOOST && kind.kind != SOOTH_KIND_FOREST &&
        kind.kind != SOOTH_KIND_TREE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "%s needs all rows at once; linear, boost, and tree and forest with bins learn "
                          "from rows that come in blocks",
                          kind.name);
    if (recipe->input || recipe->target || recipe->levels || soothi_ranks(env) > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s and rows that come in blocks do not go together",
                          soothi_ranks(env) > 1 ? "several processes"
                          : recipe->levels      ? "levels"
                                                : "transforms");
    if (!recipe->options) {
        sooth_model_preset_options(env, recipe->model, &preset); /* cannot fail: the name is valid */
        own.options = &preset;
    }
    status = soothi_source_check(env, source);
    if (status != SOOTH_OK) return status;
    listening.range = soothi_model_range_room(env, columns);
    if (!listening.range) return SOOTH_NO_MEMORY;
    status = fitted = soothi_model_fit_blocks(env, &heard, &kind, own.options, &predictor);
    if (fitted == SOOTH_NOT_CONVERGED && predictor) status = SOOTH_OK;
    if (status == SOOTH_OK && !recipe->no_card) {
        sooth_table seen;
        sooth_table_init(&seen, NULL, listening.rows, source->cols);
        seen.targets = source->targets;
        if (own.groups == 0) own.groups = listening.groups;
        seen.names = source->names;
        status = soothi_model_fit_card(env, &seen, listening.range, &own, &kind, &card);
    }
    sooth_free(env, listening.range, 2 * columns, sizeof(float));
    const sooth_model_parts parts = {NULL, predictor, NULL, card, NULL, NULL, NULL, NULL};
    if (status == SOOTH_OK) status = sooth_model_assemble(env, &parts, model);
    sooth_model_card_free(env, card);
    soothi_block_free(env, predictor);
    return status == SOOTH_OK ? fitted : status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
