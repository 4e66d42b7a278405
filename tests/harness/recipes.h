/* recipes.h - what tests do with recipes: options by pointer, and calibration.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef RECIPES_H
#define RECIPES_H

#include "sooth/train.h"

/* Sets the options of recipe->model from a struct of that kind; NULL means defaults. */
static inline void recipe_options(sooth_train_recipe *recipe, const void *options) {
    const sooth_model_kind *kind;
    memset(&recipe->options, 0, sizeof recipe->options);
    if (options && sooth_train_kind_named(NULL, recipe->model, &kind) == SOOTH_OK)
        memcpy(&recipe->options, options, kind->options_size);
}

/* Fits the recipe, calibrated by these options; NULL means defaults. */
static inline sooth_status fit_calibrated(sooth_env *env, const sooth_table *table,
                                          const sooth_train_recipe *recipe,
                                          const sooth_calibrate_options *options, sooth_model **model) {
    sooth_train_recipe own = *recipe;
    own.calibrated = 1;
    if (options) own.calibrate = *options;
    return sooth_train_fit(env, table, &own, model);
}

#endif
