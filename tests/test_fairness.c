/* test_fairness.c - fairness.h against closed forms, the paper's counts, and published measurements of pairs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/fairness.h"
#include "sooth/forest.h"
#include "sooth/linear.h"
#include "check.h"

static sooth_env env;

/* Cards whose every field is known: field f of card k is 1 + f / 10 + k. */
static sooth_fairness_card card_of(int k) {
    sooth_fairness_card c;
    int f;
    memset(&c, 0, sizeof c);
    snprintf(c.name, sizeof c.name, "task%d", k);
    for (f = 0; f < SOOTH_FAIRNESS_FIELDS; ++f) c.value[f] = 1 + f / 10. + k;
    return c;
}

/* {0.5, 1} and {0.5, 0.5} tell least / greatest from the least alone. */
static void fairness_of_bags(void) {
    const double one[3] = {1, 1, 1}, a[3] = {.5, 1, .8}, b[2] = {.5, .5}, zero[2] = {1, 0};
    double f;
    CHECK_STATUS(sooth_fairness(&env, a, one, 3, &f), SOOTH_OK);
    CHECK_NEAR(f, .5, 1e-15);
    CHECK_STATUS(sooth_fairness(&env, b, one, 2, &f), SOOTH_OK);
    CHECK_NEAR(f, 1, 0);
    CHECK_FAILS(&env, sooth_fairness(&env, a, one, 1, &f), SOOTH_BAD_ARGUMENT, "the bag has 1 task,");
    CHECK_FAILS(&env, sooth_fairness(&env, a, one, 17, &f), SOOTH_BAD_ARGUMENT, "2 to 16");
    CHECK_FAILS(&env, sooth_fairness(&env, zero, one, 2, &f), SOOTH_BAD_ARGUMENT, "task 1 are 0 shared");
    CHECK(f <= 0);
}

static void cards_there_and_back(void) {
    static const char text[] = "# a card\nname = sift\r\n  machine=k20 # the old one\ngpu_time = "
                               "2.5\nsuffered_high=1.9\ncaused_high = 1.4";
    sooth_fairness_card c, back;
    char room[2000], small[8];
    size_t n;
    CHECK_STATUS(sooth_fairness_card_read(&env, text, sizeof text - 1, &c), SOOTH_OK);
    CHECK(strcmp(c.name, "sift") == 0 && strcmp(c.machine, "k20") == 0 && isnan(c.value[SOOTH_FAIRNESS_IPC]));
    CHECK_NEAR(sooth_fairness_of_card(&c, SOOTH_FAIRNESS_HIGH), 1.4 / 1.9, 1e-15);
    CHECK(isnan(sooth_fairness_of_card(&c, SOOTH_FAIRNESS_LOW)));
    c = card_of(1);
    n = sooth_fairness_card_write(&c, room, sizeof room);
    CHECK(n == strlen(room));
    CHECK_STATUS(sooth_fairness_card_read(&env, room, n, &back), SOOTH_OK);
    CHECK(memcmp(c.value, back.value, sizeof c.value) == 0 && strcmp(c.name, back.name) == 0);
    CHECK(sooth_fairness_card_write(&c, small, sizeof small) == 7 && strlen(small) == 7);
#define BAD(words, expected) \
    CHECK_FAILS(&env, sooth_fairness_card_read(&env, words, strlen(words), &c), SOOTH_BAD_TEXT, expected)
    BAD("name = a\nipc 3", "line 2 has no =");
    BAD("name = a\nipx = 3", "no field ipx");
    BAD("name = a\nipc = x", "line 2: ipc must be");
    BAD("name = a\nipc = -1", "ipc must be");
    BAD("name = a\nipc = nan", "ipc must be");
    BAD("name = a\nipc = 1\nipc = 1", "again");
    BAD("ipc = 1\n", "no name");
}

/* Comb1 of two tasks has 4 x 2 numbers and its fairness; Table 4 has 10 a task. */
static void widths_of_the_tables(void) {
    static const int own[21] = {10, 4, 3, 3, 4, 3, 3, 0, 0, 0, 5, 5, 0, 2, 4, 0, 3, 2, 3, 6, 1};
    static const int bag[21] = {0, 0, 0, 0, 0, 0, 0, 3, 6, 5, 0, 0, 5, 0, 0, 5, 0, 1, 1, 1, 6};
    static const int fair[21] = {1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1};
    int c, k;
    for (c = 0; c < 21; ++c)
        for (k = 2; k <= 5; ++k)
            CHECK(sooth_fairness_width((uint32_t)c, (uint32_t)k) ==
                  (size_t)(k * (own[c] + fair[c]) + bag[c]));
    CHECK(sooth_fairness_width(21, 2) == 0);
}

static void vectors_do_not_mind_the_order(void) {
    const double threshold[2] = {3, 6};
    const uint32_t fields[2] = {SOOTH_FAIRNESS_GPU_TIME, SOOTH_FAIRNESS_CAUSED_HIGH};
    sooth_fairness_card c[3];
    sooth_fairness_bag bag = {1, 2, 3, 4, 5, 6};
    const sooth_fairness_card *a[3] = {&c[0], &c[1], &c[2]}, *b[3] = {&c[2], &c[0], &c[1]};
    float v[64], w[64];
    uint32_t i;
    for (i = 0; i < 3; ++i) c[i] = card_of((int)i);
    for (i = 0; i < SOOTH_FAIRNESS_COMBINATIONS; ++i) {
        size_t width = sooth_fairness_width(i, 3);
        memset(v, 0, sizeof v);
        memset(w, 0, sizeof w);
        CHECK_STATUS(sooth_fairness_vector(&env, i, a, 3, threshold, &bag, v), SOOTH_OK);
        CHECK_STATUS(sooth_fairness_vector(&env, i, b, 3, threshold, &bag, w), SOOTH_OK);
        CHECK(memcmp(v, w, sizeof v) == 0 && v[width - 1] > 0 && v[width] <= 0);
    }
    CHECK_NEAR(v[0], c[2].value[SOOTH_FAIRNESS_GPU_POWER], 1e-6); /* comb 20: the longest task first */
    CHECK_STATUS(sooth_fairness_any(&env, fields, 2, a, 3, 0, v), SOOTH_OK);
    CHECK_STATUS(sooth_fairness_any(&env, fields, 2, b, 3, 1, w), SOOTH_OK);
    CHECK(memcmp(v, w, 7 * sizeof *v) == 0);
    CHECK_NEAR(v[1], c[1].value[1] + c[2].value[1], 1e-6);
    CHECK_NEAR(v[2], c[2].value[1], 1e-6);
    CHECK_NEAR(v[6], 3, 0);
    a[1] = a[2] = a[0]; /* three copies of one workload: equal numbers for each */
    CHECK_STATUS(sooth_fairness_vector(&env, 0, a, 3, threshold, &bag, v), SOOTH_OK);
    for (i = 0; i < 11; ++i) CHECK_NEAR(v[3 * i], v[3 * i + 2], 0);
    a[1] = &c[1];
    a[2] = &c[2];
    c[1].value[SOOTH_FAIRNESS_LLC_RATE] = 1;
    c[2].value[SOOTH_FAIRNESS_LLC_RATE] = 2;
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_LOW);
    c[2].value[SOOTH_FAIRNESS_LLC_RATE] = 4;
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_MEDIUM);
    c[2].value[SOOTH_FAIRNESS_LLC_RATE] = 6;
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_HIGH);
    CHECK_FAILS(&env, sooth_fairness_vector(&env, 7, a, 3, threshold, NULL, v), SOOTH_BAD_ARGUMENT,
                "measurements of the bag");
    CHECK_FAILS(&env, sooth_fairness_vector(&env, 21, a, 3, threshold, NULL, v), SOOTH_BAD_ARGUMENT,
                "combination is 21");
    CHECK_FAILS(&env, sooth_fairness_vector(&env, 1, a, 1, threshold, NULL, v), SOOTH_BAD_ARGUMENT, "1 task");
    c[1].value[SOOTH_FAIRNESS_IPC] = NAN;
    CHECK_FAILS(&env, sooth_fairness_vector(&env, 1, a, 3, threshold, NULL, v), SOOTH_BAD_DATA,
                "card of task1 has no ipc");
    a[2] = NULL;
    CHECK_FAILS(&env, sooth_fairness_vector(&env, 1, a, 3, threshold, NULL, v), SOOTH_BAD_ARGUMENT,
                "unknown workload");
}

static void thresholds_part_three_heaps(void) {
    const float sums[6] = {1, 21, 3, 42, 19, 38};
    double t[2];
    CHECK_STATUS(sooth_fairness_learn(&env, sums, 6, t), SOOTH_OK);
    CHECK_NEAR(t[0], 11, 1e-9);
    CHECK_NEAR(t[1], 30, 1e-9);
    CHECK_STATUS(sooth_fairness_learn(&env, sums, 2, t), SOOTH_BAD_DATA);
}

static float three(const void *model, const float *row) { return row[0] * *(const float *)model; }

static void answers_stay_within_nature(void) {
    sooth_fairness_card c[2];
    const sooth_fairness_card *a[2] = {&c[0], &c[1]};
    sooth_fairness_answer answer;
    sooth_fairness_bank bank;
    const float model = 3, row = 2;
    c[0] = card_of(0);
    c[1] = card_of(1); /* gpu_time 1.1 and 2.1 */
    memset(&bank, 0, sizeof bank);
    bank.predict = three;
    bank.model[2] = &model;
    CHECK_STATUS(sooth_fairness_predict(&env, &bank, &row, a, 2, 100, 90, &answer), SOOTH_OK);
    CHECK_NEAR(answer.time, 6, 1e-9);
    CHECK_NEAR(answer.energy, 540, 1e-9);
    CHECK(answer.moved == 2 && !answer.safest);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 2, 1, 50, 0, &answer), SOOTH_OK);
    CHECK(answer.moved == 1);
    CHECK_NEAR(answer.time, 2.1, 1e-12);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 2, NAN, 50, 0, &answer), SOOTH_OK);
    CHECK(answer.safest);
    CHECK_NEAR(answer.time, 3.2, 1e-12);
    bank.model[2] = NULL;
    CHECK_FAILS(&env, sooth_fairness_predict(&env, &bank, &row, a, 2, 50, 90, &answer), SOOTH_BAD_ARGUMENT,
                "no predictor for 2 tasks");
    CHECK(answer.safest);
    CHECK_NEAR(answer.time, 3.2, 1e-12);
    CHECK_FAILS(&env, sooth_fairness_predict(&env, &bank, &row, a, 17, 50, 90, &answer), SOOTH_BAD_ARGUMENT,
                "17 tasks");
    CHECK(answer.safest);
    CHECK_STATUS(sooth_fairness_predict(&env, &bank, &row, a, 1, 50, 90, &answer), SOOTH_OK);
    CHECK_NEAR(answer.time, 1.1, 1e-12);
    c[1].value[SOOTH_FAIRNESS_GPU_TIME] = 0;
    CHECK_FAILS(&env, sooth_fairness_limit(&env, a, 2, 1, 50, 0, &answer), SOOTH_BAD_DATA,
                "gpu_time above 0");
}

static void translates(void) {
    const double here[4] = {1, 2, 4, 8}, there[4] = {3, 12, 48, 192},
                 line[4] = {5, 7, 11, 19}; /* 3 t^2, 3 + 2 t */
    sooth_fairness_translation t;
    int outside;
    CHECK_STATUS(sooth_fairness_translate_fit(&env, here, there, 4, 0, &t), SOOTH_OK);
    CHECK_NEAR(t.slope, 2, 1e-12);
    CHECK_NEAR(t.error, 0, 1e-12);
    CHECK_NEAR(sooth_fairness_translate(&t, 16, &outside), 768, 1e-9);
    CHECK(outside);
    CHECK_STATUS(sooth_fairness_translate_fit(&env, here, line, 4, 1, &t), SOOTH_OK);
    CHECK_NEAR(sooth_fairness_translate(&t, 3, &outside), 9, 1e-12);
    CHECK(!outside);
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, here, line, 1, 1, &t), SOOTH_BAD_DATA, "needs 2");
}

#include "gavel.h"

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(fairness_of_bags);
    CHECK_RUN(cards_there_and_back);
    CHECK_RUN(widths_of_the_tables);
    CHECK_RUN(vectors_do_not_mind_the_order);
    CHECK_RUN(thresholds_part_three_heaps);
    CHECK_RUN(answers_stay_within_nature);
    CHECK_RUN(translates);
    CHECK_RUN(measured_pairs);
    return check_end("fairness");
}
