/* halton.h - points that fill a space evenly: selects few configurations to measure, out of thousands.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   sooth_halton        the Halton sequence: plain, reversed, with good or with random permutations, leaped
 *   sooth_r2            Roberts' R sequence: multiples of the powers of a generalised golden ratio
 *   sooth_lhs_fill      a Latin hypercube
 *   sooth_grid          converts points to configurations of knobs with levels, without repetitions
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/halton.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[2048], touched[64];
 *         const uint32_t levels[2] = {24, 13}; // 1 to 24 threads, 13 frequencies
 *         const sooth_halton_options options = {.dims = 2};
 *         const sooth_grid_options knobs = {.knobs = 2, .levels = levels};
 *         uint32_t level[2], i;
 *         sooth_halton *halton;
 *         sooth_grid *grid;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_halton_init(&env, &options, memory, sizeof memory, &halton) != SOOTH_OK ||
 *             sooth_grid_init(&env, &knobs, touched, sizeof touched, &grid) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         grid->next = 1; // without the origin, as GSL does
 *         for (i = 0; i < 4 && sooth_grid_next(grid, sooth_halton_row, halton, level); ++i)
 *             printf("%u threads, %u MHz\n", level[0] + 1, 1200 + 100 * level[1]); //> 13 threads, 1600 MHz
 *         return 0;
 *     }
 *
 * Notes
 *
 * - sobol.h has the Sobol and Niederreiter sequences.
 * - Points of both sequences here are functions of their index. A cursor is just the next index, and any
 *   number of threads may share a sampler.
 * - The first point of most sequences is the origin. SciPy begins with it (index 0). GSL begins with index 1
 *   for halton, reversehalton and sobol, but with index 0 for niederreiter_2. The cursor sets the start.
 * - Coordinates of large bases rise together until all their digits change, so few points in many dimensions
 *   correlate. The largest |r| (Pearson) of two coordinates, for seed 0 where there is one:
 *
 *       points x dims   plain   reverse   good   random   leap 409   hypercube
 *           16 x 8       1.00      1.00   0.40     0.49       0.87        0.52
 *        1,000 x 40      0.76      0.76   0.23     0.12       0.41        0.10
 *
 *   SOOTH_HALTON_RANDOM and hypercubes correlate no more than random points do. Few Sobol points correlate
 *   too: 0.95 and 0.05 in these two rows. `sooth sample` measures the points that it writes, and warns.
 *
 * Method and references
 *
 * Four Halton points are worth as much as twenty random ones for a model of power (De Sensi: Predicting
 * performance and power consumption of parallel applications, PDP 2016, Figure 5). On published measurements
 * of that machine they are worth eight to ten. References are next to the declarations.
 *
 * Cost
 *
 * Nothing is allocated. Every sampler uses the caller's memory, whose size a function returns. A coordinate
 * of a Halton point costs an addition and a division in blocks, or log_b(index) steps alone. All arithmetic
 * is in integers until the last division, which is correctly rounded. So all machines give the same bits.
 */
#if !defined(SOOTH_HALTON_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_HALTON_IMPLEMENTED))
#include "base.h"
#endif

#if !defined(SOOTH_HALTON_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_HALTON_H
SOOTHI_C_BEGIN

/* ---- Halton ---- */

#define SOOTH_HALTON_MAX_DIMS 1229 /* the max; the bases are the primes below 10,000 */

/* Coordinate j of point i is the radical inverse of i in base b, the j-th prime. With i = sum a_k b^k it is

       sum over k of pi_k(a_k) b^-(k+1)

   where pi_k is a permutation of the digits 0 .. b-1. */
typedef enum sooth_halton_scramble {
    SOOTH_HALTON_PLAIN = 0, /* none (Halton, Numerische Mathematik 2, 1960) */
    SOOTH_HALTON_REVERSE,   /* 0, b-1, .., 1 (Vandewoestyne and Cools, J. Comput. Appl. Math. 189, 2006) */
    SOOTH_HALTON_GOOD,      /* Faure's, for low discrepancy in each base (J. Number Theory 42, 1992) */
    SOOTH_HALTON_RANDOM     /* one per base and digit, from the seed (Owen, arXiv:1706.02808, 2017) */
} sooth_halton_scramble;

typedef struct sooth_halton_options {
    uint32_t dims;     /* 1 to SOOTH_HALTON_MAX_DIMS */
    uint32_t scramble; /* a sooth_halton_scramble */
    uint32_t seed;     /* of SOOTH_HALTON_RANDOM */
    uint32_t leap;     /* use every leap-th point; 0 means 1; must not be a multiple of a base. 409 is good
                          for up to 79 dims (Kocis and Whiten, ACM Trans. Math. Softw. 23, 1997) with
                          thousands of points; with few see the notes above */
} sooth_halton_options;

typedef struct sooth_halton_axis {
    uint32_t base;
    uint32_t digits;        /* K: the largest with b^K <= 2^52; later digits are not used */
    uint32_t lows;          /* entries of low: b^m */
    uint32_t low_digits;    /* m */
    uint32_t step;          /* from the permutation of one digit to the next; 0: all digits share one */
    const uint64_t *weight; /* of digit k: b^(K-1-k) */
    const uint64_t *low;    /* contribution of the lowest m digits to the numerator over b^K */
    const uint16_t *digit;  /* permutations */
} sooth_halton_axis;

typedef struct sooth_halton {
    uint32_t dims;
    uint32_t leap;
    const sooth_halton_axis *axis;
} sooth_halton;

/* Returns the bytes that a sampler with these options needs, or 0 if the options are invalid. About 17 kB for
   8 dimensions, 110 kB for 64; with random permutations 20 kB and 210 kB. 57 MB for 1,229. */
SOOTH_API size_t sooth_halton_size(const sooth_halton_options *options);

/* Makes a sampler at the start of memory[0..size), aligned as for double. If the memory is too small,
   SOOTH_NO_MEMORY is returned with the size in the sentence. */
SOOTH_API sooth_status sooth_halton_init(sooth_env *env, const sooth_halton_options *options, void *memory,
                                         size_t size, sooth_halton **halton);

/* Writes the next `rows` points, row by row (rows x dims), and advances the cursor. *next is the index of the
   first point before the call, and of the next point after it. index times leap must be below 2^39. A value
   is the double in [0, 1) nearest to the exact fraction. Floats are rounded and stay below 1. Random
   permutations use digits worth 52 bits. */
SOOTH_API void sooth_halton_fill(const sooth_halton *halton, uint64_t *next, size_t rows, double *out);
SOOTH_API void sooth_halton_fill_float(const sooth_halton *halton, uint64_t *next, size_t rows, float *out);

/* Returns one coordinate of a plain point without a sampler: the radical inverse in any base from 2 to
   2^26. */
SOOTH_API double sooth_halton_radical_inverse(uint64_t index, uint32_t base);

/* Returns the options dims, scramble, seed and leap by name. */
SOOTH_API sooth_option_list sooth_halton_options_list(void);

/* ---- R sequence ---- */

/* Coordinate j of point i is frac(1/2 + i phi^-(j+1)), where phi is the positive root of x^(d+1) = x + 1 (the
   golden ratio for d = 1, the plastic number for d = 2). M. Roberts, The unreasonable effectiveness of
   quasirandom sequences, 2018. No point needs to be skipped: index 0 is the centre. */
typedef struct sooth_r2 {
    uint32_t dims;
    const uint64_t *weight; /* phi^-(j+1), times 2^64 */
} sooth_r2;

/* Returns the bytes of a sampler. */
SOOTH_API size_t sooth_r2_size(size_t dims);

/* Makes a sampler of 1 to SOOTH_HALTON_MAX_DIMS dimensions at the start of memory, like sooth_halton_init. */
SOOTH_API sooth_status sooth_r2_init(sooth_env *env, size_t dims, void *memory, size_t size, sooth_r2 **r2);

/* Like sooth_halton_fill, for the R sequence. */
SOOTH_API void sooth_r2_fill(const sooth_r2 *r2, uint64_t *next, size_t rows, double *out);

/* ---- Latin hypercube ---- */

/* Fills rows x dims points. Each of the `rows` slices of equal width of each axis holds exactly one point
   (McKay, Beckman, Conover, Technometrics 21, 1979). The point is anywhere in the slice, or in its middle if
   `centred`. rows must be below 2^31. */
SOOTH_API sooth_status sooth_lhs_fill(sooth_env *env, uint32_t seed, int centred, size_t rows, size_t dims,
                                      double *out);

/* ---- grid: from points to configurations ---- */

#define SOOTH_GRID_MAX_KNOBS 64 /* the max */

typedef enum sooth_grid_rounding {
    SOOTH_GRID_FLOOR = 0, /* level floor(u n): all levels have equal shares of 0..1 */
    SOOTH_GRID_NEAREST    /* level round(u (n-1)): the first and last level have half a share */
} sooth_grid_rounding;

/* A configuration has one level per knob, counted from 0. Its number is in a mixed base, the last knob
   varying fastest. */
typedef struct sooth_grid_options {
    uint32_t knobs;             /* 1 to SOOTH_GRID_MAX_KNOBS */
    uint32_t rounding;          /* a sooth_grid_rounding */
    const uint32_t *levels;     /* one count per knob, 1 or more; fewer than 2^32 configurations in total */
    const uint8_t *categorical; /* one per knob; 1: its levels are unordered; NULL: all are ordered */
    const uint8_t *forbidden;   /* one per configuration, by number; not 0: excluded; NULL: none */
    int (*allow_fn)(void *user, const uint32_t *level); /* nonzero: this one is allowed; NULL: all are */
    void *allow_user;
    const uint32_t *fixed; /* fixed_count x knobs levels that sooth_grid_next returns first */
    size_t fixed_count;
} sooth_grid_options;

typedef struct sooth_grid {
    sooth_grid_options options; /* its arrays must live as long as the grid */
    unsigned char *touched;     /* one bit per configuration: returned or excluded */
    uint32_t configurations;
    uint32_t left;      /* untouched configurations; fixed ones count as touched */
    size_t fixed_given; /* how many of options.fixed were returned */
    uint64_t next;      /* index of the next sampler point; set it to start at another than 0 */
} sooth_grid;

/* Writes the first `dims` coordinates of a point, with 0 for missing dimensions. The grid calls samplers
   through this type. */
typedef void sooth_grid_point_fn(const void *sampler, uint64_t index, size_t dims, double *point);
SOOTH_API void sooth_halton_row(const void *halton, uint64_t index, size_t dims, double *point);
SOOTH_API void sooth_r2_row(const void *r2, uint64_t index, size_t dims, double *point);

/* Returns the bytes of a grid, which has a bit per configuration, or 0 if there are none or too many. */
SOOTH_API size_t sooth_grid_size(const sooth_grid_options *options);

/* Makes a grid at the start of memory[0..size), aligned as for double. Calls allow_fn once per configuration.
   Returns SOOTH_BAD_ARGUMENT if no configuration exists, or if a fixed one is excluded or a duplicate.
   SOOTH_NO_MEMORY gives the size in the sentence. */
SOOTH_API sooth_status sooth_grid_init(sooth_env *env, const sooth_grid_options *options, void *memory,
                                       size_t size, sooth_grid **grid);

/* Returns the next configuration: first the fixed ones, then those of the sampler's points, each once.
   Returns 0 when all were returned. If 256 consecutive points hit touched configurations, it returns the
   untouched one nearest to the last point, in O(configurations x knobs). The distance is Manhattan: each
   ordered knob has range 1, and different categories have distance 1. Ties go to the smallest number. A
   sampler with fewer dims than knobs gives 0 for the rest. */
SOOTH_API int sooth_grid_next(sooth_grid *grid, sooth_grid_point_fn *point_fn, const void *point_user,
                              uint32_t *level);

/* Marks a configuration as returned, if it was already measured. Returns 1 if it was untouched. */
SOOTH_API int sooth_grid_touch(sooth_grid *grid, const uint32_t *level);

/* Convert between a configuration and its number. */

SOOTHI_C_END
#endif /* SOOTH_HALTON_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_HALTON_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_HALTON_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- Halton: the fractions ---- */

/* Returns an integer below 2^52 as double, with instructions of every vector unit: n becomes the low bits of
   2^52 + n. */
SOOTHI_LOCAL double soothi_halton_double(uint64_t n) {
    return soothi_double((uint64_t)0x43300000u << 32 | n) - 4503599627370496.0;
}

/* Returns the largest K with base^K <= 2^52, and that power. */
SOOTHI_LOCAL uint32_t soothi_halton_digits(uint32_t base, uint64_t *whole) {
    uint32_t digits = 0;
    for (*whole = 1; *whole <= ((uint64_t)1 << 52) / base; *whole *= base) ++digits;
    return digits;
}

SOOTH_API double sooth_halton_radical_inverse(uint64_t index, uint32_t base) {
    uint64_t whole, numerator = 0;
    uint32_t digits = soothi_halton_digits(base, &whole);
    for (uint32_t k = 0; k < digits; ++k) {
        numerator = numerator * base + index % base;
        index /= base;
    }
    return soothi_halton_double(numerator) / (double)whole;
}

/* Returns the next prime above b. */
SOOTHI_LOCAL uint32_t soothi_halton_prime(uint32_t b) {
    uint32_t f;
    do {
        ++b;
        for (f = 2; f * f <= b && b % f != 0;) ++f;
    } while (f * f <= b);
    return b;
}

/* Returns the contribution of the digits of `high` to the numerator, from position low_digits. Random
   permutations also move zeros, so then all positions count. */
SOOTHI_HOT uint64_t soothi_halton_high(const sooth_halton_axis *axis, uint64_t high) {
    const uint16_t *digit = axis->digit + (size_t)axis->low_digits * axis->step;
    uint64_t numerator = 0;
    uint32_t k = axis->low_digits, base = axis->base;
    for (; high > UINT32_MAX; ++k, digit += axis->step, high /= base) /* never more than the digits */
        numerator += digit[high % base] * axis->weight[k];
    uint32_t rest = (uint32_t)high; /* 32-bit divisions are several times faster */
    for (; k < axis->digits && (rest | axis->step); ++k, digit += axis->step, rest /= base)
        numerator += digit[rest % base] * axis->weight[k];
    return numerator;
}

SOOTHI_LOCAL double soothi_halton_point(const sooth_halton *halton, uint64_t index, uint32_t dim) {
    const sooth_halton_axis *axis = &halton->axis[dim];
    uint64_t i = index * halton->leap;
    return soothi_halton_double(axis->low[i % axis->lows] + soothi_halton_high(axis, i / axis->lows)) /
           (double)(axis->weight[0] * axis->base);
}

SOOTH_API void sooth_halton_row(const void *sampler, uint64_t index, size_t dims, double *point) {
    const sooth_halton *halton = (const sooth_halton *)sampler;
    for (size_t j = 0; j < dims; ++j)
        point[j] = j < halton->dims ? soothi_halton_point(halton, index, (uint32_t)j) : 0.0;
}

/* Rows per block. Points are made column by column, since b^m consecutive points differ only in their low
   digits. */
#define SOOTHI_HALTON_BLOCK 128u

/* value = (low + high) / whole. Four at a time, so that compilers vectorise the loop. */
SOOTHI_LOCAL void soothi_halton_divide(const uint64_t *SOOTH_RESTRICT low, uint64_t high, double whole,
                                       size_t count, double *SOOTH_RESTRICT value) {
    size_t t;
    for (t = 0; t + 4 <= count; t += 4)
        for (size_t k = 0; k < 4; ++k) value[t + k] = soothi_halton_double(low[t + k] + high) / whole;
    for (; t < count; ++t) value[t] = soothi_halton_double(low[t] + high) / whole;
}

/* Computes a coordinate of `rows` consecutive points. */
SOOTHI_LOCAL void soothi_halton_values(const sooth_halton *halton, uint32_t dim, uint64_t first, size_t rows,
                                       double value[SOOTHI_HALTON_BLOCK]) {
    const sooth_halton_axis *axis = &halton->axis[dim];
    double whole = (double)(axis->weight[0] * axis->base);
    uint64_t high = first / axis->lows;
    size_t low = (size_t)(first % axis->lows), r = 0, run;
    for (; halton->leap != 1 && r < rows; ++r) value[r] = soothi_halton_point(halton, first + r, dim);
    for (; r < rows; r += run, low = 0) {
        run = axis->lows - low < rows - r ? axis->lows - low : rows - r;
        soothi_halton_divide(axis->low + low, soothi_halton_high(axis, high++), whole, run, value + r);
    }
}

/* Fills doubles, or floats if doubles is NULL. */
SOOTHI_LOCAL void soothi_halton_fill(const sooth_halton *halton, uint64_t *next, size_t rows, double *doubles,
                                     float *floats) {
    double value[SOOTHI_HALTON_BLOCK];
    size_t dims = halton->dims, at = 0;
    while (rows) {
        size_t n = rows < SOOTHI_HALTON_BLOCK ? rows : SOOTHI_HALTON_BLOCK;
        for (size_t j = 0; j < dims; ++j) {
            soothi_halton_values(halton, (uint32_t)j, *next, n, value);
            for (size_t r = 0; doubles && r < n; ++r) doubles[at + r * dims + j] = value[r];
            for (size_t r = 0; floats && r < n; ++r) { /* keep below 1 */
                const float f = (float)value[r];
                floats[at + r * dims + j] = f < 1.0f ? f : 0.99999994f;
            }
        }
        at += n * dims;
        rows -= n;
        *next += n;
    }
}

SOOTH_API void sooth_halton_fill(const sooth_halton *halton, uint64_t *next, size_t rows, double *out) {
    soothi_halton_fill(halton, next, rows, out, NULL);
}

SOOTH_API void sooth_halton_fill_float(const sooth_halton *halton, uint64_t *next, size_t rows, float *out) {
    soothi_halton_fill(halton, next, rows, NULL, out);
}

/* ---- Halton: making the sampler ---- */

SOOTH_API sooth_option_list sooth_halton_options_list(void) {
    static const sooth_option options[] = {
        SOOTHI_COUNT(sooth_halton_options, dims, 1, SOOTH_HALTON_MAX_DIMS, 0,
                     "number of coordinates of a point"),
        SOOTHI_CHOICE(sooth_halton_options, scramble, "plain|reverse|good|random",
                      "permutations of the digits"),
        SOOTHI_COUNT(sooth_halton_options, seed, 0, 4294967295.0, 0, "seed of the random permutations"),
        SOOTHI_COUNT(sooth_halton_options, leap, 1, 4294967295.0, 1, "take every leap-th point"),
    };
    return SOOTHI_OPTIONS(options);
}

/* Sets base, digits, lows, low_digits and step. lows is the largest power of the base up to 400, or the
   base. */
SOOTHI_LOCAL sooth_halton_axis soothi_halton_shape(uint32_t base, uint32_t scramble) {
    uint64_t whole;
    const uint32_t digits = soothi_halton_digits(base, &whole);
    const uint32_t step = scramble == SOOTH_HALTON_RANDOM ? base : 0;
    sooth_halton_axis axis = {base, digits, base, 1, step, NULL, NULL, NULL};
    for (; axis.lows * base <= 400; axis.lows *= base) ++axis.low_digits;
    return axis;
}

/* Returns Faure's permutation of 0 .. b-1 at i. Even b: twice the permutation of b/2, then these values + 1.
   Odd b: the permutation of b-1 with values from (b-1)/2 raised by one, and (b-1)/2 inserted in the middle.
   At most 2 log2 b deep. */
SOOTHI_LOCAL uint32_t soothi_halton_faure(uint32_t b, uint32_t i) {
    uint32_t half = b / 2;
    if (b % 2 == 0)
        return i < half ? 2 * soothi_halton_faure(half, i) : 2 * soothi_halton_faure(half, i - half) + 1;
    if (i == half) return half;
    uint32_t v = soothi_halton_faure(b - 1, i < half ? i : i - 1);
    return v < half ? v : v + 1;
}

/* Makes one permutation of 0 .. b-1 by Fisher-Yates. */
SOOTHI_LOCAL void soothi_halton_shuffle(uint16_t *digit, uint32_t b, uint32_t seed, uint64_t stream) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, stream);
    for (uint32_t i = 0; i < b; ++i) {
        uint32_t k = sooth_rng_below(&rng, i + 1);
        if (k < i) digit[i] = digit[k];
        digit[k] = (uint16_t)i;
    }
}

SOOTHI_LOCAL void soothi_halton_permute(const sooth_halton_options *options, const sooth_halton_axis *axis,
                                        uint32_t dim, uint16_t *digit) {
    uint32_t b = axis->base;
    if (options->scramble == SOOTH_HALTON_RANDOM) {
        for (uint32_t i = 0; i < axis->digits; ++i)
            soothi_halton_shuffle(digit + (size_t)i * b, b, options->seed, (uint64_t)dim << 32 | i);
        return;
    }
    for (uint32_t i = 0; i < b; ++i) {
        uint32_t to = i;
        if (options->scramble == SOOTH_HALTON_REVERSE) to = i ? b - i : 0;
        if (options->scramble == SOOTH_HALTON_GOOD) to = soothi_halton_faure(b, i);
        digit[i] = (uint16_t)to;
    }
}

/* Lays out and fills a sampler, its axes and their tables. If memory is NULL, only returns the bytes
   needed. */
SOOTHI_LOCAL size_t soothi_halton_build(const sooth_halton_options *options, void *memory) {
    soothi_carver c = {(unsigned char *)memory, 0};
    uint32_t k, rest, base = 1;
    sooth_halton *halton = (sooth_halton *)soothi_carve(&c, 1, sizeof *halton);
    sooth_halton_axis *axes = (sooth_halton_axis *)soothi_carve(&c, options->dims, sizeof *axes);
    for (uint32_t j = 0; j < options->dims; ++j) {
        uint64_t *weight, *low;
        uint16_t *digit;
        base = soothi_halton_prime(base);
        sooth_halton_axis axis = soothi_halton_shape(base, options->scramble);
        axis.weight = weight = (uint64_t *)soothi_carve(&c, axis.digits, sizeof *weight);
        axis.low = low = (uint64_t *)soothi_carve(&c, axis.lows, sizeof *low);
        axis.digit = digit =
            (uint16_t *)soothi_carve(&c, axis.step ? (size_t)base * axis.digits : base, sizeof *digit);
        if (!memory) continue;
        weight[axis.digits - 1] = 1;
        for (k = axis.digits - 1; k > 0; --k) weight[k - 1] = weight[k] * base;
        soothi_halton_permute(options, &axis, j, digit);
        for (uint32_t i = 0; i < axis.lows; ++i) {
            low[i] = 0;
            for (k = 0, rest = i; k < axis.low_digits; ++k, rest /= base)
                low[i] += weight[k] * digit[(size_t)k * axis.step + rest % base];
        }
        axes[j] = axis;
    }
    if (halton) {
        halton->dims = options->dims;
        halton->leap = options->leap ? options->leap : 1;
        halton->axis = axes;
    }
    return c.used;
}

SOOTH_API size_t sooth_halton_size(const sooth_halton_options *options) {
    if (options->dims == 0 || options->dims > SOOTH_HALTON_MAX_DIMS ||
        options->scramble > SOOTH_HALTON_RANDOM)
        return 0;
    return soothi_halton_build(options, NULL);
}

/* Checks the memory of a sampler. */
SOOTHI_LOCAL sooth_status soothi_halton_check_memory(sooth_env *env, const char *what, const void *memory,
                                                     size_t size, size_t needed) {
    if (!memory || size < needed)
        return sooth_fail(env, SOOTH_NO_MEMORY, "the memory has %z bytes, but the %s needs %z",
                          memory ? size : 0, what, needed);
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the memory is not aligned as for double");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_halton_init(sooth_env *env, const sooth_halton_options *options, void *memory,
                                         size_t size, sooth_halton **halton) {
    uint32_t base = 1;
    sooth_status status = sooth_option_check(env, sooth_halton_options_list(), options);
    *halton = NULL;
    if (status != SOOTH_OK) return status;
    if (options->dims == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "dims is 0, but must be between 1 and %d",
                          SOOTH_HALTON_MAX_DIMS);
    for (uint32_t j = 0; j < options->dims && options->leap > 1; ++j) {
        base = soothi_halton_prime(base);
        if (options->leap % base == 0)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "leap is %u, but must not be a multiple of %u, the base of dimension %u",
                              options->leap, base, j + 1);
    }
    status = soothi_halton_check_memory(env, "sampler", memory, size, sooth_halton_size(options));
    if (status != SOOTH_OK) return status;
    soothi_halton_build(options, memory);
    *halton = (sooth_halton *)memory;
    return SOOTH_OK;
}

/* ---- R sequence ---- */

/* floor(a b / 2^64) */
SOOTHI_LOCAL uint64_t soothi_r2_product(uint64_t a, uint64_t b) {
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

SOOTH_API size_t sooth_r2_size(size_t dims) {
    return soothi_round16(sizeof(sooth_r2)) + soothi_product(dims, sizeof(uint64_t));
}

/* With y = 1 / phi the equation x^(d+1) = x + 1 becomes y^d + y^(d+1) = 1. The left side grows with y, so
   bisection finds the bits of y one by one. */
SOOTH_API sooth_status sooth_r2_init(sooth_env *env, size_t dims, void *memory, size_t size,
                                     sooth_r2 **made) {
    uint64_t y = 0, *weight;
    *made = NULL;
    if (dims == 0 || dims > SOOTH_HALTON_MAX_DIMS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "dims is %z, but must be between 1 and %d", dims,
                          SOOTH_HALTON_MAX_DIMS);
    sooth_status status = soothi_halton_check_memory(env, "sampler", memory, size, sooth_r2_size(dims));
    if (status != SOOTH_OK) return status;
    sooth_r2 *r2 = (sooth_r2 *)memory;
    weight = (uint64_t *)(void *)((char *)memory + soothi_round16(sizeof *r2));
    for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1) {
        uint64_t power = y | bit;
        for (uint32_t j = 1; j < dims; ++j) power = soothi_r2_product(power, y | bit);
        if (power + soothi_r2_product(power, y | bit) >= power)
            y |= bit; /* the sum has not wrapped, so it is below 1 */
    }
    weight[0] = y;
    for (size_t j = 1; j < dims; ++j) weight[j] = soothi_r2_product(weight[j - 1], y);
    r2->dims = (uint32_t)dims;
    r2->weight = weight;
    *made = r2;
    return SOOTH_OK;
}

SOOTHI_LOCAL double soothi_r2_point(const sooth_r2 *r2, uint64_t index, uint32_t dim) {
    uint64_t u = ((uint64_t)1 << 63) + index * r2->weight[dim]; /* modulo 2^64 leaves the fraction */
    return soothi_halton_double(u >> 12) * (1.0 / 4503599627370496.0);
}

SOOTH_API void sooth_r2_row(const void *sampler, uint64_t index, size_t dims, double *point) {
    const sooth_r2 *r2 = (const sooth_r2 *)sampler;
    for (size_t j = 0; j < dims; ++j) point[j] = j < r2->dims ? soothi_r2_point(r2, index, (uint32_t)j) : 0.0;
}

SOOTH_API void sooth_r2_fill(const sooth_r2 *r2, uint64_t *next, size_t rows, double *out) {
    for (; rows; --rows, ++*next, out += r2->dims) sooth_r2_row(r2, *next, r2->dims, out);
}

/* ---- Latin hypercube ---- */

/* Each column is first a shuffled 0 .. rows-1 in the output itself, then moved into the slices. The position
   in a slice is an odd multiple of 2^-21, so that it is exact with 31 bits of rows. */
SOOTH_API sooth_status sooth_lhs_fill(sooth_env *env, uint32_t seed, int centred, size_t rows, size_t dims,
                                      double *out) {
    if (rows == 0 || rows > INT32_MAX || dims == 0 || dims > INT32_MAX)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "rows is %z and dims is %z, but both must be between 1 and 2^31 - 1", rows, dims);
    for (size_t j = 0; j < dims; ++j) {
        sooth_rng rng;
        sooth_rng_init(&rng, seed, j);
        for (size_t i = 0; i < rows; ++i) {
            size_t k = sooth_rng_below(&rng, (uint32_t)i + 1);
            if (k < i) out[i * dims + j] = out[k * dims + j];
            out[k * dims + j] = (double)i;
        }
        for (size_t i = 0; i < rows; ++i) {
            double place = centred ? 0.5 : ((double)(sooth_rng_next(&rng) >> 12) + 0.5) * (1.0 / 1048576.0);
            out[i * dims + j] = (out[i * dims + j] + place) / (double)rows;
        }
    }
    return SOOTH_OK;
}

/* ---- grid ---- */

/* Returns 0 if a count is 0, and 2^32 or more if there are too many. */
SOOTHI_LOCAL uint64_t soothi_grid_configurations(const uint32_t *levels, uint32_t knobs) {
    uint64_t product = 1;
    for (uint32_t j = 0; j < knobs && product <= UINT32_MAX; ++j) product *= levels[j];
    return product;
}

SOOTH_API size_t sooth_grid_size(const sooth_grid_options *options) {
    if (!options->levels || options->knobs == 0 || options->knobs > SOOTH_GRID_MAX_KNOBS) return 0;
    const uint64_t count = soothi_grid_configurations(options->levels, options->knobs);
    if (count == 0 || count > UINT32_MAX) return 0;
    return soothi_round16(sizeof(sooth_grid)) + (size_t)((count + 7) / 8);
}

SOOTHI_LOCAL uint32_t soothi_grid_number(const sooth_grid *grid, const uint32_t *level) {
    uint32_t number = 0;
    for (uint32_t j = 0; j < grid->options.knobs; ++j) number = number * grid->options.levels[j] + level[j];
    return number;
}

SOOTHI_LOCAL void soothi_grid_level(const sooth_grid *grid, uint32_t number, uint32_t *level) {
    for (uint32_t j = grid->options.knobs; j-- > 0; number /= grid->options.levels[j])
        level[j] = number % grid->options.levels[j];
}

SOOTHI_LOCAL int soothi_grid_is_touched(const sooth_grid *grid, uint32_t number) {
    return grid->touched[number / 8] >> (number % 8) & 1;
}

SOOTHI_LOCAL int soothi_grid_touch_number(sooth_grid *grid, uint32_t number) {
    if (soothi_grid_is_touched(grid, number)) return 0;
    grid->touched[number / 8] = (unsigned char)(grid->touched[number / 8] | 1u << (number % 8));
    --grid->left;
    return 1;
}

SOOTH_API int sooth_grid_touch(sooth_grid *grid, const uint32_t *level) {
    for (uint32_t j = 0; j < grid->options.knobs; ++j)
        if (level[j] >= grid->options.levels[j]) return 0;
    return soothi_grid_touch_number(grid, soothi_grid_number(grid, level));
}

SOOTHI_LOCAL sooth_status soothi_grid_check(sooth_env *env, const sooth_grid_options *o) {
    if (o->knobs == 0 || o->knobs > SOOTH_GRID_MAX_KNOBS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "knobs is %u, but must be between 1 and %d", o->knobs,
                          SOOTH_GRID_MAX_KNOBS);
    if (!o->levels)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "levels is NULL, but must have a count for each knob");
    if (o->rounding > SOOTH_GRID_NEAREST)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rounding is %u, but must be %d (floor) or %d (nearest)",
                          o->rounding, SOOTH_GRID_FLOOR, SOOTH_GRID_NEAREST);
    for (uint32_t j = 0; j < o->knobs; ++j)
        if (o->levels[j] == 0) return sooth_fail(env, SOOTH_BAD_ARGUMENT, "knob %u has no levels", j + 1);
    if (soothi_grid_configurations(o->levels, o->knobs) > UINT32_MAX)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the grid has more than 2^32 - 1 configurations");
    return SOOTH_OK;
}

/* Marks fixed configurations as touched. sooth_grid_next returns them from the list. */
SOOTHI_LOCAL sooth_status soothi_grid_fix(sooth_env *env, sooth_grid *grid) {
    const sooth_grid_options *o = &grid->options;
    for (size_t f = 0; f < o->fixed_count; ++f) {
        const uint32_t *level = o->fixed + f * o->knobs;
        for (size_t j = 0; j < o->knobs; ++j)
            if (level[j] >= o->levels[j])
                return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                                  "fixed configuration %z has level %u of knob %z, but it must be below %u",
                                  f + 1, level[j], j + 1, o->levels[j]);
        if (soothi_grid_touch_number(grid, soothi_grid_number(grid, level))) continue;
        for (size_t g = 0; g < f; ++g)
            if (soothi_grid_number(grid, o->fixed + g * o->knobs) == soothi_grid_number(grid, level))
                return sooth_fail(env, SOOTH_BAD_ARGUMENT, "fixed configurations %z and %z are the same",
                                  g + 1, f + 1);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "fixed configuration %z is forbidden", f + 1);
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_grid_init(sooth_env *env, const sooth_grid_options *options, void *memory,
                                       size_t size, sooth_grid **made) {
    uint32_t level[SOOTH_GRID_MAX_KNOBS];
    sooth_status status = soothi_grid_check(env, options);
    const size_t needed = status == SOOTH_OK ? sooth_grid_size(options) : 0;
    sooth_grid *grid = (sooth_grid *)memory;
    *made = NULL;
    if (status == SOOTH_OK) status = soothi_halton_check_memory(env, "grid", memory, size, needed);
    if (status != SOOTH_OK) return status;
    memset(memory, 0, needed);
    grid->options = *options;
    grid->touched = (unsigned char *)memory + soothi_round16(sizeof *grid);
    grid->configurations = grid->left = (uint32_t)soothi_grid_configurations(options->levels, options->knobs);
    for (uint32_t i = 0; i < grid->configurations; ++i) {
        int exists = !options->forbidden || !options->forbidden[i];
        if (exists && options->allow_fn) {
            soothi_grid_level(grid, i, level);
            exists = options->allow_fn(options->allow_user, level);
        }
        if (!exists) soothi_grid_touch_number(grid, i);
    }
    if (grid->left == 0) status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "every configuration is forbidden");
    if (status == SOOTH_OK) status = soothi_grid_fix(env, grid);
    if (status == SOOTH_OK) *made = grid;
    return status;
}

/* floor(u n) with u = c / n, correctly rounded, must give c. u n is then at most 2^-52 of c too small, which
   the factor 1 + 2^-51 corrects. Fractions truly below c / n differ by more: by 2^-32 / n (Sobol) or 1 / (b^k
   n) (a Halton point of k digits). */
SOOTHI_LOCAL void soothi_grid_map(const sooth_grid *grid, const double *point, uint32_t *level) {
    for (uint32_t j = 0; j < grid->options.knobs; ++j) {
        uint32_t last = grid->options.levels[j] - 1;
        double at = point[j] * ((double)last + 1.0);
        if (grid->options.rounding == SOOTH_GRID_NEAREST) at = point[j] * (double)last + 0.5;
        at *= 1.0 + 1.0 / 2251799813685248.0;
        level[j] = !(at > 0.0) ? 0 : at < (double)last ? (uint32_t)at : last;
    }
}

/* Replaces `from` by the nearest untouched configuration. At least one must exist. */
SOOTHI_LOCAL void soothi_grid_nearest(const sooth_grid *grid, uint32_t *from) {
    const sooth_grid_options *o = &grid->options;
    uint32_t level[SOOTH_GRID_MAX_KNOBS], best = 0;
    double least = -1.0;
    for (uint32_t i = 0; i < grid->configurations; ++i) {
        double distance = 0.0;
        if (soothi_grid_is_touched(grid, i)) continue;
        soothi_grid_level(grid, i, level);
        for (uint32_t j = 0; j < o->knobs; ++j) {
            uint32_t steps = level[j] > from[j] ? level[j] - from[j] : from[j] - level[j];
            if (steps == 0) continue;
            if (o->categorical && o->categorical[j]) distance += 1.0;
            else distance += (double)steps / (double)(o->levels[j] - 1);
        }
        if (least < 0.0 || distance < least) {
            least = distance;
            best = i;
        }
    }
    soothi_grid_level(grid, best, from);
}

#define SOOTHI_GRID_PATIENCE 256u /* consecutive points on touched configurations */

SOOTH_API int sooth_grid_next(sooth_grid *grid, sooth_grid_point_fn *point_fn, const void *point_user,
                              uint32_t *level) {
    double point[SOOTH_GRID_MAX_KNOBS];
    uint32_t knobs = grid->options.knobs;
    if (grid->fixed_given < grid->options.fixed_count) {
        memcpy(level, grid->options.fixed + grid->fixed_given++ * knobs, knobs * sizeof *level);
        return 1;
    }
    if (grid->left == 0) return 0;
    for (uint32_t tried = 0; tried < SOOTHI_GRID_PATIENCE; ++tried) {
        point_fn(point_user, grid->next++, knobs, point);
        soothi_grid_map(grid, point, level);
        if (soothi_grid_touch_number(grid, soothi_grid_number(grid, level))) return 1;
    }
    soothi_grid_nearest(grid, level);
    return soothi_grid_touch_number(grid, soothi_grid_number(grid, level));
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
