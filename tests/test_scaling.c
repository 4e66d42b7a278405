/* test_scaling.c - laws and progress curves of scaling.h against numpy, scipy, simulation and brute force.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/scaling.h"
#include "check.h"
#include "golden/scaling.h"
#include "lies.h"

#define GOLDEN_HASH 0x17765b901ded28caull /* see same_bits_everywhere */

static sooth_env env;

static sooth_scaling_options options_of(uint32_t law, int volts) {
    sooth_scaling_options options;
    memset(&options, 0, sizeof options);
    options.law = law;
    options.machine.cores = 12;
    options.machine.sockets = 2;
    options.machine.levels = 5;
    memcpy(options.machine.frequency, golden_frequency, sizeof golden_frequency);
    if (volts) memcpy(options.machine.voltage, golden_voltage, sizeof golden_voltage);
    return options;
}

/* A table over x and y; rows of 3 floats, of which the law takes its columns. */
static sooth_table table_of(uint32_t law, const float *x, const float *y, size_t rows) {
    sooth_table table;
    sooth_table_init(&table, x, rows, soothi_scaling_law_features(law));
    table.stride = 3;
    table.y = y;
    table.targets = 1;
    return table;
}

static void to_floats(const double *from, float *to, size_t n) {
    size_t i;
    for (i = 0; i < n; ++i) to[i] = (float)from[i];
}

/* ---- against others ---- */

/* Coefficients, standard errors, predictions and intervals of every law and loss. */
static void equals_numpy_and_scipy(void) {
    static const float at[3] = {17.0f, 1.95f, 1.1f};
    float x[60], y[20];
    size_t i, k, j;
    for (i = 0; i < sizeof golden_fits / sizeof golden_fits[0]; ++i) {
        const struct golden_fit *g = &golden_fits[i];
        double tight = g->loss == SOOTH_SCALING_LOG ? 3e-6 : 1e-7, end[4];
        sooth_scaling_options options = options_of(g->law, g->volts != 0);
        sooth_scaling model;
        sooth_table table;
        int before = check_failures;
        options.loss = g->loss;
        options.non_negative = g->non_negative;
        to_floats(g->x, x, 60);
        to_floats(g->y, y, 20);
        table = table_of(g->law, x, y, g->rows);
        CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
        CHECK(sooth_scaling_check(&model, sizeof model));
        for (j = 0; j < soothi_scaling_law_terms(g->law); ++j) {
            CHECK_NEAR(sooth_scaling_coefficient(&model, (uint32_t)j), g->coefficient[j],
                       tight * (1 + fabs(g->coefficient[j])));
            CHECK_NEAR(sooth_scaling_standard_error(&model, (uint32_t)j), g->error[j],
                       30 * tight * (1e-3 + g->error[j]));
        }
        CHECK_NEAR(model.sigma, g->sigma, 3 * tight * g->sigma);
        CHECK_NEAR(sooth_scaling_predict(&model, at), g->at, 2e-6 * fabs(g->at));
        sooth_scaling_interval(&model, at, 0.95, 0, &end[0], &end[1]);
        sooth_scaling_interval(&model, at, 0.95, 1, &end[2], &end[3]);
        for (k = 0; k < 4; ++k) CHECK_NEAR(end[k], g->interval[k], 3e-6 * fabs(g->interval[k]));
        if (check_failures != before) printf("  in %s, %u\n", sooth_scaling_law_name(g->law), (unsigned)i);
    }
}

/* The posterior under a prior with correlated coefficients, from one run on. */
static void priors_equal_numpy(void) {
    static const float at[3] = {17.0f, 1.95f, 1.1f};
    float x[60], y[20];
    size_t i, j, k;
    for (i = 0; i < sizeof golden_bayes / sizeof golden_bayes[0]; ++i) {
        const struct golden_bayes *g = &golden_bayes[i];
        sooth_scaling_options options = options_of(g->law, 1);
        sooth_scaling_prior prior;
        sooth_scaling model;
        sooth_table table;
        memset(&prior, 0, sizeof prior);
        prior.law = g->law;
        prior.terms = 6;
        prior.noise = g->noise;
        for (j = 0; j < 6; ++j) {
            prior.mean[j] = g->mean[j];
            for (k = 0; k < 6; ++k) prior.covariance[j * 8 + k] = g->covariance[j * 6 + k];
        }
        options.prior = &prior;
        to_floats(g->x, x, 60);
        to_floats(g->y, y, 20);
        table = table_of(g->law, x, y, g->rows);
        CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
        for (j = 0; j < 6; ++j)
            CHECK_NEAR(sooth_scaling_coefficient(&model, (uint32_t)j), g->coefficient[j],
                       2e-6 * (1 + fabs(g->coefficient[j])));
        CHECK_NEAR(sooth_scaling_predict(&model, at), g->at, 3e-6 * g->at);
        CHECK_NEAR(soothi_scaling_predict_error(&model, at, 1), g->error, 2e-6 * g->error);
    }
}

/* The float path is the law's: all laws, all over the machine. */
static void predictions_are_the_line(void) {
    uint32_t law;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (law = 0; law < SOOTH_SCALING_LAWS; ++law) {
        sooth_scaling_options options = options_of(law, law % 2 == 0);
        sooth_scaling model;
        sooth_table table;
        float x[3 * 24], y[24], out[24];
        size_t i;
        for (i = 0; i < 24; ++i) {
            x[3 * i] = (float)(i + 1);
            x[3 * i + 1] = golden_frequency[sooth_rng_below(&rng, 5)];
            x[3 * i + 2] = 0.5f + sooth_rng_float(&rng);
            y[i] = law >= SOOTH_SCALING_POWER ? 20.0f + x[3 * i] * x[3 * i + 1]
                                              : (3.0f + 90.0f / x[3 * i]) / x[3 * i + 1];
            y[i] *= 1.0f + 0.02f * sooth_rng_float(&rng);
        }
        table = table_of(law, x, y, 24);
        CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
        sooth_scaling_predict_many(&model, x, 24, 3, out);
        for (i = 0; i < 24; ++i) {
            double term[SOOTH_SCALING_MAX_TERMS], line = 0.0, low, high;
            uint32_t j;
            soothi_scaling_terms_at(&model, x + 3 * i, term);
            for (j = 0; j < model.terms; ++j) line += model.coefficient[j] * term[j];
            if (law == SOOTH_SCALING_POWER_LAW || law == SOOTH_SCALING_TIME_LOG) line = exp(line);
            if (law == SOOTH_SCALING_GUSTAFSON) line = 1 / line;
            CHECK_NEAR(out[i], line, 3e-6 * line);
            CHECK_NEAR(sooth_scaling_predict(&model, x + 3 * i), out[i], 0);
            sooth_scaling_interval(&model, x + 3 * i, 0.9, 1, &low, &high);
            CHECK(low < (double)out[i] && (double)out[i] < high);
        }
        CHECK(sooth_scaling_cost(&model).bytes == sizeof model &&
              model.head.features == soothi_scaling_law_features(law));
    }
}

/* ---- laws in their own words ---- */

/* Coefficients of generated data come back: sigma and kappa over three decades, from 4 points, by three and
   by two parameters. */
static void usl_is_recovered(void) {
    static const double sigma[] = {0.0, 0.02, 0.3}, kappa[] = {0.0001, 0.001, 0.02};
    static const float threads[4] = {1, 4, 16, 48};
    size_t a, b, i;
    uint32_t law;
    for (a = 0; a < 3; ++a)
        for (b = 0; b < 3; ++b)
            for (law = SOOTH_SCALING_USL; law <= SOOTH_SCALING_USL_KNOWN; ++law) {
                float y[4];
                double peak, best = 1e300, at = 0, t;
                sooth_scaling_options options;
                sooth_scaling_summary s;
                sooth_scaling model;
                sooth_table table;
                memset(&options, 0, sizeof options);
                options.law = law;
                for (i = 0; i < 4; ++i) {
                    t = (double)threads[i];
                    y[i] = (float)(7.0 * (1 + sigma[a] * (t - 1) + kappa[b] * t * (t - 1)) / t);
                }
                sooth_table_init(&table, threads, 4, 1);
                table.y = y;
                table.targets = 1;
                CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
                CHECK_STATUS(sooth_scaling_summarise(&env, &model, &s), SOOTH_OK);
                CHECK_NEAR(s.single, 7, 1e-5);
                CHECK_NEAR(s.sigma, sigma[a], 3e-6);
                CHECK_NEAR(s.kappa, kappa[b], 1e-6);
                CHECK(model.freedom == (law == SOOTH_SCALING_USL ? 1u : 2u));
                for (t = 1; t < 400; t += 0.01) /* the peak by looking */
                    if ((1 + sigma[a] * (t - 1) + kappa[b] * t * (t - 1)) / t < best) {
                        best = (1 + sigma[a] * (t - 1) + kappa[b] * t * (t - 1)) / t;
                        at = t;
                    }
                peak = sqrt((1 - sigma[a]) / kappa[b]);
                CHECK_NEAR(at, peak, 0.02);
                CHECK_NEAR(s.peak, peak, 0.01 * peak);
                CHECK_NEAR(s.peak_speedup, 1 / best, 0.01 / best);
                CHECK(s.extrapolated == (peak > 48));
            }
}

/* The delta method against 20,000 fits of noisy data. */
static void errors_of_ratios_are_those_of_many_fits(void) {
    static const float threads[8] = {1, 2, 4, 8, 12, 16, 24, 32};
    double sum[2] = {0, 0}, squares[2] = {0, 0}, said[2] = {0, 0};
    const int trials = 20000;
    int trial;
    size_t i;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (trial = 0; trial < trials; ++trial) {
        float y[8];
        sooth_scaling_options options;
        sooth_scaling_summary s;
        sooth_scaling model;
        sooth_table table;
        memset(&options, 0, sizeof options);
        options.law = SOOTH_SCALING_USL;
        for (i = 0; i < 8; ++i) {
            double t = (double)threads[i];
            y[i] = (float)(10 * (1 + 0.05 * (t - 1) + 0.001 * t * (t - 1)) / t *
                           (1 + 0.02 * sooth_rng_normal(&rng)));
        }
        sooth_table_init(&table, threads, 8, 1);
        table.y = y;
        table.targets = 1;
        sooth_scaling_fit_into(&env, &table, &options, &model);
        sooth_scaling_summarise(&env, &model, &s);
        sum[0] += s.sigma;
        sum[1] += s.kappa;
        squares[0] += s.sigma * s.sigma;
        squares[1] += s.kappa * s.kappa;
        said[0] += s.sigma_error * s.sigma_error;
        said[1] += s.kappa_error * s.kappa_error;
    }
    for (i = 0; i < 2; ++i) {
        double mean = sum[i] / trials, sd = sqrt(squares[i] / trials - mean * mean);
        CHECK_NEAR(mean, i ? 0.001 : 0.05, i ? 3e-5 : 5e-4);
        CHECK_NEAR(sqrt(said[i] / trials) / sd, 1, 0.03);
    }
}

/* Intervals hold what they promise: 68, 90 and 99 % of new runs, 4 to 8 points, 20,000 trials each. */
static void intervals_cover(void) {
    CHECK_SLOW();
    static const double level[3] = {0.68, 0.9, 0.99};
    const int trials = 20000;
    uint32_t law;
    size_t n, k;
    sooth_rng rng;
    sooth_rng_init(&rng, 6, 0);
    for (law = 0; law < 2; ++law)
        for (n = 4; n <= 8; n += 4) {
            int inside[3] = {0, 0, 0}, trial;
            for (trial = 0; trial < trials; ++trial) {
                float x[3 * 8], y[8], at[3] = {10.0f, 2.0f, 0.0f};
                double truth, low, high;
                sooth_scaling_options options =
                    options_of(law ? SOOTH_SCALING_POWER_LAW : SOOTH_SCALING_TIME, 0);
                sooth_scaling model;
                sooth_table table;
                size_t i;
                for (i = 0; i < n; ++i) {
                    double t = 1.0 + (double)(i * 24 / n), f = (double)golden_frequency[i % 5];
                    x[3 * i] = (float)t;
                    x[3 * i + 1] = (float)f;
                    truth = law ? 30 * pow(t, -0.8) : (4 + 60 / t) / f;
                    y[i] = (float)(truth * (law ? exp(0.03 * sooth_rng_normal(&rng))
                                                : 1 + 0.03 * sooth_rng_normal(&rng)));
                }
                table = table_of(options.law, x, y, n);
                sooth_scaling_fit_into(&env, &table, &options, &model);
                truth = law ? 30 * pow(10, -0.8) * exp(0.03 * sooth_rng_normal(&rng))
                            : (4 + 60 / 10.0) / 2.0 * (1 + 0.03 * sooth_rng_normal(&rng));
                for (k = 0; k < 3; ++k) {
                    sooth_scaling_interval(&model, at, level[k], 1, &low, &high);
                    inside[k] += low < truth && truth < high;
                }
            }
            for (k = 0; k < 3; ++k) CHECK_NEAR((double)inside[k] / trials, level[k], 0.012);
        }
}

/* ---- learning from other programs ---- */

/* With many exact runs per program the coefficients are known, and the prior is their mean and scatter with
   the start as `strength` more programs: the closed form, computed here. */
static void learning_is_counting_when_programs_are_known(void) {
    enum { PROGRAMS = 5, RUNS = 60 };
    static float x[3 * PROGRAMS * RUNS], y[PROGRAMS * RUNS];
    static uint32_t group[PROGRAMS * RUNS];
    double truth[PROGRAMS][6], mean[6], strength = 3.0;
    sooth_scaling_options options = options_of(SOOTH_SCALING_TIME_LOG, 1);
    sooth_scaling_prior_options learn;
    sooth_scaling_prior start, prior;
    sooth_table table;
    size_t a, i, j, k;
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    CHECK_STATUS(sooth_scaling_prior_usual(&env, options.law, &start), SOOTH_OK);
    for (a = 0; a < PROGRAMS; ++a)
        for (j = 0; j < 6; ++j)
            truth[a][j] = j ? start.mean[j] + sqrt(start.covariance[j * 9]) * sooth_rng_normal(&rng)
                            : 10.0 * (double)a - 20.0;
    for (i = 0; i < RUNS; ++i) /* the programs take turns */
        for (a = 0; a < PROGRAMS; ++a) {
            float *row = x + 3 * (i * PROGRAMS + a);
            double t, lt, g, kk;
            row[0] = (float)(sooth_rng_below(&rng, 24) + 1);
            row[1] = golden_frequency[sooth_rng_below(&rng, 5)];
            row[2] = 1.0f;
            t = (double)row[0];
            lt = log(t);
            g = log((double)row[1] / (double)golden_frequency[0]);
            kk = t > 12 ? 1 : 0;
            y[i * PROGRAMS + a] =
                (float)exp(truth[a][0] + truth[a][1] * lt + truth[a][2] * g + truth[a][3] * lt * lt +
                           truth[a][4] * kk + truth[a][5] * kk * (24 - t) / 11);
            group[i * PROGRAMS + a] = (uint32_t)(100 - a);
        }
    table = table_of(options.law, x, y, PROGRAMS * RUNS);
    table.group = group;
    memset(&learn, 0, sizeof learn);
    learn.strength = strength;
    CHECK_STATUS(sooth_scaling_fit_prior(&env, &table, &options, &learn, &prior), SOOTH_OK);
    CHECK(prior.programs == PROGRAMS && prior.noise < 2e-4);
    for (j = 1; j < 6; ++j) {
        mean[j] = strength * start.mean[j];
        for (a = 0; a < PROGRAMS; ++a) mean[j] += truth[a][j];
        mean[j] /= PROGRAMS + strength;
        CHECK_NEAR(prior.mean[j], mean[j], 1e-4);
    }
    for (j = 1; j < 6; ++j)
        for (k = 1; k < 6; ++k) {
            double c = strength * ((j == k ? start.covariance[j * 9] : 0) +
                                   (start.mean[j] - mean[j]) * (start.mean[k] - mean[k]));
            for (a = 0; a < PROGRAMS; ++a) c += (truth[a][j] - mean[j]) * (truth[a][k] - mean[k]);
            c = c / (PROGRAMS + strength) * (1 + 1 / (PROGRAMS + strength));
            CHECK_NEAR(prior.covariance[j * 8 + k], c, 1e-4);
        }
    CHECK_NEAR(prior.covariance[1], 0, 0); /* the unit of time is not shared */
}

/* From four noisy runs of each of many programs the spread of the truth is found, not that of the runs; and a
   new program is predicted better with it. */
static void learning_sees_through_noise(void) {
    enum { PROGRAMS = 60, RUNS = 4 };
    static float x[3 * PROGRAMS * RUNS], y[PROGRAMS * RUNS];
    static uint32_t group[PROGRAMS * RUNS];
    sooth_scaling_options options = options_of(SOOTH_SCALING_POWER_SPEED, 1);
    sooth_scaling_prior_options learn;
    sooth_scaling_prior start, prior;
    sooth_scaling model;
    sooth_table table;
    double share[6] = {0.4, 0.1, 0.1, 0.05, 0.15, 0.2}, error[2] = {0, 0};
    size_t i, a;
    uint32_t j, trial;
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    CHECK_STATUS(sooth_scaling_prior_usual(&env, options.law, &start), SOOTH_OK);
    options.prior = &start;
    table = table_of(options.law, x, y, 0);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK); /* for its terms */
    CHECK_NEAR(sooth_scaling_coefficient(&model, 0), 0.25, 1e-9);
    for (a = 0; a < PROGRAMS; ++a) {
        double own[6], level = 20 + 100 * sooth_rng_double(&rng);
        for (j = 0; j < 6; ++j) own[j] = share[j] * (1 + 0.1 * sooth_rng_normal(&rng));
        for (i = a * RUNS; i < (a + 1) * RUNS; ++i) {
            double term[6], p = 0;
            x[3 * i] = (float)(sooth_rng_below(&rng, 24) + 1);
            x[3 * i + 1] = golden_frequency[sooth_rng_below(&rng, 5)];
            x[3 * i + 2] = x[3 * i] * x[3 * i + 1] / 22.0f * (0.8f + 0.4f * sooth_rng_float(&rng));
            soothi_scaling_terms_at(&model, x + 3 * i, term);
            for (j = 0; j < 6; ++j) p += own[j] * term[j];
            y[i] = (float)(level * p * (1 + 0.01 * sooth_rng_normal(&rng)));
            group[i] = (uint32_t)a;
        }
    }
    table = table_of(options.law, x, y, PROGRAMS * RUNS);
    table.group = group;
    memset(&learn, 0, sizeof learn);
    learn.max_iter = 200;
    CHECK_STATUS(sooth_scaling_fit_prior(&env, &table, &options, &learn, &prior), SOOTH_OK);
    CHECK(prior.programs == PROGRAMS);
    CHECK_NEAR(prior.noise, 0.01, 0.003);
    for (j = 0; j < 6; ++j) CHECK_NEAR(prior.mean[j], share[j], 0.08);
    for (trial = 0; trial < 400; ++trial) { /* 2 runs, then somewhere else */
        double own[6];
        float row[9], p[3];
        for (j = 0; j < 6; ++j) own[j] = share[j] * (1 + 0.1 * sooth_rng_normal(&rng));
        for (i = 0; i < 3; ++i) {
            double term[6], sum = 0;
            row[3 * i] = (float)(sooth_rng_below(&rng, 24) + 1);
            row[3 * i + 1] = golden_frequency[sooth_rng_below(&rng, 5)];
            row[3 * i + 2] = row[3 * i] * row[3 * i + 1] / 22.0f;
            soothi_scaling_terms_at(&model, row + 3 * i, term);
            for (j = 0; j < 6; ++j) sum += own[j] * term[j];
            p[i] = (float)(70 * sum);
        }
        table = table_of(options.law, row, p, 2);
        for (i = 0; i < 2; ++i) {
            sooth_scaling fitted;
            options.prior = i ? &prior : &start;
            sooth_scaling_fit_into(&env, &table, &options, &fitted);
            error[i] += fabs((double)sooth_scaling_predict(&fitted, row + 6) / (double)p[2] - 1) / 400;
        }
    }
    CHECK(error[1] < 0.5 * error[0]);
}

/* ---- progress curves ---- */

/* Eq. 10 and eq. 9 of Themis by hand. */
static void two_segments(void) {
    sooth_scaling_curve curve;
    CHECK_STATUS(sooth_scaling_curve_init(&env, &curve, 80, SOOTH_SCALING_FREE), SOOTH_OK);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 20), 0.25, 1e-7);
    CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, 40, 0.8f), SOOTH_OK);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 30), 0.8 * (30 - 40) / 40 + 0.8, 1e-6);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 60), 0.2 * (60 - 40) / (80 - 40) + 0.8, 1e-6);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 40), 0.8, 1e-7);
    /* SD_inter = 2 x 0.8 */
    CHECK_NEAR(sooth_scaling_curve_slowdown(&curve, 40, 2.0f, 30), 2.0 * 0.8 / 0.6, 1e-6);
    CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, 20, 0.5f), SOOTH_OK); /* figure 8b */
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 10), 0.25, 1e-7);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 30), 0.65, 1e-6);
    CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, 20, 0.7f), SOOTH_OK); /* again: the mean */
    CHECK(curve.count == 2);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 20), 0.6, 1e-6);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 0), 0, 0);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, -5), 0, 0);
    CHECK_NEAR(sooth_scaling_curve_predict(&curve, 99), 1, 0);
}

static double curve_error(const sooth_scaling_curve *curve, const double *y) {
    double sum = 0;
    uint32_t i;
    for (i = 0; i < curve->count; ++i) {
        double e = (y ? y[i] : (double)curve->point[i].y) - (double)curve->point[i].observed;
        sum += (double)curve->point[i].weight * e * e;
    }
    return sum;
}

/* The best never-falling curve: every way to cut the points into blocks, means of blocks, those that rise. */
static double best_monotone(const sooth_scaling_curve *curve) {
    double best = 1e300;
    uint32_t cuts, n = curve->count, i, j;
    for (cuts = 0; cuts < 1u << (n - 1); ++cuts) {
        double y[8], last = -1, error;
        int rises = 1;
        for (i = 0; i < n; i = j) {
            double sum = 0, weight = 0;
            uint32_t k;
            for (j = i; j < n && (j == i || !(cuts >> (j - 1) & 1u)); ++j) {
                sum += (double)curve->point[j].weight * (double)curve->point[j].observed;
                weight += (double)curve->point[j].weight;
            }
            rises &= sum / weight >= last;
            last = sum / weight;
            for (k = i; k < j; ++k) y[k] = last;
        }
        error = curve_error(curve, y);
        if (rises && error < best) best = error;
    }
    return best;
}

/* Gaussian elimination with pivoting; 0 when singular. */
static int solve(double a[12][12], double *b, size_t n) {
    size_t i, j, k;
    for (k = 0; k < n; ++k) {
        size_t p = k;
        for (i = k; i < n; ++i)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        if (fabs(a[p][k]) < 1e-11) return 0;
        for (j = 0; j < n; ++j) {
            double t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        {
            double t = b[k];
            b[k] = b[p];
            b[p] = t;
        }
        for (i = 0; i < n; ++i) {
            double f = a[i][k] / a[k][k];
            if (i == k) continue;
            for (j = k; j < n; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (k = 0; k < n; ++k) b[k] /= a[k][k];
    return 1;
}

/* The best concave curve: every set of points where it bends. Heights at the bends are the unknowns (linear
   between, 0 and 1 at the ends); least squares by the normal equations; those that are concave and do not
   fall. */
static double best_concave(const sooth_scaling_curve *curve) {
    double best = 1e300;
    uint32_t set, n = curve->count, i, j, k;
    for (set = 0; set < 1u << n; ++set) {
        double knot[10], h[12], a[12][12], y[8], basis[8][10], error, slope;
        uint32_t m = 1;
        int fine = 1;
        knot[0] = 0;
        for (i = 0; i < n; ++i)
            if (set >> i & 1u) knot[m++] = (double)curve->point[i].x;
        knot[m] = (double)curve->n;
        memset(a, 0, sizeof a);
        memset(h, 0, sizeof h);
        for (i = 0; i < n; ++i) {
            double x = (double)curve->point[i].x, w = (double)curve->point[i].weight,
                   target = (double)curve->point[i].observed;
            for (j = 0; j <= m; ++j) basis[i][j] = 0;
            for (j = 0; j < m; ++j)
                if (x >= knot[j] && x < knot[j + 1]) {
                    double part = (x - knot[j]) / (knot[j + 1] - knot[j]);
                    basis[i][j] = 1 - part;
                    basis[i][j + 1] = part;
                }
            target -= basis[i][m]; /* height 1 at n */
            for (j = 1; j < m; ++j) {
                h[j - 1] += w * basis[i][j] * target;
                for (k = 1; k < m; ++k) a[j - 1][k - 1] += w * basis[i][j] * basis[i][k];
            }
        }
        if (!solve(a, h, m - 1)) continue;
        for (i = 0; i < n; ++i) {
            y[i] = basis[i][m];
            for (j = 1; j < m; ++j) y[i] += basis[i][j] * h[j - 1];
        }
        slope = 1e300;
        for (j = 0; j < m; ++j) {
            double from = j ? h[j - 1] : 0, to = j + 1 < m ? h[j] : 1,
                   s = (to - from) / (knot[j + 1] - knot[j]);
            fine &= s <= slope + 1e-12 && s >= -1e-12;
            slope = s;
        }
        error = curve_error(curve, y);
        if (fine && error < best) best = error;
    }
    return best;
}

static void shapes_are_optimal(void) {
    uint32_t shape, trial, n, i;
    sooth_rng rng;
    sooth_rng_init(&rng, 12, 0);
    for (shape = SOOTH_SCALING_MONOTONE; shape <= SOOTH_SCALING_CONCAVE; ++shape)
        for (trial = 0; trial < 1500; ++trial) {
            sooth_scaling_curve curve;
            double best, got, slope = 1e300;
            float last = 0.0f, at = 0.0f;
            n = 1 + trial % 8;
            CHECK_STATUS(sooth_scaling_curve_init(&env, &curve, 40, shape), SOOTH_OK);
            for (i = 0; i < 3 * n && curve.count < n; ++i) {
                float x = (float)(1 + sooth_rng_below(&rng, 39)),
                      noise = 0.3f * (sooth_rng_float(&rng) - 0.5f);
                float p =
                    trial % 3 == 0 ? sooth_rng_float(&rng) : 1.0f - (1.0f - x / 40) * (1.0f - x / 40) + noise;
                CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, x, p > 0.01f ? p : 0.01f), SOOTH_OK);
            }
            best = shape == SOOTH_SCALING_MONOTONE ? best_monotone(&curve) : best_concave(&curve);
            got = curve_error(&curve, NULL);
            CHECK_NEAR(got, best, 1e-6 * (1 + best));
            for (i = 0; i <= curve.count; ++i) {
                float x = i < curve.count ? curve.point[i].x : curve.n,
                      y = i < curve.count ? curve.point[i].y : 1.0f;
                double s = (double)(y - last) / (double)(x - at);
                CHECK(y >= last - 1e-6f && y <= 1.0f + 1e-6f);
                if (shape == SOOTH_SCALING_CONCAVE) CHECK(s <= slope + 1e-6);
                slope = s;
                last = y;
                at = x;
            }
            if (check_failures) return;
        }
}

/* A full curve, monotone and concave: as long as it may be; and the inverse leads back. */
static void long_curves_and_inverses(void) {
    uint32_t shape, i;
    for (shape = SOOTH_SCALING_FREE; shape <= SOOTH_SCALING_CONCAVE; ++shape) {
        sooth_scaling_curve curve;
        sooth_rng rng;
        sooth_rng_init(&rng, 13, shape);
        CHECK_STATUS(sooth_scaling_curve_init(&env, &curve, 132, shape), SOOTH_OK);
        for (i = 0; i < SOOTH_SCALING_MAX_POINTS; ++i) {
            float x = (float)(4 * i + 2);
            CHECK_STATUS(sooth_scaling_curve_add(
                             &env, &curve, x, sqrtf(x / 132) * (1 + 0.1f * (sooth_rng_float(&rng) - 0.5f))),
                         SOOTH_OK);
        }
        CHECK_FAILS(&env, sooth_scaling_curve_add(&env, &curve, 3, 0.5f), SOOTH_NO_MEMORY,
                    "the curve already has 32 points");
        /* but one that is there already */
        CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, 2, 0.1f), SOOTH_OK);
        for (i = 1; shape == SOOTH_SCALING_CONCAVE && i < 131; ++i)
            CHECK(sooth_scaling_curve_predict(&curve, (float)i + 1) +
                      sooth_scaling_curve_predict(&curve, (float)i - 1) <=
                  2 * sooth_scaling_curve_predict(&curve, (float)i) + 1e-6f);
    }
}

/* ---- what is refused ---- */

static void mistakes_are_sentences(void) {
    static const float nan_value = NAN;
    float x[12] = {1, 1.2f, 1, 4, 1.5f, 1, 8, 2.1f, 1, 20, 2.4f, 1}, y[4] = {90, 25, 13, 6};
    sooth_scaling_options options = options_of(SOOTH_SCALING_TIME, 1);
    sooth_scaling_prior prior;
    sooth_scaling_summary summary;
    sooth_scaling_curve curve;
    sooth_scaling model;
    sooth_table table = table_of(options.law, x, y, 4);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    table.rows = 1;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "there are 1 runs, but time has 2 coefficients; measure more, or give a prior");
    CHECK(model.law == 0 && model.head.magic == 0);
    table.rows = 0;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the table is empty");
    table.rows = 4;
    y[2] = 0;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 3 has a time of 0, but it must be above 0");
    y[2] = -1;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 3 has a time of -1");
    y[2] = nan_value;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 3 has no finite target");
    y[2] = 13;
    x[9] = 25;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 4 has 25 threads, but the machine has 24 cores");
    x[9] = 0.5f;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 4 has 0.5 threads, but there must be 1");
    x[9] = INFINITY;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 4 has an infinite value");
    x[9] = 20;
    x[1] = 0;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 1 has the frequency 0");
    x[1] = 1.2f;
    table.cols = 3;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the table has 3 columns, but time takes 2: threads, frequency");
    table.cols = 2;
    x[0] = x[3] = x[6] = x[9] = 4;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the runs determine only 1 of the 2 coefficients of time;");
    x[4] = x[7] = x[10] = 1.2f;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "all 4 runs are of the same configuration, but time has 2 coefficients");
    options.law = SOOTH_SCALING_LAWS;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "law is 10, but must be one of amdahl");
    options = options_of(SOOTH_SCALING_TIME, 1);
    options.machine.frequency[3] = 1;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the machine has frequencies that are not above 0 and ascending");
    CHECK_STATUS(sooth_scaling_prior_usual(&env, SOOTH_SCALING_TIME_LOG, &prior), SOOTH_OK);
    options = options_of(SOOTH_SCALING_TIME_LOG, 1);
    options.machine.cores = 0;
    options.prior = &prior;
    table.rows = 0; /* without rows nothing tells */
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the machine has no cores or no frequencies");
    table.rows = 4;
    options = options_of(SOOTH_SCALING_TIME, 1);
    options.prior = &prior;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the prior is for time_log, but the law is time");
    options.law = SOOTH_SCALING_TIME_LOG;
    prior.covariance[9] = -1;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the covariance of the prior is not positive definite");
    CHECK_FAILS(&env, sooth_scaling_prior_usual(&env, SOOTH_SCALING_USL, &prior), SOOTH_BAD_ARGUMENT,
                "the usual prior is for time_log");
    CHECK_FAILS(&env, sooth_scaling_fit_prior(&env, &table, &options, NULL, &prior), SOOTH_BAD_DATA,
                "the table has no groups");
    {
        static const uint32_t group[4] = {7, 7, 7, 7};
        table.group = group;
        CHECK_FAILS(&env, sooth_scaling_fit_prior(&env, &table, &options, NULL, &prior), SOOTH_BAD_DATA,
                    "the table has one program");
        CHECK(prior.terms == 0);
        table.group = NULL;
    }
    options = options_of(SOOTH_SCALING_USL_KNOWN, 0);
    table = table_of(options.law, x, y, 4);
    x[0] = 2, x[3] = 4, x[6] = 8, x[9] = 16;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "there is no run with one thread");
    options.single = 100;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    options = options_of(SOOTH_SCALING_POWER_LAW, 0);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK_FAILS(&env, sooth_scaling_summarise(&env, &model, &summary), SOOTH_BAD_ARGUMENT,
                "the law is power_law, but must be amdahl");
    CHECK_FAILS(&env, sooth_scaling_curve_init(&env, &curve, 0, 0), SOOTH_BAD_ARGUMENT,
                "n is 0, but must be above 0");
    CHECK_FAILS(&env, sooth_scaling_curve_init(&env, &curve, 8, 3), SOOTH_BAD_ARGUMENT, "shape is 3");
    CHECK_STATUS(sooth_scaling_curve_init(&env, &curve, 8, 0), SOOTH_OK);
    CHECK_FAILS(&env, sooth_scaling_curve_add(&env, &curve, 0, 0.5f), SOOTH_BAD_DATA,
                "x is 0, but must be above 0 and at most 8");
    CHECK_FAILS(&env, sooth_scaling_curve_add(&env, &curve, 9, 0.5f), SOOTH_BAD_DATA, "x is 9");
    CHECK_FAILS(&env, sooth_scaling_curve_add(&env, &curve, 4, nan_value), SOOTH_BAD_DATA, "progress is nan");
    CHECK_STATUS(sooth_scaling_curve_add(&env, &curve, 8, 0.9f), SOOTH_OK);
    CHECK(curve.count == 0);
}

/* As many runs as coefficients: the fit is exact, and its errors cannot be known; with a prior they are, from
   no run on. */
static void what_cannot_be_known_is_nan(void) {
    float x[6] = {1, 1.2f, 1, 8, 2.4f, 1}, y[2] = {90, 9};
    double low, high, before;
    sooth_scaling_options options = options_of(SOOTH_SCALING_TIME, 1);
    sooth_scaling_prior prior;
    sooth_scaling model;
    sooth_table table = table_of(options.law, x, y, 2);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK_NEAR(sooth_scaling_predict(&model, x), 90, 1e-4);
    CHECK_NEAR(sooth_scaling_predict(&model, x + 3), 9, 1e-5);
    CHECK(isnan(model.sigma) && isnan(sooth_scaling_standard_error(&model, 0)) &&
          isnan(soothi_scaling_predict_error(&model, x, 1)));
    sooth_scaling_interval(&model, x, 0.9, 1, &low, &high);
    CHECK(isnan(low) && isnan(high));
    CHECK_STATUS(sooth_scaling_prior_usual(&env, SOOTH_SCALING_TIME_LOG, &prior), SOOTH_OK);
    options.law = SOOTH_SCALING_TIME_LOG;
    options.prior = &prior;
    table = table_of(options.law, x, y, 1);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK_NEAR(sooth_scaling_predict(&model, x), 90, 1e-3);
    before = soothi_scaling_predict_error(&model, x + 3, 1);
    CHECK(before > 0.3 && before < 1);
    sooth_scaling_interval(&model, x + 3, 0.9, 1, &low, &high); /* of a normal distribution of ln T */
    CHECK_NEAR(log(high / low), 2 * 1.6448536269514722 * before, 1e-6);
    table.rows = 2;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK(soothi_scaling_predict_error(&model, x + 3, 1) < 0.05);
}

/* Weights count rows; rows of weight 0 do not exist. */
static void weights_count(void) {
    float x[18] = {1, 1.2f, 1, 4, 1.5f, 1, 8, 2.1f, 1, 8, 2.1f, 1, 20, 2.4f, 1, 3, 1.2f, 1},
          y[6] = {90, 25, 13, 13, 7, 1};
    float weight[5] = {1, 1, 2, 1, 0}, z[15], v[5];
    sooth_scaling_options options = options_of(SOOTH_SCALING_TIME, 1);
    sooth_scaling a, b;
    sooth_table table = table_of(options.law, x, y, 5);
    size_t i, j, n = 0;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &a), SOOTH_OK);
    for (i = 0; i < 6; ++i) {
        if (i == 3) continue;
        for (j = 0; j < 3; ++j) z[3 * n + j] = x[3 * i + j];
        v[n++] = y[i];
    }
    table = table_of(options.law, z, v, 5);
    table.weight = weight;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &b), SOOTH_OK);
    for (i = 0; i < 2; ++i) CHECK_NEAR(a.coefficient[i], b.coefficient[i], 1e-12 * a.coefficient[i]);
    CHECK(a.rows == 5 && b.rows == 4);
}

/* One socket: no socket sleeps, so eq. 7 has two coefficients. */
static void one_socket(void) {
    float x[12] = {1, 1.2f, 1, 4, 1.5f, 1, 8, 2.1f, 1, 12, 2.4f, 1}, y[4] = {20, 30, 50, 80};
    sooth_scaling_options options = options_of(SOOTH_SCALING_POWER, 1);
    sooth_scaling model;
    sooth_table table = table_of(options.law, x, y, 4);
    options.machine.sockets = 1;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK(model.freedom == 2 && model.held == 2);
    CHECK_NEAR(model.coefficient[1], 0, 0);
    CHECK(fabs((double)sooth_scaling_predict(&model, x + 6) / 50 - 1) < 0.1);
}

/* A block is refused when any of it was changed; predictions with whatever input stay in bounds. */
static void damaged_blocks_are_refused(void) {
    float x[12] = {1, 1.2f, 1, 4, 1.5f, 1, 8, 2.1f, 1, 20, 2.4f, 1}, y[4] = {90, 25, 13, 6};
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e30f, 1e-30f, 12, 13, 24, 25};
    sooth_scaling_options options = options_of(SOOTH_SCALING_POWER, 1);
    sooth_scaling model, copy;
    sooth_table table = table_of(options.law, x, y, 4);
    size_t i, j;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK(sooth_scaling_check(&model, sizeof model) && !sooth_scaling_check(&model, sizeof model - 1));
    for (i = 0; i < sizeof model; ++i) {
        memcpy(&copy, &model, sizeof model);
        ((unsigned char *)&copy)[i] ^= 0x10;
        CHECK(!sooth_scaling_check(&copy, sizeof copy));
    }
    for (i = 0; i < 3; ++i) { /* coefficients that are not finite */
        memcpy(&copy, &model, sizeof model);
        copy.b[0] = odd[i];
        soothi_block_seal(&copy.head);
        CHECK(!sooth_scaling_check(&copy, sizeof copy));
    }
    { /* a law's size is known: nothing may stand behind it */
        union {
            sooth_scaling law;
            unsigned char bytes[sizeof(sooth_scaling) + 16];
        } longer;
        memset(&longer, 0, sizeof longer);
        longer.law = model;
        longer.law.head.size = longer.law.head.bytes_at = (uint32_t)sizeof longer;
        soothi_block_seal(&longer.law.head);
        CHECK(!sooth_scaling_check(&longer, sizeof longer));
        longer.law.head.size = (uint32_t)sizeof model;
        longer.law.head.bytes_at = (uint32_t)sizeof model - 16;
        soothi_block_seal(&longer.law.head);
        CHECK(!sooth_scaling_check(&longer, sizeof longer));
    }
    for (i = 0; i < sizeof odd / sizeof odd[0]; ++i)
        for (j = 0; j < sizeof odd / sizeof odd[0]; ++j) {
            float row[3] = {odd[i], odd[j], 1};
            CHECK(!(sooth_scaling_predict(&model, row) > INFINITY));
        }
}

static void options_and_grid(void) {
    sooth_scaling_options options = options_of(SOOTH_SCALING_AMDAHL, 1);
    float rows[2 * 130];
    CHECK_STATUS(sooth_option_set(&env, sooth_scaling_options_list(), &options, "law", "usl"), SOOTH_OK);
    CHECK(options.law == SOOTH_SCALING_USL);
    CHECK_STATUS(sooth_option_set(&env, sooth_scaling_options_list(), &options, "loss", "log"), SOOTH_OK);
    CHECK(options.loss == SOOTH_SCALING_LOG && strcmp(sooth_scaling_law_name(99), "(no law)") == 0);
    CHECK(soothi_scaling_grid(&options.machine, rows, 130) == 120);
    CHECK_NEAR(rows[0], 1, 0);
    CHECK_NEAR(rows[2 * 119], 24, 0);
    CHECK_NEAR(rows[2 * 7 + 1], 1.8f, 0);
    CHECK(soothi_scaling_law_terms(SOOTH_SCALING_TIME_LOG) == 6 &&
          soothi_scaling_law_features(SOOTH_SCALING_POWER_SPEED) == 3);
}

/* FNV-1a over the bits of a double, the low byte first. */
static unsigned long long hash_double(unsigned long long h, double v) {
    uint64_t bits;
    int k;
    memcpy(&bits, &v, sizeof bits);
    for (k = 0; k < 8; ++k) h = (h ^ (bits >> (8 * k) & 255u)) * 1099511628211ull;
    return h;
}

/* Coefficients, errors and predictions, whatever the compiler and machine. */
static void same_bits_everywhere(void) {
    unsigned long long h = 14695981039346656037ull;
    float x[60], y[20];
    size_t i;
    uint32_t j;
    if (!SOOTH_SAME_BITS) CHECK_SKIP("floating point is evaluated with more digits here");
    for (i = 0; i < sizeof golden_fits / sizeof golden_fits[0]; ++i) {
        const struct golden_fit *g = &golden_fits[i];
        sooth_scaling_options options = options_of(g->law, g->volts != 0);
        sooth_scaling model;
        sooth_table table;
        options.loss = g->loss;
        options.non_negative = g->non_negative;
        to_floats(g->x, x, 60);
        to_floats(g->y, y, 20);
        table = table_of(g->law, x, y, g->rows);
        CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
        for (j = 0; j < 6; ++j)
            h = hash_double(hash_double(h, model.coefficient[j]), sooth_scaling_standard_error(&model, j));
        h = hash_double(hash_double(h, model.sigma), (double)sooth_scaling_predict(&model, x));
    }
    if (h != GOLDEN_HASH) printf("  the hash is 0x%llx\n", h);
    CHECK(h == GOLDEN_HASH);
}

static void the_table_tells_the_machine(void) {
    const float x[] = {1, 2.4f, 8, 1.2f, 3, 1.8f, 12, 2.4f, 6, 1.2f, 4, 2.4f};
    const float y[] = {50.0f, 21.0f, 28.0f, 9.0f, 25.0f, 17.0f};
    const sooth_table table = sooth_table_of(x, y, 6, 2);
    sooth_scaling_options said, open;
    sooth_scaling a, b, *c;
    memset(&open, 0, sizeof open);
    open.law = SOOTH_SCALING_POWER;
    open.machine.sockets = 2;
    said = open;
    said.machine.cores = 6; /* 12 threads on 2 sockets */
    said.machine.levels = 3;
    said.machine.frequency[0] = 1.2f;
    said.machine.frequency[1] = 1.8f;
    said.machine.frequency[2] = 2.4f;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &said, &a), SOOTH_OK);
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &open, &b), SOOTH_OK);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK_STATUS(sooth_scaling_fit(&env, &table, &open, &c), SOOTH_OK);
    CHECK(memcmp(&a, c, sizeof a) == 0);
    sooth_scaling_free(&env, c);
    CHECK_STATUS(sooth_scaling_check_options(&env, &table, &open), SOOTH_OK);
    said.machine.cores = 4;
    CHECK_FAILS(&env, sooth_scaling_check_options(&env, &table, &said), SOOTH_BAD_DATA,
                "row 4 has 12 threads, but the machine has 8 cores");
    CHECK_STATUS(sooth_option_set(&env, sooth_scaling_options_list(), &said, "cores", "6"), SOOTH_OK);
    CHECK_STATUS(sooth_scaling_check_options(&env, &table, &said), SOOTH_OK);
}

static void coefficients_fit_a_float(void) {
    float x[9] = {2, 1, 1, 4, 1, 1, 8, 1, 1}, y[3] = {50, 30, 20};
    sooth_scaling_options options = options_of(SOOTH_SCALING_USL_KNOWN, 1);
    sooth_scaling model;
    sooth_table table = table_of(options.law, x, y, 3);
    options.single = 100;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    CHECK(sooth_scaling_standard_error(&model, 0) <= 0 &&
          sooth_scaling_standard_error(&model, 1) > 0); /* the first was told */
    options.single = 1e300;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the runs give coefficient 1 the value 1e300, which overflows a float");
}

static void lies_of_laws(void) {
    static const float rows[12] = {1, 1.2f, 1, 4, 1.5f, 1, 8, 2.1f, 1, 20, 2.4f, 1},
                       watts[4] = {40, 60, 90, 160};
    static const uint32_t nan = 0x7FC00000u, infinite = 0x7F800000u, minus_one = 0xBF800000u,
                          huge = 0x7149F2CAu;
    const size_t machine = offsetof(sooth_scaling, machine);
    const lies_word lies[] = {
        {offsetof(sooth_scaling, law), SOOTH_SCALING_LAWS},
        {offsetof(sooth_scaling, law), SOOTH_SCALING_AMDAHL},
        {offsetof(sooth_scaling, terms), 1},
        {offsetof(sooth_scaling, first), 1},
        {offsetof(sooth_block, features), 1},
        {offsetof(sooth_block, targets), 2},
        {offsetof(sooth_block, doubles_at), 64},
        {machine + offsetof(sooth_scaling_machine, cores), 0},
        {machine + offsetof(sooth_scaling_machine, cores), (1u << 20) + 1u},
        {machine + offsetof(sooth_scaling_machine, sockets), (1u << 20) + 1u},
        {machine + offsetof(sooth_scaling_machine, levels), 0},
        {machine + offsetof(sooth_scaling_machine, levels), SOOTH_SCALING_MAX_LEVELS + 1u},
        {machine + offsetof(sooth_scaling_machine, frequency), 0},
        {machine + offsetof(sooth_scaling_machine, frequency), minus_one},
        {machine + offsetof(sooth_scaling_machine, frequency) + 4, infinite},
        {machine + offsetof(sooth_scaling_machine, frequency) + 4, huge},
        {machine + offsetof(sooth_scaling_machine, voltage) + 4, 0},
        {machine + offsetof(sooth_scaling_machine, voltage) + 4, nan},
        {offsetof(sooth_scaling, unit) + 4, 0},
        {offsetof(sooth_scaling, unit) + 4, infinite},
        {offsetof(sooth_scaling, b) + 4, nan}};
    const lies_word unknown[] = {{machine + offsetof(sooth_scaling_machine, voltage) + 4, minus_one},
                                 {machine + offsetof(sooth_scaling_machine, voltage) + 4, huge}};
    for (int volts = 0; volts < 2; ++volts) {
        sooth_scaling_options options = options_of(SOOTH_SCALING_POWER, volts);
        sooth_table table = table_of(options.law, rows, watts, 4);
        sooth_scaling model;
        CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
        if (volts) lies_are_refused(sooth_scaling_check, &model.head, lies, sizeof lies / sizeof *lies);
        else lies_are_refused(sooth_scaling_check, &model.head, unknown, 2);
    }
}

static void the_rest_of_what_laws_refuse(void) {
    static float many[3 * 33];
    static float ones[66];
    sooth_scaling_options options = options_of(SOOTH_SCALING_POWER, 0);
    sooth_scaling_prior prior;
    sooth_scaling *model;
    sooth_table table = table_of(options.law, many, ones, 33);
    for (size_t i = 0; i < 33; ++i) {
        many[3 * i] = (float)(1 + i % 8);
        many[3 * i + 1] = 1.0f + (float)i;
        ones[i] = ones[33 + i] = 1.0f;
    }
    options.machine.levels = 0;
    memset(options.machine.frequency, 0, sizeof options.machine.frequency);
    CHECK_FAILS(&env, sooth_scaling_fit(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the table has more than 32 frequencies; set those of the machine");
    CHECK(model == NULL);
    ones[3] = -2;
    table.rows = 32;
    CHECK_FAILS(&env, sooth_scaling_fit(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "row 4 has a power of -2");
    ones[3] = 1;
    table.targets = 2;
    CHECK_FAILS(&env, sooth_scaling_fit(&env, &table, &options, &model), SOOTH_BAD_DATA,
                "the table has 2 targets, but a law has one");
    table.targets = 1;
    table.cols = 2;
    CHECK_FAILS(&env, sooth_scaling_check_options(&env, &table, NULL), SOOTH_BAD_DATA,
                "the table has 2 columns, but amdahl takes 1: threads");
    table.cols = 1;
    CHECK_STATUS(sooth_scaling_check_options(&env, &table, NULL), SOOTH_OK);
    memset(&prior, 0, sizeof prior);
    options = options_of(SOOTH_SCALING_USL_KNOWN, 0);
    options.prior = &prior;
    prior.law = options.law;
    prior.terms = soothi_scaling_law_terms(options.law);
    CHECK_FAILS(&env, sooth_scaling_fit(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "a prior cannot be used with usl_known");
    prior.terms = 1;
    CHECK_FAILS(&env, sooth_scaling_fit(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the prior is for usl_known, but the law is usl_known");
    CHECK(soothi_scaling_law_terms(SOOTH_SCALING_LAWS) == 0 &&
          soothi_scaling_law_features(SOOTH_SCALING_LAWS) == 0);
    sooth_scaling_free(&env, NULL);
}

/* T = 3 + 90 / t exactly: what two runs of it leave unknown, what a third tells, and terms that there are
   not. */
static void what_few_runs_tell(void) {
    static const float rows[9] = {1, 0, 0, 2, 0, 0, 3, 0, 0}, times[3] = {93, 48, 33}, weight[3] = {1, 1, 0};
    const float at[1] = {5};
    sooth_table table = table_of(SOOTH_SCALING_AMDAHL, rows, times, 2);
    double low, high;
    sooth_scaling *model;
    sooth_scaling_summary s;
    table.cols = 1;
    CHECK_EVERY_ALLOCATION(&env, sooth_scaling_fit(&env, &table, NULL, &model),
                           sooth_scaling_free(&env, model));
    sooth_env_init(&env);
    for (int weighted = 0; weighted < 2; ++weighted) { /* a run without weight is none */
        table.rows = 2u + (unsigned)weighted;
        table.weight = weighted ? weight : NULL;
        CHECK_STATUS(sooth_scaling_fit(&env, &table, NULL, &model), SOOTH_OK);
        if (!model) return;
        CHECK(model->freedom == 0 && model->rows == 2);
        CHECK_NEAR(sooth_scaling_coefficient(model, 0), 3, 1e-9);
        CHECK_NEAR(sooth_scaling_coefficient(model, 1), 90, 1e-9);
        CHECK(sooth_scaling_coefficient(model, 2) == 0.0 && sooth_scaling_standard_error(model, 2) == 0.0);
        sooth_scaling_interval(model, at, 0.9, 1, &low, &high);
        CHECK(isnan(low) && isnan(high));
        CHECK_STATUS(sooth_scaling_summarise(&env, model, &s), SOOTH_OK);
        CHECK_NEAR(s.sigma, 3.0 / 93, 1e-9);
        CHECK_NEAR(s.limit, 31, 1e-6);
        CHECK(isinf(s.peak) && s.extrapolated);
        sooth_scaling_free(&env, model);
    }
}

/* The best number of threads is sqrt((1 - sigma) / kappa), and 1 where more only harm. */
static void the_best_number_of_threads(void) {
    static const struct {
        double sigma, kappa, ends[2], peak, limit;
        int extrapolated;
    } known[] = {{0.2, 0.008, {1, 20}, 10, 5, 0},  {0.2, 0.008, {1, 8}, 10, 5, 1},
                 {0.2, 0.008, {11, 20}, 10, 5, 1}, {0.9, 0.5, {1, 4}, 1, 1 / 0.9, 0},
                 {2, 0.5, {1, 4}, 1, 0.5, 0},      {0, 0.04, {1, 5}, 5, INFINITY, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        sooth_scaling model;
        sooth_scaling_summary s;
        memset(&model, 0, sizeof model);
        model.law = SOOTH_SCALING_USL;
        model.terms = 3;
        model.coefficient[0] = 40;
        model.coefficient[1] = 40 * known[i].sigma;
        model.coefficient[2] = 40 * known[i].kappa;
        memcpy(model.ends, known[i].ends, sizeof model.ends);
        CHECK_STATUS(sooth_scaling_summarise(&env, &model, &s), SOOTH_OK);
        CHECK_NEAR(s.peak, known[i].peak, 1e-9);
        CHECK(s.limit >= known[i].limit * 0.999999 && s.limit <= known[i].limit * 1.000001);
        CHECK_NEAR(s.peak_speedup,
                   s.peak / (1 + known[i].sigma * (s.peak - 1) + known[i].kappa * s.peak * (s.peak - 1)),
                   1e-9);
        CHECK(s.extrapolated == known[i].extrapolated);
    }
}

/* The speed at some threads lies between bounds; where it may be 0, the time has no end. */
static void intervals_without_an_end(void) {
    static const float rows[12] = {1, 0, 0, 2, 0, 0, 4, 0, 0, 8, 0, 0}, times[4] = {10, 5.5f, 3, 2};
    const float at[1] = {4};
    sooth_scaling_options options = {.law = SOOTH_SCALING_AMDAHL + 1};
    sooth_table table = table_of(options.law, rows, times, 4);
    sooth_scaling model;
    double low, high;
    CHECK_STATUS(sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_OK);
    sooth_scaling_interval(&model, at, 0.9, 1, &low, &high);
    CHECK(low > 0 && low < 3 && high > 3 && high < 100);
    model.sigma = 1e9;
    sooth_scaling_interval(&model, at, 0.9, 1, &low, &high);
    CHECK(low > 0 && low < 1e-6 && isinf(high));
    model.sigma = NAN;
    sooth_scaling_interval(&model, at, 0.9, 1, &low, &high);
    CHECK(isnan(low) && isnan(high));
}

/* Cores that nobody gave are those of the busiest run, in whole cores per socket; a million are too many. */
static void cores_of_the_runs(void) {
    float rows[12] = {1, 1.2f, 1, 2, 1.5f, 1, 2, 2.1f, 1, 3, 2.4f, 1};
    static const float watts[4] = {40, 60, 90, 160};
    sooth_scaling_options options = options_of(SOOTH_SCALING_POWER, 0);
    sooth_table table = table_of(options.law, rows, watts, 4);
    sooth_scaling model;
    options.machine.cores = 0;
    options.machine.sockets = 2;
    options.machine.levels = 0;
    memset(options.machine.frequency, 0, sizeof options.machine.frequency);
    CHECK_STATUS(sooth_scaling_check_options(&env, &table, &options), SOOTH_OK);
    sooth_scaling_fit_into(&env, &table, &options, &model);
    if (model.machine.levels) CHECK(model.machine.cores == 2 && model.machine.levels == 4);
    rows[9] = 2e6f;
    CHECK_FAILS(&env, sooth_scaling_fit_into(&env, &table, &options, &model), SOOTH_BAD_ARGUMENT,
                "the machine has no cores or no frequencies");
    options = options_of(SOOTH_SCALING_POWER, 0);
    options.machine.sockets = 1;
    const size_t count = soothi_scaling_grid(&options.machine, NULL, 0);
    options.machine.sockets = 0; /* which is 1 */
    CHECK(count > 0 && soothi_scaling_grid(&options.machine, NULL, 0) == count);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_numpy_and_scipy);
    CHECK_RUN(priors_equal_numpy);
    CHECK_RUN(predictions_are_the_line);
    CHECK_RUN(usl_is_recovered);
    CHECK_RUN(errors_of_ratios_are_those_of_many_fits);
    CHECK_RUN(intervals_cover);
    CHECK_RUN(learning_is_counting_when_programs_are_known);
    CHECK_RUN(learning_sees_through_noise);
    CHECK_RUN(two_segments);
    CHECK_RUN(shapes_are_optimal);
    CHECK_RUN(long_curves_and_inverses);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(what_cannot_be_known_is_nan);
    CHECK_RUN(weights_count);
    CHECK_RUN(one_socket);
    CHECK_RUN(damaged_blocks_are_refused);
    CHECK_RUN(coefficients_fit_a_float);
    CHECK_RUN(options_and_grid);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(the_table_tells_the_machine);
    CHECK_RUN(lies_of_laws);
    CHECK_RUN(the_rest_of_what_laws_refuse);
    CHECK_RUN(what_few_runs_tell);
    CHECK_RUN(the_best_number_of_threads);
    CHECK_RUN(intervals_without_an_end);
    CHECK_RUN(cores_of_the_runs);
    return check_end("scaling");
}
