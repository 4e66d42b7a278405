/* 12_cards.c - a card for each program: which neighbours suit it, and how long it takes on another machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and the card at its end
 *
 * Seven training jobs were measured on a K80 and on a P100, alone and in pairs (Narayanan et al.:
 * Heterogeneity-aware cluster scheduling policies, OSDI 2020; the numbers are theirs, MIT licence). One of
 * them is a stranger on the P100. We describe jobs by cards. We test which neighbour treats them fairly. We
 * build the row that a predictor reads. Then we translate the stranger's time.
 *
 * Exercises, with answers in answers.md:
 *   1. Two programs are twice as slow next to each other. Or one is four times as slow and the other not at
 *      all. How fair is either?
 *   2. Let each of the seven be the stranger in turn. Which one is predicted worst?
 *   3. Translate from the P100 to the K80 instead. Is the other direction as accurate?
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/fairness.h"

#include <math.h>
#include <stdio.h>

enum { TRAININGS = 7, STRANGER = 5 };

/* Seconds per step alone, on both machines. */
static const char *const job[TRAININGS] = {"A3C",       "CycleGAN",  "LM 20",         "Recommendation 2048",
                                           "ResNet-18", "ResNet-50", "Transformer 64"};
static const double k80[TRAININGS] = {1 / 3.43877, 1 / 0.504771, 1 / 17.1423, 1 / 10.4412,
                                      1 / 7.05208, 1 / 1.23657,  1 / 1.75223};
static const double p100[TRAININGS] = {1 / 5.68135, 1 / 2.40267, 1 / 58.1727, 1 / 16.5966,
                                       1 / 22.3049, 1 / 4.88832, 1 / 5.09183};

/* ---- 1. A card is text, which the owner of a program writes once. ---- */

/* Three of the jobs replace the microbenchmarks: Recommendation 512 presses little, LM 80 more, A3C much. */
static const char text[] = "name = ResNet-50\n"
                           "machine = K80\n"
                           "alone_time = 0.8087      # seconds of a step\n"
                           "pressure = 0.835         # how much it slows A3C: an effect, since cache misses\n"
                           "                         # cannot be counted\n"
                           "slowdown_low = 1.265     # its own, next to the three\n"
                           "slowdown_medium = 1.730\n"
                           "slowdown_high = 2.372\n"
                           "caused_low = 2.987       # what it does to them\n"
                           "caused_medium = 1.770\n"
                           "caused_high = 1.835\n"
                           "batch = 32\n";
static const sooth_fairness_fields own = {1, {"batch"}}; /* and any other number that its owner has */

static int stop(const sooth_env *env) {
    fprintf(stderr, "%s\n", env->sentence);
    return 1;
}

/* ---- 2. The neighbour decides which of the three fairnesses counts. How well does that predict? ---- */

typedef struct neighbour {
    const char *name;
    double pressure, slowed, slows; /* measured, next to ResNet-50 */
} neighbour;

static const neighbour neighbours[] = {{"ResNet-18", 0.619, 1.817, 2.452},
                                       {"Recommendation 8192", 0.976, 1.901, 1.701},
                                       {"CycleGAN", 1.346, 1.989, 1.924}};

static sooth_status meet(sooth_env *env, const sooth_fairness_card *card) {
    static const char *const level[] = {"Low", "Medium", "High"};
    const float sums[] = {0.643f, 0.757f, 0.619f, 0.646f, 0.783f, 0.976f, 0.938f, 0.923f, 1.268f, 1.346f};
    const double alone[2] = {1, 1};
    double threshold[2], shared[2], truth;
    sooth_fairness_card other = *card;
    const sooth_fairness_card *bag[2];
    sooth_status status = sooth_fairness_thresholds(env, sums, 10, SOOTH_FAIRNESS_CLUSTERS, threshold);
    bag[0] = card;
    bag[1] = &other;
    printf("Ten jobs press little, more or much. The bounds of the clusters are %.2f and %.2f.\n",
           threshold[0], threshold[1]);
    for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0] && status == SOOTH_OK; ++i) {
        other.value[SOOTH_FAIRNESS_PRESSURE] = neighbours[i].pressure;
        sooth_fairness_level now = sooth_fairness_choose(bag, 2, 0, threshold);
        shared[0] = 1 / neighbours[i].slowed;
        shared[1] = 1 / neighbours[i].slows;
        status = sooth_fairness(env, shared, alone, 2, &truth);
        printf("  next to %-20s like %-6s fairness %.2f by the card; measured %.2f\n", neighbours[i].name,
               level[now], sooth_fairness_alongside(card, now), truth);
    }
    printf("Three neighbours cannot represent all: this is one of several inputs of a predictor.\n");
    return status;
}

/* The input row of a predictor of pairs: all values of one field, then all of the next. */
static sooth_status show_row(sooth_env *env, const sooth_fairness_card *card) {
    const sooth_fairness_form form = {.fields = 2, .field = {SOOTH_FAIRNESS_ALONE_TIME, SOOTH_FAIRNESS_OWN}};
    sooth_fairness_card larger = *card;
    const sooth_fairness_card *bag[2];
    float row[4];
    larger.value[SOOTH_FAIRNESS_ALONE_TIME] = 1 / 0.619028;
    larger.value[SOOTH_FAIRNESS_OWN] = 64;
    bag[0] = card;
    bag[1] = &larger;
    sooth_status status = sooth_fairness_vector(env, &form, bag, 2, NULL, NULL, row);
    printf("\nThe row of two of them, the longer one first:");
    for (size_t i = 0; i < sooth_fairness_width(&form, 2) && status == SOOTH_OK; ++i)
        printf(" %.4g", (double)row[i]);
    printf("  (times alone, batches)\n");
    return status;
}

/* ---- 3. A new machine: the logarithms of times there and here lie nearly on a line. ---- */

static sooth_status translate(sooth_env *env, sooth_fairness_card *card) {
    double here[TRAININGS - 1], there[TRAININGS - 1];
    sooth_fairness_translation t;
    uint32_t n = 0;
    int outside;
    for (uint32_t i = 0; i < TRAININGS; ++i) {
        if (i == STRANGER) continue;
        here[n] = k80[i];
        there[n++] = p100[i];
    }
    sooth_status status = sooth_fairness_translate_fit(env, here, there, n, 0, &t);
    if (status != SOOTH_OK) return status;
    double time = sooth_fairness_translate(&t, card->value[SOOTH_FAIRNESS_ALONE_TIME], &outside);
    printf("\n%u jobs ran on the K80 and on the P100: ln t_P100 = %.2f + %.2f ln t_K80, r2 %.2f.\n"
           "Each of them was left out in turn. The line from the others is off by %.0f %% on average:\n"
           "trust it no more than that. %s: %.3f s on the K80, so %.3f s on the P100%s. It took %.3f s.\n",
           n, t.intercept, t.slope, t.r2, 100 * t.error, job[STRANGER],
           card->value[SOOTH_FAIRNESS_ALONE_TIME], time, outside ? " (outside the measured range)" : "",
           p100[STRANGER]);
    card->value[SOOTH_FAIRNESS_ALONE_TIME] = time;
    memcpy(card->machine, "P100, translated", sizeof "P100, translated");
    for (uint32_t i = SOOTH_FAIRNESS_PRESSURE; i < SOOTH_FAIRNESS_OWN; ++i) card->value[i] = NAN;
    return SOOTH_OK;
}

/* ---- 4. The card for the new machine. Only times are translated. The rest is left out, not guessed. ---- */

static int put(void *file, const char *words, size_t size) {
    return fwrite(words, 1, size, (FILE *)file) != size;
}

int main(void) {
    sooth_env env;
    sooth_sink sink;
    sooth_fairness_card card;
    sooth_env_init(&env);
    memset(&sink, 0, sizeof sink);
    sink.user = stdout;
    sink.write_fn = put;
    if (sooth_fairness_card_read(&env, text, sizeof text - 1, &own, &card) != SOOTH_OK) return stop(&env);
    if (meet(&env, &card) != SOOTH_OK || show_row(&env, &card) != SOOTH_OK ||
        translate(&env, &card) != SOOTH_OK)
        return stop(&env);
    printf("\nIts card there:\n");
    return sooth_fairness_card_write(&env, &card, &sink) == SOOTH_OK ? 0 : stop(&env);
}
