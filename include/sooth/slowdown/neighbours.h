/* slowdown/neighbours.h - how much slower jobs run next to each other, learned from whole runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A scheduler knows how long its jobs took: alone, next to a microbenchmark, next to each other. From this,
 * and nothing else, this part predicts the slowdown of each job of a bag, the time of the bag, and which jobs
 * of a queue should share a machine. Each run that ends is one more observation.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/slowdown.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         enum { STREAM, SOLVER, PARSER, JOBS };
 *         static const double alone[] = {10, 20, 5};
 *         static const uint32_t pair[2] = {STREAM, SOLVER}, next[2] = {STREAM, PARSER};
 *         static const double took[2] = {15, 22};
 *         static double memory[4096];
 *         sooth_neighbours_options options = {.jobs = JOBS, .observations = 16};
 *         sooth_neighbours *n;
 *         sooth_fairness_card card;
 *         double slowdown[2];
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_neighbours_init(&env, &options, memory, sizeof memory, &n) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (uint32_t job = 0; job < JOBS; ++job) sooth_neighbours_observe(NULL, n, &job, &alone[job], 1);
 *         sooth_neighbours_observe(&env, n, pair, took, 2);   // STREAM took 15 s next to SOLVER
 *         if (sooth_neighbours_slowdowns(n, pair, 2, slowdown) == SOOTH_NEIGHBOURS_MEASURED)
 *             printf("%.2f %.2f\n", slowdown[0], slowdown[1]);  //> 1.50 1.10
 *         printf("%.0f s in all\n", sooth_neighbours_time(n, pair, 2));  //> 21 s in all
 *         if (sooth_neighbours_slowdowns(n, next, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE)
 *             puts("PARSER was never seen next to others");     //> PARSER was never seen next to others
 *         sooth_fairness_card_init(&card, NULL);
 *         card.value[SOOTH_FAIRNESS_SLOWDOWN_LOW] = 1.1;        // measured next to Low instead
 *         card.value[SOOTH_FAIRNESS_CAUSED_LOW] = 1.05;
 *         if (sooth_neighbours_card(&env, n, PARSER, &card) == SOOTH_OK &&
 *             sooth_neighbours_slowdowns(n, next, 2, slowdown) == SOOTH_NEIGHBOURS_LEARNED)
 *             puts("now it has numbers");                       //> now it has numbers
 *         return 0;
 *     }
 *
 * Method. For job i of a bag B, the logarithm of its slowdown is
 *
 *     ln(time in B / time alone) = sum over the others j of  m + s_i + p_j + d_ij
 *
 * s_i is how sensitive i is, p_j how much pressure j causes (the two numbers of Bubble-Up: Mars, Tang, Hundt,
 * Skadron, Soffa, MICRO 2011), and d_ij belongs to the pair. m, s and p are fitted by least squares with a
 * ridge, d is the mean rest of the runs of that pair, with the ridge as weight of a 0. The microbenchmarks
 * Low, Medium and High (fairness.h) are neighbours like any other: so a card gives a job both its numbers
 * before it has met another job. Slowdowns are 1 or more.
 *
 * On 26 training jobs on three GPUs (Gavel, OSDI 2020), with half of their pairs measured, the slowdowns of
 * the other half are off by 7.0 % (K80), 7.4 % (P100) and 22 % (V100) on average. The mean of the same
 * job's measured slowdowns is off by 14, 17 and 30 %, and the mean of all by 18, 20 and 36 %. Next to
 * nothing but the three jobs in place of Low, Medium and High, the pairs on the V100 are off by 29 %.
 * Placements of 8 jobs on the V100 are within 0.6 % of the best of all (tests/slowdown/test_neighbours.c).
 *
 * Cost. Only a placement allocates. An observed bag costs 24 passes over the observations. A prediction
 * of t jobs costs t^2 additions. Memory: sooth_neighbours_size, 8 bytes per pair of jobs and 48 per
 * observation.
 */
#if !defined(SOOTH_SLOWDOWN_NEIGHBOURS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_NEIGHBOURS_IMPLEMENTED))
#include "../fairness.h"
#endif

#if !defined(SOOTH_SLOWDOWN_NEIGHBOURS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_NEIGHBOURS_H
SOOTHI_C_BEGIN

/* Zero bytes are the defaults. */
typedef struct sooth_neighbours_options {
    uint32_t jobs; /* kinds of jobs, up to 1,024; 0 means 64 */
    uint32_t
        observations; /* kept slowdowns, the latest; a bag of t jobs has t. Up to 65,536; 0 means 1,024 */
    double ridge;     /* weight of a slowdown of 1 per number, above 0; 0 means 0.2 */
} sooth_neighbours_options;

/* What a prediction rests on: the least of all its pairs. */
typedef enum sooth_neighbours_basis {
    SOOTH_NEIGHBOURS_OUTSIDE = 0, /* a job has no time alone, or was never seen next to anything */
    SOOTH_NEIGHBOURS_LEARNED,     /* each job was seen, but not each pair */
    SOOTH_NEIGHBOURS_MEASURED     /* each pair was measured, in a bag of two */
} sooth_neighbours_basis;

/* In the caller's memory, which follows it. May be copied with memcpy, and saved. */
typedef struct sooth_neighbours {
    uint32_t jobs, capacity, used, next; /* of observations: kept, and where the next one goes */
    double ridge, mean;
} sooth_neighbours;

/* Returns the bytes of memory; 0 if an option is out of range. options may be NULL. */
SOOTH_API size_t sooth_neighbours_size(const sooth_neighbours_options *options);

/* Begins without any knowledge, in memory aligned like a double. Returns SOOTH_BAD_ARGUMENT if it is too
   small or an option is out of range. */
SOOTH_API sooth_status sooth_neighbours_init(sooth_env *env, const sooth_neighbours_options *options,
                                             void *memory, size_t size, sooth_neighbours **neighbours);

/* Adds a run: job[k] took seconds[k] in a bag of up to SOOTH_FAIRNESS_MAX_TASKS jobs that ran next to each
   other for the whole of that time. A bag of one is the time alone, whose mean is kept. A job may occur
   twice. In larger bags a time may be NaN, which means unknown: a job that has no end only slows the others.
   Jobs are numbers below options.jobs. Returns SOOTH_BAD_ARGUMENT, and changes nothing, for other jobs, for
   times that are not above 0, and in larger bags for a job with a time, but without one alone. */
SOOTH_API sooth_status sooth_neighbours_observe(sooth_env *env, sooth_neighbours *neighbours,
                                                const uint32_t *job, const double *seconds, size_t tasks);

/* Adds what is known on a card: the time alone, its slowdowns next to Low, Medium and High, and theirs. */
SOOTH_API sooth_status sooth_neighbours_card(sooth_env *env, sooth_neighbours *neighbours, uint32_t job,
                                             const sooth_fairness_card *card);

/* Predicts the slowdown of each job of a bag, 1 or more; 1 for a bag of one. Jobs must be below options.jobs.
   A value that is SOOTH_NEIGHBOURS_OUTSIDE is a guess from the mean of all jobs. */
SOOTH_API sooth_neighbours_basis sooth_neighbours_slowdowns(const sooth_neighbours *neighbours,
                                                            const uint32_t *job, size_t tasks,
                                                            double *slowdown);

/* Predicts the seconds until the last job of a bag ends, if all begin together: a job that ends no longer
   slows the others. NaN if a job has no time alone, or for more than SOOTH_FAIRNESS_MAX_TASKS. */
SOOTH_API double sooth_neighbours_time(const sooth_neighbours *neighbours, const uint32_t *job, size_t tasks);

/* Divides a queue into bags of up to `slots` jobs, so that the predicted times of all bags have a small
   sum: machine[k] is the number of the bag of job[k]. Starts from neighbours of similar length, and
   exchanges or moves jobs as long as that helps. A bag of one is allowed. Returns SOOTH_BAD_ARGUMENT for a
   job without a time alone and for 0 or too many slots. */
SOOTH_API sooth_status sooth_neighbours_place(sooth_env *env, const sooth_neighbours *neighbours,
                                              const uint32_t *job, size_t jobs, size_t slots,
                                              uint32_t *machine);

SOOTHI_C_END
#endif /* SOOTH_SLOWDOWN_NEIGHBOURS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_NEIGHBOURS_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_NEIGHBOURS_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_NEIGHBOURS_PASSES = 8 };

/* A slowdown of job `own` next to the others; jobs from `jobs` on are the microbenchmarks. */
typedef struct soothi_neighbours_seen {
    double y; /* logarithm of the slowdown */
    uint16_t own, others, other[SOOTH_FAIRNESS_MAX_TASKS - 1];
} soothi_neighbours_seen;

/* What is known of a job. The counts are of observations in which it is slowed, and slows others. */
typedef struct soothi_neighbours_job {
    double alone, sensitivity, pressure;
    double rest, weight; /* of the number that a pass changes */
    uint32_t runs, slowed, slows;
} soothi_neighbours_job;

/* A pair of own and other: the sum of the rests, and the number of bags of two. */
typedef struct soothi_neighbours_pair {
    float rest;
    uint32_t count;
} soothi_neighbours_pair;

/* ---- the memory behind the struct ---- */

SOOTHI_LOCAL soothi_neighbours_job *soothi_neighbours_jobs(const sooth_neighbours *n) {
    return (soothi_neighbours_job *)(uintptr_t)(n + 1);
}

SOOTHI_LOCAL soothi_neighbours_seen *soothi_neighbours_runs(const sooth_neighbours *n) {
    return (soothi_neighbours_seen *)(void *)(soothi_neighbours_jobs(n) + n->jobs + SOOTH_FAIRNESS_LEVELS);
}

SOOTHI_LOCAL soothi_neighbours_pair *soothi_neighbours_pairs(const sooth_neighbours *n, uint32_t own) {
    return (soothi_neighbours_pair *)(void *)(soothi_neighbours_runs(n) + n->capacity) +
           (size_t)own * n->jobs;
}

SOOTHI_LOCAL size_t soothi_neighbours_bytes(const sooth_neighbours *n) {
    return sizeof *n + (n->jobs + (size_t)SOOTH_FAIRNESS_LEVELS) * sizeof(soothi_neighbours_job) +
           (size_t)n->capacity * sizeof(soothi_neighbours_seen) +
           (size_t)n->jobs * n->jobs * sizeof(soothi_neighbours_pair);
}

SOOTHI_LOCAL int soothi_neighbours_start(const sooth_neighbours_options *o, sooth_neighbours *n) {
    memset(n, 0, sizeof *n);
    n->jobs = o && o->jobs ? o->jobs : 64;
    n->capacity = o && o->observations ? o->observations : 1024;
    n->ridge = o && (o->ridge < 0.0 || o->ridge > 0.0) ? o->ridge : 0.2;
    return n->jobs <= 1024 && n->capacity <= 1u << 16 && n->ridge > 0.0 && n->ridge <= 1e6;
}

SOOTH_API size_t sooth_neighbours_size(const sooth_neighbours_options *options) {
    sooth_neighbours n;
    return soothi_neighbours_start(options, &n) ? soothi_neighbours_bytes(&n) : 0;
}

SOOTH_API sooth_status sooth_neighbours_init(sooth_env *env, const sooth_neighbours_options *options,
                                             void *memory, size_t size, sooth_neighbours **neighbours) {
    sooth_neighbours n;
    *neighbours = NULL;
    if (!soothi_neighbours_start(options, &n))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "jobs is %u, observations %u and ridge %g, but must be at most 1024 and 65536, and "
                          "above 0 and at most 1e6",
                          n.jobs, n.capacity, n.ridge);
    const size_t bytes = soothi_neighbours_bytes(&n);
    if (size < bytes)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the memory has %z bytes, but needs %z", size, bytes);
    memset(memory, 0, bytes);
    memcpy(memory, &n, sizeof n);
    *neighbours = (sooth_neighbours *)memory;
    return SOOTH_OK;
}

/* ---- fitting ---- */

/* Returns the fitted logarithm without what belongs to the pairs. */
SOOTHI_LOCAL double soothi_neighbours_fitted(const sooth_neighbours *n, const soothi_neighbours_seen *seen) {
    const soothi_neighbours_job *job = soothi_neighbours_jobs(n);
    double sum = seen->others * (n->mean + job[seen->own].sensitivity);
    for (uint32_t k = 0; k < seen->others; ++k) sum += job[seen->other[k]].pressure;
    return sum;
}

/* A pass: sets the mean, then all sensitivities, then all pressures to their optimum, given the rest. The
   pressures of one observation share its error: (sum of m changes)^2 <= m times the sum of their squares, so
   in bags of three or more a pass makes a shorter step, which never raises the sum of squares. */
SOOTHI_LOCAL void soothi_neighbours_pass(sooth_neighbours *n) {
    soothi_neighbours_job *job = soothi_neighbours_jobs(n);
    const soothi_neighbours_seen *seen = soothi_neighbours_runs(n);
    const uint32_t all = n->jobs + SOOTH_FAIRNESS_LEVELS;
    double rest = 0.0, weight = 0.0;
    for (uint32_t i = 0; i < n->used; ++i) {
        rest += seen[i].others * (seen[i].y - soothi_neighbours_fitted(n, &seen[i]));
        weight += (double)seen[i].others * seen[i].others;
    }
    if (weight > 0.0) n->mean += rest / weight;
    for (int side = 0; side < 2; ++side) {
        for (uint32_t j = 0; j < all; ++j) {
            double *value = side ? &job[j].pressure : &job[j].sensitivity;
            if (!(side ? job[j].slows : job[j].slowed)) *value = 0.0; /* its last observation may be gone */
            job[j].rest = -n->ridge * *value;
            job[j].weight = n->ridge;
        }
        for (uint32_t i = 0; i < n->used; ++i) {
            const double off = seen[i].y - soothi_neighbours_fitted(n, &seen[i]);
            for (uint32_t k = 0; k < seen[i].others; ++k) {
                soothi_neighbours_job *one = &job[side ? seen[i].other[k] : seen[i].own];
                one->rest += off;
                one->weight += seen[i].others;
            }
        }
        for (uint32_t j = 0; j < all; ++j)
            *(side ? &job[j].pressure : &job[j].sensitivity) += job[j].rest / job[j].weight;
    }
}

/* Fits all numbers to the kept observations, from where they are. */
SOOTHI_LOCAL void soothi_neighbours_fit(sooth_neighbours *n) {
    const soothi_neighbours_seen *seen = soothi_neighbours_runs(n);
    for (int pass = 0; pass < SOOTHI_NEIGHBOURS_PASSES; ++pass) soothi_neighbours_pass(n);
    memset(soothi_neighbours_pairs(n, 0), 0, (size_t)n->jobs * n->jobs * sizeof(soothi_neighbours_pair));
    for (uint32_t i = 0; i < n->used; ++i) {
        if (seen[i].others != 1 || seen[i].own >= n->jobs || seen[i].other[0] >= n->jobs) continue;
        soothi_neighbours_pair *pair = soothi_neighbours_pairs(n, seen[i].own) + seen[i].other[0];
        pair->rest += (float)(seen[i].y - soothi_neighbours_fitted(n, &seen[i]));
        ++pair->count;
    }
}

/* Keeps an observation in place of the oldest one. */
SOOTHI_LOCAL void soothi_neighbours_keep(sooth_neighbours *n, const soothi_neighbours_seen *seen) {
    soothi_neighbours_job *job = soothi_neighbours_jobs(n);
    soothi_neighbours_seen *to = soothi_neighbours_runs(n) + n->next;
    for (int add = n->used == n->capacity ? 0 : 1; add < 2; ++add) {
        const soothi_neighbours_seen *which = add ? seen : to;
        const uint32_t one = add ? 1u : UINT32_MAX;
        job[which->own].slowed += one;
        for (uint32_t k = 0; k < which->others; ++k) job[which->other[k]].slows += one;
    }
    *to = *seen;
    n->next = n->next + 1 == n->capacity ? 0 : n->next + 1;
    if (n->used < n->capacity) ++n->used;
}

SOOTHI_LOCAL sooth_status soothi_neighbours_check(sooth_env *env, const sooth_neighbours *n,
                                                  const uint32_t *job, size_t tasks, int bag) {
    if (tasks == 0 || tasks > SOOTH_FAIRNESS_MAX_TASKS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the bag has %z jobs, but must have 1 to %u", tasks,
                          SOOTH_FAIRNESS_MAX_TASKS);
    for (size_t k = 0; k < tasks; ++k) {
        if (job[k] >= n->jobs)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "job is %u, but must be below %u", job[k], n->jobs);
        if (bag && !soothi_neighbours_jobs(n)[job[k]].runs)
            return sooth_fail(
                env, SOOTH_BAD_ARGUMENT,
                "job %u was not measured alone, so its slowdown is unknown; observe it in a bag "
                "of one first",
                job[k]);
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_neighbours_observe(sooth_env *env, sooth_neighbours *n, const uint32_t *job,
                                                const double *seconds, size_t tasks) {
    soothi_neighbours_job *known = soothi_neighbours_jobs(n);
    sooth_status status = soothi_neighbours_check(env, n, job, tasks, 0);
    for (size_t k = 0; k < tasks && status == SOOTH_OK; ++k) {
        if (tasks > 1 && soothi_nan(seconds[k])) continue;
        if (!(seconds[k] > 0.0 && seconds[k] <= DBL_MAX))
            status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "the time of job %u is %g, but must be above 0",
                                job[k], seconds[k]);
        else status = soothi_neighbours_check(env, n, &job[k], 1, tasks > 1);
    }
    if (status != SOOTH_OK) return status;
    if (tasks == 1) {
        soothi_neighbours_job *one = known + job[0];
        if (one->runs < UINT32_MAX) ++one->runs;
        one->alone += (seconds[0] - one->alone) / one->runs;
        return SOOTH_OK;
    }
    for (size_t k = 0; k < tasks; ++k) {
        soothi_neighbours_seen seen;
        if (soothi_nan(seconds[k])) continue;
        memset(&seen, 0, sizeof seen);
        seen.y = soothi_log(seconds[k] / known[job[k]].alone);
        seen.own = (uint16_t)job[k];
        for (size_t i = 0; i < tasks; ++i)
            if (i != k) seen.other[seen.others++] = (uint16_t)job[i];
        soothi_neighbours_keep(n, &seen);
    }
    soothi_neighbours_fit(n);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_neighbours_card(sooth_env *env, sooth_neighbours *n, uint32_t job,
                                             const sooth_fairness_card *card) {
    sooth_status status = soothi_neighbours_check(env, n, &job, 1, 0);
    const double alone = card->value[SOOTH_FAIRNESS_ALONE_TIME];
    if (status == SOOTH_OK && alone > 0.0) status = sooth_neighbours_observe(env, n, &job, &alone, 1);
    if (status != SOOTH_OK) return status;
    for (uint32_t k = 0; k < 2u * SOOTH_FAIRNESS_LEVELS; ++k) {
        const uint32_t level = n->jobs + k % SOOTH_FAIRNESS_LEVELS, caused = k >= SOOTH_FAIRNESS_LEVELS;
        const double slowdown = card->value[SOOTH_FAIRNESS_SLOWDOWN_LOW + k];
        soothi_neighbours_seen seen;
        if (!(slowdown > 0.0 && slowdown <= DBL_MAX)) continue;
        memset(&seen, 0, sizeof seen);
        seen.y = soothi_log(slowdown);
        seen.own = (uint16_t)(caused ? level : job);
        seen.other[seen.others++] = (uint16_t)(caused ? job : level);
        soothi_neighbours_keep(n, &seen);
    }
    soothi_neighbours_fit(n);
    return SOOTH_OK;
}

/* ---- predicting ---- */

SOOTH_API sooth_neighbours_basis sooth_neighbours_slowdowns(const sooth_neighbours *n, const uint32_t *job,
                                                            size_t tasks, double *slowdown) {
    const soothi_neighbours_job *known = soothi_neighbours_jobs(n);
    uint32_t basis = SOOTH_NEIGHBOURS_MEASURED;
    for (size_t i = 0; i < tasks; ++i) {
        double sum = 0.0;
        uint32_t has = SOOTH_NEIGHBOURS_MEASURED;
        for (size_t j = 0; j < tasks; ++j) {
            if (j == i) continue;
            const soothi_neighbours_pair *pair = soothi_neighbours_pairs(n, job[i]) + job[j];
            sum += n->mean + known[job[i]].sensitivity + known[job[j]].pressure +
                   (double)pair->rest / ((double)pair->count + n->ridge);
            if (!pair->count) has = SOOTH_NEIGHBOURS_LEARNED;
            if (!known[job[i]].slowed || !known[job[j]].slows) basis = SOOTH_NEIGHBOURS_OUTSIDE;
        }
        if (!known[job[i]].runs) has = SOOTH_NEIGHBOURS_OUTSIDE;
        if (has < basis) basis = has;
        slowdown[i] = soothi_exp(sum > 0.0 ? sum : 0.0);
    }
    return (sooth_neighbours_basis)basis;
}

SOOTH_API double sooth_neighbours_time(const sooth_neighbours *n, const uint32_t *job, size_t tasks) {
    double left[SOOTH_FAIRNESS_MAX_TASKS], slowdown[SOOTH_FAIRNESS_MAX_TASKS], time = 0.0;
    uint32_t running[SOOTH_FAIRNESS_MAX_TASKS];
    if (soothi_neighbours_check(NULL, n, job, tasks, 1) != SOOTH_OK) return (double)soothi_missing();
    for (size_t k = 0; k < tasks; ++k) {
        running[k] = job[k];
        left[k] = soothi_neighbours_jobs(n)[job[k]].alone;
    }
    while (tasks > 0) {
        size_t first = 0, kept = 0;
        (void)sooth_neighbours_slowdowns(n, running, tasks, slowdown);
        for (size_t k = 1; k < tasks; ++k)
            if (left[k] * slowdown[k] < left[first] * slowdown[first]) first = k;
        const double step = left[first] * slowdown[first];
        time += step;
        for (size_t k = 0; k < tasks; ++k) {
            if (k == first) continue;
            running[kept] = running[k];
            left[kept++] = left[k] - step / slowdown[k] > 0.0 ? left[k] - step / slowdown[k] : 0.0;
        }
        tasks = kept;
    }
    return time;
}

/* ---- placing ---- */

/* The jobs of a queue in bags: bag b has count[b] jobs, whose places in the queue are place[b * slots ..]. */
typedef struct soothi_neighbours_bags {
    const sooth_neighbours *n;
    const uint32_t *job;
    size_t slots, bags;
    uint32_t *count, *place;
    double *time;
} soothi_neighbours_bags;

SOOTHI_LOCAL double soothi_neighbours_bag_time(const soothi_neighbours_bags *w, size_t b) {
    uint32_t job[SOOTH_FAIRNESS_MAX_TASKS];
    for (uint32_t k = 0; k < w->count[b]; ++k) job[k] = w->job[w->place[b * w->slots + k]];
    return w->count[b] ? sooth_neighbours_time(w->n, job, w->count[b]) : 0.0;
}

/* Exchanges place k of bag a with place i of bag b; i = count[b] moves it there. */
SOOTHI_LOCAL void soothi_neighbours_exchange(soothi_neighbours_bags *w, size_t a, uint32_t k, size_t b,
                                             uint32_t i) {
    uint32_t *from = w->place + a * w->slots, *to = w->place + b * w->slots;
    const uint32_t one = from[k];
    if (i < w->count[b]) {
        from[k] = to[i];
        to[i] = one;
        return;
    }
    to[w->count[b]++] = one;
    from[k] = from[--w->count[a]];
}

/* Keeps an exchange of two bags if their times become shorter. Returns 1 if it was kept. */
SOOTHI_LOCAL int soothi_neighbours_try(soothi_neighbours_bags *w, size_t a, uint32_t k, size_t b,
                                       uint32_t i) {
    const int moves = i == w->count[b];
    if (moves && w->count[b] == w->slots) return 0;
    soothi_neighbours_exchange(w, a, k, b, i);
    const double one = soothi_neighbours_bag_time(w, a), two = soothi_neighbours_bag_time(w, b);
    if (one + two < (w->time[a] + w->time[b]) * (1.0 - 1e-9)) {
        w->time[a] = one;
        w->time[b] = two;
        return 1;
    }
    if (moves) { /* back, to the same place */
        uint32_t *from = w->place + a * w->slots, *to = w->place + b * w->slots;
        from[w->count[a]++] = from[k];
        from[k] = to[--w->count[b]];
    } else soothi_neighbours_exchange(w, a, k, b, i);
    return 0;
}

SOOTHI_LOCAL void soothi_neighbours_improve(soothi_neighbours_bags *w) {
    int better = 1;
    for (int pass = 0; better && pass < 64; ++pass) {
        better = 0;
        for (size_t a = 0; a < w->bags; ++a)
            for (size_t b = 0; b < w->bags; ++b)
                for (uint32_t k = 0; a != b && k < w->count[a]; ++k)
                    for (uint32_t i = 0; i <= w->count[b] && k < w->count[a]; ++i)
                        better |= soothi_neighbours_try(w, a, k, b, i);
    }
}

SOOTH_API sooth_status sooth_neighbours_place(sooth_env *env, const sooth_neighbours *n, const uint32_t *job,
                                              size_t jobs, size_t slots, uint32_t *machine) {
    soothi_neighbours_bags w;
    if (slots == 0 || slots > SOOTH_FAIRNESS_MAX_TASKS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "slots is %z, but must be 1 to %u", slots,
                          SOOTH_FAIRNESS_MAX_TASKS);
    for (size_t k = 0; k < jobs; ++k)
        if (soothi_neighbours_check(env, n, &job[k], 1, 1) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    const size_t words = soothi_product(jobs, slots + 4);
    double *memory = (double *)sooth_alloc(env, words, sizeof *memory);
    if (jobs && !memory) return sooth_no_memory(env, "a placement", soothi_product(words, sizeof *memory));
    w.n = n;
    w.job = job;
    w.slots = slots;
    w.bags = jobs; /* so each may be alone */
    w.time = memory;
    w.count = (uint32_t *)(void *)(memory + jobs);
    w.place = w.count + jobs;
    for (size_t b = 0; b < jobs; ++b) { /* sorted by falling time alone, ties in their order */
        size_t at = b;
        const double alone = soothi_neighbours_jobs(n)[job[b]].alone;
        for (; at > 0 && soothi_neighbours_jobs(n)[job[machine[at - 1]]].alone < alone; --at)
            machine[at] = machine[at - 1];
        machine[at] = (uint32_t)b;
    }
    for (size_t b = 0; b < jobs; ++b) {
        w.count[b] = b * slots < jobs ? (uint32_t)(jobs - b * slots < slots ? jobs - b * slots : slots) : 0u;
        for (size_t k = 0; k < w.count[b]; ++k) w.place[b * slots + k] = machine[b * slots + k];
        w.time[b] = soothi_neighbours_bag_time(&w, b);
    }
    soothi_neighbours_improve(&w);
    for (size_t b = 0, used = 0; b<jobs; used += w.count[b++]> 0)
        for (uint32_t k = 0; k < w.count[b]; ++k) machine[w.place[b * slots + k]] = (uint32_t)used;
    if (memory) sooth_free(env, memory, words, sizeof *memory);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
