/* gpu_time/watts.h - predicts the watts that a GPU draws while an operator of a language model is repeated.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu_time.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const sooth_operator op = {
 *             .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 8192, .n = 8192, .k = 8192};
 *         sooth_gpu gpu;
 *         sooth_gpu_timer timer;
 *         sooth_gpu_power power;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_gpu_named(&env, "h100", &gpu) != SOOTH_OK ||
 *             sooth_gpu_timer_init(&env, &timer, &gpu, NULL) != SOOTH_OK ||
 *             sooth_gpu_watts(&env, &timer, &op, 1.8, &power) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%.0f of %.0f watts\n", power.watts, gpu.tdp_watts); //> 689 of 700 watts
 *         return 0;
 *     }
 *
 * Notes
 *
 * - The time is an input: measured, or that of sooth_gpu_time. The watts of a longer time are never higher.
 * - No kernel takes less than 0.95 of tc, nor of tm if L2 does not hold the bytes from one repetition to the
 *   next (of moe half of tm: uneven routing touches fewer experts than expected; 0.3 % of measured rows go
 *   below tm). Such a time is OUTSIDE.
 * - No prediction is above the power limit of the board.
 * - The energy of the operator is its watts x its time.
 * - Take care. The driver's watts are means over about a second, and depend on the operands and on what ran
 *   before. For one shape on one GPU two engines differ by a median of 6 to 58 %, while their times differ by
 *   3 to 25 %. A prediction cannot be better than that.
 *
 * Method and references
 *
 * Let t be the time, tc that of the operations at the peak of their data type, and tm that of the bytes at
 * the memory bandwidth (gpu/roofline.h). The share of the power limit is, with numbers for each class,
 *
 *     share = 0.985 (1 - exp(-(still + compute min(tc / t, 1) + memory min(tm / t, 1)^2)))
 *
 * Large operators draw the whole limit: then it is the clock that gives way, and it is in the time. Of the
 * law and one share for the class, the better one on a board left out is taken. Prefill has one share. The
 * squared utilisation of memory has lower errors of MoE than a plain one.
 *
 * Data: 20,000 operators of 0.06 ms and longer on H200 and B200, run by vLLM 0.22.0 (NVIDIA's AIConfigurator,
 * Apache-2.0, named in gpu_time/watts_table.h). Parameters minimise the mean of min(|share / measured - 1|,
 * 0.5). The errors of either board predicted from the other one alone, with the measured time as input, are
 * printed by examples/gpu/language_watts.c and listed in examples/README.md.
 *
 * Cost: no allocation; one exponential, and the work of the operator. Any number of threads may call it.
 */
#if !defined(SOOTH_PREDICT_ONLY) && \
    (!defined(SOOTH_GPU_TIME_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_IMPLEMENTED)))
#include "../gpu_time.h"
#endif
#include "watts_table.h"

#if !defined(SOOTH_GPU_TIME_WATTS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_WATTS_H
SOOTHI_C_BEGIN

/* Classes with a law of their own. Latent attention has the law of the attention that it replaces. */
typedef enum sooth_gpu_watts_class {
    SOOTH_GPU_WATTS_GEMM,
    SOOTH_GPU_WATTS_PREFILL,
    SOOTH_GPU_WATTS_DECODE,
    SOOTH_GPU_WATTS_EXPERTS,
    SOOTH_GPU_WATTS_CLASSES
} sooth_gpu_watts_class;

#define SOOTH_GPU_WATTS_MOST 0.985 /* of the limit: the highest share predicted */
#define SOOTH_GPU_WATTS_SPLIT 0.8  /* shares from here on have the second interval */

/* The law of a class, as above. 90 % of the measured watts of a board left out lie within low and high times
   the predicted ones: [0] below SOOTH_GPU_WATTS_SPLIT, [1] from there on. */
typedef struct sooth_gpu_watts_law {
    double still, compute, memory; /* 0 or more */
    double low[2], high[2];
    uint32_t types; /* bit i: sooth_data_type i was learned */
} sooth_gpu_watts_law;

/* Returns the share of the power limit: compute is tc / t, memory is tm / t. */
SOOTH_API double sooth_gpu_watts_share(const sooth_gpu_watts_law *law, double compute, double memory);

typedef struct sooth_gpu_power {
    double watts;     /* expected mean while the operator is repeated */
    double low, high; /* 90 % of measurements are between them; see trust */
    uint32_t trust;   /* SOOTH_MODEL_TRUST_: see sooth_gpu_watts */
} sooth_gpu_power;

/* Predicts the watts of an operator of a language model that takes ms on the timer's device. trust is INSIDE
   for a board, class and type learned from. It is EDGE for another NVIDIA board with stacked memory, and for
   a time below 0.06 ms; the interval is then wider. It is OUTSIDE for other boards, latent attention, types
   that the class did not learn or the board's generation does not have, and a time that no kernel reaches;
   the interval then reaches from 0.15 of the limit to the limit. Returns SOOTH_BAD_ARGUMENT if ms is not
   above 0 or not finite, if the kind or a size is out of range, if the kind is not of language models, or if
   tdp_watts or the rate of the data type of the GPU is not known. */
SOOTH_API sooth_status sooth_gpu_watts(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                       double ms, sooth_gpu_power *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_TIME_WATTS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_WATTS_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_TIME_WATTS_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns the learned law of a class. */
SOOTHI_LOCAL const sooth_gpu_watts_law *soothi_gpu_watts_law(sooth_gpu_watts_class i) {
    static const sooth_gpu_watts_law learned[SOOTH_GPU_WATTS_CLASSES] = SOOTHI_GPU_TIME_WATTS;
    return &learned[i];
}

SOOTH_API double sooth_gpu_watts_share(const sooth_gpu_watts_law *law, double compute, double memory) {
    const double c = compute < 1.0 ? compute : 1.0, m = memory < 1.0 ? memory : 1.0;
    const double busy = law->still + law->compute * c + law->memory * m * m;
    return SOOTH_GPU_WATTS_MOST * (1.0 - (double)sooth_exp((float)-busy));
}

/* Returns the class of an operator of a language model. */
SOOTHI_LOCAL sooth_gpu_watts_class soothi_gpu_watts_class(uint32_t kind) {
    switch ((sooth_operator_kind)kind) {
    case SOOTH_OPERATOR_PREFILL:
    case SOOTH_OPERATOR_MLA_PREFILL: return SOOTH_GPU_WATTS_PREFILL;
    case SOOTH_OPERATOR_DECODE:
    case SOOTH_OPERATOR_MLA_DECODE: return SOOTH_GPU_WATTS_DECODE;
    case SOOTH_OPERATOR_EXPERTS: return SOOTH_GPU_WATTS_EXPERTS;
    default: return SOOTH_GPU_WATTS_GEMM;
    }
}

/* Returns how far a checked operator is from what was learned; least: what no kernel goes below. */
SOOTHI_LOCAL uint32_t soothi_gpu_watts_trust(const sooth_gpu_timer *timer, const sooth_operator *op,
                                             double ms, double least) {
    static const char boards[2][8] = {"h200", "b200"};
    const sooth_gpu_watts_law *law = soothi_gpu_watts_law(soothi_gpu_watts_class(op->kind));
    const int latent = op->kind == SOOTH_OPERATOR_MLA_PREFILL || op->kind == SOOTH_OPERATOR_MLA_DECODE;
    if (timer->language.foreign || !timer->language.stacked || latent || !(law->types >> op->dtype & 1u) ||
        timer->compute < soothi_language_since(op) || ms < least)
        return SOOTH_MODEL_TRUST_OUTSIDE;
    const int known = soothi_same_text(timer->language.name, boards[0]) ||
                      soothi_same_text(timer->language.name, boards[1]);
    return known && ms >= 0.06 ? SOOTH_MODEL_TRUST_INSIDE : SOOTH_MODEL_TRUST_EDGE;
}

SOOTH_API sooth_status sooth_gpu_watts(sooth_env *env, const sooth_gpu_timer *timer, const sooth_operator *op,
                                       double ms, sooth_gpu_power *out) {
    sooth_work work;
    if (sooth_operator_work(env, op, &work) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    const char *kind = sooth_operator_name(op->kind);
    if (sooth_operator_kind_form((sooth_operator_kind)op->kind) != SOOTH_OPERATOR_LANGUAGE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the watts of %s were not learned, only those of gemm, prefill, decode, moe", kind);
    if (!(ms > 0.0 && ms <= DBL_MAX))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ms is %g, but must be above 0 and finite", ms);
    if (!(timer->language.watts > 0.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "tdp_watts of the GPU %s is not known, but watts need it",
                          timer->language.name);
    const sooth_compute units = sooth_operator_units(op);
    double rate = 1e-3 * timer->ceilings.compute[units];
    if (!(rate > 0.0)) rate = timer->tensor_rate; /* without such units, those of 16 bits compute */
    if (!(rate > 0.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the GPU %s has no known rate of tensor cores, but the watts of %s need it",
                          timer->language.name, kind);
    const sooth_gpu_watts_law *law = soothi_gpu_watts_law(soothi_gpu_watts_class(op->kind));
    const double compute = work.operations[units] / rate, memory = work.memory_bytes / timer->bandwidth;
    const double share = sooth_gpu_watts_share(law, compute / ms, memory / ms);
    const double moved = work.memory_bytes <= timer->language.l2 ? 0.0 /* held from one to the next */
                         : op->kind == SOOTH_OPERATOR_EXPERTS    ? 0.5 * memory
                                                                 : 0.95 * memory;
    const unsigned part = share >= SOOTH_GPU_WATTS_SPLIT;
    double low = law->low[part], high = law->high[part];
    out->trust = soothi_gpu_watts_trust(timer, op, ms, 0.95 * compute > moved ? 0.95 * compute : moved);
    if (out->trust == SOOTH_MODEL_TRUST_EDGE) { /* a quarter more, on the logarithm */
        low *= soothi_sqrt(soothi_sqrt(low));
        high *= soothi_sqrt(soothi_sqrt(high));
    }
    out->watts = share * timer->language.watts;
    out->low = low * out->watts;
    out->high = high * out->watts;
    if (out->trust == SOOTH_MODEL_TRUST_OUTSIDE) {
        out->low = 0.15 * timer->language.watts;
        out->high = timer->language.watts;
    }
    if (out->low > out->watts) out->low = out->watts;
    if (out->high > timer->language.watts) out->high = timer->language.watts;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
