/* fit.h - what is to be learned, as words: "boost n_estimators=200 transform=log-target interval=0.9".
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A recipe (model.h) is a struct with pointers to structs. A person, a file of settings and another language
 * have words. A plan is made of them, one at a time or from a text, and then fitted: the `sooth` command and
 * the module for Python learn through it. The words are
 *
 *   a model's options   n_estimators=200, max_depth=4: what `sooth help MODEL` lists
 *   transform           of the features and targets, a list of standard, minmax, robust, none (one of these),
 *                       log, clip and log-target
 *   encode              what becomes of categories: target, target-in-time, ordinal or native
 *   interval            the share that intervals around predictions hold, 0.9 (calibrate.h); upper=1: only up
 *                       to so much
 *   calibrate           of a target of 0 and 1: the probability of a 1 by sigmoid or isotonic (calibrate.h)
 *   folds               most models that interval and calibrate fit besides
 *   seed                of all draws, also of models that draw nothing themselves
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
 * Costs: reading allocates nothing; fitting what model.h and calibrate.h say.
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

/* A recipe with all that it points to; it may be copied. Names, units, levels, a note and scores for the card
   are set in plan.recipe afterwards; its model, options, input, target and encoding are set by
   sooth_fit_recipe from what stands here. */
typedef struct sooth_fit_plan {
    sooth_model_recipe recipe;
    sooth_model_kind kind;
    soothi_model_any_options options;
    sooth_scale_options input, target;
    uint32_t has_input, has_target; /* 1: transformed as said above; 0: as the kind is used, not at all */
    sooth_levels_options encoding;
    sooth_calibrate_options calibrate;
    uint32_t has_interval; /* 1: with intervals that hold calibrate.level */
} sooth_fit_plan;

/* A plan of this model (a kind or a preset: "boost", "extratrees") with its own settings. SOOTH_BAD_ARGUMENT
   with the names there are. */
SOOTH_API sooth_status sooth_fit_begin(sooth_env *env, const char *model, sooth_fit_plan *plan);

/* Sets what a word names. SOOTH_BAD_ARGUMENT with the names there are, the range or the choices. */
SOOTH_API sooth_status sooth_fit_set(sooth_env *env, sooth_fit_plan *plan, const char *name,
                                     const char *value);

/* Both for "MODEL NAME=VALUE NAME=VALUE ...", words apart by blanks. SOOTH_BAD_ARGUMENT as above, or where a
   word is not of this form. */
SOOTH_API sooth_status sooth_fit_read(sooth_env *env, const char *text, sooth_fit_plan *plan);

/* The plan's recipe, with pointers into the plan: it is as good as the plan stays where it is. */
SOOTH_API const sooth_model_recipe *sooth_fit_recipe(sooth_fit_plan *plan);

/* Fits the plan: sooth_model_fit, or with an interval or a probability sooth_model_calibrate, and their
   errors. */
SOOTH_API sooth_status sooth_fit(sooth_env *env, const sooth_table *table, sooth_fit_plan *plan,
                                 sooth_model **model);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_FIT_WORD = 160 }; /* of a name or value, its end included */

SOOTH_API sooth_status sooth_fit_begin(sooth_env *env, const char *model, sooth_fit_plan *plan) {
    memset(plan, 0, sizeof *plan);
    const sooth_status status = sooth_model_kind_named(env, model, &plan->kind);
    return status == SOOTH_OK ? sooth_model_preset_options(env, model, &plan->options) : status;
}

/* The number of a word in "one|two|three"; how many there are where it is none of them. */
SOOTHI_LOCAL uint32_t soothi_fit_one_of(const char *list, const char *word) {
    const uint32_t count = soothi_choices(list);
    char buffer[32];
    uint32_t k = 0;
    while (k < count && !soothi_same_text(soothi_choice(list, k, buffer), word)) ++k;
    return k;
}

/* The next word before a blank, `stop` or the end, in word[0..SOOTHI_FIT_WORD); where it ended, or NULL: it
   is too long. */
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
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "a word of the plan has more than %u characters",
                       (unsigned)SOOTHI_FIT_WORD - 1u);
}

/* A list like log,standard,log-target. */
SOOTHI_LOCAL sooth_status soothi_fit_transform(sooth_env *env, sooth_fit_plan *plan, const char *list) {
    enum { NONE = SOOTH_SCALE_NONE, LOG, CLIP, LOG_TARGET, UNKNOWN }; /* to NONE a sooth_scale_transform */
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
            return soothi_fail(
                env, SOOTH_BAD_ARGUMENT,
                "there is no transform %s; there are standard, minmax, robust, none, log, clip, "
                "log-target",
                word);
        if (k <= NONE && range != UNKNOWN)
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "transform has both %s and %s",
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
    plan->has_input = range != UNKNOWN || function || plan->input.clip; /* 0: what the model is used with */
    plan->input.transform = (range == UNKNOWN ? (uint32_t)NONE : range) + function;
    return SOOTH_OK;
}

/* The number of a choice into *number. */
SOOTHI_LOCAL sooth_status soothi_fit_choice(sooth_env *env, const char *name, const char *list,
                                            const char *value, uint32_t *number) {
    const uint32_t k = soothi_fit_one_of(list, value);
    if (k == soothi_choices(list))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "%s is %s, but must be one of %s", name,
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
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "\"%s\" must be NAME=VALUE, as max_depth=4", name);
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
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "interval and calibrate do not go together: a probability says how sure it is");
    if (env) env->sentence[0] = 0;
    return sooth_model_calibrate(env, table, recipe, &plan->calibrate, model);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
