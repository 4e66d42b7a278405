/* test_probability.c - probability.h against scikit-learn, scipy, and the true odds of coins.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/model/probability.h"
#include "sooth/validation/metrics.h"
#include "check.h"
#include "golden/probability.h"

static sooth_probability *fitted(const float *y, const float *s, const float *w, size_t rows, uint32_t method,
                                 uint32_t scores) {
    const sooth_probability_options o = {method, scores};
    sooth_probability *map = NULL;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_probability_fit(&env, y, s, w, rows, &o, &map), SOOTH_OK);
    if (!map) printf("  %s\n", env.sentence);
    else CHECK(sooth_probability_check(map, map->head.size));
    return map;
}

static void answers_are_those_of_scikit_learn(void) {
    for (size_t k = 0; k < sizeof golden_maps / sizeof *golden_maps; ++k) {
        const golden_map *g = &golden_maps[k];
        sooth_probability *steps = fitted(g->actual, g->score, g->weight, g->count, 1, 0);
        sooth_probability *curve = fitted(g->actual, g->score, g->weight, g->count, 0, 0);
        if (!steps || !curve) return;
        for (size_t i = 0; i < GOLDEN_ASKED; ++i) {
            const double p = (double)sooth_probability_apply(curve, g->asked[i]);
            CHECK_NEAR(sooth_probability_apply(steps, g->asked[i]), g->isotonic[i], 3e-7);
            CHECK_NEAR(p, g->sigmoid[i], 1e-6);
            if (!isnan(g->sigmoid_theirs[i])) CHECK_NEAR(p, g->sigmoid_theirs[i], 1e-3); /* it stops early */
        }
        if (check_failures) printf("  %s\n", g->name);
        sooth_probability_free(NULL, steps);
        sooth_probability_free(NULL, curve);
    }
}

/* By the definition: no rising sequence is nearer in squares. Each value is the greatest over the beginnings
   of the least mean over the ends (Robertson, Wright, Dykstra 1988, section 1.4). */
static void steps_are_the_nearest_rising_ones(void) {
    enum { N = 60 };
    float s[N], y[N], w[N];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (uint32_t i = 0; i < N; ++i) {
        s[i] = (float)i - 30.0f;
        y[i] = (float)sooth_rng_below(&rng, 2);
        w[i] = 1.0f + (float)sooth_rng_below(&rng, 3);
    }
    sooth_probability *map = fitted(y, s, w, N, SOOTH_PROBABILITY_ISOTONIC, SOOTH_PROBABILITY_PLAIN);
    for (uint32_t i = 0; map && i < N; ++i) {
        double most = 0.0;
        for (uint32_t from = 0; from <= i; ++from) {
            double least = 1.0, sum = 0.0, all = 0.0;
            for (uint32_t to = from; to < N; ++to) {
                sum += (double)(w[to] * y[to]);
                all += (double)w[to];
                if (to >= i && sum / all < least) least = sum / all;
            }
            if (least > most) most = least;
        }
        CHECK_NEAR(sooth_probability_apply(map, s[i]), most, 1e-7);
    }
    sooth_probability_free(NULL, map);
}

/* Probabilities that are too sure, of coins whose odds are known: both maps make them hold. */
static void what_was_too_sure_holds(void) {
    enum { N = 4000 };
    static float truth[N], said[N], y[N], p[N];
    sooth_metrics_binary before, after;
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (uint32_t i = 0; i < N; ++i) {
        const float odds = 4.0f * sooth_rng_float(&rng) - 2.0f;
        truth[i] = sooth_sigmoid(odds);
        said[i] = sooth_sigmoid(3.0f * odds + 0.5f);
        y[i] = sooth_rng_float(&rng) < truth[i];
    }
    CHECK_STATUS(sooth_metrics_compute_binary(NULL, y, said, NULL, N, &before), SOOTH_OK);
    for (uint32_t method = 0; method < SOOTH_PROBABILITY_METHODS; ++method) {
        sooth_probability *map = fitted(y, said, NULL, N, method, SOOTH_PROBABILITY_ODDS);
        double off = 0.0;
        if (!map) return;
        sooth_probability_apply_many(map, said, N, p);
        for (uint32_t i = 0; i < N; ++i) off += fabs((double)p[i] - (double)truth[i]) / N;
        CHECK_STATUS(sooth_metrics_compute_binary(NULL, y, p, NULL, N, &after), SOOTH_OK);
        CHECK(off < (method ? 0.03 : 0.015));
        CHECK(after.log_loss < before.log_loss - 0.1 && after.brier < before.brier - 0.01);
        CHECK_NEAR(after.mean_p, after.rate, method ? 1e-6 : 1e-3);
        CHECK_NEAR(after.auc, before.auc, method ? 0.01 : 1e-12); /* the order is kept, but for steps */
        if (method == SOOTH_PROBABILITY_SIGMOID) {                /* odds = (s - 0.5) / 3 */
            CHECK_NEAR(map->slope, 1.0 / 3.0, 0.02);
            CHECK_NEAR(map->intercept - map->slope * map->centre, -0.5 / 3.0, 0.07);
        }
        sooth_probability_free(NULL, map);
    }
}

static void odd_scores_are_answered(void) {
    const float huge[] = {-3.4e38f, -3e38f, 3e38f, 3.4e38f}, tiny[] = {0, 1e-45f, 3e-45f, 4e-45f};
    const float same_score[] = {2, 2, 2, 2}, y[] = {0, 1, 0, 1}, ones[] = {1, 1, 1, 1};
    const float ends[] = {0, 0.25f, 0.5f, 1}, two[] = {0, 0, 1, 1}, falling[] = {1, 1, 0, 0};
    const float odd[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, 1e-45f, 3e38f, -3e38f, INFINITY, -INFINITY, 0.5f};
    const float *const all[] = {huge, tiny, same_score, ends}, *const classes[] = {y, ones, two, falling};
    for (uint32_t k = 0; k < 4; ++k)
        for (uint32_t c = 0; c < 4; ++c)
            for (uint32_t form = 0; form < (k == 3 ? 4u : 2u); ++form) {
                sooth_probability *map = fitted(classes[c], all[k], NULL, 4, form & 1, form >> 1);
                if (!map) return;
                for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
                    const float p = sooth_probability_apply(map, odd[i]);
                    CHECK(p >= 0.0f && p <= 1.0f);
                }
                CHECK(isnan(sooth_probability_apply(map, NAN)));
                const sooth_cost cost = sooth_probability_cost(map);
                CHECK(cost.bytes == map->head.size && cost.functions == (form & 1 ? 0u : 1u + (form >> 1)));
                if (k == 2)
                    CHECK_NEAR(sooth_probability_apply(map, 2),
                               form     ? (c == 1 ? 1 : 0.5)
                               : c == 1 ? 5.0 / 6
                                        : 0.5,
                               1e-6);
                sooth_probability_free(NULL, map);
            }
    sooth_probability *map =
        fitted(two, huge, NULL, 4, 1, 0); /* the line between is wider than a float holds */
    if (map) CHECK_NEAR(sooth_probability_apply(map, 0), 0.5, 1e-6);
    sooth_probability_free(NULL, map);
}

/* Scores and weights of very different sizes: never worse than a constant, by the loss that is made small. */
static void wild_rows_do_no_harm(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (int k = 0; k < 1200 && !check_failures; ++k) {
        const uint32_t n = 2 + sooth_rng_below(&rng, 12);
        float s[16], y[16], w[16];
        double weight[2] = {0, 0}, loss = 0, flat = 0, size = 0;
        for (uint32_t i = 0; i < n; ++i) {
            s[i] = (float)((sooth_rng_double(&rng) - 0.5) *
                           exp((sooth_rng_double(&rng) - 0.5) * (k & 1 ? 40 : 4)));
            y[i] = (float)sooth_rng_below(&rng, 2);
            w[i] = (float)exp((sooth_rng_double(&rng) - 0.5) * (k & 2 ? 40 : 2));
            weight[y[i] > 0.5f] += (double)w[i];
        }
        sooth_probability *map = fitted(y, s, w, n, SOOTH_PROBABILITY_SIGMOID, SOOTH_PROBABILITY_PLAIN);
        if (!map) return;
        const double odds = log((weight[1] + 1) / (weight[0] + 1));
        for (uint32_t i = 0; i < n; ++i) {
            const double t = y[i] > 0.5f ? (weight[1] + 1) / (weight[1] + 2) : 1 / (weight[0] + 2);
            const double f =
                (double)map->slope * ((double)s[i] - (double)map->centre) + (double)map->intercept;
            loss += (double)w[i] * (fmax(f, 0) + log1p(exp(-fabs(f))) - t * f);
            flat += (double)w[i] * (fmax(odds, 0) + log1p(exp(-fabs(odds))) - t * odds);
            size += (double)w[i] * fabs(f);
        }
        CHECK(loss <= flat + 1e-6 * (flat + size)); /* slope and intercept are floats */
        sooth_probability_free(NULL, map);
    }
}

static void bad_input_is_a_sentence(void) {
    float y[] = {0, 1, 1, 0}, s[] = {0.25f, 0.5f, 1, 0}, w[] = {1, 1, 0, 1};
    sooth_probability_options o = {0, 1};
    sooth_probability *map;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, NULL, 0, NULL, &map), SOOTH_BAD_DATA,
                "there are 0 rows, but");
    y[2] = 7; /* of weight 0 */
    CHECK_STATUS(sooth_probability_fit(&env, y, s, w, 4, &o, &map), SOOTH_OK);
    sooth_probability_free(&env, map);
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, NULL, 4, &o, &map), SOOTH_BAD_DATA,
                "row 3 has the actual value 7, but it must be 0 or 1");
    CHECK(map == NULL);
    y[2] = -1;
    CHECK_STATUS(sooth_probability_fit(&env, y, s, NULL, 4, &o, &map), SOOTH_BAD_DATA);
    y[2] = 0.5f;
    CHECK_STATUS(sooth_probability_fit(&env, y, s, NULL, 4, &o, &map), SOOTH_BAD_DATA);
    y[2] = 1;
    s[3] = -0.5f;
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, NULL, 4, &o, &map), SOOTH_BAD_DATA,
                "row 4 has the score -0.5, but with scores=odds it must be between 0 and 1");
    s[3] = INFINITY;
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, NULL, 4, NULL, &map), SOOTH_BAD_DATA,
                "row 4 has the score inf, but it must be finite");
    s[3] = 0;
    w[0] = -1;
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, w, 4, NULL, &map), SOOTH_BAD_DATA,
                "row 1 has the weight");
    o.method = 2;
    CHECK_FAILS(&env, sooth_probability_fit(&env, y, s, NULL, 4, &o, &map), SOOTH_BAD_ARGUMENT,
                "sigmoid|isotonic");
    for (o.method = 0; o.method < 2; ++o.method)
        CHECK_EVERY_ALLOCATION(&env, sooth_probability_fit(&env, y, s, NULL, 4, &o, &map),
                               sooth_probability_free(&env, map));
}

int main(void) {
    CHECK_RUN(answers_are_those_of_scikit_learn);
    CHECK_RUN(steps_are_the_nearest_rising_ones);
    CHECK_RUN(what_was_too_sure_holds);
    CHECK_RUN(odd_scores_are_answered);
    CHECK_RUN(wild_rows_do_no_harm);
    CHECK_RUN(bad_input_is_a_sentence);
    return check_end("probability");
}
