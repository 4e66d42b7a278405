/* sooth_call.h - the functions of libsooth: a stable binary interface for other languages and for plugins.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * These functions take numbers, texts, plain arrays and two opaque handles, a session and a model. No struct
 * of the headers is part of the interface, so options and structs may grow without breaking a program that
 * was compiled before. The shared library exports these functions and nothing else. The file needs no other
 * header of sooth, in C and in C++. The Python module (sooth.py) is made of them.
 *
 * A C program that uses structs of the headers compiles the headers in (sooth.h). Model files are the same
 * in both worlds.
 *
 * Example
 *
 *     #include "sooth_call.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 4, 8}, y[] = {80, 41, 22, 12}, row[] = {4};
 *         float milliseconds;
 *         sooth_model *model;
 *         sooth_session *session = sooth_call_open(1);
 *         if (!session) return 1;
 *         if (sooth_call_fit(session, "tree max_depth=2", x, 4, 1, y, 1, NULL, NULL, NULL, NULL, NULL,
 *                            &model) ||
 *             sooth_call_predict(session, model, row, 1, &milliseconds))
 *             return puts(sooth_call_sentence(session)), 1;
 *         printf("%g ms\n", (double)milliseconds);  //> 17 ms
 *         sooth_call_free(model);
 *         sooth_call_close(session);
 *         return 0;
 *     }
 *
 * Link it with -lsooth (make lib; see README.md).
 *
 * Rules of growth
 *
 * - sooth_call_version() returns the version of the library, SOOTH_CALL_VERSION the version of this file. A
 *   program runs with every library whose version is the same. Check it once after loading the library.
 * - While the version stays, no function is removed, and none changes its arguments, their meaning or its
 *   results. New functions may be added; look for them by name if the library may be older than this file.
 * - Options and models are added by name (sooth_call_model, sooth_call_option). Plans in text and model files
 *   of today keep their meaning in later versions.
 * - Statuses keep their numbers: 0 success, 1 bad argument, 2 bad data, 3 bad text, 4 bad model, 5 no memory,
 *   6 not converged, 7 cancelled. Treat other numbers as failures.
 *
 * Ownership
 *
 * - The caller owns all arrays and texts that it passes. The library keeps none after a call returns, except
 *   those that a comment names: they must stay valid until the next fit of the session ends.
 * - The caller owns a model that sooth_call_fit or sooth_call_load returned, and frees it with
 *   sooth_call_free. A model does not need the session that made it.
 * - The library owns every text that it returns. Texts of a session are valid until its next call, texts of a
 *   model as long as the model, and all others forever.
 * - One thread at a time may use a session. Any number of threads may use one model.
 *
 * Functions that return int return a status unless documented otherwise. After a failure
 * sooth_call_sentence returns the reason, and *model is NULL.
 */
#ifndef SOOTH_CALL_H
#define SOOTH_CALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOOTH_CALL_VERSION 5u

#if defined(_WIN32) && defined(SOOTH_CALL_BUILD)
#define SOOTH_CALL __declspec(dllexport)
#else
#define SOOTH_CALL
#endif

typedef struct sooth_session sooth_session;
#ifndef SOOTH_MODEL_H /* model.h declares it too */
typedef struct sooth_model sooth_model;
#endif

/* Callbacks. The library passes `user` back. They run in the thread that made the call. Progress: a stage and
   the fraction done, 0 to 1; nonzero ends the call with status 7. History: the loss after a step, and that of
   held-out rows (NaN if there are none). Reduce: replaces value[0..count) by the sums (what 0, modulo 2^64)
   or maxima (what 1) over all processes; nonzero ends the call. Derive: fills the gradient and the hessian
   of a loss for each row. */
typedef int sooth_call_progress_fn(void *user, const char *stage, double done);
typedef void sooth_call_history_fn(void *user, const char *stage, size_t step, double loss,
                                   double validation);
typedef int sooth_call_reduce_fn(void *user, int what, int64_t *value, size_t count);
typedef void sooth_call_derive_fn(void *user, const float *y, const float *margin, size_t rows,
                                  float *gradient, float *hessian);

/* ---- the library ---- */

SOOTH_CALL unsigned sooth_call_version(void);
SOOTH_CALL const char *sooth_call_release(void);      /* "MAJOR.MINOR.PATCH" */
SOOTH_CALL const char *sooth_call_status(int status); /* "SOOTH_BAD_DATA" */

/* Returns the name of the i-th model or preset, or NULL past the end. *kind is the model that a preset is
   based on, or the name itself; *title is a description. */
SOOTH_CALL const char *sooth_call_model(size_t i, const char **kind, const char **title);

/* Describes the i-th option of a model or preset. Returns 0 past the end. *type: 0 integer, 1 number,
   2 choice, 3 list of numbers ("0.5,0.9"). *least and *most: range of values above 0. *value: the default,
   for a choice its number. *given: 1 if the default is not a number. *choices: "squared|absolute". */
SOOTH_CALL int sooth_call_option(const char *model, size_t i, const char **name, int *type, double *least,
                                 double *most, double *value, int *given, const char **choices,
                                 const char **help);

/* Returns 1 if the model can learn this many targets at once. */
SOOTH_CALL int sooth_call_learns(const char *model, size_t targets);

/* ---- sessions ---- */

/* Opens a session with this many workers; 0 means one per processor. Returns NULL without memory or
   threads. */
SOOTH_CALL sooth_session *sooth_call_open(size_t workers);
SOOTH_CALL void sooth_call_close(sooth_session *session); /* NULL is valid */

/* Returns the reason of the last failure. After a fit with an interval that returned 0: why the interval is
   unbounded or the model does not adapt to new groups; "" if neither. */
SOOTH_CALL const char *sooth_call_sentence(const sooth_session *session);

/* Sets callbacks of the session; NULL removes them. Progress is called at most about fifty times a second. */
SOOTH_CALL void sooth_call_progress(sooth_session *session, sooth_call_progress_fn *progress, void *user);
SOOTH_CALL void sooth_call_history(sooth_session *session, sooth_call_history_fn *history, void *user);

/* Makes this process number `rank` of `ranks` that hold rows of one table, rows of process 0 first. */
SOOTH_CALL void sooth_call_join(sooth_session *session, size_t rank, size_t ranks,
                                sooth_call_reduce_fn *reduce, void *user);

/* Call it in place of sooth_call_fit in a process that has no rows to fit: all processes then fail with this
   sentence. */
SOOTH_CALL int sooth_call_fail(sooth_session *session, const char *sentence);

/* ---- settings of the next fit, forgotten when it ends; their arrays must stay valid until then ---- */

/* For each column 1: predictions may only rise with it; -1: only fall; 0: both. For trees, forests and
   boosting. */
SOOTH_CALL void sooth_call_monotone(sooth_session *session, const signed char *sign);

/* Held-out rows x[rows x cols], y[rows], weight[rows] or NULL, for early stopping of boosting. */
SOOTH_CALL void sooth_call_validation(sooth_session *session, const float *x, size_t rows, const float *y,
                                      const float *weight);

/* A loss of the caller for boosting; predictions start with base. */
SOOTH_CALL void sooth_call_loss(sooth_session *session, sooth_call_derive_fn *derive, void *user,
                                double base);

/* categorical[cols]: 1 marks categorical columns. level[j][v] is the name of value v of column j; NaN is
   missing. The model stores the names and has its own codes (sooth_call_code). level NULL: the numbers are
   the names. */
SOOTH_CALL void sooth_call_categories(sooth_session *session, const uint8_t *categorical,
                                      const char *const *const *level);

/* For forests: prediction[rows x targets] receives the out-of-bag predictions of the training rows, each by
   the trees that did not draw it, NaN if all trees drew it. Refused with transforms and with statistics of
   levels. */
SOOTH_CALL void sooth_call_out_of_bag(sooth_session *session, float *prediction);

/* ---- fitting ---- */

/* Fits a plan to x[rows x cols] and y[rows x targets]. A plan is a model and its options, as in
   "boost n_estimators=200 interval=0.9". weight, group and time have one entry per row, names and
   target_names one per column and target; each may be NULL. time: ascending numbers in the order of time. */
SOOTH_CALL int sooth_call_fit(sooth_session *session, const char *plan, const float *x, size_t rows,
                              size_t cols, const float *y, size_t targets, const float *weight,
                              const uint32_t *group, const uint32_t *time, const char *const *names,
                              const char *const *target_names, sooth_model **model);

/* Fits a boosted model again to newer rows: its splits stay, its leaves are learned from x and y. decay, from
   0 to below 1, is the share of the old leaves. The plan is that of the fit. Numbers of categorical columns
   are the model's codes (sooth_call_code). Models with an interval or a calibrated probability are
   refused. */
SOOTH_CALL int sooth_call_refit(sooth_session *session, const char *plan, const sooth_model *model,
                                double decay, const float *x, size_t rows, size_t cols, const float *y,
                                size_t targets, const float *weight, const char *const *names,
                                const char *const *target_names, sooth_model **refitted);

/* Returns the steps of the last fit, for models with an option max_iter; 1 if it was solved at once. */
SOOTH_CALL size_t sooth_call_steps(const sooth_session *session);

/* ---- models ---- */

/* Reads a model file from bytes[0..size), whoever wrote it. The bytes are copied. */
SOOTH_CALL int sooth_call_load(sooth_session *session, const void *bytes, size_t size, sooth_model **model);

/* Writes the model file to bytes[0..sooth_call_size(model)). */
SOOTH_CALL void sooth_call_save(const sooth_model *model, void *bytes);
SOOTH_CALL size_t sooth_call_size(const sooth_model *model);
SOOTH_CALL void sooth_call_free(sooth_model *model); /* NULL is valid */

/* Files whose columns count from other numbers than 0, because floats merge theirs (sooth/model/origin.h).
   sooth_call_load refuses them. sooth_call_zeros returns how many numbers such a file has, one for each
   feature and then for each target, and stores the first `room` of them; it returns 0 for any other file.
   sooth_call_load_centred reads any file. The caller subtracts the zeros from columns in double precision,
   and adds those of the targets to predictions. sooth_call_save_centred writes such a file to bytes[0..room)
   and returns its size, 0 without memory. If `room` is smaller than the size, it writes nothing. */
SOOTH_CALL size_t sooth_call_zeros(sooth_session *session, const void *bytes, size_t size, double *zero,
                                   size_t room);
SOOTH_CALL int sooth_call_load_centred(sooth_session *session, const void *bytes, size_t size,
                                       sooth_model **model);
SOOTH_CALL size_t sooth_call_save_centred(sooth_session *session, const sooth_model *model,
                                          const double *zero, void *bytes, size_t room);

SOOTH_CALL size_t sooth_call_features(const sooth_model *model);
SOOTH_CALL size_t sooth_call_targets(const sooth_model *model);
SOOTH_CALL int sooth_call_has_interval(const sooth_model *model); /* 1 or 0 */
SOOTH_CALL size_t sooth_call_trees(const sooth_model *model);     /* per target; 0 if not an ensemble */

/* Returns the name of a feature or, from `features` on, of a target; "" if it has none. */
SOOTH_CALL const char *sooth_call_name(const sooth_model *model, size_t i);

/* Returns the number of levels of a categorical feature. *is: 1 if it is categorical. *lost: levels that had
   no room and count as missing. */
SOOTH_CALL size_t sooth_call_levels(const sooth_model *model, size_t feature, int *is, size_t *lost);

/* Returns the name of a level, or "". And the value that a row stores for a name, or NaN. */
SOOTH_CALL const char *sooth_call_level(const sooth_model *model, size_t feature, size_t code);
SOOTH_CALL float sooth_call_code(const sooth_model *model, size_t feature, const char *name);

/* ---- predictions and explanations; rows are x[rows x features] ---- */

/* Predicts into out[rows x targets]. */
SOOTH_CALL int sooth_call_predict(sooth_session *session, const sooth_model *model, const float *x,
                                  size_t rows, float *out);

/* Computes intervals of the first target: low[rows], high[rows]. */
SOOTH_CALL int sooth_call_interval(sooth_session *session, const sooth_model *model, const float *x,
                                   size_t rows, float *low, float *high);

/* Predicts with the first `trees` trees of boosting or a forest (rounds, with several targets), from 1 on. */
SOOTH_CALL int sooth_call_staged(sooth_session *session, const sooth_model *model, const float *x,
                                 size_t rows, size_t trees, float *out);

/* Computes quantiles of a forest that kept its rows (keep_rows=1): out[rows x count], for shares q[count]
   between 0 and 1. */
SOOTH_CALL int sooth_call_quantiles(sooth_session *session, const sooth_model *model, const float *x,
                                    size_t rows, const float *q, size_t count, float *out);

/* Computes the standard deviation of a new measurement, of a Gaussian process: out[rows]. */
SOOTH_CALL int sooth_call_deviation(sooth_session *session, const sooth_model *model, const float *x,
                                    size_t rows, float *out);

/* Finds the leaf of each row in every tree: leaf[rows x trees], numbers of nodes in their tree. Returns the
   number of trees, 0 for other models; with rows 0 that is all. */
SOOTH_CALL size_t sooth_call_leaves(sooth_session *session, const sooth_model *model, const float *x,
                                    size_t rows, uint32_t *leaf);

/* Returns the coefficients of a linear model without transforms: out[targets x (features + 1)], the intercept
   last. With products they are the slopes where all columns are at their mean. */
SOOTH_CALL int sooth_call_coefficients(sooth_session *session, const sooth_model *model, double *out);

/* trust[rows]: 0 inside the range of the training rows, 1 at its edge, 2 outside. An unknown level is
   outside. */
SOOTH_CALL void sooth_call_trust(const sooth_model *model, const float *x, size_t rows, uint32_t *trust);

/* Computes SHAP values of trees: phi[rows x targets x features], expected[targets]. background: rows to
   compare with; NULL means path-dependent. The unit is that of the predictor, before its link. */
SOOTH_CALL int sooth_call_shap(sooth_session *session, const sooth_model *model, const float *x, size_t rows,
                               const float *background, size_t background_rows, double *phi,
                               double *expected);

/* Computes the importance of features by impurity, for trees: out[features]. */
SOOTH_CALL int sooth_call_importance(sooth_session *session, const sooth_model *model, double *out);

/* Returns a description of the model as text or as JSON, or NULL without memory. */
SOOTH_CALL const char *sooth_call_describe(sooth_session *session, const sooth_model *model, int json);

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_CALL_H */
