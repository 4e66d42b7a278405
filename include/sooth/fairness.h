/* fairness.h - what a bag of tasks looks like to a predictor: fairness, cards, feature vectors, limits.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A bag is a list of tasks that run at the same time. What it will take is predicted from what is known of
 * each task alone and beside three microbenchmarks, Low, Medium and High, which miss the last-level cache
 * little, more and much (Moolchandani, Kumar and Sarangi: Performance and power prediction for concurrent
 * execution on GPUs, 2022). All that is one card per workload: a small text file.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/fairness.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] = "name = sift\ngpu_time = 2.5\ncpu_time = 11\nllc_rate = 4e6\n"
 *                                    "suffered_low = 1.1\nsuffered_medium = 1.3\nsuffered_high = 1.9\n"
 *                                    "caused_low = 1.2\ncaused_medium = 1.2\ncaused_high = 1.4\n";
 *         sooth_fairness_card card;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_fairness_card_read(&env, text, sizeof text - 1, &card) != SOOTH_OK)
 *             return puts(env.sentence);
 *         printf("%s beside High: fairness %.2f\n", card.name,
 *                sooth_fairness_of_card(&card, SOOTH_FAIRNESS_HIGH));
 *         return 0;                                                     sift beside High: fairness 0.74
 *     }
 *
 * The text of the paper defines fairness as the least over the greatest ratio r_k = rate shared / rate
 * alone of the bag; its formula prints min(r_k | r_l), in all likelihood min(r_k / r_l) without its bar,
 * which is the same thing. That is what sooth_fairness returns. It forgets how slow everybody is: a pair
 * that is slowed to a half each is as fair as one that is not slowed at all. So cards keep the slowdowns
 * in both directions, and order-free vectors carry those.
 *
 * Costs: nothing is allocated but by sooth_fairness_learn. Vectors take O(tasks^2).
 */
#include "base.h"
#include "cluster.h"
#include "num.h"

#ifndef SOOTH_FAIRNESS_H
#define SOOTH_FAIRNESS_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SOOTH_PREDICT_ONLY

#define SOOTH_FAIRNESS_MOST 16u /* tasks in a bag */

/* Least over greatest of the ratios rate shared / rate alone of a bag, 0 to 1; 1 is fair. Rates of any kind
   (instructions per cycle, 1 / time). SOOTH_BAD_ARGUMENT: a bag of one, more than SOOTH_FAIRNESS_MOST tasks,
   a rate that is not above 0; then *fairness is 0. */
SOOTH_API sooth_status sooth_fairness(sooth_env *env, const double *shared, const double *alone,
                                      uint32_t tasks, double *fairness);

/* ---- cards ---- */

typedef enum sooth_fairness_level {
    SOOTH_FAIRNESS_LOW = 0,
    SOOTH_FAIRNESS_MEDIUM,
    SOOTH_FAIRNESS_HIGH
} sooth_fairness_level;

/* What a card tells, in the order of its text. Times in seconds, powers in watts, misses and instructions in
   per cent of all (Tables 4 and 5); llc_rate in last-level misses per second, because rates of several tasks
   may be added and percentages may not. */
#define SOOTH_FAIRNESS_FIELD_LIST(X)                                                                \
    X(CPU_TIME, "cpu_time")                                                                         \
    X(GPU_TIME, "gpu_time")                                                                         \
    X(SSE, "sse")                                                                                   \
    X(ALU, "alu") X(MEM, "mem") X(FP, "fp") X(STACK, "stack") X(STRING, "string") X(SHIFT, "shift") \
        X(CONTROL, "control") X(CPU_POWER, "cpu_power") X(GPU_POWER, "gpu_power") X(IPC, "ipc")     \
            X(LLC_MISS, "llc_miss") X(BRANCH_MISS, "branch_miss") X(L1_MISS, "l1_miss")             \
                X(DTLB_MISS, "dtlb_miss") X(LLC_RATE, "llc_rate") X(SUFFERED_LOW, "suffered_low")   \
                    X(SUFFERED_MEDIUM, "suffered_medium") X(SUFFERED_HIGH, "suffered_high")         \
                        X(CAUSED_LOW, "caused_low") X(CAUSED_MEDIUM, "caused_medium")               \
                            X(CAUSED_HIGH, "caused_high")

typedef enum sooth_fairness_field {
#define SOOTHI_ITEM(name, text) SOOTH_FAIRNESS_##name,
    SOOTH_FAIRNESS_FIELD_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_FAIRNESS_FIELDS
} sooth_fairness_field;

/* value[suffered_x]: slowdown of the workload beside microbenchmark x; caused_x: that of the microbenchmark.
 * NaN: not known. */
typedef struct sooth_fairness_card {
    char name[64];
    char machine[64]; /* where it was measured; may be empty */
    double value[SOOTH_FAIRNESS_FIELDS];
} sooth_fairness_card;

SOOTH_API const char *sooth_fairness_field_name(uint32_t field);

/* Reads "name = value" lines; # begins a comment. Fields may be missing. SOOTH_BAD_TEXT names the line: an
   unknown or repeated field, no number, a number that is not finite or below 0. */
SOOTH_API sooth_status sooth_fairness_card_read(sooth_env *env, const char *text, size_t size,
                                                sooth_fairness_card *card);

/* Writes what is known, so that reading gives the same card. Returns the characters written: size - 1 when
   the room (size >= 1) is too small; 1,500 is enough for any card. */
SOOTH_API size_t sooth_fairness_card_write(const sooth_fairness_card *card, char *text, size_t size);

/* Fairness of the workload beside a microbenchmark, from both slowdowns; NaN when one is not known. */
SOOTH_API double sooth_fairness_of_card(const sooth_fairness_card *card, sooth_fairness_level level);

/* ---- which of the three ---- */

/* Two thresholds of the others' misses (llc_rate, summed), from the sums of a training set: its three
   clusters (exact, cluster.h), and half way between their centres. Learn them anew for each number of tasks:
   sums grow with it. */
SOOTH_API sooth_status sooth_fairness_learn(sooth_env *env, const float *sums, size_t count,
                                            double threshold[2]);

/* Low up to threshold[0], High above threshold[1], for task `own` of a bag. */
SOOTH_API sooth_fairness_level sooth_fairness_choose(const sooth_fairness_card *const *card, uint32_t tasks,
                                                     uint32_t own, const double threshold[2]);

/* ---- vectors ---- */

/* What the vectors are made of: 0 is Table 4 (times and instruction mix, fairness), 1 to 20 are the
 * combinations of Table 7. */
#define SOOTH_FAIRNESS_COMBINATIONS 21u

/* Numbers measured of the whole bag on the processor, for the combinations that want them (7, 8, 9, 12, 15,
 * 17 to 20). */
typedef struct sooth_fairness_bag {
    double cpu_power, ipc, llc_miss, branch_miss, l1_miss, dtlb_miss;
} sooth_fairness_bag;

/* Floats of the vector of so many tasks: tasks x individual features, those of the bag, and a fairness per
   task; 0: no such combination. */
SOOTH_API size_t sooth_fairness_width(uint32_t combination, uint32_t tasks);

/* The vector of a bag for the predictor of its number of tasks: all of the first feature, of the second, ...;
   tasks by falling gpu_time, then cpu_time, then name, so that it does not matter how the bag is listed.
   Homogeneous bags list one card several times. bag may be NULL where the combination does not want it.
   SOOTH_BAD_ARGUMENT: a bag of one or too many, no such combination; SOOTH_BAD_DATA: a field that is not
   known, by card and name. */
SOOTH_API sooth_status sooth_fairness_vector(sooth_env *env, uint32_t combination,
                                             const sooth_fairness_card *const *card, uint32_t tasks,
                                             const double threshold[2], const sooth_fairness_bag *bag,
                                             float *out);

/* One predictor for any number of tasks, from the view of task `own`: for every field in `fields` (a list of
   sooth_fairness_field) its own, and the sum and the maximum over the others; and the number of tasks: 3
   count + 1 floats. The order of the others does not matter. */
SOOTH_API sooth_status sooth_fairness_any(sooth_env *env, const uint32_t *fields, uint32_t count,
                                          const sooth_fairness_card *const *card, uint32_t tasks,
                                          uint32_t own, float *out);

/* ---- a bank of predictors, by the number of tasks ---- */

typedef struct sooth_fairness_bank {
    float (*predict)(const void *model,
                     const float *row);         /* such as sooth_forest_predict, behind a function of yours */
    const void *model[SOOTH_FAIRNESS_MOST + 1]; /* for each number of tasks; NULL: none */
} sooth_fairness_bank;

/* What a bag is expected to take. safest = 1: not a prediction but the safest answer: one after another. */
typedef struct sooth_fairness_answer {
    double time, power, energy; /* seconds, watts, joules */
    int safest;
    int moved; /* 1: the predicted time was less than nature allows, 2: the power more; 3: both */
} sooth_fairness_answer;

/* The time of a bag: the bank's, within the limits of sooth_fairness_limit. One task takes its own time.
   Tasks that the bank does not know: SOOTH_BAD_ARGUMENT, and *answer is the safest one, flagged. */
SOOTH_API sooth_status sooth_fairness_predict(sooth_env *env, const sooth_fairness_bank *bank,
                                              const float *vector, const sooth_fairness_card *const *card,
                                              uint32_t tasks, double power, double cap,
                                              sooth_fairness_answer *answer);

/* Nature's limits: a bag is never done before its longest task alone would be, never draws more than the cap
   (0: no cap known), and energy is power x time. What is not above 0 and finite is no prediction: the sum of
   the times alone and the cap (or the greatest power alone) stand in, flagged. */
SOOTH_API sooth_status sooth_fairness_limit(sooth_env *env, const sooth_fairness_card *const *card,
                                            uint32_t tasks, double time, double power, double cap,
                                            sooth_fairness_answer *answer);

/* ---- from one machine to another ---- */

/* ln t_there = intercept + slope ln t_here, or without logarithms as the paper has it, by least squares over
   microbenchmarks that ran on both. A line through a few points is only as good as its error of leaving one
   out says: look at it. */
typedef struct sooth_fairness_translation {
    double intercept, slope;
    double r2;
    double error; /* mean |relative error| of each point by the line of the others; NaN below 3 points */
    double least, most; /* of the times it was made from: outside of them it extrapolates */
    uint32_t points;
    uint32_t plain; /* 1: without logarithms */
} sooth_fairness_translation;

SOOTH_API sooth_status sooth_fairness_translate_fit(sooth_env *env, const double *here, const double *there,
                                                    uint32_t points, uint32_t plain,
                                                    sooth_fairness_translation *out);
/* *outside (or NULL): 1 where time lies outside of the points. Never below 0. */
SOOTH_API double sooth_fairness_translate(const sooth_fairness_translation *translation, double time,
                                          int *outside);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_FAIRNESS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FAIRNESS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_FAIRNESS_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

SOOTHI_LOCAL int soothi_fairness_positive(double v) { return v > 0.0 && v <= DBL_MAX; }
SOOTHI_LOCAL double soothi_fairness_unknown(void) { return (double)soothi_of_bits(SOOTHI_MISSING_BITS); }

SOOTHI_LOCAL sooth_status soothi_fairness_tasks(sooth_env *env, uint32_t tasks) {
    if (tasks >= 2 && tasks <= SOOTH_FAIRNESS_MOST) return SOOTH_OK;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the bag has %u task%s, but must have 2 to %u", tasks,
                       tasks == 1 ? "" : "s", SOOTH_FAIRNESS_MOST);
}

SOOTH_API sooth_status sooth_fairness(sooth_env *env, const double *shared, const double *alone,
                                      uint32_t tasks, double *fairness) {
    double least = 0.0, most = 0.0;
    uint32_t i;
    sooth_status status = soothi_fairness_tasks(env, tasks);
    *fairness = 0.0;
    if (status != SOOTH_OK) return status;
    for (i = 0; i < tasks; ++i) {
        double r;
        if (!soothi_fairness_positive(shared[i]) || !soothi_fairness_positive(alone[i]))
            return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                               "the rates of task %u are %g shared and %g alone, but must be above 0", i,
                               shared[i], alone[i]);
        r = shared[i] / alone[i];
        if (i == 0 || r < least) least = r;
        if (i == 0 || r > most) most = r;
    }
    *fairness = most > 0.0 ? least / most : 0.0;
    return SOOTH_OK;
}

/* ---- cards ---- */

SOOTH_API const char *sooth_fairness_field_name(uint32_t field) {
    static const char name[][16] = {
#define SOOTHI_ITEM(name, text) text,
        SOOTH_FAIRNESS_FIELD_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return field < SOOTH_FAIRNESS_FIELDS ? name[field] : "unknown";
}

SOOTHI_LOCAL int soothi_fairness_is(const char *text, size_t size, const char *word) {
    size_t i = 0;
    while (i < size && word[i] && text[i] == word[i]) ++i;
    return i == size && word[i] == 0;
}

SOOTHI_LOCAL void soothi_fairness_trim(const char **text, size_t *size) {
    while (*size && ((*text)[0] == ' ' || (*text)[0] == '\t')) {
        ++*text;
        --*size;
    }
    while (*size && ((*text)[*size - 1] == ' ' || (*text)[*size - 1] == '\t' || (*text)[*size - 1] == '\r'))
        --*size;
}

SOOTHI_LOCAL sooth_status soothi_fairness_name(sooth_env *env, unsigned line, const char *text, size_t size,
                                               char room[64]) {
    if (size > 63) return soothi_fail(env, SOOTH_BAD_TEXT, "line %u: a name has at most 63 characters", line);
    memcpy(room, text, size);
    room[size] = 0;
    return SOOTH_OK;
}

/* One line that is not empty: key = value. */
SOOTHI_LOCAL sooth_status soothi_fairness_line(sooth_env *env, unsigned line, const char *text, size_t size,
                                               sooth_fairness_card *card) {
    const char *value;
    size_t key = 0, rest;
    uint32_t f;
    double v = 0.0;
    char room[64];
    while (key < size && text[key] != '=') ++key;
    if (key == size) return soothi_fail(env, SOOTH_BAD_TEXT, "line %u has no =", line);
    value = text + key + 1;
    rest = size - key - 1;
    soothi_fairness_trim(&text, &key);
    soothi_fairness_trim(&value, &rest);
    if (soothi_fairness_is(text, key, "name"))
        return soothi_fairness_name(env, line, value, rest, card->name);
    if (soothi_fairness_is(text, key, "machine"))
        return soothi_fairness_name(env, line, value, rest, card->machine);
    for (f = 0; f < SOOTH_FAIRNESS_FIELDS && !soothi_fairness_is(text, key, sooth_fairness_field_name(f));)
        ++f;
    if (f == SOOTH_FAIRNESS_FIELDS) {
        if (key > 63) key = 63;
        memcpy(room, text, key);
        room[key] = 0;
        return soothi_fail(env, SOOTH_BAD_TEXT, "line %u: a card has no field %s", line, room);
    }
    if (!soothi_nan(card->value[f]))
        return soothi_fail(env, SOOTH_BAD_TEXT, "line %u: %s stands here again", line,
                           sooth_fairness_field_name(f));
    if (rest == 0 || sooth_text_to_double(value, rest, &v) != rest || !(v >= 0.0 && v <= DBL_MAX))
        return soothi_fail(env, SOOTH_BAD_TEXT, "line %u: %s must be a number of 0 or above", line,
                           sooth_fairness_field_name(f));
    card->value[f] = v;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness_card_read(sooth_env *env, const char *text, size_t size,
                                                sooth_fairness_card *card) {
    size_t at = 0, f;
    unsigned line;
    sooth_status status = SOOTH_OK;
    memset(card, 0, sizeof *card);
    for (f = 0; f < SOOTH_FAIRNESS_FIELDS; ++f) card->value[f] = soothi_fairness_unknown();
    for (line = 1; at < size && status == SOOTH_OK; ++line) {
        size_t end = at, length;
        const char *begin = text + at;
        while (end < size && text[end] != '\n') ++end;
        for (length = 0; length < end - at && begin[length] != '#';) ++length;
        soothi_fairness_trim(&begin, &length);
        if (length) status = soothi_fairness_line(env, line, begin, length, card);
        at = end + 1;
    }
    if (status == SOOTH_OK && !card->name[0])
        status = soothi_fail(env, SOOTH_BAD_TEXT, "the card has no name");
    return status;
}

SOOTH_API size_t sooth_fairness_card_write(const sooth_fairness_card *card, char *text, size_t size) {
    size_t n = 0;
    uint32_t f;
    char number[SOOTH_NUMBER_TEXT];
    n += sooth_text_format(text + n, size - n, "name = %s\n", card->name);
    if (card->machine[0]) n += sooth_text_format(text + n, size - n, "machine = %s\n", card->machine);
    for (f = 0; f < SOOTH_FAIRNESS_FIELDS; ++f) {
        if (soothi_nan(card->value[f])) continue;
        number[sooth_text_from_double(number, card->value[f])] = 0;
        n += sooth_text_format(text + n, size - n, "%s = %s\n", sooth_fairness_field_name(f), number);
    }
    return n;
}

SOOTH_API double sooth_fairness_of_card(const sooth_fairness_card *card, sooth_fairness_level level) {
    double a = card->value[SOOTH_FAIRNESS_SUFFERED_LOW + (int)level],
           b = card->value[SOOTH_FAIRNESS_CAUSED_LOW + (int)level];
    if (!soothi_fairness_positive(a) || !soothi_fairness_positive(b)) return soothi_fairness_unknown();
    return a < b ? a / b : b / a;
}

/* ---- which of the three ---- */

SOOTH_API sooth_status sooth_fairness_learn(sooth_env *env, const float *sums, size_t count,
                                            double threshold[2]) {
    sooth_cluster_options options;
    sooth_table table;
    double centre[3];
    sooth_status status;
    memset(&options, 0, sizeof options);
    options.n_clusters = 3;
    sooth_table_init(&table, sums, count, 1);
    status = sooth_cluster_fit(env, &table, &options, centre, NULL, NULL);
    if (status != SOOTH_OK) return status;
    threshold[0] = 0.5 * (centre[0] + centre[1]);
    threshold[1] = 0.5 * (centre[1] + centre[2]);
    return SOOTH_OK;
}

/* Sum of a field over the bag without task `own`, in ascending order; *most is the greatest. NaN if one is
 * not known. */
SOOTHI_LOCAL double soothi_fairness_others(const sooth_fairness_card *const *card, uint32_t tasks,
                                           uint32_t own, uint32_t field, double *most) {
    double sorted[SOOTH_FAIRNESS_MOST], sum = 0.0;
    uint32_t i, n = 0;
    for (i = 0; i < tasks; ++i) {
        double v = card[i]->value[field];
        uint32_t at = n;
        if (i == own) continue;
        if (soothi_nan(v)) return v;
        for (; at > 0 && sorted[at - 1] > v; --at) sorted[at] = sorted[at - 1];
        sorted[at] = v;
        ++n;
    }
    for (i = 0; i < n; ++i) sum += sorted[i];
    if (most) *most = n ? sorted[n - 1] : 0.0;
    return sum;
}

SOOTH_API sooth_fairness_level sooth_fairness_choose(const sooth_fairness_card *const *card, uint32_t tasks,
                                                     uint32_t own, const double threshold[2]) {
    double sum = soothi_fairness_others(card, tasks, own, SOOTH_FAIRNESS_LLC_RATE, NULL);
    if (sum <= threshold[0]) return SOOTH_FAIRNESS_LOW;
    return sum <= threshold[1] ? SOOTH_FAIRNESS_MEDIUM : SOOTH_FAIRNESS_HIGH;
}

/* ---- vectors ---- */

/* Table 7. One bit per field of Table 5 (bit 0: cpu_power ... bit 6: dtlb_miss), one per number of the bag
 * (bit 0: cpu_power, ...). */
typedef struct soothi_fairness_kind {
    uint8_t own, bag, fairness;
} soothi_fairness_kind;

SOOTHI_LOCAL soothi_fairness_kind soothi_fairness_of(uint32_t combination) {
    /* own: 1 CP, 2 GP, 4 IPC, 8 LLC, 16 branch, 32 L1, 64 DTLB; bag: 1 CP, 2 IPC, 4 LLC, 8 branch, 16 L1, 32
     * DTLB */
    static const soothi_fairness_kind kind[SOOTH_FAIRNESS_COMBINATIONS] = {
        {0, 0, 1},  {15, 0, 1}, {13, 0, 1}, {14, 0, 1},  {15, 0, 0},  {7, 0, 1},   {7, 0, 0},
        {0, 7, 1},  {0, 63, 1}, {0, 62, 1}, {124, 0, 1}, {124, 0, 0}, {0, 62, 0},  {12, 0, 1},
        {60, 0, 1}, {0, 59, 0}, {11, 0, 1}, {10, 1, 1},  {14, 1, 1},  {126, 1, 1}, {2, 63, 1}};
    return kind[combination];
}

SOOTHI_LOCAL uint32_t soothi_fairness_bits(uint32_t v) {
    uint32_t n = 0;
    for (; v; v >>= 1) n += v & 1u;
    return n;
}

SOOTH_API size_t sooth_fairness_width(uint32_t combination, uint32_t tasks) {
    soothi_fairness_kind kind;
    if (combination >= SOOTH_FAIRNESS_COMBINATIONS) return 0;
    kind = soothi_fairness_of(combination);
    return (size_t)tasks * ((combination == 0 ? 10u : soothi_fairness_bits(kind.own)) + kind.fairness) +
           soothi_fairness_bits(kind.bag);
}

/* Whether a comes before b: falling times, then the name. */
SOOTHI_LOCAL int soothi_fairness_before(const sooth_fairness_card *a, const sooth_fairness_card *b) {
    static const uint8_t field[2] = {SOOTH_FAIRNESS_GPU_TIME, SOOTH_FAIRNESS_CPU_TIME};
    size_t i;
    for (i = 0; i < 2; ++i) {
        if (a->value[field[i]] > b->value[field[i]]) return 1;
        if (a->value[field[i]] < b->value[field[i]]) return 0;
    }
    for (i = 0; a->name[i] && a->name[i] == b->name[i];) ++i;
    return (unsigned char)a->name[i] < (unsigned char)b->name[i];
}

SOOTHI_LOCAL sooth_status soothi_fairness_missing(sooth_env *env, const sooth_fairness_card *card,
                                                  const char *field) {
    return soothi_fail(env, SOOTH_BAD_DATA, "the card of %s has no %s", card->name, field);
}

/* Appends one field of all tasks. */
SOOTHI_LOCAL sooth_status soothi_fairness_append(sooth_env *env, const sooth_fairness_card *const *card,
                                                 uint32_t tasks, uint32_t field, float **out) {
    uint32_t i;
    for (i = 0; i < tasks; ++i) {
        if (soothi_nan(card[i]->value[field]))
            return soothi_fairness_missing(env, card[i], sooth_fairness_field_name(field));
        *(*out)++ = (float)card[i]->value[field];
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_fairness_append_chosen(sooth_env *env,
                                                        const sooth_fairness_card *const *card,
                                                        uint32_t tasks, const double threshold[2],
                                                        float **out) {
    uint32_t i;
    for (i = 0; i < tasks; ++i)
        if (soothi_nan(card[i]->value[SOOTH_FAIRNESS_LLC_RATE]))
            return soothi_fairness_missing(env, card[i], "llc_rate");
    for (i = 0; i < tasks; ++i) {
        double f = sooth_fairness_of_card(card[i], sooth_fairness_choose(card, tasks, i, threshold));
        if (soothi_nan(f))
            return soothi_fairness_missing(env, card[i],
                                           "slowdown above 0 beside the microbenchmark of this bag");
        *(*out)++ = (float)f;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_fairness_append_bag(sooth_env *env, const sooth_fairness_bag *bag,
                                                     uint32_t wanted, float **out) {
    double v[6];
    uint32_t k;
    if (!bag && wanted)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the combination wants measurements of the bag, but there are none");
    if (!wanted) return SOOTH_OK;
    v[0] = bag->cpu_power;
    v[1] = bag->ipc;
    v[2] = bag->llc_miss;
    v[3] = bag->branch_miss;
    v[4] = bag->l1_miss;
    v[5] = bag->dtlb_miss;
    for (k = 0; k < 6; ++k) {
        if (!(wanted >> k & 1u)) continue;
        if (!(v[k] >= 0.0 && v[k] <= DBL_MAX))
            return soothi_fail(env, SOOTH_BAD_DATA, "measurement %u of the bag is %g, but must be 0 or above",
                               k, v[k]);
        *(*out)++ = (float)v[k];
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness_vector(sooth_env *env, uint32_t combination,
                                             const sooth_fairness_card *const *card, uint32_t tasks,
                                             const double threshold[2], const sooth_fairness_bag *bag,
                                             float *out) {
    const sooth_fairness_card *sorted[SOOTH_FAIRNESS_MOST];
    soothi_fairness_kind kind;
    uint32_t i, at, f;
    sooth_status status = soothi_fairness_tasks(env, tasks);
    if (status != SOOTH_OK) return status;
    if (combination >= SOOTH_FAIRNESS_COMBINATIONS)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "combination is %u, but must be between 0 and 20",
                           combination);
    kind = soothi_fairness_of(combination);
    for (i = 0; i < tasks; ++i) {
        if (!card[i])
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "task %u of the bag is an unknown workload", i);
        for (at = i; at > 0 && soothi_fairness_before(card[i], sorted[at - 1]); --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = card[i];
    }
    for (f = 0; combination == 0 && f < 10 && status == SOOTH_OK; ++f)
        status = soothi_fairness_append(env, sorted, tasks, SOOTH_FAIRNESS_CPU_TIME + f, &out);
    for (f = 0; f < 7 && status == SOOTH_OK; ++f)
        if (kind.own >> f & 1)
            status = soothi_fairness_append(env, sorted, tasks, SOOTH_FAIRNESS_CPU_POWER + f, &out);
    if (status == SOOTH_OK) status = soothi_fairness_append_bag(env, bag, kind.bag, &out);
    if (status == SOOTH_OK && kind.fairness)
        status = soothi_fairness_append_chosen(env, sorted, tasks, threshold, &out);
    return status;
}

SOOTH_API sooth_status sooth_fairness_any(sooth_env *env, const uint32_t *fields, uint32_t count,
                                          const sooth_fairness_card *const *card, uint32_t tasks,
                                          uint32_t own, float *out) {
    uint32_t i, k;
    sooth_status status = soothi_fairness_tasks(env, tasks);
    if (status != SOOTH_OK) return status;
    if (own >= tasks)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "own is %u, but the bag has %u tasks", own, tasks);
    for (k = 0; k < count; ++k)
        for (i = 0; i < tasks; ++i) {
            if (!card[i])
                return soothi_fail(env, SOOTH_BAD_ARGUMENT, "task %u of the bag is an unknown workload", i);
            if (fields[k] >= SOOTH_FAIRNESS_FIELDS)
                return soothi_fail(env, SOOTH_BAD_ARGUMENT, "field %u is not known: there are %d", fields[k],
                                   (int)SOOTH_FAIRNESS_FIELDS);
            if (soothi_nan(card[i]->value[fields[k]]))
                return soothi_fairness_missing(env, card[i], sooth_fairness_field_name(fields[k]));
        }
    for (k = 0; k < count; ++k) {
        double most = 0.0;
        *out++ = (float)card[own]->value[fields[k]];
        *out++ = (float)soothi_fairness_others(card, tasks, own, fields[k], &most);
        *out++ = (float)most;
    }
    *out = (float)tasks;
    return SOOTH_OK;
}

/* ---- limits ---- */

SOOTH_API sooth_status sooth_fairness_limit(sooth_env *env, const sooth_fairness_card *const *card,
                                            uint32_t tasks, double time, double power, double cap,
                                            sooth_fairness_answer *answer) {
    double longest = 0.0, sum = 0.0, strongest = 0.0;
    uint32_t i;
    memset(answer, 0, sizeof *answer);
    answer->safest = 1;
    if (tasks < 1 || tasks > SOOTH_FAIRNESS_MOST)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the bag has %u tasks, but must have 1 to %u", tasks,
                           SOOTH_FAIRNESS_MOST);
    for (i = 0; i < tasks; ++i) {
        double t, p;
        if (!card[i])
            return soothi_fail(env, SOOTH_BAD_ARGUMENT, "task %u of the bag is an unknown workload", i);
        t = card[i]->value[SOOTH_FAIRNESS_GPU_TIME];
        p = card[i]->value[SOOTH_FAIRNESS_GPU_POWER];
        if (!soothi_fairness_positive(t)) return soothi_fairness_missing(env, card[i], "gpu_time above 0");
        sum += t;
        if (t > longest) longest = t;
        if (p > strongest) strongest = p;
    }
    answer->safest = !soothi_fairness_positive(time) || !soothi_fairness_positive(power);
    if (!soothi_fairness_positive(time)) time = sum;
    if (!soothi_fairness_positive(power)) power = cap > 0.0 ? cap : strongest;
    if (time < longest) answer->moved |= 1;
    if (cap > 0.0 && power > cap) answer->moved |= 2;
    answer->time = time < longest ? longest : time;
    answer->power = cap > 0.0 && power > cap ? cap : power;
    answer->energy = answer->power * answer->time;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness_predict(sooth_env *env, const sooth_fairness_bank *bank,
                                              const float *vector, const sooth_fairness_card *const *card,
                                              uint32_t tasks, double power, double cap,
                                              sooth_fairness_answer *answer) {
    sooth_status status;
    if (tasks == 1 && card[0])
        return sooth_fairness_limit(env, card, 1, card[0]->value[SOOTH_FAIRNESS_GPU_TIME], power, cap,
                                    answer);
    if (tasks >= 2 && tasks <= SOOTH_FAIRNESS_MOST && bank->model[tasks])
        return sooth_fairness_limit(env, card, tasks, (double)bank->predict(bank->model[tasks], vector),
                                    power, cap, answer);
    status = sooth_fairness_limit(env, card, tasks, 0.0, power, cap, answer);
    if (status != SOOTH_OK) return status;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the bank has no predictor for %u tasks", tasks);
}

/* ---- from one machine to another ---- */

/* The line through all points but `without`. */
SOOTHI_LOCAL int soothi_fairness_line_of(const double *x, const double *y, uint32_t n, uint32_t without,
                                         uint32_t plain, double line[2], double *r2) {
    double count = 0.0, mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    uint32_t i, pass;
    for (pass = 0; pass < 2; ++pass) {
        for (i = 0; i < n; ++i) {
            double a = plain ? x[i] : soothi_log(x[i]), b = plain ? y[i] : soothi_log(y[i]);
            if (i == without) continue;
            if (pass == 0) {
                count += 1.0;
                mx += a;
                my += b;
            } else {
                xx += (a - mx) * (a - mx);
                xy += (a - mx) * (b - my);
                yy += (b - my) * (b - my);
            }
        }
        if (pass == 0) {
            mx /= count;
            my /= count;
        }
    }
    if (!(xx > 0.0)) return 0;
    line[1] = xy / xx;
    line[0] = my - line[1] * mx;
    *r2 = yy > 0.0 ? xy * xy / (xx * yy) : 1.0;
    return 1;
}

SOOTHI_LOCAL double soothi_fairness_on_line(const double line[2], uint32_t plain, double x) {
    double y = line[0] + line[1] * (plain ? x : soothi_log(x));
    if (!plain) return soothi_exp(y);
    return y > 0.0 ? y : 0.0;
}

SOOTH_API sooth_status sooth_fairness_translate_fit(sooth_env *env, const double *here, const double *there,
                                                    uint32_t points, uint32_t plain,
                                                    sooth_fairness_translation *out) {
    double line[2], r2 = 0.0, error = 0.0;
    uint32_t i;
    memset(out, 0, sizeof *out);
    if (points < 2)
        return soothi_fail(env, SOOTH_BAD_DATA, "a translation needs 2 microbenchmarks, but there is %u",
                           points);
    for (i = 0; i < points; ++i)
        if (!soothi_fairness_positive(here[i]) || !soothi_fairness_positive(there[i]))
            return soothi_fail(env, SOOTH_BAD_DATA,
                               "microbenchmark %u took %g here and %g there, but must take more than 0", i,
                               here[i], there[i]);
    if (!soothi_fairness_line_of(here, there, points, points, plain, line, &r2))
        return soothi_fail(env, SOOTH_BAD_DATA,
                           "all microbenchmarks took the same time here, which tells no line");
    out->intercept = line[0];
    out->slope = line[1];
    out->r2 = r2;
    out->points = points;
    out->plain = plain;
    out->least = out->most = here[0];
    for (i = 0; i < points; ++i) {
        if (here[i] < out->least) out->least = here[i];
        if (here[i] > out->most) out->most = here[i];
        if (points < 3 || !soothi_fairness_line_of(here, there, points, i, plain, line, &r2))
            error = soothi_fairness_unknown();
        else error += soothi_abs(soothi_fairness_on_line(line, plain, here[i]) - there[i]) / there[i];
    }
    out->error = error / (double)points;
    return SOOTH_OK;
}

SOOTH_API double sooth_fairness_translate(const sooth_fairness_translation *translation, double time,
                                          int *outside) {
    double line[2];
    line[0] = translation->intercept;
    line[1] = translation->slope;
    if (outside) *outside = !(time >= translation->least && time <= translation->most);
    if (!soothi_fairness_positive(time)) return 0.0;
    return soothi_fairness_on_line(line, translation->plain, time);
}

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
