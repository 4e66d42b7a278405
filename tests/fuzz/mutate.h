/* mutate.h - the main of a fuzz target on a machine without libFuzzer: replays files, then mutates them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     TARGET TIMES FILE...      each file as it is, then TIMES mutations of each
 *
 * A target that knows its format defines FUZZ_MUTATE, a function like mutate_text, before it includes this.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef FUZZ_MUTATE
/* Flips, inserts, deletes and cuts; returns the new size, at most `most`. */
static size_t mutate_text(uint8_t *bytes, size_t n, size_t most, sooth_rng *rng) {
    uint32_t edits = 1 + sooth_rng_below(rng, 6);
    while (edits--) {
        size_t at = n ? sooth_rng_below(rng, (uint32_t)n) : 0, length;
        switch (sooth_rng_below(rng, 5)) {
        case 0:
            if (n) bytes[at] ^= (uint8_t)(1u << sooth_rng_below(rng, 8));
            break;
        case 1:
            if (n) bytes[at] = (uint8_t)sooth_rng_next(rng);
            break;
        case 2:
            if (n + 1 > most) break;
            memmove(bytes + at + 1, bytes + at, n - at);
            bytes[at] = (uint8_t) "\",;\n\r\t -.e0\x7F\xFF"[sooth_rng_below(rng, 14)];
            ++n;
            break;
        case 3:
            length = n - at < 8 ? n - at : 1 + sooth_rng_below(rng, 8);
            memmove(bytes + at, bytes + at + length, n - at - length);
            n -= length;
            break;
        default:
            if (sooth_rng_below(rng, 4) == 0) n = at;
            break;
        }
    }
    return n;
}
#define FUZZ_MUTATE mutate_text
#endif

/* In memory of exactly this size, so that reading past the end is seen. */
static void try_exactly(const uint8_t *bytes, size_t size) {
    uint8_t *exact = (uint8_t *)malloc(size ? size : 1);
    if (!exact) abort();
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int count, char **word) {
    enum { MOST_BYTES = 1 << 18 };
    static uint8_t seed[MOST_BYTES], bytes[MOST_BYTES];
    const long times = count > 1 ? atol(word[1]) : 0;
    unsigned long tried = 0;
    sooth_rng rng;
    for (int k = 2; k < count; ++k) {
        FILE *file = fopen(word[k], "rb");
        size_t size;
        if (!file) return printf("%s cannot be read\n", word[k]), 1;
        size = fread(seed, 1, sizeof seed, file);
        fclose(file);
        sooth_rng_init(&rng, 1, (uint64_t)k);
        try_exactly(seed, size);
        for (long round = 0; round < times; ++round) {
            memcpy(bytes, seed, size);
            try_exactly(bytes, FUZZ_MUTATE(bytes, size,
                                           2 * size + 64 < MOST_BYTES ? 2 * size + 64 : MOST_BYTES, &rng));
        }
        tried += 1 + (unsigned long)times;
    }
    printf("%lu inputs survived\n", tried);
    return 0;
}

#endif /* FUZZ_MUTATE_H */
