/* slowdown/allocate.h - how many units of a machine each program should get: fairly, or as promised.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The units are the streaming multiprocessors (SMs) of a graphics processor, cores, or any equal pieces.
 * Programs run in parallel. Once per period their slowdowns are predicted (slowdown.h) or observed, and
 * Algorithm 1 of Themis (Zhao et al., IPDPS 2019) reallocates the units: it moves one unit from one program
 * to another while a policy's score rises. The slowdown of a program on m units follows from its progress
 * curve (scaling/curve.h: the Proactive Slowdown Predictor, PSP; eq. 9 and 10 there): SD_m = SD_inter /
 * PG(m).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/slowdown.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static sooth_allocate machine;  // everything lives in here: nothing is allocated
 *         sooth_allocate_result result;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_allocate_init(&env, &machine, 60, 2) != SOOTH_OK ||  // 60 SMs: 30 and 30
 *             // slowed by scale and by interference
 *             sooth_allocate_observe(&env, &machine, 0, 1.9f, 1.4f, 0) != SOOTH_OK ||
 *             sooth_allocate_observe(&env, &machine, 1, 1.2f, 1.0f, 0) != SOOTH_OK ||
 *             sooth_allocate_decide(&env, &machine, NULL, &result) != SOOTH_OK)  // NULL: fair, equal weights
 *             return puts(env.sentence), 1;
 *         printf("%u and %u SMs\n", result.units[0], result.units[1]);     //> 35 and 25 SMs
 *         printf("unfairness %.2f\n", (double)result.unfairness);          //> unfairness 0.38
 *         return 0;
 *     }
 *
 * The paper leaves these details open:
 *   - i = j in Algorithm 1 changes nothing and is skipped. The first move that raises the score is made at
 *     once, and the search continues at the next (i, j). "Raises" means by more than 1e-6 of the score's
 *     size, so rounding moves nothing.
 *   - max_distance limits every move, not one pass: no result is farther than that from the present
 *     allocation.
 *   - No program gets fewer than `least` units, or fewer than 1.
 *   - All predictions of one decision use the slowdowns and the curves of the present allocation.
 *   - Repeated observations of a point are averaged, and a curve never falls (SOOTH_SCALING_MONOTONE).
 *   - The Fair policy stops below an unfairness of 0.05, not 0.1. Of 0.02, 0.05 and 0.1, this leaves the
 *     training kernels of test_allocate.c most fair. Set it higher if moving units is costly.
 *   - The score of QoS is not printed. Here it is the negative shortfall to the targets. Without a shortfall
 *     it is 10 + the sum of the other programs' progress. It never stops early: units that the protected
 *     program does not need return to the others.
 *
 * A prediction with an error of 9 % misses a tight target half of the time. But a program with a promise has
 * a known time alone, so its true slowdown is known. Pass it to sooth_allocate_observe, and the target is met
 * if possible.
 *
 * Cost: sizeof(sooth_allocate) in the caller's memory, about 9 KB; no allocation. A decision for m programs
 * takes up to (m - 1) max_distance m^2 / 2 moves of two curve lookups and a score; a microsecond for 4 (bench
 * task=decide).
 */
#if !defined(SOOTH_SLOWDOWN_ALLOCATE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED))
#include "../scaling.h"
#endif

#if !defined(SOOTH_SLOWDOWN_ALLOCATE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_ALLOCATE_H
SOOTHI_C_BEGIN

#define SOOTH_ALLOCATE_MAX_PROGRAMS 16u /* programs at a time */

typedef struct sooth_allocate_program {
    float weight;    /* of its claim, > 0. Fair means equal slowdown x weight (eq. 11), so a larger weight
                        gives a smaller slowdown */
    float target;    /* promised progress, 0 to 1; 0: none, a batch program */
    float inter;     /* slowdown by interference under the present allocation */
    uint32_t units;  /* present units */
    uint32_t least;  /* minimum units, >= 1 */
    uint32_t missed; /* units on which it missed its target: it does not get so few again. 0 when the
                        neighbours change */
    sooth_scaling_curve curve; /* progress on m units, alone */
} sooth_allocate_program;

/* The machine and its programs. Initialise with sooth_allocate_init. weight, target, units and least may be
   set directly; units must sum to those of the machine. */
typedef struct sooth_allocate {
    uint32_t units;
    uint32_t programs;
    sooth_allocate_program program[SOOTH_ALLOCATE_MAX_PROGRAMS];
} sooth_allocate;

/* An allocation and its expected results. */
typedef struct sooth_allocate_result {
    uint32_t units[SOOTH_ALLOCATE_MAX_PROGRAMS];
    float slowdown[SOOTH_ALLOCATE_MAX_PROGRAMS];
    float unfairness; /* eq. 11 */
    float score;      /* of the policy */
    uint32_t moves;   /* of one unit */
    uint32_t safest;  /* 1: the goal cannot be met or is invalid; this is the safest allocation */
} sooth_allocate_result;

/* The goal of a policy. Both functions get an allocation with its expected slowdowns. units and slowdown have
   machine->programs entries. */
typedef struct sooth_allocate_policy {
    float (*score_fn)(const struct sooth_allocate_policy *policy, const sooth_allocate *machine,
                      const uint32_t *units, const float *slowdown); /* larger is better */
    int (*enough_fn)(const struct sooth_allocate_policy *policy, const sooth_allocate *machine,
                     const uint32_t *units,
                     const float *slowdown); /* nonzero: good enough, stop; NULL: never */
    uint32_t max_distance; /* maximum change of a program's units in one decision; 0 means 5 (the paper's) */
    float threshold;  /* FAIR: unfairness below this is good enough; 0 means 0.05 (the paper's: 0.1); to never
                         stop early, set enough_fn = NULL */
    float guard;      /* QOS: margin above the targets, 0.05: 5 %; 0: none */
    const void *user; /* for your own policies */
} sooth_allocate_policy;

/* Return Themis-Fair (Algorithm 2) and Themis-QoS. Zero or set the other fields. */
SOOTH_API sooth_allocate_policy sooth_allocate_fair(void);
SOOTH_API sooth_allocate_policy sooth_allocate_qos(void);

/* Initialises a machine of `units` for 1 to SOOTH_ALLOCATE_MAX_PROGRAMS programs, at most one per unit. Units
   are shared evenly, with equal weights and no targets. Progress is proportional to the units until something
   is observed. */
SOOTH_API sooth_status sooth_allocate_init(sooth_env *env, sooth_allocate *machine, size_t units,
                                           size_t programs);

/* Shares the units by weight: the static policy that Themis is compared with. n_i = N w_i / sum w, rounded by
   largest remainder, with a minimum of `least` each. */
SOOTH_API sooth_status sooth_allocate_even(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_result *result);

/* Records the slowdowns of program `which` on its present units, by scale and by interference, both >= 1
   (less counts as 1). actual is its true slowdown if known, else 0. Then SD_scal = actual / inter, so
   prediction and truth agree at the present units, and units on which the target was missed are stored. If
   the truth is below the predicted interference, it replaces the interference. ASM, which has no scale, is
   this with scal = 1. Bubble-Flux, which phases programs in and out to measure their slowdowns, is this with
   its measurement as `actual`. */
SOOTH_API sooth_status sooth_allocate_observe(sooth_env *env, sooth_allocate *machine, size_t which,
                                              float scal, float inter, float actual);

/* Returns the slowdown of program `which` on m units (0: infinite), eq. 9. */
SOOTH_API float sooth_allocate_slowdown(const sooth_allocate *machine, size_t which, size_t m);

/* Returns eq. 11: (max - min) / max of slowdown x weight. weight NULL means equal weights. 0 is fair. */
SOOTH_API float sooth_allocate_unfairness(const float *slowdown, const float *weight, size_t programs);

/* Runs Algorithm 1 from the present allocation and does not change machine. policy NULL means
   sooth_allocate_fair(). A program alone keeps all units. Returns SOOTH_BAD_ARGUMENT in two cases, with
   safest = 1. If the targets cannot be met even with every unit that the others can spare, result is the
   nearest allocation. For other invalid input, result is the even one. */
SOOTH_API sooth_status sooth_allocate_decide(sooth_env *env, const sooth_allocate *machine,
                                             const sooth_allocate_policy *policy,
                                             sooth_allocate_result *result);

/* Makes a result the present allocation. */
SOOTH_API void sooth_allocate_take(sooth_allocate *machine, const sooth_allocate_result *result);

typedef enum sooth_allocate_goal {
    SOOTH_ALLOCATE_LEAST_WORST = 0, /* minimises the maximum slowdown x weight */
    SOOTH_ALLOCATE_MAX_PROGRESS     /* targets first, with fewest units; then the sum of progress */
} sooth_allocate_goal;

/* Computes the best allocation for the present curves, at any distance. It gives unit after unit to one
   program. For LEAST_WORST this is the program that needs it most: exact, because a curve never falls. For
   MAX_PROGRESS it is the one that gains most: exact for concave curves, Fox 1966. It is the reference for
   Algorithm 1. O(units x programs). */
SOOTH_API sooth_status sooth_allocate_best(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_goal goal, sooth_allocate_result *result);

SOOTHI_C_END
#endif /* SOOTH_SLOWDOWN_ALLOCATE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_ALLOCATE_FOREVER 1e30f /* the slowdown of a program without progress */

/* ---- expected results ---- */

/* Returns the minimum units of program i. */
SOOTHI_LOCAL uint32_t soothi_allocate_least(const sooth_allocate *machine, uint32_t i) {
    return machine->program[i].least > 1 ? machine->program[i].least : 1u;
}

SOOTH_API float sooth_allocate_slowdown(const sooth_allocate *machine, size_t which, size_t m) {
    const sooth_allocate_program *p = &machine->program[which];
    float progress = sooth_scaling_curve_predict(&p->curve, (float)m);
    return progress > p->inter / SOOTHI_ALLOCATE_FOREVER ? p->inter / progress : SOOTHI_ALLOCATE_FOREVER;
}

SOOTH_API float sooth_allocate_unfairness(const float *slowdown, const float *weight, size_t programs) {
    float least = 0.0f, most = 0.0f;
    for (size_t i = 0; i < programs; ++i) {
        float s = slowdown[i] * (weight ? weight[i] : 1.0f);
        if (i == 0 || s < least) least = s;
        if (i == 0 || s > most) most = s;
    }
    return most > 0.0f ? (most - least) / most : 0.0f;
}

SOOTHI_LOCAL float soothi_allocate_unfairness_of(const sooth_allocate *machine, const float *slowdown) {
    float weight[SOOTH_ALLOCATE_MAX_PROGRAMS];
    for (uint32_t i = 0; i < machine->programs; ++i) weight[i] = machine->program[i].weight;
    return sooth_allocate_unfairness(slowdown, weight, machine->programs);
}

/* Computes the results that follow from the units. */
SOOTHI_LOCAL void soothi_allocate_expect(const sooth_allocate *machine, const sooth_allocate_policy *policy,
                                         sooth_allocate_result *result) {
    for (uint32_t i = 0; i < machine->programs; ++i)
        result->slowdown[i] = sooth_allocate_slowdown(machine, i, result->units[i]);
    result->unfairness = soothi_allocate_unfairness_of(machine, result->slowdown);
    result->score =
        policy ? policy->score_fn(policy, machine, result->units, result->slowdown) : -result->unfairness;
}

/* ---- policies ---- */

SOOTHI_LOCAL float soothi_allocate_fair_score(const sooth_allocate_policy *policy,
                                              const sooth_allocate *machine, const uint32_t *units,
                                              const float *slowdown) {
    (void)policy;
    (void)units;
    return -soothi_allocate_unfairness_of(machine, slowdown);
}

SOOTHI_LOCAL int soothi_allocate_fair_enough(const sooth_allocate_policy *policy,
                                             const sooth_allocate *machine, const uint32_t *units,
                                             const float *slowdown) {
    (void)units;
    return soothi_allocate_unfairness_of(machine, slowdown) <
           (policy->threshold > 0.0f ? policy->threshold : 0.05f);
}

/* Lexicographic: first the targets, then the others' progress, at most 1 each. */
SOOTHI_LOCAL float soothi_allocate_qos_score(const sooth_allocate_policy *policy,
                                             const sooth_allocate *machine, const uint32_t *units,
                                             const float *slowdown) {
    float missing = 0.0f, progress = 0.0f;
    (void)units;
    for (uint32_t i = 0; i < machine->programs; ++i) {
        float target = machine->program[i].target * (1.0f + policy->guard), reached = 1.0f / slowdown[i];
        if (target > 1.0f) target = 1.0f;
        if (!(target > 0.0f)) progress += reached;
        else if (reached < target) missing += target - reached;
    }
    return missing > 0.0f ? -missing : 10.0f + progress;
}

SOOTH_API sooth_allocate_policy sooth_allocate_fair(void) {
    sooth_allocate_policy policy;
    memset(&policy, 0, sizeof policy);
    policy.score_fn = soothi_allocate_fair_score;
    policy.enough_fn = soothi_allocate_fair_enough;
    return policy;
}

SOOTH_API sooth_allocate_policy sooth_allocate_qos(void) {
    sooth_allocate_policy policy;
    memset(&policy, 0, sizeof policy);
    policy.score_fn = soothi_allocate_qos_score;
    return policy;
}

/* ---- unit after unit ---- */

/* Criteria for giving out units in addition to sooth_allocate_goal. */
enum { SOOTHI_ALLOCATE_CLAIM = 100, SOOTHI_ALLOCATE_LAG };

/* Returns the priority of program i, with `units`, for the next unit. By criterion, it is the distance to its
   claim, the ratio of target to progress, its weighted slowdown, or its gain by the unit. For the gain,
   programs with a target come last. */
SOOTHI_LOCAL float soothi_allocate_priority(const sooth_allocate *machine, unsigned by, const float *claim,
                                            uint32_t i, uint32_t units) {
    const sooth_allocate_program *p = &machine->program[i];
    if (by == SOOTHI_ALLOCATE_CLAIM) return claim[i] - (float)units;
    const float now = sooth_allocate_slowdown(machine, i, units);
    if (by == SOOTHI_ALLOCATE_LAG) return p->target * now;
    if (by == SOOTH_ALLOCATE_LEAST_WORST) return now * p->weight;
    const float gain = 1.0f / sooth_allocate_slowdown(machine, i, units + 1) - 1.0f / now;
    return p->target > 0.0f ? gain - 0.5f : gain;
}

/* Gives out the remaining units, each to the program with the highest priority, the first of several. */
SOOTHI_LOCAL void soothi_allocate_hand_out(const sooth_allocate *machine, unsigned by, const float *claim,
                                           uint32_t left, sooth_allocate_result *result) {
    for (; left > 0; --left) {
        uint32_t best = 0;
        float most = 0.0f;
        for (uint32_t i = 0; i < machine->programs; ++i) {
            const float wish = soothi_allocate_priority(machine, by, claim, i, result->units[i]);
            if (i > 0 && !(wish > most)) continue;
            most = wish;
            best = i;
        }
        ++result->units[best];
    }
}

/* Shares the units by weight into result->units; valid for any weights. Every program gets `least` units.
   Then each unit goes to the program farthest below its claim N w_i. For claims above the minimum, this is
   rounding by largest remainder. */
SOOTHI_LOCAL void soothi_allocate_deal(const sooth_allocate *machine, sooth_allocate_result *result) {
    float sum = 0.0f, claim[SOOTH_ALLOCATE_MAX_PROGRAMS];
    uint32_t left = machine->units;
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) {
        float w = machine->program[i].weight;
        claim[i] = w > 0.0f && w < 1e30f ? w : 1.0f;
        sum += claim[i];
    }
    for (uint32_t i = 0; i < machine->programs; ++i) {
        uint32_t least = soothi_allocate_least(machine, i);
        uint32_t others = machine->programs - 1 - i; /* each keeps one or more */
        claim[i] *= (float)machine->units / sum;
        uint32_t whole = (uint32_t)claim[i];
        if (whole < least) whole = least;
        if (whole > left - others) whole = left - others;
        result->units[i] = whole;
        left -= whole;
    }
    soothi_allocate_hand_out(machine, SOOTHI_ALLOCATE_CLAIM, claim, left, result);
}

/* ---- input ---- */

SOOTH_API sooth_status sooth_allocate_init(sooth_env *env, sooth_allocate *machine, size_t units,
                                           size_t programs) {
    sooth_allocate_result even;
    memset(machine, 0, sizeof *machine);
    if (programs < 1 || programs > SOOTH_ALLOCATE_MAX_PROGRAMS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "programs is %z, but must be from 1 to %u", programs,
                          SOOTH_ALLOCATE_MAX_PROGRAMS);
    if (units < programs || units > 65536)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "units is %z, but must be from %z (programs) to 65536",
                          units, programs);
    machine->units = (uint32_t)units;
    machine->programs = (uint32_t)programs;
    for (size_t i = 0; i < programs; ++i) {
        sooth_allocate_program *p = &machine->program[i];
        p->weight = 1.0f;
        p->inter = 1.0f;
        p->least = 1;
        sooth_scaling_curve_init(env, &p->curve, (float)units, SOOTH_SCALING_MONOTONE);
    }
    soothi_allocate_deal(machine, &even);
    sooth_allocate_take(machine, &even);
    return SOOTH_OK;
}

SOOTH_API void sooth_allocate_take(sooth_allocate *machine, const sooth_allocate_result *result) {
    for (uint32_t i = 0; i < machine->programs; ++i) machine->program[i].units = result->units[i];
}

SOOTHI_LOCAL int soothi_allocate_slowdown_ok(float v) { return v > 0.0f && v < 1e9f; }

SOOTH_API sooth_status sooth_allocate_observe(sooth_env *env, sooth_allocate *machine, size_t which,
                                              float scal, float inter, float actual) {
    if (which >= machine->programs)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "program is %z, but must be below %u", which,
                          machine->programs);
    if (!soothi_allocate_slowdown_ok(scal) || !soothi_allocate_slowdown_ok(inter))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the slowdowns of program %z are %g and %g, but must be above 0 and finite", which,
                          (double)scal, (double)inter);
    if (!(actual >= 0.0f && actual < 1e9f))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the actual slowdown of program %z is %g, but must be at least 0 (0: not known)",
                          which, (double)actual);
    sooth_allocate_program *p = &machine->program[which];
    if (scal < 1.0f) scal = 1.0f;
    if (inter < 1.0f) inter = 1.0f;
    if (actual > 0.0f) {
        if (actual < 1.0f) actual = 1.0f;
        if (inter > actual) inter = actual;
        scal = actual / inter;
        if (p->target * actual > 1.0f && p->units > p->missed) p->missed = p->units;
    }
    if (p->units < machine->units) {
        sooth_status status = sooth_scaling_curve_add(env, &p->curve, (float)p->units, 1.0f / scal);
        if (status != SOOTH_OK) return status;
        /* The curve stores the mean of all observations there; the latest must still be reproduced now. */
        inter *= scal * sooth_scaling_curve_predict(&p->curve, (float)p->units);
    }
    p->inter = inter;
    return SOOTH_OK;
}

SOOTHI_LOCAL int soothi_allocate_sized(const sooth_allocate *machine) {
    return machine->programs >= 1 && machine->programs <= SOOTH_ALLOCATE_MAX_PROGRAMS &&
           machine->units >= machine->programs;
}

/* Reports the first reason why the machine does not allow a decision. */
SOOTHI_LOCAL sooth_status soothi_allocate_check(sooth_env *env, const sooth_allocate *machine) {
    uint32_t units = 0, least = 0;
    if (!soothi_allocate_sized(machine))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the machine has %u units and %u programs; initialise it with sooth_allocate_init",
                          machine->units, machine->programs);
    for (uint32_t i = 0; i < machine->programs; ++i) {
        const sooth_allocate_program *p = &machine->program[i];
        if (!(p->weight > 0.0f && p->weight < 1e30f))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the weight of program %u is %g, but must be above 0 and finite", i,
                              (double)p->weight);
        if (!(p->target >= 0.0f && p->target <= 1.0f))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the target of program %u is %g, but must be from 0 to 1 (its progress alone)",
                              i, (double)p->target);
        if (p->units < 1 || p->units > machine->units)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "units of program %u is %u, but must be from 1 to %u",
                              i, p->units, machine->units);
        if (p->least > machine->units)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "least of program %u is %u, but must be at most %u", i,
                              p->least, machine->units);
        units += p->units;
        least += soothi_allocate_least(machine, i);
    }
    if (units != machine->units)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the sum of units over all programs is %u, but must be %u",
                          units, machine->units);
    if (least > machine->units)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the sum of least over all programs is %u, but must be at most %u", least,
                          machine->units);
    return SOOTH_OK;
}

/* Shares by weight, and sets `safest` after a failure. */
SOOTHI_LOCAL sooth_status soothi_allocate_by_weight(const sooth_allocate *machine, sooth_status status,
                                                    sooth_allocate_result *result) {
    memset(result, 0, sizeof *result);
    if (soothi_allocate_sized(machine)) {
        soothi_allocate_deal(machine, result);
        soothi_allocate_expect(machine, NULL, result);
    }
    result->safest = status != SOOTH_OK;
    return status;
}

SOOTH_API sooth_status sooth_allocate_even(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_result *result) {
    return soothi_allocate_by_weight(machine, soothi_allocate_check(env, machine), result);
}

/* ---- Algorithm 1 ---- */

/* Moves one unit from i to j if that is allowed and raises the score. */
SOOTHI_LOCAL int soothi_allocate_move(const sooth_allocate *machine, const sooth_allocate_policy *policy,
                                      uint32_t i, uint32_t j, uint32_t far_away, sooth_allocate_result *now) {
    const float slowdown_i = now->slowdown[i], slowdown_j = now->slowdown[j];
    float score, size = now->score < 0.0f ? -now->score : now->score;
    uint32_t from = now->units[i], to = now->units[j];
    if (from <= soothi_allocate_least(machine, i) || from - 1 <= machine->program[i].missed ||
        from - 1 + far_away < machine->program[i].units || to + 1 > machine->program[j].units + far_away)
        return 0;
    now->units[i] = from - 1;
    now->units[j] = to + 1;
    now->slowdown[i] = sooth_allocate_slowdown(machine, i, from - 1);
    now->slowdown[j] = sooth_allocate_slowdown(machine, j, to + 1);
    score = policy->score_fn(policy, machine, now->units, now->slowdown);
    if (score > now->score + 1e-6f * size) {
        now->score = score;
        ++now->moves;
        return 1;
    }
    now->units[i] = from;
    now->units[j] = to;
    now->slowdown[i] = slowdown_i;
    now->slowdown[j] = slowdown_j;
    return 0;
}

/* Lines 5 to 19. A user policy may have no maximum, so the number of passes is bounded. */
SOOTHI_LOCAL void soothi_allocate_climb(const sooth_allocate *machine, const sooth_allocate_policy *policy,
                                        sooth_allocate_result *now) {
    const uint32_t far_away = policy->max_distance ? policy->max_distance : 5u;
    uint32_t i, moved = 1;
    for (uint32_t pass = 0; moved && pass < machine->units; ++pass) {
        if (policy->enough_fn && policy->enough_fn(policy, machine, now->units, now->slowdown)) return;
        for (moved = 0, i = 0; i < machine->programs; ++i)
            for (uint32_t j = 0; j < machine->programs; ++j)
                if (i != j) moved += (uint32_t)soothi_allocate_move(machine, policy, i, j, far_away, now);
    }
}

/* Returns the fewest units on which program i reaches its target; units + 1 if there are none. */
SOOTHI_LOCAL uint32_t soothi_allocate_needs(const sooth_allocate *machine, uint32_t i) {
    uint32_t n = soothi_allocate_least(machine, i);
    if (machine->program[i].target > 0.0f)
        while (n <= machine->units &&
               sooth_allocate_slowdown(machine, i, n) * machine->program[i].target > 1.000001f)
            ++n;
    return n;
}

SOOTHI_LOCAL int soothi_allocate_possible(const sooth_allocate *machine) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < machine->programs; ++i) sum += soothi_allocate_needs(machine, i);
    return sum <= machine->units;
}

/* Gives every program the units of first(), and then gives out the rest. */
SOOTHI_LOCAL void soothi_allocate_fill(const sooth_allocate *machine,
                                       uint32_t (*first)(const sooth_allocate *machine, uint32_t i),
                                       unsigned by, sooth_allocate_result *result) {
    uint32_t left = machine->units;
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) left -= result->units[i] = first(machine, i);
    soothi_allocate_hand_out(machine, by, NULL, left, result);
}

/* For targets that cannot be met: programs without a target keep their minimum. The rest goes, unit after
   unit, to the program that misses the largest part of its target. */
SOOTHI_LOCAL sooth_status soothi_allocate_impossible(sooth_env *env, const sooth_allocate *machine,
                                                     sooth_allocate_result *result) {
    soothi_allocate_fill(machine, soothi_allocate_least, SOOTHI_ALLOCATE_LAG, result);
    soothi_allocate_expect(machine, NULL, result);
    result->safest = 1;
    return sooth_fail(
        env, SOOTH_BAD_ARGUMENT,
        "the targets cannot be met on %u units, even with all units that the other programs can "
        "spare; lower a target",
        machine->units);
}

SOOTH_API sooth_status sooth_allocate_decide(sooth_env *env, const sooth_allocate *machine,
                                             const sooth_allocate_policy *policy,
                                             sooth_allocate_result *result) {
    sooth_allocate_policy usual = sooth_allocate_fair();
    sooth_status status = soothi_allocate_check(env, machine);
    if (!policy) policy = &usual;
    if (status == SOOTH_OK && !policy->score_fn)
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "score_fn of the policy is NULL");
    if (status == SOOTH_OK && !(policy->guard >= 0.0f && policy->guard < 1e6f))
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                            "guard of the policy is %g, but must be at least 0 and below 1e6",
                            (double)policy->guard);
    if (status != SOOTH_OK) return soothi_allocate_by_weight(machine, status, result);
    if (policy->score_fn == soothi_allocate_qos_score && !soothi_allocate_possible(machine))
        return soothi_allocate_impossible(env, machine, result);
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) result->units[i] = machine->program[i].units;
    soothi_allocate_expect(machine, policy, result);
    soothi_allocate_climb(machine, policy, result);
    result->unfairness = soothi_allocate_unfairness_of(machine, result->slowdown);
    return SOOTH_OK;
}

/* ---- the best allocation ---- */

SOOTH_API sooth_status sooth_allocate_best(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_goal goal, sooth_allocate_result *result) {
    const sooth_allocate_policy qos = sooth_allocate_qos();
    const int targets = goal == SOOTH_ALLOCATE_MAX_PROGRESS;
    sooth_status status = soothi_allocate_check(env, machine);
    if (status != SOOTH_OK) return soothi_allocate_by_weight(machine, status, result);
    if (targets && !soothi_allocate_possible(machine))
        return soothi_allocate_impossible(env, machine, result);
    soothi_allocate_fill(machine, targets ? soothi_allocate_needs : soothi_allocate_least, (unsigned)goal,
                         result);
    soothi_allocate_expect(machine, targets ? &qos : NULL, result);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
