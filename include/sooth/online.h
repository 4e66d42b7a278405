/* online.h - learning while running: drift, the last measurements of each task, a model replaced in use.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model is right until the machine changes: a fan fails, another job shares the machine, a driver is
 * updated. A scheduler that learns while it runs needs three things:
 *
 *     sooth_recorder        the last measurements of each kind of task, in fixed memory, as a table to fit a
 *                           model to. Spikes are stored separately; a lasting change restarts the history of
 *                           a task
 *     sooth_page_hinkley,   detectors of drift: has a stream of residuals (measured minus predicted, or the
 *     sooth_adwin,          logarithm of the ratio) changed, and in which direction? One value at a time, in
 *     sooth_cusum,          memory that never grows
 *     sooth_location
 *     sooth_slot            the current model, shared: one thread publishes a new one while others predict,
 *                           without a lock
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/online.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[1 << 11];
 *         const sooth_recorder_options options = {.features = 1, .keys = 8, .refit_every = 200};
 *         sooth_recorder *recorder;
 *         sooth_recorder_entry gemm;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_recorder_init(&env, &options, memory, sizeof memory, &recorder) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (int i = 0; i < 400; ++i) {            // a kernel of 190 us, now and then 70 ms; then slower
 *             const float size = 4096, us = (i < 300 ? 190 : 260) + (float)(i * 37 % 11);
 *             const float measured = i % 100 == 50 ? 70000 : us;
 *             if (sooth_recorder_observe(recorder, 1, &size, measured) == SOOTH_RECORDER_SHIFT)
 *                 printf("another machine at %d\n", i);
 *             //> another machine at 304
 *             if (sooth_recorder_due(recorder)) {    // fit a model to this table, here or in another thread
 *                 const sooth_table table = sooth_recorder_table(recorder);
 *                 printf("refit at %d on %u rows\n", i, (unsigned)table.rows);
 *                 //> refit at 304 on 5 rows
 *             }
 *         }
 *         sooth_recorder_find(recorder, 1, &gemm);
 *         printf("%g us, %u spikes of %u\n", (double)gemm.median, gemm.spikes, (unsigned)recorder->observed);
 *         //> 265 us, 9 spikes of 400
 *         return 0;
 *     }
 *
 * Drift in a stream:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/online.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float memory[256];
 *         const sooth_location_options options = {.window_size = 64};
 *         sooth_location *task;   // how long a kernel takes: 190 us, after an update 230
 *         sooth_cusum level;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_location_init(&env, &options, memory, sizeof memory, &task) != SOOTH_OK ||
 *             sooth_cusum_init(&env, &level, NULL) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (int i = 0; i < 400; ++i) {
 *             const float jitter = (float)(i * 37 % 11) - 5, us = (i < 300 ? 190 : 230) + jitter;
 *             if (sooth_cusum_update(&level, us)) printf("cusum: drift at %d\n", i);
 *             //> cusum: drift at 300
 *             if (sooth_location_update(task, i == 150 ? 70000 : us)) printf("median: drift at %d\n", i);
 *             //> median: drift at 304
 *         }
 *         printf("%g us, %u outside\n", (double)sooth_location_median(task), task->outside);
 *         //> 230 us, 6 outside
 *         return 0;
 *     }
 *
 * A model that is replaced while others predict:
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include "sooth/online.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_slot_reader readers[2]; // one for each thread that predicts
 *         static sooth_slot slot;
 *         const float x[] = {1, 2, 3, 4}, before[] = {10, 20, 30, 40}, after[] = {5, 10, 15, 20};
 *         const sooth_table then = sooth_table_of(x, before, 4, 1), now = sooth_table_of(x, after, 4, 1);
 *         sooth_tree *tree, *better;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &then, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_slot_init(&slot, readers, 2, tree);
 *
 *         const sooth_tree *model = sooth_slot_enter(&slot, 0);         // in thread 0 of 2
 *         printf("%g us\n", (double)sooth_tree_predict(model, &x[2])); //> 30 us
 *         sooth_slot_leave(&slot, 0);
 *
 *         if (sooth_tree_fit(&env, &now, NULL, &better) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_tree *old = sooth_slot_publish(&slot, better);          // in the thread that learns
 *         sooth_slot_wait(&slot);
 *         sooth_tree_free(&env, old);                                   // no thread uses it any more
 *
 *         model = sooth_slot_enter(&slot, 1);
 *         printf("%g us\n", (double)sooth_tree_predict(model, &x[2])); //> 15 us
 *         sooth_slot_leave(&slot, 1);
 *         sooth_tree_free(&env, better);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - A recorder is one block without pointers. Copy recorder->size bytes with memcpy, under the host's lock,
 *   and another thread may fit a model to the copy while recording continues. The block is memory of this
 *   program, not a file: its bytes are not checked.
 * - A key of a recorder is any number that tasks of one kind share: a kernel and its size, or a user and a
 *   job's name (sooth_encode_join in preprocess.h), with the worker and the implementation if they matter. If
 *   all keys are in use, a new key replaces the least recently used one.
 * - Keys are the groups of a recorder's table. An interval of it covers a new key, and is unbounded below 9
 *   keys for a level of 0.9. With table.group = NULL it covers more tasks of these keys
 *   (train/calibrate.h).
 * - NaN, infinities and magnitudes above 2^60 (SOOTH_DRIFT_MAX_VALUE) are refused: only the count `refused`
 *   changes. In features of a recorder NaN is a missing value.
 * - Each detector and recorder belongs to one thread at a time. Recorders are not available with
 *   SOOTH_PREDICT_ONLY.
 * - The slot frees nothing and copies nothing. It passes on a pointer: to a model, or to a struct of the host
 *   with a model, the bytes of its file and its names. A reader that enters and does not leave for long only
 *   delays the freeing.
 * - Without atomic operations (tcc, 8-bit cores) the slot is not declared; see online/slot.h for the macros
 *   that provide them.
 *
 * Method and references
 *
 *     sooth_page_hinkley  sums of (value - mean so far - delta), with the forgetting factor alpha; drift if a
 *                         sum has risen by more than threshold above its minimum (Page, Biometrika 41, 1954;
 *                         fading: Sebastiao and Fernandes 2017)
 *     sooth_adwin         a window that grows while its mean is stable, and drops its old end if any two
 *                         parts of it differ (Bifet and Gavalda, SIAM Data Mining 2007). It needs no scale,
 *                         and its mean follows the stream
 *     sooth_cusum         the tabular CUSUM for shifts of a known size, k and h in standard deviations (Page
 *                         1954; Montgomery, Introduction to Statistical Quality Control, ch. 9). With the
 *                         option share it is the Bernoulli CUSUM of a stream of 0 and 1 (Reynolds and
 *                         Stoumbos, Journal of Quality Technology 31, 1999): has the share of predictions
 *                         that miss changed?
 *     sooth_location      median and MAD (median distance from the median) of the last m values: a single
 *                         spike is only outside (run is 1), run_length values in a row outside on one side
 *                         are drift
 *
 * False alarms, for independent values of one distribution:
 *
 *     adwin         each check cuts with a probability of at most delta if values are within 0..1 (Theorem
 *                   3.1 there); one of `clock` values is checked. In practice false alarms are far rarer
 *     cusum         with mean and std known and normal values, every 168 values on average for k 0.5 and h 4,
 *                   every 465 for h 5; a shift by one std is found after 8.4 and 10.4 (Montgomery, table
 *                   9.3). For a share of 0.1, odds 2 and h 5 the upper side reports every 7,100 values. It
 *                   finds shares of 0.18 and 0.3 after 139 and 44 (Markov chain of Brook and Evans 1972)
 *     page_hinkley  with alpha 1 and a known mean a CUSUM with k = delta / std and h = threshold / std; the
 *                   defaults are for values within 0..1. With uniform values: every 33,000 values
 *     location      run_length values in a row beyond threshold on one side
 *
 * A recorder makes two decisions:
 *
 *     spikes  A measurement is a spike if its distance from the median of the key's window exceeds threshold
 *             x max(1.4826 MAD, min_spread x |median|). A spike is counted and stored separately, not in the
 *             table: one task of 70 ms among tasks of 190 us changes no mean and no model. A model of upper
 *             quantiles needs the spikes: keep_spikes stores them in the table too.
 *     shifts  If run_length of a key's last 2 run_length - 1 measurements are spikes, and more than half of
 *             the last run_length spikes agree, the machine has changed. Spikes agree if they are within
 *             threshold x min_spread x |median| of their own median, a quarter of it by default. The bound
 *             does not depend on their spread: five scattered times between 0.4 and 23 ms are noise, not a
 *             new level. If all 2 run_length - 1 are spikes, agreement is not needed. The key then discards
 *             its window and restarts with its last run_length spikes, except those that are outliers among
 *             them (with keep_spikes all).
 *
 * The slot uses epochs (Fraser, Practical lock-freedom, 2004, section 5.2.3); see online/slot.h.
 *
 * Cost
 *
 * No allocation, no libm; detectors and the slot use no double. Nanoseconds per value on a server core
 * (build/bench task=drift, task=host):
 *
 *     page_hinkley   33, in 68 bytes
 *     cusum          16, in 52 bytes
 *     adwin          43 with the defaults, in 968 bytes
 *     location       120 for a window of 64 (O(m)), in 44 + 8 m bytes
 *     recorder       150 for m 32, and 6 to find a key. A shift takes O(m F), a new key in a full recorder
 *                    O(K + m F). For keys K, window m, run_length k and F features, about K (56 + 20 m + (m +
 *                    k) (4 + 4 F)) bytes
 *     slot           9 to enter and leave, in 64 bytes per reader and 4 words
 */
#if !defined(SOOTH_ONLINE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_ONLINE_IMPLEMENTED))
#define SOOTH_ONLINE_H
#include "online/drift.h"
#include "online/recorder.h"
#include "online/slot.h"
#ifdef SOOTH_IMPLEMENTATION
#define SOOTH_ONLINE_IMPLEMENTED
#endif
#endif
