/* answers.c - sooth as a shared library for the scripts beside it: models read or fitted, rows answered.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every function returns 0 and fills its results, or another number and fills `sentence`, room for
 * SOOTH_ENV_SENTENCE bytes: what sooth says when it refuses.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/online/drift.h"
#include "sooth/forest.h"
#include "sooth/gaussian_process.h"
#include "sooth/import.h"
#include "sooth/import/libsvm.h"
#include "sooth/linear.h"

static int refused(const sooth_env *env, char *sentence) {
    memcpy(sentence, env->sentence, sizeof env->sentence);
    return 1;
}

/* A file of XGBoost, LightGBM or scikit-learn: answers[rows x targets] as the model gives them, sums[] before
   the link. *targets: how many the model has; at most `most`. */
int answers_import(const void *file, size_t size, const float *x, size_t rows, size_t cols, size_t most,
                   float *answers, float *sums, size_t *targets, char *sentence) {
    sooth_import import;
    sooth_env env;
    int wrong = 0;
    sooth_env_init(&env);
    if (sooth_import_read(&env, file, size, NULL, &import) != SOOTH_OK) return refused(&env, sentence);
    *targets = import.ensemble->head.targets;
    if (import.ensemble->head.features > cols || *targets > most) {
        wrong = 2;
    } else {
        float one;
        sooth_ensemble_predict_many(import.ensemble, x, rows, cols, answers);
        for (size_t i = 0; i < rows; ++i) { /* one row alone says the same as among many */
            one = sooth_ensemble_predict(import.ensemble, x + i * cols);
            if (soothi_bits(one) != soothi_bits(answers[i * *targets])) wrong = 3;
        }
        import.ensemble->link = SOOTH_ENSEMBLE_LINK_IDENTITY;
        sooth_ensemble_predict_many(import.ensemble, x, rows, cols, sums);
    }
    sooth_import_free(&env, &import);
    return wrong;
}

/* A model file of LIBSVM. */
int answers_libsvm(const char *text, size_t size, const float *x, size_t rows, size_t cols, float *answers,
                   char *sentence) {
    sooth_svr *model;
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_libsvm_read(&env, text, size, cols, &model) != SOOTH_OK) return refused(&env, sentence);
    sooth_svr_predict_many(model, x, rows, cols, answers);
    sooth_svr_free(&env, model);
    return 0;
}

/* A linear model of the table; weight may be NULL. coefficients[targets x (cols + 1)], the intercept last;
   answers[rows_asked x targets] for the rows `asked`. */
int answers_linear(const float *x, const float *y, const float *weight, size_t rows, size_t cols,
                   size_t targets, unsigned method, unsigned no_intercept, double lambda, double delta,
                   const float *asked, size_t rows_asked, double *coefficients, float *answers,
                   char *sentence) {
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_linear_options options = {.method = method, .no_intercept = no_intercept, .lambda = lambda};
    sooth_linear *model;
    sooth_env env;
    sooth_env_init(&env);
    table.targets = targets;
    table.weight = weight;
    options.huber_delta = delta;
    options.max_iter = 10000;
    if (sooth_linear_fit(&env, &table, &options, &model) != SOOTH_OK) return refused(&env, sentence);
    for (size_t t = 0; t < targets; ++t)
        for (size_t j = 0; j <= cols; ++j)
            coefficients[t * (cols + 1) + j] = sooth_linear_coefficient(model, t, j);
    sooth_linear_predict_many(model, asked, rows_asked, cols, answers);
    sooth_linear_free(&env, model);
    return 0;
}

/* A random forest of the table. answers[rows] for its own rows; leaves[rows x trees]: what each tree says. */
int answers_forest(const float *x, const float *y, size_t rows, size_t cols, unsigned trees, unsigned depth,
                   unsigned seed, float *answers, double *leaves, char *sentence) {
    const sooth_table table = sooth_table_of(x, y, rows, cols);
    const sooth_forest_options options = {.n_estimators = trees, .max_depth = depth, .seed = seed};
    uint32_t leaf[1024];
    sooth_forest *forest;
    sooth_env env;
    sooth_env_init(&env);
    if (trees > 1024) return 2;
    if (sooth_forest_fit(&env, &table, &options, &forest) != SOOTH_OK) return refused(&env, sentence);
    sooth_forest_predict_many(forest, x, rows, cols, answers);
    for (size_t i = 0; i < rows; ++i) {
        soothi_ensemble_leaves(forest, x + i * cols, leaf);
        for (unsigned k = 0; k < trees; ++k)
            leaves[i * trees + k] = soothi_ensemble_value(forest, leaf[k], 0);
    }
    sooth_forest_free(&env, forest);
    return 0;
}

/* What Page-Hinkley says after each of count values. */
int answers_page_hinkley(const float *value, size_t count, size_t min_instances, size_t mode, double delta,
                         double threshold, double alpha, float *drift, char *sentence) {
    const sooth_page_hinkley_options options = {
        (uint32_t)min_instances, (uint32_t)mode, 1, delta, threshold, alpha};
    sooth_page_hinkley detector;
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_page_hinkley_init(&env, &detector, &options) != SOOTH_OK) return refused(&env, sentence);
    for (size_t i = 0; i < count; ++i) drift[i] = (float)sooth_page_hinkley_update(&detector, value[i]);
    return 0;
}

/* What ADWIN says, and its window's width and mean, after each of count values; with `anew` it forgets all
   before the value that follows a drift. */
int answers_adwin(const float *value, size_t count, size_t clock, size_t max_buckets,
                  size_t min_window_length, size_t grace_period, double delta, size_t anew, float *drift,
                  float *width, float *mean, char *sentence) {
    const sooth_adwin_options options = {(uint32_t)clock,
                                         (uint32_t)max_buckets,
                                         (uint32_t)min_window_length,
                                         (uint32_t)grace_period,
                                         0,
                                         delta};
    static float memory[2 * 256 * SOOTH_ADWIN_MAX_ROWS];
    sooth_adwin *detector;
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_adwin_init(&env, &options, memory, sizeof memory, &detector) != SOOTH_OK)
        return refused(&env, sentence);
    for (size_t i = 0; i < count; ++i) {
        if (anew && i && drift[i - 1] > 0.0f) sooth_adwin_reset(detector);
        drift[i] = (float)sooth_adwin_update(detector, value[i]);
        width[i] = (float)detector->width;
        mean[i] = sooth_adwin_mean(detector);
    }
    return 0;
}

/* A Gaussian process of the table; group and weight may be NULL. law: 5 numbers (mean, signal, level, noise,
   log likelihood) and the lengths, cols of them; with given = 1 they are taken, else learned from `starts`
   starts with one length for each column. means and deviations, without noise, of the rows `asked`, of group
   `asked_group` (NULL: of groups not seen). */
int answers_gauss(const float *x, const float *y, const uint32_t *group, const float *weight, size_t rows,
                  size_t cols, size_t kernel, size_t given, size_t starts, size_t inducing, double *law,
                  const float *asked, const uint32_t *asked_group, size_t rows_asked, float *means,
                  float *deviations, char *sentence) {
    sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_gauss_options options;
    sooth_gauss_parameters is;
    sooth_gauss *model;
    sooth_env env;
    sooth_env_init(&env);
    table.group = group;
    table.weight = weight;
    memset(&options, 0, sizeof options);
    memset(&is, 0, sizeof is);
    options.kernel = (uint32_t)kernel;
    options.lengths = SOOTH_GAUSS_EACH;
    options.starts = (uint32_t)starts;
    if (inducing) options.max_points = options.inducing = (uint32_t)inducing;
    is.kernel = (uint32_t)kernel;
    is.lengths = (uint32_t)cols;
    is.mean = law[0];
    is.signal = law[1];
    is.level = law[2];
    is.noise = law[3];
    memcpy(is.length, law + 5, cols * sizeof *law);
    if (given) options.parameters = &is;
    if (sooth_gauss_fit(&env, &table, &options, &model) != SOOTH_OK) return refused(&env, sentence);
    is = sooth_gauss_kernel_parameters(model);
    law[0] = is.mean;
    law[1] = is.signal;
    law[2] = is.level;
    law[3] = is.noise;
    law[4] = is.likelihood;
    memcpy(law + 5, is.length, cols * sizeof *law);
    float *work = (float *)malloc(model->order * sizeof(float));
    if (!work) return 2;
    for (size_t i = 0; i < rows_asked; ++i) {
        const uint32_t of = asked_group ? asked_group[i] : SOOTH_GAUSS_NEW;
        means[i] = sooth_gauss_predict(model, asked + i * cols) + sooth_gauss_level(model, of);
        deviations[i] = sooth_gauss_deviation(model, asked + i * cols, of, 0, work);
    }
    free(work);
    sooth_gauss_free(&env, model);
    return 0;
}

/* "name=value name=value" into options. */
static sooth_status set_all(sooth_env *env, sooth_option_list list, void *options, const char *text) {
    char name[32], value[32];
    sooth_status status = SOOTH_OK;
    while (*text && status == SOOTH_OK) {
        size_t n = 0, v = 0;
        while (*text && *text != '=' && n < sizeof name - 1) name[n++] = *text++;
        if (*text) ++text;
        while (*text && *text != ' ' && v < sizeof value - 1) value[v++] = *text++;
        if (*text) ++text;
        name[n] = value[v] = 0;
        status = sooth_option_set(env, list, options, name, value);
    }
    return status;
}

/* A tree, forest or boosted model ("tree", "forest", "boost") of the table with these options;
   answers[rows_asked] for the rows `asked`. */
int answers_trees(const char *kind, const char *text, const float *x, const float *y, size_t rows,
                  size_t cols, const float *asked, size_t rows_asked, float *answers, char *sentence) {
    const sooth_table table = sooth_table_of(x, y, rows, cols);
    sooth_status status;
    sooth_env env;
    sooth_env_init(&env);
#define SOOTHI_ITEM(name)                                                                    \
    if (kind[0] == #name[0]) {                                                               \
        sooth_##name##_options options;                                                      \
        sooth_##name *model;                                                                 \
        memset(&options, 0, sizeof options);                                                 \
        status = set_all(&env, sooth_##name##_options_list(), &options, text);               \
        if (status == SOOTH_OK) status = sooth_##name##_fit(&env, &table, &options, &model); \
        if (status != SOOTH_OK) return refused(&env, sentence);                              \
        sooth_##name##_predict_many(model, asked, rows_asked, cols, answers);                \
        sooth_##name##_free(&env, model);                                                    \
    }
    SOOTHI_ITEM(tree)
    SOOTHI_ITEM(forest)
    SOOTHI_ITEM(boost)
#undef SOOTHI_ITEM
    return 0;
}
