/* test_choose.c - the price of a rule in the queue, by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth/base.h"

#include "../../examples/cli/jobs/choose.c"
#include "../../examples/cli/jobs/queue.c"
#include "check.h"

enum { JOBS = 4, RULES = 4 };
static const uint32_t order[JOBS] = {0, 1, 2, 3};
static const queue_rules machine = {10, QUEUE_SHORTEST, QUEUE_REQUESTED};
static queue_job job[JOBS];

/* A runs on 6 of 10 processors until 100. B needs all 10, for 40 s. C needs 4, for 50 s, and could run next
   to A. Distances between submissions become 4/5, so B comes at 4 and C at 8. */
static int64_t told[JOBS * RULES] = {
    /* the truth, C by its request, A too short, all too short */
    100, 100, 20, 1, /* A */
    40,  40,  40, 1, /* B */
    50,  200, 50, 1, /* C */
    7,   7,   7,  7, /* a job that has not ended */
};

static void has(size_t i, int64_t submit, int64_t run, int64_t requested, uint32_t processors,
                uint32_t user) {
    memset(&job[i], 0, sizeof job[i]);
    job[i].submit = submit;
    job[i].run = run;
    job[i].requested = requested;
    job[i].processors = processors;
    job[i].user = user;
}

static void users(uint32_t a, uint32_t b, uint32_t c) {
    has(0, 1000, 100, 100, 6, a);
    has(1, 1005, 40, 40, 10, b);
    has(2, 1010, 50, 200, 4, c);
    has(3, 1015, 9000, 9000, 10, a);
}

static choose_past all_but_the_last(void) {
    const choose_past past = {job, order, 3, told, RULES};
    return past;
}

/* With the truth C starts at 8 next to A, and B at 100: 1 + (96 + 40) / 40 + 1 = 5.4 for three jobs. If C
   seems to run until 208, it waits for B: 1 + 3.4 + (132 + 50) / 50 = 8.04. If A seems to end at 20, B is
   expected to start then, and C waits as long. If C is told to take 1 s, it starts at once: 5.4. */
static void a_prediction_costs_what_it_delays(void) {
    double price[RULES];
    users(1, 1, 1); /* one copy is without this user, and four are whole */
    const choose_past past = all_but_the_last();
    CHECK(choose_rule(&past, &machine, 0, price) == 0);
    CHECK_NEAR(price[0], 5.4 / 3.0, 1e-12);
    CHECK_NEAR(price[1], 8.04 / 3.0, 1e-12);
    CHECK_NEAR(price[2], 8.04 / 3.0, 1e-12);
    CHECK_NEAR(price[3], 5.4 / 3.0, 1e-12);
}

/* Without the user of A: B, then C at 44, 1 + (36 + 50) / 50. Without that of B: 1 + 1. Without that of C:
   1 + 3.4. Two copies are whole. */
static void copies_are_without_a_fifth_of_the_users(void) {
    double price[RULES];
    users(0, 1, 2);
    const choose_past past = all_but_the_last();
    CHECK(choose_rule(&past, &machine, 0, price) == 0);
    CHECK_NEAR(price[0], (2.72 + 2.0 + 4.4 + 2.0 * 5.4) / 12.0, 1e-12);
    CHECK_NEAR(price[1], (2.72 + 2.0 + 4.4 + 2.0 * 8.04) / 12.0, 1e-12);
}

static void the_cheapest_rule_replaces_the_present_one(void) {
    int64_t kept[JOBS * RULES];
    double price[RULES];
    memcpy(kept, told, sizeof told);
    users(1, 1, 1);
    for (size_t i = 0; i < JOBS; ++i)
        told[i * RULES] = kept[i * RULES + 1], told[i * RULES + 1] = kept[i * RULES];
    choose_past past = all_but_the_last();
    CHECK(choose_rule(&past, &machine, 0, price) == 1);
    for (size_t i = 0; i < JOBS; ++i) told[i * RULES] = told[i * RULES + 1];
    CHECK(choose_rule(&past, &machine, 0, price) == 0);
    CHECK(choose_rule(&past, &machine, 1, price) == 1); /* of equals the present one */
    past.count = 0;                                     /* nothing has ended */
    CHECK(choose_rule(&past, &machine, 2, price) == 2);
    memcpy(told, kept, sizeof told);
}

/* C runs for 200 s now. If it is told to take 50 s, it starts at 8, and B at 208. By its request it waits for
   B. If B takes 40 s, the first costs 1 + (204 + 40) / 40 + 1 = 8.1, and the second 1 + 3.4 + (132 + 200) /
   200 = 6.06. If B takes 80 s, these are 1 + (204 + 80) / 80 + 1 = 5.55, and 1 + (96 + 80) / 80 + (172 + 200)
   / 200 = 5.06, which is 8.8 % less. */
static void a_gain_below_a_tenth_changes_nothing(void) {
    double price[RULES];
    users(1, 1, 1);
    job[2].run = 200;
    const choose_past past = all_but_the_last();
    CHECK(choose_rule(&past, &machine, 0, price) == 1);
    CHECK_NEAR(price[0], 8.1 / 3.0, 1e-12);
    CHECK_NEAR(price[1], 6.06 / 3.0, 1e-12);
    job[1].run = job[1].requested = 80;
    CHECK(choose_rule(&past, &machine, 0, price) == 0);
    CHECK_NEAR(price[0], 5.55 / 3.0, 1e-12);
    CHECK_NEAR(price[1], 5.06 / 3.0, 1e-12);
    CHECK(choose_rule(&past, &machine, 1, price) == 1);
}

/* Four such days with B of 40 s, the last of another user. If C runs for 92 s on the last day, the request is
   dearer there: 1 + 3.4 + (132 + 92) / 92 = 6.83 for 5.4. The sums over three whole copies and two of one
   user are 100.0 and 118.8, but in the copy without the first user only the last day counts. */
static void a_rule_that_is_dearer_in_one_copy_changes_nothing(void) {
    enum { MANY = 12 };
    queue_job day[MANY];
    int64_t of[2 * MANY];
    uint32_t index[MANY];
    double price[2];
    users(1, 1, 1);
    job[2].run = 200;
    for (uint32_t i = 0; i < MANY; ++i) {
        day[i] = job[i % 3];
        day[i].user = i < 9 ? 1 : 2;
        day[i].submit += 86400 * (i / 3);
        of[2 * i] = told[i % 3 * RULES];
        of[2 * i + 1] = told[i % 3 * RULES + 1];
        index[i] = i;
    }
    const choose_past past = {day, index, MANY, of, 2};
    CHECK(choose_rule(&past, &machine, 0, price) == 1);
    day[11].run = 92;
    CHECK(choose_rule(&past, &machine, 0, price) == 0);
    CHECK_NEAR(price[0], 118.8 / 48.0, 1e-12);
    CHECK(price[1] < 0.85 * price[0]);
    for (int i = 9; i < MANY; ++i) day[i].user = 1; /* in one copy no jobs, in the others all */
    CHECK(choose_rule(&past, &machine, 0, price) == 1);
}

static void jobs_that_have_not_ended_do_not_count(void) {
    double before[RULES], after[RULES];
    users(0, 1, 2);
    const choose_past past = all_but_the_last();
    choose_rule(&past, &machine, 0, before);
    has(3, 1, 1, 1, 1, 4);
    for (size_t rule = 0; rule < RULES; ++rule) told[3 * RULES + rule] = 90000;
    choose_rule(&past, &machine, 0, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
}

/* Learned times that are random lose to times that are right up to a tenth. */
static void a_useless_learner_is_not_chosen(void) {
    enum { MANY = 2000 };
    queue_job *many = (queue_job *)calloc(MANY, sizeof *many);
    int64_t *of = (int64_t *)calloc(2 * MANY, sizeof *of), submit = 0;
    uint32_t *past_of = (uint32_t *)calloc(MANY, sizeof *past_of);
    double price[2];
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (uint32_t i = 0; i < MANY; ++i) {
        queue_job *j = &many[i];
        submit += sooth_rng_below(&rng, 300);
        j->submit = submit;
        j->run = 1 + (int64_t)sooth_rng_below(&rng, sooth_rng_below(&rng, 4) ? 200 : 2000);
        j->requested = 4000;
        j->processors = 1 + sooth_rng_below(&rng, 8);
        j->user = sooth_rng_below(&rng, 20);
        of[2 * i] = 1 + (int64_t)sooth_rng_below(&rng, 2000);
        of[2 * i + 1] = j->run + j->run / 10;
        past_of[i] = i;
    }
    const choose_past past = {many, past_of, MANY, of, 2};
    CHECK(choose_rule(&past, &machine, 0, price) == 1);
    CHECK(price[0] > 1.1 * price[1]);
    free(many);
    free(of);
    free(past_of);
}

int main(void) {
    CHECK_RUN(a_prediction_costs_what_it_delays);
    CHECK_RUN(copies_are_without_a_fifth_of_the_users);
    CHECK_RUN(the_cheapest_rule_replaces_the_present_one);
    CHECK_RUN(a_gain_below_a_tenth_changes_nothing);
    CHECK_RUN(a_rule_that_is_dearer_in_one_copy_changes_nothing);
    CHECK_RUN(jobs_that_have_not_ended_do_not_count);
    CHECK_RUN(a_useless_learner_is_not_chosen);
    return check_end("choose");
}
