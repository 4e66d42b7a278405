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

enum { CALL_VERSION = 1, ROWS_AT_ONCE = 256 };

/* An env with its threads, and the text that was asked for last. */
typedef struct sooth_session {
    sooth_env env;
    sooth_threads pool;
    char *text;
    size_t size, room;
    size_t steps; /* of the last fit */
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

/* Fits a plan (fit.h) to x[rows x cols] and y[rows x targets]. weight, group, names, target_names: one per
   row, row, column, target; may be NULL. */
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
    if (soothi_same_text(name, #type)) return sizeof(type);
    SIZE(sooth_block)
    SIZE(sooth_env)
    SIZE(sooth_table)
    SIZE(sooth_option)
    SIZE(sooth_model_kind)
    SIZE(sooth_model_recipe)
    SIZE(sooth_fit_plan)
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns) SIZE(sooth_##name##_options)
    SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
#undef SIZE
    return 0;
}

SOOTH_API sooth_session *sooth_call_open(size_t workers) {
    sooth_session *session = (sooth_session *)malloc(sizeof *session);
    if (!session) return NULL;
    memset(session, 0, sizeof *session);
    sooth_env_init(&session->env);
    if (workers == 1 || sooth_threads_start(&session->pool, workers, &session->env) == SOOTH_OK)
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
    sooth_model_kind found;
    sooth_model_preset preset;
    size_t kinds = 0;
    while (sooth_model_kind_at(kinds, &found)) {
        if (kinds++ != i) continue;
        *kind = found.name;
        *title = found.title;
        return found.name;
    }
    if (!sooth_model_preset_at(i - kinds, &preset)) return NULL;
    *kind = preset.model;
    *title = preset.source;
    return preset.name;
}

SOOTH_API int sooth_call_option(const char *model, size_t i, const char **name, int *type, double *least,
                                double *most, double *value, int *given, const char **choices,
                                const char **help) {
    sooth_fit_plan plan;
    if (sooth_fit_begin(NULL, model, &plan) != SOOTH_OK || i >= plan.kind.options.count) return 0;
    const sooth_option *o = &plan.kind.options.option[i];
    *name = o->name;
    *type = (int)o->type;
    *least = o->least;
    *most = o->most;
    *value = sooth_option_value(o, &plan.options);
    *given = o->given != 0;
    *choices = o->choices;
    *help = o->help;
    return 1;
}

SOOTH_API int sooth_call_learns(const char *model, size_t targets) {
    enum { ROWS = 8, MOST = 16 };
    float x[ROWS], y[ROWS * MOST];
    sooth_model_recipe recipe = {0};
    sooth_model *made = NULL;
    if (targets > MOST) return 0;
    for (size_t i = 0; i < ROWS; ++i) x[i] = (float)i;
    for (size_t k = 0; k < ROWS * targets; ++k) y[k] = (float)(k + 1);
    sooth_table table = sooth_table_of(x, y, ROWS, 1);
    table.targets = targets;
    recipe.model = model;
    sooth_model_fit(NULL, &table, &recipe, &made);
    sooth_call_free(made);
    return made != NULL;
}

static void count_steps(void *user, const char *stage, size_t step, double loss, double validation) {
    sooth_session *session = (sooth_session *)user;
    (void)stage, (void)loss, (void)validation;
    if (step > session->steps) session->steps = step;
}

SOOTH_API int sooth_call_fit(sooth_session *session, const char *plan, const float *x, size_t rows,
                             size_t cols, const float *y, size_t targets, const float *weight,
                             const uint32_t *group, const char *const *names, const char *const *target_names,
                             sooth_model **model) {
    sooth_fit_plan read;
    sooth_table table = sooth_table_of(x, y, rows, cols);
    *model = NULL;
    table.targets = targets;
    table.weight = weight;
    table.group = group;
    table.names = names;
    sooth_status status = sooth_fit_read(&session->env, plan, &read);
    if (status != SOOTH_OK) return (int)status;
    read.recipe.target_names = target_names;
    for (size_t i = 0; group && i < rows; ++i) { /* numbered from 0 */
        if (group[i] >= read.recipe.groups) read.recipe.groups = group[i] + 1;
    }
    session->steps = 1;
    session->env.loss_fn = soothi_option_named(read.kind.options, "max_iter") ? count_steps : NULL;
    session->env.loss_user = session;
    return (int)sooth_fit(&session->env, &table, &read, model);
}

SOOTH_API size_t sooth_call_steps(const sooth_session *session) { return session->steps; }

/* ---- models ---- */

SOOTH_API int sooth_call_load(sooth_session *session, const void *bytes, size_t size, sooth_model **model) {
    return (int)sooth_model_load(&session->env, bytes, size, model);
}

SOOTH_API void sooth_call_free(sooth_model *model) {
    sooth_model_free(NULL, model);
} /* sessions use malloc */
SOOTH_API size_t sooth_call_size(const sooth_model *model) { return model->size; }
SOOTH_API size_t sooth_call_features(const sooth_model *model) { return model->features; }
SOOTH_API size_t sooth_call_targets(const sooth_model *model) { return model->targets; }
SOOTH_API int sooth_call_has_interval(const sooth_model *model) {
    return sooth_model_conformal(model, 0) != NULL;
}

SOOTH_API const char *sooth_call_name(const sooth_model *model, size_t i) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.card) return "";
    if (i < model->features) return sooth_card_text(parts.card, SOOTH_CARD_FEATURE, i);
    return sooth_card_text(parts.card, SOOTH_CARD_TARGET, i - model->features);
}

SOOTH_API int sooth_call_predict(sooth_session *session, const sooth_model *model, const float *x,
                                 size_t rows, float *out) {
    return (int)sooth_model_predict_table(&session->env, model, x, rows, model->features, out);
}

/* Intervals of rows side by side, ROWS_AT_ONCE a task; every worker has scratch of its own. */
typedef struct interval_work {
    const sooth_model *model;
    const float *x;
    size_t rows, each;
    float *scratch, *low, *high;
} interval_work;

static void interval_task(void *arg, size_t i, size_t worker) {
    const interval_work *w = (const interval_work *)arg;
    const size_t from = i * ROWS_AT_ONCE, features = w->model->features;
    const size_t rows = w->rows - from < ROWS_AT_ONCE ? w->rows - from : ROWS_AT_ONCE;
    for (size_t k = from; k < from + rows; ++k) {
        sooth_adapted answer;
        sooth_model_interval(w->model, w->x + k * features, w->scratch + worker * w->each, &answer);
        w->low[k] = answer.low;
        w->high[k] = answer.high;
    }
}

SOOTH_API int sooth_call_interval(sooth_session *session, const sooth_model *model, const float *x,
                                  size_t rows, float *low, float *high) {
    sooth_env *env = &session->env;
    const size_t workers = soothi_workers(env);
    interval_work w = {model, x, rows, sooth_model_scratch(model, 1), NULL, low, high};
    if (!sooth_call_has_interval(model))
        return (int)soothi_fail(env, SOOTH_BAD_MODEL,
                                "the model carries no interval; fit it with interval=0.9");
    w.scratch = (float *)soothi_alloc(env, soothi_product(workers, w.each), sizeof(float));
    if (!w.scratch) return (int)soothi_no_memory(env, "intervals", workers * w.each * sizeof(float));
    soothi_parallel(env, (rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, interval_task, &w);
    soothi_free(env, w.scratch, workers * w.each, sizeof(float));
    return SOOTH_OK;
}

SOOTH_API void sooth_call_trust(const sooth_model *model, const float *x, size_t rows, uint32_t *trust) {
    uint32_t feature;
    for (size_t i = 0; i < rows; ++i) trust[i] = sooth_model_trust(model, x + i * model->features, &feature);
}

/* ---- explanations ---- */

static sooth_status trees_of(sooth_session *session, const sooth_model_parts *parts,
                             sooth_explain_trees *trees) {
    const uint32_t kind = soothi_model_kind(parts->predictor);
    if (kind == SOOTH_KIND_TREE)
        *trees = sooth_explain_tree((const sooth_tree *)(const void *)parts->predictor);
    else if (kind == SOOTH_KIND_FOREST || kind == SOOTH_KIND_BOOST)
        *trees = sooth_explain_ensemble((const sooth_ensemble *)(const void *)parts->predictor);
    else
        return soothi_fail(&session->env, SOOTH_BAD_ARGUMENT,
                           "only trees, forests and boosting explain themselves; give the prediction to "
                           "shap.Explainer instead");
    return SOOTH_OK;
}

/* The rows as the predictor sees them. */
static sooth_status seen(sooth_session *session, const sooth_model_parts *parts, const float *x, size_t rows,
                         sooth_table *table) {
    const size_t cols = parts->predictor->features;
    float *own = (float *)soothi_alloc(&session->env, soothi_product(rows, cols), sizeof(float));
    if (!own) return soothi_no_memory(&session->env, "the rows", rows * cols * sizeof(float));
    sooth_model_seen(parts, x, rows, cols, own);
    sooth_table_init(table, own, rows, cols);
    return SOOTH_OK;
}

static void unsee(sooth_session *session, const sooth_table *table) {
    soothi_free(&session->env, (void *)(uintptr_t)table->x, table->rows * table->cols, sizeof(float));
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
