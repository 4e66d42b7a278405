/* test_drift.c - detectors of drift against river, naive twins in double, published run lengths and sorting.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/online/drift.h"
#include "check.h"
#include "golden/drift.h"

static sooth_env env;
static float memory[4096];

/* ---- river ---- */

static uint32_t seed;
static double uniform(void) {
    seed = 1664525u * seed + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

/* The streams of golden/drift.py. */
static float golden_value(int kind, int i) {
    const double a = uniform(), b = uniform(), c = uniform(), d = uniform();
    const double normal = a + b + c + d - 2, level = i / 2500 % 3;
    if (kind == 0) return (float)(0.7 * normal + 0.1 * level);
    if (kind == 1) return (float)(2 * normal + level);
    if (kind == 2) return normal > 0.5 - 0.2 * level ? 1.0f : 0.0f;
    return (float)(10000 + 3 * normal + 2 * level + (i % 997 == 0 ? 500 : 0));
}

static void page_hinkley_tells_at_rivers_indices(void) {
    static const sooth_page_hinkley_options options[golden_options] = {
        {0, 0, 0, 0, 0, 0},
        {100, SOOTH_PAGE_HINKLEY_UP, 0, 0.1, 20, 1},
        {1, SOOTH_PAGE_HINKLEY_DOWN, 0, 0.5, 12, 0.99}};
    for (int k = 0; k < golden_streams; ++k)
        for (int o = 0; o < golden_options; ++o) {
            const uint32_t *expected = golden_page_hinkley[k][o];
            sooth_page_hinkley detector;
            CHECK_STATUS(sooth_page_hinkley_init(&env, &detector, &options[o]), SOOTH_OK);
            seed = (uint32_t)k + 1;
            for (int i = 0; i < golden_count; ++i) {
                const sooth_drift drift = sooth_page_hinkley_update(&detector, golden_value(k, i));
                CHECK((drift != SOOTH_DRIFT_NONE) == (*expected == (uint32_t)i && i > 0));
                CHECK(o != 1 || drift != SOOTH_DRIFT_DOWN);
                CHECK(o != 2 || drift != SOOTH_DRIFT_UP);
                expected += *expected == (uint32_t)i && i > 0;
                if (check_failures) return;
            }
            CHECK(*expected == 0);
        }
}

static void adwin_has_rivers_window_after_every_value(void) {
    static const sooth_adwin_options options[golden_options] = {
        {0, 0, 0, 0, 0, 0}, {1, 3, 2, 5, 0, 0.3}, {8, 9, 20, 50, 0, 0.05}};
    for (int k = 0; k < golden_streams; ++k)
        for (int o = 0; o < golden_options; ++o) {
            const uint32_t *expected = golden_adwin[k * golden_options + o];
            uint32_t hash = 2166136261u;
            sooth_adwin *detector;
            CHECK_STATUS(sooth_adwin_init(&env, &options[o], memory, sizeof memory, &detector), SOOTH_OK);
            seed = (uint32_t)k + 1;
            for (int i = 0; i < golden_count; ++i) {
                const int drift = sooth_adwin_update(detector, golden_value(k, i)) != SOOTH_DRIFT_NONE;
                CHECK(drift == (*expected == (uint32_t)i && i > 0));
                expected += *expected == (uint32_t)i && i > 0;
                hash = (hash ^ detector->width) * 16777619u;
                if (i % golden_step == golden_step - 1) {
                    const double mean = golden_mean[k * golden_options + o][i / golden_step];
                    CHECK_NEAR(sooth_adwin_mean(detector), mean, 1e-7 * fabs(mean) + 1e-6);
                }
                if (check_failures) return;
            }
            CHECK(*expected == 0 && hash == golden_width[k * golden_options + o]);
        }
}

/* ---- ADWIN ---- */

static float normal_value(sooth_rng *rng) { return (float)sooth_rng_normal(rng); }

/* Mean and variance of the window are those of its values, summed anew in double; here with clock so long
   that nothing is cut, and a window that forgets at its stated length. */
static void adwin_forgets_what_has_no_room(void) {
    static float value[5000];
    sooth_adwin_options options = {UINT32_MAX, 3, 0, 0, 100, 0};
    sooth_adwin *detector;
    sooth_rng rng;
    uint32_t longest = 0;
    sooth_rng_init(&rng, 3, 0);
    CHECK(sooth_adwin_size(&options) == sizeof(sooth_adwin) + 8 * 4 * 6); /* 3 (2^6 - 1) = 189 >= 100 */
    CHECK_STATUS(sooth_adwin_init(&env, &options, memory, sizeof(sooth_adwin) + 8 * 4 * 6, &detector),
                 SOOTH_OK);
    CHECK(!(sooth_adwin_mean(detector) <= 0 || sooth_adwin_mean(detector) >= 0)); /* NaN */
    for (int i = 0; i < 5000; ++i) {
        double mean = 0, variance = 0;
        value[i] = 1000 + normal_value(&rng);
        CHECK(sooth_adwin_update(detector, value[i]) == SOOTH_DRIFT_NONE);
        if (detector->width > longest) longest = detector->width;
        for (uint32_t k = 0; k < detector->width; ++k) mean += (double)value[i - (int)k] / detector->width;
        for (uint32_t k = 0; k < detector->width; ++k)
            variance +=
                ((double)value[i - (int)k] - mean) * ((double)value[i - (int)k] - mean) / detector->width;
        CHECK_NEAR(sooth_adwin_mean(detector), mean, 1e-4); /* a float around 1000 */
        CHECK(i < 100 ? detector->width == (uint32_t)i + 1 : detector->width >= 100);
    }
    CHECK(longest == 189);
}

/* Bifet and Gavalda, theorem 3.1: a check cuts by mistake with probability delta at most. */
static void adwin_rarely_cuts_what_is_stationary(void) {
    static const double delta[2] = {0.002, 0.3};
    for (int trial = 0; trial < 2; ++trial) {
        const sooth_adwin_options options = {32, 0, 0, 0, 0, delta[trial]};
        int alarms = 0;
        sooth_adwin *detector;
        sooth_rng rng;
        sooth_rng_init(&rng, 4, 0);
        CHECK_STATUS(sooth_adwin_init(&env, &options, memory, sizeof memory, &detector), SOOTH_OK);
        for (int i = 0; i < 100000; ++i)
            alarms += sooth_adwin_update(detector, sooth_rng_float(&rng)) != SOOTH_DRIFT_NONE;
        CHECK(alarms <= delta[trial] * 100000 / 32);
        CHECK_NEAR(sooth_adwin_mean(detector), 0.5, 0.02);
    }
}

/* Of 40 streams of each shift the window then holds the new values alone, but for a few of the old. */
static void adwin_keeps_the_present(void) {
    sooth_adwin *detector;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    CHECK_STATUS(sooth_adwin_init(&env, NULL, memory, sizeof memory, &detector), SOOTH_OK);
    for (int trial = 0; trial < 40; ++trial) {
        const float shift = trial % 2 ? 0.4f : -0.4f;
        sooth_drift told = SOOTH_DRIFT_NONE;
        sooth_adwin_reset(detector);
        for (int i = 0; i < 2000; ++i) {
            const sooth_drift drift =
                sooth_adwin_update(detector, 0.2f * normal_value(&rng) + (i < 1000 ? 0 : shift));
            CHECK(i >= 1000 || drift == SOOTH_DRIFT_NONE);
            if (drift != SOOTH_DRIFT_NONE && told == SOOTH_DRIFT_NONE) {
                told = drift;
                CHECK(i < 1000 + 96);
            }
        }
        CHECK(told == (trial % 2 ? SOOTH_DRIFT_UP : SOOTH_DRIFT_DOWN));
        CHECK(detector->width > 900 && detector->width < 1050);
        CHECK_NEAR(sooth_adwin_mean(detector), shift, 0.05);
    }
}

/* ---- CUSUM ---- */

/* The same in double. */
static int naive_cusum(double c[2], double z, double k, double h) {
    c[0] = fmax(0, c[0] + z - k);
    c[1] = fmax(0, c[1] - z - k);
    if (c[0] <= h && c[1] <= h) return SOOTH_DRIFT_NONE;
    const int drift = c[0] > h ? SOOTH_DRIFT_UP : SOOTH_DRIFT_DOWN;
    c[0] = c[1] = 0;
    return drift;
}

static void cusum_equals_its_twin(void) {
    const sooth_cusum_options options = {0, 0, 0.25, 4, 20, 2, 0, 0};
    double c[2] = {0, 0};
    int drifts[3] = {0, 0, 0};
    sooth_cusum detector;
    sooth_rng rng;
    sooth_rng_init(&rng, 6, 0);
    CHECK_STATUS(sooth_cusum_init(&env, &detector, &options), SOOTH_OK);
    for (int i = 0; i < 100000; ++i) {
        const float value = 20 + 2 * normal_value(&rng);
        const sooth_drift drift = sooth_cusum_update(&detector, value);
        CHECK((int)drift == naive_cusum(c, ((double)value - 20) / 2, 0.25, 4));
        CHECK_NEAR(detector.high, c[0], 1e-5);
        CHECK_NEAR(detector.low, c[1], 1e-5);
        ++drifts[drift];
    }
    CHECK(drifts[SOOTH_DRIFT_UP] > 500 && drifts[SOOTH_DRIFT_DOWN] > 500);
}

/* Mean number of values until drift, of streams shifted by so many standard deviations. */
static double run_length(const sooth_cusum_options *options, double shift, int runs, sooth_rng *rng) {
    double values = 0;
    sooth_cusum detector;
    CHECK_STATUS(sooth_cusum_init(&env, &detector, options), SOOTH_OK);
    for (int found = 0; found < runs; ++values)
        found += sooth_cusum_update(&detector, (float)shift + normal_value(rng)) != SOOTH_DRIFT_NONE;
    return values / runs;
}

/* Montgomery, Introduction to Statistical Quality Control, table 9.3 (k = 1/2; two-sided), and for other k
   Siegmund's approximation (Sequential Analysis, 1985): (exp(-2 D b) + 2 D b - 1) / (2 D^2), b = h + 1.166,
   D = shift - k for one side; of both 1 / ARL add up. */
static void run_lengths_are_the_published_ones(void) {
    static const double shift[6] = {0, 0.5, 1, 1.5, 2, 3};
    static const double published[2][6] = {{168, 26.6, 8.38, 4.75, 3.34, 2.19},
                                           {465, 38.0, 10.4, 5.75, 4.01, 2.57}};
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    for (int h = 0; h < 2; ++h)
        for (int s = 0; s < 6; ++s) {
            const sooth_cusum_options options = {0, 0, 0.5, 4 + h, 0, 1, 0, 0};
            const int runs = s ? 4000 : 1500; /* of a nearly exponential length: 2.6 % is one error */
            CHECK_CLOSE(run_length(&options, shift[s], runs, &rng), published[h][s], s ? 0.05 : 0.08);
        }
    for (int i = 0; i < 3; ++i) {
        const double k = 0.25 + 0.25 * i, h = 8.0 / (1 + i), b = h + 1.166;
        const sooth_cusum_options options = {0, 0, k, h, 0, 1, 0, 0};
        const double siegmund = (exp(2 * k * b) - 2 * k * b - 1) / (4 * k * k);
        CHECK_CLOSE(run_length(&options, 0, 1500, &rng), siegmund, 0.1);
    }
}

/* Mean and standard deviation are those of the first values, far from 0 too; after a drift they are learned
   again. A stream of equal values drifts at the first other one. */
/* Solves a x = b by elimination; a is n x n. */
static void solve(double *a, double *b, int n) {
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int r = i + 1; r < n; ++r)
            if (fabs(a[r * n + i]) > fabs(a[pivot * n + i])) pivot = r;
        for (int c = 0; c < n; ++c) {
            const double swap = a[i * n + c];
            a[i * n + c] = a[pivot * n + c];
            a[pivot * n + c] = swap;
        }
        const double swap = b[i];
        b[i] = b[pivot];
        b[pivot] = swap;
        for (int r = 0; r < n; ++r) {
            const double f = a[r * n + i] / a[i * n + i];
            if (r == i || fabs(f) <= 0) continue;
            for (int c = i; c < n; ++c) a[r * n + c] -= f * a[i * n + c];
            b[r] -= f * b[i];
        }
    }
    for (int i = 0; i < n; ++i) b[i] /= a[i * n + i];
}

/* A stream of 0 and 1 beside the logarithm of the likelihood ratio in double, whose upper side it is; and its
   run lengths beside the Markov chain of Brook and Evans (Biometrika 59, 1972) on a grid of its sum. */
static void cusum_of_a_share_is_the_likelihood_ratio(void) {
    static const double share[] = {0.1, 0.01, 0.5}, odds[] = {2, 3, 1.5};
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    for (int k = 0; k < 3; ++k) {
        const double a = share[k], b = odds[k] * a / (1 - a + odds[k] * a);
        const double miss = log(b / a), hold = log((1 - b) / (1 - a));
        const sooth_cusum_options options = {.share = a, .odds = odds[k], .h = 4};
        double sum = 0;
        int alarms = 0;
        sooth_cusum d;
        CHECK_STATUS(sooth_cusum_init(&env, &d, &options), SOOTH_OK);
        for (int i = 0; i < 20000 && !check_failures; ++i) {
            const int one = (double)sooth_rng_float(&rng) < (i % 4000 < 2000 ? a : b);
            const sooth_drift drift = sooth_cusum_update(&d, (float)one);
            sum = fmax(0, sum + (one ? miss : hold));
            if (fabs(sum - 4) > 1e-3) CHECK((drift == SOOTH_DRIFT_UP) == (sum > 4));
            if (drift == SOOTH_DRIFT_UP) ++alarms;
            if (drift != SOOTH_DRIFT_NONE) sum = 0;
            else CHECK_NEAR((double)d.high * (double)d.std * log(odds[k]), sum, 1e-3);
        }
        CHECK(alarms > 3);
    }
    CHECK_FAILS(&env,
                sooth_cusum_init(&env, &(sooth_cusum){0}, &(sooth_cusum_options){.share = 0.1, .std = 1}),
                SOOTH_BAD_ARGUMENT, "share is 0.1 and gives std, which must not be set");
    CHECK_FAILS(&env,
                sooth_cusum_init(&env, &(sooth_cusum){0}, &(sooth_cusum_options){.share = 0.1, .has_k = 1}),
                SOOTH_BAD_ARGUMENT, "share is 0.1 and gives k, which must not be set");
    CHECK_FAILS(&env, sooth_cusum_init(&env, &(sooth_cusum){0}, &(sooth_cusum_options){.share = 1}),
                SOOTH_BAD_ARGUMENT, "share");
}

/* Mean rows until the upper side of the default detector of a share of 0.1 reports, for the true share q. */
static double share_run_length(double q, int runs, sooth_rng *rng) {
    const sooth_cusum_options options = {.share = 0.1};
    double rows = 0;
    sooth_cusum d;
    CHECK_STATUS(sooth_cusum_init(&env, &d, &options), SOOTH_OK);
    for (int found = 0; found < runs; ++rows) {
        d.low = 0; /* one side only */
        found += sooth_cusum_update(&d, (double)sooth_rng_float(rng) < q) != SOOTH_DRIFT_NONE;
    }
    return rows / runs;
}

static void run_lengths_of_a_share_are_those_of_the_chain(void) {
    enum { GRID = 300 };
    static double m[GRID * GRID], length[GRID];
    const double b = 2.0 / 11, up = log(b / 0.1), down = log((1 - b) / 0.9), step = 5.0 / GRID;
    const double truth[] = {0.1, b, 0.3};
    sooth_rng rng;
    sooth_rng_init(&rng, 10, 0);
    for (int k = 0; k < 3; ++k) {
        memset(m, 0, sizeof m);
        for (int i = 0; i < GRID; ++i) {
            /* linear between the two nearest states; beyond the last it has reported */
            for (int one = 0; one < 2; ++one) {
                const double p = one ? truth[k] : 1 - truth[k], to = i * step + (one ? up : down);
                const double at = fmax(to, 0) / step, rest = at - floor(at);
                const int j = (int)at;
                if (j < GRID) m[i * GRID + j] -= p * (1 - rest);
                if (j + 1 < GRID) m[i * GRID + j + 1] -= p * rest;
            }
            m[i * GRID + i] += 1;
            length[i] = 1;
        }
        solve(m, length, GRID);
        CHECK_CLOSE(share_run_length(truth[k], k ? 4000 : 400, &rng), length[0], k ? 0.06 : 0.2);
    }
}

static void cusum_learns_its_stream(void) {
    const sooth_cusum_options options = {50, 0, 0, 0, 0, 0, 0, 0};
    double sum = 0, squares = 0;
    sooth_cusum detector;
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    CHECK_STATUS(sooth_cusum_init(&env, &detector, &options), SOOTH_OK);
    for (int i = 0; i < 50; ++i) {
        const float value = 5000 + normal_value(&rng);
        sum += (double)value - 5000;
        squares += ((double)value - 5000) * ((double)value - 5000);
        CHECK(sooth_cusum_update(&detector, value) == SOOTH_DRIFT_NONE);
    }
    CHECK_CLOSE(detector.mean, 5000 + sum / 50, 1e-7);
    CHECK_CLOSE(detector.std, sqrt((squares - sum * sum / 50) / 49), 1e-5);
    CHECK(sooth_cusum_update(&detector, 4990) == SOOTH_DRIFT_DOWN);
    for (int i = 0; i < 500; ++i) CHECK(sooth_cusum_update(&detector, 7) == SOOTH_DRIFT_NONE);
    CHECK_NEAR(detector.mean, 7, 0);
    CHECK_NEAR(detector.std, 0, 0);
    CHECK(sooth_cusum_update(&detector, 7.0000005f) == SOOTH_DRIFT_UP);
    for (int i = 0; i < 50; ++i) CHECK(sooth_cusum_update(&detector, -3) == SOOTH_DRIFT_NONE);
    CHECK(sooth_cusum_update(&detector, -4) == SOOTH_DRIFT_DOWN);
}

/* ---- location ---- */

static int ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float middle(float *v, uint32_t n) {
    qsort(v, n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : 0.5f * (v[n / 2 - 1] + v[n / 2]);
}

/* Any window, values with and without ties: what sorting the last m says, to the bit. */
static void location_equals_sorting(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    for (uint32_t m = 3; m < 40; ++m) {
        const sooth_location_options options = {m, 0, 0, 1e6, 0};
        static float seen[400], sorted[40], away[40];
        sooth_location *l;
        CHECK(sooth_location_size(&options) == sizeof(sooth_location) + 8 * m);
        CHECK_STATUS(sooth_location_init(&env, &options, memory, sizeof(sooth_location) + 8 * m, &l),
                     SOOTH_OK);
        CHECK(!(sooth_location_median(l) >= 0 || sooth_location_median(l) < 0)); /* NaN */
        CHECK(!(sooth_location_mad(l) >= 0));
        for (uint32_t i = 0; i < 400; ++i) {
            uint32_t n = i + 1 < m ? i + 1 : m;
            seen[i] = m % 2 ? normal_value(&rng) : (float)sooth_rng_below(&rng, 6) - 3;
            if (i % 16 == 0) seen[i] = -0.0f;
            sooth_location_update(l, seen[i]);
            if (l->count < n)
                n = l->count; /* MAD 0: any other value is outside, and a run of these is drift */
            memcpy(sorted, seen + i + 1 - n, n * sizeof *seen);
            const float median = middle(sorted, n);
            for (uint32_t k = 0; k < n; ++k) away[k] = fabsf(sorted[k] - median);
            CHECK_NEAR(sooth_location_median(l), median, 0);
            CHECK_NEAR(sooth_location_mad(l), middle(away, n), 0);
            if (check_failures) return;
        }
    }
}

/* A GPU of StarPU's issue 50: 190 us, and now and then 70,000. The mean of twelve would be 5,800 with one
   spike among them; the median stays, and nothing drifts until the time is another for good. */
static void one_spike_moves_nothing(void) {
    sooth_location *l;
    sooth_rng rng;
    sooth_rng_init(&rng, 10, 0);
    CHECK_STATUS(sooth_location_init(&env, NULL, memory, sizeof memory, &l), SOOTH_OK);
    for (int i = 0; i < 1000; ++i) {
        const int spike = i >= 30 && i % 12 == 0;
        const float us = spike ? 70000 : 190 + normal_value(&rng);
        CHECK(sooth_location_update(l, us) == SOOTH_DRIFT_NONE);
        CHECK(!spike || l->run > 0);
        if (i > 10) CHECK_NEAR(sooth_location_median(l), 190, 1.5);
    }
    CHECK(l->outside >= 80 && l->outside < 90); /* 80 spikes, and what normal values do */
    for (int i = 0; i < 5; ++i)
        CHECK(sooth_location_update(l, 150 + normal_value(&rng)) ==
              (i < 4 ? SOOTH_DRIFT_NONE : SOOTH_DRIFT_DOWN));
    CHECK(l->count == 5 && l->run == 0);
    CHECK_NEAR(sooth_location_median(l), 150, 2);
}

/* Where values are equal MAD is 0; min_spread says what difference counts. */
static void a_least_spread_is_kept(void) {
    sooth_location_options options = {9, 0, 2, 3, 0};
    sooth_location *l;
    for (int trial = 0; trial < 2; ++trial) {
        options.min_spread = trial;
        CHECK_STATUS(sooth_location_init(&env, &options, memory, sizeof memory, &l), SOOTH_OK);
        for (int i = 0; i < 20; ++i) CHECK(sooth_location_update(l, 100) == SOOTH_DRIFT_NONE && l->run == 0);
        sooth_location_update(l, 102);
        CHECK(l->run == (trial ? 0 : 1));
        CHECK(sooth_location_update(l, 102) == (trial ? SOOTH_DRIFT_NONE : SOOTH_DRIFT_UP));
        for (int i = 0; i < 20; ++i) sooth_location_update(l, 100);
        sooth_location_update(l, 96);
        sooth_location_update(l, 104); /* on the other side: a run of its own */
        CHECK(l->run == 1);
        sooth_location_update(l, 100);
        CHECK(l->run == 0);
    }
}

/* With alpha 1 and a mean that is known (here: as if of four billion values) Page-Hinkley is a CUSUM: its run
   length is Siegmund's. */
static void page_hinkley_has_siegmunds_run_length(void) {
    const sooth_page_hinkley_options options = {1, SOOTH_PAGE_HINKLEY_UP, 0, 0.5, 4, 1};
    const double b = 4 + 1.166, siegmund = 2 * (exp(b) - b - 1);
    double values = 0;
    sooth_page_hinkley detector;
    sooth_rng rng;
    sooth_rng_init(&rng, 14, 0);
    CHECK_STATUS(sooth_page_hinkley_init(&env, &detector, &options), SOOTH_OK);
    detector.count = UINT32_MAX;
    for (int found = 0; found < 1000; ++values)
        if (sooth_page_hinkley_update(&detector, normal_value(&rng)) != SOOTH_DRIFT_NONE) {
            ++found;
            detector.count = UINT32_MAX;
        }
    CHECK_CLOSE(values / 1000, siegmund, 0.1);
    /* the defaults, on 0..1: every 33,000 values */
    int alarms = 0;
    CHECK_STATUS(sooth_page_hinkley_init(&env, &detector, NULL), SOOTH_OK);
    for (int i = 0; i < 1000000; ++i)
        alarms += sooth_page_hinkley_update(&detector, sooth_rng_float(&rng)) != SOOTH_DRIFT_NONE;
    CHECK_NEAR(alarms, 30, 15);
}

/* 10^5 normal values lie beyond 3.5 with probability 4.7e-4 where median and MAD are exact; here they are of
   64 values. Five in a row on one side are none. */
static void nothing_drifts_that_stands(void) {
    sooth_location *l;
    sooth_rng rng;
    sooth_rng_init(&rng, 13, 0);
    CHECK_STATUS(sooth_location_init(&env, NULL, memory, sizeof memory, &l), SOOTH_OK);
    for (int i = 0; i < 100000; ++i) CHECK(sooth_location_update(l, normal_value(&rng)) == SOOTH_DRIFT_NONE);
    CHECK(l->outside > 47 && l->outside < 470);
}

/* ---- what all share ---- */

/* NaN, infinity and what is beyond 2^60 change nothing but their count, anywhere in a stream; the ends of the
   range and the smallest floats do no harm. */
static void what_is_no_number_is_refused(void) {
    const float bad[5] = {soothi_missing(), soothi_of_bits(SOOTHI_INFINITE_BITS),
                          -soothi_of_bits(SOOTHI_INFINITE_BITS), 1.2e18f, -3e38f};
    static float room[2][1024];
    for (int nasty = 0; nasty < 2; ++nasty) {
        sooth_page_hinkley p[2];
        sooth_adwin *a[2];
        sooth_cusum c[2];
        sooth_location *l[2];
        sooth_adwin_options often = {1, 0, 0, 0, 0, 0};
        sooth_rng rng;
        sooth_rng_init(&rng, 11, 0);
        for (int k = 0; k < 2; ++k) {
            CHECK_STATUS(sooth_page_hinkley_init(&env, &p[k], NULL), SOOTH_OK);
            CHECK_STATUS(sooth_adwin_init(&env, &often, room[k], 2048, &a[k]), SOOTH_OK);
            CHECK_STATUS(sooth_cusum_init(&env, &c[k], NULL), SOOTH_OK);
            CHECK_STATUS(sooth_location_init(&env, NULL, room[k] + 512, 2048, &l[k]), SOOTH_OK);
        }
        for (int i = 0; i < 3000; ++i) {
            static const float ends[4] = {SOOTH_DRIFT_MAX_VALUE, -SOOTH_DRIFT_MAX_VALUE, 1e-45f, 0.0f};
            const float value =
                nasty ? ends[sooth_rng_below(&rng, 4)] : normal_value(&rng) + (float)(i / 1000);
            sooth_drift said[4];
            for (int k = 0; k < 2; ++k) {
                if (k && i % 3 == 0) { /* only the second sees them */
                    CHECK(sooth_page_hinkley_update(&p[1], bad[i % 5]) == SOOTH_DRIFT_NONE);
                    CHECK(sooth_adwin_update(a[1], bad[i % 5]) == SOOTH_DRIFT_NONE);
                    CHECK(sooth_cusum_update(&c[1], bad[i % 5]) == SOOTH_DRIFT_NONE);
                    CHECK(sooth_location_update(l[1], bad[i % 5]) == SOOTH_DRIFT_NONE);
                }
                const sooth_drift now[4] = {sooth_page_hinkley_update(&p[k], value),
                                            sooth_adwin_update(a[k], value), sooth_cusum_update(&c[k], value),
                                            sooth_location_update(l[k], value)};
                CHECK(k == 0 || memcmp(now, said, sizeof now) == 0);
                memcpy(said, now, sizeof now);
            }
            CHECK(soothi_finite((double)sooth_adwin_mean(a[1])));
            CHECK(soothi_finite((double)sooth_location_median(l[1])) && sooth_location_mad(l[1]) >= 0);
            CHECK(soothi_finite((double)p[1].state.rise[0]) && soothi_finite((double)c[1].high));
            if (check_failures) return;
        }
        CHECK(p[1].refused == 1000 && a[1]->refused == 1000 && c[1].refused == 1000 && l[1]->refused == 1000);
        CHECK(p[0].refused + a[0]->refused + c[0].refused + l[0]->refused == 0);
        CHECK(a[0]->width == a[1]->width && l[0]->outside == l[1]->outside);
    }
}

/* After a reset a detector is as new. */
static void a_reset_forgets_all(void) {
    sooth_page_hinkley p;
    sooth_adwin *a;
    sooth_cusum c;
    sooth_location *l;
    uint32_t hash[2];
    CHECK_STATUS(sooth_page_hinkley_init(&env, &p, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_adwin_init(&env, NULL, memory, 2048, &a), SOOTH_OK);
    CHECK_STATUS(sooth_cusum_init(&env, &c, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_location_init(&env, NULL, memory + 512, 1024, &l), SOOTH_OK);
    for (int k = 0; k < 2; ++k) {
        sooth_rng rng;
        sooth_rng_init(&rng, 12, 0);
        hash[k] = 0;
        for (int i = 0; i < 3000; ++i) {
            const float value = normal_value(&rng) + (float)(i / 1000);
            hash[k] = 31 * hash[k] + (uint32_t)sooth_page_hinkley_update(&p, value);
            hash[k] = 31 * hash[k] + (uint32_t)sooth_adwin_update(a, value) + a->width;
            hash[k] = 31 * hash[k] + (uint32_t)sooth_cusum_update(&c, value);
            hash[k] = 31 * hash[k] + (uint32_t)sooth_location_update(l, value) + l->outside;
        }
        sooth_page_hinkley_update(&p, soothi_missing());
        sooth_page_hinkley_reset(&p);
        sooth_adwin_reset(a);
        sooth_cusum_reset(&c);
        sooth_location_reset(l);
        CHECK(p.refused == 0 && p.count == 0 && a->width == 0 && c.count == 0 && l->count == 0);
    }
    CHECK(hash[0] == hash[1]);
}

/* Wrong options and short memory are sentences. */
static void mistakes_are_sentences(void) {
    sooth_page_hinkley_options po = {0, 9, 0, 0, 0, 0};
    sooth_adwin_options ao = {0, 255, 0, 0, 0, 0};
    sooth_cusum_options co = {1, 0, 0, 0, 0, 0, 0, 0};
    sooth_location_options lo = {8, 9, 0, 0, 0};
    sooth_page_hinkley p;
    sooth_adwin *a;
    sooth_cusum c;
    sooth_location *l;
    CHECK_FAILS(&env, sooth_page_hinkley_init(&env, &p, &po), SOOTH_BAD_ARGUMENT, "mode");
    CHECK_FAILS(&env, sooth_adwin_init(&env, &ao, memory, sizeof memory, &a), SOOTH_BAD_ARGUMENT,
                "max_buckets");
    CHECK(sooth_adwin_size(&ao) == 0 && sooth_adwin_size(NULL) == 968);
    CHECK_FAILS(&env, sooth_adwin_init(&env, NULL, memory, 967, &a), SOOTH_NO_MEMORY,
                "ADWIN needs 968 bytes of memory, but has 967");
    CHECK_FAILS(&env, sooth_adwin_init(&env, NULL, NULL, 5000, &a), SOOTH_NO_MEMORY, "but has 0");
    CHECK_FAILS(&env, sooth_cusum_init(&env, &c, &co), SOOTH_BAD_ARGUMENT, "grace_period");
    CHECK_FAILS(&env, sooth_location_init(&env, &lo, memory, sizeof memory, &l), SOOTH_BAD_ARGUMENT,
                "min_instances is 9, but must be at most window_size, 8");
    CHECK(sooth_location_size(&lo) == 0 && sooth_location_size(NULL) == 556);
    lo.min_instances = 0;
    lo.run_length = 5;
    CHECK_FAILS(&env, sooth_location_init(&env, &lo, memory, sizeof memory, &l), SOOTH_BAD_ARGUMENT,
                "run_length is 5, but must be at most 4");
    lo.window_size = 2;
    CHECK_FAILS(&env, sooth_location_init(&env, &lo, memory, sizeof memory, &l), SOOTH_BAD_ARGUMENT,
                "window_size");
    CHECK_FAILS(&env, sooth_location_init(&env, NULL, memory, 555, &l), SOOTH_NO_MEMORY, "needs 556 bytes");
    /* zero can be meant */
    po.mode = 0;
    po.has_delta = 1;
    CHECK_STATUS(sooth_page_hinkley_init(&env, &p, &po), SOOTH_OK);
    CHECK_NEAR(p.delta, 0, 0);
    co.grace_period = 0;
    co.has_k = 1;
    CHECK_STATUS(sooth_cusum_init(&env, &c, &co), SOOTH_OK);
    CHECK_NEAR(c.k, 0, 0);
}

/* What a program that only predicts does: parameters by hand, in memory that is large enough or refused. */
static void begin_needs_no_options(void) {
    static float room[2][512];
    const sooth_adwin often = {.clock = 32,
                               .max_buckets = 5,
                               .rows = 18,
                               .min_window_length = 5,
                               .grace_period = 10,
                               .delta = 0.002f};
    const sooth_location window = {
        .window_size = 64, .min_instances = 10, .run_length = 5, .threshold = 3.5f, .count = 9, .refused = 9};
    const size_t of_adwin = SOOTH_ADWIN_BYTES(5, 18), of_location = SOOTH_LOCATION_BYTES(64);
    sooth_adwin *a[2];
    sooth_location *l[2];
    sooth_rng rng;
    CHECK(sooth_adwin_size(NULL) == of_adwin && sooth_location_size(NULL) == of_location);
    CHECK(!sooth_adwin_begin(&often, memory, of_adwin - 1) && !sooth_adwin_begin(&often, NULL, 5000));
    CHECK(!sooth_location_begin(&window, memory, of_location - 1) &&
          !sooth_location_begin(&window, NULL, 5000));
    a[0] = sooth_adwin_begin(&often, memory, of_adwin);
    l[0] = sooth_location_begin(&window, memory + 512, of_location);
    CHECK_STATUS(sooth_adwin_init(&env, NULL, room[0], sizeof room[0], &a[1]), SOOTH_OK);
    CHECK_STATUS(sooth_location_init(&env, NULL, room[1], sizeof room[1], &l[1]), SOOTH_OK);
    sooth_rng_init(&rng, 15, 0);
    for (int i = 0; i < 3000; ++i) {
        const float value = normal_value(&rng) + (float)(i / 1000);
        CHECK(sooth_adwin_update(a[0], value) == sooth_adwin_update(a[1], value));
        CHECK(sooth_location_update(l[0], value) == sooth_location_update(l[1], value));
    }
    CHECK(a[0]->width == a[1]->width && l[0]->outside == l[1]->outside && l[0]->refused == 0);
}

/* Counts at their end stay there. */
static void counts_do_not_wrap(void) {
    sooth_page_hinkley p;
    sooth_cusum c;
    const sooth_cusum_options known = {0, 0, 0, 0, 0, 1, 0, 0};
    CHECK_STATUS(sooth_page_hinkley_init(&env, &p, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_cusum_init(&env, &c, &known), SOOTH_OK);
    p.count = p.refused = c.count = UINT32_MAX;
    sooth_page_hinkley_update(&p, 1);
    sooth_page_hinkley_update(&p, soothi_missing());
    sooth_cusum_update(&c, 0);
    sooth_location *l;
    CHECK_STATUS(sooth_location_init(&env, NULL, memory, sizeof memory, &l), SOOTH_OK);
    for (int i = 0; i < 20; ++i) sooth_location_update(l, 1);
    l->outside = UINT32_MAX;
    sooth_location_update(l, 2);
    CHECK(l->run == 1 && l->outside == UINT32_MAX);
    CHECK(p.count == UINT32_MAX && p.refused == UINT32_MAX && c.count == UINT32_MAX);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(page_hinkley_tells_at_rivers_indices);
    CHECK_RUN(adwin_has_rivers_window_after_every_value);
    CHECK_RUN(adwin_forgets_what_has_no_room);
    CHECK_RUN(adwin_rarely_cuts_what_is_stationary);
    CHECK_RUN(adwin_keeps_the_present);
    CHECK_RUN(cusum_equals_its_twin);
    CHECK_RUN(cusum_of_a_share_is_the_likelihood_ratio);
    CHECK_RUN(run_lengths_of_a_share_are_those_of_the_chain);
    CHECK_RUN(run_lengths_are_the_published_ones);
    CHECK_RUN(cusum_learns_its_stream);
    CHECK_RUN(location_equals_sorting);
    CHECK_RUN(one_spike_moves_nothing);
    CHECK_RUN(a_least_spread_is_kept);
    CHECK_RUN(page_hinkley_has_siegmunds_run_length);
    CHECK_RUN(nothing_drifts_that_stands);
    CHECK_RUN(what_is_no_number_is_refused);
    CHECK_RUN(a_reset_forgets_all);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(begin_needs_no_options);
    CHECK_RUN(counts_do_not_wrap);
    return check_end("drift");
}
