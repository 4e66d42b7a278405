/* progress.h - how far something is, and how long the rest will take.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>

/* PROGRESS_BAR: a line that is written over, for a terminal; PROGRESS_LINES: one for each tenth. */
typedef enum progress_form { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_LINES } progress_form;

typedef struct progress {
    FILE *to;
    progress_form form;
    double (*clock)(void); /* seconds since any moment */

    const char *stage;   /* what is done now, NULL: nothing yet; the same text is the same pointer */
    double start, drawn; /* when it began, and when it was last told of */
    int percent;         /* that it was told of */
    int bar_is_shown;
} progress;

/* `done`, between 0 and 1, of the stage is done. From 2 seconds on it is told how long the rest takes, at the
   pace so far. */
void progress_step(progress *p, const char *stage, double done);

/* Takes the bar away. */
void progress_end(progress *p);

#endif /* CLI_PROGRESS_H */
