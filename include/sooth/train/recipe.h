/* train/recipe.h - what to fit: a kind or a preset, its options, transforms, categories, an interval, a card.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A recipe is one struct without pointers into itself: it may be copied. C programs set its fields. People,
 * settings files and other languages use words, one at a time or as a text:
 * "boost n_estimators=200 transform=log-target interval=0.9". The words are
 *
 *   a model's options   n_estimators=200, max_depth=4: see `sooth help MODEL`
 *   transform           of the features and targets, a list of standard, minmax, robust, none (one of these),
 *                       log, clip and log-target
 *   ratio_to            a sum of columns, tokens+2.5*length+500 or learn:tokens+length: the model learns the
 *                       logarithm of the target over this sum (model/ratio.h)
 *   teacher             a stronger model, teacher=best: a small one learns what it predicts, too
 *   encode              encoding of categories: auto, target, target-in-time, ordinal or native
 *   interval            coverage of prediction intervals, 0.9 (train/calibrate.h); upper=1: upper bound only
 *   calibrate           for a target of 0 and 1: P(y = 1) by sigmoid or isotonic (train/calibrate.h)
 *   folds               maximum number of extra models fitted for interval and calibrate
 *   seed                of all draws, also for models that draw nothing themselves
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4, 6, 8}, y[] = {12, 6, 4, 3, 2, 1.5f}, five = 5;
 *         const sooth_table table = sooth_table_of(x, y, 6, 1);
 *         const sooth_train_recipe recipe = {.model = "boost", .options.boost = {.n_estimators = 10},
 *                                            .target = {.transform = SOOTH_SCALE_LOG}, .has_target = 1};
 *         sooth_model *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_train_fit(&env, &table, &recipe, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.1f s\n", sooth_model_predict(model, &five, NULL));
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Nothing here allocates or fits.
 */
#if !defined(SOOTH_TRAIN_RECIPE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_RECIPE_IMPLEMENTED))
#include "../model.h"
#include "../validation/split.h"
#endif

#if !defined(SOOTH_TRAIN_RECIPE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_RECIPE_H
SOOTHI_C_BEGIN

/* ---- presets ---- */

/* Named settings that others recommend: X(name, model, options, source). A name of this list is valid
   wherever a model's name is. */
#define SOOTH_TRAIN_PRESETS(X)                                                                               \
    X("extratrees", "forest", "splitter=random no_bootstrap=1",                                              \
      "Geurts, Ernst, Wehenkel 2006; scikit-learn's ExtraTreesRegressor")                                    \
    X("xgboost", "boost",                                                                                    \
      "n_estimators=100 learning_rate=0.3 max_depth=6 lambda=1 min_child_weight=1 subsample=1",              \
      "XGBoost's own defaults")                                                                              \
    X("lightgbm", "boost",                                                                                   \
      "grow_policy=lossguide max_leaves=31 n_estimators=100 learning_rate=0.1 min_samples_leaf=20 "          \
      "min_child_weight=0.001 subsample=1",                                                                  \
      "LightGBM's own defaults")                                                                             \
    X("catboost", "boost",                                                                                   \
      "grow_policy=symmetric max_depth=6 n_estimators=1000 learning_rate=0.03 lambda=3 min_child_weight=0 "  \
      "subsample=1",                                                                                         \
      "CatBoost's own defaults, its trees without its ordering")                                             \
    X("alavani-tree", "tree", "max_depth=14 min_samples_split=5",                                            \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-forest", "forest", "n_estimators=500 max_depth=14",                                           \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-extratrees", "forest", "splitter=random no_bootstrap=1 n_estimators=220 max_depth=16",        \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-boosting", "boost",                                                                           \
      "method=exact n_estimators=250 max_depth=5 learning_rate=0.17 min_child_weight=0 subsample=1",         \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-xgboost", "boost",                                                                            \
      "method=exact n_estimators=500 max_depth=6 learning_rate=0.05 lambda=1 min_child_weight=1 "            \
      "subsample=0.7 colsample_bytree=0.7",                                                                  \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("alavani-catboost", "boost",                                                                           \
      "grow_policy=symmetric n_estimators=270 max_depth=8 learning_rate=0.1 lambda=3 min_child_weight=0 "    \
      "subsample=1",                                                                                         \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4")                                                          \
    X("moolchandani-tree", "tree", "max_depth=10", "Moolchandani et al. 2022, Table 6")                      \
    X("moolchandani-forest", "forest", "n_estimators=100 max_depth=10", "Moolchandani et al. 2022, Table 6") \
    X("moolchandani-boosting", "boost",                                                                      \
      "method=exact n_estimators=100 max_depth=3 learning_rate=0.1 min_child_weight=0 subsample=1",          \
      "Moolchandani et al. 2022, Table 6")                                                                   \
    X("moolchandani-mlp", "mlp",                                                                             \
      "hidden_1=100 activation=sigmoid schedule=constant learning_rate=0.01 batch_size=32 epochs=500 "       \
      "patience=30 no_target_scale=1",                                                                       \
      "Moolchandani et al. 2022, Table 6; how it is trained is not published; the target in its own unit, "  \
      "not standardised, so this unit matters")                                                              \
    X("alavani-mlp", "mlp",                                                                                  \
      "hidden_1=64 hidden_2=64 hidden_3=128 schedule=inverse_time decay=0.5 learning_rate=0.01 epochs=100 "  \
      "batch_size=32 dropout=0.1 no_target_scale=1",                                                         \
      "Alavani, Desai, Saha, Sarkar 2023, Table 3 and section 5.1: its 0.5 is read as the decay, with the "  \
      "rate 0.01 of its other lines (Adam at 0.5 learns nothing); dropout is not published; for watts, as "  \
      "they are")                                                                                            \
    X("themis", "mlp",                                                                                       \
      "hidden_1=12 hidden_2=12 activation=leaky_relu output=at_least_one loss=themis schedule=constant "     \
      "learning_rate=0.003 batch_size=32 epochs=200",                                                        \
      "Zhao et al. 2019, Table IV and equation 8, with biases; two targets: both slowdowns, as in "          \
      "`sooth slowdown fit`, which adds what the neighbours do; slowdowns have no unit")                     \
    X("alavani-svr", "svr", "C=200 epsilon=1 gamma=0.5 no_target_scale=1",                                   \
      "Alavani, Desai, Saha, Sarkar 2023, Table 4; for a target in watts, unscaled: its epsilon is 1 watt; " \
      "the paper scales by MinMaxScaler, but its R2 is that of features of variance 1, as here")             \
    X("moolchandani-svr", "svr", "kernel=rbf C=1 epsilon=0.1 no_target_scale=1",                             \
      "Moolchandani et al. 2022, Table 6; C=1 and epsilon=0.1 are in the unit of the target")                \
    X("yao-sofnn", "sofnn", "order=zero growth=one_pass",                                                    \
      "Yao et al. 2021, eq. 1 to 3; growth as Leng et al. 2005")

typedef struct sooth_train_preset {
    char name[24];     /* "alavani-forest" */
    char model[16];    /* "forest" */
    char options[160]; /* "n_estimators=500 max_depth=14" */
    char source[208];
} sooth_train_preset;

/* Returns the i-th preset of the list; NULL past its end. */
SOOTH_API const sooth_train_preset *sooth_train_preset_at(size_t i);

/* Finds a kind by its own name or by that of a preset. Returns SOOTH_BAD_ARGUMENT with the valid names. */
SOOTH_API sooth_status sooth_train_kind_named(sooth_env *env, const char *name,
                                              const sooth_model_kind **kind);

/* ---- the recipe ---- */

#define SOOTH_TRAIN_OPTIONS_SIZE 512
#define SOOTH_TRAIN_RATIO_SIZE 160 /* of a form, with its end */
#define SOOTH_TRAIN_TEACHER_SIZE 160

/* The options of any kind. All files of a program agree on its size, whatever SOOTH_KIND_EXTRA adds. */
typedef union sooth_train_options {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) sooth_##name##_options name;
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    double room[SOOTH_TRAIN_OPTIONS_SIZE / sizeof(double)];
} sooth_train_options;

/* A kind of SOOTH_KIND_EXTRA has at most that many bytes of options. */
typedef char soothi_train_options_fit[sizeof(sooth_train_options) == SOOTH_TRAIN_OPTIONS_SIZE ? 1 : -1];

/* How columns of categories are encoded for the predictor. sooth_table.categorical marks the columns, and
   recipe.levels is their dictionary. NATIVE needs the marks, of all columns of the dictionary if there is
   one. TARGET and ORDINAL need a dictionary of all marked columns. Anything else is refused, since codes
   would be used as numbers. */
typedef enum sooth_train_encode {
    SOOTH_TRAIN_ENCODE_AUTO = 0, /* NATIVE for trees, forests, boosting and best, else TARGET */
    SOOTH_TRAIN_ENCODE_TARGET,   /* each level by the ordered statistics of its targets
                                      (preprocess/levels.h), after the targets' transform; with several
                                      targets, by the first */
    SOOTH_TRAIN_ENCODE_ORDINAL,  /* by its code, used as a number */
    SOOTH_TRAIN_ENCODE_NATIVE    /* trees, forests and boosting split levels by sets */
} sooth_train_encode;

typedef enum sooth_calibrate_adapt {
    SOOTH_CALIBRATE_ADAPT_AUTO = 0, /* if there are enough groups and a single target */
    SOOTH_CALIBRATE_ADAPT_ALWAYS,   /* returns an error if impossible */
    SOOTH_CALIBRATE_ADAPT_NEVER
} sooth_calibrate_adapt;

typedef enum sooth_calibrate_probability {
    SOOTH_CALIBRATE_PROBABILITY_NONE = 0, /* intervals instead */
    SOOTH_CALIBRATE_PROBABILITY_SIGMOID,
    SOOTH_CALIBRATE_PROBABILITY_ISOTONIC
} sooth_calibrate_probability;

/* How a model is calibrated on rows that it has not seen: see train/calibrate.h. */
typedef struct sooth_calibrate_options {
    double level;               /* coverage of intervals; 0 means 0.9 */
    uint32_t folds;             /* maximum number of extra models; 0 means 20 */
    uint32_t seed;              /* of shuffled rows, and of adapt.h's draws */
    uint32_t adapt;             /* a sooth_calibrate_adapt */
    uint32_t tails;             /* of intervals: a sooth_conformal_tails; UPPER excludes adaptation */
    uint32_t probability;       /* a sooth_calibrate_probability, instead of intervals and adaptation */
    const sooth_groups *groups; /* NULL means one per row, from table->group */
} sooth_calibrate_options;

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_calibrate_options_list(void);

/* How to make a model from a table. Only `model` must be set. Zero bytes elsewhere mean: default options, the
   kind's own transform of the features, no interval, a card from the table. Networks (mlp, sofnn), support
   vectors and Gaussian processes have a transform of their own: mean 0, variance 1, clipped to the training
   range (Gaussian processes: a tenth of it beyond its ends). Other kinds have none. */
typedef struct sooth_train_recipe {
    const char *model; /* "tree": a name of SOOTH_KIND_LIST or SOOTH_TRAIN_PRESETS */

    /* Of that kind: options.tree, ... A field that is 0 takes the preset's setting, if there is one, else the
       default. */
    sooth_train_options options;

    sooth_scale_options input;  /* transform of the features before learning, if has_input is 1 */
    sooth_scale_options target; /* of the targets, inverted for predictions, if has_target is 1; else none */
    uint32_t has_input;         /* 0 means the kind's own transform */
    uint32_t has_target;

    /* The target is learned as a multiple of this sum of columns, by its logarithm: "tokens+2.5*length+500",
       or "learn:tokens+length", see model/ratio.h. "" means none. Where rows are held out in time
       (table->time) or by groups (table->group), the learner is shrunk to the sum: see sooth_train_fit. */
    char ratio_to[SOOTH_TRAIN_RATIO_SIZE];

    /* The recipe of a stronger and larger model, "best" or "boost n_estimators=2000"; "" means none. It is
       fitted to the rows, and predicts at least 2,000 more between them. The model is fitted to both, so that
       it approximates the teacher where there are no rows: model compression (Bucila, Caruana,
       Niculescu-Mizil, KDD 2006). Tests and intervals that fit anew fit the teacher anew, so they hold.
       env->loss_fn is called with the losses of the model only. Not for best, quantiles, ratio_to, rows in
       blocks and several processes. */
    char teacher[SOOTH_TRAIN_TEACHER_SIZE];

    uint32_t calibrated;               /* 1: with intervals or a probability, by `calibrate` */
    uint32_t encode;                   /* of categories: a sooth_train_encode */
    sooth_levels_options encoding;     /* of their statistics */
    sooth_calibrate_options calibrate; /* if calibrated is 1 */
    const sooth_levels *levels;        /* dictionary of the table's categories (their columns hold its
                                          codes), stored in the model. A source of csv/blocks.h has it in
                                          csv.levels. NULL means none: a table with marked columns then needs
                                          encode NATIVE, or AUTO for a kind that it makes NATIVE, and the
                                          model takes codes without knowing their names */

    /* for the card, next to what the table and the options provide; NULL means unknown */
    const char *const *feature_units;
    const char *const *target_names;
    const char *const *target_units;
    const char *note;
    const sooth_score *score;
    uint32_t scores;
    uint32_t groups;
    const sooth_model_seen_rows *seen; /* this process's training rows (model/seen.h) */
    uint32_t no_card;                  /* 1 leaves out the card, and so names and ranges */
} sooth_train_recipe;

/* Begins a recipe for a kind or a preset ("boost", "extratrees"): zero bytes, and the settings of the preset.
   recipe->model becomes the kind's name. Returns SOOTH_BAD_ARGUMENT with the valid names. */
SOOTH_API sooth_status sooth_train_recipe_init(sooth_env *env, sooth_train_recipe *recipe, const char *model);

/* Sets one word. Returns SOOTH_BAD_ARGUMENT with the valid names, the range or the choices. */
SOOTH_API sooth_status sooth_train_recipe_set(sooth_env *env, sooth_train_recipe *recipe, const char *name,
                                              const char *value);

/* Calls both for text[0..size), "MODEL NAME=VALUE NAME=VALUE ...", with words separated by blanks. Returns
   SOOTH_BAD_ARGUMENT as above, or if a word has another form. Of two values of a name the later counts. */
SOOTH_API sooth_status sooth_train_recipe_read(sooth_env *env, const char *text, size_t size,
                                               sooth_train_recipe *recipe);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_RECIPE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_RECIPE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_RECIPE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- kinds and presets ---- */

SOOTH_API const sooth_train_preset *sooth_train_preset_at(size_t i) {
    static const sooth_train_preset preset[] = {
#define SOOTHI_ITEM(name, model, options, source) {name, model, options, source},
        SOOTH_TRAIN_PRESETS(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < sizeof preset / sizeof *preset ? &preset[i] : NULL;
}

/* Returns the preset of this name; NULL if there is none. */
SOOTHI_LOCAL const sooth_train_preset *soothi_train_preset_named(const char *name) {
    const sooth_train_preset *preset;
    for (size_t i = 0; (preset = sooth_train_preset_at(i)) && !soothi_same_text(preset->name, name);) ++i;
    return preset;
}

SOOTH_API sooth_status sooth_train_kind_named(sooth_env *env, const char *name,
                                              const sooth_model_kind **kind) {
    const sooth_train_preset *preset = name ? soothi_train_preset_named(name) : NULL;
    char known[SOOTH_ENV_SENTENCE - 48];
    size_t n = 0, i, more = 0;
    if (preset) name = preset->model;
    for (i = 0; (*kind = sooth_model_kind_at(i)) != NULL; ++i)
        if (name && soothi_same_text((*kind)->name, name)) return SOOTH_OK;
    for (i = 0; (*kind = sooth_model_kind_at(i)) != NULL; ++i)
        n += sooth_text_format(known + n, sizeof known - n, i ? ", %s" : "%s", (*kind)->name);
    for (i = 0; (preset = sooth_train_preset_at(i)) != NULL && n + 64 < sizeof known; ++i)
        n += sooth_text_format(known + n, sizeof known - n, ", %s", preset->name);
    while (sooth_train_preset_at(i + more)) ++more;
    if (more) sooth_text_format(known + n, sizeof known - n, " and %z more (see `sooth help`)", more);
    if (!name || !*name)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a model is missing; the models are %s", known);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no model %s; the models are %s", name, known);
}

/* Whether an option has been given a value: it is not 0, or its has_X is set. */
SOOTHI_LOCAL int soothi_train_is_given(const sooth_option *option, const void *options) {
    const double raw = soothi_option_raw(option, options);
    uint32_t given = 0;
    if (option->given) memcpy(&given, (const unsigned char *)options + option->given, sizeof given);
    return given || !(raw >= 0.0 && raw <= 0.0);
}

/* Applies a preset's "name=value name=value" to the options that have no value yet. */
SOOTHI_LOCAL void soothi_train_preset_apply(const sooth_train_preset *preset, const sooth_model_kind *kind,
                                            void *options) {
    const sooth_option_list list = sooth_model_kind_options(kind);
    for (const char *at = preset->options; *at;) {
        char name[32], value[32];
        size_t n = 0;
        while (*at != '=') name[n++] = *at++;
        name[n] = 0;
        for (n = 0, ++at; *at && *at != ' '; ++at) value[n++] = *at;
        value[n] = 0;
        if (*at) ++at;
        if (!soothi_train_is_given(soothi_option_named(list, name), options))
            sooth_option_set(NULL, list, options, name, value); /* valid, as a test shows */
    }
}

/* Finds the recipe's kind. Gets the recipe with that kind's name and, of a preset, its settings. */
SOOTHI_LOCAL sooth_status soothi_train_resolve(sooth_env *env, const sooth_train_recipe *recipe,
                                               sooth_train_recipe *own, const sooth_model_kind **kind) {
    *own = *recipe;
    const sooth_status status = sooth_train_kind_named(env, recipe->model, kind);
    if (status != SOOTH_OK) return status;
    const sooth_train_preset *preset = soothi_train_preset_named(recipe->model);
    if (preset) soothi_train_preset_apply(preset, *kind, &own->options);
    if ((*kind)->kind == SOOTH_KIND_BOOST) soothi_boost_fill(&own->options.boost);
    own->model = (*kind)->name;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_train_recipe_init(sooth_env *env, sooth_train_recipe *recipe,
                                               const char *model) {
    const sooth_model_kind *kind;
    memset(recipe, 0, sizeof *recipe);
    recipe->model = model;
    const sooth_status status = soothi_train_resolve(env, recipe, recipe, &kind);
    if (status != SOOTH_OK) recipe->model = NULL;
    return status;
}

/* ---- words ---- */

SOOTH_API sooth_option_list sooth_calibrate_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_NUMBER(sooth_calibrate_options, level, 0.5, 0.99, 0.9, "coverage of intervals"),
        SOOTHI_COUNT(sooth_calibrate_options, folds, 2, 1e6, 20, "maximum number of extra models"),
        SOOTHI_COUNT(sooth_calibrate_options, seed, 0, 4294967295.0, 0, "of all random draws"),
        SOOTHI_CHOICE(sooth_calibrate_options, adapt, "auto|always|never",
                      "whether the model adapts to new programs"),
        SOOTHI_CHOICE(sooth_calibrate_options, tails, "both|each|upper",
                      "of intervals: one offset for both ends, one for each, or an upper end only"),
        SOOTHI_CHOICE(sooth_calibrate_options, probability, "none|sigmoid|isotonic",
                      "for a target of 0 and 1: predict P(y = 1) instead of an interval")};
    return SOOTHI_OPTIONS(option);
}

enum { SOOTHI_TRAIN_WORD = 160 }; /* maximum size of a name or value, with its end */

/* Index of a word in "one|two|three"; the number of words if it is not among them. */
SOOTHI_LOCAL uint32_t soothi_train_one_of(const char *list, const char *word) {
    const uint32_t count = soothi_choices(list);
    char buffer[32];
    uint32_t k = 0;
    while (k < count && !soothi_same_text(soothi_choice(list, k, buffer), word)) ++k;
    return k;
}

/* Copies text[*at..size) up to a blank, `stop` or the end to word[0..SOOTHI_TRAIN_WORD), and moves *at.
   Returns 0 if it is too long. */
SOOTHI_LOCAL int soothi_train_word(const char *text, size_t size, size_t *at, char stop, char *word) {
    size_t n = 0;
    for (; *at < size && text[*at] && text[*at] != ' ' && text[*at] != stop; ++*at) {
        if (n == SOOTHI_TRAIN_WORD - 1) return 0;
        word[n++] = text[*at];
    }
    word[n] = 0;
    return 1;
}

SOOTHI_LOCAL sooth_status soothi_train_too_long(sooth_env *env) {
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a word of the recipe has more than %u characters",
                      (unsigned)SOOTHI_TRAIN_WORD - 1u);
}

/* Reads a list like log,standard,log-target. */
SOOTHI_LOCAL sooth_status soothi_train_transform(sooth_env *env, sooth_train_recipe *recipe,
                                                 const char *list) {
    enum { NONE = SOOTH_SCALE_NONE, LOG, CLIP, LOG_TARGET, UNKNOWN }; /* up to NONE a sooth_scale_transform */
    const char *const known = "standard|minmax|robust|none|log|clip|log-target";
    const size_t size = soothi_text_length(list);
    char word[SOOTHI_TRAIN_WORD], buffer[32];
    uint32_t range = UNKNOWN, function = 0;
    memset(&recipe->input, 0, sizeof recipe->input);
    recipe->has_target = 0;
    for (size_t at = 0;; ++at) {
        if (!soothi_train_word(list, size, &at, ',', word)) return soothi_train_too_long(env);
        const uint32_t k = soothi_train_one_of(known, word);
        if (k == UNKNOWN || list[at] == ' ')
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                "there is no transform %s; the transforms are standard, minmax, robust, none, log, clip, "
                "log-target",
                word);
        if (k <= NONE && range != UNKNOWN)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "transform has both %s and %s",
                              soothi_choice(known, range, buffer), word);
        if (k <= NONE) range = k;
        if (k == LOG) function = SOOTH_SCALE_LOG1P - SOOTH_SCALE_NONE;
        if (k == CLIP) recipe->input.clip = 1;
        if (k == LOG_TARGET) {
            recipe->has_target = 1;
            recipe->target.transform = SOOTH_SCALE_LOG;
        }
        if (!list[at]) break;
    }
    recipe->has_input = range != UNKNOWN || function || recipe->input.clip;
    recipe->input.transform = (range == UNKNOWN ? (uint32_t)NONE : range) + function;
    return SOOTH_OK;
}

/* Stores the number of a choice in *number. */
SOOTHI_LOCAL sooth_status soothi_train_choice(sooth_env *env, const char *name, const char *list,
                                              const char *value, uint32_t *number) {
    const uint32_t k = soothi_train_one_of(list, value);
    if (k == soothi_choices(list))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %s, but must be one of %s", name,
                          *value ? value : "empty", list);
    *number = k;
    return SOOTH_OK;
}

/* Sets an option of intervals that a recipe has under another name, which the sentences have. */
SOOTHI_LOCAL sooth_status soothi_train_set_renamed(sooth_env *env, sooth_train_recipe *recipe,
                                                   const char *option, const char *name, const char *value) {
    sooth_option renamed = *soothi_option_named(sooth_calibrate_options_list(), option);
    const sooth_option_list one = {&renamed, 1};
    sooth_text_format(renamed.name, sizeof renamed.name, "%s", name);
    return sooth_option_set_written(env, one, &recipe->calibrate, name, value);
}

SOOTH_API sooth_status sooth_train_recipe_set(sooth_env *env, sooth_train_recipe *recipe, const char *name,
                                              const char *value) {
    const sooth_option_list calibration = sooth_calibrate_options_list();
    const sooth_model_kind *kind;
    uint32_t k = 0;
    sooth_status status = sooth_train_kind_named(env, recipe->model, &kind);
    if (status != SOOTH_OK) return status;
    if (soothi_same_text(name, "transform")) return soothi_train_transform(env, recipe, value);
    const int is_ratio = soothi_same_text(name, "ratio_to");
    if (is_ratio || soothi_same_text(name, "teacher")) {
        char *to = is_ratio ? recipe->ratio_to : recipe->teacher;
        const size_t size = is_ratio ? sizeof recipe->ratio_to : sizeof recipe->teacher;
        if (strlen(value) >= size)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s has %z letters, but must have at most %z", name,
                              strlen(value), size - 1);
        sooth_text_format(to, size, "%s", value);
        return SOOTH_OK;
    }
    if (soothi_same_text(name, "encode")) {
        status = soothi_train_choice(env, name, "auto|target|ordinal|native|target-in-time", value, &k);
        recipe->encoding.in_time = k == 4;
        recipe->encode = k == 4 ? (uint32_t)SOOTH_TRAIN_ENCODE_TARGET : k; /* a sooth_train_encode */
        return status;
    }
    if (soothi_same_text(name, "upper")) {
        status = soothi_train_choice(env, name, "0|1", value, &k);
        recipe->calibrate.tails = k ? (uint32_t)SOOTH_CONFORMAL_UPPER : 0u;
        return status;
    }
    if (soothi_same_text(name, "interval")) {
        status = soothi_train_set_renamed(env, recipe, "level", name, value);
        if (status == SOOTH_OK) recipe->calibrated = 1;
        return status;
    }
    if (soothi_same_text(name, "calibrate")) {
        status = soothi_train_set_renamed(env, recipe, "probability", name, value);
        recipe->calibrated = recipe->calibrate.probability || recipe->calibrate.level > 0.0;
        return status;
    }
    if (soothi_same_text(name, "folds"))
        return sooth_option_set_written(env, calibration, &recipe->calibrate, name, value);
    const sooth_option_list options = sooth_model_kind_options(kind);
    if (soothi_same_text(name, "seed")) {
        status = sooth_option_set(env, calibration, &recipe->calibrate, name, value);
        recipe->encoding.seed = recipe->calibrate.seed;
        if (status != SOOTH_OK || !soothi_option_named(options, name)) return status;
    }
    return sooth_option_set_written(env, options, &recipe->options, name, value);
}

SOOTH_API sooth_status sooth_train_recipe_read(sooth_env *env, const char *text, size_t size,
                                               sooth_train_recipe *recipe) {
    char name[SOOTHI_TRAIN_WORD], value[SOOTHI_TRAIN_WORD];
    size_t at = 0;
    while (at < size && text[at] == ' ') ++at;
    memset(recipe, 0, sizeof *recipe);
    if (!soothi_train_word(text, size, &at, ' ', name)) return soothi_train_too_long(env);
    sooth_status status = sooth_train_recipe_init(env, recipe, name);
    while (status == SOOTH_OK) {
        while (at < size && text[at] == ' ') ++at;
        if (at == size || !text[at]) return SOOTH_OK;
        if (!soothi_train_word(text, size, &at, '=', name)) return soothi_train_too_long(env);
        if (!*name || at == size || text[at] != '=')
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "\"%s\" must be NAME=VALUE, as max_depth=4", name);
        ++at;
        if (!soothi_train_word(text, size, &at, ' ', value)) return soothi_train_too_long(env);
        status = sooth_train_recipe_set(env, recipe, name, value);
    }
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
