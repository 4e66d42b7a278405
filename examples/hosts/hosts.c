/* hosts.c - a scheduler for two cores that asks a predictor which waiting jobs to run beside each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/hosts                                    measures this machine, learns, and runs the queues:
 * within a minute build/hosts --recorded examples/colocate/data  the same with recorded measurements: nothing
 * is run, twice the same build/hosts --recorded DIR --schedule FILE     also writes the first queue's
 * schedule, a round a line
 *
 * A job is a workload of examples/colocate and a number of rounds. In a round both cores do one piece of
 * their jobs, of about 10 ms alone, side by side; it ends when both have. A job whose rounds are done leaves,
 * and the next one comes from the queue:
 *
 *   first-come   the oldest
 *   random       any of the first WINDOW
 *   predicted    of the first WINDOW, the one whose company costs least: the predicted time of a round beside
 * the job on the other core, less the mean of what it would cost beside all workloads. One whose deadline is
 * close goes before, and the oldest once it has been passed over WINDOW times, so nobody waits for ever.
 *
 * The predictor is that of examples/colocate/study.h, a forest over ideal processor sharing. With recorded
 * measurements it predicts each pair from bags that do not contain the pair: it learns from the even numbered
 * ones for the odd ones, and the other way round. What happens is then what was recorded of that pair of
 * workloads.
 *
 * Told of each policy: makespan; unfairness (largest less smallest slowdown of a round over the largest: eq.
 * 11 of Themis), mean over rounds; jobs that missed their deadline, which lies at 0.7 to 1.5 times (drawn at
 * random) the work of the queue up to the job at full speed, and twice its own later. The last line is the
 * work of the queues shared out evenly and slowed by nothing: no policy is below.
 */
#define SOOTH_IMPLEMENTATION
#include "../colocate/records.h"
#include "../colocate/study.h"
#include "sooth/allocate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CORES = 2,
    JOBS = 40,
    LIVE_JOBS = 12,
    QUEUES = 50,
    LIVE_QUEUES = 2,
    WINDOW = 8,
    MOST_ROUNDS = 4,
    LARGE = WORKLOAD_SIZES - 1
};
#define URGENT_MS 15.0 /* a job with less time to spare goes at once */

typedef enum policy { FIRST_COME, RANDOM, PREDICTED, POLICIES } policy;
static const char *const policy_name[POLICIES] = {"first-come", "random", "predicted"};

typedef struct job {
    uint32_t workload;
    int rounds; /* still to do */
    int passed; /* how often a younger one went before it */
    double deadline_ms;
} job;

/* Two cores, and what is known about workloads beside each other. */
typedef struct host {
    double alone_ms[WORKLOADS];
    double guess_ms[WORKLOADS][WORKLOADS]; /* predicted time of a round */
    double slowdown[WORKLOADS][WORKLOADS]; /* recorded: of the first beside the second */
    stage *live;                           /* NULL: recorded */
    uint64_t units[WORKLOADS];             /* of a piece, live */
    uint32_t loaded[CORES];
    FILE *schedule; /* NULL: not written */
} host;

typedef struct outcome {
    double makespan_ms, unfairness;
    int missed;
} outcome;

/* ---- what is known ---- */

static measure_card cards[MEASURE_TASKS];
static measure_bag bags[MEASURE_MOST_BAGS];
static study_card study_cards[MEASURE_TASKS];
static study_bag study_bags[MEASURE_MOST_BAGS];

static void describe(size_t count, uint32_t cores, study_data *data) {
    static const char *name[WORKLOADS];
    size_t i, k;
    for (i = 0; i < MEASURE_TASKS; ++i) {
        study_cards[i].workload = cards[i].task.workload;
        for (k = 0; k < STUDY_MICROS; ++k) {
            study_cards[i].slowdown[k] = cards[i].slowdown[k].value;
            study_cards[i].pressure[k] = 1.0 / cards[i].rate[k].value;
        }
    }
    for (i = 0; i < WORKLOADS; ++i) name[i] = workloads[i].name;
    for (i = 0; i < count; ++i) {
        study_bags[i].tasks = bags[i].tasks;
        study_bags[i].bag_ms = bags[i].bag_ms.value;
        for (k = 0; k < bags[i].tasks; ++k) {
            const measure_member *from = &bags[i].member[k];
            study_bags[i].card[k] = from->task.workload * WORKLOAD_SIZES + from->task.size;
            study_bags[i].alone_ms[k] = from->alone_ms;
            study_bags[i].shared_ms[k] = from->shared_ms;
        }
    }
    memset(data, 0, sizeof *data);
    data->card = study_cards;
    data->bag = study_bags;
    data->cards = MEASURE_TASKS;
    data->bags = count;
    data->workloads = WORKLOADS;
    data->workload_name = name;
    data->cores = cores;
}

/* Every pair of workloads as it was recorded, and as the half of the bags without it predicts it. Pieces are
 * 10 ms. */
static sooth_status know_recorded(sooth_env *env, const study_data *data, host *h) {
    uint32_t row[MEASURE_MOST_BAGS], half;
    sooth_status status = SOOTH_OK;
    size_t i, n;
    for (i = 0; i < WORKLOADS; ++i) h->alone_ms[i] = 10.0;
    for (half = 0; half < 2 && status == SOOTH_OK; ++half) {
        study_model model;
        for (n = 0, i = 0; i < data->bags; ++i)
            if (i % 2 != half) row[n++] = (uint32_t)i;
        status = study_train(env, data, STUDY_FOREST_RATIO, row, n, &model);
        if (status != SOOTH_OK) return status;
        for (i = half; i < data->bags; i += 2) {
            const study_bag *b = &data->bag[i];
            const uint32_t u = data->card[b->card[0]].workload, v = data->card[b->card[1]].workload;
            if (b->tasks != 2) continue;
            h->slowdown[u][v] = fmax(1.0, bags[i].member[0].slowdown);
            h->slowdown[v][u] = fmax(1.0, bags[i].member[1].slowdown);
            h->guess_ms[u][v] = h->guess_ms[v][u] =
                10.0 * study_predict(&model, data, b) / fmax(b->alone_ms[0], b->alone_ms[1]);
        }
        study_free(env, &model);
    }
    for (i = 0; i < WORKLOADS * WORKLOADS; ++i)
        if (!(h->slowdown[i / WORKLOADS][i % WORKLOADS] > 0))
            return stage_fail(env, SOOTH_BAD_DATA, "the records have no pair of %s and %s",
                              workloads[i / WORKLOADS].name, workloads[i % WORKLOADS].name);
    return SOOTH_OK;
}

/* All pairs of the largest inputs, predicted from what was measured just now. */
static sooth_status know_live(sooth_env *env, const study_data *data, host *h) {
    uint32_t row[MEASURE_MOST_BAGS], u, v;
    study_model model;
    sooth_status status;
    for (u = 0; u < data->bags; ++u) row[u] = u;
    status = study_train(env, data, STUDY_FOREST_RATIO, row, data->bags, &model);
    if (status != SOOTH_OK) return status;
    for (u = 0; u < WORKLOADS; ++u) {
        h->alone_ms[u] = cards[u * WORKLOAD_SIZES + LARGE].alone_ms.value;
        h->units[u] = cards[u * WORKLOAD_SIZES + LARGE].units;
    }
    for (u = 0; u < WORKLOADS; ++u)
        for (v = 0; v < WORKLOADS; ++v) {
            study_bag pair;
            memset(&pair, 0, sizeof pair);
            pair.tasks = 2;
            pair.card[0] = u * WORKLOAD_SIZES + LARGE;
            pair.card[1] = v * WORKLOAD_SIZES + LARGE;
            pair.alone_ms[0] = h->alone_ms[u];
            pair.alone_ms[1] = h->alone_ms[v];
            h->guess_ms[u][v] = study_predict(&model, data, &pair);
        }
    study_free(env, &model);
    return SOOTH_OK;
}

/* ---- rounds ---- */

/* One piece of each job that is there (NULL: the core is idle). */
static sooth_status run_round(sooth_env *env, host *h, job *const *on, double ms[CORES]) {
    uint64_t units[STAGE_TASKS] = {0};
    stage_task task[CORES];
    stage_times times;
    uint32_t who = 0, i;
    int same = 1;
    sooth_status status = SOOTH_OK;
    for (i = 0; i < CORES; ++i) {
        const job *other = on[1 - i];
        ms[i] = on[i] ? h->alone_ms[on[i]->workload] *
                            (other && !h->live ? h->slowdown[on[i]->workload][other->workload] : 1.0)
                      : 0.0;
        if (!on[i]) continue;
        who |= 1u << i;
        units[i] = h->units[on[i]->workload];
        same &= h->loaded[i] == on[i]->workload;
    }
    if (!h->live) return SOOTH_OK;
    for (i = 0; i < CORES; ++i) {
        if (on[i]) h->loaded[i] = on[i]->workload;
        task[i].workload = h->loaded[i] < WORKLOADS ? h->loaded[i] : 0;
        task[i].size = LARGE;
    }
    if (!same) status = stage_load(env, h->live, task, CORES, 42);
    if (status == SOOTH_OK) status = stage_run(env, h->live, who, units, NULL, &times);
    for (i = 0; i < CORES && status == SOOTH_OK; ++i)
        if (on[i]) ms[i] = times.ms[i];
    return status;
}

/* What a round beside `other` costs more than one beside just anybody. */
static double cost_of(const host *h, uint32_t workload, const job *other) {
    double mean = 0.0;
    uint32_t v;
    for (v = 0; v < WORKLOADS; ++v) mean += h->guess_ms[workload][v] / WORKLOADS;
    return other ? h->guess_ms[workload][other->workload] - mean : -mean;
}

/* Which of the waiting goes next, its place in the queue. */
static int next_of(const host *h, policy p, job *const *queue, int waiting, const job *other, double now,
                   sooth_rng *rng) {
    int window = waiting < WINDOW ? waiting : WINDOW, i, best = 0, urgent = -1;
    double least = URGENT_MS;
    if (p == RANDOM) return (int)sooth_rng_below(rng, (uint32_t)window);
    if (p == FIRST_COME) return 0;
    for (i = 0; i < window; ++i) {
        const double slack = queue[i]->deadline_ms - now - queue[i]->rounds * h->alone_ms[queue[i]->workload];
        if (slack < 0.0 || slack >= least) continue; /* too late anyway, or time enough */
        least = slack;
        urgent = i;
    }
    if (urgent >= 0) return urgent;
    if (!other || queue[0]->passed >= WINDOW) return 0;
    for (i = 1; i < window; ++i)
        if (cost_of(h, queue[i]->workload, other) < cost_of(h, queue[best]->workload, other)) best = i;
    return best;
}

static sooth_status run_queue(sooth_env *env, host *h, policy p, const job *list, int jobs, uint64_t seed,
                              outcome *out) {
    job all[JOBS], *queue[JOBS], *on[CORES] = {NULL, NULL};
    int waiting = jobs, rounds = 0, shared = 0, i, k;
    double unfairness = 0.0, now = 0.0;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 1);
    memcpy(all, list, (size_t)jobs * sizeof *all);
    for (i = 0; i < jobs; ++i) queue[i] = &all[i];
    memset(out, 0, sizeof *out);
    for (;; ++rounds) {
        double ms[CORES];
        sooth_status status;
        for (i = 0; i < CORES; ++i) {
            int at;
            if (on[i] || waiting == 0) continue;
            at = next_of(h, p, queue, waiting, on[1 - i], now, &rng);
            on[i] = queue[at];
            for (k = 0; k < at; ++k) ++queue[k]->passed;
            memmove(queue + at, queue + at + 1, (size_t)(--waiting - at) * sizeof *queue);
        }
        if (!on[0] && !on[1]) break;
        status = run_round(env, h, on, ms);
        if (status != SOOTH_OK) return status;
        if (h->schedule)
            fprintf(h->schedule, "%s,%s,%.17g,%.17g\n", on[0] ? workloads[on[0]->workload].name : "",
                    on[1] ? workloads[on[1]->workload].name : "", ms[0], ms[1]);
        if (on[0] && on[1]) {
            float slowdown[CORES];
            for (i = 0; i < CORES; ++i) slowdown[i] = (float)(ms[i] / h->alone_ms[on[i]->workload]);
            unfairness += (double)sooth_allocate_unfairness(slowdown, NULL, CORES);
            ++shared;
        }
        for (i = 0; i < CORES; ++i) {
            if (!on[i] || --on[i]->rounds > 0) continue;
            out->missed += now + ms[i] > on[i]->deadline_ms;
            on[i] = NULL;
        }
        now += fmax(ms[0], ms[1]);
    }
    out->makespan_ms = now;
    out->unfairness = shared ? unfairness / shared : 0.0;
    return SOOTH_OK;
}

/* ---- queues ---- */

static void make_queue(const host *h, uint64_t seed, job *list, int jobs) {
    double work = 0.0;
    sooth_rng rng;
    int i;
    sooth_rng_init(&rng, seed, 0);
    for (i = 0; i < jobs; ++i) {
        memset(&list[i], 0, sizeof list[i]);
        list[i].workload = sooth_rng_below(&rng, WORKLOADS);
        list[i].rounds = 1 + (int)sooth_rng_below(&rng, MOST_ROUNDS);
        work += list[i].rounds * h->alone_ms[list[i].workload];
        list[i].deadline_ms = (0.7 + 0.8 * sooth_rng_double(&rng)) * work / CORES +
                              2.0 * list[i].rounds * h->alone_ms[list[i].workload];
    }
}

static sooth_status compare(sooth_env *env, host *h, int queues, int jobs, const char *schedule) {
    outcome sum[POLICIES];
    sooth_status status;
    double work = 0.0;
    int q, p, i;
    memset(sum, 0, sizeof sum);
    for (q = 0; q < queues; ++q)
        for (p = 0; p < POLICIES; ++p) {
            job list[JOBS];
            outcome one;
            make_queue(h, (uint64_t)q, list, jobs);
            for (i = 0; i < jobs && p == 0; ++i)
                work += list[i].rounds * h->alone_ms[list[i].workload] / CORES / queues;
            if (schedule && q == 0 && p == PREDICTED && !(h->schedule = fopen(schedule, "w")))
                return stage_fail(env, SOOTH_BAD_ARGUMENT, "cannot write %s", schedule);
            status = run_queue(env, h, (policy)p, list, jobs, (uint64_t)q, &one);
            if (h->schedule) {
                printf("schedule of %.9g ms in %s\n", one.makespan_ms, schedule);
                fclose(h->schedule);
                h->schedule = NULL;
            }
            if (status != SOOTH_OK) return status;
            sum[p].makespan_ms += one.makespan_ms / queues;
            sum[p].unfairness += one.unfairness / queues;
            sum[p].missed += one.missed;
        }
    printf("%d queues of %d jobs on %d cores\n%-12s %12s %11s %17s\n", queues, jobs, CORES, "", "makespan ms",
           "unfairness", "missed deadlines");
    for (p = 0; p < POLICIES; ++p)
        printf("%-12s %12.1f %11.4f %16.1f%%\n", policy_name[p], sum[p].makespan_ms, sum[p].unfairness,
               100.0 * sum[p].missed / (queues * jobs));
    printf("%-12s %12.1f\n", "no slowdown", work);
    return SOOTH_OK;
}

/* ---- the two modes ---- */

static sooth_status recorded(sooth_env *env, const char *folder, const char *schedule) {
    static host h;
    char path[600];
    study_data data;
    size_t count = 0;
    uint32_t cores = 0;
    sooth_status status;
    snprintf(path, sizeof path, "%s/instances.csv", folder);
    status = records_read_cards(env, path, cards);
    snprintf(path, sizeof path, "%s/bags.csv", folder);
    if (status == SOOTH_OK) status = records_read_bags(env, path, bags, MEASURE_MOST_BAGS, &count, &cores);
    if (status != SOOTH_OK) return status;
    describe(count, cores, &data);
    status = know_recorded(env, &data, &h);
    return status == SOOTH_OK ? compare(env, &h, QUEUES, JOBS, schedule) : status;
}

static sooth_status live(sooth_env *env, const char *schedule) {
    static host h;
    measure_options options;
    study_data data;
    measure *m = NULL;
    size_t count = 0;
    sooth_status status;
    uint32_t cores = CORES, i;
    memset(&options, 0, sizeof options);
    options.cores = CORES;
    options.seed = 1;
    status = measure_open(env, &options, &m);
    if (status == SOOTH_OK) {
        cores = measure_about(m)->stage;
        printf("%s\n", measure_machine(m));
        if (cores < CORES)
            status = stage_fail(env, SOOTH_BAD_ARGUMENT,
                                "this machine lends %u core, but the scheduler needs %d", cores, CORES);
    }
    if (status == SOOTH_OK) status = measure_cards(env, m, 5.0, cards);
    if (status == SOOTH_OK) {
        count = measure_plan(1, 10.0, bags);
        status = measure_bags(env, m, 10.0, bags, count);
        printf("measured; single tasks waited for a core %.1f %% of their time: below 2 %% the machine was "
               "quiet\n",
               100.0 * measure_disturbance(m));
        fflush(stdout);
    }
    measure_close(m);
    if (status != SOOTH_OK) return status;
    describe(count, cores, &data);
    status = know_live(env, &data, &h);
    if (status == SOOTH_OK) status = stage_open(env, CORES, &h.live);
    if (status != SOOTH_OK) return status;
    for (i = 0; i < CORES; ++i) h.loaded[i] = WORKLOADS;
    status = compare(env, &h, LIVE_QUEUES, LIVE_JOBS, schedule);
    stage_close(h.live);
    return status;
}

int main(int count, char **word) {
    const char *folder = NULL, *schedule = NULL;
    sooth_env env;
    sooth_status status;
    int i;
    for (i = 1; i < count; i += 2) {
        const int is_folder = strcmp(word[i], "--recorded") == 0;
        if (!is_folder && strcmp(word[i], "--schedule") != 0) {
            fprintf(stderr, "hosts: there is no option %s; there are --recorded DIR and --schedule FILE\n",
                    word[i]);
            return 2;
        }
        if (i + 1 == count) {
            fprintf(stderr, "hosts: %s needs a path\n", word[i]);
            return 2;
        }
        if (is_folder) folder = word[i + 1];
        else schedule = word[i + 1];
    }
    sooth_env_init(&env);
    status = folder ? recorded(&env, folder, schedule) : live(&env, schedule);
    if (status == SOOTH_OK) return 0;
    fprintf(stderr, "hosts: %s\n", env.sentence[0] ? env.sentence : sooth_status_text(status));
    return 1;
}
