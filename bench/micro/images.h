/* images.h - the pictures that the microbenchmarks Low, Medium and High read.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Moolchandani, Kumar and Sarangi (Performance and power prediction for concurrent execution on GPUs, 2022,
 * section 5.1.4) describe a workload by what happens when it runs beside three microbenchmarks that miss the
 * last-level cache rarely, at times and all the time. Theirs read images; so do these, of 640 x 480 pixels of
 * 8 bits in four channels. A pool holds so many that reading them in turn always finds a new image: one that
 * the cache has forgotten since it was read last.
 *
 *     micro_images pool = {memory, count, 0};    memory: count images, filled by micro_images_fill
 *     micro_high high;
 *     micro_high_init(&high, &pool, sums, results);
 *     for (;;) micro_high_step(&high);           one image each
 */
#ifndef MICRO_IMAGES_H
#define MICRO_IMAGES_H

#include <stddef.h>
#include <stdint.h>

enum { MICRO_WIDTH = 640, MICRO_HEIGHT = 480, MICRO_PIXELS = MICRO_WIDTH * MICRO_HEIGHT };

typedef struct micro_images {
    uint32_t *pixel; /* count images, one after the other */
    size_t count;
    size_t next; /* the one to be read next */
} micro_images;

/* How many images make the pool twice as large as a cache of so many bytes; at least 8, at most 200 (240
   MB). */
static inline size_t micro_images_count(size_t cache_bytes) {
    size_t count = 2 * cache_bytes / (MICRO_PIXELS * sizeof(uint32_t)) + 1;
    return count < 8 ? 8 : count > 200 ? 200 : count;
}

/* Pixels of all colours, the same every time. */
static inline void micro_images_fill(micro_images *pool) {
    for (size_t i = 0; i < pool->count * MICRO_PIXELS; ++i) pool->pixel[i] = (uint32_t)i * 0x9E3779B1u;
}

/* The next image of the pool, in turn. */
static inline const uint32_t *micro_images_new(micro_images *pool) {
    const uint32_t *image = pool->pixel + pool->next * MICRO_PIXELS;
    pool->next = pool->next + 1 < pool->count ? pool->next + 1 : 0;
    return image;
}

#endif /* MICRO_IMAGES_H */
