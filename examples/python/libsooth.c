/* libsooth.c - sooth as a shared library, with calls that need no struct on the other side.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The library holds every public function of the headers. A C program may use it with -DSOOTH_LINKED instead
 * of compiling them. Another language would have to mirror sooth_env, sooth_table and the options field by
 * field, and nothing would tell when these change. The functions of this file stand beside the others for
 * that: they take numbers, texts and plain arrays, and two opaque handles, a session and a model. What they
 * are called with does not change while sooth_call_version stays what it is.
 *
 * A status is that of base.h, 0 when all is well; the session then keeps the sentence. A session is for one
 * thread at a time; models are read only and may be shared.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "sooth/threads.h"
#include <time.h>

enum { CALL_VERSION = 2 };

/* What a host may be asked: as in base.h, and the derivatives of a loss of its own (sooth_boost_custom). */
typedef int sooth_call_progress_fn(void *user, const char *stage, double done);
typedef void sooth_call_history_fn(void *user, const char *stage, size_t step, double loss,
                                   double validation);
typedef int sooth_call_reduce_fn(void *user, int what, int64_t *value, size_t count);
typedef void sooth_call_derive_fn(void *user, const float *y, const float *margin, size_t rows,
                                  float *gradient, float *hessian);

/* An env with its threads, the text that was asked for last, and what the next fit takes beside its table. */
typedef struct sooth_session {
    sooth_env env;
    sooth_threads pool;
    char *text;
    size_t size, room;
    size_t steps; /* of the last fit */
    sooth_call_progress_fn *progress_fn;
    sooth_call_history_fn *history_fn;
    sooth_call_reduce_fn *reduce_fn;
    void *progress_user, *history_user, *reduce_user;
    clock_t told; /* when progress was told last */
    const signed char *monotone;
    sooth_table validation;
    sooth_boost_custom custom;
    const uint8_t *categorical;
    const char *const *const *levels;
} sooth_session;

/* Of this list of functions, and of the library. */
SOOTH_API unsigned sooth_call_version(void);
SOOTH_API const char *sooth_call_release(void);
SOOTH_API const char *sooth_call_status(int status);

/* Bytes of a struct in this library, for who mirrors it all the same: "sooth_env"; 0: none of these. */
SOOTH_API size_t sooth_call_sizeof(const char *name);

/* With so many workers, 0: one per processor. NULL: no memory, or no threads. */
SOOTH_API sooth_session *sooth_call_open(size_t workers);
SOOTH_API void sooth_call_close(sooth_session *session);
SOOTH_API const char *sooth_call_sentence(const sooth_session *session);

/* The i-th model or preset there is, NULL past the end; *kind: what it is a preset of, or its own name. */
SOOTH_API const char *sooth_call_model(size_t i, const char **kind, const char **title);

/* The i-th option of a model or preset; 0 past its end. type: 0 a count, 1 a number, 2 a choice. value: in
   force unless it is set; of a choice its number. given: 1: what is in force cannot be told by a number. */
SOOTH_API int sooth_call_option(const char *model, size_t i, const char **name, int *type, double *least,
                                double *most, double *value, int *given, const char **choices,
                                const char **help);

/* Whether the model learns so many targets at once. */
SOOTH_API int sooth_call_learns(const char *model, size_t targets);

/* ---- what the next fit of the session takes, and forgets; arrays must stand until it ends ---- */

/* Per column 1: predictions may only rise with it; -1: fall; 0: both. Of trees, forests and boosting. */
SOOTH_API void sooth_call_monotone(sooth_session *session, const signed char *sign);

/* Held-out rows x[rows x cols], y[rows], weight[rows] or NULL: boosting stops by them. */
SOOTH_API void sooth_call_validation(sooth_session *session, const float *x, size_t rows, const float *y,
                                     const float *weight);

/* A loss of the host's instead of boosting's own; predictions start with base. */
SOOTH_API void sooth_call_loss(sooth_session *session, sooth_call_derive_fn *derive, void *user, double base);

/* Which columns are categories, and what the values 0, 1, 2, ... of column j are called: level[j][0],
   level[j][1], ...; NaN is missing. The model keeps the names, and has codes of its own (sooth_call_code).
   Without names (NULL) the numbers are the levels. */
SOOTH_API void sooth_call_categories(sooth_session *session, const uint8_t *categorical,
                                     const char *const *const *level);

/* ---- what holds as long as the session ---- */

/* Told of progress some fifty times a second at most, from the thread that called; nonzero ends the call with
   SOOTH_CANCELLED. NULL: nobody is. */
SOOTH_API void sooth_call_progress(sooth_session *session, sooth_call_progress_fn *progress, void *user);

/* Told of the loss after each step of a fit: env.loss_fn of base.h. NULL: nobody is. */
SOOTH_API void sooth_call_history(sooth_session *session, sooth_call_history_fn *history, void *user);

/* This process is number `rank` of `ranks`, which hold rows of one table: env.reduce_fn of base.h, what 0:
   the sum, 1: the greatest. */
SOOTH_API void sooth_call_join(sooth_session *session, size_t rank, size_t ranks,
                               sooth_call_reduce_fn *reduce, void *user);

/* Instead of sooth_call_fit, where this process has nothing to come with: the others end with this sentence,
   too. */
SOOTH_API int sooth_call_fail(sooth_session *session, const char *sentence);

/* ---- fitting ---- */

/* Fits a recipe in words (train.h) to x[rows x cols] and y[rows x targets]. weight, group, names,
   target_names: one per row, row, column, target; may be NULL. */
SOOTH_API int sooth_call_fit(sooth_session *session, const char *plan, const float *x, size_t rows,
                             size_t cols, const float *y, size_t targets, const float *weight,
                             const uint32_t *group, const char *const *names, const char *const *target_names,
                             sooth_model **model);

/* The steps that the last fit took, of what has an option max_iter; 1 where it was solved at once. */
SOOTH_API size_t sooth_call_steps(const sooth_session *session);

/* A model from its file's bytes, and back: bytes[0..sooth_call_size). */
SOOTH_API int sooth_call_load(sooth_session *session, const void *bytes, size_t size, sooth_model **model);
SOOTH_API void sooth_call_free(sooth_model *model);
SOOTH_API size_t sooth_call_size(const sooth_model *model);
SOOTH_API size_t sooth_call_features(const sooth_model *model);
SOOTH_API size_t sooth_call_targets(const sooth_model *model);
SOOTH_API int sooth_call_has_interval(const sooth_model *model);

/* How many levels a feature that is a category has; 0 and *is 0: it is a number. lost: levels that there was
   no room for, and that count as missing. */
SOOTH_API size_t sooth_call_levels(const sooth_model *model, size_t feature, int *is, size_t *lost);

/* The name of a level, "" where there is none; and the code of a name, as a row has it, NaN where there is
   none. */
SOOTH_API const char *sooth_call_level(const sooth_model *model, size_t feature, size_t code);
SOOTH_API float sooth_call_code(const sooth_model *model, size_t feature, const char *name);

/* Trees of a forest or of boosting, per target; 0: the model is neither. */
SOOTH_API size_t sooth_call_trees(const sooth_model *model);

/* The name of a feature, or from features on of a target; "" where it has none. */
SOOTH_API const char *sooth_call_name(const sooth_model *model, size_t i);

/* out[rows x targets]. */
SOOTH_API int sooth_call_predict(sooth_session *session, const sooth_model *model, const float *x,
                                 size_t rows, float *out);

/* low[rows], high[rows] of the first target. */
SOOTH_API int sooth_call_interval(sooth_session *session, const sooth_model *model, const float *x,
                                  size_t rows, float *low, float *high);

/* trust[rows]: 0 inside of what was seen in training, 1 at its edge, 2 outside (sooth_model_trust). */
SOOTH_API void sooth_call_trust(const sooth_model *model, const float *x, size_t rows, uint32_t *trust);

/* SHAP values of trees, phi[rows x targets x features] and expected[targets], path-dependent (background
   NULL) or against the rows of a background; in the predictor's own unit (see sooth_explain_margin). */
SOOTH_API int sooth_call_shap(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                              const float *background, size_t background_rows, double *phi, double *expected);

/* Impurity-based importance of trees, out[features]. */
SOOTH_API int sooth_call_importance(sooth_session *session, const sooth_model *model, double *out);

/* What the model is, in words or as JSON; NULL: no memory. It stands until the next call. */
SOOTH_API const char *sooth_call_describe(sooth_session *session, const sooth_model *model, int json);

/* ------------------------------------------------------------------------------------------------ */

SOOTH_API unsigned sooth_call_version(void) { return CALL_VERSION; }
SOOTH_API const char *sooth_call_release(void) { return SOOTH_VERSION_TEXT; }
SOOTH_API const char *sooth_call_status(int status) { return sooth_status_name((sooth_status)status); }

SOOTH_API size_t sooth_call_sizeof(const char *name) {
#define SIZE(type) \
    if (strcmp(name, #type) == 0) return sizeof(type);
    SIZE(sooth_block)
    SIZE(sooth_env)
    SIZE(sooth_table)
    SIZE(sooth_option)
    SIZE(sooth_model_kind)
    SIZE(sooth_train_recipe)
    SIZE(sooth_train_recipe)
#define OPTIONS(name, NAME, number, transform, title, columns, targets) SIZE(sooth_##name##_options)
    SOOTH_KIND_LIST(OPTIONS)
#undef OPTIONS
#undef SIZE
    return 0;
}

SOOTH_API sooth_session *sooth_call_open(size_t workers) {
    sooth_session *session = (sooth_session *)malloc(sizeof *session);
    if (!session) return NULL;
    memset(session, 0, sizeof *session);
    sooth_env_init(&session->env);
    if (workers == 1 || sooth_threads_start(&session->env, &session->pool, workers) == SOOTH_OK)
        return session;
    free(session);
    return NULL;
}

SOOTH_API void sooth_call_close(sooth_session *session) {
    if (!session) return;
    sooth_threads_stop(&session->pool);
    free(session->text);
    free(session);
}

SOOTH_API const char *sooth_call_sentence(const sooth_session *session) { return session->env.sentence; }

/* ---- models and their options ---- */

SOOTH_API const char *sooth_call_model(size_t i, const char **kind, const char **title) {
    const sooth_model_kind *found;
    size_t kinds = 0;
    for (; (found = sooth_model_kind_at(kinds)) != NULL; ++kinds) {
        if (kinds != i) continue;
        *kind = found->name;
        *title = found->title;
        return found->name;
    }
    const sooth_train_preset *preset = sooth_train_preset_at(i - kinds);
    if (!preset) return NULL;
    *kind = preset->model;
    *title = preset->source;
    return preset->name;
}

SOOTH_API int sooth_call_option(const char *model, size_t i, const char **name, int *type, double *least,
                                double *most, double *value, int *given, const char **choices,
                                const char **help) {
    const sooth_model_kind *kind;
    sooth_train_recipe recipe;
    if (sooth_train_kind_named(NULL, model, &kind) != SOOTH_OK ||
        sooth_train_recipe_init(NULL, &recipe, model) != SOOTH_OK)
        return 0;
    const sooth_option_list list = sooth_model_kind_options(kind);
    if (i >= list.count) return 0;
    const sooth_option *o = &list.option[i];
    *name = o->name;
    *type = (int)o->type;
    *least = o->least;
    *most = o->most;
    *value = sooth_option_value(o, &recipe.options);
    *given = o->given != 0;
    *choices = o->choices;
    *help = o->help;
    return 1;
}

static int has_option(const sooth_model_kind *kind, const char *name) {
    const sooth_option_list list = sooth_model_kind_options(kind);
    size_t i = 0;
    while (i < list.count && strcmp(list.option[i].name, name) != 0) ++i;
    return i < list.count;
}

SOOTH_API int sooth_call_learns(const char *model, size_t targets) {
    const sooth_model_kind *kind;
    if (sooth_train_kind_named(NULL, model, &kind) != SOOTH_OK) return 0;
    return kind->max_targets == 0 || targets <= kind->max_targets;
}

/* ---- what a fit takes ---- */

SOOTH_API void sooth_call_monotone(sooth_session *session, const signed char *sign) {
    session->monotone = sign;
}

SOOTH_API void sooth_call_validation(sooth_session *session, const float *x, size_t rows, const float *y,
                                     const float *weight) {
    session->validation = sooth_table_of(x, y, rows, 0); /* whose columns are the table's */
    session->validation.weight = weight;
}

SOOTH_API void sooth_call_loss(sooth_session *session, sooth_call_derive_fn *derive, void *user,
                               double base) {
    session->custom.derive_fn = derive;
    session->custom.user = user;
    session->custom.base = base;
}

SOOTH_API void sooth_call_categories(sooth_session *session, const uint8_t *categorical,
                                     const char *const *const *level) {
    session->categorical = categorical;
    session->levels = level;
}

static void forget(sooth_session *session) {
    session->monotone = NULL;
    memset(&session->validation, 0, sizeof session->validation);
    memset(&session->custom, 0, sizeof session->custom);
    session->categorical = NULL;
    session->levels = NULL;
}

/* clock() is what every platform has: with several workers it is faster, and progress told more often. */
static int tell_progress(void *user, const char *stage, double done) {
    sooth_session *session = (sooth_session *)user;
    const clock_t now = clock();
    if (now - session->told < CLOCKS_PER_SEC / 50 && done < 1.0 && done > 0.0) return 0;
    session->told = now;
    return session->progress_fn(session->progress_user, stage, done);
}

SOOTH_API void sooth_call_progress(sooth_session *session, sooth_call_progress_fn *progress, void *user) {
    session->progress_fn = progress;
    session->progress_user = user;
    session->env.progress_fn = progress ? tell_progress : NULL;
    session->env.progress_user = session;
}

SOOTH_API void sooth_call_history(sooth_session *session, sooth_call_history_fn *history, void *user) {
    session->history_fn = history;
    session->history_user = user;
}

static int ask_others(void *user, sooth_reduction what, int64_t *value, size_t count) {
    sooth_session *session = (sooth_session *)user;
    return session->reduce_fn(session->reduce_user, (int)what, value, count);
}

SOOTH_API void sooth_call_join(sooth_session *session, size_t rank, size_t ranks,
                               sooth_call_reduce_fn *reduce, void *user) {
    session->reduce_fn = reduce;
    session->reduce_user = user;
    session->env.reduce_fn = reduce ? ask_others : NULL;
    session->env.reduce_user = session;
    session->env.rank = rank;
    session->env.ranks = ranks;
}

SOOTH_API int sooth_call_fail(sooth_session *session, const char *sentence) {
    const sooth_status status = sooth_fail(&session->env, SOOTH_BAD_DATA, "%s", sentence);
    return (int)sooth_train_fail(&session->env, status);
}

static void tell_loss(void *user, const char *stage, size_t step, double loss, double validation) {
    sooth_session *session = (sooth_session *)user;
    if (step > session->steps) session->steps = step;
    if (session->history_fn) session->history_fn(session->history_user, stage, step, loss, validation);
}

/* Sets the options that only some models have, or refuses them. */
static sooth_status give_options(sooth_session *session, const sooth_table *table,
                                 sooth_train_recipe *recipe) {
    sooth_env *env = &session->env;
    const sooth_model_kind *model;
    sooth_status status = sooth_train_kind_named(env, recipe->model, &model);
    if (status != SOOTH_OK) return status;
    if (session->monotone) {
        if (model->kind == SOOTH_KIND_TREE) recipe->options.tree.monotone = session->monotone;
        else if (model->kind == SOOTH_KIND_FOREST) recipe->options.forest.monotone = session->monotone;
        else if (model->kind == SOOTH_KIND_BOOST) recipe->options.boost.monotone = session->monotone;
        else
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "monotone is for trees, forests and boosting, but this is a %s", model->title);
    }
    if (model->kind != SOOTH_KIND_BOOST && (session->custom.derive_fn || session->validation.x))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s for boosting, but this is a %s",
                          session->validation.x ? "held-out rows are" : "a loss of your own is",
                          model->title);
    if (session->custom.derive_fn) recipe->options.boost.custom = &session->custom;
    if (!session->validation.x) return SOOTH_OK;
    if (recipe->has_input || recipe->has_target ||
        (table->categorical && recipe->encode != SOOTH_TRAIN_ENCODE_NATIVE))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "held-out rows go with %s; give validation_fraction instead",
                          recipe->has_input || recipe->has_target ? "no transforms" : "encode=native alone");
    session->validation.cols = session->validation.stride = table->cols;
    session->validation.categorical = table->categorical;
    recipe->options.boost.validation = &session->validation;
    return SOOTH_OK;
}

/* The dictionary of the table's categories, which get its codes, in memory of *codes: those of the table,
   then those of the held-out rows. */
static sooth_status give_codes(sooth_session *session, sooth_table *table, sooth_levels **levels,
                               float **codes) {
    sooth_env *env = &session->env;
    sooth_table *held = &session->validation;
    const size_t cols = table->cols, size = (table->rows + held->rows) * cols;
    *codes = (float *)sooth_alloc(env, size, sizeof **codes);
    if (!*codes) return sooth_no_memory(env, "the codes of categories", size * sizeof **codes);
    const sooth_status status =
        sooth_levels_fit(env, table, session->categorical, session->levels, NULL, *codes, levels);
    if (status != SOOTH_OK) return status;
    float *const of_held = *codes + table->rows * cols;
    if (held->x) memcpy(of_held, held->x, held->rows * cols * sizeof *of_held);
    for (size_t k = 0; held->x && k < held->rows * cols; ++k) {
        const size_t column = k % cols;
        const char *const *names = session->levels ? session->levels[column] : NULL;
        char number[SOOTH_TEXT_NUMBER_SIZE];
        if (!session->categorical[column] || !(names ? of_held[k] >= 0.0f : of_held[k] - of_held[k] <= 0.0f))
            continue;
        if (!names) sooth_text_from_float(number, of_held[k]);
        const char *name = names ? names[(size_t)of_held[k]] : number;
        of_held[k] = sooth_levels_code(*levels, column, name, strlen(name));
    }
    if (held->x) held->x = of_held;
    table->x = *codes;
    table->categorical = session->categorical;
    return SOOTH_OK;
}

/* Everything but the fit itself. */
static sooth_status prepare(sooth_session *session, const char *plan, sooth_table *table,
                            sooth_train_recipe *read, sooth_levels **levels, float **codes) {
    sooth_status status = sooth_train_recipe_read(&session->env, plan, strlen(plan), read);
    if (status == SOOTH_OK && session->env.reduce_fn && read->calibrated)
        status =
            sooth_fail(&session->env, SOOTH_BAD_ARGUMENT, "%s cannot be fitted to rows in several processes",
                       read->calibrate.probability ? "a probability" : "an interval");
    if (status == SOOTH_OK && session->categorical) status = give_codes(session, table, levels, codes);
    return status == SOOTH_OK ? give_options(session, table, read) : status;
}

SOOTH_API int sooth_call_fit(sooth_session *session, const char *plan, const float *x, size_t rows,
                             size_t cols, const float *y, size_t targets, const float *weight,
                             const uint32_t *group, const char *const *names, const char *const *target_names,
                             sooth_model **model) {
    sooth_train_recipe read;
    sooth_levels *levels = NULL;
    float *codes = NULL;
    const size_t held = session->validation.rows;
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_model_seen_rows seen;
    *model = NULL;
    table.targets = targets;
    table.weight = weight;
    table.group = group;
    table.names = names;
    sooth_status status = prepare(session, plan, &table, &read, &levels, &codes);
    if (status != SOOTH_OK) {
        status = sooth_train_fail(&session->env, status);
    } else {
        read.target_names = target_names;
        read.levels = levels;
        read.seen = &seen;
        memset(&seen, 0, sizeof seen);
        if (x && y) sooth_model_seen_add(&seen, &table);
        for (size_t i = 0; group && i < rows; ++i) { /* numbered from 0 */
            if (group[i] >= read.groups) read.groups = group[i] + 1;
        }
        const sooth_model_kind *kind;
        sooth_train_kind_named(NULL, read.model, &kind);
        const int counts = session->history_fn || has_option(kind, "max_iter");
        session->steps = 1;
        session->env.loss_fn = counts ? tell_loss : NULL;
        session->env.loss_user = session;
        status = sooth_train_fit(&session->env, &table, &read, model);
    }
    sooth_free(&session->env, codes, (rows + held) * cols, sizeof *codes);
    sooth_levels_free(&session->env, levels);
    forget(session);
    return (int)status;
}

SOOTH_API size_t sooth_call_steps(const sooth_session *session) { return session->steps; }

/* ---- models ---- */

SOOTH_API int sooth_call_load(sooth_session *session, const void *bytes, size_t size, sooth_model **model) {
    return (int)sooth_model_load(&session->env, bytes, size, model);
}

SOOTH_API void sooth_call_free(sooth_model *model) {
    sooth_model_free(NULL, model);
} /* sessions use malloc */
SOOTH_API size_t sooth_call_size(const sooth_model *model) { return model->head.size; }
SOOTH_API size_t sooth_call_features(const sooth_model *model) { return model->head.features; }
SOOTH_API size_t sooth_call_targets(const sooth_model *model) { return model->head.targets; }
SOOTH_API int sooth_call_has_interval(const sooth_model *model) {
    return sooth_model_conformal(model, 0) != NULL;
}

static const sooth_levels *levels_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return parts.levels;
}

SOOTH_API size_t sooth_call_levels(const sooth_model *model, size_t feature, int *is, size_t *lost) {
    const sooth_levels *levels = levels_of(model);
    const sooth_levels_column *column = levels ? &sooth_levels_columns(levels)[feature] : NULL;
    *is = column && column->categorical;
    *lost = *is ? column->lost : 0;
    return *is ? column->count : 0;
}

SOOTH_API const char *sooth_call_level(const sooth_model *model, size_t feature, size_t code) {
    const sooth_levels *levels = levels_of(model);
    const char *name = levels ? sooth_levels_name(levels, feature, (float)code) : NULL;
    return name ? name : "";
}

SOOTH_API float sooth_call_code(const sooth_model *model, size_t feature, const char *name) {
    const sooth_levels *levels = levels_of(model);
    return levels ? sooth_levels_code(levels, feature, name, strlen(name)) : NAN;
}

SOOTH_API size_t sooth_call_trees(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const uint32_t kind = parts.predictor->kind & 0xFFFFu;
    if (kind != SOOTH_KIND_FOREST && kind != SOOTH_KIND_BOOST) return 0;
    const size_t trees = ((const sooth_ensemble *)(const void *)parts.predictor)->trees;
    return kind == SOOTH_KIND_FOREST ? trees : trees / model->head.targets;
}

SOOTH_API const char *sooth_call_name(const sooth_model *model, size_t i) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.card) return "";
    if (i < model->head.features) return sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, i);
    return sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, i - model->head.features);
}

SOOTH_API int sooth_call_predict(sooth_session *session, const sooth_model *model, const float *x,
                                 size_t rows, float *out) {
    return (int)sooth_model_predict_table(&session->env, model, x, rows, model->head.features, out);
}

SOOTH_API int sooth_call_interval(sooth_session *session, const sooth_model *model, const float *x,
                                  size_t rows, float *low, float *high) {
    sooth_env *env = &session->env;
    const size_t targets = model->head.targets;
    if (!sooth_call_has_interval(model))
        return (int)sooth_fail(env, SOOTH_BAD_MODEL, "the model has no interval; fit it with interval=0.9");
    float *predicted = (float *)sooth_alloc(env, rows * targets, sizeof(float));
    if (!predicted) return (int)sooth_no_memory(env, "intervals", rows * targets * sizeof(float));
    const sooth_status status =
        sooth_model_predict_table(env, model, x, rows, model->head.features, predicted);
    for (size_t i = 0; i < rows && status == SOOTH_OK; ++i)
        (void)sooth_model_interval_from(model, 0, predicted[i * targets], &low[i], &high[i]);
    sooth_free(env, predicted, rows * targets, sizeof(float));
    return (int)status;
}

SOOTH_API void sooth_call_trust(const sooth_model *model, const float *x, size_t rows, uint32_t *trust) {
    uint32_t feature;
    for (size_t i = 0; i < rows; ++i)
        trust[i] = (uint32_t)sooth_model_trust(model, x + i * model->head.features, &feature);
}

/* ---- explanations ---- */

static sooth_status trees_of(sooth_session *session, const sooth_model_parts *parts,
                             sooth_explain_trees *trees) {
    const uint32_t kind = parts->predictor->kind & 0xFFFFu;
    if (kind == SOOTH_KIND_TREE)
        *trees = sooth_explain_tree((const sooth_tree *)(const void *)parts->predictor);
    else if (kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST)
        *trees = sooth_explain_ensemble((const sooth_ensemble *)(const void *)parts->predictor);
    else
        return sooth_fail(&session->env, SOOTH_BAD_ARGUMENT,
                          "only trees, forests and boosting explain themselves; give the prediction to "
                          "shap.Explainer instead");
    return SOOTH_OK;
}

/* The rows as the predictor sees them. */
static sooth_status seen(sooth_session *session, const sooth_model_parts *parts, const float *x, size_t rows,
                         sooth_table *table) {
    const size_t cols = parts->predictor->features;
    float *own = (float *)sooth_alloc(&session->env, rows * cols, sizeof(float));
    if (!own) return sooth_no_memory(&session->env, "the rows", rows * cols * sizeof(float));
    sooth_model_transform(parts, x, rows, cols, own);
    sooth_table_init(table, own, rows, cols);
    return SOOTH_OK;
}

static void unsee(sooth_session *session, const sooth_table *table) {
    sooth_free(&session->env, (void *)(uintptr_t)table->x, table->rows * table->cols, sizeof(float));
}

SOOTH_API int sooth_call_shap(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                              const float *background, size_t background_rows, double *phi,
                              double *expected) {
    sooth_model_parts parts;
    sooth_explain_trees trees;
    sooth_table table, behind;
    sooth_model_open(model, &parts);
    sooth_status status = trees_of(session, &parts, &trees);
    if (status != SOOTH_OK || (status = seen(session, &parts, x, rows, &table)) != SOOTH_OK)
        return (int)status;
    if (!background) {
        status = sooth_explain_shap(&session->env, &trees, &table, phi, expected);
    } else if ((status = seen(session, &parts, background, background_rows, &behind)) == SOOTH_OK) {
        status = sooth_explain_shap_against(&session->env, &trees, &table, &behind, phi, expected);
        unsee(session, &behind);
    }
    unsee(session, &table);
    return (int)status;
}

SOOTH_API int sooth_call_importance(sooth_session *session, const sooth_model *model, double *out) {
    sooth_model_parts parts;
    sooth_explain_trees trees;
    sooth_model_open(model, &parts);
    const sooth_status status = trees_of(session, &parts, &trees);
    if (status != SOOTH_OK) return (int)status;
    return (int)sooth_explain_importance(&session->env, &trees, SOOTH_EXPLAIN_SHARE, out);
}

/* ---- words ---- */

static int keep_text(void *user, const char *text, size_t size) {
    sooth_session *s = (sooth_session *)user;
    if (size >= s->room - s->size) {
        const size_t room = 2 * (s->size + size) + 1024;
        char *more = (char *)realloc(s->text, room);
        if (!more) return 1;
        s->text = more;
        s->room = room;
    }
    memcpy(s->text + s->size, text, size);
    s->size += size;
    s->text[s->size] = 0;
    return 0;
}

SOOTH_API const char *sooth_call_describe(sooth_session *session, const sooth_model *model, int json) {
    sooth_sink sink = {session, keep_text, 0};
    session->size = 0;
    const sooth_status status = json ? sooth_model_describe_json(&session->env, model, &sink)
                                     : sooth_model_describe(&session->env, model, &sink);
    return status == SOOTH_OK && !sink.failed && session->size ? session->text : NULL;
}
