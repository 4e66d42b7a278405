/* test_queue.c - schedules worked out by hand, and a queue that is looked at the slow way.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth/base.h"

#include "../../examples/cli/jobs/queue.c"
#include "check.h"

/* ---- by hand: submitted, run, requested, processors of a machine of ten ---- */

enum { MOST = 3000 };
static queue_job job[MOST], twin[MOST];
static int64_t told[MOST]; /* predictions; 0: what is requested */

static int64_t as_told(void *self, const queue_job *j) {
    (void)self;
    return told[j->number] ? told[j->number] : j->requested;
}

static void replay(size_t count, int order, int correction) {
    const queue_rules rules = {10, order, correction};
    const queue_predictor predictor = {as_told, NULL, NULL, NULL};
    CHECK(queue_replay(job, count, &rules, &predictor) == 0);
}

static void has(size_t i, int64_t submit, int64_t run, int64_t requested, uint32_t processors) {
    memset(&job[i], 0, sizeof job[i]);
    told[i] = 0;
    job[i].number = (uint32_t)i;
    job[i].submit = submit;
    job[i].run = run;
    job[i].requested = requested;
    job[i].processors = processors;
}

/* Six processors are taken until 10, the first of the queue wants eight. */
static void one_runs_one_waits(void) {
    has(0, 0, 10, 10, 6);
    has(1, 1, 5, 5, 8);
}

static void what_ends_before_the_reservation_starts_at_once(void) {
    one_runs_one_waits();
    has(2, 2, 8, 8, 4); /* until 10 */
    replay(3, QUEUE_FIRST, QUEUE_REQUESTED);
    CHECK(job[0].start == 0);
    CHECK(job[1].start == 10);
    CHECK(job[2].start == 2);
}

static void what_would_delay_the_first_waits(void) {
    one_runs_one_waits();
    has(2, 2, 8, 9, 4); /* until 11, by what it says */
    replay(3, QUEUE_FIRST, QUEUE_REQUESTED);
    CHECK(job[1].start == 10);
    CHECK(job[2].start == 15);
}

static void what_the_first_leaves_over_may_be_taken_for_long_but_once(void) {
    one_runs_one_waits();
    has(2, 3, 100, 100, 2);
    has(3, 4, 100, 100, 2);
    replay(4, QUEUE_FIRST, QUEUE_REQUESTED);
    CHECK(job[2].start == 3);
    CHECK(job[1].start == 10);
    CHECK(job[3].start == 15);
}

static void an_early_end_lets_the_first_start(void) {
    has(0, 0, 3, 10, 6);
    has(1, 1, 5, 5, 8);
    replay(2, QUEUE_FIRST, QUEUE_REQUESTED);
    CHECK(job[1].start == 3);
}

static void the_shortest_goes_before_where_it_is_asked_for(void) {
    for (int order = QUEUE_FIRST; order <= QUEUE_SHORTEST; ++order) {
        has(0, 0, 10, 10, 6);
        has(1, 0, 4, 4, 4);
        has(2, 1, 1, 1, 10); /* reserved for 10 */
        has(3, 2, 6, 6, 4);  /* 4 to 10, or behind the first */
        has(4, 3, 4, 4, 4);
        replay(5, order, QUEUE_REQUESTED);
        CHECK(job[2].start == 10);
        CHECK(job[3].start == (order == QUEUE_FIRST ? 4 : 11));
        CHECK(job[4].start == (order == QUEUE_FIRST ? 11 : 4));
    }
}

static void a_prediction_that_is_over_is_corrected(void) {
    for (int correction = QUEUE_REQUESTED; correction <= QUEUE_STEPS; ++correction) {
        has(0, 0, 1000, 4000, 6); /* predicted to end at 100, then at 4000; or at 160, 400, 1000 */
        told[0] = 100;
        has(1, 1, 5, 5, 8);
        has(2, 50, 60, 60, 4);    /* ends after 100, the reservation: waits */
        has(3, 120, 700, 700, 4); /* later the reservation is at 4000, or at 160 */
        has(4, 1100, 10, 10, 10);
        replay(5, QUEUE_FIRST, correction);
        CHECK(job[0].corrections == (correction == QUEUE_STEPS ? 3 : 1));
        CHECK(job[0].predicted == (correction == QUEUE_STEPS ? 1000 : 4000));
        CHECK(job[0].first == 100);
        CHECK(job[2].start == (correction == QUEUE_STEPS ? 1005 : 120));
        CHECK(job[1].start == 1000);
    }
}

static void a_prediction_lies_between_a_second_and_the_request(void) {
    has(0, 0, 5, 8, 1);
    has(1, 0, 5, 8, 1);
    told[0] = -7;
    told[1] = 99;
    replay(2, QUEUE_FIRST, QUEUE_REQUESTED);
    CHECK(job[0].first == 1);
    CHECK(job[1].first == 8);
}

static void slowdown_is_bounded(void) {
    queue_job j = {0};
    j.run = 2;
    CHECK_NEAR(queue_slowdown(&j), 1.0, 0.0);
    j.start = 48; /* (48 + 2) / 10 */
    CHECK_NEAR(queue_slowdown(&j), 5.0, 0.0);
    j.run = 100;
    CHECK_NEAR(queue_slowdown(&j), 1.48, 1e-15);
}

/* ---- the slow way: after each event a table of how many processors are free from when on ---- */

typedef struct table {
    int64_t from[2 * MOST + 4], less[2 * MOST + 4]; /* at this time so many less */
    size_t count;
} table;
static table plan;

static void takes(int64_t from, int64_t to, int64_t processors) {
    plan.from[plan.count] = from;
    plan.less[plan.count++] = processors;
    plan.from[plan.count] = to;
    plan.less[plan.count++] = -processors;
}

static int64_t free_at(int64_t time, int64_t processors) {
    for (size_t i = 0; i < plan.count; ++i)
        if (plan.from[i] <= time) processors -= plan.less[i];
    return processors;
}

/* Can it run from then on without a break? Only where something begins may less be free. */
static int can_start(const queue_job *j, int64_t time, int64_t processors) {
    if (free_at(time, processors) < j->processors) return 0;
    for (size_t i = 0; i < plan.count; ++i)
        if (plan.from[i] > time && plan.from[i] < time + j->predicted &&
            free_at(plan.from[i], processors) < j->processors)
            return 0;
    return 1;
}

static int64_t earliest(const queue_job *j, int64_t now, int64_t processors) {
    int64_t best = INT64_MAX;
    if (can_start(j, now, processors)) return now;
    for (size_t i = 0; i < plan.count; ++i)
        if (plan.from[i] > now && plan.from[i] < best && can_start(j, plan.from[i], processors))
            best = plan.from[i];
    return best;
}

static void start_twin(queue_job *j, int64_t now, uint32_t *turn, uint32_t *turns) {
    j->start = now;
    *turn = ++*turns;
    takes(now, now + j->predicted, j->processors);
}

static void look(size_t arrived, const char *over, int64_t now, const queue_rules *rules, uint32_t *turn,
                 uint32_t *turns) {
    size_t head = MOST;
    plan.count = 0;
    for (size_t i = 0; i < arrived; ++i)
        if (twin[i].start >= 0 && !over[i] && twin[i].start + twin[i].predicted > now)
            takes(twin[i].start, twin[i].start + twin[i].predicted, twin[i].processors);
    for (size_t i = 0; i < arrived && head == MOST; ++i) {
        if (twin[i].start >= 0) continue;
        if (free_at(now, rules->processors) >= twin[i].processors) start_twin(&twin[i], now, &turn[i], turns);
        else head = i;
    }
    if (head == MOST) return;
    const int64_t reserved = earliest(&twin[head], now, rules->processors);
    takes(reserved, reserved + twin[head].predicted, twin[head].processors);
    for (;;) {
        size_t best = MOST;
        for (size_t i = head + 1; i < arrived; ++i)
            if (twin[i].start < 0 && can_start(&twin[i], now, rules->processors) &&
                (best == MOST ||
                 (rules->order == QUEUE_SHORTEST && twin[i].predicted < twin[best].predicted)))
                best = i;
        if (best == MOST) return;
        start_twin(&twin[best], now, &turn[best], turns);
    }
}

static void replay_slowly(size_t count, const queue_rules *rules) {
    static const int64_t step[] = {60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000};
    static char over[MOST];
    static uint32_t turn[MOST];
    uint32_t turns = 0;
    size_t arrived = 0;
    memset(over, 0, sizeof over);
    for (size_t i = 0; i < count; ++i) twin[i].start = -1, twin[i].corrections = 0;
    for (;;) {
        int64_t best = INT64_MAX, kind = 0;
        size_t who = MOST;
        for (size_t i = 0; i < count; ++i) { /* the next event: the earliest, of the least kind and turn */
            queue_job *j = &twin[i];
            int64_t time = i == arrived ? j->submit : INT64_MAX, k = 1;
            if (i < arrived && j->start >= 0 && !over[i]) {
                k = j->predicted < j->run ? 0 : 2;
                time = j->start + (k ? j->run : j->predicted);
            }
            if (time < best || (time == best && time < INT64_MAX &&
                                (k < kind || (k == kind && k == 2 && turn[i] < turn[who]))))
                best = time, kind = k, who = i;
        }
        if (who == MOST) return;
        queue_job *j = &twin[who];
        if (kind == 0) {
            j->predicted = j->requested;
            if (rules->correction == QUEUE_STEPS && j->corrections < 11 &&
                j->first + step[j->corrections] < j->requested)
                j->predicted = j->first + step[j->corrections];
            ++j->corrections;
            continue;
        }
        if (kind == 1) {
            j->predicted = told[who] ? told[who] : j->requested;
            if (j->predicted > j->requested) j->predicted = j->requested;
            j->first = j->predicted;
            ++arrived;
        } else {
            over[who] = 1;
        }
        look(arrived, over, best, rules, turn, &turns);
    }
}

static void made_up(sooth_rng *rng, size_t count, uint32_t coarse) {
    int64_t submit = 0;
    for (size_t i = 0; i < count; ++i) {
        submit += sooth_rng_below(rng, 60) / coarse * coarse;
        const uint32_t longest = sooth_rng_below(rng, 4) ? 200 : 6000;
        const int64_t run = 1 + sooth_rng_below(rng, longest) / coarse * coarse;
        has(i, submit, run, run + sooth_rng_below(rng, 3) * sooth_rng_below(rng, longest) / coarse * coarse,
            1 + sooth_rng_below(rng, 1 + sooth_rng_below(rng, 10)));
        told[i] = sooth_rng_below(rng, 2) ? 1 + sooth_rng_below(rng, longest) / coarse * coarse : run;
    }
}

static void it_schedules_as_the_slow_way_does(void) {
    sooth_rng rng;
    size_t waited = 0, corrected = 0, wrong = 0;
    sooth_rng_init(&rng, 5, 0);
    for (int round = 0; round < 24; ++round) {
        const size_t count = 20 + sooth_rng_below(&rng, 140);
        made_up(&rng, count, round % 3 ? 1 : 20); /* in steps of 20 s much falls on the same second */
        memcpy(twin, job, sizeof twin);
        const queue_rules rules = {10, round & 1, round >> 1 & 1};
        replay(count, rules.order, rules.correction);
        replay_slowly(count, &rules);
        for (size_t i = 0; i < count; ++i) {
            waited += job[i].start > job[i].submit;
            corrected += job[i].corrections;
            wrong += job[i].start != twin[i].start || job[i].predicted != twin[i].predicted ||
                     job[i].corrections != twin[i].corrections;
        }
    }
    CHECK(wrong == 0);
    CHECK(waited > 1000);
    CHECK(corrected > 300);
}

/* ---- who predicts ---- */

static size_t finished;
static int64_t last_end, last_start;

static void ended(void *self, const queue_job *j) {
    CHECK(self == &finished);
    CHECK(j->start + j->run > last_end || (j->start + j->run == last_end && j->start >= last_start));
    last_end = j->start + j->run;
    last_start = j->start;
    ++finished;
}

static int enough(double done) { return done > 0.5; }

static void ends_are_told_in_their_order_and_a_host_may_stop(void) {
    const queue_rules rules = {10, QUEUE_SHORTEST, QUEUE_STEPS};
    queue_predictor predictor = {as_told, ended, NULL, &finished};
    sooth_rng rng;
    sooth_rng_init(&rng, 6, 0);
    made_up(&rng, MOST, 20);
    finished = 0;
    last_end = 0;
    CHECK(queue_replay(job, MOST, &rules, &predictor) == 0);
    CHECK(finished == MOST);
    last_end = 0;
    predictor.progress = enough;
    CHECK(queue_replay(job, MOST, &rules, &predictor) == 2);
    CHECK(queue_replay(job, 0, &rules, &predictor) == 0);
}

int main(void) {
    CHECK_RUN(what_ends_before_the_reservation_starts_at_once);
    CHECK_RUN(what_would_delay_the_first_waits);
    CHECK_RUN(what_the_first_leaves_over_may_be_taken_for_long_but_once);
    CHECK_RUN(an_early_end_lets_the_first_start);
    CHECK_RUN(the_shortest_goes_before_where_it_is_asked_for);
    CHECK_RUN(a_prediction_that_is_over_is_corrected);
    CHECK_RUN(a_prediction_lies_between_a_second_and_the_request);
    CHECK_RUN(slowdown_is_bounded);
    CHECK_RUN(it_schedules_as_the_slow_way_does);
    CHECK_RUN(ends_are_told_in_their_order_and_a_host_may_stop);
    return check_end("queue");
}
