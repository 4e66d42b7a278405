/* test_halton.c - halton.h against GSL and SciPy, and against what points must be by construction.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/halton.h"

#include "../examples/cli/stats/mwc.h"
#include "../examples/teach/discrepancy.h"
#include "check.h"
#define GOLDEN_HALTON
#include "golden/samplers.h"

#define GOLDEN_RANDOM 0x8a85d1df45319097ull /* see same_bits_everywhere */

static sooth_env env;
static uint64_t memory[200000];
static double points[golden_count * 64];
static float floats[golden_count * 8];

static const sooth_halton *make(uint32_t dims, uint32_t scramble, uint32_t seed, uint32_t leap) {
    sooth_halton *halton;
    sooth_halton_options options;
    options.dims = dims;
    options.scramble = scramble;
    options.seed = seed;
    options.leap = leap;
    sooth_env_init(&env);
    CHECK(sooth_halton_size(&options) <= sizeof memory);
    CHECK_STATUS(sooth_halton_init(&env, &options, memory, sooth_halton_size(&options), &halton), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    return halton;
}

static void fill(const sooth_halton *halton, uint64_t first, size_t rows) {
    uint64_t next = first;
    sooth_halton_fill(halton, &next, rows, points);
    CHECK(next == first + rows);
}

/* Of doubles as little-endian bytes, on any machine. */
static unsigned long long hash_doubles(const double *x, size_t count) {
    unsigned long long h = 14695981039346656037ull;
    size_t i;
    unsigned k;
    for (i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (k = 0; k < 64; k += 8) h = (h ^ (bits >> k & 255u)) * 1099511628211ull;
    }
    return h;
}

/* ---- Halton ---- */

static void equals_scipy_and_gsl(void) {
    const golden_points *g;
    size_t i;
    for (g = golden_halton; g->dims; ++g) {
        const sooth_halton *halton = make(g->dims, SOOTH_HALTON_PLAIN, 0, 0);
        fill(halton, 0, golden_count);
        CHECK(hash_doubles(points, golden_count * g->dims) == g->hash);
    }
    for (g = golden_reverse; g->dims; ++g) {
        const sooth_halton *halton = make(g->dims, SOOTH_HALTON_REVERSE, 0, 0);
        fill(halton, 1, golden_count);
        CHECK(hash_doubles(points, golden_count * g->dims) == g->hash);
    }
    {
        const sooth_halton *halton = make(5, SOOTH_HALTON_PLAIN, 0, 0);
        fill(halton, 0, golden_shown);
        for (i = 0; i < golden_shown * 5; ++i) CHECK_NEAR(points[i], golden_halton_first[i], 0x1p-51);
        halton = make(5, SOOTH_HALTON_REVERSE, 0, 0);
        fill(halton, 1, golden_shown);
        for (i = 0; i < golden_shown * 5; ++i) CHECK_NEAR(points[i], golden_reverse_first[i], 0x1p-51);
    }
}

/* A block is the points one by one, whatever the scramble, the leap, the beginning and the pieces. */
static void blocks_equal_points(void) {
    static const uint64_t starts[] = {0, 1, 127, 5000, (1ull << 32) - 70, (1ull << 35) + 3};
    uint32_t scramble, j;
    size_t s, i;
    for (scramble = 0; scramble <= SOOTH_HALTON_RANDOM; ++scramble)
        for (s = 0; s < 12; ++s) {
            uint64_t first = starts[s % 6], next = first;
            const sooth_halton *halton = make(7, scramble, 5, s < 6 ? 0 : 23);
            size_t rows = 300, at = 0, piece = 1;
            if (s >= 6) first = next = first / 23;
            for (; at < rows; at += piece, piece = piece * 3 % 200) {
                if (piece > rows - at) piece = rows - at;
                sooth_halton_fill(halton, &next, piece, points + 7 * at);
            }
            CHECK(next == first + rows);
            next = first;
            sooth_halton_fill_float(halton, &next, rows, floats);
            for (i = 0; i < rows; ++i)
                for (j = 0; j < 7; ++j) {
                    double u = soothi_halton_point(halton, first + i, j);
                    CHECK_NEAR(points[7 * i + j], u, 0);
                    CHECK(u >= 0 && u < 1 && floats[7 * i + j] < 1);
                    CHECK_NEAR(floats[7 * i + j], u, 0x1p-24 * u);
                    if (scramble == SOOTH_HALTON_PLAIN) {
                        uint64_t index = (first + i) * (s < 6 ? 1 : 23);
                        CHECK_NEAR(sooth_halton_radical_inverse(index, halton->axis[j].base), u, 0);
                    }
                }
            if (check_failures) return;
        }
}

/* Points i, .., i + n - 1 with n = prod b_j^k_j lie one in each box of edges b_j^-k_j, for any
   permutations. */
static void fills_every_box(void) {
    static const uint32_t edges[3] = {4, 9, 5};
    unsigned char count[180];
    uint32_t scramble, start, i, j;
    for (scramble = 0; scramble <= SOOTH_HALTON_RANDOM; ++scramble)
        for (start = 0; start < 4; ++start) {
            const sooth_halton *halton = make(3, scramble, 9 + start, start % 2 ? 7 : 0);
            fill(halton, 77 * start, 180);
            memset(count, 0, sizeof count);
            for (i = 0; i < 180; ++i) {
                uint32_t box = 0;
                for (j = 0; j < 3; ++j)
                    box = box * edges[j] + (uint32_t)(points[3 * i + j] * edges[j] * (1 + 0x1p-50));
                CHECK(count[box]++ == 0);
            }
        }
}

/* The permutations of bases 2 to 8 as Faure's construction gives them on paper, and that all are
   permutations. */
static void permutations_are_good(void) {
    static const uint32_t five[] = {0, 3, 2, 1, 4}, seven[] = {0, 2, 5, 3, 1, 4, 6},
                          eight[] = {0, 4, 2, 6, 1, 5, 3, 7};
    uint32_t i, b, dims;
    for (i = 0; i < 5; ++i) CHECK(soothi_halton_faure(5, i) == five[i]);
    for (i = 0; i < 7; ++i) CHECK(soothi_halton_faure(7, i) == seven[i]);
    for (i = 0; i < 8; ++i) CHECK(soothi_halton_faure(8, i) == eight[i]);
    for (b = 2; b < 400; ++b) {
        unsigned char seen[400] = {0};
        for (i = 0; i < b; ++i) CHECK(seen[soothi_halton_faure(b, i)]++ == 0);
        CHECK(soothi_halton_faure(b, 0) == 0 && soothi_halton_faure(b, b - 1) == b - 1);
    }
    /* what they are for: in dimensions 9 and 10 (bases 23 and 29) plain points lie on a few lines */
    for (dims = 10; dims <= 32; dims += 22) {
        double value[4], plain[64 * 2];
        uint32_t scramble;
        for (scramble = 0; scramble <= SOOTH_HALTON_RANDOM; ++scramble) {
            const sooth_halton *halton = make(dims, scramble, 1, 0);
            fill(halton, 1, 64);
            for (i = 0; i < 64; ++i) memcpy(plain + 2 * i, points + i * dims + dims - 2, 2 * sizeof(double));
            CHECK_STATUS(discrepancy(&env, plain, 64, 2, DISCREPANCY_CENTRED, &value[scramble]), SOOTH_OK);
        }
        CHECK(value[SOOTH_HALTON_GOOD] < 0.7 * value[SOOTH_HALTON_PLAIN]);
        CHECK(value[SOOTH_HALTON_RANDOM] < 0.7 * value[SOOTH_HALTON_PLAIN]);
    }
}

/* Each point is uniform over the seeds: its mean 1/2, its variance 1/12, and two seeds have little in
   common. */
static void random_points_are_uniform(void) {
    enum { SEEDS = 4000 };
    uint32_t seed, j;
    double sum[4] = {0}, squares[4] = {0};
    for (seed = 0; seed < SEEDS; ++seed) {
        const sooth_halton *halton = make(4, SOOTH_HALTON_RANDOM, seed, 0);
        for (j = 0; j < 4; ++j) {
            double u = soothi_halton_point(halton, 3, j) - 0.5;
            sum[j] += u / SEEDS;
            squares[j] += u * u / SEEDS;
        }
    }
    for (j = 0; j < 4; ++j) {
        CHECK_NEAR(sum[j], 0, 4 * 0.289 / sqrt(SEEDS));
        CHECK_NEAR(squares[j], 1.0 / 12, 4 * 0.075 / sqrt(SEEDS));
    }
}

static void leap_takes_every_leapth_point(void) {
    const sooth_halton *halton = make(3, SOOTH_HALTON_PLAIN, 0, 409);
    static const uint32_t base[3] = {2, 3, 5};
    uint32_t i, j;
    for (i = 0; i < 100; ++i)
        for (j = 0; j < 3; ++j)
            CHECK_NEAR(soothi_halton_point(halton, i, j), sooth_halton_radical_inverse(409ull * i, base[j]),
                       0);
}

/* The least float above every point is 1; no rounding gets there. */
/* Returns the largest |r| of two coordinates, by the definition of Pearson's correlation. */
static double largest_correlation(const double *x, size_t rows, size_t dims) {
    double most = 0.0;
    for (size_t a = 0; a < dims; ++a)
        for (size_t b = 0; b < a; ++b) {
            double ma = 0.0, mb = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
            for (size_t i = 0; i < rows; ++i) ma += x[i * dims + a] / (double)rows;
            for (size_t i = 0; i < rows; ++i) mb += x[i * dims + b] / (double)rows;
            for (size_t i = 0; i < rows; ++i) {
                const double u = x[i * dims + a] - ma, v = x[i * dims + b] - mb;
                aa += u * u;
                bb += v * v;
                ab += u * v;
            }
            if (ab * ab > most * most * aa * bb) most = sqrt(ab * ab / (aa * bb));
        }
    return most;
}

/* The figures of the header's notes; numpy.corrcoef of the points of `sooth sample`. */
static void few_points_in_many_dimensions_correlate(void) {
    static const struct {
        uint32_t scramble, leap, rows, dims;
        double r;
    } known[] = {{SOOTH_HALTON_PLAIN, 1, 16, 8, 1.0},
                 {SOOTH_HALTON_REVERSE, 1, 16, 8, 0.9962439948521005},
                 {SOOTH_HALTON_GOOD, 1, 16, 8, 0.396835395323624},
                 {SOOTH_HALTON_RANDOM, 1, 16, 8, 0.48940818698096417},
                 {SOOTH_HALTON_PLAIN, 409, 16, 8, 0.8703401644355553},
                 {SOOTH_HALTON_PLAIN, 1, 1000, 40, 0.7552560941734784},
                 {SOOTH_HALTON_REVERSE, 1, 1000, 40, 0.7560197335401516},
                 {SOOTH_HALTON_GOOD, 1, 1000, 40, 0.22836962623532142},
                 {SOOTH_HALTON_RANDOM, 1, 1000, 40, 0.12200104773404567},
                 {SOOTH_HALTON_PLAIN, 409, 1000, 40, 0.4074343218617154}};
    static double x[40 * 1000];
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        const sooth_halton *halton = make(known[k].dims, known[k].scramble, 0, known[k].leap);
        uint64_t next = 0;
        sooth_halton_fill(halton, &next, known[k].rows, x);
        CHECK_NEAR(largest_correlation(x, known[k].rows, known[k].dims), known[k].r, 1e-12);
    }
}

static void floats_stay_below_one(void) {
    const sooth_halton *halton = make(2, SOOTH_HALTON_PLAIN, 0, 0);
    uint64_t next = (1ull << 32) - 1; /* 32 ones in base 2 */
    CHECK(soothi_halton_point(halton, next, 0) < 1);
    sooth_halton_fill_float(halton, &next, 1, floats);
    CHECK(floats[0] < 1 && floats[0] > 0.9999999f);
}

static void memory_is_as_stated(void) {
    sooth_halton_options options;
    sooth_halton *halton;
    memset(&options, 0, sizeof options);
    sooth_env_init(&env);
    for (options.dims = 1; options.dims <= 64; options.dims += 9)
        for (options.scramble = 0; options.scramble <= SOOTH_HALTON_RANDOM; ++options.scramble) {
            size_t size = sooth_halton_size(&options);
            /* a sanitizer sees what is written beyond */
            unsigned char *exact = (unsigned char *)malloc(size);
            CHECK(exact && sooth_halton_init(&env, &options, exact, size, &halton) == SOOTH_OK);
            CHECK(soothi_halton_point(halton, 12345, options.dims - 1) < 1);
            CHECK_FAILS(&env, sooth_halton_init(&env, &options, exact, size - 1, &halton), SOOTH_NO_MEMORY,
                        "but the sampler needs");
            free(exact);
        }
    options.scramble = 0;
    options.dims = SOOTH_HALTON_MAX_DIMS;
    CHECK(sooth_halton_size(&options) > 0);
    {
        size_t size = sooth_halton_size(&options);
        void *large = malloc(size);
        CHECK(large && sooth_halton_init(&env, &options, large, size, &halton) == SOOTH_OK);
        CHECK(halton->axis[SOOTH_HALTON_MAX_DIMS - 1].base == 9973);
        CHECK_NEAR(soothi_halton_point(halton, 1, SOOTH_HALTON_MAX_DIMS - 1), 1 / 9973.0, 0);
        free(large);
    }
}

static void bad_options_are_sentences(void) {
    sooth_halton_options options;
    sooth_halton *halton;
    memset(&options, 0, sizeof options);
    sooth_env_init(&env);
    CHECK(sooth_halton_size(&options) == 0);
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_BAD_ARGUMENT,
                "dims is 0, but must be between 1 and 1229");
    options.dims = 1230;
    CHECK(sooth_halton_size(&options) == 0);
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_BAD_ARGUMENT,
                "dims is 1230, but must be between 1 and 1229");
    options.dims = 4;
    options.scramble = 4;
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_BAD_ARGUMENT,
                "plain|reverse|good|random");
    options.scramble = 0;
    options.leap = 35;
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_BAD_ARGUMENT,
                "leap is 35, but must not be a multiple of 5, the base of dimension 3");
    options.leap = 0;
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, (char *)memory + 1, sizeof memory - 1, &halton),
                SOOTH_BAD_ARGUMENT, "not aligned");
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, NULL, 0, &halton), SOOTH_NO_MEMORY, "has 0 bytes");
    CHECK_STATUS(sooth_halton_init(NULL, &options, NULL, 0, &halton), SOOTH_NO_MEMORY);
}

/* ---- the others ---- */

static sooth_r2 *r2_of(size_t dims) {
    static double room[SOOTH_HALTON_MAX_DIMS + 2];
    sooth_r2 *r2;
    CHECK_STATUS(sooth_r2_init(&env, dims, room, sooth_r2_size(dims), &r2), SOOTH_OK);
    return r2;
}

static void r_sequence_is_exact(void) {
    const uint64_t *weight;
    uint64_t next = 0;
    sooth_r2 *r2;
    size_t i;
    sooth_env_init(&env);
    r2 = r2_of(1);
    weight = r2->weight;
    CHECK_NEAR((double)weight[0], 0.6180339887498948482 * 0x1p64, 0x1p12); /* the golden ratio */
    r2 = r2_of(2);
    weight = r2->weight;
    CHECK_NEAR((double)weight[0], 0x1p64 / 1.32471795724474602596, 0x1p12); /* the plastic number */
    r2 = r2_of(5);
    weight = r2->weight;
    sooth_r2_fill(r2, &next, golden_shown, points);
    CHECK(next == golden_shown);
    for (i = 0; i < golden_shown * 5; ++i) {
        CHECK_NEAR(points[i], golden_r_first[i], 0x1p-51);
        CHECK_NEAR(points[i], soothi_r2_point(r2, i / 5, (uint32_t)(i % 5)), 0);
    }
    CHECK_FAILS(&env, sooth_r2_init(&env, 0, memory, sizeof memory, &r2), SOOTH_BAD_ARGUMENT, "dims is 0");
    CHECK_FAILS(&env, sooth_r2_init(&env, 1230, memory, sizeof memory, &r2), SOOTH_BAD_ARGUMENT,
                "dims is 1230");
    {
        const uint64_t *many;
        r2 = r2_of(SOOTH_HALTON_MAX_DIMS);
        many = r2->weight;
        /* y^d (1 + y) = 1 */
        CHECK_NEAR(pow((double)many[0] * 0x1p-64, SOOTH_HALTON_MAX_DIMS) * (1 + (double)many[0] * 0x1p-64), 1,
                   1e-12);
        CHECK_NEAR((double)many[SOOTH_HALTON_MAX_DIMS - 1] * 0x1p-64, 1 / (1 + (double)many[0] * 0x1p-64),
                   1e-12);
    }
}

static void latin_has_one_in_each_slice(void) {
    static const size_t shapes[][2] = {{1, 1}, {1, 5}, {2, 3}, {7, 4}, {49, 2}, {1000, 6}};
    unsigned char seen[1000];
    size_t s, i, j;
    int centred;
    sooth_env_init(&env);
    for (s = 0; s < 6; ++s)
        for (centred = 0; centred < 2; ++centred) {
            size_t rows = shapes[s][0], dims = shapes[s][1];
            double first;
            CHECK_STATUS(sooth_lhs_fill(&env, 3, centred, rows, dims, points), SOOTH_OK);
            for (j = 0; j < dims; ++j) {
                memset(seen, 0, sizeof seen);
                for (i = 0; i < rows; ++i) {
                    double at = points[i * dims + j] * (double)rows;
                    CHECK(points[i * dims + j] >= 0 && points[i * dims + j] < 1 && seen[(size_t)at]++ == 0);
                    if (centred) CHECK_NEAR(at - floor(at), 0.5, 1e-9);
                }
            }
            first = points[0];
            CHECK_STATUS(sooth_lhs_fill(&env, 3, centred, rows, dims, points), SOOTH_OK);
            CHECK_NEAR(points[0], first, 0); /* the same seed, the same points */
        }
    CHECK_FAILS(&env, sooth_lhs_fill(&env, 3, 0, 0, 2, points), SOOTH_BAD_ARGUMENT,
                "rows is 0 and dims is 2");
    CHECK_FAILS(&env, sooth_lhs_fill(&env, 3, 0, 2, 0, points), SOOTH_BAD_ARGUMENT,
                "rows is 2 and dims is 0");
}

/* Marsaglia's own test (sci.stat.math, 20 January 1999): from z = 12345, w = 65435, and 256 + 10^6 numbers
   used by what stands before it, the millionth number is 904977562. Skipping equals stepping. */
static void mwc_is_marsaglias(void) {
    mwc_state a, b;
    uint32_t i;
    a.high = 12345;
    a.low = 65435;
    mwc_skip(&a, 256 + 1000000 + 999999);
    CHECK(mwc_next(&a) == 904977562u);
    mwc_init(&a, 7);
    b = a;
    for (i = 0; i < 1000; ++i) mwc_next(&a);
    mwc_skip(&b, 1000);
    CHECK(a.high == b.high && a.low == b.low);
    mwc_fill(&a, 100, points);
    for (i = 0; i < 100; ++i) CHECK_NEAR(points[i], mwc_next(&b) * 0x1p-32, 0);
}

static void evenness_equals_scipy(void) {
    const golden_evenness *g;
    uint32_t kind;
    double value, x[4] = {0, 1, 0.5, 0.25};
    sooth_env_init(&env);
    for (g = golden_even; g->x; ++g) {
        for (kind = 0; kind < 4; ++kind) {
            CHECK_STATUS(discrepancy(&env, g->x, g->rows, 5, (discrepancy_kind)kind, &value), SOOTH_OK);
            CHECK_NEAR(value, g->value[kind], 1e-12);
        }
        CHECK_NEAR(least_distance(g->x, g->rows, 5), g->value[4], 1e-15);
    }
    CHECK_NEAR(least_distance(x, 0, 2), 0, 0);
    CHECK_FAILS(&env, discrepancy(&env, x, 2, 2, (discrepancy_kind)4, &value), SOOTH_BAD_ARGUMENT,
                "is 4, but must be between 0 and 3");
    CHECK(!(value > 0.0) && !(value < 0.0));
    CHECK_FAILS(&env, discrepancy(&env, x, 0, 2, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                "there are no points: 0 rows, 2 dims");
    CHECK_FAILS(&env, discrepancy(&env, x, 2, 0, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                "2 rows, 0 dims");
    CHECK_FAILS(&env, discrepancy(&env, NULL, 1, 2, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                "1 rows, 2 dims");
    { /* the first coordinate and the last, and none behind them */
        static const char *const place[6] = {"1 of point 1", "2 of point 1", "1 of point 2",
                                             "2 of point 2", "1 of point 3", "2 of point 3"};
        double p[7] = {0, 1, 0, 1, 0.5, 0.5, -1};
        CHECK_STATUS(discrepancy(&env, p, 3, 2, DISCREPANCY_CENTRED, &value), SOOTH_OK);
        CHECK_STATUS(discrepancy(&env, p, 6, 1, DISCREPANCY_CENTRED, &value), SOOTH_OK);
        for (size_t i = 0; i < 6; ++i) {
            const double was = p[i];
            p[i] = i % 2 ? -0.25 : 1.25;
            value = 7.0;
            CHECK_FAILS(&env, discrepancy(&env, p, 3, 2, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                        place[i]);
            CHECK(!(value > 0.0) && !(value < 0.0));
            p[i] = was;
        }
    }
    { /* twice the same point */
        static const double p[4] = {0.5, 0.5, 0.9, 0.1};
        CHECK_NEAR(least_distance(p, 4, 1), 0, 0);
    }
    x[3] = 1.5;
    CHECK_FAILS(&env, discrepancy(&env, x, 2, 2, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                "coordinate 2 of point 2 is 1.5, but must be between 0 and 1");
    x[3] = NAN;
    CHECK_FAILS(&env, discrepancy(&env, x, 2, 2, DISCREPANCY_CENTRED, &value), SOOTH_BAD_DATA,
                "coordinate 2 of point 2 is nan");
}

/* Four sums side by side, of every fourth row each, the last few rows in the first: the same bits always. */
static void evenness_is_summed_in_one_order(void) {
    double a[3], x[11 * 3];
    sooth_rng rng;
    sooth_rng_init(&rng, 17, 0);
    for (size_t j = 0; j < 3; ++j) a[j] = sooth_rng_double(&rng);
    for (size_t i = 0; i < 33; ++i) x[i] = sooth_rng_double(&rng);
    for (uint32_t kind = 0; kind < 4; ++kind)
        for (size_t rows = 0; rows <= 11; ++rows) {
            double lane[4] = {0, 0, 0, 0};
            for (size_t k = 0; k < rows; ++k) {
                double product = 1.0;
                for (size_t j = 0; j < 3; ++j)
                    product *= discrepancy_two((discrepancy_kind)kind, a[j], x[3 * k + j]);
                lane[k < rows / 4 * 4 ? k % 4 : 0] += product;
            }
            const double is = discrepancy_sum((discrepancy_kind)kind, a, x, rows, 3),
                         twin = (lane[0] + lane[1]) + (lane[2] + lane[3]);
            CHECK(memcmp(&is, &twin, sizeof is) == 0);
        }
}

/* ---- grids ---- */

enum { GRID = (sizeof(sooth_grid) + 15) / 16 * 16 };

static size_t size_of(const uint32_t *levels, uint32_t knobs) {
    sooth_grid_options options;
    memset(&options, 0, sizeof options);
    options.levels = levels;
    options.knobs = knobs;
    return sooth_grid_size(&options);
}

static sooth_grid *grid_of(const uint32_t *levels, uint32_t knobs, uint32_t rounding) {
    static double touched[600];
    sooth_grid_options options;
    sooth_grid *grid;
    memset(&options, 0, sizeof options);
    options.knobs = knobs;
    options.levels = levels;
    options.rounding = rounding;
    CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
    return grid;
}

/* Of the paper's machine: 24 threads, 13 frequencies. */
static void configurations_equal_exact_arithmetic(void) {
    static const uint32_t levels[2] = {24, 13};
    static const struct {
        int sampler; /* a scramble of Halton, or -1: R sequence */
        const uint32_t *expected[2];
    } cases[] = {
        {SOOTH_HALTON_PLAIN, {golden_grid_halton_1_floor, golden_grid_halton_1_nearest}},
        {SOOTH_HALTON_REVERSE, {golden_grid_reverse_1_floor, golden_grid_reverse_1_nearest}},
        {-1, {golden_grid_r_1_floor, golden_grid_r_1_nearest}},
    };
    uint32_t rounding, i, level[2];
    size_t c;
    sooth_env_init(&env);
    for (c = 0; c < 3; ++c)
        for (rounding = 0; rounding < 2; ++rounding) {
            const sooth_halton *halton = make(2, cases[c].sampler < 0 ? 0 : (uint32_t)cases[c].sampler, 0, 0);
            sooth_grid *grid = grid_of(levels, 2, rounding);
            sooth_r2 *r2 = r2_of(2);
            grid->next = 1;
            for (i = 0; i < golden_configurations; ++i) {
                CHECK(cases[c].sampler < 0 ? sooth_grid_next(grid, sooth_r2_row, r2, level)
                                           : sooth_grid_next(grid, sooth_halton_row, halton, level));
                CHECK(level[0] == cases[c].expected[rounding][2 * i] &&
                      level[1] == cases[c].expected[rounding][2 * i + 1]);
            }
        }
}

/* c / n, rounded to a double, is level c of n, and what is just below is level c - 1. */
static void no_level_is_missed_by_rounding(void) {
    uint32_t n, c, level;
    sooth_env_init(&env);
    for (n = 2; n <= 2000; ++n) {
        sooth_grid *grid = grid_of(&n, 1, SOOTH_GRID_FLOOR);
        for (c = 0; c < n; ++c) {
            double u = (double)c / n, below = u - 0x1p-33;
            soothi_grid_map(grid, &u, &level);
            CHECK(level == c);
            soothi_grid_map(grid, &below, &level);
            CHECK(level == (c ? c - 1 : 0));
        }
        if (check_failures) return;
    }
    {
        static const uint32_t levels[4] = {10, 10, 10, 10};
        const double odd[4] = {NAN, -INFINITY, INFINITY, 1.0};
        uint32_t four[4];
        sooth_grid *grid = grid_of(levels, 4, SOOTH_GRID_FLOOR);
        soothi_grid_map(grid, odd, four);
        CHECK(four[0] == 0 && four[1] == 0 && four[2] == 9 && four[3] == 9);
    }
}

static void stuck(const void *sampler, uint64_t index, size_t dims, double *point) {
    uint32_t j;
    for (j = 0; j < dims; ++j) point[j] = *(const double *)sampler;
    (void)index;
}

/* More threads than 2 only at the lowest frequency of the second kind of core. */
static int allowed(void *user, const uint32_t *level) {
    ++*(uint32_t *)user;
    return level[1] != 1 || level[0] < 2 || level[2] == 0;
}

/* With every sampler, every configuration that exists is given once, the fixed ones first, none that does
   not. */
static void never_repeats(void) {
    static const uint32_t levels[4] = {8, 3, 5, 1}, fixed[8] = {7, 0, 4, 0, 0, 0, 0, 0};
    static const uint8_t categorical[4] = {0, 1, 0, 0};
    static const double middle = 0.5;
    static double touched[16];
    uint8_t forbidden[120] = {0}, seen[120];
    uint32_t asked, exist, given, level[4], i, s;
    sooth_env_init(&env);
    for (i = 0; i < 120; i += 7) forbidden[i] = 1;
    forbidden[0] = forbidden[7 * 15 + 4] = 0;
    CHECK(size_of(levels, 4) == GRID + 15);
    for (s = 0; s < 3; ++s) {
        /* the first has fewer dims than knobs */
        const sooth_halton *halton = make(s ? 4 : 2, SOOTH_HALTON_PLAIN, 0, 0);
        sooth_grid_options options;
        sooth_grid *grid;
        memset(&options, 0, sizeof options);
        options.knobs = 4;
        options.levels = levels;
        options.categorical = categorical;
        options.forbidden = forbidden;
        options.allow_fn = allowed;
        options.allow_user = &asked;
        options.fixed = fixed;
        options.fixed_count = 2;
        asked = exist = given = 0;
        CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
        CHECK(asked > 100 && asked <= 120 && grid->configurations == 120);
        memset(seen, 0, sizeof seen);
        while (s < 2 ? sooth_grid_next(grid, sooth_halton_row, halton, level)
                     : sooth_grid_next(grid, stuck, &middle, level)) {
            uint32_t number = soothi_grid_number(grid, level), back[4];
            if (given < 2) CHECK(memcmp(level, fixed + 4 * given, sizeof level) == 0);
            /* 4, 1, 2 does not exist; 1, 1, 2 is 3/7 away, 4, 1, 0 a half, 4, 0, 2 one */
            if (given == 2 && s == 2) CHECK(level[0] == 1 && level[1] == 1 && level[2] == 2);
            CHECK(number < 120 && !seen[number] && !forbidden[number] && allowed(&asked, level));
            soothi_grid_level(grid, number, back);
            CHECK(memcmp(level, back, sizeof level) == 0);
            seen[number] = 1;
            if (++given > 120) break;
        }
        for (i = 0; i < 120; ++i) {
            soothi_grid_level(grid, i, level);
            exist += !forbidden[i] && allowed(&asked, level);
        }
        CHECK(given == exist && grid->left == 0);
        CHECK(!sooth_grid_next(grid, sooth_halton_row, halton, level));
    }
}

static void touched_ones_are_not_given(void) {
    static const uint32_t levels[2] = {3, 3}, known[2] = {1, 1}, outside[2] = {3, 0};
    static const double middle = 0.5;
    uint32_t level[2], given = 0;
    sooth_grid *grid;
    sooth_env_init(&env);
    grid = grid_of(levels, 2, SOOTH_GRID_FLOOR);
    CHECK(sooth_grid_touch(grid, known) && !sooth_grid_touch(grid, known) &&
          !sooth_grid_touch(grid, outside));
    CHECK(grid->left == 8);
    while (sooth_grid_next(grid, stuck, &middle, level)) {
        if (given < 4) CHECK(abs((int)level[0] - 1) + abs((int)level[1] - 1) == 1); /* the neighbours first */
        CHECK(level[0] != 1 || level[1] != 1);
        ++given;
    }
    CHECK(given == 8);
}

/* From the corner of 5 x 3, the first knob having no order. */
static void categories_are_equally_far(void) {
    static const uint32_t levels[2] = {5, 3};
    static const uint8_t categorical[2] = {1, 0};
    static const double start = 0.0;
    static double touched[16];
    uint32_t level[2], given;
    sooth_grid_options options;
    sooth_grid *grid;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    options.knobs = 2;
    options.levels = levels;
    options.categorical = categorical;
    CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
    for (given = 0; sooth_grid_next(grid, stuck, &start, level); ++given) {
        /* 0 0; 0 1 at a half; 0 2 and 1..4 0 at one; 1..4 1 at one and a half; 1..4 2 at two */
        static const uint32_t halves[15] = {0, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
        CHECK(given < 15 && (level[0] ? 2 : 0) + level[1] == halves[given]);
    }
    CHECK(given == 15);
}

static int none(void *user, const uint32_t *level) {
    (void)user;
    (void)level;
    return 0;
}

static void bad_grids_are_sentences(void) {
    static uint32_t levels[65];
    uint32_t fixed[4] = {1, 2, 1, 2}, i;
    double touched[16];
    sooth_grid_options options;
    sooth_grid *grid;
    sooth_env_init(&env);
    for (i = 0; i < 65; ++i) levels[i] = 1;
    memset(&options, 0, sizeof options);
#define GRID_FAILS(words)                                                                                  \
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_BAD_ARGUMENT, \
                words)
    GRID_FAILS("knobs is 0, but must be between 1 and 64");
    options.knobs = 65;
    GRID_FAILS("knobs is 65");
    options.knobs = 2;
    GRID_FAILS("levels is NULL");
    options.levels = levels;
    levels[0] = 2;
    levels[1] = 0;
    GRID_FAILS("knob 2 has no levels");
    CHECK(sooth_grid_size(&options) == 0);
    levels[0] = levels[1] = 65536;
    GRID_FAILS("more than 2^32 - 1 configurations");
    CHECK(sooth_grid_size(&options) == 0);
    levels[0] = levels[1] = 3;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, touched, 1, &grid), SOOTH_NO_MEMORY,
                "the memory has 1 bytes, but the grid needs");
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, (char *)touched + 1, GRID + 2, &grid),
                SOOTH_BAD_ARGUMENT, "the memory is not aligned as for double");
    levels[0] = 2;
    options.rounding = 2;
    GRID_FAILS("rounding is 2");
    options.rounding = 0;
    options.allow_fn = none;
    GRID_FAILS("every configuration is forbidden");
    options.allow_fn = NULL;
    options.fixed = fixed;
    options.fixed_count = 2;
    GRID_FAILS("fixed configurations 1 and 2 are the same");
    fixed[3] = 3;
    GRID_FAILS("fixed configuration 2 has level 3 of knob 2, but it must be below 3");
    {
        static const uint8_t forbidden[6] = {0, 0, 0, 0, 0, 1};
        options.forbidden = forbidden;
        GRID_FAILS("fixed configuration 1 is forbidden");
    }
}

static void same_point(const void *sampler, uint64_t index, size_t dims, double *point) {
    (void)index;
    memcpy(point, sampler, dims * sizeof *point);
}

static void grids_end_where_they_end(void) {
    static uint32_t levels[65];
    const uint32_t most[3] = {65537, 65535, 2}, fixed[8] = {0, 2, 1, 2, 1, 1, 1, 1}, far_out[3] = {0, 3, 0};
    double memory_of[20];
    unsigned char *touched = (unsigned char *)memory_of + GRID;
    sooth_grid_options options;
    sooth_grid *grid;
    sooth_env_init(&env);
    memset(&options, 0, sizeof options);
    memset(memory_of, 0xA5, sizeof memory_of);
    for (size_t i = 0; i < 65; ++i) levels[i] = 1;
    CHECK(size_of(levels, 64) == GRID + 1 && size_of(levels, 65) == 0);
    CHECK(size_of(levels, 1) == GRID + 1 && size_of(levels, 0) == 0 && size_of(NULL, 1) == 0);
    CHECK(size_of(most, 2) == GRID + 536870912u && size_of(most, 3) == 0);
    options.knobs = 64;
    options.levels = levels;
    CHECK_STATUS(sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_OK);
    CHECK(grid->configurations == 1 && grid->left == 1 && touched[1] == 0xA5);
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID, &grid), SOOTH_NO_MEMORY,
                "bytes, but the grid needs");
    CHECK(grid == NULL);
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, NULL, 999, &grid), SOOTH_NO_MEMORY, "has 0 bytes");
    options.rounding = 2;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "rounding is 2, but must be 0 (floor) or 1 (nearest)");
    options.rounding = SOOTH_GRID_NEAREST;
    CHECK_STATUS(sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_OK);
    levels[0] = 0;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "knob 1 has no");
    options.knobs = 5; /* 2^80 */
    for (size_t i = 0; i < 5; ++i) levels[i] = 65536;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "2^32 - 1");
    options.knobs = 3;
    options.levels = most;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "2^32 - 1");
    options.knobs = 2;
    char words[64];
    snprintf(words, sizeof words, "needs %zu", GRID + (size_t)536870912);
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_NO_MEMORY, words);

    levels[0] = 2;
    levels[1] = 3;
    options.levels = levels;
    options.fixed = fixed;
    options.fixed_count = 4;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "fixed configurations 3 and 4 are the same");
    CHECK(grid == NULL);
    options.fixed_count = 2;
    CHECK_STATUS(sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_OK);
    CHECK(grid->left == 4 && touched[0] == (1u << 2 | 1u << 5));
    CHECK(!sooth_grid_touch(grid, fixed) && !sooth_grid_touch(grid, far_out) && grid->left == 4);
    CHECK(!sooth_grid_touch(grid, far_out + 1) && grid->left == 4); /* 3 of 2 */
    options.fixed = most + 2;                                       /* 2 of 2 */
    options.fixed_count = 1;
    options.knobs = 1;
    CHECK_FAILS(&env, sooth_grid_init(&env, &options, memory_of, GRID + 1, &grid), SOOTH_BAD_ARGUMENT,
                "fixed configuration 1 has level 2 of knob 1, but it must be below 2");
}

/* A fraction less than its level's by 2^-51 of it is of the level, by half as much again no longer. */
static void levels_begin_a_little_below(void) {
    const uint32_t levels[1] = {2};
    const double ulp = 1.0 / 9007199254740992.0, below[2] = {0.5 - 2 * ulp, 0.5 - 3 * ulp};
    double touched[16];
    sooth_grid_options options;
    sooth_grid *grid;
    uint32_t level[2];
    memset(&options, 0, sizeof options);
    options.knobs = 1;
    options.levels = levels;
    CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
    for (uint32_t i = 0; i < 2; ++i) soothi_grid_map(grid, below + i, level + i);
    CHECK(level[0] == 1 && level[1] == 0);
}

/* Every configuration from a sampler that always gives the same point: the first is there, then each time the
   nearest that is left, of equals the one with the lowest number. */
static void the_nearest_is_the_naive_twins(void) {
    static const unsigned char categorical[2][3] = {{0, 0, 0}, {0, 1, 0}};
    const uint32_t levels[3] = {4, 3, 5};
    for (int way = 0; way < 8; ++way) {
        const double point[3] = {0.6, way & 1 ? 0.0 : 0.5, 0.3};
        double touched[16];
        int gone[60] = {0};
        sooth_grid_options options;
        sooth_grid *grid;
        uint32_t from[3], level[3];
        memset(&options, 0, sizeof options);
        options.knobs = 3;
        options.levels = levels;
        options.rounding = way & 4 ? SOOTH_GRID_NEAREST : SOOTH_GRID_FLOOR;
        options.categorical = categorical[way / 2 % 2];
        CHECK_STATUS(sooth_grid_init(&env, &options, touched, sizeof touched, &grid), SOOTH_OK);
        for (uint32_t j = 0; j < 3; ++j)
            from[j] =
                way & 4 ? (uint32_t)(point[j] * (levels[j] - 1) + 0.5) : (uint32_t)(point[j] * levels[j]);
        for (uint32_t n = 0; n < 60; ++n) {
            double least = 1e9;
            uint32_t best = 60;
            for (uint32_t i = 0; i < 60; ++i) {
                const uint32_t at[3] = {i / 15, i / 5 % 3, i % 5};
                double distance = 0.0;
                for (uint32_t j = 0; j < 3; ++j) {
                    const double steps = fabs((double)at[j] - (double)from[j]);
                    distance += steps > 0 && options.categorical[j] ? 1.0 : steps / (levels[j] - 1);
                }
                if (!gone[i] && distance < least - 1e-12) least = distance, best = i;
            }
            gone[best] = 1;
            CHECK(sooth_grid_next(grid, same_point, point, level) == 1);
            CHECK(level[0] == best / 15 && level[1] == best / 5 % 3 && level[2] == best % 5);
            CHECK(grid->left == 59 - n && grid->next == 1 + 256 * (uint64_t)n);
            if (check_failures) return;
        }
        CHECK(sooth_grid_next(grid, same_point, point, level) == 0 && grid->next == 1 + 256 * 59);
    }
}

/* One hash of what is random, which no machine and no compiler may change. */
static void same_bits_everywhere(void) {
    const sooth_halton *halton = make(6, SOOTH_HALTON_RANDOM, 2026, 0);
    unsigned long long hash;
    fill(halton, 0, 1000);
    CHECK_STATUS(sooth_lhs_fill(&env, 2026, 0, 100, 6, points + 6000), SOOTH_OK);
    hash = hash_doubles(points, 6600);
    CHECK(hash == GOLDEN_RANDOM);
    if (hash != GOLDEN_RANDOM) printf("  the hash is 0x%llxull\n", hash);
}

/* ---- to the last bit, far out, and not one number too many ---- */

/* The digits of i in base b, moved by the permutation of each position, as a fraction of b^K: the largest K
   with b^K <= 2^52. What stands beyond K digits does not count. */
static double digits_of(const sooth_halton_axis *axis, uint64_t i) {
    uint64_t whole = 1, numerator = 0;
    size_t k;
    for (k = 0; whole <= (1ull << 52) / axis->base; ++k, whole *= axis->base, i /= axis->base)
        numerator = numerator * axis->base + axis->digit[k * axis->step + i % axis->base];
    return (double)numerator / (double)whole;
}

static void far_points_are_exact(void) {
    static const uint64_t far[] = {4294967295ull * 256, 4294967296ull * 256,      4294967296ull * 243 + 1,
                                   1ull << 45,          (1ull << 50) + 123456789, (1ull << 52) - 1,
                                   1ull << 52,          (1ull << 63) + 5,         UINT64_MAX};
    uint32_t scramble, j;
    size_t f;
    for (scramble = 0; scramble <= SOOTH_HALTON_RANDOM; ++scramble) {
        const sooth_halton *halton = make(8, scramble, 3, 0);
        for (f = 0; f < sizeof far / sizeof far[0]; ++f)
            for (j = 0; j < 8; ++j) {
                CHECK_NEAR(soothi_halton_point(halton, far[f], j), digits_of(&halton->axis[j], far[f]), 0);
                if (scramble == SOOTH_HALTON_PLAIN)
                    CHECK_NEAR(sooth_halton_radical_inverse(far[f], halton->axis[j].base),
                               digits_of(&halton->axis[j], far[f]), 0);
            }
    }
    /* 2^52 itself is the whole of base 2 and of bases that are powers of it */
    CHECK_NEAR(sooth_halton_radical_inverse((1ull << 52) - 1, 2), 1 - 0x1p-52, 0);
    CHECK_NEAR(sooth_halton_radical_inverse((1ull << 52) - 1, 4), 1 - 0x1p-52, 0);
    CHECK_NEAR(sooth_halton_radical_inverse((1ull << 52) - 1, 65536), 1 - 0x1p-48, 0);
}

static void nothing_is_written_beyond(void) {
    uint32_t scramble, centred;
    uint64_t next = 0;
    double point[6];
    sooth_r2 *r2;
    mwc_state mwc;
    size_t rows, i;
    for (scramble = 0; scramble <= SOOTH_HALTON_RANDOM; ++scramble) {
        const sooth_halton *halton = make(3, scramble, 3, 0);
        for (i = 0; i < 6; ++i) point[i] = -1;
        sooth_halton_row(halton, 5, 5, point); /* two more than there are */
        CHECK(point[2] > 0 && point[5] < 0);
        CHECK_NEAR(point[3], 0, 0);
        CHECK_NEAR(point[4], 0, 0);
        for (rows = 1; rows < 300; rows += 127) {
            points[3 * rows] = -1;
            floats[3 * rows] = -1;
            next = 0;
            sooth_halton_fill(halton, &next, rows, points);
            next = 0;
            sooth_halton_fill_float(halton, &next, rows, floats);
            CHECK(points[3 * rows] < 0 && floats[3 * rows] < 0);
        }
    }
    sooth_env_init(&env);
    r2 = r2_of(3);
    for (i = 0; i < 6; ++i) point[i] = -1;
    sooth_r2_row(r2, 5, 5, point);
    CHECK(point[2] > 0 && point[5] < 0);
    CHECK_NEAR(point[3], 0, 0);
    CHECK_NEAR(point[4], 0, 0);
    for (centred = 0; centred < 2; ++centred) {
        point[4] = -1;
        CHECK_STATUS(sooth_lhs_fill(&env, 1, (int)centred, 2, 2, point), SOOTH_OK);
        CHECK_NEAR(point[4], -1, 0);
    }
    mwc_init(&mwc, 1);
    point[5] = -1;
    mwc_fill(&mwc, 5, point);
    CHECK(point[4] > 0 && point[5] < 0);
}

/* A sampler that could not be made is NULL. */
static void failures_leave_nothing(void) {
    sooth_halton_options options;
    sooth_halton *halton;
    sooth_r2 *r2;
    memset(&options, 0, sizeof options);
    options.dims = 2;
    options.leap = 2;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_BAD_ARGUMENT,
                "leap is 2, but must not be a multiple of 2, the base of dimension 1");
    CHECK(halton == NULL);
    CHECK_STATUS(sooth_r2_init(&env, 0, memory, sizeof memory, &r2), SOOTH_BAD_ARGUMENT);
    CHECK(r2 == NULL);
    CHECK_FAILS(&env, sooth_r2_init(&env, 2, memory, sooth_r2_size(2) - 1, &r2), SOOTH_NO_MEMORY,
                "but the sampler needs 32");
    CHECK_STATUS(sooth_r2_init(&env, 2, memory, sooth_r2_size(2), &r2), SOOTH_OK);
    options.leap = 1;
    CHECK_STATUS(sooth_halton_init(&env, &options, memory, sizeof memory, &halton), SOOTH_OK);
    CHECK_STATUS(sooth_halton_init(&env, &options, NULL, sizeof memory, &halton), SOOTH_NO_MEMORY);
    options.scramble = SOOTH_HALTON_RANDOM + 1;
    CHECK(sooth_halton_size(&options) == 0);
    options.scramble = 0;
    options.dims = SOOTH_HALTON_MAX_DIMS + 1;
    CHECK(sooth_halton_size(&options) == 0);
    CHECK_FAILS(&env, sooth_lhs_fill(&env, 1, 0, 1ull << 31, 1, points), SOOTH_BAD_ARGUMENT,
                "rows is 2147483648");
    CHECK_FAILS(&env, sooth_lhs_fill(&env, 1, 0, 1, 1ull << 31, points), SOOTH_BAD_ARGUMENT,
                "dims is 2147483648");
}

/* The high 64 bits of a product, by limbs of 16 bits. */
static uint64_t product(uint64_t a, uint64_t b) {
    uint64_t limb[9] = {0};
    unsigned i, j;
    for (i = 0; i < 4; ++i)
        for (j = 0; j < 4; ++j) {
            const uint64_t p = (a >> 16 * i & 65535u) * (b >> 16 * j & 65535u);
            limb[i + j] += p & 65535u;
            limb[i + j + 1] += p >> 16;
        }
    for (i = 0; i < 8; ++i) limb[i + 1] += limb[i] >> 16;
    return (limb[4] & 65535u) | (limb[5] & 65535u) << 16 | (limb[6] & 65535u) << 32 | limb[7] << 48;
}

/* floor(2^64 / golden ratio), and that y is the greatest one in each number of dimensions. */
static void r_weights_are_exact(void) {
    const uint64_t *weight;
    uint64_t y, power;
    uint32_t dims, j;
    sooth_r2 *r2;
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 4);
    for (j = 0; j < 1000; ++j) {
        const uint64_t a = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng),
                       b = (uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng);
        CHECK(soothi_r2_product(a, b) == product(a, b));
    }
    CHECK(soothi_r2_product(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    sooth_env_init(&env);
    r2 = r2_of(1);
    weight = r2->weight;
    CHECK(weight[0] == 0x9E3779B97F4A7C15u);
    for (dims = 1; dims <= 9; ++dims) {
        unsigned more;
        r2 = r2_of(dims);
        weight = r2->weight;
        for (j = 1; j < dims; ++j) CHECK(weight[j] == product(weight[j - 1], weight[0]));
        for (more = 0; more < 2; ++more) {
            y = power = weight[0] + more;
            for (j = 1; j < dims; ++j) power = product(power, y);
            CHECK((power + product(power, y) < power) == (more == 1)); /* y^d + y^(d+1) passes 1 */
        }
    }
}

/* The states are drawn below m - 1 and moved by one, so that they are neither 0 nor m. */
static void mwc_begins_between(void) {
    uint32_t seed;
    for (seed = 0; seed < 100; ++seed) {
        mwc_state mwc;
        sooth_rng rng;
        sooth_rng_init(&rng, seed, 0);
        mwc_init(&mwc, seed);
        CHECK(mwc.high == 1 + sooth_rng_below(&rng, 36969u * 65536u - 2));
        CHECK(mwc.low == 1 + sooth_rng_below(&rng, 18000u * 65536u - 2));
    }
}

int main(void) {
    CHECK_RUN(equals_scipy_and_gsl);
    CHECK_RUN(blocks_equal_points);
    CHECK_RUN(fills_every_box);
    CHECK_RUN(permutations_are_good);
    CHECK_RUN(random_points_are_uniform);
    CHECK_RUN(leap_takes_every_leapth_point);
    CHECK_RUN(few_points_in_many_dimensions_correlate);
    CHECK_RUN(floats_stay_below_one);
    CHECK_RUN(memory_is_as_stated);
    CHECK_RUN(bad_options_are_sentences);
    CHECK_RUN(r_sequence_is_exact);
    CHECK_RUN(latin_has_one_in_each_slice);
    CHECK_RUN(mwc_is_marsaglias);
    CHECK_RUN(evenness_equals_scipy);
    CHECK_RUN(evenness_is_summed_in_one_order);
    CHECK_RUN(configurations_equal_exact_arithmetic);
    CHECK_RUN(no_level_is_missed_by_rounding);
    CHECK_RUN(never_repeats);
    CHECK_RUN(touched_ones_are_not_given);
    CHECK_RUN(categories_are_equally_far);
    CHECK_RUN(bad_grids_are_sentences);
    CHECK_RUN(grids_end_where_they_end);
    CHECK_RUN(levels_begin_a_little_below);
    CHECK_RUN(the_nearest_is_the_naive_twins);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(far_points_are_exact);
    CHECK_RUN(nothing_is_written_beyond);
    CHECK_RUN(failures_leave_nothing);
    CHECK_RUN(r_weights_are_exact);
    CHECK_RUN(mwc_begins_between);
    return check_end("halton");
}
