/* score.c - tests of a recipe by cross-validation, on rows and on whole groups.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every fold fits everything anew, transforms included, to its training rows only. The predictions of the
 * tested rows are pooled over the folds of a repeat and compared with the measurements once, so small folds
 * do no harm. Mean and standard deviation are over the repeats.
 */
#include "model_cli.h"
#include "sooth/conformal.h"

#include <math.h>
#include <stdatomic.h>

/* ---- left-out rows ---- */

/* One target of a table with several. */
static void take_target(const float *from, size_t targets, size_t t, size_t rows, float *to) {
    for (size_t i = 0; i < rows; ++i) to[i] = from[i * targets + t];
}

/* How much of a plan is done. */
typedef struct pace {
    double planned, shown; /* seconds of one core; the progress that is shown */
    atomic_size_t done;    /* of PACE */
} pace;

static const double PACE = 1e9;

typedef struct work {
    const sooth_table *table;
    const sooth_groups *bags; /* NULL: a row is tested once per repeat, else once for each of its groups */
    const uint32_t *place;    /* folds in time: per row the index of its test; NULL: every row is tested */
    sooth_table tested;       /* their targets and weights: one row for each test of a repeat */
    const contender *contenders;
    const sooth_split *split;
    size_t folds_per_repeat;
    float *predicted; /* [contender][repeat][test][target] */
    size_t repeats;
    double level;         /* share that intervals promise; 0: not tested */
    int upper;            /* only their upper ends */
    const score *seen;    /* scores of left-out rows if there are groups; [target][contender] */
    sooth_status *status; /* status of each task; running a task again recovers its sentence */
    size_t tasks;
    const data *d;
    pace *pace;
    double *seconds;   /* planned for each task */
    size_t *order;     /* of the tasks */
    size_t first, own; /* of those that run side by side; the first worker's task */
} work;

/* Returns the index in the repeat of test i of the fold. */
static size_t test_of(const sooth_groups *bags, const uint32_t *place, const sooth_split_fold *fold,
                      size_t i) {
    const uint32_t row = fold->test[i];
    if (place) return place[row];
    if (!bags) return row;
    size_t m = bags->offset[row];
    while (bags->id[m] != fold->group) ++m;
    return m;
}

/* Returns the groups of the fold's training rows, in the order of the rows. */
static sooth_groups train_bags(const sooth_groups *bags, const sooth_split_fold *fold) {
    sooth_groups own = *bags;
    uint32_t *offset = (uint32_t *)allocate(fold->trains + 1, sizeof *offset), n = 0;
    uint32_t *id = (uint32_t *)allocate(bags->offset[bags->rows], sizeof *id);
    for (size_t i = 0; i < fold->trains; ++i) {
        offset[i] = n;
        for (size_t m = bags->offset[fold->train[i]]; m < bags->offset[fold->train[i] + 1]; ++m)
            id[n++] = bags->id[m];
    }
    offset[own.rows = fold->trains] = n;
    own.offset = offset;
    own.id = id;
    return own;
}

/* Fits the fold's training rows as `sooth fit` would. */
static sooth_status fit_contender(sooth_env *env, const contender *c, const sooth_split_fold *fold,
                                  const sooth_table *train, sooth_model **model) {
    if (!c->calibrate) return sooth_train_fit(env, train, &c->recipe, model);
    sooth_train_recipe recipe = c->recipe;
    recipe.calibrated = 1;
    recipe.calibrate = *c->calibrate;
    if (!recipe.calibrate.groups) return sooth_train_fit(env, train, &recipe, model);
    const sooth_groups bags = train_bags(recipe.calibrate.groups, fold);
    recipe.calibrate.groups = &bags;
    const sooth_status status = sooth_train_fit(env, train, &recipe, model);
    free((void *)(uintptr_t)bags.id);
    free((void *)(uintptr_t)bags.offset);
    return status;
}

/* A task and the seconds planned for it. */
typedef struct keyed_task {
    double seconds;
    size_t task;
} keyed_task;

static int by_seconds(const void *a, const void *b) {
    const keyed_task *x = (const keyed_task *)a, *y = (const keyed_task *)b;
    return x->seconds > y->seconds ? -1 : x->seconds < y->seconds ? 1 : x->task < y->task ? -1 : 1;
}

static sooth_status run_fold(sooth_env *env, const work *w, size_t task) {
    const contender *c = &w->contenders[task / w->split->folds];
    const size_t targets = w->table->targets, f = task % w->split->folds;
    const sooth_split_fold *fold = &w->split->fold[f];
    const size_t repeat = (task / w->split->folds) * w->repeats + f / w->folds_per_repeat;
    float *out = w->predicted + repeat * w->tested.rows * targets;
    sooth_table train, test;
    sooth_model *model = NULL;
    sooth_status status = sooth_split_take(env, w->table, fold, &train, &test);
    if (status != SOOTH_OK) return status;
    if (c->rule != NO_RULE) {
        float *p = (float *)allocate(fold->tests, sizeof *p);
        for (size_t t = 0; t < targets; ++t) {
            rule_predict(c, w->d, fold, w->place != NULL, t, p);
            for (size_t i = 0; i < fold->tests; ++i)
                out[test_of(w->bags, w->place, fold, i) * targets + t] = p[i];
        }
        free(p);
    } else {
        status = fit_contender(env, c, fold, &train, &model);
        if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK; /* judged by its predictions */
        if (status == SOOTH_OK) {
            void *scratch = allocate(sooth_model_scratch_size(model, 64), 1);
            float *predicted = (float *)allocate(test.rows * targets, sizeof *predicted);
            sooth_model_predict_many(model, test.x, test.rows, test.stride, predicted, scratch, 64);
            for (size_t i = 0; i < fold->tests; ++i)
                memcpy(out + test_of(w->bags, w->place, fold, i) * targets, predicted + i * targets,
                       targets * sizeof *out);
            free(predicted);
            free(scratch);
        }
        sooth_model_free(env, model);
        if (c->is_rule && status != SOOTH_OK && status != SOOTH_NO_MEMORY && status != SOOTH_CANCELLED) {
            for (size_t i = 0; i < fold->tests * targets;
                 ++i) /* this law does not fit the rows: no figures */
                out[test_of(w->bags, w->place, fold, i / targets) * targets + i % targets] = (float)NAN;
            status = SOOTH_OK;
        }
    }
    sooth_table_free(env, &test);
    sooth_table_free(env, &train);
    return status;
}

/* ---- all tasks ---- */

/* First worker only: the part of the plan that all workers have done, and its own. */
static int on_fold_progress(void *user, const char *stage, double done) {
    const work *w = (const work *)user;
    pace *p = w->pace;
    (void)stage;
    done = (double)atomic_load(&p->done) / PACE + w->seconds[w->own] / p->planned * done;
    if (done > p->shown) progress_show("validating", p->shown = done);
    return 0;
}

/* Runs a task with the threads of `with`, or alone. */
static void run_task(const sooth_env *with, work *w, size_t task, size_t worker) {
    sooth_env env;
    sooth_env_init(&env);
    if (with) env = *with;
    env.progress_fn = worker == 0 ? on_fold_progress : NULL;
    env.progress_user = w;
    if (worker == 0) w->own = task;
    w->status[task] = run_fold(&env, w, task);
    atomic_fetch_add(&w->pace->done, (size_t)(PACE * w->seconds[task] / w->pace->planned));
    if (worker == 0) on_fold_progress(w, "", 0.0);
}

static void fold_task(void *arg, size_t i, size_t worker) {
    work *w = (work *)arg;
    run_task(NULL, w, w->order[w->first + i], worker);
}

/* Runs tasks of the order side by side. */
static void run_together(const sooth_env *env, work *w, size_t first, size_t end) {
    w->first = first;
    if (env->parallel_fn && end > first) env->parallel_fn(env->parallel_user, end - first, fold_task, w);
    else
        for (size_t i = first; i < end; ++i) fold_task(w, i - first, 0);
}

/* Sorts the tasks: those that take longest come first, else in their own order. */
static void sort_tasks(work *w) {
    for (size_t i = 0; i < w->tasks; ++i) {
        const size_t fold = i % w->split->folds;
        w->seconds[i] = plan_fold(&w->contenders[i / w->split->folds], w->d, w->split->fold[fold].trains);
    }
    keyed_task *all = (keyed_task *)allocate(w->tasks, sizeof *all);
    for (size_t i = 0; i < w->tasks; ++i) all[i] = (keyed_task){w->seconds[i], i};
    qsort(all, w->tasks, sizeof *all, by_seconds);
    for (size_t i = 0; i < w->tasks; ++i) w->order[i] = all[i].task;
    free(all);
}

/* Runs all tasks. Of n long ones on k workers, n mod k would leave workers idle at the end: these run first,
   one after the other, each on all workers. */
static void run_tasks(const sooth_env *env, work *w) {
    const size_t workers = env->parallel_fn && env->workers > 1 ? env->workers : 1;
    double rest = 0.0;
    size_t many = 0;
    sort_tasks(w);
    for (size_t i = 0; i < w->tasks; ++i) rest += w->seconds[i];
    while (many < w->tasks && w->seconds[w->order[many]] > 1.0 &&
           w->seconds[w->order[many]] * (double)(4 * workers) > rest)
        ++many;
    const size_t alone = many % workers;
    for (size_t i = 0; i < alone; ++i) run_task(env, w, w->order[i], 0);
    run_together(env, w, alone, w->tasks);
}

/* ---- figures ---- */

static const double unknown = (double)NAN;

double mape_from(double zero, const float *actual, const float *predicted, const float *weight, size_t count,
                 size_t *zeros) {
    double sum = 0.0, weights = 0.0;
    *zeros = 0;
    for (size_t i = 0; i < count; ++i) {
        const double y = (double)actual[i], size = fabs(zero + y), w = weight ? (double)weight[i] : 1.0;
        if (!(w > 0.0)) continue;
        *zeros += !(size > 0.0);
        if (!(size > 0.0)) continue;
        sum += w * (fabs((double)predicted[i] - y) / size);
        weights += w;
    }
    return weights > 0.0 ? sum / weights : unknown;
}

/* All NaN if a prediction is invalid: extrapolating an exponential may overflow a float. zero: what the
   target counts from. */
static figures figures_of(const sooth_table *table, const float *predicted, double zero, score *s) {
    sooth_env env;
    sooth_metrics m;
    figures f;
    size_t unbounded = 0;
    for (size_t i = 0; i < table->rows; ++i) unbounded += !is_prediction(predicted[i]);
    for (size_t k = 0; k < FIGURES; ++k) f.value[k] = unknown;
    s->unbounded += unbounded;
    if (unbounded) return f;
    sooth_env_init(&env);
    sooth_status status =
        sooth_metrics_compute(&env, table->y, predicted, table->weight, table->rows, NULL, &m);
    if (status != SOOTH_OK) die_of(status, &env);
    f.value[R2] = m.r2;
    f.value[RMSE] = m.rmse;
    f.value[MAE] = m.mae;
    f.value[MAPE] = 100.0 * m.mape;
    s->zeros = m.zeros;
    if (zero < 0.0 || zero > 0.0)
        f.value[MAPE] = 100.0 * mape_from(zero, table->y, predicted, table->weight, table->rows, &s->zeros);
    return f;
}

/* Newton's square root; the command does not link libm. */
static double root_of(double v) {
    double r = v > 1.0 ? v : 1.0, next = (r + v / r) / 2.0;
    if (!(v > 0.0)) return v;
    while (next < r) {
        r = next;
        next = (r + v / r) / 2.0;
    }
    return r;
}

/* Computes mean and sample standard deviation of each figure. */
static void summarise(const figures *all, size_t count, score *out) {
    for (size_t k = 0; k < FIGURES; ++k) {
        double sum = 0.0, squares = 0.0;
        for (size_t i = 0; i < count; ++i) sum += all[i].value[k];
        double mean = sum / (double)count;
        for (size_t i = 0; i < count; ++i) squares += (all[i].value[k] - mean) * (all[i].value[k] - mean);
        out->mean.value[k] = mean;
        out->sd.value[k] = count > 1 ? root_of(squares / (double)(count - 1)) : unknown;
    }
}

/* Computes the MAPE inside each left-out group: the median and the worst. A group without weight has none. */
static void score_groups(const sooth_table *table, const sooth_groups *bags, const sooth_split *split,
                         const float *predicted, double zero, score *out) {
    double *mape = (double *)allocate(split->folds, sizeof *mape);
    float *y = (float *)allocate(3 * table->rows, sizeof *y), *p = y + table->rows, *weight = p + table->rows;
    sooth_table group;
    score unused;
    size_t n = 0;
    memset(&unused, 0, sizeof unused);
    out->worst_mape = unknown;
    for (size_t f = 0; f < split->folds; ++f) {
        const sooth_split_fold *fold = &split->fold[f];
        double value, counts = 0.0;
        for (size_t i = 0; i < fold->tests; ++i) {
            const size_t at = test_of(bags, NULL, fold, i);
            y[i] = table->y[at];
            p[i] = predicted[at];
            counts += (double)(weight[i] = table->weight ? table->weight[at] : 1.0f);
        }
        if (!(counts > 0.0)) continue;
        group = sooth_table_of(p, y, fold->tests, 1);
        group.weight = weight;
        value = figures_of(&group, p, zero, &unused).value[MAPE];
        if (value != value) continue;
        if (n == 0 || value > out->worst_mape) {
            out->worst_mape = value;
            out->worst_group = fold->group;
        }
        mape[n++] = value;
    }
    out->group_mape = median_sorted(mape, n);
    free(mape);
    free(y);
}

/* Returns the bound of 90 % of the errors of a further row of the same distribution; NaN for too few rows or
   predictions that are not finite. */
static double error_within(const sooth_table *table, const float *predicted) {
    sooth_conformal *conformal;
    sooth_env env;
    double within = unknown;
    sooth_env_init(&env);
    const sooth_status status =
        sooth_conformal_fit(&env, table->y, predicted, NULL, NULL, table->rows, NULL, &conformal);
    if (status == SOOTH_NO_MEMORY) die_of(status, &env);
    if (status == SOOTH_OK && conformal->claim.promise != SOOTH_CONFORMAL_NONE)
        within = (double)conformal->above;
    sooth_conformal_free(&env, conformal);
    return within;
}

/* ---- two classes ---- */

int binary_of(const float *actual, const float *predicted, const float *weight, size_t rows,
              sooth_metrics_binary *out) {
    sooth_env env;
    sooth_env_init(&env);
    const sooth_status status = sooth_metrics_compute_binary(&env, actual, predicted, weight, rows, out);
    if (status == SOOTH_NO_MEMORY) die_of(status, &env);
    if (status != SOOTH_OK) memset(out, 0, sizeof *out);
    return status == SOOTH_OK;
}

const char *binary_text(const sooth_metrics_binary *b) {
    static char text[300];
    char auc[32];
    snprintf(auc, sizeof auc, "%.3f", b->auc);
    snprintf(text, sizeof text,
             "log loss %s (always predicting %s %%: %s), Brier %s (%s), AUC %s, calibration error %s",
             human(b->log_loss, 3), human(100.0 * b->rate, 3), human(b->log_loss_rate, 3), human(b->brier, 3),
             human(b->brier_rate, 3), b->auc == b->auc ? auc : "-", human(b->calibration, 2));
    return text;
}

void json_binary(json *j, const sooth_metrics_binary *b) {
    if (b->rows == 0) return;
    json_number(j, "log_loss", b->log_loss);
    json_number(j, "log_loss_of_their_mean", b->log_loss_rate);
    json_number(j, "Brier", b->brier);
    json_number(j, "Brier_of_their_mean", b->brier_rate);
    json_number(j, "AUC", b->auc);
    json_number(j, "calibration_error", b->calibration);
    json_number(j, "share_of_ones", b->rate);
}

/* Computes the mean over the repeats; its rows are 0 if it is undefined. */
static void score_binary(const sooth_table *table, const float *predicted, size_t repeats, score *out) {
    sooth_metrics_binary sum, one;
    memset(&sum, 0, sizeof sum);
    memset(&out->binary, 0, sizeof out->binary);
    for (size_t r = 0; r < repeats; ++r) {
        if (!binary_of(table->y, predicted + r * table->rows, table->weight, table->rows, &one)) return;
        sum.log_loss += one.log_loss / (double)repeats;
        sum.brier += one.brier / (double)repeats;
        sum.auc += one.auc / (double)repeats;
        sum.calibration += one.calibration / (double)repeats;
    }
    out->binary = one;
    out->binary.log_loss = sum.log_loss;
    out->binary.brier = sum.brier;
    out->binary.auc = sum.auc;
    out->binary.calibration = sum.calibration;
}

/* ---- intervals ---- */

/* The tests of one repeat in the order of folds: target, prediction, fold. */
typedef struct tests {
    float *y, *p, *weight;
    uint32_t *fold;
    size_t count;
    int groups, log, positive, upper, forward;
} tests;

/* Calibrates on all tests except those of one fold (`folds`: except none), in time on those before it;
   returns 0 if that is impossible. */
static int calibrate(const tests *all, size_t without, double level, sooth_conformal *out) {
    tests others;
    sooth_conformal_options options;
    sooth_conformal *made = NULL;
    sooth_env env;
    size_t n = 0;
    others.y = (float *)allocate(all->count, 4 * sizeof *others.y);
    others.p = others.y + all->count;
    others.weight = others.p + all->count;
    others.fold = (uint32_t *)(void *)(others.weight + all->count);
    for (size_t i = 0; i < all->count; ++i) {
        if (all->forward ? all->fold[i] >= without : all->fold[i] == without) continue;
        others.y[n] = all->y[i];
        others.p[n] = all->p[i];
        others.weight[n] = all->weight[i];
        others.fold[n++] = all->fold[i];
    }
    memset(&options, 0, sizeof options);
    options.level = level;
    options.method = all->forward ? SOOTH_CONFORMAL_FORWARD : SOOTH_CONFORMAL_CROSS;
    if (all->upper) options.tails = SOOTH_CONFORMAL_UPPER;
    options.scale = all->log ? SOOTH_CONFORMAL_LOG : SOOTH_CONFORMAL_PLAIN;
    sooth_env_init(&env);
    const sooth_status status = sooth_conformal_fit(
        &env, others.y, others.p, all->groups ? others.fold : NULL, others.weight, n, &options, &made);
    if (status == SOOTH_NO_MEMORY) die_of(status, &env);
    if (made) *out = *made;
    sooth_conformal_free(&env, made);
    free(others.y);
    return status == SOOTH_OK;
}

/* Returns the share of a fold's tests, by weight, inside an interval. *width is the sum of the widths, or the
   distance of upper ends above the measured values. */
static double held_of(const tests *all, size_t fold, const sooth_conformal *interval, double *weight,
                      double *width) {
    double held = 0.0;
    *weight = *width = 0.0;
    for (size_t i = 0; i < all->count; ++i) {
        const double w = (double)all->weight[i];
        float low, high;
        if (all->fold[i] != fold) continue;
        sooth_conformal_interval(interval, all->p[i], 1.0f, &low, &high);
        if (all->positive && low < 0.0f) low = 0.0f;
        if (all->y[i] >= low && all->y[i] <= high) held += w;
        if (!all->upper) *width += w * ((double)high - (double)low);
        else if (all->y[i] < high) *width += w * ((double)high - (double)all->y[i]);
        *weight += w;
    }
    return held / *weight;
}

/* Tests intervals on folds that they were not calibrated on. A fold of rows counts by weight, a group once,
   as the intervals promise. */
static void score_intervals(const work *w, const sooth_table *table, const float *predicted,
                            const score *seen, score *out) {
    const size_t folds = w->folds_per_repeat, n = table->rows;
    double held = 0.0, lies = 0.0, widths = 0.0, tested = 0.0;
    tests all;
    out->held = out->width = out->shuffled_held = unknown;
    if (!(w->level > 0.0)) return;
    all.groups = w->split->fold[0].group != w->split->fold[w->split->folds - 1].group;
    all.y = (float *)allocate(n, 4 * sizeof *all.y);
    all.p = all.y + n;
    all.weight = all.p + n;
    all.fold = (uint32_t *)(void *)(all.weight + n);
    all.log = all.positive = 1;
    all.upper = w->upper;
    all.forward = w->place != NULL;
    all.count = 0;
    for (size_t f = 0; f < folds; ++f)
        for (size_t i = 0; i < w->split->fold[f].tests; ++i) {
            const size_t at = test_of(w->bags, w->place, &w->split->fold[f], i);
            const float y = all.y[all.count] = table->y[at], p = all.p[all.count] = predicted[at];
            all.weight[all.count] = table->weight ? table->weight[at] : 1.0f;
            all.log &= y > 0.0f && p > 0.0f;
            all.positive &= y >= 0.0f;
            all.fold[all.count++] = (uint32_t)f;
        }
    if (calibrate(&all, folds, w->level, &out->interval)) {
        for (size_t f = 0; f < folds; ++f) {
            sooth_conformal interval;
            double weight, width, unused;
            if (!calibrate(&all, f, w->level, &interval)) continue;
            if (all.forward && f + 1 < folds && !interval.claim.promise) continue; /* too early */
            const double share = held_of(&all, f, &interval, &weight, &width);
            if (!(weight > 0.0)) continue;
            const double counts = all.groups ? 1.0 : weight;
            held += counts * share;
            widths += counts * width / weight;
            if (seen) lies += counts * held_of(&all, f, &seen->interval, &weight, &unused);
            tested += counts;
        }
        out->held = held / tested;
        out->width = widths / tested;
        if (seen && seen->held == seen->held) out->shuffled_held = lies / tested;
    }
    free(all.y);
}

/* Computes the scores of a quantile. */
static void score_quantile(const sooth_table *table, const float *predicted, size_t repeats, double quantile,
                           score *out) {
    double loss = 0.0, below = 0.0, weights = 0.0;
    for (size_t i = 0; i < repeats * table->rows; ++i) {
        const double y = (double)table->y[i % table->rows], e = y - (double)predicted[i];
        const double weight = table->weight ? (double)table->weight[i % table->rows] : 1.0;
        loss += weight * (e > 0.0 ? quantile * e : (quantile - 1.0) * e);
        below += e > 0.0 ? 0.0 : weight;
        weights += weight;
    }
    out->pinball = loss / weights;
    out->below = below / weights;
}

void score_print_quantiles(const data *d, const contender *c, size_t count, const validation *v) {
    const size_t base = count - 1; /* both baselines are the quantile of the training rows */
    for (int which = 0; which < (v->by_group ? 2 : 1); ++which) {
        grid g;
        grid_init(&g, 4, 1);
        if (which) grid_add(&g, "unseen groups (each %.40s left out in turn)", d->group);
        else grid_add(&g, "%s rows (%zu folds)", d->time ? "later" : "unseen", v->folds);
        grid_add(&g, "%s", with_unit("pinball", d->target_unit[0]));
        grid_add(&g, "of a constant");
        grid_add(&g, "at or below");
        for (size_t i = 0; i < count; ++i)
            for (size_t t = 0; t < d->table.targets && c[i].rule == NO_RULE; ++t) {
                const score *s = (which ? v->by_group : v->by_row) + t * count;
                grid_add(&g, "%s%s%s", count > 1 + BASELINES ? c[i].name : "",
                         count > 1 + BASELINES ? ": " : "", d->target[t]);
                grid_add(&g, "%s", human(s[i].pinball, 3));
                grid_add(&g, "%s", human(s[base].pinball, 3));
                grid_add(&g, "%s %%", human(100.0 * s[i].below, 3));
            }
        printf("\n");
        grid_print(&g, stdout, "  ");
    }
    for (size_t t = 0; t < d->table.targets && count == 1 + BASELINES; ++t) {
        const score *s = (v->by_group ? v->by_group : v->by_row) + t * count;
        char text[300];
        if (s[0].pinball < s[base].pinball) continue;
        snprintf(text, sizeof text,
                 "%.80s is no better than the %g quantile of the training rows, the same for all",
                 d->target[t], d->quantile[t]);
        print_warning(text);
    }
}

/* Computes the scores of one contender's predictions of target t. */
static void score_target(const work *w, const float *predicted, size_t t, const score *seen, score *out) {
    const size_t rows = w->tested.rows, targets = w->tested.targets;
    float *y = (float *)allocate(rows, sizeof *y), *p = (float *)allocate(w->repeats * rows, sizeof *p);
    figures *all = (figures *)allocate(w->repeats, sizeof *all);
    sooth_table table = w->tested;
    const double zero = target_zero(w->d, t);
    take_target(w->tested.y, targets, t, rows, y);
    take_target(predicted, targets, t, w->repeats * rows, p);
    table.y = y;
    table.targets = 1;
    for (size_t r = 0; r < w->repeats; ++r) all[r] = figures_of(&table, p + r * rows, zero, out);
    summarise(all, w->repeats, out);
    out->error_90 = error_within(&table, p);
    if (w->d->quantile) score_quantile(&table, p, w->repeats, w->d->quantile[t], out);
    score_binary(&table, p, w->repeats, out);
    if (w->split->fold[0].group != w->split->fold[w->split->folds - 1].group) /* leave one group out */
        score_groups(&table, w->bags, w->split, p, zero, out);
    score_intervals(w, &table, p, seen, out);
    free(y);
    free(p);
    free(all);
}

/* Copies targets and weights of the tests of a repeat: per row, once for each group of a row, or only rows
   that folds in time test. The caller frees y and weight unless they are those of the table. */
static sooth_table tests_of(work *w, const sooth_split *split, int in_time) {
    const sooth_table *table = w->table;
    const size_t targets = table->targets;
    sooth_table tests = *table;
    uint32_t *row, *place = NULL;
    float *y, *weight = NULL;
    size_t n = 0;
    if (!w->bags && !in_time) return tests;
    tests.rows = 0;
    for (size_t f = 0; f < split->folds && in_time; ++f) tests.rows += split->fold[f].tests;
    if (!in_time) tests.rows = w->bags->offset[table->rows];
    row = (uint32_t *)allocate(tests.rows, sizeof *row);
    if (in_time) w->place = place = (uint32_t *)allocate(table->rows, sizeof *place);
    for (size_t f = 0; f < split->folds && in_time; ++f)
        for (size_t i = 0; i < split->fold[f].tests; ++i) {
            place[split->fold[f].test[i]] = (uint32_t)n;
            row[n++] = split->fold[f].test[i];
        }
    for (size_t i = 0; i < table->rows && !in_time; ++i)
        for (size_t m = w->bags->offset[i]; m < w->bags->offset[i + 1]; ++m) row[m] = (uint32_t)i;
    y = (float *)allocate(tests.rows * targets, sizeof *y);
    if (table->weight) weight = (float *)allocate(tests.rows, sizeof *weight);
    for (size_t m = 0; m < tests.rows; ++m) {
        memcpy(y + m * targets, table->y + row[m] * targets, targets * sizeof *y);
        if (weight) weight[m] = table->weight[row[m]];
    }
    free(row);
    tests.y = y;
    tests.weight = weight;
    return tests;
}

/* Keeps the tests of the first repeat. */
static void keep_tests(const work *w, size_t count, held_out *kept) {
    const size_t tests = w->tested.rows, cells = tests * w->tested.targets;
    const uint32_t *group = w->table->group;
    float *y = (float *)allocate(cells, sizeof *y);
    memcpy(y, w->tested.y, cells * sizeof *y);
    kept->tests = tests;
    kept->targets = w->tested.targets;
    kept->y = y;
    kept->predicted = (float *)allocate(count * cells, sizeof(float));
    kept->row = (uint32_t *)allocate(tests, sizeof *kept->row);
    if (group || w->bags) kept->group = (uint32_t *)allocate(tests, sizeof *kept->group);
    if (w->tested.weight) {
        kept->weight = (float *)allocate(tests, sizeof *kept->weight);
        memcpy(kept->weight, w->tested.weight, tests * sizeof *kept->weight);
    }
    for (size_t c = 0; c < count; ++c)
        memcpy(kept->predicted + c * cells, w->predicted + c * w->repeats * cells, cells * sizeof(float));
    for (size_t f = 0; f < w->folds_per_repeat; ++f)
        for (size_t i = 0; i < w->split->fold[f].tests; ++i) {
            const size_t at = test_of(w->bags, w->place, &w->split->fold[f], i),
                         row = w->split->fold[f].test[i];
            kept->row[at] = (uint32_t)row;
            if (kept->group) kept->group[at] = w->bags ? w->split->fold[f].group : group[row];
        }
}

/* out: [target][contender] */
static void score_split(sooth_env *env, const data *d, const contender *contenders, size_t count,
                        const sooth_split *split, const sooth_groups *bags, size_t repeats,
                        const validation *v, const score *seen, score *out, held_out *kept, pace *how) {
    work w;
    w.d = d;
    w.bags = bags;
    w.level = v->interval;
    w.upper = v->upper;
    w.seen = seen;
    w.table = &d->table;
    w.place = NULL;
    w.tested = tests_of(&w, split, d->time && !seen);
    const size_t cells = w.tested.rows * d->table.targets;
    w.contenders = contenders;
    w.split = split;
    w.repeats = repeats;
    w.folds_per_repeat = split->folds / repeats;
    w.predicted = (float *)allocate(count * repeats, cells * sizeof(float));
    w.tasks = count * split->folds;
    w.status = (sooth_status *)allocate(w.tasks, sizeof *w.status);
    w.pace = how;
    w.seconds = (double *)allocate(w.tasks, sizeof *w.seconds);
    w.order = (size_t *)allocate(w.tasks, sizeof *w.order);
    run_tasks(env, &w);
    free(w.order);
    free(w.seconds);
    for (size_t i = 0; i < w.tasks; ++i) {
        if (w.status[i] == SOOTH_OK) continue;
        progress_clear();
        run_fold(env, &w, i);
        learn_failed(d, contenders[i / split->folds].name, w.status[i], env);
    }
    for (size_t t = 0; t < d->table.targets; ++t)
        for (size_t c = 0; c < count; ++c)
            score_target(&w, w.predicted + c * repeats * cells, t, w.seen ? &w.seen[t * count + c] : NULL,
                         &out[t * count + c]);
    if (v->keeps) keep_tests(&w, count, kept);
    if (w.tested.y != d->table.y) free((void *)(uintptr_t)w.tested.y);
    if (w.tested.weight != d->table.weight) free((void *)(uintptr_t)w.tested.weight);
    free((void *)(uintptr_t)w.place);
    free(w.predicted);
    free(w.status);
}

/* ---- rules, and which model is best ---- */

void score_baselines(contender baseline[BASELINES]) {
    static const char *const name[BASELINES] = {"mean", "median"};
    memset(baseline, 0, BASELINES * sizeof *baseline);
    for (int k = 0; k < BASELINES; ++k) {
        baseline[k].name = name[k];
        baseline[k].is_rule = 1;
        baseline[k].rule = k ? MEDIAN : MEAN;
    }
}

/* The constant that a skill compares with: the mean for squares and probabilities, else the median. */
static size_t constant_of(size_t count, int by) {
    return by == RMSE || by == FIGURES ? count - BASELINES : count - 1;
}

double score_skill(const score *s, size_t contender, size_t count, int by) {
    return sooth_metrics_skill(score_figure(&s[contender], by), score_figure(&s[constant_of(count, by)], by));
}

const char *score_skill_name(int by) {
    static char text[60];
    snprintf(text, sizeof text, "%s's %s", constant_of(BASELINES, by) ? "median" : "mean",
             score_figure_name(by));
    return text;
}

static const char *const measure_name[] = {"", "rmse", "mae", "mre"};

int score_by(const arguments *args) {
    const char *text = arguments_text(args, "by");
    for (int k = RMSE; k <= MAPE && text; ++k)
        if (strcmp(text, measure_name[k]) == 0) return k;
    if (text) die(BAD_USE, "--by is %s, but must be rmse, mae or mre", text);
    return R2;
}

int score_measure(const data *d, const validation *v, size_t t) {
    const double zero = target_zero(d, t);
    if (v->by != R2) return v->by;
    for (size_t i = 0; i < d->table.rows; ++i)
        if (!(zero + (double)d->table.y[i * d->table.targets + t] > 0.0)) return RMSE;
    return MAPE;
}

double score_figure(const score *s, int by) {
    if (s->unbounded) return unknown;
    if (by < FIGURES) return s->mean.value[by];
    return s->binary.rows ? s->binary.log_loss : unknown;
}

const char *score_figure_name(int by) {
    static const char *const name[] = {"R2", "RMSE", "MAE", "MAPE", "log loss"};
    return name[by];
}

const char *score_figure_title(int by) {
    static const char *const title[] = {"R2", "Root of the mean squared error (RMSE)",
                                        "Mean absolute error (MAE)", "Mean relative error (MAPE)",
                                        "Log loss"};
    return title[by];
}

const char *score_figure_text(const data *d, size_t t, const score *s, int by) {
    static char ring[8][80];
    static unsigned next;
    char *text = ring[next++ % 8];
    const char *unit = by == MAPE ? "%" : by == FIGURES ? "" : printable(d->target_unit[t]);
    snprintf(text, sizeof ring[0], "%s%s%.40s", human(score_figure(s, by), 3), *unit ? " " : "", unit);
    return text;
}

const char *rule_text(const contender *c) {
    static char ring[4][120];
    static unsigned next;
    char *text = ring[next++ % 4];
    snprintf(text, sizeof ring[0], "the %.100s%s", c->name, strcmp(c->name, "linear") == 0 ? " rule" : "");
    return text;
}

size_t models_of_contenders(const contender *c, size_t count) {
    size_t n = 0;
    while (n < count && !c[n].is_rule) ++n;
    return n;
}

judgement score_judge(const contender *c, const score *s, size_t count, int by) {
    judgement j;
    int probabilities = 0;
    j.by = by;
    j.best = count;
    j.rule = count - 1;
    for (size_t i = 0; i < count; ++i) probabilities |= !c[i].is_rule && s[i].binary.rows > 0;
    if (s[count - BASELINES].binary.rows) j.by = probabilities ? FIGURES : RMSE; /* the mean is one */
    for (size_t i = 0; i < count; ++i) {
        size_t *least = c[i].is_rule ? &j.rule : &j.best;
        const double value = score_figure(&s[i], j.by);
        if (value != value) continue;
        if (*least == count || !(score_figure(&s[*least], j.by) <= value)) *least = i;
    }
    j.wins = j.best < count && score_figure(&s[j.best], j.by) < score_figure(&s[j.rule], j.by);
    return j;
}

int score_ties(const contender *c, const score *s, const judgement *j, size_t other) {
    const double mine = score_figure(&s[other], j->by);
    if (other == j->best || c[other].is_rule || !(mine < score_figure(&s[j->rule], j->by))) return 0;
    return strcmp(human(mine, 3), human(score_figure(&s[j->best], j->by), 3)) == 0;
}

const char *score_rows_text(const data *d, const validation *v) {
    return v->by_group ? d->time ? "later rows of the same programs" : "more rows of the same programs"
           : d->time   ? "later rows"
                       : "more rows like these";
}

void score_lead(const data *d, size_t t, const contender *c, size_t count, const validation *v, char *text,
                size_t size) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    const judgement j = score_judge(c, s, count, score_measure(d, v, t));
    snprintf(text, size, "For %s its %s is %s; the best rule here, %.60s, has %s.",
             v->by_group ? "an unseen program" : score_rows_text(d, v), score_figure_name(j.by),
             score_figure_text(d, t, s, j.by), rule_text(&c[j.rule]),
             score_figure_text(d, t, &s[j.rule], j.by));
}

const char *score_repeats_text(const data *d) {
    static char text[300];
    if (d->repeated * 10 < d->table.rows || d->repeated == 0) return "";
    snprintf(text, sizeof text,
             "Of %zu rows %s all features of an earlier row, and folds do not keep these together: "
             "the error is larger for features that are not in the table.",
             d->table.rows, counted(d->repeated, "has", "have"));
    return text;
}

void score_choose_by(sooth_train_recipe *recipe, int by) {
    sooth_best_options *o = &recipe->options.best;
    const uint32_t error = (uint32_t)by; /* the numbers are the same: RMSE, MAE, MAPE */
    if (by == R2 || strcmp(recipe->model, "best") != 0) return;
    if (o->error && o->error != error)
        die(BAD_USE, "--by is %s, but --set error is %s; give one of them", measure_name[by],
            measure_name[o->error]);
    o->error = error;
}

void score_others(const data *d, size_t t, const contender *c, const validation *v, size_t count,
                  const judgement *j, char *text, size_t size) {
    const score *s = v->by_group ? v->by_group : v->by_row;
    size_t at = 0;
    *text = 0;
    if (v->by != R2 && v->by != j->by)
        at = (size_t)snprintf(text, size, "--by %s does not decide: of a target of 0 and 1 the %s does",
                              measure_name[v->by], score_figure_name(j->by));
    for (int k = RMSE; k <= MAPE && j->by < FIGURES && j->best < count; ++k) {
        const judgement other = score_judge(c, s, count, k);
        if (k == j->by || other.by != k || other.best == count || other.wins == j->wins) continue;
        at += (size_t)snprintf(text + at, size - at, "%s the %s of %.60s is %s, of %.100s %s",
                               at ? ";" : "By other measures the answer differs:", score_figure_name(k),
                               c[other.best].name, score_figure_text(d, t, &s[other.best], k),
                               rule_text(&c[other.rule]), score_figure_text(d, t, &s[other.rule], k));
        if (at >= size) return;
    }
    if (at) snprintf(text + at, size - at, ".");
}

/* Returns "no better than the mean of the training rows on unseen rows: MAE 3.2, the mean 2.2". */
static size_t no_better(const data *d, size_t t, const contender *c, const score *s, const judgement *j,
                        const char *where, char *text, size_t size) {
    const enum rule rule = c[j->rule].rule;
    return (size_t)snprintf(text, size, "no better than %.60s%s on unseen %s: %s %s, %.60s %s",
                            rule_text(&c[j->rule]),
                            rule == MEAN || rule == MEDIAN ? " of the training rows" : "", where,
                            score_figure_name(j->by), score_figure_text(d, t, s, j->by),
                            rule_text(&c[j->rule]), score_figure_text(d, t, &s[j->rule], j->by));
}

void score_verdict(const data *d, size_t t, const contender *c, size_t count, const validation *v, char *text,
                   size_t size) {
    const int by = score_measure(d, v, t);
    const judgement of_rows = score_judge(c, v->by_row, count, by);
    const judgement of_groups = v->by_group ? score_judge(c, v->by_group, count, by) : of_rows;
    const int both = v->by_group && !of_rows.wins && !of_groups.wins && of_rows.rule == of_groups.rule;
    size_t at = 0;
    *text = 0;
    if (both) no_better(d, t, c, v->by_group, &of_groups, "rows and on unseen groups", text, size);
    if (both) return;
    if (!of_rows.wins) at = no_better(d, t, c, v->by_row, &of_rows, "rows", text, size);
    if (!v->by_group || of_groups.wins || at >= size) return;
    if (at) at += (size_t)snprintf(text + at, size - at, "; ");
    no_better(d, t, c, v->by_group, &of_groups, "groups", text + at, size - at);
}

/* ---- duplicates ---- */

static double score_straddling(const sooth_split *split, const uint32_t *first, size_t rows, size_t repeats) {
    unsigned char *trained = (unsigned char *)allocate(rows, 1);
    size_t met = 0;
    for (size_t f = 0; f < split->folds; ++f) {
        memset(trained, 0, rows);
        for (size_t i = 0; i < split->fold[f].trains; ++i) trained[first[split->fold[f].train[i]]] = 1;
        for (size_t i = 0; i < split->fold[f].tests; ++i) met += trained[first[split->fold[f].test[i]]];
    }
    free(trained);
    return (double)met / (double)repeats;
}

/* ---- both splits ---- */

void validate_all(sooth_env *env, const data *d, const contender *contenders, size_t count, validation *v) {
    const sooth_groups *bags = d->bags.offset ? &d->bags : NULL;
    sooth_split_options options;
    sooth_split split;
    memset(&v->rows_tested, 0, sizeof v->rows_tested);
    memset(&v->groups_tested, 0, sizeof v->groups_tested);
    memset(&options, 0, sizeof options);
    options.folds = (uint32_t)v->folds;
    options.repeats = (uint32_t)v->repeats;
    options.seed = v->seed;
    if (d->time) {
        options.method = SOOTH_SPLIT_TIME;
        options.repeats = 0;
        v->repeats = 1;
        if (options.folds >= d->table.rows && options.folds > 1) options.folds = (uint32_t)d->table.rows - 1;
    }
    if (sooth_split_make(env, &d->table, &options, &split) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", d->path, env->sentence);
    if (d->time) v->folds = split.folds;
    v->by_row = (score *)allocate(count * d->table.targets, sizeof *v->by_row);
    pace how;
    atomic_init(&how.done, 0);
    how.shown = 0.0;
    how.planned = 1e-9; /* if no task takes any time */
    for (size_t i = 0; i < count; ++i) how.planned += plan_tests(&contenders[i], d, v->folds, v->repeats);
    score_split(env, d, contenders, count, &split, NULL, v->repeats, v, NULL, v->by_row, &v->rows_tested,
                &how);
    v->straddling = score_straddling(&split, d->first, d->table.rows, v->repeats);
    sooth_split_free(env, &split);
    v->groups = 0;
    v->by_group = NULL;
    if (!d->table.group) {
        progress_clear();
        return;
    }
    options.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT;
    options.repeats = 0;
    if (bags) options.groups = bags;
    if (sooth_split_make(env, &d->table, &options, &split) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", d->path, env->sentence);
    if (bags && split.skipped)
        die(BAD_INPUT, "%s: a program in column %s is in every row: without it, no row is left to fit to",
            d->path, d->group);
    v->groups = split.folds;
    v->by_group = (score *)allocate(count * d->table.targets, sizeof *v->by_group);
    score_split(env, d, contenders, count, &split, bags, 1, v, v->by_row, v->by_group, &v->groups_tested,
                &how);
    progress_clear();
    sooth_split_free(env, &split);
}

validation validation_of(const validation *v, size_t t, size_t contenders) {
    validation one = *v;
    one.by_row += t * contenders;
    if (v->by_group) one.by_group += t * contenders;
    return one;
}
