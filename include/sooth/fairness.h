/* fairness.h - describes a bag of tasks for a predictor: cards, fairness, feature vectors, limits.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A bag is a list of tasks that run at the same time. Its time and power are predicted from measurements of
 * each task alone and alongside three microbenchmarks. These are Low, Medium and High, which miss the
 * last-level cache a little, more and much. All measurements of a task are on one card: a small text file,
 * written once. The steps from cards to a prediction:
 *
 *   card        sooth_fairness_card_read, or filled from measurements
 *   level       the microbenchmark that the others of the bag resemble, by their summed pressure and two
 *               thresholds: sooth_fairness_thresholds, sooth_fairness_choose
 *   vector      the row for a predictor: a form lists the fields, sooth_fairness_vector fills it
 *   bank        one predictor for each number of tasks
 *   limits      the bounds of any bag, whatever the prediction: sooth_fairness_limit
 *   translation from one machine to another, by a line (the translation card): sooth_fairness_translate
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/fairness.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char sift[] = "name = sift\nalone_time = 2.5\npressure = 4e6\n"
 *                                    "slowdown_low = 1.1\nslowdown_medium = 1.3\nslowdown_high = 1.9\n"
 *                                    "caused_low = 1.2\ncaused_medium = 1.2\ncaused_high = 1.4\n";
 *         const sooth_fairness_form form = {.fields = 2,
 *                                           .field = {SOOTH_FAIRNESS_ALONE_TIME, SOOTH_FAIRNESS_CHOSEN}};
 *         const double threshold[2] = {1e6, 3e6};
 *         sooth_fairness_card card;
 *         const sooth_fairness_card *bag[2] = {&card, &card};  // twice the same task
 *         float row[4];
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_fairness_card_read(&env, sift, sizeof sift - 1, NULL, &card) != SOOTH_OK ||
 *             sooth_fairness_vector(&env, &form, bag, 2, threshold, NULL, row) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%s beside High: ", card.name);        //> sift beside High:
 *         printf("fairness %.2f\n", (double)row[2]);    //> fairness 0.74
 *         return 0;
 *     }
 *
 * Method and references
 *
 * Moolchandani, Kumar and Sarangi: Performance and power prediction for concurrent execution on GPUs, 2022.
 * Where the paper is incomplete or contradicts itself:
 *
 * - Its text defines fairness as the minimum over the maximum ratio r_k = rate shared / rate alone of the
 *   bag. Its formula prints min(r_k | r_l), most likely min(r_k / r_l) without its bar, which is the same.
 *   sooth_fairness returns this value. It does not depend on how slow all tasks are: a pair slowed to a half
 *   each is as fair as one that is not slowed. So cards keep the slowdowns in both directions.
 * - Section 5.1.4 chooses a fairness for each task of the bag, and so do the vectors here. The note below
 *   Table 7 counts one for the whole bag: Comb1 of a pair has 9 numbers there, and 10 here.
 * - It does not give the source of the two thresholds. Its Figure 4 shows three tight clusters, so
 *   SOOTH_FAIRNESS_CLUSTERS puts them half way between the centres of three clusters. If the sums form no
 *   clusters, those leave levels nearly empty. SOOTH_FAIRNESS_TERCILES gives each level a third of the
 *   training sums.
 *
 * Cost
 *
 * Only sooth_fairness_thresholds allocates (16 bytes per sum; clusters more, see stats/cluster.h). Vectors
 * take O(tasks^2).
 */
#if !defined(SOOTH_FAIRNESS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FAIRNESS_IMPLEMENTED))
#include "stats/cluster.h"
#endif

#if !defined(SOOTH_FAIRNESS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_FAIRNESS_H
SOOTHI_C_BEGIN

#define SOOTH_FAIRNESS_MAX_TASKS 16u /* tasks in a bag */

/* Computes the minimum over the maximum of the ratios rate shared / rate alone of a bag, 0 to 1; 1 is fair.
   Rates may be of any kind (instructions per cycle, 1 / time). Returns SOOTH_BAD_ARGUMENT for one task, for
   more than SOOTH_FAIRNESS_MAX_TASKS, or for a rate that is not above 0. *fairness is then 0. */
SOOTH_API sooth_status sooth_fairness(sooth_env *env, const double *shared, const double *alone, size_t tasks,
                                      double *fairness);

/* ---- cards ---- */

/* The microbenchmarks. */
typedef enum sooth_fairness_level {
    SOOTH_FAIRNESS_LOW = 0,
    SOOTH_FAIRNESS_MEDIUM,
    SOOTH_FAIRNESS_HIGH,
    SOOTH_FAIRNESS_LEVELS
} sooth_fairness_level;

/* The fields of a card. Every card has those up to SOOTH_FAIRNESS_OWN. After them the host adds its
   measurements of each task alone, see sooth_fairness_fields. The last two are not on a card: they depend on
   the bag of the task, and a form can list them like fields. */
typedef enum sooth_fairness_field {
    SOOTH_FAIRNESS_ALONE_TIME = 0,  /* one unit for all cards; seconds make energy joules */
    SOOTH_FAIRNESS_ALONE_POWER,     /* watts */
    SOOTH_FAIRNESS_PRESSURE,        /* on shared resources, such as last-level misses per second; it is summed
                                       over tasks, so it must not be a percentage */
    SOOTH_FAIRNESS_SLOWDOWN_LOW,    /* its own slowdown alongside Low: time alongside it / time alone */
    SOOTH_FAIRNESS_SLOWDOWN_MEDIUM, /* ... alongside Medium */
    SOOTH_FAIRNESS_SLOWDOWN_HIGH,   /* ... alongside High */
    SOOTH_FAIRNESS_CAUSED_LOW,      /* the slowdown of Low alongside it */
    SOOTH_FAIRNESS_CAUSED_MEDIUM,   /* ... of Medium */
    SOOTH_FAIRNESS_CAUSED_HIGH,     /* ... of High */
    SOOTH_FAIRNESS_OWN,             /* the first of the host's own fields */
    SOOTH_FAIRNESS_FIELDS = 24,     /* size of a card */
    SOOTH_FAIRNESS_CHOSEN,          /* fairness alongside the microbenchmark that the others resemble */
    SOOTH_FAIRNESS_CHOSEN_SLOWDOWN  /* its own slowdown alongside that one */
} sooth_fairness_field;

/* The names of a host's own fields: number k is value[SOOTH_FAIRNESS_OWN + k] of its cards. */
typedef struct sooth_fairness_fields {
    uint32_t count;
    char name[SOOTH_FAIRNESS_FIELDS - SOOTH_FAIRNESS_OWN][24];
} sooth_fairness_fields;

/* The measurements of one task; NaN means not known. */
typedef struct sooth_fairness_card {
    char name[64];
    char machine[64];                 /* where it was measured; may be empty */
    const sooth_fairness_fields *own; /* NULL means none */
    double value[SOOTH_FAIRNESS_FIELDS];
} sooth_fairness_card;

/* Initialises a card without a name or known values. own, or NULL, must outlive it. */
SOOTH_API void sooth_fairness_card_init(sooth_fairness_card *card, const sooth_fairness_fields *own);

/* Returns "alone_time", ..., or a name of the host's own; NULL for a field that does not exist. own may be
   NULL. */
SOOTH_API const char *sooth_fairness_field_name(const sooth_fairness_fields *own, size_t field);

/* Reads "name = value" lines; # starts a comment. Fields may be missing. Returns SOOTH_BAD_TEXT with the line
   for an unknown or repeated field, or for a value that is not a finite number or is below 0. A pressure may
   be below 0. */
SOOTH_API sooth_status sooth_fairness_card_read(sooth_env *env, const char *text, size_t size,
                                                const sooth_fairness_fields *own, sooth_fairness_card *card);

/* Writes the known values, so that reading returns the same card. Returns SOOTH_CANCELLED if the sink
   failed. */
SOOTH_API sooth_status sooth_fairness_card_write(sooth_env *env, const sooth_fairness_card *card,
                                                 sooth_sink *sink);

/* Returns the fairness of a task alongside a microbenchmark, from both slowdowns; NaN if one is not
   known. */
SOOTH_API double sooth_fairness_alongside(const sooth_fairness_card *card, sooth_fairness_level level);

/* ---- choosing one of the three ---- */

/* Returns the sum of a field over a bag without task `own`; NaN if one is not known. The order of the others
   does not matter. */
SOOTH_API double sooth_fairness_others(const sooth_fairness_card *const *card, size_t tasks, size_t own,
                                       uint32_t field);

typedef enum sooth_fairness_method {
    SOOTH_FAIRNESS_CLUSTERS = 0, /* half way between the centres of three clusters (exact, cluster.h) */
    SOOTH_FAIRNESS_TERCILES      /* a third of the sums below the first, a third from the second on */
} sooth_fairness_method;

/* Computes two thresholds of the others' pressure, from the sums of a training set (sooth_fairness_others of
   every task of every bag). Sums grow with the number of tasks, so learn them from similar bags. Returns
   SOOTH_BAD_DATA for no sums, for one that is not finite, or for fewer than three different ones with
   clusters. */
SOOTH_API sooth_status sooth_fairness_thresholds(sooth_env *env, const float *sums, size_t count,
                                                 sooth_fairness_method method, double threshold[2]);

/* Returns the level of the others' pressure for task `own`: Low below threshold[0], Medium below
   threshold[1]. */
SOOTH_API sooth_fairness_level sooth_fairness_choose(const sooth_fairness_card *const *card, size_t tasks,
                                                     size_t own, const double threshold[2]);

/* ---- vectors ---- */

/* The fields of a vector: `field` of every task, and then `bag_field` of a card of the whole bag, which holds
   joint measurements of all tasks. */
typedef struct sooth_fairness_form {
    uint32_t fields, bag_fields;
    uint32_t field[16];
    uint32_t bag_field[8];
} sooth_fairness_form;

/* Returns the number of floats of a bag's vector: tasks x fields + bag_fields. */
SOOTH_API size_t sooth_fairness_width(const sooth_fairness_form *form, size_t tasks);

/* Fills the vector of a bag for the predictor of its number of tasks: the first field of all tasks, then the
   second, and so on. Tasks are sorted by falling alone_time, then by name, so the order of the bag does not
   matter. A bag of equal tasks lists one card several times. bag is the card of the whole bag; it may be NULL
   if the form has no bag_field. threshold may be NULL if the form has neither of the chosen ones. Returns
   SOOTH_BAD_ARGUMENT for one task, for too many, or for a field that does not exist. Returns SOOTH_BAD_DATA
   for an unknown value, with card and name. */
SOOTH_API sooth_status sooth_fairness_vector(sooth_env *env, const sooth_fairness_form *form,
                                             const sooth_fairness_card *const *card, size_t tasks,
                                             const double threshold[2], const sooth_fairness_card *bag,
                                             float *out);

/* Fills the vector for one predictor of any number of tasks, seen from task `own`. Each of the `count` fields
   gives its own value, and the sum and the maximum over the others. The number of tasks follows: 3 count + 1
   floats. Fails like sooth_fairness_vector. */
SOOTH_API sooth_status sooth_fairness_any(sooth_env *env, const uint32_t *fields, size_t count,
                                          const sooth_fairness_card *const *card, size_t tasks, size_t own,
                                          float *out);

/* ---- the fields of the paper ---- */

#define SOOTH_FAIRNESS_COMBINATIONS 21u

/* The measurements of the paper in addition to those of every card. Its GPU is the machine of alone_time and
   alone_power. Times and powers of the processor, the mix of instructions and the misses (in per cent) are
   own fields. */
#define SOOTH_FAIRNESS_PAPER_LIST(X) \
    X(CPU_TIME, "cpu_time")          \
    X(SSE, "sse")                    \
    X(ALU, "alu")                    \
    X(MEM, "mem")                    \
    X(FP, "fp")                      \
    X(STACK, "stack")                \
    X(STRING, "string")              \
    X(SHIFT, "shift")                \
    X(CONTROL, "control")            \
    X(CPU_POWER, "cpu_power")        \
    X(IPC, "ipc")                    \
    X(LLC_MISS, "llc_miss")          \
    X(BRANCH_MISS, "branch_miss")    \
    X(L1_MISS, "l1_miss")            \
    X(DTLB_MISS, "dtlb_miss")

enum {
    SOOTHI_FAIRNESS_BEFORE = SOOTH_FAIRNESS_OWN - 1,
#define SOOTHI_ITEM(name, text) SOOTH_FAIRNESS_##name,
    SOOTH_FAIRNESS_PAPER_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
};

/* Returns the names of Tables 4 and 5, as a host's own fields. */
SOOTH_API const sooth_fairness_fields *sooth_fairness_paper_fields(void);

/* Returns a form of the paper. Number 0 is Table 4, the predictor of time: times, mix of instructions,
   fairness. 1 to 20 are the combinations of Table 7, for power; X_sh there is field X of the whole bag.
   Returns SOOTH_BAD_ARGUMENT if the number does not exist. */
SOOTH_API sooth_status sooth_fairness_combination(sooth_env *env, size_t number, sooth_fairness_form *out);

/* ---- a bank of predictors, by the number of tasks ---- */

/* predict_fn is for example a wrapper of sooth_forest_predict. Its user pointer is model[tasks] for bags of
   this many tasks. If that is NULL, it is model[0], for any number of tasks. If both are NULL, there is no
   predictor. */
typedef struct sooth_fairness_bank {
    float (*predict_fn)(const void *model, const float *row);
    void *model[SOOTH_FAIRNESS_MAX_TASKS + 1];
} sooth_fairness_bank;

/* Returns the bank's prediction for a bag of this many tasks; NaN if it has no predictor for it. */
SOOTH_API double sooth_fairness_predict(const sooth_fairness_bank *bank, size_t tasks, const float *vector);

#define SOOTH_FAIRNESS_TIME_MOVED 1u  /* the predicted time was missing or below its limit */
#define SOOTH_FAIRNESS_POWER_MOVED 2u /* the predicted power was missing or above its limit */

/* The expected time, power and energy of a bag, within the limits. */
typedef struct sooth_fairness_outcome {
    double time, power, energy; /* in the unit of alone_time, watts, the product */
    uint32_t safest;            /* 1: no predicted time: one task after another */
    uint32_t moved;             /* SOOTH_FAIRNESS_TIME_MOVED + SOOTH_FAIRNESS_POWER_MOVED */
} sooth_fairness_outcome;

/* Applies physical limits. A bag never ends before its longest task alone would, and never draws more than
   the cap (0: cap not known). Energy is power x time. A value that is not above 0 and finite counts as no
   prediction. Then the time is the sum of the times alone, with `safest` set; the power is the cap, or the
   maximum power alone. One task takes its own time. Returns SOOTH_BAD_ARGUMENT or SOOTH_BAD_DATA for too many
   tasks, or one without alone_time. */
SOOTH_API sooth_status sooth_fairness_limit(sooth_env *env, const sooth_fairness_card *const *card,
                                            size_t tasks, double time, double power, double cap,
                                            sooth_fairness_outcome *outcome);

/* ---- from one machine to another ---- */

/* The machine translation card (section 9 of the paper; as a file: `sooth card`). ln t_there = intercept +
   slope ln t_here, or without logarithms as in the paper, by least squares over microbenchmarks that ran on
   both. A line through a few points is only as good as its leave-one-out error: check it. Compare the mean
   ratio of the times, which does as well between three GPUs (examples/papers/cards.c). */
typedef struct sooth_fairness_translation {
    double intercept, slope;
    double r2;
    double error; /* mean |relative error| of each point by the line of the others; NaN below 3 points */
    double least, most; /* range of the fitted times; it extrapolates outside */
    uint32_t points;
    uint32_t plain; /* 1: without logarithms */
} sooth_fairness_translation;

/* Fits a translation. here, there: `points` times of the same programs on both machines. Returns
   SOOTH_BAD_DATA for fewer than two, for a time that is not above 0, or if all times here are equal. plain is
   1 for a line without logarithms. */
SOOTH_API sooth_status sooth_fairness_translate_fit(sooth_env *env, const double *here, const double *there,
                                                    size_t points, int plain,
                                                    sooth_fairness_translation *out);

/* Returns the expected time there for `time` here, never below 0. *outside (or NULL) is 1 if time is outside
   the range of the points. */
SOOTH_API double sooth_fairness_translate(const sooth_fairness_translation *translation, double time,
                                          int *outside);

SOOTHI_C_END
#endif /* SOOTH_FAIRNESS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FAIRNESS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_FAIRNESS_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTHI_LOCAL int soothi_fairness_positive(double v) { return v > 0.0 && v <= DBL_MAX; }

/* Checks that a bag has `least` tasks or more, each with a card. */
SOOTHI_LOCAL sooth_status soothi_fairness_bag(sooth_env *env, const sooth_fairness_card *const *card,
                                              size_t tasks, size_t least) {
    if (tasks < least || tasks > SOOTH_FAIRNESS_MAX_TASKS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the bag has %z task%s, but must have %z to %u", tasks,
                          tasks == 1 ? "" : "s", least, SOOTH_FAIRNESS_MAX_TASKS);
    for (size_t i = 0; card && i < tasks; ++i)
        if (!card[i]) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "task %z of the bag has no card", i);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness(sooth_env *env, const double *shared, const double *alone, size_t tasks,
                                      double *fairness) {
    double least = 0.0, most = 0.0;
    sooth_status status = soothi_fairness_bag(env, NULL, tasks, 2);
    *fairness = 0.0;
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < tasks; ++i) {
        const double r = alone[i] > 0.0 ? shared[i] / alone[i] : 0.0;
        if (!soothi_fairness_positive(alone[i]) || !soothi_fairness_positive(r))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the rates of task %z are %g shared and %g alone, but they and their ratio "
                              "must be above 0 and finite",
                              i, shared[i], alone[i]);
        if (i == 0 || r < least) least = r;
        if (i == 0 || r > most) most = r;
    }
    *fairness = least / most;
    return SOOTH_OK;
}

/* ---- cards ---- */

SOOTH_API void sooth_fairness_card_init(sooth_fairness_card *card, const sooth_fairness_fields *own) {
    memset(card, 0, sizeof *card);
    card->own = own;
    for (uint32_t f = 0; f < SOOTH_FAIRNESS_FIELDS; ++f) card->value[f] = SOOTHI_NAN;
}

/* Returns the index after the last field of such cards. */
SOOTHI_LOCAL uint32_t soothi_fairness_end(const sooth_fairness_fields *own) {
    const uint32_t end = SOOTH_FAIRNESS_OWN + (own ? own->count : 0u);
    return end < SOOTH_FAIRNESS_FIELDS ? end : (uint32_t)SOOTH_FAIRNESS_FIELDS;
}

SOOTH_API const char *sooth_fairness_field_name(const sooth_fairness_fields *own, size_t field) {
    static const char name[SOOTH_FAIRNESS_OWN][16] = {"alone_time",   "alone_power",     "pressure",
                                                      "slowdown_low", "slowdown_medium", "slowdown_high",
                                                      "caused_low",   "caused_medium",   "caused_high"};
    if (field < SOOTH_FAIRNESS_OWN) return name[field];
    if (field < soothi_fairness_end(own)) return own->name[field - SOOTH_FAIRNESS_OWN];
    if (field == SOOTH_FAIRNESS_CHOSEN) return "fairness";
    return field == SOOTH_FAIRNESS_CHOSEN_SLOWDOWN ? "slowdown" : NULL;
}

/* Reads one line of a card. */
SOOTHI_LOCAL sooth_status soothi_fairness_line(sooth_env *env, const soothi_settings *s,
                                               sooth_fairness_card *card) {
    const uint32_t end = soothi_fairness_end(card->own);
    const size_t length = soothi_text_length(s->value);
    uint32_t f = 0;
    double v = 0.0;
    if (soothi_same_text(s->name, "name") || soothi_same_text(s->name, "machine")) {
        if (soothi_trim(s->value, length, s->name[0] == 'n' ? card->name : card->machine, 64))
            return SOOTH_OK;
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: %s has more than 63 characters", s->line, s->name);
    }
    while (f < end && !soothi_same_text(s->name, sooth_fairness_field_name(card->own, f))) ++f;
    if (f == end) return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: a card has no field %s", s->line, s->name);
    if (!soothi_nan(card->value[f]))
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: %s is repeated", s->line, s->name);
    if (length == 0 || sooth_text_to_double(s->value, length, &v) != length || !soothi_finite(v) ||
        (v < 0.0 && f != SOOTH_FAIRNESS_PRESSURE))
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %z: %s must be a number%s", s->line, s->name,
                          f == SOOTH_FAIRNESS_PRESSURE ? "" : " of 0 or more");
    card->value[f] = v;
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness_card_read(sooth_env *env, const char *text, size_t size,
                                                const sooth_fairness_fields *own, sooth_fairness_card *card) {
    soothi_settings s = {text, size, 0, 0, "", ""};
    sooth_status status;
    sooth_fairness_card_init(card, own);
    while ((status = soothi_settings_next(env, &s)) == SOOTH_OK && s.name[0])
        if ((status = soothi_fairness_line(env, &s, card)) != SOOTH_OK) break;
    if (status == SOOTH_OK && !card->name[0])
        status = sooth_fail(env, SOOTH_BAD_TEXT, "the card has no name; add the line name = NAME");
    return status;
}

SOOTH_API sooth_status sooth_fairness_card_write(sooth_env *env, const sooth_fairness_card *card,
                                                 sooth_sink *sink) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    sooth_text_put(sink, "name = %s\n", card->name);
    if (card->machine[0]) sooth_text_put(sink, "machine = %s\n", card->machine);
    for (uint32_t f = 0; f < soothi_fairness_end(card->own); ++f) {
        if (soothi_nan(card->value[f])) continue;
        number[sooth_text_from_double(number, card->value[f])] = 0;
        sooth_text_put(sink, "%s = %s\n", sooth_fairness_field_name(card->own, f), number);
    }
    if (!sink->failed) return SOOTH_OK;
    return sooth_fail(env, SOOTH_CANCELLED, "the card of %s could not be written", card->name);
}

SOOTH_API double sooth_fairness_alongside(const sooth_fairness_card *card, sooth_fairness_level level) {
    const double slowdown = card->value[SOOTH_FAIRNESS_SLOWDOWN_LOW + (uint32_t)level];
    const double caused = card->value[SOOTH_FAIRNESS_CAUSED_LOW + (uint32_t)level];
    if (!soothi_fairness_positive(slowdown) || !soothi_fairness_positive(caused)) return SOOTHI_NAN;
    return slowdown < caused ? slowdown / caused : caused / slowdown;
}

/* ---- choosing one of the three ---- */

/* Returns the sum of a field over the bag without task `own`, in ascending order; *most is the maximum.
   Returns NaN if one is not known. */
SOOTHI_LOCAL double soothi_fairness_sum(const sooth_fairness_card *const *card, size_t tasks, size_t own,
                                        uint32_t field, double *most) {
    double sorted[SOOTH_FAIRNESS_MAX_TASKS], sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < tasks; ++i) {
        double v = card[i]->value[field];
        size_t at = n;
        if (i == own) continue;
        if (soothi_nan(v)) return v;
        for (; at > 0 && sorted[at - 1] > v; --at) sorted[at] = sorted[at - 1];
        sorted[at] = v;
        ++n;
    }
    for (size_t i = 0; i < n; ++i) sum += sorted[i];
    *most = n ? sorted[n - 1] : 0.0;
    return sum;
}

SOOTH_API double sooth_fairness_others(const sooth_fairness_card *const *card, size_t tasks, size_t own,
                                       uint32_t field) {
    double most;
    return soothi_fairness_sum(card, tasks, own, field, &most);
}

/* Returns the value with `rank` others below or equal. It is found by bisecting the range of the keys, which
   are ordered like the values: 32 passes, no memory. */
SOOTHI_LOCAL double soothi_fairness_rank(const float *sums, size_t count, size_t rank) {
    uint32_t found = 0;
    for (uint32_t bit = 0x80000000u; bit; bit >>= 1) {
        const uint32_t with = found | bit;
        size_t below = 0;
        for (size_t i = 0; i < count; ++i) below += soothi_key(sums[i]) < with;
        if (below <= rank) found = with;
    }
    return (double)soothi_key_value(found);
}

SOOTH_API sooth_status sooth_fairness_thresholds(sooth_env *env, const float *sums, size_t count,
                                                 sooth_fairness_method method, double threshold[2]) {
    const sooth_table table = sooth_table_of(sums, NULL, count, 1);
    double centre[3]; /* three clusters: the default of sooth_cluster_fit */
    sooth_status status;
    if (method == SOOTH_FAIRNESS_TERCILES) {
        status = sooth_table_check(env, &table, 0);
        for (size_t k = 0; k < 2 && status == SOOTH_OK; ++k)
            threshold[k] = soothi_fairness_rank(sums, count, (k + 1) * count / 3);
    } else {
        status = sooth_cluster_fit(env, &table, NULL, centre, NULL, NULL);
        if (status == SOOTH_OK) sooth_cluster_thresholds(centre, 3, threshold);
    }
    return status;
}

SOOTH_API sooth_fairness_level sooth_fairness_choose(const sooth_fairness_card *const *card, size_t tasks,
                                                     size_t own, const double threshold[2]) {
    /* as floats, like the training sums of thresholds */
    const double sum = (double)(float)sooth_fairness_others(card, tasks, own, SOOTH_FAIRNESS_PRESSURE);
    if (sum < threshold[0]) return SOOTH_FAIRNESS_LOW;
    return sum < threshold[1] ? SOOTH_FAIRNESS_MEDIUM : SOOTH_FAIRNESS_HIGH;
}

/* ---- vectors ---- */

SOOTH_API size_t sooth_fairness_width(const sooth_fairness_form *form, size_t tasks) {
    return (size_t)tasks * form->fields + form->bag_fields;
}

/* Returns whether a comes before b: the longer one, then by name. */
SOOTHI_LOCAL int soothi_fairness_before(const sooth_fairness_card *a, const sooth_fairness_card *b) {
    const double longer = a->value[SOOTH_FAIRNESS_ALONE_TIME] - b->value[SOOTH_FAIRNESS_ALONE_TIME];
    size_t i = 0;
    if (longer > 0.0 || longer < 0.0) return longer > 0.0;
    while (a->name[i] && a->name[i] == b->name[i]) ++i;
    return (unsigned char)a->name[i] < (unsigned char)b->name[i];
}

SOOTHI_LOCAL sooth_status soothi_fairness_missing(sooth_env *env, const sooth_fairness_card *card,
                                                  const char *field) {
    return sooth_fail(env, SOOTH_BAD_DATA, "the card of %s has no %s", card->name, field);
}

/* Gets a field of a card, which must be known. */
SOOTHI_LOCAL sooth_status soothi_fairness_value(sooth_env *env, const sooth_fairness_card *card,
                                                uint32_t field, double *value) {
    if (field >= soothi_fairness_end(card->own))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "field of %s is %u, but must be below %u", card->name,
                          field, soothi_fairness_end(card->own));
    *value = card->value[field];
    return soothi_nan(*value)
               ? soothi_fairness_missing(env, card, sooth_fairness_field_name(card->own, field))
               : SOOTH_OK;
}

/* Computes the fairness or slowdown alongside the microbenchmark that the others resemble. */
SOOTHI_LOCAL sooth_status soothi_fairness_chosen(sooth_env *env, const sooth_fairness_card *const *card,
                                                 size_t tasks, size_t own, const double threshold[2],
                                                 uint32_t field, double *value) {
    if (!threshold)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the vector needs %s, and that needs thresholds, but threshold is NULL",
                          sooth_fairness_field_name(NULL, field));
    for (size_t i = 0; i < tasks; ++i)
        if (soothi_nan(card[i]->value[SOOTH_FAIRNESS_PRESSURE]))
            return soothi_fairness_missing(env, card[i], "pressure");
    sooth_fairness_level level = sooth_fairness_choose(card, tasks, own, threshold);
    *value = field == SOOTH_FAIRNESS_CHOSEN ? sooth_fairness_alongside(card[own], level)
                                            : card[own]->value[SOOTH_FAIRNESS_SLOWDOWN_LOW + (uint32_t)level];
    if (!soothi_nan(*value)) return SOOTH_OK;
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t of = (k ? SOOTH_FAIRNESS_CAUSED_LOW : SOOTH_FAIRNESS_SLOWDOWN_LOW) + (uint32_t)level;
        const double v = card[own]->value[of];
        const char *name = sooth_fairness_field_name(card[own]->own, of);
        if (soothi_nan(v))
            return sooth_fail(env, SOOTH_BAD_DATA, "the card of %s has no %s, which %s needs in this bag",
                              card[own]->name, name, sooth_fairness_field_name(NULL, field));
        if (!soothi_fairness_positive(v))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "%s is %g on the card of %s, but %s needs a number above 0", name, v,
                              card[own]->name, sooth_fairness_field_name(NULL, field));
    }
    return soothi_fairness_missing(env, card[own], sooth_fairness_field_name(NULL, field));
}

SOOTH_API sooth_status sooth_fairness_vector(sooth_env *env, const sooth_fairness_form *form,
                                             const sooth_fairness_card *const *card, size_t tasks,
                                             const double threshold[2], const sooth_fairness_card *bag,
                                             float *out) {
    const sooth_fairness_card *sorted[SOOTH_FAIRNESS_MAX_TASKS];
    size_t at;
    double v = 0.0;
    sooth_status status = soothi_fairness_bag(env, card, tasks, 2);
    if (status != SOOTH_OK) return status;
    if (form->fields > 16 || form->bag_fields > 8)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "fields and bag_fields are %u and %u, but must be at most 16 and 8", form->fields,
                          form->bag_fields);
    if (!bag && form->bag_fields)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "bag_fields is above 0, but bag is NULL");
    for (size_t i = 0; i < tasks; ++i) {
        for (at = i; at > 0 && soothi_fairness_before(card[i], sorted[at - 1]); --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = card[i];
    }
    for (uint32_t f = 0; f < form->fields; ++f)
        for (size_t i = 0; i < tasks; ++i) {
            const uint32_t field = form->field[f];
            status = field == SOOTH_FAIRNESS_CHOSEN || field == SOOTH_FAIRNESS_CHOSEN_SLOWDOWN
                         ? soothi_fairness_chosen(env, sorted, tasks, i, threshold, field, &v)
                         : soothi_fairness_value(env, sorted[i], field, &v);
            if (status != SOOTH_OK) return status;
            *out++ = (float)v;
        }
    for (uint32_t f = 0; f < form->bag_fields; ++f) {
        status = soothi_fairness_value(env, bag, form->bag_field[f], &v);
        if (status != SOOTH_OK) return status;
        *out++ = (float)v;
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_fairness_any(sooth_env *env, const uint32_t *fields, size_t count,
                                          const sooth_fairness_card *const *card, size_t tasks, size_t own,
                                          float *out) {
    double v = 0.0, most = 0.0;
    sooth_status status = soothi_fairness_bag(env, card, tasks, 2);
    if (status != SOOTH_OK) return status;
    if (own >= tasks)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "own is %z, but must be below the %z tasks of the bag",
                          own, tasks);
    for (size_t k = 0; k < count; ++k)
        for (size_t i = 0; i < tasks; ++i) {
            status = soothi_fairness_value(env, card[i], fields[k], &v);
            if (status != SOOTH_OK) return status;
        }
    for (size_t k = 0; k < count; ++k) {
        *out++ = (float)card[own]->value[fields[k]];
        *out++ = (float)soothi_fairness_sum(card, tasks, own, fields[k], &most);
        *out++ = (float)most;
    }
    *out = (float)tasks;
    return SOOTH_OK;
}

/* ---- the fields of the paper ---- */

SOOTH_API const sooth_fairness_fields *sooth_fairness_paper_fields(void) {
#define SOOTHI_ITEM(name, text) text,
    static const sooth_fairness_fields paper = {15, {SOOTH_FAIRNESS_PAPER_LIST(SOOTHI_ITEM)}};
#undef SOOTHI_ITEM
    return &paper;
}

SOOTH_API sooth_status sooth_fairness_combination(sooth_env *env, size_t number, sooth_fairness_form *out) {
    /* Table 5 from top to bottom. A bit for each field of a task (1 CPU_power, 2 GPU_power, 4 IPC, 8 LLC, 16
       branch, 32 L1, 64 DTLB), the same bits for the bag, and whether fairness is included. */
    static const uint8_t field[7] = {SOOTH_FAIRNESS_CPU_POWER,   SOOTH_FAIRNESS_ALONE_POWER,
                                     SOOTH_FAIRNESS_IPC,         SOOTH_FAIRNESS_LLC_MISS,
                                     SOOTH_FAIRNESS_BRANCH_MISS, SOOTH_FAIRNESS_L1_MISS,
                                     SOOTH_FAIRNESS_DTLB_MISS};
    static const uint8_t table[SOOTH_FAIRNESS_COMBINATIONS][3] = {
        {0, 0, 1},  {15, 0, 1},  {13, 0, 1},  {14, 0, 1},  {15, 0, 0},  {7, 0, 1},   {7, 0, 0},
        {0, 13, 1}, {0, 125, 1}, {0, 124, 1}, {124, 0, 1}, {124, 0, 0}, {0, 124, 0}, {12, 0, 1},
        {60, 0, 1}, {0, 117, 0}, {11, 0, 1},  {10, 1, 1},  {14, 1, 1},  {126, 1, 1}, {2, 125, 1}};
    memset(out, 0, sizeof *out);
    if (number >= SOOTH_FAIRNESS_COMBINATIONS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "combination is %z, but must be from 0 to 20", number);
    if (number == 0) {
        out->field[out->fields++] = SOOTH_FAIRNESS_ALONE_TIME;
        for (uint32_t f = SOOTH_FAIRNESS_CPU_TIME; f <= SOOTH_FAIRNESS_CONTROL; ++f)
            out->field[out->fields++] = f;
    }
    for (uint32_t f = 0; f < 7; ++f) {
        if (table[number][0] >> f & 1) out->field[out->fields++] = field[f];
        if (table[number][1] >> f & 1) out->bag_field[out->bag_fields++] = field[f];
    }
    if (table[number][2]) out->field[out->fields++] = SOOTH_FAIRNESS_CHOSEN;
    return SOOTH_OK;
}

/* ---- predictions ---- */

SOOTH_API double sooth_fairness_predict(const sooth_fairness_bank *bank, size_t tasks, const float *vector) {
    const void *model =
        tasks <= SOOTH_FAIRNESS_MAX_TASKS && bank->model[tasks] ? bank->model[tasks] : bank->model[0];
    return (double)(model ? bank->predict_fn(model, vector) : soothi_missing());
}

SOOTH_API sooth_status sooth_fairness_limit(sooth_env *env, const sooth_fairness_card *const *card,
                                            size_t tasks, double time, double power, double cap,
                                            sooth_fairness_outcome *outcome) {
    double longest = 0.0, sum = 0.0, strongest = 0.0;
    sooth_status status = soothi_fairness_bag(env, card, tasks, 1);
    memset(outcome, 0, sizeof *outcome);
    outcome->safest = 1;
    if (status != SOOTH_OK) return status;
    for (size_t i = 0; i < tasks; ++i) {
        const double t = card[i]->value[SOOTH_FAIRNESS_ALONE_TIME];
        const double p = card[i]->value[SOOTH_FAIRNESS_ALONE_POWER];
        if (!soothi_fairness_positive(t)) return soothi_fairness_missing(env, card[i], "alone_time above 0");
        sum += t;
        if (t > longest) longest = t;
        if (p > strongest) strongest = p;
    }
    outcome->safest = tasks > 1 && !soothi_fairness_positive(time);
    if (tasks == 1 || outcome->safest) time = sum;
    if (time < longest || outcome->safest) outcome->moved |= SOOTH_FAIRNESS_TIME_MOVED;
    if (!soothi_fairness_positive(power) || (cap > 0.0 && power > cap)) {
        power = cap > 0.0 ? cap : strongest;
        outcome->moved |= SOOTH_FAIRNESS_POWER_MOVED;
    }
    outcome->time = time < longest ? longest : time;
    outcome->power = power;
    outcome->energy = outcome->power * outcome->time;
    return SOOTH_OK;
}

/* ---- from one machine to another ---- */

/* Maps times to the line, and back. */
SOOTHI_LOCAL double soothi_fairness_to_line(const sooth_fairness_translation *t, double time) {
    return t->plain ? time : soothi_log(time);
}

SOOTHI_LOCAL double soothi_fairness_from_line(const sooth_fairness_translation *t, double v) {
    if (!t->plain) return soothi_exp(v);
    return v > 0.0 ? v : 0.0;
}

/* Computes r2, and the error of each point by the line through the others. That line needs no separate fit:
   without a point of leverage h, the residual e grows to e / (1 - h). */
SOOTHI_LOCAL void soothi_fairness_rate_line(const double *here, const double *there, double mean, double xx,
                                            double yy, sooth_fairness_translation *t) {
    const double n = (double)t->points;
    t->r2 = yy > 0.0 ? t->slope * t->slope * xx / yy : 1.0;
    for (size_t i = 0; i < t->points; ++i) {
        const double x = soothi_fairness_to_line(t, here[i]), y = soothi_fairness_to_line(t, there[i]);
        const double rest = 1.0 - 1.0 / n - (x - mean) * (x - mean) / xx;
        const double e = y - t->intercept - t->slope * x;
        const double by_others = soothi_fairness_from_line(t, y - e / rest);
        t->error += rest > 1e-12 ? soothi_abs(by_others - there[i]) / there[i] / n : SOOTHI_NAN;
    }
}

SOOTH_API sooth_status sooth_fairness_translate_fit(sooth_env *env, const double *here, const double *there,
                                                    size_t points, int plain,
                                                    sooth_fairness_translation *out) {
    double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    memset(out, 0, sizeof *out);
    out->points = (uint32_t)points;
    out->plain = (uint32_t)(plain != 0);
    if (points < 2) return sooth_fail(env, SOOTH_BAD_DATA, "points is %z, but must be at least 2", points);
    for (size_t i = 0; i < points; ++i) {
        if (!soothi_fairness_positive(here[i]) || !soothi_fairness_positive(there[i]))
            return sooth_fail(
                env, SOOTH_BAD_DATA,
                "the times of microbenchmark %z are %g here and %g there, but must be above 0 and "
                "finite",
                i, here[i], there[i]);
        if (i == 0 || here[i] < out->least) out->least = here[i];
        if (i == 0 || here[i] > out->most) out->most = here[i];
        mx += soothi_fairness_to_line(out, here[i]) / (double)points;
        my += soothi_fairness_to_line(out, there[i]) / (double)points;
    }
    for (size_t i = 0; i < points; ++i) {
        const double dx = soothi_fairness_to_line(out, here[i]) - mx;
        const double dy = soothi_fairness_to_line(out, there[i]) - my;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    if (!(out->least < out->most && xx > 0.0))
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "all times here are the same; a line needs at least two different ones");
    if (!soothi_finite(xx) || !soothi_finite(yy))
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the times, here %g to %g, are too far apart for a line without logarithms",
                          out->least, out->most);
    out->slope = xy / xx;
    out->intercept = my - out->slope * mx;
    soothi_fairness_rate_line(here, there, mx, xx, yy, out);
    return SOOTH_OK;
}

SOOTH_API double sooth_fairness_translate(const sooth_fairness_translation *translation, double time,
                                          int *outside) {
    if (outside) *outside = !(time >= translation->least && time <= translation->most);
    if (!soothi_fairness_positive(time)) return 0.0;
    return soothi_fairness_from_line(translation,
                                     translation->intercept +
                                         translation->slope * soothi_fairness_to_line(translation, time));
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
