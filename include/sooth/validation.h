/* validation.h - errors of predictions, and splits that leave out what will be new.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * How good is a model? Split the rows into folds, fit a model on the training rows of each fold, and compute
 * the errors on its test rows. sooth_split makes the folds, sooth_metrics the errors. The right split depends
 * on the later predictions:
 *
 *     SOOTH_SPLIT_KFOLD                more runs of the same programs; every row is tested once
 *     SOOTH_SPLIT_HOLDOUT              the same, but only one part of the rows is tested (20 % of them in
 *                                      Moolchandani et al. 2022, 7.4)
 *     SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT  new programs: each group in turn is left out and tested
 *     SOOTH_SPLIT_GROUP_KFOLD          new programs in fewer folds, several groups at a time
 *     SOOTH_SPLIT_TIME                 the future: trains on the past, tests on the next rows of the table
 *
 * Runs of one program resemble each other, so a random split tests rows that are nearly copies of training
 * rows. On published GPU power data the R2 of extra trees falls from 0.95 to 0.37 if whole programs are left
 * out. If the rows have groups, leave groups out.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/validation.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[] = {1, 2, 3, 4, 5, 6}, y[] = {3, 5, 7, 9, 11, 13};
 *         uint32_t program[] = {7, 7, 8, 8, 9, 9};  // rows 0 and 1 are runs of program 7
 *         sooth_table table = sooth_table_of(x, y, 6, 1), train, test;
 *         sooth_split_options options = {.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT};
 *         sooth_split split;
 *         sooth_env env;
 *         size_t f;
 *         sooth_env_init(&env);
 *         table.group = program;
 *         if (sooth_split_make(&env, &table, &options, &split) != SOOTH_OK) return puts(env.sentence), 1;
 *         for (f = 0; f < split.folds; ++f) {
 *             const sooth_split_fold *fold = &split.fold[f];
 *             if (sooth_split_take(&env, &table, fold, &train, &test) != SOOTH_OK)
 *                 return puts(env.sentence), 1;
 *             printf("without %u:", fold->group);             //> without 7:
 *             printf(" %u rows\n", (unsigned)train.rows);     //> 4 rows
 *             sooth_table_free(&env, &test);  // fit on train, measure on test: nothing leaks
 *             sooth_table_free(&env, &train);
 *         }
 *         sooth_split_free(&env, &split);
 *         return 0;
 *     }
 *
 * The errors of one fold, next to those of the mean as the prediction:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/validation.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float measured[] = {10, 20, 40, 80}, predicted[] = {11, 18, 44, 80};  // seconds of four runs
 *         float mean[] = {37.5f, 37.5f, 37.5f, 37.5f};  // the baseline: the mean of measured
 *         sooth_metrics model, baseline;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_metrics_compute(&env, measured, predicted, NULL, 4, NULL, &model) != SOOTH_OK ||
 *             sooth_metrics_compute(&env, measured, mean, NULL, 4, NULL, &baseline) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("off by %g s or %g %%\n", model.mae, 100 * model.mape);          //> off by 1.75 s or 7.5 %
 *         printf("skill %.2f\n", sooth_metrics_skill(model.mae, baseline.mae));  //> skill 0.92
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Tuning must not use the test rows either (nested validation). Within each outer fold, sooth_split_inner
 *   splits only its training rows, with their groups. Row indices still refer to the table.
 * - Fit scales and column selections on the training rows, too. sooth_split_take copies both sides of a fold.
 * - "MAPE" names several metrics (see below). They must not be compared with each other.
 * - A seed gives the same folds on every machine.
 * - sooth_metrics_compute_binary has the metrics of predicted probabilities of two classes.
 *
 * Method and references
 *
 * The metrics equal scikit-learn's. If a metric has several common definitions, an option selects one. With y
 * actual and p predicted, `denominator` selects what |p - y| is divided by:
 *
 *     SOOTH_METRICS_ACTUAL     |y|            Moolchandani et al. 2022, eq. 1 (printed without the absolute
 *                                             value); Zhao et al. 2019 (Themis), eq. 2, of slowdowns
 *       and a floor of 2^-52                  scikit-learn
 *       and a floor of 1                      LightGBM, CatBoost; below 1 that is the absolute error
 *     SOOTH_METRICS_PREDICTED  |p|            De Sensi 2016, eq. 8; Yao et al. 2021, eq. 4. The error
 *                                             of an overprediction is at most 100 %
 *     SOOTH_METRICS_SYMMETRIC  (|y| + |p|)/2  the forecasting competitions; 0 to 200 %
 *
 * options.floor replaces smaller denominators. Without a floor, rows with the denominator 0 have no
 * percentage: they are excluded from it and counted in `zeros`.
 *
 * Two classes, 0 and 1, with p the predicted probability of a 1:
 *
 *     Brier score   mean of (p - y)^2; 0.25 if each p is 0.5  Brier, Monthly Weather Review 78, 1950
 *     log loss      mean of -log of the probability predicted for y. Both scores are minimal in
 *                   expectation at the true p
 *     AUC           fraction of pairs of a 1 and a 0 in which the 1 has the larger p, ties counted half. It
 *                   rates the ranking by p only          Hanley, McNeil, Radiology 143, 1982
 *     calibration   distance of the fraction of ones from the mean of p, averaged over ten equal ranges of p:
 *       error       is y 1 in eight of ten rows with p = 0.8? A constant prediction of the mean rate has
 *                   error 0, so read the other scores, too (Guo, Pleiss, Sun, Weinberger, ICML 2017, eq. 3)
 *
 * Cost
 *
 * Splits, for n rows, F folds and m group memberships (n if each row has one): the result takes 4 n F bytes
 * in one piece. Scratch takes 28 max(n, m) bytes, time is O(F (n + m)).
 *
 * Metrics: O(n) time, 3 passes over the data and 9 for the median. Nothing is allocated, and the stack holds
 * 2 KiB; the AUC sorts, with 16 bytes per row of scratch.
 */
#if !defined(SOOTH_VALIDATION_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_IMPLEMENTED))
#define SOOTH_VALIDATION_H
#include "validation/metrics.h"
#include "validation/split.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_VALIDATION_IMPLEMENTED
#endif
#endif
