/* study.c - see study.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sooth_status no_memory(sooth_env *env, size_t bags) {
    sooth_text_format(env->sentence, sizeof env->sentence, "no memory for %z bags", bags);
    return SOOTH_NO_MEMORY;
}

/* ---- the features of a bag before it runs ---- */

double study_sharing_ms(const double *alone_ms, uint32_t tasks, uint32_t cores) {
    double left[STUDY_MOST_TASKS], now = 0.0, done = 0.0;
    uint32_t j;
    for (uint32_t i = 0; i < tasks; ++i) {
        for (j = i; j > 0 && left[j - 1] > alone_ms[i]; --j) left[j] = left[j - 1];
        left[j] = alone_ms[i];
    }
    /* tasks end in the order of their length; `done` is the work of each of the remaining ones */
    for (uint32_t i = 0; i < tasks; ++i) {
        uint32_t active = tasks - i;
        now += (left[i] - done) * (active > cores ? (double)active / cores : 1.0);
        done = left[i];
    }
    return now;
}

double study_staying_ms(const double *alone_ms, uint32_t tasks, uint32_t cores) {
    double sum = 0.0;
    uint32_t ways = 1, good = 0;
    if (cores > STUDY_MOST_TASKS) cores = STUDY_MOST_TASKS;
    uint32_t most = (tasks + cores - 1) / cores;
    for (uint32_t i = 0; i < tasks; ++i) ways *= cores;
    for (uint32_t way = 0; way < ways; ++way) { /* digit i of `way` in base `cores` is the core of task i */
        double load[STUDY_MOST_TASKS] = {0, 0, 0, 0, 0}, longest = 0.0;
        uint32_t held[STUDY_MOST_TASKS] = {0, 0, 0, 0, 0}, rest = way, even = 1;
        for (uint32_t i = 0; i < tasks; ++i, rest /= cores) {
            load[rest % cores] += alone_ms[i];
            if (++held[rest % cores] > most) even = 0;
        }
        for (uint32_t i = 0; i < cores && tasks >= cores; ++i) even &= held[i] + 1 >= most;
        if (!even) continue;
        for (uint32_t i = 0; i < cores; ++i) longest = fmax(longest, load[i]);
        sum += longest;
        ++good;
    }
    return sum / good;
}

/* The cards of a bag, each with the time alone that was measured in this bag's rounds. */
typedef struct seen {
    sooth_fairness_card room[STUDY_MOST_TASKS];
    const sooth_fairness_card *card[STUDY_MOST_TASKS];
} seen;

static void see(const study_data *data, const study_bag *bag, seen *out) {
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        out->room[i] = data->card[bag->card[i]];
        out->room[i].value[SOOTH_FAIRNESS_ALONE_TIME] = bag->alone_ms[i];
        out->card[i] = &out->room[i];
    }
}

/* ---- ways to predict ---- */

enum {
    TIME = SOOTH_FAIRNESS_ALONE_TIME,
    PRESSURE = SOOTH_FAIRNESS_PRESSURE,
    FAIRNESS = SOOTH_FAIRNESS_CHOSEN,
    SLOWDOWN = SOOTH_FAIRNESS_CHOSEN_SLOWDOWN
};

static const sooth_fairness_form of_time = {.fields = 1, .field = {TIME}},
                                 of_fairness = {.fields = 2, .field = {TIME, FAIRNESS}};

static const study_form forms[STUDY_SCHEMES] = {
    {"longest alone", NULL, STUDY_BASELINE, SOOTH_FAIRNESS_TERCILES, NULL},
    {"sum of alone", NULL, STUDY_BASELINE, SOOTH_FAIRNESS_TERCILES, NULL},
    {"processor sharing", NULL, STUDY_BASELINE, SOOTH_FAIRNESS_TERCILES, NULL},
    {"no migration", NULL, STUDY_BASELINE, SOOTH_FAIRNESS_TERCILES, NULL},
    {"tree, alone times", "tree", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_time},
    {"tree, + fairness", "tree", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_fairness},
    {"tree, + fairness, clusters", "tree", STUDY_VECTOR, SOOTH_FAIRNESS_CLUSTERS, &of_fairness},
    {"linear, alone times", "linear", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_time},
    {"linear, + fairness", "linear", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_fairness},
    {"forest, + fairness", "forest", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_fairness},
    {"extra-trees, + fairness", "extratrees", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_fairness},
    {"boosting, + fairness", "boost", STUDY_VECTOR, SOOTH_FAIRNESS_TERCILES, &of_fairness},
    {"beside each, from pairs", NULL, STUDY_BESIDE, SOOTH_FAIRNESS_TERCILES, NULL},
    {"tree, over sharing", "tree", STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL},
    {"linear, over sharing", "linear", STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL},
    {"forest, over sharing", "forest", STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL},
    {"extra-trees, over sharing", "extratrees", STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL},
    {"boosting, over sharing", "boost", STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL},
    {"chosen without looking", NULL, STUDY_OVER_SHARING, SOOTH_FAIRNESS_TERCILES, NULL}};

const study_form *study_form_of(study_scheme scheme) { return &forms[scheme]; }

const sooth_model *study_kept(const study_model *model) { return (const sooth_model *)model->bank.model[0]; }

static int is_ratio(const study_model *model) { return model->form.kind == STUDY_OVER_SHARING; }
static int is_vector(const study_model *model) { return model->form.kind == STUDY_VECTOR; }

static int is(const char *regressor, const char *name) { return strcmp(regressor, name) == 0; }

/* ---- features ---- */

enum { MOST_FEATURES = 4 * STUDY_MOST_TASKS };

const char *const study_feature_name[STUDY_FEATURES] = {
    "tasks",        "longest_ms",   "sharing_over_longest", "staying_over_sharing",    "slowdown_mean",
    "slowdown_max", "pressure_sum", "pressure_max",         "pressure_times_slowdown", "fairness_min"};

/* The features that do not depend on the order of the tasks, for bags of any size. */
static void features_of_all(const study_model *model, const study_data *data, const study_bag *bag,
                            const sooth_fairness_card *const *card, float row[STUDY_FEATURES]) {
    double longest = 0, mean = 0, most = 0, sum = 0, strongest = 0, product = 0, fair = 1;
    double sharing = study_sharing_ms(bag->alone_ms, bag->tasks, data->cores);
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        const double *value = card[i]->value, pressure = value[SOOTH_FAIRNESS_PRESSURE];
        const sooth_fairness_level level = sooth_fairness_choose(card, bag->tasks, i, model->threshold);
        const double own = value[SOOTH_FAIRNESS_SLOWDOWN_LOW + level];
        longest = fmax(longest, bag->alone_ms[i]);
        mean += own / bag->tasks;
        most = fmax(most, own);
        sum += pressure;
        strongest = fmax(strongest, pressure);
        product += (value[SOOTH_FAIRNESS_SLOWDOWN_HIGH] - 1.0) *
                   sooth_fairness_others(card, bag->tasks, i, SOOTH_FAIRNESS_PRESSURE);
        fair = fmin(fair, sooth_fairness_alongside(card[i], level));
    }
    row[0] = (float)bag->tasks;
    row[1] = (float)longest;
    row[2] = (float)(sharing / longest);
    row[3] = (float)(study_staying_ms(bag->alone_ms, bag->tasks, data->cores) / sharing);
    row[4] = (float)mean;
    row[5] = (float)most;
    row[6] = (float)sum;
    row[7] = (float)strongest;
    row[8] = (float)product;
    row[9] = (float)fair;
}

static size_t width(const study_model *model, uint32_t tasks) {
    return is_vector(model) ? sooth_fairness_width(model->form.vector, tasks) : STUDY_FEATURES;
}

sooth_status study_features(sooth_env *env, const study_model *model, const study_data *data,
                            const study_bag *bag, float *row) {
    seen s;
    see(data, bag, &s);
    if (is_vector(model))
        return sooth_fairness_vector(env, model->form.vector, s.card, bag->tasks, model->threshold, NULL,
                                     row);
    features_of_all(model, data, bag, s.card, row);
    return SOOTH_OK;
}

/* ---- training ---- */

/* The bounds of the pressure of the others, over every task of the training bags. */
static sooth_status find_thresholds(sooth_env *env, const study_data *data, const uint32_t *row, size_t count,
                                    study_model *out) {
    float *sum = (float *)malloc((count * STUDY_MOST_TASKS + 1) * sizeof *sum);
    sooth_status status = SOOTH_OK;
    size_t n = 0;
    if (!sum) return no_memory(env, count);
    for (size_t i = 0; i < count; ++i) {
        const study_bag *bag = &data->bag[row[i]];
        seen s;
        see(data, bag, &s);
        for (uint32_t k = 0; k < bag->tasks; ++k)
            sum[n++] = (float)sooth_fairness_others(s.card, bag->tasks, k, SOOTH_FAIRNESS_PRESSURE);
    }
    if (n) status = sooth_fairness_thresholds(env, sum, n, out->form.thresholds, out->threshold);
    free(sum);
    return status;
}

/* The rows of one model of the bank: bags of `which` tasks, or with 0 all bags for the form. */
static sooth_status fill_rows(sooth_env *env, const study_data *data, const uint32_t *row, size_t count,
                              uint32_t which, const study_model *model, float *x, float *y, size_t *rows) {
    sooth_status status = SOOTH_OK;
    size_t n = 0;
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i) {
        const study_bag *bag = &data->bag[row[i]];
        const double sharing = study_sharing_ms(bag->alone_ms, bag->tasks, data->cores);
        if (which && bag->tasks != which) continue;
        if (model->form.kind == STUDY_POWER && isnan(bag->watts)) continue;
        status = study_features(env, model, data, bag, x + n * MOST_FEATURES);
        y[n++] = (float)(model->form.kind == STUDY_POWER ? bag->watts
                         : is_ratio(model)               ? bag->bag_ms / sharing
                                                         : bag->bag_ms);
    }
    *rows = n;
    return status;
}

static sooth_status fit(sooth_env *env, sooth_table *table, study_model *out, uint32_t which) {
    static const char *const ratio[] = {"time over processor sharing"}, *const time[] = {"bag time"};
    static const char *const power[] = {"power"}, *const ms[] = {"ms"}, *const watts[] = {"W"};
    const char *name = out->form.regressor;
    const int is_power = out->form.kind == STUDY_POWER;
    sooth_model *model = NULL;
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = name;
    if (is(name, "tree")) {
        recipe.options.tree.max_depth = 7; /* paper, section 5.4.1 */
        if (is_ratio(out)) recipe.options.tree.min_samples_leaf = 4;
    }
    if (is_ratio(out) || is_power) table->names = study_feature_name;
    if (is(name, "boost")) { /* the study fits hundreds of models */
        recipe.options.boost.n_estimators = 100;
        recipe.options.boost.learning_rate = 0.1;
        recipe.options.boost.subsample = 1.0;
    }
    recipe.target_names = is_power ? power : is_ratio(out) ? ratio : time;
    if (is_power) recipe.target_units = watts;
    else if (!is_ratio(out)) recipe.target_units = ms;
    sooth_status status = sooth_train_fit(env, table, &recipe, &model);
    out->bank.model[which] = model;
    return status;
}

/* Learns from the cards of all tasks and from pairs how much slower each task is next to each other one. */
static sooth_status learn_pairs(sooth_env *env, const study_data *data, const uint32_t *row, size_t count,
                                study_model *out) {
    sooth_neighbours_options options;
    memset(&options, 0, sizeof options);
    options.jobs = (uint32_t)data->cards;
    options.ridge = 5.0; /* programs hardly contend: measured slowdowns differ by more than the effects */
    options.observations = (uint32_t)(2 * count + 6 * data->cards);
    const size_t size = sooth_neighbours_size(&options);
    out->neighbours = malloc(size ? size : 1);
    if (!out->neighbours) return no_memory(env, count);
    sooth_neighbours *n;
    sooth_status status = sooth_neighbours_init(env, &options, out->neighbours, size, &n);
    for (uint32_t c = 0; c < data->cards && status == SOOTH_OK; ++c)
        status = sooth_neighbours_card(env, n, c, &data->card[c]);
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i) {
        const study_bag *bag = &data->bag[row[i]];
        double ms[2];
        if (bag->tasks != 2) continue;
        for (uint32_t k = 0; k < 2; ++k) /* in this bag's rounds the machine may have another speed */
            ms[k] = bag->shared_ms[k] / bag->alone_ms[k] * data->card[bag->card[k]].value[TIME];
        status = sooth_neighbours_observe(env, n, bag->card, ms, 2);
    }
    return status;
}

/* Trains the model of the bank for bags of `which` tasks, or with 0 the one for all. */
static sooth_status train_one(sooth_env *env, const study_data *data, const uint32_t *row, size_t count,
                              uint32_t which, study_model *out) {
    float *x = (float *)malloc((2 * count * (MOST_FEATURES + 1) + 1) * sizeof *x);
    float *y = x ? x + 2 * count * MOST_FEATURES : NULL;
    size_t rows = 0;
    if (!x) return no_memory(env, count);
    sooth_status status = fill_rows(env, data, row, count, which, out, x, y, &rows);
    if (status == SOOTH_OK && rows > 0) {
        sooth_table table = sooth_table_of(x, y, rows, width(out, which));
        table.stride = MOST_FEATURES;
        status = fit(env, &table, out, which);
    }
    free(x);
    return status;
}

static float predict_one(const void *model, const float *row) {
    float scratch[MOST_FEATURES];
    return sooth_model_predict((const sooth_model *)model, row, scratch);
}

static sooth_status train_form(sooth_env *env, const study_data *data, const study_form *form,
                               const uint32_t *row, size_t count, study_model *out) {
    memset(out, 0, sizeof *out);
    out->scheme = STUDY_SCHEMES;
    out->form = *form;
    out->keep[0] = out->keep[1] = 1.0;
    out->bank.predict_fn = predict_one;
    sooth_status status = find_thresholds(env, data, row, count, out);
    uint32_t k = is_vector(out) ? 2 : 0;
    uint32_t last = is_vector(out) ? STUDY_MOST_TASKS : 0;
    if (form->kind == STUDY_BESIDE && status == SOOTH_OK) status = learn_pairs(env, data, row, count, out);
    for (; k <= last && status == SOOTH_OK && form->regressor; ++k)
        status = train_one(env, data, row, count, k, out);
    if (status != SOOTH_OK) study_free(env, out);
    return status;
}

void study_free(sooth_env *env, study_model *model) {
    for (uint32_t k = 0; k <= STUDY_MOST_TASKS; ++k) {
        sooth_model_free(env, (sooth_model *)model->bank.model[k]);
        model->bank.model[k] = NULL;
    }
    free(model->neighbours);
    model->neighbours = NULL;
}

/* Every task is slowed by the mean of its slowdowns next to each of the others, all of which may run
   meanwhile. Then the tasks are dealt out to the cores, where they stay. */
static double predict_beside(const study_model *model, const study_data *data, const study_bag *bag) {
    double ms[STUDY_MOST_TASKS];
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        double sum = 0.0, slowdown[2];
        for (uint32_t k = 0; k < bag->tasks; ++k) {
            const uint32_t pair[2] = {bag->card[i], bag->card[k]};
            if (k == i) continue;
            (void)sooth_neighbours_slowdowns(model->neighbours, pair, 2, slowdown);
            sum += slowdown[0];
        }
        ms[i] = bag->alone_ms[i] * sum / (bag->tasks - 1);
    }
    return study_staying_ms(ms, bag->tasks, data->cores);
}

/* The time of a bag, clipped to what is possible. */
static sooth_status limit(const study_data *data, const study_bag *bag, double ms, double watts, double cap_w,
                          sooth_fairness_outcome *out) {
    seen s;
    see(data, bag, &s);
    return sooth_fairness_limit(NULL, s.card, bag->tasks, ms, watts, cap_w, out);
}

double study_predict(const study_model *model, const study_data *data, const study_bag *bag) {
    float row[MOST_FEATURES];
    double longest = 0.0, sum = 0.0, value;
    const double sharing = study_sharing_ms(bag->alone_ms, bag->tasks, data->cores);
    const double staying = study_staying_ms(bag->alone_ms, bag->tasks, data->cores);
    const double keep = model->keep[bag->tasks > 2];
    sooth_fairness_outcome outcome;
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        longest = fmax(longest, bag->alone_ms[i]);
        sum += bag->alone_ms[i];
    }
    if (model->scheme == STUDY_LONGEST) return longest;
    if (model->scheme == STUDY_SUM) return sum;
    if (model->scheme == STUDY_SHARING) return sharing;
    if (model->scheme == STUDY_STAYING) return staying;
    if (model->form.kind == STUDY_BESIDE) return predict_beside(model, data, bag);
    if (study_features(NULL, model, data, bag, row) != SOOTH_OK) return NAN;
    value = sooth_fairness_predict(&model->bank, bag->tasks, row);
    if (model->form.kind == STUDY_POWER || isnan(value)) return value;
    if (is_ratio(model)) value = staying + keep * (value * sharing - staying);
    return limit(data, bag, value, 0.0, 0.0, &outcome) == SOOTH_OK ? outcome.time : NAN;
}

double study_energy(const study_data *data, const study_bag *bag, double ms, double watts, double cap_w) {
    sooth_fairness_outcome outcome;
    return limit(data, bag, ms, watts, cap_w, &outcome) == SOOTH_OK ? 1e-3 * outcome.energy : NAN;
}

/* ---- checking ---- */

/* Sum of errors and number of bags, for pairs [0] and for larger bags [1]. */
typedef struct tally {
    double error[2];
    size_t bags[2];
} tally;

static void count_error(tally *t, const study_bag *bag, double predicted_ms) {
    int larger = bag->tasks > 2;
    if (isnan(predicted_ms)) return;
    t->error[larger] += 100.0 * fabs(predicted_ms - bag->bag_ms) / bag->bag_ms;
    ++t->bags[larger];
}

/* Trains on one side of a split and adds up the errors on the other. predicted_ms, of every bag, may be
   NULL. */
static sooth_status test_split(sooth_env *env, const study_data *data, study_scheme scheme,
                               const uint32_t *row, size_t trains, const uint32_t *test, size_t tests,
                               tally *t, double *predicted_ms) {
    study_model model;
    sooth_status status = study_train(env, data, scheme, row, trains, &model);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < tests; ++i) {
        const double ms = study_predict(&model, data, &data->bag[test[i]]);
        if (predicted_ms) predicted_ms[test[i]] = ms;
        count_error(t, &data->bag[test[i]], ms);
    }
    study_free(env, &model);
    return SOOTH_OK;
}

static int holds(const study_data *data, const study_bag *bag, uint32_t workload) {
    for (uint32_t k = 0; k < bag->tasks; ++k)
        if (data->workload[bag->card[k]] == workload) return 1;
    return 0;
}

size_t study_leave_out(const study_data *data, const uint32_t *row, size_t count, uint32_t workload,
                       uint32_t *out) {
    size_t kept = 0, end = count;
    for (size_t i = 0; i < count; ++i)
        if (!holds(data, &data->bag[row[i]], workload)) out[kept++] = row[i];
    for (size_t i = count; i-- > 0;)
        if (holds(data, &data->bag[row[i]], workload)) out[--end] = row[i];
    return kept;
}

/* Every bag of row[0..count) that contains a workload is tested while that workload is left out (paper,
   section 7.2). unseen_ms and per_workload: see study_validate. Either may be NULL. */
static sooth_status test_unseen(sooth_env *env, const study_data *data, study_scheme scheme,
                                const uint32_t *row, size_t count, study_score *score, double *unseen_ms,
                                double *per_workload) {
    uint32_t *part = (uint32_t *)malloc((count + 1) * sizeof *part);
    double *predicted_ms = (double *)malloc((data->bags + 1) * sizeof *predicted_ms);
    size_t seen[2] = {0, 0};
    sooth_status status = part && predicted_ms ? SOOTH_OK : no_memory(env, count);
    for (uint32_t w = 0; w < data->workloads && status == SOOTH_OK; ++w) {
        const size_t trains = study_leave_out(data, row, count, w, part);
        tally t;
        if (trains == 0 || trains == count) continue;
        memset(&t, 0, sizeof t);
        status = test_split(env, data, scheme, part, trains, part + trains, count - trains, &t, predicted_ms);
        for (size_t size = 0; size < 2; ++size) {
            const double mape = t.bags[size] ? t.error[size] / (double)t.bags[size] : 0.0;
            if (!t.bags[size]) continue;
            ++seen[size];
            score->unseen[size] += mape;
            score->worst[size] = fmax(score->worst[size], mape);
        }
        if (per_workload && t.bags[0] + t.bags[1] > 0)
            per_workload[w] = (t.error[0] + t.error[1]) / (double)(t.bags[0] + t.bags[1]);
        for (size_t i = trains; i < count && unseen_ms && status == SOOTH_OK; ++i)
            if (data->workload[data->bag[part[i]].card[0]] == w) unseen_ms[part[i]] = predicted_ms[part[i]];
    }
    for (size_t size = 0; size < 2; ++size)
        if (seen[size]) score->unseen[size] /= (double)seen[size];
    free(part);
    free(predicted_ms);
    return status;
}

/* Four fifths of the bags train and the rest are tested, drawn five times (paper, section 7.4). */
static sooth_status test_random(sooth_env *env, const study_data *data, study_scheme scheme, uint32_t seed,
                                study_score *score) {
    sooth_split_options options;
    sooth_split split;
    sooth_table table;
    tally t;
    memset(&t, 0, sizeof t);
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_HOLDOUT;
    options.repeats = 5;
    options.seed = seed;
    sooth_table_init(&table, NULL, data->bags, 1); /* holdout uses no feature */
    sooth_status status = sooth_split_make(env, &table, &options, &split);
    if (status != SOOTH_OK) return status;
    for (size_t f = 0; f < split.folds && status == SOOTH_OK; ++f)
        status = test_split(env, data, scheme, split.fold[f].train, split.fold[f].trains, split.fold[f].test,
                            split.fold[f].tests, &t, NULL);
    for (size_t size = 0; size < 2; ++size)
        if (t.bags[size]) score->random[size] = t.error[size] / (double)t.bags[size];
    sooth_split_free(env, &split);
    return status;
}

/* For pairs or for larger bags: the part of the learned correction with the min error, from 0 (no
   migration) to 1. */
static double best_part(const study_data *data, const uint32_t *row, size_t count, int larger,
                        const double *unseen_ms) {
    enum { STEPS = 4 };
    double least = INFINITY, best = 1.0;
    for (int step = 0; step <= STEPS; ++step) {
        const double part = (double)step / STEPS;
        double sum = 0.0;
        for (size_t i = 0; i < count; ++i) {
            const study_bag *bag = &data->bag[row[i]];
            const double staying = study_staying_ms(bag->alone_ms, bag->tasks, data->cores);
            if ((bag->tasks > 2) != larger) continue;
            sum += fabs(staying + part * (unseen_ms[row[i]] - staying) - bag->bag_ms) / bag->bag_ms;
        }
        if (sum < least) {
            least = sum;
            best = part;
        }
    }
    return best;
}

sooth_status study_choose(sooth_env *env, const study_data *data, int of_trees, const uint32_t *row,
                          size_t count, study_scheme *best, double *keep) {
    double *unseen_ms = (double *)malloc((data->bags + 1) * sizeof *unseen_ms), least = INFINITY;
    sooth_status status = unseen_ms ? SOOTH_OK : no_memory(env, count);
    *best = STUDY_TREE_RATIO;
    for (int s = STUDY_TREE_RATIO; s <= STUDY_BOOST_RATIO && status == SOOTH_OK; ++s) {
        const study_scheme scheme = (study_scheme)s;
        study_score score;
        if (of_trees && s == STUDY_LINEAR_RATIO) continue;
        memset(&score, 0, sizeof score);
        status = test_unseen(env, data, scheme, row, count, &score, unseen_ms, NULL);
        if (status != SOOTH_OK || score.unseen[0] + score.unseen[1] >= least) continue;
        least = score.unseen[0] + score.unseen[1];
        *best = scheme;
        for (int larger = 0; keep && larger < 2; ++larger)
            keep[larger] = best_part(data, row, count, larger, unseen_ms);
    }
    free(unseen_ms);
    return status;
}

sooth_status study_train(sooth_env *env, const study_data *data, study_scheme scheme, const uint32_t *row,
                         size_t count, study_model *out) {
    sooth_status status = SOOTH_OK;
    double keep[2] = {1.0, 1.0};
    memset(out, 0, sizeof *out);
    if (scheme == STUDY_CHOSEN) status = study_choose(env, data, 0, row, count, &scheme, keep);
    if (status == SOOTH_OK) status = train_form(env, data, &forms[scheme], row, count, out);
    out->scheme = scheme;
    memcpy(out->keep, keep, sizeof keep);
    return status;
}

sooth_status study_predict_unseen(sooth_env *env, const study_data *data, const study_model *like,
                                  const uint32_t *row, size_t count, const study_bag *bag, size_t bags,
                                  double *ms) {
    uint32_t *kept = (uint32_t *)malloc((count + 1) * sizeof *kept);
    sooth_status status = kept ? SOOTH_OK : no_memory(env, count);
    size_t j, n;
    for (size_t i = 0; i < bags && status == SOOTH_OK; ++i) {
        study_model model;
        for (j = 0, n = 0; j < count; ++j) {
            int meets = 0;
            for (uint32_t k = 0; k < bag[i].tasks; ++k)
                meets |= holds(data, &data->bag[row[j]], data->workload[bag[i].card[k]]);
            if (!meets) kept[n++] = row[j];
        }
        status = study_train(env, data, like->scheme, kept, n, &model);
        if (status != SOOTH_OK) break;
        memcpy(model.keep, like->keep, sizeof model.keep);
        ms[i] = study_predict(&model, data, &bag[i]);
        study_free(env, &model);
    }
    free(kept);
    return status;
}

/* ---- all schemes side by side ---- */

/* Schemes are tested in parallel, each with an env of its own. */
typedef struct trial {
    study_scheme scheme;
    study_score *score;
    double *unseen_ms, *per_workload;
    sooth_status status;
} trial;

typedef struct trials {
    sooth_env *env;
    const study_data *data;
    const uint32_t *row;
    trial *list;
    size_t count;
    uint32_t seed;
} trials;

static void run_trial(void *arg, size_t index, size_t worker) {
    trials *all = (trials *)arg;
    trial *one = &all->list[all->count - 1 - index]; /* the last ones take longest */
    sooth_env env;
    (void)worker;
    if (all->env->progress_fn && all->env->progress_fn(all->env->progress_user, "validating", 0.0)) {
        one->status = SOOTH_CANCELLED;
        return;
    }
    sooth_env_init(&env);
    env.progress_fn = all->env->progress_fn;
    env.progress_user = all->env->progress_user;
    memset(one->score, 0, sizeof *one->score);
    one->status = test_unseen(&env, all->data, one->scheme, all->row, all->data->bags, one->score,
                              one->unseen_ms, one->per_workload);
    if (one->status == SOOTH_OK)
        one->status = test_random(&env, all->data, one->scheme, all->seed, one->score);
}

/* Runs the trials. After a failure it reports the first one. */
static sooth_status run_trials(sooth_env *env, const study_data *data, uint32_t seed, trial *list,
                               size_t count) {
    uint32_t *row = (uint32_t *)malloc((data->bags + 1) * sizeof *row);
    trials all;
    if (!row) return no_memory(env, data->bags);
    for (size_t i = 0; i < data->bags; ++i) row[i] = (uint32_t)i;
    all.env = env;
    all.data = data;
    all.row = row;
    all.list = list;
    all.count = count;
    all.seed = seed;
    if (env->parallel_fn) env->parallel_fn(env->parallel_user, count, run_trial, &all);
    else
        for (size_t i = 0; i < count; ++i) run_trial(&all, i, 0);
    free(row);
    for (size_t i = 0; i < count; ++i) {
        if (list[i].status == SOOTH_OK) continue;
        sooth_text_format(env->sentence, sizeof env->sentence, "%s could not be validated: %s",
                          forms[list[i].scheme].name, sooth_status_text(list[i].status));
        return list[i].status;
    }
    return SOOTH_OK;
}

sooth_status study_validate(sooth_env *env, const study_data *data, uint32_t seed,
                            study_score score[STUDY_SCHEMES], double *unseen_ms, double *per_workload) {
    trial list[STUDY_SCHEMES];
    for (int s = 0; s < STUDY_SCHEMES; ++s) {
        list[s].scheme = (study_scheme)s;
        list[s].score = &score[s];
        list[s].unseen_ms = unseen_ms ? unseen_ms + (size_t)s * data->bags : NULL;
        list[s].per_workload = per_workload ? per_workload + (size_t)s * data->workloads : NULL;
        list[s].status = SOOTH_OK;
    }
    return run_trials(env, data, seed, list, STUDY_SCHEMES);
}

/* ---- power and energy ---- */

static const study_form power_form = {"forest, power", "forest", STUDY_POWER, SOOTH_FAIRNESS_TERCILES, NULL};

/* Adds the errors on part[from..count) of a model trained on part[0..from). */
static sooth_status test_power(sooth_env *env, const study_data *data, const uint32_t *part, size_t from,
                               size_t count, const double *unseen_ms, double cap_w, study_power *out,
                               size_t bags[2]) {
    study_model model;
    sooth_status status = train_form(env, data, &power_form, part, from, &model);
    double mean = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < from; ++i) {
        const double watts = data->bag[part[i]].watts;
        if (isnan(watts)) continue;
        mean += watts;
        ++n;
    }
    mean /= n ? (double)n : 1.0;
    for (size_t i = from; i < count && status == SOOTH_OK && n > 0; ++i) {
        const study_bag *bag = &data->bag[part[i]];
        const double watts = study_predict(&model, data, bag), joules = 1e-3 * bag->bag_ms * bag->watts;
        const int larger = bag->tasks > 2;
        if (!(bag->watts > 0.0)) continue;
        ++bags[larger];
        out->mean[larger] += 100.0 * fabs(mean - bag->watts) / bag->watts;
        out->power[larger] += 100.0 * fabs(watts - bag->watts) / bag->watts;
        out->energy[larger] +=
            100.0 * fabs(study_energy(data, bag, unseen_ms[part[i]], watts, cap_w) - joules) / joules;
    }
    if (status == SOOTH_OK) study_free(env, &model);
    return status;
}

sooth_status study_validate_power(sooth_env *env, const study_data *data, const double *unseen_ms,
                                  double cap_w, study_power *out, study_model *model) {
    uint32_t *row = (uint32_t *)malloc((2 * data->bags + 1) * sizeof *row), *part = row + data->bags;
    sooth_status status = row ? SOOTH_OK : no_memory(env, data->bags);
    size_t count = 0, bags[2] = {0, 0};
    memset(out, 0, sizeof *out);
    if (model) memset(model, 0, sizeof *model);
    for (size_t i = 0; i < data->bags && row; ++i) {
        row[i] = (uint32_t)i;
        out->bags += data->bag[i].watts > 0.0;
    }
    for (uint32_t w = 0; w < data->workloads && status == SOOTH_OK && out->bags; ++w) {
        count = study_leave_out(data, row, data->bags, w, part);
        if (count == 0 || count == data->bags) continue;
        status = test_power(env, data, part, count, data->bags, unseen_ms, cap_w, out, bags);
    }
    for (int size = 0; size < 2; ++size) {
        const double n = bags[size] ? (double)bags[size] : 1.0;
        out->mean[size] /= n;
        out->power[size] /= n;
        out->energy[size] /= n;
    }
    if (status == SOOTH_OK && out->bags && model)
        status = train_form(env, data, &power_form, row, data->bags, model);
    free(row);
    return status;
}
