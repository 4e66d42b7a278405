/* test_adapt.c - adapt.h against a naive Gaussian process, programs of a known law, lies and published data.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/adapt.h"
#include "sooth/csv.h"
#include "sooth/forest.h"
#include "sooth/validation/split.h"
#include "check.h"
#include "lies.h"

enum { D = 3, MOST = SOOTH_ADAPT_MAX_POINTS };
static sooth_env env;

/* ---- programs of a known law ---- */

typedef struct law {
    double level, slope, signal, noise, length;
} law;

typedef struct world {
    sooth_table table;
    float *x, *y, *predicted;
    uint32_t *group;
    double *clean; /* residuals without noise */
} world;

/* Rows with x in e^(0 .. 4) - 1 (so that logarithms are even), predictions of 20 to 150, and residuals drawn
   from the law by a naive Cholesky, program by program. */
static world world_of(size_t programs, size_t each, const law *l, uint64_t seed) {
    const size_t rows = programs * each;
    world w;
    sooth_rng rng;
    double *k = (double *)malloc(each * each * sizeof *k), *z = (double *)malloc(each * sizeof *z);
    w.x = (float *)malloc(rows * D * sizeof *w.x);
    w.y = (float *)malloc(rows * sizeof *w.y);
    w.predicted = (float *)malloc(rows * sizeof *w.predicted);
    w.group = (uint32_t *)malloc(rows * sizeof *w.group);
    w.clean = (double *)malloc(rows * sizeof *w.clean);
    if (!k || !z || !w.x || !w.y || !w.predicted || !w.group || !w.clean) abort();
    sooth_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < rows; ++i) {
        w.group[i] = (uint32_t)(i / each);
        for (size_t j = 0; j < D; ++j) w.x[i * D + j] = (float)expm1(4.0 * sooth_rng_double(&rng));
        w.predicted[i] = (float)exp(3.0 + 2.0 * sooth_rng_double(&rng));
    }
    for (size_t p = 0; p < programs; ++p) {
        const size_t at = p * each;
        for (size_t i = 0; i < each; ++i)
            for (size_t m = 0; m < each; ++m) {
                double squared = 0.0; /* an even number of 0 .. 4 has the deviation 4 / sqrt(12) */
                for (size_t j = 0; j < D; ++j) {
                    const double a = log1p((double)w.x[(at + i) * D + j]);
                    const double b = log1p((double)w.x[(at + m) * D + j]);
                    squared += (a - b) * (a - b) * 12.0 / 16.0;
                }
                const double d = sqrt(3.0 * squared) / l->length;
                const double f = (log((double)w.predicted[at + i]) - 4.0) * sqrt(12.0) / 2.0;
                const double g = (log((double)w.predicted[at + m]) - 4.0) * sqrt(12.0) / 2.0;
                k[i * each + m] =
                    l->level + l->slope * f * g + l->signal * (1.0 + d) * exp(-d) + (i == m) * 1e-9;
            }
        CHECK(soothi_cholesky(k, each));
        for (size_t i = 0; i < each; ++i) z[i] = sooth_rng_normal(&rng);
        for (size_t i = 0; i < each; ++i) {
            double r = 0.0;
            for (size_t m = 0; m <= i; ++m) r += k[i * each + m] * z[m];
            w.clean[at + i] = r;
            w.y[at + i] =
                (float)((double)w.predicted[at + i] * exp(r + sqrt(l->noise) * sooth_rng_normal(&rng)));
        }
    }
    free(k);
    free(z);
    w.table = sooth_table_of(w.x, w.y, rows, D);
    w.table.group = w.group;
    return w;
}

static void world_end(world *w) {
    free(w->x);
    free(w->y);
    free(w->predicted);
    free(w->group);
    free(w->clean);
}

static const law plain = {0.04, 0.01, 0.03, 0.001, 2.0};

static sooth_adapt *fitted(const world *w, const sooth_adapt_options *options) {
    sooth_adapt *adapt = NULL;
    CHECK_STATUS(sooth_adapt_fit(&env, &w->table, w->predicted, options, &adapt), SOOTH_OK);
    if (!adapt) abort();
    CHECK(sooth_adapt_check(adapt, adapt->head.size));
    return adapt;
}

static sooth_adapt *small(void) {
    world w = world_of(12, 12, &plain, 5);
    sooth_adapt *adapt = fitted(&w, NULL);
    world_end(&w);
    return adapt;
}

static sooth_adapt_program *begun(const sooth_adapt *adapt) {
    void *memory = malloc(sooth_adapt_program_size(adapt));
    if (!memory) abort();
    memset(memory, 0xA5, sooth_adapt_program_size(adapt));
    CHECK(!sooth_adapt_begin(adapt, memory, sooth_adapt_program_size(adapt) - 1));
    return sooth_adapt_begin(adapt, memory, sooth_adapt_program_size(adapt));
}

static void row_of(sooth_rng *rng, float *row) {
    for (size_t j = 0; j < D; ++j) row[j] = (float)expm1(4.0 * sooth_rng_double(rng));
}

static sooth_adapted asked(const sooth_adapt *adapt, const sooth_adapt_program *p, const float *row,
                           float predicted) {
    sooth_adapted out;
    memset(&out, 0xA5, sizeof out);
    sooth_adapt_predict(adapt, p, row, predicted, &out);
    return out;
}

/* Half of the interval, on the log scale. */
static double half_of(const sooth_adapted *out) { return 0.5 * log((double)out->high / (double)out->low); }

/* ---- the naive twin: a Gaussian process of a few lines in double ---- */

typedef struct twin {
    const sooth_adapt *adapt;
    size_t n;
    float x[MOST][D], p[MOST];
    double r[MOST], noise[MOST];
} twin;

static double twin_covariance(const sooth_adapt *a, const float *x, float p, const float *y, float q) {
    const sooth_adapt_feature *feature = soothi_adapt_features(a);
    const double f = (log((double)p) - (double)a->centre) * (double)a->factor;
    const double g = (log((double)q) - (double)a->centre) * (double)a->factor;
    double squared = 0.0;
    for (size_t j = 0; j < D; ++j) {
        const double apart = (log1p((double)x[j]) - log1p((double)y[j])) * (double)feature[j].factor;
        squared += apart * apart;
    }
    const double d = sqrt(3.0 * squared);
    return (double)a->offset + (double)a->slope * f * g + (double)a->signal * (1.0 + d) * exp(-d);
}

static void twin_ask(const twin *t, const float *row, float predicted, double *mean, double *variance) {
    double k[MOST * MOST], c[MOST], b[MOST];
    for (size_t i = 0; i < t->n; ++i) {
        for (size_t m = 0; m < t->n; ++m)
            k[i * t->n + m] =
                twin_covariance(t->adapt, t->x[i], t->p[i], t->x[m], t->p[m]) + (i == m) * t->noise[i];
        c[i] = twin_covariance(t->adapt, t->x[i], t->p[i], row, predicted);
    }
    CHECK(soothi_cholesky(k, t->n));
    soothi_cholesky_solve(k, t->n, c, b);
    *mean = 0.0;
    *variance = twin_covariance(t->adapt, row, predicted, row, predicted);
    for (size_t i = 0; i < t->n; ++i) {
        *mean += b[i] * t->r[i];
        *variance -= b[i] * c[i];
    }
}

static void twin_add(twin *t, const float *row, float p, float y) {
    memcpy(t->x[t->n], row, sizeof t->x[0]);
    t->p[t->n] = p;
    t->r[t->n] = log((double)y / (double)p);
    t->noise[t->n++] = (double)t->adapt->noise;
}

static void the_small_solve_is_that_of_a_gaussian_process(void) {
    world w = world_of(12, 40, &plain, 3);
    sooth_adapt_options options;
    memset(&options, 0, sizeof options);
    options.doubt = 1e6; /* nobody is doubted */
    options.capacity = MOST;
    sooth_adapt *adapt = fitted(&w, &options);
    sooth_adapt_program *p = begun(adapt);
    twin t;
    memset(&t, 0, sizeof t);
    t.adapt = adapt;
    for (size_t i = 0; i < MOST; ++i) {
        for (size_t m = MOST; m < 40; ++m) {
            const float *row = w.x + m * D;
            const sooth_adapted out = asked(adapt, p, row, w.predicted[m]);
            double mean = 0.0, variance = 0.0;
            twin_ask(&t, row, w.predicted[m], &mean, &variance);
            const double known =
                1.0 - variance / twin_covariance(adapt, row, w.predicted[m], row, w.predicted[m]);
            const float *factor = soothi_adapt_factors(adapt);
            double wide = (double)factor[i];
            if (factor[0] > factor[i]) wide += (double)(factor[0] - factor[i]) * (1.0 - known);
            CHECK_NEAR(log((double)(out.value / w.predicted[m])), mean, 3e-4);
            CHECK_CLOSE(half_of(&out), wide * sqrt(variance + (double)adapt->noise), 3e-3);
            CHECK_NEAR(out.known, known, 2e-3);
            CHECK(out.low <= out.value && out.value <= out.high);
        }
        CHECK(sooth_adapt_observe(adapt, p, w.x + i * D, w.predicted[i], w.y[i]) == SOOTH_ADAPT_TAKEN);
        twin_add(&t, w.x + i * D, w.predicted[i], w.y[i]);
        CHECK(p->points == i + 1 && p->observed == i + 1 && p->doubted == 0);
    }
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* ---- what is learned ---- */

/* Forty programs of the law itself, k launches revealed: what intervals hold, and how far means are off in
   units of what the law says. */
static void judge(const sooth_adapt *adapt, const world *w, size_t programs, size_t each, size_t k,
                  int chosen, double *held, double *misfit, double *error) {
    sooth_adapt_program *p = begun(adapt);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    double asked_for = 0.0;
    *held = *misfit = *error = 0.0;
    for (size_t g = 0; g < programs; ++g) {
        const size_t at = g * each;
        unsigned char taken[64] = {0};
        sooth_adapt_forget(adapt, p);
        for (size_t i = 0; i < k; ++i) {
            size_t next = i;
            if (chosen)
                next = sooth_adapt_next(adapt, p, w->x + at * D, each, D, w->predicted + at, NULL,
                                        SOOTH_ADAPT_VARIANCE, scratch);
            CHECK(next < each && !taken[next]);
            taken[next] = 1;
            sooth_adapt_observe(adapt, p, w->x + (at + next) * D, w->predicted[at + next], w->y[at + next]);
        }
        for (size_t i = 0; i < each; ++i) {
            const sooth_adapted out = asked(adapt, p, w->x + (at + i) * D, w->predicted[at + i]);
            if (taken[i]) continue;
            const double r = log((double)w->y[at + i] / (double)out.value);
            const double deviation = half_of(&out) / (double)soothi_adapt_factors(adapt)[k];
            *held += w->y[at + i] >= out.low && w->y[at + i] <= out.high;
            *misfit += r * r / (deviation * deviation);
            *error += fabs(exp(-r) - 1.0);
            asked_for += 1.0;
        }
    }
    *held /= asked_for;
    *misfit /= asked_for;
    *error /= asked_for;
    free(scratch);
    free(p);
}

static void the_law_is_found_and_intervals_hold(void) {
    CHECK_SLOW();
    static const size_t after[] = {0, 1, 2, 3, 5, 8};
    world w = world_of(60, 24, &plain, 11), fresh = world_of(120, 24, &plain, 12);
    sooth_adapt *adapt = fitted(&w, NULL);
    CHECK(adapt->log == 1 && adapt->programs == 60 && adapt->rows == 60 * 24 && adapt->simulated == 16);
    CHECK(adapt->offset > 0.6f * 0.04f && adapt->offset < 1.6f * 0.04f);
    CHECK(adapt->signal > 0.6f * 0.03f && adapt->signal < 1.6f * 0.03f);
    CHECK(adapt->slope > 0.4f * 0.01f && adapt->slope < 2.5f * 0.01f);
    CHECK(adapt->noise > 0.4f * 0.001f && adapt->noise < 2.5f * 0.001f);
    CHECK(adapt->length > 0.6f * 2.0f && adapt->length < 1.6f * 2.0f);
    for (int chosen = 0; chosen < 2; ++chosen) {
        double before = 1e9;
        for (size_t i = 0; i < sizeof after / sizeof after[0]; ++i) {
            double held, misfit, error;
            judge(adapt, &fresh, 120, 24, after[i], chosen, &held, &misfit, &error);
            CHECK(held > 0.87 && held < 0.945);
            CHECK(misfit > 0.75 && misfit < 1.25); /* in units of the law's variance */
            CHECK(error < 0.97 * before);
            before = error;
        }
    }
    /* the factors are near those of a normal law: 1.645, a little more for half a program to come */
    for (size_t k = 0; k <= 8; ++k)
        CHECK(soothi_adapt_factors(adapt)[k] > 1.45f && soothi_adapt_factors(adapt)[k] < 1.95f);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
    world_end(&fresh);
}

/* Residuals of Student's t with 2 degrees, heavier than any Gaussian: factors from programs hold. */
static void heavy_tails_are_held(void) {
    world w = world_of(50, 12, &plain, 21), fresh = world_of(80, 12, &plain, 22);
    sooth_rng rng;
    double held, misfit, error;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < (50 + 80) * 12; ++i) {
        world *at = i < 600 ? &w : &fresh;
        const size_t row = i < 600 ? i : i - 600;
        const double t = sooth_rng_normal(&rng) / sqrt(-log(1.0 - sooth_rng_double(&rng)));
        at->y[row] = (float)((double)at->y[row] * exp(0.1 * t));
    }
    sooth_adapt *adapt = fitted(&w, NULL);
    for (size_t k = 0; k < 6; k += 5) {
        judge(adapt, &fresh, 80, 12, k, 0, &held, &misfit, &error);
        CHECK(held > 0.86 && held < 0.96);
    }
    sooth_adapt_free(&env, adapt);
    world_end(&w);
    world_end(&fresh);
}

static void fits_are_the_same_twice_and_rows_without_weight_do_not_exist(void) {
    world w = world_of(12, 8, &plain, 31);
    float weight[96];
    sooth_adapt *all, *again, *less, *fewer = NULL;
    sooth_adapt_options options;
    memset(&options, 0, sizeof options);
    all = fitted(&w, NULL);
    again = fitted(&w, &options);
    CHECK(all->head.size == again->head.size && memcmp(all, again, all->head.size) == 0);
    sooth_adapt_free(&env, again);
    options.seed = 1;
    again = fitted(&w, &options);
    CHECK(memcmp(all, again, all->head.size) != 0);
    for (size_t i = 0; i < 96; ++i) weight[i] = i < 72 ? 2.0f : 0.0f;
    for (size_t i = 72; i < 96; ++i) w.y[i] *= 7.0f;
    w.table.weight = weight;
    less = fitted(&w, NULL);
    w.table.weight = NULL;
    w.table.rows = 72;
    CHECK_STATUS(sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &fewer), SOOTH_OK);
    if (fewer) CHECK(memcmp(less, fewer, less->head.size) == 0);
    sooth_adapt_free(&env, fewer);
    sooth_adapt_free(&env, less);
    sooth_adapt_free(&env, again);
    sooth_adapt_free(&env, all);
    sooth_adapt_free(&env, NULL);
    world_end(&w);
}

/* A training measurement a hundred times too large changes the law little. */
static void a_spike_in_the_table_does_not_make_the_law(void) {
    world w = world_of(20, 12, &plain, 41);
    sooth_adapt *clean = fitted(&w, NULL), *spiked;
    w.y[17] *= 100.0f;
    spiked = fitted(&w, NULL);
    CHECK(spiked->signal + spiked->noise < 2.0f * (clean->signal + clean->noise));
    CHECK(soothi_adapt_factors(spiked)[0] < 1.3f * soothi_adapt_factors(clean)[0]);
    sooth_adapt_free(&env, clean);
    sooth_adapt_free(&env, spiked);
    world_end(&w);
}

static void nothing_varies(void) {
    float x[40] = {0}, y[40] = {0}, predicted[40];
    uint32_t group[40];
    sooth_adapt *adapt = NULL;
    sooth_table table = sooth_table_of(x, y, 20, 2);
    const float row[2] = {3, 7}, other[2] = {3, 8};
    for (uint32_t i = 0; i < 20; ++i) {
        x[2 * i] = 3.0f;
        x[2 * i + 1] = 7.0f;
        predicted[i] = y[i] = 50.0f;
        group[i] = i / 4;
    }
    table.group = group;
    CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
    if (!adapt) return;
    CHECK(sooth_adapt_check(adapt, adapt->head.size));
    sooth_adapt_program *p = begun(adapt);
    sooth_adapted out = asked(adapt, p, row, 50.0f);
    CHECK_NEAR(out.value, 50.0, 1e-4);
    CHECK(out.low <= out.value && out.value <= out.high && out.high < 50.5f &&
          out.trust == SOOTH_MODEL_TRUST_INSIDE);
    out = asked(adapt, p, other, 50.0f); /* another value of what was constant */
    CHECK(out.trust == SOOTH_MODEL_TRUST_OUTSIDE && out.feature == 1);
    CHECK(sooth_adapt_observe(adapt, p, row, 50.0f, 55.0f) == SOOTH_ADAPT_DOUBTED); /* nothing was ever off */
    sooth_adapt_observe(adapt, p, other, 50.0f, 55.0f);
    for (int i = 0; i < 6; ++i) sooth_adapt_observe(adapt, p, row, 60.0f, 66.0f);
    out = asked(adapt, p, row, 50.0f);
    CHECK(out.value > 54.0f && out.value < 56.0f); /* but what repeats is believed */
    free(p);
    sooth_adapt_free(&env, adapt);
}

static void what_cannot_be_learned_is_refused(void) {
    world w = world_of(12, 4, &plain, 51);
    sooth_adapt *adapt = NULL;
    sooth_adapt_options options;
    memset(&options, 0, sizeof options);
    w.table.group = NULL;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_BAD_DATA,
                "no groups");
    w.table.group = w.group;
    w.table.rows = 17; /* four programs of four, and one of one */
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_BAD_DATA,
                "4 programs have two rows or more");
    w.table.rows = 18;
    CHECK_STATUS(sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_OK);
    sooth_adapt_free(&env, adapt);
    w.table.rows = 48;
    w.table.targets = 2;
    w.table.rows = 24;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_BAD_DATA,
                "2 targets");
    w.table.targets = 1;
    w.predicted[3] = NAN;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_BAD_DATA,
                "row 4 has no finite prediction");
    w.predicted[3] = -1.0f;
    options.scale = SOOTH_ADAPT_LOG;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, &options, &adapt), SOOTH_BAD_DATA,
                "row 4 has the target");
    options.scale = 7;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, &options, &adapt), SOOTH_BAD_ARGUMENT,
                "scale is 7");
    options.scale = 0;
    options.capacity = MOST + 1;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, &options, &adapt), SOOTH_BAD_ARGUMENT,
                "capacity is 33");
    w.y[5] = INFINITY;
    CHECK_FAILS(&env, sooth_adapt_fit(&env, &w.table, w.predicted, NULL, &adapt), SOOTH_BAD_DATA, "row 6");
    CHECK(adapt == NULL);
    world_end(&w);
}

static int cancel(void *user, const char *stage, double done) {
    (void)stage;
    (void)done;
    ++*(int *)user;
    return 1;
}

static void fits_can_be_cancelled(void) {
    world w = world_of(8, 6, &plain, 61);
    sooth_adapt *adapt = NULL;
    sooth_env own;
    int calls = 0;
    sooth_env_init(&own);
    own.progress_fn = cancel;
    own.progress_user = &calls;
    CHECK_FAILS(&own, sooth_adapt_fit(&own, &w.table, w.predicted, NULL, &adapt), SOOTH_CANCELLED,
                "cancelled");
    CHECK(!adapt && calls == 1);
    world_end(&w);
}

/* Targets of both signs: residuals are differences in units of their spread. */
static void differences_where_logarithms_do_not_exist(void) {
    world w = world_of(20, 10, &plain, 71);
    for (size_t i = 0; i < 200; ++i) {
        w.y[i] = (float)(1000.0 * w.clean[i]); /* about -600 to 600 */
        w.predicted[i] = 0.0f;
    }
    sooth_adapt *adapt = fitted(&w, NULL);
    sooth_adapt_program *p = begun(adapt);
    const float row[D] = {5, 5, 5};
    sooth_adapted out = asked(adapt, p, row, -20.0f);
    CHECK(adapt->log == 0 && adapt->unit > 50.0f && adapt->unit < 1000.0f);
    CHECK_NEAR(out.value, -20.0, 1e-3);
    CHECK_NEAR((double)out.high + 40.0 + (double)out.low, 0.0, 0.1); /* as far up as down */
    for (int i = 0; i < 5; ++i)
        CHECK(sooth_adapt_observe(adapt, p, row, -20.0f, 280.0f) == SOOTH_ADAPT_TAKEN);
    out = asked(adapt, p, row, -20.0f);
    CHECK(out.value > 250.0f && out.value < 281.0f);
    CHECK(sooth_adapt_observe(adapt, p, row, -20.0f, -INFINITY) == SOOTH_ADAPT_REFUSED);
    /* residuals as large as floats */
    for (size_t i = 0; i < 200; ++i) {
        w.y[i] = w.y[i] > 0.0f ? FLT_MAX : -FLT_MAX;
        w.predicted[i] = -w.y[i];
    }
    sooth_adapt *huge = fitted(&w, NULL);
    sooth_adapt_forget(huge, p);
    out = asked(huge, p, row, FLT_MAX);
    CHECK(out.low <= out.value && out.value <= out.high && out.high <= FLT_MAX);
    sooth_adapt_free(&env, huge);
    sooth_adapt_free(&env, adapt);
    free(p);
    world_end(&w);
}

/* ---- measurements that lie ---- */

/* A hundred times too much, at each place among six: the answer moves by less than half the interval. */
static void a_spike_moves_the_answer_less_than_the_interval(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *good = begun(adapt), *bad = begun(adapt);
    world w = world_of(4, 12, &plain, 81);
    for (size_t g = 0; g < 4; ++g)
        for (size_t spike = 0; spike < 6; ++spike)
            for (int direction = 0; direction < 2; ++direction) {
                const float times = direction ? 0.01f : 100.0f;
                sooth_adapt_forget(adapt, good);
                sooth_adapt_forget(adapt, bad);
                for (size_t i = 0; i < 6; ++i) {
                    const size_t row = g * 12 + i;
                    const float y = w.y[row];
                    if (i != spike) sooth_adapt_observe(adapt, good, w.x + row * D, w.predicted[row], y);
                    const int how = sooth_adapt_observe(adapt, bad, w.x + row * D, w.predicted[row],
                                                        i == spike ? times * y : y);
                    if (i == spike) CHECK(how == SOOTH_ADAPT_DOUBTED);
                }
                CHECK(bad->doubted == 1 && bad->points == 6);
                for (size_t i = 6; i < 12; ++i) {
                    const size_t row = g * 12 + i;
                    const sooth_adapted a = asked(adapt, good, w.x + row * D, w.predicted[row]);
                    const sooth_adapted b = asked(adapt, bad, w.x + row * D, w.predicted[row]);
                    CHECK(b.value > a.low && b.value < a.high);
                    CHECK(fabs(log((double)b.value / (double)a.value)) < 0.5 * half_of(&a) + 0.02);
                }
            }
    free(good);
    free(bad);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* The first measurement is the spike: it is doubted, and forgotten when others come; two that agree on
   something far off are believed. */
static void a_first_spike_is_doubted_and_what_repeats_is_believed(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    const float a[D] = {5, 5, 5}, b[D] = {9, 5, 3}, c[D] = {2, 9, 9};
    CHECK(sooth_adapt_observe(adapt, p, a, 50.0f, 5000.0f) == SOOTH_ADAPT_DOUBTED);
    sooth_adapted out = asked(adapt, p, b, 50.0f);
    CHECK(out.low < 50.0f && out.high > 50.0f && out.value < 70.0f);
    CHECK(sooth_adapt_observe(adapt, p, b, 50.0f, 51.0f) == SOOTH_ADAPT_TAKEN);
    out = asked(adapt, p, c, 50.0f);
    CHECK(out.value > 40.0f && out.value < 62.0f);
    /* the same launch again, right this time: the median of two is odd, of three it is right */
    sooth_adapt_observe(adapt, p, a, 50.0f, 50.0f);
    out = asked(adapt, p, c, 50.0f);
    CHECK(out.value > 40.0f && out.value < 62.0f);
    sooth_adapt_observe(adapt, p, a, 50.0f, 52.0f);
    CHECK(p->doubted == 0 && p->points == 2 && p->observed == 4);
    out = asked(adapt, p, a, 50.0f);
    CHECK(out.value > 48.0f && out.value < 54.0f);
    /* a program that draws three times as much, everywhere */
    sooth_adapt_forget(adapt, p);
    CHECK(sooth_adapt_observe(adapt, p, a, 50.0f, 150.0f) == SOOTH_ADAPT_DOUBTED);
    CHECK(sooth_adapt_observe(adapt, p, b, 50.0f, 150.0f) == SOOTH_ADAPT_TAKEN);
    CHECK(p->doubted == 0);
    out = asked(adapt, p, b, 50.0f);
    CHECK(out.value > 125.0f && out.value < 155.0f);
    free(p);
    sooth_adapt_free(&env, adapt);
}

static void what_is_no_number_is_refused(void) {
    const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -1.0f};
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    const size_t size = sooth_adapt_program_size(adapt);
    const float row[D] = {5, 5, 5}, missing[D] = {NAN, 5, 5}, far_out[D] = {INFINITY, -INFINITY, 5};
    unsigned char *before = (unsigned char *)malloc(size);
    sooth_adapted out;
    sooth_adapt_observe(adapt, p, row, 50.0f, 60.0f);
    memcpy(before, p, size);
    for (size_t i = 0; i < 5; ++i) {
        CHECK(sooth_adapt_observe(adapt, p, row, 50.0f, odd[i]) == SOOTH_ADAPT_REFUSED);
        CHECK(sooth_adapt_observe(adapt, p, row, odd[i], 50.0f) == SOOTH_ADAPT_REFUSED);
        CHECK(p->refused == 2 * i + 2);
        out = asked(adapt, p, row, odd[i]);
        CHECK(memcmp(&out.value, &odd[i], sizeof out.value) == 0);
        CHECK(isnan(out.low) && isnan(out.high) && out.trust == SOOTH_MODEL_TRUST_OUTSIDE);
        CHECK(out.known >= 0.0f && out.known <= 1.0f && out.feature == UINT32_MAX);
    }
    p->refused = 0;
    CHECK(memcmp(before, p, size) == 0); /* nothing else changed */
    out = asked(adapt, p, missing, 50.0f);
    CHECK(out.value > 40.0f && out.value < 70.0f && out.trust == SOOTH_MODEL_TRUST_OUTSIDE &&
          out.feature == 0);
    out = asked(adapt, p, far_out, 50.0f);
    CHECK(out.value > 40.0f && out.value < 70.0f && out.trust == SOOTH_MODEL_TRUST_OUTSIDE &&
          out.feature == 0);
    CHECK(sooth_adapt_observe(adapt, p, far_out, 50.0f, 60.0f) != SOOTH_ADAPT_REFUSED);
    CHECK(sooth_adapt_observe(adapt, p, missing, FLT_MAX, FLT_MIN) == SOOTH_ADAPT_DOUBTED);
    out = asked(adapt, p, row, FLT_MAX);
    CHECK(out.high <= FLT_MAX && out.low > 0.0f && out.low <= out.value && out.value <= out.high);
    free(before);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* The same launch again and again: one point, the median of the last five, noise that falls to a fifth. */
static void one_launch_a_hundred_thousand_times(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt), *once = begun(adapt);
    const float row[D] = {5, 5, 5};
    sooth_rng rng;
    sooth_rng_init(&rng, 7, 0);
    sooth_adapt_observe(adapt, once, row, 50.0f, 65.0f);
    for (size_t i = 0; i < 100000; ++i) {
        float y = 65.0f * (1.0f + 0.002f * (sooth_rng_float(&rng) - 0.5f));
        if (i % 7 == 3) y *= 100.0f; /* never three of the last five */
        sooth_adapt_observe(adapt, p, row, 50.0f, y);
    }
    CHECK(p->points == 1 && p->observed == 100000 && p->doubted == 0);
    const sooth_adapted out = asked(adapt, p, row, 50.0f), first = asked(adapt, once, row, 50.0f);
    CHECK(out.value > 64.0f && out.value < 66.0f);
    CHECK(out.known > first.known && half_of(&out) <= half_of(&first));
    free(once);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* What contradicts itself counts for little: the interval there is nearly as wide as with nothing known. */
static void contradictions_widen(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    const float row[D] = {5, 5, 5};
    const sooth_adapted blank = asked(adapt, p, row, 50.0f);
    for (int i = 0; i < 5; ++i) sooth_adapt_observe(adapt, p, row, 50.0f, i % 2 ? 5.0f : 500.0f);
    sooth_adapted out = asked(adapt, p, row, 50.0f);
    CHECK(out.known < 0.5f && half_of(&out) > 0.7 * half_of(&blank));
    /* different launches that agree on nothing: at most half are doubted, and all stays finite */
    sooth_adapt_forget(adapt, p);
    for (int i = 0; i < 12; ++i) {
        const float other[D] = {(float)(1 + i), (float)(i * i % 7), 4};
        sooth_adapt_observe(adapt, p, other, 50.0f, i % 2 ? 0.5f : 5000.0f);
    }
    out = asked(adapt, p, row, 50.0f);
    CHECK(p->doubted >= 1 && 2 * p->doubted <= p->points + 1);
    CHECK(out.low > 0.0f && out.high < FLT_MAX && out.low < out.value && out.value < out.high);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* ---- the same bits ---- */

#define GOLDEN_HASH 0x9d9d8f1d75193f6bull

/* A fit and what it says, without a function of the C library in between: the same bits on every machine. */
static void same_bits_everywhere(void) {
    enum { ROWS = 60 };
    float x[ROWS * D] = {0}, y[ROWS] = {0}, predicted[ROWS], *scratch;
    uint32_t group[ROWS];
    sooth_adapt *adapt = NULL;
    sooth_table table = sooth_table_of(x, y, ROWS, D);
    sooth_rng rng;
    sooth_rng_init(&rng, 17, 0);
    for (uint32_t i = 0; i < ROWS; ++i) {
        group[i] = i / 6;
        for (size_t j = 0; j < D; ++j)
            x[i * D + j] = 100.0f * sooth_rng_float(&rng) - (j == 2 ? 50.0f : 0.0f);
        predicted[i] = 20.0f + x[i * D];
        y[i] = predicted[i] * (0.7f + 0.06f * (float)group[i] + 0.1f * sooth_rng_float(&rng));
    }
    table.group = group;
    CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
    if (!adapt) return;
    /* (the head's letters are other words where the byte order is another) */
    unsigned long long hash = check_hash_words(14695981039346656037ull, &adapt->head + 1,
                                               (adapt->head.size - sizeof adapt->head) / 4);
    sooth_adapt_program *p = begun(adapt);
    scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    for (uint32_t k = 0; k < 20; ++k) {
        const size_t next = sooth_adapt_next(adapt, p, x, ROWS, D, predicted, NULL, k % 3, scratch);
        const uint32_t chosen = (uint32_t)next;
        sooth_adapt_observe(adapt, p, x + next * D, predicted[next], y[next] * (k == 4 ? 50.0f : 1.0f));
        const sooth_adapted out = asked(adapt, p, x + k * D, predicted[k]);
        hash = check_hash_words(check_hash_words(hash, &chosen, 1), &out, sizeof out / 4);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
    free(scratch);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* ---- memory ---- */

static void many_launches_in_a_fixed_memory(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    sooth_rng rng;
    float row[D];
    sooth_rng_init(&rng, 9, 0);
    for (size_t i = 0; i < 100000; ++i) {
        row_of(&rng, row);
        /* half as much again, where the first feature is large twice as much */
        sooth_adapt_observe(adapt, p, row, 50.0f, 50.0f * (row[0] > 20.0f ? 1.8f : 1.4f));
    }
    CHECK(p->points == adapt->capacity && p->observed == 100000);
    double error = 0.0;
    for (size_t i = 0; i < 200; ++i) {
        row_of(&rng, row);
        const sooth_adapted out = asked(adapt, p, row, 50.0f);
        error += fabs((double)out.value / (row[0] > 20.0f ? 90.0 : 70.0) - 1.0) / 200.0;
    }
    CHECK(error < 0.12); /* unadapted: 0.35 */
    p->observed = UINT32_MAX;
    p->refused = UINT32_MAX;
    sooth_adapt_observe(adapt, p, row, 50.0f, 70.0f);
    sooth_adapt_observe(adapt, p, row, 50.0f, NAN);
    CHECK(p->observed == UINT32_MAX && p->refused == UINT32_MAX); /* counters stay at their ends */
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* When the memory is full, the point that the others tell best leaves: by the twin, of which the variance
   given the others is the least share of its noise. */
static void the_point_that_others_tell_best_makes_room(void) {
    world w = world_of(12, 12, &plain, 91);
    sooth_adapt_options options;
    memset(&options, 0, sizeof options);
    options.capacity = 4;
    options.doubt = 1e6;
    sooth_adapt *adapt = fitted(&w, &options);
    sooth_adapt_program *p = begun(adapt);
    const float rows[5][D] = {{1, 1, 1}, {50, 1, 50}, {51, 1, 49}, {1, 50, 1}, {9, 9, 9}};
    for (int i = 0; i < 4; ++i) sooth_adapt_observe(adapt, p, rows[i], 50.0f, 60.0f);
    for (int i = 0; i < 3; ++i)
        sooth_adapt_observe(adapt, p, rows[2], 50.0f, 60.0f); /* the surer of the twins */
    const float before = asked(adapt, p, rows[3], 50.0f).known;
    CHECK(sooth_adapt_observe(adapt, p, rows[4], 50.0f, 60.0f) == SOOTH_ADAPT_TAKEN);
    CHECK(p->points == 4 && p->observed == 8);
    CHECK(asked(adapt, p, rows[3], 50.0f).known > before - 0.01f); /* it stayed */
    CHECK(asked(adapt, p, rows[0], 50.0f).known > 0.9f && asked(adapt, p, rows[4], 50.0f).known > 0.9f);
    CHECK(asked(adapt, p, rows[1], 50.0f).known > 0.9f && asked(adapt, p, rows[2], 50.0f).known > 0.9f);
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

static void forgetting_is_a_fresh_start_and_copies_are_the_same(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt), *fresh = begun(adapt), *copy = begun(adapt);
    const size_t size = sooth_adapt_program_size(adapt);
    const float row[D] = {5, 5, 5};
    CHECK(memcmp(p, fresh, size) == 0);
    sooth_adapt_observe(adapt, p, row, 50.0f, 60.0f);
    memcpy(copy, p, size);
    const sooth_adapted a = asked(adapt, p, row, 40.0f), b = asked(adapt, copy, row, 40.0f);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    sooth_adapt_forget(adapt, p);
    CHECK(memcmp(p, fresh, size) == 0);
    free(p);
    free(fresh);
    free(copy);
    sooth_adapt_free(&env, adapt);
}

static void the_order_of_observations_is_rounding(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt), *q = begun(adapt);
    world w = world_of(1, 20, &plain, 101);
    uint32_t order[18];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (uint32_t i = 0; i < 18; ++i) order[i] = i % 14; /* four launches are measured twice */
    w.y[3] *= 20.0f;                                     /* and one is a lie, twice */
    for (uint32_t i = 0; i < 18; ++i) {
        const uint32_t row = order[i];
        sooth_adapt_observe(adapt, p, w.x + row * D, w.predicted[row], w.y[row] * (i < 14 ? 1.0f : 1.02f));
    }
    for (int turn = 0; turn < 5; ++turn) {
        uint32_t shuffled[18];
        for (uint32_t i = 0; i < 18; ++i) shuffled[i] = i;
        sooth_rng_shuffle(&rng, shuffled, 18);
        sooth_adapt_forget(adapt, q);
        for (uint32_t i = 0; i < 18; ++i) {
            const uint32_t row = order[shuffled[i]];
            sooth_adapt_observe(adapt, q, w.x + row * D, w.predicted[row],
                                w.y[row] * (shuffled[i] < 14 ? 1.0f : 1.02f));
        }
        CHECK(q->points == p->points && q->doubted == p->doubted);
        for (uint32_t row = 14; row < 20; ++row) {
            const sooth_adapted a = asked(adapt, p, w.x + row * D, w.predicted[row]);
            const sooth_adapted b = asked(adapt, q, w.x + row * D, w.predicted[row]);
            CHECK_CLOSE(b.value, a.value, 1e-3);
            CHECK_CLOSE(b.high, a.high, 1e-3);
        }
    }
    free(p);
    free(q);
    world_end(&w);
    sooth_adapt_free(&env, adapt);
}

/* ---- trust ---- */

static void beyond_the_training_and_beyond_what_was_revealed(void) {
    world w = world_of(12, 12, &plain, 5);
    sooth_adapt *adapt = fitted(&w, NULL);
    const sooth_adapt_feature *f = soothi_adapt_features(adapt);
    sooth_adapt_program *p = begun(adapt);
    float row[D] = {5, 5, 5};
    CHECK(asked(adapt, p, row, 50.0f).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(asked(adapt, p, row, 50.0f).feature == UINT32_MAX);
    for (uint32_t j = 0; j < D; ++j) {
        const float range = f[j].most - f[j].least;
        for (int side = 0; side < 2; ++side) {
            const float edge = side ? f[j].most + 0.09f * range : f[j].least - 0.09f * range;
            const float out = side ? f[j].most + 0.11f * range : f[j].least - 0.11f * range;
            row[j] = edge < 0.0f ? -expm1f(-edge) : expm1f(edge);
            CHECK(asked(adapt, p, row, 50.0f).trust == SOOTH_MODEL_TRUST_EDGE &&
                  asked(adapt, p, row, 50.0f).feature == j);
            row[j] = out < 0.0f ? -expm1f(-out) : expm1f(out);
            CHECK(asked(adapt, p, row, 50.0f).trust == SOOTH_MODEL_TRUST_OUTSIDE);
            CHECK(asked(adapt, p, row, 50.0f).feature == j);
        }
        row[j] = 5.0f;
    }
    row[1] = 1e6f; /* two outside: the farther is named */
    row[2] = 1e9f;
    CHECK(asked(adapt, p, row, 50.0f).feature == 2);
    /* five launches of one corner: near it much is known, far from it little, and the interval shows it */
    for (int i = 0; i < 5; ++i) {
        const float corner[D] = {0.1f * (float)i, 0.2f, 0.3f};
        sooth_adapt_observe(adapt, p, corner, 25.0f, 27.0f);
    }
    const float here[D] = {0.25f, 0.25f, 0.25f}, there[D] = {50, 50, 50};
    const sooth_adapted close_by = asked(adapt, p, here, 25.0f), apart = asked(adapt, p, there, 140.0f);
    CHECK(close_by.known > 0.9f && apart.known < 0.6f && apart.trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(half_of(&apart) > 3.0 * half_of(&close_by));
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* ---- what to measure next ---- */

/* What the twin says a measurement of row c takes from the variances of all. */
static double twin_gain(const twin *t, const world *w, size_t rows, size_t c, int information) {
    double sum = 0.0, mean, before, after;
    twin more = *t;
    twin_add(&more, w->x + c * D, w->predicted[c], w->predicted[c]);
    for (size_t i = 0; i < rows; ++i) {
        twin_ask(t, w->x + i * D, w->predicted[i], &mean, &before);
        twin_ask(&more, w->x + i * D, w->predicted[i], &mean, &after);
        if (!information) sum += before - after;
        else sum += 0.5 * log((before + (double)t->adapt->noise) / (after + (double)t->adapt->noise));
    }
    return sum;
}

static void next_takes_most_of_the_variance(void) {
    enum { ROWS = 30 };
    world w = world_of(1, ROWS, &plain, 111);
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    float cost[ROWS];
    twin t;
    memset(&t, 0, sizeof t);
    t.adapt = adapt;
    for (size_t i = 0; i < ROWS; ++i) cost[i] = 1.0f + (float)(i % 5);
    for (size_t k = 0; k < 4; ++k) {
        for (uint32_t how = 0; how < 4; ++how) { /* variance, information; the same per cost */
            const int information = how % 2 == SOOTH_ADAPT_INFORMATION;
            const size_t next =
                sooth_adapt_next(adapt, p, w.x, ROWS, D, w.predicted, how < 2 ? NULL : cost,
                                 information ? SOOTH_ADAPT_INFORMATION : SOOTH_ADAPT_VARIANCE, scratch);
            double most = 0.0, found = 0.0;
            for (size_t c = 0; c < ROWS; ++c) {
                const double gain =
                    twin_gain(&t, &w, ROWS, c, information) / (how < 2 ? 1.0 : (double)cost[c]);
                int measured = 0;
                for (size_t i = 0; i < t.n; ++i) measured |= memcmp(t.x[i], w.x + c * D, sizeof t.x[i]) == 0;
                if (!measured && gain > most) most = gain;
                if (c == next) found = gain;
            }
            CHECK(next < ROWS);
            CHECK_CLOSE(found, most, 2e-3);
        }
        const size_t next =
            sooth_adapt_next(adapt, p, w.x, ROWS, D, w.predicted, NULL, SOOTH_ADAPT_VARIANCE, scratch);
        CHECK(sooth_adapt_observe(adapt, p, w.x + next * D, w.predicted[next], w.predicted[next]) ==
              SOOTH_ADAPT_TAKEN);
        twin_add(&t, w.x + next * D, w.predicted[next], w.predicted[next]);
    }
    free(scratch);
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* E max(0, best - Y) by adding up a normal density. */
static double improvement(double best, double mean, double deviation) {
    double sum = 0.0;
    for (int i = -8000; i < 8000; ++i) {
        const double t = ((double)i + 0.5) * 1e-3, y = mean + deviation * t;
        if (y < best) sum += (best - y) * exp(-0.5 * t * t) * 1e-3 / sqrt(2.0 * 3.14159265358979);
    }
    return sum;
}

static void next_looks_for_the_least(void) {
    enum { ROWS = 20 };
    world w = world_of(1, ROWS, &plain, 121);
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    double best = 1e9;
    twin t;
    memset(&t, 0, sizeof t);
    t.adapt = adapt;
    for (size_t i = 0; i < ROWS; ++i)
        w.predicted[i] = 60.0f + (float)i; /* not far apart, so that there is doubt */
    for (size_t i = 0; i < ROWS; ++i) best = fmin(best, log((double)w.predicted[i]));
    for (size_t k = 0; k < 4; ++k) {
        const size_t next =
            sooth_adapt_next(adapt, p, w.x, ROWS, D, w.predicted, NULL, SOOTH_ADAPT_IMPROVEMENT, scratch);
        double most = 0.0, found = 0.0, mean, variance;
        for (size_t i = 0; i < t.n; ++i) { /* the least of what is known */
            twin_ask(&t, t.x[i], t.p[i], &mean, &variance);
            best = i == 0 ? 1e9 : best;
            best = fmin(best, log((double)t.p[i]) + mean);
        }
        for (size_t c = 0; c < ROWS; ++c) {
            twin_ask(&t, w.x + c * D, w.predicted[c], &mean, &variance);
            const double gain = improvement(best, log((double)w.predicted[c]) + mean, sqrt(variance));
            int measured = 0;
            for (size_t i = 0; i < t.n; ++i) measured |= memcmp(t.x[i], w.x + c * D, sizeof t.x[i]) == 0;
            if (!measured && gain > most) most = gain;
            if (c == next) found = gain;
        }
        CHECK_CLOSE(found, most, 1e-2);
        const float y = w.predicted[next] * (next % 2 ? 0.9f : 1.1f);
        CHECK(sooth_adapt_observe(adapt, p, w.x + next * D, w.predicted[next], y) == SOOTH_ADAPT_TAKEN);
        twin_add(&t, w.x + next * D, w.predicted[next], y);
    }
    free(scratch);
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* The normal tail within its stated error, also where it is all there is. */
static void improvements_far_from_the_best(void) {
    CHECK_NEAR(soothi_adapt_improvement(1.0f, 0.0f, 0.0f), 1.0, 0.0);
    CHECK_NEAR(soothi_adapt_improvement(0.0f, 1.0f, 0.0f), 0.0, 0.0);
    for (int i = -60; i <= 60; ++i) {
        const double best = 0.1 * (double)i;
        CHECK_CLOSE(soothi_adapt_improvement((float)best, 0.0f, 1.0f), improvement(best, 0.0, 1.0), 1e-3);
    }
    CHECK(soothi_adapt_improvement(-7.0f, 0.0f, 1.0f) > 0.0f);
    CHECK(soothi_adapt_improvement(-7.0f, 0.0f, 1.0f) > soothi_adapt_improvement(-8.0f, 0.0f, 1.0f));
}

static void next_when_there_is_nothing_to_choose(void) {
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    const float x[4 * D] = {1, 1, 1, 5, 5, 5, 9, 9, 9, 50, 50, 50};
    const float nowhere[4] = {NAN, -1, 0, INFINITY}, predicted[4] = {50, 50, NAN, 50},
                cost[4] = {0, 2, 1, -3};
    for (uint32_t how = 0; how < 3; ++how) {
        sooth_adapt_forget(adapt, p);
        CHECK(sooth_adapt_next(adapt, p, x, 0, D, predicted, NULL, how, scratch) == 0);
        CHECK(sooth_adapt_next(adapt, p, x, 4, D, nowhere, NULL, how, scratch) == 4);
        CHECK(sooth_adapt_next(adapt, p, x, 4, D, predicted, cost, how, scratch) ==
              1); /* the only one with both */
        for (size_t i = 0; i < 3; ++i) {
            const size_t next = sooth_adapt_next(adapt, p, x, 4, D, predicted, NULL, how, scratch);
            CHECK(next < 4 && next != 2);
            sooth_adapt_observe(adapt, p, x + next * D, 50.0f, 55.0f);
        }
        CHECK(p->points == 3 && sooth_adapt_next(adapt, p, x, 4, D, predicted, NULL, how, scratch) == 4);
    }
    free(scratch);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* More candidates than references, rows wider than they have features: the choice is still a good one. */
static void next_of_many_candidates(void) {
    enum { ROWS = 20000, WIDE = D + 2 };
    sooth_adapt *adapt = small();
    sooth_adapt_program *p = begun(adapt);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    float *x = (float *)malloc(ROWS * WIDE * sizeof *x),
          *predicted = (float *)malloc(ROWS * sizeof *predicted);
    sooth_rng rng;
    sooth_rng_init(&rng, 131, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        row_of(&rng, x + i * WIDE);
        x[i * WIDE + D] = x[i * WIDE + D + 1] = NAN; /* not of the row */
        predicted[i] = (float)exp(3.0 + 2.0 * sooth_rng_double(&rng));
    }
    double before = 0.0, after = 0.0, random = 0.0;
    for (int way = 0; way < 2; ++way) {
        sooth_adapt_forget(adapt, p);
        for (size_t k = 0; k < 3; ++k) {
            const size_t next = way ? k
                                    : sooth_adapt_next(adapt, p, x, ROWS, WIDE, predicted, NULL,
                                                       SOOTH_ADAPT_VARIANCE, scratch);
            CHECK(next < ROWS);
            sooth_adapt_observe(adapt, p, x + next * WIDE, predicted[next], predicted[next]);
        }
        for (size_t i = 0; i < 500; ++i) {
            const double known = (double)asked(adapt, p, x + (i * 37) * WIDE, predicted[i * 37]).known;
            if (way) random += known;
            else after += known;
        }
    }
    CHECK(before < random && random < after);
    free(predicted);
    free(x);
    free(scratch);
    free(p);
    sooth_adapt_free(&env, adapt);
}

/* ---- blocks of others ---- */

static void lies_of_blocks(void) {
    static const uint32_t nan = 0x7FC00000u, infinite = 0x7F800000u, minus_one = 0xBF800000u;
    static const uint32_t huge = 0x7149F2CAu;
    sooth_adapt *adapt = small();
    const size_t at = sizeof(sooth_adapt) + sizeof(sooth_adapt_feature); /* the second feature */
    const size_t factor = sizeof(sooth_adapt) + D * sizeof(sooth_adapt_feature);
    const lies_word lies[] = {{offsetof(sooth_block, features), 0},
                              {offsetof(sooth_block, features), D + 1},
                              {offsetof(sooth_block, features), 0xFFFFFFFFu},
                              {offsetof(sooth_block, targets), 2},
                              {offsetof(sooth_adapt, capacity), 0},
                              {offsetof(sooth_adapt, capacity), MOST + 1},
                              {offsetof(sooth_adapt, capacity), 12},
                              {offsetof(sooth_adapt, simulated), 17},
                              {offsetof(sooth_adapt, log), 2},
                              {offsetof(sooth_adapt, level), nan},
                              {offsetof(sooth_adapt, unit), 0},
                              {offsetof(sooth_adapt, offset), minus_one},
                              {offsetof(sooth_adapt, slope), infinite},
                              {offsetof(sooth_adapt, signal), huge},
                              {offsetof(sooth_adapt, noise), 0},
                              {offsetof(sooth_adapt, length), 0},
                              {offsetof(sooth_adapt, centre), nan},
                              {offsetof(sooth_adapt, factor), minus_one},
                              {offsetof(sooth_adapt, doubt), 0},
                              {at + offsetof(sooth_adapt_feature, log), 2},
                              {at + offsetof(sooth_adapt_feature, centre), infinite},
                              {at + offsetof(sooth_adapt_feature, factor), minus_one},
                              {at + offsetof(sooth_adapt_feature, least), nan},
                              {at + offsetof(sooth_adapt_feature, least), huge},
                              {at + offsetof(sooth_adapt_feature, most), infinite},
                              {at + offsetof(sooth_adapt_feature, most), minus_one},
                              {factor, nan},
                              {factor + 16 * sizeof(float), minus_one},
                              {factor + 3 * sizeof(float), infinite}};
    lies_are_refused(sooth_adapt_check, &adapt->head, lies, sizeof lies / sizeof *lies);
    lies_about_size_are_refused(sooth_adapt_check, &adapt->head);
    sooth_adapt_free(&env, adapt);
}

/* A model whose predictions say little: part follows the target, the rest is chance. By loops over programs,
   medians by sorting: the share that sooth_adapt_share has to return. */
static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_without(const sooth_table *t, uint32_t program) {
    double all[400];
    size_t n = 0;
    for (size_t i = 0; i < t->rows; ++i)
        if (t->group[i] != program) all[n++] = log((double)t->y[i]);
    qsort(all, n, sizeof *all, by_value);
    return n % 2 ? all[n / 2] : (all[n / 2 - 1] + all[n / 2]) / 2.0;
}

static double share_by_hand(const sooth_table *t, const float *predicted, uint32_t programs) {
    double least = 1e300, gain[64], mean, squares = 0.0, share = 0.0;
    for (int quarter = 0; quarter <= 4; ++quarter) {
        const double w = quarter / 4.0;
        double sum = 0.0;
        for (uint32_t g = 0; g < programs; ++g) {
            const double rule = median_without(t, g);
            double own = 0.0, of_rule = 0.0, n = 0.0;
            for (size_t i = 0; i < t->rows; ++i) {
                if (t->group[i] != g) continue;
                const double p = log((double)predicted[i]), y = log((double)t->y[i]);
                own += (w * p + (1.0 - w) * rule - y) * (w * p + (1.0 - w) * rule - y);
                of_rule += (rule - y) * (rule - y);
                n += 1.0;
            }
            sum += own / n;
            gain[programs + g] = (of_rule - own) / n;
        }
        if (sum > least) continue;
        least = sum;
        share = w;
        memcpy(gain, gain + programs, programs * sizeof *gain);
    }
    mean = 0.0;
    for (uint32_t g = 0; g < programs; ++g) mean += gain[g] / programs;
    for (uint32_t g = 0; g < programs; ++g) squares += (gain[g] - mean) * (gain[g] - mean);
    return mean < sqrt(squares / (programs - 1) / programs) ? 0.0 : share;
}

static void a_model_that_knows_little_is_drawn_to_the_median(void) {
    static float x[240 * D], y[240], predicted[240];
    static uint32_t group[240];
    int seen[5] = {0, 0, 0, 0, 0};
    for (int knows = 0; knows <= 12; ++knows) {
        sooth_table table = sooth_table_of(x, y, 240, D);
        sooth_adapt *adapt = NULL;
        sooth_rng rng;
        float rule;
        sooth_rng_init(&rng, 7, (uint64_t)knows);
        for (size_t i = 0; i < 240; ++i) {
            const double of_program = sooth_rng_double(&rng), chance = sooth_rng_double(&rng);
            group[i] = (uint32_t)(i / 15);
            for (size_t j = 0; j < D; ++j) x[i * D + j] = (float)sooth_rng_double(&rng);
            y[i] = (float)exp(3.0 + of_program);
            predicted[i] = (float)exp(3.0 + of_program * knows / 12.0 + chance * (12 - knows) / 12.0);
        }
        table.group = group;
        CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
        if (!adapt) return;
        CHECK(sooth_adapt_check(adapt, adapt->head.size));
        const double share = (double)sooth_adapt_share(adapt, &rule), all = median_without(&table, 99);
        CHECK_NEAR(share, share_by_hand(&table, predicted, 16), 1e-6);
        CHECK((share < 1.0) == (adapt->head.kind >> 16 == 2));
        if (share < 1.0) CHECK_CLOSE(rule, exp(all), 1e-5);
        else CHECK(rule != rule);
        sooth_adapt_program *p = begun(adapt);
        const sooth_adapted out = asked(adapt, p, x, 40.0f); /* no launch: the mixture, in the middle */
        CHECK_CLOSE(out.value, exp(share * log(40.0) + (1.0 - share) * all), 1e-5);
        CHECK(out.low <= out.value && out.value <= out.high);
        for (int k = 0; k < 4; ++k) sooth_adapt_observe(adapt, p, x, 40.0f, 30.0f);
        CHECK_CLOSE(asked(adapt, p, x, 40.0f).value, 30.0, 0.1); /* what was measured is believed */
        ++seen[(int)(4.0 * share + 0.5)];
        free(p);
        sooth_adapt_free(&env, adapt);
    }
    CHECK(seen[0] > 0 && seen[2] > 0 && seen[4] > 0);
}

/* Targets of both signs: the rule is their median, and who does not ask for it gets the same share. */
static void the_rule_of_differences_is_the_median(void) {
    static float x[20], y[20], predicted[20];
    static uint32_t group[20];
    sooth_table table = sooth_table_of(x, y, 20, 1);
    for (int way = 0; way < 2; ++way) {
        sooth_adapt *adapt = NULL;
        float rule;
        for (uint32_t i = 0; i < 20; ++i) { /* -10, 0, 10, 20, 30; the predictions know them or not */
            x[i] = (float)i;
            y[i] = 10.0f * (float)(i * 7 % 5) - 10.0f;
            predicted[i] = way ? y[i] + (float)(i % 2) : 10.0f * (float)(i * 3 % 7) - 20.0f;
            group[i] = i / 4;
        }
        table.group = group;
        CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
        if (!adapt) return;
        const float share = sooth_adapt_share(adapt, &rule);
        CHECK(adapt->log == 0 && sooth_adapt_share(adapt, NULL) == share);
        if (way) CHECK(share == 1.0f && rule != rule);
        else CHECK(share < 1.0f && fabs((double)rule - 10.0) < 1e-4);
        sooth_adapt_free(&env, adapt);
    }
}

static void lies_of_a_rule(void) {
    static const uint32_t nan = 0x7FC00000u, two = 0x40000000u, minus_one = 0xBF800000u;
    static float x[20], y[20], predicted[20];
    static uint32_t group[20];
    sooth_adapt *adapt = NULL;
    sooth_table table = sooth_table_of(x, y, 20, 1);
    for (uint32_t i = 0; i < 20; ++i) {
        x[i] = (float)i;
        y[i] = 10.0f + (float)(i * 7 % 5);
        predicted[i] = 10.0f + (float)(i * 3 % 7);
        group[i] = i / 4;
    }
    table.group = group;
    CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
    CHECK(adapt && adapt->head.kind >> 16 == 2);
    if (!adapt) return;
    const size_t rule = sizeof(sooth_adapt) + sizeof(sooth_adapt_feature) + 17 * sizeof(float);
    const lies_word lies[] = {{rule, two},
                              {rule, minus_one},
                              {rule, nan},
                              {rule + sizeof(float), nan},
                              {offsetof(sooth_block, kind), (uint32_t)SOOTH_KIND_ADAPT | 3u << 16}};
    lies_are_refused(sooth_adapt_check, &adapt->head, lies, sizeof lies / sizeof *lies);
    sooth_adapt_free(&env, adapt);
}

/* Every bit of a block turned over: refused, or it works on within its memory and ends. */
static void blocks_with_one_bit_turned(void) {
    sooth_adapt *adapt = small();
    const size_t size = adapt->head.size;
    size_t harmless = 0;
    const float x[2 * D] = {5, 5, 5, 50, 1, 9}, predicted[2] = {50, 60};
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    sooth_adapt *turned = (sooth_adapt *)malloc(size);
    for (size_t bit = 0; bit < 8 * size; bit += 1 + bit % 3) {
        memcpy(turned, adapt, size);
        ((unsigned char *)turned)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(!sooth_adapt_check(turned, size));
        if (turned->head.size == size) soothi_block_seal(&turned->head);
        if (!sooth_adapt_check(turned, size)) continue;
        sooth_adapt_program *p = begun(turned);
        ++harmless;
        for (int i = 0; i < 4; ++i) sooth_adapt_observe(turned, p, x + i % 2 * D, predicted[i % 2], 55.0f);
        const sooth_adapted out = asked(turned, p, x, 50.0f);
        CHECK(out.trust <= SOOTH_MODEL_TRUST_OUTSIDE && (out.feature < D || out.feature == UINT32_MAX));
        for (uint32_t how = 0; how < 3; ++how)
            CHECK(sooth_adapt_next(turned, p, x, 2, D, predicted, NULL, how, scratch) <= 2);
        CHECK(sooth_adapt_cost(turned).bytes == size);
        free(p);
    }
    CHECK(harmless > 100);
    free(turned);
    free(scratch);
    sooth_adapt_free(&env, adapt);
}

/* Laws that no fit finds but a block may state: nothing varies, or noise is less than a variance's rounding,
   so that what is left of it rounds to nothing or below. Answers stay numbers. */
static void laws_at_the_bounds(void) {
    static const float large = SOOTHI_ADAPT_LARGE;
    const float laws[6][3] = {{0, 0, 0},     {large, 0, 0},     {0, large, 0},
                              {0, 0, large}, {large, large, 0}, {large, large, large}};
    sooth_adapt *adapt = small();
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    adapt->noise = 1e-7f;
    for (size_t l = 0; l < 6; ++l) {
        float x[20 * D], predicted[20];
        sooth_rng rng;
        sooth_rng_init(&rng, 71, l);
        adapt->offset = laws[l][0];
        adapt->slope = laws[l][1];
        adapt->signal = laws[l][2];
        soothi_block_seal(&adapt->head);
        CHECK(sooth_adapt_check(adapt, adapt->head.size));
        sooth_adapt_program *p = begun(adapt);
        for (size_t i = 0; i < 20; ++i) {
            row_of(&rng, x + i * D);
            predicted[i] = 20.0f + (float)i;
        }
        for (size_t i = 0; i < 20; ++i) { /* more than it remembers, all of them twice what is predicted */
            for (uint32_t how = 0; how < 3; ++how)
                CHECK(sooth_adapt_next(adapt, p, x, 20, D, predicted, NULL, how, scratch) < 20);
            sooth_adapt_observe(adapt, p, x + i * D, predicted[i], 2.0f * predicted[i]);
            for (size_t k = 0; k < 20; ++k) {
                const sooth_adapted out = asked(adapt, p, x + k * D, predicted[k]);
                CHECK(out.low >= 0.0f && out.low <= out.value && out.value <= out.high &&
                      out.high <= FLT_MAX);
                CHECK(out.known >= 0.0f && out.known <= 1.0f);
                if (l == 0) CHECK(soothi_bits(out.value) == soothi_bits(predicted[k]) && !(out.known > 0.0f));
                if (l == 1) CHECK_CLOSE(out.value, 2.0f * predicted[k], 1e-3); /* one level for all */
            }
        }
        free(p);
    }
    free(scratch);
    sooth_adapt_free(&env, adapt);
}

static void costs_and_options(void) {
    sooth_adapt *adapt = small();
    const sooth_cost cost = sooth_adapt_cost(adapt);
    CHECK(cost.bytes == adapt->head.size && cost.bytes == soothi_adapt_words(D, 16));
    CHECK(cost.functions >= D + 16 && cost.multiply_adds >= 16 * (D + 8));
    CHECK(sooth_adapt_options_list().count == 7);
    CHECK_NEAR(adapt->level, 0.9, 1e-6);
    sooth_adapt_free(&env, adapt);
    world w = world_of(12, 12, &plain, 5);
    sooth_adapt_options options;
    memset(&options, 0, sizeof options);
    float before = 0.0f;
    for (options.level = 0.5; options.level < 0.96; options.level += 0.15) { /* a higher level is wider */
        adapt = fitted(&w, &options);
        CHECK(soothi_adapt_factors(adapt)[2] > before);
        before = soothi_adapt_factors(adapt)[2];
        sooth_adapt_free(&env, adapt);
    }
    world_end(&w);
}

/* Missing features in the table, a column that nobody knows, negative features. */
static void odd_columns(void) {
    world w = world_of(12, 12, &plain, 5);
    for (size_t i = 0; i < 144; ++i) {
        w.x[i * D] = NAN;
        if (i % 5 == 0) w.x[i * D + 1] = NAN;
        w.x[i * D + 2] -= 20.0f;
    }
    sooth_adapt *adapt = fitted(&w, NULL);
    const sooth_adapt_feature *f = soothi_adapt_features(adapt);
    CHECK(f[0].factor <= 0.0f && f[1].factor > 0.0f && f[1].log == 1 && f[2].log == 0 && f[2].least < 0.0f);
    sooth_adapt_program *p = begun(adapt);
    for (size_t i = 0; i < 6; ++i) CHECK(sooth_adapt_observe(adapt, p, w.x + i * D, w.predicted[i], w.y[i]));
    const sooth_adapted out = asked(adapt, p, w.x + 7 * D, w.predicted[7]);
    CHECK(out.low < out.value && out.value < out.high && out.known > 0.3f);
    free(p);
    sooth_adapt_free(&env, adapt);
    world_end(&w);
}

/* ---- published launches ---- */

static char power_text[1 << 20];

/* Extra-trees on logarithms, each program by trees that have not seen it. */
static void zero_shot(const sooth_table *table, uint32_t groups, float *predicted) {
    const size_t rows = table->rows, cols = table->cols;
    float *x = (float *)calloc(rows * cols, sizeof *x), *y = (float *)calloc(rows, sizeof *y);
    float *weight = (float *)malloc(rows * sizeof *weight);
    sooth_table logs = sooth_table_of(x, y, rows, cols);
    sooth_forest_options options;
    memset(&options, 0, sizeof options);
    options.n_estimators = 30;
    options.max_depth = 12;
    options.max_features = 1.0 / 3.0;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    logs.weight = weight;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < cols; ++j) x[i * cols + j] = sooth_log1p(table->x[i * table->stride + j]);
        y[i] = sooth_log(table->y[i]);
    }
    for (uint32_t g = 0; g < groups; ++g) {
        sooth_forest *forest = NULL;
        for (size_t i = 0; i < rows; ++i) weight[i] = table->group[i] == g ? 0.0f : 1.0f;
        CHECK_STATUS(sooth_forest_fit(&env, &logs, &options, &forest), SOOTH_OK);
        for (size_t i = 0; i < rows && forest; ++i)
            if (table->group[i] == g) predicted[i] = sooth_exp(sooth_forest_predict(forest, x + i * cols));
        sooth_forest_free(&env, forest);
    }
    free(x);
    free(y);
    free(weight);
}

/* Each program of at least 8 launches as new; folds of programs are left out of the fit. Means over the rest
   after five, by launches; what intervals hold is the mean of programs. */
static void unseen_programs(const sooth_csv_data *data, const float *predicted, int chosen, double error[3],
                            double held[3]) {
    const size_t rows = data->table.rows, cols = data->table.cols;
    static const size_t after[] = {0, 2, 5};
    float *weight = (float *)malloc(rows * sizeof *weight), *x = (float *)malloc(rows * cols * sizeof *x);
    float *p = (float *)malloc(rows * sizeof *p), *y = (float *)malloc(rows * sizeof *y);
    double asked_for = 0.0, programs = 0.0;
    sooth_table table = data->table;
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    table.weight = weight;
    memset(error, 0, 3 * sizeof *error);
    memset(held, 0, 3 * sizeof *held);
    for (uint32_t fold = 0; fold < 4; ++fold) {
        sooth_adapt *adapt = NULL;
        for (size_t i = 0; i < rows; ++i) weight[i] = table.group[i] % 4 == fold ? 0.0f : 1.0f;
        CHECK_STATUS(sooth_adapt_fit(&env, &table, predicted, NULL, &adapt), SOOTH_OK);
        if (!adapt) break;
        sooth_adapt_program *program = begun(adapt);
        void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
        for (uint32_t g = fold; g < data->groups; g += 4) {
            uint32_t order[512];
            size_t n = 0, k = 0;
            for (size_t i = 0; i < rows; ++i)
                if (table.group[i] == g && n < 512) order[n++] = (uint32_t)i;
            if (n < 8) continue;
            sooth_rng_shuffle(&rng, order, n);
            for (size_t i = 0; i < n; ++i) {
                memcpy(x + i * cols, table.x + order[i] * table.stride, cols * sizeof *x);
                p[i] = predicted[order[i]];
                y[i] = table.y[order[i]];
            }
            size_t show[5] = {0, 1, 2, 3, 4};
            unsigned char shown[512] = {0};
            sooth_adapt_forget(adapt, program);
            for (k = 0; k < 5 && chosen; ++k) {
                show[k] =
                    sooth_adapt_next(adapt, program, x, n, cols, p, NULL, SOOTH_ADAPT_VARIANCE, scratch);
                if (show[k] == n) show[k] = k; /* launches that look alike */
                sooth_adapt_observe(adapt, program, x + show[k] * cols, p[show[k]], y[show[k]]);
            }
            for (k = 0; k < 5; ++k) shown[show[k]] = 1;
            sooth_adapt_forget(adapt, program);
            for (size_t at = 0, seen = 0; at < 3; ++at) {
                double here = 0.0, of = 0.0;
                for (; seen < after[at]; ++seen)
                    sooth_adapt_observe(adapt, program, x + show[seen] * cols, p[show[seen]], y[show[seen]]);
                for (size_t i = 0; i < n; ++i) {
                    if (shown[i]) continue;
                    const sooth_adapted out = asked(adapt, program, x + i * cols, p[i]);
                    error[at] += fabs((double)out.value / (double)y[i] - 1.0);
                    here += y[i] >= out.low && y[i] <= out.high;
                    of += 1.0;
                }
                held[at] += here / of;
                asked_for += of / 3.0;
            }
            programs += 1.0;
        }
        free(scratch);
        free(program);
        sooth_adapt_free(&env, adapt);
    }
    for (size_t at = 0; at < 3; ++at) {
        error[at] /= asked_for;
        held[at] /= programs;
    }
    free(weight);
    free(x);
    free(p);
    free(y);
}

/* Chosen launches bring the error of unseen programs down as the study of these files says, and intervals
   hold 87 to 97 % at every number of launches. */
static void published_power_of_unseen_programs(void) {
    static const char *const name[] = {"k20", "k20_large", "m60"};
    static const char *const drop[] = {"family"};
    CHECK_SLOW();
    for (size_t f = 0; f < 3; ++f) {
        char path[64];
        snprintf(path, sizeof path, "../shared/data/power/%s.csv", name[f]);
        FILE *file = fopen(path, "rb");
        sooth_csv csv;
        sooth_csv_data data;
        sooth_csv_table_options choice;
        if (!file) CHECK_SKIP("the published power data are not here");
        const size_t size = fread(power_text, 1, sizeof power_text, file);
        fclose(file);
        memset(&choice, 0, sizeof choice);
        choice.target = "Power";
        choice.group = "benchmark";
        choice.drop = drop;
        choice.drop_count = 1;
        CHECK_STATUS(sooth_csv_read(&env, power_text, size, NULL, &csv), SOOTH_OK);
        CHECK_STATUS(sooth_csv_table(&env, &csv, &choice, &data), SOOTH_OK);
        float *predicted = (float *)malloc(data.table.rows * sizeof *predicted);
        zero_shot(&data.table, data.groups, predicted);
        for (int chosen = 0; chosen < 2; ++chosen) {
            double error[3], held[3];
            unseen_programs(&data, predicted, chosen, error, held);
            if (getenv("SOOTH_SHOW"))
                printf("  %s %s: %.1f %.1f %.1f %%, held %.1f %.1f %.1f %%\n", name[f],
                       chosen ? "chosen" : "random", 100 * error[0], 100 * error[1], 100 * error[2],
                       100 * held[0], 100 * held[1], 100 * held[2]);
            CHECK(error[1] < (chosen ? 0.7 : 0.95) * error[0] && error[2] < (chosen ? 0.55 : 0.7) * error[0]);
            CHECK(error[2] < (chosen ? 0.09 : 0.11));
            for (size_t at = 0; at < 3; ++at) CHECK(held[at] > 0.87 && held[at] < 0.97);
        }
        free(predicted);
        sooth_csv_data_free(&env, &data);
        sooth_csv_free(&env, &csv);
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(the_small_solve_is_that_of_a_gaussian_process);
    CHECK_RUN(the_law_is_found_and_intervals_hold);
    CHECK_RUN(heavy_tails_are_held);
    CHECK_RUN(fits_are_the_same_twice_and_rows_without_weight_do_not_exist);
    CHECK_RUN(a_spike_in_the_table_does_not_make_the_law);
    CHECK_RUN(nothing_varies);
    CHECK_RUN(what_cannot_be_learned_is_refused);
    CHECK_RUN(fits_can_be_cancelled);
    CHECK_RUN(differences_where_logarithms_do_not_exist);
    CHECK_RUN(a_spike_moves_the_answer_less_than_the_interval);
    CHECK_RUN(a_first_spike_is_doubted_and_what_repeats_is_believed);
    CHECK_RUN(what_is_no_number_is_refused);
    CHECK_RUN(one_launch_a_hundred_thousand_times);
    CHECK_RUN(contradictions_widen);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(many_launches_in_a_fixed_memory);
    CHECK_RUN(the_point_that_others_tell_best_makes_room);
    CHECK_RUN(forgetting_is_a_fresh_start_and_copies_are_the_same);
    CHECK_RUN(the_order_of_observations_is_rounding);
    CHECK_RUN(beyond_the_training_and_beyond_what_was_revealed);
    CHECK_RUN(next_takes_most_of_the_variance);
    CHECK_RUN(next_looks_for_the_least);
    CHECK_RUN(improvements_far_from_the_best);
    CHECK_RUN(next_when_there_is_nothing_to_choose);
    CHECK_RUN(next_of_many_candidates);
    CHECK_RUN(a_model_that_knows_little_is_drawn_to_the_median);
    CHECK_RUN(the_rule_of_differences_is_the_median);
    CHECK_RUN(lies_of_a_rule);
    CHECK_RUN(lies_of_blocks);
    CHECK_RUN(blocks_with_one_bit_turned);
    CHECK_RUN(laws_at_the_bounds);
    CHECK_RUN(costs_and_options);
    CHECK_RUN(odd_columns);
    CHECK_RUN(published_power_of_unseen_programs);
    return check_end("adapt");
}
