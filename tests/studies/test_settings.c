/* test_settings.c - the next setting to try: turns by hand, orders of other GPUs by sorting, searches with a
 * known best.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "../../examples/gpu/settings.h"
#include "check.h"

enum { SIDE = 20, ROWS = SIDE * SIDE * 2, MOST = 200 };

static float x[ROWS * 3], truth[2][ROWS];
static sooth_table space;
static sooth_env env;

/* Two knobs of 20 values and a switch; the best is alone at (13, 6, 1). What is wide and high fails. The
   second GPU takes three times as long, and has its own best a step aside. */
static void make_space(void) {
    for (int i = 0; i < ROWS; ++i) {
        const int a = i / (2 * SIDE), b = i / 2 % SIDE, c = i % 2;
        const int da = a - 13, db = b - 6, ea = a - 12;
        x[3 * i] = (float)a;
        x[3 * i + 1] = (float)b;
        x[3 * i + 2] = (float)c;
        truth[0][i] = a + b > 30 ? NAN : 1.0f + 0.1f * (float)(da * da + db * db) + (c ? 0.0f : 0.5f);
        truth[1][i] = a + b > 30 ? NAN : 3.0f + 0.3f * (float)(ea * ea + db * db) + (c ? 0.0f : 1.5f);
    }
    space = sooth_table_of(x, NULL, ROWS, 3);
    sooth_env_init(&env);
}

/* Runs until the best was tried, one call for `each` of them; MOST + 1: not among MOST. */
static size_t search(settings_known known, size_t each, uint32_t *tried, float *took) {
    static uint32_t own[MOST];
    static float own_took[MOST];
    known.space = &space;
    known.tried = tried = tried ? tried : own;
    known.time = took = took ? took : own_took;
    while (known.runs < MOST) {
        uint32_t next[MOST];
        size_t count = each;
        CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
        CHECK(count == each);
        for (size_t i = 0; i < count; ++i) {
            for (size_t k = 0; k < known.runs; ++k) CHECK(tried[k] != next[i]);
            tried[known.runs] = next[i];
            took[known.runs++] = truth[0][next[i]];
            if (truth[0][next[i]] < 1.05f) return known.runs;
        }
    }
    return MOST + 1;
}

/* Random search needs (800 + 1) / 2 runs on the mean. */
static void finds_the_best_in_few_runs(void) {
    size_t sum = 0;
    for (uint32_t seed = 0; seed < 20; ++seed) {
        settings_known known = {.seed = seed};
        sum += search(known, 1, NULL, NULL);
    }
    CHECK(sum < 20 * 80);
}

/* The other GPU's order has the best at most in the fifth place: (12, 6, 1) and its neighbours. */
static void another_gpu_shows_the_way(void) {
    settings_known known = {.prior = truth[1], .others = 1};
    CHECK(search(known, 1, NULL, NULL) <= 5);
}

/* The first ten are those of the other GPU from its fastest on; of two GPUs by turns, each setting once. */
static void begins_with_the_order_of_others(void) {
    static float prior[2 * ROWS];
    uint32_t next[10];
    size_t count = 10;
    settings_known known = {.space = &space, .prior = truth[1], .others = 1};
    CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
    CHECK(count == 10);
    for (size_t i = 0; i < 10; ++i) {
        size_t faster = 0, as_fast = 0;
        for (size_t k = 0; k < ROWS; ++k) {
            faster += truth[1][k] < truth[1][next[i]];
            as_fast += !(truth[1][k] < truth[1][next[i]]) && truth[1][k] <= truth[1][next[i]];
        }
        CHECK(faster <= i && i < faster + as_fast);
    }
    memcpy(prior, truth[0], sizeof truth[0]);
    memcpy(prior + ROWS, truth[1], sizeof truth[1]);
    known.prior = prior;
    known.others = 2;
    count = 10;
    CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
    CHECK(next[0] == 13 * 2 * SIDE + 6 * 2 + 1); /* the best of each */
    CHECK(next[1] == 12 * 2 * SIDE + 6 * 2 + 1);
    for (size_t i = 0; i < 10; ++i)
        for (size_t k = 0; k < i; ++k) CHECK(next[i] != next[k]);
}

/* After ten, every second is beside one of the three best that were tried. */
static void looks_beside_the_best(void) {
    uint32_t tried[MOST];
    float took[MOST];
    settings_known known = {.space = &space, .seed = 3};
    const size_t runs = search(known, 1, tried, took);
    for (size_t n = 11; n < runs; n += 2) {
        size_t beside = 0;
        for (size_t i = 0; i < n; ++i) {
            size_t faster = 0;
            unsigned other = 0;
            for (size_t k = 0; k < n; ++k) faster += took[k] < took[i];
            for (size_t j = 0; j < 3; ++j) other += x[3 * tried[i] + j] != x[3 * tried[n] + j];
            beside += took[i] == took[i] && faster < 3 && other == 1;
        }
        CHECK(beside > 0);
    }
}

/* Where all failed so far it goes on at random, and ends when all were tried. */
static void ends_with_the_space(void) {
    static uint32_t tried[ROWS], next[ROWS];
    static float took[ROWS];
    size_t count = ROWS;
    settings_known known = {.space = &space, .tried = tried, .time = took};
    for (uint32_t i = 0; i < ROWS; ++i) tried[i] = i, took[i] = NAN;
    known.runs = ROWS - 5;
    CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
    CHECK(count == 5);
    for (size_t i = 0; i < 5; ++i) CHECK(next[i] >= ROWS - 5);
    known.runs = ROWS;
    count = 1;
    CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
    CHECK(count == 0);
}

/* What was measured stays, to the bit; what is told lies within what was measured, and near the truth. */
static void fills_what_was_not_measured(void) {
    static uint32_t tried[ROWS];
    static float took[ROWS], told[ROWS];
    settings_known known = {.space = &space, .tried = tried, .time = took};
    double off = 0, plain = 0, mean = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < ROWS; i += 3) {
        tried[known.runs] = i;
        took[known.runs++] = truth[0][i];
        if (truth[0][i] == truth[0][i]) mean += log((double)truth[0][i]), ++n;
    }
    mean /= (double)n;
    CHECK_STATUS(settings_fill(&env, &known, told), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        if (i % 3 == 0) CHECK(memcmp(&told[i], &truth[0][i], sizeof told[i]) == 0);
        else if (truth[0][i] == truth[0][i]) {
            off += fabs(log((double)told[i] / (double)truth[0][i]));
            plain += fabs(mean - log((double)truth[0][i]));
        }
    }
    CHECK(off < 0.3 * plain);
}

/* Failures are thought to be three times the worst, also where no float is; what is told are times still. */
static void what_is_filled_in_are_times(void) {
    static const float scale[] = {1e-44f, 1.0f, 3.4e38f};
    static uint32_t tried[ROWS];
    static float took[ROWS], told[ROWS];
    settings_known known = {.space = &space, .tried = tried, .time = took};
    for (uint32_t i = 0; i < ROWS; i += 2) tried[known.runs++] = i;
    for (size_t k = 0; k < 3; ++k) {
        int times = 1;
        size_t count = 9;
        uint32_t next[9];
        for (size_t i = 0; i < known.runs; ++i) took[i] = i % 3 ? scale[k] : NAN;
        CHECK_STATUS(settings_fill(&env, &known, told), SOOTH_OK);
        for (size_t i = 1; i < ROWS; i += 2) times &= told[i] > 0.0f && told[i] <= FLT_MAX;
        CHECK(times);
        for (size_t i = 0; i < ROWS; i += 2) told[i] = 1.0f;
        known.prior = told;
        known.others = 1;
        CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
        known.others = 0;
    }
}

static void mistakes_are_sentences(void) {
    uint32_t tried = ROWS, next;
    float took = 1.0f, prior[ROWS], told[ROWS];
    size_t count = 1;
    settings_known known = {.space = &space, .tried = &tried, .time = &took, .runs = 1};
    CHECK_STATUS(settings_next(&env, &known, &next, &count), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "tried[0] is 800"));
    tried = 0;
    took = -1.0f;
    CHECK_STATUS(settings_next(&env, &known, &next, &count), SOOTH_BAD_DATA);
    CHECK(strstr(env.sentence, "time[0]"));
    took = NAN;
    CHECK_STATUS(settings_fill(&env, &known, told), SOOTH_BAD_DATA);
    CHECK(strstr(env.sentence, "ran"));
    memcpy(prior, truth[1], sizeof prior);
    prior[7] = 0.0f;
    known.prior = prior;
    known.others = 1;
    CHECK_STATUS(settings_next(&env, &known, &next, &count), SOOTH_BAD_DATA);
    CHECK(strstr(env.sentence, "prior[7]"));
    known.others = 17;
    CHECK_STATUS(settings_next(&env, &known, &next, &count), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "others is 17"));
    x[4] = NAN;
    known.others = 0;
    CHECK_STATUS(settings_next(&env, &known, &next, &count), SOOTH_BAD_DATA);
    CHECK(strstr(env.sentence, "row 2 has a missing value in column 2"));
    x[4] = 0.0f;
}

int main(void) {
    make_space();
    CHECK_RUN(finds_the_best_in_few_runs);
    CHECK_RUN(another_gpu_shows_the_way);
    CHECK_RUN(begins_with_the_order_of_others);
    CHECK_RUN(looks_beside_the_best);
    CHECK_RUN(ends_with_the_space);
    CHECK_RUN(fills_what_was_not_measured);
    CHECK_RUN(what_is_filled_in_are_times);
    CHECK_RUN(mistakes_are_sentences);
    return check_end("settings");
}
