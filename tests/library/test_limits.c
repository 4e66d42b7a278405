/* test_limits.c - what calls refuse, with which sentence, and what they answer at the ends of their ranges.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown.h"
#include "sooth/configure.h"
#include "sooth/fairness.h"
#include "check.h"

static sooth_env env;

/* ---- allocate ---- */

static sooth_allocate machine;
static sooth_allocate_result result;

static void start(uint32_t units, uint32_t programs) {
    CHECK_STATUS(sooth_allocate_init(&env, &machine, units, programs), SOOTH_OK);
}

/* Every field of a machine that a decision cannot stand; the shares are by weight all the same. */
static void machines_that_cannot_be(void) {
    static const struct {
        uint32_t least[2], units[2], total;
        float weight, target;
        const char *words;
    } bad[] = {
        {{1, 1}, {0, 60}, 60, 1, 0, "units of program 0 is 0, but must be from 1 to 60"},
        {{1, 1}, {61, 0}, 60, 1, 0, "units of program 0 is 61, but must be from 1"},
        {{61, 1}, {30, 30}, 60, 1, 0, "least of program 0 is 61, but must be at most 60"},
        {{31, 30}, {30, 30}, 60, 1, 0, "sum of least over all programs is 61, but must be at most 60"},
        {{1, 1}, {30, 30}, 60, 1e31f, 0, "the weight of program 0 is "},
        {{1, 1}, {30, 30}, 60, 0, 0, "the weight of program 0 is 0"},
        {{1, 1}, {30, 30}, 60, 1, -0.5f, "the target of program 0 is -0.5"},
        {{1, 1}, {30, 30}, 60, 1, NAN, "the target of program 0 is "},
        {{1, 1}, {30, 30}, 1, 1, 0, "the machine has 1 units and 2 programs"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        start(60, 2);
        for (uint32_t i = 0; i < 2; ++i) {
            machine.program[i].least = bad[k].least[i];
            machine.program[i].units = bad[k].units[i];
        }
        machine.units = bad[k].total;
        machine.program[0].weight = bad[k].weight;
        machine.program[0].target = bad[k].target;
        CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, NULL, &result), SOOTH_BAD_ARGUMENT,
                    bad[k].words);
        CHECK(result.safest == 1 && result.units[0] + result.units[1] == (bad[k].total == 60 ? 60u : 0u));
        CHECK_FAILS(&env, sooth_allocate_best(&env, &machine, SOOTH_ALLOCATE_LEAST_WORST, &result),
                    SOOTH_BAD_ARGUMENT, bad[k].words);
        CHECK(result.safest == 1);
    }
    start(60, 2);
    machine.programs = 0;
    CHECK_FAILS(&env, sooth_allocate_even(&env, &machine, &result), SOOTH_BAD_ARGUMENT,
                "60 units and 0 programs; initialise it");
    machine.programs = SOOTH_ALLOCATE_MAX_PROGRAMS + 1;
    CHECK_FAILS(&env, sooth_allocate_even(&env, &machine, &result), SOOTH_BAD_ARGUMENT, "17 programs");
    CHECK_FAILS(&env, sooth_allocate_init(&env, &machine, 65537, 2), SOOTH_BAD_ARGUMENT, "units is 65537");
}

static void policies_that_cannot_be(void) {
    static const float guard[] = {-0.1f, 1e6f, NAN};
    for (size_t k = 0; k < 3; ++k) {
        sooth_allocate_policy policy = sooth_allocate_qos();
        start(60, 2);
        policy.guard = guard[k];
        CHECK_FAILS(&env, sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_BAD_ARGUMENT,
                    "guard of the policy is");
        CHECK(result.safest == 1 && result.units[0] == 30 && result.units[1] == 30);
    }
    start(60, 2); /* even all 60 units give half of 0.9 */
    machine.program[0].inter = 2;
    machine.program[0].target = 0.9f;
    CHECK_FAILS(&env, sooth_allocate_best(&env, &machine, SOOTH_ALLOCATE_MAX_PROGRESS, &result),
                SOOTH_BAD_ARGUMENT, "the targets cannot be met on 60 units");
    CHECK(result.safest == 1 && result.units[0] == 59 && result.units[1] == 1);
}

/* What was seen comes out; a slowdown below 1 is one of 1, and interference is a part of the whole. */
static void observations_are_bounded(void) {
    static const float far[][3] = {{1e10f, 1, 0}, {1, 1e10f, 0}, {1, 1, 1e10f}, {1, 1, NAN}, {0, 1, 0}};
    for (size_t k = 0; k < 5; ++k) {
        start(60, 2);
        CHECK_FAILS(&env, sooth_allocate_observe(&env, &machine, 1, far[k][0], far[k][1], far[k][2]),
                    SOOTH_BAD_ARGUMENT, "of program 1");
    }
    start(60, 2);
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 0.5f, 0.5f, 0), SOOTH_OK);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 30), 1, 1e-6);
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 1, 2, 1.5f, 0.5f), SOOTH_OK);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 1, 30), 1, 1e-6);
    start(60, 2);
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 2, 3, 2), SOOTH_OK); /* all of it interference */
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 30), 2, 1e-6);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 60), 2, 1e-6);
    start(60, 1); /* who has all units tells nothing of fewer */
    CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 2, 1.5f, 0), SOOTH_OK);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 60), 1.5, 1e-6);
    CHECK_NEAR(sooth_allocate_slowdown(&machine, 0, 30), 3, 1e-6);
    machine.program[0].units = 0;
    CHECK(sooth_allocate_observe(&env, &machine, 0, 2, 1, 0) != SOOTH_OK);
}

static float more_and_more(const sooth_allocate_policy *policy, const sooth_allocate *m,
                           const uint32_t *units, const float *slowdown) {
    float *asked = (float *)policy->user;
    (void)m;
    (void)units;
    (void)slowdown;
    return *asked += 1;
}

static void decisions_end(void) {
    const float s[2] = {2, 1};
    float asked = 0;
    sooth_allocate_policy policy = sooth_allocate_qos();
    CHECK_NEAR(sooth_allocate_unfairness(s, NULL, 2), 0.5, 1e-7);
    start(60, 2);
    machine.program[0].weight = 1e-9f;
    machine.program[0].least = 10;
    CHECK_STATUS(sooth_allocate_even(&env, &machine, &result), SOOTH_OK);
    CHECK(result.units[0] == 10 && result.units[1] == 50);
    start(60, 1); /* nobody promises more than the progress alone: 0.8 with a guard of a half is 1 */
    machine.program[0].target = 0.8f;
    policy.guard = 0.5f;
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
    CHECK_NEAR(result.score, 10, 1e-6);
    for (uint32_t missed = 0; missed <= 30; missed += 30) { /* a promise missed with 30 units wants more */
        start(60, 2);
        machine.program[1].weight = 2;
        machine.program[0].missed = missed;
        machine.program[0].units = 31;
        machine.program[1].units = 29;
        CHECK_STATUS(sooth_allocate_decide(&env, &machine, NULL, &result), SOOTH_OK);
        CHECK(result.units[0] == (missed ? 31u : 26u));
    }
    start(60, 2);
    machine.program[0].target = 0.4f;
    for (uint32_t k = 0; k < 2; ++k) {
        CHECK_STATUS(sooth_allocate_observe(&env, &machine, 0, 1, 1, 4), SOOTH_OK);
        CHECK(machine.program[0].missed == 30);
        machine.program[0].units = 20; /* with fewer, it is no news */
    }
    memset(&policy, 0, sizeof policy); /* a score without a top: each pass moves a unit there and back */
    policy.score_fn = more_and_more;
    policy.user = &asked;
    start(6, 2);
    CHECK_STATUS(sooth_allocate_decide(&env, &machine, &policy, &result), SOOTH_OK);
    CHECK(result.moves == 12 && result.units[0] == 3 && result.units[1] == 3);
}

/* ---- fairness ---- */

static sooth_fairness_card task(double time, double power) {
    sooth_fairness_card c;
    sooth_fairness_card_init(&c, NULL);
    snprintf(c.name, sizeof c.name, "job");
    c.value[SOOTH_FAIRNESS_ALONE_TIME] = time;
    c.value[SOOTH_FAIRNESS_ALONE_POWER] = power;
    return c;
}

static int append(void *user, const char *text, size_t size) {
    strncat((char *)user, text, size);
    return 0;
}

/* Rates whose ratio is no number are refused, not answered with one. */
static void rates_must_be_positive(void) {
    static const double bad[][4] = {{1, INFINITY, 1, 1},   {1, 1, 1, 0},          {1, 1, 1, -1},
                                    {1, 1e300, 1, 1e-300}, {1, 1e-300, 1, 1e300}, {1, 1, 1, INFINITY}};
    double f;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        CHECK_FAILS(&env, sooth_fairness(&env, bad[k], bad[k] + 2, 2, &f), SOOTH_BAD_ARGUMENT,
                    "the rates of task 1 are");
        CHECK(f <= 0);
    }
}

static void cards_may_know_little(void) {
    static char text[400];
    sooth_sink sink = {text, append, 0};
    sooth_fairness_card c = task(2.5, NAN), d = task(2, 1), back;
    const sooth_fairness_card *bag[2] = {&c, &d};
    snprintf(c.machine, sizeof c.machine, "k20");
    CHECK_STATUS(sooth_fairness_card_write(&env, &c, &sink), SOOTH_OK);
    CHECK(strcmp(text, "name = job\nmachine = k20\nalone_time = 2.5\n") == 0);
    CHECK_STATUS(sooth_fairness_card_read(&env, text, strlen(text), NULL, &back), SOOTH_OK);
    CHECK(strcmp(back.machine, "k20") == 0 && isnan(back.value[SOOTH_FAIRNESS_ALONE_POWER]));
    CHECK(strcmp(sooth_fairness_field_name(NULL, SOOTH_FAIRNESS_CHOSEN_SLOWDOWN), "slowdown") == 0);
    CHECK(isnan(sooth_fairness_others(bag, 2, 1, SOOTH_FAIRNESS_ALONE_POWER)));
    CHECK_NEAR(sooth_fairness_others(bag, 2, 0, SOOTH_FAIRNESS_ALONE_POWER), 1, 0);
    c.value[SOOTH_FAIRNESS_SLOWDOWN_LOW] = 2; /* and what it causes is not known */
    CHECK(isnan(sooth_fairness_alongside(&c, SOOTH_FAIRNESS_LOW)));
}

static void vectors_want_what_is_known(void) {
    const double threshold[2] = {3, 6};
    const uint32_t power = SOOTH_FAIRNESS_ALONE_POWER;
    const sooth_fairness_form wide = {0, 9, {0}, {0}}, of_bag = {0, 1, {0}, {SOOTH_FAIRNESS_ALONE_POWER}};
    const sooth_fairness_form slow = {1, 0, {SOOTH_FAIRNESS_CHOSEN_SLOWDOWN}, {0}};
    sooth_fairness_card c = task(1, 1), d = task(1, NAN), both = task(1, NAN);
    const sooth_fairness_card *bag[2] = {&c, &d};
    float v[8];
    CHECK_FAILS(&env, sooth_fairness_vector(&env, &wide, bag, 2, threshold, &both, v), SOOTH_BAD_ARGUMENT,
                "fields and bag_fields are 0 and 9");
    CHECK_FAILS(&env, sooth_fairness_vector(&env, &of_bag, bag, 2, threshold, &both, v), SOOTH_BAD_DATA,
                "the card of job has no alone_power");
    c.value[SOOTH_FAIRNESS_PRESSURE] = d.value[SOOTH_FAIRNESS_PRESSURE] = 1;
    CHECK_FAILS(&env, sooth_fairness_vector(&env, &slow, bag, 2, threshold, NULL, v), SOOTH_BAD_DATA,
                "the card of job has no slowdown_low, which slowdown needs in this bag");
    const sooth_fairness_form fair = {1, 0, {SOOTH_FAIRNESS_CHOSEN}, {0}};
    c.value[SOOTH_FAIRNESS_SLOWDOWN_LOW] = d.value[SOOTH_FAIRNESS_SLOWDOWN_LOW] = 2;
    CHECK_FAILS(&env, sooth_fairness_vector(&env, &fair, bag, 2, threshold, NULL, v), SOOTH_BAD_DATA,
                "the card of job has no caused_low, which fairness needs in this bag");
    c.value[SOOTH_FAIRNESS_CAUSED_LOW] = d.value[SOOTH_FAIRNESS_CAUSED_LOW] = 0;
    CHECK_FAILS(&env, sooth_fairness_vector(&env, &fair, bag, 2, threshold, NULL, v), SOOTH_BAD_DATA,
                "caused_low is 0 on the card of job, but fairness needs a number above 0");
    CHECK_FAILS(&env, sooth_fairness_any(&env, &power, 1, bag, 1, 0, v), SOOTH_BAD_ARGUMENT, "1 task,");
    CHECK_FAILS(&env, sooth_fairness_any(&env, &power, 1, bag, 2, 2, v), SOOTH_BAD_ARGUMENT,
                "own is 2, but must be below the 2 tasks");
    CHECK_FAILS(&env, sooth_fairness_any(&env, &power, 1, bag, 2, 0, v), SOOTH_BAD_DATA,
                "the card of job has no alone_power");
}

static void limits_take_the_greatest(void) {
    sooth_fairness_card c = task(2, 3), d = task(1, 2);
    const sooth_fairness_card *bag[2] = {&c, &d};
    sooth_fairness_outcome o;
    CHECK_STATUS(sooth_fairness_limit(&env, bag, 2, 1, INFINITY, 0, &o), SOOTH_OK);
    CHECK_NEAR(o.time, 2, 0);
    CHECK_NEAR(o.power, 3, 0);
}

static void lines_need_times(void) {
    const double one[3] = {4, 2, 8}, same[3] = {5, 5, 5}, zero[3] = {1, 0, 2}, huge[2] = {1e200, 2e200};
    sooth_fairness_translation t;
    int outside;
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, zero, one, 3, 0, &t), SOOTH_BAD_DATA,
                "times of microbenchmark 1 are 0 here and 2 there");
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, one, zero, 3, 0, &t), SOOTH_BAD_DATA,
                "times of microbenchmark 1 are 2 here and 0 there");
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, same, one, 3, 0, &t), SOOTH_BAD_DATA,
                "all times here are the same");
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, huge, one, 2, 1, &t), SOOTH_BAD_DATA, "too far");
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, one, huge, 2, 1, &t), SOOTH_BAD_DATA, "too far");
    CHECK_STATUS(sooth_fairness_translate_fit(&env, one, same, 3, 1, &t), SOOTH_OK);
    CHECK_NEAR(t.r2, 1, 0); /* a level line says all that there is */
    CHECK(t.least <= 2 && t.most >= 8);
    CHECK_NEAR(sooth_fairness_translate(&t, 3, NULL), 5, 1e-12);
    CHECK_NEAR(sooth_fairness_translate(&t, 1, &outside), 5, 1e-12);
    CHECK(outside);
    CHECK_NEAR(sooth_fairness_translate(&t, 0, &outside), 0, 0);
}

/* ---- configure ---- */

static double room[4096];
static sooth_configure *conf;
static const float threads[3] = {1, 2, 4}; /* rows of one knob */

static sooth_configure_options four_cores(void) {
    sooth_configure_options o;
    memset(&o, 0, sizeof o);
    o.machine.cores = 4;
    o.machine.levels = 2;
    o.machine.frequency[0] = 1;
    o.machine.frequency[1] = 2;
    return o;
}

static void configurations_must_be_possible(void) {
    static const float none[3] = {1, 0, 4}, still[4] = {1, 1, 2, 0};
    sooth_configure_options o = four_cores();
    CHECK(sooth_configure_size(1, (size_t)UINT32_MAX) == SIZE_MAX);
    CHECK_FAILS(&env, sooth_configure_init(&env, &o, threads, 3, 0, room, sizeof room, &conf),
                SOOTH_BAD_ARGUMENT, "there are 3 configurations of 0 knobs");
    CHECK_FAILS(&env, sooth_configure_init(&env, NULL, NULL, 3, 2, room, sizeof room, &conf),
                SOOTH_BAD_ARGUMENT, "the machine has 0 cores and 0 frequencies, and knobs is 2");
    CHECK_FAILS(&env, sooth_configure_init(&env, &o, none, 3, 1, room, sizeof room, &conf), SOOTH_BAD_DATA,
                "configuration 1 has 0 threads at frequency 0");
    CHECK_FAILS(&env, sooth_configure_init(&env, &o, still, 2, 2, room, sizeof room, &conf), SOOTH_BAD_DATA,
                "configuration 1 has 2 threads at frequency 0");
    o.machine.frequency[1] = 0.5f;
    CHECK_FAILS(&env, sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf),
                SOOTH_BAD_ARGUMENT, "the machine has frequencies that are not above 0 and ascending");
    o.machine.levels = 0;
    o.machine.frequency[0] = o.machine.frequency[1] = 0;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_fit(&env, conf, NULL, 0), SOOTH_BAD_ARGUMENT,
                "no cores or no frequencies, so no law applies");
}

/* Rows of one knob run at the lowest frequency; what is learned once is used again. */
static void priors_are_used_and_must_fit(void) {
    const sooth_configure_run run = {3, 0, 1, 1}, seen[3] = {{0, 0, 8, 10}, {1, 0, 4, 16}, {2, 0, 2, 28}};
    sooth_configure_options o = four_cores();
    sooth_scaling_prior time, power;
    sooth_configure_experiment next;
    float first;
    o.machine.levels = 1;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK_STATUS(sooth_configure_fit(&env, conf, NULL, 0), SOOTH_OK);
    CHECK(conf->time[0] > conf->time[1] && conf->time[1] > conf->time[2]);
    first = conf->time[0];
    time = conf->usual[0];
    power = conf->usual[1];
    time.mean[0] += 1; /* e times as long */
    o.time_prior = &time;
    o.power_prior = &power;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK_STATUS(sooth_configure_fit(&env, conf, NULL, 0), SOOTH_OK);
    CHECK_CLOSE(conf->time[0], 2.718281828 * (double)first, 1e-5);
    CHECK_FAILS(&env, sooth_configure_fit_priors(&env, conf, &run, 1, NULL, &time, &power), SOOTH_BAD_DATA,
                "run 1 is of configuration 3, but there are 3");
    CHECK_STATUS(sooth_configure_init(&env, NULL, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    o.time_prior = o.power_prior = NULL;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK_STATUS(sooth_configure_fit(&env, conf, seen, 3), SOOTH_OK);
    CHECK_FAILS(&env, sooth_configure_next(&env, conf, SOOTH_CONFIGURE_I, &next), SOOTH_BAD_ARGUMENT,
                "all 3 configurations are measured");
    time = conf->usual[0];
    power = conf->usual[0]; /* of the other law */
    o.power_prior = &power;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK(sooth_configure_fit(&env, conf, seen, 3) != SOOTH_OK && !conf->fitted);
    o.power_prior = NULL;
    power = conf->usual[1];
    o.time_prior = &power;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    CHECK(sooth_configure_fit(&env, conf, seen, 3) != SOOTH_OK && !conf->fitted);
}

/* Predictions of another model, from a list: times and powers. */
static void listed(const float *list) {
    for (size_t i = 0; i < 3; ++i) {
        conf->time[i] = list[2 * i];
        conf->power[i] = list[2 * i + 1];
        conf->time_error[i] = conf->power_error[i] = 0.3f;
    }
}

static void predictions_may_be_nothing(void) {
    static const float list[6] = {1.1f, 5, 0, 1, 2, 0}; /* neither no time nor no power */
    sooth_configure_choice choice;
    sooth_configure_goal goal;
    CHECK_STATUS(sooth_configure_init(&env, NULL, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    listed(list);
    memset(&goal, 0, sizeof goal);
    goal.most_time = 1.05;
    goal.risk = 0.5;
    CHECK_FAILS(&env, sooth_configure_choose(&env, conf, &goal, &choice), SOOTH_BAD_ARGUMENT,
                "no configuration keeps the bound of 1.05 on time");
    goal.risk = 0.6; /* who takes more than an even chance gets it: 1.1 e^(-0.2533 x 0.3) is 1.02 */
    CHECK_STATUS(sooth_configure_choose(&env, conf, &goal, &choice), SOOTH_OK);
    CHECK(choice.which == 0 && choice.risk > 0.5 && choice.risk < 0.6);
}

static void loops_know_their_room(void) {
    static sooth_configure_run run[80];
    sooth_configure_options o = four_cores();
    sooth_configure_loop loop;
    uint32_t steps;
    o.machine.levels = 1;
    CHECK_STATUS(sooth_configure_init(&env, &o, threads, 3, 1, room, sizeof room, &conf), SOOTH_OK);
    memset(&loop, 0, sizeof loop);
    loop.configure = conf;
    loop.run = run;
    loop.capacity = 80;
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 0), SOOTH_BAD_ARGUMENT,
                "capacity is 80, but must be between 4 (first + 1) and 64");
    loop.capacity = 10;
    loop.runs = 11;
    CHECK_FAILS(&env, sooth_configure_step(&env, &loop, 0, 0), SOOTH_BAD_ARGUMENT, "capacity is 10");
    loop.runs = 0;
    loop.first = 2;
    loop.most = 3;
    loop.goal.minimum = SOOTH_CONFIGURE_TIME;
    for (steps = 0; steps < 10 && !loop.done; ++steps)
        CHECK_STATUS(sooth_configure_step(&env, &loop, 8 / threads[loop.which], 10 * threads[loop.which]),
                     SOOTH_OK);
    CHECK(loop.done && loop.which == 2 && loop.runs <= 3);
    loop.which = 0;
    CHECK_STATUS(sooth_configure_step(&env, &loop, 0, 0), SOOTH_OK); /* done is done */
    CHECK(loop.done && loop.which == 0);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(machines_that_cannot_be);
    CHECK_RUN(policies_that_cannot_be);
    CHECK_RUN(observations_are_bounded);
    CHECK_RUN(decisions_end);
    CHECK_RUN(rates_must_be_positive);
    CHECK_RUN(cards_may_know_little);
    CHECK_RUN(vectors_want_what_is_known);
    CHECK_RUN(limits_take_the_greatest);
    CHECK_RUN(lines_need_times);
    CHECK_RUN(configurations_must_be_possible);
    CHECK_RUN(priors_are_used_and_must_fit);
    CHECK_RUN(predictions_may_be_nothing);
    CHECK_RUN(loops_know_their_room);
    return check_end("limits");
}
