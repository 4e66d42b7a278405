/* slowdown_model.h - slowdowns alongside others (slowdown.h), predicted by any kind of model.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Themis (Zhao et al., IPDPS 2019) predicts SD_scal and SD_inter by a network of 338 weights. Its method
 * works with any model of two targets that sooth_train_fit can fit. The rows and their logarithms are as in
 * slowdown.h, and neither part is below 1. Without a recipe the model is the network, bit for bit. The best
 * kind depends on the kernels: compare them on programs left out. In examples/simulator it is the network;
 * copies of the rows with other events help trees too.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/slowdown.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[64 * SOOTH_SLOWDOWN_INPUTS], y[64 * 2], sd[2];
 *         const sooth_train_recipe recipe = {.model = "extratrees"};
 *         sooth_env env;
 *         sooth_model *model;
 *         sooth_rng rng;
 *         sooth_env_init(&env);
 *         sooth_rng_init(&rng, 1, 0);
 *         for (int i = 0; i < 64; ++i) {  // measured runs would stand here
 *             for (int j = 0; j < SOOTH_SLOWDOWN_INPUTS; ++j)
 *                 x[i * SOOTH_SLOWDOWN_INPUTS + j] = sooth_rng_float(&rng);
 *             x[i * SOOTH_SLOWDOWN_INPUTS] = (float)(10 + i % 5 * 10);  // SMs
 *             y[2 * i] = 60 / x[i * SOOTH_SLOWDOWN_INPUTS];             // SD_scal
 *             y[2 * i + 1] = 1 + x[i * SOOTH_SLOWDOWN_INPUTS + 11];     // SD_inter: neighbours' bandwidth
 *         }
 *         sooth_table table = sooth_table_of(x, y, 64, SOOTH_SLOWDOWN_INPUTS);
 *         table.targets = 2;
 *         if (sooth_slowdown_model_fit(&env, &table, NULL, &recipe, &model) != SOOTH_OK)
 *             return puts(env.sentence);
 *         printf("%.1f times slower\n", sooth_slowdown_model_predict(model, x, sd));  //> 11.5 times slower
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Cost: fitting takes a copy of the rows plus the cost of the model. A prediction takes 12 logarithms plus
 * the model's (sooth_model_cost), without allocation or doubles.
 */
#if !defined(SOOTH_SLOWDOWN_MODEL_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_MODEL_IMPLEMENTED))
#include "../train.h"
#endif

#ifndef SOOTH_SLOWDOWN_MODEL_H
#define SOOTH_SLOWDOWN_MODEL_H

SOOTHI_C_BEGIN

/* Like sooth_slowdown_predict, with a model of sooth_slowdown_model_fit or a network of sooth_slowdown_fit
   (sooth_model_from_block(&network->head)). A checked one may come from anyone: a model without two outputs
   from SOOTH_SLOWDOWN_INPUTS inputs gives NaN. */
SOOTH_API float sooth_slowdown_model_predict(const sooth_model *model, const float *row, float part[2]);

#ifndef SOOTH_PREDICT_ONLY

/* Fits a model of slowdowns. table, options and SOOTH_BAD_DATA are as for sooth_slowdown_fit. recipe NULL
   means the network, and *model is its block. Otherwise sooth_train_fit uses the recipe on the logarithms of
   the inputs, for the rows and their copies. With recipe->has_target 0 it learns the logarithms of the
   slowdowns. The options used are then copies, no_copies, jitter and seed (as_published means no copies). A
   kind with only one target fails with its own sentence. Free the model with sooth_model_free. */
SOOTH_API sooth_status sooth_slowdown_model_fit(sooth_env *env, const sooth_table *table,
                                                const sooth_slowdown_options *options,
                                                const sooth_train_recipe *recipe, sooth_model **model);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SLOWDOWN_MODEL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_MODEL_IMPLEMENTED)
#define SOOTH_SLOWDOWN_MODEL_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API float sooth_slowdown_model_predict(const sooth_model *model, const float *row, float part[2]) {
    float in[SOOTH_SLOWDOWN_INPUTS], scratch[SOOTH_SLOWDOWN_INPUTS];
    if (model->head.features != SOOTH_SLOWDOWN_INPUTS || model->head.targets != 2)
        return part[0] = part[1] = soothi_missing();
    soothi_slowdown_inputs(row, in);
    sooth_model_predict_many(model, in, 1, SOOTH_SLOWDOWN_INPUTS, part, scratch, 1);
    return soothi_slowdown_whole(part);
}

#ifndef SOOTH_PREDICT_ONLY

SOOTH_API sooth_status sooth_slowdown_model_fit(sooth_env *env, const sooth_table *table,
                                                const sooth_slowdown_options *options,
                                                const sooth_train_recipe *recipe, sooth_model **model) {
    sooth_slowdown_options o;
    sooth_table rows;
    size_t floats;
    *model = NULL;
    if (!recipe) {
        sooth_mlp *network;
        const sooth_status status = sooth_slowdown_fit(env, table, options, &network);
        if (network) *model = (sooth_model *)(void *)network;
        return status;
    }
    sooth_status status = sooth_slowdown_check_options(env, options, table);
    if (status != SOOTH_OK) return status;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    soothi_option_fill(sooth_slowdown_options_list(), &o);
    sooth_train_recipe own = *recipe;
    if (!own.has_target) {
        memset(&own.target, 0, sizeof own.target);
        own.target.transform = SOOTH_SCALE_LOG;
        own.has_target = 1;
    }
    float *memory = soothi_slowdown_learned(env, table, &o, &rows, &floats);
    if (!memory) return SOOTH_NO_MEMORY;
    rows.names = table->names;
    status = sooth_train_fit(env, &rows, &own, model);
    sooth_free(env, memory, floats, sizeof(float));
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
