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

/* ---- what is known of a bag before it runs ---- */

double study_sharing_ms(const double *alone_ms, uint32_t tasks, uint32_t cores) {
    double left[STUDY_MOST_TASKS], now = 0.0, done = 0.0;
    uint32_t i, j;
    for (i = 0; i < tasks; ++i) {
        for (j = i; j > 0 && left[j - 1] > alone_ms[i]; --j) left[j] = left[j - 1];
        left[j] = alone_ms[i];
    }
    /* tasks end in the order of their length; `done` is the work each of the remaining ones has received */
    for (i = 0; i < tasks; ++i) {
        uint32_t active = tasks - i;
        now += (left[i] - done) * (active > cores ? (double)active / cores : 1.0);
        done = left[i];
    }
    return now;
}

double study_staying_ms(const double *alone_ms, uint32_t tasks, uint32_t cores) {
    double sum = 0.0;
    uint32_t ways = 1, good = 0, way, i, most;
    if (cores > STUDY_MOST_TASKS) cores = STUDY_MOST_TASKS;
    most = (tasks + cores - 1) / cores;
    for (i = 0; i < tasks; ++i) ways *= cores;
    for (way = 0; way < ways; ++way) { /* digit i of `way` in base `cores` is the core of task i */
        double load[STUDY_MOST_TASKS] = {0, 0, 0, 0, 0}, longest = 0.0;
        uint32_t held[STUDY_MOST_TASKS] = {0, 0, 0, 0, 0}, rest = way, even = 1;
        for (i = 0; i < tasks; ++i, rest /= cores) {
            load[rest % cores] += alone_ms[i];
            if (++held[rest % cores] > most) even = 0;
        }
        for (i = 0; i < cores && tasks >= cores; ++i) even &= held[i] + 1 >= most;
        if (!even) continue;
        for (i = 0; i < cores; ++i) longest = fmax(longest, load[i]);
        sum += longest;
        ++good;
    }
    return sum / good;
}

double study_fairness(const study_card *card, int micro) {
    double own = 1.0 / card->slowdown[micro], its = 1.0 / card->pressure[micro];
    return own < its ? own / its : its / own;
}

/* How hard a task leans on what is shared: it slows the High microbenchmark by so much. The paper sums LLC misses; where counters are not
   to be had, this is their effect. */
static double lean(const study_card *card) { return card->pressure[2] - 1.0; }

static double lean_of_others(const study_data *data, const study_bag *bag, uint32_t task) {
    double sum = 0.0;
    uint32_t i;
    for (i = 0; i < bag->tasks; ++i)
        if (i != task) sum += lean(&data->card[bag->card[i]]);
    return sum;
}

/* Low, Medium or High: which microbenchmark the others of the bag resemble (paper, section 5.1.4). */
static int chosen_micro(const study_model *model, const study_data *data, const study_bag *bag, uint32_t task) {
    double others = lean_of_others(data, bag, task);
    return others < model->low ? 0 : others < model->high ? 1 : 2;
}

/* ---- features ---- */

enum { RATIO_FEATURES = 10, MOST_FEATURES = 2 * STUDY_MOST_TASKS > RATIO_FEATURES ? 2 * STUDY_MOST_TASKS : RATIO_FEATURES };

static int is_baseline(study_scheme scheme) { return scheme <= STUDY_STAYING; }
static int is_ratio(study_scheme scheme) { return scheme >= STUDY_TREE_RATIO; }
static int is_tree(study_scheme scheme) {
    return scheme == STUDY_TREE_ALONE || scheme == STUDY_TREE_FAIR || scheme == STUDY_TREE_RATIO;
}
static int has_fairness(study_scheme scheme) { return scheme == STUDY_TREE_FAIR || scheme == STUDY_LINEAR_FAIR; }

/* Which of the models answers for a bag of this size: the bank has one each, ours is at 0. */
static uint32_t slot(study_scheme scheme, uint32_t tasks) { return is_ratio(scheme) ? 0 : tasks; }

/* The tasks of a bag from the longest to the shortest: the paper concatenates features per task, so the order must mean something. */
static void longest_first(const study_bag *bag, uint32_t order[STUDY_MOST_TASKS]) {
    uint32_t i, j;
    for (i = 0; i < bag->tasks; ++i) {
        for (j = i; j > 0 && bag->alone_ms[order[j - 1]] < bag->alone_ms[i]; --j) order[j] = order[j - 1];
        order[j] = i;
    }
}

static const char *const ratio_features[RATIO_FEATURES] = {"tasks", "longest_ms", "sharing_over_longest", "staying_over_sharing", "slowdown_mean", "slowdown_max",
                                                            "pressure_sum", "pressure_max", "pressure_times_slowdown", "fairness_min"};

/* Writes the features of a bag and returns how many. */
static size_t features(const study_model *model, const study_data *data, const study_bag *bag, float *row) {
    uint32_t order[STUDY_MOST_TASKS], i;
    size_t n = 0;
    if (!is_ratio(model->scheme)) {
        longest_first(bag, order);
        for (i = 0; i < bag->tasks; ++i) row[n++] = (float)bag->alone_ms[order[i]];
        if (has_fairness(model->scheme))
            for (i = 0; i < bag->tasks; ++i)
                row[n++] = (float)study_fairness(&data->card[bag->card[order[i]]], chosen_micro(model, data, bag, order[i]));
    } else {
        double longest = 0, mean = 0, most = 0, sum = 0, strongest = 0, product = 0, fair = 1;
        double sharing = study_sharing_ms(bag->alone_ms, bag->tasks, data->cores);
        for (i = 0; i < bag->tasks; ++i) {
            const study_card *card = &data->card[bag->card[i]];
            int micro = chosen_micro(model, data, bag, i);
            double own = card->slowdown[micro], share = bag->alone_ms[i];
            longest = fmax(longest, share);
            mean += own / bag->tasks;
            most = fmax(most, own);
            sum += lean(card);
            strongest = fmax(strongest, lean(card));
            product += (card->slowdown[2] - 1.0) * lean_of_others(data, bag, i);
            fair = fmin(fair, study_fairness(card, micro));
        }
        row[n++] = (float)bag->tasks;
        row[n++] = (float)longest;
        row[n++] = (float)(sharing / longest);
        row[n++] = (float)(study_staying_ms(bag->alone_ms, bag->tasks, data->cores) / sharing);
        row[n++] = (float)mean;
        row[n++] = (float)most;
        row[n++] = (float)sum;
        row[n++] = (float)strongest;
        row[n++] = (float)product;
        row[n++] = (float)fair;
    }
    return n;
}

/* ---- training ---- */

static int ascending(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

/* The two thresholds are the terciles of what the training bags show, so that each category has seen as many tasks. */
static sooth_status find_thresholds(sooth_env *env, const study_data *data, const uint32_t *row, size_t count, study_model *out) {
    double *value = (double *)malloc((count * STUDY_MOST_TASKS + 1) * sizeof *value);
    size_t i, n = 0;
    uint32_t k;
    if (!value) return no_memory(env, count);
    for (i = 0; i < count; ++i)
        for (k = 0; k < data->bag[row[i]].tasks; ++k) value[n++] = lean_of_others(data, &data->bag[row[i]], k);
    qsort(value, n, sizeof *value, ascending);
    out->low = n ? value[n / 3] : 0.0;
    out->high = n ? value[2 * n / 3] : 0.0;
    free(value);
    return SOOTH_OK;
}

/* What the model is to say of a bag: its time, or its time over ideal processor sharing. */
static double target(const study_model *model, const study_data *data, const study_bag *bag) {
    return is_ratio(model->scheme) ? bag->bag_ms / study_sharing_ms(bag->alone_ms, bag->tasks, data->cores) : bag->bag_ms;
}

/* Fits the model of one slot on the given bags that belong to it. */
static sooth_status train_slot(sooth_env *env, const study_data *data, const uint32_t *row, size_t count, uint32_t which,
                               study_model *out) {
    float *x = (float *)malloc((count * (MOST_FEATURES + 1) + 1) * sizeof *x), *y;
    sooth_status status = SOOTH_OK;
    sooth_table table;
    size_t i, n = 0, cols = 0;
    if (!x) return no_memory(env, count);
    y = x + count * MOST_FEATURES;
    for (i = 0; i < count; ++i) {
        const study_bag *bag = &data->bag[row[i]];
        if (slot(out->scheme, bag->tasks) != which) continue;
        cols = features(out, data, bag, x + n * MOST_FEATURES);
        y[n++] = (float)target(out, data, bag);
    }
    if (n > 0) {
        sooth_model_recipe recipe;
        sooth_tree_options tree;
        static const char *const ratio[] = {"time over processor sharing"}, *const time[] = {"bag time"}, *const ms[] = {"ms"};
        sooth_table_init(&table, x, n, cols);
        table.stride = MOST_FEATURES;
        table.y = y;
        table.targets = 1;
        memset(&recipe, 0, sizeof recipe);
        memset(&tree, 0, sizeof tree);
        recipe.model = is_tree(out->scheme) ? "tree" : "linear";
        if (is_tree(out->scheme)) {
            tree.max_depth = 7; /* paper, section 5.4.1 */
            if (is_ratio(out->scheme)) tree.min_samples_leaf = 4;
            recipe.options = &tree;
        }
        if (is_ratio(out->scheme)) table.names = ratio_features;
        recipe.target_names = is_ratio(out->scheme) ? ratio : time;
        if (!is_ratio(out->scheme)) recipe.target_units = ms;
        status = sooth_model_fit(env, &table, &recipe, &out->model[which]);
    }
    free(x);
    return status;
}

sooth_status study_train(sooth_env *env, const study_data *data, study_scheme scheme, const uint32_t *row, size_t count,
                         study_model *out) {
    sooth_status status;
    uint32_t k;
    memset(out, 0, sizeof *out);
    out->scheme = scheme;
    status = find_thresholds(env, data, row, count, out);
    for (k = 0; k <= STUDY_MOST_TASKS && status == SOOTH_OK && !is_baseline(scheme); ++k)
        if (is_ratio(scheme) ? k == 0 : k > 0) status = train_slot(env, data, row, count, k, out);
    if (status != SOOTH_OK) study_free(env, out);
    return status;
}

void study_free(sooth_env *env, study_model *model) {
    uint32_t k;
    for (k = 0; k <= STUDY_MOST_TASKS; ++k) {
        sooth_model_free(env, model->model[k]);
        model->model[k] = NULL;
    }
}

double study_predict(const study_model *model, const study_data *data, const study_bag *bag) {
    float row[MOST_FEATURES];
    uint32_t i, which = slot(model->scheme, bag->tasks);
    double longest = 0.0, sum = 0.0, sharing = study_sharing_ms(bag->alone_ms, bag->tasks, data->cores), value;
    for (i = 0; i < bag->tasks; ++i) {
        longest = fmax(longest, bag->alone_ms[i]);
        sum += bag->alone_ms[i];
    }
    if (model->scheme == STUDY_LONGEST) return longest;
    if (model->scheme == STUDY_SUM) return sum;
    if (model->scheme == STUDY_SHARING) return sharing;
    if (model->scheme == STUDY_STAYING) return study_staying_ms(bag->alone_ms, bag->tasks, data->cores);
    features(model, data, bag, row);
    if (!model->model[which]) return NAN;
    value = (double)sooth_model_predict(model->model[which], row, NULL); /* no input transform, so no scratch */
    return fmax(longest, is_ratio(model->scheme) ? value * sharing : value);
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

/* Trains on one side of a split and adds up the errors on the other. */
static sooth_status test_split(sooth_env *env, const study_data *data, study_scheme scheme, const uint32_t *train, size_t trains,
                               const uint32_t *test, size_t tests, tally *t, double *predicted_ms) {
    study_model model;
    sooth_status status = study_train(env, data, scheme, train, trains, &model);
    size_t i;
    if (status != SOOTH_OK) return status;
    for (i = 0; i < tests; ++i) {
        predicted_ms[test[i]] = study_predict(&model, data, &data->bag[test[i]]);
        count_error(t, &data->bag[test[i]], predicted_ms[test[i]]);
    }
    study_free(env, &model);
    return SOOTH_OK;
}

/* The bags as rows that belong to the workloads of their tasks; their features are not looked at when splitting. */
typedef struct rows_of_bags {
    sooth_table table;
    sooth_groups groups;
    uint32_t *offset, *id;
} rows_of_bags;

static sooth_status list_rows(sooth_env *env, const study_data *data, rows_of_bags *rows) {
    uint32_t i, k, n = 0;
    memset(rows, 0, sizeof *rows);
    rows->offset = (uint32_t *)malloc((data->bags + 1) * (1 + STUDY_MOST_TASKS) * sizeof(uint32_t));
    if (!rows->offset) return no_memory(env, data->bags);
    rows->id = rows->offset + data->bags + 1;
    for (i = 0; i < data->bags; ++i) {
        rows->offset[i] = n;
        for (k = 0; k < data->bag[i].tasks; ++k) rows->id[n++] = data->card[data->bag[i].card[k]].workload;
    }
    rows->offset[data->bags] = n;
    rows->groups.offset = rows->offset;
    rows->groups.id = rows->id;
    rows->groups.rows = data->bags;
    sooth_table_init(&rows->table, NULL, data->bags, 1);
    return SOOTH_OK;
}

/* Every bag that contains a workload is tested while that workload is left out (paper, section 7.2). */
static sooth_status test_unseen(sooth_env *env, const study_data *data, study_scheme scheme, const rows_of_bags *rows,
                                study_score *score, double *unseen_ms, double *per_workload, double *predicted_ms) {
    sooth_split_options options;
    sooth_split split;
    sooth_status status;
    size_t f, i, size, seen[2] = {0, 0};
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
    options.groups = &rows->groups;
    status = sooth_split_make(env, &rows->table, &options, &split);
    if (status != SOOTH_OK) return status;
    for (f = 0; f < split.folds && status == SOOTH_OK; ++f) {
        const sooth_fold *fold = &split.fold[f];
        tally t;
        memset(&t, 0, sizeof t);
        status = test_split(env, data, scheme, fold->train, fold->trains, fold->test, fold->tests, &t, predicted_ms);
        for (size = 0; size < 2; ++size) {
            double mape = t.bags[size] ? t.error[size] / (double)t.bags[size] : 0.0;
            if (!t.bags[size]) continue;
            ++seen[size];
            score->unseen[size] += mape;
            score->worst[size] = fmax(score->worst[size], mape);
        }
        if (per_workload && t.bags[0] + t.bags[1] > 0)
            per_workload[fold->group] = (t.error[0] + t.error[1]) / (double)(t.bags[0] + t.bags[1]);
        for (i = 0; i < fold->tests && unseen_ms; ++i)
            if (data->card[data->bag[fold->test[i]].card[0]].workload == fold->group) unseen_ms[fold->test[i]] = predicted_ms[fold->test[i]];
    }
    for (size = 0; size < 2; ++size)
        if (seen[size]) score->unseen[size] /= (double)seen[size];
    sooth_split_free(env, &split);
    return status;
}

/* Four fifths of the bags train and the rest are tested, drawn anew five times (paper, section 7.4). */
static sooth_status test_random(sooth_env *env, const study_data *data, study_scheme scheme, uint32_t seed, const rows_of_bags *rows,
                                study_score *score, double *predicted_ms) {
    sooth_split_options options;
    sooth_split split;
    sooth_status status;
    tally t;
    size_t f, size;
    memset(&t, 0, sizeof t);
    memset(&options, 0, sizeof options);
    options.method = SOOTH_SPLIT_HOLDOUT;
    options.repeats = 5;
    options.seed = seed;
    status = sooth_split_make(env, &rows->table, &options, &split);
    if (status != SOOTH_OK) return status;
    for (f = 0; f < split.folds && status == SOOTH_OK; ++f)
        status = test_split(env, data, scheme, split.fold[f].train, split.fold[f].trains, split.fold[f].test, split.fold[f].tests, &t,
                            predicted_ms);
    for (size = 0; size < 2; ++size)
        if (t.bags[size]) score->random[size] = t.error[size] / (double)t.bags[size];
    sooth_split_free(env, &split);
    return status;
}

sooth_status study_validate(sooth_env *env, const study_data *data, uint32_t seed, study_score score[STUDY_SCHEMES],
                            double *unseen_ms, double *per_workload) {
    double *predicted_ms = (double *)malloc((data->bags + 1) * sizeof *predicted_ms);
    rows_of_bags rows;
    sooth_status status = list_rows(env, data, &rows);
    size_t s;
    if (status == SOOTH_OK && !predicted_ms) status = no_memory(env, data->bags);
    for (s = 0; s < STUDY_SCHEMES && status == SOOTH_OK; ++s) {
        memset(&score[s], 0, sizeof score[s]);
        status = test_unseen(env, data, (study_scheme)s, &rows, &score[s], unseen_ms ? unseen_ms + s * data->bags : NULL,
                             per_workload ? per_workload + s * data->workloads : NULL, predicted_ms);
        if (status == SOOTH_OK) status = test_random(env, data, (study_scheme)s, seed, &rows, &score[s], predicted_ms);
        if (status == SOOTH_OK && env->progress_fn && env->progress_fn(env->progress_user, "validating", (double)(s + 1) / STUDY_SCHEMES))
            status = SOOTH_CANCELLED;
    }
    free(rows.offset);
    free(predicted_ms);
    return status;
}
