/* test_allocate.c - allocate.h against brute force, the paper's cases and the truth of a simulator.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown.h"
#include "check.h"
#include "colocation.h"

static sooth_env env;
static sooth_allocate machine;
static sooth_allocate_result result;
static float train_x[COLOCATION_ROWS * SOOTH_SLOWDOWN_INPUTS], train_y[COLOCATION_ROWS * 2];
static sooth_model *model[3]; /* their mean steadies the predictions */

static uint32_t total(void) {
    uint32_t i, sum = 0;
    for (i = 0; i < machine.programs; ++i) sum += result.units[i];
    return sum;
}

static void shares_by_weight(void) {
    const float s[2] = {2, 1}, even[2] = {.5f, .5f}, thirds[2] = {1.f / 3, 2.f / 3};
    CHECK_STATUS(sooth_allocate_init(&env, &machine, 60, 2), SOOTH_OK);
    machine.program[0].weight = .2f;
    machine.program[1].weight = .8f;
    CHECK_STATUS(sooth_allocate_even(&env, &machine, &result), SOOTH_OK);
    CHECK(result.units[0] == 12 && result.units[1] == 48);
    machine.program[0].weight = 1e-9f;
    CHECK_STATUS(sooth_allocate_even(&env, &machine, &result), SOOTH_OK);
    CHECK(result.units[0] == 1 && result.units[1] == 59);
    CHECK_NEAR(sooth_allocate_unfairness(s, even, 2), .5, 1e-6);
    CHECK_NEAR(sooth_allocate_unfairness(s, thirds, 2), 0, 1e-6);
    CHECK_STATUS(sooth_allocate_init(&env, &machine, 7, 3), SOOTH_OK);
    CHECK(machine.program[0].units == 3 && machine.program[1].units == 2 && machine.program[2].units == 2);
}

/* N = 60, n = 20, PG = 0.5: SD_scal(10) = 4, (40) = 4/3, (60) = 1; all times SD_inter. */
static void predicts_by_the_curve(void) {
    CHECK_STATUS(sooth_allocate_init(&env, &machine, 60, 2), SOOTH_OK);
    machine.program[0].units = 20;
    machine.program[1].units = 40;
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 2, 1.5f, 0), SOOTH_OK);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 10), 6, 1e-5);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 40), 2, 1e-5);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 60), 1.5, 1e-5);
    CHECK(sooth_allocate_slowdown(&machine, 0, 0) > 1e29f);
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 2, 1.5f, 3.6f),
                 SOOTH_OK); /* what is seen comes out */
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 20), 3.6, 1e-5);
}

static void random_machine(sooth_rng *rng, uint32_t units, uint32_t programs) {
    uint32_t i, k;
    CHECK_STATUS(sooth_allocate_init(&env, &machine, units, programs), SOOTH_OK);
    for (i = 0; i < programs; ++i) {
        sooth_scaling_curve_init(&env, &machine.program[i].curve, (float)units, SOOTH_SCALING_CONCAVE);
        for (k = 0; k < 3; ++k) {
            float x = 1 + (float)sooth_rng_below(rng, units - 1), share = x / (float)units;
            sooth_scaling_curve_add(&env, &machine.program[i].curve, x,
                                    share + (1 - share) * sooth_rng_float(rng) * .9f);
        }
        machine.program[i].inter = 1 + sooth_rng_float(rng);
        machine.program[i].weight = .2f + sooth_rng_float(rng);
    }
}

static double goal_of(sooth_allocate_goal goal, const uint32_t *units) {
    double worst = 0, sum = 0;
    uint32_t i;
    for (i = 0; i < machine.programs; ++i) {
        double s = sooth_allocate_slowdown(&machine, i, units[i]);
        if (s * machine.program[i].weight > worst) worst = s * machine.program[i].weight;
        sum += 1 / s;
    }
    return goal == SOOTH_ALLOCATE_LEAST_WORST ? -worst : sum;
}

/* The best allocation is the best of all allocations; Algorithm 1 keeps its bounds and never does harm. */
static void best_equals_brute_force(void) {
    sooth_rng rng;
    double gap = 0;
    int trial;
    sooth_rng_init(&rng, 5, 0);
    for (trial = 0; trial < 60; ++trial) {
        double best[2] = {-1e30, -1e30}, found, even;
        uint32_t u[3], g;
        sooth_allocate_policy policy;
        random_machine(&rng, 20, 3);
        for (u[0] = 1; u[0] <= 18; ++u[0])
            for (u[1] = 1; u[0] + u[1] <= 19; ++u[1])
                for (u[2] = 20 - u[0] - u[1], g = 0; g < 2; ++g) {
                    double v = goal_of((sooth_allocate_goal)g, u);
                    if (v > best[g]) best[g] = v;
                }
        for (g = 0; g < 2; ++g) {
            CHECK_STATUS(sooth_allocate_best(&env, &machine, (sooth_allocate_goal)g, &result), SOOTH_OK);
            CHECK(total() == 20);
            CHECK_NEAR(goal_of((sooth_allocate_goal)g, result.units), best[g], 1e-5 * fabs(best[g]));
        }
        policy = sooth_allocate_qos();
        policy.max_distance = 20;
        CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
        found = goal_of(SOOTH_ALLOCATE_MAX_PROGRESS, result.units);
        gap = fmax(gap, 1 - found / best[1]);
        policy = sooth_allocate_fair();
        policy.max_distance = 3;
        sooth_allocate_even(&env, &machine, &result);
        sooth_allocate_take(&machine, &result);
        even = result.unfairness;
        CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
        CHECK(total() == 20 && result.unfairness <= even + 1e-6 && !result.safest);
        for (g = 0; g < 3; ++g)
            CHECK(result.units[g] >= 1 && abs((int)result.units[g] - (int)machine.program[g].units) <= 3);
    }
    CHECK(gap < 1e-3); /* on concave curves climbing finds the top */
}

static float indifferent(const sooth_allocate_policy *policy, const sooth_allocate *m, const uint32_t *units,
                         const float *slowdown) {
    (void)policy;
    (void)m;
    (void)units;
    (void)slowdown;
    return 1;
}

static void own_policy(void) {
    sooth_allocate_policy policy;
    memset(&policy, 0, sizeof policy);
    policy.score_fn = indifferent;
    sooth_allocate_init(&env, &machine, 9, 4);
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
    CHECK(result.units[0] == 3 && result.units[1] == 2 && result.units[3] == 2 && result.moves == 0);
}

/* What the simulator says is true for two kernels on `units`. */
static void truth(const simulator_kernel *const *k, const uint32_t *units, float *row, float *part,
                  double *sd, sooth_rng *rng) {
    int sms[2], i;
    float exact[4];
    sms[0] = (int)units[0];
    sms[1] = (int)units[1];
    colocation_run(k, sms, 2, rng, row, part);
    {
        float unused[2 * SOOTH_SLOWDOWN_INPUTS];
        colocation_run(k, sms, 2, NULL, unused, exact);
    }
    for (i = 0; i < 2; ++i) sd[i] = exact[2 * i] * exact[2 * i + 1];
}

typedef enum who { STATIC, THEMIS, ASM, LITERAL } who;

/* Up to 12 periods of observe, decide, take; returns the true slowdowns at the end. */
static void live(const simulator_kernel *const *k, who w, const sooth_allocate_policy *policy, int feedback,
                 double *sd) {
    sooth_rng rng;
    uint32_t units[2];
    int round, i, m;
    float row[2 * SOOTH_SLOWDOWN_INPUTS], part[4], guess[2], one[2];
    sooth_rng_init(&rng, 21, 0);
    for (round = 0; round < 12; ++round) {
        for (i = 0; i < 2; ++i) units[i] = machine.program[i].units;
        truth(k, units, row, part, sd, &rng);
        if (w == STATIC) return;
        for (i = 0; i < 2; ++i) {
            for (guess[0] = guess[1] = 0, m = 0; m < 3; ++m) {
                sooth_slowdown_predict(model[m], row + SOOTH_SLOWDOWN_INPUTS * i, one);
                guess[0] += one[0] / 3;
                guess[1] += one[1] / 3;
            }
            CHECK_STATUS(sooth_allocate_observe(&env, &machine, (uint32_t)i, w == ASM ? 1 : guess[0],
                                                guess[1],
                                                feedback && machine.program[i].target > 0 ? (float)sd[i] : 0),
                         SOOTH_OK);
        }
        sooth_allocate_decide(&env, &machine, policy, &result);
        if (result.units[0] == units[0]) return;
        sooth_allocate_take(&machine, &result);
    }
    for (i = 0; i < 2; ++i) units[i] = machine.program[i].units;
    truth(k, units, row, part, sd, &rng);
}

static void pair_of(int pair, const simulator_kernel **k) {
    k[0] = &simulator_kernels[SIMULATOR_TRAIN + pair / 7];
    k[1] = &simulator_kernels[SIMULATOR_TRAIN + pair % 7];
}

/* The true unfairness where a policy comes to rest with the pair k; progress grows by that of both. */
static double fair_pair(const simulator_kernel *const *k, who w, float weight, float threshold,
                        double *progress) {
    sooth_allocate_policy policy = sooth_allocate_fair();
    double sd[2], a, b;
    sooth_allocate_init(&env, &machine, SIMULATOR_SMS, 2);
    machine.program[0].weight = weight;
    machine.program[1].weight = 1 - weight;
    sooth_allocate_even(&env, &machine, &result);
    sooth_allocate_take(&machine, &result);
    policy.threshold = threshold;
    live(k, w, &policy, 0, sd);
    a = sd[0] * (double)weight;
    b = sd[1] * (1 - (double)weight);
    *progress += 1 / sd[0] + 1 / sd[1];
    return fabs(a - b) / fmax(a, b);
}

/* Unfairness of the pairs of the kernels that were learned from, at a threshold. */
static double fair_in_training(float threshold) {
    double sum = 0, progress = 0;
    int a, b;
    for (a = 0; a < SIMULATOR_TRAIN; ++a)
        for (b = 0; b < a; ++b) {
            const simulator_kernel *k[2];
            k[0] = &simulator_kernels[a];
            k[1] = &simulator_kernels[b];
            sum += fair_pair(k, THEMIS, .5f, threshold, &progress) / 105;
        }
    printf("  threshold %.2f: unfairness of the training kernels' pairs %.4f\n", (double)threshold, sum);
    return sum;
}

/* The default threshold, chosen without a look at the kernels to test on, and what it is there: 49 pairs of
   unseen kernels. The paper: unfairness 0.15 with equal weights, at a threshold of 0.1. Always alone is fair
   and gets 1 done. */
static void fair_on_the_simulator(void) {
    static const char *const name[4] = {"weighted split", "fair", "ASM", "fair below 0.1"};
    const float weights[2] = {.5f, .2f};
    const double chosen = fair_in_training(.05f);
    double mean[2][4], done[2][4];
    int w, c, pair;
    CHECK(chosen <= fair_in_training(.1f) && chosen <= fair_in_training(.02f));
    for (c = 0; c < 2; ++c)
        for (w = STATIC; w <= LITERAL; ++w) {
            double sum = 0, progress = 0;
            for (pair = 0; pair < 49; ++pair) {
                const simulator_kernel *k[2];
                pair_of(pair, k);
                sum += fair_pair(k, (who)w, weights[c], w == LITERAL ? .1f : 0, &progress);
            }
            mean[c][w] = sum / 49;
            done[c][w] = progress / 49;
            printf("  weights %.1f %.1f, %-14s unfairness %.3f, progress %.3f\n", (double)weights[c],
                   1 - (double)weights[c], name[w], mean[c][w], done[c][w]);
        }
    for (c = 0; c < 2; ++c) {
        CHECK(mean[c][THEMIS] < .12 && mean[c][THEMIS] < mean[c][STATIC] && mean[c][THEMIS] < mean[c][ASM]);
        CHECK(mean[c][LITERAL] < .15 && done[c][THEMIS] > .98 * done[c][STATIC] && done[c][THEMIS] > 1);
    }
}

/* The most batch progress that any allocation with the target kept has. */
static double best_batch(const simulator_kernel *const *k, double target) {
    double best = 0, sd[2];
    uint32_t units[2];
    float row[2 * SOOTH_SLOWDOWN_INPUTS], part[4];
    for (units[0] = 1; units[0] < SIMULATOR_SMS; ++units[0]) {
        units[1] = SIMULATOR_SMS - units[0];
        truth(k, units, row, part, sd, NULL);
        if (1 / sd[0] >= target) return fmax(best, 1 / sd[1]);
    }
    return best;
}

static void promises_on_the_simulator(void) {
    CHECK_SLOW();
    const sooth_allocate_policy policy = sooth_allocate_qos();
    int t, pair, feedback;
    double kept_all[2] = {0, 0}, batch_all[2] = {0, 0}, best_all = 0, cases = 0;
    for (t = 6; t <= 9; ++t)
        for (pair = 0; pair < 49; ++pair) {
            const simulator_kernel *k[2];
            double sd[2], best, target = t / 10.;
            pair_of(pair, k);
            best = best_batch(k, target);
            if (!(best > 0)) continue;
            ++cases;
            best_all += best;
            for (feedback = 0; feedback < 2; ++feedback) {
                sooth_allocate_init(&env, &machine, SIMULATOR_SMS, 2);
                machine.program[0].target = (float)target;
                live(k, THEMIS, &policy, feedback, sd);
                kept_all[feedback] += 1 / sd[0] >= target * .9999;
                batch_all[feedback] += 1 / sd[1];
            }
        }
    for (feedback = 0; feedback < 2; ++feedback)
        printf("  targets 0.6 to 0.9, %s: %.1f %% kept, %.1f %% of the best batch progress\n",
               feedback ? "with feedback" : "literal", 100 * kept_all[feedback] / cases,
               100 * batch_all[feedback] / best_all);
    CHECK(kept_all[1] >= .99 * cases && kept_all[0] < .7 * cases); /* a study: literal 39 to 57 % missed */
    CHECK(batch_all[1] >= .97 * best_all);
}

/* Two promises and two batch programs: what is kept is known in closed form, progress being n / 60 over the
 * interference. */
static void several_promises(void) {
    sooth_allocate_policy policy = sooth_allocate_qos();
    uint32_t i;
    CHECK_STATUS(sooth_allocate_init(&env, &machine, 60, 4), SOOTH_OK);
    machine.program[0].target = .4f;
    machine.program[2].target = .25f;
    machine.program[2].inter = 1.2f; /* 24 units keep the first promise, 18 the second: 0.25 x 60 x 1.2 */
    policy.max_distance = 60;
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
    CHECK(total() == 60 && result.units[0] == 24 && result.units[2] == 18 && !result.safest);
    CHECK_STATUS(sooth_allocate_best(&env, &machine, SOOTH_ALLOCATE_MAX_PROGRESS, &result), SOOTH_OK);
    CHECK(total() == 60 && result.units[0] == 24 && result.units[2] == 18);
    policy.max_distance = 5; /* from 15 each: as near as it may come, from both sides */
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
    CHECK(total() == 60 && result.units[0] == 20 && result.units[2] >= 18);
    for (i = 0; i < 4; ++i) CHECK(result.units[i] >= 10 && result.units[i] <= 20);
    machine.program[2].target = .6f; /* 24 and 43.2 units are more than there are */
    policy.max_distance = 60;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "cannot be met");
    CHECK(result.safest == 1 && total() == 60 && result.units[1] == 1 && result.units[3] == 1);
}

static void bad_input(void) {
    sooth_allocate_policy policy = sooth_allocate_qos();
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_allocate_init(&env, &machine, 60, 0), SOOTH_BAD_ARGUMENT, "programs is 0");
    CHECK_FAILS(&env, sooth_allocate_init(&env, &machine, 60, 17), SOOTH_BAD_ARGUMENT,
                "programs is 17, but must be from 1 to 16");
    CHECK_FAILS(&env, sooth_allocate_init(&env, &machine, 2, 3), SOOTH_BAD_ARGUMENT, "units is 2");
    sooth_allocate_init(&env, &machine, 60, 2);
    CHECK_FAILS(&env, sooth_allocate_observe(&env, &machine, 2, 1, 1, 0), SOOTH_BAD_ARGUMENT,
                "program is 2, but must be below 2");
    CHECK_FAILS(&env, sooth_allocate_observe(&env, &machine, 0, NAN, 1, 0), SOOTH_BAD_ARGUMENT, "above 0");
    CHECK_FAILS(&env, sooth_allocate_observe(&env, &machine, 0, 1, 0, 0), SOOTH_BAD_ARGUMENT, "above 0");
    CHECK_FAILS(&env, sooth_allocate_observe(&env, &machine, 0, 1, 1, -1), SOOTH_BAD_ARGUMENT,
                "actual slowdown of program 0");
    machine.program[0].target = .8f;
    machine.program[1].target = .8f;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "cannot be met");
    CHECK(result.safest == 1 && result.units[0] == 30 && result.units[1] == 30);
    machine.program[1].target = 0;
    machine.program[0].target = 1;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "cannot be met");
    CHECK(result.safest == 1 && result.units[0] == 59 && result.units[1] == 1);
    machine.program[0].target = 1.5f;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "target of program 0");
    CHECK(result.safest == 1 && total() == 60);
    machine.program[0].target = 0;
    machine.program[0].weight = NAN;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, NULL, &result), SOOTH_BAD_ARGUMENT,
                "weight of program 0");
    CHECK(result.safest == 1 && total() == 60);
    machine.program[0].weight = 1;
    machine.program[0].units = 31;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, NULL, &result), SOOTH_BAD_ARGUMENT,
                "sum of units over all programs is 61, but must be 60");
    machine.program[0].units = 30;
    policy.score_fn = NULL;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "score_fn of the policy is NULL");
    policy = sooth_allocate_qos();
    policy.guard = -1;
    CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                "guard of the policy is -1");
    sooth_allocate_init(&env, &machine, 60, 1);
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, NULL, &result), SOOTH_OK);
    CHECK(result.units[0] == 60 && result.unfairness <= 0);
}

int main(void) {
    sooth_table table;
    sooth_slowdown_options options;
    sooth_env_init(&env);
    colocation_train(train_x, train_y, NULL);
    sooth_table_init(&table, train_x, COLOCATION_ROWS, SOOTH_SLOWDOWN_INPUTS);
    table.y = train_y;
    table.targets = 2;
    memset(&options, 0, sizeof options);
    for (options.seed = 0; options.seed < 3; ++options.seed)
        if (sooth_slowdown_fit(&env, &table, &options, NULL, &model[options.seed]) != SOOTH_OK) return 1;
    CHECK_RUN(shares_by_weight);
    CHECK_RUN(predicts_by_the_curve);
    CHECK_RUN(best_equals_brute_force);
    CHECK_RUN(own_policy);
    CHECK_RUN(several_promises);
    CHECK_RUN(fair_on_the_simulator);
    CHECK_RUN(promises_on_the_simulator);
    CHECK_RUN(bad_input);
    for (options.seed = 0; options.seed < 3; ++options.seed) sooth_model_free(&env, model[options.seed]);
    return check_end("allocate");
}
