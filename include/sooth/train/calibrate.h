/* train/calibrate.h - fits a model with calibrated intervals and with corrections for new programs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model is fitted to all rows of a table. Its errors are estimated by models that have not seen the row:
 *
 *   with groups      each group is left out in turn and predicted by a model of the others. More than `folds`
 *                    groups are distributed to `folds` folds, and each fold is left out in turn. The interval
 *                    covers groups: a launch of a program that is not in the table.
 *   without groups   the rows are shuffled and distributed to `folds` folds. The interval covers rows: one
 *                    more launch of these programs. It is too narrow for a new program: on published GPU
 *                    power data such 90 % intervals hold 26 to 47 % of its launches.
 *   with times       table->time: the later half of the rows is cut into up to `folds` parts. Each part is
 *                    predicted by a model of all rows before it. The interval covers later rows, if their
 *                    errors are like those of this half. Groups and times exclude each other: an interval
 *                    covers either programs never seen or later rows.
 *
 * These errors determine the interval (conformal.h): on a log scale if all targets and predictions are above
 * 0, with programs weighted equally. With groups and a single target they also determine how a few measured
 * launches of a new program correct its other predictions (adapt.h). Both are stored in the model's block:
 * see sooth_model_interval, sooth_model_observe and sooth_model_adapted.
 *
 * For two classes these predictions give a map from the prediction to a probability that is calibrated on
 * unseen programs (model/probability.h). calibrate.probability stores it in the model, which then predicts
 * this probability (scikit-learn's CalibratedClassifierCV with ensemble=False). The sigmoid uses the log odds
 * of the folds' predictions if all are within 0 and 1, else the predictions.
 *
 * With ratio_to (model/ratio.h) and groups or times, these errors also say how much of the learner holds
 * beyond the law, which is the form times a constant. In logarithms the prediction is share x learner +
 * (1 - share) x law. The share, in eighths, is the least whose error is at most half a standard error above
 * the least error: of the differences of groups, at least five, or of folds in time, of which the last fifth
 * counts twice as much as that before, and so on, as in train/best.h. The error is the learner's loss on
 * logarithms: pinball of quantiles, absolute, or squared. This needs no calibrated = 1; then at most 5 folds
 * are fitted. A share of 0 leaves no learner: the law answers alone. A single group judges nothing, and the
 * learner counts in full.
 *
 * Rows may belong to several groups, such as a program and its neighbour. A row is then predicted once for
 * each of its groups, by a model that has seen no row of this group, and counts once for each.
 *
 * sooth_train_fit does this for a recipe with calibrated = 1 and returns, next to the errors of a fit:
 *
 *   SOOTH_BAD_DATA       a fold leaves no training rows, or a prediction is not finite; adapt=always is
 *                        impossible; a probability is asked for and the target is not single, 0 and 1
 *   SOOTH_BAD_ARGUMENT   env->reduce_fn is set; groups of other rows; both groups and times; both an interval
 *                        and a probability
 *
 * Too few rows or groups for the level are not an error: the interval is then unbounded, and its claim is
 * SOOTH_CONFORMAL_NONE (sooth_model_conformal). The env's sentence is the reason: "the interval is
 * unbounded: a level of 0.9 needs 9 groups, but there are 4 (enough for 0.8)". A table of a recorder
 * (online/recorder.h) has its keys as groups: without groups (group NULL) the interval covers more runs of
 * these keys instead. If the model does not adapt, the env's sentence has the reason, too. If all is well,
 * it is empty.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {                                   // 12 programs of 6 launches on 1 to 32 threads
 *         static float x[72], y[72];
 *         static uint32_t program[72];
 *         sooth_train_recipe recipe = {.model = "linear", .calibrated = 1, .has_target = 1,
 *                                      .target = {.transform = SOOTH_SCALE_LOG}};
 *         sooth_model *model;
 *         sooth_adapted of_new;
 *         sooth_env env;
 *         float six = 6.0f;
 *         sooth_env_init(&env);
 *         for (uint32_t i = 0; i < 72; ++i) {
 *             program[i] = i / 6;
 *             x[i] = (float)(i % 6 + 1);        // programs draw 1.0 to 1.55 of a law of threads
 *             y[i] = (20.0f + 5.0f * x[i]) * (1.0f + 0.05f * (float)program[i]);
 *         }
 *         sooth_table table = sooth_table_of(x, y, 72, 1);
 *         table.group = program;
 *         if (sooth_train_fit(&env, &table, &recipe, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_model_interval(model, &six, NULL, &of_new);
 *         printf("%.0f W, %.0f to %.0f\n", of_new.value, of_new.low, of_new.high);
 *         printf("of %u programs\n", sooth_model_conformal(model, 0)->claim.groups);  //> of 12 programs
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Folds of a best (train/best.h) fit its members with their weights. They were chosen on all rows, so the
 * interval may be somewhat narrow.
 *
 * Cost: folds + 1 fits, a copy of the table for each fold fitted at a time, 4 (features + 4) bytes for each
 * row and group of it, and the cost of conformal.h and adapt.h. If the env provides threads and uses malloc,
 * folds are fitted in parallel. With its own allocator, which need not be thread-safe, folds are fitted one
 * after the other, each with the env's threads. The bytes are the same.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_CALIBRATE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#include "fit.h"
#define SOOTH_TRAIN_CALIBRATE_IMPLEMENTED
SOOTHI_C_BEGIN

/* A test: a row, predicted by a model that has not seen one of its groups. Without groups, one per row; with
   times, one per row of the later half. */
typedef struct soothi_calibrate_test {
    uint32_t row;
    uint32_t group; /* in the caller's numbering */
    uint32_t fold;
} soothi_calibrate_test;

typedef struct soothi_calibrate_work {
    const sooth_table *table;
    sooth_train_recipe recipe; /* of the folds: without a card */
    sooth_calibrate_options options;
    sooth_groups groups; /* id is NULL without groups */
    size_t tests, folds;
    soothi_calibrate_test *test; /* in the order of rows */
    uint64_t *spare;             /* for sorting; twice the tests */
    float *predicted;            /* tests x outs */
    float *law;                  /* the same by the law alone, if the learner is shrunk to it */
    size_t outs;                 /* targets of the model; several quantiles have one each */
    const sooth_model_kind *kind;
    const sooth_train_options *learner; /* of the resolved recipe */
    int shrinks;                        /* 1: the learner is shrunk to the law */
    int calibrates;                     /* 1: intervals or a probability are fitted */
    sooth_status *status;               /* per fold */
    size_t bytes;                       /* of the memory at test */
    const char *what;                   /* "an interval": the purpose, for error messages */
} soothi_calibrate_work;

/* ---- folds ---- */

/* The groups of row i: id[*begin .. end - 1]. Returns end. */
SOOTHI_LOCAL size_t soothi_calibrate_groups(const sooth_groups *groups, size_t i, size_t *begin) {
    *begin = groups->offset ? groups->offset[i] : i;
    return groups->offset ? groups->offset[i + 1] : i + 1;
}

/* Counts the tests. Refuses a repeated id in one row's groups. */
SOOTHI_LOCAL sooth_status soothi_calibrate_count(sooth_env *env, soothi_calibrate_work *w) {
    const sooth_groups *g = &w->groups;
    size_t begin;
    w->tests = w->table->rows;
    if (!g->offset) return SOOTH_OK;
    w->tests = 0;
    for (size_t i = 0; i < w->table->rows; ++i) {
        const size_t end = soothi_calibrate_groups(g, i, &begin);
        if (end < begin || end - begin > UINT32_MAX / 2 - w->tests)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the offsets of groups decrease after row %z", i + 1);
        for (size_t m = begin; m < end; ++m)
            for (size_t k = begin; k < m; ++k)
                if (g->id[k] == g->id[m])
                    return sooth_fail(env, SOOTH_BAD_DATA, "row %z is in group %u twice", i + 1, g->id[m]);
        w->tests += end - begin;
    }
    return SOOTH_OK;
}

/* Allocates all arrays of the tests as one block. */
SOOTHI_LOCAL sooth_status soothi_calibrate_memory(sooth_env *env, soothi_calibrate_work *w) {
    const size_t n = w->tests, each = 2 * sizeof(uint64_t) + sizeof *w->test + 2 * w->outs * sizeof(float) +
                                      sizeof(sooth_status);
    w->bytes = soothi_product(n, each);
    w->spare = (uint64_t *)sooth_alloc(env, w->bytes, 1);
    if (!w->spare) return sooth_no_memory(env, "calibrating", w->bytes);
    w->test = (soothi_calibrate_test *)(void *)(w->spare + 2 * n);
    w->predicted = (float *)(void *)(w->test + n);
    w->law = w->predicted + n * w->outs;
    w->status = (sooth_status *)(void *)(w->law + n * w->outs);
    return SOOTH_OK;
}

/* Distributes the tests to folds by group. Each group, in numerical order, goes to the fold with the fewest
   tests so far. So each group is a fold if there are few groups. */
SOOTHI_LOCAL void soothi_calibrate_deal_groups(soothi_calibrate_work *w, size_t most) {
    const size_t n = w->tests;
    uint32_t *load = (uint32_t *)(void *)w->status; /* not yet in use */
    size_t groups = 0, end, fold;
    for (size_t i = 0; i < n; ++i) w->spare[i] = (uint64_t)w->test[i].group << 32 | i;
    soothi_entry_sort(w->spare, w->spare + n, n);
    for (size_t i = 0; i < n; ++i)
        groups += i == 0 || soothi_entry_key(w->spare[i]) != soothi_entry_key(w->spare[i - 1]);
    w->folds = groups < most ? groups : most;
    memset(load, 0, w->folds * sizeof *load);
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && soothi_entry_key(w->spare[end]) == soothi_entry_key(w->spare[i]);) ++end;
        for (size_t f = fold = 0; f < w->folds; ++f)
            if (load[f] < load[fold]) fold = f;
        load[fold] += (uint32_t)(end - i);
        for (size_t k = i; k < end; ++k) w->test[soothi_entry_row(w->spare[k])].fold = (uint32_t)fold;
    }
}

SOOTHI_LOCAL void soothi_calibrate_deal_rows(soothi_calibrate_work *w, size_t most) {
    uint32_t *order = (uint32_t *)(void *)w->spare;
    sooth_rng rng;
    w->folds = w->tests < most ? w->tests : most;
    for (size_t i = 0; i < w->tests; ++i) order[i] = (uint32_t)i;
    sooth_rng_init(&rng, w->options.seed, 0);
    sooth_rng_shuffle(&rng, order, w->tests);
    for (size_t i = 0; i < w->tests; ++i) w->test[order[i]].fold = (uint32_t)(i % w->folds);
}

/* Keeps the tests of the later half of the rows, in parts that follow each other in time. */
SOOTHI_LOCAL void soothi_calibrate_deal_later(soothi_calibrate_work *w, size_t most) {
    const size_t n = w->table->rows, half = n / 2, step = (n - half) / most;
    uint32_t *part = (uint32_t *)(void *)w->status; /* not yet in use */
    w->folds = soothi_time_parts(w->table, w->spare, half, step ? step : 1, most, part);
    w->tests = 0;
    for (size_t i = 0; i < n; ++i) {
        if (part[i] == SOOTHI_TIME_FIRST) continue;
        w->test[w->tests].row = (uint32_t)i;
        w->test[w->tests++].fold = part[i];
    }
}

SOOTHI_LOCAL sooth_status soothi_calibrate_plan(sooth_env *env, soothi_calibrate_work *w) {
    const size_t most = w->options.folds ? w->options.folds : w->shrinks && !w->calibrates ? 5 : 20;
    size_t begin, n = 0;
    sooth_status status = soothi_calibrate_count(env, w);
    if (status == SOOTH_OK && w->tests == 0)
        status = sooth_fail(env, SOOTH_BAD_DATA, "no row is in any group");
    if (status == SOOTH_OK) status = soothi_calibrate_memory(env, w);
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < w->table->rows; ++i)
        for (size_t end = soothi_calibrate_groups(&w->groups, i, &begin); begin < end; ++begin, ++n) {
            w->test[n].row = (uint32_t)i;
            w->test[n].group = w->groups.id ? w->groups.id[begin] : 0;
        }
    if (w->groups.id) soothi_calibrate_deal_groups(w, most);
    else if (w->table->time) soothi_calibrate_deal_later(w, most);
    else soothi_calibrate_deal_rows(w, most);
    if (w->folds < (w->table->time ? 1u : 2u) && w->calibrates)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          w->groups.id ? "%s of groups needs at least 2 groups, but there is 1"
                          : w->table->time
                              ? "%s of later rows needs rows later than the first half, but there "
                                "are none"
                              : "%s needs at least 2 rows, but there is 1",
                          w->what);
    return SOOTH_OK;
}

/* ---- predictions for unseen rows ---- */

/* Collects the rows without a test in the fold, or with times in this and later folds. Returns their
   number. */
SOOTHI_LOCAL size_t soothi_calibrate_others(const soothi_calibrate_work *w, size_t fold, uint32_t *row) {
    size_t n = 0, at = 0;
    for (size_t i = 0; i < w->table->rows; ++i) {
        int left_out = 0;
        for (; at < w->tests && w->test[at].row == i; ++at)
            left_out |= w->test[at].fold == fold || (w->table->time && w->test[at].fold > fold);
        if (!left_out) row[n++] = (uint32_t)i;
    }
    return n;
}

SOOTHI_LOCAL sooth_status soothi_calibrate_predict(sooth_env *env, soothi_calibrate_work *w, size_t fold,
                                                   const sooth_model *model) {
    const sooth_table *table = w->table;
    const size_t room = sooth_model_scratch_size(model, 1);
    void *scratch = sooth_alloc(env, room, 1);
    if (!scratch) return sooth_no_memory(env, "predicting", room);
    for (size_t i = 0; i < w->tests; ++i)
        if (w->test[i].fold == fold)
            sooth_model_predict_many(model, table->x + w->test[i].row * table->stride, 1, table->stride,
                                     w->predicted + i * w->outs, scratch, 1);
    sooth_free(env, scratch, room, 1);
    return SOOTH_OK;
}

/* Predicts the tests of a fold by the law alone, with the level of its training rows. */
SOOTHI_LOCAL sooth_status soothi_calibrate_law(sooth_env *env, soothi_calibrate_work *w, size_t fold,
                                               const sooth_model *model, const sooth_table *train) {
    const float none = 0.0f;
    sooth_boost *law = NULL;
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const sooth_status status = soothi_train_law(env, train, parts.ratio, w->kind, w->learner, 1, &law);
    for (size_t i = 0; status == SOOTH_OK && i < w->tests; ++i) {
        if (w->test[i].fold != fold) continue;
        const float *row = w->table->x + w->test[i].row * w->table->stride;
        float *out = w->law + i * w->outs;
        sooth_boost_predict_many(law, &none, 1, 1, out);
        for (size_t t = 0; t < w->outs; ++t) out[t] = sooth_exp(out[t]);
        soothi_ratio_multiply(parts.ratio, row, 1, 0, w->outs, out);
    }
    sooth_boost_free(env, law);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_calibrate_fold(sooth_env *env, soothi_calibrate_work *w, size_t fold) {
    const size_t rows = w->table->rows;
    uint32_t *row = (uint32_t *)sooth_alloc(env, rows, sizeof *row);
    sooth_model *model = NULL;
    sooth_table train;
    if (!row) return sooth_no_memory(env, "the rows of a fold", rows * sizeof *row);
    const size_t n = soothi_calibrate_others(w, fold, row);
    if (n == 0) {
        sooth_free(env, row, rows, sizeof *row);
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "every row is in one of the groups that are left out together: no training rows "
                          "are left");
    }
    sooth_status status = sooth_table_take(env, w->table, row, n, &train);
    sooth_free(env, row, rows, sizeof *row);
    if (status != SOOTH_OK) return status;
    status = soothi_train_plain(env, &train, &w->recipe, &model);
    if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK; /* its predictions decide */
    if (status == SOOTH_OK) status = soothi_calibrate_predict(env, w, fold, model);
    if (status == SOOTH_OK && w->shrinks) status = soothi_calibrate_law(env, w, fold, model, &train);
    sooth_table_free(env, &train);
    sooth_model_free(env, model);
    return status;
}

SOOTHI_LOCAL void soothi_calibrate_task(void *arg, size_t i, size_t worker) {
    soothi_calibrate_work *w = (soothi_calibrate_work *)arg;
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    w->status[i] = soothi_calibrate_fold(&env, w, i);
}

/* Maps the progress of one fold to that of all, if folds are fitted one after the other. */
typedef struct soothi_calibrate_told {
    int (*progress_fn)(void *user, const char *stage, double done); /* the host's */
    void *progress_user;
    double done, share; /* of all folds: before this one, and in this one */
} soothi_calibrate_told;

static int soothi_calibrate_tell(void *user, const char *stage, double done) {
    const soothi_calibrate_told *t = (const soothi_calibrate_told *)user;
    (void)stage;
    return t->progress_fn(t->progress_user, "calibrating", t->done + t->share * (done < 1.0 ? done : 1.0));
}

/* Fits a fold and reports its part of the progress. */
SOOTHI_LOCAL sooth_status soothi_calibrate_next(sooth_env *env, soothi_calibrate_work *w, size_t fold) {
    soothi_calibrate_told told;
    if (!env || !env->progress_fn) return soothi_calibrate_fold(env, w, fold);
    told.progress_fn = env->progress_fn;
    told.progress_user = env->progress_user;
    told.done = (double)fold / (double)w->folds;
    told.share = 1.0 / (double)w->folds;
    env->progress_fn = soothi_calibrate_tell;
    env->progress_user = &told;
    const sooth_status status = soothi_calibrate_fold(env, w, fold);
    env->progress_fn = told.progress_fn;
    env->progress_user = told.progress_user;
    return status;
}

/* Fits every fold, in parallel if memory comes from malloc. A failed one is fitted again for its error. */
SOOTHI_LOCAL sooth_status soothi_calibrate_folds(sooth_env *env, soothi_calibrate_work *w) {
    const int together = env && env->parallel_fn && !env->alloc_fn;
    sooth_status status = soothi_progress(env, "calibrating", 0.0);
    if (status != SOOTH_OK) return status;
    if (together) soothi_parallel(env, w->folds, soothi_calibrate_task, w);
    for (size_t f = 0; f < w->folds && status == SOOTH_OK; ++f) {
        if (together && w->status[f] == SOOTH_OK) continue;
        status = soothi_progress(env, "calibrating", (double)f / (double)w->folds);
        if (status == SOOTH_OK) status = soothi_calibrate_next(env, w, f);
    }
    return status;
}

/* ---- shrinking to the law ---- */

/* The mixture of the learner and the law, in logarithms. */
SOOTHI_LOCAL float soothi_calibrate_mixture(const soothi_calibrate_work *w, size_t at, uint32_t share) {
    const float s = (float)share / (float)SOOTHI_BEST_SHARES;
    if (share == 0) return sooth_log(w->law[at]);
    return s * sooth_log(w->predicted[at]) + (1.0f - s) * sooth_log(w->law[at]);
}

/* The loss of a mixture for test i, summed over the targets. */
SOOTHI_LOCAL double soothi_calibrate_loss(const soothi_calibrate_work *w, size_t i, uint32_t share) {
    const sooth_boost_options *o = w->kind->kind == SOOTH_KIND_BOOST ? &w->learner->boost : NULL;
    const int absolute = o && o->loss == SOOTH_BOOST_ABSOLUTE;
    const int pinball = o && (o->loss == SOOTH_BOOST_QUANTILE || o->quantiles[0] > 0.0);
    const size_t targets = w->table->targets, row = w->test[i].row;
    double sum = 0.0;
    for (size_t t = 0; t < w->outs; ++t) {
        const float y = w->table->y[row * targets + (targets == w->outs ? t : 0)];
        const double e = (double)sooth_log(y) - (double)soothi_calibrate_mixture(w, i * w->outs + t, share);
        double q = 0.5;
        if (pinball && o->quantile > 0.0) q = o->quantile;
        if (pinball && o->quantiles[0] > 0.0) q = o->quantiles[o->quantiles[1] > 0.0 ? t : 0];
        sum += pinball ? (e > 0.0 ? q * e : (q - 1.0) * e) : absolute ? soothi_abs(e) : e * e;
    }
    if (w->table->time)
        sum *= (double)(1u << 5 * w->test[i].fold / (uint32_t)w->folds); /* the last counts most */
    return sum * (w->table->weight ? (double)w->table->weight[row] : 1.0);
}

/* The loss of all tests; if `unit` is not NULL, also adds that of each to the unit of the test: its group, as
   tests are numbered, or its fold. */
SOOTHI_LOCAL double soothi_calibrate_losses(const soothi_calibrate_work *w, uint32_t share, double sign,
                                            const uint32_t *unit_of, double *unit) {
    double sum = 0.0;
    for (size_t i = 0; i < w->tests; ++i) {
        const double loss = soothi_calibrate_loss(w, i, share);
        if (unit) unit[unit_of[i]] += sign * loss;
        sum += loss;
    }
    return sum;
}

/* Numbers the units of the tests from 0: groups, or folds. Returns their number. */
SOOTHI_LOCAL size_t soothi_calibrate_units(const soothi_calibrate_work *w, uint32_t *unit_of) {
    size_t units = 0;
    for (size_t i = 0; i < w->tests; ++i) w->spare[i] = (uint64_t)w->test[i].group << 32 | i;
    if (w->groups.id) soothi_entry_sort(w->spare, w->spare + w->tests, w->tests);
    for (size_t i = 0; i < w->tests; ++i) {
        if (i && w->groups.id) units += soothi_entry_key(w->spare[i]) != soothi_entry_key(w->spare[i - 1]);
        unit_of[soothi_entry_row(w->spare[i])] = w->groups.id ? (uint32_t)units : w->test[i].fold;
    }
    return w->groups.id ? units + 1 : w->folds;
}

/* Finds the share of the learner, in eighths: the least that is worse than the best by at most half a
   standard error. Then shrinks the predictions of the tests. */
SOOTHI_LOCAL sooth_status soothi_calibrate_shrink(sooth_env *env, soothi_calibrate_work *w, uint32_t *share) {
    double *unit = (double *)sooth_alloc(env, w->tests, sizeof *unit + sizeof(uint32_t)), least = 0.0;
    uint32_t most = 0;
    if (!unit) return sooth_no_memory(env, "the law alone", w->tests * (sizeof *unit + sizeof(uint32_t)));
    uint32_t *const unit_of = (uint32_t *)(void *)(unit + w->tests);
    const size_t units = soothi_calibrate_units(w, unit_of);
    for (uint32_t s = 0; s <= SOOTHI_BEST_SHARES; ++s) {
        const double loss = soothi_calibrate_losses(w, s, 0.0, NULL, NULL);
        if (s && !(loss < least)) continue;
        least = loss;
        most = s;
    }
    for (*share = 0; *share < most; ++*share) {
        double squares = 0.0;
        for (size_t u = 0; u < units; ++u) unit[u] = 0.0;
        const double more = soothi_calibrate_losses(w, *share, 1.0, unit_of, unit) -
                            soothi_calibrate_losses(w, most, -1.0, unit_of, unit);
        const double n = (double)units, mean = more / n;
        for (size_t u = 0; u < units; ++u) squares += (unit[u] - mean) * (unit[u] - mean);
        if (units < 2 || (w->groups.id && units < SOOTHI_BEST_GROUPS)) break;
        if (!(more > SOOTHI_BEST_MARGIN * soothi_sqrt(squares * n / (n - 1.0)))) break;
    }
    sooth_free(env, unit, w->tests, sizeof *unit + sizeof(uint32_t));
    for (size_t i = 0; i < w->tests * w->outs && *share < SOOTHI_BEST_SHARES; ++i)
        w->predicted[i] = sooth_exp(soothi_calibrate_mixture(w, i, *share));
    return SOOTH_OK;
}

/* What replaces parts of the model of all rows. */
typedef struct soothi_calibrate_shrunk {
    sooth_boost *law; /* the law alone */
    sooth_block *scale, *ratio;
} soothi_calibrate_shrunk;

SOOTHI_LOCAL sooth_block *soothi_calibrate_copy(sooth_env *env, const sooth_block *block) {
    sooth_block *copy = (sooth_block *)sooth_alloc(env, block->size, 1);
    if (copy) memcpy(copy, block, block->size);
    else (void)sooth_no_memory(env, "a model", block->size);
    return copy;
}

/* Shrinks the model of all rows: by its target's scale, whose inverse is exp(width z + shift). With a share
   of 0 the law replaces the learner. */
SOOTHI_LOCAL sooth_status soothi_calibrate_shrink_parts(sooth_env *env, const soothi_calibrate_work *w,
                                                        uint32_t share, sooth_model_parts *parts,
                                                        soothi_calibrate_shrunk *shrunk) {
    const float s = (float)share / (float)SOOTHI_BEST_SHARES, none = 0.0f;
    const sooth_status status = soothi_train_law(env, w->table, parts->ratio, w->kind, w->learner,
                                                 share ? 1 : parts->predictor->features, &shrunk->law);
    if (status != SOOTH_OK) return status;
    shrunk->scale = soothi_calibrate_copy(env, &parts->target->head);
    shrunk->ratio = soothi_calibrate_copy(env, &parts->ratio->head);
    if (!shrunk->scale || !shrunk->ratio) return SOOTH_NO_MEMORY;
    ((sooth_ratio *)(void *)shrunk->ratio)->share = s;
    soothi_block_seal(shrunk->ratio);
    parts->ratio = (const sooth_ratio *)(const void *)shrunk->ratio;
    if (share == 0) parts->predictor = &shrunk->law->head;
    if (share == 0) return SOOTH_OK;
    sooth_scale_column *column = (sooth_scale_column *)(void *)((sooth_scale *)(void *)shrunk->scale + 1);
    float *level = w->law; /* of which the first test is not needed any more */
    sooth_boost_predict_many(shrunk->law, &none, 1, 1, level);
    for (size_t t = 0; t < w->outs; ++t) {
        column[t].width = s;
        column[t].shift = (1.0f - s) * level[t];
    }
    soothi_block_seal(shrunk->scale);
    parts->target = (const sooth_scale *)(const void *)shrunk->scale;
    return SOOTH_OK;
}

/* ---- the blocks ---- */

/* Whether all measurements and predictions of target t are above 0, in rows of weight above 0. */
SOOTHI_LOCAL int soothi_calibrate_positive(const soothi_calibrate_work *w, size_t t) {
    const size_t targets = w->table->targets;
    for (size_t i = 0; i < w->tests; ++i) {
        const size_t row = w->test[i].row;
        if (w->table->weight && !(w->table->weight[row] > 0.0f)) continue;
        if (!(w->table->y[row * targets + t] > 0.0f) || !(w->predicted[i * targets + t] > 0.0f)) return 0;
    }
    return 1;
}

/* Makes the interval's block of every target, one after the other, of *size bytes. */
SOOTHI_LOCAL sooth_status soothi_calibrate_intervals(sooth_env *env, const soothi_calibrate_work *w,
                                                     unsigned char **blocks, size_t *size) {
    const size_t n = w->tests, targets = w->table->targets, each = soothi_round16(sizeof(sooth_conformal));
    float *actual = (float *)sooth_alloc(env, n, 3 * sizeof *actual + sizeof(uint32_t));
    sooth_conformal_options options;
    sooth_status status = SOOTH_OK;
    *size = soothi_product(targets, each);
    *blocks = (unsigned char *)sooth_alloc(env, *size, 1);
    if (!actual || !*blocks) status = sooth_no_memory(env, "an interval", *size);
    for (size_t t = 0; t < targets && status == SOOTH_OK; ++t) {
        float *predicted = actual + n, *weight = predicted + n;
        uint32_t *group = (uint32_t *)(void *)(weight + n);
        sooth_conformal *made = NULL;
        for (size_t i = 0; i < n; ++i) {
            actual[i] = w->table->y[w->test[i].row * targets + t];
            predicted[i] = w->predicted[i * targets + t];
            weight[i] = w->table->weight ? w->table->weight[w->test[i].row] : 1.0f;
            group[i] = w->test[i].group;
        }
        memset(&options, 0, sizeof options);
        options.level = w->options.level;
        options.method = w->table->time ? SOOTH_CONFORMAL_FORWARD : SOOTH_CONFORMAL_CROSS;
        options.tails = w->options.tails;
        options.scale = soothi_calibrate_positive(w, t) ? SOOTH_CONFORMAL_LOG : SOOTH_CONFORMAL_PLAIN;
        status = sooth_conformal_fit(env, actual, predicted, w->groups.id ? group : NULL,
                                     w->table->weight ? weight : NULL, n, &options, &made);
        if (made) memcpy(*blocks + t * each, made, each);
        sooth_conformal_free(env, made);
    }
    sooth_free(env, actual, n, 3 * sizeof *actual + sizeof(uint32_t));
    return status;
}

/* Fits the adaptation; NULL if it cannot be learned and is optional. */
SOOTHI_LOCAL sooth_status soothi_calibrate_adapt(sooth_env *env, const soothi_calibrate_work *w,
                                                 sooth_adapt **adapt) {
    const size_t n = w->tests;
    sooth_adapt_options options;
    sooth_table taken, view;
    const uint32_t how = w->options.adapt;
    *adapt = NULL;
    if (how == SOOTH_CALIBRATE_ADAPT_NEVER) return SOOTH_OK;
    if (!w->groups.id || w->table->targets != 1 || w->options.tails == SOOTH_CONFORMAL_UPPER ||
        w->table->categorical) {
        if (how == SOOTH_CALIBRATE_ADAPT_ALWAYS || (w->groups.id && w->table->targets == 1))
            (void)sooth_fail(env, SOOTH_BAD_DATA, /* not an error if adaptation is optional */
                             "adaptation needs groups, one target and both ends, but there are %s",
                             !w->groups.id            ? "no groups"
                             : w->table->targets != 1 ? "several targets"
                             : w->table->categorical  ? "categories, which have no distances"
                                                      : "only upper ends");
        return how == SOOTH_CALIBRATE_ADAPT_AUTO ? SOOTH_OK : SOOTH_BAD_DATA;
    }
    uint32_t *row = (uint32_t *)sooth_alloc(env, n, 2 * sizeof *row);
    if (!row) return sooth_no_memory(env, "the rows of programs", 2 * n * sizeof *row);
    uint32_t *group = row + n;
    for (size_t i = 0; i < n; ++i) {
        row[i] = w->test[i].row;
        group[i] = w->test[i].group;
    }
    sooth_status status = sooth_table_take(env, w->table, row, n, &taken);
    view = taken;
    view.group = group;
    memset(&options, 0, sizeof options);
    options.level = w->options.level;
    options.seed = w->options.seed;
    if (status == SOOTH_OK) {
        status = sooth_adapt_fit(env, &view, w->predicted, &options, adapt);
        sooth_table_free(env, &taken);
    }
    sooth_free(env, row, n, 2 * sizeof *row);
    return status == SOOTH_BAD_DATA && how == SOOTH_CALIBRATE_ADAPT_AUTO ? SOOTH_OK : status;
}

/* Like soothi_calibrate_adapt, after the intervals. The env's sentence begins with the reason why they are
   unbounded, if they are. */
SOOTHI_LOCAL sooth_status soothi_calibrate_adapt_too(sooth_env *env, const soothi_calibrate_work *w,
                                                     const sooth_conformal *first, sooth_adapt **adapt) {
    char reason[SOOTH_ENV_SENTENCE], other[SOOTH_ENV_SENTENCE];
    if (!env || first->claim.promise != SOOTH_CONFORMAL_NONE) return soothi_calibrate_adapt(env, w, adapt);
    memcpy(reason, env->sentence, sizeof reason);
    env->sentence[0] = 0;
    const sooth_status status = soothi_calibrate_adapt(env, w, adapt);
    if (status != SOOTH_OK) return status;
    memcpy(other, env->sentence, sizeof other);
    (void)sooth_fail(env, SOOTH_BAD_DATA, *other ? "%s; %s" : "%s", reason, other);
    return SOOTH_OK;
}

/* Fits the map to the folds' predictions of all tests. */
SOOTHI_LOCAL sooth_status soothi_calibrate_map(sooth_env *env, const soothi_calibrate_work *w,
                                               const sooth_probability_options *how,
                                               sooth_probability **probability) {
    const size_t n = w->tests;
    float *actual = (float *)sooth_alloc(env, n, 2 * sizeof *actual);
    if (!actual) return sooth_no_memory(env, "probabilities", 2 * n * sizeof *actual);
    float *weight = actual + n;
    for (size_t i = 0; i < n; ++i) {
        actual[i] = w->table->y[w->test[i].row];
        weight[i] = w->table->weight ? w->table->weight[w->test[i].row] : 1.0f;
    }
    const sooth_status status = sooth_probability_fit(env, actual, w->predicted,
                                                      w->table->weight ? weight : NULL, n, how, probability);
    sooth_free(env, actual, n, 2 * sizeof *actual);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_calibrate_own_map(sooth_env *env, const soothi_calibrate_work *w,
                                                   sooth_probability **probability) {
    const int isotonic = w->options.probability == SOOTH_CALIBRATE_PROBABILITY_ISOTONIC;
    sooth_probability_options how = {
        (uint32_t)(isotonic ? SOOTH_PROBABILITY_ISOTONIC : SOOTH_PROBABILITY_SIGMOID),
        SOOTH_PROBABILITY_ODDS};
    for (size_t i = 0; i < w->tests; ++i) {
        if (w->table->weight && !(w->table->weight[w->test[i].row] > 0.0f)) continue;
        if (!(w->predicted[i] >= 0.0f && w->predicted[i] <= 1.0f)) how.scores = SOOTH_PROBABILITY_PLAIN;
    }
    return soothi_calibrate_map(env, w, &how, probability);
}

/* ---- main functions ---- */

SOOTHI_LOCAL sooth_status soothi_calibrate_assemble(sooth_env *env, soothi_calibrate_work *w,
                                                    const sooth_model *plain, sooth_model **model) {
    sooth_model_parts parts;
    sooth_adapt *adapt = NULL;
    sooth_probability *probability = NULL;
    soothi_calibrate_shrunk shrunk = {NULL, NULL, NULL};
    unsigned char *blocks = NULL;
    size_t size = 0;
    uint32_t share = SOOTHI_BEST_SHARES;
    sooth_status status = soothi_calibrate_plan(env, w);
    if (w->folds < (w->table->time ? 1u : 2u)) w->shrinks = 0; /* which only then gets here */
    else if (status == SOOTH_OK) status = soothi_calibrate_folds(env, w);
    if (status == SOOTH_OK && w->shrinks) status = soothi_calibrate_shrink(env, w, &share);
    if (status == SOOTH_OK && w->options.probability) {
        status = soothi_calibrate_own_map(env, w, &probability);
    } else if (status == SOOTH_OK && w->calibrates) {
        if (env) env->sentence[0] = 0; /* of a fold that did not converge */
        status = soothi_calibrate_intervals(env, w, &blocks, &size);
        if (status == SOOTH_OK)
            status =
                soothi_calibrate_adapt_too(env, w, (const sooth_conformal *)(const void *)blocks, &adapt);
    }
    if (status == SOOTH_OK) {
        sooth_model_open(plain, &parts);
        if (share < SOOTHI_BEST_SHARES)
            status = soothi_calibrate_shrink_parts(env, w, share, &parts, &shrunk);
        parts.interval = (const sooth_conformal *)(const void *)blocks;
        parts.adapt = adapt;
        parts.probability = probability;
        if (status == SOOTH_OK) status = sooth_model_assemble(env, &parts, model);
    }
    soothi_block_free(env, shrunk.scale);
    soothi_block_free(env, shrunk.ratio);
    sooth_boost_free(env, shrunk.law);
    sooth_probability_free(env, probability);
    sooth_adapt_free(env, adapt);
    sooth_free(env, blocks, size, 1);
    sooth_free(env, w->spare, w->bytes, 1);
    return status;
}

/* Checks the request before any fit. */
SOOTHI_LOCAL sooth_status soothi_calibrate_begin(sooth_env *env, const sooth_table *table,
                                                 const sooth_train_recipe *recipe, soothi_calibrate_work *w) {
    w->recipe = *recipe;
    w->recipe.no_card = 1;
    w->options = recipe->calibrate;
    w->what = w->options.probability ? "a probability" : w->calibrates ? "an interval" : "ratio_to";
    const sooth_status status = sooth_option_check(env, sooth_calibrate_options_list(), &w->options);
    if (status != SOOTH_OK) return status;
    if (soothi_ranks(env) > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s cannot be fitted to rows in several processes",
                          w->what);
    if (w->options.probability && w->options.level > 0.0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a model has either intervals or a probability, not both");
    if (w->options.probability && w->options.adapt == SOOTH_CALIBRATE_ADAPT_ALWAYS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a model with a probability cannot adapt");
    w->groups.id = table->group;
    if (w->options.groups) w->groups = *w->options.groups;
    if (w->options.groups && w->groups.rows != table->rows)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "groups are for %z rows, but the table has %z",
                          w->groups.rows, table->rows);
    if (table->time && !w->calibrates) w->groups.id = NULL, w->groups.offset = NULL;
    if (w->groups.id && table->time)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "%s is calibrated on later rows (time) or on groups never seen, not on both; leave "
                          "out one of them",
                          w->what);
    if (w->options.probability && table->targets != 1)
        return sooth_fail(env, SOOTH_BAD_DATA, "a probability needs one target, but the table has %z",
                          table->targets);
    return SOOTH_OK;
}

/* Fits the model of all rows, and calibrates it: see sooth_train_fit. */
SOOTHI_LOCAL sooth_status soothi_calibrate(sooth_env *env, const sooth_table *table,
                                           const sooth_train_recipe *recipe, sooth_model **model) {
    soothi_calibrate_work w;
    const sooth_model_kind *kind;
    sooth_train_recipe resolved;
    sooth_model_parts parts;
    sooth_model *plain = NULL;
    sooth_env own;
    *model = NULL;
    if (env) env->sentence[0] = 0;
    memset(&w, 0, sizeof w);
    sooth_status status = soothi_train_resolve(env, recipe, &resolved, &kind);
    if (status != SOOTH_OK) return status;
    const uint32_t quantiles = soothi_train_quantile_count(&resolved, kind);
    w.table = table;
    w.outs = quantiles ? quantiles : table->targets;
    w.kind = kind;
    w.learner = &resolved.options;
    if (quantiles) resolved.options.boost.loss = SOOTH_BOOST_QUANTILE;
    w.calibrates = (int)recipe->calibrated;
    w.shrinks = soothi_train_shrinks(table, recipe) && kind->kind != SOOTH_KIND_BEST;
    if (!w.shrinks && !w.calibrates) return soothi_train_plain(env, table, recipe, model);
    if (quantiles && w.calibrates)
        status =
            sooth_fail(env, SOOTH_BAD_ARGUMENT,
                       "several quantiles have no intervals of their own; leave out the quantiles or the "
                       "interval");
    if (status == SOOTH_OK) status = soothi_calibrate_begin(env, table, recipe, &w);
    if (status != SOOTH_OK) return status;
    const sooth_status fitted = soothi_train_plain(env, table, recipe, &plain);
    if (!plain) return fitted;
    sooth_model_open(plain, &parts);
    if (soothi_model_best(parts.predictor)) /* folds fit what was chosen; they do not choose again */
        w.recipe.options.best.choice = soothi_model_best(parts.predictor);
    if (env) own = *env;
    if (env) own.loss_fn = NULL; /* only the fit to all rows reports its loss */
    status = soothi_calibrate_assemble(env ? &own : NULL, &w, plain, model);
    if (env && (status != SOOTH_OK || fitted == SOOTH_OK))
        memcpy(env->sentence, own.sentence, sizeof own.sentence);
    sooth_model_free(env, plain);
    return status == SOOTH_OK ? fitted : status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
