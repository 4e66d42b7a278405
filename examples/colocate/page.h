/* page.h - the report of the main job as one self-contained HTML page.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PAGE_H
#define PAGE_H

#include "contend.h"
#include "placement.h"
#include "scaling.h"
#include "study.h"

/* The facts of the report besides the study itself. */
typedef struct page_facts {
    const char *machine;    /* "2 cores, 48 KiB + 1 MiB + 32 MiB of cache" */
    const char *contention; /* the result of the probe, a sentence */
    const char *counters;   /* whether counters were permitted, a sentence */
    const char *origin;     /* "measured live" or "recorded" */
} page_facts;

/* Everything the page shows. */
typedef struct page_content {
    page_facts facts;
    const study_data *data;
    const study_score *score;           /* [STUDY_SCHEMES] */
    const double *unseen_ms;            /* [STUDY_SCHEMES x validated], see study_validate */
    const double *per_workload;         /* [STUDY_SCHEMES x workloads] */
    const study_model *model;           /* the chosen model; its figures are those of STUDY_CHOSEN */
    const study_importance *importance; /* [STUDY_FEATURES], see study_explain */
    study_scheme explained;             /* the scheme that their gain and shap are of */
    const placement *placed;            /* the decision */
    const study_power *power;           /* power->bags 0: no energy could be read */
    const study_model *power_model;
    const contend *fought;    /* NULL: the recording does not hold it */
    const scaling_line *line; /* [lines] */
    size_t lines;             /* 0: the recording does not hold it */
    double cap_w;             /* limit of the processor's power; 0: unknown */
    size_t validated;         /* this many first bags of data were validated */
    size_t held_out;          /* this many last ones were measured after the training */
} page_content;

/* Writes the page to the sink. */
void page_write(sooth_sink *sink, const page_content *content);

/* The drawing that carries the page: predicted against measured for bags with an unseen workload. */
void page_draw_predicted(sooth_sink *sink, const page_content *content, double width);

#endif /* PAGE_H */
