/* test_sobol.c - the sequences of sobol.h against SciPy and GSL, and that they are nets, also when scrambled.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#define SOOTH_SOBOL_DIMS 128
#include "sooth/halton.h"
#include "sooth/sobol.h"
#include "check.h"
#define GOLDEN_SOBOL
#include "golden/samplers.h"

#define GOLDEN_RANDOM 0xac1c55dd0d17cd08ull /* see same_bits_everywhere */

static sooth_env env;
static double memory[1000 * 30];
static double points[golden_count * 64];
static float floats[golden_count * 64];

static sooth_sobol_options options_of(uint32_t dims, uint32_t numbers, uint32_t order, uint32_t scramble) {
    sooth_sobol_options options;
    memset(&options, 0, sizeof options);
    options.dims = dims;
    options.numbers = numbers;
    options.order = order;
    options.scramble = scramble;
    options.seed = 5;
    return options;
}

/* Bytes of a sampler of this many dimensions. */
static size_t size_of(uint32_t dims) {
    sooth_sobol_options options;
    memset(&options, 0, sizeof options);
    options.dims = dims;
    return sooth_sobol_size(&options);
}

static const sooth_sobol *make(uint32_t dims, uint32_t numbers, uint32_t order, uint32_t scramble) {
    sooth_sobol_options options = options_of(dims, numbers, order, scramble);
    sooth_sobol *sobol;
    sooth_env_init(&env);
    CHECK(size_of(dims) <= sizeof memory);
    CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    return sobol;
}

static void fill(const sooth_sobol *sobol, uint64_t first, size_t rows) {
    uint64_t next = first;
    sooth_sobol_fill(sobol, &next, rows, points);
    CHECK(next == first + rows);
}

/* Of points times 2^32, the last bits masked, as little-endian uint32_t on any machine. */
static unsigned long long hash_words(const double *x, size_t count, uint32_t mask) {
    unsigned long long h = 14695981039346656037ull;
    size_t i;
    unsigned k;
    for (i = 0; i < count; ++i) {
        uint32_t word = (uint32_t)(x[i] * 0x1p32) & mask;
        for (k = 0; k < 32; k += 8) h = (h ^ (word >> k & 255u)) * 1099511628211ull;
    }
    return h;
}

/* ---- what others say ---- */

static void equal(const golden_points *g, uint32_t numbers, uint64_t first, uint32_t mask,
                  const uint32_t *eight) {
    size_t i;
    for (; g->dims; ++g) {
        const sooth_sobol *sobol = make(g->dims, numbers, SOOTH_SOBOL_GRAY, SOOTH_SOBOL_PLAIN);
        fill(sobol, first, golden_count);
        CHECK(hash_words(points, golden_count * g->dims, mask) == g->hash);
        for (i = 0; g->dims == 8 && i < golden_shown * 8; ++i)
            CHECK(((uint32_t)(points[i] * 0x1p32) & mask) == eight[i]);
    }
}

static void equals_scipy(void) {
    equal(golden_scipy, SOOTH_SOBOL_JOE_KUO, 0, UINT32_MAX, golden_scipy_first);
}
static void equals_gsl_sobol(void) {
    equal(golden_gsl_sobol, SOOTH_SOBOL_BRATLEY_FOX, 1, UINT32_MAX, golden_gsl_sobol_first);
}
/* GSL has 31 bits. */
static void equals_gsl_niederreiter(void) {
    equal(golden_gsl_niederreiter, SOOTH_SOBOL_NIEDERREITER, 0, UINT32_MAX - 1,
          golden_gsl_niederreiter_first);
}

/* In two dimensions all are the same; what the paper compares are starts. */
static void two_dimensions_are_one_sequence(void) {
    static const uint32_t levels[2] = {24, 13};
    static const uint32_t *const golden[2][2] = {
        {golden_grid_niederreiter_0_floor, golden_grid_niederreiter_0_nearest},
        {golden_grid_sobol_1_floor, golden_grid_sobol_1_nearest}};
    static double touched[20];
    uint32_t numbers, i, level[2];
    for (numbers = 0; numbers < 3; ++numbers) {
        const sooth_sobol *sobol = make(2, numbers, SOOTH_SOBOL_GRAY, SOOTH_SOBOL_PLAIN);
        uint32_t start, rounding;
        fill(sobol, 0, golden_count);
        CHECK(hash_words(points, golden_count * 2, UINT32_MAX) == golden_scipy[0].hash);
        for (start = 0; start < 2; ++start)
            for (rounding = 0; rounding < 2; ++rounding) {
                const uint32_t *expected = golden[start][rounding];
                sooth_grid_options options;
                sooth_grid *grid;
                memset(&options, 0, sizeof options);
                options.knobs = 2;
                options.levels = levels;
                options.rounding = rounding;
                CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
                grid->next = start;
                for (i = 0; i < golden_configurations; ++i) {
                    CHECK(sooth_grid_next(grid, sooth_sobol_row, sobol, level));
                    CHECK(level[0] == expected[2 * i] && level[1] == expected[2 * i + 1]);
                }
            }
    }
}

/* ---- nets ---- */

/* Counts points[0..2^m) in the boxes whose edges are 2^-k_j, for all k with sum m - t: 2^t in each. `k` and
   `left` walk through these. */
static uint32_t counts[1 << 13];

static void each_box(uint32_t dims, uint32_t m, uint32_t t, uint32_t j, uint32_t left, uint32_t *k) {
    uint32_t i, d;
    if (j + 1 < dims) {
        for (k[j] = 0; k[j] <= left; ++k[j]) each_box(dims, m, t, j + 1, left - k[j], k);
        return;
    }
    k[j] = left;
    memset(counts, 0, sizeof counts[0] << (m - t));
    for (i = 0; i < 1u << m; ++i) {
        uint32_t box = 0;
        for (d = 0; d < dims; ++d)
            box = box << k[d] | (uint32_t)(points[i * dims + d] * (double)(1u << k[d]));
        ++counts[box];
    }
    for (i = 0; i < 1u << (m - t); ++i) CHECK(counts[i] == 1u << t);
}

/* t = sum over dimensions of (degree of its polynomial - 1); 0 for the first of Sobol. Each block of 2^m
   points is a net, whatever is done to them. */
static void blocks_are_nets(void) {
    static const struct { uint32_t dims, t, m; } shapes[] = {{1, 0, 10}, {2, 0, 10}, {3, 1, 9}, {5, 5, 10}};
    uint32_t numbers, order, scramble, block, k[8];
    size_t s;
    for (numbers = 0; numbers < 3; ++numbers)
        for (order = 0; order < 2; ++order)
            for (scramble = 0; scramble <= SOOTH_SOBOL_OWEN; ++scramble)
                for (s = 0; s < 4; ++s) {
                    const sooth_sobol *sobol = make(shapes[s].dims, numbers, order, scramble);
                    for (block = 0; block < 3; ++block) {
                        fill(sobol, (uint64_t)block << shapes[s].m, (size_t)1 << shapes[s].m);
                        each_box(shapes[s].dims, shapes[s].m, shapes[s].t, 0, shapes[s].m - shapes[s].t, k);
                        if (check_failures) {
                            printf("  numbers %u, order %u, scramble %u, dims %u, block %u\n", numbers, order,
                                   scramble, shapes[s].dims, block);
                            return;
                        }
                    }
                }
}

/* In many dimensions: each alone is a net with t = 0 (Sobol) or below the degree (Niederreiter). */
static void each_dimension_is_a_net(void) {
    uint32_t numbers, dims, i, j, k = 10;
    for (numbers = 0; numbers < 2; ++numbers) {
        const sooth_sobol *sobol;
        dims = numbers ? 40 : 128;
        sobol = make(dims, numbers, SOOTH_SOBOL_GRAY, SOOTH_SOBOL_PLAIN);
        for (j = 0; j < dims; ++j) {
            memset(counts, 0, sizeof counts[0] << k);
            for (i = 0; i < 1u << k; ++i) ++counts[soothi_sobol_word(sobol, i, j) >> (32 - k)];
            for (i = 0; i < 1u << k; ++i) CHECK(counts[i] == 1);
        }
    }
    /* of 300 dimensions the polynomials have degrees up to 11; all are irreducible: x^(2^d) = x modulo them
       */
    {
        uint32_t p = 1, irreducibles[12] = {0}, degree;
        static const uint32_t known[12] = {0, 2, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186}; /* OEIS A001037 */
        while ((p = soothi_sobol_irreducible(p)) < 1u << 12) ++irreducibles[soothi_sobol_degree(p)];
        for (degree = 1; degree < 12; ++degree) CHECK(irreducibles[degree] == known[degree]);
    }
}

/* ---- blocks, points, memory ---- */

static void blocks_equal_points(void) {
    static const uint32_t shapes[] = {1, 2, 3, 7, 8, 33, 64, 65, 600};
    static const uint64_t starts[] = {0, 1, 63, 64, 1000, 4294967296ull - 200};
    uint32_t order, scramble, j;
    size_t s, f, i;
    double *large = (double *)malloc(size_of(600));
    CHECK(large != NULL);
    for (s = 0; s < 9 && large; ++s)
        for (order = 0; order < 2; ++order)
            for (scramble = 0; scramble <= SOOTH_SOBOL_OWEN; ++scramble) {
                uint32_t dims = shapes[s];
                sooth_sobol_options options = options_of(dims, SOOTH_SOBOL_NIEDERREITER, order, scramble);
                sooth_sobol *sobol;
                CHECK_STATUS(sooth_sobol_init(&env, &options, large, size_of(dims), &sobol), SOOTH_OK);
                for (f = 0; f < 6; ++f) {
                    uint64_t next = starts[f];
                    size_t rows = 200, at = 0, piece = 1;
                    for (; at < rows; at += piece, piece = piece * 3 % 101) {
                        if (piece > rows - at) piece = rows - at;
                        sooth_sobol_fill(sobol, &next, piece, points + dims * at);
                    }
                    CHECK(next == starts[f] + rows);
                    next = starts[f];
                    sooth_sobol_fill_float(sobol, &next, rows, floats);
                    for (i = 0; i < rows; ++i)
                        for (j = 0; j < dims; ++j) {
                            uint32_t word = soothi_sobol_word(sobol, starts[f] + i, j);
                            CHECK_NEAR(points[dims * i + j], word * 0x1p-32, 0);
                            CHECK_NEAR(floats[dims * i + j], (word >> 8) * 0x1p-24, 0);
                            CHECK_NEAR(soothi_sobol_point(sobol, starts[f] + i, j), word * 0x1p-32, 0);
                        }
                    if (check_failures) return;
                }
            }
    free(large);
}

/* Order: the same points in each block of a power of two; natural order is V of bit k at 2^k. */
static void orders_hold_the_same_points(void) {
    const sooth_sobol gray = *make(1, SOOTH_SOBOL_JOE_KUO, SOOTH_SOBOL_GRAY, SOOTH_SOBOL_PLAIN);
    sooth_sobol natural = gray;
    uint32_t i;
    natural.order = SOOTH_SOBOL_NATURAL;
    for (i = 0; i < 1000; ++i) {
        CHECK(soothi_sobol_word(&natural, i ^ i >> 1, 0) == soothi_sobol_word(&gray, i, 0));
        CHECK(soothi_sobol_word(&natural, i, 0) == soothi_sobol_reverse(i)); /* van der Corput */
    }
}

static void memory_is_as_stated(void) {
    static const uint32_t shapes[] = {1, 2, 3, 63, 64, 65, 128};
    sooth_sobol *sobol;
    size_t s;
    static double two[SOOTH_SOBOL_DOUBLES(2)];
    sooth_env_init(&env);
    CHECK(sizeof two >= size_of(2));
    for (s = 0; s < 7; ++s) {
        sooth_sobol_options options = options_of(shapes[s], 0, 0, SOOTH_SOBOL_MATRIX);
        size_t size = size_of(shapes[s]);
        void *exact = size < 100000 ? malloc(size) : NULL;
        CHECK(SOOTH_SOBOL_DOUBLES(shapes[s]) * sizeof(double) >= size);
        /* the macro counts three pointers of 8 bytes and their padding, whatever their size here */
        CHECK(SOOTH_SOBOL_DOUBLES(shapes[s]) * sizeof(double) < size + 16 + 4 * (8 - sizeof(void *)));
        CHECK(exact && sooth_sobol_init(&env, &options, exact, size, &sobol) == SOOTH_OK);
        CHECK_FAILS(&env, sooth_sobol_init(&env, &options, exact, size - 1, &sobol), SOOTH_NO_MEMORY,
                    "but the sampler needs");
        free(exact);
    }
}

/* ---- scrambles ---- */

/* Numbers that share their first k bits and differ in the next still do after nested scrambling; and what
   happens to a bit depends on those above it. */
static void nested_scramble_is_nested(void) {
    sooth_rng rng;
    uint32_t n, k, flips = 0;
    sooth_rng_init(&rng, 1, 0);
    for (n = 0; n < 20000; ++n) {
        uint32_t seed = sooth_rng_next(&rng), x = sooth_rng_next(&rng), y = sooth_rng_next(&rng), sx, sy;
        k = n % 32;
        y = k ? (x & ~(UINT32_MAX >> k)) | (y & UINT32_MAX >> k) : y; /* the first k bits are x's */
        y = (y & ~(0x80000000u >> k)) | (~x & 0x80000000u >> k);      /* the next is not */
        sx = soothi_sobol_owen(x, seed);
        sy = soothi_sobol_owen(y, seed);
        CHECK(((sx ^ sy) >> (31 - k)) == 1);
        if (k < 31) flips += ((sx ^ x ^ sy ^ y) >> (30 - k)) & 1u; /* whether the bit after flipped alike */
    }
    CHECK(flips > 9000 && flips < 11000); /* of 19,375: it is a toss */
}

/* The mean of f over a net, for many seeds: right on average, and with less spread than random points have.
   f is the product of 3 x_j^2 (mean 1) over 4 dimensions; its standard deviation is sqrt(1.8^4 - 1) = 3.08.
   */
static void scrambled_means_are_unbiased(void) {
    enum { SEEDS = 400, ROWS = 256 };
    uint32_t scramble, seed, i, j;
    for (scramble = SOOTH_SOBOL_SHIFT; scramble <= SOOTH_SOBOL_OWEN; ++scramble) {
        double sum = 0, squares = 0, deviation;
        for (seed = 0; seed < SEEDS; ++seed) {
            sooth_sobol_options options = options_of(4, SOOTH_SOBOL_JOE_KUO, 0, scramble);
            sooth_sobol *sobol;
            double mean = 0;
            options.seed = seed;
            CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
            fill(sobol, 0, ROWS);
            for (i = 0; i < ROWS; ++i) {
                double f = 1;
                for (j = 0; j < 4; ++j) f *= 3 * points[4 * i + j] * points[4 * i + j];
                mean += f / ROWS;
            }
            sum += mean / SEEDS;
            squares += (mean - 1) * (mean - 1) / SEEDS;
        }
        deviation = sqrt(squares);
        CHECK_NEAR(sum, 1, 4 * deviation / sqrt(SEEDS));
        CHECK(deviation < 3.08 / sqrt(ROWS) / 3); /* random points have 0.19, SciPy's Sobol points 0.049 */
    }
}

static void seeds_are_different(void) {
    uint32_t scramble;
    for (scramble = SOOTH_SOBOL_SHIFT; scramble <= SOOTH_SOBOL_OWEN; ++scramble) {
        sooth_sobol_options options = options_of(2, 0, 0, scramble);
        sooth_sobol *sobol;
        uint32_t first, again, other;
        CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
        first = soothi_sobol_word(sobol, 77, 1);
        CHECK(first != soothi_sobol_word(sobol, 77, 0));
        CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
        again = soothi_sobol_word(sobol, 77, 1);
        options.seed = 6;
        CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
        other = soothi_sobol_word(sobol, 77, 1);
        CHECK(first == again && first != other);
    }
}

/* One hash of all that is random, which no machine and no compiler may change. */
static void same_bits_everywhere(void) {
    unsigned long long hash = 0;
    uint32_t scramble;
    for (scramble = SOOTH_SOBOL_SHIFT; scramble <= SOOTH_SOBOL_OWEN; ++scramble) {
        const sooth_sobol *sobol = make(6, SOOTH_SOBOL_JOE_KUO, SOOTH_SOBOL_GRAY, scramble);
        fill(sobol, 0, 500);
        hash = hash * 31 + hash_words(points, 3000, UINT32_MAX);
    }
    CHECK(hash == GOLDEN_RANDOM);
    if (hash != GOLDEN_RANDOM) printf("  the hash is 0x%llxull\n", hash);
}

/* ---- tables and bad input ---- */

static sooth_status load(const char *text, size_t size, uint32_t dims, sooth_sobol **sobol) {
    sooth_sobol_options options = options_of(dims, SOOTH_SOBOL_TABLE, 0, 0);
    options.table = text;
    options.table_size = size;
    sooth_env_init(&env);
    return sooth_sobol_init(&env, &options, memory, sizeof memory, sobol);
}

/* With the first line, blanks and line ends of the published file. */
static void tables_are_read(void) {
    static const char head[] =
        "d       s       a       m_i             \r\n2       1       0       1               \r\n"
        "3       2       1       1 3             \r\n4       3       1       1 3 1\r\n5\t3 2 1 1 1";
    static uint32_t expected[128];
    const sooth_sobol *made = make(128, SOOTH_SOBOL_JOE_KUO, 0, 0);
    sooth_sobol *sobol;
    uint32_t j;
    for (j = 0; j < 128; ++j) expected[j] = soothi_sobol_word(made, 123456789, j);
    CHECK_STATUS(load(head, sizeof head - 1, 5, &sobol), SOOTH_OK);
    for (j = 0; j < 5; ++j) CHECK(soothi_sobol_word(sobol, 123456789, j) == expected[j]);
    CHECK_STATUS(load(soothi_sobol_joe_kuo, strlen(soothi_sobol_joe_kuo), 128, &sobol), SOOTH_OK);
    for (j = 0; j < 128; ++j) CHECK(soothi_sobol_word(sobol, 123456789, j) == expected[j]);
    CHECK_STATUS(load("", 0, 1, &sobol), SOOTH_OK); /* the first dimension needs no line */
}

static void bad_tables_are_sentences(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "the table ends before dimension 2"},
        {"d s a m_i\n2 1 0 1\n", "the table ends before dimension 3"},
        {"2 1 0 1\n4 3 1 1 3 1\n", "line 2 of the table must begin with the dimension 3"},
        {"2 1 0 1\n\n3 2 1 1 3\n", "line 2 of the table must begin with the dimension 3"},
        {"2 0 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
        {"2 32 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
        {"2 99999999999999999999 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
        {"2 1 1 1\n", "line 1 of the table: the coefficients a must be below 2^0"},
        {"2 1 0 1\n3 2 1 1 2\n", "line 2 of the table: m_2 must be odd and below 2^2"},
        {"2 1 0 1\n3 2 1 1 5\n", "line 2 of the table: m_2 must be odd and below 2^2"},
        {"2 1 0 1\n3 2 1 1\n", "line 2 of the table: m_2 must be odd and below 2^2"},
        {"2 1 0 1\n3 2 1 1 x\n", "line 2 of the table: m_2 must be odd and below 2^2"},
        {"2 1 0 1\n3 2 1 1 3 1\n", "line 2 of the table has more than 2 numbers m"},
        {"2 1 0 1\n3 2 1 1 3.5\n", "line 2 of the table has more than 2 numbers m"},
    };
    sooth_sobol *sobol;
    size_t i, cut;
    for (i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        CHECK_FAILS(&env, load(bad[i].text, strlen(bad[i].text), 3, &sobol), SOOTH_BAD_TEXT, bad[i].words);
    for (cut = 0; cut < 300; ++cut) { /* a table cut anywhere, in memory that ends there */
        char *text = (char *)malloc(cut + 1);
        sooth_status status;
        memcpy(text + 1, soothi_sobol_joe_kuo, cut);
        status = load(text + 1, cut, 16, &sobol);
        CHECK(status == SOOTH_OK || status == SOOTH_BAD_TEXT);
        CHECK((status == SOOTH_OK) == (cut >= 244)); /* its last number is 49; cut, it is 4, which is even */
        free(text);
    }
    char *none = (char *)malloc(1); /* a table of no bytes is not looked at */
    CHECK_FAILS(&env, load(none + 1, 0, 3, &sobol), SOOTH_BAD_TEXT, "the table ends before dimension 2");
    free(none);
}

static void bad_options_are_sentences(void) {
    sooth_sobol_options options = options_of(0, 0, 0, 0);
    sooth_sobol *sobol;
    sooth_env_init(&env);
#define SOBOL_FAILS(words)                                                                                 \
    CHECK_FAILS(&env, sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_BAD_ARGUMENT, \
                words)
    SOBOL_FAILS("dims is 0, but must be between 1 and 128 for these numbers");
    options.dims = 129;
    SOBOL_FAILS("dims is 129, but must be between 1 and 128 for these numbers");
    options.dims = 41;
    options.numbers = SOOTH_SOBOL_BRATLEY_FOX;
    SOBOL_FAILS("dims is 41, but must be between 1 and 40 for these numbers");
    options.numbers = SOOTH_SOBOL_TABLE;
    SOBOL_FAILS("table is NULL");
    options.numbers = 4;
    SOBOL_FAILS("joe_kuo|bratley_fox|niederreiter|table");
    options.numbers = 0;
    options.order = 2;
    SOBOL_FAILS("gray|natural");
    options.order = 0;
    options.scramble = 4;
    SOBOL_FAILS("plain|shift|matrix|owen");
    options.scramble = 0;
    options.dims = 65537;
    SOBOL_FAILS("dims is 65537, but must be between 1 and 65536");
    options.dims = 2;
    CHECK_FAILS(&env, sooth_sobol_init(&env, &options, (char *)memory + 1, sizeof memory - 1, &sobol),
                SOOTH_BAD_ARGUMENT, "not aligned");
    CHECK_FAILS(&env, sooth_sobol_init(&env, &options, NULL, 0, &sobol), SOOTH_NO_MEMORY, "has 0 bytes");
    CHECK_STATUS(sooth_sobol_init(NULL, &options, NULL, 0, &sobol), SOOTH_NO_MEMORY);
}

/* ---- tables to their limits, and not one number too many ---- */

/* A polynomial of degree 31 and all its numbers m as great as they may be, or one digit or more beyond. */
static void numbers_have_31_bits(void) {
    static char text[1000];
    static const char *const last[] = {"2147483647", "2147483649",  "2147483648",
                                       "4294967297", "21474836471", "18446744073709551617"};
    uint32_t k;
    size_t n;
    for (n = 0; n < sizeof last / sizeof last[0]; ++n) {
        sooth_sobol *sobol;
        size_t at = (size_t)sprintf(text, "2 31 0");
        for (k = 1; k < 31; ++k) at += (size_t)sprintf(text + at, " %u", (1u << k) - 1);
        at += (size_t)sprintf(text + at, " %s\n", last[n]);
        if (n) {
            CHECK_FAILS(&env, load(text, at, 2, &sobol), SOOTH_BAD_TEXT,
                        "line 1 of the table: m_31 must be odd and below 2^31");
            continue;
        }
        CHECK_STATUS(load(text, at, 2, &sobol), SOOTH_OK);
        if (check_failures) return;
        sobol->order = SOOTH_SOBOL_NATURAL;
        CHECK(soothi_sobol_word(sobol, 1u << 31, 0) == 1);
        for (k = 0; k < 31; ++k)
            CHECK(soothi_sobol_word(sobol, 1u << k, 1) == (UINT32_MAX >> (31 - k)) << (31 - k));
        CHECK(soothi_sobol_word(sobol, 1u << 31, 1) == 0x80000001u); /* m_1 xor 2^31 m_1 */
    }
    CHECK_FAILS(&env, load("2 31 1073741824 1", 17, 2, (sooth_sobol **)(void *)points), SOOTH_BAD_TEXT,
                "the coefficients a must be below 2^30");
}

/* The first line is passed over when it does not begin with a digit. */
static void first_lines_are_names(void) {
    static const struct {
        const char *text;
        const char *words; /* NULL: it is read */
    } tables[] = {{"/\n2 1 0 1\n", NULL},
                  {":\n2 1 0 1\n", NULL},
                  {" \n2 1 0 1", NULL},
                  {"2 1 0 1\r\n", NULL},
                  {"2\t1\t0\t1\t\n", NULL},
                  {"02 1 0 01 ", NULL},
                  {"d\ts\n2 1 0 1\n", NULL},
                  {"2\0011 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
                  {"2 1 0 1\001\n", "line 1 of the table has more than 1 numbers m"},
                  {"0 1 0 1\n2 1 0 1\n", "line 1 of the table must begin with the dimension 2"},
                  {"9 1 0 1\n2 1 0 1\n", "line 1 of the table must begin with the dimension 2"},
                  {"3 1 0 1\n2 1 0 1\n", "line 1 of the table must begin with the dimension 2"},
                  {"2/1 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
                  {"2:1 0 1\n", "line 1 of the table: the degree s must be between 1 and 31"},
                  {"2 1 0 1:\n", "line 1 of the table has more than 1 numbers m"},
                  {"d\n2 1 0 1 1\n", "line 2 of the table has more than 1 numbers m"},
                  {"2 1 0 0\n", "line 1 of the table: m_1 must be odd and below 2^1"},
                  {"2 1 0 3\n", "line 1 of the table: m_1 must be odd and below 2^1"},
                  {"2 2 2 1 1\n", "line 1 of the table: the coefficients a must be below 2^1"},
                  {"2 2 x 1 1\n", "line 1 of the table: the coefficients a must be below 2^1"},
                  {"2 x\n", "line 1 of the table: the degree s must be between 1 and 31"}};
    size_t i;
    for (i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
        sooth_sobol *sobol;
        const size_t size = strlen(tables[i].text);
        char *exact = (char *)malloc(size); /* a sanitizer sees what is read beyond */
        memcpy(exact, tables[i].text, size);
        if (tables[i].words) CHECK_FAILS(&env, load(exact, size, 2, &sobol), SOOTH_BAD_TEXT, tables[i].words);
        else CHECK_STATUS(load(exact, size, 2, &sobol), SOOTH_OK);
        free(exact);
    }
}

static void nothing_is_written_beyond(void) {
    static const uint32_t shapes[] = {1, 3, 8, 64, 65, 600};
    double *large = (double *)malloc(size_of(600)), point[6];
    uint32_t scramble;
    size_t s, rows;
    for (s = 0; s < 6 && large; ++s)
        for (scramble = 0; scramble <= SOOTH_SOBOL_OWEN; scramble += SOOTH_SOBOL_OWEN) {
            const uint32_t dims = shapes[s];
            sooth_sobol_options options =
                options_of(dims, dims < 100 ? SOOTH_SOBOL_JOE_KUO : SOOTH_SOBOL_NIEDERREITER, 0, scramble);
            sooth_sobol *sobol;
            CHECK_STATUS(sooth_sobol_init(&env, &options, large, size_of(dims), &sobol), SOOTH_OK);
            for (rows = 0; rows < 100; rows += 1 + rows / 2) {
                uint64_t next = 3;
                points[dims * rows] = -1;
                floats[dims * rows] = -1;
                sooth_sobol_fill(sobol, &next, rows, points);
                next = 3;
                sooth_sobol_fill_float(sobol, &next, rows, floats);
                CHECK(points[dims * rows] < 0 && floats[dims * rows] < 0);
            }
        }
    free(large);
    {
        const sooth_sobol *sobol = make(3, SOOTH_SOBOL_JOE_KUO, 0, 0);
        size_t i;
        for (i = 0; i < 6; ++i) point[i] = -1;
        sooth_sobol_row(sobol, 5, 5, point); /* two more than there are */
        for (i = 0; i < 3; ++i) CHECK_NEAR(point[i], soothi_sobol_point(sobol, 5, (uint32_t)i), 0);
        CHECK_NEAR(point[3], 0, 0);
        CHECK_NEAR(point[4], 0, 0);
        CHECK(point[5] < 0);
    }
}

/* A sampler that could not be made is NULL. */
static void failures_leave_nothing(void) {
    sooth_sobol_options options = options_of(2, 0, 0, 0);
    sooth_sobol *sobol;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_sobol_init(&env, &options, NULL, sizeof memory, &sobol), SOOTH_NO_MEMORY);
    CHECK(sobol == NULL);
    options.dims = 128;
    CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
    options.numbers = SOOTH_SOBOL_BRATLEY_FOX;
    options.dims = 40;
    CHECK_STATUS(sooth_sobol_init(&env, &options, memory, sizeof memory, &sobol), SOOTH_OK);
    CHECK(size_of(65536) == size_of(0) + 49u * 4 * 65536);
}

/* Of the first three dimensions (Niederreiter: polynomials of degree 1, 1, 2) the matrices that make points
   of indices are regular to the last bit, whatever the memory held: all 2^32 points are different. */
static void every_bit_of_an_index_counts(void) {
    static const uint32_t numbers[] = {SOOTH_SOBOL_JOE_KUO, SOOTH_SOBOL_BRATLEY_FOX,
                                       SOOTH_SOBOL_NIEDERREITER};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        for (uint32_t d = 0; d < 3; ++d) {
            uint32_t basis[32] = {0}, rank = 0;
            memset(memory, 0xFF, sizeof memory);
            const sooth_sobol *sobol = make(3, numbers[i], SOOTH_SOBOL_NATURAL, SOOTH_SOBOL_PLAIN);
            for (uint32_t r = 0; r < 32; ++r) {
                uint32_t v = soothi_sobol_word(sobol, (uint64_t)1 << r, d), bit = 31;
                for (; bit > 0 && (!(v >> bit & 1u) || basis[bit]); --bit)
                    if (v >> bit & 1u) v ^= basis[bit];
                if (v && !basis[bit]) basis[bit] = v, ++rank;
            }
            CHECK(rank == 32);
        }
}

/* A random matrix is lower triangular with ones on its diagonal, to the last of 32 bits: column r is what it
   makes of 2^(31-r), which is direction number r without those before it. */
static void matrices_are_lower_triangular(void) {
    for (uint32_t d = 0; d < 3; ++d) {
        uint32_t from[32], to[32];
        const sooth_sobol *sobol = make(3, SOOTH_SOBOL_JOE_KUO, SOOTH_SOBOL_NATURAL, SOOTH_SOBOL_PLAIN);
        for (uint32_t r = 0; r < 32; ++r) from[r] = soothi_sobol_word(sobol, (uint64_t)1 << r, d);
        sobol = make(3, SOOTH_SOBOL_JOE_KUO, SOOTH_SOBOL_NATURAL, SOOTH_SOBOL_MATRIX);
        for (uint32_t r = 0; r < 32; ++r) {
            to[r] = soothi_sobol_word(sobol, (uint64_t)1 << r, d) ^ soothi_sobol_word(sobol, 0, d);
            for (uint32_t k = 0; k < r; ++k)
                if (from[r] >> (31 - k) & 1u) to[r] ^= to[k];
            CHECK(to[r] >> (31 - r) == 1);
        }
    }
}

int main(void) {
    CHECK_RUN(equals_scipy);
    CHECK_RUN(equals_gsl_sobol);
    CHECK_RUN(equals_gsl_niederreiter);
    CHECK_RUN(two_dimensions_are_one_sequence);
    CHECK_RUN(each_dimension_is_a_net);
    CHECK_RUN(orders_hold_the_same_points);
    CHECK_RUN(memory_is_as_stated);
    CHECK_RUN(nested_scramble_is_nested);
    CHECK_RUN(seeds_are_different);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(tables_are_read);
    CHECK_RUN(bad_tables_are_sentences);
    CHECK_RUN(bad_options_are_sentences);
    CHECK_RUN(numbers_have_31_bits);
    CHECK_RUN(first_lines_are_names);
    CHECK_RUN(nothing_is_written_beyond);
    CHECK_RUN(failures_leave_nothing);
    CHECK_RUN(every_bit_of_an_index_counts);
    CHECK_RUN(matrices_are_lower_triangular);
    CHECK_RUN(blocks_are_nets);
    CHECK_RUN(blocks_equal_points);
    CHECK_RUN(scrambled_means_are_unbiased);
    return check_end("sobol");
}
