/* progress.h - progress of a stage and its remaining time.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>

/* PROGRESS_BAR: one line that is overwritten, for a terminal. PROGRESS_LINES: a line per tenth. */
typedef enum progress_form { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_LINES } progress_form;

/* A stage of a plan. */
typedef struct progress_stage {
    const char *name; /* NULL: every other stage */
    double seconds;   /* planned */
} progress_stage;

enum { PROGRESS_STAGES = 4 };

typedef struct progress {
    FILE *to;
    progress_form form;
    double (*clock)(void); /* seconds since any fixed time */

    const char *stage;   /* current stage, NULL: none; the same stage has the same pointer */
    double start, drawn; /* start of the stage, and time of the last output */
    int percent;         /* printed last */
    int bar_is_shown;

    progress_stage plan[PROGRESS_STAGES]; /* in the order of their work */
    size_t stages;                        /* 0: each stage has a bar of its own */
    double reached;                       /* of the plan */
} progress;

/* Makes the stages from here on one bar: each is the share of it that its seconds are of all. */
void progress_follow(progress *p, const progress_stage *plan, size_t stages);

/* Reports that a share `done`, between 0 and 1, of the stage is done. After 2 seconds the output includes the
   remaining time at the pace so far. */
void progress_step(progress *p, const char *stage, double done);

/* Removes the bar. */
void progress_end(progress *p);

#endif /* CLI_PROGRESS_H */
