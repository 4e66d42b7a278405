/* mwc.h - a multiply-with-carry generator: the random points of `sooth sample random`.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Two parallel 16-bit generators (Marsaglia, sci.stat.math, 1994): x' = a (x mod 2^16) + floor(x / 2^16) for
 * a = 36969 and 18000. Since x' = a x modulo m = a 2^16 - 1, a power gives any later state. They are the
 * random baseline of De Sensi's paper (sooth/halton.h).
 */
#ifndef CLI_MWC_H
#define CLI_MWC_H

#include "sooth/base.h"

#define MWC_HIGH 36969u
#define MWC_LOW 18000u

typedef struct mwc_state {
    uint32_t high;
    uint32_t low;
} mwc_state;

/* Starts from any seed. The states 0 and m are fixed points and must not occur. */
static inline void mwc_init(mwc_state *mwc, uint32_t seed) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 0);
    mwc->high = 1 + sooth_rng_below(&rng, (MWC_HIGH << 16) - 2);
    mwc->low = 1 + sooth_rng_below(&rng, (MWC_LOW << 16) - 2);
}

static inline uint32_t mwc_next(mwc_state *mwc) {
    mwc->high = MWC_HIGH * (mwc->high & 65535u) + (mwc->high >> 16);
    mwc->low = MWC_LOW * (mwc->low & 65535u) + (mwc->low >> 16);
    return (mwc->high << 16) + mwc->low;
}

/* x a^count modulo a 2^16 - 1 */
static inline uint32_t mwc_power(uint32_t x, uint32_t a, uint64_t count) {
    uint64_t m = ((uint64_t)a << 16) - 1, result = x, factor = a;
    for (; count; count >>= 1) {
        if (count & 1u) result = result * factor % m;
        factor = factor * factor % m;
    }
    return (uint32_t)result;
}

/* Like count calls of mwc_next. */
static inline void mwc_skip(mwc_state *mwc, uint64_t count) {
    mwc->high = mwc_power(mwc->high, MWC_HIGH, count);
    mwc->low = mwc_power(mwc->low, MWC_LOW, count);
}

/* Writes multiples of 2^-32. */
static inline void mwc_fill(mwc_state *mwc, size_t count, double *out) {
    for (size_t i = 0; i < count; ++i) out[i] = (double)mwc_next(mwc) * (1.0 / 4294967296.0);
}

#endif
