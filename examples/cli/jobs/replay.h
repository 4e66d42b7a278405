/* replay.h - a log of jobs and the predictors of their run times: the parts of `sooth replay`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "../app/app.h"
#include "queue.h"

/* ---- swf.c ---- */

/* A log in the Standard Workload Format (Chapin et al., JSSPP 1999; Feitelson, Tsafrir, Krakov 2014). */
typedef struct swf_log {
    queue_job *job; /* in order of submission */
    size_t count;
    uint32_t processors; /* of the machine, by the header; else the largest request */
    /* jobs left out: never ran; without processors; without a requested time; or larger than the machine.
       Jobs that ran longer than requested are cut. */
    size_t never_ran, no_processors, no_request, too_wide, cut;
} swf_log;

/* Reads a log for a machine with this many processors (0: by the header); dies on errors. */
void swf_read(const char *path, uint32_t processors, swf_log *log);

/* ---- runtimes.c ---- */

enum { RUNTIMES = 4 };
extern const char *const runtime_names[RUNTIMES]; /* requested, last2, sooth, perfect */

/* Opens predictor `which` for a log; that of sooth is fitted while it is used. */
void runtime_open(int which, sooth_env *env, const swf_log *log, queue_predictor *predictor);
void runtime_close(int which, queue_predictor *predictor);

#endif
