/* measure.c - see measure.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "measure.h"
#include "sooth/fairness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Bags with more tasks than cores run together twice in a round, because the choice of tasks that share a
   core is random. */
enum { LEAST_ROUNDS = 3, LEAST_SWEEPS = 5, MOST_ROUNDS = 64, DEALS = 2, MOST_SAMPLES = MOST_ROUNDS * DEALS };

struct measure {
    stage *s;
    measure_options options;
    sooth_rng rng;                             /* orders */
    uint64_t units[WORKLOADS][WORKLOAD_SIZES]; /* of a job; 0: not calibrated yet */
    double alone_ms, away_ms;                  /* sums over all jobs alone, for measure_disturbance */
    char text[160];
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- statistics ---- */

static int ascending(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* The quantile of sorted values, interpolated between two of them. */
static double quantile(const double *sorted, size_t count, double part) {
    double at = part * (double)(count - 1);
    size_t i = (size_t)at;
    return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

static measure_value summarize(const double *value, size_t count) {
    double sorted[MOST_SAMPLES];
    measure_value out;
    memcpy(sorted, value, count * sizeof *value);
    qsort(sorted, count, sizeof *sorted, ascending);
    out.value = quantile(sorted, count, 0.5);
    out.spread = 0.5 * (quantile(sorted, count, 0.75) - quantile(sorted, count, 0.25));
    return out;
}

/* The median of a[i] / b[i]. */
static measure_value summarize_ratio(const double *a, const double *b, size_t count) {
    double ratio[MOST_SAMPLES];
    for (size_t i = 0; i < count; ++i) ratio[i] = a[i] / b[i];
    return summarize(ratio, count);
}

/* ---- opening ---- */

static size_t describe_bytes(char *text, size_t size, size_t bytes) {
    const char *unit = bytes >= (size_t)1 << 20 ? "MiB" : "KiB";
    int length = snprintf(text, size, "%.3g %s",
                          (double)bytes / (bytes >= (size_t)1 << 20 ? 1048576.0 : 1024.0), unit);
    return length > 0 ? (size_t)length : 0;
}

static void describe_machine(measure *m) {
    const stage_machine *about = stage_about(m->s);
    int found = 0;
    size_t n = (size_t)snprintf(m->text, sizeof m->text, "%u of %u core%s%s", about->stage, about->cores,
                                about->cores == 1 ? "" : "s", about->confined ? "" : " (not confined)");
    for (int level = 0; level < 3; ++level) {
        if (about->cache[level] == 0) continue;
        n += (size_t)snprintf(m->text + n, sizeof m->text - n, found++ ? ", " : "; caches of ");
        n += describe_bytes(m->text + n, sizeof m->text - n, about->cache[level]);
    }
}

sooth_status measure_open(sooth_env *env, const measure_options *options, measure **out) {
    measure *m = (measure *)calloc(1, sizeof *m);
    *out = NULL;
    if (!m) return stage_fail(env, SOOTH_NO_MEMORY, "no memory for the measurements");
    if (options) m->options = *options;
    sooth_rng_init(&m->rng, m->options.seed, 1);
    sooth_status status = stage_open(env, m->options.cores, &m->s);
    if (status != SOOTH_OK) {
        free(m);
        return status;
    }
    describe_machine(m);
    *out = m;
    return SOOTH_OK;
}

void measure_close(measure *m) {
    if (!m) return;
    stage_close(m->s);
    free(m);
}

const stage_machine *measure_about(const measure *m) { return stage_about(m->s); }
const char *measure_machine(const measure *m) { return m->text; }
double measure_disturbance(const measure *m) { return m->alone_ms > 0.0 ? m->away_ms / m->alone_ms : 0.0; }

/* ---- rounds: items take turns until the time is used up ---- */

typedef struct rounds {
    measure *m;
    const char *what;
    double begin, seconds;
    size_t items, least; /* at least this many rounds */
    size_t done;         /* items measured so far */
} rounds;

static rounds rounds_begin(measure *m, const char *what, double seconds, size_t items, size_t least) {
    rounds r;
    r.m = m;
    r.what = what;
    r.begin = now_s();
    r.seconds = seconds;
    r.items = items;
    r.least = least;
    r.done = 0;
    return r;
}

/* One more item is done. Reports it, and returns nonzero if the host cancels. */
static int rounds_advance(rounds *r) {
    double spent = now_s() - r->begin, total, least_s; /* time of the min number of rounds */
    ++r->done;
    least_s = spent * (double)(r->least * r->items) / (double)r->done;
    total = r->seconds > least_s ? r->seconds : least_s;
    if (!r->m->options.progress_fn) return 0;
    return r->m->options.progress_fn(r->m->options.user, r->what, spent < total ? spent / total : 1.0,
                                     spent < total ? total - spent : 0.0);
}

/* True when there is time for one more item. */
static int rounds_go_on(const rounds *r) {
    double spent = now_s() - r->begin, each = r->done ? spent / (double)r->done : 0.0;
    if (r->done < r->least * r->items) return 1;
    return r->done < (size_t)MOST_ROUNDS * r->items && spent + each < r->seconds;
}

static sooth_status cancelled(sooth_env *env, const rounds *r) {
    return stage_fail(env, SOOTH_CANCELLED, "%s was cancelled", r->what);
}

/* ---- jobs ---- */

/* Jobs of 8, 10 and 13 ms, so that length and size of workloads are independent. */
static double job_ms(stage_task task) {
    static const double ms[3] = {8.0, 10.0, 13.0};
    return ms[(task.workload + task.size) % 3];
}

/* Calibrates the tasks that still need it. */
static sooth_status know_units(sooth_env *env, measure *m, const stage_task *task, uint32_t tasks) {
    sooth_status status = SOOTH_OK;
    for (uint32_t i = 0; i < tasks && status == SOOTH_OK; ++i) {
        uint64_t *units = &m->units[task[i].workload][task[i].size];
        if (*units) continue;
        status = stage_load(env, m->s, &task[i], 1, m->options.seed);
        if (status == SOOTH_OK) status = stage_calibrate(env, m->s, job_ms(task[i]), units);
    }
    return status;
}

/* Process i's job alone. */
static sooth_status run_alone(sooth_env *env, measure *m, uint32_t i, const uint64_t *units, stage_times *t) {
    sooth_status status = stage_run(env, m->s, 1u << i, units, NULL, t);
    m->alone_ms += t->ms[i] + t->away_ms[i];
    m->away_ms += t->away_ms[i];
    return status;
}

/* ---- bags ---- */

/* The repetitions of one bag: every run together, and its tasks alone in the same round. */
typedef struct bag_log {
    double alone[STAGE_TASKS][MOST_SAMPLES];
    double shared[STAGE_TASKS][MOST_SAMPLES];
    double bag[MOST_SAMPLES], watts[MOST_SAMPLES];
    double away[MOST_SAMPLES]; /* the part of its time that the most disturbed task waited for its core */
    size_t count;
} bag_log;

/* One round: every task alone and all together, in random order. */
static sooth_status repeat_bag(sooth_env *env, measure *m, const measure_bag *bag, bag_log *log) {
    stage_task task[STAGE_TASKS];
    uint64_t units[STAGE_TASKS];
    double alone[STAGE_TASKS];
    uint32_t order[STAGE_TASKS + DEALS], deals = bag->tasks > stage_about(m->s)->stage ? DEALS : 1;
    size_t first = log->count;
    for (uint32_t i = 0; i < bag->tasks; ++i) task[i] = bag->member[i].task;
    sooth_status status = know_units(env, m, task, bag->tasks);
    if (status == SOOTH_OK) status = stage_load(env, m->s, task, bag->tasks, m->options.seed);
    for (uint32_t i = 0; i < bag->tasks; ++i) units[i] = m->units[task[i].workload][task[i].size];
    for (uint32_t i = 0; i < bag->tasks + deals; ++i) order[i] = i; /* beyond the tasks: all together */
    sooth_rng_shuffle(&m->rng, order, bag->tasks + deals);
    for (uint32_t k = 0; k < bag->tasks + deals && status == SOOTH_OK; ++k) {
        stage_times t;
        if (order[k] < bag->tasks) {
            status = run_alone(env, m, order[k], units, &t);
            alone[order[k]] = t.ms[order[k]];
            continue;
        }
        status = stage_run(env, m->s, (1u << bag->tasks) - 1, units, NULL, &t);
        for (uint32_t i = 0; i < bag->tasks; ++i) log->shared[i][log->count] = t.ms[i];
        log->watts[log->count] = t.watts;
        log->away[log->count] = 0.0;
        for (uint32_t i = 0; i < bag->tasks && deals == 1; ++i)
            log->away[log->count] = fmax(log->away[log->count], t.away_ms[i] / (t.ms[i] + t.away_ms[i]));
        log->bag[log->count++] = t.bag_ms;
    }
    for (size_t n = first; n < log->count && status == SOOTH_OK; ++n)
        for (uint32_t i = 0; i < bag->tasks; ++i) log->alone[i][n] = alone[i];
    return status;
}

/* Leaves out the repetitions that other programs disturbed, but keeps at least LEAST_ROUNDS. */
static void keep_quiet(bag_log *log, uint32_t tasks) {
    double sorted[MOST_SAMPLES], limit = 0.02;
    size_t kept = 0, least = log->count < LEAST_ROUNDS ? log->count : LEAST_ROUNDS;
    memcpy(sorted, log->away, log->count * sizeof *sorted);
    qsort(sorted, log->count, sizeof *sorted, ascending);
    if (least > 0) limit = fmax(limit, sorted[least - 1]);
    for (size_t n = 0; n < log->count; ++n) {
        if (log->away[n] > limit) continue;
        for (uint32_t i = 0; i < tasks; ++i) {
            log->alone[i][kept] = log->alone[i][n];
            log->shared[i][kept] = log->shared[i][n];
        }
        log->watts[kept] = log->watts[n];
        log->bag[kept++] = log->bag[n];
    }
    log->count = kept;
}

static void finish_bag(measure_bag *bag, bag_log *log) {
    keep_quiet(log, bag->tasks);
    for (uint32_t i = 0; i < bag->tasks; ++i) {
        measure_member *member = &bag->member[i];
        member->alone_ms = summarize(log->alone[i], log->count).value;
        member->shared_ms = summarize(log->shared[i], log->count).value;
        member->slowdown = summarize_ratio(log->shared[i], log->alone[i], log->count).value;
    }
    bag->bag_ms = summarize(log->bag, log->count);
    bag->watts = isnan(log->watts[0]) ? (double)NAN : summarize(log->watts, log->count).value;
    bag->repetitions = (uint32_t)log->count;
}

static sooth_status check_bags(sooth_env *env, const measure_bag *bag, size_t bags) {
    for (size_t i = 0; i < bags; ++i) {
        if (bag[i].tasks < 1 || bag[i].tasks > STAGE_TASKS)
            return stage_fail(env, SOOTH_BAD_ARGUMENT, "bag %zu has %u tasks, but must have between 1 and %d",
                              i + 1, bag[i].tasks, STAGE_TASKS);
        for (uint32_t k = 0; k < bag[i].tasks; ++k)
            if (bag[i].member[k].task.workload >= WORKLOADS || bag[i].member[k].task.size >= WORKLOAD_SIZES)
                return stage_fail(env, SOOTH_BAD_ARGUMENT,
                                  "task %u of bag %zu is workload %u in size %u, but there are %d and %d",
                                  k + 1, i + 1, bag[i].member[k].task.workload, bag[i].member[k].task.size,
                                  (int)WORKLOADS, WORKLOAD_SIZES);
    }
    return SOOTH_OK;
}

static sooth_status run_bags(sooth_env *env, measure *m, const char *what, double seconds, size_t least,
                             measure_bag *bag, size_t bags, bag_log *log, uint32_t *order) {
    rounds r = rounds_begin(m, what, seconds, bags, least);
    sooth_status status = SOOTH_OK;
    size_t i = bags;
    while (rounds_go_on(&r)) {
        if (i == bags) {
            for (i = 0; i < bags; ++i) order[i] = (uint32_t)i;
            sooth_rng_shuffle(&m->rng, order, bags);
            i = 0;
        }
        status = repeat_bag(env, m, &bag[order[i]], &log[order[i]]);
        if (status != SOOTH_OK) return status;
        if (rounds_advance(&r)) return cancelled(env, &r);
        ++i;
    }
    for (i = 0; i < bags; ++i) finish_bag(&bag[i], &log[i]);
    return SOOTH_OK;
}

static sooth_status measure_some(sooth_env *env, measure *m, const char *what, double seconds, size_t least,
                                 measure_bag *bag, size_t bags) {
    bag_log *log;
    uint32_t *order;
    sooth_status status = check_bags(env, bag, bags);
    if (status != SOOTH_OK || bags == 0) return status;
    log = (bag_log *)calloc(bags, sizeof *log);
    order = (uint32_t *)calloc(bags, sizeof *order);
    if (log && order) status = run_bags(env, m, what, seconds, least, bag, bags, log, order);
    else status = stage_fail(env, SOOTH_NO_MEMORY, "no memory for the times of %zu bags", bags);
    free(log);
    free(order);
    return status;
}

sooth_status measure_bags(sooth_env *env, measure *m, double seconds, measure_bag *bag, size_t bags) {
    return measure_some(env, m, "running bags of tasks", seconds, LEAST_ROUNDS, bag, bags);
}

static stage_task task_of(uint32_t kind, uint32_t size) {
    stage_task task;
    task.workload = kind;
    task.size = size;
    return task;
}

static measure_bag pair_of(stage_task first, stage_task second) {
    measure_bag bag;
    memset(&bag, 0, sizeof bag);
    bag.tasks = 2;
    bag.member[0].task = first;
    bag.member[1].task = second;
    return bag;
}

/* ---- contention ---- */

/* All times of one kernel next to one other. */
typedef struct cell_log {
    double before[MOST_ROUNDS], beside[MOST_ROUNDS], after[MOST_ROUNDS];
    double away[MOST_ROUNDS];    /* the part of the three times that it waited for its core */
    double present[MOST_ROUNDS]; /* the part of its own time that the other was on its core */
    size_t count;
} cell_log;

static sooth_status press(sooth_env *env, measure *m, uint32_t kind, uint64_t steps, uint32_t beside,
                          double *ms, double *away, double *present) {
    stage_times t;
    sooth_status status = stage_pressure_run(env, m->s, kind, steps, beside, &t);
    *ms = t.ms[0];
    *away = t.away_ms[0];
    *present = t.ms[1] > 0.0 ? t.ms[1] / (t.ms[1] + t.away_ms[1]) : 0.0;
    return status;
}

/* One row of the matrix, once: alone, next to one, alone, next to the next, ..., alone. */
static sooth_status sweep_row(sooth_env *env, measure *m, uint32_t kind, const uint64_t *steps,
                              cell_log *log) {
    uint32_t order[PRESSURES];
    double alone, beside = 0.0, away[3] = {0.0, 0.0, 0.0}, present = 0.0, nobody;
    for (uint32_t j = 0; j < PRESSURES; ++j) order[j] = j;
    sooth_rng_shuffle(&m->rng, order, PRESSURES);
    sooth_status status = press(env, m, kind, steps[kind], PRESSURES, &alone, &away[0], &nobody);
    for (uint32_t j = 0; j < PRESSURES && status == SOOTH_OK; ++j) {
        cell_log *cell = &log[kind * PRESSURES + order[j]];
        const size_t n = cell->count;
        if (!steps[order[j]]) continue;
        cell->before[n] = alone;
        status = press(env, m, kind, steps[kind], order[j], &beside, &away[1], &present);
        if (status == SOOTH_OK)
            status = press(env, m, kind, steps[kind], PRESSURES, &alone, &away[2], &nobody);
        cell->beside[n] = beside;
        cell->after[n] = alone;
        cell->away[n] = (away[0] + away[1] + away[2]) / (cell->before[n] + beside + alone);
        cell->present[n] = present;
        away[0] = away[2];
        ++cell->count;
    }
    return status;
}

/* Leaves out the repetitions that other programs disturbed, but keeps at least LEAST_SWEEPS. On one core
   the two take turns, and both wait. */
static void keep_quiet_cell(cell_log *log, size_t count) {
    double sorted[MOST_ROUNDS], limit = 0.05;
    size_t kept = 0, least = count < LEAST_SWEEPS ? count : LEAST_SWEEPS;
    for (size_t n = 0; n < count; ++n) log->away[n] = fmax(log->away[n], 1.0 - log->present[n]);
    memcpy(sorted, log->away, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    if (least > 0) limit = fmax(limit, sorted[least - 1]);
    for (size_t n = 0; n < count; ++n) {
        if (log->away[n] > limit) continue;
        log->before[kept] = log->before[n];
        log->beside[kept] = log->beside[n];
        log->present[kept] = log->present[n];
        log->after[kept++] = log->after[n];
    }
    log->count = kept;
}

static sooth_status sweep_rows(sooth_env *env, measure *m, double seconds, const uint64_t *steps,
                               cell_log *log, contend *out) {
    uint32_t kind[PRESSURES], kinds = 0;
    for (uint32_t k = 0; k < PRESSURES; ++k)
        if (steps[k]) kind[kinds++] = k;
    rounds r = rounds_begin(m, "finding what is fought over", seconds, kinds, LEAST_SWEEPS);
    while (rounds_go_on(&r)) {
        const uint32_t i = (uint32_t)(r.done % kinds);
        if (i == 0) sooth_rng_shuffle(&m->rng, kind, kinds);
        sooth_status status = sweep_row(env, m, kind[i], steps, log);
        if (status != SOOTH_OK) return status;
        if (rounds_advance(&r)) return cancelled(env, &r);
    }
    for (uint32_t i = 0; i < kinds; ++i)
        for (uint32_t j = 0; j < kinds; ++j) {
            /* an unfinished last round has only the first rows, so the rounds of all rows count */
            cell_log *cell = &log[kind[i] * PRESSURES + kind[j]];
            keep_quiet_cell(cell, r.done / kinds);
            contend_cell *to = &out->cell[kind[i]][kind[j]];
            *to = contend_cell_of(cell->before, cell->beside, cell->after, cell->count);
            to->present = summarize(cell->present, cell->count).value;
        }
    return SOOTH_OK;
}

/* Measures seeming slowdowns as often again. Otherwise the farthest off of a hundred would be found by
   chance. */
static sooth_status look_again(sooth_env *env, measure *m, const uint64_t *steps, cell_log *log,
                               contend *out) {
    sooth_status status = SOOTH_OK;
    contend_found found;
    contend_judge(out, &found);
    for (uint32_t i = 0; i < PRESSURES * PRESSURES && status == SOOTH_OK; ++i) {
        const uint32_t k = i / PRESSURES, j = i % PRESSURES;
        contend_cell *to = &out->cell[k][j];
        cell_log *cell = &log[i];
        size_t more = cell->count;
        if (!found.slows[k][j]) continue;
        for (; more > 0 && cell->count < MOST_ROUNDS && status == SOOTH_OK; --more) {
            const size_t n = cell->count++;
            double away, nobody;
            status = press(env, m, k, steps[k], PRESSURES, &cell->before[n], &away, &nobody);
            if (status == SOOTH_OK)
                status = press(env, m, k, steps[k], j, &cell->beside[n], &away, &cell->present[n]);
            if (status == SOOTH_OK)
                status = press(env, m, k, steps[k], PRESSURES, &cell->after[n], &away, &nobody);
        }
        if (status != SOOTH_OK) break;
        *to = contend_cell_of(cell->before, cell->beside, cell->after, cell->count);
        to->present = summarize(cell->present, cell->count).value;
    }
    return status;
}

sooth_status measure_contention(sooth_env *env, measure *m, double seconds, contend *out) {
    const double ms = fmin(fmax(0.5 * seconds, 0.5), 2.0);
    uint64_t steps[PRESSURES];
    cell_log *log = (cell_log *)calloc((size_t)PRESSURES * PRESSURES, sizeof *log);
    memset(out, 0, sizeof *out);
    out->cores = stage_about(m->s)->stage;
    if (!log) return stage_fail(env, SOOTH_NO_MEMORY, "no memory for the times of %d kernels", PRESSURES);
    sooth_status status = stage_pressure_load(env, m->s, ms, steps);
    if (status == SOOTH_OK) status = sweep_rows(env, m, seconds, steps, log, out);
    if (status == SOOTH_OK) status = look_again(env, m, steps, log, out);
    free(log);
    return status;
}

void measure_press_on(measure *m, uint32_t kind) { stage_press_on(m->s, kind); }

/* ---- scaling ---- */

/* This many instances may use a quarter of the memory; 4 GiB if the system does not report its size. */
static uint32_t steps_that_fit(stage_task task) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const double memory = pages > 0 && page > 0 ? (double)pages * (double)page : 4294967296.0;
    uint32_t step = 1;
    while (step < SCALING_STEPS &&
           (double)scaling_instances(step) * (double)workload_bytes(task.workload, task.size) <=
               0.25 * memory)
        ++step;
    return step;
}

typedef struct scaling_log {
    double ms[MOST_ROUNDS], joules[MOST_ROUNDS], share[MOST_ROUNDS];
    size_t count;
} scaling_log;

/* The share of the cores' time that the instances had until the last ended. If each has a core, 1: then
   its time on the core counts. */
static double core_share(const stage_times *t, uint32_t instances, uint32_t cores) {
    double sum = 0.0;
    for (uint32_t i = 0; i < instances; ++i) sum += t->ms[i] - t->away_ms[i];
    return instances > cores ? fmin(1.0, sum / (t->bag_ms * (double)cores)) : 1.0;
}

/* All numbers of instances of one program, in random order. */
static sooth_status scale_once(sooth_env *env, measure *m, const scaling_line *line,
                               scaling_log log[SCALING_STEPS]) {
    stage_task task[STAGE_PLACES];
    uint64_t units[STAGE_PLACES];
    uint32_t order[SCALING_STEPS], most = scaling_instances(line->steps - 1);
    for (uint32_t i = 0; i < most; ++i) task[i] = line->task;
    sooth_status status = know_units(env, m, task, 1);
    if (status == SOOTH_OK) status = stage_load(env, m->s, task, most, m->options.seed);
    for (uint32_t i = 0; i < most; ++i) units[i] = m->units[line->task.workload][line->task.size];
    for (uint32_t s = 0; s < line->steps; ++s) order[s] = s;
    sooth_rng_shuffle(&m->rng, order, line->steps);
    for (uint32_t s = 0; s < line->steps && status == SOOTH_OK; ++s) {
        scaling_log *to = &log[order[s]];
        stage_times t;
        status = stage_run(env, m->s, (1u << scaling_instances(order[s])) - 1, units, NULL, &t);
        to->ms[to->count] = t.bag_ms;
        to->joules[to->count] = t.watts * t.bag_ms * 1e-3;
        to->share[to->count++] = core_share(&t, scaling_instances(order[s]), stage_about(m->s)->stage);
    }
    return status;
}

static void finish_scaling(scaling_line *line, const scaling_log log[SCALING_STEPS]) {
    for (uint32_t s = 0; s < line->steps; ++s) {
        double on_cores[MOST_ROUNDS];
        size_t least = 0;
        for (size_t i = 0; i < log[s].count; ++i) {
            on_cores[i] = log[s].ms[i] * log[s].share[i];
            if (on_cores[i] < on_cores[least]) least = i;
        }
        line->ms[s] = log[s].ms[least];
        line->share[s] = log[s].share[least];
        line->spread[s] = summarize(on_cores, log[s].count).value - on_cores[least];
        line->joules[s] =
            isnan(log[s].joules[0]) ? (double)NAN : summarize(log[s].joules, log[s].count).value;
        line->repetitions[s] = (uint32_t)log[s].count;
    }
}

sooth_status measure_scaling(sooth_env *env, measure *m, double seconds, scaling_line *line, size_t lines) {
    rounds r = rounds_begin(m, "many of the same", seconds, lines, LEAST_ROUNDS);
    scaling_log(*log)[SCALING_STEPS] = (scaling_log(*)[SCALING_STEPS])calloc(lines, sizeof *log);
    sooth_status status = SOOTH_OK;
    if (!log) return stage_fail(env, SOOTH_NO_MEMORY, "no memory for the times of %zu programs", lines);
    for (size_t i = 0; i < lines; ++i) line[i].steps = steps_that_fit(line[i].task);
    while (status == SOOTH_OK && rounds_go_on(&r)) {
        const size_t i = r.done % lines;
        status = scale_once(env, m, &line[i], log[i]);
        if (status == SOOTH_OK && rounds_advance(&r)) status = cancelled(env, &r);
    }
    for (size_t i = 0; i < lines && status == SOOTH_OK; ++i) finish_scaling(&line[i], log[i]);
    free(log);
    return status;
}

/* ---- cards ---- */

typedef struct card_log {
    double alone[MOST_ROUNDS];
    double shared[STAGE_MICROS][MOST_ROUNDS];
    double rate_alone[STAGE_MICROS][MOST_ROUNDS], rate_shared[STAGE_MICROS][MOST_ROUNDS];
    double count[COUNTERS][MOST_ROUNDS];
    size_t repetitions;
} card_log;

/* One repetition: the task alone, and every microbenchmark alone and with it, in random order. */
static sooth_status repeat_card(sooth_env *env, measure *m, const measure_card *card, card_log *log) {
    enum { PHASES = 1 + 2 * STAGE_MICROS };
    uint32_t order[PHASES];
    uint64_t units;
    size_t n = log->repetitions++;
    sooth_status status = know_units(env, m, &card->task, 1);
    if (status == SOOTH_OK) status = stage_load(env, m->s, &card->task, 1, m->options.seed);
    units = m->units[card->task.workload][card->task.size];
    for (uint32_t k = 0; k < PHASES; ++k) order[k] = k;
    sooth_rng_shuffle(&m->rng, order, PHASES);
    for (uint32_t k = 0; k < PHASES && status == SOOTH_OK; ++k) {
        uint32_t micro = order[k] / 2;
        stage_companion companion;
        stage_times t;
        companion.micro = (stage_micro)micro;
        companion.ms = 6.0;
        if (micro == STAGE_MICROS) {
            status = run_alone(env, m, 0, &units, &t);
            log->alone[n] = t.ms[0];
            for (uint32_t c = 0; c < COUNTERS; ++c) log->count[c][n] = t.count[0][c];
        } else if (order[k] % 2) {
            status = stage_run(env, m->s, 0, &units, &companion, &t);
            log->rate_alone[micro][n] = t.rate;
        } else {
            status = stage_run(env, m->s, 1u, &units, &companion, &t);
            log->shared[micro][n] = t.ms[0];
            log->rate_shared[micro][n] = t.rate;
        }
    }
    return status;
}

double measure_fairness(double slowdown, double rate) {
    const double shared[2] = {1.0 / slowdown, rate}, alone[2] = {1.0, 1.0};
    double fairness;
    return sooth_fairness(NULL, shared, alone, 2, &fairness) == SOOTH_OK ? fairness : (double)NAN;
}

static void finish_card(const measure *m, measure_card *card, const card_log *log) {
    size_t n = log->repetitions;
    int k;
    card->bytes = workload_bytes(card->task.workload, card->task.size);
    card->units = m->units[card->task.workload][card->task.size];
    card->alone_ms = summarize(log->alone, n);
    for (k = 0; k < STAGE_MICROS; ++k) {
        card->slowdown[k] = summarize_ratio(log->shared[k], log->alone, n);
        card->rate[k] = summarize_ratio(log->rate_shared[k], log->rate_alone[k], n);
        card->fairness[k] = measure_fairness(card->slowdown[k].value, card->rate[k].value);
    }
    for (k = 0; k < COUNTERS; ++k)
        card->count[k] = isnan(log->count[k][0]) ? (double)NAN : summarize(log->count[k], n).value;
    card->repetitions = (uint32_t)n;
}

sooth_status measure_cards(sooth_env *env, measure *m, double seconds, measure_card card[MEASURE_TASKS]) {
    rounds r = rounds_begin(m, "describing single tasks", seconds, MEASURE_TASKS, LEAST_ROUNDS);
    card_log *log = (card_log *)calloc(MEASURE_TASKS, sizeof *log);
    uint32_t order[MEASURE_TASKS], i = MEASURE_TASKS;
    sooth_status status = SOOTH_OK;
    if (!log)
        return stage_fail(env, SOOTH_NO_MEMORY, "no memory for the times of %d tasks", (int)MEASURE_TASKS);
    memset(card, 0, MEASURE_TASKS * sizeof *card);
    while (status == SOOTH_OK && rounds_go_on(&r)) {
        if (i == MEASURE_TASKS) {
            for (i = 0; i < MEASURE_TASKS; ++i) order[i] = i;
            sooth_rng_shuffle(&m->rng, order, MEASURE_TASKS);
            i = 0;
        }
        card[order[i]].task = task_of(order[i] / WORKLOAD_SIZES, order[i] % WORKLOAD_SIZES);
        status = repeat_card(env, m, &card[order[i]], &log[order[i]]);
        if (status == SOOTH_OK && rounds_advance(&r)) status = cancelled(env, &r);
        ++i;
    }
    for (i = 0; i < MEASURE_TASKS && status == SOOTH_OK; ++i) finish_card(m, &card[i], &log[i]);
    free(log);
    return status;
}

/* ---- plan ---- */

/* The large inputs come twice as often as the others: it is they that contend. */
enum { TURNS = 4, FONDNESS = 4, CARDS = FONDNESS * WORKLOADS * TURNS };
static uint32_t size_at_turn(uint32_t turn) {
    static const uint32_t size[TURNS] = {2, 0, 2, 1};
    return size[turn % TURNS];
}

static int tasks_fight(const contend_found *found, stage_task a, stage_task b) {
    return found && contend_fight(found, pressure_of(a.workload, a.size), pressure_of(b.workload, b.size));
}

/* Whether a task presses on a contended part, or is slowed by one. */
static int task_fights(const contend_found *found, stage_task task) {
    for (uint32_t k = 0; k < PRESSURES && found; ++k)
        if (contend_fight(found, pressure_of(task.workload, task.size), k)) return 1;
    return 0;
}

/* Deals tasks like playing cards: all of them, in random order, before any comes again. Those that fight
   are in the deck FONDNESS times. */
typedef struct deck {
    sooth_rng rng;
    stage_task card[CARDS];
    uint32_t cards, dealt;
} deck;

static void fill_deck(deck *d, const contend_found *found) {
    d->cards = 0;
    for (uint32_t i = 0; i < WORKLOADS * TURNS; ++i) {
        const stage_task task = task_of(i / TURNS, size_at_turn(i));
        d->card[d->cards++] = task;
        for (uint32_t more = 1; more < FONDNESS && task_fights(found, task); ++more)
            d->card[d->cards++] = task;
    }
    d->dealt = d->cards;
}

static stage_task deal(deck *d) {
    if (d->dealt == d->cards) {
        for (uint32_t i = d->cards; i > 1; --i) {
            const uint32_t j = sooth_rng_below(&d->rng, i);
            const stage_task kept = d->card[i - 1];
            d->card[i - 1] = d->card[j];
            d->card[j] = kept;
        }
        d->dealt = 0;
    }
    return d->card[d->dealt++];
}

/* Gives these workloads two sizes in which they fight, any such, if there are some. */
static void sizes_that_fight(sooth_rng *rng, const contend_found *found, stage_task *first,
                             stage_task *second) {
    stage_task some[2];
    uint32_t n = 0;
    for (uint32_t i = 0; i < WORKLOAD_SIZES * WORKLOAD_SIZES && found; ++i) {
        const stage_task one = task_of(first->workload, i / WORKLOAD_SIZES),
                         other = task_of(second->workload, i % WORKLOAD_SIZES);
        if (first->workload == second->workload && one.size != other.size) continue;
        if (!tasks_fight(found, one, other) || sooth_rng_below(rng, ++n) != 0) continue;
        some[0] = one;
        some[1] = other;
    }
    if (n == 0) return;
    *first = some[0];
    *second = some[1];
}

/* Every pair of workloads once, in random order, its sizes in turns. Every second pair takes sizes that
   fight, if they exist. Each pair waits for a random length, and those that fight wait a quarter as long
   on average (FONDNESS). The order is that of the ends of these waits. This is drawing without
   replacement, with probabilities by weight (Efraimidis and Spirakis 2006). */
static void plan_pairs(sooth_rng *rng, const contend_found *found, measure_bag *bag) {
    uint32_t turn[WORKLOADS], n = 0;
    measure_bag pair[MEASURE_ALL_PAIRS];
    double wait[MEASURE_ALL_PAIRS];
    for (uint32_t a = 0; a < WORKLOADS; ++a) turn[a] = sooth_rng_below(rng, TURNS);
    for (uint32_t a = 0; a < WORKLOADS; ++a)
        for (uint32_t b = a; b < WORKLOADS; ++b) {
            stage_task first = task_of(a, size_at_turn(turn[a]++));
            stage_task second = a == b ? first : task_of(b, size_at_turn(turn[b]++));
            if (n % 2) sizes_that_fight(rng, found, &first, &second);
            const double part = ((double)sooth_rng_next(rng) + 0.5) / 4294967296.0;
            uint32_t i = n++;
            const double mine = -log(part) / (tasks_fight(found, first, second) ? FONDNESS : 1.0);
            for (; i > 0 && wait[i - 1] > mine; --i) {
                wait[i] = wait[i - 1];
                pair[i] = pair[i - 1];
            }
            wait[i] = mine;
            pair[i] = pair_of(first, second);
        }
    memcpy(bag, pair, MEASURE_PAIRS * sizeof *bag);
}

size_t measure_fighting(const contend_found *found, const measure_bag *bag, size_t bags) {
    size_t count = 0;
    for (size_t i = 0; i < bags; ++i) {
        int fight = 0;
        for (uint32_t a = 0; a < bag[i].tasks; ++a)
            for (uint32_t b = 0; b < a; ++b)
                fight |= tasks_fight(found, bag[i].member[a].task, bag[i].member[b].task);
        count += fight != 0;
    }
    return count;
}

size_t measure_plan(uint64_t seed, double seconds, const contend_found *found,
                    measure_bag bag[MEASURE_MOST_BAGS]) {
    const double full_s = 50.0; /* for five rounds of everything */
    double part = seconds < full_s ? seconds / full_s : 1.0;
    size_t pairs = (size_t)(part * MEASURE_PAIRS), larger = (size_t)(part * MEASURE_LARGER);
    deck d;
    if (pairs < WORKLOADS) pairs = WORKLOADS;
    if (larger < 4) larger = 4;
    sooth_rng_init(&d.rng, seed, 2);
    plan_pairs(&d.rng, found, bag);
    fill_deck(&d, found);
    size_t n = pairs;
    for (uint32_t tasks = 3; tasks <= STAGE_TASKS; ++tasks)
        for (size_t i = 0; i < larger; ++i, ++n) {
            memset(&bag[n], 0, sizeof bag[n]);
            bag[n].tasks = tasks;
            for (uint32_t k = 0; k < tasks; ++k) bag[n].member[k].task = deal(&d);
        }
    return n;
}
