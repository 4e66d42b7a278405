/* study.h - from measured bags of tasks to predictors of their time, checked on workloads they have never seen.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The method of Moolchandani, Kumar and Sarangi (Performance and power prediction for concurrent execution on GPUs, 2022), with the
 * processor cores in the place of the GPU: describe every task by measurements of it alone and beside three microbenchmarks, and predict
 * how long a bag of tasks takes that is started together. Their two models of time stand beside baselines that learn nothing, and
 * beside a form of ours that predicts only what processor sharing does not explain.
 */
#ifndef STUDY_H
#define STUDY_H

#include "sooth.h"

enum { STUDY_MOST_TASKS = 5, STUDY_MICROS = 3, STUDY_NAME = 48 };

/* What is known of one task before it runs with others: its card. */
typedef struct study_card {
    char name[STUDY_NAME];         /* "matrix 192" */
    uint32_t workload;             /* tasks of one workload share a number, whatever their input */
    double slowdown[STUDY_MICROS]; /* its own, beside Low, Medium, High: time beside / time alone */
    double pressure[STUDY_MICROS]; /* the microbenchmark's slowdown beside it */
} study_card;

typedef struct study_bag {
    uint32_t tasks;
    uint32_t card[STUDY_MOST_TASKS];
    double alone_ms[STUDY_MOST_TASKS];
    double shared_ms[STUDY_MOST_TASKS];
    double bag_ms; /* from the common start to the last end */
} study_bag;

typedef struct study_data {
    study_card *card;
    study_bag *bag;
    size_t cards, bags;
    uint32_t workloads;
    const char *const *workload_name;
    uint32_t cores; /* that the bags ran on */
} study_data;

/* Ways to predict the time of a bag, in the order of the table that is printed. */
typedef enum study_scheme {
    STUDY_LONGEST,       /* baseline: the longest of the alone times */
    STUDY_SUM,           /* baseline: their sum */
    STUDY_SHARING,       /* baseline: ideal processor sharing on the cores, no contention */
    STUDY_STAYING,       /* baseline: as many tasks on every core, which stay where they started */
    STUDY_TREE_ALONE,    /* the paper's decision tree (depth 7) on the alone times */
    STUDY_TREE_FAIR,     /* ... and each task's fairness beside one of the three microbenchmarks */
    STUDY_LINEAR_ALONE,
    STUDY_LINEAR_FAIR,
    STUDY_TREE_RATIO,    /* ours: bag time over processor sharing, features that do not depend on the order of the tasks */
    STUDY_LINEAR_RATIO,
    STUDY_SCHEMES
} study_scheme;

SOOTHI_INLINE const char *study_scheme_name(study_scheme scheme) {
    static const char *const name[] = {"longest alone",      "sum of alone",        "processor sharing",  "no migration",
                                       "tree, alone times",  "tree, + fairness",    "linear, alone times", "linear, + fairness",
                                       "tree, over sharing", "linear, over sharing"};
    return name[scheme];
}

/* The time of a bag on `cores` cores that are shared evenly and contend for nothing: every active task
   advances at rate min(1, cores / active). */
double study_sharing_ms(const double *alone_ms, uint32_t tasks, uint32_t cores);

/* The mean time of a bag when every core gets the same number of tasks (give or take one) and keeps them: over all ways to deal them out. With
   more tasks than cores and jobs as short as a scheduler's time slice, this is nearer to what happens than sharing. */
double study_staying_ms(const double *alone_ms, uint32_t tasks, uint32_t cores);

/* min over max of the two rates kept side by side (paper, section 5.1.1): 1 is fair. */
double study_fairness(const study_card *card, int micro);

/* A predictor of bag times: one model for each number of tasks (the paper, section 8), or one for all (ours). */
typedef struct study_model {
    study_scheme scheme;
    double low, high; /* thresholds of the others' summed pressure between Low, Medium and High */
    sooth_model *model[STUDY_MOST_TASKS + 1]; /* [tasks], or [0] for any number; NULL where nothing was learned */
} study_model;

/* Trains on the bags row[0..count). Baselines train nothing. Numbers of tasks without bags stay without a model. */
sooth_status study_train(sooth_env *env, const study_data *data, study_scheme scheme, const uint32_t *row, size_t count,
                         study_model *out);
void study_free(sooth_env *env, study_model *model);

/* The predicted time of a bag, in milliseconds; never below its longest task alone. NaN where the model knows no bag of this size. */
double study_predict(const study_model *model, const study_data *data, const study_bag *bag);

/* Errors of one scheme, in per cent of the measured time (MAPE). */
typedef struct study_score {
    double unseen[2]; /* mean over the left-out workloads: [0] pairs, [1] bags of three and more */
    double random[2]; /* mean over five random splits 80/20 */
    double worst[2];  /* the worst left-out workload */
} study_score;

/* Leaves every workload out in turn (every bag that contains it is tested, the rest trains), and splits at random 80/20 five times.
   unseen_ms[scheme * bags + bag] gets the prediction for a bag while its first task's workload was left out; per_workload[scheme *
   workloads + w] the MAPE over all bags with w. Either may be NULL. */
sooth_status study_validate(sooth_env *env, const study_data *data, uint32_t seed, study_score score[STUDY_SCHEMES],
                            double *unseen_ms, double *per_workload);

#endif /* STUDY_H */
