/* choose.h - with which rule for run times the past of a queue would have gone best.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every rule predicts every job when it is submitted. Later the jobs that have ended are replayed once for
 * each rule, with the predictions of then. The price of a rule is the mean bounded slowdown of its replays.
 * So a prediction that is too short costs what it costs in the queue, and no loss function stands for it.
 * Talby and Feitelson (IPDPS 2005) choose schedulers like this, by simulations of the recent past; Gaussier,
 * Lelong, Reis and Trystram (IEEE TPDS 29(10), 2018) choose the order of a queue.
 *
 * One replay is one draw: a job that starts a minute later may change days. So the past is replayed in five
 * copies, each without a fifth of the users. Their submissions are moved closer together to keep the load.
 * A rule replaces the present one if it is at least 10 % cheaper on average, and dearer in no copy.
 * Otherwise the present one stays: a waiting job keeps its prediction, and jobs with predictions of two rules
 * overtake each other.
 *
 * Cost: five replays of 4/5 of the jobs for each rule.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "queue.h"

enum { CHOOSE_COPIES = 5, CHOOSE_JOBS = 5000 }; /* jobs of the past; older ones do not count */

/* The ended jobs that count. */
typedef struct choose_past {
    const queue_job *job;
    const uint32_t *index; /* of ended jobs in `job`, in order of submission */
    size_t count;          /* at most CHOOSE_JOBS */
    const int64_t *told;   /* told[index x rules + rule]: predictions at submission */
    size_t rules;
} choose_past;

/* Computes the price of each rule. Returns the cheapest of those that replace the present one, or that;
   SIZE_MAX if memory is missing. */
size_t choose_rule(const choose_past *past, const queue_rules *machine, size_t present, double *price);

#endif
