/* hosts.c - a scheduler for two cores that predicts which waiting jobs to run next to each other.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/hosts                                     measures this machine, learns, runs queues: minutes
 *     build/hosts --recorded examples/colocate/data   recorded measurements: nothing runs, always the same
 *
 * A job is a workload of examples/colocate and a number of rounds. In a round both cores do one piece of
 * their jobs, of about 10 ms alone, in parallel. It ends when both have. A job whose rounds are done leaves,
 * and the next one comes from the queue:
 *
 *     first-come   the oldest
 *     random       any of the first WINDOW
 *     predicted    of the first WINDOW, the one with the min cost: the predicted time of a round next to the
 *                  job on the other core, less the mean of its cost next to all workloads. One whose deadline
 *                  is close goes before, and the oldest once it has been passed over WINDOW times, so no job
 *                  waits for ever.
 *
 * Recorded jobs are of all workloads, in the sizes that were recorded together. Live jobs are of the largest
 * sizes of six: three that use more memory than the caches hold, and three that compute.
 *
 * The predictor is that of examples/colocate/study.h, a forest over ideal processor sharing. Every pair is
 * predicted by a forest of its own, fitted to all bags but those with these two workloads together. The true
 * time of a pair is the recorded one, or live the measured one.
 *
 * Printed for each policy are the makespan, the unfairness, and the jobs that missed their deadline.
 * Unfairness is eq. 11 of Themis (largest less smallest slowdown of a round over the largest), as a mean over
 * rounds. A deadline is 0.7 to 1.5 times (drawn at random) the work of the queue up to the job at full speed,
 * plus twice its own. Live, every queue runs REPEATS times under each policy, in turn, and medians are
 * printed.
 *
 * Two lines show the possible gain. "bound" is the min makespan of any schedule, by the measured times of all
 * pairs. Each piece has at most one neighbour. So the cheapest way to make pairs of pieces is below every
 * schedule (the assignment problem, which may even split a piece in two halves with different neighbours).
 * "no slowdown" is the work shared out evenly without any slowdown.
 */
#define SOOTH_IMPLEMENTATION
#include "../colocate/describe.h"
#include "../colocate/records.h"
#include "sooth/slowdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CORES = 2,
    KINDS = 13,     /* of jobs */
    LIVE_KINDS = 6, /* whose pairs are all measured live */
    JOBS = 40,
    LIVE_JOBS = 12,
    QUEUES = 200,
    LIVE_QUEUES = 2,
    REPEATS = 5,
    WINDOW = 8,
    MOST_ROUNDS = 4,
    PIECES = JOBS * MOST_ROUNDS,
    PAIRS = LIVE_KINDS * (LIVE_KINDS + 1) / 2,
    LARGE = WORKLOAD_SIZES - 1
};
#define PIECE_MS 10.0
#define URGENT_MS 15.0 /* a job with less time to spare goes at once */

/* Live, the first six: three use more memory than the caches hold, three compute. Recorded, those with all
   pairs measured come to the front. */
static uint32_t kinds[KINDS] = {WORKLOAD_HASH,       WORKLOAD_TREE,    WORKLOAD_STENCIL, WORKLOAD_MATRIX,
                                WORKLOAD_FACES,      WORKLOAD_CORNERS, WORKLOAD_BLUR,    WORKLOAD_GRADIENTS,
                                WORKLOAD_NEIGHBOURS, WORKLOAD_VECTORS, WORKLOAD_SORT,    WORKLOAD_SPARSE,
                                WORKLOAD_AXPY};

typedef enum policy { FIRST_COME, RANDOM, PREDICTED, POLICIES } policy;
static const char *const policy_name[POLICIES] = {"first-come", "random", "predicted"};

typedef struct job {
    uint32_t kind;
    int rounds; /* still to do */
    int passed; /* times that a younger one went before it */
    double deadline_ms;
} job;

/* Two cores, and the known times of kinds of jobs next to each other. */
typedef struct host {
    uint32_t kinds;                /* those that jobs are made of */
    double guess_ms[KINDS][KINDS]; /* predicted time of a round */
    double slow_ms[KINDS][KINDS];  /* measured time of the first next to the second */
    stage *live;                   /* NULL: recorded */
    uint64_t units[KINDS];         /* of a piece, live */
    uint32_t loaded[CORES];
} host;

typedef struct outcome {
    double makespan_ms, unfairness, missed;
} outcome;

/* ---- the known times ---- */

static measure_card cards[MEASURE_TASKS];
static measure_bag bags[MEASURE_MOST_BAGS];
static describe_room room;

static int kind_of(uint32_t workload) {
    int k = 0;
    while (k < KINDS && kinds[k] != workload) ++k;
    return k;
}

/* Whether workloads u and v are both in a bag (u = v: twice). */
static int together(const study_data *data, const study_bag *b, uint32_t u, uint32_t v) {
    for (uint32_t i = 0; i < b->tasks; ++i)
        for (uint32_t j = 0; j < b->tasks; ++j)
            if (i != j && data->workload[b->card[i]] == u && data->workload[b->card[j]] == v) return 1;
    return 0;
}

/* The time of a pair, for all sizes, from the bags of `data` without these two workloads together. */
static sooth_status predict_pair(sooth_env *env, const study_data *data, const measure_bag *pair,
                                 double *ms) {
    uint32_t row[MEASURE_MOST_BAGS];
    size_t n = 0;
    study_bag one;
    study_model model;
    for (size_t i = 0; i < data->bags; ++i)
        if (!together(data, &data->bag[i], pair->member[0].task.workload, pair->member[1].task.workload))
            row[n++] = (uint32_t)i;
    sooth_status status = study_train(env, data, STUDY_FOREST_RATIO, row, n, &model);
    if (status != SOOTH_OK) return status;
    describe_bag(pair, &one);
    *ms = study_predict(&model, data, &one);
    study_free(env, &model);
    return SOOTH_OK;
}

/* The times of kinds in pair[0..count), for pieces of PIECE_MS. */
static sooth_status know(sooth_env *env, const study_data *data, const measure_bag *pair, size_t count,
                         host *h) {
    for (size_t i = 0; i < count; ++i) {
        const measure_member *m = pair[i].member;
        const int a = kind_of(m[0].task.workload), b = kind_of(m[1].task.workload);
        double ms = PIECE_MS;
        if (pair[i].tasks != 2 || a == KINDS || b == KINDS) continue;
        sooth_status status = predict_pair(env, data, &pair[i], &ms);
        if (status != SOOTH_OK) return status;
        h->guess_ms[a][b] = h->guess_ms[b][a] = PIECE_MS * ms / fmax(m[0].alone_ms, m[1].alone_ms);
        h->slow_ms[a][b] = PIECE_MS * fmax(1.0, m[0].slowdown);
        h->slow_ms[b][a] = PIECE_MS * fmax(1.0, m[1].slowdown);
    }
    for (uint32_t u = 0; u < h->kinds; ++u)
        for (uint32_t v = 0; v < h->kinds; ++v)
            if (!(h->slow_ms[u][v] > 0.0))
                return stage_fail(env, SOOTH_BAD_DATA, "no pair of %s and %s was measured",
                                  workloads[kinds[u]].name, workloads[kinds[v]].name);
    return SOOTH_OK;
}

/* ---- rounds ---- */

/* One piece of each job that is there (NULL: the core is idle). */
static sooth_status run_round(sooth_env *env, host *h, job *const *on, double ms[CORES]) {
    uint64_t units[STAGE_TASKS] = {0};
    stage_task task[CORES];
    stage_times times;
    uint32_t who = 0;
    int same = 1;
    sooth_status status = SOOTH_OK;
    for (uint32_t i = 0; i < CORES; ++i) {
        const job *other = on[1 - i];
        ms[i] = 0.0;
        if (!on[i]) continue;
        ms[i] = other ? h->slow_ms[on[i]->kind][other->kind] : PIECE_MS;
        who |= 1u << i;
        units[i] = h->units[on[i]->kind];
        same &= h->loaded[i] == on[i]->kind;
    }
    if (!h->live) return SOOTH_OK;
    for (uint32_t i = 0; i < CORES; ++i) {
        if (on[i]) h->loaded[i] = on[i]->kind;
        task[i].workload = kinds[h->loaded[i] < KINDS ? h->loaded[i] : 0];
        task[i].size = LARGE;
    }
    if (!same) status = stage_load(env, h->live, task, CORES, 42);
    if (status == SOOTH_OK) status = stage_run(env, h->live, who, units, NULL, &times);
    for (uint32_t i = 0; i < CORES && status == SOOTH_OK; ++i)
        if (on[i]) ms[i] = times.ms[i];
    return status;
}

/* The cost of a round next to `other` in excess of its mean over all neighbours. */
static double cost_of(const host *h, uint32_t kind, const job *other) {
    double mean = 0.0;
    for (uint32_t v = 0; v < h->kinds; ++v) mean += h->guess_ms[kind][v] / h->kinds;
    return h->guess_ms[kind][other->kind] - mean;
}

/* Which of the waiting goes next, its place in the queue. */
static int next_of(const host *h, policy p, job *const *queue, int waiting, const job *other, double now,
                   sooth_rng *rng) {
    int window = waiting < WINDOW ? waiting : WINDOW, best = 0, urgent = -1;
    double least = URGENT_MS;
    if (p == RANDOM) return (int)sooth_rng_below(rng, (uint32_t)window);
    if (p == FIRST_COME) return 0;
    for (int i = 0; i < window; ++i) {
        const double slack = queue[i]->deadline_ms - now - queue[i]->rounds * PIECE_MS;
        if (slack < 0.0 || slack >= least) continue; /* too late anyway, or time enough */
        least = slack;
        urgent = i;
    }
    if (urgent >= 0) return urgent;
    if (!other || queue[0]->passed >= WINDOW) return 0;
    for (int i = 1; i < window; ++i)
        if (cost_of(h, queue[i]->kind, other) < cost_of(h, queue[best]->kind, other)) best = i;
    return best;
}

static sooth_status run_queue(sooth_env *env, host *h, policy p, const job *list, int jobs, uint64_t seed,
                              outcome *out) {
    job all[JOBS], *queue[JOBS], *on[CORES] = {NULL, NULL};
    int waiting = jobs, shared = 0;
    double unfairness = 0.0, now = 0.0;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 1);
    memcpy(all, list, (size_t)jobs * sizeof *all);
    for (int i = 0; i < jobs; ++i) queue[i] = &all[i];
    memset(out, 0, sizeof *out);
    for (;;) {
        double ms[CORES];
        for (int i = 0; i < CORES; ++i) {
            if (on[i] || waiting == 0) continue;
            int at = next_of(h, p, queue, waiting, on[1 - i], now, &rng);
            on[i] = queue[at];
            for (int k = 0; k < at; ++k) ++queue[k]->passed;
            memmove(queue + at, queue + at + 1, (size_t)(--waiting - at) * sizeof *queue);
        }
        if (!on[0] && !on[1]) break;
        sooth_status status = run_round(env, h, on, ms);
        if (status != SOOTH_OK) return status;
        if (on[0] && on[1]) {
            float slowdown[CORES];
            for (int i = 0; i < CORES; ++i) slowdown[i] = (float)(ms[i] / PIECE_MS);
            unfairness += (double)sooth_allocate_unfairness(slowdown, NULL, CORES);
            ++shared;
        }
        for (int i = 0; i < CORES; ++i) {
            if (!on[i] || --on[i]->rounds > 0) continue;
            out->missed += now + ms[i] > on[i]->deadline_ms ? 1.0 / jobs : 0.0;
            on[i] = NULL;
        }
        now += fmax(ms[0], ms[1]);
    }
    out->makespan_ms = now;
    out->unfairness = shared ? unfairness / shared : 0.0;
    return SOOTH_OK;
}

/* ---- how much there is to gain ---- */

/* The min sum of cost(i, to(i)) over one-to-one assignments of n things: successive shortest paths with
   potentials (Kuhn's Hungarian method in O(n^3)). cost: rows of PIECES. */
static double assign(double (*cost)[PIECES], int n) {
    static double row_price[PIECES + 1], column_price[PIECES + 1], slack[PIECES + 1];
    static int of[PIECES + 1], way[PIECES + 1], done[PIECES + 1]; /* row of a column; 0: none */
    double sum = 0.0;
    int j, here, next;
    for (j = 0; j <= n; ++j) row_price[j] = column_price[j] = of[j] = 0;
    for (int i = 1; i <= n; ++i) {
        of[here = 0] = i;
        for (j = 0; j <= n; ++j) {
            slack[j] = HUGE_VAL;
            done[j] = 0;
        }
        while (of[here]) {
            const int r = of[here];
            double least = HUGE_VAL;
            done[here] = 1;
            for (next = 0, j = 1; j <= n; ++j) {
                const double reduced = cost[r - 1][j - 1] - row_price[r] - column_price[j];
                if (done[j]) continue;
                if (reduced < slack[j]) {
                    slack[j] = reduced;
                    way[j] = here;
                }
                if (slack[j] < least) {
                    least = slack[j];
                    next = j;
                }
            }
            for (j = 0; j <= n; ++j)
                if (done[j]) {
                    row_price[of[j]] += least;
                    column_price[j] -= least;
                } else slack[j] -= least;
            here = next;
        }
        for (; here; here = next) of[here] = of[next = way[here]];
    }
    for (j = 1; j <= n; ++j) sum += cost[of[j] - 1][j - 1];
    return sum;
}

/* The min makespan of any schedule by the measured times. A schedule pairs pieces with another, or with
   none at the cost of its time alone. Counted from both sides that is an assignment at twice its cost. */
static double bound_ms(const host *h, const job *list, int jobs) {
    static double cost[PIECES][PIECES];
    static uint32_t kind[PIECES];
    int n = 0;
    for (int i = 0; i < jobs; ++i)
        for (int j = 0; j < list[i].rounds; ++j) kind[n++] = list[i].kind;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double both = fmax(h->slow_ms[kind[i]][kind[j]], h->slow_ms[kind[j]][kind[i]]);
            const double apart = 2.0 * PIECE_MS;
            cost[i][j] = both < apart && i != j ? both : apart; /* i = j: a piece with no company */
        }
    return 0.5 * assign(cost, n);
}

/* ---- queues ---- */

static void make_queue(const host *h, uint64_t seed, job *list, int jobs) {
    double work = 0.0;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    for (int i = 0; i < jobs; ++i) {
        memset(&list[i], 0, sizeof list[i]);
        list[i].kind = sooth_rng_below(&rng, h->kinds);
        list[i].rounds = 1 + (int)sooth_rng_below(&rng, MOST_ROUNDS);
        work += list[i].rounds * PIECE_MS;
        list[i].deadline_ms =
            (0.7 + 0.8 * sooth_rng_double(&rng)) * work / CORES + 2.0 * list[i].rounds * PIECE_MS;
    }
}

static double median(double *v, int n) {
    int j;
    for (int i = 1; i < n; ++i) {
        const double t = v[i];
        for (j = i; j > 0 && v[j - 1] > t; --j) v[j] = v[j - 1];
        v[j] = t;
    }
    return 0.5 * (v[(n - 1) / 2] + v[n / 2]);
}

/* One queue under every policy, in turn, `repeats` times. The medians are added to sum. */
static sooth_status run_policies(sooth_env *env, host *h, const job *list, int jobs, int repeats,
                                 uint64_t seed, outcome sum[POLICIES]) {
    double makespan[POLICIES][REPEATS], unfairness[POLICIES][REPEATS], missed[POLICIES][REPEATS];
    for (int r = 0; r < repeats; ++r)
        for (int p = 0; p < POLICIES; ++p) {
            outcome one;
            sooth_status status = run_queue(env, h, (policy)p, list, jobs, seed, &one);
            if (status != SOOTH_OK) return status;
            makespan[p][r] = one.makespan_ms;
            unfairness[p][r] = one.unfairness;
            missed[p][r] = one.missed;
        }
    for (int p = 0; p < POLICIES; ++p) {
        sum[p].makespan_ms += median(makespan[p], repeats);
        sum[p].unfairness += median(unfairness[p], repeats);
        sum[p].missed += median(missed[p], repeats);
    }
    return SOOTH_OK;
}

static sooth_status compare(sooth_env *env, host *h, int queues, int jobs, int repeats) {
    outcome sum[POLICIES];
    double work = 0.0, bound = 0.0;
    memset(sum, 0, sizeof sum);
    for (int q = 0; q < queues; ++q) {
        job list[JOBS];
        make_queue(h, (uint64_t)q, list, jobs);
        for (int i = 0; i < jobs; ++i) work += list[i].rounds * PIECE_MS / CORES;
        bound += bound_ms(h, list, jobs);
        sooth_status status = run_policies(env, h, list, jobs, repeats, (uint64_t)q, sum);
        if (status != SOOTH_OK) return status;
    }
    printf("%d queues of %d jobs on %d cores", queues, jobs, CORES);
    if (repeats > 1) printf(", medians of %d runs each", repeats);
    printf("\n%-12s %12s %11s %17s\n", "", "makespan ms", "unfairness", "missed deadlines");
    for (int p = 0; p < POLICIES; ++p)
        printf("%-12s %12.1f %11.4f %16.1f%%\n", policy_name[p], sum[p].makespan_ms / queues,
               sum[p].unfairness / queues, 100.0 * sum[p].missed / queues);
    printf("%-12s %12.1f   no schedule is below, by the measured times of all pairs\n", "bound",
           bound / queues);
    printf("%-12s %12.1f\n", "no slowdown", work / queues);
    double gain = sum[FIRST_COME].makespan_ms - bound;
    printf("to gain over first-come: at most %.1f %% of its makespan",
           100.0 * gain / sum[FIRST_COME].makespan_ms);
    if (gain > 0.0)
        printf("; predicted gains %.1f %%",
               100.0 * (1.0 - sum[PREDICTED].makespan_ms / sum[FIRST_COME].makespan_ms));
    printf("\n");
    return SOOTH_OK;
}

/* ---- the two modes ---- */

static int was_paired(const measure_bag *bag, size_t count, uint32_t u, uint32_t v) {
    for (size_t i = 0; i < count; ++i) {
        const uint32_t a = bag[i].member[0].task.workload, b = bag[i].member[1].task.workload;
        if (bag[i].tasks == 2 && ((a == u && b == v) || (a == v && b == u))) return 1;
    }
    return 0;
}

/* Puts kinds to the front that were all paired with themselves and with each other. Returns their number. */
static uint32_t paired_kinds(const measure_bag *bag, size_t count) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < KINDS; ++k) {
        const uint32_t kind = kinds[k];
        int all = was_paired(bag, count, kind, kind);
        for (uint32_t i = 0; i < kept; ++i) all = all && was_paired(bag, count, kind, kinds[i]);
        if (!all) continue;
        kinds[k] = kinds[kept];
        kinds[kept++] = kind;
    }
    return kept;
}

static sooth_status recorded(sooth_env *env, const char *folder) {
    static host h;
    study_data data;
    size_t count = 0;
    uint32_t cores = 0;
    sooth_status status = records_read(env, folder, cards, bags, MEASURE_MOST_BAGS, &count, &cores);
    if (status != SOOTH_OK) return status;
    describe(cards, bags, count, cores, &room, &data);
    h.kinds = paired_kinds(bags, count);
    if (h.kinds < 2)
        return stage_fail(env, SOOTH_BAD_DATA, "%s has no two workloads with all pairs of them", folder);
    status = know(env, &data, bags, count, &h);
    return status == SOOTH_OK ? compare(env, &h, QUEUES, JOBS, 1) : status;
}

/* All pairs of the live kinds, in their largest size. */
static void plan_kinds(measure_bag pair[PAIRS]) {
    memset(pair, 0, PAIRS * sizeof *pair);
    for (uint32_t a = 0; a < LIVE_KINDS; ++a)
        for (uint32_t b = 0; b <= a; ++b, ++pair) {
            pair->tasks = 2;
            pair->member[0].task.workload = kinds[a];
            pair->member[1].task.workload = kinds[b];
            pair->member[0].task.size = pair->member[1].task.size = LARGE;
        }
}

/* Cards, bags to learn from, and the pairs of the kinds, which nothing is learned from. */
static sooth_status measure_all(sooth_env *env, measure *m, size_t *count, measure_bag pair[PAIRS]) {
    printf("%s\n", measure_machine(m));
    if (measure_about(m)->stage < CORES)
        return stage_fail(env, SOOTH_BAD_ARGUMENT, "this machine lends %u core, but the scheduler needs %d",
                          measure_about(m)->stage, CORES);
    sooth_status status = measure_cards(env, m, 5.0, cards);
    *count = measure_plan(1, 10.0, NULL, bags);
    if (status == SOOTH_OK) status = measure_bags(env, m, 10.0, bags, *count);
    plan_kinds(pair);
    if (status == SOOTH_OK) status = measure_bags(env, m, 3.0, pair, PAIRS);
    if (status == SOOTH_OK)
        printf("measured; single tasks waited for a core %.1f %% of their time: below 2 %% the machine was "
               "quiet\n",
               100.0 * measure_disturbance(m));
    fflush(stdout);
    return status;
}

static sooth_status live(sooth_env *env) {
    static host h;
    static measure_bag pair[PAIRS];
    measure_options options;
    study_data data;
    measure *m = NULL;
    size_t count = 0;
    memset(&options, 0, sizeof options);
    options.cores = CORES;
    options.seed = 1;
    sooth_status status = measure_open(env, &options, &m);
    if (status == SOOTH_OK) status = measure_all(env, m, &count, pair);
    measure_close(m);
    if (status != SOOTH_OK) return status;
    h.kinds = LIVE_KINDS;
    for (uint32_t i = 0; i < LIVE_KINDS; ++i) {
        const measure_card *card = &cards[kinds[i] * WORKLOAD_SIZES + LARGE];
        h.units[i] = (uint64_t)fmax(1.0, 0.5 + (double)card->units * PIECE_MS / card->alone_ms.value);
    }
    describe(cards, bags, count, CORES, &room, &data);
    status = know(env, &data, pair, PAIRS, &h);
    if (status == SOOTH_OK) status = stage_open(env, CORES, &h.live);
    if (status != SOOTH_OK) return status;
    for (uint32_t i = 0; i < CORES; ++i) h.loaded[i] = KINDS;
    status = compare(env, &h, LIVE_QUEUES, LIVE_JOBS, REPEATS);
    stage_close(h.live);
    return status;
}

int main(int count, char **word) {
    sooth_env env;
    if (count > 1 && strcmp(word[1], "--recorded") != 0) {
        fprintf(stderr, "hosts: there is no option %s; there is --recorded DIR\n", word[1]);
        return 2;
    }
    if (count == 2 || count > 3) {
        fprintf(stderr, "hosts: --recorded needs a path and nothing more\n");
        return 2;
    }
    sooth_env_init(&env);
    sooth_status status = count == 3 ? recorded(&env, word[2]) : live(&env);
    if (status == SOOTH_OK) return 0;
    fprintf(stderr, "hosts: %s\n", env.sentence[0] ? env.sentence : sooth_status_text(status));
    return 1;
}
