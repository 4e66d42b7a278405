/* high.h - the microbenchmark High: misses the last-level cache all the time.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads a new image in every iteration, adds its pixels to a two-dimensional array and stores the sums in
 * another (Moolchandani, Kumar and Sarangi 2022, section 5.1.4).
 */
#ifndef MICRO_HIGH_H
#define MICRO_HIGH_H

#include "images.h"

typedef struct micro_high {
    micro_images *images;
    uint32_t (*array)[MICRO_WIDTH]; /* MICRO_HEIGHT rows each */
    uint32_t (*sums)[MICRO_WIDTH];
} micro_high;

/* One iteration; returns a pixel of the sums. */
static inline uint32_t micro_high_step(micro_high *m) {
    const uint32_t *image = micro_images_new(m->images);
    for (size_t y = 0; y < MICRO_HEIGHT; ++y) {
        const uint32_t *pixel = image + y * MICRO_WIDTH, *from = m->array[y];
        uint32_t *to = m->sums[y];
        for (size_t x = 0; x < MICRO_WIDTH; ++x) to[x] = from[x] + pixel[x];
    }
    return m->sums[image[0] % MICRO_HEIGHT][image[1] % MICRO_WIDTH];
}

#endif /* MICRO_HIGH_H */
