/* mutate_model.h - mutations of model files that know what a block is: most pass the checksums.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Words become what tends to break things, regions grow, shrink and move with their sizes kept right, and at
 * last the checksums are mended, of an envelope's parts and of the whole.
 */
#ifndef FUZZ_MUTATE_MODEL_H
#define FUZZ_MUTATE_MODEL_H

#include "sooth/model.h"

void fuzz_seal(sooth_block *block);

static uint32_t word_at(const uint8_t *bytes, size_t at) {
    uint32_t word;
    memcpy(&word, bytes + at, sizeof word);
    return word;
}

static void set_word(uint8_t *bytes, size_t at, uint32_t word) { memcpy(bytes + at, &word, sizeof word); }

/* A block's fields, as places in it. */
enum { AT_KIND = 4, AT_SIZE = 8, AT_DOUBLES = 16, AT_BYTES = 20, AT_PARTS = 32, MOST_PLACES = 32 };

static int is_envelope(const uint8_t *bytes, size_t size) {
    return size >= sizeof(sooth_envelope) && (word_at(bytes, AT_KIND) & 0xFFFFu) == SOOTH_KIND_MODEL;
}

/* Is there room for a block at this place? */
static int is_place(size_t size, size_t at) {
    return at % 16 == 0 && at < size && size - at >= sizeof(sooth_block);
}

/* How many parts an envelope names. */
static size_t parts_of(const uint8_t *bytes, size_t size) {
    if (!is_envelope(bytes, size)) return 0;
    const uint32_t version = word_at(bytes, AT_KIND) >> 16;
    return size >= sizeof(sooth_model_ratio_envelope) && version >= 4 ? 9
           : size >= sizeof(sooth_model_envelope) && version >= 2     ? 8
                                                                      : 4;
}

/* Adds the parts of the envelope at `from`. */
static size_t add_parts(const uint8_t *bytes, size_t size, size_t from, size_t place[MOST_PLACES], size_t n) {
    for (size_t k = 0, parts = parts_of(bytes + from, size - from); k < parts; ++k) {
        const size_t at = word_at(bytes, from + AT_PARTS + 4 * k);
        if (at && at < size - from && is_place(size, from + at) && n < MOST_PLACES) place[n++] = from + at;
    }
    return n;
}

/* Adds the members of the best at `from`, and their parts. */
static size_t add_members(const uint8_t *bytes, size_t size, size_t from, size_t place[MOST_PLACES],
                          size_t n) {
    if (size - from < sizeof(sooth_best) || (word_at(bytes, from + AT_KIND) & 0xFFFFu) != SOOTH_KIND_BEST)
        return n;
    size_t at = from + word_at(bytes, from + AT_BYTES);
    for (uint32_t k = word_at(bytes, from + AT_PARTS); k && n < MOST_PLACES && is_place(size, at); --k) {
        place[n++] = at;
        n = add_parts(bytes, size, at, place, n);
        at += word_at(bytes, at + AT_SIZE);
    }
    return n;
}

/* Where blocks may begin: the whole, the parts of an envelope, the members of a best and their parts. A block
   comes before those inside of it. Returns how many. */
static size_t places_of(const uint8_t *bytes, size_t size, size_t place[MOST_PLACES]) {
    size_t n = 0;
    if (!is_place(size, 0)) return 0;
    place[n++] = 0;
    n = add_parts(bytes, size, 0, place, n);
    for (size_t k = 0, known = n; k < known; ++k) n = add_members(bytes, size, place[k], place, n);
    return n;
}

/* Mends the checksums, the parts' first. */
static void mend(uint8_t *bytes, size_t size) {
    size_t place[MOST_PLACES], n = places_of(bytes, size, place);
    while (n-- > 0) {
        const uint32_t own = word_at(bytes, place[n] + AT_SIZE);
        if (own % 16 == 0 && own >= sizeof(sooth_block) && own <= size - place[n])
            fuzz_seal((sooth_block *)(void *)(bytes + place[n]));
    }
}

static uint32_t odd_word(sooth_rng *rng) {
    static const uint32_t odd[] = {
        0,          1,          2,          3,          4,          7,          8,          15,
        16,         17,         31,         32,         33,         63,         64,         65,
        255,        256,        257,        1023,       1024,       1025,       4096,       65535,
        65536,      65537,      0xFFFFFF,   0x1000000,  0xFFFFFFF,  0x10000000, 0x10000001, 0x1FFFFFFF,
        0x20000000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFF0, 0xFFFFFFFE,
        0xFFFFFFFF, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000,
        0x7149F2CA, 0xF149F2CA, 0x00800000, 0x00000001, 0x007FFFFF, 0x80000000, 0x0DA24260, 0x42000000};
    return odd[sooth_rng_below(rng, sizeof odd / sizeof *odd)];
}

static void odd_double(uint8_t *at, sooth_rng *rng) {
    static const double odd[] = {0.0, -1.0, 1.0, 1e-300, 1e300, 1e30, -1e30, 3.5e38, 5e-324, 0.5};
    const uint32_t k = sooth_rng_below(rng, 13);
    const uint32_t high = k == 10 ? 0x7FF00000u : k == 11 ? 0xFFF00000u : 0x7FF80000u;
    memset(at, 0, 8);
    if (k < 10) memcpy(at, &odd[k], 8);
    else set_word(at, 4, high);
}

/* Inserts (or, below 0, cuts) `bytes` bytes at `at` inside the block at `place`; its regions, its envelope
   and the parts behind it keep their order. Returns the new size. */
static size_t resize(uint8_t *b, size_t size, size_t place, size_t at, long bytes, int words) {
    const size_t more = bytes > 0 ? (size_t)bytes : 0, less = bytes < 0 ? (size_t)-bytes : 0;
    const uint32_t change = (uint32_t)bytes;
    size_t k;
    for (k = AT_DOUBLES; k <= AT_BYTES; k += 4) { /* at the seam of two regions, either may grow */
        const size_t region = place + word_at(b, place + k);
        if (region > at || (region == at && words)) set_word(b, place + k, word_at(b, place + k) + change);
    }
    set_word(b, place + AT_SIZE, word_at(b, place + AT_SIZE) + change);
    if (place && is_envelope(b, size)) {
        set_word(b, AT_SIZE, word_at(b, AT_SIZE) + change);
        for (k = 0; k < parts_of(b, size); ++k)
            if (word_at(b, AT_PARTS + 4 * k) > place)
                set_word(b, AT_PARTS + 4 * k, word_at(b, AT_PARTS + 4 * k) + change);
    }
    memmove(b + at + more, b + at + less, size - at - less);
    return size + more - less;
}

static size_t mutate_region(uint8_t *b, size_t size, size_t most, size_t place, sooth_rng *rng) {
    const size_t end =
        size - place > word_at(b, place + AT_SIZE) ? place + word_at(b, place + AT_SIZE) : size;
    const size_t first = place + sizeof(sooth_block), room = end > first ? (end - first) / 16 : 0;
    const size_t at = first + 16 * (size_t)sooth_rng_below(rng, (uint32_t)room + 1);
    const size_t length = 16 * (1 + (size_t)sooth_rng_below(rng, sooth_rng_below(rng, 3) ? 4 : 64));
    const int words = (int)sooth_rng_below(rng, 2), copy = (int)sooth_rng_below(rng, 2);
    if (at > size) return size;
    switch (sooth_rng_below(rng, 4)) {
    case 0: /* another piece over this one */
        if (at + length <= end && end - length >= first)
            memmove(b + at, b + first + sooth_rng_below(rng, (uint32_t)(end - length - first) / 4 + 1) * 4,
                    length);
        return size;
    case 1: return at + length <= end ? resize(b, size, place, at, -(long)length, words) : size;
    default:
        if (size + length > most) return size;
        size = resize(b, size, place, at, (long)length, words);
        if (copy && at >= length) memcpy(b + at, b + at - length, length);
        else memset(b + at, 0, length);
        return size;
    }
}

static void mutate_word(uint8_t *b, size_t size, size_t place, sooth_rng *rng) {
    const uint32_t words = (uint32_t)(size / 4), own = (uint32_t)((size - place) / 4);
    const size_t at = sooth_rng_below(rng, 3) ? place + 4 * sooth_rng_below(rng, own < 24 ? own : 24)
                                              : 4 * (size_t)sooth_rng_below(rng, words);
    uint32_t word = word_at(b, at);
    if ((at == place || at == place + AT_KIND) && sooth_rng_below(rng, 16)) return;
    switch (sooth_rng_below(rng, 7)) {
    case 0:
    case 1: word = odd_word(rng); break;
    case 2: word += sooth_rng_below(rng, 9) - 4; break;
    case 3: word ^= 1u << sooth_rng_below(rng, 32); break;
    case 4: word = sooth_rng_next(rng); break;
    case 5: word = word_at(b, 4 * (size_t)sooth_rng_below(rng, words)); break;
    default: word += 16 * (sooth_rng_below(rng, 65) - 32); break;
    }
    set_word(b, at, word);
}

/* Changes the file in b[0..size), where most >= size bytes are; returns its new size. */
static size_t mutate_model(uint8_t *b, size_t size, size_t most, sooth_rng *rng) {
    uint32_t edits = 1 + sooth_rng_below(rng, sooth_rng_below(rng, 4) ? 3 : 12);
    while (edits-- > 0 && size >= sizeof(sooth_block)) {
        size_t place[MOST_PLACES];
        const size_t n = places_of(b, size, place);
        const size_t at = place[sooth_rng_below(rng, (uint32_t)n)];
        const uint32_t what = sooth_rng_below(rng, 16);
        if (what < 10) mutate_word(b, size, at, rng);
        else if (what < 12) odd_double(b + 8 * (size_t)sooth_rng_below(rng, (uint32_t)(size / 8)), rng);
        else if (what < 13) b[sooth_rng_below(rng, (uint32_t)size)] = (uint8_t)sooth_rng_next(rng);
        else if (what < 15 || sooth_rng_below(rng, 4)) size = mutate_region(b, size, most, at, rng);
        else {
            size = size > 64 ? size - 16 * (size_t)(1 + sooth_rng_below(rng, 2)) : size;
            set_word(b, AT_SIZE, (uint32_t)size);
        }
    }
    if (sooth_rng_below(rng, 64)) mend(b, size);
    return size;
}

/* ---- for libFuzzer ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t most, unsigned seed);

#ifndef SOOTH_FUZZ_MAIN
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 3);
    if (size >= sizeof(sooth_block) && sooth_rng_below(&rng, 4)) return mutate_model(data, size, most, &rng);
    size = LLVMFuzzerMutate(data, size, most); /* it knows what the program compares with */
    mend(data, size);
    return size;
}

/* A piece of the other file over a piece of this one. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t most, unsigned seed) {
    const size_t size = one_size < most ? one_size : most;
    sooth_rng rng;
    memcpy(out, one, size);
    sooth_rng_init(&rng, seed, 4);
    if (size >= sizeof(sooth_block) && other_size >= sizeof(sooth_block)) {
        const size_t least = size < other_size ? size : other_size;
        const size_t length = 4 * (size_t)(1 + sooth_rng_below(&rng, (uint32_t)(least / 4)));
        const size_t to = 4 * (size_t)sooth_rng_below(&rng, (uint32_t)((size - length) / 4) + 1);
        const size_t from =
            to + length <= other_size && sooth_rng_below(&rng, 2)
                ? to
                : 4 * (size_t)sooth_rng_below(&rng, (uint32_t)((other_size - length) / 4) + 1);
        memcpy(out + to, other + from, length);
        mend(out, size);
    }
    return size;
}
#endif

#endif /* FUZZ_MUTATE_MODEL_H */
