/* replay.h - a log of jobs, and who predicts how long they run: the parts of `sooth replay`.
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
    uint32_t processors; /* of the machine, by the header; else the most that a job asked for */
    /* jobs left out: that never ran, that name no processors, no requested time, or more processors than
       there are; and jobs that ran longer than requested, which are cut */
    size_t never_ran, no_processors, no_request, too_wide, cut;
} swf_log;

/* Reads it, of a machine of so many processors (0: as the header says); dies with a sentence. */
void swf_read(const char *path, uint32_t processors, swf_log *log);

/* ---- runtimes.c ---- */

enum { RUNTIMES = 4 };
extern const char *const runtime_names[RUNTIMES]; /* requested, last2, sooth, perfect */

/* Makes the predictor of that number for a log; sooth's learns while it is asked. */
void runtime_open(int which, sooth_env *env, const swf_log *log, queue_predictor *predictor);
void runtime_close(int which, queue_predictor *predictor);

#endif
