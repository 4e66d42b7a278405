/* allocate.h - how many units of a machine each program that shares it should get: fairly, or as promised.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The units are the streaming multiprocessors (SMs) of a graphics processor, cores, any equal pieces.
 * Programs run side by side; once in a period their slowdowns are predicted (slowdown.h) or observed, and
 * the units are dealt out anew by Algorithm 1 of Themis (Zhao et al., IPDPS 2019): move one unit from one
 * program to another as long as a policy's score rises. What a program's slowdown will be on m units
 * follows from its progress curve (curve.h: the Proactive Slowdown Predictor, PSP; eq. 9 and 10 there): SD_m
 * = SD_inter / PG(m).
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
 *             return puts(env.sentence);
 *         printf("%u and %u SMs\n", result.units[0], result.units[1]);     //> 35 and 25 SMs
 *         printf("unfairness %.2f\n", (double)result.unfairness);          //> unfairness 0.38
 *         return 0;
 *     }
 *
 * The paper leaves open, and here it is so:
 *   - i = j in Algorithm 1 changes nothing and is not tried. The first move that raises the score is made
 *     at once, and the next (i, j) goes on from there; "raises" means by more than 1e-6 of its size, so
 *     rounding moves nothing.
 *   - max_distance is looked at for every move, not once per pass: no result is farther than that from the
 *     present allocation.
 *   - No program goes below `least` units, 1 at least.
 *   - All predictions of one decision use the slowdowns and the curves of the present allocation.
 *   - A point that is observed again becomes the mean of the observations, and a curve never falls
 *     (SOOTH_SCALING_MONOTONE).
 *   - The Fair policy is content below an unfairness of 0.05, not 0.1: of 0.02, 0.05 and 0.1 that leaves
 *     the kernels that test_allocate.c learns from most fair. Where moving units is costly, set it higher.
 *   - The score of QoS is not printed. Here: what is missing to the targets, negative; when nothing is, 10
 *     + the sum of the other programs' progress. It is never content early: what the protected program does
 *     not need flows back.
 *
 * A prediction that is 9 % off misses a tight target every other time. But the time alone of a program
 * with a promise is known, so its true slowdown is: give it to sooth_allocate_observe, and the target is
 * kept where it can be (see there).
 *
 * Costs: sizeof(sooth_allocate) in the caller's memory, about 9 KB; no allocation. A decision for m
 * programs takes at most (m - 1) max_distance m^2 / 2 moves of two curve lookups and a score; a
 * microsecond for 4 (bench task=decide).
 */
#if !defined(SOOTH_SLOWDOWN_ALLOCATE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED))
#include "../scaling.h"
#endif

#if !defined(SOOTH_SLOWDOWN_ALLOCATE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_ALLOCATE_H
SOOTHI_C_BEGIN

#define SOOTH_ALLOCATE_MOST 16u /* programs at a time */

typedef struct sooth_allocate_program {
    float weight;    /* of its claim, > 0: fair is where slowdown x weight is equal (eq. 11), so more weight
                        means less slowdown */
    float target;    /* progress that it was promised, 0 to 1; 0: none, a batch program */
    float inter;     /* slowdown by interference under the present allocation */
    uint32_t units;  /* its units at present */
    uint32_t least;  /* units that it keeps in any case, >= 1 */
    uint32_t missed; /* units on which its target was seen to be missed: it is not put there again. 0 when the
                        neighbours change */
    sooth_scaling_curve curve; /* progress on m units, alone */
} sooth_allocate_program;

/* The machine and who shares it. Fill with sooth_allocate_init; weight, target, units and least may be set
   directly, units with the sum of the machine's. */
typedef struct sooth_allocate {
    uint32_t units;
    uint32_t programs;
    sooth_allocate_program program[SOOTH_ALLOCATE_MOST];
} sooth_allocate;

/* An allocation and what is expected of it. */
typedef struct sooth_allocate_result {
    uint32_t units[SOOTH_ALLOCATE_MOST];
    float slowdown[SOOTH_ALLOCATE_MOST];
    float unfairness; /* eq. 11 */
    float score;      /* of the policy */
    uint32_t moves;   /* of one unit, made */
    uint32_t safest;  /* 1: the wish cannot be met or was not understood; this is the safest allocation */
} sooth_allocate_result;

/* What a policy wants. Both see an allocation with the slowdowns expected of it; units and slowdown have
   machine->programs entries. */
typedef struct sooth_allocate_policy {
    float (*score)(const struct sooth_allocate_policy *policy, const sooth_allocate *machine,
                   const uint32_t *units, const float *slowdown); /* the more the better */
    int (*enough)(const struct sooth_allocate_policy *policy, const sooth_allocate *machine,
                  const uint32_t *units, const float *slowdown); /* nonzero: good enough, stop; NULL: never */
    uint32_t max_distance; /* units that a program may win or lose in one decision; 0: 5 (the paper's) */
    float threshold;  /* FAIR: unfairness below this is good enough; 0: 0.05 (the paper's: 0.1); for never
                              good enough set enough = NULL */
    float guard;      /* QOS: aim so much above the targets, 0.05: 5 %; 0: not at all */
    const void *user; /* for policies of your own */
} sooth_allocate_policy;

/* Themis-Fair (Algorithm 2) and Themis-QoS. Zero the rest or set it. */
SOOTH_API sooth_allocate_policy sooth_allocate_fair(void);
SOOTH_API sooth_allocate_policy sooth_allocate_qos(void);

/* An empty machine of `units`, for 1 to SOOTH_ALLOCATE_MOST programs and no more than there are units: evenly
   shared, equal weights, no targets, progress in proportion to the units until something is observed. */
SOOTH_API sooth_status sooth_allocate_init(sooth_env *env, sooth_allocate *machine, uint32_t units,
                                           uint32_t programs);

/* Shares the units out by weight (the static policy that Themis is measured against): n_i = N w_i / sum w,
   rounded by largest remainder, at least `least` each. */
SOOTH_API sooth_status sooth_allocate_even(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_result *result);

/* What program `which` has shown on its present units: its slowdowns by scale and by interference, both >= 1
   (less counts as 1). observed: its true slowdown where it is known, else 0. Then SD_scal = observed / inter,
   so that prediction and truth agree where it stands, and units on which the target was missed are
   remembered; where the truth is less than the predicted interference, that is believed to be the truth. ASM,
   which knows no scale, is this with scal = 1; Bubble-Flux, which phases programs in and out to
   measure their slowdowns, is this with what it measures as `observed`. */
SOOTH_API sooth_status sooth_allocate_observe(sooth_env *env, sooth_allocate *machine, uint32_t which,
                                              float scal, float inter, float observed);

/* The slowdown of program `which` on m units (0: infinite), eq. 9. */
SOOTH_API float sooth_allocate_slowdown(const sooth_allocate *machine, uint32_t which, uint32_t m);

/* Eq. 11: (max - min) / max of slowdown x weight; weight NULL: all equal. 0 is fair. */
SOOTH_API float sooth_allocate_unfairness(const float *slowdown, const float *weight, uint32_t programs);

/* Algorithm 1 from the present allocation; machine is not changed. policy NULL: sooth_allocate_fair(). A
   program alone keeps all units. Targets that cannot be met even with every unit that the others can spare:
   SOOTH_BAD_ARGUMENT, and result is the allocation nearest to them, with safest = 1. Other bad input:
   SOOTH_BAD_ARGUMENT, and result is the even one, with safest = 1. */
SOOTH_API sooth_status sooth_allocate_decide(sooth_env *env, const sooth_allocate *machine,
                                             const sooth_allocate_policy *policy,
                                             sooth_allocate_result *result);

/* Takes a result over as the present allocation. */
SOOTH_API void sooth_allocate_take(sooth_allocate *machine, const sooth_allocate_result *result);

typedef enum sooth_allocate_goal {
    SOOTH_ALLOCATE_LEAST_WORST = 0, /* the greatest slowdown x weight as small as can be */
    SOOTH_ALLOCATE_MOST_PROGRESS /* targets first, with the fewest units; then the sum of progress as great as
                                    can be */
} sooth_allocate_goal;

/* The best allocation by the curves as they stand, from nothing, at any distance: unit after unit to the
   program that needs it most (LEAST_WORST; exact, since a curve never falls) or gains most (MOST_PROGRESS;
   exact for concave curves, Fox 1966). What Algorithm 1 is measured against. O(units x programs). */
SOOTH_API sooth_status sooth_allocate_best(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_goal goal, sooth_allocate_result *result);

/* One after another instead of side by side: each has the whole machine for a share of the time in proportion
   to its weight, and a slowdown of sum w / w_i; no interference. Units are the whole machine for each. */
SOOTH_API void sooth_allocate_alone(const sooth_allocate *machine, sooth_allocate_result *result);

SOOTHI_C_END
#endif /* SOOTH_SLOWDOWN_ALLOCATE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_ALLOCATE_FOREVER 1e30f /* the slowdown of a program that does not move */

/* ---- what is expected ---- */

/* The fewest units that program i may have. */
SOOTHI_LOCAL uint32_t soothi_allocate_least(const sooth_allocate *machine, uint32_t i) {
    return machine->program[i].least > 1 ? machine->program[i].least : 1u;
}

SOOTH_API float sooth_allocate_slowdown(const sooth_allocate *machine, uint32_t which, uint32_t m) {
    const sooth_allocate_program *p = &machine->program[which];
    float progress = sooth_scaling_curve_predict(&p->curve, (float)m);
    return progress > p->inter / SOOTHI_ALLOCATE_FOREVER ? p->inter / progress : SOOTHI_ALLOCATE_FOREVER;
}

SOOTH_API float sooth_allocate_unfairness(const float *slowdown, const float *weight, uint32_t programs) {
    float least = 0.0f, most = 0.0f;
    for (uint32_t i = 0; i < programs; ++i) {
        float s = slowdown[i] * (weight ? weight[i] : 1.0f);
        if (i == 0 || s < least) least = s;
        if (i == 0 || s > most) most = s;
    }
    return most > 0.0f ? (most - least) / most : 0.0f;
}

SOOTHI_LOCAL float soothi_allocate_unfair(const sooth_allocate *machine, const float *slowdown) {
    float weight[SOOTH_ALLOCATE_MOST];
    for (uint32_t i = 0; i < machine->programs; ++i) weight[i] = machine->program[i].weight;
    return sooth_allocate_unfairness(slowdown, weight, machine->programs);
}

/* Fills in what follows from the units. */
SOOTHI_LOCAL void soothi_allocate_expect(const sooth_allocate *machine, const sooth_allocate_policy *policy,
                                         sooth_allocate_result *result) {
    for (uint32_t i = 0; i < machine->programs; ++i)
        result->slowdown[i] = sooth_allocate_slowdown(machine, i, result->units[i]);
    result->unfairness = soothi_allocate_unfair(machine, result->slowdown);
    result->score =
        policy ? policy->score(policy, machine, result->units, result->slowdown) : -result->unfairness;
}

/* ---- policies ---- */

SOOTHI_LOCAL float soothi_allocate_fair_score(const sooth_allocate_policy *policy,
                                              const sooth_allocate *machine, const uint32_t *units,
                                              const float *slowdown) {
    (void)policy;
    (void)units;
    return -soothi_allocate_unfair(machine, slowdown);
}

SOOTHI_LOCAL int soothi_allocate_fair_enough(const sooth_allocate_policy *policy,
                                             const sooth_allocate *machine, const uint32_t *units,
                                             const float *slowdown) {
    (void)units;
    return soothi_allocate_unfair(machine, slowdown) < (policy->threshold > 0.0f ? policy->threshold : 0.05f);
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
    policy.score = soothi_allocate_fair_score;
    policy.enough = soothi_allocate_fair_enough;
    return policy;
}

SOOTH_API sooth_allocate_policy sooth_allocate_qos(void) {
    sooth_allocate_policy policy;
    memset(&policy, 0, sizeof policy);
    policy.score = soothi_allocate_qos_score;
    return policy;
}

/* ---- unit after unit ---- */

/* What else units may be handed out by than by a sooth_allocate_goal. */
enum { SOOTHI_ALLOCATE_CLAIM = 100, SOOTHI_ALLOCATE_LAG };

/* How much program i, with `units`, should have the next one: the distance to its claim; the part of its
   target that it misses; its weighted slowdown; what it gains by the unit, those with a target last. */
SOOTHI_LOCAL float soothi_allocate_wish(const sooth_allocate *machine, unsigned by, const float *claim,
                                        uint32_t i, uint32_t units) {
    const sooth_allocate_program *p = &machine->program[i];
    if (by == SOOTHI_ALLOCATE_CLAIM) return claim[i] - (float)units;
    const float now = sooth_allocate_slowdown(machine, i, units);
    if (by == SOOTHI_ALLOCATE_LAG) return p->target * now;
    if (by == SOOTH_ALLOCATE_LEAST_WORST) return now * p->weight;
    const float gain = 1.0f / sooth_allocate_slowdown(machine, i, units + 1) - 1.0f / now;
    return p->target > 0.0f ? gain - 0.5f : gain;
}

/* Hands out what is left, each unit to the program that should most have it, the first of several. */
SOOTHI_LOCAL void soothi_allocate_hand_out(const sooth_allocate *machine, unsigned by, const float *claim,
                                           uint32_t left, sooth_allocate_result *result) {
    for (; left > 0; --left) {
        uint32_t best = 0;
        float most = 0.0f;
        for (uint32_t i = 0; i < machine->programs; ++i) {
            const float wish = soothi_allocate_wish(machine, by, claim, i, result->units[i]);
            if (i > 0 && !(wish > most)) continue;
            most = wish;
            best = i;
        }
        ++result->units[best];
    }
}

/* Deals the units out by weight into result->units; sound whatever the weights are. Everyone gets `least`,
   and then unit after unit goes to the program that has the fewest beside its claim N w_i: for claims above
   the least this is rounding by largest remainder. */
SOOTHI_LOCAL void soothi_allocate_deal(const sooth_allocate *machine, sooth_allocate_result *result) {
    float sum = 0.0f, claim[SOOTH_ALLOCATE_MOST];
    uint32_t left = machine->units;
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) {
        float w = machine->program[i].weight;
        claim[i] = w > 0.0f && w < 1e30f ? w : 1.0f;
        sum += claim[i];
    }
    for (uint32_t i = 0; i < machine->programs; ++i) {
        uint32_t least = soothi_allocate_least(machine, i);
        uint32_t others = machine->programs - 1 - i; /* each keeps one at least */
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

SOOTH_API sooth_status sooth_allocate_init(sooth_env *env, sooth_allocate *machine, uint32_t units,
                                           uint32_t programs) {
    sooth_allocate_result even;
    memset(machine, 0, sizeof *machine);
    if (programs < 1 || programs > SOOTH_ALLOCATE_MOST)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "programs is %u, but must be between 1 and %u", programs,
                           SOOTH_ALLOCATE_MOST);
    if (units < programs || units > 65536)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "units is %u, but must be between the %u programs and 65536", units, programs);
    machine->units = units;
    machine->programs = programs;
    for (uint32_t i = 0; i < programs; ++i) {
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

SOOTH_API sooth_status sooth_allocate_observe(sooth_env *env, sooth_allocate *machine, uint32_t which,
                                              float scal, float inter, float observed) {
    if (which >= machine->programs)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "program %u is not known: there are %u", which,
                           machine->programs);
    if (!soothi_allocate_slowdown_ok(scal) || !soothi_allocate_slowdown_ok(inter))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the slowdowns of program %u are %g and %g, but must be above 0 and finite", which,
                           (double)scal, (double)inter);
    if (!(observed >= 0.0f && observed < 1e9f))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the observed slowdown of program %u is %g, but must be 0 (none) or above", which,
                           (double)observed);
    sooth_allocate_program *p = &machine->program[which];
    if (scal < 1.0f) scal = 1.0f;
    if (inter < 1.0f) inter = 1.0f;
    if (observed > 0.0f) {
        if (observed < 1.0f) observed = 1.0f;
        if (inter > observed) inter = observed;
        scal = observed / inter;
        if (p->target * observed > 1.0f && p->units > p->missed) p->missed = p->units;
    }
    if (p->units < machine->units) {
        sooth_status status = sooth_scaling_curve_add(env, &p->curve, (float)p->units, 1.0f / scal);
        if (status != SOOTH_OK) return status;
        /* The curve keeps the mean of what was seen there; what is known now must still come out now. */
        inter *= scal * sooth_scaling_curve_predict(&p->curve, (float)p->units);
    }
    p->inter = inter;
    return SOOTH_OK;
}

SOOTHI_LOCAL int soothi_allocate_sized(const sooth_allocate *machine) {
    return machine->programs >= 1 && machine->programs <= SOOTH_ALLOCATE_MOST &&
           machine->units >= machine->programs;
}

/* The first thing that makes the machine unfit for a decision. */
SOOTHI_LOCAL sooth_status soothi_allocate_check(sooth_env *env, const sooth_allocate *machine) {
    uint32_t units = 0, least = 0;
    if (!soothi_allocate_sized(machine))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the machine has %u units and %u programs; use sooth_allocate_init",
                           machine->units, machine->programs);
    for (uint32_t i = 0; i < machine->programs; ++i) {
        const sooth_allocate_program *p = &machine->program[i];
        if (!(p->weight > 0.0f && p->weight < 1e30f))
            return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                               "the weight of program %u is %g, but must be above 0 and finite", i,
                               (double)p->weight);
        if (!(p->target >= 0.0f && p->target <= 1.0f))
            return soothi_fail(
                env, SOOTH_BAD_ARGUMENT,
                "the target of program %u is %g, but must be between 0 and 1 of its progress alone", i,
                (double)p->target);
        if (p->units < 1 || p->units > machine->units || p->least > machine->units)
            return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                               "program %u has %u units and keeps %u, but there are %u", i, p->units,
                               p->least, machine->units);
        units += p->units;
        least += soothi_allocate_least(machine, i);
    }
    if (units != machine->units)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the programs have %u units together, but the machine has %u", units,
                           machine->units);
    if (least > machine->units)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the programs keep at least %u units together, but the machine has %u", least,
                           machine->units);
    return SOOTH_OK;
}

/* Shares by weight, flagged after a failure. */
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

SOOTH_API void sooth_allocate_alone(const sooth_allocate *machine, sooth_allocate_result *result) {
    float sum = 0.0f;
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) sum += machine->program[i].weight;
    for (uint32_t i = 0; i < machine->programs; ++i) {
        result->units[i] = machine->units;
        result->slowdown[i] = sum / machine->program[i].weight;
    }
    result->unfairness = soothi_allocate_unfair(machine, result->slowdown);
    result->score = -result->unfairness;
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
    score = policy->score(policy, machine, now->units, now->slowdown);
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

/* Lines 5 to 19. A policy of one's own may have no top, so the number of passes is bounded. */
SOOTHI_LOCAL void soothi_allocate_climb(const sooth_allocate *machine, const sooth_allocate_policy *policy,
                                        sooth_allocate_result *now) {
    const uint32_t far_away = policy->max_distance ? policy->max_distance : 5u;
    uint32_t i, moved = 1;
    for (uint32_t pass = 0; moved && pass < machine->units; ++pass) {
        if (policy->enough && policy->enough(policy, machine, now->units, now->slowdown)) return;
        for (moved = 0, i = 0; i < machine->programs; ++i)
            for (uint32_t j = 0; j < machine->programs; ++j)
                if (i != j) moved += (uint32_t)soothi_allocate_move(machine, policy, i, j, far_away, now);
    }
}

/* The fewest units with which program i reaches its target; units + 1: none do. */
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

/* Everyone gets what first() says, and what is left is handed out. */
SOOTHI_LOCAL void soothi_allocate_fill(const sooth_allocate *machine,
                                       uint32_t (*first)(const sooth_allocate *machine, uint32_t i),
                                       unsigned by, sooth_allocate_result *result) {
    uint32_t left = machine->units;
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) left -= result->units[i] = first(machine, i);
    soothi_allocate_hand_out(machine, by, NULL, left, result);
}

/* Where the targets cannot be met: programs without one keep their least, and the rest goes, unit after unit,
   to the program that misses the greatest part of its target. */
SOOTHI_LOCAL sooth_status soothi_allocate_impossible(sooth_env *env, const sooth_allocate *machine,
                                                     sooth_allocate_result *result) {
    soothi_allocate_fill(machine, soothi_allocate_least, SOOTHI_ALLOCATE_LAG, result);
    soothi_allocate_expect(machine, NULL, result);
    result->safest = 1;
    return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                       "the targets cannot be met on %u units: with all that the others can spare, what is "
                       "promised is still more than what is expected",
                       machine->units);
}

SOOTH_API sooth_status sooth_allocate_decide(sooth_env *env, const sooth_allocate *machine,
                                             const sooth_allocate_policy *policy,
                                             sooth_allocate_result *result) {
    sooth_allocate_policy usual = sooth_allocate_fair();
    sooth_status status = soothi_allocate_check(env, machine);
    if (!policy) policy = &usual;
    if (status == SOOTH_OK && (!policy->score || !(policy->guard >= 0.0f && policy->guard < 1e6f)))
        status = soothi_fail(env, SOOTH_BAD_ARGUMENT,
                             "the policy has no score, or its guard of %g is not 0 or above",
                             (double)policy->guard);
    if (status != SOOTH_OK) return soothi_allocate_by_weight(machine, status, result);
    if (policy->score == soothi_allocate_qos_score && !soothi_allocate_possible(machine))
        return soothi_allocate_impossible(env, machine, result);
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < machine->programs; ++i) result->units[i] = machine->program[i].units;
    soothi_allocate_expect(machine, policy, result);
    soothi_allocate_climb(machine, policy, result);
    result->unfairness = soothi_allocate_unfair(machine, result->slowdown);
    return SOOTH_OK;
}

/* ---- the best there is ---- */

SOOTH_API sooth_status sooth_allocate_best(sooth_env *env, const sooth_allocate *machine,
                                           sooth_allocate_goal goal, sooth_allocate_result *result) {
    const sooth_allocate_policy qos = sooth_allocate_qos();
    const int targets = goal == SOOTH_ALLOCATE_MOST_PROGRESS;
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
