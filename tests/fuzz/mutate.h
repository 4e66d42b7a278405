/* mutate.h - a small mutator for machines without libFuzzer: flips, inserts, deletes and cuts a seed's bytes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stdio.h>

static void mutate(const uint8_t *seed, size_t size, long times, uint64_t stream) {
    sooth_rng rng;
    size_t capacity = 2 * size + 64;
    uint8_t *bytes = (uint8_t *)malloc(capacity);
    long k;
    sooth_rng_init(&rng, 1, stream);
    for (k = 0; k < times && bytes; ++k) {
        size_t n = size, edits = 1 + sooth_rng_below(&rng, 6), at, length;
        uint8_t *exact;
        memcpy(bytes, seed, size);
        while (edits--) {
            at = n ? sooth_rng_below(&rng, (uint32_t)n) : 0;
            switch (sooth_rng_below(&rng, 5)) {
            case 0:
                if (n) bytes[at] ^= (uint8_t)(1u << sooth_rng_below(&rng, 8));
                break;
            case 1:
                if (n) bytes[at] = (uint8_t)sooth_rng_next(&rng);
                break;
            case 2:
                if (n + 1 > capacity) break;
                memmove(bytes + at + 1, bytes + at, n - at);
                bytes[at] = (uint8_t) "\",;\n\r\t -.e0\x7F\xFF"[sooth_rng_below(&rng, 14)];
                ++n;
                break;
            case 3:
                length = n - at < 8 ? n - at : 1 + sooth_rng_below(&rng, 8);
                memmove(bytes + at, bytes + at + length, n - at - length);
                n -= length;
                break;
            default:
                if (sooth_rng_below(&rng, 4) == 0) n = at;
                break;
            }
        }
        exact = (uint8_t *)malloc(n ? n : 1); /* of exactly this size, so that reading past the end is seen */
        if (!exact) break;
        memcpy(exact, bytes, n);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
    }
    free(bytes);
    printf("%ld mutations survived\n", k);
}

#endif /* MUTATE_H */
