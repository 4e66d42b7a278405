/* progress.c - progress of a stage and its remaining time.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "progress.h"

#include <string.h>

/* Writes "12 s left" once it can be estimated. */
static void time_left(const progress *p, double now, double done, char text[32]) {
    const double left = done > 0.02 ? (now - p->start) * (1.0 - done) / done : 0.0;
    text[0] = 0;
    if (now - p->start < 2.0 || !(done > 0.02) || !(done < 1.0)) return;
    if (left < 99.5) snprintf(text, 32, "%.0f s left", left);
    else if (left < 5970.0) snprintf(text, 32, "%.0f min left", left / 60.0);
    else snprintf(text, 32, "%.1f h left", left / 3600.0);
}

static void draw_bar(progress *p, const char *left) {
    const int filled = (p->percent * 30 + 50) / 100;
    fprintf(p->to, "\r%-20.20s [%.*s%*s] %3d%% %-14s", p->stage, filled, "##############################",
            30 - filled, "", p->percent, left);
    p->bar_is_shown = 1;
}

void progress_follow(progress *p, const progress_stage *plan, size_t stages) {
    memcpy(p->plan, plan, stages * sizeof *plan);
    p->stages = stages;
    p->reached = 0.0;
    p->start = p->form == PROGRESS_NONE ? 0.0 : p->clock();
}

/* Returns how much of the plan is done; it never falls, as a stage that starts again would make it. */
static double of_plan(progress *p, const char *stage, double done) {
    double all = 0.0, before = 0.0;
    size_t at = 0;
    for (size_t k = 0; k < p->stages; ++k)
        if (!p->plan[k].name) at = k;
    for (size_t k = 0; k < p->stages; ++k)
        if (p->plan[k].name && strcmp(p->plan[k].name, stage) == 0) at = k;
    for (size_t k = 0; k < p->stages; ++k) {
        all += p->plan[k].seconds;
        if (k < at) before += p->plan[k].seconds;
    }
    if (all > 0.0) done = (before + p->plan[at].seconds * done) / all;
    return p->reached = done > p->reached ? done : p->reached;
}

void progress_step(progress *p, const char *stage, double done) {
    const double now = p->form == PROGRESS_NONE ? 0.0 : p->clock();
    const int is_new = stage != p->stage;
    int percent;
    char left[32];
    if (p->form == PROGRESS_NONE) return;
    if (!(done > 0.0)) done = 0.0;
    if (done > 1.0) done = 1.0;
    if (p->stages) done = of_plan(p, stage, done);
    percent = (int)(done * 100.0 + 0.5);
    if (!p->stages && (is_new || percent < p->percent)) p->start = now; /* or the stage starts again */
    if (!is_new && percent == p->percent && now - p->drawn < 1.0) return;
    if (p->form == PROGRESS_LINES && !is_new && percent / 10 == p->percent / 10) return;
    p->stage = stage;
    p->percent = percent;
    p->drawn = now;
    time_left(p, now, done, left);
    if (p->form == PROGRESS_BAR) draw_bar(p, left);
    else fprintf(p->to, "%s %d %%%s%s\n", stage, percent, *left ? ", " : "", left);
    fflush(p->to);
}

void progress_end(progress *p) {
    if (p->bar_is_shown) fprintf(p->to, "\r%75s\r", "");
    p->bar_is_shown = 0;
    p->stage = NULL;
}
