/* runtimes.c - predictors of run times: users, their last two jobs, sooth, or the truth.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A predictor is called when a job is submitted, and again when it has ended in the schedule of its own
 * predictions. Run times are not known before.
 *
 * sooth keeps the history of the levels of seven columns (sooth/encode.h), as logarithms of run times. It
 * fits boosted trees (sooth/boost.h) to past rows as they were at submission: 50 trees of depth 5, at least
 * 30 rows per leaf. The rows are the last 20,000 jobs that ended, and the fit is repeated whenever their
 * number has grown by a tenth, and by 200. The target is the fifth root of the run time: its squared error
 * lies between those of the logarithm and of the time, since a long job that is predicted to be short costs
 * more. The prediction is 0.6 of that, so that jobs of unknown length are tried early.
 *
 * A learner may be worse than a simple rule. So sooth answers with one of three rules: the last two of the
 * user until 200 jobs have ended, then the learner. Before each fit from 2,000 ended jobs on, choose.h
 * replaces it by a rule, the last two or the requested time, with which the past of this log would have gone
 * clearly better, or goes back. Fewer jobs tell too little: a few crowded days decide.
 */
#include "replay.h"
#include "choose.h"
#include "sooth/boost.h"
#include "sooth/preprocess.h"
#include "sooth/base.h"

#include <math.h>

const char *const runtime_names[RUNTIMES] = {"requested", "last2", "sooth", "perfect"};
enum { REQUESTED, LAST2, SOOTH, PERFECT };

const char *const rule_names[RULES] = {"last2", "requested", "learned"};
enum { BY_LAST_TWO, BY_REQUEST, BY_LEARNING };

enum {
    COLUMNS = 7,
    LAST = 3,
    PLAIN = 4, /* features that are not levels */
    FEATURES = PLAIN + COLUMNS * (3 + LAST),
    WINDOW = 20000,
    FIRST_FIT = 200,
    FIRST_CHOICE = 2000
};

/* The run times of each user's last two jobs, by the index of the user. */
typedef struct pair {
    int64_t last, before;
} pair;

typedef struct learner {
    sooth_env *env;
    const swf_log *log;
    uint32_t *user; /* of each job: users counted from 0 */
    pair *pairs;    /* of each user */
    /* sooth's */
    sooth_encode *encode;
    void *memory;
    float *row;          /* per job: its features at submission */
    uint32_t *running;   /* per user: jobs submitted and not ended */
    uint32_t *ended;     /* ended jobs, in this order */
    float *x, *y;        /* training rows */
    size_t ends, wanted; /* number of ended jobs; number at which to fit again */
    sooth_boost *model;
    queue_rules machine;
    int64_t *told;        /* per job: the prediction of each rule at submission */
    unsigned char *known; /* per job: 1 if it has ended */
    size_t top;           /* all ended jobs are before this one */
    uint32_t *past;       /* those that choose a rule */
    size_t rule;          /* the chosen one */
    size_t answers[RULES];
} learner;

static int64_t by_request(void *self, const queue_job *job) {
    (void)self;
    return job->requested;
}

static int64_t by_truth(void *self, const queue_job *job) {
    (void)self;
    return job->run;
}

/* ---- the last two of the user (Tsafrir, Etsion, Feitelson 2007) ---- */

static size_t index_of(const learner *l, const queue_job *job) { return (size_t)(job - l->log->job); }

static int64_t by_last_two(void *self, const queue_job *job) {
    const learner *l = (const learner *)self;
    const pair *p = &l->pairs[l->user[index_of(l, job)]];
    return p->before ? (p->last + p->before) / 2 : job->requested;
}

static void keep_last_two(void *self, const queue_job *job) {
    const learner *l = (const learner *)self;
    pair *p = &l->pairs[l->user[index_of(l, job)]];
    p->before = p->last;
    p->last = job->run;
}

/* ---- sooth ---- */

static void levels_of(const queue_job *job, uint64_t level[COLUMNS]) {
    const uint64_t wide = sooth_encode_join(job->user, job->processors);
    level[0] = job->user;
    level[1] = sooth_encode_join(wide, (uint64_t)job->requested);
    level[2] = wide;
    level[3] = sooth_encode_join(job->user, (uint64_t)job->requested);
    level[4] = (uint64_t)job->requested;
    level[5] = sooth_encode_join(job->user, job->program);
    level[6] = sooth_encode_join(job->queue, job->group);
}

static int64_t by_learning(void *self, const queue_job *job) {
    learner *l = (learner *)self;
    const size_t i = index_of(l, job);
    float *row = l->row + i * FEATURES;
    uint64_t level[COLUMNS];
    levels_of(job, level);
    row[0] = (float)job->requested;
    row[1] = (float)job->processors;
    row[2] = (float)(job->submit % 86400);
    row[3] = (float)l->running[l->user[i]]++;
    sooth_encode_row(l->encode, level, (uint32_t)job->submit, row + PLAIN);
    int64_t *told = l->told + i * RULES;
    told[BY_LAST_TWO] = told[BY_LEARNING] = by_last_two(l, job);
    told[BY_REQUEST] = job->requested;
    if (l->model) {
        const double root = fmax(1.0, (double)sooth_boost_predict(l->model, row));
        const double run = 0.6 * root * root * root * root * root;
        told[BY_LEARNING] = run < (double)job->requested ? (int64_t)(run + 0.5) : job->requested;
    }
    ++l->answers[l->rule];
    return told[l->rule];
}

/* Chooses the rule that predicts from now on, by the last jobs that have ended. */
static void choose(learner *l) {
    choose_past past = {l->log->job, l->past, 0, l->told, RULES};
    double price[RULES];
    size_t from = l->top;
    while (from && past.count < CHOOSE_JOBS) past.count += l->known[--from];
    for (size_t i = from, k = 0; i < l->top; ++i)
        if (l->known[i]) l->past[k++] = (uint32_t)i;
    l->rule = choose_rule(&past, &l->machine, l->rule, price);
    if (l->rule == SIZE_MAX) die(BAD_INPUT, "no memory for %zu jobs", past.count);
}

static void learn(learner *l) {
    const size_t count = l->ends < WINDOW ? l->ends : WINDOW, from = l->ends - count;
    const sooth_table table = sooth_table_of(l->x, l->y, count, FEATURES);
    sooth_boost_options options;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t i = l->ended[from + k];
        memcpy(l->x + k * FEATURES, l->row + (size_t)i * FEATURES, FEATURES * sizeof *l->x);
        l->y[k] = sooth_exp(0.2f * sooth_log((float)l->log->job[i].run));
    }
    memset(&options, 0, sizeof options);
    options.n_estimators = 50;
    options.max_depth = 5;
    options.learning_rate = 0.1;
    options.subsample = 1.0; /* it learns many times; so few trees need every row */
    options.min_child_weight = 30;
    sooth_boost_free(l->env, l->model);
    if (sooth_boost_fit(l->env, &table, &options, &l->model) != SOOTH_OK)
        die(BAD_INPUT, "%s", l->env->sentence);
}

static void keep_and_learn(void *self, const queue_job *job) {
    learner *l = (learner *)self;
    const size_t i = index_of(l, job);
    uint64_t level[COLUMNS];
    levels_of(job, level);
    keep_last_two(l, job);
    --l->running[l->user[i]];
    sooth_encode_update(l->encode, level, sooth_log((float)job->run), (uint32_t)(job->start + job->run));
    l->ended[l->ends++] = (uint32_t)i;
    l->known[i] = 1;
    if (i >= l->top) l->top = i + 1;
    if (l->ends < l->wanted) return;
    l->wanted = l->ends + (l->ends / 10 > FIRST_FIT ? l->ends / 10 : FIRST_FIT);
    if (!l->model) l->rule = BY_LEARNING;
    else if (l->ends >= FIRST_CHOICE) choose(l);
    learn(l);
}

static void sooth_begins(learner *l, size_t users) {
    const size_t count = l->log->count, window = count < WINDOW ? count : WINDOW;
    sooth_encode_options options;
    memset(&options, 0, sizeof options);
    options.columns = COLUMNS;
    options.last = LAST;
    options.max_bytes = 4u << 20;
    l->memory = allocate(1, sooth_encode_size(&options));
    if (sooth_encode_init(l->env, &options, l->memory, sooth_encode_size(&options), &l->encode) != SOOTH_OK)
        die(BAD_INPUT, "%s", l->env->sentence);
    l->row = (float *)allocate(count * FEATURES, sizeof *l->row);
    l->running = (uint32_t *)allocate(users, sizeof *l->running);
    l->ended = (uint32_t *)allocate(count, sizeof *l->ended);
    l->x = (float *)allocate(window * FEATURES, sizeof *l->x);
    l->y = (float *)allocate(window, sizeof *l->y);
    l->told = (int64_t *)allocate(count * RULES, sizeof *l->told);
    l->known = (unsigned char *)allocate(count, 1);
    l->past = (uint32_t *)allocate(CHOOSE_JOBS, sizeof *l->past);
    l->wanted = FIRST_FIT;
}

/* ---- any ---- */

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Numbers the users of all jobs from 0; returns their count. */
static size_t count_users(learner *l) {
    const size_t count = l->log->count;
    uint32_t *all = (uint32_t *)allocate(count, sizeof *all), users = 0;
    for (size_t i = 0; i < count; ++i) all[i] = l->log->job[i].user;
    qsort(all, count, sizeof *all, by_number);
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || all[i] != all[i - 1]) all[users++] = all[i];
    for (size_t i = 0; i < count; ++i) {
        const uint32_t *at =
            (const uint32_t *)bsearch(&l->log->job[i].user, all, users, sizeof *all, by_number);
        l->user[i] = (uint32_t)(at - all);
    }
    free(all);
    return users;
}

void runtime_open(int which, sooth_env *env, const swf_log *log, const queue_rules *machine,
                  queue_predictor *p) {
    learner *l = (learner *)allocate(1, sizeof *l);
    memset(p, 0, sizeof *p);
    p->self = l;
    p->predict = which == REQUESTED ? by_request : which == LAST2 ? by_last_two : by_truth;
    l->env = env;
    l->log = log;
    l->machine = *machine;
    if (which != LAST2 && which != SOOTH) return;
    l->user = (uint32_t *)allocate(log->count, sizeof *l->user);
    const size_t users = count_users(l);
    l->pairs = (pair *)allocate(users, sizeof *l->pairs);
    p->finish = keep_last_two;
    if (which == LAST2) return;
    sooth_begins(l, users);
    p->predict = by_learning;
    p->finish = keep_and_learn;
}

void runtime_close(int which, queue_predictor *p, size_t answers[RULES]) {
    learner *l = (learner *)p->self;
    memcpy(answers, l->answers, sizeof l->answers);
    if (which == SOOTH) {
        sooth_boost_free(l->env, l->model);
        free(l->memory);
        free(l->row);
        free(l->running);
        free(l->ended);
        free(l->x);
        free(l->y);
        free(l->told);
        free(l->known);
        free(l->past);
    }
    free(l->user);
    free(l->pairs);
    free(l);
}
