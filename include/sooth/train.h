/* train.h - fits models from words: "boost n_estimators=200 transform=log-target interval=0.9".
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A recipe (model.h) is a struct with pointers to structs. People, settings files and other languages use
 * words. A plan is built from words, one at a time or from a text, and then fitted. The `sooth` command and
 * the Python module use it. The words are
 *
 *   a model's options   n_estimators=200, max_depth=4: see `sooth help MODEL`
 *   transform           of the features and targets, a list of standard, minmax, robust, none (one of these),
 *                       log, clip and log-target
 *   encode              encoding of categories: target, target-in-time, ordinal or native
 *   interval            coverage of prediction intervals, 0.9 (train/calibrate.h); upper=1: upper bound only
 *   calibrate           for a target of 0 and 1: P(y = 1) by sigmoid or isotonic (train/calibrate.h)
 *   folds               maximum number of extra models fitted for interval and calibrate
 *   seed                of all draws, also for models that draw nothing themselves
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4, 6, 8}, y[] = {12, 6, 4, 3, 2, 1.5f};
 *         const float seven = 7.0f;
 *         sooth_table table = sooth_table_of(x, y, 6, 1);
 *         sooth_fit_plan plan;
 *         sooth_model *model;
 *         sooth_env env;
 *         float scratch[1];
 *         sooth_env_init(&env);
 *         if (sooth_fit_read(&env, "linear transform=log,none,log-target", &plan) != SOOTH_OK ||
 *             sooth_fit(&env, &table, &plan, &model) != SOOTH_OK)
 *             return puts(env.sentence);
 *         printf("%.2f s\n", sooth_model_predict(model, &seven, scratch));
 *         sooth_model_free(&env, model);
 *         if (sooth_fit_read(&env, "tree max_depth=deep", &plan) != SOOTH_OK)
 *             puts(env.sentence);  //> max_depth is "deep", but must be a number
 *         return 0;
 *     }
 *
 * Cost
 *
 * Reading allocates nothing. For fitting see model.h and train/calibrate.h.
 */
#if !defined(SOOTH_TRAIN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_IMPLEMENTED))
#include "model.h"
#include "train/calibrate.h"
#include "train/source.h"
#include "train/tune.h"
#endif

#if !defined(SOOTH_TRAIN_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_H
SOOTHI_C_BEGIN

/* A recipe with all that it points to; it may be copied. Set names, units, levels, a note and scores for the
   card in plan.recipe afterwards. sooth_fit_recipe sets its model, options, input, target and encoding. */
typedef struct sooth_fit_plan {
    sooth_model_recipe recipe;
    sooth_model_kind kind;
    soothi_model_any_options options;
    sooth_scale_options input, target;
    uint32_t has_input, has_target; /* 0: the kind's own for features, none for targets */
    sooth_levels_options encoding;
    sooth_calibrate_options calibrate;
    uint32_t has_interval; /* 1: adds intervals with the coverage calibrate.level */
} sooth_fit_plan;

/* Begins a plan for this model (a kind or a preset: "boost", "extratrees") with its own settings. Returns
   SOOTH_BAD_ARGUMENT with the valid names. */
SOOTH_API sooth_status sooth_fit_begin(sooth_env *env, const char *model, sooth_fit_plan *plan);

/* Sets one word. Returns SOOTH_BAD_ARGUMENT with the valid names, the range or the choices. */
SOOTH_API sooth_status sooth_fit_set(sooth_env *env, sooth_fit_plan *plan, const char *name,
                                     const char *value);

/* Calls both for "MODEL NAME=VALUE NAME=VALUE ...", with words separated by blanks. Returns
   SOOTH_BAD_ARGUMENT as above, or if a word has another form. */
SOOTH_API sooth_status sooth_fit_read(sooth_env *env, const char *text, sooth_fit_plan *plan);

/* Returns the plan's recipe, with pointers into the plan: valid while the plan is not moved. */
SOOTH_API const sooth_model_recipe *sooth_fit_recipe(sooth_fit_plan *plan);

/* Fits the plan by sooth_model_fit, or with an interval or a probability by sooth_model_calibrate. */
SOOTH_API sooth_status sooth_fit(sooth_env *env, const sooth_table *table, sooth_fit_plan *plan,
                                 sooth_model **model);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_FIT_WORD = 160 }; /* maximum size of a name or value, with its end */

SOOTH_API sooth_status sooth_fit_begin(sooth_env *env, const char *model, sooth_fit_plan *plan) {
    memset(plan, 0, sizeof *plan);
    const sooth_status status = sooth_model_kind_named(env, model, &plan->kind);
    return status == SOOTH_OK ? sooth_model_preset_options(env, model, &plan->options) : status;
}

/* Index of a word in "one|two|three"; the number of words if it is not among them. */
SOOTHI_LOCAL uint32_t soothi_fit_one_of(const char *list, const char *word) {
    const uint32_t count = soothi_choices(list);
    char buffer[32];
    uint32_t k = 0;
    while (k < count && !soothi_same_text(soothi_choice(list, k, buffer), word)) ++k;
    return k;
}

/* Copies the next word before a blank, `stop` or the end to word[0..SOOTHI_FIT_WORD). Returns its end; NULL
   if too long. */
SOOTHI_LOCAL const char *soothi_fit_word(const char *text, char stop, char *word) {
    size_t n = 0;
    for (; text[n] && text[n] != ' ' && text[n] != stop; ++n) {
        if (n == SOOTHI_FIT_WORD - 1) return NULL;
        word[n] = text[n];
    }
    word[n] = 0;
    return text + n;
}

SOOTHI_LOCAL sooth_status soothi_fit_too_long(sooth_env *env) {
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a word of the plan has more than %u characters",
                      (unsigned)SOOTHI_FIT_WORD - 1u);
}

/* Reads a list like log,standard,log-target. */
SOOTHI_LOCAL sooth_status soothi_fit_transform(sooth_env *env, sooth_fit_plan *plan, const char *list) {
    enum { NONE = SOOTH_SCALE_NONE, LOG, CLIP, LOG_TARGET, UNKNOWN }; /* up to NONE a sooth_scale_transform */
    const char *const known = "standard|minmax|robust|none|log|clip|log-target";
    char word[SOOTHI_FIT_WORD], buffer[32];
    uint32_t range = UNKNOWN, function = 0;
    memset(&plan->input, 0, sizeof plan->input);
    plan->has_target = 0;
    for (;; ++list) {
        list = soothi_fit_word(list, ',', word);
        if (!list) return soothi_fit_too_long(env);
        const uint32_t k = soothi_fit_one_of(known, word);
        if (k == UNKNOWN || *list == ' ')
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                "there is no transform %s; there are standard, minmax, robust, none, log, clip, "
                "log-target",
                word);
        if (k <= NONE && range != UNKNOWN)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "transform has both %s and %s",
                              soothi_choice(known, range, buffer), word);
        if (k <= NONE) range = k;
        if (k == LOG) function = SOOTH_SCALE_LOG1P - SOOTH_SCALE_NONE;
        if (k == CLIP) plan->input.clip = 1;
        if (k == LOG_TARGET) {
            plan->has_target = 1;
            plan->target.transform = SOOTH_SCALE_LOG;
        }
        if (!*list) break;
    }
    plan->has_input = range != UNKNOWN || function || plan->input.clip; /* 0: the kind's own transform */
    plan->input.transform = (range == UNKNOWN ? (uint32_t)NONE : range) + function;
    return SOOTH_OK;
}

/* Stores the number of a choice in *number. */
SOOTHI_LOCAL sooth_status soothi_fit_choice(sooth_env *env, const char *name, const char *list,
                                            const char *value, uint32_t *number) {
    const uint32_t k = soothi_fit_one_of(list, value);
    if (k == soothi_choices(list))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %s, but must be one of %s", name,
                          *value ? value : "empty", list);
    *number = k;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fit_set(sooth_env *env, sooth_fit_plan *plan, const char *name,
                                     const char *value) {
    const sooth_option_list calibration = sooth_calibrate_options_list();
    sooth_status status;
    uint32_t k = 0;
    if (soothi_same_text(name, "transform")) return soothi_fit_transform(env, plan, value);
    if (soothi_same_text(name, "encode")) {
        status = soothi_fit_choice(env, name, "target|ordinal|native|target-in-time", value, &k);
        plan->encoding.in_time = k == 3;
        plan->recipe.encode = k == 3 ? (uint32_t)SOOTH_MODEL_TARGET : k; /* the order of sooth_model_encode */
        return status;
    }
    if (soothi_same_text(name, "upper")) {
        status = soothi_fit_choice(env, name, "0|1", value, &k);
        plan->calibrate.tails = k ? (uint32_t)SOOTH_CONFORMAL_UPPER : 0u;
        return status;
    }
    if (soothi_same_text(name, "interval")) {
        status = sooth_option_set_written(env, calibration, &plan->calibrate, "level", value);
        plan->has_interval = status == SOOTH_OK;
        return status;
    }
    if (soothi_same_text(name, "calibrate"))
        return sooth_option_set(env, calibration, &plan->calibrate, "probability", value);
    if (soothi_same_text(name, "folds"))
        return sooth_option_set_written(env, calibration, &plan->calibrate, name, value);
    if (soothi_same_text(name, "seed")) {
        status = sooth_option_set(env, calibration, &plan->calibrate, name, value);
        plan->encoding.seed = plan->calibrate.seed;
        if (status != SOOTH_OK || !soothi_option_named(plan->kind.options, name)) return status;
    }
    return sooth_option_set_written(env, plan->kind.options, &plan->options, name, value);
}

SOOTH_API sooth_status sooth_fit_read(sooth_env *env, const char *text, sooth_fit_plan *plan) {
    char name[SOOTHI_FIT_WORD], value[SOOTHI_FIT_WORD];
    while (*text == ' ') ++text;
    text = soothi_fit_word(text, ' ', name);
    sooth_status status = text ? sooth_fit_begin(env, name, plan) : SOOTH_OK;
    while (text && status == SOOTH_OK) {
        while (*text == ' ') ++text;
        if (!*text) return SOOTH_OK;
        text = soothi_fit_word(text, '=', name);
        if (!text) break;
        if (!*name || *text != '=')
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "\"%s\" must be NAME=VALUE, as max_depth=4", name);
        text = soothi_fit_word(text + 1, ' ', value);
        if (text) status = sooth_fit_set(env, plan, name, value);
    }
    return text ? status : soothi_fit_too_long(env);
}

SOOTH_API const sooth_model_recipe *sooth_fit_recipe(sooth_fit_plan *plan) {
    plan->recipe.model = plan->kind.name;
    plan->recipe.options = &plan->options;
    plan->recipe.input = plan->has_input ? &plan->input : NULL;
    plan->recipe.target = plan->has_target ? &plan->target : NULL;
    plan->recipe.encoding = &plan->encoding;
    return &plan->recipe;
}

SOOTH_API sooth_status sooth_fit(sooth_env *env, const sooth_table *table, sooth_fit_plan *plan,
                                 sooth_model **model) {
    const sooth_model_recipe *recipe = sooth_fit_recipe(plan);
    if (!plan->has_interval && !plan->calibrate.probability)
        return sooth_model_fit(env, table, recipe, model);
    *model = NULL;
    if (plan->has_interval && plan->calibrate.probability)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "interval and calibrate do not go together: a probability says how sure it is");
    if (env) env->sentence[0] = 0;
    return sooth_model_calibrate(env, table, recipe, &plan->calibrate, model);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
