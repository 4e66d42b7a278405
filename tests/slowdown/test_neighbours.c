/* test_neighbours.c - slowdowns learned from whole runs: on measured pairs, by hand, and by trying all.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown/neighbours.h"
#include "sooth/csv.h"
#include "check.h"
#include "../../examples/papers/gavel.h"

static sooth_env env;
static double memory[1 << 17];

static sooth_neighbours *made(uint32_t jobs, uint32_t observations) {
    const sooth_neighbours_options options = {.jobs = jobs, .observations = observations};
    sooth_neighbours *n;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_neighbours_init(&env, &options, memory, sizeof memory, &n), SOOTH_OK);
    return n;
}

static void run(sooth_neighbours *n, const uint32_t *job, const double *seconds, size_t tasks) {
    CHECK_STATUS(sooth_neighbours_observe(&env, n, job, seconds, tasks), SOOTH_OK);
}

static void alone(sooth_neighbours *n, uint32_t job, double seconds) { run(n, &job, &seconds, 1); }

/* One pair of Gavel's jobs. */
static void run_pair(sooth_neighbours *n, const gavel *g, uint32_t a, uint32_t b) {
    const uint32_t job[2] = {a, b};
    const double seconds[2] = {g->alone[a] * g->slow[a][b], g->alone[b] * g->slow[b][a]};
    run(n, job, seconds, 2);
}

/* Half of the measured pairs of three GPUs are learned: on the other half the error is below that of the mean
   of the learned ones, and of the mean of both jobs' learned slowdowns. */
static void unseen_pairs_of_gavel(void) {
    for (int gpu = 0; gpu < GAVEL_GPUS; ++gpu) {
        static gavel g;
        double error = 0, of_mean = 0, of_own = 0, mean = 0, own[GAVEL_JOBS] = {0};
        int tested = 0, learned = 0, count[GAVEL_JOBS] = {0};
        sooth_neighbours *n = made(GAVEL_JOBS, 1024);
        CHECK(!gavel_read("examples/papers/data/gavel.csv", gavel_gpu[gpu], &g));
        for (uint32_t a = 0; a < g.jobs; ++a) alone(n, a, g.alone[a]);
        for (int test = 0; test < 2; ++test)
            for (uint32_t a = 0; a < g.jobs; ++a)
                for (uint32_t b = a + 1; b < g.jobs; ++b) {
                    if ((int)((a * 7 + b * 11) % 4 / 2) != test || !(g.slow[a][b] > 0 && g.slow[b][a] > 0))
                        continue;
                    if (!test) {
                        run_pair(n, &g, a, b);
                        mean += log(g.slow[a][b]) + log(g.slow[b][a]);
                        own[a] += log(g.slow[a][b]);
                        own[b] += log(g.slow[b][a]);
                        ++count[a];
                        ++count[b];
                        learned += 2;
                        continue;
                    }
                    const uint32_t job[2] = {a, b};
                    double slowdown[2];
                    CHECK(sooth_neighbours_slowdowns(n, job, 2, slowdown) == SOOTH_NEIGHBOURS_LEARNED);
                    for (int k = 0; k < 2; ++k) {
                        const double y = log(g.slow[job[k]][job[1 - k]]);
                        error += fabs(log(slowdown[k]) - y);
                        of_mean += fabs(mean / learned - y);
                        of_own += fabs(own[job[k]] / count[job[k]] - y);
                        ++tested;
                    }
                }
        printf("  %s: %d slowdowns unseen; mean error %.1f %%, the job's own mean %.1f, the mean %.1f\n",
               gavel_gpu[gpu], tested, 100 * error / tested, 100 * of_own / tested, 100 * of_mean / tested);
        CHECK(tested > 100 && error < 0.65 * of_mean && error < 0.75 * of_own);
    }
}

/* What is fitted minimises the sum of squares with its ridge: no number can be moved to a better place. */
static void the_fit_is_a_minimum(void) {
    static gavel g;
    sooth_neighbours *n = made(GAVEL_JOBS, 300);
    CHECK(!gavel_read("examples/papers/data/gavel.csv", gavel_gpu[1], &g));
    for (uint32_t a = 0; a < g.jobs; ++a) alone(n, a, g.alone[a]);
    for (uint32_t a = 0; a < g.jobs; ++a)
        for (uint32_t b = a + 1; b < g.jobs; ++b)
            if (g.slow[a][b] > 0 && g.slow[b][a] > 0 && (a + b) % 3) run_pair(n, &g, a, b);
    for (uint32_t a = 0; a < 10; ++a) { /* bags of three, one with a job twice */
        const uint32_t bag[3] = {a, a + 7, a ? 2 * a : 7};
        const double seconds[3] = {g.alone[bag[0]] * (2 + a % 3), g.alone[bag[1]] * 1.5, NAN};
        run(n, bag, seconds, 3);
    }
    CHECK(n->used == 300); /* the earliest are gone */
    for (int k = 0; k < 50000; ++k) soothi_neighbours_pass(n);
    const soothi_neighbours_seen *seen = soothi_neighbours_runs(n);
    soothi_neighbours_job *job = soothi_neighbours_jobs(n);
    for (uint32_t j = 0; j < 2 * n->jobs + 1; ++j) {
        double loss[3], *value = j == 2 * n->jobs ? &n->mean
                                 : j < n->jobs    ? &job[j].sensitivity
                                                  : &job[j - n->jobs].pressure;
        for (int way = 0; way < 3; ++way) {
            const double was = *value;
            *value += 1e-4 * (way - 1);
            loss[way] = 0;
            for (uint32_t i = 0; i < n->used; ++i) {
                double y = seen[i].y;
                for (uint32_t k = 0; k < seen[i].others; ++k)
                    y -= n->mean + job[seen[i].own].sensitivity + job[seen[i].other[k]].pressure;
                loss[way] += y * y;
            }
            for (uint32_t k = 0; k < n->jobs; ++k)
                loss[way] +=
                    n->ridge * (job[k].sensitivity * job[k].sensitivity + job[k].pressure * job[k].pressure);
            *value = was;
        }
        CHECK(loss[1] < loss[0] && loss[1] < loss[2]);
    }
    for (uint32_t j = 0, slowed = 0; j < n->jobs; ++j) {
        slowed += job[j].slowed;
        CHECK(j + 1 < n->jobs || slowed == 300);
    }
}

/* Jobs that met no other job, but the microbenchmarks: the card's numbers order them. */
static void cards_are_enough(void) {
    static gavel g;
    sooth_fairness_card card[GAVEL_JOBS];
    sooth_neighbours *n = made(GAVEL_JOBS, 1024);
    uint32_t ref[3];
    double error = 0, of_mean = 0, mean = 0;
    int tested = 0;
    CHECK(!gavel_read("examples/papers/data/gavel.csv", gavel_gpu[2], &g));
    gavel_references(&g, ref);
    gavel_cards(&g, ref, card);
    for (uint32_t a = 0; a < g.jobs; ++a) CHECK_STATUS(sooth_neighbours_card(&env, n, a, &card[a]), SOOTH_OK);
    for (int turn = 0; turn < 2; ++turn)
        for (uint32_t a = 0; a < g.jobs; ++a)
            for (uint32_t b = 0; b < g.jobs; ++b) {
                const uint32_t job[2] = {a, b};
                double slowdown[2];
                if (a == b || !(g.slow[a][b] > 0)) continue;
                if (turn == 0) {
                    mean += log(g.slow[a][b]);
                    ++tested;
                    continue;
                }
                CHECK(sooth_neighbours_slowdowns(n, job, 2, slowdown) == SOOTH_NEIGHBOURS_LEARNED);
                error += fabs(log(slowdown[0]) - log(g.slow[a][b]));
                of_mean += fabs(mean / tested - log(g.slow[a][b])); /* which knows the answers */
            }
    printf("  cards alone: mean error %.1f %%, the mean of the answers %.1f\n", 100 * error / tested,
           100 * of_mean / tested);
    CHECK(error < 0.85 * of_mean);
}

/* Two jobs of 10 and 4 s, each 1.5 times slower next to the other: the short one ends after 6 s, when the
   long one has done 4 of its 10; in all 12 s. */
static void a_bag_ends_when_its_last_job_does(void) {
    static const uint32_t bag[] = {0, 1}, self[] = {1, 1, 1};
    static const double seconds[] = {15, 6};
    sooth_neighbours *n = made(3, 4096);
    double slowdown[3];
    alone(n, 0, 9);
    alone(n, 0, 11);
    alone(n, 1, 4);
    CHECK(sooth_neighbours_slowdowns(n, bag, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE);
    CHECK_NEAR(sooth_neighbours_time(n, bag, 2), 10, 1e-12); /* nothing is known to be slower */
    for (int k = 0; k < 400; ++k) run(n, bag, seconds, 2);
    CHECK(sooth_neighbours_slowdowns(n, bag, 2, slowdown) == SOOTH_NEIGHBOURS_MEASURED);
    CHECK_NEAR(slowdown[0], 1.5, 1e-3);
    CHECK_NEAR(slowdown[1], 1.5, 1e-3);
    CHECK_NEAR(sooth_neighbours_time(n, bag, 2), 12, 5e-3);
    CHECK_NEAR(sooth_neighbours_time(n, bag, 1), 10, 1e-12);
    CHECK(sooth_neighbours_slowdowns(n, self, 3, slowdown) == SOOTH_NEIGHBOURS_LEARNED); /* with itself */
    CHECK(slowdown[0] > 1.5 && slowdown[0] < 3);
    CHECK_NEAR(sooth_neighbours_time(n, self, 3), 4 * slowdown[0], 1e-9); /* equal jobs end together */
    const uint32_t unknown[] = {0, 2};
    CHECK(isnan(sooth_neighbours_time(n, unknown, 2)));
    CHECK(sooth_neighbours_slowdowns(n, unknown, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE);
}

/* All ways to pair or leave alone the jobs from `k` on; returns the shortest time. */
static double best_of(const sooth_neighbours *n, const uint32_t *job, uint32_t left) {
    double best = 1e300;
    uint32_t first = 0;
    if (!left) return 0;
    while (!(left >> first & 1)) ++first;
    for (uint32_t other = first; left >> other; ++other) {
        const uint32_t bag[2] = {job[first], job[other]};
        if (!(left >> other & 1)) continue;
        const double time = sooth_neighbours_time(n, bag, other == first ? 1 : 2) +
                            best_of(n, job, left & ~(1u << first) & ~(1u << other));
        if (time < best) best = time;
    }
    return best;
}

/* The queue's placement is never behind its order, and within 2 % of the best of all. */
static void placements_are_nearly_the_best(void) {
    static gavel g;
    sooth_neighbours *n = made(GAVEL_JOBS, 2048);
    double worst = 0;
    CHECK(!gavel_read("examples/papers/data/gavel.csv", gavel_gpu[2], &g));
    for (uint32_t a = 0; a < g.jobs; ++a) alone(n, a, g.alone[a]);
    for (uint32_t a = 0; a < g.jobs; ++a)
        for (uint32_t b = a + 1; b < g.jobs; ++b)
            if (g.slow[a][b] > 0 && g.slow[b][a] > 0) run_pair(n, &g, a, b);
    for (uint32_t start = 0; start < 16; ++start) {
        uint32_t job[8], machine[8], count[8] = {0}, bag[8][2];
        double time = 0, in_order = 0;
        for (uint32_t k = 0; k < 8; ++k) job[k] = (start * 5 + k * 3) % GAVEL_JOBS;
        CHECK_STATUS(sooth_neighbours_place(&env, n, job, 8, 2, machine), SOOTH_OK);
        for (uint32_t k = 0; k < 8; ++k) {
            CHECK(machine[k] < 8 && count[machine[k]] < 2);
            bag[machine[k]][count[machine[k]]++] = job[k];
        }
        for (uint32_t b = 0; b < 8; ++b) time += count[b] ? sooth_neighbours_time(n, bag[b], count[b]) : 0;
        for (uint32_t b = 0; b < 8; b += 2) in_order += sooth_neighbours_time(n, job + b, 2);
        const double best = best_of(n, job, 255);
        CHECK(time >= best * (1 - 1e-9) && time <= in_order * (1 + 1e-9));
        if (time / best - 1 > worst) worst = time / best - 1;
    }
    printf("  placements of 8 jobs: at most %.2f %% behind the best of all\n", 100 * worst);
    CHECK(worst < 0.02);
}

/* A neighbour without a time needs none alone. It gives the others a number, and gets its pressure. */
static void an_unknown_time_is_no_slowdown(void) {
    static const uint32_t one[] = {0, 2}, two[] = {1, 2}, both[] = {0, 1};
    static const double took[] = {12, NAN}, took_two[] = {30, NAN}, none[] = {NAN, NAN};
    sooth_neighbours *n = made(3, 8);
    double slowdown[2], between[2];
    alone(n, 0, 10);
    alone(n, 1, 20);
    run(n, one, none, 2);
    CHECK(n->used == 0);
    run(n, one, took, 2);
    run(n, two, took_two, 2);
    CHECK(n->used == 2);
    CHECK(sooth_neighbours_slowdowns(n, one, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE); /* 2 has no time */
    CHECK(sooth_neighbours_slowdowns(n, two, 2, between) == SOOTH_NEIGHBOURS_OUTSIDE);
    CHECK(slowdown[0] > 1.19 && slowdown[0] < between[0] && between[0] < 1.5);
    CHECK(sooth_neighbours_slowdowns(n, both, 2, slowdown) == SOOTH_NEIGHBOURS_OUTSIDE); /* 0 slowed nobody */
}

/* What a card does not know is left out: neither a time alone nor a slowdown comes of it. Of two jobs with
   the same card, slowed by 3 and slowing by 2, each is slowed by the root of 6. */
static void cards_may_have_gaps(void) {
    static const uint32_t pair[2] = {0, 1};
    sooth_neighbours *n = made(2, 64);
    sooth_fairness_card card;
    double slowdown[2];
    sooth_fairness_card_init(&card, NULL);
    CHECK_STATUS(sooth_neighbours_card(&env, n, 0, &card), SOOTH_OK); /* without any number */
    CHECK(n->used == 0 && isnan(sooth_neighbours_time(n, pair, 1)));
    card.value[SOOTH_FAIRNESS_SLOWDOWN_HIGH] = INFINITY;
    CHECK_STATUS(sooth_neighbours_card(&env, n, 0, &card), SOOTH_OK);
    CHECK(n->used == 0);
    card.value[SOOTH_FAIRNESS_SLOWDOWN_HIGH] = 3;
    card.value[SOOTH_FAIRNESS_CAUSED_HIGH] = 2;
    card.value[SOOTH_FAIRNESS_ALONE_TIME] = 5;
    for (uint32_t job = 0; job < 2; ++job) CHECK_STATUS(sooth_neighbours_card(&env, n, job, &card), SOOTH_OK);
    CHECK(n->used == 4);
    CHECK_NEAR(sooth_neighbours_time(n, pair, 1), 5, 1e-12);
    CHECK(sooth_neighbours_slowdowns(n, pair, 2, slowdown) == SOOTH_NEIGHBOURS_LEARNED);
    for (int k = 0; k < 2; ++k) CHECK_CLOSE(slowdown[k], sqrt(6), 0.01);
    for (int k = 0; k < 500; ++k) soothi_neighbours_pass(n);
    (void)sooth_neighbours_slowdowns(n, pair, 2, slowdown);
    for (int k = 0; k < 2; ++k) CHECK_CLOSE(slowdown[k], sqrt(6), 1e-6);
    card.value[SOOTH_FAIRNESS_ALONE_TIME] = INFINITY;
    CHECK_FAILS(&env, sooth_neighbours_card(&env, n, 1, &card), SOOTH_BAD_ARGUMENT, "is inf");
    CHECK_FAILS(&env, sooth_neighbours_card(&env, n, 2, &card), SOOTH_BAD_ARGUMENT, "below 2");
    CHECK(n->used == 4);
}

/* Job 0 is slowed by 2, job 1 not at all: a small ridge leaves that, a large one only their mean. */
static void a_ridge_draws_to_the_mean(void) {
    static const uint32_t pair[2] = {0, 1};
    static const double seconds[2] = {20, 10}, ridge[2] = {1e-6, 1e6};
    for (int large = 0; large < 2; ++large) {
        const sooth_neighbours_options options = {.jobs = 2, .observations = 8, .ridge = ridge[large]};
        sooth_neighbours *n;
        double slowdown[2];
        sooth_env_init(&env);
        CHECK_STATUS(sooth_neighbours_init(&env, &options, memory, sizeof memory, &n), SOOTH_OK);
        for (uint32_t job = 0; job < 2; ++job) alone(n, job, 10);
        run(n, pair, seconds, 2);
        CHECK(sooth_neighbours_slowdowns(n, pair, 2, slowdown) == SOOTH_NEIGHBOURS_MEASURED);
        CHECK_NEAR(slowdown[0], large ? sqrt(2) : 2, 1e-4);
        CHECK_NEAR(slowdown[1], large ? sqrt(2) : 1, 1e-4);
    }
}

/* Bags of three teach what belongs to a job, but measure no pair: each of both others adds its part. */
static void bags_of_three_measure_no_pair(void) {
    static const uint32_t three[3] = {0, 1, 2};
    static const double seconds[3] = {40, 40, 40};
    sooth_neighbours *n = made(3, 300);
    double slowdown[3];
    for (uint32_t job = 0; job < 3; ++job) alone(n, job, 10);
    for (int k = 0; k < 200; ++k) run(n, three, seconds, 3);
    CHECK(n->used == 300);
    CHECK(sooth_neighbours_slowdowns(n, three, 3, slowdown) == SOOTH_NEIGHBOURS_LEARNED);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(slowdown[k], 4, 1e-2);
    CHECK(sooth_neighbours_slowdowns(n, three, 2, slowdown) == SOOTH_NEIGHBOURS_LEARNED);
    for (int k = 0; k < 2; ++k) CHECK_NEAR(slowdown[k], 2, 1e-2); /* the root: one other, not two */
}

/* Five jobs in bags of two: one of them is alone. Next to each other all are ten times slower, so nobody is
   with another in the end. */
static void jobs_that_hurt_are_alone(void) {
    static const uint32_t job[5] = {0, 1, 2, 3, 4};
    for (int hurts = 0; hurts < 2; ++hurts) {
        uint32_t machine[5], bags = 0, seen[5] = {0};
        sooth_neighbours *n = made(5, 64);
        for (uint32_t k = 0; k < 5; ++k) alone(n, k, 10);
        for (uint32_t a = 0; a < 5; ++a)
            for (uint32_t b = a + 1; b < 5; ++b) {
                const uint32_t pair[2] = {a, b};
                const double seconds[2] = {hurts ? 100 : 10.1, hurts ? 100 : 10.1};
                run(n, pair, seconds, 2);
            }
        CHECK_STATUS(sooth_neighbours_place(&env, n, job, 5, 2, machine), SOOTH_OK);
        for (uint32_t k = 0; k < 5; ++k) {
            CHECK(machine[k] < 5);
            bags += seen[machine[k] % 5]++ == 0;
        }
        CHECK(bags == (hurts ? 5 : 3));
        for (uint32_t k = 0; k < 5; ++k)
            CHECK(k < bags ? seen[k] == 1 || (!hurts && seen[k] == 2) : !seen[k]);
    }
}

static void wrong_use_is_a_sentence(void) {
    sooth_neighbours_options options = {.jobs = 2, .observations = 8};
    sooth_neighbours *n;
    uint32_t job[17] = {0, 1}, machine[2];
    double seconds[17] = {1, 1};
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_neighbours_init(&env, &options, memory, 64, &n), SOOTH_BAD_ARGUMENT, "but needs");
    static const struct {
        sooth_neighbours_options options;
        const char *says;
    } wrong[] = {{{1025, 8, 0}, "jobs is 1025"},
                 {{2, 65537, 0}, "observations 65537"},
                 {{2, 8, -1}, "ridge -1"},
                 {{2, 8, 2e6}, "ridge 2000000"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        CHECK_FAILS(&env, sooth_neighbours_init(&env, &wrong[k].options, memory, sizeof memory, &n),
                    SOOTH_BAD_ARGUMENT, wrong[k].says);
        CHECK(n == NULL && sooth_neighbours_size(&wrong[k].options) == 0);
    }
    const sooth_neighbours_options zero = {0, 0, 0}, same = {64, 1024, 0.2}, most = {1024, 1u << 16, 1e6};
    CHECK(sooth_neighbours_size(NULL) == sooth_neighbours_size(&same));
    CHECK(sooth_neighbours_size(&zero) == sooth_neighbours_size(&same));
    CHECK(sooth_neighbours_size(&most) > sizeof memory);
    n = made(2, 8);
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 2), SOOTH_BAD_ARGUMENT,
                "job 0 was not measured alone");
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 17), SOOTH_BAD_ARGUMENT,
                "must have 1 to 16");
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 0), SOOTH_BAD_ARGUMENT,
                "the bag has 0 jobs");
    CHECK_FAILS(&env, sooth_neighbours_place(&env, n, job, 2, 2, machine), SOOTH_BAD_ARGUMENT,
                "job 0 was not");
    CHECK_FAILS(&env, sooth_neighbours_place(&env, n, job, 2, 0, machine), SOOTH_BAD_ARGUMENT, "slots is 0");
    CHECK_FAILS(&env, sooth_neighbours_place(&env, n, job, 2, 17, machine), SOOTH_BAD_ARGUMENT,
                "slots is 17");
    seconds[0] = NAN;
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 1), SOOTH_BAD_ARGUMENT, "above 0");
    seconds[0] = INFINITY;
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 1), SOOTH_BAD_ARGUMENT, "above 0");
    job[0] = 2;
    CHECK_FAILS(&env, sooth_neighbours_observe(&env, n, job, seconds, 1), SOOTH_BAD_ARGUMENT, "below 2");
    alone(n, 0, 1);
    alone(n, 1, 2);
    job[0] = 0;
    CHECK_EVERY_ALLOCATION(&env, sooth_neighbours_place(&env, n, job, 2, 2, machine), (void)0);
    CHECK_STATUS(sooth_neighbours_place(&env, n, job, 0, 2, machine), SOOTH_OK);
}

int main(void) {
    CHECK_RUN(unseen_pairs_of_gavel);
    CHECK_RUN(the_fit_is_a_minimum);
    CHECK_RUN(cards_are_enough);
    CHECK_RUN(a_bag_ends_when_its_last_job_does);
    CHECK_RUN(placements_are_nearly_the_best);
    CHECK_RUN(an_unknown_time_is_no_slowdown);
    CHECK_RUN(cards_may_have_gaps);
    CHECK_RUN(a_ridge_draws_to_the_mean);
    CHECK_RUN(bags_of_three_measure_no_pair);
    CHECK_RUN(jobs_that_hurt_are_alone);
    CHECK_RUN(wrong_use_is_a_sentence);
    return check_end("neighbours");
}
