/* low.h - the microbenchmark Low: hardly ever misses the last-level cache.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * What Medium does, but with the same image in every iteration (Moolchandani, Kumar and Sarangi 2022, section
 * 5.1.4): a grey one, of one byte per pixel, which is read four pixels at a time.
 */
#ifndef MICRO_LOW_H
#define MICRO_LOW_H

#include "medium.h"

typedef struct micro_low {
    const uint32_t *image;
    uint32_t *array; /* MICRO_ARRAY elements */
} micro_low;

/* The whole image four times, as many words as Medium reads; returns the temporary. */
static inline uint32_t micro_low_step(micro_low *m) {
    uint32_t temporary = 0;
    for (int k = 0; k < 4; ++k) temporary ^= micro_read(m->image, MICRO_PIXELS / 4, m->array);
    return temporary;
}

#endif /* MICRO_LOW_H */
