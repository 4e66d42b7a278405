/* sobol.h - Sobol and Niederreiter sequences: every power of two points fills the space evenly.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   SOOTH_SOBOL_JOE_KUO      V of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008), as in SciPy
 *   SOOTH_SOBOL_BRATLEY_FOX  V of Bratley and Fox (ACM Trans. Math. Softw. 14, 1988, algorithm 659), as in
 *                            GSL; 40 dimensions. The first two dimensions are those of Joe and Kuo
 *   SOOTH_SOBOL_NIEDERREITER V computed from irreducible polynomials (Bratley, Fox, Niederreiter: ACM Trans.
 *                            Model. Comput. Simul. 2, 1992), as in GSL's niederreiter_2, but any dimension
 *   SOOTH_SOBOL_TABLE        V from the text of a published table: new-joe-kuo-6.21201 has 21,201 dimensions
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/sobol.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static double memory[SOOTH_SOBOL_DOUBLES(2)];
 *         const sooth_sobol_options options = {.dims = 2};
 *         double x[8 * 2];
 *         uint64_t next = 0; // with the origin
 *         int i;
 *         sooth_env env;
 *         sooth_sobol *sobol;
 *         sooth_env_init(&env);
 *         if (sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         sooth_sobol_fill(sobol, &next, 8, x);
 *         for (i = 0; i < 3; ++i) printf("%g %g, ", x[2 * i], x[2 * i + 1]); //> 0 0, 0.5 0.5, 0.75 0.25
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Use powers of two, from index 0: points 1 .. 2^m are not a net.
 * - The cursor sets the first index: 1 for the points of GSL's sobol, 0 for its niederreiter_2 and for SciPy.
 * - A point is a function of its index, a cursor is the next index, and any number of threads may share a
 *   sampler.
 *
 * Method and references
 *
 * Coordinate j of point i of a digital sequence in base 2 is a sum of direction numbers V, one per set bit of
 * i. Addition is exclusive or, on 32 bits that represent a fraction of 2^32:
 *
 *     x_ij = xor over k of i_k V_kj
 *
 * The first 2^m points, and each following 2^m, are a net. If the space is cut into boxes whose edges are
 * powers of 1/2, boxes that are not too small hold equal numbers of points. In Figure 4 of De Sensi
 * (Predicting performance and power consumption of parallel applications, PDP 2016) four points of Sobol are
 * far worse than four of Niederreiter. In two dimensions both are one sequence. But GSL, used by the author's
 * tools, begins Sobol with index 1 and Niederreiter with index 0.
 *
 * Cost
 *
 * Nothing is allocated. The sampler takes 388 bytes per dimension (196 beyond 64 dimensions) of the caller's
 * memory. In blocks a coordinate costs one exclusive or with a table of 64 points (16 beyond 64 dimensions)
 * and the conversion to double. A call takes 6 kB of stack. A single coordinate costs one exclusive or per
 * bit of the index. Niederreiter's polynomials are searched: 1 ms for 600 dimensions, a second for 21,201.
 */
#if !defined(SOOTH_SOBOL_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOBOL_IMPLEMENTED))
#include "base.h"
#endif

#if !defined(SOOTH_SOBOL_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SOBOL_H
SOOTHI_C_BEGIN

/* Compiled-in dimensions of Joe and Kuo's numbers: 16 (0.3 kB), 64 (1.6 kB) or 128 (3.9 kB). */
#ifndef SOOTH_SOBOL_DIMS
#define SOOTH_SOBOL_DIMS 64
#endif
#if SOOTH_SOBOL_DIMS != 16 && SOOTH_SOBOL_DIMS != 64 && SOOTH_SOBOL_DIMS != 128
#error "SOOTH_SOBOL_DIMS must be 16, 64 or 128"
#endif

#define SOOTH_SOBOL_MAX_DIMS 65536 /* max dimensions, from a table or of Niederreiter */

typedef enum sooth_sobol_numbers {
    SOOTH_SOBOL_JOE_KUO = 0,
    SOOTH_SOBOL_BRATLEY_FOX,
    SOOTH_SOBOL_NIEDERREITER,
    SOOTH_SOBOL_TABLE
} sooth_sobol_numbers;

/* The index of points. In each block of a power of two, both orders have the same points. */
typedef enum sooth_sobol_order {
    SOOTH_SOBOL_GRAY = 0, /* bits of i xor i / 2 select directions (Antonov and Saleev, 1979): SciPy, GSL */
    SOOTH_SOBOL_NATURAL   /* bits of i select directions, as in Sobol's definition */
} sooth_sobol_order;

/* Randomisations that keep the points a net. Each point is then uniform in the unit cube, and several seeds
   show the error of a mean. Matousek: J. Complexity 14, 1998. The hash is that of Laine and Karras (Comput.
   Graph. Forum 30, 2011) with Burley's constants (J. Comput. Graph. Tech. 9(4), 2020). */
typedef enum sooth_sobol_scramble {
    SOOTH_SOBOL_PLAIN = 0,
    SOOTH_SOBOL_SHIFT,  /* digital shift: exclusive or with one random word per dimension */
    SOOTH_SOBOL_MATRIX, /* random lower triangular matrix of bits, then shift (Matousek, 1998); as SciPy */
    SOOTH_SOBOL_OWEN    /* nested: a bit flips depending on all higher bits (Owen, 1995), by a hash */
} sooth_sobol_scramble;

/* A table has a line "d s a m_1 .. m_s" for each d = 2, 3, .. in order: degree s and inner coefficients a of
   a primitive polynomial, and the first odd numbers m. A first line of names is skipped. new-joe-kuo-6.21201
   of web.maths.unsw.edu.au/~fkuo/sobol has this format. */
typedef struct sooth_sobol_options {
    uint32_t dims;
    uint32_t numbers;  /* a sooth_sobol_numbers */
    uint32_t order;    /* a sooth_sobol_order */
    uint32_t scramble; /* a sooth_sobol_scramble */
    uint32_t seed;     /* of the scramble */
    const char *table; /* for SOOTH_SOBOL_TABLE */
    size_t table_size; /* characters */
} sooth_sobol_options;

typedef struct sooth_sobol {
    uint32_t dims;
    uint32_t order;
    uint32_t owen;             /* 1: nested scramble, with seeds in `shift` */
    uint32_t block;            /* points of the table `start`: 64 or 16 */
    const uint32_t *direction; /* 32 x dims: V, by bit of the index */
    const uint32_t *start;     /* block x dims: the first points, without shift */
    const uint32_t *shift;     /* dims */
} sooth_sobol;

/* The number of doubles that hold a sampler of this many dimensions, for arrays. */
#define SOOTH_SOBOL_DOUBLES(dims) (((dims) <= 64 ? 97u * (dims) : 49u * (dims)) / 2u + 7u)

/* Returns the bytes that a sampler of options->dims dimensions needs. */
SOOTH_API size_t sooth_sobol_size(const sooth_sobol_options *options);

/* Makes a sampler at the start of memory[0..size), aligned as for double. SOOTH_BAD_TEXT names the invalid
   line of the table. SOOTH_NO_MEMORY gives the size in the sentence. */
SOOTH_API sooth_status sooth_sobol_init(sooth_env *env, const sooth_sobol_options *options, void *memory,
                                        size_t size, sooth_sobol **sobol);

/* Writes the next `rows` points, row by row (rows x dims), and advances the cursor. *next is the index of the
   first point before the call, and of the next point after it. Only 32 bits of the index are used. Doubles
   hold 32 bits of a value, floats its first 24. */
SOOTH_API void sooth_sobol_fill(const sooth_sobol *sobol, uint64_t *next, size_t rows, double *out);
SOOTH_API void sooth_sobol_fill_float(const sooth_sobol *sobol, uint64_t *next, size_t rows, float *out);

/* Writes the first `dims` coordinates of a point, with 0 for missing dimensions: a sooth_grid_point_fn for
   sooth_grid_next. */
SOOTH_API void sooth_sobol_row(const void *sobol, uint64_t index, size_t dims, double *point);

/* Returns the options dims, numbers, order, scramble and seed by name. */
SOOTH_API sooth_option_list sooth_sobol_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_SOBOL_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SOBOL_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_SOBOL_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- points ---- */

SOOTHI_HOT uint32_t soothi_sobol_reverse(uint32_t x) {
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0F0F0F0Fu) << 4 | (x >> 4 & 0x0F0F0F0Fu);
    x = (x & 0x00FF00FFu) << 8 | (x >> 8 & 0x00FF00FFu);
    return x << 16 | x >> 16;
}

/* With reversed bits, addition and exclusive or with an even multiple make each bit depend only on itself and
   lower bits. In the fraction these are the higher bits. */
SOOTHI_LOCAL uint32_t soothi_sobol_owen(uint32_t x, uint32_t seed) {
    x = soothi_sobol_reverse(x) + seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return soothi_sobol_reverse(x);
}

/* Returns the bits that select direction numbers. Gray code is linear too: code(i xor k) = code(i) xor
   code(k). */
SOOTHI_LOCAL uint32_t soothi_sobol_code(const sooth_sobol *sobol, uint32_t index) {
    return sobol->order == SOOTH_SOBOL_GRAY ? index ^ index >> 1 : index;
}

SOOTHI_LOCAL uint32_t soothi_sobol_word(const sooth_sobol *sobol, uint64_t index, uint32_t dim) {
    const uint32_t *v = sobol->direction + dim;
    uint32_t code = soothi_sobol_code(sobol, (uint32_t)index), x = sobol->owen ? 0 : sobol->shift[dim];
    for (; code; code >>= 1, v += sobol->dims) x ^= (0u - (code & 1u)) & *v;
    return sobol->owen ? soothi_sobol_owen(x, sobol->shift[dim]) : x;
}

/* x / 2^32, exactly: x becomes the low bits of 2^20. */
SOOTHI_LOCAL double soothi_sobol_double(uint32_t x) {
    return soothi_double((uint64_t)0x41300000u << 32 | x) - 1048576.0;
}

/* The first 24 bits of x as a fraction, exactly. */
SOOTHI_LOCAL float soothi_sobol_float(uint32_t x) { return (float)(int32_t)(x >> 8) * (1.0f / 16777216.0f); }

SOOTHI_LOCAL double soothi_sobol_point(const sooth_sobol *sobol, uint64_t index, uint32_t dim) {
    return soothi_sobol_double(soothi_sobol_word(sobol, index, dim));
}

SOOTH_API void sooth_sobol_row(const void *sampler, uint64_t index, size_t dims, double *point) {
    const sooth_sobol *sobol = (const sooth_sobol *)sampler;
    for (size_t j = 0; j < dims; ++j)
        point[j] = j < sobol->dims ? soothi_sobol_point(sobol, index, (uint32_t)j) : 0.0;
}

/* ---- blocks of points ---- */

/* By linearity, point i is point (i - i mod B) xor point (i mod B). The second is in the table `start`, the
   first is constant for a block of B points. Several copies of the first are stored side by side, so that
   several rows of few dimensions make one long loop. Many dimensions are processed in parts of this many. */
#define SOOTHI_SOBOL_PART 512u
#define SOOTHI_SOBOL_COPIES 8u

typedef struct soothi_sobol_work {
    const sooth_sobol *sobol;
    uint32_t column;                  /* the first of the part */
    uint32_t width;                   /* columns of the part */
    uint32_t copies;                  /* 8 for up to 64 dims, 1 for more */
    uint32_t code;                    /* of the block's first point */
    uint32_t high[SOOTHI_SOBOL_PART]; /* copies x width: the block's first point, shifted */
    uint32_t seed[SOOTHI_SOBOL_PART]; /* for nested scrambles */
    uint32_t low[SOOTHI_SOBOL_PART];  /* as above; see soothi_sobol_low */
} soothi_sobol_work;

SOOTHI_LOCAL void soothi_sobol_copy(const soothi_sobol_work *work, uint32_t *value) {
    for (uint32_t c = 1; c < work->copies; c *= 2)
        memcpy(value + c * work->width, value, c * work->width * sizeof *value);
}

/* Prepares the columns from `column`. */
SOOTHI_LOCAL void soothi_sobol_part(const sooth_sobol *sobol, uint32_t column, soothi_sobol_work *work) {
    uint32_t rest = sobol->dims - column;
    work->sobol = sobol;
    work->column = column;
    work->width = rest < SOOTHI_SOBOL_PART ? rest : SOOTHI_SOBOL_PART;
    work->copies = sobol->dims * SOOTHI_SOBOL_COPIES <= SOOTHI_SOBOL_PART ? SOOTHI_SOBOL_COPIES : 1;
    work->code = 0;
    size_t bytes = work->width * sizeof(uint32_t);
    if (sobol->owen) {
        memset(work->high, 0, bytes);
        memcpy(work->seed, sobol->shift + column, bytes);
        soothi_sobol_copy(work, work->seed);
    } else {
        memcpy(work->high, sobol->shift + column, bytes);
    }
}

/* Moves to the block that begins with point index. */
SOOTHI_LOCAL void soothi_sobol_go(soothi_sobol_work *work, uint32_t index) {
    const sooth_sobol *sobol = work->sobol;
    const uint32_t *v = sobol->direction + work->column;
    uint32_t code = soothi_sobol_code(sobol, index), change = code ^ work->code;
    for (; change; change >>= 1, v += sobol->dims)
        if (change & 1u)
            for (uint32_t j = 0; j < work->width; ++j) work->high[j] ^= v[j];
    soothi_sobol_copy(work, work->high);
    work->code = code;
}

/* out = a xor b as fractions. Eight at a time, so that compilers vectorise the loop. */
#define SOOTHI_SOBOL_FRACTIONS(name, real, fraction_of)                                                      \
    SOOTHI_LOCAL void name(const uint32_t *SOOTH_RESTRICT a, const uint32_t *SOOTH_RESTRICT b, size_t count, \
                           real *SOOTH_RESTRICT out) {                                                       \
        size_t t;                                                                                            \
        for (t = 0; t + 8 <= count; t += 8)                                                                  \
            for (size_t k = 0; k < 8; ++k) out[t + k] = fraction_of(a[t + k] ^ b[t + k]);                    \
        for (; t < count; ++t) out[t] = fraction_of(a[t] ^ b[t]);                                            \
    }
SOOTHI_SOBOL_FRACTIONS(soothi_sobol_doubles, double, soothi_sobol_double)
SOOTHI_SOBOL_FRACTIONS(soothi_sobol_floats, float, soothi_sobol_float)

/* Returns the values that give the rows of the block from `row` when xored with work->high. This is the
   table. For nested scrambles it is the scrambled points, already xored once with work->high. */
SOOTHI_HOT const uint32_t *soothi_sobol_low(soothi_sobol_work *work, uint32_t row, uint32_t rows) {
    const uint32_t *start = work->sobol->start + (size_t)row * work->sobol->dims + work->column;
    if (!work->sobol->owen) return start;
    for (uint32_t t = 0; t < rows * work->width; ++t)
        work->low[t] = soothi_sobol_owen(start[t] ^ work->high[t], work->seed[t]) ^ work->high[t];
    return work->low;
}

/* Fills doubles, or floats if doubles is NULL. */
SOOTHI_LOCAL void soothi_sobol_fill(const sooth_sobol *sobol, uint64_t *next, size_t rows, double *doubles,
                                    float *floats) {
    soothi_sobol_work work;
    uint32_t dims = sobol->dims, first = (uint32_t)*next, n;
    for (uint32_t column = 0; column < dims; column += SOOTHI_SOBOL_PART) {
        uint32_t row = first % sobol->block, base = first - row;
        size_t left = rows, at = column;
        soothi_sobol_part(sobol, column, &work);
        for (; left; row = 0, base += sobol->block) {
            uint32_t end = left < sobol->block - row ? row + (uint32_t)left : sobol->block;
            left -= end - row;
            soothi_sobol_go(&work, base);
            for (; row < end; row += n, at += (size_t)n * dims) {
                n = end - row < work.copies ? end - row : work.copies;
                const uint32_t *low = soothi_sobol_low(&work, row, n);
                if (doubles) soothi_sobol_doubles(low, work.high, n * work.width, doubles + at);
                else soothi_sobol_floats(low, work.high, n * work.width, floats + at);
            }
        }
    }
    *next += rows;
}

SOOTH_API void sooth_sobol_fill(const sooth_sobol *sobol, uint64_t *next, size_t rows, double *out) {
    soothi_sobol_fill(sobol, next, rows, out, NULL);
}

SOOTH_API void sooth_sobol_fill_float(const sooth_sobol *sobol, uint64_t *next, size_t rows, float *out) {
    soothi_sobol_fill(sobol, next, rows, NULL, out);
}

/* ---- direction numbers: tables ---- */

/* In the format of the published table. Dimension 1 has m_k = 1 and is omitted. */
static const char soothi_sobol_joe_kuo[] =
    "2 1 0 1\n3 2 1 1 3\n4 3 1 1 3 1\n5 3 2 1 1 1\n6 4 1 1 1 3 3\n7 4 4 1 3 5 13\n8 5 2 1 1 5 5 17\n"
    "9 5 4 1 1 5 5 5\n10 5 7 1 1 7 11 19\n11 5 11 1 1 5 1 1\n12 5 13 1 1 1 3 11\n13 5 14 1 3 5 5 31\n"
    "14 6 1 1 3 3 9 7 49\n15 6 13 1 1 1 15 21 21\n16 6 16 1 3 1 13 27 49\n"
#if SOOTH_SOBOL_DIMS > 16
    "17 6 19 1 1 1 15 7 5\n18 6 22 1 3 1 15 13 25\n19 6 25 1 1 5 5 19 61\n20 7 1 1 3 7 11 23 15 103\n"
    "21 7 4 1 3 7 13 13 15 69\n22 7 7 1 1 3 13 7 35 63\n23 7 8 1 3 5 9 1 25 53\n24 7 14 1 3 1 13 9 35 107\n"
    "25 7 19 1 3 1 5 27 61 31\n26 7 21 1 1 5 11 19 41 61\n27 7 28 1 3 5 3 3 13 69\n28 7 31 1 1 7 13 1 19 1\n"
    "29 7 32 1 3 7 5 13 19 59\n30 7 37 1 1 3 9 25 29 41\n31 7 41 1 3 5 13 23 1 55\n32 7 42 1 3 7 3 13 59 17\n"
    "33 7 50 1 3 1 3 5 53 69\n34 7 55 1 1 5 5 23 33 13\n35 7 56 1 1 7 7 1 61 123\n36 7 59 1 1 7 9 13 61 49\n"
    "37 7 62 1 3 3 5 3 55 33\n38 8 14 1 3 1 15 31 13 49 245\n39 8 21 1 3 5 15 31 59 63 97\n"
    "40 8 22 1 3 1 11 11 11 77 249\n41 8 38 1 3 1 11 27 43 71 9\n42 8 47 1 1 7 15 21 11 81 45\n"
    "43 8 49 1 3 7 3 25 31 65 79\n44 8 50 1 3 1 1 19 11 3 205\n45 8 52 1 1 5 9 19 21 29 157\n"
    "46 8 56 1 3 7 11 1 33 89 185\n47 8 67 1 3 3 3 15 9 79 71\n48 8 70 1 3 7 11 15 39 119 27\n"
    "49 8 84 1 1 3 1 11 31 97 225\n50 8 97 1 1 1 3 23 43 57 177\n51 8 103 1 3 7 7 17 17 37 71\n"
    "52 8 115 1 3 1 5 27 63 123 213\n53 8 122 1 1 3 5 11 43 53 133\n54 9 8 1 3 5 5 29 17 47 173 479\n"
    "55 9 13 1 3 3 11 3 1 109 9 69\n56 9 16 1 1 1 5 17 39 23 5 343\n57 9 22 1 3 1 5 25 15 31 103 499\n"
    "58 9 25 1 1 1 11 11 17 63 105 183\n59 9 44 1 1 5 11 9 29 97 231 363\n60 9 47 1 1 5 15 19 45 41 7 383\n"
    "61 9 52 1 3 7 7 31 19 83 137 221\n62 9 55 1 1 1 3 23 15 111 223 83\n63 9 59 1 1 5 13 31 15 55 25 161\n"
    "64 9 62 1 1 3 13 25 47 39 87 257\n"
#endif
#if SOOTH_SOBOL_DIMS > 64
    "65 9 67 1 1 1 11 21 53 125 249 293\n66 9 74 1 1 7 11 11 7 57 79 323\n67 9 81 1 1 5 5 17 13 81 3 131\n"
    "68 9 82 1 1 7 13 23 7 65 251 475\n69 9 87 1 3 5 1 9 43 3 149 11\n70 9 91 1 1 3 13 31 13 13 255 487\n"
    "71 9 94 1 3 3 1 5 63 89 91 127\n72 9 103 1 1 3 3 1 19 123 127 237\n73 9 104 1 1 5 7 23 31 37 243 289\n"
    "74 9 109 1 1 5 11 17 53 117 183 491\n75 9 122 1 1 1 5 1 13 13 209 345\n76 9 124 1 1 3 15 1 57 115 7 33\n"
    "77 9 137 1 3 1 11 7 43 81 207 175\n78 9 138 1 3 1 1 15 27 63 255 49\n"
    "79 9 143 1 3 5 3 27 61 105 171 305\n80 9 145 1 1 5 3 1 3 57 249 149\n81 9 152 1 1 3 5 5 57 15 13 159\n"
    "82 9 157 1 1 1 11 7 11 105 141 225\n83 9 167 1 3 3 5 27 59 121 101 271\n"
    "84 9 173 1 3 5 9 11 49 51 59 115\n85 9 176 1 1 7 1 23 45 125 71 419\n86 9 181 1 1 3 5 23 5 105 109 75\n"
    "87 9 182 1 1 7 15 7 11 67 121 453\n88 9 185 1 3 7 3 9 13 31 27 449\n89 9 191 1 3 1 15 19 39 39 89 15\n"
    "90 9 194 1 1 1 1 1 33 73 145 379\n91 9 199 1 3 1 15 15 43 29 13 483\n92 9 218 1 1 7 3 19 27 85 131 431\n"
    "93 9 220 1 3 3 3 5 35 23 195 349\n94 9 227 1 3 3 7 9 27 39 59 297\n95 9 229 1 1 3 9 11 17 13 241 157\n"
    "96 9 230 1 3 7 15 25 57 33 189 213\n97 9 234 1 1 7 1 9 55 73 83 217\n"
    "98 9 236 1 3 3 13 19 27 23 113 249\n99 9 241 1 3 5 3 23 43 3 253 479\n"
    "100 9 244 1 1 5 5 11 5 45 117 217\n101 9 253 1 3 3 7 29 37 33 123 147\n"
    "102 10 4 1 3 1 15 5 5 37 227 223 459\n103 10 13 1 1 7 5 5 39 63 255 135 487\n"
    "104 10 19 1 3 1 7 9 7 87 249 217 599\n105 10 22 1 1 3 13 9 47 7 225 363 247\n"
    "106 10 50 1 3 7 13 19 13 9 67 9 737\n107 10 55 1 3 5 5 19 59 7 41 319 677\n"
    "108 10 64 1 1 5 3 31 63 15 43 207 789\n109 10 69 1 1 7 9 13 39 3 47 497 169\n"
    "110 10 98 1 3 1 7 21 17 97 19 415 905\n111 10 107 1 3 7 1 3 31 71 111 165 127\n"
    "112 10 115 1 1 5 11 1 61 83 119 203 847\n113 10 121 1 3 3 13 9 61 19 97 47 35\n"
    "114 10 127 1 1 7 7 15 29 63 95 417 469\n115 10 134 1 3 1 9 25 9 71 57 213 385\n"
    "116 10 140 1 3 5 13 31 47 101 57 39 341\n117 10 145 1 1 3 3 31 57 125 173 365 551\n"
    "118 10 152 1 3 7 1 13 57 67 157 451 707\n119 10 158 1 1 1 7 21 13 105 89 429 965\n"
    "120 10 161 1 1 5 9 17 51 45 119 157 141\n121 10 171 1 3 7 7 13 45 91 9 129 741\n"
    "122 10 181 1 3 7 1 23 57 67 141 151 571\n123 10 194 1 1 3 11 17 47 93 107 375 157\n"
    "124 10 199 1 3 3 5 11 21 43 51 169 915\n125 10 203 1 1 5 3 15 55 101 67 455 625\n"
    "126 10 208 1 3 5 9 1 23 29 47 345 595\n127 10 227 1 3 7 7 5 49 29 155 323 589\n"
    "128 10 242 1 3 3 7 5 41 127 61 261 717\n"
#endif
    ;

static const char soothi_sobol_bratley_fox[] =
    "2 1 0 1\n3 2 1 1 1\n4 3 1 1 3 7\n5 3 2 1 1 5\n6 4 1 1 3 1 1\n7 4 4 1 1 3 7\n8 5 2 1 3 3 9 9\n"
    "9 5 13 1 3 7 13 3\n10 5 7 1 1 5 11 27\n11 5 14 1 3 5 1 15\n12 5 11 1 1 7 3 29\n13 5 4 1 3 7 7 21\n"
    "14 6 1 1 1 1 9 23 37\n15 6 16 1 3 3 5 19 33\n16 6 13 1 1 3 13 11 7\n17 6 22 1 1 7 13 25 5\n"
    "18 6 19 1 3 5 11 7 11\n19 6 25 1 1 1 3 13 39\n20 7 1 1 3 1 15 17 63 13\n21 7 32 1 1 5 5 1 27 33\n"
    "22 7 4 1 3 3 3 25 17 115\n23 7 8 1 1 3 15 29 15 41\n24 7 7 1 3 1 7 3 23 79\n25 7 56 1 3 7 9 31 29 17\n"
    "26 7 14 1 1 5 13 11 3 29\n27 7 28 1 3 1 9 5 21 119\n28 7 19 1 1 3 1 23 13 75\n"
    "29 7 50 1 3 3 11 27 31 73\n30 7 21 1 1 7 7 19 25 105\n31 7 42 1 3 5 5 21 9 7\n32 7 31 1 1 1 15 5 49 59\n"
    "33 7 62 1 1 1 1 1 33 65\n34 7 37 1 3 5 15 17 19 21\n35 7 41 1 1 7 11 13 29 3\n36 7 55 1 3 7 5 7 11 113\n"
    "37 7 59 1 1 5 3 15 19 61\n38 8 14 1 3 1 1 9 27 89 7\n39 8 56 1 1 3 7 31 15 45 23\n"
    "40 8 21 1 3 3 9 9 25 107 39\n";

/* Position in a table. */
typedef struct soothi_sobol_text {
    const char *at, *end;
    uint32_t line; /* from 1 */
} soothi_sobol_text;

/* Reads the next number of the line. Returns 0 if no number below 2^31 follows. */
SOOTHI_LOCAL int soothi_sobol_number(soothi_sobol_text *text, uint32_t *value) {
    uint64_t v = 0;
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t')) ++text->at;
    const char *from = text->at;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9' && v <= INT32_MAX; ++text->at)
        v = v * 10 + (uint64_t)(*text->at - '0');
    *value = (uint32_t)v;
    return text->at > from && v <= INT32_MAX;
}

SOOTHI_LOCAL void soothi_sobol_next_line(soothi_sobol_text *text) {
    while (text->at < text->end && *text->at != '\n') ++text->at;
    if (text->at < text->end) ++text->at;
    ++text->line;
}

/* Reads the line of dimension d, s, a and m_1 .. m_s, and extends it: m_k = m_{k-s} xor 2^s m_{k-s} xor (xor
   over i = 1 .. s-1 of 2^i a_i m_{k-i}), where a_1 is the highest bit of a. m[0] is m_1. */
SOOTHI_LOCAL sooth_status soothi_sobol_line(sooth_env *env, soothi_sobol_text *text, uint32_t d,
                                            uint32_t m[32]) {
    uint32_t number, s, a;
    if (text->at >= text->end)
        return sooth_fail(env, SOOTH_BAD_TEXT, "the table ends before dimension %u", d);
    if (!soothi_sobol_number(text, &number) || number != d)
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %u of the table must begin with the dimension %u",
                          text->line, d);
    if (!soothi_sobol_number(text, &s) || s == 0 || s > 31)
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %u of the table: the degree s must be between 1 and 31",
                          text->line);
    if (!soothi_sobol_number(text, &a) || a >= (uint32_t)1 << (s - 1))
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %u of the table: the coefficients a must be below 2^%u",
                          text->line, s - 1);
    for (uint32_t k = 0; k < s; ++k)
        if (!soothi_sobol_number(text, &m[k]) || m[k] % 2 == 0 || m[k] >> k > 1)
            return sooth_fail(env, SOOTH_BAD_TEXT, "line %u of the table: m_%u must be odd and below 2^%u",
                              text->line, k + 1, k + 1);
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t' || *text->at == '\r')) ++text->at;
    if (text->at < text->end && *text->at != '\n')
        return sooth_fail(env, SOOTH_BAD_TEXT, "line %u of the table has more than %u numbers m", text->line,
                          s);
    soothi_sobol_next_line(text);
    for (uint32_t k = s; k < 32; ++k) {
        m[k] = m[k - s] ^ m[k - s] << s;
        for (uint32_t i = 1; i < s; ++i)
            if (a >> (s - 1 - i) & 1u) m[k] ^= m[k - i] << i;
    }
    return SOOTH_OK;
}

/* Reads the direction numbers of a table: V_k = m_k 2^(32-k). */
SOOTHI_LOCAL sooth_status soothi_sobol_read(sooth_env *env, const char *table, size_t size, uint32_t dims,
                                            uint32_t *direction) {
    soothi_sobol_text text = {table, table + size, 1};
    sooth_status status = SOOTH_OK;
    uint32_t m[32];
    if (size && (*table < '0' || *table > '9')) soothi_sobol_next_line(&text);
    for (uint32_t k = 0; k < 32; ++k) m[k] = 1;
    for (uint32_t d = 1; d <= dims && status == SOOTH_OK; ++d) {
        if (d > 1) status = soothi_sobol_line(env, &text, d, m);
        for (uint32_t k = 0; k < 32; ++k) direction[(size_t)k * dims + d - 1] = m[k] << (31 - k);
    }
    return status;
}

/* ---- direction numbers: Niederreiter ---- */

/* Polynomials over GF(2) are the bits of a number, x^k at 2^k. */
SOOTHI_LOCAL uint32_t soothi_sobol_degree(uint64_t p) {
    uint32_t degree = 0;
    while (p >>= 1) ++degree;
    return degree;
}

/* Divides q by p, from the highest power down, and tests the remainder. */
SOOTHI_LOCAL int soothi_sobol_divides(uint32_t p, uint32_t q) {
    uint32_t degree = soothi_sobol_degree(p);
    while (q && soothi_sobol_degree(q) >= degree) q ^= p << (soothi_sobol_degree(q) - degree);
    return q == 0;
}

/* Returns the next irreducible polynomial: not divisible by any of degree 1 to half its degree. */
SOOTHI_LOCAL uint32_t soothi_sobol_irreducible(uint32_t p) {
    uint32_t q, limit;
    do {
        limit = (uint32_t)2 << soothi_sobol_degree(++p) / 2;
        for (q = 2; q < limit && !soothi_sobol_divides(q, p);) ++q;
    } while (q < limit);
    return p;
}

/* Bits v_0, v_1, .. of the expansion of 1 / b for b = p^n of degree m (section 3.3). They are 0 up to the
   degree of p^(n-1), where the bit is 1, and 1 up to m. This is one choice of many, and GSL's. Then v_r = xor
   over k < m of b_k v_(r-m+k). */
SOOTHI_LOCAL uint64_t soothi_sobol_expand(uint64_t b, uint32_t m, uint32_t before) {
    uint64_t v = 0;
    for (uint32_t r = before; r < m; ++r) v |= (uint64_t)1 << r;
    for (uint32_t r = m; r < 64; ++r)
        for (uint32_t k = 0; k < m; ++k) v ^= (b >> k & v >> (r - m + k) & 1u) << r;
    return v;
}

/* Row q of the generator matrix is v_u, v_(u+1), .. of p^n with q = (n-1) e + u, u < e, where e is the degree
   of p. Row 0 is the highest bit. Column r gives the direction number of bit r. Needs 32 + e bits of v. */
SOOTHI_LOCAL void soothi_sobol_niederreiter(uint32_t p, uint32_t dims, uint32_t dim, uint32_t *direction) {
    uint32_t e = soothi_sobol_degree(p), m = 0;
    uint64_t b = 1, v = 0;
    for (uint32_t r = 0; r < 32; ++r) direction[(size_t)r * dims + dim] = 0;
    for (uint32_t q = 0; q < 32; ++q) {
        if (q % e == 0) {
            uint64_t product = 0;
            for (uint32_t k = 0; k <= e; ++k)
                if (p >> k & 1u) product ^= b << k;
            b = product;
            v = soothi_sobol_expand(b, m + e, m);
            m += e;
        }
        for (uint32_t r = 0; r < 32; ++r)
            direction[(size_t)r * dims + dim] |= (uint32_t)(v >> (q % e + r) & 1u) << (31 - q);
    }
}

/* ---- making the sampler ---- */

SOOTH_API sooth_option_list sooth_sobol_options_list(void) {
    static const sooth_option options[] = {
        SOOTHI_COUNT(sooth_sobol_options, dims, 1, SOOTH_SOBOL_MAX_DIMS, 0,
                     "number of coordinates of a point"),
        SOOTHI_CHOICE(sooth_sobol_options, numbers, "joe_kuo|bratley_fox|niederreiter|table",
                      "direction numbers: SciPy's, GSL's sobol, GSL's niederreiter_2"),
        SOOTHI_CHOICE(sooth_sobol_options, order, "gray|natural",
                      "order of the points; gray as in SciPy and GSL"),
        SOOTHI_CHOICE(sooth_sobol_options, scramble, "plain|shift|matrix|owen", "randomisation"),
        SOOTHI_COUNT(sooth_sobol_options, seed, 0, 4294967295.0, 0, "seed of the scramble"),
    };
    return SOOTHI_OPTIONS(options);
}

SOOTHI_LOCAL uint32_t soothi_sobol_block(uint32_t dims) { return dims <= 64 ? 64 : 16; }

SOOTH_API size_t sooth_sobol_size(const sooth_sobol_options *options) {
    return soothi_round16(sizeof(sooth_sobol)) +
           soothi_product(options->dims, (32u + soothi_sobol_block(options->dims) + 1u) * sizeof(uint32_t));
}

SOOTHI_LOCAL sooth_status soothi_sobol_check(sooth_env *env, const sooth_sobol_options *o) {
    static const uint32_t most[4] = {SOOTH_SOBOL_DIMS, 40, SOOTH_SOBOL_MAX_DIMS, SOOTH_SOBOL_MAX_DIMS};
    sooth_status status = sooth_option_check(env, sooth_sobol_options_list(), o);
    if (status != SOOTH_OK) return status;
    if (o->dims == 0 || o->dims > most[o->numbers])
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "dims is %u, but must be between 1 and %u for these numbers", o->dims,
                          most[o->numbers]);
    if (o->numbers == SOOTH_SOBOL_TABLE && !o->table)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "table is NULL, but must be the text of a table of direction numbers");
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_sobol_directions(sooth_env *env, const sooth_sobol_options *o,
                                                  uint32_t *direction) {
    const char *table = o->numbers == SOOTH_SOBOL_TABLE     ? o->table
                        : o->numbers == SOOTH_SOBOL_JOE_KUO ? soothi_sobol_joe_kuo
                                                            : soothi_sobol_bratley_fox;
    const size_t size = o->numbers == SOOTH_SOBOL_TABLE ? o->table_size : soothi_text_length(table);
    uint32_t p = 1;
    if (o->numbers != SOOTH_SOBOL_NIEDERREITER)
        return soothi_sobol_read(env, table, size, o->dims, direction);
    for (uint32_t j = 0; j < o->dims; ++j) {
        p = soothi_sobol_irreducible(p);
        soothi_sobol_niederreiter(p, o->dims, j, direction);
    }
    return SOOTH_OK;
}

/* Returns 1 if an odd number of bits is set. */
SOOTHI_LOCAL uint32_t soothi_sobol_parity(uint32_t x) {
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996u >> (x & 15u) & 1u;
}

/* Multiplies each direction number of a dimension by a random matrix. Bit i of the result, from the top, is
   the old bit i xored with a random selection of the higher bits. */
SOOTHI_LOCAL void soothi_sobol_matrix(sooth_rng *rng, uint32_t dims, uint32_t dim, uint32_t *direction) {
    uint32_t row[32];
    for (uint32_t i = 0; i < 32; ++i) {
        uint32_t own = 0x80000000u >> i;
        row[i] = own | (sooth_rng_next(rng) & ~(own | (own - 1)));
    }
    for (uint32_t k = 0; k < 32; ++k) {
        uint32_t *v = direction + (size_t)k * dims + dim, product = 0;
        for (uint32_t i = 0; i < 32; ++i) product = product << 1 | soothi_sobol_parity(row[i] & *v);
        *v = product;
    }
}

SOOTH_API sooth_status sooth_sobol_init(sooth_env *env, const sooth_sobol_options *options, void *memory,
                                        size_t size, sooth_sobol **made) {
    const uint32_t dims = options->dims;
    sooth_sobol *sobol = (sooth_sobol *)memory;
    sooth_status status = soothi_sobol_check(env, options);
    *made = NULL;
    if (status != SOOTH_OK) return status;
    if (!memory || size < sooth_sobol_size(options))
        return sooth_fail(env, SOOTH_NO_MEMORY, "the memory has %z bytes, but the sampler needs %z",
                          memory ? size : 0, sooth_sobol_size(options));
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the memory is not aligned as for double");
    uint32_t *direction = (uint32_t *)(void *)((char *)memory + soothi_round16(sizeof *sobol));
    status = soothi_sobol_directions(env, options, direction);
    if (status != SOOTH_OK) return status;
    uint32_t *start = direction + (size_t)32 * dims;
    uint32_t *shift = start + (size_t)soothi_sobol_block(dims) * dims;
    for (uint32_t j = 0; j < dims; ++j) {
        sooth_rng rng;
        sooth_rng_init(&rng, options->seed, j);
        shift[j] = options->scramble == SOOTH_SOBOL_PLAIN ? 0 : sooth_rng_next(&rng);
        if (options->scramble == SOOTH_SOBOL_MATRIX) soothi_sobol_matrix(&rng, dims, j, direction);
    }
    const sooth_sobol filled = {dims, options->order, 0, soothi_sobol_block(dims), direction, start, shift};
    *sobol = filled;
    for (uint32_t r = 0; r < sobol->block; ++r)
        for (uint32_t j = 0; j < dims; ++j)
            start[(size_t)r * dims + j] = soothi_sobol_word(sobol, r, j) ^ shift[j]; /* without the shift */
    sobol->owen = options->scramble == SOOTH_SOBOL_OWEN;
    *made = sobol;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
