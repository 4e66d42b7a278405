/* model/best.h - the kind "best": a weighted mean of up to eight models, which held-out rows have chosen.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * For row x and members f_k with weights w_k, which sum to 1, the prediction is
 *
 *     sum_k w_k b(f_k(x))            or, if errors are relative,
 *     exp(sum_k w_k log b(f_k(x)))   the geometric mean, with b(v) = min(max(v, low), high)
 *
 * The bounds are the range of the training targets, widened by a half to each side, or by a factor of two if
 * the mean is geometric. Without them one member that extrapolates, such as a line on logarithms, decides the
 * mean of a row unlike the training rows. A rule that answers alone has no upper bound: a law may
 * extrapolate. It has no lower one either, unless the mean is geometric and the rule may fall below 0, as a
 * line does.
 *
 * If a row has a missing value, members that cannot take it predict NaN. The mean is then that of the other
 * members: their weights are divided by their sum. It is NaN if no member is left.
 *
 * Each member is a whole model with its own transforms, a part of the same block. Members have any kind but
 * this one. train/best.h chooses them. The block also holds a list of all candidates with their held-out
 * errors, so that a reader of the model file sees what was compared.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float x[60], y[60];
 *         const sooth_train_recipe recipe = {.model = "best", .options.best = {.effort = SOOTH_BEST_LOW}};
 *         sooth_best_candidate first;
 *         sooth_model_parts parts;
 *         sooth_model *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (int i = 0; i < 60; ++i) y[i] = 3.0f + 2.0f * (x[i] = (float)(i * 7 % 60));
 *         sooth_table table = sooth_table_of(x, y, 60, 1);
 *         if (sooth_train_fit(&env, &table, &recipe, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         sooth_model_open(model, &parts);
 *         const sooth_best *best = (const sooth_best *)parts.predictor;
 *         sooth_best_candidate_at(best, 0, &first);
 *         printf("%u member: %s\n", best->members, first.recipe);  //> 1 member: linear
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Cost: one prediction costs those of its members. A member with a transform of the features needs a row of
 * SOOTH_BEST_ROOM floats, which is on the stack.
 */
#ifndef SOOTH_MODEL_BEST_H
#define SOOTH_MODEL_BEST_H

SOOTHI_C_BEGIN

#define SOOTH_BEST_VERSION 2 /* 1 has no doubles */
#define SOOTH_BEST_MAX_MEMBERS 8u
#define SOOTH_BEST_MAX_CANDIDATES 64u
#define SOOTH_BEST_ROOM 1024u /* maximum number of features of a member that transforms them */

/* A candidate of later rows that is never a member: the mean of the last two targets before the row, of its
   group if the table has groups. It is no function of a row, and has no model. */
#define SOOTH_BEST_LAST_TWO "last two"

/* The error by which models are compared, over all held-out rows. */
typedef enum sooth_best_error {
    SOOTH_BEST_AUTO = 0, /* relative if every target is above 0, else rmse */
    SOOTH_BEST_RMSE,     /* root of the mean squared error */
    SOOTH_BEST_MAE,      /* mean absolute error */
    SOOTH_BEST_MRE       /* mean relative error, |predicted - measured| / |measured| */
} sooth_best_error;

/* Which answer has the least error on rows that did not choose it. */
typedef enum sooth_best_verdict {
    SOOTH_BEST_RULE = 0, /* a simple rule: nothing beats it */
    SOOTH_BEST_SINGLE,   /* one model */
    SOOTH_BEST_AVERAGE   /* a weighted mean of several */
} sooth_best_verdict;

/* The block. After this struct:
     words    4 for each candidate, the members first: float error on held-out rows (NaN: could not be
              fitted), float weight (0 if it is not a member), uint32_t is it a rule, uint32_t where its text
              begins in the block
     doubles  the standard error of `expected`, the share of rows above their prediction; version 1: none
     bytes    the members, each a sooth_model of its own, without gaps; the recipes of the candidates as
              texts, each ended by a zero */
typedef struct sooth_best {
    sooth_block head;
    uint32_t members;    /* 1 to SOOTH_BEST_MAX_MEMBERS */
    uint32_t candidates; /* at least `members`, at most SOOTH_BEST_MAX_CANDIDATES */
    uint32_t rule;       /* the best rule, an index of the candidates */
    uint32_t error;      /* a sooth_best_error, not AUTO */
    uint32_t verdict;    /* a sooth_best_verdict */
    uint32_t geometric;  /* 1: the geometric mean */
    uint32_t folds;      /* of the rows that were held out; 0: there were too few rows to hold out any */
    uint32_t repeats;    /* distributions of the rows to folds */
    uint32_t held;       /* by the folds: 0 rows, 1 whole groups, 2 later rows */
    float low, high;     /* bounds of the members' predictions; above 0 if geometric */
    float expected;      /* error of the answer on rows that did not choose it; NaN without folds. Of later
                            rows those of the last fold count most: train/best.h */
    float expected_rule; /* that of the best rule */
} sooth_best;

/* Returns 1 if bytes[0..size) begin with a valid block, its members included. Then no function below reads
   outside it. A checked one may come from anyone. */
SOOTH_API int sooth_best_check(const void *bytes, size_t size);

/* Predicts one row of head.features floats, by the members that do not predict NaN; NaN if all do. */
SOOTH_API float sooth_best_predict(const sooth_best *best, const float *row);

/* Predicts rows `stride` floats apart. Bits are those of sooth_best_predict. */
SOOTH_API void sooth_best_predict_many(const sooth_best *best, const float *x, size_t rows, size_t stride,
                                       float *out);

/* Returns the worst-case cost of one prediction: the sum of the members' costs. */
SOOTH_API sooth_cost sooth_best_cost(const sooth_best *best);

#ifndef SOOTH_PREDICT_ONLY

/* Which models are compared. It depends on rows and columns only, never on a clock. */
typedef enum sooth_best_effort {
    SOOTH_BEST_MEDIUM = 0, /* about 20 s of one core for 3,000 rows of 8 columns */
    SOOTH_BEST_LOW,        /* the rules and the fastest models: a fifth of that */
    SOOTH_BEST_HIGH        /* further kinds, and the slow ones for more rows */
} sooth_best_effort;

typedef struct sooth_best_options {
    uint32_t effort;  /* a sooth_best_effort */
    uint32_t error;   /* a sooth_best_error */
    uint32_t single;  /* 1: one member */
    uint32_t members; /* maximum number of members; 0 means 8 */
    uint32_t seed;    /* of the folds and of all members */
    /* Fits the members of this one with their weights, instead of a search; NULL means a search. */
    const sooth_best *choice;
} sooth_best_options;

/* A candidate of a model that was fitted. */
typedef struct sooth_best_candidate {
    const char *recipe; /* "gauss lengths=each transform=standard,clip,log-target", see train/recipe.h */
    float error;        /* on held-out rows; NaN if it could not be fitted */
    float weight;       /* 0 if it is not a member */
    uint32_t is_rule;
    const sooth_block *model; /* the member; NULL if it is none */
} sooth_best_candidate;

/* Gets candidate i of a checked model; members come first, by weight. Returns 0 past the end. */
SOOTH_API int sooth_best_candidate_at(const sooth_best *best, size_t i, sooth_best_candidate *candidate);

/* Returns the standard error of best->expected of a checked model, in its unit: over the groups, the parts of
   later rows, or else the rows that were held out. The error of new rows is within one of them in 38 to 73 %
   of all fits, and within two in 68 to 90 % (known truth, 6 to 200 groups or rows). NaN if it is not known:
   without folds, or in a file of version 1. */
SOOTH_API double sooth_best_standard_error(const sooth_best *best);

/* Returns the weighted share of the held-out rows whose target was above its prediction. Of later rows a
   share near 1 or 0 shows a target that rises or falls with time: then what comes next is off by more than
   `expected`. NaN like the standard error. */
SOOTH_API double sooth_best_share_above(const sooth_best *best);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_best_options_list(void);

/* Frees a block of sooth_best_fit; NULL is valid. */
SOOTH_API void sooth_best_free(sooth_env *env, sooth_best *best);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MODEL_BEST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_BEST_IMPLEMENTED)
#define SOOTH_MODEL_BEST_IMPLEMENTED
SOOTHI_C_BEGIN

/* model.h defines these three, for models of all kinds but this one. The first checks one with a single
   target and this many features, and returns its size, or 0. */
SOOTHI_LOCAL uint32_t soothi_model_member_check(const void *bytes, size_t size, uint32_t features);
SOOTHI_LOCAL void soothi_model_member_many(const sooth_block *member, const float *x, size_t rows,
                                           size_t stride, float *out);
SOOTHI_LOCAL sooth_cost soothi_model_member_cost(const sooth_block *member);

enum { SOOTHI_BEST_ROWS = 64 }; /* that are predicted together */

typedef struct soothi_best_entry {
    float error, weight;
    uint32_t is_rule, text_at;
} soothi_best_entry;

SOOTHI_LOCAL const soothi_best_entry *soothi_best_entries(const sooth_best *best) {
    return (const soothi_best_entry *)(const void *)(best + 1);
}

SOOTHI_LOCAL const sooth_block *soothi_best_after(const sooth_best *best, const sooth_block *member) {
    const unsigned char *from = member ? (const unsigned char *)member : (const unsigned char *)best;
    return (const sooth_block *)(const void *)(from + (member ? member->size : best->head.bytes_at));
}

/* Checks the members, from the region of bytes on. Returns where they end; 0 if one is invalid. */
SOOTHI_LOCAL size_t soothi_best_check_members(const sooth_best *best) {
    const soothi_best_entry *entry = soothi_best_entries(best);
    float sum = 0.0f;
    size_t at = best->head.bytes_at;
    for (uint32_t k = 0; k < best->members; ++k) {
        const uint32_t size = soothi_model_member_check((const unsigned char *)best + at,
                                                        best->head.size - at, best->head.features);
        if (!size || !(entry[k].weight > 0.0f)) return 0;
        sum += entry[k].weight;
        at += size;
    }
    return sum > 0.9999f && sum < 1.0001f ? at : 0;
}

SOOTH_API int sooth_best_check(const void *bytes, size_t size) {
    const sooth_best *best = (const sooth_best *)bytes;
    if ((!sooth_block_check(bytes, size, SOOTH_KIND_BEST, SOOTH_BEST_VERSION) &&
         !sooth_block_check(bytes, size, SOOTH_KIND_BEST, 1)) ||
        best->head.doubles_at < sizeof *best || best->head.targets != 1 || best->head.features == 0 ||
        best->members > SOOTH_BEST_MAX_MEMBERS || best->candidates < best->members ||
        best->candidates > SOOTH_BEST_MAX_CANDIDATES || best->rule >= best->candidates ||
        best->error == SOOTH_BEST_AUTO || best->error > SOOTH_BEST_MRE ||
        best->verdict > SOOTH_BEST_AVERAGE || best->geometric > 1 || best->held > 2 ||
        !(best->low <= best->high && best->low >= -FLT_MAX && best->high <= FLT_MAX) ||
        (best->geometric && !(best->low > 0.0f)))
        return 0;
    const size_t words = soothi_round16(sizeof *best + best->candidates * sizeof(soothi_best_entry));
    const size_t doubles = best->head.kind >> 16 == 1 ? 0 : 16;
    if (best->head.doubles_at != words || best->head.bytes_at != words + doubles) return 0;
    const size_t texts = soothi_best_check_members(best);
    if (texts == 0 || ((const unsigned char *)bytes)[best->head.size - 1u] != 0) return 0;
    for (uint32_t i = 0; i < best->candidates; ++i) {
        const soothi_best_entry *entry = soothi_best_entries(best) + i;
        if (entry->text_at < texts || entry->text_at >= best->head.size || entry->is_rule > 1 ||
            (i >= best->members && soothi_bits(entry->weight) != 0))
            return 0;
    }
    return 1;
}

/* NaN stays NaN. */
SOOTHI_LOCAL float soothi_best_bound(float predicted, float low, float high) {
    return predicted < low ? low : predicted > high ? high : predicted;
}

SOOTH_API void sooth_best_predict_many(const sooth_best *best, const float *x, size_t rows, size_t stride,
                                       float *out) {
    const soothi_best_entry *entry = soothi_best_entries(best);
    float value[SOOTHI_BEST_ROWS], have[SOOTHI_BEST_ROWS], gone[SOOTHI_BEST_ROWS];
    size_t n;
    for (; rows; rows -= n, x += n * stride, out += n) {
        const sooth_block *member = NULL;
        n = rows < SOOTHI_BEST_ROWS ? rows : (size_t)SOOTHI_BEST_ROWS;
        for (size_t i = 0; i < n; ++i) out[i] = have[i] = gone[i] = 0.0f;
        for (uint32_t k = 0; k < best->members; ++k) {
            const float weight = entry[k].weight;
            member = soothi_best_after(best, member);
            soothi_model_member_many(member, x, n, stride, value);
            for (size_t i = 0; i < n; ++i) {
                if (!(value[i] <= value[i])) {
                    gone[i] += weight;
                    continue;
                }
                const float v = soothi_best_bound(value[i], best->low, best->high);
                have[i] += weight;
                out[i] += weight * (best->geometric ? sooth_log(v) : v);
            }
        }
        for (size_t i = 0; i < n; ++i) {
            const float sum = !(gone[i] > 0.0f) ? out[i]
                              : have[i] > 0.0f  ? out[i] / have[i]
                                                : soothi_missing();
            const float v = best->geometric ? sooth_exp(sum) : sum;
            out[i] = v > FLT_MAX ? FLT_MAX : v < -FLT_MAX ? -FLT_MAX : v;
        }
    }
}

SOOTH_API float sooth_best_predict(const sooth_best *best, const float *row) {
    float out = 0.0f;
    sooth_best_predict_many(best, row, 1, best->head.features, &out);
    return out;
}

SOOTH_API sooth_cost sooth_best_cost(const sooth_best *best) {
    const sooth_block *member = NULL;
    sooth_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.bytes = best->head.size;
    cost.functions = best->geometric ? best->members + 1 : 0;
    cost.multiply_adds = best->members;
    for (uint32_t k = 0; k < best->members; ++k) {
        member = soothi_best_after(best, member);
        const sooth_cost one = soothi_model_member_cost(member);
        cost.comparisons += one.comparisons;
        cost.multiply_adds += one.multiply_adds;
        cost.functions += one.functions;
    }
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

SOOTH_API int sooth_best_candidate_at(const sooth_best *best, size_t i, sooth_best_candidate *candidate) {
    const sooth_block *member = NULL;
    memset(candidate, 0, sizeof *candidate);
    if (i >= best->candidates) return 0;
    const soothi_best_entry *entry = soothi_best_entries(best) + i;
    for (size_t k = 0; i < best->members && k <= i; ++k) member = soothi_best_after(best, member);
    candidate->recipe = (const char *)best + entry->text_at;
    candidate->error = entry->error;
    candidate->weight = entry->weight;
    candidate->is_rule = entry->is_rule;
    candidate->model = member;
    return 1;
}

SOOTHI_LOCAL double soothi_best_double(const sooth_best *best, size_t which) {
    const unsigned char *at = (const unsigned char *)best + best->head.doubles_at;
    double value;
    if (best->head.kind >> 16 == 1) return (double)soothi_missing();
    memcpy(&value, at + which * sizeof value, sizeof value);
    return value;
}

SOOTH_API double sooth_best_standard_error(const sooth_best *best) { return soothi_best_double(best, 0); }

SOOTH_API double sooth_best_share_above(const sooth_best *best) { return soothi_best_double(best, 1); }

SOOTH_API sooth_option_list sooth_best_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_best_options, effort, "medium|low|high", "which models are compared"),
        SOOTHI_CHOICE(sooth_best_options, error, "auto|rmse|mae|mre",
                      "error to minimise; auto: relative if every target is above 0, else rmse"),
        SOOTHI_FLAG(sooth_best_options, single, "1: one member, without an average"),
        SOOTHI_COUNT(sooth_best_options, members, 1, SOOTH_BEST_MAX_MEMBERS, 8, "maximum number of members"),
        SOOTHI_COUNT(sooth_best_options, seed, 0, 4294967295.0, 0, "of the folds and of all members")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API void sooth_best_free(sooth_env *env, sooth_best *best) {
    soothi_block_free(env, best ? &best->head : NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
