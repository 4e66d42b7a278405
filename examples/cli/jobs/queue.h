/* queue.h - replays the queue of a machine: EASY backfilling by predicted run times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Jobs request processors and a time, and start in the order of their arrival. While the first of the queue
 * waits, others may start before it if, by the predictions, that does not delay it (EASY: Lifka, JSSPP 1995;
 * Mu'alem and Feitelson, IEEE TPDS 12(6), 2001). The first has a reservation at the shadow time, when enough
 * of the running jobs should have ended. Another job starts now if it fits and either should end by then, or
 * takes only processors that the first leaves over at that time. The order in which the others are tried:
 *
 *   QUEUE_FIRST      the earliest arrival first: EASY
 *   QUEUE_SHORTEST   the shortest prediction first: EASY-SJBF, with which the paper of Tsafrir, Etsion and
 *                    Feitelson (IEEE TPDS 18(6), 2007: EASY++) and that of Gaussier, Glesser, Reis and
 *                    Trystram (SC 2015) use predictions
 *
 * A prediction lies between a second and the requested time. A job that runs longer is not killed. When its
 * prediction has passed, the prediction is corrected:
 *
 *   QUEUE_REQUESTED  to the requested time
 *   QUEUE_STEPS      to the first prediction + 1, 5, 15, 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours, in turn,
 *                    and at most to the requested time (Tsafrir et al.)
 *
 * At equal times predictions are corrected first, then jobs are submitted, then jobs end in the order of
 * their starts. Jobs may start after each submission and each end. A job that should end at this second, and
 * will, has already returned its processors. The simulator of the authors of the SC 2015 paper does the same,
 * and the figures agree to the last digit (jad-darrous/predictsim, metrics_complete; tests/cli/replay.sh).
 *
 * Cost: O(log n) per event, for any number of waiting and running jobs. Events are two for each job and one
 * for each correction. QUEUE_FIRST may look at more of the queue. 80 bytes per job in addition to the jobs.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>
#include <stdint.h>

enum { QUEUE_FIRST, QUEUE_SHORTEST };  /* order */
enum { QUEUE_REQUESTED, QUEUE_STEPS }; /* correction */

/* A job. Times in seconds. */
typedef struct queue_job {
    int64_t submit;
    int64_t run;       /* true run time, not used before it ends; >= 1 */
    int64_t requested; /* >= run */
    uint32_t processors;
    uint32_t user, group, program, queue; /* numbers in the log, or of their texts */
    int64_t number;                       /* of the job in the log */
    /* results of the replay */
    int64_t start;
    int64_t first;     /* prediction at submission */
    int64_t predicted; /* prediction at the end */
    uint32_t corrections;
} queue_job;

typedef struct queue_rules {
    uint32_t processors; /* of the machine; no job requests more */
    int order, correction;
} queue_rules;

/* The predictor: predict is called when a job is submitted, finish when it has ended. A prediction is clamped
   to 1 .. requested. progress receives the share done and returns non-zero to stop. finish and progress may
   be NULL. */
typedef struct queue_predictor {
    int64_t (*predict)(void *self, const queue_job *job);
    void (*finish)(void *self, const queue_job *job);
    int (*progress)(double done);
    void *self;
} queue_predictor;

/* Replays count jobs in order of submission, fewer than 2^32 - 1. Returns 0; 1 if memory is missing; 2 if
   progress stopped it. */
int queue_replay(queue_job *job, size_t count, const queue_rules *rules, const queue_predictor *predictor);

/* Returns (wait + run) / max(run, 10 s), at least 1: the bounded slowdown (Feitelson et al., JSSPP 1997). */
double queue_slowdown(const queue_job *job);

#endif
