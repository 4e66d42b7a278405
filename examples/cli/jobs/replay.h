/* replay.h - a log of jobs and the predictors of their run times: the parts of `sooth replay`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef REPLAY_H
#define REPLAY_H

#include "../app/app.h"
#include "queue.h"

/* ---- swf.c ---- */

/* Why jobs are left out. */
enum {
    SWF_PARTIAL,
    SWF_NO_SUBMIT,
    SWF_NEVER_RAN,
    SWF_NO_PROCESSORS,
    SWF_NO_REQUEST,
    SWF_TOO_WIDE,
    SWF_REASONS
};

typedef struct swf_reason {
    const char *key;   /* in JSON */
    const char *words; /* after a count: "without a submit time" */
    const char *cure;
} swf_reason;

extern const swf_reason swf_reasons[SWF_REASONS];

#define SWF_NAMED 0x80000000u /* levels below are the numbers of the log, UINT32_MAX is unknown */

/* A log in the Standard Workload Format (Chapin et al., JSSPP 1999; Feitelson, Tsafrir, Krakov 2014). */
typedef struct swf_log {
    queue_job *job; /* in order of submission */
    size_t count;
    uint32_t processors;         /* of the machine */
    const char *processors_from; /* --processors, MaxProcs, MaxNodes or largest job */
    size_t left_out[SWF_REASONS];
    size_t cut;      /* jobs that ran longer than requested, cut to the requested time */
    size_t instant;  /* jobs that ran for less than half a second, replayed as one second */
    size_t rounded;  /* other jobs whose times have fractions, rounded to seconds */
    size_t repeated; /* numbers that several jobs have */
    char **name;     /* texts of users, groups, executables and queues from SWF_NAMED on: 007, 17000000012 */
} swf_log;

/* Reads a log for a machine with this many processors (0: by the header); dies on errors. */
void swf_read(const char *path, uint32_t processors, swf_log *log);

/* ---- runtimes.c ---- */

enum { RUNTIMES = 4, RULES = 3 };
extern const char *const runtime_names[RUNTIMES]; /* requested, last2, sooth, perfect */
extern const char *const rule_names[RULES];       /* with which sooth answers */

/* Opens predictor `which` for a log on this machine; that of sooth is fitted while it is used. */
void runtime_open(int which, sooth_env *env, const swf_log *log, const queue_rules *machine,
                  queue_predictor *predictor);
/* Closes it. answers receives how many jobs each rule of sooth predicted. */
void runtime_close(int which, queue_predictor *predictor, size_t answers[RULES]);

#endif
