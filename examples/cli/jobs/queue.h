/* queue.h - a machine's queue replayed: EASY backfilling by predicted run times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Jobs ask for processors and a time; they start in the order of their arrival. While the first of the queue
 * waits, others may start before it where that does not delay it by what is predicted (EASY: Lifka, JSSPP
 * 1995; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001): the first has a reservation at the shadow time, when
 * enough of the running jobs should have ended, and another starts now if it fits and either should end by
 * then, or takes only processors that the first leaves over at that time. Which of the others is tried first:
 *
 *   QUEUE_FIRST      the one that came first: EASY
 *   QUEUE_SHORTEST   the one predicted to be shortest: EASY-SJBF, with which the paper of Tsafrir, Etsion and
 *                    Feitelson (IEEE TPDS 18(6), 2007: EASY++) and that of Gaussier, Glesser, Reis and
 *                    Trystram (SC 2015) use predictions
 *
 * A prediction lies between a second and the requested time. A job that runs longer is not killed: when its
 * prediction is over it gets another,
 *
 *   QUEUE_REQUESTED  what was requested
 *   QUEUE_STEPS      the first prediction + 1, 5, 15, 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours, one after
 *                    the other, and never more than was requested (Tsafrir et al.)
 *
 * At equal times predictions are corrected first, then come submissions, then ends in the order of the
 * starts; the queue is looked at after each submission and each end. A job that should end at this very
 * second, and will, has given its processors back. So does the simulator of the SC 2015 paper's authors, and
 * the figures are theirs to the last digit (jad-darrous/predictsim, metrics_complete; tests/cli/replay.sh).
 *
 * Costs: O(log n) an event, of which there are two for each job and one for each correction, for any number
 * of jobs that wait or run; QUEUE_FIRST may look at more of the queue. 80 bytes a job beside the jobs.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>
#include <stdint.h>

enum { QUEUE_FIRST, QUEUE_SHORTEST };  /* order */
enum { QUEUE_REQUESTED, QUEUE_STEPS }; /* correction */

/* What is known of a job. Times in seconds. */
typedef struct queue_job {
    int64_t submit;
    int64_t run;       /* how long it will run: nobody looks at it before it ends; >= 1 */
    int64_t requested; /* >= run */
    uint32_t processors;
    uint32_t user, group, program, queue; /* as the log numbers them */
    uint32_t number;                      /* of the job in the log */
    /* what the replay says */
    int64_t start;
    int64_t first;     /* prediction when it came */
    int64_t predicted; /* the one in force at the end */
    uint32_t corrections;
} queue_job;

typedef struct queue_rules {
    uint32_t processors; /* of the machine; no job asks for more */
    int order, correction;
} queue_rules;

/* Who predicts: predict is asked when a job comes, finish told when it has ended; a prediction is brought
   into 1 .. requested. progress hears how much is done and says not 0 for enough. finish and progress may be
   NULL. */
typedef struct queue_predictor {
    int64_t (*predict)(void *self, const queue_job *job);
    void (*finish)(void *self, const queue_job *job);
    int (*progress)(double done);
    void *self;
} queue_predictor;

/* Replays count jobs that stand in order of submission, fewer than 2^32 - 1. Returns 0, or 1 when there was
   no memory, 2 when progress said enough. */
int queue_replay(queue_job *job, size_t count, const queue_rules *rules, const queue_predictor *predictor);

/* (wait + run) / max(run, 10 s), at least 1: the bounded slowdown (Feitelson et al., JSSPP 1997). */
double queue_slowdown(const queue_job *job);

#endif
