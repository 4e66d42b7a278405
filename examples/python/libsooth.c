/* libsooth.c - sooth as a shared library: the functions of sooth_call.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The library exports these functions alone. They use public functions of the headers only.
 */
#define SOOTH_IMPLEMENTATION
#define SOOTH_CALL_BUILD
#include "sooth.h"
#include "sooth/threads.h"

#include "sooth_call.h"

#include <math.h>
#include <time.h>

/* An env with its threads, the last text, and the settings of the next fit. */
struct sooth_session {
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
    float *out_of_bag;
};

/* ---- helpers ---- */

/* a * b, or SIZE_MAX if that is too large, which no allocator has. */
static size_t product(size_t a, size_t b) { return b && a > SIZE_MAX / b ? SIZE_MAX : a * b; }

static uint32_t kind_of(const sooth_block *block) { return block->kind & 0xFFFFu; }

static int has_option(sooth_option_list list, const char *name) {
    for (size_t i = 0; i < list.count; ++i)
        if (strcmp(list.option[i].name, name) == 0) return 1;
    return 0;
}

/* ---- the library ---- */

unsigned sooth_call_version(void) { return SOOTH_CALL_VERSION; }
const char *sooth_call_release(void) { return SOOTH_VERSION_TEXT; }
const char *sooth_call_status(int status) { return sooth_status_name((sooth_status)status); }

sooth_session *sooth_call_open(size_t workers) {
    sooth_session *session = (sooth_session *)malloc(sizeof *session);
    if (!session) return NULL;
    memset(session, 0, sizeof *session);
    sooth_env_init(&session->env);
    if (workers == 1 || sooth_threads_start(&session->env, &session->pool, workers) == SOOTH_OK)
        return session;
    free(session);
    return NULL;
}

void sooth_call_close(sooth_session *session) {
    if (!session) return;
    sooth_threads_stop(&session->pool);
    free(session->text);
    free(session);
}

const char *sooth_call_sentence(const sooth_session *session) { return session->env.sentence; }

/* ---- models and their options ---- */

const char *sooth_call_model(size_t i, const char **kind, const char **title) {
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

int sooth_call_option(const char *model, size_t i, const char **name, int *type, double *least, double *most,
                      double *value, int *given, const char **choices, const char **help) {
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

int sooth_call_learns(const char *model, size_t targets) {
    const sooth_model_kind *kind;
    if (sooth_train_kind_named(NULL, model, &kind) != SOOTH_OK) return 0;
    return kind->max_targets == 0 || targets <= kind->max_targets;
}

/* ---- what a fit takes ---- */

void sooth_call_monotone(sooth_session *session, const signed char *sign) { session->monotone = sign; }

void sooth_call_validation(sooth_session *session, const float *x, size_t rows, const float *y,
                           const float *weight) {
    session->validation = sooth_table_of(x, y, rows, 0); /* whose columns are the table's */
    session->validation.weight = weight;
}

void sooth_call_loss(sooth_session *session, sooth_call_derive_fn *derive, void *user, double base) {
    session->custom.derive_fn = derive;
    session->custom.user = user;
    session->custom.base = base;
}

void sooth_call_categories(sooth_session *session, const uint8_t *categorical,
                           const char *const *const *level) {
    session->categorical = categorical;
    session->levels = level;
}

void sooth_call_out_of_bag(sooth_session *session, float *prediction) { session->out_of_bag = prediction; }

static void forget(sooth_session *session) {
    session->monotone = NULL;
    memset(&session->validation, 0, sizeof session->validation);
    memset(&session->custom, 0, sizeof session->custom);
    session->categorical = NULL;
    session->levels = NULL;
    session->out_of_bag = NULL;
}

/* clock() is what every platform has: with several workers it is faster, and progress told more often. */
static int tell_progress(void *user, const char *stage, double done) {
    sooth_session *session = (sooth_session *)user;
    const clock_t now = clock();
    if (now - session->told < CLOCKS_PER_SEC / 50 && done < 1.0 && done > 0.0) return 0;
    session->told = now;
    return session->progress_fn(session->progress_user, stage, done);
}

void sooth_call_progress(sooth_session *session, sooth_call_progress_fn *progress, void *user) {
    session->progress_fn = progress;
    session->progress_user = user;
    session->env.progress_fn = progress ? tell_progress : NULL;
    session->env.progress_user = session;
}

void sooth_call_history(sooth_session *session, sooth_call_history_fn *history, void *user) {
    session->history_fn = history;
    session->history_user = user;
}

static int ask_others(void *user, sooth_reduction what, int64_t *value, size_t count) {
    sooth_session *session = (sooth_session *)user;
    return session->reduce_fn(session->reduce_user, (int)what, value, count);
}

void sooth_call_join(sooth_session *session, size_t rank, size_t ranks, sooth_call_reduce_fn *reduce,
                     void *user) {
    session->reduce_fn = reduce;
    session->reduce_user = user;
    session->env.reduce_fn = reduce ? ask_others : NULL;
    session->env.reduce_user = session;
    session->env.rank = rank;
    session->env.ranks = ranks;
}

int sooth_call_fail(sooth_session *session, const char *sentence) {
    const sooth_status status = sooth_fail(&session->env, SOOTH_BAD_DATA, "%s", sentence);
    return (int)sooth_agree(&session->env, status);
}

static void tell_loss(void *user, const char *stage, size_t step, double loss, double validation) {
    sooth_session *session = (sooth_session *)user;
    if (step > session->steps) session->steps = step;
    if (session->history_fn) session->history_fn(session->history_user, stage, step, loss, validation);
}

/* Puts into the recipe what its model takes, or says that it does not. */
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
    if (session->out_of_bag && model->kind != SOOTH_KIND_FOREST)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "out-of-bag predictions are of forests, but this is a %s",
                          model->title);
    if (session->out_of_bag &&
        (recipe->has_input || recipe->has_target || env->reduce_fn ||
         (table->categorical && recipe->encode != SOOTH_TRAIN_ENCODE_NATIVE && recipe->encode)))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "out-of-bag predictions go with no transforms, with encode=native alone, and with "
                          "one process");
    if (model->kind != SOOTH_KIND_BOOST && (session->custom.derive_fn || session->validation.x))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s for boosting, but this is a %s",
                          session->validation.x ? "held-out rows are" : "a loss of your own is",
                          model->title);
    if (session->custom.derive_fn) recipe->options.boost.custom = &session->custom;
    if (!session->validation.x) return SOOTH_OK;
    const int transforms = recipe->has_input || recipe->has_target || *recipe->ratio_to;
    if (transforms || (table->categorical && recipe->encode != SOOTH_TRAIN_ENCODE_NATIVE &&
                       recipe->encode != SOOTH_TRAIN_ENCODE_AUTO))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "held-out rows go with %s; give validation_fraction instead",
                          transforms ? "no transforms" : "encode=native alone");
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
    const size_t cols = table->cols, size = product(table->rows + held->rows, cols);
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

int sooth_call_fit(sooth_session *session, const char *plan, const float *x, size_t rows, size_t cols,
                   const float *y, size_t targets, const float *weight, const uint32_t *group,
                   const uint32_t *time, const char *const *names, const char *const *target_names,
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
    table.time = time;
    table.names = names;
    sooth_status status = prepare(session, plan, &table, &read, &levels, &codes);
    if (status != SOOTH_OK) {
        status = sooth_agree(&session->env, status);
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
        const int counts = session->history_fn || has_option(sooth_model_kind_options(kind), "max_iter");
        session->steps = 1;
        session->env.loss_fn = counts ? tell_loss : NULL;
        session->env.loss_user = session;
        status = sooth_train_fit(&session->env, &table, &read, model);
        if (session->out_of_bag && status == SOOTH_OK) {
            sooth_model_parts parts;
            sooth_model_open(*model, &parts);
            status =
                sooth_forest_out_of_bag(&session->env, (const sooth_forest *)(const void *)parts.predictor,
                                        &table, &read.options.forest, session->out_of_bag, NULL);
            if (status != SOOTH_OK) sooth_model_free(&session->env, *model);
            if (status != SOOTH_OK) *model = NULL;
        }
    }
    sooth_free(&session->env, codes, product(rows + held, cols), sizeof *codes);
    sooth_levels_free(&session->env, levels);
    forget(session);
    return (int)status;
}

int sooth_call_refit(sooth_session *session, const char *plan, const sooth_model *model, double decay,
                     const float *x, size_t rows, size_t cols, const float *y, size_t targets,
                     const float *weight, const char *const *names, const char *const *target_names,
                     sooth_model **refitted) {
    sooth_train_recipe read;
    sooth_model_seen_rows seen;
    sooth_table table = sooth_table_of(x, y, rows, cols);
    *refitted = NULL;
    table.targets = targets;
    table.weight = weight;
    table.names = names;
    sooth_status status = sooth_train_recipe_read(&session->env, plan, strlen(plan), &read);
    if (status == SOOTH_OK) status = give_options(session, &table, &read);
    if (status == SOOTH_OK) {
        read.target_names = target_names;
        read.seen = &seen;
        memset(&seen, 0, sizeof seen);
        if (x && y) sooth_model_seen_add(&seen, &table);
        status = sooth_train_refit(&session->env, model, &table, &read, decay, refitted);
    }
    forget(session);
    return (int)status;
}

size_t sooth_call_steps(const sooth_session *session) { return session->steps; }

/* ---- models ---- */

int sooth_call_load(sooth_session *session, const void *bytes, size_t size, sooth_model **model) {
    return (int)sooth_model_load(&session->env, bytes, size, model);
}

static int has_zeros(const sooth_origin *origin) {
    const double *zero = sooth_origin_values(origin);
    for (size_t i = 0; i < (size_t)origin->head.features + origin->head.targets; ++i)
        if (zero[i] < 0.0 || zero[i] > 0.0) return 1;
    return 0;
}

size_t sooth_call_zeros(sooth_session *session, const void *bytes, size_t size, double *zero, size_t room) {
    sooth_origin *origin;
    size_t count = 0;
    if (sooth_origin_load(&session->env, bytes, size, &origin) != SOOTH_OK) return 0;
    if (has_zeros(origin)) count = (size_t)origin->head.features + origin->head.targets;
    for (size_t i = 0; i < count && i < room; ++i) zero[i] = sooth_origin_values(origin)[i];
    sooth_origin_free(&session->env, origin);
    return count;
}

int sooth_call_load_centred(sooth_session *session, const void *bytes, size_t size, sooth_model **model) {
    sooth_origin *origin;
    *model = NULL;
    sooth_status status = sooth_origin_load(&session->env, bytes, size, &origin);
    if (status != SOOTH_OK) return (int)status;
    const size_t inner = sooth_origin_model(origin)->head.size;
    void *copy = sooth_alloc(&session->env, inner, 1);
    if (copy) {
        sooth_model_save(sooth_origin_model(origin), copy);
        status = sooth_model_load(&session->env, copy, inner, model);
        sooth_free(&session->env, copy, inner, 1);
    } else {
        status = sooth_no_memory(&session->env, "a model", inner);
    }
    sooth_origin_free(&session->env, origin);
    return (int)status;
}

size_t sooth_call_save_centred(sooth_session *session, const sooth_model *model, const double *zero,
                               void *bytes, size_t room) {
    sooth_origin *origin;
    if (sooth_origin_make(&session->env, model, zero, &origin) != SOOTH_OK) return 0;
    const size_t size = origin->head.size;
    if (size <= room) sooth_model_save(sooth_model_from_block(&origin->head), bytes);
    sooth_origin_free(&session->env, origin);
    return size;
}

/* Sessions use malloc. */
void sooth_call_free(sooth_model *model) { sooth_model_free(NULL, model); }
void sooth_call_save(const sooth_model *model, void *bytes) { sooth_model_save(model, bytes); }
size_t sooth_call_size(const sooth_model *model) { return model->head.size; }
size_t sooth_call_features(const sooth_model *model) { return model->head.features; }
size_t sooth_call_targets(const sooth_model *model) { return model->head.targets; }
int sooth_call_has_interval(const sooth_model *model) { return sooth_model_conformal(model, 0) != NULL; }

static const sooth_levels *levels_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    return parts.levels;
}

size_t sooth_call_levels(const sooth_model *model, size_t feature, int *is, size_t *lost) {
    const sooth_levels *levels = levels_of(model);
    const sooth_levels_column *column = levels ? &sooth_levels_columns(levels)[feature] : NULL;
    *is = column && column->categorical;
    *lost = *is ? column->lost : 0;
    return *is ? column->count : 0;
}

const char *sooth_call_level(const sooth_model *model, size_t feature, size_t code) {
    const sooth_levels *levels = levels_of(model);
    const char *name = levels ? sooth_levels_name(levels, feature, (float)code) : NULL;
    return name ? name : "";
}

float sooth_call_code(const sooth_model *model, size_t feature, const char *name) {
    const sooth_levels *levels = levels_of(model);
    return levels ? sooth_levels_code(levels, feature, name, strlen(name)) : (float)NAN;
}

size_t sooth_call_trees(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const uint32_t kind = kind_of(parts.predictor);
    if (kind != SOOTH_KIND_FOREST && kind != SOOTH_KIND_BOOST) return 0;
    const size_t trees = ((const sooth_ensemble *)(const void *)parts.predictor)->trees;
    return kind == SOOTH_KIND_FOREST ? trees : trees / model->head.targets;
}

const char *sooth_call_name(const sooth_model *model, size_t i) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.card) return "";
    if (i < model->head.features) return sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, i);
    return sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, i - model->head.features);
}

int sooth_call_predict(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                       float *out) {
    return (int)sooth_model_predict_table(&session->env, model, x, rows, model->head.features, out);
}

int sooth_call_interval(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                        float *low, float *high) {
    sooth_env *env = &session->env;
    const size_t targets = model->head.targets, size = product(rows, targets);
    if (!sooth_call_has_interval(model))
        return (int)sooth_fail(env, SOOTH_BAD_MODEL, "the model has no interval; fit it with interval=0.9");
    float *predicted = (float *)sooth_alloc(env, size, sizeof(float));
    if (!predicted) return (int)sooth_no_memory(env, "intervals", size * sizeof(float));
    const sooth_status status =
        sooth_model_predict_table(env, model, x, rows, model->head.features, predicted);
    for (size_t i = 0; i < rows && status == SOOTH_OK; ++i)
        (void)sooth_model_interval_from(model, 0, predicted[i * targets], &low[i], &high[i]);
    sooth_free(env, predicted, size, sizeof(float));
    return (int)status;
}

void sooth_call_trust(const sooth_model *model, const float *x, size_t rows, uint32_t *trust) {
    uint32_t feature;
    for (size_t i = 0; i < rows; ++i)
        trust[i] = (uint32_t)sooth_model_trust(model, x + i * model->head.features, &feature);
}

/* ---- explanations ---- */

static sooth_status trees_of(sooth_session *session, const sooth_model_parts *parts,
                             sooth_explain_trees *trees) {
    const uint32_t kind = kind_of(parts->predictor);
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
    float *own = (float *)sooth_alloc(&session->env, product(rows, cols), sizeof(float));
    if (!own) return sooth_no_memory(&session->env, "the rows", rows * cols * sizeof(float));
    sooth_model_transform(parts, x, rows, cols, own);
    sooth_table_init(table, own, rows, cols);
    return SOOTH_OK;
}

static void unsee(sooth_session *session, const sooth_table *table) {
    sooth_free(&session->env, (void *)(uintptr_t)table->x, table->rows * table->cols, sizeof(float));
}

int sooth_call_shap(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                    const float *background, size_t background_rows, double *phi, double *expected) {
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

int sooth_call_importance(sooth_session *session, const sooth_model *model, double *out) {
    sooth_model_parts parts;
    sooth_explain_trees trees;
    sooth_model_open(model, &parts);
    const sooth_status status = trees_of(session, &parts, &trees);
    if (status != SOOTH_OK) return (int)status;
    return (int)sooth_explain_importance(&session->env, &trees, SOOTH_EXPLAIN_SHARE, out);
}

size_t sooth_call_leaves(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                         uint32_t *leaf) {
    sooth_model_parts parts;
    sooth_explain_trees trees;
    sooth_table table;
    sooth_model_open(model, &parts);
    if (trees_of(session, &parts, &trees) != SOOTH_OK) return 0;
    if (rows == 0) return trees.trees;
    if (seen(session, &parts, x, rows, &table) != SOOTH_OK) return 0;
    for (size_t i = 0; i < rows; ++i)
        for (size_t k = 0; k < trees.trees; ++k)
            leaf[i * trees.trees + k] = sooth_explain_leaf(&trees, k, table.x + i * table.stride);
    unsee(session, &table);
    return trees.trees;
}

/* ---- predictions of some kinds ---- */

/* The rows as an ensemble sees them, or why there is none. */
static sooth_status open_ensemble(sooth_session *session, const sooth_model *model, const float *x,
                                  size_t rows, sooth_model_parts *parts, sooth_table *table,
                                  const sooth_ensemble **ensemble) {
    sooth_model_open(model, parts);
    const uint32_t kind = kind_of(parts->predictor);
    *ensemble = (const sooth_ensemble *)(const void *)parts->predictor;
    if (kind != SOOTH_KIND_FOREST && kind != SOOTH_KIND_BOOST)
        return sooth_fail(&session->env, SOOTH_BAD_ARGUMENT, "this is for forests and boosting");
    return seen(session, parts, x, rows, table);
}

int sooth_call_staged(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                      size_t trees, float *out) {
    const sooth_ensemble *e;
    sooth_model_parts parts;
    sooth_table table;
    sooth_status status = open_ensemble(session, model, x, rows, &parts, &table, &e);
    if (status != SOOTH_OK) return (int)status;
    const size_t turns = kind_of(&e->head) == SOOTH_KIND_BOOST ? e->head.targets : 1;
    if (parts.probability || trees == 0 || trees > e->trees / turns)
        status = sooth_fail(&session->env, SOOTH_BAD_ARGUMENT,
                            parts.probability ? "a calibrated probability has no stages"
                                              : "there are %z trees, but the first %z are wanted",
                            e->trees / turns, trees);
    if (status == SOOTH_OK) {
        sooth_ensemble_predict_first(e, table.x, rows, table.stride, (uint32_t)(trees * turns), out);
        if (parts.target) sooth_scale_invert_many(parts.target, out, rows, e->head.targets, out);
    }
    unsee(session, &table);
    return (int)status;
}

int sooth_call_quantiles(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                         const float *q, size_t count, float *out) {
    const sooth_ensemble *e;
    sooth_model_parts parts;
    sooth_table table;
    sooth_status status = open_ensemble(session, model, x, rows, &parts, &table, &e);
    if (status != SOOTH_OK) return (int)status;
    uint32_t *leaf = (uint32_t *)sooth_alloc(&session->env, e->trees, sizeof *leaf);
    if (!leaf) status = sooth_no_memory(&session->env, "leaves", e->trees * sizeof *leaf);
    else if (kind_of(&e->head) != SOOTH_KIND_FOREST || !sooth_forest_has_quantiles(e))
        status = sooth_fail(&session->env, SOOTH_BAD_ARGUMENT,
                            "quantiles need a forest with its rows; fit it with keep_rows=1");
    for (size_t i = 0; i < rows && status == SOOTH_OK; ++i)
        sooth_forest_quantiles(e, table.x + i * table.stride, q, count, leaf, out + i * count);
    if (status == SOOTH_OK && parts.target) sooth_scale_invert_many(parts.target, out, rows * count, 1, out);
    sooth_free(&session->env, leaf, e->trees, sizeof *leaf);
    unsee(session, &table);
    return (int)status;
}

int sooth_call_deviation(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                         float *out) {
    sooth_env *env = &session->env;
    sooth_model_parts parts;
    sooth_table table;
    sooth_model_open(model, &parts);
    if (kind_of(parts.predictor) != SOOTH_KIND_GAUSS || parts.target)
        return (int)sooth_fail(env, SOOTH_BAD_ARGUMENT,
                               "a standard deviation is of Gaussian processes without a transform of the "
                               "target");
    const sooth_gauss *gauss = (const sooth_gauss *)(const void *)parts.predictor;
    sooth_status status = seen(session, &parts, x, rows, &table);
    if (status != SOOTH_OK) return (int)status;
    const size_t size = sooth_gauss_scratch_size(gauss) + 1;
    void *scratch = sooth_alloc(env, size, 1);
    if (!scratch) status = sooth_no_memory(env, "deviations", size);
    for (size_t i = 0; i < rows && status == SOOTH_OK; ++i)
        out[i] = sooth_gauss_deviation(gauss, table.x + i * table.stride, SOOTH_GAUSS_NEW, 1, scratch);
    sooth_free(env, scratch, size, 1);
    unsee(session, &table);
    return (int)status;
}

int sooth_call_coefficients(sooth_session *session, const sooth_model *model, double *out) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (kind_of(parts.predictor) != SOOTH_KIND_LINEAR || parts.input || parts.target)
        return (int)sooth_fail(&session->env, SOOTH_BAD_ARGUMENT,
                               "coefficients are of linear models without transforms");
    const sooth_linear *linear = (const sooth_linear *)(const void *)parts.predictor;
    const size_t width = (size_t)model->head.features + 1;
    for (size_t k = 0; k < width * model->head.targets; ++k)
        out[k] = sooth_linear_coefficient(linear, k / width, k % width);
    return SOOTH_OK;
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

const char *sooth_call_describe(sooth_session *session, const sooth_model *model, int json) {
    sooth_sink sink = {session, keep_text, 0};
    session->size = 0;
    const sooth_status status = json ? sooth_model_describe_json(&session->env, model, &sink)
                                     : sooth_model_describe(&session->env, model, &sink);
    return status == SOOTH_OK && !sink.failed && session->size ? session->text : NULL;
}
