/* trials.h - one regressor with some columns on the bags of a subject, with every program left out in turn.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Everything is static, for table7.c, which includes it after subjects.h.
 */
#ifndef TRIALS_H
#define TRIALS_H

#include "sooth.h"
#include "sooth/explain.h"
#include "subjects.h"

enum { MOST_COLUMNS = 96, LEAST_TRAINING = 5, MOST_ASKED = 7 };

/* Ways to predict: the regressors of Table 6, the tree of section 5.4.1, and constants without a model. */
typedef enum way { DT, GB, LINEAR, MLP, RF, SVR, REGRESSORS, TREE_7 = REGRESSORS, MEAN, LONGEST, SHARED } way;

static const char *const way_name[] = {"DT", "GB", "linear", "MLP", "RF", "SVR", "DT depth 7"};
static const char *const way_model[] = {
    "moolchandani-tree",   "moolchandani-boosting", "linear", "moolchandani-mlp",
    "moolchandani-forest", "moolchandani-svr",      "tree"};

/* How often the paths of points left out test the fields of a form: the paper's Figures 9 and 10. */
typedef struct path_use {
    size_t points;
    size_t times[32][MOST_ASKED + 1]; /* points with this many tests of field f; the last: or more */
} path_use;

/* A cell of a table. */
typedef struct trial {
    const subject *s;
    uint32_t tasks; /* of the bags */
    way how;
    sooth_fairness_form form;
    path_use *paths; /* of TREE_7; NULL: not needed */
    uint32_t seed;
    int over;      /* the target is not the time, but the ratio to the prediction without a model (SHARED) */
    double unseen; /* mean over the programs left out of the mean error, in per cent */
    double program[MOST_PROGRAMS]; /* ... of each; NaN: no bag */
    double random;                 /* mean error over five random splits 80/20 */
    size_t least_rows, columns;    /* the fewest bags that a model was trained on */
    sooth_status status;
    char sentence[SOOTH_ENV_SENTENCE];
} trial;

/* The data of one trial: its bags as rows. */
typedef struct desk {
    sooth_env *env;
    trial *t;
    uint32_t *part; /* two lists of bags */
    float *x, *y;
    float *sums;
} desk;

static void see_bag(const subject *s, const subject_bag *bag, sooth_fairness_card room[MOST_TASKS],
                    const sooth_fairness_card *card[MOST_TASKS]) {
    for (uint32_t k = 0; k < bag->tasks; ++k) {
        room[k] = s->card[bag->card[k]];
        room[k].value[SOOTH_FAIRNESS_ALONE_TIME] = bag->alone[k];
        if (!s->power) room[k].value[SOOTH_FAIRNESS_ALONE_POWER] = bag->alone[k];
        card[k] = &room[k];
    }
}

static int wants_fairness(const sooth_fairness_form *form) {
    for (uint32_t f = 0; f < form->fields; ++f)
        if (form->field[f] >= SOOTH_FAIRNESS_FIELDS) return 1;
    return 0;
}

/* The bounds between Low, Medium and High: half way between the centres of three clusters (fairness.h), of
   the pressure of each task's neighbours in the training bags. */
static sooth_status find_levels(desk *d, const uint32_t *row, size_t count, double threshold[2]) {
    const subject *s = d->t->s;
    size_t n = 0;
    threshold[0] = threshold[1] = 0.0;
    if (!wants_fairness(&d->t->form)) return SOOTH_OK;
    for (size_t i = 0; i < count; ++i) {
        const subject_bag *bag = &s->bag[row[i]];
        sooth_fairness_card room[MOST_TASKS];
        const sooth_fairness_card *card[MOST_TASKS];
        see_bag(s, bag, room, card);
        for (uint32_t k = 0; k < bag->tasks; ++k)
            d->sums[n++] = (float)sooth_fairness_others(card, bag->tasks, k, SOOTH_FAIRNESS_PRESSURE);
    }
    return sooth_fairness_thresholds(d->env, d->sums, n, SOOTH_FAIRNESS_CLUSTERS, threshold);
}

/* The time of a bag without contention. As many tasks are on every core and stay there, or each gets an
   equal part of one device. */
static double shared(const subject *s, const subject_bag *bag) {
    double longest = 0.0;
    if (s->cores) return study_staying_ms(bag->alone, bag->tasks, s->cores);
    for (uint32_t k = 0; k < bag->tasks; ++k) longest = fmax(longest, bag->alone[k]);
    return bag->tasks * longest;
}

/* The prediction without a model; of watts the greatest of a task alone. mean: of the training bags. */
static double plainly(const trial *t, const subject_bag *bag, double mean) {
    double longest = 0.0;
    if (t->how == MEAN) return mean;
    if (t->how == SHARED) return shared(t->s, bag);
    for (uint32_t k = 0; k < bag->tasks; ++k)
        longest = fmax(longest, t->s->power ? t->s->card[bag->card[k]].value[SOOTH_FAIRNESS_ALONE_POWER]
                                            : bag->alone[k]);
    return longest;
}

/* The vectors of these bags, one after the other. */
static sooth_status fill_rows(desk *d, const uint32_t *row, size_t count, const double threshold[2]) {
    const trial *t = d->t;
    sooth_status status = SOOTH_OK;
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i) {
        const subject_bag *bag = &t->s->bag[row[i]];
        sooth_fairness_card room[MOST_TASKS];
        const sooth_fairness_card *card[MOST_TASKS];
        see_bag(t->s, bag, room, card);
        status = sooth_fairness_vector(d->env, &t->form, card, bag->tasks, threshold, &bag->whole,
                                       d->x + i * t->columns);
        d->y[i] = (float)(bag->truth / (t->over ? shared(t->s, bag) : 1.0));
    }
    return status;
}

/* All values are scaled to 0 to 1 as in section 5.3, which does not affect a tree. */
static sooth_status fit(sooth_env *env, way how, const sooth_table *table, sooth_model **model) {
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = way_model[how];
    recipe.no_card = 1;
    if (how == TREE_7) {
        recipe.options.tree.max_depth = 7;
    } else {
        recipe.input.transform = recipe.target.transform = SOOTH_SCALE_MINMAX;
        recipe.has_input = recipe.has_target = 1;
    }
    return sooth_train_fit(env, table, &recipe, model);
}

/* Adds the ways of the test rows through a single tree without transforms. */
static void count_paths(const trial *t, const sooth_model *model, const float *x, size_t rows) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_explain_trees trees = sooth_explain_tree((const sooth_tree *)(const void *)parts.predictor);
    const uint32_t of_tasks = t->form.fields * t->tasks, fields = t->form.fields + t->form.bag_fields;
    for (size_t i = 0; i < rows; ++i) {
        uint32_t count[MOST_COLUMNS], asked[32] = {0};
        memset(count, 0, sizeof count);
        sooth_explain_counts(&trees, x + i * t->columns, count);
        for (uint32_t j = 0; j < t->columns; ++j)
            asked[j < of_tasks ? j / t->tasks : t->form.fields + j - of_tasks] += count[j];
        for (uint32_t f = 0; f < fields; ++f)
            ++t->paths->times[f][asked[f] < MOST_ASKED ? asked[f] : MOST_ASKED];
        ++t->paths->points;
    }
}

/* Fits some bags and sums the errors on others, in per cent of the measurement (equation 1, with the bars
   of its absolute value, which are missing in print). */
static sooth_status learn_and_test(desk *d, const uint32_t *train, size_t trains, const uint32_t *test,
                                   size_t tests, double *error) {
    trial *t = d->t;
    double threshold[2], mean = 0.0;
    sooth_model *model = NULL;
    sooth_status status = SOOTH_OK;
    if (trains < t->least_rows || !t->least_rows) t->least_rows = trains;
    for (size_t i = 0; i < trains; ++i) mean += t->s->bag[train[i]].truth / (double)trains;
    if (t->how < MEAN) {
        status = find_levels(d, train, trains, threshold);
        if (status == SOOTH_OK) status = fill_rows(d, train, trains, threshold);
        const sooth_table table = sooth_table_of(d->x, d->y, trains, t->columns);
        if (status == SOOTH_OK) status = fit(d->env, t->how, &table, &model);
        if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK; /* the best so far */
        if (status == SOOTH_OK) status = fill_rows(d, test, tests, threshold);
    }
    for (size_t i = 0; i < tests && status == SOOTH_OK; ++i) {
        const subject_bag *bag = &t->s->bag[test[i]];
        float scratch[MOST_COLUMNS];
        double said;
        if (t->how < MEAN) said = (double)sooth_model_predict(model, d->x + i * t->columns, scratch);
        else said = plainly(t, bag, mean);
        if (t->over) said *= shared(t->s, bag);
        *error += 100.0 * fabs(said - bag->truth) / bag->truth;
    }
    if (status == SOOTH_OK && t->paths) count_paths(t, model, d->x, tests);
    sooth_model_free(d->env, model);
    return status;
}

static int holds(const subject *s, const subject_bag *bag, uint32_t program) {
    for (uint32_t k = 0; k < bag->tasks; ++k)
        if (s->program[bag->card[k]] == program) return 1;
    return 0;
}

/* Every bag with a program is tested by a model fitted without that program's bags. */
static sooth_status leave_out(desk *d, const uint32_t *row, size_t count) {
    trial *t = d->t;
    sooth_status status = SOOTH_OK;
    size_t seen = 0;
    t->unseen = 0.0;
    for (uint32_t p = 0; p < t->s->programs && status == SOOTH_OK; ++p) {
        size_t trains = 0, tests = 0;
        double error = 0.0;
        t->program[p] = (double)NAN;
        for (size_t i = 0; i < count; ++i)
            if (!holds(t->s, &t->s->bag[row[i]], p)) d->part[trains++] = row[i];
        for (size_t i = 0; i < count; ++i)
            if (holds(t->s, &t->s->bag[row[i]], p)) d->part[trains + tests++] = row[i];
        if (trains < LEAST_TRAINING || tests == 0) continue;
        status = learn_and_test(d, d->part, trains, d->part + trains, tests, &error);
        t->program[p] = error / (double)tests;
        t->unseen += t->program[p];
        ++seen;
    }
    t->unseen = seen ? t->unseen / (double)seen : (double)NAN;
    return status;
}

/* Four fifths of the bags against the rest, drawn five times: section 7.4. */
static sooth_status split_at_random(desk *d, const uint32_t *row, size_t count) {
    trial *t = d->t;
    sooth_split_options options;
    sooth_split split;
    sooth_table table;
    size_t tests = 0;
    double error = 0.0;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_HOLDOUT;
    options.repeats = 5;
    options.seed = t->seed;
    sooth_table_init(&table, NULL, count, 1); /* holdout uses no feature */
    sooth_status status = sooth_split_make(d->env, &table, &options, &split);
    if (status != SOOTH_OK) return status;
    for (size_t f = 0; f < split.folds && status == SOOTH_OK; ++f) {
        const sooth_split_fold *fold = &split.fold[f];
        for (size_t i = 0; i < fold->trains; ++i) d->part[i] = row[fold->train[i]];
        for (size_t i = 0; i < fold->tests; ++i) d->part[fold->trains + i] = row[fold->test[i]];
        status = learn_and_test(d, d->part, fold->trains, d->part + fold->trains, fold->tests, &error);
        tests += fold->tests;
    }
    t->random = tests ? error / (double)tests : (double)NAN;
    sooth_split_free(d->env, &split);
    return status;
}

/* The bags of this many tasks. */
static size_t bags_of(const subject *s, uint32_t tasks, uint32_t *row) {
    size_t n = 0;
    for (uint32_t i = 0; i < s->bags; ++i)
        if (s->bag[i].tasks == tasks) row[n++] = i;
    return n;
}

static void run_trial(trial *t) {
    sooth_env env;
    desk d;
    uint32_t row[MOST_BAGS];
    const size_t count = bags_of(t->s, t->tasks, row), room = count + 1;
    sooth_env_init(&env);
    t->columns = sooth_fairness_width(&t->form, t->tasks);
    d.env = &env;
    d.t = t;
    d.x = (float *)malloc(room * (t->columns + 1 + MOST_TASKS) * sizeof *d.x + room * sizeof *d.part);
    if (!d.x) {
        t->status = SOOTH_NO_MEMORY;
        return;
    }
    d.y = d.x + room * t->columns;
    d.sums = d.y + room;
    d.part = (uint32_t *)(void *)(d.sums + room * MOST_TASKS);
    t->status = leave_out(&d, row, count);
    if (t->status == SOOTH_OK && !t->paths) t->status = split_at_random(&d, row, count);
    free(d.x);
    snprintf(t->sentence, sizeof t->sentence, "%s", env.sentence);
}

static void run_one(void *arg, size_t index, size_t worker) {
    (void)worker;
    run_trial((trial *)arg + index);
}

/* Runs them, in parallel if the env can. Returns 0 and a message if one fails. */
static int run_trials(sooth_env *env, trial *list, size_t count) {
    if (env->parallel_fn) env->parallel_fn(env->parallel_user, count, run_one, list);
    else
        for (size_t i = 0; i < count; ++i) run_one(list, i, 0);
    for (size_t i = 0; i < count; ++i) {
        if (list[i].status == SOOTH_OK) continue;
        fprintf(stderr, "table7: %s: %s\n", list[i].s->name,
                list[i].sentence[0] ? list[i].sentence : sooth_status_text(list[i].status));
        return 0;
    }
    return 1;
}

#endif
