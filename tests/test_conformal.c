/* test_conformal.c - intervals against MAPIE's, naive twins, and what they promise of a known truth.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Coverage is counted over many draws of everything (calibration rows and new rows), so that each draw is one
 * throw of a coin; what it may be off by is four standard deviations of such coins.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/conformal.h"
#include "sooth/csv.h"
#include "sooth/forest.h"
#include "sooth/validation/split.h"
#include "check.h"
#include "golden/conformal.h"
#include "lies.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define GOLDEN_HASH 0x6b09b9a69c36903cull /* see same_bits_everywhere */

static sooth_env env;

static sooth_conformal *fit(const float *y, const float *p, const uint32_t *group, const float *weight,
                            size_t rows, const sooth_conformal_options *options) {
    sooth_conformal *made = NULL;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_conformal_fit(&env, y, p, group, weight, rows, options, &made), SOOTH_OK);
    if (!made) abort();
    CHECK((env.sentence[0] != 0) == (made->claim.promise == SOOTH_CONFORMAL_NONE));
    CHECK(sooth_conformal_check(made, made->head.size));
    return made;
}

static int holds(const sooth_conformal *c, float predicted, float spread, float y) {
    float low, high;
    sooth_conformal_interval(c, predicted, spread, &low, &high);
    return low <= y && y <= high;
}

/* hits of draws: at least, and at most, these shares, give or take four standard deviations of chance. */
static void share_is(const char *what, size_t hits, size_t draws, double least, double most) {
    const double share = (double)hits / (double)draws, n = (double)draws;
    const double below = least - 4 * sqrt(least * (1 - least) / n) - 1e-12;
    const double above = most + 4 * sqrt(most * (1 - most) / n) + 1e-12;
    if (share >= below && share <= above) return;
    printf("  %s: %.4f of %u, expected %.4f to %.4f\n", what, share, (unsigned)draws, least, most);
    ++check_failures;
}

static void floats_of(const double *from, size_t n, float *to) {
    for (size_t i = 0; i < n; ++i) to[i] = (float)from[i];
}

/* ---- what others say ---- */

static void ends_are(const double expected[golden_tests][2], size_t i, float low, float high) {
    CHECK_NEAR(low, expected[i][0], 2e-6 * (fabs(expected[i][0]) + 10));
    CHECK_NEAR(high, expected[i][1], 2e-6 * (fabs(expected[i][1]) + 10));
}

static void split_equals_mapie(void) {
    float y[golden_rows], p[golden_rows], low, high;
    floats_of(golden_measured, golden_rows, y);
    floats_of(golden_split_predicted, golden_rows, p);
    for (size_t k = 0; k < golden_levels; ++k) {
        const sooth_conformal_options options = {.level = golden_level[k]};
        sooth_conformal *c = fit(y, p, NULL, NULL, golden_rows, &options);
        for (size_t i = 0; i < golden_tests; ++i) {
            sooth_conformal_interval(c, (float)golden_split_new[i], 1, &low, &high);
            ends_are(golden_split[k], i, low, high);
        }
        sooth_conformal_free(&env, c);
    }
}

static void quantiles_equal_mapie(void) {
    float y[golden_rows], lows[golden_rows], highs[golden_rows], low, high;
    floats_of(golden_measured, golden_rows, y);
    for (int k = 0; k < 4; ++k) {
        const int ninety = k % 2, each = k / 2;
        const sooth_conformal_options options = {
            .level = ninety ? 0.9 : 0.8,
            .tails = each ? SOOTH_CONFORMAL_EACH : SOOTH_CONFORMAL_BOTH,
        };
        sooth_conformal *c;
        floats_of(ninety ? golden_quantiles_90_predicted[0] : golden_quantiles_80_predicted[0], golden_rows,
                  lows);
        floats_of(ninety ? golden_quantiles_90_predicted[1] : golden_quantiles_80_predicted[1], golden_rows,
                  highs);
        CHECK_STATUS(
            sooth_conformal_fit_quantiles(&env, y, lows, highs, NULL, NULL, golden_rows, &options, &c),
            SOOTH_OK);
        CHECK(sooth_conformal_check(c, c->head.size) && c->score == SOOTH_CONFORMAL_QUANTILE);
        for (size_t i = 0; i < golden_tests; ++i) {
            const double(*new)[golden_tests] = ninety ? golden_quantiles_90_new : golden_quantiles_80_new;
            sooth_conformal_interval_quantiles(c, (float)new[0][i], (float)new[1][i], &low, &high);
            ends_are(ninety ? golden_quantiles_90[each] : golden_quantiles_80[each], i, low, high);
        }
        sooth_conformal_free(&env, c);
    }
}

/* The upper end alone at 0.9 is that of a corrected pair at 0.8, each of whose tails may miss 0.1. */
static void upper_quantiles_equal_mapie(void) {
    float y[golden_rows], highs[golden_rows], low, high;
    floats_of(golden_measured, golden_rows, y);
    for (int ninety = 0; ninety < 2; ++ninety) {
        const sooth_conformal_options options = {.level = ninety ? 0.95 : 0.9,
                                                 .tails = SOOTH_CONFORMAL_UPPER};
        sooth_conformal *c;
        floats_of(ninety ? golden_quantiles_90_predicted[1] : golden_quantiles_80_predicted[1], golden_rows,
                  highs);
        CHECK_STATUS(
            sooth_conformal_fit_quantiles(&env, y, highs, highs, NULL, NULL, golden_rows, &options, &c),
            SOOTH_OK);
        CHECK(sooth_conformal_check(c, c->head.size) && c->claim.promise == SOOTH_CONFORMAL_OF_ROWS);
        for (size_t i = 0; i < golden_tests; ++i) {
            const double expected = ninety ? golden_quantiles_90[1][i][1] : golden_quantiles_80[1][i][1];
            const float p = (float)(ninety ? golden_quantiles_90_new : golden_quantiles_80_new)[1][i];
            sooth_conformal_interval_quantiles(c, p, p, &low, &high);
            CHECK(low == -INFINITY);
            CHECK_NEAR(high, expected, 1e-5);
        }
        sooth_conformal_free(&env, c);
    }
}

/* MAPIE's ends of CV+ and of its minmax, for out-of-fold predictions and the folds' of the new rows. */
static void folds_equal(const double *predicted, const unsigned *fold, const double *ahead, size_t rows,
                        size_t folds, const double expected[golden_levels][golden_tests][2],
                        uint32_t minmax) {
    float y[golden_rows], p[golden_rows], of_folds[golden_tests * golden_singles], low[golden_tests],
        high[golden_tests];
    uint32_t f[golden_rows];
    sooth_conformal_claim claim;
    floats_of(golden_measured, rows, y);
    floats_of(predicted, rows, p);
    floats_of(ahead, golden_tests * folds, of_folds);
    for (size_t i = 0; i < rows; ++i) f[i] = fold[i];
    for (size_t k = 0; k < golden_levels; ++k) {
        const sooth_conformal_options options = {.level = golden_level[k], .minmax = minmax};
        const sooth_conformal_left_out in = {y, p, f, NULL, NULL, rows, folds};
        CHECK_STATUS(sooth_conformal_cross(&env, &in, of_folds, golden_tests, &options, low, high, &claim),
                     SOOTH_OK);
        CHECK(claim.promise == SOOTH_CONFORMAL_OF_ROWS && claim.rows == rows && claim.groups == 0);
        for (size_t i = 0; i < golden_tests; ++i) ends_are(expected[k], i, low[i], high[i]);
    }
}

static void cv_plus_equals_mapie(void) {
    folds_equal(golden_cross_predicted, golden_cross_fold, golden_cross_new[0], golden_rows, golden_folds,
                golden_cross_plus, 0);
    folds_equal(golden_cross_predicted, golden_cross_fold, golden_cross_new[0], golden_rows, golden_folds,
                golden_cross_minmax, 1);
}

static void jackknife_plus_equals_mapie(void) {
    folds_equal(golden_jackknife_predicted, golden_jackknife_fold, golden_jackknife_new[0], golden_singles,
                golden_singles, golden_jackknife_plus, 0);
    folds_equal(golden_jackknife_predicted, golden_jackknife_fold, golden_jackknife_new[0], golden_singles,
                golden_singles, golden_jackknife_minmax, 1);
}

/* ---- naive twins ---- */

/* Rows as a test draws them; whole numbers, so that there are ties and sums are exact. */
typedef struct drawn {
    float y[64], p[64], high[64], weight[64];
    uint32_t group[64], fold[64];
    size_t rows;
} drawn;

static drawn draw(sooth_rng *rng, size_t rows, uint32_t groups) {
    drawn d;
    memset(&d, 0, sizeof d);
    d.rows = rows;
    for (size_t i = 0; i < rows; ++i) {
        d.y[i] = (float)(1 + sooth_rng_below(rng, 30));
        d.p[i] = (float)(1 + sooth_rng_below(rng, 30));
        d.high[i] = d.p[i] + (float)sooth_rng_below(rng, 5);
        d.weight[i] = (float)sooth_rng_below(rng, 4);
        d.group[i] = 1000u * sooth_rng_below(rng, groups);
        d.fold[i] = sooth_rng_below(rng, 4);
    }
    d.weight[0] = 1;
    return d;
}

/* The share of the whole that row i weighs, up to a factor: in whole numbers of 1 / 27720. */
static double naive_weight(const drawn *d, int grouped, int weighted, size_t i) {
    double own = weighted ? (double)d->weight[i] : 1, sum = 0;
    if (!grouped) return own;
    for (size_t k = 0; k < d->rows; ++k)
        if (d->group[k] == d->group[i]) sum += weighted ? (double)d->weight[k] : 1;
    return sum > 0 ? own / sum : 0;
}

/* The least score whose weight is enough, by trying each. */
static double naive_quantile(const double *score, const double *weight, size_t n, double fresh,
                             double level) {
    double total = fresh, best = INFINITY;
    for (size_t i = 0; i < n; ++i) total += weight[i];
    for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (size_t k = 0; k < n; ++k)
            if (score[k] <= score[i]) sum += weight[k];
        if (weight[i] > 0 && sum >= level * total - 1e-7 && score[i] < best) best = score[i];
    }
    return best;
}

/* The groups' own quantiles, and the ceil((K + 1) level)-th of them. */
static double naive_whole(const drawn *d, const double *score, const double *weight, double level) {
    double own[64], ones[64];
    size_t groups = 0;
    for (size_t i = 0; i < d->rows; ++i) {
        double of_group[64];
        int known = !(weight[i] > 0);
        for (size_t k = 0; k < d->rows; ++k) {
            known |= k < i && d->group[k] == d->group[i] && weight[k] > 0;
            of_group[k] = d->group[k] == d->group[i] ? weight[k] : 0;
        }
        if (known) continue;
        ones[groups] = 1;
        own[groups++] = naive_quantile(score, of_group, d->rows, 0, level);
    }
    return naive_quantile(own, ones, groups, 1, level);
}

static double naive_score(const drawn *d, size_t i, int logs, int sides) {
    const double below = logs ? log((double)d->p[i] / (double)d->y[i]) : (double)d->p[i] - (double)d->y[i];
    const double above =
        logs ? log((double)d->y[i] / (double)d->high[i]) : (double)d->y[i] - (double)d->high[i];
    return sides == 3 ? fmax(below, above) : sides == 1 ? below : above;
}

static double naive_offset(const drawn *d, const sooth_conformal_options *o, int grouped, int weighted,
                           int sides) {
    const double level = o->tails == SOOTH_CONFORMAL_EACH ? 0.5 + 0.5 * o->level : o->level;
    double score[64], weight[64], fresh = grouped ? 1 : 0;
    for (size_t i = 0; i < d->rows; ++i) {
        score[i] = naive_score(d, i, o->scale == SOOTH_CONFORMAL_LOG, sides);
        weight[i] = naive_weight(d, grouped, weighted, i);
        if (!grouped && weight[i] > fresh) fresh = weight[i];
    }
    return grouped && o->groups == SOOTH_CONFORMAL_WHOLE
               ? naive_whole(d, score, weight, level)
               : naive_quantile(score, weight, d->rows, fresh, level);
}

static void offset_is(float got, double expected, int logs) {
    if (isinf(expected)) CHECK(got == (float)INFINITY);
    else CHECK_NEAR(got, expected, logs ? 1e-6 * (1 + fabs(expected)) : 0);
}

static void offsets_equal_the_naive_twin(void) {
    static const double levels[] = {0.1, 0.5, 0.7, 0.75, 0.8, 0.9, 0.95};
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    sooth_env_init(&env);
    for (int draws = 0; draws < 3000 && !check_failures; ++draws) {
        drawn d = draw(&rng, 1 + sooth_rng_below(&rng, 64), 1 + sooth_rng_below(&rng, 30));
        const int grouped = sooth_rng_below(&rng, 3) > 0, weighted = (int)sooth_rng_below(&rng, 2);
        const int quantiles = (int)sooth_rng_below(&rng, 2);
        const uint32_t *group = grouped ? d.group : NULL;
        const float *weight = weighted ? d.weight : NULL;
        sooth_conformal *c = NULL;
        sooth_conformal_options o = {.level = levels[sooth_rng_below(&rng, COUNT(levels))]};
        o.scale = sooth_rng_below(&rng, 2);
        o.tails = sooth_rng_below(&rng, 2);
        o.groups = sooth_rng_below(&rng, 2);
        if (!quantiles) memcpy(d.high, d.p, sizeof d.p);
        CHECK_STATUS(
            quantiles ? sooth_conformal_fit_quantiles(&env, d.y, d.p, d.high, group, weight, d.rows, &o, &c)
                      : sooth_conformal_fit(&env, d.y, d.p, group, weight, d.rows, &o, &c),
            SOOTH_OK);
        if (!c) return;
        CHECK(sooth_conformal_check(c, c->head.size));
        const double below = naive_offset(&d, &o, grouped, weighted, o.tails ? 1 : 3);
        const double above = naive_offset(&d, &o, grouped, weighted, o.tails ? 2 : 3);
        offset_is(c->below, below, o.scale != 0);
        offset_is(c->above, above, o.scale != 0);
        CHECK((c->claim.promise == SOOTH_CONFORMAL_NONE) == (isinf(below) != 0));
        if (c->claim.promise)
            CHECK(c->claim.promise == (!grouped   ? SOOTH_CONFORMAL_OF_ROWS
                                       : o.groups ? SOOTH_CONFORMAL_OF_WHOLE
                                                  : SOOTH_CONFORMAL_OF_GROUPS));
        sooth_conformal_free(&env, c);
    }
}

/* All values of a new row in one list, as the papers write it. */
static double naive_cross(const drawn *d, const sooth_conformal_options *o, int grouped, int weighted,
                          const float *ahead, size_t folds, int above) {
    const double level = o->tails == SOOTH_CONFORMAL_EACH ? 0.5 + 0.5 * o->level : o->level;
    const int sides = o->tails == SOOTH_CONFORMAL_EACH ? above + 1 : 3,
              logs = o->scale == SOOTH_CONFORMAL_LOG;
    double value[64], weight[64], fresh = grouped ? 1 : 0, most = -INFINITY;
    for (size_t k = 0; k < folds; ++k) {
        const double m = (above ? 1 : -1) * (logs ? log((double)ahead[k]) : (double)ahead[k]);
        if (m > most) most = m;
    }
    for (size_t i = 0; i < d->rows; ++i) {
        const double m = logs ? log((double)ahead[d->fold[i]]) : (double)ahead[d->fold[i]];
        value[i] = naive_score(d, i, logs, sides) + (o->minmax ? most : above ? m : -m);
        weight[i] = naive_weight(d, grouped, weighted, i);
        if (!grouped && weight[i] > fresh) fresh = weight[i];
    }
    const double end = naive_quantile(value, weight, d->rows, fresh, level);
    return logs ? exp(above ? end : -end) : above ? end : -end;
}

static void cross_equals_the_naive_list(void) {
    static const double levels[] = {0.1, 0.5, 0.7, 0.8, 0.9};
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    sooth_env_init(&env);
    for (int draws = 0; draws < 2000 && !check_failures; ++draws) {
        drawn d = draw(&rng, 5 + sooth_rng_below(&rng, 59), 1 + sooth_rng_below(&rng, 30));
        const int grouped = (int)sooth_rng_below(&rng, 2), weighted = (int)sooth_rng_below(&rng, 2);
        const size_t folds = sooth_rng_below(&rng, 3) ? 5 : d.rows;
        sooth_conformal_options o = {.level = levels[sooth_rng_below(&rng, COUNT(levels))]};
        sooth_conformal_left_out in = {
            d.y, d.p, d.fold, grouped ? d.group : NULL, weighted ? d.weight : NULL, d.rows, folds};
        sooth_conformal_claim claim;
        float ahead[3 * 64], low[3], high[3];
        o.scale = sooth_rng_below(&rng, 2);
        o.tails = sooth_rng_below(&rng, 2);
        o.minmax = sooth_rng_below(&rng, 2);
        memcpy(d.high, d.p, sizeof d.p);
        for (size_t i = 0; i < d.rows; ++i) /* fold 4 stays empty */
            d.fold[i] = folds != 5 ? (uint32_t)i : grouped ? d.group[i] / 1000u % 4u : d.fold[i];
        for (size_t i = 0; grouped && folds != 5 && i < d.rows; ++i)
            d.fold[i] = d.group[i] / 1000u % (uint32_t)folds;
        for (size_t i = 0; i < 3 * folds; ++i) ahead[i] = (float)(1 + sooth_rng_below(&rng, 30));
        CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 3, &o, low, high, &claim), SOOTH_OK);
        for (size_t i = 0; i < 3; ++i) {
            const double a = naive_cross(&d, &o, grouped, weighted, ahead + i * folds, folds, 0);
            const double b = naive_cross(&d, &o, grouped, weighted, ahead + i * folds, folds, 1);
            if (claim.promise == SOOTH_CONFORMAL_NONE) {
                CHECK(isinf(b) && isinf((double)high[i]) && (o.scale ? low[i] == 0 : isinf((double)low[i])));
            } else if (a > b) { /* the ends cross */
                CHECK_NEAR(low[i], 0.5 * (a + b), 2e-6 * (fabs(a) + fabs(b)));
                CHECK(low[i] == high[i]);
            } else {
                CHECK_NEAR(low[i], a, 5e-6 * fabs(a));
                CHECK_NEAR(high[i], b, 5e-6 * fabs(b));
            }
        }
    }
}

/* ---- coverage where the truth is known ---- */

enum { DRAWS = 4000 };

/* One draw: n rows calibrate, one more is held or not. With a scale without ties the share held is exactly
   ceil((n + 1) level) / (n + 1). */
static void rows_are_held_as_promised(void) {
    static const size_t sizes[] = {9, 39, 200};
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (int kind = 0; kind < 3; ++kind) { /* plain, log, each tail with a bias */
            const size_t n = sizes[s];
            const sooth_conformal_options o = {.scale = kind == 1, .tails = kind == 2};
            const size_t draws = n > 100 ? DRAWS / 4 : DRAWS;
            size_t hits = 0;
            float y[201], p[201];
            if (kind == 2 && n < 19) continue;
            for (size_t d = 0; d < draws; ++d) {
                for (size_t i = 0; i <= n; ++i) {
                    p[i] = 50 + 100 * sooth_rng_float(&rng);
                    y[i] = p[i] * (float)exp(0.2 * sooth_rng_normal(&rng) + 0.3 * (kind == 2));
                }
                sooth_conformal *c = fit(y, p, NULL, NULL, n, &o);
                hits += (size_t)holds(c, p[n], 1, y[n]);
                sooth_conformal_free(&env, c);
            }
            const double k = ceil((double)(n + 1) * (kind == 2 ? 0.95 : 0.9) - 1e-9) / (double)(n + 1);
            const double exact = kind == 2 ? 2 * k - 1 : k;
            share_is("rows", hits, draws, exact, exact);
        }
}

/* A world of programs: each is off by a level of its own, ten times what its launches differ by. The rows of
   K programs calibrate, two ways; then a launch of a program more, and a launch more of a known one. */
typedef struct world {
    float y[400], p[400], known[400]; /* known: as a model says that has seen the program */
    uint32_t group[400];
    size_t rows;
} world;

static void world_of(sooth_rng *rng, uint32_t groups, world *w) {
    w->rows = 0;
    for (uint32_t g = 0; g < groups; ++g) {
        const double level = sooth_rng_normal(rng);
        const uint32_t rows = sooth_rng_below(rng, 5) == 0 ? 12 : 1 + sooth_rng_below(rng, 5);
        for (uint32_t i = 0; i < rows; ++i, ++w->rows) {
            w->p[w->rows] = 100;
            w->known[w->rows] = 100 * (float)exp(level);
            w->y[w->rows] = 100 * (float)exp(level + 0.1 * sooth_rng_normal(rng));
            w->group[w->rows] = g;
        }
    }
}

static void groups_are_held_as_promised(void) {
    enum { K = 19 };
    size_t of_rows = 0, known = 0, of_groups = 0, of_whole = 0, wholes = 0, draws = 1500;
    sooth_rng rng;
    world w, fresh;
    sooth_rng_init(&rng, 2, 0);
    for (size_t d = 0; d < draws; ++d) {
        sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_LOG};
        size_t inside = 0;
        world_of(&rng, K, &w);
        world_of(&rng, 1, &fresh);
        sooth_conformal *rows = fit(w.y, w.known, NULL, NULL, w.rows, &o);
        sooth_conformal *groups = fit(w.y, w.p, w.group, NULL, w.rows, &o);
        o.groups = SOOTH_CONFORMAL_WHOLE;
        sooth_conformal *whole = fit(w.y, w.p, w.group, NULL, w.rows, &o);
        CHECK(rows->claim.promise == SOOTH_CONFORMAL_OF_ROWS && rows->claim.groups == 0);
        CHECK(groups->claim.promise == SOOTH_CONFORMAL_OF_GROUPS && groups->claim.groups == K);
        CHECK(whole->claim.promise == SOOTH_CONFORMAL_OF_WHOLE && whole->claim.rows == w.rows);
        of_rows += (size_t)holds(rows, 100, 1, fresh.y[0]);
        known += (size_t)holds(rows, w.known[0], 1, w.known[0] * (float)exp(0.1 * sooth_rng_normal(&rng)));
        of_groups += (size_t)holds(groups, 100, 1, fresh.y[0]);
        of_whole += (size_t)holds(whole, 100, 1, fresh.y[0]);
        for (size_t i = 0; i < fresh.rows; ++i) inside += (size_t)holds(whole, 100, 1, fresh.y[i]);
        wholes += (double)inside >= 0.9 * (double)fresh.rows;
        sooth_conformal_free(&env, rows);
        sooth_conformal_free(&env, groups);
        sooth_conformal_free(&env, whole);
    }
    share_is("launches of known programs, by rows", known, draws, 0.9, 0.92);
    share_is("launches of new programs, by rows", of_rows, draws, 0, 0.3); /* the lie */
    share_is("launches of new programs, by groups", of_groups, draws, 0.9, 0.9 + 2.0 / (K + 1));
    share_is("launches of new programs, by whole groups", of_whole, draws, 0.9, 1);
    share_is("whole programs", wholes, draws, 0.9, 0.93);
}

/* Where one program has most of the rows, rows weighted equally answer for it alone. */
static void a_large_group_counts_once(void) {
    enum { K = 10, LARGE = 300 };
    float y[LARGE + K], p[LARGE + K];
    uint32_t group[LARGE + K];
    size_t n = 0;
    for (; n < LARGE; ++n) y[n] = 100, p[n] = 100, group[n] = 4000000000u;
    for (uint32_t g = 1; g < K; ++g, ++n) y[n] = (float)(100 + 10 * g), p[n] = 100, group[n] = g;
    sooth_conformal *rows = fit(y, p, NULL, NULL, n, NULL), *groups = fit(y, p, group, NULL, n, NULL);
    CHECK(rows->above == 0 && groups->above == 90);
    sooth_conformal_free(&env, rows);
    sooth_conformal_free(&env, groups);
}

/* Errors grow with x: with spreads, small and large x are both held; without, too often and too rarely. */
static void scaled_intervals_hold_small_and_large(void) {
    size_t held[2][2] = {{0, 0}, {0, 0}}, count[2] = {0, 0};
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t d = 0; d < DRAWS; ++d) {
        float y[100], p[100], spread[100];
        const sooth_conformal_options o = {.spread = spread};
        for (size_t i = 0; i < 100; ++i) {
            spread[i] = i % 2 ? 10.0f : 1.0f;
            p[i] = 100;
            y[i] = 100 + spread[i] * (float)sooth_rng_normal(&rng);
        }
        const size_t large = d % 2, last = 98 + large; /* 99 rows calibrate, of either kind 49 or 50 */
        float kept = y[last], wide = spread[last];
        y[last] = y[99], spread[last] = spread[99];
        sooth_conformal *scaled = fit(y, p, NULL, NULL, 99, &o), *plain = fit(y, p, NULL, NULL, 99, NULL);
        CHECK(scaled->score == SOOTH_CONFORMAL_SCALED && plain->score == SOOTH_CONFORMAL_RESIDUAL);
        ++count[large];
        held[0][large] += (size_t)holds(scaled, 100, wide, kept);
        held[1][large] += (size_t)holds(plain, 100, wide, kept);
        sooth_conformal_free(&env, scaled);
        sooth_conformal_free(&env, plain);
    }
    share_is("small, scaled", held[0][0], count[0], 0.88, 0.92);
    share_is("large, scaled", held[0][1], count[1], 0.88, 0.92);
    share_is("small, plain", held[1][0], count[0], 0.999, 1);
    share_is("large, plain", held[1][1], count[1], 0, 0.85);
}

/* Quantiles that are far too narrow, too wide or of one side only are moved to where they hold. */
static void quantiles_are_moved_to_hold(void) {
    static const float given[3][2] = {{-0.1f, 0.1f}, {-5, 5}, {0, 1}};
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 0);
    for (size_t k = 0; k < 6; ++k) {
        const sooth_conformal_options o = {.tails = k % 2, .scale = k / 2 == 1};
        size_t hits = 0;
        float low, high;
        for (size_t d = 0; d < DRAWS; ++d) {
            float y[60], a[60], b[60];
            sooth_conformal *c;
            for (size_t i = 0; i < 60; ++i) {
                const float middle = 20 * sooth_rng_float(&rng) + 10;
                a[i] = middle + given[k / 2][0];
                b[i] = middle + given[k / 2][1];
                y[i] = middle + (float)sooth_rng_normal(&rng);
            }
            CHECK_STATUS(sooth_conformal_fit_quantiles(&env, y, a, b, NULL, NULL, 59, &o, &c), SOOTH_OK);
            sooth_conformal_interval_quantiles(c, a[59], b[59], &low, &high);
            hits += low <= y[59] && y[59] <= high;
            sooth_conformal_free(&env, c);
        }
        share_is("quantiles", hits, DRAWS, 0.9, k % 2 ? 0.935 : 0.9001);
    }
}

/* Models: the mean of the rows that are not in the fold, so that leaving out matters; 12 rows of a heavy
   tail, each a fold, in pairs, or programs. */
static void cv_plus_holds_what_is_proven(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (int kind = 0; kind < 4; ++kind) { /* jackknife+, CV+, minmax, by groups of two */
        enum { N = 24 };
        const size_t folds = kind == 1 ? 4 : kind == 3 ? N / 2 : N;
        const sooth_conformal_options o = {.level = 0.8, .minmax = kind == 2};
        size_t hits = 0;
        sooth_conformal_claim claim = {0, 0, 0, 0, 0};
        for (size_t d = 0; d < DRAWS / 2; ++d) {
            float y[N + 1], p[N], ahead[N], low, high;
            uint32_t fold[N], group[N];
            double sum = 0, without[N] = {0}, level = 0;
            for (size_t i = 0; i <= N; ++i) {
                if (i % 2 == 0) level = kind == 3 ? 4 * sooth_rng_normal(&rng) : 0;
                const double z = sooth_rng_normal(&rng);
                y[i] = (float)(level + z * z * z);
            }
            for (uint32_t i = 0; i < N; ++i) {
                group[i] = i / 2;
                fold[i] = kind == 1 ? i % 4 : kind == 3 ? i / 2 : i;
                sum += (double)y[i];
                without[fold[i]] += (double)y[i];
            }
            for (size_t f = 0; f < folds; ++f)
                ahead[f] = (float)((sum - without[f]) / (double)(N - N / folds));
            for (size_t i = 0; i < N; ++i) p[i] = ahead[fold[i]];
            const sooth_conformal_left_out in = {y, p, fold, kind == 3 ? group : NULL, NULL, N, folds};
            CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 1, &o, &low, &high, &claim), SOOTH_OK);
            hits += low <= y[N] && y[N] <= high;
        }
        CHECK_NEAR(claim.proven, kind == 2 ? 0.8 : kind == 1 ? 0.6 - (1 - 4.0 / 24) / 5 : 0.6, 1e-6);
        CHECK(claim.promise == (kind == 3 ? SOOTH_CONFORMAL_OF_GROUPS : SOOTH_CONFORMAL_OF_ROWS));
        share_is("CV+", hits, DRAWS / 2, (double)claim.proven, 1);
        share_is("CV+, as it usually is", hits, DRAWS / 2, 0.78, kind == 2 ? 0.93 : 0.87);
    }
}

/* ---- what it says when it cannot know ---- */

static void too_few_rows_promise_nothing(void) {
    float y[20], p[20], low, high;
    uint32_t group[20];
    for (size_t i = 0; i < 20; ++i) {
        y[i] = (float)(i + 1);
        p[i] = 10;
        group[i] = (uint32_t)(i % 8);
    }
    for (size_t n = 1; n <= 20; ++n)
        for (int k = 0; k < 4; ++k) { /* rows, log, each tail, groups */
            const sooth_conformal_options o = {.scale = k == 1, .tails = k == 2};
            sooth_conformal *c = fit(y, p, k == 3 ? group : NULL, NULL, n, &o);
            const int enough = k < 2 ? n >= 9 : k == 2 ? n >= 19 : 0;
            CHECK((c->claim.promise != SOOTH_CONFORMAL_NONE) == enough && c->claim.rows == n);
            CHECK(c->claim.proven == (enough ? 0.9f : 1.0f));
            sooth_conformal_interval(c, 7, 1, &low, &high);
            CHECK((isinf((double)high) != 0) == !enough);
            if (!enough) CHECK(k == 1 ? low == 0 : low == -(float)INFINITY);
            sooth_conformal_interval(c, NAN, 1, &low, &high);
            CHECK(isnan((double)low) && isnan((double)high));
            sooth_conformal_free(&env, c);
        }
}

static int is_bounded(const float *y, const uint32_t *group, const float *weight, size_t rows,
                      const sooth_conformal_options *options) {
    sooth_conformal *c = fit(y, y, group, weight, rows, options);
    const int bounded = c->claim.promise != SOOTH_CONFORMAL_NONE;
    sooth_conformal_free(&env, c);
    return bounded;
}

/* An unbounded interval names how many rows or groups suffice, and the level that they suffice for: fits of
   that many rows, and at that level, are bounded; those of one row less, and a thousandth above, are not. */
static void too_few_are_told_what_is_needed(void) {
    static const double levels[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    static float y[400];
    static uint32_t group[400];
    for (uint32_t i = 0; i < 400; ++i) y[i] = (float)i + 1.0f, group[i] = i / 2;
    for (int k = 0; k < 4; ++k) /* rows, each tail, groups, whole groups */
        for (size_t i = 0; i < COUNT(levels); ++i)
            for (size_t n = 1; n < 12; ++n) {
                sooth_conformal_options o = {.level = levels[i], .tails = k == 1, .groups = k == 3};
                const size_t each = k < 2 ? 1 : 2;
                const uint32_t *own = k < 2 ? NULL : group;
                double level = 0, most = 0;
                unsigned need = 0, have = 0;
                char noun[16] = "", verb[8] = "";
                if (is_bounded(y, own, NULL, n * each, &o)) continue;
                const int read =
                    sscanf(env.sentence,
                           "the interval is unbounded: a level of %lf needs %u %15[a-z], but there "
                           "%7s %u (enough for %lf)",
                           &level, &need, noun, verb, &have, &most);
                CHECK(read == (n == 1 && k == 1 ? 5 : 6));
                CHECK(have == n && strcmp(noun, k < 2 ? "rows" : "groups") == 0);
                CHECK(strcmp(verb, n == 1 ? "is" : "are") == 0 && !(level < levels[i]) &&
                      !(level > levels[i]));
                CHECK(is_bounded(y, own, NULL, need * each, &o) &&
                      !is_bounded(y, own, NULL, (need - 1) * each, &o));
                o.level = most;
                if (read == 6) CHECK(is_bounded(y, own, NULL, n * each, &o));
                o.level = most + 0.001;
                CHECK(!is_bounded(y, own, NULL, n * each, &o));
            }
}

/* Twenty rows of which one weighs half of all are as few as two. */
static void weights_count_for_what_is_needed(void) {
    float y[20], weight[20];
    for (uint32_t i = 0; i < 20; ++i) y[i] = (float)i + 1.0f, weight[i] = i ? 1.0f : 19.0f;
    CHECK(!is_bounded(y, NULL, weight, 20, NULL));
    CHECK(strcmp(env.sentence,
                 "the interval is unbounded: a level of 0.9 needs 9 rows, but there are 20, which "
                 "weigh as much as 2 of the heaviest (enough for 0.666)") == 0);
    const sooth_conformal_options o = {.level = 0.666}, above = {.level = 0.667};
    CHECK(is_bounded(y, NULL, weight, 20, &o) && !is_bounded(y, NULL, weight, 20, &above));
}

static void out_of_fold_proves_nothing_of_every_model(void) {
    const float y[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, p[] = {2, 2, 2, 4, 4, 4, 6, 6, 6};
    const sooth_conformal_options o = {.method = SOOTH_CONFORMAL_CROSS};
    sooth_conformal *c = fit(y, p, NULL, NULL, 9, &o);
    CHECK(c->method == SOOTH_CONFORMAL_CROSS && c->claim.promise == SOOTH_CONFORMAL_OF_ROWS);
    CHECK(c->claim.proven == 0 && c->claim.level == 0.9f && c->above == 3);
    sooth_conformal_free(&env, c);
}

/* Every calibration row must lie in its own interval where all must: rounding pushes none out. */
static void the_edge_is_inside(void) {
    sooth_rng rng;
    float y[9], p[9], spread[9];
    sooth_rng_init(&rng, 6, 0);
    for (int d = 0; d < 20000 && !check_failures; ++d) {
        const uint32_t kind = (uint32_t)d % 4; /* plain, log, scaled, both */
        sooth_conformal_options o = {.scale = kind % 2, .spread = kind >= 2 ? spread : NULL, .tails = 0};
        const double wide = d % 3 == 0 ? 20 : d % 3 == 1 ? 0.5 : 1e-6;
        for (size_t i = 0; i < 9; ++i) {
            spread[i] = (float)exp(3 * sooth_rng_normal(&rng));
            p[i] = (float)exp(6 * sooth_rng_normal(&rng));
            y[i] = p[i] * (float)exp(wide * (sooth_rng_double(&rng) - 0.5));
        }
        sooth_conformal *c = fit(y, p, NULL, NULL, 9, &o);
        for (size_t i = 0; i < 9; ++i) CHECK(holds(c, p[i], spread[i], y[i]));
        sooth_conformal_free(&env, c);
    }
}

static void perfect_predictions_give_points(void) {
    float y[30], low, high;
    for (size_t i = 0; i < 30; ++i) y[i] = 5;
    for (uint32_t scale = 0; scale < 2; ++scale) {
        const sooth_conformal_options o = {.scale = scale};
        sooth_conformal *c = fit(y, y, NULL, NULL, 30, &o);
        CHECK(c->below == 0 && c->above == 0);
        sooth_conformal_interval(c, 5, 1, &low, &high);
        CHECK(low <= 5 && high >= 5 && low >= 4.99999f && high <= 5.00001f);
        sooth_conformal_free(&env, c);
    }
}

static void on_the_log_scale_it_multiplies(void) {
    const float y[] = {50, 200, 110, 100, 95, 90, 105, 100, 100},
                p[] = {100, 100, 100, 100, 100, 100, 100, 100, 100};
    const sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_LOG};
    const float bad[] = {0, -1, -INFINITY};
    float low, high;
    sooth_conformal *c = fit(y, p, NULL, NULL, 9, &o);
    sooth_conformal_interval(c, 1e-3f, 1, &low, &high);
    CHECK_CLOSE(low, 0.5e-3, 2e-6);
    CHECK_CLOSE(high, 2e-3, 2e-6);
    sooth_conformal_interval(c, FLT_MAX, 1, &low, &high);
    CHECK(low < FLT_MAX && high == (float)INFINITY);
    sooth_conformal_interval(c, 1e-45f, 1, &low, &high);
    CHECK(low >= 0 && high > 0);
    for (size_t k = 0; k < COUNT(bad); ++k) {
        sooth_conformal_interval(c, bad[k], 1, &low, &high);
        CHECK(low == 0 && high == (float)INFINITY);
    }
    sooth_conformal_interval(c, INFINITY, 1, &low, &high);
    CHECK(low == FLT_MAX && high == (float)INFINITY);
    sooth_conformal_free(&env, c);
}

/* Predictions that are off by all that floats span, the same way each time: infinity times 0. */
static void on_the_log_scale_nothing_is_far_enough(void) {
    const sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_LOG, .tails = SOOTH_CONFORMAL_EACH};
    float y[20], p[20], low, high;
    for (size_t i = 0; i < 20; ++i) y[i] = 1e-45f, p[i] = FLT_MAX;
    sooth_conformal *c = fit(y, p, NULL, NULL, 20, &o);
    CHECK(c->below > 190 && c->above < -190);
    sooth_conformal_interval(c, INFINITY, 1, &low, &high);
    CHECK(low == 0 && high == (float)INFINITY);
    sooth_conformal_interval(c, 1, 1, &low, &high);
    CHECK(low == 0 && high == 0);
    sooth_conformal_free(&env, c);
}

static void spreads_of_nothing(void) {
    float y[12], p[12], spread[12], low, high;
    sooth_conformal_options o = {.spread = spread};
    for (size_t i = 0; i < 12; ++i) y[i] = 10 + (float)i, p[i] = 10, spread[i] = 1;
    spread[0] = 0; /* no error, no spread: score 0 */
    sooth_conformal *c = fit(y, p, NULL, NULL, 12, &o);
    CHECK(c->above == 11); /* ceil(13 x 0.9) = 12 */
    sooth_conformal_interval(c, 10, 0, &low, &high);
    CHECK(low == 10 && high == 10);
    sooth_conformal_interval(c, 10, 2, &low, &high);
    CHECK_NEAR(high, 32, 1e-5);
    sooth_conformal_interval(c, 10, INFINITY, &low, &high);
    CHECK(low == -(float)INFINITY && high == (float)INFINITY);
    for (int k = 0; k < 2; ++k) {
        sooth_conformal_interval(c, 10, k ? NAN : -1, &low, &high);
        CHECK(isnan((double)low) && isnan((double)high));
    }
    sooth_conformal_free(&env, c);
    c = fit(p, p, NULL, NULL, 12, &o);
    sooth_conformal_interval(c, 10, INFINITY, &low, &high); /* 0 times infinity */
    CHECK(low == -(float)INFINITY && high == (float)INFINITY);
    sooth_conformal_free(&env, c);
    spread[11] = 0; /* an error where none was expected: nothing finite is enough */
    c = fit(y, p, NULL, NULL, 12, &o);
    CHECK(c->claim.promise == SOOTH_CONFORMAL_OF_ROWS && c->above == (float)INFINITY);
    sooth_conformal_interval(c, 10, 0, &low, &high);
    CHECK(low == -(float)INFINITY && high == (float)INFINITY);
    sooth_conformal_free(&env, c);
    o.tails = SOOTH_CONFORMAL_EACH;
    o.level = 0.8;
    spread[0] = 1;
    c = fit(y, p, NULL, NULL, 12, &o); /* below it is no error at all */
    CHECK(c->below == 0 && c->above == (float)INFINITY);
    sooth_conformal_free(&env, c);
}

static void quantiles_that_cross_or_are_none(void) {
    float y[9], a[9], b[9], low, high;
    sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_PLAIN};
    sooth_conformal *c;
    for (size_t i = 0; i < 9; ++i) y[i] = 10, a[i] = 5, b[i] = 15;
    CHECK_STATUS(sooth_conformal_fit_quantiles(&env, y, a, b, NULL, NULL, 9, &o, &c), SOOTH_OK);
    CHECK(c->above == -5); /* five too careful */
    sooth_conformal_interval_quantiles(c, 5, 15, &low, &high);
    CHECK(low == 10 && high == 10);
    sooth_conformal_interval_quantiles(c, 8, 10, &low, &high); /* 13 .. 5 */
    CHECK(low == 9 && high == 9);
    sooth_conformal_interval_quantiles(c, NAN, 10, &low, &high);
    CHECK(isnan((double)low) && isnan((double)high));
    sooth_conformal_interval_quantiles(c, 8, NAN, &low, &high);
    CHECK(isnan((double)low) && isnan((double)high));
    sooth_conformal_interval_quantiles(c, INFINITY, INFINITY, &low, &high);
    CHECK(low <= high);
    sooth_conformal_interval_quantiles(c, -INFINITY, -INFINITY, &low, &high);
    CHECK(low <= high);
    sooth_conformal_free(&env, c);
    o.scale = SOOTH_CONFORMAL_LOG;
    CHECK_STATUS(sooth_conformal_fit_quantiles(&env, y, a, b, NULL, NULL, 9, &o, &c), SOOTH_OK);
    sooth_conformal_interval_quantiles(c, -1, 30, &low, &high);
    CHECK(low == 0 && high < 30);
    sooth_conformal_interval_quantiles(c, 1, -1, &low, &high);
    CHECK(low > 0 && high == (float)INFINITY);
    sooth_conformal_free(&env, c);
}

/* ---- one after the other ---- */

/* Begins a stream; NULL: refused. */
static sooth_conformal_online *begin(uint32_t capacity, float level, float rate, uint32_t scale,
                                     uint32_t upper) {
    static float memory[2 * 500 + 16];
    const sooth_conformal_online_options options = {capacity, level, rate, scale, upper};
    CHECK(!sooth_conformal_online_begin(&options, memory, sooth_conformal_online_size(&options) - 1));
    return sooth_conformal_online_begin(&options, memory, sooth_conformal_online_size(&options));
}

/* 1: held, 0: missed, -1: refused. */
static int update(sooth_conformal_online *o, float predicted, float actual) {
    return (int)sooth_conformal_online_update(o, predicted, actual) - 1;
}

/* The same by sorting what was seen: scores of the last `room` rows. */
typedef struct naive_online {
    double scores[5000], working;
    size_t seen;
} naive_online;

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double naive_online_move(const naive_online *o, size_t room) {
    double sorted[64];
    const size_t n = o->seen < room ? o->seen : room;
    memcpy(sorted, o->scores + o->seen - n, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    const double k = ceil((double)(n + 1) * (1 - o->working) - 1e-7);
    return k > (double)n ? INFINITY : k < 1 ? 0 : sorted[(size_t)k - 1];
}

static void online_equals_the_naive_twin(void) {
    static naive_online twin;
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    for (uint32_t room = 1; room <= 60; room += 7) {
        float low, high;
        sooth_conformal_online *o = NULL;
        memset(&twin, 0, sizeof twin);
        twin.working = 0.25;
        CHECK((o = begin(room, 0.75f, 0.0625f, SOOTH_CONFORMAL_PLAIN, 0)) != NULL);
        for (int t = 0; t < 3000 && !check_failures; ++t) {
            const float p = (float)sooth_rng_below(&rng, 50), y = p + (float)sooth_rng_below(&rng, 21) - 10;
            const double move = naive_online_move(&twin, room);
            const int held = fabs((double)(y - p)) <= move;
            sooth_conformal_online_interval(o, p, &low, &high);
            if (isinf(move)) CHECK(isinf((double)low) && isinf((double)high));
            else {
                CHECK_NEAR(low, (double)p - move, 1e-5);
                CHECK_NEAR(high, (double)p + move, 1e-5);
            }
            CHECK(update(o, p, y) == held);
            twin.working += 0.0625 * (0.25 - (held && twin.working < 1 - 1e-9 ? 0 : 1));
            twin.scores[twin.seen++] = fabs((double)(y - p));
            CHECK_NEAR(o->working * 0x1p-30, twin.working, 1e-12);
        }
        CHECK(o->seen == 3000 && o->count == room);
    }
}

/* Upper ends alone: the k-th of the sorted errors, with their signs; of rows, and of folds' models. */
static void upper_ends_equal_sorting(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 21, 0);
    for (size_t n = 2; n < 60; n += 3)
        for (uint32_t logs = 0; logs < 2; ++logs) {
            const sooth_conformal_options options = {
                .level = 0.75, .scale = logs, .tails = SOOTH_CONFORMAL_UPPER};
            float y[60], p[60], ahead[60], low, high;
            uint32_t fold[60];
            double error[60], of_folds[60];
            for (size_t i = 0; i < n; ++i) {
                y[i] = 1 + 9 * sooth_rng_float(&rng);
                p[i] = 3 + 9 * sooth_rng_float(&rng); /* mostly too high */
                ahead[i] = 5 + sooth_rng_float(&rng);
                fold[i] = (uint32_t)i;
                error[i] = logs ? log((double)y[i] / (double)p[i]) : (double)y[i] - (double)p[i];
                of_folds[i] = logs ? (double)ahead[i] * exp(error[i]) : (double)ahead[i] + error[i];
            }
            const double k = ceil((double)(n + 1) * 0.75 - 1e-9);
            qsort(error, n, sizeof *error, by_size);
            qsort(of_folds, n, sizeof *of_folds, by_size);
            sooth_conformal *c = fit(y, p, NULL, NULL, n, &options);
            sooth_conformal_interval(c, 7, 1, &low, &high);
            CHECK(low == (logs ? 0.0f : -INFINITY));
            if (k > (double)n) CHECK(c->claim.promise == SOOTH_CONFORMAL_NONE && high == INFINITY);
            else {
                const double by = error[(size_t)k - 1];
                CHECK_CLOSE(high, logs ? 7 * exp(by) : 7 + by, 2e-6);
                CHECK(c->claim.promise == SOOTH_CONFORMAL_OF_ROWS && c->below == INFINITY);
            }
            sooth_conformal_free(&env, c);
            const sooth_conformal_left_out rows = {y, p, fold, NULL, NULL, n, n};
            sooth_conformal_claim claim;
            CHECK_STATUS(sooth_conformal_cross(&env, &rows, ahead, 1, &options, &low, &high, &claim),
                         SOOTH_OK);
            CHECK(low == (logs ? 0.0f : -INFINITY));
            if (k > (double)n) CHECK(high == INFINITY);
            else CHECK_CLOSE(high, of_folds[(size_t)k - 1], 2e-6);
            if (k <= (double)n) CHECK_NEAR(claim.proven, 0.5, 1e-6);
        }
}

/* Limits of jobs: in the mean over many draws of n rows, the share that stays below is between the level and
   level + 1 / (n + 1), as split conformal has it of continuous scores; the predicted quantile is off. */
static void limits_are_kept_as_promised(void) {
    enum { N = 39, DRAWS = 4000, NEW = 25 };
    const sooth_conformal_options options = {.level = 0.9, .tails = SOOTH_CONFORMAL_UPPER};
    size_t below = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 22, 0);
    for (int d = 0; d < DRAWS; ++d) {
        float y[N + NEW], p[N + NEW], low, high;
        for (int i = 0; i < N + NEW; ++i) {
            const float size = 1 + sooth_rng_float(&rng);
            y[i] = size * (1 + 0.3f * (float)sooth_rng_normal(&rng));
            p[i] = 1.2f * size;
        }
        sooth_conformal *c = fit(y, p, NULL, NULL, N, &options);
        for (int i = N; i < N + NEW; ++i) {
            sooth_conformal_interval(c, p[i], 1, &low, &high);
            below += y[i] <= high;
        }
        sooth_conformal_free(&env, c);
    }
    /* four standard deviations: a draw's coverage is Beta(36, 4), of variance 0.0022 */
    const double sd = sqrt((0.0022 + 0.09 / NEW) / DRAWS), share = (double)below / (DRAWS * NEW);
    CHECK(share >= 0.9 - 4 * sd && share <= 0.9 + 1.0 / (N + 1) + 4 * sd);
}

/* The stream of upper ends beside sorting, and within the bound on both sides: sums of what a_t moves by. */
static void upper_ends_of_a_stream_keep_their_share(void) {
    enum { T = 12000 };
    static naive_online twin;
    static double all[T];
    const uint32_t room = 60;
    float low, high;
    sooth_conformal_online *o = NULL;
    sooth_rng rng;
    size_t missed = 0;
    sooth_rng_init(&rng, 23, 0);
    memset(&twin, 0, sizeof twin);
    twin.working = 0.125;
    CHECK((o = begin(room, 0.875f, 0.03125f, SOOTH_CONFORMAL_PLAIN, 1)) != NULL);
    for (int t = 0; t < T && !check_failures; ++t) {
        double sorted[60];
        const size_t n = (size_t)t < room ? (size_t)t : room;
        const float p = (float)sooth_rng_below(&rng, 50); /* errors drift, jump, and lean to one side */
        const float y =
            p + (float)sooth_rng_below(&rng, 2000) / 64 - 10 + (t > 6000 ? 30 : 0) + (float)t / 512;
        memcpy(sorted, all + t - n, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_size);
        const double k = ceil((double)(n + 1) * (1 - twin.working) - 1e-7);
        const double move = k > (double)n ? INFINITY : sorted[k < 1 ? 0 : (size_t)k - 1];
        const int held = (double)(y - p) <= move;
        sooth_conformal_online_interval(o, p, &low, &high);
        CHECK(low == -INFINITY);
        if (isinf(move)) CHECK(high == INFINITY);
        else CHECK_NEAR(high, (double)p + move, 1e-4);
        CHECK(update(o, p, y) == held);
        missed += !held;
        twin.working += 0.03125 * (0.125 - (held && k >= 1 ? 0 : 1));
        all[t] = (double)(y - p);
        CHECK_NEAR(o->working * 0x1p-30, twin.working, 1e-12);
        const double bound = (0.875 + 0.03125) / (0.03125 * (t + 1));
        CHECK((double)missed / (t + 1) <= 0.125 + bound + 1e-7);
        CHECK((double)missed / (t + 1) >= 0.125 - bound - 1e-7);
    }
    CHECK(o->missed == missed && o->upper == 1);
}

/* Whoever always takes a little longer than what was reserved is bounded too; and odd values. */
static void upper_ends_meet_an_adversary(void) {
    float low, high;
    sooth_conformal_online *o = NULL;
    size_t missed = 0;
    CHECK((o = begin(50, 0.9f, 0.02f, SOOTH_CONFORMAL_LOG, 1)) != NULL);
    for (int t = 1; t <= 20000 && !check_failures; ++t) {
        sooth_conformal_online_interval(o, 10, &low, &high);
        CHECK(low == 0.0f);
        missed += update(o, 10, high < 1e30f ? high * 1.01f + 1e-3f : 5) == 0;
        CHECK((double)missed / t <= 0.1 + (0.9 + 0.02) / (0.02 * t) + 1e-7);
    }
    CHECK((o = begin(3, 0.5f, 0.5f, SOOTH_CONFORMAL_LOG, 1)) != NULL);
    for (int t = 0; t < 12; ++t) CHECK(update(o, 10, 0) >= 0); /* in no time */
    sooth_conformal_online_interval(o, 10, &low, &high);
    CHECK(low == 0.0f && high == 0.0f);
    for (int t = 0; t < 12; ++t) CHECK(update(o, 10, INFINITY) >= 0);
    sooth_conformal_online_interval(o, 10, &low, &high);
    CHECK(high == INFINITY);
    CHECK((o = begin(3, 0.5f, 0.5f, SOOTH_CONFORMAL_PLAIN, 1)) != NULL);
    for (int t = 0; t < 12; ++t) CHECK(update(o, 10, -INFINITY) >= 0);
    sooth_conformal_online_interval(o, 10, &low, &high);
    CHECK(low == -INFINITY && !isnan(high) && high < -3e38f);
}

/* Errors grow a hundredfold, and jump: the split interval of the beginning fails, the adaptive one holds. */
static void drift_is_followed(void) {
    enum { T = 8000, ROOM = 200 };
    float y[ROOM], p[ROOM];
    sooth_conformal_online *o = NULL;
    sooth_conformal *plain = NULL;
    size_t online = 0, still = 0, counted = 0, of_late = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 10, 0);
    CHECK((o = begin(ROOM, 0.9f, 0, SOOTH_CONFORMAL_LOG, 0)) != NULL);
    for (int t = 0; t < T; ++t) {
        const double spread = 0.02 * exp(4.0 * t / T) * (t / 1000 % 2 ? 3 : 1);
        const float predicted = 100, measured = 100 * (float)exp(spread * sooth_rng_normal(&rng) + 2e-4 * t);
        if (t < ROOM) y[t] = measured, p[t] = predicted;
        if (t == ROOM) {
            const sooth_conformal_options options = {.scale = SOOTH_CONFORMAL_LOG};
            plain = fit(y, p, NULL, NULL, ROOM, &options);
        }
        const int held = update(o, predicted, measured);
        if (t < ROOM) continue;
        ++counted;
        online += (size_t)held;
        of_late += (size_t)(held && t >= T / 2);
        still += (size_t)holds(plain, predicted, 1, measured);
    }
    CHECK((double)online >= (0.9 - (0.9 + 0.02) / (0.02 * (double)counted)) * (double)counted);
    share_is("adaptive", online, counted, 0.89, 0.91);
    share_is("adaptive, the later half", of_late, T / 2, 0.89, 0.91);
    CHECK((double)still < 0.3 * (double)counted);
    sooth_conformal_free(&env, plain);
}

/* An adversary who sees the interval and always answers just outside while there is an outside: the bound of
   Proposition 4.1 holds for every length. */
static void an_adversary_is_bounded(void) {
    static const float rates[] = {0.005f, 0.02f, 0.3f};
    for (size_t k = 0; k < COUNT(rates); ++k) {
        float low, high;
        sooth_conformal_online *o = NULL;
        size_t missed = 0;
        CHECK((o = begin(50, 0.9f, rates[k], SOOTH_CONFORMAL_PLAIN, 0)) != NULL);
        for (int t = 1; t <= 20000 && !check_failures; ++t) {
            sooth_conformal_online_interval(o, 0, &low, &high);
            const float y = high < 1e30f ? high * 1.01f + 1e-3f : (float)(t % 7);
            const int held = update(o, 0, y);
            missed += held == 0;
            CHECK((double)missed / t <= 0.1 + (0.9 + (double)rates[k]) / ((double)rates[k] * t) + 1e-7);
            CHECK(o->working >= -(rates[k] * 1.01f) * 0x1p30f &&
                  o->working <= (1 + rates[k] * 1.01f) * 0x1p30f);
        }
        CHECK(o->missed == missed);
    }
}

/* A model without errors for long, then one with: the working level has not run away meanwhile. */
static void perfection_does_not_spoil(void) {
    float low, high;
    sooth_conformal_online *o = NULL;
    size_t missed = 0;
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    CHECK((o = begin(100, 0.9f, 0, SOOTH_CONFORMAL_PLAIN, 0)) != NULL);
    for (int t = 0; t < 100000; ++t) CHECK(update(o, 3, 3) == 1);
    CHECK(o->missed == 0);
    sooth_conformal_online_interval(o, 3, &low, &high);
    CHECK(low == 3 && high == 3);
    for (int t = 0; t < 2000; ++t) missed += update(o, 3, 3 + (float)sooth_rng_normal(&rng)) == 0;
    CHECK((double)missed <= 2000 * 0.1 + (0.9 + 0.02 + 1) / 0.02);
}

static void a_stream_has_odd_values(void) {
    float low, high;
    sooth_conformal_online *o = NULL;
    static float memory[2048];
    CHECK(!sooth_conformal_online_begin(NULL, memory, sooth_conformal_online_size(NULL) - 1));
    CHECK((o = sooth_conformal_online_begin(NULL, memory, sizeof memory)) != NULL && o->capacity == 500);
    CHECK_NEAR((double)o->working, 0.1 * 1073741824.0, 99);
    CHECK((o = begin(20, 0.9f, 0, 0, 1)) != NULL && o->upper == 1);
    CHECK((o = begin(0, 0, 0, 0, 0)) != NULL && o->capacity == 500 && o->upper == 0);
    CHECK_NEAR((double)o->working, 0.1 * 1073741824.0, 99); /* 0: a level of 0.9 */
    CHECK(!begin(16777217u, 0.9f, 0, 0, 0));
    CHECK(!begin(20, 1, 0, 0, 0) && !begin(20, -1, 0, 0, 0) && !begin(20, 0.9f, 0, 0, 2));
    CHECK(!begin(20, NAN, 0, 0, 0));
    CHECK(!begin(20, 0.9f, 0.6f, 0, 0));
    CHECK(!begin(20, 0.9f, -1, 0, 0));
    CHECK(!begin(20, 0.9f, NAN, 0, 0));
    CHECK(!begin(20, 0.9f, 0, 2, 0));
    CHECK((o = begin(16777216u, 0.9f, 0.0001f, 0, 0)) != NULL);
    CHECK((o = begin(20, 0.001f, 0.5f, 0, 0)) != NULL);
    CHECK((o = begin(20, 0.999f, 0.02f, 0, 0)) != NULL);
    CHECK(!begin(20, nextafterf(0.001f, 0), 0, 0, 0));
    CHECK(!begin(20, nextafterf(0.999f, 1), 0, 0, 0));
    CHECK(!begin(20, 0.9f, nextafterf(0.0001f, 0), 0, 0));
    CHECK(!begin(20, 0.9f, nextafterf(0.5f, 1), 0, 0));
    CHECK((o = begin(20, 0.75f, 0, SOOTH_CONFORMAL_LOG, 0)) != NULL);
    CHECK_NEAR((double)o->up, 0.02 * 0.25 * 1073741824.0, 9); /* 0: a rate of 0.02 */
    CHECK((o = begin(20, 0.9f, 0, SOOTH_CONFORMAL_LOG, 0)) != NULL);
    sooth_conformal_online_interval(o, 5, &low, &high);
    CHECK(low == 0 && high == (float)INFINITY);
    CHECK(update(o, NAN, 1) == -1 && update(o, 1, NAN) == -1);
    CHECK(update(o, INFINITY, 1) == -1);
    CHECK(update(o, 0, 1) == -1 && update(o, 1, -1) == -1);
    CHECK(o->seen == 0 && o->count == 0);
    for (int t = 0; t < 40; ++t) CHECK(update(o, 1, 2) == 1);
    CHECK(update(o, 1, INFINITY) == 0); /* a run that never ended */
    CHECK(soothi_conformal_online_sorted(o)[19] == (float)INFINITY && o->missed == 1);
    CHECK(update(o, 1, 0) == 0);
    for (int t = 0; t < 40; ++t) CHECK(update(o, 1, 2) == 1);
    sooth_conformal_online_interval(o, 10, &low, &high);
    CHECK_NEAR(high, 20, 1e-4);
    CHECK_NEAR(low, 5, 1e-4);
    sooth_conformal_online_interval(o, -3, &low, &high);
    CHECK(low == 0 && high == (float)INFINITY);
    sooth_conformal_online_interval(o, NAN, &low, &high);
    CHECK(isnan((double)low) && isnan((double)high));
    o->seen = UINT32_MAX;
    o->missed = 7;
    CHECK(update(o, 1, 2) == 1 && o->seen == UINT32_MAX / 2 + 1 && o->missed == 3);
}

/* ---- data and bytes from anyone ---- */

static void bad_input_is_a_sentence(void) {
    float y[12], p[12], w[12], low[1], high[1];
    uint32_t fold[12], group[12];
    sooth_conformal_options o = {.level = 0};
    sooth_conformal *c;
    sooth_conformal_claim claim;
    sooth_conformal_left_out in = {y, p, fold, NULL, NULL, 12, 3};
    sooth_env_init(&env);
    for (size_t i = 0; i < 12; ++i)
        y[i] = 2, p[i] = 1, w[i] = 1, fold[i] = (uint32_t)i % 3, group[i] = (uint32_t)i / 2;
#define FAILS(status, words)                                                                    \
    do {                                                                                        \
        CHECK_FAILS(&env, sooth_conformal_fit(&env, y, p, NULL, w, 12, &o, &c), status, words); \
        CHECK(c == NULL);                                                                       \
    } while (0)
    y[3] = NAN;
    FAILS(SOOTH_BAD_DATA, "row 4 has the actual value");
    w[3] = 0; /* then it does not exist */
    c = fit(y, p, NULL, w, 12, &o);
    CHECK(c->claim.rows == 11);
    sooth_conformal_free(&env, c);
    y[3] = 2, w[3] = 1;
    p[11] = INFINITY;
    FAILS(SOOTH_BAD_DATA, "row 12 has the prediction inf");
    p[11] = 1;
    w[2] = NAN;
    FAILS(SOOTH_BAD_DATA, "row 3 has the weight");
    w[2] = -1;
    FAILS(SOOTH_BAD_DATA, "row 3 has the weight");
    memset(w, 0, sizeof w);
    FAILS(SOOTH_BAD_DATA, "all weights are zero");
    w[0] = 1;
    y[0] = 0;
    o.scale = SOOTH_CONFORMAL_LOG;
    FAILS(SOOTH_BAD_DATA, "row 1 has the actual value 0, but a logarithm");
    y[0] = 2;
    p[0] = -1;
    FAILS(SOOTH_BAD_DATA, "row 1 has the prediction -1, but a logarithm");
    p[0] = 1;
    o.spread = y;
    y[0] = -1;
    o.scale = SOOTH_CONFORMAL_PLAIN;
    FAILS(SOOTH_BAD_DATA, "row 1 has the spread -1");
    y[0] = 2;
    CHECK_FAILS(&env, sooth_conformal_fit_quantiles(&env, y, p, p, NULL, NULL, 12, &o, &c),
                SOOTH_BAD_ARGUMENT, "spread is given");
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, p, 1, &o, low, high, &claim), SOOTH_BAD_ARGUMENT,
                "spread is given");
    y[0] = INFINITY; /* which is row 1's spread, too */
    CHECK_FAILS(&env, sooth_conformal_fit(&env, p, p, NULL, w, 12, &o, &c), SOOTH_BAD_DATA,
                "row 1 has the spread inf");
    y[0] = 2;
    o.spread = NULL;
    o.level = 1;
    FAILS(SOOTH_BAD_ARGUMENT, "level is 1");
    o.level = 0;
    CHECK_FAILS(&env, sooth_conformal_fit(&env, y, p, NULL, NULL, 0, &o, &c), SOOTH_BAD_DATA, "0 rows");
    CHECK_FAILS(&env, sooth_conformal_fit(&env, y, p, NULL, NULL, (size_t)UINT32_MAX, &o, &c), SOOTH_BAD_DATA,
                "rows to calibrate on");
    fold[5] = 3;
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, p, 1, &o, low, high, &claim), SOOTH_BAD_DATA,
                "row 6 is in fold 3, but there are 3");
    fold[5] = 2;
    in.group = group;
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, p, 1, &o, low, high, &claim), SOOTH_BAD_DATA,
                "group 0 is in folds 0 and 1");
    o.groups = SOOTH_CONFORMAL_WHOLE;
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, p, 1, &o, low, high, &claim), SOOTH_BAD_ARGUMENT,
                "does not cover whole groups");
    in.folds = 13;
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, p, 1, NULL, low, high, &claim), SOOTH_BAD_ARGUMENT,
                "13 folds of 12 rows");
    in.folds = 0;
    CHECK_STATUS(sooth_conformal_cross(NULL, &in, p, 1, NULL, low, high, &claim), SOOTH_BAD_ARGUMENT);
    CHECK(claim.promise == SOOTH_CONFORMAL_NONE && claim.proven == 0);
#undef FAILS
    sooth_conformal_free(NULL, NULL);
}

/* Memory in which nothing is what anybody would expect. */
static void *odd_alloc(void *user, size_t size) {
    void *p = malloc(size);
    (void)user;
    if (p) memset(p, 0xA5, size);
    return p;
}

static void odd_free(void *user, void *p, size_t size) {
    (void)user;
    (void)size;
    free(p);
}

/* What rows may just be: of the first and the last one, of both predictions, and what is said when several
   are wrong. Behind the rows, and where the weight is 0, nothing matters. */
static void rows_are_judged_one_by_one(void) {
    enum { N = 6 };
    float y[N + 1], low[N + 1], high[N + 1], w[N + 1], spread[N + 1], least[1], most[1];
    uint32_t fold[N + 1], group[N + 1];
    sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_LOG};
    sooth_conformal *c;
    sooth_conformal_claim claim;
    for (uint32_t i = 0; i < N; ++i) {
        y[i] = low[i] = high[i] = 0.25f;
        w[i] = 1.0f;
        spread[i] = 0.0f;
        fold[i] = i / 2;
        group[i] = 70 + i / 2;
    }
    y[N] = low[N] = high[N] = spread[N] = NAN;
    w[N] = 1.0f;
    fold[N] = 9;
    for (int k = 0; k < 3; ++k) {
        float *const wrong = k == 0 ? y : k == 1 ? low : high;
        for (size_t at = 0; at < N; at += N - 1) {
            char words[64];
            snprintf(words, sizeof words, "row %u has the %s 0, but a log", (unsigned)at + 1,
                     k ? "prediction" : "actual value");
            CHECK_STATUS(sooth_conformal_fit_quantiles(&env, y, low, high, NULL, w, N, &o, &c), SOOTH_OK);
            sooth_conformal_free(&env, c);
            wrong[at] = 0.0f;
            CHECK_FAILS(&env, sooth_conformal_fit_quantiles(&env, y, low, high, NULL, w, N, &o, &c),
                        SOOTH_BAD_DATA, words);
            wrong[at] = 0.25f;
        }
    }
    o.spread = spread;
    CHECK_STATUS(sooth_conformal_fit(&env, y, low, NULL, w, N, &o, &c), SOOTH_OK);
    sooth_conformal_free(&env, c);
    spread[0] = 0.5f;
    CHECK_STATUS(sooth_conformal_fit(&env, y, low, NULL, w, N, &o, &c), SOOTH_OK);
    sooth_conformal_free(&env, c);
    spread[0] = -1.0f;
    y[0] = -2.0f; /* what is wrong first is said */
    CHECK_FAILS(&env, sooth_conformal_fit(&env, y, low, NULL, w, N, &o, &c), SOOTH_BAD_DATA,
                "row 1 has the actual value -2");
    y[0] = 0.25f;
    CHECK_FAILS(&env, sooth_conformal_fit(&env, y, low, NULL, NULL, (size_t)UINT32_MAX / 2 + 1, &o, &c),
                SOOTH_BAD_DATA, "there are 2147483648 rows to calibrate on");
    o.spread = NULL;
    sooth_conformal_left_out in = {y, low, fold, group, w, N, 3};
    CHECK_STATUS(sooth_conformal_cross(&env, &in, low, 1, &o, least, most, &claim), SOOTH_OK);
    fold[0] = 7;
    CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, low, 1, &o, least, most, &claim), SOOTH_BAD_DATA,
                "row 1 is in fold 7, but there are 3");
    w[0] = 0.0f;
    env.alloc_fn = odd_alloc; /* and nobody looks where nothing was written */
    env.free_fn = odd_free;
    CHECK_STATUS(sooth_conformal_cross(&env, &in, low, 1, &o, least, most, &claim), SOOTH_OK);
    in.group = NULL; /* nor at groups that are not there */
    CHECK_STATUS(sooth_conformal_cross(&env, &in, low, 1, &o, least, most, &claim), SOOTH_OK);
    in.group = group;
    sooth_env_init(&env);
    w[0] = 1.0f;
    for (uint32_t other = 1; other < 3; ++other) { /* a fold before and one behind */
        char words[64];
        fold[0] = 0;
        fold[2] = other == 1 ? 1 : 2;
        fold[3] = other == 1 ? 2 : 1;
        snprintf(words, sizeof words, "group 71 is in folds %u and %u", (unsigned)fold[2], (unsigned)fold[3]);
        CHECK_FAILS(&env, sooth_conformal_cross(&env, &in, low, 1, &o, least, most, &claim), SOOTH_BAD_DATA,
                    words);
    }
}

/* What new rows may be; and groups that fill folds of their own, several to a fold, or are promised whole. */
static void folds_claim_what_is_known(void) {
    float y[20], p[20], ahead[4 * 20], low[4], high[4];
    uint32_t fold[20], group[20];
    sooth_conformal_options o = {.level = 0.7, .scale = SOOTH_CONFORMAL_LOG};
    sooth_conformal_left_out in = {y, p, fold, group, NULL, 20, 10};
    sooth_conformal_claim claim;
    for (uint32_t i = 0; i < 20; ++i) y[i] = 2 + (float)i, p[i] = 5, fold[i] = group[i] = i / 2;
    for (size_t i = 0; i < COUNT(ahead); ++i) ahead[i] = 6;
    ahead[13] = NAN;
    ahead[24] = 0;
    ahead[35] = INFINITY;
    CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 4, &o, low, high, &claim), SOOTH_OK);
    CHECK(claim.promise == SOOTH_CONFORMAL_OF_GROUPS && claim.groups == 10 && claim.rows == 20);
    CHECK_NEAR(claim.proven, 0.4, 1e-6);
    CHECK(low[0] > 0 && low[0] < 6 && high[0] > 6 && high[0] < 100);
    CHECK(isnan((double)low[1]) && isnan((double)high[1]) && isnan((double)low[3]));
    CHECK(low[2] == 0 && high[2] == (float)INFINITY);
    o.minmax = 1;
    o.groups = SOOTH_CONFORMAL_WHOLE;
    CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 1, &o, low, high, &claim), SOOTH_OK);
    CHECK(claim.promise == SOOTH_CONFORMAL_OF_WHOLE && claim.proven == 0);
    in.folds = 5;
    o.minmax = o.groups = 0;
    for (uint32_t i = 0; i < 20; ++i) fold[i] = i / 4;
    CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 1, &o, low, high, &claim), SOOTH_OK);
    CHECK(claim.promise == SOOTH_CONFORMAL_OF_GROUPS && claim.proven == 0);
    in.group = NULL;
    o.level = 0.5;                    /* nothing is left of 1 - 2 a */
    o.groups = SOOTH_CONFORMAL_WHOLE; /* of which there are none */
    CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 1, &o, low, high, &claim), SOOTH_OK);
    CHECK(claim.promise == SOOTH_CONFORMAL_OF_ROWS && claim.proven == 0);
    o.level = 0.99;
    CHECK_STATUS(sooth_conformal_cross(&env, &in, ahead, 1, &o, low, high, &claim), SOOTH_OK);
    CHECK(claim.promise == SOOTH_CONFORMAL_NONE && claim.proven == 1 && low[0] == 0);
    CHECK(strstr(env.sentence, "a level of 0.99 needs 99 rows, but there are") != NULL);
}

/* Values at the ends of the floats: no score is NaN, no interval upside down. */
static void extremes_are_survived(void) {
    static const float odd[] = {FLT_MAX, -FLT_MAX, 0, 1e-45f, -1e-45f, 1, FLT_MIN};
    float y[49], p[49], low, high;
    for (size_t i = 0; i < 49; ++i) y[i] = odd[i / 7], p[i] = odd[i % 7];
    for (uint32_t tails = 0; tails < 2; ++tails) {
        const sooth_conformal_options o = {.tails = tails};
        sooth_conformal *c = fit(y, p, NULL, NULL, 49, &o);
        for (size_t i = 0; i < COUNT(odd); ++i) {
            sooth_conformal_interval(c, odd[i], 1, &low, &high);
            CHECK(low <= high);
        }
        sooth_conformal_free(&env, c);
    }
}

static void a_million_rows_take_a_sort(void) {
    enum { N = 1000000 };
    float *y = (float *)malloc(N * sizeof *y), *p = (float *)malloc(N * sizeof *p);
    uint32_t *group = (uint32_t *)malloc(N * sizeof *group);
    if (!y || !p || !group) abort();
    for (uint32_t i = 0; i < N; ++i) { /* scores 1 .. 10^6 in an order that jumps */
        y[i] = (float)((uint64_t)i * 386093u % N + 1);
        p[i] = 0;
        group[i] = i * 2654435761u % 1000u;
    }
    sooth_conformal *rows = fit(y, p, NULL, NULL, N, NULL), *groups = fit(y, p, group, NULL, N, NULL);
    CHECK(rows->above == 900001); /* ceil(0.9 x 1000001) */
    CHECK(groups->claim.groups == 1000);
    CHECK_NEAR(groups->above, 900900, 100); /* 0.9 x 1001 of 1000 groups of a thousand */
    sooth_conformal_free(&env, rows);
    sooth_conformal_free(&env, groups);
    free(y);
    free(p);
    free(group);
}

static void options_have_names(void) {
    static const char *const names[] = {"level", "scale", "method", "tails", "groups", "minmax"};
    static const char *const values[] = {"0.95", "log", "cross", "each", "whole", "1"};
    sooth_conformal_options o;
    memset(&o, 0, sizeof o);
    for (size_t i = 0; i < COUNT(names); ++i)
        CHECK_STATUS(sooth_option_set(&env, sooth_conformal_options_list(), &o, names[i], values[i]),
                     SOOTH_OK);
    CHECK(o.level > 0.949 && o.scale == SOOTH_CONFORMAL_LOG && o.method == SOOTH_CONFORMAL_CROSS);
    CHECK(o.tails == SOOTH_CONFORMAL_EACH && o.groups == SOOTH_CONFORMAL_WHOLE && o.minmax == 1);
    CHECK_FAILS(&env, sooth_option_set(&env, sooth_conformal_options_list(), &o, "level", "90"),
                SOOTH_BAD_ARGUMENT, "level");
}

static void costs_are_stated(void) {
    const float y[] = {1, 2, 3};
    for (uint32_t scale = 0; scale < 2; ++scale) {
        const sooth_conformal_options o = {.scale = scale};
        sooth_conformal *c = fit(y, y, NULL, NULL, 3, &o);
        CHECK(sooth_conformal_cost(c).bytes == 80 && c->head.size == 80);
        CHECK(sooth_conformal_cost(c).functions == 2 * scale);
        sooth_conformal_free(&env, c);
    }
}

static void lies_are_not_believed(void) {
    const uint32_t nan = soothi_bits(soothi_missing()), endless = soothi_bits(INFINITY);
#define AT(field) offsetof(sooth_conformal, field)
    const lies_word lies[] = {
        {AT(head.features), 1},
        {AT(head.targets), 0},
        {AT(head.targets), 2},
        {AT(claim.promise), 4},
        {AT(claim.promise), 0},
        {AT(claim.promise), 2}, /* without groups */
        {AT(claim.promise), 3},
        {AT(claim.groups), 13},
        {AT(claim.level), 0},
        {AT(claim.level), nan},
        {AT(claim.level), 0x3F800000u},
        {AT(claim.proven), nan},
        {AT(claim.proven), 0xBF800000u},
        {AT(claim.proven), 0x3F800001u},
        {AT(method), 3},
        {AT(scale), 2},
        {AT(score), 3},
        {AT(below), nan},
        {AT(above), nan},
        {AT(below), 0xFF800000u},
        {AT(above), 0xFF800000u},
        {AT(below), 0xC1200000u}, /* -10: low above high */
    };
    const lies_word of_nothing[] = {{AT(below), 0}, {AT(above), 0x7F7FFFFFu}, {AT(claim.promise), 7}};
    float y[12], p[12];
    for (size_t i = 0; i < 12; ++i) y[i] = (float)i, p[i] = 3;
    sooth_conformal *c = fit(y, p, NULL, NULL, 12, NULL);
    lies_about_size_are_refused(sooth_conformal_check, &c->head);
    lies_are_refused(sooth_conformal_check, &c->head, lies, COUNT(lies));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(below), endless));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(above), endless));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(claim.groups), 12));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(claim.proven), 0));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(claim.proven), 0x3F800000u));
    CHECK(lies_believed(sooth_conformal_check, &c->head, AT(below), 0xC1000000u)); /* -8, above is 8 */
    sooth_conformal_free(&env, c);
    c = fit(y, p, NULL, NULL, 3, NULL);
    lies_are_refused(sooth_conformal_check, &c->head, of_nothing, COUNT(of_nothing));
    sooth_conformal_free(&env, c);
#undef AT
}

static void memory_may_fail(void) {
    float y[12], p[12], ahead[24], low[2], high[2];
    uint32_t fold[12];
    sooth_conformal *c = NULL;
    sooth_conformal_claim claim;
    const sooth_conformal_left_out in = {y, p, fold, NULL, NULL, 12, 12};
    for (uint32_t i = 0; i < 12; ++i) y[i] = (float)i, p[i] = 3, fold[i] = i, ahead[i] = ahead[12 + i] = 2;
    sooth_env_init(&env);
    CHECK_EVERY_ALLOCATION(&env, sooth_conformal_fit(&env, y, p, fold, NULL, 12, NULL, &c),
                           sooth_conformal_free(&env, c));
    CHECK_EVERY_ALLOCATION(&env, sooth_conformal_cross(&env, &in, ahead, 2, NULL, low, high, &claim),
                           (void)0);
    sooth_env_init(&env);
}

/* The bits of a fit and of its intervals, everywhere. */
static void same_bits_everywhere(void) {
    unsigned long long h = 14695981039346656037ull;
    sooth_rng rng;
    sooth_rng_init(&rng, 13, 0);
    for (uint32_t k = 0; k < 4; ++k) {
        float y[40], p[40];
        uint32_t group[40];
        const sooth_conformal_options o = {.scale = k % 2, .groups = k / 2, .level = 0.8};
        for (uint32_t i = 0; i < 40; ++i) {
            p[i] = 1 + sooth_rng_float(&rng);
            y[i] = 1 + sooth_rng_float(&rng);
            group[i] = i % 11;
        }
        sooth_conformal *c = fit(y, p, group, NULL, 40, &o);
        for (size_t i = 0; i < 40; ++i) {
            float low, high;
            sooth_conformal_interval(c, p[i], 1, &low, &high);
            const double both[2] = {(double)low, (double)high};
            h = check_hash_doubles(h, both, 2);
        }
        sooth_conformal_free(&env, c);
    }
    CHECK(h == GOLDEN_HASH);
    if (h != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", h);
}

/* ---- published power of GPU kernels ---- */

/* Watts of benchmarks never seen, by extra-trees on log watts; see unseen.md's section 2 for another's. */
typedef struct power {
    sooth_csv csv;
    sooth_csv_data data;
    sooth_table table;
    float *log_watts, *watts, *out; /* out: what models say, log watts */
} power;

static int power_read(const char *path, power *w) {
    static const char *const drop[] = {"family"};
    static char bytes[1 << 20];
    const sooth_csv_table_options choice = {
        .drop = drop, .drop_count = 1, .target = "Power", .group = "benchmark"};
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, bytes, size, NULL, &w->csv), SOOTH_OK);
    CHECK_STATUS(sooth_csv_table(&env, &w->csv, &choice, &w->data), SOOTH_OK);
    w->table = w->data.table;
    w->log_watts = (float *)malloc(3 * w->table.rows * sizeof(float));
    if (!w->log_watts) abort();
    w->watts = w->log_watts + w->table.rows;
    w->out = w->watts + w->table.rows;
    for (size_t i = 0; i < w->table.rows; ++i) {
        w->watts[i] = w->table.y[i];
        w->log_watts[i] = sooth_log(w->watts[i]);
    }
    w->table.y = w->log_watts;
    return 1;
}

static void power_fold(power *w, const sooth_split_fold *fold) {
    const sooth_forest_options options = {
        .n_estimators = 30, .max_depth = 16, .max_features = 1.0 / 3, .splitter = 1, .no_bootstrap = 1};
    sooth_table train, test;
    sooth_forest *forest;
    CHECK_STATUS(sooth_split_take(&env, &w->table, fold, &train, &test), SOOTH_OK);
    CHECK_STATUS(sooth_forest_fit(&env, &train, &options, &forest), SOOTH_OK);
    for (size_t i = 0; i < test.rows; ++i)
        w->out[fold->test[i]] = sooth_forest_predict(forest, test.x + i * test.stride);
    sooth_forest_free(&env, forest);
    sooth_table_free(&env, &test);
    sooth_table_free(&env, &train);
}

/* The interval that the training rows of a fold give: calibrated out of fold, on shuffled rows or by leaving
   benchmarks out. */
static sooth_conformal *power_calibrate(power *w, const sooth_split_fold *outer, uint32_t method) {
    const sooth_split_options inner = {.method = method, .folds = method == SOOTH_SPLIT_KFOLD ? 5 : 8};
    const sooth_conformal_options o = {.scale = SOOTH_CONFORMAL_LOG, .method = SOOTH_CONFORMAL_CROSS};
    float *y = (float *)malloc(2 * outer->trains * sizeof *y), *p = y + outer->trains;
    uint32_t *group = (uint32_t *)malloc(outer->trains * sizeof *group);
    sooth_split split;
    if (!y || !group) abort();
    CHECK_STATUS(sooth_split_inner(&env, &w->table, &inner, outer, &split), SOOTH_OK);
    for (size_t f = 0; f < split.folds; ++f) power_fold(w, &split.fold[f]);
    sooth_split_free(&env, &split);
    for (size_t i = 0; i < outer->trains; ++i) {
        y[i] = w->watts[outer->train[i]];
        p[i] = sooth_exp(w->out[outer->train[i]]);
        group[i] = w->table.group[outer->train[i]];
    }
    sooth_conformal *c = fit(y, p, method == SOOTH_SPLIT_KFOLD ? NULL : group, NULL, outer->trains, &o);
    free(y);
    free(group);
    return c;
}

static void power_of_programs_never_seen(void) {
    static const char *const files[] = {"k20", "m60"};
    CHECK_SLOW();
    for (size_t k = 0; k < COUNT(files); ++k) {
        const sooth_split_options options = {.method = SOOTH_SPLIT_LEAVE_ONE_GROUP_OUT};
        char path[64];
        power w;
        sooth_split split;
        size_t held[2] = {0, 0}, rows = 0;
        double width[2] = {0, 0};
        snprintf(path, sizeof path, "../shared/data/power/%s.csv", files[k]);
        if (!power_read(path, &w)) CHECK_SKIP("the published power data are not here");
        CHECK_STATUS(sooth_split_make(&env, &w.table, &options, &split), SOOTH_OK);
        for (size_t f = 0; f < split.folds; ++f) {
            const sooth_split_fold *fold = &split.fold[f];
            sooth_conformal *by[2];
            by[0] = power_calibrate(&w, fold, SOOTH_SPLIT_KFOLD);
            by[1] = power_calibrate(&w, fold, SOOTH_SPLIT_GROUP_KFOLD);
            CHECK(by[0]->claim.promise == SOOTH_CONFORMAL_OF_ROWS);
            CHECK(by[1]->claim.promise == SOOTH_CONFORMAL_OF_GROUPS &&
                  by[1]->claim.groups + 1 == w.data.groups);
            power_fold(&w, fold);
            for (size_t i = 0; i < fold->tests; ++i, ++rows)
                for (int c = 0; c < 2; ++c) {
                    float low, high;
                    sooth_conformal_interval(by[c], sooth_exp(w.out[fold->test[i]]), 1, &low, &high);
                    held[c] += low <= w.watts[fold->test[i]] && w.watts[fold->test[i]] <= high;
                    width[c] += (double)(high - low);
                }
            sooth_conformal_free(&env, by[0]);
            sooth_conformal_free(&env, by[1]);
        }
        for (int c = 0; c < 2; ++c)
            printf(
                "  %s, launches of %u programs never seen, 90 %% calibrated %s: %.0f %% held, %.0f W wide\n",
                files[k], (unsigned)w.data.groups, c ? "by leaving programs out" : "on shuffled rows",
                100.0 * (double)held[c] / (double)rows, width[c] / (double)rows);
        CHECK(held[0] < 0.7 * (double)rows && held[1] >= 0.85 * (double)rows);
        sooth_split_free(&env, &split);
        free(w.log_watts);
        sooth_csv_data_free(&env, &w.data);
        sooth_csv_free(&env, &w.csv);
    }
}

int main(void) {
    CHECK_RUN(split_equals_mapie);
    CHECK_RUN(quantiles_equal_mapie);
    CHECK_RUN(upper_quantiles_equal_mapie);
    CHECK_RUN(cv_plus_equals_mapie);
    CHECK_RUN(jackknife_plus_equals_mapie);
    CHECK_RUN(offsets_equal_the_naive_twin);
    CHECK_RUN(cross_equals_the_naive_list);
    CHECK_RUN(rows_are_held_as_promised);
    CHECK_RUN(groups_are_held_as_promised);
    CHECK_RUN(a_large_group_counts_once);
    CHECK_RUN(scaled_intervals_hold_small_and_large);
    CHECK_RUN(quantiles_are_moved_to_hold);
    CHECK_RUN(cv_plus_holds_what_is_proven);
    CHECK_RUN(too_few_rows_promise_nothing);
    CHECK_RUN(too_few_are_told_what_is_needed);
    CHECK_RUN(weights_count_for_what_is_needed);
    CHECK_RUN(out_of_fold_proves_nothing_of_every_model);
    CHECK_RUN(the_edge_is_inside);
    CHECK_RUN(perfect_predictions_give_points);
    CHECK_RUN(on_the_log_scale_it_multiplies);
    CHECK_RUN(on_the_log_scale_nothing_is_far_enough);
    CHECK_RUN(spreads_of_nothing);
    CHECK_RUN(quantiles_that_cross_or_are_none);
    CHECK_RUN(online_equals_the_naive_twin);
    CHECK_RUN(upper_ends_equal_sorting);
    CHECK_RUN(limits_are_kept_as_promised);
    CHECK_RUN(upper_ends_of_a_stream_keep_their_share);
    CHECK_RUN(upper_ends_meet_an_adversary);
    CHECK_RUN(drift_is_followed);
    CHECK_RUN(an_adversary_is_bounded);
    CHECK_RUN(perfection_does_not_spoil);
    CHECK_RUN(a_stream_has_odd_values);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(rows_are_judged_one_by_one);
    CHECK_RUN(folds_claim_what_is_known);
    CHECK_RUN(extremes_are_survived);
    CHECK_RUN(a_million_rows_take_a_sort);
    CHECK_RUN(options_have_names);
    CHECK_RUN(costs_are_stated);
    CHECK_RUN(lies_are_not_believed);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(power_of_programs_never_seen);
    return check_end("conformal");
}
