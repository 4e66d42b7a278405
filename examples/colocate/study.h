/* study.h - from measured bags of tasks to predictors of their time, tested on workloads left out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The method of Moolchandani, Kumar and Sarangi (Performance and power prediction for concurrent execution on
 * GPUs, 2022), with the processor cores in the place of the GPU. Every task is described by measurements of
 * it alone and next to three microbenchmarks. The target is the time of a bag of tasks that are started
 * together. Their two models of time are compared with baselines without a model, and with one that learns
 * from pairs alone. A form of ours predicts only what processor sharing does not explain.
 */
#ifndef STUDY_H
#define STUDY_H

#include "sooth.h"
#include "sooth/explain.h"

enum { STUDY_MOST_TASKS = 5, STUDY_FEATURES = 10 };

typedef struct study_bag {
    uint32_t tasks;
    uint32_t card[STUDY_MOST_TASKS];
    double alone_ms[STUDY_MOST_TASKS];
    double shared_ms[STUDY_MOST_TASKS];
    double bag_ms; /* from the common start to the last end */
    double watts;  /* of the processor meanwhile; NaN: not measured */
} study_bag;

typedef struct study_data {
    const sooth_fairness_card *card; /* of every task; times in milliseconds */
    const uint32_t *workload;        /* of each card: tasks of one workload share a number for all inputs */
    study_bag *bag;
    size_t cards, bags;
    uint32_t workloads;
    const char *const *workload_name;
    uint32_t cores; /* that the bags ran on */
} study_data;

/* The features and the target of a model of bags. */
typedef enum study_kind {
    STUDY_BASELINE, /* learns nothing */
    STUDY_VECTOR,   /* the paper's: the vector of fairness.h, a model for each number of tasks; the time */
    STUDY_OVER_SHARING, /* ours: STUDY_FEATURES features that do not depend on the order of the tasks, one
                           model for bags of any size; the time over that of processor sharing */
    STUDY_BESIDE,       /* sooth_neighbours, from cards and pairs alone: how many times as long a task takes
                           next to one other; larger bags follow from these */
    STUDY_POWER         /* the features of STUDY_OVER_SHARING: the power of the processor */
} study_kind;

/* A way to predict. */
typedef struct study_form {
    const char *name, *regressor; /* a name of model.h; NULL: no model */
    study_kind kind;
    sooth_fairness_method thresholds;  /* between Low, Medium and High */
    const sooth_fairness_form *vector; /* of STUDY_VECTOR, otherwise NULL */
} study_form;

/* Ways to predict the time of a bag, in the order of the table that is printed. */
typedef enum study_scheme {
    STUDY_LONGEST,       /* baseline: the longest of the alone times */
    STUDY_SUM,           /* baseline: their sum */
    STUDY_SHARING,       /* baseline: ideal processor sharing on the cores, no contention */
    STUDY_STAYING,       /* baseline: equally many tasks on every core, which stay where they started */
    STUDY_TREE_ALONE,    /* the paper's decision tree (depth 7) on the alone times */
    STUDY_TREE_FAIR,     /* ... and each task's fairness, with terciles as thresholds */
    STUDY_TREE_CLUSTERS, /* ... with clusters, as the paper's Figure 4 suggests */
    STUDY_LINEAR_ALONE,
    STUDY_LINEAR_FAIR,
    STUDY_FOREST_FAIR,
    STUDY_EXTRA_FAIR,
    STUDY_BOOST_FAIR,
    STUDY_PAIRS_BESIDE, /* from pairs alone: the slowdown of each task next to each other one, no migration */
    STUDY_TREE_RATIO,   /* ours: over processor sharing */
    STUDY_LINEAR_RATIO,
    STUDY_FOREST_RATIO,
    STUDY_EXTRA_RATIO,
    STUDY_BOOST_RATIO,
    STUDY_CHOSEN, /* the one of ours with the min error when the training workloads are left out in turn,
                     drawn towards no migration as far as that lessens its errors there */
    STUDY_SCHEMES
} study_scheme;

const study_form *study_form_of(study_scheme scheme);

/* The time of a bag on `cores` cores that are shared evenly, without other contention. Every active task
   advances at rate min(1, cores / active). */
double study_sharing_ms(const double *alone_ms, uint32_t tasks, uint32_t cores);

/* The mean time of a bag if every core gets the same number of tasks (give or take one) and keeps them:
   over all ways to deal them out. With more tasks than cores, and jobs as short as a scheduler's time
   slice, this is nearer to the measurements than sharing. */
double study_staying_ms(const double *alone_ms, uint32_t tasks, uint32_t cores);

/* A predictor of bag times: one model for each number of tasks (the paper, section 8), or one for all
   (ours). */
typedef struct study_model {
    /* never STUDY_CHOSEN, but the scheme it chose; STUDY_SCHEMES: a model of power */
    study_scheme scheme;
    study_form form;
    /* the share of the learned correction that is applied: [0] of pairs, [1] of larger bags; 1 unless
       shrunk */
    double keep[2];
    double threshold[2];          /* of the others' pressure */
    sooth_fairness_bank bank;     /* of sooth_model */
    sooth_neighbours *neighbours; /* of STUDY_BESIDE */
} study_model;

/* The model of a form that has one for all bags; NULL: the form has a bank. */
const sooth_model *study_kept(const study_model *model);

/* Trains on the bags row[0..count). Baselines train nothing. Numbers of tasks without bags have no model.
   STUDY_CHOSEN uses these bags alone. It leaves each of their workloads out in turn, takes the scheme over
   sharing with the min errors (pairs + larger bags), and trains that. So the validation of STUDY_CHOSEN is
   nested: the choice is repeated for every workload left out, without it. */
sooth_status study_train(sooth_env *env, const study_data *data, study_scheme scheme, const uint32_t *row,
                         size_t count, study_model *out);
void study_free(sooth_env *env, study_model *model);

/* The input features of a bag. */
sooth_status study_features(sooth_env *env, const study_model *model, const study_data *data,
                            const study_bag *bag, float *row);
extern const char *const study_feature_name[STUDY_FEATURES]; /* of our form */

/* Copies row[0..count): first the bags without the workload, whose number is returned, then those with it. */
size_t study_leave_out(const study_data *data, const uint32_t *row, size_t count, uint32_t workload,
                       uint32_t *out);

/* The scheme over sharing, of trees if requested, with the min error when the workloads of these bags are
   left out in turn. keep[2], unless NULL: the share of its correction to apply. */
sooth_status study_choose(sooth_env *env, const study_data *data, int of_trees, const uint32_t *row,
                          size_t count, study_scheme *best, double *keep);

/* The predicted times of bags. Each is by a model of the same scheme and share, trained on those of
   row[0..count) without its workloads. */
sooth_status study_predict_unseen(sooth_env *env, const study_data *data, const study_model *like,
                                  const uint32_t *row, size_t count, const study_bag *bag, size_t bags,
                                  double *ms);

/* The predicted time of a bag, in milliseconds, at least that of its longest task alone. NaN if the model
   has no bag of this size. */
double study_predict(const study_model *model, const study_data *data, const study_bag *bag);

/* Errors of one scheme, in per cent of the measured time (MAPE). */
typedef struct study_score {
    double unseen[2]; /* mean over the left-out workloads: [0] pairs, [1] bags of three and more */
    double random[2]; /* mean over five random splits 80/20 */
    double worst[2];  /* the worst left-out workload */
} study_score;

/* Leaves every workload out in turn (every bag that contains it is tested, the rest trains), and splits at
   random 80/20 five times. unseen_ms[scheme * bags + bag] gets the prediction for a bag while its first
   task's workload was left out. per_workload[scheme * workloads + w] gets the MAPE over all bags with w.
   Either may be NULL. */
sooth_status study_validate(sooth_env *env, const study_data *data, uint32_t seed,
                            study_score score[STUDY_SCHEMES], double *unseen_ms, double *per_workload);

/* Errors of power and energy, in per cent (MAPE), every workload left out in turn. [0] pairs, [1] larger
   bags. */
typedef struct study_power {
    size_t bags;      /* with measured power; 0: everything else is 0 */
    double mean[2];   /* baseline: the mean power of the training bags */
    double power[2];  /* a forest on our features */
    double energy[2]; /* power x time, both predicted, within what is possible (sooth_fairness_limit) */
} study_power;

/* unseen_ms[bags]: the predicted times, of STUDY_CHOSEN. cap_w: the max power of the processor, 0:
   unknown. model (or NULL) gets the forest trained on all these bags. */
sooth_status study_validate_power(sooth_env *env, const study_data *data, const double *unseen_ms,
                                  double cap_w, study_power *out, study_model *model);

/* Joules of a bag within what is possible: at least the time of its longest task alone, at most the cap. */
double study_energy(const study_data *data, const study_bag *bag, double ms, double watts, double cap_w);

/* ---- explaining.c ---- */

/* How much a feature of our form matters to a model of trees. */
typedef struct study_importance {
    const char *name;
    double gain;  /* its share of the gain of the splits in training */
    double shap;  /* by how much it moves the prediction, time over processor sharing, on average */
    double rows;  /* share of the bags whose path through a single tree tests it (the paper, Figure 9) */
    double asked; /* number of tests on that path (Figure 10) */
} study_importance;

/* gain and shap are of a scheme of trees over sharing: the one that STUDY_CHOSEN would take if it had to
   be of trees. It is trained on the first `bags` bags and explained on them. rows and asked are of the
   single tree over sharing, since every path of a forest tests nearly every feature. They are over bags
   whose workload was left out in training, as in the paper. out[0..STUDY_FEATURES) is sorted by
   importance, descending. */
sooth_status study_explain(sooth_env *env, const study_data *data, size_t bags, study_scheme *scheme,
                           study_importance out[STUDY_FEATURES]);

#endif /* STUDY_H */
