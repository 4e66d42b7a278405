/* test_fairness.c - fairness.h against closed forms, the paper's counts, and published measurements of pairs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/fairness.h"
#include "sooth/forest.h"
#include "sooth/linear.h"
#include "sooth/train.h"
#include "check.h"

static sooth_env env;

/* The paper's cards with every field known: field f of card k is 1 + f / 10 + k. */
static sooth_fairness_card card_of(int k) {
    sooth_fairness_card c;
    int f;
    sooth_fairness_card_init(&c, sooth_fairness_paper_fields());
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

/* A sink of so many bytes. */
typedef struct page {
    size_t used, most;
    char text[2000];
} page;

static int put(void *user, const char *text, size_t size) {
    page *p = (page *)user;
    if (p->used + size > p->most) return 1;
    memcpy(p->text + p->used, text, size);
    p->used += size;
    return 0;
}

static void cards_there_and_back(void) {
    static const char text[] = "# a card\nname = sift\r\n  machine=k20 # the old one\nalone_time = "
                               "2.5\nslowdown_high=1.9\ncaused_high = 1.4\nipc = 0.5";
    static const sooth_fairness_fields two = {2, {"cycles", "ipc"}};
    static page whole = {0, 2000, ""}, small = {0, 20, ""};
    sooth_sink sink = {NULL, put, 0};
    sooth_fairness_card c, back;
    CHECK_STATUS(sooth_fairness_card_read(&env, text, sizeof text - 1, &two, &c), SOOTH_OK);
    CHECK(strcmp(c.name, "sift") == 0 && strcmp(c.machine, "k20") == 0 && isnan(c.value[SOOTH_FAIRNESS_OWN]));
    CHECK_NEAR(c.value[SOOTH_FAIRNESS_OWN + 1], 0.5, 0);
    CHECK_NEAR(sooth_fairness_alongside(&c, SOOTH_FAIRNESS_HIGH), 1.4 / 1.9, 1e-15);
    CHECK(isnan(sooth_fairness_alongside(&c, SOOTH_FAIRNESS_LOW)));
    c = card_of(1);
    c.value[SOOTH_FAIRNESS_PRESSURE] = -0.25; /* a task beside which others run faster, by chance */
    sink.user = &whole;
    CHECK_STATUS(sooth_fairness_card_write(&env, &c, &sink), SOOTH_OK);
    CHECK_STATUS(sooth_fairness_card_read(&env, whole.text, whole.used, c.own, &back), SOOTH_OK);
    CHECK(memcmp(c.value, back.value, sizeof c.value) == 0 && strcmp(c.name, back.name) == 0);
    sink.user = &small;
    CHECK_FAILS(&env, sooth_fairness_card_write(&env, &c, &sink), SOOTH_CANCELLED,
                "task1 could not be written");
#define BAD(words, expected)                                                                          \
    CHECK_FAILS(&env, sooth_fairness_card_read(&env, words, strlen(words), &two, &c), SOOTH_BAD_TEXT, \
                expected)
    BAD("name = a\nipc 3", "line 2: expected \"name = value\"");
    BAD("name = a\nipx = 3", "line 2: a card has no field ipx");
    BAD("name = a\nipc = x", "line 2: ipc must be");
    BAD("name = a\nipc = -1", "ipc must be");
    BAD("name = a\nipc = nan", "ipc must be");
    BAD("name = a\nipc =", "ipc must be");
    BAD("name = a\npressure = inf", "pressure must be a number");
    BAD("name = a\nipc = 1\nipc = 1", "line 3: ipc is repeated");
    BAD("ipc = 1\n", "no name");
    BAD("name = 1234567890123456789012345678901234567890123456789012345678901234", "more than 63");
    CHECK_FAILS(&env, sooth_fairness_card_read(&env, text, sizeof text - 1, NULL, &c), SOOTH_BAD_TEXT,
                "no field ipc");
    CHECK(strcmp(sooth_fairness_field_name(&two, SOOTH_FAIRNESS_OWN), "cycles") == 0 &&
          sooth_fairness_field_name(&two, SOOTH_FAIRNESS_OWN + 2) == NULL);
}

/* Table 7 as it is printed: Comb1 of two tasks has 4 x 2 numbers and a fairness each; Table 4 has 10 a
   task. */
static void combinations_are_those_of_the_tables(void) {
    static const int own[21] = {10, 4, 3, 3, 4, 3, 3, 0, 0, 0, 5, 5, 0, 2, 4, 0, 3, 2, 3, 6, 1};
    static const int bag[21] = {0, 0, 0, 0, 0, 0, 0, 3, 6, 5, 0, 0, 5, 0, 0, 5, 0, 1, 1, 1, 6};
    static const int fair[21] = {1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1};
    const sooth_fairness_fields *paper = sooth_fairness_paper_fields();
    sooth_fairness_form form;
    int c, k;
    for (c = 0; c < 21; ++c) {
        CHECK_STATUS(sooth_fairness_combination(&env, (uint32_t)c, &form), SOOTH_OK);
        for (k = 2; k <= 5; ++k)
            CHECK(sooth_fairness_width(&form, (uint32_t)k) == (size_t)(k * (own[c] + fair[c]) + bag[c]));
    }
    CHECK_FAILS(&env, sooth_fairness_combination(&env, 21, &form), SOOTH_BAD_ARGUMENT, "combination is 21");
    CHECK_STATUS(sooth_fairness_combination(&env, 17, &form), SOOTH_OK);
    CHECK(form.fields == 3 && form.bag_fields == 1 && form.field[0] == SOOTH_FAIRNESS_ALONE_POWER &&
          form.field[1] == SOOTH_FAIRNESS_LLC_MISS && form.field[2] == SOOTH_FAIRNESS_CHOSEN &&
          form.bag_field[0] == SOOTH_FAIRNESS_CPU_POWER);
    CHECK(paper->count == 15 &&
          strcmp(sooth_fairness_field_name(paper, SOOTH_FAIRNESS_DTLB_MISS), "dtlb_miss") == 0);
}

static void vectors_do_not_mind_the_order(void) {
    const double threshold[2] = {3.5, 6};
    const uint32_t fields[2] = {SOOTH_FAIRNESS_ALONE_TIME, SOOTH_FAIRNESS_CAUSED_HIGH};
    sooth_fairness_card c[3], bag = card_of(7);
    const sooth_fairness_card *a[3] = {&c[0], &c[1], &c[2]}, *b[3] = {&c[2], &c[0], &c[1]};
    sooth_fairness_form form;
    float v[64], w[64];
    uint32_t i;
    for (i = 0; i < 3; ++i) c[i] = card_of((int)i);
    for (i = 0; i < SOOTH_FAIRNESS_COMBINATIONS; ++i) {
        size_t width;
        CHECK_STATUS(sooth_fairness_combination(&env, i, &form), SOOTH_OK);
        width = sooth_fairness_width(&form, 3);
        memset(v, 0, sizeof v);
        memset(w, 0, sizeof w);
        CHECK_STATUS(sooth_fairness_vector(&env, &form, a, 3, threshold, &bag, v), SOOTH_OK);
        CHECK_STATUS(sooth_fairness_vector(&env, &form, b, 3, threshold, &bag, w), SOOTH_OK);
        CHECK(memcmp(v, w, sizeof v) == 0 && v[width - 1] > 0 && v[width] <= 0);
    }
    CHECK_NEAR(v[0], c[2].value[SOOTH_FAIRNESS_ALONE_POWER], 1e-6); /* comb 20: the longest task first */
    CHECK_NEAR(v[6], bag.value[SOOTH_FAIRNESS_CPU_POWER], 1e-6);    /* and then the bag */
    CHECK_STATUS(sooth_fairness_any(&env, fields, 2, a, 3, 0, v), SOOTH_OK);
    CHECK_STATUS(sooth_fairness_any(&env, fields, 2, b, 3, 1, w), SOOTH_OK);
    CHECK(memcmp(v, w, 7 * sizeof *v) == 0);
    CHECK_NEAR(v[1], c[1].value[0] + c[2].value[0], 1e-6);
    CHECK_NEAR(v[2], c[2].value[0], 1e-6);
    CHECK_NEAR(v[6], 3, 0);
    CHECK_STATUS(sooth_fairness_combination(&env, 0, &form), SOOTH_OK);
    a[1] = a[2] = a[0]; /* three copies of one workload: equal numbers for each */
    CHECK_STATUS(sooth_fairness_vector(&env, &form, a, 3, threshold, &bag, v), SOOTH_OK);
    for (i = 0; i < 11; ++i) CHECK_NEAR(v[3 * i], v[3 * i + 2], 0);
}

static void levels_follow_the_others(void) {
    const double threshold[2] = {3.5, 6};
    const sooth_fairness_form chosen = {2, 0, {SOOTH_FAIRNESS_CHOSEN, SOOTH_FAIRNESS_CHOSEN_SLOWDOWN}, {0}};
    sooth_fairness_card c[3];
    const sooth_fairness_card *a[3] = {&c[0], &c[1], &c[2]};
    float v[6];
    uint32_t i;
    for (i = 0; i < 3; ++i) c[i] = card_of(2 - (int)i);
    c[1].value[SOOTH_FAIRNESS_PRESSURE] = 1;
    c[2].value[SOOTH_FAIRNESS_PRESSURE] = 2;
    CHECK_NEAR(sooth_fairness_others(a, 3, 0, SOOTH_FAIRNESS_PRESSURE), 3, 0);
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_LOW);
    c[2].value[SOOTH_FAIRNESS_PRESSURE] = 4;
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_MEDIUM);
    CHECK_STATUS(sooth_fairness_vector(&env, &chosen, a, 3, threshold, NULL, v), SOOTH_OK);
    CHECK_NEAR(v[0], sooth_fairness_alongside(&c[0], SOOTH_FAIRNESS_MEDIUM), 1e-7);
    CHECK_NEAR(v[3], c[0].value[SOOTH_FAIRNESS_SLOWDOWN_MEDIUM], 1e-6);
    c[2].value[SOOTH_FAIRNESS_PRESSURE] = 5; /* a threshold belongs to the level above */
    CHECK(sooth_fairness_choose(a, 3, 0, threshold) == SOOTH_FAIRNESS_HIGH);
}

static void vectors_say_what_they_miss(void) {
    const double threshold[2] = {3, 6};
    const sooth_fairness_form odd = {1, 0, {SOOTH_FAIRNESS_FIELDS}, {0}}, wide = {17, 0, {0}, {0}};
    sooth_fairness_card c[3];
    const sooth_fairness_card *a[3] = {&c[0], &c[1], &c[2]};
    sooth_fairness_form form;
    float v[64];
    uint32_t i;
    for (i = 0; i < 3; ++i) c[i] = card_of((int)i);
    CHECK_STATUS(sooth_fairness_combination(&env, 7, &form), SOOTH_OK);
#define REFUSED(form, tasks, threshold, status, words) \
    CHECK_FAILS(&env, sooth_fairness_vector(&env, form, a, tasks, threshold, NULL, v), status, words)
    REFUSED(&form, 3, threshold, SOOTH_BAD_ARGUMENT, "bag_fields is above 0, but bag is NULL");
    REFUSED(&odd, 3, threshold, SOOTH_BAD_ARGUMENT, "is 24, but must be below 24");
    REFUSED(&wide, 3, threshold, SOOTH_BAD_ARGUMENT, "are 17 and 0, but");
    CHECK_STATUS(sooth_fairness_combination(&env, 1, &form), SOOTH_OK);
    REFUSED(&form, 1, threshold, SOOTH_BAD_ARGUMENT, "1 task,");
    REFUSED(&form, 3, NULL, SOOTH_BAD_ARGUMENT, "needs fairness, and that needs thresholds");
    c[2].value[SOOTH_FAIRNESS_PRESSURE] = NAN;
    REFUSED(&form, 3, threshold, SOOTH_BAD_DATA, "card of task2 has no pressure");
    c[1].value[SOOTH_FAIRNESS_IPC] = NAN;
    REFUSED(&form, 3, threshold, SOOTH_BAD_DATA, "card of task1 has no ipc");
    a[2] = NULL;
    REFUSED(&form, 3, threshold, SOOTH_BAD_ARGUMENT, "task 2 of the bag has no card");
}

static void thresholds_part_three_heaps(void) {
    const float sums[6] = {1, 21, 3, 42, 19, 38}, signs[6] = {-2, 5, -1, 0, 7, 3}, two[4] = {1, 2, 1, 2};
    const float bad[1] = {NAN};
    double t[2];
    CHECK_STATUS(sooth_fairness_thresholds(&env, sums, 6, SOOTH_FAIRNESS_CLUSTERS, t), SOOTH_OK);
    CHECK_NEAR(t[0], 11, 1e-9);
    CHECK_NEAR(t[1], 30, 1e-9);
    CHECK_STATUS(sooth_fairness_thresholds(&env, two, 4, SOOTH_FAIRNESS_CLUSTERS, t), SOOTH_BAD_DATA);
    CHECK_STATUS(sooth_fairness_thresholds(&env, sums, 6, SOOTH_FAIRNESS_TERCILES, t), SOOTH_OK);
    CHECK_NEAR(t[0], 19, 0);
    CHECK_NEAR(t[1], 38, 0);
    CHECK_STATUS(sooth_fairness_thresholds(&env, signs, 6, SOOTH_FAIRNESS_TERCILES, t), SOOTH_OK);
    CHECK(t[0] >= 0 && t[0] <= 0);
    CHECK_NEAR(t[1], 5, 0);
    CHECK_STATUS(sooth_fairness_thresholds(&env, sums, 0, SOOTH_FAIRNESS_TERCILES, t), SOOTH_BAD_DATA);
    CHECK_STATUS(sooth_fairness_thresholds(&env, bad, 1, SOOTH_FAIRNESS_TERCILES, t), SOOTH_BAD_DATA);
}

static float three(const void *model, const float *row) { return row[0] * *(const float *)model; }

static void predictions_stay_within_nature(void) {
    sooth_fairness_card c[2];
    const sooth_fairness_card *a[2] = {&c[0], &c[1]};
    sooth_fairness_outcome o;
    sooth_fairness_bank bank;
    float model = 3, any = 4, row = 2;
    c[0] = card_of(0);
    c[1] = card_of(1); /* alone_time 1 and 2, alone_power 1.1 and 2.1 */
    memset(&bank, 0, sizeof bank);
    bank.predict_fn = three;
    bank.model[2] = &model;
    CHECK_NEAR(sooth_fairness_predict(&bank, 2, &row), 6, 0);
    CHECK(isnan(sooth_fairness_predict(&bank, 3, &row)) && isnan(sooth_fairness_predict(&bank, 17, &row)));
    bank.model[0] = &any;
    CHECK_NEAR(sooth_fairness_predict(&bank, 2, &row), 6, 0);
    CHECK_NEAR(sooth_fairness_predict(&bank, 17, &row), 8, 0);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 2, 6, 100, 90, &o), SOOTH_OK);
    CHECK(o.moved == SOOTH_FAIRNESS_POWER_MOVED && !o.safest);
    CHECK_NEAR(o.time, 6, 1e-9);
    CHECK_NEAR(o.energy, 540, 1e-9);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 2, 1, 50, 0, &o), SOOTH_OK);
    CHECK(o.moved == SOOTH_FAIRNESS_TIME_MOVED);
    CHECK_NEAR(o.time, 2, 1e-12);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 2, NAN, NAN, 0, &o), SOOTH_OK);
    CHECK(o.safest && o.moved == SOOTH_FAIRNESS_TIME_MOVED + SOOTH_FAIRNESS_POWER_MOVED);
    CHECK_NEAR(o.time, 3, 1e-12);
    CHECK_NEAR(o.power, 2.1, 1e-12);
    CHECK_FAILS(&env, sooth_fairness_limit(&env, a, 17, 6, 50, 90, &o), SOOTH_BAD_ARGUMENT, "17 tasks");
    CHECK(o.safest);
    CHECK_STATUS(sooth_fairness_limit(&env, a, 1, NAN, 50, 90, &o), SOOTH_OK);
    CHECK(!o.safest && !o.moved);
    CHECK_NEAR(o.time, 1, 1e-12);
    c[1].value[SOOTH_FAIRNESS_ALONE_TIME] = 0;
    CHECK_FAILS(&env, sooth_fairness_limit(&env, a, 2, 1, 50, 0, &o), SOOTH_BAD_DATA, "alone_time above 0");
}

static void translates(void) {
    const double here[4] = {1, 2, 4, 8}, there[4] = {3, 12, 48, 192},
                 line[4] = {5, 7, 11, 19}; /* 3 t^2, 3 + 2 t */
    const double three_here[3] = {1, 2, 3}, three_there[3] = {4, 6, 11};
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
    CHECK_FAILS(&env, sooth_fairness_translate_fit(&env, here, line, 1, 1, &t), SOOTH_BAD_DATA,
                "points is 1, but must be at least 2");
    /* leaving one out: the lines through the two others say 1, 7.5 and 8 */
    CHECK_STATUS(sooth_fairness_translate_fit(&env, three_here, three_there, 3, 1, &t), SOOTH_OK);
    CHECK_NEAR(t.slope, 3.5, 1e-12);
    CHECK_NEAR(t.r2, 3.5 * 3.5 * 2 / 26, 1e-12);
    CHECK_NEAR(t.error, (fabs(1. - 4) / 4 + fabs(7.5 - 6) / 6 + fabs(8. - 11) / 11) / 3, 1e-12);
    CHECK_STATUS(sooth_fairness_translate_fit(&env, three_here, three_there, 2, 1, &t), SOOTH_OK);
    CHECK(isnan(t.error));
}

#include "gavel.h"

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(fairness_of_bags);
    CHECK_RUN(cards_there_and_back);
    CHECK_RUN(combinations_are_those_of_the_tables);
    CHECK_RUN(vectors_do_not_mind_the_order);
    CHECK_RUN(levels_follow_the_others);
    CHECK_RUN(vectors_say_what_they_miss);
    CHECK_RUN(thresholds_part_three_heaps);
    CHECK_RUN(predictions_stay_within_nature);
    CHECK_RUN(translates);
    CHECK_RUN(measured_pairs);
    return check_end("fairness");
}
