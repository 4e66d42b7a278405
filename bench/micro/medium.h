/* medium.h - the microbenchmark Medium: misses the last-level cache at times.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads a new image and an element of a one-dimensional array in every iteration, increments the element and
 * keeps it in a temporary (Moolchandani, Kumar and Sarangi 2022, section 5.1.4). The iteration here is one
 * over pixels: every pixel of the image is read, and the temporary depends on all of them, which is the
 * limited phase of computing that makes its misses fewer per second than those of High.
 */
#ifndef MICRO_MEDIUM_H
#define MICRO_MEDIUM_H

#include "images.h"

enum { MICRO_ARRAY = 1024 }; /* elements of the one-dimensional array */

typedef struct micro_medium {
    micro_images *images;
    uint32_t *array; /* MICRO_ARRAY elements */
} micro_medium;

/* Reads count words of an image; shared with Low. */
static inline uint32_t micro_read(const uint32_t *image, size_t count, const uint32_t *array) {
    uint32_t temporary = 0;
    for (size_t i = 0; i < count; ++i) temporary = (array[i % MICRO_ARRAY] + 1) ^ (3 * temporary + image[i]);
    return temporary;
}

/* One image; returns the temporary. */
static inline uint32_t micro_medium_step(micro_medium *m) {
    return micro_read(micro_images_new(m->images), MICRO_PIXELS, m->array);
}

#endif /* MICRO_MEDIUM_H */
