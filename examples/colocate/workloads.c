/* workloads.c - see workloads.h. Each is a struct, its memory (lay), its input (fill), a unit of work (run).
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_NOHUGEPAGE */
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE
#endif
#include "workloads.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sooth/base.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

/* ---- what all of them use ---- */

/* Hands out pieces of one allocation. Without a base it only adds up their sizes. */
struct workload_room {
    unsigned char *base;
    size_t used;
};

static void *take(workload_room *room, size_t count, size_t size) {
    size_t at = room->used;
    room->used += (count * size + 63) / 64 * 64;
    return room->base ? room->base + at : NULL;
}

enum { PERIOD = 65534 }; /* of inputs that repeat themselves; not lined up with rows */

/* Every state begins with these. */
typedef struct head {
    uint32_t n;       /* the size */
    uint32_t at;      /* where the next unit begins, for workloads that walk through their input */
    uint32_t refused; /* units for which the system refused a resource */
} head;

/* Moves `at` on by `step` and starts over at the end. Returns its old value. */
static uint32_t walk(head *h, uint32_t step, uint32_t end) {
    uint32_t at = h->at;
    h->at = at + step < end ? at + step : 0;
    return at;
}

static uint32_t mix(uint32_t h, uint32_t value) { return (h ^ value) * 0x9E3779B1u + (h >> 15); }

static uint32_t mix_float(uint32_t h, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(h, bits);
}

/* A fast stream of words for large inputs (Steele, Lea and Flood 2014, SplitMix64), keyed by a draw of
   sooth_rng. */
typedef struct noise {
    uint64_t state;
} noise;

static noise noise_of(uint64_t seed, uint64_t stream) {
    noise s;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, stream);
    s.state = (uint64_t)sooth_rng_next(&rng) << 32;
    s.state |= sooth_rng_next(&rng);
    return s;
}

static uint64_t noise_next(noise *s) {
    uint64_t z = s->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* A word spread over 0 .. bound - 1. The bias is below 2^-10 for our bounds and does no harm. */
static uint32_t below(uint32_t word, uint32_t bound) { return (uint32_t)((uint64_t)word * bound >> 32); }
static uint32_t noise_below(noise *s, uint32_t bound) {
    return below((uint32_t)(noise_next(s) >> 32), bound);
}

/* Count words, an even number. */
static void noise_words(uint32_t *word, size_t count, uint64_t seed, uint64_t stream) {
    noise s = noise_of(seed, stream);
    for (size_t i = 0; i < count; i += 2) {
        uint64_t two = noise_next(&s);
        word[i] = (uint32_t)two;
        word[i + 1] = (uint32_t)(two >> 32);
    }
}

/* Count numbers, an even one, uniform in [-1, 1). */
static void noise_floats(float *value, size_t count, uint64_t seed, uint64_t stream) {
    noise s = noise_of(seed, stream);
    for (size_t i = 0; i < count; i += 2) {
        uint64_t two = noise_next(&s);
        value[i] = (float)((int32_t)(two >> 8 & 0xFFFFFF) - 0x800000) * (1.0f / 8388608.0f);
        value[i + 1] = (float)((int32_t)(two >> 40) - 0x800000) * (1.0f / 8388608.0f);
    }
}

/* Repeats the first `period` values up to count: for inputs so large that drawing every number would take
   longer than using it. */
static void repeat_floats(float *value, size_t period, size_t count) {
    size_t n;
    for (size_t i = period; i < count; i += n) {
        n = count - i < period ? count - i : period;
        memcpy(value + i, value, n * sizeof *value);
    }
}

/* ---- images ---- */

/* Grey, three quarters as high as wide, worked on in bands of 48 rows. */

enum { BAND = 48 };

static uint32_t height_of(uint32_t width) { return width / 4 * 3; }
static size_t pixels_of(uint32_t width) { return (size_t)width * height_of(width); }

/* Rectangles of all greys on a slope, with a little noise: edges, corners and flat parts as in photographs
   of buildings. */
static void draw_image(uint8_t *pixel, uint32_t width, uint64_t seed) {
    uint32_t height = height_of(width);
    noise s = noise_of(seed, 1);
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            pixel[(size_t)y * width + x] = (uint8_t)(40 + 60 * x / width + 60 * y / height);
    for (uint32_t r = 0; r < 60; ++r) {
        uint32_t w = 4 + noise_below(&s, width / 8), h = 4 + noise_below(&s, height / 8);
        uint32_t left = noise_below(&s, width - w), top = noise_below(&s, height - h),
                 grey = noise_below(&s, 248);
        for (uint32_t y = top; y < top + h; ++y) memset(pixel + (size_t)y * width + left, (int)grey, w);
    }
    for (uint32_t y = 0; y < height; ++y) {
        uint8_t *row = pixel + (size_t)y * width;
        for (uint32_t x = 0; x < width; x += 16) { /* width is a multiple of 16 */
            uint64_t bits = noise_next(&s);
            for (uint32_t r = 0; r < 16; ++r) row[x + r] = (uint8_t)(row[x + r] + (bits >> (4 * r) & 7));
        }
    }
}

/* ---- corners ---- */

/* A pixel is a corner under one condition. Of the 16 pixels around it, 9 neighbours in a row are all
   brighter or all darker than it by more than a threshold (Rosten and Drummond, Machine learning for
   high-speed corner detection, ECCV 2006). */

enum { CORNER_MARGIN = 3, CORNER_THRESHOLD = 24 };

typedef struct corners {
    head h;
    uint8_t *pixel;
    ptrdiff_t around[16];
    uint32_t *found; /* positions of this band's corners */
    uint32_t count;
} corners;

static const int corner_ring[16][2] = {{0, -3}, {1, -3},  {2, -2},  {3, -1}, {3, 0},  {3, 1},
                                       {2, 2},  {1, 3},   {0, 3},   {-1, 3}, {-2, 2}, {-3, 1},
                                       {-3, 0}, {-3, -1}, {-2, -2}, {-1, -3}};

static void corners_lay(void *state, workload_room *room) {
    corners *s = (corners *)state;
    s->pixel = (uint8_t *)take(room, pixels_of(s->h.n), 1);
    s->found = (uint32_t *)take(room, (size_t)BAND * s->h.n, sizeof *s->found);
}

static void corners_fill(void *state, uint64_t seed) {
    corners *s = (corners *)state;
    draw_image(s->pixel, s->h.n, seed);
    for (int k = 0; k < 16; ++k)
        s->around[k] = (ptrdiff_t)corner_ring[k][1] * (ptrdiff_t)s->h.n + corner_ring[k][0];
}

/* True when nine neighbouring bits of the ring of 16 are set. */
static int nine_in_a_row(uint32_t ring) {
    uint32_t twice = ring | ring << 16, run = twice;
    run &= run >> 1;
    run &= run >> 2;
    run &= run >> 4;
    return (run & twice >> 8) != 0;
}

static int is_corner(const uint8_t *p, const ptrdiff_t around[16]) {
    int high = *p + CORNER_THRESHOLD, low = *p - CORNER_THRESHOLD;
    uint32_t brighter = 0, darker = 0;
    /* nine in a row contain two neighbours of the four at the compass points */
    int north = p[around[0]], east = p[around[4]], south = p[around[8]], west = p[around[12]];
    if (((north > high) + (south > high) == 0 || (east > high) + (west > high) == 0) &&
        ((north < low) + (south < low) == 0 || (east < low) + (west < low) == 0))
        return 0;
    for (int k = 0; k < 16; ++k) {
        int v = p[around[k]];
        brighter |= (uint32_t)(v > high) << k;
        darker |= (uint32_t)(v < low) << k;
    }
    return nine_in_a_row(brighter) || nine_in_a_row(darker);
}

static uint32_t corners_run(void *state) {
    corners *s = (corners *)state;
    uint32_t height = height_of(s->h.n), top = walk(&s->h, BAND, height), sum = 0;
    s->count = 0;
    for (uint32_t y = top; y < top + BAND; ++y) {
        if (y < CORNER_MARGIN || y >= height - CORNER_MARGIN) continue;
        for (uint32_t x = CORNER_MARGIN; x < s->h.n - CORNER_MARGIN; ++x) {
            uint32_t at = y * s->h.n + x;
            if (!is_corner(s->pixel + at, s->around)) continue;
            s->found[s->count++] = at;
            sum = mix(sum, at);
        }
    }
    return sum;
}

/* ---- gradients ---- */

/* Histograms of oriented gradients in cells of 8 x 8 pixels, with nine orientations, normalised in blocks
   of 2 x 2 cells (Dalal and Triggs, Histograms of oriented gradients for human detection, CVPR 2005). */

enum { CELL = 8, ORIENTATIONS = 9 };

typedef struct gradients {
    head h;
    uint8_t *pixel;
    float *histogram; /* [cell row][cell column][orientation] */
    float *block;     /* one row of normalized blocks */
    float side[ORIENTATIONS - 1]
              [2]; /* directions between the orientations: cosine, sine of 20, 40 ... degrees */
} gradients;

static void gradients_lay(void *state, workload_room *room) {
    gradients *s = (gradients *)state;
    size_t cells = (size_t)(s->h.n / CELL) * (height_of(s->h.n) / CELL);
    s->pixel = (uint8_t *)take(room, pixels_of(s->h.n), 1);
    s->histogram = (float *)take(room, cells * ORIENTATIONS, sizeof *s->histogram);
    s->block = (float *)take(room, (size_t)(s->h.n / CELL) * 4 * ORIENTATIONS, sizeof *s->block);
}

static void gradients_fill(void *state, uint64_t seed) {
    gradients *s = (gradients *)state;
    draw_image(s->pixel, s->h.n, seed);
    for (int k = 1; k < ORIENTATIONS; ++k) {
        double angle = 3.14159265358979323846 * k / ORIENTATIONS;
        s->side[k - 1][0] = (float)cos(angle);
        s->side[k - 1][1] = (float)sin(angle);
    }
}

/* The sector of the half circle (of nine) with this direction, its sign ignored: counts the borders before
   it. */
static uint32_t orientation(const gradients *s, float dx, float dy) {
    uint32_t sector = 0;
    if (dy < 0.0f || (dy <= 0.0f && dx < 0.0f)) {
        dx = -dx;
        dy = -dy;
    }
    for (uint32_t k = 0; k < ORIENTATIONS - 1; ++k) sector += s->side[k][0] * dy - s->side[k][1] * dx >= 0.0f;
    return sector;
}

/* Votes of one pixel row. At the image's edge the pixel itself replaces the missing neighbour. */
static void gradients_row(gradients *s, uint32_t y, float *cells) {
    uint32_t width = s->h.n, height = height_of(width);
    const uint8_t *row = s->pixel + (size_t)y * width;
    const uint8_t *above = y > 0 ? row - width : row, *below = y + 1 < height ? row + width : row;
    for (uint32_t x = 0; x < width; ++x) {
        int dx = row[x + 1 < width ? x + 1 : x] - row[x > 0 ? x - 1 : x], dy = below[x] - above[x];
        if (dx == 0 && dy == 0) continue;
        cells[x / CELL * ORIENTATIONS + orientation(s, (float)dx, (float)dy)] +=
            sqrtf((float)(dx * dx + dy * dy));
    }
}

/* The blocks between two rows of cells, each four histograms divided by their length. Returns their
   checksum. */
static uint32_t gradients_blocks(gradients *s, const float *upper, const float *lower) {
    uint32_t blocks = s->h.n / CELL - 1, sum = 0;
    for (uint32_t b = 0; b < blocks; ++b) {
        float *out = s->block + (size_t)b * 4 * ORIENTATIONS, square = 1e-3f;
        memcpy(out, upper + b * ORIENTATIONS, 2 * ORIENTATIONS * sizeof *out);
        memcpy(out + 2 * ORIENTATIONS, lower + b * ORIENTATIONS, 2 * ORIENTATIONS * sizeof *out);
        for (uint32_t k = 0; k < 4 * ORIENTATIONS; ++k) square += out[k] * out[k];
        float scale = 1.0f / sqrtf(square);
        for (uint32_t k = 0; k < 4 * ORIENTATIONS; ++k) out[k] *= scale;
        sum = mix_float(sum, out[b % (4 * ORIENTATIONS)]);
    }
    return sum;
}

static uint32_t gradients_run(void *state) {
    gradients *s = (gradients *)state;
    uint32_t top = walk(&s->h, BAND, height_of(s->h.n)), sum = 0;
    size_t width = (size_t)(s->h.n / CELL) * ORIENTATIONS; /* of a row of cells */
    float *first = s->histogram + top / CELL * width;
    memset(first, 0, BAND / CELL * width * sizeof *first);
    for (uint32_t y = 0; y < BAND; ++y) gradients_row(s, top + y, first + y / CELL * width);
    for (uint32_t y = 0; y + 1 < BAND / CELL; ++y)
        sum ^= gradients_blocks(s, first + y * width, first + (y + 1) * width);
    return sum;
}

/* ---- blur ---- */

/* The mean of the 7 x 7 pixels around each, by running sums down the columns and along the rows. */

enum { BLUR_RADIUS = 3, BLUR_SIDE = 2 * BLUR_RADIUS + 1 };

typedef struct blur {
    head h;
    uint8_t *pixel;
    uint8_t *out;
    uint32_t
        *column; /* sums of the seven rows around the present one, with the margins repeated on both sides */
} blur;

static void blur_lay(void *state, workload_room *room) {
    blur *s = (blur *)state;
    s->pixel = (uint8_t *)take(room, pixels_of(s->h.n), 1);
    s->out = (uint8_t *)take(room, pixels_of(s->h.n), 1);
    s->column = (uint32_t *)take(room, s->h.n + 2 * BLUR_RADIUS, sizeof *s->column);
}

static void blur_fill(void *state, uint64_t seed) {
    blur *s = (blur *)state;
    draw_image(s->pixel, s->h.n, seed);
}

/* The row y, or the nearest one inside the image. */
static const uint8_t *clamped_row(const uint8_t *pixel, uint32_t width, int64_t y) {
    int64_t last = (int64_t)height_of(width) - 1;
    return pixel + (size_t)(y < 0 ? 0 : y > last ? last : y) * width;
}

static uint32_t blur_run(void *state) {
    blur *s = (blur *)state;
    uint32_t width = s->h.n, top = walk(&s->h, BAND, height_of(width)), sum = 0;
    uint32_t *column = s->column + BLUR_RADIUS;
    memset(column, 0, width * sizeof *column);
    for (int d = -BLUR_RADIUS; d <= BLUR_RADIUS; ++d) {
        const uint8_t *row = clamped_row(s->pixel, width, (int64_t)top + d);
        for (uint32_t x = 0; x < width; ++x) column[x] += row[x];
    }
    for (uint32_t y = top;; ++y) {
        const uint8_t *leaving = clamped_row(s->pixel, width, (int64_t)y - BLUR_RADIUS);
        const uint8_t *entering = clamped_row(s->pixel, width, (int64_t)y + BLUR_RADIUS + 1);
        uint8_t *out = s->out + (size_t)y * width;
        uint32_t window = 0;
        for (int d = 1; d <= BLUR_RADIUS; ++d) {
            column[-d] = column[0];
            column[width - 1 + (uint32_t)d] = column[width - 1];
        }
        for (int d = -BLUR_RADIUS; d < BLUR_RADIUS; ++d) window += column[d];
        for (uint32_t x = 0; x < width; ++x) {
            window += column[x + BLUR_RADIUS];
            out[x] = (uint8_t)((window + BLUR_SIDE * BLUR_SIDE / 2) / (BLUR_SIDE * BLUR_SIDE));
            window -= column[(ptrdiff_t)x - BLUR_RADIUS];
        }
        sum = mix(sum, out[y % width]);
        sum = mix(sum, window);
        if (y + 1 == top + BAND) return sum;
        for (uint32_t x = 0; x < width; ++x) column[x] += (uint32_t)entering[x] - leaving[x];
    }
}

/* ---- faces ---- */

/* An integral image and a cascade of rectangle features in sliding windows of 24 x 24 pixels (Viola and
   Jones, Rapid object detection using a boosted cascade of simple features, CVPR 2001). The features are
   drawn at random, not learned. */

enum { WINDOW = 24, WINDOW_STEP = 4, STAGES = 5, STAGE_FEATURES = 6, FEATURES = STAGES * STAGE_FEATURES };

/* Is the left (or upper) half of a rectangle brighter than the other? */
typedef struct face_feature {
    uint8_t left, top, width, height; /* of one half */
    uint8_t upright;                  /* one half is above the other */
} face_feature;

typedef struct faces {
    head h;
    uint8_t *pixel;
    uint32_t *integral; /* (height + 1) x (width + 1): the sum of all pixels above and to the left */
    face_feature feature[FEATURES];
    uint32_t count; /* windows of this band that passed all stages */
} faces;

static void faces_lay(void *state, workload_room *room) {
    faces *s = (faces *)state;
    s->pixel = (uint8_t *)take(room, pixels_of(s->h.n), 1);
    s->integral = (uint32_t *)take(room, (size_t)(s->h.n + 1) * (height_of(s->h.n) + 1), sizeof *s->integral);
}

static void faces_fill(void *state, uint64_t seed) {
    faces *s = (faces *)state;
    noise random = noise_of(seed, 2);
    draw_image(s->pixel, s->h.n, seed);
    memset(s->integral, 0, (size_t)(s->h.n + 1) * (height_of(s->h.n) + 1) * sizeof *s->integral);
    for (int k = 0; k < FEATURES; ++k) {
        face_feature *f = &s->feature[k];
        f->upright = (uint8_t)noise_below(&random, 2);
        f->width = (uint8_t)(3 + noise_below(&random, 9)); /* 3 .. 11: two of them fit next to each other */
        f->height = (uint8_t)(3 + noise_below(&random, 9));
        f->left = (uint8_t)noise_below(&random, WINDOW + 1u - f->width * (f->upright ? 1u : 2u));
        f->top = (uint8_t)noise_below(&random, WINDOW + 1u - f->height * (f->upright ? 2u : 1u));
    }
}

static uint32_t rectangle_sum(const uint32_t *corner, size_t stride, size_t width, size_t height) {
    return corner[height * stride + width] - corner[height * stride] - corner[width] + corner[0];
}

static int window_passes(const faces *s, const uint32_t *corner) {
    size_t stride = s->h.n + 1;
    for (int first_feature = 0; first_feature < FEATURES; first_feature += STAGE_FEATURES) {
        int votes = 0;
        for (int k = first_feature; k < first_feature + STAGE_FEATURES; ++k) {
            const face_feature *f = &s->feature[k];
            const uint32_t *first = corner + f->top * stride + f->left;
            const uint32_t *second = first + (f->upright ? f->height * stride : f->width);
            votes += rectangle_sum(first, stride, f->width, f->height) >
                     rectangle_sum(second, stride, f->width, f->height);
        }
        if (votes < STAGE_FEATURES / 2) return 0;
    }
    return 1;
}

static uint32_t faces_run(void *state) {
    faces *s = (faces *)state;
    uint32_t width = s->h.n, top = walk(&s->h, BAND, height_of(width)), sum = 0;
    size_t stride = width + 1;
    for (uint32_t y = top; y < top + BAND; ++y) {
        const uint8_t *row = s->pixel + (size_t)y * width;
        const uint32_t *above = s->integral + y * stride;
        uint32_t *out = s->integral + (y + 1) * stride, along = 0;
        for (uint32_t x = 0; x < width; ++x) {
            along += row[x];
            out[x + 1] = above[x + 1] + along;
        }
    }
    s->count = 0;
    for (uint32_t y = top < WINDOW ? 0 : top - WINDOW + WINDOW_STEP; y + WINDOW <= top + BAND;
         y += WINDOW_STEP)
        for (uint32_t x = 0; x + WINDOW <= width; x += WINDOW_STEP)
            if (window_passes(s, s->integral + y * stride + x)) {
                ++s->count;
                sum = mix(sum, y * width + x);
            }
    return sum;
}

/* ---- neighbours ---- */

/* The five nearest of n points in 32 dimensions, one query after the other, by looking at all. */

enum { POINT = 32, NEAREST = 5, QUERIES = 64 };

typedef struct neighbours {
    head h;
    float *point;
    float *query; /* QUERIES of them, taken in turn */
    float distance[NEAREST];
    uint32_t index[NEAREST];
} neighbours;

static void neighbours_lay(void *state, workload_room *room) {
    neighbours *s = (neighbours *)state;
    s->point = (float *)take(room, (size_t)s->h.n * POINT, sizeof *s->point);
    s->query = (float *)take(room, QUERIES * POINT, sizeof *s->query);
}

static void neighbours_fill(void *state, uint64_t seed) {
    neighbours *s = (neighbours *)state;
    noise_floats(s->point, (size_t)s->h.n * POINT, seed, 1);
    noise_floats(s->query, QUERIES * POINT, seed, 2);
}

/* The squared distance, in four lanes. */
static float squared_distance(const float *a, const float *b, size_t dimensions) {
    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (size_t i = 0; i < dimensions; i += 4)
        for (size_t k = 0; k < 4; ++k) {
            float d = a[i + k] - b[i + k];
            lane[k] += d * d;
        }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static void find_nearest(neighbours *s, const float *query) {
    uint32_t k, found = 0;
    for (uint32_t i = 0; i < s->h.n; ++i) {
        float d = squared_distance(query, s->point + (size_t)i * POINT, POINT);
        if (found == NEAREST && d >= s->distance[NEAREST - 1]) continue;
        if (found < NEAREST) ++found;
        for (k = found - 1; k > 0 && s->distance[k - 1] > d; --k) {
            s->distance[k] = s->distance[k - 1];
            s->index[k] = s->index[k - 1];
        }
        s->distance[k] = d;
        s->index[k] = i;
    }
}

static uint32_t neighbours_run(void *state) {
    neighbours *s = (neighbours *)state;
    uint32_t queries = s->h.n < 16384 ? 16384 / s->h.n : 1, sum = 0;
    for (uint32_t q = 0; q < queries; ++q) {
        find_nearest(s, s->query + (size_t)walk(&s->h, 1, QUERIES) * POINT);
        for (uint32_t k = 0; k < NEAREST; ++k) sum = mix(sum, s->index[k]);
    }
    return sum;
}

/* ---- vectors ---- */

/* The decision of a support vector machine: the sum of weight * exp(-|x - v|^2 / 4) over its n vectors v. */

enum { VECTOR = 16 };

typedef struct vectors {
    head h;
    float *vector;
    float *weight;
    float *query;
} vectors;

static void vectors_lay(void *state, workload_room *room) {
    vectors *s = (vectors *)state;
    s->vector = (float *)take(room, (size_t)s->h.n * VECTOR, sizeof *s->vector);
    s->weight = (float *)take(room, s->h.n, sizeof *s->weight);
    s->query = (float *)take(room, QUERIES * VECTOR, sizeof *s->query);
}

static void vectors_fill(void *state, uint64_t seed) {
    vectors *s = (vectors *)state;
    noise_floats(s->vector, (size_t)s->h.n * VECTOR, seed, 1);
    noise_floats(s->weight, s->h.n, seed, 2);
    noise_floats(s->query, QUERIES * VECTOR, seed, 3);
}

static float decision(const vectors *s, const float *query) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < s->h.n; ++i)
        sum += s->weight[i] * expf(-0.25f * squared_distance(query, s->vector + (size_t)i * VECTOR, VECTOR));
    return sum;
}

static uint32_t vectors_run(void *state) {
    vectors *s = (vectors *)state;
    uint32_t queries = s->h.n < 16384 ? 16384 / s->h.n : 1, sum = 0;
    for (uint32_t q = 0; q < queries; ++q)
        sum = mix_float(sum, decision(s, s->query + (size_t)walk(&s->h, 1, QUERIES) * VECTOR));
    return sum;
}

/* ---- matrix ---- */

/* The product of two n x n matrices, some rows of it per unit. */

typedef struct matrix {
    head h;
    float *a;
    float *b;
    float *c; /* a times b */
} matrix;

static void matrix_lay(void *state, workload_room *room) {
    matrix *s = (matrix *)state;
    size_t count = (size_t)s->h.n * s->h.n;
    s->a = (float *)take(room, count, sizeof *s->a);
    s->b = (float *)take(room, count, sizeof *s->b);
    s->c = (float *)take(room, count, sizeof *s->c);
}

static void matrix_fill(void *state, uint64_t seed) {
    matrix *s = (matrix *)state;
    size_t count = (size_t)s->h.n * s->h.n;
    noise_floats(s->a, count, seed, 1);
    noise_floats(s->b, count, seed, 2);
}

/* row += factor * b */
static void add_scaled(float *SOOTH_RESTRICT row, float factor, const float *SOOTH_RESTRICT b, size_t count) {
    for (size_t i = 0; i < count; ++i) row[i] += factor * b[i];
}

static uint32_t matrix_run(void *state) {
    matrix *s = (matrix *)state;
    uint32_t n = s->h.n, rows = n < 512 ? 8 : 2, first = walk(&s->h, rows, n), i, k,
             sum = 0; /* rows divides n */
    for (i = first; i < first + rows; ++i) {
        float *row = s->c + (size_t)i * n;
        memset(row, 0, n * sizeof *row);
        for (k = 0; k < n; ++k) add_scaled(row, s->a[(size_t)i * n + k], s->b + (size_t)k * n, n);
        sum = mix_float(sum, row[i]);
        sum = mix_float(sum, row[n - 1 - i]);
    }
    return sum;
}

/* ---- sort ---- */

/* n keys, byte by byte from the last (Knuth, The art of computer programming, section 5.2.5). */

typedef struct sort {
    head h;
    uint32_t *source;
    uint32_t *key; /* sorted */
    uint32_t *spare;
} sort;

static void sort_lay(void *state, workload_room *room) {
    sort *s = (sort *)state;
    s->source = (uint32_t *)take(room, s->h.n, sizeof *s->source);
    s->key = (uint32_t *)take(room, s->h.n, sizeof *s->key);
    s->spare = (uint32_t *)take(room, s->h.n, sizeof *s->spare);
}

static void sort_fill(void *state, uint64_t seed) {
    sort *s = (sort *)state;
    noise_words(s->source, s->h.n, seed, 1);
}

static void sort_by_byte(const uint32_t *from, uint32_t *to, uint32_t n, unsigned shift) {
    uint32_t start[256], sum = 0;
    memset(start, 0, sizeof start);
    for (uint32_t i = 0; i < n; ++i) ++start[from[i] >> shift & 255];
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t count = start[i];
        start[i] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; ++i) to[start[from[i] >> shift & 255]++] = from[i];
}

static uint32_t sort_run(void *state) {
    sort *s = (sort *)state;
    uint32_t sum = 0;
    sort_by_byte(s->source, s->spare, s->h.n, 0);
    sort_by_byte(s->spare, s->key, s->h.n, 8);
    sort_by_byte(s->key, s->spare, s->h.n, 16);
    sort_by_byte(s->spare, s->key, s->h.n, 24);
    for (uint32_t i = 0; i < s->h.n; i += 61) sum = mix(sum, s->key[i]);
    return sum;
}

/* ---- hash ---- */

/* Counts each of n keys of a stream in a hash table with linear probing. */

enum { HASH_BATCH = 8192 };

typedef struct hash_slot {
    uint64_t key; /* 0: empty */
    uint64_t count;
} hash_slot;

typedef struct hash {
    head h;
    hash_slot *slot; /* 2 n of them */
    noise stream;
    uint64_t counted;
} hash;

static void hash_lay(void *state, workload_room *room) {
    hash *s = (hash *)state;
    s->slot = (hash_slot *)take(room, (size_t)2 * s->h.n, sizeof *s->slot);
}

/* Key number i: never 0, and different for each i. */
static uint64_t hash_key(uint32_t i) { return ((uint64_t)i + 1) * 0x9E3779B97F4A7C15ull; }

static hash_slot *hash_find(const hash *s, uint64_t key) {
    uint64_t z = (key ^ (key >> 32)) * 0xD6E8FEB86659FD93ull;
    uint32_t last = 2 * s->h.n - 1, at = (uint32_t)(z >> 32) & last; /* n is a power of two */
    while (s->slot[at].key != key && s->slot[at].key != 0) at = (at + 1) & last;
    return &s->slot[at];
}

/* Counts every key once, so that a unit finds the table full from the beginning. */
static void hash_fill(void *state, uint64_t seed) {
    hash *s = (hash *)state;
    s->stream = noise_of(seed, 1);
    memset(s->slot, 0, (size_t)2 * s->h.n * sizeof *s->slot);
    for (uint32_t i = 0; i < s->h.n; ++i) {
        hash_slot *slot = hash_find(s, hash_key(i));
        slot->key = hash_key(i);
        slot->count = 1;
    }
    s->counted = s->h.n;
}

static uint32_t hash_run(void *state) {
    hash *s = (hash *)state;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < HASH_BATCH; ++i) {
        uint64_t key = hash_key(noise_below(&s->stream, s->h.n));
        hash_slot *slot = hash_find(s, key);
        slot->key = key;
        sum += (uint32_t)++slot->count;
    }
    s->counted += HASH_BATCH;
    return sum;
}

/* ---- tree ---- */

/* Look-ups in a balanced binary search tree. Nodes of neighbouring keys are next to each other, so every
   step down jumps half as far as the one before. */

enum { TREE_BATCH = 2048 };

typedef struct tree_node {
    uint32_t key;
    uint32_t left, right; /* numbers of nodes; n: none */
    uint32_t value;
} tree_node;

typedef struct tree {
    head h;
    tree_node *node;
    uint32_t root;
    noise stream;
    uint32_t found; /* of this batch */
} tree;

static void tree_lay(void *state, workload_room *room) {
    tree *s = (tree *)state;
    s->node = (tree_node *)take(room, s->h.n, sizeof *s->node);
}

/* Links the nodes low .. high - 1 and returns their root; keys are the odd numbers. */
static uint32_t tree_link(tree *s, uint32_t low, uint32_t high) {
    uint32_t middle = low + (high - low) / 2;
    tree_node *node = &s->node[middle];
    if (low == high) return s->h.n;
    node->key = 2 * middle + 1;
    node->value = mix(0, middle);
    node->left = tree_link(s, low, middle);
    node->right = tree_link(s, middle + 1, high);
    return middle;
}

static void tree_fill(void *state, uint64_t seed) {
    tree *s = (tree *)state;
    s->stream = noise_of(seed, 1);
    s->root = tree_link(s, 0, s->h.n);
}

/* The node that holds the key, or NULL. */
static const tree_node *tree_find(const tree *s, uint32_t key) {
    uint32_t at = s->root;
    while (at < s->h.n) {
        const tree_node *node = &s->node[at];
        if (node->key == key) return node;
        at = key < node->key ? node->left : node->right;
    }
    return NULL;
}

static uint32_t tree_run(void *state) {
    tree *s = (tree *)state;
    uint32_t sum = 0;
    s->found = 0;
    for (uint32_t i = 0; i < TREE_BATCH; ++i) {
        const tree_node *node = tree_find(s, noise_below(&s->stream, 2 * s->h.n));
        if (!node) continue;
        ++s->found;
        sum = mix(sum, node->value);
    }
    return sum;
}

/* ---- stencil ---- */

/* Heat flows between the points of an n x n grid without borders, one step per unit. */

typedef struct stencil {
    head h;
    float *now;
    float *next;
} stencil;

static void stencil_lay(void *state, workload_room *room) {
    stencil *s = (stencil *)state;
    s->now = (float *)take(room, (size_t)s->h.n * s->h.n, sizeof *s->now);
    s->next = (float *)take(room, (size_t)s->h.n * s->h.n, sizeof *s->next);
}

static void stencil_fill(void *state, uint64_t seed) {
    stencil *s = (stencil *)state;
    size_t count = (size_t)s->h.n * s->h.n, drawn = count < PERIOD ? count : PERIOD;
    noise_floats(s->now, drawn, seed, 1);
    repeat_floats(s->now, drawn, count);
}

/* A point keeps half of its heat and hands an eighth to each neighbour. */
static float stencil_point(float self, float left, float right, float up, float down) {
    return 0.5f * self + 0.125f * ((left + right) + (up + down));
}

/* The points 1 .. n - 2 of a row. */
static void stencil_row(float *SOOTH_RESTRICT out, const float *SOOTH_RESTRICT up,
                        const float *SOOTH_RESTRICT row, const float *SOOTH_RESTRICT down, size_t n) {
    for (size_t x = 1; x + 1 < n; ++x) out[x] = stencil_point(row[x], row[x - 1], row[x + 1], up[x], down[x]);
}

static uint32_t stencil_run(void *state) {
    stencil *s = (stencil *)state;
    size_t n = s->h.n;
    float *old = s->now;
    uint32_t sum = 0;
    for (size_t y = 0; y < n; ++y) {
        const float *row = s->now + y * n, *up = s->now + (y ? y - 1 : n - 1) * n,
                    *down = s->now + (y + 1 < n ? y + 1 : 0) * n;
        float *out = s->next + y * n;
        out[0] = stencil_point(row[0], row[n - 1], row[1], up[0], down[0]);
        stencil_row(out, up, row, down, n);
        out[n - 1] = stencil_point(row[n - 1], row[n - 2], row[0], up[n - 1], down[n - 1]);
        sum = mix_float(sum, out[y]);
    }
    s->now = s->next;
    s->next = old;
    return sum;
}

/* ---- sparse ---- */

/* A sparse matrix in compressed rows times a vector; 12 entries per row, anywhere. */

enum { ROW_ENTRIES = 12, SPARSE_ROWS = 4096 };

typedef struct sparse {
    head h;
    uint32_t *start; /* n + 1: where each row's entries begin */
    uint32_t *column;
    float *entry;
    float *x;
    float *product;
} sparse;

static void sparse_lay(void *state, workload_room *room) {
    sparse *s = (sparse *)state;
    s->start = (uint32_t *)take(room, s->h.n + 1, sizeof *s->start);
    s->column = (uint32_t *)take(room, (size_t)s->h.n * ROW_ENTRIES, sizeof *s->column);
    s->entry = (float *)take(room, (size_t)s->h.n * ROW_ENTRIES, sizeof *s->entry);
    s->x = (float *)take(room, s->h.n, sizeof *s->x);
    s->product = (float *)take(room, s->h.n, sizeof *s->product);
}

static void sparse_fill(void *state, uint64_t seed) {
    sparse *s = (sparse *)state;
    uint32_t i;
    for (i = 0; i <= s->h.n; ++i) s->start[i] = i * ROW_ENTRIES;
    noise_words(s->column, (size_t)s->h.n * ROW_ENTRIES, seed, 1);
    for (i = 0; i < s->h.n * ROW_ENTRIES; ++i) s->column[i] = below(s->column[i], s->h.n);
    i = s->h.n < PERIOD ? s->h.n : PERIOD;
    noise_floats(s->entry, (size_t)i * ROW_ENTRIES, seed, 2);
    repeat_floats(s->entry, (size_t)i * ROW_ENTRIES, (size_t)s->h.n * ROW_ENTRIES);
    noise_floats(s->x, s->h.n, seed, 3);
}

static uint32_t sparse_run(void *state) {
    sparse *s = (sparse *)state;
    uint32_t rows = s->h.n < SPARSE_ROWS ? s->h.n : SPARSE_ROWS, first = walk(&s->h, rows, s->h.n), sum = 0;
    for (uint32_t i = first; i < first + rows; ++i) {
        float product = 0.0f;
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; ++k) product += s->entry[k] * s->x[s->column[k]];
        s->product[i] = product;
        sum = mix_float(sum, product);
    }
    return sum;
}

/* ---- axpy ---- */

/* y = y + a x on vectors of n numbers. a is 1 and -1 in turn, so that y returns every second time. */

enum { AXPY_SLICE = 65536 };

typedef struct axpy {
    head h;
    float *x;
    float *y;
    float a;
} axpy;

static void axpy_lay(void *state, workload_room *room) {
    axpy *s = (axpy *)state;
    s->x = (float *)take(room, s->h.n, sizeof *s->x);
    s->y = (float *)take(room, s->h.n, sizeof *s->y);
}

/* Integers, so that no addition rounds. */
static void axpy_fill(void *state, uint64_t seed) {
    axpy *s = (axpy *)state;
    noise random = noise_of(seed, 1);
    uint32_t drawn = s->h.n < PERIOD ? s->h.n : PERIOD;
    for (uint32_t i = 0; i < drawn; ++i) {
        uint64_t bits = noise_next(&random);
        s->x[i] = (float)(bits & 1023);
        s->y[i] = (float)(bits >> 10 & 1023);
    }
    repeat_floats(s->x, drawn, s->h.n);
    repeat_floats(s->y, drawn, s->h.n);
    s->a = 1.0f;
}

static uint32_t axpy_run(void *state) {
    axpy *s = (axpy *)state;
    uint32_t slice = s->h.n < AXPY_SLICE ? s->h.n : AXPY_SLICE, first, sum = 0;
    for (uint32_t done = 0; done < AXPY_SLICE; done += slice) { /* small vectors several times */
        first = walk(&s->h, slice, s->h.n);
        add_scaled(s->y + first, s->a, s->x + first, slice);
        sum = mix_float(sum, s->y[first + slice / 3]);
        if (s->h.at == 0) s->a = -s->a;
    }
    return sum;
}

/* ---- workloads of system calls ---- */

/* The units of these four free every resource that they take. If the system refuses one, they do the same
   work without it: the checksum is the same, and the refusal is counted. */

/* Moves a whole message, although the system may take it in parts. Returns 0 on failure. */
static int send_all(int fd, const void *from, size_t size) {
    const unsigned char *at = (const unsigned char *)from;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static int receive_all(int fd, void *to, size_t size) {
    unsigned char *at = (unsigned char *)to;
    while (size > 0) {
        ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static uint32_t mix_words(uint32_t h, const uint32_t *word, size_t count) {
    for (size_t i = 0; i < count; ++i) h = mix(h, word[i]);
    return h;
}

/* ---- scratch ---- */

/* Writes words to memory fresh from the system, a line in each page, reads them from the last to the
   first, and unmaps the memory. Programs that allocate and free large blocks do this. */

enum { SCRATCH_PAGE = 4096, SCRATCH_WORDS = 16 };

typedef struct scratch {
    head h;
    uint32_t *source; /* SCRATCH_WORDS for each page */
} scratch;

static void scratch_lay(void *state, workload_room *room) {
    scratch *s = (scratch *)state;
    s->source = (uint32_t *)take(room, (size_t)s->h.n / SCRATCH_PAGE * SCRATCH_WORDS, sizeof *s->source);
}

static void scratch_fill(void *state, uint64_t seed) {
    scratch *s = (scratch *)state;
    noise_words(s->source, (size_t)s->h.n / SCRATCH_PAGE * SCRATCH_WORDS, seed, 1);
}

static uint32_t scratch_run(void *state) {
    scratch *s = (scratch *)state;
    uint32_t pages = s->h.n / SCRATCH_PAGE, step = SCRATCH_PAGE / sizeof(uint32_t), sum = 0;
    void *memory = mmap(NULL, s->h.n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *fresh = memory == MAP_FAILED ? s->source : (uint32_t *)memory;
    if (memory == MAP_FAILED) {
        ++s->h.refused;
        step = SCRATCH_WORDS;
    } else {
#ifdef MADV_NOHUGEPAGE
        madvise(memory, s->h.n, MADV_NOHUGEPAGE); /* pages of their own, however large the block is */
#endif
        for (size_t i = 0; i < pages; ++i)
            memcpy(fresh + i * step, s->source + i * SCRATCH_WORDS, SCRATCH_WORDS * sizeof *fresh);
    }
    for (size_t i = pages; i-- > 0;) sum = mix_words(sum, fresh + i * step, SCRATCH_WORDS);
    if (memory != MAP_FAILED) munmap(memory, s->h.n);
    return sum;
}

/* ---- requests ---- */

/* Many small requests to the system, each answered at once: the parent's process id, a message written to
   /dev/null, equally many bytes read from /dev/zero. */

enum { REQUESTS = 32 };

typedef struct requests {
    head h;
    uint32_t *message; /* REQUESTS of them */
    uint32_t *answer;
} requests;

static void requests_lay(void *state, workload_room *room) {
    requests *s = (requests *)state;
    s->message = (uint32_t *)take(room, (size_t)REQUESTS * s->h.n, 1);
    s->answer = (uint32_t *)take(room, s->h.n, 1);
}

static void requests_fill(void *state, uint64_t seed) {
    requests *s = (requests *)state;
    noise_words(s->message, (size_t)REQUESTS * s->h.n / sizeof *s->message, seed, 1);
}

static uint32_t requests_run(void *state) {
    requests *s = (requests *)state;
    size_t words = s->h.n / sizeof *s->message;
    int from = open("/dev/zero", O_RDONLY), to = open("/dev/null", O_WRONLY), well = from >= 0 && to >= 0;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < REQUESTS; ++i) {
        uint32_t *message = s->message + i * words;
        memcpy(s->answer, message, s->h.n);
        well =
            well && getppid() >= 0 && send_all(to, message, s->h.n) && receive_all(from, s->answer, s->h.n);
        if (!well) memset(s->answer, 0, s->h.n);
        sum = mix(mix(sum, message[0]), s->answer[words - 1]);
    }
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    s->h.refused += !well;
    return sum;
}

/* ---- journal ---- */

/* Records are appended to a new file and read back from its beginning, and the file is removed. It is
   never forced to the disk. It is in the folder of TMPDIR, in memory (/dev/shm), or in /tmp. */

enum { JOURNAL_RECORD = 4096 };

typedef struct journal {
    head h;
    uint32_t *source;
    uint32_t *back; /* one record */
} journal;

static void journal_lay(void *state, workload_room *room) {
    journal *s = (journal *)state;
    s->source = (uint32_t *)take(room, s->h.n, 1);
    s->back = (uint32_t *)take(room, JOURNAL_RECORD, 1);
}

static void journal_fill(void *state, uint64_t seed) {
    journal *s = (journal *)state;
    noise_words(s->source, s->h.n / sizeof *s->source, seed, 1);
}

/* A file that has lost its name already, or -1. */
static int nameless_file(void) {
    const char *folder[3] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
    for (int k = 0; k < 3; ++k) {
        char path[256];
        if (!folder[k] || strlen(folder[k]) > 200) continue;
        snprintf(path, sizeof path, "%.200s/sooth-journal-XXXXXX", folder[k]);
        int fd = mkstemp(path);
        if (fd < 0) continue;
        unlink(path);
        return fd;
    }
    return -1;
}

static uint32_t journal_run(void *state) {
    journal *s = (journal *)state;
    const size_t words = JOURNAL_RECORD / sizeof *s->source, records = s->h.n / JOURNAL_RECORD;
    int fd = nameless_file(), well = fd >= 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < records && well; ++i) well = send_all(fd, s->source + i * words, JOURNAL_RECORD);
    well = well && lseek(fd, 0, SEEK_SET) == 0;
    for (size_t i = 0; i < records; ++i) {
        well = well && receive_all(fd, s->back, JOURNAL_RECORD);
        if (!well) memcpy(s->back, s->source + i * words, JOURNAL_RECORD);
        sum = mix_words(sum, s->back, 16);
        sum = mix(sum, s->back[words - 1]);
    }
    if (fd >= 0) close(fd);
    s->h.refused += !well;
    return sum;
}

/* ---- pipes ---- */

/* Messages go to another thread through a pipe, and come back through another with every word rotated.
   Each thread waits for the other all the time. */

enum { PIPES_TURNS = 16 };

typedef struct pipes {
    head h;
    uint32_t *message, *back; /* here */
    uint32_t *there;          /* in the other thread */
    int to[2], from[2];       /* of the two pipes: where they are read and written */
} pipes;

static void pipes_lay(void *state, workload_room *room) {
    pipes *s = (pipes *)state;
    s->message = (uint32_t *)take(room, s->h.n, 1);
    s->back = (uint32_t *)take(room, s->h.n, 1);
    s->there = (uint32_t *)take(room, s->h.n, 1);
}

static void pipes_fill(void *state, uint64_t seed) {
    pipes *s = (pipes *)state;
    noise_words(s->message, s->h.n / sizeof *s->message, seed, 1);
}

static void turn_round(uint32_t *word, size_t count) {
    for (size_t i = 0; i < count; ++i) word[i] = word[i] << 16 | word[i] >> 16;
}

/* The other thread: answers until the pipe is closed. */
static void *pipes_answer(void *state) {
    pipes *s = (pipes *)state;
    while (receive_all(s->to[0], s->there, s->h.n)) {
        turn_round(s->there, s->h.n / sizeof *s->there);
        if (!send_all(s->from[1], s->there, s->h.n)) break;
    }
    return NULL;
}

static int two_pipes(pipes *s) {
    if (pipe(s->to) != 0) return 0;
    if (pipe(s->from) == 0) return 1;
    close(s->to[0]);
    close(s->to[1]);
    return 0;
}

static uint32_t pipes_run(void *state) {
    pipes *s = (pipes *)state;
    size_t words = s->h.n / sizeof *s->message;
    pthread_t other;
    int open = two_pipes(s), started = open && pthread_create(&other, NULL, pipes_answer, s) == 0;
    int well = started;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < PIPES_TURNS; ++i) {
        well = well && send_all(s->to[1], s->message, s->h.n) && receive_all(s->from[0], s->back, s->h.n);
        if (!well) {
            memcpy(s->back, s->message, s->h.n);
            turn_round(s->back, words);
        }
        sum = mix(sum, s->back[i % words]);
    }
    if (open) close(s->to[1]); /* the other one reads the end of it */
    if (started) pthread_join(other, NULL);
    if (open) {
        close(s->to[0]);
        close(s->from[0]);
        close(s->from[1]);
    }
    s->h.refused += !well;
    return sum;
}

/* ---- the table ---- */

const workload workloads[WORKLOADS] = {
    {"corners",
     "FAST corners in a grey image (width x height)",
     {{"320x240", 320}, {"640x480", 640}, {"1280x960", 1280}},
     corners_lay,
     corners_fill,
     corners_run},
    {"gradients",
     "histograms of oriented gradients of a grey image (width x height)",
     {{"320x240", 320}, {"640x480", 640}, {"1280x960", 1280}},
     gradients_lay,
     gradients_fill,
     gradients_run},
    {"blur",
     "7 x 7 box filter of a grey image (width x height)",
     {{"320x240", 320}, {"640x480", 640}, {"1280x960", 1280}},
     blur_lay,
     blur_fill,
     blur_run},
    {"faces",
     "integral image and cascade of rectangle features (width x height)",
     {{"320x240", 320}, {"640x480", 640}, {"1280x960", 1280}},
     faces_lay,
     faces_fill,
     faces_run},
    {"neighbours",
     "5 nearest neighbours by brute force in 32 dimensions (points)",
     {{"512", 512}, {"4096", 4096}, {"262144", 262144}},
     neighbours_lay,
     neighbours_fill,
     neighbours_run},
    {"vectors",
     "support vector machine with Gaussian kernel in 16 dimensions (vectors)",
     {{"256", 256}, {"4096", 4096}, {"65536", 65536}},
     vectors_lay,
     vectors_fill,
     vectors_run},
    {"matrix",
     "product of two square matrices (rows)",
     {{"64", 64}, {"256", 256}, {"768", 768}},
     matrix_lay,
     matrix_fill,
     matrix_run},
    {"sort",
     "radix sort of 32-bit keys (keys)",
     {{"4096", 4096}, {"65536", 65536}, {"524288", 524288}},
     sort_lay,
     sort_fill,
     sort_run},
    {"hash",
     "counting keys in a hash table (different keys)",
     {{"1024", 1024}, {"16384", 16384}, {"524288", 524288}},
     hash_lay,
     hash_fill,
     hash_run},
    {"tree",
     "look-ups in a binary search tree (keys)",
     {{"1024", 1024}, {"32768", 32768}, {"4194304", 4194304}},
     tree_lay,
     tree_fill,
     tree_run},
    {"stencil",
     "heat flow on a square grid (points on a side)",
     {{"96", 96}, {"384", 384}, {"2560", 2560}},
     stencil_lay,
     stencil_fill,
     stencil_run},
    {"sparse",
     "sparse matrix times vector, 12 entries a row (rows)",
     {{"1024", 1024}, {"16384", 16384}, {"524288", 524288}},
     sparse_lay,
     sparse_fill,
     sparse_run},
    {"axpy",
     "adding a multiple of one vector to another (numbers)",
     {{"4096", 4096}, {"131072", 131072}, {"8388608", 8388608}},
     axpy_lay,
     axpy_fill,
     axpy_run},
    {"scratch",
     "memory fresh from the system, written, read and given back (bytes)",
     {{"65536", 65536}, {"524288", 524288}, {"2097152", 2097152}},
     scratch_lay,
     scratch_fill,
     scratch_run},
    {"requests",
     "small requests to the system (bytes in each)",
     {{"16", 16}, {"256", 256}, {"4096", 4096}},
     requests_lay,
     requests_fill,
     requests_run},
    {"journal",
     "records appended to a temporary file and read back (bytes)",
     {{"4096", 4096}, {"65536", 65536}, {"524288", 524288}},
     journal_lay,
     journal_fill,
     journal_run},
    {"pipes",
     "messages through pipes to another thread and back (bytes in each)",
     {{"16", 16}, {"256", 256}, {"4096", 4096}},
     pipes_lay,
     pipes_fill,
     pipes_run},
};

/* As large as the largest state. */
typedef union any_state {
    head h;
    corners corners_state;
    gradients gradients_state;
    blur blur_state;
    faces faces_state;
    neighbours neighbours_state;
    vectors vectors_state;
    matrix matrix_state;
    sort sort_state;
    hash hash_state;
    tree tree_state;
    stencil stencil_state;
    sparse sparse_state;
    axpy axpy_state;
    scratch scratch_state;
    requests requests_state;
    journal journal_state;
    pipes pipes_state;
} any_state;

/* Lays a workload out in memory: first its state, whose copy is at `state`, then its arrays. */
static void lay(uint32_t kind, uint32_t size, any_state *state, workload_room *room) {
    memset(state, 0, sizeof *state);
    state->h.n = workloads[kind].size[size].n;
    room->used = 0;
    take(room, 1, sizeof *state);
    workloads[kind].lay(state, room);
}

size_t workload_bytes(uint32_t kind, uint32_t size) {
    workload_room room = {NULL, 0};
    any_state state;
    if (kind >= WORKLOADS || size >= WORKLOAD_SIZES) return 0;
    lay(kind, size, &state, &room);
    return room.used;
}

void workload_make(uint32_t kind, uint32_t size, uint64_t seed, void *memory) {
    workload_room room = {NULL, 0};
    any_state state;
    room.base = (unsigned char *)memory;
    lay(kind, size, &state, &room);
    memcpy(memory, &state, sizeof state);
    workloads[kind].fill(memory, seed);
}

void *workload_create(uint32_t kind, uint32_t size, uint64_t seed) {
    size_t bytes = workload_bytes(kind, size);
    void *memory;
    if (bytes == 0 || posix_memalign(&memory, WORKLOAD_ALIGN, bytes) != 0) return NULL;
    workload_make(kind, size, seed, memory);
    return memory;
}

uint32_t workload_run(uint32_t kind, void *state) { return workloads[kind].run(state); }

uint32_t workload_refused(const void *state) { return ((const head *)state)->refused; }

uint32_t workload_warm(uint32_t kind, uint32_t size, void *state) {
    const size_t most = (size_t)8 << 20; /* of a larger input the caches hold little by the time it is used */
    const volatile unsigned char *memory = (const unsigned char *)state;
    size_t bytes = workload_bytes(kind, size);
    for (size_t at = 0; at < bytes && at < most; at += 64)
        (void)memory[at]; /* gaps too: no number comes of it */
    return workload_run(kind, state);
}

void workload_destroy(void *state) { free(state); }
